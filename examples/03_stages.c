/* 03_stages.c - four layouts of one access, stage by stage.

       cc -I. -I/usr/include/stb examples/03_stages.c -lm && ./a.out

   These are the examples of TVM's RFC 39 "Buffer Physical Layout", from which this library took its
   idea: no layout (row-major), a transposed layout, NHWC to NCHW4c, and NHWC to NCHW4c with a
   separator, which gives memory two physical axes. The program shows each function as written,
   after its layout was applied, after flattening, and after simplification. It checks that the
   last index is the expected one.

   This example is the first that uses these names. C: irl_func_run_pass, irl_func_set_layout.
   Kernels: func. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

typedef struct worked_example {
    const char *title, *text, *layout, *access; /* access: how x is read at the end */
} worked_example;

#define MATRIX                                                       \
    "func example(x: f32[64, 128], value: f32[1]) {\n"               \
    "    value[0] = x[10, 15];\n"                                    \
    "    x[20, 23] = 7;\n"                                           \
    "}\n"
#define ACTIVATIONS                                                  \
    "func example(x: f32[16, 64, 64, 128], value: f32[1]) {\n"       \
    "    value[0] = x[11, 37, 23, 101];\n"                           \
    "}\n"

static const worked_example examples[] = {
    { "1. no layout: row-major", MATRIX, NULL, "[1295]" },
    { "2. transposed", MATRIX, "(i, j) -> (j, i)", "[970]" },
    { "3. NHWC to NCHW4c", ACTIVATIONS, "(n, h, w, c) -> (n, c/4, h, w, c%4)", "[6186333]" },
    { "4. NHWC to NCHW4c in two physical axes", ACTIVATIONS,
      "(n, h, w, c) -> (n, c/4, h, |, w, c%4)", "[24165, 93]" },
};

/* Runs one pass, prints what it made, and shows that running it again changes nothing. */
static irl_func *stage(const irl_func *f, const char *pass)
{
    irl_func *after = irl_func_run_pass(f, pass), *again = irl_func_run_pass(after, pass);
    if (again)
        printf("-- %s%s\n%s\n", pass,
               irl_func_equal(after, again) ? " (a second time: no change)" : "",
               irl_func_text(after));
    return after;
}

static int show(irl_ctx *cx, const worked_example *e)
{
    irl_func *f = irl_func_parse(cx, e->text, strlen(e->text), NULL);
    int       right;
    printf("== %s\n", e->title);
    if (e->layout) f = irl_func_set_layout(f, "x", irl_map_parse(cx, e->layout));
    if (f) printf("-- as written\n%s\n", irl_func_text(f));
    f = stage(f, "apply_layouts");
    f = stage(f, "flatten");
    f = stage(f, "simplify");
    right = f && strstr(irl_func_text(f), e->access) != NULL;
    printf("x is read at %s: %s\n\n", e->access, right ? "yes" : "NO");
    return right;
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k, right = 0;
    for (k = 0; k < sizeof examples / sizeof examples[0]; k++)
        right += (size_t)show(cx, &examples[k]);
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return right == k ? 0 : 1;
}
