/* emit_expr.c - expressions of scalars, and of vectors that a language computes as such, printed by
   the operator table.

   needs     emit_number.c, emit_index.c; a language for what only it has: memory, lanes, storage
             types, the names of functions
   promises  the fewest parentheses that a reader, and the warnings of compilers, require; integers
             wrap as the interpreter's do: signed sums are computed unsigned unless they are proved
             to fit; division floors */
#include "emit.h"

void irl__emit_need(irl__emit *e, int kind, irl_type type)
{
    irl__emit_helper helper;
    /* there a helper of vectors calls that of scalars */
    if (e->language->exact_types && type.lanes > 1)
        irl__emit_need(e, kind, irl__type_with_lanes(type, 1));
    for (ptrdiff_t k = 0; k < stbds_arrlen(e->helpers); k++)
        if (e->helpers[k].kind == kind && irl_type_equal(e->helpers[k].type, type)) return;
    helper.kind = kind;
    helper.type = type;
    (void)IRL__PUSH_SCRATCH(e->cx, e->helpers, helper); /* a failure is in the context */
}

/* ------------------------------------------------------------------ operands */

void irl__emit_operand(irl__emit *e, const irl_expr *x, int precedence)
{
    if (irl__type_is_index(x->type)) irl__emit_index(e, x, e->width, precedence);
    else irl__emit_expr(e, x, precedence);
}

static int irl__expr_is_narrow(irl_type t) { return irl__type_info(t)->bits < 32; }

/* The expression that is printed for x: a let is declared before, and a number without a sign is
   its own absolute value. */
static const irl_expr *irl__expr_printed(const irl_expr *x)
{
    for (;;) {
        if (x->op == IRL_OP_LET) x = x->a[2];
        else if (x->op == IRL_OP_ABS && irl__type_info(x->type)->kind == IRL_KIND_UINT) x = x->a[0];
        else return x;
    }
}

/* C promotes what is narrower than int, bits that stand for halves and fractions too; a function
   that is overloaded by type must get the narrow type back. */
void irl__emit_argument(irl__emit *e, const irl_expr *x)
{
    irl_op printed = (irl_op)irl__expr_printed(x)->op;
    int choice = printed == IRL_OP_SELECT || printed == IRL_OP_IF_THEN_ELSE ||
                 printed == IRL_OP_INT ||
                 (printed == IRL_OP_FLOAT && irl__emit_is_bits(e->language, x->type));
    int precedence = IRL__PREC_ANY, opened = 0;
    if (choice && !e->language->exact_types && x->type.lanes == 1 &&
        (irl__type_is_integer(x->type) || irl__emit_is_bits(e->language, x->type)) &&
        irl__expr_is_narrow(x->type))
        opened = irl__emit_cast(e, e->language->types[x->type.scalar], &precedence);
    if (irl__type_is_index(x->type) && e->language->narrow_indices && x->count)
        opened = irl__emit_cast(e, e->language->index_types[e->width], &precedence);
    irl__emit_operand(e, x, precedence);
    irl__emit_close(e, opened);
}

void irl__emit_assigned(irl__emit *e, const irl_expr *x)
{
    irl_op printed = (irl_op)irl__expr_printed(x)->op;
    if (e->language->promotes && x->type.lanes == 1 && irl__expr_is_narrow(x->type) &&
        (printed == IRL_OP_SELECT || printed == IRL_OP_IF_THEN_ELSE) &&
        x->type.scalar != IRL_BOOL)
        irl__emit_argument(e, x);
    else irl__emit_expr(e, x, IRL__PREC_CHOICE);
}

const irl__function_row *irl__emit_function_row(const irl__emit *e, const irl_expr *x)
{
    const irl__function_row *row = e->language->functions;
    for (; row && row->name; row++)
        if ((int)row->op == (int)x->op && row->scalars >> x->type.scalar & 1) return row;
    return NULL;
}

const char *irl__emit_function_name(const irl__emit *e, const irl_expr *x)
{
    const irl__function_row *row = irl__emit_function_row(e, x);
    return row ? row->name : irl__op_info((irl_op)x->op)->ocl;
}

