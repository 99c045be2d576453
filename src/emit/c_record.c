/* c_record.c - a record as C: for each field a function that reads an element, and one that writes
   it.

   needs     ir (record.c)
   promises  C99 and C++11 that need stdint.h alone; a byte that an element has no bit of is neither
             read nor written; all other bits of a byte are kept. Refuses records that are lossy or
             out of range, and names that are none in C
   cost      linear in the fields and their axes */
#include "c.h"

typedef struct irl__c_record_state {
    irl__text              *t;
    const irl_record       *r;
    const char             *name;
    const irl_record_field *f;
    const char             *value;       /* the type of a value in C */
    const char             *word;        /* all bytes of an element as one number */
    int64_t                 least, every; /* of the first bit of an element in its byte */
    int                     count;       /* bytes */
} irl__c_record_state;

static int irl__c_record_is_name(const char *s)
{
    const char *c = s;
    while (*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
           (c > s && *c >= '0' && *c <= '9'))
        c++;
    return *s && !*c;
}

static int64_t irl__c_record_gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Where elements of the field can begin in a byte, and in what they are one number. */
static void irl__c_record_places(irl__c_record_state *s)
{
    int k;
    s->every = 8;
    for (k = 0; k < s->f->rank; k++)
        if (s->f->extent[k] > 1) s->every = irl__c_record_gcd(s->every, s->f->stride[k]);
    s->least = s->f->offset % s->every;
    s->count = (int)((s->least + 8 - s->every + s->f->bits + 7) / 8);
    s->word = s->count > 4 ? "uint64_t" : "uint32_t";
}

/* How the k-th byte is shifted in that number. */
static int irl__c_record_by(const irl__c_record_state *s, int k)
{
    return s->f->order == IRL_BITS_MSB ? 8 * (s->count - 1 - k) : 8 * k;
}

static uint64_t irl__c_record_mask(const irl__c_record_state *s)
{
    return UINT64_MAX >> (64 - s->f->bits);
}

/* The integers that C has; of halves their bits. */
static const char *irl__c_record_value(const irl_record_field *f)
{
    static const char *const names[2][3] = { { "uint8_t", "uint16_t", "uint32_t" },
                                             { "int8_t", "int16_t", "int32_t" } };
    const int bytes = (int)irl__type_bytes(f->type);
    if (irl__type_is_float(f->type) && bytes == 4) return "float";
    return names[irl__type_is_signed(f->type) && !irl__type_is_float(f->type)]
                [bytes == 1 ? 0 : bytes == 2 ? 1 : 2];
}

/* "uint8_t NAME_get_q(const uint8_t *record, uint32_t i0", and where the element is. */
static void irl__c_record_head(irl__c_record_state *s, int is_set)
{
    irl__text *t = s->t;
    int        k;
    irl__textf(t, "static inline %s %s_%s_%s(%suint8_t *record", is_set ? "void" : s->value,
               s->name, is_set ? "set" : "get", s->f->name, is_set ? "" : "const ");
    for (k = 0; k < s->f->rank; k++) irl__textf(t, ", uint32_t i%d", k);
    if (is_set) irl__textf(t, ", %s value", s->value);
    irl__text_puts(t, ")\n{\n");
    if (s->f->rank) {
        irl__textf(t, "    const uint32_t at = %lu", s->f->offset);
        for (k = 0; k < s->f->rank; k++) irl__textf(t, " + i%d * %lu", k, s->f->stride[k]);
        irl__text_puts(t, ";\n");
        irl__textf(t, "    %suint8_t *const p = record + at / 8u;\n", is_set ? "" : "const ");
        if (s->every < 8) irl__text_puts(t, "    const uint32_t bit = at % 8u;\n");
    } else
        irl__textf(t, "    %suint8_t *const p = record + %l;\n", is_set ? "" : "const ",
                   s->f->offset / 8);
}

/* "7u - bit": how far the element is shifted in its bytes. */
static void irl__c_record_shift(irl__c_record_state *s)
{
    const int64_t last = 8 * s->count - s->f->bits;
    const int     is_msb = s->f->order == IRL_BITS_MSB;
    if (s->every == 8) irl__textf(s->t, "%l", is_msb ? last - s->least : s->least);
    else if (is_msb) irl__textf(s->t, "(%lu - bit)", last);
    else irl__text_puts(s->t, "bit");
}

/* "if (bit > 4u) " where an element may end before the k-th byte. */
static void irl__c_record_if(irl__c_record_state *s, int k)
{
    if (s->every < 8 && k && s->least + s->f->bits <= 8 * k)
        irl__textf(s->t, "if (bit > %lu) ", (int64_t)(8 * k - s->f->bits));
}

