/* test_padding.c - what padding holds in memory: functions run on the memory itself, garbage where
   padding will be, and every cell is looked at; and in which form it comes there, in the store that
   defines the buffer or in a nest of its own. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "shrink.h"
#include "test.h"

/* ------------------------------------------------------------------ running on memory */

/* The function with every parameter as it lies in memory: no map, no stated padding. */
static irl_func *on_memory(irl_ctx *cx, const irl_func *f)
{
    irl_func   *raw = irl__func_copy(cx, f);
    irl__param *params =
        raw ? (irl__param *)irl__copy(cx, f->params, (size_t)f->param_count, sizeof *params) : NULL;
    int         k;
    if (!params) return NULL;
    for (k = 0; k < f->param_count; k++) {
        params[k].is_implicit = 0; /* in memory it may be the extent of nothing */
        if (!params[k].map) continue;
        params[k].map = NULL;
        params[k].padding = NULL;
        params[k].logical_rank = params[k].buffer->rank;
        params[k].logical_shape = params[k].buffer->shape;
    }
    raw->params = params;
    return raw;
}

typedef struct stores {
    const irl_expr *data;
    int             count;
} stores;

static void see_store(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    stores *found = (stores *)v->user;
    found->count += s && s->kind == IRL__STORE && b->data == found->data;
}

static int stores_to(const irl_func *f, const irl_expr *data)
{
    irl__visitor v;
    stores       found = { NULL, 0 };
    found.data = data;
    memset(&v, 0, sizeof v);
    v.user = &found;
    v.buffer = see_store;
    irl__visit_stmt(&v, f->body);
    return found.count;
}

static size_t cell_of(const irl_shape *box, const irl_shape *at)
{
    size_t cell = 0;
    int    k;
    for (k = 0; k < box->rank; k++) cell = cell * (size_t)box->extent[k] + (size_t)at->extent[k];
    return cell;
}

/* One parameter: its logical array and its memory. */
typedef struct side {
    const irl__param *param;
    irl_tensor        logical, memory;
    unsigned char    *bytes;   /* of the memory */
    unsigned char    *reached; /* per cell */
    size_t            cells, element;
    int               is_written;
} side;

static size_t cells_of(const irl_shape *s)
{
    size_t cells = 1;
    int    k;
    for (k = 0; k < s->rank; k++) cells *= (size_t)s->extent[k];
    return cells;
}

/* Calls for each point: its place in the array and in memory. */
static int each_point(irl_ctx *cx, side *s,
                      void (*visit)(side *s, unsigned char *data, size_t place, size_t cell),
                      unsigned char *data)
{
    size_t    points = cells_of(&s->logical.shape), p, rest;
    irl_shape at = s->logical.shape, out;
    int       k;
    for (p = 0; p < points; p++) {
        rest = p;
        for (k = at.rank; k-- > 0; rest /= (size_t)s->logical.shape.extent[k])
            at.extent[k] = (int64_t)(rest % (size_t)s->logical.shape.extent[k]);
        if (!irl_map_apply(cx, s->param->map, at, &out)) return 0;
        visit(s, data, p, cell_of(&s->memory.shape, &out));
    }
    return 1;
}

static void pack_point(side *s, unsigned char *data, size_t place, size_t cell)
{
    memcpy(s->bytes + cell * s->element, data + place * s->element, s->element);
    s->reached[cell] = 1;
}

static void unpack_point(side *s, unsigned char *data, size_t place, size_t cell)
{
    memcpy(data + place * s->element, s->bytes + cell * s->element, s->element);
}

static void put_padding(const side *s, unsigned char *to)
{
    irl__scalar value;
    value.i = s->param->padding->u.i;
    if (s->param->padding->op == IRL_OP_FLOAT) value.f = s->param->padding->u.f;
    irl__store_scalar(s->param->buffer->type, to, value);
}

/* Packs by the map. What no point reaches: what the caller owes a reader, garbage for what is
   written. */
