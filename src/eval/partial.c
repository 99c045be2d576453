/* partial.c - integers of which some bits are undefined.

   needs     number.c
   promises  a bit is defined only if it is the same whatever the undefined ones are. What a part
             of a byte is written by, `byte & 240 | bits`, keeps the bits of that part alone
             undefined: &, |, ^, ~, +, -, shifts and casts, and products, quotients and remainders
             by a power of two, are followed bit by bit; any other result is undefined as a whole
   cost      nothing where all is defined

   Such a lane holds its bits, 0 where they are undefined, and in its upper half which those are.
   Where the upper half is 0 it is the number of a row that says both, of numbers beyond 32 bits, or
   0: then all are undefined, as they are where the row has been taken for a later number. */
#include "eval.h"

static uint64_t irl__partial_full(irl_type t)
{
    return UINT64_MAX >> (64 - irl__type_info(t)->bits);
}

static int irl__partial_is_int(irl_type t)
{
    return irl__type_is_integer(t) && !irl__type_is_index(t);
}

irl__partial irl__partial_of(const irl__interpreter *in, irl_type t, const irl__eval_value *value,
                             uint32_t k)
{
    const uint64_t lane = (uint64_t)value->lane[k].i;
    irl__partial   p;
    p.bits = p.undef = 0;
    if (!(value->undef >> k & 1)) p.bits = irl__scalar_bits(t, value->lane[k]);
    else if (!irl__partial_is_int(t) || !lane) p.undef = irl__partial_full(t);
    else if (lane >> 32) {
        p.bits = lane & UINT32_MAX;
        p.undef = lane >> 32;
    } else {
        const irl__partial_row *row = &in->partial[lane % IRL__PARTIAL_ROWS];
        p.undef = irl__partial_full(t);
        if (row->number == lane) p = row->value;
    }
    return p;
}

void irl__partial_set(irl__interpreter *in, irl_type t, irl__eval_value *value, uint32_t k,
                      irl__partial p)
{
    const uint64_t full = irl__partial_full(t);
    p.undef &= full;
    p.bits &= full & ~p.undef;
    value->undef &= ~(UINT64_C(1) << k);
    if (!p.undef) {
        value->lane[k] = irl__scalar_of_bits(t, p.bits);
        return;
    }
    value->undef |= UINT64_C(1) << k;
    value->lane[k].i = 0;
    if (p.undef == full || !irl__partial_is_int(t)) return;
    if ((p.bits | p.undef) <= UINT32_MAX) {
        value->lane[k].i = (int64_t)(p.undef << 32 | p.bits);
        return;
    }
    if (++in->partial_count > UINT32_MAX) in->partial_count = 1;
    irl__partial_row *row = &in->partial[in->partial_count % IRL__PARTIAL_ROWS];
    row->number = in->partial_count;
    row->value = p;
    value->lane[k].i = (int64_t)in->partial_count;
}

/* ------------------------------------------------------------------ operators */

/* How often a number can be halved; 64 of 0. */
static int irl__partial_zeros(uint64_t n)
{
    int k;
    for (k = 0; k < 64 && !(n >> k & 1); k++) {}
    return k;
}

/* Its exponent; -1: it is no power of two that is known. */
static int irl__partial_power(irl__partial p)
{
    return p.undef || !p.bits || p.bits & (p.bits - 1) ? -1 : irl__partial_zeros(p.bits);
}

static irl__partial irl__partial_left(irl__partial p, int by)
{
    p.bits <<= by;
    p.undef <<= by;
    return p;
}

/* Of a signed type the sign moves in. */
static irl__partial irl__partial_right(irl_type t, irl__partial p, int by)
{
    const uint64_t full = irl__partial_full(t), sign = full ^ full >> 1,
                   fill = irl__type_is_signed(t) ? full & ~(full >> by) : 0;
    const int bit = (p.bits & sign) != 0, undef = (p.undef & sign) != 0;
    p.bits = p.bits >> by | (bit ? fill : 0);
    p.undef = p.undef >> by | (undef ? fill : 0);
    return p;
}