void irl__emit_function(irl__emit *e, const irl_expr *x)
{
    const char *name = irl__emit_function_name(e, x), *suffix = e->language->float_suffix;
    const int   is_open = strchr(name, '(') != NULL; /* the operands stand behind others */
    irl__text_puts(&e->text, name);
    if (is_open) irl__text_puts(&e->text, ", ");
    else irl__emit_call(e, suffix && x->type.scalar == IRL_F32 ? suffix : "", x->count, x->a);
    if (is_open) irl__emit_argument(e, x->a[0]);
    irl__emit_close(e, is_open);
}

void irl__emit_call(irl__emit *e, const char *function, uint32_t count, const irl_expr *const *args)
{
    irl__text_puts(&e->text, function);
    irl__text_putc(&e->text, '(');
    for (uint32_t k = 0; k < count; k++) {
        if (k) irl__text_append(&e->text, ", ", 2);
        irl__emit_argument(e, args[k]);
    }
    irl__text_putc(&e->text, ')');
}

void irl__emit_helper_call(irl__emit *e, int kind, const char *name, irl_type type,
                           uint32_t count, const irl_expr *const *args)
{
    irl__emit_need(e, kind, type);
    irl__textf(&e->text, "%s_%s_%s", e->prefix, name, e->language->types[type.scalar]);
    if (type.lanes > 1) irl__text_uint(&e->text, type.lanes);
    irl__emit_call(e, "", count, args);
}

int irl__emit_operand_precedence(const irl__emit *e, int mine, const irl_expr *x, int k)
{
    /* in any order */
    if (x->op == IRL_OP_ADD && irl__type_is_index(x->type) && e->width == IRL__WIDTH_UINT)
        return mine;
    if (k == 0 && x->a[0]->op == x->op && mine < IRL__PREC_EQUAL) return mine;
    if (mine < IRL__PREC_BITS) return IRL__PREC_EQUAL;
    if (mine < IRL__PREC_EQUAL || mine == IRL__PREC_SHIFT) return IRL__PREC_UNARY;
    if (mine < IRL__PREC_SUM) return IRL__PREC_SUM;
    return mine + k;
}

/* A number made of a bool: C's compilers see the bool through casts, and warn where it is compared
   with other numbers than 0 and 1, or where ~ flips its bits. */
static const irl_expr *irl__expr_counted(irl__emit *e, const irl_expr *x)
{
    if (!e->language->promotes || x->type.lanes != 1) return NULL;
    while (x->op == IRL_OP_CAST && irl__type_is_integer(x->type) && !irl__emit_find(e, x)) {
        x = x->a[0];
        if (x->type.scalar == IRL_BOOL) return x;
    }
    return NULL;
}

/* An operand whose number counts: of a bool, one of two numbers, which no compiler warns of. */
static void irl__expr_number(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl_expr *from = irl__expr_counted(e, x);
    if (!from) {
        irl__emit_operand(e, x, precedence);
        return;
    }
    irl__textf(&e->text, "(%s)(", irl__emit_scalar_type(e, x->type));
    irl__emitf(e, "%p ? 1 : 0)", IRL__PREC_OR, from);
}

/* What C's compilers see to be 0 or 1: a comparison, or bits of such. */
static int irl__expr_is_truth(irl__emit *e, const irl_expr *x)
{
    x = irl__expr_printed(x);
    if (irl__emit_find(e, x)) return 0;
    if (x->op == IRL_OP_BITAND || x->op == IRL_OP_BITOR || x->op == IRL_OP_BITXOR)
        return irl__expr_is_truth(e, x->a[0]) && irl__expr_is_truth(e, x->a[1]);
    return irl__op_info((irl_op)x->op)->rule == IRL__COMPARE ||
           irl__op_info((irl_op)x->op)->rule == IRL__RULE_BOOL;
}

/* Whether a text calls anything. */
static int irl__text_calls(const irl__text *t)
{
    for (size_t k = 1; k < t->length; k++)
        if (t->data[k] == '(' && irl__in_identifier(t->data[k - 1])) return 1;
    return 0;
}

/* Bits of two truths: clang takes | for a mistaken || where the right one holds a call, unless the
   left one is a number in so many words. The right one is printed first, and once: nested, they
   would be printed twice at each level. */
