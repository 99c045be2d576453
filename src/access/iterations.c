/* iterations.c - does what happens in one iteration, or in two that meet, for some values of the
   parameters happen for all of them?

   needs     path.c, meeting.c; tiles.c for the cells of two
   promises  yes is proved: at one of the ends of the loops, or where the iteration was
   cost      at most IRL__ENDS_PATTERNS choices of ends, a proof for each loop and guard */
#include "access.h"

enum { IRL__ENDS_PATTERNS = 32 };

/* One end of each loop, in terms of parameters. */
typedef struct irl__ends {
    irl__accesses        *t;
    irl__path            *path; /* NULL: all loops are where the iteration was */
    irl_ctx              *cx;
    irl__analyzer        *an;
    const irl__iteration *like;
    int                   count;
    const irl_expr      **from, **to;
    uint32_t              pattern;
} irl__ends;

enum { IRL__ENDS_SIZE = 1 << 10, IRL__ENDS_DEPTH = IRL_MAX_DEPTH / 4 };

/* e, without lets and axes, at these ends; NULL where that is not known or too large. */
static const irl_expr *irl__ends_of(irl__ends *s, const irl_expr *e)
{
    uint32_t size = 1, depth = 0;
    e = irl__accesses_plain(s->t, e);
    if (!e || e->size > IRL__ENDS_SIZE) return NULL;
    for (int k = 0; k < s->count; k++) {
        if (s->to[k]->size > size) size = s->to[k]->size;
        if (s->to[k]->depth > depth) depth = s->to[k]->depth;
    }
    if (size > IRL__ENDS_SIZE || e->size * size > IRL__ENDS_SIZE ||
        e->depth + depth > IRL__ENDS_DEPTH)
        return NULL;
    return irl__substitute(s->cx, e, s->count, s->from, s->to);
}

static int irl__ends_fact(irl__ends *s, const irl_expr *condition)
{
    if (!condition || (condition->flags & IRL__HAS_MEMORY)) return condition != NULL;
    return irl__fact(s->an, condition);
}

/* The last iteration, the first, or the one that was found. */
static const irl_expr *irl__ends_choose(irl__ends *s, const irl_expr *var, const irl_expr *min,
                                        const irl_expr *extent)
{
    irl_ctx *cx = s->cx;
    const irl_expr *last = irl__sub(cx, irl__add(cx, min, extent), irl_expr_index(cx, 1)),
                   *at = NULL;
    for (int k = 0; k < s->like->count; k++)
        if (s->like->vars[k] == var) at = irl_expr_index(cx, s->like->values[k]);
    if (min->op == IRL_OP_INT && extent->op == IRL_OP_INT) /* it may be so at these ends alone */
        return at && at->u.i >= min->u.i && at->u.i - min->u.i < extent->u.i ? at : NULL;
    const uint32_t way = s->path ? s->pattern % 3 : 2;
    s->pattern /= 3;
    if (way < 2 || !at) return way == 1 ? min : last;
    return irl__prove(s->an, irl_expr_op2(cx, IRL_OP_LE, min, at)) &&
                   irl__prove(s->an, irl_expr_op2(cx, IRL_OP_LE, at, last))
               ? at
               : NULL;
}

/* A loop runs at these ends; or it does so if it runs at any iteration of those around it: `for
   (i: n) for (k: i)` where i is n - 1, and never where i is 0. */
static int irl__ends_runs(irl__ends *s, const irl_expr *extent, const irl_expr *here)
{
    const irl_expr *runs = irl_expr_op2(s->cx, IRL_OP_GE, here, irl_expr_index(s->cx, 1));
    return irl__prove(s->an, runs) ||
           (extent && irl__prove(s->path->an, irl_expr_op2(s->cx, IRL_OP_LE, extent, here)) &&
            irl__ends_fact(s, runs));
}

static int irl__ends_loop(irl__ends *s, const irl__around *n)
{
    const irl_expr *any = n->stmt->u.loop.extent, *min = irl__ends_of(s, n->stmt->u.loop.min),
                   *extent = min ? irl__ends_of(s, any) : NULL, *at;
    if (!extent || (s->path && !irl__ends_runs(s, irl__accesses_plain(s->t, any), extent)))
        return 0;
    at = irl__ends_choose(s, n->var, min, extent);
    at = at ? irl__simplify(s->an, at) : NULL;
    if (!at) return 0;
    s->from[s->count] = n->var;
    s->to[s->count++] = at;
    return 1;
}

static int irl__ends_shape(irl__ends *s, const irl_buffer *b)
{
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op == IRL_OP_INT) continue;
        const irl_expr *extent = irl__ends_of(s, b->shape[k]);
        if (!irl__ends_fact(s, extent ? irl_expr_op2(s->cx, IRL_OP_GE, extent,
                                                     irl_expr_index(s->cx, 0))
                                      : NULL))
            return 0;
    }
    return 1;
}

