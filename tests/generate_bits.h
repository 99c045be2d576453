/* generate_bits.h - generated layouts of bits: records of fields in bytes, and buffers of bits with
   a layout; beside each the model, which sets single bits.

   needs     test.h before it; some records are `record` declarations, and of some of these all
             fields of a record are stored in one iteration, of a parallel loop too
   promises  a function that reads every field of one memory and writes every field of another one,
             and what both are afterwards. Fields of a record do not meet; what lies between them is
             kept. No field of a float holds a NaN, whose bits a conversion may change */
#ifndef IRL_GENERATE_BITS_H
#define IRL_GENERATE_BITS_H

#include <stdarg.h>

enum { BITS_FIELDS = 4, BITS_RANK = 3, BITS_BYTES = 4096, BITS_ELEMENTS = 256 };

typedef struct bits_field {
    int  width, is_signed, is_float, is_msb, bytes; /* of a value, in an array of its own */
    int  rank, extent[BITS_RANK], stride[BITS_RANK], offset, count;
    char element[8], value[8]; /* as written: u5, u8 */
} bits_field;

typedef struct bits_case {
    uint64_t      seed;
    int           fields, bytes;  /* of either memory */
    int           is_whole;       /* a buffer of bits with a layout */
    int           way;            /* which one */
    int           is_record;      /* a record declaration */
    int           is_together;    /* of fields that are one element, stored in one iteration */
    bits_field    field[BITS_FIELDS];
    char          text[6000];
    unsigned char from[BITS_BYTES], to[BITS_BYTES], to_after[BITS_BYTES];
    unsigned char in[BITS_FIELDS][8 * BITS_ELEMENTS], out[BITS_FIELDS][8 * BITS_ELEMENTS],
        out_after[BITS_FIELDS][8 * BITS_ELEMENTS];
} bits_case;

