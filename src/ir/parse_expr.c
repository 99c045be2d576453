/* parse_expr.c - reading types, expressions and maps.

   needs     lex.c, the constructors of expr.c, scalar.c (untyped numbers are computed)
   promises  an untyped number takes the type of the other operand, of the place it goes to, or index (f32 with a point);
             broadcasts and index casts that the text leaves out are put in, so that the IR shows them; recursion is bounded */
#include "parse.h"

/* What an expression is while it is being read: an expression of the IR, or a number without a type yet. */
typedef enum irl__value_kind { IRL__VALUE_NONE, IRL__VALUE_TYPED, IRL__VALUE_INTEGER, IRL__VALUE_DECIMAL } irl__value_kind;

typedef struct irl__value {
    irl__value_kind kind;
    uint32_t        offset;    /* of its first token, for diagnostics */
    const irl_expr *e;         /* TYPED */
    uint64_t        magnitude; /* INTEGER: with the sign apart, so that both i64's least and u64's greatest fit */
    int             is_negative;
    double          number;    /* DECIMAL, as f64 */
    uint32_t        length;    /* DECIMAL: of the numeral at `numeral`; 0 if it was computed */
    uint32_t        numeral;
} irl__value;

/* The type that an untyped number takes if nothing nearer says one; lanes 0 is none. */
static irl_type irl__parse_no_hint(void)
{
    irl_type t = irl__type_index();
    t.lanes = 0;
    return t;
}

static irl_type irl__parse_hint_of(irl_type t)
{
    if (t.is_pointer || t.scalar == IRL_BOOL) return irl__parse_no_hint();
    return irl__type_with_lanes(t, 1);
}

static irl__value irl__parse_value(irl__parser *p, irl_type hint);

static irl__value irl__value_new(irl__value_kind kind, uint32_t offset)
{
    irl__value v;
    memset(&v, 0, sizeof v);
    v.kind = kind;
    v.offset = offset;
    return v;
}

/* What stands beside a value with a type takes that type. */
static irl_type irl__parse_hint_beside(const irl__value *v, irl_type hint)
{
    return v->kind == IRL__VALUE_TYPED ? irl__parse_hint_of(v->e->type) : hint;
}

/* Takes what a constructor gave; if that is a failure, it happened here. */
static irl__value irl__value_of(irl__parser *p, const irl_expr *e, uint32_t offset)
{
    irl__value v = irl__value_new(e ? IRL__VALUE_TYPED : IRL__VALUE_NONE, offset);
    v.e = e;
    if (!e) irl__failed_at(p, offset);
    return v;
}

static int irl__value_is_number(const irl__value *v) { return v->kind == IRL__VALUE_INTEGER || v->kind == IRL__VALUE_DECIMAL; }

int irl__push_expr(irl__parser *p, const irl_expr *e)
{
    if (!e) return 0;
    if (p->expr_count == p->expr_capacity) {
        const irl_expr **grown = (const irl_expr **)irl__stack_grow(p->cx, p->exprs, p->expr_count, &p->expr_capacity, sizeof *grown);
        if (!grown) return 0;
        p->exprs = grown;
    }
    p->exprs[p->expr_count++] = e;
    return 1;
}

/* ------------------------------------------------------------------ types, scopes, axes */

int irl__parse_type(irl__parser *p, irl_type *type)
{
    irl_scope scope = IRL_SCOPE_GLOBAL;
    if (irl__at_word(p, IRL__WORD_PTR)) {
        irl__next(p);
        if (!irl__expect(p, '(', "'(' after ptr") || !irl__parse_type(p, type) || !irl__expect(p, ',', "',' and a scope: ptr(f32, global)") ||
            !irl__parse_scope_name(p, &scope) || !irl__expect(p, ')', "')' after the scope of ptr"))
            return 0;
        *type = irl_pointer_to(*type, scope);
        return 1;
    }
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "a type");
    if (!p->token.symbol->is_type || p->token.is_quoted) {
        if (!irl__ok(p->cx)) return 0;
        return irl__fail(p->cx, IRL_ERROR_BAD_TYPE, irl__here(p), "'%s' is not a type", irl__token_name(p));
    }
    *type = p->token.symbol->type;
    irl__next(p);
    return 1;
}

/* Two names with a sign between, as in group.x and texture:weight; the second may be missing. */
static int irl__parse_joined(irl__parser *p, int sign, char *out, size_t capacity, const char *expected)
{
    irl__text t;
    irl__text_init_fixed(&t, out, capacity);
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, expected);
    irl__text_append(&t, p->token.symbol->text, p->token.symbol->length);
    irl__next(p);
    if (p->token.kind != sign) return 1;
    irl__text_putc(&t, (char)sign);
    irl__next(p);
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, expected);
    irl__text_append(&t, p->token.symbol->text, p->token.symbol->length);
    irl__next(p);
    return 1;
}

int irl__parse_scope_name(irl__parser *p, irl_scope *scope)
{
    char     name[32];
    uint32_t offset = p->token.offset;
    int      k;
    if (!irl__parse_joined(p, ':', name, sizeof name, "a scope, such as global, shared, local")) return 0;
    for (k = 0; k < (int)IRL__SCOPE_COUNT; k++)
        if (strcmp(irl__scope_text((irl_scope)k), name) == 0) {
            *scope = (irl_scope)k;
            return 1;
        }
    return irl__fail(p->cx, IRL_ERROR_SYNTAX, irl__loc_at(p, offset),
                     "'%s' is not a scope: global, shared, local, constant, texture, texture:weight are", name);
}

