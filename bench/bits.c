/* bits.c - how fast emitted C unpacks RAW10 and blocks of Q4_0, beside intrinsics by hand; and the
   instructions of setting a pixel of a display, beside C by hand.

   needs     gcc and clang as commands (one that is not there is left out), dlopen, objdump, AVX2
   promises  each result is compared with a plain loop; exit status 1 for a wrong one, where no row
             of targets is at 0.8 of the best by hand by the same compiler, or where setting a pixel
             takes more instructions. Minima of many interleaved runs; one is measured twice
             (A/A) */
#define _POSIX_C_SOURCE 200809L
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout.h"
#include "bench.h"

#include <dlfcn.h>
#include <unistd.h>

enum { PIXELS = 4096, BLOCKS = 128, TARGETS = 3, RUNS = 2000 };

static const char *const targets[TARGETS] = { "c99", "c-gnu-avx2", "c-gnu-avx512" };
static const char *const compilers[] = { "gcc", "clang" };

typedef void unpacker(const uint8_t *p, void *y);

/* What is unpacked: the function, and the names of those by hand, up to an empty one. */
typedef struct job {
    const char *name, *text, *hand[4];
    int         from, to; /* bytes */
    void (*plain)(const uint8_t *p, void *y);
} job;

static void plain_raw10(const uint8_t *p, void *to)
{
    uint16_t *y = (uint16_t *)to;
    int       k;
    for (k = 0; k < PIXELS; k++)
        y[k] = (uint16_t)(p[k / 4 * 5 + k % 4] << 2 | (p[k / 4 * 5 + 4] >> k % 4 * 2 & 3));
}

/* The halves of the blocks are 1.0 to 1.999: no case for small ones. */
static void plain_q4_0(const uint8_t *p, void *to)
{
    float *y = (float *)to;
    int    b, k;
    for (b = 0; b < BLOCKS; b++, p += 18)
        for (k = 0; k < 32; k++)
            y[b * 32 + k] = (1.0f + (float)((p[1] & 3) << 8 | p[0]) / 1024.0f) *
                            (float)((p[2 + k % 16] >> k / 16 * 4 & 15) - 8);
}

static const job jobs[] = {
    { "raw10",
      "func raw10(p: u8[5120], y: u16[4096]) {\n"
      "  decl high: u8[1024, 4] data(p) strides(40, 8) field bits(lsb);\n"
      "  decl low: u2[1024, 4] data(p) strides(40, 2) offset(32) field;\n"
      "  for (x: 4096) y[x] = u16(high[x / 4, x % 4]) * 4 + u16(low[x / 4, x % 4]); }",
      { "hand_raw10_sse", "hand_raw10_avx2", "" },
      PIXELS / 4 * 5,
      2 * PIXELS,
      plain_raw10 },
    { "q4_0",
      "func q4_0(w: u8[128, 18], y: f32[128, 2, 16]) {\n"
      "  decl d: f16[128] data(w) strides(144) field bits(lsb);\n"
      "  decl q: u4[128, 2, 16] data(w) strides(144, 4, 8) offset(16) field;\n"
      "  for (b: 128) { let s = f32(d[b]);\n"
      "    for (t: 2, j: 16) y[b, t, j] = s * f32(i32(q[b, t, j]) - 8); } }",
      { "hand_q4_0_avx2", "hand_q4_0_avx512", "" },
      18 * BLOCKS,
      4 * 32 * BLOCKS,
      plain_q4_0 },
};
enum { JOBS = 2 };