static void irl__c_record_get(irl__c_record_state *s)
{
    irl__text     *t = s->t;
    const uint64_t mask = irl__c_record_mask(s), sign = (mask >> 1) + 1;
    int            k;
    irl__c_record_head(s, 0);
    irl__textf(t, "    %s x = (%s)p[0] << %d;\n", s->word, s->word, irl__c_record_by(s, 0));
    for (k = 1; k < s->count; k++) {
        irl__text_puts(t, "    ");
        irl__c_record_if(s, k);
        irl__textf(t, "x |= (%s)p[%d] << %d;\n", s->word, k, irl__c_record_by(s, k));
    }
    irl__text_puts(t, "    x = x >> ");
    irl__c_record_shift(s);
    irl__textf(t, " & %uu;\n", mask);
    if (strcmp(s->value, "float") == 0)
        irl__text_puts(t, "    {\n        union { uint32_t bits; float value; } u;\n"
                          "        u.bits = (uint32_t)x;\n        return u.value;\n    }\n}\n\n");
    else if (irl__type_is_float(s->f->type) || !irl__type_is_signed(s->f->type))
        irl__textf(t, "    return (%s)x;\n}\n\n", s->value);
    else if (s->f->bits == 32) irl__text_puts(t, "    return (int32_t)(uint32_t)x;\n}\n\n");
    else
        irl__textf(t, "    return (%s)((int32_t)((uint32_t)x ^ %uu) - %u);\n}\n\n", s->value, sign,
                   sign);
}

static void irl__c_record_set_byte(irl__c_record_state *s, int k)
{
    const int      by = irl__c_record_by(s, k);
    const int64_t  last = 8 * s->count - s->f->bits;
    const int      shift = (int)(s->f->order == IRL_BITS_MSB ? last - s->least : s->least);
    const uint64_t own = irl__c_record_mask(s) << shift >> by & 255; /* where every is 8 */
    irl__text_puts(s->t, "    ");
    irl__c_record_if(s, k);
    irl__textf(s->t, "p[%d] = (uint8_t)(", k);
    if (s->every < 8) irl__textf(s->t, "((%s)p[%d] & ~(own >> %d)) | ", s->word, k, by);
    else if (own != 255) irl__textf(s->t, "((%s)p[%d] & %uu) | ", s->word, k, 255 - own);
    irl__textf(s->t, "x >> %d);\n", by);
}

static void irl__c_record_set(irl__c_record_state *s)
{
    irl__text     *t = s->t;
    const uint64_t mask = irl__c_record_mask(s);
    int            k;
    irl__c_record_head(s, 1);
    if (s->every < 8) {
        irl__textf(t, "    const %s own = (%s)%uu << ", s->word, s->word, mask);
        irl__c_record_shift(s);
        irl__text_puts(t, ";\n");
    }
    if (strcmp(s->value, "float") == 0)
        irl__text_puts(t, "    union { uint32_t bits; float value; } u;\n");
    irl__textf(t, "    %s x;\n", s->word);
    if (strcmp(s->value, "float") == 0)
        irl__text_puts(t, "    u.value = value;\n    x = u.bits;\n");
    else irl__textf(t, "    x = (%s)((uint32_t)value & %uu);\n", s->word, mask);
    irl__text_puts(t, "    x <<= ");
    irl__c_record_shift(s);
    irl__text_puts(t, ";\n");
    for (k = 0; k < s->count; k++) irl__c_record_set_byte(s, k);
    irl__text_puts(t, "}\n\n");
}

/* The record's own name stands in a comment, whatever the functions are called. */
static int irl__c_record_names_ok(const irl_record *r, const char *name)
{
    int k;
    if (!irl__c_record_is_name(name) || !irl__c_record_is_name(r->name))
        return irl__fail(r->cx, IRL_ERROR_BAD_ARGUMENT, r->loc, "'%s' is no name in C",
                         irl__c_record_is_name(name) ? r->name : name);
    for (k = 0; k < r->count; k++)
        if (!irl__c_record_is_name(r->fields[k].name))
            return irl__fail(r->cx, IRL_ERROR_BAD_ARGUMENT, r->loc,
                             "field '%s' of record '%s' has a name that is none in C",
                             r->fields[k].name, r->name);
    return 1;
}

const char *irl_c_record_source(const irl_record *r, const char *name)
{
    irl__c_record_state s;
    irl_record_verdict  v;
    irl__text           t;
    int                 k;
    if (!r || !irl__ok(r->cx)) return "";
    if (!name) name = r->name;
    if (!irl__record_right(r, r->loc) || !irl__c_record_names_ok(r, name)) return "";
    v = irl_record_check(r);
    irl__text_init(&t, r->cx);
    irl__textf(&t, "/* %s\n   %s */\n#ifndef IRL_RECORD_%s\n#define IRL_RECORD_%s\n\n"
                   "#include <stdint.h>\n\nenum { %s_bytes = %l };\n\n",
               irl_record_text(r), irl_record_verdict_text(r, &v), name, name, name, r->bytes);
    memset(&s, 0, sizeof s);
    s.t = &t;
    s.r = r;
    s.name = name;
    for (k = 0; k < r->count; k++) {
        s.f = &r->fields[k];
        s.value = irl__c_record_value(s.f);
        irl__c_record_places(&s);
        irl__c_record_get(&s);
        irl__c_record_set(&s);
    }
    irl__text_puts(&t, "#endif\n");
    return irl__text_or_empty(irl__text_done(&t));
}
