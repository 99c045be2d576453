/* c_field.c - an element of bits as C: what reads and what writes it.

   needs     c.h; in the text before, p, the byte in which the element begins, and `bit`, where it
             begins in that, counted in its order, if that is not the same for all elements
   promises  C99 and C++11; a byte that an element has no bit of is neither read nor written; all
             other bits of a byte are kept; numbers of 16 bits suffice for elements in two bytes,
             which is int of small machines */
#include "c.h"

void irl__c_field_apart(irl__c_field *s, int64_t stride)
{
    s->every = irl__c_gcd(s->every, stride);
}

/* The integers that C has; of halves their bits. */
static const char *irl__c_field_value(irl_type type)
{
    static const char *const names[2][3] = { { "uint8_t", "uint16_t", "uint32_t" },
                                             { "int8_t", "int16_t", "int32_t" } };
    const int bytes = (int)irl__type_bytes(type);
    if (irl__type_is_float(type) && bytes == 4) return "float";
    return names[irl__type_is_signed(type) && !irl__type_is_float(type)]
                [bytes == 1 ? 0 : bytes == 2 ? 1 : 2];
}

irl__c_field irl__c_field_of(irl__text *t, irl_type type, int bits, irl_bit_order order,
                           const char *x)
{
    irl__c_field s;
    memset(&s, 0, sizeof s);
    s.t = t;
    s.type = type;
    s.bits = bits;
    s.is_msb = order == IRL_BITS_MSB;
    s.x = x;
    s.every = 8;
    s.value = irl__c_field_value(type);
    return s;
}

void irl__c_field_from(irl__c_field *s, int64_t offset)
{
    s->least = offset % s->every;
    s->count = (int)((s->least + 8 - s->every + s->bits + 7) / 8);
    s->word = s->count > 4 ? "uint64_t" : s->count > 2 ? "uint32_t" : "unsigned";
}

/* How the k-th byte is shifted in that number. */
static int irl__c_field_by(const irl__c_field *s, int k)
{
    return s->is_msb ? 8 * (s->count - 1 - k) : 8 * k;
}

static uint64_t irl__c_field_mask(const irl__c_field *s) { return UINT64_MAX >> (64 - s->bits); }

/* "7u - bit": how far the element is shifted in its bytes. */
static void irl__c_field_shift(irl__c_field *s)
{
    const int64_t last = 8 * s->count - s->bits;
    if (s->every == 8) irl__textf(s->t, "%l", s->is_msb ? last - s->least : s->least);
    else if (s->is_msb) irl__textf(s->t, "(%lu - bit)", last);
    else irl__text_puts(s->t, "bit");
}

/* "if (bit > 4u) " where an element may end before the k-th byte. */
static void irl__c_field_if(irl__c_field *s, int k)
{
    if (s->every < 8 && k && s->least + s->bits <= 8 * k)
        irl__textf(s->t, "if (bit > %lu) ", (int64_t)(8 * k - s->bits));
}

void irl__c_field_get(irl__c_field *s)
{
    irl__text     *t = s->t;
    const uint64_t mask = irl__c_field_mask(s), sign = (mask >> 1) + 1;
    irl__textf(t, "    %s %s = (%s)p[0] << %d;\n", s->word, s->x, s->word, irl__c_field_by(s, 0));
    for (int k = 1; k < s->count; k++) {
        irl__text_puts(t, "    ");
        irl__c_field_if(s, k);
        irl__textf(t, "%s |= (%s)p[%d] << %d;\n", s->x, s->word, k, irl__c_field_by(s, k));
    }
    irl__textf(t, "    %s = %s >> ", s->x, s->x);
    irl__c_field_shift(s);
    irl__textf(t, " & %uu;\n", mask);
    if (strcmp(s->value, "float") == 0)
        irl__textf(t, "    {\n        union { uint32_t bits; float value; } u;\n"
                      "        u.bits = (uint32_t)%s;\n        return u.value;\n    }\n}\n\n",
                   s->x);
    else if (irl__type_is_float(s->type) || !irl__type_is_signed(s->type))
        irl__textf(t, "    return (%s)%s;\n}\n\n", s->value, s->x);
    else if (s->bits == 32) irl__textf(t, "    return (int32_t)(uint32_t)%s;\n}\n\n", s->x);
    else if (s->bits < 16 && s->count <= 2)
        irl__textf(t, "    return (%s)((int)(%s ^ %uu) - %u);\n}\n\n", s->value, s->x, sign,
                   sign);
    else
        irl__textf(t, "    return (%s)((int32_t)((uint32_t)%s ^ %uu) - %u);\n}\n\n", s->value,
                   s->x, sign, sign);
}

void irl__c_field_set(irl__c_field *s)
{
    irl__text     *t = s->t;
    const uint64_t mask = irl__c_field_mask(s);
    const int      is_float = strcmp(s->value, "float") == 0;
    if (s->bits == 1) {
        irl__text_puts(s->t, "    const unsigned own = 1u << ");
        irl__c_field_shift(s);
        irl__text_puts(s->t,
                       ";\n    p[0] = (uint8_t)(value & 1u ? p[0] | own : p[0] & ~own);\n}\n\n");
        return;
    }
    if (s->every < 8) {
        irl__textf(t, "    const %s own = (%s)%uu << ", s->word, s->word, mask);
        irl__c_field_shift(s);
        irl__text_puts(t, ";\n");
    }
    if (is_float) irl__text_puts(t, "    union { uint32_t bits; float value; } u;\n");
    irl__textf(t, "    %s %s;\n", s->word, s->x);
    if (is_float) irl__textf(t, "    u.value = value;\n    %s = u.bits;\n", s->x);
    else
        irl__textf(t, "    %s = (%s)value & %uu;\n", s->x, s->word, mask);
    irl__textf(t, "    %s <<= ", s->x);
    irl__c_field_shift(s);
    irl__text_puts(t, ";\n");
    for (int k = 0; k < s->count; k++) {
        const int      by = irl__c_field_by(s, k);
        const int64_t  last = 8 * s->count - s->bits;
        const int      shift = (int)(s->is_msb ? last - s->least : s->least);
        const uint64_t own = irl__c_field_mask(s) << shift >> by & 255;
        /* where every is 8 */
        irl__text_puts(s->t, "    ");
        irl__c_field_if(s, k);
        irl__textf(s->t, "p[%d] = (uint8_t)(", k);
        if (s->every < 8) irl__textf(s->t, "((%s)p[%d] & ~(own >> %d)) | ", s->word, k, by);
        else if (own != 255) irl__textf(s->t, "((%s)p[%d] & %uu) | ", s->word, k, 255 - own);
        irl__textf(s->t, "%s >> %d);\n", s->x, by);
    }
    irl__text_puts(t, "}\n\n");
}