static const char by_hand[] =
    "#include <immintrin.h>\n#include <stdint.h>\n#include <string.h>\n"
    "#define HIGH 0,-1,1,-1,2,-1,3,-1,5,-1,6,-1,7,-1,8,-1\n"
    "#define LOW 4,-1,4,-1,4,-1,4,-1,9,-1,9,-1,9,-1,9,-1\n"
    "static __m128i eight(__m128i v)\n{\n"
    "    const __m128i h = _mm_shuffle_epi8(v, _mm_setr_epi8(HIGH));\n"
    "    const __m128i l = _mm_shuffle_epi8(v, _mm_setr_epi8(LOW));\n"
    "    return _mm_or_si128(_mm_slli_epi16(h, 2), _mm_and_si128(_mm_srli_epi16(\n"
    "        _mm_mullo_epi16(l, _mm_setr_epi16(64, 16, 4, 1, 64, 16, 4, 1)), 6),\n"
    "        _mm_set1_epi16(3)));\n}\n"
    "void hand_raw10_sse(const uint8_t *p, uint16_t *y)\n{\n"
    "    int k;\n    for (k = 0; k < 4096; k += 16) {\n"
    "        const __m128i a = _mm_loadu_si128((const __m128i *)(p + k / 4 * 5));\n"
    "        const __m128i b = _mm_loadu_si128((const __m128i *)(p + k / 4 * 5 + 4));\n"
    "        _mm_storeu_si128((__m128i *)(y + k), eight(a));\n"
    "        _mm_storeu_si128((__m128i *)(y + k + 8), eight(_mm_srli_si128(b, 6)));\n    }\n}\n"
    "#define HIGH_6 6,-1,7,-1,8,-1,9,-1,11,-1,12,-1,13,-1,14,-1\n"
    "#define LOW_6 10,-1,10,-1,10,-1,10,-1,15,-1,15,-1,15,-1,15,-1\n"
    "void hand_raw10_avx2(const uint8_t *p, uint16_t *y)\n{\n"
    "    int k;\n    for (k = 0; k < 4096; k += 16) {\n"
    "        const __m256i v = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(\n"
    "            (const __m128i *)(p + k / 4 * 5))), _mm_loadu_si128(\n"
    "            (const __m128i *)(p + k / 4 * 5 + 4)), 1);\n"
    "        const __m256i h = _mm256_shuffle_epi8(v, _mm256_setr_epi8(HIGH, HIGH_6));\n"
    "        const __m256i l = _mm256_shuffle_epi8(v, _mm256_setr_epi8(LOW, LOW_6));\n"
    "        const __m256i s = _mm256_setr_epi16(64, 16, 4, 1, 64, 16, 4, 1,\n"
    "                                            64, 16, 4, 1, 64, 16, 4, 1);\n"
    "        _mm256_storeu_si256((__m256i *)(y + k), _mm256_or_si256(_mm256_slli_epi16(h, 2),\n"
    "            _mm256_and_si256(_mm256_srli_epi16(_mm256_mullo_epi16(l, s), 6),\n"
    "            _mm256_set1_epi16(3))));\n    }\n}\n"
    "static float half(const uint8_t *p)\n{\n    uint16_t h;\n    memcpy(&h, p, 2);\n"
    "    return _cvtsh_ss(h);\n}\n"
    "void hand_q4_0_avx2(const uint8_t *p, float *y)\n{\n    int b, k;\n"
    "    for (b = 0; b < 128; b++, p += 18, y += 32) {\n"
    "        const __m256 d = _mm256_set1_ps(half(p));\n"
    "        const __m128i q = _mm_loadu_si128((const __m128i *)(p + 2)), m = _mm_set1_epi8(15);\n"
    "        __m128i n[2];\n"
    "        n[0] = _mm_sub_epi8(_mm_and_si128(q, m), _mm_set1_epi8(8));\n"
    "        n[1] = _mm_sub_epi8(_mm_and_si128(_mm_srli_epi16(q, 4), m), _mm_set1_epi8(8));\n"
    "        for (k = 0; k < 2; k++) {\n"
    "            _mm256_storeu_ps(y + 16 * k, _mm256_mul_ps(d, _mm256_cvtepi32_ps(\n"
    "                _mm256_cvtepi8_epi32(n[k]))));\n"
    "            _mm256_storeu_ps(y + 16 * k + 8, _mm256_mul_ps(d, _mm256_cvtepi32_ps(\n"
    "                _mm256_cvtepi8_epi32(_mm_srli_si128(n[k], 8)))));\n        }\n    }\n}\n"
    "#ifdef __AVX512F__\n"
    "void hand_q4_0_avx512(const uint8_t *p, float *y)\n{\n    int b;\n"
    "    for (b = 0; b < 128; b++, p += 18, y += 32) {\n"
    "        const __m512 d = _mm512_set1_ps(half(p));\n"
    "        const __m128i q = _mm_loadu_si128((const __m128i *)(p + 2)), m = _mm_set1_epi8(15);\n"
    "        const __m128i e = _mm_set1_epi8(8);\n"
    "        _mm512_storeu_ps(y, _mm512_mul_ps(d, _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(\n"
    "            _mm_sub_epi8(_mm_and_si128(q, m), e)))));\n"
    "        _mm512_storeu_ps(y + 16, _mm512_mul_ps(d, _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(\n"
    "            _mm_sub_epi8(_mm_and_si128(_mm_srli_epi16(q, 4), m), e)))));\n    }\n}\n#endif\n";

