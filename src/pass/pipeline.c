/* pipeline.c - the way from a function to its kernels, on one page: a row for each pass, which can
   also run alone; lower.c runs them all.

   requires  a function that the structural verifier accepts
   promises  the verifier accepts the function after every pass; each pass can be run by its name */
#include "pass.h"

/* When irl_func_lower_with runs a stage. */
typedef enum irl__stage_when {
    IRL__ALWAYS,
    IRL__OPTIONAL,  /* without it the result is the same, and slower or harder to read */
    IRL__OF_ITEMS,  /* optional, for a target with work-items, or with vectors of a stated size */
    IRL__OF_LOOPS,  /* for a target whose work-items are loops */
    IRL__IF_WARN,   /* what becomes of an access that is not proved to lie in its buffer, by */
    IRL__IF_REFUSE, /* irl_lower_options.bounds */
    IRL__IF_GUARD,
    IRL__IF_AUTO    /* irl_lower_options.schedule, for a target that schedules are made for */
} irl__stage_when;

typedef struct irl__stage {
    const char     *name;
    irl_pass_level  level;
    irl__stage_when when;
    irl_func *(*run)(const irl_func *f); /* of a function, or of each kernel by itself */
    /* or this; both NULL: the stage changes nothing */
    irl_func *(*run_for)(const irl_func *f, const irl_target *target);
    const char *doc;
    irl_module *(*run_module)(const irl_module *m); /* of a module; NULL: check_target */
} irl__stage;

static irl_func *irl__stage_infer_kinds(const irl_func *f)
{
    return irl__func_copy(f->cx, irl__func_kinds(f));
}

static irl_func *irl__stage_image_sums(const irl_func *f) { return irl__func_image_sums(f, NULL); }

static irl_func *irl__stage_registers(const irl_func *f)
{
    const irl_func *now = irl__pass_registers(f);
    return now ? irl__pass_accumulate(now) : NULL;
}

