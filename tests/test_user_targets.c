/* test_user_targets.c - targets of the program's own: what is lowered for one that is drawn at
   random computes the same; a column that is wrong is refused; its text reads back; its name is
   known where it was made.

   A seed runs one again: build/split/tests/test_user_targets 17 */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "as_written.h"
#include "experiment.h"
#include "generate_lanes.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

static const irl_target *read(irl_ctx *cx, const char *text)
{
    return irl_target_parse(cx, text, IRL_TO_NUL, "mine.target");
}

/* ------------------------------------------------------------------ columns that are wrong */

typedef struct wrong_row {
    const char *text; /* '@' stands before the place that the diagnostic shows, and is taken out */
    irl_code    code;
    const char *part; /* of the message */
} wrong_row;

static const wrong_row wrong_rows[] = {
    { "@targe t { }", IRL_ERROR_SYNTAX, "expected target" },
    { "target @{ }", IRL_ERROR_SYNTAX, "the name of the target" },
    { "target t @}", IRL_ERROR_SYNTAX, "'{' and columns" },
    { "target t { } @target u { }", IRL_ERROR_SYNTAX, "the end of the text" },
    { "target t: @none { }", IRL_ERROR_UNKNOWN_NAME, "no target 'none'" },
    { "target t { @width = 1; }", IRL_ERROR_SYNTAX, "serial, pointer_casts, widths" },
    { "target t { int64 @true; }", IRL_ERROR_SYNTAX, "'='" },
    { "target t { int64 = @1; }", IRL_ERROR_SYNTAX, "true or false" },
    { "target t { int64 = true @}", IRL_ERROR_SYNTAX, "';'" },
    { "target t { int64 = true; @int64 = true; }", IRL_ERROR_DUPLICATE_NAME, "stated twice" },
    { "target t { doc = \"a\"; @doc = \"b\"; }", IRL_ERROR_DUPLICATE_NAME, "stated twice" },
    { "target t { doc = @a; }", IRL_ERROR_SYNTAX, "a text in quotes" },
    { "target t { work_group = @-1; }", IRL_ERROR_SYNTAX, "a number" },
    { "target t { work_group = @4294967296; }", IRL_ERROR_BAD_TARGET, "4294967296 is more" },
    { "target t { widths = 1, @17; }", IRL_ERROR_BAD_TARGET, "17 is more than 16" },
    { "target t { widths = 1, @0; }", IRL_ERROR_BAD_TARGET, "a vector of 0 lanes" },
    { "target t { widths = @1, 5; }", IRL_ERROR_BAD_TARGET, "another width than 1, 2, 3" },
    { "target t { widths = @2; }", IRL_ERROR_BAD_TARGET, "lacks 1, which every target needs" },
    { "target t { widths = @1, 4; }", IRL_ERROR_BAD_TARGET, "has a width, but not half of it" },
    { "target t { widths = @1, 2, 3; }", IRL_ERROR_BAD_TARGET, "has 3, but not 4: a vector of 3 "
                                                               "lanes is stored in one of 4" },
    { "target t { widths = @1, 2, 3, 4; serial = true; }", IRL_ERROR_BAD_TARGET, "has 3, but C "
                                                                                 "compilers have "
                                                                                 "no vectors of 3 "
                                                                                 "lanes" },
    { "target t { alignment = @24; }", IRL_ERROR_BAD_TARGET,
      "column 'alignment' of target 't' is 24; expected a power of two" },
    { "target t { alignment = @256; }", IRL_ERROR_BAD_TARGET, "is 256; expected 1 to 128" },
    { "target t { run_alignment = @3; }", IRL_ERROR_BAD_TARGET, "a power of two" },
    { "target t { buffer_bytes = @2147483648; }", IRL_ERROR_BAD_TARGET, "2147483647 or less" },
    { "target t { buffer_bytes = @any; }", IRL_ERROR_BAD_TARGET, "without 64-bit integers" },
    { "target t: opencl12 { int64 = false; }", IRL_ERROR_BAD_TARGET, "column 'buffer_bytes'" },
    { "target @t { registers = 8; }", IRL_ERROR_BAD_TARGET, "column 'vector_bytes'" },
    { "target t { registers = @5000; }", IRL_ERROR_BAD_TARGET, "expected 0 to 4096" },
    { "target t { registers = 8; vector_bytes = @129; }", IRL_ERROR_BAD_TARGET, "0 to 128" },
    { "target t { line_bytes = @64; }", IRL_ERROR_BAD_TARGET, "0, as there is no subgroup" },
    { "target @t: `opencl12-gpu` { subgroup = 0; }", IRL_ERROR_BAD_TARGET, "'group_items'" },
    { "target t: `opencl12-gpu` { subgroup = @24; }", IRL_ERROR_BAD_TARGET, "power of two, or 0" },
    { "target t: `opencl12-gpu` { units = @0; }", IRL_ERROR_BAD_TARGET, "1 or more, as there is" },
    { "target t { units = @8; }", IRL_ERROR_BAD_TARGET, "0, as there is no subgroup" },
    { "target t: `opencl12-gpu` { banks = @24; }", IRL_ERROR_BAD_TARGET, "a power of two, as" },
    { "target t: `opencl12-gpu` { line_bytes = @0; }", IRL_ERROR_BAD_TARGET, "a power of two" },
    { "target t: `opencl12-gpu` { group_items = @512; }", IRL_ERROR_BAD_TARGET, "than work_group" },
    { "target t: `opencl12-gpu` { group_items = @16; }", IRL_ERROR_BAD_TARGET, "than subgroup" },
    { "target t { subgroup = @8; group_items = 8; units = 1; line_bytes = 64; banks = 16; "
      "work_group = 8; "
      "serial = true; }",
      IRL_ERROR_BAD_TARGET, "serial code has no work-items" },
    { "target @t { texels = f32; }", IRL_ERROR_BAD_TARGET, "'image_extent' of target 't' is 0" },
    { "target t { texels = @f64; image_extent = 8; }", IRL_ERROR_BAD_TARGET, "no images" },
    { "target t { texels = @f32x4; image_extent = 8; }", IRL_ERROR_BAD_TARGET, "found f32x4" },
    { "target t { texels = @f33; image_extent = 8; }", IRL_ERROR_BAD_TYPE, "'f33'" },
    { "target t { image_extent = @8; }", IRL_ERROR_BAD_TARGET, "0, as there are no texels" },
    { "target t { volume_extent = @8; }", IRL_ERROR_BAD_TARGET, "0, as there are no texels" },
    { "target t { layers = @8; }", IRL_ERROR_BAD_TARGET, "0, as there are no texels" },
    { "target t { line_texels = @8; }", IRL_ERROR_BAD_TARGET, "0, as there are no texels" },
    { "target t { samplerless = @true; }", IRL_ERROR_BAD_TARGET, "0, as there are no texels" },
    { "target t { texels = @f32; image_extent = 8; serial = true; }", IRL_ERROR_BAD_TARGET,
      "a serial target has no images" },
    { "target t { serial = true; pointer_casts = @true; }",
      IRL_ERROR_BAD_TARGET, "a serial target" },
    { "target @opencl12 { }", IRL_ERROR_DUPLICATE_NAME, "with other columns already" },
    { "target @`a b` { }", IRL_ERROR_BAD_TARGET, "'a b' is not a name" },
    { "target @`-` { }", IRL_ERROR_BAD_TARGET, "'-' is not a name" },
};

