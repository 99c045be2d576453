/* decimal.c - floating point constants as decimals, in both directions, exactly.

   needs     the C library's frexp, ldexp and log10
   promises  reading rounds once, to nearest, ties to even, in every type; the shortest decimal
             reads back bit for bit; no locale and no allocation are involved. Short numbers take a
             few nanoseconds, long ones a few microseconds */
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

/* ------------------------------------------------------------------ reading */

#define IRL__DECIMAL_KEEP \
    780 /* digits that can matter: a tie between two doubles has fewer than 770 */

typedef struct irl__numeral {
    const char *digits; /* in the text; a point may stand among them */
    size_t      length;
    uint64_t    head;   /* the first 19 significant digits */
    int         count;  /* significant digits */
    int64_t     exponent; /* of ten, of the last significant digit */
} irl__numeral;

static irl__numeral irl__decimal_scan(const char *text, size_t length)
{
    irl__numeral n;
    size_t       i = 0;
    int          point = 0, negative;
    int64_t      e = 0;
    memset(&n, 0, sizeof n);
    for (; i < length && ((text[i] >= '0' && text[i] <= '9') || (text[i] == '.' && !point)); i++) {
        if (text[i] == '.') {
            point = 1;
            continue;
        }
        n.exponent -= point;
        if (n.count == 0 && text[i] == '0') continue;
        if (n.count == 0) n.digits = text + i;
        if (n.count < 19) n.head = n.head * 10 + (uint64_t)(text[i] - '0');
        n.count++;
    }
    if (n.digits) n.length = (size_t)(text + i - n.digits);
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        negative = i < length && text[i] == '-';
        if (i < length && (text[i] == '-' || text[i] == '+')) i++;
        for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
            if (e < 100000000) e = e * 10 + (text[i] - '0');
        n.exponent += negative ? -e : e;
    }
    return n;
}

