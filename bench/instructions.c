/* instructions.c - a job of the compiler, repeated, to be counted under callgrind.

     instructions JOB REPEATS     with no arguments: the names of the jobs

   needs     nothing but public names, so that it compiles on older trees too
   promises  the difference of two counts of repeats is what the repeats cost; bench/instructions.sh
             prints it for each job */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout_ocl.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../tests/as_written.h"

static const char relu[] =
    "func relu(x: f32[1, 56, 56, 64], y: f32[1, 56, 56, 64])\n"
    "    layout(x: (n, h, w, c) -> (n, c / 4, h, w, c % 4))\n"
    "    layout(y: (n, h, w, c) -> (n, c / 4, h, w, c % 4))\n"
    "{ for (n: 1, h: 56, w: 56, c: 64) y[n, h, w, c] = max(x[n, h, w, c], 0.0f); }";

static const char convolution[] =
    "func convolution(x: f32[1, 58, 58, 64], k: f32[3, 3, 64, 64], y: f32[1, 56, 56, 64])\n"
    "    layout(x: (n, h, w, c) -> (n, c / 4, h, w, c % 4))\n"
    "    layout(k: (r, s, i, o) -> (o / 4, i, r, s, o % 4))\n"
    "    layout(y: (n, h, w, c) -> (n, c / 4, h, w, c % 4))\n"
    "{ for (n: 1, h: 56, w: 56, o: 64) {\n"
    "    y[n, h, w, o] = 0.0f;\n"
    "    for (r: 3, s: 3, i: 64)\n"
    "        y[n, h, w, o] = y[n, h, w, o] + x[n, h + r, w + s, i] * k[r, s, i, o]; } }";

static const char transposed[] = "func transposed(x: f32[384, 1000], y: f32[1000, 384])\n"
                                 "{ for (i: 1000, j: 384) y[i, j] = x[j, i]; }";

static const char product[] =
    "func product(N: i32, a: f32[N, 64], b: f32[64, 100], c: f32[N, 100])\n"
    "{ for (i: N, j: 100) { c[i, j] = 0.0f;\n"
    "    for (k: 64) c[i, j] = c[i, j] + a[i, k] * b[k, j]; } }";

static const char map_plain[] = "(n, h, w, c) -> (n, c / 4, h, w, c % 4)";
static const char map_turned[] = "(i, j, k) -> (i + j + k, (i * 3 + j) / 5, j + 2 * k, k)";

static void lower(irl_ctx *cx, const char *text)
{
    const irl_func *f = irl_func_parse(cx, text, strlen(text), NULL);
    /* as it is written: what making a schedule takes, bench/auto.c says */
    if (!f || !irl_ocl_source(lower_as_written(f, irl_target_find("opencl12")))[0]) {
        fprintf(stderr, "%s\n", irl_diag_text(cx));
        exit(2);
    }
}

static void schedule(irl_ctx *cx, const char *text)
{
    const irl_func *f = irl_func_parse(cx, text, strlen(text), NULL);
    if (!f || !irl_schedule_auto(f, irl_target_find("opencl12"))[0]) exit(2);
}

/* A hundred nests over six buffers, four of them packed; no two statements are alike. */
static void lower_nests(irl_ctx *cx, const char *text)
{
    char   all[16384];
    size_t n = 0;
    int    k;
    (void)text;
    n += (size_t)sprintf(all + n, "func nests(b0: f32[1, 56, 56, 64]");
    for (k = 1; k < 6; k++) n += (size_t)sprintf(all + n, ", b%d: f32[1, 56, 56, 64]", k);
    n += (size_t)sprintf(all + n, ")");
    for (k = 0; k < 4; k++)
        n += (size_t)sprintf(all + n, " layout(b%d: (n, h, w, c) -> (n, c / 4, h, w, c %% 4))", k);
    n += (size_t)sprintf(all + n, " {");
    for (k = 0; k < 100; k++)
        n += (size_t)sprintf(
            all + n,
            " for (n: 1, h: 56, w: 56, c: 64)"
            " b%d[n, h, w, c] = max(b%d[n, h, w, c] * %d.5f + b%d[n, h, w, c], 0.0f);",
            k % 6, (k + 1 + k / 6) % 6, k, (k + 2) % 6);
    sprintf(all + n, " }");
    lower(cx, all);
}

static void check(irl_ctx *cx, const char *text)
{
    const irl_map *map = irl_map_parse(cx, text);
    irl_verdict    v;
    if (!map) exit(2);
    v = irl_map_check(cx, map, irl_map_input_count(map) == 3 ? IRL_SHAPE(12, 56, 56)
                                                    : IRL_SHAPE(12, 56, 56, 64));
    if (!irl_verdict_text(cx, &v)[0]) exit(2);
}

static void inverse(irl_ctx *cx, const char *text)
{
    const irl_map *map = irl_map_parse(cx, text);
    if (!map || !irl_map_inverse(cx, map, IRL_SHAPE(12, 56, 56, 64), NULL)) exit(2);
}

static const struct job {
    const char *name;
    void (*run)(irl_ctx *cx, const char *text);
    const char *text;
} jobs[] = {
    { "relu", lower, relu },        { "convolution", lower, convolution },
    { "transposed", lower, transposed }, { "product", lower, product },
    { "nests", lower_nests, NULL },
    { "schedule", schedule, convolution },
    { "verdict", check, map_plain }, { "inverse", inverse, map_plain },
    { "verdict_sums", check, map_turned },
};

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k, count = sizeof jobs / sizeof *jobs;
    int      i;
    for (k = 0; argc == 1 && k < count; k++) puts(jobs[k].name);
    for (k = 0; argc == 3 && k < count; k++) {
        if (strcmp(argv[1], jobs[k].name) != 0) continue;
        for (i = atoi(argv[2]); i > 0; i--) {
            irl_mark m = irl_ctx_mark(cx);
            jobs[k].run(cx, jobs[k].text);
            irl_ctx_rewind(cx, m);
        }
    }
    irl_ctx_destroy(cx);
    return 0;
}
