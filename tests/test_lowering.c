/* test_lowering.c - generated functions give the same numbers in the interpreter as they are, after
   every pass, as modules, and with optional passes left out; applying layouts, lowering blocks and
   flattening twice change nothing. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "experiment.h"
#include "gathered.h"

static int changes_nothing(const char *pass)
{
    return strcmp(pass, "apply_layouts") == 0 || strcmp(pass, "lower_blocks") == 0 ||
           strcmp(pass, "flatten") == 0;
}

static int pass_by_pass(experiment *x, const irl_func *f)
{
    const char *pass;
    int         k;
    for (k = 0; (pass = irl_pass_name(k)) != NULL; k++) {
        if (!TEST_PASS(k)) continue;
        f = irl_func_run_pass(f, pass);
        if (f && !gathered_right(f)) return experiment_fail(x, "what statements hold, ", pass);
        if (!experiment_same(x, f, NULL, "after ", pass)) return 0;
        if (changes_nothing(pass)) {
            irl_func *again = irl_func_run_pass(f, pass);
            if (!again || !irl_func_equal(f, again)) return experiment_fail(x, "twice ", pass);
        }
    }
    return 1;
}

static int as_module(experiment *x, const irl_func *f, uint64_t disable, const char *detail)
{
    irl_lower_options how;
    irl_module  *m;
    memset(&how, 0, sizeof how);
    how.disable = disable;
    how.verify = 1;
    m = irl_func_lower_with(f, &irl_target_opencl12, &how);
    return experiment_same(x, NULL, m, "module", detail);
}

/* All ways of running the function of this text; which optional pass is left out goes by the
   seed. */
static int run_all(experiment *x, irl_ctx *cx, const char *text)
{
    irl_func *f = experiment_begin(x, cx, text);
    int       passes = 0, one;
    while (irl_pass_name(passes)) passes++;
    one = (int)(x->c->seed % (uint64_t)passes);
    return f && pass_by_pass(x, f) && as_module(x, f, 0, "") &&
           as_module(x, f, UINT64_C(1) << one, irl_pass_name(one)) &&
           as_module(x, f, ~UINT64_C(0), " without optional passes");
}

static void check_case(const gen_case *c) { experiment_check(c, run_all, NULL, 5); }

static void generated(uint64_t first, int count)
{
    test_seeds((unsigned long)first, count);
    gen_each(first, count, check_case);
    printf("kinds of axes: %d functions leave some out, %d need them\n", gen_without_kinds,
           gen_needs_kinds);
}

/* ------------------------------------------------------------------ what the host does, by hand */

typedef struct by_hand {
    const char *body;
    int         kernels; /* -1: refused as unsupported */
} by_hand;

