/* test_bits.c - buffers whose elements take bits: generated layouts against a model that sets
   single bits, in the interpreter, lowered, and as C; real formats by tables worked out by hand;
   what is refused.

   IRL_C_COMPILER, IRL_C_RUNNER: another compiler's command, and what runs its programs.

   usage  test_bits [FIRST [COUNT]]     seeds of the generated layouts; without, all of it */
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
#include "generate_bits.h"
#include "generate_bit_memory.h"

static irl_func *parsed(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "bits");
}

/* ------------------------------------------------------ generated, against the model */

static void fail_of(irl_ctx *cx, const bits_case *c, const char *what)
{
    printf("seed %lu, %s: %s\n%s\n", (unsigned long)c->seed, what, irl_diag_text(cx), c->text);
    CHECK(!"a generated layout of bits");
}

static void put_bytes(c_text *t, const char *name, int number, const unsigned char *p, int count)
{
    int k;
    c_put(t, "static unsigned char %s_%d[%d] = {", name, number, count);
    for (k = 0; k < count; k++) c_put(t, k ? ",%d" : "%d", p[k]);
    c_put(t, "};\n");
}

/* The memory of a whole buffer, which its function as C takes, of the logical array. */
static void bits_laid(const bits_case *c, const unsigned char *logical, unsigned char *memory)
{
    const bits_field *f = &c->field[0];
    const int         rows = f->extent[0], columns = f->extent[1];
    bits_field        to = *f;
    int               i, j, n;
    to.stride[0] = c->way == 0 ? f->width : columns * f->width;
    to.stride[1] = c->way == 0 ? rows * f->width : f->width;
    memset(memory, 0, (size_t)c->bytes);
    for (n = 0; n < f->count; n++) {
        int at = bits_place(&to, n), b;
        i = n / columns;
        j = n % columns;
        if (c->way == 1) at = ((i / 8 * columns + j) * 8 + i % 8) * f->width;
        for (b = 0; b < f->width; b++)
            bits_set(memory, f, at, b, bits_get(logical, f, bits_place(f, n), b));
    }
}

/* The memory of a case as the function in C takes it. */
static void put_memory(c_text *t, const char *name, int number, const bits_case *c,
                       const unsigned char *p)
{
    static unsigned char laid[BITS_BYTES];
    if (c->is_whole) bits_laid(c, p, laid);
    put_bytes(t, name, number, c->is_whole ? laid : p, c->bytes);
}

/* Its arrays: numbers, which are the same on every machine. */
static void put_arrays(c_text *t, const bits_case *c, int number)
{
    int k;
    for (k = 0; k < c->fields; k++) {
        const bits_field *f = &c->field[k];
        c_put_numbers(t, "in", number, k, 8 * f->bytes, c->in[k], f->count);
        c_put_numbers(t, "want", number, k, 8 * f->bytes, c->out_after[k], f->count);
        c_put(t, "static uint64_t inw_%d_%d[%d], out_%d_%d[%d];\n", number, k,
              f->count * f->bytes / 8 + 1, number, k, f->count * f->bytes / 8 + 1);
    }
}

/* A case as C, with what its memory is and is to be; of two, one as for small machines. */
static int put_case(irl_ctx *cx, c_text *t, const irl_func *f, const bits_case *c, int number)
{
    const char   *source;
    irl_c_options how;
    int           k;
    memset(&how, 0, sizeof how);
    how.index = c->seed % 2 ? IRL_U16 : IRL_BOOL;
    source = irl_c_source_with(irl_func_lower(c_named(cx, f, number), &irl_target_c99), &how);
    if (!source[0]) return 0;
    c_put(t, "%s\n", source);
    put_memory(t, "from", number, c, c->from);
    put_memory(t, "to", number, c, c->to);
    put_memory(t, "after", number, c, c->to_after);
    put_arrays(t, c, number);
    c_put(t, "static void run_%d(void)\n{\n", number);
    for (k = 0; k < c->fields; k++)
        c_put(t, "    memcpy(inw_%d_%d, in_%d_%d, sizeof in_%d_%d);\n", number, k, number, k,
              number, k);
    c_put(t, "    g%d(from_%d, to_%d", number, number, number);
    for (k = 0; k < c->fields; k++)
        c_put(t, ", (void *)inw_%d_%d, (void *)out_%d_%d", number, k, number, k);
    if (strstr(source, "void *scratch")) c_put(t, ", scratch");
    c_put(t, ");\n    c_failed |= memcmp(to_%d, after_%d, sizeof to_%d) != 0;\n", number, number,
          number);
    for (k = 0; k < c->fields; k++)
        c_put(t, "    c_failed |= memcmp(out_%d_%d, want_%d_%d, sizeof want_%d_%d) != 0;\n", number,
              k, number, k, number, k);
    c_put(t, "    if (c_failed) { printf(\"seed %lu\\n\"); exit(1); }\n}\n",
          (unsigned long)c->seed);
    return 1;
}

static void run_programs(const c_text *t)
{
    static const c_compiler by[] = {
        { "gcc -O0", "gcc -std=c99 -O0 -w " C_UNDEFINED, NULL, 0 },
        { "clang", "clang -std=c99 -O1 -w " C_UNDEFINED, NULL, 0 },
    };
    c_run_all(t, by, 2);
}

static int one_case(c_text *t, uint64_t seed, int number)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    static bits_case c, again;
    irl_func       *f;
    irl_module     *m;
    int             put = 0;
    bits_make(&c, seed);
    again = c;
    f = parsed(cx, c.text);
    if (!irl_func_interpret(f, bits_arguments(&again)) || !bits_is_right(&again))
        fail_of(cx, &c, "interpreted");
    m = irl_func_lower(f, &irl_target_opencl12);
    again = c;
    if (!irl_module_interpret(m, bits_arguments(&again)) || !bits_is_right(&again))
        fail_of(cx, &c, "lowered");
    again = c;
    if (t && !(put = put_case(cx, t, f, &c, number))) fail_of(cx, &c, "as C");
    irl_ctx_destroy(cx);
    return put;
}

enum { BITS_PROGRAM = 100 };

static void test_generated(uint64_t first, int count)
{
    int numbers[BITS_PROGRAM], k, put = 0;
    c_text t;
    memset(&t, 0, sizeof t);
    for (k = 0; k < count && test_failed < 5; k++) {
        if (!put)
            c_put(&t, "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                      "#include <string.h>\nstatic int c_failed;\n"
                      "static uint64_t scratch[8192];\n");
        if (one_case(&t, first + (uint64_t)k, put)) numbers[put] = put, put++;
        if (put == BITS_PROGRAM || (put && k + 1 == count)) {
            int j;
            c_put(&t, "int main(void)\n{\n");
            for (j = 0; j < put; j++) c_put(&t, "    run_%d();\n", numbers[j]);
            c_put(&t, "    return c_failed;\n}\n");
            run_programs(&t);
            t.length = 0;
            put = 0;
        }
    }
    free(t.data);
    CHECK(1);
}

/* ------------------------------------------------------------------ memory never written */

static int memory_outs, memory_some, memory_undefined;

static void memory_fails(irl_ctx *cx, const memory_case *c, const char *what)
{
    int k;
    printf("memory, seed %lu, %s: %s\n%s\n", (unsigned long)c->seed, what, irl_diag_text(cx),
           c->text);
    for (k = 0; k < c->outs; k++)
        if (c->out[k] != c->out_after[k])
            printf("y[%d] is %lx, not %lx\n", k, (unsigned long)c->out[k],
                   (unsigned long)c->out_after[k]);
    CHECK(!"generated memory of bits");
}

/* As it is written, lowered for two targets, and as C. */
static int one_memory(c_text *t, uint64_t seed, int number)
{
    static const char *const targets[] = { "opencl12", "c99" };
    static memory_case       c;
    irl_ctx                 *cx = irl_ctx_create(NULL);
    irl_arguments            after;
    irl_func                *f;
    irl_module              *m = NULL;
    const char              *source;
    int                      k;
    memory_make(&c, seed);
    memory_outs += c.outs;
    memory_some += c.some_bits;
    memory_undefined += c.of_undefined;
    f = parsed(cx, c.text);
    if (!irl_func_interpret(f, memory_arguments(&c)) || !memory_is_right(&c))
        memory_fails(cx, &c, "interpreted");
    for (k = 0; irl_ok(cx) && k < 2; k++) {
        memset(c.out, 0, sizeof c.out);
        m = irl_func_lower(c_named(cx, f, number), irl_target_find(targets[k]));
        if (!irl_module_interpret(m, memory_arguments(&c)) || !memory_is_right(&c))
            memory_fails(cx, &c, targets[k]);
    }
    if (seed % 4) { /* compilers take longer than all the rest */
        irl_ctx_destroy(cx);
        return 0;
    }
    source = irl_c_source(m);
    after = memory_arguments(&c);
    after.data[1] = c.out_after;
    memset(c.out, 0, sizeof c.out);
    k = source[0] &&
        c_put_run(cx, t, m, source, number, memory_arguments(&c), after, NULL);
    if (!k) memory_fails(cx, &c, "as C");
    irl_ctx_destroy(cx);
    return k;
}

static void test_memory(uint64_t first, int count)
{
    int    numbers[BITS_PROGRAM], k, put = 0;
    c_text t;
    memset(&t, 0, sizeof t);
    for (k = 0; k < count && test_failed < 5; k++) {
        if (!t.length) c_put(&t, "%s", c_prologue);
        if (one_memory(&t, first + (uint64_t)k, put)) numbers[put] = put, put++;
        if (put < BITS_PROGRAM && (!put || k + 1 < count)) continue;
        c_put_main(&t, put, numbers);
        run_programs(&t);
        t.length = 0;
        put = 0;
    }
    free(t.data);
    printf("memory: %d results, %d of them some bits of an element; %d elements stored that were "
           "undefined\n", memory_outs, memory_some, memory_undefined);
    CHECK(count < 50 || (memory_some * 20 > memory_outs && memory_undefined > count / 2));
}

