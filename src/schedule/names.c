/* names.c - from the names in a schedule to loops and blocks, and back.

   needs     place.c, named.c, spots.c
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

int irl__sched_bounds_are_named(irl__sched *s, irl_loc where, const irl_stmt *loop)
{
    return !((loop->u.loop.min->flags | loop->u.loop.extent->flags) & IRL__HAS_MEMORY) ||
           irl__sched_refuse(s, where, "the bounds of loop '%s' read memory: %s",
                             irl__refused_loop(s, loop),
                             irl__refused_advice(s, "name them with let first"));
}

int irl__sched_refuse_order(irl__sched *s, irl_loc where, const irl__access *update,
                            const char *rest)
{
    const irl_buffer *b = update->buffer;
    irl_op            op;
    if (!irl__refused_access(s, update)) return 0;
    if (!irl__update_operator(update, &op) || (op != IRL_OP_MIN && op != IRL_OP_MAX) ||
        !irl__bitfield_is_narrow(b))
        return irl__sched_refuse(s, where, "the order of the sum would change (%s)%s",
                                 irl__refused_advice(s, "reassociate first"), rest);
    return irl__sched_refuse(s, where, "the order of a %s would change, and its result depends on "
                                       "it: '%s' keeps %d bits of each intermediate value. %s%s",
                             op == IRL_OP_MIN ? "min" : "max", b->name, b->bits,
                             irl__refused_advice(
                                 s, irl__reason(s->cx, "Keep intermediate values in a buffer of "
                                                       "whole elements, and store the final value "
                                                       "in '%s'", b->name)),
                             rest);
}

/* ------------------------------------------------------------------ looking for a name */

typedef struct irl__sched_search {
    const char      *name;
    size_t           stem;   /* of y_2: how long y is; 0: no number is behind */
    uint64_t         number; /* of y_2: 2 */
    int              seen, seen_of_stem; /* blocks, nests and labels of that name so far */
    irl__named_found found[IRL__NAMED_KINDS];
    irl__there      *there; /* all there are, NULL: not asked for */
} irl__sched_search;

/* Is it the name that is looked for, by what stands in front of it? */
static int irl__sched_counts(irl__sched_search *q, const char *name)
{
    if (!q->name) return 0;
    if (strcmp(q->name, name) == 0) return q->seen++ == 0;
    if (q->stem != strlen(name) || strncmp(q->name, name, q->stem) != 0) return 0;
    return (uint64_t)q->seen_of_stem++ == q->number;
}

static void irl__sched_see(void *user, irl__named_kind kind, const char *name, const irl_stmt *s)
{
    irl__sched_search *q = (irl__sched_search *)user;
    const int          is_it = q->name && strcmp(q->name, name) == 0;
    const int          is_next = irl__named_counts(kind) && irl__sched_counts(q, name);
    if (q->there && (kind == IRL__NAMED_AROUND || kind == IRL__NAMED_LOOPS))
        irl__there_add(q->there, name);
    if (q->there && irl__named_counts(kind))
        irl__there_count(q->there, name, kind != IRL__NAMED_LABEL);
    if (kind == IRL__NAMED_NEST ? is_next : is_it) irl__named_found_one(&q->found[kind], s->id);
}

static irl__sched_search irl__sched_search_of(const char *name)
{
    irl__sched_search q;
    const char       *digits = name ? strrchr(name, '_') : NULL;
    memset(&q, 0, sizeof q);
    q.name = name;
    if (digits && digits[1] >= '1' && digits[1] <= '9' && strlen(digits) < 10 &&
        digits[1 + strspn(digits + 1, "0123456789")] == '\0') {
        const char *at = digits + 1;
        q.stem = (size_t)(digits - name);
        for (; *at; at++) q.number = q.number * 10 + (uint64_t)(*at - '0');
    }
    return q;
}

static irl__sched_search irl__sched_look(irl__sched *s, const char *name, irl__there *there)
{
    irl__sched_search q = irl__sched_search_of(name);
    q.there = there;
    if (!there && name && irl__spots_knows(s->spots, s->f))
        irl__spots_look(s->spots, name, q.stem, (int)q.number, q.found);
    else {
        irl__named_each(s->f->body, irl__sched_see, &q);
        s->is_doubtful = 1;
    }
    return q;
}

