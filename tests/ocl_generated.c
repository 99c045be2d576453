/* ocl_generated.c - generated functions give the same numbers on an OpenCL device as in the interpreter.

   usage  ocl_generated [FIRST [COUNT]]     seeds; each failing one is shrunk and printed

   Kernels of many functions are built as one program, because a cold program costs a device compiler much more than a
   kernel does. A batch that goes wrong is run again one by one. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "shrink.h"
#include "test.h"

enum { BATCH = 20 };

typedef struct experiment {
    gen_case    c;
    gen_data    given, expected;
    irl_module *module;
    int         is_unsupported; /* OpenCL C has no form for it: a private array of symbolic size */
    char        why[160];
} experiment;

static int unsupported;

/* ------------------------------------------------------------------ one function */

/* Parses and lowers text under a name of its own, and runs the interpreter. */
static int prepare(irl_ctx *cx, experiment *x, const char *text, int number)
{
    irl_mark  mark = irl_mark_now(cx);
    irl_func *f = irl_parse_func(cx, text, strlen(text), "generated");
    irl_func *named = f ? irl__func_copy(cx, f) : NULL;
    char      name[32];
    snprintf(name, sizeof name, "g%d", number);
    x->module = NULL;
    x->is_unsupported = 0;
    if (!named || !(named->name = irl__namez(cx, name))) return 0;
    x->given = gen_data_new(&x->c);
    x->expected = gen_data_copy(&x->given);
    if (!irl_interpret(named, gen_arguments(&x->expected))) return 0;
    x->module = irl_lower(named, &irl_target_opencl12);
    if (x->module && irl_ocl_source(x->module)) return 1;
    x->is_unsupported = irl_diagnostic(cx) && irl_diagnostic(cx)->code == IRL_ERROR_UNSUPPORTED;
    if (x->is_unsupported) irl_rewind(cx, mark);
    return x->is_unsupported;
}

static void finish(experiment *x)
{
    gen_data_free(&x->given);
    gen_data_free(&x->expected);
    memset(&x->given, 0, sizeof x->given);
    memset(&x->expected, 0, sizeof x->expected);
}

static int same_on_device(irl_ocl *cl, experiment *x, const irl_module *m)
{
    gen_data data = gen_data_copy(&x->given);
    int      ok = irl_ocl_run(cl, m, gen_arguments(&data)) && gen_data_equal(&x->c, &x->expected, &data, 1, x->why, sizeof x->why);
    gen_data_free(&data);
    return ok;
}

/* ------------------------------------------------------------------ one alone, with a device of its own context */

static irl_ocl *open_device(irl_ctx *cx)
{
    irl_ocl_desc desc;
    memset(&desc, 0, sizeof desc);
    if (getenv("IRL_OCLGRIND")) desc.build_options = "-cl-opt-disable"; /* its optimizer makes intrinsics that it does not know */
    return irl_ocl_open(cx, &desc);
}

static int run_alone(experiment *x, const char *text, int show)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = open_device(cx);
    int      ok;
    x->why[0] = '\0';
    ok = cl && prepare(cx, x, text, 0) && (x->is_unsupported || same_on_device(cl, x, x->module));
    if (!ok && show) {
        printf("seed %lu: %s\n%s\n", (unsigned long)x->c.seed, x->why, irl_diag_text(cx));
        if (irl_ok(cx) && x->module) printf("%s\n", irl_ocl_source(x->module));
    }
    finish(x);
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return ok;
}

static int fails_alone(void *user, const char *text)
{
    experiment x;
    memset(&x, 0, sizeof x);
    x.c = ((experiment *)user)->c;
    return !run_alone(&x, text, 0) && x.why[0] != '\0';
}

static void report(experiment *x)
{
    char *small;
    if (run_alone(x, x->c.text, 0)) {
        printf("seed %lu fails in a batch only\n", (unsigned long)x->c.seed);
        return;
    }
    small = x->why[0] ? shrink(x->c.text, fails_alone, x) : NULL;
    run_alone(x, small ? small : x->c.text, 1);
    printf("%s\n", small ? small : x->c.text);
    free(small);
}

/* ------------------------------------------------------------------ many in one program */

/* A module with the host function of one and the kernels of all. */
static irl_module *with_kernels(irl_ctx *cx, const irl_module *one, int count, const irl_func *const *kernels)
{
    irl_module *m = (irl_module *)irl__copy(cx, one, 1, sizeof *m);
    if (!m) return NULL;
    m->name = irl__namez(cx, "generated");
    m->kernel_count = count;
    m->kernels = kernels;
    return m;
}

static const irl_func *const *all_kernels(irl_ctx *cx, int count, const experiment *x, int *total)
{
    const irl_func **list;
    int              k, j, n = 0;
    for (k = 0; k < count; k++) n += x[k].is_unsupported ? 0 : x[k].module->kernel_count;
    list = (const irl_func **)irl__alloc_array(cx, (size_t)n, sizeof *list);
    for (*total = n, n = 0, k = 0; list && k < count; k++)
        for (j = 0; !x[k].is_unsupported && j < x[k].module->kernel_count; j++) list[n++] = x[k].module->kernels[j];
    return list;
}

static int run_batch(irl_ocl *cl, irl_ctx *cx, int count, experiment *x)
{
    const irl_func *const *kernels;
    int                    k, total = 0, ok = 1;
    for (k = 0; ok && k < count; k++) ok = prepare(cx, &x[k], x[k].c.text, k);
    kernels = ok ? all_kernels(cx, count, x, &total) : NULL;
    ok = kernels != NULL;
    for (k = 0; ok && k < count; k++) {
        irl_module *m = x[k].is_unsupported ? NULL : with_kernels(cx, x[k].module, total, kernels);
        unsupported += x[k].is_unsupported;
        if (!x[k].is_unsupported) ok = m && same_on_device(cl, &x[k], m);
    }
    for (k = 0; k < count; k++) finish(&x[k]);
    return ok;
}

static void generated(irl_ocl *cl, irl_ctx *cx, uint64_t first, int count)
{
    static experiment x[BATCH];
    gen_options       options;
    int               done, k, n;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    for (done = 0; done < count; done += n) {
        irl_mark mark = irl_mark_now(cx);
        int      ok;
        n = count - done < BATCH ? count - done : BATCH;
        memset(x, 0, sizeof x);
        for (k = 0; k < n; k++) x[k].c = gen_function(first + (uint64_t)(done + k), options);
        ok = run_batch(cl, cx, n, x);
        irl_rewind(cx, mark);
        for (k = 0; k < n; k++) {
            if (ok) CHECK(ok);
            else if (!CHECK(run_alone(&x[k], x[k].c.text, 0)) && test_failed <= 5) report(&x[k]);
            gen_free(&x[k].c);
        }
        if (!ok && test_failed == 0) CHECK(!"a batch fails, but none of it alone");
    }
}

int main(int argc, char **argv)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = open_device(cx);
    int      count = getenv("IRL_SOAK") ? 2000 : TEST_COUNT(300);
    if (getenv("IRL_OCLGRIND")) count = getenv("IRL_SOAK") ? 2000 : 300;
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    if (cl) {
        generated(cl, cx, argc > 1 ? strtoul(argv[1], NULL, 10) : 1, count);
        printf("of %d functions %d have no form in OpenCL C\n", count, unsupported);
        if (count >= 60) CHECK(unsupported * 20 < count);
    } else {
        CHECK_CODE(cx, IRL_ERROR_NO_DEVICE);
        printf("skipped: %s\n", irl_diag_text(cx));
    }
    irl_ocl_close(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