/* ------------------------------------------------------------------ real formats, by hand */

enum { REAL_FORMATS = 400 };
static c_text real_c; /* all of them as one program */
static int    real_numbers[REAL_FORMATS], real_count;

/* That function as C, on the arguments of `a`, of which `result` is to be `wanted`. */
static int put_real(irl_ctx *cx, const irl_func *f, irl_arguments a, const unsigned char *result,
                    const unsigned char *wanted)
{
    const int     number = real_numbers[real_count] = real_count;
    irl_arguments after = a;
    irl_module   *m = irl_func_lower(c_named(cx, f, number), &irl_target_c99);
    const char   *source = irl_c_source(m);
    int           k;
    if (!real_c.length) c_put(&real_c, "%s", c_prologue);
    for (k = 0; k < a.count; k++)
        if (a.data[k] == (void *)result) after.data[k] = (void *)(uintptr_t)wanted;
    real_count++;
    return source[0] && c_put_run(cx, &real_c, m, source, number, a, after, NULL);
}

/* Displays in pages, whose pages, columns and elements of a byte are in either order, each written
   in several ways: every byte is stored once and never read, if all its rows are there, and C with
   indices of any type holds them. */
static void test_mirrored(int count)
{
    static const irl_scalar types[] = { IRL_U16, IRL_U32, IRL_U64, IRL_I16, IRL_I32, IRL_BOOL };
    int                     n;
    for (n = 0; n < count; n++) {
        irl_ctx      *cx = irl_ctx_create(NULL);
        const int     bits = 1 << bits_below(3), each = 8 / bits, pages = 2 + bits_below(3),
                  cut = bits_below(3) ? 0 : bits_below(each), height = pages * each - cut,
                  width = 2 + bits_below(12), is_msb = bits_below(2), page = bits_below(3),
                  column = bits_below(2),
                  element = !cut ? bits_below(3) : page == 2 ? 2 : bits_below(2);
        static const char *const forms[] = { "%d + y %c %d", "%d - y %c %d", "(%d - y) %c %d" };
        const int     q0[] = { 0, pages - 1, height - 1 }, r0[] = { 0, each - 1, height - 1 };
        unsigned char a[32 * 13], d[2][400], wanted[400];
        char          text[400], q[32], r[32];
        irl_c_options how;
        int           x, y, number = real_count;
        snprintf(q, sizeof q, forms[page], q0[page], '/', each);
        snprintf(r, sizeof r, forms[element], r0[element], '%', each);
        snprintf(text, sizeof text,
                 "func f(a: u8[%d, %d], p: u8[%d]) { decl d: u%d[%d, %d, %d] data(p) bits(%s);\n"
                 "  for (y: %d, x: %d) d[%s, %d %s x, %s] = a[y, x] < 90 ? 1 : 0; }",
                 height, width, pages * width, bits, pages, width, each, is_msb ? "msb" : "lsb",
                 height, width, q, column ? width - 1 : 0, column ? "-" : "+", r);
        memset(d, 0xa5, sizeof d);
        memset(wanted, 0xa5, sizeof wanted);
        for (y = 0; y < height; y++)
            for (x = 0; x < width; x++) {
                const int up = height - 1 - y,
                          row = page == 2 ? up / each : page ? pages - 1 - y / each : y / each,
                          k = element == 2 ? up % each : element ? each - 1 - y % each : y % each,
                          at = row * width + (column ? width - 1 - x : x),
                          shift = is_msb ? 8 - bits - k * bits : k * bits;
                a[y * width + x] = (unsigned char)bits_below(256);
                wanted[at] &= (unsigned char)~(((1 << bits) - 1) << shift);
                if (a[y * width + x] < 90) wanted[at] |= (unsigned char)(1 << shift);
            }
        irl_func     *f = parsed(cx, text);
        irl_module   *c = irl_func_lower(c_named(cx, f, number), &irl_target_c99),
                   *cl = irl_func_lower(f, &irl_target_opencl12);
        const size_t  bytes = (size_t)(pages * width);
        const char   *source;
        memset(&how, 0, sizeof how);
        how.index = types[n % 6];
        source = irl_c_source_with(c, &how);
        if (!CHECK(irl_func_interpret(f, IRL_POINTERS(a, d[0])) &&
                   memcmp(d[0], wanted, bytes) == 0 &&
                   irl_module_interpret(cl, IRL_POINTERS(a, d[1])) &&
                   memcmp(d[1], wanted, bytes) == 0 && source[0] &&
                   (cut || (!strchr(irl_module_text(cl), '~') && !strchr(source, '~')))))
            printf("%s\n%s\n%s\n", text, irl_diag_text(cx), irl_module_text(cl));
        else if (number < REAL_FORMATS) {
            memset(d[0], 0xa5, sizeof d[0]);
            if (!real_c.length) c_put(&real_c, "%s", c_prologue);
            real_numbers[number] = real_count++;
            CHECK(c_put_run(cx, &real_c, c, source, number, IRL_POINTERS(a, d[0]),
                            IRL_POINTERS(a, wanted), NULL));
        }
        irl_ctx_destroy(cx);
    }
}

static void test_real_as_c(void)
{
    c_put_main(&real_c, real_count, real_numbers);
    run_programs(&real_c);
    free(real_c.data);
}

/* As it is written, and lowered; and it is put into the program of all. */
static int runs(const char *text, irl_arguments a, unsigned char *result, size_t bytes,
                const unsigned char *wanted)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_func      *f = parsed(cx, text);
    irl_module    *m = irl_func_lower(f, &irl_target_c99);
    unsigned char *before = (unsigned char *)gen_kept(malloc(bytes));
    int            ok;
    memcpy(before, result, bytes);
    ok = CHECK(put_real(cx, f, a, result, wanted));
    ok &= irl_func_interpret(f, a) && memcmp(result, wanted, bytes) == 0;
    memcpy(result, before, bytes);
    ok &= irl_module_interpret(m, a) && memcmp(result, wanted, bytes) == 0;
    if (!irl_ok(cx)) printf("%s\n%s\n", irl_diag_text(cx), text);
    free(before);
    irl_ctx_destroy(cx);
    return ok;
}

/* SSD1306, data sheet 8.7: byte x of page y / 8, bit y % 8. Here the memory itself is the array. */
static void test_ssd1306(void)
{
    static const char text[] =
        "func f(p: u8[1024]) { decl d: u1[8, 128, 8] data(p);\n"
        "  for (y: 64, x: 128) d[y / 8, x, y % 8] = u8(x == y * 2 || y == 63); }";
    unsigned char p[1024], wanted[1024];
    int           x, y;
    memset(p, 0, sizeof p);
    memset(wanted, 0, sizeof wanted);
    for (x = 0; x < 128; x++) wanted[7 * 128 + x] = 0x80;
    for (y = 0; y < 64; y++)
        wanted[y / 8 * 128 + 2 * y] = (unsigned char)(wanted[y / 8 * 128 + 2 * y] | 1 << y % 8);
    CHECK(runs(text, IRL_POINTERS(p), p, sizeof p, wanted));
}

/* RAW10: four bytes of the high 8 bits, then their low 2 bits, the first pixel's lowest. RAW12: two
   bytes of the high 8 bits, then the low 4 of the first and of the second. */
static void test_raw(void)
{
    static const char raw10[] =
        "func f(p: u8[2, 5], y: u16[8]) {\n"
        "  decl high: u8[2, 4] data(p) strides(40, 8) bits(lsb);\n"
        "  decl low: u2[2, 4] data(p) strides(40, 2) offset(32);\n"
        "  for (x: 8) y[x] = u16(high[x / 4, x % 4]) * 4 + u16(low[x / 4, x % 4]); }";
    static const char raw12[] =
        "func f(p: u8[2, 3], y: u16[4]) {\n"
        "  decl high: u8[2, 2] data(p) strides(24, 8) bits(lsb);\n"
        "  decl low: u4[2, 2] data(p) strides(24, 4) offset(16);\n"
        "  for (x: 4) y[x] = u16(high[x / 2, x % 2]) * 16 + u16(low[x / 2, x % 2]); }";
    static const unsigned char p10[10] = { 0x12, 0x34, 0x56, 0x78, 0xe4,
                                           0xff, 0x00, 0x80, 0x01, 0x1b };
    static const uint16_t      y10[8] = { 0x048, 0x0d1, 0x15a, 0x1e3, 0x3ff, 0x002, 0x201, 0x004 };
    static const unsigned char p12[6] = { 0x12, 0x34, 0x65, 0xff, 0x80, 0x0f };
    static const uint16_t      y12[4] = { 0x125, 0x346, 0xfff, 0x800 };
    uint16_t                   y[8];
    CHECK(runs(raw10, IRL_POINTERS(p10, y), (unsigned char *)y, sizeof y10,
               (const unsigned char *)y10));
    CHECK(runs(raw12, IRL_POINTERS(p12, y), (unsigned char *)y, sizeof y12,
               (const unsigned char *)y12));
}

/* ggml's block of Q4_0: a half, then byte j holds element j in its low nibble and j + 16 in its
   high one; 8 stands for 0. Q8_0: a half, then 32 signed bytes. */
