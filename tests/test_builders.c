/* test_builders.c - whatever the text can say can be built by calls, and is equal to what the
   parser makes; what a caller hands over wrongly is a diagnostic. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ------------------------------------------------------------------ shorthands */

static irl_type f32(void) { return irl_type_of(IRL_F32, 1); }
static const irl_expr *var(irl_ctx *cx, const char *name)
{
    return irl_expr_var(cx, name, irl_type_of(IRL_INDEX, 1));
}
static const irl_expr *add(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, IRL_OP_ADD, a, b);
}
static const irl_expr *mul(irl_ctx *cx, const irl_expr *a, int64_t b)
{
    return irl_expr_op2(cx, IRL_OP_MUL, a, irl_expr_index(cx, b));
}

static const irl_expr *load2(irl_ctx *cx, const irl_buffer *b, const irl_expr *i, const irl_expr *j)
{
    const irl_expr *at[2];
    at[0] = i;
    at[1] = j;
    return irl_expr_load(cx, b, 2, at);
}

static const irl_stmt *store2(irl_ctx *cx, const irl_buffer *b, const irl_expr *i,
                              const irl_expr *j, const irl_expr *value)
{
    const irl_expr *at[2];
    at[0] = i;
    at[1] = j;
    return irl_stmt_store(cx, b, value, 2, at);
}

static const irl_buffer *matrix(irl_ctx *cx, const char *name, int64_t rows, int64_t columns,
                                const irl_buffer_desc *desc)
{
    const irl_expr *shape[2];
    shape[0] = irl_expr_index(cx, rows);
    shape[1] = irl_expr_index(cx, columns);
    return irl_buffer_new_with(cx, name, f32(), IRL_SCOPE_GLOBAL, 2, shape, desc);
}

static const irl_stmt *loop(irl_ctx *cx, const irl_expr *v, int64_t extent, const irl_stmt *body)
{
    return irl_stmt_for(cx, IRL_SERIAL, v, irl_expr_index(cx, 0), irl_expr_index(cx, extent), body);
}

static irl_note note_of(const char *key, const irl_expr *value, const char *text)
{
    irl_note n;
    n.key = key;
    n.value = value;
    n.text = text;
    return n;
}

static irl_func *func_of(irl_ctx *cx, const char *name, int count, const irl_buffer *const *buffers,
                         const irl_stmt *body)
{
    irl_param_desc params[4];
    int            k;
    memset(params, 0, sizeof params);
    for (k = 0; k < count; k++) params[k].buffer = buffers[k];
    return irl_func_new(cx, name, count, params, body);
}

static void equal(irl_ctx *cx, const irl_func *built, const char *text)
{
    const irl_func *parsed = irl_func_parse(cx, text, strlen(text), "expected");
    CHECK_OK(cx);
    if (!CHECK(built && parsed && irl_func_equal(built, parsed)))
        printf("built:\n%s\nexpected:\n%s\n", built ? irl_func_text(built) : "nothing", text);
}

/* -------------------------------------------------------------- all of it, equal to the text */

static const char block_text[] =
    "func matmul(a: f32[8, 12], b: f32[12, 8], c: f32[8, 8]) attr(author = \"me\") attr(tile = 4) "
    "{\n"
    "    for (i: 8, j: 8, k: 12) note(hint = 2)\n"
    "        block mm(vi: spatial(8) = i, vj: spatial(8) = j, vk: reduce(12) = k)\n"
    "            where(vk < 11) reads(a[vi, vk], b[vk, vj]) writes(c[vi, vj]) note(name = "
    "\"inner\") {\n"
    "            init c[vi, vj] = 0.0;\n"
    "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj];\n"
    "        }\n"
    "}\n";

