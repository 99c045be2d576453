/* names_after.c - the names of nests after a step: each means the computation that it meant before.

   needs     named.c, names.c, place.c, spots.c
   promises  if a nest that the step changed would have another name now, because another one took
             its label or is before it with the name of its buffer, its loops are labelled with the
             old name. A nest that the step made from two keeps the name of one
   cost      a walk over the names before and after the step; if a name would change, two more walks
             over the function */
#include "schedule.h"

/* A nest or a block, and its name. */
typedef struct irl__kin {
    irl__named_kind   kind;
    int               number;
    const char       *raw, *name; /* without its number and with it */
    const irl_stmt   *at;
    const irl_buffer *buffer; /* of a nest */
    irl_loc           loc;    /* of its first store */
    int               next;   /* of the function after: where it is; -1: it is gone */
    int               is_said;   /* it has the label that the step gives */
    int               is_shared; /* another one has the name too: it means neither */
} irl__kin;

typedef struct irl__kin_list {
    irl_ctx     *cx;
    irl__kin    *list;   /* scratch */
    irl__ptr_map counts; /* as in irl__name_list */
    /* of blocks and nests, and of loops that are neither (irl__kin_is_loops) */
    irl__ptr_map ids[2];    /* of a block or loop -> number in the list, and 1 */
    irl__ptr_map locs[2];   /* of stores of nests -> the first nest that has it, and 1 */
    irl__ptr_map repeat[2]; /* of stores of several nests */
    int          is_failed;
} irl__kin_list;

/* Is it a loop that is no nest, but around other statements, or stores into several buffers? */
static int irl__kin_is_loops(const irl__kin *kin)
{
    return irl__named_group(kin->kind) == IRL__NAMED_LOOPS;
}

static const void *irl__kin_id(const irl_stmt *s) { return (const void *)(uintptr_t)s->id; }
static const void *irl__kin_loc(irl_loc loc)
{
    return loc.source ? loc.source->text + loc.offset : NULL;
}
static int irl__kin_get(const irl__ptr_map *map, const void *key)
{
    return key ? (int)(uintptr_t)irl__ptr_map_get(map, key) : 0;
}
static void irl__kin_put(irl__kin_list *q, irl__ptr_map *map, const void *key, int value)
{
    q->is_failed |= !key || !irl__ptr_map_put(q->cx, map, key, (const void *)(uintptr_t)value);
}

/* The stores of the nest or block of that number, but for those in loops and blocks in it. */
static void irl__kin_see_stores(irl__kin_list *q, int at)
{
    irl__kin   *kin = &q->list[at];
    const int   of = irl__kin_is_loops(kin);
    irl__place  p;
    irl__place_begin(&p, kin->at->kind == IRL__FOR ? kin->at->u.loop.body
                                                   : kin->at->u.block->body);
    for (const irl_stmt *s; (s = irl__place_next(&p)) != NULL;) {
        const void *key =
            s->kind == IRL__STORE && (!kin->buffer || s->u.store.buffer == kin->buffer)
                ? irl__kin_loc(s->loc) : NULL;
        if (key && !kin->loc.source) kin->loc = s->loc;
        if (key && !irl__kin_get(&q->locs[of], key)) irl__kin_put(q, &q->locs[of], key, at + 1);
        else if (key) irl__kin_put(q, &q->repeat[of], key, 1);
        if (s->kind == IRL__FOR || s->kind == IRL__BLOCK) irl__place_pass(&p);
    }
}

/* The names of a function; irl__kin_know finds the rest, where that is asked for. */
static int irl__kin_of(const irl__name_list *names, irl__kin_list *q)
{
    irl__kin kin;
    memset(q, 0, sizeof *q);
    q->cx = names->cx;
    q->counts = names->counts;
    for (int k = 0; k < names->count; k++) {
        if (names->list[k].kind == IRL__NAMED_LOOP) continue;
        memset(&kin, 0, sizeof kin);
        kin.kind = names->list[k].kind;
        kin.raw = names->list[k].name;
        kin.number = names->list[k].number;
        kin.at = names->list[k].at;
        kin.next = -1;
        q->is_failed |= !IRL__PUSH_SCRATCH(q->cx, q->list, kin);
    }
    return !q->is_failed && irl__ok(q->cx);
}

