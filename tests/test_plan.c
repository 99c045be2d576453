/* test_plan.c - places in one memory: no two that are alive together share a byte, the lower bound
   against a count step by step, the least memory against trying all offsets; hostile questions. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "failing.h"
#include "test.h"

enum { MOST = 400 };

static int together(const irl_plan_item *a, const irl_plan_item *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static int share(const irl_plan_item *a, int64_t at, const irl_plan_item *b, int64_t bt)
{
    return a->size && b->size && at < bt + b->size && bt < at + a->size;
}

/* Is it a placement, and are the numbers beside it right? */
static int is_right(int n, const irl_plan_item *items, const irl_plan_offsets *o)
{
    int64_t top = 0, most = 0, align = 1;
    int     k, j;
    for (k = 0; k < n; k++) {
        int64_t alive = 0;
        if (!items[k].size) continue;
        if (o->offsets[k] < 0 || (items[k].align && o->offsets[k] % items[k].align)) return 0;
        if (o->offsets[k] > INT64_MAX - items[k].size) return 0;
        if (o->offsets[k] + items[k].size > top) top = o->offsets[k] + items[k].size;
        if (items[k].align > align) align = items[k].align;
        for (j = 0; j < n; j++) {
            if (items[j].first <= items[k].first && items[k].first <= items[j].last)
                alive += items[j].size;
            if (j < k && together(&items[j], &items[k]) &&
                share(&items[j], o->offsets[j], &items[k], o->offsets[k]))
                return 0;
        }
        if (alive > most) most = alive;
    }
    return o->count == n && o->bytes == top && o->lower_bound == most && o->align == align &&
           o->bytes >= most && (o->bytes > most || o->is_least);
}

/* ------------------------------------------------------------------ the least, by trying all */

static int fits_in(int n, const irl_plan_item *items, int64_t bytes, int64_t *at, int k)
{
    const int64_t step = k < n && items[k].align ? items[k].align : 1;
    int           j;
    if (k == n) return 1;
    for (at[k] = 0; at[k] + items[k].size <= bytes; at[k] += step) {
        for (j = 0; j < k; j++)
            if (together(&items[j], &items[k]) && share(&items[j], at[j], &items[k], at[k])) break;
        if (j == k && fits_in(n, items, bytes, at, k + 1)) return 1;
    }
    return 0;
}

static int gaps; /* where the least is more than the most alive at once */

static void small_cases(void)
{
    int trial;
    for (trial = 0; trial < TEST_COUNT(20000); trial++) {
        irl_ctx                *cx = irl_ctx_create(NULL);
        irl_plan_item           items[7];
        const irl_plan_offsets *o;
        int64_t                 at[7];
        int                     n = 1 + TEST_RANDOM(7), k;
        for (k = 0; k < n; k++) {
            items[k].size = TEST_RANDOM(6);
            items[k].align = TEST_RANDOM(3) ? 0 : 1 << TEST_RANDOM(3);
            items[k].first = TEST_RANDOM(6);
            items[k].last = items[k].first + TEST_RANDOM(4);
        }
        o = irl_plan_arena(cx, n, items, 0);
        CHECK_OK(cx);
        if (!CHECK(o && is_right(n, items, o) && o->is_least)) break;
        if (o->bytes && !CHECK(!fits_in(n, items, o->bytes - 1, at, 0))) break;
        gaps += o->bytes > o->lower_bound;
        irl_ctx_destroy(cx);
    }
    printf("%d small cases, %d of them need more than is alive at once\n", trial, gaps);
    CHECK(gaps > trial / 200);
}

/* ------------------------------------------------------------------ larger ones */

static void draw(irl_plan_item *items, int n, int kind)
{
    const int steps = 1 + TEST_RANDOM(2 * n), life = 1 + TEST_RANDOM(kind & 1 ? steps : 8);
    int       k;
    for (k = 0; k < n; k++) {
        items[k].size = kind & 2 ? 1 + TEST_RANDOM(1000) : 64 * (int64_t)(1 + TEST_RANDOM(16));
        if (!TEST_RANDOM(30)) items[k].size = 0;
        items[k].align = kind & 4 ? (int64_t)1 << TEST_RANDOM(9) : 0;
        items[k].first = TEST_RANDOM(steps) - steps / 2;
        items[k].last = items[k].first + TEST_RANDOM(life);
    }
}

