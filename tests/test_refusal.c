/* test_refusal.c - why a step was refused, in parts: what they are, for each kind of refusal; that
   irl_schedule_try and irl_schedule_parse give the same; how long they live; failing allocations.

   That the parts are true is seen in test_schedule (each refusal there) and in test_schedule_legal
   (steps drawn at random). */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "failing.h"
#include "refusals.h"
#include "test.h"

#include <limits.h>

#define MIXED \
    "func f(x: f32[8], y: f32[8], z: f32[8]) { for (i: 8) { y[i] = x[i]; z[i] = 1; } " \
    "for (i: 8) { let v = x[i]; y[i] = v; if (v > 1) z[i] = 2; } }"
#define CHAIN "func f(a: f32[9], y: f32[9]) { alloc t: f32[9]; for (i: 8) a[i] = a[i + 1]; " \
              "for (j: 9) t[j] = 2.0; for (i: 8) y[i] = t[i + 1]; for (q: 8) y[q] = t[q]; }"
#define SUM "func f(n: index, x: f32[8, 4], y: f32[8], z: f32[n]) { for (i: 8, k: 4) " \
            "block c(v: spatial(8) = i, r: reduce(4) = k) { init y[v] = 0.0; " \
            "y[v] = y[v] + x[v, r]; } for (i: 1 .. n) z[i] = z[i - 1]; }"
#define VIEW "func f(y: i32[9, 3]) { decl u: i32[27] data(y); for (i: 2) { y[i, 2] = 1; " \
             "u[5 - i * 3] = 2; } }"
#define GATHER "func f(k: i32[9], y: i32[9]) { for (i: 9) y[index(k[i])] = 1; }"
#define INDEX "func f(x: i32[9, 9], y: i32[9]) { for (i: 9) block b(v: spatial(9) = i) " \
              "{ y[v] = x[v, v]; } }"

#define SKEWED "func f(y: i32[9, 9]) { for (i: 8, j: 8) y[i + 1, j] = y[i, j + 1]; }"
#define TOTAL "func f(x: f32[4, 4], y: f32[1]) { for (k: 4, l: 4) y[0] += x[k, l]; }"
#define LANES "func f(x: f32[16], y: f32[16]) { for (i: 3) y[ramp(i * 3, 1, 4)] = " \
              "x[ramp(i * 4, 1, 4)]; }"
#define SCALAR "func f(x: f32[9], y: f32[9]) { alloc s: f32[]; for (i: 9) { s[] = x[i]; " \
               "y[i] = s[] * s[]; } }"

#define WINDOW "func f(x: f32[9], y: f32[8]) { alloc t: f32[9]; for (i: 9) t[i] = x[i]; " \
               "for (i: 8) y[i] = t[i] + t[i + 1]; }"
#define HALVES "func f(a: i32[64]) { for (i: 64) a[i / 2] = a[i / 2] + 1; }"
#define NEST(type) "func f(x: " type "[8, 4], s: " type "[8]) { for (o: 8) { s[o] = " type "(0); " \
                   "for (k: 4) s[o] = s[o] + x[o, k]; } }"

typedef struct refused_step {
    const char *func, *steps, *parts;
} refused_step;

