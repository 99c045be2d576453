/* decimal.c - floating point constants as decimals, in both directions, exactly.

   needs     the C library's frexp, ldexp and log10
   promises  reading rounds once, to nearest, ties to even, in every type; the shortest decimal
             reads back bit for bit; no locale and no allocation are involved. A number takes a few
             microseconds at most */
#include "text.h"

#include <math.h>

/* ------------------------------------------------------------------ natural numbers */

#define IRL__BIG_WORDS 144 /* 4608 bits: 800 digits, and 10^1200 shifted by a double's precision */

typedef struct irl__big {
    int      count; /* words in use; the last is not 0 */
    uint32_t word[IRL__BIG_WORDS];
} irl__big;

static void irl__big_set(irl__big *b, uint64_t value)
{
    b->count = 0;
    for (; value; value >>= 32) b->word[b->count++] = (uint32_t)value;
}

static void irl__big_multiply_add(irl__big *b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (int k = 0; k < b->count; k++) {
        carry += (uint64_t)b->word[k] * factor;
        b->word[k] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->count < IRL__BIG_WORDS) b->word[b->count++] = (uint32_t)carry;
}

static void irl__big_multiply_pow10(irl__big *b, int exponent)
{
    for (; exponent >= 9; exponent -= 9) irl__big_multiply_add(b, 1000000000u, 0);
    for (; exponent > 0; exponent--) irl__big_multiply_add(b, 10, 0);
}

static void irl__big_shift_left(irl__big *b, int bits)
{
    int words = bits / 32, rest = bits % 32, k;
    if (b->count == 0 || bits == 0) return;
    if (b->count + words + 1 > IRL__BIG_WORDS) return; /* never: the callers' numbers are bounded */
    b->word[b->count] = 0;
    for (k = b->count; k >= 0; k--) {
        uint64_t both = (uint64_t)b->word[k] << 32 | (k ? b->word[k - 1] : 0);
        b->word[k + words] = (uint32_t)(both >> (32 - rest));
    }
    for (k = 0; k < words; k++) b->word[k] = 0;
    b->count += words + 1;
    if (b->word[b->count - 1] == 0) b->count--;
}

static int irl__big_compare(const irl__big *a, const irl__big *b)
{
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (int k = a->count - 1; k >= 0; k--)
        if (a->word[k] != b->word[k]) return a->word[k] < b->word[k] ? -1 : 1;
    return 0;
}

/* a - b, where a >= b */
static void irl__big_subtract(irl__big *a, const irl__big *b)
{
    uint32_t borrow = 0;
    for (int k = 0; k < a->count; k++) {
        uint64_t less = (uint64_t)(k < b->count ? b->word[k] : 0) + borrow;
        borrow = a->word[k] < less;
        a->word[k] = (uint32_t)(a->word[k] - less);
    }
    while (a->count && a->word[a->count - 1] == 0) a->count--;
}

static int irl__decimal_bits_of(uint64_t value)
{
    int n = 0;
    for (; value; value >>= 1) n++;
    return n;
}

static int irl__big_bits(const irl__big *b)
{
    return b->count ? 32 * (b->count - 1) + irl__decimal_bits_of(b->word[b->count - 1]) : 0;
}

/* ------------------------------------------------------------------ formats */

typedef struct irl__float_format {
    int precision;    /* bits of the significand */
    int min_exponent; /* of its last bit, in the smallest number */
    int max_exponent; /* finite numbers are below 2^max_exponent */
} irl__float_format;

static const irl__float_format *irl__decimal_format(irl_type type)
{
    static const irl__float_format half = { 11, -24, 16 }, bfloat = { 8, -133, 128 },
                                   single = { 24, -149, 128 }, full = { 53, -1074, 1024 };
    switch (type.scalar) {
    case IRL_F16: return &half;
    case IRL_BF16: return &bfloat;
    case IRL_F32: return &single;
    default: return &full;
    }
}

/* ------------------------------------------------------------------ short numbers */

