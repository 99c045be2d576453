/* parse_graph.c - reading a graph.

   needs     the parser of functions; graph.c, which verifies each line as it is read
   promises  a graph or a diagnostic at the token that is wrong, for any bytes; time linear in the
             text but for the parameters of a call */
#include "graph.h"

/* A name of the graph's; *out is interned. */
static int irl__graph_parse_name(irl__parser *p, irl__graph_given *out, const char *expected)
{
    memset(out, 0, sizeof *out);
    out->loc = irl__here(p);
    out->tensor = irl__expect_symbol(p, expected);
    return out->tensor != NULL;
}

/* A word that starts a line, rather than a tensor of that name. */
static int irl__graph_at_line(irl__parser *p, irl__word word)
{
    return irl__at_word(p, word) && irl__next_char(p) != '=';
}

/* input name: type[extents]; */
static int irl__graph_parse_input(irl__parser *p, irl__graph_maker *m)
{
    irl__graph_given name;
    irl_type         type;
    int64_t          extent[IRL_MAX_RANK];
    size_t           base = p->expr_count;
    int              rank;
    irl__next(p);
    if (!irl__graph_parse_name(p, &name, "the name of the input") ||
        !irl__expect(p, ':', "':' and the type of the input, as in x: f32[4, 4]") ||
        !irl__parse_type(p, &type) || !irl__parse_shape(p, &rank))
        return 0;
    if (type.is_pointer || irl_type_equal(type, irl__type_index()))
        return irl__fail(p->cx, IRL_ERROR_BAD_TYPE, name.loc,
                         "the elements of an input cannot be pointers or indices; found %s",
                         irl__type_cstr(p->cx, type));
    for (int k = 0; k < rank; k++) {
        const irl_expr *e = p->exprs[base + (size_t)k];
        if (!irl__is_const(e))
            return irl__fail(p->cx, IRL_ERROR_BAD_GRAPH, name.loc,
                             "extent %d of the input '%s' is not a number", k, name.tensor);
        extent[k] = e->u.i;
    }
    p->expr_count = base;
    return irl__graph_add_input(m, name.tensor, type, rank, extent, name.loc) &&
           irl__expect(p, ';', "';' after the input");
}

/* Both sides of a node, in scratch memory. */
typedef struct irl__graph_call {
    irl__graph_given      *results, *arguments;
    const irl__graph_func *func;
    irl_loc                loc;
} irl__graph_call;

/* A tensor by its name; for a scalar a constant of its type. */
static int irl__graph_parse_argument(irl__parser *p, irl__graph_call *call)
{
    const int         k = irl__graph_param(call->func, (int)stbds_arrlen(call->arguments), 0);
    const irl__param *param = k >= 0 ? &call->func->f->params[k] : NULL;
    irl__graph_given  one;
    const uint32_t    at = p->token.offset;
    if (param && !param->buffer) {
        memset(&one, 0, sizeof one);
        one.loc = irl__here(p);
        one.scalar = irl__parse_typed(p, param->var->type);
        if (!one.scalar) return irl__failed_at(p, at);
        one.scalar = irl__simplify_alone(p->cx, one.scalar);
    } else if (!irl__graph_parse_name(p, &one, "the name of a tensor, or ')'")) return 0;
    return IRL__PUSH_SCRATCH(p->cx, call->arguments, one);
}

static int irl__graph_parse_callee(irl__parser *p, irl__graph_maker *m, irl__graph_call *call)
{
    irl__graph_given name;
    call->loc = irl__here(p);
    if (!irl__graph_parse_name(p, &name, "the name of a function of the graph")) return 0;
    call->func = (const irl__graph_func *)irl__ptr_map_get(&m->funcs, name.tensor);
    return call->func || irl__fail(p->cx, IRL_ERROR_UNKNOWN_NAME, name.loc,
                                   "no function '%s' is defined before this", name.tensor);
}