static irl_func *matmul(irl_ctx *cx)
{
    const irl_buffer *abc[3];
    const irl_expr   *loops[3], *v[3], *at[3][2];
    irl_block_axis    axes[3];
    irl_region        reads[2], writes[1];
    irl_block_desc    d;
    const irl_stmt   *s;
    int               k;
    memset(axes, 0, sizeof axes);
    abc[0] = matrix(cx, "a", 8, 12, NULL);
    abc[1] = matrix(cx, "b", 12, 8, NULL);
    abc[2] = matrix(cx, "c", 8, 8, NULL);
    for (k = 0; k < 3; k++) {
        static const char *const names[] = { "i", "j", "k", "vi", "vj", "vk" };
        loops[k] = var(cx, names[k]);
        axes[k].var = v[k] = var(cx, names[k + 3]);
        axes[k].extent = irl_expr_index(cx, k == 2 ? 12 : 8);
        axes[k].binding = loops[k];
        axes[k].is_reduction = k == 2;
    }
    at[0][0] = at[2][0] = v[0], at[0][1] = at[1][0] = v[2], at[1][1] = at[2][1] = v[1];
    memset(reads, 0, sizeof reads);
    memset(writes, 0, sizeof writes);
    memset(&d, 0, sizeof d);
    for (k = 0; k < 2; k++) reads[k].buffer = abc[k], reads[k].min = at[k];
    writes[0].buffer = abc[2];
    writes[0].min = at[2];
    d.name = "mm";
    d.axis_count = 3;
    d.axes = axes;
    d.predicate = irl_expr_op2(cx, IRL_OP_LT, v[2], irl_expr_index(cx, 11));
    d.read_count = 2;
    d.reads = reads;
    d.write_count = 1;
    d.writes = writes;
    d.init = store2(cx, abc[2], v[0], v[1], irl_expr_float(cx, f32(), 0));
    d.body = store2(cx, abc[2], v[0], v[1],
                    add(cx, irl_expr_load(cx, abc[2], 2, at[2]),
                        irl_expr_op2(cx, IRL_OP_MUL, irl_expr_load(cx, abc[0], 2, at[0]),
                                     irl_expr_load(cx, abc[1], 2, at[1]))));
    s = irl_stmt_set_note(cx, irl_stmt_block(cx, &d), note_of("name", NULL, "inner"));
    s = irl_stmt_set_note(cx, loop(cx, loops[2], 12, s),
                          note_of("hint", irl_expr_index(cx, 2), NULL));
    s = loop(cx, loops[0], 8, loop(cx, loops[1], 8, s));
    return irl_func_set_attr(
        irl_func_set_attr(func_of(cx, "matmul", 3, abc, s), note_of("author", NULL, "me")),
        note_of("tile", irl_expr_index(cx, 4), NULL));
}

static const char tile_text[] =
    "func tiles(x: f32[16, 16], y: f32[16, 16]) {\n"
    "    for (i: 4, j: 4)\n"
    "        block b(vi: spatial(4) = i, vj: spatial(4) = j) reads(x[vi * 4: 4, vj * 4: 4]) "
    "writes(y[vi * 4: 4, vj * 4: 4]) {\n"
    "            alloc t: f32[4, 4];\n"
    "            match s: f32[4, 4] = x[vi * 4: 4, vj * 4: 4];\n"
    "            for (p: 4, q: 4) t[p, q] = s[q, p];\n"
    "            for (p: 4, q: 4) y[vi * 4 + p, vj * 4 + q] = t[p, q];\n"
    "        }\n"
    "}\n";

static irl_func *tiles(irl_ctx *cx)
{
    const irl_buffer *xy[2], *t, *s;
    const irl_expr *i = var(cx, "i"), *j = var(cx, "j"), *p = var(cx, "p"), *q = var(cx, "q"),
                   *p2 = var(cx, "p"), *q2 = var(cx, "q");
    const irl_expr   *start[2], *extent[2];
    const irl_stmt   *body[2];
    irl_block_axis    axes[2];
    irl_region        region[2];
    irl_match         match;
    irl_block_desc    d;
    int               k;
    memset(axes, 0, sizeof axes);
    xy[0] = matrix(cx, "x", 16, 16, NULL);
    xy[1] = matrix(cx, "y", 16, 16, NULL);
    t = matrix(cx, "t", 4, 4, NULL);
    s = matrix(cx, "s", 4, 4, NULL);
    for (k = 0; k < 2; k++) {
        axes[k].var = var(cx, k ? "vj" : "vi");
        axes[k].extent = extent[k] = irl_expr_index(cx, 4);
        axes[k].binding = k ? j : i;
        axes[k].is_reduction = 0;
        start[k] = mul(cx, axes[k].var, 4);
        region[k].buffer = xy[k];
        region[k].min = start;
        region[k].extent = extent;
    }
    match.buffer = s;
    match.source = region[0];
    body[0] = loop(cx, p, 4, loop(cx, q, 4, store2(cx, t, p, q, load2(cx, s, q, p))));
    body[1] = loop(cx, p2, 4,
                   loop(cx, q2, 4,
                        store2(cx, xy[1], add(cx, start[0], p2), add(cx, start[1], q2),
                               load2(cx, t, p2, q2))));
    memset(&d, 0, sizeof d);
    d.name = "b";
    d.axis_count = 2;
    d.axes = axes;
    d.read_count = d.write_count = d.alloc_count = d.match_count = 1;
    d.reads = &region[0];
    d.writes = &region[1];
    d.allocs = &t;
    d.matches = &match;
    d.body = irl_stmt_seq(cx, 2, body);
    return func_of(cx, "tiles", 2, xy, loop(cx, i, 4, loop(cx, j, 4, irl_stmt_block(cx, &d))));
}