static const refused_step table[] = {
    { CHAIN, "{ parallel(a.i); }",
      "1 parallel(a.i) | block a | loop i | buffer a | its iterations depend on each other | "
      "reads a[i + 1] at i = 0 | writes a[i] at i = 1 | cell a[1]" },
    { CHAIN, "{ vectorize(a.i); }",
      "1 vectorize(a.i) | block a | loop i | buffer a | its iterations depend on each other | "
      "reads a[i + 1] at i = 0 | writes a[i] at i = 1 | cell a[1]" },
    { CHAIN, "{ bind(a.i, global.x); }",
      "1 bind(a.i, global.x) | block a | loop i | buffer a | its iterations depend on each "
      "other | reads a[i + 1] at i = 0 | writes a[i] at i = 1 | cell a[1]" },
    { CHAIN, "{ split(a.i, 4); parallel(a.i_outer); }",
      "2 parallel(a.i_outer) | block a | loop i_outer | buffer a | its iterations depend on "
      "each other | reads a[i_outer * 4 + i_inner + 1] at i_outer = 0, i_inner = 3 | writes "
      "a[i_outer * 4 + i_inner] at i_outer = 1, i_inner = 0 | cell a[4]" },
    { CHAIN, "{ l = fuse(a.i, y.i); }",
      "1 l = fuse(a.i, y.i) at y.i | block a | loop i | the body of the loop 'a.i' is not the "
      "loop 'y.i' alone" },
    { CHAIN, "{ merge(a.i, y.i); }",
      "1 merge(a.i, y.i) at y.i | block a | loop i | the loop 'y.i' is not directly after 'a.i'" },
    { CHAIN, "{ compute_at(t, y.i); }",
      "1 compute_at(t, y.i) | block t | loop i | buffer t | t[q] is read outside of the loop "
      "'i' too | reads t[q]" },
    { CHAIN, "{ reverse_compute_at(y_1, t.j); parallel(t.j); }",
      "1 reverse_compute_at(y_1, t.j) | block y_1 | loop j | buffer y | it would be read or "
      "written too early | writes y[q] at q = 0 | writes y[i] at i = 0 | cell y[0]" },
    { CHAIN, "{ split(a.i, 0); }",
      "1 split(a.i, 0) at 0 | block a | loop i | a factor must be above 0; found 0" },
    { CHAIN, "{ split(a.i, 2, -3); }",
      "1 split(a.i, 2, -3) at -3 | block a | loop i | a factor must be above 0; found -3" },
    { CHAIN, "{ parallel(b.i); }",
      "1 parallel(b.i) at b.i | there is no block, nest or result 'b' in 'f'; there are: a, t, "
      "y, y_1 | no b of a, t, y, y_1" },
    { CHAIN, "{ parallel(a.j); }",
      "1 parallel(a.j) at a.j | block a | no loop 'j' is around 'a'; from the inside out there "
      "are: i | no j of i" },
    { CHAIN, "{ io = split(a.i, 4); split(io, 2); unroll(io); }",
      "3 unroll(io) at io | 'io' no longer exists: a step has replaced what it named | no io" },
    { CHAIN, "{ unroll(i); }",
      "1 unroll(i) at i | 2 loops are called 'i': name one with its block or nest, such as a.i" },
    { MIXED, "{ split(y_z_1.i, 2); split(y_z_2.i, 2); }",
      "2 split(y_z_2.i, 2) at y_z_2.i | there is no block, nest or result 'y_z_2' in 'f'; there "
      "are: y_z, y_z_1; is 'y_z_1' meant? | no y_z_2 of y_z, y_z_1" },
    { MIXED, "{ unroll(i); }",
      "1 unroll(i) at i | 2 loops are called 'i': name one with its block or nest, such as y_z" },
    { CHAIN, "{ cache_read(y, u, global); }",
      "1 cache_read(y, u, global) at u | block y | no buffer of 'f' is called 'u'; there are: "
      "a, y, t | no u of a, y, t" },
    { CHAIN, "{ transform_layout(y, u, (i) -> (i / 2)); }",
      "1 transform_layout(y, u, (i) -> (i / 2)) at u | block y | no buffer of 'f' is called "
      "'u'; there are: a, y, t | no u of a, y, t" },
    { CHAIN, "{ transform_layout(y, y, (i) -> (i / 2)); }",
      "1 transform_layout(y, y, (i) -> (i / 2)) at (i) -> (i / 2) | block y | buffer y | the "
      "layout (i) -> (i / 2) of 'y' is lossy: (0) and (1) both map to [0] | point at i = 0 | "
      "point at i = 1 | cell y[0]" },
    { CHAIN, "{ transform_layout(y, y, (i) -> (i - 1)); }",
      "1 transform_layout(y, y, (i) -> (i - 1)) at (i) -> (i - 1) | block y | buffer y | the "
      "layout (i) -> (i - 1) of 'y' is out-of-range: (0) goes to [-1] | point at i = 0 | cell "
      "y[-1]" },
    { CHAIN, "{ bind(y.i, global.x); split(y.i, 2); }",
      "2 split(y.i, 2) at y.i | block y | loop i | the loop 'i' is bound to global.x: bind it "
      "afterwards | advice: bind it afterwards" },
    { CHAIN, "{ (p, q, r) = split(y.i, 2); }",
      "1 (p, q, r) = split(y.i, 2) | block y | loop i | split gives 2 results here; 3 are named" },
    { CHAIN, "{ parallel(y); }",
      "1 parallel(y) at y | block y | 'y' names a block or nest; a loop is expected, such as y.i" },
    { CHAIN, "{ rolling_buffer(t, y.i); }",
      "1 rolling_buffer(t, y.i) at y.i | block t | loop i | the loop 'i' is not around 't'" },
    { CHAIN, "{ rolling_buffer(y, y.i); }",
      "1 rolling_buffer(y, y.i) at y.i | block y | loop i | the loop 'i' belongs to 'y' itself: "
      "only a nest in a loop that also contains its readers can use a ring" },
    { WINDOW, "{ rolling_buffer(t, y.i); }",
      "1 rolling_buffer(t, y.i) at y.i | block t | loop i | the loop 'i' is not around 't': "
      "compute_at(t, y.i) first | advice: compute_at(t, y.i) first" },
    { WINDOW, "{ rolling_buffer(y, t.i); }",
      "1 rolling_buffer(y, t.i) at t.i | block y | loop i | the loop 'i' is not around 'y'" },
    { HALVES, "{ parallel(a.i); }",
      "1 parallel(a.i) | block a | loop i | buffer a | its iterations depend on each other | "
      "reads a[i / 2] at i = 0 | writes a[i / 2] at i = 1 | cell a[0]" },
    { NEST("f32"), "{ bind(s.k, local.x); }",
      "1 bind(s.k, local.x) | block s | loop k | buffer s | its iterations depend on each other | "
      "reads s[o] at o = 0, k = 0 | writes s[o] at o = 0, k = 1 | cell s[0] | advice: "
      "compose_reduction and reassociate first" },
    { NEST("i32"), "{ bind(s.k, local.x); }",
      "1 bind(s.k, local.x) | block s | loop k | buffer s | its iterations depend on each other | "
      "reads s[o] at o = 0, k = 0 | writes s[o] at o = 0, k = 1 | cell s[0] | advice: "
      "compose_reduction first" },
    { NEST("i32"), "{ vectorize(s.k); }",
      "1 vectorize(s.k) | block s | loop k | buffer s | its iterations depend on each other | "
      "reads s[o] at o = 0, k = 0 | writes s[o] at o = 0, k = 1 | cell s[0] | advice: "
      "take another loop" },
    { SUM, "{ parallel(c.k); }",
      "1 parallel(c.k) | block c | loop k | buffer y | its iterations depend on each other | "
      "writes y[v] at i = 0, k = 0 | reads y[v] at i = 0, k = 1 | cell y[0] | advice: "
      "take a loop that does not reduce, or make partial sums: rfactor" },
    { SUM, "{ vectorize(k); }",
      "1 vectorize(k) | block c | loop k | buffer y | its iterations depend on each other | "
      "writes y[v] at i = 0, k = 0 | reads y[v] at i = 0, k = 1 | cell y[0] | advice: "
      "take a loop that does not reduce, or make partial sums: rfactor" },
    { SUM, "{ parallel(z.i); }",
      "1 parallel(z.i) | block z | loop i | buffer z | its iterations depend on each other | "
      "reads z[i - 1] at i = 2 | writes z[i] at i = 1 | cell z[1] | for n = 3" },
    { SUM, "{ reindex_cache_read(c, x, global, (v, r) -> (v, r / 2)); }",
      "1 reindex_cache_read(c, x, global, (v, r) -> (v, r / 2)) at (v, r) -> (v, r / 2) | block c "
      "| buffer x | the map is not a layout of the axes: lossy: (0, 0) and (0, 1) both map to [0, "
      "0] | point at v = 0, r = 0 | point at v = 0, r = 1 | cell [0,0]" },
    { SUM, "{ transform_block_layout(c, (v, r) -> (v + r)); }",
      "1 transform_block_layout(c, (v, r) -> (v + r)) at (v, r) -> (v + r) | block c | output 0 of "
      "the map mixes a spatial and a reduce axis" },
    { SUM, "{ rfactor(c.i, 0); }",
      "1 rfactor(c.i, 0) | block c | loop i | the loop 'i' belongs to a spatial axis: there is "
      "nothing to sum along it" },
    { SUM, "{ compute_inline(c); }",
      "1 compute_inline(c) at c | block c | 'c' is a reduction, with init" },
    { SUM, "{ transform_layout(z, z, (i) -> (i / 2)); }",
      "1 transform_layout(z, z, (i) -> (i / 2)) at (i) -> (i / 2) | block z | buffer z | the "
      "layout (i) -> (i / 2) of 'z' is lossy for n = 2: (0) and (1) both map to [0] | point at "
      "i = 0 | point at i = 1 | cell z[0] | for n = 2" },
    { SUM, "{ transform_block_layout(c, (v, r) -> (v / 2, r)); }",
      "1 transform_block_layout(c, (v, r) -> (v / 2, r)) at (v, r) -> (v / 2, r) | block c | "
      "the map is not bijective onto a box from 0 with a known inverse: lossy: (0, 0) and (1, "
      "0) both map to [0, 0] | point at v = 0, r = 0 | point at v = 1, r = 0 | cell [0,0]" },
    { SUM, "{ rfactor(c.k, 5); }",
      "1 rfactor(c.k, 5) | block c | loop k | buffer y | the order of the sum would change "
      "(reassociate first) | writes y[v] | advice: reassociate first" },
    { SKEWED, "{ reorder(y.j, y.i); }",
      "1 reorder(y.j, y.i) | block y | loop j | buffer y | the order would change what is "
      "computed | reads y[i, j + 1] at i = 1, j = 0 | writes y[i + 1, j] at i = 0, j = 1 | "
      "cell y[1,1]" },
    { TOTAL, "{ reorder(y.l, y.k); }",
      "1 reorder(y.l, y.k) | block y | loop l | buffer y | the order would change what is "
      "computed | reads y[0] at k = 0, l = 1 | writes y[0] at k = 1, l = 0 | cell y[0] | "
      "advice: reassociate first" },
    { TOTAL, "{ decompose_reduction(y, y.k); }",
      "1 decompose_reduction(y, y.k) at y | block y | loop k | 'y' has no init: it is a nest, "
      "compose_reduction first | advice: compose_reduction first" },
    { LANES, "{ parallel(i); }",
      "1 parallel(i) | block y | loop i | buffer y | its iterations depend on each other | "
      "writes y[ramp(i * 3, 1, 4)] at i = 0 | writes y[ramp(i * 3, 1, 4)] at i = 1 | cell y[3]" },
    { SCALAR, "{ parallel(i); }",
      "1 parallel(i) | loop i | buffer s | its iterations depend on each other | writes s[] at "
      "i = 0 | writes s[] at i = 1 | cell s[]" },
    { VIEW, "{ parallel(i); }",
      "1 parallel(i) | loop i | buffer y | its iterations depend on each other | writes y[i, "
      "2] at i = 0 | writes u[5 - i * 3] at i = 1 | cell y[0,2]" },
    { GATHER, "{ parallel(y.i); }",
      "1 parallel(y.i) | block y | loop i | buffer y | its iterations depend on each other | "
      "writes y[index(k[i])] | writes y[index(k[i])] | doubt: it depends on values in memory" },
    { INDEX, "{ reindex_cache_read(b, x, global, (v) -> (v / 2)); }",
      "1 reindex_cache_read(b, x, global, (v) -> (v / 2)) at (v) -> (v / 2) | block b | buffer x | "
      "the map is not a layout of the axes: lossy: (0) and (1) both map to [0] | point at v = 0 | "
      "point at v = 1 | cell [0]" },
};

