/* test_regions.c - what a block, a nest or a function reads and writes, of what kind the axes of
   blocks are, and whether blocks do what they declare: cases by hand; the recorded programs of
   ../shared/oracle/schedule_cases.json, without which that part is skipped. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#endif
#include "json.h"
#include "test.h"

/* ------------------------------------------------------------------ by hand */

static char found[8192];

static void put(const char *format, const char *text)
{
    size_t n = strlen(found);
    if (n + strlen(text) + strlen(format) < sizeof found) sprintf(found + n, format, text);
}

static void put_part(const irl_part *p)
{
    static const char *const kinds[] = { "func", "nest", "complete", "reduction", "opaque" };
    static const char *const axes[] = { "spatial", "reduce", "opaque" };
    int                      k;
    put("%s ", kinds[p->kind]);
    put("%s:", p->name);
    for (k = 0; k < p->box_count; k++) {
        put(p->boxes[k].is_write ? " writes %s" : " reads %s", p->boxes[k].text);
        put("%s", p->boxes[k].is_exact ? "" : "?");
    }
    for (k = 0; k < p->axis_count; k++) {
        put(" %s", p->axes[k].name);
        put(" %s", axes[p->axes[k].kind]);
    }
    for (k = 0; k < p->escape_count; k++) put(" (%s)", p->escapes[k].text);
    put("%s", "\n");
}

