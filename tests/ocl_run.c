/* ocl_run.c - the OpenCL runtime, and every operator, type and width on a device beside the
   interpreter.

   Needs a device; without one it checks what can be said about that, and skips the rest with a
   message. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <math.h>
#include "failing.h"
#include "test.h"

enum { MOST = 40, ROOM = 1 << 16 };

/* ------------------------------------------------------------------ data: edges, then anything */

static int64_t some_int(irl_type t)
{
    static const int64_t edges[] = { 0,         1,        -1,        2,         7,
                                     -8,        127,      -128,      255,       32767,
                                     -32768,    65535,    INT32_MAX, INT32_MIN, INT64_C(0xffffffff),
                                     INT64_MAX, INT64_MIN };
    int64_t any = (int64_t)(((uint64_t)test_random() << 48) ^ ((uint64_t)test_random() << 32) ^
                            ((uint64_t)test_random() << 16) ^ test_random());
    return irl__wrap_int(t, TEST_RANDOM(3)
                                ? any >> TEST_RANDOM(60)
                                : edges[TEST_RANDOM((int)(sizeof edges / sizeof *edges))]);
}

static double some_float(irl_type t)
{
    static const double edges[] = { 0.0,  -0.0,    1.0,     -1.0, 0.5,   1.5,  2.5, -2.5,
                                    1e-3, 65504.0, 65520.0, 1e10, -3e38, 6e-5, 3e-8 };
    double any = ldexp((double)test_random() * 65536.0 + (double)test_random() - 2147483648.0,
                       -25 + TEST_RANDOM(20));
    if (!irl__type_is_storage(t) && TEST_RANDOM(40) == 0)
        return TEST_RANDOM(2) ? HUGE_VAL : -HUGE_VAL;
    if (!irl__type_is_storage(t) && TEST_RANDOM(40) == 0) return HUGE_VAL - HUGE_VAL;
    return irl__round_float(
        t, TEST_RANDOM(3) ? any : edges[TEST_RANDOM((int)(sizeof edges / sizeof *edges))]);
}

static void fill(irl_type t, void *memory, size_t count)
{
    irl_type    scalar = irl_type_of((irl_scalar)t.scalar, 1);
    irl__scalar s;
    size_t      k;
    for (k = 0; k < count * t.lanes; k++) {
        if (irl__type_is_float(scalar) || irl__type_is_storage(scalar)) s.f = some_float(scalar);
        else s.i = some_int(scalar);
        irl__store_scalar(scalar, (unsigned char *)memory + k * irl__type_bytes(scalar), s);
    }
}

/* ----------------------------------------- one function on the device and in the interpreter */

typedef struct arrays {
    int    count;
    void  *data[MOST];
    size_t bytes[MOST];
} arrays;

static irl_arguments pointers(const arrays *a)
{
    irl_arguments list;
    int           k;
    memset(&list, 0, sizeof list);
    list.count = a->count;
    for (k = 0; k < a->count; k++) list.data[k] = a->data[k];
    return list;
}

static arrays arrays_of(const irl_func *f)
{
    arrays        a;
    irl_arguments none;
    irl_tensor    t;
    int           k;
    memset(&none, 0, sizeof none);
    memset(&a, 0, sizeof a);
    a.count = f->param_count;
    for (k = 0; k < a.count && irl_func_param_tensor(f, k, none, &t); k++) {
        a.bytes[k] = t.bytes;
        a.data[k] = calloc(t.bytes + 1, 1);
        fill(t.type, a.data[k], t.bytes / irl__type_bytes(t.type));
    }
    return a;
}

static arrays arrays_copy(const arrays *a)
{
    arrays copy = *a;
    int    k;
    for (k = 0; k < a->count; k++) {
        copy.data[k] = malloc(a->bytes[k] + 1);
        memcpy(copy.data[k], a->data[k], a->bytes[k]);
    }
    return copy;
}

static void arrays_free(arrays *a)
{
    int k;
    for (k = 0; k < a->count; k++) free(a->data[k]);
}

static int arrays_equal(const irl_func *f, const arrays *expected, const arrays *found, int ulp)
{
    int k;
    for (k = 0; k < f->param_count; k++) {
        irl_type t = f->params[k].buffer ? f->params[k].buffer->type : f->params[k].var->type;
        int64_t n = (int64_t)(expected->bytes[k] / irl__type_bytes(t)),
                at = irl_array_difference(t, n, expected->data[k], found->data[k], ulp);
        if (at >= 0) {
            irl_type    s = irl_type_of((irl_scalar)t.scalar, 1);
            irl__scalar x = irl__load_scalar(s, (unsigned char *)expected->data[k] +
                                                    (size_t)at * irl__type_bytes(t));
            irl__scalar y = irl__load_scalar(s, (unsigned char *)found->data[k] +
                                                    (size_t)at * irl__type_bytes(t));
            printf("%s of %s, element %d: expected %g (%lld), found %g (%lld)\n", f->params[k].name,
                   f->name, (int)at, x.f, (long long)x.i, y.f, (long long)y.i);
            return 0;
        }
    }
    return 1;
}

/* Sources that were emitted, for other compilers to read: --write DIRECTORY. */
static const char *write_to;
static void write_source(const char *source)
{
    static int number;
    char       name[300];
    FILE      *f;
    if (!write_to || !source[0]) return;
    snprintf(name, sizeof name, "%s/run_%03d.cl", write_to, number++);
    f = fopen(name, "wb");
    if (!f) return;
    fputs(source, f);
    fclose(f);
}

/* 1 if both give the same numbers. */
static int agrees(irl_ocl *cl, irl_ctx *cx, const char *text, int ulp)
{
    irl_func   *f = irl_func_parse(cx, text, strlen(text), "test");
    irl_module *m = irl_func_lower(f, &irl_target_opencl12);
    arrays      expected, found;
    int         ok;
    if (!m) {
        printf("%s\n%s\n", text, irl_diag_text(cx));
        return 0;
    }
    write_source(irl_ocl_source(m));
    expected = arrays_of(f);
    found = arrays_copy(&expected);
    ok = irl_func_interpret(f, pointers(&expected)) && irl_ocl_run(cl, m, pointers(&found));
    if (!ok) printf("%s\n", irl_diag_text(cx));
    ok = ok && arrays_equal(f, &expected, &found, ulp);
    if (!ok) printf("%s\n%s\n", text, irl_ok(cx) ? irl_ocl_source(m) : "");
    arrays_free(&expected);
    arrays_free(&found);
    return ok;
}

static void same(irl_ocl *cl, irl_ctx *cx, const char *text, int ulp)
{
    irl_mark mark = irl_ctx_mark(cx);
    CHECK(agrees(cl, cx, text, ulp));
    irl_ctx_rewind(cx, mark);
}

/* ------------------------------------------------------------------ operators */

/* $ is the type, & the type's bits - 1; a, b, d (never 0, and -1 among others) are lanes of the
   same place. */
