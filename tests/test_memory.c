/* test_memory.c - memory that runs out anywhere gives a diagnostic, never a crash, a leak, or a
   wrong result.

   Three ways of running out, each through parsing, layouts, lowering, interpreting, emitting and
   printing:
   - the caller's allocator fails the k-th request, once or from then on, for every k;
   - the caller's block is too small, for growing sizes;
   - an arena is full after n more bytes, for growing n: this reaches the requests that one chunk
     would have served.
   And irl_ctx_rewind gives everything back: a loop of work does not grow, whether the work succeeds
   or fails. And names or constants chosen to fill one bucket of a context's tables are spread over
   those of another. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/text/text.h"
#endif
#include "test.h"

/* Layouts with padding, a block with a reduction, temporaries, an alias, shared memory, vectors,
   conditions, a scalar from memory. */
static const char program[] =
    "func work(x: f32[6, 10], w: i32[12], y: f32[6, 10], z: i32[12])\n"
    "    layout(x: (i, j) -> (i, j / 4, j % 4), pad(0)) layout(y: (i, j) -> (j, i)) attr(made_by = "
    "\"hand\") {\n"
    "    alloc t: f32[6, 10];\n"
    "    alloc flags: bool[12];\n"
    "    decl flat: f32[60] data(t);\n"
    "    let scale = x[0, 0] + 1.0;\n"
    "    for (i: 60) flat[i] = f32(i) * scale;\n"
    "    for (i: 6, j: 10, k: 4) block sum(vi: spatial(6) = i, vj: spatial(10) = j, vk: reduce(4) "
    "= k) where(i < 6) reads(x[vi, vj], t[vi, 0: 10]) writes(y[vi, vj]) {\n"
    "        match row: f32[10] = t[vi: 1, 0: 10];\n"
    "        init y[vi, vj] = 0.0;\n"
    "        y[vi, vj] = y[vi, vj] + row[(vj + vk) % 10] * x[vi, vj];\n"
    "    }\n"
    "    for parallel (i: 12) flags[i] = w[i] % 3 == 1 && i > 2;\n"
    "    for bind(group.x) (g: 3) for bind(local.x) (l: 4) for (r: 2) {\n"
    "        alloc tile: i32[4] scope(shared);\n"
    "        tile[l] = w[g * 4 + l];\n"
    "        barrier(shared);\n"
    "        z[g * 4 + l] = if_then_else(flags[g * 4 + l], tile[3 - l], let(v = tile[l], v * v));\n"
    "    }\n"
    "    for (i: 3) z[ramp(i * 4, 1, 4)] = z[ramp(i * 4, 1, 4)] + broadcast(i32(i), 4);\n"
    "    for vectorized (i: 4) z[i] = select(z[i] > 5, z[i], -z[i]);\n"
    "}\n";

/* ------------------------------------------------------------------ all the work */

enum { OUTPUTS = 4 };

/* What the work gives; every text stays in the context. */
typedef struct outcome {
    const char *text[OUTPUTS]; /* of the function, of a pass, of the module, of the OpenCL source */
    float       y[60];
    int32_t     z[12];
    int         ran, ran_module;
} outcome;

static void fill(float *x, int32_t *w)
{
    int k;
    for (k = 0; k < 60; k++) x[k] = (float)(k % 7) - 3.0f;
    for (k = 0; k < 12; k++) w[k] = 5 * k - 11;
}

static void work(irl_ctx *cx, outcome *o)
{
    float           x[60];
    int32_t         w[12];
    irl_func       *f = irl_func_parse(cx, program, sizeof program - 1, "work"), *flat;
    irl_module     *m;
    memset(o, 0, sizeof *o);
    fill(x, w);
    f = irl_func_set_layout(f, "t", irl_map_parse(cx, "() -> ()"));
    f = irl_func_set_layout(f, "flags", irl_map_parse(cx, "(..., i) -> (..., i / 8, i % 8)"));
    o->text[0] = irl_func_text(f);
    flat = irl_func_run_pass(
        irl_func_run_pass(irl_func_run_pass(f, "apply_layouts"), "lower_blocks"), "flatten");
    o->text[1] = irl_func_text(flat);
    o->ran = f && irl_func_interpret(f, IRL_ARGS(x, w, o->y, o->z));
    m = irl_func_lower(f, irl_target_find("opencl12"));
    if (m) memset(o->y, 0, sizeof o->y), memset(o->z, 0, sizeof o->z);
    o->ran_module = m && irl_module_interpret(m, IRL_ARGS(x, w, o->y, o->z));
    o->text[2] = irl_module_text(m);
    o->text[3] = irl_ocl_source(m);
}

