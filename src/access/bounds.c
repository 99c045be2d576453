/* bounds.c - is every access inside its buffer, as far as its guards and assumptions allow?

   needs     path.c, system.h, iterations.c
   promises  an access that is not in the list is inside whenever it is reached. For an access that
             is "outside" there is an iteration that is reached and leaves the buffer, for all
             values of the parameters for which the outer loops run; any other access is not known
   cost      that of the ranges; for what they do not prove, a search with bounded work

   Besides accesses, the axis of a block must be within its extent if the block's predicate is true,
   and a matched region must be within its buffer. */
#include "access.h"
#include "../sets/system.h"

enum { IRL__BOUNDS_WORK = 1 << 17 }; /* steps on all questions of a function */

/* One index, or one axis of a region: from `first` to `last`, in no order unless it is a region. */
typedef struct irl__bounds_index {
    const irl_expr *first, *last, *limit;
    int             is_region;
} irl__bounds_index;

typedef struct irl__bounds_state {
    irl_ctx     *cx;
    irl__bounds *b;
    irl__path    path;
} irl__bounds_state;

/* ------------------------------------------------------------------ by ranges */

/* A vector's lanes from end to end. False: nothing but its range is known. */
static int irl__bounds_ends(irl__bounds_state *s, const irl_expr *e, irl__bounds_index *x)
{
    x->first = x->last = e;
    if (e->type.lanes == 1) return 1;
    e = irl__simplify(s->path.an, e);
    if (!e) return 0;
    if (e->op == IRL_OP_BROADCAST) x->first = x->last = e->a[0];
    if (e->op == IRL_OP_RAMP) {
        x->first = e->a[0];
        x->last =
            irl__add(s->cx, e->a[0],
                     irl__mul(s->cx, e->a[1], irl_expr_index(s->cx, (int64_t)e->type.lanes - 1)));
    }
    return x->first && x->last && x->first->type.lanes == 1;
}

/* In terms of loops and parameters. */
static int irl__bounds_plain(irl__bounds_state *s, irl__bounds_index *x)
{
    irl__accesses *t = s->path.t;
    int            is_one = x->first == x->last;
    x->first = irl__accesses_plain(t, x->first);
    x->last = is_one ? x->first : irl__accesses_plain(t, x->last);
    x->limit = irl__accesses_plain(t, x->limit);
    return x->first && x->last && x->limit;
}

/* As it stands, which is cheap; else simplified. */
static irl__interval irl__bounds_range(irl__bounds_state *s, const irl__bounds_index *x,
                                       int simplified)
{
    irl__analyzer *an = s->path.an;
    irl__interval  r = simplified ? irl__interval_of(an, x->first) : irl__range_of(an, x->first);
    if (x->first == x->last) return r;
    return irl__interval_join(r, simplified ? irl__interval_of(an, x->last)
                                            : irl__range_of(an, x->last));
}

static int irl__bounds_fits(irl__interval r, const irl_expr *limit)
{
    return r.lo >= 0 && limit->op == IRL_OP_INT && r.hi < limit->u.i;
}

/* A variable that counts from 0 to just this limit: nothing is to be proved. What an axis is bound
   to is asked at its block. */
static int irl__bounds_counts(const irl__around *n, const irl_expr *e, const irl_expr *limit)
{
    if (e->op != IRL_OP_VAR) return 0;
    for (; n; n = n->outer) {
        if (n->var != e) continue;
        if (n->kind == IRL__AROUND_LOOP)
            return irl__is_int(n->stmt->u.loop.min, 0) && n->stmt->u.loop.extent == limit;
        return n->kind == IRL__AROUND_AXIS && n->axis->extent == limit;
    }
    return 0;
}

/* The ways in which an index may leave that are not excluded, as one condition; NULL: none. */
static const irl_expr *irl__bounds_open(irl__bounds_state *s, const irl__bounds_index *x, int *low,
                                        int *high)
{
    const int       ends = x->first != x->last && !x->is_region ? 2 : 1;
    const irl_expr *open = NULL;
    *low = *high = 0;
    for (int k = 0; k < 2 * ends; k++) {
        const int       is_high = k >= ends, is_first = is_high == (k % ends > 0);
        const irl_expr *part =
            irl_expr_op2(s->cx, is_high ? IRL_OP_GE : IRL_OP_LT, is_first ? x->first : x->last,
                         is_high ? x->limit : irl_expr_index(s->cx, 0));
        if (irl__prove(s->path.an, irl_expr_op1(s->cx, IRL_OP_NOT, part))) continue;
        *(is_high ? high : low) = 1;
        open = open ? irl_expr_op2(s->cx, IRL_OP_OR, open, part) : part;
    }
    return open;
}

