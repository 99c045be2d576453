/* parse_value.c - an expression while it is being read: numbers that have no type yet, and how they
   get one.

   needs     lex.c, the constructors of expr.c, scalar.c (numbers are computed by the operators' own
             rules), decimal.c
   promises  a number takes the type of the other operand, of the place where it is used, or index
             (f32 with a point), rounded once; if it does not fit, there is a diagnostic. Broadcasts
             and index casts that the text leaves out are inserted, so that the IR shows them */
#include "parse.h"

/* The type that an untyped number takes if nothing nearer says one; lanes 0 is none. */
irl_type irl__value_no_hint(void)
{
    irl_type t = irl__type_index();
    t.lanes = 0;
    return t;
}

irl_type irl__value_hint_of(irl_type t)
{
    if (t.is_pointer || t.scalar == IRL_BOOL) return irl__value_no_hint();
    return irl__type_with_lanes(t, 1);
}

irl__value irl__value_new(irl__value_kind kind, uint32_t offset)
{
    irl__value v;
    memset(&v, 0, sizeof v);
    v.kind = kind;
    v.offset = offset;
    return v;
}

irl__value irl__value_none(irl__parser *p)
{
    return irl__value_new(IRL__VALUE_NONE, p->token.offset);
}

/* What stands beside a value with a type takes that type. */
irl_type irl__value_hint_beside(const irl__value *v, irl_type hint)
{
    return v->kind == IRL__VALUE_TYPED ? irl__value_hint_of(v->e->type) : hint;
}

/* Takes what a constructor gave; if that is a failure, it happened here. */
irl__value irl__value_of(irl__parser *p, const irl_expr *e, uint32_t offset)
{
    irl__value v = irl__value_new(e ? IRL__VALUE_TYPED : IRL__VALUE_NONE, offset);
    v.e = e;
    if (!e) irl__failed_at(p, offset);
    return v;
}

int irl__value_is_number(const irl__value *v)
{
    return v->kind == IRL__VALUE_INTEGER || v->kind == IRL__VALUE_DECIMAL;
}

/* ------------------------------------------------------------------ untyped numbers */

/* The value as int64_t; false when it does not fit. */
static int irl__value_int64(const irl__value *v, int64_t *out)
{
    if (v->magnitude > (uint64_t)INT64_MAX + (uint64_t)v->is_negative) return 0;
    *out = v->is_negative ? (int64_t)(0 - v->magnitude) : (int64_t)v->magnitude;
    return 1;
}

static double irl__value_double(const irl__value *v)
{
    if (v->kind == IRL__VALUE_DECIMAL) return v->number;
    return v->is_negative ? -(double)v->magnitude : (double)v->magnitude;
}

static int irl__value_fits(const irl__value *v, irl_type type, int64_t *out)
{
    int bits = irl__type_info(type)->bits;
    if (irl__type_info(type)->kind == IRL_KIND_UINT || type.scalar == IRL_BOOL) {
        if ((v->is_negative && v->magnitude) || (bits < 64 && v->magnitude >> bits)) return 0;
        *out = (int64_t)v->magnitude;
        return 1;
    }
    if (!irl__value_int64(v, out)) return 0;
    return irl__wrap_int(type, *out) == *out;
}

/* A floating point constant of an integer or a decimal. A numeral is rounded once, to the type that
   it ends up with. */
const irl_expr *irl__value_float(irl__parser *p, const irl__value *v, irl_type type)
{
    double value = irl__value_double(v);
    int    fits = 1;
    if (v->length) {
        fits = irl__decimal_read(v->numeral, v->length, type, &value);
        if (v->is_negative) value = -value;
    }
    value = irl__round_float(type, value);
    if (!fits || (value - value != 0 && !v->is_special)) {
        IRL__FAIL_AT(p, IRL_ERROR_OVERFLOW, v->offset, "this number is too large for %s",
                     irl__type_cstr(p->cx, type));
        return NULL;
    }
    if (p->warner.number) p->warner.number(p, v, type, value);
    return irl_expr_float(p->cx, type, value);
}

/* A narrow integer that is computed would wrap before it is cast: its parts are cast instead. NULL:
   it is none. */
