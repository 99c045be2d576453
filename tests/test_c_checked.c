/* test_c_checked.c - the host function that checks its arguments, as C: built by the compilers that
   there are, with sanitizers, on the types of its own and on those of dlpack.h. Each check fails
   alone; random descriptors are refused by name or give a right result. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#include "../src/target/target.h"
#endif
#include "generate.h"
#include "test.h"
#include "c_batch.h"
#include "host_cases.h"

static const char program_head[] = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                                   "#include <string.h>\n";

static const char program_main[] =
    "#include \"host_cases.h\"\n"
    "static unsigned accepted;\nstatic unsigned char failed_alone[CHECKS];\n"
    "static int one(host_call *call, host_arena *arena, uint64_t seed)\n{\n"
    "    static host_arena expected;\n    irl_refusal refusal;\n    int right, refused;\n"
    "    host_call_random(call, arena, seed);\n    expected = *arena;\n"
    "    right = host_is_right(call);\n"
    "    accepted += right != 0;\n    if (right) host_run(call, &expected, arena);\n"
    "    refused = k_checked(call->count, call->args, &refusal);\n"
    "    if (seed <= SHOWN) printf(\"%s\\n\", refusal.message);\n"
    "    return refused == refusal.check && (refused == 0) == right &&\n"
    "           (refusal.message[0] == 0) == right &&\n"
    "           memcmp(arena->bytes, expected.bytes, HOST_ARENA) == 0;\n}\n"
    "int main(void)\n{\n    static host_call call;\n    static host_arena arena;\n"
    "    irl_refusal refusal;\n    int k, failed = 0;\n    uint64_t seed;\n"
    "    if (k_checked(6, NULL, NULL) != 1) return 3;\n"
    "    for (k = 0; k < HOST_CASES; k++) {\n        int check;\n        host_call_init(&call);\n"
    "        host_cases[k].change(&call);\n"
    "        check = k_checked(call.count, call.args, &refusal);\n"
    "        if (check > 0 && check <= CHECKS) failed_alone[check - 1] = 1;\n"
    "        if (check != refusal.check || strcmp(refusal.message, host_cases[k].message)) {\n"
    "            printf(\"case %d: %s\\n\", k, refusal.message);\n            failed++;\n"
    "        }\n"
    "    }\n"
    "    for (seed = 1; seed <= COUNT; seed++)\n        if (!one(&call, &arena, seed)) {\n"
    "            printf(\"seed %lu\\n\", (unsigned long)seed);\n"
    "            if (++failed > 5) break;\n        }\n"
    "    for (k = 0; k < CHECKS; k++)\n"
    "        if (!failed_alone[k]) printf(\"check %d\\n\", k);\n"
    "    printf(\"seeds: %u of %u accepted\\n\", accepted, (unsigned)COUNT);\n"
    "    return failed || accepted < COUNT / 10 || accepted > COUNT - COUNT / 4;\n}\n";

/* "gcc": sanitizers where there are some */
static const char *const commands[][2] = {
    { "gcc", "gcc -std=c99 -fsyntax-only -ffreestanding " C_WARNINGS " k.c && gcc -std=c99 -O1 -g "
             "-w -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-builtin" },
    { "clang", "clang++ -std=c++11 -fsyntax-only -pedantic -Wall -Wextra -Werror -x c++ k.c && "
               "clang -std=c99 -O1 " C_WARNINGS " -Wno-unused-function -fsyntax-only k.c && "
               "clang -std=c99 -O2 -w" },
    { "tcc", "tcc -w" },
};

static void put_file(const char *path, const char *a, const char *b, const char *c)
{
    FILE *f = fopen(path, "w");
    if (!CHECK(f != NULL)) return;
    fprintf(f, "%s%s%s", a, b, c);
    fclose(f);
}

/* The first messages of a program are those of the interpreter. */
static void test_messages(irl_ctx *cx, const irl_module *m, FILE *shown, int count)
{
    char       line[400];
    irl_mark   mark = irl_ctx_mark(cx);
    host_call  call;
    host_arena arena;
    int        seed;
    for (seed = 1; seed <= count && CHECK(fgets(line, sizeof line, shown) != NULL); seed++) {
        const char *said;
        host_call_random(&call, &arena, (uint64_t)seed);
        said = irl_module_check_arguments(m, call.count, call.args) ? "" : irl_diag_of(cx)->message;
        line[strcspn(line, "\n")] = 0;
        if (!CHECK(strcmp(line, said) == 0))
            printf("seed %d: C says \"%s\", the interpreter \"%s\"\n", seed, line, said);
        irl_ctx_rewind(cx, mark);
    }
}

