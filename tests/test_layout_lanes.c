/* test_layout_lanes.c - vectors where they meet layouts and one another: layouts of what is
   accessed by vectors, through views of the same shape, of temporaries with strides; vectorized
   loops over elements that are vectors. Random functions and maps, before and after in the
   interpreter, as a function and as modules; the regions of blocks under random maps, which contain
   what they did. Arguments: how many cases. */
#include <stdio.h>

#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "random64.h"
#include "schedule_data.h"
#include "test.h"

enum { TEXT = 4000 };

static int functions, run_modules, vectors;

/* ------------------------------------------------------------------ one function */

typedef struct shape {
    int rows, columns, lanes; /* of an index */
} shape;

/* A map of [rows, columns] that is one to one. */
static void some_map(const shape *s, char *out)
{
    static const int by[] = { 2, 3, 4, 8 };
    const int        a = by[random_below(4)], b = by[random_below(3)];
    switch (random_below(10)) {
    case 0: sprintf(out, "(i, j) -> (j, i)"); break;
    case 1: sprintf(out, "(i, j) -> (i, j / %d, j %% %d)", a, a); break;
    case 2: sprintf(out, "(i, j) -> (i / %d, j / %d, i %% %d, j %% %d)", b, a, b, a); break;
    case 3: sprintf(out, "(i, j) -> (i, (j + i) %% %d)", s->columns); break;
    case 4: sprintf(out, "(i, j) -> (i * %d + j)", s->columns); break;
    case 5: sprintf(out, "(i, j) -> (j / %d, i, j %% %d)", a, a); break;
    case 6: sprintf(out, "(i, j) -> (i, %d - j)", s->columns - 1); break;
    case 7: sprintf(out, "(i, j) -> (j / %d, i / %d, j %% %d, i %% %d)", a, b, a, b); break;
    case 8: sprintf(out, "(i, j) -> ((i + j) %% %d, j)", s->rows); break;
    default: sprintf(out, "(i, j) -> ((j + %d) / 4, i, (j + %d) %% 4)", b, b); break;
    }
}

static char *some_index(const shape *s, char *out)
{
    const int turns = s->columns / s->lanes;
    if (s->lanes == 1) return out + sprintf(out, "[i, k]");
    switch (random_below(4)) {
    case 0: return out + sprintf(out, "[i, ramp(k, %d, %d)]", turns, s->lanes);
    case 1: return out + sprintf(out, "[%d - i, ramp(k * %d, 1, %d)]", s->rows - 1, s->lanes,
                                 s->lanes);
    default: return out + sprintf(out, "[i, ramp(k * %d, 1, %d)]", s->lanes, s->lanes);
    }
}

/* Every cell of the store is one that no other lane has, whatever is read elsewhere. */
static char *some_store(const shape *s, const char *to, const char *from, char *out)
{
    char own[100];
    int  k;
    *some_index(s, own) = '\0';
    out += sprintf(out, "for (i: %d, k: %d) ", s->rows, s->columns / s->lanes);
    out += sprintf(out, "%s%s = %s", to, own, from);
    if (random_below(2)) out = some_index(s, out);
    else out += sprintf(out, "%s", own);
    for (k = random_below(2); k > 0; k--) out += sprintf(out, " + %s%s", to, own);
    return out + sprintf(out, "; ");
}

static void some_function(char *out)
{
    static const char *const types[] = { "f32", "i32", "f32x2", "u8" };
    static const int         columns[] = { 6, 8, 12, 16 }, lanes[] = { 1, 2, 4, 3 };
    const char              *type = types[random_below(4)], *middle;
    const int                strided = random_below(2), viewed = random_below(3) == 0;
    char                     map[100];
    shape                    s;
    int                      k;
    s.rows = 2 + random_below(5);
    s.columns = columns[random_below(4)];
    do s.lanes = lanes[random_below(4)];
    while (s.columns % s.lanes);
    vectors += s.lanes > 1;
    out += sprintf(out, "func f(x: %s[%d, %d], y: %s[%d, %d])", type, s.rows, s.columns, type,
                   s.rows, s.columns);
    for (k = 0; k < 3; k++) {
        some_map(&s, map);
        if (random_below(3)) out += sprintf(out, " layout(%c: %s)", "xyt"[k], map);
    }
    out += sprintf(out, " { alloc t: %s[%d, %d]", type, s.rows, s.columns);
    if (strided) out += sprintf(out, " strides(%d, 1)", s.columns + 1 + random_below(5));
    out += sprintf(out, "; ");
    middle = viewed && !strided ? "v" : "t";
    if (middle[0] == 'v')
        out += sprintf(out, "decl v: %s[%d, %d] data(t); ", type, s.rows, s.columns);
    out += sprintf(out, "for (i: %d, k: %d) { y[i, k] = x[i, k]; t[i, k] = x[i, k]; } ", s.rows,
                   s.columns);
    out = some_store(&s, middle, "x", out);
    out = some_store(&s, "y", "t", out);
    sprintf(out, "}");
}

