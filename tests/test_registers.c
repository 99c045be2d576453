/* test_registers.c - private arrays that become variables: which do, which stay, and that the
   numbers are the same. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"

enum { CELLS = 256 };

typedef struct example {
    const char *name;
    const char *body;    /* of a kernel of x, y: f32[256] and u: i32[256] */
    const char *has;     /* in the lowered module; "" is anywhere */
    const char *has_not; /* NULL: nothing is missing */
} example;

static const example examples[] = {
    { "a tile",
      "alloc a: f32[3, 8] scope(local);\n"
      "for unrolled (p: 3) for vectorized (o: 8) a[p, o] = 0.5f;\n"
      "for (i: 4) for unrolled (p: 3) for vectorized (o: 8) a[p, o] = fma(x[i * 3 + p], x[i * 8 + "
      "o], a[p, o]);\n"
      "for unrolled (p: 3) for vectorized (o: 8) y[p * 8 + o] = a[p, o];",
      "alloc a_2: f32x8[] scope(local)", "unrolled" },
    { "one element",
      "alloc a: f32[1] scope(local); a[0] = x[3]; for (i: 9) a[0] = a[0] + x[i]; y[0] = a[0];",
      "a[] = a[] + x", "f32[1]" },
    { "a function of two elements, and of one",
      "alloc a: f32[2] scope(local); for unrolled (k: 2) a[k] = 0.5f;\n"
      "for (s: 5) for unrolled (k: 2) a[k] = a[k] + exp(x[s * 2 + k]);\n"
      "for (s: 10) y[s * 3 + 7] = exp(x[s]) / (a[0] + a[1]);",
      "y[(s * 2 + 1) * 3 + 7] = value_1;", "] = exp(" },
    { "a function of two vectors, and of one",
      "alloc a: f32[8] scope(local); for unrolled (k: 2) for vectorized (v: 4) a[k * 4 + v] = "
      "0.5f;\n"
      "for (s: 3) for unrolled (k: 2) for vectorized (v: 4) a[k * 4 + v] = a[k * 4 + v] + "
      "exp(x[s * 8 + k * 4 + v]);\n"
      "for (s: 6) for vectorized (v: 4) y[s * 4 + v + 3] = exp(x[s * 4 + v]) / a[5];",
      "= value", "exp(x[ramp(s_1" },
    { "a function of vectors that meet",
      "alloc a: f32[4] scope(local); for vectorized (v: 4) a[v] = 0.5f;\n"
      "for (s: 3) for vectorized (v: 4) a[v] = a[v] + exp(x[s * 4 + v]);\n"
      "for (s: 3) for vectorized (v: 4) y[s * 3 + v] = exp(x[s * 4 + v]) / a[2];",
      "/ ", "= value" },
    { "from 2, and an empty loop",
      "alloc a: i32[8] scope(local); for unrolled (k: 2 .. 5) a[k] = u[k] + 1; for unrolled (k: 3 "
      ".. 3) a[k] = 7;\n"
      "for unrolled (k: 3) u[k] = a[k + 2];",
      "alloc a_2: i32[]", "a[k" },
    { "lanes of a run",
      "alloc a: f32[8] scope(local); a[ramp(0, 1, 4)] = x[ramp(0, 1, 4)]; a[ramp(4, 1, 4)] = "
      "x[ramp(9, 1, 4)];\n"
      "for unrolled (k: 8) y[k] = a[k] + a[7 - k]; y[ramp(20, 1, 2)] = a[ramp(5, 1, 2)];",
      "lane(a_1[], 3)", "f32[8]" },
    { "what is declared inside",
      "alloc a: f32[4] scope(local);\n"
      "for unrolled (k: 4) { let v = x[k] * 2.0f; a[k] = v; for (j: 3) { let w = v + x[j]; a[k] = "
      "a[k] + w; } }\n"
      "for unrolled (k: 4) { if (k % 2 == 0) y[k] = a[k]; else y[k] = -a[k]; }",
      "alloc a_3: f32[]", "unrolled" },
    { "two arrays, one stays",
      "alloc a: f32[4] scope(local); alloc b: f32[4] scope(local);\n"
      "for unrolled (k: 4) { a[k] = x[k]; b[k] = x[k + 4]; }\n"
      "for (k: 80) y[k] = b[k % 4] + a[0];",
      "alloc b: f32[4]", "alloc a: f32[4]" },
    { "a place from memory",
      "alloc a: f32[4] scope(local); for unrolled (k: 4) a[k] = x[k]; u[0] = 2; y[0] = "
      "a[index(u[0])];",
      "alloc a: f32[4]", NULL },
    { "as many as there may be, each accessed again",
      "alloc a: f32[256] scope(local); for unrolled (k: 256) a[k] = x[k] + 1.0f;\n"
      "for unrolled (k: 256) y[k] = a[255 - k];",
      "alloc a_255: f32[]", "f32[256] scope" },
    { "in any order, with parts that cross each other",
      "alloc a: f32[8] scope(local); a[ramp(4, 1, 4)] = x[ramp(4, 1, 4)]; a[ramp(0, 1, 4)] = "
      "x[ramp(0, 1, 4)];\n"
      "y[ramp(0, 1, 2)] = a[ramp(5, 1, 2)]; y[ramp(2, 1, 2)] = a[ramp(6, 1, 2)] + a[ramp(4, 1, "
      "2)]; y[4] = a[0];",
      "alloc a_1: f32x4[]", "f32[8]" },
    { "runs that cross",
      "alloc a: f32[8] scope(local); for unrolled (k: 8) a[k] = x[k]; y[ramp(0, 1, 4)] = a[ramp(2, "
      "1, 4)];",
      "alloc a: f32[8]", NULL },
    { "a part is stored",
      "alloc a: f32[4] scope(local); a[ramp(0, 1, 4)] = x[ramp(0, 1, 4)]; a[2] = 9.0f; y[ramp(0, "
      "1, 4)] = a[ramp(0, 1, 4)];",
      "alloc a: f32[4]", NULL },
    { "a view",
      "alloc a: i32[4] scope(local); decl v: f32[4] scope(local) data(a); for unrolled (k: 4) { "
      "a[k] = u[k]; v[k] = f32(a[k]); }\n"
      "for unrolled (k: 4) y[k] = v[k];",
      "alloc a: i32[4]", NULL },
    { "bools are bytes",
      "alloc a: bool[2] scope(local); for unrolled (k: 2) a[k] = x[k] > 0.0f; for unrolled (k: 2) "
      "u[k] = i32(a[k]);",
      "alloc a_1: i8[]", "i8[2]" },
    { "halves stay",
      "alloc a: f16[2] scope(local); for unrolled (k: 2) a[k] = f16(x[k]); for unrolled (k: 2) "
      "y[k] = f32(a[k]);",
      "alloc a: f16[2]", NULL },
    { "too long to write out",
      "alloc a: f32[2000] scope(local); for unrolled (k: 2000) a[k] = f32(k); y[0] = a[1999];",
      "for unrolled (k: 2000)", NULL },
    { "a loop inside fits",
      "alloc a: f32[2] scope(local); for unrolled (j: 128) for unrolled (k: 16) { a[0] = x[j]; "
      "a[1] = x[k]; y[j * 2] = a[0] + a[1]; }",
      "for unrolled (j: 128", "a[0]" },
    { "elements of four lanes",
      "alloc a: f32x4[2] scope(local); for unrolled (k: 2) a[k] = x[ramp(k * 4, 1, 4)]; for "
      "unrolled (k: 2) y[ramp(k * 4, 1, 4)] = a[1 - k];",
      "alloc a_1: f32x4[]", "f32x4[2]" },
    { "a sum that copies have in common",
      "alloc a: f32[4] scope(local);\n"
      "for (i: 3, j: 5) { for unrolled (k: 4) a[k] = x[i * 20 + j * 4 + k] + x[index(u[i]) % 9 + i "
      "+ k];\n"
      "for unrolled (k: 4) y[i * 20 + j * 4 + k] = a[3 - k]; }",
      "let at = i * 20 + j * 4;", "unrolled" },
    { "no loop chooses",
      "alloc a: f32[2] scope(local); a[0] = x[0]; a[1] = x[1]; for unrolled (k: 4) y[k] = a[0] - "
      "a[1];",
      "for unrolled (k: 4)", "f32[2]" },
    { "a sum with its init in the loop",
      "for (i: 5) for (k: 7) { if (k == 0) y[i] = 0.5f; y[i] = y[i] + x[i * 7 + k]; }",
      "y_value[] = 0.5f;", "k == 0" },
    { "a sum of three loops",
      "for (i: 5) for (k: 2, j: 3, l: 4) { if (k == 0 && j == 0 && l == 0) y[i] = 0.0f; "
      "y[i] = y[i] + x[i * 7 + k * 12 + j * 4 + l]; }",
      "y_value[] = y_value[] + ", "k == 0" },
    { "a sum of a split loop",
      "for (i: 5) for (k: 2, j: 3) { if (k * 3 + j == 0) y[i] = 0.0f; y[i] = y[i] + x[k * 3 + j]; "
      "}",
      "y_value[] = y_value[] + ", "== 0" },
    { "a sum that may have no terms",
      "for (i: 5) for (k: index(u[i]) % 3) { if (k == 0) y[i] = 0.0f; y[i] = y[i] + x[k]; }",
      "y_value[] = y_value[] + ", "k == 0" },
    { "the same after its init",
      "for (i: 5) { y[i] = 0.0f; for (k: index(u[i]) % 3) y[i] = y[i] + x[k]; }",
      "y_value[] = y_value[] + ", NULL },
    { "a sum under a condition, without an init",
      "for (i: 5) for (k: 3) if (x[k] > 0.0f) y[i] = y[i] + x[k];", "y[i] = y[i] + ",
      NULL },
    { "the same after its init",
      "for (i: 5) { y[i] = 1.0f; for (k: 3) if (x[k] > 0.0f) y[i] = y[i] + x[k]; }",
      "y_value[] = y_value[] + ", NULL },
    { "neighbours",
      "for (i: 5) { y[i * 2] = 1.0f; y[i * 2 + 1] = 2.0f; for (k: 3) { y[i * 2] = y[i * 2] + x[k]; "
      "y[i * 2 + 1] = y[i * 2 + 1] * x[k]; } }",
      "y_value_1[] = y_value_1[] * ", NULL },
    { "what may be a neighbour",
      "for (i: 5) for (k: 3) { y[i] = y[i] + x[k]; y[k + 2] = y[i]; }", "y[i] = y[i] + ",
      NULL },
    { "a tile with its inits in the loop",
      "for (k: 9) for (i: 5, j: 3) { if (k == 0) y[i * 8 + j] = 1.0f; y[i * 8 + j] = y[i * 8 + j] "
      "+ x[k * 15 + i * 3 + j]; }",
      "y[i * 8 + j] = 1.0f;", "k == 0" },
    { "a tile whose iterations meet",
      "for (k: 9) for (i: 5, j: 3) { if (k == 0) y[i * 2 + j] = 1.0f; y[i * 2 + j] = y[i * 2 + j] "
      "+ x[k * 15 + i * 3 + j]; }",
      "k == 0", NULL },
    { "a tile that reads its neighbours",
      "for (k: 9) for (i: 5) { if (k == 0) y[i] = 1.0f; y[i] = y[i] + y[i + 1]; }", "k == 0",
      NULL },
    { "a tile that is not written out by hand",
      "for (i: 5) { alloc a: f32[4] scope(local); for (k: 9, j: 4) { if (k == 0) a[j] = 1.0f; a[j] "
      "= a[j] * x[k * 4 + j]; } for (j: 4) y[i * 4 + j] = a[j]; }",
      "alloc a_3: f32[] scope(local)", "k == 0" },
    { "only the last is stored",
      "for (i: 5) for (k: 3) { y[i] = x[k]; y[i + 9] = y[i] * 2.0f; }", "y_value[] = x", NULL },
    { "what few iterations store stays in memory",
      "for (i: 5) { alloc best: f32[]; best[] = x[i]; u[i] = 0; for (k: 9) if (x[i * 9 + k] > "
      "best[]) { best[] = x[i * 9 + k]; u[i] = i32(k); } }",
      "u[i] = i32(k);", "u_value" },
    { "what does not change in a loop",
      "for (i: 5) for (k: 3) y[i * 3 + k] = x[k] * rsqrt(x[i] * x[i] + 1.0f);",
      "let value = rsqrt(x[i] * x[i]", "* rsqrt" },
    { "what few iterations update does not",
      "for (i: 5) { y[i] = 0.0f; for (k: 9) if (x[i * 9 + k] > 0.5f) y[i] = y[i] + x[k]; }",
      "y_value[] = y_value[] + ", NULL },
};