static const char *const int_ops[] = {
    "a + b",
    "a - b",
    "a * b",
    "a + b * a - b",
    "-a",
    "~a",
    "a & b",
    "a | b",
    "a ^ b",
    "min(a, b)",
    "max(a, b)",
    "abs(a)",
    "abs(a) / $(8)",
    "a << (b & $(&))",
    "a >> (b & $(&))",
    "a / d",
    "a % d",
    "truncdiv(a, d)",
    "truncmod(a, d)",
    "a / $(8)",
    "a % $(8)",
    "a / $(7)",
    "a % $(7)",
    "truncdiv(a, $(3))",
    "select(a < b, a, b)",
    "if_then_else(i % 2 == 0, a, b)",
    "let(t = a + b, t * t)",
    "min(a + $(1), $(5))",
    "if_then_else(i > 3, let(t = a * b, t - a), b)",
    "$(a < b) + $(3)",
    "as($, a)",
    "(a - b) - (a - (b - a))",
};
static const char *const float_ops[] = {
    "a + b",
    "a - b",
    "a * b",
    "-a",
    "-(-a)",
    "min(a, b)",
    "max(a, b)",
    "abs(a)",
    "fma(a, b, a)",
    "floor(a)",
    "ceil(a)",
    "trunc(a)",
    "rint(a)",
    "select(a < b, a, b)",
    "if_then_else(i % 2 == 0, a, b)",
    "let(t = a + b, t * t)",
    "a * $(-0.0)",
    "a + $(0.1)",
    "$(a < b) - a",
    "a - (b - a)",
    "max(a, $(0))",
    "a * $(1e-7) + $(3e30)",
};
static const char *const close_ops[] = { "a / b",
                                         "sqrt(abs(a))",
                                         "rsqrt(abs(a) + $(1))",
                                         "exp(min(max(a, -9), 9))",
                                         "log(abs(a) + $(2))",
                                         "sin(min(max(a, -9), 9))",
                                         "tanh(a)",
                                         "acos(a / (abs(a) + $(1)))",
                                         "acosh(abs(a) + $(1.5))",
                                         "asin(a / (abs(a) + $(1)))",
                                         "asinh(a)",
                                         "atan(a)",
                                         "atanh(a / (abs(a) + $(1)))",
                                         "cbrt(a)",
                                         "cosh(min(max(a, -9), 9))",
                                         "sinh(min(max(a, -9), 9))",
                                         "erf(a)",
                                         "erfc(min(a, $(5)))",
                                         "exp10(min(max(a, -9), 9))",
                                         "expm1(min(max(a, -9), 9))",
                                         "log10(abs(a) + $(2))",
                                         "log1p(abs(a))",
                                         "round(a)",
                                         "tgamma(abs(min(max(a, -9), 9)) + $(1))",
                                         "lgamma(abs(min(max(a, -9), 9)) + $(3))",
                                         "ldexp(a, 3)",
                                         "logb(abs(a) + $(1))",
                                         "atan2(a, b)",
                                         "hypot(a, b)",
                                         "fmod(a, b)",
                                         "remainder(a, b)",
                                         "copysign(a, b)",
                                         "pow(abs(a) + $(1), $(1.5))",
                                         "exp2(min(max(a, -9), 9))" };
static const char *const compare_ops[] = { "a < b",
                                           "a <= b",
                                           "a > b",
                                           "a >= b",
                                           "a == b",
                                           "a != b",
                                           "!(a < b) && a != b || b >= a",
                                           "a < b == (b < a)" };
static const char *const bool_ops[] = { "a && b",
                                        "a || b",
                                        "!a",
                                        "a == b",
                                        "a != b",
                                        "a < b",
                                        "a >= b",
                                        "a & b",
                                        "a | b",
                                        "a ^ b",
                                        "select(a, b, !a)",
                                        "if_then_else(i % 3 == 0, a, b)",
                                        "bool(i32(a) + 1)" };

typedef struct writer {
    char text[ROOM];
    int  length;
} writer;

/* An operator's template with the operands and the type put in. */
static void put_op(writer *w, const char *op, const char *type, int bits, const char *index)
{
    for (; *op; op++) {
        int  alone = !((op[1] >= 'a' && op[1] <= 'z') || op[1] == '(');
        char before = w->length ? w->text[w->length - 1] : ' ';
        alone = alone && !(before >= 'a' && before <= 'z');
        if (*op == '$') w->length += sprintf(w->text + w->length, "%s", type);
        else if (*op == '&' && op[1] == ')')
            w->length += sprintf(w->text + w->length, "%d", bits - 1);
        else if (alone && (*op == 'a' || *op == 'b' || *op == 'd'))
            w->length += sprintf(w->text + w->length, "%c[%s]", *op, index);
        else w->text[w->length++] = *op;
    }
    w->text[w->length] = '\0';
}

