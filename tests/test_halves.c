/* test_halves.c - arithmetic of f16 and bf16: by the interpreter as written and as the pass halves
   writes it for targets without, bit for bit; against a model of integers.

   All 2^16 values for each operator of one operand, pairs for those of two: a million of each under
   IRL_SOAK. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/pass/pass.h"
#endif
#include "half_model.h"
#include "test.h"

enum { ALL = 65536, CHUNK = 65536 };

static irl_ctx    *cx;
static const char *const type_names[] = { "f16", "bf16" };
static const irl_scalar  types[] = { IRL_F16, IRL_BF16 };
static const half_format *const formats[] = { &half_f16, &half_bf16 };

static int is_soak(void) { return getenv("IRL_SOAK") != NULL; }
static int pairs(void)
{
    return is_soak() ? 1000000 : getenv("IRL_SLOW") ? 4000 : 40000;
}

/* Bits of which many are special: zeros, subnormals, ones, the largest, infinities, NaN, and
   numbers near each other, or half of a last place of each other, where ties are. */
static uint16_t some_half(const half_format *f, uint16_t near)
{
    const int inf = half_infinity(f), unit = 1 << (f->precision - 1),
              one = (-f->least - f->precision + 2) * unit;
    uint16_t  bits = (uint16_t)test_random();
    switch (test_random() % 12) {
    case 0: return (uint16_t)(bits & 0x8000);
    case 1: return (uint16_t)((bits & 0x8000) | (bits & (unit - 1)));
    case 2: return (uint16_t)((bits & 0x8000) | (inf - (bits & 3)));
    case 3: return (uint16_t)((bits & 0x8000) | (inf + (bits & 1)));
    case 4: return (uint16_t)((bits & 0x8000) | (one + (bits & 7)));
    case 5: return (uint16_t)((near ^ (bits & 0x8000)) + (bits & 3));
    case 6: return (uint16_t)(near < inf && near / unit > f->precision ? near / unit * unit -
                                                                            f->precision * unit
                                                                      : near);
    default: return bits;
    }
}

static int same(const half_format *f, uint16_t a, uint16_t b)
{
    return a == b || (half_is_nan(f, a) && half_is_nan(f, b));
}

/* ------------------------------------------------------------------ against the model */

static uint16_t evaluated(irl_op op, irl_scalar scalar, uint16_t x, uint16_t y)
{
    const irl_type t = irl_type_of(scalar, 1);
    irl__scalar    a[2], r;
    a[0] = irl__scalar_of_bits(t, x);
    a[1] = irl__scalar_of_bits(t, y);
    if (!CHECK(irl__fold_scalar(op, t, a, &r) == IRL__FOLD_OK)) return 0;
    if (irl__op_info(op)->rule == IRL__COMPARE) return (uint16_t)r.i;
    return (uint16_t)irl__scalar_bits(t, r);
}

static int model_compares(irl_op op, int order)
{
    switch (op) {
    case IRL_OP_EQ: return order == 0;
    case IRL_OP_NE: return order != 0;
    case IRL_OP_LT: return order == -1;
    case IRL_OP_LE: return order == -1 || order == 0;
    case IRL_OP_GT: return order == 1;
    default: return order == 1 || order == 0;
    }
}

static int wrong_at(irl_op op, int k, uint16_t x, uint16_t y, uint16_t wanted)
{
    const uint16_t found = evaluated(op, types[k], x, y);
    if (irl__op_info(op)->rule == IRL__COMPARE ? found == wanted : same(formats[k], found, wanted))
        return 0;
    printf("%s %s of %04x and %04x is %04x; found %04x\n", type_names[k], irl__op_info(op)->name,
           (unsigned)x, (unsigned)y, (unsigned)wanted, (unsigned)found);
    return 1;
}

