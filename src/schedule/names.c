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
   has the label of the loops around it, which belongs to the first nest in them, or the name of the
   buffer that it writes; what comes behind blocks and nests of that name, with _1, _2 ... behind.
   Where loops with a label hold no nest, the label names the block that they are around, or
   them. */

typedef struct irl__sched_walk irl__sched_walk;
typedef void irl__sched_fn(irl__sched_walk *w, const irl_stmt *s);
struct irl__sched_walk {
    irl__sched_fn  *see;   /* of blocks and loops, in order: nothing else is looked at */
    irl__sched_fn  *leave; /* of loops whose label nothing in them has taken; may be NULL */
    void           *user;
    const irl_stmt *label; /* the loop whose label the next nest takes; NULL: there is none */
};

static int irl__sched_walk_field(void *walk, irl__field_kind kind, const void *at);

static void irl__sched_walk_stmt(irl__sched_walk *w, const irl_stmt *s);

static void irl__sched_walk_loop(irl__sched_walk *w, const irl_stmt *s)
{
    const irl_stmt *outer = w->label;
    const int       has_label = irl__stmt_label(s) != NULL;
    if (has_label) w->label = s;
    w->see(w, s);
    irl__sched_walk_stmt(w, s->u.loop.body);
    if (!has_label) return;
    if (w->label == s && w->leave) w->leave(w, s);
    w->label = outer;
}

/* The recursion is as deep as statements nest. */
static void irl__sched_walk_stmt(irl__sched_walk *w, const irl_stmt *s)
{
    int k;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; k < s->u.seq.count; k++) irl__sched_walk_stmt(w, s->u.seq.stmts[k]);
        break;
    case IRL__FOR: irl__sched_walk_loop(w, s); break;
    case IRL__BLOCK:
        w->see(w, s);
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

