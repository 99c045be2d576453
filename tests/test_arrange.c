/* test_arrange.c - which loops run in parallel, and how they are arranged for memory: what an index
   determines, against enumeration; the shape of tiles, groups and choices, by hand. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/pass/pass.h"
#include "../src/map/map.h"
#endif
#include "as_written.h"
#include "test.h"

/* ------------------------------------------------------------------ what an index determines */

enum { VARS = 3, PLACES = 1 << 20, MOST = 64 };

typedef struct box {
    int64_t min[VARS], extent[VARS];
} box;

/* Three variables, each in a range: from 0 in three of four, else from one of `minima` numbers,
   `least` on. */
static box box_invent(irl_ctx *cx, int extents, int minima, int least, const irl_expr **vars,
                      irl__given *ranges)
{
    box b;
    int k;
    for (k = 0; k < VARS; k++) {
        char name[2] = { "ijk"[k], 0 };
        b.extent[k] = TEST_RANDOM(extents);
        b.min[k] = TEST_RANDOM(4) ? 0 : TEST_RANDOM(minima) + least;
        vars[k] = ranges[k].var = irl_expr_var(cx, name, irl_type_of(IRL_INDEX, 1));
        ranges[k].value = irl_expr_index(cx, b.min[k]);
        ranges[k].extent = irl_expr_index(cx, b.extent[k]);
    }
    return b;
}

/* Do all points of the box with the same value of e agree in variable `which`? */
static int determines(const irl_expr *e, const irl_expr *const *vars, const box *b, int which)
{
    /* round * MOST + the variable's value: what another round left is not seen */
    static int64_t seen[PLACES], round = 0;
    int64_t        at[VARS], value, mark;
    round++;
    for (at[0] = b->min[0]; at[0] < b->min[0] + b->extent[0]; at[0]++)
        for (at[1] = b->min[1]; at[1] < b->min[1] + b->extent[1]; at[1]++)
            for (at[2] = b->min[2]; at[2] < b->min[2] + b->extent[2]; at[2]++) {
                if (irl__value_at(e, VARS, vars, at, &value) != IRL__FOLD_OK) return 0;
                value += PLACES / 2;
                if (value < 0 || value >= PLACES) return -1; /* not looked at */
                mark = round * MOST + MOST / 2 + at[which];
                if (seen[value] / MOST == round && seen[value] != mark) return 0;
                seen[value] = mark;
            }
    return 1;
}

static int text_of_sum(char *text, size_t room, const box *b)
{
    static const char names[] = "ijk";
    int               length = 0, k, scale = 1, order = TEST_RANDOM(VARS);
    for (k = 0; k < VARS; k++) {
        int  v = (k + order) % VARS, form = TEST_RANDOM(8), c = 1 + TEST_RANDOM(5), used = scale;
        char name = names[v];
        if (TEST_RANDOM(6) == 0) continue;
        if (TEST_RANDOM(5) == 0) used += 1 + TEST_RANDOM(3);
        if (TEST_RANDOM(9) == 0) used = used > 1 ? used - 1 : 1;
        length += snprintf(text + length, room - (size_t)length, "%s",
                           length ? TEST_RANDOM(4) ? " + " : " - " : "");
        if (form == 0)
            length += snprintf(text + length, room - (size_t)length,
                               "(%c / %d * %d + %c %% %d) * %d", name, c, c, name, c, used);
        else if (form == 1)
            length +=
                snprintf(text + length, room - (size_t)length, "%c %% %d * %d", name, c, used);
        else if (form == 2)
            length +=
                snprintf(text + length, room - (size_t)length, "(%c + %d) * %d", name, c, used);
        else length += snprintf(text + length, room - (size_t)length, "%c * %d", name, used);
        scale = (int)(used * b->extent[v]);
    }
    return length;
}

