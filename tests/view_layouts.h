/* view_layouts.h - memory with a layout that is also accessed through views of other shapes and
   types.

   needs     test.h, and parse of the program that includes it
   promises  the model, which applies the map to each element of the memory, says whether the layout
   keeps each element of the view together; the library must take the layout where it does and
   refuse it where it does not. What it takes computes the same as before, as the interpreter says
 */
#ifndef IRL_VIEW_LAYOUTS_H
#define IRL_VIEW_LAYOUTS_H

typedef struct view_type {
    const char *name, *scalar;
    int         lanes, bits;
} view_type;

static const view_type view_types[] = {
    { "u8", "u8", 1, 8 },        { "u16", "u16", 1, 16 },    { "u32", "u32", 1, 32 },
    { "u64", "u64", 1, 64 },     { "u8x4", "u8", 4, 32 },    { "u8x16", "u8", 16, 128 },
    { "u16x2", "u16", 2, 32 },   { "u32x2", "u32", 2, 64 },  { "u32x4", "u32", 4, 128 },
    { "u64x2", "u64", 2, 128 },  { "u32x3", "u32", 3, 96 },  { "u4", "u8", 1, 4 },
    { "u1", "u8", 1, 1 },
};

typedef struct view_shape {
    int     rank;
    int64_t extent[3];
} view_shape;

static const view_shape view_memories[] = { { 1, { 24, 0, 0 } }, { 1, { 48, 0, 0 } },
                                            { 2, { 6, 8, 0 } },  { 2, { 12, 4, 0 } },
                                            { 3, { 3, 2, 8 } },  { 2, { 24, 3, 0 } } };

static const char *const view_maps[3][12] = {
    { "(i) -> (i / 8, i % 8)", "(i) -> (i / 4, i % 4)", "(i) -> (i % 4, i / 4)", "(i) -> (i ^ 4)",
      "(i) -> (i + 4)", "(i) -> (i * 2)", "(i) -> (i / 6, i % 6)",
      "(i) -> (i / 8, i % 4, i / 4 % 2)", "(i) -> (i / 2, 1 - i % 2)",
      "(i) -> (i / 8, i / 4 % 2 * 8 + i % 4)", "(i) -> (i)",
      "(i) -> (i / 8, (i + i / 8 * 4) % 8)" },
    { "(i, j) -> (j, i)", "(i, j) -> (i, j)", "(i, j) -> (i / 2, j, i % 2)",
      "(i, j) -> (j / 4, i, j % 4)", "(i, j) -> (i / 2, j / 2, i % 2, j % 2)",
      "(i, j) -> (i * 10 + j)", "(i, j) -> (i, (j + i * 2) % 8)", "(i, j) -> (i, j ^ 2)",
      "(i, j) -> (i * 8 + j)", "(i, j) -> (i, j, 0)", "(i, j) -> (5 + i, j)",
      "(..., j) -> (j / 4, ..., j % 4)" },
    { "(i, j, k) -> (k, j, i)", "(i, j, k) -> (i, j, k)", "(i, j, k) -> (i * 2 + j, k)",
      "(i, j, k) -> (k / 4, i, j, k % 4)", "(i, j, k) -> (j, i, k)",
      "(i, j, k) -> (i, k / 2, j, k % 2)", "(i, j, k) -> (i, j * 8 + k)",
      "(i, j, k) -> (i, j, k / 8, k % 8)", "(i, j, k) -> (i, j, (k + 4) % 8)",
      "(i, j, k) -> (j, k, i)", "(i, j, k) -> ((i * 2 + j) * 8 + k)",
      "(i, j, k) -> (i * 32 + j * 16 + k)" }
};

typedef struct view_case {
    const view_type *type, *of; /* of the view, and of its memory */
    view_shape       memory, view;
    int64_t          offset, stride; /* stride 0: the view has none */
    const char      *map;
    const char      *second; /* a layout on top, or NULL */
    char             step[128];      /* the step that sets the layout; "": the text sets it */
    char             text[2048];
} view_case;

static int64_t view_count(const view_shape *s)
{
    int64_t n = 1;
    for (int k = 0; k < s->rank; k++) n *= s->extent[k];
    return n;
}

static char *view_put_shape(char *out, const view_shape *s, int is_named)
{
    out += sprintf(out, "[");
    for (int k = 0; k < s->rank; k++) {
        const int named = is_named && k == 0 && s->extent[0] % 3 == 0;
        out += sprintf(out, k ? ", %d%s" : "%d%s", (int)(named ? s->extent[k] / 3 : s->extent[k]),
                       named ? " * n" : "");
    }
    return out + sprintf(out, "]");
}

