/* ocl_graphs.c - generated graphs on a device: one module of all nodes gives what the interpreter
   gives node by node.

   usage  ocl_graphs [FIRST [COUNT]]     seeds of generated graphs */
#define _GNU_SOURCE
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/ocl/runtime.h"
#endif
#include "../bench/networks.h"
#include "generate_graph.h"
#include "ocl_device.h"
#include "place_graph.h"
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const targets[] = { "opencl12", "strict", "opencl12-embedded" };

static int placed, poisoned_images, prepared;

/* Recorded once and run three times, what is dead overwritten behind each launch: the same each
   time. Every second input stays the same, and what is made of these alone is made once. */
static int run_recorded(irl_ocl *cl, const irl_graph *g, const irl_module *m, const graph_data *d,
                        const graph_data *expected)
{
    char           weights[GRAPH_TEXT] = "";
    irl_ocl_graph *net;
    int            run, k, ok;
    for (k = expected->count[0] & 1; k < irl_graph_input_count(g); k += 2) {
        strcat(weights, irl_graph_tensor_of(g, irl_graph_input(g, k))->name);
        strcat(weights, ", ");
    }
    net = irl_ocl_graph_create_prepared(cl, m, weights);
    prepared += irl_module_prepare(m, weights).prepare != NULL;
    ok = net != NULL;
    for (k = 0; ok && k < irl_graph_input_count(g); k++) {
        const int t = irl_graph_input(g, k);
        ok = irl_ocl_graph_set(net, irl_graph_tensor_of(g, t)->name, d->data[t]);
    }
    for (run = 0; ok && run < 3; run++) {
        ok = irl_ocl_graph_run(net);
        for (k = 0; ok && k < irl_graph_output_count(g); k++) {
            const int t = irl_graph_output(g, k);
            if (d->count[t]) memset(d->data[t], run, (size_t)d->count[t] * sizeof *d->data[t]);
            ok = irl_ocl_graph_get(net, irl_graph_tensor_of(g, t)->name, d->data[t]);
        }
        ok = ok && graph_same(g, d, expected);
    }
    irl_ocl_graph_destroy(net);
    return ok;
}

/* The graph with places that are drawn, images among them. */
static void check_placed(irl_ocl *cl, irl_ctx *cx, const irl_graph *g, const graph_data *expected,
                         unsigned long seed)
{
    collect_state             state;
    irl_graph_storage_options how;
    graph_data                d;
    const irl_graph          *other;
    const irl_module         *m;
    const char               *places = "";
    memset(&how, 0, sizeof how);
    memset(&state, 0, sizeof state);
    how.collect = collect_random;
    how.user = &state;
    state.cx = cx;
    state.state = seed;
    state.has_images = 1;
    other = irl_graph_place_tensors(g, &irl_target_opencl12, &how, &places);
    m = irl_graph_lower(other, &irl_target_opencl12);
    graph_data_new(&d, g, seed);
    if (!CHECK(m && run_recorded(cl, other, m, &d, expected)))
        printf("seed %lu: %s\n%s\n%s", seed, irl_diag_text(cx), places,
               m ? irl_module_text(m) : "");
    placed += strstr(places, ": texture ") != NULL;
    poisoned_images += m && strstr(irl_module_text(m), "scope(texture)") &&
                       irl_plan(m)->pool_count > 0;
    graph_data_free(&d);
}

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
        if (!CHECK(run_recorded(cl, g, m, &d, &expected)))
            printf("seed %lu, recorded: %s\n%s\n", seed, irl_diag_text(cx), irl_module_text(m));
        check_placed(cl, cx, g, &expected, seed);
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

