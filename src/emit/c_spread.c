/* c_spread.c - moves groups of a number's bits to given places, in few steps.

   Morton order takes the bits of x apart: 76543210 becomes 7.6.5.4.3.2.1.0. One bit after the other
   that is eight masks, shifts and sums. By steps that move many bits at once it is three:
   x = (x | x << 4) & 0x0f0f, x = (x | x << 2) & 0x3333, x += x & 0x2222. The way back takes the
   steps to the right, the shortest first (Warren, Hacker's Delight, chapter 7).

   needs     nothing but numbers: c_layout.c makes expressions of the steps
   promises  a plan is checked bit by bit before it is used: each wanted bit arrives, nothing else
             is left, and no intermediate result has more bits than there are
   cost      16 plans, each of at most 8 steps of 63 bits */
#include "c.h"

enum { IRL__SPREAD_BITS = 63, IRL__SPREAD_ZERO = -1, IRL__SPREAD_ANY = -2 };

/* How a plan is looked for. */
typedef struct irl__spread_way {
    int is_left;    /* bits move to the left, else to the right */
    int is_binary;  /* by powers of two, else group by group */
    int is_turned;  /* the other end of the steps first */
    int is_cleared; /* other bits go first */
} irl__spread_way;

/* Where each bit is on the way: which bit of the number, or a zero, or what is not wanted. */
typedef struct irl__spread_state {
    int at[IRL__SPREAD_BITS];
    int away[IRL__SPREAD_BITS]; /* how far a bit of the number goes, beyond what all go */
    int width;                    /* bits of the type */
} irl__spread_state;

int64_t irl__c_gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

int irl__spread_length(int64_t value)
{
    int n = 0;
    for (; value > 0; value >>= 1) n++;
    return n;
}

/* A number beyond a byte is one more instruction, or a word of memory. */
int irl__spread_cost(int operators, int64_t mask) { return operators + (mask > 255); }

static int irl__spread_top(const irl__spread_state *s)
{
    int k;
    for (k = IRL__SPREAD_BITS; k > 0 && s->at[k - 1] == IRL__SPREAD_ZERO; k--) continue;
    return k;
}

static int irl__spread_is_clear(const irl__spread_state *s)
{
    for (int k = 0; k < IRL__SPREAD_BITS; k++)
        if (s->at[k] == IRL__SPREAD_ANY) return 0;
    return 1;
}

/* Whether (y | y << by) has the wanted bits where they shall be, and nothing on them. */
static int irl__spread_over(const irl__spread_state *s, const int *wanted, int by)
{
    for (int p = 0; p < IRL__SPREAD_BITS; p++) {
        int from = p - by, shifted = IRL__SPREAD_ZERO;
        if (wanted[p] == IRL__SPREAD_ZERO) continue;
        if (from >= 0 && from < IRL__SPREAD_BITS) shifted = s->at[from];
        if (s->at[p] != IRL__SPREAD_ZERO && s->at[p] != wanted[p]) return 0;
        if (shifted != IRL__SPREAD_ZERO && shifted != wanted[p]) return 0;
    }
    return by < 0 || irl__spread_top(s) + by <= s->width;
}

/* One step: the bits that `moves` says go by `by`. 0: two meet, or one leaves the type. */
static int irl__spread_do(irl__spread_plan *plan, irl__spread_state *s, const unsigned char *moves,
                          int by)
{
    irl__spread_step *step = &plan->steps[plan->count];
    int               wanted[IRL__SPREAD_BITS], p, q;
    if (plan->count == IRL__SPREAD_STEPS) return 0;
    memset(step, 0, sizeof *step);
    step->by = by;
    for (p = 0; p < IRL__SPREAD_BITS; p++) wanted[p] = IRL__SPREAD_ZERO;
    for (p = 0; p < IRL__SPREAD_BITS; p++) {
        if (s->at[p] < 0) continue;
        q = moves[s->at[p]] ? p + by : p;
        if (q < 0 || q >= s->width || wanted[q] != IRL__SPREAD_ZERO) return 0;
        wanted[q] = s->at[p];
        if (moves[s->at[p]]) step->moved |= INT64_C(1) << p;
        else step->kept |= INT64_C(1) << p;
    }
    plan->count++;
    if (by == 1 && irl__spread_is_clear(s)) {
        step->kind = IRL__SPREAD_TWICE;
        plan->cost += irl__spread_cost(2, step->moved);
    } else if (irl__spread_over(s, wanted, by)) {
        step->kind = IRL__SPREAD_OVER;
        step->kept |= by > 0 ? step->moved << by : step->moved >> -by;
        plan->cost += irl__spread_cost(3, step->kept);
    } else {
        step->kind = IRL__SPREAD_APART;
        plan->cost += irl__spread_cost(irl__spread_cost(5, step->kept), step->moved);
    }
    memcpy(s->at, wanted, sizeof wanted);
    return 1;
}

/* Steps by powers of two, times what all distances have in common. */
static int irl__spread_binary(irl__spread_plan *plan, irl__spread_state *s, irl__spread_way way,
                              int unit)
{
    unsigned char moves[IRL__SPREAD_BITS];
    int      k, j, n, any;
    for (n = 0; n < 6; n++) {
        k = way.is_left != way.is_turned ? 5 - n : n; /* to the left the longest first */
        for (any = 0, j = 0; j < IRL__SPREAD_BITS; j++) {
            moves[j] = (unsigned char)(s->away[j] / unit >> k & 1);
            any |= moves[j];
        }
        if (any && !irl__spread_do(plan, s, moves, way.is_left ? unit << k : -(unit << k)))
            return 0;
    }
    return 1;
}

