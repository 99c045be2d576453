/* auto_gather.c - loops that read bytes at other places than one after the other: vectors as long
   as the windows from which the target picks bytes (lanes_gather.c).

   needs     auto_nest.c
   promises  nothing is decided where a target has no picks, where a loop stores anything that does
             not lie one after the other, or reads what the nest writes, or where nothing is picked
   cost      accesses of the nest, times lanes, for each of its innermost loops */
#include "auto.h"

enum { IRL__AUTO_WINDOW = 4 }; /* bytes for each lane, at most: as lanes_gather.c has them */

/* The innermost loops of a nest. */
typedef struct irl__auto_inner {
    const irl_stmt *loop; /* the one that was asked for */
    int             left; /* in front of it */
} irl__auto_inner;

static int irl__auto_see_inner(irl__visitor *v, const irl_stmt *s)
{
    irl__auto_inner *q = (irl__auto_inner *)v->user;
    const unsigned   others = ~(1u << IRL__STORE | 1u << IRL__SEQ | 1u << IRL__LET);
    if (s->kind == IRL__FOR && !irl__stmt_holds(s->u.loop.body, others) && q->left-- == 0)
        q->loop = s;
    return q->loop == NULL;
}

/* ------------------------------------------------------------------ what a loop touches */

/* How the lanes of an access lie. */
typedef enum irl__auto_lie {
    IRL__AUTO_EVEN,   /* the same distance apart, which compilers do better by themselves */
    IRL__AUTO_ROW,    /* one after the other, or all the same */
    IRL__AUTO_PICKED, /* in any other order, in a window */
    IRL__AUTO_APART   /* in none */
} irl__auto_lie;

static int irl__auto_is_run(int lanes, const int64_t *at, int64_t step)
{
    int k;
    for (k = 0; k < lanes && at[k] == step * k;) k++;
    return k == lanes;
}

/* Is it a memory from which bytes are picked? */
static int irl__auto_has_window(const irl_buffer *b)
{
    return b->scope == IRL_SCOPE_GLOBAL && b->type.lanes == 1 &&
           (b->bits || (irl__type_bytes(b->type) == 1 && b->type.scalar != IRL_BOOL));
}

/* How a load's lanes lie: bits as the first byte of each. The window's bytes in *window. */
static irl__auto_lie irl__auto_lie_of(const irl_buffer *b, int lanes, int64_t *at,
                                      int64_t *window)
{
    int64_t least = 0, most = 0, size;
    *window = 0;
    if (!b->bits && (irl__auto_is_run(lanes, at, 1) || irl__auto_is_run(lanes, at, 0)))
        return IRL__AUTO_ROW;
    if (!irl__auto_has_window(b)) return IRL__AUTO_APART;
    for (int k = 0; k < lanes; k++) {
        if (b->bits && at[k] < 0) return IRL__AUTO_APART;
        if (b->bits) at[k] /= 8;
        if (at[k] < least) least = at[k];
        if (at[k] > most) most = at[k];
    }
    if (!irl__sub64(most, least, &size) || size >= IRL__AUTO_WINDOW * (int64_t)lanes)
        return IRL__AUTO_APART;
    *window = size + (b->bits ? (b->bits + 7) / 8 : 1);
    if (b->bits && (irl__auto_is_run(lanes, at, 1) || irl__auto_is_run(lanes, at, 0)))
        return IRL__AUTO_PICKED; /* bits of these bytes, which have no vectors of their own */
    return irl__auto_is_run(lanes, at, at[1]) ? IRL__AUTO_EVEN : IRL__AUTO_PICKED;
}

/* Is the memory written in the nest? */
static int irl__auto_is_written(const irl__accesses *t, const irl_expr *memory)
{
    for (int k = 0; k < t->count; k++)
        if (t->list[k].kind == IRL__ACCESS_OPAQUE ||
            (t->list[k].memory == memory && irl__access_writes(&t->list[k])))
            return 1;
    return 0;
}

