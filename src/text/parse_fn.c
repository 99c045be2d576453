/* parse_fn.c - fn and const before a function, and the functions whose calls are replaced by
   expressions: those of fn, and sigmoid, isnan, maximum, ...

   needs     parse_expr.c, parse_map.c (irl__parse_expr_over), print_expr.c
   promises  a call becomes its expression, so that nothing later knows fn, const and these
             functions; a fn is checked where it is defined; IRL__FN_MOST operators bound what the
             functions of one text become */
#include "parse.h"
#include "print.h"

#define IRL__FN_MOST (1 << 20)
#define IRL__FN_INDEX 16 /* operators and operands of an index that is written out often */

struct irl__fn {
    int                    count;
    const irl_expr *const *params;
    irl_type               type;
    const irl_expr        *body; /* NULL while it is being read */
    irl__value (*call)(irl__parser *p, const irl__token *name, const irl__fn *fn);
};

/* ------------------------------------------------------------------ functions of the language */

/* x is 2 to this power, times a number from 1 to 2. */
#define IRL__SUGAR_ILOGB \
    "let(b = as(I, x) & S, let(e = b >> M, select(e == 2 * W + 1, 2147483647, select(b == 0, " \
    "-2147483648, N(select(e == 0, (as(I, F(b)) >> M) - (2 * W + M - 1), e - W))))))"
/* Of 2 to the n the factor that comes first: it neither overflows nor loses digits of x that the
   result has. */
#define IRL__SUGAR_STEP(n) \
    "select(" n " > W, N(W), select(" n " < 1 - W, N(M + 2 - W), N(0)))"
#define IRL__SUGAR_POWER(n) "as(F, I(" n " + W) << M)"

/* Written out for the type of the arguments, which are floats. F is the type of x, I the integers
   of as many bits, S the largest of these, N the integers of 32 bits; M the bits of its fraction,
   W what is added to its exponent. */
static const struct {
    const char *name;
    int         arity;
    const char *text;
    int         is_wide;     /* halves are made f32 first */
    int         takes_power; /* y is an i32 */
} irl__sugar_rows[] = {
    { "isnan", 1, "x != x", 0, 0 },
    { "isinf", 1, "abs(x) == inf", 0, 0 },
    { "isfinite", 1, "abs(x) < inf", 0, 0 },
    { "isnormal", 1, "let(a = abs(x), a >= as(F, I(1) << M) && a < inf)", 0, 0 },
    { "signbit", 1, "copysign(1, x) < 0", 0, 0 },
    { "sign", 1, "select(x > 0, 1, select(x < 0, -1, select(x == 0, x, 0)))", 0, 0 },
    { "sigmoid", 1, "let(t = exp(-abs(x)), select(x >= 0, 1, t) / (1 + t))", 0, 0 },
    { "softplus", 1, "max(x, 0) + log1p(exp(-abs(x)))", 0, 0 },
    { "maximum", 2, "select(x > y || x != x, x, y)", 0, 0 },
    { "minimum", 2, "select(x < y || x != x, x, y)", 0, 0 },
    { "fdim", 2, "select(x <= y, 0, x - y)", 0, 0 },
    { "ilogb", 1, IRL__SUGAR_ILOGB, 1, 0 },
    { "logb", 1, "select(x == 0, -inf, select(abs(x) < inf, F(" IRL__SUGAR_ILOGB "), abs(x)))", 1,
      0 },
    { "ldexp", 2,
      "let(a = " IRL__SUGAR_STEP("y") ", let(c = y - a, let(b = " IRL__SUGAR_STEP("c") ", "
      "x * " IRL__SUGAR_POWER("a") " * " IRL__SUGAR_POWER("b") " * "
      IRL__SUGAR_POWER("min(max(c - b, 1 - W), W)") ")))", 1, 1 },
    { "nextafter", 2,
      "select(x == y, y, select(x != x || y != y, x + y, as(F, select(x == 0, "
      "as(I, copysign(0, y)) | 1, as(I, x) + select((x < y) == (x > 0), I(1), I(-1))))))", 0, 0 },
};
#undef IRL__SUGAR_ILOGB
#undef IRL__SUGAR_STEP
#undef IRL__SUGAR_POWER