/* Blocks before nests, which a label names, too; last a nest with a label by its buffer's name; 0:
   none of them has the name. */
static irl__named_found irl__sched_block_of(const irl__sched_search *q)
{
    irl__named_found nests = q->found[IRL__NAMED_NEST], other = q->found[IRL__NAMED_STORES];
    irl__named_found_more(&nests, &q->found[IRL__NAMED_LABEL]);
    irl__named_found_more(&nests, &q->found[IRL__NAMED_AROUND]);
    if (q->found[IRL__NAMED_BLOCK].count) return q->found[IRL__NAMED_BLOCK];
    if (nests.count || q->found[IRL__NAMED_LOOPS].count || q->found[IRL__NAMED_LOOP].count)
        other.count = 0;
    return nests.count ? nests : other;
}

static irl__named_found irl__sched_found_of(irl__sched *s, const char *name)
{
    irl__sched_search q = irl__sched_look(s, name, NULL);
    return irl__sched_block_of(&q);
}

int irl__sched_is_name(irl__sched *s, const char *name)
{
    const irl__sched_search q = irl__sched_look(s, name, NULL);
    int                     k, count = 0;
    for (k = 0; k < IRL__NAMED_KINDS; k++) count += q.found[k].count;
    return count > 0;
}

irl__named_found irl__sched_meaning(irl__sched *s, const char *name)
{
    const irl__sched_search q = irl__sched_look(s, name, NULL);
    const irl__named_found  found = irl__sched_block_of(&q);
    return found.count ? found : q.found[IRL__NAMED_LOOPS];
}

int irl__sched_still_means(irl__sched *s, irl_loc where, const char *name,
                           const irl__named_found *was)
{
    const irl__named_found is = irl__sched_meaning(s, name);
    return (is.count == was->count && (is.count > 1 || is.id == was->id)) ||
           irl__fail(s->cx, IRL_ERROR_DUPLICATE_NAME, where,
                     "'%s' is already the name of another block or nest, which would lose it; "
                     "choose a label that nothing in '%s' has", name, s->f->name);
}

static int irl__sched_unknown(irl__sched *s, const irl__arg *arg, const char *name)
{
    irl__there there;
    irl__there_begin(&there, s->cx, name);
    irl__sched_look(s, NULL, &there);
    return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc,
                     "there is no block, nest or result '%s' in '%s'; there are: %s%s", name,
                     s->f->name, irl__there_refused(&there, 8), irl__near_said(&there.nearest));
}

static int irl__sched_gone(irl__sched *s, const irl__arg *arg)
{
    irl__there there;
    irl__there_begin(&there, s->cx, arg->name);
    irl__there_refused(&there, 0);
    return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc, "'%s' no longer exists: a step has "
                                                              "replaced what it named", arg->name);
}

/* ------------------------------------------------------------------ loops and blocks of a name */

static uint32_t irl__sched_named(const irl__sched *s, const char *name)
{
    for (size_t k = stbds_arrlenu(s->named); k-- > 0;)
        if (strcmp(s->named[k].name, name) == 0) return s->named[k].id;
    return 0;
}

/* conv.sum: the block conv_sum, which computes a reduction inside of what conv stores; 0: none. */
static uint32_t irl__sched_part(irl__sched *s, const irl__arg *arg)
{
    char      name[256];
    irl__text t;
    irl__text_init_fixed(&t, name, sizeof name);
    irl__textf(&t, "%s_%s", arg->name, arg->member);
    if (t.failed) return 0;
    irl__named_found found = irl__sched_found_of(s, name);
    return found.count == 1 ? found.id : 0;
}

/* The loop of `count` that the function's text calls so, where two things in scope have one name;
   -1: none, and *there has been told what there is. */
static int irl__sched_printed(irl__sched *s, const char *name, int count,
                              const irl_stmt *const *loops, irl__there *there)
{
    const irl_expr *vars[IRL_MAX_DEPTH + 2];
    const char     *names[IRL_MAX_DEPTH + 2];
    memset(vars, 0, sizeof vars);
    for (int k = 0; k < count; k++) vars[k] = loops[k]->u.loop.var;
    if (!irl__print_names(s->f, count, vars, names)) return -1;
    s->is_doubtful = 1; /* a part of the body may be printed with other names */
    for (int k = 0; k < count; k++) {
        if (strcmp(names[k], name) == 0) return k;
        irl__there_add(there, names[k]);
    }
    return -1;
}

