/* test_work.c - no question about a map takes more steps than it may, and a bound on the steps
   never changes an answer: it is the one that the question has without a bound, or undecided.

   test_work [seed]: other random maps */
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
#include "built_maps.h"
#include "hostile_maps.h"
#include "typed_maps.h"
#include "../bench/families.h"
#include <time.h>

/* A question, asked in any number of contexts: numbers, or names in its shape. */
typedef struct question {
    irl_ctx        *cx;
    const irl_map  *map;
    int             is_named, rank;
    irl_shape       shape;
    const irl_expr *extents[IRL_MAX_RANK];
} question;

/* What it was answered, and what that took. */
typedef struct answer {
    irl_verdict_kind kind;
    int64_t          work;
    const char      *reason, *text;
    int              failed; /* the map has no value somewhere */
    irl_shape        a, b, at;
    int              parameter_count; /* of the witness; with its values */
    const irl_expr *const *parameters;
    const int64_t   *values;
} answer;

#define MOST INT64_C(100000000) /* steps, where nothing is said */

static int64_t most_seen; /* steps of a question that was decided */
static int     bounded, undecided;

static answer ask(const question *q, int64_t most)
{
    answer            r;
    irl_check_options how;
    irl_verdict       v;
    memset(&r, 0, sizeof r);
    memset(&how, 0, sizeof how);
    how.most_work = most;
    v = irl_map_check_with(q->cx, q->map,
                           q->is_named ? irl_shape_of(q->rank, q->extents) : q->shape, &how);
    r.kind = v.kind;
    r.work = v.work;
    r.reason = v.reason;
    r.text = irl_verdict_json(q->cx, q->map, &v);
    r.parameter_count = v.values ? v.parameter_count : 0;
    r.parameters = v.parameters;
    r.values = v.values, r.a = v.a, r.b = v.b, r.at = v.at;
    return r;
}

static void show(const question *q, const char *what)
{
    char text[512] = "";
    int  k;
    for (k = 0; k < q->rank; k++) {
        const char *e = q->is_named ? irl_expr_text(q->cx, q->extents[k]) : "";
        if (strlen(text) + strlen(e) + 32 > sizeof text) break;
        if (q->is_named) sprintf(text + strlen(text), "%s,", e);
        else sprintf(text + strlen(text), "%" PRId64 ",", q->shape.extent[k]);
    }
    printf("    %.300s on %s %.300s\n", irl_map_text(q->cx, q->map), text, what);
}

/* Two points that map to one cell, or one with a negative index, for these values of the names. */
static int witness_holds(const question *q, const answer *r)
{
    const irl_expr *out[IRL_MAX_RANK], *value[IRL_MAX_RANK];
    const irl_map  *m = q->map;
    irl_verdict     v;
    irl_shape       y;
    int             k, count = r->parameter_count;
    memset(&v, 0, sizeof v);
    v.kind = r->kind;
    v.a = r->a, v.b = r->b, v.at = r->at;
    for (k = 0; k < count; k++) value[k] = irl_expr_index(q->cx, r->values[k]);
    for (k = 0; k < m->output_count; k++)
        out[k] = irl__substitute(q->cx, m->outputs[k], count, r->parameters, value);
    if (count) m = irl_map_new(q->cx, m->input_count, m->inputs, m->output_count, out, 0, NULL);
    if (!m || r->kind == IRL_LOSSY) return m && truth_witness(m, &v);
    if (!truth_apply(m, &v.a, &y) || !truth_same(&y, &v.at)) return 0;
    for (k = 0; k < y.rank && y.extent[k] >= 0; k++) continue;
    return k < y.rank;
}

/* The answer under a bound is the one without, or none. Where a map has no value at some point that
   is not found in so few steps, two other points may be found to collide. */
