/* named.c - the things with names in a statement: blocks, nests, labels, loops.

   needs     stmt.c
   promises  names are in the order of the text

   A block has its name. A loop nest around one store, or several into one buffer with lets and
   conditions, outside of blocks, is as good as a block: it has the label of the loops around it,
   which belongs to the first nest in them, or the name of the buffer that it writes; later ones
   with the name of a block, nest or label get _1, _2 ... at the end. A nest with a label may also
   be named after its buffer where nothing else has that name. A loop whose own stores, beside other
   nests in it, go to one buffer that no nest in it writes is the nest of these stores: it takes the
   label that the nests in it have left. Stores into memory that the loop itself declares count only
   where there are no others. Where loops with a label hold no nest, the label names the block that
   they are around, or them. An innermost loop that stores into several buffers, and that no label
   names, is named after the first and the last of these stores, with a number as nests have: y_s,
   y_s_1. */
#include "schedule.h"

typedef struct irl__named_walk {
    irl__name_list     *out;
    const irl_stmt *label; /* the loop whose label the next nest takes; NULL: there is none */
} irl__named_walk;

static void irl__named_stmt(irl__named_walk *w, const irl_stmt *s);

/* Variables, buffers and blocks have interned names; labels are interned here. */
static void irl__named_add(irl__named_walk *w, irl__named_kind kind, const char *name,
                           const irl_stmt *s)
{
    irl__name_list *out = w->out;
    irl__name_row  one;
    one.kind = kind;
    one.name = name && (kind == IRL__NAMED_LABEL || kind == IRL__NAMED_AROUND ||
                        kind == IRL__NAMED_LOOPS) ? irl__namez(out->cx, name) : name;
    one.at = s;
    one.number = irl__named_counts(kind) && one.name
                     ? (int)(uintptr_t)irl__ptr_map_get(&out->counts, one.name) : 0;
    out->is_failed |= !one.name || !IRL__PUSH_SCRATCH(out->cx, out->list, one);
    if (!out->is_failed && irl__named_counts(kind))
        out->is_failed = !irl__ptr_map_put(out->cx, &out->counts, one.name,
                                           (const void *)(uintptr_t)(one.number + 1));
}

const irl_stmt *irl__named_store(const irl_stmt *s)
{
    for (;;) {
        if (s->kind == IRL__ATTR) s = s->u.attr.body;
        else if (s->kind == IRL__IF && !s->u.branch.else_) s = s->u.branch.then_;
        else return s->kind == IRL__STORE ? s : NULL;
    }
}

static const irl_buffer *irl__named_whole(const irl_stmt *s)
{
    const irl_buffer *b = NULL, *other;
    if (s->kind == IRL__STORE) return s->u.store.buffer;
    if (s->kind == IRL__ATTR) return irl__named_whole(s->u.attr.body);
    if (s->kind == IRL__IF) {
        b = irl__named_whole(s->u.branch.then_);
        return !s->u.branch.else_ || b == irl__named_whole(s->u.branch.else_) ? b : NULL;
    }
    for (int k = 0; s->kind == IRL__SEQ && k < s->u.seq.count; k++) {
        if (s->u.seq.stmts[k]->kind == IRL__LET) continue;
        other = irl__named_whole(s->u.seq.stmts[k]);
        if (!other || (b && b != other)) return NULL;
        b = other;
    }
    return b;
}

/* The stores beside the nests in a loop, other than into memory that the loop declares, or, where
   all are into that, these: how many, and the one buffer that they go to. */
typedef struct irl__named_own {
    irl__named_walk  *walk;
    const irl_stmt   *loop;
    const irl_buffer *buffer, *first; /* the last one, and, where a name is made, the first */
    int               count, is_mixed, is_declared;
} irl__named_own;

static int irl__named_see_own(irl__visitor *v, const irl_stmt *s)
{
    irl__named_own *q = (irl__named_own *)v->user;
    if (s->kind == IRL__STORE &&
        irl__place_declares(q->loop, s->u.store.buffer) == q->is_declared) {
        q->is_mixed |= q->count++ && q->buffer != s->u.store.buffer;
        q->buffer = s->u.store.buffer;
    }
    q->is_mixed |= s->kind == IRL__EVALUATE;
    return s->kind != IRL__FOR && s->kind != IRL__BLOCK && s->kind != IRL__STORE;
}

static int irl__named_see_all(irl__visitor *v, const irl_stmt *s)
{
    irl__named_own *q = (irl__named_own *)v->user;
    q->count -= s->kind == IRL__STORE && s->u.store.buffer == q->buffer;
    return s->kind != IRL__STORE;
}

/* Has the loop no stores of its own, because it holds one loop or block? */
static int irl__named_is_around(const irl_stmt *loop)
{
    return loop->u.loop.body->kind == IRL__FOR || loop->u.loop.body->kind == IRL__BLOCK;
}

static const irl_buffer *irl__named_beside(const irl_stmt *loop)
{
    irl__named_own q;
    if (irl__named_is_around(loop)) return NULL;
    irl__visitor own = irl__visitor_make(&q, NULL, irl__named_see_own);
    irl__visitor all = irl__visitor_make(&q, NULL, irl__named_see_all);
    memset(&q, 0, sizeof q);
    q.loop = loop;
    for (; !q.count && q.is_declared < 2; q.is_declared++)
        irl__visit_stmt(&own, loop->u.loop.body);
    if (!q.count || q.is_mixed) return NULL;
    irl__visit_stmt(&all, loop->u.loop.body);
    return q.count ? NULL : q.buffer;
}

