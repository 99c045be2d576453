/* supply.c - which access writes what another one reads: producers, consumers, and whether
   everything that is read was written.

   needs     pair.c, decide.c; the table of accesses
   promises  NO of a flow and YES of a coverage are proved for all values of the parameters; a cell
             that nobody wrote comes with the iteration that reads it
   cost      for a flow, one small system for each loop around both; for a coverage, one system in
             which every writer is a condition

   Coverage asks: is there an iteration of the read whose cell no writer has written before? For a
   writer y[i, j + 1], the cell (r, c) was written by i = r, j = c - 1, if that is one of its
   iterations, its guards are true there and it runs before. So "this writer does not write the
   cell" is a condition on the read's variables, and "no writer does" is a system. */
#include "access.h"
#include "../sets/system.h"

enum { IRL__SUPPLY_LOOPS = 24, IRL__SUPPLY_WRITERS = 64, IRL__SUPPLY_NODES = 1 << 11 };

static const char irl__supply_views[] = "it may be written through another view of the memory";
static const char irl__supply_calls[] = "it may be written by a call";
static const char irl__supply_solved[] = "it is not known which iteration writes a cell";
static const char irl__supply_many[] = "too many accesses write it";

static int irl__supply_writes(const irl__access *a)
{
    return a->kind != IRL__ACCESS_READ && !a->is_declared;
}

/* ------------------------------------------------------------------ does a write reach a read */

/* Whether the loop stands around what the pair has in common; NULL does. */
static int irl__supply_inside(const irl__pair *p, const irl__around *within)
{
    for (int k = 0; within && k < irl__pair_loop_count(p); k++)
        if (irl__pair_loop(p, k) == within) return k + 1;
    return within ? -1 : 0;
}

/* ------------------------------------------------------------------ work-items

   They run in no order: what another one has written is there behind a barrier that both come to,
   which stands between the two accesses. */

/* May what one work-item writes be read by another one, in the same iteration (over NULL) or in a
   later one of that loop? */
static int irl__supply_meets(const irl__accesses *t, irl__pair *p, const irl__meeting *m,
                             const irl_stmt *over)
{
    for (int k = 0; k < irl__pair_loop_count(p); k++)
        if (irl__stmt_is_items(irl__pair_loop(p, k)->stmt))
            return irl__fence_stands(t->f->body, m->a, m->b, over, 1);
    return 0;
}

static irl_answer irl__supply_ask(const irl__accesses *t, irl__pair *p, const irl__around *within,
                                  int is_before, irl__meeting *m)
{
    const int    count = irl__pair_loop_count(p), first = irl__supply_inside(p, within);
    uint8_t      relation[IRL__SUPPLY_LOOPS];
    irl__meeting one, doubt;
    int          k, j, has_doubt = 0;
    if (first < 0) return m->answer = IRL_NO;
    if (count > IRL__SUPPLY_LOOPS) {
        m->reason = irl__supply_many;
        return m->answer = IRL_UNKNOWN;
    }
    for (k = first; k < count + is_before; k++) {
        const irl_stmt *over = k < count ? irl__pair_loop(p, k)->stmt : NULL;
        if (over && irl__stmt_is_items(over)) continue;
        int any = irl__supply_meets(t, p, m, over);
        for (j = 0; j < count; j++) {
            const int is_items = irl__stmt_is_items(irl__pair_loop(p, j)->stmt);
            relation[j] = is_items ? any ? IRL__ANY : IRL__SAME
                          : j < k  ? IRL__SAME
                          : j == k ? IRL__BEFORE
                                   : IRL__ANY;
        }
        irl__pair_meets(p, relation, &one);
        if (one.answer == IRL_YES) {
            *m = one;
            return IRL_YES;
        }
        if (one.answer == IRL_UNKNOWN) doubt = one, has_doubt = 1;
    }
    if (has_doubt) *m = doubt;
    else m->answer = IRL_NO;
    return m->answer;
}

