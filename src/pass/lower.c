/* lower.c - all passes in order: from a function to a module.

   requires  a function that the structural verifier accepts
   promises  the verifier accepts the function after every pass; the text after each pass can be
             printed; the optional passes can be left out, and a program's passes run in their
             places; an automatic schedule never makes lowering fail: a function that cannot be
             lowered with it is lowered with parallel loops alone */
#include "pass.h"

/* What a lowering is made of: the function, or the module that it has become. */
typedef struct irl__lowering {
    const irl_func          *f;
    irl_module              *m;
    const irl_func          *written, *scheduled; /* in front of the pass "schedule", behind it */
    const irl_target        *target;
    const irl_lower_options *how;
    int                     *place;   /* of each pass of the program's: in front of which it runs */
    int                      changed; /* one of them changed something */
} irl__lowering;

/* Vectors stay in forms that the target has, whatever a stage does. */
static int irl__lower_is_legal(const irl__lowering *l)
{
    for (int k = 0; k < l->m->kernel_count; k++)
        if (!irl__target_has_vectors_of(l->target, l->m->kernels[k])) return 0;
    return 1;
}

static int irl__lower_show(const irl__lowering *l, const char *pass)
{
    if (!l->how->after_pass) return 1;
    const char *text = l->m ? irl_module_text(l->m) : irl_func_text(l->f);
    if (text[0]) l->how->after_pass(l->how->user, pass, text);
    return text[0] != '\0';
}

static int irl__lower_pass(irl__lowering *l, int k)
{
    const int looks = l->how->verify || l->changed,
              makes = strcmp(irl_pass_name(k), IRL__PASS_SCHEDULE) == 0;
    /* The program's own passes before pass k. */
    for (int p = 0; p < l->how->pass_count; p++)
        if (l->place[p] == k &&
            (!irl__user_run(&l->how->passes[p], &l->f, &l->m, l->target, k, &l->changed) ||
             !irl__lower_show(l, l->how->passes[p].name)))
            return 0;
    if (makes) l->written = l->scheduled = l->f;
    if (!irl_pass_runs(k, l->target, l->how)) return 1;
    if (!irl__pass_step(k, &l->f, &l->m, l->target,
                        l->how->verify ? IRL__CHECK_ALL : IRL__CHECK_IMAGES)) return 0;
    if (makes) l->scheduled = l->f;
    if (looks && k >= irl__pass_number("legalize_lanes") && !irl__lower_is_legal(l))
        return 0;
    return irl__lower_show(l, irl_pass_name(k));
}

/* The passes from number k on. */
static int irl__lower_from(irl__lowering *l, int k)
{
    for (; irl_pass_name(k); k++)
        if (!irl__lower_pass(l, k)) return 0;
    return 1;
}

/* Shows what is written, and why it stays so. */
static void irl__lower_show_written(irl__lowering *l)
{
    irl_ctx  *cx = l->written->cx;
    char      why[160];
    irl__text t;
    irl__text_init_fixed(&t, why, sizeof why);
    irl__text_puts(&t, irl_diag_of(cx)->message);
    memset(&cx->diag, 0, sizeof cx->diag);
    if (!l->how->after_pass) return;
    const char *text =
        irl__format(cx, "// lowered as it is written, because the automatic schedule failed: "
                        "%s\n%s", why, irl_func_text(l->written));
    if (text) l->how->after_pass(l->how->user, IRL__PASS_SCHEDULE, text);
}

/* After a failure of what a schedule was made for: the passes behind it once more, for the function
   as it is written, in which independent loops are parallel. */
static int irl__lower_as_written(irl__lowering *l)
{
    if (!l->scheduled || l->scheduled->body == l->written->body ||
        irl_diag_of(l->written->cx)->code == IRL_ERROR_OUT_OF_MEMORY)
        return 0;
    irl__lower_show_written(l);
    l->scheduled = l->f = irl__pass_parallel(l->written, l->target);
    l->m = NULL;
    return l->f && irl__lower_from(l, irl__pass_number(IRL__PASS_SCHEDULE) + 1);
}

/* Bound loops of more than one iteration; parallel loops of as many as run in lockstep. */
enum { IRL__LOWER_GROUPS = 1, IRL__LOWER_ITEMS = 2, IRL__LOWER_PARALLEL = 4 };

typedef struct irl__lower_loops {
    const irl_target *target;
    int               found;
} irl__lower_loops;

