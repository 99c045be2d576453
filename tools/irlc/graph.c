/* graph.c - `irlc graph`: a graph of functions, read, verified and printed. */
#include "irlc.h"

static const char *tensor_kind(const irl_graph_tensor *t)
{
    return t->node < 0 ? "input" : t->is_output ? "output" : "between";
}

static void json_tensors(irlc_json *j, irl_ctx *cx, const irl_graph *g)
{
    int k;
    json_key(j, "tensors");
    json_open(j, '[');
    for (k = 0; k < irl_graph_tensor_count(g); k++) {
        const irl_graph_tensor *t = irl_graph_tensor_of(g, k);
        json_next(j);
        json_open(j, '{');
        json_text(j, "name", t->name);
        json_text(j, "type", irl_type_text(cx, t->type));
        json_shape(j, "shape", &t->shape);
        json_text(j, "kind", tensor_kind(t));
        json_int(j, "node", t->node);
        json_close(j, '}');
    }
    json_close(j, ']');
}

irlc_status command_graph(const irlc_args *args)
{
    irlc_program p;
    irlc_json    j = { args->cx, 0 };
    irlc_status  status = read_program(args, &p);
    if (status != IRLC_YES) return status;
    if (!p.graph) return bad_input(args, "the file holds no graph", args->item[0]);
    if (!has(args, OPT_JSON)) {
        fputs(irl_graph_text(p.graph), stdout);
        return irl_ok(args->cx) ? IRLC_YES : failed(args);
    }
    json_open(&j, '{');
    json_text(&j, "name", irl_graph_name(p.graph));
    json_text(&j, "text", irl_graph_text(p.graph));
    json_tensors(&j, args->cx, p.graph);
    json_end(&j);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}
