/* flow.c - the flow through a temporary: which accesses write and read it, and which instance of
   the writer makes what an instance of the reader uses.

   needs     place.c, names.c; the access table, the solver, pairs of accesses
   promises  an answer about a unit holds for every run of the function without an error; "not
             known" counts as no */
#include "schedule.h"

/* ------------------------------------------------------------------ units */

int irl__flow_unit_of(irl__sched *s, irl__flow_unit *u)
{
    const irl_stmt *at;
    memset(u, 0, sizeof *u);
    u->p = s->p;
    const irl_stmt *last = irl__place_last(&u->p);
    if (last->kind == IRL__BLOCK) {
        u->block = last->u.block;
        at = u->block->body;
    } else
        at = last->u.loop.body;
    while (at && !u->block && at->kind == IRL__IF && !at->u.branch.else_) {
        u->guard = irl__and(s->cx, u->guard, at->u.branch.condition);
        at = at->u.branch.then_;
    }
    u->store = at->kind == IRL__STORE ? at : NULL;
    return irl__ok(s->cx);
}

/* One more coordinate; 0: there are too many, or memory is out. */
static int irl__flow_take(irl__flow_unit *u, const irl_expr *var, const irl_expr *min,
                          const irl_expr *extent)
{
    if (u->count == IRL__FLOW_MOST || !min || !extent) return 0;
    u->var[u->count] = var;
    u->min[u->count] = min;
    u->extent[u->count++] = extent;
    return 1;
}

static int irl__flow_axis(irl__sched *s, irl__flow_unit *u, const irl_expr *var,
                          const irl_expr *min, const irl_expr *extent)
{
    if (u->count == IRL__FLOW_MOST)
        return irl__refuse_at(s, s->args[0].loc, "'%N' has more than %d axes", IRL__FLOW_MOST);
    return irl__flow_take(u, var, min, extent);
}

int irl__flow_axes(irl__sched *s, irl__flow_unit *u, int from)
{
    u->count = 0;
    for (int k = 0; u->block && k < u->block->axis_count; k++)
        if (!irl__flow_axis(s, u, u->block->axes[k].var, irl_expr_index(s->cx, 0),
                            u->block->axes[k].extent))
            return 0;
    for (int k = from + 1; !u->block && k < u->p.count; k++) {
        const irl_stmt *at = u->p.at[k];
        if (at->kind == IRL__FOR &&
            !irl__flow_axis(s, u, at->u.loop.var, at->u.loop.min, at->u.loop.extent))
            return 0;
        if (at->kind != IRL__FOR && at->kind != IRL__SEQ && at->kind != IRL__ATTR)
            return irl__refuse_at(s, s->args[0].loc, "a condition or a block is around '%N'");
    }
    return 1;
}

/* The first loop around the block, from that level of its place on, that a part of the block uses
   other than by an axis; NULL: none. */
static const irl_stmt *irl__flow_past_axes(const irl_stmt *part, const irl__place *p, int from)
{
    for (int k = from; part && k < p->count - 1; k++)
        if (p->at[k]->kind == IRL__FOR && irl__stmt_names(part, p->at[k]->u.loop.var, NULL))
            return p->at[k];
    return NULL;
}

int irl__flow_init_knows_axes(irl__sched *s, const irl__block_data *b, const irl__place *p,
                              int from)
{
    const irl_stmt *loop = irl__flow_past_axes(b->init, p, from);
    return !loop || irl__refuse(s, "the init of '%s' uses the loop '%L' directly, not through its "
                                "axes", b->name, loop);
}

int irl__flow_knows_axes(irl__sched *s, const irl__block_data *b, const irl__place *p, int from)
{
    const irl_stmt *loop = b ? irl__flow_past_axes(b->body, p, from) : NULL;
    if (b && !loop) loop = irl__flow_past_axes(b->init, p, from);
    for (int k = from; b && !loop && k < p->count - 1; k++)
        for (int j = 0; p->at[k]->kind == IRL__FOR && j < b->axis_count; j++)
            if (irl__expr_uses_var(b->axes[j].extent, p->at[k]->u.loop.var)) loop = p->at[k];
    return !loop || irl__refuse(s, "'%s' uses the loop '%L' directly, not through its axes",
                                b->name, loop);
}

typedef struct irl__flow_used {
    const irl_buffer *buffer;
    int               found;
} irl__flow_used;

static void irl__flow_see_used(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__flow_used *q = (irl__flow_used *)v->user;
    (void)s;
    q->found |= b == q->buffer;
}

/* Of memory that is allocated each view counts, of a view that is declared itself. */
static int irl__flow_uses_declared(const irl_stmt *part, const irl_stmt *declares)
{
    irl__flow_used q = { declares->u.alloc.buffer, 0 };
    irl__visitor   v = irl__visitor_make(&q, NULL, NULL);
    if (declares->kind == IRL__ALLOC) return irl__stmt_names(part, q.buffer->data, NULL);
    v.buffer = irl__flow_see_used;
    irl__visit_stmt(&v, part);
    return q.found;
}

const char *irl__flow_declared_between(const irl_stmt *seq, int from, int to, const irl_stmt *part)
{
    for (int k = from; k < to; k++) {
        const irl_stmt *at = seq->u.seq.stmts[k];
        if (at->kind == IRL__LET && irl__stmt_names(part, at->u.let.var, NULL))
            return at->u.let.var->u.name;
        if ((at->kind == IRL__ALLOC || at->kind == IRL__DECL) && irl__flow_uses_declared(part, at))
            return at->u.alloc.buffer->name;
    }
    return NULL;
}

