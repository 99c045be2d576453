/* test_typing.c - the table of access types, every cell accepted or refused; and legalize, for
   every target: what comes out passes the target's own check, and computes the same. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "test.h"

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

/* ------------------------------------------------------------------ the table */

typedef struct cell {
    const char *element, *index;
    const char *type;  /* of the access; NULL: refused */
    irl_code    code;
} cell;

/* elements: scalar, 2 and 4 lanes. Index: a scalar; a ramp of stride 1; another ramp; any vector; a
   broadcast. */
static const cell cells[] = {
    { "f32", "i", "f32", IRL_OK },
    { "f32", "ramp(i, 1, 4)", "f32x4", IRL_OK },
    { "f32", "ramp(i, 2, 4)", "f32x4", IRL_OK },
    { "f32", "ramp(i + 7, -1, 8)", "f32x8", IRL_OK },
    { "f32", "shuffle(i, i + 3, [1, 0, 0])", "f32x3", IRL_OK },
    { "f32", "broadcast(i, 2)", "f32x2", IRL_OK },
    { "f32x4", "i", "f32x4", IRL_OK },
    { "f32x4", "ramp(i, 1, 4)", "f32x16", IRL_OK },
    { "f32x4", "ramp(i, 2, 4)", "f32x16", IRL_OK },
    { "f32x4", "broadcast(i, 2)", "f32x8", IRL_OK },
    { "f16x2", "ramp(i, 1, 4)", "f16x8", IRL_OK },
    { "f16x4", "ramp(i, 1, 4)", "f16x16", IRL_OK },
    { "i32x2", "shuffle(i, i + 3, [1, 0, 0])", "i32x6", IRL_OK },
    { "u8x16", "ramp(i, 1, 4)", "u8x64", IRL_OK },
    { "u8x16", "ramp(i, 1, 8)", NULL, IRL_ERROR_BAD_TYPE },             /* 128 lanes */
    /* a visible cast is inserted */
    { "f32x4", "i32(i)", "f32x4", IRL_OK },
    { "f32", "f32(i)", NULL, IRL_ERROR_TYPE_MISMATCH },
};

/* A function that loads such an access and stores it to another buffer of the same kind. */
static void try_cell(const cell *c)
{
    char     text[512];
    irl_ctx *cx = irl_ctx_create(NULL);
    snprintf(text, sizeof text, "func f(x: %s[64], y: %s[64]) { for (i: 4) y[%s] = x[%s]; }",
             c->element, c->element, c->index, c->index);
    CHECK((parse(cx, text) != NULL) == (c->type != NULL));
    CHECK_CODE(cx, c->code);
    irl_ctx_destroy(cx);
    if (!c->type) return;
    cx = irl_ctx_create(NULL); /* the type is the one said: a let of it is accepted */
    snprintf(text, sizeof text,
             "func f(x: %s[64], y: %s[64]) { for (i: 4) { let v: %s = x[%s]; y[%s] = v; } }",
             c->element, c->element, c->type, c->index, c->index);
    CHECK(parse(cx, text) != NULL);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL); /* and no other */
    snprintf(text, sizeof text,
             "func f(x: %s[64], y: %s[64]) { for (i: 4) { let v: %s = x[%s]; y[%s] = v; } }",
             c->element, c->element, strcmp(c->type, "f32x5") == 0 ? "f32x6" : "f32x5", c->index,
             c->index);
    CHECK(parse(cx, text) == NULL);
    CHECK_CODE(cx, IRL_ERROR_TYPE_MISMATCH);
    irl_ctx_destroy(cx);
}

/* Every element width by every form of index: M lanes by N lanes are N * M, lane j of element k at
   k * M + j; beyond 64 refused. */
typedef struct index_form {
    const char *before, *after; /* around the number of lanes; NULL: a scalar */
    int         base, stride;
} index_form;

static const index_form index_forms[] = {
    { NULL, NULL, 3, 0 },           { "ramp(3, 1, ", ")", 3, 1 },
    { "ramp(3, 2, ", ")", 3, 2 },   { "ramp(40, -1, ", ")", 40, -1 },
    { "broadcast(5, ", ")", 5, 0 }, { "let(v = ramp(0, 3, ", "), v + 7)", 7, 3 },
};