/* The name with its number, and where a nest or block and its first store are. */
static void irl__kin_know_one(irl__kin_list *q, int at)
{
    irl__kin *kin = &q->list[at];
    const int of = irl__kin_is_loops(kin);
    kin->name = irl__named_numbered(q->cx, kin->raw,
                                    irl__named_is_numbered(kin->kind) ? kin->number : 0);
    q->is_failed |= !kin->name;
    if (kin->kind == IRL__NAMED_STORES) return;
    if (!irl__kin_get(&q->ids[of], irl__kin_id(kin->at)))
        irl__kin_put(q, &q->ids[of], irl__kin_id(kin->at), at + 1);
    if (kin->at->kind == IRL__FOR) kin->buffer = irl__named_buffer(kin->at);
    if (kin->kind != IRL__NAMED_AROUND) irl__kin_see_stores(q, at);
}

static int irl__kin_know(irl__kin_list *q)
{
    for (int k = 0; k < (int)stbds_arrlen(q->list) && !q->is_failed; k++) irl__kin_know_one(q, k);
    return !q->is_failed && irl__ok(q->cx);
}

/* Is it the same block, or a nest around the same store? */
static int irl__kin_is_same(const irl__kin *a, const irl__kin *b)
{
    const irl_stmt *was, *is;
    if (a->kind != b->kind || a->raw != b->raw) return 0;
    if (a->at == b->at || a->kind == IRL__NAMED_LOOPS || a->kind == IRL__NAMED_STORES) return 1;
    if (a->at->id != b->at->id || a->at->kind != IRL__FOR) return a->at->id == b->at->id;
    was = irl__named_store(a->at->u.loop.body);
    is = irl__named_store(b->at->u.loop.body);
    return was && is && irl__kin_loc(was->loc) && irl__kin_loc(was->loc) == irl__kin_loc(is->loc);
}

/* Has the step left every name where it was? */
static int irl__kin_are_same(const irl__kin_list *was, const irl__kin_list *is)
{
    int k, count = (int)stbds_arrlen(was->list);
    if (count != (int)stbds_arrlen(is->list)) return 0;
    for (k = 0; k < count && irl__kin_is_same(&was->list[k], &is->list[k]); k++) {}
    return k == count;
}

/* Where a nest or block is after the step: its loop, if that is unchanged or has the same first
   store; else the nest that has its store, which no other nest had, of several the one of its name;
   else its loop. -1: nowhere. */
static int irl__kin_next(const irl__kin_list *was, const irl__kin_list *is, const irl__kin *kin)
{
    const void *key = irl__kin_loc(kin->loc);
    const int   of = irl__kin_is_loops(kin);
    const int   by_id = irl__kin_get(&is->ids[of], irl__kin_id(kin->at)) - 1;
    if (by_id >= 0 &&
        (is->list[by_id].at == kin->at || irl__kin_loc(is->list[by_id].loc) == key))
        return by_id;
    if (kin->at->kind == IRL__BLOCK || !key || irl__kin_get(&was->repeat[of], key)) return by_id;
    for (int k = 0; irl__kin_get(&is->repeat[of], key) && k < (int)stbds_arrlen(is->list); k++)
        if (is->list[k].name == kin->name && irl__kin_is_loops(&is->list[k]) == of &&
            irl__kin_loc(is->list[k].loc) == key)
            return k;
    return irl__kin_get(&is->locs[of], key) - 1;
}

/* Has the nest a name that is rightly another: one of two that have become one, or that of a nest
   which is gone, since it now computes what that one did? */
static int irl__kin_took(const irl__kin_list *was, const irl__kin *kin, const irl__kin *now)
{
    for (int k = 0; k < (int)stbds_arrlen(was->list); k++) {
        const irl__kin *other = &was->list[k];
        if (other == kin) continue;
        if (other->next == kin->next && other->name == now->name) return 1;
        if (other->next < 0 && other->buffer && other->buffer == now->buffer &&
            other->buffer != kin->buffer)
            return 1;
    }
    return 0;
}

