/* refusal.c - why a step was refused, as a message and as a struct: what the step is about, two
   accesses in two iterations, the cell, the known names.

   needs     steps.c, to write the step; the verdict on maps; the parts of a meeting (meeting.c)
   promises  what a message says about a meeting or about names is written from this struct; a
             refusal that is made is complete, or memory is out and the failure says so */
#include "schedule.h"

void irl__refused_begin(irl_ctx *cx)
{
    if (cx->refused) memset(cx->refused, 0, sizeof *cx->refused);
}

void irl__refused_of(irl__sched *s, const irl__arg *arg, const irl_stmt *found, int is_loop)
{
    irl__refused *r = s->cx->refused;
    if (is_loop && found->kind == IRL__FOR) {
        if (!r->loop) r->loop = found;
        if (!r->around) r->around = arg->member ? arg->name : NULL;
    } else if (!r->parts.block)
        r->parts.block = found->kind == IRL__BLOCK ? found->u.block->name : arg->name;
}

/* ------------------------------------------------------------------ what shows it */

/* The witness: two accesses that meet, or may; its buffer is the one that the step is refused for.
   False when memory is out. */
static int irl__refused_meeting(irl__sched *s, const irl__accesses *t, const irl__meeting *m)
{
    irl_step_refusal *p = &s->cx->refused->parts;
    if (!irl__meeting_witness(s->cx, t, m, &p->witness)) return 0;
    p->buffer = p->witness.buffer;
    return 1;
}

/* The witness is one access, in no iteration that is known: its text; NULL when memory is out. */
static const char *irl__refused_access(irl__sched *s, const irl__access *a)
{
    irl_step_refusal *p = &s->cx->refused->parts;
    irl_witness      *w = &p->witness;
    memset(w, 0, sizeof *w);
    if (!irl__meeting_access(s->cx, a, &w->access[0])) return NULL;
    p->buffer = w->buffer = w->access[0].buffer;
    return w->access[0].text;
}

const char *irl__refused_advice(irl__sched *s, const char *advice)
{
    return s->cx->refused->parts.advice = advice;
}

/* ------------------------------------------------------------------ to refuse */

/* What a message names becomes a part of the refusal: of several loops, or buffers, the first. */
static void irl__refused_text(irl__sched *s, irl__text *t, const char *format, va_list arguments)
{
    irl__refused      *r = s->cx->refused;
    const irl_stmt    *loop = NULL, *at;
    const irl_buffer  *b;
    const irl__access *a;
    const char        *buffer = NULL, *name;
    for (; *format; format++) {
        switch (*format == '%' ? *++format : 0) {
        case 'L':
            at = va_arg(arguments, const irl_stmt *);
            if (!loop) loop = at;
            irl__text_puts(t, at->u.loop.var->u.name);
            break;
        case 'B':
            b = va_arg(arguments, const irl_buffer *);
            if (!buffer) buffer = b->name;
            irl__text_puts(t, b->name);
            break;
        case 'A': case 'X':
            a = va_arg(arguments, const irl__access *);
            name = irl__refused_access(s, a);
            if (!buffer) buffer = r->parts.buffer;
            if (*format == 'A') name = name && a->buffer ? a->buffer->name : "?";
            irl__text_puts(t, irl__text_or_empty(name));
            break;
        case 'H':
            r->parts.advice = va_arg(arguments, const char *);
            irl__text_puts(t, irl__text_or_empty(r->parts.advice));
            break;
        case 'N': irl__text_puts(t, s->args[0].name); break;
        case 'd': irl__text_int(t, va_arg(arguments, int)); break;
        case 'l': irl__text_int(t, va_arg(arguments, int64_t)); break;
        case 's': irl__text_puts(t, irl__text_or_empty(va_arg(arguments, const char *))); break;
        default: irl__text_putc(t, *format);
        }
    }
    if (loop) r->loop = loop;
    if (buffer) r->parts.buffer = buffer;
}

static int irl__refuse_as(irl__sched *s, irl_loc where, const char *format, va_list arguments)
{
    char      message[384];
    irl__text t;
    irl__text_init_fixed(&t, message, sizeof message);
    irl__refused_text(s, &t, format, arguments);
    return irl__fail(s->cx, IRL_ERROR_ILLEGAL_STEP, where, "%s", message);
}

