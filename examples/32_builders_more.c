/* 32_builders_more.c - builder calls for work-items, shared memory, a view and a reduction.

       cc -I. -I/usr/include/stb examples/32_builders_more.c -lm && ./a.out

   07_builder.c builds plain loops. Here too, each function is written twice: as a text, and as the
   calls that build the same function. The program compares the two, and runs the function that was
   built in the interpreter. 33_builders_vectors.c has vectors.

   This example is the first that uses these names. C: irl_buffer_alias, irl_buffer_new_with,
   irl_expr_cast, irl_expr_let, irl_expr_op1, irl_stmt_alloc, irl_stmt_assert_values,
   irl_stmt_assume, irl_stmt_barrier, irl_stmt_block, irl_stmt_decl, irl_stmt_for_bound,
   irl_stmt_if, irl_stmt_let, irl_stmt_seq, irl_stmt_set_note. Kernels: align, assert, assume,
   barrier, else, if, note, shared. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

/* Each group of work-items reverses a row, through memory that its work-items share. */
IRL_KERNEL(turn, (n: index, x: f32[4, 8], y: f32[4, 8]) {
    assume(n > 0);
    assert(n < 9, "n is {}, and a row has 8", n);
    decl flat: f32[32] data(x);
    for bind(group.x) (row: 4) {
        alloc tile: f32[8] scope(shared) align(16);
        let start = row * 8;
        for bind(local.x) (lane: 8) {
            if (lane < n) tile[lane] = flat[start + lane];
            else tile[lane] = f32(lane);
            barrier(shared);
            y[row, lane] = tile[7 - lane];
        }
    }
});

/* Computes the sum of the absolute values of each row, in any order. */
IRL_KERNEL(sums, (x: f32[4, 8], y: f32[4]) {
    for (i: 4, k: 8)
        block total(vi: spatial(4) = i, vk: reduce(8) = k) note(order = "free") {
            init y[vi] = 0.0f;
            y[vi] = y[vi] + let(t = x[vi, vk], max(t, -t));
        }
});

static const irl_expr *number(irl_ctx *cx, int64_t n) { return irl_expr_index(cx, n); }

static const irl_expr *var(irl_ctx *cx, const char *name)
{
    return irl_expr_var(cx, name, irl_type_of(IRL_INDEX, 1));
}

/* Makes a global buffer with one axis, or with two if columns is not 0. */
static const irl_buffer *floats(irl_ctx *cx, const char *name, int64_t rows, int64_t columns)
{
    const irl_expr *shape[2];
    shape[0] = number(cx, rows);
    shape[1] = number(cx, columns);
    return irl_buffer_new(cx, name, irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, columns ? 2 : 1,
                          shape);
}

/* Makes a function of x and y. If `first` is not NULL, this scalar is its first parameter. */
static irl_func *function(irl_ctx *cx, const char *name, const irl_expr *first,
                          const irl_buffer *x, const irl_buffer *y, const irl_stmt *body)
{
    irl_param_desc params[3];
    int            count = first != NULL;
    memset(params, 0, sizeof params);
    params[0].scalar = first;
    params[count++].buffer = x;
    params[count++].buffer = y;
    return irl_func_new(cx, name, count, params, body);
}

static irl_func *build_turn(irl_ctx *cx)
{
    const irl_type    f32 = irl_type_of(IRL_F32, 1);
    const irl_expr   *n = var(cx, "n"), *row = var(cx, "row"), *lane = var(cx, "lane");
    const irl_expr   *start = var(cx, "start"), *cells = number(cx, 32), *eight = number(cx, 8);
    const irl_buffer *x = floats(cx, "x", 4, 8), *y = floats(cx, "y", 4, 8);
    const irl_buffer *flat = irl_buffer_alias(cx, "flat", x, f32, 1, &cells), *tile;
    const irl_expr   *at, *back, *cell[2];
    const irl_stmt   *item[3], *group[3], *all[4];
    irl_buffer_desc   aligned;

    memset(&aligned, 0, sizeof aligned);
    aligned.alignment = 16;
    tile = irl_buffer_new_with(cx, "tile", f32, IRL_SCOPE_SHARED, 1, &eight, &aligned);

    at = irl_expr_op2(cx, IRL_OP_ADD, start, lane);
    back = irl_expr_op2(cx, IRL_OP_SUB, number(cx, 7), lane);
    cell[0] = row;
    cell[1] = lane;
    item[0] = irl_stmt_if(cx, irl_expr_op2(cx, IRL_OP_LT, lane, n),
                          irl_stmt_store(cx, tile, irl_expr_load(cx, flat, 1, &at), 1, &lane),
                          irl_stmt_store(cx, tile, irl_expr_cast(cx, f32, lane), 1, &lane));
    item[1] = irl_stmt_barrier(cx, IRL_SCOPE_SHARED);
    item[2] = irl_stmt_store(cx, y, irl_expr_load(cx, tile, 1, &back), 2, cell);

    group[0] = irl_stmt_alloc(cx, tile);
    group[1] = irl_stmt_let(cx, start, irl_expr_op2(cx, IRL_OP_MUL, row, eight));
    group[2] = irl_stmt_for_bound(cx, IRL_LOCAL_X, lane, eight, irl_stmt_seq(cx, 3, item));

    all[0] = irl_stmt_assume(cx, irl_expr_op2(cx, IRL_OP_GT, n, number(cx, 0)));
    all[1] = irl_stmt_assert_values(cx, irl_expr_op2(cx, IRL_OP_LT, n, number(cx, 9)),
                                    "n is {}, and a row has 8", 1, &n);
    all[2] = irl_stmt_decl(cx, flat);
    all[3] = irl_stmt_for_bound(cx, IRL_GROUP_X, row, number(cx, 4), irl_stmt_seq(cx, 3, group));
    return function(cx, "turn", n, x, y, irl_stmt_seq(cx, 4, all));
}

