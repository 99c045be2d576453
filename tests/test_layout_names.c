/* test_layout_names.c - layouts of buffers whose shapes have names, asked of the same verdict as
   packing: what it proves is applied and gives the interpreter's numbers for every value of the
   names, in the right cells, padding in all others; what it refutes is refused with the witness;
   what it leaves open is refused unless the caller vouches. Values that a proof does not speak of
   (0, where a name stands in the map alone) are met by an assertion, never by other numbers. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#endif
#include "test.h"
#include "named_maps.h"

enum { MOST_POINTS = 1500, MOST_CELLS = 12000, ROOM = 4096, TRIES = 6 };
#define PADDING (-7.0f)
#define GARBAGE (12345.0f)

/* ------------------------------------------------------------------ functions */

/* Where the layout is, and how its buffer is used. */
typedef enum form { WRITTEN, WRITTEN_TWICE, READ, TEMPORARY, TEMPORARY_INSIDE, FORMS } form;

static const char *const form_buffer[FORMS] = { "y", "y", "x", "t", "t" };
static const char *const form_body[FORMS] = {
    "@ y[$] = x[$] * 2.0f + f32(#);",
    "@ y[$] = x[$]; @ if (# % 3 != 1) y[$] = y[$] * 2.0f + f32(#);",
    "@ y[$] = x[$] + f32(#);",
    "alloc t: f32[%]; @ t[$] = x[$] * f32(#); @ y[$] = t[$] + x[$];",
    "for (r: 2) { alloc t: f32[%]; @ t[$] = x[$] * f32(# + r); if (r == 1) @ y[$] = t[$] + x[$]; }",
};

static void add(char *out, const char *s)
{
    if (strlen(out) + strlen(s) < ROOM) strcat(out, s);
}

/* %: the shape; @: loops over it; $: the indices; #: a number made of them. */
static void add_body(char *out, const char *body)
{
    static const char *const names[] = { "i", "j", "k" };
    char                     one[2] = { 0, 0 }, part[400];
    int                      k;
    for (; *body; body++) {
        if (!strchr("%@$#", *body) || (*body == '%' && body[1] == ' ')) {
            one[0] = *body;
            add(out, one);
            continue;
        }
        if (*body == '@') add(out, "for (");
        if (*body == '#') add(out, "(");
        for (k = 0; k < now.rank; k++) {
            const char *extent = irl_expr_text(now.cx, now.extents[k]),
                       *comma = k && *body != '#' ? ", " : "";
            if (*body == '@') snprintf(part, sizeof part, "%s%s: %s", comma, names[k], extent);
            else if (*body == '%') snprintf(part, sizeof part, "%s%s", comma, extent);
            else if (*body == '$') snprintf(part, sizeof part, "%s%s", comma, names[k]);
            else snprintf(part, sizeof part, "%s%s * %d", k ? " + " : "", names[k], 7 - 2 * k);
            add(out, part);
        }
        add(out, *body == '@' ? ") " : *body == '#' ? ")" : "");
    }
}

static void function_text(char *out, form which, int padded, int vouched)
{
    *out = 0;
    add(out, "func f(N: index, M: index, K: index, x: f32[");
    add_body(out, "%");
    add(out, "], y: f32[");
    add_body(out, "%");
    add(out, "]) layout(");
    add(out, form_buffer[which]);
    add(out, ": ");
    add(out, irl_map_text(now.cx, now.map));
    if (padded) add(out, ", pad(-7.0)");
    if (vouched) add(out, ", assume_injective");
    add(out, ") { ");
    add_body(out, form_body[which]);
    add(out, " }");
}

/* ------------------------------------------------------------------ values */

/* Extents for these values: their product, or -1 where one is negative or there are too many
   points. */