static int is_right(const question *q, const answer *whole, const answer *r)
{
    if (r->kind == IRL_UNDECIDED)
        return whole->kind == IRL_UNDECIDED || strstr(r->reason, "most_work") != NULL;
    if (r->kind == IRL_UNDEFINED) return whole->kind == IRL_UNDEFINED;
    if (r->kind != whole->kind && whole->kind != IRL_UNDEFINED && !whole->failed) return 0;
    if (r->kind == IRL_LOSSY || r->kind == IRL_OUT_OF_RANGE) return witness_holds(q, r);
    return r->kind == whole->kind && r->text && !strcmp(r->text, whole->text);
}

static void compare(const question *q, const answer *whole, int64_t most)
{
    irl_mark mark = irl_ctx_mark(q->cx);
    answer   r = ask(q, most);
    int      ok = CHECK(r.work >= 0 && r.work <= most);
    ok &= CHECK(is_right(q, whole, &r));
    ok &= CHECK(irl_ok(q->cx) || whole->failed);
    if (most >= MOST) ok &= CHECK(r.kind == whole->kind && r.work == whole->work);
    undecided += r.kind == IRL_UNDECIDED && whole->kind != IRL_UNDECIDED;
    bounded++;
    if (!ok) {
        show(q, r.reason);
        printf("    %ld of %ld steps, %ld allowed: %s\n    not %s\n", (long)r.work,
               (long)whole->work, (long)most, r.text, whole->text);
    }
    irl_ctx_rewind(q->cx, mark);
}

static void bounds_of(const question *q)
{
    static const int64_t bounds[] = { 1, 10, 100, 1000, 4000, 16000, 64000, 256000, 1000000 };
    irl_mark             mark = irl_ctx_mark(q->cx);
    answer               whole = ask(q, 0);
    int                  failed = !irl_ok(q->cx);
    char                *text = (char *)malloc(strlen(whole.text ? whole.text : "") + 1);
    size_t               k;
    strcpy(text, whole.text ? whole.text : "");
    if (!CHECK(whole.work > 0 && whole.work <= MOST)) show(q, "");
    if (whole.kind != IRL_UNDECIDED && whole.work > most_seen) most_seen = whole.work;
    irl_ctx_rewind(q->cx, mark); /* text and reasons are given back */
    whole.text = text;
    whole.reason = "";
    whole.failed = failed || (whole.kind == IRL_UNDECIDED && whole.parameter_count);
    for (k = 0; k < sizeof bounds / sizeof bounds[0]; k++) compare(q, &whole, bounds[k]);
    for (k = 0; k < 6; k++) /* anywhere, and near what it takes */
        compare(q, &whole,
                1 + (k % 2 ? (int64_t)(random64() >> 1) % whole.work
                           : whole.work - 1 - random_below(3000) % whole.work));
    compare(q, &whole, MOST);
    free(text);
}

/* ------------------------------------------------------------------ maps of all kinds */

static void built_one(int large)
{
    built_map b;
    question  q;
    int       k;
    memset(&q, 0, sizeof q);
    q.cx = irl_ctx_create(NULL);
    built_some_map(&b, q.cx, large);
    q.map = b.map;
    q.is_named = !large;
    q.rank = q.shape.rank = b.rank;
    for (k = 0; k < b.rank; k++) {
        q.extents[k] = b.extents[k];
        if (large) q.shape.extent[k] = b.extents[k]->u.i;
    }
    bounds_of(&q);
    irl_ctx_destroy(q.cx);
}

static void typed_one(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    typed_question t = typed_make(cx);
    question       q;
    memset(&q, 0, sizeof q);
    q.cx = cx;
    q.map = t.map;
    q.is_named = t.is_symbolic;
    q.rank = t.rank;
    q.shape = t.shape;
    memcpy(q.extents, t.extents, sizeof t.extents);
    if (q.map && irl_ok(cx)) bounds_of(&q);
    irl_ctx_destroy(cx);
}