int irl__parse_axis_name(irl__parser *p, irl_axis *axis)
{
    char     name[32];
    uint32_t offset = p->token.offset;
    int      k;
    if (!irl__parse_joined(p, '.', name, sizeof name, "a thread axis, such as group.x or local.x")) return 0;
    for (k = 0; k < (int)IRL__AXIS_COUNT; k++)
        if (strcmp(irl__axis_text((irl_axis)k), name) == 0) {
            *axis = (irl_axis)k;
            return 1;
        }
    return irl__fail(p->cx, IRL_ERROR_SYNTAX, irl__loc_at(p, offset),
                     "'%s' is not a thread axis: group, local and global each have .x, .y and .z", name);
}

int irl__parse_count(irl__parser *p, int least, int most, const char *what, int *out)
{
    uint64_t n = p->token.integer;
    if (p->token.kind != IRL__TOKEN_INTEGER) return irl__unexpected(p, what);
    if (n > (uint64_t)most || n < (uint64_t)least)
        return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, irl__here(p), "%s is from %d to %d; found %u", what, least, most, n);
    *out = (int)n;
    irl__next(p);
    return 1;
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
    if (irl__type_info(type)->kind == IRL__UINT || type.scalar == IRL_BOOL) {
        if ((v->is_negative && v->magnitude) || (bits < 64 && v->magnitude >> bits)) return 0;
        *out = (int64_t)v->magnitude;
        return 1;
    }
    if (!irl__value_int64(v, out)) return 0;
    return irl__wrap_int(type, *out) == *out;
}

/* A floating point constant of an integer or a decimal. A numeral is rounded once, to the type that it ends up with. */
static const irl_expr *irl__value_float(irl__parser *p, const irl__value *v, irl_type type)
{
    double value = irl__value_double(v);
    int    fits = 1;
    if (v->length) {
        fits = irl__decimal_read(p->text + v->numeral, v->length, type, &value);
        if (v->is_negative) value = -value;
    }
    value = irl__round_float(type, value);
    if (!fits || value - value != 0) {
        irl__fail(p->cx, IRL_ERROR_OVERFLOW, irl__loc_at(p, v->offset), "this number is too large for %s", irl__type_cstr(p->cx, type));
        return NULL;
    }
    return irl_float(p->cx, type, value);
}

static int irl__value_mismatch(irl__parser *p, const irl__value *v, irl_type type, const char *found)
{
    return irl__fail(p->cx, IRL_ERROR_TYPE_MISMATCH, irl__loc_at(p, v->offset), "%s is expected here; found %s",
                     irl__type_cstr(p->cx, type), found);
}

/* The number as a constant of a type, repeated in all its lanes. */
static const irl_expr *irl__value_constant(irl__parser *p, const irl__value *v, irl_type type)
{
    irl_type        scalar = irl__type_with_lanes(type, 1);
    const irl_expr *e = NULL;
    int64_t         i = 0;
    if (irl__type_is_float(type) || irl__type_is_storage(type)) e = irl__value_float(p, v, scalar);
    else if (v->kind == IRL__VALUE_DECIMAL || type.is_pointer || type.scalar == IRL_BOOL)
        irl__value_mismatch(p, v, type, v->kind == IRL__VALUE_DECIMAL ? "a number with a point" : "an integer");
    else if (!irl__value_fits(v, type, &i))
        irl__fail(p->cx, IRL_ERROR_OVERFLOW, irl__loc_at(p, v->offset), "this integer does not fit %s", irl__type_cstr(p->cx, scalar));
    else e = irl_int(p->cx, scalar, i);
    return e && type.lanes > 1 ? irl_broadcast(p->cx, e, (int)type.lanes) : e;
}

/* ------------------------------------------------------------------ giving types */

/* The value as one of `type` where the text may leave out how: numbers, a scalar for a vector, an integer for an index.
   What does not fit so stays as it is, for the caller's check. */
static const irl_expr *irl__value_as(irl__parser *p, const irl__value *v, irl_type type)
{
    const irl_expr *e = v->e;
    if (irl__value_is_number(v)) return irl__value_constant(p, v, type);
    if (!e || irl_type_equal(e->type, type)) return e;
    if (type.is_pointer || e->type.is_pointer) return e;
    if (type.scalar == IRL_INDEX && e->type.scalar != IRL_INDEX && irl__type_is_integer(e->type))
        e = irl_cast(p->cx, irl__type_with_lanes(type, e->type.lanes), e);
    if (e && e->type.lanes == 1 && type.lanes > 1 && e->type.scalar == type.scalar) e = irl_broadcast(p->cx, e, (int)type.lanes);
    return e;
}

/* The value with the type it has, or the hint's, or the usual one of a number. */
static const irl_expr *irl__value_settle(irl__parser *p, const irl__value *v, irl_type hint)
{
    if (!irl__value_is_number(v)) return v->e;
    if (hint.lanes == 0 || (v->kind == IRL__VALUE_DECIMAL && irl__type_is_integer(hint)))
        hint = v->kind == IRL__VALUE_DECIMAL ? irl_type_of(IRL_F32, 1) : irl__type_index();
    return irl__value_constant(p, v, hint);
}

/* The one type that operands beside each other take; false if all are untyped numbers. */
static int irl__parse_common_type(int count, const irl__value *v, irl_type *type)
{
    uint32_t lanes = 1;
    int      k, found = 0;
    for (k = 0; k < count; k++) {
        if (v[k].kind != IRL__VALUE_TYPED) continue;
        if (!found || (v[k].e->type.scalar == IRL_INDEX && irl__type_is_integer(*type))) *type = v[k].e->type;
        if (v[k].e->type.lanes > lanes) lanes = v[k].e->type.lanes;
        found = 1;
    }
    if (found) type->lanes = lanes;
    return found;
}

