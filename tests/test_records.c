/* test_records.c - records: the verdict on generated ones, their functions that pack and unpack, as
   they are and lowered, and their functions in C, against a model that sets single bits; texts that
   come back; what is refused.

   usage  test_records [FIRST [COUNT]]     seeds of the generated records */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#include "../src/target/target.h"
#endif
#include "generate.h"
#include "test.h"
#include "c_batch.h"

/* ------------------------------------------------------ generated, against the model */

static uint64_t state;
static int      below(int n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int)((uint32_t)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % (uint32_t)n);
}

enum { FIELDS = 7, BYTES = 64, RECORDS = 2, ELEMENTS = 16 };
static const char *const names[FIELDS] = { "a", "i", "packed", "d d", "n", "record",
                                          "r_a" };

static irl_scalar integer_of(int bits, int is_signed)
{
    return bits <= 8    ? (is_signed ? IRL_I8 : IRL_U8)
           : bits <= 16 ? (is_signed ? IRL_I16 : IRL_U16)
           : bits <= 32 ? (is_signed ? IRL_I32 : IRL_U32)
                        : (is_signed ? IRL_I64 : IRL_U64);
}

static int is_signed(const irl_record_field *f)
{
    return f->type.scalar == IRL_I8 || f->type.scalar == IRL_I16 || f->type.scalar == IRL_I32 ||
           f->type.scalar == IRL_I64;
}

static int whole_bytes; /* of which all fields consist, some of pairs of nibbles */

static int draw_field(irl_record_field *f, int at)
{
    const int nibbles = whole_bytes && below(4) == 0;
    int       k, count = 1, size;
    memset(f, 0, sizeof *f);
    f->bits = below(3) ? 1 + below(below(3) ? 32 : 64) : below(3) ? 1 + below(4) : 57 + below(8);
    if (whole_bytes) f->bits = nibbles ? 4 : 8 << below(4);
    f->type = irl_type_of(integer_of(f->bits, f->bits > 1 && below(2)), 1);
    if (f->bits % 32 == 0 && below(2)) f->type = irl_type_of(f->bits == 32 ? IRL_F32 : IRL_F64, 1);
    if (f->bits == 16 && below(2)) f->type = irl_type_of(below(2) ? IRL_F16 : IRL_BF16, 1);
    if (f->bits == 1 && below(2)) f->type = irl_type_of(IRL_BOOL, 1);
    if (f->bits <= 24 && below(4) == 0) {
        f->norm = f->bits > 1 && below(2) ? IRL_NORM_SIGNED : IRL_NORM_UNSIGNED;
        f->type = irl_type_of(IRL_F32, 1);
    }
    f->order = below(4) ? IRL_BITS_LSB : IRL_BITS_MSB;
    f->rank = nibbles + below(3 - nibbles);
    size = f->bits;
    for (k = f->rank; k-- > 0;) {
        const int is_pair = nibbles && k == f->rank - 1;
        f->extent[k] = is_pair ? 2 : 1 + below(3);
        f->stride[k] = is_pair ? 4 : below(12) ? size + (below(2) ? 0 : below(5)) : below(40);
        if (whole_bytes && !is_pair) f->stride[k] = (f->stride[k] + 7) / 8 * 8;
        size = (int)(f->stride[k] * (f->extent[k] - 1)) + size;
        count *= (int)f->extent[k];
    }
    f->offset = below(8) ? at : below(60);
    if (whole_bytes || (f->order == IRL_BITS_MSB && below(2))) f->offset = (f->offset + 7) / 8 * 8;
    return (int)f->offset + size;
}

/* Bit i of the element at bit `at`, counted from the least significant one of byte 0. */
static int bit_of(const irl_record_field *f, int at, int i)
{
    int p = at + i;
    return f->order == IRL_BITS_MSB ? p / 8 * 8 + (7 - p % 8) : p;
}

static int place_of(const irl_record_field *f, int n)
{
    int k, at = (int)f->offset;
    for (k = f->rank; k-- > 0; n /= (int)f->extent[k])
        at += n % (int)f->extent[k] * (int)f->stride[k];
    return n ? -1 : at;
}

/* Whether element n of the field has that bit. */
static int has_bit(const irl_record_field *f, int64_t n, int64_t bit)
{
    int i, at = place_of(f, (int)n), found = 0;
    for (i = 0; at >= 0 && i < f->bits; i++) found |= bit_of(f, at, i) == bit;
    return found;
}

/* ------------------------------------------------------ alternatives, by trying values */

/* The first values of a field, counted from 0, of which the fields that depend on it tell apart. */
static int64_t least_of(const irl_record_field *f)
{
    return is_signed(f) ? -(INT64_C(1) << (f->bits - 2)) * 2 : 0;
}

static int64_t most_of(const irl_record_field *f)
{
    const int bits = f->bits - is_signed(f);
    return bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX;
}

/* The fields that a record with these values has, each as one bit. */
static int present(int count, const irl_record_field *f, const int64_t *value)
{
    int k, set = 0;
    for (k = 0; k < count; k++) {
        const int on = f[k].when - 1;
        if (on < 0 || (set >> on & 1 && value[on] >= f[k].least && value[on] <= f[k].most))
            set |= 1 << k;
    }
    return set;
}

/* Marks each set of fields that there is: value[at ...] are what can tell fields apart. */
static void try_values(int count, const irl_record_field *f, int64_t *value, int at,
                       unsigned char *sets)
{
    int k, tried = 0;
    if (at == count) {
        sets[present(count, f, value)] = 1;
        return;
    }
    for (k = 0; k < count; k++) {
        const int64_t near[4] = { f[k].least - 1, f[k].least, f[k].most, f[k].most + 1 };
        int           j;
        for (j = 0; f[k].when == at + 1 && j < 4; j++) {
            if (near[j] < least_of(&f[at]) || near[j] > most_of(&f[at])) continue;
            value[at] = near[j];
            try_values(count, f, value, at + 1, sets);
            tried++;
        }
    }
    value[at] = 0;
    if (!tried) try_values(count, f, value, at + 1, sets);
}

/* BIJECTIVE, INJECTIVE, LOSSY or OUT_OF_RANGE; which, where a record is both, is the first field
   that is wrong. */
