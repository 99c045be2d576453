/* test_host_checks.c - what a host function asks of its arguments: each check fails alone, with its
   message; names of all kinds; what no argument can hold. test_c_checked.c runs the same checks as
   C, on random descriptors too. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "host_cases.h"
#include "test.h"
#include "tensor_cases.h"

static irl_ctx          *cx;
static const irl_module *module_of_cases;

/* What is changed in arguments that are right, and what is said of it. */
static void test_each(void)
{
    int      k;
    irl_mark mark = irl_ctx_mark(cx);
    for (k = 0; k < HOST_CASES; k++) {
        host_call    call;
        const char  *found;
        int          ok;
        host_call_init(&call);
        host_cases[k].change(&call);
        ok = irl_module_check_arguments(module_of_cases, call.count, call.args);
        found = ok ? "" : irl_diag_of(cx)->message;
        if (!CHECK(strcmp(found, host_cases[k].message) == 0))
            printf("case %d: expected \"%s\"\nfound \"%s\"\n", k, host_cases[k].message, found);
        CHECK(ok || irl_diag_of(cx)->code == IRL_ERROR_ARGUMENT_MISMATCH);
        irl_ctx_rewind(cx, mark);
    }
}

/* The message of a call with a shape in names. */
static void test_shape(const char *parameters, int64_t n, int64_t m, int64_t extent,
                       const char *message)
{
    char              text[300];
    irl_mark          mark = irl_ctx_mark(cx);
    const irl_module *m_;
    irl_packed        args[3];
    irl_dltensor      t;
    int64_t           shape[1];
    float             x[64];
    const char       *found;
    sprintf(text, "func f(%s) { for (i: 2) x[i] = x[i]; }", parameters);
    m_ = irl_func_lower(irl_func_parse(cx, text, strlen(text), "shape"), &irl_target_c99);
    memset(args, 0, sizeof args);
    memset(&t, 0, sizeof t);
    args[0].kind = args[1].kind = 1;
    args[0].value.integer = n;
    args[1].value.integer = m;
    args[2].kind = 3;
    args[2].value.tensor = &t;
    shape[0] = extent;
    t.data = x;
    t.device.device_type = 1;
    t.ndim = 1;
    t.dtype.code = 2;
    t.dtype.bits = 32;
    t.dtype.lanes = 1;
    t.shape = shape;
    found = irl_module_check_arguments(m_, 3, args) ? "" : irl_diag_of(cx)->message;
    if (!CHECK(strcmp(found, message) == 0))
        printf("%s, %s: expected \"%s\"\nfound \"%s\"\n", text, irl_diag_text(cx), message, found);
    irl_ctx_rewind(cx, mark);
}

static void test_shapes(void)
{
    static const char product[] = "n: index, m: index, x: f32[n * m]",
                      quotient[] = "n: index, m: index, x: f32[n / m + 8]";
    test_shape(product, 4, 8, 32, "");
    test_shape(product, 4, 8, 31, "x.shape[0] must be 32; found 31");
    test_shape(product, INT64_C(1) << 47, INT64_C(1) << 47, 8, "x.shape[0] is too large");
    test_shape(product, -(INT64_C(1) << 48), INT64_C(1) << 48, 8, "x.shape[0] is too large");
    test_shape(product, -4, 8, -32, "x: the declared shape[0] must be at least 0; found -32");
    test_shape(product, INT64_MIN, 8, 8,
               "n must be at least -281474976710656; found -9223372036854775808");
    test_shape(quotient, 64, 8, 16, "");
    test_shape(quotient, 64, 0, 8, "x.shape[0] contains a division by 0");
    test_shape("n: i16, m: u32, x: f32[8]", 32767, 4294967295, 8, "");
    test_shape("n: i16, m: u32, x: f32[8]", 32768, 0, 8, "n must be at most 32767; found 32768");
    test_shape("n: i16, m: u32, x: f32[8]", 0, -1, 8, "m must be at least 0; found -1");
    test_shape("n: bool, m: u64, x: f32[8] align(64)", 2, -1, 8,
               "n must be at most 1; found 2");
    test_shape("n: bool, m: u64, x: bool[8]", 1, -1, 8,
               "x.dtype.code must be 1, an unsigned integer, or 6, a bool; found 2");
    test_shape("n: bool, m: u64, x: f32[8] offset(3)", 1, -1, 8,
               "x.byte_offset must be 12; found 0");
}

