/* 16_pass.c - a lint and your own pass; they use only the functions of >>reading in irlayout.h.

       cc -I. -I/usr/include/stb examples/16_pass.c -lm && ./a.out

   The lint walks through a function and reports divisions in innermost loops. The pass replaces
   divisions by powers of two by products, which give the same numbers bit for bit.

   This example is the first that uses these names. C: irl_expr_arg, irl_expr_float_value,
   irl_expr_op, irl_expr_text, irl_expr_type, irl_func_rewrite, irl_func_walk, irl_stmt_kind_of,
   irl_stmt_place, irl_stmt_walk. Kernels: let. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "func filter(n: index, x: f32[n, 64], w: f32[64], y: f32[n, 64]) {\n"
    "    for (i: n) {\n"
    "        let scale = w[0] / 8.0f;\n"
    "        for (j: 64)\n"
    "            y[i, j] = (x[i, j] + x[i, (j + 1) % 64]) / 2.0f / (w[j] + scale);\n"
    "    }\n"
    "}\n";

/* ------------------------------------------------------------------ the lint: a walk */

typedef struct lint {
    irl_ctx        *cx;
    const irl_stmt *innermost; /* the innermost loop that the walk is in */
    int             found;
} lint;

static int count_loop(void *user, const irl_stmt *s)
{
    *(int *)user += irl_stmt_kind_of(s) == IRL_STMT_FOR;
    return 1; /* also visit the statements inside */
}

static int is_innermost(const irl_stmt *loop)
{
    int      loops = 0;
    irl_walk walk = { count_loop, NULL, NULL, NULL, NULL };
    walk.user = &loops;
    irl_stmt_walk(loop, &walk);
    return loops == 1;
}

static int enter(void *user, const irl_stmt *s)
{
    lint *l = (lint *)user;
    if (irl_stmt_kind_of(s) == IRL_STMT_FOR && is_innermost(s)) l->innermost = s;
    return 1;
}

static void leave(void *user, const irl_stmt *s)
{
    lint *l = (lint *)user;
    if (l->innermost == s) l->innermost = NULL;
}

/* s is the statement that contains e. Bounds of a loop are skipped: they are computed only once,
   before the loop. */
static int look(void *user, const irl_expr *e, const irl_stmt *s)
{
    lint        *l = (lint *)user;
    const irl_op op = irl_expr_op(e);
    irl_place    place;
    if (!l->innermost || s == l->innermost) return 1;
    if (op != IRL_OP_DIV && op != IRL_OP_FLOORDIV && op != IRL_OP_FLOORMOD) return 1;
    irl_stmt_place(l->cx, s, &place);
    printf("%s:%d:%d: a loop divides by %s\n", place.file, place.line, place.column,
           irl_expr_text(l->cx, irl_expr_arg(e, 1)));
    l->found++;
    return 1;
}

static int lint_func(irl_ctx *cx, const irl_func *f)
{
    lint     l = { NULL, NULL, 0 };
    irl_walk walk = { enter, look, NULL, leave, NULL };
    l.cx = cx;
    walk.user = &l;
    irl_func_walk(f, &walk);
    return l.found;
}

/* ------------------------------------------------------------------ the pass: a rewrite */

/* Is called for each expression, after its operands were rewritten. */
static const irl_expr *no_div(void *user, irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *by = irl_expr_arg(e, 1);
    int             exponent;
    (void)user;
    if (irl_expr_op(e) != IRL_OP_DIV || irl_expr_op(by) != IRL_OP_FLOAT) return e;
    if (irl_expr_type(e).scalar != IRL_F32) return e;
    if (fabs(frexp(irl_expr_float_value(by), &exponent)) != 0.5) return e;
    if (exponent < -100 || exponent > 100) return e; /* 1 / by must be a float, too */
    by = irl_expr_float(cx, irl_expr_type(e), 1 / irl_expr_float_value(by));
    return irl_expr_op2(cx, IRL_OP_MUL, irl_expr_arg(e, 0), by);
}

/* Returns whether both functions compute the same, bit for bit. */
static int is_same(const irl_func *f, const irl_func *g)
{
    static float x[2 * 64], w[64], y[2 * 64], z[2 * 64];
    int64_t      n = 2;
    int          k;
    for (k = 0; k < 128; k++) x[k] = (float)(k * k % 37) / 7, w[k % 64] = (float)(k % 5) + 0.3f;
    return irl_func_interpret(f, IRL_ARGS(&n, x, w, y)) &&
           irl_func_interpret(g, IRL_ARGS(&n, x, w, z)) && memcmp(y, z, sizeof y) == 0;
}

int main(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, sizeof text - 1, "filter.irl"), *g;

    printf("%d divisions in innermost loops\n\n", lint_func(cx, f));
    g = irl_func_rewrite(f, no_div, NULL);
    puts(irl_ok(cx) ? irl_func_text(g) : irl_diag_text(cx));
    printf("%d divisions are left\n", lint_func(cx, g)); /* the rewrite keeps the places */
    printf("the numbers are %s\n", is_same(f, g) ? "the same" : "not the same");
    if (!irl_ok(cx)) puts(irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
