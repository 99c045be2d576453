/* networks.h - networks as graphs of plain texts, with made weights: MobileNetV1 and the first two
   stages of ResNet50.

   needs     irlayout.h, included before
   promises  what a newcomer would write: functions in logical indices, borders as conditions, sizes
             said by what goes in. Weights are drawn so that numbers stay of the order of one */
#ifndef IRL_NETWORKS_H
#define IRL_NETWORKS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum net_kind { NET_CONV, NET_DEPTHWISE, NET_POINTWISE, NET_POOL } net_kind;

enum { NET_LAYERS = 40, NET_TEXT = 32768 };

/* A layer: `size` points a side of `in` channels become size / stride of `out`. */
typedef struct net_layer {
    net_kind kind;
    int      window, stride, size, in, out;
    int      source, added; /* layers: that it reads; that is added before the ReLU, -1: none */
    int      is_linear;     /* no ReLU behind it */
} net_layer;

typedef struct network {
    const char *name;
    int         count, size, channels;
    double      most; /* of the ReLU; 0: none */
    net_layer   layers[NET_LAYERS];
} network;

/* ------------------------------------------------------------------ what they are made of */

static inline int net_out_size(const net_layer *l)
{
    return (l->size + l->stride - 1) / l->stride;
}

static inline int net_add(network *n, net_kind kind, int window, int stride, int source, int out)
{
    net_layer *l = &n->layers[n->count];
    memset(l, 0, sizeof *l);
    l->kind = kind;
    l->window = window;
    l->stride = stride;
    l->source = source;
    l->added = -1;
    l->size = source < 0 ? n->size : net_out_size(&n->layers[source]);
    l->in = source < 0 ? n->channels : n->layers[source].out;
    l->out = kind == NET_DEPTHWISE || kind == NET_POOL ? l->in : out;
    return n->count++;
}

/* The convolutions of MobileNetV1 on size x size x 3: 27 of them. Channels are divided. */
static inline void net_mobilenet(network *n, int size, int divided)
{
    static const int outs[] = { 64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024 };
    static const int strides[] = { 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1 };
    int              k, at;
    memset(n, 0, sizeof *n);
    n->name = "mobilenet";
    n->size = size;
    n->channels = 3;
    n->most = 6;
    at = net_add(n, NET_CONV, 3, 2, -1, 32 / divided);
    for (k = 0; k < 13; k++) {
        at = net_add(n, NET_DEPTHWISE, 3, strides[k], at, 0);
        at = net_add(n, NET_POINTWISE, 1, 1, at, outs[k] / divided);
    }
}

/* One of ResNet's blocks: 1x1, 3x3, 1x1, and what came in, added. */
static inline int net_bottleneck(network *n, int source, int inner, int out, int stride)
{
    int shortcut = source, at;
    if (n->layers[source].out != out || stride != 1) {
        shortcut = net_add(n, NET_POINTWISE, 1, stride, source, out);
        n->layers[shortcut].is_linear = 1;
    }
    at = net_add(n, NET_POINTWISE, 1, 1, source, inner);
    at = net_add(n, NET_CONV, 3, stride, at, inner);
    at = net_add(n, NET_POINTWISE, 1, 1, at, out);
    n->layers[at].added = shortcut;
    return at;
}

/* ResNet50's stem, pooling and first two stages. */
static inline void net_resnet(network *n, int size, int divided)
{
    int k, at;
    memset(n, 0, sizeof *n);
    n->name = "resnet";
    n->size = size;
    n->channels = 3;
    at = net_add(n, NET_CONV, 7, 2, -1, 64 / divided);
    at = net_add(n, NET_POOL, 3, 2, at, 0);
    for (k = 0; k < 3; k++) at = net_bottleneck(n, at, 64 / divided, 256 / divided, 1);
    for (k = 0; k < 4; k++) at = net_bottleneck(n, at, 128 / divided, 512 / divided, k ? 1 : 2);
}