/* True is never wrong, and often said. */
static void sums(int count)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      n, k, said = 0, could = 0;
    for (n = 0; n < count; n++) {
        irl_mark           mark = irl_ctx_mark(cx);
        const irl_expr    *vars[VARS], *e;
        irl__given         ranges[VARS];
        box                b = box_invent(cx, 7, 5, 0, vars, ranges);
        char               text[256];
        if (!text_of_sum(text, sizeof text, &b)) continue;
        e = irl_expr_parse(cx, text, VARS, vars);
        if (!CHECK(e != NULL)) printf("%s\n%s", text, irl_diag_text(cx));
        for (k = 0; e && k < VARS; k++) {
            int is_so = determines(e, vars, &b, k),
                is_said = irl__recovers(cx, e, vars[k], VARS, ranges);
            if (is_so < 0 || !irl__expr_uses_var(e, vars[k])) continue;
            said += is_said;
            could += is_so && b.extent[k] > 0;
            if (!CHECK(!is_said || is_so))
                printf("%s determines %s? extents %d %d %d\n", text, vars[k]->u.name,
                       (int)b.extent[0], (int)b.extent[1], (int)b.extent[2]);
        }
        irl_ctx_rewind(cx, mark);
    }
    printf("%d of %d variables found that an index determines\n", said, could);
    CHECK(said * 2 > could);
    irl_ctx_destroy(cx);
}

/* An index of any kind over i, j, k. */
static int text_of_index(char *text, size_t room)
{
    static const char *const forms[] = { "%c ^ %d",        "(%c + %d) %% 6",  "(5 - %c) / %d",
                                         "(6 - %c) %% %d", "-%c + %d",        "%c * %d %% 7",
                                         "max(%c, %d)",    "min(9 - %c, %d)", "%c & %d",
                                         "%c | %d",        "%c / %d",         "%c %% %d",
                                         "%c * %d",        "%c + %d" };
    int length = 0, terms = 1 + TEST_RANDOM(2), k;
    for (k = 0; k < terms; k++) {
        if (k)
            length +=
                snprintf(text + length, room - (size_t)length, " + %d * ", 1 + TEST_RANDOM(12));
        length += snprintf(text + length, room - (size_t)length, "(");
        length += snprintf(text + length, room - (size_t)length,
                           forms[TEST_RANDOM((int)(sizeof forms / sizeof forms[0]))],
                           "ijk"[TEST_RANDOM(VARS)], 1 + TEST_RANDOM(5));
        length += snprintf(text + length, room - (size_t)length, ")");
    }
    return length;
}

/* Two indices together, against enumeration: true is never wrong. What is injective on the box of
   the variables used is found. */
static void together(int count)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int      n, k, said = 0, could = 0;
    for (n = 0; n < count; n++) {
        irl_mark           mark = irl_ctx_mark(cx);
        const irl_expr    *vars[VARS], *at[2], *both;
        irl__given         ranges[VARS];
        box                b = box_invent(cx, 6, 7, -2, vars, ranges);
        char               text[2][256], sum[600];
        for (k = 0; k < 2; k++) {
            text_of_index(text[k], sizeof text[k]);
            at[k] = irl_expr_parse(cx, text[k], VARS, vars);
        }
        /* an index lies within 512 of 0 */
        snprintf(sum, sizeof sum, "(%s) * 1024 + (%s)", text[0], text[1]);
        both = irl_expr_parse(cx, sum, VARS, vars);
        if (!CHECK(at[0] && at[1] && both)) printf("%s\n%s", sum, irl_diag_text(cx));
        for (k = 0; both && k < VARS; k++) {
            int is_so = determines(both, vars, &b, k),
                is_said = irl__recovers_together(cx, 2, at, vars[k], VARS, ranges);
            if (is_so < 0 || !irl__expr_uses_var(both, vars[k]) ||
                b.extent[0] * b.extent[1] * b.extent[2] == 0)
                continue;
            said += is_said;
            could += is_so;
            if (!CHECK(!is_said || is_so))
                printf("[%s, %s] determine %s?\n", text[0], text[1], vars[k]->u.name);
        }
        CHECK_OK(cx);
        irl_ctx_rewind(cx, mark);
    }
    printf("%d of %d variables found that two indices determine\n", said, could);
    CHECK(said * 4 > could);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ by hand */

typedef struct row {
    const char *params, *body;
    const char *shows; /* in the module's text */
    const char *hides; /* not in it; NULL: nothing */
} row;

#define NCHW4C " layout(y: (h, w, c) -> (c / 4, h, w, c % 4))"