/* "for (a: 4, b: 6) " and the index "[a, b]" */
static char *view_put_loops(char *out, const view_shape *s, int is_named)
{
    out += sprintf(out, "    for (");
    for (int k = 0; k < s->rank; k++) {
        const int named = is_named && k == 0 && s->extent[0] % 3 == 0;
        out += sprintf(out, "%s%c: %d%s", k ? ", " : "", 'a' + k,
                       (int)(named ? s->extent[k] / 3 : s->extent[k]), named ? " * n" : "");
    }
    return out + sprintf(out, ") ");
}

static const char *view_index(const view_shape *s)
{
    static const char *const texts[] = { "[]", "[a]", "[a, b]", "[a, b, c]" };
    return texts[s->rank];
}

/* One statement on the memory, or on the view, by the name `b`. */
static char *view_put_use(char *out, const char *b, const view_type *t, const view_shape *s,
                          int is_named)
{
    const char *at = view_index(s), *last = s->rank > 1 ? " * 5 + b" : "";
    const int   add = 1 + (int)TEST_RANDOM(9);
    char        value[64];
    out = view_put_loops(out, s, is_named);
    switch (TEST_RANDOM(3)) {
    case 0: /* stored */
        sprintf(value, "%s(a%s + %d)", t->scalar, last, add);
        if (t->lanes > 1)
            return out + sprintf(out, "%s%s = broadcast(%s, %d);\n", b, at, value, t->lanes);
        return out + sprintf(out, "%s%s = %s;\n", b, at, value);
    case 1: /* updated */
        if (t->lanes > 1)
            return out + sprintf(out, "%s%s = %s%s + broadcast(%s(%d), %d);\n", b, at, b, at,
                                 t->scalar, add, t->lanes);
        return out + sprintf(out, "%s%s = %s%s * 3 + %d;\n", b, at, b, at, add);
    default: /* read */
        if (t->lanes > 1)
            return out +
                   sprintf(out, "y[0] = y[0] * 3 + u64(lane(%s%s, %d));\n", b, at, t->lanes - 1);
        return out + sprintf(out, "y[0] = y[0] * 3 + u64(%s%s);\n", b, at);
    }
}

/* A case that is a function; 0: the view's type does not fit its memory. */
static int view_case_make(view_case *c, int is_named)
{
    char       *out = c->text;
    int64_t     all, left;
    int         uses = 2 + (int)TEST_RANDOM(3), is_alloc = TEST_RANDOM(2) != 0;
    const char *m = is_alloc ? "t" : "x";
    c->type = &view_types[TEST_RANDOM(sizeof view_types / sizeof *view_types)];
    c->of = &view_types[TEST_RANDOM(4) ? TEST_RANDOM(4)
                                       : TEST_RANDOM(sizeof view_types / sizeof *view_types)];
    if (TEST_RANDOM(8) == 0) c->type = c->of = &view_types[11 + TEST_RANDOM(2)];
    c->memory = view_memories[TEST_RANDOM(sizeof view_memories / sizeof *view_memories)];
    c->map = view_maps[c->memory.rank - 1][TEST_RANDOM(12)];
    c->second = TEST_RANDOM(4)   ? NULL
                : TEST_RANDOM(2) ? "(..., z) -> (..., z / 2, z % 2)"
                                 : "(a, ...) -> (..., a)";
    all = view_count(&c->memory) * c->of->bits;
    if (all % c->type->bits != 0) return 0;
    left = all / c->type->bits;
    memset(&c->view, 0, sizeof c->view);
    c->view.rank = 1 + (int)TEST_RANDOM(3);
    for (int k = c->view.rank; k-- > 1;) {
        static const int64_t factors[] = { 1, 2, 4, 8 };
        int64_t              f = factors[TEST_RANDOM(4)];
        if (left % f != 0) f = 1;
        c->view.extent[k] = f;
        left /= f;
    }
    c->view.extent[0] = left;
    c->offset = c->stride = 0;
    if (!is_named && c->view.rank == 1 && left > 4 && c->type->bits >= 8 &&
        TEST_RANDOM(2)) {
        c->stride = 1 + (int64_t)TEST_RANDOM(3);
        c->offset = (int64_t)TEST_RANDOM(3);
        c->view.extent[0] = (left - c->offset - 1) / c->stride + 1;
    }
    out += sprintf(out, "func f(%sx: %s", is_named ? "n: index, " : "", c->of->name);
    out = view_put_shape(out, &c->memory, is_named);
    out += sprintf(out, ", y: u64[1])");
    c->step[0] = '\0';
    if (is_alloc && !c->second && TEST_RANDOM(3) == 0)
        sprintf(c->step, "transform_layout(t, t, %s, pad = \"any\")", c->map);
    else
        out += sprintf(out, " layout(%s: %s%s)", m, c->map,
                       c->of->lanes == 1 && TEST_RANDOM(3) == 0 ? ", pad(9)" : "");
    if (c->second) out += sprintf(out, " layout(%s: %s)", m, c->second);
    out += sprintf(out, "\n{\n");
    if (is_alloc) {
        out += sprintf(out, "    alloc t: %s", c->of->name);
        out = view_put_shape(out, &c->memory, is_named);
        out += sprintf(out, ";\n");
        out = view_put_loops(out, &c->memory, is_named);
        out += sprintf(out, "t%s = x%s;\n", view_index(&c->memory), view_index(&c->memory));
    }
    out += sprintf(out, "    decl v: %s", c->type->name);
    out = view_put_shape(out, &c->view, is_named);
    out += sprintf(out, " data(%s)", m);
    if (c->stride) out += sprintf(out, " strides(%d) offset(%d)", (int)c->stride, (int)c->offset);
    out += sprintf(out, ";\n");
    while (uses-- > 0)
        out = TEST_RANDOM(2) ? view_put_use(out, m, c->of, &c->memory, is_named)
                             : view_put_use(out, "v", c->type, &c->view, is_named);
    if (is_alloc) {
        out = view_put_loops(out, &c->memory, is_named);
        out += sprintf(out, "x%s = t%s;\n", view_index(&c->memory), view_index(&c->memory));
    }
    sprintf(out, "}\n");
    return 1;
}

