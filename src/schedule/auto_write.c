/* auto_write.c - decisions as the text of steps: names, cuts, their order, marks of tiles.

   needs     auto_nest.c
   promises  names that the function and its steps do not have; one step, one line; a reason behind
             a decision. Nothing is decided here.
   cost      linear in the text, and of a name in the function */
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
    irl__text t;
    int       number;
    if (!base || *base == '`') base = "loop";
    for (;;) {
        irl__text_init(&t, a->cx);
        irl__textf(&t, "%s_%s", base, suffix);
        const char *name = irl__text_done(&t);
        if (!name) return NULL;
        /* The least number that gives a new name. */
        irl__auto_names q;
        irl__visitor    v = irl__visitor_make(&q, NULL, irl__auto_see_name);
        int             k;
        q.base = name;
        q.length = strlen(name);
        q.used = 0;
        irl__visit_stmt(&v, a->f->body);
        for (const irl__sched_steps *at = a->f->steps; at; at = at->before)
            for (k = 0; k < at->named_count; k++) irl__auto_see(&q, at->named[k].name);
        for (k = 0; k < 64 && (q.used >> k & 1); k++) {
        }
        number = k;
        if (number == 0) return name;
        if (number < 64) break;
        base = name; /* too many: a longer one */
    }
    irl__textf(&t, "%d", number);
    return irl__text_done(&t);
}

void irl__auto_plan_begin(irl__auto *a, irl__auto_plan *p)
{
    memset(p, 0, sizeof *p);
    p->vector = p->row = p->along = p->window = p->second = -1;
    p->lanes = p->rows = p->vectors = p->length = p->stored = p->updates = 1;
    irl__text_init(&p->text, a->cx);
}

