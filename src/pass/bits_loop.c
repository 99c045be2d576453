/* bits_loop.c - a loop over the elements of one byte that stores them, among other statements,
   stores the byte after the loop.

   requires  a target without vectors; elements of 1, 2 or 4 bits; a serial loop over exactly those
             of a byte, around several statements, one of them their store; another loop around it
   promises  the same memory. The byte does not depend on the loop, the bit is bits times its
             variable, every other access of that memory in the loop is proved to touch other bytes,
             and the loop contains no barrier: so nothing reads the byte before the loop ends, and a
             variable holds it until then. Each element is added at one end of the byte, which is
             shifted by one element each time: after 8 / bits of them all are in their places
   cost      one walk over the body for each such store */
#include "legalize_bits.h"

static int irl__bits_loop_is_pointer(const irl_expr *e, const void *data) { return e == data; }

static int irl__bits_loop_has_place(const irl_buffer *b, const irl_expr *const *indices)
{
    for (int k = 0; k < b->rank; k++)
        if (indices[k]->type.lanes != 1) return 0;
    return b->bits != 0;
}

/* Whether an access is proved to be of other bytes. */
static int irl__bits_loop_is_apart(irl__bitbuf_state *state, const irl__access *a,
                                   const irl_expr *byte)
{
    irl__bitbuf_place p;
    if (a->kind == IRL__ACCESS_OPAQUE || !irl__bits_loop_has_place(a->buffer, a->indices) ||
        !irl__bitbuf_place_of(state, a->buffer, a->indices, &p))
        return 0;
    const irl_expr *from = irl__simplify(state->an, irl__sub(state->cx, p.byte, byte));
    if (!from) return 0;
    irl__interval r = irl__range_of(state->an, from);
    return r.lo > 0 || r.hi < 1 - p.count;
}

/* No other access in the body is of that byte; and others see it, and what it is said in stands,
   behind the loop too. */
static int irl__bits_loop_is_alone(irl__bitbuf_state *state, const irl_stmt *body,
                                   const irl_stmt *store, const irl_expr *byte)
{
    const irl_expr *data = store->u.store.buffer->data;
    irl__accesses   t;
    if (irl__stmt_holds(body, 1u << IRL__BARRIER) ||
        irl__stmt_any(body, NULL, irl__expr_is_call, NULL) ||
        !irl__accesses_in(&t, state->cx, body))
        return 0;
    for (int k = 0; k < (int)stbds_arrlen(t.named); k++)
        if (irl__expr_uses_var(byte, t.named[k]->var)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(t.memory); k++)
        if (t.memory[k]->buffer->data == data) return 0; /* behind the loop there is none */
    for (int k = 0; k < t.count; k++)
        if (t.list[k].memory == data && (t.list[k].place != store || t.list[k].expr) &&
            !irl__bits_loop_is_apart(state, &t.list[k], byte))
            return 0;
    return !irl__stmt_any(body, NULL, irl__bits_loop_is_pointer, data);
}

/* The byte that loop s goes over with `store`; NULL: it goes over none, or something else in it may
   see that byte. */
static const irl_expr *irl__bits_loop_byte(irl__bitbuf_state *state, const irl_stmt *s,
                                           const irl_stmt *store)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = store->u.store.buffer;
    const irl_expr   *var = s->u.loop.var;
    irl__bitbuf_place p;
    if (!irl__bits_loop_has_place(b, store->u.store.indices) ||
        !irl__bitbuf_place_of(state, b, store->u.store.indices, &p) || p.count != 1 ||
        (p.byte->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) ||
        irl__expr_uses_var(p.byte, var) ||
        !irl__prove_equal(state->an, p.bit, irl__mul(cx, var, irl_expr_index(cx, b->bits))))
        return NULL;
    return irl__bits_loop_is_alone(state, s->u.loop.body, store, p.byte) ? p.byte : NULL;
}

/* The loop again, which keeps the byte in a variable: before it, the loop, behind it. */
static const irl_stmt *irl__bits_loop_around(irl__bitbuf_state *state, const irl_stmt *s, int k,
                                             const irl_expr *byte)
{
    irl_ctx          *cx = state->cx;
    const irl_type    u8 = irl_type_of(IRL_U8, 1);
    const irl_stmt   *store = s->u.loop.body->u.seq.stmts[k], *all[4], **list = NULL;
    const irl_buffer *b = store->u.store.buffer, *to = irl__bitbuf_bytes_of(state, b), *held;
    int               j;
    held = irl__buffer_make(cx, irl__bitbuf_name(cx, b->name, "byte"), u8, IRL_SCOPE_LOCAL, 0,
                            NULL, NULL, b->loc);
    if (!to || !held) return NULL;
    for (j = 0; j < s->u.loop.body->u.seq.count; j++)
        if (!IRL__PUSH_SCRATCH(
                cx, list,
                j != k ? s->u.loop.body->u.seq.stmts[j]
                       : irl__stmt_store(cx, held,
                                         irl__bitbuf_next(
                                             state, b,
                                             irl__expr_load(cx, held, 0, NULL, irl__nowhere()),
                                             store->u.store.value),
                                         0, NULL, store->loc)))
            return NULL;
    all[0] = irl_stmt_alloc(cx, held);
    all[1] = irl__stmt_store(cx, held, irl_expr_int(cx, u8, 0), 0, NULL, store->loc);
    all[2] = irl__stmt_loop_of(cx, s, irl__stmt_seq(cx, j, list));
    all[3] = irl__stmt_store(cx, to, irl__expr_load(cx, held, 0, NULL, irl__nowhere()), 1, &byte,
                             store->loc);
    return irl__stmt_seq(cx, 4, all);
}

const irl_stmt *irl__bitbuf_in_loop(irl__bitbuf_state *state, const irl_stmt *s)
{
    const irl_stmt *body = s->u.loop.body, *store;
    const irl_expr *byte = NULL;
    int             k;
    if (!state->is_small || !state->loops || s->u.loop.kind != IRL_SERIAL ||
        body->kind != IRL__SEQ || !irl__is_int(s->u.loop.min, 0))
        return s;
    int mark = irl__bindings_mark(state->an);
    if (!irl__bind_loop(state->an, s)) return NULL;
    for (k = 0; !byte && k < body->u.seq.count && irl__ok(state->cx); k++) {
        store = body->u.seq.stmts[k];
        int bits = store->kind == IRL__STORE ? store->u.store.buffer->bits : 0;
        if ((bits == 1 || bits == 2 || bits == 4) && irl__is_int(s->u.loop.extent, 8 / bits))
            byte = irl__bits_loop_byte(state, s, store);
    }
    irl__bindings_release(state->an, mark);
    if (!irl__ok(state->cx)) return NULL;
    return byte ? irl__bits_loop_around(state, s, k - 1, byte) : s;
}