static const row rows[] = {
    /* sums of multiples */
    { "y: f32[3584], x: f32[56, 64]", "for (i: 56, j: 64) y[i * 64 + j] = x[i, j];",
      "for bind(global.y) (i: 56)", "for (" },
    { "y: f32[3584], x: f32[56, 64]",
      "for (i: 56, j: 64) y[(j / 4 * 56 + i) * 4 + j % 4] = x[i, j];",
      "for bind(global.x) (j: 64)", "for (" },
    { "n: index, y: f32[n * 64], x: f32[64]", "for (i: n, j: 64) y[i * 64 + j] = x[j];",
      "for bind(global.y) (i: n)", NULL },
    { "n: index, y: f32[7 * n], x: f32[7]", "for (i: 7, j: n) y[i * n + j] = x[i];",
      "for bind(global.y) (i: 7)", NULL },
    { "n: index, y: f32[5 * 6 * n], x: f32[6]",
      "for (i: 5, j: 6, k: n) y[(i * 6 + j) * n + k] = x[j];", "for bind(global.z) (i: 5)", NULL },
    { "y: f32[64], x: f32[64]", "for (i: 8, j: 8) y[63 - i * 8 - j] = x[i * 8 + j];",
      "for bind(global.x)", "serial" },
    /* what only a verdict sees: quotients and remainders of what runs backwards, bits, a rotation,
       all indices together */
    { "y: f32[16], x: f32[16]", "for (i: 16) y[-i + 15] = x[i];", "for bind(global.x) (i: 16)",
      NULL },
    { "y: f32[4, 4], x: f32[16]", "for (i: 16) y[(15 - i) / 4, (15 - i) % 4] = x[i];",
      "for bind(global.x)", NULL },
    { "y: f32[16], x: f32[16]", "for (i: 16) y[i ^ 5] = x[i];", "for bind(global.x) (i: 16)",
      NULL },
    { "y: f32[16], x: f32[16]", "for (i: 16) y[(i + 5) % 16] = x[i];", "for bind(global.x) (i: 16)",
      NULL },
    { "y: f32[7, 8], x: f32[7, 8]", "for (i: 7, j: 8) y[(i + j) % 7, j] = x[i, j];",
      "for bind(global.y) (i: 7)", NULL },
    { "y: f32[20], x: f32[16]", "for (i: 4 .. 20) y[19 - i % 16] = x[i - 4];",
      "for bind(global.x) (i: 16)", NULL },
    { "y: f32[16], x: f32[16]", "for (i: 16) y[i ^ 5] = y[i ^ 5] + x[i];",
      "for bind(global.x) (i: 16)", NULL },
    /* refused: two iterations at one cell, another cell read, an index that a condition guards */
    { "y: f32[16], x: f32[16]", "for (i: 16) y[i * 4 % 16] = x[i];", "for (i: 16)", "bind" },
    { "y: f32[16], x: f32[16]", "for (i: 16) y[i & 14] = x[i];", "for (i: 16)", "bind" },
    { "y: f32[16], x: f32[16]", "for (i: 16) y[i ^ 5] = y[i ^ 4] + x[i];", "for (i: 16)", "bind" },
    { "y: f32[25], x: f32[16]", "for (i: 16) if (i != 3) y[12 / (i - 3) + 12] = x[i];",
      "for (i: 16)", "bind" },
    { "y: f32[16], x: f32[16]",
      "for (i: 4) if (x[i] > 1000.0) y[i * 4611686018427387904 * (i - 3)] = x[i];", "for (i: 4)",
      "bind" },
    { "n: index, y: f32[16], x: f32[16]", "for (i: 16) y[(i + n) % 16] = x[i];",
      "for bind(global.x) (i: 16)", NULL },
    /* refused: digits that overlap, another variable, a let */
    { "y: f32[64], x: f32[64]", "for (i: 8, j: 9) y[min(i * 8 + j, 63)] = 1.0;", "for (i: 8, j: 9)",
      "bind" },
    { "y: f32[80], x: f32[64]", "for (i: 8, j: 9) y[i * 8 + j] = 1.0;",
      "for parallel (j: 9)", "bind" }, /* within one i they are apart */
    { "n: index, y: f32[9 * n], x: f32[64]", "for (i: 8, j: n + 1) y[i * n + j] = 1.0;",
      "for (i: 8", "bind" },
    { "y: f32[64], x: i32[64]",
      "for (i: 8, j: 8) { let v = index(x[j]) % 8; y[i * 8 + (v + 8) % 8] = 1.0; }", "let v",
      "bind(global.x) (j" },
    /* strides: rows that lie apart, in either order, and rows that run into one another */
    { "x: f32[8, 8], y: f32[8, 8] strides(9, 1)", "for (i: 8, j: 8) y[i, j] = x[i, j];",
      "for bind(global.y) (i: 8)", NULL },
    { "x: f32[8, 8], y: f32[8, 8] strides(1, 8)", "for (i: 8, j: 8) y[i, j] = x[i, j];",
      "for bind(global.x)", "for (" },
    { "n: index, x: f32[8], y: f32[8, n] strides(n, 1)", "for (i: 8, j: n) y[i, j] = x[i];",
      "for bind(global.y) (i: 8)", NULL },
    { "x: f32[8, 8], y: f32[15]",
      "decl v: f32[8, 8] data(y) strides(1, 1); for (i: 8, j: 8) v[i, j] = x[i, j];",
      "for parallel (j: 8)", "bind" },
    { "x: f32[8, 8], y: f32[8]",
      "decl v: f32[8, 8] data(y) strides(0, 1); for (i: 8, j: 8) v[i, j] = x[i, j];",
      "for parallel (j: 8)", "bind" },
    { "x: f32[4, 2], y: f32[8]",
      "decl v: f32[4, 4] data(y) strides(1, 1); for (i: 4, j: 2) v[i, j * 3] = x[i, j];",
      "for parallel (j: 2)", "bind" },
    { "n: index, x: f32[8, 8], y: f32[8 * n]",
      "decl v: f32[8, 8] data(y) strides(n, 1); for (i: 8, j: 8) v[i, j] = x[i, j];",
      "for bind(global.y) (i: 8)", NULL }, /* n >= 8, or the view is larger than its memory */
    /* a transposing nest: a pair of lines is written by each item, the reads along x, groups of
       both */
    { "x: f32[56, 56, 64], y: f32[56, 56, 64]",
      "for (h: 56, w: 56, c: 64) y[h, w, c] = x[h, w, c];", "for unrolled (h_w_i: 8)", NULL },
    { "x: f32[56, 56, 64], y: f32[56, 56, 64]",
      "for (h: 56, w: 56, c: 64) y[h, w, c] = x[h, w, c];",
      "for bind(global.x) (c_o: 16) note(group = 16)", NULL },
    { "x: f32[56, 56, 64], y: f32[56, 56, 64]",
      "for (h: 56, w: 56, c: 64) y[h, w, c] = x[h, w, c];",
      "for bind(global.y) (h_w_o: 392) note(group = 392)", NULL },
    { "x: f32[56, 56, 64], y: f32[56, 56, 64]",
      "for (c: 64, h: 56, w: 56) y[h, w, c] = x[h, w, c];",
      "for bind(global.x) (c_o: 16) note(group = 16)", NULL },
    { "x: f32[7, 7, 2048], y: f32[7, 7, 2048]",
      "for (h: 7, w: 7, c: 2048) y[h, w, c] = x[h, w, c];", "for unrolled (h_w_i: 7)", NULL },
    { "x: f32[53, 1, 2048], y: f32[53, 1, 2048]",
      "for (h: 53, w: 1, c: 2048) y[h, w, c] = x[h, w, c];", "bind(global.x)", "unrolled" },
    { "x: f32[4, 4, 64], y: f32[4, 4, 64]", "for (h: 4, w: 4, c: 64) y[h, w, c] = x[h, w, c];",
      "bind(global.x)", "unrolled" },
};

