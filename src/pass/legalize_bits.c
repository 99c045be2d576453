/* legalize_bits.c - accesses buffers whose elements take bits by the bytes that contain them, with
   shifts and masks.

   requires  layouts applied, no match buffers (lower_blocks removes them): one place for each index
   maintains what is computed: bitfield.c defines an element; parameters keep their buffer, and the
             body uses a declared alias of bytes; several fields of one record that are stored side
             by side write each of its bytes once
   breaks    accesses of bit buffers: none is left after this pass, and no later pass knows them.
             Memory of bits that is allocated is filled with zeros where it is allocated. A nest
             that writes all elements of each byte writes bytes, once each (bits_whole.c,
             bits_loop.c); a byte of which a store writes a part is read, and written with that part
             changed
   refuses   such a store if iterations that run at the same time are not proved to write different
             bytes (bits_parallel.c); elements that are vectors
   cost      linear in the accesses; questions of dependence for such stores in loops that run at
             the same time */
#include "legalize_bits.h"

/* Whether the element may end before the k-th byte. */
static int irl__bitbuf_may_end(const irl__bitbuf_place *p, int k)
{
    return p->least + p->bits <= 8 * k;
}

/* bit + bits > 8 * k: the k-th byte holds a part of the element. */
static const irl_expr *irl__bitbuf_reaches(irl_ctx *cx, const irl__bitbuf_place *p, int k)
{
    return irl_expr_op2(cx, IRL_OP_GT, p->bit, irl_expr_index(cx, 8 * k - p->bits));
}

/* By how much the element is shifted in all its bytes as one number: of the type of p. */
static const irl_expr *irl__bitbuf_shift(irl__bitbuf_state *state, const irl_buffer *b,
                                         const irl__bitbuf_place *p)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *shift = p->bit;
    if (b->bit_order == IRL_BITS_MSB)
        shift = irl__simplify(
            state->an, irl__sub(cx, irl_expr_index(cx, 8 * p->count - p->bits), shift));
    if (!shift) return NULL;
    return shift->op == IRL_OP_INT ? irl_expr_int(cx, p->type, shift->u.i)
                                   : irl_expr_cast(cx, p->type, shift);
}

/* By how much the k-th byte is. */
static const irl_expr *irl__bitbuf_byte_shift(irl_ctx *cx, const irl_buffer *b,
                                            const irl__bitbuf_place *p, int k)
{
    return irl_expr_int(cx, p->type, b->bit_order == IRL_BITS_MSB ? 8 * (p->count - 1 - k) : 8 * k);
}

static const irl_expr *irl__bitbuf_shifted(irl_ctx *cx, irl_op op, const irl_expr *e,
                                         const irl_expr *by)
{
    return by && irl__is_int(by, 0) ? e : irl_expr_op2(cx, op, e, by);
}

static const irl_expr *irl__bitbuf_index(irl_ctx *cx, const irl__bitbuf_place *p, int k)
{
    return k ? irl__add(cx, p->byte, irl_expr_index(cx, k)) : p->byte;
}

/* The k-th byte as it is. */
static const irl_expr *irl__bitbuf_byte(irl_ctx *cx, const irl_buffer *bytes,
                                        const irl__bitbuf_place *p, int k)
{
    const irl_expr *index = irl__bitbuf_index(cx, p, k);
    return irl__expr_load(cx, bytes, 1, &index, irl__nowhere());
}

/* ------------------------------------------------------------------ loads */

/* The value that those bits, all others 0, are. */
static const irl_expr *irl__bitbuf_value(irl_ctx *cx, const irl_buffer *b, const irl_expr *bits)
{
    const int       is_long = b->bits > 32;
    const irl_type  wide = irl_type_of(is_long ? IRL_U64 : IRL_U32, 1),
                   same = irl_type_of(is_long ? IRL_I64 : IRL_I32, 1),
                   exact = irl_type_of(irl__type_uint(b->type), 1);
    bits = irl_expr_cast(cx, wide, bits);
    if (b->norm || b->type.scalar == IRL_BOOL) return irl__bitfield_number(cx, b, bits);
    if (irl__type_is_float(b->type))
        return irl_expr_reinterpret(cx, b->type, irl_expr_cast(cx, exact, bits));
    if (!irl__type_is_signed(b->type) || b->bits == irl__type_info(wide)->bits)
        return irl_expr_cast(cx, b->type, bits);
    const int64_t sign = INT64_C(1) << (b->bits - 1);
    bits = irl_expr_cast(cx, same, irl_expr_op2(cx, IRL_OP_BITXOR, bits,
                                                irl_expr_int(cx, wide, sign)));
    return irl_expr_cast(cx, b->type, irl__sub(cx, bits, irl_expr_int(cx, same, sign)));
}

