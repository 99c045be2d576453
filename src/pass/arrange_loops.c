/* arrange_loops.c - the parallel loops of a nest, arranged for memory: loops that walk all memory
   as one become one loop; and where the nest reads in one direction and writes in another, a small
   tile of it stays in each work-item.

   requires  flatten and simplify: one index per access, a sum of multiples of variables
   maintains what is computed; the order of iterations changes, which parallel loops allow
   breaks    loops that are fused, and their ids
   cost      linear in the nest, times its loops squared
   source    opencl-facts: an NDRange of fewer dimensions, whole cache lines; of 26 shapes of tiles,
             tried on five tensors, a pair of lines written per item in groups of 16 along the reads
             was the best or within 3 % of it

   Fusing. If every expression that names the variables of loops a and b takes them as a * E + b,
   where E is the extent of b, then one loop over a * E + b does the same: (h, w) of an image, or
   (n, h, w) where nothing lies between.

   Tiling. A layout that transposes writes along one loop and reads along another, a vector each
   time, so one of the two uses a part of each cache line. A work-item takes what fills a pair of
   lines where it writes, and its neighbours along the first dimension read on where it reads: that
   loop becomes the innermost. A group of them is about as wide as it is long, so that neither
   direction leaves its lines to another group: two notes say so to whoever launches. Where
   work-items are loops there are no groups, and the tile is twice as long. */
#include "pass.h"

#define IRL__ARRANGE_PAIR \
    128 /* bytes that a work-item writes: two cache lines, which are fetched together */
#define IRL__ARRANGE_SERIAL 256 /* bytes where it is the inside of loops */
#define IRL__ARRANGE_GROUP \
    16 /* work-items of a group along the reads; as many as may be along the writes */
#define IRL__ARRANGE_ENOUGH 512 /* work-items that must be left */
#define IRL__ARRANGE_SMALL 64   /* nodes of a body that may be repeated */

typedef enum irl__arrange_use { IRL__USE_VALUE, IRL__USE_LOAD, IRL__USE_STORE } irl__arrange_use;

/* One expression: how much it grows with the variable of each loop. */
typedef struct irl__arrange_row {
    irl__arrange_use use;
    int64_t          step[IRL_MAX_RANK];
} irl__arrange_row;

typedef struct irl__arrange_loop {
    const irl_stmt *loop;
    const irl_expr *var;      /* what stands for its variable now; NULL: 0, it went into another */
    const irl_expr *tile;     /* the variable within the tile; NULL: not tiled */
    int64_t         extent;   /* 0: not a constant, or not from 0 */
} irl__arrange_loop;

typedef struct irl__arrange {
    irl_ctx          *cx;
    int64_t           bytes;     /* that a tile writes at most */
    irl__arrange_loop loops[IRL_MAX_RANK];
    int               count;
    irl__arrange_row *rows;
    int               nodes;     /* of the body */
    /* bytes of the widest vectorized loop's elements; 0: there is none */
    int64_t           vector;
    int               is_opaque; /* something in it that is left alone */
    int               is_failed;
} irl__arrange;

/* ----------------------------------------------------- what the body does with the variables */

static int irl__arrange_find(const irl__arrange *s, const irl_expr *var)
{
    int k;
    for (k = 0; k < s->count; k++)
        if (s->loops[k].loop->u.loop.var == var) return k;
    return -1;
}

/* Adds scale * e to the row. What is not a sum of multiples is looked at by itself: it has rows of
   its own. */
static void irl__arrange_terms(irl__visitor *v, const irl_expr *e, int64_t scale,
                               irl__arrange_row *row)
{
    irl__arrange *s = (irl__arrange *)v->user;
    uint32_t      i;
    int           k;
    int64_t       product;
    if (e->op == IRL_OP_ADD) {
        irl__arrange_terms(v, e->a[0], scale, row);
        irl__arrange_terms(v, e->a[1], scale, row);
    } else if (e->op == IRL_OP_MUL && e->a[1]->op == IRL_OP_INT) {
        if (!irl__mul64(scale, e->a[1]->u.i, &product)) s->is_opaque = 1;
        else irl__arrange_terms(v, e->a[0], product, row);
    } else if (e->op == IRL_OP_VAR) {
        k = irl__arrange_find(s, e);
        if (k >= 0 && !irl__add64(row->step[k], scale, &row->step[k])) s->is_opaque = 1;
    } else {
        for (i = 0; i < e->count; i++) irl__visit_expr(v, e->a[i]);
    }
}