irl_answer irl__reaches(irl__accesses *t, const irl__access *writer, const irl__access *reader,
                        const irl__around *within, irl__meeting *m)
{
    irl__meeting own;
    irl_answer   answer = IRL_UNKNOWN;
    if (!m) m = &own;
    memset(m, 0, sizeof *m);
    m->answer = IRL_NO;
    m->a = writer;
    m->b = reader;
    if (!irl__supply_writes(writer) ||
        (reader->kind != IRL__ACCESS_READ && reader->kind != IRL__ACCESS_OPAQUE) ||
        reader->is_declared || irl__access_alias(t, writer, reader) == IRL_NO)
        return IRL_NO;
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__pair      *p = irl__pair_begin(t, writer, reader, IRL__PAIR_STEPS);
    if (p) answer = irl__supply_ask(t, p, within, writer < reader, m);
    irl__scratch_end(t->cx, mark);
    if (!irl__ok(t->cx)) m->answer = answer = IRL_UNKNOWN, m->reason = "memory is out";
    return answer;
}

/* ------------------------------------------------------ which iteration writes a cell */

/* A loop of a writer, or the lane of its index; and what it is where it writes the cell that is
   read, in the read's variables. */
typedef struct irl__supply_var {
    const irl_expr *var, *min, *extent, *at;
    int             is_common; /* it stands around the read too */
    const irl_stmt *loop;      /* NULL: a lane */
    int             is_least;  /* `at` is the first of several values that write the cell */
} irl__supply_var;

typedef struct irl__supply_writer {
    irl__accesses     *t;
    irl_ctx           *cx;
    const irl__access *w, *r;
    int                count, common; /* variables, the common ones first */
    irl__supply_var    vars[IRL__SUPPLY_LOOPS + 1];
    const irl_expr    *index[IRL_MAX_RANK]; /* plain, of one lane */
    int                is_only; /* no other iteration writes that cell, or all do as well */
} irl__supply_writer;

static int irl__supply_is_small(const irl_expr *e)
{
    return e && e->size < IRL__SUPPLY_NODES && e->depth < IRL_MAX_DEPTH / 4;
}

static int irl__supply_find(const irl__supply_writer *x, const irl_expr *var)
{
    int k;
    for (k = 0; k < x->count && x->vars[k].var != var; k++) {}
    return k < x->count ? k : -1;
}

static int irl__supply_mentions(const irl__supply_writer *x, const irl_expr *e, int unsolved)
{
    if (e->op == IRL_OP_VAR) {
        int n = irl__supply_find(x, e);
        return n >= 0 && (!unsolved || !x->vars[n].at);
    }
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__supply_mentions(x, e->a[k], unsolved)) return 1;
    return 0;
}

/* e with what is known put in. */
static const irl_expr *irl__supply_put_in(const irl__supply_writer *x, const irl_expr *e)
{
    const irl_expr *from[IRL__SUPPLY_LOOPS + 1], *to[IRL__SUPPLY_LOOPS + 1];
    int             k, n = 0;
    for (k = 0; k < x->count; k++) {
        if (!x->vars[k].at || x->vars[k].at == x->vars[k].var) continue;
        from[n] = x->vars[k].var;
        to[n++] = x->vars[k].at;
    }
    e = n ? irl__substitute(x->cx, e, n, from, to) : e;
    return irl__supply_is_small(e) ? e : NULL;
}

/* An index as a sum of multiples of variables that are not solved, and a rest. */
typedef struct irl__supply_sum {
    const irl__supply_writer *x;
    int64_t                   scale[IRL__SUPPLY_LOOPS + 1];
    const irl_expr           *rest;
} irl__supply_sum;

static int irl__supply_is_solved(const void *user, const irl_expr *e)
{
    return !irl__supply_mentions(((const irl__supply_sum *)user)->x, e, 1);
}

static int irl__supply_term(void *user, const irl_expr *e, int64_t by, const irl_expr *factor,
                            int is_solved)
{
    irl__supply_sum *s = (irl__supply_sum *)user;
    irl_ctx         *cx = s->x->cx;
    if (factor || (!is_solved && e->op != IRL_OP_VAR)) return 0;
    if (!is_solved) {
        int64_t *scale = &s->scale[irl__supply_find(s->x, e)];
        return irl__add64(*scale, by, scale);
    }
    e = irl__supply_put_in(s->x, e);
    if (e) s->rest = irl__add(cx, s->rest, irl__mul(cx, e, irl_expr_index(cx, by)));
    return e && irl__supply_is_small(s->rest);
}