static irl_verdict_kind model(int bytes, int count, const irl_record_field *fields, int *unused)
{
    static unsigned char seen[8192], sets[1 << FIELDS];
    int64_t value[FIELDS];
    int     k, n, i, at, set;
    memset(seen, 0, sizeof seen);
    memset(sets, 0, sizeof sets);
    *unused = 0;
    try_values(count, fields, value, 0, sets);
    for (k = 0; k < count; k++) {
        int others = 0; /* those that some record has besides this one */
        for (set = 0; set < 1 << count; set++)
            if (sets[set] && set >> k & 1) others |= set;
        for (n = 0; (at = place_of(&fields[k], n)) >= 0; n++)
            if (at + fields[k].bits > 8 * bytes) return IRL_OUT_OF_RANGE;
        for (n = 0; (at = place_of(&fields[k], n)) >= 0; n++)
            for (i = 0; i < fields[k].bits; i++) {
                int bit = bit_of(&fields[k], at, i);
                if (seen[bit] & (others | 1 << k)) return IRL_LOSSY;
                seen[bit] = (unsigned char)(seen[bit] | 1 << k);
            }
    }
    for (i = 0; i < 8 * bytes; i++) {
        int is_unused = 0;
        for (set = 0; set < 1 << count; set++) is_unused |= sets[set] && !(seen[i] & set);
        *unused += is_unused;
    }
    return *unused ? IRL_INJECTIVE : IRL_BIJECTIVE;
}

/* Field k depends on one before it, and may begin where another one that does begins. (All fields
   that one depends on have at most 62 bits.) */
static void draw_when(int k, irl_record_field *f)
{
    const int on = below(2) ? 0 : below(k), as = below(k);
    int64_t   least = least_of(&f[on]), most = most_of(&f[on]), a, b;
    int       bits = 0, j;
    for (j = on + 1; j; j = f[j - 1].when) bits += f[j - 1].bits;
    if (bits > 62 || f[on].rank || f[on].norm || f[on].bits > 32 || f[on].type.scalar == IRL_F16 ||
        f[on].type.scalar == IRL_BF16 || f[on].type.scalar == IRL_F32)
        return;
    a = least + below(most - least < 4 ? (int)(most - least) + 1 : 5);
    b = below(2) ? a
        : below(2) ? most
                   : least + below(most - least < 9 ? (int)(most - least) + 1 : 9);
    f[k].when = on + 1;
    f[k].least = a < b ? a : b;
    f[k].most = a < b ? b : a;
    if (f[as].when == f[k].when && below(4)) {
        f[k].offset = f[as].offset;
        if (f[as].least && below(2)) { /* the values below those of the other one */
            f[k].least = least;
            f[k].most = f[as].least > least ? f[as].least - 1 : least;
        }
    }
}

/* ------------------------------------------------------ values, set bit by bit */

static uint64_t draw_value(const irl_record_field *f)
{
    uint64_t v = 0;
    int      k;
    for (k = 0; k < 4; k++) v = v << 16 | (uint64_t)below(1 << 16);
    v &= UINT64_MAX >> (64 - f->bits);
    if (f->type.scalar == IRL_F16 || f->type.scalar == IRL_BF16 || f->type.scalar == IRL_F32 ||
        f->type.scalar == IRL_F64)
        v &= ~(UINT64_C(1) << (f->bits - 2)); /* finite */
    return v;
}

/* What a field is set to, the bits that it then has in memory, and what is read from these; a value
   as an unsigned integer, or the bits of a float. */
typedef struct field_value {
    uint64_t set, bits, get;
} field_value;

static uint64_t bits_of_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

/* A fraction near a code or between two, or beyond the ends: the product in single precision, then
   the nearest integer, of two the even one. */
static field_value draw_norm(const irl_record_field *f)
{
    const int     is_signed = f->norm == IRL_NORM_SIGNED;
    const int64_t scale = (INT64_C(1) << (f->bits - is_signed)) - 1;
    const int     half = below(3);
    const double  near = (double)(below(1 << 24) % (2 * scale + 4) - scale - 2);
    float         v = (float)(near / (double)scale);
    double        product;
    int64_t       code;
    field_value   x;
    if (half == 1) v = (float)(((double)(below(1 << 24) % (scale + 1)) + 0.5) / (double)scale);
    if (half == 2) v = (float)below(1 << 24) / 8388608.0f - 1;
    if (half == 2 && below(8) == 0) v *= 1e30f;
    x.set = bits_of_float(v);
    product = (double)(float)((double)v * (double)scale);
    if (product >= (double)scale) code = scale;
    else if (product <= (double)(is_signed ? -scale : 0)) code = is_signed ? -scale : 0;
    else {
        code = (int64_t)product; /* towards 0 */
        product = (product - (double)code) * 2;
        if (product > 1 || (product == 1 && code % 2)) code++;
        if (product < -1 || (product == -1 && code % 2)) code--;
    }
    x.bits = (uint64_t)code & UINT64_MAX >> (64 - f->bits);
    x.get = bits_of_float((float)((double)code / (double)scale));
    return x;
}

/* Element n of a record; counted from the first bit that its value has. */
static void set_value(const irl_record_field *f, int n, uint64_t value, unsigned char *memory)
{
    int i, at = place_of(f, n);
    for (i = 0; i < f->bits; i++) {
        int bit = bit_of(f, at, i), k = f->order == IRL_BITS_MSB ? f->bits - 1 - i : i;
        memory[bit / 8] = (unsigned char)((memory[bit / 8] & ~(1 << bit % 8)) |
                                          (int)(value >> k & 1) << bit % 8);
    }
}

static uint64_t get_value(const irl_record_field *f, int n, const unsigned char *memory)
{
    int      i, at = place_of(f, n);
    uint64_t value = 0;
    for (i = 0; i < f->bits; i++) {
        int bit = bit_of(f, at, i), k = f->order == IRL_BITS_MSB ? f->bits - 1 - i : i;
        value |= (uint64_t)(memory[bit / 8] >> bit % 8 & 1) << k;
    }
    return value;
}

/* The value as a number of its type, whose bits those are. */
static uint64_t extended(const irl_record_field *f, uint64_t value)
{
    return is_signed(f) && f->bits < 64 && value >> (f->bits - 1) ? value | UINT64_MAX << f->bits
                                                                  : value;
}

static field_value draw(const irl_record_field *f)
{
    field_value x;
    if (f->norm) return draw_norm(f);
    x.bits = draw_value(f);
    x.set = x.get = extended(f, x.bits);
    return x;
}

/* Of a field on which others depend often a value that one of these has. */
static field_value draw_of(int k, int count, const irl_record_field *f)
{
    field_value x = draw(&f[k]);
    const int   by = below(count);
    if (f[by].when != k + 1) return x;
    x.set = x.get = (uint64_t)(below(2) ? f[by].least : f[by].most);
    x.bits = x.set & UINT64_MAX >> (64 - f[k].bits);
    return x;
}

static int value_bytes(const irl_record_field *f)
{
    return f->norm ? 4 : f->bits <= 8 ? 1 : f->bits <= 16 ? 2 : f->bits <= 32 ? 4 : 8;
}