/* number * 10^exponent, where one rounding of doubles is the whole story; 0: it is not. */
static int irl__decimal_quick(uint64_t number, int64_t exponent, irl_type type, double *out)
{
    double   scale = 1;
    uint64_t bits;
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
    number = UINT64_MAX;
#endif
    if (number > UINT64_C(1) << 53 || exponent < -22 || exponent > 22) return 0;
    for (int64_t k = exponent < 0 ? -exponent : exponent; k > 0; k--) scale *= 10;
    *out = exponent < 0 ? (double)number / scale : (double)number * scale;
    if (type.scalar == IRL_F64) return 1;
    if (type.scalar != IRL_F32 || *out < 1e-37 || *out > 1e38) return 0;
    memcpy(&bits, out, sizeof bits);
    if ((bits & 0x1fffffff) == 0x10000000) return 0; /* perhaps a tie: it would be rounded twice */
    *out = (double)(float)*out;
    return 1;
}

/* ------------------------------------------------------------------ reading */

#define IRL__DECIMAL_KEEP \
    780 /* digits that can matter: a tie between two doubles has fewer than 770 */

/* floor(a * 2^shift / b), which has less than 64 bits; *rest tells whether something is left. Uses
   up a and b. */
static uint64_t irl__big_divide(irl__big *a, irl__big *b, int shift, int quotient_bits, int *rest)
{
    uint64_t q = 0;
    if (shift >= 0) irl__big_shift_left(a, shift);
    else irl__big_shift_left(b, -shift);
    irl__big_shift_left(b, quotient_bits);
    for (int k = quotient_bits; k >= 0; k--) {
        const int is_one = irl__big_compare(a, b) >= 0;
        if (is_one) irl__big_subtract(a, b);
        irl__big_multiply_add(a, 2, 0);
        q = q << 1 | (unsigned)is_one;
    }
    *rest = a->count != 0;
    return q;
}

/* a / b, rounded; false if it is too large. Uses up a and b. */
static int irl__decimal_round(irl__big *a, irl__big *b, irl_type type, double *out)
{
    const irl__float_format *f = irl__decimal_format(type);
    int                      rest;
    const int                shift = f->precision + 1 - (irl__big_bits(a) - irl__big_bits(b));
    /* q has precision + 1 or + 2 bits; its unit is 2^-shift */
    const uint64_t q = irl__big_divide(a, b, shift, f->precision + 2, &rest);
    int            last = irl__decimal_bits_of(q) - f->precision - shift;
    if (last < f->min_exponent) last = f->min_exponent;
    const int drop = last + shift;
    if (drop > 62) return *out = 0.0, 1;
    const uint64_t half = UINT64_C(1) << (drop - 1), below = q & (2 * half - 1);
    uint64_t       m = q >> drop;
    if (below > half || (below == half && (rest || (m & 1)))) m++;
    if (irl__decimal_bits_of(m) + last > f->max_exponent) return 0;
    *out = ldexp((double)m, last);
    return 1;
}

int irl__decimal_read(const char *text, size_t length, irl_type type, double *out)
{
    irl__big a, b;
    size_t   i = 0;
    uint64_t head = 0; /* of at most 19 digits */
    int      point = 0, digit, count = 0; /* significant digits */
    int64_t  exponent = 0, e = 0;         /* of ten, of the last of them */
    irl__big_set(&a, 0);
    irl__big_set(&b, 1);
    for (; i < length && ((text[i] >= '0' && text[i] <= '9') || (text[i] == '.' && !point)); i++) {
        if (text[i] == '.') {
            point = 1;
            continue;
        }
        exponent -= point;
        digit = text[i] - '0';
        if (!count && !digit) continue;
        /* the digits that cannot matter count as one more, which is not 0 */
        if (count == IRL__DECIMAL_KEEP && digit) digit = 1;
        else if (count >= IRL__DECIMAL_KEEP) {
            exponent++;
            continue;
        }
        if (count < 19) head = head * 10 + (unsigned)digit;
        irl__big_multiply_add(&a, 10, (uint32_t)digit);
        count++;
    }
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        const int negative = ++i < length && text[i] == '-';
        if (i < length && (text[i] == '-' || text[i] == '+')) i++;
        for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
            if (e < 100000000) e = e * 10 + (text[i] - '0');
        exponent += negative ? -e : e;
    }
    if (count < 20 && irl__decimal_quick(head, exponent, type, out)) return 1;
    if (!count || exponent + count < -400) return *out = 0.0, 1;
    if (exponent + count > 400) return 0;
    irl__big_multiply_pow10(&a, (int)exponent);
    irl__big_multiply_pow10(&b, (int)-exponent);
    return irl__decimal_round(&a, &b, type, out);
}