static int side_open(irl_ctx *cx, const irl_func *f, const irl_func *raw, int k, irl_arguments a,
                     side *s)
{
    size_t cell;
    memset(s, 0, sizeof *s);
    s->param = &f->params[k];
    if (!s->param->map) return 1;
    if (!irl_func_param_tensor(f, k, a, &s->logical) ||
        !irl_func_param_tensor(raw, k, a, &s->memory))
        return 0;
    s->element = irl__type_bytes(s->param->buffer->type);
    s->cells = cells_of(&s->memory.shape);
    s->bytes = (unsigned char *)gen_kept(malloc(s->cells * s->element + 1));
    s->reached = (unsigned char *)gen_kept(calloc(s->cells + 1, 1));
    s->is_written = stores_to(f, s->param->var) > 0;
    memset(s->bytes, s->param->buffer->type.scalar == IRL_BOOL ? 0 : 0x35, s->cells * s->element);
    if (!each_point(cx, s, pack_point, (unsigned char *)(uintptr_t)a.data[k])) return 0;
    for (cell = 0; cell < s->cells; cell++)
        if (!s->reached[cell] && s->param->padding && !s->is_written)
            put_padding(s, s->bytes + cell * s->element);
    return 1;
}

/* Cells of stated padding that hold it; -1 if one does not. */
static int side_close(irl_ctx *cx, side *s, unsigned char *data)
{
    unsigned char padding[16];
    size_t        cell;
    int           held = 0;
    if (!s->param->map || !s->is_written) return 0;
    if (!each_point(cx, s, unpack_point, data)) return -1;
    if (!s->param->padding) return 0;
    put_padding(s, padding);
    for (cell = 0; cell < s->cells; cell++) {
        if (s->reached[cell]) continue;
        if (memcmp(padding, s->bytes + cell * s->element, s->element) != 0) return -1;
        held++;
    }
    return held;
}

static void side_free(side *s)
{
    free(s->bytes);
    free(s->reached);
}

/* Runs f on memory; the results go into `data`. Cells of stated padding that are right; -1 if
   something is not. */
static int run_on_memory(irl_ctx *cx, const irl_func *f, gen_data *data)
{
    irl_func     *raw = on_memory(cx, f);
    irl_arguments a = gen_arguments(data);
    side          sides[GEN_PARAMS];
    int           k, held = 0, one, count = 0;
    if (!raw) return -1;
    for (; count < f->param_count && held >= 0; count++)
        if (!side_open(cx, f, raw, count, gen_arguments(data), &sides[count])) held = -1;
    for (k = 0; k < count && held >= 0; k++)
        if (sides[k].bytes) a.data[k] = sides[k].bytes;
    if (held >= 0 && !irl_func_interpret(raw, a)) held = -1;
    for (k = 0; k < count; k++) {
        if (held >= 0) {
            one = side_close(cx, &sides[k], data->bytes[k]);
            held = one < 0 ? -1 : held + one;
        }
        side_free(&sides[k]);
    }
    return held;
}

/* ------------------------------------------------------------------ generated */

static int padded_cells, in_the_store, in_a_nest; /* over all functions */

static int top_level(const irl_func *f)
{
    return f->body->kind == IRL__SEQ ? f->body->u.seq.count : 1;
}

/* After the layouts, and after all passes. NULL, or what is wrong. */
static const char *run_one(irl_ctx *cx, const gen_case *c, const char *text, char *why, size_t room)
{
    irl_func   *f = irl_func_parse(cx, text, strlen(text), "generated"), *g;
    gen_data    expected = gen_data_new(c), found;
    const char *wrong = NULL;
    int         k, held, is_last, before = f ? top_level(f) : 0;
    *why = 0;
    if (!f || !irl_func_interpret(f, gen_arguments(&expected))) wrong = "as it is";
    for (k = 0; !wrong && irl_pass_name(k); k++) {
        if (!TEST_PASS(k)) continue;
        g = f = irl_func_run_pass(f, irl_pass_name(k));
        is_last = strcmp(irl_pass_name(k), "registers") == 0;
        if (strcmp(irl_pass_name(k), "apply_layouts") != 0 && !is_last) continue;
        found = gen_data_new(c);
        held = g ? run_on_memory(cx, g, &found) : -1;
        if (held < 0) wrong = irl_pass_name(k);
        else if (!gen_data_equal(c, &expected, &found, 0, why, room)) wrong = "the numbers";
        else if (!is_last && held) {
            padded_cells += held;
            if (top_level(g) > before) in_a_nest++;
            else in_the_store++;
        }
        gen_data_free(&found);
    }
    gen_data_free(&expected);
    return wrong;
}

static int fails(void *user, const char *text)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    char        why[160];
    const char *wrong = run_one(cx, (const gen_case *)user, text, why, sizeof why);
    irl_ctx_destroy(cx);
    return wrong && strcmp(wrong, "as it is") != 0;
}