/* for (i: N / W) for vectorized (j: W) y[k, i * W + j] = op k */
static void put_ops(writer *w, const char *out, const char *const *ops, int count, const char *type,
                    int bits, int width, int cells)
{
    char index[32];
    int  k;
    if (width > 1) snprintf(index, sizeof index, "i * %d + j", width);
    else snprintf(index, sizeof index, "i");
    for (k = 0; k < count; k++) {
        w->length += sprintf(w->text + w->length, "            %s[%d, %s] = ", out, k, index);
        put_op(w, ops[k], type, bits, index);
        w->length += sprintf(w->text + w->length, ";\n");
    }
    (void)cells;
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void operators_of(irl_ocl *cl, irl_ctx *cx, const char *type, int bits, int width,
                         const char *const *ops, int count, int ulp)
{
    static writer w;
    int           cells = 48;
    w.length = sprintf(
        w.text,
        "func ops_%s_%d(a: %s[%d], b: %s[%d], c: %s[%d], y: %s[%d, %d], z: bool[%d, %d]) {\n    "
        "alloc d: %s[%d];\n"
        "    for (i: %d) d[i] = %s;\n    for (i: %d)\n        for %s(j: %d) {\n",
        type, width, type, cells, type, cells, type, cells, type, count, cells, COUNT(compare_ops),
        cells, type, cells, cells,
        bits ? "if_then_else(c[i] == 0, 5, if_then_else(i % 3 == 0, ~(c[i] & 0), c[i]))" : "c[i]",
        cells / width, width > 1 ? "vectorized " : "", width);
    put_ops(&w, "y", ops, count, type, bits, width, cells);
    if (!ulp) put_ops(&w, "z", compare_ops, COUNT(compare_ops), type, bits, width, cells);
    sprintf(w.text + w.length, "        }\n}\n");
    same(cl, cx, w.text, ulp);
}

static void operators(irl_ocl *cl, irl_ctx *cx)
{
    static const struct {
        const char *name;
        int bits;
    } ints[] = { { "i8", 8 },   { "u8", 8 },   { "i16", 16 }, { "u16", 16 },
                 { "i32", 32 }, { "u32", 32 }, { "i64", 64 }, { "u64", 64 } };
    static const int widths[] = { 1, 4, 3, 16, 2, 8 };
    int k, w, some = getenv("IRL_SOAK") ? 6 : 3, every = getenv("IRL_SLOW") == NULL;
    for (w = 0; w < some; w++) {
        for (k = 0; k < COUNT(ints); k++)
            if (every || (k + k / 2 + w) % 2) /* each type at one width or two */
                operators_of(cl, cx, ints[k].name, ints[k].bits, widths[w], int_ops,
                             COUNT(int_ops), 0);
        operators_of(cl, cx, "f32", 0, widths[w], float_ops, COUNT(float_ops), 0);
        operators_of(cl, cx, "f64", 0, widths[w], float_ops, COUNT(float_ops), 0);
        operators_of(cl, cx, "f32", 0, widths[w], close_ops, COUNT(close_ops), 16);
        operators_of(cl, cx, "f64", 0, widths[w], close_ops, COUNT(close_ops), 16);
        operators_of(cl, cx, "bool", 0, widths[w], bool_ops, COUNT(bool_ops), 0);
    }
}

/* Every type to every other. */
static void casts(irl_ocl *cl, irl_ctx *cx)
{
    static const char *const types[] = { "bool", "i8",  "u8",  "i16",  "u16", "i32", "u32",
                                         "i64",  "u64", "f16", "bf16", "f32", "f64" };
    static const char *const floats = "f16 bf16 f32 f64";
    static writer            w;
    int                      from, to, width, every = getenv("IRL_SLOW") == NULL;
    for (width = 1; width <= 4; width += 3)
        for (from = every ? 0 : width / 4; from < COUNT(types); from += every ? 1 : 2) {
            const char *index = width == 1 ? "i" : "i * 4 + j",
                       *clamp = strstr(floats, types[from]) ? "1" : NULL;
            w.length =
                sprintf(w.text, "func cast_%s_%d(a: %s[64]", types[from], width, types[from]);
            for (to = 0; to < COUNT(types); to++)
                w.length += sprintf(w.text + w.length, ", y%d: %s[64]", to, types[to]);
            w.length +=
                sprintf(w.text + w.length, ") {\n    for (i: %d)\n        for %s(j: %d) {\n",
                        64 / width, width > 1 ? "vectorized " : "", width);
            for (to = 0; to < COUNT(types); to++) {
                const char *lo = types[to][0] == 'u' ? "0" : "-100";
                w.length += sprintf(w.text + w.length, "            y%d[%s] = ", to, index);
                if (clamp && (types[to][0] == 'i' || types[to][0] == 'u'))
                    w.length +=
                        sprintf(w.text + w.length, "%s(min(max(f64(a[%s]), %s.0), 100.0));\n",
                                types[to], index, lo);
                else w.length += sprintf(w.text + w.length, "%s(a[%s]);\n", types[to], index);
            }
            sprintf(w.text + w.length, "        }\n}\n");
            same(cl, cx, w.text, 0);
        }
}

static const char *const shapes_of_code[] = {
    /* putting together and taking apart */
    "func lanes(x: f32[64], y: f32[64], z: i32[64], u: u8[64]) { for (i: 8) {\n"
    "  y[ramp(i * 8, 1, 8)] = shuffle(x[ramp(i * 8, 1, 4)], x[ramp(i * 8 + 4, 1, 4)], [7, 0, 6, 1, "
    "5, 2, 4, 3]);\n"
    "  y[ramp(i * 8, 2, 4)] = shuffle(x[ramp(i * 8, 1, 4)], [3, 3, 0, 1]);\n"
    "  y[i * 8 + 1] = lane(x[ramp(i * 8, 1, 8)] * broadcast(2.0f, 8), i);\n"
    "  y[i * 8 + 3] = lane(x[ramp(i * 8, 3, 2)], 1);\n"
    "  z[ramp(i * 8, 1, 8)] = shuffle(i32x4(ramp(i, 1, 4)), i32x4(ramp(i, 3, 4)), [0, 1, 2, 3, 4, "
    "5, 6, 7]);\n"
    "  u[ramp(i * 8, 1, 8)] = u8x8(z[ramp(i * 8, 1, 8)]) + broadcast(250, 8);\n"
    "  z[ramp(i * 8, 1, 8)] = select(ramp(i * 8, 1, 8) < broadcast(30, 8), z[ramp(i * 8, 1, 8)], "
    "broadcast(lane(z[ramp(i * 8, 1, 4)], i % 4), 8));\n"
    "} }",
    /* gathers and scatters */
    "func gather(x: f32[64], p: u8[64], y: f32[64], b: bool[64], c: bool[64]) { for (i: 16) {\n"
    "  y[ramp(i, 16, 4)] = x[indexx4(p[ramp(i * 4, 1, 4)] % broadcast(64, 4))];\n"
    "  c[ramp(i * 4, 1, 4)] = b[ramp(i, 16, 4)];\n"
    "  c[ramp(i, 16, 4)] = !b[ramp(i * 4, 1, 4)] || c[ramp(i, 16, 4)];\n"
    "} }",
    /* elements with lanes of their own */
    "func elements(x: f32x4[16], y: f32x4[16], t: f32x3[16], s: f32x3[16], q: u8x4[16], h: "
    "f16x4[16], g: f32x4[16]) { for (i: 16) {\n"
    "  y[i] = x[15 - i] + broadcast(f32(i), 4);\n  s[i] = t[15 - i] * broadcast(2.0f, 3);\n  q[i] "
    "= q[i] + broadcast(200, 4);\n"
    "  g[i] = f32x4(h[i]) + x[i];\n"
    "} for (i: 8) g[ramp(i * 2, 1, 2)] = shuffle(x[ramp(i * 2, 1, 2)], [7, 6, 5, 4, 3, 2, 1, 0]); "
    "}",
    /* the same memory under other types */
    "func aliases(x: f32[32], y: u32[32], z: f32[32], b: u8[128], w: i16[64]) {\n"
    "  decl xu: u32[32] data(x); decl zu: u32[32] data(z); decl bf: f32[32] data(b); decl wi: "
    "i32[32] data(w);\n"
    "  for (i: 32) { y[i] = xu[i] >> 23; zu[i] = as(u32, z[i]) ^ u32(1); z[i] = z[i] + 1.0f; bf[i] "
    "= bf[i] * 2.0f; b[i] = b[i] + 1;\n"
    "    wi[i] = wi[i] + 7; w[i * 2 + 1] = w[i * 2] - 3; }\n"
    "  for (i: 8) { y[ramp(i * 4, 1, 4)] = y[ramp(i * 4, 1, 4)] + xu[ramp(i * 4, 1, 4)]; zu[ramp(i "
    "* 4, 1, 4)] = xu[ramp(i * 4, 1, 4)];\n"
    "    wi[ramp(i * 4, 1, 4)] = wi[ramp(i * 4, 1, 4)] * broadcast(3, 4); } }",
    /* f16 and bf16: converted, moved, and both in one memory */
    "func halves(h: f16[64], g: f16[64], k: f16[64], b: bf16[64], c: bf16[64], x: f32[64], u: "
    "u16[64], d: f64[64], n: i32[64]) {\n"
    "  for (i: 64) { g[i] = h[i]; x[i] = f32(h[i]) + f32(b[i]); c[i] = bf16(x[i]); u[i] = as(u16, "
    "g[i]); k[i] = f16(f32(k[i]) * 0.5f); }\n"
    "  for (i: 64) { k[i] = select(i % 2 == 0, k[i], h[63 - i]); x[i] = x[i] + f32(f16(x[i])) + "
    "f32(bf16(d[i])); }\n"
    "  for (i: 64) { g[i] = f16(d[i]); c[i] = bf16(n[i]); }\n"
    "  for (i: 16) { g[ramp(i * 4, 1, 4)] = f16x4(f32x4(g[ramp(i * 4, 1, 4)]) + x[ramp(i * 4, 1, "
    "4)]); c[ramp(i * 4, 1, 4)] = bf16x4(d[ramp(i * 4, 1, 4)]);\n"
    "    k[ramp(i * 4, 1, 4)] = select(x[ramp(i * 4, 1, 4)] < broadcast(0.0f, 4), h[ramp(i * 4, 1, "
    "4)], f16x4(x[ramp(i * 4, 1, 4)])); } }",
    /* loops: empty, single, shifted, counted by data; lets; branches; nested names */
    "func loops(x: f32[64], y: f32[64], n: i32[64]) {\n"
    "  for (i: 64) { let s = x[i] * 2.0f; y[i] = s;\n"
    "    for (j: 0) y[i] = 99.0f; for (j: 1) for (k: 3 .. 4) y[i] = y[i] + f32(j + k);\n"
    "    for (j: i .. i + 3) y[i] = y[i] + f32(j % 5);\n    for (j: index(n[i] % 7)) y[i] = y[i] + "
    "x[j];\n"
    "    for (j: 2 .. 2 + index(n[i] % 5)) { y[i] = y[i] + x[j]; n[i] = n[i] * 3; }\n"
    "    for unrolled (j: 4) { let s = y[i] + f32(j); y[i] = s * 0.5f; }\n"
    "    if (i > 2 && x[i - 3] > 0.0f) y[i] = y[i] - x[i - 2]; else { if (i < 60) y[i] = y[i] + "
    "x[(i - 70) / 7 + 20]; }\n"
    "    y[i] = y[i] + if_then_else(i >= 1 && let(t = x[i - 1], t * t > 1.0f), let(t = x[i - 1] + "
    "1.0f, t * t), let(q = f32(i), q - 1.0f)); } }",
    /* work-groups: shared memory, barriers, private arrays */
    "func groups(x: f32[256], y: f32[256]) {\n"
    "  for bind(group.x) (g: 4) { alloc t: f32[8, 8] scope(shared); alloc p: f32[2] scope(local);\n"
    "    for bind(local.y) (a: 8) for bind(local.x) (b: 8) {\n"
    "      t[a, b] = x[g * 64 + a * 8 + b]; p[0] = f32(a); p[1] = f32(b); barrier(shared);\n"
    "      y[g * 64 + a * 8 + b] = t[b, a] * p[0] + p[1]; barrier(shared); t[a, b] = 0.0f; } } }",
    /* one lane of a mask, by a number that is not constant: masks are of ints, of -1 */
    "func masks(x: f32[64], y: f32[64], b: bool[64], c: i8[64], z: i32[64], w: bool[64]) { for (i: "
    "16) {\n"
    "  let v = x[ramp(i * 4, 1, 4)] < y[ramp(i * 4, 1, 4)] || b[ramp(i * 4, 1, 4)];\n"
    "  for (k: 4) { z[i * 4 + k] = select(lane(v, k), 5, 7) + select(lane(b[ramp(i * 4, 1, 4)], 3 "
    "- k), 10, 0) + i32(lane(c[ramp(i * 4, 1, 4)] > i8(3), k * 3 % 4)) * 100;\n"
    "    w[i * 4 + k] = lane(v, 3 - k) && !lane(v, k); } } }",
    /* masks as numbers of every kind, and numbers of every kind as masks */
    "func as_masks(a: i32x4[16], b: i32x4[16], u: unorm8x4[16], h: f16x4[16], g: bf16x4[16], c: "
    "i8x4[16], l: i64x4[16], s: snorm16x4[16], z: i32x4[16]) { for (i: 16) {\n"
    "  z[i] = i32x4(boolx4(u[i])) + i32x4(boolx4(h[i])) * 2 + i32x4(boolx4(g[i])) * 4 + "
    "i32x4(boolx4(l[i])) * 8 + i32x4(boolx4(s[i])) * 16;\n"
    "  let m = a[i] < b[i]; u[i] = unorm8x4(m); h[i] = f16x4(m); g[i] = bf16x4(m); c[i] = i8x4(m); "
    "l[i] = i64x4(m); s[i] = snorm16x4(m); } }",
    /* fractions of doubles, at and beside the middle between two codes: rounded to a float, then to
       a code */
    "func fractions(y: unorm8[1024], z: unorm16[1024], w: snorm8[1024], v: f64[1024], u: "
    "snorm8x4[256]) { for (i: 1024) {\n"
    "  let c = f64(i) * f64(0.25);\n  y[i] = unorm8(c / f64(255.0)); z[i] = unorm16((c + "
    "f64(0.000001)) / f64(65535.0)); w[i] = snorm8((c - f64(128.0)) / f64(127.0));\n"
    "  v[i] = f64(y[i]) + f64(w[i]); }\n"
    "  for (i: 256) u[i] = snorm8x4((f64x4(ramp(i * 4, 1, 4)) * f64(0.25) - f64(128.0)) / "
    "f64(127.0)); }",
    /* a group of nothing: nothing runs, and it compiles */
    "func nothing(x: i32[8, 8], y: i32[8, 8]) { for bind(group.x) (g: 8) for bind(local.x) (l: 0) "
    "y[g, l] = 1; for (i: 8, j: 8) y[i, j] = x[j, i]; }",
    /* what C promotes: narrow arms, narrow sums, the least numbers, divisors beyond 31 bits */
    "func narrow(x: u8[64], y: u8[64], a: i8[64], b: u16[64], z: i32[64], u: u32[64], l: i64[64], "
    "p: u64[64]) { for (i: 64) {\n"
    "  z[i] = i32(max(select(x[i] > u8(3), u8(200), u8(1)), y[i] - u8(1))) + i32(as(i8, "
    "select(x[i] > u8(9), u8(200), y[i]))) + i32(x[i] * u8(77) > u8(100))\n"
    "    + i32(abs(a[i]) > i8(100)) + i32(~a[i] < i8(0)) + i32(-(a[i] - i8(100)) / i8(-1));\n"
    "  b[i] = b[i] * b[i] / u16(7) - b[i] % u16(100) + (b[i] << u16(15)); u[i] = u[i] / "
    "u32(4294967295) + u[i] % u32(3000000000) + (u[i] >> u32(31)) + u[i] / u32(7);\n"
    "  l[i] = i64(-9223372036854775808) - l[i] + (-(i64(-9223372036854775808))) * l[i] + "
    "truncdiv(l[i], i64(-7)); p[i] = p[i] / u64(18446744073709551615) + (p[i] >> u64(63)); } }",
    /* what C promotes, where the exact type is asked for: bits of a choice, stored through a view
       or taken as another type */
    "func promoted(x: i32[64], b: f32[64], u: u8[64], h: snorm8[64], y: f32[64], g: f16[64], z: "
    "i16[64], s: u8[64]) {\n"
    "  decl xi: i16[128] data(x); decl xu: u32[64] data(x); decl uh: snorm8[64] data(u);\n"
    "  for (i: 64) { xi[i * 2] = if_then_else(b[i] > 0.0f, i16(5), i16(-7)); xi[i * 2 + 1] = "
    "i16(3); xu[i] = xu[i] + u32(1); x[i] = x[i] - 3;\n"
    "    uh[i] = select(b[i] > 0.0f, h[i], snorm8(-0.5)); u[i] = u[i] + u8(1); y[i] = f32(uh[i]) + "
    "f32(select(b[i] > 0.0f, snorm8(-1), snorm8(0.25)));\n"
    "    z[i] = as(i16, select(b[i] > 0.0f, g[i], f16(2.0))); s[i] = as(u8, let(t = h[i], "
    "select(b[i] > 1.0f, t, snorm8(-0.25)))); } }",
    /* two kernels and a temporary; layouts with padding on both ends */
    "func stages(x: f32[7, 5], y: f32[7, 5]) layout(x: (i, j) -> (j / 2, i, j % 2), pad(3)) "
    "layout(t: (i, j) -> (j, i)) layout(y: (i, j) -> (i / 4, j, i % 4), pad(0)) {\n"
    "  alloc t: f32[7, 5];\n  for (i: 7, j: 5) t[i, j] = x[i, j] * 2.0f;\n  for (i: 7, j: 5) y[i, "
    "j] = t[6 - i, j] + x[i, 4 - j]; }",
    /* numbers that have no plain literal */
    "func constants(y: f32[8], d: f64[8], i: i32[4], l: i64[4], u: u64[4], c: i8[4]) {\n"
    "  y[0] = as(f32, u32(0x7f800000)); y[1] = as(f32, u32(0xff800000)); y[2] = as(f32, "
    "u32(0x7fc00000)); y[3] = -0.0; y[4] = 1e-45; y[5] = 3.4028235e38;\n"
    "  y[6] = 0.1; y[7] = 16777217.0; d[0] = 1e300; d[1] = 5e-324; d[2] = as(f64, "
    "u64(0x7ff0000000000000)); d[3] = 0.1; d[4] = -1.0;\n"
    "  i[0] = i32(-2147483648); i[1] = i32(2147483647); i[2] = i32(-1); l[0] = "
    "i64(-9223372036854775808); l[1] = i64(9223372036854775807); l[2] = i64(-5000000000);\n"
    "  u[0] = u64(18446744073709551615); u[1] = u64(9223372036854775808); c[0] = i8(-128); c[1] = "
    "i8(127); i[3] = -i[0]; l[3] = -l[0]; }",
    /* names that are taken, and names that meet */
    "func kernel(float: f32[8], global: f32[8], irl_x: f32[8], sqrt: f32[8]) {\n"
    "  for (kernel: 8) { let float4 = float[kernel]; let min = float4 * 2.0f; global[kernel] = "
    "max(min, sqrt(abs(float4))) + irl_x[kernel]; sqrt[kernel] = min; } }",
};

static void shapes(irl_ocl *cl, irl_ctx *cx)
{
    int k;
    for (k = 0; k < COUNT(shapes_of_code); k++) same(cl, cx, shapes_of_code[k], 0);
}

/* ------------------------------------------------------------ parameters that are no buffers */

/* Quotients and remainders of indices whose dividend may be negative, or leaves 32 bits: what the
   simplifier makes of them is computed in the width, and with the sign, that the values need. As
   values and as places. */
static void index_arithmetic(irl_ocl *cl, irl_ctx *cx)
{
    static const int         first[] = { 0, -8 };
    static const char *const forms[] = { "(%s + i * %s) / %s",          "(%s + i * %s) %% %s",
                                         "truncdiv(%s + i * %s, %s)",   "truncmod(%s + i * %s, %s)",
                                         "(%s + i * %s) / 2 %% %s",     "(%s + i * %s - j) %% %s",
                                         "max(%s + i * %s, j - 3) / %s" };
    static const char *const starts[] = { "-20", "-1", "3", "15", "3000000000" },
                             *const steps[] = { "-3", "-1", "2", "-700000000" },
                             *const divisors[] = { "3", "4", "16" };
    size_t                   f, s, t, d, k;
    static writer            w;
    for (k = 0; k < 2; k++)
        for (f = 0; f < sizeof forms / sizeof *forms; f++) {
            int n = 0;
            w.length = sprintf(
                w.text, "func f(z: i64[60, 16, 3], y: i32[60, 17]) { for (i: %d .. 8, j: 3) {\n",
                first[k]);
            for (s = 0; s < 5; s++)
                for (t = 0; t < 4; t++)
                    for (d = 0; d < 3; d++) {
                        char e[80];
                        sprintf(e, forms[f], starts[s], steps[t], divisors[d]);
                        w.length +=
                            sprintf(w.text + w.length, "z[%d, i + 8, j] = i64(%s);\n", n, e);
                        if (f == 1)
                            w.length += sprintf(w.text + w.length, "y[%d, %s] = i32(j);\n", n, e);
                        n++;
                    }
            w.length += sprintf(w.text + w.length, "} }\n");
            same(cl, cx, w.text, 0);
        }
}

static void scalars(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func scalars(n: index, x: f32[n, 2 * n], y: f64[n, 2 * n], f: bool, a: i8, b: u16, c: "
        "i64, d: f16, e: bf16, g: f32, h: f64, v: f32x3) layout(y: (i, j) -> (j, i), pad(1)) {\n"
        "  for (i: n, j: 2 * n) y[i, j] = f64(x[i, j]) + f64(if_then_else(f, i32(a) + i32(b), 0)) "
        "+ f64(c) + f64(d) + f64(e) + f64(g) + h + f64(lane(v, 2)); }";
    irl_func     *fn = irl_func_parse(cx, text, strlen(text), NULL);
    irl_module   *m = irl_func_lower(fn, &irl_target_opencl12);
    int64_t       n = 5, c = INT64_C(123456789012);
    float         x[50], g = 0.25f, v[3] = { 1, 2, 3 };
    double        y[50], z[50], h = 0.5;
    unsigned char f = 1;
    signed char   a = -7;
    uint16_t      b = 65000, d = 0x3c00, e = 0x3f80;
    int           k;
    for (k = 0; k < 50; k++) x[k] = (float)k, y[k] = z[k] = -1;
    write_source(irl_ocl_source(m));
    CHECK(irl_func_interpret(fn, IRL_ARGS(&n, x, z, &f, &a, &b, &c, &d, &e, &g, &h, v)));
    CHECK(irl_ocl_run(cl, m, IRL_ARGS(&n, x, y, &f, &a, &b, &c, &d, &e, &g, &h, v)));
    CHECK_OK(cx);
    CHECK(memcmp(y, z, sizeof y) == 0);
    n = 0;
    /* nothing to do */
    CHECK(irl_ocl_run(cl, m, IRL_ARGS(&n, x, y, &f, &a, &b, &c, &d, &e, &g, &h, v)));
    n = -1;
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(&n, x, y, &f, &a, &b, &c, &d, &e, &g, &h, v)));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
}

