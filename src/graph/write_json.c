/* write_json.c - writes a graph as JSON, in the format of existing graph runtimes.

   needs     json.c of the room map; a graph
   promises  the text reads back as an equal graph (irl_graph_parse_json). Tensors of one scope that
             are not alive together share a storage_id; inputs and outputs have separate ones. In
             plain memory a result takes the smallest free storage that holds it and is at most
             IRL__STORAGE_TIMES as large; otherwise the largest free one that is not much smaller,
             which grows; otherwise a new one. An image takes a storage of its type: who reads the
             file makes it as wide and as high as the largest images in it. So it takes the storage
             with the fewest texels of those that hold it, otherwise the one that grows least, if
             that is less than a new image */
#include "graph.h"

enum { IRL__STORAGE_TIMES = 16 };

/* Storage that is handed on from tensor to tensor. */
typedef struct irl__storage {
    int64_t   bytes;                  /* of an image elements */
    int64_t   sides[IRL__TEXEL_AXES]; /* of an image, in elements */
    irl_scope scope;
    irl_type  type; /* of the first one in it */
    int       is_free;
} irl__storage;

typedef struct irl__graph_writer {
    const irl_graph *g;
    irl__text       *t;
    int             *entry;  /* of each tensor: its number among the outputs of all rows */
    int             *tensor; /* of each entry */
    int             *first;  /* of each row the first entry: inputs, then nodes */
    irl_scope       *scope;  /* of each tensor */
    int             *node;   /* of each tensor: who says that scope; -1: nobody */
    int             *storage;
} irl__graph_writer;

/* ------------------------------------------------------------------ types */

/* "float32x4", "bfloat16", "bool"; others as in the language. */
void irl__graph_dtype(irl__text *t, irl_type type)
{
    const irl__type_row *row = irl__type_info(type);
    const char          *word = row->kind == IRL_KIND_INT      ? "int"
                                : row->kind == IRL_KIND_UINT   ? "uint"
                                : row->kind == IRL_KIND_FLOAT  ? "float"
                                : row->kind == IRL_KIND_BFLOAT ? "bfloat"
                                                               : NULL;
    if (word) irl__textf(t, "%s%d", word, row->bits);
    else irl__text_puts(t, row->text);
    if (type.lanes > 1) irl__textf(t, "x%d", (int)type.lanes);
}

/* ------------------------------------------------------------------ scopes and storage */

/* The scope that the signature of the node that writes a tensor says; of an input that of the first
   that reads it. */
static void irl__graph_write_scopes(irl__graph_writer *w)
{
    const irl_graph *g = w->g;
    unsigned         char   *known = (unsigned char *)w->storage; /* which is not needed yet */
    int              k, p;
    memset(known, 0, (size_t)g->tensor_count);
    for (k = 0; k < g->node_count; k++)
        for (p = 0; p < g->nodes[k].is.func->param_count; p++) {
            const int t = g->nodes[k].is.tensors[p];
            if (t < 0 || known[t]) continue;
            w->scope[t] = g->nodes[k].is.func->params[p].buffer->scope;
            w->node[t] = k;
            known[t] = 1;
        }
}

int64_t irl__graph_bytes(const irl_graph_tensor *t)
{
    const int64_t count = irl_shape_count(t->shape);
    int64_t       bytes;
    return count >= 0 && irl__mul64(count, (int64_t)irl__type_bytes(t->type), &bytes) ? bytes
                                                                                      : INT64_MAX;
}

