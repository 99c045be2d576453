/* test_views.c - views of memory: what the verifier takes for one, what each target makes of them, and that all of it computes
   the same: written by hand, and generated. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

enum { BYTES = 384, MOST_TEXT = 2048 };

static irl_func *parse(irl_ctx *cx, const char *text) { return irl_parse_func(cx, text, strlen(text), "test"); }

/* ------------------------------------------------------------------ running on every target */

static void fill(unsigned char *x, unsigned seed)
{
    int k;
    for (k = 0; k < BYTES; k++) x[k] = (unsigned char)((unsigned)k * 37u + seed) & 0x3f; /* no NaN in any float */
}

/* The module for a target, checked by all of check_target, computes what f does. IRL_OK, or the code of the refusal. */
static irl_code run_on(irl_ctx *cx, const irl_func *f, const char *target, int *same, const char **text)
{
    static unsigned char x[BYTES], y[BYTES], given_x[BYTES], given_y[BYTES];
    irl_lowering         how;
    const irl_module    *m;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    m = irl_lower_with(f, irl_target_find(target), &how);
    *text = m ? irl_module_text(m) : "";
    *same = 0;
    if (!m) return irl_diagnostic(cx) ? irl_diagnostic(cx)->code : IRL_OK;
    fill(x, 1), fill(y, 2);
    fill(given_x, 1), fill(given_y, 2);
    *same = irl_interpret(f, IRL_ARGS(given_x, given_y)) && irl_interpret_module(m, IRL_ARGS(x, y)) && memcmp(x, given_x, BYTES) == 0 && memcmp(y, given_y, BYTES) == 0;
    return IRL_OK;
}

/* ------------------------------------------------------------------ by hand */

typedef struct program {
    const char *text;   /* of f(x, y), both of 384 bytes */
    const char *strict; /* a part of the module for a target of one access type */
    int         needs_lanes; /* a number is taken apart into others: `scalar` refuses */
} program;

