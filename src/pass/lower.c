/* lower.c - all passes in order: from a function to a module.

   requires  a function that the structural verifier accepts
   promises  the verifier accepts it after every pass; the text after each can be seen; the optional
             ones can be left out, and a program's own run in their places */
#include "pass.h"

/* The function as the schedule that is made for it says. */
static const irl_func *irl__lower_scheduled(const irl_func *f, const irl_target *target,
                                            const irl_lower_options *how)
{
    const char *text;
    if (how->schedule != IRL_SCHEDULE_AUTO) return f;
    text = irl_schedule_auto(f, target);
    f = irl_schedule_parse(f, text, IRL_TO_NUL, "auto");
    text = f && how->after_pass ? irl_func_text(f) : "";
    if (text[0]) how->after_pass(how->user, IRL__PASS_SCHEDULE, text);
    return f;
}

/* What a lowering is made of: the function, or the module that it has become. */
typedef struct irl__lowering {
    const irl_func          *f;
    irl_module              *m;
    const irl_target        *target;
    const irl_lower_options *how;
    int                     *place;   /* of each pass of the program's: in front of which it runs */
    int                      changed; /* one of them changed something */
} irl__lowering;

/* Vectors stay in forms that the target has, whatever a stage does. */
static int irl__lower_is_legal(const irl__lowering *l)
{
    int k;
    for (k = 0; k < l->m->kernel_count; k++)
        if (!irl__target_has_vectors_of(l->target, l->m->kernels[k])) return 0;
    return 1;
}

static int irl__lower_show(const irl__lowering *l, const char *pass)
{
    const char *text;
    if (!l->how->after_pass) return 1;
    text = l->m ? irl_module_text(l->m) : irl_func_text(l->f);
    if (text[0]) l->how->after_pass(l->how->user, pass, text);
    return text[0] != '\0';
}

/* The program's own passes in front of pass k. */
static int irl__lower_own(irl__lowering *l, int k)
{
    int p;
    for (p = 0; p < l->how->pass_count; p++)
        if (l->place[p] == k &&
            (!irl__user_run(&l->how->passes[p], &l->f, &l->m, l->target, k, &l->changed) ||
             !irl__lower_show(l, l->how->passes[p].name)))
            return 0;
    return 1;
}

static int irl__lower_pass(irl__lowering *l, int k)
{
    const int looks = l->how->verify || l->changed;
    if (!irl__lower_own(l, k)) return 0;
    if (!irl_pass_runs(k, l->target, l->how)) return 1;
    if (!irl__pass_step(k, &l->f, &l->m, l->target,
                        l->how->verify ? IRL__CHECK_ALL : IRL__CHECK_IMAGES)) return 0;
    if (looks && k >= irl__pass_number("legalize_lanes") && !irl__lower_is_legal(l))
        return 0;
    return irl__lower_show(l, irl_pass_name(k));
}

static int irl__lower_options_ok(irl_ctx *cx, const irl_lower_options *how)
{
    if ((unsigned)how->bounds > (unsigned)IRL_BOUNDS_GUARD)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                         "irl_lower_options.bounds is %d; it is IRL_BOUNDS_WARN, _REFUSE or _GUARD",
                         (int)how->bounds);
    return (unsigned)how->schedule <= (unsigned)IRL_SCHEDULE_AUTO ||
           irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
                     "irl_lower_options.schedule is %d; it is IRL_SCHEDULE_NONE or _AUTO",
                     (int)how->schedule);
}

irl_module *irl_func_lower_with(const irl_func *f, const irl_target *target,
                                const irl_lower_options *how)
{
    irl_lower_options defaults;
    irl__lowering     l;
    int               k;
    memset(&defaults, 0, sizeof defaults);
    memset(&l, 0, sizeof l);
    if (!f || !irl__ok(f->cx) || !irl__target_given(f->cx, target)) return NULL;
    l.target = target;
    l.how = how ? how : &defaults;
    if (!irl__lower_options_ok(f->cx, l.how)) return NULL;
    if (l.how->pass_count > 0 &&
        !(l.place = (int *)irl__alloc_array(f->cx, (size_t)l.how->pass_count, sizeof *l.place)))
        return NULL;
    if (!irl__user_places(f->cx, l.how, l.place) || !irl__verify(f)) return NULL;
    l.f = irl__lower_scheduled(f, target, l.how);
    if (!l.f) return NULL;
    for (k = 0; irl_pass_name(k); k++)
        if (!irl__lower_pass(&l, k)) return NULL;
    l.m->origin = f;
    return l.m;
}

irl_module *irl_func_lower(const irl_func *f, const irl_target *target)
{
    return irl_func_lower_with(f, target, NULL);
}