static const irl__stage irl__stages[] = {
    { "infer_kinds", IRL_PASS_FUNC, IRL__ALWAYS, irl__stage_infer_kinds, NULL,
      "axes of blocks get the kinds that the text leaves out", NULL },
    { "check_parallel", IRL_PASS_FUNC, IRL__ALWAYS, irl__pass_check_parallel, NULL,
      "checks that shared memory is in a group, and that no two iterations of a parallel loop are "
      "proved to conflict", NULL },
    { "image_sums", IRL_PASS_FUNC, IRL__ALWAYS, irl__stage_image_sums, NULL,
      "a sum in an image is computed in plain memory first", NULL },
    { "images_to_arrays", IRL_PASS_FUNC, IRL__OF_LOOPS, irl__pass_images_to_arrays, NULL,
      "images become arrays, because such targets have no images", NULL },
    { "fit_views", IRL_PASS_FUNC, IRL__ALWAYS, irl__pass_fit_views, NULL,
      "checks that views are within their memory: proved, asserted, or refused", NULL },
    { "check_bounds", IRL_PASS_FUNC, IRL__IF_WARN, irl__pass_check_bounds, NULL,
      "an access that leaves its buffer is refused; one that may leave it is reported", NULL },
    { "prove_bounds", IRL_PASS_FUNC, IRL__IF_REFUSE, irl__pass_prove_bounds, NULL,
      "an access that is not proved to be inside its buffer is refused", NULL },
    { "guard_bounds", IRL_PASS_FUNC, IRL__IF_GUARD, irl__pass_guard_bounds, NULL,
      "an access that is not proved to be inside its buffer gets a guard", NULL },
    { "check_blocks", IRL_PASS_FUNC, IRL__ALWAYS, irl__pass_check_blocks, NULL,
      "checks that blocks access the regions that they declare, and write different cells along "
      "spatial axes", NULL },
    { IRL__PASS_SCHEDULE, IRL_PASS_FUNC, IRL__IF_AUTO, NULL, irl__pass_schedule,
      "nests without a schedule are scheduled as by irl_schedule_auto", NULL },
    { "apply_layouts", IRL_PASS_FUNC, IRL__ALWAYS, irl__pass_apply_layouts, NULL,
      "layouts are applied to all accesses; parameters get their shape in memory", NULL },
    { "lower_blocks", IRL_PASS_FUNC, IRL__ALWAYS, irl__pass_lower_blocks, NULL,
      "blocks become plain statements in their loops", NULL },
    { "legalize_bits", IRL_PASS_FUNC, IRL__ALWAYS, NULL, irl__pass_legalize_bits,
      "elements of bits become bytes, shifts and masks", NULL },
    { "parallel", IRL_PASS_FUNC, IRL__IF_AUTO, NULL, irl__pass_parallel,
      "independent iterations over bytes that hold elements of bits become work-items", NULL },
    { "lower_textures", IRL_PASS_FUNC, IRL__ALWAYS, irl__pass_lower_textures, NULL,
      "accesses to images become loads and stores of whole texels", NULL },
    { "flatten", IRL_PASS_FUNC, IRL__ALWAYS, irl__pass_flatten, NULL,
      "buffers get one axis for each group of axes; parameters are accessed through flat "
      "views", NULL },
    { "halves", IRL_PASS_FUNC, IRL__ALWAYS, NULL, irl__pass_halves,
      "operators on halves that the target lacks are computed in f32 and rounded", NULL },
    { "simplify", IRL_PASS_FUNC, IRL__OPTIONAL, irl__pass_simplify, NULL,
      "expressions are simplified", NULL },
    { "vectorize", IRL_PASS_FUNC, IRL__OF_ITEMS, irl__pass_vectorize, NULL,
      "vectorized loops become vectors, or serial loops", NULL },
    { "unswitch", IRL_PASS_FUNC, IRL__OPTIONAL, irl__pass_unswitch, NULL,
      "a condition that all elements of a tile share is evaluated once", NULL },
    { "legalize", IRL_PASS_FUNC, IRL__ALWAYS, NULL, irl__legalize,
      "vectors that the target lacks are split", NULL },
    { "split_host", IRL_PASS_SPLIT, IRL__ALWAYS, NULL, NULL,
      "the function becomes a host function and kernels", NULL },
    { "private_extents", IRL_PASS_KERNEL, IRL__OPTIONAL, irl__pass_private_extents, NULL,
      "memory inside a kernel gets numbers for extents, where they are bounded", NULL },
    { "unroll", IRL_PASS_KERNEL, IRL__OPTIONAL, irl__pass_unroll, NULL,
      "loops that select elements of a private array are unrolled", NULL },
    { "registers", IRL_PASS_KERNEL, IRL__OPTIONAL, irl__stage_registers, NULL,
      "private arrays that are accessed at constant places become variables, and so does an "
      "element that a loop updates", NULL },
    { "legalize_kernel", IRL_PASS_KERNEL, IRL__ALWAYS, NULL, irl__legalize_kernel,
      "each memory gets one type of access if the target allows no more; otherwise it is accessed "
      "by vectors that are proved aligned", NULL },
    { "legalize_lanes", IRL_PASS_KERNEL, IRL__ALWAYS, NULL, irl__legalize_lanes,
      "vectors are built and split in the forms that the target has", NULL },
    { "serialize", IRL_PASS_KERNEL, IRL__OF_LOOPS, irl__pass_serialize, NULL,
      "work-items become loops", NULL },
    { "shared_to_local", IRL_PASS_KERNEL, IRL__OF_LOOPS, irl__pass_shared_to_local, NULL,
      "memory that a group shares becomes private", NULL },
    { "share_arrays", IRL_PASS_KERNEL, IRL__OPTIONAL, irl__pass_share_arrays, NULL,
      "arrays of a kernel that are never needed at the same time share bytes", NULL },
    { "hoist_shared", IRL_PASS_KERNEL, IRL__ALWAYS, NULL, irl__pass_hoist_shared,
      "shared memory allocated in a loop becomes one array, with a barrier between "
      "iterations", NULL },
    { "compute_once", IRL_PASS_KERNEL, IRL__OPTIONAL, NULL, irl__pass_compute_once,
      "a function of floats or a quotient that is the same in all iterations of a loop is computed "
      "before it; except on GPUs, one that two loops compute is stored by the first", NULL },
    { "in_place", IRL_PASS_MODULE, IRL__OPTIONAL, NULL, NULL,
      "a temporary takes the memory of another one that the same launch reads for the last time",
      irl__pass_in_place },
    { "check_target", IRL_PASS_MODULE, IRL__ALWAYS, NULL, NULL,
      "checks that the target can do the result; changes nothing", NULL },
};
/* irl_lower_options.disable has a bit for each. */
typedef char irl__stages_fit_disable[IRL__COUNTOF(irl__stages) <= 64 ? 1 : -1];

