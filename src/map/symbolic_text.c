/* symbolic_text.c - a verdict on symbolic extents, for people and for machines.

   needs     the printer of expressions, json.c
   promises  one line each; the JSON has the same fields always */
#include "map.h"

/* ------------------------------------------------------------------ for people */

static void irl__text_exprs(irl__text *t, irl_ctx *cx, int count, const irl_expr *const *list)
{
    int k;
    irl__text_putc(t, '[');
    for (k = 0; k < count; k++) irl__textf(t, k ? ", %s" : "%s", irl_expr_text(cx, list[k]));
    irl__text_putc(t, ']');
}

static void irl__text_point(irl__text *t, const irl_shape *s, char open, char close)
{
    int k;
    irl__text_putc(t, open);
    for (k = 0; k < s->rank; k++) irl__textf(t, k ? ", %l" : "%l", s->extent[k]);
    irl__text_putc(t, close);
}

/* "N = 3, M = 9: (0, 8) and (1, 0) share [8]" */
static void irl__symbolic_witness(irl__text *t, const irl_symbolic *v)
{
    int k;
    for (k = 0; k < v->parameter_count; k++)
        irl__textf(t, k ? ", %s = %l" : "%s = %l", v->parameters[k]->u.name, v->values.extent[k]);
    irl__text_puts(t, ": ");
    irl__text_point(t, &v->a, '(', ')');
    if (v->kind == IRL_LOSSY) {
        irl__text_puts(t, " and ");
        irl__text_point(t, &v->b, '(', ')');
        irl__text_puts(t, " share ");
    } else irl__text_puts(t, " goes to ");
    irl__text_point(t, &v->at, '[', ']');
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
    irl__text   t;
    const char *text;
    if (!cx || !v) return "";
    irl__text_init(&t, cx);
    if (v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE) irl__symbolic_image(&t, cx, v);
    else {
        int has_reason = v->kind == IRL_UNDECIDED || v->kind == IRL_C_DIFFERS;
        irl__textf(&t, has_reason ? "%s: " : "%s for ", irl_verdict_name(v->kind));
        if (has_reason) irl__text_puts(&t, v->reason ? v->reason : "");
        else irl__symbolic_witness(&t, v);
        if (v->inverse && v->where) {
            irl__textf(&t, "; where %s, ", irl_expr_text(cx, v->where));
            irl__symbolic_image(&t, cx, v);
        }
    }
    text = irl__text_done(&t);
    return text ? text : "";
}

/* ------------------------------------------------------------------ for machines */

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
    irl__textf(t, ", \"%s\": ", key);
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
    irl__text_putc(t, '{');
    for (k = 0; k < v->parameter_count; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__json_string(t, v->parameters[k]->u.name);
        irl__textf(t, ": %l", v->values.extent[k]);
    }
    irl__text_putc(t, '}');
}

static void irl__json_witness(irl__text *t, const irl_symbolic *v)
{
    irl__text_puts(t, ", \"values\": ");
    if (v->values.rank) irl__json_values(t, v);
    else irl__text_puts(t, "null");
    if (v->kind < IRL_LOSSY) {
        irl__text_puts(t, ", \"witness\": null");
        return;
    }
    irl__text_puts(t, ", \"witness\": {\"a\": ");
    irl__json_shape(t, &v->a);
    irl__text_puts(t, ", \"b\": ");
    irl__json_shape_if(t, v->kind == IRL_LOSSY, &v->b);
    irl__text_puts(t, ", \"at\": ");
    irl__json_shape(t, &v->at);
    irl__text_putc(t, '}');
}

const char *irl_symbolic_json(irl_ctx *cx, const irl_map *map, int rank,
                              const irl_expr *const *extents, const irl_symbolic *v)
{
    irl__text   t;
    const char *text;
    if (!cx || !map || !v) return "";
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{\"map\": ");
    irl__json_string(&t, irl_map_text(cx, map));
    irl__json_exprs(&t, cx, "shape", rank, extents);
    irl__json_exprs(&t, cx, "min", v->rank, v->minimum);
    irl__json_exprs(&t, cx, "physical", v->rank, v->physical);
    irl__textf(&t, ", \"box_reached\": %s",
               v->rank == 0     ? "null"
               : v->box_reached ? "true"
                                : "false");
    irl__text_puts(&t, ", \"verdict\": ");
    irl__json_string(&t, irl_verdict_name(v->kind));
    irl__text_puts(&t, ", \"method\": ");
    irl__json_string(&t, v->method && v->method[0] ? v->method : NULL);
    irl__text_puts(&t, ", \"where\": ");
    irl__json_string(&t, v->where ? irl_expr_text(cx, v->where) : NULL);
    irl__text_puts(&t, ", \"inverse\": ");
    irl__json_string(&t, v->inverse ? irl_map_text(cx, v->inverse) : NULL);
    irl__text_puts(&t, ", \"padding\": ");
    irl__json_string(&t, v->padding ? irl_expr_text(cx, v->padding) : NULL);
    irl__text_puts(&t, ", \"pad_cells\": ");
    irl__json_expr(&t, cx, v->pad_cells);
    irl__text_puts(&t, ", \"condition\": ");
    irl__json_string(&t, v->condition ? irl_expr_text(cx, v->condition) : NULL);
    irl__json_witness(&t, v);
    irl__text_puts(&t, ", \"reason\": ");
    irl__json_string(&t, v->reason && v->reason[0] ? v->reason : NULL);
    irl__text_putc(&t, '}');
    text = irl__text_done(&t);
    return text ? text : "";
}
