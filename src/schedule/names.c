/* names.c - from the names in a schedule to loops and blocks, and back.

   needs     place.c
   promises  a name that means nothing, or two things, is a diagnostic that lists what there is;
             what a step named is known to those behind it until another step replaces it */
#include "schedule.h"

int irl__sched_refuse(irl__sched *s, irl_loc where, const char *format, ...)
{
    char      message[384];
    irl__text t;
    va_list   arguments;
    va_start(arguments, format);
    irl__text_init_fixed(&t, message, sizeof message);
    irl__textv(&t, format, arguments);
    va_end(arguments);
    return irl__fail(s->cx, IRL_ERROR_ILLEGAL_STEP, where, "%s", message);
}

/* ------------------------------------------------------------------ what a name stands for

   A block has its name. A loop nest around one store, outside of blocks, is as good as a block: it
   has the name of the buffer that it writes, and the second such nest that name with _1 behind. */

typedef struct irl__sched_search {
    const char *name;
    uint32_t    id;    /* of the first of that name: the block, or the innermost loop of the nest */
    int         count; /* how many have it */
    irl__text  *list;  /* of all there are, NULL: not asked for */
    int         listed;
    int         nests; /* around a store of the buffer of that name, so far */
} irl__sched_search;

static void irl__sched_meets(irl__sched_search *q, const char *name, uint32_t id)
{
    if (q->list && q->listed++ < 8) {
        irl__text_puts(q->list, q->listed > 1 ? ", " : "");
        irl__text_puts(q->list, name);
    }
    if (q->name && strcmp(name, q->name) == 0 && q->count++ == 0) q->id = id;
}

static void irl__sched_meet_nest(irl__sched_search *q, const irl_stmt *store, const irl_stmt *loop)
{
    const char *buffer = store->u.store.buffer->name;
    size_t      length = strlen(buffer);
    char        suffix[16];
    irl__text   t;
    if (q->list) irl__sched_meets(q, buffer, 0);
    if (!q->name || strncmp(q->name, buffer, length) != 0) return;
    irl__text_init_fixed(&t, suffix, sizeof suffix);
    if (q->nests) irl__textf(&t, "_%d", q->nests);
    suffix[t.length] = '\0';
    q->nests++;
    if (strcmp(q->name + length, suffix) == 0 && q->count++ == 0) q->id = loop->id;
}

/* The one store that a loop's body comes down to, through the conditions around it; NULL: more. */
static const irl_stmt *irl__sched_store_of(const irl_stmt *s)
{
    for (;;) {
        if (s->kind == IRL__ATTR) s = s->u.attr.body;
        else if (s->kind == IRL__IF && !s->u.branch.else_) s = s->u.branch.then_;
        else return s->kind == IRL__STORE ? s : NULL;
    }
}

/* Blocks and loops, in order: nothing else is looked at. */
typedef void irl__sched_fn(void *user, const irl_stmt *s);
typedef struct irl__sched_walk {
    irl__sched_fn *see;
    void          *user;
} irl__sched_walk;

static int irl__sched_walk_field(void *walk, irl__field_kind kind, const void *at);

/* The recursion is as deep as statements nest. */
static void irl__sched_walk_stmt(irl__sched_walk *w, const irl_stmt *s)
{
    int k;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; k < s->u.seq.count; k++) irl__sched_walk_stmt(w, s->u.seq.stmts[k]);
        break;
    case IRL__FOR:
        w->see(w->user, s);
        irl__sched_walk_stmt(w, s->u.loop.body);
        break;
    case IRL__BLOCK:
        w->see(w->user, s);
        irl__fields_each(s, IRL__FIELDS_STMTS, irl__sched_walk_field, w);
        break;
    case IRL__IF:
    case IRL__ATTR: irl__fields_each(s, IRL__FIELDS_STMTS, irl__sched_walk_field, w); break;
    default: break;
    }
}

static int irl__sched_walk_field(void *walk, irl__field_kind kind, const void *at)
{
    const irl_stmt *s = *(const irl_stmt *const *)at;
    (void)kind;
    if (s) irl__sched_walk_stmt((irl__sched_walk *)walk, s);
    return 1;
}

static void irl__sched_each(const irl_stmt *body, irl__sched_fn *see, void *user)
{
    irl__sched_walk w;
    w.see = see;
    w.user = user;
    irl__sched_walk_stmt(&w, body);
}

static void irl__sched_see(void *user, const irl_stmt *s)
{
    irl__sched_search *q = (irl__sched_search *)user;
    const irl_stmt    *store;
    if (s->kind == IRL__BLOCK) irl__sched_meets(q, s->u.block->name, s->id);
    if (s->kind == IRL__FOR) {
        store = irl__sched_store_of(s->u.loop.body);
        if (store) irl__sched_meet_nest(q, store, s);
    }
}

static irl__sched_search irl__sched_look(const irl__sched *s, const char *name, irl__text *list)
{
    irl__sched_search q;
    memset(&q, 0, sizeof q);
    q.name = name;
    q.list = list;
    irl__sched_each(s->f->body, irl__sched_see, &q);
    return q;
}

static int irl__sched_unknown(irl__sched *s, const irl__arg *arg, const char *name)
{
    char      names[200];
    irl__text list;
    irl__text_init_fixed(&list, names, sizeof names);
    names[0] = '\0';
    irl__sched_look(s, NULL, &list);
    return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc,
                     "there is no block, nest or result '%s' in '%s'; there are: %s", name,
                     s->f->name, names[0] ? names : "none");
}

/* ------------------------------------------------------------------ loops and blocks of a name */

static uint32_t irl__sched_named(const irl__sched *s, const char *name)
{
    size_t k;
    for (k = stbds_arrlenu(s->named); k-- > 0;)
        if (strcmp(s->named[k].name, name) == 0) return s->named[k].id;
    return 0;
}

