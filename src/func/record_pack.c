/* record_pack.c - the functions that pack arrays, one for each field, into records, and unpack
   them.

   needs     parse_func.c
   promises  every bit of the records is written once by pack: unused ones are 0; unpack(pack(x)) is
             x where values fit their fields. Fields of one element are stored together, so that
             each byte is written once */
#include "func.h"

/* A name that no field has, nor with a number behind it: with _ behind it as often as it takes. */
static const char *irl__record_free_name(const irl_record *r, const char *name)
{
    for (int k = 0; k < r->count; k++) {
        const char  *field = r->fields[k].name;
        const size_t n = strlen(name);
        if (strncmp(field, name, n) != 0 || field[n + strspn(field + n, "0123456789")]) continue;
        name = irl__text_or_empty(irl__format(r->cx, "%s_", name));
        k = -1;
        if (!irl__ok(r->cx)) break;
    }
    return name;
}

/* Is it a field's, or one of a function's own? Those are followed by numbers, too. */
static int irl__record_is_taken(const irl_record *r, const char *name, int own_count,
                                const char *const *own)
{
    for (int k = 0; k < r->count; k++)
        if (strcmp(r->fields[k].name, name) == 0) return 1;
    for (int k = 0; k < own_count; k++) {
        const size_t n = strlen(own[k]);
        if (strncmp(name, own[k], n) == 0 && !name[n + strspn(name + n, "0123456789")]) return 1;
    }
    return 0;
}

/* The record's name, with _ behind it as often as none of its views, NAME_field, has another's. */
static const char *irl__record_view_name(const irl_record *r, int own_count,
                                         const char *const *own)
{
    const char *name = r->name;
    for (int k = 0; k < r->count && irl__ok(r->cx); k++) {
        const char *view = irl__format(r->cx, "%s_%s", name, r->fields[k].name);
        if (!irl__record_is_taken(r, irl__text_or_empty(view), own_count, own)) continue;
        name = irl__text_or_empty(irl__format(r->cx, "%s_", name));
        k = -1;
    }
    return name;
}

/* to = from, of one field, behind its loops. */
static void irl__record_put_copy(irl__text *t, const char *view, const irl_record_field *f,
                                 const char *at, int is_unpack)
{
    for (int side = 0; side < 2; side++) {
        if (side == is_unpack) irl__textf(t, "`%s_%s`", view, f->name);
        else irl__textf(t, "`%s`", f->name);
        /* [at, i0, i1] */
        irl__textf(t, "[%s", at);
        for (int k = 0; k < f->rank; k++) irl__textf(t, ", %s%d", at, k);
        irl__text_putc(t, ']');
        irl__text_puts(t, side ? ";\n" : " = ");
    }
}

/* "if (`mode`[i] == 3) ", by the arrays or by the records. */
static void irl__record_put_when(irl__text *t, const irl_record *r, int k, const char *view,
                                 const char *at, int is_unpack)
{
    for (const char *before = "if ("; r->fields[k].when; before = " && ") {
        const irl_record_field *f = &r->fields[k], *on = &r->fields[f->when - 1];
        const char             *open = on->type.scalar == IRL_BOOL ? "i32(" : "",
                               *close = open[0] ? ")" : "";
        for (int end = 0; end < 1 + (f->least < f->most); end++) {
            irl__textf(t, end ? " && %s" : "%s%s", end ? open : before, open);
            if (is_unpack) irl__textf(t, "`%s_%s`", view, on->name);
            else irl__textf(t, "`%s`", on->name);
            irl__textf(t, "[%s]%s %s %l", at, close, f->least == f->most ? "==" : end ? "<=" : ">=",
                       end ? f->most : f->least);
        }
        k = f->when - 1;
        if (!on->when) irl__text_puts(t, ") ");
    }
}