static void check_case(const gen_case *c)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    char        why[160];
    const char *wrong = run_one(cx, c, c->text, why, sizeof why);
    if (!CHECK(!wrong)) {
        printf("seed %lu, %s: %s\n%s", (unsigned long)c->seed, wrong, why, irl_diag_text(cx));
        if (test_failed < 3) {
            char *small = shrink(c->text, fails, (void *)(uintptr_t)c);
            printf("%s", small);
            free(small);
        }
    }
    irl_ctx_destroy(cx);
}

static void generated(uint64_t first, int count)
{
    test_seeds((unsigned long)first, count);
    gen_each(first, count, check_case);
    printf("%d cells of padding; %d functions with it in the store, %d in a nest of its own\n",
           padded_cells, in_the_store, in_a_nest);
    if (count >= 1000) CHECK(padded_cells > 1000 && in_a_nest > 20);
}

/* ------------------------------------------------------------------ by hand: which form */

typedef struct form {
    const char *layout, *body;
    int         kernels; /* 1: in the store; 2: in a nest of its own */
    const char *shows;   /* in the text after apply_layouts */
} form;

#define C4 "(h, c) -> (c / 4, h, c % 4)"

/* Of y: f32[6, 7], from x: f32[6, 7] and z: f32[6, 7] without layouts. */
static const form forms[] = {
    { C4, "for (h: 6, c: 7) y[h, c] = x[h, c];", 1,
      "if_then_else(c_outer * 4 + c_inner < 7, x[h, c_outer * 4 + c_inner], 9.0f)" },
    { C4, "for (c: 7, h: 6) y[h, c] = x[h, c] + z[5 - h, c];", 1,
      "for (c_outer: 2, c_inner: 4, h: 6)" },
    { C4, "for parallel (h: 6, c: 7) y[h, c] = x[h, c];", 1,
      "for parallel (h: 6, c_outer: 2)" },
    /* its own element may be read */
    { C4, "for (h: 6, c: 7) y[h, c] = max(x[h, c], 0.0f) + 0.0f * f32(c);", 1,
      "f32(c_outer * 4 + c_inner)" },
    /* computed by statements: a condition around them */
    { C4, "for (h: 6, c: 7) { let v = x[h, c]; y[h, c] = v * v; }", 1,
      "if (c_outer * 4 + c_inner < 7)" },
    { C4,
      "for (h: 6, c: 7) { alloc s: f32[1]; s[0] = 0.0; for (k: 7) s[0] = s[0] + x[h, k] * z[5 - h, "
      "c]; y[h, c] = s[0]; }",
      1, "else" },
    /* through the axes of a block */
    { C4,
      "for (i: 6, j: 7) block b(h: spatial(6) = i, c: spatial(7) = j) reads(x[h, c]) writes(y[h, "
      "c]) { y[h, c] = x[i, c]; }",
      1, "block b(" },
    { C4, "for (i: 7, j: 6) block b(h: spatial(6) = j, c: spatial(7) = i) { y[h, c] = x[h, i]; }",
      1, "block b(" },
    /* other layouts: shifted, spread, tiled, one on top of another */
    { "(h, c) -> (h, c + 2)", "for (h: 6, c: 7) y[h, c] = x[h, c];", 1, "if_then_else(" },
    { "(h, c) -> (c, h * 3)", "for (h: 6, c: 7) y[h, c] = x[h, c];", 1, "if_then_else(" },
    { "(h, c) -> (h / 4, c / 4, h % 4, c % 4)", "for (h: 6, c: 7) y[h, c] = x[h, c];", 1,
      "for (h_outer: 2, h_inner: 4, c_outer: 2, c_inner: 4)" },
    { "(h, c) -> (c % 4, h, c / 4), pad(9.0)) layout(y: (a, h, b) -> (h, b, a)",
      "for (h: 6, c: 7) y[h, c] = x[h, c];", 1, "if_then_else(" },
    /* a temporary: no fill of its own either */
    { C4, "alloc t: f32[5]; for (i: 5) t[i] = 1.0; for (h: 6, c: 7) y[h, c] = x[h, c] * t[h % 5];",
      2, "if_then_else(" },
    /* loops that reach every element once, whatever they look like */
    { C4, "for (h: 6, c: 7) y[h, 6 - c] = x[h, c];", 1,
      "x[h, 6 - (axis1_outer * 4 + axis1_inner)]" },
    { C4, "for (h: 6, c: 7) for (u: 1) y[h, c + u] = x[h, c];", 1, "if_then_else(" },
    { C4, "for (g: 3, c: 7, i: 2) y[g * 2 + i, c] = y[g * 2 + i, c] + x[g * 2 + i, c];", 1,
      "+ x[axis0 / 2 * 2" },
    { C4, "for (i: 42) y[i / 7, i % 7] = x[i / 7, i % 7];", 1, "if_then_else(" },
    /* refused: written twice, in part, in order, under a condition, in a loop, or by more than one
       store */
    { C4, "for (h: 6, c: 7) y[h, c] = 0.0; for (h: 6, c: 7) y[h, c] = x[h, c];", 3,
      "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 6, c: 6) y[h, c] = x[h, c]; ", 2, "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 6, c: 1 .. 7) y[h, c] = x[h, c];", 2, "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 6, c: 7) y[h, (c * c) % 7] = x[h, c];", 2, "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 3, c: 7) y[h * 2, c] = x[h, c];", 2, "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 6, c: 7, k: 3) y[h, c] = x[h, (c + k) % 7];", 2, "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 6, c: 7) y[h, c] = y[h, max(c - 1, 0)] + x[h, c];", 2,
      "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 6, c: 7) if (x[h, c] > -100.0) y[h, c] = x[h, c];", 2,
      "axis0 * 4 + axis2 >= 7" },
    { C4, "if (x[0, 0] > -100.0) for (h: 6, c: 7) y[h, c] = x[h, c];", 2,
      "axis0 * 4 + axis2 >= 7" },
    { C4, "for (s: 2) for (h: 6, c: 7) { y[h, c] = x[h, c] + f32(s); }", 2,
      "axis0 * 4 + axis2 >= 7" },
    { C4,
      "for (i: 6, j: 7) block b(h: spatial(6) = i, c: spatial(7) = j) where(x[h, c] > -100.0) { "
      "y[h, c] = x[h, c]; }",
      2, "axis0 * 4 + axis2 >= 7" },
    { C4, "for (h: 6, c: 7) { y[h, c] = x[h, c]; z[h, c] = 1.0; }", 2, "axis0 * 4 + axis2 >= 7" },
};

