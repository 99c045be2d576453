/* bitfield.c - bit buffers: elements of 1 to 64 bits that begin at any bit of their memory.

   needs     buffer.c, number.c
   promises  the one definition of an element's place and of its bits: the interpreter computes with
             it, and legalize_bits writes it as shifts and masks

   The memory is bytes. Bit b of it is in byte b / 8: in the order lsb it is bit b % 8 of that byte,
   counted from the least significant one, in the order msb bit 7 - b % 8. An element of w bits at
   bit p has the bits p to p + w - 1: in lsb order the first is its least significant one, in msb
   order its most significant one. So the order of bits is that of bytes too: 16 bits at a multiple
   of 8 are a little-endian number in lsb order, a big-endian one in msb order. */
#include "ir.h"

#include <math.h>

/* The names of elements with a width: by norm, then by sign. */
static const struct {
    const char  *prefix;
    irl_bit_norm norm;
    int          least, most;
} irl__bitfield_kinds[] = {
    { "u", IRL_NORM_NONE, 1, IRL__MOST_FIELD }, { "i", IRL_NORM_NONE, 2, IRL__MOST_FIELD },
    { "unorm", IRL_NORM_UNSIGNED, 1, IRL__MOST_NORM },
    { "snorm", IRL_NORM_SIGNED, 2, IRL__MOST_NORM }
};

/* The smallest integer type with so many bits. */
static irl_type irl__bitfield_int(int is_signed, int bits)
{
    static const irl_scalar kinds[2][4] = { { IRL_U8, IRL_U16, IRL_U32, IRL_U64 },
                                            { IRL_I8, IRL_I16, IRL_I32, IRL_I64 } };
    int                     size = 0;
    while (bits > 8 << size) size++;
    return irl_type_of(kinds[is_signed][size], 1);
}

int irl__bitfield_named(const char *name, size_t length, irl_bit_element *out)
{
    for (int kind = 0; kind < 4; kind++) {
        const size_t first = strlen(irl__bitfield_kinds[kind].prefix);
        int          n = 0;
        if (length <= first || length > first + 2 || name[first] == '0' ||
            memcmp(name, irl__bitfield_kinds[kind].prefix, first) != 0)
            continue;
        for (size_t k = first; k < length; k++) {
            if (name[k] < '0' || name[k] > '9') return 0;
            n = n * 10 + (name[k] - '0');
        }
        if (n < irl__bitfield_kinds[kind].least || n > irl__bitfield_kinds[kind].most ||
            (n >= 8 && (n & (n - 1)) == 0))
            return 0;
        out->bits = n;
        out->norm = irl__bitfield_kinds[kind].norm;
        out->type = out->norm ? irl_type_of(IRL_F32, 1) : irl__bitfield_int(kind, n);
        return 1;
    }
    return 0;
}

void irl__bitfield_of_type(irl_bit_element *e)
{
    e->bits = e->type.scalar == IRL_BOOL ? 1 : 8 * (int)irl__type_bytes(e->type);
    if (!irl__type_is_normalised(e->type) || e->type.lanes > 1) return;
    e->norm = irl__type_info(e->type)->kind == IRL_KIND_SNORM ? IRL_NORM_SIGNED : IRL_NORM_UNSIGNED;
    e->type = irl_type_of(IRL_F32, 1);
}

/* Whether the name of the elements is that of a type. */
static int irl__bitfield_fills(const irl_buffer *b)
{
    return b->norm ? b->bits == 8 || b->bits == 16
                   : b->bits == 8 * (int)irl__type_bytes(b->type) || b->type.scalar == IRL_BOOL;
}

const char *irl__bit_order_text(irl_bit_order order)
{
    return order == IRL_BITS_MSB ? "msb" : "lsb";
}

int irl__bitfield_says_order(const irl_buffer *b)
{
    return b->bits && (b->bit_order != IRL_BITS_LSB || irl__bitfield_fills(b));
}

void irl__buffer_type_text(irl__text *t, const irl_buffer *b)
{
    if (!b->bits || (!b->norm && irl__bitfield_fills(b))) irl__type_text(t, b->type);
    else {
        const int kind = b->norm ? (int)b->norm + 1 : irl__type_is_signed(b->type);
        irl__textf(t, "%s%d", irl__bitfield_kinds[kind].prefix, b->bits);
    }
}

