/* arrays.c - the arrays that a kernel allocates, for each work-item and for each group: when they
   hold a value, and which of them may share bytes.

   needs     arena.c; a flattened function
   promises  two arrays share bytes only if no statement touches both, and no iteration of a loop
             that still needs one touches the other. For shared memory there is a barrier between
             the last statement that touches one and the first that touches the other, which every
             work-item passes that does so, and another one on the way back of a loop around both.
             Only arrays of one type of elements share: a compiler assumes that memory which is read
             as one type is not written as another
   cost      linear in the function, times the arrays for each loop; of shared memory the pairs of
             arrays times the barriers; that of irl_plan_arena, which may take IRL__ARRAYS_STEPS */
#include "plan.h"

enum {
    IRL__ARRAYS_STEPS = 20000,
    IRL__ARRAYS_SHARED = 64 /* shared arrays that are looked at together */
};

/* ------------------------------------------------------------------ what there is */

/* A statement that holds others. */
struct irl__arrays_node {
    const irl_stmt *stmt;
    int             parent; /* -1: none */
    int             begin, end;
};

struct irl__arrays_wait {
    int node, at;
};

typedef struct irl__arrays_walk {
    irl__arrays  *a;
    irl__accesses t;
    irl__ptr_map  of; /* pointer, or the view that a pass made -> its array */
    int           node, now, ok;
} irl__arrays_walk;

/* Is memory that is allocated in it another work-item's, or another iteration's that runs at the
   same time? */
static int irl__arrays_parts(const irl__arrays_node *n)
{
    return n->stmt->kind == IRL__FOR &&
           (n->stmt->u.loop.kind == IRL_BOUND || irl__for_is_parallel(n->stmt->u.loop.kind));
}

int irl__array_born_at(const irl_func *f, const irl_buffer *b, int64_t *from)
{
    const size_t length = strlen(b->name);
    for (int k = 0; k < f->annotation_count; k++) {
        if (strcmp(f->annotations[k].key, IRL__ATTR_SHARES) != 0 || !f->annotations[k].text ||
            strncmp(f->annotations[k].text, b->name, length) != 0)
            continue;
        const char *at = f->annotations[k].text + length;
        if (*at++ != ':' || *at++ != ' ') continue;
        for (*from = 0; *at >= '0' && *at <= '9' && *from < INT64_MAX / 10 - 1; at++)
            *from = *from * 10 + (*at - '0');
        return b->rank == 1 && b->shape[0]->op == IRL_OP_INT && *from < b->shape[0]->u.i;
    }
    return 0;
}

static irl__array *irl__arrays_add(irl__arrays_walk *w, const irl_stmt *s, const void *key)
{
    irl__array *one = IRL__SCRATCH(w->a->cx, irl__array, 1);
    if (!one || !IRL__PUSH_SCRATCH(w->a->cx, w->a->list, one) ||
        !irl__ptr_map_put(w->a->cx, &w->of, key, one))
        return NULL;
    one->buffer = s->u.alloc.buffer;
    one->stmt = s;
    one->node = w->node;
    one->seq = w->node >= 0 && w->a->nodes[w->node].stmt->kind == IRL__SEQ
                   ? w->a->nodes[w->node].stmt
                   : NULL;
    one->born = w->now;
    one->first = one->last = one->pool = -1;
    return one;
}

/* The bytes that it takes; -1 where that is no number. */
static int64_t irl__arrays_bytes(const irl_buffer *b, int64_t from)
{
    int64_t bytes = -1;
    if (b->rank == 0 && !b->bits && !b->offset) return (int64_t)irl__type_bytes(b->type);
    if (!irl__buffer_is_flat(b) || b->bits || b->rank > 1 ||
        (b->rank && b->shape[0]->op != IRL_OP_INT))
        return -1;
    return irl__mul64(b->rank ? b->shape[0]->u.i - from : 1, (int64_t)irl__type_bytes(b->type),
                      &bytes)
               ? bytes
               : -1;
}