/* The row of isnan or irl_isnan; -1: none. */
static int irl__sugar_of(const char *name)
{
    int k = (int)IRL__COUNTOF(irl__sugar_rows);
    if (strncmp(name, "irl_", 4) == 0) name += 4;
    while (k-- > 0)
        if (strcmp(irl__sugar_rows[k].name, name) == 0) break;
    return k;
}

const char *irl__sugar_name(int k)
{
    return k < (int)IRL__COUNTOF(irl__sugar_rows) ? irl__sugar_rows[k].name : NULL;
}

void irl__warn_hidden(irl__parser *p, irl__symbol *s, const char *by, uint32_t offset)
{
    if ((!s->op && irl__sugar_of(s->text) < 0) || s->warned_in == p->func_count + 1) return;
    s->warned_in = p->func_count + 1;
    irl__warn(p, irl__loc_at(p, offset),
              "'%s' is the function that %s declares, and not the one of the language; give it "
              "another name if that is not meant", s->text, by);
}

/* ------------------------------------------------------------------ writing out */

typedef struct irl__fn_uses {
    const irl_expr *var;
    int             count, size;
} irl__fn_uses;

static int irl__fn_use(irl__visitor *v, const irl_expr *e)
{
    irl__fn_uses *u = (irl__fn_uses *)v->user;
    u->count += e == u->var;
    u->size++;
    return 1;
}

/* Short index arithmetic is written out, however often it is used: analyses see what it is. */
static int irl__fn_is_index(const irl_expr *e)
{
    return irl__is_index(e) && e->size <= IRL__FN_INDEX &&
           !(e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET));
}

/* The body with the arguments in it. An argument that is used more than once gets a let, unless it
   is a constant, a variable or short index arithmetic; so does a call, which is made once. */
static const irl_expr *irl__fn_written_out(irl__parser *p, const irl_expr *body, int count,
                                           const irl_expr *const *params,
                                           const irl_expr *const *arguments, uint32_t offset)
{
    const irl_expr **to = IRL__SCRATCH(p->cx, const irl_expr *, count + 1);
    irl__fn_uses u;
    u.size = 0;
    for (int k = 0; to && k < count; k++) {
        const irl_expr *e = arguments[k];
        irl__visitor    v = irl__visitor_make(&u, irl__fn_use, NULL);
        u.var = params[k];
        u.count = u.size = 0;
        irl__visit_expr(&v, body);
        to[k] = e;
        if (irl__fn_is_index(e)) p->written_out += u.count * (int)e->size;
        if (e->op != IRL_OP_VAR && !irl__is_const(e) &&
            ((u.count > 1 && !irl__fn_is_index(e)) || irl__expr_any(e, irl__expr_is_call, NULL)))
            to[k] = irl_expr_var(p->cx, params[k]->u.name, e->type);
        if (!to[k]) return NULL;
    }
    if (!to) return NULL;
    p->written_out += u.size;
    if (p->written_out > IRL__FN_MOST)
        return IRL__FAIL_AT(p, IRL_ERROR_TOO_DEEP, offset, "the functions that are called here "
                            "expand to more than %d operators",
                            IRL__FN_MOST), (const irl_expr *)NULL;
    body = irl__substitute(p->cx, body, count, params, to);
    for (int k = count; body && k-- > 0;)
        if (to[k] != arguments[k]) body = irl_expr_let(p->cx, to[k], arguments[k], body);
    return body;
}

static int irl__fn_count(irl__parser *p, const irl__token *name, int count, int found)
{
    if (found == count) return 1;
    IRL__FAIL_AT(p, IRL_ERROR_ARGUMENT_MISMATCH, name->offset, "'%s' takes %d argument%s; found %d",
                 name->symbol->text, count, count == 1 ? "" : "s", found);
    irl__hint(p->cx, "write one argument for each parameter of '%s'", name->symbol->text);
    return 0;
}

/* name(a, b) of a fn; the first argument or ')' is the current token. */
static irl__value irl__fn_call(irl__parser *p, const irl__token *name, const irl__fn *fn)
{
    const size_t base = p->expr_count;
    irl__value   none = irl__value_new(IRL__VALUE_NONE, name->offset);
    int          found = 0;
    if (!fn->body) {
        IRL__FAIL_AT(p, IRL_ERROR_BAD_STRUCTURE, name->offset, "'%s' calls itself: a call of a fn "
                     "is replaced by its expression, so a fn cannot be recursive",
                     name->symbol->text);
        irl__hint(p->cx, "write a loop in the function, or one fn for each step");
        return none;
    }
    for (; irl__another(p, ')', found, "',' and the next argument, or ')'"); found++) {
        const irl_expr *e = NULL;
        if (found < fn->count) e = irl__parse_typed(p, fn->params[found]->type);
        else e = irl__parse_any(p);
        if (!irl__push_expr(p, e)) return none;
    }
    if (!irl__ok(p->cx) || !irl__fn_count(p, name, fn->count, found)) return none;
    const irl_expr *e = irl__fn_written_out(p, fn->body, fn->count, fn->params,
                                            p->exprs + base, name->offset);
    p->expr_count = base;
    return irl__value_of(p, e, name->offset);
}