irl_type irl__buffer_memory_type(const irl_buffer *b)
{
    return b->bits ? irl_type_of(IRL_U8, 1) : b->type;
}

int irl__buffer_step_bytes(const irl_buffer *b, int64_t steps, int64_t *bytes)
{
    if (!b->bits) return irl__mul64(steps, (int64_t)irl__type_bytes(b->type), bytes);
    *bytes = steps / 8 + (steps % 8 != 0);
    return 1;
}

int irl__bitfield_type_ok(irl_type type, int bits, irl_bit_norm norm)
{
    const irl__kind kind = irl__type_info(type)->kind;
    if (type.lanes != 1 || type.is_pointer || bits < 1 || bits > IRL__MOST_FIELD) return 0;
    if (norm)
        return type.scalar == IRL_F32 && bits <= IRL__MOST_NORM && bits >= (int)norm &&
               norm <= IRL_NORM_SIGNED;
    if (kind == IRL_KIND_BOOL) return bits == 1;
    if (irl__type_is_float(type)) return bits == irl__type_info(type)->bits;
    return (kind == IRL_KIND_INT || kind == IRL_KIND_UINT) &&
           irl_type_equal(type, irl__bitfield_int(irl__type_is_signed(type), bits));
}

int irl__bitfield_valid(irl_ctx *cx, const irl_buffer *b)
{
    if (!irl__bitfield_type_ok(b->type, b->bits, b->norm))
        return irl__fail(cx, IRL_ERROR_BAD_TYPE, b->loc,
                         "elements of bits are integers or floats of 1 to %d bits, bool, or unorm "
                         "and snorm of up to %d bits; '%s' is of %s",
                         IRL__MOST_FIELD, IRL__MOST_NORM, b->name, irl__type_cstr(cx, b->type));
    if (irl__scope_is_image(b->scope) || b->separator_count || b->texel)
        return irl__fail(cx, IRL_ERROR_BAD_SEPARATORS, b->loc,
                         "'%s' has elements of bits, whose memory is one row of bytes: it cannot "
                         "have separators or be an image", b->name);
    return 1;
}

static uint64_t irl__bitfield_mask(const irl_buffer *b) { return UINT64_MAX >> (64 - b->bits); }

/* What 1.0 is as an integer. */
static int64_t irl__bitfield_scale(const irl_buffer *b)
{
    return (int64_t)(irl__bitfield_mask(b) >> (b->norm == IRL_NORM_SIGNED));
}

/* The low bits of an integer, with their sign. */
static const irl_expr *irl__bitfield_low(irl_ctx *cx, const irl_buffer *b, const irl_expr *value,
                                         int is_signed)
{
    value = irl_expr_op2(cx, IRL_OP_BITAND, value,
                         irl_expr_int(cx, value->type, (int64_t)irl__bitfield_mask(b)));
    if (!is_signed || !value) return value;
    const irl_expr *sign = irl_expr_int(cx, value->type, INT64_C(1) << (b->bits - 1));
    return irl__sub(cx, irl_expr_op2(cx, IRL_OP_BITXOR, value, sign), sign);
}

const irl_expr *irl__bitfield_number(irl_ctx *cx, const irl_buffer *b, const irl_expr *bits)
{
    const irl_type f32 = irl_type_of(IRL_F32, 1);
    if (!bits) return NULL;
    if (!b->norm) return irl_expr_op2(cx, IRL_OP_NE, bits, irl_expr_int(cx, bits->type, 0));
    if (b->norm == IRL_NORM_SIGNED)
        bits = irl__bitfield_low(cx, b, irl_expr_cast(cx, irl_type_of(IRL_I32, 1), bits), 1);
    bits = irl_expr_op2(cx, IRL_OP_DIV, irl_expr_cast(cx, f32, bits),
                        irl_expr_float(cx, f32, (double)irl__bitfield_scale(b)));
    return b->norm == IRL_NORM_SIGNED
               ? irl_expr_op2(cx, IRL_OP_MAX, bits, irl_expr_float(cx, f32, -1))
               : bits;
}