/* The sides of an image, as the node that states it has it; none are 0. 0 on failure. */
static int irl__graph_sides(const irl__graph_writer *w, int tensor, irl__storage *one)
{
    const irl_graph_tensor *t = &w->g->tensors[tensor].is;
    const irl_graph_node   *node = &w->g->nodes[w->node[tensor]].is;
    irl_shape               shape = t->shape;
    int                     own[IRL_MAX_RANK + 1], k, group = 0, p = 0;
    while (node->tensors[p] != tensor) p++;
    irl_buffer b = *node->func->params[p].buffer;
    b.rank = shape.rank;
    for (k = 0; k < node->func->layout_count; k++) {
        const irl_map *map = node->func->layouts[k].map;
        if (strcmp(node->func->layouts[k].buffer, b.name) != 0) continue;
        if (irl__map_has_names(map)) return 1; /* of numbers that the node binds */
        if (!irl_map_memory(w->g->cx, map, shape, &shape)) return 0;
        b.rank = shape.rank;
        b.separator_count = irl_map_separators(map, own, IRL_MAX_RANK);
        b.separators = own;
    }
    if (!b.separator_count) {
        b.separator_count = irl__tex_separators(&b, own);
        b.separators = own;
    }
    if (b.separator_count >= IRL__TEXEL_AXES) return 1;
    for (k = 0; k < IRL__TEXEL_AXES; k++) one->sides[k] = 1;
    for (k = 0; k < b.rank; k++) {
        if (group < b.separator_count && k == b.separators[group]) group++;
        if (!irl__mul64(one->sides[group], shape.extent[k], &one->sides[group]))
            one->sides[group] = 0;
    }
    return 1;
}

/* Elements of an image with these sides; INT64_MAX: too many. */
static int64_t irl__graph_elements(const int64_t *sides)
{
    int64_t n = 1;
    for (int k = 0; k < IRL__TEXEL_AXES; k++)
        if (!irl__mul64(n, sides[k], &n)) return INT64_MAX;
    return n;
}

/* The image as large as both need it: how many elements more, INT64_MAX: more than one alone. */
static int64_t irl__graph_grows(const irl__storage *s, const irl__storage *one)
{
    int64_t sides[IRL__TEXEL_AXES], more;
    for (int k = 0; k < IRL__TEXEL_AXES; k++)
        sides[k] = s->sides[k] > one->sides[k] ? s->sides[k] : one->sides[k];
    more = irl__graph_elements(sides) - s->bytes;
    return more < one->bytes ? more : INT64_MAX;
}

/* May the tensor lie there, now or once it has grown? */
static int irl__graph_is_near(const irl__storage *s, const irl__storage *one)
{
    const int64_t least = s->bytes < one->bytes ? s->bytes : one->bytes;
    const int64_t most = s->bytes < one->bytes ? one->bytes : s->bytes;
    if (!s->is_free || s->scope != one->scope) return 0;
    if (!irl__scope_is_image(one->scope))
        return most / IRL__STORAGE_TIMES + (most % IRL__STORAGE_TIMES != 0) <= least;
    return irl_type_equal(s->type, one->type) && s->bytes && one->bytes &&
           irl__graph_grows(s, one) < INT64_MAX;
}

/* Of two that are near: the smaller one that holds it, else the larger one; of images the one that
   grows less. */
static int irl__graph_is_better(const irl__storage *s, const irl__storage *than,
                                const irl__storage *one)
{
    const int64_t bytes = one->bytes;
    if (irl__scope_is_image(one->scope)) {
        const int64_t a = irl__graph_grows(s, one), b = irl__graph_grows(than, one);
        return a < b || (a == b && s->bytes < than->bytes);
    }
    if (s->bytes >= bytes) return than->bytes < bytes || s->bytes < than->bytes;
    return than->bytes < bytes && s->bytes > than->bytes;
}

/* The tensor lies there too. */
static void irl__graph_grow(irl__storage *s, const irl__storage *one)
{
    s->is_free = 0;
    for (int k = 0; k < IRL__TEXEL_AXES; k++)
        if (s->sides[k] < one->sides[k]) s->sides[k] = one->sides[k];
    if (irl__scope_is_image(one->scope)) s->bytes = irl__graph_elements(s->sides);
    else if (s->bytes < one->bytes) s->bytes = one->bytes;
}

