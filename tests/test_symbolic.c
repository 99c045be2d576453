/* test_symbolic.c - verdicts for symbolic shapes: what is said for all values is looked
   at for every value from 1 to 5, point by point and cell by cell. What is not said is undecided;
   the maps that must be decided are listed. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "verdict_parts.h"
#include "named_maps.h"

enum { MOST_VALUE = 5, MOST_CELLS = 60000 };

typedef struct world {
    irl_ctx        *cx;
    const irl_expr *parameters[PARAMETERS]; /* N, M, K */
    const irl_map  *map;
    const irl_expr *extents[IRL_MAX_RANK];
    irl_verdict     v;
    int64_t         given[PARAMETERS];
} world;

static void world_begin(world *w)
{
    memset(w, 0, sizeof *w);
    w->cx = irl_ctx_create(NULL);
    named_map_begin(w->cx);
    memcpy(w->parameters, now.parameters, sizeof w->parameters);
}

/* The value of e over `inputs` and the parameters; false if it has none. */
static int value_of(const world *w, const irl_expr *e, int count, const irl_expr *const *inputs,
                    const int64_t *at, int64_t *out)
{
    const irl_expr *vars[IRL_MAX_RANK + PARAMETERS];
    int64_t         values[IRL_MAX_RANK + PARAMETERS];
    int             k;
    for (k = 0; k < count; k++) {
        vars[k] = inputs[k];
        values[k] = at[k];
    }
    for (k = 0; k < PARAMETERS; k++) {
        vars[count + k] = w->parameters[k];
        values[count + k] = w->given[k];
    }
    return irl__value_at(e, count + PARAMETERS, vars, values, out) == IRL__FOLD_OK;
}

static int values_of(const world *w, const irl_shape *shape, irl_shape *out)
{
    int k;
    *out = *shape;
    out->named = NULL;
    for (k = 0; shape->named && k < shape->rank; k++)
        if (!value_of(w, shape->named[k], 0, NULL, NULL, &out->extent[k])) return 0;
    return 1;
}

static int next_point(const irl_shape *box, irl_shape *at)
{
    int k;
    for (k = box->rank - 1; k >= 0; k--) {
        if (++at->extent[k] < box->extent[k]) return 1;
        at->extent[k] = 0;
    }
    return 0;
}

static int64_t volume(const irl_shape *s)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < s->rank; k++) n *= s->extent[k];
    return n;
}

static int64_t place(const irl_shape *box, const int64_t *at)
{
    int64_t n = 0;
    int     k;
    for (k = 0; k < box->rank; k++) {
        if (at[k] < 0 || at[k] >= box->extent[k]) return -1;
        n = n * box->extent[k] + at[k];
    }
    return n;
}

/* Every point: in the box, in a cell of its own, and back by the inverse. */
static int         boxes, tight; /* axes of boxes, and those that are as small as can be */
static const char *why = ""; /* what did not hold */
static int no(const char *what) { return why = what, 0; }

static int points_hold(const world *w, const irl_shape *shape, const irl_shape *minimum,
                       const irl_shape *box, unsigned char *hit)
{
    irl_shape at, least, most;
    int64_t   image[IRL_MAX_RANK], back, n;
    int       k, first = 1;
    memset(&at, 0, sizeof at);
    memset(&least, 0, sizeof least);
    memset(&most, 0, sizeof most);
    at.rank = shape->rank;
    do {
        for (k = 0; k < box->rank; k++) {
            if (!value_of(w, w->map->outputs[k], shape->rank, w->map->inputs, at.extent, &image[k]))
                return 0;
            if (first || image[k] < least.extent[k]) least.extent[k] = image[k];
            if (first || image[k] > most.extent[k]) most.extent[k] = image[k];
        }
        n = place(box, image);
        if (n < 0 || hit[n]++) return no(n < 0 ? "a point outside" : "two points in a cell");
        for (k = 0; k < shape->rank; k++)
            if (!value_of(w, w->v.inverse->outputs[k], box->rank, w->v.inverse->inputs, image,
                          &back) ||
                back != at.extent[k])
                return no("the inverse");
        first = 0;
    } while (next_point(shape, &at));
    for (k = 0; k < box->rank; k++) {
        if (least.extent[k] < minimum->extent[k]) return no("the minimum");
        boxes++;
        tight += least.extent[k] == minimum->extent[k] && most.extent[k] + 1 == box->extent[k];
    }
    return 1;
}

/* Every cell: the predicate is true for exactly those that no point reached. */
static int cells_hold(const world *w, const irl_shape *box, const unsigned char *hit)
{
    irl_shape at;
    int64_t   unused, any = 0, full;
    memset(&at, 0, sizeof at);
    at.rank = box->rank;
    do {
        if (!value_of(w, w->v.padding, box->rank, w->v.inverse->inputs, at.extent, &unused))
            return no("no value of the padding");
        if ((unused != 0) != !hit[place(box, at.extent)]) return no("the padding");
        any |= unused;
    } while (next_point(box, &at));
    if (w->v.kind == IRL_BIJECTIVE && any) return no("bijective");
    return !w->v.condition ||
           (value_of(w, w->v.condition, 0, NULL, NULL, &full) && (full != 0) == !any) ||
           no("the condition");
}

