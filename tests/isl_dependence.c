/* isl_dependence.c - a second opinion: the integer set library on whether iterations of two
   accesses meet, for random quasi-affine nests; and its time beside ours. Built with -lisl, for
   tests only. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#endif
#include "test.h"
#include "random64.h"
#include "nest_pairs.h"

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>
#include <time.h>

enum { MOST_TIMES = 100000 };

static int    compared, answers[3], given_up, times;
static double ours[MOST_TIMES], theirs[MOST_TIMES];
static char   text[1 << 17];

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* --------------------------------------------------------- a nest in isl's notation */

static char *say(const nest *n, int at, int copy, char *out);

static char *say_two(const nest *n, const nest_node *e, const char *op, int copy, char *out)
{
    out = say(n, e->a, copy, out + sprintf(out, "("));
    out = say(n, e->b, copy, out + sprintf(out, " %s ", op));
    return out + sprintf(out, ")");
}

/* isl wants the number in front. */
static char *say_times(const nest *n, int64_t number, int at, int copy, char *out)
{
    out += sprintf(out, "(%s%lld * (", number < 0 ? "0 - " : "",
                   (long long)(number < 0 ? -number : number));
    out = say(n, at, copy, out);
    return out + sprintf(out, "))");
}

/* floor(sign * a / size), by a positive number. */
static char *say_floor(const nest *n, int a, int sign, long long size, int copy, char *out)
{
    out = say(n, a, copy, out + sprintf(out, sign < 0 ? "floor((0 - " : "floor(("));
    return out + sprintf(out, ") / %lld)", size);
}

/* A new variable that is one of two values; isl has no choices but in conditions. What it is stands
   in `also`. */
static char also[1 << 16];
static int  chosen;

static char *choose(const char *condition, const char *a, const char *b, char *out)
{
    size_t used = strlen(also);
    sprintf(also + used, " and ((%s and t%d = %s) or ((not %s) and t%d = %s))", condition, chosen,
            a, condition, chosen, b);
    return out + sprintf(out, "t%d", chosen++);
}

static char *say_choice(const nest *n, const nest_node *e, int copy, char *out)
{
    char *part[3], *end;
    int   k, of[3];
    of[0] = e->a;
    of[1] = e->b;
    of[2] = e->c;
    for (k = 0; k < 3; k++) {
        part[k] = (char *)malloc(sizeof also);
        end = say(n, of[k], copy, part[k]);
        *end = '\0';
    }
    out = choose(part[0], part[1], part[2], out);
    for (k = 0; k < 3; k++) free(part[k]);
    return out;
}

/* / % truncdiv truncmod by a number: a quotient, and what is left of a. */
static char *say_quotient(const nest *n, const nest_node *e, int copy, char *out)
{
    const long long by = (long long)n->node[e->b].number, size = by < 0 ? -by : by;
    const int       sign = by < 0 ? -1 : 1;
    char           *part[3];
    int             k;
    if (e->kind == '/' || e->kind == '%') return say_floor(n, e->a, sign, size, copy, out);
    for (k = 0; k < 3; k++) part[k] = (char *)malloc(sizeof also);
    strcpy(say(n, e->a, copy, part[0] + sprintf(part[0], "(")), " >= 0)");
    say_floor(n, e->a, 1, size, copy, part[1] + sprintf(part[1], "0 %c ", sign < 0 ? '-' : '+'));
    say_floor(n, e->a, -1, size, copy, part[2] + sprintf(part[2], "0 %c ", sign < 0 ? '+' : '-'));
    out = choose(part[0], part[1], part[2], out);
    for (k = 0; k < 3; k++) free(part[k]);
    return out;
}

static char *say_rest(const nest *n, const nest_node *e, int copy, char *out)
{
    const long long by = (long long)n->node[e->b].number;
    out = say(n, e->a, copy, out + sprintf(out, "("));
    out += sprintf(out, " %c %lld * (", by < 0 ? '+' : '-', by < 0 ? -by : by);
    out = say_quotient(n, e, copy, out);
    return out + sprintf(out, "))");
}

static char *say(const nest *n, int at, int copy, char *out)
{
    const nest_node *e = &n->node[at];
    switch (e->kind) {
    case 0:
        return out + sprintf(out, e->number < 0 ? "(0 - %lld)" : "%lld",
                             (long long)(e->number < 0 ? -e->number : e->number));
    case 'v':
        if (e->a < NEST_PARAMS) return out + sprintf(out, "%s", e->a ? "m" : "n");
        return out + sprintf(out, "%c%d", copy ? 'y' : 'x', e->a - NEST_PARAMS);
    case '!':
        out = say(n, e->a, copy, out + sprintf(out, "(not ("));
        return out + sprintf(out, "))");
    case '/':
    case 't': return say_quotient(n, e, copy, out);
    case '%':
    case 'r': return say_rest(n, e, copy, out);
    case '?':
    case ';': return say_choice(n, e, copy, out);
    case 'm':
    case 'M':
        out = say(n, e->a, copy, out + sprintf(out, e->kind == 'm' ? "min(" : "max("));
        out = say(n, e->b, copy, out + sprintf(out, ", "));
        return out + sprintf(out, ")");
    case '+': return say_two(n, e, "+", copy, out);
    case '-': return say_two(n, e, "-", copy, out);
    case '*': return say_times(n, n->node[e->b].number, e->a, copy, out);
    case '<': return say_two(n, e, "<", copy, out);
    case 'l': return say_two(n, e, "<=", copy, out);
    case '>': return say_two(n, e, ">", copy, out);
    case 'g': return say_two(n, e, ">=", copy, out);
    case '=': return say_two(n, e, "=", copy, out);
    case 'n': return say_two(n, e, "!=", copy, out);
    case '&': return say_two(n, e, "and", copy, out);
    default: return say_two(n, e, "or", copy, out);
    }
}

