/* proof.c - why unpacking gives back what was packed: the chain of substitutions, printed.

   needs     pack.c, the simplifier, program.c
   promises  every line that is printed follows from the one above for all values in the stated
             ranges, and says why: by the rule of rules.h that is written next to it; by the ranges;
             by several rules, if it takes more than three; bit by bit; or because every case was
             examined. A step that cannot be shown so fails

   With pack   packed[cell] = unused(cell) ? padding : plain[inverse(cell)]
   and unpack  plain[i] = packed[layout(i)]
   the proof shows three things:
     1. inverse(layout(i)) is i: unpack after pack gives plain[i] back;
     2. unused(layout(i)) is false: what it reads is never padding;
     3. layout(inverse(cell)) is the cell, where unused(cell) is false, and inverse(cell) is in
        the shape: pack after unpack gives every used cell back, and every cell but the unused
        ones belongs to some point. */
#include "proof.h"

enum { IRL__PROOF_STEPS = 12, IRL__PROOF_WIDTH = 56, IRL__PROOF_DEPTH = 3, IRL__PROOF_RULES = 6 };

typedef struct irl__proof {
    irl_ctx            *cx;
    irl__text           text;
    const irl__packing *p;
    irl__analyzer      *points; /* knows the inputs' ranges */
    irl__analyzer      *cells;  /* knows the axes' ranges, and that the cell is used */
    irl__analyzer      *box;    /* knows the axes' ranges alone */
    irl__proof_rules    rules;
} irl__proof;

/* What a chain is about: variables in a box, of which those count that `unless` is false for. */
typedef struct irl__proof_domain {
    irl__analyzer  *an;
    int             rank;
    const irl_expr *const *vars, *const *extents;
    const int64_t  *counts; /* the extents as numbers; NULL where they have names in them */
    const irl_expr *unless; /* NULL: all count */
} irl__proof_domain;

/* ------------------------------------------------------------------ steps */

/* e with its innermost reducible parts simplified; e itself if there are none. */
static const irl_expr *irl__proof_step(irl_ctx *cx, irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *a[3];
    int             changed = 0;
    if (e->count == 0 || e->count > 3 || (e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)))
        return irl__simplify(an, e);
    for (uint32_t k = 0; k < e->count; k++) {
        a[k] = irl__proof_step(cx, an, e->a[k]);
        if (!a[k]) return NULL;
        changed |= a[k] != e->a[k];
    }
    if (!changed) return irl__simplify(an, e);
    if (e->count == 1) return irl_expr_op1(cx, (irl_op)e->op, a[0]);
    if (e->count == 2) return irl_expr_op2(cx, (irl_op)e->op, a[0], a[1]);
    return irl_expr_op3(cx, (irl_op)e->op, a[0], a[1], a[2]);
}

/* from == to at every place that counts: 1, 0 no or failed, -1 too many. */
static int irl__proof_looked_at(irl_ctx *cx, const irl__proof_domain *d, const irl_expr *from,
                                const irl_expr *to)
{
    const irl_expr *out[3];
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__program    p;
    irl__walk       w;
    int             n, i, ok = 1;
    out[0] = from;
    out[1] = to;
    out[2] = d->unless ? d->unless : irl__bool(cx, 0);
    if (!out[2] || !irl__program_make(cx, &p, NULL, d->rank, d->vars, 3, out)) ok = 0;
    else if (!irl__walk_begin(&w, d->rank, d->counts, IRL__MOST_CELLS)) ok = -1;
    while (ok > 0 && (n = irl__walk_next(&w, &p)) > 0) {
        ok = irl__program_run(&p, n);
        for (i = 0; ok && i < n; i++)
            ok = irl__program_output(&p, 2)[i] ||
                 irl__program_output(&p, 0)[i] == irl__program_output(&p, 1)[i];
    }
    irl__scratch_end(cx, mark);
    return ok;
}

/* "   = e", and the reason in a column of its own; on the next line where e is long. */
static void irl__proof_line(irl__proof *q, const irl_expr *e, const char *reason)
{
    size_t start = q->text.length, length;
    irl__text_puts(&q->text, "   = ");
    irl__print_expr(&q->text, e);
    length = q->text.length - start;
    if (length >= IRL__PROOF_WIDTH) {
        irl__text_putc(&q->text, '\n');
        length = 0;
    }
    while (length++ < IRL__PROOF_WIDTH) irl__text_putc(&q->text, ' ');
    irl__textf(&q->text, "  %s\n", reason);
}