static int64_t points_at(const int64_t *values, irl_shape *shape)
{
    int64_t points = 1;
    int     k;
    memset(shape, 0, sizeof *shape);
    shape->rank = now.rank;
    for (k = 0; k < now.rank; k++) {
        if (irl__value_at(now.extents[k], PARAMETERS, now.parameters, values, &shape->extent[k]) !=
                IRL__FOLD_OK ||
            shape->extent[k] < 0)
            return -1;
        points *= shape->extent[k];
        if (points > MOST_POINTS) return -1;
    }
    return points;
}

static int image_of(const int64_t *values, const int64_t *at, int64_t *out)
{
    const irl_expr *vars[IRL_MAX_RANK];
    int64_t         all[IRL_MAX_RANK];
    int             k;
    for (k = 0; k < PARAMETERS; k++) vars[k] = now.parameters[k], all[k] = values[k];
    for (k = 0; k < now.rank; k++)
        vars[PARAMETERS + k] = now.map->inputs[k], all[PARAMETERS + k] = at[k];
    for (k = 0; k < now.map->output_count; k++)
        if (irl__value_at(now.map->outputs[k], PARAMETERS + now.rank, vars, all, &out[k]) !=
            IRL__FOLD_OK)
            return 0;
    return 1;
}

typedef struct arrays {
    float *x, *y;
} arrays;

static arrays arrays_new(int64_t points)
{
    arrays  a;
    int64_t k;
    a.x = (float *)malloc((size_t)(points + 1) * sizeof *a.x);
    a.y = (float *)malloc((size_t)(points + 1) * sizeof *a.y);
    for (k = 0; k <= points; k++) {
        a.x[k] = (float)(k % 89) - 40.0f;
        a.y[k] = 0.5f;
    }
    return a;
}

static void arrays_free(arrays a)
{
    free(a.x);
    free(a.y);
}

static irl_arguments arguments_of(const int64_t *values, arrays a)
{
    irl_arguments p;
    memset(&p, 0, sizeof p);
    p.count = PARAMETERS + 2;
    p.data[0] = &values[0], p.data[1] = &values[1], p.data[2] = &values[2];
    p.data[3] = a.x, p.data[4] = a.y;
    return p;
}

/* ------------------------------------------------------------------ what a run has to be */

static int runs, runs_on_memory, runs_of_modules, met_aloud, padding_seen;

static int same(const arrays *a, const arrays *b, int64_t points)
{
    int64_t k;
    for (k = 0; k < points; k++)
        if (a->y[k] != b->y[k]) return 0;
    return 1;
}

/* The function with y as it lies in memory. */
static irl_func *on_memory(irl_ctx *cx, const irl_func *f)
{
    irl_func   *raw = irl__func_copy(cx, f);
    irl__param *params =
        raw ? (irl__param *)irl__copy(cx, f->params, (size_t)f->param_count, sizeof *params) : NULL;
    irl__param *y = params ? &params[PARAMETERS + 1] : NULL;
    if (!y) return NULL;
    y->map = NULL;
    y->padding = NULL;
    y->logical_rank = y->buffer->rank;
    y->logical_shape = y->buffer->shape;
    raw->params = params;
    return raw;
}

/* Every point in its cell, and in all others the padding. */
static int memory_is_right(const int64_t *values, const irl_shape *shape, const irl_shape *box,
                           int64_t cells, const float *memory, const float *expected)
{
    unsigned char *reached = (unsigned char *)calloc((size_t)cells + 1, 1);
    irl_shape      at;
    int64_t        image[IRL_MAX_RANK], cell, n, points = 1;
    int            k, ok = reached != NULL;
    memset(&at, 0, sizeof at);
    for (k = 0; k < shape->rank; k++) points *= shape->extent[k];
    for (n = 0; ok && n < points; n++) {
        int64_t rest = n;
        for (k = shape->rank; k-- > 0; rest /= shape->extent[k])
            at.extent[k] = rest % shape->extent[k];
        ok = image_of(values, at.extent, image);
        for (cell = 0, k = 0; ok && k < box->rank; k++) {
            ok = image[k] >= 0 && image[k] < box->extent[k];
            cell = cell * box->extent[k] + image[k];
        }
        ok = ok && !reached[cell] && memory[cell] == expected[n];
        if (ok) reached[cell] = 1;
    }
    for (n = 0; ok && n < cells; n++) {
        if (reached[n]) continue;
        ok = memory[n] == PADDING;
        padding_seen += ok;
    }
    free(reached);
    return ok;
}

