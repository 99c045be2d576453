/* parse_expr.c - reading types and expressions.

   needs     parse_value.c, the constructors of expr.c
   promises  the IR of the text, its operators by C's precedence; recursion is bounded */
#include "parse.h"

int irl__push_expr(irl__parser *p, const irl_expr *e)
{
    return e && IRL__STACK_PUSH(p->cx, p->exprs, p->expr_count, p->expr_capacity, e);
}

/* ------------------------------------------------------------------ types, scopes, axes */

/* u33: a letter of integers, and digits alone. */
static int irl__names_a_width(const char *name, size_t length)
{
    size_t k = 1;
    if (*name != 'u' && *name != 'i') return 0;
    while (k < length && name[k] >= '0' && name[k] <= '9') k++;
    return length > 1 && k == length;
}

int irl__parse_type(irl__parser *p, irl_type *type)
{
    irl_scope scope = IRL_SCOPE_GLOBAL;
    irl__near nearest;
    if (irl__at_word(p, IRL__WORD_PTR)) {
        irl__next(p);
        if (!irl__expect(p, '(', "'(' after ptr") || !irl__parse_type(p, type) ||
            !irl__expect(p, ',', "',' and a scope: ptr(f32, global)") ||
            !irl__parse_scope_name(p, &scope) || !irl__expect(p, ')', "')' after the scope of ptr"))
            return 0;
        *type = irl_type_pointer(*type, scope);
        return 1;
    }
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "a type");
    if (!p->token.symbol->is_type || p->token.is_quoted) {
        if (!irl__ok(p->cx)) return 0;
        const char *of_c = irl__type_of_c(&p->token);
        if (of_c) {
            IRL__FAIL_AT(p, IRL_ERROR_BAD_TYPE, p->token.offset, "'%s' is not a type; is '%s' "
                         "meant?", p->token.symbol->text, of_c);
            return irl__hint(p->cx, "write %s: types are called i8 .. i64, u8 .. u64, f16, f32, "
                                    "f64, bool and index, or f32x4 with lanes", of_c);
        }
        if (irl__names_a_width(p->token.symbol->text, p->token.symbol->length))
            return IRL__FAIL_AT(p, IRL_ERROR_BAD_TYPE, p->token.offset, "'%s' is not a type: "
                                "integers have 8, 16, 32 or 64 bits", p->token.symbol->text);
        irl__near_begin(&nearest, p->token.symbol->text, p->token.symbol->length);
        irl__near_types(&nearest);
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_TYPE, p->token.offset, "'%s' is not a type%s",
                            p->token.symbol->text, irl__near_said(&nearest));
    }
    *type = p->token.symbol->type;
    irl__next(p);
    return 1;
}

int irl__parse_element_type(irl__parser *p, irl_bit_element *out)
{
    const irl__token *t = &p->token;
    memset(out, 0, sizeof *out);
    if (t->kind != IRL__TOKEN_NAME || t->is_quoted ||
        !irl__bitfield_named(t->symbol->text, t->symbol->length, out))
        return irl__parse_type(p, &out->type);
    irl__next(p);
    return 1;
}

/* Two names with a sign between, as in group.x and texture:weight; the second may be missing. */
static int irl__parse_joined(irl__parser *p, int sign, char *out, size_t capacity,
                             const char *expected)
{
    irl__text t;
    irl__text_init_fixed(&t, out, capacity);
    for (int part = 0;; part++) {
        if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, expected);
        irl__text_append(&t, p->token.symbol->text, p->token.symbol->length);
        irl__next(p);
        if (part || p->token.kind != sign) return 1;
        irl__text_putc(&t, (char)sign);
        irl__next(p);
    }
}

int irl__parse_scope_name(irl__parser *p, irl_scope *scope)
{
    char     name[32];
    uint32_t offset = p->token.offset;
    if (!irl__parse_joined(p, ':', name, sizeof name, "a scope, such as global, shared, local"))
        return 0;
    int k = irl_scope_find(name);
    if (k < 0) return irl__scope_unknown(p->cx, IRL_ERROR_SYNTAX, irl__loc_at(p, offset), name);
    *scope = (irl_scope)k;
    return 1;
}

