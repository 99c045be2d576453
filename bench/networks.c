/* networks.c - whole networks as graphs of plain texts, beside oneDNN's primitives in the same
   order: MobileNetV1 and the first two stages of ResNet50, with made weights.

   needs     an OpenCL device; oneDNN 2 where its header is installed
   promises  the result of each layer is compared with plain C; exit status 1 for a wrong number and
             for a missed gate. Without a device it says so and exits 0

   bench/networks [NAME [SIZE]]; IRL_BENCH_SOURCE=1 prints a line for each launch. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/* While this is set a launch does not reach the driver: what is left of a run's time is ours. */
static int driver_is_left_out;
#define clEnqueueNDRangeKernel(queue, kernel, rank, at, global, local, count, events, event) \
    (driver_is_left_out ? CL_SUCCESS \
                        : (clEnqueueNDRangeKernel)(queue, kernel, rank, at, global, local, \
                                                   count, events, event))

#define IRLAYOUT_OCL_RUNTIME
#define IRLAYOUT_IMPLEMENTATION
#include "../irlayout_ocl.h"
#include "device.h"
#include "networks.h"

enum { ROUNDS = 20, HOST_RUNS = 100 };
#define CLOSE 1e-4 /* of the largest number of a layer */

/* How activations lie: as the text has them, as NCHW4c in buffers, in the textures that the row of
   a GPU chooses. */
typedef enum lies { LIES_PLAIN, LIES_BLOCKED, LIES_TEXTURES, LIES } lies;
static const char *const lies_names[] = { "", ", NCHW4c", ", textures" };

typedef struct bench {
    lies      lies;
    irl_ctx  *cx;
    irl_ocl  *cl;
    network   n;
    net_text  text;
    net_data  data;
} bench;

static void must_work(const bench *b, int ok)
{
    if (ok) return;
    fprintf(stderr, "%s: %s\n", b->n.name, irl_diag_text(b->cx));
    exit(2);
}

/* ------------------------------------------------------------------ oneDNN's layers */

#ifdef HAS_DNNL
typedef struct rival {
    one_dnn          dnnl;
    dnnl_primitive_t layers[NET_LAYERS];
    dnnl_memory_t    memory[NET_LAYERS][4]; /* of each its own, in the layouts that it asks for */
} rival;

static dnnl_memory_desc_t rival_md(int rank, const int *sizes, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t md;
    dnnl_dims_t        dims;
    int                k;
    for (k = 0; k < rank; k++) dims[k] = sizes[k];
    must_dnnl(dnnl_memory_desc_init_by_tag(&md, rank, dims, dnnl_f32, tag), "memory desc");
    return md;
}

/* Bias is the convolution's own; sum and ReLU stand behind it. */
static dnnl_primitive_attr_t rival_attr(const network *n, const net_layer *l)
{
    dnnl_primitive_attr_t attr;
    dnnl_post_ops_t       ops;
    must_dnnl(dnnl_primitive_attr_create(&attr), "attr");
    must_dnnl(dnnl_post_ops_create(&ops), "post ops");
    if (l->added >= 0) must_dnnl(dnnl_post_ops_append_sum(ops, 1.0f), "sum");
    if (!l->is_linear)
        must_dnnl(dnnl_post_ops_append_eltwise(
                      ops, 1.0f, n->most > 0 ? dnnl_eltwise_bounded_relu : dnnl_eltwise_relu,
                      (float)n->most, 0.0f),
                  "eltwise");
    must_dnnl(dnnl_primitive_attr_set_post_ops(attr, ops), "post ops");
    dnnl_post_ops_destroy(ops);
    return attr;
}