/* What is made of weights is made again where one of them was set again, and only then. */
static void check_prepared(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "graph g { func scale(x: i32[n], y: i32[n]) { for (i: n) y[i] = x[i] * 3; }"
        " func dot(x: i32[n], w: i32[n], v: i32[n], y: i32[n]) {"
        " for (i: n) y[i] = x[i] * w[i] + v[i]; }"
        " input x: i32[8]; input w: i32[8]; v = scale(w); u = scale(x); y = dot(u, v, w);"
        " output y; }";
    irl_mark       mark = irl_ctx_mark(cx);
    irl_module    *m = irl_graph_lower(irl_graph_parse(cx, text, IRL_TO_NUL, NULL),
                                       &irl_target_opencl12);
    irl_ocl_graph *net = irl_ocl_graph_create_prepared(cl, m, "w");
    irl_mark       ready = irl_ctx_mark(cx);
    int32_t        x[8], w[8], y[8];
    int            run, k, wrong = 0;
    CHECK(net && irl_ocl_graph_launch_count(net) == 2);
    for (k = 0; k < 8; k++) x[k] = k - 3, w[k] = 5 - k;
    CHECK(irl_ocl_graph_set(net, "x", x) && !irl_ocl_graph_run(net));
    CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    CHECK(strstr(irl_diag_text(cx), "the input 'w' was not set") != NULL);
    irl_ctx_rewind(cx, ready);
    for (run = 0; run < 6; run++) {
        if (run == 3) w[2] = 11;
        if (run % 3 == 0) CHECK(irl_ocl_graph_set(net, "w", w));
        x[0] = run;
        CHECK(irl_ocl_graph_set(net, "x", x) && irl_ocl_graph_run(net) &&
              irl_ocl_graph_get(net, "y", y));
        for (k = 0; k < 8; k++) wrong += y[k] != x[k] * 3 * w[k] * 3 + w[k];
    }
    CHECK(wrong == 0);
    CHECK_OK(cx);
    irl_ocl_graph_destroy(net);
    CHECK(!irl_ocl_graph_create_prepared(cl, m, "y"));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
}

/* Two image temporaries, 20 runs: two images, and no buffer more. */
static void check_images_kept(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "graph g { func up(x: f32[8, 5, 4], y: f32[8, 5, 4] scope(texture)) { for (i: 8, j: 5, c: "
        "4) y[i, j, c] = x[i, j, c] + 1.0; } func twice(x: f32[8, 5, 4] scope(texture), y: f32[8, "
        "5, 4] scope(texture)) { for (i: 8, j: 5, c: 4) y[i, j, c] = x[i, j, c] * 2.0; } func "
        "down(x: f32[8, 5, 4] scope(texture), y: f32[8, 5, 4]) { for (i: 8, j: 5, c: 4) y[i, j, c] "
        "= x[i, j, c] - 3.0; } input x: f32[8, 5, 4]; a = up(x); b = twice(a); y = down(b); output "
        "y; }";
    irl_mark          mark = irl_ctx_mark(cx);
    irl_module       *m = irl_graph_lower(irl_graph_parse(cx, text, IRL_TO_NUL, NULL),
                                          &irl_target_opencl12);
    const irl_ocl_made before = irl_ocl_made_of(cl);
    irl_ocl_graph    *net = irl_ocl_graph_create(cl, m);
    irl_ocl_made      made = irl_ocl_made_of(cl);
    float             x[160], y[160];
    int               run, k, wrong = 0;
    if (!CHECK(net != NULL)) printf("%s\n", irl_diag_text(cx));
    CHECK(made.images - before.images == 2);
    for (run = 0; run < 20; run++) {
        for (k = 0; k < 160; k++) x[k] = (float)(k * run % 17);
        CHECK(irl_ocl_graph_set(net, "x", x) && irl_ocl_graph_run(net) &&
              irl_ocl_graph_get(net, "y", y));
        for (k = 0; k < 160; k++) wrong += y[k] != (x[k] + 1) * 2 - 3;
    }
    CHECK(wrong == 0);
    CHECK(irl_ocl_made_of(cl).images == made.images && irl_ocl_made_of(cl).buffers == made.buffers);
    CHECK(irl_ocl_graph_launch_count(net) == 3 &&
          strcmp(irl_ocl_graph_launch_of(net, 1).writes, "b") == 0 &&
          irl_ocl_graph_launch_of(net, 3).kernel[0] == '\0');
    CHECK(irl_ocl_graph_time(net, 1) == -1); /* the queue takes no times */
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ocl_graph_destroy(net);
    irl_ctx_rewind(cx, mark);
}

