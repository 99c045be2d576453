/* test_externs.c - calls of functions that the program does not hold: numbers and memory go out and
   come back, a pointer that is returned is memory with a view on it; printed and read, interpreted
   as written and lowered, refused where nobody answers. checks/externs.sh runs what C is emitted,
   ocl_arguments.c a device. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/base/base.h"
#endif
#include "test.h"
#include "extern_cases.h"
#include "failing.h"

/* Both targets with work-items and without. */
static void test_meaning(irl_ctx *cx, extern_state *state)
{
    const irl_target *targets[] = { &irl_target_c99, &irl_target_opencl12 };
    irl_func         *f = irl_func_parse(cx, extern_text, strlen(extern_text), "externs"), *again;
    extern_data       d;
    const char       *text = irl_func_text(f);
    int               k;
    again = irl_func_parse(cx, text, strlen(text), "text");
    CHECK(f && again && irl_func_equal(f, again));
    extern_data_init(&d, state);
    CHECK(irl_func_interpret(f, IRL_ARGS(&d.n, d.x, d.y)));
    extern_data_check(&d, state);
    for (k = 0; k < 2; k++) {
        irl_module *m = irl_func_lower(f, targets[k]);
        extern_data_init(&d, state);
        if (!CHECK(m && irl_module_interpret(m, IRL_ARGS(&d.n, d.x, d.y))))
            printf("%s\n", irl_diag_text(cx));
        extern_data_check(&d, state);
        CHECK(k == 1 || irl_c_source(m)[0]);
        text = irl_module_text(m);
        CHECK(irl_module_parse(cx, text, strlen(text), "module"));
    }
    if (!CHECK_OK(cx)) printf("%s\n", irl_diag_text(cx));
}

/* What a call gets and gives, by type. */
static void test_values(irl_ctx *cx, extern_state *state)
{
    static const char text[] =
        "func f(a: i8, b: f32, c: bool, z: f32[8], y: i32[4]) {\n"
        "    y[0] = extern(i32, sum, a, b, c);\n"
        "    y[1] = i32(extern(u8, sum, i32(a) * 100, b, c));\n"
        "    y[2] = i32(extern(f32, third, index(a)) * 300.0f);\n"
        "    evaluate extern(i32, fill, z, 2);\n"
        "    y[3] = i32(z[7]); }";
    irl_func *f = irl_func_parse(cx, text, sizeof text - 1, "values");
    int8_t    a = -5;
    float     b = 2.5f, z[8] = { 0 };
    uint8_t   c = 1;
    int32_t   y[4];
    (void)state;
    if (!CHECK(irl_func_interpret(f, IRL_ARGS(&a, &b, &c, z, y))))
        printf("%s\n", irl_diag_text(cx));
    CHECK(y[0] == -2 && y[1] == (uint8_t)(-500 + 2 + 1) && y[2] == -500 && y[3] == 2 && z[0] == 2);
}

