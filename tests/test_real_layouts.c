/* test_real_layouts.c - layouts that are in use, with names for extents, are all decided, with an
   inverse; and what is said for all values is compared with all points for some of them. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "named_truth.h"
#include "real_layouts.h"

enum { NAMES = 5 };

static int compared;

/* All ones, each name larger by itself, then some at random: small ones that are no multiples of
   anything, and those around the sizes of tiles. */
static void some_values(int n, int64_t *values)
{
    static const int near_tiles[] = { 3, 4, 5, 8, 9, 15, 16, 17, 31, 33, 64, 65 };
    int              k;
    for (k = 0; k < NAMES; k++) {
        values[k] = n == 0 ? 1 : 1 + random_below(n < 4 ? 3 : 7);
        if (n >= 8 && random_below(2)) values[k] = near_tiles[random_below(12)];
    }
}

static void compare(const named_question *q, const irl_verdict *s, const char *name)
{
    int64_t     values[NAMES];
    const char *why = "";
    int         n, k, ok, done = 0;
    for (n = 0; n < TEST_COUNT(80) && done < TEST_COUNT(12); n++) {
        some_values(n, values);
        if (s->where && !named_number(q, s->where, values)) continue;
        ok = named_right_at(q, s, values, &why);
        if (!CHECK(ok)) {
            printf("    %s: %s, at", name, why);
            for (k = 0; k < NAMES; k++) printf(" %d", (int)values[k]);
            puts("");
            return;
        }
        done += ok > 0;
    }
    if (!CHECK(done >= 4 || (getenv("IRL_SLOW") && done)))
        printf("    %s: compared at %d values\n", name, done);
    compared += done;
}

/* For these values too there is a collision, by looking. */
static int is_lossy_at(const named_question *q, const int64_t *values)
{
    irl_shape shape = named_shape_given(q, q->rank, q->extents, values), minimum, box;
    memset(&minimum, 0, sizeof minimum);
    memset(&box, 0, sizeof box);
    return !named_images(named_map_given(q, q->map, values), &shape, &minimum, &box);
}

static void judge(const real_layout *l)
{
    static const char *const names[NAMES] = { "N", "C", "H", "W", "K" };
    static const int64_t     some[NAMES] = { 3, 3, 3, 3, 3 };
    const irl_expr          *name[NAMES], *extents[IRL_MAX_RANK];
    irl_ctx                 *cx = irl_ctx_create(NULL);
    named_question           q;
    irl_verdict              s;
    char                     part[64];
    const char              *at, *end;
    int                      k;
    memset(&q, 0, sizeof q);
    for (k = 0; k < NAMES; k++) name[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
    q.cx = cx;
    q.map = irl_map_parse_over(cx, l->map, NULL, NAMES, name);
    q.names = NAMES;
    q.name = name;
    q.extents = extents;
    q.most_points = getenv("IRL_SLOW") ? 2500 : 10000;
    for (at = l->shape; *at; at = *end ? end + 1 : end) {
        end = strchr(at, ',') ? strchr(at, ',') : at + strlen(at);
        sprintf(part, "%.*s", (int)(end - at), at);
        extents[q.rank++] = irl_expr_parse(cx, part, NAMES, name);
    }
    s = irl_map_check(cx, q.map, irl_shape_of(q.rank, extents));
    if (!CHECK_OK(cx) || !CHECK(s.kind == l->kind) || !CHECK(!s.where))
        printf("    %s, %s on %s: %s\n", l->name, l->map, l->shape, irl_verdict_text(cx, &s));
    else if (s.kind == IRL_LOSSY)
        CHECK(named_witness_holds(&q, &s) && is_lossy_at(&q, some));
    else if (CHECK(s.inverse && s.padding)) compare(&q, &s, l->name);
    else printf("    %s, %s on %s: no formula of the inverse\n", l->name, l->map, l->shape);
    irl_ctx_destroy(cx);
}

int main(void)
{
    int k;
    for (k = 0; k < REAL_LAYOUTS; k++) judge(&real_layouts[k]);
    printf("%d layouts, all decided; compared with their points at %d values of the names\n",
           REAL_LAYOUTS, compared);
    return TEST_DONE();
}