/* A chain of 40 nodes, each with a weight of its own: 41 inputs. By names, and as tensors. */
static void check_many_inputs(irl_ocl *cl, irl_ctx *cx)
{
    enum { NODES = 40 };
    static char   text[8192];
    static float  w[NODES][3], x[12], y[12], expected[12];
    irl_mark      mark = irl_ctx_mark(cx);
    irl_tensor    tensors[NODES + 2];
    irl_module   *m;
    irl_ocl_graph *net;
    irl_ocl_desc  desc;
    irl_ocl      *timed;
    char          name[16];
    size_t        n = (size_t)sprintf(text, "graph g { func f(x: f32[n, c], w: f32[c], "
                                            "y: f32[n, c]) { for (i: n, j: c) y[i, j] = "
                                            "x[i, j] * 0.5 + w[j]; } input t0: f32[4, 3]; ");
    int           k, j;
    for (k = 0; k < NODES; k++)
        n += (size_t)sprintf(text + n, "input w%d: f32[3]; t%d = f(t%d, w%d); ", k, k + 1, k, k);
    sprintf(text + n, "output t%d; }", NODES);
    memset(tensors, 0, sizeof tensors);
    for (k = 0; k < 12; k++) x[k] = (float)k, expected[k] = x[k];
    for (k = 0; k < NODES; k++)
        for (j = 0; j < 3; j++) w[k][j] = (float)(k + j);
    for (k = 0; k < NODES; k++)
        for (j = 0; j < 12; j++) expected[j] = expected[j] * 0.5f + w[k][j % 3];
    for (k = 0; k < NODES + 2; k++) {
        irl_tensor *t = &tensors[k];
        t->data = k == 0 ? x : k <= NODES ? w[k - 1] : y;
        t->type = irl_type_of(IRL_F32, 1);
        t->shape.rank = k == 0 || k > NODES ? 2 : 1;
        t->shape.extent[0] = k == 0 || k > NODES ? 4 : 3;
        t->shape.extent[1] = 3;
        t->bytes = k == 0 || k > NODES ? sizeof x : sizeof w[0];
    }
    m = irl_graph_lower(irl_graph_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12);
    CHECK(irl_ocl_run_tensors(cl, m, NODES + 2, tensors) && !memcmp(y, expected, sizeof y));
    memset(y, 0, sizeof y);
    CHECK(irl_module_interpret_tensors(m, NODES + 2, tensors) && !memcmp(y, expected, sizeof y));
    memset(y, 0, sizeof y);
    memset(&desc, 0, sizeof desc);
    desc.profiling = 1;
    timed = irl_ocl_create(cx, &desc);
    net = irl_ocl_graph_create(timed, m);
    for (k = 0; k < NODES; k++) {
        sprintf(name, "w%d", k);
        CHECK(irl_ocl_graph_set(net, name, w[k]));
    }
    sprintf(name, "t%d", NODES);
    CHECK(irl_ocl_graph_set(net, "t0", x) && irl_ocl_graph_time(net, 2) > 0 &&
          irl_ocl_graph_get(net, name, y) && !memcmp(y, expected, sizeof y));
    for (k = 0; k < NODES; k++) CHECK(irl_ocl_graph_launch_of(net, k).nanoseconds > 0);
    CHECK_OK(cx);
    irl_ocl_graph_destroy(net);
    irl_ocl_destroy(timed);
    irl_ctx_rewind(cx, mark);
}

/* A network of plain texts, fused: each layer beside plain C, on the device and in the
   interpreter. */