static void irl__arrange_see(irl__visitor *v, const irl_expr *e, irl__arrange_use use)
{
    irl__arrange    *s = (irl__arrange *)v->user;
    irl__arrange_row row;
    if (!(e->flags & IRL__HAS_VAR)) return;
    memset(&row, 0, sizeof row);
    row.use = use;
    irl__arrange_terms(v, e, 1, &row);
    if (!IRL__PUSH_SCRATCH(s->cx, s->rows, row)) s->is_failed = 1;
}

static int irl__arrange_expr(irl__visitor *v, const irl_expr *e)
{
    uint32_t k;
    ((irl__arrange *)v->user)->nodes++;
    if (e->op == IRL_OP_LOAD) {
        for (k = 0; k < e->count; k++) irl__arrange_see(v, e->a[k], IRL__USE_LOAD);
        return 0;
    }
    if (!irl__type_is_index(e->type) || e->type.lanes != 1)
        return (e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY)) != 0;
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_MUL || e->op == IRL_OP_VAR) {
        irl__arrange_see(v, e, IRL__USE_VALUE);
        return 0;
    }
    return (e->flags & IRL__HAS_VAR) != 0;
}

static int irl__arrange_stmt(irl__visitor *v, const irl_stmt *st)
{
    irl__arrange *s = (irl__arrange *)v->user;
    int           k;
    s->nodes++;
    switch ((irl__stmt_kind)st->kind) {
    case IRL__SEQ:
    case IRL__IF:
    case IRL__LET:
    case IRL__EVALUATE:
    case IRL__ASSUME:
    case IRL__ASSERT: return 1;
    case IRL__STORE:
        for (k = 0; k < st->u.store.buffer->rank; k++)
            irl__arrange_see(v, st->u.store.indices[k], IRL__USE_STORE);
        irl__visit_expr(v, st->u.store.value);
        return 0;
    case IRL__FOR:
        if (st->u.loop.kind == IRL_VECTORIZED && st->u.loop.body->kind == IRL__STORE &&
            st->u.loop.extent->op == IRL_OP_INT)
            s->vector = st->u.loop.extent->u.i *
                        (int64_t)irl__type_bytes(st->u.loop.body->u.store.buffer->type);
        else s->nodes += IRL__ARRANGE_SMALL; /* too much to be repeated */
        if (st->u.loop.kind != IRL_BOUND) return 1;
        break;
    default: break;
    }
    s->is_opaque = 1;
    return 0;
}

static int irl__arrange_uses_nest(const irl__arrange *s, const irl_expr *e)
{
    int k;
    for (k = 0; k < s->count; k++)
        if (irl__expr_uses_var(e, s->loops[k].loop->u.loop.var)) return 1;
    return 0;
}

/* The perfect nest of parallel loops, outermost first; returns its body. */
static const irl_stmt *irl__arrange_collect(irl__arrange *s, const irl_stmt *st)
{
    irl__visitor v;
    for (; s->count < IRL_MAX_RANK && st->kind == IRL__FOR && st->u.loop.kind == IRL_PARALLEL;
         st = st->u.loop.body) {
        irl__arrange_loop *l = &s->loops[s->count];
        if (irl__arrange_uses_nest(s, st->u.loop.min) ||
            irl__arrange_uses_nest(s, st->u.loop.extent))
            s->is_opaque = 1;
        s->count++;
        l->loop = st;
        l->var = st->u.loop.var;
        l->extent = irl__is_int(st->u.loop.min, 0) && st->u.loop.extent->op == IRL_OP_INT
                        ? st->u.loop.extent->u.i
                        : 0;
        if (st->u.loop.annotation_count) l->extent = 0;
    }
    v = irl__visitor_make(s, irl__arrange_expr, irl__arrange_stmt);
    if (s->count) irl__visit_stmt(&v, st);
    return st;
}

/* ------------------------------------------------------------------ fusing */

static int irl__arrange_walks_as_one(const irl__arrange *s, int outer, int inner)
{
    int64_t step;
    int     k;
    for (k = 0; k < (int)stbds_arrlen(s->rows); k++)
        if (!irl__mul64(s->rows[k].step[inner], s->loops[inner].extent, &step) ||
            step != s->rows[k].step[outer])
            return 0;
    return 1;
}

static int irl__arrange_fuse_two(irl__arrange *s, int outer, int inner)
{
    irl__arrange_loop *a = &s->loops[outer], *b = &s->loops[inner];
    const char        *name;
    int64_t            extent;
    if (!irl__mul64(a->extent, b->extent, &extent)) return 0;
    name = irl__loop_cut_name(s->cx, a->var, b->var->u.name);
    b->var = name ? irl_expr_var(s->cx, name, b->var->type) : NULL;
    b->extent = extent;
    a->var = NULL;
    if (!b->var) s->is_failed = 1;
    return 1;
}