int irl__flow_bounds_are_named(irl__sched *s, const irl__place *p, int from)
{
    for (int k = from; k < p->count; k++)
        if (p->at[k]->kind == IRL__FOR && !irl__sched_bounds_are_named(s, s->step->loc, p->at[k]))
            return 0;
    return 1;
}

int irl__flow_keeps_calls(irl__sched *s, const irl_stmt *part)
{
    return !part || !irl__stmt_calls(s->f, part) || irl__refuse(s, "'%N' calls a function, which "
                                                                "may have side effects: such calls "
                                                                "must keep their number and order");
}

int irl__flow_is_of_item(irl__sched *s, irl__accesses *t,
                         const irl__place *p, int level, const irl_buffer *b)
{
    const irl__flow_set stores = irl__flow_set_of(t, IRL__ROWS_STORE, NULL, NULL, b);
    const irl__flow_set others = irl__flow_set_of(t, IRL__ROWS_TAKE, NULL, NULL, b);
    for (int n = 0; b->scope == IRL_SCOPE_SHARED && n <= level; n++) {
        const irl_stmt *at = p->at[n];
        const irl__around *loop = irl__stmt_is_bound(at) && at->u.loop.axis > IRL_GROUP_Z
                                      ? irl__loop_of(t, at) : NULL;
        if (!loop || irl__is_int(at->u.loop.extent, 1)) continue;
        IRL__FLOW_EACH(a, stores)
            IRL__FLOW_EACH(other, others)
                if (!irl__access_tells(t, loop, a, other))
                    return irl__refuse(s, "'%B' is shared, and as far as is known a work-item of "
                                       "'%L' reads what another one wrote", b, at);
    }
    return 1;
}

int irl__flow_is_private(const irl_stmt *kernel, const irl_buffer *b)
{
    return kernel && b && b->scope == IRL_SCOPE_LOCAL && irl__place_declares(kernel, b);
}

typedef struct irl__flow_even {
    const irl_func   *f;
    const irl__place *p;
} irl__flow_even;

/* May the value of this part differ between work-items of a group? */
static int irl__flow_differs(const irl_expr *e, const void *user)
{
    const irl__flow_even *q = (const irl__flow_even *)user;
    if (e->flags & IRL__HAS_MEMORY) return 1;
    if (e->op != IRL_OP_VAR) return e->flags & IRL__HAS_VAR ? 0 : -1;
    for (int k = 0; k < q->p->count; k++) {
        const irl_stmt *at = q->p->at[k];
        if (at->kind == IRL__FOR && at->u.loop.var == e)
            return at->u.loop.kind == IRL_BOUND && at->u.loop.axis >= IRL_LOCAL_X;
    }
    return irl__func_param_of(q->f, e) < 0;
}

int irl__flow_is_even(irl__accesses *t, const irl__place *p, const irl_expr *e)
{
    irl__flow_even q = { t->f, p };
    e = irl__accesses_plain(t, e);
    return e && !irl__expr_any(e, irl__flow_differs, &q);
}

/* Does the access stand where work-items wait: in the kernel around, or, where there is none, in a
   statement of the list that holds a barrier? */
static int irl__flow_is_waited_for(const irl__access *a, const irl_stmt *kernel,
                                   const irl_stmt *seq, int from, int to)
{
    int found = kernel && irl__access_in(a, kernel);
    for (int k = from; !kernel && !found && k <= to; k++)
        found = irl__stmt_holds(seq->u.seq.stmts[k], 1u << IRL__BARRIER) &&
                irl__access_in(a, seq->u.seq.stmts[k]);
    return found;
}

int irl__flow_waits_for_none(irl__sched *s, irl__accesses *t, const irl__place *p, int level,
                             int from, int to, const irl_buffer *const *own, int own_count)
{
    const int       top = irl__place_kernel(p, level + 1);
    const irl_stmt *seq = p->at[level], *unit = irl__place_last(p);
    const irl_stmt *kernel = top <= level ? p->at[top] : NULL;
    int             i, waits = 0;
    if (seq->kind != IRL__SEQ) return 1;
    if (to < 0 || to >= seq->u.seq.count) to = seq->u.seq.count - 1;
    for (int k = from; k <= to; k++)
        waits |= irl__stmt_holds(seq->u.seq.stmts[k], 1u << IRL__BARRIER);
    const irl__flow_set of_unit = irl__flow_set_of(t, IRL__ROWS_ALL, unit, NULL, NULL);
    const irl__flow_set others = irl__flow_set_of(t, IRL__ROWS_ALL, NULL, unit, NULL);
    if (!waits) return 1;
    IRL__FLOW_PAIRS(a, b, of_unit, others) {
        for (i = 0; i < own_count && own[i]->data != a->memory; i++) {}
        if (i == own_count && !irl__flow_is_private(kernel, a->buffer) &&
            irl__flow_is_waited_for(b, kernel, seq, from, to))
            return irl__refuse(s, a->buffer ? "%s '%B'" : "%s 'memory'", "there is a barrier in "
                               "between, at which work-items wait for accesses of others to",
                               a->buffer);
    }
    return 1;
}

/* Could computing with what is not there fail? Division of integers, floats to integers, an index
   that is loaded. */
