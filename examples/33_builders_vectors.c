/* 33_builders_vectors.c - builder calls for vectors: ramps, a shuffle, a broadcast.

       cc -I. -I/usr/include/stb examples/33_builders_vectors.c -lm && ./a.out

   A vector is loaded at a vector of indices. A ramp is such a vector: each lane is the one before
   it plus a step. The function is written twice, as a text and as calls. The program compares the
   two, and runs the function that was built in the interpreter.

   This example is the first that uses these names. C: irl_expr_broadcast, irl_expr_ramp,
   irl_expr_shuffle. Kernels: broadcast, ramp, shuffle. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

/* Stores four floats at once, in reverse order, each plus 1. */
IRL_KERNEL(lanes, (x: f32[8], y: f32[4]) {
    y[ramp(0, 1, 4)] = shuffle(x[ramp(2, 1, 4)], [3, 2, 1, 0]) + broadcast(1.0f, 4);
});

static irl_func *build(irl_ctx *cx)
{
    static const int  reversed[4] = { 3, 2, 1, 0 };
    const irl_type    f32 = irl_type_of(IRL_F32, 1);
    const irl_expr   *eight = irl_expr_index(cx, 8), *four = irl_expr_index(cx, 4);
    const irl_expr   *step = irl_expr_index(cx, 1);
    const irl_buffer *x = irl_buffer_new(cx, "x", f32, IRL_SCOPE_GLOBAL, 1, &eight);
    const irl_buffer *y = irl_buffer_new(cx, "y", f32, IRL_SCOPE_GLOBAL, 1, &four);
    const irl_expr   *from = irl_expr_ramp(cx, irl_expr_index(cx, 2), step, 4);
    const irl_expr   *to = irl_expr_ramp(cx, irl_expr_index(cx, 0), step, 4);
    const irl_expr   *value = irl_expr_load(cx, x, 1, &from);
    const irl_expr   *ones = irl_expr_broadcast(cx, irl_expr_float(cx, f32, 1), 4);
    irl_param_desc    params[2];
    value = irl_expr_shuffle(cx, 1, &value, 4, reversed);
    value = irl_expr_op2(cx, IRL_OP_ADD, value, ones);
    memset(params, 0, sizeof params);
    params[0].buffer = x;
    params[1].buffer = y;
    return irl_func_new(cx, "lanes", 2, params, irl_stmt_store(cx, y, value, 1, &to));
}

int main(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *built = build(cx);
    const int       equal = built && irl_func_equal(irl_kernel(cx, &lanes), built);
    const float     x[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    float           y[4];
    int             k;
    printf("built and parsed are equal: %s\n", equal ? "yes" : "no");
    if (irl_func_interpret(built, IRL_ARGS(x, y)))
        for (k = 0; k < 4; k++) printf("y[%d] = %g\n", k, (double)y[k]);
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return equal ? 0 : 1;
}