static void try_pair(int m, const index_form *form, int n)
{
    static float x[64 * 16], y[64];
    char         text[512], element[16], type[16], index[64], to[32];
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_func    *f;
    int          k, ok = 1, p = m * n;
    snprintf(element, sizeof element, m == 1 ? "f32" : "f32x%d", m);
    snprintf(type, sizeof type, p == 1 ? "f32" : "f32x%d", p);
    if (form->before) snprintf(index, sizeof index, "%s%d%s", form->before, n, form->after);
    else snprintf(index, sizeof index, "%d", form->base);
    snprintf(to, sizeof to, p == 1 ? "0" : "ramp(0, 1, %d)", p > 64 ? 64 : p);
    snprintf(text, sizeof text, "func f(x: %s[64], y: f32[64]) { let v%s%s = x[%s]; y[%s] = v; }",
             element, p > 64 ? "" : ": ", p > 64 ? "" : type, index, to);
    f = parse(cx, text);
    CHECK((f != NULL) == (p <= 64));
    CHECK_CODE(cx, p <= 64 ? IRL_OK : IRL_ERROR_BAD_TYPE);
    for (k = 0; k < 64 * 16; k++) x[k] = (float)k;
    if (f) ok = irl_func_interpret(f, IRL_ARGS(x, y));
    for (k = 0; f && ok && k < p; k++)
        ok = y[k] == x[(form->base + k / m * form->stride) * m + k % m];
    if (!CHECK(ok)) printf("%s\n%s\n", text, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

static void test_all_pairs(void)
{
    static const int lanes[] = { 1, 2, 3, 4, 8, 16 }, counts[] = { 2, 3, 4, 8, 16 };
    size_t           m, n, k;
    for (m = 0; m < sizeof lanes / sizeof *lanes; m++) {
        try_pair(lanes[m], &index_forms[0], 1);
        for (k = 1; k < sizeof index_forms / sizeof *index_forms; k++)
            for (n = 0; n < sizeof counts / sizeof *counts; n++)
                try_pair(lanes[m], &index_forms[k], counts[n]);
    }
}

static void refused(const char *text, irl_code code)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(parse(cx, text) == NULL);
    CHECK_CODE(cx, code);
    irl_ctx_destroy(cx);
}

static void accepted(const char *text)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(parse(cx, text) != NULL);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* A view that is larger than its memory: the verifier says so. */
static void too_large(const char *text)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(irl_func_lower(parse(cx, text), &irl_target_opencl12) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ALIAS);
    irl_ctx_destroy(cx);
}

static void test_table(void)
{
    size_t k;
    for (k = 0; k < sizeof cells / sizeof cells[0]; k++) try_cell(&cells[k]);
    /* only the last */
    refused("func f(x: f32[8, 8], y: f32[8, 8]) { for (i: 4) y[ramp(0, 1, 4), i] = x[ramp(0, 1, "
            "4), i]; }",
            IRL_ERROR_TYPE_MISMATCH);
    accepted("func f(x: f32[8, 8], y: f32[8, 8]) { for (i: 4) y[i, ramp(0, 1, 4)] = x[i, ramp(0, "
             "1, 4)]; }");
    /* the value of a store has element lanes times index lanes */
    refused("func f(x: f32[8], y: f32[8]) { y[0] = x[ramp(0, 1, 4)]; }", IRL_ERROR_TYPE_MISMATCH);
    refused("func f(x: f32x2[8], y: f32[8]) { y[ramp(0, 1, 4)] = x[0]; }", IRL_ERROR_TYPE_MISMATCH);
    accepted("func f(x: f32x4[8], y: f32[8]) { y[ramp(0, 1, 4)] = x[0]; }");
    refused("func f(x: i32[8], y: f32[8]) { y[0] = x[0]; }", IRL_ERROR_TYPE_MISMATCH);
    /* another view is a declaration, typed and explicit */
    accepted(
        "func f(x: f32[32], y: f32x4[8]) { decl v: f32x4[8] data(x); for (i: 8) y[i] = v[i]; }");
    accepted(
        "func f(x: f32x4[8], y: f32[32]) { decl v: f32[32] data(x); for (i: 32) y[i] = v[i]; }");
    accepted("func f(x: i32[8], y: f32[8]) { decl v: f32[8] data(x); for (i: 8) y[i] = v[i]; }");
    too_large(
        "func f(x: f32[30], y: f32x4[8]) { decl v: f32x4[8] data(x); for (i: 8) y[i] = v[i]; }");
}

/* ------------------------------------------------------------------ legalize */

enum { MOST = 64 };

