/* test_c_generated.c - generated functions, emitted as C, give the same numbers as in the
   interpreter: built by gcc and clang with warnings as errors and undefined behaviour caught, by
   g++'s kin as C++11, by gcc at -O3 in its own dialect, and by tcc.

   IRL_C_COMPILER, IRL_C_RUNNER: another compiler's command, and what runs its programs. IRL_C_MANY,
   IRL_SOAK: the programs also run on other machines under emulators; -O0 for nine of ten, and
   one of ten with optimization and as C++.

   usage  test_c_generated [FIRST [COUNT]]     seeds, of plain functions; with "lanes" behind them,
                                               of those with vectors and images, with "vectors" of
                                               those of generate_vectors.h, with "calls" of those
                                               of generate_calls.h, with "bytes" of those of
                                               generate_bytes.h, with "once" of plain ones
                                               without reductions in one line; with anything
                                               behind that, for target c-gnu and, by every
                                               other seed, c-gnu-avx512 */
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
#include "generate_bytes.h"
#include "generate_calls.h"
#include "generate_lanes.h"
#include "generate_vectors.h"
#include "test.h"
#include "c_batch.h"

enum { BATCH = 50, MOST = 100 }; /* of which one program is made */

/* What the functions call: C in either language. */
static const char c_bumps[] =
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    "int32_t irl_bump_f32(float *p);\nint32_t irl_bump_i32(int32_t *p);\n"
    "int32_t irl_bump_f32(float *p) { p[0] = p[0] + 1.0f; return 0; }\n"
    "int32_t irl_bump_i32(int32_t *p) { p[0] = (int32_t)((uint32_t)p[0] + 1u); return 0; }\n"
    "float irl_peek_f32(const float *p);\nint32_t irl_peek_i32(const int32_t *p);\n"
    "float irl_peek_f32(const float *p) { return p[0]; }\n"
    "int32_t irl_peek_i32(const int32_t *p) { return p[0]; }\n"
    "#ifdef __cplusplus\n}\n#endif\n";

static int ran, unsupported, refused, narrow, too_wide, with_calls;
static int has_vectors; /* target c-gnu or c-gnu-avx512: what these compilers take */
static int is_many;     /* large counts */

/* Which generator makes a seed's function. */
typedef enum from_kind {
    FROM_PLAIN, FROM_LANES, FROM_VECTORS, FROM_CALLS, FROM_ONCE, FROM_BYTES
} from_kind;
static const char *const kinds[] = { "", " lanes", " vectors", " calls", " once", " bytes" };

static gen_case function_of(uint64_t seed, from_kind kind)
{
    gen_options options;
    memset(&options, 0, sizeof options);
    options.written_out = kind == FROM_ONCE;
    options.for_device = 1;
    options.normalised = seed > 10000;
    if (kind == FROM_BYTES) return gen_bytes_function(seed);
    if (kind == FROM_CALLS) return gen_call_function(seed, options);
    if (kind == FROM_VECTORS) return gen_vector_function(seed, options);
    return kind == FROM_LANES ? gen_lane_function(seed, options) : gen_function(seed, options);
}

/* Functions that lowering refuses with reason: memory of a kernel whose size is a name, and reads
   that are outside whenever their loops run (n .. 5 in 1672, 7452 and 9920, where n must be 8). */
static int is_refused(irl_ctx *cx, const gen_case *c)
{
    int code = irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
    return code == IRL_ERROR_PRIVATE_EXTENT ||
           (code == IRL_ERROR_OUT_OF_BOUNDS &&
            (c->seed == 1672 || c->seed == 7452 || c->seed == 9920));
}

/* Whether memory is seen as elements of another type, so that the order of its bytes matters: a
   `decl w: u8[...] data(x)` where x is no u8. */