static int irl__graph_store(irl__graph_writer *w, irl__storage **all, int tensor, int may_share)
{
    const irl_graph_tensor *t = &w->g->tensors[tensor].is;
    irl__storage            one;
    int                     k, best = -1;
    memset(&one, 0, sizeof one);
    one.bytes = irl__graph_bytes(t);
    one.scope = w->scope[tensor];
    one.type = t->type;
    if (irl__scope_is_image(one.scope)) {
        if (!irl__graph_sides(w, tensor, &one)) return 0;
        one.bytes = irl__graph_elements(one.sides);
    }
    for (k = 0; may_share && k < (int)stbds_arrlen(*all); k++)
        if (irl__graph_is_near(&(*all)[k], &one) &&
            (best < 0 || irl__graph_is_better(&(*all)[k], &(*all)[best], &one)))
            best = k;
    w->storage[tensor] = best >= 0 ? best : (int)stbds_arrlen(*all);
    if (best < 0) return IRL__PUSH_SCRATCH(w->g->cx, *all, one);
    irl__graph_grow(&(*all)[best], &one);
    return 1;
}

/* The number of the last node that reads each tensor; -1: none. */
void irl__graph_last_uses(const irl_graph *g, int *last)
{
    for (int k = 0; k < g->tensor_count; k++) last[k] = g->tensors[k].is.node;
    for (int k = 0; k < g->node_count; k++)
        for (int p = 0; p < g->nodes[k].is.func->param_count; p++)
            if (g->nodes[k].is.tensors[p] >= 0) last[g->nodes[k].is.tensors[p]] = k;
}