/* Is it an array of a kernel? A local scalar is a variable, which compilers keep in a register. */
static int irl__arrays_is_one(const irl_buffer *b)
{
    return b->scope == IRL_SCOPE_SHARED || (b->scope == IRL_SCOPE_LOCAL && b->rank > 0);
}

static int irl__arrays_see_alloc(irl__arrays_walk *w, const irl_stmt *s)
{
    const irl_buffer *b = s->u.alloc.buffer;
    irl__array       *one = (irl__array *)irl__ptr_map_get(&w->of, b->data);
    if (one) one->may_share = 0; /* it is allocated in two places */
    if (one) return 1;
    one = irl__arrays_add(w, s, b->data);
    if (!one) return 0;
    one->bytes = irl__arrays_bytes(b, 0);
    one->may_share =
        one->seq && b->rank == 1 && one->bytes > 0 && irl__accesses_is_alone(&w->t, b->data);
    return 1;
}

/* A view that share_arrays has made. */
static int irl__arrays_see_view(irl__arrays_walk *w, const irl_stmt *s)
{
    irl__array *pool = (irl__array *)irl__ptr_map_get(&w->of, s->u.alloc.buffer->data), *one;
    int64_t     from = 0;
    if (!pool || !irl__array_born_at(w->a->f, s->u.alloc.buffer, &from)) return 1;
    one = irl__arrays_add(w, s, s->u.alloc.buffer);
    if (!one) return 0;
    one->bytes = irl__arrays_bytes(s->u.alloc.buffer, from);
    one->from = from * (int64_t)irl__type_bytes(s->u.alloc.buffer->type);
    one->in = pool;
    pool->is_pool = 1;
    return 1;
}

static int irl__arrays_holds_others(const irl_stmt *s)
{
    return s->kind == IRL__SEQ || s->kind == IRL__FOR || s->kind == IRL__IF ||
           s->kind == IRL__ATTR || s->kind == IRL__BLOCK;
}

static int irl__arrays_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__arrays_walk *w = (irl__arrays_walk *)v->user;
    irl__arrays_node  node;
    irl__arrays_wait  wait;
    w->now++;
    if (s->kind == IRL__ALLOC || s->kind == IRL__DECL)
        w->ok =
            w->ok &&
            (!irl__arrays_is_one(s->u.alloc.buffer) ||
             (s->kind == IRL__ALLOC ? irl__arrays_see_alloc(w, s) : irl__arrays_see_view(w, s)));
    if (s->kind == IRL__BARRIER && s->u.barrier.scope == IRL_SCOPE_SHARED) {
        wait.node = w->node;
        wait.at = w->now;
        w->ok = w->ok && IRL__PUSH_SCRATCH(w->a->cx, w->a->waits, wait);
    }
    if (!irl__arrays_holds_others(s)) return w->ok;
    node.stmt = s;
    node.parent = w->node;
    node.begin = node.end = w->now;
    w->node = (int)stbds_arrlen(w->a->nodes);
    w->ok = w->ok && IRL__PUSH_SCRATCH(w->a->cx, w->a->nodes, node);
    return w->ok;
}

/* Around what was allocated outside a loop is alive as long as it runs. */
static void irl__arrays_leave(irl__visitor *v, const irl_stmt *s)
{
    irl__arrays_walk *w = (irl__arrays_walk *)v->user;
    if (!irl__arrays_holds_others(s) || !w->ok) return;
    irl__arrays_node *n = &w->a->nodes[w->node];
    n->end = ++w->now;
    w->node = n->parent;
    for (int k = 0; s->kind == IRL__FOR && k < (int)stbds_arrlen(w->a->list); k++) {
        irl__array *one = w->a->list[k];
        if (one->born > n->begin || one->last < n->begin) continue;
        if (one->first > n->begin) one->first = n->begin;
        one->last = n->end;
    }
}

/* Where the statement begins that holds what is walked, in the sequence that allocates the array:
   in front of it a view of the pool is declared, and what lay there is gone. Of shared memory a
   barrier says where that may be. */
