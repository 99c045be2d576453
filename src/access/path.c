/* path.c - what is known at a place of a function, from the loops and conditions around it.

   needs     accesses.c
   promises  a fact that is given to the analyzer is true whenever the place is reached; to visit
             the rows of a table in order costs no more than what is around them */
#include "access.h"

/* ------------------------------------------------------------------ what is believed */

/* Whether e reads memory that may change, or calls. */
static int irl__path_changes(const irl__path *p, const irl_expr *e)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return 0;
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC) return 1;
    if (e->op == IRL_OP_LOAD) {
        const void *data = e->u.buffer->data, *behind = irl__ptr_map_get(&p->t->behind, data);
        if (irl__ptr_map_get(&p->written, behind ? behind : data)) return 1;
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__path_changes(p, e->a[k])) return 1;
    return 0;
}

static int irl__path_believe_part(irl__path *p, const irl_expr *condition)
{
    irl_ctx *cx = p->t->cx;
    if (!condition) return 0;
    if (condition->type.lanes != 1) return 1;
    if (condition->op == IRL_OP_AND)
        return irl__path_believe_part(p, condition->a[0]) &&
               irl__path_believe_part(p, condition->a[1]);
    if (condition->op == IRL_OP_NOT && condition->a[0]->op == IRL_OP_OR)
        return irl__path_believe_part(p, irl_expr_op1(cx, IRL_OP_NOT, condition->a[0]->a[0])) &&
               irl__path_believe_part(p, irl_expr_op1(cx, IRL_OP_NOT, condition->a[0]->a[1]));
    if (condition->flags & IRL__HAS_MEMORY) {
        if (!p->has_written) {
            p->has_written = 1;
            for (int k = 0; k < p->t->count; k++) {
                const irl__access *a = &p->t->list[k];
                if (irl__access_writes(a) &&
                    !irl__ptr_map_put(p->t->cx, &p->written, a->memory, a->memory))
                    return 0;
            }
        }
        if (irl__path_changes(p, condition)) return 1;
    }
    return irl__fact(p->an, condition);
}

/* Without lets and axes, as indices are asked about: equal things are one expression. */
int irl__path_believe(irl__path *p, const irl_expr *condition)
{
    return irl__path_believe_part(p, irl__accesses_plain(p->t, condition));
}

static int irl__path_believe_least(irl__path *p, const irl_expr *e, int64_t least)
{
    if (e->op == IRL_OP_INT) return 1;
    return irl__path_believe(p,
                             irl_expr_op2(p->t->cx, IRL_OP_GE, e, irl_expr_index(p->t->cx, least)));
}

int irl__path_params(irl__analyzer *an, const irl_func *f)
{
    int axis;
    for (int k = 0; k < f->param_count; k++) {
        const irl_buffer *b = f->params[k].buffer;
        for (axis = 0; b && axis < b->rank; axis++)
            if (b->shape[axis]->op == IRL_OP_VAR &&
                !irl__bind_range(an, b->shape[axis], 0, INT64_MAX))
                return 0;
    }
    for (int k = 0; k < f->param_count; k++) {
        const irl_buffer *b = f->params[k].buffer;
        for (axis = 0; b && axis < b->rank; axis++)
            if (b->shape[axis]->op != IRL_OP_VAR && b->shape[axis]->op != IRL_OP_INT &&
                !irl__fact(an, irl_expr_op2(f->cx, IRL_OP_GE, b->shape[axis],
                                            irl_expr_index(f->cx, 0))))
                return 0;
    }
    return 1;
}

/* What is known of the loops whose variables stand in an extent. */
typedef struct irl__path_extent {
    irl__analyzer  *an;
    const irl_expr *extent;
} irl__path_extent;

static int irl__path_see_loop(irl__visitor *v, const irl_stmt *s)
{
    irl__path_extent *q = (irl__path_extent *)v->user;
    if (s->kind == IRL__FOR && irl__expr_uses_var(q->extent, s->u.loop.var))
        (void)irl__bind_loop(q->an, s);
    return 1;
}

