/* lanes_gather.c - gathers of nearby elements become loads of the window around them, and shuffles.

   requires  loads that are scalars or runs, each lane from one of them
   maintains what is computed; and that nothing outside of what was read is read: each window is
             between the first and the last element that the lanes read, all of which are read if
             the value is, so it is inside the buffer. Elements between them are read that were not
             read before: memory that the kernel writes is left as it is. For bytes only if the
             target picks lanes of two vectors, else for elements of 4 bytes (irl__target_gathers)
   breaks    nothing
   cost      linear in the lanes; linear in the kernel, for each such gather */
#include "pass.h"

enum { IRL__GATHER_MOST = 4 };

/* Where the lanes lie. */
typedef struct irl__gather {
    const irl_buffer *of;
    const irl_expr   *least;             /* the index of the first element */
    int64_t           at[IRL_MAX_LANES]; /* of each lane, from the first */
    int64_t           size;              /* elements, from the first to the last */
    int               loads;             /* that differ */
} irl__gather;

/* ------------------------------------------------------------------ where the lanes lie */

static int irl__gather_takes(const irl_expr *load)
{
    const irl_expr *index = load->count == 1 ? load->a[0] : NULL;
    if (load->op != IRL_OP_LOAD || !index || load->u.buffer->rank != 1 ||
        load->u.buffer->type.lanes != 1 || load->u.buffer->scope != IRL_SCOPE_GLOBAL)
        return 0;
    if (index->type.lanes > 1) {
        if (!irl__index_is_run(index)) return 0;
        index = index->a[0];
    }
    return !(index->flags & (IRL__HAS_MEMORY | IRL__HAS_LANES | IRL__HAS_LET));
}

/* The distance of an index from another one, where it is a number. */
static int irl__gather_distance(irl_ctx *cx, const irl_expr *from, const irl_expr *to, int64_t *by)
{
    const irl_expr *d = from == to ? irl_expr_int(cx, from->type, 0)
                                   : irl__simplify_alone(cx, irl__sub(cx, to, from));
    if (!d || d->op != IRL_OP_INT) return 0;
    *by = d->u.i;
    return 1;
}

/* Lane k of e as a load and the lane of that; NULL: it is something else. */
static const irl_expr *irl__gather_load(const irl_expr *e, uint32_t *k)
{
    const irl_expr *from;
    while ((from = irl__lane_operand(e, k)) != NULL) e = from;
    if (e->type.lanes == 1) *k = 0;
    return irl__gather_takes(e) ? e : NULL;
}

static int irl__gather_of(irl_ctx *cx, const irl_expr *e, irl__gather *w)
{
    const irl_expr *first = NULL, *last = NULL, *load, *index;
    int64_t         least = 0, most = 0, by = 0;
    uint32_t        lane;
    memset(w, 0, sizeof *w);
    for (uint32_t k = 0; k < e->type.lanes; k++) {
        lane = k;
        load = irl__gather_load(e, &lane);
        if (!load || (w->of && load->u.buffer != w->of)) return 0;
        w->of = load->u.buffer;
        index = load->type.lanes > 1 ? load->a[0]->a[0] : load->a[0];
        if (!first) first = index;
        if (load != last && !irl__gather_distance(cx, first, index, &by)) return 0;
        w->loads += load != last;
        last = load;
        if (!irl__add64(by, (int64_t)lane, &w->at[k])) return 0;
        if (k == 0 || w->at[k] < least) least = w->at[k];
        if (k == 0 || w->at[k] > most) most = w->at[k];
    }
    /* first and last may be 2^63 apart */
    if (!irl__sub64(most, least, &w->size) ||
        w->size >= (int64_t)IRL__GATHER_MOST * e->type.lanes)
        return 0;
    w->size++;
    for (uint32_t k = 0; k < e->type.lanes; k++) w->at[k] -= least;
    w->least = irl__simplify_alone(cx, irl__add(cx, first, irl_expr_int(cx, first->type, least)));
    return w->least && w->loads > 1;
}

/* ------------------------------------------------------------------ the windows */

/* The widest vector that is not longer than the elements, nor than the value. */
static uint32_t irl__gather_width(const irl_target *target, const irl__gather *w, uint32_t lanes)
{
    uint32_t width = 16;
    while (width > 1 && (width > lanes || (int64_t)width > w->size ||
                         !irl__target_has_width(target, width)))
        width /= 2;
    return width > 1 ? width : 0;
}