/* ------------------------------------------------------------------ NaNs */

/* Private memory that holds numbers alone is compared; what may hold a NaN is not (irl_max_). */
static const struct {
    const char *text;
    int         is_compared;
} largest[] = {
    { "m[] = -3.0f; for (k: 8) m[] = max(m[], x[k, i]); y[i] = m[];", 1 },
    { "m[] = 3.0f; for (k: 8) m[] = min(x[k, i], min(m[], 2.0f)); y[i] = m[];", 1 },
    { "m[] = -3.0f; for (k: 8) m[] = max(m[], max(x[k, i], -m[])); y[i] = m[];", 1 },
    { "m[] = x[0, i]; for (k: 8) m[] = max(m[], x[k, i]); y[i] = m[];", 0 },
    { "m[] = -3.0f; for (k: 8) m[] = max(m[], x[k, i]) + x[k, i]; y[i] = m[];", 0 },
    { "m[] = -3.0f; for (k: 8) m[] = max(x[k, i], x[7 - k, i]); y[i] = max(m[], 1.0f);", 0 },
    { "decl v: u32[] data(m); v[] = 0x7fc00000; for (k: 8) m[] = max(m[], x[k, i]); y[i] = m[];",
      0 }
};

static void nans(irl_ocl *cl, irl_ctx *cx)
{
    static const float some[] = { -5, 2, 7, 0.5f, -0.25f };
    float              x[8 * 16], y[2][16];
    int                k, j, way;
    for (k = 0; k < 128; k++) /* a column of NaNs alone, too */
        x[k] = k % 16 == 5 || TEST_RANDOM(3) == 0 ? (float)NAN
               : TEST_RANDOM(9) == 0              ? -(float)INFINITY : some[TEST_RANDOM(5)];
    for (k = 0; k < COUNT(largest); k++)
        for (way = 0; way < 2; way++) {
            char        text[512];
            irl_func   *f;
            irl_module *m;
            sprintf(text, "func f(x: f32[8, 16], y: f32[16]) { for parallel (o: 4) for %s (l: 4) "
                    "{ let i = o * 4 + l; alloc m: f32[] scope(local); %s } }",
                    way ? "vectorized" : "unrolled", largest[k].text);
            f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
            m = irl_func_lower(f, irl_ocl_target(cl));
            if (!CHECK((strstr(irl_ocl_source(m), "static float") != NULL) ==
                       largest[k].is_compared))
                printf("%s\n%s\n", text, irl_ocl_source(m));
            CHECK(irl_func_interpret(f, IRL_ARGS(x, y[0])));
            CHECK(irl_ocl_run(cl, m, IRL_ARGS(x, y[1])));
            if (!CHECK_OK(cx)) printf("%s\n", irl_diag_text(cx));
            for (j = 0; j < 16; j++)
                if (!CHECK(y[0][j] == y[1][j] || (y[0][j] != y[0][j] && y[1][j] != y[1][j])))
                    printf("%s: %d: %g, %g\n", text, j, (double)y[0][j], (double)y[1][j]);
        }
}

