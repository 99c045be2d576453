/* names.c - from the names in a schedule to loops and blocks, and back.

   needs     place.c, named.c, spots.c
   promises  a name that means nothing, or two things, is a diagnostic that lists the names that
             exist; later steps know the names that a step gave until another step replaces what
             they name */
#include "schedule.h"

int irl__sched_bounds_are_named(irl__sched *s, irl_loc where, const irl_stmt *loop)
{
    return !((loop->u.loop.min->flags | loop->u.loop.extent->flags) & IRL__HAS_MEMORY) ||
           irl__refuse_at(s, where, "the bounds of loop '%L' read memory: %H", loop, "name them "
                          "with let first");
}

/* ------------------------------------------------------------------ looking for a name */

/* What has a name, of each kind. */
typedef struct irl__sched_search {
    irl__named_found found[IRL__NAMED_KINDS];
} irl__sched_search;

/* False: memory is out. */
static int irl__wanted_of(irl_ctx *cx, const char *name, irl__wanted *out)
{
    const char *digits = strrchr(name, '_');
    memset(out, 0, sizeof *out);
    out->name = irl__namez(cx, name);
    if (digits && digits[1] >= '1' && digits[1] <= '9' && strlen(digits) < 10 &&
        digits[1 + strspn(digits + 1, "0123456789")] == '\0') {
        for (const char *at = digits + 1; *at; at++) out->number = out->number * 10 + (*at - '0');
        out->stem = irl__name(cx, name, (size_t)(digits - name));
    }
    return irl__ok(cx);
}

static int irl__named_has(const irl__name_row *one, const irl__wanted *wanted)
{
    if (!irl__named_is_numbered(one->kind)) return one->name == wanted->name;
    return one->number ? one->name == wanted->stem && one->number == wanted->number
                       : one->name == wanted->name;
}

static irl__sched_search irl__names_look(const irl__name_list *names, const char *name)
{
    irl__sched_search q;
    irl__wanted       wanted;
    memset(&q, 0, sizeof q);
    if (!irl__wanted_of(names->cx, name, &wanted)) return q;
    for (int k = 0; k < names->count; k++)
        if (irl__named_has(&names->list[k], &wanted))
            irl__named_found_one(&q.found[irl__named_group(names->list[k].kind)],
                                 names->list[k].at->id);
    return q;
}

/* The names in the function as it is now. */
static irl__name_list irl__sched_names(irl__sched *s)
{
    irl__name_list names = s->names;
    if (names.of != s->f->body) (void)irl__name_list_of(s->cx, s->f->body, &names);
    s->is_doubtful = 1;
    return names;
}

static irl__sched_search irl__sched_look(irl__sched *s, const char *name)
{
    irl__sched_search q;
    irl__wanted       wanted;
    memset(&q, 0, sizeof q);
    if (!irl__wanted_of(s->cx, name, &wanted) ||
        irl__spots_look(s->spots, s->f, &wanted, q.found))
        return q;
    const irl__name_list names = irl__sched_names(s);
    return irl__names_look(&names, name);
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
    irl__sched_search q = irl__sched_look(s, name);
    return irl__sched_block_of(&q);
}

int irl__sched_is_name(irl__sched *s, const char *name)
{
    const irl__sched_search q = irl__sched_look(s, name);
    int                     count = 0;
    for (int k = 0; k < IRL__NAMED_KINDS; k++) count += q.found[k].count;
    return count > 0;
}

