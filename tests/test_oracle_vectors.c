/* test_oracle_vectors.c - the recorded answers about vectorized loops, vector views of scalar memory, and textures.
   Skipped where the recorded files are not there.

   A case holds in meaning when our function after lowering, and the recorded one, compute what the function before does, bit
   for bit in the interpreter. Where ours has another form, or the recorded one is a defect, a row of a table says why and
   shows what ours is. The types of accesses are in test_oracle_flatten.c; memory planning is not lowering and is named below. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/pass/pass.h"
#endif
#include "test.h"
#include "json.h"
#include "recorded.h"

/* ------------------------------------------------------------------ what is ours where it differs */

typedef struct difference {
    const char *id;
    const char *ours;   /* a part of our text; NULL: the two are equal */
    const char *reason;
    int         is_wrong; /* the recorded result is a defect: it is not run */
} difference;

static const difference differences[] = {
    { "l.v_divmod", "shuffle(A[ramp(i * 4, 1, 4)], A[ramp(i * 4 + 32, 1, 4)], [0, 1, 2, 3, 4, 5, 6, 7])",
      "an index that is no ramp becomes the runs that it is made of, not eight gathered lanes", 0 },
    { "l.v_err_dyn", "for (j: n)", "a loop of unknown count is a serial loop, not a failure", 0 },
    { "l.v_disabled", "for vectorized (j: 4)", "without the pass the word stays, and every later stage takes the loop for a serial one", 0 },
    { "l.v_ite", "shuffle(A[ramp(i * 4, 1, 2)], 0.0f, 0.0f, [0, 1, 2, 3])", "each lane knows its own arm: the store stays a vector", 0 },
    { "l.v_inner_serial", "shuffle(A_flat[k], A_flat[k + 3], A_flat[k + 6], A_flat[k + 9], [0, 1, 2, 3])",
      "a gather is written as the four loads that it is", 0 },
};

static const difference *difference_of(const char *id)
{
    size_t k;
    for (k = 0; k < sizeof differences / sizeof *differences; k++)
        if (strcmp(differences[k].id, id) == 0) return &differences[k];
    return NULL;
}

/* ------------------------------------------------------------------ running */

enum { MOST_PARAMS = 4 };

typedef struct memory {
    int            count;
    unsigned char *data[MOST_PARAMS];
    size_t         bytes[MOST_PARAMS];
    int64_t        scalar[MOST_PARAMS];
} memory;

static irl_arguments arguments_of(const memory *m)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    a.count = m->count;
    for (k = 0; k < m->count; k++) a.data[k] = m->data[k] ? (const void *)m->data[k] : (const void *)&m->scalar[k];
    return a;
}

/* Small whole numbers, which halves hold too; scalars are `scalar`. */
static int fill(memory *m, const irl_func *f, int64_t scalar)
{
    irl_tensor t;
    size_t     j;
    int        k;
    memset(m, 0, sizeof *m);
    m->count = irl_param_count(f);
    for (k = 0; k < m->count; k++) {
        m->scalar[k] = scalar;
        if (!irl_param_is_buffer(f, k)) continue;
        if (!irl_param_tensor(f, k, arguments_of(m), &t)) return 0;
        m->bytes[k] = t.bytes;
        m->data[k] = (unsigned char *)malloc(t.bytes);
        for (j = 0; m->data[k] && j < t.bytes / 4 && t.type.scalar == IRL_F32; j++) ((float *)m->data[k])[j] = (float)((j * 37 + (size_t)k) % 50);
        for (j = 0; m->data[k] && j < t.bytes / 4 && t.type.scalar == IRL_I32; j++) ((int32_t *)m->data[k])[j] = (int32_t)((j * 37 + (size_t)k) % 50);
        for (j = 0; m->data[k] && j < t.bytes / 2 && t.type.scalar == IRL_F16; j++) ((uint16_t *)m->data[k])[j] = (uint16_t)(0x3c00 + j % 64);
    }
    return 1;
}

static void release(memory *m)
{
    int k;
    for (k = 0; k < m->count; k++) free(m->data[k]);
    memset(m, 0, sizeof *m);
}

static int equal_memory(const memory *a, const memory *b)
{
    int k, ok = a->count == b->count;
    for (k = 0; ok && k < a->count; k++) ok = a->bytes[k] == b->bytes[k] && (!a->data[k] || memcmp(a->data[k], b->data[k], a->bytes[k]) == 0);
    return ok;
}

