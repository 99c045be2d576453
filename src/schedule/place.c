/* place.c - where loops and blocks stand in a function, and a function with another statement in
   the place of one of them.

   needs     stmt.c; the analyzer, for what is known there
   promises  what does not stand around the place is shared with the function before; ids and
             locations stay */
#include "schedule.h"

/* The k-th statement in another one; NULL: it has fewer. */
static const irl_stmt *irl__place_part(const irl_stmt *s, int k)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: return k < s->u.seq.count ? s->u.seq.stmts[k] : NULL;
    case IRL__FOR: return k ? NULL : s->u.loop.body;
    case IRL__ATTR: return k ? NULL : s->u.attr.body;
    case IRL__IF: return k > 1 ? NULL : k ? s->u.branch.else_ : s->u.branch.then_;
    case IRL__BLOCK:
        if (!s->u.block->init) k++;
        return k > 1 ? NULL : k ? s->u.block->body : s->u.block->init;
    default: return NULL;
    }
}

void irl__place_begin(irl__place *p, const irl_stmt *top)
{
    p->count = 1;
    p->at[0] = top;
    p->child[0] = p->is_begun = p->is_over = 0;
}

const irl_stmt *irl__place_next(irl__place *p)
{
    int k = 0;
    if (!p->is_begun++) return p->at[0];
    if (p->is_over || p->count >= IRL_MAX_DEPTH + 2) k = p->child[--p->count] + 1;
    p->is_over = 0;
    while (p->count > 0) {
        const irl_stmt *next = irl__place_part(p->at[p->count - 1], k);
        if (next) {
            p->child[p->count] = k;
            return p->at[p->count++] = next;
        }
        k = p->child[--p->count] + 1;
    }
    return NULL;
}

static int irl__place_seek(const irl_stmt *body, uint32_t id, const irl_stmt *self,
                           irl__place *out)
{
    const irl_stmt *s;
    irl__place_begin(out, body);
    while ((s = irl__place_next(out)) != NULL && s != self && (!id || s->id != id)) {}
    for (int k = 1; k < out->count; k++)
        if (out->at[k - 1]->kind != IRL__SEQ) out->child[k] = 0;
    return s != NULL;
}

int irl__place_of(const irl_stmt *body, uint32_t id, irl__place *out)
{
    return irl__place_seek(body, id, NULL, out);
}

int irl__place_of_stmt(const irl_stmt *body, const irl_stmt *s, irl__place *out)
{
    return irl__place_seek(body, 0, s, out);
}

int irl__place_holds(const irl_stmt *s, const irl_stmt *one)
{
    irl__place p;
    return irl__place_seek(s, 0, one, &p);
}

static int irl__place_is_another(void *user, irl__field_kind kind, const void *at)
{
    const irl_stmt *s = kind == IRL__FIELD_STMT ? *(const irl_stmt *const *)at : NULL;
    if (kind == IRL__FIELD_NEW)
        return *(const irl_buffer *const *)at != *(const irl_buffer *const *)user;
    return !s || irl__fields_each(s, IRL__FIELDS_DECLARED, irl__place_is_another, user);
}

int irl__place_declares(const irl_stmt *s, const irl_buffer *b)
{
    return !irl__fields_each(s, IRL__FIELDS_DECLARED, irl__place_is_another, &b);
}

int irl__place_all(irl_ctx *cx, const irl__place *p, irl__ptr_map *places)
{
    irl__place      q;
    irl__place_near *beside = NULL;
    memset(places, 0, sizeof *places);
    irl__place_begin(&q, p->at[0]);
    for (const irl_stmt *s; (s = irl__place_next(&q)) != NULL;) {
        int level = 0;
        while (level + 1 < p->count && level + 1 < q.count && p->at[level + 1] == q.at[level + 1])
            level++;
        const int child = q.at[level]->kind == IRL__SEQ && q.count > level + 1 ? q.child[level + 1]
                                                                               : 0;
        if (!beside || beside->level != level || beside->child != child) {
            beside = (irl__place_near *)irl__scratch_alloc(cx, 1, sizeof *beside);
            if (!beside) return 0;
            beside->level = level;
            beside->child = child;
        }
        if (!irl__ptr_map_get(places, s) && !irl__ptr_map_put(cx, places, s, beside)) return 0;
    }
    return 1;
}

