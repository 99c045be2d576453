/* ulp.c - ULP comparison: are two numbers the same, as far as our semantics say? For tests
   and for --check.

   needs     scalar.c
   promises  integers bit for bit, floats within so many representable numbers */
#include "eval.h"

/* The least normal number; what is smaller may be taken for zero. 0 where subnormals are always
   kept. */
static double irl__ulp_least_normal(irl_type t)
{
    switch (t.scalar) {
    case IRL_F16: return 6.103515625e-05;             /* 2^-14 */
    case IRL_BF16:
    case IRL_F32: return 1.17549435082228750797e-38;  /* 2^-126 */
    default: return 0.0;
    }
}

/* The place of a number among the representable ones of its type, in order; both zeros are at 0. */
static int64_t irl__ulp_place(irl_type t, double value)
{
    irl__scalar s;
    uint64_t    bits, sign = UINT64_C(1) << (irl__type_info(t)->bits - 1);
    if (irl__type_is_normalised(t)) return irl__norm_from_double(t, value);
    s.f = value;
    bits = irl__scalar_bits(t, s);
    return bits & sign ? -(int64_t)(bits - sign) : (int64_t)bits;
}

static uint64_t irl__ulp_distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

int irl__values_close(irl_type type, irl__scalar a, irl__scalar b, int ulp)
{
    double least = irl__ulp_least_normal(type);
    if (!irl__type_is_real(type)) return a.i == b.i;
    if (irl__type_is_normalised(type) && a.f <= -1 && b.f <= -1) return 1; /* -1 both */
    if (a.f != a.f || b.f != b.f) return a.f != a.f && b.f != b.f;
    if (a.f == b.f) return 1;
    if (a.f > -least && a.f < least && b.f > -least && b.f < least) return 1;
    if (a.f - a.f != 0 || b.f - b.f != 0) return 0; /* an infinity is near nothing else */
    return irl__ulp_distance(irl__ulp_place(type, a.f), irl__ulp_place(type, b.f)) <=
           (uint64_t)(ulp + irl__type_is_storage(type));
}