/* Whether anything was fused. */
static int irl__arrange_fuse(irl__arrange *s)
{
    int outer, inner, any = 0;
    for (outer = s->count; outer-- > 0;)
        for (inner = 0; inner < s->count && !s->is_failed; inner++) {
            if (inner == outer || !s->loops[inner].var || s->loops[inner].extent < 1 ||
                s->loops[outer].extent < 1)
                continue;
            if (!irl__arrange_walks_as_one(s, outer, inner) ||
                !irl__arrange_fuse_two(s, outer, inner))
                continue;
            any = 1;
            break;
        }
    return any;
}

/* ------------------------------------------------------------------ tiling */

/* The loop along which all accesses of this use go in the smallest steps; -1 if they do not agree,
   or there is none. */
static int irl__arrange_direction(const irl__arrange *s, irl__arrange_use use)
{
    int k, i, found = -1;
    for (k = 0; k < (int)stbds_arrlen(s->rows); k++) {
        const irl__arrange_row *row = &s->rows[k];
        int                     least = -1;
        if (row->use != use) continue;
        for (i = 0; i < s->count; i++)
            if (s->loops[i].var && row->step[i] > 0 &&
                (least < 0 || row->step[i] < row->step[least]))
                least = i;
        if (least < 0 || (found >= 0 && least != found)) return -1;
        found = least;
    }
    return found;
}

static int irl__arrange_leaves_enough(const irl__arrange *s, int64_t factor)
{
    int64_t items = 1;
    int     k;
    for (k = 0; k < s->count; k++)
        if (s->loops[k].var && s->loops[k].extent && !irl__mul64(items, s->loops[k].extent, &items))
            return 1;
    return items / factor >= IRL__ARRANGE_ENOUGH;
}

/* The largest number of iterations that fill at most what a tile writes and divide the loop; 0:
   none is worth it. */
static int64_t irl__arrange_factor(const irl__arrange *s, int64_t extent)
{
    int64_t factor = s->bytes / s->vector;
    while (factor > 1 && (extent % factor || !irl__arrange_leaves_enough(s, factor))) factor--;
    return factor > 1 ? factor : 0;
}

/* A transposing nest takes a tile of the loop that it writes along. Returns the tile's iterations,
   0: none. */
static int64_t irl__arrange_tile(irl__arrange *s, int *reads, int *writes)
{
    const char *name;
    int64_t     factor;
    if (s->vector <= 0 || s->nodes > IRL__ARRANGE_SMALL) return 0;
    *reads = irl__arrange_direction(s, IRL__USE_LOAD);
    *writes = irl__arrange_direction(s, IRL__USE_STORE);
    if (*reads < 0 || *writes < 0 || *reads == *writes || s->loops[*reads].extent < 1 ||
        s->loops[*writes].extent < 1)
        return 0;
    factor = irl__arrange_factor(s, s->loops[*writes].extent);
    if (!factor) return 0;
    name = irl__loop_cut_name(s->cx, s->loops[*writes].var, "in");
    s->loops[*writes].tile =
        name ? irl_expr_var(s->cx, name, s->loops[*writes].var->type) : NULL;
    if (!s->loops[*writes].tile) s->is_failed = 1;
    s->loops[*writes].extent /= factor;
    return factor;
}

/* ------------------------------------------------------------------ the nest again */

typedef struct irl__arrange_rename {
    const irl__arrange *nest;
    int64_t             factor; /* of the tile */
    /* the last sum and what became of it: accesses often share an index */
    const irl_expr     *from, *to;
} irl__arrange_rename;

static const irl_expr *irl__arrange_times(irl_ctx *cx, const irl_expr *e, int64_t factor)
{
    return factor == 1 ? e : irl__mul(cx, e, irl_expr_index(cx, factor));
}

/* What stands for `scale` times a variable of the nest. */
static const irl_expr *irl__arrange_multiple(irl_ctx *cx, const irl__arrange_rename *r, int k,
                                             int64_t scale)
{
    const irl__arrange_loop *l = &r->nest->loops[k];
    int64_t                  step;
    if (!l->var) return irl_expr_index(cx, 0);
    if (!l->tile) return irl__arrange_times(cx, l->var, scale);
    if (!irl__mul64(scale, r->factor, &step))
        return irl__arrange_times(
            cx, irl__add(cx, irl__arrange_times(cx, l->var, r->factor), l->tile), scale);
    return irl__add(cx, irl__arrange_times(cx, l->var, step),
                    irl__arrange_times(cx, l->tile, scale));
}