static void irl__expr_bits_of_truths(irl__emit *e, const irl_expr *x, int mine)
{
    const irl__text outer = irl__emit_apart(e);
    irl__emit_operand(e, x->a[1], irl__emit_operand_precedence(e, mine, x, 1));
    const irl__text right = irl__emit_back(e, outer);
    if (irl__text_calls(&right)) {
        irl__emitf(e, "(int)%o", IRL__PREC_UNARY, x->a[0]);
    } else irl__emit_operand(e, x->a[0], irl__emit_operand_precedence(e, mine, x, 0));
    irl__textf(&e->text, " %s ", irl__op_info((irl_op)x->op)->text);
    irl__text_join(&e->text, &right);
}

/* ------------------------------------------------------------------ literals */

/* Whether x has more bits than a literal of its text is known to have: those of int, 16 on some
   machines, where the language promotes, and 32 elsewhere. */
static int irl__expr_outgrows(const irl__emit *e, const irl_expr *x)
{
    const irl__emit_language *l = e->language;
    const char               *suffix = irl__emit_suffix(e, x->type);
    int                       bits = irl__type_info(x->type)->bits;
    if (x->type.lanes != 1 || l->exact_types || !irl__type_is_integer(x->type)) return 0;
    if (irl__type_is_index(x->type)) {
        suffix = l->index_suffixes[e->width];
        bits = l->index_scalar != IRL_BOOL
                   ? irl__type_info(irl_type_of(l->index_scalar, 1))->bits
                   : e->width == IRL__WIDTH_LONG ? 64 : 32;
    }
    if (bits == 64) return suffix[0] == '\0' || suffix[1] == '\0'; /* "ll", "ull" */
    return l->promotes && bits == 32;
}

/* Whether irl__emit_index writes a cast around x itself: it is computed in fewer bits. */
static int irl__expr_is_widened_index(irl__emit *e, const irl_expr *x)
{
    const irl__width own = irl__type_is_index(x->type) ? irl__emit_width(e, x, NULL) : e->width;
    return own < e->width && e->language->index_types[own] != e->language->index_types[e->width];
}

static int irl__expr_is_literal(irl__emit *e, const irl_expr *x);

/* Whether x, a cast, is a literal: of the same type in C, where no cast stands. */
static int irl__expr_is_bare_cast(irl__emit *e, const irl_expr *x)
{
    const irl__width outer = e->width;
    const char      *const to = irl__emit_scalar_type(e, x->type);
    if (irl__type_is_index(x->a[0]->type)) e->width = irl__emit_width(e, x->a[0], NULL);
    int is_bare = strcmp(to, irl__emit_scalar_type(e, x->a[0]->type)) == 0 &&
                  irl__expr_is_literal(e, x->a[0]);
    e->width = outer;
    return is_bare;
}

/* Whether the text of x, an operand, is literals alone, of which one is chosen: then C's type of it
   is that of the numbers, which may be too short for what is computed of them. */
static int irl__expr_is_literal(irl__emit *e, const irl_expr *x)
{
    x = irl__expr_printed(x);
    if (x->type.lanes != 1 || irl__emit_find(e, x)) return 0;
    switch (x->op) {
    case IRL_OP_INT: return 1;
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        return !irl__expr_is_widened_index(e, x) && irl__expr_is_literal(e, x->a[1]) &&
               irl__expr_is_literal(e, x->a[2]);
    case IRL_OP_CAST: return irl__expr_is_bare_cast(e, x);
    default: return 0;
    }
}

/* Whether the first operand of x must be cast to x's type: all that counts for C's type of the
   text are literals. */
static int irl__expr_widens(irl__emit *e, const irl_expr *x)
{
    const int is_moved = x->op == IRL_OP_SHL || x->op == IRL_OP_SHR;
    if (irl__op_info((irl_op)x->op)->rule == IRL__COMPARE || !irl__expr_outgrows(e, x) ||
        !irl__expr_is_literal(e, x->a[0]))
        return 0;
    return is_moved || x->count == 1 || irl__expr_is_literal(e, x->a[1]);
}

/* The first operand of x, of that type. */
static void irl__expr_first(irl__emit *e, const irl_expr *x, int precedence,
                            void (*operand)(irl__emit *, const irl_expr *, int))
{
    const int opened = irl__expr_widens(e, x)
                           ? irl__emit_cast(e, irl__emit_scalar_type(e, x->type), &precedence) : 0;
    operand(e, x->a[0], precedence);
    irl__emit_close(e, opened);
}

