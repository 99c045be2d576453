/* kept.c - which nests a schedule has changed: their outermost loop has note(scheduled = 1), and
   an automatic schedule does not change their loops.

   needs     stmt.c, rewriting
   promises  a nest in which a loop is bound, vectorized or unrolled has no note: the kind of the
             loop already shows that. Steps leave the same notes, whether they are applied one by
             one or together
   cost      that of the statements that the step changed */
#include "schedule.h"

typedef struct irl__kept {
    const irl_stmt **tops; /* outermost loops before the step, of what it changed; scratch */
    int              count, at;
    int              of_loops;
} irl__kept;

static int irl__kept_says_so(const irl_stmt *nest)
{
    return irl__stmt_holds(nest, IRL__HOLDS_BOUND | IRL__HOLDS_VECTORIZED | IRL__HOLDS_UNROLLED);
}

/* ------------------------------------------------------------------ one nest */

/* Loops that have moved inwards. */
static const irl_stmt *irl__kept_inner(irl__rewriter *r, const irl_stmt *s)
{
    const irl_stmt *now =
        irl__stmt_holds(s, IRL__HOLDS_SCHEDULED) ? irl__rewrite_stmt_children(r, s) : s;
    return now && irl__stmt_is_scheduled(now) ? irl__stmt_set_scheduled(r->cx, now, 0) : now;
}

/* The loop of that id before the step; NULL: there was none. Most stand in the same order. */
static const irl_stmt *irl__kept_find(irl__kept *q, uint32_t id)
{
    for (int k = 0; k < q->count; k++) {
        const int at = (q->at + k) % q->count;
        if (q->tops[at]->id != id) continue;
        q->at = (at + 1) % q->count;
        return q->tops[at];
    }
    return NULL;
}

static const irl_stmt *irl__kept_nest(irl__rewriter *r, const irl_stmt *s)
{
    irl__kept    *q = (irl__kept *)r->user;
    irl__rewriter inner = irl__rewriter_make(r->cx, NULL, irl__rewrite_no_expr, irl__kept_inner);
    if (s->kind == IRL__STORE) return s;
    if (s->kind != IRL__FOR) return irl__rewrite_stmt_children(r, s);
    const irl_stmt *was = irl__kept_find(q, s->id);
    if (was == s) return s;
    if (q->of_loops) s = irl__rewrite_stmt_children(&inner, s);
    int is_noted = q->of_loops || (was && (irl__stmt_is_scheduled(was) || irl__kept_says_so(was)));
    is_noted = s && is_noted && !irl__kept_says_so(s);
    return s ? irl__stmt_set_scheduled(r->cx, s, is_noted) : NULL;
}

/* ------------------------------------------------------------------ the function */

/* Appends the outermost loops of the statement to q->tops. False: memory is out. */
static int irl__kept_tops(irl_ctx *cx, irl__kept *q, const irl_stmt *top)
{
    irl__place p;
    IRL__EACH_STMT(s, &p, top) {
        if (s->kind != IRL__FOR) continue;
        if (!IRL__PUSH_SCRATCH(cx, q->tops, s)) return 0;
        irl__place_pass(&p);
    }
    return 1;
}

/* The body behind the step, of which the first statements and the last ones are as before. */
static const irl_stmt *irl__kept_body(irl_ctx *cx, irl__kept *q, const irl_stmt *before,
                                      const irl_stmt *after)
{
    const int        old = irl__stmt_count(before), count = irl__stmt_count(after);
    int              same = 0, tail = 0, is_changed = 0;
    irl__rewriter    r = irl__rewriter_make(cx, q, irl__rewrite_no_expr, irl__kept_nest);
    while (same < old && same < count && irl__stmt_at(before, same) == irl__stmt_at(after, same))
        same++;
    while (tail < old - same && tail < count - same &&
           irl__stmt_at(before, old - 1 - tail) == irl__stmt_at(after, count - 1 - tail))
        tail++;
    for (int k = same; k < old - tail; k++)
        if (!irl__kept_tops(cx, q, irl__stmt_at(before, k))) return NULL;
    q->count = (int)stbds_arrlen(q->tops);
    const irl_stmt **list = IRL__NEW(cx, const irl_stmt *, count);
    if (!list) return NULL;
    for (int k = 0; k < count; k++) {
        list[k] = irl__stmt_at(after, k);
        if (k < same || k >= count - tail) continue;
        if (!(list[k] = irl__rewrite_stmt(&r, list[k]))) return NULL;
        is_changed |= list[k] != irl__stmt_at(after, k);
    }
    return !is_changed ? after : after->kind == IRL__SEQ ? irl__stmt_seq(cx, count, list) : list[0];
}

irl_func *irl__kept_after(const irl_func *before, const irl_func *after, int of_loops)
{
    irl_ctx        *cx = after->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__kept       q;
    memset(&q, 0, sizeof q);
    q.of_loops = of_loops;
    const irl_stmt *body = irl__kept_body(cx, &q, before->body, after->body);
    irl__scratch_end(cx, mark);
    return body ? irl__func_with_body(after, body) : NULL;
}