/* The bits of an element that is in up to 8 bytes, all others 0. */
static const irl_expr *irl__bitbuf_bits(irl__bitbuf_state *state, const irl_buffer *b,
                                        const irl__bitbuf_place *p)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *bytes = irl__bitbuf_bytes_of(state, b);
    const irl_expr   *bits = NULL;
    for (int k = 0; bytes && k < p->count; k++) {
        const irl_expr *part = irl__bitbuf_byte(cx, bytes, p, k);
        if (!irl__bitbuf_touched(state, part, p, k, 0, 0)) return NULL;
        part = irl_expr_cast(cx, p->type, part);
        if (k && irl__bitbuf_may_end(p, k))
            part = irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, irl__bitbuf_reaches(cx, p, k), part,
                                irl_expr_int(cx, p->type, 0));
        part = irl__bitbuf_shifted(cx, IRL_OP_SHL, part, irl__bitbuf_byte_shift(cx, b, p, k));
        bits = bits ? irl_expr_op2(cx, IRL_OP_BITOR, bits, part) : part;
    }
    const irl_expr *shift = irl__bitbuf_shift(state, b, p);
    if (!bits || !shift) return NULL;
    bits = irl__bitbuf_shifted(cx, IRL_OP_SHR, bits, shift);
    if (shift->op == IRL_OP_INT && shift->u.i + p->bits == 8 * p->count) return bits;
    return irl_expr_op2(cx, IRL_OP_BITAND, bits, irl_expr_int(cx, p->type, (int64_t)p->mask));
}

/* An element in 9 bytes is two: its first 32 bits, and the rest 4 bytes later. `right` is how many
   bits of the element are less significant than those of the part. */
static int irl__bitbuf_parts(irl_ctx *cx, const irl__bitbuf_place *p, irl__bitbuf_place part[2],
                             int right[2])
{
    const int count = p->count > 8 ? 2 : 1;
    for (int k = 0; k < 2; k++) {
        part[k] = *p;
        right[k] = p->of->bit_order == IRL_BITS_LSB ? 32 * k : k + 1 < count ? p->bits - 32 : 0;
        if (count == 1) continue;
        part[k].bits = k ? p->bits - 32 : 32;
        part[k].count = (p->most + part[k].bits + 7) / 8;
        part[k].mask = UINT64_MAX >> (64 - part[k].bits);
        if (k) part[k].byte = irl__bitbuf_index(cx, p, 4);
    }
    return part[1].byte ? count : 0;
}

static const irl_expr *irl__bitbuf_load(irl__bitbuf_state *state, const irl_buffer *b,
                                      const irl_expr *const *indices)
{
    irl_ctx          *cx = state->cx;
    const irl_expr   *bits = NULL;
    irl__bitbuf_place p, part[2];
    int               right[2];
    if (!irl__bitbuf_place_of(state, b, indices, &p)) return NULL;
    const int count = irl__bitbuf_parts(cx, &p, part, right);
    for (int k = 0; k < count; k++) {
        const irl_expr *one = irl__bitbuf_bits(state, b, &part[k]);
        one = irl__bitbuf_shifted(cx, IRL_OP_SHL, one, irl_expr_int(cx, p.type, right[k]));
        bits = k ? irl_expr_op2(cx, IRL_OP_BITOR, bits, one) : one;
    }
    return bits ? irl__bitbuf_value(cx, b, bits) : NULL;
}

/* ------------------------------------------------------------------ stores */

/* The k-th byte gets its part: the bits of the element stand in `bits`, those that are its own in
   `own`, shifted. */