static outcome  expected;
static irl_ctx *expected_owner;

static int is_complete(const outcome *o)
{
    int k, complete = o->ran && o->ran_module;
    for (k = 0; k < OUTPUTS; k++) complete = complete && o->text[k][0];
    return complete;
}

/* Whatever was given is right, and if anything is missing the context says why. */
static int is_honest(const irl_ctx *cx, const outcome *o)
{
    int k;
    for (k = 0; k < OUTPUTS; k++)
        if (o->text[k][0] && strcmp(o->text[k], expected.text[k]) != 0) return 0;
    if (o->ran_module &&
        (memcmp(o->y, expected.y, sizeof o->y) != 0 || memcmp(o->z, expected.z, sizeof o->z) != 0))
        return 0;
    if (is_complete(o)) return irl_ok(cx);
    return !irl_ok(cx) && irl_diag_of(cx)->code == IRL_ERROR_OUT_OF_MEMORY;
}

/* -------------------------------------------------------- an allocator that counts and fails */

typedef struct accountant {
    size_t held;
    long   requests, fail_at; /* -1: never */
    int    fails_on;          /* from then on */
    int    wrong_sizes;
} accountant;

enum { HEADER = 16 };

static void *count_allocate(void *user, size_t bytes)
{
    accountant *a = (accountant *)user;
    long        number = a->requests++;
    char       *p;
    if (a->fail_at >= 0 && (number == a->fail_at || (a->fails_on && number > a->fail_at)))
        return NULL;
    p = (char *)malloc(bytes + HEADER);
    if (!p) return NULL;
    memcpy(p, &bytes, sizeof bytes);
    a->held += bytes;
    return p + HEADER;
}

static void count_release(void *user, void *memory, size_t bytes)
{
    accountant *a = (accountant *)user;
    size_t      asked;
    memcpy(&asked, (char *)memory - HEADER, sizeof asked);
    a->wrong_sizes += asked != bytes;
    a->held -= bytes;
    free((char *)memory - HEADER);
}

static irl_ctx *counted_context(accountant *a, long fail_at, int fails_on)
{
    irl_ctx_desc desc;
    memset(a, 0, sizeof *a);
    a->fail_at = fail_at;
    a->fails_on = fails_on;
    memset(&desc, 0, sizeof desc);
    desc.allocator.allocate = count_allocate;
    desc.allocator.release = count_release;
    desc.allocator.user = a;
    return irl_ctx_create(&desc);
}

static void each_request_fails(int fails_on)
{
    accountant a;
    long       k;
    int        complete = 0;
    for (k = 0; !complete && k < 100000; k++) {
        irl_ctx *cx = counted_context(&a, k, fails_on);
        outcome  o;
        if (cx) {
            work(cx, &o);
            complete = is_complete(&o);
            if (!CHECK(is_honest(cx, &o)))
                printf("request %ld fails%s\n%s\n", k, fails_on ? " and all behind it" : "",
                       irl_diag_text(cx));
        }
        irl_ctx_destroy(cx);
        CHECK(a.held == 0 && a.wrong_sizes == 0);
    }
    CHECK(complete && k > 5);
}

/* ------------------------------------------------------------------ a block that is too small */

static void blocks_of_growing_size(void)
{
    enum { MOST = 1 << 22, GUARD = 64 };
    unsigned char *memory = (unsigned char *)malloc(MOST + GUARD);
    size_t         size, step = 1;
    int            complete = 0, k;
    if (!CHECK(memory != NULL)) return;
    for (size = 0; !complete && size <= MOST; size += step) {
        irl_ctx_desc desc;
        irl_ctx *cx;
        outcome  o;
        memset(memory + size, 0xee, GUARD);
        memset(&desc, 0, sizeof desc);
        desc.block = memory;
        desc.block_bytes = size;
        cx = irl_ctx_create(&desc);
        if (cx) {
            work(cx, &o);
            complete = is_complete(&o);
            if (!CHECK(is_honest(cx, &o)))
                printf("a block of %lu bytes\n%s\n", (unsigned long)size, irl_diag_text(cx));
            step = size / 64 + 8;
        } else step = 97;
        irl_ctx_destroy(cx);
        for (k = 0; k < GUARD; k++)
            if (!CHECK(memory[size + (size_t)k] == 0xee)) break;
    }
    CHECK(complete);
    free(memory);
}