int irl__flow_may_fail(const irl_expr *e)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return 0;
    switch ((irl_op)e->op) {
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        if (!irl__is_const(e->a[1]) || irl__is_int(e->a[1], 0)) return 1;
        break;
    case IRL_OP_SHL: case IRL_OP_SHR:
        if (!irl__is_const(e->a[1])) return 1;
        break;
    case IRL_OP_CAST:
        if (!irl__type_is_real(e->type) &&
            (irl__type_is_real(e->a[0]->type) || irl__type_is_index(e->type)))
            return 1;
        break;
    case IRL_OP_CALL_EXTERN: case IRL_OP_CALL_INTRINSIC: return 1;
    case IRL_OP_IF_THEN_ELSE: case IRL_OP_SELECT: /* what decides is known */
    case IRL_OP_AND: case IRL_OP_OR:
        if (e->a[0]->flags & IRL__HAS_MEMORY) return 1;
        break;
    case IRL_OP_LET: /* it may stand in all of these */
        if (e->a[1]->flags & IRL__HAS_MEMORY) return 1;
        break;
    case IRL_OP_LOAD:
        for (uint32_t k = 0; k < e->count; k++)
            if (e->a[k]->flags & IRL__HAS_MEMORY) return 1;
        break;
    default: break;
    }
    if (irl__type_is_index(e->type) && e->op != IRL_OP_LOAD && e->count) return 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__flow_may_fail(e->a[k])) return 1;
    return 0;
}

/* ------------------------------------------------------------------ the buffer */

int irl__flow_is_write(const irl__access *a)
{
    return a->kind == IRL__ACCESS_WRITE || a->kind == IRL__ACCESS_UPDATE;
}

int irl__flow_is_told(irl__sched *s, const irl__access *a)
{
    return (a->kind != IRL__ACCESS_OPAQUE && a->buffer) || irl__refuse(s, "'%N' calls a function "
                                                                       "with a pointer");
}

int irl__flow_is_of(const irl__access *a, const irl_buffer *b)
{
    return a->memory == b->data && !a->is_declared;
}

irl__flow_set irl__flow_set_of(const irl__accesses *t, int kinds, const irl_stmt *in,
                               const irl_stmt *outside, const irl_buffer *of)
{
    irl__flow_set set = { t, kinds, in, outside, of };
    return set;
}

const irl__access *irl__flow_next(const irl__flow_set *set, const irl__access *a)
{
    if (!set->t->count) return NULL;
    const irl__access *end = set->t->list + set->t->count;
    for (a = a ? a + 1 : set->t->list; a < end; a++)
        if ((set->kinds >> a->kind & 1) && !a->is_declared &&
            (!a->only_reads || set->kinds != IRL__ROWS_WRITE) &&
            (!set->of || a->memory == set->of->data) && (!set->in || irl__access_in(a, set->in)) &&
            !(set->outside && irl__access_in(a, set->outside)))
            return a;
    return NULL;
}

int irl__flow_next_pair(const irl__flow_set *one, const irl__flow_set *other,
                        const irl__access **a, const irl__access **b)
{
    if (!*a) *a = irl__flow_next(one, NULL);
    for (; *a; *a = irl__flow_next(one, *a))
        while ((*b = irl__flow_next(other, *b)) != NULL)
            if ((irl__access_writes(*a) || irl__access_writes(*b)) &&
                irl__access_alias(one->t, *a, *b) != IRL_NO)
                return 1;
    return 0;
}

irl_answer irl__flow_carries(irl__accesses *t, const irl__place *p, int from, int to,
                             const irl__flow_set *a, const irl__flow_set *b, irl__meeting *m)
{
    for (irl_answer answer; from < to; from++) {
        const irl_stmt    *at = p->at[from];
        const irl__around *loop = at->kind == IRL__FOR ? irl__loop_of(t, at) : NULL;
        IRL__FLOW_PAIRS(one, other, *a, *b)
            if (loop && (answer = irl__loop_carries_between(t, loop, one, other, m)) != IRL_NO)
                return answer;
    }
    return IRL_NO;
}

int irl__flow_is_apart(irl__sched *s, irl_loc where, irl__accesses *t, const irl_stmt *in,
                       const irl_buffer *of, const char *what, const char *advice)
{
    const irl__flow_set rows = irl__flow_set_of(t, IRL__ROWS_ALL, in, NULL, of);
    irl__meeting        m;
    IRL__FLOW_EACH(a, rows) {
        const irl__around *kernel = NULL;
        for (const irl__around *n = a->around; n; n = n->outer)
            if (n->kind == IRL__AROUND_LOOP && irl__stmt_is_bound(n->stmt)) kernel = n;
        if (kernel && irl__kernel_row_meets(t, kernel, (int)(a - t->list), &m) != IRL_NO)
            return irl__refuse_meeting_at(s, where, t, &m, what, advice);
    }
    return irl__ok(s->cx);
}

int irl__flow_block_writes(irl__sched *s)
{
    const irl__arg *named = &s->args[1];
    irl__accesses   t;
    int             written = 0;
    if (!irl__accesses_of(&t, s->f, irl__place_last(&s->p))) return 0;
    for (int k = 0; named->kind == IRL__ARG_NAME && k < t.count; k++)
        written |= t.list[k].buffer && irl__flow_is_write(&t.list[k]) &&
                   strcmp(t.list[k].buffer->name, named->name) == 0;
    return written;
}

/* The statement that allocates a buffer; NULL: it has another name too, or a part of it has, or it
   is a part of another one. */
