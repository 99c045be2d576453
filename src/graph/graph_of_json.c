/* graph_of_json.c - a graph from JSON, in the format of existing graph runtimes.

   needs     json_read.c; graph.c, which verifies each row as it is read
   promises  a graph, or a diagnostic with its place, for any bytes; rows and attributes that
             disagree about a tensor are refused. Unknown members are ignored; storage_id and
             storage_scope are checked (no two tensors that are alive together may have one
             storage_id), but not kept: they follow from the functions */
#include "graph.h"
#include "../plan/plan.h"

typedef struct irl__graph_reader {
    irl_ctx          *cx;
    irl__graph_maker  m;
    const irl__json  *rows, *dtypes, *shapes, *ids, *scopes; /* ids, scopes: NULL, not said */
    const irl__json **dtype, **shape; /* of each entry */
    int              *first;          /* of each row its first entry */
    int               row_count, entry_count, entries;
} irl__graph_reader;

static int irl__graph_bad_json(irl__graph_reader *r, const irl__json *v, const char *expected)
{
    return irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, v ? irl__json_loc(v) : irl__nowhere(),
                     "JSON of a graph: expected %s", expected);
}

/* A member of that kind; NULL with a diagnostic. */
static const irl__json *irl__graph_json_member(irl__graph_reader *r, const irl__json *v,
                                               const char *key, char kind)
{
    const irl__json *one = irl__json_member(v, key);
    if (one && one->kind == kind) return one;
    irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, irl__json_loc(one ? one : v),
              "JSON of a graph: expected a member '%s', %s", key,
              kind == '"' ? "a string" : kind == '[' ? "an array" : "an object");
    return NULL;
}

/* ["list_str", [...]]: the list, of as many as there are entries. */
static const irl__json *irl__graph_json_attr(irl__graph_reader *r, const irl__json *attrs,
                                             const char *key, int is_needed)
{
    const irl__json *v = irl__json_member(attrs, key), *list;
    if (!v && !is_needed) return attrs;
    if (!v || v->kind != '[' || v->count != 2 || v->first->kind != '"' ||
        v->first->next->kind != '[')
        return irl__graph_bad_json(r, v ? v : attrs,
                                   "attrs with dtype, shape: [\"list_str\", [...]]"),
               (const irl__json *)NULL;
    list = v->first->next;
    if (list->count == r->entry_count) return list;
    irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, irl__json_loc(list),
              "JSON of a graph: '%s' has %d values; the rows have %d outputs", key, list->count,
              r->entry_count);
    return NULL;
}

static const irl__json **irl__graph_json_array(irl_ctx *cx, const irl__json *list)
{
    const irl__json **out = IRL__SCRATCH(cx, const irl__json *, list->count + 1);
    int k = 0;
    for (const irl__json *one = list->first; out && one; one = one->next) out[k++] = one;
    return out;
}

/* ------------------------------------------------------------------ entries */

static int irl__graph_json_type(irl__graph_reader *r, const irl__json *v, irl_type *type)
{
    static const int lanes[] = { 1, 2, 3, 4, 8, 16, 32, 64 };
    char         buffer[24];
    irl__text    t;
    for (int k = 0; v->kind == '"' && irl_scalar_info((irl_scalar)k); k++)
        for (size_t j = 0; j < IRL__COUNTOF(lanes); j++) {
            *type = irl_type_of((irl_scalar)k, lanes[j]);
            if (irl__type_is_index(*type)) continue;
            irl__text_init_fixed(&t, buffer, sizeof buffer);
            irl__graph_dtype(&t, *type);
            if (strcmp(buffer, v->text) == 0) return 1;
        }
    return irl__graph_bad_json(r, v, "a type: \"float32\", \"int8\", \"float16x4\"");
}

static int irl__graph_json_shape(irl__graph_reader *r, const irl__json *v, int64_t *extent)
{
    int k = 0;
    if (v->kind != '[' || v->count > IRL_MAX_RANK)
        return irl__graph_bad_json(r, v, "a shape: [1, 64, 64, 8], of at most 32 axes");
    for (const irl__json *one = v->first; one; one = one->next) {
        if (one->kind != '0' || !one->is_integer)
            return irl__graph_bad_json(r, one, "an extent, an integer");
        extent[k++] = one->integer;
    }
    return 1;
}