/* Sums stay as simplify leaves them: without zeros and with multiples spread out. */
static const irl_expr *irl__arrange_rewrite(irl__rewriter *r, const irl_expr *e)
{
    irl__arrange_rename *rename = (irl__arrange_rename *)r->user;
    const irl_expr      *a, *b;
    int                  k;
    if (!(e->flags & IRL__HAS_VAR)) return e;
    if (e->op == IRL_OP_VAR) {
        k = irl__arrange_find(rename->nest, e);
        return k < 0 ? e : irl__arrange_multiple(r->cx, rename, k, 1);
    }
    if (e->op == IRL_OP_MUL && e->a[0]->op == IRL_OP_VAR && e->a[1]->op == IRL_OP_INT) {
        k = irl__arrange_find(rename->nest, e->a[0]);
        return k < 0 ? e : irl__arrange_multiple(r->cx, rename, k, e->a[1]->u.i);
    }
    if (e->op != IRL_OP_ADD || !irl__type_is_index(e->type) || e->type.lanes != 1)
        return irl__rewrite_expr_children(r, e);
    if (e == rename->from) return rename->to;
    a = irl__rewrite_expr(r, e->a[0]);
    b = irl__rewrite_expr(r, e->a[1]);
    if (!a || !b) return NULL;
    rename->from = e;
    return rename->to = irl__is_int(a, 0) ? b : irl__is_int(b, 0) ? a : irl__add(r->cx, a, b);
}

/* note(group = most): a launch may take up to so many iterations into one group. */
static int irl__arrange_note(irl_ctx *cx, irl_stmt *loop, int64_t most)
{
    irl__annotation *note = (irl__annotation *)irl__alloc_array(cx, 1, sizeof *note);
    if (!note) return 0;
    note->key = irl__namez(cx, IRL__NOTE_GROUP);
    note->value = irl_expr_index(cx, most);
    loop->u.loop.annotations = note;
    loop->u.loop.annotation_count = 1;
    return note->key && note->value;
}

/* Loop k around the body, as it is now. */
static const irl_stmt *irl__arrange_loop_around(const irl__arrange *s, int k, int64_t group,
                                                const irl_stmt *body)
{
    irl_stmt *copy = irl__stmt_copy(s->cx, s->loops[k].loop);
    if (!copy || (group && !irl__arrange_note(s->cx, copy, group))) return NULL;
    copy->u.loop.var = s->loops[k].var;
    if (s->loops[k].extent) copy->u.loop.extent = irl_expr_index(s->cx, s->loops[k].extent);
    copy->u.loop.body = body;
    return irl__stmt_finish(s->cx, copy);
}

static const irl_stmt *irl__arrange_build(irl__arrange *s, int64_t factor, int reads, int writes,
                                          const irl_stmt *body)
{
    irl__arrange_rename rename;
    irl__rewriter       r;
    int                 k;
    memset(&rename, 0, sizeof rename);
    rename.nest = s;
    rename.factor = factor;
    r = irl__rewriter_make(s->cx, &rename, irl__arrange_rewrite, NULL);
    body = irl__rewrite_stmt(&r, body);
    if (body && factor) {
        body = irl_stmt_for(s->cx, IRL_UNROLLED, s->loops[writes].tile, irl_expr_index(s->cx, 0),
                            irl_expr_index(s->cx, factor), body);
        if (body) body = irl__arrange_loop_around(s, reads, IRL__ARRANGE_GROUP, body);
    }
    for (k = s->count; body && k-- > 0;) {
        if (!s->loops[k].var || (factor && k == reads)) continue;
        body = irl__arrange_loop_around(s, k, factor && k == writes ? s->loops[k].extent : 0, body);
    }
    return body;
}

/* ------------------------------------------------------------------ the pass */

static const irl_stmt *irl__arrange_nest(irl__rewriter *r, const irl_stmt *st)
{
    irl__arrange    s;
    const irl_stmt *body;
    int64_t         factor;
    int             fused, reads = -1, writes = -1;
    if (st->kind == IRL__SEQ) return irl__rewrite_stmt_children(r, st);
    if (irl__stmt_is_scheduled(st)) return st;
    memset(&s, 0, sizeof s);
    s.cx = r->cx;
    s.bytes = *(const int64_t *)r->user;
    body = irl__arrange_collect(&s, st);
    if (s.count < 2 || s.is_opaque || s.is_failed) return s.is_failed ? NULL : st;
    fused = irl__arrange_fuse(&s);
    factor = irl__arrange_tile(&s, &reads, &writes);
    if (s.is_failed) return NULL;
    return fused || factor ? irl__arrange_build(&s, factor, reads, writes, body) : st;
}

irl_func *irl__pass_arrange_loops(const irl_func *f, const irl_target *target)
{
    int64_t       bytes = target->serial ? IRL__ARRANGE_SERIAL : IRL__ARRANGE_PAIR;
    irl__rewriter r = irl__rewriter_make(f->cx, &bytes, NULL, irl__arrange_nest);
    return irl__rewrite_func(&r, f);
}
