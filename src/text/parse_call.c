/* parse_call.c - what an expression in a function may contain and a map may not: vectors, bits of
   another type, loads, reductions, calls of the target's functions and of those that are replaced
   by their expressions.

   needs     parse_expr.c, which comes here for them; parse_fn.c */
#include "parse.h"

/* A number as it is written, or by the name of a const: not negative; 0: neither is here. */
static int irl__call_number(const irl__parser *p, uint64_t *out)
{
    const irl__binding *b = p->token.kind == IRL__TOKEN_NAME ? &p->token.symbol->binding : NULL;
    *out = p->token.integer;
    if (p->token.kind == IRL__TOKEN_INTEGER) return 1;
    if (!b || b->kind == IRL__UNDECLARED || b->kind == IRL__DECLARED_BUFFER) return 0;
    if (b->kind == IRL__DECLARED_CONSTANT) {
        *out = b->number->magnitude;
        return b->number->kind == IRL__VALUE_INTEGER && !b->number->is_negative;
    }
    *out = (uint64_t)b->var->u.i;
    return b->var->op == IRL_OP_INT && b->var->u.i >= 0;
}

int irl__parse_count(irl__parser *p, int least, int most, const char *what, int *out)
{
    uint64_t n;
    if (!irl__call_number(p, &n)) return irl__unexpected(p, what);
    if (n > (uint64_t)most || n < (uint64_t)least)
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, p->token.offset, "%s is from %d to %d; "
                            "found %u", what, least, most, n);
    *out = (int)n;
    irl__next(p);
    return 1;
}

/* ------------------------------------------------------------------ vectors */

/* the end of ramp(base, stride, 4) and broadcast(x, 4) */
static int irl__parse_lanes(irl__parser *p, int *lanes)
{
    return irl__expect(p, ',', "',' and the number of lanes") &&
           irl__parse_count(p, 2, IRL_MAX_LANES, "the number of lanes", lanes) &&
           irl__expect(p, ')', "')' after the number of lanes");
}

static irl__value irl__parse_lane(irl__parser *p, uint32_t offset)
{
    const irl_expr *a[2];
    a[0] = irl__parse_any(p);
    if (!a[0] || !irl__expect(p, ',', "',' and the number of the lane")) return irl__value_none(p);
    a[1] = irl__parse_any(p);
    if (!a[1] || !irl__expect(p, ')', "')' after the number of the lane"))
        return irl__value_none(p);
    return irl__value_of(p, irl__expr_op(p->cx, IRL_OP_LANE, 2, a, irl__loc_at(p, offset)), offset);
}

static irl__value irl__parse_ramp(irl__parser *p, irl_type hint, uint32_t offset)
{
    irl__value      v[2];
    const irl_expr *a[2];
    int             lanes = 0;
    v[0] = irl__parse_value(p, hint);
    if (v[0].kind == IRL__VALUE_NONE || !irl__expect(p, ',', "',' and the stride"))
        return irl__value_none(p);
    v[1] = irl__parse_value(p, hint);
    if (v[1].kind == IRL__VALUE_NONE || !irl__parse_lanes(p, &lanes) ||
        !irl__value_unify(p, 2, v, hint, a))
        return irl__value_none(p);
    return irl__value_of(p, irl_expr_ramp(p->cx, a[0], a[1], lanes), offset);
}

/* shuffle(a, b, [0, 5]); "(" has been read. */
static irl__value irl__parse_shuffle(irl__parser *p, uint32_t offset)
{
    size_t     base = p->expr_count;
    int        count = 0, lanes = 0, picks[IRL_MAX_LANES];
    irl__value result = irl__value_none(p);
    while (p->token.kind != '[') {
        if (!irl__push_expr(p, irl__parse_any(p)) ||
            !irl__expect(p, ',', "',' and the next vector, or the picks: [0, 5]"))
            return result;
        count++;
    }
    irl__next(p);
    for (; irl__another(p, ']', lanes, "',' and the next lane, or ']'"); lanes++) {
        if (lanes == IRL_MAX_LANES)
            return irl__unexpected(p, "']': a value has at most 64 lanes"), result;
        if (!irl__parse_count(p, 0, IRL_MAX_LANES * 1024, "a lane to pick", &picks[lanes]))
            return result;
    }
    if (!irl__ok(p->cx) || !irl__expect(p, ')', "')' after the picks")) return result;
    result =
        irl__value_of(p, irl_expr_shuffle(p->cx, count, p->exprs + base, lanes, picks), offset);
    p->expr_count = base;
    return result;
}

/* ------------------------------------------------------------------ functions of the target */