/* `v * 2.0f` rather than `v * (float4)(2.0f)`. */
const irl_expr *irl__emit_scalar_of(const irl_expr *x)
{
    if (x->op != IRL_OP_BROADCAST || x->a[0]->type.lanes != 1) return NULL;
    return irl__type_is_float(x->type) || x->type.scalar == IRL_I32 || x->type.scalar == IRL_U32
               ? x->a[0]
               : NULL;
}

void irl__emit_infix(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__op_row *row = irl__op_info((irl_op)x->op);
    /* calls in the text form */
    int truncates = x->op == IRL_OP_TRUNCDIV || x->op == IRL_OP_TRUNCMOD;
    int mine = truncates ? IRL__PREC_PRODUCT : row->precedence,
        opened = irl__emit_open(e, mine, precedence);
    void (*operand)(irl__emit *, const irl_expr *, int) =
        row->rule == IRL__COMPARE ? irl__expr_number : irl__emit_operand;
    if (e->language->promotes && (x->op == IRL_OP_BITAND || x->op == IRL_OP_BITOR) &&
        irl__expr_is_truth(e, x->a[0]) && irl__expr_is_truth(e, x->a[1])) {
        irl__expr_bits_of_truths(e, x, mine);
        irl__emit_close(e, opened);
        return;
    }
    /* one operand may be a scalar, but not what is shifted */
    const int       is_shift = x->op == IRL_OP_SHL || x->op == IRL_OP_SHR;
    const int       is_wide = e->language->widens && x->a[0]->type.lanes > 1;
    const irl_expr *a = !is_wide || is_shift ? NULL : irl__emit_scalar_of(x->a[0]),
                   *b = !is_wide || a ? NULL : irl__emit_scalar_of(x->a[1]);
    if (a) irl__emit_operand(e, a, irl__emit_operand_precedence(e, mine, x, 0));
    else irl__expr_first(e, x, irl__emit_operand_precedence(e, mine, x, 0), operand);
    irl__textf(&e->text, " %s ", !truncates ? row->text : x->op == IRL_OP_TRUNCDIV ? "/" : "%");
    operand(e, b ? b : x->a[1], irl__emit_operand_precedence(e, mine, x, 1));
    irl__emit_close(e, opened);
}