static const char *irl__value_widened(irl__parser *p, const irl_expr *e, irl_type type)
{
    if (!e || e->count != 2 || e->type.lanes != 1 || type.lanes != 1 ||
        !irl__type_is_integer(e->type) || !irl__type_is_integer(type) ||
        irl__type_info(e->type)->bits >= irl__type_info(type)->bits)
        return NULL;
    const irl_expr *wide = irl__widened(p->cx, e, type);
    return wide && wide->op == e->op ? irl_expr_text(p->cx, wide) : NULL;
}

int irl__value_mismatch(irl__parser *p, const irl__value *v, irl_type type, const char *found)
{
    const irl_expr *e = v->kind == IRL__VALUE_TYPED ? v->e : NULL;
    const char     *wide = irl__value_widened(p, e, type);
    char            x[64];
    IRL__FAIL_AT(p, IRL_ERROR_TYPE_MISMATCH, v->offset, "%s is expected here; found %s%s",
                 irl__type_cstr(p->cx, type), found, irl__hides(p, e));
    if (!e && !type.is_pointer)
        return irl__hint(p->cx, type.scalar == IRL_BOOL ? "write true or false"
                                                        : "write a whole number");
    if (!e || e->type.lanes != 1 || type.lanes != 1 || e->type.is_pointer || type.is_pointer)
        return 0;
    if (wide) return irl__hint(p->cx, "write %s", wide);
    irl__hint_operand(p->text, v->offset, p->token_end, x, sizeof x);
    if (type.scalar != IRL_BOOL)
        return irl__hint(p->cx, "write %s(%s)", irl__type_cstr(p->cx, type), x);
    return e->op == IRL_OP_VAR || e->op == IRL_OP_LOAD ? irl__hint(p->cx, "write %s != 0", x)
                                                       : irl__hint(p->cx, "write (%s) != 0", x);
}

/* The number as a constant of a type, repeated in all its lanes. */
const irl_expr *irl__value_constant(irl__parser *p, const irl__value *v, irl_type type)
{
    irl_type        scalar = irl__type_with_lanes(type, 1);
    const irl_expr *e = NULL;
    int64_t         i = 0;
    if (irl__type_is_real(type)) e = irl__value_float(p, v, scalar);
    else if (v->kind == IRL__VALUE_DECIMAL || type.is_pointer || type.scalar == IRL_BOOL)
        irl__value_mismatch(p, v, type,
                            v->kind == IRL__VALUE_DECIMAL ? "a number with a point" : "an integer");
    else if (!irl__value_fits(v, type, &i))
        IRL__FAIL_AT(p, IRL_ERROR_OVERFLOW, v->offset, "%s%u does not fit %s",
                     v->is_negative ? "-" : "", v->magnitude, irl__type_cstr(p->cx, scalar));
    else e = irl_expr_int(p->cx, scalar, i);
    e = irl__expr_named(p->cx, e, v->name, IRL__NAMED_NUMBER);
    return e && type.lanes > 1 ? irl_expr_broadcast(p->cx, e, (int)type.lanes) : e;
}

/* ------------------------------------------------------------------ giving types */

/* The value as one of `type` where the text may leave out how: numbers, a scalar for a vector, an
   integer for an index. What does not fit so stays as it is, for the caller's check. */
const irl_expr *irl__value_as(irl__parser *p, const irl__value *v, irl_type type)
{
    const irl_expr *e = v->e;
    if (irl__value_is_number(v)) return irl__value_constant(p, v, type);
    if (!e || irl_type_equal(e->type, type)) return e;
    if (type.is_pointer || e->type.is_pointer) return e;
    if (type.scalar == IRL_INDEX && e->type.scalar != IRL_INDEX && irl__type_is_integer(e->type))
        e = irl_expr_cast(p->cx, irl__type_with_lanes(type, e->type.lanes), e);
    if (e && e->type.lanes == 1 && type.lanes > 1 && e->type.scalar == type.scalar)
        e = irl_expr_broadcast(p->cx, e, (int)type.lanes);
    return e;
}

/* The value with the type it has, or the hint's, or the usual one of a number. */
const irl_expr *irl__value_settle(irl__parser *p, const irl__value *v, irl_type hint)
{
    if (!irl__value_is_number(v)) return v->e;
    if (hint.lanes == 0 || (v->kind == IRL__VALUE_DECIMAL && irl__type_is_integer(hint)))
        hint = v->kind == IRL__VALUE_DECIMAL ? irl_type_of(IRL_F32, 1) : irl__type_index();
    return irl__value_constant(p, v, hint);
}

