/* emit_number.c - constants, and parentheses around an operator that binds less than its place
   requires.

   needs     decimal.c
   promises  a literal that reads back as the number it was made of, in C's grammar */
#include "emit.h"

int irl__emit_open(irl__emit *e, int mine, int outer)
{
    if (mine >= outer) return 0;
    irl__text_putc(&e->text, '(');
    return 1;
}

void irl__emit_close(irl__emit *e, int opened)
{
    if (opened) irl__text_putc(&e->text, ')');
}

int irl__emit_cast(irl__emit *e, const char *type, int *precedence)
{
    int opened = e->language->call_casts || irl__emit_open(e, IRL__PREC_UNARY, *precedence);
    irl__textf(&e->text, e->language->call_casts ? "%s(" : "(%s)", type);
    *precedence = e->language->call_casts ? IRL__PREC_ANY : IRL__PREC_UNARY;
    return opened;
}

/* ------------------------------------------------------------------ constants */

void irl__emit_int(irl__emit *e, int64_t value, int is_unsigned, int bits, const char *suffix,
                   int precedence)
{
    if (is_unsigned || value >= 0) {
        irl__text_uint(&e->text, (uint64_t)value);
        irl__text_puts(&e->text, suffix);
        return;
    }
    if (value == INT64_MIN || (bits == 32 && value == INT32_MIN)) { /* C has no literal for these */
        irl__text_putc(&e->text, '(');
        irl__text_int(&e->text, value + 1);
        irl__textf(&e->text, "%s - 1%s)", suffix, suffix);
        return;
    }
    int opened = irl__emit_open(e, IRL__PREC_UNARY - 1, precedence);
    irl__text_int(&e->text, value);
    irl__text_puts(&e->text, suffix);
    irl__emit_close(e, opened);
}

/* digits * 10^(point - count): as 0.125, 12.5, 1250.0 or 1.25e-07 */
static void irl__emit_decimal(irl__text *t, const char *digits, int count, int point)
{
    if (point < -4 || point > 16) {
        irl__text_append(t, digits, 1);
        irl__text_putc(t, '.');
        irl__text_puts(t, count > 1 ? digits + 1 : "0");
        irl__text_putc(t, 'e');
        irl__text_int(t, point - 1);
        return;
    }
    if (point <= 0) irl__text_puts(t, "0.");
    for (int k = point; k < 0; k++) irl__text_putc(t, '0');
    for (int k = 0; k < count; k++) {
        if (k == point && k > 0) irl__text_putc(t, '.');
        irl__text_putc(t, digits[k]);
    }
    for (int k = count; k < point; k++) irl__text_putc(t, '0');
    if (count <= point) irl__text_puts(t, ".0");
}

int irl__emit_is_bits(const irl__emit_language *language, irl_type type)
{
    return irl__type_is_storage(type) && !(language->halves && type.scalar == IRL_F16);
}

const char *irl__emit_suffix(const irl__emit *e, irl_type type)
{
    const irl__type_row *row = irl__type_info(type);
    if (row->kind == IRL_KIND_FLOAT)
        return row->bits == 32 ? "f" : row->bits == 16 ? "h" : e->language->double_suffix;
    if (row->kind == IRL_KIND_UINT && row->bits >= 32)
        return e->language->unsigned_suffixes[row->bits == 64];
    return row->bits == 64 ? e->language->long_suffix : "";
}

void irl__emit_as(irl__emit *e, irl_type to, irl_type from)
{
    if (e->language->as) e->language->as(e, to, from);
    else irl__emitf(e, e->language->as_format, to);
}

/* A NaN or an infinity, by its bits. */
static void irl__number_special(irl__emit *e, irl_type type, double value)
{
    const irl_type as = irl_type_of(irl__type_uint(type), 1);
    const int      bits = irl__type_info(type)->bits;
    if (e->language->special && e->language->special(e, type, value)) return;
    irl__emit_as(e, type, as);
    if (bits < 32) irl__textf(&e->text, "(%s)", e->language->types[as.scalar]);
    irl__text_puts(&e->text, "0x");
    irl__emit_hex(&e->text, irl__emit_float_bits(type, value), bits / 4);
    irl__textf(&e->text, "%s)", irl__emit_suffix(e, as));
}

void irl__emit_float(irl__emit *e, irl_type type, double value, int precedence)
{
    char     digits[IRL__DECIMAL_DIGITS + 1];
    int      point;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits >> 52 & 0x7ff) == 0x7ff) {
        irl__number_special(e, type, value);
        return;
    }
    int opened = bits >> 63 ? irl__emit_open(e, IRL__PREC_UNARY - 1, precedence) : 0;
    if (bits >> 63) irl__text_putc(&e->text, '-');
    if (bits << 1 == 0) irl__text_puts(&e->text, "0.0");
    else {
        int count = irl__decimal_shortest(type, bits >> 63 ? -value : value, digits, &point);
        irl__emit_decimal(&e->text, digits, count, point);
    }
    irl__text_puts(&e->text, irl__emit_suffix(e, type));
    irl__emit_close(e, opened);
}

uint64_t irl__emit_float_bits(irl_type type, double value)
{
    irl__scalar s;
    s.f = value;
    return irl__scalar_bits(type, s);
}

void irl__emit_hex(irl__text *t, uint64_t bits, int digits)
{
    while (digits-- > 0) irl__text_putc(t, "0123456789abcdef"[(bits >> (4 * digits)) & 15]);
}