/* Where element n of memory of this shape lies under the layout, in elements. */
static int64_t view_place(irl_ctx *cx, const irl_map *map, const irl_shape *from,
                          const irl_shape *memory, int64_t n)
{
    irl_shape point = *from, at;
    for (int k = point.rank; k-- > 0; n /= from->extent[k]) point.extent[k] = n % from->extent[k];
    return irl_map_apply(cx, map, point, &at) ? irl_offset(memory, at.extent) : -1;
}

/* 1: the layouts are right and keep each element of the view together; 0: one takes one apart; -1:
   neither type is made of the other; -2: a layout itself is not right. */
static int view_case_model(irl_ctx *cx, const view_case *c)
{
    const int64_t group = c->type->bits / c->of->bits, count = view_count(&c->view);
    int64_t       begin[4096], at[4096];
    int           is_kept = 1;
    const char   *maps[] = { c->map, c->second };
    irl_shape     shape, memory;
    memset(&shape, 0, sizeof shape);
    shape.rank = c->memory.rank;
    memcpy(shape.extent, c->memory.extent, sizeof c->memory.extent);
    for (int64_t e = 0; group > 0 && e < count; e++)
        begin[e] = (c->stride ? c->offset + e * c->stride : e) * group;
    for (int s = 0; s < 2 && maps[s]; s++, shape = memory) {
        const irl_map    *map = irl_map_of_rank(cx, irl_map_parse(cx, maps[s]), shape.rank);
        const irl_verdict v = irl_map_check(cx, map, shape);
        if ((v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) ||
            !irl_map_memory(cx, map, shape, &memory))
            return -2;
        for (int64_t e = 0; is_kept && group > 1 && e < count; e++) {
            for (int64_t k = 0; k < group; k++) {
                const int64_t place = view_place(cx, map, &shape, &memory, begin[e] + k);
                if (k == 0) at[e] = place;
                is_kept &= at[e] % group == 0 && place == at[e] + k;
            }
        }
        if (group > 1) memcpy(begin, at, sizeof begin);
    }
    if (c->type != c->of && (c->type->bits < 8 || c->of->bits < 8)) return -1;
    if (c->type->bits % c->of->bits && c->of->bits % c->type->bits) return -1;
    return is_kept ? 1 : 0;
}

static void view_fill(unsigned char *x, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) x[k] = (unsigned char)(k * 37 + 11);
}