/* Of two tensors that lie apart in memory by their strides; x is both. */
static void test_reach(int64_t extent, const char *message)
{
    static const char text[] = "func f(n: index, x: f32[m] strides(n), y: f32[m] strides(n)) {"
                               " for (i: 2) x[i] = y[i]; }";
    irl_mark          mark = irl_ctx_mark(cx);
    const irl_module *m = irl_func_lower(irl_func_parse(cx, text, strlen(text), "reach"),
                                         &irl_target_c99);
    irl_packed        args[3];
    irl_dltensor      t;
    int64_t           stride = INT64_C(1) << 48;
    float             x[2];
    const char       *found;
    memset(args, 0, sizeof args);
    memset(&t, 0, sizeof t);
    args[0].kind = 1;
    args[0].value.integer = stride;
    args[1].kind = args[2].kind = 3;
    args[1].value.tensor = args[2].value.tensor = &t;
    t.data = x;
    t.device.device_type = t.ndim = t.dtype.lanes = 1;
    t.dtype.code = 2;
    t.dtype.bits = 32;
    t.shape = &extent;
    t.strides = &stride;
    found = irl_module_check_arguments(m, 3, args) ? "" : irl_diag_of(cx)->message;
    if (!CHECK(strcmp(found, message) == 0)) printf("%s: found \"%s\"\n", message, found);
    irl_ctx_rewind(cx, mark);
}

/* The checks are a function like any other: printed and read, they are the same. */
static void test_text(void)
{
    irl_func   *f = irl_module_host_checks(module_of_cases);
    const char *text = irl_func_text(f);
    irl_func   *again = irl_func_parse(cx, text, strlen(text), "text");
    if (!CHECK(again && irl_func_equal(f, again))) printf("%s\n%s\n", irl_diag_text(cx), text);
}

static void test_refused(void)
{
    static const char norm[] = "func f(h: unorm8, x: f32[2]) { for (i: 2) x[i] = f32(h); }",
                      bad[] = "func f(n: index) { assert(n < 9, \"{} and {}\", n); }";
    irl_mark          mark = irl_ctx_mark(cx);
    CHECK(!irl_module_host_checks(irl_func_lower(irl_func_parse(cx, norm, strlen(norm), "norm"),
                                                 &irl_target_c99)));
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_func_parse(cx, bad, strlen(bad), "bad"));
    CHECK_CODE(cx, IRL_ERROR_BAD_STRUCTURE);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_module_host_checks(NULL));
    {
        const irl_expr *n = irl_expr_var(cx, "n", irl_type_of(IRL_INDEX, 1)), *values[1];
        const irl_stmt *s;
        values[0] = n;
        s = irl_stmt_assert_values(cx, irl_expr_op2(cx, IRL_OP_LT, n, irl_expr_index(cx, 9)),
                                   "n is {}", 1, values);
        CHECK(s && !irl_stmt_assert_values(
                       cx, irl_expr_op2(cx, IRL_OP_LT, n, irl_expr_index(cx, 9)), "n", 1, values));
        irl_ctx_rewind(cx, mark);
    }
}

/* The same of irl_tensors, by the interpreter; ocl_arguments.c has a device run them. */
static int run_interpreted(void *user, int count, const irl_tensor *tensors)
{
    return irl_func_interpret_tensors((const irl_func *)user, count, tensors);
}

static void test_tensors(void)
{
    irl_func *f = irl_func_parse(cx, host_function, strlen(host_function), "host");
    unsigned  calls = getenv("IRL_SOAK") ? 100000 : getenv("IRL_SLOW") ? 100 : 1000;
    int       accepted;
    tensor_test_each(cx, run_interpreted, f);
    accepted = tensor_test_random(cx, run_interpreted, f, 1, calls);
    CHECK(accepted > (int)calls / 20);
    printf("seeds 1 to %u: %d accepted\n", calls, accepted);
}