/* from == to, bit by bit: both are linear over the bits of the variables. */
static int irl__proof_by_bits(const irl__proof_domain *d, const irl_expr *from, const irl_expr *to)
{
    irl__bit_space s;
    irl__bit_rows  a, b;
    if (!d->counts || !irl__bit_space_make(&s, d->rank, d->vars, d->counts) ||
        !irl__bit_rows_of(&s, from, &a) || !irl__bit_rows_of(&s, to, &b))
        return 0;
    return a.constant == b.constant && memcmp(a.row, b.row, sizeof a.row) == 0;
}

/* The steps from e to what the rules make of it, at most IRL__PROOF_STEPS; their number. A
   condition takes one. */
static int irl__proof_steps(irl_ctx *cx, irl__analyzer *an, const irl_expr *e, const irl_expr *goal,
                            const irl_expr **steps)
{
    const irl_expr *last = irl__simplify(an, e), *next;
    int             count = 0;
    while (last && e != last && e != goal && count + 1 < IRL__PROOF_STEPS &&
           !irl__is_int(goal, 1)) {
        next = irl__proof_step(cx, an, e);
        if (!next || next == e) break;
        steps[count++] = e = next;
    }
    if (last && e != last && e != goal) { /* they ended elsewhere: all at once */
        count = 0;
        steps[count++] = last;
    }
    return count;
}

/* Why the end of a chain is its goal. The last two speak of its beginning. */
typedef enum irl__proof_reason {
    IRL__NO_REASON,
    IRL__BY_RANGE,
    IRL__BY_DIFFERENCE,
    IRL__BY_BITS,
    IRL__BY_CASES
} irl__proof_reason;
static const char *const irl__proof_reasons[] = {
    "", "which has only this value", "their difference is 0 by the rules",
    "bit by bit: each is the exclusive or of the same bits", "in every case: all were examined"
};

/* Why e, which the rules cannot simplify further, is the goal. `from` is what it was at first. */
static irl__proof_reason irl__proof_find_reason(irl__proof *q, const irl__proof_domain *d,
                                                const irl_expr *from, const irl_expr *e,
                                                const irl_expr *goal)
{
    if (e == irl__simplify(d->an, goal)) return IRL__BY_RANGE;
    if (irl__prove_equal(d->an, e, goal)) return IRL__BY_DIFFERENCE;
    if (irl__proof_by_bits(d, from, goal)) return IRL__BY_BITS;
    int r = !d->counts ? -1 : irl__ok(q->cx) ? irl__proof_looked_at(q->cx, d, from, goal) : 0;
    if (r > 0) return IRL__BY_CASES;
    if (irl__ok(q->cx))
        irl__fail(q->cx, IRL_ERROR_UNDECIDED, q->p->map->loc, "a step of the proof is %s: %s = %s",
                  !d->counts ? "not found"
                  : r < 0    ? "too large to look at"
                             : "refuted",
                  irl_expr_text(q->cx, from), irl_expr_text(q->cx, goal));
    return IRL__NO_REASON;
}

/* What a line owes to what. */
typedef struct irl__proof_debts {
    int                    count, ranges, used_cell;
    const irl__proof_rule *rule[IRL__PROOF_RULES];
} irl__proof_debts;

static void irl__proof_owe(irl__proof_debts *w, int count, const irl__explained *steps)
{
    int j;
    for (int k = 0; k < count; k++) {
        for (j = 0; j < w->count && w->rule[j] != steps[k].rule; j++) continue;
        if (j == w->count && j < IRL__PROOF_RULES) w->rule[w->count++] = steps[k].rule;
    }
}

/* The fewest applications of rules that lead there; -1: none are known. */
static int irl__proof_search(irl__proof *q, const irl__proof_domain *d, const irl_expr *from,
                             const irl_expr *to, irl__explained *steps)
{
    int depth, count = -1;
    for (depth = 0; depth <= IRL__PROOF_DEPTH && count < 0; depth++)
        count = irl__explain(&q->rules, d->an, from, to, depth, steps);
    return count;
}

/* Why `from` is `to`, which the simplifier made of it: by what its parts owe; else by what all of
   it owes. */