int irl__parse_axis_name(irl__parser *p, irl_axis *axis)
{
    char     name[32];
    uint32_t offset = p->token.offset;
    if (!irl__parse_joined(p, '.', name, sizeof name, "a thread axis, such as group.x or local.x"))
        return 0;
    return irl__axis_named(p->cx, IRL_ERROR_SYNTAX, irl__loc_at(p, offset), name, axis);
}

/* ------------------------------------------------------------------ calls */

int irl__parse_indices(irl__parser *p, int close, const char *what, int may_be_vector, int *count)
{
    for (*count = 0; irl__another(p, close, *count, what); ++*count) {
        irl__value v = irl__parse_value(p, irl__type_index());
        if (v.kind == IRL__VALUE_NONE) return 0;
        const irl_expr *e = irl__value_as(p, &v, irl__type_index());
        if (!e) return irl__failed_at(p, v.offset);
        if (!irl__type_is_index(e->type) || (!may_be_vector && e->type.lanes != 1))
            return irl__value_mismatch(p, &v, irl__type_index(), irl__type_cstr(p->cx, e->type));
        if (!irl__push_expr(p, e)) return 0;
    }
    return irl__ok(p->cx);
}

int irl__parse_shape(irl__parser *p, int *rank)
{
    return irl__expect(p, '[', "'[' and a shape") &&
           irl__parse_indices(p, ']', "',' and the next extent, or ']'", 0, rank);
}

/* f32(x): a number becomes a constant, a value is cast. "(" is the current token. */
static irl__value irl__parse_cast(irl__parser *p, irl_type type, uint32_t offset)
{
    irl__next(p);
    irl__value v = irl__parse_value(p, irl__value_no_hint());
    if (v.kind == IRL__VALUE_NONE || !irl__expect(p, ')', "')' after the operand of a cast"))
        return irl__value_none(p);
    if (v.kind == IRL__VALUE_INTEGER && type.scalar == IRL_BOOL && v.magnitude < 2) {
        irl_expr const *e = irl__bool(p->cx, v.magnitude != 0);
        return irl__value_of(p, irl_expr_broadcast(p->cx, e, (int)type.lanes), offset);
    }
    if (p->warner.cast) p->warner.cast(p, &v, type);
    v.cut = NULL; /* it is written that the integer is cast */
    if (irl__value_is_number(&v)) return irl__value_of(p, irl__value_constant(p, &v, type), offset);
    if (v.e->type.lanes == 1 && type.lanes > 1)
        v.e = irl_expr_broadcast(p->cx, v.e, (int)type.lanes);
    return irl__value_of(p, irl_expr_cast(p->cx, type, v.e), offset);
}

/* What is read up to the close stands in let(var = value, ...), or is evaluated where value is
   `truth`. */
static void irl__within_open(irl__parser *p, irl__parse_within *w, const irl_expr *var,
                             const irl_expr *value, int truth)
{
    w->var = var;
    w->value = value;
    w->truth = truth;
    w->outer = p->within;
    p->within = w;
}

static void irl__within_close(irl__parser *p) { p->within = p->within->outer; }

static irl__value irl__parse_arm(irl__parser *p, const irl_expr *c, int truth, irl_type hint)
{
    irl__parse_within w;
    irl__within_open(p, &w, NULL, c, truth);
    irl__value v = irl__parse_value(p, hint);
    irl__within_close(p);
    return v;
}