/* The function with a label at that loop; NULL is none. */
static irl_func *irl__kin_put_label(const irl_func *f, const irl__place *p, int k, const char *name)
{
    irl_stmt *copy = irl__stmt_copy(f->cx, p->at[k]);
    if (!copy) return NULL;
    if (name)
        return irl__place_put(f, p, k, irl_stmt_set_note(f->cx, copy,
                                                         irl__note_of(IRL__NOTE_LABEL, name)));
    copy->u.loop.annotation_count--; /* the last is the label */
    return irl__place_put(f, p, k, copy);
}

/* ... at the outermost loop that holds nothing but this nest or block. Where a loop around has that
   label, another nest in it has taken it: it goes. f: it has the label, or no such loop stands
   around the block. */
static const irl_func *irl__kin_label(const irl_func *f, uint32_t id, const char *name)
{
    irl__place p;
    if (!name || !irl__place_of(f->body, id, &p)) return NULL;
    int k = p.count - 1;
    if (p.at[k]->kind == IRL__BLOCK && (k-- == 0 || p.at[k]->kind != IRL__FOR)) return f;
    while (k > 0 && p.at[k - 1]->kind == IRL__FOR && !irl__stmt_label(p.at[k])) k--;
    if (irl__stmt_label(p.at[k]) && strcmp(irl__stmt_label(p.at[k]), name) == 0) return f;
    irl_func *g = irl__kin_put_label(f, &p, k, name);
    if (!g || !irl__place_of(g->body, id, &p)) return NULL;
    while (k-- > 0) {
        const char *label = irl__stmt_label(p.at[k]);
        if (label && strcmp(label, name) == 0) return irl__kin_put_label(g, &p, k, NULL);
    }
    return g;
}

/* Does another statement, which the step does not look at, have that name in front of a number? */
static int irl__kin_is_elsewhere(const irl__sched *s, const irl__kin_list *was, const char *raw)
{
    int count = irl__kin_get(&was->counts, raw);
    for (int k = 0; k < (int)stbds_arrlen(was->list); k++)
        count += was->list[k].kind == IRL__NAMED_STORES && was->list[k].raw == raw;
    return s->spots && irl__spots_named_count(s->spots, raw) > count;
}

/* The first of that name, other than as the buffer of a nest with a label; NULL: none. */
static const irl__kin *irl__kin_named(const irl__kin_list *q, const char *name)
{
    for (int k = 0; k < (int)stbds_arrlen(q->list); k++)
        if (q->list[k].name == name && q->list[k].kind != IRL__NAMED_STORES) return &q->list[k];
    return NULL;
}

/* Does the step give that label to kin? Not where its argument names another nest or block. */
static int irl__kin_is_said(const irl__kin_list *was, const irl__kin *kin,
                            const irl__sched_step *step, const char *name)
{
    const irl__arg *arg = step->args;
    int             k;
    for (k = 0; step->arg_count && arg->name && !arg->member && k < (int)stbds_arrlen(was->list);
         k++)
        if (was->list[k].kind != IRL__NAMED_STORES && was->list[k].at != kin->at &&
            strcmp(was->list[k].name, arg->name) == 0)
            return 0;
    for (k = 0; k < step->arg_count; k++)
        if (step->args[k].kind == IRL__ARG_NOTE && step->args[k].note.text &&
            strcmp(step->args[k].note.text, name) == 0)
            return 1;
    return 0;
}

/* Has the nest, or the block that a label was around, lost its name? Not to a label that the step
   gave it, nor where a block around it has the label now. */