static const irl_stmt *irl__bitbuf_store_byte(irl__bitbuf_state *state, const irl_buffer *b,
                                            const irl__bitbuf_place *p, int k, const irl_expr *bits,
                                            const irl_expr *own, irl_loc loc)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *bytes = irl__bitbuf_bytes_of(state, b);
    const irl_expr   *index = irl__bitbuf_index(cx, p, k),
                     *by = irl__bitbuf_byte_shift(cx, b, p, k),
                   *now = irl__bitbuf_shifted(cx, IRL_OP_SHR, bits, by), *keep, *was = NULL;
    if (!bytes || !index || !own || !now) return NULL;
    own = own->op == IRL_OP_INT
              ? irl_expr_int(cx, p->type, (int64_t)((uint64_t)own->u.i >> by->u.i & 255))
              : irl__bitbuf_shifted(cx, IRL_OP_SHR, own, by);
    if (own && irl__is_int(own, 0)) return irl__stmt_empty(cx);
    if (own && !irl__is_int(own, 255)) {
        keep = own->op == IRL_OP_INT ? irl_expr_int(cx, p->type, 255 - own->u.i)
                                     : irl_expr_op1(cx, IRL_OP_BITNOT, own);
        was = irl_expr_cast(cx, p->type, irl__bitbuf_byte(cx, bytes, p, k));
        now = irl_expr_op2(cx, IRL_OP_BITOR, irl_expr_op2(cx, IRL_OP_BITAND, was, keep), now);
    }
    now = irl_expr_cast(cx, irl_type_of(IRL_U8, 1), now);
    const irl_stmt *store = irl__stmt_store(cx, bytes, now, 1, &index, loc);
    if (!irl__bitbuf_touched(state, store, p, k, 0, was != NULL)) return NULL;
    if (k == 0 || !irl__bitbuf_may_end(p, k)) return store;
    return irl_stmt_if(cx, irl__bitbuf_reaches(cx, p, k), store, NULL);
}

/* A name for a value that several statements use. */
static const irl_expr *irl__bitbuf_named(irl__bitbuf_state *state, const char *name,
                                       const irl_expr *value, const irl_stmt ***list)
{
    return irl__stmt_named(state->cx, name, value,
                           value && (value->op == IRL_OP_INT || value->op == IRL_OP_VAR), list);
}

/* Where an element of several bytes lies, computed once: the first of them may be what says it. 0
   on failure. */
static int irl__bitbuf_fix_place(irl__bitbuf_state *state, const irl_buffer *b,
                                 irl__bitbuf_place *p, const irl_stmt ***list)
{
    if (p->count == 1 || !irl__expr_any(p->at, irl__bitbuf_reads, b->data)) return 1;
    p->byte = irl__bitbuf_named(state, "byte", p->byte, list);
    p->bit = irl__bitbuf_named(state, "bit", p->bit, list);
    return p->byte && p->bit;
}

/* Pushes the statements that store the bits of `value` beyond the low `right` ones. */
static int irl__bitbuf_store_part(irl__bitbuf_state *state, const irl_buffer *b,
                                  const irl__bitbuf_place *p, const irl_expr *value, int right,
                                  irl_loc loc, const irl_stmt ***list)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *shift = irl__bitbuf_shift(state, b, p), *bits = value;
    if (p->bits < b->bits) {
        bits = irl__bitbuf_shifted(cx, IRL_OP_SHR, bits, irl_expr_int(cx, p->type, right));
        bits = irl_expr_op2(cx, IRL_OP_BITAND, bits, irl_expr_int(cx, p->type, (int64_t)p->mask));
    }
    if (!shift || !bits) return 0;
    if (p->count > 1) shift = irl__bitbuf_named(state, "shift", shift, list);
    bits = irl__bitbuf_shifted(cx, IRL_OP_SHL, bits, shift);
    if (p->count > 1) bits = irl__bitbuf_named(state, "bits", bits, list);
    if (!shift || !bits) return 0;
    const irl_expr *own =
        shift->op == IRL_OP_INT
            ? irl_expr_int(cx, p->type, (int64_t)(p->mask << shift->u.i))
            : irl_expr_op2(cx, IRL_OP_SHL, irl_expr_int(cx, p->type, (int64_t)p->mask), shift);
    for (int k = 0; k < p->count; k++) {
        const irl_stmt *s = irl__bitbuf_store_byte(state, b, p, k, bits, own, loc);
        if (!s || !IRL__PUSH_SCRATCH(cx, *list, s)) return 0;
    }
    return 1;
}

