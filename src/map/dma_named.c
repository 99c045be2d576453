/* dma_named.c - a list for a shape or a map with names: one nested copy with formulas.

   needs     the verdict for names, steps along a variable, dma_controller.c
   promises  for all values of the names from 1 on that keep `where`, the transfer copies what
             irl_dma_new would copy for these values, and its fields are within their limits
   cost      a proof for each axis and for each field; nothing is evaluated at points

   The offset in memory must be a sum of digits of the indices times strides. An axis whose extent
   is proved to be a multiple of m, where the offset has i / m or i % m, becomes two digits. */
#include "dma.h"

enum { IRL__DMA_DIGITS = 16 };

/* An axis, or a digit of one; strides in bytes. */
typedef struct irl__dma_digit {
    const irl_expr *var, *count, *plain, *memory;
} irl__dma_digit;

typedef struct irl__dma_names {
    irl_ctx               *cx;
    const irl_map         *map;
    const irl_dma_options *how;
    irl_verdict            verdict;
    irl_dma_named         *out;
    irl__analyzer         *names;  /* knows the names alone */
    const irl_expr        *offset; /* in memory, in elements */
    int                    count;
    irl__dma_digit         digit[IRL__DMA_DIGITS + 1];
} irl__dma_names;

static const irl_expr *irl__dma_index(const irl__dma_names *q, int64_t n)
{
    return irl_expr_index(q->cx, n);
}

static const irl_expr *irl__dma_short(const irl__dma_names *q, const irl_expr *e)
{
    return irl__simplify(q->names, e);
}

/* Knows the names, and that each digit is within its count. */
static irl__analyzer *irl__dma_digits_analyzer(const irl__dma_names *q)
{
    const irl_verdict *v = &q->verdict;
    irl__analyzer     *an =
        irl__analyzer_of_names(q->cx, v->parameter_count, v->parameters, v->where);
    for (int k = 0; an && k < q->count; k++)
        if (!irl__bind_extent(an, q->digit[k].var, irl__dma_index(q, 0), q->digit[k].count))
            an = NULL;
    return an;
}

/* ------------------------------------------------------------------ digits */

/* The least constant m of i / m or i % m in e, with i made of `var`, that divides `count`. */
static void irl__dma_least_modulus(const irl__dma_names *q, const irl_expr *e,
                                   const irl__dma_digit *digit, int64_t *least)
{
    if (!irl__expr_uses_var(e, digit->var) || !irl__work(q->cx, 1)) return;
    if ((e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) && e->a[1]->op == IRL_OP_INT) {
        const int64_t m = e->a[1]->u.i;
        if (m > 1 && (!*least || m < *least) &&
            irl__prove_equal(q->names, irl__floormod(q->cx, digit->count, e->a[1]),
                             irl__dma_index(q, 0)) &&
            !irl__prove_equal(q->names, digit->count, e->a[1]))
            *least = m;
    }
    for (uint32_t k = 0; k < e->count && e->op != IRL_OP_VAR; k++)
        irl__dma_least_modulus(q, e->a[k], digit, least);
}

/* Digit k becomes two: its quotient by m and its remainder. */
static int irl__dma_split_digit(irl__dma_names *q, int k, int64_t m)
{
    irl__dma_digit *high = &q->digit[k], *low = &q->digit[q->count];
    const irl_expr *var = high->var, *by = irl__dma_index(q, m);
    if (q->count == IRL__DMA_DIGITS) return 0;
    low->var = irl_expr_var(q->cx, "r", irl_type_of(IRL_INDEX, 1));
    high->var = irl_expr_var(q->cx, "q", irl_type_of(IRL_INDEX, 1));
    low->count = by;
    low->plain = high->plain;
    high->count = irl__dma_short(q, irl__floordiv(q->cx, high->count, by));
    high->plain = irl__dma_short(q, irl__mul(q->cx, high->plain, by));
    const irl_expr *sum = irl__add(q->cx, irl__mul(q->cx, high->var, by), low->var);
    q->count++;
    q->offset = irl__substitute(q->cx, q->offset, 1, &var, &sum);
    return q->offset != NULL;
}

