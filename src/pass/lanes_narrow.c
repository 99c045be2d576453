/* lanes_narrow.c - lanes of unsigned integers that are computed wider, or narrower, than their
   result needs: computes them in the lanes of the result, or in the narrowest lanes that hold every
   number.

   requires  nothing
   maintains what is computed
   breaks    casts in the middle of a value; shifts by distances that differ, whose result fits: a
             product and one shift by all
   cost      linear in the value, for each cast of it

   Only types, masks and constants decide which numbers a lane may be: a byte that was widened to be
   shifted is still a byte. A machine has fewer lanes of wide numbers than of narrow ones, and no
   shifts of bytes. */
#include "pass.h"

/* The lane is a number: that. */
static int irl__narrow_number(const irl_expr *e, uint32_t k, int64_t *v)
{
    const irl_expr *from;
    int64_t         a, b;
    while ((from = irl__lane_operand(e, &k)) != NULL) e = from;
    if (e->op == IRL_OP_INT) {
        *v = e->u.i;
        return 1;
    }
    if (e->op == IRL_OP_CAST) /* to 8 bits and more the same number; bool makes it 0 or 1 */
        return irl__type_is_integer(e->type) && irl__type_info(e->type)->bits >= 8 &&
               irl__narrow_number(e->a[0], k, v) && *v >= 0 && *v <= 127;
    if (e->count != 2 || !irl__narrow_number(e->a[0], k, &a) ||
        !irl__narrow_number(e->a[1], e->op == IRL_OP_RAMP ? 0 : k, &b))
        return 0;
    switch (e->op) { /* of small numbers not below 0, which no type wraps */
    case IRL_OP_RAMP: return irl__mul64(b, (int64_t)k, &b) && irl__add64(a, b, v);
    case IRL_OP_ADD: *v = a + b; break;
    case IRL_OP_MUL: *v = a * b; break;
    case IRL_OP_FLOORMOD: *v = b > 0 ? a % b : -1; break;
    case IRL_OP_FLOORDIV: *v = b > 0 ? a / b : -1; break;
    default: return 0;
    }
    return a >= 0 && b >= 0 && a <= 127 && b <= 127 && *v >= 0 && *v <= 127;
}

/* The least and the largest number among the lanes, where all are numbers. */
static int irl__narrow_numbers(const irl_expr *e, int64_t *least, int64_t *most)
{
    int64_t v;
    for (uint32_t k = 0; k < e->type.lanes; k++) {
        if (!irl__narrow_number(e, k, &v)) return 0;
        if (k == 0 || v < *least) *least = v;
        if (k == 0 || v > *most) *most = v;
    }
    return *least >= 0;
}

/* ------------------------------------------------------------------ what lanes may be */

static int irl__narrow_is_uint(irl_type t) { return irl__type_info(t)->kind == IRL_KIND_UINT; }