static const char *const programs[] = {
    "func f(x: f32[64], y: f32[64]) { y[ramp(0, 1, 64)] = x[ramp(0, 1, 64)] * broadcast(2.0f, 64); "
    "}",
    "func f(x: f32[64], y: f32[64]) { for (i: 2) y[ramp(i * 32, 1, 32)] = x[ramp(i * 32, 1, 32)] + "
    "broadcast(x[i], 32); }",
    "func f(x: f32[64], y: f32[64]) { for (i: 8) y[ramp(i, 8, 8)] = x[ramp(i * 8, 1, 8)]; }",
    "func f(x: f32[64], y: f32[64]) { for (i: 8) y[ramp(i * 8 + 7, -1, 8)] = x[ramp(i, 8, 8)]; }",
    "func f(x: f32[64], y: f32[64]) { for (i: 12) y[ramp(i * 5, 1, 5)] = x[ramp(i * 5, 1, 5)] - "
    "broadcast(1.0f, 5); }",
    "func f(x: f32[64], y: f32[64]) { for (i: 10) y[ramp(i * 6, 1, 6)] = select(x[ramp(i * 6, 1, "
    "6)] < broadcast(3.0f, 6), x[ramp(0, 1, 6)], broadcast(9.0f, 6)); }",
    "func f(x: f32[64], y: f32[64]) { for (i: 60) y[ramp(i, 1, 4)] = x[ramp(i, 1, 4)]; }",
    "func f(x: f32[64], y: f32[64]) { for (i: 16) { let v = x[ramp(i * 4, 1, 4)]; for (k: 4) y[i * "
    "4 + k] = lane(v, 3 - k); } }",
    "func f(x: f32[64], y: f32[64]) { for (i: 2) { let v = x[ramp(i * 32, 1, 32)]; for (k: 32) y[i "
    "* 32 + k] = lane(v, 31 - k) + lane(v, 5); } }",
    "func f(x: f32[64], y: f32[64]) { for (i: 16) y[ramp(i * 4, 1, 4)] = shuffle(x[ramp(0, 1, "
    "16)], x[ramp(16, 1, 4)], [19, 0, 5, 17]); }",
    "func f(x: f32[64], y: f32[64]) { y[ramp(0, 1, 32)] = shuffle(x[ramp(0, 1, 16)], x[ramp(32, 1, "
    "16)], [31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,"
    " 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]); }",
    /* what is stored is computed first: the parts overlap */
    "func f(x: f32[64], y: f32[64]) { for (k: 64) y[k] = x[k]; y[ramp(1, 1, 32)] = y[ramp(0, 1, "
    "32)]; y[ramp(0, 2, 8)] = y[ramp(1, 1, 8)]; }",
    "func f(x: f32[64], y: f32[64]) { for (i: 16) y[ramp(i * 4, 1, 4)] = let(v = x[ramp(i * 4, 1, "
    "4)], v * v); }",
    "func f(x: f32[64], y: f32[64]) { y[ramp(0, 1, 64)] = broadcast(x[ramp(4, 1, 8)], 8); }",
    "func f(x: f32[64], y: f32[64]) { for (i: 16) y[ramp(i * 4, 1, 4)] = f32x4(i32x4(x[ramp(i * 4, "
    "1, 4)]) / ramp(i32(1), i32(1), 4)); }",
    "func f(x: f32[64], y: f32[64]) { for (i: 2) y[ramp(i * 32, 1, 32)] = as(f32x32, as(u32x32, "
    "x[ramp(i * 32, 1, 32)]) ^ broadcast(u32(0x80000000), 32)); }",
    "func f(x: f32[64], y: f32[64]) { for (i: 4) for vectorized (c: 16) y[i * 16 + c] = "
    "if_then_else(i > 1, x[i * 16 + c], 1.0f); }",
    "func f(x: f32[64], y: f32[64]) { for (i: 21) y[ramp(i * 3, 1, 3)] = x[ramp(i * 3, 1, 3)]; }",
};

static const char *const targets[] = { "opencl12", "opencl12-embedded", "strict", "scalar" };

static void run_program(const char *text, const char *target)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_func    *f = parse(cx, text);
    irl_lower_options how;
    irl_module  *m;
    float        x[MOST], y[MOST], expected[MOST];
    int          k, ok;
    for (k = 0; k < MOST; k++) {
        x[k] = (float)((k * 37) % 50);
        y[k] = expected[k] = -1.0f;
    }
    memset(&how, 0, sizeof how);
    how.verify = 1; /* check_target, all of it */
    m = f ? irl_func_lower_with(f, irl_target_find(target), &how) : NULL;
    ok = m && irl_func_interpret(f, IRL_ARGS(x, expected)) &&
         irl_module_interpret(m, IRL_ARGS(x, y)) && memcmp(y, expected, sizeof y) == 0;
    if (!CHECK(ok))
        printf("%s, target %s\n%s%s", text, target, irl_diag_text(cx),
               m && irl_ok(cx) ? irl_module_text(m) : "");
    irl_ctx_destroy(cx);
}

/* What a target lacks is refused by its check, not emitted. */
static void refused_by(const char *target, const char *text, irl_code code, const char *part)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    CHECK(irl_func_lower_with(parse(cx, text), irl_target_find(target), &how) == NULL);
    CHECK_CODE(cx, code);
    if (!CHECK(irl_diag_of(cx) && irl_diag_of(cx)->line == 1 &&
               strstr(irl_diag_of(cx)->message, part)))
        printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* Each row of the table says what it is. */