static int irl__dma_is_fixed(const irl__dma_names *q, const irl_expr *e)
{
    for (int k = 0; k < q->count; k++)
        if (irl__expr_uses_var(e, q->digit[k].var)) return 0;
    return 1;
}

/* The strides of all digits in memory, digits taken apart until there are such. False with a
   diagnostic. */
static int irl__dma_strides(irl__dma_names *q)
{
    for (int k = 0; k < q->count;) {
        irl__analyzer  *an = irl__dma_digits_analyzer(q);
        int64_t         m = 0;
        if (!an || !(q->offset = irl__simplify(an, q->offset))) return 0;
        irl__dma_digit *digit = &q->digit[k];
        digit->memory = irl__step_along(an, q->offset, digit->var);
        if (!irl__ok(q->cx)) return 0;
        if (digit->memory && irl__dma_is_fixed(q, digit->memory)) {
            k++;
            continue;
        }
        irl__dma_least_modulus(q, q->offset, digit, &m);
        if (!irl__ok(q->cx)) return 0;
        if (!m || !irl__dma_split_digit(q, k, m))
            return irl__fail(q->cx, IRL_ERROR_UNDECIDED, q->map->loc, "no single nested copy is "
                             "known for all values of the names: the offset in memory, %s, is not "
                             "a sum of whole parts of the indices times strides; give the names "
                             "values", irl_expr_text(q->cx, q->offset));
        k = 0; /* the offset has changed: the others may be whole parts now */
    }
    return 1;
}

/* ------------------------------------------------------------------ levels */

static int irl__dma_same(const irl__dma_names *q, const irl_expr *a, const irl_expr *b)
{
    return irl__prove_equal(q->names, a, b);
}

/* ------------------------------------------------------------------ fields */

typedef struct irl__dma_named_try {
    irl_dma_named_level slot[IRL__DMA_DIGITS + 1];
    const irl_expr     *where;
    const char         *refused; /* the field that never holds its value; NULL: none */
} irl__dma_named_try;

/* least <= e <= most, or a field that cannot hold e. */
static void irl__dma_named_limit(const irl__dma_names *q, irl__dma_named_try *t, const char *field,
                                 const irl_expr *e, int64_t least, int64_t most)
{
    for (int side = 0; side < 2 && !t->refused; side++) {
        const irl_expr *fits = irl__dma_short(
            q, irl_expr_op2(q->cx, side ? IRL_OP_LE : IRL_OP_GE, e,
                            irl__dma_index(q, side ? most : least)));
        if (!fits || irl__prove(q->names, fits)) continue;
        if (irl__prove(q->names, irl_expr_op1(q->cx, IRL_OP_NOT, fits))) t->refused = field;
        else t->where = irl__and(q->cx, t->where, fits);
    }
}

static void irl__dma_named_fields(const irl__dma_names *q, irl__dma_named_try *t)
{
    const irl_dma_controller *c = q->out->controller;
    const int64_t   unit = c->steps_in_beats ? q->out->beat : 1;
    const int       blocks = c->block_levels ? c->block_levels : 2;
    const irl_expr *bytes = irl__dma_index(q, q->out->beat);
    int             has_step = 0;
    for (int k = 0; k < c->level_count; k++) {
        const irl_dma_named_level  *one = &t->slot[k];
        const irl_dma_level_limits *limit = &c->level[k];
        if (limit->most_count)
            irl__dma_named_limit(q, t, limit->count_field, one->count, 0, limit->most_count);
        if (k < blocks) bytes = irl__dma_short(q, irl__mul(q->cx, bytes, one->count));
        if (k == 0) continue;
        const irl_expr *unit_expr = irl__dma_index(q, unit);
        const int       no_source = irl__dma_same(q, one->source_step, irl__dma_index(q, 0)),
                  no_target = irl__dma_same(q, one->target_step, irl__dma_index(q, 0));
        has_step |= !no_source || !no_target;
        if (!no_source || limit->least_step > 0 || limit->most_step < 0)
            irl__dma_named_limit(q, t, limit->source_field,
                                 irl__floordiv(q->cx, one->source_step, unit_expr),
                                 limit->least_step, limit->most_step);
        if (!no_target || limit->least_step > 0 || limit->most_step < 0)
            irl__dma_named_limit(q, t, limit->target_field,
                                 irl__floordiv(q->cx, one->target_step, unit_expr),
                                 limit->least_step, limit->most_step);
        if (c->has_one_step && !no_source && !no_target &&
            !irl__dma_same(q, one->source_step, one->target_step) && !t->refused)
            t->refused = limit->source_field;
    }
    int64_t block = c->block_bytes;
    if (has_step && c->offset_block_bytes && (!block || c->offset_block_bytes < block))
        block = c->offset_block_bytes;
    if (block) irl__dma_named_limit(q, t, c->block_field, bytes, 0, block);
}