static void expect(const char *func, const char *expected)
{
    irl_ctx              *cx = irl_ctx_create(NULL);
    irl_func             *f = irl_func_parse(cx, func, IRL_TO_NUL, NULL);
    const irl_part_table *t = irl_func_regions(f);
    int                   k;
    found[0] = '\0';
    for (k = 0; t && k < t->count; k++) put_part(&t->list[k]);
    if (!CHECK(strcmp(found, expected) == 0))
        printf("%s\nfound:\n%sexpected:\n%s", func, found, expected);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void check_boxes(void)
{
    expect("func f(x: f32[32], y: f32[4, 8]) { for (i: 4) for (j: 8) y[i, j] = x[i * 8 + j]; }",
           "func f: reads x[0: 32] writes y[0: 4, 0: 8]\n"
           "nest i: reads x[0: 32] writes y[0: 4, 0: 8]\n"
           "nest j: reads x[i * 8: 8] writes y[i, 0: 8]\n");
    /* names; what may be empty is empty in the box too */
    expect("func f(n: index, m: index, y: f32[n, m]) { for (i: n) for (j: m) y[i, j] = 0.0; }",
           "func f: writes y[0: n, 0: m]\nnest i: writes y[0: n, 0: m]\n"
           "nest j: writes y[i, 0: m]\n");
    expect("func f(n: index, m: index, y: f32[n]) { for (i: n) for (j: m) y[i] = 0.0; }",
           "func f: writes y[0: n]?\nnest i: writes y[0: n]?\nnest j: writes y[i]?\n");
    /* strides leave gaps; digits do not; backwards */
    expect("func f(y: f32[64]) { for (i: 8) y[i * 8] = 0.0; }",
           "func f: writes y[0: 57]?\nnest i: writes y[0: 57]?\n");
    expect("func f(y: f32[64]) { for (i: 8) for (j: 9) y[63 - i * 6 - j] = 0.0; }",
           "func f: writes y[13: 51]\nnest i: writes y[13: 51]\n"
           "nest j: writes y[55 - i * 6: 9]\n");
    /* a triangle; one whose edge varies with what stands in the index too */
    expect("func f(y: f32[8]) { for (i: 4) for (j: i + 1) y[j] = 0.0; }",
           "func f: writes y[0: 4]\nnest i: writes y[0: 4]\nnest j: writes y[0: i + 1]\n");
    expect("func f(y: f32[8]) { for (i: 4) for (j: i + 1) for (k: min(j, 3)) y[k + i] = 0.0; }",
           "func f: writes y[0: 6]?\nnest i: writes y[0: 6]?\nnest j: writes y[i: i]\n"
           "nest k: writes y[i: j]\n");
    /* conditions on one variable; on two */
    expect("func f(n: index, y: f32[64]) { for (i: 64) if (i >= 3 && 2 * i < n) y[i] = 0.0; }",
           "func f: writes y[3: min(63, (n - 1) / 2) - 3 + 1]\n"
           "nest i: writes y[3: min(63, (n - 1) / 2) - 3 + 1]\n");
    expect("func f(y: f32[8, 8]) { for (i: 8) for (j: 8) if (i + j < 8) y[i, j] = 0.0; }",
           "func f: writes y[0: 8, 0: 8]?\nnest i: writes y[0: 8, 0: 8]?\n"
           "nest j: writes y[i, 0: 8 - i]\n");
    /* quotients, remainders */
    expect("func f(y: f32[4, 4]) { for (i: 16) y[i / 4, i % 4] = 0.0; }",
           "func f: writes y[0: 4, 0: 4]?\nnest i: writes y[0: 4, 0: 4]?\n");
    expect("func f(y: f32[9]) { for (i: 6) for (j: 3) y[(i + 5) / 3 + j] = 0.0; }",
           "func f: writes y[1: 5]\nnest i: writes y[1: 5]\nnest j: writes y[(i + 5) / 3: 3]\n");
    /* several accesses of one buffer */
    expect("func f(x: f32[10], y: f32[8]) { for (i: 8) y[i] = x[i] + x[i + 2] + x[i + 1]; }",
           "func f: reads x[0: 10] writes y[0: 8]\nnest i: reads x[0: 10] writes y[0: 8]\n");
    expect("func f(x: f32[10], y: f32[8]) { for (i: 8) for (j: 1) y[i] = x[i] + x[i + 2]; }",
           "func f: reads x[0: 10] writes y[0: 8]\nnest i: reads x[0: 10] writes y[0: 8]\n"
           "nest j: reads x[i: 3]? writes y[i]\n");
    /* what memory holds: as it stands, if it stays; else anything */
    expect("func f(k: i32[8], y: f32[8]) { for (i: 8) for (j: 4) y[index(k[i])] = 0.0; }",
           "func f: reads k[0: 8] writes y[0: 8]?\nnest i: reads k[0: 8] writes y[0: 8]?\n"
           "nest j: reads k[i] writes y[index(k[i])]\n");
    /* memory of an iteration's own; matched buffers; vectors */
    expect("func f(x: f32[8], y: f32[8]) { for (i: 8) { alloc t: f32[1]; t[0] = x[i]; y[i] = t[0]; "
           "} }",
           "func f: reads x[0: 8] writes y[0: 8]\nnest i: reads x[0: 8] writes y[0: 8]\n");
    expect("func f(y: f32[64]) { for (i: 4) y[ramp(i * 16, 2, 8)] = broadcast(1.0, 8); }",
           "func f: writes y[0: 63]?\nnest i: writes y[0: 63]?\n");
    expect("func f(y: f32[64]) { for (i: 8) y[ramp(i * 8, 1, 8)] = broadcast(1.0, 8); }",
           "func f: writes y[0: 64]\nnest i: writes y[0: 64]\n");
}

static void check_kinds(void)
{
    /* a matrix product; its regions in terms of the axes */
    expect("func f(a: f32[8, 32], b: f32[32, 8], c: f32[8, 8]) { for (i: 8, j: 8, k: 8) block mm("
           "vi: spatial(8) = i, vj: spatial(8) = j, vk: reduce(8) = k) { init c[vi, vj] = 0.0; "
           "for (t: 4) c[vi, vj] = c[vi, vj] + a[vi, vk * 4 + t] * b[vk * 4 + t, vj]; } }",
           "func f: reads c[0: 8, 0: 8] reads a[0: 8, 0: 32] reads b[0: 32, 0: 8] writes c[0: 8, "
           "0: 8]\nnest i: reads c[0: 8, 0: 8] reads a[0: 8, 0: 32] reads b[0: 32, 0: 8] writes "
           "c[0: 8, 0: 8]\nnest j: reads c[i, 0: 8] reads a[i, 0: 32] reads b[0: 32, 0: 8] writes "
           "c[i, 0: 8]\nnest k: reads c[i, j] reads a[i, 0: 32] reads b[0: 32, j] writes c[i, "
           "j]\nreduction mm: reads c[vi, vj] reads a[vi, vk * 4: 4] reads b[vk * 4: 4, vj] writes "
           "c[vi, vj] vi spatial vj spatial vk reduce\nnest t: reads c[vi, vj] reads a[vi, vk * 4: "
           "4] reads b[vk * 4: 4, vj] writes c[vi, vj]\n");
    /* a sum from one instance to the next */
    expect("func f(x: f32[8], y: f32[9]) { for (i: 8) block s(v: reduce(8) = i) { y[v + 1] = y[v] "
           "+ x[v]; } }",
           "func f: reads y[0: 8] reads x[0: 8] writes y[1: 8]\nnest i: reads y[0: 8] reads x[0: "
           "8] writes y[1: 8]\nopaque s: reads y[v] reads x[v] writes y[v + 1] v opaque\n");
    /* recomputing a halo in memory of the loop's own; an update that is done twice */
    expect("func f(x: f32[18], y: f32[16]) { for (o: 4) { alloc t: f32[6]; for (i: 6) block h(v: "
           "spatial(18) = o * 4 + i) { t[v - o * 4] = x[v]; } for (i: 4) y[o * 4 + i] = t[i] + "
           "t[i + 2]; } }",
           "func f: reads x[0: 18] writes y[0: 16]\nnest o: reads x[0: 18] writes y[0: 16]\n"
           "nest i: reads x[o * 4: 6] writes t[0: 6]\n"
           "complete h: reads x[v] writes t[v - o * 4] v spatial\n"
           "nest i: reads t[0: 6] writes y[o * 4: 4]\n");
    expect("func f(y: f32[8]) { for (i: 8) for (r: 2) block h(v: spatial(8) = i) { y[v] = y[v] + "
           "1.0; } }",
           "func f: reads y[0: 8] writes y[0: 8]\nnest i: reads y[0: 8] writes y[0: 8]\nnest r: "
           "reads y[i] writes y[i]\nopaque h: reads y[v] writes y[v] v spatial\n");
    /* a variable of an iteration's own: of its loop, of all, and of what runs inside of it */
    expect("func f(x: f32[4, 8], y: f32[4]) { for (i: 4) { alloc m: f32[]; for (k: 8) block s(vi: "
           "spatial(4) = i, vk: reduce(8) = k) { init m[] = 0.0; m[] = m[] + x[vi, vk]; } y[i] = "
           "m[]; } }",
           "func f: reads x[0: 4, 0: 8] writes y[0: 4]\n"
           "nest i: reads x[0: 4, 0: 8] writes y[0: 4]\n"
           "nest k: reads m[] reads x[i, 0: 8] writes m[]\n"
           "reduction s: reads m[] reads x[vi, vk] writes m[] vi spatial vk reduce\n");
    expect("func f(x: f32[4, 8], y: f32[4]) { alloc m: f32[]; for (i: 4) { for (k: 8) block s(vi: "
           "spatial(4) = i, vk: reduce(8) = k) { init m[] = 0.0; m[] = m[] + x[vi, vk]; } y[i] = "
           "m[]; } }",
           "func f: reads x[0: 4, 0: 8] writes y[0: 4]\n"
           "nest i: reads m[] reads x[0: 4, 0: 8] writes m[] writes y[0: 4]\n"
           "nest k: reads m[] reads x[i, 0: 8] writes m[]\n"
           "reduction s: reads m[] reads x[vi, vk] writes m[] vi reduce vk reduce\n");
    expect("func f(x: f32[8], y: f32[4]) { for (i: 4) { alloc m: f32[]; for (k: 2) block s(v: "
           "spatial(8) = i * 2 + k) { m[] = x[v]; } y[i] = m[]; } }",
           "func f: reads x[0: 8] writes y[0: 4]\nnest i: reads x[0: 8] writes y[0: 4]\n"
           "nest k: reads x[i * 2: 2] writes m[]\nopaque s: reads x[v] writes m[] v opaque\n");
    /* work-items have shared memory together, wherever it is allocated; groups do not */
    expect("func f(x: f32[64], y: f32[64]) { for bind(group.x) (g: 2) for bind(local.x) (l: 8) { "
           "alloc s: f32[8] scope(shared); s[l] = 0.0; for (t: 4) { barrier(shared); block b(vg: 2 "
           "= g, vl: 8 = l, vt: 4 = t) { s[(vl + vt) % 8] = s[(vl + vt) % 8] + x[vl * 8 + vt]; } } "
           "barrier(shared); y[g * 8 + l] = s[l]; } }",
           "func f: reads x[0: 60]? writes y[0: 16]\nnest g: reads x[0: 60]? writes y[0: 16]\n"
           "nest l: reads x[0: 60]? writes y[g * 8: 8]\n"
           "nest t: reads s[0: 8]? reads x[l * 8: 4] writes s[0: 8]?\n"
           "opaque b: reads s[(vl + vt) % 8] reads x[vl * 8 + vt] writes s[(vl + vt) % 8] "
           "vg spatial vl reduce vt reduce\n");
}

/* The kinds that the text leaves out are found; it stays as it is written. */
static void inferred(const char *func, const char *kinds)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, func, IRL_TO_NUL, NULL), *g;
    const char *text = irl_func_text(f);
    CHECK_OK(cx);
    CHECK(irl_func_equal(f, irl_func_parse(cx, text, IRL_TO_NUL, NULL)));
    CHECK(text && strcmp(text, irl_func_text(irl_func_parse(cx, text, IRL_TO_NUL, NULL))) == 0);
    g = irl_func_run_pass(f, "infer_kinds");
    if (kinds && CHECK_OK(cx)) {
        text = irl_func_text(g);
        if (!CHECK(text && strstr(text, kinds))) printf("%s\n%s\n", kinds, text);
        CHECK(!irl_func_equal(f, g));
        CHECK(irl_func_equal(irl_func_run_pass(f, "lower_blocks"),
                             irl_func_run_pass(g, "lower_blocks")));
        CHECK(irl_func_lower(f, &irl_target_opencl12) != NULL);
        CHECK_OK(cx);
    } else if (!kinds) {
        CHECK_CODE(cx, IRL_ERROR_UNSTATED_AXIS);
        CHECK(strstr(irl_diag_text(cx), "state the kind of the axis") != NULL);
    }
    irl_ctx_destroy(cx);
}