static void put_value(const irl_record_field *f, void *array, int n, uint64_t value)
{
    uint32_t u32 = (uint32_t)value;
    uint8_t  u8 = (uint8_t)value;
    uint16_t u16 = (uint16_t)value;
    if (value_bytes(f) == 1) memcpy((unsigned char *)array + n, &u8, 1);
    else if (value_bytes(f) == 2) memcpy((unsigned char *)array + 2 * n, &u16, 2);
    else if (value_bytes(f) == 4) memcpy((unsigned char *)array + 4 * n, &u32, 4);
    else memcpy((unsigned char *)array + 8 * n, &value, 8);
}

static int elements(const irl_record_field *f)
{
    int k, n = 1;
    for (k = 0; k < f->rank; k++) n *= (int)f->extent[k];
    return n;
}

/* ------------------------------------------------------ pack and unpack */

typedef struct arrays {
    uint64_t      value[FIELDS][RECORDS * ELEMENTS], back[FIELDS][RECORDS * ELEMENTS],
        read[FIELDS][RECORDS * ELEMENTS];
    unsigned char packed[RECORDS * BYTES], want[RECORDS * BYTES];
} arrays;

static irl_arguments arguments(const int64_t *n, int count, uint64_t (*value)[RECORDS * ELEMENTS],
                               unsigned char *packed)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    a.data[a.count++] = n;
    for (k = 0; k < count; k++) a.data[a.count++] = value[k];
    a.data[a.count++] = packed;
    return a;
}

static int packs(irl_ctx *cx, const irl_record *r, int bytes, int count,
                 const irl_record_field *f)
{
    static arrays x;
    static const int64_t records = RECORDS;
    irl_func      *pack = irl_record_pack_func(r), *unpack = irl_record_unpack_func(r);
    irl_arguments  to, from;
    int            k, n, at, lowered, ok = 1;
    memset(&x, 0, sizeof x);
    for (at = 0; at < RECORDS; at++) {
        int64_t value[FIELDS] = { 0 };
        for (k = 0; k < count; k++) {
            const int has = present(k + 1, f, value) >> k & 1;
            for (n = 0; n < elements(&f[k]); n++) {
                const field_value v = draw_of(k, count, f);
                if (!n) value[k] = (int64_t)v.set;
                if (has) set_value(&f[k], n, v.bits, x.want + at * bytes);
                put_value(&f[k], x.value[k], at * elements(&f[k]) + n, v.set);
                put_value(&f[k], x.read[k], at * elements(&f[k]) + n, has ? v.get : 0);
            }
        }
    }
    to = arguments(&records, count, x.value, x.packed);
    from = arguments(&records, count, x.back, x.packed);
    for (lowered = 0; lowered < 2 && ok; lowered++) {
        memset(x.packed, 0xa5, sizeof x.packed);
        memset(x.back, 0, sizeof x.back);
        ok = lowered ? irl_module_interpret(irl_func_lower(pack, &irl_target_c99), to) &&
                           irl_module_interpret(irl_func_lower(unpack, &irl_target_opencl12), from)
                     : irl_func_interpret(pack, to) && irl_func_interpret(unpack, from);
        ok = ok && memcmp(x.packed, x.want, (size_t)(RECORDS * bytes)) == 0 &&
             memcmp(x.read, x.back, sizeof x.read) == 0;
    }
    return ok && irl_ok(cx);
}

/* ------------------------------------------------------ as C */

static void put_bytes(c_text *t, const unsigned char *p, int count)
{
    int k;
    for (k = 0; k < count; k++) c_put(t, k ? ",%d" : "%d", p[k]);
}

static void put_place(c_text *t, const irl_record_field *f, int n)
{
    int k, at[IRL_MAX_RANK];
    for (k = f->rank; k-- > 0; n /= (int)f->extent[k]) at[k] = n % (int)f->extent[k];
    for (k = 0; k < f->rank; k++) c_put(t, ", %d", at[k]);
}

/* Which fields a record of these bytes has. */
static void put_has(c_text *t, const char *name, int count, const irl_record_field *f,
                    const unsigned char *m)
{
    int64_t value[FIELDS] = { 0 };
    int     k, set;
    for (k = 0; k < count; k++)
        if (!f[k].rank) value[k] = (int64_t)extended(&f[k], get_value(&f[k], 0, m));
    set = present(count, f, value);
    for (k = 0; k < count; k++)
        if (f[k].when)
            c_put(t, "    if (%s_has_%s(m) != %d) bad(\"%s has\");\n", name, f[k].name,
                  set >> k & 1, name);
}

/* Two elements of each field: set, the whole record compared, and read. */
static int put_case(c_text *t, const irl_record *r, int bytes, int count, irl_record_field *f,
                    int number)
{
    unsigned char m[BYTES];
    char          name[16];
    const char   *source;
    int           k, j;
    snprintf(name, sizeof name, "r%d", number);
    source = irl_c_record_source(r, name);
    if (!source[0]) return 0;
    for (k = 0; k < bytes; k++) m[k] = (unsigned char)below(256);
    c_put(t, "%s\nstatic void run_%d(void)\n{\n    static uint8_t m[%d] = {", source, number,
          bytes);
    put_bytes(t, m, bytes);
    c_put(t, "};\n    (void)m;\n");
    for (k = 0; k < count; k++)
        for (j = 0; j < 2; j++) {
            const int      n = below(elements(&f[k]));
            const int      is_bool = f[k].type.scalar == IRL_BOOL;
            const char    *of = f[k].type.scalar == IRL_F32   ? "float"
                                : f[k].type.scalar == IRL_F64 ? "double"
                                                              : NULL;
            const field_value v = draw_of(k, count, f);
            const char    *type = is_signed(&f[k]) ? "int" : "uint";
            set_value(&f[k], n, v.bits, m);
            c_put(t, "    %s_set_%s(m", name, f[k].name);
            put_place(t, &f[k], n);
            if (of) c_put(t, ", %s_of(%lluull));\n", of, (unsigned long long)v.set);
            else if (is_bool) c_put(t, ", %d);\n", v.set ? 1 << below(10) : 0);
            else
                c_put(t, ", (%s%d_t)%lluull);\n", type, 8 * value_bytes(&f[k]),
                      (unsigned long long)v.set);
            c_put(t, "    { static const uint8_t want[] = {");
            put_bytes(t, m, bytes);
            c_put(t, "};\n      if (memcmp(m, want, sizeof want) != 0 || %s%s(%s_get_%s(m",
                  of ? "bits_of_" : "(uint64_t)", of ? of : "", name, f[k].name);
            put_place(t, &f[k], n);
            c_put(t, ")) != %lluull) bad(\"%s\"); }\n",
                  (unsigned long long)v.get, name);
            put_has(t, name, count, f, m);
        }
    c_put(t, "}\n");
    return 1;
}

