/* cost.c - what an access and its statement cost: iterations, operators, cells, bytes, lines,
   texels.

   needs     boxes.c, lattice.c; the table of accesses
   promises  an EXACT count equals the result of counting one by one; AT_MOST is never less
   cost      that of the boxes: microseconds if nothing is cut */
#include "analysis.h"
#include "../sets/boxes.h"

enum { IRL__COST_LINE = 64 };

/* ------------------------------------------------------------------ what is touched */

/* The boxes of all rows, in one list. */
typedef struct irl__cost_parts {
    irl__lattice *list;
    int           cells_unknown, cells_exact, lines_known;
    int64_t       width;
} irl__cost_parts;

/* Is the buffer a part of another one: do its elements lie somewhere else? */
static int irl__cost_is_match(const irl__around *n, const irl_buffer *b)
{
    for (n = irl__around_binder(n); n; n = irl__around_binder(n->outer))
        if (n->match && n->buffer == b) return 1;
    return 0;
}

static int irl__cost_row(irl__accesses *t, const irl__cost_question *q, int k,
                         irl__cost_parts *parts, irl__cost *out)
{
    const irl__access  *a = &t->list[q->rows[k]];
    const int           is_counted = a->buffer && a->kind != IRL__ACCESS_OPAQUE && !a->is_texel;
    const int64_t       width = is_counted ? (int64_t)irl__type_bytes(a->buffer->type) : 0;
    irl__boxes_question one;
    irl__boxes_answer   found;
    memset(&one, 0, sizeof one);
    one.cx = t->cx;
    one.given = irl__enter_list(t, a->around, NULL, q->runs, &one.given_count);
    one.value_count = q->value_count;
    one.values = q->values;
    one.buffer = is_counted ? a->buffer : NULL;
    one.indices = a->indices;
    one.rank = a->rank;
    one.lanes = a->lanes;
    if (!one.given || !irl__boxes_of(&one, &found)) return 0;
    if (!is_counted)
        found.reason = a->is_texel ? "accesses to texels are not counted"
                                   : "the memory is passed to a call";
    if (k == 0) {
        out->iterations_are = found.is_unknown ? IRL_COUNT_UNKNOWN
                              : found.is_exact ? IRL_COUNT_EXACT
                                               : IRL_COUNT_AT_MOST;
        out->iterations = found.is_unknown ? 0 : found.iterations;
        parts->width = width;
    }
    out->boxes += found.boxes;
    out->one_by_one += found.one_by_one;
    if (!out->reason) out->reason = found.reason;
    parts->cells_unknown |= found.cells_unknown || width != parts->width;
    parts->cells_exact &= found.cells_exact;
    parts->lines_known &= is_counted && !a->buffer->separator_count &&
                          !irl__cost_is_match(a->around, a->buffer);
    if (k == 0) {
        parts->list = found.list;
        return 1;
    }
    for (int j = 0; j < (int)stbds_arrlen(found.list); j++)
        if (!IRL__PUSH_SCRATCH(t->cx, parts->list, found.list[j])) return 0;
    return 1;
}

static irl_exactness irl__cost_exactness(int is_exact)
{
    return is_exact ? IRL_COUNT_EXACT : IRL_COUNT_AT_MOST;
}

/* No more cells are touched than there are lanes of iterations. */
static void irl__cost_cap(const irl__accesses *t, const irl__cost_question *q, irl__cost *out)
{
    int64_t most;
    if (q->count != 1 || out->cells_are != IRL_COUNT_AT_MOST ||
        out->iterations_are == IRL_COUNT_UNKNOWN ||
        !irl__mul64(out->iterations, t->list[q->rows[0]].lanes, &most))
        return;
    if (out->cells > most) out->cells = most;
}