static void test_blocks(void)
{
    static const char q4[] =
        "func f(w: u8[18], y: f32[32]) {\n"
        "  decl d: f16[1] data(w) bits(lsb); decl q: u4[2, 16] data(w) strides(4, 8) offset(16);\n"
        "  for (t: 2, j: 16) y[t * 16 + j] = f32(d[0]) * f32(i32(q[t, j]) - 8); }";
    static const char q8[] =
        "func f(w: u8[34], y: f32[32]) {\n"
        "  decl d: f16[1] data(w) bits(lsb); decl q: i8[32] data(w) offset(2);\n"
        "  for (j: 32) y[j] = f32(d[0]) * f32(q[j]); }";
    unsigned char w4[18] = { 0x00, 0x38 }, w8[34] = { 0x00, 0xc0 }; /* 0.5, -2 */
    float         y[32], y4[32], y8[32];
    int           j;
    for (j = 0; j < 16; j++) {
        w4[2 + j] = (unsigned char)(j | (15 - j) << 4);
        y4[j] = 0.5f * (float)(j - 8);
        y4[j + 16] = 0.5f * (float)(7 - j);
    }
    for (j = 0; j < 32; j++) {
        w8[2 + j] = (unsigned char)(j * 9 - 100);
        y8[j] = -2.0f * (float)(j * 9 - 100 > 127 ? j * 9 - 356 : j * 9 - 100);
    }
    CHECK(runs(q4, IRL_POINTERS(w4, y), (unsigned char *)y, sizeof y4, (unsigned char *)y4));
    CHECK(runs(q8, IRL_POINTERS(w8, y), (unsigned char *)y, sizeof y8, (unsigned char *)y8));
}

/* ggml's block of Q4_K, 144 bytes: two halves, 12 bytes of eight scales and eight minima of 6 bits,
   and four times 32 bytes of nibbles. The first four of each are the low 6 bits of a byte; of the
   others the low 4 are nibbles and the high 2 stand above the first ones. */
