/* infer_kinds.c - the kinds of axes that the text leaves out.

   needs     kinds.c
   promises  SPATIAL is proved; for REDUCE, two instances that meet in an update are known, or there
             is no init. Any other axis is refused, and the message shows what meets
   cost      a walk of the function if all kinds are stated; else its table of accesses, and for
             each other axis that of irl__axis_kind_of, which examines only the block */
#include "analysis.h"

const irl__around *irl__block_of(const irl__accesses *t, const irl_stmt *block)
{
    const irl__around *n = (const irl__around *)irl__ptr_map_get(&t->of_stmt, block);
    return n && n->first < n->end ? n : NULL;
}

static int irl__infer_axis(irl__accesses *t, const irl_stmt *s, const irl__around *block, int k,
                           irl__axis *axis)
{
    irl__meeting   m;
    irl__axis_kind kind = block ? irl__axis_kind_of(t, block, k, &m) : IRL__KIND_SPATIAL;
    if (kind == IRL__KIND_OPAQUE ||
        (kind == IRL__KIND_REDUCE && m.answer != IRL_YES && s->u.block->init)) {
        const irl__block_data *b = s->u.block;
        return irl__fail(t->cx, IRL_ERROR_UNSTATED_AXIS, s->loc,
                         "the kind of axis '%s' of block '%s' is not stated, and %s: %s",
                         b->axes[k].var->u.name, b->name,
                         m.answer == IRL_YES
                             ? "instances that differ in it access one cell in other ways than by "
                               "updating it"
                             : "it is not known whether instances that differ in it access one "
                               "cell",
                         irl__meeting_cstr(t, &m));
    }
    axis->is_unstated = 0;
    axis->is_reduction = kind == IRL__KIND_REDUCE;
    return irl__ok(t->cx);
}

static const irl_stmt *irl__infer_block(irl__rewriter *r, const irl_stmt *s)
{
    irl__accesses     *t = (irl__accesses *)r->user;
    const irl_stmt    *now = irl__rewrite_stmt_children(r, s);
    const irl__around *node = irl__block_of(t, s);
    irl__block_data   *block;
    irl_stmt          *copy = irl__block_copy(r->cx, now, &block);
    irl__axis         *axes = copy ? irl__block_axes(r->cx, block, 0) : NULL;
    if (!axes) return NULL;
    for (int k = 0; k < block->axis_count; k++)
        if (axes[k].is_unstated && !irl__infer_axis(t, s, node, k, &axes[k])) return NULL;
    return irl__stmt_finish(r->cx, copy);
}

static const irl_stmt *irl__infer_stmt(irl__rewriter *r, const irl_stmt *s)
{
    return s->kind == IRL__BLOCK ? irl__infer_block(r, s) : irl__rewrite_stmt_children(r, s);
}

const irl_func *irl__func_kinds(const irl_func *f)
{
    irl__accesses   t;
    const irl_func *out = NULL;
    if (!f || !f->body || !irl__ok(f->cx) || !irl__stmt_holds(f->body, IRL__HOLDS_UNSTATED))
        return f;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__rewriter   r = irl__rewriter_make(f->cx, &t, NULL, irl__infer_stmt);
    if (irl__accesses_of(&t, f, NULL)) out = irl__rewrite_func(&r, f);
    irl__scratch_end(f->cx, mark);
    return irl__ok(f->cx) ? out : NULL;
}

/* ------------------------------------------------------------------ questions of users */

int irl__query_begin(irl__query *q, const irl_func *f)
{
    f = f && irl__ok(f->cx) ? irl__func_kinds(f) : NULL;
    if (!f) return 0;
    q->cx = f->cx;
    q->mark = irl__scratch_begin(f->cx);
    if (irl__accesses_of(&q->t, f, NULL)) return 1;
    irl__scratch_end(q->cx, q->mark);
    return 0;
}

const void *irl__query_end(irl__query *q, const void *answer)
{
    irl__scratch_end(q->cx, q->mark);
    return irl__ok(q->cx) ? answer : NULL;
}