/* The one type that operands beside each other take; false if all are untyped numbers. */
static int irl__value_common_type(int count, const irl__value *v, irl_type *type)
{
    uint32_t lanes = 1;
    int      k, found = 0;
    for (k = 0; k < count; k++) {
        if (v[k].kind != IRL__VALUE_TYPED) continue;
        if (!found || (v[k].e->type.scalar == IRL_INDEX && irl__type_is_integer(*type)))
            *type = v[k].e->type;
        if (v[k].e->type.lanes > lanes) lanes = v[k].e->type.lanes;
        found = 1;
    }
    if (found) type->lanes = lanes;
    return found;
}

/* Makes operands alike as far as the text may leave it out. */
int irl__value_unify(irl__parser *p, int count, const irl__value *v, irl_type hint,
                     const irl_expr **out)
{
    irl_type type;
    int      k, decimal = 0;
    for (k = 0; k < count; k++) {
        if (v[k].kind == IRL__VALUE_NONE) return 0;
        decimal |= v[k].kind == IRL__VALUE_DECIMAL;
    }
    if (!irl__value_common_type(count, v, &type)) {
        type = hint;
        if (hint.lanes == 0 || (decimal && irl__type_is_integer(hint)))
            type = decimal ? irl_type_of(IRL_F32, 1) : irl__type_index();
    }
    for (k = 0; k < count; k++) {
        /* a decimal beside an integer is a float: the caller says which of the two to cast */
        out[k] = v[k].kind == IRL__VALUE_DECIMAL && !irl__type_is_real(type)
                     ? irl__value_settle(p, &v[k], hint)
                     : irl__value_as(p, &v[k], type);
        if (!out[k]) return irl__failed_at(p, v[k].offset);
    }
    return 1;
}

/* ---------------------------------------------------- operators on untyped numbers: computed */

static irl__value irl__value_fold_result(irl__parser *p, irl_op op, irl_type type, irl__scalar s,
                                         int is_special, uint32_t offset)
{
    irl__value v =
        irl__value_new(type.scalar == IRL_INDEX ? IRL__VALUE_INTEGER : IRL__VALUE_DECIMAL, offset);
    if (irl__op_info(op)->rule == IRL__COMPARE)
        return irl__value_of(p, irl__bool(p->cx, s.i != 0), offset);
    v.number = s.f;
    v.is_special = is_special;
    if (v.kind == IRL__VALUE_INTEGER) {
        v.is_negative = s.i < 0;
        v.magnitude = s.i < 0 ? 0 - (uint64_t)s.i : (uint64_t)s.i;
        v.number = 0;
    }
    return v;
}

/* Where an integer that was computed has lost a fraction. */
static void irl__value_cut(const irl__parser *p, irl_op op, int count, const irl__value *v,
                           irl__value *made)
{
    if (made->kind != IRL__VALUE_INTEGER) return;
    for (int k = 0; k < count; k++)
        if (v[k].cut) made->cut = v[k].cut;
    if (op != IRL_OP_FLOORDIV || v[0].magnitude % v[1].magnitude == 0) return;
    irl__cut_at *cut = (irl__cut_at *)irl__alloc(p->cx, sizeof *cut);
    if (!cut) return;
    cut->at = irl__loc_at(p, v[0].offset);
    cut->end = p->token_end;
    made->cut = cut;
}

/* Exact in 64 bits for integers, in f64 for decimals; kind NONE with a diagnostic if it has no
   value. */