/* Whether f, or a module of it, computes what `before` does. */
static int same_meaning(const irl_func *before, const irl_func *f, const irl_module *m, int64_t scalar)
{
    memory expected, found;
    int    ok = fill(&expected, before, scalar) && fill(&found, before, scalar);
    ok = ok && irl_interpret(before, arguments_of(&expected)) &&
         (f ? irl_interpret(f, arguments_of(&found)) : irl_interpret_module(m, arguments_of(&found))) && equal_memory(&expected, &found);
    release(&expected);
    release(&found);
    return ok;
}

/* ------------------------------------------------------------------ vectorize */

static irl_func *parse_recorded(irl_ctx *cx, translation *t, const char *recorded, const char *name)
{
    irl_func *f;
    translate(t, recorded);
    f = irl_parse_func(cx, t->out.data, t->out.length, name);
    if (!f) printf("%s", t->out.data);
    return f;
}

static irl_func *vectorized(irl_func *f, const char *call)
{
    if (strstr(call, "Flatten")) f = irl_run_pass(f, "flatten");
    f = irl_run_pass(f, "simplify");
    return strstr(call, "enable=false") ? f : irl_run_pass(f, "vectorize");
}

/* Equal, or as the row says: never both. */
static int form_holds(const json *c, const irl_func *after, const irl_func *expected)
{
    const difference *d = difference_of(json_text(json_get(c, "id")));
    int               is_equal = expected && irl_func_equal(after, expected);
    return d ? !is_equal && strstr(irl_func_text(after), d->ours) != NULL : is_equal;
}

/* Lowered, with or without the pass. */
static const irl_module *lowered_by_call(const irl_func *f, const char *call)
{
    irl_lowering how;
    int          k;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    for (k = 0; irl_pass_name(k); k++)
        if (strcmp(irl_pass_name(k), "vectorize") == 0 && strstr(call, "enable=false")) how.disable = 1u << k;
    return irl_lower_with(f, &irl_target_opencl12, &how);
}

static int check_vectorize(const json *c)
{
    static const int64_t scalars[] = { 0, 1, 37, 63, 64 };
    const json          *input = json_get(c, "input"), *error = json_get(json_get(c, "expected"), "error");
    const char          *call = json_text(json_get(input, "call"));
    irl_ctx             *cx = irl_ctx_create(NULL);
    translation         *t = (translation *)calloc(1, sizeof *t);
    irl_func            *before = parse_recorded(cx, t, json_text(json_get(input, "before")), "before"), *after, *expected = NULL;
    const irl_module    *m;
    size_t               k;
    int                  ok;
    if (before && strstr(call, "Flatten")) find_flat_params(t, cx, before);
    after = before ? vectorized(before, call) : NULL;
    if (!error) expected = parse_recorded(cx, t, json_text(json_get(json_get(c, "expected"), "after")), "after");
    ok = after && (error || expected) && form_holds(c, after, expected);
    m = ok ? lowered_by_call(before, call) : NULL;
    ok = ok && m;
    for (k = 0; ok && k < sizeof scalars / sizeof *scalars; k++)
        ok = same_meaning(before, after, NULL, scalars[k]) && same_meaning(before, NULL, m, scalars[k]) &&
             (error || same_meaning(before, expected, NULL, scalars[k]));
    if (!ok) printf("%s\n%s%s", irl_diag_text(cx), after && irl_ok(cx) ? irl_func_text(after) : "", t->out.data);
    irl_ctx_destroy(cx);
    free(t);
    return ok;
}

/* ------------------------------------------------------------------ all of them */

static int check_feature(const json *cases, const char *name, int (*check)(const json *c))
{
    const json *c;
    int         seen = 0;
    for (c = cases; c; c = c->next) {
        if (strcmp(json_text(json_get(c, "feature")), name) != 0) continue;
        seen++;
        if (!CHECK(check(c))) printf("%s\n", json_text(json_get(c, "id")));
    }
    return seen;
}

int main(void)
{
    typedef struct feature {
        const char *name;
        int (*check)(const json *c);
        int count; /* recorded; a file with fewer is not the one that was meant */
    } feature;
    static const feature features[] = {
        { "vectorize", check_vectorize, 10 },
    };
    json_file   file;
    const json *root = json_oracle(&file, "tvm_cases.json");
    size_t      k;
    if (!root) {
        printf("skipped: no recorded answers beside the repository (IRL_SHARED)\n");
        return TEST_DONE();
    }
    for (k = 0; k < sizeof features / sizeof *features; k++)
        CHECK(check_feature(json_get(root, "cases")->first, features[k].name, features[k].check) >= features[k].count);
    json_free(&file);
    return TEST_DONE();
}