static const char views_text[] =
    "func views(x: f32[4, 6] sep(1) align(64), y: f32[4, 4] strides(8, 2) offset(3)) {\n"
    "    decl z: f32[2, 3] data(x) sep(1);\n"
    "    attr(mark = \"here\")\n"
    "        y[0, 0] = z[1, 2];\n"
    "}\n";

static irl_func *views(irl_ctx *cx)
{
    static const int  separators[] = { 1 };
    const irl_expr   *zero = irl_expr_index(cx, 0), *strides[2];
    irl_buffer_desc   dx, dy, dz;
    const irl_buffer *xy[2], *z;
    const irl_stmt   *body[2];
    memset(&dx, 0, sizeof dx);
    memset(&dy, 0, sizeof dy);
    memset(&dz, 0, sizeof dz);
    dx.separator_count = dz.separator_count = 1;
    dx.separators = dz.separators = separators;
    dx.alignment = 64;
    strides[0] = irl_expr_index(cx, 8);
    strides[1] = irl_expr_index(cx, 2);
    dy.strides = strides;
    dy.offset = irl_expr_index(cx, 3);
    xy[0] = matrix(cx, "x", 4, 6, &dx);
    xy[1] = matrix(cx, "y", 4, 4, &dy);
    dz.of = xy[0];
    z = matrix(cx, "z", 2, 3, &dz);
    body[0] = irl_stmt_decl(cx, z);
    body[1] = irl_stmt_attr(cx, note_of("mark", NULL, "here"),
                            store2(cx, xy[1], zero, zero,
                                   load2(cx, z, irl_expr_index(cx, 1), irl_expr_index(cx, 2))));
    return func_of(cx, "views", 2, xy, irl_stmt_seq(cx, 2, body));
}

static const char waits_text[] =
    "func waits(n: index, x: f32[8, 4], y: f32[8, 4]) {\n"
    "    assume(n >= 1);\n"
    "    assert(n % 2 == 0, \"n is even\");\n"
    "    for bind(group.x) (g: 8) for bind(local.x) (l: 4) {\n"
    "        alloc s: f32[1, 4] scope(shared);\n"
    "        if (g < 6) s[0, l] = x[g, l]; else s[0, l] = 0.5;\n"
    "        barrier(shared);\n"
    "        if (l < n) y[g, l] = s[0, 3 - l];\n"
    "        barrier(global);\n"
    "    }\n"
    "}\n";

/* Conditions, checks and barriers: n is 2 when it runs. */
static irl_func *waits(irl_ctx *cx)
{
    const irl_expr   *n = var(cx, "n"), *g = var(cx, "g"), *l = var(cx, "l"), *shape[2], *even,
                     *zero = irl_expr_index(cx, 0);
    const irl_buffer *x = matrix(cx, "x", 8, 4, NULL), *y = matrix(cx, "y", 8, 4, NULL), *s;
    const irl_stmt   *body[3], *inside[5];
    irl_param_desc    params[3];
    memset(params, 0, sizeof params);
    params[0].scalar = n;
    params[1].buffer = x;
    params[2].buffer = y;
    shape[0] = irl_expr_index(cx, 1);
    shape[1] = irl_expr_index(cx, 4);
    s = irl_buffer_new(cx, "s", f32(), IRL_SCOPE_SHARED, 2, shape);
    even = irl_expr_op2(cx, IRL_OP_EQ, irl_expr_op2(cx, IRL_OP_FLOORMOD, n, irl_expr_index(cx, 2)),
                        zero);
    CHECK(irl_type_equal(irl_expr_type(even), irl_type_of(IRL_BOOL, 1)));
    CHECK(irl_type_equal(irl_expr_type(n), irl_type_of(IRL_INDEX, 1)));
    CHECK(irl_type_equal(irl_expr_type(load2(cx, x, zero, irl_expr_ramp(cx, zero, shape[0], 4))),
                         irl_type_of(IRL_F32, 4)));
    CHECK(irl_type_equal(irl_expr_type(irl_buffer_pointer(s)),
                         irl_type_pointer(f32(), IRL_SCOPE_SHARED)));
    inside[0] = irl_stmt_alloc(cx, s);
    inside[1] = irl_stmt_if(cx, irl_expr_op2(cx, IRL_OP_LT, g, irl_expr_index(cx, 6)),
                            store2(cx, s, zero, l, load2(cx, x, g, l)),
                            store2(cx, s, zero, l, irl_expr_float(cx, f32(), 0.5)));
    inside[2] = irl_stmt_barrier(cx, IRL_SCOPE_SHARED);
    inside[3] = irl_stmt_if(
        cx, irl_expr_op2(cx, IRL_OP_LT, l, n),
        store2(cx, y, g, l,
               load2(cx, s, zero, irl_expr_op2(cx, IRL_OP_SUB, irl_expr_index(cx, 3), l))),
        NULL);
    inside[4] = irl_stmt_barrier(cx, IRL_SCOPE_GLOBAL);
    body[0] = irl_stmt_assume(cx, irl_expr_op2(cx, IRL_OP_GE, n, irl_expr_index(cx, 1)));
    body[1] = irl_stmt_assert(cx, even, "n is even");
    body[2] =
        irl_stmt_for_bound(cx, IRL_LOCAL_X, l, irl_expr_index(cx, 4), irl_stmt_seq(cx, 5, inside));
    body[2] = irl_stmt_for_bound(cx, IRL_GROUP_X, g, irl_expr_index(cx, 8), body[2]);
    return irl_func_new(cx, "waits", 3, params, irl_stmt_seq(cx, 3, body));
}