static int irl__supply_sum_of(const irl__supply_writer *x, irl__supply_sum *s, const irl_expr *e)
{
    irl__affine_reader r = { x->cx, s, irl__supply_is_solved, irl__supply_term, 1 };
    memset(s, 0, sizeof *s);
    s->x = x;
    s->rest = irl_expr_index(x->cx, 0);
    return irl__affine_read(&r, e, 1, NULL);
}

/* The unsolved variable of the largest scale. */
static int irl__supply_largest(const irl__supply_writer *x, const irl__supply_sum *s)
{
    int     k, best = -1;
    int64_t most = 0;
    for (k = 0; k < x->count; k++) {
        int64_t scale = s->scale[k] < 0 ? -(s->scale[k] + 1) : s->scale[k];
        if (s->scale[k] && (best < 0 || scale > most)) best = k, most = scale;
    }
    return best;
}

/* Solves scale . vars + rest == cell: the digits of cell - rest. Of negative scales one alone. */
static int irl__supply_digits(irl__supply_writer *x, const irl__supply_sum *s, const irl_expr *cell)
{
    irl_ctx        *cx = x->cx;
    int64_t         scale[IRL__SUPPLY_LOOPS + 1], extent[IRL__SUPPLY_LOOPS + 1];
    int             count = 0, k;
    const irl_expr *left = irl__sub(cx, cell, s->rest), *digit;
    irl__supply_sum open = *s;
    for (k = 0; k < x->count; k++) {
        if (!s->scale[k]) continue;
        if (s->scale[k] == INT64_MIN) return 0;
        extent[count] = x->vars[k].extent->op == IRL_OP_INT ? x->vars[k].extent->u.i : -1;
        scale[count++] = s->scale[k] < 0 ? -s->scale[k] : s->scale[k];
        if (s->scale[k] > 0)
            left = irl__sub(cx, left,
                            irl__mul(cx, irl__supply_put_in(x, x->vars[k].min),
                                     irl_expr_index(cx, s->scale[k])));
    }
    if (count > 32 || (count > 1 && !irl__digits_apart(count, scale, extent))) x->is_only = 0;
    while (left && (k = irl__supply_largest(x, &open)) >= 0) {
        const int64_t by = open.scale[k];
        if (by < 0 && count > 1) return 0;
        open.scale[k] = 0;
        if (by < 0) {
            x->vars[k].at = irl__floordiv(cx, irl__sub(cx, irl_expr_index(cx, 0), left),
                                          irl_expr_index(cx, -by));
            return irl__supply_is_small(x->vars[k].at);
        }
        digit = by == 1 ? left : irl__floordiv(cx, left, irl_expr_index(cx, by));
        x->vars[k].at = irl__add(cx, irl__supply_put_in(x, x->vars[k].min), digit);
        left = by == 1 ? irl_expr_index(cx, 0) : irl__floormod(cx, left, irl_expr_index(cx, by));
        if (!irl__supply_is_small(x->vars[k].at)) return 0;
    }
    return left != NULL;
}

/* One equation: e, an index or what it was made of, is `cell`. 1: it gave variables, -1: not. */
static int irl__supply_equation(irl__supply_writer *x, const irl_expr *e, const irl_expr *cell)
{
    irl__supply_sum s;
    int             v, open = 0;
    if (!irl__supply_mentions(x, e, 1) || !irl__supply_sum_of(x, &s, e)) return -1;
    for (v = 0; v < x->count; v++) {
        if (!s.scale[v]) continue;
        if (irl__supply_mentions(x, x->vars[v].min, 1)) return -1; /* not solved yet */
        open++;
    }
    return open ? irl__supply_digits(x, &s, cell) : -1;
}

static int irl__supply_is_quotient(const irl_expr *e, irl_op op)
{
    return e->op == op && e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0;
}

/* e / c is one index and e % c another: e is known. */
static int irl__supply_quotient(irl__supply_writer *x, const irl_expr *const *cell, int k)
{
    const irl_expr *q = x->index[k];
    if (!irl__supply_is_quotient(q, IRL_OP_FLOORDIV)) return -1;
    for (int j = 0; j < x->w->rank; j++) {
        const irl_expr *r = x->index[j];
        if (!irl__supply_is_quotient(r, IRL_OP_FLOORMOD) || r->a[0] != q->a[0] ||
            r->a[1] != q->a[1])
            continue;
        return irl__supply_equation(
            x, q->a[0], irl__add(x->cx, irl__mul(x->cx, cell[k], q->a[1]), cell[j]));
    }
    return -1;
}