static void test_q4_k(void)
{
    static const char text[] =
        "func f(w: u8[144], y: f32[8, 32]) {\n"
        "  decl d: f16[2] data(w) field bits(lsb);\n"
        "  decl low: u6[2, 4] data(w) strides(32, 8) offset(32) field;\n"
        "  decl high: u2[2, 4] data(w) strides(32, 8) offset(38) field;\n"
        "  decl nibble: u4[2, 4] data(w) strides(4, 8) offset(96) field;\n"
        "  decl q: u4[4, 2, 32] data(w) strides(256, 4, 8) offset(128) field;\n"
        "  alloc s: f32[2, 8];\n"
        "  for (k: 2, j: 4) { s[k, j] = f32(d[k]) * f32(low[k, j]);\n"
        "    s[k, j + 4] = f32(d[k]) * f32(nibble[k, j] | high[k, j] << 4); }\n"
        "  for (j: 8, l: 32) y[j, l] = s[0, j] * f32(q[j / 2, j % 2, l]) - s[1, j]; }";
    unsigned char w[144] = { 0x00, 0x38, 0x00, 0x34 }; /* 0.5, 0.25 */
    float         y[256], wanted[256];
    int           j, l;
    for (j = 4; j < 144; j++) w[j] = (unsigned char)(j * 37 + j / 5);
    for (j = 0; j < 8; j++) { /* as ggml's get_scale_min_k4 has it */
        const unsigned char *s = w + 4;
        int scale = j < 4 ? s[j] & 63 : (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
        int least = j < 4 ? s[j + 4] & 63 : s[j + 4] >> 4 | (s[j] >> 6) << 4;
        for (l = 0; l < 32; l++)
            wanted[j * 32 + l] = 0.5f * (float)scale *
                                     (float)(w[16 + j / 2 * 32 + l] >> j % 2 * 4 & 15) -
                                 0.25f * (float)least;
    }
    CHECK(runs(text, IRL_POINTERS(w, y), (unsigned char *)y, sizeof y, (unsigned char *)wanted));
}

/* RGB565: 5 bits of blue from the least significant one on, 6 of green, 5 of red; on a wire with
   the high byte first the same number begins with red. */
static void test_pixels(void)
{
    static const char low[] =
        "func f(p: u8[4], y: u8[2, 3]) { decl r: u5[2] data(p) strides(16) offset(11);\n"
        "  decl g: u6[2] data(p) strides(16) offset(5); decl b: u5[2] data(p) strides(16);\n"
        "  for (x: 2) { y[x, 0] = r[x]; y[x, 1] = g[x]; y[x, 2] = b[x]; } }";
    static const char high[] =
        "func f(p: u8[4], y: u8[2, 3]) { decl r: u5[2] data(p) strides(16) bits(msb);\n"
        "  decl g: u6[2] data(p) strides(16) offset(5) bits(msb);\n"
        "  decl b: u5[2] data(p) strides(16) offset(11) bits(msb);\n"
        "  for (x: 2) { y[x, 0] = r[x]; y[x, 1] = g[x]; y[x, 2] = b[x]; } }";
    static const char yuyv[] =
        "func f(p: u8[8], y: u8[4, 3]) { decl l: u8[4] data(p) strides(2);\n"
        "  decl c: u8[2, 2] data(p) strides(4, 2) offset(1);\n"
        "  for (x: 4) { y[x, 0] = l[x]; y[x, 1] = c[x / 2, 0]; y[x, 2] = c[x / 2, 1]; } }";
    static const unsigned char p[4] = { 0x0a, 0xf8, 0xff, 0x07 }, /* 0xf80a, 0x07ff */
        swapped[4] = { 0xf8, 0x0a, 0x07, 0xff }, y565[6] = { 31, 0, 10, 0, 63, 31 },
        py[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, yy[12] = { 1, 2, 4, 3, 2, 4, 5, 6, 8, 7, 6, 8 };
    unsigned char y[12];
    CHECK(runs(low, IRL_POINTERS(p, y), y, 6, y565));
    CHECK(runs(high, IRL_POINTERS(swapped, y), y, 6, y565));
    CHECK(runs(yuyv, IRL_POINTERS(py, y), y, 12, yy));
}

/* A frame of a CAN database: an Intel signal begins with its least significant bit at bit s % 8 of
   byte s / 8; a Motorola one with its most significant bit there and goes down, so that in msb
   order it begins at bit s / 8 * 8 + 7 - s % 8. Speed 12|16@1+ and torque 39|12@0- in one
   frame. */
static void test_can(void)
{
    static const char text[] =
        "func f(p: u8[8], speed: u16[1], torque: i16[1]) {\n"
        "  decl s: u16[1] data(p) offset(12) bits(lsb);\n"
        "  decl t: i12[1] data(p) offset(32) bits(msb);\n"
        "  s[0] = speed[0]; t[0] = torque[0]; }";
    static const unsigned char wanted[8] = { 0, 0x40, 0x23, 0x01, 0xf8, 0x50, 0, 0 };
    const uint16_t             speed = 0x1234;
    const int16_t              torque = -123; /* 0xf85 */
    unsigned char              p[8] = { 0 };
    CHECK(runs(text, IRL_POINTERS(p, &speed, &torque), p, 8, wanted));
}

/* A glyph whose rows begin at the most significant bit; HUB75: 6 pins to a word of a byte. */
static void test_glyph_and_panel(void)
{
    static const char glyph[] =
        "func f(p: u8[4], y: u8[4, 8]) { decl g: u1[4, 8] data(p) bits(msb);\n"
        "  for (r: 4, x: 8) y[r, x] = g[r, x]; }";
    static const char hub75[] =
        "func f(rgb: u8[4, 2, 3], p: u8[2, 2, 2]) {\n"
        "  decl pin: u1[2, 2, 2, 6] data(p) strides(32, 16, 8, 1);\n"
        "  for (plane: 2, row: 2, x: 2, half: 2, c: 3)\n"
        "    pin[plane, row, x, half * 3 + c] = rgb[half * 2 + row, x, c] >> u8(plane); }";
    static const unsigned char p[4] = { 0x18, 0x24, 0x42, 0x81 };
    unsigned char              y[32], wanted[32], rgb[24], pins[8], words[8] = { 0 };
    int                        k, x, plane, row, c;
    for (k = 0; k < 32; k++) wanted[k] = (unsigned char)(p[k / 8] >> (7 - k % 8) & 1);
    CHECK(runs(glyph, IRL_POINTERS(p, y), y, 32, wanted));
    for (k = 0; k < 24; k++) rgb[k] = (unsigned char)(k * 7 % 4);
    for (plane = 0; plane < 2; plane++)
        for (row = 0; row < 4; row++)
            for (x = 0; x < 2; x++)
                for (c = 0; c < 3; c++)
                    if (rgb[(row * 2 + x) * 3 + c] >> plane & 1)
                        words[(plane * 2 + row % 2) * 2 + x] |=
                            (unsigned char)(1 << (row / 2 * 3 + c));
    memset(pins, 0, sizeof pins);
    CHECK(runs(hub75, IRL_POINTERS(rgb, pins), pins, 8, words));
}

/* The other way: the same tables, written. */
static void test_written_back(void)
{
    static const char raw10[] =
        "func f(y: u16[8], p: u8[2, 5]) {\n"
        "  decl high: u8[2, 4] data(p) strides(40, 8) field bits(lsb);\n"
        "  decl low: u2[2, 4] data(p) strides(40, 2) offset(32) field;\n"
        "  for (x: 8) { high[x / 4, x % 4] = u8(y[x] / 4); low[x / 4, x % 4] = u8(y[x] % 4); } }";
    static const char raw12[] =
        "func f(y: u16[4], p: u8[2, 3]) {\n"
        "  decl high: u8[2, 2] data(p) strides(24, 8) field bits(lsb);\n"
        "  decl low: u4[2, 2] data(p) strides(24, 4) offset(16) field;\n"
        "  for (x: 4) { high[x / 2, x % 2] = u8(y[x] >> 4); low[x / 2, x % 2] = u8(y[x] & 15); } }";
    static const char q4[] =
        "func f(d: f16, q: u8[32], w: u8[18]) {\n"
        "  decl s: f16[1] data(w) field bits(lsb);\n"
        "  decl v: u4[2, 16] data(w) strides(4, 8) offset(16) field;\n"
        "  s[0] = d; for (t: 2, j: 16) v[t, j] = q[t * 16 + j]; }";
    static const char low[] =
        "func f(y: u8[2, 3], p: u8[4]) { decl r: u5[2] data(p) strides(16) offset(11) field;\n"
        "  decl g: u6[2] data(p) strides(16) offset(5) field; decl b: u5[2] data(p) strides(16);\n"
        "  for (x: 2) { r[x] = y[x, 0]; g[x] = y[x, 1]; b[x] = y[x, 2]; } }";
    static const char high[] =
        "func f(y: u8[2, 3], p: u8[4]) { decl r: u5[2] data(p) strides(16) bits(msb);\n"
        "  decl g: u6[2] data(p) strides(16) offset(5) bits(msb);\n"
        "  decl b: u5[2] data(p) strides(16) offset(11) bits(msb);\n"
        "  for (x: 2) { r[x] = y[x, 0]; g[x] = y[x, 1]; b[x] = y[x, 2]; } }";
    static const char yuyv[] =
        "func f(l: u8[4], c: u8[2, 2], p: u8[8]) { decl y: u8[4] data(p) strides(2);\n"
        "  decl uv: u8[2, 2] data(p) strides(4, 2) offset(1);\n"
        "  for (x: 4) y[x] = l[x]; for (x: 2, k: 2) uv[x, k] = c[x, k]; }";
    static const char glyph[] =
        "func f(y: u8[2, 8], p: u8[2]) { decl g: u1[2, 8] data(p) bits(msb);\n"
        "  for (r: 2, x: 8) g[r, x] = y[r, x]; }";
    static const uint16_t y10[8] = { 0x048, 0x0d1, 0x15a, 0x1e3, 0x3ff, 0x002, 0x201, 0x004 },
                          y12[4] = { 0x125, 0x346, 0xfff, 0x800 }, half = 0x3800;
    static const unsigned char p10[10] = { 0x12, 0x34, 0x56, 0x78, 0xe4,
                                           0xff, 0x00, 0x80, 0x01, 0x1b },
        p12[6] = { 0x12, 0x34, 0x65, 0xff, 0x80, 0x0f }, rgb[6] = { 31, 0, 10, 0, 63, 31 },
        p565[4] = { 0x0a, 0xf8, 0xff, 0x07 }, turned[4] = { 0xf8, 0x0a, 0x07, 0xff },
        luma[4] = { 1, 3, 5, 7 }, chroma[4] = { 2, 4, 6, 8 },
        py[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, pg[2] = { 0x18, 0xa1 },
        dots[16] = { 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1 };
    unsigned char p[18] = { 0 }, q[32], w[18] = { 0x00, 0x38 };
    int           j;
    for (j = 0; j < 32; j++) q[j] = (unsigned char)(j < 16 ? j : 31 - j);
    for (j = 0; j < 16; j++) w[2 + j] = (unsigned char)(j | (15 - j) << 4);
    CHECK(runs(raw10, IRL_POINTERS(y10, p), p, 10, p10));
    CHECK(runs(raw12, IRL_POINTERS(y12, p), p, 6, p12));
    CHECK(runs(q4, IRL_POINTERS(&half, q, p), p, 18, w));
    CHECK(runs(low, IRL_POINTERS(rgb, p), p, 4, p565));
    CHECK(runs(high, IRL_POINTERS(rgb, p), p, 4, turned));
    CHECK(runs(yuyv, IRL_POINTERS(luma, chroma, p), p, 8, py));
    CHECK(runs(glyph, IRL_POINTERS(dots, p), p, 2, pg));
}

/* The element's own first byte says where it is: it is written before the second one. */
static void test_places_of_itself(void)
{
    static const char alone[] = "func f(p: u8[5]) { decl d: u12[3] data(p);\n"
                                "  d[index(d[0] % 3)] = 1; }",
                      looped[] = "func f(p: u8[5]) { decl d: u12[3] data(p);\n"
                               "  for (k: 2) d[index(d[0] % 3)] = 1; }";
    static const unsigned char wanted[5] = { 1, 0, 0, 0, 0 }, twice[5] = { 1, 0x10, 0, 0, 0 };
    unsigned char              d[5] = { 2, 1, 0, 0, 0 }; /* 0x102 is a multiple of 3 */
    CHECK(runs(alone, IRL_POINTERS(d), d, 5, wanted));
    memcpy(d, "\2\1\0\0", 5);
    CHECK(runs(looped, IRL_POINTERS(d), d, 5, twice));
}

/* Q4_K's twelve bytes of scales, as ggml's quantizer puts them together. */
static void test_q4_k_scales(void)
{
    static const char text[] =
        "func f(s: u8[2, 8], w: u8[12]) {\n"
        "  decl low: u6[2, 4] data(w) strides(32, 8) field;\n"
        "  decl high: u2[2, 4] data(w) strides(32, 8) offset(6) field;\n"
        "  decl nibble: u4[2, 4] data(w) strides(4, 8) offset(64) field;\n"
        "  for (k: 2, j: 4) { low[k, j] = s[k, j]; nibble[k, j] = s[k, j + 4] & 15;\n"
        "    high[k, j] = s[k, j + 4] >> 4; } }";
    unsigned char s[16], w[12], wanted[12] = { 0 };
    int           j;
    for (j = 0; j < 16; j++) s[j] = (unsigned char)((j * 23 + 5) & 63);
    for (j = 0; j < 8; j++) {
        const int scale = s[j], least = s[8 + j];
        if (j < 4) {
            wanted[j] = (unsigned char)scale;
            wanted[j + 4] = (unsigned char)least;
            continue;
        }
        wanted[j + 4] = (unsigned char)((scale & 15) | (least & 15) << 4);
        wanted[j - 4] = (unsigned char)(wanted[j - 4] | scale >> 4 << 6);
        wanted[j] = (unsigned char)(wanted[j] | least >> 4 << 6);
    }
    memset(w, 0xff, sizeof w);
    CHECK(runs(text, IRL_POINTERS(s, w), w, 12, wanted));
}

/* A signal of a database of frames, START|LENGTH@ORDER SIGN, and its raw value. */
typedef struct can_signal {
    int start, length, is_intel, is_signed, value;
} can_signal;

enum { CAN_SIGNALS = 9 };
typedef struct can_frame {
    unsigned char bytes[8];
    int           count;
    can_signal    signals[CAN_SIGNALS];
} can_frame;

/* J1939's engine speed (621 rpm in units of 1 / 8) and speed of wheels (62.5 km/h in units of
   1 / 256); and a frame of nine signals in both orders, which take all of it:
   7|4@0+ the high nibble of 0x12; 3|12@0+ 0x2, 0x34; 23|10@0- 0xd6 and the high 2 bits of 0xea,
   0x35b - 1024; 29|6@0+ its low 6; 32|2@1+ and 34|5@1+ the low 7 of 0x54; 39|11@1- its bit 7,
   0xa5 and the low 2 of 0xb6, 0 + 330 + 1024 - 2048; 50|6@1+ its high 6. */
static const can_frame can_frames[] = {
    { { 0xff, 0xff, 0xff, 0x68, 0x13, 0xff, 0xff, 0xff }, 1, { { 24, 16, 1, 0, 621 * 8 } } },
    { { 0xf3, 0x80, 0x3e, 0xff, 0xff, 0xff, 0xff, 0xff }, 1, { { 8, 16, 1, 0, 16000 } } },
    { { 0x12, 0x34, 0xd6, 0xea, 0x54, 0xa5, 0xb6, 0x7f },
      9,
      { { 7, 4, 0, 0, 1 },
        { 3, 12, 0, 0, 0x234 },
        { 23, 10, 0, 1, -165 },
        { 29, 6, 0, 0, 42 },
        { 32, 2, 1, 0, 0 },
        { 34, 5, 1, 0, 21 },
        { 39, 11, 1, 1, -694 },
        { 50, 6, 1, 0, 45 },
        { 56, 8, 1, 0, 127 } } },
};

/* The function that reads all signals of a frame, or writes them. */
static void put_frame(c_text *t, const can_frame *f, int writes)
{
    int k;
    c_put(t, "func f(p: u8[8], y: i32[%d]) {\n", f->count);
    for (k = 0; k < f->count; k++) {
        const can_signal *s = &f->signals[k];
        const int         at = s->is_intel ? s->start : s->start / 8 * 8 + 7 - s->start % 8,
                  bytes = s->length <= 8 ? 1 : s->length <= 16 ? 2 : 4;
        const char sign = s->is_signed ? 'i' : 'u';
        c_put(t, "  decl s%d: %c%d[1] data(p) offset(%d) bits(%s);\n", k, sign, s->length, at,
              s->is_intel ? "lsb" : "msb");
        if (writes) c_put(t, "  s%d[0] = %c%d(y[%d]);\n", k, sign, 8 * bytes, k);
        else c_put(t, "  y[%d] = i32(s%d[0]);\n", k, k);
    }
    c_put(t, "}\n");
}

static void test_can_frames(void)
{
    size_t n;
    for (n = 0; n < sizeof can_frames / sizeof *can_frames; n++) {
        const can_frame *f = &can_frames[n];
        int32_t          values[CAN_SIGNALS], y[CAN_SIGNALS] = { 0 };
        unsigned char    p[8];
        c_text           t = { NULL, 0, 0 };
        int              k;
        for (k = 0; k < f->count; k++) values[k] = f->signals[k].value;
        put_frame(&t, f, 0);
        CHECK(runs(t.data, IRL_POINTERS(f->bytes, y), (unsigned char *)y,
                   (size_t)f->count * sizeof *y, (const unsigned char *)values));
        t.length = 0;
        put_frame(&t, f, 1);
        memset(p, f->count == 1 ? 0xff : 0x5a, sizeof p); /* what no signal has is kept */
        if (n == 1) p[0] = 0xf3;
        CHECK(runs(t.data, IRL_POINTERS(p, values), p, sizeof p, f->bytes));
        free(t.data);
    }
}

/* ------------------------------------------------------------------ what is emitted */

/* A display through its layout: each byte is written once, and never read. */
static void test_whole_bytes(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = parsed(cx, "func f(d: u1[64, 128]) layout(d: (y, x) -> (y / 8, x, y % 8)) {\n"
                               "  for (y: 64, x: 128) d[y, x] = u8(x > y); }");
    const char *c = irl_c_source(irl_func_lower(f, &irl_target_c99));
    CHECK_OK(cx);
    CHECK(strstr(c, "uint8_t *d") && strstr(c, "d[y_outer * 128u + x] = ") && !strstr(c, "& "));
    irl_ctx_destroy(cx);
}

/* A loop over the elements of a byte, with other statements in it: `is_held`, the byte lies in a
   variable until the loop is over, where nothing in it may see the byte. */
typedef struct looped_case {
    int         is_held;
    const char *body; /* of x over the elements, beside y: u8[8, 8], p: u8[8, 5] */
} looped_case;

static const looped_case looped[] = {
    { 1, "decl h: u8[8, 4] data(p) strides(40, 8) field bits(lsb);\n"
         "decl l: u2[8, 4] data(p) strides(40, 2) offset(32) field;\n"
         "for (g: 8, x: 4) { h[g, x] = y[g, x]; l[g, x] = y[g, x] + u8(x); }" },
    { 1, "decl h: u8[8, 2] data(p) strides(40, 8) offset(24) field bits(msb);\n"
         "decl l: u4[8, 2] data(p) strides(40, 4) offset(16) field bits(msb);\n"
         "for (g: 8, x: 2) { l[g, x] = y[g, x]; let z = h[g, x]; h[g, x] = z + u8(1); }" },
    { 1, "decl l: u1[8, 8] data(p) strides(40, 1) field bits(msb);\n"
         "decl m: u1[8, 8] data(p) strides(40, 1) offset(8) field;\n"
         "for (g: 8, x: 8) { l[g, x] = y[g, x]; m[g, x] = y[g, 7 - x]; }" },
    { 0, "decl l: u1[8, 8] data(p) strides(40, 1) field bits(msb);\n" /* no whole byte */
         "for (g: 8, x: 7) { y[g, x] = u8(x); l[g, x] = y[g, x]; }" },
    { 0, "decl l: u1[8, 8] data(p) strides(40, 1) field;\n" /* the other way round */
         "for (g: 8, x: 8) { y[g, x] = y[g, x] + u8(x); l[g, 7 - x] = y[g, x]; }" },
    { 0, "decl l: u2[8, 4] data(p) strides(40, 2) offset(8) field;\n" /* the byte is read */
         "for (g: 8, x: 4) { y[g, x] = p[g, 1]; l[g, x] = y[g, x + 2]; }" },
    { 0, "decl l: u2[8, 4] data(p) strides(40, 2) offset(8) field;\n" /* an element is */
         "for (g: 8, x: 4) { y[g, x] = l[g, 3 - x]; l[g, x] = y[g, x + 2]; }" },
    { 0, "decl l: u2[8, 4] data(p) strides(40, 2) offset(8) field;\n" /* the byte is written */
         "for (g: 8, x: 4) { l[g, x] = y[g, x]; if (x == 2) l[g, 1] = y[g, 1]; }" },
    { 0, "decl l: u2[8, 4] data(p) strides(40, 2) offset(8) field;\n" /* another one each time */
         "for (g: 8, x: 4) { let k = (g + x) % 8; y[g, x] = u8(k); l[k, x] = y[g, x + 1]; }" },
    { 0, "for (g: 8, x: 4) { decl l: u2[8, 4] data(p) strides(40, 2) offset(8) field;\n"
         "  y[g, x] = u8(x); l[g, x] = y[g, x + 1]; }" },
    { 0, "decl l: u2[8, 4] data(p) strides(40, 2) field;\n" /* only now and then */
         "for (g: 8, x: 4) { y[g, x] = u8(x); if (y[g, x + 1] > 100) l[g, x] = 1; }" },
    { 0, "for bind(group.x) (q: 1) { alloc a: u8[8] scope(shared);\n" /* others may see it */
         "decl b: u1[8, 8] scope(shared) data(a); for bind(local.x) (t: 8) { a[t] = 0;\n"
         "for (x: 8) { b[t, x] = y[t, x]; barrier(shared); y[t, x] = u8(x); }\n"
         "p[t, 0] = a[t]; } }" },
};

static void test_looped(void)
{
    size_t k;
    int    j, is_held;
    for (k = 0; k < sizeof looped / sizeof *looped; k++) {
        irl_ctx      *cx = irl_ctx_create(NULL);
        unsigned char y[2][64], p[2][40];
        char          text[600];
        irl_func     *f;
        irl_module   *m;
        snprintf(text, sizeof text, "func f(y: u8[8, 8], p: u8[8, 5]) {\n%s }", looped[k].body);
        f = parsed(cx, text);
        m = irl_func_lower(f, &irl_target_c99);
        for (j = 0; j < 64; j++) y[0][j] = y[1][j] = (unsigned char)(j * 37 + j / 3);
        for (j = 0; j < 40; j++) p[0][j] = p[1][j] = (unsigned char)(j * 91 + 5);
        is_held = strstr(irl_c_source(m), "_byte = ") || strstr(irl_c_source(m), "_byte[");
        if (!CHECK(irl_func_interpret(f, IRL_POINTERS(y[0], p[0])) &&
                   irl_module_interpret(m, IRL_POINTERS(y[1], p[1])) &&
                   memcmp(y[0], y[1], sizeof y[0]) == 0 && memcmp(p[0], p[1], sizeof p[0]) == 0 &&
                   is_held == looped[k].is_held))
            printf("%s\n%s\n%s\n", text, irl_diag_text(cx), irl_c_source(m));
        irl_ctx_destroy(cx);
    }
}

/* Rows of any number of elements in rows of any pitch, down and across, some of them backwards or
   shifted: the bits are those that the function as it is written makes, padding keeps its own. Rows
   that begin with a byte are written by bytes, with what is left over after the last. */
static void test_rows(int count)
{
    int n, by_bytes = 0;
    for (n = 0; n < count; n++) {
        irl_ctx      *cx = irl_ctx_create(NULL);
        const int     bits = 1 << bits_below(3), width = 1 + bits_below(40),
                  shift = bits_below(4) ? 0 : bits_below(9),
                  pitch = width + shift + bits_below(12), rows = 1 + bits_below(5),
                  down = bits_below(2), is_back = bits_below(5) == 0;
        unsigned char x[300], d[3][300];
        char          text[300];
        irl_func     *f;
        int           k;
        snprintf(text, sizeof text,
                 "func f(a: u8[%d, %d], d: u%d[%d, %d] bits(%s)) { for (%s: %d, %s: %d) "
                 "d[y, %d %s x] = u8(a[y, x] / 3); }",
                 rows, width, bits, rows, pitch, bits_below(2) ? "msb" : "lsb", down ? "y" : "x",
                 down ? rows : width, down ? "x" : "y", down ? width : rows,
                 is_back ? pitch - 1 - shift : shift, is_back ? "-" : "+");
        f = parsed(cx, text);
        for (k = 0; k < 300; k++) x[k] = (unsigned char)bits_below(256);
        for (k = 0; k < 3; k++) memset(d[k], 0xa5, sizeof d[k]);
        CHECK(irl_func_interpret(f, IRL_POINTERS(x, d[0])));
        for (k = 1; k < 3; k++) {
            irl_module *m = irl_func_lower(f, k == 1 ? &irl_target_c99 : &irl_target_opencl12);
            if (!CHECK(m && irl_module_interpret(m, IRL_POINTERS(x, d[k])) &&
                       memcmp(d[0], d[k], sizeof d[0]) == 0))
                printf("%s\n%s\n%s\n", text, irl_diag_text(cx), irl_module_text(m));
            by_bytes += m && strstr(irl_module_text(m), "x_rest") != NULL;
        }
        irl_ctx_destroy(cx);
    }
    printf("%d rows were written by bytes, and what is left over\n", by_bytes);
    CHECK(by_bytes > 0);
}

/* ------------------------------------------------------------------ schedules */

/* The function behind the steps, and its modules, make of x = 0, 37, 74 ... and of y = 0x5a what it
   made as it was; `says`: of a part of the lowered text, or of the refusal. */
static void scheduled(const char *text, const char *steps, int is_refused, const char *says)
{
    unsigned char x[256], y[256], z[256];
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_func     *f = irl_func_parse(cx, text, IRL_TO_NUL, "bits"), *g;
    int           k, j, ok = f != NULL;
    for (k = 0; k < 256; k++) x[k] = (unsigned char)(37 * k);
    memset(y, 0x5a, sizeof y);
    CHECK(f && irl_func_interpret(f, IRL_POINTERS(x, y)));
    g = irl_schedule_parse(f, steps, IRL_TO_NUL, NULL);
    for (k = 0; g && ok && k < 3; k++) {
        irl_module *m = k ? irl_func_lower(g, k == 1 ? &irl_target_c99 : &irl_target_opencl12)
                          : NULL;
        memset(z, 0x5a, sizeof z);
        if (k && !m) break;
        ok = m ? irl_module_interpret(m, IRL_POINTERS(x, z))
               : irl_func_interpret(g, IRL_POINTERS(x, z));
        for (j = 0; j < 256; j++) ok &= z[j] == y[j];
        if (k == 1 && !is_refused && says) ok &= strstr(irl_module_text(m), says) != NULL;
    }
    if (!CHECK(ok && is_refused == !irl_ok(cx)))
        printf("%s\n%s\n%s\n", text, steps, irl_diag_text(cx));
    if (is_refused) CHECK(strstr(irl_diag_text(cx), says) != NULL);
    if (is_refused && !strstr(irl_diag_text(cx), says)) printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

#define BITS_COPY(type) "func f(x: u8[256], d: " type ") { for (i: 128) d[i] = x[i]; }"
#define BITS_WIDE(type) "func f(x: u8[256], d: " type ") { for (i: 128) d[i] = u16(x[i]) * 9; }"
#define BITS_LARGEST \
    "func f(x: u8[256], y: u4[8]) { for (i: 8, k: 8) block a(v: 8 = i, r: reduce(8) = k) { " \
    "init { y[v] = 0; } y[v] = max(y[v], x[v * 8 + r]); } }"

/* Iterations of whole bytes; those that share one. */
static void test_schedules(void)
{
    scheduled(BITS_COPY("u1[128]"), "{ (o, e) = split(i, 8); parallel(o); }", 0, "d_bytes[o] =");
    scheduled(BITS_COPY("u1[128] bits(msb)"), "{ (o, e) = split(i, 16); bind(o, global.x); }", 0,
              NULL);
    scheduled(BITS_COPY("u1[128]"), "{ (o, e) = split(i, 8); parallel(o); unroll(e); }", 0, "d_");
    scheduled(BITS_COPY("u1[128]"), "{ (o, e) = split(i, 8); vectorize(e); }", 0, "d_bytes[o] =");
    scheduled(BITS_COPY("u1[128]"), "{ parallel(i); }", 0, "d_bytes[i_outer] =");
    scheduled(BITS_COPY("u4[128]"), "{ (o, e) = split(i, 2); vectorize(o); }", 0, "d_bytes[");
    scheduled(BITS_WIDE("u12[128]"), "{ (o, e) = split(i, 2); parallel(o); }", 0, "parallel (o:");
    scheduled(BITS_WIDE("u10[128]"), "{ (o, e) = split(i, 4); bind(o, global.x); }", 0, NULL);
    scheduled(BITS_COPY("u1[128]"), "{ (a, b) = split(i, 4); (o, e) = split(a, 2); parallel(o); }",
              0, NULL);
    scheduled(BITS_COPY("u1[128]"), "{ (o, e) = split(i, 4); parallel(o); }", 1,
              "iterations 0 and 1 of parallel loop 'o' write bits 0 and 4 of byte 0 of 'd', which "
              "has elements of 1 bit: a part of a byte is written by reading and writing the byte. "
              "Let an iteration write whole bytes: split 'o' by 2, so that the outer loop is "
              "parallel");
    scheduled(BITS_COPY("u1[128] bits(msb)"), "{ (o, e) = split(i, 4); parallel(o); }", 1,
              "write bits 7 and 3 of byte 0");
    scheduled(BITS_WIDE("u12[128]"), "{ bind(i, global.x); }", 1, "write bits 0 to 3 and 4 to 7 of "
              "byte 1 of 'd', which has elements of 12 bits");
    scheduled(BITS_COPY("u1[128]"), "{ bind(i, global.x); }", 1, "split 'i' by 8, so that the "
              "outer loop is bound");
    /* a value that is kept in a few bits is not the one that was computed */
    scheduled("func f(x: u8[256], y: u8[64]) { alloc t: u4[64]; for (i: 64) block a(v: 64 = i) "
              "{ t[v] = x[v]; } for (i: 64) block b(v: 64 = i) { y[v] = t[v] / 3; } }",
              "{ compute_inline(a); }", 0, NULL);
    scheduled("func f(x: u8[256], y: u8[64]) { alloc t: i3[64]; for (i: 64) block a(v: 64 = i) "
              "{ t[v] = i8(x[v]); } for (i: 64) block b(v: 64 = i) { y[v] = u8(t[v] / 3); } }",
              "{ reverse_compute_inline(b); }", 0, NULL);
    scheduled("func f(x: u8[256], y: u8[8]) { alloc t: u3[8]; for (i: 8, k: 8) "
              "block a(v: 8 = i, r: reduce(8) = k) { init { t[v] = 0; } t[v] = max(t[v], "
              "x[v * 8 + r]); } for (i: 8) block b(v: 8 = i) { y[v] = t[v]; } }",
              "{ reverse_compute_inline(b); }", 0, NULL);
    scheduled("func f(x: u8[256], y: u3[8]) { alloc t: u8[8]; for (i: 8, k: 8) "
              "block a(v: 8 = i, r: reduce(8) = k) { init { t[v] = 0; } t[v] = max(t[v], "
              "x[v * 8 + r]); } for (i: 8) block b(v: 8 = i) { y[v] = t[v]; } }",
              "{ reverse_compute_inline(b); }", 1, "'y' keeps 3 bits of a value");
    scheduled(BITS_LARGEST, "{ cache_write(a, 0, local); }", 0, NULL);
    scheduled(BITS_LARGEST, "{ reindex(a, y); }", 0, NULL);
    scheduled(BITS_LARGEST, "{ rfactor(k, 1); }", 1,
              "the order of a max would change, and its result depends on it: 'y' keeps 4 bits of "
              "each intermediate value. Keep intermediate values in a buffer of whole elements");
    /* which helps */
    scheduled("func f(x: u8[256], y: u4[8]) { alloc t: u8[8]; for (i: 8, k: 8) "
              "block a(v: 8 = i, r: reduce(8) = k) { init { t[v] = 0; } t[v] = max(t[v], "
              "x[v * 8 + r]); } for (i: 8) block b(v: 8 = i) { y[v] = t[v]; } }",
              "{ rfactor(k, 1); }", 0, NULL);
    scheduled("func f(x: u8[256], y: u4[8]) { for (i: 8, k: 8) block a(v: 8 = i, r: reduce(8) = k) "
              "{ init { y[v] = 0; } y[v] = y[v] + x[v * 8 + r]; } }", "{ rfactor(k, 1); }", 0,
              NULL);
    scheduled("func f(x: u8[256], y: u8[8]) { alloc t: u4[8]; for (i: 8) block a(v: 8 = i) "
              "{ t[v] = x[v]; } for (i: 8) block b(v: 8 = i) { y[v] = t[v]; } }",
              "{ storage_align(a, 0, 0, 4, 1); }", 1, "are side by side in one row of bytes");
}

/* An undefined element leaves those beside it defined, in the interpreter and lowered. */
static void test_undefined(void)
{
    static const char *const types[][2] = { /* of an element, and of its value */
        { "u2[128]", "u8" }, { "i18[64] bits(msb)", "i32" }, { "u30[64]", "u32" },
        { "i3[99]", "i8" },  { "u12[80] bits(msb)", "u16" }
    };
    char          text[400];
    unsigned char x[4] = { 1, 2, 3, 4 }, y[4] = { 0 };
    irl_ctx      *cx = irl_ctx_create(NULL);
    size_t        k;
    for (k = 0; k < sizeof types / sizeof *types; k++) {
        const char *t = types[k][1];
        snprintf(text, sizeof text,
                 "func f(x: u8[256], y: %s) { y: for (i: 60) { y[i] = undef(%s); "
                 "y[i + 1] = %s(x[i]); y[i] = %s(x[i + 1]); } "
                 "for (i: 7) y[i * 2] = undef(%s) + %s(x[i]); "
                 "for (i: 30) y[i] = %s(x[i * 3]); }", types[k][0], t, t, t, t, t, t);
        scheduled(text, "{ split(y.i, 4); }", 0, NULL);
    }
    CHECK(irl_func_interpret(
              parsed(cx, "func f(x: u8[4], y: u8[4]) { alloc t: u3[4]; for (i: 4) t[i] = x[i]; "
                         "t[2] = undef(u8); y[0] = t[1]; y[1] = t[3]; y[2] = t[0]; y[3] = 7; }"),
              IRL_POINTERS(x, y)) &&
          y[0] == 2 && y[1] == 4 && y[2] == 1);
    CHECK(!irl_func_interpret(
        parsed(cx, "func f(x: u8[4], y: u8[4]) { alloc t: u3[4]; t[2] = undef(u8); t[1] = x[0]; "
                   "if (t[2] == 0) y[0] = 1; }"),
        IRL_POINTERS(x, y)));
    CHECK_CODE(cx, IRL_ERROR_UNDEF_USED);
    irl_ctx_destroy(cx);
}

/* A bit that the interpreter takes for defined is the same whatever the undefined ones are: they
   are all tried. Of the operators that it follows no bit is taken for undefined that is not. */
typedef struct partial_case {
    int         is_exact; /* each bit that is the same is known; else some are not */
    const char *text;     /* of a and b, of type T */
} partial_case;

static const partial_case partials[] = {
    { 1, "a & b" }, { 1, "a | b" }, { 1, "a ^ b" }, { 1, "~a" }, { 1, "a << 2" }, { 1, "a >> 3" },
    { 1, "a * 4" }, { 1, "8 * a" }, { 1, "a / 4" }, { 1, "a % 8" }, { 1, "u32(a) * 256 | u32(b)" },
    { 1, "u16(i8(a)) ^ u16(u8(b))" }, { 1, "(a & 96) / 16" }, { 1, "i32(a) >> 2" },
    { 1, "(u64(a) << 36 | u64(u8(b)) << 30) >> 34" }, { 1, "i64(a) * 1073741824 / 536870912" },
    { 0, "a + b" }, { 0, "a - b" }, { 0, "i32(a) - 8" }, { 0, "(i32(a) ^ 8) - 8" }, { 0, "a + 64" },
    { 0, "a * b" }, { 0, "a / 3" }, { 0, "a % 6" }, { 0, "min(a, b)" }, { 0, "-a" },
    { 0, "a - a" }, { 0, "let(t = a & 15, t + t * 16)" }, { 0, "abs(a)" },
    { 0, "select(true, a, b) ^ (a << 1)" }, { 0, "lane(shuffle(a, b, [1, 0]), 1) | 3" }
};

enum { PARTIAL_TYPES = 3 };
static const char *const partial_types[PARTIAL_TYPES] = { "u8", "i8", "i16" };

/* The lowest 32 bits of the expression for numbers that are known. */
static uint32_t partial_value(const irl_func *f, int bytes, uint32_t a, uint32_t b)
{
    const uint8_t  x8[2] = { (uint8_t)a, (uint8_t)b };
    const uint16_t x16[2] = { (uint16_t)a, (uint16_t)b };
    uint32_t       y = 0;
    CHECK(irl_func_interpret(f, bytes == 1 ? IRL_POINTERS(x8, &y) : IRL_POINTERS(x16, &y)));
    return y;
}

/* Which bits of the expression are the same where those of `undef`, of a and above it of b, are
   any. */
static uint32_t partial_same(const irl_func *f, int bytes, uint32_t value, uint32_t undef,
                             uint32_t *first)
{
    const int      bits = 8 * bytes;
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    uint32_t       some = 0, same = UINT32_MAX, y;
    *first = partial_value(f, bytes, value & mask, value >> bits & mask);
    do { /* all parts of undef */
        y = (value & ~undef) | some;
        same &= ~(partial_value(f, bytes, y & mask, y >> bits & mask) ^ *first);
        some = (some - undef) & undef;
    } while (some);
    return same;
}

static void partial_one(const partial_case *p, const char *type, uint32_t value, uint32_t undef)
{
    const int bytes = strcmp(type, "i16") == 0 ? 2 : 1, bits = 8 * bytes;
    irl_ctx  *cx = irl_ctx_create(NULL);
    char      text[3000];
    int       k, n;
    uint32_t  same, first, known = 0, y;
    irl_func *f;
    n = snprintf(text, sizeof text, "func f(x: %s[2], y: u32[1]) { let a = x[0]; let b = x[1]; "
                 "y[0] = u32(%s); }", type, p->text);
    f = parsed(cx, text);
    same = partial_same(f, bytes, value, undef, &first);
    for (k = 0; k < 32; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        int      j;
        n = snprintf(text, sizeof text, "func f(y: u32[1]) { alloc m: u8[4]; "
                     "decl w: %s[2] data(m); decl v: u1[32] data(m); ", type);
        for (j = 0; j < 2 * bits; j++)
            if (!(undef >> j & 1))
                n += snprintf(text + n, sizeof text - (size_t)n, "v[%d] = %d; ", j,
                              (int)(value >> j & 1));
        snprintf(text + n, sizeof text - (size_t)n, "let a = w[0]; let b = w[1]; "
                 "y[0] = u32(%s) & u32(%lu); }", p->text, 1ul << k);
        if (irl_func_interpret(parsed(cx, text), IRL_POINTERS(&y))) {
            known |= UINT32_C(1) << k;
            if (!CHECK((same >> k & 1) && y == (first & UINT32_C(1) << k)))
                printf("%s of %s: bit %d is not defined\n%s\n", p->text, type, k, text);
        } else if (irl_diag_of(cx)->code == IRL_ERROR_UNDEF_USED) irl_ctx_rewind(cx, mark);
        else break;
    }
    if (!CHECK_OK(cx)) puts(text);
    if (p->is_exact && !CHECK(known == same))
        printf("%s of %s: %lx are known, %lx are the same\n%s\n", p->text, type,
               (unsigned long)known, (unsigned long)same, text);
    irl_ctx_destroy(cx);
}

static void test_partial(int count)
{
    size_t k;
    int    n, j;
    bits_state = 77;
    for (k = 0; k < sizeof partials / sizeof *partials; k++)
        for (n = 0; n < count; n++) {
            const char    *type = partial_types[n % PARTIAL_TYPES];
            const int      bits = strcmp(type, "i16") == 0 ? 32 : 16;
            const uint32_t value = bits_random();
            uint32_t       undef = 0;
            for (j = 1 + bits_below(5); j > 0; j--) undef |= UINT32_C(1) << bits_below(bits);
            partial_one(&partials[k], type, bits == 32 ? value : value & 0xffff, undef);
        }
}

/* The bytes of bits, the last of which they do not fill, as bytes. */
static void test_bytes_of_bits(void)
{
    unsigned char x[4] = { 1, 2, 3, 4 }, y[4] = { 0 };
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_module   *m = irl_func_lower(
        parsed(cx, "func f(x: u4[7], y: u8[4]) { decl w: u8[4] data(x); for (i: 3) y[i] = w[i]; "
                   "y[3] = x[6]; }"),
        &irl_target_c99);
    CHECK(m && irl_module_interpret(m, IRL_POINTERS(x, y)));
    CHECK(y[0] == 1 && y[1] == 2 && y[2] == 3 && y[3] == 4);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    CHECK(!irl_func_lower(parsed(cx, "func f(n: index, x: u4[n * 2], y: u8[4]) "
                                     "{ decl w: u8[n + 1] data(x); y[0] = w[0]; }"),
                          &irl_target_c99));
    CHECK_CODE(cx, IRL_ERROR_BAD_ALIAS);
    CHECK(strstr(irl_diag_text(cx), "never fits its memory, 'x', which has n of u8") != NULL);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ barriers

   Work-items of 16 that write parts of one byte, at times that a barrier keeps apart. */
typedef struct barrier_case {
    int         is_right;
    const char *body; /* in loops g: 2 of groups and l: 8 of work-items; x: u8[256], y: u4[64] */
} barrier_case;

#define BARRIER_PART(k) "if (l % 2 == " #k ") y[g * 8 + l] = x[g * 8 + l]; "

static const barrier_case barriers[] = {
    { 1, BARRIER_PART(0) "barrier(global); " BARRIER_PART(1) },
    { 0, BARRIER_PART(0) "barrier(shared); " BARRIER_PART(1) },
    { 0, BARRIER_PART(0) BARRIER_PART(1) "barrier(global); " },
    { 1, "for (k: 2) { if (l % 2 == k) y[g * 8 + l] = x[g * 8 + l]; barrier(global); }" },
    { 1, "for (k: 2) { barrier(global); if (l % 2 == k) y[g * 8 + l] = x[g * 8 + l]; }" },
    { 1, "for (k: 3) { " BARRIER_PART(0) "barrier(global); " BARRIER_PART(1)
         "barrier(global); }" },
    { 0, "for (k: 3) { " BARRIER_PART(0) "barrier(global); " BARRIER_PART(1) "}" }, /* k, k + 1 */
    { 1, "for (k: 3) { barrier(global); " BARRIER_PART(0) "barrier(global); " BARRIER_PART(1) "}" },
    { 1, "for (k: 2) { for (j: 2) { if (l % 2 == j) y[g * 8 + l] = x[g * 8 + l + k]; "
         "barrier(global); } }" },
    { 0, "for (k: 2) { for (j: 2) { if (l % 2 == j) y[g * 8 + l] = x[g * 8 + l + k]; } "
         "barrier(global); }" },
    { 1, "for (k: 4) { if (l % 2 == 0) y[g * 8 + l] = x[g * 8 + l] + u8(k); barrier(global); "
         "for (j: 2) { if (l % 2 == 1) y[g * 8 + l] = y[g * 8 + l - 1]; } barrier(global); }" },
    { 0, "for (k: 4) { if (l % 2 == 0) y[g * 8 + l] = x[g * 8 + l] + u8(k); barrier(global); "
         "for (j: 2) { if (l % 2 == 1) y[g * 8 + l] = y[g * 8 + l - 1]; } }" },
    { 0, "if (x[0] > 3) { " BARRIER_PART(0) "} else { barrier(global); } " BARRIER_PART(1) },
    { 1, "if (g == 1) { " BARRIER_PART(0) "barrier(global); " BARRIER_PART(1) "}" },
    { 0, "y[g * 7 + l] = x[l]; barrier(global); y[g * 7 + l] = x[l + 9];" },
};

static void test_barriers(void)
{
    size_t k;
    for (k = 0; k < sizeof barriers / sizeof *barriers; k++) {
        unsigned char x[256], y[3][32];
        irl_ctx      *cx = irl_ctx_create(NULL);
        char          text[600];
        irl_func     *f;
        irl_module   *m;
        int           j;
        for (j = 0; j < 256; j++) x[j] = (unsigned char)(j * 37 + j / 9);
        memset(y, 0x5a, sizeof y);
        snprintf(text, sizeof text, "func f(x: u8[256], y: u4[64]) { for bind(group.x) (g: 2) "
                                    "for bind(local.x) (l: 8) { %s } }", barriers[k].body);
        f = parsed(cx, text);
        m = irl_func_lower(f, &irl_target_opencl12);
        if (!CHECK((m != NULL) == barriers[k].is_right &&
                   (m || irl_diag_of(cx)->code == IRL_ERROR_DATA_RACE)))
            printf("%s\n%s\n", barriers[k].body, irl_diag_text(cx));
        if (m && !CHECK(irl_func_interpret(f, IRL_POINTERS(x, y[0])) &&
                        irl_module_interpret(m, IRL_POINTERS(x, y[1])) &&
                        memcmp(y[0], y[1], sizeof y[0]) == 0 &&
                        memcmp(y[0], y[2], sizeof y[0]) != 0))
            printf("%s\n%s\n", barriers[k].body, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* A match of bits is of the same bits. */
static void test_matches(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(!irl_func_interpret(
        irl_func_parse(cx, "func f(a: i32[4, 17] bits(lsb), y: i32[4]) { for (i: 4) "
                           "block b(v: 4 = i) { match m: i32[4, 17] = a[0: 4, 0: 17]; "
                           "y[v] = m[v, 3]; } }", IRL_TO_NUL, NULL), IRL_POINTERS(cx, cx)));
    CHECK_CODE(cx, IRL_ERROR_TYPE_MISMATCH);
    CHECK(strstr(irl_diag_text(cx), "the same width and order of bits as its source") != NULL);
    irl_ctx_destroy(cx);
    scheduled("func f(x: u4[16] bits(msb), y: u8[16]) { for (i: 16) block b(v: 16 = i) { "
              "match m: u4[4] bits(msb) = x[v / 4 * 4: 4]; y[v] = m[v % 4]; } }",
              "{ parallel(i); }", 0, NULL);
}

/* ------------------------------------------------------------------ what is refused */

static void refused(const char *text, irl_code code, const char *says)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_module *m = irl_func_lower(parsed(cx, text), &irl_target_opencl12);
    CHECK(!m);
    CHECK_CODE(cx, code);
    if (!strstr(irl_diag_text(cx), says)) printf("%s\n", irl_diag_text(cx));
    CHECK(strstr(irl_diag_text(cx), says) != NULL);
    irl_ctx_destroy(cx);
}

static void test_refused(void)
{
    static const unsigned char one_bit_each[16] = { 1, 2, 0, 0, 0, 0, 0, 0,
                                                    0, 0, 0, 0, 0, 0, 0, 128 };
    irl_func     *whole;
    unsigned char d[16] = { 0 }, x[128] = { 0 };
    irl_ctx      *cx = irl_ctx_create(NULL);
    refused("func f(x: u8[128], d: u1[128]) {\n"
            "  for parallel (i: 128) if (x[i] > 7) d[i] = 1; }",
            IRL_ERROR_DATA_RACE, "iterations 0 and 1 of parallel loop 'i' write bits 0 and 1 of "
                                 "byte 0 of 'd'");
    refused("func f(x: u8[64], d: u1[128]) {\n"
            "  for bind(global.x) (i: 64) { d[2 * i] = x[i]; } }",
            IRL_ERROR_DATA_RACE,
            "iterations 0 and 1 of bound loop 'i' write bits 0 and 2 of byte 0");
    refused("func f(x: u8[64], d: u12[64]) { for parallel (i: 64) { d[i] = u16(x[i]); } }",
            IRL_ERROR_DATA_RACE, "iterations");
    /* a serial loop of the kernel is run by each work-item in its own time */
    refused("func f(x: u8[8, 7], y: u4[8, 7]) { for bind(group.x) (g: 2) for (j: 7) for "
            "bind(local.x) (i: 4) y[g * 4 + i, j] = x[g * 4 + i, j]; }",
            IRL_ERROR_DATA_RACE, "iterations 0 and 1 of bound loop 'i' write bits 0 to 3 and 4 to "
            "7 of byte 3 of 'y'");
    refused("func f(d: u4[8] strides(8)) { d[0] = 1; }", IRL_ERROR_BAD_STRUCTURE, "side by side");
    refused("func f(d: u4) { }", IRL_ERROR_SYNTAX, "elements of a buffer");
    refused("func f(d: f32x4[4] bits(lsb)) { }", IRL_ERROR_BAD_TYPE, "1 to 64");
    refused("func f(w: u8[18]) {\n"
            "  decl q: u4[2, 17] data(w) strides(4, 8) offset(16); q[0, 0] = 1; }",
            IRL_ERROR_BAD_ALIAS, "takes 19 bytes");
    refused("func f(d: u4[8] bits(middle)) { d[0] = 1; }", IRL_ERROR_SYNTAX, "lsb or msb");
    refused("func f(w: u8[4, 18]) {\n"
            "  decl d: f16[4] data(w) strides(144) field bits(lsb);\n"
            "  decl q: u4[4, 2, 16] data(w) strides(144, 4, 8) offset(12) field; q[0, 0, 0] = 1; }",
            IRL_ERROR_LOSSY_MAP, "d[0] and q[0, 0, 0] have bit 4 of byte 1 of the memory, 'w'");
    refused("func f(w: u8[4]) {\n"
            "  decl q: u5[3] data(w) strides(4) field bits(msb); q[0] = 1; }",
            IRL_ERROR_LOSSY_MAP, "fields overlap: q[0] and q[1] have bit 3 of byte 0");
    refused("func f(n: index, w: u8[4]) {\n"
            "  decl q: u5[4, n] data(w) strides(16, 8) field; q[0, 0] = 1; }",
            IRL_ERROR_UNSUPPORTED, "bits; or consecutive records: the first axes may have names as "
                                   "extents, if the last of these has a number as its stride, the "
                                   "same for all fields, and each other one the product of the "
                                   "next one's extent and stride. Otherwise it is not known "
                                   "whether fields overlap");
    /* records that begin within bytes, the high bit first: a[1] is bits 16 to 27, as b[0] */
    refused("func f(n: index, w: u8[n, 3], y: u8[n]) {\n"
            "  decl a: u1[n] data(w) strides(12) offset(4) bits(msb) field;\n"
            "  decl b: u1[n] data(w) strides(12) offset(16) bits(msb) field; y[0] = b[0]; }",
            IRL_ERROR_LOSSY_MAP, "fields overlap:");
    parsed(cx, "func f(n: index, w: u8[n, 3]) {\n"
               "  decl a: u4[n] data(w) strides(12) bits(msb) field;\n"
               "  decl b: u4[n] data(w) strides(12) offset(4) bits(msb) field;\n"
               "  decl c: u4[n] data(w) strides(12) offset(8) bits(msb) field;\n"
               "  for (i: n) a[i] = b[i] + c[i]; }");
    /* each bit is one iteration's; lowered, each byte */
    x[0] = x[9] = x[127] = 1;
    whole = parsed(cx, "func f(x: u8[128], d: u1[128]) { for parallel (i: 128) d[i] = x[i]; }");
    CHECK(irl_func_interpret(whole, IRL_POINTERS(x, d)) && !memcmp(d, one_bit_each, sizeof d));
    memset(d, 0, sizeof d);
    CHECK(irl_module_interpret(irl_func_lower(whole, &irl_target_c99), IRL_POINTERS(x, d)) &&
          !memcmp(d, one_bit_each, sizeof d));
    CHECK_OK(cx);
    CHECK(!irl_func_interpret(
        parsed(cx, "func f(x: u8[128], d: u4[32] bits(msb)) { for parallel (i: 32) "
                   "d[i / 31 * 3] = x[i]; }"),
        IRL_POINTERS(x, d)));
    CHECK_CODE(cx, IRL_ERROR_DATA_RACE);
    CHECK(strstr(irl_diag_text(cx), "bit 4 of byte 0 of the memory of 'd' is written by iteration "
                                    "0 and written by iteration 1") != NULL);
    irl_ctx_destroy(cx);
}

/* A width in front of a scalar parameter: scalars are declared before the others are read. */
static void test_beside_scalars(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(irl_func_parse(cx,
                         "func f(x: u4[n], a: i32, n: index, y: i32[n]) "
                         "{ for (i: n) y[i] = i32(x[i]) + a; }",
                         IRL_TO_NUL, "test") != NULL);
    CHECK_OK(cx);
    CHECK(!irl_func_parse(cx, "func f(x: u4, a: i32) { }", IRL_TO_NUL, "test"));
    CHECK(irl_diag_of(cx) && strstr(irl_diag_text(cx), "[' and a shape: only elements of a buffer "
                                                       "have bits(...)"));
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = getenv("IRL_SOAK") ? 100000 : TEST_COUNT(100);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    test_generated(first, count);
    test_memory(first, count);
    if (argc == 1) {
        test_ssd1306();
        test_raw();
        test_blocks();
        test_q4_k();
        test_pixels();
        test_can();
        test_glyph_and_panel();
        test_written_back();
        test_places_of_itself();
        test_q4_k_scales();
        test_can_frames();
        test_mirrored(getenv("IRL_SOAK") ? 5000 : TEST_COUNT(60));
        test_real_as_c();
        test_whole_bytes();
        test_rows(getenv("IRL_SOAK") ? 100000 : TEST_TENTH(300));
        test_looped();
        test_schedules();
        test_undefined();
        test_partial(TEST_COUNT(12));
        test_bytes_of_bits();
        test_matches();
        test_barriers();
        test_beside_scalars();
        test_refused();
    }
    c_folder_end();
    return TEST_DONE();
}
