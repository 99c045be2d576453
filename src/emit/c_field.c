/* c_field.c - an element of bits as C: the code that reads it and the code that writes it.

   needs     c.h; in the text before, p, the byte in which the element begins, and `bit`, where it
             begins in that, counted in its order, if that is not the same for all elements
   promises  C99 and C++11; a byte without a bit of the element is neither read nor written; all
             other bits of a byte are kept; an int of 16 bits, as on small machines, suffices for
             elements in two bytes */
#include "c.h"

void irl__c_field_apart(irl__c_field *s, int64_t stride)
{
    s->every = irl__c_gcd(s->every, stride);
}

/* The integers that C has; of halves their bits. */
static const char *irl__c_field_value(irl_type type)
{
    static const char *const names[3][4] = { { "uint8_t", "uint16_t", "uint32_t", "uint64_t" },
                                             { "int8_t", "int16_t", "int32_t", "int64_t" },
                                             { "", "uint16_t", "float", "double" } };
    if (type.scalar == IRL_BOOL) return "int";
    const int bytes = (int)irl__type_bytes(type), size = bytes < 4 ? bytes / 2 : bytes / 8 + 2;
    return names[irl__type_is_float(type) ? 2 : irl__type_is_signed(type)][size];
}

irl__c_field irl__c_field_of(irl__text *t, const irl_bit_element *e, const char *x)
{
    irl__c_field s;
    memset(&s, 0, sizeof s);
    s.t = t;
    s.type = e->type;
    s.bits = e->bits;
    s.is_msb = e->order == IRL_BITS_MSB;
    s.norm = e->norm;
    s.x = x;
    s.every = 8;
    s.value = irl__c_field_value(e->type);
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

/* An element in 9 bytes is two numbers: the first 32 bits, and the rest 4 bytes later. */
static int irl__c_field_parts(const irl__c_field *s, irl__c_field part[2])
{
    part[0] = part[1] = *s;
    if (s->count <= 8) return 1;
    part[0].bits = 32;
    part[1].bits = s->bits - 32;
    part[1].first = 4;
    part[1].x = "rest";
    for (int k = 0; k < 2; k++) irl__c_field_from(&part[k], s->least);
    return 2;
}

static void irl__c_field_read(irl__c_field *s)
{
    irl__text *t = s->t;
    irl__textf(t, "    %s %s = (%s)p[%d] << %d;\n", s->word, s->x, s->word, s->first,
               irl__c_field_by(s, 0));
    for (int k = 1; k < s->count; k++) {
        irl__text_puts(t, "    ");
        irl__c_field_if(s, k);
        irl__textf(t, "%s |= (%s)p[%d] << %d;\n", s->x, s->word, s->first + k,
                   irl__c_field_by(s, k));
    }
    irl__textf(t, "    %s = %s >> ", s->x, s->x);
    irl__c_field_shift(s);
    if (s->bits < 64) irl__textf(t, " & %uu", irl__c_field_mask(s));
    irl__text_puts(t, ";\n");
}

/* The unsigned integer of a float's size; NULL where C has no such float. */
static const char *irl__c_field_is_float(const irl__c_field *s)
{
    return strcmp(s->value, "float") == 0    ? "uint32_t"
           : strcmp(s->value, "double") == 0 ? "uint64_t"
                                             : NULL;
}

/* The number that the integer x represents. */
static void irl__c_field_from_norm(irl__c_field *s)
{
    const uint64_t mask = irl__c_field_mask(s), scale = mask >> (s->norm == IRL_NORM_SIGNED);
    if (s->norm == IRL_NORM_SIGNED)
        irl__textf(s->t,
                   "    {\n        const float f ="
                   " (float)((int32_t)((uint32_t)%s ^ %uu) - %u) / %u.0f;\n"
                   "        return f < -1.0f ? -1.0f : f;\n    }\n}\n\n",
                   s->x, scale + 1, scale + 1, scale);
    else irl__textf(s->t, "    return (float)%s / %u.0f;\n}\n\n", s->x, scale);
}

void irl__c_field_get(irl__c_field *s)
{
    irl__text     *t = s->t;
    irl__c_field   part[2];
    const uint64_t sign = (irl__c_field_mask(s) >> 1) + 1;
    const char    *word = irl__c_field_is_float(s);
    const int      parts = irl__c_field_parts(s, part);
    for (int k = 0; k < parts; k++) irl__c_field_read(&part[k]);
    if (parts > 1 && s->is_msb)
        irl__textf(t, "    %s = %s << %d | rest;\n", s->x, s->x, part[1].bits);
    else if (parts > 1) irl__textf(t, "    %s |= (uint64_t)rest << 32;\n", s->x);
    if (s->norm) irl__c_field_from_norm(s);
    else if (word)
        irl__textf(t, "    {\n        union { %s bits; %s value; } u;\n"
                      "        u.bits = (%s)%s;\n        return u.value;\n    }\n}\n\n",
                   word, s->value, word, s->x);
    else if (irl__type_is_float(s->type) || !irl__type_is_signed(s->type))
        irl__textf(t, "    return (%s)%s;\n}\n\n", s->value, s->x);
    else if (s->bits % 32 == 0)
        irl__textf(t, "    return (%s)(u%s)%s;\n}\n\n", s->value, s->value, s->x);
    else if (s->bits > 32)
        irl__textf(t, "    return (int64_t)(%s ^ %uu) - %u;\n}\n\n", s->x, sign, sign);
    else if (s->bits < 16 && s->count <= 2)
        irl__textf(t, "    return (%s)((int)(%s ^ %uu) - %u);\n}\n\n", s->value, s->x, sign,
                   sign);
    else
        irl__textf(t, "    return (%s)((int32_t)((uint32_t)%s ^ %uu) - %u);\n}\n\n", s->value,
                   s->x, sign, sign);
}

/* Writes the bits of `value` that follow the low `right` ones. */
static void irl__c_field_write(irl__c_field *s, const char *value, int right)
{
    irl__text     *t = s->t;
    const uint64_t mask = irl__c_field_mask(s);
    const int64_t  last = 8 * s->count - s->bits;
    const int      shift = (int)(s->is_msb ? last - s->least : s->least);
    if (s->every < 8) {
        irl__textf(t, "    const %s own%s = (%s)%uu << ", s->word, s->first ? "_rest" : "",
                   s->word, mask);
        irl__c_field_shift(s);
        irl__text_puts(t, ";\n");
    }
    irl__textf(t, "    %s %s = (%s)", s->word, s->x, s->word);
    irl__textf(t, right ? "((uint64_t)%s >> %d)" : "%s", value, right);
    if (s->bits < (irl__c_field_is_float(s) && !s->norm ? 8 * (int)irl__type_bytes(s->type) : 64))
        irl__textf(t, " & %uu", mask);
    irl__text_puts(t, ";\n");
    irl__textf(t, "    %s <<= ", s->x);
    irl__c_field_shift(s);
    irl__text_puts(t, ";\n");
    for (int k = 0; k < s->count; k++) {
        const int      by = irl__c_field_by(s, k);
        const uint64_t own = mask << shift >> by & 255; /* where every is 8 */
        irl__text_puts(t, "    ");
        irl__c_field_if(s, k);
        irl__textf(t, "p[%d] = (uint8_t)(", s->first + k);
        if (s->every < 8)
            irl__textf(t, "((%s)p[%d] & ~(own%s >> %d)) | ", s->word, s->first + k,
                       s->first ? "_rest" : "", by);
        else if (own != 255)
            irl__textf(t, "((%s)p[%d] & %uu) | ", s->word, s->first + k, 255 - own);
        irl__textf(t, "%s >> %d);\n", s->x, by);
    }
}

void irl__c_field_set(irl__c_field *s)
{
    irl__text   *t = s->t;
    irl__c_field part[2];
    const char  *word = irl__c_field_is_float(s);
    const char  *value = s->norm ? "code" : word ? "u.bits" : "value";
    /* The integer that represents `value`: code. */
    if (s->norm) {
        const uint64_t scale = irl__c_field_mask(s) >> (s->norm == IRL_NORM_SIGNED);
        const char    *least = s->norm == IRL_NORM_SIGNED ? "-1.0f" : "0.0f";
        irl__textf(s->t,
                   "    float f = value > 1.0f ? 1.0f : value > %s ? value : %s;\n"
                   "    int32_t code;\n    f = (float)(f * %u.0f);\n    code = (int32_t)f;\n"
                   "    f = f - (float)code; /* to nearest, ties to even */\n"
                   "    code += (f > 0.5f || (f == 0.5f && (code & 1))) -\n"
                   "            (f < -0.5f || (f == -0.5f && (code & 1)));\n",
                   least, least, scale);
    }
    if (s->bits == 1) {
        irl__text_puts(t, "    const unsigned own = 1u << ");
        irl__c_field_shift(s);
        irl__textf(t, ";\n    p[0] = (uint8_t)(%s%s ? p[0] | own : p[0] & ~own);\n}\n\n", value,
                   s->norm || s->type.scalar == IRL_BOOL ? "" : " & 1u");
        return;
    }
    if (word && !s->norm)
        irl__textf(t, "    union { %s bits; %s value; } u;\n    u.value = value;\n", word,
                   s->value);
    const int parts = irl__c_field_parts(s, part);
    for (int k = 0; k < parts; k++)
        irl__c_field_write(&part[k], value,
                           !s->is_msb ? 32 * k : k < parts - 1 ? s->bits - 32 : 0);
    irl__text_puts(t, "}\n\n");
}