static irl_func *parse(irl_ctx *cx, const char *text)
{
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    CHECK_OK(cx);
    return f;
}

static void check_parts(const refused_step *one)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_func       *f = parse(cx, one->func);
    const irl_mark  mark = irl_ctx_mark(cx);
    refusal_text    tried, done;
    const char     *why;
    CHECK(!irl_schedule_try(f, one->steps, &why));
    CHECK_OK(cx);
    refusal_line(irl_schedule_refusal(cx), &tried);
    if (!CHECK(strcmp(tried.text, one->parts) == 0))
        printf("%s\n%sexpected %s\nfound    %s\n", one->steps, why, one->parts, tried.text);
    CHECK(!irl_schedule_parse(f, one->steps, IRL_TO_NUL, NULL));
    CHECK(irl_schedule_refusal(cx) && strcmp(irl_diag_text(cx), why) == 0);
    refusal_check(irl_schedule_refusal(cx), irl_diag_of(cx));
    refusal_line(irl_schedule_refusal(cx), &done);
    CHECK(strcmp(tried.text, done.text) == 0);
    irl_ctx_rewind(cx, mark);
    CHECK(!irl_schedule_refusal(cx));
    irl_ctx_destroy(cx);
}

/* The parts are those of the last refusal, as long as nothing takes it back. */
static void check_life(void)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_func    *f = parse(cx, CHAIN);
    irl_mark     mark;
    refusal_text first, later;
    const char  *why;
    int          k;
    CHECK(!irl_schedule_refusal(NULL) && !irl_schedule_refusal(cx));
    CHECK(!irl_schedule_try(f, "{ split(a.i, 4); parallel(a.i_outer); }", &why));
    refusal_line(irl_schedule_refusal(cx), &first);
    for (k = 0; k < 20; k++) parse(cx, SUM); /* memory is used again */
    refusal_line(irl_schedule_refusal(cx), &later);
    CHECK(strcmp(first.text, later.text) == 0 && strstr(first.text, "i_outer = 0"));
    mark = irl_ctx_mark(cx);
    CHECK(irl_schedule_do(f, "unroll(a.i)") && !irl_schedule_refusal(cx));
    CHECK(!irl_schedule_do(irl_schedule_do(f, "(o, n) = split(a.i, 4)"), "parallel(%s)", "o"));
    CHECK(irl_schedule_refusal(cx) && irl_schedule_refusal(cx)->number == 2);
    CHECK(!irl_schedule_try(f, "{ unroll(a.i); }", &why) && irl_schedule_refusal(cx));
    irl_ctx_rewind(cx, mark);
    refusal_line(irl_schedule_refusal(cx), &later);
    CHECK(strcmp(first.text, later.text) == 0); /* as it was at the mark */
    CHECK(irl_schedule_try(f, "{ unroll(a.i); }", &why) && !irl_schedule_refusal(cx));
    CHECK(!irl_schedule_try(f, "{ parallel(a.i); }", NULL) && !irl_schedule_refusal(cx));
    CHECK(!irl_schedule_try(f, "{ parallel(a.i);", &why) && !irl_schedule_refusal(cx));
    CHECK(!irl_schedule_try(f, "{ cut(a.i); }", &why) && !irl_schedule_refusal(cx));
    CHECK_OK(cx);
    CHECK(!irl_func_parse_scheduled(cx, CHAIN " schedule s { unroll(a.i); parallel(a.i); }",
                                    IRL_TO_NUL, NULL, "s"));
    CHECK(irl_schedule_refusal(cx) && irl_schedule_refusal(cx)->number == 2);
    irl_ctx_destroy(cx);
}

