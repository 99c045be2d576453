/* test_oracle_vectors.c - the recorded answers about vectorized loops, vector views of scalar
   memory, and textures. Skipped where the recorded files are not there.

   Left out, because memory planning is not lowering: texture_pool, texture_scope_choice,
   token_allocator_1d, token_allocator_2d, graph_runtime_pool. Left out, because there are no image
   arrays yet: texture_shape_3d_main2026.

   A case holds in meaning when our function after lowering, and the recorded one, compute what the
   function before does, bit for bit in the interpreter. Where ours has another form, or the
   recorded one is a defect, a row of a table says why and shows what ours is. The types of accesses
   are in test_oracle_flatten.c; memory planning is not lowering and is named below. */
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

/* ------------------------------------------------------------- what is ours where it differs */

typedef struct difference {
    const char *id;
    const char *ours;   /* a part of our text; of the message, where ours refuses */
    const char *reason;
    irl_code    refusal; /* IRL_OK: ours computes */
} difference;

static const difference differences[] = {
    { "l.v_divmod",
      "shuffle(A[ramp(i * 4, 1, 4)], A[ramp(i * 4 + 32, 1, 4)], [0, 1, 2, 3, 4, 5, 6, 7])",
      "an index that is no ramp becomes the runs that it is made of, not eight gathered lanes",
      IRL_OK },
    { "l.v_err_dyn", "for (j: n)", "a loop of unknown count is a serial loop, not a failure",
      IRL_OK },
    { "l.v_disabled", "for vectorized (j: 4)",
      "without the pass the word stays, and every later stage takes the loop for a serial one",
      IRL_OK },
    { "l.v_ite", "shuffle(A[ramp(i * 4, 1, 2)], 0.0f, 0.0f, [0, 1, 2, 3])",
      "each lane knows its own arm: the store stays a vector", IRL_OK },
    { "l.v_inner_serial",
      "shuffle(A_flat[k], A_flat[k + 3], A_flat[k + 6], A_flat[k + 9], [0, 1, 2, 3])",
      "a gather is written as the four loads that it is", IRL_OK },
};

static const difference textures[] = {
    { "l.tex_rank3", "texture2d_store, t, b, a, X_f32x4[a * 16 + b]",
      "the channel loop is found without a schedule", IRL_OK },
    { "l.tex_scalar_read",
      "Y_f32x4[a * 16 + b] = intrinsic(f32x4, texture2d_load, t, b, a) + broadcast(1.0f, 4)",
      "the consumer is vectorized as well: one read of a texel, not four", IRL_OK },
    { "l.tex_err_rank2", "1 axes besides the texel",
      "refused alike, before any pass has changed the function", IRL_ERROR_UNSUPPORTED_RANK },
    { "l.tex_err_inner3", "must be 4; found 3", "refused alike", IRL_ERROR_BAD_TEXEL },
    { "l.tex_err_int", "intrinsic(i32x4, texture2d_load, t, b, a)",
      "images of integers are emitted: read_imagei and write_imagei", IRL_OK },
    { "l.ext_elem",
      "texture2d_store, C, tx, bx, intrinsic(f32x4, texture2d_load, A, tx, bx) + broadcast(1.0f, "
      "4)",
      "equal: the same texels", IRL_OK },
    { "l.ext_rw", "is read where it is written",
      "no qualifier is right for both below OpenCL 2.0: refused", IRL_ERROR_IMAGE_READ_WRITE },
    { "l.ext_lane",
      "broadcast(lane(intrinsic(f32x4, texture2d_load, A, tx, bx), 2), 4) * intrinsic(f32x4, "
      "texture2d_load, A, tx, bx)",
      "equal: the same texel, one lane widened", IRL_OK },
    { "l.ext_const_coord", "texture2d_load, A, 95, 1)", "equal: the same texel", IRL_OK },
    { "bug.tex.store_half_texel", "lanes of a texel of 'C'",
      "a store of two lanes of a texel is refused, not shifted to lane 0",
      IRL_ERROR_PARTIAL_TEXEL },
    { "x.tex.load_dynamic_lane",
      "shuffle(intrinsic(f32x4, texture2d_load, A, tx, bx), [3, 2, 1, 0])",
      "one read of the texel, its lanes turned around; recorded are four reads", IRL_OK },
};