/* A let of a buffer's pointer, by calls: another name of its memory. */
static const char names_text[] = "func names(x: f32[4, 4], y: f32[4, 4]) {\n"
                                 "    decl v: f32[4, 4] data(x) strides(1, 4);\n"
                                 "    y[0, 1] = v[0, 1];\n"
                                 "}\n";

static irl_func *names(irl_ctx *cx)
{
    const irl_expr *zero = irl_expr_index(cx, 0), *one = irl_expr_index(cx, 1), *strides[2], *p, *q;
    const irl_buffer *xy[2], *v;
    const irl_stmt   *body[4];
    irl_buffer_desc   d;
    xy[0] = matrix(cx, "x", 4, 4, NULL);
    xy[1] = matrix(cx, "y", 4, 4, NULL);
    p = irl_expr_var(cx, "p", irl_type_pointer(f32(), IRL_SCOPE_GLOBAL));
    q = irl_expr_var(cx, "q", irl_type_pointer(f32(), IRL_SCOPE_GLOBAL));
    memset(&d, 0, sizeof d);
    strides[0] = one;
    strides[1] = irl_expr_index(cx, 4);
    d.pointer = q;
    d.strides = strides;
    v = matrix(cx, "v", 4, 4, &d);
    body[0] = irl_stmt_let(cx, p, irl_buffer_pointer(xy[0]));
    body[1] = irl_stmt_let(cx, q, p);
    body[2] = irl_stmt_decl(cx, v);
    body[3] = store2(cx, xy[1], zero, one, load2(cx, v, zero, one));
    return func_of(cx, "names", 2, xy, irl_stmt_seq(cx, 4, body));
}

static const char module_text[] = "module twice target(opencl12) {\n"
                                  "    host func twice(x: f32[8], y: f32[8]) {\n"
                                  "        alloc t: f32[8];\n"
                                  "        launch scale(x, t, 2);\n"
                                  "        launch scale(t, y, 3);\n"
                                  "    }\n"
                                  "    kernel func scale(a: f32[8], b: f32[8], k: index) {\n"
                                  "        for bind(global.x) (i: 8) b[i] = a[i] * f32(k);\n"
                                  "    }\n"
                                  "}\n";

static const irl_func *scale_kernel(irl_ctx *cx)
{
    const irl_expr   *eight = irl_expr_index(cx, 8), *i = var(cx, "i");
    irl_param_desc    params[3];
    const irl_buffer *a = irl_buffer_new(cx, "a", f32(), IRL_SCOPE_GLOBAL, 1, &eight),
                     *b = irl_buffer_new(cx, "b", f32(), IRL_SCOPE_GLOBAL, 1, &eight);
    memset(params, 0, sizeof params);
    params[0].buffer = a;
    params[1].buffer = b;
    params[2].scalar = var(cx, "k");
    return irl_func_new(
        cx, "scale", 3, params,
        irl_stmt_for_bound(cx, IRL_GLOBAL_X, i, eight,
                           irl_stmt_store(cx, b,
                                          irl_expr_op2(cx, IRL_OP_MUL, irl_expr_load(cx, a, 1, &i),
                                                       irl_expr_cast(cx, f32(), params[2].scalar)),
                                          1, &i)));
}