/* ------------------------------------------------------- an arena that is full after n bytes */

enum { ARENA = 1 << 21 };

static void *no_more(void *user, size_t bytes)
{
    (void)user, (void)bytes;
    return NULL;
}

/* An arena cut down to one chunk with n bytes left, and how it was. */
typedef struct cut {
    irl__chunk *chunk, *next;
    size_t      capacity;
} cut;

static cut leave(irl_ctx *cx, irl__arena *arena, size_t n)
{
    cut c;
    if (arena == &cx->arena) irl__alloc(cx, ARENA);
    else irl__scratch_alloc(cx, 1, ARENA);
    c.chunk = arena->current;
    c.next = c.chunk->next;
    c.capacity = c.chunk->capacity;
    c.chunk->next = NULL;
    c.chunk->used = 0;
    if (n < c.capacity) c.chunk->capacity = n;
    return c;
}

static void restore(cut *c)
{
    irl__chunk *last = c->chunk;
    while (last->next) last = last->next;
    last->next = c->next;
    c->chunk->capacity = c->capacity;
}

/* Does the work where one arena has n bytes left, and the other one and the tables have room. True
   if that was enough. */
static int runs_with(int is_scratch, size_t n)
{
    irl_ctx      *cx = irl_ctx_create(NULL);
    irl_allocator real = cx->allocator;
    irl_mark      mark = irl_ctx_mark(cx);
    cut           arena, scratch;
    outcome       o;
    int           complete;
    work(cx, &o); /* now the tables are as large as they will be */
    irl_ctx_rewind(cx, mark);
    arena = leave(cx, &cx->arena, is_scratch ? SIZE_MAX : n);
    scratch = leave(cx, &cx->scratch, is_scratch ? n : SIZE_MAX);
    cx->allocator.allocate = no_more;
    work(cx, &o);
    complete = is_complete(&o);
    if (!CHECK(is_honest(cx, &o)))
        printf("%lu bytes of %s\n%s\n", (unsigned long)n, is_scratch ? "scratch" : "arena",
               irl_diag_text(cx));
    restore(&arena);
    restore(&scratch);
    cx->allocator = real;
    irl_ctx_destroy(cx);
    return complete;
}

static void an_arena_is_full(int is_scratch)
{
    size_t n, step = getenv("IRL_SOAK") ? 8 : getenv("IRL_SLOW") ? 4096 : 328;
    for (n = 0; n < ARENA && !runs_with(is_scratch, n); n += step) {}
    CHECK(n > 0 && n < ARENA);
}

/* ------------------------------------------------------------------ marks */

typedef void repeated(irl_ctx *cx);

static void good_work(irl_ctx *cx)
{
    outcome o;
    work(cx, &o);
    CHECK(is_honest(cx, &o) && is_complete(&o));
}

static void bad_text(irl_ctx *cx)
{
    static const char *const texts[] = {
        "func f(", "func f(x: f32[4]) { x[i] = 1.0; }",
        "func f(x: f32[4]) { for (i: 4) x[i] = 1; } }",
        "func f(x: f32[4]) { for (i: 4) { for (j: 4) { let v = x[i, j]; } } }",
        "func f(x: f32[4]) layout(x: (i) -> (j)) {}"
    };
    size_t k;
    for (k = 0; k < sizeof texts / sizeof *texts; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        CHECK(!irl_func_parse(cx, texts[k], strlen(texts[k]), NULL) && !irl_ok(cx));
        irl_ctx_rewind(cx, mark);
        CHECK(irl_ok(cx));
    }
}

static void refused_layout(irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[64], y: f32[64]) layout(y: (i) -> (i / 2)) { for (i: 64) y[i] = x[i]; }";
    CHECK(!irl_func_lower(irl_func_parse(cx, text, sizeof text - 1, NULL),
                          irl_target_find("opencl12")));
    CHECK_CODE(cx, IRL_ERROR_LOSSY_MAP);
}

