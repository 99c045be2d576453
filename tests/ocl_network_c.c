/* ocl_network_c.c - a network as one file of C with its memory in it: a small MobileNet gives what
   the interpreter gives of the same module, bit for bit, MobileNetV1 at 224 what the device gives.

   The file compiles without a warning under -std=c99 -pedantic -Wall -Wextra -Wconversion. */
#define _GNU_SOURCE
#define IRLAYOUT_OCL_RUNTIME
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "../bench/networks.h"
#include "test.h"

#include <unistd.h>

/* The tensors of a graph's inputs and outputs, outputs empty. */
typedef struct io {
    int        count, inputs;
    irl_tensor list[1 + 3 * NET_LAYERS];
} io;

static void io_new(io *t, const irl_graph *g, const net_data *d)
{
    int j;
    memset(t, 0, sizeof *t);
    t->inputs = irl_graph_input_count(g);
    t->count = t->inputs + irl_graph_output_count(g);
    for (j = 0; j < t->count; j++) {
        const irl_graph_tensor *of = irl_graph_tensor_of(
            g, j < t->inputs ? irl_graph_input(g, j) : irl_graph_output(g, j - t->inputs));
        const int k = atoi(of->name + 1);
        t->list[j].type = of->type;
        t->list[j].shape = of->shape;
        t->list[j].bytes = (size_t)irl_shape_count(of->shape) * sizeof(float);
        t->list[j].data = of->name[0] == 'i'   ? d->image
                          : of->name[0] == 'k' ? d->weights[k]
                          : of->name[0] == 'b' ? d->bias[k]
                                               : net_floats(t->list[j].bytes / sizeof(float));
    }
}

static void io_free(io *t)
{
    for (; t->count > t->inputs; t->count--) free(t->list[t->count - 1].data);
}

/* ------------------------------------------------------------------ the program */

static FILE *open_in(const char *folder, const char *name, const char *how)
{
    char  path[128];
    FILE *f;
    sprintf(path, "%s/%s", folder, name);
    f = fopen(path, how);
    CHECK(f != NULL);
    return f;
}

/* Reads all inputs from a file, runs, writes the outputs. */
static void write_main(FILE *out, const io *t, const char *name)
{
    int j;
    fprintf(out, "#include \"net.c\"\n#include <stdio.h>\n");
    for (j = 0; j < t->count; j++)
        fprintf(out, "static float t%d[%lu];\n", j,
                (unsigned long)(t->list[j].bytes / sizeof(float)));
    fprintf(out, "int main(void)\n{\n    FILE *f = fopen(\"in\", \"rb\");\n");
    fprintf(out, "    if (!f) return 1;\n");
    for (j = 0; j < t->inputs; j++)
        fprintf(out, "    if (fread(t%d, sizeof t%d, 1, f) != 1) return 2;\n", j, j);
    fprintf(out, "    fclose(f);\n    %s(", name);
    for (j = 0; j < t->count; j++) fprintf(out, "%st%d", j ? ", " : "", j);
    fprintf(out, ");\n    f = fopen(\"out\", \"wb\");\n    if (!f) return 3;\n");
    for (j = t->inputs; j < t->count; j++)
        fprintf(out, "    if (fwrite(t%d, sizeof t%d, 1, f) != 1) return 4;\n", j, j);
    fprintf(out, "    return fclose(f) != 0;\n}\n");
}