/* Where work-items are loops a tile is twice as long. */
static void arranged_serial(void)
{
    static const char text[] = "func f(x: f32[56, 56, 64], y: f32[56, 56, 64])" NCHW4C
                               " { for (h: 56, w: 56, c: 64) y[h, w, c] = x[h, w, c]; }";
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_module *m = irl_func_lower(irl_func_parse(cx, text, strlen(text), "arranged"),
                                   &irl_target_c99);
    CHECK(m && strstr(irl_module_text(m), "for unrolled (h_w_i: 16)"));
    irl_ctx_destroy(cx);
}

static void arranged(const row *r)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    char        text[1024];
    const char *shown;
    irl_func   *f;
    irl_module *m;
    int is_packed = strstr(r->params, "x: f32[56, 56") || strstr(r->params, "2048") ||
                    strstr(r->params, "f32[4, 4, 64]");
    snprintf(text, sizeof text, "func f(%s)%s {\n    %s\n}\n", r->params, is_packed ? NCHW4C : "",
             r->body);
    f = irl_func_parse(cx, text, strlen(text), "arranged");
    /* without registers nothing but parallel() is done */
    m = irl_func_lower(f, is_packed ? &irl_target_opencl12 : &irl_target_scalar);
    shown = m ? irl_module_text(m) : "";
    if (!CHECK(m && strstr(shown, r->shows) && !(r->hides && strstr(shown, r->hides))))
        printf("%s%s\n%s", text, shown, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------ numbers, and what the launch is told */

/* Lowered and interpreted, which reports races, and compared with the function as it is. */
static void same(const char *text, int count, int64_t n)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, text, strlen(text), "same");
    irl_module *m = irl_func_lower(f, &irl_target_scalar);
    float *x = (float *)malloc((size_t)count * sizeof *x),
          *y = (float *)malloc((size_t)count * sizeof *y),
          *z = (float *)malloc((size_t)count * sizeof *z);
    int         k;
    for (k = 0; k < count; k++) x[k] = (float)(k % 1021), y[k] = z[k] = -1;
    if (n)
        CHECK(irl_func_interpret(f, IRL_ARGS(&n, x, y)) &&
              irl_module_interpret(m, IRL_ARGS(&n, x, z)));
    else CHECK(irl_func_interpret(f, IRL_ARGS(x, y)) && irl_module_interpret(m, IRL_ARGS(x, z)));
    if (!CHECK(memcmp(y, z, (size_t)count * sizeof *y) == 0)) printf("%s", text);
    if (!irl_ok(cx)) printf("%s\n%s", text, irl_diag_text(cx));
    free(x);
    free(y);
    free(z);
    irl_ctx_destroy(cx);
}