/* conv.i: the loop of that variable around the block, the nest or the loop conv. */
static int irl__sched_member(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    const irl_stmt *loops[IRL_MAX_DEPTH + 2], *found = out->at[out->count - 1];
    irl__there      there;
    int             k, count = 0, level[IRL_MAX_DEPTH + 2];
    for (k = out->count; k-- > 0;) {
        const irl_stmt *at = out->at[k];
        if (at->kind != IRL__FOR) continue;
        if (strcmp(at->u.loop.var->u.name, arg->member) == 0) {
            out->count = k + 1;
            return 1;
        }
        level[count] = k;
        loops[count++] = at;
    }
    irl__there_begin(&there, s->cx, arg->member);
    k = irl__sched_printed(s, arg->member, count, loops, &there);
    if (k >= 0) {
        out->count = level[k] + 1;
        return 1;
    }
    if (irl__place_of(s->f->body, irl__sched_part(s, arg), out)) return 1;
    irl__refused_of(s, arg, found, 0);
    return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc, "no loop '%s' is around '%s'; from "
                     "the inside out there are: %s%s", arg->member, arg->name,
                     irl__there_refused(&there, 0), irl__near_said(&there.nearest));
}

/* Did a step give the name to a loop? That is no block or nest. */
static int irl__sched_names_loop(irl__sched *s, uint32_t named)
{
    irl__place p;
    return irl__place_of(s->f->body, named, &p) && p.at[p.count - 1]->kind == IRL__FOR;
}

/* What the first name of an argument stands for; 0: nothing. *count: how many things; below 0: so
   many loops. A loop that a step has named goes before a block or nest of the function where a loop
   is wanted (is_loop), and behind it where a block is, or something in it. */
static uint32_t irl__sched_id(irl__sched *s, const irl__arg *arg, int is_loop, int *count)
{
    const uint32_t named = irl__sched_named(s, arg->name);
    *count = 1;
    if (named && (is_loop || !irl__sched_names_loop(s, named))) return named;
    irl__sched_search q = irl__sched_look(s, arg->name, NULL);
    irl__named_found  found = irl__sched_block_of(&q);
    if (named && found.count != 1) return named;
    if (!found.count) found = q.found[IRL__NAMED_LOOPS];
    *count = found.count;
    if (found.count) return found.id;
    if (arg->member) return irl__sched_part(s, arg);
    irl__named_found loop = q.found[IRL__NAMED_LOOP];
    if (loop.count > 1) *count = -loop.count;
    return loop.count == 1 ? loop.id : 0;
}

typedef struct irl__sched_loops {
    irl_ctx         *cx;
    const irl_stmt **loop; /* scratch */
    const irl_expr **var;
} irl__sched_loops;

static void irl__sched_see_loop(void *user, irl__named_kind kind, const char *name,
                                const irl_stmt *s)
{
    irl__sched_loops *q = (irl__sched_loops *)user;
    (void)name;
    if (kind == IRL__NAMED_LOOP && IRL__PUSH_SCRATCH(q->cx, q->loop, s))
        (void)IRL__PUSH_SCRATCH(q->cx, q->var, s->u.loop.var);
}

/* The one loop that the function's text calls so; *count as above. */
static uint32_t irl__sched_printed_loop(irl__sched *s, const char *name, int *count)
{
    irl__sched_loops q;
    const char     **names;
    uint32_t         id = 0;
    q.cx = s->cx;
    q.loop = NULL;
    q.var = NULL;
    irl__named_each(s->f->body, irl__sched_see_loop, &q);
    int all = (int)stbds_arrlen(q.var);
    names = all ? (const char **)irl__scratch_alloc(s->cx, (size_t)all, sizeof *names) : NULL;
    if (!names || !irl__ok(s->cx) || !irl__print_names(s->f, all, q.var, names)) return 0;
    s->is_doubtful = 1;
    for (int k = *count = 0; k < all; k++)
        if (strcmp(names[k], name) == 0) {
            id = q.loop[k]->id;
            --*count;
        }
    if (*count == -1) *count = 1;
    return *count < 0 ? 0 : id;
}