/* What runs, schedules or explains a function infers them too; a module states them. */
static void check_inferred_runs(void)
{
    static const char text[] =
        "func f(x: f32[4, 8], y: f32[4]) { for (i: 4, k: 8) block b(vi: 4 = i, vk: 8 = k) { init "
        "y[vi] = 0.0; y[vi] = y[vi] + x[vi, vk]; } }";
    irl_ctx              *cx = irl_ctx_create(NULL);
    irl_func             *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    const irl_part_table *t;
    irl_arguments         arguments;
    float                 x[32], y[4];
    int                   k;
    for (k = 0; k < 32; k++) x[k] = (float)k;
    for (k = 0; k < 4; k++) y[k] = 99.0f;
    memset(&arguments, 0, sizeof arguments);
    arguments.count = 2;
    arguments.data[0] = x;
    arguments.data[1] = y;
    CHECK(irl_func_interpret(f, arguments));
    for (k = 0; k < 4; k++) CHECK(y[k] == (float)(64 * k + 28));
    t = irl_func_regions(f);
    CHECK(t && t->count == 4 && t->list[3].axis_count == 2 &&
          t->list[3].axes[1].declared == IRL_AXIS_REDUCE && t->list[3].kind == IRL_PART_REDUCTION);
    CHECK(irl_func_accesses(f) && irl_func_flows(f) && irl_func_liveness(f) &&
          irl_func_costs(f, NULL));
    CHECK(strstr(irl_func_text(irl_schedule_do(f, "split(b.k, 4)")), "vk: reduce(8)") != NULL);
    CHECK_OK(cx);
    CHECK(!irl_module_parse(cx,
                            "module m target(opencl12) { host func f(y: f32[4]) { for (i: 4) block "
                            "b(v: 4 = i) { y[v] = 0.0; } } }",
                            IRL_TO_NUL, NULL));
    CHECK_CODE(cx, IRL_ERROR_UNSTATED_AXIS);
    irl_ctx_destroy(cx);
}