/* A step for each distance that there is: all that go so far or farther. */
static int irl__spread_in_turn(irl__spread_plan *plan, irl__spread_state *s, irl__spread_way way)
{
    unsigned char moves[IRL__SPREAD_BITS];
    int      done = way.is_turned ? IRL__SPREAD_BITS : 0, next, last, j;
    for (;;) {
        for (next = way.is_turned ? 0 : IRL__SPREAD_BITS, j = 0; j < IRL__SPREAD_BITS; j++) {
            if (way.is_turned ? s->away[j] < done && s->away[j] > next
                              : s->away[j] > done && s->away[j] < next)
                next = s->away[j];
        }
        if (next == 0 || next == IRL__SPREAD_BITS) return 1;
        for (last = 0, j = 0; j < IRL__SPREAD_BITS; j++) {
            moves[j] = s->away[j] >= next;
            if (s->away[j] < next && s->away[j] > last) last = s->away[j];
        }
        if (!irl__spread_do(plan, s, moves, way.is_left ? next - last : last - next)) return 0;
        done = next;
    }
}

/* The state before the first step: the number, shifted by what all go to the right, and cleared. */
static void irl__spread_begin(irl__spread_plan *plan, irl__spread_state *s, irl__spread_way way,
                            const irl__spread_group *g, int count, int length)
{
    int k;
    for (k = 0; k < IRL__SPREAD_BITS; k++) {
        s->away[k] = 0;
        s->at[k] = k + plan->before < length ? IRL__SPREAD_ANY : IRL__SPREAD_ZERO;
    }
    if (way.is_cleared)
        for (k = 0; k < IRL__SPREAD_BITS; k++) s->at[k] = IRL__SPREAD_ZERO;
    for (int j = 0; j < count; j++)
        for (k = g[j].from; k < g[j].from + g[j].count; k++) {
            int away = g[j].to - g[j].from + plan->before - plan->after;
            s->at[k - plan->before] = k;
            s->away[k] = away < 0 ? -away : away;
            if (way.is_cleared) plan->first |= INT64_C(1) << (k - plan->before);
        }
    plan->cost = (plan->before != 0) + (plan->after != 0);
    if (way.is_cleared) plan->cost += irl__spread_cost(1, plan->first);
}

/* Whether each bit is where it shall be, and nothing else. */
static int irl__spread_arrived(const irl__spread_plan *plan, const irl__spread_state *s,
                             const irl__spread_group *g, int count)
{
    int k, j, all = 0, there = 0;
    for (j = 0; j < count; j++)
        for (k = 0; k < g[j].count; k++, all++) {
            int p = g[j].to + k - plan->after;
            if (p < 0 || p >= IRL__SPREAD_BITS || s->at[p] != g[j].from + k) return 0;
        }
    for (k = 0; k < IRL__SPREAD_BITS; k++) there += s->at[k] != IRL__SPREAD_ZERO;
    return there == all && irl__spread_top(s) + plan->after <= s->width;
}

static int irl__spread_try(irl__spread_plan *plan, irl__spread_way way, const irl__spread_group *g,
                         int count, int length, int width)
{
    irl__spread_state s;
    int               all = g[0].to - g[0].from, first = g[0].from, unit = 0, k, by;
    memset(plan, 0, sizeof *plan);
    s.width = width;
    for (k = 1; k < count; k++) {
        by = g[k].to - g[k].from;
        if (way.is_left ? by < all : by > all) all = by;
        if (g[k].from < first) first = g[k].from;
    }
    if (all < 0 && first >= -all) plan->before = -all;
    plan->after = all + plan->before;
    for (k = 0; k < count; k++) {
        by = g[k].to - g[k].from - all;
        unit = (int)irl__c_gcd(by, unit);
    }
    if (unit == 0) return 0;
    irl__spread_begin(plan, &s, way, g, count, length);
    k = way.is_binary ? irl__spread_binary(plan, &s, way, unit)
                      : irl__spread_in_turn(plan, &s, way);
    return k && irl__spread_arrived(plan, &s, g, count);
}

/* Whether no bit is taken twice, and none put on another. */
static int irl__spread_are_apart(const irl__spread_group *g, int count)
{
    int64_t from = 0, to = 0, f, t;
    for (int k = 0; k < count; k++) {
        if (g[k].count <= 0 || g[k].from < 0 || g[k].to < 0 ||
            g[k].from + g[k].count >= IRL__SPREAD_BITS ||
            g[k].to + g[k].count >= IRL__SPREAD_BITS)
            return 0;
        f = ((INT64_C(1) << g[k].count) - 1) << g[k].from;
        t = ((INT64_C(1) << g[k].count) - 1) << g[k].to;
        if ((from & f) || (to & t)) return 0;
        from |= f;
        to |= t;
    }
    return 1;
}

int irl__spread_find(irl__spread_plan *best, const irl__spread_group *g, int count, int length,
                     int width)
{
    irl__spread_plan plan;
    irl__spread_way  way;
    int              k, found = 0;
    memset(best, 0, sizeof *best);
    if (count < 2 || length >= IRL__SPREAD_BITS || !irl__spread_are_apart(g, count)) return 0;
    for (k = 0; k < 16; k++) {
        way.is_left = (k & 8) == 0;
        way.is_binary = (k & 4) == 0;
        way.is_turned = (k & 2) != 0;
        way.is_cleared = (k & 1) != 0;
        if (!irl__spread_try(&plan, way, g, count, length, width)) continue;
        if (!found || plan.cost < best->cost) *best = plan;
        found = 1;
    }
    return found;
}
