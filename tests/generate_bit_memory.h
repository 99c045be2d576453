/* generate_bit_memory.h - generated functions over memory of bytes that was never written: views of
   bits of both orders, at any bit, with strides that make elements and views meet, to which some
   things are stored; beside each a model that knows of each bit what it is, and whether it is
   defined.

   needs     test.h before it
   promises  a function that is defined as it is written: what it gives back are elements all bits
             of which the model knows, or the bits of one that it knows
   A copy keeps which bits of an element are undefined, above them the sign; & | ^ with a constant
   change bits alone. */
#ifndef IRL_GENERATE_BIT_MEMORY_H
#define IRL_GENERATE_BIT_MEMORY_H

#include <stdarg.h>

enum { MEMORY_VIEWS = 5, MEMORY_BYTES = 24, MEMORY_OUT = 96, MEMORY_IN = 8 };

typedef struct memory_view {
    int width, is_signed, is_msb, rank, extent[2], stride[2], offset;
    int memory; /* 0: never written; 1: a part of it was, as bytes; 2: allocated as bits */
} memory_view;

typedef struct memory_case {
    uint64_t      seed;
    char          text[12000];
    int           views, bytes, outs, stores, nests, of_undefined, some_bits; /* how many */
    memory_view   view[MEMORY_VIEWS];
    unsigned char value[3][8 * MEMORY_BYTES], known[3][8 * MEMORY_BYTES];
    uint32_t      in[MEMORY_IN], out[MEMORY_OUT], out_after[MEMORY_OUT];
} memory_case;

/* A number of 32 bits of which some are known. */
typedef struct memory_number {
    uint32_t value, known;
} memory_number;