/* select(c, a, b) and if_then_else(c, a, b); also c ? a : b with the condition read. */
static irl__value irl__parse_make_choice(irl__parser *p, irl_op op, const irl_expr *c,
                                         const irl__value *arms, irl_type hint, uint32_t offset)
{
    const irl_expr *a[3];
    a[0] = c;
    if (!c || !irl__value_unify(p, 2, arms, hint, a + 1))
        return irl__value_new(IRL__VALUE_NONE, offset);
    const int       was_ok = irl__ok(p->cx);
    const irl_expr *e = irl__expr_op(p->cx, op, 3, a, irl__loc_at(p, offset));
    if (was_ok && !e && c->type.scalar == IRL_BOOL && p->warner.operands)
        p->warner.operands(p, op, 2, a + 1, arms, offset);
    return irl__value_of(p, e, offset);
}

/* An operator written as a call; "(" has been read. */
static irl__value irl__parse_call_op(irl__parser *p, irl_op op, irl_type hint, uint32_t offset)
{
    irl__value v[3];
    int        arity = irl__op_info(op)->arity;
    if (op == IRL_OP_SELECT || op == IRL_OP_IF_THEN_ELSE) {
        irl__value      arms[2];
        const irl_expr *c = irl__parse_any(p);
        if (!c || !irl__expect(p, ',', "',' and the value where the condition holds"))
            return irl__value_none(p);
        arms[0] = op == IRL_OP_SELECT ? irl__parse_value(p, hint) : irl__parse_arm(p, c, 1, hint);
        if (arms[0].kind == IRL__VALUE_NONE ||
            !irl__expect(p, ',', "',' and the value where the condition does not hold"))
            return irl__value_none(p);
        hint = irl__value_hint_beside(&arms[0], hint);
        arms[1] = op == IRL_OP_SELECT ? irl__parse_value(p, hint) : irl__parse_arm(p, c, 0, hint);
        if (arms[1].kind == IRL__VALUE_NONE || !irl__expect(p, ')', "')' after the second value"))
            return irl__value_none(p);
        return irl__parse_make_choice(p, op, c, arms, hint, offset);
    }
    for (int k = 0; k < arity; k++) {
        if (k && !irl__expect(p, ',', "',' and the next operand")) return irl__value_none(p);
        v[k] = irl__parse_value(p, k ? irl__value_hint_beside(&v[k - 1], hint) : hint);
        if (v[k].kind == IRL__VALUE_NONE) return v[k];
    }
    if (!irl__expect(p, ')', "')' after the last operand")) return irl__value_none(p);
    return irl__value_apply(p, op, arity, v, hint, offset);
}

/* let(v = e, body); "(" has been read. */
static irl__value irl__parse_let(irl__parser *p, irl_type hint, uint32_t offset)
{
    irl__token      name;
    irl__parse_within w;
    if (!irl__expect_name(p, &name, "the name that let binds") ||
        !irl__expect(p, '=', "'=' and the value that let binds"))
        return irl__value_none(p);
    /* no variable of this function's: levels of nesting come between */
    irl__value *v = IRL__SCRATCH(p->cx, irl__value, 1);
    const irl_expr *value = v ? irl__parse_any_value(p, v) : NULL;
    if (!value || !irl__expect(p, ',', "',' and the expression in which the name is visible"))
        return irl__value_none(p);
    size_t          scope = irl__scope_open(p);
    const irl_expr *var = irl__declare_let(p, &name, value->type, v);
    irl__within_open(p, &w, var, value, 1);
    irl__value body = var ? irl__parse_value(p, hint) : irl__value_none(p);
    irl__within_close(p);
    irl__scope_close(p, scope);
    if (body.kind == IRL__VALUE_NONE || !irl__expect(p, ')', "')' after let"))
        return irl__value_none(p);
    return irl__value_of(p, irl_expr_let(p->cx, var, value, irl__value_settle(p, &body, hint)),
                         offset);
}

int irl__parse_at_ranges(irl__parser *p)
{
    return p->token.kind == IRL__TOKEN_NAME && irl__next_char(p) == ':';
}