/* Begins of windows that hold all lanes, in order; 0: there are too many. */
static int irl__gather_begins(const irl__gather *w, uint32_t lanes, int64_t width, int64_t *begin)
{
    int64_t done = 0, next;
    int     count = 0;
    for (;;) {
        next = INT64_MAX;
        for (uint32_t k = 0; k < lanes; k++)
            if (w->at[k] >= done && w->at[k] < next) next = w->at[k];
        if (next == INT64_MAX) return count;
        if (count == IRL__GATHER_MOST) return 0;
        begin[count] = next < w->size - width ? next : w->size - width;
        done = begin[count++] + width;
    }
}

/* The window from which a lane of a part of the value is taken: of several that hold it that of
   its own part, so that the shuffle of a machine that has them of parts alone is one. */
static int irl__gather_for(int64_t at, int64_t width, const int64_t *begin, int count, int part)
{
    int j;
    if (part < count && at >= begin[part] && at < begin[part] + width) return part;
    for (j = 0; at < begin[j] || at >= begin[j] + width;) j++; /* there is one */
    return j;
}

/* The first window's lanes and the second's, then those and the third's ... */
static const irl_expr *irl__gather_shuffles(irl_ctx *cx, const irl__gather *w, uint32_t lanes,
                                            const int64_t *begin, const irl_expr *const *loads,
                                            int count)
{
    const irl_expr *pair[2];
    int             picks[IRL_MAX_LANES], from[IRL_MAX_LANES], width = (int)loads[0]->type.lanes;
    uint32_t        k;
    for (k = 0; k < lanes; k++)
        from[k] = irl__gather_for(w->at[k], width, begin, count,
                                  count == 2 ? (int)(2 * k / lanes) : 0);
    for (k = 0; k < lanes; k++) picks[k] = from[k] ? 0 : (int)(w->at[k] - begin[0]);
    if (count == 1) {
        for (k = 0; k < lanes && picks[k] == (int)k;) k++;
        return k == lanes && (int)k == width ? loads[0]
                                             : irl_expr_shuffle(cx, 1, loads, (int)lanes, picks);
    }
    for (k = 0; k < lanes; k++)
        if (from[k] == 1) picks[k] = width + (int)(w->at[k] - begin[1]);
    pair[0] = irl_expr_shuffle(cx, 2, loads, (int)lanes, picks);
    for (int j = 2; pair[0] && j < count; j++) {
        pair[1] = loads[j];
        for (k = 0; k < lanes; k++)
            picks[k] = from[k] == j ? (int)lanes + (int)(w->at[k] - begin[j]) : (int)k;
        pair[0] = irl_expr_shuffle(cx, 2, pair, (int)lanes, picks);
    }
    return pair[0];
}

/* ------------------------------------------------------------------ the way in */

const irl_expr *irl__lanes_gather(const irl_func *kernel, const irl_target *target,
                                  const irl_expr *e)
{
    irl_ctx        *cx = kernel->cx;
    irl__gather     w;
    int64_t         begin[IRL__GATHER_MOST];
    const irl_expr *loads[IRL__GATHER_MOST], *at;
    uint32_t        width, lanes = e->type.lanes;
    if (!irl__target_gathers(target, e->type) || lanes < 8 || !irl__gather_of(cx, e, &w))
        return NULL;
    width = irl__gather_width(target, &w, lanes);
    int count = width ? irl__gather_begins(&w, lanes, (int64_t)width, begin) : 0;
    if (!count || (count > 1 && width != lanes) || count >= w.loads ||
        irl__stmt_holds(kernel->body, 1u << IRL__EVALUATE) || /* a program's function */
        irl__stmt_stores(kernel->body, w.of->data))
        return NULL;
    for (int j = 0; j < count; j++) {
        at = irl__simplify_alone(
            cx, irl__add(cx, w.least, irl_expr_int(cx, w.least->type, begin[j])));
        at = at ? irl_expr_ramp(cx, at, irl_expr_int(cx, at->type, 1), (int)width) : NULL;
        loads[j] = irl__expr_load(cx, w.of, 1, &at, irl__nowhere());
        if (!loads[j]) return NULL;
    }
    return irl__gather_shuffles(cx, &w, lanes, begin, loads, count);
}
