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

typedef struct irl__bits_loop {
    irl__bitbuf_state *state;
    const irl_stmt    *store;
    const irl_expr    *byte;
    /* as far as was seen, no other access is of that byte, and what it is said in stands behind the
       loop too */
    int apart;
} irl__bits_loop;

static int irl__bits_loop_has_place(const irl_buffer *b, const irl_expr *const *indices)
{
    for (int k = 0; k < b->rank; k++)
        if (indices[k]->type.lanes != 1) return 0;
    return b->bits != 0;
}

/* Whether an access is proved to be of other bytes. */
static int irl__bits_loop_is_apart(irl__bits_loop *q, const irl_buffer *b,
                                   const irl_expr *const *indices)
{
    irl__bitbuf_place p;
    if (!irl__bits_loop_has_place(b, indices) ||
        !irl__bitbuf_place_of(q->state, b, indices, &p))
        return 0;
    const irl_expr *from = irl__simplify(q->state->an, irl__sub(q->state->cx, p.byte, q->byte));
    if (!from) return 0;
    irl__interval r = irl__range_of(q->state->an, from);
    return r.lo > 0 || r.hi < 1 - p.count;
}

static int irl__bits_loop_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__bits_loop *q = (irl__bits_loop *)v->user;
    const irl_expr *data = q->store->u.store.buffer->data;
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC || e == data) q->apart = 0;
    if (q->apart && e->op == IRL_OP_LOAD && e->u.buffer->data == data)
        q->apart = irl__bits_loop_is_apart(q, e->u.buffer, e->a);
    return q->apart;
}

static int irl__bits_loop_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__bits_loop *q = (irl__bits_loop *)v->user;
    const irl_expr *data = q->store->u.store.buffer->data;
    if (!q->apart || s == q->store) return q->apart;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
        if (s->u.store.buffer->data == data)
            q->apart = irl__bits_loop_is_apart(q, s->u.store.buffer, s->u.store.indices);
        break;
    case IRL__ALLOC:
    case IRL__DECL: /* behind the loop there is no such buffer */
        q->apart = s->u.alloc.buffer->data != data;
        break;
    case IRL__LET: q->apart = !irl__expr_uses_var(q->byte, s->u.let.var); break;
    case IRL__BARRIER: q->apart = 0; break; /* others may see the byte behind it */
    default: break;
    }
    return q->apart;
}

/* The byte that loop s goes over with `store`; NULL: it goes over none, or something else in it may
   see that byte. */
static const irl_expr *irl__bits_loop_byte(irl__bitbuf_state *state, const irl_stmt *s,
                                           const irl_stmt *store)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = store->u.store.buffer;
    const irl_expr   *var = s->u.loop.var;
    irl__bits_loop    q;
    irl__bitbuf_place p;
    irl__visitor      v = irl__visitor_make(&q, irl__bits_loop_see_expr, irl__bits_loop_see_stmt);
    if (!irl__bits_loop_has_place(b, store->u.store.indices) ||
        !irl__bitbuf_place_of(state, b, store->u.store.indices, &p) || p.count != 1 ||
        (p.byte->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) ||
        irl__expr_uses_var(p.byte, var) ||
        !irl__prove_equal(state->an, p.bit, irl__mul(cx, var, irl_expr_index(cx, b->bits))))
        return NULL;
    q.state = state;
    q.store = store;
    q.byte = p.byte;
    q.apart = 1;
    irl__visit_stmt(&v, s->u.loop.body);
    return q.apart ? p.byte : NULL;
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