/* ------------------------------------------------------------------ memory of the device */

static const char relu_text[] =
    "func relu(x: f32[2, 7, 6], y: f32[2, 7, 6]) layout(x: (n, h, c) -> (n, c / 4, h, c % 4), "
    "pad(-1)) layout(y: (n, h, c) -> (n, c / 4, h, c % 4)) {\n"
    "  for (n: 2, h: 7, c: 6) y[n, h, c] = max(x[n, h, c], 0.0f); }";

static void device_memory(irl_ctx *cx)
{
    irl_ocl_desc   desc;
    irl_ocl       *cl;
    irl_func      *f = irl_func_parse(cx, relu_text, strlen(relu_text), NULL);
    irl_module    *m = irl_func_lower(f, &irl_target_opencl12);
    irl_ocl_module *b;
    cl_mem         x_mem, y_mem;
    float          x[84], y[84], packed[112];
    irl_arguments  arguments = IRL_ARGS(x, y);
    int            k, wrong = 0;
    memset(&desc, 0, sizeof desc);
    desc.profiling = 1;
    cl = irl_ocl_create(cx, &desc);
    for (k = 0; k < 84; k++) x[k] = (float)(k % 11) - 5, y[k] = -9;
    x_mem = irl_ocl_memory_create(cl, m, 0, arguments);
    y_mem = irl_ocl_memory_create(cl, m, 1, arguments);
    CHECK(irl_ocl_memory_upload(cl, m, 0, arguments, x_mem));
    CHECK(clEnqueueReadBuffer(irl_ocl_queue(cl), x_mem, CL_TRUE, 0, sizeof packed, packed, 0, NULL,
                              NULL) == CL_SUCCESS);
    for (k = 0; k < 112; k++) { /* [2, 2, 7, 4]: channels 6 and 7 are padding */
        int c = k / 28 % 2 * 4 + k % 4, h = k / 4 % 7, n = k / 56;
        wrong += packed[k] != (c < 6 ? x[n * 42 + h * 6 + c] : -1.0f);
    }
    CHECK(wrong == 0);
    b = irl_ocl_module_create(cl, m);
    CHECK(b != NULL);
    CHECK(irl_ocl_module_program(b) && irl_ocl_module_program(b)->kernel_count == 1);
    CHECK(irl_ocl_module_execute(b, IRL_POINTERS(x_mem, y_mem)));
    CHECK(irl_ocl_finish(cl));
    CHECK(irl_ocl_memory_download(cl, m, 1, arguments, y_mem));
    for (wrong = k = 0; k < 84; k++) wrong += y[k] != (x[k] > 0 ? x[k] : 0);
    CHECK(wrong == 0);
    memset(y, 0, sizeof y);
    CHECK(irl_ocl_module_launch(b, 0, IRL_POINTERS(x_mem, y_mem)) &&
          irl_ocl_memory_download(cl, m, 1, arguments, y_mem));
    for (wrong = k = 0; k < 84; k++) wrong += y[k] != (x[k] > 0 ? x[k] : 0);
    CHECK(wrong == 0);
    CHECK(irl_ocl_module_time(b, IRL_POINTERS(x_mem, y_mem), 3) > 0);
    CHECK_OK(cx);
    CHECK(!irl_ocl_module_launch(b, 1, IRL_POINTERS(x_mem, y_mem)));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ocl_memory_destroy(x_mem);
    irl_ocl_memory_destroy(y_mem);
    irl_ocl_module_destroy(b);
    irl_ocl_destroy(cl);
}