uint32_t irl__sched_id_of(irl__sched *s, const irl__arg *arg)
{
    int count;
    return irl__sched_id(s, arg, 1, &count);
}

uint32_t irl__sched_part_of(irl__sched *s, const irl__arg *arg)
{
    return arg->member ? irl__sched_part(s, arg) : 0;
}

/* The first block or nest in a loop of that name, by which one may say which loop is meant. */
typedef struct irl__sched_example {
    irl__sched *s;
    const char *loop, *found;
} irl__sched_example;

static void irl__sched_see_example(void *user, irl__named_kind kind, const char *name,
                                   const irl_stmt *at)
{
    irl__sched_example *q = (irl__sched_example *)user;
    irl__place          p;
    if (q->found || !irl__named_counts(kind)) return;
    if (kind != IRL__NAMED_BLOCK) name = irl__sched_nest_name(q->s->f, at);
    if (!name || irl__sched_found_of(q->s, name).count != 1 ||
        !irl__place_of(q->s->f->body, at->id, &p))
        return;
    for (int k = p.count; k-- > 0;)
        if (p.at[k]->kind == IRL__FOR && strcmp(p.at[k]->u.loop.var->u.name, q->loop) == 0)
            q->found = name;
}

static int irl__sched_find(irl__sched *s, const irl__arg *arg, int is_loop, irl__place *out)
{
    const uint32_t named = irl__sched_named(s, arg->name);
    int            count;
    uint32_t       id = irl__sched_id(s, arg, is_loop && !arg->member, &count);
    if (!id && is_loop && !arg->member && count >= 0)
        id = irl__sched_printed_loop(s, arg->name, &count);
    if (!irl__ok(s->cx)) return 0;
    if (count > 1)
        return irl__fail(s->cx, IRL_ERROR_AMBIGUOUS_NAME, arg->loc, "%d blocks have the name '%s'; "
                         "a block that is scheduled by name has it alone", count, arg->name);
    if (count < 0) {
        irl__sched_example q;
        q.s = s;
        q.loop = arg->name;
        q.found = NULL;
        irl__named_each(s->f->body, irl__sched_see_example, &q);
        return irl__fail(s->cx, IRL_ERROR_AMBIGUOUS_NAME, arg->loc,
                         "%d loops are called '%s': name one with its block or nest%s%s%s%s",
                         -count, arg->name, q.found ? ", such as " : "", q.found ? q.found : "",
                         q.found ? "." : "", q.found ? arg->name : "");
    }
    if (!id) return irl__sched_unknown(s, arg, arg->name);
    if (!irl__place_of(s->f->body, id, out))
        return named ? irl__sched_gone(s, arg) : irl__sched_unknown(s, arg, arg->name);
    if (!count && arg->member) return 1; /* conv.sum */
    return arg->member ? irl__sched_member(s, arg, out) : 1;
}

int irl__sched_loop_or_block(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    if (!irl__sched_find(s, arg, 1, out)) return 0;
    irl__refused_of(s, arg, out->at[out->count - 1], 1);
    return 1;
}

int irl__sched_loop(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    const char *loop = NULL;
    if (!irl__sched_find(s, arg, 1, out)) return 0;
    if (out->at[out->count - 1]->kind == IRL__FOR &&
        (arg->member || irl__sched_named(s, arg->name) ||
         !irl__sched_found_of(s, arg->name).count ||
         irl__named_is_beside(out->at[out->count - 1]))) {
        irl__refused_of(s, arg, out->at[out->count - 1], 1);
        return 1;
    }
    irl__refused_of(s, arg, out->at[out->count - 1], 0);
    for (int k = 0; k < out->count && !loop; k++)
        if (out->at[k]->kind == IRL__FOR) loop = out->at[k]->u.loop.var->u.name;
    return irl__sched_refuse(s, arg->loc, "'%s' names a block or nest; a loop is expected%s%s%s%s",
                             arg->name, loop ? ", such as " : "", loop ? arg->name : "",
                             loop ? "." : "", loop ? loop : "");
}