/* Check number `at` of the text of the checks; NULL: there are fewer. */
static const char *check_text(const char *text, int at)
{
    for (text = strstr(text, "assert("); text && at > 0; at--) text = strstr(text + 1, "assert(");
    return text;
}

static int check_count(const char *text)
{
    int n = 0;
    while (check_text(text, n)) n++;
    return n;
}

/* No call fails it alone, as checks before it leave no value with which it fails: memory of n rows
   of 32 bytes fits, so that n is far from 2^48. */
static void test_implied(const char *text, int at)
{
    static const char *const implied[] = { "y_0 < 8796093022209, \"y is larger",
                                           "n < 281474976710656, \"z: the declared shape[0] must",
                                           "z_1 < 140737488355329, \"z is larger" };
    const char *check = check_text(text, at);
    int         k, found = 0;
    for (k = 0; check && k < (int)(sizeof implied / sizeof *implied); k++)
        found |= strncmp(check + 7, implied[k], strlen(implied[k])) == 0;
    if (!CHECK(found)) printf("no case fails %.90s\n", check ? check : "a check");
}

int main(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = irl_func_parse(cx, host_function, strlen(host_function), "host");
    const irl_module *m = irl_func_lower(f, &irl_target_c99);
    irl_c_options     options;
    const char       *source, *folder = c_folder();
    const char       *checks = irl_func_text(irl_module_host_checks(m));
    char              path[200], command[2000], counts[120];
    int               k, with_header, shown = TEST_COUNT(100);
    unsigned          count = getenv("IRL_SOAK") ? 100000 : (unsigned)TEST_COUNT(3000);
    memset(&options, 0, sizeof options);
    options.is_checked = 1;
    source = irl_c_source_with(m, &options);
    if (!CHECK(source[0]) || !CHECK(folder != NULL)) {
        printf("%s\n", irl_diag_text(cx));
        return TEST_DONE();
    }
    printf("seeds 1 to %u\n", count);
    snprintf(counts, sizeof counts, "#define COUNT %u\n#define SHOWN %d\n#define CHECKS %d\n",
             count, shown, check_count(checks));
    printf("%d checks\n", check_count(checks));
    CHECK(check_count(checks) > 50);
    snprintf(path, sizeof path, "%s/k.c", folder);
    put_file(path, source, "", "");
    for (with_header = 0; with_header < 2; with_header++) {
        if (with_header && system("printf '#include <dlpack/dlpack.h>\n' | "
                                  "cc -E - > /dev/null 2>&1") != 0) {
            TEST_SKIP("dlpack.h is not installed (libdlpack-dev)");
            continue;
        }
        snprintf(path, sizeof path, "%s/main.c", folder);
        put_file(path, program_head, counts,
                 with_header ? "#include <dlpack/dlpack.h>\n#include \"k.c\"\n"
                             : "#include \"k.c\"\n");
        {
            FILE *more = fopen(path, "a");
            fputs(program_main, more);
            fclose(more);
        }
        for (k = 0; k < c_takes((int)(sizeof commands / sizeof *commands)); k++) {
            FILE *out;
            if (!c_has(commands[k][0])) continue;
            snprintf(command, sizeof command,
                     "T=$PWD/tests; cd %s && %s -I$T -o main main.c -lm && ./main", folder,
                     commands[k][1]);
            out = popen(command, "r");
            if (!CHECK(out != NULL)) continue;
            if (k == 0 && !with_header) test_messages(cx, m, out, shown);
            while (fgets(path, sizeof path, out)) {
                int at;
                if (sscanf(path, "check %d", &at) == 1) test_implied(checks, at);
                if (strncmp(path, "case", 4) == 0 || strncmp(path, "seed", 4) == 0)
                    printf("%s: %s", commands[k][0], path);
            }
            snprintf(path, sizeof path, "%s/main.c", folder);
            if (!CHECK(pclose(out) == 0)) printf("by %s\n", commands[k][1]);
        }
    }
    irl_ctx_destroy(cx);
    c_folder_end();
    return TEST_DONE();
}
