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

/* What is set stays set from run to run; what is not is said. */
static void check_many_runs(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "graph g { func mul(x: f32[n, 6], w: f32[6], y: f32[n, 6]) layout(y: (i, j) -> (i, j / 4, "
        "j % 4)) { for (i: n, j: 6) y[i, j] = x[i, j] * w[j]; } func rows(x: f32[n, 6], y: f32[n]) "
        "{ for (i: n) y[i] = x[i, 0] + x[i, 5]; } input x: f32[3, 6]; input w: f32[6]; t = mul(x, "
        "w); y = rows(t); output t, y; }";
    irl_mark        mark = irl_ctx_mark(cx);
    irl_module     *m = irl_graph_lower(irl_graph_parse(cx, text, IRL_TO_NUL, NULL),
                                        &irl_target_opencl12);
    irl_ocl_graph  *net = irl_ocl_graph_create(cl, m);
    irl_mark        ready = irl_ctx_mark(cx);
    float           x_data[18], w[6], y_data[3], t[18];
    int             run, k, wrong = 0;
    if (!CHECK(net != NULL)) printf("%s\n", irl_diag_text(cx));
    for (k = 0; k < 6; k++) w[k] = (float)(k + 1);
    CHECK(irl_ocl_graph_set(net, "w", w) && !irl_ocl_graph_run(net));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    CHECK(strstr(irl_diag_text(cx), "the input 'x' was not set") != NULL);
    irl_ctx_rewind(cx, ready);
    CHECK(!irl_ocl_graph_set(net, "z", w));
    CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
    irl_ctx_rewind(cx, ready);
    for (run = 0; run < 20; run++) {
        for (k = 0; k < 18; k++) x_data[k] = (float)(k + run);
        CHECK(irl_ocl_graph_set(net, "x", x_data) && irl_ocl_graph_run(net) &&
              irl_ocl_graph_get(net, "y", y_data) && irl_ocl_graph_get(net, "t", t));
        for (k = 0; k < 18; k++) wrong += t[k] != x_data[k] * w[k % 6];
        for (k = 0; k < 3; k++)
            wrong += y_data[k] != x_data[6 * k] * w[0] + x_data[6 * k + 5] * w[5];
    }
    CHECK(wrong == 0);
    CHECK_OK(cx);
    irl_ocl_graph_destroy(net);
    irl_ocl_graph_destroy(NULL);
    m = irl_func_lower(irl_func_parse(cx, "func f(n: index, y: f32[8]) { for (i: 8) y[i] = f32(n); "
                                          "}", IRL_TO_NUL, NULL), &irl_target_opencl12);
    CHECK(!irl_ocl_graph_create(cl, m));
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
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
    if (cl && argc < 2) check_many_runs(cl, cx);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