/* ------------------------------------------------------------------ what memory holds */

/* What a load of memory that the function allocates has as its value is one of what is stored
   there: what holds of each of these, where it is stored, holds of the load (`held`). */
static int irl__bounds_learn(irl__bounds_state *s, const irl_expr *held, const irl_buffer *b,
                             const irl_expr *limit)
{
    irl__accesses *t = s->path.t;
    irl__path      at; /* where each is stored */
    irl__interval  range = { INT64_MAX, INT64_MIN };
    int            is_below = irl__expr_is_of_params(limit, t->f);
    s->b->work -= t->count;
    if (s->b->work <= 0 || !irl__path_begin(&at, t)) return irl__ok(s->cx);
    for (int k = 0; k < t->count; k++) {
        const irl__access *a = &t->list[k];
        if (a->memory != b->data || !irl__access_writes(a) || a->is_declared) continue;
        if (!a->allocation || a->kind == IRL__ACCESS_OPAQUE || a->expr || a->buffer != b) return 1;
        const irl_expr *value = irl__accesses_plain(t, a->place->u.store.value);
        if (!value || !irl__path_to(&at, a->around)) return 0;
        if (value->type.lanes != 1) return 1;
        value = irl_expr_cast(s->cx, irl__type_index(), value);
        range = irl__interval_join(range, irl__interval_of(at.an, value));
        is_below = is_below && irl__prove(at.an, irl_expr_op2(s->cx, IRL_OP_LT, value, limit));
    }
    if (range.lo > range.hi) return irl__ok(s->cx); /* nothing is stored */
    return irl__fact(s->path.an, irl_expr_op2(s->cx, IRL_OP_GE, held,
                                              irl_expr_index(s->cx, range.lo))) &&
           irl__fact(s->path.an, irl_expr_op2(s->cx, IRL_OP_LE, held,
                                              irl_expr_index(s->cx, range.hi))) &&
           (!is_below || irl__fact(s->path.an, irl_expr_op2(s->cx, IRL_OP_LT, held, limit)));
}

/* The same of all loads in an index, and of lets that are one. */
static int irl__bounds_loads(irl__bounds_state *s, const irl_expr *e, const irl_expr *limit)
{
    const irl__around *n = (const irl__around *)irl__ptr_map_get(&s->path.t->of_var, e);
    const irl_expr    *load = n && n->kind == IRL__AROUND_LET ? n->value : e;
    if (load->op == IRL_OP_CAST) load = load->a[0];
    if (load->op == IRL_OP_LOAD && e->type.lanes == 1 && irl__type_is_index(e->type) &&
        irl__type_is_integer(load->type))
        return irl__bounds_learn(s, e, load->u.buffer, limit);
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__bounds_loads(s, e->a[k], limit)) return 0;
    return 1;
}

/* ------------------------------------------------------------------ one access */

static int irl__bounds_has_names(const irl_func *f)
{
    for (int k = 0; k < f->param_count; k++)
        if (!f->params[k].buffer) return 1;
    return 0;
}

/* Which of the indices of one access to tell of: one that leaves, one that may, any. */
static int irl__bounds_weight(const irl__bounds_finding *g)
{
    if (!g->low && !g->high) return 0;
    return g->is_outside ? 3 : g->is_found ? 2 : 1;
}

static void irl__bounds_add(irl__bounds_finding *g, const irl__bounds_finding *one)
{
    uint32_t low = g->low | one->low, high = g->high | one->high;
    if (irl__bounds_weight(one) > irl__bounds_weight(g)) *g = *one;
    g->low = low;
    g->high = high;
}

