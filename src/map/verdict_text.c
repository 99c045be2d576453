/* verdict_text.c - verdicts for people and for machines, on numbers and on symbolic shapes.

   needs     the printer of maps and expressions, json.c
   promises  one line each; the JSON has the same fields always, null where one does not apply. With
             names it also states for which values, and when no cell is unused */
#include "map.h"

/* ------------------------------------------------------------------ for people */

/* [8, 128], [(N + 3) / 4, 4] */
static void irl__text_box(irl__text *t, irl_ctx *cx, const irl_shape *s)
{
    int k;
    if (!s->named) {
        irl__text_numbers(t, "[]", s->rank, s->extent);
        return;
    }
    irl__text_putc(t, '[');
    for (k = 0; k < s->rank; k++) irl__textf(t, k ? ", %s" : "%s", irl_expr_text(cx, s->named[k]));
    irl__text_putc(t, ']');
}

const char *irl__outside_reason(irl_ctx *cx, const irl_verdict *v)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__text_puts(&t, "out of range: ");
    irl__text_numbers(&t, "()", v->outside.rank, v->outside.extent);
    irl__text_puts(&t, " goes to ");
    irl__text_numbers(&t, "[]", v->outside_at.rank, v->outside_at.extent);
    return irl__text_or_empty(irl__text_done(&t));
}

/* " for N = 3, M = 9: (0, 8) and (1, 0) both map to [8]", ": (3) goes to [-1]"; the reason, where
   another point is known to have no value or to be out of range */
static void irl__text_witness(irl__text *t, const irl_verdict *v)
{
    for (int k = 0; k < v->parameter_count && v->values; k++)
        irl__textf(t, k ? ", %s = %l" : " for %s = %l", v->parameters[k]->u.name, v->values[k]);
    irl__text_puts(t, ": ");
    irl__text_numbers(t, "()", v->a.rank, v->a.extent);
    if (v->kind == IRL_LOSSY) {
        irl__text_puts(t, " and ");
        irl__text_numbers(t, "()", v->b.rank, v->b.extent);
    }
    irl__text_puts(t, v->kind == IRL_LOSSY ? " both map to " : " goes to ");
    irl__text_numbers(t, "[]", v->at.rank, v->at.extent);
    if (v->reason && v->reason[0]) irl__textf(t, ", and %s", v->reason);
}

static int irl__text_is_same(const irl_shape *a, const irl_shape *b)
{
    for (int k = 0; k < a->rank; k++)
        if (a->named && b->named ? a->named[k] != b->named[k] : a->extent[k] != b->extent[k])
            return 0;
    return 1;
}

static void irl__text_image(irl__text *t, irl_ctx *cx, const irl_verdict *v)
{
    irl__text_puts(t, v->pad_cells == 0 ? "bijective onto " : "injective into ");
    irl__text_box(t, cx, &v->physical);
    /* ", 3 cells are unused"; ", unused cells: N % 4, none where N % 4 == 0" */
    if (v->pad_cells_named && !irl__is_int(v->pad_cells_named, 0)) {
        irl__textf(t, ", unused cells: %s", irl_expr_text(cx, v->pad_cells_named));
        if (v->condition && v->condition->op != IRL_OP_INT)
            irl__textf(t, ", none where %s", irl_expr_text(cx, v->condition));
    } else if (v->pad_cells > 0)
        irl__textf(t, ", %l %s unused", v->pad_cells, v->pad_cells == 1 ? "cell is" : "cells are");
    else if (v->pad_cells < 0) irl__text_puts(t, ", more than 2^63 cells are unused");
    if (irl__text_is_same(&v->physical, &v->memory)) return;
    irl__text_puts(t, ", in memory ");
    irl__text_box(t, cx, &v->memory);
}