static void check_network(irl_ocl *cl, irl_ctx *cx, const network *n, const irl_target *target,
                          const irl_graph_storage_options *how, int has_interpreter)
{
    static net_text text;
    static float   *y[NET_LAYERS];
    irl_mark        mark = irl_ctx_mark(cx);
    irl_tensor      tensors[1 + 3 * NET_LAYERS];
    irl_graph      *g;
    irl_module     *m;
    irl_ocl_graph  *net;
    net_data        d;
    const char     *places = "";
    char            weights[NET_LAYERS * 16] = "";
    int             k, j;
    net_data_new(n, &d);
    net_graph_text(n, 1, &text);
    g = irl_graph_fuse(irl_graph_parse(cx, text.text, text.length, n->name), NULL);
    if (how) g = irl_graph_place_tensors(g, target, how, &places);
    m = irl_graph_lower(g, target);
    for (k = 1; k < irl_graph_input_count(g); k++) {
        strcat(weights, irl_graph_tensor_of(g, irl_graph_input(g, k))->name);
        strcat(weights, ",");
    }
    net = irl_ocl_graph_create_prepared(cl, m, weights);
    prepared += irl_module_prepare(m, weights).prepare != NULL;
    if (how && how->collect) CHECK(strstr(places, "y0: global (n, h, w, c) -> (n, c / 4, h, w,"));
    else if (how) CHECK(strstr(places, "y0: texture "));
    if (!CHECK(net != NULL)) printf("%s\n%s\n", text.text, irl_diag_text(cx));
    for (k = 0; k < n->count; k++) {
        y[k] = net_floats(net_out_count(&n->layers[k]));
        net_plain_layer(n, &d, k);
    }
    memset(tensors, 0, sizeof tensors);
    for (j = 0; net && j < irl_graph_input_count(g) + irl_graph_output_count(g); j++) {
        const int               is_out = j >= irl_graph_input_count(g);
        const irl_graph_tensor *t = irl_graph_tensor_of(
            g, is_out ? irl_graph_output(g, j - irl_graph_input_count(g)) : irl_graph_input(g, j));
        k = atoi(t->name + 1);
        tensors[j].type = t->type;
        tensors[j].shape = t->shape;
        tensors[j].bytes = (size_t)irl_shape_count(t->shape) * sizeof(float);
        tensors[j].data = t->name[0] == 'i'   ? d.image
                          : t->name[0] == 'k' ? d.weights[k]
                          : t->name[0] == 'b' ? d.bias[k]
                                              : y[k];
        if (!is_out) CHECK(irl_ocl_graph_set(net, t->name, tensors[j].data));
    }
    CHECK(irl_ocl_graph_run(net));
    for (k = 0; k < n->count; k++) {
        char name[16];
        sprintf(name, "y%d", k);
        CHECK(irl_ocl_graph_get(net, name, y[k]));
        CHECK(net_difference(net_out_count(&n->layers[k]), y[k], d.out[k]) < 1e-4);
        memset(y[k], 0, net_out_count(&n->layers[k]) * sizeof(float));
    }
    if (has_interpreter && CHECK(irl_module_interpret_tensors(m, j, tensors)))
        for (k = 0; k < n->count; k++)
            CHECK(net_difference(net_out_count(&n->layers[k]), y[k], d.out[k]) < 1e-4);
    if (!CHECK_OK(cx)) printf("%s\n", irl_diag_text(cx));
    for (k = 0; k < n->count; k++) free(y[k]);
    net_data_free(n, &d);
    irl_ocl_graph_destroy(net);
    irl_ctx_rewind(cx, mark);
}

static void check_networks(irl_ocl *cl, irl_ctx *cx)
{
    static network            n;
    irl_graph_storage_options blocked, images;
    memset(&blocked, 0, sizeof blocked);
    memset(&images, 0, sizeof images);
    blocked.collect = net_collect_nchw4c;
    blocked.user = cx;
    net_mobilenet(&n, 32, 8);
    check_network(cl, cx, &n, &irl_target_opencl12, NULL, 1);
    check_network(cl, cx, &n, &irl_target_opencl12, &blocked, 1);
    check_network(cl, cx, &n, &irl_target_adreno, &images, 1);
    net_mobilenet(&n, 33, 4); /* odd sides */
    check_network(cl, cx, &n, &irl_target_opencl12, NULL, 0);
    net_resnet(&n, 32, 16);
    check_network(cl, cx, &n, &irl_target_opencl12, NULL, 1);
    check_network(cl, cx, &n, &irl_target_opencl12, &blocked, 0);
    check_network(cl, cx, &n, &irl_target_adreno, &images, 0);
}

