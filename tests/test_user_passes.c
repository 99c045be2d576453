/* test_user_passes.c - passes of the program's own: one that changes nothing changes no module,
   wherever it runs; what goes wrong in one is refused, names it, and is never emitted.

   A seed runs one generated function again: build/split/tests/test_user_passes 17 */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/pass/pass.h"
#endif
#include "experiment.h"
#include "generate_lanes.h"
#include "lanes_targets.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, strlen(text), "test");
}

/* A place for each pass: in front of it, or behind the one before it. */
static irl_pass_desc at_place(int k, int behind,
                              const irl_func *(*run)(void *, const irl_func *, const irl_target *),
                              void *user)
{
    irl_pass_desc pass;
    memset(&pass, 0, sizeof pass);
    pass.name = "mine";
    pass.run = run;
    pass.user = user;
    if (behind && k > 0) pass.after = irl_pass_name(k - 1);
    else pass.before = irl_pass_name(k);
    return pass;
}

static irl_lower_options options_of(const irl_pass_desc *passes, int count)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.passes = passes;
    how.pass_count = count;
    return how;
}

static int pass_count(void)
{
    int k = 0;
    while (irl_pass_name(k)) k++;
    return k;
}

/* ------------------------------------------------------------------ nothing changes */

static const irl_func *returns_it(void *user, const irl_func *f, const irl_target *target)
{
    (void)target;
    if (user) ++*(int *)user;
    return f;
}

static const irl_stmt *copied(irl__rewriter *r, const irl_stmt *s)
{
    irl_stmt *copy = irl__stmt_copy(r->cx, irl__rewrite_stmt_children(r, s));
    return copy ? irl__stmt_finish(r->cx, copy) : NULL;
}

/* Every statement anew. */
static const irl_func *copies_it(void *user, const irl_func *f, const irl_target *target)
{
    irl__rewriter r = irl__rewriter_make(f->cx, NULL, NULL, copied);
    (void)target;
    if (user) ++*(int *)user;
    return irl__rewrite_func(&r, f);
}

/* Through its text, as a program outside of this one would; a kernel has none of its own. */
static const irl_func *reads_it(void *user, const irl_func *f, const irl_target *target)
{
    if (f->role != IRL__PLAIN) return copies_it(user, f, target);
    if (user) ++*(int *)user;
    return parse(f->cx, irl_func_text(f));
}

typedef const irl_func *run_fn(void *, const irl_func *, const irl_target *);
static run_fn *const identities[] = { returns_it, copies_it };

/* Which pass one of the program's stands at, and how. */
typedef struct place {
    const irl_target *target;
    int               k, behind, verify;
    const char       *text; /* what stands in the function, for `injects` */
} place;

static irl_module *lowered_with(const irl_func *f, const place *at, run_fn *run, void *user)
{
    irl_pass_desc     pass = at_place(at->k, at->behind, run, user);
    irl_lower_options how = options_of(&pass, 1);
    how.verify = at->verify;
    return irl_func_lower_with(f, at->target, &how);
}

static int same_everywhere(experiment *x, irl_ctx *cx, const char *text)
{
    place       at = *(const place *)x->about;
    irl_func   *f = parse(cx, text);
    irl_module *plain = irl_func_lower(f, at.target);
    const char *want;
    int         which, ran;
    if (!plain) {
        irl_ctx *other = irl_ctx_create(NULL);
        const irl_diag d = *irl_diag_of(cx);
        irl_module    *m = lowered_with(parse(other, text), &at, returns_it, NULL);
        int same = !m && irl_diag_of(other) && strcmp(irl_diag_of(other)->text, d.text) == 0;
        irl_ctx_destroy(other);
        return same ? 1 : experiment_fail(x, "refused otherwise", "");
    }
    want = irl_module_text(plain);
    for (which = 0; which < COUNT(identities); which++) {
        irl_module *m;
        ran = 0;
        m = lowered_with(f, &at, identities[which], &ran);
        if (!m || strcmp(irl_module_text(m), want) != 0)
            return experiment_fail(x, "another module at ", irl_pass_name(at.k));
        if (ran != (at.k > irl__pass_number("split_host") ? plain->kernel_count : 1))
            return experiment_fail(x, "runs more or less than once at ", irl_pass_name(at.k));
    }
    /* sums are in another order where variables are */
    plain = lowered_with(experiment_begin(x, cx, text), &at, reads_it, NULL);
    return experiment_same(x, NULL, plain, "read again at ", irl_pass_name(at.k));
}