/* x, y and z of one shape, f32. */
static gen_case three(int rank, const int *extent)
{
    gen_case c;
    int      k, j;
    memset(&c, 0, sizeof c);
    c.param_count = 3;
    for (k = 0; k < 3; k++) {
        gen_param *p = &c.params[k];
        snprintf(p->name, sizeof p->name, "%c", "xyz"[k]);
        p->type = IRL_F32;
        p->is_buffer = 1;
        p->rank = rank;
        for (j = 0; j < rank; j++) p->extent[j] = extent[j];
    }
    return c;
}

static void which_form(const form *row)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    gen_case    c;
    gen_data    given, expected, found;
    char        text[2048], why[160];
    irl_func   *f, *g;
    irl_module *m;
    static const int extent[] = { 6, 7 };
    int         held;
    c = three(2, extent);
    given = gen_data_new(&c);
    expected = gen_data_copy(&given);
    found = gen_data_copy(&given);
    snprintf(text, sizeof text,
             "func f(x: f32[6, 7], y: f32[6, 7], z: f32[6, 7])\n    layout(y: %s, pad(9.0)) {\n    "
             "%s\n}\n",
             row->layout, row->body);
    f = irl_func_parse(cx, text, strlen(text), "form");
    CHECK(f && irl_func_interpret(f, gen_arguments(&expected)));
    g = irl_func_run_pass(f, "apply_layouts");
    if (!CHECK(g && strstr(irl_func_text(g), row->shows)))
        printf("%s\n%s", g ? irl_func_text(g) : "", irl_diag_text(cx));
    held = g ? run_on_memory(cx, g, &found) : -1;
    if (!CHECK(held > 0 && gen_data_equal(&c, &expected, &found, 0, why, sizeof why)))
        printf("%s\n%s\n%s", text, irl_func_text(g), irl_diag_text(cx));
    m = irl_func_lower(f, &irl_target_opencl12);
    if (!CHECK(m && m->kernel_count == row->kernels))
        printf("%s%d kernels\n%s", text, m ? m->kernel_count : -1, irl_diag_text(cx));
    gen_data_free(&given);
    gen_data_free(&expected);
    gen_data_free(&found);
    irl_ctx_destroy(cx);
}