int irl__refuse(irl__sched *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    irl__refuse_as(s, s->step->loc, format, arguments);
    va_end(arguments);
    return 0;
}

int irl__refuse_at(irl__sched *s, irl_loc where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    irl__refuse_as(s, where, format, arguments);
    va_end(arguments);
    return 0;
}

int irl__refuse_order(irl__sched *s, const irl__access *update, const char *rest)
{
    const irl_buffer *b = update->buffer;
    irl_op            op;
    if (!irl__refused_access(s, update)) return 0;
    if (!irl__update_operator(update, &op) || (op != IRL_OP_MIN && op != IRL_OP_MAX) ||
        !irl__bitfield_is_narrow(b))
        return irl__refuse(s, "the order of the sum would change (%H)%s", "reassociate first",
                           rest);
    return irl__refuse(s, "the order of a %s would change, and its result depends on it: '%s' "
                       "keeps %d bits of each intermediate value. %H%s",
                       op == IRL_OP_MIN ? "min" : "max", b->name, b->bits,
                       irl__reason(s->cx, "Keep intermediate values in a buffer of whole elements, "
                                   "and store the final value in '%s'", b->name), rest);
}

int irl__refuse_meeting_at(irl__sched *s, irl_loc where, const irl__accesses *t,
                           const irl__meeting *m, const char *what, const char *advice)
{
    irl_step_refusal *r = &s->cx->refused->parts;
    irl__text         said;
    if (!irl__ok(s->cx) || !irl__refused_meeting(s, t, m)) return 0;
    r->reason = what;
    r->advice = r->witness.doubt ? NULL : advice;
    irl__text_init(&said, s->cx);
    irl__text_puts(&said, r->reason);
    if (r->witness.doubt) irl__text_puts(&said, ", as far as is known");
    if (r->advice) irl__textf(&said, " (%s)", r->advice);
    irl__text_puts(&said, ": ");
    irl__meeting_said(&said, &r->witness, " are one element");
    return irl__text_done(&said) && irl__refuse_at(s, where, "%s", irl__text_done(&said));
}

int irl__refuse_meeting(irl__sched *s, const irl__accesses *t, const irl__meeting *m,
                        const char *what, const char *advice)
{
    return irl__refuse_meeting_at(s, s->step->loc, t, m, what, advice);
}

/* ------------------------------------------------------------------ a name that there is not */

void irl__there_begin(irl__there *t, irl_ctx *cx, const char *wanted)
{
    t->cx = cx;
    t->wanted = wanted;
    t->names = NULL;
    irl__near_begin(&t->nearest, wanted, strlen(wanted));
}

void irl__there_add(irl__there *t, const char *name)
{
    for (int k = 0; k < (int)stbds_arrlen(t->names); k++)
        if (strcmp(t->names[k], name) == 0) return;
    irl__near_try(&t->nearest, name, strlen(name));
    (void)IRL__PUSH(t->cx, t->names, name);
}

const char *irl__there_refused(irl__there *t, int most)
{
    irl__refused *r = t->cx->refused;
    irl__text     said;
    r->parts.missing = t->wanted;
    r->parts.names = t->names;
    r->parts.name_count = (int)stbds_arrlen(t->names);
    irl__text_init_fixed(&said, r->said, sizeof r->said);
    if (!r->parts.name_count) irl__text_puts(&said, "none");
    for (int k = 0; k < r->parts.name_count && (!most || k < most); k++)
        irl__textf(&said, "%s%s", k ? ", " : "", r->parts.names[k]);
    return r->said;
}

/* ------------------------------------------------------------------ a refusal as it is kept */

typedef void *irl__refusal_room(irl_ctx *cx, size_t count, size_t size);

/* A copy that holds nothing of the first; what is NULL stays so. */
typedef struct irl__refusal_copier {
    irl_ctx           *cx;
    irl__refusal_room *room;
    int                failed;
} irl__refusal_copier;

static void *irl__refusal_bytes(irl__refusal_copier *c, const void *data, size_t count, size_t size)
{
    void *piece = data ? c->room(c->cx, count, size) : NULL;
    if (data && !piece) c->failed = 1;
    if (piece && count) memcpy(piece, data, count * size);
    return piece;
}

