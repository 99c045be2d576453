/* half_model.h - sums, products, quotients and roots of f16 and bf16 by integers alone: the exact
   value, rounded once to the nearest, ties to even. It shares nothing with the library.

   A number is its bits; all NaN are alike (half_is_nan). Integers of 64 bits suffice: what lies so
   far below the last place that it only says "not exact" is one bit. */
#ifndef IRL_HALF_MODEL_H
#define IRL_HALF_MODEL_H

#include <stdint.h>

typedef struct half_format {
    int precision, least, largest; /* bits; the power of the last place; 2^largest is infinite */
} half_format;

static const half_format half_f16 = { 11, -24, 16 }, half_bf16 = { 8, -133, 128 };

/* size * 2^power; size 0 is a zero */
typedef struct half_number {
    int      negative, infinite, nan, power;
    uint64_t size;
} half_number;

static uint16_t half_infinity(const half_format *f)
{
    return (uint16_t)((f->largest - f->least - f->precision + 2) << (f->precision - 1));
}
static uint16_t half_nan(const half_format *f) { return (uint16_t)(half_infinity(f) | 1); }
static int half_is_nan(const half_format *f, uint16_t bits)
{
    return (bits & 0x7fff) > half_infinity(f);
}

static half_number half_read(const half_format *f, uint16_t bits)
{
    const int   digits = f->precision - 1, stored = (bits & 0x7fff) >> digits;
    half_number n;
    n.negative = bits >> 15;
    n.infinite = (bits & 0x7fff) == half_infinity(f);
    n.nan = half_is_nan(f, bits);
    n.size = (uint64_t)(bits & ((1 << digits) - 1)) + (stored ? (uint64_t)1 << digits : 0);
    n.power = f->least + (stored ? stored - 1 : 0);
    return n;
}

/* The half nearest to size * 2^power, and a little more where `more`. */
static uint16_t half_round(const half_format *f, int negative, uint64_t size, int power, int more)
{
    const uint16_t sign = (uint16_t)(negative << 15);
    uint64_t       kept, rest, middle;
    int            bits = 0, place, shift;
    if (!size) return sign; /* `more` is far below the least half then */
    while (bits < 64 && size >> bits) bits++;
    place = power + bits - f->precision;
    if (place < f->least) place = f->least;
    shift = place - power;
    if (shift > 63) return sign;
    if (shift > 0) {
        kept = size >> shift;
        rest = size & (((uint64_t)1 << shift) - 1);
        middle = (uint64_t)1 << (shift - 1);
        kept += rest > middle || (rest == middle && (more || (kept & 1)));
    } else kept = size << -shift;
    if (kept >> f->precision) {
        kept >>= 1;
        place++;
    }
    if (place + f->precision > f->largest) return (uint16_t)(sign | half_infinity(f));
    if (!(kept >> (f->precision - 1))) return (uint16_t)(sign | kept); /* subnormal, or 0 */
    return (uint16_t)(sign | (((uint64_t)(place - f->least) << (f->precision - 1)) + kept));
}

static uint16_t half_signed_infinity(const half_format *f, int negative)
{
    return (uint16_t)(negative << 15 | half_infinity(f));
}

static uint16_t half_add(const half_format *f, uint16_t x, uint16_t y)
{
    half_number a = half_read(f, x), b = half_read(f, y), swap;
    int         apart;
    if (a.nan || b.nan || (a.infinite && b.infinite && a.negative != b.negative))
        return half_nan(f);
    if (a.infinite || b.infinite)
        return half_signed_infinity(f, a.infinite ? a.negative : b.negative);
    if (!a.size && !b.size) return (uint16_t)((a.negative & b.negative) << 15);
    if (!a.size) return y;
    if (!b.size) return x;
    if (a.power < b.power) {
        swap = a;
        a = b;
        b = swap;
    }
    /* further apart, b is below a quarter of a's last place, and any such number rounds alike */
    apart = a.power - b.power;
    if (apart > 40) {
        apart = 40;
        b.size = 1;
    }
    a.size <<= apart;
    a.power -= apart;
    if (a.negative == b.negative) return half_round(f, a.negative, a.size + b.size, a.power, 0);
    if (a.size == b.size) return 0;
    return a.size > b.size ? half_round(f, a.negative, a.size - b.size, a.power, 0)
                           : half_round(f, b.negative, b.size - a.size, a.power, 0);
}

static uint16_t half_sub(const half_format *f, uint16_t x, uint16_t y)
{
    return half_add(f, x, (uint16_t)(y ^ 0x8000));
}

static uint16_t half_mul(const half_format *f, uint16_t x, uint16_t y)
{
    half_number a = half_read(f, x), b = half_read(f, y);
    int         negative = a.negative ^ b.negative;
    int         zero = (!a.size && !a.infinite) || (!b.size && !b.infinite);
    if (a.nan || b.nan || ((a.infinite || b.infinite) && zero)) return half_nan(f);
    if (a.infinite || b.infinite) return half_signed_infinity(f, negative);
    return half_round(f, negative, a.size * b.size, a.power + b.power, 0);
}

static uint16_t half_div(const half_format *f, uint16_t x, uint16_t y)
{
    half_number a = half_read(f, x), b = half_read(f, y);
    int         negative = a.negative ^ b.negative, a_zero = !a.size && !a.infinite,
        b_zero = !b.size && !b.infinite;
    if (a.nan || b.nan || (a.infinite && b.infinite) || (a_zero && b_zero)) return half_nan(f);
    if (a.infinite || b_zero) return half_signed_infinity(f, negative);
    if (b.infinite || a_zero) return (uint16_t)(negative << 15);
    a.size <<= 40;
    return half_round(f, negative, a.size / b.size, a.power - 40 - b.power,
                      a.size % b.size != 0);
}

static uint16_t half_sqrt(const half_format *f, uint16_t x)
{
    half_number a = half_read(f, x);
    uint64_t    root = 0, bit;
    if (a.nan || (a.negative && (a.size || a.infinite))) return half_nan(f);
    if (a.infinite || !a.size) return x;
    a.size <<= 40 + (a.power & 1);
    a.power -= 40 + (a.power & 1);
    for (bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= a.size) root += bit;
    return half_round(f, 0, root, a.power / 2, root * root != a.size);
}

/* -1, 0, 1; 2: one of them is no number */
static int half_order(const half_format *f, uint16_t x, uint16_t y)
{
    int a = x & 0x8000 ? -(x & 0x7fff) : x, b = y & 0x8000 ? -(y & 0x7fff) : y;
    return half_is_nan(f, x) || half_is_nan(f, y) ? 2 : a < b ? -1 : a > b;
}

#endif