const irl_expr *irl__path_length(const irl_func *f, const irl_expr *extent)
{
    irl__path_extent q;
    irl__visitor     v = irl__visitor_make(&q, NULL, irl__path_see_loop);
    const irl_expr  *zero = irl_expr_index(f->cx, 0), *is_length;
    q.an = irl__analyzer_begin(f->cx);
    q.extent = extent;
    is_length = zero ? irl_expr_op2(f->cx, IRL_OP_GE, extent, zero) : NULL;
    if (!q.an || !is_length || !irl__path_params(q.an, f)) return NULL;
    if (irl__prove(q.an, is_length)) return extent;
    if (extent->flags & IRL__HAS_VAR) irl__visit_stmt(&v, f->body);
    return irl__prove(q.an, is_length) ? extent
                                       : irl_expr_op2(f->cx, IRL_OP_MAX, extent, zero);
}

/* ------------------------------------------------------------------ entering and leaving */

/* The variable is below each of what its end is the least of. */
static int irl__path_loop_end(irl__path *p, const irl_stmt *s, const irl_expr *min,
                              const irl_expr *extent)
{
    const irl_expr *var = s->u.loop.var;
    if (extent->op != IRL_OP_MIN)
        return irl__path_believe_part(
            p, irl_expr_op2(p->t->cx, IRL_OP_LT, var, irl__add(p->t->cx, min, extent)));
    return irl__path_loop_end(p, s, min, extent->a[0]) &&
           irl__path_loop_end(p, s, min, extent->a[1]);
}

static int irl__path_learn(irl__path *p, const irl__around *n)
{
    switch (n->kind) {
    /* Inside, it runs: its extent is at least 1. */
    case IRL__AROUND_LOOP: {
        const irl_stmt *s = n->stmt;
        const irl_expr *min = irl__accesses_plain(p->t, s->u.loop.min),
                       *extent = irl__accesses_plain(p->t, s->u.loop.extent);
        if (!min || !extent || !irl__bind_extent(p->an, s->u.loop.var, min, extent)) return 0;
        if (extent->op == IRL_OP_INT) {
            p->never += extent->u.i <= 0;
            return 1;
        }
        irl__interval r = irl__interval_of(p->an, extent);
        if (r.hi <= 0) p->never++;
        if (r.hi > 0 && r.lo < 1 && !irl__path_believe_least(p, extent, 1)) return 0;
        return extent->op != IRL_OP_MIN || irl__path_loop_end(p, s, min, extent);
    }
    case IRL__AROUND_AXIS:
    case IRL__AROUND_LET:
        return n->var->type.is_pointer || irl__bind_value(p->an, n->var, n->value);
    case IRL__AROUND_GUARD:
    case IRL__AROUND_CHECK: return irl__path_believe(p, n->value);
    case IRL__AROUND_MEMORY:
        for (int k = 0; k < n->buffer->rank; k++)
            if (!irl__path_believe_least(p, n->buffer->shape[k], 0)) return 0;
        return 1;
    case IRL__AROUND_BLOCK: break;
    }
    return 1;
}

static void irl__path_leave(irl__path *p)
{
    irl__path_step step = p->steps[--p->count];
    irl__facts_release(p->an, step.facts);
    irl__bindings_release(p->an, step.bindings);
    p->never = step.never;
}

/* ------------------------------------------------------------------ from place to place */

int irl__path_begin(irl__path *p, irl__accesses *t)
{
    memset(p, 0, sizeof *p);
    p->t = t;
    p->an = irl__analyzer_begin(t->cx);
    return p->an && irl__path_params(p->an, t->f);
}

int irl__path_to(irl__path *p, const irl__around *around)
{
    const irl__around **inner = NULL;
    while (p->count > (around ? around->depth + 1 : 0)) irl__path_leave(p);
    for (; around && (around->depth >= p->count || p->steps[around->depth].around != around);
         around = around->outer)
        if (!IRL__PUSH_SCRATCH(p->t->cx, inner, around)) return 0;
    while (p->count > (around ? around->depth + 1 : 0)) irl__path_leave(p);
    for (int k = (int)stbds_arrlen(inner); k-- > 0;) {
        const irl__around *n = inner[k];
        irl__path_step     step;
        step.around = n;
        step.bindings = irl__bindings_mark(p->an);
        step.facts = irl__facts_mark(p->an);
        step.never = p->never;
        if (p->count < (int)stbds_arrlen(p->steps)) p->steps[p->count] = step;
        else if (!IRL__PUSH_SCRATCH(p->t->cx, p->steps, step)) return 0;
        p->count++;
        if (!(irl__path_learn(p, n) && (!p->enter || p->enter(p, n)) && irl__ok(p->t->cx)))
            return 0;
    }
    return 1;
}

int irl__path_is_dead(irl__path *p)
{
    return p->never || irl__prove(p->an, irl__bool(p->t->cx, 0));
}
