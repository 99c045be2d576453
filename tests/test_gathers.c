/* test_gathers.c - bytes that are read at constant distances, and numbers that are computed of
   them in lanes of other widths: generated functions against the interpreter, lowered, and as C
   of row c-gnu-avx2 by gcc and clang, whose sanitizer sees each byte that is read outside.

   usage  test_gathers [FIRST [COUNT]] */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#include "../src/target/target.h"
#endif
#include "generate.h"
#include "test.h"
#include "c_batch.h"
#include "random64.h"

/* Where lane i of a vector reads, from the begin of its step, and the most of that for 16 lanes. */
typedef struct place {
    const char *text;
    int         most8, most16;
} place;

static const place places[] = {
    { "i", 7, 15 },
    { "i / 4 * 5 + i % 4", 8, 18 },           /* RAW10 */
    { "i / 4 * 5 + 4", 9, 19 },               /* and its low bits */
    { "i / 2 * 3 + i % 2", 10, 22 },          /* RAW12 */
    { "i * 2", 14, 30 },                      /* luma of YUYV */
    { "i * 2 + 1", 15, 31 },
    { "i / 2 * 4 + 1", 13, 29 },              /* chroma */
    { "i * 3 + 1", 22, 46 },                  /* green of RGB888 */
    { "i * 4 + 2", 30, 62 },
    { "i * 5", 35, 75 },                      /* too far */
    { "15 - i", 15, 15 },
    { "i / 2", 3, 7 },                        /* nibbles */
    { "i % 4 * 7 + i / 4", 22, 24 },          /* transposed */
    { "3", 3, 3 },
};
enum { PLACES = 14, BATCH = 25 };

/* Of a byte a, and b of another place, what is computed. */
static const char *const values[] = {
    "u16(a) * 4 + u16((b >> u8(i % 4 * 2)) & 3)", "u16(u32(a) << 8 | u32(b))",
    "u16(a) + u16(b) * 256", "u16(u8(u32(a) >> u32(i % 2 * 4) & 15))",
    "u16(u8((u16(a) << u16(i % 3)) >> u16(i % 5)))", "u16((a + b) >> 1)",
    "u16(u16(a) * u16(b) >> u16(i % 7))", "u16(a & b | u8(7)) % 32", "u16(a ^ b)",
    "u16(u8(u32(a) * 5)) + u16(u32(b) % 16)", "u16(max(a, b))",
    "u16((u32(a) * 256 + u32(b)) >> u32(i % 5 + 3))", /* bits that a narrow lane has not */
    "(u32(a) * 65536 + u32(b)) >> u32(i % 3 + 7)",
    "u16((u16(bool(i)) << u16(3)) ^ u16(a)) + u16(b)", /* 0 or 1, and not i */
    "f32(as(f16, (u16(a) * 256 + u16(b)) & 64511))" /* any half but infinities and NaN */
};
enum { VALUES = 15, HALVES = 14 };
static const char *const kinds[] = { "u16", "u8", "f32", "i32", "u32" };
static const char *const kind_types[] = { "uint16_t", "uint8_t", "float", "int32_t", "uint32_t" };
static const int         kind_bytes[] = { 2, 1, 4, 4, 4 };
enum { KINDS = 5, FLOATS = 2 };

typedef struct gather_case {
    char    text[2000];
    int     bytes, count, of; /* the result's elements, and the size of one */
    int     is_auto;          /* without a schedule */
    const char *type;
    uint8_t p[600];
    uint8_t y[16 * 4 * 4];
} gather_case;

static void put_replaced(char *out, const char *text, const char *a, const char *b)
{
    for (; *text; text++) {
        const char *by = text[0] == 'a' && !strchr("mxs", text[1]) ? a
                         : text[0] == 'b' && text[1] != 'o' ? b : NULL;
        const int   word = text[0] == 'a' && text[1] == 'x';
        if (by && !word) out += sprintf(out, "%s", by);
        else *out++ = *text;
    }
    *out = '\0';
}