const char *irl_verdict_text(irl_ctx *cx, const irl_verdict *v)
{
    irl__text t;
    if (!cx || !v) return "";
    irl__text_init(&t, cx);
    if (irl__verdict_is_right(v)) irl__text_image(&t, cx, v);
    else {
        irl__text_puts(&t, irl_verdict_name(v->kind));
        if (v->kind == IRL_LOSSY || v->kind == IRL_OUT_OF_RANGE) irl__text_witness(&t, v);
        else irl__textf(&t, ": %s", v->reason ? v->reason : "");
        if (v->inverse && v->where) {
            irl__textf(&t, "; where %s, ", irl_expr_text(cx, v->where));
            irl__text_image(&t, cx, v);
        }
    }
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ for machines */

static void irl__json_key(irl__text *t, const char *key) { irl__textf(t, ", \"%s\": ", key); }

static void irl__json_field(irl__text *t, const char *key, const char *value)
{
    irl__json_key(t, key);
    irl__json_string(t, value && value[0] ? value : NULL);
}

/* A number where it is one, else its text. */
static void irl__json_expr(irl__text *t, irl_ctx *cx, const irl_expr *e)
{
    if (e && e->op == IRL_OP_INT && irl__type_is_index(e->type)) irl__text_int(t, e->u.i);
    else irl__json_string(t, e ? irl_expr_text(cx, e) : NULL);
}

void irl__json_shape(irl__text *t, irl_ctx *cx, const char *key, const irl_shape *s)
{
    irl__json_key(t, key);
    if (!s) irl__text_puts(t, "null");
    else if (!s->named) irl__text_numbers(t, "[]", s->rank, s->extent);
    else {
        irl__text_putc(t, '[');
        for (int k = 0; k < s->rank; k++) {
            if (k) irl__text_puts(t, ", ");
            irl__json_expr(t, cx, s->named[k]);
        }
        irl__text_putc(t, ']');
    }
}

static void irl__json_values(irl__text *t, const irl_verdict *v)
{
    irl__json_key(t, "values");
    if (!v->values) {
        irl__text_puts(t, "null");
        return;
    }
    irl__text_putc(t, '{');
    for (int k = 0; k < v->parameter_count; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__json_string(t, v->parameters[k]->u.name);
        irl__textf(t, ": %l", v->values[k]);
    }
    irl__text_putc(t, '}');
}

static void irl__json_witness(irl__text *t, irl_ctx *cx, const irl_verdict *v)
{
    irl__json_key(t, "witness");
    if (v->kind < IRL_LOSSY) {
        irl__text_puts(t, "null");
        return;
    }
    irl__text_puts(t, "{\"a\": ");
    irl__text_numbers(t, "[]", v->a.rank, v->a.extent);
    irl__json_shape(t, cx, "b", v->kind == IRL_LOSSY ? &v->b : NULL);
    irl__json_shape(t, cx, "at", v->kind == IRL_UNDEFINED ? NULL : &v->at);
    irl__text_putc(t, '}');
}

static void irl__json_condition(irl__text *t, irl_ctx *cx, const char *key, const irl_expr *e)
{
    irl__json_field(t, key, e ? irl_expr_text(cx, e) : NULL);
}

const char *irl_verdict_json(irl_ctx *cx, const irl_map *map, const irl_verdict *v)
{
    irl__text t;
    if (!cx || !map || !v) return "";
    int names = v->shape.named || v->parameter_count;
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{\"map\": ");
    irl__json_string(&t, irl_map_text(cx, map));
    irl__json_shape(&t, cx, "shape", &v->shape);
    irl__json_shape(&t, cx, "min", v->box_known ? &v->minimum : NULL);
    irl__json_shape(&t, cx, "physical", v->box_known ? &v->physical : NULL);
    irl__json_shape(&t, cx, "memory", v->box_known ? &v->memory : NULL);
    if (names) irl__json_key(&t, "box_reached");
    if (names) irl__text_puts(&t, !v->box_known ? "null" : v->box_reached ? "true" : "false");
    irl__json_field(&t, "verdict", irl_verdict_name(v->kind));
    irl__json_field(&t, "method", v->method);
    if (names) irl__json_condition(&t, cx, "where", v->where);
    irl__json_field(&t, "inverse", v->inverse ? irl_map_text(cx, v->inverse) : NULL);
    /* Numbers are counted where the map is right, names where there is an inverse. */
    const irl_expr *padding = v->padding, *count = v->pad_cells_named;
    if (v->inverse && v->padding && irl__verdict_unused(cx, v, &padding) && !padding)
        padding = irl__bool(cx, 0);
    if (count ? !irl__text_is_same(&v->physical, &v->memory) : irl__verdict_is_right(v))
        count = irl__verdict_unused_count(cx, map, v);
    irl__json_condition(&t, cx, "padding", padding);
    irl__json_key(&t, "pad_cells");
    if (count) irl__json_expr(&t, cx, count);
    else irl__text_puts(&t, "null");
    if (names) irl__json_condition(&t, cx, "condition", v->condition);
    if (names) irl__json_values(&t, v);
    irl__json_witness(&t, cx, v);
    irl__json_field(&t, "reason", v->reason);
    irl__text_putc(&t, '}');
    return irl__text_or_empty(irl__text_done(&t));
}
