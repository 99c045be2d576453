/* test_share_arrays.c - arrays of a kernel that lie in the same bytes: what shares and what not,
   by hand; generated kernels, whose results are those of the interpreter without sharing, in the
   interpreter, where what a view takes is undefined,
         and as C; how much more they take than the most
   that is alive at once.

   usage  test_share_arrays [FIRST [COUNT]]     seeds */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#include "generate_arrays.h"
#include "failing.h"
#include "test.h"

#include <unistd.h>

/* ------------------------------------------------------------------ by hand */

typedef struct by_hand {
    const char *body;  /* of a work-item: x: i32[4, 32], y: i32[4, 8], g, i */
    const char *notes; /* the views of the kernel, in order */
} by_hand;

#define FILL(a, n, value) "for (k: " #n ") " #a "[k] = " value "; "
#define TWO "alloc a: i32[8] scope(local); alloc b: i32[8] scope(local); "
#define SHARED "alloc a: i32[8] scope(shared); alloc b: i32[8] scope(shared); "

static const by_hand by_hands[] = {
    /* one behind the other */
    { TWO FILL(a, 8, "x[g, k]") "y[g, i] = a[x[g, 1] & 7]; " FILL(b, 8, "x[g, 9]")
      "y[g, i] = y[g, i] + b[x[g, 2] & 7];", "a@0: 0 b@0: 0 " },
    /* both are needed at once: where one is made of the other, */
    { TWO FILL(a, 8, "x[g, k]") FILL(b, 8, "a[7 - k]") "y[g, i] = b[x[g, 2] & 7];", "" },
    /* in one statement, */
    { TWO "a[x[g, 0] & 7] = 1; a[x[g, 0] & 7] = a[x[g, 0] & 7] + 2; "
      "b[x[g, 0] & 7] = a[x[g, 0] & 7]; y[g, i] = b[x[g, 0] & 7];", "" },
    /* in the next turn of a loop */
    { TWO FILL(a, 8, "i32(k)") "for (t: 3) { y[g, i] = a[x[g, t] & 7]; " FILL(b, 8, "x[g, k] + "
          "i32(t)")
      "y[g, i] = y[g, i] + b[x[g, 2] & 7]; }", "" },
    /* each is a turn's own */
    { "y[g, i] = 0; for (t: 3) { " TWO FILL(a, 8, "x[g, k]") "y[g, i] = y[g, i] + a[x[g, t] & 7]; "
      FILL(b, 8, "x[g, k] + i32(t)") "y[g, i] = y[g, i] + b[x[g, 2] & 7]; }", "a@0: 0 b@0: 0 " },
    /* of two branches */
    { "y[g, i] = 0; if (g > 1) { alloc a: i32[8] scope(local); " FILL(a, 8, "x[g, k]")
      "y[g, i] = a[x[g, 0] & 7]; } else { alloc b: i32[8] scope(local); " FILL(b, 8, "x[g, k + 1]")
      "y[g, i] = b[x[g, 0] & 7]; }", "a@0: 0 b@0: 0 " },
    /* two small ones lie in a large one */
    { "alloc a: i32[16] scope(local); alloc b: i32[8] scope(local); alloc c: i32[8] scope(local); "
      FILL(a, 16, "x[g, k]") "y[g, i] = a[x[g, 1] & 15]; " FILL(b, 8, "x[g, 9 + k]")
      FILL(c, 8, "b[x[g, 1] & 7] + i32(k)") "y[g, i] = y[g, i] + b[x[g, 2] & 7] + c[x[g, 3] & 7];",
      "a@0: 0 b@0: 0 c@8: 8 " },
    /* not where the other one is needed in the statement in front of which the view is declared */
    { TWO FILL(a, 8, "x[g, k]") "{ alloc c: i32[8] scope(local); " FILL(c, 8, "a[7 - k]")
      FILL(b, 8, "c[7 - k]") "} y[g, i] = b[x[g, 2] & 7];", "" },
    /* of different types they do not */
    { "alloc a: i32[8] scope(local); alloc b: u32[8] scope(local); " FILL(a, 8, "x[g, k]")
      "y[g, i] = a[x[g, 1] & 7]; " FILL(b, 8, "u32(x[g, 9])")
      "y[g, i] = y[g, i] + i32(b[x[g, 2] & 7]);", "" },
    /* shared memory: with a barrier in between, */
    { SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; barrier(shared); b[i] = y[g, "
          "i]; "
      "barrier(shared); y[g, i] = b[7 - i];", "a@0: 0 b@0: 0 " },
    /* without one, */
    { SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; b[i] = y[g, i]; "
      "barrier(shared); y[g, i] = b[7 - i];", "" },
    /* with one that orders other memory, */
    { SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; barrier(global); b[i] = y[g, "
          "i]; "
      "barrier(shared); y[g, i] = b[7 - i];", "" },
    /* with one that not every group passes: in a branch, in a loop that may not run */
    { SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; if (g > 1) barrier(shared); "
      "b[i] = y[g, i]; barrier(shared); y[g, i] = b[7 - i];", "" },
    { SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; for (t: g) barrier(shared); "
      "b[i] = y[g, i]; barrier(shared); y[g, i] = b[7 - i];", "" },
    /* in a branch that all who write the second pass */
    { SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; if (g > 1) { barrier(shared); "
      "b[i] = y[g, i]; barrier(shared); y[g, i] = b[7 - i]; }", "a@0: 0 b@0: 0 " },
    /* in a loop, with one on the way back and without it */
    { "for (t: 2) { " SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; "
          "barrier(shared); "
      "b[i] = y[g, i]; barrier(shared); y[g, i] = b[7 - i]; barrier(shared); }", "a@0: 0 b@0: 0 " },
    { "for (t: 2) { barrier(shared); " SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - "
          "i]; "
      "barrier(shared); b[i] = y[g, i]; barrier(shared); y[g, i] = b[7 - i]; }", "a@0: 0 b@0: 0 " },
    { "for (t: 2) { " SHARED "a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; "
          "barrier(shared); "
      "b[i] = y[g, i]; barrier(shared); y[g, i] = b[7 - i]; }", "" },
    /* of three that lie behind one another two have a barrier between them */
    { SHARED "alloc c: i32[8] scope(shared); a[i] = x[g, i]; barrier(shared); y[g, i] = a[7 - i]; "
      "b[i] = x[g, i + 1]; barrier(shared); y[g, i] = y[g, i] + b[7 - i]; c[i] = x[g, i + 2]; "
      "barrier(shared); y[g, i] = y[g, i] + c[7 - i];", "a@0: 0 c@0: 0 " },
};

/* What stands in shares(...) of the kernel, and the total of bytes that it allocates. */
static void notes_of(const irl_module *m, char *out)
{
    const irl_func *kernel = irl_module_kernel(m, 0);
    const char     *at = irl_func_text(kernel);
    *out = '\0';
    while ((at = strstr(at, "attr(shares = \"")) != NULL) {
        at += strlen("attr(shares = \"");
        strncat(out, at, strcspn(at, "\""));
        strcat(out, " ");
    }
}

static irl_module *lowered(irl_ctx *cx, const char *text, const char *target, int without)
{
    irl_lower_options how;
    int               k;
    memset(&how, 0, sizeof how);
    for (k = 0; without && irl_pass_name(k); k++)
        if (strcmp(irl_pass_name(k), "share_arrays") == 0 ||
            strcmp(irl_pass_name(k), "unroll") == 0)
            how.disable |= UINT64_C(1) << k;
    if (!without) /* else small arrays become variables */
        for (k = 0; irl_pass_name(k); k++)
            if (strcmp(irl_pass_name(k), "unroll") == 0) how.disable |= UINT64_C(1) << k;
    return irl_func_lower_with(irl_func_parse(cx, text, IRL_TO_NUL, NULL), irl_target_find(target),
                               &how);
}

static void check_by_hand(irl_ctx *cx, size_t k)
{
    static char text[4096];
    char        notes[256];
    int32_t     x[128], expected[32], y[32];
    irl_mark    mark = irl_ctx_mark(cx);
    irl_module *m, *again;
    irl_func   *f;
    int         j;
    sprintf(text, "func f(x: i32[4, 32], y: i32[4, 8]) { for bind(group.x) (g: 4) "
                  "for bind(local.x) (i: 8) { %s } }", by_hands[k].body);
    for (j = 0; j < 128; j++) x[j] = j * 37 % 101;
    memset(expected, 0, sizeof expected);
    memset(y, 0, sizeof y);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    m = lowered(cx, text, "opencl12", 0);
    if (CHECK(m && irl_func_interpret(f, IRL_POINTERS(x, expected)) &&
              irl_module_interpret(m, IRL_POINTERS(x, y)) && !memcmp(y, expected, sizeof y))) {
        notes_of(m, notes);
        if (!CHECK(strcmp(notes, by_hands[k].notes) == 0))
            printf("%s\nfound \"%s\", expected \"%s\"\n", text, notes, by_hands[k].notes);
        again = irl_module_parse(cx, irl_module_text(m), IRL_TO_NUL, NULL);
        CHECK(again && strcmp(irl_module_text(again), irl_module_text(m)) == 0);
        memset(y, 0, sizeof y);
        CHECK(irl_module_interpret(lowered(cx, text, "c99", 0), IRL_POINTERS(x, y)) &&
              !memcmp(y, expected, sizeof y));
        notes_of(lowered(cx, text, "opencl12", 1), notes);
        CHECK(!notes[0]);
    }
    if (!CHECK_OK(cx)) printf("%s\n", text);
    irl_ctx_rewind(cx, mark);
}

/* What a view takes holds nothing: a kernel that was made wrong is seen. */
static void check_born(irl_ctx *cx)
{
    static const char text[] =
        "func f(y: i32[1])\n    attr(shares = \"b@0: 0\")\n{\n    alloc pool: i32[4] "
        "scope(local);\n"
        "    pool[1] = 3;\n    decl `b@0`: i32[4] data(pool) scope(local);\n    y[0] = %s[1];\n}\n";
    char     made[512];
    int32_t  y[1] = { 0 };
    irl_mark mark = irl_ctx_mark(cx);
    sprintf(made, text, "pool");
    CHECK(!irl_func_interpret(irl_func_parse(cx, made, IRL_TO_NUL, NULL), IRL_POINTERS(y)) ||
          y[0] == 0);
    irl_ctx_rewind(cx, mark);
    sprintf(made, text, "pool");
    memcpy(strstr(made, "b@0: 0"), "b@0: 2", 6);
    CHECK(irl_func_interpret(irl_func_parse(cx, made, IRL_TO_NUL, NULL), IRL_POINTERS(y)) &&
          y[0] == 3);
    irl_ctx_rewind(cx, mark);
}

/* ------------------------------------------------------------------ the plan, for users */

static void check_plan(irl_ctx *cx)
{
    static const char text[] =
        "func f(x: i32[4, 32], y: i32[4, 8]) { for bind(group.x) (g: 4) for bind(local.x) (i: 8) { "
        "alloc s: i32[8] scope(shared); alloc a: i32[16] scope(local); alloc b: i32[8] "
        "scope(local); "
        "alloc z: u8[5] scope(local); s[i] = x[g, i]; barrier(shared); " FILL(a, 16, "s[k & 7]")
        FILL(z, 5, "u8(k)") "y[g, i] = a[x[g, 1] & 15] + i32(z[x[g, 2] & 3]); "
        FILL(b, 8, "x[g, 9 + k]") "y[g, i] = y[g, i] + b[x[g, 2] & 7]; } }";
    irl_mark              mark = irl_ctx_mark(cx);
    const irl_array_plan *p = irl_func_plan_arrays(irl_module_kernel(lowered(cx, text,
          "opencl12", 1),
                                                                     0));
    int                   k;
    for (k = 0; k < 2; k++) { /* as it is, and as share_arrays has made it */
        if (!CHECK(p && p->count == 4 && p->pool_count == 1)) break;
        CHECK(p->local.bytes == 69 && p->local.separate == 101 && p->local.lower_bound == 69);
        CHECK(p->shared.bytes == 32 && p->shared.separate == 32 && p->shared.lower_bound == 32);
        CHECK(!strcmp(p->list[0].name, "s") && p->list[0].pool == -1 && p->list[0].bytes == 32);
        CHECK(p->pools[0].bytes == 64 && p->pools[0].separate == 96);
        CHECK(strstr(irl_array_plan_text(p), "local: 69 bytes; at least 69; 101 if each had its "
        "own"));
        p = irl_func_plan_arrays(irl_module_kernel(lowered(cx, text, "opencl12", 0), 0));
    }
    CHECK(strstr(irl_plan_text(irl_plan(lowered(cx, text, "opencl12", 0))), "local: 69 bytes; at"));
    CHECK(!irl_func_plan_arrays(NULL) && !*irl_array_plan_text(NULL));
    CHECK_OK(cx);
    irl_ctx_rewind(cx, mark);
}

/* Elements of three lanes: what the plan says is what is made of them, at whole elements, as far
   apart as an alignment that is asked for. */
static void check_three_lanes(irl_ctx *cx)
{
    static const struct {
        const char *align, *notes;
        int         bytes;
    } cases[] = {
        { "", "a@0: 0 b@0: 0 c@5: 5 ", 84 },
        { "align(16) ", "a@0: 0 b@4: 4 c@0: 0 ", 108 },
    };
    size_t k;
    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        irl_mark              mark = irl_ctx_mark(cx);
        char                  text[1024], notes[256];
        int32_t               x[128], y[32], expected[32];
        const irl_array_plan *p;
        irl_module           *m;
        int                   j;
        sprintf(text, "func f(x: i32[4, 32], y: i32[4, 8]) { for bind(group.x) (g: 4) for "
                      "bind(local.x) (i: 8) { alloc a: i32x3[7] %sscope(local); alloc b: i32x3[5] "
                      "%sscope(local); alloc c: i32x3[2] %sscope(local); "
                      FILL(a, 7, "broadcast(x[g, k], 3)") "y[g, i] = lane(a[x[g, 1] & 3], 1); "
                      FILL(b, 5, "broadcast(x[g, 9 + k], 3)") FILL(c, 2, "b[x[g, 1 + k] & 3]")
                      "y[g, i] = y[g, i] + lane(b[x[g, 2] & 3], 2) + lane(c[x[g, 1] & 1], 1); } }",
                cases[k].align, cases[k].align, cases[k].align);
        for (j = 0; j < 128; j++) x[j] = j * 37 % 101;
        m = lowered(cx, text, "opencl12", 0);
        for (j = 0; j < 2; j++) {
            p = irl_func_plan_arrays(irl_module_kernel(lowered(cx, text, "opencl12", !j), 0));
            if (!CHECK(p && p->pool_count == 1 && p->pools[0].bytes == cases[k].bytes &&
                       p->local.bytes == cases[k].bytes))
                puts(irl_array_plan_text(p));
        }
        if (CHECK(m != NULL)) notes_of(m, notes);
        if (!CHECK(m && strcmp(notes, cases[k].notes) == 0)) puts(irl_module_text(m));
        CHECK(irl_func_interpret(irl_func_parse(cx, text, IRL_TO_NUL, NULL),
                                 IRL_POINTERS(x, expected)) &&
              irl_module_interpret(m, IRL_POINTERS(x, y)) && !memcmp(y, expected, sizeof y));
        CHECK_OK(cx);
        irl_ctx_rewind(cx, mark);
    }
}

static int ask(irl_ctx *cx, int which)
{
    irl_module *m = lowered(cx, "func f(y: i32[8]) { for bind(global.x) (i: 8) { " TWO
                            FILL(a, 8, "i32(k)") "y[i] = a[i]; " FILL(b, 8, "i32(k + i)")
                            "y[i] = y[i] + b[i]; } }", "opencl12", 0);
    (void)which;
    return m && irl_func_plan_arrays(irl_module_kernel(m, 0)) != NULL;
}

/* ------------------------------------------------------------------ generated */

enum { MOST = 20000 };
static double gaps[MOST];
static int    gap_count, sharing, sharing_shared, ran;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const irl_module *m)
{
    const irl_array_plan *p = irl_func_plan_arrays(irl_module_kernel(m, 0));
    int                   k, any = 0;
    if (!CHECK(p != NULL)) return;
    for (k = 0; k < p->pool_count; k++) {
        const irl_plan_pool *pool = &p->pools[k];
        if (!CHECK(pool->bytes < pool->separate && pool->bytes >= pool->lower_bound))
            printf("%ld of %ld, at least %ld\n%s", (long)pool->bytes, (long)pool->separate,
                   (long)pool->lower_bound, irl_module_text(m));
        if (gap_count < MOST) gaps[gap_count++] = (double)pool->bytes / (double)pool->lower_bound;
        any |= pool->scope == IRL_SCOPE_SHARED ? 2 : 1;
    }
    sharing += any != 0;
    sharing_shared += any >> 1;
}

static void put_c(FILE *out, irl_module *m, unsigned long seed, const int32_t *x,
                  const int32_t *expected)
{
    char          prefix[32];
    irl_c_options how;
    int           k;
    memset(&how, 0, sizeof how);
    sprintf(prefix, "a%lu_", seed);
    how.prefix = prefix;
    if (!CHECK(irl_c_source_with(m, &how)[0])) return;
    fprintf(out, "%s\nstatic int check_%lu(void)\n{\n    int32_t x[] = {", irl_c_source_with(m,
          &how),
            seed);
    for (k = 0; k < GA_GROUPS * GA_CELLS; k++) fprintf(out, " %ld,", (long)x[k]);
    fprintf(out, " }, y[%d] = { 0 };\n    static const int32_t e[] = {", GA_GROUPS * GA_ITEMS);
    for (k = 0; k < GA_GROUPS * GA_ITEMS; k++)
        fprintf(out, " (int32_t)0x%lxu,", (unsigned long)(uint32_t)expected[k]);
    fprintf(out, " };\n    %sf%lu(x, y);\n    if (memcmp(y, e, sizeof y) == 0) return 0;\n"
                 "    printf(\"kernel %lu\\n\");\n    return 1;\n}\n", prefix, seed % 1000000,
                       seed);
    ran++;
}

static void check_seed(FILE *out, unsigned long seed)
{
    static ga_case c;
    irl_ctx       *cx = irl_ctx_create(NULL);
    int32_t        x[GA_GROUPS * GA_CELLS], expected[GA_GROUPS * GA_ITEMS], y[GA_GROUPS * GA_ITEMS];
    irl_func      *f;
    irl_module    *m = NULL;
    int            k;
    ga_generate(&c, seed);
    ga_input(seed, x);
    memset(expected, 0, sizeof expected);
    f = irl_func_parse(cx, c.text, IRL_TO_NUL, "generated");
    if (!CHECK(f && irl_func_interpret(f, IRL_POINTERS(x, expected))))
        printf("seed %lu: %s\n%s\n", seed, irl_diag_text(cx), test_failed < 3 ? c.text : "");
    for (k = 0; k < 2 && irl_ok(cx); k++) {
        memset(y, 0, sizeof y);
        m = lowered(cx, c.text, k ? "c99" : "opencl12", 0);
        if (!CHECK(m && irl_module_interpret(m, IRL_POINTERS(x, y)) &&
                   memcmp(y, expected, sizeof y) == 0))
            printf("seed %lu, %s: %s\n%s\n", seed, k ? "c99" : "opencl12", irl_diag_text(cx),
                   test_failed < 3 ? c.text : "");
        if (m && irl_ok(cx)) measure(m);
    }
    if (out && m && irl_ok(cx)) put_c(out, m, seed, x, expected);
    irl_ctx_destroy(cx);
}

static void check_generated(unsigned long first, int n)
{
    static const char *const compilers[] = {
        "gcc -std=gnu99 -O1 -w -fsanitize=undefined -fno-sanitize-recover", "tcc -w" };
    char          folder[] = "/tmp/irl_arrays_XXXXXX", text[256];
    unsigned long seed;
    FILE         *out = NULL;
    int           k;
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    sprintf(text, "%s/p.c", folder);
    out = fopen(text, "w");
    if (!CHECK(out != NULL)) return;
    fputs("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n", out);
    for (seed = first; seed < first + (unsigned long)n; seed++) check_seed(out, seed);
    fputs("int main(void)\n{\n    int wrong = 0;\n", out);
    for (seed = first; ran == n && seed < first + (unsigned long)n; seed++)
        fprintf(out, "    wrong += check_%lu();\n", seed);
    fputs("    return wrong != 0;\n}\n", out);
    fclose(out);
    for (k = 0; k < 2 && ran == n; k++) {
        if (k && system("command -v tcc > /dev/null") != 0) continue;
        sprintf(text, "cd %s && %s -o p p.c -lm && ./p", folder, compilers[k]);
        if (!CHECK(system(text) == 0)) printf("%s\n", compilers[k]);
    }
    sprintf(text, "rm -rf %s", folder);
    if (!test_failed) CHECK(system(text) == 0);
}

/* Two arrays of one name keep it apart where the module is printed and read. */
static void check_namesakes(irl_ctx *cx)
{
    static const char text[] =
        "func f(x: i32[4, 32], y: i32[4, 2, 8]) { for bind(group.x) (g: 4) "
        "for bind(local.x) (i: 8) { for (t: 2) { "
        "alloc a: i32[8] scope(shared); a[i] = x[g, i + t]; y[g, t, i] = a[i]; } "
        "barrier(shared); for (t: 2) { alloc a: i32[8] scope(shared); a[i] = x[g, i + t + 8]; "
        "y[g, t, i] = y[g, t, i] + a[i]; } } }";
    irl_mark    mark = irl_ctx_mark(cx);
    irl_module *m = lowered(cx, text, "opencl12", 0), *again;
    const char *plan = irl_array_plan_text(irl_func_plan_arrays(irl_module_kernel(m, 0)));
    again = irl_module_parse(cx, irl_module_text(m), IRL_TO_NUL, NULL);
    CHECK(strstr(plan, "2, in 1 pool") != NULL);
    CHECK(!strcmp(plan, irl_array_plan_text(irl_func_plan_arrays(irl_module_kernel(again, 0)))));
    CHECK_OK(cx);
    irl_ctx_rewind(cx, mark);
}

int main(int argc, char **argv)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(100);
    size_t        k;
    test_seeds(first, n);
    for (k = 0; argc < 2 && k < sizeof by_hands / sizeof *by_hands; k++) check_by_hand(cx, k);
    if (argc < 2) {
        check_born(cx);
        check_plan(cx);
    check_three_lanes(cx);
        check_namesakes(cx);
        failing_each(ask, 0, 1);
    }
    check_generated(first, n);
    if (gap_count) {
        qsort(gaps, (size_t)gap_count, sizeof *gaps, by_value);
        printf("%d kernels ran as C; %d modules share, %d of them shared memory; gap to the lower "
               "bound: median %.4f, worst %.4f\n",
               ran, sharing, sharing_shared, gaps[gap_count / 2], gaps[gap_count - 1]);
    }
    CHECK(n < 20 || (sharing > n / 3 && sharing_shared > n / 20));
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