/* Text and JSON, loaded; what the device lacks is seen before a kernel is built: sides that it has
   not, images that it cannot make, none at all. */
static void check_load(irl_ocl *cl, irl_ctx *cx)
{
    static const char text[] =
        "graph g { func inc(x: f32[n, h, w, c], y: f32[n, h, w, c]) { for (a: n, i: h, j: w, k: c) "
        "y[a, i, j, k] = x[a, i, j, k] + 1.0; } func sum(x: f32[n, h, w, c], y: f32[n]) { for (a: "
        "n) y[a] = sum(i: h, j: w, k: c, x[a, i, j, k]); } input x: f32[2, 6, 10, 8]; t = inc(x); "
        "y = sum(t); output y; }";
    static const struct {
        int64_t     side, texels, columns;
        int         no_images;
        const char *says;
        int         images, tries; /* of the network; made on trial before */
    } cases[] = {
        { 0, 0, 0, 0, "c / 4, c % 4): texture:nhwc, 20 x 12 texels\nt: texture (n, h, w, c) -> ",
          2, 2 },
        { 20, 0, 0, 0, "t: texture (n, h, w, c) -> (n, h, |, w, c / 4, c % 4): texture:nhwc", 2,
          2 },
        { 19, 0, 0, 0, "t: global: no image: none of ", 0, 0 },
        { 0, 239, 0, 0, "t: global: no image: 4 layouts refused, first texture:nhwc, 20 x 12 "
                        "texels: clCreateImage returned CL_MEM_OBJECT_ALLOCATION_FAILURE", 0, 0 },
        { 0, 0, 19, 0, "t: texture (n, h, w, c) -> (n, h, w, |, c / 4, c % 4): texture, 2 x 120 "
                       "texels; 1 refused before, first texture:nhwc, 20 x 12 texels: "
                       "clCreateImage returned", 2, 2 },
        { 0, 0, 1, 0, "t: global: no image: 4 layouts refused, first texture:nhwc, 20 x 12", 0,
          0 },
        { 0, 0, 0, 1, "t: global: no image: the device has none", 0, 0 },
    };
    static const char stated[] =
        "graph g { func inc(x: f32[3, 20, 4], y: f32[3, 20, 4] scope(texture)) { for (i: 3, j: 20, "
        "k: 4) y[i, j, k] = x[i, j, k] + 1.0; } func dec(x: f32[3, 20, 4] scope(texture), y: "
        "f32[3, 20, 4]) { for (i: 3, j: 20, k: 4) y[i, j, k] = x[i, j, k] - 1.0; } input x: f32[3, "
        "20, 4]; t = inc(x); y = dec(t); output y; }";
    float        x[960], y[2], expected[2] = { 0, 0 };
    const size_t count = sizeof cases / sizeof *cases;
    size_t       k;
    int          j, json;
    irl_mark     start;
    for (j = 0; j < 960; j++) x[j] = (float)(j % 7), expected[j / 480] += x[j] + 1;
    for (k = 0; k < 2 * count; k++) {
        const irl_mark        mark = irl_ctx_mark(cx);
        irl_ocl_graph_options how;
        irl_ocl_graph        *net;
        const char           *places;
        const irl_ocl_made    before = irl_ocl_made_of(cl);
        for (j = 0; j < IRL__RUNTIME_SPARE; j++) { /* all images are made anew */
            if (cl->spare[j]) clReleaseMemObject(cl->spare[j]);
            cl->spare[j] = NULL;
        }
        json = k >= count;
        memset(&how, 0, sizeof how);
        how.target = &irl_target_adreno;
        how.keeps_nodes = 1;
        cl->pretended.side = cases[k % count].side;
        cl->pretended.texels = cases[k % count].texels;
        cl->pretended.columns = cases[k % count].columns;
        cl->pretended.no_images = cases[k % count].no_images;
        net = irl_ocl_graph_load(
            cl, json ? irl_graph_json(irl_graph_parse(cx, text, IRL_TO_NUL, NULL)) : text,
            IRL_TO_NUL, &how, &places);
        if (!CHECK(net != NULL)) printf("%s\n", irl_diag_text(cx));
        if (!CHECK(strstr(places, cases[k % count].says) != NULL)) puts(places);
        CHECK(irl_ocl_made_of(cl).images - before.images ==
              2 * cases[k % count].images + cases[k % count].tries);
        CHECK(irl_ocl_graph_set(net, "x", x) && irl_ocl_graph_run(net) &&
              irl_ocl_graph_get(net, "y", y) && y[0] == expected[0] && y[1] == expected[1]);
        CHECK_OK(cx);
        irl_ocl_graph_destroy(net);
        memset(&cl->pretended, 0, sizeof cl->pretended);
        irl_ctx_rewind(cx, mark);
    }
    start = irl_ctx_mark(cx);
    cl->pretended.columns = 19;
    CHECK(!irl_ocl_graph_load(cl, stated, IRL_TO_NUL, NULL, NULL));
    CHECK_CODE(cx, IRL_ERROR_DEVICE_ERROR);
    CHECK(strstr(irl_diag_text(cx), "'t' is in an image of 20 by 3 texels, which the device cannot "
                                    "make: clCreateImage returned CL_MEM_OBJECT_ALLOC"));
    irl_ctx_rewind(cx, start);
    cl->pretended.columns = 0;
    cl->pretended.side = 19;
    CHECK(!irl_ocl_graph_load(cl, stated, IRL_TO_NUL, NULL, NULL));
    CHECK_CODE(cx, IRL_ERROR_IMAGE_LIMIT);
    CHECK(strstr(irl_diag_text(cx), "'t' is an image of 20 by 3 texels; images of the device have "
                                    "at most 19 by 19"));
    irl_ctx_rewind(cx, start);
    cl->pretended.side = 0;
    CHECK(!irl_ocl_graph_load(cl, "graph g {", IRL_TO_NUL, NULL, NULL));
    CHECK(!irl_ok(cx));
    irl_ctx_rewind(cx, start);
}

