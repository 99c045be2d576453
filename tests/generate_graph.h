/* generate_graph.h - graphs as texts: chains, diamonds, several results, symbolic shapes, scalars,
   empty extents, layouts that disagree; and what they compute, node by node.

   needs     irlayout.h, test.h
   promises  the text is a right graph of integers, the same for the same seed; a tensor may be read
             by several nodes, by none, or twice by one. All values are i32, which wrap, so that
             every order of a sum is the same */
#ifndef GENERATE_GRAPH_H
#define GENERATE_GRAPH_H

#include "test.h"

enum { GRAPH_TEXT = 24576, GRAPH_TENSORS = 64, GRAPH_MOST = 400 };

/* Axes of results and arguments: letters bind extents, in order; others are computed. */
typedef struct graph_func {
    const char *name, *text;
    const char *arguments; /* "nm n k": shapes of tensors; a '*' in front: a scalar i32, '#' a
                              bool, '2' an index of which an extent is the double */
    const char *results;   /* "nm n-"; - : one less, + : two more, . : rank 0 */
} graph_func;

static const graph_func graph_funcs[] = {
    { "scale", "(x: i32[n], a: i32, y: i32[n]) { for (i: n) y[i] = x[i] * a - 1; }", "n *", "n" },
    { "add", "(x: i32[n], y: i32[n], z: i32[n]) { for (i: n) z[i] = x[i] + y[i]; }", "n n", "n" },
    { "plus", "(x: i32[n, m], y: i32[n, m], z: i32[n, m]) { for (i: n, j: m) z[i, j] = x[i, j] - "
              "y[i, j]; }", "nm nm", "nm" },
    { "sums", "(x: i32[n, m], y: i32[n]) { for (i: n) y[i] = sum(j: m, x[i, j]); }", "nm", "n" },
    { "outer", "(x: i32[n], w: i32[m], y: i32[n, m]) { for (i: n, j: m) y[i, j] = x[i] * w[j]; }",
      "n m", "nm" },
    { "both", "(x: i32[n, m], y: i32[n], z: i32[m]) { for (i: n) y[i] = sum(j: m, x[i, j]); for "
              "(j: m) z[j] = sum(i: n, x[i, j] * 3); }", "nm", "n m" },
    { "turn", "(x: i32[n, m], y: i32[m, n]) { for (i: m, j: n) y[i, j] = x[j, i] + 1; }", "nm",
      "mn" },
    { "crop", "(x: i32[n], y: i32[n - 1]) { for (i: n - 1) y[i] = x[i + 1] - x[i]; }", "n", "n-" },
    { "wide", "(x: i32[n], y: i32[n + 2]) { for (i: n + 2) y[i] = i >= 1 && i <= n ? x[i - 1] : "
              "7; }", "n", "n+" },
    { "blur", "(x: i32[n], y: i32[n]) { alloc t: i32[n]; for (i: n) t[i] = x[i] * 2; for (i: n) "
              "y[i] = t[n - 1 - i] + x[i]; }", "n", "n" },
    { "laid", "(x: i32[n, m], y: i32[n, m]) layout(y: (i, j) -> (i, j / 4, j % 4), pad(0)) { for "
              "(i: n, j: m) y[i, j] = x[i, j] + i32(j); }", "nm", "nm" },
    { "takes", "(x: i32[n, m], y: i32[n, m]) layout(x: (i, j) -> (j, i)) { for (i: n, j: m) y[i, "
               "j] = x[i, j] * 5; }", "nm", "nm" },
    { "named", "(x: i32[n, m], y: i32[n, m]) layout(x: (i, j) -> (i * m + j)) { for (i: n, j: m) "
               "y[i, j] = x[i, j] ^ 3; }", "nm", "nm" },
    { "blocks", "(x: i32[n], y: i32[n]) { for (i: n) block b(v: spatial(n) = i) { y[v] = let(b = "
                "x[v] + 1, b * b); } }", "n", "n" },
    { "choose", "(x: i32[n], up: bool, y: i32[n]) { let c = up ? 2 : 3; for (i: n) y[i] = x[i] + "
                "i32(c); }", "n #", "n" },
    { "product", "(x: i32[n, k], w: i32[k, m], y: i32[n, m]) { for (i: n, j: m) y[i, j] = sum(k: "
                 "k, x[i, k] * w[k, j]); }", "nk km", "nm" },
    { "scan", "(x: i32[n], y: i32[n]) { for (i: n) y[i] = x[i] + (i > 0 ? y[i - 1] : 0); }", "n",
      "n" },
    { "keeps", "(x: i32[n], unused: i32[n, m], y: i32[n]) { for (i: n) y[i] = x[i] - 4; }",
      "n nm", "n" },
    { "total", "(x: i32[n], y: i32[]) { y[] = sum(i: n, x[i]); }", "n", "." },
    { "shift", "(x: i32[n], by: i32[], y: i32[n]) { for (i: n) y[i] = x[i] + by[]; }", "n .",
      "n" },
    { "pairs", "(h: index, x: i32[h * 2], y: i32[h]) { for (i: h) y[i] = x[2 * i] - x[2 * i + 1]; "
               "}", "2 h", "H" },
    { "`input`", "(x: i32[n], `func`: i32[n]) { for (i: n) `func`[i] = x[i] + 9; }", "n", "n" },
};
enum { GRAPH_FUNCS = sizeof graph_funcs / sizeof graph_funcs[0] };