static int irl__auto_is_in(const irl__access *a, const irl_stmt *loop)
{
    return a->around && a->around->loop && a->around->loop->stmt == loop;
}

/* The largest window of the loads in loop k, where all of the loop can be vectors, and something is
   picked; 0. */
static int64_t irl__auto_gathered(irl__auto_nest *n, irl__accesses *t, int k, int lanes)
{
    int64_t at[IRL_MAX_LANES], window, largest = 0;
    int     j, picked = 0;
    for (j = 0; j < t->count; j++) {
        const irl__access *a = &t->list[j];
        if (!irl__auto_is_in(a, n->loops[k].stmt)) continue;
        if (a->kind == IRL__ACCESS_OPAQUE || !irl__auto_lanes_at(n, t, a, k, lanes, at)) return 0;
        if (irl__access_writes(a)) {
            if (a->buffer->bits || !irl__auto_is_run(lanes, at, 1)) return 0;
            continue;
        }
        irl__auto_lie lie = irl__auto_lie_of(a->buffer, lanes, at, &window);
        if (lie == IRL__AUTO_APART || (window && irl__auto_is_written(t, a->memory))) return 0;
        picked += lie == IRL__AUTO_PICKED;
        if (window > largest) largest = window;
    }
    return picked ? largest : 0;
}

/* ------------------------------------------------------------------ vectors */

/* Bytes of the widest element that the loop stores. */
static int64_t irl__auto_widest(const irl__accesses *t, const irl_stmt *loop)
{
    int64_t bytes = 1;
    for (int j = 0; j < t->count; j++) {
        const irl__access *a = &t->list[j];
        if (irl__auto_is_in(a, loop) && a->buffer && irl__access_writes(a) &&
            (int64_t)irl__type_bytes(a->buffer->type) > bytes)
            bytes = (int64_t)irl__type_bytes(a->buffer->type);
    }
    return bytes;
}

/* Lanes of vectors along loop k, of which `window` bytes are read; 0: there are none. As many as
   registers hold of what is stored, but no fewer than the least that are picked. */
static int irl__auto_pick_lanes(irl__auto_nest *n, irl__accesses *t, int k, int64_t *window)
{
    const int64_t bytes = irl__auto_widest(t, n->loops[k].stmt), extent = n->loops[k].extent;
    int           lanes;
    for (int is_exact = 1; is_exact >= 0; is_exact--)
        for (lanes = 16; lanes >= 8; lanes /= 2) {
            if ((lanes > 8 && lanes * bytes > n->target->vector_bytes) ||
                !irl__target_has_width(n->target, (uint32_t)lanes) ||
                (is_exact ? extent % lanes != 0 : extent < 2 * lanes))
                continue;
            *window = irl__auto_gathered(n, t, k, lanes);
            if (*window) return lanes;
        }
    return 0;
}

/* Does loop k hold nothing but the loops behind it, up to the last? */
static int irl__auto_is_chain(const irl__auto_nest *n, int k)
{
    for (; k < n->loop_count - 1; k++)
        if (n->loops[k].stmt->u.loop.body != n->loops[k + 1].stmt) return 0;
    return 1;
}

/* Loop k as a step names it. */
static const char *irl__auto_loop_name(irl__auto *a, const irl__auto_nest *n, int k)
{
    const char *nest = irl__sched_nest_name(a->f, n->loops[n->loop_count - 1].stmt);
    irl__text   t;
    irl__text_init(&t, a->cx);
    if (nest && irl__auto_is_chain(n, k)) irl__textf(&t, "%s.", nest);
    irl__text_puts(&t, n->loops[k].name);
    return irl__text_done(&t);
}

static const char irl__auto_pick_items_why[] = "independent iterations become work-items";