static int irl__kin_is_lost(const irl__kin_list *was, const irl__kin_list *is, const irl__kin *kin)
{
    const irl__kin *now = kin->next < 0 ? NULL : &is->list[kin->next];
    const irl__kin *other = irl__kin_named(is, kin->name);
    if (!now || kin->kind == IRL__NAMED_BLOCK || kin->name == now->name) return 0;
    if (kin->is_shared && !irl__kin_named(was, now->name)) return 0;
    if ((now->kind == IRL__NAMED_LABEL || now->kind == IRL__NAMED_LOOPS) &&
        (kin->is_said || (!irl__kin_named(was, now->name) && !other)))
        return 0;
    if (kin->kind == IRL__NAMED_AROUND)
        return !other || (other->kind != IRL__NAMED_AROUND && other->kind != IRL__NAMED_BLOCK);
    return now->kind != IRL__NAMED_BLOCK ? !irl__kin_took(was, kin, now)
           : other != NULL && other->at != now->at;
}

/* Has the step made it, with a name that means another block or nest? Blocks that the step names
   may have the name of one that there is. */
static int irl__kin_is_intruder(const irl__kin_list *was, const irl__kin_list *is, int at,
                                const irl__sched_step *step)
{
    const irl__kin *now = &is->list[at], *other = irl__kin_named(was, now->name);
    int             count = 0;
    for (int k = 0; k < step->result_count; k++)
        if (strcmp(step->results[k], now->name) == 0) return 0;
    if (now->kind == IRL__NAMED_BLOCK)
        return other && other->next >= 0 && other->next != at &&
               !irl__kin_get(&was->ids[0], irl__kin_id(now->at));
    if (!irl__named_is_numbered(now->kind)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(is->list); k++) /* its number is in a label */
        if (is->list[k].name == now->name && (is->list[k].kind == IRL__NAMED_LABEL ||
                                              is->list[k].kind == IRL__NAMED_LOOPS))
            return 1;
    for (int k = 0; k < (int)stbds_arrlen(was->list); k++)
        if (was->list[k].next == at) return 0; /* it was there */
    if (other) return other->next >= 0 && other->next != at && other->kind != IRL__NAMED_BLOCK;
    for (int k = 0; k < (int)stbds_arrlen(was->list); k++) /* which its buffer named */
        count += was->list[k].name == now->name;
    return count == 1;
}

static const char *irl__kin_fresh(const irl__kin_list *is, const char *name)
{
    const char *out = NULL;
    int         number = 1;
    do out = irl__named_numbered(is->cx, name, number++);
    while (out && irl__kin_named(is, out));
    return out;
}

/* The number in the name of a nest may be another one in the whole function. */
static void irl__kin_doubt(irl__sched *s, const irl__kin_list *was, const char *raw,
                           const char *name)
{
    const irl__kin *owner = irl__kin_named(was, name);
    s->is_doubtful |= irl__kin_is_elsewhere(s, was, raw) ||
                      (owner && irl__kin_is_elsewhere(s, was, owner->raw));
}

static irl_func *irl__kin_rename(const irl_func *f, const irl_stmt *s, const char *name)
{
    irl__place       p;
    irl__block_data *block;
    irl_stmt        *copy = irl__block_copy(f->cx, s, &block);
    if (!name || !copy || !irl__place_of(f->body, s->id, &p)) return NULL;
    block->name = name;
    return irl__place_put(f, &p, p.count - 1, copy);
}

/* Where a step has labelled all the loops that one has become, and the first of them was not the
   one that has the name now, they exchange their labels. */
static const irl_func *irl__kin_exchange(const irl__kin_list *was, const irl__kin_list *is,
                                         const irl__kin *kin, const irl_func *f)
{
    const irl__kin *now = &is->list[kin->next], *other = irl__kin_named(is, kin->name);
    irl__place      p;
    if (!f || now->kind != IRL__NAMED_LABEL || irl__kin_named(was, now->name) || !other) return f;
    if (!irl__place_of(f->body, other->at->id, &p)) return NULL;
    while (p.count > 0) {
        const char *label = irl__stmt_label(p.at[--p.count]);
        if (label && strcmp(label, kin->name) == 0)
            return irl__kin_put_label(f, &p, p.count, now->name);
    }
    return f;
}