/* 1: what was said holds for these parameters; 0 not; -1 too large to look at. */
static int holds_here(const world *w)
{
    irl_shape      shape, minimum, box;
    unsigned char *hit;
    int            ok;
    if (!values_of(w, &w->v.shape, &shape) || !values_of(w, &w->v.minimum, &minimum) ||
        !values_of(w, &w->v.physical, &box))
        return 0;
    if (volume(&shape) <= 0 || volume(&shape) > MOST_CELLS || volume(&box) > MOST_CELLS) return -1;
    hit = (unsigned char *)calloc((size_t)volume(&box) + 1, 1);
    ok = hit && points_hold(w, &shape, &minimum, &box, hit) && cells_hold(w, &box, hit);
    free(hit);
    return ok;
}

static int uses(const world *w, int p)
{
    int k;
    for (k = 0; k < w->map->output_count; k++)
        if (irl__expr_uses_var(w->map->outputs[k], w->parameters[p])) return 1;
    for (k = 0; k < w->map->input_count; k++)
        if (irl__expr_uses_var(w->extents[k], w->parameters[p])) return 1;
    return 0;
}

/* All values of the parameters that stand in the question; *looked counts them. */
static int holds(world *w, int *looked)
{
    int64_t last[PARAMETERS];
    int     k, r;
    for (k = 0; k < PARAMETERS; k++) last[k] = uses(w, k) ? MOST_VALUE : 1;
    for (w->given[0] = 1; w->given[0] <= last[0]; w->given[0]++)
        for (w->given[1] = 1; w->given[1] <= last[1]; w->given[1]++)
            for (w->given[2] = 1; w->given[2] <= last[2]; w->given[2]++) {
                r = holds_here(w);
                if (r == 0) return 0;
                *looked += r > 0;
            }
    return 1;
}

static void show(const world *w)
{
    int k;
    printf("%s on [", irl_map_text(w->cx, w->map));
    for (k = 0; k < w->map->input_count; k++)
        printf(k ? ", %s" : "%s", irl_expr_text(w->cx, w->extents[k]));
    printf("], N %d M %d K %d: %s: %s %s\n", (int)w->given[0], (int)w->given[1], (int)w->given[2],
           why, irl_verdict_name(w->v.kind), w->v.reason);
    for (k = 0; k < w->v.physical.rank; k++)
        printf("    axis %d from %s to %s\n", k,
               irl_expr_text(w->cx, extent_of(w->cx, &w->v.minimum, k)),
               irl_expr_text(w->cx, extent_of(w->cx, &w->v.physical, k)));
    if (w->v.inverse)
        printf("    inverse %s, padding %s\n", irl_map_text(w->cx, w->v.inverse),
               irl_expr_text(w->cx, w->v.padding));
    if (w->v.condition)
        printf("    nothing unused where %s\n", irl_expr_text(w->cx, w->v.condition));
    if (!irl_ok(w->cx)) printf("%s\n", irl_diag_text(w->cx));
}

/* --------------------------------------------------- what must be decided, and what must not */

typedef struct row {
    const char      *map, *extents[4];
    irl_verdict_kind kind;
} row;

