/* costs.c - the part of `irlc explain` that says what each access costs, over all loops around
   it. */
#include "irlc.h"

/* "at most 12 cells", "n * 8 cells" */
static void print_count(irl_ctx *cx, int is_first, irl_count c, const char *what)
{
    const irl_exactness is = c.formula ? c.formula_is : c.exactness;
    if (is == IRL_COUNT_UNKNOWN) return;
    say("%s%s", is_first ? "" : ", ", is == IRL_COUNT_EXACT ? "" : "at most ");
    if (c.formula) say("%s %s", irl_expr_text(cx, c.formula), what);
    else say("%lld %s", (long long)c.value, what);
}

static void print_cost(irl_ctx *cx, const irl_access *a, const irl_cost *c)
{
    say("    %-8s %s: ", a->place, a->text);
    print_count(cx, 1, c->iterations, "times");
    if (c->iterations.exactness == IRL_COUNT_UNKNOWN && !c->iterations.formula)
        say("how often is not known");
    print_count(cx, 0, c->cells, "cells");
    print_count(cx, 0, c->bytes, "bytes");
    print_count(cx, 0, c->lines, "lines");
    print_count(cx, 0, c->texels, "texels");
    if (a->kind == IRL_ACCESS_WRITE || a->kind == IRL_ACCESS_UPDATE) {
        if (c->floats.value || c->floats.formula)
            print_count(cx, 0, c->floats, "operations of floats");
        if (c->integers.value || c->integers.formula)
            print_count(cx, 0, c->integers, "of integers");
        if (c->specials.value || c->specials.formula)
            print_count(cx, 0, c->specials, "special functions");
    }
    if (c->reason[0]) say(" (%s)", c->reason);
    say("\n");
}

void print_costs(irl_ctx *cx, const irl_func *f, const irl_access_table *t,
                 const irl_cost_options *how)
{
    const irl_cost *costs = irl_func_costs(f, how);
    if (!costs) return;
    say("costs\n");
    for (int k = 0; k < t->count; k++)
        if (!t->list[k].is_declared && !is_reported(t, k)) print_cost(cx, &t->list[k], &costs[k]);
}

static void json_count(irlc_json *j, const char *key, irl_count c)
{
    static const char *const words[] = { "unknown", "yes", "at most" };
    json_key(j, key);
    json_open(j, '{');
    json_text(j, "exact", words[c.exactness]);
    json_int(j, "value", c.value);
    if (c.formula) {
        json_text(j, "formula", irl_expr_text(j->cx, c.formula));
        json_text(j, "formula_exact", words[c.formula_is]);
    }
    json_close(j, '}');
}

static void json_cost(irlc_json *j, int access, const irl_cost *c)
{
    json_next(j);
    json_open(j, '{');
    json_int(j, "access", access);
    json_count(j, "iterations", c->iterations);
    json_count(j, "cells", c->cells);
    json_count(j, "bytes", c->bytes);
    json_count(j, "lines", c->lines);
    json_count(j, "texels", c->texels);
    json_count(j, "floats", c->floats);
    json_count(j, "integers", c->integers);
    json_count(j, "specials", c->specials);
    json_text(j, "reason", c->reason);
    json_close(j, '}');
}

void json_costs(irlc_json *j, const irl_func *f, const irl_access_table *t,
                const irl_cost_options *how)
{
    const irl_cost *costs = irl_func_costs(f, how);
    if (!costs) return;
    json_key(j, "costs");
    json_open(j, '[');
    for (int k = 0; k < t->count; k++)
        if (!t->list[k].is_declared) json_cost(j, k, &costs[k]);
    json_close(j, ']');
}