static void make(gather_case *c, uint64_t seed)
{
    char number[24], value[700], a[100], b[100];
    int  lanes, steps, stride, first, second, at, k, most, kind, form;
    sprintf(number, "%lu", (unsigned long)seed);
    random64_state = UINT64_C(0x9e3779b97f4a7c15);
    random64_seed(number);
    lanes = random_below(2) ? 16 : 8;
    steps = 1 + random_below(4);
    first = random_below(PLACES);
    second = random_below(PLACES);
    stride = 1 + random_below(40);
    at = random_below(5);
    kind = random_below(KINDS);
    most = lanes == 8 ? places[first].most8 : places[first].most16;
    k = lanes == 8 ? places[second].most8 : places[second].most16;
    if (lanes == 8 && first == 10) most = 15;
    if (k > most) most = k;
    c->bytes = at + (steps - 1) * stride + most + 1; /* the last byte is read */
    c->count = steps * lanes;
    sprintf(a, "p[o * %d + %d + (%s)]", stride, at, places[first].text);
    sprintf(b, "p[o * %d + %d + (%s)]", stride, at, places[second].text);
    form = random_below(VALUES);
    if (form == HALVES) kind = FLOATS;
    c->of = kind_bytes[kind];
    c->type = kind_types[kind];
    put_replaced(value, values[form], a, b);
    c->is_auto = random_below(2);
    if (c->is_auto) { /* one loop, whose vectors somebody else finds */
        if (steps > 1) c->count -= random_below(4);
        sprintf(c->text,
                "func f(p: u8[%d], y: %s[%d]) {\n  for (x: %d) {\n    let o = x / %d;\n"
                "    let i = x %% %d;\n    y[x] = %s(%s); } }",
                c->bytes, kinds[kind], c->count, c->count, lanes, lanes, kinds[kind], value);
    } else
        sprintf(c->text,
                "func f(p: u8[%d], y: %s[%d]) {\n  for (o: %d) for vectorized (i: %d)\n"
                "    y[o * %d + i] = %s(%s); }",
                c->bytes, kinds[kind], c->count, steps, lanes, lanes, kinds[kind], value);
    for (k = 0; k < c->bytes; k++) c->p[k] = (uint8_t)random64();
}

static int runs(gather_case *c, const irl_func *f, const irl_module *m, uint8_t *y)
{
    void         *data[2];
    irl_arguments a;
    memset(&a, 0, sizeof a);
    data[0] = c->p;
    data[1] = y;
    a.data[0] = data[0];
    a.data[1] = data[1];
    a.count = 2;
    memset(y, 0xaa, sizeof c->y);
    return f ? irl_func_interpret(f, a) : irl_module_interpret(m, a);
}

static int gathers, picks, widens; /* what the C had, so that it is known to be tested */
static int scheduled;

static void seen(const char *source)
{
    gathers += strstr(source, "_at *)(const void *)(p") != NULL;
    picks += strstr(source, "_pick_") != NULL;
    widens += strstr(source, "_widen_") != NULL;
}

static int put(irl_ctx *cx, c_text *t, const irl_func *f, gather_case *c, int number)
{
    const char *source =
        irl_c_source(irl_func_lower(c_named(cx, f, number), irl_target_find("c-gnu-avx2")));
    int k;
    if (!source[0]) return 0;
    seen(source);
    c_put(t, "%s\nstatic const uint8_t p_%d[] = {", source, number);
    for (k = 0; k < c->bytes; k++) c_put(t, "%d,", c->p[k]);
    c_put(t, "};\nstatic const uint8_t y_%d[] = {", number);
    for (k = 0; k < c->count * c->of; k++) c_put(t, "%d,", c->y[k]);
    c_put(t,
          "};\nstatic void run_%d(void)\n{\n"
          "    uint8_t *p = (uint8_t *)malloc(%d), *y = (uint8_t *)malloc(sizeof y_%d);\n"
          "    memcpy(p, p_%d, %d);\n    g%d(p, (%s *)(void *)y);\n"
          "    if (memcmp(y, y_%d, sizeof y_%d)) { printf(\"function %d\\n\"); c_failed = 1; }\n"
          "    free(p);\n    free(y);\n}\n",
          number, c->bytes, number, number, c->bytes, number, c->type, number, number, number);
    return 1;
}