/* 1, 0 wrong, -1 too large. y is written by f and has the layout. */
static int runs_right_on_memory(irl_ctx *cx, const irl_func *f, const int64_t *values,
                                const irl_shape *shape, const arrays *expected, int64_t points)
{
    irl_func     *raw = on_memory(cx, f);
    arrays        given = arrays_new(points);
    irl_arguments p = arguments_of(values, given);
    irl_tensor    tensor;
    float        *memory;
    int64_t       cells, k;
    int           ok = raw && irl_func_param_tensor(raw, PARAMETERS + 1, p, &tensor);
    cells = ok ? (int64_t)(tensor.bytes / sizeof *memory) : 0;
    if (!ok || cells > MOST_CELLS) {
        arrays_free(given);
        return ok ? -1 : 0;
    }
    memory = (float *)malloc((size_t)(cells + 1) * sizeof *memory);
    for (k = 0; k <= cells; k++) memory[k] = GARBAGE;
    p.data[PARAMETERS + 1] = memory;
    ok = irl_func_interpret(raw, p) &&
         memory_is_right(values, shape, &tensor.shape, cells, memory, expected->y);
    free(memory);
    arrays_free(given);
    return ok;
}

static int is_loud(irl_code code)
{
    return code == IRL_ERROR_ASSERTION || code == IRL_ERROR_BAD_ARGUMENT ||
           code == IRL_ERROR_ARGUMENT_MISMATCH || code == IRL_ERROR_DIVISION_BY_ZERO ||
           /* found by the interpreter as it packs */
           code == IRL_ERROR_LOSSY_MAP || code == IRL_ERROR_MAP_OUT_OF_RANGE;
}

/* f before, g after apply_layouts, m its module or NULL. 0: wrong. */
static int right_at(irl_ctx *cx, const irl_func *f, const irl_func *g, const irl_module *m,
                    const int64_t *values, int on_its_memory)
{
    irl_mark  mark = irl_ctx_mark(cx);
    irl_shape shape;
    int64_t   points = points_at(values, &shape);
    int       positive = values[0] > 0 && values[1] > 0 && values[2] > 0, ok, found;
    arrays    expected, a;
    if (points < 0) return 1;
    expected = arrays_new(points), a = arrays_new(points);
    ok = irl_func_interpret(f, arguments_of(values, expected));
    runs += ok;
    if (ok && !irl_func_interpret(g, arguments_of(values, a))) {
        ok = !positive && is_loud(irl_diag_of(cx)->code);
        met_aloud += ok;
        if (ok) irl_ctx_rewind(cx, mark);
    } else if (ok) {
        ok = same(&expected, &a, points);
        if (ok && on_its_memory) {
            found = runs_right_on_memory(cx, g, values, &shape, &expected, points);
            ok = found != 0;
            runs_on_memory += found > 0;
        }
        if (ok && m) {
            arrays b = arrays_new(points);
            ok = irl_module_interpret(m, arguments_of(values, b)) && same(&expected, &b, points);
            runs_of_modules += ok;
            arrays_free(b);
        }
    }
    arrays_free(expected);
    arrays_free(a);
    return ok;
}

static const int64_t some_values[] = { 0, 1, 2, 3, 4, 5, 7, 8 };