static uint64_t irl__narrow_full(irl_type t)
{
    const int bits = irl__type_info(t)->bits;
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static uint64_t irl__narrow_most(const irl_expr *e);

/* a + b or a * b, where no lane wraps; else the largest of the type. */
static uint64_t irl__narrow_most_sum(const irl_expr *e, uint64_t full)
{
    const uint64_t a = irl__narrow_most(e->a[0]), b = irl__narrow_most(e->a[1]);
    if (e->op == IRL_OP_ADD) return a <= full && b <= full - a ? a + b : full;
    return a == 0 || b <= full / a ? a * b : full;
}

/* The largest number of as many bits. */
static uint64_t irl__narrow_smear(uint64_t v)
{
    for (int k = 1; k < 64; k *= 2) v |= v >> k;
    return v;
}

/* No lane is above it. */
static uint64_t irl__narrow_most(const irl_expr *e)
{
    uint64_t a, b;
    int64_t  least = 0, most = 0;
    if (!irl__narrow_is_uint(e->type)) return UINT64_MAX;
    uint64_t full = irl__narrow_full(e->type);
    if (irl__narrow_numbers(e, &least, &most)) return (uint64_t)most;
    switch (e->op) {
    case IRL_OP_CAST:
        a = irl__narrow_most(e->a[0]);
        return a < full ? a : full;
    case IRL_OP_BITAND:
        a = irl__narrow_most(e->a[0]);
        b = irl__narrow_most(e->a[1]);
        return a < b ? a : b;
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR:
        return irl__narrow_smear(irl__narrow_most(e->a[0]) | irl__narrow_most(e->a[1])) & full;
    case IRL_OP_SHR:
        return irl__narrow_numbers(e->a[1], &least, &most) && least < 64
                   ? irl__narrow_most(e->a[0]) >> least
                   : full;
    case IRL_OP_FLOORMOD:
        return irl__narrow_numbers(e->a[1], &least, &most) && most > 0 ? (uint64_t)most - 1 : full;
    case IRL_OP_FLOORDIV:
        return irl__narrow_numbers(e->a[1], &least, &most) && least > 0
                   ? irl__narrow_most(e->a[0]) / (uint64_t)least
                   : full;
    case IRL_OP_ADD:
    case IRL_OP_MUL: return irl__narrow_most_sum(e, full);
    default: return full;
    }
}

/* ------------------------------------------------------------------ in lanes of another type */

static const irl_expr *irl__narrow_to(irl_ctx *cx, const irl_expr *e, irl_type t);

/* e as it is, or its lower or zero-extended bits. */
static const irl_expr *irl__narrow_leaf(irl_ctx *cx, const irl_expr *e, irl_type t)
{
    if (irl_type_equal(e->type, t)) return e;
    if (e->op == IRL_OP_BROADCAST && e->a[0]->type.lanes == 1)
        return irl_expr_broadcast(cx, irl_expr_cast(cx, irl__type_with_lanes(t, 1), e->a[0]),
                                  (int)t.lanes);
    return irl_expr_cast(cx, t, e);
}

/* A vector of numbers: `of` gives that of each lane from the one in e. */
static const irl_expr *irl__narrow_lanes(irl_ctx *cx, const irl_expr *e, irl_type t,
                                         uint64_t (*of)(int64_t v, int64_t most), int64_t most)
{
    const irl_expr *parts[IRL_MAX_LANES];
    irl_type        one = irl__type_with_lanes(t, 1);
    int64_t         v, first = 0;
    int             differ = 0;
    for (uint32_t k = 0; k < t.lanes; k++) {
        if (!irl__narrow_number(e, k, &v)) return NULL;
        if (k == 0) first = v;
        differ |= v != first;
        parts[k] = irl_expr_int(cx, one, (int64_t)(of(v, most) & irl__narrow_full(t)));
    }
    return differ ? irl__lanes_join(cx, t.lanes, parts)
                  : irl_expr_broadcast(cx, parts[0], (int)t.lanes);
}

static uint64_t irl__narrow_same(int64_t v, int64_t most) { return (void)most, (uint64_t)v; }
static uint64_t irl__narrow_power(int64_t v, int64_t most) { return (void)most, (uint64_t)1 << v; }
static uint64_t irl__narrow_rest(int64_t v, int64_t most) { return (uint64_t)1 << (most - v); }
static uint64_t irl__narrow_last(int64_t v, int64_t most) { return (void)v, (uint64_t)most; }

static uint64_t irl__narrow_is(int64_t v, int64_t most) { return v == most ? UINT64_MAX : 0; }
static uint64_t irl__narrow_is_not(int64_t v, int64_t most) { return v == most ? 0 : UINT64_MAX; }

static const irl_expr *irl__narrow_op(irl_ctx *cx, const irl_expr *e, irl_type t)
{
    return irl_expr_op2(cx, (irl_op)e->op, irl__narrow_to(cx, e->a[0], t),
                        irl__narrow_to(cx, e->a[1], t));
}

enum { IRL__NARROW_TWICE = 20 }; /* no deeper value stands twice in a text */

/* Are all distances one of two? */
static int irl__narrow_is_two(const irl_expr *by, int64_t least, int64_t most)
{
    int64_t v;
    for (uint32_t k = 0; k < by->type.lanes; k++)
        if (!irl__narrow_number(by, k, &v) || (v != least && v != most)) return 0;
    return 1;
}

/* a >> k: of distances that differ the product that shifts all to the same place, where it fits,
   and one shift; else of two distances two shifts, and masks. NULL: the distances are not known, or
   a has bits that the type has not. */
static const irl_expr *irl__narrow_shift(irl_ctx *cx, const irl_expr *e, irl_type t)
{
    const irl_expr *a, *by = e->a[1];
    const uint64_t  value = irl__narrow_most(e->a[0]), full = irl__narrow_full(t);
    int64_t         least = 0, most = 0;
    if (!irl__narrow_numbers(by, &least, &most) || value > full ||
        most >= irl__type_info(t)->bits)
        return NULL;
    a = irl__narrow_to(cx, e->a[0], t);
    if (most == 0) return a;
    /* Lanes of a by one distance, and the others by another one: few machines shift each lane of 16
       bits by its own. */
    if (a && least != most && (full >> (most - least)) < value && a->depth < IRL__NARROW_TWICE &&
        irl__narrow_is_two(by, least, most)) {
        const irl_type  one = irl__type_with_lanes(t, 1);
        const int       n = (int)t.lanes;
        const irl_expr *late = irl_expr_op2(cx, IRL_OP_SHR, a,
                                            irl_expr_broadcast(cx, irl_expr_int(cx, one, most), n));
        if (least)
            a = irl_expr_op2(cx, IRL_OP_SHR, a,
                             irl_expr_broadcast(cx, irl_expr_int(cx, one, least), n));
        a = irl_expr_op2(cx, IRL_OP_BITAND, a,
                         irl__narrow_lanes(cx, by, t, irl__narrow_is_not, most));
        late = irl_expr_op2(cx, IRL_OP_BITAND, late,
                            irl__narrow_lanes(cx, by, t, irl__narrow_is, most));
        return irl_expr_op2(cx, IRL_OP_BITOR, a, late);
    }
    if (!a || least == most || (full >> (most - least)) < value)
        return irl_expr_op2(cx, IRL_OP_SHR, a,
                            irl__narrow_lanes(cx, by, t, irl__narrow_same, 0));
    a = irl_expr_op2(cx, IRL_OP_MUL, a, irl__narrow_lanes(cx, by, t, irl__narrow_rest, most));
    return irl_expr_op2(cx, IRL_OP_SHR, a, irl__narrow_lanes(cx, by, t, irl__narrow_last, most));
}

/* a * 2^k for a << k, of which no bit is lost that the type has. */
static const irl_expr *irl__narrow_left(irl_ctx *cx, const irl_expr *e, irl_type t)
{
    int64_t least = 0, most = 0;
    if (!irl__narrow_numbers(e->a[1], &least, &most) || most > 62 ||
        (irl__type_info(t)->bits > irl__type_info(e->type)->bits &&
         irl__narrow_most(e->a[0]) > irl__narrow_full(e->type) >> most))
        return NULL;
    return irl_expr_op2(cx, IRL_OP_MUL, irl__narrow_to(cx, e->a[0], t),
                        irl__narrow_lanes(cx, e->a[1], t, irl__narrow_power, 0));
}

/* a % 2^k: a mask. */
static const irl_expr *irl__narrow_mod(irl_ctx *cx, const irl_expr *e, irl_type t)
{
    int64_t c = 0, most = 0;
    if (!irl__narrow_numbers(e->a[1], &c, &most) || c != most || c < 1 || (c & (c - 1)))
        return NULL;
    uint64_t mask = (uint64_t)(c - 1) & irl__narrow_full(t);
    return irl_expr_op2(cx, IRL_OP_BITAND, irl__narrow_to(cx, e->a[0], t),
                        irl_expr_broadcast(
                            cx, irl_expr_int(cx, irl__type_with_lanes(t, 1), (int64_t)mask),
                            (int)t.lanes));
}

/* a / 2^k: a shift. */
static const irl_expr *irl__narrow_div(irl_ctx *cx, const irl_expr *e, irl_type t)
{
    int64_t c = 0, most = 0, k = 0;
    if (!irl__narrow_numbers(e->a[1], &c, &most) || c != most || c < 1 || (c & (c - 1)))
        return NULL;
    while (INT64_C(1) << k < c) k++;
    const irl_expr *by = irl_expr_int(cx, irl__type_with_lanes(e->type, 1), k);
    by = by ? irl_expr_op2(cx, IRL_OP_SHR, e->a[0],
                           irl_expr_broadcast(cx, by, (int)e->type.lanes))
            : NULL;
    return by ? irl__narrow_shift(cx, by, t) : NULL;
}

/* e, of unsigned numbers, in lanes of t: the same number, without the bits that t has not. NULL:
   not by these rules, or a diagnostic. */
static const irl_expr *irl__narrow_to(irl_ctx *cx, const irl_expr *e, irl_type t)
{
    int64_t least = 0, most = 0;
    int     is_wider = irl__narrow_full(t) > irl__narrow_full(e->type);
    if (irl__narrow_numbers(e, &least, &most))
        return irl__narrow_lanes(cx, e, t, irl__narrow_same, 0);
    switch (e->op) {
    case IRL_OP_CAST: {
        /* A cast that changes no value is as its operand. */
        const irl_expr *a = e->a[0];
        if (!irl__narrow_is_uint(a->type)) return irl__narrow_leaf(cx, e, t);
        return irl__narrow_full(t) <= irl__narrow_full(e->type) ||
                       irl__narrow_most(a) <= irl__narrow_full(e->type)
                   ? irl__narrow_to(cx, a, t)
                   : irl__narrow_leaf(cx, e, t);
    }
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR: return irl__narrow_op(cx, e, t);
    case IRL_OP_ADD:
    case IRL_OP_MUL: /* what may wrap at its own width does so there */
        return is_wider && irl__narrow_most(e) == irl__narrow_full(e->type)
                   ? irl__narrow_leaf(cx, e, t)
                   : irl__narrow_op(cx, e, t);
    case IRL_OP_SHR: return irl__narrow_shift(cx, e, t);
    case IRL_OP_SHL: return irl__narrow_left(cx, e, t);
    case IRL_OP_FLOORMOD: return irl__narrow_mod(cx, e, t);
    case IRL_OP_FLOORDIV: return irl__narrow_div(cx, e, t);
    default: return irl__narrow_leaf(cx, e, t);
    }
}

/* ------------------------------------------------------------------ a cast */

/* Whether distances of a shift to the right differ from lane to lane: 1; whether there is anything
   that is computed otherwise in other lanes: 2. */
static int irl__narrow_finds(const irl_expr *e)
{
    int64_t least = 0, most = 0;
    int     found = 0;
    if (!irl__narrow_is_uint(e->type) || irl__narrow_numbers(e, &least, &most)) return 0;
    switch (e->op) {
    case IRL_OP_SHR:
        found = 2 | (irl__narrow_numbers(e->a[1], &least, &most) && least != most);
        break;
    case IRL_OP_CAST:
    case IRL_OP_SHL:
    case IRL_OP_FLOORMOD:
    case IRL_OP_FLOORDIV: found = 2; break;
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR:
    case IRL_OP_ADD:
    case IRL_OP_MUL: break;
    default: return 0;
    }
    for (uint32_t k = 0; k < e->count; k++) found |= irl__narrow_finds(e->a[k]);
    return found;
}

/* Without the casts under one that no number of theirs is changed by. */
static const irl_expr *irl__narrow_straight(irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *a = e->a[0];
    while (a->op == IRL_OP_CAST && irl__narrow_is_uint(a->type) &&
           irl__narrow_is_uint(a->a[0]->type) &&
           irl__narrow_most(a->a[0]) <= irl__narrow_full(a->type))
        a = a->a[0];
    return a == e->a[0] ? e : irl_type_equal(a->type, e->type) ? a : irl_expr_cast(cx, e->type, a);
}

static const irl_expr *irl__narrow_any(irl_ctx *cx, const irl_target *target, const irl_expr *e)
{
    static const    irl_scalar types[] = { IRL_U8, IRL_U16 };
    const irl_expr *a = e->op == IRL_OP_CAST ? e->a[0] : NULL, *to;
    irl__kind       kind = irl__type_info(e->type)->kind;
    int             found, is_int = kind == IRL_KIND_UINT || kind == IRL_KIND_INT;
    if (!a || e->type.lanes == 1 || !irl__target_has_picks(target) ||
        (!is_int && kind != IRL_KIND_FLOAT) || irl__type_info(a->type)->bits > 32)
        return e;
    found = irl__narrow_finds(a);
    if (!found) return e;
    for (size_t k = found & 1 || e->type.scalar == IRL_U16; k < IRL__COUNTOF(types); k++) {
        irl_type t = irl_type_of(types[k], (int)e->type.lanes);
        if (irl__narrow_most(a) > irl__narrow_full(t) &&
            !(is_int && irl__type_info(e->type)->bits <= irl__type_info(t)->bits))
            continue;
        to = irl__narrow_to(cx, a, t);
        if (to) return irl_type_equal(t, e->type) ? to : irl_expr_cast(cx, e->type, to);
        if (!irl__ok(cx)) return NULL;
    }
    return irl__narrow_straight(cx, e);
}

const irl_expr *irl__lanes_narrow(irl_ctx *cx, const irl_target *target, const irl_expr *e)
{
    e = irl__narrow_any(cx, target, e);
    /* Machines convert an i32 to a float, and no byte. */
    if (!irl__target_has_picks(target)) return e;
    const irl_expr *a = e && e->op == IRL_OP_CAST ? e->a[0] : NULL;
    const int is_byte = a && irl__type_info(a->type)->bits == 8 && irl__type_is_integer(a->type);
    if (!is_byte || e->type.lanes == 1 || e->type.scalar != IRL_F32) return e;
    a = irl_expr_cast(cx, irl_type_of(IRL_I32, (int)a->type.lanes), a);
    return irl_expr_cast(cx, e->type, a);
}