/* The text of a row for floats of a type. */
static const char *irl__sugar_text(irl_ctx *cx, const char *from, irl_type type)
{
    const int      bits = irl__type_info(type)->bits, lanes = (int)type.lanes,
                   fraction = bits == 64 ? 52 : bits == 32 ? 23 : type.scalar == IRL_F16 ? 10 : 7;
    const irl_type ints = irl_type_of(bits == 64 ? IRL_I64 : bits == 32 ? IRL_I32 : IRL_I16, lanes);
    irl__text      to;
    irl__text_init(&to, cx);
    for (; *from; from++) switch (*from) {
        case 'F': irl__text_puts(&to, irl__type_cstr(cx, type)); break;
        case 'I': irl__text_puts(&to, irl__type_cstr(cx, ints)); break;
        case 'N': irl__text_puts(&to, irl__type_cstr(cx, irl_type_of(IRL_I32, lanes))); break;
        case 'S': irl__text_uint(&to, (UINT64_C(1) << (bits - 1)) - 1); break;
        case 'M': irl__text_uint(&to, (uint64_t)fraction); break;
        case 'W': irl__text_uint(&to, (UINT64_C(1) << (bits - fraction - 2)) - 1); break;
        default: irl__text_putc(&to, *from); break;
        }
    return irl__text_or_empty(irl__text_done(&to));
}

/* 1: operand k has the type that the function of this row takes there. */
static int irl__sugar_fits(irl__parser *p, const irl__token *name, int row, int k,
                           const irl__value *v, const irl_expr *const *a, irl_type hint)
{
    const int      is_power = irl__sugar_rows[row].takes_power && k;
    const irl_type to = is_power ? irl_type_of(IRL_I32, (int)a[0]->type.lanes) : a[0]->type;
    char           x[40];
    if (irl_type_equal(a[k]->type, to) && (k || irl__type_is_float(to))) return 1;
    irl__fail(p->cx, IRL_ERROR_TYPE_MISMATCH, irl__loc_at(p, v[k].offset),
              "'%s' takes %s; found %s", name->symbol->text,
              irl__sugar_rows[row].takes_power ? "a float and an i32"
              : k                              ? "floats, both alike"
                                               : "floats", irl__type_cstr(p->cx, a[k]->type));
    irl__hint_operand(p->text, v[k].offset,
                      k + 1 < irl__sugar_rows[row].arity ? v[k + 1].offset : p->token_end, x,
                      sizeof x);
    if (irl__type_is_integer(a[k]->type))
        irl__hint(p->cx, "write %s(%s)", irl__type_cstr(p->cx, is_power ? to : hint), x);
    return 0;
}

/* What a row of the table becomes with operands of the right types. */
static const irl_expr *irl__sugar_written_out(irl__parser *p, int row, const irl_expr **a,
                                              uint32_t offset)
{
    static const char *const names[] = { "x", "y" };
    const irl_type  type = a[0]->type;
    const int       arity = irl__sugar_rows[row].arity,
                    is_wide = irl__sugar_rows[row].is_wide && irl__type_is_half(type);
    const irl_expr *params[2], *body;
    irl__parser     q;
    if (is_wide) a[0] = irl_expr_cast(p->cx, irl_type_of(IRL_F32, (int)type.lanes), a[0]);
    for (int k = 0; k < arity; k++) {
        params[k] = a[k] ? irl_expr_var(p->cx, names[k], a[k]->type) : NULL;
        if (!params[k]) return NULL;
    }
    const char *text = irl__sugar_text(p->cx, irl__sugar_rows[row].text, a[0]->type);
    if (!irl__parse_begin(&q, p->cx, text, IRL_TO_NUL, NULL, 1, 0)) return NULL;
    q.code = p->code;
    body = irl__parse_expr_over(&q, arity, params);
    body = body ? irl__fn_written_out(p, body, arity, params, a, offset) : NULL;
    return body && is_wide && irl__type_is_float(body->type) ? irl_expr_cast(p->cx, type, body)
                                                             : body;
}

