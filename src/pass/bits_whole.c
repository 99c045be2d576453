/* bits_whole.c - a nest that stores all elements of each byte stores bytes.

   requires  elements of 1, 2 or 4 bits; a perfect nest of loops, none of them bound, around one
             store, whose value does not read the memory that it writes and calls nothing
   promises  the same memory. One loop v is 8 / bits * v' + e, and stores the element of bit
             e * bits of a byte that does not depend on e: so the store becomes that of all e at
             once, and v' replaces v. If the elements of a byte are in the opposite order, e is 8 /
             bits - 1 - e instead. Stores to one element keep their order: they have the same e. A
             separate loop after it stores the elements after the last whole byte
   cost      the value is copied 8 / bits times; for a target without vectors once, in a loop over e
             that shifts the byte and adds the element */
#include "legalize_bits.h"

/* The innermost statement of a nest that may be changed: a store of bits; else NULL. */
static const irl_stmt *irl__whole_byte_store(const irl_stmt *s)
{
    for (; s->kind == IRL__FOR; s = s->u.loop.body)
        if (s->u.loop.kind == IRL_BOUND) return NULL;
    const int bits = irl__bitbuf_is_plain(s) ? s->u.store.buffer->bits : 0;
    return bits == 1 || bits == 2 || bits == 4 ? s : NULL;
}

static const irl_expr *irl__whole_byte_at(irl_ctx *cx, const irl_expr *e, const irl_expr *var,
                                     const irl_expr *value)
{
    return irl__substitute(cx, e, 1, &var, &value);
}

/* The byte whose elements an iteration of the outer part stores, element cut->var[1] where the
   loop's variable is `value`. NULL: it is not one byte, or not in that order. */
static const irl_expr *irl__whole_byte_of(irl__bitbuf_state *state, const irl_stmt *store,
                                          const irl_stmt *loop, const irl__loop_cut *cut,
                                          const irl_expr *value)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = store->u.store.buffer;
    const irl_expr   *indices[IRL_MAX_RANK], *bit;
    irl__bitbuf_place p;
    for (int k = 0; k < b->rank; k++)
        indices[k] = irl__whole_byte_at(cx, store->u.store.indices[k], loop->u.loop.var, value);
    if (!irl__bitbuf_place_of(state, b, indices, &p)) return NULL;
    bit = irl__mul(cx, cut->var[1], irl_expr_index(cx, b->bits));
    if (irl__expr_uses_var(p.byte, cut->var[1]) || !irl__prove_equal(state->an, p.bit, bit))
        return NULL;
    return p.byte;
}

/* All elements of a byte, each in its place. */
static const irl_expr *irl__whole_byte_value(irl__bitbuf_state *state, const irl_stmt *store,
                                             const irl_stmt *loop, const irl__loop_cut *cut,
                                             const irl_expr *value)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = store->u.store.buffer;
    const irl_expr   *all = NULL, *one, *at;
    const irl_type    u8 = irl_type_of(IRL_U8, 1);
    for (int k = 0; k < 8 / b->bits; k++) {
        at = irl__simplify(state->an,
                           irl__whole_byte_at(cx, value, cut->var[1], irl_expr_index(cx, k)));
        one = irl__whole_byte_at(cx, store->u.store.value, loop->u.loop.var, at);
        one = irl__bitbuf_of_value(state, b, u8, one);
        int shift = b->bit_order == IRL_BITS_LSB ? k * b->bits : 8 - b->bits - k * b->bits;
        if (shift) one = irl_expr_op2(cx, IRL_OP_SHL, one, irl_expr_int(cx, u8, shift));
        all = all ? irl_expr_op2(cx, IRL_OP_BITOR, all, one) : one;
    }
    return all;
}

const irl_expr *irl__bitbuf_next(irl__bitbuf_state *state, const irl_buffer *b,
                                 const irl_expr *now, const irl_expr *value)
{
    irl_ctx        *cx = state->cx;
    const irl_type  u8 = irl_type_of(IRL_U8, 1);
    const int       is_lsb = b->bit_order == IRL_BITS_LSB;
    const irl_expr *one = irl__bitbuf_of_value(state, b, u8, value);
    now = irl_expr_op2(cx, is_lsb ? IRL_OP_SHR : IRL_OP_SHL, now, irl_expr_int(cx, u8, b->bits));
    if (is_lsb) one = irl_expr_op2(cx, IRL_OP_SHL, one, irl_expr_int(cx, u8, 8 - b->bits));
    return irl_expr_op2(cx, IRL_OP_BITOR, now, one);
}

/* The same as statements: the byte is 0; for each element it is moved on by the width of one, and
   the element added at its end. Shifts by numbers: small machines shift a bit at a time. */
static const irl_stmt *irl__whole_byte_loop(irl__bitbuf_state *state, const irl_stmt *store,
                                            const irl_stmt *loop, const irl__loop_cut *cut,
                                            const irl_expr *value, const irl_buffer *to,
                                            const irl_expr *byte)
{
    irl_ctx *cx = state->cx;
    const irl_expr *one =
        irl__whole_byte_at(cx, store->u.store.value, loop->u.loop.var, value);
    const irl_stmt *both[2];
    one = irl__bitbuf_next(state, store->u.store.buffer,
                           irl__expr_load(cx, to, 1, &byte, irl__nowhere()), one);
    both[0] = irl__stmt_store(cx, to, irl_expr_int(cx, irl_type_of(IRL_U8, 1), 0), 1, &byte,
                              store->loc);
    both[1] = irl_stmt_for(cx, IRL_SERIAL, cut->var[1], irl_expr_index(cx, 0), cut->extent[1],
                           irl__stmt_store(cx, to, one, 1, &byte, store->loc));
    return irl__stmt_seq(cx, 2, both);
}