static const irl_stmt *irl__bitbuf_store(irl__bitbuf_state *state, const irl_buffer *b,
                                         const irl_expr *const *indices, const irl_expr *value,
                                         irl_loc loc)
{
    const irl_stmt  **list = NULL;
    irl__bitbuf_place p, part[2];
    int               right[2];
    if (!irl__bitbuf_place_of(state, b, indices, &p) ||
        !irl__bitbuf_fix_place(state, b, &p, &list))
        return NULL;
    value = irl__bitbuf_of_value(state, b, p.type, value);
    const int parts = irl__bitbuf_parts(state->cx, &p, part, right);
    if (parts > 1) value = irl__bitbuf_named(state, "value", value, &list);
    for (int k = 0; k < parts; k++)
        if (!irl__bitbuf_store_part(state, b, &part[k], value, right[k], loc, &list)) return NULL;
    return irl__stmt_seq(state->cx, (int)stbds_arrlen(list), list);
}

/* ------------------------------------------------------------------ stores side by side */

enum { IRL__GROUP_STORES = 64, IRL__GROUP_PARTS = 5 * IRL__GROUP_STORES };

/* A part of a byte that a store of a group writes. */
typedef struct irl__bitbuf_part {
    int64_t                  byte; /* from the first byte of the first store */
    uint64_t                 own;  /* of 255 */
    const irl_expr          *now;  /* of type u32, whose low 8 bits have those alone */
    const irl_expr          *index;
    const irl_buffer        *of;   /* of a bit buffer that has this byte */
    const irl__bitbuf_place *place;
} irl__bitbuf_part;

/* Stores that stand side by side, of elements at known bits of one row of bytes. */
typedef struct irl__bitbuf_group {
    const irl_buffer *first;
    const irl_expr   *byte; /* where the first one begins */
    irl__bitbuf_part  parts[IRL__GROUP_PARTS];
    int               count, stores;
    const irl_stmt  **lets;
    irl_loc           loc;
} irl__bitbuf_group;

/* How far the place is from the first one's; 0: that is no number. */
static int irl__bitbuf_distance(irl__bitbuf_state *state, const irl__bitbuf_group *g,
                                const irl__bitbuf_place *p, int64_t *out)
{
    const irl_expr *apart = irl__simplify(state->an, irl__sub(state->cx, p->byte, g->byte));
    if (!apart || apart->op != IRL_OP_INT || apart->u.i < -IRL__SPAN_MOST ||
        apart->u.i > IRL__SPAN_MOST)
        return 0;
    *out = apart->u.i;
    return 1;
}

static int irl__bitbuf_is_taken(const irl__bitbuf_group *g, int64_t byte, uint64_t own)
{
    for (int k = 0; k < g->count; k++)
        if (g->parts[k].byte == byte && (g->parts[k].own & own)) return 1;
    return 0;
}

/* Store s of an element that stands in *p, `byte` bytes behind the first one. 0: it is in none of
   those of the group, or there is a diagnostic. */
static int irl__bitbuf_join(irl__bitbuf_state *state, irl__bitbuf_group *g, const irl_buffer *b,
                            const irl__bitbuf_place *p, int64_t byte, const irl_expr *value)
{
    irl_ctx        *cx = state->cx;
    const irl_type  u32 = irl_type_of(IRL_U32, 1);
    const irl_expr *shift = irl__bitbuf_shift(state, b, p), *bits, *by;
    uint64_t        own[8];
    if (!shift || shift->op != IRL_OP_INT || p->count > 8 ||
        g->count + p->count > IRL__GROUP_PARTS)
        return 0;
    for (int k = 0; k < p->count; k++) {
        by = irl__bitbuf_byte_shift(cx, b, p, k);
        if (!by) return 0;
        own[k] = p->mask << shift->u.i >> by->u.i & 255;
        if (irl__bitbuf_is_taken(g, byte + k, own[k])) return 0;
    }
    bits = irl__bitbuf_shifted(cx, IRL_OP_SHL, irl__bitbuf_of_value(state, b, p->type, value),
                               shift);
    if (p->count > 1) bits = irl__bitbuf_named(state, "bits", bits, &g->lets);
    for (int k = 0; bits && k < p->count; k++) {
        irl__bitbuf_part *part = &g->parts[g->count++];
        part->byte = byte + k;
        part->own = own[k];
        part->now = irl_expr_cast(cx, u32,
                                  irl__bitbuf_shifted(cx, IRL_OP_SHR, bits,
                                                      irl__bitbuf_byte_shift(cx, b, p, k)));
        part->index = irl__bitbuf_index(cx, p, k);
        part->of = b;
        part->place = p;
        if (!part->now || !part->index) return 0;
    }
    g->stores++;
    return bits != NULL;
}