static void failed_run(irl_ctx *cx)
{
    static const char text[] =
        "func f(x: f32[64]) { alloc t: f32[9]; for (i: 64) x[i] = t[i] + 1.0; }";
    float             x[64];
    memset(x, 0, sizeof x);
    CHECK(!irl_func_interpret(irl_func_parse(cx, text, sizeof text - 1, NULL), IRL_ARGS(x)));
    CHECK(!irl_ok(cx));
}

static void does_not_grow(repeated *piece)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    size_t   after_two = 0;
    int      k;
    for (k = 0; k < 40; k++) {
        irl_mark mark = irl_ctx_mark(cx);
        piece(cx);
        irl_ctx_rewind(cx, mark);
        CHECK_OK(cx);
        if (k == 1) after_two = irl_ctx_memory(cx).in_use;
    }
    CHECK(irl_ctx_memory(cx).in_use == after_two && irl_ctx_memory(cx).peak >= after_two);
    irl_ctx_destroy(cx);
}

/* How many of 64 buckets `count` names and as many constants, all in the first bucket of one
   context, take in another. */
static void test_crafted(void)
{
    enum { CRAFTED = 200 };
    irl_ctx *cx[2];
    char     name[CRAFTED][16], trial[16];
    uint64_t constant[CRAFTED], seen[2] = { 0, 0 }, v;
    int      count = 0, k, taken[2] = { 0, 0 };
    cx[0] = irl_ctx_create(NULL);
    cx[1] = irl_ctx_create(NULL);
    for (v = 0; count < CRAFTED && v < 1000000; v++) {
        int n = snprintf(trial, sizeof trial, "v%lu", (unsigned long)v);
        if (irl__hash_bytes(cx[0], trial, (size_t)n) % 64 == 0) strcpy(name[count++], trial);
    }
    CHECK(count == CRAFTED);
    for (v = 0, count = 0; count < CRAFTED && v < 1000000; v++)
        if (irl__hash_constant(cx[0], v * 0x10001) % 64 == 0) constant[count++] = v * 0x10001;
    CHECK(count == CRAFTED);
    for (k = 0; k < count; k++) {
        seen[0] |= UINT64_C(1) << irl__hash_bytes(cx[1], name[k], strlen(name[k])) % 64;
        seen[1] |= UINT64_C(1) << irl__hash_constant(cx[1], constant[k]) % 64;
    }
    for (k = 0; k < 64; k++) {
        taken[0] += (seen[0] >> k) & 1;
        taken[1] += (seen[1] >> k) & 1;
    }
    if (!CHECK(taken[0] > 8 && taken[1] > 8))
        printf("%d and %d of 64 buckets\n", taken[0], taken[1]);
    irl_ctx_destroy(cx[0]);
    irl_ctx_destroy(cx[1]);
}

/* Nodes over one late variable go to one segment of the table; even a hundred thousand of them make
   no long chain. */
static void test_one_variable(void)
{
    enum { NODES = 100000, LATE = 5000, LONGEST = 40 };
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_expr *var = NULL;
    size_t          bucket;
    int             k, length, longest = 0;
    for (k = 0; k < LATE; k++) var = irl_expr_var(cx, "i", irl_type_of(IRL_INDEX, 1));
    for (k = 0; k < NODES; k++) irl__add(cx, var, irl_expr_index(cx, k));
    CHECK_OK(cx);
    for (bucket = 0; bucket < cx->exprs.bucket_count; bucket++) {
        const irl__interned *item = cx->exprs.buckets[bucket];
        for (length = 0; item; item = item->next) length++;
        if (length > longest) longest = length;
    }
    if (!CHECK(longest > 1 && longest <= LONGEST)) printf("a chain of %d\n", longest);
    irl_ctx_destroy(cx);
}

int main(void)
{
    test_crafted();
    test_one_variable();
    expected_owner = irl_ctx_create(NULL);
    work(expected_owner, &expected);
    CHECK_OK(expected_owner);
    if (!CHECK(is_complete(&expected))) return TEST_DONE();
    each_request_fails(0);
    each_request_fails(1);
    blocks_of_growing_size();
    an_arena_is_full(0);
    an_arena_is_full(1);
    does_not_grow(good_work);
    does_not_grow(bad_text);
    does_not_grow(refused_layout);
    does_not_grow(failed_run);
    irl_ctx_destroy(expected_owner);
    return TEST_DONE();
}