static int wrong_pair(int k, uint16_t x, uint16_t y)
{
    const half_format *f = formats[k];
    int                order = half_order(f, x, y), wrong = 0, op;
    wrong += wrong_at(IRL_OP_ADD, k, x, y, half_add(f, x, y));
    wrong += wrong_at(IRL_OP_SUB, k, x, y, half_sub(f, x, y));
    wrong += wrong_at(IRL_OP_MUL, k, x, y, half_mul(f, x, y));
    wrong += wrong_at(IRL_OP_DIV, k, x, y, half_div(f, x, y));
    for (op = (int)IRL_OP_EQ; op <= (int)IRL_OP_GE; op++)
        wrong += wrong_at((irl_op)op, k, x, y, (uint16_t)model_compares((irl_op)op, order));
    if (order == -1 || order == 1) {
        wrong += wrong_at(IRL_OP_MIN, k, x, y, order < 0 ? x : y);
        wrong += wrong_at(IRL_OP_MAX, k, x, y, order > 0 ? x : y);
    }
    return wrong;
}

static void test_model(int k)
{
    const half_format *f = formats[k];
    const uint16_t     inf = half_infinity(f);
    int                n, m, wrong = 0;
    uint16_t           edges[64], x = 0, y;
    CHECK(half_add(&half_f16, 0x3c00, 0x1000) == 0x3c00); /* a tie, to even */
    CHECK(half_add(&half_f16, 0x3c01, 0x1000) == 0x3c02);
    CHECK(half_add(&half_f16, 0x7bff, 0x4c00) == 0x7c00); /* 65504 + 16 */
    CHECK(half_mul(&half_f16, 0x0001, 0x3800) == 0x0000); /* half of the least: a tie */
    CHECK(half_div(&half_f16, 0x3c00, 0x4200) == 0x3555 && half_sqrt(&half_f16, 0x4000) == 0x3da8);
    CHECK(half_mul(&half_bf16, 0x3f81, 0x3f81) == 0x3f82);
    for (n = 0; n < ALL && wrong < 20; n += getenv("IRL_SLOW") ? 7 : 1) {
        x = (uint16_t)n;
        wrong += wrong_at(IRL_OP_SQRT, k, x, 0, half_sqrt(f, x));
        wrong += wrong_at(IRL_OP_NEG, k, x, 0, (uint16_t)(x ^ 0x8000));
        wrong += wrong_at(IRL_OP_ABS, k, x, 0, (uint16_t)(x & 0x7fff));
    }
    /* all pairs of what stands at the ends: zeros, subnormals, ones and their neighbours, the
       largest, infinities, NaN */
    for (n = 0; n < 64; n++) {
        static const int around[] = { 0, 1, 2, 3 };
        const int        one = (-f->least - f->precision + 2) << (f->precision - 1),
                  firsts[] = { 0, 1 << (f->precision - 1), one, inf - 2, one / 2, 5, one + 77,
                               (1 << (f->precision - 1)) - 2 };
        edges[n] = (uint16_t)((n & 32 ? 0x8000 : 0) | (firsts[n / 4 & 7] + around[n & 3]));
    }
    for (n = 0; n < 64 * 64 && wrong < 20; n++)
        wrong += wrong_pair(k, edges[n / 64], edges[n % 64]);
    for (m = 0; m < pairs() && wrong < 20; m++) {
        x = some_half(f, x);
        y = some_half(f, x);
        wrong += wrong_pair(k, x, y);
    }
    CHECK(wrong == 0);
}

/* ------------------------------------------------------------------ two ways */

static uint16_t data[3][CHUNK], found[2][CHUNK];

/* As many elements as a function has; all values are on a machine that is not slow. */
static int chunk(void) { return getenv("IRL_SLOW") ? CHUNK / 16 : CHUNK; }