/* ------------------------------------------------------------------ before and after */

static int same_module(const irl_func *f, const char *target)
{
    schedule_args a, b;
    irl_module   *m = irl_func_lower(f, irl_target_find(target));
    int           k, ok = m && schedule_args_make(&a, f);
    if (!ok) return 0;
    ok = schedule_args_make(&b, f) && irl_func_interpret(f, a.pointers) &&
         irl_module_interpret(m, b.pointers);
    for (k = 0; ok && k < a.count; k++) ok = memcmp(a.data[k], b.data[k], a.bytes[k]) == 0;
    schedule_args_free(&a);
    schedule_args_free(&b);
    run_modules += ok;
    return ok;
}

static void run(int number, const char *text)
{
    static const char *const targets[] = { "opencl12", "scalar", "c99" };
    irl_ctx                 *cx = irl_ctx_create(NULL);
    irl_func                *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL), *g;
    size_t                   k;
    irl_mark                 mark;
    CHECK_OK(cx);
    g = irl_func_run_pass(f, "apply_layouts");
    functions++;
    if (!CHECK(g && schedule_same(f, g, 1) == SAME))
        printf("case %d: %s\n%s\n%s\n", number, text, g ? irl_func_text(g) : "",
               irl_diag_text(cx));
    for (k = 0; irl_ok(cx) && k < sizeof targets / sizeof *targets; k++) {
        mark = irl_ctx_mark(cx);
        if (!CHECK(same_module(f, targets[k])))
            printf("case %d, %s: %s\n%s\n", number, targets[k], text, irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ regions */

static void expect(const char *text, const char *part)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_run_pass(irl_func_parse(cx, text, IRL_TO_NUL, NULL), "apply_layouts");
    CHECK_OK(cx);
    if (f && !CHECK(strstr(irl_func_text(f), part) != NULL))
        printf("%s\nexpected: %s\n", irl_func_text(f), part);
    irl_ctx_destroy(cx);
}

static void by_hand(void)
{
    expect("func f(A: f32[64, 64], B: f32[64, 64]) layout(A: (i, j) -> (i/4, j/16, i%4, j%16)) { "
           "for (i: 16, j: 4) block b(vi: spatial(16) = i, vj: spatial(4) = j) reads(A[vi*4: 4, "
           "vj*16: 16]) writes(B[vi*4: 4, vj*16: 16]) { for (a: 4, c: 16) B[vi*4 + a, vj*16 + c] = "
           "A[vi*4 + a, vj*16 + c]; } }",
           "reads(A[vi, vj, 0: 4, 0: 16])");
    expect("func f(A: f32[64, 64], B: f32[64]) layout(A: (i, j) -> (j, 63 - i)) { for (i: 16) "
           "block b(vi: spatial(16) = i) reads(A[vi*4: 4, 7]) writes(B[vi*4: 4]) { for (a: 4) "
           "B[vi*4 + a] = A[vi*4 + a, 7]; } }",
           "reads(A[7, 60 - vi * 4: 4])");
    /* two rows of tiles, or one */
    expect("func f(A: f32[64], B: f32[16]) layout(A: (i) -> (i/4, i%4)) { for (i: 16) block b(vi: "
           "spatial(16) = i) reads(A[vi: 4]) writes(B[vi]) { B[vi] = A[vi] + A[vi + 3]; } }",
           "reads(A[vi / 4: (vi % 4 + 7) / 4, 0: 4])");
    /* vectors: one vector where the lanes stay together */
    expect("func f(x: f32[64], y: f32[64]) layout(y: (i) -> (i / 8, i % 8)) { for (i: 16) "
           "y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; }",
           "y[i / 2, ramp(i % 2 * 4, 1, 4)] = x[ramp(i * 4, 1, 4)];");
    expect("func f(x: f32[2, 4], y: f32[2, 4]) layout(y: (i, j) -> (i, (j + 2) % 4)) { for (i: 2) "
           "y[i, ramp(0, 1, 4)] = y[i, ramp(0, 1, 4)] + x[i, ramp(0, 1, 4)]; }",
           "let value = shuffle(y[i, ramp(2, 1, 2)], y[i, ramp(0, 1, 2)], [0, 1, 2, 3]) + x[i, "
           "ramp(0, 1, 4)];\n        y[i, ramp(2, 1, 2)] = shuffle(value, [0, 1]);\n        y[i, "
           "ramp(0, 1, 2)] = shuffle(value, [2, 3]);");
    /* a layout takes the place of a temporary's strides */
    expect("func f(x: f32[6, 5], y: f32[6, 5]) layout(t: (i, j) -> (j, i)) { alloc t: f32[6, 5] "
           "strides(8, 1); decl v: f32[6, 5] strides(8, 1) data(t); for (i: 6, j: 5) t[i, j] = "
           "x[i, j]; for (i: 6, j: 5) y[i, j] = v[i, j]; }",
           "decl v: f32[5, 6] data(t);");
}

/* ------------------------------------------------------------------ elements that are vectors */

static void elements(const char *text, const char *part)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_run_pass(irl_func_parse(cx, text, IRL_TO_NUL, NULL), "vectorize");
    CHECK_OK(cx);
    if (f && !CHECK(strstr(irl_func_text(f), part) != NULL))
        printf("%s\nexpected: %s\n", irl_func_text(f), part);
    irl_ctx_destroy(cx);
}