/* A view whose strides may let its rows overlap or cross, written by a nest: the last one to write
   a cell stays the last. */
static void strided(int count)
{
    int n, parallel = 0;
    for (n = 0; n < count; n++) {
        int         extent[3], stride[3], k, cells = 0;
        char        text[512];
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_module *m;
        for (k = 0; k < 3; k++) {
            extent[k] = 1 + TEST_RANDOM(5);
            stride[k] = TEST_RANDOM(4) ? TEST_RANDOM(9) : TEST_RANDOM(40);
            cells += (extent[k] - 1) * stride[k];
        }
        snprintf(text, sizeof text,
                 "func f(x: f32[512], y: f32[512]) {\n    decl v: f32[%d, %d, %d] data(y) "
                 "strides(%d, %d, %d) offset(%d);\n"
                 "    for (i: %d, j: %d, k: %d) v[i, j, k] = x[(i * 5 + j) * 5 + k];\n}\n",
                 extent[0], extent[1], extent[2], stride[0], stride[1], stride[2],
                 TEST_RANDOM(512 - cells), extent[0], extent[1], extent[2]);
        m = irl_func_lower(irl_func_parse(cx, text, strlen(text), "strided"), &irl_target_scalar);
        parallel += CHECK(m) && strstr(irl_module_text(m), "bind(") != NULL;
        irl_ctx_destroy(cx);
        same(text, 512, 0);
    }
    printf("%d of %d nests over strides have a parallel loop\n", parallel, count);
    CHECK(parallel * 4 > count);
    CHECK(parallel < count);
}