/* What the attributes say of a result is what the function makes of its arguments. */
static int irl__graph_json_agrees(irl__graph_reader *r, int entry)
{
    const irl_graph        *g = r->m.g;
    const irl_graph_tensor *t = &g->tensors[entry].is;
    int64_t                 extent[IRL_MAX_RANK];
    irl_type                type;
    int                     k;
    if (entry >= r->entry_count)
        return irl__graph_bad_json(r, r->dtypes, "a type for each output of each row");
    if (!irl__graph_json_type(r, r->dtype[entry], &type) ||
        !irl__graph_json_shape(r, r->shape[entry], extent))
        return 0;
    if (!irl_type_equal(type, t->type))
        return irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, irl__json_loc(r->dtype[entry]),
                         "the type of '%s' is %s", t->name, irl__type_cstr(r->cx, t->type));
    for (k = 0; r->shape[entry]->count == t->shape.rank && k < t->shape.rank; k++)
        if (extent[k] != t->shape.extent[k]) break;
    return (r->shape[entry]->count == t->shape.rank && k == t->shape.rank) ||
           irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, irl__json_loc(r->shape[entry]),
                     "the shape of '%s' is not the one that its function gives", t->name);
}

/* ------------------------------------------------------------------ rows */

static int irl__graph_json_input(irl__graph_reader *r, const irl__json *row)
{
    const irl__json *name = irl__graph_json_member(r, row, "name", '"');
    irl_type         type;
    int64_t          extent[IRL_MAX_RANK];
    const int        k = r->entries;
    if (!name) return 0;
    if (k >= r->entry_count)
        return irl__graph_bad_json(r, r->dtypes, "a type for each output of each row");
    return irl__graph_json_type(r, r->dtype[k], &type) &&
           irl__graph_json_shape(r, r->shape[k], extent) &&
           irl__graph_add_input(&r->m, irl__namez(r->cx, name->text), type, r->shape[k]->count,
                                extent, irl__json_loc(row)) &&
           ++r->entries;
}

/* [row, output, 0]: the name of the tensor; NULL with a diagnostic. Tensors are made in the order
   of the entries. */
static const char *irl__graph_json_reference(irl__graph_reader *r, const irl__json *v, int rows)
{
    const irl__json *row = v->kind == '[' && v->count >= 2 ? v->first : NULL;
    if (!row || !row->is_integer || !row->next->is_integer || row->integer < 0 ||
        row->integer >= rows || row->next->integer < 0)
        return irl__graph_bad_json(r, v, "[row, output, 0] of an earlier row"), (const char *)NULL;
    int entry = r->first[row->integer];
    if (row->next->integer >= r->first[row->integer + 1] - entry)
        return irl__graph_bad_json(r, v, "the number of an output of that row"), (const char *)NULL;
    return r->m.g->tensors[entry + (int)row->next->integer].is.name;
}

/* What stands for each parameter: the next of the inputs, or the next of the scalars. */
static int irl__graph_json_arguments(irl__graph_reader *r, const irl__json *row, int number,
                                     const irl__graph_func *func, irl__graph_given *given)
{
    const irl__json *inputs = irl__graph_json_member(r, row, "inputs", '['),
                    *scalars = irl__json_member(row, "scalars"), *in, *scalar;
    if (!inputs) return 0;
    in = inputs->first;
    scalar = scalars && scalars->kind == '[' ? scalars->first : NULL;
    for (int k = 0; k < func->argument_count; k++) {
        const irl__param *p = &func->f->params[irl__graph_param(func, k, 0)];
        const irl__json **from = p->buffer ? &in : &scalar;
        if (!*from)
            return irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, irl__json_loc(inputs),
                             "'%s' takes %d arguments; none is given for '%s'", func->f->name,
                             func->argument_count, p->name);
        given[k].loc = irl__json_loc(*from);
        if (p->buffer) given[k].tensor = irl__graph_json_reference(r, in, number);
        else if (scalar->kind != '"') return irl__graph_bad_json(r, scalar, "a constant, as text");
        else given[k].scalar = irl__graph_parse_scalar(r->cx, scalar->text, p->var->type);
        if (!given[k].tensor && !given[k].scalar) return irl__fail_at(r->cx, given[k].loc);
        *from = (*from)->next;
    }
    return (!in && !scalar) || irl__graph_bad_json(r, in ? in : scalar, "no more arguments");
}

static int irl__graph_json_results(irl__graph_reader *r, const irl__json *row,
                                   const irl__graph_func *func, irl__graph_given *given)
{
    const irl__json *list = irl__json_member(row, "results"),
                    *one = list && list->kind == '[' ? list->first
                                                     : irl__json_member(row, "name");
    if (list && list->kind == '[' && list->count != func->result_count)
        return irl__graph_bad_json(r, list, "a name for each result");
    for (int k = 0; k < func->result_count; k++, one = list ? one->next : NULL) {
        if (!one || one->kind != '"')
            return irl__graph_bad_json(r, one ? one : row, "results: a name for each");
        given[k].tensor = irl__namez(r->cx, one->text);
        given[k].loc = irl__json_loc(one);
        if (!given[k].tensor) return 0;
    }
    return 1;
}

