/* change_vars.c - variables, and their extents and strides: numbers, or formulas of parameters.

   needs     the simplifier
   promises  numbers do not go through the simplifier */
#include "change.h"

/* ------------------------------------------------------------------ numbers */

int irl__number_two(const irl_expr *a, const irl_expr *b)
{
    return a->op == IRL_OP_INT && b->op == IRL_OP_INT;
}

const irl_expr *irl__change_op(irl__change *c, irl_op op, const irl_expr *a, const irl_expr *b)
{
    return a && b && irl__ok(c->cx) ? irl_expr_op2(c->cx, op, a, b) : NULL;
}

static const irl_expr *irl__number_simplified(irl__change *c, irl_op op, const irl_expr *a,
                                              const irl_expr *b)
{
    const irl_expr *e = irl__change_op(c, op, a, b);
    return e ? irl__simplify(c->an, e) : NULL;
}

/* a op b by what computes it for numbers. */
static const irl_expr *irl__number_op(irl__change *c, irl_op op,
                                      int number(int64_t a, int64_t b, int64_t *out),
                                      const irl_expr *a, const irl_expr *b)
{
    int64_t v;
    if (!a || !b) return NULL;
    if (!irl__number_two(a, b)) return irl__number_simplified(c, op, a, b);
    return number(a->u.i, b->u.i, &v) ? irl_expr_index(c->cx, v) : NULL;
}

const irl_expr *irl__change_add(irl__change *c, const irl_expr *a, const irl_expr *b)
{
    return irl__number_op(c, IRL_OP_ADD, irl__add64, a, b);
}

const irl_expr *irl__change_sub(irl__change *c, const irl_expr *a, const irl_expr *b)
{
    return irl__number_op(c, IRL_OP_SUB, irl__sub64, a, b);
}

const irl_expr *irl__change_mul(irl__change *c, const irl_expr *a, const irl_expr *b)
{
    return irl__number_op(c, IRL_OP_MUL, irl__mul64, a, b);
}

const irl_expr *irl__change_quotient(irl__change *c, const irl_expr *a, const irl_expr *b)
{
    if (!a || !b) return NULL;
    if (b == c->one) return a;
    if (a == b) return c->one;
    if (irl__number_two(a, b))
        return b->u.i > 0 && a->u.i % b->u.i == 0 ? irl_expr_index(c->cx, a->u.i / b->u.i) : NULL;
    const irl_expr *rest = irl__number_simplified(c, IRL_OP_FLOORMOD, a, b);
    return rest && irl__is_int(rest, 0) ? irl__number_simplified(c, IRL_OP_FLOORDIV, a, b) : NULL;
}

const irl_expr *irl__change_ceil(irl__change *c, const irl_expr *a, const irl_expr *b)
{
    const irl_expr *whole = irl__change_quotient(c, a, b), *e;
    if (whole || !a || !b) return whole;
    if (irl__number_two(a, b)) return irl_expr_index(c->cx, (a->u.i - 1) / b->u.i + 1);
    e = irl__change_sub(c, irl__change_add(c, a, b), c->one);
    return e ? irl__number_simplified(c, IRL_OP_FLOORDIV, e, b) : NULL;
}

int irl__change_same(irl__change *c, const irl_expr *a, const irl_expr *b)
{
    if (!a || !b) return 0;
    return a == b || (!irl__number_two(a, b) && irl__prove_equal(c->an, a, b));
}

int irl__change_le(irl__change *c, const irl_expr *a, const irl_expr *b)
{
    if (!a || !b) return 0;
    if (a == b) return 1;
    if (irl__number_two(a, b)) return a->u.i <= b->u.i;
    const irl_expr *e = irl__change_op(c, IRL_OP_LE, a, b);
    return e && irl__prove(c->an, e);
}

