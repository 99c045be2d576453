/* frame.c - applies a schedule to a function, step by step, and keeps the list of the steps.

   needs     steps.c, kept.c, window.c, regions.c, the primitives
   promises  a step that is refused changes nothing; the function that comes out is verified */
#include "schedule.h"

typedef int irl__primitive_fn(irl__sched *s);
static irl__primitive_fn *const irl__primitive_does[] = {
#define IRL_PRIMITIVE(name, loops, block, sees, takes, gives, example, does, needs) irl__do_##name,
#include "primitives.h"
};

/* ------------------------------------------------------------------ the whole schedule */

enum { IRL__SCHED_STEPS = 4096 }; /* of a schedule, which those of a function are, too */

static int irl__sched_note(irl__sched *s, size_t named)
{
    irl__sched_steps *link = (irl__sched_steps *)irl__alloc(s->cx, sizeof *link);
    irl_func         *f = link ? irl__func_copy(s->cx, s->f) : NULL;
    irl__sched_step  *kept = f ? IRL__COPY(s->cx, irl__sched_step, s->step, 1) : NULL;
    if (!kept) return 0;
    link->before = s->f->steps;
    link->step = kept;
    link->named_count = (int)(stbds_arrlenu(s->named) - named);
    link->named = NULL;
    if (link->named_count) {
        link->named = IRL__COPY(s->cx, irl__sched_name, s->named + named, link->named_count);
        if (!link->named) return 0;
    }
    f->steps = link;
    s->f = f;
    return 1;
}

static int irl__sched_done(const irl__sched_steps *steps)
{
    int count = 0;
    for (; steps; steps = steps->before) count++;
    return count;
}

/* The steps from the oldest on, in scratch memory; *count is -1 on failure. */
static const irl__sched_steps **irl__sched_in_order(irl_ctx *cx, const irl__sched_steps *steps,
                                                    int *count)
{
    const irl__sched_steps *at, **list = NULL;
    int                     k = irl__sched_done(steps);
    if (k) list = IRL__SCRATCH(cx, const irl__sched_steps *, k);
    *count = k && !list ? -1 : k;
    for (at = steps; at && list; at = at->before) list[--k] = at;
    return list;
}

/* What earlier schedules of the function have named, from the oldest on. */
static int irl__sched_remember(irl__sched *s, const irl__sched_steps *steps)
{
    int                      count;
    const irl__sched_steps **list = irl__sched_in_order(s->cx, steps, &count);
    for (int k = 0; k < count; k++)
        for (int j = 0; j < list[k]->named_count; j++)
            if (!IRL__PUSH(s->cx, s->named, list[k]->named[j])) return 0;
    return count >= 0;
}

/* s->p is where stands what the first argument names. */
static int irl__sched_first(irl__sched *s)
{
    switch (s->arg_count ? s->step->primitive->takes[0] : 0) {
    case 'L': return irl__sched_loop(s, &s->args[0], &s->p);
    case 'B': return irl__sched_block(s, &s->args[0], &s->p);
    case 'T': return irl__sched_loop_or_block(s, &s->args[0], &s->p);
    default: return 1;
    }
}

/* A plain nest is a block to every step that wants one: it becomes one. */
static int irl__sched_begin(irl__sched *s)
{
    if (!irl__sched_first(s)) return 0;
    if (!s->step->primitive->block) return 1;
    const irl_stmt *at = irl__place_last(&s->p);
    while (at->kind == IRL__FOR && at->u.loop.body->kind == IRL__FOR) at = at->u.loop.body;
    if (at->kind == IRL__FOR && irl__named_buffer(at) && !irl__named_is_beside(at)) {
        const char *name = irl__sched_nest_name(s->f, at);
        if (!irl__ok(s->cx)) return 0;
        if (name && irl__place_of(s->f->body, at->id, &s->p) && !irl__compose_plain(s, &s->p, name))
            return 0;
        if (!irl__sched_first(s)) return 0;
    }
    return s->step->primitive->takes[0] != 'B' || irl__place_last(&s->p)->kind == IRL__BLOCK ||
           irl__sched_refuse_nest(s, &s->args[0]);
}