/* Bodies of functions of n = 6, x: f32[24], y: f32[24]. */
static const by_hand bodies[] = {
    /* one statement, two, a temporary between them */
    { "for (i: 24) y[i] = x[i];", 1 },
    { "alloc t: f32[24]; for (i: 24) t[i] = x[i] * 2.0; for (i: 24) y[i] = t[23 - i];", 2 },
    /* host functions contain conditions that they know; others are one kernel */
    { "if (n > 3) { for parallel (i: 24) y[i] = 1.0; for parallel (i: 24) y[i] = y[i] + x[i]; } "
      "else { for parallel (i: 24) y[i] = 2.0; }",
      3 },
    { "if (x[0] > 100.0) { for parallel (i: 24) y[i] = 1.0; } else { for parallel (i: 24) y[i] = "
      "2.0; }",
      1 },
    /* loops around bound loops are the host's; their variables reach the kernels */
    { "alloc t: f32[24]; for (i: 24) t[i] = x[i];"
      " for (s: 3) { for bind(global.x) (i: 24) y[i] = t[23 - i] + f32(s); for bind(global.x) (i: "
      "24) t[i] = y[(i + 1) % 24]; }",
      3 },
    { "for (s: 2 .. 4) for bind(group.x) (g: n) for bind(local.x) (l: 4) y[g * 4 + l] = x[g * 4 + "
      "l] * f32(s);",
      1 },
    /* parallel loops directly around bound ones stay with them */
    { "for parallel (i: 4) for bind(global.x) (j: n) y[i * 6 + j] = x[j * 4 + i];", 1 },
    /* what a let reads is read at its place, once */
    { "let v = x[3]; for (i: 24) y[i] = v + f32(i); for (i: 24) y[i] = y[i] * v;", 2 },
    { "y[0] = 5.0; let v = y[0]; y[0] = 7.0; for (i: 23) y[i + 1] = v;", 4 },
    { "let k = index(i32(max(x[0], 2.0))) % 4; let m = k + 1; assert(m != 4, \"m\"); for (i: 24) "
      "y[i] = x[i] + f32(m);",
      3 },
    { "let b = x[0] > 1.0; for bind(global.x) (i: 24) y[i] = select(b, x[i], 3.0);", 2 },
    { "let k = index(i32(x[0])) % 4 + 1; alloc t: f32[k]; for (i: k) t[i] = 1.0; for (i: 24) y[i] "
      "= t[0];",
      -1 },
    /* a let in a temporary's shape */
    { "let m = n * 4; alloc t: f32[m]; for (i: m) t[i] = x[i] + 1.0; for (i: m) y[i] = t[m - 1 - "
      "i];",
      2 },
    /* private memory of the top: of a kernel, or a temporary where two use it */
    { "alloc t: f32[1] scope(local); for (i: 24) { t[0] = x[i]; y[i] = t[0] * t[0]; }", 1 },
    { "alloc t: f32[24] scope(local); for (i: 24) t[i] = x[i] + 0.5; for (i: 24) y[i] = t[23 - i];",
      2 },
    /* ... of one group too, whatever its scope is */
    { "for bind(group.x) (g: 1) { alloc t: f32[1]; for bind(local.x) (l: 24) t[0] = x[l]; for "
      "bind(local.x) (l: 24) y[l] = t[0]; }",
      1 },
    /* ... or one by which work-items exchange values; not where each reads what it wrote itself */
    { "alloc t: f32[24] scope(local); for bind(group.x) (g: 4) { for bind(local.x) (l: 6) t[g * 6 "
      "+ l] = x[g * 6 + l]; barrier(global); for bind(local.x) (l: 6) y[g * 6 + l] = t[g * 6 + 5 - "
      "l]; }",
      1 },
    { "alloc t: f32[4, 3, 2] scope(local); for bind(group.x) (g: 4) { for bind(local.x) (i: 2) for "
      "bind(local.y) (j: 3) t[g, j, i] = x[g * 6 + i * 3 + j]; barrier(global); for bind(local.x) "
      "(i: 2) for bind(local.y) (j: 3) y[g * 6 + i * 3 + j] = t[g, 2 - j, i]; }",
      1 },
    { "alloc t: f32[24] scope(local); for bind(group.x) (g: 4) for bind(local.x) (l: 6) { t[g * 6 "
      "+ l] = x[g * 6 + l]; barrier(global); y[g * 6 + l] = t[g * 6 + l]; }",
      1 },
    { "alloc t: f32[4, 6] scope(local); alloc u: f32[4, 6] scope(local); for bind(group.x) (g: 4) "
      "{ for bind(local.x) (l: 6) t[g, l] = x[g * 6 + l]; for bind(local.x) (l: 6) u[g, l] = x[g "
      "* 6 + l]; barrier(global); for bind(local.x) (l: 6) y[g * 6 + l] = t[g, 1] + u[g, 5 - l]; "
      "}",
      1 },
    /* a group of one is a group: its memory is each work-item's */
    { "for bind(group.x) (g: 1) { alloc t: f32[1] scope(local); for bind(local.x) (l: 24) t[0] = "
      "x[l]; for bind(local.x) (l: 24) y[l] = t[0]; }",
      1 },
    /* bounds in terms of an outer loop, or of memory, are no range of a launch */
    { "for (i: 24) y[i] = 0.0; for parallel (i: 4) for parallel (j: i + 1) y[i * 6 + j] = x[i * 6 "
      "+ j];",
      2 },
    { "for (i: 24) y[i] = 0.0; for parallel (i: index(i32(max(min(x[0], 20.0), 3.0)))) y[i] = 1.0;",
      2 },
    /* nothing would order these two in one kernel */
    { "if (x[0] > 100.0) { for bind(global.x) (i: 24) y[i] = 1.0; for bind(global.x) (i: 24) "
      "y[23 - i] = x[i]; }",
      -1 },
    { "if (x[0] < 100.0) { y[0] = 3.0; for bind(global.x) (i: 23) y[i + 1] = y[0]; }", -1 },
    /* a sequence of its own, with declarations that end with it */
    { "{ alloc t: f32[24]; for (i: 24) t[i] = x[i]; for (i: 24) y[i] = t[i]; } { alloc t: f32[24]; "
      "for (i: 24) t[i] = y[i]; for (i: 24) y[i] = t[23 - i]; }",
      4 },
    { "attr(tag = 1) { for (i: 24) y[i] = x[i]; for bind(global.x) (i: 12) y[i] = y[i] + y[i + "
      "12]; }",
      2 },
};