typedef struct numbers {
    float   x[CELLS], y[CELLS];
    int32_t u[CELLS];
} numbers;

static void fill(numbers *n)
{
    int k;
    for (k = 0; k < CELLS; k++) {
        n->x[k] = (float)(k % 17) - 7.5f;
        n->y[k] = -1.0f;
        n->u[k] = 3 * k - 40;
    }
}

static int same(const numbers *a, const numbers *b)
{
    return memcmp(a->y, b->y, sizeof a->y) == 0 && memcmp(a->u, b->u, sizeof a->u) == 0;
}

/* The module for a target computes what the function computes. */
static const irl_module *lowered(irl_ctx *cx, const irl_func *f, const char *target,
                                 const numbers *expected)
{
    const irl_module *m = f ? irl_func_lower(f, irl_target_find(target)) : NULL;
    numbers           got;
    fill(&got);
    if (CHECK(m && irl_module_interpret(m, IRL_ARGS(got.x, got.y, got.u)) && same(&got, expected) &&
              irl_ocl_source(m)[0]))
        return m;
    printf("for %s\n%s%s", target, irl_diag_text(cx), m ? irl_module_text(m) : "");
    return NULL;
}

static void test_example(const example *e)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    char              text[2048];
    numbers           expected;
    const irl_func   *f;
    const irl_module *m;
    const char       *printed;
    sprintf(text,
            "func f(x: f32[256], y: f32[256], u: i32[256]) {\n    for bind(group.x) (t: 2) if (t "
            "== 1) {\n%s\n    }\n}\n",
            e->body);
    f = irl_func_parse(cx, text, strlen(text), e->name);
    fill(&expected);
    CHECK(f && irl_func_interpret(f, IRL_ARGS(expected.x, expected.y, expected.u)));
    m = lowered(cx, f, "opencl12", &expected);
    printed = m ? irl_module_text(m) : "";
    if (!CHECK(strstr(printed, e->has) && !(e->has_not && strstr(printed, e->has_not))))
        printf("%s\n%s%s", e->name, irl_diag_text(cx), printed);
    if (m) CHECK(irl_module_equal(m, irl_module_parse(cx, printed, strlen(printed), "again")));
    if (!strstr(e->body, "f32x4")) lowered(cx, f, "scalar", &expected);
    lowered(cx, f, "strict", &expected);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* A variable in OpenCL C is a variable. */