irl__named_found irl__sched_meaning(irl__sched *s, const char *name)
{
    const irl__sched_search q = irl__sched_look(s, name);
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
    const irl__name_list names = irl__sched_names(s);
    irl__there       there;
    irl__there_begin(&there, s->cx, name);
    for (int k = 0; k < names.count; k++) {
        const irl__name_row *one = &names.list[k];
        const char *listed = irl__named_numbered(s->cx, one->name,
                                                 one->kind == IRL__NAMED_LABEL ? 0 : one->number);
        if (listed && one->kind != IRL__NAMED_LOOP && one->kind != IRL__NAMED_STORES)
            irl__there_add(&there, listed);
    }
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

/* The first of these loops that the function's text calls so, where two things in scope have one
   name, and how many are; -1: none, and *there (which may be NULL) has been told what there is. */
static int irl__sched_printed(irl__sched *s, const char *name, int count,
                              const irl_stmt *const *loops, int *equal, irl__there *there)
{
    const size_t     size = sizeof(void *);
    const irl_expr **vars = (const irl_expr **)irl__scratch_alloc(s->cx, (size_t)count + 1, size);
    const char     **names = (const char **)irl__scratch_alloc(s->cx, (size_t)count + 1, size);
    int              found = -1;
    *equal = 0;
    for (int k = 0; vars && k < count; k++) vars[k] = loops[k]->u.loop.var;
    if (!vars || !names || !irl__print_names(s->f, count, vars, names)) return -1;
    s->is_doubtful = 1; /* a part of the body may be printed with other names */
    for (int k = 0; k < count; k++) {
        if (strcmp(names[k], name) != 0) {
            if (there && found < 0) irl__there_add(there, names[k]);
        } else if (!(*equal)++) found = k;
    }
    return found;
}

/* conv.i: the loop of that variable around the block, the nest or the loop conv. */
static int irl__sched_member(irl__sched *s, const irl__arg *arg, irl__place *out)
{
    const irl_stmt *loops[IRL_MAX_DEPTH + 2], *found = out->at[out->count - 1];
    irl__there      there;
    int             k, equal, count = 0, level[IRL_MAX_DEPTH + 2];
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
    k = irl__sched_printed(s, arg->member, count, loops, &equal, &there);
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
    irl__sched_search q = irl__sched_look(s, arg->name);
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

/* The one loop that the function's text calls so; *count as above. */
static uint32_t irl__sched_printed_loop(irl__sched *s, const char *name, int *count)
{
    const irl__name_list names = irl__sched_names(s);
    const irl_stmt     **loops = NULL;
    int                  equal;
    for (int k = 0; k < names.count; k++)
        if (names.list[k].kind == IRL__NAMED_LOOP &&
            !IRL__PUSH_SCRATCH(s->cx, loops, names.list[k].at))
            return 0;
    const int found = irl__sched_printed(s, name, (int)stbds_arrlen(loops), loops, &equal, NULL);
    *count = equal == 1 ? 1 : -equal;
    return equal == 1 ? loops[found]->id : 0;
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

/* irl__sched_nest_name in a function that has these names; of a block, too. */
static const char *irl__names_nest(const irl__name_list *names, const irl_stmt *loop)
{
    for (int k = 0; k < names->count; k++) {
        const irl__name_row *one = &names->list[k];
        if (one->at != loop || !irl__named_counts(one->kind)) continue;
        const char *name = irl__named_full(names->cx, one);
        if (!name) return NULL;
        const irl__sched_search q = irl__names_look(names, name);
        const irl__named_found  found = irl__sched_block_of(&q);
        return found.count == 1 && found.id == loop->id ? irl__symbol_text(names->cx, name) : NULL;
    }
    return NULL;
}

/* Is one of the loops around the last statement of the place, up to `from`, called so? */
static int irl__place_has_loop(const irl__place *p, int from, const char *var)
{
    for (int k = p->count; k-- > from;)
        if (p->at[k]->kind == IRL__FOR && strcmp(p->at[k]->u.loop.var->u.name, var) == 0) return 1;
    return 0;
}

/* The name of the first loop of that variable that one name says which is meant; NULL: none is. */
static const char *irl__sched_example(irl__sched *s, const char *var)
{
    const irl__name_list names = irl__sched_names(s);
    const char          *name = NULL;
    for (int k = 0; k < names.count && !name; k++)
        if (names.list[k].kind == IRL__NAMED_LOOP && strcmp(names.list[k].name, var) == 0)
            name = irl__sched_loop_name(s->f, names.list[k].at);
    return name;
}

/* Several nests have the name; or stores that one loop holds beside others, which have none. */
static int irl__sched_several(irl__sched *s, const irl__arg *arg, int count)
{
    const irl__name_list names = irl__sched_names(s);
    const irl_stmt      *loop = NULL;
    int                  is_one = 1;
    for (int k = 0; k < names.count; k++) {
        const irl__name_row *one = &names.list[k];
        if (strcmp(one->name, arg->name) != 0 || one->kind == IRL__NAMED_LOOP) continue;
        is_one &= one->kind == IRL__NAMED_STORES && (!loop || loop == one->at);
        loop = one->at;
    }
    if (is_one && loop)
        return irl__fail(s->cx, IRL_ERROR_UNKNOWN_NAME, arg->loc,
                         "'%s' names no nest: loop '%s' stores it next to other statements; name "
                         "the loop, or distribute it first", arg->name, loop->u.loop.var->u.name);
    return irl__fail(s->cx, IRL_ERROR_AMBIGUOUS_NAME, arg->loc, "%d blocks have the name '%s'; a "
                     "step needs a name that only one block has", count, arg->name);
}

static int irl__sched_find(irl__sched *s, const irl__arg *arg, int is_loop, irl__place *out)
{
    const uint32_t named = irl__sched_named(s, arg->name);
    int            count;
    uint32_t       id = irl__sched_id(s, arg, is_loop && !arg->member, &count);
    if (!id && is_loop && !arg->member && count >= 0)
        id = irl__sched_printed_loop(s, arg->name, &count);
    if (!irl__ok(s->cx)) return 0;
    if (count > 1) return irl__sched_several(s, arg, count);
    if (count < 0) {
        const char *found = irl__sched_example(s, arg->name);
        return irl__fail(s->cx, IRL_ERROR_AMBIGUOUS_NAME, arg->loc,
                         "%d loops are called '%s': name one with its block or nest%s%s", -count,
                         arg->name, found ? ", such as " : "", irl__text_or_empty(found));
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
    return irl__refuse_at(s, arg->loc, "'%s' names a block or nest; a loop is expected%s%s%s%s",
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
    return is_block || irl__refuse_at(s, arg->loc, "'%s' names a loop; a block or nest is expected",
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
    return irl__refuse_at(s, arg->loc, "'%s' is a nest; a block with axes is expected", arg->name);
}

int irl__sched_refuse_loop(irl__sched *s, const irl_stmt *loop)
{
    irl__sched_needs_block(s);
    return irl__refuse(s, "the loop '%L' contains something other than a block", loop);
}

/* ------------------------------------------------------------------ buffers of a name */

static int irl__sched_try_buffer(const irl_buffer *b, const char *wanted, irl__there *there)
{
    if (there) irl__there_add(there, b->name);
    return strcmp(b->name, wanted) == 0;
}

/* Is there a buffer of that name? *there: all names of buffers; NULL: they are not asked for. */
static int irl__sched_look_buffers(irl__sched *s, const char *wanted, irl__there *there)
{
    irl__place p;
    int        is_there = 0;
    for (int k = 0; k < s->f->param_count; k++)
        if (s->f->params[k].buffer)
            is_there |= irl__sched_try_buffer(s->f->params[k].buffer, wanted, there);
    IRL__EACH_STMT(at, &p, s->f->body) {
        const irl__block_data *block = at->kind == IRL__BLOCK ? at->u.block : NULL;
        if (at->kind == IRL__ALLOC || at->kind == IRL__DECL)
            is_there |= irl__sched_try_buffer(irl_stmt_buffer(at), wanted, there);
        for (int k = 0; block && k < block->alloc_count; k++)
            is_there |= irl__sched_try_buffer(block->allocs[k], wanted, there);
        for (int k = 0; block && k < block->match_count; k++)
            is_there |= irl__sched_try_buffer(block->matches[k].buffer, wanted, there);
    }
    return is_there;
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

static const char *irl__names_asked(const irl_func *f, const irl_stmt *loop,
                                    const char *(*ask)(const irl__name_list *, const irl_stmt *))
{
    irl__name_list        names;
    const irl__arena_mark mark = irl__scratch_begin(f->cx);
    const char *name = irl__name_list_of(f->cx, f->body, &names) ? ask(&names, loop) : NULL;
    irl__scratch_end(f->cx, mark);
    return name;
}

const char *irl__sched_nest_name(const irl_func *f, const irl_stmt *loop)
{
    return irl__named_buffer(loop) ? irl__names_asked(f, loop, irl__names_nest) : NULL;
}

const char *irl__sched_block_in(irl__sched *s, const irl_stmt *loop)
{
    irl__name_list        names;
    const irl__name_row *only = NULL;
    if (!irl__name_list_of(s->cx, loop, &names)) return NULL;
    for (int k = 0; k < names.count; k++) {
        const irl__named_kind kind = names.list[k].kind;
        if (kind != IRL__NAMED_BLOCK && kind != IRL__NAMED_NEST) continue;
        if (only) return NULL;
        only = &names.list[k];
    }
    if (!only || only->kind == IRL__NAMED_BLOCK) return only ? only->name : NULL;
    const char *nest = irl__sched_nest_name(s->f, only->at);
    return nest ? nest : only->name;
}

/* A block or nest in a loop by which a schedule names it: a member of the name is the innermost of
   the loops that have its variable. NULL: there is none. */
static const char *irl__names_inside(const irl__name_list *names, const irl_stmt *loop)
{
    irl__name_list inside;
    if (!irl__name_list_of(names->cx, loop, &inside)) return NULL;
    for (int k = 0; k < inside.count; k++) {
        const irl__name_row *one = &inside.list[k];
        irl__place           p;
        if (!irl__named_counts(one->kind) || !irl__place_of(loop, one->at->id, &p) ||
            irl__place_has_loop(&p, 1, loop->u.loop.var->u.name))
            continue;
        const char *name = irl__names_nest(names, one->at);
        if (name) return name;
    }
    return NULL;
}

/* The loop by the name of loops that hold no nest: its own, or that of loops inside. NULL: there is
   none. */
static const char *irl__names_loops(const irl__name_list *names, const irl_stmt *loop)
{
    const char *var = loop->u.loop.var->u.name;
    for (int k = 0; k < names->count; k++) {
        const irl__name_row *one = &names->list[k];
        irl__place           p;
        irl__text            t;
        if (irl__named_group(one->kind) != IRL__NAMED_LOOPS ||
            !irl__place_of(loop, one->at->id, &p) || irl__place_has_loop(&p, 1, var))
            continue;
        const char *name = irl__named_full(names->cx, one);
        if (!name) return NULL;
        const irl__sched_search q = irl__names_look(names, name);
        if (q.found[IRL__NAMED_LOOPS].count != 1 || irl__sched_block_of(&q).count) continue;
        irl__text_init(&t, names->cx);
        irl__print_symbol(&t, name);
        if (one->at != loop) {
            irl__text_puts(&t, ".");
            irl__print_symbol(&t, var);
        }
        return irl__text_done(&t);
    }
    return NULL;
}

static const char *irl__names_loop(const irl__name_list *names, const irl_stmt *loop)
{
    const char             *var = loop->u.loop.var->u.name, *inside = NULL;
    const irl__sched_search q = irl__names_look(names, var);
    irl__text               t;
    irl__text_init(&t, names->cx);
    if (q.found[IRL__NAMED_LOOP].count != 1 || q.found[IRL__NAMED_LOOPS].count ||
        irl__sched_block_of(&q).count) {
        inside = irl__names_inside(names, loop);
        if (!inside) return irl__names_loops(names, loop);
        irl__textf(&t, "%s.", inside);
    }
    irl__print_symbol(&t, var);
    return irl__text_done(&t);
}

const char *irl__sched_loop_name(const irl_func *f, const irl_stmt *loop)
{
    return irl__names_asked(f, loop, irl__names_loop);
}

/* ------------------------------------------------------------------ results */

const irl_expr *irl__sched_var(irl__sched *s, int k, const char *made)
{
    return irl_expr_var(s->cx, irl__result_name(s, k, made), irl__type_index());
}

int irl__sched_result(irl__sched *s, int k, const irl_stmt *made)
{
    irl__sched_name named;
    if (!made) return 0;
    if (k >= s->step->result_count) return 1;
    named.name = s->step->results[k];
    named.id = made->id;
    return IRL__PUSH(s->cx, s->named, named);
}