static int irl__cost_count(irl__accesses *t, const irl__cost_question *q, irl__cost_parts *parts,
                           irl__cost *out)
{
    const irl_buffer *b = t->list[q->rows[0]].buffer;
    const int         count = (int)stbds_arrlen(parts->list);
    irl__touched      found;
    irl_type          scalar = b->type;
    int64_t           texel = 0;
    if (!irl__lattices_count(t->cx, parts->list, count, parts->width,
                             parts->lines_known ? q->line : 0, &found))
        return irl__ok(t->cx);
    out->cells = found.cells;
    out->cells_are = irl__cost_exactness(parts->cells_exact && found.is_exact);
    out->used_bits = found.used_bits;
    irl__cost_cap(t, q, out);
    if (!irl__mul64(out->cells, parts->width, &out->bytes)) out->cells_are = IRL_COUNT_UNKNOWN;
    if (parts->lines_known && q->line) {
        out->lines = found.lines;
        out->lines_are = irl__cost_exactness(parts->cells_exact && found.lines_exact);
    }
    if (irl__scope_is_image(b->scope)) texel = irl__texel_measure(b);
    scalar.lanes = 1;
    texel *= (int64_t)irl__type_bytes(scalar);
    if (texel <= 0 || texel > IRL__LATTICE_LINE) return 1;
    if (!irl__lattices_count(t->cx, parts->list, count, parts->width, texel, &found))
        return irl__ok(t->cx);
    out->texels = found.lines;
    out->texels_are = irl__cost_exactness(parts->cells_exact && found.lines_exact);
    return 1;
}

int irl__cost_of(irl__accesses *t, const irl__cost_question *q, irl__cost *out)
{
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__cost_parts parts;
    int             k, ok = 1;
    memset(out, 0, sizeof *out);
    memset(&parts, 0, sizeof parts);
    parts.cells_exact = parts.lines_known = 1;
    for (k = 0; ok && k < q->count; k++) ok = irl__cost_row(t, q, k, &parts, out);
    if (ok && !parts.cells_unknown) ok = irl__cost_count(t, q, &parts, out);
    irl__scratch_end(t->cx, mark);
    return ok && irl__ok(t->cx);
}

/* ------------------------------------------------------------------ operators */

typedef struct irl__operations {
    int64_t floats, integers, specials;
    int     is_at_most; /* some stand where they are not always computed */
} irl__operations;

/* What computes no number: leaves, bindings, memory, lanes that change places, a choice between
   two numbers, a number as one of another type. */
static int irl__cost_is_free(const irl_expr *e)
{
    switch (e->op) {
    case IRL_OP_INT:
    case IRL_OP_FLOAT:
    case IRL_OP_VAR:
    case IRL_OP_UNDEF:
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
    case IRL_OP_CAST:
    case IRL_OP_REINTERPRET:
    case IRL_OP_RAMP:
    case IRL_OP_BROADCAST:
    case IRL_OP_SHUFFLE:
    case IRL_OP_LANE:
    case IRL_OP_LET:
    case IRL_OP_LOAD:
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC: return 1;
    default: return 0;
    }
}

static void irl__cost_expr(irl__operations *out, const irl_expr *e, int is_maybe)
{
    if (!irl__cost_is_free(e)) {
        const irl_type of = e->a[e->count - 1]->type;
        const int64_t  lanes = e->type.lanes > of.lanes ? e->type.lanes : of.lanes;
        if (e->op == IRL_OP_DIV || e->op == IRL_OP_SQRT || e->op == IRL_OP_RSQRT ||
            irl__op_is_transcendental((irl_op)e->op))
            out->specials += lanes;
        else if (!irl__type_is_integer(of) && of.scalar != IRL_BOOL)
            out->floats += e->op == IRL_OP_FMA ? 2 * lanes : lanes;
        else out->integers += lanes;
        out->is_at_most |= is_maybe;
    }
    for (uint32_t k = 0; k < e->count; k++)
        irl__cost_expr(out, e->a[k], is_maybe || irl__expr_when(e, k) >= 0);
}