static irl_dma_named_level irl__dma_level_of(const irl__dma_names *q, const irl__dma_digit *d)
{
    irl_dma_named_level level;
    const int           unpack = q->how->unpack;
    level.count = d ? d->count : irl__dma_index(q, 1);
    level.source = !d ? irl__dma_index(q, 0) : unpack ? d->memory : d->plain;
    level.target = !d ? irl__dma_index(q, 0) : unpack ? d->plain : d->memory;
    level.source_step = level.source;
    level.target_step = level.target;
    return level;
}

/* The digits in slots: digit `run` in slot 0 (-1: a beat alone), the others by `order`. */
static void irl__dma_named_fill(const irl__dma_names *q, int run, const int *order,
                                irl__dma_named_try *t)
{
    const irl_dma_controller *c = q->out->controller;
    int                       rest[IRL__DMA_DIGITS + 1], n = 0;
    const irl_expr           *beat = irl__dma_index(q, q->out->beat);
    memset(t, 0, sizeof *t);
    for (int k = 0; k < q->count; k++)
        if (k != run) rest[n++] = k;
    t->slot[0] = irl__dma_level_of(q, run < 0 ? NULL : &q->digit[run]);
    if (run < 0)
        t->slot[0].source = t->slot[0].target = t->slot[0].source_step = t->slot[0].target_step =
            beat;
    for (int k = 1; k < c->level_count; k++) {
        irl_dma_named_level       *one = &t->slot[k];
        const irl_dma_named_level *in = one - 1;
        *one = irl__dma_level_of(q, k <= n ? &q->digit[rest[order[k - 1]]] : NULL);
        if (k > n || !c->is_relative) continue;
        one->source_step = irl__dma_short(
            q, irl__sub(q->cx, one->source, irl__mul(q->cx, in->source, in->count)));
        one->target_step = irl__dma_short(
            q, irl__sub(q->cx, one->target, irl__mul(q->cx, in->target, in->count)));
    }
    irl__dma_named_fields(q, t);
}

static int irl__dma_digit_runs(const irl__dma_names *q, const irl__dma_digit *d)
{
    irl_dma_level level;
    if (d->plain->op != IRL_OP_INT || d->memory->op != IRL_OP_INT) return 0;
    memset(&level, 0, sizeof level);
    level.source = d->plain->u.i;
    level.target = d->memory->u.i;
    return irl__dma_may_run(q->out->controller, q->out->beat, &level);
}

