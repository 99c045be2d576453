/* legalize_lanes.c - combines and splits vectors in the forms that the target has:
   src/target/vectors.c lists them.

   requires  legalize_kernel: all widths have a type, and an access is one access
   maintains what is computed; that nothing is evaluated twice, or where it was not
   breaks    ramps that are values: their lanes. Gathers of elements not far apart: lanes_gather.c.
             Lanes of other widths, for targets that pick lanes: lanes_narrow.c. Lanes of several
             vectors mixed, vectors that are repeated: swizzles of one vector each, end to end. A
             lane of a number that is computed: of a variable. What is used more than once gets a
             name, by a let around the value or the arm that it is in. A texel that is read more
             than once in a list of statements gets a name before the first of them
   cost      linear in the lanes */
#include "pass.h"

/* A value that has a name. */
typedef struct irl__lane_name {
    const irl_expr              *value, *var;
    const struct irl__lane_name *next;
} irl__lane_name;

/* Lanes in a row of the result that come from one value. */
typedef struct irl__lane_piece {
    int source; /* its number */
    int first, count;
} irl__lane_piece;

/* A vector that is put together. */
typedef struct irl__lane_mix {
    const irl_expr *source[IRL_MAX_LANES];
    int             uses[IRL_MAX_LANES];  /* pieces that are made of it */
    int             pick[IRL_MAX_LANES];  /* for each lane of the result the source's lane */
    irl__lane_piece piece[IRL_MAX_LANES];
    int             source_count, piece_count;
} irl__lane_mix;

typedef struct irl__lane_state {
    irl_ctx              *cx;
    irl__analyzer        *an;     /* knows the loops around */
    const irl_func       *kernel;
    const irl_target     *target;
    const irl__lane_name *names; /* in scope, innermost first */
    int                   has_images;
} irl__lane_state;

static const irl_expr *irl__lane_value(irl__lane_state *state, const irl_expr *e);
static const irl_expr *irl__lane_operands(irl__lane_state *state, const irl_expr *e, uint32_t lazy);

/* ------------------------------------------------------------------ names */

/* e as a variable that stands for it in the value or arm that is being made. */
static const irl_expr *irl__lane_named(irl__lane_state *state, const irl_expr *e)
{
    if (!e || e->op == IRL_OP_VAR) return e;
    for (const irl__lane_name *n = state->names; n; n = n->next)
        if (n->value == e) return n->var;
    irl__lane_name *own = (irl__lane_name *)irl__alloc(state->cx, sizeof *own);
    if (!own) return NULL;
    own->value = e;
    own->var = irl_expr_var(state->cx, "part", e->type);
    own->next = state->names;
    state->names = own;
    return own->var;
}

/* In `e`, the name in the place of its value wherever that stands. */
static const irl_expr *irl__lane_hook_name(irl__rewriter *r, const irl_expr *e)
{
    const irl__lane_name *n = (const irl__lane_name *)r->user;
    if (e == n->value) return n->var;
    return e->depth > n->value->depth ? irl__rewrite_expr_children(r, e) : e;
}

static const irl_expr *irl__lane_bind(irl_ctx *cx, const irl__lane_name *n, const irl_expr *e)
{
    irl__lane_name name = *n;
    irl__rewriter  r = irl__rewriter_make(cx, &name, irl__lane_hook_name, NULL);
    return irl_expr_let(cx, n->var, n->value, irl__rewrite_expr(&r, e));
}

/* A value that is evaluated as a whole, or not: what gets a name in it is bound around it, but in a
   cast, which a store or an image may do by itself. */
static const irl_expr *irl__lane_root(irl__lane_state *state, const irl_expr *e)
{
    const irl__lane_name *outer = state->names;
    if (!(e->flags & IRL__HAS_LANES)) return e;
    e = irl__lanes_narrow(state->cx, state->target, e);
    if (!e) return NULL;
    if (e->op == IRL_OP_CAST) return irl__lane_operands(state, e, 0);
    e = irl__lane_value(state, e);
    for (; e && state->names != outer; state->names = state->names->next)
        e = irl__lane_bind(state->cx, state->names, e);
    state->names = outer;
    return e;
}

