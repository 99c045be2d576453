/* test_taken_names.c - whatever a user calls a thing, what is emitted compiles: functions,
   parameters, loops, buffers, nodes of graphs, records, fields, axes, layouts and tables bear the
   names that languages, headers and printers have taken.

   usage  test_taken_names [FIRST [COUNT]]     seeds of the generated functions
   needs  gcc; g++, clang, glslangValidator and the OpenCL headers where they are there

   A function that is renamed must give the text that it gave before but for names, and names that
   were different in a function must stay so: then it computes what it computed. */
#define _POSIX_C_SOURCE 200809L
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#include "../src/target/target.h"
#endif
#include "generate.h"
#include "generate_lanes.h"
#include "generate_vectors.h"
#include "random64.h"
#include "test.h"
#include "c_batch.h"
#include "taken_names.h"

static taken_list words;

/* ------------------------------------------------------------------ what is to be compiled */

typedef enum form { AS_C, AS_TABLES, AS_HOST, AS_OPENCL, AS_GLSL, FORMS } form;
static const char *const form_names[] = { "C", "C of layouts, records and tables",
                                          "C for OpenCL's host", "OpenCL C", "GLSL" };

typedef struct piece {
    char *text, *names; /* what is emitted; what was named how */
} piece;

static struct {
    piece *list;
    int    count, capacity;
} pieces[FORMS];

static char *copy_of(const char *text)
{
    return strcpy((char *)gen_kept(malloc(strlen(text) + 1)), text);
}

static void add_piece(form to, const char *text, const char *names)
{
    if (pieces[to].count == pieces[to].capacity) {
        pieces[to].capacity = pieces[to].capacity * 2 + 64;
        pieces[to].list = (piece *)gen_kept(
            realloc(pieces[to].list, (size_t)pieces[to].capacity * sizeof(piece)));
    }
    pieces[to].list[pieces[to].count].text = copy_of(text);
    pieces[to].list[pieces[to].count++].names = copy_of(names);
}

/* Writes pieces first to end: one file, or a file each. */
static void write_pieces(form of, int first, int end, int is_one)
{
    static const char *const extensions[] = { "c", "c", "c", "cl", "comp" };
    FILE *f = NULL;
    int   k;
    for (k = first; k < end; k++) {
        char path[320];
        snprintf(path, sizeof path, "%s/n%d.%s", c_folder(), is_one ? 0 : k, extensions[of]);
        if (!f) f = fopen(path, "w");
        if (!CHECK(f != NULL)) return;
        fputs(pieces[of].list[k].text, f);
        if (is_one && k + 1 < end) continue;
        (void)fclose(f);
        f = NULL;
    }
}

static int compiles(const char *command)
{
    char line[800];
    snprintf(line, sizeof line, "cd %s && { %s; } > log 2>&1", c_folder(), command);
    return system(line) == 0;
}

static void show_log(void)
{
    char line[400];
    snprintf(line, sizeof line,
             "cd %s; grep -m 2 -iE 'error' log; sed -n \"$(grep -m 1 -oE '[:0-9]+:' log | "
             "grep -oE '[0-9]+' | head -n 1)p\" $(ls n*.* | head -n 1)",
             c_folder());
    fflush(stdout);
    if (system(line) != 0) printf("no error in the log\n");
}

/* Compiles all pieces of a form, in one file or a file each; where that fails, says of each piece
   that fails alone what its names are. */
static void compile(form of, const char *command, int is_one)
{
    int k, wrong = 0;
    if (!pieces[of].count) return;
    if (!c_has(of == AS_GLSL ? "glslangValidator" : command)) {
        TEST_SKIP(command);
        return;
    }
    write_pieces(of, 0, pieces[of].count, is_one);
    if (CHECK(compiles(command))) return;
    show_log();
    for (k = 0; k < pieces[of].count && wrong < 8; k++) {
        (void)compiles("rm -f n*.*");
        write_pieces(of, k, k + 1, is_one);
        if (compiles(command)) continue;
        wrong++;
        printf("%s: %s: %s\n", form_names[of], command, pieces[of].list[k].names);
        show_log();
    }
    if (!wrong) printf("%s: %s: only all together\n", form_names[of], command);
    (void)compiles("rm -f n*.*");
}

/* One process for all kernels takes a seventh of the time, and for all shaders a tenth; but these
   it links, which fails with 3, and 2 is said of one that is no shader. Some are linked alone. */
#define COMPILE_CL(standard) \
    "clang -cc1 -triple spir64 -cl-std=" standard " -finclude-default-header " \
    "-fdeclare-opencl-builtins -w -fsyntax-only -x cl n*.cl"
#define COMPILE_GLSL "glslangValidator -V --target-env vulkan1.1 "