static void proposed(const irl_target *target, int64_t x, int64_t y, int fixed)
{
    static const char text[] = "func f(x: f32[3136, 16], y: f32[16, 3136]) { "
                               "for parallel (q: 392) note(group = 392) "
                               "for parallel (c: 16) note(group = 16) for unrolled (t: 8) "
                               "y[c, q * 8 + t] = x[q * 8 + t, c]; }";
    irl_ctx               *cx = irl_ctx_create(NULL);
    const irl_ocl_program *p =
        irl_ocl_emit(lower_as_written(irl_func_parse(cx, text, strlen(text), NULL), target));
    size_t                 global[3], local[3];
    CHECK(p && p->kernel_count == 1 &&
          irl_ocl_kernel_sizes(cx, &p->kernels[0], NULL, global, local));
    if (p)
        CHECK(global[0] == 16 && global[1] == 392 && (int64_t)local[0] == x &&
              (int64_t)local[1] == y && local[2] == 1);
    if (p)
        CHECK(p->kernels[0].local_is_fixed == fixed &&
              !strstr(p->source, "reqd_work_group_size") == !fixed);
    irl_ctx_destroy(cx);
}

/* A choice that a tile shares is made once. */
static void unswitched(void)
{
    static const char text[] = "func f(x: f32[56, 56, 63], y: f32[56, 56, 63]) layout(y: (h, w, c) "
                               "-> (c / 4, h, w, c % 4), pad(0.0))"
                               " { for (h: 56, w: 56, c: 63) y[h, w, c] = x[h, w, c]; }";
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, text, strlen(text), NULL);
    const char *source = irl_ocl_source(irl_func_lower(f, &irl_target_opencl12));
    CHECK(source && strstr(source, "if (c_outer < 15u) {") && strstr(source, "vload3(") &&
          !strstr(source, "?"));
    irl_ctx_destroy(cx);
}

static const irl_func *unswitch(irl_ctx *cx, const char *text)
{
    return irl_func_run_pass(irl_func_parse(cx, text, IRL_TO_NUL, NULL), "unswitch");
}

/* Parts of a choice leave loops that they do not name; what needs another part in front stays. */
static void unswitched_parts(void)
{
    static const char *const cases[][2] = {
        { "func f(n: index, y: i32[4, 8]) { for (q: 4) for unrolled (t: 8) "
          "y[q, t] = n > 1 && t > 2 ? 1 : 2; }",
          "func f(n: index, y: i32[4, 8]) { if (n > 1) for (q: 4) for unrolled (t: 8) "
          "y[q, t] = t > 2 ? 1 : 2; else for (q: 4) for unrolled (t: 8) y[q, t] = 2; }" },
        { "func f(n: index, y: i32[4, 8]) { for (q: 4) for unrolled (t: 8) "
          "y[q, t] = t > 2 && n > 1 && q > 2 ? 1 : 2; }",
          "func f(n: index, y: i32[4, 8]) { if (n > 1) for (q: 4) if (q > 2) for unrolled (t: 8) "
          "y[q, t] = t > 2 ? 1 : 2; else for unrolled (t: 8) y[q, t] = 2; "
          "else for (q: 4) for unrolled (t: 8) y[q, t] = 2; }" },
        { "func f(n: index, y: i32[4, 8]) { for (q: 4) for unrolled (t: 8) "
          "y[q, t] = t > 2 && 8 / n > 1 ? 1 : 2; }", NULL },
        { "func f(n: index, y: i32[4, 8]) { for (q: n) for unrolled (t: 8) "
          "y[q, t] = t > 2 && 3 > n ? 1 : 2; }",
          "func f(n: index, y: i32[4, 8]) { for (q: n) if (3 > n) for unrolled (t: 8) "
          "y[q, t] = t > 2 ? 1 : 2; else for unrolled (t: 8) y[q, t] = 2; }" },
        { "func f(n: index, y: i32[4, 8]) { for parallel (q: 4) for unrolled (t: 8) "
          "y[q, t] = t > 2 && 3 > n ? 1 : 2; }",
          "func f(n: index, y: i32[4, 8]) { for parallel (q: 4) if (3 > n) for unrolled (t: 8) "
          "y[q, t] = t > 2 ? 1 : 2; else for unrolled (t: 8) y[q, t] = 2; }" },
        { "func f(n: index, y: i32[4, 8]) { for (q: 4) for unrolled (t: 8) "
          "y[q, t] = y[0, 0] > 3 && t > 2 ? 1 : 2; }", NULL },
        /* a sum that what stands in front of it keeps within 64 bits, as far as is known */
        { "func f(n: index, y: i32[4, 8]) { for (q: 4) for unrolled (t: 8) "
          "y[q, t] = t > n && 1 + n > 1 ? 1 : 2; }", NULL },
        { "func f(n: index, y: i32[4, 8]) { for (q: n) for unrolled (t: n) "
          "y[q, t] = n - 9 > 1 ? 1 : 2; }", NULL },
        { "func f(n: index, y: i32[4, n]) { for (q: 4) for unrolled (t: n) "
          "y[q, t] = t > 2 && n - 9 > 1 ? 1 : 2; }",
          "func f(n: index, y: i32[4, n]) { if (n - 9 > 1) for (q: 4) for unrolled (t: n) "
          "y[q, t] = t > 2 ? 1 : 2; else for (q: 4) for unrolled (t: n) y[q, t] = 2; }" },
        { "func f(n: index, y: i32[4, 8]) { for (q: 4) for unrolled (t: 8) "
          "y[q, t] = n < 5 && t > 2 && n > 0 && 1 + n > 1 && 1 - n < q ? 1 : 2; }",
          "func f(n: index, y: i32[4, 8]) { if (n < 5 && n > 0 && 1 + n > 1) for (q: 4) "
          "if (1 - n < q) for unrolled (t: 8) y[q, t] = t > 2 ? 1 : 2; "
          "else for unrolled (t: 8) y[q, t] = 2; "
          "else for (q: 4) for unrolled (t: 8) y[q, t] = 2; }" },
        { "func f(n: index, y: i32[4, 8]) { assume(n < 5); if (n > -5) for parallel (q: 4) "
          "for unrolled (t: 8) y[q, t] = t > 2 && q + n > 1 ? 1 : 2; }",
          "func f(n: index, y: i32[4, 8]) { assume(n < 5); if (n > -5) for parallel (q: 4) "
          "if (q + n > 1) for unrolled (t: 8) y[q, t] = t > 2 ? 1 : 2; "
          "else for unrolled (t: 8) y[q, t] = 2; }" },
    };
    size_t k;
    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *f = unswitch(cx, cases[k][0]);
        const irl_func *wanted =
            irl_func_parse(cx, cases[k][cases[k][1] != NULL], IRL_TO_NUL, NULL);
        if (!CHECK(f && wanted && irl_func_equal(f, wanted)))
            printf("%s\n%s%s", irl_diag_text(cx), irl_func_text(f), irl_func_text(wanted));
        irl_ctx_destroy(cx);
    }
}