static dnnl_primitive_desc_t rival_desc(const rival *r, const network *n, const net_layer *l)
{
    const int   per = l->kind == NET_DEPTHWISE ? 1 : l->in, out = net_out_size(l);
    const int   border = (l->window - 1) / 2;
    const int   last = (out - 1) * l->stride + l->window - border - l->size;
    const int   source[] = { 1, l->in, l->size, l->size }, bias[] = { l->out },
              plain[] = { l->out, per, l->window, l->window },
              grouped[] = { l->out, 1, 1, l->window, l->window },
              result[] = { 1, l->out, out, out };
    dnnl_dims_t strides = { l->stride, l->stride }, window = { l->window, l->window },
                left = { border, border }, right = { last, last };
    dnnl_memory_desc_t    x = rival_md(4, source, dnnl_format_tag_any),
                       y = rival_md(4, result, dnnl_format_tag_any),
                       v = rival_md(1, bias, dnnl_format_tag_any),
                       w = l->kind == NET_DEPTHWISE ? rival_md(5, grouped, dnnl_format_tag_any)
                                                    : rival_md(4, plain, dnnl_format_tag_any);
    dnnl_primitive_desc_t d;
    if (l->kind == NET_POOL) {
        dnnl_pooling_desc_t p;
        x = rival_md(4, source, dnnl_nChw16c);
        must_dnnl(dnnl_pooling_forward_desc_init(&p, dnnl_forward_inference, dnnl_pooling_max, &x,
                                                 &y, strides, window, left, right),
                  "pooling");
        must_dnnl(dnnl_primitive_desc_create(&d, &p, NULL, r->dnnl.engine, NULL), "pooling");
    } else {
        dnnl_convolution_desc_t c;
        dnnl_primitive_attr_t   attr = rival_attr(n, l);
        must_dnnl(dnnl_convolution_forward_desc_init(&c, dnnl_forward_inference,
                                                     dnnl_convolution_direct, &x, &w, &v, &y,
                                                     strides, left, right),
                  "convolution");
        must_dnnl(dnnl_primitive_desc_create(&d, &c, attr, r->dnnl.engine, NULL), "convolution");
        dnnl_primitive_attr_destroy(attr);
    }
    return d;
}

static const int rival_names[] = { DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS };

/* Numbers as ours: some of what memory holds otherwise is slow to compute with. */
static void rival_fill(dnnl_memory_t memory, const dnnl_memory_desc_t *md, double scale)
{
    void *data = NULL;
    must_dnnl(dnnl_memory_get_data_handle(memory, &data), "memory");
    net_fill((float *)data, dnnl_memory_desc_get_size(md) / sizeof(float), scale, 7);
}

static void rival_open(rival *r, const network *n)
{
    static const dnnl_query_t queries[] = { dnnl_query_src_md, dnnl_query_dst_md,
                                            dnnl_query_weights_md, dnnl_query_weights_md };
    int k, j;
    dnnl_open(&r->dnnl);
    for (k = 0; k < n->count; k++) {
        dnnl_primitive_desc_t d = rival_desc(r, n, &n->layers[k]);
        must_dnnl(dnnl_primitive_create(&r->layers[k], d), "primitive");
        for (j = 0; j < (n->layers[k].kind == NET_POOL ? 2 : 4); j++) {
            const dnnl_memory_desc_t *md = dnnl_primitive_desc_query_md(d, queries[j], j == 3);
            must_dnnl(dnnl_memory_create(&r->memory[k][j], md, r->dnnl.engine,
                                         DNNL_MEMORY_ALLOCATE),
                      "memory");
            rival_fill(r->memory[k][j], md, j == 2 ? 0.1 : 1);
        }
        dnnl_primitive_desc_destroy(d);
    }
}

static void rival_close(rival *r, const network *n)
{
    int k, j;
    for (k = 0; k < n->count; k++) {
        dnnl_primitive_destroy(r->layers[k]);
        for (j = 0; j < (n->layers[k].kind == NET_POOL ? 2 : 4); j++)
            dnnl_memory_destroy(r->memory[k][j]);
    }
    dnnl_close(&r->dnnl);
}

/* All layers, one behind the other; *layers: the least of each. */
static double rival_run(rival *r, const network *n, double *layers)
{
    const double begin = bench_now();
    int          k;
    for (k = 0; k < n->count; k++) {
        const double before = bench_now();
        dnnl_run(&r->dnnl, r->layers[k], n->layers[k].kind == NET_POOL ? 2 : 4, rival_names,
                 r->memory[k]);
        bench_least(&layers[k], bench_now() - before);
    }
    return bench_now() - begin;
}
#endif

/* ------------------------------------------------------------------ ours */

static irl_module *compile(bench *b, int has_all)
{
    const irl_target *target = b->lies == LIES_TEXTURES ? &irl_target_adreno : &irl_target_opencl12;
    irl_graph_storage_options how;
    irl_graph                *g;
    net_graph_text(&b->n, has_all, &b->text);
    g = irl_graph_fuse(irl_graph_parse(b->cx, b->text.text, b->text.length, b->n.name), NULL);
    memset(&how, 0, sizeof how);
    if (b->lies == LIES_BLOCKED) how.collect = net_collect_nchw4c;
    how.user = b->cx;
    if (b->lies != LIES_PLAIN) g = irl_graph_place_tensors(g, target, &how, NULL);
    return irl_graph_lower(g, target);
}