static void compile_all(void)
{
    static const char each_glsl[] = COMPILE_GLSL "n*.comp; case $? in 0 | 3) ;; *) exit 1; esac; "
                                    "for f in $(ls n*.comp | head -n 8); do " COMPILE_GLSL
                                    "$f -o x.spv || exit 1; done";
    int k;
    for (k = AS_C; k <= AS_TABLES; k++) {
        compile((form)k, "gcc -std=c99 -w -fsyntax-only n0.c", 1);
        compile((form)k, "g++ -std=c++17 -w -fsyntax-only -x c++ n0.c", 1);
        compile((form)k, "clang -std=gnu2x -w -fsyntax-only n0.c", 1);
        compile((form)k, "clang++ -std=c++20 -w -fsyntax-only -x c++ n0.c", 1);
    }
    compile(AS_HOST, "gcc -std=c99 -w -fsyntax-only n0.c", 1);
    compile(AS_OPENCL, COMPILE_CL("CL1.2"), 0);
    compile(AS_OPENCL, COMPILE_CL("CL3.0"), 0);
    compile(AS_GLSL, each_glsl, 0);
    for (k = 0; k < FORMS; k++)
        while (pieces[k].count > 0) {
            piece *last = &pieces[k].list[--pieces[k].count];
            free(last->text);
            free(last->names);
        }
}

/* ------------------------------------------------------------------ functions */

enum { WAYS = 8 };

/* The text of the function in one way; NULL: not in this way. `file`: for which compiler. */
static const char *emitted(const irl_func *f, int way, form *file)
{
    irl_c_options     how;
    const irl_module *m;
    memset(&how, 0, sizeof how);
    *file = AS_C;
    if (way < 4) {
        m = irl_func_lower(f, way == 3 ? &irl_target_c_gnu : &irl_target_c99);
        how.openmp = way == 1;
        how.is_checked = way == 2;
        return irl_c_source_with(m, &how);
    }
    *file = way == 4 ? AS_HOST : way == 7 ? AS_GLSL : AS_OPENCL;
    if (way == 7) return irl_glsl_source(irl_func_lower(f, &irl_target_glsl), 0);
    m = irl_func_lower(f, way == 6 ? irl_target_find("adreno") : &irl_target_opencl12);
    return way == 4 ? irl_ocl_c_source(m) : irl_ocl_source(m);
}

static int functions, texts, compared;

static void show_difference(const char *a, const char *b, const char *names)
{
    CHECK(!"the same text but for names");
    printf("%s\n%.100s\nnow\n%.100s\n", names, a, b);
}

/* One function, as it is and renamed: harvests the printers' words, or adds pieces. */
static void one(const gen_case *c, int harvest)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, c->text, strlen(c->text), "generated"), *g;
    c_text      renamed = { NULL, 0, 0 };
    taken_names names;
    int         way, k;
    const char *plain = irl_func_text(f), *a, *b;
    form        file;
    irl_mark    mark;
    if (!CHECK(f != NULL)) return;
    taken_declared(&names, plain, &words);
    taken_put_renamed(&renamed, plain, &names);
    g = irl_func_parse(cx, renamed.data, renamed.length, "renamed");
    if (!CHECK_OK(cx)) puts(renamed.data);
    renamed.length = 0;
    for (k = 0; k < names.count; k++)
        c_put(&renamed, " %s=%s", names.pairs[k].name, names.pairs[k].word);
    functions++;
    for (way = 0; way < WAYS && irl_ok(cx); way++) {
        if (way < 4 && way != (int)(c->seed / 3 % 4)) continue;
        mark = irl_ctx_mark(cx);
        a = emitted(f, way, &file);
        if (!*a) { /* refused, whatever its names are */
            irl_ctx_rewind(cx, mark);
            continue;
        }
        if (harvest) taken_add_all(&words, a, names.pairs[0].name);
        else {
            b = emitted(g, way, &file);
            if (!CHECK_OK(cx)) printf("%s\n", renamed.data);
            else if (texts++, add_piece(file, b, renamed.data),
                     !taken_has_numbered(&names) && compared++ >= 0 && !taken_is_same(&a, &b))
                show_difference(a, b, renamed.data);
        }
        irl_ctx_rewind(cx, mark);
    }
    free(renamed.data);
    irl_ctx_destroy(cx);
}

static void generated(uint64_t first, int count, int harvest)
{
    uint64_t    seed;
    gen_options options;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    options.cells = 64;
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        gen_case c = seed % 3 == 0   ? gen_vector_function(seed, options)
                     : seed % 3 == 1 ? gen_lane_function(seed, options)
                                     : gen_function(seed, options);
        one(&c, harvest);
        gen_free(&c);
    }
}

/* ------------------------------------------------------------------ what is no function */

