/* unroll.c - unrolls the loops that choose among the elements of a private array, so that
   registers.c can make variables of them, and those that choose among the lanes of a texel.

   requires  flatten; vectorize and legalize before it, because it copies statements that these
             would otherwise have to change several times
   maintains what is computed, in its order
   breaks    the loops that it unrolls, and their ids; what is declared inside is declared again in
             every copy
   cost      linear in the result: at most IRL__UNROLL_MOST statements for one nest of loops

   A common part of the copies' indices is computed once before them, in a let.

   An array is worth it if all its accesses would have constant indices: if they name no variable
   but those of loops with constant bounds, which are marked unrolled or short. Other loops are left
   to the compiler: a longer text would have no advantage. */
#include "pass.h"

enum {
    IRL__UNROLL_MOST = 1024, /* statements that are left of a loop marked unrolled */
    IRL__UNROLL_PLAIN = 64   /* and of another one */
};

/* A loop with constant bounds that fits. */
typedef struct irl__unroll_loop {
    int is_wanted; /* an array's index names its variable */
} irl__unroll_loop;

typedef struct irl__unroll_array {
    int stays; /* an access has an index that is not known even then */
} irl__unroll_array;

typedef struct irl__unroll_state {
    irl_ctx     *cx;
    irl__ptr_map loops;    /* variable -> irl__unroll_loop */
    irl__ptr_map arrays;   /* data variable -> irl__unroll_array */
    /* variable -> its value, or its name, in the copy that is being made */
    irl__ptr_map       replaced;
    int                copying;  /* loops being written out around here */
    irl__unroll_array *array;    /* whose index is being looked at */
    irl__analyzer     *an;       /* knows the loops around */
    irl__ptr_map       inside;   /* what is declared in the loop being written out */
    irl__ptr_map       shared;   /* a sum that the copies have in common -> its variable */
    const irl_stmt   **lets;     /* of those sums */
    int                marks;    /* second round: loops that good arrays need */
    int                wanted, is_failed;
} irl__unroll_state;

/* ------------------------------------------------------------------ which loops fit */

/* Statements that are left of s when all loops in it that fit are written out; more than the most
   where it cannot be copied. */
static int irl__unroll_weigh(irl__unroll_state *state, const irl_stmt *s)
{
    const irl_stmt *part;
    int             sum = 0;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
    case IRL__IF:
    case IRL__ATTR:
        for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++) {
            sum += irl__unroll_weigh(state, part);
            /* and go on: loops further in may fit */
            if (sum > IRL__UNROLL_MOST) sum = IRL__UNROLL_MOST + 1;
        }
        return sum;
    case IRL__FOR: {
        const int         weight = irl__unroll_weigh(state, s->u.loop.body);
        const irl_expr   *min = s->u.loop.min, *extent = s->u.loop.extent;
        irl__unroll_loop *loop;
        int64_t           end;
        const int most =
            s->u.loop.kind == IRL_UNROLLED ? IRL__UNROLL_MOST : IRL__UNROLL_PLAIN;
        if (s->u.loop.kind == IRL_PARALLEL || s->u.loop.kind == IRL_BOUND ||
            s->u.loop.kind == IRL_VECTORIZED || /* that C compilers make vectors of */
            min->op != IRL_OP_INT || extent->op != IRL_OP_INT ||
            extent->u.i < 0)
            return weight;
        if (extent->u.i > most || extent->u.i * weight > most ||
            !irl__add64(min->u.i, extent->u.i, &end))
            return weight;
        loop = IRL__SCRATCH(state->cx, irl__unroll_loop, 1);
        if (!loop || !irl__ptr_map_put(state->cx, &state->loops, s->u.loop.var, loop))
            state->is_failed = 1;
        return (int)extent->u.i * weight;
    }
    case IRL__LET:
    case IRL__STORE:
    case IRL__ASSUME:
    case IRL__ASSERT:
    case IRL__BARRIER:
    case IRL__EVALUATE: return 1;
    default: return IRL__UNROLL_MOST + 1; /* it declares memory */
    }
}

/* ------------------------------------------------------------------ which arrays are worth it */

int irl__unroll_is_array(const irl__accesses *t, const irl__around *n)
{
    const irl_buffer *b = n->buffer;
    return n->stmt->kind == IRL__ALLOC && b->scope == IRL_SCOPE_LOCAL && b->rank == 1 &&
           irl__buffer_is_flat(b) && irl__accesses_is_alone(t, b->data);
}

static int irl__unroll_see_index(irl__visitor *v, const irl_expr *e)
{
    irl__unroll_state *state = (irl__unroll_state *)v->user;
    if (e->flags & IRL__HAS_MEMORY) state->array->stays = 1;
    if (e->op != IRL_OP_VAR) return (e->flags & IRL__HAS_VAR) != 0;
    irl__unroll_loop *loop = (irl__unroll_loop *)irl__ptr_map_get(&state->loops, e);
    if (!loop) state->array->stays = 1;
    else if (state->marks) state->wanted |= loop->is_wanted = 1;
    return 0;
}

