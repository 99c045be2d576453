/* 18_target.c - your own target: what a device can do, stated as columns.

       cc -I. -I/usr/include/stb examples/18_target.c -lm && ./a.out

   There are two ways: copy a target of the library and change the copy, or write the columns as a
   text. In a text, the columns that you leave out come from the target after ':'. The library
   checks both; if a column is wrong, the diagnostic names it. The program lowers one function for
   two devices: one has vectors of up to four floats, the other of up to two.

   This example is the first that uses these names. C: irl_target_new, irl_target_parse,
   irl_target_text. Kernels: global, target. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

IRL_KERNEL(scale, (x: f32[64], y: f32[64]) {
    for bind(global.x) (i: 16)
        for vectorized (j: 4) y[i * 4 + j] = x[i * 4 + j] * 0.5f;
});

/* A target as a text; `irlc lower FILE.irl --target FILE` reads such a file, too. */
static const char tiny[] =
    "target tiny: opencl12 {\n"
    "    doc = \"vectors of two lanes, no 64-bit integers\";\n"
    "    widths = 1, 2;\n"
    "    int64 = false;\n"
    "    buffer_bytes = 0x7fffffff;\n"
    "}\n";

static void show(irl_ctx *cx, const irl_target *target)
{
    irl_module *m = irl_func_lower(irl_kernel(cx, &scale), target);
    puts(irl_ok(cx) ? irl_module_text(m) : irl_diag_text(cx));
}

int main(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_target        four = irl_target_opencl12; /* a copy, to be changed */
    const irl_target *two = irl_target_parse(cx, tiny, IRL_TO_NUL, "tiny.target");

    four.name = "four";
    four.widths = 1 << 0 | 1 << 1 | 1 << 3; /* 1, 2 and 4 lanes */
    show(cx, irl_target_new(cx, &four));
    show(cx, two);
    puts(irl_target_text(cx, two)); /* all of its columns */

    four.name = "wrong";
    four.alignment = 24;
    if (!irl_target_new(cx, &four)) puts(irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return 0;
}
