/* parse_map.c - reading index maps.

   needs     parse_expr.c, map_data.c
   promises  (in, in) -> (out, | out), (out): bare separators and groups mean the same; "..." is on
             both sides or on none */
#include "parse.h"

int irl__map_fits(irl_ctx *cx, const irl_expr *output, irl_loc loc)
{
    const irl_expr *part = output ? irl__map_misfit(output) : NULL;
    if (!part) return output != NULL;
    return irl__fail(cx, IRL_ERROR_BAD_MAP, loc,
                     "a map computes with integers and bools alone; '%s' is of type %s",
                     irl_expr_text(cx, part), irl__type_cstr(cx, part->type));
}

typedef struct irl__map_reader {
    const irl_expr *inputs[IRL_MAX_RANK], *outputs[IRL_MAX_RANK];
    int             input_count, output_count, separator_count;
    int             separators[IRL_MAX_RANK + 1];
    int             dots_in, dots_out; /* where "..." stands; -1: nowhere */
    int             places;            /* outputs, "..." counted as one */
} irl__map_reader;

static int irl__map_dots(irl__parser *p, int *dots, int at)
{
    if (*dots >= 0)
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_MAP, p->token.offset, "'...' is twice on one side of "
                            "the map");
    *dots = at;
    irl__next(p);
    return 1;
}

static int irl__map_too_long(irl__parser *p)
{
    return IRL__FAIL_AT(p, IRL_ERROR_TOO_LARGE, p->token.offset, "a map has at most %d axes on a "
                        "side", IRL_MAX_RANK);
}

static int irl__parse_map_inputs(irl__parser *p, irl__map_reader *m)
{
    irl__token name;
    if (!irl__expect(p, '(', "'(' and the names of a map's axes: (i, j) -> (...)")) return 0;
    for (int k = 0; irl__another(p, ')', k, "',' and the next axis, or ')'"); k++) {
        if (p->token.kind == IRL__DOTS3) {
            if (!irl__map_dots(p, &m->dots_in, m->input_count)) return 0;
            continue;
        }
        if (m->input_count == IRL_MAX_RANK) return irl__map_too_long(p);
        if (!irl__expect_name(p, &name, "the name of an axis")) return 0;
        m->inputs[m->input_count] = irl__declare_var(p, &name, irl__type_index());
        if (!m->inputs[m->input_count++]) return 0;
    }
    return irl__ok(p->cx);
}

static int irl__map_separator(irl__parser *p, irl__map_reader *m, uint32_t offset)
{
    int last = m->separator_count ? m->separators[m->separator_count - 1] : 0;
    if (m->places == last)
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_SEPARATORS, offset, "this separator has no axis "
                            "before it");
    m->separators[m->separator_count++] = m->places; /* fewer than places, so there is room */
    return 1;
}

/* One group: outputs and bare separators between "(" and ")". */
static int irl__parse_map_group(irl__parser *p, irl__map_reader *m)
{
    if (!irl__expect(p, '(', "'(' and the outputs of the map")) return 0;
    for (int k = 0; irl__another(p, ')', k, "',' and the next output, or ')'"); k++) {
        if (p->token.kind == '|') {
            if (!irl__map_separator(p, m, p->token.offset)) return 0;
            irl__next(p);
            if (p->token.kind == ',' || p->token.kind == ')') continue;
        }
        if (p->token.kind == IRL__DOTS3) {
            if (!irl__map_dots(p, &m->dots_out, m->output_count)) return 0;
        } else {
            if (m->output_count == IRL_MAX_RANK) return irl__map_too_long(p);
            uint32_t offset = p->token.offset;
            m->outputs[m->output_count] = irl__parse_index(p);
            if (!irl__map_fits(p->cx, m->outputs[m->output_count++], irl__loc_at(p, offset)))
                return 0;
        }
        m->places++;
    }
    return irl__ok(p->cx);
}