/* conv.i: the loop of that variable around the block, the nest, or inside of the loop conv. */
static int irl__sched_member(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    char      names[200];
    irl__text list;
    int       k;
    irl__text_init_fixed(&list, names, sizeof names);
    names[0] = '\0';
    for (k = out->count; k-- > 0;) {
        const irl_stmt *at = out->at[k];
        if (at->kind != IRL__FOR) continue;
        if (strcmp(at->u.loop.var->u.name, arg->member) == 0) {
            out->count = k + 1;
            return 1;
        }
        irl__textf(&list, "%s%s", list.length ? ", " : "", at->u.loop.var->u.name);
    }
    return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc,
                     "no loop '%s' stands around '%s'; from the inside out there are: %s",
                     arg->member, arg->name, names[0] ? names : "none");
}

/* The loop whose variable has that name, if one alone has. */
typedef struct irl__sched_loops {
    const char *name;
    uint32_t    id;
    int         count;
} irl__sched_loops;

static void irl__sched_see_loop(void *user, const irl_stmt *s)
{
    irl__sched_loops *q = (irl__sched_loops *)user;
    if (s->kind == IRL__FOR && strcmp(s->u.loop.var->u.name, q->name) == 0 && q->count++ == 0)
        q->id = s->id;
}

static uint32_t irl__sched_loop_alone(const irl__sched *s, const char *name)
{
    irl__sched_loops q;
    memset(&q, 0, sizeof q);
    q.name = name;
    irl__sched_each(s->f->body, irl__sched_see_loop, &q);
    return q.count == 1 ? q.id : 0;
}

static int irl__sched_find(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    uint32_t          id = irl__sched_named(s, arg->name);
    irl__sched_search q;
    if (!id) {
        q = irl__sched_look(s, arg->name, NULL);
        if (q.count > 1)
            return irl__fail(s->cx, IRL_ERROR_AMBIGUOUS_NAME, arg->loc,
                             "%d blocks have the name '%s'; a block that is scheduled by name has "
                             "it alone", q.count, arg->name);
        id = q.count ? q.id : arg->member ? 0 : irl__sched_loop_alone(s, arg->name);
    } else if (!irl__place_of(s->f->body, id, out))
        return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc,
                         "'%s' is gone: a later step has replaced what it named", arg->name);
    if (!id || !irl__place_of(s->f->body, id, out)) return irl__sched_unknown(s, arg, arg->name);
    return arg->member ? irl__sched_member(s, arg, out) : 1;
}

int irl__sched_loop_or_block(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    return irl__sched_find(s, arg, out);
}

int irl__sched_loop(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    if (!irl__sched_find(s, arg, out)) return 0;
    if (out->at[out->count - 1]->kind == IRL__FOR &&
        (arg->member || !irl__sched_look(s, arg->name, NULL).count))
        return 1;
    return irl__fail(s->cx, IRL_ERROR_TYPE_MISMATCH, arg->loc,
                     "'%s' names a block or nest; a loop is wanted, such as %s.i", arg->name,
                     arg->name);
}

int irl__sched_block(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    if (!irl__sched_find(s, arg, out)) return 0;
    if (out->at[out->count - 1]->kind == IRL__BLOCK || irl__sched_look(s, arg->name, NULL).count)
        return 1;
    return irl__fail(s->cx, IRL_ERROR_TYPE_MISMATCH, arg->loc,
                     "'%s' names a loop; a block or nest is wanted", arg->name);
}

/* ------------------------------------------------------------------ the name of a nest */

typedef struct irl__sched_naming {
    const irl_stmt   *loop;
    const irl_buffer *buffer;
    int               count, is_found; /* nests of that buffer's name in front of it */
} irl__sched_naming;

static int irl__sched_see_naming(irl__visitor *v, const irl_stmt *s)
{
    irl__sched_naming *q = (irl__sched_naming *)v->user;
    const irl_stmt    *store = s->kind == IRL__FOR ? irl__sched_store_of(s->u.loop.body) : NULL;
    q->is_found |= s == q->loop;
    if (store && !q->is_found && strcmp(store->u.store.buffer->name, q->buffer->name) == 0)
        q->count++;
    return 1;
}

const char *irl__sched_nest_name(const irl_func *f, const irl_stmt *loop)
{
    const irl_stmt   *store = irl__sched_store_of(loop->u.loop.body);
    irl__sched_naming q;
    irl__visitor      v = irl__visitor_make(&q, NULL, irl__sched_see_naming);
    irl__text         name, t;
    memset(&q, 0, sizeof q);
    if (!store) return NULL;
    q.loop = loop;
    q.buffer = store->u.store.buffer;
    irl__visit_stmt(&v, f->body);
    irl__text_init(&name, f->cx);
    irl__text_puts(&name, q.buffer->name);
    if (q.count) irl__textf(&name, "_%d", q.count);
    if (!irl__text_done(&name)) return NULL;
    irl__text_init(&t, f->cx);
    irl__print_symbol(&t, irl__text_done(&name));
    return irl__text_done(&t);
}

/* ------------------------------------------------------------------ results */

const irl_expr *irl__sched_var(irl__sched *s, const irl__sched_step *step, int k, const char *made)
{
    return irl_expr_var(s->cx, k < step->result_count ? step->results[k] : made, irl__type_index());
}

int irl__sched_result(irl__sched *s, const irl__sched_step *step, int k, const irl_stmt *made)
{
    irl__sched_name named;
    if (!made) return 0;
    if (k >= step->result_count) return 1;
    named.name = step->results[k];
    named.id = made->id;
    return IRL__PUSH_SCRATCH(s->cx, s->named, named);
}
