/* test_c_graphs.c - generated graphs as C: many in one program, built by gcc with undefined
   behaviour caught, and by tcc; each gives what the interpreter gives node by node.

   Temporaries share memory: what a launch has used for the last time is filled with other numbers
   behind it.

   usage  test_c_graphs [FIRST [COUNT [COMPILER]]]     seeds of generated graphs; one compiler
          instead of two */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#include "generate_graph.h"
#include "test.h"

#include <unistd.h>

static int laid_out, ran;

/* An input or output that has a layout would have to be packed. */
static int is_plain(const irl_module *m)
{
    int k;
    for (k = 0; k < irl_func_param_count(irl_module_host(m)); k++)
        if (irl_func_param_map(irl_module_host(m), k)) return 0;
    return 1;
}

static void put_array(FILE *out, const char *kind, unsigned long seed, int k, const int32_t *data,
                      int64_t count)
{
    int64_t j;
    fprintf(out, "static %s_%lu_%d[] = {", kind, seed, k);
    for (j = 0; j < count; j++) fprintf(out, "%s%ld - 1,", j % 8 ? " " : "\n", (long)data[j] + 1);
    fprintf(out, "%s};\n", count ? "" : " 0 ");
}

static int poisoned, shared, planned;

/* How the text calls temporary j: the name that begins alike and lies at its offset, the first such
   one that no temporary before it is. A temporary that lies alone is an array. NULL: not there. */
static const char *declared_as(const irl_module_plan *p, const char *source, int j)
{
    static char               out[64];
    const irl_plan_temporary *one = &p->list[j];
    const int                 is_alone = strstr(source, "_t pool[") == NULL;
    const char               *at;
    int                       k, before = 0;
    for (k = 0; k < j; k++)
        before += p->list[k].pool == one->pool && p->list[k].bytes > 0 &&
                  (is_alone || p->list[k].offset == one->offset) &&
                  strcmp(p->list[k].name, one->name) == 0;
    for (at = source; (at = strstr(at, is_alone ? "static int32_t " : "*const ")) != NULL; at++) {
        long   lies = 0;
        size_t c;
        if (sscanf(at, is_alone ? "static int32_t %63[^[;(]" : "*const %63s = pool + %ld", out,
                   &lies) < 1 ||
            (!is_alone && (lies * 4 != one->offset ||
                           strncmp(at + 7 + strlen(out), " = pool", 7) != 0)))
            continue;
        for (c = 0; one->name[c] && (one->name[c] == out[c] || one->name[c] == ' ');) c++;
        if (!one->name[c] && (!out[c] || out[c] == '_') && before-- == 0) return out;
    }
    return NULL;
}

/* Behind launch k: other numbers in what no later launch needs. */
static void put_poison(FILE *out, const irl_module_plan *p, const char *source, int k)
{
    int j;
    for (j = 0; j < p->count; j++) {
        const irl_plan_temporary *one = &p->list[j];
        const char               *name;
        if (one->last != k || one->bytes <= 0 || one->pool < 0) continue;
        name = declared_as(p, source, j);
        if (!CHECK(name != NULL)) continue;
        fprintf(out, "    memset(%s, 0xa5, %ld);\n", name, (long)one->bytes);
        poisoned++;
    }
}

/* The text, with poison behind the lines of the host function that launch kernels. */
static void put_poisoned(FILE *out, const irl_module *m, const char *prefix, const char *source)
{
    const irl_module_plan *p = irl_plan(m);
    const char            *line = source, *end;
    char                   call[128];
    int                    k = 0;
    if (!CHECK(p != NULL)) return;
    if (p->pool_count && p->pools[0].bytes < p->pools[0].separate) shared++;
    for (; *line; line = end) {
        end = strchr(line, '\n') ? strchr(line, '\n') + 1 : line + strlen(line);
        fwrite(line, 1, (size_t)(end - line), out);
        if (k == p->launch_count) continue;
        sprintf(call, "    %s%s(", prefix, p->launches[k]);
        if (strncmp(line, call, strlen(call)) == 0) put_poison(out, p, source, k++);
    }
    CHECK(k == p->launch_count || irl_module_kernel_count(m) == 1);
}

/* The plan of the module is that of its code: the caller's memory is the pools, and what shares
   none after them. */
static void check_bytes(const irl_module *m)
{
    const irl_module_plan *p = irl_plan(m);
    const char            *source = irl_c_source(m), *at = strstr(source, "_scratch_bytes ");
    int64_t                bytes = 0;
    int                    k;
    if (!CHECK(p && source[0])) return;
    for (k = 0; k < p->pool_count; k++) bytes += (p->pools[k].bytes + 15) / 16 * 16;
    for (k = 0; k < p->count; k++)
        if (p->list[k].pool < 0) bytes += (p->list[k].bytes + 15) / 16 * 16;
    CHECK(bytes == (at ? atoll(at + strlen("_scratch_bytes ")) : 0));
    planned += bytes > 0;
}

