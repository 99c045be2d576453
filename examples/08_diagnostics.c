/* 08_diagnostics.c - messages that say what is wrong, where, and what to do.
       cc -I. -I/usr/include/stb examples/08_diagnostics.c -lm && ./a.out
   A failure has a code (for programs and tests), a place, a message and a hint. The text of a macro
   reaches the library as one line. If the library can read your file, the diagnostic shows the line
   in your file; otherwise it shows the text of the macro. A context keeps its first failure. To
   continue after a failure, mark the context before it, and rewind the context to this mark.

   New in C: irl_code_name, irl_ctx_mark, irl_ctx_rewind, irl_diag_of. */
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

/* Prints the failure, and removes it from the context. */
static void show(irl_ctx *cx, irl_mark mark)
{
    const irl_diag *d = irl_diag_of(cx);
    if (d)
        printf("%s\n  its code: %s, line %d, column %d\n\n", irl_diag_text(cx),
               irl_code_name(d->code), d->line, d->column);
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    const irl_source_text *wrong[] = { &misspelt, &mistyped, &misshapen };
    irl_ctx               *cx = irl_ctx_create(NULL);
    irl_mark               mark = irl_ctx_mark(cx);
    size_t                 k;

    for (k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        irl_kernel(cx, wrong[k]);
        show(cx, mark);
    }
    /* maps are checked when they are read, like functions */
    irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, k%4)");
    show(cx, mark);
    irl_ctx_destroy(cx);
    return 0;
}
