/* 02_function.c - a function in text, and its printed form.

       cc -I. -I/usr/include/stb examples/02_function.c -lm && ./a.out

   IRL_KERNEL keeps its text as it is. The text is written in the language of docs/grammar.md, and
   the C compiler does not look inside. A function says what is computed, in logical indices; the
   layout in memory is a separate line (04_lower.c). The library prints the same language that it
   reads, so parse(print(f)) equals f.

   This example is the first that uses these names. C: IRL_ARGS, IRL_KERNEL, IRL_LET,
   irl_func_equal, irl_func_interpret, irl_func_parse, irl_func_text, irl_kernel_let. Kernels:
   for. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

enum { H = 4, W = 6 };

/* Computes the mean of each pixel and its right and lower neighbours. H and W are constants of the
   C program, which are passed by name. */
IRL_KERNEL(blur, (x: f32[H + 1, W + 1], y: f32[H, W]) {
    for (i: H, j: W)
        y[i, j] = (x[i, j] + x[i, j + 1] + x[i + 1, j]) / 3.0;
});

int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel_let(cx, &blur, IRL_LET(H, W)), *again;
    const char *text = irl_func_text(f);
    float       x[H + 1][W + 1], y[H][W];
    int         i, j;

    if (text[0]) {
        puts(text);
        again = irl_func_parse(cx, text, strlen(text), "printed");
        printf("parse(print(f)) equals f: %s\n\n",
               again && irl_func_equal(f, again) ? "yes" : "no");
    }

    /* The reference interpreter runs any function: slowly, and with a check of every access. */
    for (i = 0; i <= H; i++)
        for (j = 0; j <= W; j++) x[i][j] = (float)(i * 10 + j);
    if (irl_func_interpret(f, IRL_ARGS(x, y)))
        for (i = 0; i < H; i++) {
            for (j = 0; j < W; j++) printf("%6.2f", (double)y[i][j]);
            puts("");
        }

    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