static void large_cases(void)
{
    static irl_plan_item items[MOST];
    int                  trial, proved = 0, all = TEST_COUNT(3000);
    for (trial = 0; trial < all; trial++) {
        irl_ctx                *cx = irl_ctx_create(NULL);
        const int               n = 1 + TEST_RANDOM(trial % 8 ? 40 : MOST);
        const irl_plan_offsets *o;
        draw(items, n, trial);
        o = irl_plan_arena(cx, n, items, trial % 3 ? 0 : 1 + TEST_RANDOM(1000));
        CHECK_OK(cx);
        if (!CHECK(o && is_right(n, items, o))) break;
        proved += o->is_least;
        irl_ctx_destroy(cx);
    }
    printf("%d larger cases, %d proved to be least\n", trial, proved);
}

/* Up to 12 are proved, but for some of many alignments whose steps run out. */
static void twelve(void)
{
    irl_plan_item items[12];
    int           trial, unproved = 0, all = TEST_COUNT(3000);
    for (trial = 0; trial < all; trial++) {
        irl_ctx                *cx = irl_ctx_create(NULL);
        const irl_plan_offsets *o;
        draw(items, 12, trial);
        o = irl_plan_arena(cx, 12, items, 0);
        CHECK(o && is_right(12, items, o));
        unproved += !o || !o->is_least;
        irl_ctx_destroy(cx);
    }
    printf("%d of %d cases of 12 not proved\n", unproved, all);
    CHECK(unproved == 0);
}

/* ------------------------------------------------------------------ hostile questions */

static irl_code refused(irl_plan_item item)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_plan_item items[2] = {{1, 1, 0, 0}, {0, 0, 0, 0}};
    irl_code      code;
    items[1] = item;
    CHECK(irl_plan_arena(cx, 2, items, 0) == NULL);
    code = irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
    if (code == IRL_ERROR_BAD_ARGUMENT) CHECK(strstr(irl_diag_text(cx), "item 1") != NULL);
    irl_ctx_destroy(cx);
    return code;
}

static irl_plan_item item(int64_t size, int64_t align, int64_t first, int64_t last)
{
    irl_plan_item one;
    one.size = size;
    one.align = align;
    one.first = first;
    one.last = last;
    return one;
}