/* -------------------------------------------- something that a target may not have comes in */

/* In front of the body stand the statements of another function, on memory of their own. */
static const irl_func *injects(void *user, const irl_func *f, const irl_target *target)
{
    const place    *at = (const place *)user;
    irl_func       *g = parse(f->cx, at->text);
    const irl_stmt *both[2];
    (void)target;
    if (!g) return NULL;
    both[0] = g->body;
    both[1] = f->body;
    return irl__func_with_body(f, irl__stmt_seq(f->cx, 2, both));
}

typedef struct injection {
    const char *text;
    const char *refused_for; /* a target that refuses it behind the last legalization; NULL */
    irl_code    code;
} injection;

static const injection injections[] = {
    /* widths, forms and indices of vectors */
    { "func g() { alloc z: f32[8] scope(local); z[ramp(0, 1, 5)] = broadcast(1.0f, 5); }",
      "opencl12", IRL_ERROR_UNSUPPORTED },
    { "func g() { alloc z: f32[8] scope(local); z[ramp(0, 1, 4)] = broadcast(1.0f, 4); }",
      "scalar", IRL_ERROR_UNSUPPORTED },
    { "func g() { alloc z: f32[8] scope(local); z[ramp(0, 2, 4)] = broadcast(1.0f, 4); }",
      "opencl12", IRL_ERROR_UNSUPPORTED },
    { "func g() { alloc z: f32[8] scope(local); z[ramp(0, 1, 4)] = broadcast(1.0f, 4); }",
      "c99", IRL_ERROR_UNSUPPORTED },
    { "func g() { alloc z: i32[8] scope(local); z[ramp(0, 1, 4)] = i32x4(ramp(3, 2, 4)); }",
      "opencl12", IRL_ERROR_UNSUPPORTED },
    { "func g() { alloc z: f32[8] scope(local); for (i: 8) z[i] = 0.0f; z[0] = "
      "lane(z[ramp(0, 1, 4)], index(z[1])); }",
      "opencl12", IRL_ERROR_UNSUPPORTED },
    { "func g() { alloc z: f32[8] scope(local); z[ramp(1, 1, 4)] = broadcast(1.0f, 4); }",
      "strict", IRL_ERROR_ALIGNMENT },
    /* types: by the emitter */
    { "func g() { alloc z: i64[8] scope(local); z[0] = 5; }", "opencl12-embedded",
      IRL_ERROR_UNSUPPORTED },
    /* one type of access for each memory */
    { "func g() { alloc z: f32[8] scope(local); decl v: f32x4[2] data(z); z[5] = 1.0f; v[0] = "
      "broadcast(2.0f, 4); }",
      "strict", IRL_ERROR_UNSUPPORTED },
    /* what lowering makes others of: a loop of lanes, a block, an array of two dimensions */
    { "func g() { alloc z: f32[8] scope(local); for vectorized (i: 8) z[i] = 1.0f; }", NULL,
      IRL_OK },
    { "func g() { alloc z: f32[8] scope(local); for (i: 8) block b(v: spatial(8) = i) { z[v] = "
      "1.0f; } }",
      NULL, IRL_OK },
    { "func g() { alloc z: f32[2, 4] scope(local); for (i: 2, j: 4) z[i, j] = 1.0f; }", NULL,
      IRL_OK },
    { "func g() { alloc z: f32[8]; for (i: 8) z[i] = 1.0f; }", NULL, IRL_OK },
    { "func g() { for parallel (i: 8) { alloc z: f32[8] scope(local); z[i] = 1.0f; } }", NULL,
      IRL_OK },
    { "func g() { alloc z: f32[1, 8, 4] scope(texture); for (i: 8, j: 4) z[0, i, j] = 1.0f; }",
      NULL, IRL_OK },
    { "func g() { for bind(group.x) (i: 4) for bind(local.x) (j: 4) { alloc z: f32[4] "
      "scope(shared); z[j] = 1.0f; } }",
      NULL, IRL_OK },
    /* nothing wrong */
    { "func g() { alloc z: f32[8] scope(local); z[3] = 1.0f; }", NULL, IRL_OK },
};