/* f after the schedule that is made for it. */
static irl_func *made(irl_func *f)
{
    const char *text = irl_schedule_auto(f, irl_target_find("c-gnu-avx2"));
    scheduled += strstr(text, "selected from") != NULL;
    return irl_schedule_parse(f, text, IRL_TO_NUL, "auto");
}

static void one(c_text *t, uint64_t seed, int number)
{
    static gather_case c;
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f;
    irl_module *m;
    uint8_t     y[sizeof c.y];
    int         ok;
    make(&c, seed);
    f = irl_func_parse(cx, c.text, strlen(c.text), "gather");
    ok = runs(&c, f, NULL, c.y);
    if (c.is_auto) {
        f = made(f);
        ok = ok && runs(&c, f, NULL, y) && memcmp(y, c.y, (size_t)(c.count * c.of)) == 0;
    }
    m = irl_func_lower(f, irl_target_find("c-gnu-avx2"));
    ok = ok && runs(&c, NULL, m, y) && memcmp(y, c.y, (size_t)(c.count * c.of)) == 0;
    ok = ok && irl_module_check(m, NULL) && put(cx, t, f, &c, number);
    if (!CHECK(ok)) printf("seed %lu: %s\n%s\n", (unsigned long)seed, irl_diag_text(cx), c.text);
    irl_ctx_destroy(cx);
}

static void build(const c_text *t)
{
    static const char *const commands[] = {
        "gcc -std=gnu99 -O2 -w -fsanitize=address,undefined -fno-sanitize-recover=all",
        "clang -std=gnu99 -O1 -w -fsanitize=address,undefined -fno-sanitize-recover=all",
        "gcc -std=gnu99 -O3 -march=native -w", "clang -std=gnu99 -O3 -march=native -w",
        "clang++ -std=c++11 -O1 -w -x c++"
    };
    int k;
    if (!first_byte_is_low()) { /* the cases hold the bytes of this machine's numbers */
        if (c_has("s390x-linux-gnu" C_ELSEWHERE) && c_has("qemu-s390x"))
            CHECK(c_run("s390x-linux-gnu" C_ELSEWHERE, "qemu-s390x", t, 1));
        return;
    }
    for (k = 0; k < c_takes(5); k++)
        if (c_has(commands[k])) CHECK(c_run(commands[k], "", t, 1));
}

/* A memory that the kernel writes is read where it was said, and no byte beside. */
static void test_written(void)
{
    static const char text[] =
        "func f(p: u8[64]) { for (o: 2) for vectorized (i: 8)\n"
        "    p[o * 32 + i * 2] = p[o * 32 + i * 2 + 1]; }";
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, text, strlen(text), "written");
    const char *source = irl_c_source(irl_func_lower(f, irl_target_find("c-gnu-avx2")));
    CHECK_OK(cx);
    CHECK(source[0] && !strstr(source, "_pick_") && !strstr(source, "x8_at"));
    f = irl_func_parse(cx, "func f(p: u8[64]) { for (o: 2) for vectorized (i: 8) "
                           "p[o * 8 + i] = p[32 + i * 2]; }", IRL_TO_NUL, "written");
    source = irl_c_source(irl_func_lower(f, irl_target_find("c-gnu-avx2")));
    CHECK(source[0] && !strstr(source, "_pick_"));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ elements of 4 bytes */

/* Where lane i lies, and where the last of 8 and of 16 lanes does. */
static const struct {
    const char *text;
    int         most8, most16;
} apart[] = { { "i * 2", 14, 30 },          { "i * 3", 21, 45 },  { "i * 4", 28, 60 },
              { "i * 5", 35, 75 },          { "i", 7, 15 },       { "(LANES - 1 - i) * 2", 14, 30 },
              { "i / 2 * 3 + i % 2", 10, 22 }, { "i / 4 * 5", 5, 15 } };

