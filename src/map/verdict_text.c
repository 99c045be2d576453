/* verdict_text.c - verdicts for people and for machines, on numbers and with names in them.

   needs     the printer of maps and expressions, json.c
   promises  one line each; the JSON has the same fields always, null where one does not apply. With
             names there is more to say: for which values, and where nothing is unused */
#include "map.h"

static const char *const irl__verdict_names[] = { "undecided", "bijective", "injective", "lossy",
                                                  "out-of-range", "c-differs", "undefined" };

const char *irl_verdict_name(irl_verdict_kind kind)
{
    return (unsigned)kind < IRL__COUNTOF(irl__verdict_names) ? irl__verdict_names[kind]
                                                             : "undecided";
}

/* ------------------------------------------------------------------ for people */

static void irl__text_shape(irl__text *t, const irl_shape *s, char open, char close)
{
    int k;
    irl__text_putc(t, open);
    for (k = 0; k < s->rank; k++) irl__textf(t, k ? ", %l" : "%l", s->extent[k]);
    irl__text_putc(t, close);
}

static void irl__text_exprs(irl__text *t, irl_ctx *cx, int count, const irl_expr *const *list)
{
    int k;
    irl__text_putc(t, '[');
    for (k = 0; k < count; k++) irl__textf(t, k ? ", %s" : "%s", irl_expr_text(cx, list[k]));
    irl__text_putc(t, ']');
}

/* "(0, 8) and (1, 0) share [8]", "(3) goes to [-1]"; and the reason, where another point is known
   to have no value */
static void irl__text_witness(irl__text *t, irl_verdict_kind kind, const irl_shape *a,
                              const irl_shape *b, const irl_shape *at, const char *reason)
{
    irl__text_shape(t, a, '(', ')');
    if (kind == IRL_LOSSY) {
        irl__text_puts(t, " and ");
        irl__text_shape(t, b, '(', ')');
    }
    irl__text_puts(t, kind == IRL_LOSSY ? " share " : " goes to ");
    irl__text_shape(t, at, '[', ']');
    if (reason && reason[0]) irl__textf(t, ", and %s", reason);
}

/* What it says is the reason alone. */
static int irl__verdict_is_reason(irl_verdict_kind kind)
{
    return kind != IRL_LOSSY && kind != IRL_OUT_OF_RANGE;
}

static void irl__verdict_image(irl__text *t, const irl_verdict *v)
{
    irl__text_puts(t, v->kind == IRL_BIJECTIVE ? "bijective onto " : "injective into ");
    irl__text_shape(t, &v->physical, '[', ']');
    if (v->pad_cells > 0)
        irl__textf(t, ", %l %s unused", v->pad_cells, v->pad_cells == 1 ? "cell is" : "cells are");
    if (v->pad_cells < 0) irl__text_puts(t, ", more than 2^63 cells are unused");
    if (memcmp(v->memory.extent, v->physical.extent,
               (size_t)v->physical.rank * sizeof *v->memory.extent) == 0)
        return;
    irl__text_puts(t, ", in memory ");
    irl__text_shape(t, &v->memory, '[', ']');
}

const char *irl_verdict_text(irl_ctx *cx, const irl_verdict *v)
{
    irl__text t;
    if (!cx || !v) return "";
    irl__text_init(&t, cx);
    if (v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE) irl__verdict_image(&t, v);
    else {
        irl__textf(&t, "%s: ", irl_verdict_name(v->kind));
        if (!irl__verdict_is_reason(v->kind))
            irl__text_witness(&t, v->kind, &v->a, &v->b, &v->at, v->reason);
        else irl__text_puts(&t, v->reason ? v->reason : "");
    }
    return irl__text_or_empty(irl__text_done(&t));
}

/* "N = 3, M = 9: (0, 8) and (1, 0) share [8]" */
static void irl__symbolic_witness(irl__text *t, const irl_symbolic *v)
{
    int k;
    for (k = 0; k < v->parameter_count; k++)
        irl__textf(t, k ? ", %s = %l" : " for %s = %l", v->parameters[k]->u.name,
                   v->values.extent[k]);
    irl__text_puts(t, ": ");
    irl__text_witness(t, v->kind, &v->a, &v->b, &v->at, v->reason);
}

static void irl__symbolic_image(irl__text *t, irl_ctx *cx, const irl_symbolic *v)
{
    int full = irl__is_int(v->pad_cells, 0), k;
    irl__text_puts(t, full ? "bijective onto " : "injective into ");
    irl__text_exprs(t, cx, v->rank, v->physical);
    if (!full) irl__textf(t, ", unused cells: %s", irl_expr_text(cx, v->pad_cells));
    if (!full && v->condition && v->condition->op != IRL_OP_INT)
        irl__textf(t, ", none where %s", irl_expr_text(cx, v->condition));
    for (k = 0; v->memory && k < v->rank && v->memory[k] == v->physical[k]; k++) continue;
    if (!v->memory || k == v->rank) return;
    irl__text_puts(t, ", in memory ");
    irl__text_exprs(t, cx, v->rank, v->memory);
}