/* One of them alone, of a variable that stands nowhere else: the first value that writes the
   cell. */
static int irl__supply_least(irl__supply_writer *x, const irl_expr *const *cell, int k)
{
    const irl_expr *e = x->index[k], *min, *at;
    irl_ctx        *cx = x->cx;
    irl__supply_sum s;
    int             v, j, is_quotient = irl__supply_is_quotient(e, IRL_OP_FLOORDIV);
    if ((!is_quotient && !irl__supply_is_quotient(e, IRL_OP_FLOORMOD)) ||
        !irl__supply_mentions(x, e->a[0], 1) || !irl__supply_sum_of(x, &s, e->a[0]))
        return -1;
    v = irl__supply_largest(x, &s);
    if (v < 0 || s.scale[v] != 1 || irl__supply_mentions(x, x->vars[v].min, 1)) return -1;
    for (j = 0; j < x->count; j++)
        if (j != v && s.scale[j]) return -1;
    for (j = 0; j < x->w->rank; j++)
        if (j != k && irl__expr_uses_var(x->index[j], x->vars[v].var)) return -1;
    min = irl__supply_put_in(x, x->vars[v].min);
    if (!min) return 0;
    if (is_quotient) {
        at = irl__sub(cx, irl__mul(cx, cell[k], e->a[1]), s.rest);
        at = irl_expr_op2(cx, IRL_OP_MAX, min, at);
    } else {
        at = irl__sub(cx, irl__sub(cx, cell[k], s.rest), min);
        at = irl__add(cx, min, irl__floormod(cx, at, e->a[1]));
    }
    x->vars[v].at = at;
    x->vars[v].is_least = 1;
    return irl__supply_is_small(at);
}

/* What the indices determine. An index that is no sum is left to be compared. */
static int irl__supply_solve(irl__supply_writer *x, const irl_expr *const *cell)
{
    int changed = 1, k, v;
    for (v = 0; v < x->count; v++)
        if (!x->vars[v].at && irl__is_int(x->vars[v].extent, 1) &&
            !(x->vars[v].at = irl__supply_put_in(x, x->vars[v].min)))
            return 0;
    while (changed) {
        changed = 0;
        for (k = 0; k < x->w->rank; k++) {
            int found = irl__supply_equation(x, x->index[k], cell[k]);
            if (found < 0) found = irl__supply_quotient(x, cell, k);
            if (found < 0 && !changed) found = irl__supply_least(x, cell, k);
            if (found == 0) return 0;
            changed |= found > 0;
        }
    }
    return irl__ok(x->cx);
}

/* Whether no guard, bound or index decides by the variables that no index determines. */
static int irl__supply_is_free(const irl__supply_writer *x, const uint8_t *is_open)
{
    int k;
    for (k = 0; k < x->w->rank; k++)
        if (irl__supply_mentions(x, x->index[k], 1)) return 0;
    for (const irl__around *n = irl__around_next(x->w->around, IRL__AROUND_GUARD); n;
         n = irl__around_next(n->outer, IRL__AROUND_GUARD))
        for (k = 0; k < x->count; k++)
            if (is_open[k] &&
                irl__expr_uses_var(irl__accesses_plain(x->t, n->value), x->vars[k].var))
                return 0;
    for (k = 0; k < x->count; k++) {
        for (int j = 0; j < x->count; j++)
            if (is_open[j] && (irl__expr_uses_var(x->vars[k].min, x->vars[j].var) ||
                               irl__expr_uses_var(x->vars[k].extent, x->vars[j].var)))
                return 0;
    }
    return 1;
}

/* That the same work-item does both, where no barrier stands between; `over` as above. */
static const irl_expr *irl__supply_same_item(const irl__supply_writer *x, const irl_stmt *over)
{
    const irl_expr *same = irl__bool(x->cx, 1);
    int             k, is_asked = 0, waits = 0;
    for (k = 0; same && k < x->common; k++) {
        const irl__supply_var *v = &x->vars[k];
        if (v->at == v->var || !irl__stmt_is_items(v->loop)) continue;
        if (!is_asked++) waits = irl__fence_stands(x->t->f->body, x->w, x->r, over, 0);
        if (!waits) same = irl__and(x->cx, same, irl_expr_op2(x->cx, IRL_OP_EQ, v->at, v->var));
    }
    return same;
}

