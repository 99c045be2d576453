/* place.c - where loops and blocks are in a function, and how to replace one of them by another
   statement.

   needs     stmt.c; the analyzer, for what is known there
   promises  statements that are not around the place are shared with the function before; ids and
             locations stay */
#include "schedule.h"

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
    IRL__EACH_STMT(s, &q, p->at[0]) {
        int level = 0;
        while (level + 1 < p->count && level + 1 < q.count && p->at[level + 1] == q.at[level + 1])
            level++;
        const int child = q.at[level]->kind == IRL__SEQ && q.count > level + 1 ? q.child[level + 1]
                                                                               : 0;
        if (!beside || beside->level != level || beside->child != child) {
            beside = IRL__SCRATCH(cx, irl__place_near, 1);
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
    return irl__func_with_body(f, now);
}

int irl__place_become(irl__sched *s, const irl__place *p, int level, const irl_stmt *now)
{
    return irl__sched_become(s, irl__place_put(s->f, p, level, now));
}

int irl__sched_put(irl__sched *s, const irl_stmt *now)
{
    return irl__place_become(s, &s->p, s->p.count - 1, now);
}

const irl_stmt *irl__place_nest(irl__sched *s, int count, const irl_stmt *const *loops,
                                const irl_stmt *body)
{
    const irl_expr *from[IRL_MAX_DEPTH + 1], *to[IRL_MAX_DEPTH + 1];
    for (int k = count; body && k-- > 0;) {
        from[k] = loops[k]->u.loop.var;
        to[k] = irl_expr_var(s->cx, from[k]->u.name, from[k]->type);
        body = irl__stmt_loop_new(s->cx, loops[k], 0, to[k], loops[k]->u.loop.min,
                                  loops[k]->u.loop.extent, body);
    }
    return irl__substitute_stmt(s->cx, body, count, from, to);
}

const irl_stmt *irl__seq_replace(irl_ctx *cx, const irl_stmt *seq, int from, int to, int count,
                                 const irl_stmt *const *now)
{
    const irl_stmt **list = IRL__NEW(cx, const irl_stmt *, seq->u.seq.count + count);
    int n = 0;
    for (int k = 0; list && k < from; k++) list[n++] = seq->u.seq.stmts[k];
    for (int k = 0; list && k < count; k++) list[n++] = now[k];
    for (int k = to; list && k < seq->u.seq.count; k++) list[n++] = seq->u.seq.stmts[k];
    return list ? irl__stmt_seq(cx, n, list) : NULL;
}

irl_func *irl__place_without(const irl_func *f, const irl__place *p)
{
    for (int level = p->count - 1; level > 0; level--) {
        const irl_stmt *parent = p->at[level - 1];
        if (parent->kind == IRL__IF && parent->u.branch.else_)
            return irl__place_put(f, p, level, irl__stmt_empty(f->cx));
        if (parent->kind == IRL__SEQ && parent->u.seq.count != 1)
            return irl__place_put(f, p, level - 1, irl__seq_replace(f->cx, parent, p->child[level],
                                                                    p->child[level] + 1, 0, NULL));
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

int irl__place_bind(irl__analyzer *an, const irl_stmt *loop, int is_free)
{
    const irl_expr *min = loop->u.loop.min, *extent = loop->u.loop.extent;
    int64_t         last;
    if (is_free) return irl__bind_loop(an, loop);
    return min->op != IRL_OP_INT || extent->op != IRL_OP_INT || extent->u.i < 1 ||
           !irl__add64(min->u.i, extent->u.i - 1, &last) ||
           irl__bind_range(an, loop->u.loop.var, min->u.i, last);
}

int irl__place_ask(irl_ctx *cx, irl__analyzer *an, const irl_expr **all, irl_op op,
                   const irl_expr *a, const irl_expr *b)
{
    const irl_expr *part = irl_expr_op2(cx, op, a, b);
    if (part && !irl__prove(an, part)) *all = irl__and(cx, *all, part);
    return part && irl__ok(cx);
}

/* What may be named after the statement at `level`: parameters, and loops and axes around it. */
typedef struct irl__place_after {
    const irl_func   *f;
    const irl__place *p;
    int               level;
} irl__place_after;

static int irl__place_is_inner(const irl_expr *e, const void *user)
{
    const irl__place_after *q = (const irl__place_after *)user;
    if (e->op != IRL_OP_VAR || irl__func_param_of(q->f, e) >= 0) return 0;
    for (int k = 0; k < q->level; k++) {
        const irl_stmt *at = q->p->at[k];
        if (at->kind == IRL__FOR && at->u.loop.var == e) return 0;
        for (int j = 0; at->kind == IRL__BLOCK && j < at->u.block->axis_count; j++)
            if (at->u.block->axes[j].var == e) return 0;
    }
    return 1;
}

int irl__place_is_lasting(irl__sched *s, const irl__place *p, int level, const irl_expr *e)
{
    irl__place_after q;
    q.f = s->f;
    q.p = p;
    q.level = level;
    return !(e->flags & IRL__HAS_MEMORY) && !irl__expr_any(e, irl__place_is_inner, &q);
}

int irl__place_runs(irl__sched *s, const irl__place *p, const uint8_t *asked, const irl_expr **runs)
{
    irl__analyzer  *an = irl__place_analyzer(s, p, 0);
    const irl_expr *one = irl_expr_index(s->cx, 1);
    *runs = NULL;
    for (int k = 0; an && k < p->count; k++) {
        if (asked[k] &&
            !irl__place_ask(s->cx, an, runs, IRL_OP_GE, p->at[k]->u.loop.extent, one))
            return 0;
        if (!irl__bind_loop(an, p->at[k])) return 0;
    }
    return an && irl__ok(s->cx);
}