/* ------------------------------------------------------------------ the list */

static const irl__stage *irl__stage_at(int k)
{
    return k >= 0 && (size_t)k < IRL__COUNTOF(irl__stages) ? &irl__stages[k] : NULL;
}

const char *irl_pass_name(int k) { return irl__stage_at(k) ? irl__stages[k].name : NULL; }

irl_pass_level irl_pass_level_of(int k)
{
    return irl__stage_at(k) ? irl__stages[k].level : IRL_PASS_FUNC;
}

const char *irl_pass_doc(int k) { return irl__stage_at(k) ? irl__stages[k].doc : ""; }

int irl_pass_is_optional(int k)
{
    return irl__stage_at(k) &&
           (irl__stages[k].when == IRL__OPTIONAL || irl__stages[k].when == IRL__OF_ITEMS);
}

int irl_pass_runs(int k, const irl_target *target, const irl_lower_options *how)
{
    irl_bounds        bounds = how ? how->bounds : IRL_BOUNDS_WARN;
    irl_schedule_kind schedule = how ? how->schedule : IRL_SCHEDULE_AUTO;
    if (!irl__stage_at(k) || !target) return 0;
    if (irl_pass_is_optional(k) && how && (how->disable >> k & 1)) return 0;
    switch (irl__stages[k].when) {
    case IRL__OF_ITEMS: return !target->serial || target->vector_bytes > 0;
    case IRL__OF_LOOPS: return target->serial;
    case IRL__IF_WARN: return bounds == IRL_BOUNDS_WARN;
    case IRL__IF_REFUSE: return bounds == IRL_BOUNDS_REFUSE;
    case IRL__IF_GUARD: return bounds == IRL_BOUNDS_GUARD;
    case IRL__IF_AUTO:
        return schedule == IRL_SCHEDULE_AUTO;
    default: return 1;
    }
}

const char *irl_pass_replacement(const char *name)
{
    static const char *const former[] = { "parallelize", "split_loops", "arrange_loops",
                                          "keep_loops" };
    for (size_t k = 0; name && k < IRL__COUNTOF(former); k++)
        if (strcmp(former[k], name) == 0)
            return "automatic schedules do this with steps (`irlc schedule --auto` prints them), "
                   "and without a schedule loops stay as they are written";
    return "";
}

int irl__pass_number(const char *name)
{
    for (int k = 0; name && irl_pass_name(k); k++)
        if (strcmp(irl_pass_name(k), name) == 0) return k;
    return -1;
}

/* ------------------------------------------------------------------ one stage */

/* Nothing that the verifier looks at was touched, so its answer is known. */
static int irl__stage_kept(const irl_func *before, const irl_func *after)
{
    return after->body == before->body && after->params == before->params &&
           after->layouts == before->layouts;
}

static irl_func *irl__stage_run(const irl__stage *stage, const irl_func *f,
                                const irl_target *target)
{
    irl_func *after = stage->run       ? stage->run(f)
                      : stage->run_for ? stage->run_for(f, target)
                                       : irl__func_copy(f->cx, f);
    f->cx->here = irl__nowhere();
    return irl__ok(f->cx) ? after : NULL;
}

static irl_func *irl__stage_of_func(const irl__stage *stage, const irl_func *f,
                                    const irl_target *target)
{
    irl_func *after = irl__stage_run(stage, f, target);
    return after && (irl__stage_kept(f, after) || irl__verify(after)) ? after : NULL;
}

static irl_module *irl__stage_split(const irl_func *f, const irl_target *target)
{
    irl_module *m = irl__pass_split_host(f, target);
    f->cx->here = irl__nowhere();
    return m && irl__verify_module(m) ? m : NULL;
}