static int irl__graph_json_node(irl__graph_reader *r, const irl__json *row, int number)
{
    const irl__json  *attrs = irl__graph_json_member(r, row, "attrs", '{');
    const irl__json  *name = attrs ? irl__graph_json_member(r, attrs, "func_name", '"') : NULL;
    const char       *interned = name ? irl__namez(r->cx, name->text) : NULL;
    irl__graph_given *given;
    if (!interned) return 0;
    const irl__graph_func *func = (const irl__graph_func *)irl__ptr_map_get(&r->m.funcs, interned);
    if (!func)
        return irl__fail(r->cx, IRL_ERROR_UNKNOWN_NAME, irl__json_loc(name),
                         "'functions' has no function '%s'", interned);
    given = IRL__NEW(r->cx, irl__graph_given,
                     (size_t)func->argument_count + (size_t)func->result_count);
    if (!given || !irl__graph_json_arguments(r, row, number, func, given) ||
        !irl__graph_json_results(r, row, func, given + func->argument_count) ||
        !irl__graph_add_node(&r->m, func, func->argument_count, given, func->result_count,
                             given + func->argument_count, irl__json_loc(row)))
        return 0;
    for (int k = 0; k < func->result_count; k++)
        if (!irl__graph_json_agrees(r, r->entries++)) return 0;
    return 1;
}

static int irl__graph_json_rows(irl__graph_reader *r)
{
    int k = 0;
    for (const irl__json *row = r->rows->first; row; row = row->next, k++) {
        r->first[k] = r->entries;
        const irl__json *op = irl__graph_json_member(r, row, "op", '"');
        if (!op || !(strcmp(op->text, "null") == 0 ? irl__graph_json_input(r, row)
                                                   : irl__graph_json_node(r, row, k)))
            return 0;
        r->first[k + 1] = r->entries;
    }
    return r->entries == r->entry_count ||
           irl__graph_bad_json(r, r->dtypes, "a type for each output of each row, and no more");
}

/* ------------------------------------------------------------------ the whole */

static int irl__graph_json_functions(irl__graph_reader *r, const irl__json *top)
{
    const irl__json *list = irl__graph_json_member(r, top, "functions", '['), *one;
    for (one = list ? list->first : NULL; one; one = one->next) {
        if (one->kind != '"') return irl__graph_bad_json(r, one, "a function, as text");
        if (!irl__graph_add_func(&r->m,
                                 irl_func_parse(r->cx, one->text, IRL_TO_NUL, NULL), NULL))
            return irl__fail_at(r->cx, irl__json_loc(one));
    }
    return list != NULL;
}

static int irl__graph_json_outputs(irl__graph_reader *r, const irl__json *top)
{
    const irl__json *heads = irl__graph_json_member(r, top, "heads", '['), *one;
    for (one = heads ? heads->first : NULL; one; one = one->next) {
        const char *name = irl__graph_json_reference(r, one, r->row_count);
        if (!name || !irl__graph_add_output(&r->m, name, irl__json_loc(one))) return 0;
    }
    return heads && (heads->count || irl__graph_bad_json(r, heads, "at least one output"));
}

/* ------------------------------------------------------------------ storage */

/* Two that have one storage: tensor b is written behind tensor a. */
static int irl__graph_json_shares(irl__graph_reader *r, const irl__json *id,
                                  const irl__json *const *scope, const int *last, int a, int b)
{
    const irl_graph_tensor *x = &r->m.g->tensors[a].is, *y = &r->m.g->tensors[b].is;
    if (scope && strcmp(scope[a]->text, scope[b]->text) != 0)
        return irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, irl__json_loc(id),
                         "'%s' and '%s' have storage %l, but are in scope %s and in %s", x->name,
                         y->name, id->integer, scope[a]->text, scope[b]->text);
    return last[a] < y->node ||
           irl__fail(r->cx, IRL_ERROR_BAD_GRAPH, irl__json_loc(id),
                     "'%s' and '%s' have storage %l, and are needed at the same time", x->name,
                     y->name, id->integer);
}

/* The ids as integers, and the tensors in their order. False with a diagnostic. */
static int irl__graph_json_ids(irl__graph_reader *r, const irl__json *const *ids,
                               const irl__json *const *scopes, int64_t *key, int *order)
{
    for (int k = 0; k < r->entry_count; k++) {
        if (ids[k]->kind != '0' || !ids[k]->is_integer || ids[k]->integer < 0)
            return irl__graph_bad_json(r, ids[k], "a storage_id, an integer from 0 on");
        if (scopes && scopes[k]->kind != '"')
            return irl__graph_bad_json(r, scopes[k], "a storage_scope, a string");
        if (scopes && strncmp(scopes[k]->text, "texture:", 8) == 0 &&
            irl_scope_find(scopes[k]->text) < 0)
            return irl__graph_bad_json(r, scopes[k],
                                       "texture, texture:weight, texture:volume or texture:buffer, "
                                       "the storage_scopes of images");
        key[k] = ids[k]->integer;
        order[k] = k;
    }
    return irl__pool_sort(r->cx, r->entry_count, order, key);
}

