/* test_manual.c - every example in a comment of irlayout.h is compiled here, word for word, and
   does what the header says beside it.

   The last test reads the header: a line of example code, indented by seven or more in a comment,
   must stand in this file or, where it is a map and the text of what it gives, in the table
   `shown`. Of the recipes, every line that is indented by seven or more must be here. So who writes
   an example adds its lines here. The examples of irlayout_ocl.h are in tests/ocl_run.c. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"

#include <string.h>

/* The examples print; here is kept what they print. */
static char said[4096];
static int  say(const char *text)
{
    strncat(said, text ? text : "(null)", sizeof said - strlen(said) - 1);
    return 0;
}
#define puts(text) say(text)

static int was_said(const char *part)
{
    int right = strstr(said, part) != NULL;
    if (!right) printf("  said: %s\n", said);
    said[0] = '\0';
    return right;
}

/* ------------------------------------------------------------------ the manual */

IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8));

static void first_program(void)
{
    irl_index at[3];
    IRL_AT(ssd1306, at, 13, 5);
    CHECK(at[0] == 1 && at[1] == 5 && at[2] == 5);
    {
        irl_ctx *cx = irl_ctx_create(NULL);
        irl_verdict v = irl_map_check(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(64, 128));
        puts(irl_verdict_text(cx, &v));
        CHECK(was_said("bijective onto [8, 128, 8]"));
        irl_ctx_destroy(cx);
    }
}

IRL_LAYOUT(blocked, (i), (i / 4, i % 4));
IRL_KERNEL(twice, (x: f32[10], y: f32[10]) { for (i: 10) y[i] = x[i] + x[i]; });
IRL_KERNEL(rows, (x: f32[9, 8], y: f32[9]) { a: for (i: 9) y[i] = sum(k: 8, x[i, k]); });
IRL_DEFINITIONS(common, fn sq(x: f32) -> f32 = x * x; const W = 8;);
IRL_KERNEL(squared, (x: f32[W], y: f32[W]) { for (i: W) y[i] = sq(x[i]); });
IRL_SCHEDULE(tiled, { (io, ii) = split(y.i, 4); annotate(io, group = 64); });

static void second_program(irl_ctx *cx)
{
    float x[10], y[10];
    int   k, wrong = 0;
    CHECK(strstr(irl_func_text(irl_kernel(cx, &rows)), "block a(vi: spatial(9) = i") != NULL);
    for (k = 0; k < 10; k++) x[k] = (float)k, y[k] = -1;
    {
        irl_func   *f = irl_func_set_layout(irl_kernel(cx, &twice), "y", irl_layout(cx, &blocked));
        irl_module *m = irl_func_lower(f, &irl_target_opencl12);
        puts(irl_ok(cx) ? irl_module_text(m) : irl_diag_text(cx));
        CHECK(was_said("y: f32[3, 4] logical([10], (i) -> (i / 4, i % 4))"));
        irl_module_interpret(m, IRL_ARGS(x, y));
    }
    for (k = 0; k < 10; k++) wrong += y[k] != 2.0f * (float)k;
    CHECK(wrong == 0);
    {
        irl_func   *f = irl_kernel(cx, &twice);
        irl_module *m = irl_func_lower(f, &irl_target_glsl);
        puts(irl_glsl_source(m, 0));
        CHECK(was_said("#version 450"));
    }
    CHECK_OK(cx);
}

/* ------------------------------------------------------------------ what single functions show */

static void contexts(irl_ctx *cx)
{
    irl_mark m = irl_ctx_mark(cx);
    CHECK(!irl_map_parse(cx, "(i) -> (j)") && !irl_ok(cx));
    irl_ctx_rewind(cx, m);
    CHECK_OK(cx);
}

enum { LANES = 8 };
IRL_LAYOUT(camera, (x, c), (x / LANES, c, x % LANES));
IRL_LAYOUT(nchw4c_image, (n, h, w, c), (n, c / 4, h), (w, c % 4));

static void layouts(irl_ctx *cx)
{
    const irl_map *map = irl_layout_let(cx, &camera, IRL_LET(LANES));
    irl_verdict    verdict = irl_map_check(cx, map, IRL_SHAPE(16, 3));
    float          line[48], packed[48];
    irl_shape      place;
    int            x, c, wrong = 0;
    for (x = 0; x < 48; x++) line[x] = (float)x, packed[x] = -1;
    for (x = 0; x < 16; x++)
        for (c = 0; c < 3; c++) {
            irl_index at[3];
            IRL_AT(camera, at, x, c);
            packed[irl_offset(&verdict.memory, at)] = line[x * 3 + c];
        }
    for (x = 0; x < 16; x++)
        for (c = 0; c < 3; c++) wrong += packed[x / 8 * 24 + c * 8 + x % 8] != line[x * 3 + c];
    CHECK(wrong == 0 && verdict.kind == IRL_BIJECTIVE);
    CHECK(strcmp(irl_map_text(cx, irl_layout(cx, &nchw4c_image)),
                 "(n, h, w, c) -> (n, c / 4, h, |, w, c % 4)") == 0);
    CHECK(irl_map_apply(cx, irl_layout(cx, &nchw4c_image), IRL_SHAPE(0, 1, 2, 7), &place) &&
          place.extent[1] == 1 && place.extent[4] == 3);
    CHECK_OK(cx);
}

