/* auto_write.c - decisions as the text of steps: names, cuts, their order, marks of tiles, copies
   of operands: packed once, with what a guard gives around them, or a tile's part of them, turned.

   needs     auto_nest.c
   promises  names that the function and its steps do not have; one step, one line; a reason for a
             decision. A copy is made by reindex_cache_read, cache_padded and cache_read, which
             prove that it holds what the nest reads
   cost      linear in the text; a new name costs a walk over the names of the function */
#include "auto.h"

/* Which of base, base1, ..., base63 are names already. */
typedef struct irl__auto_names {
    const char *base;
    size_t      length;
    uint64_t    used; /* a bit for each; base itself is number 0 */
} irl__auto_names;

static void irl__auto_see(irl__auto_names *q, const char *name)
{
    int number = 0;
    if (name[0] != q->base[0] || strncmp(name, q->base, q->length) != 0) return;
    const char *digits = name + q->length;
    if (*digits == '0') return;
    for (; *digits >= '0' && *digits <= '9' && number < 64; digits++)
        number = number * 10 + (*digits - '0');
    if (!*digits && number < 64) q->used |= (uint64_t)1 << number;
}

static int irl__auto_see_name(irl__visitor *v, const irl_stmt *s)
{
    irl__auto_names *q = (irl__auto_names *)v->user;
    if (s->kind == IRL__FOR) irl__auto_see(q, s->u.loop.var->u.name);
    if (s->kind == IRL__BLOCK) irl__auto_see(q, s->u.block->name);
    if (s->kind == IRL__STORE) irl__auto_see(q, s->u.store.buffer->name);
    return 1;
}

const char *irl__auto_name(irl__auto *a, const char *base, const char *suffix)
{
    const char *name = irl__reason(a->cx, "%s_%s", !base || *base == '`' ? "loop" : base, suffix);
    for (; irl__ok(a->cx); name = irl__reason(a->cx, "%s_%s", name, suffix)) {
        /* The least number that gives a new name; if there are too many, a longer name. */
        irl__auto_names q = { name, strlen(name), 0 };
        irl__visitor    v = irl__visitor_make(&q, NULL, irl__auto_see_name);
        int             k;
        irl__visit_stmt(&v, a->f->body);
        for (const irl__sched_steps *at = a->f->steps; at; at = at->before)
            for (k = 0; k < at->named_count; k++) irl__auto_see(&q, at->named[k].name);
        for (k = 0; k < 64 && (q.used >> k & 1); k++) {
        }
        if (k < 64) return k ? irl__reason(a->cx, "%s%d", name, k) : name;
    }
    return "";
}

void irl__auto_plan_begin(irl__auto *a, irl__auto_plan *p)
{
    memset(p, 0, sizeof *p);
    p->vector = p->row = p->along = p->window = p->second = p->beside = -1;
    p->phase = 1;
    p->lanes = p->rows = p->vectors = p->length = p->stored = p->updates = p->count = 1;
    p->tried = a->tried;
    irl__text_init(&p->text, a->cx);
}

const char *irl__auto_member(const irl__auto_nest *n, int k)
{
    return irl__reason(n->cx, "%s.%s", n->name, n->loops[k].name);
}

void irl__auto_step(irl__auto_plan *p, const char *reason, const char *format, ...)
{
    va_list arguments;
    irl__text_puts(&p->text, "    ");
    va_start(arguments, format);
    irl__textv(&p->text, format, arguments);
    va_end(arguments);
    if (*reason) irl__textf(&p->text, " // %s", reason);
    irl__text_putc(&p->text, '\n');
    p->steps++;
}

/* Is e a product, or (guarded) a product or something else? */
static int irl__auto_is_product(const irl_expr *e, int is_guarded)
{
    if (!is_guarded) return e->op == IRL_OP_MUL;
    return e->op == IRL_OP_IF_THEN_ELSE &&
           (e->a[1]->op == IRL_OP_MUL || e->a[2]->op == IRL_OP_MUL);
}

int irl__auto_is_strict(const irl_func *f, const irl_target *target)
{
    if (!target->vector_bytes) return 1;
    for (int k = 0; k < f->annotation_count; k++)
        if (strcmp(f->annotations[k].key, IRL__ATTR_NUMBERS) == 0 && f->annotations[k].text &&
            strcmp(f->annotations[k].text, "strict") == 0)
            return 1;
    return 0;
}

int irl__auto_may_contract(const irl__auto_nest *n, int is_guarded)
{
    const irl_expr *value = n->store->u.store.value;
    irl_type        type = n->store->u.store.buffer->type;
    if (type.scalar != IRL_F32 && type.scalar != IRL_F64) return 0;
    if (value->op != IRL_OP_ADD || (!irl__auto_is_product(value->a[0], is_guarded) &&
                                    !irl__auto_is_product(value->a[1], is_guarded)))
        return 0;
    return !irl__auto_is_strict(n->f, n->target);
}

void irl__auto_contract(const irl__auto_nest *n, irl__auto_plan *p)
{
    if (irl__auto_may_contract(n, 0))
        irl__auto_step(p, "attr(numbers) allows it by default", "contract(%s);", n->name);
}