/* A name with "(" behind it; the name is the current token. */
static irl__value irl__parse_call(irl__parser *p, irl_type hint)
{
    const irl__token   name = p->token;
    const irl__symbol *s = name.symbol;
    uint32_t           offset = name.offset;
    irl__value         of_code;
    irl__next(p);
    if (s->is_type) return irl__parse_cast(p, s->type, offset);
    irl__next(p);
    if (p->code.call && p->code.call(p, &name, hint, &of_code)) return of_code;
    /* irl_floordiv(a, b): the same in C and here */
    if (s->word == IRL__WORD_FLOORDIV) return irl__parse_call_op(p, IRL_OP_FLOORDIV, hint, offset);
    if (s->word == IRL__WORD_FLOORMOD) return irl__parse_call_op(p, IRL_OP_FLOORMOD, hint, offset);
    if (s->op == IRL_OP_LET) return irl__parse_let(p, hint, offset);
    /* A call of what is no function here. */
    if (!s->op || irl__op_info((irl_op)s->op)->form == IRL_FORM_SPECIAL) {
        const uint8_t word = name.symbol->word;
        if (name.symbol->op || word == IRL__WORD_SUM || word == IRL__WORD_PROD)
            IRL__FAIL_AT(p, IRL_ERROR_BAD_MAP, name.offset, "a map computes with integers and "
                         "bools alone; found '%s'", name.symbol->text);
        else irl__unknown_name(p, &name, "function");
        return irl__value_none(p);
    }
    return irl__parse_call_op(p, (irl_op)s->op, hint, offset);
}

/* ------------------------------------------------------------------ primaries */

static irl__value irl__parse_number(irl__parser *p, int is_negative)
{
    irl__value v = irl__value_new(p->token.kind == IRL__TOKEN_INTEGER ? IRL__VALUE_INTEGER
                                                                      : IRL__VALUE_DECIMAL,
                                  p->token.offset);
    char       last = p->text[p->token.offset + p->token.length - 1];
    v.is_negative = is_negative;
    if (v.kind == IRL__VALUE_INTEGER) v.magnitude = p->token.integer;
    else {
        v.numeral = p->text + p->token.offset;
        v.length = p->token.length;
        if (last == 'f' || last == 'F') {
            irl__value typed =
                irl__value_of(p, irl__value_float(p, &v, irl_type_of(IRL_F32, 1)), v.offset);
            irl__next(p);
            return typed;
        }
        if (!irl__decimal_read(v.numeral, v.length, irl_type_of(IRL_F64, 1), &v.number)) {
            IRL__FAIL_AT(p, IRL_ERROR_OVERFLOW, p->token.offset, "this number is too large for "
                         "f64");
            return irl__value_none(p);
        }
        if (is_negative) v.number = -v.number;
    }
    irl__next(p);
    return v;
}

/* 1: the name is inf or nan. */
static int irl__parse_special_number(const irl__token *name, irl__value *out)
{
    const int is_nan = irl__token_is(name, "nan");
    if (!is_nan && !irl__token_is(name, "inf")) return 0;
    *out = irl__value_new(IRL__VALUE_DECIMAL, name->offset);
    const uint64_t bits = is_nan ? UINT64_C(0x7ff8000000000000) : UINT64_C(0x7ff0000000000000);
    out->number = irl__scalar_of_bits(irl_type_of(IRL_F64, 1), bits).f;
    out->is_special = 1;
    return 1;
}

static irl__value irl__parse_name(irl__parser *p, irl_type hint)
{
    irl__token          name = p->token;
    const irl__binding *b = &name.symbol->binding;
    irl__value          v;
    if (!name.is_quoted) {
        int next = irl__next_char(p);
        if (next == '(') return irl__parse_call(p, hint);
        if (name.symbol->word == IRL__WORD_TRUE || name.symbol->word == IRL__WORD_FALSE) {
            irl__next(p);
            return irl__value_of(p, irl__bool(p->cx, name.symbol->word == IRL__WORD_TRUE),
                                 name.offset);
        }
    }
    irl__next(p);
    switch (b->kind) {
    case IRL__DECLARED_VAR:
    case IRL__DECLARED_CONSTANT: {
        if (!b->number) return irl__value_of(p, b->var, name.offset);
        v = *b->number;
        v.offset = name.offset;
        v.name = name.symbol->text;
        return v;
    }
    case IRL__DECLARED_BUFFER:
        return p->token.kind == '[' ? p->code.load(p, b->buffer, name.offset)
                                    : irl__value_of(p, b->buffer->data, name.offset);
    case IRL__UNDECLARED:
        if (irl__parse_special_number(&name, &v)) return v;
        break;
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
        if (v.kind != IRL__VALUE_NONE && !irl__expect(p, ')', "')' or an operator"))
            v.kind = IRL__VALUE_NONE;
        return v;
    default:
        irl__unexpected(p, "an expression");
        return irl__value_none(p);
    }
}

