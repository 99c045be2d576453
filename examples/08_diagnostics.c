/* 08_diagnostics.c - messages that say what is wrong, where, and what to do.
       cc -I. -I/usr/include/stb examples/08_diagnostics.c -lm && ./a.out
   A failure has a code (for programs and tests), a place, a message and a hint. The text of a macro
   reaches the library as one line. If the library can read your file, the diagnostic shows the line
   in your file; otherwise it shows the text of the macro. A context keeps its first failure until
   you take it out. Then the program continues with the context.

   This example is the first that uses these names. C: irl_code_name, irl_ctx_take_error. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

IRL_KERNEL(misspelt, (source: f32[16], target: f32[16]) {
    for (i: 16)
        target[i] = sourse[i] * 2.0;
});

IRL_KERNEL(mistyped, (x: i32[16], y: f32[16]) {
    for (i: 16)
        y[i] = x[i]; /* an integer is not a float: write f32(x[i]) */
});

IRL_KERNEL(misshapen, (x: f32[4, 4], y: f32[16]) {
    for (i: 16)
        y[i] = x[i];
});

/* Takes the failure out of the context, and prints it. */
static void show(irl_ctx *cx)
{
    irl_diag d;
    if (irl_ctx_take_error(cx, &d))
        printf("%s\n  its code: %s, line %d, column %d\n\n", d.text, irl_code_name(d.code), d.line,
               d.column);
}

int main(void)
{
    const irl_source_text *wrong[] = { &misspelt, &mistyped, &misshapen };
    irl_ctx               *cx = irl_ctx_create(NULL);
    size_t                 k;

    for (k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        irl_kernel(cx, wrong[k]);
        show(cx);
    }
    /* maps are checked when they are read, like functions */
    irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, k%4)");
    show(cx);
    irl_ctx_destroy(cx);
    return 0;
}