/* Exact where one rounding of doubles is the whole story: few digits, a small power of ten. */
static int irl__decimal_quick(const irl__numeral *n, irl_type type, double *out)
{
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
    (void)n, (void)type, (void)out;
    return 0;
#else
    static const double pow10[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    uint64_t bits;
    double   r;
    if (n->count > 19 || n->head > (UINT64_C(1) << 53) || n->exponent < -22 || n->exponent > 22)
        return 0;
    r = n->exponent < 0 ? (double)n->head / pow10[-n->exponent]
                        : (double)n->head * pow10[n->exponent];
    if (type.scalar == IRL_F64) return *out = r, 1;
    if (type.scalar != IRL_F32 || r < 1e-37 || r > 1e38) return 0;
    memcpy(&bits, &r, sizeof bits);
    if ((bits & 0x1fffffff) == 0x10000000) return 0; /* perhaps a tie: it would be rounded twice */
    return *out = (double)(float)r, 1;
#endif
}

/* The numeral as a / b. What is beyond IRL__DECIMAL_KEEP digits counts as one more digit that is
   not 0. */
static void irl__decimal_fraction(const irl__numeral *n, irl__big *a, irl__big *b)
{
    int     kept = 0, dropped = 0;
    int64_t exponent = n->exponent;
    irl__big_set(a, 0);
    irl__big_set(b, 1);
    for (size_t i = 0; i < n->length; i++) {
        if (n->digits[i] == '.') continue;
        if (kept < IRL__DECIMAL_KEEP) {
            irl__big_multiply_add(a, 10, (uint32_t)(n->digits[i] - '0'));
            kept++;
        } else {
            dropped |= n->digits[i] != '0';
            exponent++;
        }
    }
    if (dropped) {
        irl__big_multiply_add(a, 10, 1);
        exponent--;
    }
    if (exponent > 0) irl__big_multiply_pow10(a, (int)exponent);
    else irl__big_multiply_pow10(b, (int)-exponent);
}

/* floor(a * 2^shift / b), which has less than 64 bits; *rest tells whether something is left. Uses
   up a and b. */
static uint64_t irl__big_divide(irl__big *a, irl__big *b, int shift, int quotient_bits, int *rest)
{
    uint64_t q = 0;
    if (shift >= 0) irl__big_shift_left(a, shift);
    else irl__big_shift_left(b, -shift);
    irl__big_shift_left(b, quotient_bits);
    for (int k = quotient_bits; k >= 0; k--) {
        q <<= 1;
        if (irl__big_compare(a, b) >= 0) {
            irl__big_subtract(a, b);
            q |= 1;
        }
        for (int j = 0; j < b->count; j++) {
            uint32_t above = j + 1 < b->count ? b->word[j + 1] : 0;
            b->word[j] = b->word[j] >> 1 | above << 31;
        }
        if (b->count && b->word[b->count - 1] == 0) b->count--;
    }
    *rest = a->count != 0;
    return q;
}

static int irl__decimal_slow(const irl__numeral *n, irl_type type, double *out)
{
    const irl__float_format *f = irl__decimal_format(type);
    irl__big                 a, b;
    int                      shift, rest = 0, last, drop;
    if (n->exponent + n->count > 400) return 0;
    if (n->exponent + n->count < -400) return *out = 0.0, 1;
    irl__decimal_fraction(n, &a, &b);
    shift = f->precision + 1 - (irl__big_bits(&a) - irl__big_bits(&b));
    /* q has precision + 1 or + 2 bits; its unit is 2^-shift */
    uint64_t q = irl__big_divide(&a, &b, shift, f->precision + 2, &rest);
    last = irl__decimal_bits_of(q) - f->precision - shift;
    if (last < f->min_exponent) last = f->min_exponent;
    drop = last + shift;
    if (drop > 62) return *out = 0.0, 1;
    uint64_t m = q >> drop;
    uint64_t below = q & ((UINT64_C(1) << drop) - 1);
    if (below > UINT64_C(1) << (drop - 1) ||
        (below == UINT64_C(1) << (drop - 1) && (rest || (m & 1))))
        m++;
    if (irl__decimal_bits_of(m) + last > f->max_exponent) return 0;
    *out = ldexp((double)m, last);
    return 1;
}

int irl__decimal_read(const char *text, size_t length, irl_type type, double *out)
{
    irl__numeral n = irl__decimal_scan(text, length);
    if (n.count == 0) return *out = 0.0, 1;
    return irl__decimal_quick(&n, type, out) || irl__decimal_slow(&n, type, out);
}

/* ------------------------------------------------------------------ writing */

/* Numbers with at most 9 digits behind the point and 15 in all: the nearest decimal with few
   digits, if it reads back. Not integers with gaps between them: there a decimal that ends in zeros
   may do. */
static int irl__decimal_easy(irl_type type, double value, char *digits, int *point)
{
    double scale = 1.0, back;
    if (value >= (type.scalar == IRL_F32 ? 16777216.0 : 1e15)) return 0;
    for (int k = 0; k < 10; k++, scale *= 10.0) {
        double       scaled = value * scale + 0.5;
        irl__numeral n;
        if (scaled >= 1e15) return 0;
        memset(&n, 0, sizeof n);
        n.head = (uint64_t)scaled;
        n.count = 1;
        n.exponent = -k;
        if (n.head && irl__decimal_quick(&n, type, &back) && back == value) {
            char     reversed[20];
            int      count = 0, i;
            uint64_t rest = n.head;
            for (; rest; rest /= 10) reversed[count++] = (char)('0' + rest % 10);
            for (i = 0; i < count; i++) digits[i] = reversed[count - 1 - i];
            *point = count - k;
            while (count > 1 && digits[count - 1] == '0') count--;
            digits[count] = '\0';
            return count;
        }
    }
    return 0;
}

/* Steele and White's and Burger and Dybvig's digits: value = r / s, and half the gap to the
   neighbours is low / s below and high / s above. */
typedef struct irl__shortest {
    irl__big r, s, low, high;
    int      is_even; /* the bounds themselves read back as the value */
} irl__shortest;

static void irl__shortest_init(irl__shortest *d, const irl__float_format *f, double value)
{
    int    exponent;
    double fraction = frexp(value, &exponent);
    exponent -= f->precision;
    if (exponent < f->min_exponent) {
        fraction = ldexp(fraction, f->precision + exponent - f->min_exponent);
        exponent = f->min_exponent;
    } else fraction = ldexp(fraction, f->precision);
    uint64_t m = (uint64_t)fraction;
    d->is_even = (m & 1) == 0;
    /* the gap below is half as wide */
    int narrow = m == UINT64_C(1) << (f->precision - 1) && exponent > f->min_exponent;
    irl__big_set(&d->r, m);
    irl__big_set(&d->s, 1);
    irl__big_set(&d->low, 1);
    irl__big_shift_left(&d->r, (exponent > 0 ? exponent : 0) + 1 + narrow);
    irl__big_shift_left(&d->s, (exponent < 0 ? -exponent : 0) + 1 + narrow);
    if (exponent > 0) irl__big_shift_left(&d->low, exponent);
    d->high = d->low;
    if (narrow) irl__big_shift_left(&d->high, 1);
}

/* Does r + high reach s: would the value, rounded up, have one more digit before the point? */
static int irl__shortest_high(const irl__shortest *d)
{
    irl__big sum = d->r;
    uint64_t carry = 0;
    while (sum.count < d->high.count) sum.word[sum.count++] = 0;
    for (int k = 0; k < sum.count; k++) {
        carry += (uint64_t)sum.word[k] + (k < d->high.count ? d->high.word[k] : 0);
        sum.word[k] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && sum.count < IRL__BIG_WORDS) sum.word[sum.count++] = (uint32_t)carry;
    int c = irl__big_compare(&sum, &d->s);
    return d->is_even ? c >= 0 : c > 0;
}

static void irl__shortest_times10(irl__shortest *d)
{
    irl__big_multiply_add(&d->r, 10, 0);
    irl__big_multiply_add(&d->low, 10, 0);
    irl__big_multiply_add(&d->high, 10, 0);
}

int irl__decimal_shortest(irl_type type, double value, char digits[IRL__DECIMAL_DIGITS + 1],
                          int *point)
{
    irl__shortest d;
    int           k, count = 0, low = 0, high = 0;
    if (value < 0) value = -value;
    *point = 1;
    if (!(value > 0)) return digits[0] = '0', digits[1] = '\0', 1;
    count = irl__decimal_easy(type, value, digits, point);
    if (count) return count;
    irl__shortest_init(&d, irl__decimal_format(type), value);
    k = (int)ceil(log10(value) - 1e-10);
    if (k >= 0) irl__big_multiply_pow10(&d.s, k);
    else {
        irl__big_multiply_pow10(&d.r, -k);
        irl__big_multiply_pow10(&d.low, -k);
        irl__big_multiply_pow10(&d.high, -k);
    }
    if (irl__shortest_high(&d)) k++; /* the estimate was one too low */
    else irl__shortest_times10(&d);
    while (!low && !high && count < IRL__DECIMAL_DIGITS) {
        int digit = 0;
        for (; irl__big_compare(&d.r, &d.s) >= 0; digit++) irl__big_subtract(&d.r, &d.s);
        int c = irl__big_compare(&d.r, &d.low);
        low = d.is_even ? c <= 0 : c < 0;
        high = irl__shortest_high(&d);
        if (low || high) {
            irl__big_shift_left(&d.r, 1);
            if (high && (!low || irl__big_compare(&d.r, &d.s) >= 0)) digit++;
        } else irl__shortest_times10(&d);
        digits[count++] = (char)('0' + digit);
    }
    digits[count] = '\0';
    *point = k;
    return count;
}
