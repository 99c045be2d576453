/* bits_parallel.c - a byte of which a part is written is that of one iteration.

   requires  legalize_bits: bits are accessed by their bytes
   promises  of the iterations of parallel, vectorized and bound loops no two touch one byte of a
             bit buffer that one of them writes, which is proved; else a diagnostic with both.
             Reading a byte, changing a part and writing it is three steps: another item's part
             would be lost
   cost      one question of dependence for each two accesses of such memory in such a loop */
#include "legalize_bits.h"

static int irl__bitbuf_is_of(const irl__bitbuf_state *state, const irl__access *a)
{
    return a->memory && irl__ptr_map_get(&state->memories, a->memory) != NULL;
}

/* e in the first or the second iteration of the loop, and the first of those in it. */
static const irl_expr *irl__bitbuf_at(irl__bitbuf_state *state, const irl_expr *e,
                                      const irl_stmt *loop, int64_t iteration)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *var = loop->u.loop.var,
                   *at = irl__add(cx, loop->u.loop.min, irl_expr_index(cx, iteration));
    e = irl__substitute(cx, e, 1, &var, &at);
    return e ? irl__simplify(state->an, e) : NULL;
}

/* "iterations 0 and 1 of parallel loop 'i' write bits 0 and 1 of byte 0 of 'd'", where p in the
   first and q in the second do so wherever the loops inside stand. 0: they do not. */
static int irl__bitbuf_names_two(irl__bitbuf_state *state, irl__text *t, const char *kind,
                                 const irl_stmt *loop, const irl__bitbuf_place *p,
                                 const irl__bitbuf_place *q)
{
    const irl_expr *byte, *bit, *next;
    if (p->of->data != q->of->data) return 0;
    byte = irl__bitbuf_at(state, p->byte, loop, 0);
    bit = irl__bitbuf_at(state, p->bit, loop, 0);
    next = irl__bitbuf_at(state, q->bit, loop, 1);
    if (!byte || !bit || !next ||
        (p == q && !irl__expr_uses_var(p->at, loop->u.loop.var)) ||
        !irl__prove_equal(state->an, byte, irl__bitbuf_at(state, q->byte, loop, 1)))
        return 0;
    irl__textf(t, "iterations 0 and 1 of %s loop '%s' write bits %s and %s of byte %s of '%s'",
               kind, loop->u.loop.var->u.name, irl_expr_text(state->cx, bit),
               irl_expr_text(state->cx, next), irl_expr_text(state->cx, byte), p->of->name);
    if (p->of != q->of) irl__textf(t, " and '%s'", q->of->name);
    return 1;
}

static int irl__bitbuf_names(irl__bitbuf_state *state, irl__text *t, const char *kind,
                             const irl_stmt *loop)
{
    const int all = (int)stbds_arrlen(state->parts), count = all < 64 ? all : 64;
    int       k, j;
    for (k = 0; k < all; k++)
        if (irl__bitbuf_names_two(state, t, kind, loop, state->parts[k], state->parts[k])) return 1;
    for (k = 0; k < count; k++)
        for (j = 0; j < count; j++)
            if (j != k && irl__bitbuf_names_two(state, t, kind, loop, state->parts[k],
                                                state->parts[j]))
                return 1;
    return 0;
}

static int irl__bitbuf_race(irl__bitbuf_state *state, const irl__accesses *t,
                            const irl_stmt *loop, const irl__meeting *m, const irl__access *a)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = (const irl_buffer *)irl__ptr_map_get(&state->memories, a->memory);
    const char       *kind = loop->u.loop.kind == IRL_BOUND ? "bound"
                                                            : irl_for_kind_text(loop->u.loop.kind);
    irl__text         text;
    irl__text_init(&text, cx);
    if (!irl__bitbuf_names(state, &text, kind, loop)) {
        irl__textf(&text, m->answer == IRL_YES
                              ? "iterations of %s loop '%s' write parts of one byte of '%s'"
                              : "iterations of %s loop '%s' are not proved to keep to different "
                                "bytes of '%s'",
                   kind, loop->u.loop.var->u.name, b->name);
        if (m->answer == IRL_YES) {
            irl__text_puts(&text, ": ");
            irl__meeting_text(&text, t, m);
        }
    }
    return irl__fail(cx, IRL_ERROR_DATA_RACE, loop->loc,
                     "%s, which has elements of %d bits: a part of a byte is written by reading "
                     "and writing the byte. Let an iteration write whole bytes",
                     irl__text_or_empty(irl__text_done(&text)), b->bits);
}

typedef struct irl__bitbuf_loops {
    irl__bitbuf_state *state;
    irl__accesses   *t;
    int              ok;
} irl__bitbuf_loops;

/* Every two accesses of bits in the loop, one of them a store. */
static int irl__bitbuf_loop_ok(irl__bitbuf_loops *q, const irl_stmt *s)
{
    const irl__around *loop = irl__loop_of(q->t, s);
    int                i, j;
    if (!loop) return 1;
    for (i = loop->first; i < loop->end; i++) {
        const irl__access *a = &q->t->list[i];
        if (!irl__bitbuf_is_of(q->state, a) || a->kind == IRL__ACCESS_READ) continue;
        for (j = loop->first; j < loop->end; j++) {
            const irl__access *b = &q->t->list[j];
            irl__meeting       m;
            if (b->memory != a->memory || (b->kind != IRL__ACCESS_READ && j < i)) continue;
            memset(&m, 0, sizeof m);
            m.answer = irl__loop_carries_between(q->t, loop, a, b, &m);
            if (m.answer != IRL_NO) return irl__bitbuf_race(q->state, q->t, s, &m, a);
        }
    }
    return irl__ok(q->state->cx);
}

static int irl__bitbuf_see_loop(irl__visitor *v, const irl_stmt *s)
{
    irl__bitbuf_loops *q = (irl__bitbuf_loops *)v->user;
    if (q->ok && s->kind == IRL__FOR && s->u.loop.kind != IRL_SERIAL &&
        s->u.loop.kind != IRL_UNROLLED)
        q->ok = irl__bitbuf_loop_ok(q, s);
    return q->ok;
}

int irl__bitbuf_check_parallel(irl__bitbuf_state *state, const irl_func *f)
{
    irl__accesses   t;
    irl__bitbuf_loops q;
    irl__visitor    v = irl__visitor_make(&q, NULL, irl__bitbuf_see_loop);
    if (!irl__stmt_holds(f->body, IRL__HOLDS_PARALLEL | IRL__HOLDS_VECTORIZED | IRL__HOLDS_BOUND))
        return 1;
    q.state = state;
    q.t = &t;
    q.ok = irl__accesses_of(&t, f, NULL);
    if (q.ok) irl__visit_stmt(&v, f->body);
    return q.ok && irl__ok(state->cx);
}
