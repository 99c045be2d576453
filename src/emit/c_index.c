/* c_index.c - C in which every index is of one type, of the user's choice.

   needs     a language in C; map, which evaluates; the ranges of the variables in scope
   promises  each index that is printed, and so each part of one, is proved to be what the type
             holds, or it is refused: with a place where it is not, if one is found at the ends of
             the variables' ranges. A sum of which a part leaves the type is printed in another
             order, where that one stays in it: x - y + 9 as x + 9 - y. An index
             parameter is taken to be what the type holds */
#include "c.h"
#include "../map/map.h"

int irl__c_index_holds(const irl__c_index *s, int64_t value)
{
    return value >= s->least && value <= s->most;
}

void irl__c_index_begin(irl__c_index *s, irl__emit_language *language, irl_scalar index)
{
    s->type = irl_type_of(index, 1);
    s->name = language->types[index];
    int bits = irl__type_info(s->type)->bits;
    int is_signed = irl__type_is_signed(s->type);
    s->most = bits == 64    ? INT64_MAX
              : is_signed   ? ((int64_t)1 << (bits - 1)) - 1
                            : ((int64_t)1 << bits) - 1;
    s->is_compact = bits <= 32;
    s->least = is_signed ? -s->most - 1 : 0;
    for (int k = 0; k < (int)IRL__SCALAR_COUNT; k++) s->types[k] = language->types[k];
    s->types[IRL_INDEX] = s->name;
    for (int k = 0; k < (int)IRL__WIDTH_COUNT; k++) {
        s->index_types[k] = s->name;
        s->index_suffixes[k] = is_signed ? "" : "u";
    }
    language->narrow_indices = bits < 32;
    language->types = s->types;
    language->index_types = s->index_types;
    language->index_suffixes = s->index_suffixes;
    language->index_scalar = index;
}

/* ------------------------------------------------------------------ does it fit */

enum { IRL__C_INDEX_VARS = 10 };

/* The variables of x; more than IRL__C_INDEX_VARS: none of the others. */
static int irl__c_index_vars(const irl_expr *x, const irl_expr **vars, int count)
{
    int j;
    if (x->op == IRL_OP_VAR) {
        for (j = 0; j < count && vars[j] != x;) j++;
        if (j == count && count < IRL__C_INDEX_VARS) vars[count++] = x;
    }
    for (uint32_t k = 0; k < x->count; k++) count = irl__c_index_vars(x->a[k], vars, count);
    return count;
}

static int irl__c_index_refuse(irl__emit *e, const irl__c_index *s, const irl_expr *x, int count,
                               const irl_expr *const *vars, const int64_t *at, int64_t value)
{
    irl__text t;
    irl__text_init(&t, e->cx);
    for (int k = 0; k < count; k++)
        irl__textf(&t, "%s%s = %l", k ? ", " : " at ", vars[k]->u.name, at[k]);
    return irl__fail(e->cx, IRL_ERROR_INDEX_WIDTH, e->cx->here,
                     "%s may be %l%s, and %s holds %l to %l", irl_expr_text(e->cx, x), value,
                     count ? irl__text_done(&t) : "", s->name, s->least, s->most);
}

/* At the ends of what its variables can be. 1: refused. */
static int irl__c_index_at_ends(irl__emit *e, const irl__c_index *s, const irl_expr *x)
{
    const irl_expr *vars[IRL__C_INDEX_VARS];
    int64_t         at[IRL__C_INDEX_VARS], value;
    x = irl__emit_without_lets(e->unit, x);
    if (!x || (x->flags & IRL__HAS_MEMORY)) return 0;
    int count = irl__c_index_vars(x, vars, 0);
    for (int ends = (1 << count) - 1; ends >= 0; ends--) {
        for (int k = 0; k < count; k++) {
            irl__interval r = irl__range_of(e->ranges, vars[k]);
            at[k] = ends >> k & 1 ? r.hi : r.lo;
        }
        if (irl__value_at(x, count, vars, at, &value) == IRL__FOLD_OK &&
            !irl__c_index_holds(s, value)) {
            irl__c_index_refuse(e, s, x, count, vars, at, value);
            return 1;
        }
    }
    return 0;
}

/* A number is shifted by fewer bits than C's type of it has: the program's, or int, of 16 or more.
   0: refused. */
static int irl__c_index_moves(irl__emit *e, const irl__c_index *s, const irl_expr *x)
{
    const int own = irl__type_info(s->type)->bits, bits = own < 16 ? 16 : own;
    if (x->op != IRL_OP_SHL && x->op != IRL_OP_SHR) return 1;
    irl__interval r = irl__range_of(e->ranges, x->a[1]);
    if (r.hi < bits) return 1;
    return irl__fail(e->cx, IRL_ERROR_INDEX_WIDTH, e->cx->here,
                     "%s is not proved to shift by less than %d, the most for %s in C",
                     irl_expr_text(e->cx, x), bits, s->name);
}

