/* test_races.c - what lowering says of races, and what a loop is said to carry, against what the
   interpreter finds: views of every type in parallel, vectorized and bound loops, shared memory
   with barriers. What races is refused, what does not is no more refused than it need be. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"
#include "random64.h"
#include "generate_races.h"

static int raced, missed, unsure, clean, carried_out, parts_of_bytes, others, parallel, in_order;

static irl_code code_of(const irl_ctx *cx)
{
    return irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
}

static void fill(unsigned char *memory, int32_t *y)
{
    int k;
    for (k = 0; k < RACES_BYTES; k++) memory[k] = (unsigned char)(k * 7 + 1);
    for (k = 0; k < RACES_ITEMS; k++) y[k] = -k;
}

/* Loop 0 is parallel: its iterations meet where the interpreter says so. */
static int check_carried(irl_ctx *cx, const irl_func *f, int races, int has_n)
{
    const irl_meeting *m = irl_func_carried(f, 0);
    if (!m) return CHECK_OK(cx);
    parallel += m->answer == IRL_NO;
    in_order += m->answer == IRL_YES;
    return CHECK(m->answer != IRL_NO || !races) && CHECK(m->answer != IRL_YES || races || has_n);
}

static int check_module(irl_ctx *cx, const irl_module *m, const unsigned char *memory,
                        const int32_t *y)
{
    static unsigned char own[RACES_BYTES];
    static int32_t       z[RACES_ITEMS];
    irl_index            n = 6;
    fill(own, z);
    return CHECK(irl_module_interpret(m, IRL_POINTERS(&n, own, z))) && CHECK_OK(cx) &&
           CHECK(memcmp(own, memory, sizeof own) == 0 && memcmp(z, y, sizeof z) == 0);
}

