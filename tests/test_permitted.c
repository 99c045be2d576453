/* test_permitted.c - maps that are lossy, negative, over a bound or undefined, in all combinations,
   through everything that takes a map: what is permitted of a verdict hides nothing else of it. The
   truth is found by looking at every point, and what is carried out is run by the interpreter. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "map_truth.h"

static irl_ctx *cx;

/* ------------------------------------------------------------------ maps */

enum { TEXT = 400, MOST_POINTS = 100 };

/* What a map does, beside what it was made to do. */
typedef struct facts {
    int       lossy, negative, over, undefined;
    irl_shape box;
} facts;

typedef struct question {
    irl_shape      shape;
    int64_t        bound;
    char           text[TEXT];
    const irl_map *map;
    facts          is;
} question;

static int below(int n) { return random_below(n); }

static const char *pick(const char *const *list, int count) { return list[below(count)]; }

/* One output over the axes a and b; the second may be left out. */
static void put_output(char *t, int rank, int wrong)
{
    static const char *const plain[] = { "a", "a*2", "a/2", "a%3", "min(a, 2)", "max(a, 3)",
                                         "a*3%7", "a/3", "1", "a*a%5", "5 - a", "a^1" };
    static const char *const pairs[] = { "a*9 + b", "a + b", "b", "a%4 + b/2", "b*2%9", "a*b",
                                         "b/2*4 + a%4", "min(a, b)" };
    static const char *const undefined[] = { " + 0/(a - 2)", " + 0%(a - 1)", " + (0 >> (a - 1))",
                                             " + 0/(a/3)" };
    const char *core = rank == 2 && below(3) ? pick(pairs, 8) : pick(plain, 12);
    if (wrong & 1) sprintf(t + strlen(t), "(%s) - %d", core, 1 + below(4));
    else if (wrong & 2)
        sprintf(t + strlen(t), "a == %d ? -%d : (%s)", below(4), 1 + below(3), core);
    else sprintf(t + strlen(t), "%s", core);
    if (wrong & 4) sprintf(t + strlen(t), "%s", pick(undefined, 4));
}

/* The truth, by looking. */
static facts look(const irl_map *map, const irl_shape *shape, int64_t bound)
{
    static irl_shape seen[MOST_POINTS];
    facts            f;
    irl_shape        at, to;
    int              n = 0, k, j;
    memset(&f, 0, sizeof f);
    memset(&at, 0, sizeof at);
    at.rank = shape->rank;
    f.box.rank = irl_map_output_count(map);
    do {
        if (!truth_apply(map, &at, &to)) {
            f.undefined = 1;
            continue;
        }
        for (k = 0; k < to.rank; k++) {
            f.negative |= to.extent[k] < 0;
            f.over |= to.extent[k] >= bound;
            if (to.extent[k] >= f.box.extent[k]) f.box.extent[k] = to.extent[k] + 1;
        }
        for (j = 0; j < n && !truth_same(&seen[j], &to);) j++;
        f.lossy |= j < n;
        seen[n++] = to;
    } while (truth_next(shape, &at));
    return f;
}

static int invent(question *q)
{
    int k, outputs, wrong = below(2) ? 0 : 1 + below(7);
    memset(q, 0, sizeof *q);
    q->shape.rank = 1 + below(2);
    for (k = 0; k < q->shape.rank; k++) q->shape.extent[k] = 1 + below(q->shape.rank == 1 ? 12 : 6);
    q->bound = 1 + below(12);
    strcpy(q->text, q->shape.rank == 1 ? "(a) -> (" : "(a, b) -> (");
    outputs = 1 + below(2);
    for (k = 0; k < outputs; k++) {
        if (k) strcat(q->text, ", ");
        put_output(q->text, q->shape.rank, k + 1 == outputs ? wrong : 0);
    }
    strcat(q->text, ")");
    q->map = irl_map_parse(cx, q->text);
    if (!CHECK(q->map)) return 0;
    q->is = look(q->map, &q->shape, q->bound);
    return 1;
}

