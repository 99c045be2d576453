/* c_pack.c - how fast the emitted C is that packs NHWC into NCHW4c, by target c-gnu-avx512, beside
   C by hand and memcpy.

   needs     gcc as a command, dlopen
   promises  each result is compared with a plain loop; exit status 1 for a wrong one, or where the
             emitted C is below 0.95 of the best by hand. Minima of many interleaved runs; the
             emitted one is measured twice (A/A) */
#define _POSIX_C_SOURCE 200809L
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout.h"
#include "bench.h"

#include <dlfcn.h>
#include <unistd.h>

#define FLAGS "-std=gnu99 -O3 -march=native -w"

typedef void mover(const float *x, float *y);

typedef struct shape {
    int n, h, w, c;
} shape;
static const shape shapes[] = { { 1, 56, 56, 64 }, { 1, 112, 112, 32 }, { 1, 7, 7, 2048 } };

/* P pixels of an image, N images, B blocks of four channels. */
static const char by_hand[] =
    "#include <string.h>\n"
    "typedef float v4 __attribute__((vector_size(16), aligned(4), may_alias));\n"
    "void pixels(const float *restrict x, float *restrict y)\n{\n"
    "    for (int n = 0; n < N; n++) for (int p = 0; p < P; p++) for (int b = 0; b < B; b++)\n"
    "        *(v4 *)(y + ((n * B + b) * P + p) * 4) =\n"
    "            *(const v4 *)(x + ((n * P + p) * B + b) * 4);\n"
    "}\n"
    "void blocks(const float *restrict x, float *restrict y)\n{\n"
    "    for (int n = 0; n < N; n++) for (int b = 0; b < B; b++) for (int p = 0; p < P; p++)\n"
    "        *(v4 *)(y + ((n * B + b) * P + p) * 4) =\n"
    "            *(const v4 *)(x + ((n * P + p) * B + b) * 4);\n"
    "}\n"
    "void tiles(const float *restrict x, float *restrict y)\n{\n"
    "    for (int n = 0; n < N; n++) for (int b = 0; b < B; b += 4) for (int p = 0; p < P; p++)\n"
    "        for (int k = 0; k < 4; k++)\n"
    "            *(v4 *)(y + ((n * B + b + k) * P + p) * 4) =\n"
    "                *(const v4 *)(x + ((n * P + p) * B + b + k) * 4);\n"
    "}\n"
    "void rows(const float *restrict x, float *restrict y)\n{\n"
    "    for (int n = 0; n < N; n++) for (int h = 0; h < P; h += W) for (int b = 0; b < B; b++)\n"
    "        for (int p = h; p < h + W; p++)\n"
    "            *(v4 *)(y + ((n * B + b) * P + p) * 4) =\n"
    "                *(const v4 *)(x + ((n * P + p) * B + b) * 4);\n"
    "}\n"
    "void copy(const float *restrict x, float *restrict y)\n{\n"
    "    memcpy(y, x, sizeof(float) * N * P * B * 4);\n}\n";
static const char *const names[] = { "pack", "pack", "pixels", "blocks", "tiles", "rows", "copy" };
enum { MOVERS = 7, HAND = 2, COPY = 6 };

static void must(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s\n", what);
    exit(2);
}

/* The emitted function and those by hand, as one library. */
static void *build(irl_ctx *cx, const shape *s)
{
    char        text[400], line[512], folder[] = "/tmp/irl_c_pack_XXXXXX";
    const char *source;
    FILE       *f;
    void       *library;
    snprintf(text, sizeof text,
             "func pack(x: f32[%d, %d, %d, %d], y: f32[%d, %d, %d, %d])\n"
             "    layout(y: (n, h, w, c) -> (n, c / 4, h, w, c %% 4)) {\n"
             "    for (n: %d, h: %d, w: %d, c: %d) y[n, h, w, c] = x[n, h, w, c];\n}\n",
             s->n, s->h, s->w, s->c, s->n, s->h, s->w, s->c, s->n, s->h, s->w, s->c);
    source = irl_c_source(irl_func_lower(irl_func_parse(cx, text, strlen(text), "pack"),
                                         &irl_target_c_gnu_avx512));
    must(source[0] != '\0', irl_diag_text(cx));
    if (getenv("IRL_BENCH_SOURCE")) puts(source);
    must(mkdtemp(folder) != NULL, "mkdtemp");
    snprintf(line, sizeof line, "%s/k.c", folder);
    f = fopen(line, "w");
    must(f != NULL, line);
    fprintf(f, "%s\n#define N %d\n#define P %d\n#define W %d\n#define B %d\n%s", source, s->n,
            s->h * s->w, s->w, s->c / 4, by_hand);
    fclose(f);
    snprintf(line, sizeof line, "cd %s && gcc " FLAGS " -shared -fPIC -o k.so k.c -lm", folder);
    must(system(line) == 0, "gcc builds nothing");
    snprintf(line, sizeof line, "%s/k.so", folder);
    library = dlopen(line, RTLD_NOW);
    must(library != NULL, "dlopen");
    snprintf(line, sizeof line, "rm -rf %s", folder);
    must(system(line) == 0, line);
    return library;
}

static void expect(const shape *s, const float *x, float *y)
{
    int n, p, c, points = s->h * s->w;
    for (n = 0; n < s->n; n++)
        for (p = 0; p < points; p++)
            for (c = 0; c < s->c; c++)
                y[((n * (s->c / 4) + c / 4) * points + p) * 4 + c % 4] =
                    x[(n * points + p) * s->c + c];
}

static void measure(irl_ctx *cx, const shape *s)
{
    const size_t cells = (size_t)(s->n * s->h * s->w * s->c);
    float  *x = (float *)malloc(cells * 4), *y = (float *)malloc(cells * 4),
           *expected = (float *)malloc(cells * 4);
    double  least[MOVERS] = { 0 }, begin, best = 0;
    void   *library = build(cx, s);
    size_t  j;
    int     k, round, repeat;
    must(x && y && expected, "malloc");
    for (j = 0; j < cells; j++) x[j] = (float)j;
    expect(s, x, expected);
    for (round = 0; round < 300; round++)
        for (k = 0; k < MOVERS; k++) {
            mover *move;
            *(void **)&move = dlsym(library, names[k]);
            for (repeat = 0; repeat < 4; repeat++) {
                begin = bench_now();
                move(x, y);
                if (repeat) bench_least(&least[k], bench_now() - begin);
            }
            if (round || k == COPY) continue;
            if (memcmp(y, expected, cells * 4) == 0) continue;
            printf("  WRONG: %s\n", names[k]);
            bench_missed++;
        }
    printf("%dx%dx%dx%d, %s\n", s->n, s->h, s->w, s->c, "gcc " FLAGS);
    for (k = 0; k < MOVERS; k++) {
        printf("  %-8s %8.1f us  %6.2f GB/s%s\n", k == 0 ? "emitted" : k == 1 ? "again" : names[k],
               1e6 * least[k], 8e-9 * (double)cells / least[k], k < HAND ? "" : "   by hand");
        if (k >= HAND && k < COPY) bench_least(&best, least[k]);
    }
    printf("  A/A %.2f\n", least[0] / least[1]);
    bench_gate("emitted, of the best by hand", best >= 0.95 * least[0], best / least[0], "",
               "at least 0.95", 0);
    dlclose(library);
    free(x);
    free(y);
    free(expected);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k;
    for (k = 0; k < sizeof shapes / sizeof *shapes; k++) measure(cx, &shapes[k]);
    irl_ctx_destroy(cx);
    return bench_done();
}