int irl__sched_block(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    int is_block;
    if (!irl__sched_find(s, arg, 0, out)) return 0;
    const irl_stmt *at = out->at[out->count - 1];
    is_block = at->kind == IRL__BLOCK || (!arg->member && irl__sched_found_of(s, arg->name).count);
    irl__refused_of(s, arg, at, !is_block);
    return is_block ||
           irl__sched_refuse(s, arg->loc, "'%s' names a loop; a block or nest is expected",
                             arg->name);
}

/* Then the hint is how to get a block: no step makes one of a nest that does not reduce. */
static void irl__sched_needs_block(irl__sched *s)
{
    s->cx->step_needs = "a block with axes: written in the loops, as in "
                        "block y(vi: spatial(8) = i) { y[vi] = x[vi]; }, or made by "
                        "compose_reduction of a nest that stores and then updates";
}

int irl__sched_refuse_nest(irl__sched *s, const irl__arg *arg)
{
    irl__sched_needs_block(s);
    return irl__sched_refuse(s, arg->loc, "'%s' is a nest; a block with axes is expected",
                             arg->name);
}

int irl__sched_refuse_loop(irl__sched *s, const irl__sched_step *step, const irl_stmt *loop)
{
    irl__sched_needs_block(s);
    return irl__sched_refuse(s, step->loc, "the loop '%s' contains something other than a block",
                             irl__refused_loop(s, loop));
}

/* ------------------------------------------------------------------ buffers of a name */

typedef struct irl__sched_buffers {
    const char *wanted;
    int         is_there;
    irl__there *there; /* all there are; NULL: not asked for */
} irl__sched_buffers;

static void irl__sched_try_buffer(irl__sched_buffers *q, const irl_buffer *b)
{
    q->is_there |= strcmp(b->name, q->wanted) == 0;
    if (q->there) irl__there_add(q->there, b->name);
}

static int irl__sched_see_buffer(irl__visitor *v, const irl_stmt *s)
{
    irl__sched_buffers *q = (irl__sched_buffers *)v->user;
    if (s->kind == IRL__ALLOC || s->kind == IRL__DECL) irl__sched_try_buffer(q, irl_stmt_buffer(s));
    for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->alloc_count; k++)
        irl__sched_try_buffer(q, s->u.block->allocs[k]);
    for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->match_count; k++)
        irl__sched_try_buffer(q, s->u.block->matches[k].buffer);
    return 1;
}

static int irl__sched_look_buffers(irl__sched *s, const char *wanted, irl__there *there)
{
    irl__sched_buffers q;
    irl__visitor       v = irl__visitor_make(&q, NULL, irl__sched_see_buffer);
    q.wanted = wanted;
    q.is_there = 0;
    q.there = there;
    for (int k = 0; k < s->f->param_count; k++)
        if (s->f->params[k].buffer) irl__sched_try_buffer(&q, s->f->params[k].buffer);
    irl__visit_stmt(&v, s->f->body);
    return q.is_there;
}

int irl__sched_has_buffer(irl__sched *s, const irl__arg *arg)
{
    irl__there there;
    if (irl__sched_look_buffers(s, arg->name, NULL)) return 1;
    irl__there_begin(&there, s->cx, arg->name);
    irl__sched_look_buffers(s, arg->name, &there);
    return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc,
                     "no buffer of '%s' is called '%s'; there are: %s%s", s->f->name, arg->name,
                     irl__there_refused(&there, 0), irl__near_said(&there.nearest));
}

/* ------------------------------------------------------------------ the name of a nest */

typedef struct irl__sched_naming {
    const irl_stmt *loop;
    const char     *name;            /* its label, or its buffer's name */
    int             count, is_found; /* what has that name in front of it */
    int             is_label;
} irl__sched_naming;

static void irl__sched_see_naming(void *user, irl__named_kind kind, const char *name,
                                  const irl_stmt *s)
{
    irl__sched_naming *q = (irl__sched_naming *)user;
    if (s == q->loop && kind == IRL__NAMED_LABEL) q->name = name, q->is_label = 1;
    q->is_found |= s == q->loop;
    if (!q->is_found && irl__named_counts(kind))
        q->count += strcmp(name, q->name) == 0;
}