const irl_buffer *irl__named_buffer(const irl_stmt *loop)
{
    const irl_buffer *b = irl__named_whole(loop->u.loop.body);
    return b ? b : irl__named_beside(loop);
}

int irl__named_is_beside(const irl_stmt *loop)
{
    return !irl__named_whole(loop->u.loop.body) && irl__named_beside(loop) != NULL;
}

/* Stores beside each other that belong to no nest: no label's nest alone is named after their
   buffer. */
static int irl__named_see_stray(irl__visitor *v, const irl_stmt *s)
{
    irl__named_own *q = (irl__named_own *)v->user;
    const int       is_inner = s->kind == IRL__FOR || s->kind == IRL__BLOCK;
    q->is_mixed |= is_inner;
    if (s->kind != IRL__STORE) return !is_inner;
    for (int k = 0; k < 2; k++)
        irl__named_add(q->walk, IRL__NAMED_STORES, s->u.store.buffer->name, q->loop);
    q->buffer = s->u.store.buffer;
    if (!q->count++) q->first = q->buffer;
    return 0;
}

static const irl_stmt *irl__named_innermost(const irl_stmt *loop)
{
    while (loop->u.loop.body->kind == IRL__FOR) loop = loop->u.loop.body;
    return loop;
}

static void irl__named_stray(irl__named_walk *w, const irl_stmt *loop)
{
    irl__named_own q;
    irl__visitor v = irl__visitor_make(&q, NULL, irl__named_see_stray);
    memset(&q, 0, sizeof q);
    q.walk = w;
    q.loop = loop;
    irl__visit_stmt(&v, loop->u.loop.body);
    if (q.count > 1 && !q.is_mixed && !(w->label && irl__named_innermost(w->label) == loop))
        irl__named_add(w, IRL__NAMED_MIXED,
                       irl__namef(w->out->cx, "%s_%s", q.first->name, q.buffer->name), loop);
}

/* A loop that is a nest takes the label around it; NULL: it is named after its buffer. */
static void irl__named_nest(irl__named_walk *w, const irl_stmt *s, const irl_buffer *b)
{
    if (!b) return;
    const char *label = w->label ? irl__stmt_label(w->label) : NULL;
    w->label = NULL;
    irl__named_add(w, label ? IRL__NAMED_LABEL : IRL__NAMED_NEST, label ? label : b->name, s);
    /* a label y_1 says that y is, or was, another nest */
    if (label && strncmp(label, b->name, strlen(b->name)) != 0)
        irl__named_add(w, IRL__NAMED_STORES, b->name, s);
}

/* Loops whose label no nest took: the block that they are around, else the innermost of them. */
static void irl__named_left(irl__named_walk *w, const irl_stmt *s)
{
    const char *label = irl__stmt_label(s);
    s = irl__named_innermost(s);
    if (s->u.loop.body->kind == IRL__BLOCK)
        irl__named_add(w, IRL__NAMED_AROUND, label, s->u.loop.body);
    else irl__named_add(w, IRL__NAMED_LOOPS, label, s);
}

static void irl__named_loop(irl__named_walk *w, const irl_stmt *s)
{
    const irl_stmt *outer = w->label;
    const int       has_label = irl__stmt_label(s) != NULL;
    if (has_label) w->label = s;
    irl__named_add(w, IRL__NAMED_LOOP, s->u.loop.var->u.name, s);
    const int         is_around = irl__named_is_around(s);
    const irl_buffer *whole = is_around ? NULL : irl__named_whole(s->u.loop.body);
    irl__named_nest(w, s, whole);
    irl__named_stmt(w, s->u.loop.body);
    if (!whole && !is_around) {
        const irl_buffer *b = irl__named_beside(s);
        irl__named_nest(w, s, b);
        if (!b) irl__named_stray(w, s);
    }
    if (!has_label) return;
    if (w->label == s) irl__named_left(w, s);
    w->label = outer;
}

/* The recursion is as deep as statements nest. */
static void irl__named_stmt(irl__named_walk *w, const irl_stmt *s)
{
    const irl_stmt *part;
    if (s->kind == IRL__FOR) {
        irl__named_loop(w, s);
        return;
    }
    if (s->kind == IRL__BLOCK) irl__named_add(w, IRL__NAMED_BLOCK, s->u.block->name, s);
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++) irl__named_stmt(w, part);
}

int irl__name_list_of(irl_ctx *cx, const irl_stmt *at, irl__name_list *out)
{
    irl__named_walk w;
    memset(out, 0, sizeof *out);
    out->cx = cx;
    out->of = at;
    w.out = out;
    w.label = NULL;
    irl__named_stmt(&w, at);
    out->count = (int)stbds_arrlen(out->list);
    return !out->is_failed && irl__ok(cx);
}

const char *irl__named_numbered(irl_ctx *cx, const char *name, int number)
{
    return number ? irl__namef(cx, "%s_%d", name, number) : name;
}

const char *irl__named_full(irl_ctx *cx, const irl__name_row *one)
{
    return irl__named_numbered(cx, one->name,
                               irl__named_is_numbered(one->kind) ? one->number : 0);
}