static const irl_stmt *irl__flow_declared(const irl__accesses *t, const irl_buffer *b)
{
    int k = (int)stbds_arrlen(t->memory) - 1;
    while (k >= 0 && t->memory[k]->buffer != b) k--;
    return k >= 0 && !t->memory[k]->match && irl__accesses_is_alone(t, b->data)
               ? t->memory[k]->stmt : NULL;
}

int irl__flow_temporary(irl__sched *s, const irl__arg *arg, const irl_buffer *b,
                        irl__flow_buffer *out)
{
    memset(out, 0, sizeof *out);
    out->buffer = b;
    if (irl__func_param_of(s->f, b->data) >= 0)
        return irl__refuse_at(s, arg->loc, "'%B' is a parameter of '%s': its caller sees what is "
                              "in it", b, s->f->name);
    if (!irl__accesses_of(&out->t, s->f, NULL)) return 0;
    const irl_stmt *declared = irl__flow_declared(&out->t, b);
    if (!declared)
        return irl__refuse_at(s, arg->loc, "'%B' is touched through a view, a match or a call", b);
    if (!irl__place_of_stmt(s->f->body, declared, &out->scope)) return 0;
    if (declared->kind == IRL__ALLOC) {
        out->from = out->scope.child[out->scope.count - 1];
        out->scope.count--;
    }
    IRL__EACH_ROW(a, &out->t) {
        if (!irl__flow_is_of(a, b)) continue;
        if (a->kind == IRL__ACCESS_OPAQUE || a->buffer != b || a->is_texel)
            return irl__refuse_at(s, arg->loc, "'%B' is touched through a view, a match or a call",
                                  b);
        if (irl__flow_is_write(a)) out->writes++;
        else out->reads++;
    }
    return 1;
}

/* Is it a variable in the expression that is no coordinate of the unit? */
static int irl__flow_is_strange(const irl__flow_unit *u, const irl_expr *e, const irl_expr *var)
{
    for (int k = 0; k < u->count; k++)
        if (u->var[k] == var) return 0;
    return irl__expr_uses_var(e, var);
}

static const irl_expr *irl__flow_stranger_in(const irl_stmt *top, const irl__flow_unit *u,
                                             const irl_expr *e)
{
    irl__place p;
    IRL__EACH_STMT(s, &p, top) {
        const irl_expr *var = s->kind == IRL__FOR   ? s->u.loop.var
                              : s->kind == IRL__LET ? s->u.let.var : NULL;
        if (var && irl__flow_is_strange(u, e, var)) return var;
        for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->axis_count; k++)
            if (irl__flow_is_strange(u, e, s->u.block->axes[k].var))
                return s->u.block->axes[k].var;
    }
    return NULL;
}

const irl_expr *irl__flow_stranger(const irl__flow_buffer *b, const irl__flow_unit *u,
                                   const irl_expr *e)
{
    const irl_stmt *scope = irl__place_last(&b->scope);
    const irl_expr *found = NULL;
    if (!(e->flags & IRL__HAS_VAR)) return NULL;
    if (scope->kind != IRL__SEQ) return irl__flow_stranger_in(scope, u, e);
    for (int k = b->from; k < scope->u.seq.count && !found; k++)
        found = irl__flow_stranger_in(scope->u.seq.stmts[k], u, e);
    return found;
}

/* ------------------------------------------------------------------ from cells to instances */

irl__analyzer *irl__flow_analyzer(irl__sched *s, const irl__flow_unit *u)
{
    irl__analyzer *an = irl__place_analyzer(s, NULL, 0);
    for (int k = 0; an && k < u->count; k++)
        if (!irl__bind_extent(an, u->var[k], u->min[k], u->extent[k])) return NULL;
    return an;
}

static int irl__flow_know_cells(irl__sched *s, irl__analyzer *an, const irl__flow_inverse *inv)
{
    for (int k = 0; k < inv->rank; k++)
        if (!irl__bind_extent(an, inv->y[k], irl_expr_index(s->cx, 0), inv->shape[k]))
            return 0;
    return 1;
}

int irl__flow_invert(irl__sched *s, const irl__flow_unit *u, int rank,
                     const irl_expr *const *shape, const irl_expr *const *indices,
                     irl__flow_inverse *inv, const irl_expr **missing)
{
    memset(inv, 0, sizeof *inv);
    *missing = NULL;
    inv->rank = rank;
    inv->shape = shape;
    inv->indices = indices;
    for (int k = 0; k < rank; k++)
        if (!(inv->y[k] = irl_expr_var(s->cx, "y", irl__type_index()))) return 0;
    /* Without the solver, where each coordinate is an index of its own. */
    int i, j, left = u->count;
    for (i = 0; i < u->count; i++) {
        inv->out[i] = irl__is_int(u->extent[i], 1) ? u->min[i] : NULL;
        for (j = 0; j < inv->rank && inv->indices[j] != u->var[i]; j++) {
        }
        if (j < inv->rank) inv->out[i] = inv->y[j];
        left -= inv->out[i] != NULL;
    }
    if (left == 0) return 1;
    irl__analyzer *an = irl__flow_analyzer(s, u);
    if (!an || !irl__flow_know_cells(s, an, inv) ||
        !irl__indices_solve(s->cx, an, u->count, u->var, u->min, u->extent, inv->rank, inv->indices,
                            inv->y, inv->out))
        return 0;
    for (int k = u->count; k-- > 0;) {
        if (!inv->out[k] && irl__is_int(u->extent[k], 1)) inv->out[k] = u->min[k];
        if (!inv->out[k]) *missing = u->var[k];
    }
    return 1;
}