/* ------------------------------------------------------------------ operators */

static int irl__parse_too_deep(irl__parser *p)
{
    return IRL__FAIL_AT(p, IRL_ERROR_TOO_DEEP, p->token.offset, "an expression nests deeper than "
                        "%d", IRL_MAX_DEPTH);
}

static irl__value irl__parse_unary(irl__parser *p, irl_type hint)
{
    uint32_t   where = p->token.offset;
    irl_op     op = (irl_op)p->prefix[p->token.kind];
    irl__value v;
    if (!op) return irl__parse_primary(p, hint);
    irl__next(p);
    if (op == IRL_OP_NEG &&
        (p->token.kind == IRL__TOKEN_INTEGER || p->token.kind == IRL__TOKEN_DECIMAL)) {
        v = irl__parse_number(p, 1);
        v.offset = where;
        return v;
    }
    if (p->expr_depth >= 2 * IRL_MAX_DEPTH + 2) return irl__parse_too_deep(p), irl__value_none(p);
    p->expr_depth++;
    v = irl__parse_unary(p, hint);
    p->expr_depth--;
    if (v.kind == IRL__VALUE_NONE) return v;
    v = irl__value_apply(p, op, 1, &v, hint, where);
    v.offset = where;
    return v;
}

/* What an operator between two operands means in C. */
static irl_op irl__op_of_c(irl_op op)
{
    return op == IRL_OP_DIV || op == IRL_OP_FLOORDIV ? IRL_OP_TRUNCDIV
           : op == IRL_OP_FLOORMOD                   ? IRL_OP_TRUNCMOD
                                                     : op;
}

static irl__value irl__parse_binary(irl__parser *p, irl_type hint, int least);

/* The right side of && and ||, which the left one may leave out. */
static irl__value irl__parse_right_side(irl__parser *p, irl_op op, const irl__value *left,
                                        irl_type hint, int least)
{
    irl__parse_within w;
    if (op != IRL_OP_AND && op != IRL_OP_OR) return irl__parse_binary(p, hint, least);
    irl__within_open(p, &w, NULL, left->e, op == IRL_OP_AND);
    irl__value v = irl__parse_binary(p, hint, least);
    irl__within_close(p);
    return v;
}

/* Operators of precedence `least` and above; depth counts the operators that wait for their right
   side. */
static irl__value irl__parse_binary(irl__parser *p, irl_type hint, int least)
{
    irl__value v[2];
    if (p->expr_depth >= 2 * IRL_MAX_DEPTH + 2) return irl__parse_too_deep(p), irl__value_none(p);
    p->expr_depth++;
    v[0] = irl__parse_unary(p, hint);
    while (v[0].kind != IRL__VALUE_NONE) {
        irl_op   op = (irl_op)p->infix[p->token.kind];
        uint32_t where = p->token.offset;
        if (!op) break;
        int precedence = irl__op_info(op)->precedence;
        if (precedence < least) break;
        irl__next(p);
        v[1] = irl__parse_right_side(p, op, &v[0], irl__value_hint_beside(&v[0], hint),
                                     precedence + 1);
        if (v[1].kind == IRL__VALUE_NONE) v[0] = v[1];
        else v[0] = irl__value_apply(p, p->as_c ? irl__op_of_c(op) : op, 2, v, hint, where);
    }
    p->expr_depth--;
    return v[0];
}