static void refused(irl_ctx *cx, const char *text, irl_code code, const char *part)
{
    irl_mark  mark = irl_ctx_mark(cx);
    float     x[16] = { 0 }, y[16] = { 0 };
    irl_func *f = irl_func_parse(cx, text, strlen(text), "refused");
    int       ok = f && irl_func_interpret(f, IRL_ARGS(x, y));
    CHECK(!ok);
    if (!CHECK(irl_diag_of(cx) && irl_diag_of(cx)->code == code &&
               strstr(irl_diag_text(cx), part)))
        printf("%s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

static void test_refused(irl_ctx *cx)
{
    irl_ctx *nobody = irl_ctx_create(NULL);
#define HEAD "func f(x: f32[16], y: f32[16]) { "
#define VIEW "; decl t: f32[16] data(h); for (i: 16) y[i] = t[i]; }"
    refused(nobody, HEAD "let h = extern(ptr(f32, global), memory, 16, 1)" VIEW,
            IRL_ERROR_UNSUPPORTED, "irl_ctx_desc.call_extern");
    refused(cx, HEAD "let h = extern(ptr(f32, global), unheard, 16)" VIEW, IRL_ERROR_UNSUPPORTED,
            "'unheard' is not known");
    refused(cx, HEAD "let h = extern(ptr(f32, global), nothing)" VIEW, IRL_ERROR_ARGUMENT_MISMATCH,
            "'nothing' returned no memory");
    refused(cx, HEAD "let h = extern(ptr(f32, global), memory, 15, 0)" VIEW, IRL_ERROR_BAD_ALIAS,
            "'t' spans 16 elements of 4 bytes; the memory of 'h' has 60 bytes");
    refused(cx, HEAD "y[0] = f32(extern(i32x2, sum, 1)[0]); }", IRL_ERROR_SYNTAX, "");
    refused(cx, HEAD "alloc t: i32[2]; y[0] = f32(extern(i32, sum, t[1])); }", IRL_ERROR_UNDEF_USED,
            "an argument of a call");
    irl_ctx_destroy(nobody);
}

/* Calls that return pointers in loops and branches: the host function contains them. Where it
   cannot, lowering says so. */
static void test_walked(irl_ctx *cx, extern_state *state)
{
    static const char walked[] =
                          "func f(x: f32[16], y: f32[16], n: index) { for (i: 4) if (i < n) {"
                          " let h = extern(ptr(f32, global), memory, i * 4 + 4, 0);"
                          " decl t: f32[4] data(h) offset(i * 4); for (j: 4) t[j] = x[i * 4 + j];"
                          " for (j: 4) y[i * 4 + j] = t[3 - j]; } }",
                      kernel[] = "func f(x: f32[16], y: f32[16]) { for (i: 4) if (x[i] > 0.0f) {"
                                 " let h = extern(ptr(f32, global), memory, 16, 0);"
                                 " decl t: f32[4] data(h); for (j: 4) y[i * 4 + j] = t[j]; } }";
    irl_mark    mark = irl_ctx_mark(cx);
    irl_module *m = irl_func_lower(irl_func_parse(cx, walked, sizeof walked - 1, "walked"),
                                   &irl_target_opencl12);
    int64_t     n = 3;
    float       x[16], y[16];
    int         k, wrong = 0;
    for (k = 0; k < 16; k++) x[k] = (float)k, y[k] = -1;
    if (!CHECK(m && irl_module_interpret(m, IRL_ARGS(x, y, &n)))) printf("%s\n", irl_diag_text(cx));
    for (k = 0; k < 16; k++) {
        wrong += y[k] != (k < 12 ? (float)(k / 4 * 4 + 3 - k % 4) : -1);
        wrong += state->memory[k] != (k < 12 ? (float)k : 0);
    }
    CHECK(wrong == 0);
    irl_ctx_rewind(cx, mark);
    m = irl_func_lower(irl_func_parse(cx, kernel, sizeof kernel - 1, "kernel"), &irl_target_c99);
    CHECK(!m);
    if (!CHECK(irl_diag_of(cx) && strstr(irl_diag_text(cx), "a call in this statement returns a "
                                                            "pointer, so the host function must "
                                                            "run it; but a host function cannot "
                                                            "run this statement")))
        printf("%s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

#define PROTOTYPE \
    "extern scale(x: ptr(f32, global) reads(n), y: ptr(f32, global) writes(n), n: index): f32"

/* The prototype that the text says, by calls. */
static irl_func *declared_scale(irl_ctx *cx, const irl_func *f, const irl_expr *less)
{
    irl_type         floats = irl_type_pointer(irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL);
    irl_extern_param p[3];
    irl_extern_desc  d;
    memset(p, 0, sizeof p);
    memset(&d, 0, sizeof d);
    p[0].var = irl_expr_var(cx, "x", floats);
    p[1].var = irl_expr_var(cx, "y", floats);
    p[2].var = irl_expr_var(cx, "n", irl_type_of(IRL_INDEX, 1));
    p[0].reads = p[1].writes = 1;
    p[0].read_count = p[2].var;
    p[1].write_count = less ? irl_expr_op2(cx, IRL_OP_SUB, p[2].var, less) : p[2].var;
    d.name = "scale";
    d.type = irl_type_of(IRL_F32, 1);
    d.count = 3;
    d.params = p;
    return irl_func_declare(f, &d);
}

/* Prototypes by calls are those of the text; another one of the same name is refused. */
static void test_declared(irl_ctx *cx)
{
    static const char plain[] = "func f(a: f32[4], b: f32[4]) {"
                                " a[0] = extern(f32, scale, a, b, 4); }",
                      said[] = "func f(a: f32[4], b: f32[4]) " PROTOTYPE " {"
                               " a[0] = extern(f32, scale, a, b, 4); }";
    irl_func   *f = irl_func_parse(cx, plain, IRL_TO_NUL, NULL),
               *g = irl_func_parse(cx, said, IRL_TO_NUL, NULL), *built;
    irl_mark    mark;
    const char *c, *at;
    built = declared_scale(cx, f, NULL);
    CHECK(g && built && irl_func_equal(g, built) && !irl_func_equal(f, g));
    CHECK(irl_func_extern_count(f) == 0 && irl_func_extern_count(g) == 1);
    CHECK(!irl_func_extern(f, 0) && !irl_func_extern(g, 1) && !irl_func_extern(g, -1));
    CHECK(irl_func_extern(built, 0) && strcmp(irl_func_extern(built, 0)->name, "scale") == 0);
    CHECK(irl_func_extern(built, 0)->count == 3 && !irl_func_extern(built, 0)->is_pure);
    built = declared_scale(cx, built, NULL);
    CHECK(built && irl_func_extern_count(built) == 1);
    c = irl_c_source(irl_func_lower(g, &irl_target_c99));
    at = c ? strstr(c, "extern float scale(const float *x, float *y, int64_t n);") : NULL;
    CHECK(at && !strstr(at + 1, "extern float"));
    CHECK_OK(cx);
    mark = irl_ctx_mark(cx);
    CHECK(!declared_scale(cx, g, irl_expr_index(cx, 1)));
    CHECK(irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_DUPLICATE_NAME);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_func_declare(g, NULL) && !irl_func_declare(NULL, irl_func_extern(g, 0)));
    irl_ctx_rewind(cx, mark);
}

/* ------------------------------------------------------------------ promises */

/* What the interpreter says of a call of add(memory, more, at) under a prototype's clause. */
static void promised(irl_ctx *cx, const char *clause, int more, int at, irl_code code)
{
    char      text[320];
    irl_mark  mark = irl_ctx_mark(cx);
    float     x[16] = { 0 }, y[16] = { 0 };
    irl_func *f;
    int       ok, k, wrong = 0;
    sprintf(text,
            "func f(x: f32[16], y: f32[16]) extern add(m: ptr(f32, global)%s, n: index, k: index): "
            "i32 { evaluate extern(i32, add, x, %d, %d); }",
            clause, more, at);
    f = irl_func_parse(cx, text, IRL_TO_NUL, "promised");
    ok = f && irl_func_interpret(f, IRL_ARGS(x, y));
    if (!CHECK(code == IRL_OK ? ok : !ok && irl_diag_of(cx)->code == code))
        printf("%s\n%s\n", text, irl_diag_text(cx));
    for (k = 0; ok && k < 16; k++) wrong += x[k] != (float)((k < more) + (k == at));
    CHECK(wrong == 0);
    irl_ctx_rewind(cx, mark);
}

static void test_promises(irl_ctx *cx)
{
    promised(cx, "", 16, 3, IRL_OK);
    promised(cx, " writes", 16, -1, IRL_OK);
    promised(cx, " writes(n)", 8, 7, IRL_OK);
    promised(cx, " reads(16) writes(n)", 8, -1, IRL_OK);
    promised(cx, " reads", 0, -1, IRL_OK);
    promised(cx, " writes(n - 4)", 4, -1, IRL_ERROR_BROKEN_PROTOTYPE);
    promised(cx, " writes(n)", 8, 8, IRL_ERROR_BROKEN_PROTOTYPE);
    promised(cx, " reads writes(n)", 8, 15, IRL_ERROR_BROKEN_PROTOTYPE);
    promised(cx, " reads", 1, -1, IRL_ERROR_BROKEN_PROTOTYPE);
    promised(cx, " reads(n)", 0, 0, IRL_ERROR_BROKEN_PROTOTYPE);
    promised(cx, " reads(17)", 0, -1, IRL_ERROR_OUT_OF_BOUNDS);
    promised(cx, " writes(n + 1)", 16, -1, IRL_ERROR_OUT_OF_BOUNDS);
    promised(cx, " writes(9223372036854775807)", 0, -1, IRL_ERROR_OUT_OF_BOUNDS);
    promised(cx, " reads(n / k)", 0, 0, IRL_ERROR_BAD_VALUE);
    promised(cx, " writes(k - n)", 0, -1, IRL_OK);
}

/* One memory for what is read and what is written: what may be written of either may be. */
static void test_same_memory(irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[16], y: f32[16]) extern copy(a: ptr(f32, global) reads(n), "
        "b: ptr(f32, global) writes(n), n: index): i32 {"
        " alloc t: f32[8]; for (i: 8) x[i] = f32(i); evaluate extern(i32, copy, x, x, 8);"
        " evaluate extern(i32, copy, x, t, 8); evaluate extern(i32, copy, t, y, 8); }";
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, "same");
    float     x[16] = { 0 }, y[16] = { 0 };
    int       k, wrong = 0;
    if (!CHECK(irl_func_interpret(f, IRL_ARGS(x, y)))) printf("%s\n", irl_diag_text(cx));
    for (k = 0; k < 16; k++) wrong += y[k] != (k < 8 ? (float)k : 0);
    CHECK(wrong == 0);
}

/* What loops carry where they call, with a prototype and without. */
static void test_carried(irl_ctx *cx)
{
    static const struct {
        irl_answer  answer;
        const char *loop;
    } cases[] = {
        { IRL_NO, "for (i: 16) y[i] = extern(f32, look, x, i);" },
        { IRL_NO, "for (i: 16) y[i] = extern(f32, root, x[i]);" },
        { IRL_UNKNOWN, "for (i: 16) y[i] = extern(f32, third, i);" },
        { IRL_UNKNOWN, "for (i: 16) y[i] = extern(f32, other, x);" },
        { IRL_UNKNOWN, "for (i: 16) y[i] = extern(f32, look, y, i);" },
        { IRL_NO, "for (i: 8) { let k = extern(f32, look, y, i); y[i + 8] = k; }" },
        { IRL_UNKNOWN, "for (i: 8) { let k = extern(f32, look, y, i); y[i + 7] = k; }" },
        { IRL_UNKNOWN, "for (i: 4) evaluate extern(i32, put, y, i);" },
        { IRL_YES, "for (i: 8) { y[0] = x[i]; x[i] = extern(f32, look, y, i); }" },
        { IRL_NO, "for (i: n) { alloc t: f32[8]; evaluate extern(i32, put, t, 8); y[i] = t[i]; }" },
        { IRL_NO, "for (i: 4) { let k = extern(f32, size, y, i); y[i + 4] = k; }" },
        { IRL_UNKNOWN, "for (i: 4) { let k = extern(f32, size, y, i); y[i + 3] = k; }" },
    };
    size_t k;
    for (k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char               text[512];
        const irl_meeting *m;
        sprintf(text,
                "func f(x: f32[16], y: f32[16], n: index)"
                " extern look(t: ptr(f32, global) reads(8), k: index): f32"
                " extern root(x: f32): f32 pure extern third(k: index): f32"
                " extern put(t: ptr(f32, global) writes(k), k: index): i32"
                " extern size(t: ptr(f32, global) reads(k + 1), k: index): f32 { assume(n <= 8); "
                "%s }",
                cases[k].loop);
        m = irl_func_carried(irl_func_parse(cx, text, IRL_TO_NUL, "carried"), 0);
        if (!CHECK(m && m->answer == cases[k].answer))
            printf("%s: %s\n%s\n", cases[k].loop, m ? m->text : "", irl_diag_text(cx));
    }
}

/* A function that is called as it is emitted cannot be emitted. */
static void test_own_name(irl_ctx *cx)
{
    static const char text[] = "func scale(a: f32[4], b: f32[4]) " PROTOTYPE
                               " { b[0] = extern(f32, scale, a, b, 4); }";
    irl_mark          mark = irl_ctx_mark(cx);
    irl_func         *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    CHECK(f && !*irl_c_source(irl_func_lower(f, &irl_target_c99)));
    CHECK(strstr(irl_diag_text(cx), "has the name of an emitted function"));
    irl_ctx_rewind(cx, mark);
}

/* Memory of each iteration, handed to a call: the call takes the pointer to where lowering puts it,
   unless its prototype wants another scope. */
static const char extern_own[] =
    "func f(x: f32[4], y: f32[4]) %s{ for (i: 4) { alloc s: f32[2]%s; "
    "evaluate extern(f32, fill, s, index(x[i])); y[i] = s[0] + s[1]; } }";

static void test_own_memory(irl_ctx *cx)
{
    static const char *const prototypes[] = { "", "extern fill(p: ptr(f32, local), v: index): f32 ",
                                              "extern fill(p: ptr(f32, global), v: index): f32 " };
    static const float x[4] = { 1, 2, 3, 4 };
    const irl_target  *targets[] = { &irl_target_opencl12, &irl_target_c99 };
    const irl_module  *m;
    const irl_mark     mark = irl_ctx_mark(cx);
    char               text[400];
    float              y[4];
    int                k, j;
    for (k = 0; k < 3; k++)
        for (j = 0; j < 2; j++) {
            sprintf(text, extern_own, prototypes[k], k == 1 ? " scope(local)" : "");
            m = irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, "own"), targets[j]);
            if (k == 2) {
                CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
                CHECK(strstr(irl_diag_text(cx), "a kernel allocates 's', which is in scope local, "
                                                "and 'p' of 'fill' is ptr(f32, global)"));
                irl_ctx_rewind(cx, mark);
                continue;
            }
            memset(y, 0, sizeof y);
            CHECK(m && irl_module_interpret(m, IRL_ARGS(x, y)));
            CHECK(y[0] == 2 && y[3] == 8);
            CHECK_OK(cx);
        }
}