/* A field that depends on others is packed if they have its values; unpacked, it is 0 otherwise. */
static void irl__record_put_field(irl__text *t, const irl_record *r, int k, const char *view,
                                  const char *at, int is_unpack)
{
    const irl_record_field *f = &r->fields[k];
    irl__record_put_when(t, r, k, view, at, is_unpack);
    if (f->when) irl__text_puts(t, "{\n");
    irl__record_put_copy(t, view, f, at, is_unpack);
    if (f->when) irl__text_puts(t, "}");
    if (f->when && is_unpack) {
        irl__textf(t, " else `%s`[%s", f->name, at);
        for (int j = 0; j < f->rank; j++) irl__textf(t, ", %s%d", at, j);
        irl__textf(t, "] = %s(0);", irl__type_cstr(r->cx, f->type));
    }
    if (f->when) irl__text_puts(t, "\n");
}

static irl_func *irl__record_copy_func(const irl_record *r, int is_unpack)
{
    irl__text   t;
    const char *n, *memory, *at, *view;
    /* A back quote in a name would end it: such names are refused. */
    if (!r || !irl__ok(r->cx) || !irl__record_right(r, r->loc)) return NULL;
    int i, ok = !strpbrk(r->name, "`\\");
    for (i = 0; i < r->count; i++) ok &= !strpbrk(r->fields[i].name, "`\\");
    if (!(ok || irl__fail(r->cx, IRL_ERROR_BAD_ARGUMENT, r->loc,
                          "a name in record '%s' has a back quote or a backslash in it", r->name)))
        return NULL;
    irl_record_verdict v = irl_record_check(r);
    n = irl__record_free_name(r, "n");
    memory = irl__record_free_name(r, "packed");
    at = irl__record_free_name(r, "i");
    const char *const own[] = { n, memory, at };
    view = irl__record_view_name(r, 3, own);
    irl__text_init(&t, r->cx);
    irl__textf(&t, "func `%s_%s`(", is_unpack ? "unpack" : "pack", r->name);
    for (int k = 0; k < r->count; k++) {
        const irl_record_field *f = &r->fields[k];
        irl__textf(&t, "`%s`: %s[%s", f->name, irl__type_cstr(r->cx, f->type), n);
        for (int j = 0; j < f->rank; j++) irl__textf(&t, ", %l", f->extent[j]);
        irl__text_puts(&t, "], ");
    }
    irl__textf(&t, "%s: u8[%s, %l]", memory, n, r->bytes);
    irl__text_puts(&t, ") {\n");
    if (!is_unpack && v.unused_bits)
        irl__textf(&t, "for (%s: %s, %s0: %l) %s[%s, %s0] = 0;\n", at, n, at, r->bytes, memory, at,
                   at);
    /* The record of all of the memory: its text with a shape and data. */
    const char *text = irl_record_text(r) + strlen("record ");
    /* then its name, quoted or not */
    const char *end = text[0] == '`' ? strchr(text + 1, '`') : text;
    const char *rest = end ? strchr(end, ')') : NULL;
    irl__textf(&t, "record `%s`[%s] bytes(%l) data(%s)%s\n", view, n, r->bytes, memory,
               rest ? rest + 1 : "");
    irl__textf(&t, "for (%s: %s) {\n", at, n);
    for (int k = 0; k < r->count; k++)
        if (!r->fields[k].rank) irl__record_put_field(&t, r, k, view, at, is_unpack);
    irl__text_puts(&t, "}\n");
    for (int k = 0; k < r->count; k++) {
        const irl_record_field *f = &r->fields[k];
        if (!f->rank) continue;
        irl__textf(&t, "for (%s: %s", at, n);
        for (int j = 0; j < f->rank; j++) irl__textf(&t, ", %s%d: %l", at, j, f->extent[j]);
        irl__text_puts(&t, ") ");
        irl__record_put_field(&t, r, k, view, at, is_unpack);
    }
    irl__text_puts(&t, "}\n");
    return irl_func_parse(r->cx, irl__text_or_empty(irl__text_done(&t)), IRL_TO_NUL, "record");
}

irl_func *irl_record_pack_func(const irl_record *r) { return irl__record_copy_func(r, 0); }
irl_func *irl_record_unpack_func(const irl_record *r) { return irl__record_copy_func(r, 1); }