static const char pixel[] =
    "func set_pixel(y: index, x: index, on: u8, d: u1[64, 128])\n"
    "    layout(d: (y, x) -> (y / 8, x, y % 8)) {\n"
    "    assume(y >= 0 && y < 64 && x >= 0 && x < 128);\n    d[y, x] = on;\n}";
static const char pixel_by_hand[] =
    "#include <stdint.h>\n"
    "void hand_set_pixel(uint32_t y, uint32_t x, uint8_t on, uint8_t *d)\n{\n"
    "    uint8_t *b = d + (y >> 3) * 128 + x;\n"
    "    *b = (uint8_t)((*b & ~(1u << (y & 7))) | (on & 1u) << (y & 7));\n}\n";

/* ------------------------------------------------------------------ building */

static char folder[64] = "/tmp/irl_bits_XXXXXX";

static void must(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static int has(const char *tool)
{
    char line[128];
    snprintf(line, sizeof line, "command -v %s > /dev/null 2>&1", tool);
    return system(line) == 0;
}

static void write_file(const char *name, const char *text)
{
    char  path[128];
    FILE *f;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    must(f && fputs(text, f) >= 0 && fclose(f) == 0, path);
}

static const char *emitted(irl_ctx *cx, const char *text, const char *target, const char *prefix,
                           irl_scalar index)
{
    irl_c_options how;
    const char   *source;
    irl_func     *func = irl_func_parse(cx, text, strlen(text), "bits");
    memset(&how, 0, sizeof how);
    how.prefix = prefix;
    how.index = index;
    source = irl_c_source_with(irl_func_lower(func, irl_target_find(target)), &how);
    must(source[0] != '\0', irl_diag_text(cx));
    if (getenv("IRL_BENCH_SOURCE")) puts(source);
    return source;
}

/* All jobs for all targets, each a file of its own, and those by hand: one library. */
static void *build(irl_ctx *cx, const char *compiler)
{
    char line[256], prefix[16];
    int  j, t;
    for (j = 0; j < JOBS; j++)
        for (t = 0; t < TARGETS; t++) {
            snprintf(prefix, sizeof prefix, "t%d_", t);
            snprintf(line, sizeof line, "%s_%d.c", jobs[j].name, t);
            write_file(line, emitted(cx, jobs[j].text, targets[t], prefix, IRL_BOOL));
        }
    write_file("hand.c", by_hand);
    snprintf(line, sizeof line,
             "cd %s && %s -std=gnu99 -O3 -march=native -w -shared -fPIC -o %s.so *.c -lm", folder,
             compiler, compiler);
    must(system(line) == 0, line);
    snprintf(line, sizeof line, "%s/%s.so", folder, compiler);
    return dlopen(line, RTLD_NOW);
}

/* ------------------------------------------------------------------ times */

enum { MOST = TARGETS + 5 };

static void measure(void *library, const char *compiler, const job *j)
{
    uint8_t   *p = (uint8_t *)malloc((size_t)j->from);
    char      *y = (char *)malloc((size_t)j->to), *wanted = (char *)malloc((size_t)j->to);
    unpacker  *run[MOST];
    char       names[MOST][32];
    double     least[MOST] = { 0 }, hand = 0, best = 0, begin;
    int        k, n, count = 0, round;
    must(p && y && wanted, "malloc");
    for (k = 0; k < j->from; k++) p[k] = (uint8_t)(k * 37 + k / 7);
    for (k = 0; j->from == 18 * BLOCKS && k < BLOCKS; k++)
        p[k * 18 + 1] = (uint8_t)(0x3c | (k & 3));
    j->plain(p, wanted);
    for (k = 0; k < TARGETS + 1; k++, count++) { /* the first one twice */
        snprintf(names[count], sizeof names[count], "t%d_%s", k % TARGETS, j->name);
        *(void **)&run[count] = dlsym(library, names[count]);
        must(run[count] != NULL, names[count]);
    }
    for (k = 0; j->hand[k] && j->hand[k][0]; k++) {
        *(void **)&run[count] = dlsym(library, j->hand[k]);
        if (run[count]) snprintf(names[count++], sizeof names[0], "%s", j->hand[k]);
    }
    for (round = 0; round < RUNS; round++)
        for (k = 0; k < count; k++) {
            memset(y, 0, round ? 0 : (size_t)j->to);
            begin = bench_now();
            for (n = 0; n < 4; n++) run[k](p, y);
            bench_least(&least[k], (bench_now() - begin) / 4);
            if (round || memcmp(y, wanted, (size_t)j->to) == 0) continue;
            printf("  WRONG: %s by %s\n", names[k], compiler);
            bench_missed++;
        }
    for (k = TARGETS + 1; k < count; k++) bench_least(&hand, least[k]);
    printf("%s by %s, %d bytes to %d\n", j->name, compiler, j->from, j->to);
    for (k = 0; k < count; k++) {
        printf("  %-20s %8.3f us  %5.2f of the best by hand%s\n",
               k < TARGETS ? targets[k] : k == TARGETS ? "c99 again" : names[k], 1e6 * least[k],
               hand / least[k], k > TARGETS ? ", by hand" : "");
        if (k < TARGETS) bench_least(&best, least[k]);
    }
    printf("  A/A %.2f\n", least[0] / least[TARGETS]);
    bench_gate("best row, of the best by hand", hand >= 0.8 * best, hand / best, "", "at least 0.8",
               0);
    free(p);
    free(y);
    free(wanted);
}

/* ------------------------------------------------------------------ instructions */

static int instructions(const char *compiler, const char *function)
{
    char  line[512];
    FILE *p;
    int   count = -1;
    snprintf(line, sizeof line,
             "cd %s && %s -std=c99 -O2 -w -c -o pixel.o pixel.c && objdump -d --no-show-raw-insn "
             "pixel.o | awk '/<%s>:/ {on = 1; next} /^$/ {on = 0} on && !/nop|xchg +%%ax/ {n++} "
             "END {print n + 0}'", folder, compiler, function);
    p = popen(line, "r");
    must(p && fscanf(p, "%d", &count) == 1, line);
    pclose(p);
    return count;
}

static void measure_pixel(irl_ctx *cx, const char *compiler)
{
    char text[4096];
    int  e, h;
    snprintf(text, sizeof text, "%s\n%s", emitted(cx, pixel, "c99", NULL, IRL_U32),
             pixel_by_hand);
    write_file("pixel.c", text);
    e = instructions(compiler, "set_pixel");
    h = instructions(compiler, "hand_set_pixel");
    printf("setting a pixel by %s -O2: %d instructions, by hand %d\n", compiler, e, h);
    bench_gate("instructions of setting a pixel, over by hand", e > 0 && e <= h, (double)e / h, "",
               "at most 1", 0);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    char     line[128];
    size_t   k;
    int      j;
    must(mkdtemp(folder) != NULL, "mkdtemp");
    for (k = 0; k < sizeof compilers / sizeof *compilers; k++) {
        void *library = has(compilers[k]) ? build(cx, compilers[k]) : NULL;
        if (!library) {
            printf("there is no %s\n", compilers[k]);
            continue;
        }
        for (j = 0; j < JOBS; j++) measure(library, compilers[k], &jobs[j]);
        dlclose(library);
        if (has("objdump")) measure_pixel(cx, compilers[k]);
        snprintf(line, sizeof line, "rm -f %s/*", folder);
        must(system(line) == 0, line);
    }
    snprintf(line, sizeof line, "rm -rf %s", folder);
    must(system(line) == 0, line);
    irl_ctx_destroy(cx);
    return bench_done();
}