/* A vectorized loop over elements of several lanes. */
static void some_elements(char *out)
{
    static const char *const types[] = { "f32x2", "i32x4", "f32x3", "i32x8", "u8x4", "f32x16" };
    static const char *const ops[] = { "+", "-", "*" };
    static const char *const at[] = { "k", "k + 1", "0", "k * 2", "39 - k" };
    const char              *type = types[random_below(6)];
    int                      k, step = random_below(3);
    out += sprintf(out, "func f(x: %s[40], y: %s[40]) { for vectorized (k: %d) y[k + %d] = ", type,
                   type, 2 + random_below(18), step);
    out += sprintf(out, "x[%s]", at[random_below(5)]);
    for (k = random_below(3); k > 0; k--)
        out += sprintf(out, " %s x[%s]", ops[random_below(3)], at[random_below(5)]);
    if (random_below(3) == 0) out += sprintf(out, " + y[k + %d]", step);
    sprintf(out, "; }");
}

/* More lanes than a value has are refused at once, with their number. */
static void too_many_lanes(const char *text, const char *part)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(irl_func_parse(cx, text, IRL_TO_NUL, NULL) == NULL);
    if (!CHECK(strstr(irl_diag_text(cx), part) != NULL)) printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* A block whose regions are right stays so under any layout. */
static void run_region(int number)
{
    static char text[TEXT];
    const int   a = 1 + random_below(4), c = 1 + random_below(6);
    const int   rows = 2 + random_below(4), columns = 2 + random_below(4);
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f, *g;
    char        map[100], *out = text;
    shape       s;
    s.rows = rows * a;
    s.columns = columns * c;
    s.lanes = 1;
    some_map(&s, map);
    out += sprintf(out, "func f(x: i32[%d, %d], y: i32[%d, %d]) layout(x: %s)", s.rows, s.columns,
                   s.rows, s.columns, map);
    some_map(&s, map);
    out += sprintf(out,
                   " layout(y: %s) { for (i: %d, j: %d) block b(vi: spatial(%d) = i, vj: "
                   "spatial(%d) = j) reads(x[vi * %d: %d, vj * %d: %d]) writes(y[vi * %d: %d, vj * "
                   "%d: %d]) { for (p: %d, q: %d) y[vi * %d + p, vj * %d + q] = x[vi * %d + p, vj "
                   "* %d + %d - q]; } }",
                   map, rows, columns, rows, columns, a, a, c, c, a, a, c, c, a, c, a, c, a, c,
                   c - 1);
    (void)out;
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    g = irl_func_run_pass(irl_func_run_pass(f, "apply_layouts"), "check_blocks");
    if (!CHECK(g != NULL && !strstr(irl_func_warnings(g), ", and it is not proved to be inside the "
                                                          "region that block")))
        printf("case %d: %s\n%s%s\n", number, text, g ? irl_func_warnings(g) : "",
               irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int count = getenv("IRL_SOAK") ? 20000 : getenv("IRL_SLOW") ? 50 : 500, k;
    if (argc > 1) count = atoi(argv[1]);
    by_hand();
    elements("func f(x: f32x4[64], y: f32x4[64]) { for vectorized (i: 4) y[i + 8] = x[i] * x[0]; }",
             "y[ramp(8, 1, 4)] = x[ramp(0, 1, 4)] * let(same = x[0], broadcast(same, 4));");
    elements("func f(x: f32x4[64], y: f32x4[64]) { for vectorized (i: 4) y[i] = x[3 - i]; }",
             "for (i: 4)");
    too_many_lanes("func f(x: f32x16[64], y: f32x16[64]) { y[0] = x[ramp(0, 1, 8)]; }",
                   "a value has 1 to 64 lanes; found 128");
    too_many_lanes("func f(y: f32[99]) { y[ramp(0, 1, 65)] = 0.0; }",
                   "the number of lanes is from 2 to 64; found 65");
    too_many_lanes("func f(y: f32x4[9]) { y[0] = lane(broadcast(y[0], 17), 0); }",
                   "a value has 1 to 64 lanes; found 68");
    for (k = 0; k < count; k++) {
        static char text[TEXT];
        some_function(text);
        run(k, text);
        some_elements(text);
        run(k, text);
        run_region(k);
    }
    printf("%d functions, %d with vectors, %d modules\n", functions, vectors, run_modules);
    return test_done();
}