/* Where an index has a value, what it always divides by is not 0, and remainders are smaller. */
static int irl__bounds_divides(irl__bounds_state *s, const irl_expr *e)
{
    for (uint32_t k = 0; k < (irl__expr_is_lazy(e) ? 1 : e->count); k++)
        if (!irl__bounds_divides(s, e->a[k])) return 0;
    if ((e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_FLOORMOD) || e->a[1]->op == IRL_OP_INT ||
        !irl__type_is_index(e->type) || e->type.lanes != 1)
        return 1;
    int64_t lo = irl__interval_of(s->path.an, e->a[1]).lo;
    if (lo == 0 && !irl__path_believe(&s->path, irl_expr_op2(s->cx, IRL_OP_GE, e->a[1],
                                                             irl_expr_index(s->cx, 1))))
        return 0;
    return lo < 0 || e->op == IRL_OP_FLOORDIV ||
           irl__path_believe(&s->path, irl_expr_op2(s->cx, IRL_OP_LT, e, e->a[1]));
}

/* Does an iteration that reaches the path's place leave there? */
static irl_answer irl__bounds_seek(irl__bounds_state *s, const irl_expr *open,
                                   irl__iteration *point)
{
    const int     depth = s->path.count;
    irl_answer    answer = IRL_UNKNOWN;
    const int64_t steps = s->b->work < IRL__PAIR_STEPS ? s->b->work : (int64_t)IRL__PAIR_STEPS;
    if (steps <= 0) return IRL_UNKNOWN;
    irl__arena_mark mark = irl__scratch_begin(s->cx);
    irl__system    *system = IRL__SCRATCH(s->cx, irl__system, 1);
    if (system) {
        irl__enter_begin(system, s->path.t, steps);
        irl__enter(system, s->path.t, 0, depth ? s->path.steps[depth - 1].around : NULL, open);
        irl__system_require(system, 0, open);
        answer = irl__system_decide(system);
        s->b->work -= steps - system->steps + depth;
        if (answer == IRL_YES &&
            !irl__iteration_of(s->path.t, system->found_count, system->found, point))
            answer = IRL_UNKNOWN;
    }
    irl__scratch_end(s->cx, mark);
    return answer;
}

/* Looks at index k, which the ranges do not keep inside; what is not proved is added to g. */
static int irl__bounds_look(irl__bounds_state *s, const irl__bounds_index *x, int known_ends, int k,
                            irl__bounds_finding *g)
{
    const irl_expr     *open = NULL;
    irl__bounds_finding one = *g;
    int                 low = 1, high = 1;
    one.is_found = 0;
    if (known_ends) {
        open = irl__bounds_open(s, x, &low, &high);
        if (!irl__ok(s->cx)) return 0;
        if (!open || irl__path_is_dead(&s->path)) return 1;
        const irl_answer answer = irl__bounds_seek(s, open, &one.point);
        if (answer == IRL_NO) return irl__ok(s->cx);
        one.is_found = answer == IRL_YES;
    }
    one.is_outside =
        one.is_found && (!irl__bounds_has_names(s->path.t->f) ||
                         irl__iteration_for_all(&s->path, open, &one.point));
    one.axis = k;
    one.low = low ? UINT32_C(1) << k : 0;
    one.high = high ? UINT32_C(1) << k : 0;
    one.range = irl__bounds_range(s, x, 1);
    irl__bounds_add(g, &one);
    return irl__ok(s->cx);
}

static int irl__bounds_keep(irl__bounds_state *s, const irl__bounds_finding *g)
{
    if (!g->low && !g->high) return 1;
    if (!IRL__PUSH_SCRATCH(s->cx, s->b->list, *g)) return 0;
    s->b->count++;
    return 1;
}

static int irl__bounds_access(irl__bounds_state *s, int row)
{
    const irl__access  *a = &s->path.t->list[row];
    irl__bounds_finding g;
    irl__bounds_index   x;
    memset(&g, 0, sizeof g);
    g.row = row;
    x.is_region = 0;
    for (int k = 0; k < a->rank; k++) {
        x.limit = a->buffer->shape[k];
        x.first = x.last = a->indices[k];
        if (irl__bounds_fits(irl__bounds_range(s, &x, 0), x.limit) ||
            irl__bounds_counts(a->around, x.first, x.limit))
            continue;
        if (!irl__bounds_plain(s, &x)) return 0;
        int known_ends = irl__bounds_ends(s, x.first, &x);
        if (irl__bounds_fits(irl__bounds_range(s, &x, 1), x.limit)) continue;
        if (!irl__bounds_divides(s, x.first) || !irl__bounds_loads(s, x.first, x.limit) ||
            !irl__bounds_look(s, &x, known_ends, k, &g))
            return 0;
    }
    return irl__bounds_keep(s, &g);
}