/* ------------------------------------------------------------------ writing */

#define IRL__DECIMAL_SCALE 18 /* digits of a number as an integer; 10^18 is the least of 19 */

/* m * 2^exponent * 10^power, rounded down; *rest tells whether something is left. */
static uint64_t irl__decimal_scaled(uint64_t m, int exponent, int power, int *rest)
{
    irl__big a, b;
    irl__big_set(&a, m);
    irl__big_set(&b, 1);
    irl__big_multiply_pow10(&a, power);
    irl__big_multiply_pow10(&b, -power);
    return irl__big_divide(&a, &b, exponent, 61, rest);
}

/* The digits of value as number * 10^-power, if they are few; 0: perhaps there are fewer. Where the
   type has gaps between integers, one that ends in zeros may do, so these are not easy. */
static int irl__decimal_easy(irl_type type, double value, uint64_t *number, int *power)
{
    double scale = 1, back;
    if (value >= (type.scalar == IRL_F32 ? 16777216.0 : 1e15)) return 0;
    for (*power = 0; *power < 10 && value * scale < 1e15; ++*power, scale *= 10) {
        *number = (uint64_t)(value * scale + 0.5);
        if (*number && irl__decimal_quick(*number, -*power, type, &back) && back == value) return 1;
    }
    return 0;
}

/* The same of any value. */
static uint64_t irl__decimal_search(irl_type type, double value, int *power)
{
    const irl__float_format *f = irl__decimal_format(type);
    uint64_t                 unit = UINT64_C(1000000000000000000), made;
    int                      exponent, rest;
    (void)frexp(value, &exponent);
    exponent -= f->precision;
    if (exponent < f->min_exponent) exponent = f->min_exponent;
    const uint64_t m = (uint64_t)ldexp(value, -exponent);
    /* the gap below a power of two is half as wide */
    const int is_narrow = m == UINT64_C(1) << (f->precision - 1) && exponent > f->min_exponent;
    *power = IRL__DECIMAL_SCALE - (int)ceil(log10(value) - 1e-10);
    /* what reads back as the value is between the middles of the gaps; with an even m, at them */
    uint64_t low = irl__decimal_scaled(4 * m - 2 + (uint64_t)is_narrow, exponent - 2, *power,
                                       &rest);
    low += rest || m & 1;
    uint64_t high = irl__decimal_scaled(4 * m + 2, exponent - 2, *power, &rest);
    high -= !rest && m & 1;
    const uint64_t number = irl__decimal_scaled(m, exponent, *power, &rest);
    for (;; unit /= 10) { /* the nearest one of fewest digits */
        made = number - number % unit;
        if (made + unit <= high && (made < low || 2 * (number - made) >= unit)) made += unit;
        if (made >= low) return made;
    }
}

int irl__decimal_shortest(irl_type type, double value, char digits[IRL__DECIMAL_DIGITS + 1],
                          int *point)
{
    uint64_t  number;
    irl__text t;
    int       power, zeros = 0;
    if (value < 0) value = -value;
    *point = 1;
    if (!(value > 0)) return digits[0] = '0', digits[1] = '\0', 1;
    if (!irl__decimal_easy(type, value, &number, &power))
        number = irl__decimal_search(type, value, &power);
    for (; number % 10 == 0; number /= 10) zeros++;
    irl__text_init_fixed(&t, digits, IRL__DECIMAL_DIGITS + 1);
    irl__text_uint(&t, number);
    *point = (int)t.length + zeros - power;
    return (int)t.length;
}