/* A layout that is refused outside of a schedule is none of a step. */
static void check_no_step(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = parse(cx, CHAIN);
    f = irl_func_set_layout(f, "y", irl_map_parse(cx, "(i) -> (i / 2)"));
    CHECK(!irl_func_lower(f, &irl_target_opencl12) && !irl_schedule_refusal(cx));
    CHECK_CODE(cx, IRL_ERROR_LOSSY_MAP);
    irl_ctx_destroy(cx);
}

/* Whichever allocation fails: the refusal has all of its parts, or the failure is another one. */
static int ask_parts(irl_ctx *cx, int which)
{
    refusal_text t;
    irl_func    *f = irl_func_parse(cx, table[which].func, IRL_TO_NUL, NULL);
    if (irl_schedule_parse(f, table[which].steps, IRL_TO_NUL, NULL) || irl_ok(cx) ||
        irl_diag_of(cx)->code == IRL_ERROR_OUT_OF_MEMORY) {
        CHECK(!irl_schedule_refusal(cx));
        return 0;
    }
    refusal_line(irl_schedule_refusal(cx), &t);
    return CHECK(strcmp(t.text, table[which].parts) == 0);
}

/* The same of a question, which goes on where the steps could not be done for want of memory. 1:
   there was enough. */
static int try_parts(irl_ctx *cx, int which)
{
    const refused_step *one = &table[which];
    refusal_text        t;
    const char         *why = "";
    irl_func           *f = irl_func_parse(cx, one->func, IRL_TO_NUL, NULL);
    if (irl_ok(cx)) CHECK(!irl_schedule_try(f, one->steps, &why));
    if (!irl_ok(cx)) {
        CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        return 0;
    }
    refusal_line(irl_schedule_refusal(cx), &t);
    if (strstr(why, "[out-of-memory]")) return !CHECK(!irl_schedule_refusal(cx));
    return CHECK(strcmp(t.text, one->parts) == 0);
}