typedef struct graph_gen {
    char   text[GRAPH_TEXT], nodes[GRAPH_TEXT / 2];
    size_t length, node_length;
    int    count, used[GRAPH_FUNCS];
    int    rank[GRAPH_TENSORS], extent[GRAPH_TENSORS][2], read[GRAPH_TENSORS];
    int    inputs;
} graph_gen;

static const char *graph_tensor_name(int k)
{
    static char       names[8][24];
    static int        next;
    char             *name = names[next++ % 8];
    static const char *const odd[] = { "`output`", "`a b`", "func_", "x", "graph" };
    if (k < 5) return odd[k];
    sprintf(name, "t%d", k);
    return name;
}

static inline int graph_new_tensor(graph_gen *g, int rank, int a, int b)
{
    g->rank[g->count] = rank;
    g->extent[g->count][0] = a;
    g->extent[g->count][1] = b;
    g->read[g->count] = 0;
    return g->count++;
}

/* Whether tensor t can stand for a shape such as "nm", and what its letters are then. */
static inline int graph_fits(const graph_gen *g, int t, const char *shape, size_t length,
                             int *letters)
{
    size_t k;
    int    rank = shape[0] == '.' ? 0 : (int)length;
    if (g->rank[t] != rank) return 0;
    if (shape[0] == 'h') { /* even, and half of it */
        if (g->extent[t][0] % 2 || g->extent[t][0] / 2 != letters['h']) return 0;
        return 1;
    }
    for (k = 0; k < (size_t)rank; k++) {
        int *letter = &letters[(unsigned char)shape[k]];
        if (*letter >= 0 && *letter != g->extent[t][k]) return 0;
        *letter = g->extent[t][k];
    }
    return 1;
}

/* One argument in text; 0 if there is no tensor for it. */
static inline int graph_argument(graph_gen *g, const char *shape, size_t length, int *letters,
                                 char *out)
{
    int first = TEST_RANDOM(g->count), k, saved[128];
    if (shape[0] == '*') return sprintf(out, "%d", TEST_RANDOM(9) - 4);
    if (shape[0] == '#') return sprintf(out, "%s", TEST_RANDOM(2) ? "true" : "false");
    if (shape[0] == '2') return sprintf(out, "%d", letters['h'] = TEST_RANDOM(5));
    for (k = 0; k < g->count; k++) {
        const int t = (first + k) % g->count;
        memcpy(saved, letters, sizeof saved);
        if (graph_fits(g, t, shape, length, letters)) {
            g->read[t]++;
            return sprintf(out, "%s", graph_tensor_name(t));
        }
        memcpy(letters, saved, sizeof saved);
    }
    return 0;
}