/* ----------------------------------------------- nests that define a whole buffer, at random */

typedef struct writer {
    char text[2048];
    int  length;
} writer;

static void put(writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    w->length += vsnprintf(w->text + w->length, sizeof w->text - (size_t)w->length, format, list);
    va_end(list);
}

/* One output per axis, or two; now and then one on top of it. */
static void put_layouts(writer *w, int rank)
{
    int k, turn = TEST_RANDOM(rank), factor = 2 + TEST_RANDOM(4);
    put(w, " layout(y: (%.*s) -> (", 3 * rank - 2, "a, b, c");
    for (k = 0; k < rank; k++) {
        char v = "abc"[(k + turn) % rank];
        put(w, k ? ", " : "");
        switch (TEST_RANDOM(6)) {
        case 0: put(w, "%c + %d", v, factor); break;
        case 1: put(w, "%c * %d", v, factor); break;
        case 2: put(w, "%c %% %d, %c / %d", v, factor, v, factor); break;
        case 3: put(w, "%c", v); break;
        default: put(w, "%c / %d, %c %% %d", v, factor, v, factor); break;
        }
    }
    put(w, "), pad(9.0))");
    if (TEST_RANDOM(4) == 0)
        put(w, " layout(y: (z, ...) -> (..., z)%s)", TEST_RANDOM(2) ? ", pad(9.0)" : "");
}

/* Loops over the whole box, in some order, some of them in two; index[k] is what stands for axis
   k. */
static int put_loops(writer *w, int rank, const int *extent, char index[3][32])
{
    int k, turn = TEST_RANDOM(rank), factor, depth = 0;
    for (k = 0; k < rank; k++) {
        int  at = (k + turn) % rank;
        char v = "ijk"[at];
        for (factor = 2; factor < extent[at] && extent[at] % factor; factor++) {}
        put(w, TEST_RANDOM(3) ? "for " : "for parallel ");
        if (TEST_RANDOM(3) == 0 && factor < extent[at]) {
            put(w, "(%c0: %d) for (%c1: %d) ", v, extent[at] / factor, v, factor);
            snprintf(index[at], 32, "%c0 * %d + %c1", v, factor, v);
        } else {
            put(w, "(%c: %d) ", v, extent[at]);
            if (TEST_RANDOM(5) == 0) snprintf(index[at], 32, "%d - %c", extent[at] - 1, v);
            else snprintf(index[at], 32, "%c", v);
        }
        depth++;
    }
    return depth;
}

static void put_place(writer *w, const char *name, int rank, char index[3][32])
{
    int k;
    put(w, "%s[", name);
    for (k = 0; k < rank; k++) put(w, "%s%s", k ? ", " : "", index[k]);
    put(w, "]");
}

static void put_body(writer *w, int rank, char index[3][32])
{
    int form = TEST_RANDOM(5);
    put(w, "{ ");
    if (form == 0) {
        put(w, "let v = ");
        put_place(w, "x", rank, index);
        put(w, "; ");
    } else if (form == 1) {
        put(w, "alloc s: f32[1]; s[0] = 0.0; for (u: 3) s[0] = s[0] + f32(u) * ");
        put_place(w, "x", rank, index);
        put(w, "; ");
    }
    put_place(w, "y", rank, index);
    put(w, " = %s", form == 0 ? "v + v" : form == 1 ? "s[0]" : "");
    if (form > 1) put_place(w, "x", rank, index);
    if (form == 3) put(w, " + "), put_place(w, "y", rank, index);
    if (form == 4) put(w, " * "), put_place(w, "z", rank, index);
    put(w, "; }");
}

