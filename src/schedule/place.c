/* place.c - where loops and blocks stand in a function, and a function with another statement in
   the place of one of them.

   needs     stmt.c
   promises  what does not stand around the place is shared with the function before; ids and
             locations stay */
#include "schedule.h"

int irl__stmt_children(const irl_stmt *s, const irl_stmt *few[2], const irl_stmt *const **list)
{
    int n = 0;
    *list = few;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: *list = s->u.seq.stmts; return s->u.seq.count;
    case IRL__FOR: few[n++] = s->u.loop.body; break;
    case IRL__ATTR: few[n++] = s->u.attr.body; break;
    case IRL__BLOCK:
        few[n++] = s->u.block->body;
        if (s->u.block->init) few[n++] = s->u.block->init;
        break;
    case IRL__IF:
        few[n++] = s->u.branch.then_;
        if (s->u.branch.else_) few[n++] = s->u.branch.else_;
        break;
    default: break;
    }
    return n;
}

/* The recursion is as deep as statements nest. */
static int irl__place_search(irl__place *p, uint32_t id)
{
    const irl_stmt *s = p->at[p->count - 1], *few[2], *const *list;
    const int       count = irl__stmt_children(s, few, &list), level = p->count;
    int             k;
    if (s->id == id && id) return 1;
    for (k = 0; k < count && level <= IRL_MAX_DEPTH; k++) {
        p->at[level] = list[k];
        p->child[level] = k;
        p->count = level + 1;
        if (irl__place_search(p, id)) return 1;
    }
    p->count = level;
    return 0;
}

int irl__place_of(const irl_stmt *body, uint32_t id, irl__place *out)
{
    out->count = 1;
    out->at[0] = body;
    out->child[0] = 0;
    return irl__place_search(out, id);
}

/* ------------------------------------------------------------------ rebuilding */

static int irl__place_block_with(irl_ctx *cx, irl_stmt *copy, int child, const irl_stmt *now)
{
    irl__block_data *block = (irl__block_data *)irl__copy(cx, copy->u.block, 1, sizeof *block);
    if (!block) return 0;
    if (child == 0) block->body = now;
    else block->init = now;
    copy->u.block = block;
    return 1;
}

/* s with another statement in the place of one that it holds. */
static const irl_stmt *irl__place_with(irl_ctx *cx, const irl_stmt *s, int child,
                                       const irl_stmt *now)
{
    irl_stmt        *copy;
    const irl_stmt **list;
    if (s->kind == IRL__SEQ) {
        list = (const irl_stmt **)irl__copy(cx, s->u.seq.stmts, (size_t)s->u.seq.count,
                                            sizeof *list);
        if (!list) return NULL;
        list[child] = now;
        return irl__stmt_seq(cx, s->u.seq.count, list);
    }
    copy = irl__stmt_copy(cx, s);
    if (!copy) return NULL;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__FOR: copy->u.loop.body = now; break;
    case IRL__ATTR: copy->u.attr.body = now; break;
    case IRL__IF:
        if (child == 0) copy->u.branch.then_ = now;
        else copy->u.branch.else_ = now;
        break;
    default:
        if (!irl__place_block_with(cx, copy, child, now)) return NULL;
        break;
    }
    return irl__stmt_finish(cx, copy);
}

irl_func *irl__place_put(const irl_func *f, const irl__place *p, int level, const irl_stmt *now)
{
    for (; now && level > 0; level--)
        now = irl__place_with(f->cx, p->at[level - 1], p->child[level], now);
    return now ? irl__func_with_body(f, now) : NULL;
}