static void verdicts(irl_ctx *cx)
{
    {
        const irl_map *map = irl_map_parse(cx, "(y, x) -> (y/8, x)");
        irl_verdict    v = irl_map_check(cx, map, IRL_SHAPE(64, 128));
        if (v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) puts(irl_verdict_text(cx, &v));
        CHECK(was_said("lossy: (0, 0) and (1, 0) both map to [0, 0]"));
    }
    {
        const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
        irl_verdict v = irl_map_check(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"),
                                      irl_shape_of(1, &n));
        irl_shape row = irl_shape_of(1, &n);
        CHECK(v.kind == IRL_INJECTIVE && v.padding &&
              strcmp(irl_expr_text(cx, v.padding), "N <= axis0 * 4 + axis1") == 0);
        CHECK(strncmp(irl_verdict_text(cx, &v), "injective into [(N + 3) / 4, min(N, 4)]", 39) ==
              0);
        CHECK(row.rank == 1 && irl_shape_count(row) == -1 && v.shape.named[0] == n);
    }
    CHECK_OK(cx);
}

IRL_KERNEL(
    shift, (n
            : f32[1, 2, 3, 6], x
            : f32[1, 2, 3, 6]) {
        for (a : 1, b : 2, c : 3, d : 6) n[a, b, c, d] = x[a, b, c, d] + 1;
    });
IRL_KERNEL(running, (x: f32[9], y: f32[9]) { for (i: 1 .. 9) y[i] = y[i - 1] + x[i]; });
IRL_KERNEL(scale, (N: index, x: f32[N], y: f32[N]) { for (i: N) y[i] = x[i] * 2; });

static void graphs(irl_ctx *cx)
{
    const char *text =
        "graph net { func scale(x: f32[n], a: f32, y: f32[n]) { for (i: n) y[i] = x[i] * a; }"
        "    func add(x: f32[n], y: f32[n], z: f32[n]) { for (i: n) z[i] = x[i] + y[i]; }"
        "    input x: f32[100]; t = scale(x, 2.0); y = add(t, x); output y; }";
    float x[100], y[100];
    int   k, wrong = 0;
    for (k = 0; k < 100; k++) x[k] = (float)k, y[k] = 0;
    {
        irl_graph  *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net.irl");
        irl_module *m = irl_graph_lower(g, &irl_target_opencl12);
        irl_module_interpret(m, IRL_ARGS(x, y));
    }
    for (k = 0; k < 100; k++) wrong += y[k] != 3 * x[k];
    {
        irl_func   *f = irl_func_parse(cx, "func mm(x: f32[64, 96], w: f32[80, 96], y: f32[64, 80])"
                                           " { for (i: 64, j: 80) y[i, j] = sum(k: 96, x[i, k] * "
                                           "w[j, k]); }", IRL_TO_NUL, NULL);
        irl_module *m = irl_func_lower(f, &irl_target_opencl12);
        irl_prepared parts = irl_module_prepare(m, "w");
        CHECK(irl_module_kernel_count(parts.prepare) == 1 &&
              irl_module_kernel_count(parts.run) == 1);
    }
    CHECK(irl_ok(cx) && wrong == 0);
}

static void kernels(irl_ctx *cx)
{
    const char *text;
    irl_func   *f = irl_kernel(cx, &shift);
    f = irl_func_set_layout(f, "x", irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, c%4)"));
    f = irl_func_run_pass(f, "apply_layouts");
    CHECK(f && strstr(irl_func_text(f), "x: f32[1, 2, 2, 3, 4]") != NULL);
    text = "func f(y: f32[8]) { for (i: 8) y[i] = 0; } schedule rows { split(y.i, 4); }";
    f = irl_func_parse_scheduled(cx, text, IRL_TO_NUL, NULL, "rows");
    CHECK(f && strstr(irl_func_text(f), "i_outer: 2"));
    f = irl_func_parse(cx, "const N = 8; func f(x: f32[N]) { x[0] = 0; }", IRL_TO_NUL, NULL);
    puts(irl_func_text_named(f));
    CHECK(was_said("const N = 8;\nfunc f(x: f32[N]) {"));
    f = irl_func_parse(cx, "func f(x: f32[8]) { for (i: 8) x[i] = 0; }", IRL_TO_NUL, NULL);
    CHECK(f && irl_func_param_count(f) == 1);
    CHECK(irl_module_parse(cx, irl_module_text(irl_func_lower(f, &irl_target_opencl12)), IRL_TO_NUL,
                           NULL) != NULL);
    {
        irl_module *m = irl_func_lower(irl_func_set_layout(irl_kernel(cx, &twice), "x",
                                                           irl_layout(cx, &blocked)),
                                       &irl_target_opencl12);
        irl_tensor memory;
        irl_func_param_memory(irl_module_host(m), 0, IRL_POINTERS(NULL, NULL), &memory);
        CHECK(memory.shape.rank == 2 && memory.shape.extent[0] == 3 &&
              memory.shape.extent[1] == 4 && memory.bytes == 48);
    }
    {
        f = irl_kernel_using(cx, &common, &squared);
        CHECK(f && strstr(irl_func_text(f), "let(x_1 = x[i], x_1 * x_1)") != NULL);
        f = irl_schedule(irl_kernel(cx, &twice), &tiled);
        CHECK(strstr(irl_schedule_text(f), "annotate(io, group = 64);") != NULL);
        f = irl_kernel(cx, &twice);
        f = irl_schedule_do(f, "(io, ii) = split(%s, %d)", "y.i", 8);
        f = irl_schedule_do(f, "vectorize(ii)");
        CHECK(f && strstr(irl_func_text(f), "vectorized") != NULL);
        puts(irl_schedule_auto(irl_kernel(cx, &twice), &irl_target_opencl12));
        puts(irl_schedule_auto_why(irl_kernel(cx, &twice), &irl_target_opencl12));
    }
    {
        float x[10] = { 1, 2, 3 }, y[10] = { 0 };
        int64_t n = 10;
        f = irl_kernel(cx, &scale);
        irl_func_interpret(f, IRL_ARGS(&n, x, y));
        CHECK(y[2] == 6 && y[9] == 0);
    }
    CHECK_OK(cx);
}