static int irl__unroll_add(irl__unroll_state *state, const irl__accesses *t, const irl__around *n)
{
    if (!irl__unroll_is_array(t, n)) return 1;
    irl__unroll_array *array = IRL__SCRATCH(state->cx, irl__unroll_array, 1);
    return array && irl__ptr_map_put(state->cx, &state->arrays, n->buffer->data, array);
}

/* A lane of a texel. */
static int irl__unroll_see_lane(irl__visitor *v, const irl_expr *e)
{
    irl__unroll_state *state = (irl__unroll_state *)v->user;
    irl__unroll_array  lane;
    if (e->op != IRL_OP_LANE || irl__texel_call_of(e->a[0]) != IRL__TEXEL_LOAD) return 1;
    irl__visitor index = irl__visitor_make(state, irl__unroll_see_index, NULL);
    state->array = &lane;
    lane.stays = 0;
    for (state->marks = 0; state->marks < 2 && !lane.stays; state->marks++)
        irl__visit_expr(&index, e->a[1]);
    return 1;
}

/* Whether any loop is to be written out. */
static int irl__unroll_survey(irl__unroll_state *state, const irl_func *f)
{
    irl__accesses t;
    irl__unroll_weigh(state, f->body);
    if (state->is_failed || state->loops.count == 0) return 0;
    if (!irl__accesses_of(&t, f, NULL)) state->is_failed = 1;
    for (int k = 0; !state->is_failed && k < (int)stbds_arrlen(t.memory); k++)
        if (!irl__unroll_add(state, &t, t.memory[k])) state->is_failed = 1;
    for (state->marks = 0; state->marks < 2 && !state->is_failed; state->marks++)
        for (int k = 0; state->arrays.count && k < t.count; k++) {
            irl__visitor v = irl__visitor_make(state, irl__unroll_see_index, NULL);
            state->array = (irl__unroll_array *)irl__ptr_map_get(&state->arrays, t.list[k].memory);
            if (state->array && !state->array->stays) irl__visit_expr(&v, t.list[k].indices[0]);
        }
    if (irl__func_has_images(f)) {
        irl__visitor lanes = irl__visitor_make(state, irl__unroll_see_lane, NULL);
        irl__visit_stmt(&lanes, f->body);
    }
    return state->wanted && !state->is_failed;
}

/* ------------------------------------------------------------------ what copies have in common */

/* Does a term differ between copies? */
static int irl__unroll_is_own(const irl_expr *e, const void *state)
{
    return e->flags & (IRL__HAS_MEMORY | IRL__HAS_LET) ||
           (e->op == IRL_OP_VAR &&
            irl__ptr_map_get(&((const irl__unroll_state *)state)->inside, e));
}

/* Adds the terms of a sum to the part that is the same in all copies, or to the one that is each
   copy's own. */
static void irl__unroll_split(irl__unroll_state *state, const irl_expr *e, const irl_expr **common,
                              const irl_expr **own)
{
    const irl_expr **part;
    if (e->op == IRL_OP_ADD) {
        irl__unroll_split(state, e->a[0], common, own);
        irl__unroll_split(state, e->a[1], common, own);
        return;
    }
    part = e->op == IRL_OP_INT || irl__expr_any(e, irl__unroll_is_own, state) ? own : common;
    *part = *part ? irl__add(state->cx, *part, e) : e;
}

/* The variable of a sum. The sum is computed whether or not a copy needs it, so it must not
   overflow. */
static const irl_expr *irl__unroll_common(irl__unroll_state *state, const irl_expr *sum)
{
    const irl_expr *var = (const irl_expr *)irl__ptr_map_get(&state->shared, sum);
    if (var) return var;
    irl__interval range = irl__range_of(state->an, sum);
    if (range.lo == INT64_MIN || range.hi == INT64_MAX) return sum;
    var = irl_expr_var(state->cx, "at", irl__type_index());
    if (!var || !irl__ptr_map_put(state->cx, &state->shared, sum, var)) return NULL;
    return IRL__PUSH(state->cx, state->lets, irl_stmt_let(state->cx, var, sum)) ? var : NULL;
}

static const irl_expr *irl__unroll_share_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__unroll_state *state = (irl__unroll_state *)r->user;
    const irl_expr    *common = NULL, *own = NULL;
    if (e->op != IRL_OP_ADD || !irl__type_is_index(e->type) || e->type.lanes != 1)
        return irl__rewrite_expr_children(r, e);
    irl__unroll_split(state, e, &common, &own);
    if (!common || common->op != IRL_OP_ADD) return e;
    common = irl__unroll_common(state, common);
    return common && own ? irl__add(r->cx, common, own) : common;
}