static void test_described(void)
{
    static const char *const parts[][2] = {
        { "opencl12", "widths = 1, 2, 3, 4, 8, 16;" },
        { "opencl12-embedded", "int64 = false;" },
        { "strict", "ramps = false;" },
        { "scalar", "widths = 1; " },
        { "strict", "halves = false;" },
    };
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k;
    for (k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        const char *text = irl_target_text(cx, irl_target_find(parts[k][0]));
        CHECK(strstr(text, parts[k][0]) && strstr(text, parts[k][1]));
    }
    CHECK(!irl_target_text(cx, NULL)[0] &&
          !irl_target_text(NULL, irl_target_find("scalar"))[0]);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void test_legalize(void)
{
    size_t k, t;
    for (k = 0; k < sizeof programs / sizeof programs[0]; k++)
        for (t = 0; t < sizeof targets / sizeof targets[0]; t++)
            run_program(programs[k], targets[t]);
    refused_by("opencl12-embedded", "func f(x: i64[4], y: i64[4]) { for (i: 4) y[i] = x[i]; }",
               IRL_ERROR_UNSUPPORTED, "has no 64-bit integers; found i64");
    refused_by("opencl12-embedded",
               "func f(x: f32[64, 128]) { for bind(group.x) (i: 64) for bind(local.x) (j: 128) "
               "x[i, j] = 0.0f; }",
               IRL_ERROR_TARGET_LIMIT, "has 128 work-items; target 'opencl12-embedded' allows 64");
    refused_by("strict",
               "func f(x: f32[4, 16, 16]) { for bind(group.x) (i: 4) for bind(local.y) (j: 16) for "
               "bind(local.x) (k: 16) x[i, j, k] = 0.0f; }",
               IRL_ERROR_TARGET_LIMIT, "has 256 work-items; target 'strict' allows 128");
    refused_by("opencl12-embedded",
               "func f(x: f32[64, 64]) { for bind(group.x) (i: 64) { alloc t: f32x4[64] "
               "scope(shared); alloc u: f32[64] scope(shared);"
               " for bind(local.x) (j: 64) { u[j] = 1.0f; t[j] = broadcast(u[j], 4); x[i, j] = "
               "lane(t[j], 0); } } }",
               IRL_ERROR_TARGET_LIMIT,
               "bytes of shared memory; target 'opencl12-embedded' has 1024");
    refused_by("scalar",
               "func f(x: u32[4], y: u16[8]) { decl v: u16x2[4] data(y); for (i: 4) v[i] = "
               "as(u16x2, x[i]); }",
               IRL_ERROR_UNSUPPORTED,
               "target 'scalar' has no vectors of 2 lanes"); /* halves of a number need lanes */
}

/* Generated functions, for every target: the module computes what the function does. */
static void generated(uint64_t first, int count)
{
    gen_options  options;
    irl_lower_options how;
    uint64_t     seed;
    int          refusals = 0;
    memset(&options, 0, sizeof options);
    memset(&how, 0, sizeof how);
    how.verify = 1;
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        gen_case    c = gen_function(seed, options);
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *target = targets[seed % 4];
        irl_func   *f = irl_func_parse(cx, c.text, strlen(c.text), "generated");
        gen_data given = gen_data_new(&c), expected = gen_data_copy(&given),
                 found = gen_data_copy(&given);
        char        why[160] = "";
        irl_module *m = f ? irl_func_lower_with(f, irl_target_find(target), &how) : NULL;
        int ok,
            refusal = !m && irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_UNSUPPORTED;
        ok = m && irl_func_interpret(f, gen_arguments(&expected)) &&
             irl_module_interpret(m, gen_arguments(&found)) &&
             gen_data_equal(&c, &expected, &found, 0, why, sizeof why);
        refusals += refusal;
        if (!CHECK(ok || refusal) && test_failed < 4)
            printf("seed %lu, target %s: %s\n%s%s", (unsigned long)seed, target, why,
                   irl_diag_text(cx), c.text);
        gen_data_free(&given);
        gen_data_free(&expected);
        gen_data_free(&found);
        gen_free(&c);
        irl_ctx_destroy(cx);
    }
    if (count > 20)
        printf("%d of %d generated functions have no form on their target\n", refusals, count);
    CHECK(refusals * 5 <= count);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
        return TEST_DONE();
    }
    test_table();
    test_all_pairs();
    test_described();
    test_legalize();
    generated(1, TEST_COUNT(400));
    return TEST_DONE();
}