static void irl__expr_prefix(irl__emit *e, const irl_expr *x, int precedence)
{
    int opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
    irl__text_puts(&e->text, irl__op_info((irl_op)x->op)->text);
    if (x->op == IRL_OP_BITNOT) irl__expr_first(e, x, IRL__PREC_UNARY, irl__expr_number);
    else /* never -- */
        irl__expr_first(e, x, x->op == IRL_OP_NEG ? IRL__PREC_POSTFIX : IRL__PREC_UNARY,
                        irl__emit_operand);
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ wrapping integers */

/* Whether C's operator on C's types gives the interpreter's value as it stands. */
static int irl__expr_is_plain(irl__emit *e, const irl_expr *x)
{
    irl__kind kind = irl__type_info(x->type)->kind;
    if ((kind != IRL_KIND_INT && kind != IRL_KIND_UINT) || e->language->exact_types ||
        x->type.lanes > 1)
        return 1;
    if (irl__expr_is_narrow(x->type)) return 0;
    if (x->op == IRL_OP_SHL && kind == IRL_KIND_INT && irl__range_of(e->ranges, x->a[0]).lo < 0)
        return 0; /* undefined in C, however small */
    return kind == IRL_KIND_UINT || x->op == IRL_OP_SHR || x->op == IRL_OP_BITAND ||
           x->op == IRL_OP_BITOR || x->op == IRL_OP_BITXOR || x->op == IRL_OP_BITNOT ||
           irl__is_exact(e->ranges, x);
}

static int irl__expr_is_sum(const irl_expr *x)
{
    return x->op == IRL_OP_ADD || x->op == IRL_OP_SUB || x->op == IRL_OP_MUL;
}

/* x as the unsigned type of its width, at least 32 bits. */
static void irl__expr_unsigned(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__op_row *row = irl__op_info((irl_op)x->op);
    const int          is_long = irl__type_info(x->type)->bits == 64;
    int                opened;
    if (x->op == IRL_OP_INT) {
        irl__text_uint(&e->text, (uint64_t)x->u.i & (is_long ? UINT64_MAX : UINT32_MAX));
        irl__text_puts(&e->text, e->language->unsigned_suffixes[is_long]);
    } else if (irl__expr_is_sum(x) && !irl__expr_is_narrow(x->type) && !irl__emit_find(e, x)) {
        opened = irl__emit_open(e, row->precedence, precedence);
        irl__expr_unsigned(e, x->a[0], row->precedence);
        irl__textf(&e->text, " %s ", row->text);
        irl__expr_unsigned(e, x->a[1], row->precedence + 1);
        irl__emit_close(e, opened);
    } else {
        opened = irl__emit_cast(e, e->language->types[is_long ? IRL_U64 : IRL_U32],
                                &precedence);
        irl__emit_expr(e, x, precedence);
        irl__emit_close(e, opened);
    }
}

/* (int)((uint)a + (uint)b): wraps where a + b would be undefined. */
static void irl__expr_wrapping(irl__emit *e, const irl_expr *x, int precedence)
{
    const char *zero = e->language->unsigned_suffixes[irl__type_info(x->type)->bits == 64];
    int         opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
    irl__textf(&e->text, "(%s)(", e->language->types[x->type.scalar]);
    if (irl__expr_is_sum(x) && irl__expr_is_narrow(x->type)) {
        irl__expr_unsigned(e, x->a[0], irl__op_info((irl_op)x->op)->precedence);
        irl__textf(&e->text, " %s ", irl__op_info((irl_op)x->op)->text);
        irl__expr_unsigned(e, x->a[1], irl__op_info((irl_op)x->op)->precedence + 1);
    } else if (irl__expr_is_sum(x)) irl__expr_unsigned(e, x, IRL__PREC_ANY);
    else if (x->op == IRL_OP_NEG) {
        irl__textf(&e->text, "0%s - ", zero);
        irl__expr_unsigned(e, x->a[0], IRL__PREC_PRODUCT);
    } else if (x->op == IRL_OP_SHL) {
        const int is_short = x->a[0]->op == IRL_OP_INT && e->language->promotes &&
                             irl__type_info(x->type)->bits == 32;
        int left = IRL__PREC_UNARY,
            shifted = is_short ? irl__emit_cast(e, e->language->types[IRL_U32], &left) : 0;
        irl__expr_unsigned(e, x->a[0], left);
        irl__emit_close(e, shifted);
        irl__emitf(e, " << %p", IRL__PREC_UNARY, x->a[1]);
    } else if (irl__op_info((irl_op)x->op)->form == IRL_FORM_PREFIX)
        irl__expr_prefix(e, x, IRL__PREC_ANY);
    else irl__emit_infix(e, x, IRL__PREC_ANY);
    irl__text_putc(&e->text, ')');
    irl__emit_close(e, opened);
}

static void irl__expr_arithmetic(irl__emit *e, const irl_expr *x, int precedence)
{
    /* a | true, which compilers warn of */
    if (x->op == IRL_OP_BITOR && x->type.scalar == IRL_BOOL &&
        (irl__is_int(x->a[0], 1) || irl__is_int(x->a[1], 1)) && !irl__emit_calls(x))
        irl__emit_int(e, 1, 0, 8, "", precedence);
    else if (!irl__expr_is_plain(e, x)) irl__expr_wrapping(e, x, precedence);
    else if (irl__op_info((irl_op)x->op)->form == IRL_FORM_PREFIX)
        irl__expr_prefix(e, x, precedence);
    else irl__emit_infix(e, x, precedence);
}

/* ------------------------------------------------------------------ division */

int irl__emit_log2(const irl_expr *x)
{
    int k;
    while (x->op == IRL_OP_BROADCAST) x = x->a[0];
    if (x->op != IRL_OP_INT || x->u.i <= 0 || (x->u.i & (x->u.i - 1))) return -1;
    for (k = 0; (x->u.i >> k) != 1;) k++;
    return k;
}

/* Floor division by 2^k: an arithmetic shift, or the low bits. */
static void irl__expr_divide_by_power(irl__emit *e, const irl_expr *x, int k, int precedence)
{
    int opened =
        irl__emit_open(e, x->op == IRL_OP_FLOORDIV ? IRL__PREC_SHIFT : IRL__PREC_BITS, precedence);
    irl__expr_first(e, x, IRL__PREC_UNARY, irl__emit_operand);
    irl__text_puts(&e->text, x->op == IRL_OP_FLOORDIV ? " >> " : " & ");
    if (x->type.lanes > 1) {
        irl__emitf(e, e->language->call_casts ? "%t(%l)" : "(%t)(%l)", x->type,
                   x->op == IRL_OP_FLOORDIV ? (int64_t)k : (INT64_C(1) << k) - 1);
    } else if (x->op == IRL_OP_FLOORDIV) irl__text_uint(&e->text, (uint64_t)k);
    else if (irl__type_is_index(x->type)) irl__text_int(&e->text, (INT64_C(1) << k) - 1);
    else
        irl__emit_int(e, (INT64_C(1) << k) - 1, 0, 64, irl__emit_suffix(e, x->type),
                      IRL__PREC_UNARY);
    irl__emit_close(e, opened);
}

/* Whether C's / and % give the interpreter's answer: operands without sign, or truncation that
   cannot overflow. */
static int irl__expr_divides_as_c(irl__emit *e, const irl_expr *x)
{
    irl__interval a = irl__range_of(e->ranges, x->a[0]), b = irl__range_of(e->ranges, x->a[1]);
    int           is_index = irl__type_is_index(x->type);
    if (irl__type_info(x->type)->kind == IRL_KIND_UINT || (is_index && e->width == IRL__WIDTH_UINT))
        return 1;
    if (a.lo >= 0 && b.lo > 0) return 1;
    if (!e->language->divides_signed || x->type.lanes > 1 || x->op == IRL_OP_FLOORDIV ||
        x->op == IRL_OP_FLOORMOD)
        return 0;
    /* the least number by -1 */
    return is_index || irl__expr_is_narrow(x->type) || b.lo > -1 || b.hi < -1;
}

/* By a helper, of operands of int or long; of lanes as they are, where nothing is promoted. */
static void irl__expr_divide_by_helper(irl__emit *e, const irl_expr *x)
{
    const int        lanes = (int)x->type.lanes, exact = e->language->exact_types;
    const irl_scalar own = x->type.scalar == IRL_I64 ? IRL_I64 : IRL_I32;
    const int        is_cast = lanes > 1 && exact && irl__expr_is_narrow(x->type);
    irl_type         type = irl__emit_computed(e, x->type);
    if (!irl__type_is_index(x->type) && (lanes == 1 || exact)) type = irl_type_of(own, lanes);
    if (is_cast) irl__emitf(e, "%t(", x->type);
    irl__emit_helper_call(e, (int)x->op,
                          x->op == IRL_OP_FLOORDIV   ? "floordiv"
                          : x->op == IRL_OP_FLOORMOD ? "floormod"
                                                     : irl__op_info((irl_op)x->op)->text,
                          type, 2, x->a);
    irl__emit_close(e, is_cast);
}

static void irl__expr_divide(irl__emit *e, const irl_expr *x, int precedence)
{
    const int k = irl__emit_log2(x->a[1]);
    const int floors = x->op == IRL_OP_FLOORDIV || x->op == IRL_OP_FLOORMOD;
    int       opened = 0;
    if (x->type.lanes == 1 && !irl__type_is_index(x->type) && irl__expr_is_narrow(x->type))
        /* from int, to which C has promoted it */
        opened = irl__emit_cast(e, e->language->types[x->type.scalar], &precedence);
    if (irl__expr_divides_as_c(e, x)) irl__emit_infix(e, x, precedence);
    else if (floors && k >= 0) irl__expr_divide_by_power(e, x, k, precedence);
    else irl__expr_divide_by_helper(e, x);
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ choice, comparison, casts */

/* One arm, with what the condition says about ranges where only this arm is evaluated. */
static void irl__expr_arm(irl__emit *e, const irl_expr *x, int holds, int precedence)
{
    int mark = irl__facts_mark(e->ranges);
    if (x->op == IRL_OP_IF_THEN_ELSE) irl__emit_assume(e, x->a[0], holds);
    irl__emit_operand(e, x->a[holds ? 1 : 2], precedence);
    irl__facts_release(e->ranges, mark);
}

/* To any type but index, which emit_index.c casts to. */
static void irl__expr_cast(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl_expr *a = x->a[0];
    const char *to = e->language->types[x->type.scalar], *from = e->language->types[a->type.scalar];
    int             opened, is_int = 0; /* an index below int's width is computed in int */
    if (irl__type_is_index(a->type)) {
        from = e->language->index_types[irl__emit_width(e, a, NULL)];
        is_int = e->language->narrow_indices && a->count;
    }
    if (strcmp(to, from) == 0 && !is_int) {
        irl__emit_expr(e, a, precedence);
    } else if (x->type.scalar == IRL_BOOL) {
        opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
        irl__emitf(e, "%p != 0", IRL__PREC_SUM, a);
        irl__emit_close(e, opened);
    } else {
        opened = irl__emit_cast(e, to, &precedence);
        irl__emit_expr(e, a, precedence);
        irl__emit_close(e, opened);
    }
}

/* The subscript of a lane stays inside of the vector: what is not proved to is brought there. (The
   interpreter refuses such a number, so that no result hangs on it.) */
const irl_expr *irl__emit_lane_number(irl__emit *e, const irl_expr *k, uint32_t lanes)
{
    irl__interval r = irl__range_of(e->ranges, k);
    if (r.lo >= 0 && r.hi < (int64_t)lanes) return k;
    k = irl_expr_op2(e->cx, IRL_OP_MAX, k, irl_expr_int(e->cx, k->type, 0));
    return irl_expr_op2(e->cx, IRL_OP_MIN, k, irl_expr_int(e->cx, k->type, (int64_t)lanes - 1));
}

/* ------------------------------------------------------------------ any expression */

static void irl__expr_unknown(irl__emit *e, const irl_expr *x)
{
    if (x->op == IRL_OP_VAR)
        irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here,
                  "variable '%s' is used where it is not declared", x->u.name);
    else
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "%s has no form for %s",
                  e->language->name, irl__op_info((irl_op)x->op)->name);
}