static int irl__arrays_begin(const irl__arrays_walk *w, const irl__array *one)
{
    int n, at = w->now;
    if (one->buffer->scope == IRL_SCOPE_SHARED) return at;
    for (n = w->node; n >= 0 && n != one->node; n = w->a->nodes[n].parent)
        at = w->a->nodes[n].begin;
    return at;
}

static void irl__arrays_touch(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__arrays_walk *w = (irl__arrays_walk *)v->user;
    irl__array       *one = (irl__array *)irl__ptr_map_get(&w->of, b);
    if (s && s->kind != IRL__STORE) return;
    if (!one) one = (irl__array *)irl__ptr_map_get(&w->of, b->data);
    if (!one) return;
    if (one->first < 0) one->first = irl__arrays_begin(w, one);
    one->last = w->now;
    one->is_read |= !s;
}

/* ------------------------------------------------------------------ barriers */

static int irl__arrays_within(const irl__arrays *a, int node, const irl__array *one)
{
    return a->nodes[node].begin <= one->first && one->last <= a->nodes[node].end;
}

/* Does every work-item that runs the one or the other pass the barrier? What stands around it, up
   to node `until`, holds all of the one or all of the other. */
static int irl__arrays_passes(const irl__arrays *a, const irl__arrays_wait *w, int until,
                              const irl__array *x, const irl__array *y)
{
    for (int n = w->node; n != until && n >= 0; n = a->nodes[n].parent)
        if (!irl__arrays_within(a, n, x) && !irl__arrays_within(a, n, y)) return 0;
    return 1;
}

/* A barrier that lies from `first` to `last`. */
static int irl__arrays_waits(const irl__arrays *a, int until, int first, int last,
                             const irl__array *x, const irl__array *y)
{
    for (int k = 0; k < (int)stbds_arrlen(a->waits); k++)
        if (a->waits[k].at >= first && a->waits[k].at <= last &&
            irl__arrays_passes(a, &a->waits[k], until, x, y))
            return 1;
    return 0;
}

/* May y be written where x was? x ends before y begins. */
static int irl__arrays_are_apart(const irl__arrays *a, const irl__array *x, const irl__array *y)
{
    if (!irl__arrays_waits(a, -1, x->last, y->first, x, y)) return 0;
    for (int n = 0; n < (int)stbds_arrlen(a->nodes); n++) {
        const irl__arrays_node *loop = &a->nodes[n];
        if (loop->stmt->kind != IRL__FOR || loop->stmt->u.loop.kind == IRL_BOUND ||
            !irl__arrays_within(a, n, x) || !irl__arrays_within(a, n, y))
            continue;
        if (!irl__arrays_waits(a, n, loop->begin, x->first, x, y) &&
            !irl__arrays_waits(a, n, y->last, loop->end, x, y))
            return 0;
    }
    return 1;
}

static int irl__arrays_phase(const irl__arrays *a, int at)
{
    int k, phase = 0;
    for (k = 0; k < (int)stbds_arrlen(a->waits); k++) phase += a->waits[k].at < at;
    return phase;
}

/* ------------------------------------------------------------------ lives */

static int64_t irl__arrays_align(const irl__array *one)
{
    int64_t align = (int64_t)irl__type_alignment(one->buffer->type), most = IRL__MOST_ALIGNED;
    while (align * 2 <= one->bytes && align < most) /* what is accessed as one is no larger */
        align *= 2;
    return align > (int64_t)one->buffer->alignment ? align : (int64_t)one->buffer->alignment;
}

/* Vectors of three lanes: an array lies at a multiple of whole elements, which no alignment is. */
static int irl__arrays_is_odd(const irl__array *one)
{
    const int64_t each = (int64_t)irl__type_bytes(one->buffer->type);
    return (each & (each - 1)) != 0;
}

/* In elements of `each` bytes: the least number of them that is a multiple of `align` bytes. */
static int64_t irl__arrays_elements(int64_t align, int64_t each)
{
    while (align > 1 && each % 2 == 0) align /= 2, each /= 2;
    return align;
}

