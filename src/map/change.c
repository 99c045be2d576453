/* change.c - a map over other variables, and the map back to its own.

   needs     the steps, change_*.c
   promises  what change.h promises; a step either is taken as a whole or sets `failed`
   cost      a round of steps is linear in the parts of the outputs; rounds are bounded */
#include "change.h"

enum { IRL__CHANGE_ROUNDS = 48 };

/* ------------------------------------------------------------------ steps */

/* The quickest step that can be taken, in all places at once: how many, 0 at the end. */
static int irl__change_round(irl__change *c)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__uses       u;
    int             n = 0;
    if (irl__uses_make(&u, c) > 0) {
        n = irl__change_turn(&u, 0);
        if (n == 0) n = irl__change_split(&u, 0);
        if (n == 0) n = irl__change_fuse(&u);
        if (n == 0 && (!c->exact || c->one_output)) n = irl__change_turn(&u, 1);
        if (n == 0 && !c->exact) n = irl__change_split(&u, 1);
        if (n == 0 && !c->exact) n = irl__change_offset(&u);
        if (n == 0 && c->one_output) n = irl__change_onto(&u);
        if (n && !c->failed && !irl__uses_rebuild(&u)) c->failed = 1;
    }
    irl__scratch_end(c->cx, mark);
    return n;
}

int irl__change_run(irl__change *c)
{
    int rounds = 0;
    while (rounds < IRL__CHANGE_ROUNDS && irl__ok(c->cx) && !c->failed && irl__change_round(c))
        rounds++;
    return irl__ok(c->cx) && !c->failed;
}

/* ------------------------------------------------------------------ the way back */

/* What is known so far of variables, over cells. */
typedef struct irl__change_known {
    int             count;
    const irl_expr *vars[IRL__CHANGE_VARS], *values[IRL__CHANGE_VARS];
} irl__change_known;

/* A value with names that is made of cells alone is plain already, and to prove so takes long. */
static const irl_expr *irl__change_over_cells(irl__change *c, irl__analyzer *cells,
                                              const irl__change_known *known, const irl_expr *e)
{
    const irl_expr *put = irl__substitute(c->cx, e, known->count, known->vars, known->values);
    if (!put || (c->named && put == e)) return put;
    return irl__simplify(cells, put);
}

static int irl__change_value(irl__change *c, irl__analyzer *cells, irl__change_known *known, int k)
{
    irl__change_var *v = &c->vars[k];
    if (!v->value) return -1;
    v->value = irl__change_over_cells(c, cells, known, v->value);
    if (!v->value) return 0;
    known->vars[known->count] = v->var;
    known->values[known->count++] = v->value;
    return 1;
}

/* Values over cells alone: of those that were solved, then of what was replaced, the last first. */
static int irl__change_values(irl__change *c, irl__analyzer *cells)
{
    irl__change_known known;
    int               k, ok = 1;
    known.count = 0;
    for (k = 0; ok > 0 && k < c->solved_count; k++)
        ok = irl__change_value(c, cells, &known, c->solved[k]);
    for (k = c->gone_count - 1; ok > 0 && k >= 0; k--)
        ok = irl__change_value(c, cells, &known, c->gone[k]);
    for (k = 0; ok > 0 && k < c->check_count; k++) {
        c->checks[k] = irl__change_over_cells(c, cells, &known, c->checks[k]);
        ok = c->checks[k] != NULL;
    }
    return ok;
}

/* A variable has no value where that needs one that is not known. */
static void irl__change_settle(irl__change *c, irl__change_known *known, int k)
{
    irl__change_var *v = &c->vars[k];
    if (!v->value) return;
    v->value = irl__substitute(c->cx, v->value, known->count, known->vars, known->values);
    for (int j = 0; v->value && j < c->count; j++)
        if (irl__expr_uses_var(v->value, c->vars[j].var)) v->value = NULL;
    if (!v->value) return;
    known->vars[known->count] = v->var;
    known->values[known->count++] = v->value;
}

void irl__change_partly(irl__change *c)
{
    irl__change_known known;
    known.count = 0;
    for (int k = 0; k < c->solved_count; k++) irl__change_settle(c, &known, c->solved[k]);
    for (int k = c->gone_count - 1; k >= 0; k--) irl__change_settle(c, &known, c->gone[k]);
}

/* The value of v lies within its extent, where that is not plain. */
static int irl__change_inside(irl__change *c, irl__analyzer *cells, const irl__change_var *v)
{
    irl__interval r = irl__interval_of(cells, v->value);
    if (r.lo < 0 && !irl__change_check(c, irl__change_op(c, IRL_OP_GE, v->value, c->zero)))
        return 0;
    if (v->extent->op == IRL_OP_INT && r.hi < v->extent->u.i) return 1;
    return irl__change_check(c, irl__change_op(c, IRL_OP_LT, v->value, v->extent));
}

int irl__change_inverse(irl__change *c, irl__analyzer *cells, const irl_expr **back)
{
    int k, ok = irl__change_values(c, cells);
    for (k = 0; ok > 0 && k < c->count; k++)
        if (c->vars[k].checked && !irl__change_inside(c, cells, &c->vars[k])) ok = -1;
    for (k = 0; k < c->input_count; k++) back[k] = c->vars[k].value;
    return irl__ok(c->cx) ? (ok ? ok : -1) : 0;
}