const char *irl__auto_member(const irl__auto_nest *n, int k)
{
    irl__text t;
    irl__text_init(&t, n->cx);
    irl__textf(&t, "%s.%s", n->name, n->loops[k].name);
    return irl__text_done(&t);
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

void irl__auto_put(irl__auto_plan *p, int *any, const char *name)
{
    if (name) irl__textf(&p->text, "%s%s", (*any)++ ? ", " : "    reorder(", name);
}

void irl__auto_cut_off(const irl__auto_nest *n, irl__auto_plan *p, int k, const char *loop,
                       const char *const *parts, int64_t at, int64_t group, const char *reason)
{
    const int is_symbolic = n->loops[k].is_symbolic;
    irl__auto_step(p, reason, "(%s, %s) = %s(%s, %l);", parts[0], parts[1],
                   is_symbolic ? "peel" : "partition", loop, is_symbolic ? group : at);
}

/* Do iterations of a loop read the lanes of one texel? */
static int irl__auto_reads_texels(const irl__auto_nest *n, int loop)
{
    int k = 0;
    while (k < n->row_count && !irl__auto_is_lanes(&n->rows[k], loop)) k++;
    return k < n->row_count;
}

/* For how many iterations of the innermost loop that reduces all operands of a tile go on as from
   the first one, if the layout of one has them elsewhere then; 0: for all. */
static int64_t irl__auto_run(const irl__auto_nest *n, const irl__auto_plan *p, int loop)
{
    const int64_t extent = n->loops[loop].extent;
    int64_t       run = extent;
    if (!n->loops[loop].is_reduce || p->along >= 0 ||
        (p->rows * p->vectors < 2 && !irl__auto_reads_texels(n, loop)))
        return 0;
    for (int k = loop + 1; k < n->loop_count; k++)
        if (n->loops[k].is_reduce) return 0;
    for (int k = 0; k < n->row_count; k++)
        if (p->copy[k] == IRL__AUTO_DIRECT && n->rows[k].is_runs[loop] &&
            !n->rows[k].is_even[loop] && n->rows[k].run[loop] < run)
            run = n->rows[k].run[loop];
        else if (irl__auto_is_lanes(&n->rows[k], loop) && run > IRL__TEXEL_LANES)
            run = IRL__TEXEL_LANES;
    return run > 1 && run < extent && irl__auto_divides(n, loop, run) ? run : 0;
}

/* Loop k in two, the inner part of that length. */
static int irl__auto_in_two(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p, int k,
                            irl__auto_cut *c, const char **inner, int64_t length,
                            const char *reason)
{
    const char *name = n->loops[k].name;
    c->outer = irl__auto_name(a, name, "o");
    *inner = irl__auto_name(a, name, inner == &c->lane ? "v" : "i");
    if (!c->outer || !*inner) return 0;
    irl__auto_step(p, reason, "(%s, %s) = split(%s.%s, %l);", c->outer, *inner, n->name, name,
                   length);
    c->each = length;
    return 1;
}

static int irl__auto_cut_loop(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p, int k,
                              irl__auto_cut *c)
{
    const int64_t run = irl__auto_run(n, p, k);
    const char  **whole = k == p->window ? &c->window : &c->outer;
    if (k == p->row && p->rows > 1)
        return irl__auto_in_two(a, n, p, k, c, &c->inner, p->rows,
                                irl__reason(a->cx, "a tile fills %l by %l registers; each "
                                                   "iteration "
                                                   "loads %l", p->rows, p->vectors, p->loads));
    if (k == p->along && n->loops[k].extent > p->length)
        return irl__auto_in_two(a, n, p, k, c, &c->inner, p->length, "the tile's length");
    if (p->period[k] > 1)
        return irl__auto_in_two(a, n, p, k, c, &c->inner, p->period[k],
                                "these iterations read the same elements, or neighbouring ones");
    if (k == p->vector) {
        /* The loop of the vectors, in three where a tile has several. */
        const char *name = n->loops[p->vector].name, *reason;
        reason = irl__reason(a->cx, "vectors of %l along contiguous memory", p->lanes);
        if (p->vectors == 1)
            return irl__auto_in_two(a, n, p, p->vector, c, &c->lane, p->lanes, reason);
        c->outer = irl__auto_name(a, name, "o");
        c->inner = irl__auto_name(a, name, "i");
        c->lane = irl__auto_name(a, name, "v");
        if (!c->outer || !c->inner || !c->lane) return 0;
        c->each = p->vectors * p->lanes;
        irl__auto_step(p, reason, "(%s, %s, %s) = split(%s.%s, _, %l, %l);", c->outer, c->inner,
                       c->lane, n->name, name, p->vectors, p->lanes);
        return 1;
    }
    if (run)
        return irl__auto_in_two(a, n, p, k, c, &c->run, run,
                                "memory is contiguous for so many iterations");
    *whole = irl__auto_member(n, k);
    return *whole != NULL;
}

int irl__auto_cuts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                   irl__auto_cut *cuts)
{
    memset(cuts, 0, sizeof *cuts * IRL__AUTO_LOOPS);
    for (int k = 0; k < n->loop_count; k++)
        if (!irl__auto_cut_loop(a, n, p, k, &cuts[k])) return 0;
    return 1;
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

/* The loops in their order; where one was moved outside to be cut, in that of the result. */
static void irl__auto_loop_order(const irl__auto_nest *n, int *order)
{
    for (int k = 0; k < n->loop_count; k++) {
        int at = k;
        for (; n->is_moved && at > 0 && irl__auto_is_outer(n, order[at - 1], k); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

int irl__auto_nth(const irl__auto_nest *n, const irl__auto_plan *p, int at)
{
    /* of a loop that is not cut a tile has all */
    const int whole = p->along >= 0 && n->loops[p->along].extent <= p->length ? p->along : -1;
    int       order[IRL__AUTO_LOOPS];
    irl__auto_loop_order(n, order);
    if ((n->is_reduction && !p->is_short) || p->vector < 0 || irl__auto_is_paneled(n, p))
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
    irl__text *t = &p->text;
    int        at, round, any = 0;
    irl__text_puts(t, "    reorder(");
    for (round = 0; round < 6; round++)
        for (at = 0; at < n->loop_count; at++) {
            const int            k = irl__auto_nth(n, p, at);
            const irl__auto_cut *c = &cuts[k];
            const char *name = round < 2 ? (n->loops[k].is_reduce == round ? c->outer : NULL)
                               : round == 2 ? (k == p->vector ? NULL : c->inner)
                               : round == 3 ? c->window
                               : round == 4 ? (k == p->vector ? c->inner : NULL)
                                            : c->lane;
            if (!name) continue;
            irl__textf(t, "%s%s", any ? ", " : "", name);
            if (round == 1 && c->run) irl__textf(t, ", %s", c->run);
            any = 1;
        }
    irl__text_puts(t, "); // work-items outermost, then the reduction, then the tile\n");
    p->steps++;
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
            for (k = count; lanes == least && k-- > 0 && at[k] == best[k];) {}
            if (lanes < least || (lanes == least && k >= 0 && at[k] > best[k]))
                memcpy(best, at, sizeof at);
            if (lanes < least) least = lanes;
        }
        for (k = 0; k < count; at[k++] = 1) {
            if (at[k] == extent[k] || at[k] >= t->group_items) continue;
            at[k] = 2 * at[k] < extent[k] ? 2 * at[k] : extent[k];
            break;
        }
    }
}

int irl__auto_items(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                    const irl__auto_cut *cuts, const char *range)
{
    static const char axes[] = "xyz";
    const char  *item[IRL__AUTO_LOOPS];
    int64_t      extent[IRL__AUTO_LOOPS], local[3] = { 1, 1, 1 }, others = 1;
    int          count = 0, k, at, last = -1;
    for (at = 0; at < n->loop_count && !n->is_inside; at++) {
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
    if (count > 3) {
        const char *name = irl__auto_name(a, n->name, "items");
        if (!name) return 0;
        irl__textf(&p->text, "    %s = fuse(", name);
        for (k = 0; k <= count - 3; k++) {
            irl__textf(&p->text, "%s%s", k ? ", " : "", item[k]);
            if (k && !irl__mul64(extent[0], extent[k], &extent[0])) extent[0] = INT32_MAX;
        }
        irl__text_puts(&p->text, "); // a launch has three dimensions\n");
        p->steps++;
        item[0] = name;
        item[1] = item[count - 2];
        item[2] = item[count - 1];
        extent[1] = extent[count - 2];
        extent[2] = extent[count - 1];
        count = 3;
    }
    if (n->target->subgroup && !n->target->banks) {
        irl__auto_wave(n->target, extent, count, local);
        range = "group";
    }
    for (k = 0; k < count; k++) {
        const char *lane = NULL;
        if (local[k] > 1) {
            const char *dot = strrchr(item[k], '.'), *base = dot ? dot + 1 : item[k];
            const char *group = irl__auto_name(a, base, "g");
            lane = irl__auto_name(a, base, "l");
            if (!group || !lane) return 0;
            irl__auto_step(p, "", "(%s, %s) = split(%s, %l);", group, lane, item[k], local[k]);
            item[k] = group;
        }
        irl__auto_step(p, k ? "" : "independent iterations become work-items",
                       "bind(%s, %s.%c);", item[k], range, axes[count - 1 - k]);
        if (lane)
            irl__auto_step(p, "work-items of whole subgroups", "bind(%s, local.%c);", lane,
                           axes[count - 1 - k]);
    }
    return 1;
}

/* The innermost loop that reduces, if it is short and not cut, where lanes lie apart: its
   iterations read what lies between them. -1: none. */
static int irl__auto_between(const irl__auto_nest *n, const irl__auto_plan *p,
                             const irl__auto_cut *cuts)
{
    int k = n->loop_count;
    while (k-- > 0 && !n->loops[k].is_reduce) {}
    return k >= 0 && p->strided && !cuts[k].inner && !cuts[k].run && !cuts[k].window &&
                   irl__auto_is_written_out(n, k)
               ? k : -1;
}

void irl__auto_tile_marks(const irl__auto_nest *n, irl__auto_plan *p, const char *init,
                          const irl__auto_cut *cuts)
{
    const int between = init ? -1 : irl__auto_between(n, p, cuts);
    if (between >= 0)
        irl__auto_step(p, "its iterations read the elements between the lanes", "unroll(%s);",
                       irl__text_or_empty(irl__auto_member(n, between)));
    for (int k = 0; k < n->loop_count; k++) {
        const char *of = init ? init : "", *dot = init ? "." : "";
        if (init && n->loops[k].is_reduce) continue;
        if (cuts[k].window || k == p->second)
            irl__auto_step(p, "operands shared by neighbouring iterations are read "
                              "once", "unroll(%s);",
                           k == p->second ? cuts[k].outer : cuts[k].window);
        if (cuts[k].run && irl__auto_reads_texels(n, k))
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

/* The copy of what counts of a nest that was padded, along its axis of that number, in a tile of
   all columns. */
static int irl__auto_crop_marks(irl__auto *a, irl__auto_plan *p, const char *crop, int axis)
{
    const int64_t extent = a->counts, whole = extent / p->lanes * p->lanes;
    const char   *first = irl__auto_name(a, crop, "a"), *rest = irl__auto_name(a, crop, "b");
    const char   *group = irl__auto_name(a, crop, "i"), *lane = irl__auto_name(a, crop, "v");
    if (!first || !rest || !group || !lane) return 0;
    if (whole == 0) {
        irl__auto_step(p, "", "unroll(%s.ax%d);", crop, axis);
        return 1;
    }
    irl__auto_step(p, "whole vectors, then the valid lanes of the last one",
                   "(%s, %s) = partition(%s.ax%d, %l);", first, rest, crop, axis, whole);
    irl__auto_step(p, "", "(%s, %s) = split(%s, %l);", group, lane, first, p->lanes);
    irl__auto_step(p, "", "unroll(%s);", group);
    irl__auto_step(p, "", "vectorize(%s);", lane);
    irl__auto_step(p, "", "unroll(%s);", rest);
    return 1;
}

int irl__auto_store_marks(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                          const char *acc)
{
    const irl_expr *indices[IRL_MAX_RANK];
    const int       count = irl__auto_sum_indices(n, p->vector, indices);
    char            axis[16];
    irl__text       t;
    for (int k = 0; k < count; k++) {
        int j = irl__auto_loop_near(n, indices[k]);
        if (j < 0) continue;
        irl__text_init_fixed(&t, axis, sizeof axis);
        irl__textf(&t, "ax%d", k);
        if ((j == p->row && p->rows > 1) || p->period[j] > 1)
            irl__auto_step(p, "", "unroll(%s.%s);", acc, axis);
        if (j == p->vector && p->is_padded) {
            if (!irl__auto_crop_marks(a, p, acc, k)) return 0;
        } else if (j == p->vector) {
            const char *lane = irl__auto_name(a, acc, "v"), *whole = irl__auto_name(a, acc, "i");
            if (!lane || !whole) return 0;
            if (p->stored == 1) irl__auto_step(p, "", "unroll(%s.%s);", acc, axis);
            else if (p->vectors == 1 && p->stored == p->lanes)
                irl__auto_step(p, "", "vectorize(%s.%s);", acc, axis);
            else {
                irl__auto_step(p, p->stored == p->lanes ? "" : "memory is contiguous for so many "
                                                               "elements",
                               "(%s, %s) = split(%s.%s, %l);", whole, lane, acc, axis, p->stored);
                irl__auto_step(p, "", "unroll(%s);", whole);
                irl__auto_step(p, "", "vectorize(%s);", lane);
            }
        }
    }
    return 1;
}