/* The examples at the head of irlayout_ocl.h, line by line; tests/test_manual.c looks for them
   here. */
static void manual(irl_ctx *cx)
{
    irl_func *f = irl_func_parse(cx, relu_text, strlen(relu_text), NULL);
    float     x_data[84], y_data[84];
    int       k, wrong = 0;
    for (k = 0; k < 84; k++) x_data[k] = (float)(k % 11) - 5, y_data[k] = -9;
    {
        irl_module *m = irl_func_lower(f, irl_target_find("opencl12"));
        puts(irl_ocl_source(m));
        irl_ocl *cl = irl_ocl_create(cx, NULL);
        irl_ocl_run(cl, m, IRL_ARGS(x_data, y_data));
        for (k = 0; k < 84; k++) wrong += y_data[k] != (x_data[k] > 0 ? x_data[k] : 0);
        CHECK(wrong == 0);
        irl_tensor memory;
        irl_func_param_memory(irl_module_host(m), 0, IRL_POINTERS(NULL, NULL), &memory);
        CHECK(memory.bytes == 448);
        cl_mem own = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, memory.bytes, 0, NULL);
        irl_ocl_memory_upload(cl, m, 0, IRL_POINTERS(x_data, NULL), own);
        cl_mem x_mem = own, y_mem = irl_ocl_memory_create(cl, m, 1, IRL_POINTERS(NULL, NULL));
        irl_ocl_module *b = irl_ocl_module_create(cl, m);
        irl_ocl_module_execute(b, IRL_POINTERS(x_mem, y_mem));
        irl_ocl_finish(cl);
        memset(y_data, 0, sizeof y_data);
        CHECK(irl_ocl_memory_download(cl, m, 1, IRL_ARGS(x_data, y_data), y_mem));
        for (wrong = k = 0; k < 84; k++) wrong += y_data[k] != (x_data[k] > 0 ? x_data[k] : 0);
        CHECK(wrong == 0);
        irl_ocl_memory_destroy(x_mem);
        irl_ocl_memory_destroy(y_mem);
        irl_ocl_module_destroy(b);
        memset(y_data, 0, sizeof y_data);
        irl_ocl_graph *net = irl_ocl_graph_create(cl, m);
        irl_ocl_graph_set(net, "x", x_data);
        irl_ocl_graph_run(net);
        irl_ocl_graph_get(net, "y", y_data);
        irl_ocl_graph_destroy(net);
        for (wrong = k = 0; k < 84; k++) wrong += y_data[k] != (x_data[k] > 0 ? x_data[k] : 0);
        CHECK(wrong == 0);
        irl_graph *g = irl_graph_parse(
            cx, "graph g { func f(x: f32[n], w: f32[n], b: f32[n], y: f32[n]) { for (i: n) y[i] = "
                "x[i] * w[i] + b[i]; } input x: f32[84]; input w: f32[84]; input b: f32[84]; "
                "v = f(w, w, b); y = f(x, v, b); output y; }", IRL_TO_NUL, NULL);
        m = irl_graph_lower(g, &irl_target_opencl12);
        {
            irl_ocl_graph *net = irl_ocl_graph_create_prepared(cl, m, "w, b");
            CHECK(irl_ocl_graph_launch_count(net) == 1);
            irl_ocl_graph_destroy(net);
        }
        irl_ocl_destroy(cl);
    }
    CHECK_OK(cx);
}

/* The user's own context, device and queue; they live on when ours is closed. */
static void adopted(irl_ctx *cx, const irl_ocl *own)
{
    irl_ocl_desc desc;
    irl_ocl     *cl;
    irl_func    *f = irl_func_parse(cx, relu_text, strlen(relu_text), NULL);
    irl_module  *m = irl_func_lower(f, &irl_target_opencl12);
    float        x[84], y[84];
    int          k, wrong = 0;
    cl_uint      references = 0;
    for (k = 0; k < 84; k++) x[k] = (float)(k % 11) - 5, y[k] = -9;
    memset(&desc, 0, sizeof desc);
    desc.context = irl_ocl_context(own);
    desc.device_id = irl_ocl_device(own);
    desc.queue = irl_ocl_queue(own);
    cl = irl_ocl_create(cx, &desc);
    CHECK(cl && irl_ocl_run(cl, m, IRL_ARGS(x, y)));
    for (k = 0; k < 84; k++) wrong += y[k] != (x[k] > 0 ? x[k] : 0);
    CHECK(wrong == 0);
    irl_ocl_destroy(cl);
    CHECK(clGetContextInfo(irl_ocl_context(own), CL_CONTEXT_REFERENCE_COUNT, sizeof references,
                           &references, NULL) == CL_SUCCESS &&
          references >= 1);
    desc.queue = NULL;
    CHECK(irl_ocl_create(cx, &desc) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
}

/* ------------------------------------------------------------------ wrong use */

static irl_tensor tensor(void *data, irl_scalar type, irl_shape shape, size_t bytes)
{
    irl_tensor t;
    memset(&t, 0, sizeof t);
    t.data = data;
    t.type = irl_type_of(type, 1);
    t.shape = shape;
    t.bytes = bytes;
    return t;
}

static void wrong_arguments(irl_ocl *cl, irl_ctx *cx)
{
    irl_module *m = irl_func_lower(irl_func_parse(cx, relu_text, strlen(relu_text), NULL),
                                   &irl_target_opencl12);
    float       x[84], y[84];
    irl_tensor  t[2];
    irl_mark    mark = irl_ctx_mark(cx);
    int         k;
    memset(x, 0, sizeof x);
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(x)));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_ocl_run(cl, m, IRL_POINTERS(x, NULL)));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_rewind(cx, mark);
    for (k = 0; k < 6; k++) {
        t[0] = tensor(x, IRL_F32, IRL_SHAPE(2, 7, 6), sizeof x);
        t[1] = tensor(y, IRL_F32, IRL_SHAPE(2, 7, 6), sizeof y);
        if (k == 1) t[1].type = irl_type_of(IRL_I32, 1);
        if (k == 2) t[1].shape = IRL_SHAPE(2, 42);
        if (k == 3) t[1].shape = IRL_SHAPE(2, 6, 7);
        if (k == 4) t[1].bytes = 80 * sizeof(float);
        CHECK(irl_ocl_run_tensors(cl, m, k == 5 ? 1 : 2, t) == (k == 0));
        CHECK_CODE(cx, k == 0 ? IRL_OK : IRL_ERROR_ARGUMENT_MISMATCH);
        irl_ctx_rewind(cx, mark);
    }
}