static irl_ocl_graph *load(bench *b, const irl_module *m)
{
    irl_ocl_graph *net = irl_ocl_graph_create(b->cl, m);
    char           name[16];
    int            k;
    must_work(b, irl_ocl_graph_set(net, "image", b->data.image));
    for (k = 0; k < b->n.count; k++) {
        if (!b->data.weights[k]) continue;
        sprintf(name, "k%d", k);
        must_work(b, irl_ocl_graph_set(net, name, b->data.weights[k]));
        sprintf(name, "b%d", k);
        must_work(b, irl_ocl_graph_set(net, name, b->data.bias[k]));
    }
    return net;
}

/* Each layer beside plain C, from the same image. */
static void check_layers(bench *b)
{
    irl_mark       mark = irl_ctx_mark(b->cx);
    irl_ocl_graph *net = load(b, compile(b, 1));
    double         worst = 0;
    int            k;
    char           name[16];
    must_work(b, irl_ocl_graph_run(net));
    for (k = 0; k < b->n.count; k++) {
        const size_t count = net_out_count(&b->n.layers[k]);
        float       *y = net_floats(count);
        double       apart;
        net_plain_layer(&b->n, &b->data, k);
        sprintf(name, "y%d", k);
        must_work(b, irl_ocl_graph_get(net, name, y));
        apart = net_difference(count, y, b->data.out[k]);
        if (apart > worst) worst = apart;
        if (!(apart <= CLOSE)) {
            printf("  WRONG: layer %d is %g apart\n", k, apart);
            bench_missed++;
        }
        free(y);
    }
    printf("  %d layers as in plain C, within %.1e of the largest number of each\n", b->n.count,
           worst);
    irl_ocl_graph_destroy(net);
    irl_ctx_rewind(b->cx, mark);
}

static void time_compiler(bench *b)
{
    double least = 0;
    int    k;
    for (k = 0; k < 5; k++) {
        irl_mark     mark = irl_ctx_mark(b->cx);
        const double begin = bench_now();
        must_work(b, irl_ocl_source(compile(b, 0))[0] != '\0');
        bench_least(&least, bench_now() - begin);
        irl_ctx_rewind(b->cx, mark);
    }
    bench_gate("from text to sources", least < 0.05, least * 1e3, "ms", "< 50", 0);
}

static void print_plan(const irl_module *m)
{
    const irl_module_plan *p = irl_plan(m);
    int                    k;
    for (k = 0; p && k < p->pool_count; k++)
        printf("  memory between nodes: %.0f kB of at least %.0f; each for itself %.0f\n",
               (double)p->pools[k].bytes / 1e3, (double)p->pools[k].lower_bound / 1e3,
               (double)p->pools[k].separate / 1e3);
}

static void print_launches(const irl_ocl_graph *net)
{
    int k;
    for (k = 0; k < irl_ocl_graph_launch_count(net); k++) {
        const irl_ocl_graph_launch l = irl_ocl_graph_launch_of(net, k);
        printf("    %8.1f us  %s -> %s\n", (double)l.nanoseconds * 1e-3, l.kernel, l.writes);
    }
}

/* One run; *host: until all is enqueued. */
static double run_ours(const bench *b, irl_ocl_graph *net, double *host)
{
    const double begin = bench_now();
    must_work(b, irl_ocl_graph_run(net));
    bench_least(host, bench_now() - begin);
    must_work(b, irl_ocl_finish(b->cl));
    return bench_now() - begin;
}

/* What the host takes for each launch, ours and the driver's apart. The caches hold the runtime of
   who ran last: so runs that follow one another are looked at too, as of a network that waits for
   its next input. */
static void time_host(const bench *b, irl_ocl_graph *net, double beside_others)
{
    const double launches = irl_ocl_graph_launch_count(net);
    double       host = beside_others, ours = 0;
    int          k, j;
    for (k = 0; k < 2 * ROUNDS; k++) run_ours(b, net, &host);
    driver_is_left_out = 1;
    for (k = 0; k < ROUNDS; k++) {
        const double begin = bench_now();
        for (j = 0; j < HOST_RUNS; j++) must_work(b, irl_ocl_graph_run(net));
        bench_least(&ours, (bench_now() - begin) / HOST_RUNS);
    }
    driver_is_left_out = 0;
    bench_gate("host, for each launch, the driver's part with it", host / launches < 5e-6,
               host / launches * 1e6, "us", "< 5", 0);
    printf("       of this ours, without the driver's call: %.4f us; the driver's: %.2f; behind "
           "oneDNN's run, both: %.2f\n",
           ours / launches * 1e6, (host - ours) / launches * 1e6, beside_others / launches * 1e6);
}

