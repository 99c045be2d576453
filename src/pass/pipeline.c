/* pipeline.c - the way from a function to its kernels, on one page.

   requires  a function that the structural verifier accepts
   promises  the verifier accepts it after every pass; the text after each pass can be seen;
             optional passes can be left out */
#include "pass.h"

typedef struct irl__pass_row {
    const char *name;
    irl_func *(*run)(const irl_func *f);
    int         is_optional; /* without it the result is the same, and slower or harder to read */
    int         is_for_kernels; /* it runs on every kernel by itself, when there are kernels */
} irl__pass_row;

static const irl__pass_row irl__passes[] = {
    /* views lie within their memory: proved, asserted, or refused */
    { "fit_views", irl__pass_fit_views, 0, 0 },
    /* what leaves its buffer is refused; what may is said */
    { "check_bounds", irl__pass_check_bounds, 0, 0 },
    /* accesses go through the layouts; parameters get their ABI shape */
    { "apply_layouts", irl__pass_apply_layouts, 0, 0 },
    { "lower_blocks", irl__pass_lower_blocks, 0, 0 },   /* blocks become loops' plain bodies */
    /* loops whose iterations are independent are marked */
    { "parallelize", irl__pass_parallelize, 1, 0 },
    /* loops that a layout divides are split, so that indices need no division */
    { "split_loops", irl__pass_split_loops, 1, 0 },
    /* accesses to images become loads and stores of whole texels */
    { "lower_textures", irl__pass_lower_textures, 0, 0 },
    /* one axis per group; parameters through flat aliases */
    { "flatten", irl__pass_flatten, 0, 0 },
    /* expressions as a person would write them */
    { "simplify", irl__pass_simplify, 1, 0 },
    /* loops that walk memory as one are fused; transposing nests keep a tile */
    { "arrange_loops", irl__pass_arrange_loops, 1, 0 },
    /* vectorized loops become vectors, or serial loops */
    { "vectorize", irl__pass_vectorize, 1, 0 },
    /* tiles make a choice that they share once */
    { "unswitch", irl__pass_unswitch, 1, 0 },
    /* here, for the target, legalize takes vectors apart that it has not, and split_host makes a
       host function and its kernels */
    /* memory inside a kernel gets numbers for extents, where they are bounded */
    { "private_extents", irl__pass_private_extents, 1, 1 },
    /* loops that choose among a private array's elements are written out */
    { "unroll", irl__pass_unroll, 1, 1 },
    /* private arrays that are accessed at constant places become variables */
    { "registers", irl__pass_registers, 1, 1 },
};
/* then legalize gives each kernel views of its memory: of the one type of access that it is seen by
   where the target has no other, of the vectors that are proved aligned where it has. check_target
   says whether the result is what the target can do */

/* for a target whose work-items are loops */
static const irl__pass_row irl__to_loops = { "serialize", irl__pass_serialize, 0, 1 },
                           irl__to_private = { "shared_to_local", irl__pass_shared_to_local, 0, 1 };

/* What becomes of an access that is not proved to lie in its buffer, by irl_lowering.bounds: the
   first stands among the passes above. */
static const irl__pass_row irl__bounds_passes[] = {
    { "check_bounds", irl__pass_check_bounds, 0, 0 }, /* a note */
    { "prove_bounds", irl__pass_prove_bounds, 0, 0 }, /* a failure */
    { "guard_bounds", irl__pass_guard_bounds, 0, 0 }, /* it happens only where it does */
};

const char *irl_pass_name(int k)
{
    return k >= 0 && (size_t)k < IRL__COUNTOF(irl__passes) ? irl__passes[k].name : NULL;
}

int irl_pass_is_optional(int k) { return irl_pass_name(k) && irl__passes[k].is_optional; }

static const irl__pass_row *irl__pass_find(const char *name)
{
    size_t k;
    for (k = 0; name && k < IRL__COUNTOF(irl__passes); k++)
        if (strcmp(irl__passes[k].name, name) == 0) return &irl__passes[k];
    for (k = 1; name && k < IRL__COUNTOF(irl__bounds_passes); k++)
        if (strcmp(irl__bounds_passes[k].name, name) == 0) return &irl__bounds_passes[k];
    return NULL;
}

/* Nothing that the verifier looks at was touched, so its answer is known. */
static int irl__pass_kept(const irl_func *before, const irl_func *after)
{
    return after->body == before->body && after->params == before->params &&
           after->layouts == before->layouts;
}

static irl_func *irl__pass_verified(const irl_func *before, irl_func *after)
{
    before->cx->here = irl__nowhere();
    if (!after || !irl__ok(before->cx)) return NULL;
    return irl__pass_kept(before, after) || irl__verify(after) ? after : NULL;
}

static irl_func *irl__pass_run(const irl__pass_row *pass, const irl_func *f)
{
    return irl__pass_verified(f, pass->run(f));
}

irl_func *irl_run_pass(const irl_func *f, const char *pass)
{
    const irl__pass_row *row = irl__pass_find(pass);
    if (!f || !irl__ok(f->cx) || !irl__verify(f)) return NULL;
    if (!row) {
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                  "there is no pass '%s'; irl_pass_name lists them", pass ? pass : "");
        return NULL;
    }
    return irl__pass_run(row, f);
}