void irl__emit_operator(irl__emit *e, const irl_expr *x, int precedence)
{
    if (e->language->expr(e, x, precedence)) return;
    switch (x->op) {
    case IRL_OP_INT: {
        const irl__type_row *row = irl__type_info(x->type);
        irl__emit_int(e, x->u.i, row->kind == IRL_KIND_UINT, row->bits,
                      irl__emit_suffix(e, x->type), precedence);
    } break;
    /* irl__emit_prepare has declared it */
    case IRL_OP_LET: irl__emit_operand(e, x->a[2], precedence); break;
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE: {
        int    opened = irl__emit_open(e, IRL__PREC_CHOICE, precedence);
        irl_op condition = (irl_op)irl__expr_printed(x->a[0])->op;
        int    is_bits =
            condition == IRL_OP_BITAND || condition == IRL_OP_BITOR || condition == IRL_OP_BITXOR;
        /* which compilers warn of in front of ? */
        irl__emitf(e, "%p ? ", is_bits ? IRL__PREC_EQUAL : IRL__PREC_OR, x->a[0]);
        irl__expr_arm(e, x, 1, x->a[1]->depth < IRL__EMIT_DEEP ? IRL__PREC_OR : IRL__PREC_CHOICE);
        irl__text_puts(&e->text, " : ");
        irl__expr_arm(e, x, 0, IRL__PREC_CHOICE);
        irl__emit_close(e, opened);
    } break;
    case IRL_OP_CAST: irl__expr_cast(e, x, precedence); break;
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCDIV:
    case IRL_OP_TRUNCMOD: irl__expr_divide(e, x, precedence); break;
    default: {
        const irl__op_row *row = irl__op_info((irl_op)x->op);
        if (row->rule == IRL__COMPARE) {
            irl__width outer = e->width;
            if (irl__type_is_index(x->a[0]->type)) e->width = irl__emit_width(e, x->a[0], x->a[1]);
            irl__emit_infix(e, x, precedence);
            e->width = outer;
        } else if (row->form == IRL_FORM_INFIX || row->form == IRL_FORM_PREFIX)
            irl__expr_arithmetic(e, x, precedence);
        else if (row->form == IRL_FORM_CALL)
            irl__emit_function(e, x);
        else irl__expr_unknown(e, x);
    } break;
    }
}

void irl__emit_expr(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__emit_symbol *symbol;
    if (!x || !irl__ok(e->cx)) return;
    if (irl__type_is_index(x->type)) {
        irl__emit_index(e, x, irl__emit_width(e, x, NULL), precedence);
        return;
    }
    symbol = x->op == IRL_OP_VAR || e->temporaries ? irl__emit_find(e, x) : NULL;
    if (symbol) irl__text_puts(&e->text, symbol->name);
    else irl__emit_operator(e, x, precedence);
}