static uint64_t bits_state;
static uint32_t bits_random(void)
{
    bits_state ^= bits_state >> 12;
    bits_state ^= bits_state << 25;
    bits_state ^= bits_state >> 27;
    return (uint32_t)((bits_state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}
static int bits_below(int n) { return (int)(bits_random() % (uint32_t)n); }

static void bits_put(bits_case *c, const char *format, ...)
{
    const size_t length = strlen(c->text);
    va_list      args;
    va_start(args, format);
    vsnprintf(c->text + length, sizeof c->text - length, format, args);
    va_end(args);
}

/* ------------------------------------------------------ the model: one bit at a time */

/* Bit i of the element at bit `at` of memory. */
static int bits_get(const unsigned char *memory, const bits_field *f, int at, int i)
{
    const int bit = f->is_msb ? at + f->width - 1 - i : at + i;
    return memory[bit / 8] >> (f->is_msb ? 7 - bit % 8 : bit % 8) & 1;
}

static void bits_set(unsigned char *memory, const bits_field *f, int at, int i, int is_one)
{
    const int bit = f->is_msb ? at + f->width - 1 - i : at + i;
    const int place = f->is_msb ? 7 - bit % 8 : bit % 8;
    if (is_one) memory[bit / 8] = (unsigned char)(memory[bit / 8] | 1 << place);
    else memory[bit / 8] = (unsigned char)(memory[bit / 8] & ~(1 << place));
}

/* A value in an array of its own, as this machine has it. */
static void bits_store_value(unsigned char *p, const bits_field *f, uint64_t value)
{
    uint32_t u32 = (uint32_t)value;
    uint8_t  u8 = (uint8_t)value;
    uint16_t u16 = (uint16_t)value;
    if (f->bytes == 1) memcpy(p, &u8, 1);
    else if (f->bytes == 2) memcpy(p, &u16, 2);
    else if (f->bytes == 4) memcpy(p, &u32, 4);
    else memcpy(p, &value, 8);
}

/* Where element number n of the row-major array lies. */
static int bits_place(const bits_field *f, int n)
{
    int k, at = f->offset;
    for (k = f->rank; k-- > 0;) {
        at += n % f->extent[k] * f->stride[k];
        n /= f->extent[k];
    }
    return at;
}

static uint64_t bits_read(const unsigned char *memory, const bits_field *f, int n)
{
    uint64_t value = 0;
    int      i, at = bits_place(f, n);
    for (i = 0; i < f->width; i++) value |= (uint64_t)bits_get(memory, f, at, i) << i;
    if (f->is_signed && f->width < 64 && value >> (f->width - 1))
        value |= UINT64_MAX << f->width;
    return value;
}

static void bits_write(unsigned char *memory, const bits_field *f, int n, uint64_t value)
{
    int i, at = bits_place(f, n);
    for (i = 0; i < f->width; i++) bits_set(memory, f, at, i, (int)(value >> i & 1));
}

/* ------------------------------------------------------------------ fields */

static void bits_draw_type(bits_field *f)
{
    static const struct {
        const char *name;
        int         width, is_signed, is_float;
    } plain[] = { { "u8", 8, 0, 0 }, { "i8", 8, 1, 0 }, { "u16", 16, 0, 0 }, { "i16", 16, 1, 0 },
                  { "u32", 32, 0, 0 }, { "i32", 32, 1, 0 }, { "f32", 32, 0, 1 },
                  { "f16", 16, 0, 1 }, { "u64", 64, 0, 0 }, { "i64", 64, 1, 0 },
                  { "f64", 64, 0, 1 } };
    int kind = bits_below(4), k;
    f->is_msb = bits_below(2);
    if (kind == 0) {
        k = bits_below(11);
        f->width = plain[k].width;
        f->is_signed = plain[k].is_signed;
        f->is_float = plain[k].is_float;
        snprintf(f->element, sizeof f->element, "%s", plain[k].name);
    } else {
        f->is_signed = bits_below(2);
        f->width = kind == 1 ? 1 << bits_below(3)
                   : bits_below(3) ? 1 + bits_below(31) : 33 + bits_below(31);
        if (f->width == 8 || f->width == 16) f->width++;
        if (f->width == 1) f->is_signed = 0;
        snprintf(f->element, sizeof f->element, "%c%d", f->is_signed ? 'i' : 'u', f->width);
    }
    f->bytes = f->width <= 8 ? 1 : f->width <= 16 ? 2 : f->width <= 32 ? 4 : 8;
    snprintf(f->value, sizeof f->value, "%c%d", f->is_float ? 'f' : f->is_signed ? 'i' : 'u',
             8 * f->bytes);
}

/* Axes in any order, with gaps: from its offset on the field takes less than the answer in bits. */
static int bits_draw_inner(bits_field *f, int first)
{
    int order[BITS_RANK], k, size = f->width;
    for (k = first; k < f->rank; k++) order[k] = k;
    for (k = first; k < f->rank; k++) {
        int j = first + bits_below(f->rank - first), swap = order[k];
        order[k] = order[j];
        order[j] = swap;
    }
    for (k = first; k < f->rank; k++) {
        int axis = order[k];
        f->extent[axis] = 1 + bits_below(5);
        if (bits_below(3) == 0) f->extent[axis] = 8;
        f->stride[axis] = size + (bits_below(2) ? 0 : bits_below(9));
        size = f->stride[axis] * (f->extent[axis] - 1) + size;
    }
    return size;
}

static void bits_draw_record(bits_case *c)
{
    int k, records = 1 + bits_below(4), at = bits_below(3) ? 0 : bits_below(20), size = 0;
    int is_mixed = 0;
    c->fields = 1 + bits_below(BITS_FIELDS);
    c->is_record = bits_below(2);
    c->is_together = c->is_record && bits_below(2);
    for (k = 0; k < c->fields; k++) {
        bits_field *f = &c->field[k];
        bits_draw_type(f);
        if (k && f->is_msb != c->field[k - 1].is_msb) { /* else they meet in the bits of a byte */
            if (bits_below(2)) f->is_msb = c->field[k - 1].is_msb;
            else at = (at + 7) / 8 * 8;
        }
        f->rank = c->is_together ? 1 : 1 + bits_below(BITS_RANK);
        f->extent[0] = records;
        f->offset = at + (bits_below(2) ? 0 : bits_below(9));
        at = f->offset + bits_draw_inner(f, 1);
    }
    size = at + (bits_below(2) ? 0 : bits_below(13));
    /* records that begin within bytes are of one order: else fields meet from the second one on */
    for (k = 1; k < c->fields; k++) is_mixed |= c->field[k].is_msb != c->field[0].is_msb;
    if (c->is_record || bits_below(2) || is_mixed) size = (size + 7) / 8 * 8;
    for (k = 0; k < c->fields; k++) c->field[k].stride[0] = size;
    c->bytes = (size * records + 7) / 8 + bits_below(3);
}

/* One buffer of bits, with a layout that is a bijection. */
static void bits_draw_whole(bits_case *c)
{
    bits_field *f = &c->field[0];
    c->fields = c->is_whole = 1;
    bits_draw_type(f);
    f->rank = 2;
    f->extent[0] = 8 * (1 + bits_below(2));
    f->extent[1] = 1 + bits_below(12);
}

/* ------------------------------------------------------------------ the function */

static void bits_put_shape(bits_case *c, const bits_field *f)
{
    int k;
    bits_put(c, "[");
    for (k = 0; k < f->rank; k++) bits_put(c, k ? ", %d" : "%d", f->extent[k]);
    bits_put(c, "]");
}

static void bits_put_nest(bits_case *c, const bits_field *f, const char *to, const char *from,
                          int number)
{
    int k, first = bits_below(f->rank);
    bits_put(c, "    for (");
    for (k = 0; k < f->rank; k++) { /* any of the axes is the innermost */
        int axis = (first + k) % f->rank;
        bits_put(c, k ? ", i%d: %d" : "i%d: %d", axis, f->extent[axis]);
    }
    bits_put(c, ") %s%d[", to, number);
    for (k = 0; k < f->rank; k++) bits_put(c, k ? ", i%d" : "i%d", k);
    bits_put(c, "] = %s%d[", from, number);
    for (k = 0; k < f->rank; k++) bits_put(c, k ? ", i%d" : "i%d", k);
    bits_put(c, "];\n");
}

static void bits_put_view(bits_case *c, const bits_field *f, const char *name, int number,
                          const char *memory)
{
    int k;
    bits_put(c, "    decl %s%d: %s", name, number, f->element);
    bits_put_shape(c, f);
    bits_put(c, " data(%s) strides(", memory);
    for (k = 0; k < f->rank; k++) bits_put(c, k ? ", %d" : "%d", f->stride[k]);
    bits_put(c, ") offset(%d) bits(%s);\n", f->offset, f->is_msb ? "msb" : "lsb");
}

static void bits_put_arrays(bits_case *c)
{
    int k;
    for (k = 0; k < c->fields; k++) {
        bits_put(c, ", in%d: %s", k, c->field[k].value);
        bits_put_shape(c, &c->field[k]);
        bits_put(c, ", out%d: %s", k, c->field[k].value);
        bits_put_shape(c, &c->field[k]);
    }
}

/* The fields as a record: NAME_f0, NAME_f1, ... */
static void bits_put_declared(bits_case *c, const char *name, const char *memory)
{
    int k, j;
    bits_put(c, "    record %s[%d] bytes(%d) data(%s) {", name, c->field[0].extent[0],
             c->field[0].stride[0] / 8, memory);
    for (k = 0; k < c->fields; k++) {
        const bits_field *f = &c->field[k];
        bits_put(c, " f%d: %s", k, f->element);
        if (f->rank > 1) {
            bits_put(c, "[");
            for (j = 1; j < f->rank; j++) bits_put(c, j > 1 ? ", %d" : "%d", f->extent[j]);
            bits_put(c, "] strides(");
            for (j = 1; j < f->rank; j++) bits_put(c, j > 1 ? ", %d" : "%d", f->stride[j]);
            bits_put(c, ")");
        }
        bits_put(c, " offset(%d) bits(%s);", f->offset, f->is_msb ? "msb" : "lsb");
    }
    bits_put(c, " }\n");
}

/* In one iteration for each record, in any order: those of a record are no race. */
static void bits_put_together(bits_case *c)
{
    int k, first = bits_below(c->fields);
    bits_put(c, "    for %s(r: %d) {\n", bits_below(2) ? "parallel " : "", c->field[0].extent[0]);
    for (k = 0; k < c->fields; k++) {
        int field = (first + k) % c->fields;
        bits_put(c, "        h_f%d[r] = in%d[r];\n", field, field);
        if (k == 1 && bits_below(4) == 0) /* the second one counts */
            bits_put(c, "        h_f%d[r] = in%d[r];\n", first, first);
        if (bits_below(4) == 0)
            bits_put(c, "        out%d[r] = %c_f%d[r];\n", field, 'g', field);
    }
    bits_put(c, "    }\n");
}

static void bits_put_records(bits_case *c)
{
    int k;
    bits_put_declared(c, "g", "m");
    bits_put_declared(c, "h", "n");
    if (c->is_together) bits_put_together(c);
    for (k = 0; k < c->fields; k++) {
        bits_put_nest(c, &c->field[k], "out", "g_f", k);
        if (!c->is_together) bits_put_nest(c, &c->field[k], "h_f", "in", k);
    }
}

static void bits_put_record(bits_case *c)
{
    int k;
    bits_put(c, "func f(m: u8[%d], n: u8[%d]", c->bytes, c->bytes);
    bits_put_arrays(c);
    bits_put(c, ")\n{\n");
    if (c->is_record) bits_put_records(c);
    for (k = 0; !c->is_record && k < c->fields; k++) {
        bits_put_view(c, &c->field[k], "g", k, "m");
        bits_put_nest(c, &c->field[k], "out", "g", k);
        bits_put_view(c, &c->field[k], "h", k, "n");
        bits_put_nest(c, &c->field[k], "h", "in", k);
    }
    bits_put(c, "}\n");
}

/* The layout of the last digits says where an element lies: strides in the model. */
static void bits_put_whole(bits_case *c)
{
    bits_field *f = &c->field[0];
    const char *order = f->is_msb ? "msb" : "lsb";
    int         way = c->way = bits_below(3), w = f->width;
    const char *map = way == 0 ? "(i, j) -> (j, i)"
                      : way == 1 ? "(i, j) -> (i / 8, j, i % 8)" : "(i, j) -> (i, j)";
    c->bytes = (f->extent[0] * f->extent[1] * w + 7) / 8;
    bits_put(c, "func f(m0: %s", f->element);
    bits_put_shape(c, f);
    bits_put(c, " bits(%s), n0: %s", order, f->element);
    bits_put_shape(c, f);
    bits_put(c, " bits(%s)", order);
    bits_put_arrays(c);
    bits_put(c, ")\n    layout(m0: %s) layout(n0: %s)\n{\n", map, map);
    bits_put_nest(c, f, "out", "m", 0);
    bits_put_nest(c, f, "n", "in", 0);
    bits_put(c, "}\n");
    /* logical arrays, as the caller has them: row-major */
    f->stride[0] = f->extent[1] * w;
    f->stride[1] = w;
}

/* ------------------------------------------------------------------ a case */

static uint64_t bits_draw_value(const bits_field *f)
{
    uint64_t r = bits_random();
    if (f->bytes == 8) r = r << 32 | bits_random();
    if (f->is_float) r &= ~(UINT64_C(1) << (f->width - 2)); /* finite */
    return r & UINT64_MAX >> (64 - 8 * f->bytes);
}

static void bits_make(bits_case *c, uint64_t seed)
{
    int k, n;
    memset(c, 0, sizeof *c);
    bits_state = (c->seed = seed) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    do {
        c->text[0] = '\0';
        c->is_whole = c->is_record = c->is_together = 0;
        memset(c->field, 0, sizeof c->field);
        if (bits_below(4) == 0) bits_draw_whole(c);
        else bits_draw_record(c);
    } while (!c->is_whole && c->bytes > BITS_BYTES);
    if (c->is_whole) bits_put_whole(c);
    else bits_put_record(c);
    for (k = 0; k < c->bytes; k++) {
        c->from[k] = (unsigned char)bits_random();
        c->to[k] = (unsigned char)bits_random();
    }
    memcpy(c->to_after, c->to, sizeof c->to);
    for (k = 0; k < c->fields; k++) {
        bits_field *f = &c->field[k];
        for (f->count = 1, n = 0; n < f->rank; n++) f->count *= f->extent[n];
        for (n = 0; n < f->count; n++) {
            uint64_t value = bits_draw_value(f);
            if (f->is_float) bits_write(c->from, f, n, bits_draw_value(f));
            bits_store_value(c->in[k] + n * f->bytes, f, value);
            bits_write(c->to_after, f, n, value);
        }
        for (n = 0; n < f->count; n++)
            bits_store_value(c->out_after[k] + n * f->bytes, f, bits_read(c->from, f, n));
    }
}

/* The arguments of its function, on the memory of `c`. */
static irl_arguments bits_arguments(bits_case *c)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    a.data[a.count++] = c->from;
    a.data[a.count++] = c->to;
    for (k = 0; k < c->fields; k++) {
        a.data[a.count++] = c->in[k];
        a.data[a.count++] = c->out[k];
    }
    return a;
}

static int bits_is_right(const bits_case *c)
{
    int k;
    if (memcmp(c->to, c->to_after, (size_t)c->bytes) != 0) return 0;
    for (k = 0; k < c->fields; k++)
        if (memcmp(c->out[k], c->out_after[k], (size_t)(c->field[k].count * c->field[k].bytes)))
            return 0;
    return 1;
}

#endif
