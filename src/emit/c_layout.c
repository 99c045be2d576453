/* c_layout.c - a layout as C: where a point lies, which point lies there, packing and unpacking.

   needs     map (verdict, memory, inverse); c_language.c, for which an index is of one type here
   promises  every index and everything computed on the way to it is proved to fit the index type;
             C's own / and % stand where the dividend is proved not negative, and a function that
             floors elsewhere. What is not proved to fit is refused, with a point where there is
             one. A map that is lossy has no way back, and is not packed
   cost      a verdict, and linear in the map */
#include "c.h"
#include "../map/map.h"

typedef struct irl__c_layout_state {
    irl_ctx           *cx;
    irl_c_layout       how;
    const char        *name, *index, *element;
    irl_type           type;     /* of indices */
    const irl_map     *map, *inverse;
    const irl_expr    *padding;  /* of the inverse; NULL: none */
    irl_shape          shape, memory;
    int64_t            points, cells;
    irl_verdict        verdict;
    irl__emit         *e;
    irl__emit_language language;
    irl__c_index       indices;
    const char        *results[IRL_MAX_RANK]; /* of NAME_point, their names */
} irl__c_layout_state;

/* ------------------------------------------------------------------ does it fit */

static int irl__c_layout_no(const irl__c_layout_state *s, const char *what, int64_t value)
{
    return irl__fail(s->cx, IRL_ERROR_INDEX_WIDTH, s->map->loc,
                     "%s is %l, and %s holds %l to %l", what, value, s->index, s->indices.least,
                     s->indices.most);
}

/* A point at which e is not what the type holds: one of the first million. 0: none is found. */
static int irl__c_layout_witness(irl__c_layout_state *s, const irl_expr *e,
                                 const irl_expr *const *inputs, const irl_shape *shape)
{
    int64_t   at[IRL_MAX_RANK] = { 0 }, value;
    irl__text t;
    int       k, n;
    for (n = 0; n < 1 << 20; n++) {
        if (irl__value_at(e, shape->rank, inputs, at, &value) == IRL__EVAL_OK &&
            !irl__c_index_holds(&s->indices, value)) {
            irl__text_init(&t, s->cx);
            irl__textf(&t, "%s at (", irl_expr_text(s->cx, e));
            for (k = 0; k < shape->rank; k++) irl__textf(&t, k ? ", %l" : "%l", at[k]);
            irl__text_putc(&t, ')');
            irl__c_layout_no(s, irl__text_done(&t), value);
            return 1;
        }
        for (k = shape->rank - 1; k >= 0 && ++at[k] == shape->extent[k]; k--) at[k] = 0;
        if (k < 0) return 0;
    }
    return 0;
}

/* e and all that is computed on the way to it. */
static int irl__c_layout_fits(irl__c_layout_state *s, const irl_expr *e,
                              const irl_expr *const *inputs, const irl_shape *shape)
{
    irl__interval r;
    uint32_t      k;
    for (k = 0; k < e->count; k++)
        if (!irl__c_layout_fits(s, e->a[k], inputs, shape)) return 0;
    if (!irl__type_is_index(e->type)) return 1;
    if (e->op == IRL_OP_INT && !irl__c_index_holds(&s->indices, e->u.i))
        return irl__fail(s->cx, IRL_ERROR_INDEX_WIDTH, s->map->loc,
                         "the constant %l does not fit %s, which holds %l to %l", e->u.i, s->index,
                         s->indices.least, s->indices.most);
    r = irl__range_of(s->e->ranges, e);
    if (irl__c_index_holds(&s->indices, r.lo) && irl__c_index_holds(&s->indices, r.hi)) return 1;
    if (irl__c_layout_witness(s, e, inputs, shape)) return 0;
    return irl__fail(s->cx, IRL_ERROR_INDEX_WIDTH, s->map->loc,
                     "%s is not proved to be what %s holds, %l to %l: it is from %l to %l",
                     irl_expr_text(s->cx, e), s->index, s->indices.least, s->indices.most, r.lo,
                     r.hi);
}

/* ------------------------------------------------------------------ expressions */