/* The same of a function of the language. */
static irl__value irl__sugar_call(irl__parser *p, const irl__token *name, int row, irl_type hint)
{
    const int       arity = irl__sugar_rows[row].arity,
                    has_power = irl__sugar_rows[row].takes_power;
    const irl_type  power = irl_type_of(IRL_I32, 1);
    irl__value      v[2], none = irl__value_new(IRL__VALUE_NONE, name->offset);
    const irl_expr *a[2];
    int             found = 0;
    if (!irl__type_is_float(hint)) hint = irl_type_of(IRL_F32, 1);
    for (; irl__another(p, ')', found, "',' and the next argument, or ')'"); found++) {
        irl__value one = irl__parse_value(p, !found      ? hint
                                             : has_power ? power
                                                         : irl__value_hint_beside(&v[0], hint));
        if (one.kind == IRL__VALUE_NONE) return none;
        if (found < 2) v[found] = one;
    }
    if (!irl__ok(p->cx) || !irl__fn_count(p, name, arity, found)) return none;
    if (!irl__value_unify(p, has_power ? 1 : arity, v, hint, a)) return none;
    if (has_power) a[1] = irl__value_as(p, &v[1], irl__type_with_lanes(power, a[0]->type.lanes));
    for (int k = 0; k < arity; k++)
        if (!a[k] || !irl__sugar_fits(p, name, row, k, v, a, hint)) return none;
    return irl__value_of(p, irl__sugar_written_out(p, row, a, name->offset), name->offset);
}

int irl__parse_written_out(irl__parser *p, const irl__token *name, irl_type hint, irl__value *out)
{
    const irl__symbol *s = name->symbol;
    const int          row = s->fn || s->op ? -1 : irl__sugar_of(s->text);
    if ((!s->fn && row < 0) || irl__parse_at_ranges(p)) return 0;
    *out = s->fn ? s->fn->call(p, name, s->fn) : irl__sugar_call(p, name, row, hint);
    return 1;
}

/* ------------------------------------------------------------------ definitions */

static int irl__fn_name(irl__parser *p, irl__token *name, const char *expected)
{
    irl__next(p);
    if (!irl__expect_name(p, name, expected)) return 0;
    const irl__symbol *s = name->symbol;
    const irl__op_row *op = irl__op_info((irl_op)s->op);
    if (!name->is_quoted && (s->is_type || (s->op && op->form == IRL_FORM_SPECIAL)))
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, name->offset, "'%s' is a word of the "
                            "language; choose another name", s->text);
    return 1;
}

/* (x: f32, y: f32) -> f32 = expression; */
static int irl__parse_fn_rest(irl__parser *p, irl__fn *fn)
{
    const size_t base = p->expr_count;
    irl__token   name;
    irl_type     type;
    if (!irl__expect(p, '(', "'(' and the parameters: fn f(x: f32) -> f32 = x * x;")) return 0;
    for (; irl__another(p, ')', fn->count, "',' and the next parameter, or ')'"); fn->count++)
        if (!irl__expect_name(p, &name, "a parameter: name: type") ||
            !irl__expect(p, ':', "':' and the parameter's type, as in x: f32") ||
            !irl__parse_type(p, &type) ||
            !irl__push_expr(p, irl__declare_var(p, &name, type)))
            return 0;
    fn->params = IRL__COPY(p->cx, const irl_expr *, p->exprs + base, fn->count);
    p->expr_count = base;
    if (!irl__ok(p->cx) || (fn->count && !fn->params) ||
        !irl__expect(p, IRL__ARROW, "'->' and the type of the value: fn f(x: f32) -> f32 = x * x;"))
        return 0;
    if (!irl__parse_type(p, &fn->type) || !irl__expect(p, '=', "'=' and the value")) return 0;
    const uint32_t  offset = p->token.offset;
    const irl_expr *body = irl__parse_typed(p, fn->type);
    if (!body || !irl__expect(p, ';', "an operator, or ';' after the value of the fn")) return 0;
    if (irl__expr_any(body, irl__expr_is_call, NULL))
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_STRUCTURE, offset, "a fn computes a value from its "
                            "arguments alone; this one calls a function of the target");
    fn->body = body;
    return 1;
}