/* What is believed of one row ends with it. */
static int irl__bounds_row(irl__bounds_state *s, int row)
{
    int bindings = irl__bindings_mark(s->path.an), facts = irl__facts_mark(s->path.an);
    int ok = irl__bounds_access(s, row);
    irl__facts_release(s->path.an, facts);
    irl__bindings_release(s->path.an, bindings);
    return ok;
}

/* ------------------------------------------------------------------ blocks */

/* What is not proved is believed from here on: it has been said, and nothing runs where it is
   false. */
static int irl__bounds_axis(irl__bounds_state *s, const irl__around *n)
{
    irl__bounds_finding g;
    irl__bounds_index   x;
    memset(&g, 0, sizeof g);
    g.row = -1;
    g.node = n;
    x.first = x.last = n->var;
    x.limit = n->axis->extent;
    x.is_region = 0;
    if (irl__bounds_fits(irl__bounds_range(s, &x, 0), x.limit)) return 1;
    if (!irl__bounds_plain(s, &x)) return 0;
    if (irl__bounds_fits(irl__bounds_range(s, &x, 1), x.limit)) return 1;
    if (!irl__bounds_look(s, &x, 1, 0, &g) || !irl__bounds_keep(s, &g)) return 0;
    if (!g.low && !g.high) return 1;
    return irl__path_believe(&s->path,
                             irl_expr_op2(s->cx, IRL_OP_GE, n->var, irl_expr_index(s->cx, 0))) &&
           irl__path_believe(&s->path, irl_expr_op2(s->cx, IRL_OP_LT, n->var, n->axis->extent));
}

static int irl__bounds_axes(irl__bounds_state *s, const irl__around *n)
{
    const irl_stmt *block = n->stmt;
    for (; n && n->stmt == block && n->kind != IRL__AROUND_BLOCK; n = n->outer)
        if (n->kind == IRL__AROUND_AXIS && !irl__bounds_axis(s, n)) return 0;
    return 1;
}

static int irl__bounds_match(irl__bounds_state *s, const irl__around *n)
{
    const irl__region  *r = &n->match->source;
    irl__bounds_finding g;
    irl__bounds_index   x;
    memset(&g, 0, sizeof g);
    g.row = -1;
    g.node = n;
    x.is_region = 1;
    for (int k = 0; k < r->buffer->rank; k++) {
        x.limit = r->buffer->shape[k];
        x.first = x.last = r->min[k];
        if (!irl__is_int(r->extent[k], 1))
            x.last =
                irl__sub(s->cx, irl__add(s->cx, x.first, r->extent[k]), irl_expr_index(s->cx, 1));
        if (!x.last || !irl__bounds_plain(s, &x)) return 0;
        if (irl__bounds_fits(irl__bounds_range(s, &x, 1), x.limit)) continue;
        if (!irl__bounds_look(s, &x, 1, k, &g)) return 0;
    }
    return irl__bounds_keep(s, &g);
}

/* Axes are looked at where the predicate holds, or where the last of them is bound. */
static int irl__bounds_enter(irl__path *p, const irl__around *n)
{
    irl__bounds_state     *s = (irl__bounds_state *)p->user;
    const irl__block_data *b = n->stmt && n->stmt->kind == IRL__BLOCK ? n->stmt->u.block : NULL;
    if (n->kind == IRL__AROUND_MEMORY && n->match) return irl__bounds_match(s, n);
    if (!b || b->axis_count == 0) return 1;
    if (n->kind == IRL__AROUND_AXIS && !b->predicate && n->axis == &b->axes[b->axis_count - 1])
        return irl__bounds_axes(s, n);
    if (n->kind == IRL__AROUND_GUARD && n->value == b->predicate && n->outer->stmt == n->stmt &&
        n->outer->kind == IRL__AROUND_AXIS)
        return irl__bounds_axes(s, n);
    return 1;
}

