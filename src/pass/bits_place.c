/* bits_place.c - the bytes of a buffer whose elements take bits: which bytes contain an element.

   needs     flatten.c for indices, arith for what is known about the first bit
   promises  for each element, bounds of the number of its first bit within its byte, so that a byte
             without a bit of the element is never touched */
#include "legalize_bits.h"

/* ------------------------------------------------------------------ the bytes of a buffer */

const char *irl__bitbuf_name(irl_ctx *cx, const char *name, const char *what)
{
    return irl__format(cx, "%s_%s", name, what);
}

const irl_buffer *irl__bitbuf_bytes_of(irl__bitbuf_state *state, const irl_buffer *b)
{
    irl_ctx    *cx = state->cx;
    irl_buffer *to = (irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (to) return to;
    const irl_expr *bytes = irl__size_bytes(cx, b);
    if (!bytes) return NULL;
    to = irl__buffer_make(cx, irl__bitbuf_name(cx, b->name, "bytes"), irl_type_of(IRL_U8, 1),
                          b->scope, 1, &bytes, b->data, b->loc);
    if (!to || !irl__ptr_map_put(cx, &state->buffers, b, to) ||
        !irl__ptr_map_put(cx, &state->memories, b->data, b))
        return NULL;
    const int k = irl__func_param_of(state->f, b->data);
    if (!(k >= 0 && state->f->params[k].buffer == b)) {
        to->alignment = b->alignment;
        return to;
    }
    return IRL__PUSH_SCRATCH(cx, state->aliases, irl_stmt_decl(cx, to)) ? to : NULL;
}

/* ------------------------------------------------------------------ where an element is */

int irl__bitbuf_place_of(irl__bitbuf_state *state, const irl_buffer *b,
                       const irl_expr *const *indices, irl__bitbuf_place *out)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *at = NULL, *eight = irl_expr_index(cx, 8);
    int64_t         least;
    if (b->rank && indices[b->rank - 1]->type.lanes != 1)
        return irl__fail(cx, IRL_ERROR_UNSUPPORTED, b->loc, "'%s' has elements of bits, which are "
                         "accessed one at a time: an index is a vector", b->name);
    if (!irl__flatten_indices(cx, b, indices, &at)) return 0;
    irl__residues mod = irl__modular(state->an, at);
    int64_t       every = mod.coef ? irl__gcd64(mod.coef, 8) : 8;
    out->of = b;
    out->bits = b->bits;
    out->at = at;
    if (!irl__floormod64(mod.base, every, &least)) return 0;
    out->least = (int)least;
    out->most = out->least + (int)(8 - every);
    out->count = (out->most + b->bits + 7) / 8;
    out->byte = irl__simplify(state->an, irl__floordiv(cx, at, eight));
    out->bit = every == 8 ? irl_expr_index(cx, out->least)
                          : irl__simplify(state->an, irl__floormod(cx, at, eight));
    out->type = irl_type_of(out->count > 4 ? IRL_U64 : IRL_U32, 1);
    out->mask = UINT64_MAX >> (64 - b->bits);
    return out->byte && out->bit;
}

int irl__bitbuf_touched(irl__bitbuf_state *state, const void *access, const irl__bitbuf_place *p,
                        int k, uint64_t own, int is_part)
{
    irl__bitbuf_touch *t = access ? (irl__bitbuf_touch *)irl__ptr_map_get(&state->touches, access)
                                  : NULL;
    state->has_parts |= is_part;
    if (t) { /* equal loads are one: of all elements of the byte */
        if (t->place.at != p->at || t->place.of != p->of || t->k != k) t->own = 255;
        return 1;
    }
    t = IRL__SCRATCH(state->cx, irl__bitbuf_touch, 1);
    if (!t || !access) return 0;
    t->place = *p;
    t->k = k;
    t->own = own;
    t->is_part = is_part;
    return irl__ptr_map_put(state->cx, &state->touches, access, t);
}

/* ------------------------------------------------------------------ its value */

int irl__bitbuf_reads(const irl_expr *e, const void *data)
{
    return irl__expr_is_call(e, NULL) || (e->op == IRL_OP_LOAD && e->u.buffer->data == data);
}

int irl__bitbuf_is_plain(const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__STORE ? s->u.store.buffer : NULL;
    if (!b || !b->bits || irl__expr_any(s->u.store.value, irl__bitbuf_reads, b->data)) return 0;
    for (int k = 0; k < b->rank; k++)
        if (s->u.store.indices[k]->type.lanes != 1 ||
            irl__expr_any(s->u.store.indices[k], irl__bitbuf_reads, b->data))
            return 0;
    return 1;
}

/* An undefined value may be any; 0 leaves the bits beside it defined. */
static const irl_expr *irl__bitbuf_define(irl__rewriter *r, const irl_expr *e)
{
    return e->op == IRL_OP_UNDEF ? irl__zero(r->cx, e->type) : irl__rewrite_expr_children(r, e);
}

const irl_expr *irl__bitbuf_of_value(irl__bitbuf_state *state, const irl_buffer *b, irl_type type,
                                   const irl_expr *value)
{
    irl_ctx       *cx = state->cx;
    irl__rewriter  r = irl__rewriter_make(cx, NULL, irl__bitbuf_define, NULL);
    irl_type exact = irl_type_of(irl__type_uint(b->type), 1);
    const uint64_t mask = UINT64_MAX >> (64 - b->bits);
    value = irl__rewrite_expr(&r, value);
    if (b->norm || b->type.scalar == IRL_BOOL) {
        exact = irl_type_of(IRL_U32, 1);
        value = irl__bitfield_code(cx, b, value);
    } else if (irl__type_is_float(b->type)) value = irl_expr_reinterpret(cx, exact, value);
    value = irl_expr_cast(cx, exact, value);
    value = irl_expr_cast(cx, type, value);
    if (b->bits == 8 * (int)irl__type_bytes(exact)) return value;
    return irl_expr_op2(cx, IRL_OP_BITAND, value, irl_expr_int(cx, type, (int64_t)mask));
}