/* A block may declare what a call touches by any name of the memory. */
static void test_declared_by_view(irl_ctx *cx)
{
    const irl_module *m = irl_func_lower(
        irl_func_parse(cx,
                       "func f(y: f32[4]) { decl w: f32[4] data(y); block b(v: 1 = 0) "
                       "reads(w[0: 4]) writes(w[0: 4]) { evaluate extern(f32, fill, w, 2); } }",
                       IRL_TO_NUL, "view"),
        &irl_target_opencl12);
    CHECK(m && !strstr(irl_module_text(m), "warning"));
    CHECK_OK(cx);
}

/* Whichever allocation fails: calls, and tensors that are checked, end with that diagnostic. */
static int ask_all(irl_ctx *cx, int which)
{
    extern_state state;
    extern_data  d;
    irl_func    *f = irl_func_parse(cx, extern_text, strlen(extern_text), "externs");
    irl_tensor   t[3];
    int          k;
    (void)which;
    extern_data_init(&d, &state);
    cx->call_extern = extern_answer; /* failing_each made the context */
    cx->call_extern_user = &state;
    for (k = 0; k < 3; k++)
        if (!irl_func_param_tensor(f, k, IRL_ARGS(&d.n, d.x, d.y), &t[k])) return 0;
    t[0].data = &d.n, t[1].data = d.x, t[2].data = d.y;
    return irl_func_interpret_tensors(f, 3, t) &&
           irl_module_interpret(irl_func_lower(f, &irl_target_c99), IRL_ARGS(&d.n, d.x, d.y));
}

int main(void)
{
    extern_state state;
    irl_ctx_desc     desc;
    irl_ctx     *cx;
    memset(&desc, 0, sizeof desc);
    desc.call_extern = extern_answer;
    desc.call_extern_user = &state;
    cx = irl_ctx_create(&desc);
    test_meaning(cx, &state);
    test_values(cx, &state);
    test_refused(cx);
    memset(&state, 0, sizeof state);
    test_walked(cx, &state);
    test_declared(cx);
    test_own_name(cx);
    test_promises(cx);
    test_same_memory(cx);
    test_carried(cx);
    test_own_memory(cx);
    test_declared_by_view(cx);
    irl_ctx_destroy(cx);
    failing_each(ask_all, 0, 0);
    failing_each(ask_all, 0, 1);
    return TEST_DONE();
}