/* What two cases say in words. */
static const char *const programs[][2] = {
    { "bug.tex.store_half_texel",
      "func(A: float32[4, 8, 4]; C: float32[4, 8, 4] scope=global.texture):\n  for bx in 4 "
      "thread=blockIdx.x:\n    for tx in 8 thread=threadIdx.x:\n"
      "      for k in 2 vectorized:\n        C[bx, tx, k + 2] = A[bx, tx, k]" },
    { "x.tex.load_dynamic_lane",
      "func(A: float32[4, 8, 4] scope=global.texture; C: float32[4, 8, 4]):\n  for bx in 4 "
      "thread=blockIdx.x:\n    for tx in 8 thread=threadIdx.x:\n"
      "      for k in 4:\n        C[bx, tx, k] = A[bx, tx, 3 - k]" },
};

static const difference *texture_of(const char *id)
{
    size_t k;
    for (k = 0; k < sizeof textures / sizeof *textures; k++)
        if (strcmp(textures[k].id, id) == 0) return &textures[k];
    return NULL;
}

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
    for (k = 0; k < m->count; k++)
        a.data[k] = m->data[k] ? (const void *)m->data[k] : (const void *)&m->scalar[k];
    return a;
}

/* Small whole numbers, which halves hold too; scalars are `scalar`. */
static int fill(memory *m, const irl_func *f, int64_t scalar)
{
    irl_tensor t;
    size_t     j;
    int        k;
    memset(m, 0, sizeof *m);
    m->count = irl_func_param_count(f);
    for (k = 0; k < m->count; k++) {
        m->scalar[k] = scalar;
        if (!irl_func_param_is_buffer(f, k)) continue;
        if (!irl_func_param_tensor(f, k, arguments_of(m), &t)) return 0;
        m->bytes[k] = t.bytes;
        m->data[k] = (unsigned char *)malloc(t.bytes);
        for (j = 0; m->data[k] && j < t.bytes / 4 && t.type.scalar == IRL_F32; j++)
            ((float *)m->data[k])[j] = (float)((j * 37 + (size_t)k) % 50);
        for (j = 0; m->data[k] && j < t.bytes / 4 && t.type.scalar == IRL_I32; j++)
            ((int32_t *)m->data[k])[j] = (int32_t)((j * 37 + (size_t)k) % 50);
        for (j = 0; m->data[k] && j < t.bytes / 2 && t.type.scalar == IRL_F16; j++)
            ((uint16_t *)m->data[k])[j] = (uint16_t)(0x3c00 + j % 64);
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
    for (k = 0; ok && k < a->count; k++)
        ok = a->bytes[k] == b->bytes[k] &&
             (!a->data[k] || memcmp(a->data[k], b->data[k], a->bytes[k]) == 0);
    return ok;
}

/* Whether f, or a module of it, computes what `before` does. */
static int same_meaning(const irl_func *before, const irl_func *f, const irl_module *m,
                        int64_t scalar)
{
    memory expected, found;
    int    ok = fill(&expected, before, scalar) && fill(&found, before, scalar);
    ok = ok && irl_func_interpret(before, arguments_of(&expected)) &&
         (f ? irl_func_interpret(f, arguments_of(&found))
            : irl_module_interpret(m, arguments_of(&found))) &&
         equal_memory(&expected, &found);
    release(&expected);
    release(&found);
    return ok;
}

/* ------------------------------------------------------------------ vectorize */

static irl_func *parse_recorded(irl_ctx *cx, translation *t, const char *recorded, const char *name)
{
    irl_func *f;
    translate(t, recorded);
    f = irl_func_parse(cx, t->out.data, t->out.length, name);
    if (!f) printf("%s", t->out.data);
    return f;
}

static irl_func *vectorized(irl_func *f, const char *call)
{
    if (strstr(call, "Flatten")) f = irl_func_run_pass(f, "flatten");
    f = irl_func_run_pass(f, "simplify");
    return strstr(call, "enable=false") ? f : irl_func_run_pass(f, "vectorize");
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
    irl_lower_options how;
    int          k;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    for (k = 0; irl_pass_name(k); k++)
        if (strcmp(irl_pass_name(k), "vectorize") == 0 && strstr(call, "enable=false"))
            how.disable = UINT64_C(1) << k;
    return irl_func_lower_with(f, &irl_target_opencl12, &how);
}

static int check_vectorize(const json *c)
{
    static const int64_t scalars[] = { 0, 1, 37, 63, 64 };
    const json *input = json_get(c, "input"), *error = json_get(json_get(c, "expected"), "error");
    const char          *call = json_text(json_get(input, "call"));
    irl_ctx             *cx = irl_ctx_create(NULL);
    translation         *t = (translation *)calloc(1, sizeof *t);
    irl_func *before = parse_recorded(cx, t, json_text(json_get(input, "before")), "before"),
             *after, *expected = NULL;
    const irl_module    *m;
    size_t               k;
    int                  ok;
    if (before && strstr(call, "Flatten")) find_flat_params(t, cx, before);
    after = before ? vectorized(before, call) : NULL;
    if (!error)
        expected =
            parse_recorded(cx, t, json_text(json_get(json_get(c, "expected"), "after")), "after");
    ok = after && (error || expected) && form_holds(c, after, expected);
    m = ok ? lowered_by_call(before, call) : NULL;
    ok = ok && m;
    for (k = 0; ok && k < sizeof scalars / sizeof *scalars; k++)
        ok = same_meaning(before, after, NULL, scalars[k]) &&
             same_meaning(before, NULL, m, scalars[k]) &&
             (error || same_meaning(before, expected, NULL, scalars[k]));
    if (!ok)
        printf("%s\n%s%s", irl_diag_text(cx), after && irl_ok(cx) ? irl_func_text(after) : "",
               t->out.data);
    irl_ctx_destroy(cx);
    free(t);
    return ok;
}

/* ------------------------------------------------------------- vector views of scalar memory */

/* Ours keeps the parameters and declares views, for each kernel by itself. */
static const difference views[] = {
    { "l.pv_shuffle", "L__f32x4[i] = A_f32x4[i];",
      "the kernel that reads scalars reads scalars: its memory has no other access there", IRL_OK },
    { "l.pv_mixed_store", "B_f32x4[i] = A_f32x4[i];",
      "the kernel that stores vectors has its own view; the one that stores scalars has none",
      IRL_OK },
    { "l.pv_extent", "B_f32x4[i] = A_f32x4[i];",
      "the view of 18 elements has 4 of four: all that is accessed, and none beyond", IRL_OK },
    { "l.pv_two_widths", "B_f32x2[i] = A_f32x2[i];",
      "each kernel has the widest unit of its own accesses", IRL_OK },
};

static int check_pointer_types(const json *c)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    translation      *t = (translation *)calloc(1, sizeof *t);
    irl_func *before = parse_recorded(cx, t, json_text(json_get(json_get(c, "input"), "before")),
                                      "before"),
             *after;
    irl_lower_options      how;
    const irl_module *m;
    size_t            k;
    int               ok;
    memset(&how, 0, sizeof how);
    how.verify = 1;
    m = before ? irl_func_lower_with(before, &irl_target_strict, &how) : NULL;
    after = parse_recorded(cx, t, json_text(json_get(json_get(c, "expected"), "after")), "after");
    ok = m && after && same_meaning(before, NULL, m, 0) && same_meaning(before, after, NULL, 0);
    for (k = 0; k < sizeof views / sizeof *views; k++)
        if (strcmp(views[k].id, json_text(json_get(c, "id"))) == 0)
            ok = ok && strstr(irl_module_text(m), views[k].ours) != NULL;
    if (!ok)
        printf("%s\n%s%s", irl_diag_text(cx), m && irl_ok(cx) ? irl_module_text(m) : "",
               t->out.data);
    irl_ctx_destroy(cx);
    free(t);
    return ok;
}