static int irl__sched_do_step(irl__sched *s)
{
    const irl_func       *before = s->f;
    const irl__primitive *row = s->step->primitive;
    s->args = s->step->args;
    s->arg_count = s->step->arg_count;
    irl__refused_begin(s->cx);
    if (irl__sched_begin(s) && irl__primitive_does[irl__primitive_number(row)](s) &&
        (s->f = irl__regions_after(s, before, s->f)) != NULL &&
        (s->f = irl__kept_after(before, s->f, row->loops)) != NULL &&
        (s->f = irl__names_after(s, s->f)) != NULL)
        return 1;
    if (!s->f) s->f = before; /* in which a refusal looks for names */
    return 0;
}

/* Names for which there is no result say that another step was meant. */
static int irl__sched_names_fit(irl__sched *s, size_t named)
{
    const int given = (int)(stbds_arrlenu(s->named) - named);
    return given >= s->step->result_count ||
           irl__refuse(s, "%s gives %d result%s here; %d are named", s->step->primitive->name,
                       given, given == 1 ? "" : "s", s->step->result_count);
}

/* The parts of the failure are made, in which memory may run out: then that is the failure. A loop
   that is not named with its block or nest is known by the one in it. */
static void irl__sched_refused(irl__sched *s, int number)
{
    irl__refused  *r = s->cx->refused;
    const irl_diag said = s->cx->diag;
    if (said.code == IRL_OK || said.code == IRL_ERROR_OUT_OF_MEMORY) return;
    memset(&s->cx->diag, 0, sizeof s->cx->diag);
    if (r->loop && !r->parts.block && !r->around) r->around = irl__sched_block_in(s, r->loop);
    irl__refused_end(s->cx, &said, s->step, number);
    if (irl__ok(s->cx)) s->cx->diag = said;
    else s->cx->refusal = NULL;
}

static irl_func *irl__sched_do_steps(const irl_func *f, const irl__sched_step *steps, int count)
{
    irl__sched s;
    const int  done = irl__sched_done(f->steps), room = IRL__SCHED_STEPS - done;
    memset(&s, 0, sizeof s);
    s.cx = f->cx;
    s.f = f;
    if (count > room) { /* the function's steps are printed as one schedule, which must parse */
        irl__fail(f->cx, IRL_ERROR_ILLEGAL_STEP, steps[room].loc,
                  "a schedule has at most %d steps; found %d", IRL__SCHED_STEPS, done + count);
        return NULL;
    }
    if (!irl__sched_remember(&s, f->steps)) return NULL;
    if (count) s.spots = irl__spots_make(f);
    if (!irl__ok(f->cx)) return NULL;
    for (int k = 0; k < count; k++) {
        const size_t named = stbds_arrlenu(s.named);
        s.step = &steps[k];
        s.cx->here = steps[k].loc;
        s.cx->step = steps[k].primitive->name;
        s.cx->step_needs = steps[k].primitive->needs;
        if (!irl__window_do(&s, irl__sched_do_step) || !irl__sched_names_fit(&s, named) ||
            !irl__sched_note(&s, named)) {
            irl__sched_refused(&s, done + k + 1);
            return NULL;
        }
    }
    if (s.spots && !(s.f = irl__window_whole(&s))) return NULL;
    return irl__verify(s.f) ? (irl_func *)irl__func_copy(s.cx, s.f) : NULL;
}

irl_func *irl__sched_run(const irl_func *f, const irl__sched_step *steps, int count)
{
    irl__refused refused;
    f->cx->refusal = NULL;
    f->cx->refused = &refused;
    irl_func *out = irl__sched_do_steps(f, steps, count);
    f->cx->refused = NULL;
    f->cx->here = irl__nowhere();
    f->cx->step = NULL;
    return out;
}

int irl__sched_params(irl__parser *p, const irl_func *f)
{
    for (int k = 0; k < f->param_count; k++)
        if (!f->params[k].buffer &&
            !irl__declare_as_var(p, irl__symbol_of(p, f->params[k].name), f->params[k].var, 0))
            return 0;
    return 1;
}

