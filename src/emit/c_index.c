/* c_index.c - C in which every index has one type, which the user chooses.

   needs     a language in C; map, which evaluates; the ranges of the variables in scope
   promises  each index that is printed, and each part of one, is proved to fit the type, or it is
             refused: with a point at which it does not fit, if one is found at the ends of the
             variables' ranges. If a part of a sum leaves the type, the sum is printed in another
             form that does not, if there is one: x - y + 9 as x + 9 - y, (3 - y) / 8 + 9 as (91 -
             y) / 8 - 2. An index parameter is assumed to fit the type */
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
                     "%s is not proved to shift by less than %d, the limit for %s in C",
                     irl_expr_text(e->cx, x), bits, s->name);
}

static int irl__c_index_fits(irl__emit *e, const irl_expr *x)
{
    const irl__c_index *s = &irl__c_program_of(e)->index;
    irl__interval       r = irl__range_of(e->ranges, x);
    if (!irl__c_index_moves(e, s, x)) return 0;
    if (irl__c_index_holds(s, r.lo) && irl__c_index_holds(s, r.hi)) return 1;
    if (irl__prove(e->ranges, irl__op_number(e->cx, IRL_OP_GE, x, s->least)) &&
        irl__prove(e->ranges, irl__op_number(e->cx, IRL_OP_LE, x, s->most)))
        return 1;
    if (irl__c_index_at_ends(e, s, x)) return 0;
    return irl__fail(e->cx, IRL_ERROR_INDEX_WIDTH, e->cx->here,
                     "%s is not proved to fit %s, %l to %l: it may be %l to %l",
                     irl_expr_text(e->cx, x), s->name, s->least, s->most, r.lo, r.hi);
}

/* ------------------------------------------------------------------ a sum in another form */

enum { IRL__C_INDEX_TERMS = 16 };

/* The terms that are added, [0], and those that are subtracted; and a number. */
typedef struct irl__c_index_sum {
    int             count[2];
    const irl_expr *terms[2][IRL__C_INDEX_TERMS];
    int64_t         number;
} irl__c_index_sum;

static int irl__c_index_is_sum(const irl_expr *x)
{
    return x->op == IRL_OP_ADD || x->op == IRL_OP_SUB;
}

const irl_expr *irl__c_index_raised(irl__emit *e, const irl_expr *x, int64_t *by)
{
    *by = 0;
    if ((x->op != IRL_OP_FLOORDIV && x->op != IRL_OP_FLOORMOD) || x->a[1]->op != IRL_OP_INT ||
        x->a[1]->u.i <= 0 || x->type.lanes != 1 || irl__emit_find(e, x))
        return x;
    const int64_t c = x->a[1]->u.i, lo = irl__range_of(e->ranges, x->a[0]).lo;
    if (lo >= 0 || lo < -INT32_MAX || c > INT32_MAX) return x;
    *by = (c - 1 - lo) / c;
    const irl_expr *dividend =
        irl__simplify(e->ranges, irl__op_number(e->cx, IRL_OP_ADD, x->a[0], *by * c));
    return irl_expr_op2(e->cx, (irl_op)x->op, dividend, x->a[1]);
}

/* 0: more terms than there is room for, or a number too large. */
static int irl__c_index_collect(irl__emit *e, irl__c_index_sum *s, const irl_expr *x, int minus)
{
    int64_t         by, m = 1;
    if (irl__c_index_is_sum(x))
        return irl__c_index_collect(e, s, x->a[0], minus) &&
               irl__c_index_collect(e, s, x->a[1], minus ^ (x->op == IRL_OP_SUB));
    if (x->op == IRL_OP_INT)
        return minus ? irl__sub64(s->number, x->u.i, &s->number)
                     : irl__add64(s->number, x->u.i, &s->number);
    const int is_product = x->op == IRL_OP_MUL && x->a[1]->op == IRL_OP_INT;
    if (is_product) m = x->a[1]->u.i;
    const irl_expr *part = is_product ? x->a[0] : x, *raised = part;
    if (part->op == IRL_OP_FLOORDIV) {
        raised = irl__c_index_raised(e, part, &by);
        if (!irl__mul64(by, m, &by) || !(minus ? irl__add64(s->number, by, &s->number)
                                               : irl__sub64(s->number, by, &s->number)))
            return 0;
    }
    if (raised != part)
        x = is_product ? irl_expr_op2(e->cx, IRL_OP_MUL, raised, x->a[1]) : raised;
    if (!x || s->count[minus] == IRL__C_INDEX_TERMS) return 0;
    s->terms[minus][s->count[minus]++] = x;
    return 1;
}

/* Whether x, a sum, each sum on the way to it and each term is by its range what the type holds. */
static int irl__c_index_holds_parts(irl__emit *e, const irl__c_index *s, const irl_expr *x)
{
    irl__interval r = irl__range_of(e->ranges, x);
    if (r.lo == INT64_MIN || r.hi == INT64_MAX || !irl__c_index_holds(s, r.lo) ||
        !irl__c_index_holds(s, r.hi))
        return 0;
    return !irl__c_index_is_sum(x) || (irl__c_index_holds_parts(e, s, x->a[0]) &&
                                       irl__c_index_holds_parts(e, s, x->a[1]));
}

static const irl_expr *irl__c_index_joined(irl__emit *e, irl_op op, const irl_expr *x,
                                           const irl_expr *term)
{
    return x ? irl_expr_op2(e->cx, op, x, term) : op == IRL_OP_ADD ? term : NULL;
}

/* x with all additions before the subtractions, and no negative dividends; x itself if it is no sum
   or that helps nothing. */
static const irl_expr *irl__c_index_ordered(irl__emit *e, const irl__c_index *s,
                                            const irl_expr *x)
{
    irl__c_index_sum sum;
    const irl_expr  *y = NULL;
    memset(&sum, 0, sizeof sum);
    if (!irl__c_index_is_sum(x) || x->type.lanes != 1 || irl__emit_find(e, x) ||
        irl__c_index_holds_parts(e, s, x) || !irl__c_index_collect(e, &sum, x, 0))
        return x;
    for (int k = 0; k < sum.count[0]; k++)
        y = irl__c_index_joined(e, IRL_OP_ADD, y, sum.terms[0][k]);
    if (sum.number > 0)
        y = irl__c_index_joined(e, IRL_OP_ADD, y, irl_expr_index(e->cx, sum.number));
    for (int k = 0; k < sum.count[1]; k++)
        y = irl__c_index_joined(e, IRL_OP_SUB, y, sum.terms[1][k]);
    if (sum.number < 0 && sum.number != INT64_MIN)
        y = irl__c_index_joined(e, IRL_OP_SUB, y, irl_expr_index(e->cx, -sum.number));
    return y && sum.number != INT64_MIN && irl__c_index_holds_parts(e, s, y) ? y : x;
}

const irl_expr *irl__c_index_form(irl__emit *e, const irl_expr *x)
{
    int64_t             by;
    const irl__c_index *s = &irl__c_program_of(e)->index;
    if (x->op != IRL_OP_FLOORMOD) x = irl__c_index_ordered(e, s, x);
    else if (s->least == 0) x = irl__c_index_raised(e, x, &by);
    return x && irl__c_index_fits(e, x) ? x : NULL;
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
