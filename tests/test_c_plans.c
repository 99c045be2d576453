/* test_c_plans.c - functions of many temporaries as C, many in one program: each gives what the
   interpreter gives with memory for each. What holds shared bytes for the last time is filled with
   other numbers behind the launch, or behind the loop or the branch around it.

   usage  test_c_plans [FIRST [COUNT [COMPILER]]]     seeds; one compiler instead of two */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#include "generate_temporaries.h"
#include "test.h"

#include <unistd.h>

static int poisoned, ran;

static size_t indent_of(const char *line) { return strspn(line, " "); }

/* Where the line stands that declares a temporary: its indentation; -1: it is not there. */
static int declared_at(const char *source, const char *name)
{
    const char *at = source, *line;
    char        text[64];
    sprintf(text, "*const %s = ", name);
    at = strstr(source, text);
    for (line = at; line && line > source && line[-1] != '\n';) line--;
    return line ? (int)indent_of(line) : -1;
}

/* Behind launch `passed`, at a line of this indentation: what is dead and not yet filled. */
static void put_dead(FILE *out, const irl_module_plan *p, const char *source, int passed,
                     const char *line, char *filled)
{
    int j;
    for (j = 0; j < p->count; j++) {
        const irl_plan_temporary *one = &p->list[j];
        const int                 own = declared_at(source, one->name);
        const int                 here = (int)indent_of(line);
        if (filled[j] || one->last < 0 || one->last >= passed || one->bytes <= 0 || own < 0 ||
            here > own || (here == own && line[here] == '}'))
            continue;
        filled[j] = 1;
        if (here < own) continue; /* its scope ends with this line */
        fprintf(out, "%*smemset(%s, 0xa5, %ld);\n", own, "", one->name, (long)one->bytes);
        poisoned++;
    }
}

static void put_poisoned(FILE *out, const irl_module *m, const char *prefix, const char *source)
{
    const irl_module_plan        *p = irl_plan(m);
    const char                   *line, *end;
    char                          call[128], filled[GT_MEMORIES + 1];
    int                           k = 0;
    memset(filled, 0, sizeof filled);
    if (!CHECK(p != NULL)) return;
    for (line = source; *line; line = end) {
        end = strchr(line, '\n') ? strchr(line, '\n') + 1 : line + strlen(line);
        if (k) put_dead(out, p, source, k, line, filled);
        fwrite(line, 1, (size_t)(end - line), out);
        if (k == p->launch_count) continue;
        sprintf(call, "%s%s(", prefix, p->launches[k]);
        if (strncmp(line + indent_of(line), call, strlen(call)) == 0) k++;
    }
    CHECK(k == p->launch_count || irl_module_kernel_count(m) == 1);
}

static int has_scratch(const char *source) { return strstr(source, "void *scratch") != NULL; }

static void put_function(FILE *out, unsigned long seed)
{
    static gt_case c;
    irl_ctx       *cx = irl_ctx_create(NULL);
    irl_c_options  how;
    char           prefix[32];
    int32_t        x[GT_INPUT], expected[GT_OUTPUT];
    irl_module    *m;
    irl_func      *f;
    int64_t        n;
    int            k;
    gt_generate(&c, seed, 2 + (int)(seed % 23));
    gt_input(&c, x);
    n = c.n;
    memset(expected, 0, sizeof expected);
    memset(&how, 0, sizeof how);
    sprintf(prefix, "p%lu_", seed);
    how.prefix = prefix;
    f = irl_func_parse(cx, c.text, IRL_TO_NUL, "generated");
    m = f && irl_func_interpret(f, IRL_POINTERS(&n, x, expected))
            ? irl_func_lower(f, &irl_target_c99)
            : NULL;
    if (CHECK(m && irl_c_source_with(m, &how)[0])) {
        const char *source = irl_c_source_with(m, &how);
        put_poisoned(out, m, prefix, source);
        fprintf(out, "static int check_%lu(void)\n{\n    static int64_t room[20000];\n"
                     "    int32_t x[] = {", seed);
        for (k = 0; k < GT_INPUT; k++) fprintf(out, " %ld,", (long)x[k]);
        fprintf(out, " }, y[%d] = { 0 };\n    static const int32_t e[] = {", GT_OUTPUT);
        for (k = 0; k < GT_OUTPUT; k++)
            fprintf(out, " (int32_t)0x%lxu,", (unsigned long)(uint32_t)expected[k]);
        fprintf(out, " };\n    (void)room;\n    %sf%lu(%ld, x, y%s);\n", prefix, seed % 1000000,
                (long)n, has_scratch(source) ? ", room" : "");
        fprintf(out, "    if (memcmp(y, e, sizeof y) == 0) return 0;\n"
                     "    printf(\"function %lu\\n\");\n    return 1;\n}\n", seed);
        ran++;
    } else printf("seed %lu: %s\n", seed, irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    static const char *const compilers[] = {
        "gcc -std=gnu99 -O1 -w -fsanitize=undefined -fno-sanitize-recover", "tcc -w" };
    char          folder[] = "/tmp/irl_plans_XXXXXX", text[256];
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seed;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(60), k;
    FILE         *out;
    test_seeds(first, n);
    if (!CHECK(mkdtemp(folder) != NULL)) return TEST_DONE();
    sprintf(text, "%s/p.c", folder);
    out = fopen(text, "w");
    if (!CHECK(out != NULL)) return TEST_DONE();
    fputs("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n", out);
    for (seed = first; seed < first + (unsigned long)n; seed++) put_function(out, seed);
    fputs("int main(void)\n{\n    int wrong = 0;\n", out);
    for (seed = first; seed < first + (unsigned long)n; seed++)
        fprintf(out, "    wrong += check_%lu();\n", seed);
    fputs("    return wrong != 0;\n}\n", out);
    fclose(out);
    for (k = 0; k < 2 && ran == n; k++) {
        if (k && system("command -v tcc > /dev/null") != 0) continue;
        if (k && argc > 3) continue;
        sprintf(text, "cd %s && %s -o p p.c -lm && ./p", folder, argc > 3 ? argv[3] : compilers[k]);
        if (!CHECK(system(text) == 0)) printf("%s\n", argc > 3 ? argv[3] : compilers[k]);
    }
    sprintf(text, "rm -rf %s", folder);
    if (!test_failed) CHECK(system(text) == 0);
    printf("%d functions ran as C, %d temporaries poisoned\n", ran, poisoned);
    CHECK(n < 20 || poisoned > n);
    return TEST_DONE();
}
