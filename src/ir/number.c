/* number.c - how numbers of each scalar type are represented: in a constant, and in the bytes of
   memory.

   needs     type.c
   promises  a representation is one of the type's numbers, rounded once to the nearest; a NaN keeps
             the part of its payload that fits; memory has the machine's byte order, and nothing
             else depends on the machine */
#include "ir.h"

#include <math.h>

/* ----------------------------------- 16-bit floats: a sign, `exponent` bits, `mantissa` bits */

static uint64_t irl__number_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double irl__number_bits_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define IRL__NUMBER_DOUBLE_FRACTION ((UINT64_C(1) << 52) - 1)

/* To nearest, ties to even. A NaN keeps the upper bits of its payload. */
static uint16_t irl__number_pack16(double value, int exponent, int mantissa)
{
    uint64_t bits = irl__number_double_bits(value), fraction = bits & IRL__NUMBER_DOUBLE_FRACTION,
             result, rest, half;
    uint64_t infinity = ((UINT64_C(1) << exponent) - 1) << mantissa, sign = (bits >> 63) << 15;
    /* biased for 16 bits */
    int power = (int)((bits >> 52) & 0x7ff) - 1023 + (1 << (exponent - 1)) - 1;
    int shift = 52 - mantissa;
    if (((bits >> 52) & 0x7ff) == 0x7ff) {
        result = fraction >> shift;
        if (fraction && !result) result = UINT64_C(1) << (mantissa - 1);
        return (uint16_t)(sign | infinity | result);
    }
    if (power < 1) {
        shift += 1 - power;
        power = 1;
    }
    if (shift > 54) return (uint16_t)sign;
    fraction |= UINT64_C(1) << 52;
    result = fraction >> shift;
    rest = fraction & ((UINT64_C(1) << shift) - 1);
    half = UINT64_C(1) << (shift - 1);
    result += rest > half || (rest == half && (result & 1));
    /* the leading one of result, or the carry, is the last unit of the exponent */
    result += (uint64_t)(power - 1) << mantissa;
    return (uint16_t)(sign | (result < infinity ? result : infinity));
}

static double irl__number_unpack16(uint16_t bits, int exponent, int mantissa)
{
    uint64_t sign = (uint64_t)(bits >> 15) << 63, fraction = bits & ((UINT64_C(1) << mantissa) - 1);
    int      power = (bits >> mantissa) & ((1 << exponent) - 1), bias = (1 << (exponent - 1)) - 1;
    double   value;
    if (power == (1 << exponent) - 1)
        return irl__number_bits_double(sign | (UINT64_C(0x7ff) << 52) |
                                       fraction << (52 - mantissa));
    value = power ? ldexp((double)(fraction | UINT64_C(1) << mantissa), power - bias - mantissa)
                  : ldexp((double)fraction, 1 - bias - mantissa);
    return sign ? -value : value;
}

uint16_t irl__half_from_double(double value) { return irl__number_pack16(value, 5, 10); }
double   irl__half_to_double(uint16_t bits) { return irl__number_unpack16(bits, 5, 10); }
uint16_t irl__bfloat_from_double(double value) { return irl__number_pack16(value, 8, 7); }
double   irl__bfloat_to_double(uint16_t bits) { return irl__number_unpack16(bits, 8, 7); }

/* ----------------------------------------- normalised integers, as OpenCL has them in images */

/* What 1.0 is held as: the largest of the integer type. */
static float irl__number_norm_scale(irl_type t)
{
    const irl__type_row *row = irl__type_info(t);
    return (float)((1 << (row->kind == IRL_KIND_SNORM ? row->bits - 1 : row->bits)) - 1);
}

/* convert_T_sat_rte(f * scale), all in single precision; a NaN is 0. */
int64_t irl__norm_from_double(irl_type t, double value)
{
    float  scale = irl__number_norm_scale(t), f = (float)value;
    double least = irl__type_info(t)->kind == IRL_KIND_SNORM ? -(double)scale - 1 : 0.0, scaled;
    if (f != f) return 0;
    scaled = (double)(float)(f * scale);
    if (scaled >= (double)scale) return (int64_t)scale;
    return (int64_t)(scaled <= least ? least : rint(scaled));
}

/* The least signed code stands for -1 as its neighbour does, and is not its neighbour: what is
   moved keeps its bits. So it is a number below -1 until a cast takes its value. */
double irl__norm_to_double(irl_type t, int64_t bits)
{
    /* the inner cast drops what FLT_EVAL_METHOD 1 and 2 keep beyond a float */
    return (double)(float)((float)bits / irl__number_norm_scale(t));
}

/* ------------------------------------------------------------------ canonical constants */