static void irl__sched_each(const irl_stmt *body, irl__sched_fn *see, irl__sched_fn *leave,
                            void *user)
{
    irl__sched_walk w;
    w.see = see;
    w.leave = leave;
    w.user = user;
    w.label = NULL;
    irl__sched_walk_stmt(&w, body);
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

/* The label that a nest takes; NULL: it is named after its buffer. */
static const char *irl__sched_take_label(irl__sched_walk *w)
{
    const char *label = w->label ? irl__stmt_label(w->label) : NULL;
    w->label = NULL;
    return label;
}

/* ------------------------------------------------------------------ looking for a name */

/* What has a name, of blocks, of nests, and of loops by their label. */
typedef struct irl__sched_found {
    uint32_t id; /* of the first: the block, or the innermost loop */
    int      count;
} irl__sched_found;

typedef struct irl__sched_search {
    const char      *name;
    size_t           stem;   /* of y_2: how long y is; 0: no number is behind */
    uint64_t         number; /* of y_2: 2 */
    int              seen, seen_of_stem; /* blocks and nests of that name so far */
    irl__sched_found blocks, nests, loops;
    irl__text       *list; /* of all there are, NULL: not asked for */
    int              listed;
} irl__sched_search;

static void irl__sched_list(irl__sched_search *q, const char *name)
{
    if (!q->list || q->listed++ >= 8) return;
    irl__text_puts(q->list, q->listed > 1 ? ", " : "");
    irl__text_puts(q->list, name);
}

static void irl__sched_found_one(irl__sched_found *f, uint32_t id)
{
    if (f->count++ == 0) f->id = id;
}

/* Is it the name that is looked for, by what stands in front of it? */
static int irl__sched_counts(irl__sched_search *q, const char *name)
{
    if (!q->name) return 0;
    if (strcmp(q->name, name) == 0) return q->seen++ == 0;
    if (q->stem != strlen(name) || strncmp(q->name, name, q->stem) != 0) return 0;
    return (uint64_t)q->seen_of_stem++ == q->number;
}

static void irl__sched_see(irl__sched_walk *w, const irl_stmt *s)
{
    irl__sched_search *q = (irl__sched_search *)w->user;
    const irl_stmt    *store = s->kind == IRL__FOR ? irl__sched_store_of(s->u.loop.body) : NULL;
    const char        *label;
    if (s->kind == IRL__BLOCK) {
        irl__sched_list(q, s->u.block->name);
        (void)irl__sched_counts(q, s->u.block->name);
        if (q->name && strcmp(q->name, s->u.block->name) == 0)
            irl__sched_found_one(&q->blocks, s->id);
    }
    if (!store) return;
    label = irl__sched_take_label(w);
    irl__sched_list(q, label ? label : store->u.store.buffer->name);
    if (label ? q->name && strcmp(q->name, label) == 0
              : irl__sched_counts(q, store->u.store.buffer->name))
        irl__sched_found_one(&q->nests, s->id);
}

/* Loops whose label no nest took: the block that they are around, else the innermost of them. */
static void irl__sched_see_label(irl__sched_walk *w, const irl_stmt *s)
{
    irl__sched_search *q = (irl__sched_search *)w->user;
    if (!q->name || strcmp(q->name, irl__stmt_label(s)) != 0) return;
    while (s->u.loop.body->kind == IRL__FOR) s = s->u.loop.body;
    if (s->u.loop.body->kind == IRL__BLOCK) irl__sched_found_one(&q->nests, s->u.loop.body->id);
    else irl__sched_found_one(&q->loops, s->id);
}

static irl__sched_search irl__sched_look(const irl__sched *s, const char *name, irl__text *list)
{
    irl__sched_search q;
    const char       *digits = name ? strrchr(name, '_') : NULL;
    memset(&q, 0, sizeof q);
    q.name = name;
    q.list = list;
    if (digits && digits[1] >= '1' && digits[1] <= '9' && strlen(digits) < 10 &&
        digits[1 + strspn(digits + 1, "0123456789")] == '\0') {
        const char *at = digits + 1;
        q.stem = (size_t)(digits - name);
        for (; *at; at++) q.number = q.number * 10 + (uint64_t)(*at - '0');
    }
    irl__sched_each(s->f->body, irl__sched_see, irl__sched_see_label, &q);
    return q;
}

/* Blocks before nests; 0: neither has the name. */
static irl__sched_found irl__sched_found_of(const irl__sched *s, const char *name)
{
    irl__sched_search q = irl__sched_look(s, name, NULL);
    return q.blocks.count ? q.blocks : q.nests;
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

/* conv.sum: the block conv_sum, which computes a reduction inside of what conv stores; 0: none. */
static uint32_t irl__sched_part(const irl__sched *s, const irl__arg *arg)
{
    char             name[256];
    irl__text        t;
    irl__sched_found found;
    irl__text_init_fixed(&t, name, sizeof name);
    irl__textf(&t, "%s_%s", arg->name, arg->member);
    if (t.failed) return 0;
    found = irl__sched_found_of(s, name);
    return found.count == 1 ? found.id : 0;
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
    if (irl__place_of(s->f->body, irl__sched_part(s, arg), out)) return 1;
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

static void irl__sched_see_loop(irl__sched_walk *w, const irl_stmt *s)
{
    irl__sched_loops *q = (irl__sched_loops *)w->user;
    if (s->kind == IRL__FOR && strcmp(s->u.loop.var->u.name, q->name) == 0 && q->count++ == 0)
        q->id = s->id;
}

static uint32_t irl__sched_loop_alone(const irl__sched *s, const char *name)
{
    irl__sched_loops q;
    memset(&q, 0, sizeof q);
    q.name = name;
    irl__sched_each(s->f->body, irl__sched_see_loop, NULL, &q);
    return q.count == 1 ? q.id : 0;
}

static int irl__sched_find(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    uint32_t          id = irl__sched_named(s, arg->name);
    irl__sched_search q;
    irl__sched_found  found;
    if (!id) {
        q = irl__sched_look(s, arg->name, NULL);
        found = q.blocks.count ? q.blocks : q.nests.count ? q.nests : q.loops;
        if (found.count > 1)
            return irl__fail(s->cx, IRL_ERROR_AMBIGUOUS_NAME, arg->loc,
                             "%d blocks have the name '%s'; a block that is scheduled by name has "
                             "it alone", found.count, arg->name);
        id = found.count ? found.id : arg->member ? irl__sched_part(s, arg)
                                                  : irl__sched_loop_alone(s, arg->name);
        if (!found.count && arg->member && id) return irl__place_of(s->f->body, id, out);
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
        (arg->member || !irl__sched_found_of(s, arg->name).count))
        return 1;
    return irl__fail(s->cx, IRL_ERROR_TYPE_MISMATCH, arg->loc,
                     "'%s' names a block or nest; a loop is wanted, such as %s.i", arg->name,
                     arg->name);
}

int irl__sched_block(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    if (!irl__sched_find(s, arg, out)) return 0;
    if (out->at[out->count - 1]->kind == IRL__BLOCK ||
        (!arg->member && irl__sched_found_of(s, arg->name).count))
        return 1;
    return irl__fail(s->cx, IRL_ERROR_TYPE_MISMATCH, arg->loc,
                     "'%s' names a loop; a block or nest is wanted", arg->name);
}

/* ------------------------------------------------------------------ the name of a nest */

typedef struct irl__sched_naming {
    const irl_stmt *loop;
    const char     *name;            /* its label, or its buffer's name */
    int             count, is_found; /* blocks and nests of that name in front of it */
    int             is_label;
} irl__sched_naming;

static void irl__sched_see_naming(irl__sched_walk *w, const irl_stmt *s)
{
    irl__sched_naming *q = (irl__sched_naming *)w->user;
    const irl_stmt    *store = s->kind == IRL__FOR ? irl__sched_store_of(s->u.loop.body) : NULL;
    const char        *label = store ? irl__sched_take_label(w) : NULL;
    if (s == q->loop && label) q->name = label, q->is_label = 1;
    q->is_found |= s == q->loop;
    if (q->is_found) return;
    if (s->kind == IRL__BLOCK) q->count += strcmp(s->u.block->name, q->name) == 0;
    else if (store && !label) q->count += strcmp(store->u.store.buffer->name, q->name) == 0;
}

const char *irl__sched_nest_name(const irl_func *f, const irl_stmt *loop)
{
    const irl_stmt   *store = irl__sched_store_of(loop->u.loop.body);
    irl__sched_naming q;
    irl__text         name, t;
    memset(&q, 0, sizeof q);
    if (!store) return NULL;
    q.loop = loop;
    q.name = store->u.store.buffer->name;
    irl__sched_each(f->body, irl__sched_see_naming, NULL, &q);
    irl__text_init(&name, f->cx);
    irl__text_puts(&name, q.name);
    if (q.count && !q.is_label) irl__textf(&name, "_%d", q.count);
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