static int looks_at_bytes(const char *text)
{
    const char *data, *decl, *type, *own;
    char        name[64];
    size_t      n, length;
    for (data = text; (data = strstr(data, " data(")) != NULL; data++) {
        for (decl = data; decl > text && strncmp(decl, "decl ", 5) != 0;) decl--;
        type = strstr(decl, ": ") + 2;
        n = strcspn(data + 6, ")");
        if (n + 3 > sizeof name) return 1;
        snprintf(name, sizeof name, "%.*s: ", (int)n, data + 6);
        own = strstr(text, name);
        length = strcspn(type, "[");
        if (!own || strncmp(own + n + 2, type, length + 1) != 0) return 1;
    }
    return 0;
}

/* Such a function runs where the low byte is the first, as here. */
static void put_low_first(c_text *t, int number)
{
    c_put(t,
          "static void low_%d(void)\n{\n    const uint16_t one = 1;\n    unsigned char first;\n"
          "    memcpy(&first, &one, 1);\n    if (first) run_%d();\n}\n#define run_%d low_%d\n",
          number, number, number, number);
}

/* The function of a case and its run, at the end of a program; indices are of the type. 1: it is
   there; 0: C has no form for it; -1: it is wrong; -2: an index is not proved to fit; -3: lowering
   refuses it. */
static int add_with(c_text *t, const gen_case *c, int number, irl_scalar index)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, c->text, strlen(c->text), "generated");
    gen_data    given = gen_data_new(c), expected = gen_data_copy(&given);
    irl_c_options options;
    irl_module *m = NULL;
    const char *source = "";
    int         k, ulps[GEN_PARAMS], result = -1;
    memset(&options, 0, sizeof options);
    options.openmp = 1; /* of which the compilers without -fopenmp see nothing */
    options.index = index;
    for (k = 0; k < c->param_count; k++) ulps[k] = c->params[k].ulp;
    if (f && irl_func_interpret(f, gen_arguments(&expected))) {
        if (c->called) f = irl_func_parse(cx, c->called, strlen(c->called), "generated");
        with_calls += c->called != NULL;
        m = irl_func_lower(c_named(cx, f, number), !has_vectors      ? &irl_target_c99
                                                   : c->seed % 2 ? &irl_target_c_gnu
                                                                 : &irl_target_c_gnu_avx512);
        source = irl_c_source_with(m, &options);
    }
    if (source[0] && c_put_run(cx, t, m, source, number, gen_arguments(&given),
                            gen_arguments(&expected), ulps))
        result = 1;
    else if (irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_UNSUPPORTED) result = 0;
    else if (irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_INDEX_WIDTH &&
             index != IRL_BOOL)
        result = -2;
    if (result == -1 && is_refused(cx, c)) result = -3;
    if (result == 1 && looks_at_bytes(c->text)) put_low_first(t, number);
    if (result == 0) /* the one reason: bits of vectors */
        CHECK(strstr(irl_diag_text(cx), "cannot be split") != NULL);
    if (result == 0)
        printf("seed %lu: no form: %s\n", (unsigned long)c->seed, irl_diag_text(cx));
    if (result == -1)
        printf("seed %lu: %s\n%s\n", (unsigned long)c->seed, irl_diag_text(cx),
               c->called ? c->called : c->text);
    gen_data_free(&given);
    gen_data_free(&expected);
    irl_ctx_destroy(cx);
    return result;
}

/* A third of all in one index type, where that holds all; the others in that which each needs. */
static int add(c_text *t, const gen_case *c, int number)
{
    static const irl_scalar types[] = { IRL_U16, IRL_I16, IRL_I32, IRL_I64, IRL_U8, IRL_U32 };
    int result = c->seed % 3 == 0 ? add_with(t, c, number, types[c->seed / 3 % 6]) : -2;
    narrow += result == 1;
    too_wide += c->seed % 3 == 0 && result == -2;
    return result == -2 ? add_with(t, c, number, IRL_BOOL) : result;
}

/* With the vectors of gcc and clang, which need no wider registers than there are. (A comparison of
   a lane that is always false is the function's own.) */