/* Row by row, in memory of one dimension. */
static const irl_expr *irl__c_layout_flat(irl__c_layout_state *s)
{
    const irl_expr *at = irl_idx(s->cx, 0);
    int             k;
    for (k = 0; at && k < s->memory.rank; k++)
        at = irl__add(s->cx, irl__mul(s->cx, at, irl_idx(s->cx, s->memory.extent[k])),
                      s->map->outputs[k]);
    return at ? irl__simplify(s->e->ranges, at) : NULL;
}

static void irl__c_layout_expr(irl__c_layout_state *s, const irl_expr *e)
{
    irl__width width = irl__emit_width(s->e, e, NULL);
    int        narrow = irl__type_info(s->type)->bits < 32;
    if (narrow && e->count) irl__textf(&s->e->text, "(%s)", s->index);
    irl__emit_index(s->e, e, width, narrow && e->count ? IRL__PREC_UNARY : IRL__PREC_CHOICE);
}

/* Brings variables into scope as parameters, "uint16_t y, uint16_t x"; `pointers`: of results. */
static int irl__c_layout_bind(irl__c_layout_state *s, const irl_expr *const *inputs,
                              const irl_shape *shape)
{
    int k;
    for (k = 0; k < shape->rank; k++) {
        const char       *name = irl__emit_take_name(s->e, inputs[k]->u.name);
        irl__emit_symbol *symbol = name ? irl__emit_bind(s->e, inputs[k], name) : NULL;
        int64_t           last = shape->extent[k] > 0 ? shape->extent[k] - 1 : 0;
        if (!symbol || !irl__bind_range(s->e->ranges, inputs[k], 0, last)) return 0;
        symbol->width = irl__emit_width(s->e, inputs[k], NULL);
    }
    return 1;
}

static void irl__c_layout_names(irl__c_layout_state *s, const char *before)
{
    int k;
    for (k = 0; k < s->shape.rank; k++) {
        const irl__emit_symbol *symbol = irl__emit_find(s->e, s->map->inputs[k]);
        irl__textf(&s->e->text, "%s%s%s", k ? ", " : "", before, symbol ? symbol->name : "");
    }
}

/* ------------------------------------------------------------------ functions */

/* The body of a function that is one expression; parameters that it does not use are cast. */
static void irl__c_layout_return(irl__c_layout_state *s, const irl_expr *at)
{
    irl__text head = s->e->text, body;
    int       k;
    irl__text_init(&s->e->text, s->cx);
    irl__text_puts(&s->e->text, "    return ");
    irl__c_layout_expr(s, at);
    irl__text_puts(&s->e->text, ";\n}\n\n");
    body = s->e->text;
    s->e->text = head;
    for (k = 0; k < s->shape.rank; k++) {
        const irl__emit_symbol *symbol = irl__emit_find(s->e, s->map->inputs[k]);
        if (!irl__emit_mentions(body.data, body.length, symbol->name))
            irl__textf(&s->e->text, "    (void)%s;\n", symbol->name);
    }
    irl__text_append(&s->e->text, body.data, body.length);
}

static int irl__c_layout_place(irl__c_layout_state *s)
{
    irl__emit_scope scope = irl__emit_scope_begin(s->e);
    const irl_expr *at = NULL;
    char            before[48];
    irl__text       t;
    int             ok = irl__c_layout_bind(s, s->map->inputs, &s->shape);
    irl__text_init_fixed(&t, before, sizeof before);
    irl__textf(&t, "%s ", s->index);
    at = ok ? irl__c_layout_flat(s) : NULL;
    ok = at && irl__c_layout_fits(s, at, s->map->inputs, &s->shape);
    if (ok) {
        irl__textf(&s->e->text,
                   "/* the element in which a point lies */\nstatic inline %s %s_place(", s->index,
                   s->name);
        irl__c_layout_names(s, before);
        irl__text_puts(&s->e->text, s->shape.rank ? ")\n{\n" : "void)\n{\n");
        irl__c_layout_return(s, at);
    }
    irl__emit_scope_end(s->e, scope);
    return ok && irl__ok(s->cx);
}

/* What the inverse and its padding are of a place: an axis of memory is a quotient and a
   remainder. */