static int irl__graph_write_storage(irl__graph_writer *w)
{
    const irl_graph *g = w->g;
    irl__storage    *all = NULL;
    int             *last = IRL__SCRATCH(g->cx, int, g->tensor_count + 1);
    if (!last) return 0;
    irl__graph_last_uses(g, last);
    for (int k = 0; k < g->input_count; k++)
        if (!irl__graph_store(w, &all, g->inputs[k], 0)) return 0;
    for (int k = 0; k < g->node_count; k++) {
        const irl_graph_node *node = &g->nodes[k].is;
        for (int p = 0; p < node->func->param_count; p++)
            if (node->is_result[p] &&
                !irl__graph_store(w, &all, node->tensors[p],
                                  !g->tensors[node->tensors[p]].is.is_output))
                return 0;
        for (int p = 0; p < node->func->param_count; p++) {
            const int t = node->tensors[p];
            if (t >= 0 && last[t] == k && g->tensors[t].is.node >= 0 &&
                !g->tensors[t].is.is_output)
                all[w->storage[t]].is_free = 1;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ rows */

/* Inputs are rows of one entry, nodes rows of as many as they have results. */
static void irl__graph_write_entries(irl__graph_writer *w)
{
    const irl_graph *g = w->g;
    int              k, j, n = 0;
    for (k = 0; k < g->input_count; k++) {
        w->first[k] = n;
        w->tensor[n] = g->inputs[k];
        w->entry[g->inputs[k]] = n++;
    }
    for (k = 0; k < g->node_count; k++) {
        w->first[g->input_count + k] = n;
        for (j = 0; j < g->nodes[k].func->result_count; j++) {
            const int t = g->nodes[k].is.tensors[irl__graph_param(g->nodes[k].func, j, 1)];
            w->tensor[n] = t;
            w->entry[t] = n++;
        }
    }
}

/* [row, output, 0] of a tensor. */
static void irl__graph_write_reference(irl__graph_writer *w, int tensor)
{
    const int node = w->g->tensors[tensor].is.node;
    const int row = node < 0 ? w->entry[tensor] : w->g->input_count + node;
    irl__textf(w->t, "[%d, %d, 0]", row, w->entry[tensor] - w->first[row]);
}

static void irl__graph_write_node(irl__graph_writer *w, int k)
{
    const irl__graph_node *node = &w->g->nodes[k];
    const int              entry = w->first[w->g->input_count + k];
    int                    j, n = 0;
    irl__text_puts(w->t, "    {\"op\": \"tvm_op\", \"name\": ");
    irl__json_string(w->t, node->func->result_count ? w->g->tensors[w->tensor[entry]].is.name
                                                    : node->is.func->name);
    irl__text_puts(w->t, ", \"attrs\": {\"func_name\": ");
    irl__json_string(w->t, node->is.func->name);
    for (j = 0; j < node->func->argument_count; j++)
        n += node->is.tensors[irl__graph_param(node->func, j, 0)] >= 0;
    irl__textf(w->t, ", \"num_inputs\": \"%d\", \"num_outputs\": \"%d\", \"flatten_data\": \"0\"}",
               n, node->func->result_count);
    irl__text_puts(w->t, ", \"inputs\": [");
    for (j = n = 0; j < node->func->argument_count; j++) {
        const int t = node->is.tensors[irl__graph_param(node->func, j, 0)];
        if (t < 0) continue;
        if (n++) irl__text_puts(w->t, ", ");
        irl__graph_write_reference(w, t);
    }
    irl__text_putc(w->t, ']');
    irl__text text;
    int       i, m = 0;
    for (i = 0; i < node->func->argument_count; i++) {
        const irl_expr *e = node->is.scalars[irl__graph_param(node->func, i, 0)];
        if (!e) continue;
        irl__text_puts(w->t, m++ ? ", " : ", \"scalars\": [");
        irl__text_init(&text, w->g->cx);
        irl__print_expr(&text, e);
        irl__json_string(w->t, irl__text_or_empty(irl__text_done(&text)));
    }
    if (m) irl__text_putc(w->t, ']');
    if (node->func->result_count > 1) irl__text_puts(w->t, ", \"results\": [");
    for (j = 0; node->func->result_count > 1 && j < node->func->result_count; j++) {
        if (j) irl__text_puts(w->t, ", ");
        irl__json_string(w->t, w->g->tensors[w->tensor[entry + j]].is.name);
    }
    irl__text_puts(w->t, node->func->result_count > 1 ? "]}" : "}");
}

/* ------------------------------------------------------------------ attributes of entries */

typedef enum irl__graph_attr {
    IRL__ATTR_DTYPE,
    IRL__ATTR_SHAPE,
    IRL__ATTR_STORAGE,
    IRL__ATTR_SCOPE
} irl__graph_attr;

static void irl__graph_write_attr(irl__graph_writer *w, irl__graph_attr what, const char *head)
{
    irl__text_puts(w->t, head);
    for (int k = 0; k < w->g->tensor_count; k++) {
        const irl_graph_tensor *is = &w->g->tensors[w->tensor[k]].is;
        if (k) irl__text_puts(w->t, ", ");
        switch (what) {
        case IRL__ATTR_DTYPE:
            irl__text_putc(w->t, '"');
            irl__graph_dtype(w->t, is->type);
            irl__text_putc(w->t, '"');
            break;
        case IRL__ATTR_SHAPE:
            irl__text_numbers(w->t, "[]", is->shape.rank, is->shape.extent);
            break;
        case IRL__ATTR_STORAGE: irl__textf(w->t, "%d", w->storage[w->tensor[k]]); break;
        case IRL__ATTR_SCOPE:
            irl__textf(w->t, "\"%s\"", irl__scope_text(w->scope[w->tensor[k]]));
            break;
        }
    }
    irl__text_puts(w->t, "]]");
}

static int irl__graph_is_global(const irl__graph_writer *w)
{
    for (int k = 0; k < w->g->tensor_count; k++)
        if (w->scope[k] != IRL_SCOPE_GLOBAL) return 0;
    return 1;
}

static void irl__graph_write_rest(irl__graph_writer *w)
{
    const irl_graph *g = w->g;
    irl__text        text;
    irl__text_puts(w->t, "\n  ],\n  \"arg_nodes\": [");
    for (int k = 0; k < g->input_count; k++) irl__textf(w->t, k ? ", %d" : "%d", k);
    irl__text_puts(w->t, "],\n  \"heads\": [");
    for (int k = 0; k < g->output_count; k++) {
        if (k) irl__text_puts(w->t, ", ");
        irl__graph_write_reference(w, g->outputs[k]);
    }
    irl__text_puts(w->t, "],\n  \"node_row_ptr\": [");
    for (int k = 0; k < g->input_count + g->node_count; k++) irl__textf(w->t, "%d, ", w->first[k]);
    irl__textf(w->t, "%d],\n  \"attrs\": {\n", g->tensor_count);
    irl__graph_write_attr(w, IRL__ATTR_DTYPE, "    \"dltype\": [\"list_str\", [");
    irl__graph_write_attr(w, IRL__ATTR_SHAPE, ",\n    \"shape\": [\"list_shape\", [");
    irl__graph_write_attr(w, IRL__ATTR_STORAGE, ",\n    \"storage_id\": [\"list_int\", [");
    if (!irl__graph_is_global(w))
        irl__graph_write_attr(w, IRL__ATTR_SCOPE, ",\n    \"storage_scope\": [\"list_str\", [");
    irl__text_puts(w->t, "\n  },\n  \"functions\": [");
    for (int k = 0; k < g->func_count; k++) {
        irl__text_init(&text, g->cx);
        irl__print_func(&text, g->funcs[k]->f);
        irl__text_puts(w->t, k ? ",\n    " : "\n    ");
        irl__json_string(w->t, irl__text_or_empty(irl__text_done(&text)));
    }
    irl__text_puts(w->t, "\n  ]\n}\n");
}

static int irl__graph_write(irl__graph_writer *w)
{
    const irl_graph *g = w->g;
    const size_t     rows = (size_t)g->tensor_count + (size_t)g->node_count + 1;
    w->entry = IRL__SCRATCH(g->cx, int, rows);
    w->tensor = IRL__SCRATCH(g->cx, int, rows);
    w->first = IRL__SCRATCH(g->cx, int, rows);
    w->storage = IRL__SCRATCH(g->cx, int, rows);
    w->scope = IRL__SCRATCH(g->cx, irl_scope, rows);
    w->node = IRL__SCRATCH(g->cx, int, rows);
    if (!w->node || !w->entry || !w->tensor || !w->first || !w->storage || !w->scope) return 0;
    for (int k = 0; k < g->tensor_count; k++) w->scope[k] = IRL_SCOPE_GLOBAL, w->node[k] = -1;
    irl__graph_write_scopes(w);
    irl__graph_write_entries(w);
    if (!irl__graph_write_storage(w)) return 0;
    irl__text_puts(w->t, "{\n  \"name\": ");
    irl__json_string(w->t, g->name);
    irl__text_puts(w->t, ",\n  \"nodes\": [\n");
    for (int k = 0; k < g->input_count + g->node_count; k++) {
        if (k) irl__text_puts(w->t, ",\n");
        if (k < g->input_count) {
            irl__text_puts(w->t, "    {\"op\": \"null\", \"name\": ");
            irl__json_string(w->t, w->g->tensors[w->g->inputs[k]].is.name);
            irl__text_puts(w->t, ", \"inputs\": []}");
        } else irl__graph_write_node(w, k - g->input_count);
    }
    irl__graph_write_rest(w);
    return 1;
}

const char *irl_graph_json(const irl_graph *g)
{
    irl__graph_writer w;
    irl__text         t;
    if (!g || !irl__ok(g->cx)) return "";
    memset(&w, 0, sizeof w);
    irl__text_init(&t, g->cx);
    w.g = g;
    w.t = &t;
    irl__arena_mark mark = irl__scratch_begin(g->cx);
    int             ok = irl__graph_write(&w);
    irl__scratch_end(g->cx, mark);
    return ok ? irl__text_or_empty(irl__text_done(&t)) : "";
}