/* ------------------------------------------------------------------ implicit parameters */

/* Extents that say what n and m are: of x, y and z, and the message; "" where they agree. */
typedef struct implicit_case {
    int64_t     x[2], y, z;
    const char *message;
} implicit_case;

static const char implicit_text[] =
    "func rows(x: f32[n, m], k: i32, y: f32[m], z: f32[n * m + 1]) {\n"
    "    for (i: n, j: m) z[i * m + j] = x[i, j] * y[j] + f32(k); }";

static const implicit_case implicit_cases[] = {
    { { 3, 2 }, 2, 7, "" },
    { { 0, 5 }, 5, 1, "" },
    { { 1, 1 }, 1, 2, "" },
    { { 3, 2 }, 3, 7, "y.shape[0] must be 2; found 3" },
    { { 3, 2 }, 2, 6, "z.shape[0] must be 7; found 6" },
    { { -1, 2 }, 2, 7, "x.shape[0] must be at least 0; found -1" },
    { { 2, INT64_MAX }, 2, 7,
      "x.shape[1] must be at most 281474976710656; found 9223372036854775807" },
};

static irl_tensor tensor_of(void *data, irl_scalar scalar, size_t bytes, int rank, int64_t a,
                            int64_t b)
{
    irl_tensor t;
    memset(&t, 0, sizeof t);
    t.data = data;
    t.type = irl_type_of(scalar, 1);
    t.shape.rank = rank;
    t.shape.extent[0] = a;
    t.shape.extent[1] = b;
    t.bytes = bytes;
    return t;
}

static void implicit_run(const irl_func *f, const implicit_case *c)
{
    float      x[6] = { 1, 2, 3, 4, 5, 6 }, y[5] = { 10, 20, 30, 40, 50 }, z[7] = { 0 };
    int32_t    k = 7;
    int64_t    at;
    irl_mark   mark = irl_ctx_mark(cx);
    irl_tensor t[4];
    int        ok;
    t[0] = tensor_of(x, IRL_F32, sizeof x, 2, c->x[0], c->x[1]);
    t[1] = tensor_of(&k, IRL_I32, sizeof k, 0, 0, 0);
    t[2] = tensor_of(y, IRL_F32, sizeof y, 1, c->y, 0);
    t[3] = tensor_of(z, IRL_F32, sizeof z, 1, c->z, 0);
    ok = irl_func_interpret_tensors(f, 4, t);
    if (!CHECK(strcmp(ok ? "" : irl_diag_of(cx)->message, c->message) == 0))
        printf("expected \"%s\"\n%s\n", c->message, irl_diag_text(cx));
    for (at = 0; ok && at < c->x[0] * c->x[1]; at++)
        CHECK(z[at] == x[at] * y[at % c->x[1]] + 7);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_func_interpret_tensors(f, 3, t)); /* n and m are not handed over, the rest is */
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_rewind(cx, mark);
}