static const irl_expr *irl__c_layout_of_place(irl__c_layout_state *s, const irl_expr *e,
                                              const irl_expr *place)
{
    const irl_expr *axes[IRL_MAX_RANK], *axis;
    int64_t         step = 1;
    int             k;
    for (k = s->memory.rank - 1; k >= 0; k--) {
        axis = step == 1 ? place : irl__floordiv(s->cx, place, irl_idx(s->cx, step));
        if (k) axis = irl__floormod(s->cx, axis, irl_idx(s->cx, s->memory.extent[k]));
        axes[k] = axis;
        step *= s->memory.extent[k];
        if (!axis) return NULL;
    }
    e = irl__substitute(s->cx, e, s->memory.rank, s->inverse->inputs, axes);
    return e ? irl__simplify(s->e->ranges, e) : NULL;
}

static int irl__c_layout_point_text(irl__c_layout_state *s, const irl_expr *place,
                                    const irl_shape *one)
{
    const irl_expr *e;
    irl__width      outer = s->e->width;
    int             k;
    if (s->padding) {
        e = irl__c_layout_of_place(s, s->padding, place);
        if (!e || !irl__c_layout_fits(s, e, &place, one)) return 0;
        irl__text_puts(&s->e->text, "    if (");
        irl__emit_expr(s->e, e, IRL__PREC_ANY);
        irl__text_puts(&s->e->text, ") return 0;\n");
    }
    for (k = 0; k < s->shape.rank; k++) {
        s->results[k] = irl__emit_take_name(s->e, s->map->inputs[k]->u.name);
        e = irl__c_layout_of_place(s, s->inverse->outputs[k], place);
        if (!s->results[k] || !e || !irl__c_layout_fits(s, e, &place, one)) return 0;
        irl__textf(&s->e->text, "    *%s = ", s->results[k]);
        irl__c_layout_expr(s, e);
        irl__text_puts(&s->e->text, ";\n");
    }
    s->e->width = outer;
    return irl__ok(s->cx);
}

static int irl__c_layout_point(irl__c_layout_state *s)
{
    irl__emit_scope scope = irl__emit_scope_begin(s->e);
    irl_shape       one;
    const irl_expr *place = irl_var(s->cx, "place", irl__type_index());
    irl__text       head = s->e->text, body;
    int             k, ok;
    memset(&one, 0, sizeof one);
    one.rank = 1;
    one.extent[0] = s->cells;
    irl__text_init(&s->e->text, s->cx);
    ok = place && irl__c_layout_bind(s, &place, &one) && irl__c_layout_point_text(s, place, &one);
    body = s->e->text;
    s->e->text = head;
    if (ok) {
        irl__textf(&s->e->text,
                   s->padding ? "/* the point that lies in an element: 1; 0: none does, it is "
                                "padding */\nstatic inline int %s_point(%s place"
                              : "/* the point that lies in an element */\n"
                                "static inline void %s_point(%s place",
                   s->name, s->index);
        for (k = 0; k < s->shape.rank; k++)
            irl__textf(&s->e->text, ", %s *%s", s->index, s->results[k]);
        irl__text_puts(&s->e->text, ")\n{\n");
        if (!irl__emit_mentions(body.data ? body.data : "", body.length, "place"))
            irl__text_puts(&s->e->text, "    (void)place;\n");
        irl__text_append(&s->e->text, body.data ? body.data : "", body.length);
        irl__text_puts(&s->e->text, s->padding ? "    return 1;\n}\n\n" : "}\n\n");
    }
    irl__emit_scope_end(s->e, scope);
    return ok && irl__ok(s->cx);
}

/* Loops over the points in order. */
static void irl__c_layout_move(irl__c_layout_state *s, const char *name, const char *what,
                               const char *statement, const char *end)
{
    irl__emit_scope scope = irl__emit_scope_begin(s->e);
    int             k, j;
    irl__textf(&s->e->text, "/* %s */\nstatic inline void %s_%s(const %s *from, %s *to)\n{\n", what,
               s->name, name, s->element, s->element);
    if (irl__c_layout_bind(s, s->map->inputs, &s->shape)) {
        for (k = 0; k < s->shape.rank; k++) {
            const irl__emit_symbol *symbol = irl__emit_find(s->e, s->map->inputs[k]);
            for (j = 0; j <= k; j++) irl__text_puts(&s->e->text, "    ");
            irl__textf(&s->e->text, "for (%s %s = 0; %s < %l; %s++)\n", s->index, symbol->name,
                       symbol->name, s->shape.extent[k], symbol->name);
        }
        for (j = 0; j <= s->shape.rank; j++) irl__text_puts(&s->e->text, "    ");
        irl__textf(&s->e->text, "%s%s_place(", statement, s->name);
        irl__c_layout_names(s, "");
        irl__textf(&s->e->text, ")%s;\n}\n\n", end);
    }
    irl__emit_scope_end(s->e, scope);
}

