/* test_vectors.c - vectorized loops: what becomes of each, and that it computes the same, for every
   count from 1 to 40. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

enum { MOST = 256 };

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

static irl_func *vectorized(const irl_func *f)
{
    static const char *const passes[] = { "lower_textures", "flatten", "simplify", "vectorize" };
    irl_func                *g = irl_func_run_pass(f, "lower_blocks");
    size_t                   k;
    for (k = 0; k < sizeof passes / sizeof *passes; k++) g = irl_func_run_pass(g, passes[k]);
    return g;
}

/* f and g on the same arrays, bit for bit: x and y of f32, n of i32. */
static int same(const irl_func *f, const irl_func *g)
{
    float   x[MOST], y[MOST], expected[MOST];
    int32_t n[MOST];
    int     k;
    for (k = 0; k < MOST; k++) {
        x[k] = (float)((k * 37) % 101);
        y[k] = expected[k] = -1.0f;
        n[k] = (k * 5) % 64;
    }
    return f && g && irl_func_interpret(f, IRL_ARGS(x, expected, n)) &&
           irl_func_interpret(g, IRL_ARGS(x, y, n)) && memcmp(y, expected, sizeof y) == 0;
}

typedef struct form {
    const char *body;    /* of f(x: f32[256], y: f32[256], n: i32[256]) */
    const char *becomes; /* a part of the text after vectorize */
} form;

