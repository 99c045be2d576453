/* ocl_batch.h - generated functions on a device: the kernels of many are built as one program,
   because a cold program costs a device compiler much more than a kernel does. A batch that goes
   wrong is run again one by one, and what fails is shrunk.

   needs     IRLAYOUT_OCL_RUNTIME, irlayout_ocl.h (in the split build src/ocl/runtime.h),
             generate.h, shrink.h and test.h before it
   promises  every function runs in the interpreter as it is, and lowered on the device, on the same
             data. What is not run is counted with its reason, and the caller bounds the counts:
             what has no form, or one that runs already, is decided by us and passes; what the
             device lacks or does wrong without us is skipped */
#ifndef IRL_OCL_BATCH_H
#define IRL_OCL_BATCH_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include "known_faults.h"
#include "ocl_device.h"

/* Why a function does not run on a device. */
typedef enum batch_reason {
    BATCH_RUNS = 0,
    BATCH_UNSUPPORTED, /* OpenCL C has no form for it: a private array of symbolic size */
    BATCH_PARTIAL,     /* a store that leaves lanes of a texel out, which is refused */
    BATCH_WIDE,        /* an index is not proved to fit 32 bits, and the target has no more */
    BATCH_SAME,        /* its source is one that runs in this batch already, for another target */
    BATCH_DOUBLE,      /* it computes with doubles, and the device has none */
    /* it has images of a format that the device does not list, or that does not work there */
    BATCH_FORMAT,
    /* a fault of the device that known_faults.h names, and that was seen there */
    BATCH_KNOWN,
    BATCH_REASONS
} batch_reason;

static const char *const batch_reasons[] = { "run",
                                             "have no form in OpenCL C",
                                             "store parts of texels",
                                             "need 64-bit indices",
                                             "are the same for two targets",
                                             "need doubles",
                                             "need a format of images that the device has not",
                                             "meet a fault of the device that is known" };

typedef struct experiment experiment;
/* Compares what the device made of the given data with what is expected, in gen_data_equal's place,
   and what else a test asks of the module; 0: wrong, and `why` says it. */
typedef int batch_judge(irl_ocl *cl, experiment *x, const irl_module *m, const gen_data *found);

struct experiment {
    gen_case          c;
    const irl_target *target;
    int               verify; /* the semantic verifier is asked for */
    int               is_lanes; /* of gen_lane_function, whose seeds known_faults.h names */
    gen_data          given, expected;
    irl_module       *module;
    const char       *source;
    batch_reason      reason;
    char              why[160];
    batch_judge      *judge;    /* NULL: gen_data_equal */
    char             *before;   /* the test's own, for `judge`: memory of malloc */
    int               is_rounded; /* likewise */
    int               is_case;  /* the function is the case's, not one that the shrinker made */
};

static int batch_counts[BATCH_REASONS]; /* of the functions that went well */

static int batch_is_skipped(batch_reason reason) { return reason >= BATCH_DOUBLE; }

/* ------------------------------------------------------------------ the device */

static irl_ocl *batch_open(irl_ctx *cx)
{
    irl_ocl *cl = device_open(cx);
    if (cl) cl->pretended.poisons = 1; /* what temporaries share is filled with other numbers */
    return cl;
}

static int batch_has_double(const irl_ocl *cl)
{
    cl_device_fp_config config = 0;
    clGetDeviceInfo(irl_ocl_device(cl), CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL);
    return config != 0;
}

/* ------------------------------------------------------------------ one function */

/* The function of a text under a name of its own, lowered. */
static irl_module *batch_lower(irl_ctx *cx, experiment *x, const irl_func *f, const char *name)
{
    irl_func    *named = irl__func_copy(cx, f);
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.verify = x->verify;
    if (!named || !(named->name = irl__namez(cx, name))) return NULL;
    x->module = irl_func_lower_with(named, x->target, &how);
    x->source = irl_ocl_source(x->module);
    return x->source[0] ? x->module : NULL;
}

static batch_reason batch_reason_of(irl_code code)
{
    switch (code) {
    case IRL_ERROR_UNSUPPORTED: return BATCH_UNSUPPORTED;
    case IRL_ERROR_PARTIAL_TEXEL: return BATCH_PARTIAL;
    case IRL_ERROR_INDEX_WIDTH: return BATCH_WIDE;
    default: return BATCH_RUNS;
    }
}

/* Whether the device's list of formats and one texel of each say that it has the module's
   images. */