static inline int graph_result(graph_gen *g, const char *shape, size_t length, const int *letters)
{
    int extent[2] = { 0, 0 };
    if (shape[0] == '.') return graph_new_tensor(g, 0, 0, 0);
    if (shape[0] == 'H') return graph_new_tensor(g, 1, letters['h'], 0);
    extent[0] = letters[(unsigned char)shape[0]];
    if (length > 1 && (shape[1] == '-' || shape[1] == '+'))
        return graph_new_tensor(g, 1, extent[0] + (shape[1] == '-' ? -1 : 2), 0);
    if (length > 1) extent[1] = letters[(unsigned char)shape[1]];
    return graph_new_tensor(g, (int)length, extent[0], extent[1]);
}

/* A node of this function, if there are tensors for it. */
static inline int graph_node(graph_gen *g, int which)
{
    const graph_func *f = &graph_funcs[which];
    char              arguments[512];
    int               letters[128], k, n = 0, made = 0, count = 0;
    const char       *at;
    for (k = 0; k < 128; k++) letters[k] = -1;
    for (at = f->arguments; *at; at += strcspn(at, " "), at += *at == ' ') {
        if (n) n += sprintf(arguments + n, ", ");
        k = graph_argument(g, at, strcspn(at, " "), letters, arguments + n);
        if (!k) return 0;
        n += k;
    }
    if (strchr(f->results, '-') && letters['n'] < 1) return 0;
    for (at = f->results; *at; at++) count += *at == ' ';
    g->node_length += (size_t)sprintf(g->nodes + g->node_length, "    %s", count ? "(" : "");
    for (at = f->results; *at; at += strcspn(at, " "), at += *at == ' ') {
        k = graph_result(g, at, strcspn(at, " "), letters);
        g->node_length += (size_t)sprintf(g->nodes + g->node_length, "%s%s", made++ ? ", " : "",
                                          graph_tensor_name(k));
    }
    g->node_length += (size_t)sprintf(g->nodes + g->node_length, "%s = %s(%s);\n",
                                      count ? ")" : "", f->name, arguments);
    g->used[which] = 1;
    return 1;
}

static inline void graph_add(graph_gen *g, const char *text)
{
    g->length += (size_t)sprintf(g->text + g->length, "%s", text);
}

/* A graph of about so many nodes. */
static inline void graph_generate(graph_gen *g, unsigned long seed, int nodes)
{
    int  k, made = 0, tries, outputs = 0, inputs = 1 + (int)(seed % 3);
    char line[1024];
    memset(g, 0, sizeof *g);
    test_seed = seed * 7919 + 3;
    g->inputs = inputs;
    for (k = 0; k < inputs; k++) {
        const int rank = 1 + TEST_RANDOM(2), columns = 1 + TEST_RANDOM(9);
        graph_new_tensor(g, rank, TEST_RANDOM(12) ? 1 + TEST_RANDOM(9) : 0, columns);
        if (rank == 1) g->extent[k][1] = 0;
    }
    for (tries = 0; made < nodes && tries < 40 * nodes && g->count + 2 < GRAPH_TENSORS; tries++)
        made += graph_node(g, TEST_RANDOM(GRAPH_FUNCS));
    while (!made) made += graph_node(g, TEST_RANDOM(2) ? 0 : 3);
    graph_add(g, "graph net {\n");
    for (k = 0; k < GRAPH_FUNCS; k++)
        if (g->used[k] || TEST_RANDOM(12) == 0) {
            sprintf(line, "    func %s%s\n", graph_funcs[k].name, graph_funcs[k].text);
            graph_add(g, line);
        }
    for (k = 0; k < inputs; k++) {
        sprintf(line, g->rank[k] == 1 ? "    input %s: i32[%d];\n" : "    input %s: i32[%d, %d];\n",
                graph_tensor_name(k), g->extent[k][0], g->extent[k][1]);
        graph_add(g, line);
    }
    graph_add(g, g->nodes);
    for (k = inputs; k < g->count; k++) {
        const int wanted = !g->read[k] || TEST_RANDOM(6) == 0 || (k + 1 == g->count && !outputs);
        if (!wanted || outputs == 12) continue;
        sprintf(line, "    output %s;\n", graph_tensor_name(k));
        graph_add(g, line);
        outputs++;
    }
    for (k = TEST_RANDOM(6); k > 3; k--) { /* an input, or what is an output already */
        sprintf(line, "    output %s;\n", graph_tensor_name(TEST_RANDOM(g->count)));
        graph_add(g, line);
    }
    graph_add(g, "}\n");
}