/* The function of a graph, its data, and a function that runs and compares. */
static void put_graph(FILE *out, irl_ctx *cx, const irl_graph *g, unsigned long seed)
{
    char          prefix[32];
    irl_c_options how;
    irl_module   *m = irl_graph_lower(g, irl_target_find(seed % 2 ? "c99" : "c-gnu"));
    graph_data    given, expected;
    int           k, n = 0;
    memset(&how, 0, sizeof how);
    sprintf(prefix, "g%lu_", seed);
    how.prefix = prefix;
    how.static_bytes = 1 << 20;
    if (!CHECK(m && irl_ok(cx))) return;
    check_bytes(m);
    if (!is_plain(m)) {
        laid_out++;
        fprintf(out, "static int check_%lu(void) { return 0; }\n", seed);
        return;
    }
    ran++;
    graph_data_new(&given, g, seed);
    graph_data_new(&expected, g, seed);
    CHECK(graph_run_nodes(g, &expected));
    put_poisoned(out, m, prefix, irl_c_source_with(m, &how));
    for (k = 0; k < given.tensors; k++) {
        const irl_graph_tensor *t = irl_graph_tensor_of(g, k);
        if (t->node < 0) put_array(out, "int32_t in", seed, k, given.data[k], given.count[k]);
        if (!t->is_output) continue;
        put_array(out, "int32_t in", seed, k, given.data[k], given.count[k]);
        put_array(out, "const int32_t out", seed, k, expected.data[k], expected.count[k]);
    }
    fprintf(out, "static int check_%lu(void)\n{\n    int wrong = 0;\n    %snet(", seed, prefix);
    for (k = 0; k < irl_graph_input_count(g); k++)
        fprintf(out, "%sin_%lu_%d", n++ ? ", " : "", seed, irl_graph_input(g, k));
    for (k = 0; k < irl_graph_output_count(g); k++)
        fprintf(out, "%sin_%lu_%d", n++ ? ", " : "", seed, irl_graph_output(g, k));
    fprintf(out, ");\n");
    for (k = 0; k < irl_graph_output_count(g); k++) {
        const int t = irl_graph_output(g, k);
        fprintf(out, "    wrong |= memcmp(in_%lu_%d, out_%lu_%d, %ld) != 0;\n", seed, t, seed, t,
                (long)expected.count[t] * 4);
    }
    fprintf(out, "    if (wrong) printf(\"graph %lu\\n\");\n    return wrong;\n}\n", seed);
    graph_data_free(&given);
    graph_data_free(&expected);
}

static void write_program(const char *path, unsigned long first, int count)
{
    static graph_gen gen;
    FILE            *out = fopen(path, "w");
    unsigned long    seed;
    if (!CHECK(out != NULL)) return;
    fputs("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n", out);
    for (seed = first; seed < first + (unsigned long)count; seed++) {
        irl_ctx   *cx = irl_ctx_create(NULL);
        irl_graph *g;
        graph_generate(&gen, seed, 1 + (int)(seed % 9));
        g = irl_graph_parse(cx, gen.text, IRL_TO_NUL, "generated");
        if (CHECK(g != NULL)) put_graph(out, cx, g, seed);
        if (!CHECK_OK(cx)) printf("seed %lu\n%s\n", seed, gen.text);
        irl_ctx_destroy(cx);
    }
    fputs("int main(void)\n{\n    int wrong = 0;\n", out);
    for (seed = first; seed < first + (unsigned long)count; seed++)
        fprintf(out, "    wrong += check_%lu();\n", seed);
    fputs("    return wrong != 0;\n}\n", out);
    fclose(out);
}

static void check_program(const char *folder, const char *compiler)
{
    char command[512];
    sprintf(command, "cd %s && %s -o p p.c -lm && ./p", folder, compiler);
    if (!CHECK(system(command) == 0)) printf("%s\n", compiler);
}

/* The parameters have the names of inputs and outputs, also where one kernel is all. */
static void test_parameters(void)
{
    irl_ctx   *cx = irl_ctx_create(NULL);
    irl_graph *g = irl_graph_parse(
        cx, "graph net { func f(x: i32[8], y: i32[8]) { for (i: 8) y[i] = x[i] + 1; } "
            "input first: i32[8]; last = f(first); output last; }", IRL_TO_NUL, NULL);
    const char *source = irl_c_source(irl_graph_lower(g, &irl_target_c99));
    if (!CHECK(strstr(source, "void net(const int32_t *IRL_RESTRICT first, int32_t *IRL_RESTRICT "
                              "last)")))
        puts(source);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    char          folder[] = "/tmp/irl_graphs_XXXXXX", path[64], command[64];
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(100);
    test_seeds(first, n);
    test_parameters();
    if (!CHECK(mkdtemp(folder) != NULL)) return TEST_DONE();
    sprintf(path, "%s/p.c", folder);
    write_program(path, first, n);
    if (argc > 3) check_program(folder, argv[3]);
    else {
        check_program(folder, "gcc -std=gnu11 -O1 -w -fsanitize=undefined -fno-sanitize-recover");
        if (system("command -v clang > /dev/null") == 0)
            check_program(folder, "clang -std=gnu11 -w");
    }
    sprintf(command, "rm -rf %s", folder);
    if (!test_failed) CHECK(system(command) == 0);
    printf("%d graphs ran as C; %d have inputs or outputs with layouts\n", ran, laid_out);
    printf("%d temporaries poisoned, memory shared in %d graphs; the plan's bytes are those of the "
           "code in %d\n", poisoned, shared, planned);
    CHECK(planned > 0);
    CHECK(ran > n / 2 && poisoned > n / 4);
    return TEST_DONE();
}