static int batch_has_formats(irl_ctx *cx, irl_ocl *cl, experiment *x, irl_mark mark)
{
    const irl_ocl_program *program = irl_ocl_emit(x->module);
    if (!program || irl__runtime_images_ok(cl, x->module, program)) return program != NULL;
    if (!irl_diag_of(cx) || irl_diag_of(cx)->code != IRL_ERROR_IMAGE_FORMAT) return 0;
    irl_ctx_rewind(cx, mark);
    x->reason = BATCH_FORMAT;
    x->module = NULL;
    x->source = NULL;
    return 1;
}

/* Parses and lowers text under a name of its own, and runs the interpreter. `like`: the function of
   the same seed for another target; where their sources are the same, one of them runs. */
static int batch_prepare(irl_ctx *cx, irl_ocl *cl, experiment *x, const char *text, int number,
                         const experiment *like)
{
    irl_mark  mark = irl_ctx_mark(cx);
    irl_func *f = irl_func_parse(cx, text, strlen(text), "generated");
    char      name[32];
    x->module = NULL;
    x->source = NULL;
    x->reason = BATCH_RUNS;
    x->is_case = text == x->c.text;
    if (!f) return 0;
    x->given = gen_data_new(&x->c);
    x->expected = gen_data_copy(&x->given);
    if (!irl_func_interpret(f, gen_arguments(&x->expected))) return 0;
    snprintf(name, sizeof name, "g%d", number);
    if (!batch_lower(cx, x, f, name)) {
        x->reason = irl_diag_of(cx) ? batch_reason_of(irl_diag_of(cx)->code) : BATCH_RUNS;
        if (x->reason) irl_ctx_rewind(cx, mark);
        return x->reason != BATCH_RUNS;
    }
    if (!batch_has_formats(cx, cl, x, mark)) return 0;
    if (x->reason) return 1;
    if (strstr(x->source, "double") && !batch_has_double(cl)) x->reason = BATCH_DOUBLE;
    else if (like && like->source && strcmp(like->source, x->source) == 0) x->reason = BATCH_SAME;
    if (x->reason || !like) return 1;
    snprintf(name, sizeof name, "g%dt%d", number, (int)(x - like));
    return batch_lower(cx, x, f, name) != NULL;
}

static void batch_finish(experiment *x)
{
    gen_data_free(&x->given);
    gen_data_free(&x->expected);
    memset(&x->given, 0, sizeof x->given);
    memset(&x->expected, 0, sizeof x->expected);
}

static int batch_same_on_device(irl_ocl *cl, experiment *x, const irl_module *m)
{
    gen_data data = gen_data_copy(&x->given);
    int ok = irl_ocl_run(cl, m, gen_arguments(&data));
    if (ok && x->judge) ok = x->judge(cl, x, m, &data);
    else if (ok) ok = gen_data_equal(&x->c, &x->expected, &data, 1, x->why, sizeof x->why);
    gen_data_free(&data);
    return ok;
}

/* ----------------------------------------------- one alone, with a device of its own context */

static int batch_alone(experiment *x, const char *text, int show)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = batch_open(cx);
    int      ok;
    x->why[0] = '\0';
    ok = cl && batch_prepare(cx, cl, x, text, 0, NULL) &&
         (x->reason || batch_same_on_device(cl, x, x->module));
    if (!ok && show) {
        printf("seed %lu, target %s: %s\n%s\n", (unsigned long)x->c.seed, x->target->name, x->why,
               irl_diag_text(cx));
        if (irl_ok(cx) && x->source) printf("%s\n", x->source);
    }
    batch_finish(x);
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return ok;
}

static int batch_fails_alone(void *user, const char *text)
{
    experiment x = *(experiment *)user;
    return !batch_alone(&x, text, 0) && x.why[0] != '\0';
}

static void batch_report(experiment *x)
{
    char *small;
    if (batch_alone(x, x->c.text, 0)) {
        printf("seed %lu, target %s, fails in a batch only\n", (unsigned long)x->c.seed,
               x->target->name);
        return;
    }
    small = x->why[0] ? shrink(x->c.text, batch_fails_alone, x) : NULL;
    if (small && strcmp(small, x->c.text) == 0) {
        free(small);
        small = NULL;
    }
    batch_alone(x, small ? small : x->c.text, 1);
    printf("%s\n", small ? small : x->c.text);
    free(small);
}

/* ------------------------------------------------------------------ many in one program */

/* A module with the host function of one and the kernels of all. Each was emitted for its own
   target before; the text does not depend on it, so together they go by the target that allows the
   most. */
static irl_module *batch_with_kernels(irl_ctx *cx, const irl_module *one, int count,
                                      const irl_func *const *kernels)
{
    irl_module *m = (irl_module *)irl__copy(cx, one, 1, sizeof *m);
    if (!m) return NULL;
    m->name = irl__namez(cx, "generated");
    m->target = (&irl_target_opencl12)->name;
    m->kernel_count = count;
    m->kernels = kernels;
    return m;
}