/* ------------------------------------------------------------------ what it computes */

/* The memory of each tensor, in one array of the test's. */
typedef struct graph_data {
    int32_t *data[GRAPH_TENSORS + 8];
    int64_t  count[GRAPH_TENSORS + 8];
    int      tensors;
} graph_data;

static inline void graph_data_new(graph_data *d, const irl_graph *g, unsigned long seed)
{
    int64_t j;
    int     k;
    d->tensors = irl_graph_tensor_count(g);
    for (k = 0; k < d->tensors; k++) {
        d->count[k] = irl_shape_count(irl_graph_tensor_of(g, k)->shape);
        d->data[k] = (int32_t *)malloc((size_t)(d->count[k] + 1) * sizeof(int32_t));
        for (j = 0; j < d->count[k]; j++)
            d->data[k][j] =
                irl_graph_tensor_of(g, k)->node < 0
                    ? (int32_t)((seed + (unsigned long)(j * 37 + k)) * 2654435761u % 201) - 100
                    : 0x55555555;
    }
}

static inline void graph_data_free(graph_data *d)
{
    int k;
    for (k = 0; k < d->tensors; k++) free(d->data[k]);
}

/* A constant's value in memory, in the width of its type. */
static inline void graph_scalar(const irl_expr *e, void *to)
{
    const int64_t value = irl_expr_int_value(e);
    const int8_t  i8 = (int8_t)value;
    const int16_t i16 = (int16_t)value;
    const int32_t i32 = (int32_t)value;
    switch (irl_expr_type(e).scalar) {
    case IRL_BOOL: case IRL_I8: case IRL_U8: memcpy(to, &i8, sizeof i8); break;
    case IRL_I16: case IRL_U16: memcpy(to, &i16, sizeof i16); break;
    case IRL_I32: case IRL_U32: memcpy(to, &i32, sizeof i32); break;
    default: memcpy(to, &value, sizeof value); break;
    }
}

/* Node after node by the interpreter, each by its own function as it was given. */
static inline int graph_run_nodes(const irl_graph *g, graph_data *d)
{
    int k, p;
    for (k = 0; k < irl_graph_node_count(g); k++) {
        const irl_graph_node *node = irl_graph_node_of(g, k);
        irl_arguments         a;
        int64_t               values[IRL_MAX_ARGUMENTS];
        memset(&a, 0, sizeof a);
        a.count = irl_func_param_count(node->func);
        for (p = 0; p < a.count; p++) {
            if (node->tensors[p] >= 0) {
                a.data[p] = d->data[node->tensors[p]];
                continue;
            }
            graph_scalar(node->scalars[p], &values[p]);
            a.data[p] = &values[p];
        }
        if (!irl_func_interpret(node->func, a)) return 0;
    }
    return 1;
}

/* The arguments of the graph's function or module: inputs, then outputs of `to`. */
static inline irl_arguments graph_arguments(const irl_graph *g, graph_data *to)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    for (k = 0; k < irl_graph_input_count(g); k++)
        a.data[a.count++] = to->data[irl_graph_input(g, k)];
    for (k = 0; k < irl_graph_output_count(g); k++)
        a.data[a.count++] = to->data[irl_graph_output(g, k)];
    return a;
}

/* Whether inputs and outputs are the same in both. */
static inline int graph_same(const irl_graph *g, const graph_data *a, const graph_data *b)
{
    int k;
    for (k = 0; k < a->tensors; k++) {
        const irl_graph_tensor *t = irl_graph_tensor_of(g, k);
        if ((t->node < 0 || t->is_output) &&
            memcmp(a->data[k], b->data[k], (size_t)a->count[k] * sizeof(int32_t)) != 0)
            return 0;
    }
    return 1;
}

#endif