/* Does the name find the nest, and not a block of that name, or another nest? */
static int irl__sched_finds(const irl_func *f, const char *name, const irl_stmt *loop)
{
    irl__sched_search q = irl__sched_search_of(name);
    irl__named_each(f->body, irl__sched_see, &q);
    irl__named_found found = irl__sched_block_of(&q);
    return found.count == 1 && found.id == loop->id;
}

const char *irl__sched_nest_name(const irl_func *f, const irl_stmt *loop)
{
    const irl_buffer *b = irl__named_buffer(loop);
    irl__sched_naming q;
    irl__text         name, t;
    memset(&q, 0, sizeof q);
    if (!b) return NULL;
    q.loop = loop;
    q.name = b->name;
    irl__named_each(f->body, irl__sched_see_naming, &q);
    irl__text_init(&name, f->cx);
    irl__text_puts(&name, q.name);
    if (q.count && !q.is_label) irl__textf(&name, "_%d", q.count);
    if (!irl__text_done(&name) || !irl__sched_finds(f, irl__text_done(&name), loop)) return NULL;
    irl__text_init(&t, f->cx);
    irl__print_symbol(&t, irl__text_done(&name));
    return irl__text_done(&t);
}

/* The first block or nest in a loop, and how many there are. */
typedef struct irl__sched_only {
    const irl_stmt *found;
    irl__named_kind kind;
    const char     *name;
    int             count;
} irl__sched_only;

static void irl__sched_see_only(void *user, irl__named_kind kind, const char *name,
                                const irl_stmt *s)
{
    irl__sched_only *q = (irl__sched_only *)user;
    if ((kind != IRL__NAMED_BLOCK && kind != IRL__NAMED_NEST) || q->count++) return;
    q->found = s;
    q->kind = kind;
    q->name = name;
}

const char *irl__sched_block_in(irl__sched *s, const irl_stmt *loop)
{
    irl__sched_only q;
    memset(&q, 0, sizeof q);
    irl__named_each(loop, irl__sched_see_only, &q);
    if (q.count != 1 || q.kind == IRL__NAMED_BLOCK) return q.count == 1 ? q.name : NULL;
    const char *nest = irl__sched_nest_name(s->f, q.found);
    return nest ? nest : q.name;
}

/* A block or nest in a loop by which a schedule names it. */
typedef struct irl__sched_inside {
    const irl_func *f;
    const irl_stmt *loop;
    const char     *name; /* NULL: none was found yet */
} irl__sched_inside;

static void irl__sched_see_inside(void *user, irl__named_kind kind, const char *name,
                                  const irl_stmt *s)
{
    irl__sched_inside *q = (irl__sched_inside *)user;
    irl__text          t;
    /* Of loops that have the same variable a member of the name is the innermost. */
    if (q->name || !irl__named_counts(kind)) return;
    irl__place p;
    if (!irl__place_of(q->loop, s->id, &p)) return;
    for (int k = p.count; k-- > 1;)
        if (p.at[k]->kind == IRL__FOR &&
            strcmp(p.at[k]->u.loop.var->u.name, q->loop->u.loop.var->u.name) == 0)
            return;
    if (kind != IRL__NAMED_BLOCK) {
        q->name = irl__sched_nest_name(q->f, s);
        return;
    }
    irl__text_init(&t, q->f->cx);
    irl__print_symbol(&t, name);
    if (irl__sched_finds(q->f, name, s)) q->name = irl__text_done(&t);
}

const char *irl__sched_loop_name(const irl_func *f, const irl_stmt *loop)
{
    const char       *var = loop->u.loop.var->u.name;
    irl__sched_search q = irl__sched_search_of(var);
    irl__sched_inside in;
    irl__text         t;
    in.f = f;
    in.loop = loop;
    in.name = NULL;
    irl__named_each(f->body, irl__sched_see, &q);
    irl__text_init(&t, f->cx);
    if (q.found[IRL__NAMED_LOOP].count != 1 || q.found[IRL__NAMED_LOOPS].count ||
        irl__sched_block_of(&q).count) {
        irl__named_each(loop, irl__sched_see_inside, &in);
        if (!in.name) return NULL;
        irl__textf(&t, "%s.", in.name);
    }
    irl__print_symbol(&t, var);
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
    return IRL__PUSH(s->cx, s->named, named);
}
