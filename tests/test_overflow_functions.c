/* test_overflow_functions.c - what had a value keeps it, in functions: interpreted as they are,
   after each pass, and as modules, with index arguments and data up to the ends of 64 bits.

   A function computes indices from its arguments and from data, as a hash table does, brings them
   into its buffer by a remainder, and stores there and elsewhere; layouts take remainders of
   multiples. Where the interpreter finds no fault in the function as it is written, it may find
   none after a pass, and the numbers are the same.

   test_overflow_functions [SEQUENCE [FIRST [COUNT]]] runs other functions, or one of them again. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/arith/engine.h"
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "exact.h"
#include "wide_exprs.h"

enum { ROWS = 3, COLUMNS = 7, TYPED = VARS - INDEX_VARS };

/* ------------------------------------------------------------------ arguments */

/* x, y, z, n, the numbers of rows and columns, an array for each typed variable, two results. */
typedef struct arguments {
    int64_t scalars[4], rows, columns;
    int64_t data[TYPED][ROWS]; /* as many bytes of each as its type has */
    int64_t cells[ROWS * COLUMNS], values[ROWS];
} arguments;

static int type_bytes(irl_type t) { return exact_bits(t) / 8; }

static void make_arguments(world *w, arguments *a)
{
    int k, r, bytes;
    memset(a, 0, sizeof *a);
    for (k = 0; k < 4; k++) a->scalars[k] = value_within(w, w->vars[k].lo, w->vars[k].hi);
    a->rows = 1 + random_below(ROWS);
    a->columns = 1 + random_below(COLUMNS);
    for (k = 0; k < TYPED; k++) {
        bytes = type_bytes(w->vars[INDEX_VARS + k].type);
        for (r = 0; r < ROWS; r++) {
            int64_t  v = value_within(w, INT64_MIN, INT64_MAX);
            uint8_t  b8 = (uint8_t)v;
            uint16_t b16 = (uint16_t)v;
            uint32_t b32 = (uint32_t)v;
            memcpy((unsigned char *)a->data[k] + r * bytes,
                   bytes == 1   ? (void *)&b8
                   : bytes == 2 ? (void *)&b16
                   : bytes == 4 ? (void *)&b32
                                : (void *)&v,
                   (size_t)bytes);
        }
    }
}

/* One function or module on a copy; 0 where the interpreter found a fault, which is cleared. */
static int run(irl_ctx *cx, const irl_func *f, const irl_module *m, const arguments *given,
               arguments *out)
{
    irl_mark mark = irl_ctx_mark(cx);
    int      ok;
    *out = *given;
#define ARGUMENTS                                                                                \
    IRL_POINTERS(&out->scalars[0], &out->scalars[1], &out->scalars[2], &out->scalars[3],         \
                 &out->rows, &out->columns, out->data[0], out->data[1], out->data[2],            \
                 out->cells, out->values)
    ok = m ? irl_module_interpret(m, ARGUMENTS) : irl_func_interpret(f, ARGUMENTS);
#undef ARGUMENTS
    if (!ok) irl_ctx_rewind(cx, mark);
    return ok;
}

/* ------------------------------------------------------------------ functions */

enum { LAYOUTS = 8 };

/* Of seven columns, and of p. */
static const char *const layouts[2][LAYOUTS] = {
    { "", "layout(o: (r, s) -> (r, s * 3 % 7))", "layout(o: (r, s) -> (s * 2 % 7, r))",
      "layout(o: (r, s) -> (r * 7 + (s + 3) % 7))",
      "layout(o: (r, s) -> (s / 4, r, s % 4), pad(5))",
      "layout(o: (r, s) -> (r, s)) layout(o: (r, s) -> (r, s * 5 % 7))",
      "layout(v: (r) -> (r / 2, r % 2), pad(0))", "layout(o: (r, s) -> (s * 4 % 7 * m + r))" },
    { "", "layout(o: (r, s) -> (s, r))", "layout(o: (r, s) -> (r * p + s))",
      "layout(o: (r, s) -> (r, p - 1 - s))", "layout(o: (r, s) -> (r, (s + 1) % p))",
      "layout(o: (r, s) -> (r, s / 4, s % 4), pad(9))", "layout(v: (r) -> (r / 2, r % 2), pad(0))",
      "layout(o: (r, s) -> (s * m + r))" },
};