/* ------------------------------------------------------------------ vectors that are mixed */

/* Whether it may be printed, and evaluated, any number of times. */
static int irl__lane_is_cheap(const irl_expr *e)
{
    if (e->op == IRL_OP_BROADCAST) e = e->a[0];
    return e->count == 0; /* a name, a number, a private variable */
}

static int irl__lane_source(irl__lane_mix *mix, const irl_expr *e)
{
    int k;
    for (k = 0; k < mix->source_count; k++)
        if (mix->source[k] == e) return k;
    mix->source[k] = e;
    mix->uses[k] = 0;
    return mix->source_count++;
}

/* Lane k of e: of which value that is no shuffle, and its number there. A ramp's lane is a value of
   its own. */
static const irl_expr *irl__lane_origin(irl__lane_state *state, const irl_expr *e, uint32_t *k)
{
    while (e->op == IRL_OP_SHUFFLE || (e->op == IRL_OP_BROADCAST && e->a[0]->type.lanes > 1))
        e = irl__lane_operand(e, k);
    if (e->op != IRL_OP_RAMP) return e;
    if (e->a[0]->flags & IRL__HAS_MEMORY)
        e = irl_expr_ramp(state->cx, irl__lane_named(state, irl__lane_value(state, e->a[0])),
                          e->a[1], (int)e->type.lanes);
    e = irl__lane(state->cx, e, *k);
    *k = 0;
    return e && !(e->flags & (IRL__HAS_LANES | IRL__HAS_LET)) ? irl__simplify_alone(state->cx, e)
                                                              : e;
}

/* Cuts the result into pieces, each of one source and of a width that has a type. */
static int irl__lane_cut(irl__lane_state *state, irl__lane_mix *mix, const irl_expr *e)
{
    static const int widths[] = { 16, 8, 4, 3, 2, 1 };
    int          lanes = (int)e->type.lanes, from[IRL_MAX_LANES], end, w;
    mix->source_count = mix->piece_count = 0;
    for (int k = 0; k < lanes; k++) {
        uint32_t        lane = (uint32_t)k;
        const irl_expr *origin = irl__lane_origin(state, e, &lane);
        if (!origin) return 0;
        from[k] = irl__lane_source(mix, origin);
        mix->pick[k] = (int)lane;
    }
    for (int k = 0; k < lanes; k += widths[w]) {
        irl__lane_piece *piece = &mix->piece[mix->piece_count++];
        for (end = k + 1; end < lanes && from[end] == from[k];) end++;
        for (w = 0; widths[w] > end - k ||
                    !irl__target_has_vector(state->target, (uint32_t)widths[w]);)
            w++;
        piece->source = from[k];
        piece->first = k;
        piece->count = widths[w];
        mix->uses[from[k]]++;
    }
    return 1;
}

static const irl_expr *irl__lane_make_piece(irl__lane_state *state, const irl__lane_mix *mix,
                                            const irl__lane_piece *piece)
{
    const irl_expr *of = mix->source[piece->source];
    const int      *picks = mix->pick + piece->first;
    int             k;
    if (of->type.lanes == 1) return irl_expr_broadcast(state->cx, of, piece->count);
    if (of->op == IRL_OP_BROADCAST) return irl_expr_broadcast(state->cx, of->a[0], piece->count);
    if (piece->count == 1)
        return irl_expr_op2(state->cx, IRL_OP_LANE, of, irl_expr_index(state->cx, picks[0]));
    for (k = 0; k < piece->count && picks[k] == k;) k++;
    return k == piece->count && k == (int)of->type.lanes
               ? of
               : irl_expr_shuffle(state->cx, 1, &of, piece->count, picks);
}