static const c_compiler vector_compilers[] = {
    { "gcc, vectors",
      "gcc -std=c99 -O1 -fsyntax-only -pedantic -Wall -Wextra -Wpsabi -Wno-type-limits "
      "-Werror p.c && gcc -std=c99 -O1 -w " C_UNDEFINED,
      NULL, 0 },
    { "clang, vectors",
      "clang -std=c99 -O1 -pedantic -Wall -Wextra -Wpsabi -Werror " C_UNDEFINED, NULL, 0 },
    { "gcc -O3, vectors", "gcc -std=gnu11 -O3 -march=native -fopenmp -w", NULL, 0 },
};
static const c_compiler many_vectors[] = {
    { "gcc -O0, vectors", "gcc -std=c99 -O0 -w " C_UNDEFINED, NULL, 0 },
    { "clang -O0, vectors", "clang -std=c99 -O0 -w " C_UNDEFINED, NULL, 0 },
    { "s390x, vectors", "s390x-linux-gnu" C_ELSEWHERE, "qemu-s390x", 1 },
    { "32-bit ARM, vectors", "arm-linux-gnueabihf" C_ELSEWHERE, "qemu-arm", 0 },
};

static int run_by(const c_compiler *list, int count, from_kind kind, const c_text *t, int show)
{
    int k, ok = 1;
    for (k = 0; k < c_takes(count); k++) {
        const char *runner = list[k].runner ? list[k].runner : "";
        /* these look at bytes */
        if (list[k].high_first && (kind == FROM_VECTORS || !first_byte_is_low())) continue;
        if (!c_has(list[k].command) || (runner[0] && !c_has(runner))) continue;
        if (c_run(list[k].command, runner, t, show)) continue;
        if (show) printf("by %s\n", list[k].name);
        ok = 0;
    }
    return ok;
}

/* Of many programs the tenth part takes all compilers. */
static int run_all(const c_text *t, from_kind kind, int all, int show)
{
    const char *own = getenv("IRL_C_COMPILER"), *runner = getenv("IRL_C_RUNNER");
    int         ok = 1;
    if (own) return c_run(own, runner ? runner : "", t, show);
    if (has_vectors) {
        if (is_many) ok = run_by(many_vectors, 4, kind, t, show);
        return (is_many && !all) || run_by(vector_compilers, 3, kind, t, show) ? ok : 0;
    }
    if (is_many) ok = run_by(c_many, C_MANY, kind, t, show);
    return (is_many && !all) || run_by(c_compilers, C_COMPILERS, kind, t, show) ? ok : 0;
}

/* One alone, to say which is wrong. */
static void alone(uint64_t seed, from_kind kind, int all)
{
    gen_case c = function_of(seed, kind);
    c_text   t = { NULL, 0, 0 };
    int      number = 0;
    c_put(&t, "%s%s", c_prologue, c_bumps);
    if (add(&t, &c, 0) == 1) {
        c_put_main(&t, 1, &number);
        if (!CHECK(run_all(&t, kind, all, 0)) && test_failed <= 3) {
            run_all(&t, kind, all, 1);
            if (getenv("IRL_C_SHOW")) printf("%s\n", t.data);
            printf("seed %lu%s\n%s\n", (unsigned long)seed, kinds[kind], c.text);
        }
    }
    free(t.data);
    gen_free(&c);
}

/* Seeds that failed once: bools that gcc sees through casts (164, 226), an index that is narrower
   than what it is computed of (205), bits of vectors (191, 224), bits in front of ? (236), private
   memory that only a constant without use reads (248). */
static const uint64_t once_wrong[] = { 164, 191, 205, 224, 226, 236, 248 };
/* the same, with reductions in one line: comparisons in bits, of which clang warns where the second
   calls (433); a range that an outer loop's first iteration leaves empty, refused (600); an index
   of int32_t given as an unsigned one (1050); a small negative number shifted left (1060); bytes
   of numbers (1200); a loop with numbers for ends where the outer one begins, refused (1434) */
static const uint64_t once_failed[] = { 433, 600, 1050, 1060, 1200, 1434 };