/* Memory ends in each part of the work, the making of the parts among it: of what there was for it
   once, ever more is taken away. How often it was too little for a refusal. */
static int narrow_each(const refused_step *one, int is_try)
{
    failing      f;
    irl_ctx_desc desc = failing_desc(&f, LONG_MAX, 0);
    irl_ctx     *cx = irl_ctx_create(&desc);
    irl_func    *g = irl_func_parse(cx, one->func, IRL_TO_NUL, NULL);
    irl_mark     mark = irl_ctx_mark(cx);
    int          taken, k, without = 0;
    CHECK(!irl_schedule_parse(g, one->steps, IRL_TO_NUL, NULL));
    f.left = 0;
    for (taken = 0; taken < 4000; taken++) {
        refusal_text t;
        const char  *why = "";
        irl_ctx_rewind(cx, mark);
        for (k = 0; k < taken && irl_ok(cx); k++) irl_json_text(cx, "");
        if (!irl_ok(cx)) break;
        if (is_try) irl_schedule_try(g, one->steps, &why);
        else CHECK(!irl_schedule_parse(g, one->steps, IRL_TO_NUL, NULL));
        refusal_line(irl_schedule_refusal(cx), &t);
        if (irl_schedule_refusal(cx)) CHECK(strcmp(t.text, one->parts) == 0);
        else if (is_try && irl_ok(cx)) CHECK(strstr(why, "[out-of-memory]") != NULL);
        else CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
        without += !irl_schedule_refusal(cx);
    }
    CHECK(taken > 20 && taken < 4000);
    irl_ctx_destroy(cx);
    return without;
}

static void check_failing(void)
{
    static const char *const some[] = { "{ parallel(z.i); }", "{ cache_read(y, u, global); }",
                                        "{ transform_layout(y, y, (i) -> (i / 2)); }" };
    int k, j, once;
    for (k = 0; k < (int)(sizeof table / sizeof *table); k++)
        for (j = 0; j < (int)(sizeof some / sizeof *some); j++)
            for (once = 0; once < 2 && strcmp(table[k].steps, some[j]) == 0; once++) {
                failing_each(ask_parts, k, once);
                failing_until(try_parts, k, once, 0);
                CHECK(narrow_each(&table[k], once) > 20);
            }
}

int main(void)
{
    int k;
    for (k = 0; k < (int)(sizeof table / sizeof *table); k++) check_parts(&table[k]);
    check_life();
    check_no_step();
    if (!test_failed) check_failing();
    return test_done();
}