static void check(const races *c)
{
    static unsigned char memory[RACES_BYTES];
    static int32_t       y[RACES_ITEMS];
    irl_ctx             *cx = irl_ctx_create(NULL);
    const irl_func      *f = irl_func_parse(cx, c->text, IRL_TO_NUL, NULL);
    const irl_module    *m = NULL;
    irl_index            n = 6;
    irl_code             code, lowers;
    irl_mark             mark = irl_ctx_mark(cx);
    int                  races, ok = CHECK_OK(cx), is_parts;
    fill(memory, y);
    if (ok) irl_func_interpret(f, IRL_POINTERS(&n, memory, y));
    code = code_of(cx);
    races = code == IRL_ERROR_DATA_RACE;
    ok = ok && CHECK(code != IRL_ERROR_OUT_OF_BOUNDS);
    if (code != IRL_OK && !races) others++;
    else if (ok) {
        irl_ctx_rewind(cx, mark);
        if (c->is_one_loop) ok = check_carried(cx, f, races, c->has_n);
        irl_ctx_rewind(cx, mark);
        m = irl_func_lower(f, random_below(2) ? &irl_target_opencl12 : &irl_target_c99);
        lowers = code_of(cx);
        is_parts = lowers == IRL_ERROR_DATA_RACE && c->has_bits &&
                   strstr(irl_diag_text(cx), " bit");
        raced += races, clean += !races;
        carried_out += m && !races, parts_of_bytes += !races && is_parts;
        missed += races && m, unsure += races && m && c->is_unsure;
        ok &= CHECK(!m || !races || c->is_unsure) &
              CHECK(lowers != IRL_ERROR_DATA_RACE || races || is_parts);
        if (m && !races) ok &= check_module(cx, m, memory, y);
    }
    if (!ok && test_failed < 12)
        printf("%s\n%s, %s\n%s\n", c->text, races ? "a race" : "no race", m ? "lowered" : "refused",
               irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ by hand */

typedef struct written_row {
    const char *body, *says; /* NULL: it is lowered */
} written_row;

static const written_row rows[] = {
    /* through a view */
    { "decl B: i32[16] data(A); for parallel (i: 15) B[i] = A[i + 1];",
      "iterations 0 and 1 of parallel loop 'i' touch 'A'[1]; 1 writes and 0 reads" },
    { "decl B: i32[15] data(A) offset(1); for vectorized (i: 8) A[i] = B[i];",
      "of vectorized loop 'i' touch " },
    { "decl B: i32[4, 4] data(A); for bind(global.x) (i: 4) { A[i] = 1; B[i / 4, 3 - i] = 2; }",
      "of bound loop 'i' touch " },
    { "decl B: i32x4[4] data(A); for parallel (i: 4) B[i] = broadcast(A[i], 4);",
      "of parallel loop 'i' touch " },
    { "decl B: u8[64] data(A); for parallel (i: 16) { B[i * 4 + 3] = 1; A[15 - i] = 0; }",
      "of parallel loop 'i' touch " },
    { "decl B: u8[64] data(A); for parallel (i: 16) { B[i * 4 + 3] = 1; A[i] = 0; }", NULL },
    { "decl B: i32[16] data(A); for parallel (i: 8) B[i] = A[i + 8];", NULL },
    { "decl B: i32[4, 4] data(A); for parallel (i: 4) for (j: 4) B[i, j] = A[i * 4 + j];", NULL },
    /* names: what is so for all of their values */
    { "for (o: n) for parallel (i: 7) A[i] = A[i + 1] + i32(o);",
      "of parallel loop 'i' touch " },
    { "decl B: i32[16] data(A); for (o: n) for parallel (i: 7) B[i] = A[i + 1] + i32(o);",
      "of parallel loop 'i' touch " },
    { "assume(n > 0 && n <= 8); decl B: i32[16] data(A); for parallel (i: 8) B[n + i] = A[n];",
      "of parallel loop 'i' touch " },
    { "if (y[0] > 3) for parallel (i: 7) A[i] = A[i + 1];", "of parallel loop 'i' touch " },
    { "assume(n <= 3); for parallel (i: 4) A[i * n] = 1;", NULL },
    { "assume(n <= 3); for parallel (i: n) A[i / 2] = 1;", NULL },
    { "for (o: 8) for parallel (i: 4) if (o == 3) A[0] = 1;",
      "of parallel loop 'i' touch " },
    { "for (o: 8) for parallel (i: 4) if (o == 9) A[0] = 1;", NULL },
    /* barriers */
    { "for bind(group.x) (g: 1) { alloc p: i32[1] scope(shared); for bind(local.x) (l: 16) for "
      "(it: 8) { if (l == 0) p[0] = A[it]; barrier(shared); y[it * 16 + l] = p[0]; } }",
      "iterations 0 and 1 of bound loop 'l' touch 'p'[0]; 0 writes and 1 reads" },
    { "for bind(group.x) (g: 1) { alloc p: i32[1] scope(shared); for bind(local.x) (l: 16) for "
      "(it: 8) { if (l == 0) p[0] = A[it]; barrier(shared); y[it * 16 + l] = p[0]; "
      "barrier(shared); } }",
      NULL },
    { "for bind(group.x) (g: 1) { alloc p: i32[2] scope(shared); for bind(local.x) (l: 16) for "
      "(it: 8) { if (l == 0) p[it % 2] = A[it]; barrier(shared); y[it * 16 + l] = p[it % 2]; } }",
      NULL },
    { "for bind(group.x) (g: 1) { alloc p: i32[2] scope(shared); for bind(local.x) (l: 16) { for "
      "(q: 2) { barrier(shared); if (l == q) p[q] = A[q]; } y[l] = p[1 - l % 1]; } }",
      "of bound loop 'l' touch 'p'[1]" },
    { "for bind(group.x) (g: 1) { alloc p: i32[2] scope(shared); for bind(local.x) (l: 16) { for "
      "(q: 2) { barrier(shared); if (l == q) p[q] = A[q]; } y[l] = p[0]; } }",
      NULL },
    { "for bind(group.x) (g: 1) { alloc p: i32[2] scope(shared); for bind(local.x) (l: 16) { if (l "
      "== 0) p[1] = 3; for (q: 2) { if (q > 0) y[l] = p[1]; barrier(shared); } } }",
      NULL },
    { "for bind(group.x) (g: 2) { alloc p: i32[2] scope(shared); p[0] = 1; barrier(shared); for "
      "bind(local.x) (l: 16) y[g * 16 + l] = p[0]; }",
      "two work-items touch one cell: they both write" },
};

static void test_written(void)
{
    char   text[640];
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        const irl_func   *f;
        const irl_module *m;
        snprintf(text, sizeof text, "func f(n: index, A: i32[16], y: i32[256]) { %s }",
                 rows[k].body);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        CHECK_OK(cx);
        m = irl_func_lower(f, &irl_target_opencl12);
        if (!(rows[k].says ? CHECK(!m) && CHECK_CODE(cx, IRL_ERROR_DATA_RACE) &&
                                 CHECK(strstr(irl_diag_text(cx), rows[k].says) != NULL)
                           : CHECK(m != NULL)))
            printf("%s\n%s\n", text, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* Elements of bits: strides and offsets count bits. */
static void test_bits_meet(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *f = irl_func_parse(
        cx, "func f(y: u8[16]) { decl a: u4[32] data(y); decl b: u4[16] data(y) strides(4) "
            "offset(64); for (k: 16) a[k + 15] = b[k]; for (k: 8) a[k + 24] = b[k]; }",
        IRL_TO_NUL, NULL);
    const irl_meeting *m = irl_func_carried(f, 0);
    CHECK(m && m->answer == IRL_YES);
    m = irl_func_carried(f, 1);
    CHECK(m && m->answer == IRL_NO);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int k, total = TEST_COUNT(1500);
    if (argc > 1) random64_seed(argv[1]);
    test_written();
    test_bits_meet();
    for (k = 0; k < total; k++) {
        races c;
        races_make(&c);
        check(&c);
    }
    printf("%d functions: %d race, of them lowered %d (%d where a barrier or n decides); %d do "
           "not, of them carried out %d (%.1f %%, 91.4 %% in an earlier version), %d write parts "
           "of one byte; %d are in error\n",
           total, raced, missed, unsure, clean, carried_out, 100.0 * carried_out / (clean + !clean),
           parts_of_bytes, others);
    printf("%d loops could be parallel, %d are in order\n", parallel, in_order);
    CHECK(raced > total / 5 && carried_out > total / 5);
    return TEST_DONE();
}