/* Emitted, or refused in a sentence that says the name. */
static void table(const irl_ctx *cx, const char *text, const char *what, const char *name)
{
    char names[400];
    snprintf(names, sizeof names, "%.200s named %s", what, name);
    if (*text) {
        texts++;
        add_piece(AS_TABLES, text, names);
    } else if (CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT))
        CHECK(strstr(irl_diag_text(cx), name) != NULL);
}

static void layout(const char *name, const char *text, int in_bits)
{
    irl_ctx             *cx = irl_ctx_create(NULL);
    irl_c_layout_options how;
    irl_bit_element      bits;
    memset(&how, 0, sizeof how);
    how.name = name;
    if (in_bits && CHECK(irl_bit_element_parse(cx, "u3", &bits))) how.bits = &bits;
    table(cx, irl_c_layout_source(cx, irl_map_parse(cx, text), IRL_SHAPE(8, 6), &how), text, name);
    irl_ctx_destroy(cx);
}

static void dma(const char *name)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_dma_options how;
    memset(&how, 0, sizeof how);
    how.element = irl_type_of(IRL_U8, 1);
    table(cx,
          irl_dma_c(cx,
                    irl_dma_new(cx, irl_map_parse(cx, "(y, x) -> (x, 7 - y)"), IRL_SHAPE(8, 6),
                                &how),
                    name),
          "a DMA table", name);
    irl_ctx_destroy(cx);
}

static void record(const char *name, const char *field, const char *other)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    char     text[400];
    snprintf(text, sizeof text, "record `%s` bytes(18) { `%s`: f16; `%s`: u4[2, 16]; }", name,
             field, other);
    table(cx, irl_c_record_source(irl_record_parse(cx, text, IRL_TO_NUL, NULL), NULL), text, name);
    irl_ctx_destroy(cx);
}

/* Nodes, edges and functions of one name each, as modules and as a plan. */
static void graph(char (*w)[TAKEN_WORD])
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    char              text[1200];
    int               way;
    form              file;
    const irl_graph  *g;
    const char       *a;
    snprintf(text, sizeof text,
             "graph `%s` { func `%s`(`%s`: f32[8], `%s`: f32[8]) { for (`%s`: 8) `%s`[`%s`] = "
             "`%s`[7 - `%s`] + 1.0f; }\n input `%s`: f32[8];\n `%s` = `%s`(`%s`);\n "
             "`%s` = `%s`(`%s`);\n output `%s`; }",
             w[0], w[1], w[2], w[7], w[3], w[7], w[3], w[2], w[3], w[4], w[5], w[1], w[4], w[6],
             w[1], w[5], w[6]);
    g = irl_graph_parse(cx, text, IRL_TO_NUL, NULL);
    for (way = 0; way < WAYS && g; way++) {
        if (way < 4 && way != functions % 4) continue;
        a = emitted(irl_graph_func(g), way, &file);
        if (!CHECK_OK(cx)) puts(text);
        else add_piece(file, a, text), texts++;
    }
    functions++;
    if (!CHECK_OK(cx)) puts(text);
    else table(cx, irl_plan_c(irl_plan(irl_graph_lower(g, &irl_target_c99))), text, w[0]);
    irl_ctx_destroy(cx);
}

static void others(int count)
{
    char w[8][TAKEN_WORD], text[600];
    int  k, j;
    for (k = 0; k < count; k++) {
        for (j = 0; j < 8; j++) taken_choose(w[j], j ? w[0] : NULL, &words);
        snprintf(text, sizeof text, "(`%s`, `%s`) -> (`%s` / 4, `%s`, %s`%s` %% 4)", w[1], w[2],
                 w[1], w[2], k % 3 ? "" : "3 - ", w[1]);
        graph(w);
        layout(w[0], text, k & 1);
        record(taken_choose(w[3], NULL, &words), w[1], w[2]);
        dma(taken_choose(w[4], NULL, &words));
    }
}

/* ------------------------------------------------------------------ cases that were wrong */

static const char *const wrong_once[] = {
    "func f(x: f32[8], scratch: f32[8]) { alloc t: f32[8]; for (i: 8) t[i] = x[7 - i]; "
    "for (i: 8) scratch[i] = t[i * 3 % 8]; }",
    "func f1(IRL_RESTRICT: f32[8], IRL_HOST_TYPES: f32[8]) { for (CL_MEM_READ_WRITE: 8) "
    "IRL_RESTRICT[CL_MEM_READ_WRITE] = IRL_HOST_TYPES[CL_MEM_READ_WRITE]; }",
    "func f2(CL_MEM_READ_WRITE: f32[8]) { for (clFinish: 8) CL_MEM_READ_WRITE[clFinish] = 1.0f; }",
    "func f3(x: f32[8]) extern erf(x: f32): f32 pure { for (i: 8) x[i] = extern(f32, erf, x[i]); }",
    "func f4(x: u8[40], y: u8[40]) { decl v: f32[9] data(x); decl w: i16[19] data(y); "
    "for (i: 8) v[i + 1] = v[i] * 2.0f; for (i: 8) w[i] = w[i + 1]; }", /* values in bytes */
    "func locale_t(x: f32[8]) { for (i: 8) x[i] = 1.0f; }", /* types that C++ has with <math.h> */
    "func pthread_once_t(x: f32[8]) { for (u_int: 8) x[u_int] = 1.0f; }",
    "func count(x: f32[8]) { for (i: 8) x[i] = 1.0f; }", /* a parameter of the checked form */
    "func std(x: f32[8]) { for (i: 8) x[i] = 1.0f; }", /* a namespace of C++ */
};