/* That the writer comes before the read: the first common loop in which they differ says so, of
   which work-items are none. */
static const irl_expr *irl__supply_before(const irl__supply_writer *x, int k, int is_before)
{
    irl_ctx               *cx = x->cx;
    const irl__supply_var *v = &x->vars[k];
    const irl_expr        *less;
    if (k == x->common) return is_before ? irl__supply_same_item(x, NULL) : irl__bool(cx, 0);
    const irl_expr *rest = irl__supply_before(x, k + 1, is_before);
    if (v->at == v->var || irl__stmt_is_items(v->loop) || !rest) return rest;
    less = irl__and(cx, irl_expr_op2(cx, IRL_OP_LT, v->at, v->var),
                    irl__supply_same_item(x, v->loop));
    return irl_expr_op2(cx, IRL_OP_OR, less,
                        irl__and(cx, irl_expr_op2(cx, IRL_OP_EQ, v->at, v->var), rest));
}

/* A condition may only speak of the read's variables and of parameters. */
static int irl__supply_speaks(const irl__supply_writer *x, const irl_expr *e)
{
    if (e->flags & IRL__HAS_MEMORY) return 0;
    if (e->op == IRL_OP_VAR) {
        int n = irl__supply_find(x, e);
        return (n < 0 || x->vars[n].is_common) && !irl__ptr_map_get(&x->t->of_var, e);
    }
    for (uint32_t k = 0; k < e->count && (e->flags & IRL__HAS_VAR); k++)
        if (!irl__supply_speaks(x, e->a[k])) return 0;
    return 1;
}

/* The condition, on the read's variables, that the iteration `at` writes the cell, before. NULL: it
   cannot be said. */
static const irl_expr *irl__supply_condition(const irl__supply_writer *x,
                                             const irl_expr *const *cell,
                                             int is_before)
{
    irl_ctx        *cx = x->cx;
    const irl_expr *c = irl__supply_before(x, 0, is_before), *e;
    for (int k = 0; c && k < x->count; k++) {
        const irl__supply_var *v = &x->vars[k];
        const irl_expr        *min = irl__supply_put_in(x, v->min), *extent;
        extent = min ? irl__supply_put_in(x, v->extent) : NULL;
        if (!extent) return NULL;
        if (v->at == v->var) continue;
        c = irl__and(cx, c, irl_expr_op2(cx, IRL_OP_GE, v->at, min));
        c = irl__and(cx, c, irl_expr_op2(cx, IRL_OP_LT, v->at, irl__add(cx, min, extent)));
    }
    const irl__around *n = irl__around_next(x->w->around, IRL__AROUND_GUARD);
    for (; c && n; n = irl__around_next(n->outer, IRL__AROUND_GUARD)) {
        e = irl__supply_put_in(x, irl__accesses_plain(x->t, n->value));
        if (!e || e->type.lanes != 1) return NULL;
        c = irl__and(cx, c, e);
    }
    for (int k = 0; c && k < x->w->rank; k++) {
        e = irl__supply_put_in(x, x->index[k]);
        if (!e) return NULL;
        if (e != cell[k]) c = irl__and(cx, c, irl_expr_op2(cx, IRL_OP_EQ, e, cell[k]));
    }
    return irl__supply_is_small(c) && irl__supply_speaks(x, c) ? c : NULL;
}

/* ------------------------------------------------------------------ is a read covered */

static int irl__supply_indices(irl__supply_writer *x)
{
    const irl__access *w = x->w;
    irl__supply_var   *lane = NULL;
    if (w->lanes > 1) {
        lane = &x->vars[x->count++];
        lane->var = irl_expr_var(x->cx, "lane", irl__type_index());
        lane->min = irl_expr_index(x->cx, 0);
        lane->extent = irl_expr_index(x->cx, (int64_t)w->lanes);
    }
    for (int k = 0; k < w->rank; k++) {
        x->index[k] = irl__accesses_plain(x->t, w->indices[k]);
        if (!irl__supply_is_small(x->index[k])) return 0;
        if (lane) x->index[k] = irl__index_lane(x->cx, x->index[k], lane->var);
        if (!x->index[k]) return 0;
    }
    return 1;
}