/* Is coordinate k index j, of as many values? */
static int irl__flow_is_index(const irl__flow_unit *u, const irl__flow_inverse *inv, int k)
{
    int j = 0;
    while (j < inv->rank && inv->y[j] != inv->out[k]) j++;
    return j < inv->rank && inv->shape[j] == u->extent[k] && irl__is_int(u->min[k], 0);
}

/* Each instance of a block's axes runs (irl__flow_is_complete says so); of a nest those that its
   guard lets through. The cell lies within the shape. */
int irl__flow_reaches(irl__sched *s, irl__analyzer *an, const irl__flow_unit *u,
                      const irl__flow_inverse *inv, const irl_expr *const *cell)
{
    const irl_expr *at[IRL__FLOW_MOST], *e;
    for (int k = 0; k < u->count; k++) {
        at[k] = irl__substitute(s->cx, inv->out[k], inv->rank, inv->y, cell);
        if (!at[k]) return 0;
        if (irl__flow_is_index(u, inv, k)) continue;
        e = irl__sub(s->cx, at[k], u->min[k]);
        if (!irl__prove_within(an, e, u->extent[k])) return 0;
    }
    for (int k = 0; k < inv->rank; k++) {
        e = irl__substitute(s->cx, inv->indices[k], u->count, u->var, at);
        if (!e || (e != cell[k] && !irl__prove_equal(an, e, cell[k]))) return 0;
    }
    if (!u->guard) return 1;
    e = irl__substitute(s->cx, u->guard, u->count, u->var, at);
    return e && irl__prove(an, e);
}

int irl__flow_reaches_all(irl__sched *s, const irl__flow_unit *u, const irl__flow_inverse *inv)
{
    irl__analyzer *an = irl__place_analyzer(s, NULL, 0);
    return an && irl__flow_know_cells(s, an, inv) &&
           irl__flow_reaches(s, an, u, inv, inv->y);
}

/* Does the unit touch, at these indices, every cell of the shape? */
static int irl__flow_fills(irl__sched *s, const irl__flow_unit *u, int rank,
                           const irl_expr *const *shape, const irl_expr *const *indices)
{
    irl__flow_inverse inv;
    const irl_expr   *missing;
    return irl__flow_invert(s, u, rank, shape, indices, &inv, &missing) && !missing &&
           irl__flow_reaches_all(s, u, &inv);
}

static int irl__flow_init_runs(irl__sched *s, const irl_stmt *block, const irl_stmt *scope)
{
    irl__place p;
    return irl__place_of_stmt(s->f->body, block, &p) &&
           irl__inits_run(s, &p, irl__place_level(&p, scope));
}

/* What must hold where the row is reached, in its loops' variables. */
typedef struct irl__flow_write {
    irl__flow_unit  unit;  /* the loops that the indices use, and what they stand under */
    int             count; /* loops that no index uses: any iteration will do, so the first one */
    const irl_expr *var[IRL__FLOW_MOST], *first[IRL__FLOW_MOST];
} irl__flow_write;

/* A loop around what has these indices; t (NULL: none) knows the lets in its bounds. */
static int irl__flow_add_loop(irl__accesses *t, irl__flow_write *q, const irl_stmt *loop, int rank,
                              const irl_expr *const *at, int are_asked)
{
    const irl_expr *min = loop->u.loop.min, *extent = loop->u.loop.extent;
    if (q->count == IRL__FLOW_MOST) return 0;
    if (!irl__exprs_use_var(rank, at, loop->u.loop.var) &&
        (irl__stmt_loop_runs(loop) || (are_asked && extent->op != IRL_OP_INT))) {
        q->var[q->count] = loop->u.loop.var;
        q->first[q->count++] = min;
        return 1;
    }
    return irl__flow_take(&q->unit, loop->u.loop.var, t ? irl__accesses_plain(t, min) : min,
                          t ? irl__accesses_plain(t, extent) : extent);
}