static irl_module *twice(irl_ctx *cx, const char *kernel_name)
{
    const irl_expr   *eight = irl_expr_index(cx, 8), *first[3], *second[3];
    const irl_buffer *xy[2], *t = irl_buffer_new(cx, "t", f32(), IRL_SCOPE_GLOBAL, 1, &eight);
    const irl_func   *kernel = scale_kernel(cx);
    const irl_stmt   *body[3];
    xy[0] = irl_buffer_new(cx, "x", f32(), IRL_SCOPE_GLOBAL, 1, &eight);
    xy[1] = irl_buffer_new(cx, "y", f32(), IRL_SCOPE_GLOBAL, 1, &eight);
    first[0] = irl_buffer_pointer(xy[0]);
    first[1] = second[0] = irl_buffer_pointer(t);
    second[1] = irl_buffer_pointer(xy[1]);
    first[2] = irl_expr_index(cx, 2);
    second[2] = irl_expr_index(cx, 3);
    body[0] = irl_stmt_alloc(cx, t);
    body[1] = irl_stmt_launch(cx, kernel_name, 3, first);
    body[2] = irl_stmt_launch(cx, "scale", 3, second);
    return irl_module_new(cx, "twice", "opencl12",
                          func_of(cx, "twice", 2, xy, irl_stmt_seq(cx, 3, body)), 1, &kernel);
}