int irl__bounds_of(irl__bounds *b, irl__accesses *t)
{
    irl__bounds_state s;
    memset(b, 0, sizeof *b);
    b->t = t;
    b->work = IRL__BOUNDS_WORK;
    s.cx = t->cx;
    s.b = b;
    if (!irl__path_begin(&s.path, t)) return 0;
    s.path.enter = irl__bounds_enter;
    s.path.user = &s;
    for (int k = 0; k < t->count; k++) {
        const irl__access *a = &t->list[k];
        if (a->is_declared || a->is_texel || a->kind == IRL__ACCESS_OPAQUE) continue;
        if (!irl__path_to(&s.path, a->around)) return 0;
        if (!s.path.never && !irl__bounds_row(&s, k)) return 0;
    }
    return irl__ok(t->cx);
}

/* ------------------------------------------------------------------ in words */

enum { IRL__BOUNDS_SHORT = 96 }; /* characters of an expression */

static void irl__bounds_put(irl__text *text, const irl__bounds *b, const irl_expr *e)
{
    char      part[IRL__BOUNDS_SHORT];
    irl__text t;
    irl__text_init_fixed(&t, part, sizeof part);
    e = irl__accesses_said(b->t, e);
    if (e) irl__print_expr(&t, e);
    irl__text_puts(text, part);
    if (strlen(part) + 1 == sizeof part) irl__text_puts(text, "...");
}

static void irl__bounds_put_list(irl__text *text, const irl__bounds *b, int count,
                                 const irl_expr *const *list)
{
    irl__text_putc(text, '[');
    for (int k = 0; k < count; k++) {
        if (k) irl__text_puts(text, ", ");
        irl__bounds_put(text, b, list[k]);
    }
    irl__text_putc(text, ']');
}

static void irl__bounds_put_range(irl__text *text, const irl__bounds *b, const irl_expr *limit,
                                  irl__interval r)
{
    irl__text_puts(text, "is not proved to be ");
    if (r.lo >= 0) irl__text_puts(text, "below ");
    else irl__text_puts(text, "in [0, ");
    irl__bounds_put(text, b, limit);
    if (r.lo < 0) irl__text_putc(text, ')');
    if (r.lo == INT64_MIN && r.hi == INT64_MAX) return;
    if (r.lo == INT64_MIN)
        irl__textf(text, ": it is at most %l, its least value is not known", r.hi);
    else if (r.hi == INT64_MAX)
        irl__textf(text, ": it is at least %l, its largest value is not known", r.lo);
    else irl__textf(text, ": it is from %l to %l", r.lo, r.hi);
}

/* An index that may be outside of its buffer. */
static void irl__bounds_put_doubt(irl__text *text, const irl__bounds *b,
                                  const irl__bounds_finding *g, const irl_expr *limit)
{
    irl__bounds_put_range(text, b, limit, g->range);
    if (g->is_found) {
        irl__text_puts(text, ", and it is outside");
        irl__iteration_text(text, &g->point);
    }
}

/* The other half of an update, if it is in the list too. */
static int irl__bounds_has_pair(const irl__bounds *b, const irl__bounds_finding *g)
{
    int k = (int)(g - b->list), row = g->row >= 0 ? b->t->list[g->row].of_pair : -1,
        step = row < g->row ? -1 : 1;
    if (row < 0) return 0;
    for (k += step; k >= 0 && k < b->count && (b->list[k].row - row) * step <= 0; k += step)
        if (b->list[k].row == row) return 1;
    return 0;
}

int irl__bounds_is_half(const irl__bounds *b, const irl__bounds_finding *g)
{
    return g->row >= 0 && b->t->list[g->row].kind == IRL__ACCESS_READ && irl__bounds_has_pair(b, g);
}

/* The loop around an access of which e is the variable, plus a number; NULL: it is not so. */
static const irl__around *irl__bounds_loop(const irl__access *a, const irl_expr *e, int64_t *plus)
{
    const irl__around *n = a->around;
    *plus = 0;
    if ((e->op == IRL_OP_ADD || e->op == IRL_OP_SUB) && e->a[1]->op == IRL_OP_INT &&
        e->a[1]->u.i != INT64_MIN) {
        *plus = e->op == IRL_OP_ADD ? e->a[1]->u.i : -e->a[1]->u.i;
        e = e->a[0];
    }
    while (n && !(n->kind == IRL__AROUND_LOOP && n->var == e)) n = n->outer;
    return n;
}

