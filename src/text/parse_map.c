/* parse_map.c - reading index maps.

   needs     parse_expr.c, map_data.c
   promises  (in, in) -> (out, | out), (out): bare separators and groups mean the same; "..." stands
             on both sides or none */
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
        return irl__fail(p->cx, IRL_ERROR_BAD_MAP, irl__here(p),
                         "'...' is twice on one side of the map");
    *dots = at;
    irl__next(p);
    return 1;
}

static int irl__map_too_long(irl__parser *p)
{
    return irl__fail(p->cx, IRL_ERROR_TOO_LARGE, irl__here(p),
                     "a map has at most %d axes on a side", IRL_MAX_RANK);
}

static int irl__parse_map_inputs(irl__parser *p, irl__map_reader *m)
{
    irl__token name;
    int        first = 1;
    if (!irl__expect(p, '(', "'(' and the names of a map's axes: (i, j) -> (...)")) return 0;
    for (; p->token.kind != ')'; first = 0) {
        if (!first && !irl__expect(p, ',', "',' and the next axis, or ')'")) return 0;
        if (p->token.kind == IRL__DOTS3) {
            if (!irl__map_dots(p, &m->dots_in, m->input_count)) return 0;
            continue;
        }
        if (m->input_count == IRL_MAX_RANK) return irl__map_too_long(p);
        if (!irl__expect_name(p, &name, "the name of an axis")) return 0;
        m->inputs[m->input_count] = irl__declare_var(p, &name, irl__type_index());
        if (!m->inputs[m->input_count++]) return 0;
    }
    irl__next(p);
    return irl__ok(p->cx);
}

static int irl__map_separator(irl__parser *p, irl__map_reader *m, uint32_t offset)
{
    int last = m->separator_count ? m->separators[m->separator_count - 1] : 0;
    if (m->places == last)
        return irl__fail(p->cx, IRL_ERROR_BAD_SEPARATORS, irl__loc_at(p, offset),
                         "this separator has no axis before it");
    m->separators[m->separator_count++] = m->places; /* fewer than places, so there is room */
    return 1;
}

/* One group: outputs and bare separators between "(" and ")". */
static int irl__parse_map_group(irl__parser *p, irl__map_reader *m)
{
    int first = 1;
    if (!irl__expect(p, '(', "'(' and the outputs of the map")) return 0;
    for (; p->token.kind != ')'; first = 0) {
        if (!first && !irl__expect(p, ',', "',' and the next output, or ')'")) return 0;
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
    irl__next(p);
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
    irl_map *map = (irl_map *)irl__copy(p->cx, made, 1, sizeof *made);
    if (!map) return NULL;
    map->variadic = 1;
    map->variadic_in = m->dots_in;
    map->variadic_out = m->dots_out;
    return map;
}

int irl__is_at_map(const irl__parser *p)
{
    irl__parser ahead = *p;
    if (p->token.kind != '(') return 0;
    while (ahead.token.kind != ')' && ahead.token.kind != IRL__TOKEN_END) irl__next(&ahead);
    irl__next(&ahead);
    return ahead.token.kind == IRL__ARROW;
}

const irl_map *irl__parse_map(irl__parser *p)
{
    irl__map_reader m;
    uint32_t        offset = p->token.offset;
    size_t          scope = irl__scope_open(p);
    int             ok;
    memset(&m, 0, sizeof m);
    m.dots_in = m.dots_out = -1;
    ok = irl__parse_map_inputs(p, &m) &&
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