/* The loops of w; those up to `within` are at one iteration with the read's. */
static int irl__supply_writer_begin(irl__supply_writer *x, irl__accesses *t, const irl__access *w,
                                  const irl__access *r, const irl__around *within)
{
    const irl__around *mine[IRL__SUPPLY_LOOPS], *other[IRL__SUPPLY_LOOPS];
    const int          count = irl__access_loop_count(w), others = irl__access_loop_count(r);
    int                k, fixed = within ? within->loop_count : 0;
    memset(x, 0, sizeof *x);
    x->t = t;
    x->cx = t->cx;
    x->w = w;
    x->r = r;
    x->is_only = 1;
    if (count > IRL__SUPPLY_LOOPS || others > IRL__SUPPLY_LOOPS) return 0;
    irl__access_loops(w, mine);
    irl__access_loops(r, other);
    for (x->common = 0; x->common < count && x->common < others; x->common++)
        if (mine[x->common] != other[x->common]) break;
    for (k = 0; k < count; k++) {
        irl__supply_var *v = &x->vars[x->count++];
        v->var = mine[k]->var;
        v->min = irl__accesses_plain(t, mine[k]->stmt->u.loop.min);
        v->extent = irl__accesses_plain(t, mine[k]->stmt->u.loop.extent);
        v->is_common = k < x->common;
        v->loop = mine[k]->stmt;
        if (k < fixed && !irl__stmt_shares(mine[k]->stmt, w->buffer)) v->at = v->var;
        if (!irl__supply_is_small(v->min) || !irl__supply_is_small(v->extent)) return 0;
    }
    return irl__supply_indices(x);
}

/* Of variables that no index determines the first value comes before all others; but where no
   barrier stands between, the read's own work-item is meant. */
static const irl_expr *irl__supply_first(const irl__supply_writer *x, const irl__supply_var *v)
{
    const int is_own = v->is_common && irl__stmt_is_items(v->loop) &&
                       !irl__fence_stands(x->t->f->body, x->w, x->r, NULL, 0);
    return is_own ? v->var : irl__supply_put_in(x, v->min);
}

/* The condition that w has written the cell before r reads it; NULL: not known. */
static const irl_expr *irl__supply_written(irl__supply_writer *x, const irl_expr *const *cell,
                                         const irl__access *r)
{
    uint8_t is_open[IRL__SUPPLY_LOOPS + 1];
    if (!irl__supply_solve(x, cell)) return NULL;
    for (int k = 0; k < x->count; k++) is_open[k] = !x->vars[k].at || x->vars[k].is_least;
    if (!irl__supply_is_free(x, is_open)) x->is_only = 0;
    for (int k = 0; k < x->count; k++)
        if (!x->vars[k].at && !(x->vars[k].at = irl__supply_first(x, &x->vars[k]))) return NULL;
    return irl__supply_condition(x, cell, x->w < r);
}

typedef struct irl__covering {
    irl__accesses     *t;
    const irl__access *r;
    const irl__around *within;
    irl__system       *system;
    const irl_expr    *cell[IRL_MAX_RANK]; /* what is read, of one lane */
    const char        *doubt;              /* why what no writer is known to write may be written */
    int                writers;
} irl__covering;

static int irl__covering_cell(irl__covering *c)
{
    irl_ctx           *cx = c->t->cx;
    const irl__access *r = c->r;
    const irl_expr    *lane = NULL;
    if (r->lanes > 1) {
        lane = irl_expr_var(cx, "lane", irl__type_index());
        irl__system_require_below(c->system, 0, lane, irl_expr_index(cx, (int64_t)r->lanes));
    }
    for (int k = 0; k < r->rank; k++) {
        c->cell[k] = irl__accesses_plain(c->t, r->indices[k]);
        if (c->cell[k] && lane) c->cell[k] = irl__index_lane(cx, c->cell[k], lane);
        if (!irl__supply_is_small(c->cell[k])) return 0;
        irl__system_require_below(c->system, 0, c->cell[k], r->buffer->shape[k]);
    }
    return irl__ok(cx);
}