/* Inputs are kept from run to run, outputs to the end. */
static int irl__graph_json_storage(irl__graph_reader *r, const irl_graph *g)
{
    const size_t      count = (size_t)r->entry_count + 1;
    const irl__json **ids = r->ids ? irl__graph_json_array(r->cx, r->ids) : NULL;
    const irl__json **scopes = r->scopes ? irl__graph_json_array(r->cx, r->scopes) : NULL;
    int64_t          *key = IRL__SCRATCH(r->cx, int64_t, count);
    int              *order = IRL__SCRATCH(r->cx, int, count);
    int              *last = IRL__SCRATCH(r->cx, int, count);
    int               k, longest;
    if (!r->ids) return 1;
    if (!ids || (r->scopes && !scopes) || !key || !order || !last ||
        !irl__graph_json_ids(r, ids, scopes, key, order))
        return 0;
    irl__graph_last_uses(g, last);
    for (k = 0; k < r->entry_count; k++)
        if (g->tensors[k].is.node < 0 || g->tensors[k].is.is_output) last[k] = INT32_MAX;
    for (k = 1, longest = 0; k < r->entry_count; k++) {
        const int one = order[k];
        if (key[one] != key[order[k - 1]]) longest = k;
        else if (!irl__graph_json_shares(r, ids[one], scopes, last, order[longest], one)) return 0;
        else if (last[one] >= last[order[longest]]) longest = k;
    }
    return 1;
}

static int irl__graph_json_lists(irl__graph_reader *r, const irl__json *top)
{
    const irl__json *attrs = irl__graph_json_member(r, top, "attrs", '{'), *list;
    r->rows = irl__graph_json_member(r, top, "nodes", '[');
    if (!attrs || !r->rows) return 0;
    list = irl__json_member(attrs, "dltype");
    if (!list || list->kind != '[' || list->count != 2)
        return irl__graph_bad_json(r, list ? list : attrs, "dltype: [\"list_str\", [...]]");
    r->entry_count = list->first->next->count;
    r->row_count = r->rows->count;
    r->dtypes = irl__graph_json_attr(r, attrs, "dltype", 1);
    r->shapes = r->dtypes ? irl__graph_json_attr(r, attrs, "shape", 1) : NULL;
    r->ids = r->shapes ? irl__graph_json_attr(r, attrs, "storage_id", 0) : NULL;
    r->scopes = r->ids ? irl__graph_json_attr(r, attrs, "storage_scope", 0) : NULL;
    if (!r->scopes) return 0;
    if (r->ids == attrs) r->ids = NULL; /* it is left out */
    if (r->scopes == attrs) r->scopes = NULL;
    r->dtype = irl__graph_json_array(r->cx, r->dtypes);
    r->shape = irl__graph_json_array(r->cx, r->shapes);
    r->first = IRL__SCRATCH(r->cx, int, (size_t)r->row_count + 2);
    return r->dtype && r->shape && r->first;
}

irl_graph *irl_graph_load(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    size_t at = 0;
    if (!irl__parse_text_given(cx, text)) return NULL;
    if (length == IRL_TO_NUL) length = strlen(text);
    while (at < length && strchr(" \t\r\n", text[at])) at++;
    return at < length && text[at] == '{' ? irl_graph_parse_json(cx, text, length, file)
                                          : irl_graph_parse(cx, text, length, file);
}

irl_graph *irl_graph_parse_json(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    irl__graph_reader r;
    irl_graph        *g = NULL;
    const irl__json  *top;
    if (!irl__parse_text_given(cx, text)) return NULL;
    memset(&r, 0, sizeof r);
    r.cx = cx;
    top = irl__json_read(cx, text, length == IRL_TO_NUL ? strlen(text) : length, file);
    if (!top) return NULL;
    irl__arena_mark  mark = irl__scratch_begin(cx);
    const irl__json *name = irl__json_member(top, "name");
    if (irl__graph_begin(&r.m, cx, irl__namez(cx, name && name->text ? name->text : "net")) &&
        irl__graph_json_lists(&r, top) && irl__graph_json_functions(&r, top) &&
        irl__graph_json_rows(&r) && irl__graph_json_outputs(&r, top))
        g = irl__graph_end(&r.m);
    if (g && !irl__graph_json_storage(&r, g)) g = NULL;
    irl__scratch_end(cx, mark);
    return g;
}