static void test_equal(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_module *built = twice(cx, "scale"),
               *parsed = irl_module_parse(cx, module_text, sizeof module_text - 1, "expected");
    float       x[8], y[8];
    int         k;
    equal(cx, matmul(cx), block_text);
    equal(cx, tiles(cx), tile_text);
    equal(cx, views(cx), views_text);
    equal(cx, waits(cx), waits_text);
    equal(cx, names(cx), names_text);
    CHECK(irl_version() == IRL_VERSION_HEX);
    for (k = 0; k < 8; k++) x[k] = (float)k;
    if (!CHECK(built && parsed && irl_module_equal(built, parsed)))
        printf("%s\n%s", built ? irl_module_text(built) : "no module", irl_diag_text(cx));
    CHECK(irl_module_interpret(built, IRL_ARGS(x, y)) && y[1] == 6 && y[7] == 42);
    CHECK(irl_ocl_source(built)[0]);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* An expression that binds a name, used twice: its text binds two names, and is the same function,
   with the same hash. One constant more is another one. */
static void test_shared_let(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_type    f32 = irl_type_of(IRL_F32, 1);
    const irl_expr   *extent = irl_expr_index(cx, 8), *v = irl_expr_var(cx, "v", f32);
    const irl_expr   *i = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
    const irl_buffer *x = irl_buffer_new(cx, "x", f32, IRL_SCOPE_GLOBAL, 1, &extent);
    const irl_expr   *once = irl_expr_let(cx, v, irl_expr_load(cx, x, 1, &i),
                                          irl_expr_op2(cx, IRL_OP_MUL, v, v));
    const irl_stmt   *s = irl_stmt_store(cx, x, irl_expr_op2(cx, IRL_OP_ADD, once, once), 1, &i);
    irl_param_desc    p;
    memset(&p, 0, sizeof p);
    p.buffer = x;
    s = irl_stmt_for(cx, IRL_SERIAL, i, irl_expr_index(cx, 0), extent, s);
    const irl_func *f = irl_func_new(cx, "f", 1, &p, s);
    const irl_func *g = irl_func_parse(cx, irl_func_text(f), IRL_TO_NUL, "g");
    CHECK(f && g && irl_func_equal(f, g) && irl_func_equal(g, f));
    CHECK(irl_func_hash(f) && irl_func_hash(f) == irl_func_hash(g));
    s = irl_stmt_for(cx, IRL_SERIAL, i, irl_expr_index(cx, 1), extent, irl_stmt_body(s));
    g = irl_func_new(cx, "f", 1, &p, s);
    CHECK(g && !irl_func_equal(f, g) && irl_func_hash(f) != irl_func_hash(g));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* What is built runs and lowers: the block's numbers, before and after. */
/* What is checked when it runs, by the interpreter and where it is lowered. */
static void test_checks(int64_t n, irl_code code)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = waits(cx);
    float     x[8][4], y[8][4], z[8][4];
    int       g, l, right = 1;
    for (g = 0; g < 8; g++)
        for (l = 0; l < 4; l++) x[g][l] = (float)(g * 4 + l), y[g][l] = z[g][l] = -1;
    CHECK(irl_func_interpret(f, IRL_ARGS(&n, x, y)) == (code == IRL_OK));
    CHECK_CODE(cx, code);
    irl_ctx_destroy(cx);
    for (g = 0; g < 8 && code == IRL_OK; g++)
        for (l = 0; l < 4; l++)
            right &= y[g][l] == (l >= n ? -1 : g < 6 ? x[g][3 - l] : 0.5f);
    CHECK(right);
    cx = irl_ctx_create(NULL);
    CHECK(irl_module_interpret(irl_func_lower(waits(cx), &irl_target_opencl12),
                               IRL_ARGS(&n, x, z)) == (code == IRL_OK));
    CHECK_CODE(cx, code);
    CHECK(memcmp(y, z, sizeof y) == 0);
    irl_ctx_destroy(cx);
}

static void test_runs(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = matmul(cx);
    float     a[96], b[96], c[64], d[64];
    int       k;
    for (k = 0; k < 96; k++) a[k] = (float)(k % 7), b[k] = (float)(k % 5);
    for (k = 0; k < 64; k++) c[k] = d[k] = -1;
    CHECK(irl_func_interpret(f, IRL_ARGS(a, b, c)) &&
          irl_module_interpret(irl_func_lower(f, &irl_target_opencl12), IRL_ARGS(a, b, d)));
    CHECK(memcmp(c, d, sizeof c) == 0 && c[9] != -1);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ handed over wrongly */

typedef struct wrong {
    irl_ctx          *cx;
    const irl_expr   *i, *four, *value, *holes[2];
    const irl_buffer *x, *whole;
    const irl_stmt   *store;
} wrong;

static void wrong_parts(wrong *w)
{
    w->i = var(w->cx, "i");
    w->four = irl_expr_index(w->cx, 4);
    w->value = irl_expr_float(w->cx, f32(), 1);
    w->holes[0] = w->four;
    w->holes[1] = NULL;
    w->x = irl_buffer_new(w->cx, "x", f32(), IRL_SCOPE_GLOBAL, 1, &w->four);
    w->whole = matrix(w->cx, "whole", 4, 4, NULL);
    w->store = irl_stmt_store(w->cx, w->x, w->value, 1, &w->i);
}

static const void *wrong_buffer(wrong *w, irl_buffer_desc *d, int k)
{
    static const int twice_one[] = { 1, 1 };
    memset(d, 0, sizeof *d);
    switch (k) {
    case 0: d->alignment = 3; break;
    case 1: d->alignment = -8; break;
    case 2: d->texel = 65; break;
    case 3: d->separator_count = -1; break;
    case 4: d->separator_count = 1; break;
    case 5: d->pointer = w->four; break;
    case 6: d->pointer = w->i; break;
    default: d->separator_count = 2, d->separators = twice_one; break;
    }
    return matrix(w->cx, "b", 4, 4, d);
}

/* Call k, and the code that it must leave; NULL `code` ends the list. IRL_OK: NULL without a
   diagnostic. */
static const void *wrong_call(wrong *w, int k, irl_code *code)
{
    irl_buffer_desc   d;
    irl_param_desc    p;
    const irl_func   *f;
    irl_block_desc    block;
    irl_region        region;
    memset(&p, 0, sizeof p);
    memset(&block, 0, sizeof block);
    memset(&region, 0, sizeof region);
    block.name = "b";
    block.body = w->store;
    *code = IRL_ERROR_BAD_ARGUMENT;
    if (k < 7) return wrong_buffer(w, &d, k);
    switch (k) {
    case 7: return *code = IRL_ERROR_BAD_SEPARATORS, wrong_buffer(w, &d, 7);
    case 8: return irl_buffer_new(w->cx, "b", f32(), IRL_SCOPE_GLOBAL, 2, NULL);
    case 9:
        return *code = IRL_ERROR_TOO_LARGE,
               irl_buffer_new(w->cx, "b", f32(), IRL_SCOPE_GLOBAL, -1, NULL);
    case 10: return irl_stmt_for(w->cx, (irl_for_kind)9, w->i, w->four, w->four, w->store);
    case 48: return irl_stmt_for(w->cx, IRL_BOUND, w->i, w->four, w->four, w->store);
    case 11: return irl_stmt_for(w->cx, IRL_SERIAL, w->four, w->four, w->four, w->store);
    case 12: return irl_stmt_for_bound(w->cx, (irl_axis)77, w->i, w->four, w->store);
    case 13: return irl_stmt_seq(w->cx, -3, NULL);
    case 14: return irl_stmt_seq(w->cx, 3, NULL);
    case 15: return irl_func_new(w->cx, "f", -1, &p, w->store);
    case 16: return irl_func_new(w->cx, "f", 1, NULL, w->store);
    case 17: return irl_func_new(w->cx, "f", 1, &p, w->store);
    case 18: p.scalar = w->four; return irl_func_new(w->cx, "f", 1, &p, w->store);
    case 19: return irl_expr_load(w->cx, w->x, 1, NULL);
    case 20: return irl_expr_extern(w->cx, f32(), "g", -1, NULL);
    case 21: return irl_expr_intrinsic(w->cx, f32(), "g", 2, NULL);
    case 22: return irl_expr_shuffle(w->cx, 1, &w->value, 2, NULL);
    case 23:
        return irl_stmt_set_note(w->cx, loop(w->cx, w->i, 4, w->store),
                                 note_of(NULL, w->four, NULL));
    case 24:
        return irl_stmt_set_note(w->cx, loop(w->cx, w->i, 4, w->store), note_of("n", NULL, NULL));
    case 25:
        return irl_stmt_set_note(w->cx, loop(w->cx, w->i, 4, w->store),
                                 note_of("n", w->four, "both"));
    case 26:
        return *code = IRL_ERROR_BAD_STRUCTURE,
               irl_stmt_set_note(w->cx, w->store, note_of("n", w->four, NULL));
    case 27: block.axis_count = -1; return irl_stmt_block(w->cx, &block);
    case 28: block.read_count = 1; return irl_stmt_block(w->cx, &block);
    case 29: block.alloc_count = 2; return irl_stmt_block(w->cx, &block);
    case 30: block.match_count = 1; return irl_stmt_block(w->cx, &block);
    case 31:
        block.read_count = 1, block.reads = &region, region.buffer = w->x;
        return irl_stmt_block(w->cx, &block);
    case 32: return irl_stmt_launch(w->cx, "k", 1, NULL);
    case 33:
        return irl_module_new(w->cx, "m", NULL,
                              irl_func_new(w->cx, "f", 0, NULL, irl_stmt_seq(w->cx, 0, NULL)), 1,
                              NULL);
    case 34: return *code = IRL_ERROR_UNDECLARED, twice(w->cx, "nobody");
    case 35:
        *code = IRL_ERROR_BAD_STAGE;
        p.buffer = w->x;
        f = irl_func_set_layout(irl_func_new(w->cx, "f", 1, &p, w->store), "x",
                                irl_map_parse(w->cx, "(i) -> (i)"));
        return irl_module_new(w->cx, "m", NULL, f, 0, NULL);
    default: break;
    }
    *code = IRL_OK; /* a part that is not there */
    switch (k) {
    case 36: return irl_stmt_block(w->cx, NULL);
    case 37: block.body = NULL; return irl_stmt_block(w->cx, &block);
    case 38: block.read_count = 1, block.reads = &region; return irl_stmt_block(w->cx, &block);
    case 39: return irl_stmt_launch(w->cx, NULL, 0, NULL);
    case 40: return irl_stmt_launch(w->cx, "k", 2, w->holes);
    case 41: return irl_stmt_attr(w->cx, note_of("n", w->four, NULL), NULL);
    case 42: return irl_func_set_attr(NULL, note_of("n", w->four, NULL));
    case 43: return irl_buffer_pointer(NULL);
    case 44: return irl_module_new(w->cx, "m", NULL, NULL, 0, NULL);
    case 45: return irl_stmt_set_note(w->cx, NULL, note_of("n", w->four, NULL));
    case 46: return irl_stmt_block(NULL, &block);
    case 47: return irl_expr_intrinsic(w->cx, f32(), NULL, 0, NULL);
    default: return w;
    }
}

/* A list of n things where there is none, handed to each function that takes one. */
static void call_without_list(irl_ctx *cx, int k, int n)
{
    const irl_expr   *v = var(cx, "v"), *four = irl_expr_index(cx, 4);
    const irl_buffer *b = irl_buffer_new(cx, "b", f32(), IRL_SCOPE_GLOBAL, 1, &four);
    const irl_stmt   *store = irl_stmt_store(cx, b, irl_expr_float(cx, f32(), 1), 1, &four);
    CHECK_OK(cx);
    switch (k) {
    case 0: irl_map_parse_over(cx, "(i) -> (i)", NULL, n, NULL); break;
    case 1: irl_map_new(cx, n, NULL, 1, &four, 0, NULL); break;
    case 2: irl_map_new(cx, 1, &v, n, NULL, 0, NULL); break;
    case 3: irl_map_new(cx, 1, &v, 1, &v, n, NULL); break;
    case 4: irl_record_new(cx, "r", 4, n, NULL); break;
    case 5: irl_plan_arena(cx, n, NULL, 1000); break;
    case 6: irl_plan_images(cx, n, NULL, 100, 100); break;
    case 7: irl_expr_shuffle(cx, n, NULL, 1, NULL); break;
    case 8: irl_expr_load(cx, b, n, NULL); break;
    case 9: irl_expr_extern(cx, f32(), "e", n, NULL); break;
    case 10: irl_expr_parse(cx, "a", n, NULL); break;
    case 11: irl_expr_simplify(cx, four, n, NULL); break;
    case 12: irl_expr_intrinsic(cx, f32(), "e", n, NULL); break;
    case 13: irl_stmt_store(cx, b, four, n, NULL); break;
    case 14: irl_stmt_seq(cx, n, NULL); break;
    case 15: irl_stmt_assert_values(cx, irl_expr_op2(cx, IRL_OP_LT, v, four), "m", n, NULL); break;
    case 16: irl_stmt_launch(cx, "g", n, NULL); break;
    case 17: irl_expr_substitute(cx, four, n, NULL, NULL); break;
    default: irl_stmt_substitute(cx, store, n, NULL, NULL); break;
    }
}

static void test_no_lists(void)
{
    static const int counts[] = { 3, 1000000, -1 };
    int              k, j;
    for (k = 0; k < 19; k++)
        for (j = 0; j < COUNT(counts); j++) {
            irl_ctx *cx = irl_ctx_create(NULL);
            call_without_list(cx, k, counts[j]);
            CHECK(irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_BAD_ARGUMENT);
            irl_ctx_destroy(cx);
        }
}

/* A failure is taken once; the context and what was made in it can be used after that. */
static void test_take_error(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *kept = irl_map_parse(cx, "(y, x) -> (x, y)");
    irl_diag       diag;
    CHECK(!irl_ctx_take_error(cx, &diag) && !irl_ctx_take_error(NULL, NULL));
    CHECK(!irl_map_parse(cx, "(i) -> (i"));
    CHECK(irl_ctx_take_error(cx, &diag) && diag.code == IRL_ERROR_SYNTAX && diag.text[0]);
    CHECK(irl_ok(cx) && !irl_diag_of(cx) && !irl_ctx_take_error(cx, NULL));
    CHECK(irl_map_check(cx, kept, IRL_SHAPE(4, 5)).kind == IRL_BIJECTIVE);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* A mark that a rewind to an earlier one gave back, though its memory may be in use again. */
static void test_marks(void)
{
    int k;
    for (k = 0; k < 8; k++) {
        irl_ctx       *cx = irl_ctx_create(NULL);
        const irl_map *kept = irl_map_parse(cx, "(y, x) -> (x, y)"), *later;
        irl_mark       outer = irl_ctx_mark(cx), inner;
        irl_map_parse(cx, "(a, b) -> (b, a)");
        inner = irl_ctx_mark(cx);
        CHECK(irl_ctx_mark(cx).point == inner.point); /* nothing was made in between */
        irl_map_parse(cx, "(e, f) -> (f, e)");
        if (k & 1) irl_ctx_rewind(cx, inner);
        irl_ctx_rewind(cx, outer);
        if (k & 2) irl_map_parse(cx, "(c, d) -> (d, c)");
        if (k & 4) irl_ctx_mark(cx), irl_map_parse(cx, "(g, h) -> (h, g)");
        CHECK_OK(cx);
        irl_ctx_rewind(cx, inner);
        CHECK(irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_BAD_ARGUMENT);
        irl_ctx_rewind(cx, outer); /* which also clears the failure */
        later = irl_map_parse(cx, "(y, x) -> (x, y)");
        CHECK_OK(cx);
        CHECK(kept && later && strcmp(irl_map_text(cx, kept), irl_map_text(cx, later)) == 0);
        irl_ctx_rewind(cx, outer); /* a mark can be returned to again */
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

static void test_wrong(void)
{
    int k;
    for (k = 0;; k++) {
        wrong       w;
        irl_code    code;
        const void *made;
        w.cx = irl_ctx_create(NULL);
        wrong_parts(&w);
        made = wrong_call(&w, k, &code);
        if (made != &w &&
            (!CHECK(!made) ||
             !CHECK((irl_diag_of(w.cx) ? irl_diag_of(w.cx)->code : IRL_OK) == code)))
            printf("  call %d\n%s\n", k, irl_diag_text(w.cx));
        irl_ctx_destroy(w.cx);
        if (made == &w) break;
    }
    CHECK(k == 49);
}

int main(void)
{
    test_equal();
    test_shared_let();
    test_runs();
    test_checks(2, IRL_OK);
    test_checks(4, IRL_OK);
    test_checks(3, IRL_ERROR_ASSERTION);
    test_checks(0, IRL_ERROR_ASSERTION);
    test_wrong();
    test_no_lists();
    test_marks();
    test_take_error();
    return TEST_DONE();
}