static void family_one(int which, int n)
{
    family_question f;
    question        q;
    memset(&q, 0, sizeof q);
    q.cx = irl_ctx_create(NULL);
    if (CHECK(family_read(&f, q.cx, which, n))) {
        q.map = f.map;
        q.is_named = families[which].named;
        q.rank = f.rank;
        q.shape = f.shape;
        memcpy(q.extents, f.extents, sizeof f.extents);
        bounds_of(&q);
    }
    irl_ctx_destroy(q.cx);
}

/* ------------------------------------------------------------------ the hardest */

typedef struct hard {
    const char *map, *shape;
} hard;

/* What took longest before there was a bound, and what is made to: sums of choices, casts, names in
   every place, boxes that are as large as may be looked at. */
static const hard hardest[] = {
    { "(i) -> (i*i*i % 67108859)", "67108859" },
    { "(i) -> ((i*i + 7*i) % 1000003 * 64 + i / 1048576)", "67108864" },
    { "(i, j) -> ((i*i + j) % 8192 * 8192 + (j*j + i) % 8192)", "8192,8192" },
    { "(a, b) -> ((a*5 + b*7) % 1073741824, b)", "1073741824,1073741824" },
    { "(i) -> (i ^ (i*i & 1023), i*i*i % 97)", "1099511627776" },
    { "(i, j, k, l) -> ((((i*(N*N) + j)*(K*(N + 1)) + k)*(N + 3) + (l + 3) + 681) % "
      "(M*K*N*N*K*(N + 1)*(N + 3)))", "M*K,N*N,K*(N + 1),N" },
    { "(i, j, k) -> (((k*(M*M*3) + select(k % 2 != 0, M*M*3 - 1 - j, j))*(N + 4) + i)*(M*M*3) + j)",
      "N + 4,M*M*3,K" },
    { "(i, j, k, l) -> (((l*((K + 3)*(N + 1)*K + 2) + ((K + 3)*(N + 1)*K - k - 1) + 832) % "
      "(((K + 3)*(N + 1)*K + 2)*7)*2 - i % M) % (K*N))", "K*N,K + 4,(K + 3)*(N + 1)*K,7" },
};

static void hard_one(const hard *h)
{
    static const char *const names[] = { "N", "M", "K" };
    const irl_expr          *name[3];
    question                 q;
    char                     part[256];
    const char              *at, *end;
    int                      k;
    memset(&q, 0, sizeof q);
    q.cx = irl_ctx_create(NULL);
    for (k = 0; k < 3; k++) name[k] = irl_expr_var(q.cx, names[k], irl_type_of(IRL_INDEX, 1));
    q.map = irl_map_parse_over(q.cx, h->map, NULL, 3, name);
    for (at = h->shape; *at; at = *end ? end + 1 : end) {
        end = strchr(at, ',') ? strchr(at, ',') : at + strlen(at);
        sprintf(part, "%.*s", (int)(end - at), at);
        q.extents[q.rank] = irl_expr_parse(q.cx, part, 3, name);
        q.shape.extent[q.rank++] = strtoll(part, NULL, 10);
        q.is_named |= !(part[0] >= '0' && part[0] <= '9');
    }
    q.shape.rank = q.rank;
    if (CHECK_OK(q.cx)) bounds_of(&q);
    irl_ctx_destroy(q.cx);
}

/* ------------------------------------------------------------------ what is said */

IRL_KERNEL(copy, (x: f32[64], y: f32[64]) { for (i: 64) y[i] = x[i]; });

static int calls;
static int count_call(void *user, int64_t done, int64_t total)
{
    (void)user, (void)done, (void)total;
    return ++calls;
}