/* Axis k of the access ends so many elements before the end of its buffer. */
static const irl_expr *irl__bounds_end(const irl__bounds *b, const irl__access *a, int k,
                                       int64_t before)
{
    irl_ctx *cx = b->t->cx;
    return irl__simplify_alone(cx, irl__sub(cx, a->buffer->shape[k], irl_expr_index(cx, before)));
}

/* What must hold for the access to be inside: i >= 1 && i < n - 1. */
static void irl__bounds_put_condition(irl__text *text, const irl__bounds *b,
                                      const irl__bounds_finding *g)
{
    const irl__access *a = &b->t->list[g->row];
    const char        *join = "";
    for (int k = 0; k < a->rank; k++) {
        int64_t            plus;
        const irl_expr    *e = irl__accesses_said(b->t, a->indices[k]);
        const irl__around *loop = e ? irl__bounds_loop(a, e, &plus) : NULL;
        for (int is_high = 0; e && is_high < 2; is_high++) {
            if (!((is_high ? g->high : g->low) >> k & 1)) continue;
            irl__text_puts(text, join);
            join = " && ";
            if (e->op == IRL_OP_INT && is_high) {
                irl__bounds_put(text, b, a->buffer->shape[k]);
                irl__textf(text, " > %l", e->u.i);
                continue;
            }
            irl__bounds_put(text, b, loop ? loop->var : e);
            if (!is_high) irl__textf(text, " >= %l", loop ? -plus : 0);
            else {
                irl__text_puts(text, " < ");
                irl__bounds_put(text, b, irl__bounds_end(b, a, k, loop ? plus : 0));
            }
        }
    }
}

/* ", or the range (i: 1 .. n)", of loops for which the access is inside; nothing if it is not
   known. */
static void irl__bounds_put_ranges(irl__text *text, const irl__bounds *b,
                                   const irl__bounds_finding *g)
{
    const irl__access *a = &b->t->list[g->row];
    irl_ctx           *cx = b->t->cx;
    irl__text          said;
    irl__text_init(&said, cx);
    for (int k = 0; k < a->rank; k++) {
        int64_t         plus;
        const irl_expr *e = irl__accesses_said(b->t, a->indices[k]);
        if (!((g->low | g->high) >> k & 1)) continue;
        const irl__around *n = e ? irl__bounds_loop(a, e, &plus) : NULL;
        if (!n || n->stmt->u.loop.min->op != IRL_OP_INT) return;
        const int64_t   min = n->stmt->u.loop.min->u.i, first = g->low >> k & 1 ? -plus : min;
        const irl_expr *end = irl__add(cx, n->stmt->u.loop.min, n->stmt->u.loop.extent);
        end = g->high >> k & 1 ? irl__bounds_end(b, a, k, plus) : irl__simplify_alone(cx, end);
        irl__textf(&said, "%s%s: ", said.length ? ", " : "", n->var->u.name);
        if (first) irl__textf(&said, "%l .. ", first);
        irl__bounds_put(&said, b, end);
    }
    irl__textf(text, ", or the range (%s)", irl__text_done(&said));
}

static void irl__bounds_put_access(irl__text *text, const irl__bounds *b,
                                   const irl__bounds_finding *g)
{
    const irl__access *a = &b->t->list[g->row];
    const irl_buffer  *buffer = a->buffer;
    irl__textf(text, "'%s' is %s at ", buffer->name,
               a->kind == IRL__ACCESS_READ  ? "read"
               : irl__bounds_has_pair(b, g) ? "read and written"
                                            : "written");
    irl__bounds_put_list(text, b, a->rank, a->indices);
    if (g->is_outside) {
        irl__iteration_list(text, b->t, &g->point, a->rank, a->indices);
        irl__text_puts(text, ", outside of its shape ");
        irl__bounds_put_list(text, b, a->rank, buffer->shape);
        irl__iteration_list(text, b->t, &g->point, a->rank, buffer->shape);
        irl__iteration_text(text, &g->point);
        return;
    }
    if (a->indices[g->axis]->op == IRL_OP_INT && g->is_found) {
        irl__text_puts(text, ", which is outside");
        irl__iteration_text(text, &g->point);
        return;
    }
    irl__text_puts(text, ", and ");
    irl__bounds_put(text, b, a->indices[g->axis]);
    irl__text_putc(text, ' ');
    irl__bounds_put_doubt(text, b, g, buffer->shape[g->axis]);
}