static inline size_t net_weight_count(const net_layer *l)
{
    const size_t points = (size_t)(l->window * l->window);
    if (l->kind == NET_POOL) return 0;
    return points * (size_t)l->out * (size_t)(l->kind == NET_DEPTHWISE ? 1 : l->in);
}
static inline size_t net_out_count(const net_layer *l)
{
    return (size_t)net_out_size(l) * (size_t)net_out_size(l) * (size_t)l->out;
}
static inline double net_operations(const net_layer *l)
{
    return 2.0 * (double)net_out_count(l) * l->window * l->window *
           (l->kind == NET_DEPTHWISE || l->kind == NET_POOL ? 1 : l->in);
}

/* ------------------------------------------------------------------ as a graph */

typedef struct net_text {
    char   text[NET_TEXT];
    size_t length;
} net_text;

#define NET_PUT(t, ...) \
    ((t)->length += (size_t)snprintf((t)->text + (t)->length, sizeof (t)->text - (t)->length, \
                                     __VA_ARGS__))

/* The name of a layer's function: layers of one kind, window and stride share it. */
static inline void net_func_name(const net_layer *l, char *name)
{
    static const char *const kinds[] = { "conv", "depthwise", "pointwise", "pool" };
    sprintf(name, "%s%d_%d", kinds[l->kind], l->window, l->stride);
}

/* What stands where the window covers no border: index a + r is in front of the first point. */
static inline void net_put_func(net_text *t, const net_layer *l)
{
    const int   border = (l->window - 1) / 2, s = l->stride, r = l->window;
    const int   is_one = l->kind == NET_DEPTHWISE || l->kind == NET_POOL;
    const char *n = is_one ? "c" : "n", *q = is_one ? "o" : "q";
    char        name[32], at[2][48], in[320] = "", side[2][24], weight[48];
    int         k;
    net_func_name(l, name);
    for (k = 0; k < 2; k++) {
        const char *i = k ? "j" : "i", *d = k ? "s" : "r", *e = k ? "w" : "h";
        sprintf(side[k], s > 1 ? "(%s + %d) / %d" : "%s", e, s - 1, s);
        sprintf(at[k], s > 1 ? "%d * %s" : "%.0d%s", s > 1 ? s : 0, i);
        if (r > 1) sprintf(at[k] + strlen(at[k]), " + %s", d);
        if (border)
            sprintf(in + strlen(in), "%s%s >= %d && %s < %s + %d", k ? " && " : "", at[k], border,
                    at[k], e, border);
        if (border) sprintf(at[k] + strlen(at[k]), " - %d", border);
    }
    sprintf(weight, r > 1 ? "%d, %d, " : "%.0d%.0d", r > 1 ? r : 0, r > 1 ? r : 0);
    NET_PUT(t, "    func %s(x: f32[b, h, w, c], ", name);
    if (l->kind != NET_POOL) NET_PUT(t, "k: f32[%sc%s], ", weight, is_one ? "" : ", n");
    NET_PUT(t, "y: f32[b, %s, %s, %s]) {\n", side[0], side[1], n);
    NET_PUT(t, "        for (a: b, i: %s, j: %s, o: %s)\n            y[a, i, j, o] = %s(",
            side[0], side[1], n, l->kind == NET_POOL ? "max" : "sum");
    if (r > 1) NET_PUT(t, "r: %d, s: %d%s", r, r, is_one ? ", " : ", ");
    if (!is_one) NET_PUT(t, "q: c, ");
    if (border) NET_PUT(t, "\n                %s\n                    ? ", in);
    NET_PUT(t, "x[a, %s, %s, %s]", at[0], at[1], q);
    if (l->kind != NET_POOL)
        NET_PUT(t, " * k[%s%s%s]", r > 1 ? "r, s, " : "", q, is_one ? "" : ", o");
    if (border) NET_PUT(t, " : %s", l->kind == NET_POOL ? "-3.0e38" : "0.0");
    NET_PUT(t, ");\n    }\n");
}