static void hostile(void)
{
    irl_ctx                *cx = irl_ctx_create(NULL);
    irl_plan_item           two[2];
    const irl_plan_offsets *o;
    CHECK(refused(item(-1, 1, 0, 0)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(INT64_MIN, 1, 0, 0)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(1, 3, 0, 0)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(1, -8, 0, 0)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(1, INT64_MIN, 0, 0)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(0, 3, 0, 0)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(1, 1, 1, 0)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(1, 1, INT64_MAX, INT64_MIN)) == IRL_ERROR_BAD_ARGUMENT);
    CHECK(refused(item(INT64_MAX, 1, 0, 0)) == IRL_ERROR_OVERFLOW);
    /* it is alone: 63 bits suffice */
    two[0] = item(INT64_MAX, 1, INT64_MIN, INT64_MAX);
    o = irl_plan_arena(cx, 1, two, 0);
    CHECK(o && o->bytes == INT64_MAX && o->is_least && o->fullest == INT64_MIN);
    two[0] = item(INT64_MAX, 1, INT64_MIN, -1);
    two[1] = item(INT64_MAX, (int64_t)1 << 62, 0, INT64_MAX);
    o = irl_plan_arena(cx, 2, two, 0);
    CHECK(o && o->bytes == INT64_MAX && o->align == (int64_t)1 << 62);
    /* nothing at all, and things of no size */
    o = irl_plan_arena(cx, 0, NULL, 0);
    CHECK(o && o->bytes == 0 && o->lower_bound == 0 && o->is_least && o->align == 1);
    two[0] = two[1] = item(0, 0, 5, 5);
    o = irl_plan_arena(cx, 2, two, 0);
    CHECK(o && o->bytes == 0 && o->offsets[0] == 0 && o->offsets[1] == 0 && o->is_least);
    CHECK_OK(cx);
    /* aligned, the two do not fit 63 bits, though their sum does: no crash, a diagnostic */
    two[0] = item(((int64_t)1 << 62) + 1, (int64_t)1 << 62, 0, 0);
    two[1] = item(((int64_t)1 << 62) - 3, (int64_t)1 << 62, 0, 0);
    CHECK(irl_plan_arena(cx, 2, two, 0) == NULL);
    CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
    CHECK(irl_plan_arena(cx, 0, NULL, 0) == NULL);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    CHECK(irl_plan_arena(cx, -1, two, 0) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
    CHECK(irl_plan_arena(NULL, 1, two, 0) == NULL);
}

/* Sizes at the end of 64 bits among small ones: an answer that is right, or OVERFLOW. */
static void huge(void)
{
    irl_plan_item items[9];
    int           trial, answered = 0;
    for (trial = 0; trial < TEST_COUNT(4000); trial++) {
        irl_ctx                *cx = irl_ctx_create(NULL);
        const irl_plan_offsets *o;
        int                     n = 1 + TEST_RANDOM(9), k;
        for (k = 0; k < n; k++)
            items[k] = item(TEST_RANDOM(2) ? INT64_MAX >> TEST_RANDOM(4) : TEST_RANDOM(99),
                            TEST_RANDOM(2) ? 0 : (int64_t)1 << TEST_RANDOM(63), 3 * k,
                            3 * k + TEST_RANDOM(5));
        o = irl_plan_arena(cx, n, items, 0);
        if (o) CHECK(is_right(n, items, o));
        else CHECK_CODE(cx, IRL_ERROR_OVERFLOW);
        answered += o != NULL;
        irl_ctx_destroy(cx);
    }
    CHECK(answered > trial / 10 && answered < trial);
}

static int ask_failing(irl_ctx *cx, int which)
{
    static irl_plan_item items[60];
    test_seed = 7;
    draw(items, 60, which);
    return irl_plan_arena(cx, 60, items, 2000) != NULL;
}

/* All alive at once; a comb, where half of what is alive dies; many more than pairs are written. */
static void shapes(void)
{
    enum { N = 6000 };
    static irl_plan_item    items[N];
    irl_ctx                *cx = irl_ctx_create(NULL);
    const irl_plan_offsets *o;
    int                     k;
    for (k = 0; k < N; k++) items[k] = item(1 + k % 97, 1, 0, 5);
    o = irl_plan_arena(cx, N, items, 0);
    CHECK(o && is_right(N, items, o) && o->is_least);
    for (k = 0; k < N; k++)
        items[k] = k < N / 2 ? item(8 + k % 5, 1, k, k % 2 ? N : N / 2 + k / 2)
                             : item(4 + k % 9, 4, k, N + k % 7);
    o = irl_plan_arena(cx, N, items, 0);
    CHECK(o && is_right(N, items, o));
    if (o) printf("comb of %d: %.3f of the lower bound\n", N,
                  (double)o->bytes / (double)o->lower_bound);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ modules */

static const char chain[] =
    "func chain(x: f32[64, 64], y: f32[64, 64]) {\n"
    "    alloc a: f32[64, 64];\n    alloc b: f32[128, 32];\n    alloc c: f32[64, 64];\n"
    "    for (i: 64) for (j: 64) a[i, j] = x[i, j] * 2.0;\n"
    "    for (i: 128) for (j: 32) b[i, j] = a[i / 2, i % 2 * 32 + j] + 1.0;\n"
    "    for (i: 64) for (j: 64) c[i, j] = b[i * 2 + j / 32, j % 32] * 3.0;\n"
    "    for (i: 64) for (j: 64) y[i, j] = c[i, j] + c[63 - i, j];\n}\n";
static const char named[] =
    "func named(n: index, x: f32[n], y: f32[n]) {\n"
    "    alloc a: f32[n];\n    alloc b: f32[2 * n];\n    alloc c: f32[64];\n"
    "    for (i: n) a[i] = x[i] + 1.0;\n"
    "    for (i: 2 * n) b[i] = a[i / 2];\n"
    "    for (i: 64) c[i] = b[0] * f32(i);\n"
    "    for (i: n) y[i] = c[3] + b[n - i];\n}\n";
/* launches in a loop of the host: what lives from one turn to the next lives all turns long */
static const char turns[] =
    "func turns(x: f32[8, 64], y: f32[8, 64]) {\n    alloc kept: f32[64];\n"
    "    alloc late: f32[64];\n    for (i: 64) kept[i] = x[0, 63 - i];\n"
    "    for (t: 8) {\n        alloc one: f32[64];\n        alloc two: f32[64];\n"
    "        for bind(global.x) (i: 64) one[i] = kept[63 - i] + x[t, i];\n"
    "        for bind(global.x) (i: 64) two[i] = one[63 - i] * 2.0;\n"
    "        for bind(global.x) (i: 64) kept[i] = two[63 - i];\n    }\n"
    "    for (i: 64) late[i] = kept[63 - i];\n"
    "    for (t: 8) for (i: 64) y[t, i] = late[63 - i];\n}\n";

/* of images: c lies where a lay, b is of another form */
static const char images[] =
    "func images(x: f32[8, 8, 4], y: f32[8, 8, 4]) {\n    alloc a: f32[8, 8, 4] scope(texture);\n"
    "    alloc b: f32[4, 16, 4] scope(texture);\n    alloc c: f32[8, 8, 4] scope(texture);\n"
    "    for (i: 8, j: 8, k: 4) a[i, j, k] = x[i, 7 - j, k] * 2.0;\n"
    "    for (i: 4, j: 16, k: 4) b[i, j, k] = a[i, j % 8, k] + 1.0;\n"
    "    for (i: 8, j: 8, k: 4) c[i, j, k] = b[i / 2, j, k] + 1.0;\n"
    "    for (i: 8, j: 8, k: 4) y[i, j, k] = c[i, j, k] + c[7 - i, j, k];\n}\n";

static const irl_plan_temporary *temporary(const irl_module_plan *p, const char *name)
{
    int k;
    for (k = 0; p && k < p->count; k++)
        if (strcmp(p->list[k].name, name) == 0) return &p->list[k];
    printf("no temporary %s\n", name);
    exit(1);
}

/* A module, each of whose temporaries has bytes of its own while it lives. */
static irl_module *apart(irl_ctx *cx, const char *text)
{
    irl_lower_options how;
    int               k;
    memset(&how, 0, sizeof how);
    for (k = 0; irl_pass_name(k); k++)
        if (strcmp(irl_pass_name(k), "in_place") == 0) how.disable = UINT64_C(1) << k;
    return irl_func_lower_with(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12,
                               &how);
}

static const irl_module_plan *plan_of(irl_ctx *cx, const char *text, const irl_plan_options *how)
{
    const irl_module *m = apart(cx, text);
    CHECK_OK(cx);
    return irl_plan_with(m, how);
}

static void modules(void)
{
    irl_ctx               *cx = irl_ctx_create(NULL);
    const irl_module_plan *p = plan_of(cx, chain, NULL);
    const irl_value        value = { NULL, 0, 100 };
    irl_value              values[1];
    irl_plan_options       how;
    memset(&how, 0, sizeof how);
    CHECK_OK(cx);
    CHECK(p && p->launch_count == 4 && p->count == 3 && p->pool_count == 1);
    CHECK(p->pools[0].bytes == 32768 && p->pools[0].lower_bound == 32768 &&
          p->pools[0].separate == 49152 && p->pools[0].is_least && p->pools[0].fullest == 1);
    CHECK(temporary(p, "a")->offset == temporary(p, "c")->offset);
    CHECK(strstr(irl_plan_text(p), "|aacc\n") && strstr(irl_plan_text(p), "|.bb.\n"));
    CHECK(strstr(irl_plan_c(p), "#define chain_pool_0_bytes 32768\n"));
    CHECK(strstr(irl_plan_json(p), "\"lower_bound\": 32768"));
    CHECK(strstr(irl_plan_svg(p), "<title>c: 16384 bytes at ") && irl_plan_svg(NULL)[0] == 0);
    how.align = 65536; /* offsets alone are aligned: the last one need not be whole */
    p = plan_of(cx, chain, &how);
    CHECK(p && p->pools[0].bytes == 65536 + 16384 && p->pools[0].align == 65536);
    how.align = 0;
    p = plan_of(cx, named, NULL);
    CHECK(p && temporary(p, "a")->bytes == -1 && temporary(p, "a")->pool == -1);
    CHECK(p && temporary(p, "c")->bytes == 256 && temporary(p, "c")->pool == 0);
    values[0] = value;
    values[0].var = irl_expr_var(cx, "n", irl_type_of(IRL_INDEX, 1));
    how.values = values;
    how.value_count = 1;
    p = plan_of(cx, named, &how);
    CHECK(p && temporary(p, "a")->bytes == 400 && temporary(p, "b")->bytes == 800);
    CHECK(p && p->pools[0].lower_bound == 1200);
    p = plan_of(cx, turns, NULL);
    CHECK(p && temporary(p, "kept")->first == 0 && temporary(p, "kept")->last == 4);
    CHECK(temporary(p, "one")->first == 1 && temporary(p, "one")->last == 2);
    CHECK(temporary(p, "two")->first == 2 && temporary(p, "two")->last == 3);
    CHECK(temporary(p, "late")->first == 4 && p->pools[0].lower_bound == 768);
    if (p) printf("%s", irl_plan_text(p));
    how.align = 0;
    p = plan_of(cx, images, NULL);
    CHECK(p && p->pool_count == 2 && temporary(p, "c")->pool == temporary(p, "a")->pool);
    CHECK(p && p->pools[1].width == 16 && p->pools[1].height == 4 && p->pools[1].bytes == 1024);
    CHECK(p && strstr(irl_plan_text(p), "an image of 16 by 4 texels"));
    how.align = 3;
    CHECK(plan_of(cx, chain, &how) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
    CHECK(irl_plan(NULL) == NULL && irl_plan_text(NULL)[0] == 0 && irl_plan_c(NULL)[0] == 0 &&
          irl_plan_json(NULL)[0] == 0);
}

/* ------------------------------------------------------------------ in place */

typedef struct in_place_case {
    const char *body; /* of a function of n, x: f32[64] and y: f32[64] */
    const char *said; /* which lies in which; "": none */
} in_place_case;

#define IN_PLACE_AB "alloc a: f32[64];\nalloc b: f32[64];\n"
#define IN_PLACE_X "for bind(global.x) (i: 64) a[i] = x[63 - i];\n"
#define IN_PLACE_Y "for bind(global.x) (i: 64) y[i] = b[63 - i];\n"

static const in_place_case in_place_cases[] = {
    { IN_PLACE_AB IN_PLACE_X "for bind(global.x) (i: 64) b[i] = a[i] * a[i];\n" IN_PLACE_Y,
      "b: in a" },
    /* another cell is read; all read one; cells that a later iteration reads are written; and
       those that an earlier one has read */
    { IN_PLACE_AB IN_PLACE_X "for bind(global.x) (i: 64) b[i] = a[63 - i];\n" IN_PLACE_Y, "" },
    { IN_PLACE_AB IN_PLACE_X "for bind(global.x) (i: 64) b[i] = a[i] + a[0];\n" IN_PLACE_Y, "" },
    { IN_PLACE_AB IN_PLACE_X "for bind(global.x) (i: 64) b[i ^ 1] = a[i];\n" IN_PLACE_Y, "" },
    { IN_PLACE_AB IN_PLACE_X
      "for bind(global.x) (i: 8) for (j: 8) b[i * 8 + j] = a[i * 8 + 7 - j];\n" IN_PLACE_Y, "" },
    { IN_PLACE_AB IN_PLACE_X
      "for bind(global.x) (i: 8) for (j: 8) b[i * 8 + j] = a[i * 8 + min(j + 1, 7)];\n" IN_PLACE_Y,
      "b: in a" },
    { IN_PLACE_AB IN_PLACE_X
      "for bind(global.x) (i: 8) for (j: 8) b[i * 8 + j] = a[i * 8 + max(j - 1, 0)];\n" IN_PLACE_Y,
      "" },
    /* read again in the work-item, in front of the write and behind it */
    { IN_PLACE_AB IN_PLACE_X
      "for bind(global.x) (i: 64) { alloc s: f32[1] scope(local);\n s[0] = a[i];\n"
      " s[0] = s[0] * a[i];\n b[i] = s[0]; }\n" IN_PLACE_Y, "b: in a" },
    { IN_PLACE_AB IN_PLACE_X
      "for bind(global.x) (i: 64) { b[i] = x[i];\n b[i] = b[i] + a[i]; }\n" IN_PLACE_Y, "" },
    /* read by a later launch; carried by a loop of the host; allocated in each of its turns */
    { IN_PLACE_AB IN_PLACE_X "for bind(global.x) (i: 64) b[i] = a[i] + 1.0;\n"
      "for bind(global.x) (i: 64) y[i] = b[63 - i] + a[i];\n", "" },
    { IN_PLACE_AB IN_PLACE_X
      "for (t: 3) { for bind(global.x) (i: 64) b[i] = a[i] + 1.0;\n" IN_PLACE_Y "}\n", "" },
    { IN_PLACE_AB IN_PLACE_X
      "for (t: 3) { for bind(global.x) (i: 64) b[i] = a[i] + 1.0; }\n" IN_PLACE_Y, "" },
    { "for (t: 3) { " IN_PLACE_AB IN_PLACE_X
      "for bind(global.x) (i: 64) b[i] = a[i] + 1.0;\n" IN_PLACE_Y "}\n", "b: in a" },
    /* declared in a sequence that ends before */
    { "alloc b: f32[64];\n{ alloc a: f32[64];\n" IN_PLACE_X
      "for bind(global.x) (i: 64) b[i] = a[i] + 1.0;\n}\n" IN_PLACE_Y, "" },
    /* another size, another type; a name for both sizes */
    { "alloc a: f32[65];\nalloc b: f32[64];\n" IN_PLACE_X
      "for bind(global.x) (i: 64) b[i] = a[i] + 1.0;\n" IN_PLACE_Y, "" },
    { "alloc a: i32[64];\nalloc b: f32[64];\nfor bind(global.x) (i: 64) a[i] = i32(x[i]);\n"
      "for bind(global.x) (i: 64) b[i] = f32(a[i]);\n" IN_PLACE_Y, "" },
    { "alloc a: f32[n];\nalloc b: f32[n];\nfor bind(global.x) (i: n) a[i] = x[i % 64];\n"
      "for bind(global.x) (i: n) b[i] = a[i] + 1.0;\n"
      "for bind(global.x) (i: 64) y[i] = b[i % n];\n", "b: in a" },
};

static void in_place(void)
{
    size_t k;
    for (k = 0; k < sizeof in_place_cases / sizeof *in_place_cases; k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        char              text[2048];
        const irl_module *m;
        const char       *lowered, *source;
        sprintf(text, "func f(n: index, x: f32[64], y: f32[64]) {\n%s}\n", in_place_cases[k].body);
        m = irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12);
        CHECK_OK(cx);
        lowered = irl_module_text(m);
        source = irl_ocl_source(m);
        if (in_place_cases[k].said[0])
            CHECK(strstr(lowered, in_place_cases[k].said) && strstr(source, "float *a,"));
        else if (!CHECK(!strstr(lowered, "in_place"))) printf("%s", in_place_cases[k].body);
        irl_ctx_destroy(cx);
    }
}

/* Three in one: what each reads of the one before is at the same place of the memory. */
static void all_in_place(void)
{
    irl_ctx               *cx = irl_ctx_create(NULL);
    irl_func              *f = irl_func_parse(cx, chain, IRL_TO_NUL, NULL);
    const irl_module_plan *p = irl_plan(irl_func_lower(f, &irl_target_opencl12));
    CHECK(p && p->count == 1 && p->pools[0].bytes == 16384);
    CHECK(strstr(irl_plan_text(p), "  in place    b: in a\n  in place    c: in b\n"));
    irl_ctx_destroy(cx);
}

static int ask_in_place(irl_ctx *cx, int which)
{
    irl_func *f = irl_func_parse(cx, chain, IRL_TO_NUL, NULL);
    (void)which;
    return irl_func_lower(f, &irl_target_c99) != NULL;
}

static int ask_plan(irl_ctx *cx, int which)
{
    irl_func              *f = irl_func_parse(cx, which ? turns : chain, IRL_TO_NUL, NULL);
    const irl_module_plan *p = f ? irl_plan(irl_func_lower(f, &irl_target_opencl12)) : NULL;
    return p && irl_plan_text(p)[0] && irl_plan_c(p)[0] && irl_plan_json(p)[0] &&
           irl_plan_svg(p)[0];
}

int main(void)
{
    int which;
    modules();
    in_place();
    all_in_place();
    for (which = 0; which < 2; which++) failing_each(ask_plan, which, which & 1);
    failing_each(ask_in_place, 0, 1);
    small_cases();
    large_cases();
    twelve();
    hostile();
    huge();
    shapes();
    for (which = 0; which < 8; which++) failing_each(ask_failing, which, which & 1);
    return TEST_DONE();
}