static int irl__proof_explain(irl__proof *q, const irl__proof_domain *d, const irl_expr *from,
                              const irl_expr *to, irl__proof_debts *w)
{
    irl__explained   steps[IRL__PROOF_DEPTH];
    const irl_expr  *plain;
    irl__proof_debts parts = *w;
    int64_t          lo, hi;
    uint32_t         k;
    if (from == to) return 1;
    if (to->op == IRL_OP_INT && to->type.scalar != IRL_BOOL) {
        irl__range(d->an, from, &lo, &hi);
        if (lo == to->u.i && hi == to->u.i) return w->ranges = 1;
    }
    if (to->op == IRL_OP_INT && to->type.scalar == IRL_BOOL) {
        plain = to->u.i ? from : irl_expr_op1(q->cx, IRL_OP_NOT, from);
        w->ranges = 1;
        w->used_cell |= d->unless && plain && !irl__prove(q->box, plain);
        return 1;
    }
    for (k = 0; from->op == to->op && from->count == to->count && k < from->count; k++)
        if (!irl__proof_explain(q, d, from->a[k], to->a[k], &parts)) break;
    if (from->op == to->op && from->count == to->count && k > 0 && k == from->count)
        return *w = parts, 1;
    int count = irl__proof_search(q, d, from, to, steps);
    if (count > 0) irl__proof_owe(w, count, steps);
    return count >= 0;
}

/* "DIV_FACTOR_CELL: (x*n + y)/n is x, as 0 <= y && y < n"; names alone where there are several. */
static const char *irl__proof_debts_text(irl__proof *q, const irl__proof_debts *w)
{
    irl__text t;
    irl__text_init(&t, q->cx);
    for (int k = 0; k < w->count; k++) irl__textf(&t, k ? ", %s" : "%s", w->rule[k]->name);
    if (w->count == 1) irl__textf(&t, ": %s is %s", w->rule[0]->before, w->rule[0]->after);
    if (w->count == 1 && w->rule[0]->facts[0]) irl__textf(&t, ", as %s", w->rule[0]->facts);
    if (w->ranges)
        irl__textf(&t, "%sby the ranges%s", w->count ? "; " : "",
                   w->used_cell ? ", in a used cell" : "");
    if (t.length == 0) irl__text_puts(&t, "the same terms");
    const char *text = irl__text_done(&t);
    return text ? text : "";
}

static void irl__proof_explained_line(irl__proof *q, const irl__proof_domain *d,
                                      const irl_expr *from, const irl_expr *to)
{
    irl__proof_debts w;
    memset(&w, 0, sizeof w);
    irl__proof_line(q, to,
                    irl__proof_explain(q, d, from, to, &w) ? irl__proof_debts_text(q, &w)
                                                           : "by several rules");
}

/* A line for each rule where a few of them lead from e to the last step; else one for each step. */
static void irl__proof_lines(irl__proof *q, const irl__proof_domain *d, const irl_expr *e,
                             int count, const irl_expr *const *steps)
{
    irl__explained   rules[IRL__PROOF_DEPTH];
    irl__proof_debts w;
    int              k, few = count > 1 ? irl__proof_search(q, d, e, steps[count - 1], rules) : -1;
    for (k = 0; k < few; k++) {
        memset(&w, 0, sizeof w);
        irl__proof_owe(&w, 1, &rules[k]);
        irl__proof_line(q, rules[k].to, irl__proof_debts_text(q, &w));
    }
    for (k = 0; few <= 0 && k < count && irl__ok(q->cx); k++)
        irl__proof_explained_line(q, d, k ? steps[k - 1] : e, steps[k]);
}

/* from = ... = goal, a line for each step. Steps that lead to no end are not shown. */
static int irl__proof_chain(irl__proof *q, const irl__proof_domain *d, const irl_expr *from,
                            const irl_expr *goal)
{
    const irl_expr   *steps[IRL__PROOF_STEPS], *e;
    irl__proof_reason reason = IRL__NO_REASON;
    int               count = irl__proof_steps(q->cx, d->an, from, goal, steps);
    e = count ? steps[count - 1] : from;
    if (e != goal) reason = irl__proof_find_reason(q, d, from, e, goal);
    if (e != goal && reason == IRL__NO_REASON) return 0;
    if (reason >= IRL__BY_BITS) count = 0;
    irl__proof_lines(q, d, from, count, steps);
    if (e != goal) irl__proof_line(q, goal, irl__proof_reasons[reason]);
    return irl__ok(q->cx);
}

/* ------------------------------------------------------------------ the parts */

/* What variables stand for. */
typedef struct irl__proof_names {
    int             count;
    const irl_expr *const *vars, *const *values;
} irl__proof_names;