static int irl__c_index_fits(irl__emit *e, const irl_expr *x)
{
    const irl__c_index *s = &irl__c_program_of(e)->index;
    irl__interval       r = irl__range_of(e->ranges, x);
    if (!irl__c_index_moves(e, s, x)) return 0;
    if (irl__c_index_holds(s, r.lo) && irl__c_index_holds(s, r.hi)) return 1;
    if (irl__prove(e->ranges, irl_expr_op2(e->cx, IRL_OP_GE, x, irl_expr_index(e->cx, s->least))) &&
        irl__prove(e->ranges, irl_expr_op2(e->cx, IRL_OP_LE, x, irl_expr_index(e->cx, s->most))))
        return 1;
    if (irl__c_index_at_ends(e, s, x)) return 0;
    return irl__fail(e->cx, IRL_ERROR_INDEX_WIDTH, e->cx->here,
                     "%s is not proved to fit %s, %l to %l: it may be %l to %l",
                     irl_expr_text(e->cx, x), s->name, s->least, s->most, r.lo, r.hi);
}

/* ------------------------------------------------------------------ the order of a sum */

enum { IRL__C_INDEX_TERMS = 16 };

/* The terms that are added, [0], and those that are subtracted. */
typedef struct irl__c_index_sum {
    int             count[2];
    const irl_expr *terms[2][IRL__C_INDEX_TERMS];
} irl__c_index_sum;

static int irl__c_index_is_sum(const irl_expr *x)
{
    return x->op == IRL_OP_ADD || x->op == IRL_OP_SUB;
}

/* 0: more terms than there is room for. */
static int irl__c_index_collect(irl__c_index_sum *s, const irl_expr *x, int minus)
{
    if (irl__c_index_is_sum(x))
        return irl__c_index_collect(s, x->a[0], minus) &&
               irl__c_index_collect(s, x->a[1], minus ^ (x->op == IRL_OP_SUB));
    if (s->count[minus] == IRL__C_INDEX_TERMS) return 0;
    s->terms[minus][s->count[minus]++] = x;
    return 1;
}

/* Whether each sum on the way to x is by its range what the type holds. */
static int irl__c_index_holds_parts(irl__emit *e, const irl__c_index *s, const irl_expr *x)
{
    if (!irl__c_index_is_sum(x)) return 1;
    irl__interval r = irl__range_of(e->ranges, x);
    return r.lo > INT64_MIN && r.hi < INT64_MAX && irl__c_index_holds(s, r.lo) &&
           irl__c_index_holds(s, r.hi) && irl__c_index_holds_parts(e, s, x->a[0]) &&
           irl__c_index_holds_parts(e, s, x->a[1]);
}

/* x with all additions before the subtractions; x itself if it is no sum or that helps nothing. */
static const irl_expr *irl__c_index_ordered(irl__emit *e, const irl__c_index *s,
                                            const irl_expr *x)
{
    irl__c_index_sum sum;
    sum.count[0] = sum.count[1] = 0;
    if (!irl__c_index_is_sum(x) || x->type.lanes != 1 || irl__emit_find(e, x) ||
        irl__c_index_holds_parts(e, s, x) || !irl__c_index_collect(&sum, x, 0))
        return x;
    const irl_expr *y = sum.terms[0][0];
    for (int k = 1; y && k < sum.count[0]; k++)
        y = irl_expr_op2(e->cx, IRL_OP_ADD, y, sum.terms[0][k]);
    for (int k = 0; y && k < sum.count[1]; k++)
        y = irl_expr_op2(e->cx, IRL_OP_SUB, y, sum.terms[1][k]);
    return y && irl__c_index_holds_parts(e, s, y) ? y : x;
}

const irl_expr *irl__c_index_form(irl__emit *e, const irl_expr *x)
{
    x = irl__c_index_ordered(e, &irl__c_program_of(e)->index, x);
    return irl__c_index_fits(e, x) ? x : NULL;
}

int irl__c_index_params(irl__emit *e, const irl_func *f)
{
    const irl__c_index *s = &irl__c_program_of(e)->index;
    for (int j = 0; s->name && j < f->param_count; j++)
        if (!f->params[j].buffer && irl__type_is_index(f->params[j].var->type) &&
            !irl__bind_range(e->ranges, f->params[j].var, s->least, s->most))
            return 0;
    return 1;
}