static void host_walks(const by_hand *b)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    char        text[1024];
    int64_t     n = 6;
    float       x[24], expected[24], found[24];
    irl_func   *f;
    irl_module *m;
    int         k;
    snprintf(text, sizeof text, "func f(n: index, x: f32[24], y: f32[24]) { %s }", b->body);
    for (k = 0; k < 24; k++) x[k] = (float)((k * 7) % 11) - 2.5f, expected[k] = found[k] = -1.0f;
    f = irl_func_parse(cx, text, strlen(text), "hand");
    CHECK(irl_func_interpret(f, IRL_ARGS(&n, x, expected)));
    m = irl_func_lower(f, &irl_target_opencl12);
    if (b->kernels < 0) CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
    else if (CHECK(m && irl_module_interpret(m, IRL_ARGS(&n, x, found)))) {
        CHECK(memcmp(expected, found, sizeof found) == 0);
        if (!CHECK(m->kernel_count == b->kernels))
            printf("%d kernels\n%s", m->kernel_count, irl_module_text(m));
    } else printf("%s\n%s\n", b->body, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* What each work-item of a group stores to one cell is its own: as one memory it would race. */
static void accumulators_are_private(void)
{
    static const char text[] =
        "func f(x: f32[24], y: f32[24]) { alloc acc: f32[2] scope(local); for bind(group.x) (g: 4) "
        "{ alloc s: f32[6] scope(shared); for bind(local.x) (l: 6) { for (k: 2) acc[k] = f32(l); "
        "s[l] = x[g * 6 + l]; barrier(shared); for (k: 6) acc[k % 2] = acc[k % 2] + s[k]; "
        "y[g * 6 + l] = acc[0] - acc[1]; } } }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_module *m;
    float             x[24], y[24], *s;
    int               k;
    for (k = 0; k < 24; k++) x[k] = (float)(k * k);
    m = irl_func_lower(irl_func_parse(cx, text, strlen(text), "hand"), &irl_target_opencl12);
    if (!CHECK(m && irl_module_interpret(m, IRL_ARGS(x, y)))) printf("%s\n", irl_diag_text(cx));
    CHECK(m && m->kernel_count == 1);
    CHECK(m && strstr(irl_module_text(m), "alloc acc_1: f32[] scope(local)"));
    for (k = 0; m && k < 24; k++)
        s = x + k / 6 * 6, CHECK(y[k] == s[0] - s[1] + s[2] - s[3] + s[4] - s[5]);
    irl_ctx_destroy(cx);
}

/* Images of one type whose texels have other lanes share no memory. */
static void texels_of_two_widths(void)
{
    static const char text[] =
        "func f(z: u16[2, 3, 8], g: u16[2, 3, 8], y: u16[2, 6, 4]) { alloc b: u16[2, 6, 4] "
        "scope(texture); alloc a: u16[2, 3, 8] scope(texture); for (i: 2, j: 3, l: 8) a[i, j, l] = "
        "z[i, j, l]; for (i: 2, j: 3, l: 8) g[i, j, l] = a[i, j, l]; for (i: 2, j: 6, l: 4) b[i, "
        "j, l] = g[i, j / 2, j % 2 * 4 + l]; for (i: 2, j: 6, l: 4) y[i, j, l] = b[i, j, l]; }";
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_module *m;
    uint16_t    z[48], g[48], y[48];
    int         k;
    for (k = 0; k < 48; k++) z[k] = (uint16_t)(k * 7 + 1), g[k] = y[k] = 0;
    m = irl_func_lower(irl_func_parse(cx, text, strlen(text), "hand"), &irl_target_opencl12);
    if (!CHECK(m && irl_module_interpret(m, IRL_ARGS(z, g, y)))) printf("%s\n", irl_diag_text(cx));
    CHECK(memcmp(z, g, sizeof z) == 0 && memcmp(z, y, sizeof z) == 0);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    size_t k;
    texels_of_two_widths();
    accumulators_are_private();
    for (k = 0; k < sizeof bodies / sizeof *bodies; k++) host_walks(&bodies[k]);
    if (argc > 1) generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
    else generated(1, getenv("IRL_SOAK") ? 10000 : TEST_COUNT(800));
    return TEST_DONE();
}