/* One value: its formula, the formula with the names' values put in, and so down to the goal. */
static int irl__proof_value(irl__proof *q, const irl__proof_domain *d, const char *name,
                            const irl_expr *formula, const irl__proof_names *names,
                            const irl_expr *goal)
{
    const irl_expr *e = irl__substitute(q->cx, formula, names->count, names->vars, names->values);
    if (!e) return 0;
    irl__textf(&q->text, "  %s: ", name);
    irl__print_expr(&q->text, formula);
    irl__text_putc(&q->text, '\n');
    if (e != formula) {
        /* axis1 is c / 4, axis4 is c % 4: those that are in e. */
        irl__text t;
        irl__text_init(&t, q->cx);
        for (int k = 0; k < names->count; k++) {
            if (!irl__expr_uses_var(formula, names->vars[k])) continue;
            irl__textf(&t, "%s%s is ", t.length ? ", " : "", names->vars[k]->u.name);
            irl__print_expr(&t, names->values[k]);
        }
        const char *text = irl__text_done(&t);
        irl__proof_line(q, e, text ? text : "");
    }
    return irl__proof_chain(q, d, e, goal);
}

/* "o = 0..5, i = 0..N - 1", or "none". */
static void irl__proof_ranges(irl__proof *q, int count, const irl_expr *const *vars,
                              const irl_expr *const *extents)
{
    int k;
    for (k = 0; k < count && !irl__is_int(extents[k], 0); k++) continue;
    if (k < count) irl__text_puts(&q->text, "none");
    for (k = k < count ? count : 0; k < count; k++) {
        const irl_expr *last = irl__sub(q->cx, extents[k], irl_expr_index(q->cx, 1));
        last = last ? irl__simplify_alone(q->cx, last) : NULL;
        if (!last) return;
        irl__textf(&q->text, "%s%s = 0..", k ? ", " : "", vars[k]->u.name);
        irl__print_expr(&q->text, last);
    }
}

static void irl__proof_head(irl__proof *q)
{
    const irl__packing *p = q->p;
    irl__textf(&q->text, "layout   ");
    irl__print_map(&q->text, p->map);
    irl__textf(&q->text, "\n         %s, proved by %s\n", p->verdict, p->method);
    irl__text_puts(&q->text, "inverse  ");
    irl__print_map(&q->text, p->inverse);
    if (p->where) {
        irl__text_puts(&q->text, "\nwhere    ");
        irl__print_expr(&q->text, p->where);
    }
    irl__text_puts(&q->text, "\npoints   ");
    irl__proof_ranges(q, p->map->input_count, p->map->inputs, p->shape);
    irl__text_puts(&q->text, "\ncells    ");
    irl__proof_ranges(q, p->map->output_count, p->axes, p->memory);
    irl__text_puts(&q->text, "\nunused   ");
    if (p->spare) irl__print_expr(&q->text, p->spare);
    else irl__text_puts(&q->text, "none");
    irl__text_putc(&q->text, '\n');
}

/* 1 and 2: from a point to its cell and back. */
static int irl__proof_points(irl__proof *q)
{
    const irl__packing *p = q->p;
    irl__proof_domain   d;
    irl__proof_names    layout;
    d.an = q->points;
    d.rank = p->map->input_count;
    d.vars = p->map->inputs;
    d.extents = p->shape;
    d.counts = p->is_counted ? p->points.extent : NULL;
    d.unless = NULL;
    layout.count = p->map->output_count;
    layout.vars = p->axes;
    layout.values = p->map->outputs;
    irl__text_puts(&q->text, "\n1. inverse(layout(point)) is the point, for every point\n");
    for (int k = 0; k < p->map->input_count; k++)
        if (!irl__proof_value(q, &d, p->map->inputs[k]->u.name, p->inverse->outputs[k], &layout,
                              p->map->inputs[k]))
            return 0;
    irl__text_puts(&q->text, "\n2. no point goes to an unused cell\n");
    if (p->spare)
        return irl__proof_value(q, &d, "unused", p->spare, &layout, irl__bool(q->cx, 0));
    irl__text_puts(&q->text, "  there is none\n");
    return 1;
}

/* 0 <= x < extent, where that is not plain from two constants. */
static int irl__proof_inside(irl__proof *q, const irl__proof_domain *d, const char *name,
                             const irl_expr *x, const irl_expr *extent)
{
    static const    irl__proof_names nothing = { 0, NULL, NULL };
    const irl_expr *inside;
    if (x->op == IRL_OP_INT && extent->op == IRL_OP_INT && x->u.i >= 0 && x->u.i < extent->u.i)
        return 1;
    inside =
        irl_expr_op2(q->cx, IRL_OP_AND, irl_expr_op2(q->cx, IRL_OP_GE, x, irl_expr_index(q->cx, 0)),
                     irl_expr_op2(q->cx, IRL_OP_LT, x, extent));
    return inside && irl__proof_value(q, d, name, inside, &nothing, irl__bool(q->cx, 1));
}