static int wrong(const question *q, const char *who, const char *what)
{
    static int shown;
    int        k;
    if (shown++ < 20) {
        printf("%s on", q->text);
        for (k = 0; k < q->shape.rank; k++) printf(" %d", (int)q->shape.extent[k]);
        printf(" (lossy %d, negative %d, undefined %d): %s: %s\n", q->is.lossy, q->is.negative,
               q->is.undefined, who, what);
    }
    return CHECK(!"what is permitted hides nothing");
}

/* ------------------------------------------------------------------ the verdict */

static int is_outside(const question *q, const irl_verdict *v, int with_bound)
{
    irl_shape to;
    int       k, out = 0;
    if (!truth_apply(q->map, &v->outside, &to) || !truth_same(&to, &v->outside_at)) return 0;
    for (k = 0; k < to.rank; k++)
        out |= to.extent[k] < 0 || (with_bound && to.extent[k] >= q->bound);
    return out;
}

static void test_verdict(const question *q, int with_bound)
{
    const int         outside = q->is.negative || (with_bound && q->is.over);
    irl_check_options how;
    irl_shape         bound = q->is.box;
    irl_verdict       v;
    irl_verdict_kind  kind;
    int               k;
    memset(&how, 0, sizeof how);
    for (k = 0; k < bound.rank; k++) bound.extent[k] = q->bound;
    if (with_bound) how.bound = &bound;
    v = irl_map_check_with(cx, q->map, q->shape, &how);
    kind = q->is.lossy       ? IRL_LOSSY
           : q->is.undefined ? IRL_UNDEFINED
           : outside         ? IRL_OUT_OF_RANGE
                             : v.kind;
    if (v.kind != kind || (!q->is.lossy && !q->is.undefined && !outside &&
                           !(v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE)))
        wrong(q, "the verdict", irl_verdict_text(cx, &v));
    else if (v.kind == IRL_LOSSY && !truth_witness(q->map, &v)) wrong(q, "the witness", "");
    else if (v.kind == IRL_LOSSY && (q->is.undefined || outside) != (v.reason[0] != '\0'))
        wrong(q, "the reason", irl_verdict_text(cx, &v));
    else if (v.kind == IRL_LOSSY && !q->is.undefined &&
             (outside ? !is_outside(q, &v, with_bound) : v.outside_at.rank))
        wrong(q, "the point that is out of range", irl_verdict_text(cx, &v));
    else CHECK(1);
}

/* ------------------------------------------------------------------ those who take maps */

static int carried, rightly, refused, images, named_carried, named_refused;

/* `done`: it was carried out; `right`: it is to be. */
static void judge(const question *q, const char *who, int done, int right)
{
    if (done != right) wrong(q, who, done ? "carried out" : irl_diag_text(cx));
    else CHECK(done || irl_diag_of(cx));
    carried += done;
    rightly += right;
    refused += !done;
}

static void put_shape(char *t, const question *q, int named)
{
    int k;
    strcat(t, "[");
    for (k = 0; k < q->shape.rank; k++)
        if (named) sprintf(t + strlen(t), k ? ", m" : "n");
        else sprintf(t + strlen(t), k ? ", %d" : "%d", (int)q->shape.extent[k]);
    strcat(t, "]");
}

/* y = x, where x or y has the layout. */
static void put_func(char *t, const question *q, const char *name, const char *type, char whose,
                     int named, const char *attribute)
{
    sprintf(t + strlen(t), "func %s(%s%sx: %s", name, named ? "n: i32, " : "",
            named && q->shape.rank > 1 ? "m: i32, " : "", type);
    put_shape(t, q, named);
    sprintf(t + strlen(t), ", y: %s", type);
    put_shape(t, q, named);
    sprintf(t + strlen(t), ") layout(%c: %s)%s { for (i: ", whose, q->text, attribute);
    if (named) strcat(t, "index(n)");
    else sprintf(t + strlen(t), "%d", (int)q->shape.extent[0]);
    if (q->shape.rank > 1 && named) strcat(t, ", j: index(m)");
    else if (q->shape.rank > 1) sprintf(t + strlen(t), ", j: %d", (int)q->shape.extent[1]);
    strcat(t, q->shape.rank > 1 ? ") y[i, j] = x[i, j]; }\n" : ") y[i] = x[i]; }\n");
}