static const char prologue[] =
    "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "static float float_of(uint32_t b) { float f; memcpy(&f, &b, 4); return f; }\n"
    "static uint32_t bits_of_float(float f) { uint32_t b; memcpy(&b, &f, 4); return b; }\n"
    "static double double_of(uint64_t b) { double f; memcpy(&f, &b, 8); return f; }\n"
    "static uint64_t bits_of_double(double f) { uint64_t b; memcpy(&b, &f, 8); return b; }\n"
    "static void bad(const char *what) { puts(what); exit(1); }\n";

static void run_program(c_text *t, int count)
{
    static const c_compiler by[] = {
        { "gcc", "gcc -std=c99 -O1 -pedantic -Wall -Wextra -Wno-unused-function -Werror "
                 C_UNDEFINED, NULL, 0 },
        { "clang", "clang -std=c99 -O1 -pedantic -Wall -Wextra -Wconversion -Wno-unused-function "
                   "-Werror " C_UNDEFINED, NULL, 0 },
        { "tcc", "tcc -w", NULL, 0 },
    };
    int k;
    c_put(t, "int main(void)\n{\n    (void)float_of;\n    (void)bits_of_float;\n"
             "    (void)double_of;\n    (void)bits_of_double;\n");
    for (k = 0; k < count; k++) c_put(t, "    run_%d();\n", k);
    c_put(t, "    return 0;\n}\n");
    c_run_all(t, by, 3);
    t->length = 0;
}

static int alternatives; /* fields that depend on others, of records that are right */

/* Puts its functions in C as number `put`; whether it did. */
static int one_record(c_text *t, uint64_t seed, int put, int *kinds)
{
    irl_ctx           *cx = irl_ctx_create(NULL);
    irl_record_field   f[FIELDS];
    const irl_record  *r, *again;
    irl_record_verdict v;
    irl_verdict_kind   kind;
    int                k, at = 0, count, bytes, unused, ok, is_put = 0, is_tagged;
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    count = below(FIELDS + 1);
    is_tagged = below(2);
    whole_bytes = below(4) == 0;
    for (k = 0; k < count; k++) {
        at = draw_field(&f[k], at);
        if (!k && is_tagged) { /* a number that fields depend on */
            f[0].bits = at = whole_bytes ? 8 : 1 + below(4);
            f[0].type = irl_type_of(integer_of(at, at > 1 && below(2)), 1);
            f[0].rank = 0;
            f[0].norm = IRL_NORM_NONE;
            f[0].offset = 0;
        }
        f[k].name = names[k];
        if (k && below(is_tagged ? 2 : 8) == 0) draw_when(k, f);
    }
    if (count < FIELDS && at % 8 && below(3) == 0) { /* to the end of the byte */
        memset(&f[count], 0, sizeof f[count]);
        f[count].name = names[count];
        f[count].bits = 8 - at % 8;
        f[count].type = irl_type_of(IRL_U8, 1);
        f[count].offset = at;
        at = (at + 7) / 8 * 8;
        count++;
    }
    bytes = below(6) ? (at + 7) / 8 + below(2) : 1 + below(BYTES);
    if (bytes < 1) bytes = 1;
    kind = model(bytes, count, f, &unused);
    r = irl_record_new(cx, "r", bytes, count, f);
    v = irl_record_check(r);
    again = irl_record_parse(cx, irl_record_text(r), IRL_TO_NUL, "again");
    ok = irl_ok(cx) && v.kind == kind && v.unused_bits == (int64_t)unused &&
         irl_record_equal(r, again);
    if (ok && kind == IRL_LOSSY)
        ok = !irl_record_are_alternatives(r, v.a, v.b) &&
             has_bit(&f[v.a], v.a_element, v.bit) && has_bit(&f[v.b], v.b_element, v.bit) &&
             (v.a != v.b || v.a_element != v.b_element);
    if (ok && kind == IRL_OUT_OF_RANGE)
        ok = place_of(&f[v.b], (int)v.b_element) + f[v.b].bits == v.bit && v.bit > 8 * bytes;
    if (ok && (kind == IRL_BIJECTIVE || kind == IRL_INJECTIVE) && bytes <= BYTES) {
        ok = packs(cx, r, bytes, count, f);
        if (count > 3) f[3].name = "d_d";
        ok = ok && put_case(t, irl_record_new(cx, "r", bytes, count, f), bytes, count, f, put);
        is_put = ok;
    }
    if (!ok) {
        printf("seed %lu: model %s, %s: %s\n%s\n", (unsigned long)seed, irl_verdict_name(kind),
               irl_record_verdict_text(r, &v), irl_diag_text(cx), irl_record_text(r));
        CHECK(!"a generated record");
    }
    kinds[kind]++;
    for (k = 0; k < count; k++)
        if (f[k].when && is_put) alternatives++;
    irl_ctx_destroy(cx);
    return is_put;
}

enum { PROGRAM = 200 };

static void test_generated(uint64_t first, int count)
{
    int    k, kinds[8] = { 0 }, put = 0;
    c_text t;
    memset(&t, 0, sizeof t);
    for (k = 0; k < count && test_failed < 5; k++) {
        if (!t.length) c_put(&t, "%s", prologue);
        put += one_record(&t, first + (uint64_t)k, put, kinds);
        if (put == PROGRAM || (put && k + 1 == count)) {
            run_program(&t, put);
            put = 0;
        }
    }
    free(t.data);
    printf("%d bijective, %d injective, %d lossy, %d out of range; "
           "%d fields that depend on others\n",
           kinds[IRL_BIJECTIVE], kinds[IRL_INJECTIVE], kinds[IRL_LOSSY], kinds[IRL_OUT_OF_RANGE],
           alternatives);
    if (count > 200) CHECK(alternatives * 8 > count);
    if (count > 200)
        CHECK(kinds[IRL_BIJECTIVE] && kinds[IRL_INJECTIVE] && kinds[IRL_LOSSY] &&
              kinds[IRL_OUT_OF_RANGE]);
}

/* ------------------------------------------------------------------ verdicts, by hand */