static uint64_t memory_state;
static uint32_t memory_random(void)
{
    memory_state ^= memory_state >> 12;
    memory_state ^= memory_state << 25;
    memory_state ^= memory_state >> 27;
    return (uint32_t)((memory_state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}
static int memory_below(int n) { return (int)(memory_random() % (uint32_t)n); }

static void memory_put(memory_case *c, const char *format, ...)
{
    const size_t length = strlen(c->text);
    va_list      args;
    va_start(args, format);
    vsnprintf(c->text + length, sizeof c->text - length, format, args);
    va_end(args);
}

/* ------------------------------------------------------------------ the model */

/* Bit i of an element at `at`, counted from the least significant one of the memory. */
static int memory_bit(const memory_view *v, int at, int i)
{
    const int p = v->is_msb ? at + v->width - 1 - i : at + i;
    return v->is_msb ? p / 8 * 8 + 7 - p % 8 : p;
}

static int memory_place(const memory_view *v, const int *at)
{
    return v->offset + at[0] * v->stride[0] + (v->rank > 1 ? at[1] * v->stride[1] : 0);
}

static memory_number memory_get(const memory_case *c, const memory_view *v, const int *at)
{
    memory_number n = { 0, 0 };
    const int     place = memory_place(v, at);
    int           i;
    for (i = 0; i < 32; i++) {
        const int own = i < v->width ? i : v->width - 1;
        const int bit = memory_bit(v, place, own), is_zero = i >= v->width && !v->is_signed;
        if (is_zero || c->known[v->memory][bit]) n.known |= UINT32_C(1) << i;
        if (!is_zero && c->known[v->memory][bit] && c->value[v->memory][bit])
            n.value |= UINT32_C(1) << i;
    }
    return n;
}

static void memory_set(memory_case *c, const memory_view *v, const int *at, memory_number n)
{
    const int place = memory_place(v, at);
    int       i;
    for (i = 0; i < v->width; i++) {
        const int bit = memory_bit(v, place, i);
        c->value[v->memory][bit] = (unsigned char)(n.value >> i & 1);
        c->known[v->memory][bit] = (unsigned char)(n.known >> i & 1);
    }
}

/* ------------------------------------------------------------------ views */

static int memory_bytes_of(const memory_view *v)
{
    return v->width <= 8 ? 1 : v->width <= 16 ? 2 : 4;
}

/* The type of a value: u8, i32. */
static const char *memory_type(const memory_view *v)
{
    static const char *const names[2][3] = { { "u8", "u16", "u32" }, { "i8", "i16", "i32" } };
    return names[v->is_signed][memory_bytes_of(v) == 4 ? 2 : memory_bytes_of(v) - 1];
}

static void memory_draw(memory_case *c, memory_view *v)
{
    int end, k;
    do {
        v->memory = memory_below(3);
        v->is_signed = memory_below(2);
        v->is_msb = memory_below(2);
        v->width = memory_below(4) ? 1 + memory_below(memory_below(2) ? 9 : 32)
                                   : 31 + memory_below(2);
        if (v->width == 1) v->is_signed = 0;
        v->rank = 1 + memory_below(2);
        v->offset = memory_below(2) ? memory_below(20) : 0;
        for (k = 0, end = v->width + v->offset; k < v->rank; k++) {
            v->extent[k] = 1 + memory_below(4);
            v->stride[k] = memory_below(3) ? v->width + memory_below(9) : 1 + memory_below(12);
            end += (v->extent[k] - 1) * v->stride[k];
        }
    } while (end > 8 * c->bytes);
}

static void memory_declare(memory_case *c, int number)
{
    const memory_view *v = &c->view[number];
    const int          is_plain = v->width == 8 || v->width == 16 || v->width == 32;
    memory_put(c, "    decl v%d: %c%d[%d", number, v->is_signed ? 'i' : 'u', v->width,
               v->extent[0]);
    if (v->rank > 1) memory_put(c, ", %d", v->extent[1]);
    memory_put(c, "] data(m%d) strides(%d", v->memory, v->stride[0]);
    if (v->rank > 1) memory_put(c, ", %d", v->stride[1]);
    memory_put(c, ") offset(%d)", v->offset);
    if (is_plain || v->is_msb || memory_below(2))
        memory_put(c, " bits(%s)", v->is_msb ? "msb" : "lsb");
    memory_put(c, ";\n");
}

static void memory_put_element(memory_case *c, int number, const int *at)
{
    memory_put(c, "v%d[%d", number, at[0]);
    if (c->view[number].rank > 1) memory_put(c, ", %d", at[1]);
    memory_put(c, "]");
}

static int memory_pick(const memory_case *c, int *at)
{
    const int          number = memory_below(c->views);
    const memory_view *v = &c->view[number];
    at[0] = memory_below(v->extent[0]);
    at[1] = memory_below(v->extent[1] > 0 ? v->extent[1] : 1);
    return number;
}

/* ------------------------------------------------------------------ statements */

/* A store of a constant, an argument, or another element, with some of its bits. */
static void memory_put_store(memory_case *c)
{
    int                at[2], from[2], to = memory_pick(c, at), kind = memory_below(6), other;
    const memory_view *v = &c->view[to];
    const char        *type = memory_type(v);
    memory_number      n = { 0, UINT32_MAX };
    uint32_t           constant = memory_random() >> memory_below(32);
    c->stores++;
    memory_put(c, "    ");
    memory_put_element(c, to, at);
    if (kind == 0) {
        n.value = constant & 127;
        memory_put(c, " = %s(%d);\n", type, (int)n.value);
    } else if (kind == 1) {
        const int k = memory_below(MEMORY_IN);
        n.value = c->in[k];
        memory_put(c, " = %s(x[%d]);\n", type, k);
    } else {
        const char *op = kind == 2 ? "&" : kind == 3 ? "|" : kind == 4 ? "^" : NULL;
        other = memory_pick(c, from);
        n = memory_get(c, &c->view[other], from);
        c->of_undefined += n.known != UINT32_MAX;
        memory_put(c, " = %s(u32(", type);
        memory_put_element(c, other, from);
        memory_put(c, op ? ") %s u32(%lu));\n" : "));\n", op, (unsigned long)constant);
        if (kind == 2) n.known |= ~constant, n.value &= constant;
        if (kind == 3) n.known |= constant, n.value |= constant;
        if (kind == 4) n.value = (n.value ^ constant) & n.known;
    }
    memory_set(c, v, at, n);
}

/* A nest over all elements of a view, either axis inside, each stored from an argument or from an
   element of a view, that one too: what is stored first is read later where they meet. */
static void memory_put_nest(memory_case *c)
{
    int at[2], from[2], to = memory_pick(c, at), other = memory_pick(c, from), n, swap, is_in;
    const memory_view *v = &c->view[to], *w = &c->view[other];
    const int          rows = v->extent[0], columns = v->rank > 1 ? v->extent[1] : 1;
    const uint32_t     constant = memory_random();
    is_in = memory_below(2);
    swap = v->rank > 1 && memory_below(2);
    c->nests++;
    if (v->rank == 1) memory_put(c, "    for (i: %d) v%d[i] = %s(", rows, to, memory_type(v));
    else
        memory_put(c, swap ? "    for (j: %d, i: %d) v%d[i, j] = %s("
                           : "    for (i: %d, j: %d) v%d[i, j] = %s(",
                   swap ? columns : rows, swap ? rows : columns, to, memory_type(v));
    if (is_in) memory_put(c, v->rank > 1 ? "x[(i * 3 + j) %% %d]" : "x[i * 3 %% %d]", MEMORY_IN);
    else {
        memory_put(c, "u32(v%d[i %% %d", other, w->extent[0]);
        if (w->rank > 1) memory_put(c, v->rank > 1 ? ", j %% %d" : ", i %% %d", w->extent[1]);
        memory_put(c, "]) ^ u32(%lu)", (unsigned long)constant);
    }
    memory_put(c, ");\n");
    for (n = 0; n < rows * columns; n++) {
        memory_number value = { 0, UINT32_MAX };
        at[0] = swap ? n % rows : n / columns;
        at[1] = swap ? n / rows : n % columns;
        from[0] = at[0] % w->extent[0];
        from[1] = w->rank > 1 ? (v->rank > 1 ? at[1] : at[0]) % w->extent[1] : 0;
        if (is_in) value.value = c->in[(at[0] * 3 + (v->rank > 1 ? at[1] : 0)) % MEMORY_IN];
        else {
            value = memory_get(c, w, from);
            c->of_undefined += value.known != UINT32_MAX;
            value.value = (value.value ^ constant) & value.known;
        }
        memory_set(c, v, at, value);
    }
}

/* What is known of an element, given back. */
static void memory_put_result(memory_case *c)
{
    int           at[2], number = memory_pick(c, at);
    memory_number n = memory_get(c, &c->view[number], at);
    if (c->outs == MEMORY_OUT || (n.known != UINT32_MAX && memory_below(2))) return;
    memory_put(c, "    y[%d] = u32(", c->outs);
    memory_put_element(c, number, at);
    if (n.known == UINT32_MAX) memory_put(c, ");\n");
    else {
        memory_put(c, ") & u32(%lu);\n", (unsigned long)n.known);
        c->some_bits++;
    }
    c->out_after[c->outs++] = n.value & n.known;
}

static void memory_make(memory_case *c, uint64_t seed)
{
    int k, bit, count;
    memset(c, 0, sizeof *c);
    memory_state = (c->seed = seed) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    c->bytes = 6 + memory_below(MEMORY_BYTES - 6);
    for (k = 0; k < MEMORY_IN; k++) c->in[k] = memory_random();
    memory_put(c, "func f(x: u32[%d], y: u32[%d])\n{\n", MEMORY_IN, MEMORY_OUT);
    memory_put(c, "    alloc m0: u8[%d];\n    alloc m1: u8[%d];\n    alloc m2: u1[%d];\n", c->bytes,
               c->bytes, 8 * c->bytes);
    memset(c->known[2], 1, sizeof c->known[2]); /* new memory of bits is 0 */
    c->views = 2 + memory_below(MEMORY_VIEWS - 1);
    for (k = 0; k < c->views; k++) {
        memory_draw(c, &c->view[k]);
        memory_declare(c, k);
    }
    for (k = 0; k < c->bytes; k++) {
        if (memory_below(2)) continue;
        memory_put(c, "    m1[%d] = u8(x[%d]);\n", k, k % MEMORY_IN);
        for (bit = 0; bit < 8; bit++) {
            c->value[1][8 * k + bit] = c->in[k % MEMORY_IN] >> bit & 1;
            c->known[1][8 * k + bit] = 1;
        }
    }
    for (count = 4 + memory_below(24), k = 0; k < count; k++)
        if (memory_below(6) == 0) memory_put_nest(c);
        else if (memory_below(3)) memory_put_store(c);
        else memory_put_result(c);
    for (k = 0; k < 12; k++) memory_put_result(c);
    memory_put(c, "}\n");
}

static irl_arguments memory_arguments(memory_case *c)
{
    irl_arguments a;
    memset(&a, 0, sizeof a);
    a.data[a.count++] = c->in;
    a.data[a.count++] = c->out;
    return a;
}

static int memory_is_right(const memory_case *c)
{
    return memcmp(c->out, c->out_after, sizeof c->out) == 0;
}

#endif