/* The last element of x is read, and the interpreter of modules sees each that lies outside. */
static int one_apart(uint64_t seed)
{
    static const char *const types[] = { "f32", "i32", "u32" };
    char        text[600], number[24];
    uint32_t    x[400], y[2][64];
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f;
    irl_module *m;
    int         lanes, steps, stride, at, form, k, size, ok;
    sprintf(number, "%lu", (unsigned long)seed);
    random64_seed(number);
    lanes = random_below(2) ? 16 : 8;
    steps = 1 + random_below(4);
    stride = 1 + random_below(70);
    at = random_below(5);
    form = random_below(sizeof apart / sizeof *apart);
    k = random_below(3);
    size = at + (steps - 1) * stride + (lanes == 8 ? apart[form].most8 : apart[form].most16) + 1;
    sprintf(text, "func f(x: %s[%d], y: %s[%d]) { let LANES = %d; for (o: %d) "
                  "for vectorized (i: %d) y[o * %d + i] = x[o * %d + %d + (%s)]; }",
            types[k], size, types[k], steps * lanes, lanes, steps, lanes, lanes, stride, at,
            apart[form].text);
    for (k = 0; k < size; k++) x[k] = (uint32_t)(random64() & 0x3fffffff);
    memset(y, 0, sizeof y);
    f = irl_func_parse(cx, text, IRL_TO_NUL, "apart");
    m = irl_func_lower(f, &irl_target_opencl12);
    ok = irl_func_interpret(f, IRL_ARGS(x, y[0])) && irl_module_interpret(m, IRL_ARGS(x, y[1])) &&
         memcmp(y[0], y[1], sizeof y[0]) == 0;
    if (!CHECK(ok)) printf("seed %lu: %s\n%s\n", (unsigned long)seed, irl_diag_text(cx), text);
    k = strstr(irl_module_text(m), "ramp(") != NULL && strstr(irl_module_text(m), "shuffle(");
    irl_ctx_destroy(cx);
    return k;
}

static void test_apart(void)
{
    static const char written[] =
        "func f(x: f32[64]) { for (o: 2) for vectorized (i: 8) x[o * 8 + i] = x[32 + i * 2]; }";
    irl_ctx *cx = irl_ctx_create(NULL);
    int      seed, windows = 0;
    for (seed = 1; seed <= 300; seed++) windows += one_apart((uint64_t)seed);
    printf("elements of 4 bytes: %d of 300 are lanes of wide loads\n", windows);
    CHECK(windows > 100);
    CHECK(!strstr(irl_module_text(irl_func_lower(irl_func_parse(cx, written, IRL_TO_NUL, NULL),
                                                 &irl_target_opencl12)), "(x[ramp("));
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int      count = argc > 2 ? atoi(argv[2]) : 2 * BATCH, k, j;
    int      numbers[BATCH];
    c_text   t;
    memset(&t, 0, sizeof t);
    for (j = 0; j < BATCH; j++) numbers[j] = j;
    test_written();
    test_apart();
    for (k = 0; k < count && test_failed < 5; k++) {
        if (k % BATCH == 0) {
            t.length = 0;
            c_put(&t, "%s", c_prologue);
        }
        one(&t, first + (uint64_t)k, k % BATCH);
        if (k % BATCH == BATCH - 1 || k == count - 1) {
            c_put_main(&t, k % BATCH + 1, numbers);
            if (!test_failed) build(&t);
        }
    }
    if (count >= 2 * BATCH) CHECK(gathers > 10 && picks > 5 && widens > 5 && scheduled > 5);
    printf("seeds %lu to %lu: of %d functions %d load windows, %d pick, %d widen, "
           "%d were scheduled\n",
           (unsigned long)first, (unsigned long)first + (unsigned long)count - 1, count, gathers,
           picks, widens, scheduled);
    free(t.data);
    c_folder_end();
    return TEST_DONE();
}