int64_t irl__wrap_int(irl_type t, int64_t value)
{
    const irl__type_row *row = irl__type_info(t);
    uint64_t             mask, bits = (uint64_t)value;
    if (row->kind == IRL_KIND_BOOL) return value != 0;
    if (row->bits == 64) return value;
    mask = (UINT64_C(1) << row->bits) - 1;
    bits &= mask;
    if ((row->kind == IRL_KIND_INT || row->kind == IRL_KIND_SNORM) && (bits >> (row->bits - 1)) & 1)
        bits |= ~mask;
    return (int64_t)bits;
}

double irl__round_float(irl_type t, double value)
{
    switch (t.scalar) {
    case IRL_F32: return (double)(float)value;
    case IRL_F16: return irl__half_to_double(irl__half_from_double(value));
    case IRL_BF16: return irl__bfloat_to_double(irl__bfloat_from_double(value));
    default:
        return irl__type_is_normalised(t) ? irl__norm_to_double(t, irl__norm_from_double(t, value))
                                          : value;
    }
}

/* ------------------------------------------------------------------ storage */

/* A NaN is moved by its bits, since a conversion may change them: a copy of data must stay a
   copy. */
static double irl__number_float_from_bits(uint32_t bits)
{
    float value;
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return irl__number_bits_double((uint64_t)(bits >> 31) << 63 | UINT64_C(0x7ff) << 52 |
                                       (uint64_t)(bits & 0x7fffffu) << 29);
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint32_t irl__number_float_to_bits(double value)
{
    uint64_t wide = irl__number_double_bits(value);
    uint32_t bits, payload = (uint32_t)(wide >> 29) & 0x7fffffu;
    if (value != value)
        return (uint32_t)(wide >> 63) << 31 | 0x7f800000u | (payload ? payload : 0x400000u);
    float narrow = (float)value;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

uint64_t irl__scalar_bits(irl_type t, irl__scalar value)
{
    const irl__type_row *row = irl__type_info(t);
    uint64_t             bits;
    switch (row->kind) {
    case IRL_KIND_BOOL: return value.i != 0;
    case IRL_KIND_FLOAT:
        if (row->bits == 16) return irl__half_from_double(value.f);
        return row->bits == 32 ? irl__number_float_to_bits(value.f)
                               : irl__number_double_bits(value.f);
    case IRL_KIND_BFLOAT: return irl__bfloat_from_double(value.f);
    case IRL_KIND_UNORM:
    case IRL_KIND_SNORM: bits = (uint64_t)irl__norm_from_double(t, value.f); break;
    default: bits = (uint64_t)value.i; break;
    }
    return bits & UINT64_MAX >> (64 - row->bits);
}

irl__scalar irl__scalar_of_bits(irl_type t, uint64_t bits)
{
    const irl__type_row *row = irl__type_info(t);
    irl__scalar          s;
    switch (row->kind) {
    case IRL_KIND_FLOAT:
        s.f = row->bits == 16   ? irl__half_to_double((uint16_t)bits)
              : row->bits == 32 ? irl__number_float_from_bits((uint32_t)bits)
                                : irl__number_bits_double(bits);
        break;
    case IRL_KIND_BFLOAT: s.f = irl__bfloat_to_double((uint16_t)bits); break;
    case IRL_KIND_UNORM:
    case IRL_KIND_SNORM: s.f = irl__norm_to_double(t, irl__wrap_int(t, (int64_t)bits)); break;
    default: s.i = irl__wrap_int(t, (int64_t)bits); break;
    }
    return s;
}

irl__scalar irl__load_scalar(irl_type t, const void *memory)
{
    uint8_t  bits8;
    uint16_t bits16;
    uint32_t bits32;
    uint64_t bits;
    switch (irl__type_info(t)->bytes) {
    case 1: memcpy(&bits8, memory, 1); bits = bits8; break;
    case 2: memcpy(&bits16, memory, 2); bits = bits16; break;
    case 4: memcpy(&bits32, memory, 4); bits = bits32; break;
    default: memcpy(&bits, memory, 8); break;
    }
    return irl__scalar_of_bits(t, bits);
}

void irl__store_scalar(irl_type t, void *memory, irl__scalar value)
{
    uint64_t bits = irl__scalar_bits(t, value);
    uint8_t  bits8 = (uint8_t)bits;
    uint16_t bits16 = (uint16_t)bits;
    uint32_t bits32 = (uint32_t)bits;
    switch (irl__type_info(t)->bytes) {
    case 1: memcpy(memory, &bits8, 1); break;
    case 2: memcpy(memory, &bits16, 2); break;
    case 4: memcpy(memory, &bits32, 4); break;
    default: memcpy(memory, &bits, 8); break;
    }
}

#undef IRL__NUMBER_DOUBLE_FRACTION