static int says(irl_ctx *cx, irl_mark mark, irl_code code, const char *part)
{
    int right = irl_diag_of(cx) && irl_diag_of(cx)->code == code &&
                strstr(irl_diag_text(cx), part) != NULL;
    if (!right) printf("  %s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return right;
}

/* Memory of the caller's that is too small, or none, is refused before a kernel runs beyond its
   end. */
static void wrong_memory(irl_ocl *cl, irl_ctx *cx)
{
    irl_module *m = irl_func_lower(irl_func_parse(cx, relu_text, strlen(relu_text), NULL),
                                   &irl_target_opencl12);
    irl_ocl_module *b = irl_ocl_module_create(cl, m);
    float          x[84], y[84];
    cl_int         status;
    cl_mem small = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, 444, NULL, &status);
    cl_mem fits = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, 448, NULL, &status), more;
    irl_mark       mark = irl_ctx_mark(cx);
    irl_ocl_desc   desc;
    double         doubles[84] = { 0 };
    memset(x, 0, sizeof x);
    memset(&desc, 0, sizeof desc);
    more = clCreateBuffer(irl_ocl_context(cl), CL_MEM_READ_WRITE, 4096, NULL, &status);
    /* exactly enough, and more than that */
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(doubles, y)) &&
          says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH,
               "argument 0, for x, points to numbers of 8 bytes; f32 needs 4"));
    CHECK(!irl_ocl_memory_upload(cl, m, 0, IRL_ARGS(doubles, y), fits) &&
          says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH, "points to numbers of 8 bytes"));
    CHECK(!irl_ocl_module_execute(b, IRL_ARGS(x, y)) &&
          says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH, "argument 0, for x, is an array"));
    CHECK(!irl_ocl_module_launch(b, 0, IRL_ARGS(x, y)) &&
          says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH, ", is an array; pass a cl_mem by "
                                                      "IRL_POINTERS"));
    CHECK(irl_ocl_module_execute(b, IRL_POINTERS(fits, more)) && irl_ocl_finish(cl));
    CHECK(!irl_ocl_module_execute(b, IRL_POINTERS(fits, small)));
    CHECK(says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH,
               "the memory for 'y' of kernel 'relu' has 444 bytes; it must have 448"));
    CHECK(!irl_ocl_module_launch(b, 0, IRL_POINTERS(small, fits)));
    CHECK(says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH,
               "the memory for 'x' of kernel 'relu' has 444 bytes; it must have 448"));
    CHECK(!irl_ocl_memory_upload(cl, m, 0, IRL_ARGS(x, y), small));
    CHECK(says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH,
               "the memory for 'x' has 444 bytes; it must have 448"));
    CHECK(!irl_ocl_memory_download(cl, m, 1, IRL_ARGS(x, y), small));
    CHECK(says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH,
               "the memory for 'y' has 444 bytes; it must have 448"));
    CHECK(!irl_ocl_memory_upload(cl, m, 0, IRL_POINTERS(NULL, y), fits));
    CHECK(says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH, "the array for 'x', argument 0, is NULL"));
    CHECK(!irl_ocl_memory_download(cl, m, 1, IRL_ARGS(x), fits));
    CHECK(says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH, "the array for 'y', argument 1, is NULL"));
    CHECK(!irl_ocl_memory_upload(cl, m, 0, IRL_ARGS(x, y), NULL));
    CHECK(says(cx, mark, IRL_ERROR_ARGUMENT_MISMATCH, "the memory for 'x' is NULL"));
    CHECK(irl_ocl_module_time(b, IRL_POINTERS(fits, more), 1) == -1);
    CHECK(says(cx, mark, IRL_ERROR_BAD_ARGUMENT, "irl_ocl_desc.profiling"));
    CHECK(!irl_ocl_run(cl, NULL, IRL_ARGS(x, y)) &&
          says(cx, mark, IRL_ERROR_BAD_ARGUMENT, "the module is NULL"));
    CHECK(!irl_ocl_module_create(cl, NULL) &&
          says(cx, mark, IRL_ERROR_BAD_ARGUMENT, "the module is NULL"));
    desc.device = "no such device";
    /* what there is instead */
    CHECK(!irl_ocl_create(cx, &desc) && strstr(irl_diag_text(cx), irl_ocl_device_name(cl)) != NULL);
    CHECK(says(cx, mark, IRL_ERROR_NO_DEVICE, "device 'no such device'"));
    clReleaseMemObject(small);
    clReleaseMemObject(fits);
    clReleaseMemObject(more);
    irl_ocl_module_destroy(b);
}

/* A function that the compiler does not know: the diagnostic points into the emitted source. */
static void build_failure(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[4]) { for (i: 4) x[i] = extern(f32, no_such_function, x[i]); }";
    irl_module *m =
        irl_func_lower(irl_func_parse(cx, text, strlen(text), NULL), &irl_target_opencl12);
    float             x[4] = { 0, 0, 0, 0 };
    const irl_diag   *d;
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(x)));
    CHECK_CODE(cx, IRL_ERROR_BUILD_FAILED);
    d = irl_diag_of(cx);
    CHECK(d && d->line > 1 && strstr(d->text, "no_such_function(") != NULL);
}

/* Built programs are found again, also when the module's memory was given back in between. */
static void kept(irl_ocl *cl, irl_ctx *cx)
{
    irl_mark mark = irl_ctx_mark(cx);
    float    x[84], y[84];
    int      k, j, wrong = 0;
    for (k = 0; k < 50; k++) {
        irl_module *m = irl_func_lower(irl_func_parse(cx, relu_text, strlen(relu_text), NULL),
                                       &irl_target_opencl12);
        for (j = 0; j < 84; j++) x[j] = (float)((j + k) % 11) - 5;
        CHECK(irl_ocl_run(cl, m, IRL_ARGS(x, y)));
        for (j = 0; j < 84; j++) wrong += y[j] != (x[j] > 0 ? x[j] : 0);
        irl_ctx_rewind(cx, mark);
    }
    CHECK(wrong == 0);
}

/* A host function as it is written: allocations, lets, branches, loops, the same memory for two
   arguments. */