/* f with one name put right; f itself: all are; NULL: memory is out. */
static const irl_func *irl__kin_mend(irl__sched *s, irl__kin_list *was, const irl__kin_list *is,
                                     const irl_func *f, int is_first)
{
    const int count = (int)stbds_arrlen(was->list);
    for (int k = 0; k < count; k++) {
        irl__kin       *kin = &was->list[k];
        const irl__kin *other = irl__kin_named(was, kin->name);
        if (other && other->at != kin->at && kin->kind != IRL__NAMED_STORES)
            kin->is_shared = was->list[other - was->list].is_shared = 1;
        kin->next = kin->kind == IRL__NAMED_LOOPS || kin->kind == IRL__NAMED_STORES
                        ? -1 : irl__kin_next(was, is, kin);
        if (is_first && kin->next >= 0)
            kin->is_said = irl__kin_is_said(was, kin, s->step, is->list[kin->next].name);
    }
    for (int k = 0; k < count; k++) {
        const irl__kin *kin = &was->list[k];
        const irl_func *g;
        if (!irl__kin_is_lost(was, is, kin)) continue;
        irl__kin_doubt(s, was, kin->raw, is->list[kin->next].name);
        g = irl__kin_exchange(was, is, kin, irl__kin_label(f, is->list[kin->next].at->id,
                                                           kin->name));
        if (g != f) return g;
    }
    for (int k = 0; k < count; k++) { /* its label, which is there, is still another's */
        const irl__kin *kin = &was->list[k], *other = irl__kin_named(is, kin->name);
        if (irl__kin_is_lost(was, is, kin) && other && other->kind == IRL__NAMED_LABEL)
            return irl__kin_label(f, other->at->id, irl__kin_fresh(is, other->buffer->name));
    }
    for (int k = 0; k < (int)stbds_arrlen(is->list); k++) {
        const irl__kin *now = &is->list[k];
        if (!irl__kin_is_intruder(was, is, k, s->step)) continue;
        irl__kin_doubt(s, was, now->raw, now->name);
        const char *fresh = irl__kin_fresh(is, now->raw);
        if (now->kind == IRL__NAMED_BLOCK) return irl__kin_rename(f, now->at, fresh);
        /* a nest in it would take the label, unless it has its own */
        for (irl__place p; k > 0 && irl__named_is_beside(now->at) &&
                           is->list[k - 1].kind == IRL__NAMED_NEST &&
                           irl__place_of(now->at, is->list[k - 1].at->id, &p);
             fresh = now->name)
            now = &is->list[--k];
        return irl__kin_label(f, now->at->id, fresh);
    }
    return f;
}

/* Has the step changed how many have a name of the list that numbers elsewhere count too? */
static int irl__kin_renumbers(const irl__sched *s, const irl__kin_list *was,
                              const irl__kin_list *list, const irl__kin_list *other)
{
    for (int k = 0; k < (int)stbds_arrlen(list->list); k++) {
        const char *raw = list->list[k].raw;
        if (irl__kin_get(&list->counts, raw) != irl__kin_get(&other->counts, raw) &&
            irl__kin_is_elsewhere(s, was, raw))
            return 1;
    }
    return 0;
}

const irl_func *irl__names_after(irl__sched *s, const irl_func *after)
{
    irl__arena_mark mark = irl__scratch_begin(s->cx);
    irl__name_list      names;
    irl__kin_list   was, is;
    const irl_func *f = after, *now = NULL;
    int             left = 2 * IRL_MAX_DEPTH;
    if (!irl__kin_of(&s->names, &was)) f = NULL;
    for (; f && f != now && left > 0; left--) {
        if (now) f = now;
        if (!irl__name_list_of(s->cx, f->body, &names) || !irl__kin_of(&names, &is)) f = NULL;
        else if (!now && irl__kin_are_same(&was, &is)) break;
        else if ((!now && !irl__kin_know(&was)) || !irl__kin_know(&is)) f = NULL;
        else now = irl__kin_mend(s, &was, &is, f, !now);
        if (!now) f = NULL;
    }
    if (f && now && irl__ok(s->cx) && s->spots &&
        (irl__kin_renumbers(s, &was, &was, &is) || irl__kin_renumbers(s, &was, &is, &was)))
        s->is_doubtful = 1;
    irl__scratch_end(s->cx, mark);
    return irl__ok(s->cx) ? f : NULL;
}