/* Any shuffle, ramp or repeated vector. */
static const irl_expr *irl__lane_mixed(irl__lane_state *state, const irl_expr *e)
{
    const irl_expr *parts[IRL_MAX_LANES];
    irl__lane_mix   mix;
    const irl_expr *gathered = irl__lanes_gather(state->kernel, state->target, e);
    if (!irl__ok(state->cx)) return NULL;
    if (irl__target_has_picks(state->target)) {
        if (gathered) return gathered;
        if (irl__is_pick(e)) return irl__lane_operands(state, e, e->count);
    } else if (gathered) e = gathered;
    if (!irl__lane_cut(state, &mix, e)) return NULL;
    for (int k = 0; k < mix.source_count; k++) {
        mix.source[k] = irl__lane_value(state, mix.source[k]);
        if (mix.source[k] && mix.uses[k] > 1 && !irl__lane_is_cheap(mix.source[k]))
            mix.source[k] = irl__lane_named(state, mix.source[k]);
        if (!mix.source[k]) return NULL;
    }
    for (int k = 0; k < mix.piece_count; k++) {
        parts[k] = irl__lane_make_piece(state, &mix, &mix.piece[k]);
        if (!parts[k]) return NULL;
    }
    return irl__lanes_join(state->cx, (uint32_t)mix.piece_count, parts);
}

/* ------------------------------------------------------------------ values */

/* A run that is an index stays one. What of it must be legal is made so by `legal`. */
static const irl_expr *irl__lane_index(irl__lane_state *state, const irl_expr *index,
                                       const irl_expr *(*legal)(irl__lane_state *state,
                                                                const irl_expr *e))
{
    if (index->op != IRL_OP_RAMP || !irl__target_has_index(state->target, index))
        return legal(state, index);
    const irl_expr *base = legal(state, index->a[0]);
    return base && base != index->a[0]
               ? irl_expr_ramp(state->cx, base, index->a[1], (int)index->type.lanes)
               : base ? index : NULL;
}

/* e with its operands made legal, those from `lazy` on as values of their own: they may not be
   evaluated, or something is to stand around them. */
static const irl_expr *irl__lane_operands(irl__lane_state *state, const irl_expr *e, uint32_t lazy)
{
    const irl_expr **list = IRL__NEW(state->cx, const irl_expr *, e->count + 1);
    for (uint32_t k = 0; list && k < e->count; k++) {
        list[k] = e->op == IRL_OP_LOAD ? irl__lane_index(state, e->a[k], irl__lane_value)
                  : k >= lazy          ? irl__lane_root(state, e->a[k])
                                       : irl__lane_value(state, e->a[k]);
        if (!list[k]) return NULL;
    }
    return list ? irl__expr_with(state->cx, e, list) : NULL;
}

/* How far the lanes of a ramp are from the first one; NULL: these are no numbers, or all are. */
static const irl_expr *irl__lane_offsets(irl__lane_state *state, const irl_expr *e)
{
    if (e->op != IRL_OP_RAMP || e->a[0]->op == IRL_OP_INT || e->a[1]->op != IRL_OP_INT) return NULL;
    const irl_expr *zero = irl_expr_int(state->cx, e->a[0]->type, 0);
    return irl__lane_mixed(state,
                           irl_expr_ramp(state->cx, zero, e->a[1], (int)e->type.lanes));
}

/* The first lane, repeated, and how far the others are from it: compilers put lanes that are
   computed one by one together in several steps. */
static const irl_expr *irl__lane_ramp(irl__lane_state *state, const irl_expr *e)
{
    const irl_expr *offsets = irl__lane_offsets(state, e);
    if (!offsets) return irl__lane_mixed(state, e);
    const irl_expr *first = irl__lane_value(state, e->a[0]);
    return irl_expr_op2(state->cx, IRL_OP_ADD,
                        irl_expr_broadcast(state->cx, first, (int)e->type.lanes), offsets);
}

/* A ramp beside a number: how far its lanes are from the first one, beside how far the number is,
   so that ramps of one stride share a vector. What else all lanes share may change more often. */