static void says(const char *text, const char *verdict, irl_code code)
{
    irl_ctx           *cx = irl_ctx_create(NULL);
    const irl_record  *r = irl_record_parse(cx, text, IRL_TO_NUL, NULL);
    irl_record_verdict v = irl_record_check(r);
    if (!CHECK(strcmp(irl_record_verdict_text(r, &v), verdict) == 0))
        printf("%s\n", irl_record_verdict_text(r, &v));
    CHECK(v.code == code);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void test_verdicts(void)
{
    says("record q4_0 bytes(18) { scale: f16; q: u4[2, 16] strides(4, 8); }",
         "bijective: each of 144 bits belongs to a field", IRL_OK);
    says("record rgb555 bytes(2) { b: u5; g: u5; r: u5; }",
         "injective: 1 of 16 bits is unused, the first is bit 7 of byte 1", IRL_OK);
    says("record r bytes(2) bits(msb) { a: u3; b: u7; }",
         "injective: 6 of 16 bits are unused, the first is bit 0 of byte 1", IRL_OK);
    says("record r bytes(18) { scale: f16; q: u4[2, 16] strides(4, 8) offset(12); }",
         "lossy: scale and q[0, 0] have bit 4 of byte 1", IRL_ERROR_LOSSY_MAP);
    says("record r bytes(3) { a: u4[3] strides(2); }", "lossy: a[0] and a[1] have bit 2 of byte 0",
         IRL_ERROR_LOSSY_MAP);
    says("record can bytes(8) { a: u12 offset(4); b: u16 offset(8) bits(msb); }",
         "lossy: a and b have bit 7 of byte 1", IRL_ERROR_LOSSY_MAP);
    says("record r bytes(17) { scale: f16; q: u4[2, 16] strides(4, 8); }",
         "out-of-range: q[0, 15] ends before bit 140, and the record has 136",
         IRL_ERROR_MAP_OUT_OF_RANGE);
    says("record empty bytes(1) { }", "injective: 8 of 8 bits are unused, the first is bit 0 of "
                                      "byte 0", IRL_OK);
    says("record mux bytes(3) { mode: u1; a: u15 when(mode == 0); b: i7 when(mode == 1); "
         "c: u8 when(mode == 1); d: u8; }",
         "bijective: each of 24 bits belongs to a field", IRL_OK);
    says("record mux bytes(3) { mode: u2; a: u14 when(mode == 0); b: u14 when(mode == 1 .. 3); "
         "d: u8; }",
         "injective: 14 of 24 bits are unused, the first is bit 2 of byte 0, of some records",
         IRL_OK);
    says("record mux bytes(4) { mode: u8; sub: u8 when(mode == 1); a: u8 when(sub == 2); "
         "b: u16 offset(16) when(sub == 3); c: u8 offset(24) when(mode == 1); }",
         "lossy: b and c have bit 0 of byte 3", IRL_ERROR_LOSSY_MAP);
    says("record r bytes(2) { a: u8; on: bool; b: u7 when(on == true); c: u7 when(on == false); }",
         "bijective: each of 16 bits belongs to a field", IRL_OK);
    says("record mux bytes(4) { mode: i8; a: u8 when(mode == 0 - 3 .. 2); "
         "b: u8 offset(8) when(mode == 1); }",
         "lossy: a and b have bit 0 of byte 1", IRL_ERROR_LOSSY_MAP);
    says("record nv12 bytes(1080 * 2048 * 3 / 2) { y: u8[1080, 1920] strides(16384, 8); "
         "u: u8[540, 960] strides(16384, 16) offset(1080 * 16384); "
         "v: u8[540, 960] strides(16384, 16) offset(1080 * 16384 + 8); }",
         "injective: 1658880 of 26542080 bits are unused, the first is bit 0 of byte 1920", IRL_OK);
    says("record nv12 bytes(1080 * 2048 * 3 / 2) { y: u8[1080, 1920] strides(16384, 8); "
         "uv: u8[540, 960, 2] bits(msb) offset(1079 * 16384 + 1000); }",
         "lossy: y[1079, 125] and uv[0, 0, 0] have bit 7 of byte 2209917", IRL_ERROR_LOSSY_MAP);
    says("record r bytes(2 * 2) { a: u8[2 + 1]; b: i8; }",
         "bijective: each of 32 bits belongs to a field", IRL_OK);
}

/* ------------------------------------------------------------------ what is refused */

static void refused(const char *text, irl_code code, const char *what)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(!irl_record_parse(cx, text, IRL_TO_NUL, NULL));
    CHECK_CODE(cx, code);
    if (!CHECK(strstr(irl_diag_text(cx), what) != NULL)) printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

static void func_refused(const char *text, irl_code code, const char *what)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    CHECK(!irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_c99));
    CHECK_CODE(cx, code);
    if (!CHECK(strstr(irl_diag_text(cx), what) != NULL)) printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* Planes are compared as the runs that they are, however many bytes they have. */
static void test_large_planes(void)
{
    says("record f bytes(99532800) { y: u8[4320, 7680]; u: u8[4320, 7680]; v: u8[4320, 7680]; }",
         "bijective: each of 796262400 bits belongs to a field", IRL_OK);
    says("record raw bytes(62668800) { line: u10[6528, 7680]; }",
         "bijective: each of 501350400 bits belongs to a field", IRL_OK);
    says("record f bytes(66355200) { y: u8[4320, 7680]; c: u8[2160, 3840, 2] offset(265359360) "
         "bits(msb); }", "lossy: y[4319, 0] and c[0, 0, 0] have bit 7 of byte 33169920",
         IRL_ERROR_LOSSY_MAP);
    says("record nv12 bytes(4320 * 7680 * 3 / 2) { y: u8[4320, 7680]; u: u8[2160, 3840] "
         "strides(61440, 16) offset(265420800); v: u8[2160, 3840] strides(61440, 16) "
         "offset(265420800 + 8); }",
         "bijective: each of 398131200 bits belongs to a field", IRL_OK);
    says("record nv12 bytes(4320 * 7680 * 3 / 2) { y: u8[4320, 7680]; u: u8[2160, 3840] "
         "strides(61440, 16) offset(265420800); v: u8[2160, 3840] strides(61440, 16) "
         "offset(265420800 - 8); }", "lossy: y[4319, 7679] and v[0, 0] have bit 0 of byte 33177599",
         IRL_ERROR_LOSSY_MAP);
    says("record f bytes(67108864) { a: u4[65536, 1024] strides(8192, 4); "
         "b: u4[8192] bits(msb) offset(0); }",
         "lossy: a[0, 1] and b[0] have bit 7 of byte 0", IRL_ERROR_LOSSY_MAP);
}

