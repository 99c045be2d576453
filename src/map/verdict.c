/* verdict.c - irl_check: is a map right on a shape, and how is it known.

   needs     enumerate.c, the box of the images
   promises  exact or undecided */
#include "map.h"

static const char *const irl__verdict_names[] = { "undecided", "bijective", "injective", "lossy", "out-of-range" };

const char *irl_verdict_name(irl_verdict_kind kind)
{
    return (unsigned)kind < IRL__COUNTOF(irl__verdict_names) ? irl__verdict_names[kind] : "undecided";
}

/* The product of the extents; false if it leaves 64 bits. */
static int irl__verdict_volume(const irl_shape *s, int64_t *out)
{
    int k;
    *out = 1;
    for (k = 0; k < s->rank; k++)
        if (s->extent[k] == 0) return *out = 0, 1;
    for (k = 0; k < s->rank; k++)
        if (!irl__mul64(*out, s->extent[k], out)) return 0;
    return 1;
}

/* The point that goes furthest along one axis, as the witness of out-of-range. */
static int irl__verdict_outside(irl__check *c, int output, int sign)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__analyzer  *an = irl__map_analyzer(c->cx, c->map, &c->v.shape);
    int64_t         value;
    int             ok = an ? irl__output_extreme(c->cx, an, c->map, &c->v.shape, output, sign, &value, c->v.a.extent) : 0;
    irl__scratch_end(c->cx, mark);
    c->v.kind = IRL_OUT_OF_RANGE;
    c->v.a.rank = c->map->input_count;
    return ok > 0 && irl_map_apply(c->cx, c->map, c->v.a, &c->v.at);
}

/* Injective is known; what remains is whether the image fits and fills its box. */
static int irl__verdict_finish(irl__check *c)
{
    irl_verdict     *v = &c->v;
    const irl_shape *bound = c->how->bound;
    int64_t          cells, points;
    int              k;
    for (k = 0; k < v->minimum.rank; k++) {
        if (v->minimum.extent[k] < 0) return irl__verdict_outside(c, k, -1);
        if (bound && v->physical.extent[k] > bound->extent[k]) return irl__verdict_outside(c, k, 1);
    }
    if (!irl__verdict_volume(&v->shape, &points)) return v->reason = "overflow: the shape has more points than 63 bits count", -1;
    if (!irl__verdict_volume(&v->physical, &cells)) return v->reason = "overflow: the physical box has more cells than 63 bits count", -1;
    v->pad_cells = cells - points;
    v->kind = v->pad_cells ? IRL_INJECTIVE : IRL_BIJECTIVE;
    return 1;
}

/* A left inverse proves the map injective. */
static int irl__check_by_inverse(irl__check *c)
{
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__inverse    inverse;
    int             ok = irl__inverse_find(c->cx, c->map, &c->v, &inverse);
    if (ok > 0) ok = irl__verdict_finish(c);
    else if (ok < 0 && c->v.kind == IRL_LOSSY) ok = 1;
    if (ok > 0 && (c->v.kind == IRL_BIJECTIVE || c->v.kind == IRL_INJECTIVE)) {
        c->v.inverse = inverse.map;
        c->v.padding = irl__inverse_padding(c->cx, c->map, &c->v, &inverse);
        ok = c->v.padding != NULL;
    }
    irl__scratch_end(c->cx, mark);
    return ok;
}

/* The methods in order of their cost. */
static int irl__check_run(irl__check *c)
{
    int output = 0, ok = irl__map_box(c->cx, c->map, &c->v.shape, &c->v.physical, &c->v.minimum, &output);
    if (ok < 0) c->v.reason = "the range of an output is not known exactly, and its points are too many to look at";
    if (ok <= 0) return ok;
    c->v.box_known = 1;
    ok = irl__check_by_inverse(c);
    if (ok >= 0 || c->v.reason[0]) return ok;
    ok = irl__check_by_witness(c);
    if (ok >= 0) return ok;
    ok = irl__check_by_enumeration(c);
    if (ok > 0 && c->v.kind == IRL_INJECTIVE) ok = irl__verdict_finish(c);
    if (ok > 0 && (c->v.kind == IRL_BIJECTIVE || c->v.kind == IRL_INJECTIVE)) ok = irl__table_inverse(c) != 0;
    return ok;
}