static void random_writers(int count)
{
    int k, number, rank, extent[3], before = in_the_store, cells = padded_cells;
    for (number = 0; number < count; number++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        writer      w;
        char        index[3][32], why[160];
        gen_case    c;
        const char *wrong;
        w.length = 0;
        rank = 1 + TEST_RANDOM(3);
        for (k = 0; k < rank; k++) extent[k] = 1 + TEST_RANDOM(9);
        c = three(rank, extent);
        c.seed = (uint64_t)number;
        put(&w, "func f(");
        for (k = 0; k < 3; k++) {
            int j;
            put(&w, "%s%c: f32[", k ? ", " : "", "xyz"[k]);
            for (j = 0; j < rank; j++) put(&w, "%s%d", j ? ", " : "", extent[j]);
            put(&w, "]");
        }
        put(&w, ")");
        put_layouts(&w, rank);
        put(&w, " { ");
        put_loops(&w, rank, extent, index);
        put_body(&w, rank, index);
        put(&w, " }");
        wrong = run_one(cx, &c, w.text, why, sizeof why);
        if (!CHECK(!wrong)) printf("%s\n%s: %s\n%s", w.text, wrong, why, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
    printf("%d cells of padding in %d functions with it in the store\n", padded_cells - cells,
           in_the_store - before);
    CHECK(in_a_nest == 0 && in_the_store - before > count / 2);
}

/* Without a stated padding nothing is stored beside the points. */
static void undefined_stays_so(void)
{
    static const char text[] = "func f(x: f32[6, 7], y: f32[6, 7]) layout(y: " C4
                               ") { for (h: 6, c: 7) y[h, c] = x[h, c]; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, strlen(text), NULL),
             *g = irl_func_run_pass(f, "apply_layouts");
    CHECK(g && stores_to(g, g->params[1].var) == 1 &&
          strstr(irl_func_text(g), "for (h: 6, c: 7)") && !strstr(irl_func_text(g), "if"));
    irl_ctx_destroy(cx);
}

/* A temporary is defined, with its padding, by the nest that defines it. */
static void temporary(void)
{
    static const char text[] = "func f(x: f32[6, 7], y: f32[6, 7]) layout(t: " C4 ", pad(9.0)) {"
                               " alloc t: f32[6, 7]; for (h: 6, c: 7) t[h, c] = x[h, c]; for (h: "
                               "6, c: 7) y[h, c] = t[5 - h, c]; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = irl_func_parse(cx, text, strlen(text), NULL);
    irl_module       *m = irl_func_lower(f, &irl_target_opencl12);
    float             x[42], y[42];
    int               k, wrong = 0;
    for (k = 0; k < 42; k++) x[k] = (float)k, y[k] = -1;
    CHECK(m && m->kernel_count == 2 && irl_module_interpret(m, IRL_ARGS(x, y)));
    for (k = 0; k < 42; k++) wrong += y[k] != x[(5 - k / 7) * 7 + k % 7];
    CHECK(wrong == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Padding of a symbolic shape: the same, for every value. */
static void symbolic(void)
{
    static const char text[] = "func f(n: index, x: f32[n, 2 * n + 1], y: f32[n, 2 * n + 1]) "
                               "layout(y: (h, c) -> (c / 4, h, c % 4), pad(9.0)) {"
                               " for (h: n, c: 2 * n + 1) y[h, c] = x[h, c]; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, strlen(text), NULL),
             *g = irl_func_run_pass(f, "apply_layouts"), *raw = on_memory(cx, g);
    irl_module       *m = irl_func_lower(f, &irl_target_opencl12);
    float             x[256], y[256], expected;
    int64_t           n, h, c, wrong = 0;
    CHECK(g && strstr(irl_func_text(g),
                      "c_outer * 4 + c_inner <= n * 2, x[h, c_outer * 4 + c_inner], 9.0f)"));
    CHECK(m && m->kernel_count == 1);
    for (n = 1; n < 9; n++) {
        int64_t blocks = (2 * n + 4) / 4;
        for (c = 0; c < 256; c++) x[c] = (float)c, y[c] = -1;
        CHECK(raw && irl_func_interpret(raw, IRL_ARGS(&n, x, y)));
        for (h = 0; h < n; h++)
            for (c = 0; c < blocks * 4; c++) {
                expected = c < 2 * n + 1 ? x[h * (2 * n + 1) + c] : 9.0f;
                wrong += y[(c / 4 * n + h) * 4 + c % 4] != expected;
            }
    }
    CHECK(wrong == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Several layouts in order of a symbolic shape, and a last one that pads on the other axis: each
   states its own padding. */
static void symbolic_twice(void)
{
    static const char text[] = "func f(n: index, x: f32[n, 2 * n + 1], y: f32[n, 2 * n + 1]) { for "
                               "(h: n, c: 2 * n + 1) y[h, c] = x[h, c]; }";
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = irl_func_parse(cx, text, strlen(text), NULL), *g, *raw;
    float             x[256], y[512], expected;
    int64_t           n, o, h, i, h2, cell, wrong = 0;
    f = irl_func_set_padding(
        irl_func_set_layout(f, "y", irl_map_parse(cx, "(h, c) -> (c/4, h, c%4)")), "y", 9);
    f = irl_func_set_padding(
        irl_func_set_layout(f, "y", irl_map_parse(cx, "(o, h, i) -> (h/2, o, i, h%2)")), "y", -5);
    g = irl_func_run_pass(f, "apply_layouts");
    raw = g ? on_memory(cx, g) : NULL;
    if (!CHECK(raw)) printf("%s\n", irl_diag_text(cx));
    for (n = 1; raw && n < 9; n++) {
        int64_t blocks = (2 * n + 4) / 4;
        for (cell = 0; cell < 256; cell++) x[cell] = (float)cell;
        for (cell = 0; cell < 512; cell++) y[cell] = -1;
        CHECK(irl_func_interpret(raw, IRL_ARGS(&n, x, y)));
        for (h2 = cell = 0; h2 < (n + 1) / 2; h2++)
            for (o = 0; o < blocks; o++)
                for (i = 0; i < 4; i++)
                    for (h = h2 * 2; h < h2 * 2 + 2; h++, cell++) {
                        expected = h >= n                  ? -5.0f
                                   : o * 4 + i < 2 * n + 1 ? x[h * (2 * n + 1) + o * 4 + i]
                                                           : 9.0f;
                        wrong += y[cell] != expected;
                    }
    }
    CHECK(wrong == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* One map for three buffers, of which one has another shape: one verdict serves two of them, and
   each has its own padding. */
static void one_line_for_all(void)
{
    static const char text[] =
        "func f(x: f32[5, 6], y: f32[5, 6], z: f32[5, 7]) { for (h: 5, c: 6) y[h, c] = x[h, c];"
        " for (h: 5, c: 3) x[h, c] = y[h, c] + 1.0; for (h: 5, c: 6) x[h, c] = y[h, c] * 2.0; for "
        "(h: 5, c: 7) z[h, c] = 3.0; }";
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_func      *f = irl_func_parse(cx, text, strlen(text), NULL), *raw;
    const irl_map *line = irl_map_parse(cx, "(h, c) -> (c/4, h, c%4)");
    irl_module    *m;
    float          x[40], y[40], z[40];
    int            cell, h, c, wrong = 0;
    f = irl_func_set_padding(irl_func_set_layout(f, "x", line), "x", -1);
    f = irl_func_set_padding(irl_func_set_layout(f, "y", line), "y", -2);
    f = irl_func_set_padding(irl_func_set_layout(f, "z", line), "z", -3);
    raw = on_memory(cx, irl_func_run_pass(f, "apply_layouts"));
    m = irl_func_lower(f, &irl_target_opencl12);
    if (!CHECK(raw && m && irl_ocl_source(m)[0])) printf("%s\n", irl_diag_text(cx));
    for (cell = 0; cell < 40; cell++) x[cell] = (float)cell, y[cell] = z[cell] = 99;
    CHECK(irl_func_interpret(raw, IRL_ARGS(x, y, z)));
    for (cell = 0; cell < 40; cell++) {
        h = cell / 4 % 5;
        c = cell / 20 * 4 + cell % 4;
        wrong += x[cell] != (c < 6 ? 2.0f * (float)((c / 4 * 5 + h) * 4 + c % 4) : -1.0f);
        wrong += y[cell] != (c < 6 ? (float)((c / 4 * 5 + h) * 4 + c % 4) : -2.0f) ||
                 z[cell] != (c < 7 ? 3.0f : -3.0f);
    }
    CHECK(wrong == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* What pad(...) holds takes the type of the elements, also of a temporary, which is declared behind
 * it. */
static void typed_temporary(void)
{
    static const struct { const char *type, *pad, *printed, *wrong;
    } rows[] = {
        { "f32", "1", "1.0f", NULL },
        { "f32", "0.1", "0.1f", NULL },
        { "f64", "0.1", "f64(0.1)", NULL },
        { "u8", "7", "u8(7)", NULL },
        { "i64", "-3", "i64(-3)", NULL },
        { "f16", "0.5", "f16(0.5)", NULL },
        { "u8", "300", NULL, "300 does not fit u8" },
        { "i32", "0.5", NULL, "i32 is expected here" },
        { "f32", "i32(1)", NULL, "f32 is expected here" },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[256];
        irl_func   *f;
        irl_module *m;
        snprintf(text, sizeof text,
                 "func f(x: %s[7], y: %s[7]) layout(m: (a) -> (a/3, a%%3), pad(%s)) "
                 "{ alloc m: %s[7]; for (i: 7) m[i] = x[i]; for (i: 7) y[i] = m[i]; }",
                 rows[k].type, rows[k].type, rows[k].pad, rows[k].type);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        m = irl_func_lower(f, &irl_target_opencl12);
        if (rows[k].wrong) {
            CHECK(!f && strstr(irl_diag_text(cx), rows[k].wrong));
            CHECK(irl_diag_of(cx) && irl_diag_of(cx)->column > 50);
        } else if (CHECK(m != NULL)) {
            char pad[48];
            snprintf(pad, sizeof pad, "pad(%s)", rows[k].printed);
            CHECK(strstr(irl_func_text(f), pad) != NULL);
            CHECK(irl_func_equal(f, irl_func_parse(cx, irl_func_text(f), IRL_TO_NUL, NULL)));
        }
        if (!rows[k].wrong) CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

/* Cells of what is written hold what nobody states: that is legal, and said. */
static void unstated(void)
{
    static const struct { const char *params, *layout, *body, *says;
    } rows[] = {
        { "x: f32[7], y: f32[7]", "layout(y: (a) -> (a/3, a%3))", "for (i: 7) y[i] = x[i];",
          "warning: 'y' is written, and its layout has unused cells: 2 of them, "
          "where axis0 * 3 + axis1 >= 7." },
        { "x: f32[7], y: f32[7]", "layout(y: (a) -> (a/3, a%3), pad(0))", "for (i: 7) y[i] = x[i];",
          NULL },
        { "x: f32[7], y: f32[7]", "layout(x: (a) -> (a/3, a%3))", "for (i: 7) y[i] = x[i];", NULL },
        { "x: f32[9], y: f32[9]", "layout(y: (a) -> (a/3, a%3))", "for (i: 9) y[i] = x[i];", NULL },
        { "x: f32[3], y: f32[3]", "layout(y: (a) -> (a%4))", "for (i: 3) y[i] = x[i];",
          ": 1 of them, where axis0 >= 3." },
        { "x: f32[7], y: f32[7]", "layout(y: (a) -> (a/3, a%3)) attr(unstated_padding = \"y\")",
          "for (i: 7) y[i] = x[i];", NULL },
        { "x: f32[7], y: f32[7]", "layout(m: (a) -> (a/3, a%3))",
          "alloc m: f32[7]; for (i: 7) m[i] = x[i]; for (i: 7) y[i] = m[i];", NULL },
        { "n: index, x: f32[n], y: f32[n]", "layout(y: (a) -> (a/3, a%3))",
          "for (i: n) y[i] = x[i];", ": 2 - (n + 2) % 3 of them, where n <= axis0 * 3 + axis1." },
        { "n: index, x: f32[n], y: f32[n]", "layout(y: (a) -> (n - 1 - a))",
          "for (i: n) y[i] = x[i];", NULL },
    };
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[256];
        irl_module *m;
        const char *notes;
        snprintf(text, sizeof text, "func f(%s) %s { %s }", rows[k].params, rows[k].layout,
                 rows[k].body);
        m = irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12);
        notes = m ? irl_func_warnings(irl_module_host(m)) : "";
        CHECK_OK(cx);
        if (!CHECK(rows[k].says ? strstr(notes, rows[k].says) != NULL : notes[0] == '\0'))
            printf("    %s\n    %s\n", text, notes);
        CHECK(irl_ocl_source(m)[0]);
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    size_t k;
    typed_temporary();
    unstated();
    one_line_for_all();
    for (k = 0; k < sizeof forms / sizeof *forms; k++) which_form(&forms[k]);
    undefined_stays_so();
    temporary();
    symbolic();
    symbolic_twice();
    random_writers(TEST_COUNT(600));
    if (argc > 1) generated(strtoul(argv[1], NULL, 10), argc > 2 ? atoi(argv[2]) : 1);
    else generated(1, TEST_COUNT(1000));
    return TEST_DONE();
}
