/* test_c_spread.c - plans that move the bits of a number in steps: followed with numbers, they give
   what moving one group after the other gives, and nothing on the way has more bits than there
   are; Morton order costs no more than the known steps. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/emit/c.h"
#endif
#include "test.h"
#include "random64.h"

enum { MOST = 24 };

static int found, over, twice, apart, cleared;

static uint64_t shifted(uint64_t x, int by) { return by < 0 ? x >> -by : x << by; }

/* Group by group. */
static uint64_t expected(const irl__spread_group *g, int count, uint64_t x)
{
    uint64_t y = 0;
    int      k;
    for (k = 0; k < count; k++)
        y |= (x >> g[k].from & ((UINT64_C(1) << g[k].count) - 1)) << g[k].to;
    return y;
}

/* By the plan; `fits` goes to 0 where something has more bits than `width`. */
static uint64_t followed(const irl__spread_plan *plan, uint64_t x, int width, int *fits)
{
    uint64_t y = x >> plan->before, moved;
    int      k;
    if (plan->first) y &= (uint64_t)plan->first;
    for (k = 0; k < plan->count; k++) {
        const irl__spread_step *s = &plan->steps[k];
        if (s->kind == IRL__SPREAD_TWICE) y += y & (uint64_t)s->moved;
        else if (s->kind == IRL__SPREAD_OVER) {
            y |= shifted(y, s->by);
            *fits &= y >> width == 0;
            y &= (uint64_t)s->kept;
        } else {
            moved = shifted(y & (uint64_t)s->moved, s->by);
            y = (y & (uint64_t)s->kept) | moved;
        }
        *fits &= y >> width == 0;
    }
    y = shifted(y, plan->after);
    *fits &= y >> width == 0;
    return y;
}

static int is_right(const irl__spread_plan *plan, const irl__spread_group *g, int count, int length,
                    int width)
{
    uint64_t all = (UINT64_C(1) << length) - 1;
    int      k, fits = 1;
    if (followed(plan, all, width, &fits) != expected(g, count, all)) return 0;
    for (k = 0; k < length; k++)
        if (followed(plan, UINT64_C(1) << k, width, &fits) !=
            expected(g, count, UINT64_C(1) << k))
            return 0;
    for (k = 0; k < 20; k++) {
        uint64_t x = random64() & all;
        if (followed(plan, x, width, &fits) != expected(g, count, x)) return 0;
    }
    return fits;
}

/* Groups of a number of `length` bits, most of them in order, with holes. */
static int invent(irl__spread_group *g, int length, int width)
{
    int from = random_below(3), to = random_below(3), n = 0, k, j, in_order = random_below(4) != 0,
        wide = random_below(4) + 1, is_way_back = random_below(2) != 0;
    while (n < MOST) {
        int count = 1 + random_below(wide);
        if (from + count > length || to + count > width) break;
        g[n].from = from;
        g[n].count = count;
        g[n++].to = to;
        from += count + (is_way_back ? random_below(4) : 0);
        to += count + (is_way_back ? 0 : random_below(4));
        if (in_order && random_below(3) != 0 && n > 1) { /* the same distance again */
            from = g[n - 1].from + (g[n - 1].from - g[n - 2].from);
            to = g[n - 1].to + (g[n - 1].to - g[n - 2].to);
            if (from < g[n - 1].from + count) from = g[n - 1].from + count;
            if (to < g[n - 1].to + count) to = g[n - 1].to + count;
        }
    }
    for (k = n - 1; !in_order && k > 0; k--) { /* groups of one size change places */
        int t = g[k].to;
        j = random_below(k + 1);
        if (g[j].count != g[k].count) continue;
        g[k].to = g[j].to;
        g[j].to = t;
    }
    return n;
}

static void test_plans(int rounds)
{
    irl__spread_group g[MOST];
    irl__spread_plan  plan;
    int               k, j, n, length, width;
    for (k = 0; k < rounds; k++) {
        length = 1 + random_below(62);
        width = random_below(4) == 0 ? 62 : length + random_below(63 - length);
        n = invent(g, length, width);
        if (!irl__spread_find(&plan, g, n, length, width)) continue;
        found++;
        if (!CHECK(is_right(&plan, g, n, length, width))) {
            printf("round %d: %d bits in %d:", k, length, width);
            for (j = 0; j < n; j++) printf(" %d+%d to %d", g[j].from, g[j].count, g[j].to);
            printf("\n");
        }
        cleared += plan.first != 0;
        for (j = 0; j < plan.count; j++) {
            over += plan.steps[j].kind == IRL__SPREAD_OVER;
            twice += plan.steps[j].kind == IRL__SPREAD_TWICE;
            apart += plan.steps[j].kind == IRL__SPREAD_APART;
        }
    }
}

/* Every second or third bit: log2 of the bits in steps, there and back. */
static void test_morton(void)
{
    irl__spread_group g[MOST];
    irl__spread_plan  plan;
    int               bits, axes, k, steps;
    for (axes = 2; axes <= 3; axes++)
        for (bits = 2; bits <= 16; bits++) {
            for (steps = 0; 1 << steps < bits; steps++) continue;
            for (k = 0; k < bits; k++) {
                g[k].from = k;
                g[k].count = 1;
                g[k].to = k * axes + axes - 1;
            }
            CHECK(irl__spread_find(&plan, g, bits, bits, 62) && plan.cost <= 4 * steps + 2);
            CHECK(is_right(&plan, g, bits, bits, 62));
            for (k = 0; k < bits; k++) {
                g[k].to = k;
                g[k].from = k * axes + axes - 1;
            }
            CHECK(irl__spread_find(&plan, g, bits, bits * axes, bits * axes) &&
                  plan.cost <= 4 * steps + 4);
            CHECK(is_right(&plan, g, bits, bits * axes, bits * axes));
        }
}

/* No plan: one group, a bit taken twice, two on one place, beyond the type. */
static void test_none(void)
{
    static const irl__spread_group one[] = { { 0, 4, 2 } }, twice_taken[] = { { 0, 2, 0 },
                                                                             { 1, 1, 4 } },
                                   met[] = { { 0, 2, 0 }, { 4, 1, 1 } },
                                   wide[] = { { 0, 1, 0 }, { 1, 1, 16 } },
                                   none[] = { { 0, 0, 0 }, { 1, 1, 2 } };
    irl__spread_plan plan;
    CHECK(!irl__spread_find(&plan, one, 1, 4, 16));
    CHECK(!irl__spread_find(&plan, twice_taken, 2, 4, 16));
    CHECK(!irl__spread_find(&plan, met, 2, 8, 16));
    CHECK(!irl__spread_find(&plan, wide, 2, 2, 16) && irl__spread_find(&plan, wide, 2, 2, 17));
    CHECK(!irl__spread_find(&plan, none, 2, 4, 16));
    CHECK(!irl__spread_find(&plan, wide, 2, 63, 63));
}

int main(void)
{
    test_plans(TEST_COUNT(20000));
    test_morton();
    test_none();
    printf("%d plans: %d steps over, %d twice, %d apart; %d cleared first\n", found, over, twice,
           apart, cleared);
    CHECK(found > 100 && over > 50 && twice > 10 && apart > 10 && cleared > 10);
    return TEST_DONE();
}