irl_verdict irl_check_with(irl_ctx *cx, const irl_map *map, irl_shape shape, const irl_checking *how)
{
    static const irl_checking usual = { NULL, 0, NULL, NULL };
    irl__check                c;
    int                       ok = 0;
    memset(&c, 0, sizeof c);
    c.cx = cx;
    c.how = how ? how : &usual;
    c.v.shape = shape;
    c.v.method = c.v.reason = "";
    c.map = irl__map_for_shape(cx, map, &shape);
    if (c.map && c.how->bound && c.how->bound->rank != c.map->output_count)
        (void)irl__fail(cx, IRL_ERROR_RANK_MISMATCH, c.map->loc, "the bound has %d axes and the map goes to %d", c.how->bound->rank, c.map->output_count);
    else if (c.map) ok = irl__check_run(&c);
    c.v.memory = c.v.physical;
    if (c.map && c.v.box_known) irl__memory_box(c.map, &c.v.memory);
    if (ok == 0) c.v.reason = "see the diagnostic";
    if (ok <= 0) {
        c.v.kind = IRL_UNDECIDED;
        c.v.method = "";
    } else c.v.reason = "";
    return c.v;
}

irl_verdict irl_check(irl_ctx *cx, const irl_map *map, irl_shape shape) { return irl_check_with(cx, map, shape, NULL); }

const irl_map *irl_map_inverse(irl_ctx *cx, const irl_map *map, irl_shape shape, const irl_expr **padding)
{
    static const irl_code codes[] = { IRL_ERROR_UNDECIDED, IRL_OK, IRL_OK, IRL_ERROR_LOSSY_MAP, IRL_ERROR_MAP_OUT_OF_RANGE };
    irl_verdict v = irl_check(cx, map, shape);
    if (padding) *padding = v.padding;
    if (!cx || !map || !irl__ok(cx) || v.inverse) return v.inverse;
    if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE)
        irl__fail(cx, IRL_ERROR_UNDECIDED, map->loc, "the map is %s, but its inverse is too large for an expression", irl_verdict_name(v.kind));
    else irl__fail(cx, codes[v.kind], map->loc, "the map has no inverse: it is %s", irl_verdict_text(cx, &v));
    return NULL;
}

/* ------------------------------------------------------------------ text */

static void irl__text_shape(irl__text *t, const irl_shape *s, char open, char close)
{
    int k;
    irl__text_putc(t, open);
    for (k = 0; k < s->rank; k++) irl__textf(t, k ? ", %l" : "%l", s->extent[k]);
    irl__text_putc(t, close);
}

static int irl__verdict_has_more_memory(const irl_verdict *v)
{
    int k;
    for (k = 0; k < v->physical.rank; k++)
        if (v->memory.extent[k] != v->physical.extent[k]) return 1;
    return 0;
}

const char *irl_verdict_text(irl_ctx *cx, const irl_verdict *v)
{
    irl__text   t;
    const char *text;
    if (!cx || !v) return "";
    irl__text_init(&t, cx);
    irl__text_puts(&t, irl_verdict_name(v->kind));
    switch (v->kind) {
    case IRL_BIJECTIVE: case IRL_INJECTIVE:
        irl__text_puts(&t, v->kind == IRL_BIJECTIVE ? " onto " : " into ");
        irl__text_shape(&t, &v->physical, '[', ']');
        if (v->pad_cells) irl__textf(&t, ", %l %s unused", v->pad_cells, v->pad_cells == 1 ? "cell is" : "cells are");
        if (irl__verdict_has_more_memory(v)) {
            irl__text_puts(&t, ", in memory ");
            irl__text_shape(&t, &v->memory, '[', ']');
        }
        break;
    case IRL_LOSSY:
        irl__text_puts(&t, ": ");
        irl__text_shape(&t, &v->a, '(', ')');
        irl__text_puts(&t, " and ");
        irl__text_shape(&t, &v->b, '(', ')');
        irl__text_puts(&t, " share ");
        irl__text_shape(&t, &v->at, '[', ']');
        break;
    case IRL_OUT_OF_RANGE:
        irl__text_puts(&t, ": ");
        irl__text_shape(&t, &v->a, '(', ')');
        irl__text_puts(&t, " goes to ");
        irl__text_shape(&t, &v->at, '[', ']');
        break;
    default:
        irl__textf(&t, ": %s", v->reason ? v->reason : "");
        break;
    }
    text = irl__text_done(&t);
    return text ? text : "";
}