/* Bias, sum and ReLU are nodes of their own. */
static inline void net_put_cells(net_text *t, const network *n)
{
    static const char *const funcs[] = {
        "bias(x: f32[b, h, w, c], v: f32[c], y: f32[b, h, w, c])", "x[a, i, j, o] + v[o]",
        "add(x: f32[b, h, w, c], z: f32[b, h, w, c], y: f32[b, h, w, c])",
        "x[a, i, j, o] + z[a, i, j, o]",
        "relu(x: f32[b, h, w, c], y: f32[b, h, w, c])", "max(x[a, i, j, o], 0.0)",
        "relu6(x: f32[b, h, w, c], y: f32[b, h, w, c])", "min(max(x[a, i, j, o], 0.0), 6.0)",
    };
    int k;
    for (k = 0; k < 8; k += 2) {
        if (k && (k == 6) != (n->most > 0)) continue;
        NET_PUT(t, "    func %s {\n        for (a: b, i: h, j: w, o: c)\n", funcs[k]);
        NET_PUT(t, "            y[a, i, j, o] = %s;\n    }\n", funcs[k + 1]);
    }
}

static inline void net_put_inputs(net_text *t, const network *n)
{
    int k;
    NET_PUT(t, "    input image: f32[1, %d, %d, %d];\n", n->size, n->size, n->channels);
    for (k = 0; k < n->count; k++) {
        const net_layer *l = &n->layers[k];
        if (l->kind == NET_POOL) continue;
        NET_PUT(t, "    input k%d: f32[", k);
        if (l->window > 1) NET_PUT(t, "%d, %d, ", l->window, l->window);
        if (l->kind != NET_DEPTHWISE) NET_PUT(t, "%d, ", l->in);
        NET_PUT(t, "%d];\n    input b%d: f32[%d];\n", l->out, k, l->out);
    }
}

/* Layer k leaves y_k. */
static inline void net_put_layer(net_text *t, const network *n, int k)
{
    const net_layer *l = &n->layers[k];
    char             name[32], from[16] = "image";
    const char      *last = "t";
    if (l->source >= 0) sprintf(from, "y%d", l->source);
    net_func_name(l, name);
    if (l->kind == NET_POOL) {
        NET_PUT(t, "    y%d = %s(%s);\n", k, name, from);
        return;
    }
    NET_PUT(t, "    t%d = %s(%s, k%d);\n", k, name, from, k);
    if (l->is_linear) NET_PUT(t, "    y%d = bias(t%d, b%d);\n", k, k, k);
    else NET_PUT(t, "    u%d = bias(t%d, b%d);\n", k, k, k), last = "u";
    if (l->added >= 0) NET_PUT(t, "    v%d = add(u%d, y%d);\n", k, k, l->added), last = "v";
    if (!l->is_linear)
        NET_PUT(t, "    y%d = %s(%s%d);\n", k, n->most > 0 ? "relu6" : "relu", last, k);
}

/* The network as a text; with all layers' results as outputs, or the last one's. */
static inline void net_graph_text(const network *n, int has_all, net_text *t)
{
    int k, j;
    t->length = 0;
    NET_PUT(t, "graph %s {\n", n->name);
    for (k = 0; k < n->count; k++) {
        char a[32], b[32] = "";
        net_func_name(&n->layers[k], a);
        for (j = 0; j < k && strcmp(a, b) != 0; j++) net_func_name(&n->layers[j], b);
        if (strcmp(a, b) != 0) net_put_func(t, &n->layers[k]);
    }
    net_put_cells(t, n);
    net_put_inputs(t, n);
    for (k = 0; k < n->count; k++) net_put_layer(t, n, k);
    for (k = has_all ? 0 : n->count - 1; k < n->count; k++) NET_PUT(t, "    output y%d;\n", k);
    NET_PUT(t, "}\n");
}

/* ------------------------------------------------------------------ numbers, and plain C */

/* From -1 to 1, times `scale`. */
static inline void net_fill(float *to, size_t count, double scale, unsigned seed)
{
    size_t k;
    for (k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        to[k] = (float)(scale * ((double)(seed >> 8) / (1 << 23) - 1));
    }
}

typedef struct net_data {
    float *image, *weights[NET_LAYERS], *bias[NET_LAYERS], *out[NET_LAYERS];
} net_data;

static inline float *net_floats(size_t count)
{
    float *p = (float *)calloc(count + 1, sizeof *p);
    if (!p) exit(2);
    return p;
}