/* Operators of one run of a statement that is no loop: its values, indices and conditions. */
static irl__operations irl__operations_of(const irl_stmt *s)
{
    irl__operations out;
    int             k;
    memset(&out, 0, sizeof out);
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
        for (k = 0; k < s->u.store.buffer->rank; k++)
            irl__cost_expr(&out, s->u.store.indices[k], 0);
        irl__cost_expr(&out, s->u.store.value, 0);
        break;
    case IRL__LET: irl__cost_expr(&out, s->u.let.value, 0); break;
    case IRL__EVALUATE: irl__cost_expr(&out, s->u.evaluate.value, 0); break;
    case IRL__IF: irl__cost_expr(&out, s->u.branch.condition, 0); break;
    case IRL__ASSUME:
    case IRL__ASSERT: irl__cost_expr(&out, s->u.check.condition, 0); break;
    default: break;
    }
    return out;
}

/* ------------------------------------------------------------------ irl_func_cost */

static irl_count irl__cost_number(irl_exactness exactness, int64_t value)
{
    irl_count c;
    memset(&c, 0, sizeof c);
    c.exactness = exactness;
    c.value = exactness == IRL_COUNT_UNKNOWN ? 0 : value;
    return c;
}

static irl_count irl__cost_times(const irl__cost *c, const irl__operations *o, int64_t each)
{
    int64_t       all;
    irl_exactness exactness = c->iterations_are;
    if (each == 0) return irl__cost_number(IRL_COUNT_EXACT, 0);
    if (!irl__mul64(each, c->iterations, &all)) exactness = IRL_COUNT_UNKNOWN, all = 0;
    if (o->is_at_most && exactness == IRL_COUNT_EXACT) exactness = IRL_COUNT_AT_MOST;
    return irl__cost_number(exactness, all);
}

/* `each` times a formula; nothing where there is none. */
static void irl__cost_formula(irl_ctx *cx, irl_count *c, irl_exactness is, const irl_expr *formula,
                              int64_t each)
{
    if (c->exactness == IRL_COUNT_EXACT || is == IRL_COUNT_UNKNOWN ||
        (c->exactness == IRL_COUNT_AT_MOST && is != IRL_COUNT_EXACT))
        return;
    c->formula = irl__size_mul(cx, formula, irl_expr_index(cx, each));
    if (c->formula) c->formula = irl__simplify_alone(cx, c->formula);
    if (c->formula) c->formula_is = is;
}

/* What names leave open. */
static int irl__cost_formulas(irl__accesses *t, const irl__cost_question *q, const irl_stmt *place,
                              irl_cost *out)
{
    const irl__operations o = irl__operations_of(place);
    irl__tally            f;
    irl_exactness         each;
    if (!irl__tally_of(t, q, &f)) return 0;
    each = o.is_at_most && f.iterations_are == IRL_COUNT_EXACT ? IRL_COUNT_AT_MOST
                                                              : f.iterations_are;
    irl__cost_formula(t->cx, &out->iterations, f.iterations_are, f.iterations, 1);
    irl__cost_formula(t->cx, &out->floats, each, f.iterations, o.floats);
    irl__cost_formula(t->cx, &out->integers, each, f.iterations, o.integers);
    irl__cost_formula(t->cx, &out->specials, each, f.iterations, o.specials);
    irl__cost_formula(t->cx, &out->cells, f.cells_are, f.cells, 1);
    if (f.cells)
        irl__cost_formula(t->cx, &out->bytes, f.cells_are, f.cells,
                          (int64_t)irl__type_bytes(t->list[q->rows[0]].buffer->type));
    if (f.reason) out->reason = f.reason;
    return 1;
}

static int irl__cost_is_bad(irl_ctx *cx, const char *what)
{
    IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "%s", what);
    return 0;
}