static void irl__covering_doubt(irl__covering *c, const irl__access *w, const char *why)
{
    if (!c->doubt && irl__reaches(c->t, w, c->r, c->within, NULL) != IRL_NO) c->doubt = why;
}

/* Requires that w has not written it. */
static void irl__covering_writer(irl__covering *c, const irl__access *w)
{
    irl__supply_writer x;
    const irl_expr    *written;
    if (w->kind == IRL__ACCESS_OPAQUE) {
        irl__covering_doubt(c, w, irl__supply_calls);
        return;
    }
    if (w->buffer != c->r->buffer || w->is_texel || w->buffer->strides) {
        irl__covering_doubt(c, w, irl__supply_views);
        if (w->buffer != c->r->buffer || w->is_texel) return;
    }
    if (++c->writers > IRL__SUPPLY_WRITERS) {
        irl__covering_doubt(c, w, irl__supply_many);
        return;
    }
    written = irl__supply_writer_begin(&x, c->t, w, c->r, c->within)
                  ? irl__supply_written(&x, c->cell, c->r)
                  : NULL;
    if (!written || !x.is_only) irl__covering_doubt(c, w, irl__supply_solved);
    if (written)
        irl__system_require(c->system, 0, irl_expr_op1(c->t->cx, IRL_OP_NOT, written));
}

static irl_answer irl__covering_decide(irl__covering *c, irl__meeting *m)
{
    irl_answer open = irl__system_decide(c->system);
    if (open == IRL_NO) return IRL_YES;
    if (open == IRL_YES && !c->doubt) {
        m->count = c->system->found_count;
        memcpy(m->values, c->system->found, (size_t)m->count * sizeof *m->values);
        return IRL_NO;
    }
    m->reason = c->doubt ? c->doubt : c->system->why;
    return IRL_UNKNOWN;
}

/* All writers, in order, whose memory may be that of the read. */
static void irl__covering_writers(irl__covering *c)
{
    irl__accesses *t = c->t;
    const int      first = c->within ? c->within->first : 0;
    const int      end = c->within ? c->within->end : t->count;
    const irl__memory_rows *own =
        (const irl__memory_rows *)irl__ptr_map_get(&t->of_memory, c->r->memory);
    const int last = t->is_strange ? end - 1 : own->last;
    int      *list, count = 0, w;
    for (w = last; w >= first; w = t->is_strange ? w - 1 : t->list[w].previous) count++;
    list = IRL__SCRATCH(t->cx, int, count + 1);
    if (!list) return;
    count = 0;
    for (w = last; w >= first; w = t->is_strange ? w - 1 : t->list[w].previous)
        if (w < end) list[count++] = w;
    while (count-- > 0) {
        const irl__access *writer = &t->list[list[count]];
        if (irl__supply_writes(writer) && irl__access_alias(t, writer, c->r) != IRL_NO)
            irl__covering_writer(c, writer);
    }
}

irl_answer irl__covered(irl__accesses *t, const irl__access *r, const irl__around *within,
                        irl__meeting *m)
{
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__covering   c;
    irl__meeting    own;
    if (!m) m = &own;
    memset(m, 0, sizeof *m);
    memset(&c, 0, sizeof c);
    m->answer = IRL_UNKNOWN;
    m->a = m->b = r;
    c.t = t;
    c.r = r;
    /* Memory that is allocated inside of a loop is another one in each of its iterations. */
    const irl__around *n = r->allocation;
    n = n ? irl__around_owner(n->outer, n) : NULL;
    c.within = n && (!within || n->loop_count > within->loop_count) ? n : within;
    c.system = IRL__SCRATCH(t->cx, irl__system, 1);
    int ok = c.system && r->buffer && r->kind == IRL__ACCESS_READ && !r->is_texel;
    if (!ok) m->reason = irl__supply_calls;
    if (ok) {
        irl__enter_begin(c.system, t, IRL__PAIR_STEPS);
        irl__enter(c.system, t, 0, r->around, NULL);
        ok = irl__covering_cell(&c);
        if (!ok) m->reason = irl__supply_solved;
    }
    if (ok) irl__covering_writers(&c);
    if (ok && irl__ok(t->cx)) m->answer = irl__covering_decide(&c, m);
    irl__scratch_end(t->cx, mark);
    return m->answer;
}