static const irl_expr *irl__lane_compare(irl__lane_state *state, const irl_expr *e)
{
    const int       at = e->a[1]->op == IRL_OP_RAMP;
    const irl_expr *ramp = e->a[at], *other = e->a[!at], *side[2];
    const irl_expr *offsets = irl__lane_offsets(state, ramp);
    if (!offsets || other->op != IRL_OP_BROADCAST || other->a[0]->op != IRL_OP_INT ||
        !irl__type_is_index(ramp->type))
        return irl__lane_operands(state, e, e->count);
    other = irl__simplify(state->an, irl__sub(state->cx, other->a[0], ramp->a[0]));
    const irl__interval r = irl__range_of(state->an, other);
    if (r.lo == INT64_MIN || r.hi == INT64_MAX) return irl__lane_operands(state, e, e->count);
    side[at] = offsets;
    side[!at] = irl_expr_broadcast(state->cx, irl__lane_value(state, other),
                                   (int)ramp->type.lanes);
    return irl_expr_op2(state->cx, (irl_op)e->op, side[0], side[1]);
}

static const irl_expr *irl__lane_value(irl__lane_state *state, const irl_expr *e)
{
    if (!e || !(e->flags & IRL__HAS_LANES) || e->count == 0) return e;
    e = irl__lanes_narrow(state->cx, state->target, e);
    if (!e) return NULL;
    switch (e->op) {
    case IRL_OP_RAMP: return irl__lane_ramp(state, e);
    case IRL_OP_SHUFFLE: return irl__lane_mixed(state, e);
    case IRL_OP_BROADCAST:
        return e->a[0]->type.lanes > 1 ? irl__lane_mixed(state, e)
                                       : irl__lane_operands(state, e, e->count);
    case IRL_OP_LANE: {
        const irl_expr *v = irl__lane_value(state, e->a[0]), *k = irl__lane_value(state, e->a[1]);
        if (!v || !k || v->type.lanes == 1) return k ? v : NULL;
        if (k->op != IRL_OP_INT) v = irl__lane_named(state, v);
        else if (k->u.i >= 0 && k->u.i < (int64_t)v->type.lanes)
            return irl__lane(state->cx, v, (uint32_t)k->u.i);
        return irl_expr_op2(state->cx, IRL_OP_LANE, v, k);
    }
    case IRL_OP_LET: return irl__lane_operands(state, e, 2);
    case IRL_OP_IF_THEN_ELSE: return irl__lane_operands(state, e, 1);
    case IRL_OP_AND:
    case IRL_OP_OR: return irl__lane_operands(state, e, e->type.lanes == 1 ? 1 : e->count);
    default:
        return irl__op_info((irl_op)e->op)->rule == IRL__COMPARE
                   ? irl__lane_compare(state, e)
                   : irl__lane_operands(state, e, e->count);
    }
}

/* ------------------------------------------------------------------ statements */

static const irl_expr *irl__lane_hook_expr(irl__rewriter *r, const irl_expr *e)
{
    return irl__lane_root((irl__lane_state *)r->user, e);
}

/* Texels that statements of a list read. A kernel does not write an image that it reads. */
typedef struct irl__lane_texels {
    irl_ctx     *cx;
    irl__ptr_map seen, twice, named; /* read once; again; read already, and the variable */
    const irl_stmt **list;
    int          is_failed;
} irl__lane_texels;

static void irl__lane_put_texel(irl__lane_texels *q, irl__ptr_map *map, const irl_expr *e,
                                const irl_expr *as)
{
    if (!as || !irl__ptr_map_put(q->cx, map, e, as)) q->is_failed = 1;
}

/* The value that e takes a lane of, or is: a texel, or a choice between one and a constant. NULL:
   it is none. */
static const irl_expr *irl__lane_texel_of(irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *texel = e->op == IRL_OP_IF_THEN_ELSE ? e->a[1] : e, *other;
    if (texel->op == IRL_OP_LANE && texel != e && texel->a[1]->op == IRL_OP_INT)
        texel = texel->a[0];
    if (irl__texel_call_of(texel) != IRL__TEXEL_LOAD || (e->flags & IRL__HAS_LET)) return NULL;
    if (e->op != IRL_OP_IF_THEN_ELSE || texel == e->a[1])
        return texel == e || irl__is_const(e->a[2]) ? e : NULL;
    if (!irl__is_const(e->a[2])) return NULL;
    other = irl_expr_broadcast(cx, e->a[2], (int)texel->type.lanes);
    return irl_expr_op3(cx, IRL_OP_IF_THEN_ELSE, e->a[0], texel, other);
}