int irl__place_child(const irl__place *p, const irl__ptr_map *places, const irl_stmt *s, int level)
{
    const irl__place_near *at = (const irl__place_near *)irl__ptr_map_get(places, s);
    if (!at || at->level < level) return 0;
    return at->level > level ? p->child[level + 1] : at->child;
}

int irl__place_level(const irl__place *p, const irl_stmt *s)
{
    int k = 0;
    while (k < p->count && p->at[k] != s) k++;
    return k;
}

int irl__place_kernel(const irl__place *p, int level)
{
    int k;
    for (k = 0; k < level && !irl__stmt_is_bound(p->at[k]); k++) {}
    return k;
}

irl_stmt *irl__block_over(irl_ctx *cx, const irl_stmt *s, int count, const irl_expr *const *from,
                          const irl_expr *const *to, irl__block_data **data)
{
    irl_stmt *copy = irl__block_copy(cx, s, data);
    if (!copy) return NULL;
    (*data)->axis_count = 0; /* only what is in the block changes its variables */
    return irl__block_copy(cx, irl__substitute_stmt(cx, copy, count, from, to), data);
}

/* ------------------------------------------------------------------ rebuilding */

typedef struct irl__place_swap {
    const irl_stmt *from, *to;
} irl__place_swap;

static const irl_stmt *irl__place_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__place_swap *swap = (const irl__place_swap *)r->user;
    return s == swap->from ? swap->to : s;
}

irl_func *irl__place_put(const irl_func *f, const irl__place *p, int level, const irl_stmt *now)
{
    irl__place_swap swap;
    irl__rewriter   r = irl__rewriter_make(f->cx, &swap, irl__rewrite_no_expr, irl__place_stmt);
    for (; now && level > 0; level--) {
        swap.from = p->at[level];
        swap.to = now;
        now = irl__rewrite_stmt_children(&r, p->at[level - 1]);
    }
    return now ? irl__func_with_body(f, now) : NULL;
}

irl_func *irl__place_without(const irl_func *f, const irl__place *p)
{
    const irl_stmt **list;
    int              level, k, count = 0;
    for (level = p->count - 1; level > 0; level--) {
        const irl_stmt *parent = p->at[level - 1];
        if (parent->kind == IRL__IF && parent->u.branch.else_)
            return irl__place_put(f, p, level, irl__stmt_empty(f->cx));
        if (parent->kind != IRL__SEQ || parent->u.seq.count == 1) continue;
        list = (const irl_stmt **)irl__alloc_array(f->cx, (size_t)parent->u.seq.count,
                                                   sizeof *list);
        for (k = 0; list && k < parent->u.seq.count; k++)
            if (k != p->child[level]) list[count++] = parent->u.seq.stmts[k];
        return list ? irl__place_put(f, p, level - 1, irl__stmt_seq(f->cx, count, list)) : NULL;
    }
    return irl__func_with_body(f, irl__stmt_empty(f->cx));
}

/* ------------------------------------------------------------------ what is known there */

irl__analyzer *irl__place_analyzer(irl__sched *s, const irl__place *p, int count)
{
    irl__analyzer *an = irl__analyzer_begin(s->cx);
    if (!an || !irl__path_params(an, s->f)) return NULL;
    for (int k = 0; k < count; k++)
        if (!irl__bind_loop(an, p->at[k])) return NULL;
    return an;
}

int irl__place_runs(irl__sched *s, const irl__place *p, const uint8_t *asked,
                    const irl_expr **runs)
{
    irl__analyzer  *an = irl__place_analyzer(s, p, 0);
    const irl_expr *one;
    *runs = NULL;
    for (int k = 0; an && k < p->count; k++) {
        if (asked[k]) {
            one = irl_expr_op2(s->cx, IRL_OP_GE, p->at[k]->u.loop.extent,
                               irl_expr_index(s->cx, 1));
            if (!irl__prove(an, one)) *runs = irl__and(s->cx, *runs, one);
        }
        if (!irl__bind_loop(an, p->at[k])) return 0;
    }
    return an && irl__ok(s->cx);
}