/* The rows and loops of the caller's options. False, with a diagnostic, where one is none. */
static int irl__cost_options(irl__accesses *t, int access, const irl_cost_options *how,
                             irl__cost_question *q)
{
    const int loops = (int)stbds_arrlen(t->loops);
    /* asked for each access: an array of all loops only where the caller names loops */
    uint8_t *runs =
        how->loops ? (uint8_t *)irl__scratch_alloc(t->cx, (size_t)loops + 1, 1) : NULL;
    int *rows = IRL__SCRATCH(t->cx, int, how->with_count + 1);
    if ((how->loops && !runs) || !rows) return 0;
    if (how->line_bytes < 0 || how->line_bytes > IRL__LATTICE_LINE)
        return irl__cost_is_bad(t->cx, "a line has 1 to 4096 bytes");
    for (int k = 0; k <= how->with_count; k++) {
        rows[k] = k ? how->with[k - 1] : access;
        if (rows[k] < 0 || rows[k] >= t->count)
            return irl__cost_is_bad(t->cx, "there is no access with this number");
        if (t->list[rows[k]].memory != t->list[access].memory)
            return irl__cost_is_bad(t->cx, "accesses that are counted together must be to one "
                                           "memory");
    }
    for (int k = 0; how->loops && k < how->loop_count; k++) {
        if (how->loops[k] < 0 || how->loops[k] >= loops)
            return irl__cost_is_bad(t->cx, "there is no loop with this number");
        runs[how->loops[k]] = 1;
    }
    q->count = how->with_count + 1;
    q->rows = rows;
    q->runs = runs;
    q->value_count = how->value_count;
    q->values = how->values;
    q->line = how->line_bytes ? how->line_bytes : IRL__COST_LINE;
    return 1;
}

/* What the options ask of one access, into `out`. False on failure. */
static int irl__cost_answer(irl__accesses *t, int access, const irl_cost_options *how,
                            irl_cost *out)
{
    irl__arena_mark    mark = irl__scratch_begin(t->cx);
    irl__cost_question q;
    irl__cost          c;
    memset(&q, 0, sizeof q);
    int ok = irl__cost_options(t, access, how, &q) && irl__cost_of(t, &q, &c);
    if (ok) {
        const irl__operations o = irl__operations_of(t->list[access].place);
        out->iterations = irl__cost_number(c.iterations_are, c.iterations);
        out->floats = irl__cost_times(&c, &o, o.floats);
        out->integers = irl__cost_times(&c, &o, o.integers);
        out->specials = irl__cost_times(&c, &o, o.specials);
        out->cells = irl__cost_number(c.cells_are, c.cells);
        out->bytes = irl__cost_number(c.cells_are, c.bytes);
        out->lines = irl__cost_number(c.lines_are, c.lines);
        out->texels = irl__cost_number(c.texels_are, c.texels);
        out->reason = c.reason ? c.reason : "";
    }
    if (ok && out->iterations.exactness == IRL_COUNT_UNKNOWN)
        ok = irl__cost_formulas(t, &q, t->list[access].place, out);
    irl__scratch_end(t->cx, mark);
    return ok;
}

/* The costs of rows first .. end - 1. */
static const irl_cost *irl__cost_rows(irl__accesses *t, int first, int end,
                                      const irl_cost_options *how)
{
    irl_cost_options none;
    irl_cost        *out = IRL__NEW(t->cx, irl_cost, (size_t)(end - first) + 1);
    memset(&none, 0, sizeof none);
    for (int k = first; out && k < end; k++)
        if (!irl__cost_answer(t, k, how ? how : &none, &out[k - first])) return NULL;
    return out;
}

static const irl_cost *irl__cost_ask(const irl_func *f, int access, int is_all,
                                     const irl_cost_options *how)
{
    irl__query      q;
    const irl_cost *out = NULL;
    if (!irl__query_begin(&q, f)) return NULL;
    if (is_all) out = irl__cost_rows(&q.t, 0, q.t.count, how);
    else if (access >= 0 && access < q.t.count)
        out = irl__cost_rows(&q.t, access, access + 1, how);
    else irl__cost_is_bad(q.cx, "there is no access with this number");
    return (const irl_cost *)irl__query_end(&q, out);
}

const irl_cost *irl_func_cost(const irl_func *f, int access, const irl_cost_options *how)
{
    return irl__cost_ask(f, access, 0, how);
}

const irl_cost *irl_func_costs(const irl_func *f, const irl_cost_options *how)
{
    return irl__cost_ask(f, 0, 1, how);
}