/* The slots whose conditions are the fewest. False with a diagnostic: no order fits. */
static int irl__dma_named_place(const irl__dma_names *q, irl__dma_named_try *best)
{
    static const int orders[6][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 0, 2, 1 },
                                      { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    static const int different[4] = { 1, 1, 2, 6 };
    const irl_dma_controller *c = q->out->controller;
    const char               *refused = NULL;
    int                       runs = 0;
    irl__dma_named_try        t;
    for (int run = q->count - 1; run >= -1; run--) {
        const int rest = q->count - (run >= 0);
        if (run >= 0 && !irl__dma_digit_runs(q, &q->digit[run])) continue;
        if (run < 0 && runs) break;
        runs++;
        if (rest > c->level_count - 1) {
            if (!refused) refused = "";
            continue;
        }
        for (int k = 0; k < different[rest]; k++) {
            irl__dma_named_fill(q, run, orders[k], &t);
            if (!irl__ok(q->cx)) return 0;
            if (!t.refused) {
                *best = t;
                if (!t.where) return 1;
            } else if (!refused || !*refused) refused = t.refused;
        }
    }
    if (best->slot[0].count) return 1;
    return irl__fail(q->cx, IRL_ERROR_DMA_LIMIT, q->map->loc,
                     *refused ? "%s: no value of the names fits %s; give the names values, and "
                                "split the list"
                              : "%s: the copy has more nested levels than the controller; give the "
                                "names values, and split the list%s",
                     c->name, refused);
}

/* ------------------------------------------------------------------ all */

/* The offset in memory, the axes as digits, their strides in the plain array in bytes. */
static int irl__dma_named_begin(irl__dma_names *q)
{
    irl_ctx               *cx = q->cx;
    const irl_expr *const *extent = irl__shape_extents(cx, &q->verdict.shape),
                   *const *memory = irl__shape_extents(cx, &q->verdict.memory);
    const irl_expr *stride = irl__dma_index(q, q->out->element);
    q->names = irl__dma_digits_analyzer(q);
    if (!extent || !memory || !q->names) return 0;
    q->offset = irl__dma_index(q, 0);
    for (int k = 0; k < q->map->output_count; k++)
        q->offset = irl__add(cx, irl__mul(cx, q->offset, memory[k]), q->map->outputs[k]);
    for (int k = q->map->input_count; k-- > 0;) {
        irl__dma_digit *d = &q->digit[q->count++];
        d->var = q->map->inputs[k];
        d->count = extent[k];
        d->plain = stride;
        stride = irl__dma_short(q, irl__mul(cx, stride, extent[k]));
    }
    return irl__ok(cx);
}

static int irl__dma_named_levels(irl__dma_names *q)
{
    const irl_expr *beat = irl__dma_index(q, q->out->beat), *zero = irl__dma_index(q, 0);
    for (int k = 0; k < q->count; k++) {
        q->offset = irl__substitute(q->cx, q->offset, 1, &q->digit[k].var, &zero);
        q->digit[k].memory = irl__dma_short(
            q, irl__mul(q->cx, q->digit[k].memory, irl__dma_index(q, q->out->element)));
    }
    const irl_expr *first = irl__dma_short(
        q, irl__mul(q->cx, q->offset, irl__dma_index(q, q->out->element)));
    if (!irl__ok(q->cx) || !first) return 0;
    q->out->source = q->how->unpack ? first : zero;
    q->out->target = q->how->unpack ? zero : first;
    if (q->out->element > q->out->beat) {
        irl__dma_digit *bytes = &q->digit[q->count++];
        bytes->var = NULL;
        bytes->count = irl__dma_index(q, q->out->element / q->out->beat);
        bytes->plain = bytes->memory = beat;
    }
    /* Digits that are adjacent in both memories are one; those of one value are none. */
    for (int k = 0; k < q->count; k++)
        if (irl__dma_same(q, q->digit[k].count, irl__dma_index(q, 1)))
            q->digit[k--] = q->digit[--q->count];
    for (int k = 0; k < q->count; k++)
        for (int j = 0; j < q->count; j++) {
            irl__dma_digit *in = &q->digit[k], *by = &q->digit[j];
            if (k == j || !irl__dma_same(q, by->plain, irl__mul(q->cx, in->plain, in->count)) ||
                !irl__dma_same(q, by->memory, irl__mul(q->cx, in->memory, in->count)))
                continue;
            in->count = irl__dma_short(q, irl__mul(q->cx, in->count, by->count));
            *by = q->digit[--q->count];
            k = j = -1; /* from the beginning */
            break;
        }
    /* The digits as levels, the least stride in the plain array first, of bytes. */
    for (int k = 1; k < q->count; k++)
        for (int j = k; j > 0; j--) {
            const irl__dma_digit one = q->digit[j];
            if (!irl__prove(q->names,
                            irl_expr_op2(q->cx, IRL_OP_LT, one.plain, q->digit[j - 1].plain)))
                break;
            q->digit[j] = q->digit[j - 1];
            q->digit[j - 1] = one;
        }
    return irl__ok(q->cx);
}

static int irl__dma_named_answer(irl__dma_names *q)
{
    irl__dma_named_try t;
    irl_dma_named     *out = q->out;
    memset(&t, 0, sizeof t);
    if (!irl__dma_named_begin(q) || !irl__dma_strides(q) || !irl__dma_named_levels(q)) return 0;
    out->level_count = out->controller ? out->controller->level_count : q->count;
    if (out->controller && !irl__dma_named_place(q, &t)) return 0;
    for (int k = 0; !out->controller && k < q->count; k++)
        t.slot[k] = irl__dma_level_of(q, &q->digit[k]);
    if (!out->level_count) {
        t.slot[0] = irl__dma_level_of(q, NULL);
        out->level_count = 1;
    }
    out->where = t.where || q->verdict.where ? irl__and(q->cx, q->verdict.where, t.where) : NULL;
    out->levels = IRL__COPY(q->cx, irl_dma_named_level, t.slot, out->level_count);
    return out->levels != NULL;
}

/* What is given, and the verdict. */
static int irl__dma_named_ask(irl__dma_names *q, irl_shape shape)
{
    irl_ctx *cx = q->cx;
    if (q->how->bits)
        return irl__fail(cx, IRL_ERROR_UNSUPPORTED, q->map->loc,
                         "a list with names cannot have elements of bits; give the names values");
    if (q->how->controller && !irl__dma_controller_ok(cx, q->how->controller, NULL)) return 0;
    q->out->controller = q->how->controller;
    q->out->unpack = q->how->unpack;
    q->out->map = q->map;
    if (!irl__dma_beat(cx, q->how, &q->out->element, &q->out->beat)) return 0;
    q->verdict = irl__check_text(cx, q->map, shape);
    if (irl__ok(cx) && !irl__verdict_is_right(&q->verdict))
        return irl__fail(cx, q->verdict.code ? q->verdict.code : IRL_ERROR_UNDECIDED, q->map->loc,
                         "nothing can be copied by a list with names: the layout is %s",
                         irl_verdict_text(cx, &q->verdict));
    q->out->shape = q->verdict.shape;
    q->out->memory = q->verdict.memory;
    return irl__ok(cx);
}

const irl_dma_named *irl_dma_new_named(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                       const irl_dma_options *how)
{
    irl_dma_options none;
    irl__dma_names  q;
    memset(&none, 0, sizeof none);
    memset(&q, 0, sizeof q);
    q.cx = cx;
    q.how = how ? how : &none;
    q.map = irl__map_for_shape(cx, map, &shape);
    q.out = q.map ? IRL__COPY(cx, irl_dma_named, NULL, 1) : NULL;
    if (!q.out) return NULL;
    irl__question   question = irl__question_begin(cx, 0);
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             ok = irl__dma_named_ask(&q, shape) && irl__dma_named_answer(&q);
    irl__scratch_end(cx, mark);
    irl__question_end(&question, 0);
    return ok && irl__ok(cx) ? q.out : NULL;
}

const char *irl_dma_named_text(irl_ctx *cx, const irl_dma_named *list)
{
    irl__text t;
    if (!cx || !list || !irl__ok(cx)) return "";
    const irl_dma_controller *c = list->controller;
    irl__text_init(&t, cx);
    irl__textf(&t, "1 transfer%s%s, beats of %l byte%s", c ? " for " : "", c ? c->name : "",
               list->beat, list->beat == 1 ? "" : "s");
    if (list->element != list->beat) irl__textf(&t, ", elements of %l", list->element);
    irl__textf(&t, ", %s by %s\n", list->unpack ? "from the layout's memory" : "to the layout's "
                                                                              "memory",
               irl_map_text(cx, list->map));
    if (list->where) irl__textf(&t, "where %s\n", irl_expr_text(cx, list->where));
    irl__textf(&t, "  source %s, target %s\n", irl_expr_text(cx, list->source),
               irl_expr_text(cx, list->target));
    for (int k = 0; k < list->level_count; k++) {
        const irl_dma_named_level *one = &list->levels[k];
        const char *count = c ? c->level[k].count_field : "", *source = c ? c->level[k].source_field
                                                                           : "",
                   *target = c ? c->level[k].target_field : "";
        irl__textf(&t, "  %s %s, ", *count ? count : k ? "times" : "beats",
                   irl_expr_text(cx, one->count));
        irl__textf(&t, "%s %s, ", *source ? source : "source", irl_expr_text(cx, one->source_step));
        irl__textf(&t, "%s %s\n", *target ? target : "target", irl_expr_text(cx, one->target_step));
    }
    return irl__text_or_empty(irl__text_done(&t));
}
