/* scheduled.c - schedules that follow a function in its text: reads them, and applies one.

   needs     frame.c, steps.c, the parser
   promises  the same as irl_func_parse and irl_schedule_parse of the two texts, with places in the
             one text; a schedule that is not selected is read, but not applied */
#include "schedule.h"

typedef struct irl__stated {
    const char            *name;
    const irl__sched_step *steps;
    int                    count;
} irl__stated;

/* schedule name { step; ... } */
static int irl__stated_parse(irl__parser *p, const irl_func *f, irl__stated *others,
                             irl__stated *out)
{
    const irl_loc where = irl__loc_at(p, p->token.offset);
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the name of the schedule");
    out->name = p->token.symbol->text;
    for (size_t k = 0; k < stbds_arrlenu(others); k++)
        if (others[k].name == out->name)
            return irl__fail(p->cx, IRL_ERROR_DUPLICATE_NAME, where,
                             "there is a schedule '%s' already", out->name);
    irl__next(p);
    size_t scope = irl__scope_open(p);
    int    ok = irl__sched_params(p, f);
    out->steps = ok ? irl__sched_steps_parse(p, &out->count) : NULL;
    irl__scope_close(p, scope);
    return ok && out->count >= 0;
}

/* The one of that name; without a name the first. */
static const irl__stated *irl__stated_find(irl_ctx *cx, irl__stated *all, const char *name)
{
    irl__text t;
    for (size_t k = 0; k < stbds_arrlenu(all); k++)
        if (!name || strcmp(all[k].name, name) == 0) return &all[k];
    irl__text_init(&t, cx);
    for (size_t k = 0; k < stbds_arrlenu(all); k++)
        irl__textf(&t, "%s%s", k ? ", " : ": ", all[k].name);
    if (irl__text_done(&t))
        IRL__FAIL(cx, IRL_ERROR_UNKNOWN_NAME, "there is no schedule '%s' next to the function%s",
                  name, t.length ? irl__text_done(&t) : ", nor any other");
    return NULL;
}

static irl_func *irl__stated_run(irl_func *f, irl__stated *all, const char *name)
{
    if (!irl__verify(f)) return NULL;
    if ((name && !*name) || (!name && !stbds_arrlenu(all))) return f;
    const irl__stated *one = irl__stated_find(f->cx, all, name);
    const irl_func    *typed = one ? irl__func_kinds(f) : NULL;
    return typed ? irl__sched_run(typed, one->steps, one->count) : NULL;
}

irl_func *irl_func_parse_scheduled(irl_ctx *cx, const char *text, size_t length, const char *file,
                                   const char *schedule)
{
    irl__parser  p;
    irl__stated *all = NULL, one;
    if (!irl__parse_begin_code(&p, cx, text, length, file, 1, 0)) return NULL;
    irl_func *f = irl__parse_definitions(&p) ? irl__parse_named_func(&p) : NULL;
    while (f && irl__accept_word(&p, IRL__WORD_SCHEDULE))
        if (!irl__stated_parse(&p, f, all, &one) || !IRL__PUSH_SCRATCH(cx, all, one)) f = NULL;
    if (f && p.token.kind != IRL__TOKEN_END) {
        irl__unexpected(&p, "'schedule' and its name, or the end of the text");
        f = NULL;
    }
    if (f) f = irl__stated_run(f, all, schedule);
    irl__scratch_end(cx, p.mark);
    return f;
}
