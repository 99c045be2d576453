/* c_low.c - integers of at most 16 bits in C's own `unsigned`, for programs whose indices have at
   most 32 bits: small machines, on whose 16-bit ints uint32_t takes two or four registers.

   needs     the ranges of the variables in scope
   promises  the value that the interpreter computes. C's unsigned has at least 16 bits, so for +,
             -, *, &, |, ^, ~ and << by at most 15 the low 16 bits of the result are right, and a
             cast to 8 or 16 bits keeps only these. A quotient, a remainder and >> depend on all
             bits: they are computed in unsigned only if their operands, and all intermediate
             results, are proved to be from 0 to 65535. A signed operand is first cast to unsigned,
             so nothing overflows an int. Everything else is printed as usual, and cast */
#include "c.h"

enum { IRL__LOW_BITS = 16, IRL__LOW_MOST = 65535, IRL__LOW_DEPTH = 24 };

/* A number that may be a part: an integer, no bool. */
static int irl__low_is_number(const irl_expr *x)
{
    return x->type.lanes == 1 && irl__type_is_integer(x->type) && x->depth < IRL__LOW_DEPTH;
}

static int irl__low_bits_of(const irl_expr *x) { return irl__type_info(x->type)->bits; }

/* Whether x is from 0 to `most`. */
static int irl__low_within(irl__emit *e, const irl_expr *x, int64_t most)
{
    const irl__interval r = irl__range_of(e->ranges, x);
    return r.lo >= 0 && r.hi <= most;
}

/* Whether a cast of a to x's type keeps its value. */
static int irl__low_keeps(irl__emit *e, const irl_expr *x, const irl_expr *a)
{
    const int           bits = irl__low_bits_of(x), is_signed = irl__type_is_signed(x->type);
    const irl__interval r = irl__range_of(e->ranges, a);
    if (bits >= 64) return r.lo >= 0 || is_signed;
    return r.lo >= (is_signed ? -(INT64_C(1) << (bits - 1)) : 0) &&
           r.hi <= (INT64_C(1) << (bits - is_signed)) - 1;
}

/* ------------------------------------------------------------------ what is printed so */

/* Whether x, which is printed by its parts, comes out as itself and not only its low bits: it and
   all on the way to it are from 0 to 65535. What is no such part is cast, and does. */
static int irl__low_is_exact(irl__emit *e, const irl_expr *x)
{
    const irl_expr *a = x->count ? x->a[0] : NULL, *b = x->count == 2 ? x->a[1] : NULL;
    const int       bits = irl__low_bits_of(x);
    if (!irl__low_is_number(x) || !irl__low_within(e, x, IRL__LOW_MOST)) return 0;
    if (irl__emit_find(e, x)) return 1;
    switch (x->op) {
    case IRL_OP_CAST: /* of what is no number, and of one that loses bits: printed as a cast */
        return irl__type_is_index(a->type) || !irl__type_is_integer(a->type) ||
               (bits < IRL__LOW_BITS && !irl__low_keeps(e, x, a)) || irl__low_is_exact(e, a);
    case IRL_OP_BITAND:
        if (b->op == IRL_OP_INT && irl__low_within(e, b, IRL__LOW_MOST)) return 1;
        return irl__low_is_exact(e, a) && irl__low_is_exact(e, b);
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR: return irl__low_is_exact(e, a) && irl__low_is_exact(e, b);
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL: /* of two such numbers no one wraps that has 32 bits */
        return irl__low_is_exact(e, a) && irl__low_is_exact(e, b) &&
               (bits >= 32 || irl__is_exact(e->ranges, x));
    case IRL_OP_SHL:
        return irl__low_is_exact(e, a) && irl__low_is_exact(e, b) && irl__low_within(e, b, 15) &&
               bits >= 32;
    case IRL_OP_SHR:
        return irl__low_is_exact(e, a) && irl__low_is_exact(e, b) && irl__low_within(e, b, 15);
    case IRL_OP_FLOORMOD: /* by 2^k: the low k bits, whatever the others */
        if (irl__emit_log2(b) > 0 && irl__low_within(e, b, IRL__LOW_MOST)) return 1;
        return irl__low_is_exact(e, a) && irl__low_is_exact(e, b) &&
               irl__range_of(e->ranges, b).lo > 0;
    case IRL_OP_FLOORDIV:
        return irl__low_is_exact(e, a) && irl__low_is_exact(e, b) &&
               irl__range_of(e->ranges, b).lo > 0;
    case IRL_OP_NEG:
    case IRL_OP_BITNOT: return 0;
    default: return 1;
    }
}

/* Whether x is printed by its parts where its `bits` low bits are asked for. */
static int irl__low_is_part(irl__emit *e, const irl_expr *x, int bits)
{
    if (!irl__low_is_number(x) || irl__type_is_index(x->type) || irl__emit_find(e, x)) return 0;
    switch (x->op) {
    case IRL_OP_INT: return 1;
    case IRL_OP_CAST:
        if (irl__type_is_index(x->a[0]->type))
            return e->language->index_scalar != IRL_BOOL && irl__low_keeps(e, x, x->a[0]);
        if (x->a[0]->type.lanes != 1 || !irl__type_is_integer(x->a[0]->type)) return 0;
        return irl__low_bits_of(x) >= bits || irl__low_keeps(e, x, x->a[0]);
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_NEG:
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR:
    case IRL_OP_BITNOT: return irl__low_bits_of(x) >= bits || irl__low_is_exact(e, x);
    case IRL_OP_SHL:
        return irl__low_is_exact(e, x->a[1]) && irl__low_within(e, x->a[1], 15) &&
               (irl__low_bits_of(x) >= bits || irl__low_is_exact(e, x));
    case IRL_OP_SHR:
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD: return irl__low_is_exact(e, x);
    default: return 0;
    }
}