/* The same rows, summed in another order. */
static void errors(irl_ctx *cx)
{
    irl_func *f = irl_kernel(cx, &rows),
             *g = irl_schedule_do(f, "reassociate(a); (ko, ki) = split(a.k, 3); reorder(ki, ko)");
    float     x[72], y[9], z[9];
    int       k;
    for (k = 0; k < 72; k++) x[k] = 1 / (float)(k + 1);
    {
        double y_errors[9], z_errors[9], *of_y[] = { NULL, y_errors }, *of_z[] = { NULL, z_errors };
        irl_interpret_options by_f = { of_y, NULL }, by_g = { of_z, NULL };
        irl_agreement sum = { 0, 0, 0 };
        irl_func_interpret_with(f, IRL_POINTERS(x, y), &by_f);
        irl_func_interpret_with(g, IRL_POINTERS(x, z), &by_g);
        irl_array_beyond(irl_type_of(IRL_F32, 1), 9, y, y_errors, z, z_errors, &sum);
        CHECK(sum.numbers == 9 && sum.worst > 0 && sum.worst <= 1 && memcmp(y, z, sizeof y) != 0);
    }
    CHECK_OK(cx);
}

static void analysis(irl_ctx *cx)
{
    int64_t step = 0;
    {
        const irl_access_table *t = irl_func_accesses(irl_kernel(cx, &running));
        puts(t->list[0].text);
        CHECK(was_said("y[i - 1]"));
        puts(irl_func_carried(irl_kernel(cx, &running), t->list[0].loop)->text);
        CHECK(was_said("y[i - 1] at i = 2 and y[i] at i = 1 are one element"));
        puts(irl_func_picture(irl_kernel(cx, &running)));
        CHECK(was_said("for i: 1 .. 9\n|  reads y[i - 1]\n"));
        irl_shape      runs;
        const irl_map *order = irl_func_access_map(irl_kernel(cx, &running), 2, &runs);
        CHECK(strcmp(irl_map_text(cx, order), "(i) -> (i + 1)") == 0 && runs.extent[0] == 8);
    }
    {
        const irl_part_table *parts = irl_func_regions(irl_kernel(cx, &running));
        puts(parts->list[0].boxes[1].text);
        CHECK(was_said("x[1: 8]"));
    }
    {
        const irl_meeting *m = irl_func_dependence(irl_kernel(cx, &running), 0, 2);
        if (m->loops[0].is_distance) step = m->loops[0].distance;
        CHECK(m->answer == IRL_YES && step == -1 && m->loops[0].order == IRL_ORDER_AFTER);
    }
    {
        const irl_flows *flows = irl_func_flows(irl_kernel(cx, &running));
        puts(flows->list[0].text);
        CHECK(was_said("y[i] at i = 1 and y[i - 1] at i = 2 are one element"));
    }
    {
        puts(irl_expr_text(cx, irl_func_liveness(irl_kernel(cx, &running))->list[0].bytes));
        CHECK(was_said("36"));
    }
    {
        int64_t          bytes = 0;
        irl_cost_options row = { 0 };
        row.line_bytes = 128;
        bytes = irl_func_cost(irl_kernel(cx, &running), 0, &row)->bytes.value;
        CHECK(bytes == 32);
    }
    CHECK_OK(cx);
}

static void refusals(irl_ctx *cx)
{
    const char *why;
    irl_schedule_try(irl_kernel(cx, &running), "{ parallel(y.i); }", &why);
    const irl_step_refusal *r = irl_schedule_refusal(cx);
    if (r && r->witness.cell) puts(r->witness.access[0].text);
    CHECK(was_said("y[i - 1]"));
    CHECK_OK(cx);
}

