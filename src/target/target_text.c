/* target_text.c - a target as a text: its columns, a line each.

   needs     the parser's tokens; target_check.c
   promises  a printed text reads back as an equal target; a target that is read has passed
             irl_target_new's checks, and a diagnostic shows the value that did not

     target mygpu: opencl12 { widths = 1, 2, 4; int64 = false; buffer_bytes = 0x7fffffff; } */
#include "target.h"
#include "../text/parse.h"
#include "../text/print.h"

/* ------------------------------------------------------------------ printing */

static void irl__target_print_set(irl__text *t, const irl_target *target, irl__tcolumn_kind kind)
{
    const uint32_t set = kind == IRL__COLUMN_WIDTHS ? target->widths : target->texels;
    int            k, before = 0;
    for (k = 0; k < 32; k++) {
        if (!(set >> k & 1)) continue;
        if (before++) irl__text_puts(t, ", ");
        if (kind == IRL__COLUMN_WIDTHS) irl__text_int(t, k + 1);
        else irl__text_puts(t, irl__type_info(irl_type_of((irl_scalar)k, 1))->text);
    }
    if (!before) irl__text_puts(t, "none");
}

const char *irl_target_text(irl_ctx *cx, const irl_target *target)
{
    irl__text t;
    int       k;
    if (!cx || !irl__ok(cx) || !target) return "";
    irl__text_init(&t, cx);
    irl__text_puts(&t, "target ");
    irl__print_symbol(&t, target->name);
    irl__text_puts(&t, " {\n");
    if (target->doc && *target->doc) {
        irl__text_puts(&t, "    doc = ");
        irl__print_quoted(&t, target->doc, '"');
        irl__text_puts(&t, ";\n");
    }
    for (k = 0; irl__tcolumn_at(k); k++) {
        const irl__tcolumn *column = irl__tcolumn_at(k);
        const size_t        begin = t.length;
        int64_t             value;
        irl__textf(&t, "    %s = ", column->name);
        if (column->kind == IRL__COLUMN_WIDTHS || column->kind == IRL__COLUMN_TEXELS)
            irl__target_print_set(&t, target, column->kind);
        else {
            value = irl__tcolumn_get(target, column);
            if (column->kind == IRL__COLUMN_FLAG) irl__text_puts(&t, value ? "true" : "false");
            else if (column->kind == IRL__COLUMN_BYTES && value == INT64_MAX)
                irl__text_puts(&t, "any");
            else irl__text_int(&t, value);
        }
        irl__text_putc(&t, ';');
        while (t.length < begin + 32 && !t.failed) irl__text_putc(&t, ' ');
        irl__textf(&t, " // %s\n", column->meaning);
    }
    irl__text_puts(&t, "}\n");
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ reading */

typedef struct irl__target_reader {
    irl_target target;
    irl_loc    at[IRL__COLUMN_MOST]; /* of the value of each column that the text states */
    irl_loc    doc;
} irl__target_reader;

static int irl__target_read_number(irl__parser *p, int64_t most, int64_t *out)
{
    if (p->token.kind != IRL__TOKEN_INTEGER) return irl__unexpected(p, "a number");
    if (p->token.integer > (uint64_t)most)
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_TARGET, p->token.offset, "%u is more than %l",
                            p->token.integer, most);
    *out = (int64_t)p->token.integer;
    irl__next(p);
    return 1;
}

/* Numbers of lanes, or names of types, with commas between them; or none. */
static int irl__target_read_set(irl__parser *p, irl__tcolumn_kind kind, int64_t *set)
{
    *set = 0;
    if (irl__token_is(&p->token, "none")) {
        irl__next(p);
        return 1;
    }
    do {
        int64_t lanes = 0;
        if (kind == IRL__COLUMN_WIDTHS) {
            irl_loc at = irl__here(p);
            if (!irl__target_read_number(p, 16, &lanes)) return 0;
            if (lanes == 0)
                return irl__fail(p->cx, IRL_ERROR_BAD_TARGET, at, "a vector of 0 lanes");
            lanes--;
        } else {
            irl_loc  at = irl__here(p);
            irl_type type;
            if (!irl__parse_type(p, &type)) return 0;
            if (type.lanes != 1 || type.is_pointer)
                return irl__fail(p->cx, IRL_ERROR_BAD_TARGET, at,
                                 "a texel is made of numbers; found %s",
                                 irl__type_cstr(p->cx, type));
            lanes = type.scalar;
        }
        *set |= (int64_t)1 << lanes;
    } while (irl__accept(p, ','));
    return 1;
}