static const irl_map *irl__map_finish(irl__parser *p, const irl__map_reader *m, uint32_t offset)
{
    irl_loc        loc = irl__loc_at(p, offset);
    const irl_map *made;
    if ((m->dots_in >= 0) != (m->dots_out >= 0)) {
        irl__fail(p->cx, IRL_ERROR_BAD_MAP, loc, "'...' must be on both sides of a map or on none");
        return NULL;
    }
    if (!irl__separators_valid(p->cx, m->places, m->separator_count, m->separators, loc))
        return NULL;
    made = irl__map_make(p->cx, m->input_count, m->inputs, m->output_count, m->outputs,
                         m->separator_count, m->separators, loc);
    if (!made || m->dots_in < 0) return made;
    irl_map *map = IRL__COPY(p->cx, irl_map, made, 1);
    if (!map) return NULL;
    map->variadic = 1;
    map->variadic_in = m->dots_in;
    map->variadic_out = m->dots_out;
    return map;
}

int irl__is_at_map(irl__parser *p)
{
    const irl__token first = p->token;
    if (first.kind != '(') return 0;
    while (p->token.kind != ')' && p->token.kind != IRL__TOKEN_END) irl__next(p);
    irl__next(p);
    const int is_map = p->token.kind == IRL__ARROW;
    irl__back_to(p, &first);
    return is_map;
}

const irl_map *irl__parse_map(irl__parser *p)
{
    irl__map_reader m;
    uint32_t        offset = p->token.offset;
    size_t          scope = irl__scope_open(p);
    memset(&m, 0, sizeof m);
    m.dots_in = m.dots_out = -1;
    int ok = irl__parse_map_inputs(p, &m) &&
             irl__expect(p, IRL__ARROW, "'->' between the two sides of a map") &&
             irl__parse_map_group(p, &m);
    while (ok && p->token.kind == ',' && irl__next_char(p) == '(') {
        irl__next(p);
        uint32_t separator = p->token.offset;
        ok = irl__map_separator(p, &m, separator) && irl__parse_map_group(p, &m);
    }
    irl__scope_close(p, scope);
    return ok ? irl__map_finish(p, &m, offset) : NULL;
}

/* ------------------------------------------------------------------ entries */

/* The length of an entry of IRL_LET: up to the next comma outside of parentheses. */
static size_t irl__parse_entry_length(const char *at)
{
    size_t n = 0;
    for (int depth = 0; at[n] && (depth > 0 || at[n] != ','); n++)
        depth += (at[n] == '(') - (at[n] == ')');
    while (n && strchr(" \t\r\n", at[n - 1])) n--;
    return n;
}

/* Their names, between commas, as IRL_LET found them in the program. */
int irl__parse_bind_constants(irl__parser *p, const irl_constants *constants)
{
    const char *at = constants->names ? constants->names : "";
    if (constants->count < 0 || constants->count > (int)IRL__COUNTOF(constants->value))
        return IRL__FAIL(p->cx, IRL_ERROR_BAD_ARGUMENT, "%d constants; the most is %d",
                         constants->count, (int)IRL__COUNTOF(constants->value));
    for (int k = 0; k < constants->count; k++) {
        at += strspn(at, " \t\r\n,");
        size_t length = irl__parse_entry_length(at), letters = 0;
        if (!length)
            return IRL__FAIL(p->cx, IRL_ERROR_BAD_ARGUMENT, "constant %d has no name", k);
        const char *name = irl__name(p->cx, at, length);
        while (letters < length && irl__in_identifier(at[letters])) letters++;
        if (letters < length || (*at >= '0' && *at <= '9'))
            return IRL__FAIL(p->cx, IRL_ERROR_BAD_ARGUMENT, "IRL_LET takes names: '%s' is not one; "
                             "name the value first, as in enum { N = %s }; and IRL_LET(N)", name,
                             name);
        irl__symbol *symbol = name ? irl__symbol_of(p, name) : NULL;
        at += length;
        irl__value v = irl__value_new(IRL__VALUE_INTEGER, 0);
        v.is_negative = constants->value[k] < 0;
        v.magnitude = v.is_negative ? 0 - (uint64_t)constants->value[k]
                                    : (uint64_t)constants->value[k];
        const irl__binding b = { IRL__DECLARED_CONSTANT, 0, NULL, NULL,
                                 IRL__COPY(p->cx, irl__value, &v, 1) };
        if (!symbol || !b.number || !irl__declare(p, symbol, b, 0)) return 0;
    }
    return 1;
}