/* Makes operands alike as far as the text may leave it out. */
static int irl__parse_unify(irl__parser *p, int count, const irl__value *v, irl_type hint, const irl_expr **out)
{
    irl_type type;
    int      k, decimal = 0;
    for (k = 0; k < count; k++) {
        if (v[k].kind == IRL__VALUE_NONE) return 0;
        decimal |= v[k].kind == IRL__VALUE_DECIMAL;
    }
    if (!irl__parse_common_type(count, v, &type)) {
        type = hint;
        if (hint.lanes == 0 || (decimal && irl__type_is_integer(hint))) type = decimal ? irl_type_of(IRL_F32, 1) : irl__type_index();
    }
    for (k = 0; k < count; k++) {
        out[k] = irl__value_as(p, &v[k], type);
        if (!out[k]) return irl__failed_at(p, v[k].offset);
    }
    return 1;
}

/* ------------------------------------------------------------------ operators on untyped numbers: computed */

static irl__value irl__parse_fold_result(irl__parser *p, irl_op op, irl_type type, irl__scalar s, uint32_t offset)
{
    irl__value v = irl__value_new(type.scalar == IRL_INDEX ? IRL__VALUE_INTEGER : IRL__VALUE_DECIMAL, offset);
    if (irl__op_info(op)->rule == IRL__COMPARE) return irl__value_of(p, irl__bool(p->cx, s.i != 0), offset);
    v.number = s.f;
    if (v.kind == IRL__VALUE_INTEGER) {
        v.is_negative = s.i < 0;
        v.magnitude = s.i < 0 ? 0 - (uint64_t)s.i : (uint64_t)s.i;
        v.number = 0;
    }
    return v;
}

/* Exact in 64 bits for integers, in f64 for decimals; kind NONE with a diagnostic if it has no value. */
static irl__value irl__parse_fold(irl__parser *p, irl_op op, int count, const irl__value *v, uint32_t where)
{
    irl_type         type = irl__type_index();
    irl__scalar      a[3], s;
    irl__eval_status status;
    int              k;
    for (k = 0; k < count; k++)
        if (v[k].kind == IRL__VALUE_DECIMAL) type = irl_type_of(IRL_F64, 1);
    for (k = 0; k < count; k++) {
        if (type.scalar == IRL_F64) a[k].f = irl__value_double(&v[k]);
        else if (!irl__value_int64(&v[k], &a[k].i)) {
            irl__fail(p->cx, IRL_ERROR_OVERFLOW, irl__loc_at(p, v[k].offset), "this integer does not fit 63 bits; as an operand write u64(...)");
            return irl__value_new(IRL__VALUE_NONE, where);
        }
    }
    if (op == IRL_OP_FLOORDIV && type.scalar == IRL_F64) op = IRL_OP_DIV;
    if (op == IRL_OP_DIV && type.scalar == IRL_INDEX) op = IRL_OP_FLOORDIV;
    status = irl__eval_scalar(op, type, a, &s);
    if (status == IRL__EVAL_OK) return irl__parse_fold_result(p, op, type, s, v[0].offset);
    if (status == IRL__EVAL_ZERO_DIVISION) irl__fail(p->cx, IRL_ERROR_DIVISION_BY_ZERO, irl__loc_at(p, where), "a division of numbers by zero");
    else if (status == IRL__EVAL_NO_RULE)
        irl__fail(p->cx, IRL_ERROR_TYPE_MISMATCH, irl__loc_at(p, where), "%s does not take numbers with a point", irl__op_info(op)->text);
    else irl__fail(p->cx, IRL_ERROR_OVERFLOW, irl__loc_at(p, where), "the numbers' %s does not fit 63 bits", irl__op_info(op)->text);
    return irl__value_new(IRL__VALUE_NONE, where);
}

static int irl__parse_all_numbers(int count, const irl__value *v)
{
    int k;
    for (k = 0; k < count; k++)
        if (!irl__value_is_number(&v[k])) return 0;
    return 1;
}

/* Operators that numbers are computed with; the functions of floats need a type first. */
static int irl__parse_op_folds(irl_op op)
{
    irl__rule rule = irl__op_info(op)->rule;
    return rule == IRL__SAME_ARITH || rule == IRL__SAME_INT || rule == IRL__SAME_BITS || rule == IRL__COMPARE || op == IRL_OP_DIV;
}

static irl__value irl__parse_apply_op(irl__parser *p, irl_op op, int count, const irl__value *v, irl_type hint, uint32_t where)
{
    const irl_expr *a[3];
    if (irl__parse_op_folds(op) && irl__parse_all_numbers(count, v)) return irl__parse_fold(p, op, count, v, where);
    if (irl__op_info(op)->rule == IRL__SAME_FLOAT && op != IRL_OP_DIV && !irl__type_is_float(hint)) hint = irl_type_of(IRL_F32, 1);
    if (!irl__parse_unify(p, count, v, hint, a)) return irl__value_new(IRL__VALUE_NONE, where);
    if (op == IRL_OP_DIV && irl__type_is_integer(a[0]->type)) op = IRL_OP_FLOORDIV;
    {
        irl__value result = irl__value_of(p, irl__expr_op(p->cx, op, count, a, irl__loc_at(p, where)), where);
        result.offset = v[0].offset;
        return result;
    }
}

/* ------------------------------------------------------------------ calls */

static irl__value irl__value_none(irl__parser *p) { return irl__value_new(IRL__VALUE_NONE, p->token.offset); }

