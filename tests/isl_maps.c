/* isl_maps.c - a second opinion: the integer set library on the verdicts, inverses and paddings of
   random quasi-affine maps, and its time beside ours. Built with -lisl, for tests only. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "random_maps.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <time.h>

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* --------------------------------------------------------- our expressions in isl's notation */

static void isl_expr(irl__text *t, const irl_expr *e);

static void isl_two(irl__text *t, const irl_expr *e, const char *op)
{
    irl__text_putc(t, '(');
    isl_expr(t, e->a[0]);
    irl__textf(t, " %s ", op);
    isl_expr(t, e->a[1]);
    irl__text_putc(t, ')');
}

static void isl_expr(irl__text *t, const irl_expr *e)
{
    switch (e->op) {
    case IRL_OP_INT:
        if (irl__type_is_index(e->type)) irl__text_int(t, e->u.i);
        else irl__text_puts(t, e->u.i ? "0 = 0" : "0 = 1");
        break;
    case IRL_OP_VAR: irl__text_puts(t, e->u.name); break;
    case IRL_OP_ADD: isl_two(t, e, "+"); break;
    case IRL_OP_SUB: isl_two(t, e, "-"); break;
    case IRL_OP_MUL: isl_two(t, e, "*"); break;
    case IRL_OP_FLOORMOD: isl_two(t, e, "mod"); break;
    case IRL_OP_LT: isl_two(t, e, "<"); break;
    case IRL_OP_LE: isl_two(t, e, "<="); break;
    case IRL_OP_GT: isl_two(t, e, ">"); break;
    case IRL_OP_GE: isl_two(t, e, ">="); break;
    case IRL_OP_EQ: isl_two(t, e, "="); break;
    case IRL_OP_NE: isl_two(t, e, "!="); break;
    case IRL_OP_AND: isl_two(t, e, "and"); break;
    case IRL_OP_OR: isl_two(t, e, "or"); break;
    case IRL_OP_NEG:
        irl__text_puts(t, "(0 - "), isl_expr(t, e->a[0]), irl__text_putc(t, ')');
        break;
    case IRL_OP_NOT:
        irl__text_puts(t, "(not ("), isl_expr(t, e->a[0]), irl__text_puts(t, "))");
        break;
    case IRL_OP_FLOORDIV:
        irl__text_puts(t, "floor("), isl_two(t, e, "/"), irl__text_putc(t, ')');
        break;
    default: irl__text_puts(t, "?"); break; /* isl refuses the text, and the map is left out */
    }
}

static void isl_tuple(irl__text *t, int count, const irl_expr *const *e)
{
    int k;
    irl__text_putc(t, '[');
    for (k = 0; k < count; k++) {
        if (k) irl__text_puts(t, ", ");
        isl_expr(t, e[k]);
    }
    irl__text_putc(t, ']');
}

static void isl_box(irl__text *t, int count, const irl_expr *const *var, const int64_t *extent)
{
    int k;
    for (k = 0; k < count; k++)
        irl__textf(t, "%s0 <= %s < %l", k ? " and " : "", var[k]->u.name, extent[k]);
    if (count == 0) irl__text_puts(t, "0 = 0");
}

static isl_map *isl_of_map(isl_ctx *ctx, const irl_map *m, const int64_t *extent)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{ ");
    isl_tuple(&t, m->input_count, m->inputs);
    irl__text_puts(&t, " -> ");
    isl_tuple(&t, m->output_count, m->outputs);
    irl__text_puts(&t, " : ");
    isl_box(&t, m->input_count, m->inputs, extent);
    irl__text_puts(&t, " }");
    return isl_map_read_from_str(ctx, irl__text_done(&t));
}

/* The cells of the physical box for which the padding is false. */
static isl_set *isl_of_cells(isl_ctx *ctx, const irl_verdict *v)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{ ");
    isl_tuple(&t, v->inverse->input_count, v->inverse->inputs);
    irl__text_puts(&t, " : ");
    isl_box(&t, v->inverse->input_count, v->inverse->inputs, v->physical.extent);
    irl__text_puts(&t, " and not (");
    isl_expr(&t, v->padding);
    irl__text_puts(&t, ") }");
    return isl_set_read_from_str(ctx, irl__text_done(&t));
}

/* ------------------------------------------------------------------ one map */