static const program programs[] = {
    /* all accesses are runs of 4 at multiples of 4 */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; }", "y_f32x4[i] = x_f32x4[i];", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 23) y[ramp(i * 4 + 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; }", "y_f32x4[i + 1] = x_f32x4[i];", 0 },
    /* 4 and 2: the greatest common unit */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; for (i: 24) y[ramp(i * 4 + 2, 1, 2)] = x[ramp(i * 4, 1, 2)]; }",
      "y_f32x4[i] = x_f32x4[i];", 0 }, /* two kernels */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) { y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; y[ramp(i * 4 + 2, 1, 2)] = x[ramp(i * 4, 1, 2)]; } }",
      "y_f32x2[i * 2 + 1] = x_f32x4[i]", -1 },
    /* runs of 8 and 16 at multiples of 4; a run that is not at a multiple of anything */
    { "func f(x: f32[96], y: f32[96]) { for (i: 11) y[ramp(i * 4 + 4, 1, 8)] = x[ramp(i * 4, 1, 8)]; for (i: 5) y[ramp(i * 16 + 4, 1, 16)] = x[ramp(i * 16 + 8, 1, 16)]; }",
      "x_f32x4[i + 1]", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 90) y[ramp(i, 1, 4)] = x[ramp(i + 1, 1, 4)]; }", "shuffle(x[i + 1], x[i + 2], x[i + 3], x[i + 4]", -1 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 32) y[ramp(i * 3, 1, 3)] = x[ramp(i * 3, 1, 3)]; }", "y_f32x3[i] = x_f32x3[i];", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 19) y[ramp(i * 5, 1, 5)] = x[ramp(i * 5, 1, 5)]; }", "x[i * 5 + 4]", 0 },
    /* a scalar read out of a vector: where nothing writes that memory, at a known lane */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] * broadcast(x[i * 4 + 2], 4); }", "lane(x_f32x4[i], 2)", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] * broadcast(x[5], 4); }", "lane(x_f32x4[1], 1)", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] * broadcast(x[i], 4); }", "x[i * 4 + 3]", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 23) { y[ramp(i * 4 + 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; x[ramp(i * 4 + 4, 1, 4)] = broadcast(x[i * 4 + 1], 4); } }",
      "x[i * 4 + 1]", 0 },
    { "func f(x: f32[96], y: f32[96]) { alloc t: f32[16] scope(local); for (i: 4) t[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)];"
      " for (i: 4) y[i] = t[i * 4] + t[i * 4 + 3]; }",
      "x_f32x4[i]", 0 },
    /* declared views: of vectors, of scalars, of other scalars of that size */
    { "func f(x: f32[96], y: f32x4[24]) { decl v: f32x4[24] data(x); for (i: 24) y[i] = v[i]; }", "y[i] = v[i];", 0 },
    { "func f(x: f32[96], y: f32x4[24]) { decl v: f32x4[24] data(x); for (i: 24) { y[i] = v[i]; x[i] = 0.0f; } }", "v_f32[i * 4 + 3]", 0 },
    { "func f(x: f32x4[24], y: f32[96]) { decl v: f32[96] data(x); for (i: 96) y[i] = v[i]; }", "y[i] = v[i];", 0 },
    { "func f(x: f32x4[24], y: f32[96]) { decl v: f32[96] data(x); for (i: 96) v[i] = y[95 - i]; for (i: 24) x[i] = x[23 - i]; }", "v[i] = y[95 - i];", 0 },
    { "func f(x: f32x4[24], y: f32[96]) { decl v: f32[96] data(x); for (i: 24) { x[i] = x[23 - i]; v[i] = y[i]; } }", "x_f32[i * 4 + 3]", 0 },
    { "func f(x: i32[96], y: f32[96]) { decl v: f32[96] data(x); for (i: 96) { y[i] = v[i]; x[i] = x[i] + 1; } }", "y[i] = as(f32, v_i32[i]);", 0 },
    { "func f(x: f32x8[12], y: f32[96]) { for (i: 12) y[ramp(i * 8, 1, 8)] = x[i]; }", "y_f32x8[i] = x[i];", 0 },
    { "func f(x: f32x4[24], y: f32x4[24]) { for (i: 6) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; }", "y_f32x16[i] = x_f32x16[i];", 0 },
    { "func f(x: f32x4[24], y: f32x2[48]) { for (i: 5) y[ramp(i, 3, 8)] = x[ramp(i, 5, 4)]; }", "y[i + 21] = ", 0 },
    { "func f(x: f32x32[3], y: f32x32[3]) { for (i: 3) y[i] = x[i]; }", "x_f32x16[i * 2 + 1]", 0 },
    { "func f(x: f32x6[16], y: f32[96]) { for (i: 16) y[ramp(i * 6, 1, 6)] = x[15 - i]; }", "x_f32x2", -1 },
    /* scalars of other sizes: the bits */
    { "func f(x: u32[96], y: u8[384]) { decl v: u8[384] data(x); for (i: 384) y[i] = v[383 - i]; }", "y[i] = v[383 - i];", 0 },
    { "func f(x: u32[96], y: u8[384]) { decl v: u32[96] data(y); for (i: 96) { v[i] = x[95 - i]; } for (i: 96) y[i] = y[i + 96]; }", "v[i] = x[95 - i];", 0 },
    { "func f(x: u32[96], y: u8[384]) { decl v: u32[96] data(y); for (i: 96) { v[i] = x[95 - i]; y[i] = y[i + 7]; } }", "lane(as(u8x4, value), 3)", 1 },
    { "func f(x: u32[96], y: u8[384]) { decl v: u8x4[96] data(x); for (i: 96) y[ramp(i * 4, 1, 4)] = v[i] + as(u8x4, x[0]); }", "y_u8x4[i] = v[i] + as(u8x4, as(u32, x_u8x4[0]));", 1 },
    { "func f(x: u16[192], y: u64[48]) { decl v: u64[48] data(x); for (i: 48) { y[i] = v[i]; x[i * 4 + 1] = u16(7); } }", "as(u64, shuffle(v_u16[i * 4], ", 1 },
    { "func f(x: f16[192], y: f32[96]) { for (i: 48) y[i] = f32(x[i * 4]) + f32(x[i * 4 + 1]); for (i: 48) x[ramp(i * 4, 1, 4)] = f16x4(broadcast(y[i], 4)); }",
      "x_f16x4[i] = broadcast(f16(y[i]), 4);", 0 },
};

static const char *const targets[] = { "opencl12", "strict", "scalar" };

static void test_programs(void)
{
    size_t k, t;
    for (k = 0; k < sizeof programs / sizeof *programs; k++)
        for (t = 0; t < sizeof targets / sizeof *targets; t++) {
            irl_ctx        *cx = irl_ctx_create(NULL);
            const irl_func *f = parse(cx, programs[k].text);
            const char     *text = "";
            int             same = 0, refuses = programs[k].needs_lanes == 1 && t == 2, ok;
            irl_code        code = f ? run_on(cx, f, targets[t], &same, &text) : irl_diagnostic(cx)->code;
            ok = refuses ? code == IRL_ERROR_UNSUPPORTED : code == IRL_OK && same;
            if (t == 1 && programs[k].needs_lanes != -1) ok = ok && strstr(text, programs[k].strict) != NULL;
            if (!CHECK(ok)) printf("%s, target %s; wanted %s\n%s%s", programs[k].text, targets[t], programs[k].strict, text, irl_diag_text(cx));
            irl_ctx_destroy(cx);
        }
}