/* All that holds where a store is reached in its copy. */
static char *say_reached(const nest *n, int which, char *out)
{
    int k;
    for (k = 0; k < nest_loops(n, which); k++) {
        out = say(n, n->min[which][k], which, out);
        out += sprintf(out, " <= %c%d and %c%d < ", which ? 'y' : 'x', k, which ? 'y' : 'x', k);
        out = say(n, n->min[which][k], which, out);
        out = say(n, n->extent[which][k], which, out + sprintf(out, " + "));
        out += sprintf(out, " and ");
    }
    if (n->guard[which] >= 0) {
        out = say(n, n->guard[which], which, out);
        out += sprintf(out, " and ");
    }
    return out;
}

static char *say_names(const nest *n, char *out)
{
    int which, k, count = 0;
    for (which = 0; which < 2; which++)
        for (k = 0; k < nest_loops(n, which); k++)
            out += sprintf(out, "%s%c%d", count++ ? ", " : "", which ? 'y' : 'x', k);
    return out;
}

static isl_set *isl_of(isl_ctx *ctx, const nest *n, const uint8_t *relation)
{
    static const char *const sides[] = { "", "<", "=", "<=", ">", "!=", ">=" };
    static char              body[1 << 16];
    char                    *out = body;
    int                      k;
    chosen = 0;
    also[0] = '\0';
    out = say_reached(n, 0, out);
    out = say_reached(n, 1, out);
    for (k = 0; k < n->common; k++)
        if (relation[k] != 7) out += sprintf(out, "x%d %s y%d and ", k, sides[relation[k]], k);
    for (k = 0; k < n->rank; k++) {
        out = say(n, n->index[0][k], 0, out);
        out = say(n, n->index[1][k], 1, out + sprintf(out, " = "));
        out += sprintf(out, k + 1 < n->rank ? " and " : "");
    }
    out = say_names(n, text + sprintf(text, "[n, m] -> { ["));
    for (k = 0; k < chosen; k++) out += sprintf(out, "%st%d", out[-1] == '[' ? "" : ", ", k);
    sprintf(out, "] : %s%s }", body, also);
    return isl_set_read_from_str(ctx, text);
}

/* ------------------------------------------------------------------ one nest */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int isl_says(isl_ctx *ctx, const nest *n, const uint8_t *relation, double *time)
{
    isl_set *set;
    isl_bool empty;
    double   start;
    isl_ctx_reset_error(ctx); /* it may have given up on the last one, and would go on doing so */
    isl_ctx_reset_operations(ctx);
    start = seconds();
    set = isl_of(ctx, n, relation);
    empty = set ? isl_set_is_empty(set) : isl_bool_error;
    *time = seconds() - start;
    isl_set_free(set);
    return empty == isl_bool_error ? -1 : empty == isl_bool_true;
}

static void judge(isl_ctx *ctx, const nest *n, irl__accesses *t, const uint8_t *relation)
{
    irl__access *of[2];
    irl__pair   *p;
    irl_answer   answer;
    double       start, mine, other;
    int          k, count = 0, empty;
    for (k = 0; k < t->count; k++)
        if (t->list[k].kind == IRL__ACCESS_WRITE && count < 2) of[count++] = &t->list[k];
    if (!CHECK(count == 2)) return;
    start = seconds();
    p = irl__pair_begin(t, of[0], of[1], IRL__PAIR_STEPS);
    answer = irl__pair_meets(p, relation, NULL);
    mine = seconds() - start;
    empty = isl_says(ctx, n, relation, &other);
    if (empty < 0) {
        given_up++;
        return;
    }
    compared++;
    answers[answer]++;
    if (times < MOST_TIMES) ours[times] = mine, theirs[times++] = other;
    if (!CHECK(answer == IRL_UNKNOWN || (answer == IRL_NO) == empty)) printf("%s\n", text);
}

static void compare(isl_ctx *ctx)
{
    static nest_iterations all[NEST_TRIES];
    irl_ctx               *cx;
    irl__arena_mark        mark;
    irl__accesses          t;
    irl_func              *f;
    uint8_t                relation[NEST_LOOPS];
    nest                   n;
    int                    k;
    nest_make(&n);
    for (k = 0; k < NEST_LOOPS; k++) relation[k] = (uint8_t)(1 + random_below(7));
    if (n.is_product || n.is_far || !nest_iterate(&n, all)) return;
    nest_text(&n, text);
    cx = irl_ctx_create(NULL);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    if (CHECK_OK(cx)) {
        mark = irl__scratch_begin(cx);
        if (CHECK(irl__accesses_of(&t, f, NULL))) judge(ctx, &n, &t, relation);
        irl__scratch_end(cx, mark);
    }
    irl_ctx_destroy(cx);
}

int main(void)
{
    isl_ctx *ctx = isl_ctx_alloc();
    int      n, total = TEST_COUNT(50);
    (void)nest_side, (void)nest_same_cell;
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, 1000000);
    for (n = 0; compared < total && n < 4 * total; n++) compare(ctx);
    isl_ctx_free(ctx);
    qsort(ours, (size_t)times, sizeof *ours, by_size);
    qsort(theirs, (size_t)times, sizeof *theirs, by_size);
    CHECK(compared >= total && answers[IRL_UNKNOWN] * 100 <= total);
    printf("%d pairs: %d never meet, %d meet, %d not known to us; isl gave up %d times\n", compared,
           answers[IRL_NO], answers[IRL_YES], answers[IRL_UNKNOWN], given_up);
    if (times)
        printf("median %.1f us, isl %.1f us, parsing included\n", 1e6 * ours[times / 2],
               1e6 * theirs[times / 2]);
    return TEST_DONE();
}