static irl_func *irl__sched_text(const irl_func *f, const char *text, size_t length,
                                 const char *file, int line, int is_macro)
{
    irl__parser            p;
    const irl__sched_step *steps = NULL;
    irl_func              *out = NULL;
    int                    count = -1;
    if (!f || !irl__ok(f->cx)) return NULL;
    if (!text) {
        IRL__FAIL(f->cx, IRL_ERROR_BAD_ARGUMENT, "there is no schedule");
        return NULL;
    }
    if (length == IRL_TO_NUL) length = strlen(text);
    f->cx->refusal = NULL;
    f = irl__verify(f) ? irl__func_kinds(f) : NULL;
    if (!f) return NULL;
    if (!irl__parse_begin_code(&p, f->cx, text, length, file, line, is_macro)) return NULL;
    if (irl__sched_params(&p, f)) steps = irl__sched_steps_parse(&p, &count);
    if (count >= 0 && p.token.kind != IRL__TOKEN_END) count = irl__unexpected(&p, "the end") - 1;
    if (count >= 0) out = irl__sched_run(f, steps, count);
    irl__scratch_end(f->cx, p.mark);
    return out;
}

irl_func *irl_schedule(const irl_func *f, const irl_source_text *schedule)
{
    return schedule ? irl__sched_text(f, schedule->text, IRL_TO_NUL, schedule->file,
                                      schedule->line, 1)
                    : irl__sched_text(f, NULL, 0, NULL, 1, 1);
}

irl_func *irl_schedule_parse(const irl_func *f, const char *text, size_t length, const char *file)
{
    return irl__sched_text(f, text, length, file, 1, 0);
}

irl_func *irl_schedule_do(const irl_func *f, const char *format, ...)
{
    irl__text t;
    va_list   arguments;
    if (!f || !irl__ok(f->cx)) return NULL;
    if (!format) return irl_schedule_parse(f, NULL, 0, NULL);
    irl__text_init(&t, f->cx);
    irl__text_puts(&t, "{ ");
    va_start(arguments, format);
    irl__textv(&t, format, arguments);
    va_end(arguments);
    irl__text_puts(&t, "; }");
    return irl__text_done(&t) ? irl_schedule_parse(f, irl__text_done(&t), t.length, NULL) : NULL;
}

int irl_schedule_try(const irl_func *f, const char *text, const char **why)
{
    char                    said[1024];
    const irl_step_refusal *parts = NULL;
    irl__text               t;
    if (why) *why = "";
    if (!f || !irl__ok(f->cx)) return 0;
    irl_mark mark = irl_ctx_mark(f->cx);
    int      ok = irl_schedule_parse(f, text, IRL_TO_NUL, NULL) != NULL;
    irl__text_init_fixed(&t, said, sizeof said);
    said[0] = '\0';
    if (!ok) irl__text_puts(&t, irl_diag_text(f->cx));
    irl__arena_mark scratch = irl__scratch_begin(f->cx);
    int             has_parts = !ok && why && f->cx->refusal;
    if (has_parts) parts = irl__refusal_save(f->cx);
    irl_ctx_rewind(f->cx, mark);
    if (has_parts) irl__refusal_restore(f->cx, parts);
    else f->cx->refusal = NULL;
    irl__scratch_end(f->cx, scratch);
    if (ok || !why) return ok;
    irl__text_init(&t, f->cx);
    irl__text_puts(&t, said);
    *why = irl__text_or_empty(irl__text_done(&t));
    return ok;
}

const char *irl_schedule_text(const irl_func *f)
{
    irl__text t;
    if (!f) return "";
    irl__text_init(&t, f->cx);
    irl__text_puts(&t, "{\n");
    irl_ctx                 *cx = f->cx;
    irl__arena_mark          mark = irl__scratch_begin(cx);
    int                      count;
    const irl__sched_steps **list = irl__sched_in_order(cx, f->steps, &count);
    for (int k = 0; k < count; k++) {
        irl__text_puts(&t, "    ");
        irl__sched_step_print(&t, list[k]->step);
        irl__text_putc(&t, '\n');
    }
    irl__scratch_end(cx, mark);
    irl__text_puts(&t, "}\n");
    return irl__text_or_empty(irl__text_done(&t));
}