static void check_inferred_built(void)
{
    static const char  expected[] = "func f(y: f32[8]) { for (i: 8) block b(v: 8 = i) { y[v] = "
                                    "0.0; } }";
    irl_ctx           *cx = irl_ctx_create(NULL);
    const irl_type     index = irl_type_of(IRL_INDEX, 1), f32 = irl_type_of(IRL_F32, 1);
    const irl_expr    *i = irl_expr_var(cx, "i", index), *v = irl_expr_var(cx, "v", index);
    const irl_expr    *eight = irl_expr_index(cx, 8);
    const irl_buffer  *y = irl_buffer_new(cx, "y", f32, IRL_SCOPE_GLOBAL, 1, &eight);
    irl_block_axis     axis;
    irl_block_desc     d;
    irl_param_desc     param;
    memset(&axis, 0, sizeof axis);
    memset(&d, 0, sizeof d);
    memset(&param, 0, sizeof param);
    axis.var = v;
    axis.extent = eight;
    axis.binding = i;
    axis.is_reduction = 0;
    axis.is_unstated = 1;
    d.name = "b";
    d.axis_count = 1;
    d.axes = &axis;
    d.body = irl_stmt_store(cx, y, irl_expr_float(cx, f32, 0), 1, &v);
    param.buffer = y;
    CHECK(irl_func_equal(irl_func_new(cx, "f", 1, &param,
                                      irl_stmt_for(cx, IRL_SERIAL, i, irl_expr_index(cx, 0), eight,
                                                   irl_stmt_block(cx, &d))),
                         irl_func_parse(cx, expected, IRL_TO_NUL, NULL)));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void check_inferred(void)
{
    inferred("func f(x: f32[4, 8], y: f32[4]) { for (i: 4, k: 8) block b(vi: 4 = i, vk: 8 = k) { "
             "init y[vi] = 0.0; y[vi] = y[vi] + x[vi, vk]; } }",
             "block b(vi: spatial(4) = i, vk: reduce(8) = k)");
    /* one that is stated; names; a variable that is called as a kind is */
    inferred("func f(n: index, spatial: index, x: f32[n], y: f32[n]) { for (i: n, k: spatial) "
             "block b(v: spatial(n) = i, r: spatial = k) { y[v] = max(y[v], x[r % n]); } }",
             "block b(v: spatial(n) = i, r: reduce(spatial) = k)");
    inferred("func f(n: index, y: f32[8, 8]) { for (i: 8, j: 7) block b(v: min(8, 9) - 1 = j, w: "
             "index(8) = i) { y[v, w] = 0.0; } }",
             "v: spatial(7) = j, w: spatial(8) = i");
    /* without an init an update whose cells are not known is as good as one that meets */
    inferred("func f(h: i32[8], y: f32[8]) { for (i: 8) block b(v: 8 = i) { y[index(h[v])] = "
             "y[index(h[v])] + 1.0; } }",
             "v: reduce(8)");
    inferred("func f(h: i32[8], y: f32[8]) { for (i: 8) block b(v: 8 = i) { init y[index(h[v])] "
             "= 0.0; y[index(h[v])] = y[index(h[v])] + 1.0; } }",
             NULL);
    /* neither: a chain, one cell stored to by all */
    inferred("func f(x: f32[8], y: f32[9]) { for (i: 8) block s(v: 8 = i) { y[v + 1] = y[v] + "
             "x[v]; } }",
             NULL);
    inferred("func f(y: f32[1]) { for (i: 8) block s(v: 8 = i) { y[0] = f32(v); } }", NULL);
    check_inferred_runs();
    check_inferred_built();
}

/* ------------------------------------------------------------------ what blocks declare */

static void refused(const char *func, irl_code code, const char *part)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, func, IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    CHECK(irl_func_lower(f, &irl_target_opencl12) == NULL);
    CHECK_CODE(cx, code);
    if (!CHECK(strstr(irl_diag_text(cx), part) != NULL))
        printf("%s\nexpected: %s\n", irl_diag_text(cx), part);
    irl_ctx_destroy(cx);
}