/* Loops around all of the nest become dimensions of the launch, `behind` of which come later. */
static int irl__auto_pick_items(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                int behind)
{
    static const char axes[] = "xyz";
    const char  *name[3];
    int          count = 0, k;
    for (k = 0; k < n->loop_count - 1 && count < 3; k++) {
        name[count] = irl__auto_loop_name(a, n, k);
        if (!name[count++]) return 0;
        if (n->loops[k].stmt->u.loop.body != n->loops[k + 1].stmt) break;
    }
    for (k = 0; k < count; k++)
        irl__auto_step(p, k ? "" : irl__auto_pick_items_why, "bind(%s, group.%c);", name[k],
                       axes[count - 1 - k + behind]);
    return 1;
}

/* The steps: what vectors do not divide is a loop of its own. */
static int irl__auto_pick_steps(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                int lanes, int64_t window, int is_item)
{
    const int     k = n->loop_count - 1;
    const int64_t extent = n->loops[k].extent, whole = extent / lanes * lanes;
    const int      is_last = is_item && whole > lanes && k < 3 && (k == 0 || whole == extent) &&
                             irl__auto_is_chain(n, 0);
    const char *outer = irl__auto_name(a, n->loops[k].name, "o");
    const char *lane = irl__auto_name(a, n->loops[k].name, "v");
    const char *first = irl__auto_name(a, n->loops[k].name, "a");
    const char *rest = irl__auto_name(a, n->loops[k].name, "b");
    const char *loop = irl__auto_loop_name(a, n, k);
    char        reason[96];
    irl__text   t;
    if (!outer || !lane || !first || !rest || !loop) return 0;
    irl__text_init_fixed(&t, reason, sizeof reason);
    irl__textf(&t, "vectors of %d, whose bytes are selected from %l loaded bytes", lanes, window);
    if (is_item && !irl__auto_pick_items(a, n, p, is_last)) return 0;
    if (whole < extent) {
        irl__auto_step(p, "whole vectors, then the "
                          "remainder", "(%s, %s) = partition(%s, %l);", first,
                       rest, loop, whole);
        loop = first;
    }
    if (whole > lanes) {
        irl__auto_step(p, reason, "(%s, %s) = split(%s, %d);", outer, lane, loop, lanes);
        irl__auto_step(p, "", "vectorize(%s);", lane);
    } else irl__auto_step(p, reason, "vectorize(%s);", loop);
    if (is_last) irl__auto_step(p, k ? "" : irl__auto_pick_items_why, "bind(%s, group.x);", outer);
    return 1;
}

/* The loops around the innermost one, and that; its number, -1: not all of them are looked at. */
static int irl__auto_loops_of(irl__auto_nest *n, const irl_stmt *top, const irl_stmt *loop)
{
    const char *why;
    irl__place  at;
    if (loop->u.loop.kind != IRL_SERIAL && loop->u.loop.kind != IRL_PARALLEL) return -1;
    if (!irl__place_of(top, loop->id, &at)) return -1;
    for (int k = 0; k < at.count; k++)
        if (at.at[k]->kind == IRL__FOR && !irl__auto_add_loop(n, at.at[k], &why)) return -1;
    return n->loop_count - 1;
}

int irl__auto_gather(irl__auto *a, const irl_stmt *top, int number, int is_item,
                     irl__auto_plan *p)
{
    irl__auto_inner q;
    irl__visitor    v = irl__visitor_make(&q, NULL, irl__auto_see_inner);
    irl__auto_nest  n;
    irl__accesses   t;
    int64_t         window;
    q.loop = NULL;
    q.left = number;
    irl__visit_stmt(&v, top);
    if (!q.loop || !irl__target_has_picks(a->target)) return 0;
    memset(&n, 0, sizeof n);
    n.cx = a->cx;
    n.f = a->f;
    n.target = a->target;
    int k = irl__auto_loops_of(&n, top, q.loop);
    if (k < 0 || irl__auto_is_symbolic(&n) || !irl__accesses_of(&t, a->f, top))
        return irl__ok(a->cx);
    int lanes = irl__auto_pick_lanes(&n, &t, k, &window);
    if (lanes) irl__auto_pick_steps(a, &n, p, lanes, window, is_item);
    return irl__ok(a->cx);
}