/* results = function(arguments); */
static int irl__graph_parse_node(irl__parser *p, irl__graph_maker *m)
{
    irl__graph_call call;
    memset(&call, 0, sizeof call);
    irl__graph_given one;
    const int        many = irl__accept(p, '(');
    while (!many || p->token.kind != ')') {
        if (call.results && !irl__expect(p, ',', "',' and the next result, or ')'")) return 0;
        if (!irl__graph_parse_name(p, &one,
                                   "the name of a result; or func, input, output, or '}'") ||
            !IRL__PUSH_SCRATCH(p->cx, call.results, one))
            return 0;
        if (!many) break;
    }
    if ((many && !irl__expect(p, ')', "')' after the results")) ||
        !irl__expect(p, '=', "'=' and a function of its arguments: y = f(x)") ||
        !irl__graph_parse_callee(p, m, &call) || !irl__expect(p, '(', "'(' and the arguments"))
        return 0;
    while (irl__another(p, ')', stbds_arrlen(call.arguments),
                        "',' and the next argument, or ')'"))
        if (!irl__graph_parse_argument(p, &call)) return 0;
    return irl__ok(p->cx) &&
           irl__graph_add_node(m, call.func, (int)stbds_arrlen(call.arguments), call.arguments,
                               (int)stbds_arrlen(call.results), call.results, call.loc) &&
           irl__expect(p, ';', "';' after the node");
}

static int irl__graph_parse_line(irl__parser *p, irl__graph_maker *m)
{
    if (irl__graph_at_line(p, IRL__WORD_FUNC) || irl__graph_at_line(p, IRL__WORD_HOST) ||
        irl__graph_at_line(p, IRL__WORD_KERNEL))
        return irl__graph_add_func(m, irl__parse_named_func(p), NULL);
    if (irl__graph_at_line(p, IRL__WORD_INPUT)) return irl__graph_parse_input(p, m);
    if (irl__graph_at_line(p, IRL__WORD_OUTPUT)) {
        /* output a, b; */
        irl__graph_given name;
        irl__next(p);
        do {
            if (!irl__graph_parse_name(p, &name, "the name of a tensor that is an output") ||
                !irl__graph_add_output(m, name.tensor, name.loc))
                return 0;
        } while (irl__accept(p, ','));
        return irl__expect(p, ';', "',' or ';' after the output");
    }
    return irl__graph_parse_node(p, m);
}

static irl_graph *irl__graph_parse(irl__parser *p, irl__graph_maker *m)
{
    irl__graph_given name;
    if (!irl__parse_definitions(p) || !irl__expect_word(p, IRL__WORD_GRAPH, "graph") ||
        !irl__graph_parse_name(p, &name, "the name of the graph") ||
        !irl__expect(p, '{', "'{' and functions, inputs, nodes and outputs") ||
        !irl__graph_begin(m, p->cx, name.tensor))
        return NULL;
    while (p->token.kind != '}')
        if (!irl__graph_parse_line(p, m)) return NULL;
    irl__next(p);
    if (!irl__expect_end(p)) return NULL;
    if (irl__ok(p->cx) && !m->g->outputs)
        irl__fail(p->cx, IRL_ERROR_BAD_GRAPH, name.loc, "the graph '%s' has no output",
                  m->g->name);
    return irl__graph_end(m);
}

irl_graph *irl_graph_parse(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    irl__graph_maker m;
    irl__parser      p;
    if (!irl__parse_begin_code(&p, cx, text, length, file, 1, 0)) return NULL;
    irl_graph *g = irl__graph_parse(&p, &m);
    return irl__parse_end(&p) ? g : NULL;
}

const irl_expr *irl__graph_parse_scalar(irl_ctx *cx, const char *text, irl_type type)
{
    irl__parser p;
    if (!irl__parse_begin_code(&p, cx, text, IRL_TO_NUL, NULL, 1, 0)) return NULL;
    const irl_expr *e = irl__parse_typed(&p, type);
    return irl__parse_end(&p) && e ? irl__simplify_alone(cx, e) : NULL;
}

static const char *irl__graph_again(irl_ctx *cx, const char *text, size_t length)
{
    return irl_graph_text(irl_graph_parse(cx, text, length, NULL));
}

const char *irl_graph_text_named(const irl_graph *g)
{
    const irl__source *source = g && g->func_count ? g->funcs[0]->f->loc.source : NULL;
    return g ? irl__text_named(g->cx, source, irl_graph_text(g), irl__graph_again) : "";
}