static void accepted(const char *func, const char *note)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_run_pass(irl_func_parse(cx, func, IRL_TO_NUL, NULL), "check_blocks");
    const char *notes;
    CHECK_OK(cx);
    notes = irl_func_warnings(f);
    if (!CHECK(notes && (note ? strstr(notes, note) != NULL : !*notes)))
        printf("%s\n%s\n", func, notes ? notes : irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

static void check_declared(void)
{
    refused("func f(x: f32[8], y: f32[4]) {\n  for (i: 4) block b(v: spatial(4) = i) reads(x[v * "
            "2]) writes(y[v]) {\n    y[v] = x[v * 2] + x[v * 2 + 1];\n} }",
            IRL_ERROR_BAD_REGION,
            "3:5: error: x[v * 2 + 1] is read = [1] where i = 0, outside of the region that block "
            "'b' declares, reads(x[v * 2])");
    refused("func f(y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) writes(y[v - 5: 3]) { "
            "y[v] = 0.0; } }",
            IRL_ERROR_BAD_REGION, "y[v] is written = [0] where i = 0, outside");
    refused("func f(n: index, y: f32[n]) { for (i: n) block b(v: spatial(n) = i) writes(y[0: 7]) "
            "{ y[v] = 0.0; } }",
            IRL_ERROR_BAD_REGION, "y[v] is written = [7] where n = 8, i = 7, outside");
    refused("func f(y: f32[8]) { block b() { for (i: 8) block c(v: spatial(8) = i) { y[v] = 0.0; } "
            "} block d() writes(y[0: 7]) { for (i: 8) if (i != 7) block c(v: spatial(8) = i) { "
            "y[7 - v] = 0.0; } } }",
            IRL_ERROR_BAD_REGION, "y[7 - v] is written = [7] where i = 0");
    refused("func f(x: f32[8, 8], y: f32[8]) { for (i: 8, k: 8) block b(v: spatial(8) = i, r: "
            "spatial(8) = k) { y[v] = max(y[v], x[v, r]); } }",
            IRL_ERROR_BAD_AXIS,
            "instances of block 'b' that differ in its spatial axis 'r' write one cell: y[v] at i "
            "= 0, k = 0 and y[v] at i = 0, k = 1 are one element");
    refused("func f(x: f32[8], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) { y[v / 2] = "
            "x[v]; } }",
            IRL_ERROR_BAD_AXIS, "y[v / 2] at i = 0 and y[v / 2] at i = 1");
    accepted("func f(x: f32[8], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) reads(x[v]) "
             "writes(y[0: 8]) { y[v] = x[v]; } }",
             NULL);
    accepted("func f(x: f32[8], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) where(v < 3) "
             "writes(y[0: 3]) { y[v] = x[v]; } }",
             NULL);
    /* two regions of one buffer together; the old value of a reduction; several loops and names */
    accepted("func f(x: f32[9], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) reads(x[0], "
             "x[v + 1]) { for (t: 2) y[v] = x[t == 0 ? 0 : v + 1]; } }",
             NULL);
    accepted("func f(x: f32[8], y: f32[1]) { for (i: 8) block b(v: reduce(8) = i) reads(x[v]) "
             "writes(y[0]) { init y[0] = 0.0; y[0] = y[0] + x[v]; } }",
             NULL);
    accepted("func f(k: i32[8], y: f32[8]) { for (i: 8) block b(v: reduce(8) = i) reads(k[v]) "
             "writes(y[v]) { y[index(k[v])] = 0.0; } }",
             "warning: y[index(k[v])] is written, and it is not proved to be inside the region "
             "that block 'b' declares, writes(y[v]): it depends on values in memory");
}

/* ------------------------------------------------------------------ the recorded programs */

enum { SEEN = 1 << 12 };

/* What does not lie in what is declared, or is no spatial axis, and why. */
static const struct {
    const char *id;
    int         is_refused;
    const char *why;
} listed[] = {
    { "857cd5a177bd07a7", 1, "cache_index leaves the indices that it reads undeclared" },
    { "4ab5148f8aeb930d", 1, "argmax writes v1[i + 1], and declares v1[i]" },
    { "f11cba1eaf94680d", 1, "every i updates B[vk]: no loop of it may be parallel" },
    { "fba1cb177bb756da", 0, "resize computes its indices in floats; annotated by hand" }
};

/* Of axes of more than one iteration another kind is found than was stated, and why. */
static const struct {
    const char *id, *axis, *why;
} found_otherwise[] = {
    { "f11cba1eaf94680d", "vi", "every i updates B[vk]: the kinds are stated the wrong way" },
    { "f11cba1eaf94680d", "vk", "the same" },
    { "cefc68747655ec9b", "vk", "each vk has a cell of its own, B[vi, vk]" }
};

static int is_found_otherwise(const char *id, const char *axis)
{
    size_t k;
    for (k = 0; k < sizeof found_otherwise / sizeof *found_otherwise; k++)
        if (strcmp(found_otherwise[k].id, id) == 0 && strcmp(found_otherwise[k].axis, axis) == 0)
            return 1;
    return 0;
}

typedef struct recorded {
    int           stripped, as_stated, of_one, stronger, open; /* axes without their kinds */
    int           programs, blocks, equal, within, listed, refused, boxes, exact;
    int           spatial, reduce, complete, reduction, opaque;
    unsigned long seen[SEEN];
} recorded;

static int is_seen(recorded *r, const char *text)
{
    unsigned long h = 5381;
    int           k;
    for (; *text; text++) h = (h * 33 + (unsigned char)*text) & 0xffffffffUL;
    for (k = 0; k < r->programs; k++)
        if (r->seen[k] == h) return 1;
    if (r->programs < SEEN) r->seen[r->programs] = h;
    return 0;
}

/* Is the box what is declared, axis by axis? */
static int is_declared(irl__path *p, const irl__block_data *b, const irl__region_box *x)
{
    int k, axis, count = x->is_write ? b->write_count : b->read_count;
    for (k = 0; k < count; k++) {
        const irl__region *r = x->is_write ? &b->writes[k] : &b->reads[k];
        if (r->buffer != x->buffer) continue;
        for (axis = 0; axis < r->buffer->rank; axis++)
            if (!irl__prove_equal(p->an, r->min[axis], x->first[axis]) ||
                !irl__prove_equal(p->an, r->extent[axis], x->extent[axis]))
                break;
        if (axis == r->buffer->rank) return 1;
    }
    return !x->is_write && b->init && b->write_count; /* the old value */
}

static int all_declared(irl__accesses *t, irl__path *p, const irl__around *block, recorded *r)
{
    irl__regions regions;
    int          k, all = 1;
    if (!CHECK(irl__regions_of(&regions, p, block)) || !CHECK(t->count > 0)) return 0;
    for (k = 0; k < regions.count; k++) {
        r->boxes++;
        r->exact += regions.list[k].is_exact;
        all &= is_declared(p, block->stmt->u.block, &regions.list[k]);
    }
    return all;
}

/* 1: refused; -1: not known; 0: not in the list. */
static int is_listed(const char *id)
{
    size_t k;
    for (k = 0; k < sizeof listed / sizeof *listed; k++)
        if (strcmp(listed[k].id, id) == 0) return listed[k].is_refused ? 1 : -1;
    return 0;
}

static int escapes(const irl__declared *d, const irl__around *block, const char *id)
{
    irl__text text;
    int       k, any = 0;
    for (k = 0; k < d->count; k++) {
        if (d->list[k].block != block) continue;
        any = 1;
        irl__text_init(&text, d->t->cx);
        irl__declared_text(&text, d, &d->list[k]);
        if (!CHECK(is_listed(id))) printf("%s: %s\n", id, irl__text_done(&text));
    }
    return any;
}

static void check_axes(irl__accesses *t, const irl__around *block, const char *id, recorded *r)
{
    const irl__block_data *b = block->stmt->u.block;
    irl__meeting           m;
    irl__text              text;
    int                    k;
    for (k = 0; k < b->axis_count; k++) {
        irl__axis_kind kind = irl__axis_kind_of(t, block, k, &m);
        r->spatial += kind == IRL__KIND_SPATIAL;
        r->reduce += kind == IRL__KIND_REDUCE;
        r->opaque += kind == IRL__KIND_OPAQUE;
        if (b->axes[k].is_reduction || kind == IRL__KIND_SPATIAL || is_listed(id)) continue;
        irl__text_init(&text, t->cx);
        irl__meeting_text(&text, t, &m);
        printf("%s: %s in %s is not known to be spatial: %s\n", id, b->axes[k].var->u.name, b->name,
               irl__text_done(&text));
    }
}

static void check_blocks(irl_func *f, const char *id, recorded *r)
{
    irl__arena_mark    mark = irl__scratch_begin(f->cx);
    irl__accesses      t;
    irl__declared      d;
    irl__path          p;
    const irl__around *n;
    int                k;
    if (CHECK(irl__accesses_of(&t, f, NULL)) && CHECK(irl__declared_of(&d, &t)) &&
        CHECK(irl__path_begin(&p, &t)))
        for (k = 0; k < t.count; k++)
            for (n = irl__around_next(t.list[k].around, IRL__AROUND_BLOCK); n;
                 n = irl__around_next(n->outer, IRL__AROUND_BLOCK)) {
                if (n->first != k) continue;
                r->blocks++;
                check_axes(&t, n, id, r);
                if (escapes(&d, n, id)) r->listed++;
                else if (all_declared(&t, &p, n, r)) r->equal++;
                else r->within++;
            }
    irl__scratch_end(f->cx, mark);
}

/* The text without spatial(...) and reduce(...), which hold no parentheses but balanced ones. */
static void strip_kinds(const char *text, char *out)
{
    static const char *const words[] = { ": spatial(", ": reduce(" };
    int                      k, open = 0, depth = 0;
    while (*text) {
        for (k = 0; k < 2 && strncmp(text, words[k], strlen(words[k])) != 0; k++) {}
        if (k < 2) {
            *out++ = ':';
            *out++ = ' ';
            text += strlen(words[k]);
            open = depth = 1;
            continue;
        }
        if (open) depth += (*text == '(') - (*text == ')');
        if (open && depth == 0) open = 0;
        else *out++ = *text;
        text++;
    }
    *out = '\0';
}

typedef struct axis_list {
    int              count;
    const irl__axis *axes[512];
} axis_list;

static int list_axes(irl__visitor *v, const irl_stmt *s)
{
    axis_list *l = (axis_list *)v->user;
    int        k;
    for (k = 0; s->kind == IRL__BLOCK && k < s->u.block->axis_count && l->count < 512; k++)
        l->axes[l->count++] = &s->u.block->axes[k];
    return 1;
}

static int no_expr(irl__visitor *v, const irl_expr *e)
{
    (void)v;
    (void)e;
    return 0;
}

/* Each axis that is left out gets its kind back: what was reduce may be spatial where no two
   instances meet. What is refused was opaque. */
static void check_stripped(recorded *r, irl_ctx *cx, const irl_func *f, const char *text,
                           const char *id)
{
    static axis_list stated, found;
    char            *bare = (char *)malloc(strlen(text) + 1);
    irl__visitor     v = irl__visitor_make(&stated, no_expr, list_axes);
    irl_func        *g, *h;
    irl_mark         mark = irl_ctx_mark(cx);
    int              k;
    if (!bare) return;
    strip_kinds(text, bare);
    g = irl_func_parse(cx, bare, IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    CHECK(g && irl_func_equal(g, irl_func_parse(cx, irl_func_text(g), IRL_TO_NUL, NULL)));
    h = irl_func_run_pass(g, "infer_kinds");
    stated.count = found.count = 0;
    irl__visit_stmt(&v, f->body);
    v.user = &found;
    if (h) irl__visit_stmt(&v, h->body);
    if (!h) {
        CHECK_CODE(cx, IRL_ERROR_UNSTATED_AXIS);
        if (getenv("IRL_VERBOSE")) printf("%s: %s\n", id, irl_diag_text(cx));
        r->open++;
    } else if (CHECK(stated.count == found.count)) {
        int differ = 0;
        for (k = 0; k < stated.count; k++) {
            const irl__axis *a = stated.axes[k], *b = found.axes[k];
            r->stripped++;
            CHECK(!b->is_unstated);
            differ |= a->is_reduction != b->is_reduction;
            if (a->is_reduction == b->is_reduction) r->as_stated++;
            else if (irl__is_int(a->extent, 1)) r->of_one++;
            else {
                r->stronger++;
                if (!CHECK(is_found_otherwise(id, a->var->u.name)))
                    printf("%s: %s is stated %s\n", id, a->var->u.name,
                           a->is_reduction ? "reduce, found spatial" : "spatial, found reduce");
            }
        }
        CHECK(irl_func_equal(f, h) == !differ);
    }
    irl_ctx_rewind(cx, mark);
    free(bare);
}

static void check_program(recorded *r, const char *text, const char *id)
{
    irl_ctx  *cx;
    irl_func *f;
    if (!text || !*text || is_seen(r, text)) return;
    cx = irl_ctx_create(NULL);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    r->programs++;
    if (CHECK_OK(cx)) check_blocks(f, id, r);
    if (f) check_stripped(r, cx, f, text, id);
    CHECK_OK(cx);
    if (irl_func_run_pass(f, "check_blocks")) CHECK_OK(cx);
    else if (CHECK(is_listed(id) == 1)) r->refused++;
    irl_ctx_destroy(cx);
}

static void check_recorded(void)
{
    static recorded r;
    json_file       file;
    const json     *root = json_oracle(&file, "schedule_cases.json"), *c;
    if (!root) {
        printf("skipped: ../shared is not here\n");
        test_skipped++;
        return;
    }
    for (c = root->first; c; c = c->next) {
        check_program(&r, json_text(json_get(c, "before")), json_text(json_get(c, "id")));
        check_program(&r, json_text(json_get(c, "after")), json_text(json_get(c, "id")));
    }
    printf("recorded: %d programs, %d blocks: %d as declared, %d within, %d listed; %d of %d boxes "
           "exact; axes: %d spatial, %d reduce, %d opaque\n",
           r.programs, r.blocks, r.equal, r.within, r.listed, r.exact, r.boxes, r.spatial, r.reduce,
           r.opaque);
    CHECK(r.refused == 3);
    printf("kinds left out: %d axes: %d as stated, %d of extent 1, %d otherwise; %d programs "
           "refused\n",
           r.stripped, r.as_stated, r.of_one, r.stronger, r.open);
    /* pairs that are updated together (argmax), sums through a second name or a product of names */
    CHECK(r.stronger == 3 && r.open == 47);
    json_free(&file);
}

int main(void)
{
    check_boxes();
    check_kinds();
    check_inferred();
    check_declared();
    check_recorded();
    return test_done();
}