/* Is what stands there reached? What is inside is asked about afterwards. */
static int irl__ends_reach(irl__ends *s, const irl__around *n)
{
    if (n->kind == IRL__AROUND_LOOP) return irl__ends_loop(s, n);
    if (n->kind == IRL__AROUND_MEMORY) return irl__ends_shape(s, n->buffer);
    if (n->kind == IRL__AROUND_CHECK) return irl__ends_fact(s, irl__ends_of(s, n->value));
    if (n->kind != IRL__AROUND_GUARD) return 1;
    /* True for all values that are left: a condition on parameters alone excludes none. */
    const irl_expr *here = irl__ends_of(s, n->value);
    return here && (s->path || !(here->flags & IRL__HAS_MEMORY)) && irl__prove(s->an, here);
}

static int irl__ends_try(irl__ends *s, const irl_expr *condition, uint32_t pattern)
{
    s->an = irl__analyzer_begin(s->cx);
    s->pattern = pattern;
    s->count = 0;
    int ok = s->an && irl__path_params(s->an, s->t->f);
    for (int k = 0; ok && k < s->path->count; k++)
        ok = irl__ends_reach(s, s->path->steps[k].around);
    condition = ok ? irl__ends_of(s, condition) : NULL;
    return condition && irl__prove(s->an, condition);
}

static int irl__ends_begin(irl__ends *s, irl__accesses *t, const irl__iteration *like, int count)
{
    memset(s, 0, sizeof *s);
    s->t = t;
    s->cx = t->cx;
    s->like = like;
    s->from = IRL__SCRATCH(s->cx, const irl_expr *, count + 1);
    s->to = IRL__SCRATCH(s->cx, const irl_expr *, count + 1);
    return s->from && s->to;
}

/* A loop whose ends are no numbers. */
static int irl__ends_is_open(const irl__around *n)
{
    return n->kind == IRL__AROUND_LOOP &&
           (n->stmt->u.loop.min->op != IRL_OP_INT || n->stmt->u.loop.extent->op != IRL_OP_INT);
}

int irl__iteration_for_all(irl__path *p, const irl_expr *condition, const irl__iteration *like)
{
    irl__arena_mark mark = irl__scratch_begin(p->t->cx), trial;
    irl__ends       s;
    uint32_t        pattern, patterns = 1;
    int             found = 0, k;
    for (k = 0; k < p->count && patterns < IRL__ENDS_PATTERNS; k++)
        if (irl__ends_is_open(p->steps[k].around)) patterns *= 3;
    const int ok = irl__ends_begin(&s, p->t, like, p->count);
    s.path = p;
    for (pattern = 0; ok && !found && pattern < patterns; pattern++) {
        trial = irl__scratch_begin(s.cx);
        found = irl__ends_try(&s, condition, pattern);
        irl__scratch_end(s.cx, trial);
    }
    irl__scratch_end(p->t->cx, mark);
    return found && irl__ok(p->t->cx);
}

/* ------------------------------------------------------------------ two iterations */

/* Where an access is in its memory, in its iteration of the meeting, if that is reached: the
   indices, if `is_plain`, or the byte. */
static int irl__ends_place(irl__accesses *t, irl__analyzer *an, const irl__around *loop,
                           const irl__meeting *m, int copy, int is_plain, const irl_expr **place)
{
    const irl__access *a = copy ? m->b : m->a;
    const irl_expr    *vars[IRL__COUNTOF(m->values)];
    int64_t            values[IRL__COUNTOF(m->values)];
    irl__iteration     like = { 0, vars, values };
    irl__ends          s;
    int                count, ok;
    for (int k = 0; k < m->count; k++)
        if (m->values[k].copy == copy) {
            vars[like.count] = m->values[k].var;
            values[like.count++] = m->values[k].value;
        }
    const irl__around **list = irl__around_binders(t->cx, a->around, loop->depth, &count);
    ok = list && irl__ends_begin(&s, t, &like, count) && a->lanes == 1;
    s.an = an;
    for (int k = 0; ok && k < count; k++) ok = irl__ends_reach(&s, list[k]);
    for (int k = 0; ok && k < (is_plain ? a->rank : 1); k++) {
        place[k] = irl__ends_of(&s, is_plain ? a->indices[k] : irl__access_byte(t->cx, a));
        ok = place[k] != NULL;
    }
    return ok;
}

int irl__meeting_is_always(irl__accesses *t, irl__analyzer *an, const irl__around *loop,
                           const irl__meeting *m)
{
    const int       is_plain = irl__access_is_plain(m->a, m->b);
    const irl_expr *x[IRL_MAX_RANK], *y[IRL_MAX_RANK], *gap;
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    const int       facts = irl__facts_mark(an);
    int64_t         lo, hi;
    int             ok = irl__ends_place(t, an, loop, m, 0, is_plain, x) &&
                         irl__ends_place(t, an, loop, m, 1, is_plain, y);
    for (int k = 0; ok && k < (is_plain ? m->a->rank : 1); k++) {
        gap = irl__simplify(an, irl__sub(t->cx, x[k], y[k]));
        ok = gap && !(gap->flags & IRL__HAS_MEMORY);
        if (!ok) break;
        irl__range(an, gap, &lo, &hi);
        ok = is_plain ? lo == 0 && hi == 0
                      : lo > -(int64_t)irl__type_bytes(m->a->buffer->type) &&
                            hi < (int64_t)irl__type_bytes(m->b->buffer->type);
    }
    irl__facts_release(an, facts);
    irl__scratch_end(t->cx, mark);
    return ok;
}