static int irl__lower_see_loop(irl__visitor *v, const irl_stmt *s)
{
    irl__lower_loops *l = (irl__lower_loops *)v->user;
    if (irl__stmt_is_bound(s) && !irl__is_int(s->u.loop.extent, 1))
        l->found |= s->u.loop.axis < IRL_LOCAL_X ? IRL__LOWER_GROUPS : IRL__LOWER_ITEMS;
    if (s->kind == IRL__FOR && s->u.loop.kind == IRL_PARALLEL &&
        (s->u.loop.extent->op != IRL_OP_INT || s->u.loop.extent->u.i >= l->target->subgroup))
        l->found |= IRL__LOWER_PARALLEL;
    return 1;
}

static int irl__lower_loops_of(const irl_stmt *body, const irl_target *target)
{
    irl__lower_loops l = { target, 0 };
    irl__visitor     v = irl__visitor_make(&l, NULL, irl__lower_see_loop);
    irl__visit_stmt(&v, body);
    return l.found;
}

/* Says of a kernel that work-items which run in lockstep are idle: each of several groups has one,
   or one runs nests without a step, of which loops could be parallel. NULL: none are. */
static const char *irl__lower_idle(const irl_func *kernel, const irl_target *target)
{
    const int bound = irl__lower_loops_of(kernel->body, target);
    if (bound & IRL__LOWER_ITEMS) return NULL;
    if (!bound) {
        const irl_func *free = irl__pass_parallel(kernel, target);
        if (!free || !irl__lower_loops_of(free->body, target)) return NULL;
    }
    return irl__format(kernel->cx, "warning: %s kernel '%s' is one work-item, and %d of them run "
                                   "in lockstep on target '%s': all but one are idle. %s",
                       bound ? "each group of" : "all of", kernel->name, target->subgroup,
                       target->name,
                       bound ? "Bind a loop to local.x"
                             : "Bind loops to group.x and local.x; parallel() does so for the "
                               "nests that no step has changed");
}

/* Warns of these kernels. */
static int irl__lower_warn_idle(irl_module *m, const irl_target *target)
{
    for (int k = 0; target->subgroup > 1 && k < m->kernel_count; k++) {
        const irl_note note = { IRL__ATTR_IDLE, NULL, irl__lower_idle(m->kernels[k], target) };
        if (!irl__ok(m->cx)) return 0;
        if (note.text && !(m->host = irl_func_set_attr(m->host, note))) return 0;
    }
    return 1;
}

static int irl__lower_options_ok(irl_ctx *cx, const irl_lower_options *how)
{
    if ((unsigned)how->bounds > (unsigned)IRL_BOUNDS_GUARD)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "irl_lower_options.bounds is %d; it is "
                         "IRL_BOUNDS_WARN, _REFUSE or _GUARD", (int)how->bounds);
    return (unsigned)how->schedule <= (unsigned)IRL_SCHEDULE_NONE ||
           IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "irl_lower_options.schedule is %d; it is "
                     "IRL_SCHEDULE_AUTO or _NONE", (int)how->schedule);
}

irl_module *irl_func_lower_with(const irl_func *f, const irl_target *target,
                                const irl_lower_options *how)
{
    irl_lower_options defaults;
    irl__lowering     l;
    memset(&defaults, 0, sizeof defaults);
    memset(&l, 0, sizeof l);
    if (!f || !irl__ok(f->cx) || !irl__target_given(f->cx, target)) return NULL;
    l.target = target;
    l.how = how ? how : &defaults;
    if (!irl__lower_options_ok(f->cx, l.how)) return NULL;
    if (l.how->pass_count > 0 && !(l.place = IRL__NEW(f->cx, int, l.how->pass_count))) return NULL;
    if (!irl__user_places(f->cx, l.how, l.place) || !irl__verify(f)) return NULL;
    l.f = f;
    if (!irl__lower_from(&l, 0) && !irl__lower_as_written(&l)) return NULL;
    if (!irl__lower_warn_idle(l.m, target)) return NULL;
    l.m->origin = f;
    l.m->scheduled = l.scheduled;
    return l.m;
}

const irl_func *irl_module_scheduled(const irl_module *m) { return m ? m->scheduled : NULL; }

irl_module *irl_func_lower(const irl_func *f, const irl_target *target)
{
    return irl_func_lower_with(f, target, NULL);
}