static void test_view_layouts(void)
{
    static unsigned char x[2][2048];
    int together = 0, apart = 0, neither = 0, wrong = 0, named = 0, unknown = 0, stepped = 0;
    const int            total = TEST_TENTH(900);
    for (int done = 0; done < total;) {
        view_case   c;
        const int   is_named = TEST_RANDOM(4) == 0;
        int64_t     n = 3;
        uint64_t    y[2] = { 5, 5 };
        irl_module *m = NULL;
        if (!view_case_make(&c, is_named)) continue;
        done++;
        irl_ctx          *cx = irl_ctx_create(NULL);
        const int         expected = view_case_model(cx, &c);
        irl_lower_options how;
        memset(&how, 0, sizeof how);
        how.verify = 1;
        CHECK_OK(cx);
        const irl_func *f = parse(cx, c.text);
        int             ok = f != NULL;
        const irl_func *g = f && c.step[0] ? irl_schedule_do(f, "%s", c.step) : f;
        stepped += c.step[0] && g;
        if (g)
            m = irl_func_lower_with(g, done % 2 ? &irl_target_opencl12 : irl_target_find("strict"),
                                    &how);
        const irl_code code = irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
        together += expected == 1, apart += expected == 0, neither += expected == -1,
            wrong += expected == -2;
        /* there is no proof for all n */
        if (is_named && (code == IRL_ERROR_BAD_ALIAS || code == IRL_ERROR_UNDECIDED) &&
            expected != -2)
            unknown++;
        else if (expected == 1) ok = ok && m != NULL;
        else ok = ok && !m && (expected == -2 || code == IRL_ERROR_BAD_ALIAS);
        if (expected == 0 && !is_named)
            ok = ok && strstr(irl_diag_of(cx)->message, "apart: v[") &&
                 strstr(irl_diag_of(cx)->message, " is ");
        if (m && ok) {
            view_fill(x[0], sizeof x[0]), view_fill(x[1], sizeof x[1]);
            if (is_named)
                ok = irl_func_interpret(f, IRL_POINTERS(&n, x[0], &y[0])) &&
                     irl_module_interpret(m, IRL_POINTERS(&n, x[1], &y[1]));
            else
                ok = irl_func_interpret(f, IRL_POINTERS(x[0], &y[0])) &&
                     irl_module_interpret(m, IRL_POINTERS(x[1], &y[1]));
            ok = ok && y[0] == y[1] && memcmp(x[0], x[1], sizeof x[0]) == 0;
            named += is_named;
        }
        if (!CHECK(ok) && test_failed < 4)
            printf("model %d\n%s%s\n%s", expected, c.text, irl_diag_text(cx),
                   m ? irl_module_text(m) : "");
        irl_ctx_destroy(cx);
    }
    printf("%d layouts of memory with views: %d keep their elements together (%d with names), %d "
           "take one apart, %d by "
           "types that do not divide, %d with "
           "names are not proved; %d by a step\n",
           total, together, named, apart, neither, unknown, stepped);
    CHECK(!wrong && together > total / 6 && apart > total / 12 && named > total / 40 &&
          stepped > total / 30);
}

/* Too little memory is a diagnostic, wherever it runs out. */
static void test_view_layouts_memory(void)
{
    static const char *const texts[] = {
        "func f(x: f32[64], y: f32[64]) layout(x: (i) -> (i / 8, i % 8)) { decl v: f32x4[16] "
        "data(x); for (i: 16) y[ramp(i * 4, 1, 4)] = v[i]; }",
        "func f(x: f32[64], y: f32[64]) layout(x: (i) -> (i ^ 12)) { decl v: f32x4[16] data(x); "
        "for (i: 16) y[ramp(i * 4, 1, 4)] = v[i]; }",
        "func f(x: f32[64], y: f32[64]) layout(x: (i) -> (i % 4, i / 4)) { decl v: f32x4[16] "
        "data(x); for (i: 16) y[ramp(i * 4, 1, 4)] = v[i]; }"
    };
    const size_t step = getenv("IRL_SOAK") ? 104 : 1304;
    char        *block = (char *)malloc(1 << 20);
    for (int k = 0; block && k < 3; k++) {
        int done = 0;
        for (size_t bytes = 4096; bytes < (1 << 20) && !done; bytes += step) {
            irl_ctx_desc desc;
            memset(&desc, 0, sizeof desc);
            desc.block = block;
            desc.block_bytes = bytes;
            irl_ctx        *cx = irl_ctx_create(&desc);
            const irl_func *f = cx ? parse(cx, texts[k]) : NULL;
            if (f) f = irl_func_run_pass(f, "apply_layouts");
            const irl_code code = cx && irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
            done = f || code == IRL_ERROR_BAD_ALIAS;
            CHECK(!cx || done || code == IRL_ERROR_OUT_OF_MEMORY);
            irl_ctx_destroy(cx);
        }
        CHECK(done);
    }
    free(block);
}

#endif
