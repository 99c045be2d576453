/* checked.c - signed 64-bit arithmetic that says when the result does not fit.

   needs     nothing
   promises  no undefined behaviour for any operands; *out is the exact result where the answer is
             true */
#include "base.h"

int irl__add64(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return 0;
    *out = a + b;
    return 1;
}

int irl__sub64(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) return 0;
    *out = a - b;
    return 1;
}

int irl__mul64(int64_t a, int64_t b, int64_t *out)
{
#if defined(__GNUC__) && !defined(__TINYC__)
    return !__builtin_mul_overflow(a, b, out);
#else
    if (a == 0 || b == 0) return *out = 0, 1;
    if (a == -1 ? b == INT64_MIN : b == -1 ? a == INT64_MIN : 0) return 0;
    if (a == -1 || b == -1) return *out = a == -1 ? -b : -a, 1;
    if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a)
              : (b > 0 ? a < INT64_MIN / b : a < INT64_MAX / b))
        return 0;
    *out = a * b;
    return 1;
#endif
}

int irl__floordiv64(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (b == -1 && a == INT64_MIN)) return 0;
    int64_t q = a / b;
    *out = (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
    return 1;
}

int irl__floormod64(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0) return 0;
    if (b == -1) return *out = 0, 1; /* INT64_MIN % -1 traps on some machines */
    int64_t r = a % b;
    *out = (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
    return 1;
}

int64_t irl__gcd64(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    while (y) {
        uint64_t r = x % y;
        x = y;
        y = r;
    }
    return x > (uint64_t)INT64_MAX ? 1 : (int64_t)x;
}

int64_t irl__reciprocal64(int64_t a, int64_t n)
{
    int64_t r0 = n, r1, t0 = 0, t1 = 1;
    if (!irl__floormod64(a, n, &r1)) return 0;
    while (r1 != 0) {
        int64_t k = r0 / r1, r = r0 - k * r1, t = t0 - k * t1; /* |t| stays below n */
        r0 = r1;
        r1 = r;
        t0 = t1;
        t1 = t;
    }
    return r0 == 1 ? (t0 < 0 ? t0 + n : t0) : 0;
}