static void irl__refusal_string(irl__refusal_copier *c, const char **string)
{
    *string = (const char *)irl__refusal_bytes(c, *string, *string ? strlen(*string) + 1 : 0, 1);
}

static void irl__refusal_values(irl__refusal_copier *c, int count, const irl_named_value **values)
{
    irl_named_value *list =
        (irl_named_value *)irl__refusal_bytes(c, *values, (size_t)count, sizeof *list);
    for (int k = 0; list && k < count; k++) irl__refusal_string(c, &list[k].name);
    *values = list;
}

static const irl_step_refusal *irl__refusal_copy(irl_ctx *cx, const irl_step_refusal *r,
                                                 irl__refusal_room *room)
{
    irl__refusal_copier c;
    const char        **names;
    c.cx = cx;
    c.room = room;
    c.failed = 0;
    irl_step_refusal *out = (irl_step_refusal *)irl__refusal_bytes(&c, r, 1, sizeof *out);
    if (!out) return NULL;
    irl_witness *w = &out->witness;
    const char **strings[] = { &out->step, &out->primitive, &out->argument, &out->block, &out->loop,
                               &out->buffer, &out->reason, &out->missing, &out->advice,
                               &out->remedy, &w->access[0].text, &w->access[0].buffer,
                               &w->access[1].text, &w->access[1].buffer, &w->buffer, &w->doubt };
    for (size_t k = 0; k < IRL__COUNTOF(strings); k++) irl__refusal_string(&c, strings[k]);
    for (int k = 0; k < 2; k++)
        irl__refusal_values(&c, w->access[k].value_count, &w->access[k].values);
    irl__refusal_values(&c, w->parameter_count, &w->parameters);
    w->cell = (const int64_t *)irl__refusal_bytes(&c, w->cell, (size_t)w->cell_rank,
                                                  sizeof *w->cell);
    names = (const char **)irl__refusal_bytes(&c, r->names, (size_t)r->name_count, sizeof *names);
    for (int k = 0; names && k < r->name_count; k++) irl__refusal_string(&c, &names[k]);
    out->names = names;
    return c.failed ? NULL : out;
}

/* The argument in whose place the failure is. */
static const char *irl__refused_argument(irl_ctx *cx, const irl__sched_step *step)
{
    const irl_loc at = cx->failed_at;
    irl__text     t;
    irl__text_init(&t, cx);
    for (int k = 0; at.source && k < step->arg_count; k++)
        if (step->args[k].loc.source == at.source && step->args[k].loc.offset == at.offset) {
            irl__arg_print(&t, &step->args[k]);
            return irl__text_done(&t);
        }
    return NULL;
}

void irl__refused_end(irl_ctx *cx, const irl_diag *said, const irl__sched_step *step, int number)
{
    irl__refused     *r = cx->refused;
    irl_step_refusal *p = &r->parts;
    irl__text         t;
    irl__text_init(&t, cx);
    irl__sched_step_said(&t, step);
    p->step = irl__text_done(&t);
    p->code = said->code;
    p->number = number;
    p->primitive = step->primitive->name;
    p->argument = irl__refused_argument(cx, step);
    p->loop = r->loop ? r->loop->u.loop.var->u.name : NULL;
    if (!p->block) p->block = r->around;
    if (!p->reason) p->reason = said->message;
    p->remedy = said->remedy;
    cx->refusal = irl__refusal_copy(cx, p, irl__alloc_array);
}

const irl_step_refusal *irl__refusal_save(irl_ctx *cx)
{
    return cx->refusal ? irl__refusal_copy(cx, cx->refusal, irl__scratch_alloc) : NULL;
}

void irl__refusal_restore(irl_ctx *cx, const irl_step_refusal *saved)
{
    cx->refusal = saved ? irl__refusal_copy(cx, saved, irl__alloc_array) : NULL;
    if (!cx->refusal)
        IRL__FAIL(cx, IRL_ERROR_OUT_OF_MEMORY, "memory for a refusal was asked for");
}

const irl_step_refusal *irl_schedule_refusal(const irl_ctx *cx) { return cx ? cx->refusal : NULL; }