static void test_wrong(void)
{
    int k;
    for (k = 0; k < COUNT(wrong_rows); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[256];
        const char *at = strchr(wrong_rows[k].text, '@');
        int         column = at ? (int)(at - wrong_rows[k].text) : -1;
        snprintf(text, sizeof text, "%.*s%s", at ? column : 200, wrong_rows[k].text,
                 at ? at + 1 : "");
        CHECK(read(cx, text) == NULL);
        CHECK_CODE(cx, wrong_rows[k].code);
        if (!CHECK(irl_diag_of(cx) && strstr(irl_diag_of(cx)->message, wrong_rows[k].part) &&
                   (!at || irl_diag_of(cx)->column == column + 1)))
            printf("  %s\n%s\n", text, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* Those that only a struct can hold. */
static void test_wrong_structs(void)
{
    irl_ctx   *cx = irl_ctx_create(NULL);
    irl_mark   mark = irl_ctx_mark(cx);
    irl_target t;
    int        k;
    for (k = 0; k < 10; k++) {
        t = irl_target_opencl12;
        t.name = "mine";
        switch (k) {
        case 0: t.name = NULL; break;
        case 1: t.name = ""; break;
        case 2: t.name = "0"; break;
        case 3: t.int64 = 2; break;
        case 4: t.serial = -1; break;
        case 5: t.work_group = -1; break;
        case 6: t.buffer_bytes = -1; break;
        case 7: t.texels = UINT32_C(1) << 31; break;
        case 8: t.widths = UINT32_C(0x8001808f); break;
        default: t.alignment = UINT32_C(0x80000000); break;
        }
        CHECK(irl_target_new(cx, &t) == NULL);
        CHECK_CODE(cx, IRL_ERROR_BAD_TARGET);
        irl_ctx_rewind(cx, mark);
    }
    CHECK(irl_target_new(cx, NULL) == NULL && irl_target_new(NULL, &t) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_target_parse(cx, NULL, 0, NULL) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ names */

static const char of_ten[] = "func f(x: f32[10], y: f32[10]) { for (i: 10) y[i] = x[i]; }";

static void test_known(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL), *other = irl_ctx_create(NULL);
    irl_mark          mark = irl_ctx_mark(cx), there = irl_ctx_mark(other);
    const irl_target *mine = read(cx, "target mygpu: opencl12 { widths = 1, 2, 4; }");
    irl_target        copy = *mine;
    irl_module       *m = irl_func_lower(parse(cx, of_ten), mine), *again;
    char              text[2048];
    CHECK(m && irl_module_check(m, NULL) && irl_ocl_source(m)[0] &&
          irl_module_run_pass(m, "check_target"));
    CHECK(irl_target_find_in(cx, "mygpu") == mine && !irl_target_find("mygpu"));
    CHECK(irl_target_new(cx, &copy) == mine); /* the same columns */
    CHECK(irl_target_find_in(cx, "c99") == irl_target_find("c99"));
    CHECK(!irl_target_find_in(cx, NULL) && !irl_target_find_in(NULL, "mygpu"));
    CHECK_OK(cx);
    /* the text of the module needs its target */
    snprintf(text, sizeof text, "%s", irl_module_text(m));
    again = irl_module_parse(other, text, IRL_TO_NUL, NULL);
    CHECK(again != NULL);
    CHECK(!irl_ocl_source(again)[0]);
    CHECK_CODE(other, IRL_ERROR_UNKNOWN_NAME);
    CHECK(strstr(irl_diag_text(other), "no target 'mygpu' in this context"));
    irl_ctx_rewind(other, there);
    again = irl_module_parse(other, text, IRL_TO_NUL, NULL);
    CHECK(!irl_module_check(again, NULL) && !irl_module_run_pass(again, "check_target"));
    CHECK_CODE(other, IRL_ERROR_UNKNOWN_NAME);
    irl_ctx_rewind(other, there);
    CHECK(read(other, irl_target_text(cx, mine)));
    again = irl_module_parse(other, text, IRL_TO_NUL, NULL);
    CHECK(again && irl_module_check(again, NULL) &&
          strcmp(irl_ocl_source(again), irl_ocl_source(m)) == 0);
    /* a copy, and one of another context, are not taken */
    CHECK(!irl_func_lower(parse(cx, of_ten), &copy));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    CHECK(!irl_func_lower(parse(other, of_ten), mine));
    CHECK_CODE(other, IRL_ERROR_BAD_ARGUMENT);
    /* another of that name; and a name that is given back */
    irl_ctx_rewind(cx, mark);
    CHECK(irl_target_find_in(cx, "mygpu") == NULL);
    CHECK(read(cx, "target mygpu { }"));
    mark = irl_ctx_mark(cx);
    CHECK(!read(cx, "target mygpu { ramps = true; }"));
    CHECK_CODE(cx, IRL_ERROR_DUPLICATE_NAME);
    irl_ctx_rewind(cx, mark);
    CHECK(irl_target_find_in(cx, "mygpu") != NULL);
    irl_ctx_destroy(other);
    irl_ctx_destroy(cx);
}

/* A row's text is the row; under another name it lowers the same. */
static void test_rows(void)
{
    int k;
    for (k = 0; irl_target_name(k); k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        const irl_target *row = irl_target_find(irl_target_name(k)), *twin;
        irl_target        columns = *row;
        uint64_t          seed;
        CHECK(read(cx, irl_target_text(cx, row)) == row);
        columns.name = "twin";
        twin = irl_target_new(cx, &columns);
        CHECK(twin && twin != row && strcmp(twin->doc, row->doc) == 0);
        for (seed = 1; seed <= (uint64_t)TEST_COUNT(20); seed++) {
            gen_options options;
            gen_case    c;
            irl_module *a, *b;
            memset(&options, 0, sizeof options);
            c = gen_function(seed, options);
            a = irl_func_lower(parse(cx, c.text), row);
            b = irl_func_lower(parse(cx, c.text), twin);
            CHECK(a && b && strcmp(strchr(irl_module_text(a), '{'),
                                   strchr(irl_module_text(b), '{')) == 0);
            gen_free(&c);
        }
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ generated */

static uint64_t state;
static int      below(int n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)n);
}

static irl_target drawn(uint64_t seed)
{
    static const uint32_t widths[] = { 0x1, 0x3, 0xb, 0xf, 0x8b, 0x8f, 0x808b, 0x808f };
    static const int      types[] = { IRL_I8,  IRL_I16,  IRL_I32,  IRL_U8,     IRL_U16,
                                      IRL_U32, IRL_F16,  IRL_BF16, IRL_F32,    IRL_UNORM8,
                                      IRL_SNORM8, IRL_UNORM16, IRL_SNORM16 };
    irl_target            t;
    int                   k;
    state = seed * UINT64_C(0x9e3779b97f4a7c15);
    memset(&t, 0, sizeof t);
    t.name = "drawn";
    t.serial = below(4) == 0;
    t.pointer_casts = !t.serial && below(2);
    t.widths = widths[below(COUNT(widths))];
    if (t.serial) t.widths &= ~UINT32_C(4);
    t.ramps = below(2);
    t.alignment = UINT32_C(1) << below(8);
    t.run_alignment = UINT32_C(1) << below(8);
    t.int64 = below(4) != 0;
    t.halves = below(2);
    t.buffer_bytes = t.int64 ? INT64_MAX : INT32_MAX;
    t.work_group = 1 + below(1024);
    t.local_bytes = below(2) ? 32768 : below(4096);
    t.registers = below(2) * below(64);
    t.vector_bytes = 1 + below(128);
    t.cache_bytes = below(65536);
    if (!t.serial && below(3) == 0) {
        t.subgroup = 1 << below(7);
        while (t.subgroup > t.work_group) t.subgroup /= 2;
        t.group_items = t.subgroup << below(3);
        while (t.group_items > t.work_group) t.group_items /= 2;
        t.units = 1 + below(100);
        t.line_bytes = 32 << below(4);
        t.banks = below(3) ? 16 << below(2) : 0;
    }
    if (t.serial || below(3) == 0) return t;
    for (k = 0; k < COUNT(types); k++)
        if (below(4)) t.texels |= UINT32_C(1) << types[k];
    t.texels |= UINT32_C(1) << IRL_F32;
    t.image_extent = 64 + below(8192);
    t.volume_extent = below(2) * (64 + below(2048));
    t.layers = below(2) * (64 + below(2048));
    t.line_texels = below(2) * (64 + below(65536));
    t.samplerless = below(2);
    t.image_tensors = below(2);
    return t;
}

/* How many were lowered, how many refused. */
static int lowered, refused;

/* What a target that is drawn may not have. */
static int may_lack(irl_code code)
{
    return code == IRL_ERROR_UNSUPPORTED || code == IRL_ERROR_TARGET_LIMIT ||
           code == IRL_ERROR_IMAGE_LIMIT || code == IRL_ERROR_IMAGE_FORMAT ||
           code == IRL_ERROR_INDEX_WIDTH || code == IRL_ERROR_ALIGNMENT;
}

static int as_drawn(experiment *x, irl_ctx *cx, const char *text)
{
    irl_func         *f = experiment_begin(x, cx, text);
    irl_target        columns = drawn(x->c->seed);
    const irl_target *target = irl_target_new(cx, &columns);
    irl_lower_options how;
    irl_module       *m;
    if (!f) return 0;
    if (!target || read(cx, irl_target_text(cx, target)) != target)
        return experiment_fail(x, "the text of the target", "");
    memset(&how, 0, sizeof how);
    how.verify = x->c->seed % 2 == 0;
    how.schedule = x->c->seed % 7 == 0 ? IRL_SCHEDULE_AUTO : IRL_SCHEDULE_NONE;
    m = irl_func_lower_with(f, target, &how);
    lowered += m != NULL;
    refused += m == NULL;
    if (!m) return may_lack(irl_diag_of(cx)->code) ? 1 : experiment_fail(x, "refused", "");
    if (!experiment_same(x, NULL, m, "lowered for ", irl_target_text(cx, target))) return 0;
    if (how.verify && !irl_module_check(m, NULL)) return experiment_fail(x, "checked", "");
    if (target->serial ? irl_c_source(m)[0] : irl_ocl_source(m)[0]) return 1;
    return irl_diag_of(cx) ? 1 : experiment_fail(x, "emitted as nothing", "");
}

static void one_seed(uint64_t seed)
{
    gen_options options;
    gen_case    c;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    options.plain = !drawn(seed).texels;
    options.narrow = !drawn(seed).int64;
    c = seed % 3 ? gen_function(seed, options) : gen_lane_function(seed, options);
    experiment_check(&c, as_drawn, NULL, 5);
    gen_free(&c);
}

/* Groups of one work-item, and kernels of one, where several work-items run in lockstep. */
static void test_idle(void)
{
    static const struct {
        const char *target, *text;
        int         warns;
    } rows[] = {
        { "mali", "for bind(group.x) (i: 64) y[i] = x[i];", 1 },
        { "opencl12-gpu", "for bind(group.x) (i: 8) for bind(group.y) (j: 8) y[i * 8 + j] = 1.0f;",
          1 },
        { "mali", "for bind(group.x) (i: 4) for bind(local.x) (j: 16) y[i * 16 + j] = 1.0f;", 0 },
        { "mali", "for bind(group.x) (i: 64) for bind(local.x) (j: 1) y[i] = x[i];", 1 },
        { "mali", "for bind(global.x) (i: 64) y[i] = x[i];", 0 },
        { "mali", "for bind(group.x) (i: 1) y[i] = x[i];", 0 },
        { "opencl12", "for bind(group.x) (i: 64) y[i] = x[i];", 0 },
        { "mali", "for (i: 64) y[i] = x[i];", 1 },
        { "opencl12", "for (i: 64) y[i] = x[i];", 0 },
        /* as steps leave it; what loops carry; nothing to share */
        { "mali", "for (i: 64) note(scheduled = 1) y[i] = x[i];", 0 },
        { "mali", "for (i: 1 .. 64) y[i] = y[i - 1] + x[i];", 0 },
        { "mali", "y[0] = x[0];", 0 }
    };
    for (int k = 0; k < COUNT(rows); k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        char              text[256];
        const irl_module *m;
        const char       *says;
        snprintf(text, sizeof text, "func f(x: f32[64], y: f32[64]) { %s }", rows[k].text);
        m = lower_as_written(irl_func_parse(cx, text, IRL_TO_NUL, NULL),
                             irl_target_find(rows[k].target));
        says = m ? irl_func_warnings(irl_module_host(m)) : irl_diag_text(cx);
        if (!CHECK(m && (strstr(says, "is one work-item, and ") != NULL) == rows[k].warns))
            printf("%s\n%s", text, says);
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed, first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(1500);
    test_wrong();
    test_wrong_structs();
    test_known();
    test_rows();
    test_idle();
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) one_seed(seed);
    printf("%d lowered, %d refused\n", lowered, refused);
    CHECK(count < 10 || lowered > 3 * refused);
    return TEST_DONE();
}
