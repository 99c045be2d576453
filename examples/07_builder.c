/* 07_builder.c - the same function twice: in text, and by builder calls.

       cc -I. -I/usr/include/stb examples/07_builder.c -lm && ./a.out

   A program that generates code can build functions by calls, without making a text first. Every
   builder returns NULL if the context has failed, so a chain of calls needs one check at its end.
   The function that is built equals the one that the parser makes. 32_builders_more.c has more
   constructors.

   This example is the first that uses these names. C: irl_buffer_new, irl_expr_float,
   irl_expr_index, irl_expr_load, irl_expr_op2, irl_expr_var, irl_func_new, irl_stmt_for,
   irl_stmt_store, irl_type_of. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

IRL_KERNEL(smooth, (x: f32[6, 8], y: f32[4, 8]) {
    for (i: 4, j: 8)
        y[i, j] = 0.5 * x[i, j] + 0.5 * x[i + 2, j];
});

/* A buffer of two axes in global memory. */
static const irl_buffer *matrix(irl_ctx *cx, const char *name, int64_t rows, int64_t columns)
{
    const irl_expr *shape[2];
    shape[0] = irl_expr_index(cx, rows);
    shape[1] = irl_expr_index(cx, columns);
    return irl_buffer_new(cx, name, irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, 2, shape);
}

/* 0.5 * x[i + shift, j] */
static const irl_expr *half_of(irl_ctx *cx, const irl_buffer *x, const irl_expr *i, int64_t shift,
                               const irl_expr *j)
{
    const irl_expr *at[2];
    at[0] = shift ? irl_expr_op2(cx, IRL_OP_ADD, i, irl_expr_index(cx, shift)) : i;
    at[1] = j;
    return irl_expr_op2(cx, IRL_OP_MUL, irl_expr_float(cx, irl_type_of(IRL_F32, 1), 0.5),
                        irl_expr_load(cx, x, 2, at));
}

static irl_func *build(irl_ctx *cx)
{
    irl_type          index = irl_type_of(IRL_INDEX, 1);
    const irl_buffer *x = matrix(cx, "x", 6, 8), *y = matrix(cx, "y", 4, 8);
    const irl_expr   *i = irl_expr_var(cx, "i", index), *j = irl_expr_var(cx, "j", index), *at[2];
    const irl_stmt   *body;
    irl_param_desc    params[2] = { { NULL, NULL, 0 }, { NULL, NULL, 0 } };

    at[0] = i;
    at[1] = j;
    body = irl_stmt_store(
        cx, y, irl_expr_op2(cx, IRL_OP_ADD, half_of(cx, x, i, 0, j), half_of(cx, x, i, 2, j)), 2,
        at);
    body = irl_stmt_for(cx, IRL_SERIAL, j, irl_expr_index(cx, 0), irl_expr_index(cx, 8), body);
    body = irl_stmt_for(cx, IRL_SERIAL, i, irl_expr_index(cx, 0), irl_expr_index(cx, 4), body);
    params[0].buffer = x;
    params[1].buffer = y;
    return irl_func_new(cx, "smooth", 2, params, body);
}

int main(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *parsed = irl_kernel(cx, &smooth), *built = build(cx);
    int       equal = parsed && built && irl_func_equal(parsed, built);

    if (built) puts(irl_func_text(built));
    printf("built and parsed are equal: %s\n", equal ? "yes" : "no");
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return equal ? 0 : 1;
}
