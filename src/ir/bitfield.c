/* bitfield.c - bit buffers: elements of 1 to 64 bits that begin at any bit of their memory.

   needs     buffer.c, number.c
   promises  the one meaning of an element's place and of its bits, which the interpreter computes
             with and which legalize_bits writes as shifts and masks

   The memory is bytes. Bit b of it stands in byte b / 8: in the order lsb it is bit b % 8 of that
   byte, counted from the least significant one, in the order msb bit 7 - b % 8. An element of w
   bits at bit p has the bits p to p + w - 1: in lsb order the first is its least significant one,
   in msb order its most significant one. So the order of bits is that of bytes too: 16 bits at a
   multiple of 8 are a little-endian number in lsb order, a big-endian one in msb order. */
#include "ir.h"

int irl__bitfield_named(const char *name, size_t length, irl_type *type, int *bits)
{
    static const irl_scalar kinds[2][4] = { { IRL_U8, IRL_U16, IRL_U32, IRL_U64 },
                                            { IRL_I8, IRL_I16, IRL_I32, IRL_I64 } };
    const int               is_signed = length && name[0] == 'i';
    int                     n = 0, size = 0;
    if (length < 2 || length > 3 || (name[0] != 'u' && name[0] != 'i') || name[1] == '0') return 0;
    for (size_t k = 1; k < length; k++) {
        if (name[k] < '0' || name[k] > '9') return 0;
        n = n * 10 + (name[k] - '0');
    }
    while (size < 4 && n > 8 << size) size++;
    if (size == 4 || n == 8 << size || n < 1 + is_signed) return 0;
    *bits = n;
    *type = irl_type_of(kinds[is_signed][size], 1);
    return 1;
}

static int irl__bitfield_fills(const irl_buffer *b)
{
    return b->bits == 8 * (int)irl__type_bytes(b->type);
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
    if (!b->bits || irl__bitfield_fills(b)) irl__type_text(t, b->type);
    else irl__textf(t, "%c%d", irl__type_is_signed(b->type) ? 'i' : 'u', b->bits);
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

int irl__bitfield_type_ok(irl_type type, int bits)
{
    const irl__kind kind = irl__type_info(type)->kind;
    return type.lanes == 1 && !type.is_pointer && bits >= 1 && bits <= IRL__MOST_FIELD &&
           kind != IRL_KIND_BOOL && kind != IRL_KIND_INDEX && kind < IRL_KIND_UNORM;
}

int irl__bitfield_valid(irl_ctx *cx, const irl_buffer *b)
{
    if (!irl__bitfield_type_ok(b->type, b->bits))
        return irl__fail(cx, IRL_ERROR_BAD_TYPE, b->loc,
                         "elements of bits are integers or floats of 1 to %d bits; '%s' is of %s",
                         IRL__MOST_FIELD, b->name, irl__type_cstr(cx, b->type));
    if (irl__scope_is_image(b->scope) || b->separator_count || b->texel)
        return irl__fail(cx, IRL_ERROR_BAD_SEPARATORS, b->loc,
                         "'%s' has elements of bits, whose memory is one row of bytes: it cannot "
                         "have separators or be an image", b->name);
    return 1;
}

static uint64_t irl__bitfield_mask(const irl_buffer *b) { return UINT64_MAX >> (64 - b->bits); }

const irl_expr *irl__bitfield_kept(irl_ctx *cx, const irl_buffer *b, const irl_expr *value)
{
    if (!value || !irl__bitfield_is_narrow(b)) return value;
    value = irl_expr_op2(cx, IRL_OP_BITAND, value,
                         irl_expr_int(cx, b->type, (int64_t)irl__bitfield_mask(b)));
    if (!irl__type_is_signed(b->type)) return value;
    const irl_expr *sign = irl_expr_int(cx, b->type, INT64_C(1) << (b->bits - 1));
    return irl__sub(cx, irl_expr_op2(cx, IRL_OP_BITXOR, value, sign), sign);
}

int irl__bitfield_take(irl_ctx *cx, irl_buffer *to, const irl_buffer *from)
{
    to->bits = from->bits;
    to->bit_order = from->bit_order;
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

irl__scalar irl__bitfield_load(const irl_buffer *b, const unsigned char *memory, uint64_t at)
{
    const uint64_t last = (at + (uint64_t)b->bits - 1) / 8;
    uint64_t       byte, bits = 0;
    for (byte = at / 8; byte <= last; byte++) {
        const int shift = irl__bitfield_shift(b, at, byte);
        bits |= shift >= 0 ? (uint64_t)memory[byte] << shift : (uint64_t)memory[byte] >> -shift;
    }
    bits &= irl__bitfield_mask(b);
    if (irl__type_is_signed(b->type) && bits >> (b->bits - 1)) bits |= ~irl__bitfield_mask(b);
    return irl__scalar_of_bits(b->type, bits);
}

void irl__bitfield_store(const irl_buffer *b, unsigned char *memory, uint64_t at,
                         irl__scalar value)
{
    const uint64_t last = (at + (uint64_t)b->bits - 1) / 8, mask = irl__bitfield_mask(b),
                   bits = irl__scalar_bits(b->type, value) & mask;
    for (uint64_t byte = at / 8; byte <= last; byte++) {
        const int shift = irl__bitfield_shift(b, at, byte);
        const uint64_t mine = (shift >= 0 ? mask >> shift : mask << -shift) & 255,
                       now = (shift >= 0 ? bits >> shift : bits << -shift) & mine;
        memory[byte] = (unsigned char)((memory[byte] & ~mine) | now);
    }
}