int irl__flow_writes(irl__sched *s, irl__accesses *t, const irl__access *w, const irl_stmt *scope,
                     const irl_expr *const *first, const irl_expr *const *length, int are_asked)
{
    irl__flow_write q;
    irl__path       path;
    const irl_expr *at[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
    memset(&q, 0, sizeof q);
    if (w->is_texel || w->lanes != 1 || !irl__path_begin(&path, t) ||
        !irl__path_to(&path, w->around))
        return 0;
    for (int k = 0; k < w->rank; k++) {
        at[k] = irl__accesses_plain(t, w->indices[k]);
        if (at[k] && first)
            at[k] = irl__canonical(path.an, irl__sub(s->cx, at[k],
                                                    irl__accesses_plain(t, first[k])));
        extent[k] = length && length[k] ? irl__accesses_plain(t, length[k]) : w->buffer->shape[k];
        if (!at[k] || !extent[k]) return 0;
    }
    for (const irl__around *n = w->around; n && n->stmt != scope; n = n->outer) {
        if (scope && n->stmt && !irl__place_holds(scope, n->stmt)) break;
        /* Is it the condition under which the init of a block runs? */
        if (n->kind == IRL__AROUND_GUARD && n->stmt->kind == IRL__BLOCK &&
            n->value != n->stmt->u.block->predicate && irl__flow_init_runs(s, n->stmt, scope))
            continue;
        if (n->kind == IRL__AROUND_GUARD) {
            const irl_expr *where = irl__accesses_plain(t, n->value);
            q.unit.guard = irl__and(t->cx, q.unit.guard, where);
            if (!where) return 0;
        }
        if (n->kind == IRL__AROUND_LOOP &&
            !irl__flow_add_loop(t, &q, n->stmt, w->rank, at, are_asked))
            return 0;
    }
    if (q.unit.guard)
        q.unit.guard = irl__substitute(s->cx, q.unit.guard, q.count, q.var, q.first);
    return irl__ok(s->cx) && irl__flow_fills(s, &q.unit, w->rank, extent, at);
}

int irl__flow_is_begun(irl__sched *s, irl__flow_buffer *f)
{
    const irl__flow_set reads = irl__flow_set_of(&f->t, IRL__ROWS_TAKE, NULL, NULL, f->buffer);
    if (!irl__bitfield_is_narrow(f->buffer)) return 1;
    IRL__FLOW_EACH(a, reads)
        if (irl__covered(&f->t, a, NULL, NULL) != IRL_YES)
            return irl__refuse(s, "as far as is known, an element of '%B' is read that nothing has "
                               "written, which is 0 in memory of bits", f->buffer);
    return 1;
}

/* ------------------------------------------------------------------ complete blocks */

/* Does the condition hold wherever the block's axes lie in their extents? rest as in
   irl__flow_covers. */
static int irl__flow_holds_within(irl__sched *s, irl__analyzer *an, const irl__flow_unit *u,
                                  int level, const irl_expr *where, const irl_expr **rest)
{
    if (!where) return 1;
    if (where->op == IRL_OP_AND)
        return irl__flow_holds_within(s, an, u, level, where->a[0], rest) &&
               irl__flow_holds_within(s, an, u, level, where->a[1], rest);
    if (rest && irl__place_is_lasting(s, &u->p, level, where)) {
        *rest = irl__and(s->cx, *rest, where);
        return *rest != NULL;
    }
    const int mark = irl__facts_mark(an);
    int       ok = 1;
    for (int k = 0; ok && k < u->block->axis_count; k++) {
        const irl__axis *axis = &u->block->axes[k];
        ok = irl__fact(an, irl_expr_op2(s->cx, IRL_OP_LT, axis->binding, axis->extent)) &&
             irl__fact(an, irl_expr_op2(s->cx, IRL_OP_GE, axis->binding, irl_expr_index(s->cx, 0)));
    }
    ok = ok && irl__prove(an, where);
    irl__facts_release(an, mark);
    return ok;
}

irl__analyzer *irl__flow_range_analyzer(irl__sched *s, const irl__place *p, int level)
{
    irl__analyzer *an = irl__place_analyzer(s, NULL, 0);
    for (int k = 0; an && k < p->count; k++)
        if (p->at[k]->kind == IRL__FOR && !irl__place_bind(an, p->at[k], k >= level)) return NULL;
    return an;
}

int irl__flow_range(irl__sched *s, irl__analyzer *an, const irl__place *p, int level,
                    const irl_expr *e, const irl_expr **first, const irl_expr **length)
{
    /* One loop's own extent is the plainest length. */
    for (int k = level; e->type.lanes == 1 && k < p->count; k++) {
        if (p->at[k]->kind != IRL__FOR || !irl__expr_uses_var(e, p->at[k]->u.loop.var)) continue;
        const irl_expr *base = irl__canonical(an, irl__sub(s->cx, e, p->at[k]->u.loop.var));
        const irl_expr *min = p->at[k]->u.loop.min, *extent = p->at[k]->u.loop.extent;
        if (!base || !irl__place_is_lasting(s, p, level, base) ||
            !irl__place_is_lasting(s, p, level, min) ||
            !irl__place_is_lasting(s, p, level, extent))
            break;
        *first = irl__simplify(an, irl__add(s->cx, base, min));
        *length = extent;
        return *first != NULL;
    }
    const irl_expr *lo = irl__symbolic_bound(an, e, -1), *hi = irl__symbolic_bound(an, e, 1);
    if (!lo || !hi || !irl__place_is_lasting(s, p, level, lo) ||
        !irl__place_is_lasting(s, p, level, hi))
        return 0;
    hi = irl__simplify(an, irl__add(s->cx, irl__sub(s->cx, hi, lo), irl_expr_index(s->cx, 1)));
    if (!hi) return 0;
    *first = lo;
    *length = hi;
    return 1;
}

/* Does each run of the statement at that level run what stands in it once? Its axes are names. */
static int irl__flow_runs_inner(const irl__place *p, int level)
{
    const irl_stmt *at = p->at[level];
    return at->kind == IRL__SEQ || at->kind == IRL__ATTR ||
           (at->kind == IRL__BLOCK && !at->u.block->predicate &&
            p->at[level + 1] == at->u.block->body);
}

int irl__flow_covers(irl__sched *s, const irl__flow_unit *u, int level,
                     const irl_expr *const *first, const irl_expr *const *length,
                     const uint8_t *but, const irl_expr **rest)
{
    irl__flow_write q;
    irl__analyzer  *an = irl__flow_range_analyzer(s, &u->p, level);
    const irl_expr *index[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
    int             count = 0;
    memset(&q, 0, sizeof q);
    for (int k = 0; an && k < u->block->axis_count; k++) {
        if (but && but[k]) continue;
        if (count == IRL_MAX_RANK) return 0;
        index[count] = irl__canonical(an, irl__sub(s->cx, u->block->axes[k].binding, first[k]));
        extent[count] = irl__axes_bound(s->cx, u->block, length[k]);
        if (!index[count] || !extent[count]) return 0;
        count++;
    }
    for (int k = level; an && k < u->p.count - 1; k++) {
        const irl_stmt *at = u->p.at[k];
        if (!irl__flow_runs_inner(&u->p, k) &&
            (at->kind != IRL__FOR || !irl__flow_add_loop(NULL, &q, at, count, index, 0)))
            return 0;
    }
    return an && irl__flow_holds_within(s, an, u, level, u->block->predicate, rest) &&
           irl__flow_fills(s, &q.unit, count, extent, index);
}

int irl__flow_is_complete(irl__sched *s, const irl__flow_unit *u, int level)
{
    return !u->block || irl__flow_covers(s, u, level, u->min, u->extent, NULL, NULL);
}

/* ------------------------------------------------------------------ order */

int irl__flow_common(const irl__place *a, const irl__place *b)
{
    int k;
    for (k = 0; k + 1 < a->count && k + 1 < b->count && a->at[k + 1] == b->at[k + 1]; k++) {}
    return k;
}

uint32_t irl__flow_bound_axes(const irl__place *p, int level)
{
    uint32_t axes = 0;
    for (int k = level + 1; k < p->count; k++)
        if (irl__stmt_is_bound(p->at[k]) && !irl__is_int(p->at[k]->u.loop.extent, 1))
            axes |= 1u << p->at[k]->u.loop.axis;
    return axes;
}

int irl__flow_keeps_items(irl__sched *s, irl__accesses *t,
                          const irl__place *unit, const irl__place *to, int is_back)
{
    const int       level = irl__flow_common(unit, to), top = irl__place_kernel(unit, level + 1);
    const uint32_t  of = irl__flow_bound_axes(unit, level), at = irl__flow_bound_axes(to, level);
    const irl_stmt *last = unit->at[level + 1 < unit->count ? level + 1 : level];
    if (top > level || !(is_back ? of ^ at : of)) return 1;
    IRL__EACH_ROW(a, t) {
        if (a->is_declared || !a->buffer || !irl__access_in(a, last) ||
            !(is_back || irl__access_writes(a)) ||
            !irl__flow_is_private(unit->at[top], a->buffer) ||
            irl__place_declares(last, a->buffer))
            continue;
        return irl__refuse(s, "each work-item has its own '%B', and other work-items would compute "
                           "with it there", a->buffer);
    }
    return 1;
}

/* Does the loop tell what comes first, in one run of what the question is about? */
static int irl__flow_tells(const irl__flow_order *q, const irl_stmt *loop)
{
    for (int k = 0; k <= q->level; k++)
        if (q->p->at[k]->id == loop->id) return 0;
    return !(q->shares && irl__stmt_is_items(loop));
}

irl_answer irl__flow_ordered(irl__pair *p, const irl__flow_order *q, int count,
                             const irl_expr *const *e, const irl_expr *const *f,
                             const uint8_t *order, irl__meeting *m)
{
    uint8_t   relation[IRL_MAX_DEPTH];
    const int loops = irl__pair_loop_count(p);
    for (int k = 0; k < loops + q->is_in_one; k++) {
        if (k < loops && !irl__flow_tells(q, irl__pair_loop(p, k)->stmt)) continue;
        for (int j = 0; j < loops; j++) {
            const irl_stmt *loop = irl__pair_loop(p, j)->stmt;
            relation[j] = q->shares && irl__stmt_is_items(loop) ? IRL__ANY : IRL__SAME;
            if (j < k || !irl__flow_tells(q, loop)) continue;
            relation[j] = j > k ? IRL__ANY : irl__stmt_is_parallel(loop)
                                    ? IRL__BEFORE | IRL__AFTER : q->now;
        }
        if (irl__pair_meets_where(p, relation, count, e, f, order, m) != IRL_NO) return m->answer;
    }
    return m->answer = IRL_NO;
}

static const irl__around *irl__flow_outermost(const irl__access *a)
{
    const irl__around *loop = a->around ? a->around->loop : NULL;
    while (loop && loop->outer && loop->outer->loop) loop = loop->outer->loop;
    return loop;
}

irl_answer irl__flow_meets(irl__accesses *t, const irl__access *a, const irl__access *b,
                           int ordered, irl__meeting *m)
{
    memset(m, 0, sizeof *m);
    m->answer = IRL_NO;
    if (irl__access_alias(t, a, b) == IRL_NO ||
        (ordered && a > b && irl__flow_outermost(a) != irl__flow_outermost(b)))
        return IRL_NO;
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__pair      *p = irl__pair_begin(t, a, b, IRL__PAIR_STEPS);
    irl_answer      answer = !p        ? IRL_UNKNOWN
                             : ordered ? irl__pair_meets_in_order(p, 0, IRL__BEFORE, a < b, m)
                                       : irl__pair_meets(p, NULL, m);
    irl__scratch_end(t->cx, mark);
    return answer;
}

/* ------------------------------------------------------------------ regions */

typedef struct irl__flow_regions_of {
    irl__sched       *s;
    const irl_func   *f;
    const irl_buffer *b;
} irl__flow_regions_of;

/* Whether the block reads of the buffer only what its init has written before: to update it. */
static int irl__flow_only_updates(const irl__accesses *t, const irl__around *block,
                                  const irl_buffer *b)
{
    if (!block->stmt->u.block->init) return 0;
    for (int k = block->first; k < block->end; k++) {
        const irl__access *a = &t->list[k];
        if (a->buffer == b && !a->is_declared && a->kind != IRL__ACCESS_WRITE && a->of_pair < 0)
            return 0;
    }
    return 1;
}

int irl__flow_region_list(irl__sched *s, irl__accesses *t, const irl_stmt *block, int written,
                          const irl__region **list, int *count)
{
    const irl__around *n = irl__block_of(t, block);
    irl__path          path;
    irl__regions       r;
    *count = 0;
    *list = NULL;
    if (!n || block->u.block->match_count) return 1;
    if (!irl__path_begin(&path, t) || !irl__regions_of(&r, &path, n)) return 0;
    irl__region *out = IRL__NEW(s->cx, irl__region, r.count + 1);
    for (int k = 0; out && k < r.count; k++) {
        if (r.list[k].is_write != written ||
            (!written && irl__flow_only_updates(t, n, r.list[k].buffer)))
            continue;
        out[*count].buffer = r.list[k].buffer;
        out[*count].min = r.list[k].first;
        out[(*count)++].extent = r.list[k].extent;
    }
    *list = out;
    return out != NULL;
}

static const irl_stmt *irl__flow_regions_hook(irl__rewriter *r, const irl_stmt *s)
{
    const irl__flow_regions_of *q = (const irl__flow_regions_of *)r->user;
    irl__block_data            *block;
    irl__accesses               t;
    int                         names = 0;
    if (s->kind == IRL__STORE) return s;
    const irl_stmt *now = irl__rewrite_stmt_children(r, s);
    if (!now || now->kind != IRL__BLOCK) return now;
    for (int k = 0; k < now->u.block->read_count; k++)
        names |= now->u.block->reads[k].buffer == q->b;
    for (int k = 0; k < now->u.block->write_count; k++)
        names |= now->u.block->writes[k].buffer == q->b;
    if (!names) return now;
    irl_stmt *copy = irl__block_copy(r->cx, now, &block);
    if (!copy || !irl__accesses_of(&t, q->f, now)) return NULL;
    if ((block->read_count &&
         !irl__flow_region_list(q->s, &t, now, 0, &block->reads, &block->read_count)) ||
        (block->write_count &&
         !irl__flow_region_list(q->s, &t, now, 1, &block->writes, &block->write_count)))
        return NULL;
    return irl__stmt_finish(r->cx, copy);
}

const irl_stmt *irl__flow_regions(irl__sched *s, const irl_func *f, const irl_stmt *at,
                                  const irl_buffer *b)
{
    irl__flow_regions_of q = { s, f, b };
    irl__rewriter r = irl__rewriter_make(s->cx, &q, irl__rewrite_no_expr, irl__flow_regions_hook);
    return irl__rewrite_stmt(&r, at);
}

irl_func *irl__flow_block_regions(irl__sched *s, irl_func *f, uint32_t id)
{
    irl__place p;
    if (!irl__place_of(f->body, id, &p) || irl__place_last(&p)->kind != IRL__BLOCK) return f;
    const irl__block_data *b = irl__place_last(&p)->u.block;
    const irl_stmt        *now = irl__place_last(&p);
    for (int k = 0; now && k < b->read_count + b->write_count; k++) {
        now = irl__flow_regions(s, f, now, k < b->read_count
                                               ? b->reads[k].buffer
                                               : b->writes[k - b->read_count].buffer);
        f = irl__place_put(f, &p, p.count - 1, now);
        if (!f || !irl__place_of(f->body, id, &p)) return NULL;
    }
    return f;
}

/* ------------------------------------------------------------------ without the buffer */

static const irl_stmt *irl__flow_undeclare_hook(irl__rewriter *r, const irl_stmt *s)
{
    const irl_buffer  *b = ((const irl__flow_regions_of *)r->user)->b;
    irl__block_data   *block;
    const irl_buffer **allocs;
    int                k, count = 0;
    if (s->kind == IRL__ALLOC && s->u.alloc.buffer == b) return irl__stmt_empty(r->cx);
    if (s->kind == IRL__STORE) return s;
    const irl_stmt *now = irl__rewrite_stmt_children(r, s);
    if (!now || now->kind != IRL__BLOCK) return now;
    for (k = 0; k < now->u.block->alloc_count && now->u.block->allocs[k] != b; k++) {}
    if (k == now->u.block->alloc_count) return now;
    irl_stmt *copy = irl__block_copy(r->cx, now, &block);
    allocs = IRL__COPY(r->cx, const irl_buffer *, now->u.block->allocs, now->u.block->alloc_count);
    if (!copy || !allocs) return NULL;
    for (k = 0; k < block->alloc_count; k++)
        if (allocs[k] != b) allocs[count++] = allocs[k];
    block->allocs = allocs;
    block->alloc_count = count;
    return irl__stmt_finish(r->cx, copy);
}

irl_func *irl__flow_undeclared(irl__sched *s, const irl_func *f, const irl_buffer *b)
{
    irl__flow_regions_of q;
    irl__rewriter   r = irl__rewriter_make(s->cx, &q, irl__rewrite_no_expr,
                                           irl__flow_undeclare_hook);
    const irl_stmt *body = irl__flow_regions(s, f, f->body, b);
    q.s = s;
    q.f = f;
    q.b = b;
    body = irl__rewrite_stmt(&r, body);
    return irl__func_with_body(f, body);
}