static void words(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx, "(i) -> (i*i*i % 999983)");
    const irl_map *other = irl_map_parse(cx, "(i) -> (i*i % 999983 + i / 1999999999)");
    const irl_map *square = irl_map_parse(cx, "(i) -> (i*i % 999983)");
    irl_check_options   how;
    irl_verdict    v;
    irl_mark       mark;
    memset(&how, 0, sizeof how);
    how.most_work = 20000;
    how.progress = count_call;
    v = irl_map_check_with(cx, m, IRL_SHAPE(999983), &how);
    CHECK_OK(cx); /* it is an answer, and no failure */
    CHECK(v.kind == IRL_UNDECIDED && v.work <= 20000);
    CHECK(strstr(v.reason, "20000 steps") && strstr(v.reason, "most_work"));
    CHECK(strstr(irl_verdict_text(cx, &v), "most_work") != NULL);
    how.most_work = 1000000000;
    v = irl_map_check_with(cx, m, IRL_SHAPE(999983), &how);
    CHECK(v.kind != IRL_UNDECIDED && v.work > 1000000 && v.work <= 1000000000);
    CHECK(v.reason[0] == '\0');
    /* a failure for want of steps is one where the question has no other way to say so */
    mark = irl_ctx_mark(cx);
    CHECK(irl_map_inverse(cx, irl_map_parse(cx, "(i) -> (i*i*i % 67108859)"),
                          IRL_SHAPE(67108859), NULL) == NULL);
    CHECK(!irl_ok(cx));
    irl_ctx_rewind(cx, mark);
    CHECK(irl_map_equal(cx, square, other, IRL_SHAPE(2000000000), NULL) == IRL_UNKNOWN);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* The context's bound is that of every question in it. */
static void of_a_context(void)
{
    irl_ctx_desc       desc;
    irl_ctx       *cx;
    const irl_map *m;
    irl_shape      box;
    irl_verdict    v;
    irl_check_options   how;
    irl_func      *f;
    memset(&desc, 0, sizeof desc);
    memset(&how, 0, sizeof how);
    desc.most_work = 500;
    cx = irl_ctx_create(&desc);
    m = irl_map_parse(cx, "(i, j) -> (i/8, j/4, i%8, j%4)");
    v = irl_map_check(cx, m, IRL_SHAPE(64, 64));
    CHECK(v.kind == IRL_UNDECIDED && strstr(v.reason, "500 steps"));
    how.most_work = 1000000;
    v = irl_map_check_with(cx, m, IRL_SHAPE(64, 64), &how);
    CHECK(v.kind == IRL_BIJECTIVE);
    CHECK(!irl_map_shape(cx, m, IRL_SHAPE(64, 64), &box, NULL));
    CHECK_CODE(cx, IRL_ERROR_UNDECIDED);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(&desc);
    f = irl_kernel(cx, &copy);
    CHECK_OK(cx); /* what is no question about a map has no bound */
    f = irl_func_set_layout(f, "x", irl_map_parse(cx, "(i) -> (i/8 ^ i%8, i%8)"));
    CHECK(irl_func_lower(f, &irl_target_opencl12) == NULL);
    CHECK_CODE(cx, IRL_ERROR_UNDECIDED);
    CHECK(strstr(irl_diag_text(cx), "most_work") != NULL);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int    k, n, sizes[] = { 4, 8, 16, 32 };
    double begin = (double)clock();
    if (argc > 1) random64_seed(argv[1]);
    words();
    of_a_context();
    for (k = 0; k < (int)(sizeof hardest / sizeof hardest[0]); k++)
        if (!getenv("IRL_SLOW") || k % 4 == 0) hard_one(&hardest[k]);
    for (k = 0; k < FAMILIES; k++)
        for (n = 0; n < 4; n++)
            if (!getenv("IRL_SLOW") || n == 1) family_one(k, sizes[n]);
    for (k = TEST_COUNT(400); k > 0; k--) built_one(k % 2), typed_one();
    printf("%d bounded questions, %d undecided that are decided without a bound; the hardest that "
           "was decided took %.1f million steps; %.1f s\n",
           bounded, undecided, 1e-6 * (double)most_seen,
           ((double)clock() - begin) / CLOCKS_PER_SEC);
    return TEST_DONE();
}