/* What becomes of it: refused with a diagnostic, or a module that its target can do, with the same
   numbers, of which something is emitted or refused. */
static int injected(experiment *x, irl_ctx *cx, const char *text)
{
    place       at = *(const place *)x->about;
    irl_func   *f = experiment_begin(x, cx, text);
    irl_mark    mark = irl_ctx_mark(cx);
    irl_module *m = f ? lowered_with(f, &at, injects, &at) : NULL;
    if (!f) return 0;
    if (!m) {
        int said = irl_diag_of(cx) && irl_diag_of(cx)->code != IRL_ERROR_BAD_ARGUMENT;
        irl_ctx_rewind(cx, mark);
        return said ? 1 : experiment_fail(x, "refused without a reason: ", at.text);
    }
    if (!experiment_same(x, NULL, m, "injected, ", at.text)) {
        /* Loops of a group beside loops of a global axis have no size in common: no emitter takes
           them. Beside stores of texels they race, which nothing proves. */
        irl_code code = irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
        if (code != IRL_ERROR_BAD_STRUCTURE && 
            (code != IRL_ERROR_DATA_RACE || !strstr(at.text, "bind")))
            return 0;
        mark = irl_ctx_mark(cx);
        memset(&cx->diag, 0, sizeof cx->diag);
        if (code == IRL_ERROR_BAD_STRUCTURE && irl_ocl_source(m)[0])
            return experiment_fail(x, "emitted, ", at.text);
    } else (void)(at.target->serial ? irl_c_source(m) : irl_ocl_source(m));
    irl_ctx_rewind(cx, mark);
    return 1;
}

/* A row that names a target is refused there, and the diagnostic names the pass, or is the
   emitter's. */