/* Emits, compiles, runs; the outputs come into t. */
static int run_as_c(const irl_module *m, const io *t)
{
    char          folder[] = "/tmp/irl_network_XXXXXX", command[512];
    irl_c_options how;
    const char   *source;
    FILE         *f;
    int           j, ok;
    memset(&how, 0, sizeof how);
    how.static_bytes = (int64_t)1 << 30;
    source = irl_c_source_with(m, &how);
    if (!CHECK(mkdtemp(folder) != NULL && source[0])) return 0;
    CHECK(!strstr(source, "malloc") && !strstr(source, "scratch"));
    if ((f = open_in(folder, "net.c", "w"))) fputs(source, f), fclose(f);
    if ((f = open_in(folder, "main.c", "w")))
        write_main(f, t, irl_func_name(irl_module_host(m))), fclose(f);
    if ((f = open_in(folder, "in", "wb"))) {
        for (j = 0; j < t->inputs; j++) CHECK(fwrite(t->list[j].data, t->list[j].bytes, 1, f) == 1);
        fclose(f);
    }
    sprintf(command, "cd %s && gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -O2 "
                     "main.c -o p -lm && ./p", folder);
    ok = CHECK(system(command) == 0);
    if (ok && (f = open_in(folder, "out", "rb"))) {
        for (j = t->inputs; j < t->count; j++)
            CHECK(fread(t->list[j].data, t->list[j].bytes, 1, f) == 1);
        fclose(f);
    }
    sprintf(command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return ok;
}

/* ------------------------------------------------------------------ what it is compared with */

static void say_memory(const irl_module *m, const network *n)
{
    const irl_module_plan        *p = irl_plan(m);
    int                           k;
    for (k = 0; p && k < p->pool_count; k++)
        printf("%s at %d as C: %ld bytes static, at least %ld, %ld without sharing\n", n->name,
               n->size, (long)p->pools[k].bytes, (long)p->pools[k].lower_bound,
               (long)p->pools[k].separate);
}

static void check_interpreted(irl_ctx *cx, const network *n)
{
    static net_text   text;
    irl_mark          mark = irl_ctx_mark(cx);
    const irl_graph  *g;
    const irl_module *m;
    net_data          d;
    io                as_c, expected;
    int               j;
    net_data_new(n, &d);
    net_graph_text(n, 1, &text);
    g = irl_graph_fuse(irl_graph_parse(cx, text.text, text.length, n->name), NULL);
    m = irl_graph_lower(g, &irl_target_c99);
    if (CHECK_OK(cx)) {
        io_new(&as_c, g, &d);
        io_new(&expected, g, &d);
        say_memory(m, n);
        CHECK(run_as_c(m, &as_c) && irl_module_interpret_tensors(m, expected.count, expected.list));
        for (j = as_c.inputs; j < as_c.count; j++)
            CHECK(memcmp(as_c.list[j].data, expected.list[j].data, as_c.list[j].bytes) == 0);
        io_free(&as_c);
        io_free(&expected);
    } else printf("%s\n", irl_diag_text(cx));
    net_data_free(n, &d);
    irl_ctx_rewind(cx, mark);
}

static void check_on_device(irl_ocl *cl, irl_ctx *cx, const network *n)
{
    static net_text   text;
    irl_mark          mark = irl_ctx_mark(cx);
    const irl_graph  *g;
    const irl_module *m, *on_device;
    net_data          d;
    io                as_c, expected;
    int               j;
    double            far = 0, one;
    net_data_new(n, &d);
    net_graph_text(n, 0, &text);
    g = irl_graph_fuse(irl_graph_parse(cx, text.text, text.length, n->name), NULL);
    m = irl_graph_lower(g, &irl_target_c99);
    on_device = irl_graph_lower(g, &irl_target_opencl12);
    if (CHECK_OK(cx)) {
        io_new(&as_c, g, &d);
        io_new(&expected, g, &d);
        say_memory(m, n);
        CHECK(run_as_c(m, &as_c) &&
              irl_ocl_run_tensors(cl, on_device, expected.count, expected.list));
        for (j = as_c.inputs; j < as_c.count; j++) {
            one = net_difference(as_c.list[j].bytes / sizeof(float),
                                 (const float *)as_c.list[j].data,
                                 (const float *)expected.list[j].data);
            if (one > far) far = one;
        }
        printf("%s at %d: C and the device differ by %.2g\n", n->name, n->size, far);
        CHECK(far < 1e-4);
        io_free(&as_c);
        io_free(&expected);
    } else printf("%s\n", irl_diag_text(cx));
    net_data_free(n, &d);
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    static network n;
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_ocl       *cl = irl_ocl_create(cx, NULL);
    if (!cl) TEST_NO_DEVICE(cx);
    net_mobilenet(&n, 32, 8);
    check_interpreted(cx, &n);
    net_resnet(&n, 32, 16);
    check_interpreted(cx, &n);
    net_mobilenet(&n, 224, 1);
    if (cl) check_on_device(cl, cx, &n);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