void irl__auto_put(irl__auto_plan *p, int *any, const char *name)
{
    if (name) irl__textf(&p->text, "%s%s", (*any)++ ? ", " : "    reorder(", name);
}

void irl__auto_put_end(irl__auto_plan *p, const char *reason)
{
    irl__textf(&p->text, *reason ? "); // %s\n" : ");\n", reason);
    p->steps++;
}

void irl__auto_split_at(irl__auto *a, irl__auto_plan *p, const char *base, const char *whole,
                        int64_t length, const char *suffixes, const char **outer,
                        const char **inner, const char *reason)
{
    const char suffix[2][2] = { { suffixes[0], '\0' }, { suffixes[1], '\0' } };
    *outer = irl__auto_name(a, base, suffix[0]);
    *inner = irl__auto_name(a, base, suffix[1]);
    irl__auto_step(p, reason, "(%s, %s) = split(%s, %l);", *outer, *inner, whole, length);
}

const char *irl__auto_fused(irl__auto_plan *p, const char *name, const char *const *list,
                            int count, const char *reason)
{
    if (count == 1) return list[0];
    irl__textf(&p->text, "    %s = fuse(", name);
    for (int k = 0; k < count; k++) irl__textf(&p->text, "%s%s", k ? ", " : "", list[k]);
    irl__auto_put_end(p, reason);
    return name;
}

int irl__auto_dimensions(irl__auto *a, irl__auto_plan *p, const char *base, const char *suffix,
                         const char **list, int count)
{
    if (count <= 3) return count;
    list[0] = irl__auto_fused(p, irl__auto_name(a, base, suffix), list, count - 2,
                              "a launch has three dimensions");
    list[1] = list[count - 2];
    list[2] = list[count - 1];
    return 3;
}

void irl__auto_bind(irl__auto_plan *p, const char *const *list, int count, const char *range,
                    const char *reason)
{
    for (int k = 0; k < count; k++)
        irl__auto_step(p, k ? "" : reason, "bind(%s, %s.%c);", list[k], range,
                       "xyz"[count - 1 - k]);
}

void irl__auto_cut_off(irl__auto *a, irl__auto_plan *p, const char *base, const char *loop,
                       const char **parts, int64_t at, int64_t group, const char *reason)
{
    parts[0] = irl__auto_name(a, base, "a");
    parts[1] = irl__auto_name(a, base, "b");
    irl__auto_step(p, reason, "(%s, %s) = %s(%s, %l);", parts[0], parts[1],
                   group ? "peel" : "partition", loop, group ? group : at);
}

int irl__auto_is_whole(const irl__auto_nest *n, const irl__auto_plan *p)
{
    return n->loops[p->vector].extent == p->lanes * p->vectors;
}

/* Is it the innermost loop that reduces, a whole number of times as long as a texel, and do its
   iterations read the lanes of texels? */
static int irl__auto_is_texels(const irl__auto_nest *n, const irl__auto_plan *p, int loop)
{
    int k = 0;
    while (k < n->row_count && !irl__auto_is_lanes(&n->rows[k], loop)) k++;
    return k < n->row_count && loop == irl__auto_last_reduce(n) && p->along < 0 &&
           n->loops[loop].extent > IRL__TEXEL_LANES && irl__auto_divides(n, loop, IRL__TEXEL_LANES);
}

/* Loop k in two, the inner part of that length. */
static void irl__auto_in_two(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p, int k,
                             irl__auto_cut *c, const char **inner, int64_t length,
                             const char *reason)
{
    irl__auto_split_at(a, p, n->loops[k].name, irl__auto_member(n, k), length,
                       inner == &c->lane ? "ov" : "oi", &c->outer, inner, reason);
    c->each = length;
}

static void irl__auto_cut_loop(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p, int k,
                              irl__auto_cut *c)
{
    if (k == p->row && p->rows > 1)
        irl__auto_in_two(a, n, p, k, c, &c->inner, p->rows,
                         irl__reason(a->cx, "a tile fills %l by %l registers; each iteration "
                                            "loads %l", p->rows, p->vectors, p->loads));
    else if (k == p->along && n->loops[k].extent > p->length)
        irl__auto_in_two(a, n, p, k, c, &c->inner, p->length, "the tile's length");
    else if (p->period[k] > 1)
        irl__auto_in_two(a, n, p, k, c, &c->inner, p->period[k],
                         "these iterations read the same elements, or neighbouring ones");
    else if (k == p->vector) {
        /* The loop of the vectors, in three where a tile has several. */
        const char *name = n->loops[k].name;
        const char *reason = irl__reason(a->cx, "vectors of %l along contiguous memory", p->lanes);
        if (p->vectors == 1) {
            irl__auto_in_two(a, n, p, k, c, &c->lane, p->lanes, reason);
            return;
        }
        c->outer = irl__auto_name(a, name, "o");
        c->inner = irl__auto_name(a, name, "i");
        c->lane = irl__auto_name(a, name, "v");
        c->each = p->vectors * p->lanes;
        irl__auto_step(p, reason, "(%s, %s, %s) = split(%s.%s, _, %l, %l);", c->outer, c->inner,
                       c->lane, n->name, name, p->vectors, p->lanes);
    } else if (irl__auto_is_texels(n, p, k))
        irl__auto_in_two(a, n, p, k, c, &c->run, IRL__TEXEL_LANES,
                         "that many iterations access contiguous memory");
    else *(k == p->window ? &c->window : &c->outer) = irl__auto_member(n, k);
}