/* Aligned: of one type, as they are made; else by bytes alone. */
static const irl_plan_offsets *irl__arrays_place(const irl__arrays *a, int count,
                                                 irl__array *const *list, int is_aligned)
{
    const int     is_odd = is_aligned && count && irl__arrays_is_odd(list[0]);
    const int64_t each = is_odd ? (int64_t)irl__type_bytes(list[0]->buffer->type) : 1;
    irl_plan_item *items = IRL__SCRATCH(a->cx, irl_plan_item, count + 1);
    if (!items) return NULL;
    for (int k = 0; k < count; k++) {
        items[k].size = list[k]->bytes / each;
        items[k].align = !is_aligned ? 1
                         : is_odd    ? irl__arrays_elements(list[k]->buffer->alignment, each)
                                     : irl__arrays_align(list[k]);
        if (!items[k].align) items[k].align = 1;
        items[k].first = list[k]->first;
        items[k].last = list[k]->last;
    }
    /* In phases between barriers; what no barrier keeps apart is made to meet. */
    if (count && list[0]->buffer->scope == IRL_SCOPE_SHARED) {
        int k, j, changed = 1;
        for (k = 0; k < count; k++) {
            items[k].first = irl__arrays_phase(a, list[k]->first);
            items[k].last = irl__arrays_phase(a, list[k]->last);
        }
        while (changed)
            for (changed = 0, k = 0; k < count; k++)
                for (j = 0; j < count; j++) {
                    if (items[k].last >= items[j].first ||
                        irl__arrays_are_apart(a, list[k], list[j]))
                        continue;
                    items[j].first = items[k].last;
                    changed = 1;
                }
    }
    const irl_plan_offsets *o = irl_plan_arena(a->cx, count, items, IRL__ARRAYS_STEPS);
    /* The same in bytes. */
    if (!(o && is_odd)) return o;
    irl_plan_offsets *out = IRL__COPY(a->cx, irl_plan_offsets, o, 1);
    int64_t *offsets = IRL__NEW(a->cx, int64_t, o->count + 1);
    if (!out || !offsets) return NULL;
    for (int k = 0; k < o->count; k++) offsets[k] = o->offsets[k] * each;
    out->offsets = offsets;
    out->bytes *= each;
    out->lower_bound *= each;
    return out;
}

int64_t irl__arrays_alive(const irl__arrays *a, int count, irl__array **list)
{
    const irl_plan_offsets *o = irl__arrays_place(a, count, list, 0);
    return o ? o->lower_bound : -1;
}

/* ------------------------------------------------------------------ pools */

static int irl__arrays_region(const irl__arrays *a, int node)
{
    while (node >= 0 && !irl__arrays_parts(&a->nodes[node])) node = a->nodes[node].parent;
    return node;
}

/* The innermost sequence around both; -1: there is none in their work-item. */
static int irl__arrays_home(const irl__arrays *a, int x, int y)
{
    while (x != y) {
        if (x < y) y = a->nodes[y].parent;
        else x = a->nodes[x].parent;
    }
    while (x >= 0 && a->nodes[x].stmt->kind != IRL__SEQ && !irl__arrays_parts(&a->nodes[x]))
        x = a->nodes[x].parent;
    return x >= 0 && a->nodes[x].stmt->kind == IRL__SEQ ? x : -1;
}

static int irl__arrays_alike(const irl__arrays *a, const irl__array *x, const irl__array *y)
{
    return y->may_share && y->is_read && y->first >= 0 && y->pool < 0 &&
           x->buffer->scope == y->buffer->scope &&
           irl_type_equal(x->buffer->type, y->buffer->type) &&
           irl__arrays_region(a, x->node) == irl__arrays_region(a, y->node) &&
           irl__arrays_home(a, x->node, y->node) >= 0;
}