/* The same of descriptors. */
static void implicit_check(const irl_module *m, const implicit_case *c)
{
    static float room[8];
    irl_packed   args[4];
    irl_dltensor t[3];
    int64_t      shape[3][2];
    irl_mark     mark = irl_ctx_mark(cx);
    int          k, ok;
    memset(args, 0, sizeof args);
    memset(t, 0, sizeof t);
    shape[0][0] = c->x[0], shape[0][1] = c->x[1], shape[1][0] = c->y, shape[2][0] = c->z;
    for (k = 0; k < 3; k++) {
        irl_packed *arg = &args[k ? k + 1 : 0];
        t[k].data = (void *)((uintptr_t)room + (uintptr_t)k * 4096 * 256); /* nothing is read */
        t[k].device.device_type = 1;
        t[k].ndim = k ? 1 : 2;
        t[k].dtype.code = 2;
        t[k].dtype.bits = 32;
        t[k].dtype.lanes = 1;
        t[k].shape = shape[k];
        arg->kind = 3;
        arg->value.tensor = &t[k];
    }
    args[1].kind = 1;
    ok = irl_module_check_arguments(m, 4, args);
    if (!CHECK(strcmp(ok ? "" : irl_diag_of(cx)->message, c->message) == 0))
        printf("expected \"%s\"\n%s\n", c->message, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

/* A misspelt name in a shape declares itself: it is asked about, where nothing else explains it. */
typedef struct misspelt_case {
    const char *text, *asked; /* NULL: nothing */
} misspelt_case;

static const misspelt_case misspelt_cases[] = {
    { "func f(x: f32[rows, k], y: f32[rwos, k]) { }", "'rwos'" },
    { "func f(rows: index, x: f32[rows], y: f32[row]) { }", "is 'rows' meant?" },
    { "func f(x: f32[rwos], y: f32[rows], z: f32[rows]) { }", "'rwos'" },
    { "func f(rows: index, rwos: index, x: f32[rows], y: f32[rwos]) { }", NULL },
    { "func f(x: f32[rows], y: f32[rwos], z: f32[2 * rwos], w: f32[rows]) { }", NULL },
    { "func f(x: f32[rows], y: f32[rwos]) { for (i: rwos) y[i] = 0.0; y[rows - 1] = 1.0; }", NULL },
    { "func f(x: f32[n], y: f32[m]) { }", NULL },
    { "func f(x: f32[n_1], y: f32[n_2]) { }", NULL },
    { "func f(x: f32[in_h, in_w], y: f32[height, width]) { }", NULL },
};

static void test_misspelt(void)
{
    size_t k;
    for (k = 0; k < sizeof misspelt_cases / sizeof misspelt_cases[0]; k++) {
        const misspelt_case *c = &misspelt_cases[k];
        const irl_func      *f = irl_func_parse(cx, c->text, IRL_TO_NUL, "misspelt");
        const char          *said = irl_func_warnings(f);
        CHECK_OK(cx);
        if (!CHECK(c->asked ? strstr(said, c->asked) != NULL : !*said))
            printf("%s\n    %s\n", c->text, said);
    }
}

/* An extent that computes with a name, before the parameter that has the name as an extent. */
static void test_extent_later(void)
{
    static const char *const texts[][2] = {
        { "func f(x: f32[2 * h, w], y: f32[h, w]) { for (i: h, j: w) y[i, j] = x[2 * i, j]; }",
          "h w x y" },
        { "func f(x: f32[h + w - 1], y: f32[h], z: f32[w]) { y[0] = x[0] + z[0]; }", "h w x y z" },
        { "func f(x: f32[max(h, 2)], y: f32[h]) { y[0] = x[1]; }", "h x y" },
        { "func f(x: f32[4 * (h / 4 + 1)], h: index, y: f32[h]) { y[0] = x[1]; }", "x h y" },
        { "func f(x: f32[2 * h], y: f32[3 * h]) { y[0] = x[1]; }", NULL },
        { "func f(x: f32[2 * h], y: f32[4] logical([h], (i) -> (i))) { y[0] = x[1]; }", "h x y" },
    };
    irl_mark   mark = irl_ctx_mark(cx);
    float      x[6] = { 1, 2, 3, 4, 5, 6 }, y[3];
    irl_tensor t[2];
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        irl_func *f = irl_func_parse(cx, texts[k][0], IRL_TO_NUL, "later");
        char      names[40] = "";
        for (int j = 0; j < irl_func_param_count(f); j++)
            sprintf(names + strlen(names), "%s%s", j ? " " : "", irl_func_param_name(f, j));
        if (!texts[k][1]) CHECK(!f && irl_diag_of(cx)->code == IRL_ERROR_UNKNOWN_NAME);
        else if (CHECK(f && strcmp(names, texts[k][1]) == 0))
            CHECK(irl_func_equal(f, irl_func_parse(cx, irl_func_text(f), IRL_TO_NUL, "again")));
        else printf("%s\n%s\n%s\n", texts[k][0], names, irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    /* each of many names in a shape is looked up once, not in all that follows */
    char *many = (char *)malloc(200000), *end = many + sprintf(many, "func f(x: f32[a");
    for (int k = 0; k < 60000; k++) end += sprintf(end, "+a");
    sprintf(end, "]) { }");
    CHECK(!irl_func_parse(cx, many, IRL_TO_NUL, "many"));
    free(many);
    irl_ctx_rewind(cx, mark);
    irl_func *f = irl_func_parse(cx, texts[0][0], IRL_TO_NUL, "later");
    t[0] = tensor_of(x, IRL_F32, sizeof x, 2, 6, 1);
    t[1] = tensor_of(y, IRL_F32, sizeof y, 2, 3, 1);
    CHECK(irl_func_interpret_tensors(f, 2, t) && y[0] == 1 && y[1] == 3 && y[2] == 5);
    t[0].shape.extent[0] = 5;
    CHECK(!irl_func_interpret_tensors(f, 2, t));
    CHECK(strstr(irl_diag_text(cx), "x.shape[0] must be 6; found 5") != NULL);
    irl_ctx_rewind(cx, mark);
}

static void test_implicit(void)
{
    irl_func   *f = irl_func_parse(cx, implicit_text, IRL_TO_NUL, "implicit"), *again;
    irl_module *m = irl_func_lower(f, &irl_target_c99);
    irl_mark    mark;
    size_t      k;
    int64_t     n = 3, two = 2;
    int32_t     seven = 7;
    float       x[6] = { 1, 2, 3, 4, 5, 6 }, y[2] = { 10, 20 }, z[7];
    if (!CHECK_OK(cx)) return;
    CHECK(irl_func_param_count(f) == 6 && irl_func_param_is_implicit(f, 0) &&
          irl_func_param_is_implicit(f, 1) && !irl_func_param_is_implicit(f, 2) &&
          !irl_func_param_is_implicit(f, 3) && !irl_func_param_is_implicit(NULL, 0) &&
          !irl_func_param_is_implicit(f, 6));
    CHECK(strcmp(irl_func_param_name(f, 0), "n") == 0);
    again = irl_func_parse(cx, irl_func_text(f), IRL_TO_NUL, "again");
    CHECK(irl_func_equal(f, again));
    CHECK(!irl_func_equal(
        irl_func_parse(cx, "func g(n: index implicit, x: f32[n]) { }", IRL_TO_NUL, "g"),
        irl_func_parse(cx, "func g(n: index, x: f32[n]) { }", IRL_TO_NUL, "g")));
    CHECK_OK(cx);
    for (k = 0; k < sizeof implicit_cases / sizeof implicit_cases[0]; k++) {
        implicit_run(f, &implicit_cases[k]);
        implicit_check(m, &implicit_cases[k]);
    }
    /* pointers have no shape: they pass the names too, where they stand */
    CHECK(irl_func_interpret(f, IRL_ARGS(&n, &two, x, &seven, y, z)) && z[5] == 6 * 20 + 7);
    CHECK(irl_module_interpret(m, IRL_ARGS(&n, &two, x, &seven, y, z)) && z[4] == 5 * 10 + 7);
    mark = irl_ctx_mark(cx);
    /* nothing hands over what is only computed with in memory */
    f = irl_func_set_layout(
        irl_func_parse(cx, "func f(x: f32[n]) { for (i: n) x[i] = 0; }", IRL_TO_NUL, "f"), "x",
        irl_map_parse(cx, "(i) -> (i / 4, i % 4)"));
    CHECK(!irl_module_host_checks(irl_func_lower(f, &irl_target_c99)));
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    irl_mark mark;
    cx = irl_ctx_create(NULL);
    module_of_cases = irl_func_lower(
        irl_func_parse(cx, host_function, strlen(host_function), "host"), &irl_target_c99);
    if (!CHECK_OK(cx)) printf("%s\n", irl_diag_text(cx));
    mark = irl_ctx_mark(cx);
    CHECK(!irl_module_check_arguments(module_of_cases, 0, NULL));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    irl_ctx_rewind(cx, mark);
    test_each();
    test_shapes();
    test_reach(2048, "x and y overlap, and x is written");
    test_reach(4096, "the memory that strides reach is too large");
    test_text();
    test_refused();
    test_tensors();
    test_implicit();
    test_extent_later();
    test_misspelt();
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