/* ------------------------------------------------------------------ textures */

/* A copy into an image, and one added on the way back: what the recorded cases with a shape alone
   are. */
static irl_func *addone(irl_ctx *cx, const json *input)
{
    char        shape[32] = "", loops[32] = "", point[32] = "", type[8], program[512];
    const json *n = json_get(input, "shape")->first;
    int         k;
    for (k = 0; n; n = n->next, k++) {
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%lld", k ? ", " : "",
                 json_int(n));
        snprintf(loops + strlen(loops), sizeof loops - strlen(loops), "%s%c: %lld", k ? ", " : "",
                 'a' + k, json_int(n));
        snprintf(point + strlen(point), sizeof point - strlen(point), "%s%c", k ? ", " : "",
                 'a' + k);
    }
    snprintf(type, sizeof type, "%s",
             strcmp(json_text(json_get(input, "dtype")), "int32") == 0 ? "i32" : "f32");
    snprintf(program, sizeof program,
             "func f(X: %s[%s], Y: %s[%s]) { alloc t: %s[%s] scope(texture); for (%s) t[%s] = "
             "X[%s]; for (%s) Y[%s] = t[%s] + 1; }",
             type, shape, type, shape, type, shape, loops, point, point, loops, point, point);
    return irl_func_parse(cx, program, strlen(program), "before");
}

