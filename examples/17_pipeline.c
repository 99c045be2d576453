/* 17_pipeline.c - your own pass in the pipeline. It runs between passes of the library, its result
   is verified like theirs, and can be printed.

       cc -I. -I/usr/include/stb examples/17_pipeline.c -lm && ./a.out

   The first pass replaces a product that is added to something by an fma. The second pass makes a
   mistake: its loops run too far. The library refuses its result and names the pass, before
   anything is emitted.

   This example is the first that uses these names. C: irl_expr_op3, irl_func_lower_with,
   irl_func_rewrite_with, irl_stmt_body, irl_stmt_for_kind, irl_stmt_min, irl_stmt_var. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

IRL_KERNEL(axpy, (a: f32, x: f32[64], y: f32[64]) { for (i: 64) y[i] = a * x[i] + y[i]; });

/* a * b + c, rounded once */
static const irl_expr *to_fma(void *user, irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *product = irl_expr_arg(e, 0);
    (void)user;
    if (irl_expr_op(e) != IRL_OP_ADD || irl_expr_op(product) != IRL_OP_MUL ||
        irl_expr_type(e).scalar != IRL_F32)
        return e;
    return irl_expr_op3(cx, IRL_OP_FMA, irl_expr_arg(product, 0), irl_expr_arg(product, 1),
                        irl_expr_arg(e, 1));
}

static const irl_func *fuse(void *user, const irl_func *f, const irl_target *target)
{
    (void)user, (void)target; /* a pass may read target->halves and the other columns */
    return irl_func_rewrite(f, to_fma, NULL);
}

/* Makes loops of 65 iterations of loops of 64. */
static const irl_stmt *one_more(void *user, irl_ctx *cx, const irl_stmt *s)
{
    (void)user;
    if (irl_stmt_kind_of(s) != IRL_STMT_FOR) return s;
    return irl_stmt_for(cx, irl_stmt_for_kind(s), irl_stmt_var(s), irl_stmt_min(s),
                        irl_expr_index(cx, 65), irl_stmt_body(s));
}

static const irl_func *spoil(void *user, const irl_func *f, const irl_target *target)
{
    irl_rewrite_options how = { NULL, one_more, NULL, NULL, NULL };
    (void)user, (void)target;
    return irl_func_rewrite_with(f, &how);
}

static void show(void *user, const char *pass, const char *text)
{
    if (strcmp(pass, (const char *)user) == 0) printf("after %s:\n%s\n", pass, text);
}

int main(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_pass_desc     passes[] = { { "fuse", NULL, "simplify", fuse, NULL },
                                   { "spoil", "split_host", NULL, spoil, NULL } };
    irl_lower_options how = { 0 };
    char              shown[] = "fuse";

    how.passes = passes;
    how.pass_count = 1;
    how.after_pass = show;
    how.user = shown;
    irl_func_lower_with(irl_kernel(cx, &axpy), &irl_target_opencl12, &how);
    if (!irl_ok(cx)) puts(irl_diag_text(cx));

    how.pass_count = 2;
    if (!irl_func_lower_with(irl_kernel(cx, &axpy), &irl_target_opencl12, &how))
        puts(irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