/* a + b or a - b: below the lowest bit of b both are a; a carry goes up. */
static irl__partial irl__partial_sum(irl__partial a, irl__partial b, int is_minus)
{
    const int      low = irl__partial_zeros(b.bits | b.undef);
    const uint64_t below = low < 64 ? (UINT64_C(1) << low) - 1 : UINT64_MAX;
    const uint64_t undef = (a.undef | b.undef) & ~below;
    irl__partial   p;
    p.bits = is_minus ? a.bits - b.bits : a.bits + b.bits;
    p.undef = (a.undef & below) | (undef ? UINT64_MAX << irl__partial_zeros(undef) : 0);
    return p;
}

/* 0: nothing is known of the result. */
static int irl__partial_op(irl_op op, irl_type t, irl__partial a, irl__partial b, irl__partial *out)
{
    const int power = irl__partial_power(b), other = irl__partial_power(a);
    switch (op) {
    case IRL_OP_BITAND:
        out->bits = a.bits & b.bits;
        out->undef = (a.undef & (b.undef | b.bits)) | (b.undef & a.bits);
        return 1;
    case IRL_OP_BITOR:
        out->bits = a.bits | b.bits;
        out->undef = (a.undef & ~b.bits) | (b.undef & ~a.bits);
        return 1;
    case IRL_OP_BITXOR:
        out->bits = a.bits ^ b.bits;
        out->undef = a.undef | b.undef;
        return 1;
    case IRL_OP_BITNOT:
        out->bits = ~a.bits;
        out->undef = a.undef;
        return 1;
    case IRL_OP_ADD:
        *out = a.bits | a.undef ? irl__partial_sum(a, b, 0) : b;
        return 1;
    case IRL_OP_SUB: *out = irl__partial_sum(a, b, 1); return 1;
    case IRL_OP_MUL:
        if (power < 0 && other < 0) return 0;
        *out = power < 0 ? irl__partial_left(b, other) : irl__partial_left(a, power);
        return 1;
    case IRL_OP_SHL:
    case IRL_OP_SHR:
        if (b.undef || b.bits >= (uint64_t)irl__type_info(t)->bits) return 0;
        *out = op == IRL_OP_SHL ? irl__partial_left(a, (int)b.bits)
                                : irl__partial_right(t, a, (int)b.bits);
        return 1;
    case IRL_OP_FLOORDIV:
    case IRL_OP_FLOORMOD:
        /* of a signed type the largest power is the smallest number */
        if (power < 0 || (irl__type_is_signed(t) && power == irl__type_info(t)->bits - 1)) return 0;
        if (op == IRL_OP_FLOORDIV) *out = irl__partial_right(t, a, power);
        else {
            out->bits = a.bits & (b.bits - 1);
            out->undef = a.undef & (b.bits - 1);
        }
        return 1;
    default: return 0;
    }
}

int irl__partial_result(irl__interpreter *in, const irl_expr *e, const irl__eval_value *args,
                       uint32_t k, irl__eval_value *out)
{
    irl__partial a, p;
    irl_type     t = e->a[0]->type;
    if (!irl__partial_is_int(t) || !irl__partial_is_int(e->type) || e->count > 2) return 0;
    a = irl__partial_of(in, t, &args[0], k);
    irl__partial b = irl__partial_of(in, t, &args[e->count - 1], k);
    if (!irl__partial_op((irl_op)e->op, t, a, b, &p)) return 0;
    irl__partial_set(in, e->type, out, k, p);
    return 1;
}

void irl__partial_cast(irl__interpreter *in, irl_type from, irl_type to, irl__eval_value *value,
                       uint32_t k)
{
    const uint64_t full = irl__partial_full(from), above = ~full;
    irl__partial   p = irl__partial_of(in, from, value, k);
    if (!irl__partial_is_int(from) || !irl__partial_is_int(to)) p.undef = UINT64_MAX;
    else if (irl__type_is_signed(from)) {
        if (p.bits & (full ^ full >> 1)) p.bits |= above;
        if (p.undef & (full ^ full >> 1)) p.undef |= above;
    }
    irl__partial_set(in, to, value, k, p);
}
