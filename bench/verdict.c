/* verdict.c - how long a verdict with its checked inverse and padding takes, that extents do not
   matter where digits decide, and how the time grows with the axes of families of maps.

   needs     nothing but the library
   promises  exit status 1 if a gate is missed; bench/README.md says what the figures mean.
             tests/isl_maps.c has isl's times */
#define _POSIX_C_SOURCE 199309L
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout.h"
#include "bench.h"
#include "families.h"
#include <math.h>

typedef struct row {
    const char *map;
    irl_shape   shape, larger; /* 10^4 times as many points */
    double      most;          /* microseconds; 0: none */
} row;

static const row rows[] = {
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 56, 56, 64 } },
      { 4, NULL, { 100, 560, 560, 64 } },
      5 },
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)",
      { 4, NULL, { 1, 56, 56, 63 } },
      { 4, NULL, { 100, 560, 560, 63 } },
      0 },
    { "(n, h, w, c) -> (n, h/8, w/8, c/4, h%8, w%8, c%4)",
      { 4, NULL, { 1, 56, 56, 64 } },
      { 4, NULL, { 100, 560, 560, 64 } },
      0 },
    { "(y, x) -> (y/8*1048576 + x, y%8)",
      { 2, NULL, { 64, 128 } }, { 2, NULL, { 6400, 12800 } }, 0 },
    { "(i) -> (i/3, i%3/2, i%3%2)", { 1, NULL, { 9 } }, { 1, NULL, { 90000 } }, 0 },
    { "(n, h, w, c) -> ((((n*1024 + c/4)*1024 + h)*1024 + w)*4 + c%4)",
      { 4, NULL, { 2, 56, 56, 64 } },
      { 4, NULL, { 200, 560, 560, 64 } },
      0 },
    { "(y, x) -> (y, x/4 ^ y%8, x%4)", { 2, NULL, { 64, 32 } }, { 2, NULL, { 640000, 32 } }, 0 },
    { "(x) -> ((x + 1000)%167772160)", { 1, NULL, { 16777 } }, { 1, NULL, { 167770000 } }, 0 },
};

/* One verdict; the context is rewound and not timed. */
static double time_verdict(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    irl_mark    m = irl_ctx_mark(cx);
    double      begin = bench_now(), end;
    irl_verdict v = irl_map_check(cx, map, shape);
    end = bench_now();
    if (!v.inverse || !v.padding || strcmp(v.method, "table") == 0) {
        fprintf(stderr, "no verdict with a formula: %s %s\n", irl_verdict_text(cx, &v),
                irl_diag_text(cx));
        exit(2);
    }
    irl_ctx_rewind(cx, m);
    return end - begin;
}

/* ------------------------------------------------------------------ families, by their axes */

enum { SIZES = 4 };
static const int sizes[SIZES] = { 4, 8, 16, 32 };

/* One answer of a family, and how long that took; the kind, which must not be undecided. */
static double time_question(irl_ctx *cx, const family_question *q, int named, const char **kind)
{
    irl_mark         m = irl_ctx_mark(cx);
    double           begin = bench_now(), end;
    irl_verdict_kind found;
    if (named) found = irl_map_check(cx, q->map, irl_shape_of(q->rank, q->extents)).kind;
    else found = irl_map_check(cx, q->map, q->shape).kind;
    end = bench_now();
    *kind = irl_verdict_name(found);
    irl_ctx_rewind(cx, m);
    return end - begin;
}

/* The sizes take turns, so that a slow minute slows all of them. */
static void time_family(int which)
{
    irl_ctx        *cx[SIZES];
    family_question q[SIZES];
    double          least[SIZES] = { 0, 0, 0, 0 }, growth;
    const char     *kind = "";
    char            limit[96];
    int             k, repeat;
    for (k = 0; k < SIZES; k++) {
        cx[k] = irl_ctx_create(NULL);
        if (!family_read(&q[k], cx[k], which, sizes[k])) {
            fprintf(stderr, "%s of %d: %s\n", families[which].name, sizes[k],
                    irl_diag_text(cx[k]));
            exit(2);
        }
    }
    for (repeat = 0; repeat < 400; repeat++)
        for (k = 0; k < SIZES; k++)
            bench_least(&least[k], time_question(cx[k], &q[k], families[which].named, &kind));
    growth = log(least[3] / least[1]) / log(4);
    sprintf(limit, "%.1f, %.1f, %.1f us at 4, 8, 16 axes, %s; at most 100", 1e6 * least[0],
            1e6 * least[1], 1e6 * least[2], kind);
    bench_gate(families[which].name, least[3] <= 100e-6, 1e6 * least[3], "us", limit, 1);
    bench_gate("    growth from 8 to 32 axes, as a power", growth <= 1.37, growth, "",
               "at most 1.37, n log n", 1);
    for (k = 0; k < SIZES; k++) irl_ctx_destroy(cx[k]);
}

int main(void)
{
    size_t k;
    printf("families of maps, 32 axes, or outputs, or choices; microseconds, minimum of many\n");
    for (k = 0; k < FAMILIES; k++) time_family((int)k);
    printf("verdict, checked inverse and padding of a parsed map; microseconds, minimum of many; "
           "larger: 10^4 times the points\n");
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx       *cx = irl_ctx_create(NULL);
        const irl_map *map = irl_map_parse(cx, rows[k].map);
        double         least[3] = { 0, 0, 0 };
        char           limit[64];
        int            repeat;
        /* small, small again (A/A), larger; interleaved */
        for (repeat = 0; repeat < 6000; repeat++)
            bench_least(&least[repeat % 3],
                        time_verdict(cx, map, repeat % 3 < 2 ? rows[k].shape : rows[k].larger));
        sprintf(limit, "A/A %.2f, larger %.2f us", least[1] / least[0], 1e6 * least[2]);
        bench_gate(rows[k].map, rows[k].most == 0 || 1e6 * least[0] < rows[k].most, 1e6 * least[0],
                   "us", limit, 0);
        bench_gate("    larger to small", least[2] <= 1.25 * least[0], least[2] / least[0], "",
                   "at most 1.25", 0);
        irl_ctx_destroy(cx);
    }
    return bench_done();
}