static const form forms[] = {
    { "for vectorized (j: 3) y[j] = x[j];", "y[ramp(0, 1, 3)] = x[ramp(0, 1, 3)];" },
    { "for vectorized (j: 16) y[j] = x[j] * 2.0f;", "x[ramp(0, 1, 16)] * broadcast(2.0f, 16)" },
    { "for vectorized (j: 5 .. 9) y[j] = x[j + 1];", "y[ramp(5, 1, 4)] = x[ramp(6, 1, 4)];" },
    /* other counts */
    { "for vectorized (j: 12) y[j] = x[j];",
      "for (j: 3)\n        y[ramp(j * 4, 1, 4)] = x[ramp(j * 4, 1, 4)];" },
    { "for vectorized (j: 64) y[j] = x[j];",
      "for (j: 4)\n        y[ramp(j * 16, 1, 16)] = x[ramp(j * 16, 1, 16)];" },
    { "for vectorized (j: 7) y[j] = x[j];",
      "y[ramp(0, 1, 4)] = x[ramp(0, 1, 4)];\n    y[ramp(4, 1, 3)] = x[ramp(4, 1, 3)];" },
    { "for vectorized (j: 17) y[j] = x[j];", "y[16] = x[16];" },
    /* what declares stands once */
    { "for vectorized (j: 7) { let v = x[j]; y[j] = v * v; }", "for (j: 7)" },
    { "for vectorized (j: 10) { let v = x[j]; y[j] = v * v; }", "let v = x[ramp(j * 2, 1, 2)];" },
    /* lets: of values they are vectors, of indices they are written out */
    { "for vectorized (j: 4) { let v = x[j]; y[j] = v * v; }", "let v = x[ramp(0, 1, 4)];" },
    { "for (i: 8) for vectorized (j: 4) { let k = i * 4 + j; y[k + 1] = x[k]; }",
      "y[ramp(i * 4 + 1, 1, 4)] = x[ramp(i * 4, 1, 4)];" },
    { "for vectorized (j: 4) y[j] = let(v = x[j] + 1.0f, v * v);",
      "= let(v = x[ramp(0, 1, 4)] + broadcast(1.0f, 4), v * v);" },
    { "for vectorized (j: 4) y[j] = let(v = x[3] + 1.0f, v * x[j]);",
      "= let(v = x[3] + 1.0f, broadcast(v, 4) * x[ramp(0, 1, 4)]);" },
    { "for (i: 8) for vectorized (j: 4) y[i * 4 + j] = let(k = i * 4 + j, x[k + 1]);",
      "= x[ramp(i * 4 + 1, 1, 4)];" },
    /* gathers: by what is loaded, by a stride, by runs */
    { "for vectorized (j: 4) { let k = n[j]; y[j] = x[k]; }", "y[ramp(0, 1, 4)] = x[indexx4(k)];" },
    { "for vectorized (j: 4) y[j] = x[j * 3];", "shuffle(x[0], x[3], x[6], x[9], [0, 1, 2, 3])" },
    { "for vectorized (j: 8) y[j] = x[j / 4 * 32 + j % 4];",
      "shuffle(x[ramp(0, 1, 4)], x[ramp(32, 1, 4)], [0, 1, 2, 3, 4, 5, 6, 7])" },
    /* memory of an iteration */
    { "for vectorized (j: 4) { alloc t: f32[2] scope(local); t[0] = x[j]; t[1] = t[0] + 1.0f; y[j] "
      "= t[1]; }",
      "alloc t: f32[8] scope(local);" },
    { "for vectorized (j: 8) { alloc t: f32[3] scope(local); for (k: 3) t[k] = x[j * 3 + k]; y[j] "
      "= t[0] + t[1] * t[2]; }",
      "t[ramp(k * 8, 1, 8)] = x[ramp(k, 3, 8)];" },
    /* another element for each */
    { "for vectorized (j: 4) { alloc t: f32[4] scope(local); t[j] = x[j]; y[j] = t[j]; }",
      "for (j: 4)" },
    { "for vectorized (j: 8) { alloc t: f32[1] scope(local); t[0] = x[j]; if (t[0] > 3.0f) y[j] = "
      "t[0]; }",
      "for (j: 8)" },
    /* what stays a serial loop */
    { "for vectorized (j: 8) y[j * 2] = x[j];", "for (j: 8)" },
    { "for vectorized (j: 8) if (j % 3 < 2) y[j] = x[j];", "for (j: 8)" },
    { "for (i: 2) for vectorized (j: i) y[j] = x[j];", "for (i: 2, j: i)" },
    /* single lanes, by number and by value */
    { "for (i: 4) for vectorized (j: 4) y[i * 4 + j] = x[i * 4 + 2] * x[i * 4 + j];",
      "broadcast(x[i * 4 + 2], 4) * x[ramp(i * 4, 1, 4)]" },
    { "let v = x[ramp(0, 1, 16)]; for (k: 16) y[k] = lane(v, 15 - k) + lane(v, 3);",
      "lane(v, 15 - k) + lane(v, 3)" },
    { "for (i: 2) for vectorized (c: 4) for (k: 3) y[i * 4 + c] = y[i * 4 + c] + x[k * 4 + c];",
      "for (i: 2, k: 3)" },
    /* lanes that differ compute both arms where both have values, and ask where they have not */
    { "for (i: 16) for vectorized (c: 8) y[i * 8 + c] = if_then_else(c <= i, x[i * 8 + c] * 2.0f, "
      "-1.0f);",
      "y[ramp(i * 8, 1, 8)] = select(" },
    { "for (i: 8) for vectorized (c: 4) y[i * 4 + c] = if_then_else(i * 36 + c * 2 < 256, "
      "x[i * 36 + c * 2], x[c]);",
      "if_then_else(" },
    { "for (i: 8) for vectorized (c: 4) y[i * 4 + c] = if_then_else(n[c] > i, x[n[c] / 2], x[c]);",
      "if_then_else(i < index(n[0]), x[index(n[0] / 2)]" },
    /* ... by one condition of several, where the others are the same for all, or by all of them */
    { "for (i: 16) for vectorized (c: 8) y[i * 8 + c] = i > 3 && c <= i && i < 9 && c + i != 8 "
      "? x[i * 8 + c] * 2.0f : -1.0f;",
      "if_then_else(i >= 4 && i < 9, select(" },
    { "for (i: 16) for vectorized (c: 8) "
      "y[i * 8 + c] = select(c <= i && i > 3, x[i * 8 + c], 0.5f);",
      "if_then_else(i >= 4, select(" },
    { "for (i: 16) for vectorized (c: 8) y[i * 8 + c] = c <= i || i > 9 && c > 2 ? x[c] : 0.5f;",
      " | broadcast(i >= 10, 8) & " },
    /* ... of which one may have no value without another */
    { "for (i: 16) for vectorized (c: 8) y[i * 8 + c] = c <= i && (i > 3 && 64 / i > 7 || c > 6) ? "
      "x[c] : 0.5f;",
      "(broadcast(i >= 4 && 64 / i >= 8, 8) | " },
    { "for (i: 16) for vectorized (c: 8) y[i * 8 + c] = c > i - 40 && i > 0 && 64 / i + c > 9 ? "
      "x[c] : 0.5f;",
      "if_then_else(i >= 1, select(" },
    /* ... an arm that is not taken may load this iteration's cell, and none that others store */
    { "for parallel (i: 16) for vectorized (c: 8) y[i * 8 + c] = c % 3 == 0 || i < 2 ? x[c] : "
      "y[i * 8 + c] + 1.0f;",
      "select(" },
    { "for parallel (i: 3) for vectorized (c: 8) y[i * 8 + c] = c % 3 == 0 || i < 2 ? x[c] : "
      "y[i * 8 + c] + 1.0f;",
      "shuffle(x[0], if_then_else(i < 2, x[1], y[17] + 1.0f)" },
    /* what a lane has for itself it keeps where a condition does not hold */
    { "for (i: 8) for vectorized (c: 4) { alloc t: f32[1] scope(local); alloc a: i32[1] "
      "scope(local); t[0] = x[c]; a[0] = 0; for (k: 5) if (x[k * 16 + c] > t[0]) { t[0] = "
      "x[k * 16 + c]; a[0] = i32(k); } y[i * 4 + c] = f32(a[0]) + t[0]; }",
      "let holds = x[ramp(k * 16, 1, 4)] > t[ramp(0, 1, 4)];" },
    /* ... or know which arm they take */
    { "for (i: 8) for vectorized (c: 4) y[i * 4 + c] = if_then_else(c < 2, x[i * 4 + c], 5.0f);",
      "shuffle(x[ramp(i * 4, 1, 2)], 5.0f, 5.0f" },
};