/* A choice over four loops, two of them a tile, of parts drawn over them. */
static void draw_choice(char *at)
{
    static const char *const names[] = { "r", "q", "t", "u", "n" };
    static const char *const forms[] = { "%s + %s > 3", "%s < %s", "%s != %s", "2 * %s - %s <= 2",
                                         "%s - %s == 1" };
    const int                parts = 1 + TEST_RANDOM(3);
    int                      k;
    at += sprintf(at, "func f(n: index, y: i32[3, 4, 2, 8]) { for (r: 3, q: 4) for unrolled (t: 2) "
                      "for unrolled (u: 8) y[r, q, t, u] = ");
    if (TEST_RANDOM(2)) /* what keeps the sums behind it within 64 bits */
        at += sprintf(at, "%s + 5 > n && -2 - %s < n && ", names[TEST_RANDOM(4)],
                      names[TEST_RANDOM(4)]);
    for (k = 0; k < parts; k++) {
        const char *a = names[TEST_RANDOM(5)], *b = names[TEST_RANDOM(5)];
        if (k) at += sprintf(at, " && ");
        if (TEST_RANDOM(4) == 0) at += sprintf(at, "%s != %s && 7 / (%s - %s) > 1", a, b, a, b);
        else if (TEST_RANDOM(6) == 0) at += sprintf(at, "(%s > 1 || %s < 2)", a, b);
        else at += sprintf(at, forms[TEST_RANDOM(5)], a, b);
    }
    sprintf(at, " ? y[r, q, t, u] + i32(r * 8 + t) : -1; }");
}

/* Of that text, with that n: 1, whether it has a value; *changed: whether the pass does something,
   after which it has the same. */