static void test_refused(void)
{
    int k, emitted;
    for (k = 0; k < COUNT(injections); k++) {
        const injection *row = &injections[k];
        irl_ctx         *cx;
        irl_func        *f;
        irl_module      *m;
        place            at;
        if (!row->refused_for) continue;
        cx = irl_ctx_create(NULL);
        f = parse(cx, "func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i]; }");
        memset(&at, 0, sizeof at);
        at.target = irl_target_find(row->refused_for);
        at.k = irl__pass_number("check_target");
        at.text = row->text;
        m = lowered_with(f, &at, injects, &at);
        emitted = m != NULL;
        CHECK(!irl_ocl_source(m)[0]);
        if (!CHECK(irl_diag_of(cx) && irl_diag_of(cx)->code == row->code &&
                   (strstr(irl_diag_text(cx), "pass 'mine': ") == NULL) == emitted))
            printf("  %s for %s:\n%s\n", row->text, row->refused_for, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ what a pass gives back */

static const irl_func *returns_null(void *user, const irl_func *f, const irl_target *target)
{
    (void)user, (void)f, (void)target;
    return NULL;
}
static const irl_func *refuses(void *user, const irl_func *f, const irl_target *target)
{
    (void)user, (void)target;
    return irl_pass_refuse(f, f->body, "no such thing here");
}
static const irl_func *fails(void *user, const irl_func *f, const irl_target *target)
{
    (void)user, (void)target;
    (void)irl_map_parse(f->cx, "(i) -> (j)");
    return f;
}
static const irl_func *other_context(void *user, const irl_func *f, const irl_target *target)
{
    (void)target;
    return parse((irl_ctx *)user, irl_func_text(f));
}
/* What stands in the text instead of f. */
static const irl_func *another(void *user, const irl_func *f, const irl_target *target)
{
    (void)target;
    return parse(f->cx, (const char *)user);
}
static const irl_func *undeclared(void *user, const irl_func *f, const irl_target *target)
{
    const irl_expr   *i = irl_expr_var(f->cx, "i", irl_type_of(IRL_INDEX, 1));
    const irl_buffer *y = f->params[f->param_count - 1].buffer;
    (void)user, (void)target;
    return irl__func_with_body(
        f, irl_stmt_store(f->cx, y, irl_expr_float(f->cx, irl_type_of(IRL_F32, 1), 0), 1, &i));
}
/* A store of one element at a place, in front of the body. */
static const irl_func *stores_at(void *user, const irl_func *f, const irl_target *target)
{
    const irl_expr   *i = irl_expr_int(f->cx, irl_type_of(IRL_INDEX, 1), *(const int *)user);
    const irl_buffer *y = f->params[f->param_count - 1].buffer;
    const irl_stmt   *both[2];
    (void)target;
    both[0] = irl_stmt_store(f->cx, y, irl_expr_float(f->cx, irl_type_of(IRL_F32, 1), 0), 1, &i);
    both[1] = f->body;
    return irl__func_with_body(f, irl_stmt_seq(f->cx, 2, both));
}

static const char of_ten[] = "func f(x: f32[10], y: f32[10]) attr(made = 1) layout(x: (i) -> (i/4, "
                             "i%4)) { for parallel (i: 10) y[i] = x[i]; }";

typedef struct wrong_row {
    run_fn     *run;
    const char *user;
    irl_code    code;
    const char *part; /* of the message */
} wrong_row;

static const wrong_row wrong_rows[] = {
    { returns_null, NULL, IRL_ERROR_BAD_PASS, "pass 'mine': returned NULL for 'f'" },
    { refuses, NULL, IRL_ERROR_UNSUPPORTED, "pass 'mine': no such thing here" },
    { fails, NULL, IRL_ERROR_UNKNOWN_NAME, "pass 'mine': " },
    { undeclared, NULL, IRL_ERROR_UNDECLARED, "pass 'mine': " },
    { another, "func g(x: f32[10], y: f32[10]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "pass 'mine': returned another function than 'f'" },
    { another, "func f(x: f32[10]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "the number of parameters of 'f'" },
    { another, "func f(x: f32[10], z: f32[10]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "replaced the parameter 'y'" },
    { another, "func f(x: f32[10], y: f32) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "replaced the parameter 'y'" },
    { another, "func f(x: f32[10], y: i32[10]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "gave parameter 'y' another type" },
    { another, "func f(x: f32[10], y: f32[11]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "gave parameter 'y' another shape" },
    { another, "func f(x: f32[10], y: f32[5, 2]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "gave parameter 'y' another shape" },
    { another, "func f(x: f32[10], y: f32[10]) attr(made = 1) { }", IRL_ERROR_BAD_PASS,
      "lost a layout of 'x'" },
    { another, "func f(x: f32[10], y: f32[10]) attr(made = 1) layout(x: (i) -> (9 - i)) { }",
      IRL_ERROR_BAD_PASS, "lost a layout of 'x'" },
    { another, "func f(x: f32[10], y: f32[10]) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "lost the attribute 'made'" },
    { another, "func f(x: f32[10], y: f32[10]) attr(made = 2) layout(x: (i) -> (i/4, i%4)) { }",
      IRL_ERROR_BAD_PASS, "lost the attribute 'made'" },
    { another,
      "func f(x: f32[10], y: f32[10]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { for parallel "
      "(i: 10) y[i * 0] = x[i]; }",
      IRL_ERROR_DATA_RACE, "pass 'mine': " },
    { another,
      "func f(x: f32[10], y: f32[10]) attr(made = 1) layout(x: (i) -> (i/4, i%4)) { for (i: 11) "
      "y[i] = x[0]; }",
      IRL_ERROR_OUT_OF_BOUNDS, "pass 'mine': " },
};

static irl_module *lower_at(irl_ctx *cx, const char *pass, run_fn *run, void *user)
{
    place at;
    memset(&at, 0, sizeof at);
    at.target = &irl_target_opencl12;
    at.k = irl__pass_number(pass);
    return lowered_with(parse(cx, of_ten), &at, run, user);
}

static void test_wrong(void)
{
    int k;
    for (k = 0; k < COUNT(wrong_rows); k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(lower_at(cx, "apply_layouts", wrong_rows[k].run,
                       (void *)(uintptr_t)wrong_rows[k].user) == NULL);
        CHECK_CODE(cx, wrong_rows[k].code);
        if (!CHECK(strstr(irl_diag_text(cx), wrong_rows[k].part)))
            printf("  row %d: %s\n", k, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

/* The same behind the layouts, and in kernels. */
static void test_wrong_later(void)
{
    static int nine = 9, ten = 10;
    irl_ctx   *cx = irl_ctx_create(NULL), *other = irl_ctx_create(NULL);
    irl_mark   mark = irl_ctx_mark(cx);
    CHECK(!lower_at(cx, "infer_kinds", other_context, other));
    CHECK_CODE(cx, IRL_ERROR_BAD_PASS);
    irl_ctx_rewind(cx, mark);
    CHECK(!lower_at(cx, "lower_blocks", another, (void *)(uintptr_t)of_ten)); /* x is f32[3, 4] */
    CHECK_CODE(cx, IRL_ERROR_BAD_PASS);
    CHECK(strstr(irl_diag_text(cx), "lost the layout of parameter 'x'"));
    irl_ctx_rewind(cx, mark);
    CHECK(!lower_at(cx, "unroll", another, (void *)(uintptr_t)of_ten));
    CHECK_CODE(cx, IRL_ERROR_BAD_PASS); /* no kernel */
    irl_ctx_rewind(cx, mark);
    CHECK(!lower_at(cx, "unroll", undeclared, NULL));
    CHECK_CODE(cx, IRL_ERROR_UNDECLARED);
    CHECK(strstr(irl_diag_text(cx), "pass 'mine': "));
    irl_ctx_rewind(cx, mark);
    CHECK(!lower_at(cx, "check_target", stores_at, &ten));
    CHECK_CODE(cx, IRL_ERROR_OUT_OF_BOUNDS);
    CHECK(strstr(irl_diag_text(cx), "pass 'mine': "));
    irl_ctx_rewind(cx, mark);
    CHECK(lower_at(cx, "infer_kinds", stores_at, &nine));
    CHECK_OK(cx);
    irl_ctx_destroy(other);
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ where a pass runs */

typedef struct desc_row {
    const char *name, *before, *after;
    int         runs;
    irl_code    code;
    const char *part;
} desc_row;

static const desc_row desc_rows[] = {
    { NULL, "flatten", NULL, 1, IRL_ERROR_BAD_ARGUMENT, "passes[0] has no name" },
    { "", "flatten", NULL, 1, IRL_ERROR_BAD_ARGUMENT, "passes[0] has no name" },
    { "0123456789012345678901234567890123456789012345678901234567890123456", "flatten", NULL, 1,
      IRL_ERROR_BAD_ARGUMENT, "more than 64 bytes" },
    { "mine", "flatten", NULL, 0, IRL_ERROR_BAD_ARGUMENT, "passes[0].run is NULL" },
    { "mine", NULL, NULL, 1, IRL_ERROR_BAD_ARGUMENT, "pass 'mine' states no place" },
    { "mine", "flatten", "flatten", 1, IRL_ERROR_BAD_ARGUMENT, "states two places" },
    { "mine", "lunch", NULL, 1, IRL_ERROR_BAD_ARGUMENT, "is to run before 'lunch'" },
    { "mine", NULL, "", 1, IRL_ERROR_BAD_ARGUMENT, "is to run after ''" },
    { "mine", NULL, "mine", 1, IRL_ERROR_BAD_ARGUMENT, "is to run after 'mine'" },
    { "mine", NULL, "check_target", 1, IRL_ERROR_BAD_STAGE, "let it run before" },
    { "flatten", "flatten", NULL, 1, IRL_ERROR_DUPLICATE_NAME, "a pass 'flatten' already" },
    { "schedule", "flatten", NULL, 1, IRL_ERROR_DUPLICATE_NAME, "a pass 'schedule' already" },
};

static void test_places(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = parse(cx, of_ten);
    irl_mark          mark = irl_ctx_mark(cx);
    irl_pass_desc     two[2];
    irl_lower_options how;
    int               k;
    for (k = 0; k < COUNT(desc_rows); k++) {
        memset(two, 0, sizeof two);
        two[0].name = desc_rows[k].name;
        two[0].before = desc_rows[k].before;
        two[0].after = desc_rows[k].after;
        two[0].run = desc_rows[k].runs ? returns_it : NULL;
        how = options_of(two, 1);
        CHECK(irl_func_lower_with(f, &irl_target_opencl12, &how) == NULL);
        CHECK_CODE(cx, desc_rows[k].code);
        if (!CHECK(strstr(irl_diag_text(cx), desc_rows[k].part)))
            printf("  row %d: %s\n", k, irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    two[0] = two[1] = at_place(3, 0, returns_it, NULL);
    how = options_of(two, 2);
    CHECK(irl_func_lower_with(f, &irl_target_opencl12, &how) == NULL);
    CHECK_CODE(cx, IRL_ERROR_DUPLICATE_NAME);
    irl_ctx_rewind(cx, mark);
    how = options_of(NULL, 1);
    CHECK(irl_func_lower_with(f, &irl_target_opencl12, &how) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_rewind(cx, mark);
    how = options_of(two, -1);
    CHECK(irl_func_lower_with(f, &irl_target_opencl12, &how) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

static void writes_name(void *user, const char *pass, const char *text)
{
    char *all = (char *)user;
    CHECK(text && *text);
    strcat(all, pass);
    strcat(all, " ");
}

/* In one place the first of the list is the first; a place stays where its pass does not run. */
static void test_order(void)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_pass_desc     list[4];
    irl_lower_options how = options_of(list, 4);
    char              all[2048] = "";
    memset(list, 0, sizeof list);
    list[0].name = "c";
    list[0].after = "image_sums"; /* in front of images_to_arrays, which opencl12 has not */
    list[1].name = "a";
    list[1].before = "infer_kinds";
    list[2].name = "d";
    list[2].before = "images_to_arrays";
    list[3].name = "b";
    list[3].before = "infer_kinds";
    list[0].run = list[1].run = list[2].run = list[3].run = returns_it;
    how.after_pass = writes_name;
    how.user = all;
    CHECK(irl_func_lower_with(parse(cx, of_ten), &irl_target_opencl12, &how) != NULL);
    if (!CHECK(strncmp(all, "a b infer_kinds check_parallel image_sums c d fit_views ", 56) == 0))
        printf("%s\n", all);
    irl_ctx_destroy(cx);
}

/* A pass may lower another function meanwhile, with passes of its own. */
static const irl_func *lowers(void *user, const irl_func *f, const irl_target *target)
{
    irl_pass_desc     pass = at_place(2, 0, returns_it, user);
    irl_lower_options how = options_of(&pass, 1);
    CHECK(irl_func_lower_with(parse(f->cx, of_ten), target, &how) != NULL);
    (void)irl_map_parse(f->cx, "(i) -> (j)");
    return NULL;
}

static void test_nested(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_mark mark = irl_ctx_mark(cx);
    int      ran = 0;
    /* once for the function as it is scheduled, and once as it is written */
    CHECK(lower_at(cx, "flatten", lowers, &ran) == NULL && ran == 2);
    CHECK_CODE(cx, IRL_ERROR_UNKNOWN_NAME);
    CHECK(strstr(irl_diag_text(cx), "error: pass 'mine': "));
    irl_ctx_rewind(cx, mark);
    CHECK(irl_map_parse(cx, "(i) -> (j)") == NULL && !strstr(irl_diag_text(cx), "mine"));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------------------------------ generated */

static void one_seed(uint64_t seed)
{
    int         passes = pass_count(), targets = 0;
    gen_options options;
    gen_case    c;
    place       at;
    memset(&options, 0, sizeof options);
    memset(&at, 0, sizeof at);
    while (irl_target_name(targets)) targets++;
    at.target = irl_target_find(irl_target_name((int)(seed % (uint64_t)targets)));
    at.k = (int)(seed / (uint64_t)targets % (uint64_t)passes);
    at.behind = (int)(seed % 2);
    at.verify = 0;
    c = seed % 3 ? gen_function(seed, options)
                 : lanes_function_for(seed, &lanes_targets[seed / 3 % LANES_TARGETS]);
    experiment_check(&c, same_everywhere, &at, 5);
    at.verify = seed % 5 == 0;
    at.text = injections[seed % (uint64_t)COUNT(injections)].text;
    experiment_check(&c, injected, &at, 5);
    gen_free(&c);
}

int main(int argc, char **argv)
{
    uint64_t seed, first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int      count = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(1000);
    test_places();
    test_order();
    test_nested();
    test_wrong();
    test_wrong_later();
    test_refused();
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) one_seed(seed);
    return TEST_DONE();
}