static void test_forms(void)
{
    size_t k;
    for (k = 0; k < sizeof forms / sizeof *forms; k++) {
        char      text[512];
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        snprintf(text, sizeof text, "func f(x: f32[256], y: f32[256], n: i32[256]) { %s }",
                 forms[k].body);
        f = parse(cx, text);
        g = f ? vectorized(f) : NULL;
        if (!CHECK(g && strstr(irl_func_text(g), forms[k].becomes) && same(f, g)))
            printf("%s\n  wanted: %s\n%s%s", forms[k].body, forms[k].becomes,
                   g && irl_func_text(g)[0] ? irl_func_text(g) : "", irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* Every count, from every start: the numbers of the serial loop. */
/* Choices that differ between lanes, inside of loops of work-items. An arm that is not taken must
   not load a cell that another work-item stores: the interpreter refuses that. */
static void test_choices(void)
{
    static const char *const around[] = { "for parallel (i: 3)", "for bind(global.x) (i: 3)",
                                          "for bind(group.x) (i: 3)" },
        *const stores[] = { "y[i * 8 + c] = %s ? %s : %s;", "y[i * 8 + c] = select(%s, %s, %s);",
                            "{ let v = %s ? %s : %s; y[i * 8 + c] = v + 1.0f; }",
                            "{ alloc t: f32[3] scope(local); t[0] = 1.0f; t[1] = x[c]; t[2] = 0.0f;"
                            " if (%s) { t[i %% 2] = %s; t[2] = t[0] + t[1]; } else t[2] = %s;"
                            " y[i * 8 + c] = t[0] - t[1] * t[2]; }",
                            "{ alloc t: f32[4] scope(local); t[3] = 2.0f; for (k: 3) t[k] = x[k];"
                            " for (k: 3) if (t[3] + x[k + c] > 2.5f && (%s)) { t[3] = %s; t[k] = "
                            "t[3] - %s; } y[i * 8 + c] = t[0] + t[2] - t[3]; }" },
        *const conditions[] = { "c % 3 == 0 || i < 2", "c > 2 && i == 1", "c <= i", "n[c] > 9",
                                "i > 0 && n[c] > 9 && c != 5", "i > 1 || c < n[i]" },
        *const arms[] = { "x[i * 8 + c]", "y[i * 8 + c]", "x[c] - y[i * 8 + c]", "y[16 + c]",
                          "y[8 + i * c]", "0.5f" };
    enum { AROUND = 3, STORES = 5, CONDITIONS = 6, ARMS = 6 };
    int compared = 0, kept = 0;
    for (int k = 0; k < AROUND * STORES * CONDITIONS * ARMS * ARMS; k++) {
        char     store[256], text[512];
        int      at = k / ARMS / ARMS;
        irl_ctx *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        snprintf(store, sizeof store, stores[at / CONDITIONS % STORES], conditions[at % CONDITIONS],
                 arms[k % ARMS], arms[k / ARMS % ARMS]);
        snprintf(text, sizeof text, "func f(x: f32[256], y: f32[256], n: i32[256]) {\n%s for "
                 "vectorized (c: 8) %s }", around[at / CONDITIONS / STORES], store);
        f = parse(cx, text);
        CHECK_OK(cx);
        if (same(f, f)) { /* it has no race itself */
            compared++;
            g = vectorized(f);
            kept += g && strstr(irl_func_text(g), "select(holds") != NULL;
            if (!CHECK(same(f, g)))
                printf("%s\n%s%s", text, g ? irl_func_text(g) : "", irl_diag_text(cx));
        }
        irl_ctx_destroy(cx);
    }
    printf("%d choices compared, %d of them stores under a condition of lanes\n", compared, kept);
    CHECK(compared > 500 && kept > 100);
}

static void test_counts(void)
{
    static const char *const bodies[] = {
        "y[j + 3] = x[j] + 1.0f;",
        "{ let v = x[j]; y[j] = v * v; }",
        "{ alloc t: f32[1] scope(local); t[0] = x[2 * j]; y[j] = t[0] - 1.0f; }",
        "y[j] = if_then_else(j < 6, x[j + 1], f32(n[j]));",
    };
    size_t b;
    int    count, start;
    for (b = 0; b < sizeof bodies / sizeof *bodies; b++)
        for (count = 1; count <= 40; count++)
            for (start = 0; start < 3; start++) {
                char      text[512];
                irl_ctx  *cx = irl_ctx_create(NULL);
                irl_func *f, *g;
                snprintf(text, sizeof text,
                         "func f(x: f32[256], y: f32[256], n: i32[256]) { for vectorized (j: %d .. "
                         "+ %d) %s }",
                         start, count, bodies[b]);
                f = parse(cx, text);
                g = f ? vectorized(f) : NULL;
                if (!CHECK(same(f, g)))
                    printf("%s\n%s%s", text, g && irl_func_text(g)[0] ? irl_func_text(g) : "",
                           irl_diag_text(cx));
                irl_ctx_destroy(cx);
            }
}

/* ------------------------------------------------------------- the channel loop of a texture */

/* Nobody wrote `vectorized`: the loop over the lanes of a texel, and over whole channels, reads and
   writes texels. */
static const form textures[] = {
    { "(x: f32[8, 8, 4] scope(texture), y: f32[8, 8, 4]) { for (a: 8, b: 8, c: 4) y[a, b, c] = "
      "x[a, b, c]; }",
      "y_f32x4[a * 8 + b] = intrinsic(f32x4, texture2d_load, x, b, a);" },
    { "(x: f32[8, 8, 4], y: f32[8, 8, 4] scope(texture)) { for (a: 8, b: 8, c: 4) y[a, b, c] = "
      "x[a, b, c]; }",
      "texture2d_store, y, b, a, x_f32x4[a * 8 + b]" },
    { "(x: f32[8, 32], y: f32[8, 8, 4] scope(texture)) { for (b: 8, c: 32) y[c / 4, b, c % 4] = "
      "x[b, c]; }",
      "texture2d_store, y, b, c_texel, x_f32x4[b * 8 + c_texel]" },
    { "(x: f32[8, 8, 4] scope(texture), y: f32[8, 32]) { for (b: 8, c: 32) y[b, c] = x[c / 4, b, c "
      "% 4]; }",
      "y_f32x4[b * 8 + c_o] = intrinsic(f32x4, texture2d_load, x, b, c_o);" },
};

static void test_textures(void)
{
    size_t k;
    for (k = 0; k < sizeof textures / sizeof *textures; k++) {
        char        text[512];
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f;
        irl_module *m;
        float       x[MOST], y[MOST], expected[MOST];
        int         j;
        snprintf(text, sizeof text, "func f%s", textures[k].body);
        for (j = 0; j < MOST; j++) x[j] = (float)j;
        f = parse(cx, text);
        m = f ? irl_func_lower(f, &irl_target_opencl12) : NULL;
        if (!CHECK(m && strstr(irl_module_text(m), textures[k].becomes) &&
                   irl_func_interpret(f, IRL_ARGS(x, expected)) &&
                   irl_module_interpret(m, IRL_ARGS(x, y)) && memcmp(y, expected, sizeof y) == 0))
            printf("%s\n  wanted: %s\n%s%s", text, textures[k].becomes,
                   m && irl_ok(cx) ? irl_module_text(m) : "", irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ forms that targets have */

/* The body of a kernel of f(x: f32[64], y: f32[64], z: f32x4[16], n: index), as parsed and after
   legalize_lanes; NULL: it is legal as it is. */
typedef struct legal_form {
    const char *body, *bad, *becomes;
} legal_form;

static const legal_form legal_forms[] = {
    { "z[0] = x[ramp(n, 1, 4)] * 2.0f;", NULL, NULL },
    { "z[0] = shuffle(z[1], [3, 2, 1, 0]);", NULL, NULL },
    { "z[0] = shuffle(x[ramp(n, 1, 2)], x[0], x[1], [0, 1, 2, 3]);", NULL, NULL },
    { "let v = z[0]; x[0] = lane(v, n) + lane(z[1], 3);", NULL, NULL },
    /* a computed number: of a variable, in the arm that it is in */
    { "x[0] = lane(z[1], n);", "lane(z[1], n)", "x[0] = let(part = z[1], lane(part, n));" },
    { "x[0] = if_then_else(n < 4, lane(z[n], n), 0.0f);", "lane(z[n], n)",
      "x[0] = if_then_else(n < 4, let(part = z[n], lane(part, n)), 0.0f);" },
    /* a ramp that is a value: its lanes; an index stays a run */
    { "let v = ramp(n, 2, 4); x[0] = f32(lane(v, n));", "ramp(n, 2, 4)",
      "let v = broadcast(n, 4) + shuffle(0, 2, 4, 6, [0, 1, 2, 3]);" },
    /* beside a number: what differs from lane to lane is one vector for all iterations */
    { "for (k: 8) z[k] = select(ramp(k, 1, 4) < broadcast(7, 4), z[k], z[k + 8]);",
      "ramp(k, 1, 4)",
      "select(shuffle(0, 1, 2, 3, [0, 1, 2, 3]) < broadcast(7 - k, 4), z[k], z[k + 8]);" },
    /* lanes of several vectors: runs of each, whose value has one name wherever it stands */
    { "z[0] = shuffle(z[1], z[2], [0, 1, 4, 5]);", "shuffle(z[1], z[2], [0, 1, 4, 5])",
      "z[0] = shuffle(shuffle(z[1], [0, 1]), shuffle(z[2], [0, 1]), [0, 1, 2, 3]);" },
    { "z[0] = z[1] + shuffle(z[1], z[2], [0, 4, 1, 5]);", "shuffle(z[1], z[2], [0, 4, 1, 5])",
      "z[0] = let(part = z[1], let(part_1 = z[2], part + shuffle(lane(part, 0), lane(part_1, 0), "
      "lane(part, 1), lane(part_1, 1), [0, 1, 2, 3])));" },
    { "z[0] = shuffle(shuffle(z[1], [3, 2, 1, 0]), z[2], [3, 2, 1, 0]);",
      "shuffle(shuffle(z[1], [3, 2, 1, 0]), z[2], [3, 2, 1, 0])", "z[0] = z[1];" },
    { "z[0] = broadcast(x[ramp(n, 1, 2)], 2);", "broadcast(x[ramp(n, 1, 2)], 2)",
      "z[0] = shuffle(x[ramp(n, 1, 2)], [0, 1, 0, 1]);" },
};

static void test_legal_forms(void)
{
    size_t k;
    for (k = 0; k < sizeof legal_forms / sizeof *legal_forms; k++) {
        const legal_form *row = &legal_forms[k];
        irl_ctx          *cx = irl_ctx_create(NULL);
        char              text[600], wanted[200];
        const irl_module *m, *legal;
        const char       *params = "x: f32[64], y: f32[64], z: f32x4[16], n: index";
        snprintf(text, sizeof text,
                 "module m target(opencl12) { host func m(%s) { launch f(x, y, z, n); } kernel "
                 "func f(%s) { %s } }", params, params, row->body);
        m = irl_module_parse(cx, text, strlen(text), "test");
        legal = irl_module_run_pass(m, "legalize_lanes");
        CHECK_OK(cx);
        CHECK(legal && irl_module_check(legal, NULL));
        CHECK_OK(cx);
        if (row->becomes && !CHECK(strstr(irl_module_text(legal), row->becomes) != NULL))
            printf("    wanted %s\n%s", row->becomes, irl_module_text(legal));
        if (!row->bad) CHECK(strcmp(irl_module_text(legal), irl_module_text(m)) == 0);
        if (row->bad) { /* the verifier says so */
            CHECK(!irl_module_check(m, NULL));
            snprintf(wanted, sizeof wanted, "has no form for %s;", row->bad);
            if (!CHECK(strstr(irl_diag_text(cx), wanted) != NULL))
                printf("    wanted %s\n%s", wanted, irl_diag_text(cx));
        }
        irl_ctx_destroy(cx);
    }
}

int main(void)
{
    test_forms();
    test_legal_forms();
    test_choices();
    test_counts();
    test_textures();
    return TEST_DONE();
}