/* A vector of operands already typed, "(" read: pushes `,`-separated expressions up to `close`. */
static int irl__parse_operands(irl__parser *p, int close, const char *what, int *count)
{
    *count = 0;
    while (p->token.kind != close) {
        if (*count && !irl__expect(p, ',', what)) return 0;
        if (!irl__push_expr(p, irl__parse_any(p))) return 0;
        (*count)++;
    }
    irl__next(p);
    return irl__ok(p->cx);
}

int irl__parse_indices(irl__parser *p, int close, const char *what, int may_be_vector, int *count)
{
    *count = 0;
    while (p->token.kind != close) {
        irl__value      v;
        const irl_expr *e;
        if (*count && !irl__expect(p, ',', what)) return 0;
        v = irl__parse_value(p, irl__type_index());
        if (v.kind == IRL__VALUE_NONE) return 0;
        e = irl__value_as(p, &v, irl__type_index());
        if (!e) return irl__failed_at(p, v.offset);
        if (!irl__type_is_index(e->type) || (!may_be_vector && e->type.lanes != 1))
            return irl__value_mismatch(p, &v, irl__type_index(), irl__type_cstr(p->cx, e->type));
        if (!irl__push_expr(p, e)) return 0;
        (*count)++;
    }
    irl__next(p);
    return irl__ok(p->cx);
}

/* f32(x): a number becomes a constant, a value is cast. "(" is the current token. */
static irl__value irl__parse_cast(irl__parser *p, irl_type type, uint32_t offset)
{
    irl__value v;
    irl_expr const *e;
    irl__next(p);
    v = irl__parse_value(p, irl__parse_no_hint());
    if (v.kind == IRL__VALUE_NONE || !irl__expect(p, ')', "')' after the operand of a cast")) return irl__value_none(p);
    if (v.kind == IRL__VALUE_INTEGER && type.scalar == IRL_BOOL && v.magnitude < 2) {
        e = irl__bool(p->cx, v.magnitude != 0);
        return irl__value_of(p, irl_broadcast(p->cx, e, (int)type.lanes), offset);
    }
    if (irl__value_is_number(&v)) return irl__value_of(p, irl__value_constant(p, &v, type), offset);
    if (v.e->type.lanes == 1 && type.lanes > 1) v.e = irl_broadcast(p->cx, v.e, (int)type.lanes);
    return irl__value_of(p, irl_cast(p->cx, type, v.e), offset);
}

/* select(c, a, b) and if_then_else(c, a, b); also c ? a : b with the condition read. */
static irl__value irl__parse_make_choice(irl__parser *p, irl_op op, const irl_expr *c, const irl__value *arms, irl_type hint, uint32_t offset)
{
    const irl_expr *a[3];
    a[0] = c;
    if (!c || !irl__parse_unify(p, 2, arms, hint, a + 1)) return irl__value_new(IRL__VALUE_NONE, offset);
    return irl__value_of(p, irl__expr_op(p->cx, op, 3, a, irl__loc_at(p, offset)), offset);
}

static irl__value irl__parse_choice(irl__parser *p, irl_op op, irl_type hint, uint32_t offset)
{
    irl__value      arms[2];
    const irl_expr *c = irl__parse_any(p);
    if (!c || !irl__expect(p, ',', "',' and the value where the condition holds")) return irl__value_none(p);
    arms[0] = irl__parse_value(p, hint);
    if (arms[0].kind == IRL__VALUE_NONE || !irl__expect(p, ',', "',' and the value where the condition does not hold")) return irl__value_none(p);
    arms[1] = irl__parse_value(p, irl__parse_hint_beside(&arms[0], hint));
    if (arms[1].kind == IRL__VALUE_NONE || !irl__expect(p, ')', "')' after the second value")) return irl__value_none(p);
    return irl__parse_make_choice(p, op, c, arms, hint, offset);
}

static irl__value irl__parse_lane(irl__parser *p, uint32_t offset)
{
    const irl_expr *a[2];
    a[0] = irl__parse_any(p);
    if (!a[0] || !irl__expect(p, ',', "',' and the number of the lane")) return irl__value_none(p);
    a[1] = irl__parse_any(p);
    if (!a[1] || !irl__expect(p, ')', "')' after the number of the lane")) return irl__value_none(p);
    return irl__value_of(p, irl__expr_op(p->cx, IRL_OP_LANE, 2, a, irl__loc_at(p, offset)), offset);
}

/* An operator written as a call; "(" has been read. */
static irl__value irl__parse_call_op(irl__parser *p, irl_op op, irl_type hint, uint32_t offset)
{
    irl__value v[3];
    int        arity = irl__op_info(op)->arity, k;
    if (op == IRL_OP_SELECT || op == IRL_OP_IF_THEN_ELSE) return irl__parse_choice(p, op, hint, offset);
    if (op == IRL_OP_LANE) return irl__parse_lane(p, offset);
    for (k = 0; k < arity; k++) {
        if (k && !irl__expect(p, ',', "',' and the next operand")) return irl__value_none(p);
        v[k] = irl__parse_value(p, k ? irl__parse_hint_beside(&v[k - 1], hint) : hint);
        if (v[k].kind == IRL__VALUE_NONE) return v[k];
    }
    if (!irl__expect(p, ')', "')' after the last operand")) return irl__value_none(p);
    return irl__parse_apply_op(p, op, arity, v, hint, offset);
}