static irl_func *texture_before(irl_ctx *cx, translation *t, const json *c)
{
    const json *input = json_get(c, "input");
    size_t      k;
    if (json_get(input, "shape")) return addone(cx, input);
    if (json_get(input, "before"))
        return parse_recorded(cx, t, json_text(json_get(input, "before")), "before");
    for (k = 0; k < sizeof programs / sizeof *programs; k++)
        if (strcmp(programs[k][0], json_text(json_get(c, "id"))) == 0)
            return parse_recorded(cx, t, programs[k][1], "before");
    return NULL;
}

/* The recorded function with its texture calls, where it is a whole function and no defect. */
static int recorded_texture_holds(irl_ctx *cx, translation *t, const json *c,
                                  const irl_func *before)
{
    const char *lowered = json_text(json_get(json_get(c, "expected"), "lowered"));
    irl_func   *f;
    if (!begins(lowered, "func(") || json_get(c, "tvm_defect") ||
        strcmp(json_text(json_get(json_get(c, "input"), "dtype")), "int32") == 0)
        return 1;
    t->is_flat = 1;
    f = parse_recorded(cx, t, lowered, "lowered");
    return f && same_meaning(before, f, NULL, 0);
}

static int check_texture(const json *c)
{
    const difference *d = texture_of(json_text(json_get(c, "id")));
    irl_ctx          *cx = irl_ctx_create(NULL);
    translation      *t = (translation *)calloc(1, sizeof *t);
    irl_func         *before = d ? texture_before(cx, t, c) : NULL;
    const irl_module *m = before ? lowered_by_call(before, "") : NULL;
    int               ok;
    if (!before) ok = 0;
    else if (d->refusal)
        ok = !m && irl_diag_of(cx) && irl_diag_of(cx)->code == d->refusal &&
             strstr(irl_diag_of(cx)->message, d->ours);
    else
        ok = m && strstr(irl_module_text(m), d->ours) && same_meaning(before, NULL, m, 0) &&
             recorded_texture_holds(cx, t, c, before);
    if (!ok)
        printf("%s\n%s%s", irl_diag_text(cx), m && irl_ok(cx) ? irl_module_text(m) : "",
               t->out.data);
    irl_ctx_destroy(cx);
    free(t);
    return ok;
}

/* Where the convention, or for the third one the separator itself, cuts rows from columns. */
static int check_texture_shape(const json *c)
{
    const json *input = json_get(c, "input"), *expected = json_get(c, "expected"), *n;
    const char *scope = json_text(json_get(input, "scope"));
    char        shape[64] = "", program[256], image[128];
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f;
    int         ok, is_own = strcmp(scope, "global.texture-nhwc") == 0;
    for (n = json_get(input, "shape")->first; n; n = n->next)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%lld", *shape ? ", " : "",
                 json_int(n));
    snprintf(program, sizeof program, "func f(x: f32[%s] scope(%s)", shape,
             strcmp(scope, "global.texture-weight") == 0 ? "texture:weight" : "texture");
    if (is_own)
        snprintf(program + strlen(program), sizeof program - strlen(program), " sep(%lld)",
                 json_int(json_get(expected, "separator")));
    snprintf(program + strlen(program), sizeof program - strlen(program), ") { }");
    snprintf(image, sizeof image, "f32[%s] scope(%s) sep(%lld)", shape,
             strcmp(scope, "global.texture-weight") == 0 ? "texture:weight" : "texture",
             json_int(json_get(expected, "separator")));
    f = irl_func_run_pass(irl_func_parse(cx, program, strlen(program), "shape"), "lower_textures");
    ok = f && strstr(irl_func_text(f), image) != NULL;
    if (ok) {
        const irl_buffer *flat = irl__flatten_buffer(cx, f->params[0].buffer);
        ok = flat && flat->rank == 2 &&
             irl__is_int(flat->shape[0], json_int(json_get(expected, "height"))) &&
             irl__is_int(flat->shape[1], json_int(json_get(expected, "width")) *
                                             json_int(json_get(expected, "channel")));
    }
    if (!ok) printf("%s\n%s\n", irl_diag_text(cx), f && irl_ok(cx) ? irl_func_text(f) : program);
    irl_ctx_destroy(cx);
    return ok;
}

/* ------------------------------------------------------------------ all of them */

int main(void)
{
    static const recorded_feature features[] = {
        { "vectorize", check_vectorize, 10 },
        { "pointer_value_type_rewrite", check_pointer_types, 4 },
        { "texture_flatten", check_texture, 5 },
        { "texture_tir", check_texture, 6 },
        { "texture_shape", check_texture_shape, 6 },
    };
    return recorded_run((int)(sizeof features / sizeof *features), features);
}