static irl__value irl__value_fold(irl__parser *p, irl_op op, int count, const irl__value *v,
                                  uint32_t where)
{
    irl_type    type = irl__type_index();
    irl__scalar a[3], s;
    int         is_special = 0;
    for (int k = 0; k < count; k++) {
        if (v[k].kind == IRL__VALUE_DECIMAL) type = irl_type_of(IRL_F64, 1);
        is_special |= v[k].is_special;
    }
    for (int k = 0; k < count; k++) {
        if (type.scalar == IRL_F64) {
            a[k].f = irl__value_double(&v[k]);
            if (p->warner.number) p->warner.number(p, &v[k], type, a[k].f);
        }
        else if (!irl__value_int64(&v[k], &a[k].i)) {
            IRL__FAIL_AT(p, IRL_ERROR_OVERFLOW, v[k].offset, "this integer does not fit 63 bits; "
                         "as an operand write u64(...)");
            return irl__value_new(IRL__VALUE_NONE, where);
        }
    }
    if (op == IRL_OP_FLOORDIV && type.scalar == IRL_F64) op = IRL_OP_DIV;
    if (op == IRL_OP_DIV && type.scalar == IRL_INDEX) op = IRL_OP_FLOORDIV;
    irl__fold_status status = irl__fold_number(op, type, a, &s);
    if (status == IRL__FOLD_OK) {
        irl__value made =
            irl__value_fold_result(p, op, type, s, is_special, v[0].offset);
        irl__value_cut(p, op, count, v, &made);
        return made;
    }
    const char *text = irl__op_info(op)->text;
    if (status == IRL__FOLD_ZERO_DIVISION)
        IRL__FAIL_AT(p, IRL_ERROR_DIVISION_BY_ZERO, where, "a division of numbers by zero");
    else if (status == IRL__FOLD_NO_RULE)
        IRL__FAIL_AT(p, IRL_ERROR_TYPE_MISMATCH, where, "%s does not take numbers with a point",
                     text);
    else IRL__FAIL_AT(p, IRL_ERROR_OVERFLOW, where, "the numbers' %s does not fit 63 bits", text);
    return irl__value_new(IRL__VALUE_NONE, where);
}

static int irl__value_all_numbers(int count, const irl__value *v)
{
    for (int k = 0; k < count; k++)
        if (!irl__value_is_number(&v[k])) return 0;
    return 1;
}

/* Operators that numbers are computed with; the functions of floats need a type first. */
static int irl__value_op_folds(irl_op op)
{
    irl__rule rule = irl__op_info(op)->rule;
    return rule == IRL__SAME_ARITH || rule == IRL__SAME_INT || rule == IRL__SAME_BITS ||
           rule == IRL__COMPARE || op == IRL_OP_DIV;
}

/* Operands of two types, one of them a variable that hides another: said, for it is the likely
   reason. */
static int irl__value_hides(irl__parser *p, irl_op op, int count, const irl_expr *const *a,
                            uint32_t where)
{
    if (count != 2 || !a[0] || !a[1] || irl_type_equal(a[0]->type, a[1]->type)) return 0;
    const char *said = irl__hides(p, a[0]);
    if (!*said) said = irl__hides(p, a[1]);
    if (!*said) return 0;
    IRL__FAIL_AT(p, IRL_ERROR_TYPE_MISMATCH, where, "the operands of %s must have one type; found "
                 "%s and %s%s", irl__op_info(op)->text, irl__type_cstr(p->cx, a[0]->type),
                 irl__type_cstr(p->cx, a[1]->type), said);
    return 1;
}

irl__value irl__value_apply(irl__parser *p, irl_op op, int count, const irl__value *v,
                            irl_type hint, uint32_t where)
{
    const irl_expr *a[3];
    if (!p->as_c && irl__value_op_folds(op) && irl__value_all_numbers(count, v))
        return irl__value_fold(p, op, count, v, where);
    if (irl__op_info(op)->rule == IRL__SAME_FLOAT && op != IRL_OP_DIV && !irl__type_is_float(hint))
        hint = irl_type_of(IRL_F32, 1);
    if (!irl__value_unify(p, count, v, hint, a)) return irl__value_new(IRL__VALUE_NONE, where);
    if (op == IRL_OP_DIV && irl__type_is_integer(a[0]->type) && !irl__type_is_float(a[1]->type))
        op = IRL_OP_FLOORDIV;
    if (irl__value_hides(p, op, count, a, where)) return irl__value_new(IRL__VALUE_NONE, where);
    const int  was_ok = irl__ok(p->cx);
    irl__value result =
        irl__value_of(p, irl__expr_op(p->cx, op, count, a, irl__loc_at(p, where)), where);
    if (was_ok && p->cx->diag.code == IRL_ERROR_TYPE_MISMATCH && p->warner.operands)
        p->warner.operands(p, op, count, a, v, where);
    result.offset = v[0].offset;
    return result;
}