/* The byte of part k, of all parts that are of it: they are done then. */
static const irl_stmt *irl__bitbuf_group_byte(irl__bitbuf_state *state, irl__bitbuf_group *g, int k)
{
    irl_ctx          *cx = state->cx;
    const irl_type    u32 = irl_type_of(IRL_U32, 1);
    const irl_buffer *bytes = irl__bitbuf_bytes_of(state, g->parts[k].of);
    const irl_expr   *now = NULL, *index = g->parts[k].index, *was;
    uint64_t          own = 0;
    if (!bytes) return NULL;
    for (int j = k; j < g->count; j++) {
        if (g->parts[j].byte != g->parts[k].byte) continue;
        own |= g->parts[j].own;
        now = now ? irl_expr_op2(cx, IRL_OP_BITOR, now, g->parts[j].now) : g->parts[j].now;
        if (j > k) g->parts[j].now = NULL;
    }
    if (own != 255) {
        was = irl_expr_cast(cx, u32, irl__expr_load(cx, bytes, 1, &index, g->loc));
        was = irl_expr_op2(cx, IRL_OP_BITAND, was, irl_expr_int(cx, u32, (int64_t)(255 - own)));
        now = irl_expr_op2(cx, IRL_OP_BITOR, was, now);
    }
    now = irl_expr_cast(cx, irl_type_of(IRL_U8, 1), now);
    const irl_stmt *store = irl__stmt_store(cx, bytes, now, 1, &index, g->loc);
    return irl__bitbuf_touched(state, store, g->parts[k].place, 0, own, own != 255) ? store
                                                                                    : NULL;
}

/* How many of the stores are written at once, pushed onto *list; 0: less than two, or a
   diagnostic. */
static int irl__bitbuf_stores(irl__rewriter *r, int count, const irl_stmt *const *stmts,
                              const irl_stmt ***list)
{
    irl__bitbuf_state *state = (irl__bitbuf_state *)r->user;
    const irl_expr    *indices[IRL_MAX_RANK], *value;
    if (count < 2 || !irl__bitbuf_is_plain(stmts[0]) || !irl__bitbuf_is_plain(stmts[1]) ||
        stmts[0]->u.store.buffer->data != stmts[1]->u.store.buffer->data)
        return 0;
    irl__bitbuf_group *g = IRL__SCRATCH(r->cx, irl__bitbuf_group, 1);
    if (!g) return 0;
    g->first = stmts[0]->u.store.buffer;
    g->loc = stmts[0]->loc;
    for (int n = 0; n < count && n < IRL__GROUP_STORES && irl__bitbuf_is_plain(stmts[n]); n++) {
        const irl_buffer  *b = stmts[n]->u.store.buffer;
        irl__bitbuf_place *p = IRL__SCRATCH(r->cx, irl__bitbuf_place, 1);
        int64_t            byte = 0;
        if (!p || b->data != g->first->data) break;
        if (!irl__rewrite_exprs(r, b->rank, stmts[n]->u.store.indices, indices)) return 0;
        value = irl__rewrite_expr(r, stmts[n]->u.store.value);
        if (!value || !irl__bitbuf_place_of(state, b, indices, p)) return 0;
        if (!n) g->byte = p->byte;
        else if (!irl__bitbuf_distance(state, g, p, &byte)) break;
        if (!irl__bitbuf_join(state, g, b, p, byte, value)) break;
    }
    if (g->stores < 2 || !irl__ok(r->cx)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(g->lets); k++)
        if (!IRL__PUSH_SCRATCH(r->cx, *list, g->lets[k])) return 0;
    for (int k = 0; k < g->count; k++) {
        if (!g->parts[k].now) continue;
        const irl_stmt *s = irl__bitbuf_group_byte(state, g, k);
        if (!s || !IRL__PUSH_SCRATCH(r->cx, *list, s)) return 0;
    }
    return g->stores;
}

/* ------------------------------------------------------------------ the walk */

static const irl_expr *irl__bitbuf_hook_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__bitbuf_state *state = (irl__bitbuf_state *)r->user;
    const irl_expr    *indices[IRL_MAX_RANK];
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    if (e->op != IRL_OP_LOAD || !e->u.buffer->bits) return irl__rewrite_expr_children(r, e);
    return irl__rewrite_exprs(r, (int)e->count, e->a, indices)
               ? irl__bitbuf_load(state, e->u.buffer, indices)
               : NULL;
}