/* t*d % m for 0 <= t < m, in parts of d where the product leaves 62 bits. */
const irl_expr *irl__change_times(irl__change *c, const irl_expr *t, int64_t d, int64_t m)
{
    const irl_expr *modulus = irl_expr_index(c->cx, m), *e = NULL, *part;
    int             bits = 1, shift = 0, total = 1;
    while (m >> bits) bits++;
    while (d >> total) total++;
    if (bits + total <= 62) shift = total;
    else shift = (61 - bits) < 8 ? 0 : 61 - bits;
    if (d == 1) return irl__change_op(c, IRL_OP_FLOORMOD, t, modulus);
    if (shift == 0) return NULL;
    for (total = (total + shift - 1) / shift * shift - shift; total >= 0; total -= shift) {
        int64_t digit = (d >> total) & ((INT64_C(1) << shift) - 1);
        part = irl__change_op(c, IRL_OP_MUL, t, irl_expr_index(c->cx, digit));
        if (e) e = irl__change_op(c, IRL_OP_MUL, e, irl_expr_index(c->cx, INT64_C(1) << shift));
        e = e ? irl__change_op(c, IRL_OP_ADD, e, part) : part;
        e = irl__change_op(c, IRL_OP_FLOORMOD, e, modulus);
        if (!e) return NULL;
    }
    return e;
}

/* ------------------------------------------------------------------ variables */

const irl_expr *irl__change_next(irl__change *c)
{
    if (!c->next) c->next = irl_expr_var(c->cx, "d", irl__type_index());
    return c->next;
}

static irl__change_var *irl__change_put(irl__change *c, const irl_expr *var, const irl_expr *extent)
{
    irl__change_var *v = &c->vars[c->count];
    if (c->count == c->capacity) return NULL;
    memset(v, 0, sizeof *v);
    v->var = var;
    v->extent = extent;
    c->count++;
    return v;
}

const irl_expr *irl__change_new(irl__change *c, const irl_expr *extent)
{
    const irl_expr *var = irl__change_next(c);
    if (!var || !extent || !irl__bind_extent(c->an, var, c->zero, extent)) return NULL;
    c->next = NULL;
    return irl__change_put(c, var, extent) ? var : NULL;
}

void irl__change_replace(irl__change *c, int k, const irl_expr *value, int checked)
{
    c->vars[k].value = value;
    c->vars[k].replaced = 1;
    c->vars[k].checked = (unsigned char)(checked != 0);
    c->loose |= checked;
    c->gone[c->gone_count++] = k;
}

int irl__change_check(irl__change *c, const irl_expr *condition)
{
    if (!condition || c->check_count == IRL__CHANGE_CHECKS) return 0;
    c->checks[c->check_count++] = condition;
    return 1;
}

/* The inputs that stand in e, which is no larger than what is looked at anyway. */
static void irl__change_mark(irl__change *c, const irl_expr *e, int *next)
{
    int n, k = *next;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->a[i]->flags & IRL__HAS_VAR) irl__change_mark(c, e->a[i], next);
    if (e->op != IRL_OP_VAR) return;
    for (n = 0; n < c->input_count; n++, k++) { /* they stand in a row, mostly */
        if (k >= c->input_count) k = 0;
        if (c->vars[k].var != e) continue;
        c->vars[k].spare = 0;
        *next = k + 1;
        return;
    }
}

static void irl__change_leave_out(irl__change *c, const irl_expr *e)
{
    int k, next = 0;
    if (e->size > IRL__CHANGE_NODES) return;
    for (k = 0; k < c->input_count; k++) c->vars[k].spare = 1;
    irl__change_mark(c, e, &next);
}

int irl__change_begin(irl__change *c, irl__analyzer *an, const irl_map *map,
                      const irl_expr *const *outputs, int output_count,
                      const irl_expr *const *extents, int steps)
{
    irl_ctx *cx = map->cx;
    memset(c, 0, offsetof(irl__change, outputs));
    c->cx = cx;
    c->capacity = steps ? IRL__CHANGE_VARS : map->input_count;
    c->an = an;
    c->zero = irl_expr_index(cx, 0);
    c->one = irl_expr_index(cx, 1);
    c->looks = IRL__CHANGE_LOOKS;
    c->vars = (irl__change_var *)irl__scratch_room(cx, (size_t)c->capacity + 1, sizeof *c->vars);
    if (!c->one || !c->vars) return 0;
    c->input_count = map->input_count;
    c->output_count = output_count;
    for (int k = 0; k < output_count; k++) c->outputs[k] = outputs[k];
    for (int k = 0; k < map->input_count; k++) {
        c->named |= extents[k]->op != IRL_OP_INT;
        (void)irl__change_put(c, map->inputs[k], extents[k]);
    }
    if (output_count == 1 && map->output_count > 1) irl__change_leave_out(c, outputs[0]);
    return irl__ok(cx);
}