static void test_emitted(void)
{
    static const char text[] =
        "func f(x: f32[64], y: f32[64]) {\n"
        "    for bind(group.x) (t: 2) {\n"
        "        alloc a: f32[2, 16] scope(local);\n"
        "        for unrolled (p: 2) for vectorized (o: 16) a[p, o] = x[t * 32 + p * 16 + o];\n"
        "        for unrolled (p: 2) for vectorized (o: 16) y[t * 32 + p * 16 + o] = a[1 - p, o];\n"
        "    }\n}\n";
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_func   *f = irl_func_parse(cx, text, strlen(text), "test");
    const char       *source = irl_ocl_source(irl_func_lower(f, &irl_target_opencl12));
    CHECK(source && strstr(source, "    float16 a_1 = x[t * 2u + 1u];\n") &&
          strstr(source, "    y[t * 2u] = a_1;\n"));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ generated kernels */

enum { TILE = 8 }; /* elements of a private array */

typedef struct kernel_text {
    char text[8192];
    int  length, depth;
    int  has_k, has_i; /* variables in scope: of an unrolled loop, of a serial one */
} kernel_text;

static void say(kernel_text *t, const char *what)
{
    t->length += sprintf(t->text + t->length, "%s", what);
}

static void say_number(kernel_text *t, const char *format, int number)
{
    t->length += sprintf(t->text + t->length, format, number);
}

/* A place in a private array: mostly one that is known when the loops are written out. */
static void say_place(kernel_text *t)
{
    int way = TEST_RANDOM(t->has_k ? 7 : 2);
    if (way == 0) say_number(t, "%d", TEST_RANDOM(TILE));
    else if (way == 1 && t->has_i && TEST_RANDOM(12) == 0) say(t, "i"); /* the array stays */
    else if (way == 1) say_number(t, "%d", TEST_RANDOM(TILE));
    else if (way == 2) say(t, "7 - k");
    else if (way == 3) say_number(t, "(k * 3 + %d) %% 8", TEST_RANDOM(9));
    else say(t, "k");
}

static void say_value(kernel_text *t, int deep)
{
    int way = TEST_RANDOM(deep ? 8 : 4);
    if (way == 0) say_number(t, "%d.5f", TEST_RANDOM(20));
    else if (way == 1) {
        say_number(t, "x[t * 31 + %d", TEST_RANDOM(40));
        say(t, t->has_i && TEST_RANDOM(2) ? " + i * 9" : "");
        say(t, t->has_k && TEST_RANDOM(2) ? " + k" : "");
        say(t, "]");
    } else if (way < 4) {
        say(t, way == 2 ? "a[" : "b[");
        say_place(t);
        say(t, "]");
    } else if (way == 4) {
        static const char *const functions[] = { "exp(0.1f * ", "sqrt(1.0f + ", "tanh(",
                                                 "1.0f / (" };
        say(t, functions[TEST_RANDOM(4)]);
        say_value(t, deep - 1);
        say(t, ")");
    } else {
        say(t, way == 5 ? "(" : way == 6 ? "max(" : "(0.5f + ");
        say_value(t, 0);
        say(t, way == 6 ? ", " : way == 5 ? " - " : " / ");
        say_value(t, deep - 1);
        say(t, ")");
    }
}

static void say_assignment(kernel_text *t)
{
    int has_let = TEST_RANDOM(4) == 0;
    if (has_let) {
        say(t, "{ let v = ");
        say_value(t, 2);
        say(t, "; ");
    }
    say(t, TEST_RANDOM(2) ? "a[" : "b[");
    say_place(t);
    say(t, "] = ");
    if (has_let) say(t, "v + ");
    say_value(t, 2);
    say(t, has_let ? "; }\n" : ";\n");
}

/* An element of y that is the work-item's own. */
static void say_element(kernel_text *t, int place, const char *loop)
{
    say_number(t, "y[t * 40 + %d", 60 + place);
    say(t, loop);
    say(t, "]");
}

/* A sum in memory: with an init before the loops, in their first iteration, or none; of one element
   or two, which the loops may go through, under a condition. */
static void say_sum(kernel_text *t)
{
    static const char *const from[] = { "", "if (s == 0) ", "if (r == 0 && s == 0) ",
                                        "if (r + s * 2 == 0) ", "if (s < 2) ", "if (r == 0) " };
    const char *loop = TEST_RANDOM(4) ? "" : TEST_RANDOM(2) ? " + s" : " + r";
    const int   place = TEST_RANDOM(6), way = TEST_RANDOM(6), is_empty = TEST_RANDOM(6) == 0;
    if (TEST_RANDOM(3) == 0) {
        say_element(t, place, "");
        say(t, " = 2.5f;\n");
    }
    say_number(t, "for (r: %d) ", 1 + TEST_RANDOM(2));
    say(t, TEST_RANDOM(2) ? "for (s: " : "for unrolled (s: ");
    say(t, is_empty ? "index(u[t + 13]) % 3) {\n" : "3) {\n");
    if (way) {
        say(t, from[way]);
        say_element(t, place, loop);
        say(t, " = 1.5f;\n");
    }
    for (int k = 1 + TEST_RANDOM(2); k > 0; k--) {
        const int at = TEST_RANDOM(3) ? place : TEST_RANDOM(6);
        if (TEST_RANDOM(4) == 0) say(t, "if (x[s] < 2.0f) ");
        say_element(t, at, loop);
        say(t, " = ");
        if (TEST_RANDOM(4)) say_element(t, TEST_RANDOM(5) ? at : TEST_RANDOM(6), loop);
        else say(t, "0.25f");
        say(t, " + x[s * 3 + r];\n");
    }
    say(t, "}\n");
}

/* Values that do not change in a loop, and others that seem so: under a condition, after an assert,
   in a loop that may not run, of an element that the loop stores, divided by what may be 0. */
static void say_fixed(kernel_text *t)
{
    static const char *const values[] = { "exp(x[t] * 0.1f)", "1.0f / (x[t + 3] + 0.25f)",
                                          "tanh(y[t * 40 + 62])", "sqrt(abs(x[r]))",
                                          "f32(u[t + 9] / u[t + 5 + r])",
                                          "rsqrt(f32(r) + 0.5f) * exp(x[s] * 0.1f)",
                                          "f32(100 / (u[t] + 37))" };
    /* by a condition; by a loop that does not run */
    const int   is_guarded = TEST_RANDOM(3) == 0, is_empty = !is_guarded && TEST_RANDOM(4) == 0;
    const int   has_let = !is_guarded && TEST_RANDOM(2);
    const char *value = values[TEST_RANDOM(6 + (is_guarded || is_empty))];
    const char *other = values[TEST_RANDOM(6)];
    say(t, TEST_RANDOM(3) ? "for (r: 2) " : "for (r: index(u[t + 14]) % 3) ");
    say(t, is_empty         ? "for (s: u[t] + 37 != 0 ? 3 : 0) {\n"
           : TEST_RANDOM(3) ? "for (s: 4) {\n"
                            : "for (s: index(u[t + 13]) % 3) {\n");
    if (TEST_RANDOM(6) == 0) say(t, "assert(u[t + 9] != 0, \"is 0\");\n");
    if (has_let) {
        say(t, "let w = ");
        say(t, value);
        say(t, ";\n");
    }
    if (is_guarded) say(t, TEST_RANDOM(2) ? "if (x[s] < 2.0f && u[t] + 37 != 0) "
                                          : "if (u[t] + 37 != 0) ");
    say_element(t, TEST_RANDOM(4), TEST_RANDOM(2) ? " + s" : "");
    say(t, " = x[s] * ");
    say(t, has_let ? "w" : value);
    say(t, " + ");
    say(t, TEST_RANDOM(4) ? other
                          : "(x[s] < 2.0f && u[t] + 37 != 0 ? f32(u[t] / (u[t] + 37)) : 0.5f)");
    say(t, ";\n}\n");
}

/* The value with `by` in the place of s. */
static void say_by(kernel_text *t, const char *value, const char *by)
{
    char one[2] = { 0, 0 };
    for (; *value; value++) {
        one[0] = *value;
        say(t, *value == 's' ? by : one);
    }
}

/* A function of each element that is summed up, and computed again where it is divided by the sum;
   and others that seem so: of other elements, stored where something is read or was stored. */
static void say_twice(kernel_text *t)
{
    static const char *const extents[] = { "5", "5", "5", "index(u[t + 13]) % 3" };
    static const char *const values[] = {
        "exp(x[s + t] * 0.1f - m[])", "exp(x[s + t] * 0.1f)", "exp(x[s + t] * 0.1f - m[])",
        "tanh(y[t * 40 + s + 82])", "exp(f32(s) * m[])" };
    static const char *const places[] = { "s + 80", "s + 80", "4 - s + 80", "s * 2 + 70",
                                          "s / 2 + 80", "s + 60" };
    const int   at = TEST_RANDOM(5);
    const int   is_two = TEST_RANDOM(4) == 0, second = TEST_RANDOM(6) ? 1 : 2; /* in an iteration */
    const char *extent = is_two ? "4" : extents[TEST_RANDOM(4)], *place = places[TEST_RANDOM(6)];
    say(t, "{ alloc m: f32[]; alloc z: f32[]; m[] = x[t + 1]; z[] = 0.5f;\nfor (s: ");
    say(t, is_two ? "2" : extent);
    say(t, ") { ");
    if (TEST_RANDOM(6) == 0) say(t, "if (x[s] < 2.0f) ");
    say(t, "z[] = z[] + ");
    say_by(t, values[at], is_two ? "s * 2" : "s");
    if (is_two) say(t, "; z[] = z[] + ");
    if (is_two) say_by(t, values[at], second == 1 ? "s * 2 + 1" : "s * 2 + 2");
    if (TEST_RANDOM(6) == 0) say(t, " * y[t * 40 + s + 80]");
    say(t, "; }\n");
    if (TEST_RANDOM(3) == 0) say_assignment(t);
    if (TEST_RANDOM(6) == 0) say(t, "m[] = m[] + 0.25f;\n");
    if (TEST_RANDOM(6) == 0) say(t, "y[t * 40 + 81] = y[t * 40 + 82] + 1.0f;\n");
    say(t, "for (s: ");
    say(t, TEST_RANDOM(6) ? extent : "4");
    say(t, ") { ");
    if (TEST_RANDOM(6) == 0) say(t, "if (x[s] > 2.0f) ");
    say(t, "y[t * 40 + ");
    say(t, place);
    say(t, "] = ");
    say(t, values[TEST_RANDOM(6) ? at : TEST_RANDOM(5)]);
    say(t, TEST_RANDOM(5) ? " / z[]; }\n}\n" : " + y[t * 40 + 81]; }\n}\n");
}

static void say_statement(kernel_text *t)
{
    int way = TEST_RANDOM(t->depth < 3 ? 12 : 2), had_k = t->has_k, had_i = t->has_i;
    if (way > 7) {
        if (way < 10) say_sum(t);
        else if (way == 10) say_fixed(t);
        else say_twice(t);
        return;
    }
    if (way < 2) {
        say_assignment(t);
        return;
    }
    if (way < 5 && !had_k) {
        say_number(t, "for unrolled (k: %d .. 8) ", TEST_RANDOM(3));
        t->has_k = 1;
    } else if (way == 5 && !had_i) {
        say_number(t, "for (i: %d) ", 2 + TEST_RANDOM(2));
        t->has_i = 1;
    } else if (way == 6) {
        say(t, "if (x[t] > 0.0f) ");
    } else if (had_k) say(t, "if (k % 3 == 1) ");
    t->depth++;
    say(t, "{\n");
    say_statement(t);
    if (TEST_RANDOM(2)) say_statement(t);
    say(t, "}\n");
    t->depth--;
    t->has_k = had_k;
    t->has_i = had_i;
}

static void say_kernel(kernel_text *t)
{
    int k, count = 2 + TEST_RANDOM(4), is_wide = TEST_RANDOM(2);
    memset(t, 0, sizeof *t);
    say(t, "func f(x: f32[256], y: f32[256], u: i32[256]) {\nfor bind(group.x) (t: 3) {\n"
           "alloc a: f32[8] scope(local);\nalloc b: f32[8] scope(local);\n");
    if (is_wide)
        say(t, "for unrolled (k: 2) for vectorized (v: 4) a[k * 4 + v] = x[t + k * 8 + v];\n");
    else say(t, "for unrolled (k: 8) a[k] = x[t + k];\n");
    say(t, "for unrolled (k: 8) b[k] = a[7 - k];\n");
    for (k = 0; k < count; k++) say_statement(t);
    say(t, "for unrolled (k: 8) { y[t * 16 + k] = a[k]; y[t * 16 + k + 8] = b[k]; }\n}\n}\n");
}

typedef struct outcome {
    int gone;  /* no array is left */
    int moved; /* something is computed before a loop, or by the first of two loops */
    int kept;  /* the latter, on a target of loops */
} outcome;

static outcome run_generated(unsigned long seed)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    kernel_text       t;
    numbers           expected;
    const irl_func   *f;
    const irl_module *m;
    outcome           o = { 0, 0, 0 };
    int               k;
    test_seed = seed;
    say_kernel(&t);
    f = irl_func_parse(cx, t.text, (size_t)t.length, "generated");
    fill(&expected);
    if (!CHECK(f && irl_func_interpret(f, IRL_ARGS(expected.x, expected.y, expected.u))))
        printf("seed %lu\n%s%s", seed, t.text, irl_diag_text(cx));
    for (k = 0; irl_target_name(k) && irl_ok(cx); k++) {
        m = lowered(cx, f, irl_target_name(k), &expected);
        if (!m) printf("seed %lu\n%s", seed, t.text);
        if (m && strcmp(irl_target_name(k), "opencl12") == 0)
            o.gone = strstr(irl_module_text(m), "f32[8] scope(local)") == NULL;
        if (m && strcmp(irl_target_name(k), "c99") == 0) {
            o.moved = strstr(irl_module_text(m), "let value") != NULL;
            o.kept = strstr(irl_module_text(m), "] = value;") != NULL;
        }
    }
    irl_ctx_destroy(cx);
    return o;
}

static void generated(unsigned long first, int count)
{
    outcome all = { 0, 0, 0 };
    for (int k = 0; k < count; k++) {
        const outcome one = run_generated(first + (unsigned long)k * 7919);
        all.gone += one.gone;
        all.moved += one.moved;
        all.kept += one.kept;
    }
    /* both happen */
    CHECK(count < 50 || (all.gone * 4 > count && all.gone < count));
    CHECK(count < 50 || (all.moved * 8 > count && all.kept * 50 > count && all.moved < count));
}

int main(int argc, char **argv)
{
    size_t k;
    if (argc > 1) {
        generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
        return TEST_DONE();
    }
    for (k = 0; k < sizeof examples / sizeof examples[0]; k++) test_example(&examples[k]);
    test_emitted();
    generated(1, TEST_COUNT(300));
    return TEST_DONE();
}