/* `count` seeds from `first` on, or those of a list. */
static void generated(uint64_t first, const uint64_t *list, int count, from_kind kind)
{
    int done, k, n, total, numbers[MOST], ok, most = is_many ? MOST : BATCH, all;
    for (done = 0; done < count; done += n) {
        c_text t = { NULL, 0, 0 };
        n = count - done < most ? count - done : most;
        all = done / most % 10 == 0;
        c_put(&t, "%s%s", c_prologue, c_bumps);
        for (total = 0, k = 0; k < n; k++) {
            uint64_t seed = list ? list[done + k] : first + (uint64_t)(done + k);
            gen_case c = function_of(seed, kind);
            int      is = add(&t, &c, k);
            CHECK(is >= 0 || is == -3);
            refused += is == -3;
            unsupported += is == 0;
            if (is == 1) numbers[total++] = k;
            gen_free(&c);
        }
        c_put_main(&t, total, numbers);
        ran += total;
        ok = run_all(&t, kind, all, 0);
        if (ok) test_passed += total;
        else {
            int before = test_failed;
            for (k = 0; k < total; k++) {
                int at = done + numbers[k];
                alone(list ? list[at] : first + (uint64_t)at, kind, all);
            }
            if (test_failed == before) CHECK(!"a batch fails, but none of it alone");
        }
        free(t.data);
    }
}

int main(int argc, char **argv)
{
    int count = getenv("IRL_SOAK") ? 10000 : TEST_COUNT(24);
    int lanes = getenv("IRL_SOAK") ? 2000 : TEST_COUNT(8);
    int calls = getenv("IRL_SOAK") ? 1000 : TEST_COUNT(8);
    int vectors = getenv("IRL_SOAK") ? 1000 : TEST_COUNT(6);
    is_many = getenv("IRL_SOAK") || getenv("IRL_C_MANY");
    setenv("OMP_NUM_THREADS", "2", 1); /* threads that wait do not spin */
    setenv("OMP_WAIT_POLICY", "passive", 1);
    if (argc > 1) {
        uint64_t first = strtoul(argv[1], NULL, 10);
        count = argc > 2 ? atoi(argv[2]) : 1;
        has_vectors = argc > 4;
        generated(first, NULL, count,
                  argc < 4                          ? FROM_PLAIN
                  : strcmp(argv[3], "vectors") == 0 ? FROM_VECTORS
                  : strcmp(argv[3], "calls") == 0   ? FROM_CALLS
                  : strcmp(argv[3], "once") == 0    ? FROM_ONCE
                  : strcmp(argv[3], "bytes") == 0   ? FROM_BYTES
                                                    : FROM_LANES);
    } else {
        printf("seeds 1 to %d, with calls and in bytes 1 to %d, with lanes 1 to %d, normalised "
               "10001 to %d, of vectors 1 to %d\n",
               count, calls, lanes, 10000 + lanes / 2, vectors);
        generated(1, NULL, count, FROM_PLAIN);
        generated(1, NULL, calls, FROM_CALLS);
        generated(1, NULL, lanes, FROM_LANES);
        generated(10001, NULL, lanes / 2, FROM_LANES);
        if (!getenv("IRL_C_COMPILER") && first_byte_is_low()) {
            has_vectors = 1;
            generated(1, NULL, lanes, FROM_LANES);
            generated(10001, NULL, lanes / 2, FROM_LANES);
            generated(1, NULL, vectors * 2, FROM_VECTORS);
            has_vectors = 0;
        }
        /* these look at bytes, and an emulated machine may have another order than the compilers */
        if (first_byte_is_low()) {
            generated(1, NULL, vectors, FROM_VECTORS);
            generated(1, NULL, calls, FROM_BYTES);
            generated(0, once_wrong, (int)(sizeof once_wrong / sizeof once_wrong[0]), FROM_ONCE);
            generated(0, once_failed, (int)(sizeof once_failed / sizeof once_failed[0]),
                      FROM_PLAIN);
        }
    }
    printf("of %d functions %d ran, %d have no form in C\n", ran + unsupported, ran, unsupported);
    printf("%d are refused\n", refused);
    printf("%d have calls in them\n", with_calls);
    printf("in one index type %d, in which %d do not fit\n", narrow, too_wide);
    CHECK(ran < 45 || refused * 100 <= ran);
    CHECK(ran + unsupported < 45 || unsupported * 50 <= ran + unsupported);
    c_folder_end();
    return TEST_DONE();
}