static int irl__parse_fn(irl__parser *p)
{
    irl__token name;
    irl__fn   *fn = IRL__SCRATCH(p->cx, irl__fn, 1);
    if (!fn || !irl__fn_name(p, &name, "the name of the fn")) return 0;
    if (name.symbol->fn)
        return IRL__FAIL_AT(p, IRL_ERROR_DUPLICATE_NAME, name.offset, "there is a fn '%s' already",
                            name.symbol->text);
    irl__warn_hidden(p, name.symbol, "fn", name.offset);
    fn->call = irl__fn_call;
    name.symbol->fn = fn;
    const size_t scope = irl__scope_open(p);
    const int    ok = irl__parse_fn_rest(p, fn);
    irl__scope_close(p, scope);
    return ok;
}

/* The constant that an expression without variables is; NULL: it has no value. */
static const irl_expr *irl__const_value(irl__parser *p, const irl_expr *e)
{
    irl__valuation v;
    irl__scalar    value;
    memset(&v, 0, sizeof v);
    v.function = irl__fold_scalar;
    if (irl__is_const(e)) return e;
    if (e->type.is_pointer || e->type.lanes != 1 || irl__scalar_of(&v, e, &value) != IRL__FOLD_OK)
        return NULL;
    return irl__type_is_real(e->type) ? irl_expr_float(p->cx, e->type, value.f)
                                      : irl_expr_int(p->cx, e->type, value.i);
}

/* const N = 512;   const half: f32 = 0.5; */
static void irl__const_print(irl__parser *p, const char *name, const irl__value *v,
                             const irl_expr *e)
{
    irl__printer out;
    if (!p->cx->named) return;
    irl__printer_init(&out, p->cx->named, p->cx);
    irl__printf(&out, "const %n", name);
    if (e) irl__printf(&out, ": %t = %c;\n", e->type, e);
    else {
        irl__text_puts(out.t, v->is_negative ? " = -" : " = ");
        if (v->kind == IRL__VALUE_INTEGER) irl__text_uint(out.t, v->magnitude);
        else if (v->length) irl__text_append(out.t, v->numeral, v->length);
        else if (v->is_special) irl__text_puts(out.t, v->number != v->number ? "nan" : "inf");
        else irl__print_decimal(out.t, irl_type_of(IRL_F64, 1), v->number);
        irl__text_puts(out.t, ";\n");
    }
}

/* const N = 512;   const half: f32 = 0.5;   A number without a type stays one. */
static int irl__parse_const(irl__parser *p)
{
    irl__token   name;
    irl_type     type;
    irl__binding b = { IRL__DECLARED_VAR, 0, NULL, NULL, NULL };
    if (!irl__fn_name(p, &name, "the name of the constant")) return 0;
    const int is_typed = irl__accept(p, ':');
    if ((is_typed && !irl__parse_type(p, &type)) ||
        !irl__expect(p, '=', "'=' and the value: const N = 512;"))
        return 0;
    irl__value v = is_typed ? irl__value_of(p, irl__parse_typed(p, type), p->token.offset)
                            : irl__parse_value(p, irl__value_no_hint());
    if (v.kind == IRL__VALUE_NONE) return 0;
    if (irl__value_is_number(&v)) {
        b.kind = IRL__DECLARED_CONSTANT;
        if (!(b.number = IRL__COPY(p->cx, irl__value, &v, 1))) return 0;
    } else if (!(b.var = irl__const_value(p, v.e)))
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, v.offset, "a const is a number that can be "
                            "computed here; this has no value");
    irl__const_print(p, name.symbol->text, &v, b.var);
    b.var = irl__expr_named(p->cx, b.var, name.symbol->text, IRL__NAMED_TYPED);
    return irl__expect(p, ';', "an operator, or ';' after the value of the const") &&
           irl__declare(p, name.symbol, b, name.offset);
}

int irl__parse_definitions(irl__parser *p)
{
    int ok = irl__ok(p->cx);
    if (!p->warnings.cx) irl__parse_warnings(p);
    while (ok && p->token.kind == IRL__TOKEN_NAME)
        if (irl__at_word(p, IRL__WORD_FN)) ok = irl__parse_fn(p);
        else if (irl__at_word(p, IRL__WORD_CONST)) ok = irl__parse_const(p);
        else break;
    return ok;
}