static void irl__bounds_put_axis(irl__text *text, const irl__bounds *b,
                                 const irl__bounds_finding *g)
{
    const irl__axis *axis = g->node->axis;
    irl__textf(text, "axis '%s' of block '%s' is bound to ", axis->var->u.name,
               g->node->stmt->u.block->name);
    irl__bounds_put(text, b, axis->binding);
    if (g->is_outside) {
        irl__iteration_list(text, b->t, &g->point, 1, &axis->binding);
        irl__text_puts(text, ", outside of its extent ");
        irl__bounds_put(text, b, axis->extent);
        irl__iteration_text(text, &g->point);
        return;
    }
    irl__text_puts(text, ", which ");
    irl__bounds_put_doubt(text, b, g, axis->extent);
}

static void irl__bounds_put_match(irl__text *text, const irl__bounds *b,
                                  const irl__bounds_finding *g)
{
    const irl__match  *m = g->node->match;
    const irl__region *r = &m->source;
    irl__textf(text, "'%s' views '%s' from ", m->buffer->name, r->buffer->name);
    irl__bounds_put_list(text, b, r->buffer->rank, r->min);
    if (g->is_outside) irl__iteration_list(text, b->t, &g->point, r->buffer->rank, r->min);
    irl__text_puts(text, " for ");
    irl__bounds_put_list(text, b, r->buffer->rank, r->extent);
    if (g->is_outside) {
        irl__text_puts(text, ", which leaves its shape ");
        irl__bounds_put_list(text, b, r->buffer->rank, r->buffer->shape);
        irl__iteration_text(text, &g->point);
        return;
    }
    irl__textf(text, ", which on axis %d ", g->axis);
    irl__bounds_put_doubt(text, b, g, r->buffer->shape[g->axis]);
}

void irl__bounds_text(irl__text *text, const irl__bounds *b, const irl__bounds_finding *g)
{
    if (g->row >= 0) irl__bounds_put_access(text, b, g);
    else if (g->node->kind == IRL__AROUND_AXIS) irl__bounds_put_axis(text, b, g);
    else irl__bounds_put_match(text, b, g);
}

/* No condition lets the index be inside: it is a number, or the extent itself. */
static int irl__bounds_is_never(irl_ctx *cx, const irl_expr *index, const irl_expr *extent, int low)
{
    const irl_expr *past = irl__simplify_alone(cx, irl__sub(cx, index, extent));
    return (index->op == IRL_OP_INT && (low || extent->op == IRL_OP_INT)) ||
           (past && irl__is_int(past, 0));
}

void irl__bounds_put_remedy(irl__text *text, const irl__bounds *b, const irl__bounds_finding *g)
{
    if (g->row < 0) return;
    const irl__access *a = &b->t->list[g->row];
    for (int k = 0; k < a->rank; k++) {
        if (a->indices[k]->type.lanes != 1) return;
        if (!irl__bounds_is_never(b->t->cx, a->indices[k], a->buffer->shape[k], g->low >> k & 1))
            continue;
        irl__textf(text, "the indices of '%s' on axis %d are in [0, ", a->buffer->name, k);
        irl__bounds_put(text, b, a->buffer->shape[k]);
        irl__text_putc(text, ')');
        return;
    }
    irl__text_puts(text, "write ");
    if (!g->is_outside) {
        irl__text_puts(text, "assume(");
        irl__bounds_put_condition(text, b, g);
        irl__text_puts(text, "); before it if it always holds, or ");
    }
    const int is_value = a->kind == IRL__ACCESS_READ && a->of_pair < 0;
    if (!is_value) irl__text_puts(text, "if (");
    irl__bounds_put_condition(text, b, g);
    if (is_value) {
        irl__textf(text, " ? %s", a->buffer->name);
        irl__bounds_put_list(text, b, a->rank, a->indices);
        irl__text_puts(text, " : 0");
    } else irl__text_puts(text, ") before it");
    if (g->is_outside) irl__bounds_put_ranges(text, b, g);
}

const irl_stmt *irl__bounds_place(const irl__bounds *b, const irl__bounds_finding *g)
{
    return g->row >= 0 ? b->t->list[g->row].place : g->node->stmt;
}
