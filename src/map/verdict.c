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

/* The first point with a negative index: every such map has one near the minimum of that axis. */
static int irl__verdict_negative(irl_ctx *cx, const irl_map *map, irl_verdict *v)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__program    p;
    irl__walk       w;
    int             n, i, k, found = 0, ok;
    memset(&p, 0, sizeof p);
    p.cx = cx;
    ok = irl__program_make(&p, NULL, map->input_count, map->inputs, map->output_count, map->outputs);
    if (ok && !irl__walk_begin(&w, v->shape.rank, v->shape.extent, INT64_MAX)) w.total = INT64_MAX;
    while (ok && !found && (n = irl__walk_next(&w, &p)) > 0) {
        if (!irl__program_run(&p, n)) ok = irl__program_fail(&p, map->loc);
        for (i = 0; ok && i < n && !found; i++)
            for (k = 0; k < map->output_count && !found; k++) {
                if (irl__program_output(&p, k)[i] >= 0) continue;
                found = 1;
                v->a.rank = map->input_count;
                v->at.rank = map->output_count;
                for (k = 0; k < map->input_count; k++) v->a.extent[k] = irl__program_input(&p, k)[i];
                for (k = 0; k < map->output_count; k++) v->at.extent[k] = irl__program_output(&p, k)[i];
            }
    }
    irl__scratch_end(cx, mark);
    return ok && found;
}

/* Injective is known; what remains is whether the image fits and fills its box. */
static int irl__verdict_finish(irl_ctx *cx, const irl_map *map, irl_verdict *v)
{
    int64_t cells, points;
    int     k;
    for (k = 0; k < v->minimum.rank; k++)
        if (v->minimum.extent[k] < 0) {
            v->kind = IRL_OUT_OF_RANGE;
            return irl__verdict_negative(cx, map, v);
        }
    if (!irl__verdict_volume(&v->shape, &points)) return irl__fail(cx, IRL_ERROR_OVERFLOW, map->loc, "the shape has more points than 63 bits count");
    if (!irl__verdict_volume(&v->physical, &cells)) return irl__fail(cx, IRL_ERROR_OVERFLOW, map->loc, "the physical box has more cells than 63 bits count");
    v->pad_cells = cells - points;
    v->kind = v->pad_cells ? IRL_INJECTIVE : IRL_BIJECTIVE;
    return 1;
}

static irl_verdict irl__verdict_undecided(irl_verdict v, const char *reason)
{
    v.kind = IRL_UNDECIDED;
    v.method = "";
    v.reason = reason;
    return v;
}

/* A left inverse proves the map injective. 1: decided; 0: failed; -1: not found. */
static int irl__check_by_inverse(irl_ctx *cx, const irl_map *map, irl_verdict *v)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__inverse    inverse;
    int             ok = irl__inverse_find(cx, map, v, &inverse);
    if (ok > 0) {
        v->method = "digits";
        ok = irl__verdict_finish(cx, map, v);
    }
    if (ok > 0 && v->kind != IRL_OUT_OF_RANGE) {
        v->inverse = inverse.map;
        v->padding = irl__inverse_padding(cx, map, v, &inverse);
        ok = v->padding != NULL;
    }
    irl__scratch_end(cx, mark);
    return ok;
}

irl_verdict irl_check(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    irl_verdict v;
    int         ok, output = 0;
    memset(&v, 0, sizeof v);
    v.method = "";
    v.reason = "";
    v.shape = shape;
    map = irl__map_for_shape(cx, map, &shape);
    if (!map) return irl__verdict_undecided(v, "see the diagnostic");
    ok = irl__map_box(cx, map, &shape, &v.physical, &v.minimum, &output);
    if (ok < 0) return irl__verdict_undecided(v, "the range of an output is not known exactly, and its points are too many to look at");
    if (ok > 0) ok = irl__check_by_inverse(cx, map, &v);
    if (ok < 0) {
        ok = irl__check_by_enumeration(cx, map, &v);
        if (ok < 0) return irl__verdict_undecided(v, v.reason);
        if (ok > 0 && v.kind != IRL_LOSSY) ok = irl__verdict_finish(cx, map, &v);
    }
    return ok > 0 ? v : irl__verdict_undecided(v, "see the diagnostic");
}

/* ------------------------------------------------------------------ text */

static void irl__text_shape(irl__text *t, const irl_shape *s, char open, char close)
{
    int k;
    irl__text_putc(t, open);
    for (k = 0; k < s->rank; k++) irl__textf(t, k ? ", %l" : "%l", s->extent[k]);
    irl__text_putc(t, close);
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