static irl__value irl__parse_reinterpret(irl__parser *p, uint32_t offset)
{
    const irl_expr *e;
    irl_type        type;
    if (!irl__parse_type(p, &type) || !irl__expect(p, ',', "',' and the value that is seen as this type")) return irl__value_none(p);
    e = irl__parse_any(p);
    if (!e || !irl__expect(p, ')', "')' after the operand of as")) return irl__value_none(p);
    return irl__value_of(p, irl_reinterpret(p->cx, type, e), offset);
}

static irl__value irl__parse_undef(irl__parser *p, uint32_t offset)
{
    irl_type type;
    if (!irl__parse_type(p, &type) || !irl__expect(p, ')', "')' after the type of undef")) return irl__value_none(p);
    return irl__value_of(p, irl_undef(p->cx, type), offset);
}

static irl__value irl__parse_ramp(irl__parser *p, irl_type hint, uint32_t offset)
{
    irl__value      v[2];
    const irl_expr *a[2];
    int             lanes = 0;
    v[0] = irl__parse_value(p, hint);
    if (v[0].kind == IRL__VALUE_NONE || !irl__expect(p, ',', "',' and the stride")) return irl__value_none(p);
    v[1] = irl__parse_value(p, hint);
    if (v[1].kind == IRL__VALUE_NONE || !irl__expect(p, ',', "',' and the number of lanes") ||
        !irl__parse_count(p, 2, IRL_MAX_LANES, "the number of lanes", &lanes) || !irl__expect(p, ')', "')' after the number of lanes") ||
        !irl__parse_unify(p, 2, v, hint, a))
        return irl__value_none(p);
    return irl__value_of(p, irl_ramp(p->cx, a[0], a[1], lanes), offset);
}

static irl__value irl__parse_broadcast(irl__parser *p, irl_type hint, uint32_t offset)
{
    irl__value      v = irl__parse_value(p, hint);
    const irl_expr *e;
    int             lanes = 0;
    if (v.kind == IRL__VALUE_NONE || !irl__expect(p, ',', "',' and the number of lanes") ||
        !irl__parse_count(p, 2, IRL_MAX_LANES, "the number of lanes", &lanes) || !irl__expect(p, ')', "')' after the number of lanes"))
        return irl__value_none(p);
    e = irl__value_settle(p, &v, hint);
    return irl__value_of(p, e ? irl_broadcast(p->cx, e, lanes) : NULL, offset);
}

/* shuffle(a, b, [0, 5]); "(" has been read. */
static irl__value irl__parse_shuffle(irl__parser *p, uint32_t offset)
{
    size_t     base = p->expr_count;
    int        count = 0, lanes = 0, picks[IRL_MAX_LANES];
    irl__value result = irl__value_none(p);
    while (p->token.kind != '[') {
        if (!irl__push_expr(p, irl__parse_any(p)) || !irl__expect(p, ',', "',' and the next vector, or the picks: [0, 5]")) return result;
        count++;
    }
    irl__next(p);
    while (p->token.kind != ']') {
        if (lanes && !irl__expect(p, ',', "',' and the next lane, or ']'")) return result;
        if (lanes == IRL_MAX_LANES) return irl__unexpected(p, "']': a value has at most 64 lanes"), result;
        if (!irl__parse_count(p, 0, IRL_MAX_LANES * 1024, "a lane to pick", &picks[lanes])) return result;
        lanes++;
    }
    irl__next(p);
    if (!irl__expect(p, ')', "')' after the picks")) return result;
    result = irl__value_of(p, irl_shuffle(p->cx, count, p->exprs + base, lanes, picks), offset);
    p->expr_count = base;
    return result;
}

/* let(v = e, body); "(" has been read. */
static irl__value irl__parse_let(irl__parser *p, irl_type hint, uint32_t offset)
{
    irl__token      name;
    const irl_expr *var, *value;
    irl__value      body;
    size_t          scope;
    if (!irl__expect_name(p, &name, "the name that let binds") || !irl__expect(p, '=', "'=' and the value that let binds")) return irl__value_none(p);
    value = irl__parse_any(p);
    if (!value || !irl__expect(p, ',', "',' and the expression that the name holds in")) return irl__value_none(p);
    scope = irl__scope_open(p);
    var = irl__declare_var(p, &name, value->type);
    body = var ? irl__parse_value(p, hint) : irl__value_none(p);
    irl__scope_close(p, scope);
    if (body.kind == IRL__VALUE_NONE || !irl__expect(p, ')', "')' after let")) return irl__value_none(p);
    return irl__value_of(p, irl_let(p->cx, var, value, irl__value_settle(p, &body, hint)), offset);
}

/* extern(f32, name, a, b) and intrinsic(...); "(" has been read. */
static irl__value irl__parse_named_call(irl__parser *p, irl_op op, uint32_t offset)
{
    size_t      base = p->expr_count;
    const char *name;
    irl_type    type;
    int         count = 0;
    irl__value  result;
    if (!irl__parse_type(p, &type) || !irl__expect(p, ',', "',' and the name of the function")) return irl__value_none(p);
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the name of the function"), irl__value_none(p);
    name = irl__token_name(p);
    irl__next(p);
    if (p->token.kind == ',') {
        irl__next(p);
        if (!irl__parse_operands(p, ')', "',' and the next argument, or ')'", &count)) return irl__value_none(p);
        if (!count) return irl__unexpected(p, "an argument"), irl__value_none(p);
    } else if (!irl__expect(p, ')', "',' and an argument, or ')'")) return irl__value_none(p);
    result = irl__value_of(p, irl__expr_call(p->cx, op, type, name, count, p->exprs + base), offset);
    p->expr_count = base;
    return result;
}

