/* emit_prepare.c - declarations, and what an expression needs before it can be printed.

   needs     emit_expr.c, emit_index.c
   promises  C has no let in an expression: a let becomes a declaration before the statement if its
             value is evaluated in any case, and otherwise a branch that sets a variable, so that
             nothing is evaluated twice or too early */
#include "emit.h"

/* ------------------------------------------------------------------ declarations */

/* Tells the ranges what a variable or a temporary can be, and in which width it is declared. */
static irl__width irl__prepare_bind_range(irl__emit *e, const irl_expr *key, const irl_expr *value)
{
    const int is_index = irl__type_is_index(key->type), has_lanes = key->type.lanes != 1;
    if (!value || (has_lanes ? !is_index || !e->narrow : !irl__type_is_integer(key->type)))
        return IRL__WIDTH_LONG;
    const irl__interval r = irl__range_of(e->ranges, value);
    if (key->op == IRL_OP_VAR) irl__bind_range(e->ranges, key, r.lo, r.hi);
    if (has_lanes) return irl__emit_width(e, value, NULL);
    return is_index ? irl__emit_width_of(e, value, r) : IRL__WIDTH_LONG;
}

void irl__emit_first(irl__emit *e, const irl_expr *value, irl__width declared,
                            irl__width computed)
{
    irl__width own = irl__emit_width(e, value, NULL);
    int        is_cast, precedence = IRL__PREC_CHOICE, opened = 0;
    if (computed < own) computed = own;
    is_cast = (declared < computed && value->op != IRL_OP_INT) ||
              (e->language->narrow_indices && value->count != 0);
    if (is_cast) opened = irl__emit_cast(e, e->language->index_types[declared], &precedence);
    irl__emit_index(e, value, computed, precedence);
    irl__emit_close(e, opened);
}

void irl__emit_declare(irl__emit *e, const irl_expr *key, const char *wish, const irl_expr *value)
{
    const char *name = irl__emit_take_name(e, wish);
    irl__width  outer = e->width, width = irl__prepare_bind_range(e, key, value ? value : key);
    size_t      start = e->text.length;
    if (!name) return;
    irl__emit_line(e);
    if (value) irl__text_puts(&e->text, "const ");
    e->width = width;
    irl__emitf(e, "%s%t %s", irl__emit_precise(e, key->type), key->type, name);
    if (value) {
        irl__text_puts(&e->text, " = ");
        if (irl__type_is_index(key->type) && key->type.lanes > 1)
            irl__emit_index(e, value, width, IRL__PREC_CHOICE);
        else if (irl__type_is_index(key->type) && key->type.lanes == 1)
            irl__emit_first(e, value, width, width);
        else irl__emit_assigned(e, value);
    }
    irl__text_puts(&e->text, ";\n");
    e->width = outer;
    irl__emit_symbol *symbol = irl__emit_bind(e, key, name);
    if (!symbol) return;
    symbol->width = width;
    symbol->start = start;
    symbol->end = value && !irl__emit_calls(value) ? e->text.length : 0;
    symbol->is_temporary = key->op != IRL_OP_VAR;
    e->temporaries += symbol->is_temporary;
}

void irl__emit_temporary(irl__emit *e, const irl_expr *x, const char *wish)
{
    if (x->op != IRL_OP_VAR && !irl__emit_find(e, x)) irl__emit_declare(e, x, wish, x);
}

/* ------------------------------------------------------------ what an expression needs first */

/* Compilers of C take a number of brackets in one another, clang 256. So an expression that is
   deeper than IRL__EMIT_DEEP is looked at: where its brackets, and the braces around it, may be
   more than IRL__EMIT_BRACKETS, parts of it are variables. */
#define IRL__EMIT_BRACKETS 240
#define IRL__EMIT_BRACES 200

/* How many brackets may stand around operand k of x, for x alone: rather more than fewer. */
static int irl__prepare_brackets_around(const irl_expr *x, uint32_t k)
{
    int is_plain = x->type.lanes == 1 &&
                   (irl__type_is_float(x->type) || x->type.scalar == IRL_BOOL);
    switch (x->op) {
    case IRL_OP_IF_THEN_ELSE: /* a ? (b ? c : d) : e ? f : g, and the second without where deep */
        return k == 0 || (k == 1 && (irl__type_is_index(x->type) ||
                                     x->a[1]->depth < IRL__EMIT_DEEP));
    case IRL_OP_LET: return 0;
    case IRL_OP_LOAD:
    case IRL_OP_CAST:
    case IRL_OP_SHUFFLE:
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC: return 4; /* (float4)(vload4(0, p + (int)(i)), ...) */
    default: break;
    }
    if (!is_plain) return 3; /* (int)((uint)(a) + ...) */
    if (k == 0 && x->a[0]->op == x->op && (x->op == IRL_OP_ADD || x->op == IRL_OP_MUL)) return 0;
    return irl__op_info((irl_op)x->op)->form == IRL_FORM_CALL ||
           irl__op_info((irl_op)x->a[k]->op)->form == IRL_FORM_INFIX ||
           x->a[k]->op == IRL_OP_IF_THEN_ELSE;
}