/* The arguments of a call, pushed onto p->exprs: a number takes the type that the function's
   prototype has there. */
static int irl__parse_arguments(irl__parser *p, const irl__extern *x, int *count)
{
    for (;;) {
        irl_type   hint = x && *count < x->is.count
                              ? irl__value_hint_of(x->is.params[*count].var->type)
                              : irl__value_no_hint();
        irl__value v = irl__parse_value(p, hint);
        if (v.kind == IRL__VALUE_NONE || !irl__push_expr(p, irl__value_settle(p, &v, hint)))
            return 0;
        (*count)++;
        if (irl__accept(p, ')')) return irl__ok(p->cx);
        if (!irl__expect(p, ',', "',' and the next argument, or ')'")) return 0;
    }
}

/* The arguments and the ')' of a call of a function of the target. */
static irl__value irl__parse_call_rest(irl__parser *p, irl_op op, irl_type type, const char *name,
                                       int has_arguments, uint32_t offset)
{
    const size_t base = p->expr_count;
    int          count = 0;
    const irl__extern *x = op == IRL_OP_CALL_EXTERN
                               ? (const irl__extern *)irl__ptr_map_get(&p->externs, name)
                               : NULL;
    if (has_arguments && !irl__parse_arguments(p, x, &count)) return irl__value_none(p);
    irl__value result =
        irl__value_of(p, irl__expr_call(p->cx, op, type, name, count, p->exprs + base), offset);
    p->expr_count = base;
    return result;
}

/* name(a, b) of a function that extern declares. 0: none is declared, or the name means another. */
static int irl__parse_declared_call(irl__parser *p, const irl__token *name, irl__value *out)
{
    const irl__extern *x =
        irl__may_be_hidden(name->symbol) && !name->symbol->is_plain && !irl__parse_at_ranges(p)
            ? (const irl__extern *)irl__ptr_map_get(&p->externs, name->symbol->text)
            : NULL;
    if (!x) return 0;
    irl__warn_hidden(p, name->symbol, "extern", name->offset);
    *out = irl__parse_call_rest(p, IRL_OP_CALL_EXTERN, x->is.type, name->symbol->text,
                                !irl__accept(p, ')'), name->offset);
    return 1;
}

/* extern(f32, name, a, b) and intrinsic(...); "(" has been read. */
static irl__value irl__parse_named_call(irl__parser *p, irl_op op, uint32_t offset)
{
    irl_type    type;
    if (!irl__parse_type(p, &type) || !irl__expect(p, ',', "',' and the name of the function"))
        return irl__value_none(p);
    const char *name = irl__expect_symbol(p, "the name of the function");
    if (!name) return irl__value_none(p);
    const int has_arguments = irl__accept(p, ',');
    if (!has_arguments && !irl__expect(p, ')', "',' and an argument, or ')'"))
        return irl__value_none(p);
    return irl__parse_call_rest(p, op, type, name, has_arguments, offset);
}

/* ------------------------------------------------------------------ reductions */

/* NULL: the name is none of a reduction. */
static const irl__reduced *irl__parse_reduced(const irl__symbol *s)
{
    static const irl__reduced rows[] = {
        { "sum", IRL_OP_ADD, IRL__REDUCED },        { "prod", IRL_OP_MUL, IRL__REDUCED },
        { "max", IRL_OP_MAX, IRL__REDUCED },        { "min", IRL_OP_MIN, IRL__REDUCED },
        { "mean", IRL_OP_ADD, IRL__REDUCED_MEAN },  { "any", IRL_OP_MAX, IRL__REDUCED_TRUTH },
        { "all", IRL_OP_MIN, IRL__REDUCED_TRUTH },  { "count", IRL_OP_ADD, IRL__REDUCED_COUNT },
        { "argmax", IRL_OP_MAX, IRL__REDUCED_PICK }, { "argmin", IRL_OP_MIN, IRL__REDUCED_PICK },
    };
    for (size_t k = 0; k < IRL__COUNTOF(rows); k++)
        if (s->text[0] == rows[k].text[0] && strcmp(s->text, rows[k].text) == 0) return &rows[k];
    return NULL;
}

/* A call of what is no function: of one of the words that stand before ranges, the form is said. */
static irl__value irl__parse_not_found(irl__parser *p, const irl__token *name,
                                       const irl__reduced *reduced)
{
    if (reduced) {
        IRL__FAIL_AT(p, IRL_ERROR_UNKNOWN_NAME, name->offset, "there is no function '%s' here, "
                     "only a reduction", reduced->text);
        irl__hint(p->cx, "write a range first, %s(k: n, ...)", reduced->text);
    } else irl__unknown_name(p, name, "function");
    return irl__value_none(p);
}