static inline void net_data_new(const network *n, net_data *d)
{
    const size_t points = (size_t)n->size * (size_t)n->size * (size_t)n->channels;
    int          k;
    memset(d, 0, sizeof *d);
    d->image = net_floats(points);
    net_fill(d->image, points, 1, 1);
    for (k = 0; k < n->count; k++) {
        const net_layer *l = &n->layers[k];
        const size_t     count = net_weight_count(l);
        d->out[k] = net_floats(net_out_count(l));
        if (!count) continue;
        d->weights[k] = net_floats(count);
        d->bias[k] = net_floats((size_t)l->out);
        net_fill(d->weights[k], count, sqrt(4.0 * l->out / (double)count), 10 + (unsigned)k);
        net_fill(d->bias[k], (size_t)l->out, 0.2, 100 + (unsigned)k);
    }
}

static inline void net_data_free(const network *n, net_data *d)
{
    int k;
    free(d->image);
    for (k = 0; k < n->count; k++) free(d->weights[k]), free(d->bias[k]), free(d->out[k]);
}

/* One point of a layer, all its channels, in the order of the text. */
static inline void net_plain_point(const net_layer *l, const float *x, const float *weights, int i,
                                   int j, float *sums)
{
    const int border = (l->window - 1) / 2;
    int       r, s, q, o;
    for (o = 0; o < l->out; o++) sums[o] = l->kind == NET_POOL ? -3.0e38f : 0;
    for (r = 0; r < l->window; r++)
        for (s = 0; s < l->window; s++) {
            const int    y = i * l->stride + r - border, z = j * l->stride + s - border;
            const int    per = l->kind == NET_DEPTHWISE ? 1 : l->in;
            const float *from, *k;
            if (y < 0 || z < 0 || y >= l->size || z >= l->size) continue;
            from = x + (y * l->size + z) * l->in;
            k = weights ? weights + (r * l->window + s) * per * l->out : NULL;
            if (l->kind == NET_POOL)
                for (o = 0; o < l->out; o++) sums[o] = from[o] > sums[o] ? from[o] : sums[o];
            else if (l->kind == NET_DEPTHWISE)
                for (o = 0; o < l->out; o++) sums[o] += from[o] * k[o];
            else
                for (q = 0; q < l->in; q++)
                    for (o = 0; o < l->out; o++) sums[o] += from[q] * k[q * l->out + o];
        }
}

/* Layer k of what lies in d->image and d->out. */
static inline void net_plain_layer(const network *n, net_data *d, int k)
{
    const net_layer *l = &n->layers[k];
    const float     *x = l->source < 0 ? d->image : d->out[l->source];
    const int        size = net_out_size(l);
    int              i, j, o;
    for (i = 0; i < size; i++)
        for (j = 0; j < size; j++) {
            const int at = (i * size + j) * l->out;
            float    *y = d->out[k] + at;
            net_plain_point(l, x, d->weights[k], i, j, y);
            if (l->kind == NET_POOL) continue;
            for (o = 0; o < l->out; o++) {
                y[o] += d->bias[k][o];
                if (l->added >= 0) y[o] += d->out[l->added][at + o];
                if (!l->is_linear && y[o] < 0) y[o] = 0;
                if (!l->is_linear && n->most > 0 && y[o] > n->most) y[o] = (float)n->most;
            }
        }
}

/* How far two results are apart, of the largest number in them. */
static inline double net_difference(size_t count, const float *a, const float *b)
{
    double most = 1e-30, apart = 0;
    size_t k;
    for (k = 0; k < count; k++) {
        const double d = fabs((double)a[k] - (double)b[k]);
        if (!(d <= apart)) apart = d; /* a NaN is far away */
        if (fabs((double)b[k]) > most) most = fabs((double)b[k]);
    }
    return apart / most;
}

/* NCHW4c on buffers, for what has channels in fours and is no weight (k...). */
static inline int net_collect_nchw4c(void *user, const irl_graph *g, irl_graph_place *places)
{
    const irl_map *map = irl_map_parse((irl_ctx *)user, "(n, h, w, c) -> (n, c / 4, h, w, c % 4)");
    int            k;
    for (k = 0; k < irl_graph_tensor_count(g); k++) {
        const irl_graph_tensor *t = irl_graph_tensor_of(g, k);
        if (t->name[0] != 'k' && t->shape.rank == 4 && t->shape.extent[3] % 4 == 0)
            places[k].map = map;
    }
    return map != NULL;
}

#endif
