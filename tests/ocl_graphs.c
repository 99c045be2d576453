/* ocl_graphs.c - generated graphs on a device: one module of all nodes gives what the interpreter
   gives node by node.

   usage  ocl_graphs [FIRST [COUNT]]     seeds of generated graphs */
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "generate_graph.h"
#include "test.h"

static const char *const targets[] = { "opencl12", "strict", "opencl12-embedded" };

static void check_seed(irl_ocl *cl, irl_ctx *cx, unsigned long seed)
{
    static graph_gen gen;
    irl_mark         mark = irl_ctx_mark(cx);
    graph_data       expected, d;
    irl_graph       *g;
    irl_module      *m;
    graph_generate(&gen, seed, 1 + (int)(seed % 5));
    g = irl_graph_parse(cx, gen.text, IRL_TO_NUL, "generated");
    m = irl_graph_lower(g, irl_target_find(targets[seed % 3]));
    if (CHECK(m != NULL)) {
        graph_data_new(&expected, g, seed);
        graph_data_new(&d, g, seed);
        if (!CHECK(graph_run_nodes(g, &expected) && irl_ocl_run(cl, m, graph_arguments(g, &d)) &&
                   graph_same(g, &d, &expected)))
            printf("seed %lu: %s\n%s\n%s\n", seed, irl_diag_text(cx), gen.text,
                   irl_module_text(m));
        graph_data_free(&expected);
        graph_data_free(&d);
    } else printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), gen.text);
    irl_ctx_rewind(cx, mark);
}

int main(int argc, char **argv)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_ocl      *cl = irl_ocl_create(cx, NULL);
    unsigned long seed, first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(40);
    if (!cl) TEST_NO_DEVICE(cx);
    test_seeds(first, n);
    for (seed = first; cl && seed < first + (unsigned long)n; seed++) check_seed(cl, cx, seed);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
