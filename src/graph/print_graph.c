/* print_graph.c - a graph as text.

   needs     the printer of functions
   promises  what is printed reads back as an equal graph: functions, inputs, nodes in order,
             outputs */
#include "graph.h"

static void irl__graph_print_node(irl__text *t, const irl_graph *g, const irl__graph_node *node)
{
    irl__text_puts(t, "    ");
    const int n = node->func->result_count;
    if (n != 1) irl__text_putc(t, '(');
    for (int k = 0; k < n; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__print_symbol(t,
                          g->tensors[node->is.tensors[irl__graph_param(node->func, k, 1)]].is.name);
    }
    if (n != 1) irl__text_putc(t, ')');
    irl__text_puts(t, " = ");
    irl__print_symbol(t, node->is.func->name);
    irl__text_putc(t, '(');
    for (int k = 0; k < node->func->argument_count; k++) {
        const int p = irl__graph_param(node->func, k, 0);
        if (k) irl__text_puts(t, ", ");
        if (node->is.scalars[p]) irl__print_expr(t, node->is.scalars[p]);
        else irl__print_symbol(t, g->tensors[node->is.tensors[p]].is.name);
    }
    irl__text_puts(t, ");\n");
}

void irl__print_graph(irl__text *t, const irl_graph *g)
{
    int k;
    irl__text_puts(t, "graph ");
    irl__print_symbol(t, g->name);
    irl__text_puts(t, " {\n");
    for (k = 0; k < g->func_count; k++) {
        irl__print_func_at(t, g->funcs[k]->f, 1);
        irl__text_putc(t, '\n');
    }
    for (k = 0; k < g->input_count; k++) {
        irl__text_puts(t, "    input ");
        irl__print_symbol(t, g->tensors[g->inputs[k]].is.name);
        irl__text_puts(t, ": ");
        irl__type_text(t, g->tensors[g->inputs[k]].is.type);
        const irl_shape *shape = &g->tensors[g->inputs[k]].is.shape;
        irl__text_numbers(t, "[]", shape->rank, shape->extent);
        irl__text_puts(t, ";\n");
    }
    for (k = 0; k < g->node_count; k++) irl__graph_print_node(t, g, &g->nodes[k]);
    for (k = 0; k < g->output_count; k++) {
        irl__text_puts(t, k ? ", " : "    output ");
        irl__print_symbol(t, g->tensors[g->outputs[k]].is.name);
    }
    irl__text_puts(t, ";\n}\n");
}

const char *irl_graph_text(const irl_graph *g)
{
    irl__text t;
    if (!g) return "";
    irl__text_init(&t, g->cx);
    irl__print_graph(&t, g);
    return irl__text_or_empty(irl__text_done(&t));
}