/* irl_floordiv(a, b): the same in C and here; "(" has been read. */
static irl__value irl__parse_floor_call(irl__parser *p, irl_type hint, uint32_t offset, irl_op op)
{
    irl__value v[2];
    v[0] = irl__parse_value(p, hint);
    if (v[0].kind == IRL__VALUE_NONE || !irl__expect(p, ',', "',' and the divisor")) return irl__value_none(p);
    v[1] = irl__parse_value(p, hint);
    if (v[1].kind == IRL__VALUE_NONE || !irl__expect(p, ')', "')' after the divisor")) return irl__value_none(p);
    return irl__parse_apply_op(p, op, 2, v, hint, offset);
}

/* A name with "(" behind it; the name is the current token. */
static irl__value irl__parse_call(irl__parser *p, irl_type hint)
{
    const irl__token   name = p->token;
    const irl__symbol *s = name.symbol;
    uint32_t           offset = name.offset;
    irl__next(p);
    if (s->is_type) return irl__parse_cast(p, s->type, offset);
    irl__next(p);
    if (s->word == IRL__WORD_FLOORDIV) return irl__parse_floor_call(p, hint, offset, IRL_OP_FLOORDIV);
    if (s->word == IRL__WORD_FLOORMOD) return irl__parse_floor_call(p, hint, offset, IRL_OP_FLOORMOD);
    switch (s->op) {
    case IRL_OP_REINTERPRET: return irl__parse_reinterpret(p, offset);
    case IRL_OP_UNDEF: return irl__parse_undef(p, offset);
    case IRL_OP_RAMP: return irl__parse_ramp(p, hint, offset);
    case IRL_OP_BROADCAST: return irl__parse_broadcast(p, hint, offset);
    case IRL_OP_SHUFFLE: return irl__parse_shuffle(p, offset);
    case IRL_OP_LET: return irl__parse_let(p, hint, offset);
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC: return irl__parse_named_call(p, (irl_op)s->op, offset);
    case 0: irl__unknown_name(p, &name, "function"); return irl__value_none(p);
    default: return irl__parse_call_op(p, (irl_op)s->op, hint, offset);
    }
}

/* ------------------------------------------------------------------ primaries */

static irl__value irl__parse_number(irl__parser *p, int is_negative)
{
    irl__value v = irl__value_new(p->token.kind == IRL__TOKEN_INTEGER ? IRL__VALUE_INTEGER : IRL__VALUE_DECIMAL, p->token.offset);
    char       last = p->text[p->token.offset + p->token.length - 1];
    v.is_negative = is_negative;
    if (v.kind == IRL__VALUE_INTEGER) v.magnitude = p->token.integer;
    else {
        v.numeral = p->token.offset;
        v.length = p->token.length;
        if (last == 'f' || last == 'F') {
            irl__value typed = irl__value_of(p, irl__value_float(p, &v, irl_type_of(IRL_F32, 1)), v.offset);
            irl__next(p);
            return typed;
        }
        if (!irl__decimal_read(p->text + v.numeral, v.length, irl_type_of(IRL_F64, 1), &v.number)) {
            irl__fail(p->cx, IRL_ERROR_OVERFLOW, irl__here(p), "this number is too large for f64");
            return irl__value_none(p);
        }
        if (is_negative) v.number = -v.number;
    }
    irl__next(p);
    return v;
}

static irl__value irl__parse_load(irl__parser *p, const irl_buffer *b, uint32_t offset)
{
    size_t     base = p->expr_count;
    int        count = 0;
    irl__value result;
    irl__next(p); /* [ */
    if (!irl__parse_indices(p, ']', "',' and the next index, or ']'", 1, &count)) return irl__value_none(p);
    result = irl__value_of(p, irl__expr_load(p->cx, b, count, p->exprs + base, irl__loc_at(p, offset)), offset);
    p->expr_count = base;
    return result;
}

static irl__value irl__parse_constant_value(const irl__binding *b, uint32_t offset)
{
    irl__value v = irl__value_new(IRL__VALUE_INTEGER, offset);
    v.is_negative = b->constant < 0;
    v.magnitude = b->constant < 0 ? 0 - (uint64_t)b->constant : (uint64_t)b->constant;
    return v;
}

static irl__value irl__parse_name(irl__parser *p, irl_type hint)
{
    irl__token          name = p->token;
    const irl__binding *b = &name.symbol->binding;
    if (!name.is_quoted) {
        int next = irl__next_char(p);
        if (next == '(') return irl__parse_call(p, hint);
        if (name.symbol->word == IRL__WORD_TRUE || name.symbol->word == IRL__WORD_FALSE) {
            irl__next(p);
            return irl__value_of(p, irl__bool(p->cx, name.symbol->word == IRL__WORD_TRUE), name.offset);
        }
    }
    irl__next(p);
    switch (b->kind) {
    case IRL__BOUND_VAR: return irl__value_of(p, b->var, name.offset);
    case IRL__BOUND_CONSTANT: return irl__parse_constant_value(b, name.offset);
    case IRL__BOUND_BUFFER:
        return p->token.kind == '[' ? irl__parse_load(p, b->buffer, name.offset) : irl__value_of(p, b->buffer->data, name.offset);
    case IRL__UNBOUND: break;
    }
    irl__unknown_name(p, &name, p->token.kind == '[' ? "buffer" : "variable");
    return irl__value_none(p);
}

static irl__value irl__parse_primary(irl__parser *p, irl_type hint)
{
    irl__value v;
    switch (p->token.kind) {
    case IRL__TOKEN_NAME: return irl__parse_name(p, hint);
    case IRL__TOKEN_INTEGER:
    case IRL__TOKEN_DECIMAL: return irl__parse_number(p, 0);
    case '(':
        irl__next(p);
        v = irl__parse_value(p, hint);
        if (v.kind != IRL__VALUE_NONE && !irl__expect(p, ')', "')' or an operator")) v.kind = IRL__VALUE_NONE;
        return v;
    default:
        irl__unexpected(p, "an expression");
        return irl__value_none(p);
    }
}