/* Some values, the least ones always. */
static int right_everywhere(irl_ctx *cx, const irl_func *f, const irl_func *g, const irl_module *m,
                            int on_its_memory, const char *text)
{
    int64_t values[PARAMETERS];
    int     n, k;
    for (n = 0; n < TRIES; n++) {
        for (k = 0; k < PARAMETERS; k++)
            values[k] =
                n < 2
                    ? 1 - n
                    : some_values[random_below((int)(sizeof some_values / sizeof some_values[0]))];
        if (!CHECK(right_at(cx, f, g, m, values, on_its_memory))) {
            printf("N %d M %d K %d: %s\n%s%s\n", (int)values[0], (int)values[1], (int)values[2],
                   text, irl_func_text(g), irl_diag_text(cx));
            return 0;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ generated */

static int proved, refuted, undecided, by_whole_extents, vouched, many_to_one;

static irl_func *parsed(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "generated");
}

static int is_written(form which) { return which != READ; }

/* The verdict has no proof: refused, with what it says; or taken by extents as a whole. The result
   is what was taken, or NULL. */
static const irl_func *refused(irl_ctx *cx, const irl_verdict *v, form which, const char *text,
                               irl_mark mark, const irl_func *g)
{
    const char *says = irl_verdict_text(now.cx, v);
    irl_code    code = irl_ok(cx) ? IRL_OK : irl_diag_of(cx)->code;
    if (g && v->kind == IRL_UNDECIDED) {
        by_whole_extents++;
        return g;
    }
    if (g && v->kind == IRL_LOSSY && !is_written(which)) {
        many_to_one++;
        return NULL; /* its caller hands over the memory */
    }
    if (v->kind == IRL_UNDECIDED) undecided++;
    else refuted++;
    if (!CHECK(!g) ||
        !CHECK(code == (v->kind == IRL_LOSSY && is_written(which) ? IRL_ERROR_LOSSY_MAP
                        : v->kind == IRL_OUT_OF_RANGE             ? IRL_ERROR_MAP_OUT_OF_RANGE
                                                                  : IRL_ERROR_UNDECIDED)) ||
        !CHECK(strlen(says) + strlen(irl_map_text(now.cx, now.map)) > 250 ||
               strstr(irl_diag_of(cx)->message, says) ||
               strstr(irl_diag_of(cx)->message, "padding is not known")))
        printf("%s\n%s: %s\n", text, says, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return NULL;
}

/* Undecided, and the caller vouches: the numbers are right wherever the map is. */
static void vouch(irl_ctx *cx, const char *text)
{
    irl_mark    mark = irl_ctx_mark(cx);
    irl_func   *f = parsed(cx, text), *g = irl_func_run_pass(f, "apply_layouts");
    int64_t     values[PARAMETERS] = { 3, 2, 5 };
    irl_shape   shape;
    irl_verdict v;
    if (!g) CHECK_CODE(cx, IRL_ERROR_UNDECIDED); /* no shape in memory is known */
    else {
        const irl_expr *given[PARAMETERS], *out[IRL_MAX_RANK];
        int             k;
        vouched++;
        for (k = 0; k < PARAMETERS; k++) given[k] = irl_expr_index(now.cx, values[k]);
        for (k = 0; k < now.map->output_count; k++)
            out[k] =
                irl__substitute(now.cx, now.map->outputs[k], PARAMETERS, now.parameters, given);
        if (points_at(values, &shape) >= 0) {
            v = irl_map_check(
                now.cx,
                irl_map_new(now.cx, now.rank, now.map->inputs, now.map->output_count, out, 0, NULL),
                shape);
            if ((v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) &&
                !CHECK(right_at(cx, f, g, NULL, values, 0)))
                printf("vouched: %s\n%s", text, irl_diag_text(cx));
        }
    }
    irl_ctx_rewind(cx, mark);
}

static int has_names(void)
{
    const irl_expr *list[IRL_MAX_RANK];
    int             count = 0;
    irl__map_parameters(now.map, now.map->output_count, now.map->outputs, list, &count);
    irl__map_parameters(now.map, now.rank, now.extents, list, &count);
    return count > 0;
}

static void one_map(int n)
{
    irl_ctx         *cx = irl_ctx_create(NULL), *maps = irl_ctx_create(NULL);
    form             which = (form)(n % FORMS);
    int              padded = random_below(2);
    char             text[ROOM];
    irl_verdict      v;
    irl_func        *f;
    const irl_func  *g;
    irl_module      *m = NULL;
    irl_mark         mark;
    named_map_begin(maps);
    do some_map();
    while (!has_names());
    v = irl_map_check(maps, now.map, irl_shape_of(now.rank, now.extents));
    function_text(text, which, padded, 0);
    f = parsed(cx, text);
    if (!CHECK_OK(maps) || !CHECK_OK(cx)) printf("%s\n", text);
    mark = irl_ctx_mark(cx);
    g = irl_func_run_pass(f, "apply_layouts");
    if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) {
        proved++;
        if (!CHECK(g != NULL)) printf("proved, and refused: %s\n%s\n", text, irl_diag_text(cx));
    } else {
        g = refused(cx, &v, which, text, mark, g);
        if (!g && v.kind == IRL_UNDECIDED && !(padded && is_written(which))) {
            function_text(text, which, padded, 1);
            vouch(cx, text);
        }
    }
    if (g && n % 4 == 0) m = irl_func_lower(f, &irl_target_opencl12);
    if (g && n % 4 == 0 && !m) {
        if (which != TEMPORARY_INSIDE || !CHECK_CODE(cx, IRL_ERROR_PRIVATE_EXTENT))
            CHECK_OK(cx), printf("%s\n", text);
        irl_ctx_rewind(cx, mark);
        g = irl_func_run_pass(f, "apply_layouts");
    }
    if (g)
        right_everywhere(cx, f, g, m, padded && (which == WRITTEN || which == WRITTEN_TWICE), text);
    irl_ctx_destroy(cx);
    irl_ctx_destroy(maps);
}

static void test_generated(void)
{
    int n, total = TEST_TENTH(600);
    for (n = 0; n < total; n++) one_map(n);
    printf("%d maps: %d proved, %d refuted, %d undecided, %d by whole extents, %d many-to-one on "
           "what is read; %d vouched for\n",
           total, proved, refuted, undecided, by_whole_extents, many_to_one, vouched);
    printf(
        "%d runs, %d on memory with %d cells of padding, %d of modules, %d met by a diagnostic\n",
        runs, runs_on_memory, padding_seen, runs_of_modules, met_aloud);
    CHECK(proved * 10 > total * 8 && (refuted || total < 200) && runs > 3 * total &&
          runs_on_memory > total / 4 && padding_seen > total && runs_of_modules > total / 4);
}

/* ------------------------------------------------------------------ by hand */

typedef struct row {
    const char *params, *layout, *body;
    irl_code    code;
    const char *shows; /* in the text after apply_layouts, or in the diagnostic; NULL: anything */
} row;

#define Y_OF_X(n) "n: index, m: index, x: f32[" n "], y: f32[" n "]"
#define COPY(n) "for (i: " n ") y[i] = x[i];"

static const row rows[] = {
    /* what the older rule did not accept */
    { Y_OF_X("n"), "y: (i) -> (n - 1 - i)", COPY("n"), IRL_OK, "y[n - 1 - i]" },
    { Y_OF_X("n * m"), "y: (i) -> (i / m, i % m)", COPY("n * m"), IRL_OK, "assert(" },
    { Y_OF_X("n"), "y: (i) -> ((i + m) % n)", COPY("n"), IRL_OK, "y[(i + m) % n]" },
    { "n: index, x: f32[n, 4], y: f32[n, 4]", "y: (i, c) -> (i * 4 + c)",
      "for (i: n, c: 4) y[i, c] = x[i, c];", IRL_OK, "y: f32[n * 4]" },
    { "n: index, x: f32[n, 6], y: f32[n, 6]", "y: (i, c) -> (i * 8 + c), pad(1.0)",
      "for (i: n, c: 6) y[i, c] = x[i, c];", IRL_OK, "if_then_else(" },
    /* names that may be 0 where the buffer has elements: as a whole an extent has none, or the
       function asserts it */
    { Y_OF_X("n + 1"), "y: (i) -> (i / 4, i % 4)", COPY("n + 1"), IRL_OK, "{\n    for (" },
    { Y_OF_X("n"), "y: (i) -> (i * m)", COPY("n"), IRL_OK,
      "assert(m >= 1, \"the layout of 'y' is right for these sizes\")" },
    { "n: index, m: index, x: f32[16], y: f32[16]", "y: (i) -> (i * m)", COPY("16"), IRL_OK,
      "assert(m >= 1," },
    { Y_OF_X("n"), "y: (i) -> (i * m)", "assume(m > 2); " COPY("n"), IRL_OK, "{\n    assume(" },
    /* another type, a let, a loop */
    { "n: i32, x: f32[n, 4], y: f32[n, 4]", "y: (i, c) -> (i / 2, i % 2, c)",
      "for (i: n, c: 4) y[i, c] = x[i, c];", IRL_OK, "y: f32[(index(n) + 1) / 2, 2, 4]" },
    { "n: i32, x: f32[n], y: f32[n]", "y: (i) -> (i / 2)", "for (i: n) y[i] = x[i];",
      IRL_ERROR_LOSSY_MAP, "lossy for index(n) = 2: (0) and (1) both map to [0]" },
    { Y_OF_X("n"), "t: (i) -> (i / 4, i % 4)",
      "for (r: n) { alloc t: f32[r + 1]; for (i: r + 1) t[i] = x[i]; y[r] = t[r]; }", IRL_OK,
      "alloc t: f32[r / 4 + 1, 4]" },
    { Y_OF_X("n"), "t: (i) -> (i * m)",
      "for (r: n) { alloc t: f32[r + 1]; for (i: r + 1) t[i] = x[i]; y[r] = t[r]; }", IRL_OK,
      "    assert(m >= 1" },
    { Y_OF_X("n"), "t: (i) -> (i % 4)",
      "let k = min(n, 4); alloc t: f32[k]; for (i: k) t[i] = x[i]; for (i: k) y[i] = t[i];",
      IRL_ERROR_UNDECIDED, "not known to be right: lossy for k = 5" },
    { Y_OF_X("n"), "t: (i) -> (i % 4), assume_injective",
      "let k = min(n, 4); alloc t: f32[k]; for (i: k) t[i] = x[i]; for (i: k) y[i] = t[i];", IRL_OK,
      "alloc t: f32[4]" },
    /* the memory of a lossy layout, or of one that is vouched for, without a formula */
    { Y_OF_X("n"), "x: (i) -> (min(i, m))", COPY("n"), IRL_OK, "x: f32[max(min(n, m + 1), 0)]" },
    { Y_OF_X("n"), "x: (i) -> ((i ^ m) / 2)", COPY("n"), IRL_ERROR_LOSSY_MAP,
      "no formula is known for the extents of 'x' in memory" },
    { Y_OF_X("n"), "y: (i) -> (i ^ m), assume_injective", COPY("n"), IRL_ERROR_UNSUPPORTED,
      "no formula is known for the extents of 'y' in memory" },
    /* refuted: the caller cannot vouch for what is false; but for sizes that the function names */
    { Y_OF_X("n"), "y: (i) -> (i / 2)", COPY("n"), IRL_ERROR_LOSSY_MAP,
      "lossy for n = 2: (0) and (1) both map to [0]" },
    { Y_OF_X("n"), "y: (i) -> (i / 2), assume_injective", COPY("n"), IRL_ERROR_LOSSY_MAP,
      "(0) and (1) both map to [0]" },
    { Y_OF_X("n"), "y: (i) -> (i - m)", COPY("n"), IRL_ERROR_MAP_OUT_OF_RANGE, "goes to [-1]" },
    { Y_OF_X("n"), "y: (i) -> (i % 8)", COPY("n"), IRL_ERROR_LOSSY_MAP, "where n <= 8" },
    { Y_OF_X("n"), "y: (i) -> (i % 8), assume_injective", COPY("n"), IRL_OK, "assert(n < 9," },
    { Y_OF_X("n"), "y: (i) -> (i % 8)", "assume(n <= 8 && m > 3); " COPY("n"), IRL_OK,
      "{\n    assume(" },
    { Y_OF_X("n"), "y: (i) -> (i % 8)", "assert(n < 5, \"few\"); " COPY("n"), IRL_OK, "y: f32[8]" },
    /* said too late */
    { Y_OF_X("n"), "y: (i) -> (i % 8)", COPY("n") " assume(n <= 8);", IRL_ERROR_LOSSY_MAP,
      "both map to" },
    { Y_OF_X("n"), "y: (i) -> (i % m)", COPY("n"), IRL_ERROR_LOSSY_MAP, "both map to" },
    { Y_OF_X("n"), "y: (i) -> (i % m)", "assume(n <= m); " COPY("n"), IRL_OK, NULL },
    /* undecided */
    { Y_OF_X("n"), "y: (i) -> (i * i)", COPY("n"), IRL_ERROR_UNDECIDED, "no inverse was found" },
    { Y_OF_X("n"), "y: (i) -> (i * i), assume_injective", COPY("n"), IRL_OK, NULL },
    { Y_OF_X("n"), "y: (i) -> (i * i), assume_injective, pad(0.0)", COPY("n"), IRL_ERROR_UNDECIDED,
      "which cells" },
    /* read only: many points to a cell, and the caller hands over the memory */
    { "h: index, w: index, u: f32[h, w], y: f32[h, w]", "u: (y, x) -> (y / 2, x / 2)",
      "for (i: h, j: w) y[i, j] = u[i, j];", IRL_OK,
      "attr(shared_cells = \"u: for h = 1, w = 2: (0, 0) and (0, 1) both map to [0, 0]\")" },
    { "h: index, w: index, u: f32[h, w], y: f32[h, w]", "u: (y, x) -> (y / 2, x / 2)",
      "for (i: h, j: w) y[i, j] = u[i, j];", IRL_OK, "u: f32[(h + 1) / 2, (w + 1) / 2]," },
    { Y_OF_X("n"), "x: (i) -> (i - m)", COPY("n"), IRL_ERROR_MAP_OUT_OF_RANGE, "goes to [-1]" },
    /* a layout on top of another; a block's temporary */
    { Y_OF_X("n"), "y: (i) -> (i / 4, i % 4)) layout(y: (a, b) -> (b, a)", COPY("n"), IRL_OK,
      "y: f32[4, (n + 3) / 4] logical([n], (i) -> (i % 4, i / 4))" },
    { Y_OF_X("n"), "t: (i) -> (i * m)",
      "block b() { alloc t: f32[n]; for (i: n) t[i] = x[i]; for (i: n) y[i] = t[i]; }", IRL_OK,
      "assert(m >= 1," },
};

static void test_rows(void)
{
    size_t k;
    char   text[1024];
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f;
        const char *found;
        snprintf(text, sizeof text, "func f(%s) layout(%s) { %s }", rows[k].params, rows[k].layout,
                 rows[k].body);
        f = irl_func_run_pass(parsed(cx, text), "apply_layouts");
        found = f ? irl_func_text(f) : irl_diag_text(cx);
        if (!CHECK_CODE(cx, rows[k].code) || !CHECK(!rows[k].shows || strstr(found, rows[k].shows)))
            printf("%s\n%s\n", text, found);
        irl_ctx_destroy(cx);
    }
    printf("%d rows\n", (int)k);
}

int main(void)
{
    test_rows();
    test_generated();
    return TEST_DONE();
}