static const char *const targets[] = { "opencl12", "c99", "glsl", "opencl12-gpu", "scalar" };

static irl_module *lower(const irl_func *f, const char *target, irl_bounds bounds)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.bounds = bounds;
    how.verify = 1;
    return f ? irl_func_lower_with(f, irl_target_find(target), &how) : NULL;
}

/* The module, or else the function, gives what the memory holds where the map goes. */
static int runs(const question *q, const irl_module *m, const irl_func *f, int named)
{
    float         x[4096], y[MOST_POINTS];
    int32_t       size[2];
    irl_arguments a;
    irl_shape     memory, at, to;
    int           k, n = 0, in_memory = 1, in_order = 1;
    if (!irl_map_memory(cx, q->map, q->shape, &memory) || irl_shape_count(memory) > 4096) return 1;
    for (k = 0; k < 4096; k++) x[k] = (float)(k + 1);
    memset(&a, 0, sizeof a);
    for (k = 0; named && k < q->shape.rank; k++) {
        size[k] = (int32_t)q->shape.extent[k];
        a.data[a.count++] = &size[k];
    }
    a.data[a.count++] = x;
    a.data[a.count++] = y;
    if (!(m ? irl_module_interpret(m, a) : irl_func_interpret(f, a))) {
        /* with names an assert says for which sizes the layout is right */
        return named && irl_diag_of(cx)->code == IRL_ERROR_ASSERTION;
    }
    memset(&at, 0, sizeof at);
    at.rank = q->shape.rank;
    do {
        int64_t place = 0;
        if (!truth_apply(q->map, &at, &to)) return 0;
        for (k = 0; k < to.rank; k++) place = place * memory.extent[k] + to.extent[k];
        /* with names the memory itself is handed over where other sizes lose */
        in_memory &= y[n] == x[place];
        in_order &= y[n] == x[n];
        n++;
    } while (truth_next(&q->shape, &at));
    return q->is.lossy ? in_memory : in_order || (named && in_memory);
}