/* ------------------------------------------------------------------ what is a view */

static void refuses(const char *text, irl_code code, int line, const char *part)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = parse(cx, text);
    const irl_diag *d;
    CHECK(!f || !irl_lower(f, &irl_target_opencl12));
    CHECK_CODE(cx, code);
    d = irl_diagnostic(cx);
    if (!CHECK(d && d->line == line && strstr(d->message, part))) printf("  wanted: line %d, %s\n%s\n", line, part, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

static void accepts(const char *text)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(parse(cx, text) != NULL); /* and verified */
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* The rules of irl_buffer_alias, each on both of its sides. */
static void test_rules(void)
{
    /* size */
    refuses("func f(x: f32[30]) {\n decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }", IRL_ERROR_BAD_ALIAS, 2, "takes 128 bytes and its memory, 'x', has 120");
    accepts("func f(x: f32[30]) { decl v: f32x4[7] data(x); v[0] = broadcast(0.0f, 4); }");
    /* alignment: unstated it is enough for all */
    accepts("func f(x: f32[32]) { decl v: f32x16[2] data(x); v[1] = broadcast(0.0f, 16); }");
    accepts("func f(x: f64[32]) { decl v: f64x16[2] data(x); v[1] = broadcast(f64(0), 16); }");
    refuses("func f(x: f32[32] align(8)) {\n decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }", IRL_ERROR_BAD_ALIAS, 2,
            "of f32x4, at multiples of 16 bytes, and its memory, 'x', starts at one of 8");
    accepts("func f(x: f32[32] align(16)) { decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }");
    accepts("func f(x: f32[32] align(8)) { decl v: f32x2[16] data(x); v[0] = broadcast(0.0f, 2); }");
    accepts("func f(x: f32[32] align(8)) { decl v: f32x3[10] data(x); v[0] = broadcast(0.0f, 3); }"); /* three lanes lie at any scalar */
    accepts("func f(x: f32x4[8] align(8)) { decl v: f32x4[8] data(x); v[0] = broadcast(0.0f, 4); }"); /* its own elements say more */
    refuses("func f(x: f32[32] align(16)) {\n decl v: f32[32] align(32) data(x); v[0] = 0.0f; }", IRL_ERROR_BAD_ALIAS, 2, "at multiples of 32 bytes");
    /* memory behind a call's pointer: what that points to, or what its first view states */
    refuses("func f() {\n let p = extern(ptr(f32, global), g);\n decl v: f32x4[8] data(p); v[0] = broadcast(0.0f, 4); }", IRL_ERROR_BAD_ALIAS, 3, "starts at one of 4");
    accepts("func f() { let p = extern(ptr(f32, global), g); decl v: f32x4[8] align(16) data(p); v[0] = broadcast(0.0f, 4); }");
    accepts("func f() { let p = extern(ptr(f32x4, global), g); decl v: f32x4[8] data(p); v[0] = broadcast(0.0f, 4); }");
    /* scope, separators, declaration */
    refuses("func f(x: f32[32]) {\n decl v: f32[32] scope(shared) data(x); v[0] = 0.0f; }", IRL_ERROR_TYPE_MISMATCH, 2, "scope");
    refuses("func f(x: f32[4, 8]) {\n decl v: f32[4, 8] sep(1) data(x); v[0, 0] = 0.0f; }", IRL_ERROR_BAD_SEPARATORS, 2, "separators");
    refuses("func f(x: f32[32]) {\n v[0] = 0.0f; decl v: f32[32] data(x); }", IRL_ERROR_UNKNOWN_NAME, 2, "'v'");
}

/* Stated alignment bounds what a target makes of it. */
static void test_bounded(void)
{
    static const char text[] = "func f(x: f32[96] align(8), y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    const char       *module = "";
    int               same = 0;
    CHECK(run_on(cx, parse(cx, text), "strict", &same, &module) == IRL_OK && same && strstr(module, "decl x_f32x2: f32x2[48] data(x)") && strstr(module, "y_f32x4[i]"));
    irl_ctx_destroy(cx);
}

int main(void)
{
    test_rules();
    test_bounded();
    test_programs();
    return TEST_DONE();
}