/* Of the list those that lie in the bytes of another one stay. */
static int irl__arrays_keep(int count, irl__array **list, const int64_t *offsets)
{
    int k, j, kept = 0;
    for (k = 0; k < count; k++) list[k]->from = offsets[k];
    for (k = 0; k < count; k++) {
        for (j = 0; j < count; j++)
            if (j != k && offsets[j] < offsets[k] + list[k]->bytes &&
                offsets[k] < offsets[j] + list[j]->bytes)
                break;
        list[k]->is_kept = j < count;
    }
    for (k = 0; k < count; k++)
        if (list[k]->is_kept) list[kept++] = list[k];
    return kept;
}

static int irl__arrays_pool(irl__arrays *a, int count, irl__array **list)
{
    const irl_plan_offsets *o = NULL;
    irl__array_pool         pool;
    int                     kept;
    memset(&pool, 0, sizeof pool);
    for (;; count = kept) {
        if (count < 2) return 1;
        o = irl__arrays_place(a, count, list, 1);
        if (!o) return 0;
        kept = irl__arrays_keep(count, list, o->offsets);
        if (kept == count) break;
    }
    pool.home = list[0]->node;
    for (int k = 0; k < count; k++) {
        pool.out.separate += list[k]->bytes;
        pool.home = irl__arrays_home(a, pool.home, list[k]->node);
    }
    if (o->bytes >= pool.out.separate || pool.home < 0) return 1;
    for (int k = 0; k < count; k++) list[k]->pool = (int)stbds_arrlen(a->pools);
    pool.seq = a->nodes[pool.home].stmt;
    pool.out.scope = (irl_scope)list[0]->buffer->scope;
    pool.out.bytes = o->bytes;
    pool.out.align = o->align;
    pool.out.lower_bound = o->lower_bound;
    pool.out.is_least = o->is_least;
    return IRL__PUSH_SCRATCH(a->cx, a->pools, pool);
}

/* Of each type, scope and work-item. */
int irl__arrays_plan(irl__arrays *a)
{
    const int    count = (int)stbds_arrlen(a->list);
    irl__array **list = IRL__SCRATCH(a->cx, irl__array *, count + 1);
    char        *seen = (char *)irl__scratch_alloc(a->cx, (size_t)count + 1, 1);
    int          j, n;
    if (!list || !seen) return 0;
    for (int k = 0; k < count; k++) {
        if (seen[k] || !irl__arrays_alike(a, a->list[k], a->list[k])) continue;
        for (j = k, n = 0; j < count; j++) {
            if (seen[j] || !irl__arrays_alike(a, a->list[k], a->list[j])) continue;
            seen[j] = 1;
            list[n++] = a->list[j];
        }
        if (n > IRL__ARRAYS_SHARED && a->list[k]->buffer->scope == IRL_SCOPE_SHARED) continue;
        if (!irl__arrays_pool(a, n, list)) return 0;
    }
    return 1;
}

static int irl__arrays_count(irl__visitor *v, const irl_stmt *s)
{
    *(int *)v->user += s->kind == IRL__ALLOC && irl__arrays_is_one(s->u.alloc.buffer);
    return irl__stmt_holds(s, 1u << IRL__ALLOC);
}

int irl__arrays_may_share(const irl_func *f)
{
    int          count = 0;
    irl__visitor v = irl__visitor_make(&count, NULL, irl__arrays_count);
    if (irl__stmt_holds(f->body, 1u << IRL__ALLOC)) irl__visit_stmt(&v, f->body);
    return count > 1;
}

int irl__arrays_of(irl__arrays *a, const irl_func *f)
{
    irl__arrays_walk w;
    memset(&w, 0, sizeof w);
    memset(a, 0, sizeof *a);
    w.a = a;
    w.ok = 1;
    w.node = -1;
    a->cx = f->cx;
    a->f = f;
    if (!irl__accesses_of(&w.t, f, NULL)) return 0;
    irl__visitor v = irl__visitor_make(&w, NULL, irl__arrays_stmt);
    v.buffer = irl__arrays_touch;
    v.leave = irl__arrays_leave;
    irl__visit_stmt(&v, f->body);
    return w.ok && irl__ok(a->cx);
}