static void irl__pass_show(const irl_lowering *how, const char *pass, const char *text)
{
    if (how->after_pass && text) how->after_pass(how->user, pass, text);
}

/* Runs the rows for functions, or one for kernels, that are not left out. */
static int irl__pass_runs(const irl_lowering *how, size_t k, int for_kernels)
{
    return irl__passes[k].is_for_kernels == for_kernels &&
           !(irl__passes[k].is_optional && (how->disable >> k) & 1);
}

/* Row k, or what was asked for in its place. */
static const irl__pass_row *irl__pass_chosen(const irl_lowering *how, size_t k)
{
    return irl__passes[k].run == irl__pass_check_bounds ? &irl__bounds_passes[how->bounds]
                                                        : &irl__passes[k];
}

static const irl_func *irl__lower_func(const irl_func *f, const irl_target *target,
                                       const irl_lowering *how)
{
    size_t k;
    if (!irl__check_parallel(f)) return NULL;
    if (target->serial) f = irl__pass_verified(f, irl__pass_images_to_arrays(f));
    if (f && target->serial) irl__pass_show(how, "images_to_arrays", irl_func_text(f));
    for (k = 0; f && k < IRL__COUNTOF(irl__passes); k++) {
        const irl__pass_row *row = irl__pass_chosen(how, k);
        if (!irl__pass_runs(how, k, 0)) continue;
        if (target->serial && irl__passes[k].run == irl__pass_vectorize) continue;
        f = irl__pass_run(row, f);
        if (f && how->after_pass) irl__pass_show(how, row->name, irl_func_text(f));
    }
    if (f) f = irl__pass_verified(f, irl__legalize(f, target));
    if (f && how->after_pass) irl__pass_show(how, "legalize", irl_func_text(f));
    return f;
}

/* Every kernel of m through one pass; NULL is legalize, which looks at the target. */
static int irl__lower_kernels_by(irl_module *m, const irl__pass_row *pass, const irl_target *target,
                                 const irl_lowering *how)
{
    const irl_func **kernels =
        (const irl_func **)irl__copy(m->cx, m->kernels, (size_t)m->kernel_count, sizeof *kernels);
    int              k, kept = 1;
    if (!kernels) return 0;
    for (k = 0; k < m->kernel_count; k++) {
        kernels[k] = pass ? pass->run(m->kernels[k]) : irl__legalize_kernel(m->kernels[k], target);
        m->cx->here = irl__nowhere();
        if (!kernels[k] || !irl__ok(m->cx)) return 0;
        kept &= irl__pass_kept(m->kernels[k], kernels[k]);
    }
    m->kernels = kernels;
    if (!kept && !irl__verify_module(m)) return 0;
    if (how->after_pass) irl__pass_show(how, pass ? pass->name : "legalize", irl_module_text(m));
    return 1;
}

/* The passes for kernels; then views of vectors, or of the one type of access for each memory that
   the target has. */
static int irl__lower_kernels(irl_module *m, const irl_target *target, const irl_lowering *how)
{
    size_t k;
    for (k = 0; k < IRL__COUNTOF(irl__passes); k++)
        if (irl__pass_runs(how, k, 1) && !irl__lower_kernels_by(m, &irl__passes[k], target, how))
            return 0;
    if (!irl__lower_kernels_by(m, NULL, target, how)) return 0;
    return !target->serial || (irl__lower_kernels_by(m, &irl__to_loops, target, how) &&
                               irl__lower_kernels_by(m, &irl__to_private, target, how));
}

irl_module *irl_lower_with(const irl_func *f, const irl_target *target, const irl_lowering *how)
{
    static const irl_lowering defaults = { NULL, NULL, 0, 0, IRL_BOUNDS_WARN };
    const irl_func           *origin = f;
    irl_module               *m;
    if (!f || !irl__ok(f->cx)) return NULL;
    if (!target) {
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                  "no target: irl_target_find knows opencl12, scalar, ...");
        return NULL;
    }
    if (!how) how = &defaults;
    if ((unsigned)how->bounds >= IRL__COUNTOF(irl__bounds_passes)) {
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                  "irl_lowering.bounds is %d; it is IRL_BOUNDS_WARN, _REFUSE or _GUARD",
                  (int)how->bounds);
        return NULL;
    }
    f = irl__verify(f) ? irl__lower_func(f, target, how) : NULL;
    if (!f) return NULL;
    m = irl__pass_split_host(f, target);
    f->cx->here = irl__nowhere();
    if (!m || !irl__verify_module(m)) return NULL;
    m->origin = origin;
    if (how->after_pass) irl__pass_show(how, "split_host", irl_module_text(m));
    return irl__lower_kernels(m, target, how) && irl__check_target(m, target, how->verify) ? m
                                                                                           : NULL;
}

irl_module *irl_lower(const irl_func *f, const irl_target *target)
{
    return irl_lower_with(f, target, NULL);
}