static void known(void)
{
    static const char *const tables[] = { "k",  "b",    "s",       "t",      "one", "i0",
                                          "int", "for", "restrict", "uint8_t", "from", "1x" };
    static const char layouts[][2][60] = { { "place", "(i, j) -> (i / 4, j, i % 4)" },
                                           { "from", "(to, place) -> (to / 4, place, to % 4)" },
                                           { "at", "(at_place, at_at) -> (at_at, at_place)" },
                                           { "bit", "(word, bit_get) -> (bit_get, word)" } };
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   k;
    int      way;
    form     file;
    for (k = 0; k < sizeof wrong_once / sizeof *wrong_once; k++) {
        const irl_func *f = irl_func_parse(cx, wrong_once[k], IRL_TO_NUL, NULL);
        for (way = 0; way < 7 && CHECK_OK(cx); way++) {
            const int   c = strstr(wrong_once[k], "func count") ? 2 : 0; /* one way as C */
            const char *text = way != c && way < 4 ? "" : emitted(f, way, &file);
            if (*text) add_piece(file, text, wrong_once[k]);
        }
    }
    irl_ctx_destroy(cx);
    for (k = 0; k < sizeof tables / sizeof *tables; k++) dma(tables[k]);
    for (k = 0; k < sizeof layouts / sizeof *layouts; k++)
        layout(layouts[k][0], layouts[k][1], (int)k & 1);
}

/* What C and OpenCL C have by one name is called by it and not declared again. */
static void known_functions(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = irl_func_parse(cx, wrong_once[3], IRL_TO_NUL, NULL);
    float           x[8] = { 0, 0.5f, -0.5f, 9 };
    form            file;
    const char     *c = emitted(f, 0, &file), *cl = emitted(f, 5, &file);
    CHECK(strstr(c, "erff(") && strstr(c, "#include <math.h>") && !strstr(c, "extern float"));
    CHECK(strstr(cl, "erf(") && !strstr(cl, "erff(") && !strstr(cl, "extern"));
    CHECK(irl_func_interpret(f, IRL_ARGS(x)) && x[0] == 0 && x[3] == 1);
    CHECK(x[1] > 0.5204f && x[1] < 0.5206f && x[2] == -x[1]);
    irl_ctx_destroy(cx);
}

/* Seeds whose texts are compiled together. They use fewer names than the list of words has, so that
   no two functions of a file have one name. */
enum { ROUND = 100 };

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = argc > 2 ? atoi(argv[2]) : TEST_COUNT(16);
    int      used = 0;
    char     command[480];
    size_t   k;
    if (argc > 1) random64_seed(argv[1]);
    for (k = 0; k < sizeof taken_by_standards / sizeof *taken_by_standards; k++)
        taken_add_all(&words, taken_by_standards[k], NULL);
    snprintf(command, sizeof command,
             "cd %s; for h in stdint stddef math string; do echo \"#include <$h.h>\"; done > h.c; "
             "gcc -E -P h.c; gcc -E -dM h.c",
             c_folder());
    taken_add_output(&words, command);
    taken_add_output(&words, "cat $(clang -print-resource-dir)/include/opencl-c.h | grep -o "
                             "'[a-z_0-9A-Z]*(' | sort -u");
    printf("%d words of languages and headers\n", words.count);
    generated(1, 30, 1);
    printf("%d with those of printers\n", words.count);
    taken_shuffle(&words);
    known();
    known_functions();
    compile_all(); /* alone: their names may be chosen again */
    for (; count > 0; count -= ROUND, first += ROUND) {
        generated(first, count < ROUND ? count : ROUND, 0);
        others(count < ROUND ? count : ROUND);
        used += words.next;
        compile_all();
        taken_shuffle(&words);
    }
    printf("%d texts are emitted, 218 of 16 seeds in an earlier version, and some of them did not "
           "compile\n", texts);
    printf("%d functions, %d texts, %d compared with what they were, %d words used\n", functions,
           texts, compared, used);
    c_folder_end();
    return TEST_DONE();
}