static int function_text(world *w, char *text, size_t capacity)
{
    static const char *const types[] = { "i8", "i32", "i64", "u8", "u32", "u64", "i16", "u16" };
    const char              *t[TYPED], *parts[4], *width;
    const irl_expr          *e[4];
    int                      k, n, j, named = random_below(2);
    width = named ? "p" : "7";
    for (k = 0; k < TYPED; k++)
        for (j = 0; j < 8; j++)
            if (world_scalars[j] == (irl_scalar)w->vars[INDEX_VARS + k].type.scalar)
                t[k] = types[j];
    e[0] = make_index(w, 1 + random_below(4));
    e[1] = make_index(w, 1 + random_below(3));
    e[2] = make_bool(w, 1 + random_below(2));
    e[3] = make_index(w, 1 + random_below(2));
    for (k = 0; k < 4; k++) {
        if (!e[k]) return 0;
        pool_expr(w, e[k]);
        parts[k] = irl_expr_text(w->cx, e[k]);
    }
    n = snprintf(text, capacity,
                 "func f(x: index, y: index, z: index, n: index, m: index, p: index,\n"
                 "       a: %s[m], b: %s[m], c: %s[m], o: i64[m, %s], v: i64[m])\n    %s\n{\n"
                 "    %sfor (i: m) {\n        let h = a[i];\n        let u = b[i];\n"
                 "        let q = c[i];\n        o[i, (%s) %% %s] = i64(i) + 1;\n"
                 "        v[i] = i64(%s);\n        if (%s)\n"
                 "            o[i, (%s) %% %s] = v[i];\n    }\n}\n",
                 t[0], t[1], t[2], width, layouts[named][random_below(LAYOUTS)],
                 random_below(4) ? "" : "assume(x >= 0);\n    ", parts[0], width, parts[1],
                 parts[2], parts[3], width);
    return n > 0 && (size_t)n < capacity;
}

static int runs, runs_undefined, functions, refused;

static void show_wrong(const char *text, const char *stage, const arguments *a, const char *what,
                       int n)
{
    printf("function %d %s %s:\n%swith x = %lld, y = %lld, z = %lld, n = %lld, m = %lld, p = %lld, "
           "a[0] = "
           "%lld, b[0] = %lld, c[0] = %lld\n",
           n, what, stage, text, (long long)a->scalars[0], (long long)a->scalars[1],
           (long long)a->scalars[2], (long long)a->scalars[3], (long long)a->rows,
           (long long)a->columns, (long long)a->data[0][0], (long long)a->data[1][0],
           (long long)a->data[2][0]);
}

/* The function as it is, after every pass, and as a module. */
static int same_everywhere(world *w, const char *text, int n)
{
    enum { STAGES = 40, TRIES = 12 };
    irl_ctx        *cx = w->cx;
    const irl_func *stage[STAGES];
    const char     *name[STAGES];
    irl_module     *m;
    int             count = 1, k, t, ok = 1;
    stage[0] = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    name[0] = "as it is";
    if (!CHECK_OK(cx)) return 0;
    for (k = 0; irl_pass_name(k) && count < STAGES - 1; k++) {
        const irl_func *f = stage[count - 1];
        if (TEST_PASS(k)) f = irl_func_run_pass(f, irl_pass_name(k));
        if (f == stage[count - 1]) continue;
        stage[count] = f;
        name[count++] = irl_pass_name(k);
        if (!f) break;
    }
    m = irl_ok(cx) ? irl_func_lower(stage[0], &irl_target_opencl12) : NULL;
    if (!m) { /* an assumption that is false, an access that is proved to lie outside */
        const irl_diag *d = irl_diag_of(cx);
        refused++;
        return CHECK(d && (d->code == IRL_ERROR_OUT_OF_BOUNDS || d->code == IRL_ERROR_OVERFLOW));
    }
    functions++;
    for (t = 0; ok && t < TRIES; t++) {
        arguments given, first, other;
        make_arguments(w, &given);
        if (!run(cx, stage[0], NULL, &given, &first)) {
            runs_undefined++;
            continue;
        }
        runs++;
        for (k = 1; ok && k <= count; k++) {
            int defined =
                run(cx, k < count ? stage[k] : NULL, k < count ? NULL : m, &given, &other);
            ok = defined && memcmp(&first, &other, sizeof first) == 0;
            if (!CHECK(ok))
                show_wrong(text, k < count ? name[k] : "as a module", &given,
                           defined ? "is different" : "has a fault", n);
        }
    }
    return ok;
}