static void test_lower(const question *q)
{
    static const char *const attributes[] = { "", " attr(shared_cells = \"x\")" };
    const int   fine = !q->is.negative && !q->is.undefined;
    const char *target = targets[below(5)], *type = below(4) ? "f32" : "u4";
    const char  whose = below(4) ? 'x' : 'y';
    char        text[2 * TEXT + 200] = "", who[80];
    irl_mark    mark = irl_ctx_mark(cx);
    irl_bounds  bounds = (irl_bounds)below(3);
    irl_module *m;
    put_func(text, q, "f", type, whose, 0, whose == 'x' ? attributes[below(2)] : "");
    m = lower(irl_func_parse(cx, text, IRL_TO_NUL, "text"), target, bounds);
    sprintf(who, "lowering of %s in %c for %s, bounds %d", type, whose, target, (int)bounds);
    judge(q, who, m != NULL, fine && (whose == 'x' || !q->is.lossy));
    if (m && whose == 'x' && type[0] == 'f' && !runs(q, m, NULL, 0))
        wrong(q, who, irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

/* An image holds some layouts only; what is out of range is in none. */
static void test_image(const question *q)
{
    char        text[2 * TEXT + 200] = "";
    irl_mark    mark = irl_ctx_mark(cx);
    irl_func   *f;
    irl_module *m;
    put_func(text, q, "f", "f32x4", 'x', 0, "");
    f = irl_func_parse(cx, text, IRL_TO_NUL, "text");
    f = f ? irl_func_set_scope(f, "x", IRL_SCOPE_TEXTURE) : NULL;
    m = lower(f, below(2) ? "opencl12" : "adreno", IRL_BOUNDS_WARN);
    images += m != NULL;
    if (m && (q->is.negative || q->is.undefined)) wrong(q, "an image", "carried out");
    else CHECK(m || irl_diag_of(cx));
    irl_ctx_rewind(cx, mark);
}

/* Names may be refused, or be asserted; what is lowered reads no other memory. */
static void test_names(const question *q)
{
    char        text[2 * TEXT + 200] = "";
    irl_mark    mark = irl_ctx_mark(cx);
    irl_module *m;
    put_func(text, q, "f", "f32", 'x', 1, "");
    m = lower(irl_func_parse(cx, text, IRL_TO_NUL, "text"), "c99", IRL_BOUNDS_WARN);
    named_carried += m != NULL;
    named_refused += m == NULL;
    if (m && !runs(q, m, NULL, 1) &&
        (q->is.lossy || irl_diag_of(cx) == NULL || irl_diag_of(cx)->code != IRL_ERROR_LOSSY_MAP))
        wrong(q, "names", irl_diag_text(cx));
    CHECK(m || irl_diag_of(cx));
    irl_ctx_rewind(cx, mark);
}

static void test_graph(const question *q)
{
    char        text[2 * TEXT + 400] = "graph g {\n";
    irl_mark    mark = irl_ctx_mark(cx);
    irl_graph  *g;
    irl_module *m;
    put_func(text, q, "f", "f32", 'x', 0, "");
    strcat(text, "input p: f32");
    put_shape(text, q, 0);
    strcat(text, "; r = f(p); output r; }");
    g = irl_graph_parse(cx, text, IRL_TO_NUL, "text");
    m = g ? irl_graph_lower(g, irl_target_find(targets[below(3)])) : NULL;
    judge(q, "a graph", m != NULL, !q->is.negative && !q->is.undefined);
    if (m && !runs(q, m, NULL, 0)) wrong(q, "a graph's module", irl_diag_text(cx));
    if (m && !runs(q, NULL, irl_func_run_pass(irl_graph_func(g), "apply_layouts"), 0))
        wrong(q, "a graph's function with its layouts", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
}

static void test_copies(const question *q)
{
    const int            fine = !q->is.negative && !q->is.undefined;
    irl_mark             mark = irl_ctx_mark(cx);
    irl_dma_options      dma;
    irl_c_layout_options c;
    irl_bit_element      bits;
    CHECK(irl_bit_element_parse(cx, "u3", &bits));
    memset(&dma, 0, sizeof dma);
    dma.unpack = below(2);
    judge(q, dma.unpack ? "DMA out of the layout" : "DMA into the layout",
          irl_dma_new(cx, q->map, q->shape, &dma) != NULL, fine && (dma.unpack || !q->is.lossy));
    irl_ctx_rewind(cx, mark);
    judge(q, "packing", irl_map_pack_func(cx, q->map, q->shape, NULL) != NULL,
          fine && !q->is.lossy);
    irl_ctx_rewind(cx, mark);
    judge(q, "unpacking", irl_map_unpack_func(cx, q->map, q->shape, NULL) != NULL,
          fine && !q->is.lossy);
    irl_ctx_rewind(cx, mark);
    memset(&c, 0, sizeof c);
    if (below(2)) c.bits = &bits;
    judge(q, "the place in C", irl_c_layout_source(cx, q->map, q->shape, &c)[0] != '\0', fine);
    irl_ctx_rewind(cx, mark);
}

/* It carried out all that is right, and of 1,000 maps 309 uses that are wrong. */
static const double share_before = 1.0;

int main(void)
{
    const int count = TEST_COUNT(1000);
    int       kinds[16] = { 0 }, k, seen = 0;
    cx = irl_ctx_create(NULL);
    for (k = 0; k < count; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        question q;
        if (invent(&q)) {
            kinds[q.is.lossy + 2 * q.is.negative + 4 * q.is.over + 8 * q.is.undefined]++;
            test_verdict(&q, 0);
            test_verdict(&q, 1);
            test_lower(&q);
            test_image(&q);
            test_names(&q);
            test_graph(&q);
            test_copies(&q);
        }
        irl_ctx_rewind(cx, mark);
    }
    for (k = 0; k < 16; k++) seen += kinds[k] > 0;
    printf("%.3f of what is right is carried out, %.3f in an earlier version\n",
           rightly ? (double)carried / rightly : 0, share_before);
    printf("%d maps, %d of 16 combinations; %d carried out, %d refused; %d images; of names %d and "
           "%d\n", count, seen, carried, refused, images, named_carried, named_refused);
    if (count >= 1000) /* fewer need not draw everything */
        CHECK(seen == 16 && carried > count && images > count / 10 && named_carried > count / 4);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