static void pictures(irl_ctx *cx)
{
    puts(irl_map_picture(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"), IRL_SHAPE(10)));
    CHECK(was_said("memory of 12 cells"));
    irl_picture_options how;
    memset(&how, 0, sizeof how);
    how.form = IRL_PICTURE_SVG;
    puts(irl_map_picture_with(cx, irl_map_identity(cx, 2), IRL_SHAPE(4, 8), &how));
    CHECK(was_said("<svg xmlns"));
    CHECK_OK(cx);
}

static void textures(irl_ctx *cx)
{
    irl_func *f = irl_func_parse(
        cx, "func f(x: f32[1, 64, 56, 56], y: f32[1]) { y[0] = x[0, 0, 0, 0]; }", IRL_TO_NUL, NULL);
    irl_texture_options question;
    memset(&question, 0, sizeof question);
    question.shape = IRL_SHAPE(1, 64, 56, 56);
    {
        irl_texture_choice choice = irl_texture_candidates(cx, &question);
        const irl_texture_candidate *best = choice.chosen >= 0 ? &choice.list[choice.chosen] : NULL;
        if (best) f = irl_func_set_scope(irl_func_set_layout(f, "x", best->map), "x", best->scope);
        CHECK(best && choice.options.channel == 1 &&
              irl_func_lower(f, &irl_target_opencl12) != NULL);
    }
    CHECK_OK(cx);
}

static void plans(irl_ctx *cx)
{
    static const irl_plan_item lives[3] = {{4096, 64, 0, 1}, {1024, 64, 1, 2}, {4096, 64, 2, 3}};
    const irl_plan_offsets *o = irl_plan_arena(cx, 3, lives, 0);
    if (0) printf("%d bytes of at least %d\n", (int)o->bytes, (int)o->lower_bound);
    CHECK(o && o->bytes == 5120 && o->lower_bound == 5120);
    {
        static const irl_plan_image two[2] = {{60, 60, 0, 0, 0}, {70, 50, 0, 1, 1}};
        const irl_plan_image_pools *i = irl_plan_images(cx, 2, two, 16384, 16384);
        if (0) printf("%d by %d\n", (int)i->pools[0].width, (int)i->pools[0].height);
        CHECK(i && i->pool_count == 1 && i->pools[0].width == 70 && i->pools[0].height == 60);
    }
    {
        irl_func *f = irl_func_parse(
            cx, "func f(x: f32[9], y: f32[9]) { alloc t: f32[9]; for (i: 9) t[i] = x[i]; "
                "for (i: 9) y[i] = t[8 - i]; }", IRL_TO_NUL, NULL);
        const irl_module_plan *p = irl_plan(irl_func_lower(f, &irl_target_opencl12));
        if (0) puts(irl_plan_text(p));
        CHECK(p && p->count == 1 && p->pools[0].bytes == 36);
    }
    {
        irl_module *m = irl_func_lower(
            irl_func_parse(cx, "func f(y: i32[8]) { for bind(global.x) (i: 8) { alloc t: i32[4] "
                               "scope(local); for (k: 4) t[k] = i32(k + i); y[i] = t[y[i] & 3]; "
                               "} }",
                           IRL_TO_NUL, NULL), &irl_target_opencl12);
        const irl_array_plan *a = irl_func_plan_arrays(irl_module_kernel(m, 0));
        if (0) printf("%d bytes of each work-item\n", (int)a->local.bytes);
        CHECK(a && a->local.bytes == 16);
    }
    CHECK_OK(cx);
}

static void records(irl_ctx *cx)
{
    static const char  text[] = "record q4_0 bytes(18) { s: f16; q: u4[2, 16] strides(4, 8); }";
    const irl_record  *block = irl_record_parse(cx, text, IRL_TO_NUL, NULL);
    irl_record_verdict bits = irl_record_check(block);
    if (0) puts(irl_record_verdict_text(block, &bits));
    CHECK(strcmp(irl_record_verdict_text(block, &bits),
                 "bijective: each of 144 bits belongs to a field") == 0);
    CHECK_OK(cx);
}

static void bits_of_layouts(irl_ctx *cx)
{
    irl_bit_element   pixel;
    irl_bit_element_parse(cx, "u3", &pixel);
    irl_bit_verdict   seen = irl_map_check_bits(cx, irl_map_parse(cx, "(y, x) -> (y, x)"),
                                                IRL_SHAPE(3, 7), &pixel);
    if (0) puts(irl_bit_verdict_text(cx, &seen));
    CHECK(strcmp(irl_bit_verdict_text(cx, &seen),
                 "injective: 1 of 64 bits is unused, the first is bit 7 of byte 7") == 0);
    CHECK_OK(cx);
}

static void dma(irl_ctx *cx)
{
    const irl_map *map = irl_map_parse(cx, "(y, x) -> (x, 7 - y)");
    irl_dma_options how;
    memset(&how, 0, sizeof how);
    how.element = irl_type_of(IRL_U8, 1);
    how.controller = irl_dma_controller_find("edma3");
    const irl_dma_list *list = irl_dma_new(cx, map, IRL_SHAPE(8, 16), &how);
    if (0) puts(irl_dma_text(cx, list));
    CHECK(list && list->count == 1 && list->is_least);
    irl_bit_element pixel;
    irl_bit_element_parse(cx, "u1 bits(msb)", &pixel);
    how.bits = &pixel;
    list = irl_dma_new(cx, irl_map_parse(cx, "(y, x) -> (y, x ^ 8)"), IRL_SHAPE(8, 16), &how);
    how.controller = irl_dma_controller_parse(
        cx, "name = \"mine\" beats = 1, 2, 4 level_count = 1 level0_count_field = \"COUNT\"",
        IRL_TO_NUL, NULL);
    CHECK(how.controller != NULL);
    {
        const irl_expr *extents[2];
        irl_shape       shape;
        extents[0] = irl_expr_var(cx, "H", irl_type_of(IRL_INDEX, 1));
        extents[1] = irl_expr_index(cx, 16);
        map = irl_map_parse(cx, "(y, x) -> (x, y)");
        shape = irl_shape_of(2, extents);
        const irl_dma_named *any = irl_dma_new_named(cx, map, shape, NULL);
        if (0) puts(irl_dma_named_text(cx, any));
        CHECK(any && any->level_count == 2);
    }
    CHECK(list && list->count == 1 && list->transfers[0].levels[0].count == 1);
    CHECK_OK(cx);
}

static void packing(irl_ctx *cx)
{
    const irl_map *map = irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, c%4)");
    float          plain[210], packed[280];
    irl_shape      memory;
    int            k, wrong = 0;
    for (k = 0; k < 210; k++) plain[k] = (float)k;
    CHECK(irl_map_memory(cx, map, IRL_SHAPE(1, 5, 7, 6), &memory) &&
          irl_shape_count(memory) == 280);
    {
        irl_func *pack = irl_map_pack_func(cx, map, IRL_SHAPE(1, 5, 7, 6), NULL);
        irl_func_interpret(pack, IRL_ARGS(plain, packed));
    }
    for (k = 0; k < 210; k++) wrong += packed[k % 6 / 4 * 140 + k / 6 * 4 + k % 6 % 4] != plain[k];
    CHECK(wrong == 0);
    CHECK_OK(cx);
}

static int is_division(void *user, const irl_expr *e, const irl_stmt *s)
{
    (void)s;
    *(int *)user += irl_expr_op(e) == IRL_OP_DIV;
    return 1;
}

static const irl_expr *no_div(void *user, irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *by = irl_expr_arg(e, 1);
    (void)user;
    if (irl_expr_op(e) != IRL_OP_DIV || irl_expr_float_value(by) != 2) return e;
    by = irl_expr_float(cx, irl_expr_type(e), 0.5);
    return irl_expr_op2(cx, IRL_OP_MUL, irl_expr_arg(e, 0), by);
}

IRL_KERNEL(halves, (x: f32[10], y: f32[10]) { for (i: 10) y[i] = x[i] / 2.0f; });

static void rewriting(irl_ctx *cx)
{
    irl_func *f = irl_kernel(cx, &halves);
    int       count = 0;
    irl_walk walk = { NULL, is_division, NULL, NULL, NULL };
    walk.user = &count;
    irl_func_walk(f, &walk);
    CHECK(count == 1);
    f = irl_func_rewrite(f, no_div, NULL);
    puts(irl_func_text(f));
    CHECK(was_said("y[i] = x[i] * 0.5f;"));
    CHECK_OK(cx);
}

static void reading(irl_ctx *cx)
{
    const irl_func *f = irl_kernel(cx, &twice);
    const irl_stmt *s = irl_func_body(f);
    int             k;
    for (k = 0; k < irl_func_param_count(f); k++) puts(irl_func_param_name(f, k));
    CHECK(was_said("xy"));
    if (irl_stmt_kind_of(s) == IRL_STMT_FOR) puts(irl_expr_text(cx, irl_stmt_extent(s)));
    CHECK(was_said("10"));
    for (k = 0; irl_pass_name(k); k++) puts(irl_pass_name(k)), puts(irl_pass_doc(k));
    for (k = 0; irl_step_name(k); k++) puts(irl_step_example(k)), puts(irl_step_doc(k));
    CHECK(was_said("unswitch"));
    CHECK_OK(cx);
}

static const irl_func *census(void *user, const irl_func *f, const irl_target *target)
{
    (void)target;
    ++*(int *)user;
    return f;
}

static void passes(irl_ctx *cx)
{
    irl_func         *f = irl_kernel(cx, &twice);
    irl_module       *m;
    int               kernels = 0;
    irl_pass_desc     mine = { "census", NULL, "serialize", census, &kernels };
    irl_lower_options how = { 0 };
    how.passes = &mine;
    how.pass_count = 1;
    m = irl_func_lower_with(f, &irl_target_opencl12, &how);
    CHECK(m && kernels == 1);
    puts(irl_schedule_text(irl_module_scheduled(m)));
    CHECK(was_said("{"));
    CHECK_OK(cx);
}

static void targets(irl_ctx *cx)
{
    irl_func   *f = irl_kernel(cx, &twice);
    irl_module *m;
    irl_target mine = irl_target_opencl12;
    mine.name = "mygpu";
    mine.widths = 1 << 0 | 1 << 1 | 1 << 3;
    m = irl_func_lower(f, irl_target_new(cx, &mine));
    CHECK(m && irl_target_find_in(cx, "mygpu"));
    irl_target_parse(cx, "target mygpu: opencl12 { widths = 1, 2, 4; }", IRL_TO_NUL, NULL);
    CHECK_OK(cx);
}

/* ------------------------------------------------------------------ step by step */

IRL_LAYOUT(tiles, (y, x), (y / 8, x / 8, y % 8, x % 8));
IRL_KERNEL(plus, (x: f32[8, 6], y: f32[8, 6]) { for (i: 8, c: 6) y[i, c] = x[i, c] + 1; });

static void recipes_of_layouts(irl_ctx *cx)
{
    {
        irl_verdict v = irl_map_check(cx, irl_layout(cx, &tiles), IRL_SHAPE(64, 128));
        puts(irl_verdict_text(cx, &v));
        CHECK(was_said("bijective onto [8, 16, 8, 8]"));
    }
    {
        const irl_map *wrong = irl_map_parse(cx, "(n, c) -> (n, c / 4)");
        irl_verdict    v = irl_map_check(cx, wrong, IRL_SHAPE(2, 8));
        if (v.kind == IRL_LOSSY) puts(irl_verdict_text(cx, &v));
        CHECK(was_said("lossy: (0, 0) and (0, 1) both map to [0, 0]"));
    }
    {
        const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
        const irl_map  *fours = irl_map_parse(cx, "(i) -> (i / 4, i % 4)");
        irl_verdict     v = irl_map_check(cx, fours, irl_shape_of(1, &n));
        puts(irl_verdict_text(cx, &v));
        CHECK(was_said("injective into [(N + 3) / 4, min(N, 4)]"));
    }
    {
        const irl_map  *map = irl_layout(cx, &tiles);
        const irl_expr *unused;
        const irl_map  *back = irl_map_inverse(cx, map, IRL_SHAPE(60, 128), &unused);
        puts(irl_map_text(cx, back));
        CHECK(was_said("-> (axis0 * 8 + axis2, axis1 * 8 + axis3)"));
        puts(irl_expr_text(cx, unused));
        CHECK(was_said("axis0 * 8 + axis2 >= 60"));
    }
    {
        const irl_map      *map = irl_layout(cx, &tiles);
        irl_picture_options how;
        puts(irl_map_picture(cx, map, IRL_SHAPE(16, 16)));
        CHECK(was_said("memory of 256 cells"));
        memset(&how, 0, sizeof how);
        how.form = IRL_PICTURE_SVG;
        puts(irl_map_picture_with(cx, map, IRL_SHAPE(16, 16), &how));
        CHECK(was_said("<svg xmlns"));
    }
    {
        float         plain[64], packed[64];
        irl_verdict   v = irl_map_check(cx, irl_layout(cx, &tiles), IRL_SHAPE(8, 8));
        int           y, x, wrong = 0;
        for (x = 0; x < 64; x++) plain[x] = (float)x;
        for (y = 0; y < 8; y++)
            for (x = 0; x < 8; x++) {
                irl_index at[4];
                IRL_AT(tiles, at, y, x);
                packed[irl_offset(&v.memory, at)] = plain[y * 8 + x];
            }
        for (x = 0; x < 64; x++) wrong += packed[x] != plain[x];
        CHECK(wrong == 0);
    }
    {
        irl_c_layout_options how = { 0 };
        how.name = "tiles";
        how.type = irl_type_of(IRL_U8, 1);
        puts(irl_c_layout_source(cx, irl_layout(cx, &tiles), IRL_SHAPE(64, 128), &how));
        CHECK(was_said("tiles_place"));
    }
    {
        irl_bit_element pixel;
        irl_bit_element_parse(cx, "u12", &pixel);
        const irl_map  *rows_of_bits = irl_map_parse(cx, "(y, x) -> (y, x)");
        irl_bit_verdict bits = irl_map_check_bits(cx, rows_of_bits, IRL_SHAPE(3, 7), &pixel);
        puts(irl_bit_verdict_text(cx, &bits));
        CHECK(was_said("4 of 256 bits are unused, the first is bit 4 of byte 31"));
    }
    {
        const char *text = "record rgb bytes(2) { r: u5; g: u6 offset(5); b: u5 offset(11); }";
        const irl_record *rgb = irl_record_parse(cx, text, IRL_TO_NUL, "rgb.txt");
        irl_record_verdict bits = irl_record_check(rgb);
        puts(irl_record_verdict_text(rgb, &bits));
        CHECK(was_said("bijective: each of 16 bits belongs to a field"));
        puts(irl_c_record_source(rgb, NULL));
        CHECK(was_said("rgb_get_g"));
    }
    {
        irl_dma_options how = { 0 };
        how.element = irl_type_of(IRL_U8, 1);
        how.controller = irl_dma_controller_find("edma3");
        const irl_map *turned = irl_map_parse(cx, "(y, x) -> (x, 7 - y)");
        const irl_dma_list *list = irl_dma_new(cx, turned, IRL_SHAPE(8, 16), &how);
        puts(irl_dma_c(cx, list, "turn"));
        CHECK(was_said("turn_play"));
        CHECK(list->count == 1);
    }
    CHECK_OK(cx);
}

static void recipes_of_kernels(irl_ctx *cx)
{
    float x[48], y[48], z[48];
    int   k;
    for (k = 0; k < 48; k++) x[k] = (float)k, y[k] = z[k] = 0;
    {
        irl_module *m = irl_func_lower(irl_kernel(cx, &plus), &irl_target_opencl12);
        puts(irl_ok(cx) ? irl_ocl_source(m) : irl_diag_text(cx));
        CHECK(was_said("__kernel void"));
    }
    {
        const irl_map *map = irl_map_parse(cx, "(i, c) -> (c / 4, i, c % 4)");
        irl_func *f = irl_func_set_layout(irl_kernel(cx, &plus), "y", map);
        f = irl_func_set_padding(f, "y", 0);
        irl_module *m = irl_func_lower(f, &irl_target_opencl12);
        puts(irl_func_warnings(irl_module_host(m)));
        CHECK(!said[0]);
        irl_module_interpret(m, IRL_ARGS(x, y));
        irl_func_interpret(irl_kernel(cx, &plus), IRL_ARGS(x, z));
        int64_t first = irl_array_difference(irl_type_of(IRL_F32, 1), 48, y, z, 0);
        if (first < 0) puts("equal");
        CHECK(was_said("equal") && y[47] == 48);
    }
    {
        irl_func *f = irl_kernel(cx, &plus);
        irl_texture_options question;
        memset(&question, 0, sizeof question);
        question.shape = IRL_SHAPE(8, 6);
        irl_texture_choice found = irl_texture_candidates(cx, &question);
        const irl_texture_candidate *best = found.chosen < 0 ? NULL : &found.list[found.chosen];
        if (best) f = irl_func_set_layout(f, "x", best->map);
        if (best) f = irl_func_set_scope(f, "x", best->scope);
        puts(irl_ocl_source(irl_func_lower(f, &irl_target_opencl12)));
        CHECK(was_said("image2d_t"));
    }
    {
        irl_func *f = irl_kernel(cx, &plus);
        f = irl_schedule_do(f, "(io, ii) = split(y.i, %d)", 4);
        f = irl_schedule_do(f, "reorder(y.c, ii)");
        f = irl_schedule_do(f, "unroll(ii)");
        puts(irl_schedule_text(f));
        CHECK(was_said("unroll(ii);"));
    }
    {
        const char *why;
        if (!irl_schedule_try(irl_kernel(cx, &running), "{ parallel(y.i); }", &why)) puts(why);
        CHECK(was_said("y[i - 1] at i = 2 and y[i] at i = 1 are one element"));
    }
    {
        irl_func   *f = irl_kernel(cx, &plus);
        const char *steps = irl_schedule_auto(f, &irl_target_c_gnu_avx2);
        puts(steps);
        CHECK(was_said("vectorize("));
        f = irl_schedule_parse(f, steps, IRL_TO_NUL, "plus.irl");
        CHECK(f != NULL);
    }
    {
        irl_c_options how = { 0 };
        how.is_header = 1;
        irl_module *m = irl_func_lower(irl_kernel(cx, &plus), &irl_target_c99);
        puts(irl_c_source_with(m, &how));
        CHECK(was_said("_IMPLEMENTATION"));
    }
    {
        irl_module *m = irl_func_lower(irl_kernel(cx, &plus), &irl_target_glsl);
        puts(irl_glsl_source(m, 0));
        CHECK(was_said("#version 450"));
    }
    CHECK_OK(cx);
}

static void recipes_of_graphs(irl_ctx *cx)
{
    static const char *const text =
        "graph net { func flip(x: f32[n], y: f32[n]) { for (i: n) y[i] = x[n - 1 - i]; }"
        "    input x: f32[100]; t = flip(x); u = flip(t); y = flip(u); output y; }";
    {
        irl_graph_fusion fused;
        irl_graph *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net.irl");
        g = irl_graph_fuse(g, &fused);
        puts(fused.text);
        CHECK(was_said("flip") && fused.count == 2);
        irl_module *m = irl_graph_lower(g, &irl_target_opencl12);
        puts(irl_ocl_source(m));
        CHECK(was_said("__kernel void"));
    }
    {
        irl_graph *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net.irl");
        const irl_module_plan *p = irl_plan(irl_graph_lower(g, &irl_target_opencl12));
        puts(irl_plan_text(p));
        CHECK(was_said("bytes") && p->count == 2);
        puts(irl_plan_c(p));
        CHECK(was_said("#define"));
    }
    {
        irl_func *f = irl_kernel(cx, &plus);
        const irl_access_table *t = irl_func_accesses(f);
        const irl_meeting *m = irl_func_carried(f, t->list[0].loop);
        if (m->answer == IRL_NO) puts("its iterations may run in any order");
        CHECK(was_said("any order"));
    }
    CHECK_OK(cx);
}

static void *take(void *user, size_t bytes)
{
    *(size_t *)user += bytes;
    return malloc(bytes);
}

static void give(void *user, void *memory, size_t bytes)
{
    *(size_t *)user -= bytes;
    free(memory);
}

static void recipes_of_contexts(irl_ctx *cx)
{
    {
        size_t       held = 0;
        irl_ctx_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.allocator.allocate = take;
        desc.allocator.release = give;
        desc.allocator.user = &held;
        irl_ctx *own = irl_ctx_create(&desc);
        CHECK(irl_ok(own) && held > 0);
        irl_ctx_destroy(own);
        CHECK(held == 0);
    }
    {
        irl_mark m = irl_ctx_mark(cx);
        const irl_map *wrong = irl_map_parse(cx, "(i) -> (j)");
        if (!irl_ok(cx)) puts(irl_diag_text(cx));
        CHECK(was_said("error: ") && !wrong);
        irl_ctx_rewind(cx, m);
        CHECK_OK(cx);
    }
    {
        int               kernels = 0;
        irl_pass_desc     mine = { "census", NULL, "serialize", census, &kernels };
        irl_lower_options how = { 0 };
        how.passes = &mine;
        how.pass_count = 1;
        irl_module *m = irl_func_lower_with(irl_kernel(cx, &plus), &irl_target_opencl12, &how);
        CHECK(m && kernels == 1);
    }
    {
        irl_target mine = irl_target_opencl12;
        mine.name = "mygpu8";
        mine.widths = 1 << 0 | 1 << 1 | 1 << 3;
        irl_module *m = irl_func_lower(irl_kernel(cx, &plus), irl_target_new(cx, &mine));
        CHECK(m != NULL);
    }
    CHECK_OK(cx);
}

/* ------------------------------------------------------------------ maps, shown with their text */

typedef struct shown_map {
    const char    *code;
    const irl_map *map;
} shown_map;

#define SHOWN 8
#define SHOW(call) (list[count].code = #call, list[count++].map = call)

static int show(irl_ctx *cx, shown_map *list)
{
    static const int     order[] = { 0, 2, 1 };
    static const int64_t factor[] = { 4, 1, 8 }, before[] = { 0, 2 };
    int                  count = 0;
    SHOW(irl_map_split(cx, 2, 1, 4));
    SHOW(irl_map_fuse(cx, IRL_SHAPE(2, 3, 5), 0, 2));
    SHOW(irl_map_strided(cx, IRL_SHAPE(12, 1)));
    SHOW(irl_map_divide(cx, 1, 0, IRL_SHAPE(4), IRL_SHAPE(2)));
    SHOW(irl_map_product(cx, IRL_SHAPE(2, 2), IRL_SHAPE(4, 1), IRL_SHAPE(6), IRL_SHAPE(1)));
    list[count].code = "order { 0, 2, 1 }", list[count++].map = irl_map_permutation(cx, 3, order);
    list[count].code = "factor { 4, 1, 8 }", list[count++].map = irl_map_tile(cx, 3, factor);
    list[count].code = "before { 0, 2 }", list[count++].map = irl_map_pad(cx, 2, before);
    return count;
}

/* ------------------------------------------------------------------ the header, read */

enum { PAGE = 1 << 21 };

static char *read_file(const char *name, size_t *length)
{
    char *text = (char *)malloc(PAGE);
    FILE *in = fopen(name, "rb");
    *length = text && in ? fread(text, 1, PAGE - 1, in) : 0;
    if (in) fclose(in);
    if (text) text[*length] = '\0';
    return text;
}

/* The text without its white space, in place. */
static char *squeeze(char *text)
{
    char *from = text, *to = text;
    for (; *from; from++)
        if (!strchr(" \t\r\n", *from)) *to++ = *from;
    *to = '\0';
    return text;
}

static int begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static int is_code(const char *text)
{
    static const char *const begin[] = { "irl_",      "IRL_",     "const irl_", "puts(",
                                         "enum {",    "packed[",  "if (",       "memset(",
                                         "question.", "f = irl_", "int64_t ",   "cl_mem ",
                                         "order {",   "factor {", "before {" };
    size_t k;
    for (k = 0; k < sizeof begin / sizeof begin[0]; k++)
        if (begins(text, begin[k])) return 1;
    return 0;
}

/* One line of example code: in `source`, up to its last semicolon; or a map of `list`, with its
   text behind it or in the next line. */
static int line_is_tested(irl_ctx *cx, char *line, const char *next, const char *source,
                          const shown_map *list, int count)
{
    char *end = strrchr(line, ';'), *comment = strstr(line, "*/");
    int   k;
    if (comment) *comment = '\0';
    if (end) {
        end[1] = '\0';
        return strstr(source, squeeze(line)) != NULL;
    }
    for (k = 0; k < count; k++) {
        const char    *text = line + strlen(list[k].code);
        const irl_map *expected;
        char           map[256];
        if (!begins(line, list[k].code)) continue;
        if (!strchr(text, '>')) text = next;
        strncpy(map, text, sizeof map - 1);
        map[sizeof map - 1] = '\0';
        expected = irl_map_parse(cx, map);
        return expected && list[k].map &&
               strcmp(irl_map_text(cx, expected), irl_map_text(cx, list[k].map)) == 0;
    }
    line[strcspn(line, " ")] = '\0';
    return !strchr(line, '(') && !strchr(line, '{'); /* a name in a table */
}

/* How many lines of example code are in the comments of the public part; each must be tested. */
static int read_header(irl_ctx *cx, const char *header, const char *test, const char *stop)
{
    size_t    length, size;
    char     *text = read_file(header, &length), *source = read_file(test, &size), *p, *end;
    shown_map list[SHOWN];
    int       count = show(cx, list), found = 0, in_comment = 0;
    CHECK(count == SHOWN && length > 1000 && size > 1000 && size < PAGE - 1);
    end = strstr(text, stop);
    CHECK(end != NULL);
    if (end) *end = '\0';
    squeeze(source);
    for (p = text; *p;) {
        char  *stop_at = strchr(p, '\n'), *next = stop_at ? stop_at + 1 : p + strlen(p), *code = p;
        char   line[512], after[512];
        size_t indent;
        int    before = in_comment;
        if (stop_at) *stop_at = '\0';
        for (; *code; code++) /* comments do not hold strings, and strings hold no comments here */
            if (begins(code, "/*")) in_comment = 1;
            else if (begins(code, "*/")) in_comment = 0;
        indent = strspn(p, " ");
        if (before && indent >= 7 && is_code(p + indent)) {
            size_t n = strcspn(next, "\n");
            strncpy(line, p + indent, sizeof line - 1);
            line[sizeof line - 1] = '\0';
            n = n < sizeof after - 1 ? n : sizeof after - 1;
            memcpy(after, next, n);
            after[n] = '\0';
            found++;
            if (!CHECK(line_is_tested(cx, line, after + strspn(after, " "), source, list, count)))
                printf("  %s: %s\n", header, p + indent);
        }
        p = next;
    }
    free(source);
    free(text);
    return found;
}

/* How many lines of code the recipes have, between the headings STEP BY STEP and WHAT IT DOES NOT
   DO. Every line that is indented by seven or more is code and must be in this file: all of it, or
   up to its last semicolon, after which the header says what is printed. */
static int read_recipes(const char *header, const char *test)
{
    size_t length, size;
    char  *text = read_file(header, &length), *source = squeeze(read_file(test, &size));
    char  *line = strstr(text, "\n   STEP BY STEP"), *next;
    int    count = 0;
    CHECK(line != NULL);
    for (line = line ? strchr(line + 1, '\n') : NULL; line; line = next) {
        size_t indent = strspn(++line, " ");
        char  *end;
        next = strchr(line, '\n');
        if (!next || (indent == 3 && begins(line + 3, "WHAT IT DOES NOT DO"))) break;
        *next = '\0';
        if (indent < 7 || !line[indent]) continue;
        end = strrchr(line, ';');
        if (end) end[1] = '\0';
        if (!CHECK(strstr(source, squeeze(line)) != NULL)) printf("  %s\n", line);
        count++;
    }
    free(source);
    free(text);
    return count;
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    first_program();
    second_program(cx);
    contexts(cx);
    layouts(cx);
    verdicts(cx);
    kernels(cx);
    errors(cx);
    graphs(cx);
    analysis(cx);
    refusals(cx);
    pictures(cx);
    textures(cx);
    plans(cx);
    records(cx);
    bits_of_layouts(cx);
    dma(cx);
    packing(cx);
    reading(cx);
    passes(cx);
    rewriting(cx);
    targets(cx);
    recipes_of_layouts(cx);
    recipes_of_kernels(cx);
    recipes_of_graphs(cx);
    recipes_of_contexts(cx);
    CHECK(read_header(cx, "irlayout.h", "tests/test_manual.c",
                      "stop here if you only want the API") >= 30);
    CHECK(read_header(cx, "irlayout_ocl.h", "tests/ocl_run.c",
                      "stop here if you only want the API") >= 10);
    CHECK(read_recipes("irlayout.h", "tests/test_manual.c") >= 100);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