void irl__auto_cuts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                    irl__auto_cut *cuts)
{
    memset(cuts, 0, sizeof *cuts * IRL__AUTO_LOOPS);
    for (int k = 0; k < n->loop_count; k++) irl__auto_cut_loop(a, n, p, k, &cuts[k]);
}

const char *irl__auto_first_reduce(const irl__auto_nest *n, const irl__auto_cut *cuts)
{
    for (int k = 0; k < n->loop_count; k++)
        if (n->loops[k].is_reduce && cuts[k].outer) return cuts[k].outer;
    return NULL;
}

/* Does what is written go on for one vector alone, a part of a line, and behind it along an inner
   loop? */
static int irl__auto_is_paneled(const irl__auto_nest *n, const irl__auto_plan *p)
{
    const irl__auto_row *w = &n->rows[n->written];
    if (n->is_reduction || p->along >= 0 || w->run[p->vector] != p->lanes ||
        p->lanes * irl__auto_bytes(n) >= IRL__AUTO_LINE_BYTES)
        return 0;
    for (int k = p->vector + 1; k < n->loop_count; k++)
        if (w->step[k] == p->lanes) return 1;
    return 0;
}

/* Does the second loop belong outside of the first? The result has its iterations farther apart. */
static int irl__auto_is_outer(const irl__auto_nest *n, int first, int second)
{
    const int64_t *step = n->rows[n->written].step;
    return !n->loops[first].is_reduce && !n->loops[second].is_reduce && step[first] > 0 &&
           step[second] < IRL__AUTO_FAR && step[second] > step[first];
}

int64_t irl__auto_touched(const irl__auto_nest *n, int row, unsigned mask)
{
    const irl__auto_row *r = &n->rows[row];
    const int64_t       *step = r->step;
    int64_t              count = 1, span = 1, one;
    for (int k = 0; k < n->loop_count; k++) {
        const int64_t extent = n->loops[k].extent;
        if (step[k] == 0 || !(n->loops[k].is_reduce || mask >> k & 1)) continue;
        if (!irl__mul64(count, extent, &count)) count = INT64_MAX;
        if (!r->is_even[k] || step[k] < 0 || !irl__mul64(step[k], extent - 1, &one) ||
            !irl__add64(span, one, &span))
            span = INT64_MAX;
    }
    return span < count ? span : count;
}

/* Is that more than the caches of a core hold? */
static int irl__auto_exceeds(const irl__auto_nest *n, int row, unsigned mask)
{
    return irl__auto_touched(n, row, mask) / IRL__AUTO_CACHES >
           n->target->cache_bytes / irl__auto_bytes(n);
}

/* May the order of loops keep in the caches what the row reads, which vectors go on along? */
static int irl__auto_is_kept(const irl__auto_nest *n, int row, int vector)
{
    return n->is_reduction && vector >= 0 && !n->target->subgroup && n->target->vector_bytes &&
           !irl__auto_is_symbolic(n) && !irl__auto_is_own(n, row) &&
           n->rows[row].step[vector] != 0;
}

int irl__auto_is_beyond(const irl__auto_nest *n, int row, int vector)
{
    return irl__auto_is_kept(n, row, vector) && irl__auto_exceeds(n, row, 1u << vector);
}

/* Are the terms of a vector near each other in memory, or in a panel? */
static int irl__auto_is_near(const irl__auto_nest *n, const irl__auto_plan *p, int row)
{
    for (int k = 0; k < n->loop_count && !p->panel[row]; k++)
        if (n->loops[k].is_reduce &&
            n->rows[row].step[k] >= IRL__AUTO_FAR_BYTES / irl__auto_bytes(n))
            return 0;
    return 1;
}

/* Loops of results that the row goes on with are outside of those that read it again, if it would
   be gone from the caches by then. */
static void irl__auto_read_once(const irl__auto_nest *n, int row, int *order)
{
    const int64_t *step = n->rows[row].step;
    unsigned       mask = 0;
    int            first = 0, to = 0, kept[IRL__AUTO_LOOPS];
    while (first < n->loop_count && (n->loops[order[first]].is_reduce || step[order[first]] != 0))
        first++;
    for (int at = first; at < n->loop_count; at++) mask |= 1u << order[at];
    if (!irl__auto_exceeds(n, row, mask)) return;
    for (int round = 0; round < 2; round++)
        for (int at = first; at < n->loop_count; at++)
            if ((step[order[at]] == 0) == round) kept[to++] = order[at];
    memcpy(order + first, kept, (size_t)to * sizeof *order);
}

/* The loops in their order; where one was moved outside to be cut, in that of the result. The loop
   of the vectors is outside of those that read again what is beyond the caches. */