static int irl__target_read_value(irl__parser *p, const irl__tcolumn *column, int64_t *value)
{
    const int is_true = irl__token_is(&p->token, "true");
    switch (column->kind) {
    case IRL__COLUMN_WIDTHS:
    case IRL__COLUMN_TEXELS: return irl__target_read_set(p, column->kind, value);
    case IRL__COLUMN_FLAG:
        if (!is_true && !irl__token_is(&p->token, "false"))
            return irl__unexpected(p, "true or false");
        *value = is_true;
        irl__next(p);
        return 1;
    case IRL__COLUMN_BYTES:
        *value = INT64_MAX;
        if (!irl__token_is(&p->token, "any")) return irl__target_read_number(p, INT64_MAX, value);
        irl__next(p);
        return 1;
    default: return irl__target_read_number(p, INT32_MAX, value);
    }
}

static int irl__target_read_column(irl__parser *p, irl__target_reader *r)
{
    int64_t value;
    int     k = 0;
    if (irl__token_is(&p->token, "doc")) {
        if (r->doc.source)
            return IRL__FAIL_AT(p, IRL_ERROR_DUPLICATE_NAME, p->token.offset, "'doc' is stated "
                                "twice");
        r->doc = irl__here(p);
        irl__next(p);
        if (!irl__expect(p, '=', "'=' and a text")) return 0;
        if (p->token.kind != IRL__TOKEN_STRING) return irl__unexpected(p, "a text in quotes");
        r->target.doc = irl__token_string(p);
        irl__next(p);
        return r->target.doc && irl__expect(p, ';', "';'");
    }
    while (irl__tcolumn_at(k) && !irl__token_is(&p->token, irl__tcolumn_at(k)->name)) k++;
    const irl__tcolumn *column = irl__tcolumn_at(k);
    if (!column) {
        irl__text t;
        char      names[320];
        irl__text_init_fixed(&t, names, sizeof names);
        for (int j = 0; irl__tcolumn_at(j); j++)
            irl__textf(&t, j ? ", %s" : "%s", irl__tcolumn_at(j)->name);
        return irl__unexpected(p, names);
    }
    if (r->at[k].source)
        return IRL__FAIL_AT(p, IRL_ERROR_DUPLICATE_NAME, p->token.offset, "'%s' is stated twice",
                            column->name);
    irl__next(p);
    if (!irl__expect(p, '=', "'=' and a value")) return 0;
    r->at[k] = irl__here(p);
    if (!irl__target_read_value(p, column, &value)) return 0;
    irl__tcolumn_set(&r->target, column, value);
    return irl__expect(p, ';', column->kind == IRL__COLUMN_WIDTHS ||
                                       column->kind == IRL__COLUMN_TEXELS
                                   ? "',' or ';'"
                                   : "';'");
}

static int irl__target_read_base(irl__parser *p, irl__target_reader *r)
{
    const char       *name = p->token.kind == IRL__TOKEN_NAME ? p->token.symbol->text : NULL;
    const irl_target *base = name ? irl_target_find_in(p->cx, name) : NULL;
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the name of a target");
    if (!base) return irl__target_unknown(p->cx, irl__here(p), name) != NULL;
    name = r->target.name;
    r->target = *base;
    r->target.name = name;
    r->target.doc = NULL;
    irl__next(p);
    return 1;
}

static const irl_target *irl__target_read(irl__parser *p)
{
    irl__target_reader r;
    irl__token         name;
    memset(&r, 0, sizeof r);
    if (!irl__expect_word(p, IRL__WORD_TARGET, "target") ||
        !irl__expect_name(p, &name, "the name of the target"))
        return (const irl_target *)NULL;
    r.target.name = name.symbol->text;
    if ((irl__accept(p, ':') && !irl__target_read_base(p, &r)) ||
        !irl__expect(p, '{', "'{' and columns, or ':' and the name of a target"))
        return NULL;
    while (p->token.kind != '}')
        if (!irl__target_read_column(p, &r)) return NULL;
    irl__next(p);
    if (!irl__expect_end(p)) return NULL;
    return irl__target_keep(p->cx, &r.target, r.at, irl__loc_at(p, name.offset));
}

const irl_target *irl_target_parse(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    irl__parser p;
    if (!irl__parse_begin(&p, cx, text, length, file, 1, 0)) return NULL;
    const irl_target *target = irl__target_read(&p);
    return irl__parse_end(&p) ? target : NULL;
}