/* Names that the text may use without declaring them. */
static int irl__parse_given(irl__parser *p, int count, const irl_expr *const *vars)
{
    if (!irl__is_list(p->cx, "variables", count, vars)) return 0;
    for (int k = 0; k < count; k++) {
        irl__symbol *symbol = vars[k] ? irl__symbol_of(p, vars[k]->u.name) : NULL;
        if (!symbol || !irl__declare_as_var(p, symbol, vars[k], 0)) return 0;
    }
    return 1;
}

/* The line of an IRL_LAYOUT, as its text means it or as C does. */
static const irl_map *irl__parse_line_as(irl_ctx *cx, const irl_source_text *layout,
                                           const irl_constants *constants, int as_c,
                                           int *has_unsigned)
{
    irl__parser    p;
    const irl_map *m = NULL;
    *has_unsigned = 0;
    if (!irl__parse_begin(&p, cx, layout->text, IRL_TO_NUL, layout->file, layout->line, 1))
        return NULL;
    p.in_layout = 1;
    p.as_c = as_c;
    if (!constants || irl__parse_bind_constants(&p, constants)) m = irl__parse_map(&p);
    *has_unsigned = p.c_unsigned;
    return irl__parse_end(&p) ? m : NULL;
}

/* The map with what C makes of the line beside it; the outputs of that are NULL where it is not
   known, in a line that is no C but by the user's own functions: u8(i). */
static const irl_map *irl__parse_line(irl_ctx *cx, const irl_source_text *layout,
                                        const irl_constants *constants)
{
    const irl_expr *outputs[IRL_MAX_RANK];
    irl__c_layout   c;
    if (!irl__parse_text_given(cx, layout ? layout->text : NULL)) return NULL;
    const irl_map *m = irl__parse_line_as(cx, layout, constants, 0, &c.has_unsigned);
    if (!m || !layout->index || m->variadic) return m;
    irl_mark       mark = irl_ctx_mark(cx);
    const irl_map *as_c = irl__parse_line_as(cx, layout, constants, 1, &c.has_unsigned);
    if (!as_c && cx->diag.code == IRL_ERROR_OUT_OF_MEMORY) return NULL;
    if (!as_c) irl_ctx_rewind(cx, mark);
    c.bytes = layout->index < 0 ? -layout->index : layout->index;
    c.is_unsigned = layout->index < 0;
    c.outputs = NULL;
    if (as_c && irl__map_substitute(cx, as_c, m->inputs, outputs))
        c.outputs = IRL__COPY(cx, const irl_expr *, outputs, m->output_count);
    irl_map *copy = IRL__COPY(cx, irl_map, m, 1);
    if (!irl__ok(cx) || !copy) return NULL;
    copy->c = IRL__COPY(cx, irl__c_layout, &c, 1);
    return copy->c ? copy : NULL;
}

const irl_map *irl_map_parse(irl_ctx *cx, const char *text)
{
    return irl_map_parse_over(cx, text, NULL, 0, NULL);
}

const irl_map *irl_map_parse_over(irl_ctx *cx, const char *text, const char *file, int count,
                                  const irl_expr *const *parameters)
{
    irl__parser    p;
    const irl_map *m = NULL;
    if (!irl__parse_begin(&p, cx, text, IRL_TO_NUL, file, 1, 0)) return NULL;
    cx->reads_map = irl__parse_given(&p, count, parameters);
    if (cx->reads_map) m = irl__parse_map(&p);
    if (!irl__parse_end(&p)) m = NULL;
    cx->reads_map = 0;
    return m;
}

const irl_map *irl_layout(irl_ctx *cx, const irl_source_text *layout)
{
    return irl__parse_line(cx, layout, NULL);
}

const irl_map *irl_layout_let(irl_ctx *cx, const irl_source_text *layout, irl_constants constants)
{
    return irl__parse_line(cx, layout, &constants);
}

const irl_expr *irl__parse_expr_over(irl__parser *p, int var_count, const irl_expr *const *vars)
{
    const irl_expr *e = irl__parse_given(p, var_count, vars) ? irl__parse_any(p) : NULL;
    return irl__parse_end(p) ? e : NULL;
}