static void op_text(char *to, irl_op op, int k, int lanes)
{
    static const char *const names[] = { "x", "w", "v" };
    const irl__op_row       *row = irl__op_info(op);
    char                     part[3][64];
    const char              *out = row->rule == IRL__COMPARE ? "u16" : type_names[k];
    int                      j;
    for (j = 0; j < 3; j++)
        sprintf(part[j], lanes == 1 ? "%s[i]" : "%s[ramp(i * %d, 1, %d)]", names[j], lanes, lanes);
    to += sprintf(to, "func f(x: %s[%d], w: %s[%d], v: %s[%d], y: %s[%d]) { for (i: %d) ",
                  type_names[k], chunk(), type_names[k], chunk(), type_names[k], chunk(), out,
                  chunk(), chunk() / lanes);
    to += sprintf(to, lanes == 1 ? "y[i] = " : "y[ramp(i * %d, 1, %d)] = ", lanes, lanes);
    if (row->rule == IRL__COMPARE)
        to += sprintf(to, lanes == 1 ? "u16(" : "u16x%d(", lanes);
    if (row->form == IRL_FORM_INFIX)
        to += sprintf(to, "%s %s %s", part[0], row->text, part[1]);
    else {
        to += sprintf(to, "%s(", row->text);
        for (j = 0; j < row->arity; j++) to += sprintf(to, "%s%s", j ? ", " : "", part[j]);
        to += sprintf(to, ")");
    }
    sprintf(to, row->rule == IRL__COMPARE ? "); }" : "; }");
}

/* Both functions on the same data. */
static int two_ways(const irl_func *as_written, const irl_func *by_f32, int k, irl_op op)
{
    int j;
    if (!irl_func_interpret(as_written, IRL_ARGS(data[0], data[1], data[2], found[0])) ||
        !irl_func_interpret(by_f32, IRL_ARGS(data[0], data[1], data[2], found[1])))
        return 0;
    if (memcmp(found[0], found[1], sizeof found[0]) == 0) return 1;
    for (j = 0; j < CHUNK && found[0][j] == found[1][j]; j++) {}
    printf("%s %s of %04x, %04x, %04x is %04x; by f32 %04x\n", type_names[k],
           irl__op_info(op)->name, data[0][j], data[1][j], data[2][j], found[0][j], found[1][j]);
    return 0;
}

static int test_two_ways_of(irl_op op, int k, int lanes)
{
    const half_format *f = formats[k];
    const int          arity = irl__op_info(op)->arity;
    char               text[600];
    irl_mark           mark = irl_ctx_mark(cx);
    irl_func          *as_written, *by_f32;
    int                n, j, done = 0, ok;
    op_text(text, op, k, lanes);
    as_written = irl_func_parse(cx, text, strlen(text), "two ways");
    by_f32 = irl_func_run_pass_for(as_written, "halves", irl_target_find("c99"));
    ok = CHECK(by_f32 != NULL) && !irl_func_equal(as_written, by_f32);
    if (!by_f32) printf("%s\n%s\n", text, irl_diag_text(cx));
    while (ok && done < (arity == 1 ? chunk() : pairs())) {
        for (n = 0; n < chunk(); n++) {
            data[0][n] = arity == 1 ? (uint16_t)(n * (ALL / chunk()))
                                    : some_half(f, n ? data[0][n - 1] : 0);
            for (j = 1; j < 3; j++) data[j][n] = some_half(f, data[0][n]);
        }
        ok = two_ways(as_written, by_f32, k, op);
        done += chunk();
    }
    irl_ctx_rewind(cx, mark);
    return CHECK(ok) ? done : 0;
}

/* Every operator that takes halves. */
static void test_two_ways(int k)
{
    int op, one = 0, more = 0, done;
    for (op = 0; op < (int)IRL__OP_COUNT; op++) {
        irl__rule rule = irl__op_info((irl_op)op)->rule;
        if (rule != IRL__SAME_ARITH && rule != IRL__SAME_FLOAT && rule != IRL__COMPARE) continue;
        done = test_two_ways_of((irl_op)op, k, 1);
        (void)test_two_ways_of((irl_op)op, k, 4);
        if (irl__op_info((irl_op)op)->arity == 1) one += done == chunk();
        else more += done >= pairs();
    }
    printf("%s: %d operators of one operand on %d values, %d of more on %d and more\n",
           type_names[k], one, chunk(), more, pairs());
}

int main(void)
{
    int k;
    cx = irl_ctx_create(NULL);
    if (!CHECK(cx != NULL)) TEST_DONE();
    for (k = 0; k < 2; k++) {
        test_model(k);
        test_two_ways(k);
    }
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    TEST_DONE();
}