/* In c ? a : b an integer is a condition as in C. */
static const irl_expr *irl__parse_truth(irl__parser *p, const irl__value *v)
{
    const irl_expr *ab[2];
    ab[0] = irl__value_settle(p, v, irl__value_no_hint());
    if (!ab[0] || !irl__type_is_integer(ab[0]->type)) return ab[0];
    ab[1] = irl_expr_int(p->cx, ab[0]->type, 0);
    return irl__expr_op(p->cx, IRL_OP_NE, 2, ab, irl__loc_at(p, v->offset));
}

irl__value irl__parse_value(irl__parser *p, irl_type hint)
{
    irl__value      v = irl__parse_binary(p, hint, 1), arms[2];
    if (v.kind == IRL__VALUE_NONE || p->token.kind != '?') return v;
    irl__next(p);
    const irl_expr *c = irl__parse_truth(p, &v);
    p->expr_depth++;
    arms[0] = c ? irl__parse_arm(p, c, 1, hint) : irl__value_none(p);
    arms[1] = irl__value_none(p);
    if (arms[0].kind != IRL__VALUE_NONE &&
        irl__expect(p, ':', "':' and the value where the condition does not hold"))
        arms[1] = irl__parse_arm(p, c, 0, irl__value_hint_beside(&arms[0], hint));
    p->expr_depth--;
    if (arms[1].kind == IRL__VALUE_NONE) return arms[1];
    return irl__parse_make_choice(p, IRL_OP_IF_THEN_ELSE, c, arms, hint, v.offset);
}

/* ------------------------------------------------------------------ for the other files */

const irl_expr *irl__parse_any_value(irl__parser *p, irl__value *v)
{
    *v = irl__parse_value(p, irl__value_no_hint());
    const irl_expr *e =
        v->kind == IRL__VALUE_NONE ? NULL : irl__value_settle(p, v, irl__value_no_hint());
    if (!e) irl__failed_at(p, v->offset);
    return e;
}

const irl_expr *irl__parse_any(irl__parser *p)
{
    irl__value v;
    return irl__parse_any_value(p, &v);
}

const irl_expr *irl__declare_let(irl__parser *p, const irl__token *name, irl_type type,
                                 const irl__value *v)
{
    const irl_expr *var = irl__declare_var(p, name, type);
    if (!var || !v->cut) return var;
    irl__value *kept = IRL__COPY(p->cx, irl__value, v, 1);
    if (!kept) return NULL;
    kept->kind = IRL__VALUE_TYPED;
    kept->e = var;
    name->symbol->binding.number = kept;
    return var;
}

const irl_expr *irl__parse_typed(irl__parser *p, irl_type type)
{
    irl__value      v = irl__parse_value(p, irl__value_hint_of(type));
    const irl_expr *e = v.kind == IRL__VALUE_NONE ? NULL : irl__value_as(p, &v, type);
    if (!e) return irl__failed_at(p, v.offset), (const irl_expr *)NULL;
    if (!irl_type_equal(e->type, type)) {
        irl__value_mismatch(p, &v, type, irl__type_cstr(p->cx, e->type));
        return NULL;
    }
    return e;
}

const irl_expr *irl__parse_index(irl__parser *p) { return irl__parse_typed(p, irl__type_index()); }
const irl_expr *irl__parse_condition(irl__parser *p)
{
    return irl__parse_typed(p, irl__type_bool(1));
}

const irl_expr *irl__parse_padding(irl__parser *p, irl_type type)
{
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and the value that padding holds")) return NULL;
    uint32_t offset = p->token.offset;
    const irl_expr *e = irl__parse_typed(p, type);
    if (!e || !irl__expect(p, ')', "')' after the value that padding holds")) return NULL;
    if (irl__is_const(e) || (e->op == IRL_OP_BROADCAST && irl__is_const(e->a[0]))) return e;
    IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, offset, "padding holds a constant");
    return NULL;
}