static void test_refused(void)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_record_field f;
    refused("record r { a: u4; }", IRL_ERROR_SYNTAX, "bytes(...)");
    refused("record r bytes(0) { }", IRL_ERROR_TOO_LARGE, "0 bytes");
    refused("record r bytes(268435457) { }", IRL_ERROR_TOO_LARGE, "268435457 bytes");
    refused("record r bytes(4000000) { a: u8; b: u4; }", IRL_ERROR_TOO_LARGE,
            "32000000 bits, and its fields begin and end at multiples of 1:");
    refused("record r bytes(40000000) { k: u8; a: u8 when(k == 1); }", IRL_ERROR_TOO_LARGE,
            "at most 16777216 such parts");
    refused("record r bytes(80000000) { a: u8; b: u8; }", IRL_ERROR_TOO_LARGE,
            "at most 67108864 such parts");
    refused("record r bytes(n) { }", IRL_ERROR_UNKNOWN_NAME, "n");
    refused("record r bytes(1) bytes(1) { }", IRL_ERROR_SYNTAX, "'{'");
    refused("record r[4] bytes(1) { }", IRL_ERROR_SYNTAX, "a record alone has no shape");
    refused("record r bytes(4) { a: f32x4; }", IRL_ERROR_BAD_TYPE, "f32x4");
    refused("record r bytes(4) { a: unorm25; }", IRL_ERROR_BAD_TYPE, "unorm25");
    refused("record r bytes(4) { a: snorm1; }", IRL_ERROR_BAD_TYPE, "snorm1");
    refused("record r bytes(4) { a: index; }", IRL_ERROR_BAD_TYPE, "1 of bool");
    refused("record r bytes(4) { a: u4; a: u4; }", IRL_ERROR_DUPLICATE_NAME, "needs a name that no "
                                                                             "other field has");
    refused("record r bytes(4) { a: u4[0]; }", IRL_ERROR_BAD_ARGUMENT, "at least 1");
    refused("record r bytes(4) { a: u4[2] strides(-4); }", IRL_ERROR_BAD_ARGUMENT, "stride -4");
    refused("record r bytes(4) { a: u4[2] strides(4, 4); }", IRL_ERROR_RANK_MISMATCH, "2 strides");
    refused("record r bytes(4) { a: u4 offset(-1); b: u4; }", IRL_ERROR_TOO_LARGE, "below bit 0");
    refused("record r bytes(4) { a: u4[1073741824]; b: u1; }", IRL_ERROR_TOO_LARGE, "beyond bit");
    refused("record r bytes(4) { a: u4[9223372036854775807]; }", IRL_ERROR_OVERFLOW, "63 bits");
    refused("record r bytes(4) { a: u4; b: u4 bits(msb); }", IRL_ERROR_SYNTAX, "has another order "
                                                                               "of bits than the "
                                                                               "one before it, "
                                                                               "which ends within "
                                                                               "a byte: state "
                                                                               "offset(...)");
    refused("record r bytes(4) { b: u4; a: u4 when(b == true); }", IRL_ERROR_TYPE_MISMATCH,
            "found bool");
    refused("record r bytes(4) { a: u4 when(b == 1); b: u4; }", IRL_ERROR_SYNTAX,
            "a field of this record before the one that depends");
    refused("record r bytes(4) { a: u4; b: u4 when(a = 1); }", IRL_ERROR_SYNTAX, "'=='");
    refused("record r bytes(4) { a: u4; b: u4 when(a == 16); }", IRL_ERROR_BAD_ARGUMENT,
            "values 16 to 16 of field 'a', which is 0 to 15");
    refused("record r bytes(4) { a: u4; b: u4 when(a == 3 .. 3); }", IRL_ERROR_BAD_ARGUMENT,
            "values 3 to 2");
    refused("record r bytes(4) { a: u4[2]; b: u4 when(a == 1); }", IRL_ERROR_BAD_ARGUMENT,
            "of one element and up to 32 bits");
    refused("record r bytes(9) { a: u32; b: u31 when(a == 1); c: u1 when(b == 1); }",
            IRL_ERROR_TOO_LARGE, "more than 62 bits");
    refused("record r bytes(4) { a: u4 field; }", IRL_ERROR_SYNTAX, "strides(...)");
    refused("record r bytes(4) { a: u4 } x", IRL_ERROR_SYNTAX, "';'");
    refused("record r bytes(4) { a: u4; } x", IRL_ERROR_SYNTAX, "the end of the text");
    refused("", IRL_ERROR_SYNTAX, "record");
    func_refused("func f(m: u8[4]) { record r bytes(4) { a: u4; } }", IRL_ERROR_SYNTAX,
                 "data(...)");
    func_refused("func f(m: u8[4]) { record r bytes(4) data(m) { a: u4; b: u4 offset(3); } }",
                 IRL_ERROR_LOSSY_MAP, "record 'r' is lossy: a and b have bit 3 of byte 0");
    func_refused("func f(m: u8[4]) { record r bytes(4) data(m) { a: u4[9]; } }",
                 IRL_ERROR_MAP_OUT_OF_RANGE, "a[8] ends before bit 36, and the record has 32");
    func_refused("func f(m: u8[4]) { record r[2] bytes(4) data(m) { a: u32; } r_a[0] = u32(1); }",
                 IRL_ERROR_BAD_ALIAS, "takes 8 bytes");
    func_refused("func f(m: u8[4]) { record r bytes(4) data(m) { a: u4; } "
                 "record s bytes(4) data(m) { b: u4; } }",
                 IRL_ERROR_LOSSY_MAP, "fields overlap: r_a and s_b have bit 0 of byte 0");
    func_refused("func f(n: index, m: u8[n, 2]) { record r[n] bytes(2) data(m) { a: u4; } "
                 "decl b: u4[n] data(m) strides(16) offset(18) field; }",
                 IRL_ERROR_LOSSY_MAP, "fields overlap: r_a[1] and b[0] have bit 2 of byte 2");
    func_refused("func f(m: u8[4]) { record r bytes(4) data(m) { a: u4; } alloc r_a: f32[4]; }",
                 IRL_ERROR_DUPLICATE_NAME, "r_a");
    memset(&f, 0, sizeof f);
    f.name = "a";
    f.type = irl_type_of(IRL_U16, 1);
    f.bits = 4; /* of a u8 */
    CHECK(!irl_record_new(cx, "r", 4, 1, &f));
    CHECK_CODE(cx, IRL_ERROR_BAD_TYPE);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    CHECK(!irl_record_new(cx, "", 4, 1, &f));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
    CHECK(strcmp(irl_record_text(NULL), "") == 0);
    CHECK(irl_record_check(NULL).code == IRL_ERROR_UNDECIDED && !irl_record_equal(NULL, NULL));
}

/* ------------------------------------------------------------------ in functions */

/* parse(print(f)) is f, and the records are printed as records, or not. */
static void comes_back(const char *text, int is_record)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    const char *printed = irl_func_text(f);
    CHECK(irl_func_equal(f, irl_func_parse(cx, printed, IRL_TO_NUL, NULL)));
    CHECK_OK(cx);
    if (!CHECK((strstr(printed, "record ") != NULL) == is_record)) printf("%s", printed);
    irl_ctx_destroy(cx);
}