static void time_network(bench *b)
{
    irl_module    *m = compile(b, 0);
    irl_ocl_graph *net = load(b, m);
    double         ours = 0, again = 0, host = 0, theirs = 0, all = 0, parts = 0, sum = 0;
    const int      launches = irl_ocl_graph_launch_count(net);
    int            k;
#ifdef HAS_DNNL
    static rival r;
    double       layers[NET_LAYERS] = { 0 };
    rival_open(&r, &b->n);
#endif
    for (k = 0; k < ROUNDS; k++) {
        bench_least(&ours, run_ours(b, net, &host));
#ifdef HAS_DNNL
        bench_least(&theirs, rival_run(&r, &b->n, layers));
#endif
        bench_least(&again, run_ours(b, net, &host));
    }
    for (k = 0; k < b->n.count; k++) all += net_operations(&b->n.layers[k]);
    (void)sum, (void)theirs, (void)parts; /* without oneDNN */
    printf("  %.2f ms, %d launches, %.0f GFLOP/s; again %.2f (A/A)\n", ours * 1e3, launches,
           all / ours * 1e-9, again * 1e3);
    must_work(b, irl_ocl_graph_time(net, ROUNDS) > 0);
    for (k = 0; k < launches; k++)
        parts += 1e-9 * (double)irl_ocl_graph_launch_of(net, k).nanoseconds;
    if (getenv("IRL_BENCH_SOURCE")) print_launches(net);
#ifdef HAS_DNNL
    for (k = 0; k < b->n.count; k++) {
        sum += layers[k];
        if (getenv("IRL_BENCH_SOURCE"))
            printf("    %8.1f us  oneDNN, layer %d\n", layers[k] * 1e6, k);
    }
    rival_close(&r, &b->n);
    printf("  %.2f ms, %.0f GFLOP/s: oneDNN's primitives, ReLU behind each\n", theirs * 1e3,
           all / theirs * 1e-9);
    printf("  the least of each launch, added up: %.2f ms; of each of oneDNN's layers: %.2f\n",
           parts * 1e3, sum * 1e3);
    bench_gate("of oneDNN's layers, least added up", sum / parts >= 0.7, sum / parts, "", ">= 0.70",
               0);
    bench_gate("of oneDNN's layers, end to end", theirs / ours >= 0.7, theirs / ours, "", ">= 0.70",
               1);
#endif
    time_host(b, net, host);
    print_plan(m);
    irl_ocl_graph_destroy(net);
}

/* Without a gate: the images of a device that is a CPU are memory with conversions in front. */
static void time_textures(bench *b)
{
    irl_module    *m = compile(b, 0);
    irl_ocl_graph *net = load(b, m);
    double         ours = 0, host = 0;
    int            k;
    for (k = 0; k < 3; k++) bench_least(&ours, run_ours(b, net, &host));
    printf("  %.2f ms, %d launches, %d images\n", ours * 1e3, irl_ocl_graph_launch_count(net),
           (int)irl_ocl_made_of(b->cl).images);
    print_plan(m);
    irl_ocl_graph_destroy(net);
}

static void bench_network(bench *b, const char *wanted)
{
    irl_mark mark = irl_ctx_mark(b->cx);
    if (wanted && strcmp(wanted, b->n.name) != 0) return;
    printf("%s at %d, %d layers%s\n", b->n.name, b->n.size, b->n.count,
           lies_names[b->lies]);
    net_data_new(&b->n, &b->data);
    check_layers(b);
    if (b->lies == LIES_TEXTURES) {
        time_textures(b);
    } else {
        time_compiler(b);
        time_network(b);
    }
    net_data_free(&b->n, &b->data);
    irl_ctx_rewind(b->cx, mark);
}

int main(int argc, char **argv)
{
    static bench b;
    const char  *wanted = argc > 1 ? argv[1] : NULL;
    const int    size = argc > 2 ? atoi(argv[2]) : 224;
    int          k;
    device_calm_openmp(argv);
    b.cx = irl_ctx_create(NULL);
    b.cl = device_open(b.cx);
    if (!b.cl) return 0;
    for (k = 0; k < LIES; k++) {
        b.lies = (lies)k;
        net_mobilenet(&b.n, size, 1);
        bench_network(&b, wanted);
        net_resnet(&b.n, size, 1);
        bench_network(&b, wanted);
    }
    irl_ocl_destroy(b.cl);
    irl_ctx_destroy(b.cx);
    return bench_done();
}