/* ------------------------------------------------------------------ the whole */

static const char *irl__c_layout_top(irl__c_layout_state *s)
{
    irl__text t;
    ptrdiff_t k;
    irl__text_init(&t, s->cx);
    irl__textf(&t, "/* %s: ", s->name);
    irl__emit_comment(&t, irl_map_text(s->cx, s->map));
    irl__text_puts(&t, " on ");
    irl__text_putc(&t, '[');
    for (k = 0; k < s->shape.rank; k++) irl__textf(&t, k ? ", %l" : "%l", s->shape.extent[k]);
    irl__text_puts(&t, "]\n   ");
    irl__emit_comment(&t, irl_verdict_text(s->cx, &s->verdict));
    irl__text_puts(&t, "\n   C99, emitted by irlayout " IRL_VERSION_STRING
                       "; needs nothing of it */\n");
    irl__textf(&t, "#ifndef %s_layout_h\n#define %s_layout_h\n#include <stdint.h>\n\n", s->name,
               s->name);
    irl__textf(&t, "#define %s_points %l /* elements of an array of all points */\n", s->name,
               s->points);
    irl__textf(&t, "#define %s_cells %l /* elements of memory */\n\n", s->name, s->cells);
    irl__textf(&t,
               "/* an array of -1 elements: the machine's types are not what was reckoned with */\n"
               "typedef char %s_index_fits[(%s)%l == %l && sizeof(%s) == %d ? 1 : -1];\n\n",
               s->name, s->index, s->cells ? s->cells - 1 : 0, s->cells ? s->cells - 1 : 0,
               s->element, irl__type_info(irl__emit_held(s->how.type))->bytes);
    for (k = 0; k < stbds_arrlen(s->e->helpers); k++)
        irl__emit_helper_text(s->e, &t, s->e->helpers[k]);
    irl__text_append(&t, s->e->text.data ? s->e->text.data : "", s->e->text.length);
    irl__text_puts(&t, "#endif\n");
    return irl__text_done(&t);
}

static void irl__c_layout_language(irl__c_layout_state *s, irl_scalar index, irl__emit_unit *unit)
{
    s->language = *irl__c_language();
    irl__c_index_begin(&s->indices, &s->language, index);
    s->type = s->indices.type;
    s->index = s->indices.name;
    memset(unit, 0, sizeof *unit);
    unit->cx = s->cx;
    unit->language = &s->language;
    unit->target = irl_target_find("c99");
}

static int irl__c_layout_sizes(irl__c_layout_state *s)
{
    int k;
    s->points = s->cells = 1;
    for (k = 0; k < s->shape.rank; k++) {
        if (!irl__mul64(s->points, s->shape.extent[k], &s->points)) break;
        if (!irl__c_index_holds(&s->indices, s->shape.extent[k]))
            return irl__c_layout_no(s, "an extent", s->shape.extent[k]);
    }
    if (k < s->shape.rank)
        return irl__fail(s->cx, IRL_ERROR_OVERFLOW, s->map->loc, "the points are too many");
    for (k = 0; k < s->memory.rank; k++)
        if (!irl__mul64(s->cells, s->memory.extent[k], &s->cells))
            return irl__fail(s->cx, IRL_ERROR_OVERFLOW, s->map->loc, "the memory is too large");
    return 1;
}

static const char *irl__c_layout_text(irl__c_layout_state *s)
{
    if (!irl__c_layout_sizes(s)) return NULL;
    if (!irl__emit_take_name(s->e, s->name) || !irl__emit_take_name(s->e, "from") ||
        !irl__emit_take_name(s->e, "to") || !irl__c_layout_place(s))
        return NULL;
    if (s->inverse && s->cells) {
        if (!irl__c_layout_point(s)) return NULL;
        irl__c_layout_move(s, "pack",
                           s->padding ? "an array of points into memory; padding keeps what it held"
                                      : "an array of points into memory",
                           "to[", "] = *from++");
        irl__c_layout_move(s, "unpack", "memory into an array of points", "*to++ = from[", "]");
    }
    return irl__ok(s->cx) ? irl__c_layout_top(s) : NULL;
}