static const row rows[] = {
    { "(i) -> (i)", { "N" }, IRL_BIJECTIVE },
    { "(i, j) -> (j, i)", { "N", "M" }, IRL_BIJECTIVE },
    { "(i, j) -> (i*M + j)", { "N", "M" }, IRL_BIJECTIVE },
    { "(i, j, k) -> ((i*M + j)*K + k)", { "N", "M", "K" }, IRL_BIJECTIVE },
    { "(i, j, k) -> (i*(M*K) + j*K + k)", { "N", "M", "K" }, IRL_BIJECTIVE },
    { "(i, j, k) -> (i, j*K + k)", { "N", "M", "K" }, IRL_BIJECTIVE },
    { "(i, j) -> (i*(M + 3) + j)", { "N", "M" }, IRL_INJECTIVE },
    { "(i, j) -> (i*(4*M) + j)", { "N", "4*M" }, IRL_BIJECTIVE },
    { "(i) -> (i/4, i%4)", { "4*N" }, IRL_BIJECTIVE },
    { "(i) -> (i/4, i%4)", { "N" }, IRL_INJECTIVE },
    { "(n, h, w, c) -> (n, c/4, h, w, c%4)", { "N", "M", "K", "8" }, IRL_BIJECTIVE },
    { "(h, w, c) -> (c/4, h, w, c%4)", { "N", "M", "K" }, IRL_INJECTIVE },
    { "(h, w, c) -> ((c/4*N + h)*M + w, c%4)", { "N", "M", "4*K" }, IRL_BIJECTIVE },
    { "(i) -> (i/N, i%N)", { "M*N" }, IRL_BIJECTIVE },
    { "(i) -> (N - 1 - i)", { "N" }, IRL_BIJECTIVE },
    { "(i) -> ((i + 3)%N)", { "N" }, IRL_BIJECTIVE },
    { "(i) -> ((i + M)%N)", { "N" }, IRL_BIJECTIVE },
    { "(i, j) -> (i, (i + j)%M)", { "N", "M" }, IRL_BIJECTIVE },
    { "(i) -> (i + N)", { "M" }, IRL_INJECTIVE },
    { "(i) -> (i*3 + 1)", { "N" }, IRL_INJECTIVE },
    { "(i, j) -> (i*8 + j)", { "N", "8" }, IRL_BIJECTIVE },
    { "(i, j) -> (i*8 + j)", { "N", "5" }, IRL_INJECTIVE },
    { "(i, j) -> (i + j*N)", { "N", "M" }, IRL_BIJECTIVE },
    { "(i) -> (i, i%3)", { "N" }, IRL_INJECTIVE },
    { "(i, j) -> ((N - 1 - i)*M + j)", { "N", "M" }, IRL_BIJECTIVE },
    { "(i, j) -> (N*M - 1 - (i*M + j))", { "N", "M" }, IRL_BIJECTIVE },
    { "(i, j) -> (j*M, i/4, i%4*M)", { "N", "K" }, IRL_INJECTIVE },
    { "(i) -> ((i + 6)%(5*M)/M, (i + 6)%(5*M)%M)", { "5*M" }, IRL_BIJECTIVE },
    { "(i, j) -> ((M + 2 - i + N)%(M + 3), j)", { "M + 3", "N" }, IRL_BIJECTIVE },
    { "(i, j) -> (i/M, j*M + i%M)", { "N", "K" }, IRL_INJECTIVE },
    /* wrong for some values, so never said: values are found that show it */
    { "(i) -> (i/2)", { "N" }, IRL_LOSSY },
    { "(i) -> (i%N)", { "M" }, IRL_LOSSY },
    { "(i) -> (i%N)", { "N + 1" }, IRL_LOSSY },
    { "(i, j) -> (i*M + j)", { "N", "M + 1" }, IRL_LOSSY },
    { "(i, j) -> (i*N + j)", { "N", "M" }, IRL_LOSSY },
    { "(i) -> (i - N)", { "M" }, IRL_OUT_OF_RANGE },
    { "(i, j) -> (i + j)", { "N", "M" }, IRL_LOSSY },
    { "(i) -> ((i*M)%N)", { "N" }, IRL_LOSSY },
    { "(i) -> (i/N)", { "N" }, IRL_LOSSY },
    { "(i) -> (5)", { "N" }, IRL_LOSSY },
};

/* It is said for all values. */
static int is_said(const irl_verdict *v)
{
    return v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE;
}

static void test_rows(void)
{
    size_t k;
    int    i, looked = 0, decided = 0;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        world w;
        world_begin(&w);
        w.map = irl_map_parse_over(w.cx, rows[k].map, NULL, PARAMETERS, w.parameters);
        for (i = 0; w.map && i < w.map->input_count; i++)
            w.extents[i] = irl_expr_parse(w.cx, rows[k].extents[i], PARAMETERS, w.parameters);
        if (w.map) w.v = irl_map_check(w.cx, w.map, irl_shape_of(w.map->input_count, w.extents));
        if (!CHECK_OK(w.cx) || !CHECK(w.v.kind == rows[k].kind) ||
            !CHECK(is_said(&w.v) || !w.v.inverse || w.v.where))
            show(&w);
        if (is_said(&w.v)) {
            decided++;
            if (!CHECK(w.v.inverse && w.v.padding && holds(&w, &looked))) show(&w);
        }
        irl_ctx_destroy(w.cx);
    }
    CHECK(tight == boxes); /* of these; of random ones not always */
    printf("%d rows, %d decided, %d shapes looked at\n", (int)k, decided, looked);
}

/* ------------------------------------------------------------------ random ones */

static void test_random_maps(void)
{
    int   n, total = TEST_COUNT(1500), decided = 0, looked = 0, conditions = 0;
    world w;
    for (n = 0; n < total; n++) {
        world_begin(&w);
        some_map();
        w.map = now.map;
        memcpy(w.extents, now.extents, sizeof w.extents);
        if (CHECK(w.map != NULL))
            w.v = irl_map_check(w.cx, w.map, irl_shape_of(w.map->input_count, w.extents));
        if (!CHECK_OK(w.cx)) show(&w);
        if (is_said(&w.v)) {
            decided++;
            conditions += w.v.condition != NULL;
            if (!CHECK(w.v.inverse && w.v.padding && holds(&w, &looked))) show(&w);
        } else if (w.v.kind == IRL_UNDECIDED && getenv("IRL_SHOW")) show(&w);
        irl_ctx_destroy(w.cx);
    }
    CHECK(decided * 4 > total && looked > decided && conditions * 4 > decided &&
          tight * 10 > boxes * 9);
    printf("%d random maps, %d decided, %d with a condition, %d shapes looked at, %d of %d axes "
           "tight\n",
           total, decided, conditions, looked, tight, boxes);
}

int main(void)
{
    test_rows();
    test_random_maps();
    return TEST_DONE();
}
