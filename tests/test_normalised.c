/* test_normalised.c - small functions over normalised integers give the same bits as they are,
   after every pass, and as modules for every target; the same numbers where images convert.

   usage  test_normalised [FIRST [COUNT]]     seeds; each failing one is shrunk and printed */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "experiment.h"
#include "generate_norm.h"

typedef struct norm_about {
    int has_image;
} norm_about;

/* The same bits in every argument. */
static int norm_same_bits(const gen_data *a, const gen_data *b)
{
    int k;
    for (k = 0; k < a->count; k++)
        if (memcmp(a->bytes[k], b->bytes[k], a->size[k]) != 0) return 0;
    return 1;
}

static int norm_same(experiment *x, const irl_func *f, const irl_module *m, const char *stage,
                     const char *detail)
{
    const norm_about *about = (const norm_about *)x->about;
    gen_data          data = gen_data_copy(&x->given);
    int               ok = f ? irl_func_interpret(f, gen_arguments(&data))
                             : m && irl_module_interpret(m, gen_arguments(&data));
    if (ok && !about->has_image && !norm_same_bits(&x->expected, &data)) {
        gen_data_equal(x->c, &x->expected, &data, 0, x->why, sizeof x->why);
        ok = 0;
    } else if (ok) ok = gen_data_equal(x->c, &x->expected, &data, 0, x->why, sizeof x->why);
    gen_data_free(&data);
    return ok ? 1 : experiment_fail(x, stage, detail);
}

/* GLSL has no texels of 8 or 16 lanes, and says so. */
static int norm_is_too_wide(irl_ctx *cx, const char *name)
{
    const irl_diag *d = irl_diag_of(cx);
    return strcmp(name, "glsl") == 0 && d && d->code == IRL_ERROR_UNSUPPORTED &&
           (strstr(d->message, "vectors of 8 lanes") || strstr(d->message, "vectors of 16 lanes"));
}

static int norm_run_all(experiment *x, irl_ctx *cx, const char *text)
{
    const norm_about *about = (const norm_about *)x->about;
    const irl_func   *f = experiment_begin(x, cx, text), *g = f;
    const char       *name;
    int               k;
    for (k = 0; g && (name = irl_pass_name(k)) != NULL; k++) {
        if (!TEST_PASS(k)) continue;
        g = irl_func_run_pass(g, name);
        if (!norm_same(x, g, NULL, "after ", name)) return 0;
    }
    for (k = 0; f && (name = irl_target_name(k)) != NULL; k++) {
        irl_mark          mark = irl_ctx_mark(cx);
        const irl_module *m;
        if (about->has_image && strcmp(name, "scalar") == 0) continue; /* it has none */
        m = irl_func_lower(f, irl_target_find(name));
        if (!m && norm_is_too_wide(cx, name)) {
            irl_ctx_rewind(cx, mark);
            continue;
        }
        if (!norm_same(x, NULL, m, "module for ", name)) return 0;
    }
    return f != NULL;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seed;
    int      count = getenv("IRL_SOAK") ? 20000 : TEST_COUNT(600);
    if (argc > 1) count = argc > 2 ? atoi(argv[2]) : 1;
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        norm_about about;
        gen_case   c = norm_function(seed, 1, &about.has_image);
        experiment_check(&c, norm_run_all, &about, 5);
        gen_free(&c);
    }
    return TEST_DONE();
}