/* What is evaluated whenever the statement runs. */
static int irl__lane_see_texel(irl__visitor *v, const irl_expr *e)
{
    irl__lane_texels *q = (irl__lane_texels *)v->user;
    const irl_expr   *texel = irl__lane_texel_of(q->cx, e);
    if (texel) irl__lane_put_texel(q, irl__ptr_map_get(&q->seen, texel) ? &q->twice : &q->seen,
                                   texel, texel);
    if (irl__expr_is_lazy(e)) irl__visit_expr(v, e->a[0]);
    else return !texel && e->op != IRL_OP_LET;
    return 0;
}

/* In front of a statement: names for what it reads and another reads too. */
static int irl__lane_name_texel(irl__visitor *v, const irl_expr *e)
{
    irl__lane_texels *q = (irl__lane_texels *)v->user;
    const irl_expr   *texel = irl__lane_texel_of(q->cx, e);
    if (!texel || !irl__ptr_map_get(&q->twice, texel)) return irl__lane_see_texel(v, e);
    if (irl__ptr_map_get(&q->named, texel)) return 0;
    const irl_expr *var = irl_expr_var(q->cx, "texel", texel->type);
    irl__lane_put_texel(q, &q->named, texel, var);
    if (!IRL__PUSH(q->cx, q->list, irl_stmt_let(q->cx, var, texel))) q->is_failed = 1;
    return 0;
}

static const irl_expr *irl__lane_hook_texel(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *texel = irl__lane_texel_of(r->cx, e), *var;
    var = texel ? (const irl_expr *)irl__ptr_map_get((irl__ptr_map *)r->user, texel) : NULL;
    if (!var) return irl__rewrite_expr_children(r, e);
    return e->type.lanes == var->type.lanes ? var : irl_expr_op2(r->cx, IRL_OP_LANE, var,
                                                                 e->a[1]->a[1]);
}

static void irl__lane_visit_texels(irl__visitor *v, const irl_stmt *s)
{
    if (s->kind == IRL__STORE || s->kind == IRL__LET || s->kind == IRL__EVALUATE)
        irl__visit_stmt(v, s);
}

/* A list in which each texel is read once, as far as it is read whenever the list runs. */
static const irl_stmt *irl__lane_texels_once(irl_ctx *cx, const irl_stmt *s)
{
    irl__lane_texels q;
    irl__visitor     v = irl__visitor_make(&q, irl__lane_see_texel, NULL);
    memset(&q, 0, sizeof q);
    q.cx = cx;
    irl__rewriter r = irl__rewriter_make(cx, &q.named, irl__lane_hook_texel, NULL);
    for (int k = 0; k < s->u.seq.count; k++) irl__lane_visit_texels(&v, s->u.seq.stmts[k]);
    v.expr = irl__lane_name_texel;
    for (int k = 0; q.twice.count && k < s->u.seq.count && !q.is_failed; k++) {
        irl__lane_visit_texels(&v, s->u.seq.stmts[k]);
        const irl_stmt *now = irl__rewrite_stmt(&r, s->u.seq.stmts[k]);
        if (!now || !IRL__PUSH(cx, q.list, now)) return NULL;
    }
    if (q.is_failed) return NULL;
    return q.twice.count ? irl__stmt_seq(cx, (int)stbds_arrlen(q.list), q.list) : s;
}