/* The loop, with variables for what its copies have in common. */
static const irl_stmt *irl__unroll_share(irl__unroll_state *state, const irl_stmt *loop)
{
    irl__rewriter r = irl__rewriter_make(state->cx, state, irl__unroll_share_expr, NULL);
    memset(&state->inside, 0, sizeof state->inside);
    memset(&state->shared, 0, sizeof state->shared);
    state->lets = NULL;
    if (!irl__stmt_declared(state->cx, loop, &state->inside)) return NULL;
    loop = irl__stmt_loop_of(state->cx, loop, irl__rewrite_stmt(&r, loop->u.loop.body));
    return state->is_failed ? NULL : loop;
}

/* ------------------------------------------------------------------ copies */

static const irl_expr *irl__unroll_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__unroll_state *state = (irl__unroll_state *)r->user;
    if (!state->copying || !(e->flags & IRL__HAS_VAR)) return e;
    if (e->op != IRL_OP_VAR) return irl__rewrite_expr_children(r, e);
    const irl_expr *other = (const irl_expr *)irl__ptr_map_get(&state->replaced, e);
    return other ? other : e;
}

static int irl__unroll_replace(irl__unroll_state *state, const irl_expr *var, const irl_expr *by)
{
    return by && irl__ptr_map_put(state->cx, &state->replaced, var, by);
}

static const irl_stmt *irl__unroll_write_out(irl__rewriter *r, const irl_stmt *loop)
{
    irl__unroll_state *state = (irl__unroll_state *)r->user;
    const irl_stmt   **list = NULL, *copy;
    int64_t            min = loop->u.loop.min->u.i;
    state->copying++;
    for (int64_t k = 0; k < loop->u.loop.extent->u.i; k++) {
        /* the end fits: so does this */
        if (!irl__unroll_replace(state, loop->u.loop.var, irl_expr_index(r->cx, min + k)))
            return NULL;
        copy = irl__rewrite_stmt(r, loop->u.loop.body);
        if (!copy || !IRL__PUSH(r->cx, list, copy)) return NULL;
    }
    state->copying--;
    return irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list);
}

/* In a copy, a variable of its own. */
static const irl_expr *irl__unroll_rename(irl__unroll_state *state, const irl_expr *var)
{
    const irl_expr *own = state->copying ? irl_expr_var(state->cx, var->u.name, var->type) : var;
    return !state->copying || irl__unroll_replace(state, var, own) ? own : NULL;
}

/* A loop that stands in no other that is written out. */
static const irl_stmt *irl__unroll_outermost(irl__rewriter *r, const irl_stmt *loop)
{
    irl__unroll_state *state = (irl__unroll_state *)r->user;
    loop = irl__unroll_share(state, loop);
    const irl_stmt **list = state->lets;
    const irl_stmt  *copies = loop ? irl__unroll_write_out(r, loop) : NULL;
    return copies && IRL__PUSH(r->cx, list, copies)
               ? irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list)
               : NULL;
}

static const irl_stmt *irl__unroll_loop_stays(irl__rewriter *r, const irl_stmt *s)
{
    irl__unroll_state *state = (irl__unroll_state *)r->user;
    if (!state->copying) return irl__rewrite_known(r, state->an, s);
    irl_stmt *copy = irl__stmt_copy(r->cx, s);
    if (!copy) return NULL;
    copy->id = r->cx->next_id++;
    copy->u.loop.var = irl__unroll_rename(state, s->u.loop.var);
    return copy->u.loop.var ? irl__rewrite_stmt_children(r, copy) : NULL;
}

static const irl_stmt *irl__unroll_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__unroll_state      *state = (irl__unroll_state *)r->user;
    const irl__unroll_loop *loop;
    if (s->kind == IRL__LET && state->copying) {
        const irl_expr *value = irl__rewrite_expr(r, s->u.let.value);
        return irl_stmt_let(r->cx, irl__unroll_rename(state, s->u.let.var), value);
    }
    if (s->kind != IRL__FOR) return irl__rewrite_stmt_children(r, s);
    loop = (const irl__unroll_loop *)irl__ptr_map_get(&state->loops, s->u.loop.var);
    if (!loop || !loop->is_wanted) return irl__unroll_loop_stays(r, s);
    return state->copying ? irl__unroll_write_out(r, s) : irl__unroll_outermost(r, s);
}

irl_func *irl__pass_unroll(const irl_func *f)
{
    if (!irl__stmt_holds(f->body, 1 << IRL__ALLOC) && !irl__func_has_images(f))
        return irl__func_with_body(f, f->body);
    irl_ctx          *cx = f->cx;
    irl__arena_mark   mark = irl__scratch_begin(cx);
    irl__unroll_state state;
    const irl_stmt   *body = f->body;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    irl__rewriter r = irl__rewriter_make(cx, &state, irl__unroll_expr, irl__unroll_stmt);
    state.an = irl__analyzer_begin(cx);
    if (state.an && irl__unroll_survey(&state, f)) body = irl__rewrite_stmt(&r, f->body);
    irl__scratch_end(cx, mark);
    irl_func *copied = state.is_failed || !state.an ? NULL : irl__func_with_body(f, body);
    /* indices became constants */
    return copied && state.wanted ? irl__pass_simplify(copied) : copied;
}