/* ------------------------------------------------------------------ programs that are kept */

static const char binaries_text[] =
    "graph g { func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 3.0f; } input x: f32[8]; "
    "y = f(x); output y; }";

/* Runs the graph with programs of that directory: was it built, was it read? */
static void check_kept(irl_ctx *cx, const char *folder, const char *options, int built, int read)
{
    const irl_mark mark = irl_ctx_mark(cx);
    irl_ocl_desc   desc;
    irl_ocl       *cl;
    irl_ocl_graph *net;
    float          x[8], y[8];
    int            k;
    memset(&desc, 0, sizeof desc);
    desc.binaries = folder;
    desc.build_options = options;
    cl = irl_ocl_create(cx, &desc);
    net = irl_ocl_graph_load(cl, binaries_text, IRL_TO_NUL, NULL, NULL);
    for (k = 0; k < 8; k++) x[k] = (float)k;
    CHECK(irl_ocl_graph_set(net, "x", x) && irl_ocl_graph_run(net) &&
          irl_ocl_graph_get(net, "y", y));
    for (k = 0; k < 8; k++) CHECK(y[k] == 3.0f * x[k]);
    if (!CHECK(irl_ocl_made_of(cl).programs == built && irl_ocl_made_of(cl).binaries == read))
        printf("%s: %ld built, %ld read\n", options ? options : "",
               (long)irl_ocl_made_of(cl).programs, (long)irl_ocl_made_of(cl).binaries);
    CHECK_OK(cx);
    irl_ocl_graph_destroy(net);
    irl_ocl_destroy(cl);
    irl_ctx_rewind(cx, mark);
}