static int unswitched_as(const char *text, int64_t n, int *changed)
{
    static int32_t  y[2][3 * 4 * 2 * 8];
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL), *g = unswitch(cx, text);
    int             j, defined;
    for (j = 0; j < 3 * 4 * 2 * 8; j++) y[0][j] = y[1][j] = j;
    *changed = CHECK(f && g) && !irl_func_equal(f, g);
    defined = irl_func_interpret(f, IRL_ARGS(&n, y[0]));
    if (defined && !CHECK(irl_func_interpret(g, IRL_ARGS(&n, y[1])) &&
                          memcmp(y[0], y[1], sizeof y[0]) == 0))
        printf("%s\n%s\n%s\n", irl_diag_text(cx), text, irl_func_text(g));
    irl_ctx_destroy(cx);
    return defined;
}

static void unswitched_drawn(int count)
{
    char text[512];
    int  k, is_changed, changed = 0, at_end = 0;
    for (k = 0; k < count; k++) {
        draw_choice(text);
        unswitched_as(text, TEST_RANDOM(5), &is_changed);
        changed += is_changed;
        at_end += unswitched_as(text, INT64_MAX - TEST_RANDOM(2), &is_changed);
        at_end += unswitched_as(text, INT64_MIN + TEST_RANDOM(2), &is_changed);
    }
    CHECK(changed > count / 3);
    CHECK(at_end > count / 3);
}

/* Choices in the other arms of choices, each of which leaves a part inside: the text grows with
   their number and not with its power. */
static void unswitched_deep(void)
{
    size_t size[2];
    int    k, depth;
    for (k = 0; k < 2; k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        char     text[4096] = "func f(n: index, y: i32[4, 8]) { ";
        for (depth = 0; depth < 6 * (k + 1); depth++)
            sprintf(text + strlen(text), "for (q%d: 4) if (q%d > %d && n > %d) for unrolled (t: 8) "
                    "y[q%d, t] = %d; else ", depth, depth, depth % 3, depth, depth, depth);
        strcat(text, "for unrolled (t: 8) y[0, t] = -1; }");
        size[k] = strlen(irl_func_text(unswitch(cx, text)));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
    CHECK(size[1] < 4 * size[0]);
}

int main(void)
{
    size_t k;
    sums(TEST_COUNT(5000));
    together(TEST_COUNT(5000));
    for (k = 0; k < sizeof rows / sizeof *rows; k++) arranged(&rows[k]);
    arranged_serial();
    proposed(&irl_target_opencl12, 16, 14, 0);
    proposed(&irl_target_opencl12_embedded, 16, 4, 0);
    unswitched();
    unswitched_parts();
    unswitched_drawn(TEST_COUNT(1000));
    unswitched_deep();
    strided(TEST_COUNT(400));
    same("func f(x: f32[32, 32, 16], y: f32[32, 32, 16])" NCHW4C
         " { for (h: 32, w: 32, c: 16) y[h, w, c] = x[h, w, c] + 1.0; }",
         16384, 0);
    same("func f(x: f32[7, 7, 512], y: f32[7, 7, 512])" NCHW4C
         " { for (c: 512, w: 7, h: 7) y[h, w, c] = x[h, w, c] * 2.0; }",
         25088, 0);
    same("func f(x: f32[32, 32, 14], y: f32[32, 32, 14]) layout(y: (h, w, c) -> (c / 4, h, w, c % "
         "4), pad(0.0))"
         " { for (h: 32, w: 32, c: 14) y[h, w, c] = x[h, w, c] + 1.0; }",
         14336, 0);
    same("func f(x: f32[56, 64], y: f32[3584]) { for (i: 56, j: 64) y[(j / 4 * 56 + i) * 4 + j % "
         "4] = x[i, j]; }",
         3584, 0);
    same("func f(x: f32[16], y: f32[16]) { for (i: 16) y[(15 - i) ^ 6] = x[i]; }", 16, 0);
    same("func f(x: f32[7, 8], y: f32[7, 8]) { for (i: 7, j: 8) y[(i + j) % 7, 7 - j] = x[i, j]; }",
         56, 0);
    same("func f(n: index, x: f32[6], y: f32[30 * n]) { for (i: 5, j: 6, k: n) y[(i * 6 + j) * n + "
         "k] = x[j] + f32(k); }",
         210, 7);
    return TEST_DONE();
}