const char *irl_symbolic_text(irl_ctx *cx, const irl_symbolic *v)
{
    irl__text t;
    if (!cx || !v) return "";
    irl__text_init(&t, cx);
    if (v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE) irl__symbolic_image(&t, cx, v);
    else {
        int has_reason = irl__verdict_is_reason(v->kind);
        irl__textf(&t, has_reason ? "%s: " : "%s", irl_verdict_name(v->kind));
        if (has_reason) irl__text_puts(&t, v->reason ? v->reason : "");
        else irl__symbolic_witness(&t, v);
        if (v->inverse && v->where) {
            irl__textf(&t, "; where %s, ", irl_expr_text(cx, v->where));
            irl__symbolic_image(&t, cx, v);
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

static void irl__json_shape(irl__text *t, const char *key, const irl_shape *s)
{
    irl__json_key(t, key);
    if (s) irl__text_shape(t, s, '[', ']');
    else irl__text_puts(t, "null");
}

/* A number where it is one, else its text. */
static void irl__json_expr(irl__text *t, irl_ctx *cx, const irl_expr *e)
{
    if (e && e->op == IRL_OP_INT && irl__type_is_index(e->type)) irl__text_int(t, e->u.i);
    else irl__json_string(t, e ? irl_expr_text(cx, e) : NULL);
}

static void irl__json_exprs(irl__text *t, irl_ctx *cx, const char *key, int count,
                            const irl_expr *const *list)
{
    int k;
    irl__json_key(t, key);
    if (!list) {
        irl__text_puts(t, "null");
        return;
    }
    irl__text_putc(t, '[');
    for (k = 0; k < count; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__json_expr(t, cx, list[k]);
    }
    irl__text_putc(t, ']');
}

static void irl__json_values(irl__text *t, const irl_symbolic *v)
{
    int k;
    irl__json_key(t, "values");
    if (!v->values.rank) {
        irl__text_puts(t, "null");
        return;
    }
    irl__text_putc(t, '{');
    for (k = 0; k < v->parameter_count; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__json_string(t, v->parameters[k]->u.name);
        irl__textf(t, ": %l", v->values.extent[k]);
    }
    irl__text_putc(t, '}');
}

static void irl__json_witness(irl__text *t, irl_verdict_kind kind, const irl_shape *a,
                              const irl_shape *b, const irl_shape *at)
{
    irl__json_key(t, "witness");
    if (kind < IRL_LOSSY) {
        irl__text_puts(t, "null");
        return;
    }
    irl__text_puts(t, "{\"a\": ");
    irl__text_shape(t, a, '[', ']');
    irl__json_shape(t, "b", kind == IRL_LOSSY ? b : NULL);
    irl__json_shape(t, "at", kind == IRL_UNDEFINED ? NULL : at);
    irl__text_putc(t, '}');
}

static void irl__json_begin(irl__text *t, irl_ctx *cx, const irl_map *map)
{
    irl__text_init(t, cx);
    irl__text_puts(t, "{\"map\": ");
    irl__json_string(t, irl_map_text(cx, map));
}

/* names: with the condition under which all this holds. */
static void irl__json_answer(irl__text *t, irl_ctx *cx, irl_verdict_kind kind, const char *method,
                             int names, const irl_expr *where, const irl_map *inverse,
                             const irl_expr *padding)
{
    irl__json_field(t, "verdict", irl_verdict_name(kind));
    irl__json_field(t, "method", method);
    if (names) irl__json_field(t, "where", where ? irl_expr_text(cx, where) : NULL);
    irl__json_field(t, "inverse", inverse ? irl_map_text(cx, inverse) : NULL);
    irl__json_field(t, "padding", padding ? irl_expr_text(cx, padding) : NULL);
    irl__json_key(t, "pad_cells");
}

static const char *irl__json_done(irl__text *t, const char *reason)
{
    irl__json_field(t, "reason", reason);
    irl__text_putc(t, '}');
    return irl__text_or_empty(irl__text_done(t));
}

const char *irl_verdict_json(irl_ctx *cx, const irl_map *map, const irl_verdict *v)
{
    irl__text t;
    if (!cx || !map || !v) return "";
    irl__json_begin(&t, cx, map);
    irl__json_shape(&t, "shape", &v->shape);
    irl__json_shape(&t, "min", v->box_known ? &v->minimum : NULL);
    irl__json_shape(&t, "physical", v->box_known ? &v->physical : NULL);
    irl__json_answer(&t, cx, v->kind, v->method, 0, NULL, v->inverse, v->padding);
    if ((v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE) && v->pad_cells >= 0)
        irl__text_int(&t, v->pad_cells);
    else irl__text_puts(&t, "null");
    irl__json_witness(&t, v->kind, &v->a, &v->b, &v->at);
    return irl__json_done(&t, v->reason);
}

const char *irl_symbolic_json(irl_ctx *cx, const irl_map *map, int rank,
                              const irl_expr *const *extents, const irl_symbolic *v)
{
    irl__text t;
    if (!cx || !map || !v) return "";
    irl__json_begin(&t, cx, map);
    irl__json_exprs(&t, cx, "shape", rank, extents);
    irl__json_exprs(&t, cx, "min", v->rank, v->minimum);
    irl__json_exprs(&t, cx, "physical", v->rank, v->physical);
    irl__json_key(&t, "box_reached");
    irl__text_puts(&t, v->rank == 0 ? "null" : v->box_reached ? "true" : "false");
    irl__json_answer(&t, cx, v->kind, v->method, 1, v->where, v->inverse, v->padding);
    irl__json_expr(&t, cx, v->pad_cells);
    irl__json_field(&t, "condition", v->condition ? irl_expr_text(cx, v->condition) : NULL);
    irl__json_values(&t, v);
    irl__json_witness(&t, v->kind, &v->a, &v->b, &v->at);
    return irl__json_done(&t, v->reason);
}