static void irl__auto_loop_order(const irl__auto_nest *n, const irl__auto_plan *p, int *order)
{
    int any = 0;
    for (int k = 0; k < n->loop_count; k++) {
        int at = k;
        for (; n->is_moved && at > 0 && irl__auto_is_outer(n, order[at - 1], k); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (int row = 0; row < n->row_count; row++) {
        int at = n->loop_count;
        any |= irl__auto_is_beyond(n, row, p->vector);
        if (!irl__auto_is_beyond(n, row, p->vector) || !irl__auto_is_near(n, p, row)) continue;
        while (order[--at] != p->vector) {}
        for (; at > 0 && !n->loops[order[at - 1]].is_reduce &&
               n->rows[row].step[order[at - 1]] == 0; at--)
            order[at] = order[at - 1];
        order[at] = p->vector;
    }
    for (int row = 0; row < n->row_count && !any; row++)
        if (irl__auto_is_kept(n, row, p->vector)) irl__auto_read_once(n, row, order);
}

int irl__auto_nth(const irl__auto_nest *n, const irl__auto_plan *p, int at)
{
    /* of a loop that is not cut a tile has all */
    const int whole = p->along >= 0 && n->loops[p->along].extent <= p->length ? p->along : -1;
    int       order[IRL__AUTO_LOOPS];
    irl__auto_loop_order(n, p, order);
    if ((n->is_reduction ? !p->is_short : p->stored < p->lanes) || p->vector < 0 ||
        irl__auto_is_paneled(n, p))
        return order[at];
    for (int k = 0; k < n->loop_count; k++)
        if (order[k] != p->vector && order[k] != whole && at-- == 0) return order[k];
    return at == 0 ? p->vector : whole;
}

const char *irl__auto_last_item(const irl__auto_nest *n, const irl__auto_plan *p,
                                const irl__auto_cut *cuts)
{
    int k;
    for (int at = n->loop_count; at-- > 0;)
        if (!n->loops[k = irl__auto_nth(n, p, at)].is_reduce) return cuts[k].outer;
    return NULL;
}

void irl__auto_order(const irl__auto_nest *n, irl__auto_plan *p, const irl__auto_cut *cuts)
{
    int any = 0;
    for (int round = 0; round < 6; round++)
        for (int at = 0; at < n->loop_count; at++) {
            const int            k = irl__auto_nth(n, p, at);
            const irl__auto_cut *c = &cuts[k];
            const char *name = round < 2 ? (n->loops[k].is_reduce == round ? c->outer : NULL)
                               : round == 2 ? (k == p->vector ? NULL : c->inner)
                               : round == 3 ? c->window
                               : round == 4 ? (k == p->vector ? c->inner : NULL)
                                            : c->lane;
            irl__auto_put(p, &any, name);
            if (round == 1 && name) irl__auto_put(p, &any, c->run);
        }
    irl__auto_put_end(p, "work-items outermost, then the reduction, then the tile");
}

/* Work-items of a group along loops of those extents, the innermost last: of all powers of two, and
   whole loops, with up to group_items work-items the ones that leave the fewest lanes of subgroups
   idle, of those the ones with the most along the innermost loop. */
static void irl__auto_wave(const irl_target *t, const int64_t *extent, int count, int64_t *best)
{
    int64_t at[3] = { 1, 1, 1 }, least = INT64_MAX;
    int     k = 0;
    while (k < count) {
        int64_t lanes, groups = 1;
        if (irl__mul64(at[0], at[1], &lanes) && irl__mul64(lanes, at[2], &lanes) &&
            lanes <= t->group_items) {
            lanes = (lanes + t->subgroup - 1) / t->subgroup * t->subgroup;
            for (k = 0; k < count && irl__mul64(groups, (extent[k] + at[k] - 1) / at[k], &groups);)
                k++;
            if (!irl__mul64(groups, lanes, &lanes)) lanes = INT64_MAX;
            if (lanes <= least) memcpy(best, at, sizeof at); /* later: more along the innermost */
            if (lanes < least) least = lanes;
        }
        for (k = 0; k < count; at[k++] = 1) {
            if (at[k] == extent[k] || at[k] >= t->group_items) continue;
            at[k] = 2 * at[k] < extent[k] ? 2 * at[k] : extent[k];
            break;
        }
    }
}

void irl__auto_items(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                     const irl__auto_cut *cuts, const char *range)
{
    const char  *item[IRL__AUTO_LOOPS];
    int64_t      extent[IRL__AUTO_LOOPS], local[3] = { 1, 1, 1 }, others = 1;
    int          count = 0, k, last = -1;
    for (int at = 0; at < n->loop_count && !n->is_inside; at++) {
        k = irl__auto_nth(n, p, at);
        if (n->loops[k].is_reduce || !cuts[k].outer) continue;
        extent[count] = n->loops[k].extent > 0 ? n->loops[k].extent : n->target->group_items;
        if (cuts[k].each > 1) extent[count] = (extent[count] + cuts[k].each - 1) / cuts[k].each;
        if (count && !irl__mul64(others, extent[count - 1], &others)) others = INT64_MAX;
        item[count++] = cuts[last = k].outer;
    }
    /* a part of a row: the other parts are work-items of the same loops then */
    if (n->is_moved && last == 0 && others >= IRL__AUTO_ITEMS && !n->target->subgroup) count--;
    /* where a loop of names would be a digit of theirs little can be proved: the inner ones stay */
    if (count > 3 && irl__auto_is_symbolic(n)) count = 3;
    for (k = 1; k <= count - 3; k++)
        if (!irl__mul64(extent[0], extent[k], &extent[0])) extent[0] = INT32_MAX;
    for (k = 1; k < 3 && count > 3; k++) extent[k] = extent[count - 3 + k];
    count = irl__auto_dimensions(a, p, n->name, "items", item, count);
    if (n->target->subgroup && !n->target->banks) {
        irl__auto_wave(n->target, extent, count, local);
        range = "group";
    }
    for (k = 0; k < count; k++) {
        const char  axis = "xyz"[count - 1 - k], *lane = NULL;
        if (local[k] > 1) {
            const char *dot = strrchr(item[k], '.');
            irl__auto_split_at(a, p, dot ? dot + 1 : item[k], item[k], local[k], "gl", &item[k],
                               &lane, "");
        }
        irl__auto_step(p, k ? "" : "independent iterations become work-items",
                       "bind(%s, %s.%c);", item[k], range, axis);
        if (lane)
            irl__auto_step(p, "work-items of whole subgroups", "bind(%s, local.%c);", lane, axis);
    }
}

/* The innermost loop that reduces, if it is short and not cut, where lanes lie apart: its
   iterations read what lies between them. -1: none. */
static int irl__auto_between(const irl__auto_nest *n, const irl__auto_plan *p,
                             const irl__auto_cut *cuts)
{
    const int k = irl__auto_last_reduce(n);
    return k >= 0 && p->strided && !cuts[k].inner && !cuts[k].run && !cuts[k].window &&
                   irl__auto_is_written_out(n, k)
               ? k : -1;
}

/* In a tile whose rows ask with its window for a remainder: is loop k another one that reduces and
   changes what is asked, and short enough to be written out too? */
static int irl__auto_is_asked(const irl__auto_nest *n, const irl__auto_plan *p, int k)
{
    return p->phase > 1 && k != p->window && n->loops[k].is_reduce &&
           irl__auto_phase(n, k, -1) > 1 && irl__auto_is_written_out(n, k) &&
           p->rows * p->vectors * n->loops[p->window].extent * n->loops[k].extent <=
               IRL__AUTO_SHORT;
}

void irl__auto_tile_marks(const irl__auto_nest *n, irl__auto_plan *p, const char *init,
                          const irl__auto_cut *cuts)
{
    const int between = init ? -1 : irl__auto_between(n, p, cuts);
    if (between >= 0)
        irl__auto_step(p, "its iterations read the elements that are between those of the lanes",
                       "unroll(%s);", irl__auto_member(n, between));
    for (int k = 0; k < n->loop_count; k++) {
        const char *of = init ? init : "", *dot = init ? "." : "";
        if (init && n->loops[k].is_reduce) continue;
        if (cuts[k].window || k == p->second)
            irl__auto_step(p, "operands shared by neighbouring iterations are read once",
                           "unroll(%s);", k == p->second ? cuts[k].outer : cuts[k].window);
        if (irl__auto_is_asked(n, p, k))
            irl__auto_step(p, "unrolled: each iteration is then known to be skipped, or not",
                           "unroll(%s);", cuts[k].outer);
        if (cuts[k].run)
            irl__auto_step(p, "its iterations read the lanes of one texel", "unroll(%s);",
                           cuts[k].run);
        if (cuts[k].inner)
            irl__auto_step(p, init ? "" : "unrolled, so that each result of the tile has its own "
                                          "register",
                           "unroll(%s%s%s);", of, dot, cuts[k].inner);
        if (cuts[k].lane)
            irl__auto_step(p, "", "vectorize(%s%s%s);", of, dot, cuts[k].lane);
    }
}

int irl__auto_is_spread(const irl__auto_nest *n, const irl__auto_plan *p)
{
    const irl__auto_row *w = &n->rows[n->written];
    return p->vector >= 0 && (irl__auto_index_of(n, w, p->vector) < 0 ||
                              (p->rows > 1 && irl__auto_index_of(n, w, p->row) < 0));
}

/* The indices of sums in registers: those of the result, or where a tile of it has gaps the spatial
   axes of the block. Their number. */
static int irl__auto_sum_indices(const irl__auto_nest *n, const irl__auto_plan *p,
                                 const irl_expr **out)
{
    const irl__access *w = n->rows[n->written].access;
    int                count = 0;
    if (!n->block || !irl__auto_is_spread(n, p)) {
        for (int k = 0; k < w->rank; k++) out[k] = w->indices[k];
        return w->rank;
    }
    for (int k = 0; k < n->block->axis_count; k++)
        if (!n->block->axes[k].is_reduction && count < IRL_MAX_RANK)
            out[count++] = n->block->axes[k].var;
    return count;
}

/* The copy of what counts of a nest that was padded, along its axis of that number, in a tile of
   all columns. */
static void irl__auto_crop_marks(irl__auto *a, irl__auto_plan *p, const char *crop, int axis)
{
    const int64_t extent = a->counts, whole = extent / p->lanes * p->lanes;
    const char   *all = irl__reason(a->cx, "%s.ax%d", crop, axis), *parts[2] = { NULL, all };
    const char   *group, *lane;
    if (whole > 0) {
        irl__auto_cut_off(a, p, crop, all, parts, whole, 0,
                          "whole vectors, then the valid lanes of the last one");
        irl__auto_split_at(a, p, crop, parts[0], p->lanes, "iv", &group, &lane, "");
        irl__auto_step(p, "", "unroll(%s);", group);
        irl__auto_step(p, "", "vectorize(%s);", lane);
    }
    irl__auto_step(p, "", "unroll(%s);", parts[1]);
}

void irl__auto_store_marks(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                           const char *acc)
{
    const irl_expr *indices[IRL_MAX_RANK];
    const int       count = irl__auto_sum_indices(n, p, indices);
    for (int k = 0; k < count; k++) {
        const int   j = irl__auto_loop_of(n, indices[k], 1);
        const char *axis = irl__reason(a->cx, "%s.ax%d", acc, k), *lane, *whole;
        if (j < 0) continue;
        if ((j == p->row && p->rows > 1) || p->period[j] > 1)
            irl__auto_step(p, "", "unroll(%s);", axis);
        if (j != p->vector) continue;
        if (p->crop && irl__auto_is_whole(n, p)) irl__auto_crop_marks(a, p, acc, k);
        else if (p->stored == 1) irl__auto_step(p, "", "unroll(%s);", axis);
        else if (p->vectors == 1 && p->stored == p->lanes)
            irl__auto_step(p, "", "vectorize(%s);", axis);
        else {
            irl__auto_split_at(a, p, acc, axis, p->stored, "iv", &whole, &lane,
                               p->stored == p->lanes ? "" : "that many elements are contiguous "
                                                            "in memory");
            irl__auto_step(p, "", "unroll(%s);", whole);
            irl__auto_step(p, "", "vectorize(%s);", lane);
        }
    }
}

/* ------------------------------------------------------------------ copies of operands */

/* The axis that an index is, or (is_near) to which it adds a number, or which it subtracts from
   one; NULL: it is another index. */
static const irl_expr *irl__auto_axis_of(const irl_expr *e, int is_near)
{
    if (is_near && (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB)) {
        if (e->a[0]->op == IRL_OP_INT) e = e->a[1];
        else if (e->a[1]->op == IRL_OP_INT) e = e->a[0];
    }
    return e->op == IRL_OP_VAR ? e : NULL;
}

/* Does the block read the buffer elsewhere over other axes alone? A map tells which is copied. */
static int irl__auto_is_told(const irl__auto_nest *n, const irl__auto_row *row)
{
    int j;
    for (int k = 0; k < n->row_count; k++) {
        const irl__access *b = n->rows[k].access;
        if (b->memory != row->access->memory || irl__access_is_same(row->access, b)) continue;
        if (b->buffer != row->access->buffer || n->rows[k].is_write || !n->block) return 0;
        for (j = 0; j < n->block->axis_count; j++)
            if (irl__exprs_use_var(b->rank, b->indices, n->block->axes[j].var) !=
                irl__exprs_use_var(b->rank, row->access->indices, n->block->axes[j].var))
                break;
        if (j == n->block->axis_count) return 0;
    }
    return 1;
}

/* The axes of which the indices of an operand are made, in the block's order, and how many points
   they have; 0: one of them is no loop of the nest, or they are too many. */
static int irl__auto_axes_of(const irl__auto_nest *n, const irl__access *a, const irl_expr **out,
                             int64_t *points)
{
    int count = 0;
    *points = 1;
    for (int k = 0; k < n->block->axis_count; k++) {
        const irl__axis *axis = &n->block->axes[k];
        if (!irl__exprs_use_var(a->rank, a->indices, axis->var)) continue;
        if (count == IRL_MAX_RANK || irl__auto_loop_of(n, axis->var, 0) < 0 ||
            axis->extent->op != IRL_OP_INT || !irl__mul64(*points, axis->extent->u.i, points))
            return 0;
        out[count++] = axis->var;
    }
    return count;
}

/* Are indices made of axes (t[o / 16 * 8 + i, o % 16]) that have no more points than the box of
   cells that they reach? Then a copy over these axes is no larger than what it copies. That of
   x[q + s] would be. */
static int irl__auto_is_mixed(const irl__auto_nest *n, const irl__access *a)
{
    const irl_expr *axis[IRL_MAX_RANK];
    irl__analyzer  *an = irl__analyzer_begin(n->cx);
    int64_t         points, lo, hi, cells = 1;
    if (!an || n->around_count || !irl__auto_axes_of(n, a, axis, &points)) return 0;
    for (int k = 0; k < n->block->axis_count; k++)
        if (!irl__bind_extent(an, n->block->axes[k].var, irl_expr_index(n->cx, 0),
                              n->block->axes[k].extent))
            return 0;
    for (int k = 0; k < a->rank; k++) {
        if (a->indices[k]->flags & IRL__HAS_MEMORY) return 0;
        irl__range(an, a->indices[k], &lo, &hi);
        if (lo < -INT32_MAX || hi > INT32_MAX || !irl__mul64(cells, hi - lo + 1, &cells)) return 0;
    }
    return points <= cells;
}

int irl__auto_may_pack(const irl__auto_nest *n, const irl__auto_row *row, int is_near)
{
    const irl__access *a = row->access;
    const irl_expr    *axis[IRL_MAX_RANK];
    if (!n->target->vector_bytes) return 0; /* nor memory for copies */
    if (!n->block || n->is_inside || row->is_guarded || a->rank < 1 || a->lanes != 1) return 0;
    int is_plain = 1;
    for (int k = 0; k < a->rank && is_plain; k++) {
        axis[k] = irl__auto_axis_of(a->indices[k], is_near);
        is_plain = axis[k] && irl__auto_loop_of(n, axis[k], 0) >= 0;
        for (int j = 0; j < k; j++) is_plain &= axis[j] != axis[k];
    }
    if (!is_plain && (!is_near || !irl__auto_is_mixed(n, a))) return 0;
    return irl__auto_is_told(n, row) && irl__auto_reuse(n, row) >= IRL__AUTO_REUSE;
}

int irl__auto_may_turn(const irl__auto_nest *n, const irl__auto_row *row, int k, int along,
                       int64_t lanes)
{
    if (!n->target->vector_bytes || along < 0 || along == k || row->is_guarded ||
        row->step[along] != 1 ||
        row->run[along] < lanes || !irl__auto_divides(n, along, lanes) ||
        irl__auto_index_of(n, row, k) < 0 || irl__auto_index_of(n, row, along) < 0)
        return 0;
    for (int j = 0; j < row->access->rank; j++)
        if (irl__auto_loop_of(n, row->access->indices[j], 0) < 0) return 0;
    if (!(n->block ? irl__auto_is_told(n, row) : irl__auto_is_alone(n, row))) return 0;
    for (int j = along + 1; j < n->loop_count; j++)
        if (n->loops[along].is_reduce && n->loops[j].is_reduce) return 0;
    return n->is_reduction == n->loops[along].is_reduce;
}

void irl__auto_axes(irl__text *t, const irl__auto_nest *n)
{
    for (int k = 0; k < n->block->axis_count; k++) {
        irl__text_puts(t, k ? ", " : "(");
        irl__print_symbol(t, n->block->axes[k].var->u.name);
    }
    irl__text_puts(t, ") -> (");
}

/* Indices of an operand in the order of their loops, for a copy that is read in that order. */
static int irl__auto_in_order(const irl__auto_nest *n, const irl__auto_row *row, int *at)
{
    int count = 0;
    for (int k = 0; k < n->loop_count; k++) {
        const int index = irl__auto_index_of(n, row, k);
        if (index >= 0) at[count++] = index;
    }
    return count;
}

const char *irl__auto_copy_map(irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p,
                               int row)
{
    const irl__access *access = n->rows[row].access;
    const irl_expr    *indices[IRL_MAX_RANK];
    int                at[IRL_MAX_RANK], count = access->rank, last = -1, k, is_next = 0;
    int64_t            panel = p->panel[row], points;
    irl__text          t;
    if (row == n->written) count = irl__auto_sum_indices(n, p, indices);
    else memcpy(indices, access->indices, (size_t)count * sizeof *indices);
    for (k = 0; k < count; k++) at[k] = k;
    if (p->copy[row] == IRL__AUTO_LINED) count = irl__auto_in_order(n, &n->rows[row], at);
    if (p->copy[row] != IRL__AUTO_TURNED)
        last = irl__auto_index_of(n, &n->rows[row], p->last[row]);
    for (k = 0; k < count && irl__auto_axis_of(indices[k], 1); k++) {}
    const int is_mixed = k < count && row != n->written;
    if (is_mixed) count = irl__auto_axes_of(n, access, indices, &points);
    if (is_mixed || row == n->written) {
        for (k = 0; k < count; k++) at[k] = k;
        for (last = count; last-- > 0;)
            if (irl__auto_loop_of(n, indices[last], 0) == p->last[row]) break;
    }
    const irl_expr *lane = last < 0 ? NULL : irl__auto_axis_of(indices[last], 1);
    if (last >= 0 && !lane) return NULL;
    irl__text_init(&t, a->cx);
    irl__auto_axes(&t, n);
    for (k = 0; k < count; k++) {
        if (at[k] == last) continue;
        const irl_expr *index = irl__auto_axis_of(indices[at[k]], 1);
        if (!index) return NULL;
        irl__text_puts(&t, is_next++ ? ", " : "");
        if (panel && n->loops[irl__auto_loop_of(n, index, 0)].is_reduce) {
            irl__print_symbol(&t, lane->u.name);
            irl__textf(&t, " / %l, ", panel);
            panel = 0;
        }
        irl__print_symbol(&t, index->u.name);
    }
    if (last >= 0) {
        irl__text_puts(&t, is_next ? ", " : "");
        irl__print_symbol(&t, lane->u.name);
        if (p->panel[row]) irl__textf(&t, " %% %l", p->panel[row]);
    }
    irl__text_puts(&t, ")");
    return irl__text_or_empty(irl__text_done(&t));
}

int irl__auto_copies(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    static const char *const reasons[] = {
        "", "lanes would be gathered many times: a copy makes vectors contiguous",
        "contiguous along another loop than the vectors': a tile is transposed",
        "consecutive reads are far apart in memory: a copy puts them next to each other"
    };
    const int is_part = a->deep || irl__auto_is_symbolic(n); /* other parts read it themselves */
    int       j;
    for (int k = 0; k < n->row_count; k++) {
        const int         is_packed = p->copy[k] != IRL__AUTO_TURNED;
        const irl_buffer *b = n->rows[k].access->buffer;
        const char       *buffer, *map = "";
        for (j = 0; j < k && !irl__access_is_same(n->rows[j].access, n->rows[k].access); j++) {}
        if (j < k) p->copy[k] = IRL__AUTO_DIRECT; /* the same place: it reads that copy */
        if (p->copy[k] == IRL__AUTO_DIRECT) continue;
        if (p->copy[k] == IRL__AUTO_PACKED) p->last[k] = p->vector;
        p->made[k] = irl__auto_name(a, b->name, is_packed ? "packed" : "tile");
        buffer = irl__symbol_text(a->cx, b->name);
        if (n->block) map = irl__auto_copy_map(a, n, p, k);
        if (!map) return 0;
        if (n->block)
            irl__auto_step(p, reasons[p->copy[k]], "%s = reindex_cache_read(%s, %s, %s, %s);",
                           p->made[k], n->name, buffer, is_packed ? "global" : "local", map);
        else
            irl__auto_step(p, reasons[p->copy[k]], "%s = cache_read(%s, %s, local%s%s);",
                           p->made[k], n->name, buffer, is_part ? ", " : "",
                           is_part ? n->name : "");
    }
    return 1;
}

const char *irl__auto_copy_of(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p, int k,
                              const char *suffix, const char *reason, const char *form)
{
    const char *buffer = n->rows[k].access->buffer->name, *made = irl__auto_name(a, buffer, suffix);
    irl__auto_step(p, reason, form, made, n->name, irl__symbol_text(a->cx, buffer), n->name);
    return made;
}

int irl__auto_copies_before(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int is_value = p->way == IRL__AUTO_VALUES;
    int       j;
    for (int k = 0; n->block && k < n->row_count && !(p->again && is_value); k++) {
        const irl_buffer *b = n->rows[k].access->buffer;
        for (j = 0; j < k && !(p->made[j] && n->rows[j].access->buffer == b); j++) {}
        if (!b || j < k || irl__auto_is_own(n, k) ||
            irl__auto_reuse(n, &n->rows[k]) < IRL__AUTO_REUSE)
            continue;
        if (is_value) {
            const irl_expr *value = irl__cached_value(n->block, b);
            if (!value || !irl__expr_any(value, irl__auto_is_function, NULL)) continue;
            p->made[k] = irl__auto_copy_of(a, n, p, k, "value", "functions are computed once for "
                                           "each element, not in each iteration that reads it",
                                           "%s = cache_value(%s, %s);");
        } else if (n->rows[k].is_guarded || n->rows[k].is_held)
            p->made[k] = irl__auto_copy_of(a, n, p, k, "padded", "its reads are guarded at the "
                                           "border, and repeated: a copy includes the border", "%s "
                                           "= cache_padded(%s, %s, global);");
        else continue;
        p->copy[k] = IRL__AUTO_PACKED;
        p->again = n->block->name;
    }
    return p->again != NULL;
}

/* The number of a loop among those of a copy: of a block's, in the order of its axes; else of the
   buffer's. */
static int irl__auto_copy_axis(const irl__auto_nest *n, const irl__auto_row *row, int loop)
{
    int number = 0;
    if (!n->block) return irl__auto_index_of(n, row, loop);
    for (int k = 0; k < n->block->axis_count; k++) {
        if (n->block->axes[k].binding == n->loops[loop].stmt->u.loop.var) return number;
        for (int j = 0; j < row->access->rank; j++)
            number += row->access->indices[j] == n->block->axes[k].var;
    }
    return number;
}

void irl__auto_turns(const irl__auto_nest *n, irl__auto_plan *p, const char *loop)
{
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        if (p->copy[k] != IRL__AUTO_TURNED) continue;
        irl__auto_step(p, "", "compute_at(%s, %s);", p->made[k], loop);
        irl__auto_step(p, "", "unroll(%s.ax%d);", p->made[k],
                       irl__auto_copy_axis(n, row, p->vector));
        irl__auto_step(p, "", "vectorize(%s.ax%d);", p->made[k],
                       irl__auto_copy_axis(n, row, p->along));
    }
}