/* Of alternatives a picture draws the first, and says of each when it is there. */
static void test_alternatives_drawn(void)
{
    irl_ctx             *cx = irl_ctx_create(NULL);
    static const char    mux[] = "record mux bytes(2) { mode: u4; a: u12 when(mode == 0); "
                                 "b: unorm8 when(mode == 1 .. 4); }";
    const irl_record    *r = irl_record_parse(cx, mux, IRL_TO_NUL, NULL);
    irl_picture_options  how;
    const char          *text;
    memset(&how, 0, sizeof how);
    text = irl_record_picture(r, &how);
    if (!CHECK(strstr(text, "when(mode == 0)") &&
               strstr(text, "unorm8 offset(4) when(mode == 1 .. 4)")))
        puts(text);
    how.form = IRL_PICTURE_SVG;
    CHECK(!strstr(irl_record_picture(r, &how), "more</title>"));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static void test_printed(void)
{
    test_alternatives_drawn();
    comes_back("func f(n: index, m: u8[n, 3, 18]) {\n"
               "  record b[n, 3] bytes(18) data(m) { s: f16; q: u4[2, 16] strides(4, 8); } }", 1);
    comes_back("func f(m: u8[4]) { record b bytes(4) data(m) { a: u4; `x y`: u3 offset(9); } }", 1);
    comes_back("func f(n: index, m: u8[n, 4]) { record b[n] bytes(4) data(m) { `a b`: i3; "
               "c: u5[3] when(`a b` == 0 - 2 .. 1); d: bool when(`a b` == 2); e: u8 bits(msb) "
               "offset(8) when(`a b` == 2); f: i9 when(d == 1); } "
               "for parallel (i: n) if (`b_a b`[i] == 2) b_d[i] = true; else b_c[i, 1] = 3; }", 1);
    comes_back("func f(m: u8[8]) { record b bytes(4) data(m) { a: u4; } "
               "for (i: 2) { record b[2] bytes(4) data(m) { c: u4 offset(4); } b_c[i] = b_a[]; } }",
               1);
    comes_back("func f(b_a: f32[2], m: u8[8]) { b_a[0] = 1.0; "
               "for (i: 2) { record b bytes(4) data(m) { a: u4; } b_a[] = 1; } }", 0);
}

/* The same by calls, and a field read through its view. */
static void test_calls(void)
{
    static const unsigned char m[4] = { 0xff, 0x12, 0x34, 0x05 };
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_record_field  f[2];
    const irl_record *r;
    const irl_expr   *four = irl_expr_index(cx, 4), *two = irl_expr_index(cx, 2), *i, *at[1];
    const irl_buffer *memory, *y, *a;
    irl_param_desc    params[2];
    const irl_stmt   *body[2];
    irl_func         *made;
    uint16_t          got[2] = { 0, 0 };
    memset(f, 0, sizeof f);
    f[0].name = "a";
    f[0].type = irl_type_of(IRL_U16, 1);
    f[0].bits = 10;
    f[0].order = IRL_BITS_MSB;
    f[0].offset = 6;
    f[1].name = "b";
    f[1].type = irl_type_of(IRL_I8, 1);
    f[1].bits = 6;
    f[1].order = IRL_BITS_MSB;
    r = irl_record_new(cx, "r", 2, 2, f);
    CHECK(strcmp(irl_record_name(r), "r") == 0);
    CHECK(irl_record_bytes(r) == 2 && irl_record_field_count(r) == 2);
    CHECK(irl_record_field_at(r, 1)->bits == 6 && !irl_record_field_at(r, 2));
    CHECK(strcmp(irl_record_text(r),
                 "record r bytes(2) bits(msb) { a: u10 offset(6); b: i6 offset(0); }") == 0);
    memory = irl_buffer_new(cx, "m", irl_type_of(IRL_U8, 1), IRL_SCOPE_GLOBAL, 1, &four);
    y = irl_buffer_new(cx, "y", irl_type_of(IRL_U16, 1), IRL_SCOPE_GLOBAL, 1, &two);
    a = irl_record_view(r, 0, memory, 1, &two);
    at[0] = i = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
    body[0] = irl_stmt_decl(cx, a);
    body[1] = irl_stmt_for(cx, IRL_SERIAL, i, irl_expr_index(cx, 0), two,
                           irl_stmt_store(cx, y, irl_expr_load(cx, a, 1, at), 1, at));
    memset(params, 0, sizeof params);
    params[0].buffer = memory;
    params[1].buffer = y;
    made = irl_func_new(cx, "f", 2, params, irl_stmt_seq(cx, 2, body));
    CHECK(irl_func_interpret(made, IRL_POINTERS(m, got)));
    CHECK_OK(cx);
    CHECK(got[0] == 0x312 && got[1] == 0x005);
    CHECK(!irl_record_view(r, 2, memory, 1, &two));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

/* The least code of snorm is -1 too; bitmaps and buffers of fractions without a record; a fraction
   in a temporary that is inlined is rounded. */
static void test_numbers(void)
{
    static const char text[] =
        "func f(m: u8[3], d: bool[12] bits(msb), s: snorm5[2], y: f32[4], n: i32[1]) {\n"
        "  record r bytes(3) data(m) { a: snorm8; b: unorm12 offset(12); }\n"
        "  alloc t: unorm2[1];\n"
        "  y[0] = r_a[]; y[1] = r_b[]; y[2] = s[1]; t[0] = 0.4; y[3] = t[0];\n"
        "  n[0] = 0; for (i: 12) n[0] = n[0] * 2 + i32(d[i]); for (i: 12) d[i] = i % 3 == 0;\n"
        "  r_b[] = y[1] / 2; s[0] = 9.0; }";
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    int       k;
    for (k = 0; k < 2; k++) {
        unsigned char m[3] = { 0x80, 0x05, 0x80 }, d[2] = { 0xa5, 0x30 }, s[2] = { 0x25, 0x03 };
        float         y[4] = { 0 };
        int32_t       n[1] = { 0 };
        CHECK(k ? irl_module_interpret(irl_func_lower(f, &irl_target_c99),
                                       IRL_POINTERS(m, d, s, y, n))
                : irl_func_interpret(f, IRL_POINTERS(m, d, s, y, n)));
        CHECK_OK(cx);
        /* in floats: some machines divide constants in double */
        const float wanted[4] = { -1, 2048.0f / 4095, -7.0f / 15, 1.0f / 3 };
        CHECK(memcmp(y, wanted, sizeof y) == 0);
        CHECK(n[0] == 0xa53 && d[0] == 0x92 && d[1] == 0x40);
        CHECK(m[1] == 0x05 && m[2] == 0x40 && s[0] == (0x20 | 15)); /* 1024 of 4095 */
    }
    irl_ctx_destroy(cx);
    comes_back("func f(m: u8[8], d: bool[64] bits(lsb), s: unorm8[4] bits(msb), t: snorm16[2]) {\n"
               "  record b bytes(8) data(m) { a: unorm8; c: snorm16[2]; e: bool; g: unorm5; }\n"
               "  alloc z: snorm3[5]; z[0] = 0.5; }", 1);
}

/* The planes of a frame, in a function. */
static void test_planes(void)
{
    static unsigned char m[2][640 * 480 * 3 / 2];
    static const char text[] =
        "func f(n: index, m: u8[n, 460800], y: u8[4]) {\n"
        "  record frame[n] bytes(460800) data(m) { luma: u8[480, 640]; chroma: u8[240, 320, 2]; }\n"
        "  y[0] = frame_luma[1, 479, 639]; y[1] = frame_chroma[0, 0, 1, 0];\n"
        "  for parallel (i: 240, j: 320) frame_chroma[1, i, j, 1] = u8(i + j); }";
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_func     *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    const int64_t n = 2;
    unsigned char y[4] = { 0 };
    m[1][640 * 480 - 1] = 7;
    m[0][640 * 480 + 2] = 9;
    CHECK(irl_module_interpret(irl_func_lower(f, &irl_target_c99), IRL_POINTERS(&n, m, y)));
    CHECK_OK(cx);
    CHECK(y[0] == 7 && y[1] == 9 && m[1][640 * 480 * 3 / 2 - 1] == (unsigned char)(239 + 319));
    CHECK(m[1][640 * 480] == 0 && m[1][640 * 480 + 3] == 1);
    CHECK(irl_func_equal(f, irl_func_parse(cx, irl_func_text(f), IRL_TO_NUL, NULL)));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
    func_refused("func f(m: u8[460800]) { record a bytes(460800) data(m) { y: u8[480, 640]; } "
                 "record b bytes(460800) data(m) { y: u8[480, 640]; } }",
                 IRL_ERROR_UNSUPPORTED, "needs numbers as extents");
}

/* Stores side by side: each byte is written once, and not read where all of it is written. */
static void test_stores(void)
{
    static const char text[] =
        "func f(a: u8[4], b: u8[4], c: u16[4], m: u8[4, 3]) {\n"
        "  record r[4] bytes(3) data(m) { a: u3; b: u5; c: u12; }\n"
        "  for parallel (i: 4) { r_a[i] = a[i]; r_b[i] = b[i]; r_c[i] = c[i]; } }";
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_module   *m = irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_c99);
    const char   *c = irl_c_source(m), *at;
    unsigned char a[4] = { 1, 2, 3, 7 }, b[4] = { 31, 0, 16, 9 }, p[12];
    uint16_t      v[4] = { 0xabc, 0x123, 0xfff, 0 };
    int           stores = 0;
    memset(p, 0xff, sizeof p);
    CHECK(irl_module_interpret(m, IRL_POINTERS(a, b, v, p)));
    CHECK_OK(cx);
    CHECK(p[0] == (1 | 31 << 3) && p[1] == 0xbc && p[2] == 0xfa && p[3] == 2 && p[4] == 0x23);
    for (at = c; (at = strstr(at, "m[")) != NULL; at++) stores++;
    CHECK(stores == 4); /* three are written, and the last is read too */
    irl_ctx_destroy(cx);
    func_refused("func f(x: u8[6], m: u8[3]) { record r bytes(3) data(m) { q: u4[6]; }\n"
                 "  for bind(global.x) (i: 6) r_q[i] = x[i] + x[5 - i]; }",
                 IRL_ERROR_DATA_RACE, "iterations 0 and 1 of bound loop 'i' write bits 0 to 3 and "
                                      "4 to 7 of byte 0");
    func_refused("func f(m: u8[4]) { record r bytes(4) data(m) { a: u4[3] strides(8); "
                 "b: u4[3] strides(8) offset(12); }\n"
                 "  for parallel (i: 3) { r_b[i] = 1; r_a[i] = 2; } }",
                 IRL_ERROR_DATA_RACE, "iterations 0 and 1 of parallel loop 'i' write bits 4 to 7 "
                                      "and 0 to 3 of byte 1 of 'r_b' and 'r_a'");
    /* of a neighbour of another width nothing is said */
    func_refused("func f(w: u8[3, 3]) { record b[3] bytes(3) data(w) { q: u4[4]; f: u3; }\n"
                 "  for (r: 3) b_f[r] = 1;\n"
                 "  for (r: 3) for bind(global.x) (t: 4) b_q[r, t] = b_q[r, t] + 3; }",
                 IRL_ERROR_DATA_RACE, "of byte 0 of 'b_q', which has elements of 4 bits:");
    func_refused("func f() { for bind(group.x) (g: 2) for bind(local.x) (l: 8) {\n"
                 "  alloc s: u1[8] scope(shared); s[l] = 1; } }",
                 IRL_ERROR_BAD_STRUCTURE, "bits in shared memory");
}

/* Names that are those of views, or look like a part of the text. */
static void packs_names(void)
{
    static const char *const texts[] = {
        "record r bytes(2) { a: u8; r_a: u5; }", "record r bytes(3) { r__a: u5; a: u8; r_a: u5; }",
        "record `a bytes(9) {` bytes(2) { `x bytes(3)`: u8; `)`: u5; }",
        "record n bytes(2) { n: u8; n_n: u5; }", "record i bytes(2) { `0`: u8; i: u5[1]; }",
        "record packed bytes(2) { `1`: u8; n: u5; }"
    };
    size_t k;
    for (k = 0; k < sizeof texts / sizeof *texts; k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        const irl_record *r = irl_record_parse(cx, texts[k], IRL_TO_NUL, NULL);
        irl_record_field  f[FIELDS];
        int               j, count = r ? irl_record_field_count(r) : 0;
        for (j = 0; j < count; j++) f[j] = *irl_record_field_at(r, j);
        if (!CHECK(r && packs(cx, r, (int)irl_record_bytes(r), count, f)))
            printf("%s\n%s\n", texts[k], irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = getenv("IRL_SOAK") ? 100000 : TEST_COUNT(400);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    test_generated(first, count);
    if (argc == 1) {
        test_verdicts();
        test_refused();
        test_printed();
        test_calls();
        test_numbers();
        test_planes();
        test_large_planes();
        test_stores();
        packs_names();
    }
    c_folder_end();
    return TEST_DONE();
}