const irl_expr *irl__bitfield_code(irl_ctx *cx, const irl_buffer *b, const irl_expr *value)
{
    const irl_type f32 = irl_type_of(IRL_F32, 1);
    const int      is_signed = b->norm == IRL_NORM_SIGNED;
    if (b->norm) {
        value = irl_expr_op2(cx, IRL_OP_MAX, value, irl_expr_float(cx, f32, is_signed ? -1 : 0));
        value = irl_expr_op2(cx, IRL_OP_MIN, value, irl_expr_float(cx, f32, 1));
        value = irl_expr_op2(cx, IRL_OP_MUL, value,
                             irl_expr_float(cx, f32, (double)irl__bitfield_scale(b)));
        value = irl_expr_op1(cx, IRL_OP_RINT, value);
        value = irl_expr_cast(cx, irl_type_of(IRL_I32, 1), value);
    }
    return irl_expr_cast(cx, irl_type_of(IRL_U32, 1), value);
}

const irl_expr *irl__bitfield_kept(irl_ctx *cx, const irl_buffer *b, const irl_expr *value)
{
    if (!value || !irl__bitfield_is_narrow(b)) return value;
    return b->norm ? irl__bitfield_number(cx, b, irl__bitfield_code(cx, b, value))
                   : irl__bitfield_low(cx, b, value, irl__type_is_signed(b->type));
}

int irl__bitfield_take(irl_ctx *cx, irl_buffer *to, const irl_buffer *from)
{
    to->bits = from->bits;
    to->bit_order = from->bit_order;
    to->norm = from->norm;
    to->data = irl_expr_var(cx, to->name,
                            irl_type_pointer(irl__buffer_memory_type(to), to->scope));
    return to->data != NULL;
}

/* ------------------------------------------------------------------ one element */

/* How far the byte that begins at bit `byte` of memory is shifted in the element at bit `at`; less
   than 0 to the right. */
static int irl__bitfield_shift(const irl_buffer *b, uint64_t at, uint64_t byte)
{
    const int before = byte * 8 >= at ? (int)(byte * 8 - at) : -(int)(at - byte * 8);
    return b->bit_order == IRL_BITS_LSB ? before : b->bits - 8 - before;
}

uint64_t irl__bitfield_bits(const irl_buffer *b, const unsigned char *memory, uint64_t at)
{
    const uint64_t last = (at + (uint64_t)b->bits - 1) / 8;
    uint64_t       bits = 0;
    for (uint64_t byte = at / 8; byte <= last; byte++) {
        const int shift = irl__bitfield_shift(b, at, byte);
        bits |= shift >= 0 ? (uint64_t)memory[byte] << shift : (uint64_t)memory[byte] >> -shift;
    }
    return bits & irl__bitfield_mask(b);
}

void irl__bitfield_put(const irl_buffer *b, unsigned char *memory, uint64_t at, uint64_t bits)
{
    const uint64_t last = (at + (uint64_t)b->bits - 1) / 8, mask = irl__bitfield_mask(b);
    for (uint64_t byte = at / 8; byte <= last; byte++) {
        const int shift = irl__bitfield_shift(b, at, byte);
        const uint64_t mine = (shift >= 0 ? mask >> shift : mask << -shift) & 255,
                       now = (shift >= 0 ? bits >> shift : bits << -shift) & mine;
        memory[byte] = (unsigned char)((memory[byte] & ~mine) | now);
    }
}

irl__scalar irl__bitfield_load(const irl_buffer *b, const unsigned char *memory, uint64_t at)
{
    uint64_t    bits = irl__bitfield_bits(b, memory, at);
    irl__scalar s;
    if ((b->norm == IRL_NORM_SIGNED || irl__type_is_signed(b->type)) && bits >> (b->bits - 1))
        bits |= ~irl__bitfield_mask(b);
    if (!b->norm) return irl__scalar_of_bits(b->type, bits);
    s.f = (double)(float)((float)(int64_t)bits / (float)irl__bitfield_scale(b));
    if (s.f < -1) s.f = -1;
    return s;
}

void irl__bitfield_store(const irl_buffer *b, unsigned char *memory, uint64_t at,
                         irl__scalar value)
{
    const double least = b->norm == IRL_NORM_SIGNED ? -1 : 0;
    uint64_t     bits;
    if (b->norm) {
        const float one = (float)(value.f > 1 ? 1 : value.f > least ? value.f : least),
                    scaled = (float)(one * (float)irl__bitfield_scale(b));
        bits = (uint64_t)(int64_t)rint((double)scaled);
    } else bits = irl__scalar_bits(b->type, value);
    irl__bitfield_put(b, memory, at, bits & irl__bitfield_mask(b));
}