static irl_func *build_sums(irl_ctx *cx)
{
    const irl_type    f32 = irl_type_of(IRL_F32, 1);
    const irl_expr   *i = var(cx, "i"), *k = var(cx, "k"), *t = irl_expr_var(cx, "t", f32), *at[2];
    const irl_expr   *value;
    const irl_buffer *x = floats(cx, "x", 4, 8), *y = floats(cx, "y", 4, 0);
    const irl_stmt   *body;
    irl_block_axis    axes[2];
    irl_block_desc    total;
    irl_note          order = { "order", NULL, "free" };

    memset(axes, 0, sizeof axes);
    memset(&total, 0, sizeof total);
    axes[0].var = at[0] = var(cx, "vi"); /* a spatial axis: each point is computed by itself */
    axes[0].extent = number(cx, 4);
    axes[0].binding = i;
    axes[1].var = at[1] = var(cx, "vk"); /* a reduction axis: what is summed over */
    axes[1].extent = number(cx, 8);
    axes[1].binding = k;
    axes[1].is_reduction = 1;

    value = irl_expr_op2(cx, IRL_OP_MAX, t, irl_expr_op1(cx, IRL_OP_NEG, t));
    value = irl_expr_let(cx, t, irl_expr_load(cx, x, 2, at), value);
    value = irl_expr_op2(cx, IRL_OP_ADD, irl_expr_load(cx, y, 1, at), value);
    total.name = "total";
    total.axis_count = 2;
    total.axes = axes;
    total.init = irl_stmt_store(cx, y, irl_expr_float(cx, f32, 0), 1, at);
    total.body = irl_stmt_store(cx, y, value, 1, at);
    body = irl_stmt_set_note(cx, irl_stmt_block(cx, &total), order);
    body = irl_stmt_for(cx, IRL_SERIAL, k, number(cx, 0), number(cx, 8), body);
    body = irl_stmt_for(cx, IRL_SERIAL, i, number(cx, 0), number(cx, 4), body);
    return function(cx, "sums", NULL, x, y, body);
}

/* Returns whether the function that was built equals the text; prints it if not. */
static int same(irl_ctx *cx, const irl_source_text *text, const irl_func *built)
{
    const irl_func *parsed = irl_kernel(cx, text);
    int             equal = parsed && built && irl_func_equal(parsed, built);
    if (built) printf("%s: built and parsed are equal: %s\n", irl_func_name(built),
                      equal ? "yes" : "no");
    if (!equal && built) puts(irl_func_text(built));
    return equal;
}

static void print_floats(const char *what, const float *values, int count)
{
    int k;
    printf("%s", what);
    for (k = 0; k < count; k++) printf(" %g", (double)values[k]);
    puts("");
}

int main(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *turned = build_turn(cx), *summed = build_sums(cx);
    int       equal = same(cx, &turn, turned) & same(cx, &sums, summed);
    float     x[32], y[32], total[4];
    int64_t   n = 6;
    int       k;

    for (k = 0; k < 32; k++) x[k] = (float)(k % 8 - 3);
    if (equal && irl_func_interpret(turned, IRL_ARGS(&n, x, y)) &&
        irl_func_interpret(summed, IRL_ARGS(x, total))) {
        print_floats("a row     ", x, 8);
        print_floats("turned    ", y, 8);
        print_floats("sums      ", total, 4);
    }
    equal = equal && irl_ok(cx);
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return equal ? 0 : 1;
}