static const irl_stmt *irl__lane_hook_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__lane_state *state = (irl__lane_state *)r->user;
    if (s->kind == IRL__SEQ && state->has_images)
        return irl__rewrite_stmt_children(r, irl__lane_texels_once(state->cx, s));
    if (s->kind == IRL__STORE) {
        const irl_buffer *b = s->u.store.buffer;
        const irl_expr   *at[IRL_MAX_RANK], *value = irl__lane_root(state, s->u.store.value);
        int               changed = value != s->u.store.value;
        for (int k = 0; value && k < b->rank; k++) {
            /* in names that the value does not see */
            at[k] = irl__lane_index(state, s->u.store.indices[k], irl__lane_root);
            if (!at[k]) return NULL;
            changed |= at[k] != s->u.store.indices[k];
        }
        if (!value || !changed) return value ? s : NULL;
        return irl__stmt_store(state->cx, b, value, b->rank, at, s->loc);
    }
    if (s->kind == IRL__EVALUATE) {
        /* The call is the statement: names are bound around its arguments. */
        const irl_expr *value = s->u.evaluate.value;
        if (!(value->flags & IRL__HAS_LANES)) return s;
        value = irl__lane_operands(state, value, 0);
        return value == s->u.evaluate.value ? s : irl_stmt_evaluate(state->cx, value);
    }
    return irl__rewrite_known(r, state->an, s);
}

irl_func *irl__legalize_lanes(const irl_func *kernel, const irl_target *target)
{
    irl__lane_state state;
    irl__rewriter   r =
        irl__rewriter_make(kernel->cx, &state, irl__lane_hook_expr, irl__lane_hook_stmt);
    if (target->widths == 1) return irl__func_with_body(kernel, kernel->body);
    memset(&state, 0, sizeof state);
    state.cx = kernel->cx;
    state.target = target;
    state.has_images = irl__func_has_images(kernel);
    irl__arena_mark mark = irl__scratch_begin(kernel->cx);
    state.an = irl__analyzer_begin(kernel->cx);
    state.kernel = kernel;
    irl_func *result = state.an ? irl__rewrite_func(&r, kernel) : NULL;
    irl__scratch_end(kernel->cx, mark);
    return irl__ok(kernel->cx) ? result : NULL;
}

/* ------------------------------------------------------------------ a module from anywhere */

/* f itself where the target has its operators on halves. */
static const irl_func *irl__lane_by_f32(const irl_func *f, const irl_target *target)
{
    const irl_func *by_f32 = irl__pass_halves(f, target);
    return by_f32 && by_f32->body == f->body ? f : by_f32;
}

static const irl_func *irl__lane_legal(const irl_func *kernel, const irl_target *target)
{
    irl_loc where;
    kernel = irl__lane_by_f32(kernel, target);
    if (!kernel || !irl__target_lacks_of(target, kernel, &where)) return kernel;
    kernel = irl__legalize(kernel, target);
    if (kernel && !target->pointer_casts) kernel = irl__legalize_kernel(kernel, target);
    kernel = kernel ? irl__legalize_lanes(kernel, target) : NULL;
    return kernel && irl__target_has_vectors_of(target, kernel) ? kernel : NULL;
}

/* The copy of m that may be changed, made where there is none yet. */
static int irl__lane_own(const irl_module *m, irl_module **copy, const irl_func ***kernels)
{
    if (*copy) return 1;
    *copy = IRL__COPY(m->cx, irl_module, m, 1);
    *kernels = IRL__COPY(m->cx, const irl_func *, m->kernels, m->kernel_count);
    if (!*copy || !*kernels) return 0;
    (*copy)->kernels = *kernels;
    return 1;
}

const irl_module *irl__legal_module(const irl_module *m, const irl_target *target)
{
    const irl_func **kernels = NULL, *legal;
    irl_module      *copy = NULL;
    for (int k = 0; k < m->kernel_count; k++) {
        legal = irl__lane_legal(m->kernels[k], target);
        if (!legal) return NULL;
        if (legal == m->kernels[k]) continue;
        if (!irl__lane_own(m, &copy, &kernels)) return NULL;
        kernels[k] = legal;
    }
    legal = m->host ? irl__lane_by_f32(m->host, NULL) : NULL;
    if (m->host && !legal) return NULL;
    if (legal != m->host) {
        if (!irl__lane_own(m, &copy, &kernels)) return NULL;
        copy->host = legal;
    }
    return copy ? copy : m;
}