static const char *irl__c_layout_in(irl__c_layout_state *s, irl_scalar index)
{
    irl__arena_mark mark = irl__scratch_begin(s->cx);
    irl__emit_unit  unit;
    irl__c_program  program;
    irl__emit       e;
    irl__text       prefix;
    const char     *source = NULL;
    irl__c_layout_language(s, index, &unit);
    memset(&program, 0, sizeof program);
    unit.user = &program;
    irl__text_init(&prefix, s->cx);
    irl__textf(&prefix, "irl_%s", s->name);
    s->e = &e;
    if (irl__emit_begin(&e, &unit, irl__text_done(&prefix))) source = irl__c_layout_text(s);
    irl__scratch_end(s->cx, mark);
    return irl__ok(s->cx) ? source : NULL;
}

/* Letters, digits and underscores, and nothing that C has taken. */
static int irl__c_layout_name_ok(irl_ctx *cx, const char *name)
{
    size_t k;
    int    ok = name[0] && !(name[0] >= '0' && name[0] <= '9') && name[0] != '_' &&
             !irl__c_language()->reserved(name, strlen(name));
    for (k = 0; name[k]; k++) ok = ok && irl__emit_in_name(name[k]);
    return ok || irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                           "a layout's name in C must be an identifier that C has not taken; found "
                           "'%s'",
                           name);
}

const char *irl_c_layout_source(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                const irl_c_layout *how)
{
    static const irl_scalar   tried[] = { IRL_U32, IRL_I32, IRL_I64 };
    irl__c_layout_state       s;
    irl_mark                  mark;
    const char               *source;
    size_t                    k;
    if (!cx || !irl__ok(cx) || !map) return NULL;
    memset(&s, 0, sizeof s);
    s.cx = cx;
    if (how) s.how = *how;
    if (s.how.type.lanes == 0) s.how.type = irl_type_of(IRL_F32, 1);
    s.name = s.how.name ? s.how.name : "layout";
    s.shape = shape;
    s.map = irl_map_of_rank(cx, map, shape.rank);
    if (!s.map || !irl__c_layout_name_ok(cx, s.name)) return NULL;
    s.element = irl__c_language()->types[irl__emit_held(s.how.type).scalar];
    if (s.how.type.lanes != 1 || irl__type_is_index(s.how.type)) {
        irl__fail(cx, IRL_ERROR_UNSUPPORTED, map->loc, "elements of type %s have no type in C",
                  irl__type_cstr(cx, s.how.type));
        return NULL;
    }
    if (!irl_map_memory(cx, s.map, shape, &s.memory)) return NULL;
    s.verdict = irl_check(cx, s.map, shape);
    if (!irl__ok(cx)) return NULL;
    if (s.verdict.kind == IRL_OUT_OF_RANGE) {
        irl__fail(cx, IRL_ERROR_MAP_OUT_OF_RANGE, map->loc, "the layout is %s",
                  irl_verdict_text(cx, &s.verdict));
        return NULL;
    }
    mark = irl_mark_now(cx);
    if (s.verdict.kind == IRL_BIJECTIVE || s.verdict.kind == IRL_INJECTIVE) {
        s.inverse = irl_map_inverse(cx, s.map, shape, &s.padding);
        if (!s.inverse) irl_rewind(cx, mark); /* no formula is known: no way back is printed */
        if (s.padding && irl__is_int(s.padding, 0)) s.padding = NULL;
    }
    if (s.how.index != IRL_BOOL) return irl__c_layout_in(&s, s.how.index);
    for (k = 0; k < IRL__COUNTOF(tried); k++) {
        mark = irl_mark_now(cx);
        source = irl__c_layout_in(&s, tried[k]);
        if (source || k + 1 == IRL__COUNTOF(tried) ||
            (irl_diagnostic(cx) && irl_diagnostic(cx)->code != IRL_ERROR_INDEX_WIDTH))
            return source;
        irl_rewind(cx, mark);
    }
    return NULL;
}