/* 3: from a used cell to its point and back. */
static int irl__proof_cells(irl__proof *q)
{
    const irl__packing *p = q->p;
    irl__proof_domain   d;
    irl__proof_names    inverse;
    d.an = q->cells;
    d.rank = p->map->output_count;
    d.vars = p->axes;
    d.extents = p->memory;
    d.counts = p->is_counted ? p->cells.extent : NULL;
    d.unless = p->spare;
    inverse.count = p->map->input_count;
    inverse.vars = p->map->inputs;
    inverse.values = p->inverse->outputs;
    irl__textf(&q->text,
               "\n3. every %scell is the cell of some point: inverse(cell) is in the shape, and "
               "layout(inverse(cell)) is the cell\n",
               p->spare ? "other " : "");
    for (int k = 0; k < p->map->input_count; k++)
        if (!irl__proof_inside(q, &d, p->map->inputs[k]->u.name, p->inverse->outputs[k],
                               p->shape[k]))
            return 0;
    for (int k = 0; k < p->map->output_count; k++)
        if (!irl__proof_value(q, &d, p->axes[k]->u.name, p->map->outputs[k], &inverse, p->axes[k]))
            return 0;
    return 1;
}

/* A shape without points has nothing to pack. */
static int irl__proof_is_empty(irl__proof *q)
{
    for (int k = 0; k < q->p->map->input_count; k++)
        if (irl__is_int(q->p->shape[k], 0))
            return irl__text_puts(
                       &q->text,
                       "\nthere is no point: nothing is packed, and nothing is to be proved\n"),
                   1;
    return 0;
}

static int irl__proof_begin(irl__proof *q, const irl__packing *p)
{
    memset(q, 0, sizeof *q);
    q->cx = p->cx;
    q->p = p;
    irl__text_init(&q->text, p->cx);
    q->points = irl__packing_analyzer(p, p->map->input_count, p->map->inputs, p->shape);
    q->cells = irl__packing_analyzer(p, p->map->output_count, p->axes, p->memory);
    q->box = irl__packing_analyzer(p, p->map->output_count, p->axes, p->memory);
    if (!q->points || !q->cells || !q->box || !irl__proof_rules_open(&q->rules, p->cx)) return 0;
    return !p->spare || irl__fact(q->cells, irl_expr_op1(p->cx, IRL_OP_NOT, p->spare));
}

/* The map with inputs that a reader can tell apart: i0, i1, ... where two have one name, or the
   name of an axis. */
static const irl_map *irl__proof_named(irl_ctx *cx, const irl_map *map)
{
    const irl_expr *out[IRL_MAX_RANK];
    int             k, j, clear = 1;
    for (k = 0; k < map->input_count; k++) {
        clear &= strncmp(map->inputs[k]->u.name, "axis", 4) != 0;
        for (j = 0; j < k; j++) clear &= map->inputs[j]->u.name != map->inputs[k]->u.name;
    }
    if (clear) return map;
    const irl_map *id = irl_map_identity(cx, map->input_count);
    if (!id || !irl__map_substitute(cx, map, id->inputs, out)) return NULL;
    return irl__map_make(cx, id->input_count, id->inputs, map->output_count, out,
                         map->separator_count, map->separators, map->loc);
}

const char *irl__proof_text(const irl__packing *p)
{
    irl_ctx   *cx = p->cx;
    irl__proof q;
    if (!p->inverse) {
        irl__fail(cx, IRL_ERROR_UNDECIDED, p->map->loc,
                  "the map is %s, proved by %s: its inverse is not a formula, and the proof is the "
                  "enumeration of every point",
                  p->verdict, p->method);
        return NULL;
    }
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             ok = irl__proof_begin(&q, p);
    if (ok) irl__proof_head(&q);
    ok = ok && (irl__proof_is_empty(&q) || (irl__proof_points(&q) && irl__proof_cells(&q)));
    irl__scratch_end(cx, mark);
    return ok ? irl__text_done(&q.text) : NULL;
}

const char *irl_map_roundtrip_proof(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    irl__packing p;
    map = irl__map_for_shape(cx, map, &shape);
    map = map ? irl__proof_named(cx, map) : NULL;
    return irl__text_or_empty(
        map && irl__packing_of(cx, map, shape, &p) ? irl__proof_text(&p) : NULL);
}