/* The nest over the elements after the last whole byte, from number `first` of its outermost loop
   on; each loop has a variable of its own. */
static const irl_stmt *irl__whole_byte_rest(irl_ctx *cx, const irl_stmt *s, int64_t first)
{
    if (!s || s->kind != IRL__FOR) return s;
    const irl_expr *var = s->u.loop.var;
    const irl_expr *own = irl_expr_var(cx, irl__loop_cut_name(cx, var, "rest"), var->type);
    if (!own) return NULL;
    return irl__stmt_loop_over(
        cx, s, own, first ? irl_expr_index(cx, first) : s->u.loop.min,
        first ? irl_expr_index(cx, s->u.loop.extent->u.i - first) : s->u.loop.extent,
        irl__whole_byte_rest(cx, irl__substitute_stmt(cx, s->u.loop.body, 1, &var, &own), 0));
}

/* The loops of s again around that store; `loop` over its outer part, and what is left of it. */
static const irl_stmt *irl__whole_byte_nest(irl_ctx *cx, const irl_stmt *s, const irl_stmt *loop,
                                       const irl__loop_cut *cut, const irl_stmt *store)
{
    const irl_stmt *both[2];
    if (s->kind != IRL__FOR) return store;
    both[0] = irl__stmt_loop_over(cx, s, s == loop ? cut->var[0] : s->u.loop.var, s->u.loop.min,
                                  s == loop ? cut->extent[0] : s->u.loop.extent,
                                  irl__whole_byte_nest(cx, s->u.loop.body, loop, cut, store));
    if (s != loop || s->u.loop.extent->u.i % cut->product == 0) return both[0];
    int64_t whole = s->u.loop.extent->u.i - s->u.loop.extent->u.i % cut->product;
    both[1] = irl__whole_byte_rest(cx, s, whole);
    return irl__stmt_seq(cx, 2, both);
}

/* Are the bounds of the loops inside free of the variable? */
static int irl__whole_byte_is_square(const irl_stmt *loop)
{
    const irl_stmt *s = loop->u.loop.body;
    for (; s->kind == IRL__FOR; s = s->u.loop.body)
        if (irl__stmt_bounds_use(s, loop->u.loop.var)) return 0;
    return 1;
}

static const irl_stmt *irl__whole_byte_by(irl__bitbuf_state *state, const irl_stmt *s,
                                     const irl_stmt *loop, const irl_stmt *store)
{
    irl_ctx        *cx = state->cx;
    const int64_t   each = 8 / store->u.store.buffer->bits;
    irl__loop_cut   cut;
    const irl_expr *byte = NULL, *at[2], *value = NULL;
    const irl_stmt *bytes;
    int             order;
    if (!irl__is_int(loop->u.loop.min, 0) || loop->u.loop.extent->op != IRL_OP_INT ||
        loop->u.loop.extent->u.i < each || !irl__whole_byte_is_square(loop))
        return s;
    if (!irl__loop_cut_in_two(cx, loop, each, &cut)) return NULL;
    cut.extent[0] = irl_expr_index(cx, loop->u.loop.extent->u.i / each);
    int mark = irl__bindings_mark(state->an);
    if (!irl__bind_extent(state->an, cut.var[0], loop->u.loop.min, cut.extent[0]) ||
        !irl__bind_extent(state->an, cut.var[1], loop->u.loop.min, cut.extent[1]))
        return NULL;
    const irl_expr *turned =
        irl__sub(cx, irl_expr_index(cx, each - 1), cut.var[1]);
    at[0] = irl__loop_cut_value(cx, &cut);
    at[1] = irl__whole_byte_at(cx, at[0], cut.var[1], turned);
    for (order = 0; order < 2; order++) {
        byte = at[order] ? irl__whole_byte_of(state, store, loop, &cut, at[order]) : NULL;
        if (byte || !irl__ok(cx)) break;
    }
    if (byte && !state->is_small)
        value = irl__whole_byte_value(state, store, loop, &cut, at[order]);
    irl__bindings_release(state->an, mark);
    if (!byte) return irl__ok(cx) ? s : NULL;
    const irl_buffer *to = irl__bitbuf_bytes_of(state, store->u.store.buffer);
    if (!to) return NULL;
    bytes = state->is_small ? irl__whole_byte_loop(state, store, loop, &cut, at[order], to, byte)
            : irl__stmt_store(cx, to, value, 1, &byte, store->loc);
    return bytes ? irl__whole_byte_nest(cx, s, loop, &cut, bytes) : NULL;
}

const irl_stmt *irl__bitbuf_whole(irl__bitbuf_state *state, const irl_stmt *s)
{
    const irl_stmt *store = irl__whole_byte_store(s), *loop, *done = s;
    int             mark = irl__bindings_mark(state->an);
    if (!store) return s;
    for (loop = s; loop->kind == IRL__FOR; loop = loop->u.loop.body)
        if (!irl__bind_loop(state->an, loop)) return NULL;
    for (loop = s; done == s && loop->kind == IRL__FOR; loop = loop->u.loop.body)
        done = irl__whole_byte_by(state, s, loop, store);
    irl__bindings_release(state->an, mark);
    return done;
}