static int check_function(unsigned long seed, int n)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl__arena_mark mark = irl__scratch_begin(cx);
    world           w;
    char            text[16000];
    int             ok = 1;
    random64_number(seed, n);
    memset(&w, 0, sizeof w);
    w.cx = cx;
    w.an = irl__analyzer_begin(cx);
    w.typed = random_below(3) != 0;
    world_vars(&w, 0);
    if (function_text(&w, text, sizeof text)) ok = same_everywhere(&w, text, n);
    irl__scratch_end(cx, mark);
    irl_ctx_destroy(cx);
    return ok;
}

/* ------------------------------------------------------------------ what was seen */

/* The cell that is written, for index arguments at the ends of 64 bits. */
static void test_seen(void)
{
    static const int64_t at[] = {
        0, 1, 4, INT64_C(4611686018427387905), INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX - 1,
        -3
    };
    static const char *const texts[] = {
        "func f(s: index, t: index, y: i32[5]) { for (i: 1) y[s % 5 * 2 % 5] = 7; }",
        "func f(s: index, t: index, y: i32[5]) { for (i: 1) y[(s % 5 + t % 5) % 5] = 7; }",
        "func f(s: index, t: index, y: i32[5]) layout(y: (a) -> (a * 2 % 5)) { for (i: 1) y[s % 5] "
        "= 7; }",
        "func f(s: index, t: index, y: i32[5]) layout(y: (a) -> ((a + 4) % 5)) { for (i: 1) y[(s + "
        "i) % 5] = 7; }",
        "func f(s: index, t: index, y: i32[5]) { for (i: 1) y[(s % 5 * 4 + i) % 5] = 7; }",
    };
    size_t k, n;
    for (k = 0; k < sizeof texts / sizeof texts[0]; k++)
        for (n = 0; n < sizeof at / sizeof at[0]; n++) {
            irl_ctx    *cx = irl_ctx_create(NULL);
            irl_func   *f = irl_func_parse(cx, texts[k], IRL_TO_NUL, NULL);
            irl_module *m = irl_func_lower(f, &irl_target_opencl12);
            int32_t     plain[5] = { 0 }, lowered[5] = { 0 };
            int64_t     s = at[n], t = at[(n + k) % (sizeof at / sizeof at[0])];
            int         rest = (int)(s % 5 + 5) % 5, other = (int)(t % 5 + 5) % 5;
            CHECK(irl_func_interpret(f, IRL_ARGS(&s, &t, plain)));
            CHECK(irl_module_interpret(m, IRL_ARGS(&s, &t, lowered)));
            CHECK(memcmp(plain, lowered, sizeof plain) == 0);
            if (k == 0) CHECK(plain[rest * 2 % 5] == 7);
            if (k == 1) CHECK(plain[(rest + other) % 5] == 7);
            if (k == 4) CHECK(plain[rest * 4 % 5] == 7);
            CHECK_OK(cx);
            irl_ctx_destroy(cx);
        }
}

/* No extent of a parameter is beyond 2^48, so that names that are extents are far from the ends. */
static void test_most_extent(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(
        cx, "func f(n: index, k: index, x: f32[n, k]) { for (j: k) x[0, j] = 1.0f; }",
        IRL_TO_NUL, NULL);
    irl_mark   mark = irl_ctx_mark(cx);
    irl_tensor tensor;
    int64_t    n = INT64_C(1) << 48, none = 0;
    float      x[1] = { 0 };
    CHECK(irl_func_interpret(f, IRL_ARGS(&n, &none, x)));
    CHECK(irl_func_param_tensor(f, 2, IRL_POINTERS(&n, &none, NULL), &tensor));
    n++;
    CHECK(!irl_func_interpret(f, IRL_ARGS(&n, &none, x)));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_func_param_tensor(f, 2, IRL_POINTERS(&n, &none, NULL), &tensor));
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int first = argc > 2 ? atoi(argv[2]) : 0, count = argc > 3 ? atoi(argv[3]) : TEST_COUNT(600), n;
    (void)make_point;
    if (argc == 1) {
        test_seen();
        test_most_extent();
    }
    for (n = first; n < first + count; n++) CHECK(check_function(seed, n));
    printf(
        "%d functions from %d of sequence %lu, %d refused: %d runs, %d more with a fault as they "
        "are\n",
        functions, first, seed, refused, runs, runs_undefined);
    return TEST_DONE();
}