/* ------------------------------------------------------------------ operators */

static int irl__parse_too_deep(irl__parser *p)
{
    return irl__fail(p->cx, IRL_ERROR_TOO_DEEP, irl__here(p), "an expression nests deeper than %d", IRL_MAX_DEPTH);
}

static irl__value irl__parse_unary(irl__parser *p, irl_type hint)
{
    uint32_t   where = p->token.offset;
    irl_op     op = (irl_op)p->prefix[p->token.kind];
    irl__value v;
    if (!op) return irl__parse_primary(p, hint);
    irl__next(p);
    if (op == IRL_OP_NEG && (p->token.kind == IRL__TOKEN_INTEGER || p->token.kind == IRL__TOKEN_DECIMAL)) {
        v = irl__parse_number(p, 1);
        v.offset = where;
        return v;
    }
    if (p->expr_depth >= 2 * IRL_MAX_DEPTH + 2) return irl__parse_too_deep(p), irl__value_none(p);
    p->expr_depth++;
    v = irl__parse_unary(p, hint);
    p->expr_depth--;
    if (v.kind == IRL__VALUE_NONE) return v;
    v = irl__parse_apply_op(p, op, 1, &v, hint, where);
    v.offset = where;
    return v;
}

/* Operators of precedence `least` and above; depth counts the operators that wait for their right side. */
static irl__value irl__parse_binary(irl__parser *p, irl_type hint, int least)
{
    irl__value v[2];
    if (p->expr_depth >= 2 * IRL_MAX_DEPTH + 2) return irl__parse_too_deep(p), irl__value_none(p);
    p->expr_depth++;
    v[0] = irl__parse_unary(p, hint);
    while (v[0].kind != IRL__VALUE_NONE) {
        irl_op   op = (irl_op)p->infix[p->token.kind];
        uint32_t where = p->token.offset;
        int      precedence;
        if (!op) break;
        precedence = irl__op_info(op)->precedence;
        if (precedence < least) break;
        irl__next(p);
        v[1] = irl__parse_binary(p, irl__parse_hint_beside(&v[0], hint), precedence + 1);
        if (v[1].kind == IRL__VALUE_NONE) v[0] = v[1];
        else v[0] = irl__parse_apply_op(p, op, 2, v, hint, where);
    }
    p->expr_depth--;
    return v[0];
}

/* In c ? a : b an integer is a condition as in C. */
static const irl_expr *irl__parse_truth(irl__parser *p, const irl__value *v)
{
    const irl_expr *ab[2];
    ab[0] = irl__value_settle(p, v, irl__parse_no_hint());
    if (!ab[0] || !irl__type_is_integer(ab[0]->type)) return ab[0];
    ab[1] = irl_int(p->cx, ab[0]->type, 0);
    return irl__expr_op(p->cx, IRL_OP_NE, 2, ab, irl__loc_at(p, v->offset));
}

static irl__value irl__parse_value(irl__parser *p, irl_type hint)
{
    irl__value      v = irl__parse_binary(p, hint, 1), arms[2];
    const irl_expr *c;
    if (v.kind == IRL__VALUE_NONE || p->token.kind != '?') return v;
    irl__next(p);
    c = irl__parse_truth(p, &v);
    p->expr_depth++;
    arms[0] = c ? irl__parse_value(p, hint) : irl__value_none(p);
    arms[1] = irl__value_none(p);
    if (arms[0].kind != IRL__VALUE_NONE && irl__expect(p, ':', "':' and the value where the condition does not hold"))
        arms[1] = irl__parse_value(p, irl__parse_hint_beside(&arms[0], hint));
    p->expr_depth--;
    if (arms[1].kind == IRL__VALUE_NONE) return arms[1];
    return irl__parse_make_choice(p, IRL_OP_IF_THEN_ELSE, c, arms, hint, v.offset);
}

/* ------------------------------------------------------------------ for the other files */

const irl_expr *irl__parse_any(irl__parser *p)
{
    irl__value      v = irl__parse_value(p, irl__parse_no_hint());
    const irl_expr *e = v.kind == IRL__VALUE_NONE ? NULL : irl__value_settle(p, &v, irl__parse_no_hint());
    if (!e) irl__failed_at(p, v.offset);
    return e;
}

const irl_expr *irl__parse_typed(irl__parser *p, irl_type type)
{
    irl__value      v = irl__parse_value(p, irl__parse_hint_of(type));
    const irl_expr *e = v.kind == IRL__VALUE_NONE ? NULL : irl__value_as(p, &v, type);
    if (!e) return irl__failed_at(p, v.offset), (const irl_expr *)NULL;
    if (!irl_type_equal(e->type, type)) {
        irl__value_mismatch(p, &v, type, irl__type_cstr(p->cx, e->type));
        return NULL;
    }
    return e;
}

const irl_expr *irl__parse_index(irl__parser *p) { return irl__parse_typed(p, irl__type_index()); }
const irl_expr *irl__parse_condition(irl__parser *p) { return irl__parse_typed(p, irl__type_bool(1)); }