/* ------------------------------------------------------------------ the whole */

/* A call of an operator whose operands are read in their own way. */
static irl__value irl__parse_special(irl__parser *p, irl_op op, irl_type hint, uint32_t offset)
{
    switch (op) {
    case IRL_OP_REINTERPRET: {
        irl_type        type;
        if (!irl__parse_type(p, &type) ||
            !irl__expect(p, ',', "',' and the value that is seen as this type"))
            return irl__value_none(p);
        const irl_expr *e = irl__parse_any(p);
        if (!e || !irl__expect(p, ')', "')' after the operand of as")) return irl__value_none(p);
        return irl__value_of(p, irl_expr_reinterpret(p->cx, type, e), offset);
    }
    case IRL_OP_UNDEF: {
        irl_type type;
        if (!irl__parse_type(p, &type) || !irl__expect(p, ')', "')' after the type of undef"))
            return irl__value_none(p);
        return irl__value_of(p, irl_expr_undef(p->cx, type), offset);
    }
    case IRL_OP_RAMP: return irl__parse_ramp(p, hint, offset);
    case IRL_OP_BROADCAST: {
        irl__value v = irl__parse_value(p, hint);
        int        lanes = 0;
        if (v.kind == IRL__VALUE_NONE || !irl__parse_lanes(p, &lanes)) return irl__value_none(p);
        const irl_expr *e = irl__value_settle(p, &v, hint);
        return irl__value_of(p, irl_expr_broadcast(p->cx, e, lanes), offset);
    }
    case IRL_OP_SHUFFLE: return irl__parse_shuffle(p, offset);
    case IRL_OP_LANE: return irl__parse_lane(p, offset);
    default: return irl__parse_named_call(p, op, offset);
    }
}

/* 0: it is a call that maps have too. */
static int irl__parse_code_call(irl__parser *p, const irl__token *name, irl_type hint,
                                irl__value *out)
{
    const irl__symbol  *s = name->symbol;
    const irl_op        op = (irl_op)s->op;
    const irl__reduced *reduced = irl__parse_reduced(s);
    const int           has_ranges = reduced && irl__parse_at_ranges(p);
    if (!has_ranges && ((!s->fn && irl__parse_declared_call(p, name, out)) ||
                        irl__parse_written_out(p, name, hint, out)))
        return 1;
    if (has_ranges || s->word == IRL__WORD_SUM || s->word == IRL__WORD_PROD) {
        *out = irl__value_none(p);
        if (p->reduce) *out = p->reduce(p, reduced, hint, name->offset);
        else
            IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, name->offset, "a reduction is not allowed here, only "
                         "in a value that a statement stores or binds, or in its condition; bind "
                         "it by let before");
        return 1;
    }
    if (op == IRL_OP_LANE || (irl__op_info(op)->form == IRL_FORM_SPECIAL && op != IRL_OP_LET)) {
        *out = irl__parse_special(p, op, hint, name->offset);
        return 1;
    }
    if (op || s->word == IRL__WORD_FLOORDIV || s->word == IRL__WORD_FLOORMOD) return 0;
    *out = irl__parse_not_found(p, name, reduced);
    return 1;
}

static irl__value irl__parse_load(irl__parser *p, const irl_buffer *b, uint32_t offset)
{
    size_t     base = p->expr_count;
    int        count = 0;
    irl__next(p); /* [ */
    if (!irl__parse_indices(p, ']', "',' and the next index, or ']'", 1, &count))
        return irl__value_none(p);
    const irl_expr *load = irl__expr_load(p->cx, b, count, p->exprs + base, irl__loc_at(p, offset));
    p->expr_count = base;
    if (!load && p->token.kind == '[')
        irl__hint(p->cx, "write all indices in one pair of brackets, %s[i, j]", b->name);
    return irl__value_of(p, load, offset);
}

int irl__parse_begin_code(irl__parser *p, irl_ctx *cx, const char *text, size_t length,
                          const char *file, int line, int is_macro)
{
    if (!irl__parse_begin(p, cx, text, length, file, line, is_macro)) return 0;
    p->code.call = irl__parse_code_call;
    p->code.load = irl__parse_load;
    return 1;
}

const irl_expr *irl__parse_expr(irl_ctx *cx, const char *text, int var_count,
                                const irl_expr *const *vars)
{
    irl__parser p;
    if (!irl__parse_begin_code(&p, cx, text, IRL_TO_NUL, NULL, 1, 0)) return NULL;
    return irl__parse_expr_over(&p, var_count, vars);
}