/* The only file of a folder; NULL, and how many there are. */
static char *only_file(const char *folder, int *count)
{
    static char    name[512];
    DIR           *d = opendir(folder);
    struct dirent *e;
    *count = 0;
    while (d && (e = readdir(d)) != NULL)
        if (e->d_name[0] != '.') {
            (*count)++;
            snprintf(name, sizeof name, "%s/%s", folder, e->d_name);
        }
    if (d) closedir(d);
    return *count == 1 ? name : NULL;
}

static size_t read_file(const char *name, char *data, size_t room)
{
    FILE  *f = fopen(name, "rb");
    size_t n = f ? fread(data, 1, room, f) : 0;
    if (f) fclose(f);
    return n;
}

static void write_file(const char *name, const char *data, size_t bytes)
{
    FILE *f = fopen(name, "wb");
    CHECK(f && fwrite(data, 1, bytes, f) == bytes);
    if (f) fclose(f);
}

/* What is read, and what is built again: a file that is short, longer, changed anywhere, or of
   another program; a folder in its place; no directory at all. */
static void check_binaries(irl_ctx *cx)
{
    enum { ROOM = 1 << 22 };
    static char data[ROOM], other[ROOM];
    char        folder[] = "/tmp/irl_binaries_XXXXXX", name[512], command[600];
    size_t      n, m;
    int         count, k;
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    check_kept(cx, NULL, NULL, 1, 0);
    check_kept(cx, "/tmp/irl_no_such_directory/at_all", NULL, 1, 0);
    check_kept(cx, folder, "-cl-mad-enable", 1, 0);
    if (!CHECK(only_file(folder, &count) != NULL)) return;
    m = read_file(only_file(folder, &count), other, ROOM);
    CHECK(remove(only_file(folder, &count)) == 0);
    check_kept(cx, folder, NULL, 1, 0);
    check_kept(cx, folder, NULL, 0, 1);
    if (!CHECK(only_file(folder, &count) != NULL)) return;
    strcpy(name, only_file(folder, &count));
    n = read_file(name, data, ROOM - 1);
    CHECK(n > 1000 && n < ROOM - 1);
    for (k = 0; k < 28; k++) {
        const size_t lengths[] = { 0, 7, 32, n / 2, n - 1, n + 1, m };
        const size_t at = k < 15 ? (size_t)(k - 7) * 4 : n / 16 * (size_t)(k - 14);
        if (k >= 7) data[at] = (char)(data[at] ^ 1 << k % 8);
        write_file(name, k == 6 ? other : data, k < 7 ? lengths[k] : n);
        if (k >= 7) data[at] = (char)(data[at] ^ 1 << k % 8);
        check_kept(cx, folder, NULL, 1, 0);
        if (k % 9 == 0) check_kept(cx, folder, NULL, 0, 1); /* it was written again */
        CHECK(only_file(folder, &count) && count == 1);
    }
    check_kept(cx, folder, "-cl-mad-enable", 1, 0);
    CHECK(!only_file(folder, &count) && count == 2);
    CHECK(remove(name) == 0 && mkdir(name, 0700) == 0);
    check_kept(cx, folder, NULL, 1, 0);
    CHECK(!only_file(folder, &count) && count == 2);
    sprintf(command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

int main(int argc, char **argv)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_ocl      *cl = device_open(cx);
    unsigned long seed, first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(24);
    if (!cl) TEST_NO_DEVICE(cx);
    test_seeds(first, n);
    if (cl) cl->pretended.poisons = 1;
    for (seed = first; cl && seed < first + (unsigned long)n; seed++) check_seed(cl, cx, seed);
    if (cl) cl->pretended.poisons = 0;
    printf("%d graphs with images, %d of them between launches\n", placed, poisoned_images);
    CHECK(!cl || n < 20 || (placed > n / 4 && poisoned_images > n / 8 && prepared > n / 4));
    if (cl && argc < 2) {
        check_many_runs(cl, cx);
        check_prepared(cl, cx);
        check_images_kept(cl, cx);
        check_many_inputs(cl, cx);
        check_networks(cl, cx);
        check_load(cl, cx);
        check_binaries(cx);
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