static const irl_func *const *batch_kernels(irl_ctx *cx, int count, const experiment *x, int *total)
{
    const irl_func **list;
    int              k, j, n = 0;
    for (k = 0; k < count; k++) n += x[k].reason ? 0 : x[k].module->kernel_count;
    list = (const irl_func **)irl__alloc_array(cx, (size_t)n, sizeof *list);
    for (*total = n, n = 0, k = 0; list && k < count; k++)
        for (j = 0; !x[k].reason && j < x[k].module->kernel_count; j++)
            list[n++] = x[k].module->kernels[j];
    return list;
}

/* `group` experiments after each other are one seed's, for one target each. */
static int batch_run(irl_ocl *cl, irl_ctx *cx, int count, int group, experiment *x)
{
    const irl_func *const *kernels;
    int                    k, total = 0, ok = 1;
    for (k = 0; ok && k < count; k++)
        ok = batch_prepare(cx, cl, &x[k], x[k].c.text, k / group,
                           k % group ? &x[k - k % group] : NULL);
    kernels = ok ? batch_kernels(cx, count, x, &total) : NULL;
    ok = kernels != NULL;
    for (k = 0; ok && k < count; k++) {
        irl_module *m = x[k].reason ? NULL : batch_with_kernels(cx, x[k].module, total, kernels);
        if (!x[k].reason) ok = m && batch_same_on_device(cl, &x[k], m);
    }
    for (k = 0; k < count; k++) batch_finish(&x[k]);
    return ok;
}

/* Runs the experiments, whose functions and targets are filled in, and gives their functions
   back. */
static void batch(irl_ocl *cl, irl_ctx *cx, int count, int group, experiment *x)
{
    irl_mark mark = irl_ctx_mark(cx);
    int      ok = batch_run(cl, cx, count, group, x), k, failed = test_failed, known = 0;
    if (!irl_ok(cx)) printf("a batch fails: %s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    for (k = 0; k < count; k++) {
        int right = ok || batch_alone(&x[k], x[k].c.text, 0);
        if (!right && x[k].why[0] && x[k].is_lanes && known_fault(x[k].c.seed, batch_open)) {
            printf("seed %lu, target %s, is known to differ: %s\n", (unsigned long)x[k].c.seed,
                   x[k].target->name, x[k].why);
            x[k].reason = BATCH_KNOWN;
            right = 1;
            known++;
        }
        if (batch_is_skipped(x[k].reason)) test_skipped++;
        else if (!CHECK(right) && test_failed <= 5) batch_report(&x[k]);
        batch_counts[x[k].reason]++;
        gen_free(&x[k].c);
        free(x[k].before);
    }
    if (!ok && test_failed == failed && !known) CHECK(!"a batch fails, but none of it alone");
}

enum { BATCH_MOST = 40, BATCH_PART = 100 };

/* Fills in a seed's functions and targets, as many as it has experiments. */
typedef void batch_fill(const irl_ocl *cl, experiment *x, uint64_t seed);

static int batch_part(uint64_t first, int count, int each, int group, batch_fill *fill)
{
    static experiment x[BATCH_MOST];
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_ocl          *cl = batch_open(cx);
    int               done, k, n;
    if (!cl) {
        TEST_NO_DEVICE(cx);
    }
    for (done = 0; cl && done < count; done += n) {
        n = count - done < each ? count - done : each;
        memset(x, 0, sizeof x);
        for (k = 0; k < n; k++) fill(cl, x + k * group, first + (uint64_t)(done + k));
        batch(cl, cx, n * group, group, x);
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return cl != NULL;
}

/* The seeds from `first` on, `each` of them in one program, `group` experiments for each. Devices
   keep what was built until they are closed, so each part of the seeds has a device of its own. 0:
   there is none. */
static int batch_seeds(uint64_t first, int count, int each, int group, batch_fill *fill)
{
    int ran = 1;
    for (; ran && count > 0; first += BATCH_PART, count -= BATCH_PART)
        ran = batch_part(first, count < BATCH_PART ? count : BATCH_PART, each, group, fill);
    return ran;
}

/* One line about what was run. Returns how many functions there were. */
static int batch_summary(void)
{
    int k, sum = 0;
    for (k = 0; k < BATCH_REASONS; k++) sum += batch_counts[k];
    printf("of %d functions %d ran", sum, batch_counts[BATCH_RUNS]);
    for (k = 1; k < BATCH_REASONS; k++)
        if (batch_counts[k]) printf(", %d %s", batch_counts[k], batch_reasons[k]);
    puts("");
    return sum;
}

#endif