const irl_expr *irl__parse_padding(irl__parser *p, irl_type type)
{
    uint32_t        offset;
    const irl_expr *e;
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and the value that padding holds")) return NULL;
    offset = p->token.offset;
    e = irl__parse_typed(p, type);
    if (!e || !irl__expect(p, ')', "')' after the value that padding holds")) return NULL;
    if (irl__is_const(e) || (e->op == IRL_OP_BROADCAST && irl__is_const(e->a[0]))) return e;
    irl__fail(p->cx, IRL_ERROR_SYNTAX, irl__loc_at(p, offset), "padding holds a constant");
    return NULL;
}

/* ------------------------------------------------------------------ maps */

typedef struct irl__map_reader {
    const irl_expr *inputs[IRL_MAX_RANK], *outputs[IRL_MAX_RANK];
    int             input_count, output_count, separator_count;
    int             separators[IRL_MAX_RANK + 1];
    int             dots_in, dots_out; /* where "..." stands; -1: nowhere */
    int             places;            /* outputs, "..." counted as one */
} irl__map_reader;

static int irl__map_dots(irl__parser *p, int *dots, int at)
{
    if (*dots >= 0) return irl__fail(p->cx, IRL_ERROR_BAD_MAP, irl__here(p), "'...' stands twice on one side of the map");
    *dots = at;
    irl__next(p);
    return 1;
}

static int irl__map_too_long(irl__parser *p)
{
    return irl__fail(p->cx, IRL_ERROR_TOO_LARGE, irl__here(p), "a map has at most %d axes on a side", IRL_MAX_RANK);
}

static int irl__parse_map_inputs(irl__parser *p, irl__map_reader *m)
{
    irl__token name;
    int        first = 1;
    if (!irl__expect(p, '(', "'(' and the names of a map's axes: (i, j) -> (...)")) return 0;
    for (; p->token.kind != ')'; first = 0) {
        if (!first && !irl__expect(p, ',', "',' and the next axis, or ')'")) return 0;
        if (p->token.kind == IRL__DOTS3) {
            if (!irl__map_dots(p, &m->dots_in, m->input_count)) return 0;
            continue;
        }
        if (m->input_count == IRL_MAX_RANK) return irl__map_too_long(p);
        if (!irl__expect_name(p, &name, "the name of an axis")) return 0;
        m->inputs[m->input_count] = irl__declare_var(p, &name, irl__type_index());
        if (!m->inputs[m->input_count++]) return 0;
    }
    irl__next(p);
    return irl__ok(p->cx);
}

static int irl__map_separator(irl__parser *p, irl__map_reader *m, uint32_t offset)
{
    int last = m->separator_count ? m->separators[m->separator_count - 1] : 0;
    if (m->places == last)
        return irl__fail(p->cx, IRL_ERROR_BAD_SEPARATORS, irl__loc_at(p, offset), "this separator has no axis before it");
    m->separators[m->separator_count++] = m->places; /* fewer than places, so there is room */
    return 1;
}

/* One group: outputs and bare separators between "(" and ")". */
static int irl__parse_map_group(irl__parser *p, irl__map_reader *m)
{
    int first = 1;
    if (!irl__expect(p, '(', "'(' and the outputs of the map")) return 0;
    for (; p->token.kind != ')'; first = 0) {
        if (!first && !irl__expect(p, ',', "',' and the next output, or ')'")) return 0;
        if (p->token.kind == '|') {
            if (!irl__map_separator(p, m, p->token.offset)) return 0;
            irl__next(p);
            if (p->token.kind == ',' || p->token.kind == ')') continue;
        }
        if (p->token.kind == IRL__DOTS3) {
            if (!irl__map_dots(p, &m->dots_out, m->output_count)) return 0;
        } else {
            if (m->output_count == IRL_MAX_RANK) return irl__map_too_long(p);
            m->outputs[m->output_count] = irl__parse_index(p);
            if (!m->outputs[m->output_count++]) return 0;
        }
        m->places++;
    }
    irl__next(p);
    return irl__ok(p->cx);
}

static const irl_map *irl__map_finish(irl__parser *p, const irl__map_reader *m, uint32_t offset)
{
    irl_loc        loc = irl__loc_at(p, offset);
    const irl_map *made;
    irl_map       *map;
    if ((m->dots_in >= 0) != (m->dots_out >= 0)) {
        irl__fail(p->cx, IRL_ERROR_BAD_MAP, loc, "'...' stands on both sides of a map or on none");
        return NULL;
    }
    if (!irl__separators_valid(p->cx, m->places, m->separator_count, m->separators, loc)) return NULL;
    made = irl__map_make(p->cx, m->input_count, m->inputs, m->output_count, m->outputs, m->separator_count, m->separators, loc);
    if (!made || m->dots_in < 0) return made;
    map = (irl_map *)irl__copy(p->cx, made, 1, sizeof *made);
    if (!map) return NULL;
    map->variadic = 1;
    map->variadic_in = m->dots_in;
    map->variadic_out = m->dots_out;
    return map;
}

const irl_map *irl__parse_map(irl__parser *p)
{
    irl__map_reader m;
    uint32_t        offset = p->token.offset;
    size_t          scope = irl__scope_open(p);
    int             ok;
    memset(&m, 0, sizeof m);
    m.dots_in = m.dots_out = -1;
    ok = irl__parse_map_inputs(p, &m) && irl__expect(p, IRL__ARROW, "'->' between the two sides of a map") && irl__parse_map_group(p, &m);
    while (ok && p->token.kind == ',' && irl__next_char(p) == '(') {
        uint32_t separator;
        irl__next(p);
        separator = p->token.offset;
        ok = irl__map_separator(p, &m, separator) && irl__parse_map_group(p, &m);
    }
    irl__scope_close(p, scope);
    return ok ? irl__map_finish(p, &m, offset) : NULL;
}