/* ------------------------------------------------------------------ texts */

/* A value printed as ever: C's type of it may be a signed or a longer one. */
static int irl__low_is_odd(const irl__emit *e, const irl_expr *x)
{
    const irl_type t = irl__type_is_index(x->type) ? irl_type_of(e->language->index_scalar, 1)
                                                   : x->type;
    return irl__type_is_signed(t) || irl__type_info(t)->bits > IRL__LOW_BITS;
}

/* How many low bits of its operands x asks for, of which `bits` are asked for. */
static int irl__low_asked(const irl_expr *x, int bits)
{
    return x->op == IRL_OP_SHR || x->op == IRL_OP_FLOORDIV || x->op == IRL_OP_FLOORMOD
               ? IRL__LOW_BITS
               : bits;
}

/* Whether C's type of the text is an unsigned one that int does not hold, on all machines. */
static int irl__low_is_unsigned(irl__emit *e, const irl_expr *x, int bits)
{
    if (!irl__low_is_part(e, x, bits)) return irl__low_is_odd(e, x);
    bits = irl__low_asked(x, bits);
    switch (x->op) {
    case IRL_OP_CAST:
    case IRL_OP_SHR: return irl__low_is_unsigned(e, x->a[0], bits);
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR:
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
        return irl__low_is_unsigned(e, x->a[0], bits) || irl__low_is_unsigned(e, x->a[1], bits);
    default: return 1;
    }
}

static void irl__low_text(irl__emit *e, const irl_expr *x, int bits, int precedence);

/* As an unsigned, in which nothing overflows. */
static void irl__low_unsigned(irl__emit *e, const irl_expr *x, int bits, int precedence)
{
    const int is_cast = !irl__low_is_unsigned(e, x, bits);
    int       opened = is_cast ? irl__emit_cast(e, "unsigned", &precedence) : 0;
    irl__low_text(e, x, bits, precedence);
    irl__emit_close(e, opened);
}

/* What an operand of an operator must bind like: a sum in a product, and bits in anything, stand
   in parentheses. */
static int irl__low_operand(const irl_expr *x, int k)
{
    const int mine = irl__op_info((irl_op)x->op)->precedence;
    return mine < IRL__PREC_SUM ? IRL__PREC_UNARY : mine + k;
}

/* x as a number of C's that has its low bits, and all of it where it is exact. */
static void irl__low_text(irl__emit *e, const irl_expr *x, int bits, int precedence)
{
    if (!irl__low_is_part(e, x, bits)) {
        int opened = irl__low_is_odd(e, x) ? irl__emit_cast(e, "unsigned", &precedence) : 0;
        irl__emit_expr(e, x, precedence);
        irl__emit_close(e, opened);
        return;
    }
    switch (x->op) {
    case IRL_OP_INT:
        irl__textf(&e->text, "%uu", (uint64_t)x->u.i & IRL__LOW_MOST);
        break;
    case IRL_OP_CAST: irl__low_text(e, x->a[0], bits, precedence); break;
    case IRL_OP_NEG:
    case IRL_OP_BITNOT: {
        /* 0u - x, ~x */
        const int is_not = x->op == IRL_OP_BITNOT,
                  opened = irl__emit_open(e, is_not ? IRL__PREC_UNARY : IRL__PREC_SUM, precedence);
        irl__text_puts(&e->text, is_not ? "~" : "0u - ");
        irl__low_unsigned(e, x->a[0], bits, IRL__PREC_UNARY);
        irl__emit_close(e, opened);
    } break;
    default: {
        const irl__op_row *row = irl__op_info((irl_op)x->op);
        const int is_sum = x->op == IRL_OP_ADD || x->op == IRL_OP_SUB || x->op == IRL_OP_MUL,
                  is_moved = x->op == IRL_OP_SHL, of = irl__low_asked(x, bits),
                  casts = is_moved || (is_sum && !irl__low_is_unsigned(e, x->a[1], of)),
                  opened = irl__emit_open(e, row->precedence, precedence);
        (casts ? irl__low_unsigned : irl__low_text)(e, x->a[0], of, irl__low_operand(x, 0));
        irl__textf(&e->text, " %s ", row->text);
        irl__low_text(e, x->a[1], is_moved ? IRL__LOW_BITS : of, irl__low_operand(x, 1));
        irl__emit_close(e, opened);
    } break;
    }
}

int irl__c_low(irl__emit *e, const irl_expr *x, int precedence)
{
    const int bits = irl__type_info(x->type)->bits;
    if (!irl__c_program_of(e)->index.is_compact || bits > IRL__LOW_BITS || x->op == IRL_OP_INT ||
        (x->op == IRL_OP_CAST && (irl__type_is_index(x->a[0]->type) ||
                                  irl__type_info(x->a[0]->type)->bits <= bits)) ||
        !irl__low_is_part(e, x, bits))
        return 0;
    int opened = irl__emit_cast(e, e->language->types[x->type.scalar], &precedence);
    irl__low_text(e, x, bits, precedence);
    irl__emit_close(e, opened);
    return 1;
}
