/* c_record.c - a record as C: for each field a function that reads an element, and one that writes
   it.

   needs     ir (record.c), c_field.c
   promises  C99 and C++11 that need stdint.h alone; a byte without a bit of the element is neither
             read nor written; all other bits of a byte are kept. Refuses records that are lossy or
             out of range, and names that are not names in C
   cost      linear in the fields and their axes */
#include "c.h"

typedef struct irl__c_record_state {
    irl__text              *t;
    const char             *name;
    const irl_record_field *f;
    irl__c_field             bits;
} irl__c_record_state;

/* "uint8_t NAME_get_q(const uint8_t *record, uint32_t i0", and where the element is. */
static void irl__c_record_head(irl__c_record_state *s, int is_set)
{
    irl__text *t = s->t;
    irl__textf(t, "static inline %s %s_%s_%s(%suint8_t *record", is_set ? "void" : s->bits.value,
               s->name, is_set ? "set" : "get", s->f->name, is_set ? "" : "const ");
    for (int k = 0; k < s->f->rank; k++) irl__textf(t, ", uint32_t i%d", k);
    if (is_set) irl__textf(t, ", %s value", s->bits.value);
    irl__text_puts(t, ")\n{\n");
    if (s->f->rank) {
        irl__textf(t, "    const uint32_t at = %lu", s->f->offset);
        for (int k = 0; k < s->f->rank; k++) irl__textf(t, " + i%d * %lu", k, s->f->stride[k]);
        irl__textf(t, ";\n    %suint8_t *const p = record + at / 8u;\n", is_set ? "" : "const ");
        if (s->bits.every < 8) irl__text_puts(t, "    const uint32_t bit = at % 8u;\n");
    } else
        irl__textf(t, "    %suint8_t *const p = record + %l;\n", is_set ? "" : "const ",
                   s->f->offset / 8);
}

/* NAME_has_FIELD: whether the fields on which it depends have its values. */
static void irl__c_record_has(irl__c_record_state *s, const irl_record *r)
{
    const irl_record_field *on = &r->fields[s->f->when - 1];
    const int               is_signed = irl__type_is_signed(on->type);
    const int64_t           end = INT64_C(1) << (on->bits - is_signed);
    const int64_t           ends[2] = { s->f->least, s->f->most };
    const int               is_one = ends[0] == ends[1];
    const int               needed[2] = { is_one || ends[0] > (is_signed ? -end : 0),
                                          !is_one && ends[1] < end - 1 };
    const char             *before = on->when ? " && " : "";
    irl__textf(s->t, "static inline int %s_has_%s(const uint8_t *record)\n{\n    return ", s->name,
               s->f->name);
    if (on->when) irl__textf(s->t, "%s_has_%s(record)", s->name, on->name);
    for (int k = 0; k < 2; k++) {
        if (!needed[k]) continue;
        irl__textf(s->t, "%s%s_get_%s(record) %s ", before, s->name, on->name,
                   is_one ? "==" : k ? "<=" : ">=");
        irl__textf(s->t, is_signed || on->bits < 16 ? "%l" : "%lu", ends[k]);
        before = " && ";
    }
    irl__text_puts(s->t, before[0] ? ";\n}\n\n" : "(void)record, 1;\n}\n\n");
}

/* A comment has the record's own name, whatever the functions are called. Each name is a part of a
   longer one, so that no reserved word is taken. */
static int irl__c_record_names_ok(const irl_record *r, const char *name)
{
    if (!irl__has_identifier_form(name) || !irl__has_identifier_form(r->name))
        return irl__fail(r->cx, IRL_ERROR_BAD_ARGUMENT, r->loc, "'%s' is not a name in C",
                         irl__has_identifier_form(name) ? r->name : name);
    for (int k = 0; k < r->count; k++)
        if (!irl__has_identifier_form(r->fields[k].name))
            return irl__fail(r->cx, IRL_ERROR_BAD_ARGUMENT, r->loc,
                             "field '%s' of record '%s' has a name that is not a name in C",
                             r->fields[k].name, r->name);
    return 1;
}

const char *irl_c_record_source(const irl_record *r, const char *name)
{
    irl__c_record_state s;
    irl__text           t;
    irl_bit_element     e;
    if (!r || !irl__ok(r->cx)) return "";
    if (!name) name = r->name;
    if (!irl__record_right(r, r->loc) || !irl__c_record_names_ok(r, name)) return "";
    irl_record_verdict v = irl_record_check(r);
    irl__text_init(&t, r->cx);
    irl__textf(&t, "/* %s\n   %s */\n#ifndef IRL_RECORD_%s\n#define IRL_RECORD_%s\n\n"
                   "#include <stdint.h>\n\nenum { %s_bytes = %l };\n\n",
               irl_record_text(r), irl_record_verdict_text(r, &v), name, name, name, r->bytes);
    memset(&s, 0, sizeof s);
    s.t = &t;
    s.name = name;
    for (int k = 0; k < r->count; k++) {
        s.f = &r->fields[k];
        /* Where elements of the field can begin in a byte, and in what they are one number. */
        e = irl__record_field_element(s.f);
        s.bits = irl__c_field_of(s.t, &e, "x");
        for (int j = 0; j < s.f->rank; j++)
            if (s.f->extent[j] > 1) irl__c_field_apart(&s.bits, s.f->stride[j]);
        irl__c_field_from(&s.bits, s.f->offset);
        irl__c_record_head(&s, 0);
        irl__c_field_get(&s.bits);
        irl__c_record_head(&s, 1);
        irl__c_field_set(&s.bits);
        if (s.f->when) irl__c_record_has(&s, r);
    }
    irl__text_puts(&t, "#endif\n");
    return irl__text_or_empty(irl__text_done(&t));
}