/* Every kernel of m by itself; m is changed. */
static int irl__stage_of_kernels(const irl__stage *stage, irl_module *m, const irl_target *target)
{
    const irl_func **kernels = IRL__COPY(m->cx, const irl_func *, m->kernels, m->kernel_count);
    int kept = 1;
    if (!kernels) return 0;
    for (int k = 0; k < m->kernel_count; k++) {
        kernels[k] = irl__stage_run(stage, m->kernels[k], target);
        if (!kernels[k]) return 0;
        kept &= irl__stage_kept(m->kernels[k], kernels[k]);
    }
    m->kernels = kernels;
    return kept || irl__verify_module(m);
}

static irl_module *irl__stage_of_module(const irl__stage *stage, const irl_module *m)
{
    irl_module *after = stage->run_module(m);
    m->cx->here = irl__nowhere();
    return after && irl__ok(m->cx) && (after->host == m->host || irl__verify_module(after))
               ? after
               : NULL;
}

/* ------------------------------------------------------------------ by name */

/* The stage of that name on one of two levels; NULL with a diagnostic. */
static const irl__stage *irl__stage_find(irl_ctx *cx, const char *name, irl_pass_level one,
                                         irl_pass_level other)
{
    int       k = irl__pass_number(name);
    irl__near nearest;
    if (k >= 0 && (irl__stages[k].level == one || irl__stages[k].level == other))
        return &irl__stages[k];
    if (k >= 0)
        IRL__FAIL(cx, IRL_ERROR_BAD_STAGE, "pass '%s' does not run on %s", name,
                  one == IRL_PASS_FUNC ? "a function" : "a module");
    else if (*irl_pass_replacement(name))
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no pass '%s' any more: %s", name,
                  irl_pass_replacement(name));
    else {
        irl__near_of(&nearest, name ? name : "", irl_pass_name);
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no pass '%s'; irl_pass_name lists them%s",
                  name ? name : "", irl__near_said(&nearest));
    }
    return NULL;
}

irl_func *irl_func_run_pass_for(const irl_func *f, const char *pass, const irl_target *target)
{
    if (!f || !irl__ok(f->cx) || !irl__target_given(f->cx, target) || !irl__verify(f)) return NULL;
    const irl__stage *stage = irl__stage_find(f->cx, pass, IRL_PASS_FUNC, IRL_PASS_KERNEL);
    if (stage) f = irl__func_kinds(f);
    return stage && f ? irl__stage_of_func(stage, f, target) : NULL;
}

irl_func *irl_func_run_pass(const irl_func *f, const char *pass)
{
    return irl_func_run_pass_for(f, pass, &irl_target_opencl12);
}

irl_module *irl_func_split_host(const irl_func *f, const irl_target *target)
{
    if (!f || !irl__ok(f->cx) || !irl__target_given(f->cx, target) || !irl__verify(f)) return NULL;
    f = irl__func_kinds(f);
    return f ? irl__stage_split(f, target) : NULL;
}

irl_module *irl_module_run_pass(const irl_module *m, const char *pass)
{
    const irl_target *target = m ? irl_target_find_in(m->cx, m->target) : NULL;
    if (!m || !irl__ok(m->cx) || !irl__verify_module(m)) return NULL;
    if (!target) return irl__target_unknown(m->cx, irl__nowhere(), m->target), (irl_module *)NULL;
    const irl__stage *stage = irl__stage_find(m->cx, pass, IRL_PASS_KERNEL, IRL_PASS_MODULE);
    irl_module *copy = stage ? IRL__COPY(m->cx, irl_module, m, 1) : NULL;
    if (!copy) return NULL;
    if (stage->run_module) return irl__stage_of_module(stage, copy);
    return (stage->level == IRL_PASS_KERNEL ? irl__stage_of_kernels(stage, copy, target)
                                            : irl__check_target(copy, target, IRL__CHECK_ALL))
               ? copy
               : NULL;
}

int irl__pass_step(int k, const irl_func **f, irl_module **m, const irl_target *target,
                   irl__checked checked)
{
    const irl__stage *stage = &irl__stages[k];
    switch (stage->level) {
    case IRL_PASS_FUNC: return (*f = irl__stage_of_func(stage, *f, target)) != NULL;
    case IRL_PASS_SPLIT: return (*m = irl__stage_split(*f, target)) != NULL;
    case IRL_PASS_KERNEL: return irl__stage_of_kernels(stage, *m, target);
    default:
        if (stage->run_module) return (*m = irl__stage_of_module(stage, *m)) != NULL;
        return irl__check_target(*m, target, checked);
    }
}