static const irl_stmt *irl__bitbuf_hook_seq(irl__rewriter *r, const irl_stmt *s)
{
    const irl_stmt **list = NULL, *one;
    for (int k = 0; k < s->u.seq.count; k++) {
        const irl_stmt *from = s->u.seq.stmts[k];
        const int       stores =
            irl__bitbuf_stores(r, s->u.seq.count - k, s->u.seq.stmts + k, &list);
        if (!irl__ok(r->cx)) return NULL;
        k += stores ? stores - 1 : 0;
        if (stores) continue;
        one = irl__rewrite_stmt(r, from);
        if (!one || !IRL__PUSH_SCRATCH(r->cx, list, one)) return NULL;
        if (from->kind != IRL__ALLOC || !from->u.alloc.buffer->bits) continue;
        /* The bytes of allocated bits are 0 at first. */
        irl_ctx          *cx = r->cx;
        const irl_buffer *bytes = one->u.alloc.buffer;
        const irl_expr   *var = irl_expr_var(cx, "k", irl__type_index());
        one = irl_stmt_for(
            cx, IRL_SERIAL, var, irl_expr_index(cx, 0), bytes->shape[0],
            irl__stmt_store(cx, bytes, irl_expr_int(cx, bytes->type, 0), 1, &var, bytes->loc));
        if (!one || !IRL__PUSH_SCRATCH(r->cx, list, one)) return NULL;
    }
    return irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list);
}

static const irl_stmt *irl__bitbuf_hook_stmt(irl__rewriter *r, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE: {
        irl__bitbuf_state *state = (irl__bitbuf_state *)r->user;
        const irl_buffer  *b = s->u.store.buffer;
        const irl_expr    *indices[IRL_MAX_RANK], *value;
        if (!b->bits) return irl__rewrite_stmt_children(r, s);
        if (!irl__rewrite_exprs(r, b->rank, s->u.store.indices, indices)) return NULL;
        value = irl__rewrite_expr(r, s->u.store.value);
        return value ? irl__bitbuf_store(state, b, indices, value, s->loc) : NULL;
    }
    case IRL__ALLOC:
    case IRL__DECL: {
        const irl_buffer *b = s->u.alloc.buffer, *bytes;
        if (!b->bits) return irl__rewrite_stmt_children(r, s);
        bytes = irl__bitbuf_bytes_of((irl__bitbuf_state *)r->user, b);
        if (!bytes) return NULL;
        return s->kind == IRL__DECL ? irl_stmt_decl(r->cx, bytes) : irl_stmt_alloc(r->cx, bytes);
    }
    case IRL__SEQ: return irl__bitbuf_hook_seq(r, s);
    case IRL__FOR: {
        irl__bitbuf_state *state = (irl__bitbuf_state *)r->user;
        const irl_stmt    *whole = irl__bitbuf_whole(state, s);
        if (whole == s) whole = irl__bitbuf_in_loop(state, s);
        if (!whole) return NULL;
        if (whole != s) return irl__rewrite_stmt(r, whole);
        state->loops++;
        s = irl__rewrite_known(r, state->an, s);
        state->loops--;
        return s;
    }
    default: return irl__rewrite_stmt_children(r, s);
    }
}

irl_func *irl__pass_legalize_bits(const irl_func *f, const irl_target *target)
{
    irl_ctx          *cx = f->cx;
    irl__bitbuf_state state;
    const irl_stmt   *body;
    irl_func         *out = NULL;
    if (!irl__func_has_bits(f)) return irl__func_copy(cx, f);
    irl__arena_mark mark = irl__scratch_begin(cx);
    memset(&state, 0, sizeof state);
    state.cx = cx;
    state.f = f;
    state.is_small = !target->vector_bytes;
    state.an = irl__analyzer_begin(cx);
    irl__rewriter r = irl__rewriter_make(cx, &state, irl__bitbuf_hook_expr, irl__bitbuf_hook_stmt);
    body = state.an && irl__bind_param_sizes(state.an, f) ? irl__rewrite_stmt(&r, f->body) : NULL;
    if (body && state.aliases) /* the bytes of parameters are declared first */
        body = irl__stmt_then(
            cx, irl__stmt_seq(cx, (int)stbds_arrlen(state.aliases), state.aliases), body);
    if (body) out = irl__func_with_body(f, body);
    if (out && state.has_parts && !irl__bitbuf_check_parallel(&state, out)) out = NULL;
    irl__scratch_end(cx, mark);
    return irl__ok(cx) ? out : NULL;
}