/* What a verdict says beside injective: the unused cells of the physical box. */
static isl_set *isl_set_complement_in_box(isl_ctx *ctx, isl_map *map, const irl_verdict *v)
{
    const irl_expr *axes[MOST_OUTPUTS];
    irl__text       t;
    isl_set        *box;
    int             k;
    for (k = 0; k < v->physical.rank; k++) {
        char name[16];
        snprintf(name, sizeof name, "axis%d", k);
        axes[k] = irl_expr_var(cx, name, irl_type_of(IRL_INDEX, 1));
    }
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{ ");
    isl_tuple(&t, v->physical.rank, axes);
    irl__text_puts(&t, " : ");
    isl_box(&t, v->physical.rank, axes, v->physical.extent);
    irl__text_puts(&t, " }");
    box = isl_set_read_from_str(ctx, irl__text_done(&t));
    box = isl_set_coalesce(isl_set_subtract(box, isl_map_range(isl_map_copy(map))));
    (void)isl_set_is_empty(box);
    return box;
}

static int    compared, inverses, given_up;
static double ours[100000], theirs[100000];

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Whether a division stands in the map: without one it is linear, and isl is quick too. */
static int divides(const irl_expr *e)
{
    uint32_t k;
    for (k = 0; k < e->count; k++)
        if (divides(e->a[k])) return 1;
    return e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD;
}

static int in_digits(const irl_map *m)
{
    int k;
    for (k = 0; k < m->output_count; k++)
        if (divides(m->outputs[k])) return 1;
    return 0;
}

static double time_of_ours(const irl_map *m, irl_shape shape, irl_verdict *v)
{
    double start;
    int    k;
    *v = irl_map_check(cx, m, shape); /* once to warm up */
    start = seconds();
    for (k = 0; k < 20; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        irl_map_check(cx, m, shape);
        irl_ctx_rewind(cx, mark);
    }
    return (seconds() - start) / 20;
}

/* The same question to isl: injective? which cells are unused? is this the inverse? 0 if it gave up
   or disagrees. */
static int isl_agrees(isl_ctx *ctx, const irl_map *m, const irl_shape *shape, const irl_verdict *v,
                      double *time)
{
    isl_map *map, *back;
    isl_set *unused, *range, *cells;
    isl_bool injective, same_cells = isl_bool_true, same_map = isl_bool_true;
    double   start;
    isl_ctx_reset_error(ctx); /* it may have given up on the last one, and would go on doing so */
    isl_ctx_reset_operations(ctx);
    map = isl_of_map(ctx, m, shape->extent);
    start = seconds();
    if (!map) return given_up++, 0;
    injective = isl_map_is_injective(map);
    unused = isl_set_complement_in_box(ctx, map, v);
    isl_set_free(unused);
    if (injective == isl_bool_true && v->inverse) {
        range = isl_map_range(isl_map_copy(map));
        cells = isl_of_cells(ctx, v);
        back = isl_of_map(ctx, v->inverse, v->physical.extent);
        same_cells = range && cells ? isl_set_is_equal(range, cells) : isl_bool_error;
        back = isl_map_intersect_domain(back, range);
        map = isl_map_reverse(map);
        same_map = back && map ? isl_map_is_equal(back, map) : isl_bool_error;
        isl_set_free(cells);
        isl_map_free(back);
        inverses++;
    }
    *time = seconds() - start;
    isl_map_free(map);
    if (injective == isl_bool_error || same_cells == isl_bool_error || same_map == isl_bool_error)
        return given_up++, 0;
    if (CHECK((v->kind == IRL_LOSSY) == !injective) & CHECK(same_cells) & CHECK(same_map)) return 1;
    printf("%s: %s\n", irl_map_text(cx, m), irl_verdict_text(cx, v));
    if (v->inverse)
        printf("    inverse %s padding %s\n", irl_map_text(cx, v->inverse),
               irl_expr_text(cx, v->padding));
    return 0;
}

static int timed;

static void compare(isl_ctx *ctx, const recipe *r)
{
    const irl_map *m = build(r);
    irl_verdict    v;
    double         a = time_of_ours(m, r->shape, &v), b;
    if (!isl_agrees(ctx, m, &r->shape, &v, &b)) return;
    compared++;
    if (!in_digits(m) || v.kind == IRL_LOSSY) return;
    ours[timed] = a;
    theirs[timed++] = b;
}

static void show_layouts(isl_ctx *ctx)
{
    static const struct { const char *map; irl_shape shape; } rows[] = {
        { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { 4, NULL, { 1, 56, 56, 64 } } },
        { "(n, h, w, c) -> ((((n*16 + c/4)*56 + h)*56 + w)*4 + c%4)",
          { 4, NULL, { 2, 56, 56, 64 } } },
        { "(o, i, y, x) -> ((((o/4*3 + i)*7 + y)*7 + x)*4 + o%4)", { 4, NULL, { 64, 3, 7, 7 } } },
        { "(y, x) -> (y/8*128 + x, y%8)", { 2, NULL, { 64, 128 } } },
        { "(i) -> (i/3, i%3/2, i%3%2)", { 1, NULL, { 9 } } },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const irl_map *m;
        irl_verdict    v;
        double         a, b = 0;
        cx = irl_ctx_create(NULL);
        m = irl_map_parse(cx, rows[k].map);
        a = time_of_ours(m, rows[k].shape, &v);
        if (CHECK(isl_agrees(ctx, m, &rows[k].shape, &v, &b)))
            printf("%-62s %6.1f us, isl %9.1f us: %.0f times\n", rows[k].map, 1e6 * a, 1e6 * b,
                   b / a);
        irl_ctx_destroy(cx);
    }
}

int main(void)
{
    isl_ctx *ctx = isl_ctx_alloc();
    int      n, total = TEST_COUNT(100);
    (void)step_names;
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, 2000000);
    for (n = 0; compared < total && n < 2 * total; n++) { /* what isl gives up on does not count */
        recipe r = invent(CENSUS_KINDS);
        cx = irl_ctx_create(NULL);
        compare(ctx, &r);
        irl_ctx_destroy(cx);
    }
    show_layouts(ctx);
    isl_ctx_free(ctx);
    qsort(ours, (size_t)timed, sizeof *ours, by_size);
    qsort(theirs, (size_t)timed, sizeof *theirs, by_size);
    CHECK(compared >= total);
    printf("%d verdicts and %d inverses agree, isl gave up %d times\n", compared, inverses,
           given_up);
    if (getenv("IRL_SOAK")) CHECK(theirs[timed / 2] >= 100 * ours[timed / 2]);
    if (timed)
        printf(
            "median of %d with divisions: %.1f us, isl %.1f us for the same answer: %.0f times\n",
            timed, 1e6 * ours[timed / 2], 1e6 * theirs[timed / 2],
            theirs[timed / 2] / ours[timed / 2]);
    return TEST_DONE();
}