static int irl__prepare_brackets(irl__emit *e, const irl_expr *x)
{
    int most = 0, own;
    if (x->count == 0 || (e->temporaries && irl__emit_find(e, x))) return 0;
    for (uint32_t k = x->op == IRL_OP_LET ? 2 : 0; k < x->count; k++) {
        own = irl__prepare_brackets(e, x->a[k]) + irl__prepare_brackets_around(x, k);
        if (own > most) most = own;
    }
    return most;
}

static int irl__prepare_is_too_deep(irl__emit *e, const irl_expr *x)
{
    return irl__prepare_brackets(e, x) > IRL__EMIT_BRACKETS - e->indent;
}

/* The deepest operands of x get names, until the rest is not too deep. */
static void irl__prepare_name_deepest(irl__emit *e, const irl_expr *x)
{
    while (irl__ok(e->cx) && irl__prepare_is_too_deep(e, x)) {
        const irl_expr *deepest = NULL;
        int             most = 0, own;
        for (uint32_t k = 0; k < x->count; k++) {
            own = irl__prepare_brackets(e, x->a[k]);
            if (own <= most) continue;
            most = own;
            deepest = x->a[k];
        }
        if (!deepest) return;
        irl__emit_temporary(e, deepest, "part");
    }
}

/* Whether a part that is evaluated only now and then needs declarations by itself. */
static int irl__prepare_wants_branch(irl__emit *e, const irl_expr *x)
{
    return (x->flags & IRL__HAS_LET) != 0 ||
           (x->depth >= IRL__EMIT_DEEP && irl__prepare_is_too_deep(e, x));
}

void irl__emit_open_brace(irl__emit *e)
{
    if (e->indent++ < IRL__EMIT_BRACES) return;
    IRL__FAIL(e->cx, IRL_ERROR_TOO_DEEP, "more than %d branches or loops are nested in %s, whose "
              "compilers limit the depth of brackets", IRL__EMIT_BRACES, e->language->name);
}

/* `if (condition) { ...; name = value; }`, what value needs inside the braces. */
static void irl__prepare_fill_arm(irl__emit *e, const irl_expr *x, const irl_expr *value)
{
    irl__emit_scope scope = irl__emit_scope_begin(e);
    irl__emit_open_brace(e);
    irl__emit_prepare(e, value);
    irl__emit_line(e);
    irl__emit_symbol *symbol = irl__emit_find(e, x);
    irl__textf(&e->text, "%s = ", symbol ? symbol->name : "");
    irl__emit_assigned(e, value);
    irl__text_puts(&e->text, ";\n");
    irl__emit_scope_end(e, scope);
    e->indent--;
}

/* A choice whose arms need declarations, as a variable that a branch fills. && and || are choices
   too. */
static void irl__prepare_fill(irl__emit *e, const irl_expr *x)
{
    const irl_expr *then_ = x->a[1], *else_ = x->op == IRL_OP_IF_THEN_ELSE
                                                  ? x->a[2]
                                                  : irl__bool(e->cx, x->op == IRL_OP_OR);
    if (x->op == IRL_OP_OR) {
        then_ = else_;
        else_ = x->a[1];
    }
    if (!then_ || !else_) return;
    irl__emit_declare(e, x, "chosen", NULL);
    irl__emitf(e, "\tif (%e) {\n", x->a[0]);
    irl__prepare_fill_arm(e, x, then_);
    irl__emitf(e, "\t} else {\n");
    irl__prepare_fill_arm(e, x, else_);
    irl__emitf(e, "\t}\n");
    irl__emit_symbol *symbol = irl__emit_find(e, x);
    if (symbol && !irl__emit_calls(x)) symbol->end = e->text.length; /* goes if nothing uses it */
}

void irl__emit_prepare(irl__emit *e, const irl_expr *x)
{
    int lazy = x->op == IRL_OP_IF_THEN_ELSE ||
               ((x->op == IRL_OP_AND || x->op == IRL_OP_OR) && x->type.lanes == 1);
    int deep = x->depth >= IRL__EMIT_DEEP;
    int lanes = e->language->name_operands && (x->flags & IRL__HAS_LANES);
    if (!irl__ok(e->cx) || (!(x->flags & IRL__HAS_LET) && !deep && !lanes)) return;
    if (x->op == IRL_OP_VAR || (e->temporaries && irl__emit_find(e, x))) return;
    if (x->op == IRL_OP_LET) {
        irl__emit_prepare(e, x->a[1]);
        if (!irl__emit_find(e, x->a[0])) irl__emit_declare(e, x->a[0], x->a[0]->u.name, x->a[1]);
        irl__emit_prepare(e, x->a[2]);
        return;
    }
    if (lazy) {
        irl__emit_prepare(e, x->a[0]);
        if (irl__prepare_wants_branch(e, x->a[1]) ||
            (x->count == 3 && irl__prepare_wants_branch(e, x->a[2])))
            irl__prepare_fill(e, x);
        return;
    }
    for (uint32_t k = 0; k < x->count; k++) irl__emit_prepare(e, x->a[k]);
    if (lanes) e->language->name_operands(e, x);
    if (deep) irl__prepare_name_deepest(e, x);
}