static void host_function(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "module m target(opencl12) {\n"
        "  host func m(n: index, x: i32[n]) {\n"
        "    alloc t: i32[n]; let twice = n * 2; assert(twice >= 0, \"no size\");\n"
        "    launch add(twice, n, x, x); launch copy(n, x, t);\n"
        "    if (n > 4) { launch add(100, n, t, x); } else { launch add(7, n, t, x); }\n"
        "    for (k: 3) { launch add(k, n, x, x); }\n  }\n"
        "  kernel func add(k: index, n: index, a: i32[n], b: i32[n]) { for bind(global.x) (i: n) "
        "b[i] = a[i] + i32(k); }\n"
        "  kernel func copy(n: index, a: i32[n], b: i32[n]) { for bind(global.x) (i: n) b[i] = "
        "a[i]; }\n}\n";
    irl_module *m = irl_module_parse(cx, text, strlen(text), "host");
    int64_t     n = 6;
    int32_t     x[6] = { 1, 2, 3, 4, 5, 6 };
    int         k, wrong = 0;
    CHECK_OK(cx);
    /* no restrict: x, x */
    CHECK(strstr(irl_ocl_source(m),
                 "add(long k, long n, __global const int *a, __global int *b)") != NULL);
    CHECK(strstr(irl_ocl_source(m),
                 "copy(long n, __global const int *restrict a, __global int *restrict b)") != NULL);
    CHECK(irl_ocl_run(cl, m, IRL_ARGS(&n, x)));
    CHECK_OK(cx);
    for (k = 0; k < 6; k++) wrong += x[k] != k + 1 + 12 + 100 + 3;
    if (wrong)
        printf("found %d %d %d %d %d %d\n", (int)x[0], (int)x[1], (int)x[2], (int)x[3], (int)x[4],
               (int)x[5]);
    CHECK(wrong == 0);
    n = INT64_MAX;
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(&n, x)));
    CHECK(irl_diag_of(cx) && (irl_diag_of(cx)->code == IRL_ERROR_OVERFLOW));
}

/* The host stops where an assertion is false. */
static void host_assertion(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] = "func f(n: index, x: f32[n]) { assert(n % 4 == 0, \"n must be a "
                               "multiple of 4\"); for (i: n) x[i] = x[i] + 1.0f; }";
    irl_module *m =
        irl_func_lower(irl_func_parse(cx, text, strlen(text), NULL), &irl_target_opencl12);
    float             x[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int64_t           n = 8;
    CHECK(irl_ocl_run(cl, m, IRL_ARGS(&n, x)) && x[7] == 1.0f);
    n = 7;
    CHECK(!irl_ocl_run(cl, m, IRL_ARGS(&n, x)) && x[0] == 1.0f);
    CHECK_CODE(cx, IRL_ERROR_ASSERTION);
}

/* Each allocation fails in turn: a diagnostic, and everything of OpenCL is released (the
   sanitizer's leak check looks). */
static void out_of_memory(const irl_ocl *own)
{
    irl_ocl_desc open;
    float        x[84], y[84];
    long         n;
    int          done = 0;
    memset(x, 0, sizeof x);
    memset(&open, 0, sizeof open);
    open.context = irl_ocl_context(own);
    open.device_id = irl_ocl_device(own);
    open.queue = irl_ocl_queue(own);
    for (n = 0; n < 1000 && !done; n++) {
        failing  f;
        irl_ctx_desc desc = failing_desc(&f, n, 0);
        irl_ctx *cx;
        irl_ocl *cl;
        cx = irl_ctx_create(&desc);
        cl = cx ? irl_ocl_create(cx, &open) : NULL;
        done =
            cl && irl_ocl_run(cl,
                              irl_func_lower(irl_func_parse(cx, relu_text, strlen(relu_text), NULL),
                                             &irl_target_opencl12),
                              IRL_ARGS(x, y));
        if (cx && !done) CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        irl_ocl_destroy(cl);
        irl_ctx_destroy(cx);
        CHECK(f.held == 0);
    }
    CHECK(done);
}

/* More memory than any device has: the call, its status and the size are said. */
static void no_memory(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] = "func f(n: index, x: f32[n]) { for (i: n) x[i] = 1.0; }";
    irl_module *m =
        irl_func_lower(irl_func_parse(cx, text, sizeof text - 1, NULL), &irl_target_opencl12);
    int64_t     n = INT64_C(1) << 46;
    if (getenv("IRL_OCLGRIND")) return; /* it ends in bad_alloc instead of an error code */
    CHECK(irl_ocl_memory_create(cl, m, 1, IRL_POINTERS(&n, NULL)) == NULL);
    CHECK_CODE(cx, IRL_ERROR_DEVICE_ERROR);
    CHECK(strstr(irl_diag_text(cx), "cannot allocate a buffer of 281474976710656 bytes: "
                                    "clCreateBuffer returned CL_") != NULL);
}

/* Without a device everything says so. */
static void no_device(irl_ctx *cx)
{
    irl_ocl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.platform = "no such platform";
    CHECK(irl_ocl_create(cx, &desc) == NULL);
    CHECK_CODE(cx, IRL_ERROR_NO_DEVICE);
    irl_ocl_destroy(NULL);
    irl_ocl_module_destroy(NULL);
    irl_ocl_memory_destroy(NULL);
    CHECK(irl_ocl_run(NULL, NULL, IRL_POINTERS(NULL)) == 0 &&
          irl_ocl_module_create(NULL, NULL) == NULL &&
          irl_ocl_module_execute(NULL, IRL_POINTERS(NULL)) == 0);
    CHECK(irl_ocl_module_time(NULL, IRL_POINTERS(NULL), 1) == -1 && irl_ocl_finish(NULL) == 0);
}

typedef void a_test(irl_ocl *cl, irl_ctx *cx);
static void run(a_test *test, irl_ocl *cl, irl_ctx *cx)
{
    irl_mark mark = irl_ctx_mark(cx);
    test(cl, cx);
    irl_ctx_rewind(cx, mark);
}

/* A GPU's row for GPUs alone; of CPUs the row for their vectors. */
static void test_target(const irl_ocl *cl)
{
    cl_device_type type = 0;
    cl_uint        floats = 0;
    CHECK(clGetDeviceInfo(irl_ocl_device(cl), CL_DEVICE_TYPE, sizeof type, &type, NULL) ==
          CL_SUCCESS);
    CHECK(clGetDeviceInfo(irl_ocl_device(cl), CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof floats,
                          &floats, NULL) == CL_SUCCESS);
    CHECK(type & CL_DEVICE_TYPE_GPU ? irl_ocl_target(cl)->subgroup > 0
          : floats > 8 || !floats   ? irl_ocl_target(cl) == &irl_target_opencl12
                                    : irl_ocl_target(cl) == &irl_target_opencl12_avx2);
    CHECK(irl_ocl_target(NULL) == &irl_target_opencl12);
}

int main(int argc, char **argv)
{
    irl_ctx     *cx = irl_ctx_create(NULL), *other = irl_ctx_create(NULL);
    irl_ocl_desc desc;
    irl_ocl     *cl;
    memset(&desc, 0, sizeof desc);
    /* its optimizer makes intrinsics that it does not know */
    if (getenv("IRL_OCLGRIND")) desc.build_options = "-cl-opt-disable";
    if (argc > 2 && strcmp(argv[1], "--write") == 0) write_to = argv[2];
    no_device(other);
    cl = irl_ocl_create(cx, &desc);
    if (cl) {
        CHECK(irl_ocl_device_name(cl)[0] != '\0');
        test_target(cl);
        run(shapes, cl, cx);
        run(index_arithmetic, cl, cx);
        run(scalars, cl, cx);
        run(nans, cl, cx);
        run(wrong_arguments, cl, cx);
        run(wrong_memory, cl, cx);
        run(no_memory, cl, cx);
        run(build_failure, cl, cx);
        run(kept, cl, cx);
        run(host_function, cl, cx);
        run(host_assertion, cl, cx);
        run(casts, cl, cx);
        run(operators, cl, cx);
        {
            irl_mark mark = irl_ctx_mark(cx);
            manual(cx);
            device_memory(cx);
            irl_ctx_rewind(cx, mark);
            adopted(cx, cl);
            irl_ctx_rewind(cx, mark);
        }
        out_of_memory(cl);
    } else {
        TEST_NO_DEVICE(cx);
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    irl_ctx_destroy(other);
    return TEST_DONE();
}
