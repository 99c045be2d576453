/* reindex.c - the primitives that copy what a block accesses, in the order of its axes.

   needs     copies.c, flow.c; the verdict on maps
   promises  the copy holds for each point of the block's axes the element that the block accesses
             there */
#include "schedule.h"

/* ------------------------------------------------------------------ reindex, reindex_cache_read,
                                                                      reindex_cache_write

   requires  a block that reads (or writes) the buffer at one list of indices over its axes, or at
             one over the axes of the map; a map of those axes
   does      cache[map(v)] = A[indices(v)] in a block of its own, over the axes that it uses,
             where cache_read (cache_write) would copy; only this block uses the copy. reindex: the
             map is the axes themselves, and the memory global. Where the indices are loaded, the
             copy gathers. Of several lists that a block reads at, a map says which one by the axes
             it uses
   refuses   several lists of indices over these axes; a map of another number of axes, or that uses
             others than the access; a lossy map, with two points; a copy that could leave the
             buffer; of writes a block that does not reach each point of its axes, or reads what it
             has not written; what cache_read refuses of work-items
   source    Feng and others, TensorIR (ASPLOS 2023) */

typedef struct irl__reindex {
    irl__flow_unit         u;
    irl__accesses          t; /* of the block */
    const irl_stmt        *block;
    const irl_buffer      *b;
    irl_buffer            *cache;
    const irl_expr *const *indices;
    const irl__access     *access; /* the first at these */
    int                    count; /* axes that the access uses */
    int                    axis[IRL_MAX_RANK];
    uint8_t                is_fixed[IRL__FLOW_MOST]; /* those that loops around the copy decide */
    /* the points of an axis that are copied back: of one part of a loop, those of this part */
    const irl_expr        *first[IRL__FLOW_MOST], *length[IRL__FLOW_MOST];
    const irl_expr        *runs; /* the block runs at each point of those, if that holds */
    int                    rank; /* of the cache */
    const irl_expr        *out[IRL_MAX_RANK], *shape[IRL_MAX_RANK]; /* in terms of the axes */
} irl__reindex;

static int irl__reindex_map_uses(const irl_map *map, int axis)
{
    return irl__exprs_use_var(map->output_count, map->outputs, map->inputs[axis]);
}

/* Do the indices use the axes that the map uses, and no others? */
static int irl__reindex_is_meant(const irl__reindex *q, const irl__access *a, const irl_map *map)
{
    for (int k = 0; k < q->u.count; k++)
        if (irl__exprs_use_var(q->b->rank, a->indices, q->u.var[k]) !=
            irl__reindex_map_uses(map, k))
            return 0;
    return 1;
}

/* Is it an access at the indices that are copied? */
static int irl__reindex_is_there(const irl__reindex *q, const irl_expr *const *indices)
{
    return irl__exprs_equal(q->b->rank, q->indices, indices);
}

/* The map that tells one list of indices from others; NULL: there is none. */
static const irl_map *irl__reindex_teller(const irl__sched *s, const irl__reindex *q)
{
    const irl_map     *map = s->arg_count > 3 ? s->args[3].map : NULL;
    const irl__access *first = NULL;
    int                is_one = 1;
    if (!map || map->variadic || map->input_count != q->u.count) return NULL;
    IRL__EACH_ROW(a, &q->t) {
        if (a->is_declared || a->buffer != q->b || a->kind == IRL__ACCESS_OPAQUE || a->lanes != 1)
            continue;
        if (irl__access_writes(a)) return NULL;
        if (!first) first = a;
        is_one &= irl__access_is_same(first, a);
    }
    return is_one ? NULL : map;
}

static int irl__reindex_access(irl__sched *s, irl__reindex *q)
{
    int found = 0;
    if (!irl__accesses_of(&q->t, s->f, q->block)) return 0;
    const irl_map *map = irl__reindex_teller(s, q);
    IRL__EACH_ROW(a, &q->t) {
        if (a->is_declared || a->buffer != q->b || a->kind == IRL__ACCESS_OPAQUE) continue;
        if (a->lanes != 1 || a->place == q->block)
            return irl__refuse(s, "'%B' is read in the block's bindings, or as a vector", q->b);
        if (map && !irl__reindex_is_meant(q, a, map)) continue;
        if (!found++) {
            q->indices = a->indices;
            q->access = a;
        }
        if (!irl__reindex_is_there(q, a->indices))
            return irl__refuse(s, "'%N' accesses '%B' at several indices", q->b);
    }
    if (!found && map)
        return irl__refuse_at(s, s->args[3].loc, "'%N' accesses '%B' at several indices, none of "
                              "them over the axes that the map uses", q->b);
    if (!found)
        return irl__refuse(s, "'%B' is not accessed at indices", q->b);
    for (int k = 0; k < q->u.count; k++) {
        if (!irl__exprs_use_var(q->b->rank, q->indices, q->u.var[k])) continue;
        if (q->count == IRL_MAX_RANK) return irl__refuse(s, "too many axes");
        q->axis[q->count++] = k;
    }
    return 1;
}

/* What the cache's indices are: the axes, or their map; and its shape. */
static int irl__reindex_identity(irl__reindex *q)
{
    for (int k = 0; k < q->count; k++) {
        q->out[k] = q->u.var[q->axis[k]];
        q->shape[k] = q->u.extent[q->axis[k]];
    }
    q->rank = q->count;
    return 1;
}

/* Does the map use the axes that the access does? */
static int irl__reindex_map_fits(irl__sched *s, const irl__arg *arg, const irl__reindex *q)
{
    const irl_map *map = arg->map;
    int            in_access;
    if (map->variadic || map->input_count != q->u.count)
        return irl__refuse_at(s, arg->loc, "the map takes %d axes; the block has %d",
                              map->input_count, q->u.count);
    for (int k = 0; k < q->u.count; k++) {
        int in_map = irl__reindex_map_uses(map, k);
        for (int j = in_access = 0; j < q->count; j++) in_access |= q->axis[j] == k;
        if (in_map != in_access)
            return irl__refuse_at(s, arg->loc, "the axis '%s' is in the %s, but not in the %s",
                                  q->u.var[k]->u.name, in_map ? "map" : "access",
                                  in_map ? "access" : "map");
    }
    return 1;
}

/* Axes in another order, whatever their extents are: the cache's indices and shape. 0: it is more
   than that. */
static int irl__reindex_order(const irl_map *map, irl__reindex *q)
{
    int j, seen[IRL_MAX_RANK] = { 0 };
    for (int k = 0; k < map->output_count; k++) {
        for (j = 0; j < map->input_count && map->inputs[j] != map->outputs[k]; j++) {}
        if (j == map->input_count || seen[j]++) return 0;
        q->out[k] = q->u.var[j];
        q->shape[k] = q->u.extent[j];
    }
    q->rank = map->output_count;
    return 1;
}

static int irl__reindex_map(irl__sched *s, const irl__arg *arg, irl__reindex *q)
{
    const irl_map  *map = arg->map;
    const irl_expr *inputs[IRL_MAX_RANK];
    irl_shape       shape, memory;
    if (!irl__reindex_map_fits(s, arg, q)) return 0;
    if (irl__reindex_order(map, q)) return 1;
    memset(&shape, 0, sizeof shape);
    for (int k = 0; k < q->u.count; k++) {
        if (!irl__reindex_map_uses(map, k)) continue;
        if (q->u.extent[k]->op != IRL_OP_INT)
            return irl__refuse_at(s, arg->loc, "the extent of '%s' is not a number",
                                  q->u.var[k]->u.name);
        inputs[shape.rank] = map->inputs[k];
        shape.extent[shape.rank++] = q->u.extent[k]->u.i;
    }
    const irl_map *used =
        irl_map_new(s->cx, shape.rank, inputs, map->output_count, map->outputs, 0, NULL);
    if (!used) return 0;
    irl_verdict v = irl_map_check(s->cx, used, shape);
    if (!irl__ok(s->cx)) return 0;
    if (v.parameter_count)
        return irl__refuse_at(s, arg->loc, "the map contains a name that is not an axis: '%s'",
                              v.parameters[0]->u.name);
    if (!irl__verdict_is_right(&v)) {
        s->cx->refused->parts.buffer = q->b->name;
        return irl__refused_map(s->cx, used, &v, NULL) &&
               irl__refuse_at(s, arg->loc, "the map is not a layout of the axes: %s",
                              irl_verdict_text(s->cx, &v));
    }
    if (!irl_map_memory(s->cx, used, shape, &memory)) return 0;
    q->rank = map->output_count;
    for (int k = 0; k < q->rank; k++) {
        q->out[k] = irl__substitute(s->cx, map->outputs[k], q->u.count, map->inputs, q->u.var);
        q->shape[k] = irl_expr_index(s->cx, memory.extent[k]);
        if (!q->out[k] || !q->shape[k]) return 0;
    }
    return 1;
}

static int irl__reindex_buffer(irl__sched *s, irl__reindex *q)
{
    const irl__arg *arg = s->arg_count > 2 ? &s->args[2] : NULL;
    const int       scope = arg ? irl__scope_of_arg(s, arg) : (int)IRL_SCOPE_GLOBAL;
    if (scope < 0) return 0;
    if (irl__scope_is_image((irl_scope)scope) || scope == (int)IRL_SCOPE_CONSTANT)
        return irl__refuse(s, "this step makes no copy in %s",
                           scope == (int)IRL_SCOPE_CONSTANT ? "constant memory" : "an image");
    for (int k = 0; k < q->rank; k++)
        if (!(q->shape[k] = irl__path_length(s->f, q->shape[k]))) return 0;
    q->cache = irl__copy_buffer(s, q->b, arg ? arg->name : "reindex", (irl_scope)scope, q->rank,
                                q->shape);
    return q->cache != NULL;
}

/* Does the block load the buffer at each of its points, under no condition of its body? */
static int irl__reindex_always(const irl__reindex *q)
{
    IRL__EACH_ROW(a, &q->t) {
        const irl__around *n = a->around;
        if (a->is_declared || a->buffer != q->b || a->kind != IRL__ACCESS_READ ||
            !irl__reindex_is_there(q, a->indices))
            continue;
        while (n && n->stmt != q->block &&
               (n->kind == IRL__AROUND_LET || n->kind == IRL__AROUND_MEMORY ||
                n->kind == IRL__AROUND_CHECK))
            n = n->outer;
        if (n && n->stmt == q->block) return 1;
    }
    return 0;
}

typedef struct irl__reindex_loads {
    irl__sched     *s;
    const irl_stmt *in; /* which runs behind the copy */
    int             written;
} irl__reindex_loads;

static int irl__reindex_see_load(const irl_expr *e, const void *user)
{
    irl__reindex_loads *l = *(irl__reindex_loads *const *)user;
    irl__accesses       t;
    if (e->op != IRL_OP_LOAD) return 0;
    l->written |= irl__place_declares(l->in, e->u.buffer) || !irl__accesses_of(&t, l->s->f, l->in);
    for (int k = 0; !l->written && k < t.count; k++)
        l->written = irl__access_writes(&t.list[k]) && !t.list[k].is_declared &&
                     (!t.list[k].memory || t.list[k].memory == e->u.buffer->data ||
                      t.list[k].memory == irl__ptr_map_get(&t.behind, e->u.buffer->data));
    return l->written;
}

/* A copy that gathers does what the block did, at the same points, for the block reaches all of
   them; and the numbers that it goes by are there. */
static int irl__reindex_gathers(irl__sched *s, const irl__reindex *q, int level)
{
    irl__reindex_loads  l;
    irl__reindex_loads *const user = &l;
    int j, ok = irl__flow_is_complete(s, &q->u, level) && irl__reindex_always(q);
    for (int k = 0; ok && k < q->u.count; k++) {
        for (j = 0; j < q->count && q->axis[j] != k; j++) {}
        ok = j < q->count || (q->u.extent[k]->op == IRL_OP_INT && q->u.extent[k]->u.i > 0);
    }
    if (!ok)
        return irl__refuse(s, "the index of '%B' reads memory, and as far as is known '%N' does "
                           "not load it at each point of its axes", q->b);
    l.s = s;
    l.in = q->u.p.at[level];
    l.written = 0;
    for (int k = 0; k < q->b->rank; k++)
        (void)irl__expr_any(q->indices[k], irl__reindex_see_load, &user);
    return !l.written || irl__refuse(s, "the index of '%B' reads memory that is written after the "
                                     "copy", q->b);
}

/* The copy stays within the buffer at each point of the axes: that is proved, or it is where the
   block itself has loaded. */
static int irl__reindex_stays(irl__sched *s, const irl__reindex *q, int written, int level)
{
    irl__analyzer *an = irl__flow_analyzer(s, &q->u);
    int            proved = 1;
    if (!an) return 0;
    for (int k = 0; k < q->b->rank; k++) {
        if ((q->indices[k]->flags & IRL__HAS_MEMORY) && !written)
            return irl__reindex_gathers(s, q, level);
        if (q->indices[k]->flags & IRL__HAS_MEMORY)
            return irl__refuse(s, "the index of '%B' reads memory", q->b);
        proved &= irl__prove_within(an, q->indices[k], q->b->shape[k]);
    }
    return proved || irl__refuse(s, "as far as is known, the copy could leave '%A'", q->access);
}

/* A variable that is neither an axis of the block nor a parameter; NULL: there is none. */
static const irl_expr *irl__reindex_foreign(const irl_func *f, const irl__reindex *q,
                                            const irl_expr *e)
{
    const irl_expr *found = NULL;
    for (int j = 0; e->op == IRL_OP_VAR && j < q->u.count; j++)
        if (q->u.var[j] == e) return NULL;
    for (int j = 0; e->op == IRL_OP_VAR && j < f->param_count; j++)
        if (f->params[j].var == e) return NULL;
    for (uint32_t k = 0; k < e->count && !found; k++) found = irl__reindex_foreign(f, q, e->a[k]);
    return e->op == IRL_OP_VAR ? e : found;
}

static int irl__reindex_is_closed(irl__sched *s, const irl__reindex *q)
{
    const irl_expr *found = NULL;
    for (int j = 0; j < q->b->rank && !found; j++)
        found = irl__reindex_foreign(s->f, q, q->indices[j]);
    return !found || irl__refuse(s, "the index of '%B' uses '%s', which is not an axis", q->b,
                                 found->u.name);
}

/* ------------------------------------------------------------------ the steps */

/* Loops over the used axes around a block that copies. *block is the block. */
static const irl_stmt *irl__reindex_copy(irl__sched *s, const irl__reindex *q, int written,
                                         const irl_stmt **block)
{
    irl__copy_axes  a;
    const irl_expr *from[IRL_MAX_RANK], *to[IRL_MAX_RANK], *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    memset(&a, 0, sizeof a);
    for (int k = 0; k < q->count; k++) {
        const int axis = q->axis[k];
        from[k] = q->u.var[axis];
        to[k] = irl__copy_axis(s, &a, written ? q->length[axis] : q->u.extent[axis], from[k],
                               q->is_fixed[axis] ? q->u.block->axes[axis].binding : NULL);
        if (to[k] && written && !irl__is_int(q->first[axis], 0))
            to[k] = irl__add(s->cx, to[k], q->first[axis]);
        if (!to[k]) return NULL;
    }
    for (int k = 0; k < q->b->rank; k++)
        in[k] = irl__substitute(s->cx, q->indices[k], q->count, from, to);
    for (int k = 0; k < q->rank; k++)
        out[k] = irl__substitute(s->cx, q->out[k], q->count, from, to);
    const irl_expr *value = written ? irl_expr_load(s->cx, q->cache, q->rank, out)
                                    : irl_expr_load(s->cx, q->b, q->b->rank, in);
    return irl__copy_nest(s, &a, irl__result_name(s, 0, q->cache->name), q->runs,
                          written ? irl__stmt_store(s->cx, q->b, value, q->b->rank, in, q->b->loc)
                                  : irl__stmt_store(s->cx, q->cache, value, q->rank, out,
                                                    q->b->loc), block);
}

/* May the body of a block leave out its store? */
static int irl__reindex_is_partial(const irl_stmt *body)
{
    irl__place p;
    IRL__EACH_STMT(s, &p, body)
        if (s->kind == IRL__IF || (s->kind == IRL__FOR && !irl__stmt_loop_runs(s))) return 1;
    return 0;
}

/* Does one run of the statement at that level reach each point of the axes that are not fixed, if
   q->runs holds, which this sets? */
static int irl__reindex_is_complete(irl__sched *s, irl__reindex *q, int level)
{
    irl__analyzer  *an = irl__place_analyzer(s, &q->u.p, level);
    const irl_expr *one = irl_expr_index(s->cx, 1);
    int             j;
    for (int k = 0; an && k < q->u.count; k++) {
        const irl_expr *runs = NULL;
        for (j = 0; j < q->count && q->axis[j] != k; j++) {}
        if (q->is_fixed[k] || j < q->count) continue;
        if (!irl__place_ask(s->cx, an, &runs, IRL_OP_GE, q->u.extent[k], one)) return 0;
        if (runs && !irl__place_is_lasting(s, &q->u.p, level, runs)) return 0;
        q->runs = irl__and(s->cx, q->runs, runs);
    }
    return an && irl__ok(s->cx) && irl__flow_covers(s, &q->u, level, q->first, q->length,
                                                    q->is_fixed, NULL);
}

/* Which points of its extent each axis gets in one run of the statement at that level. */
static int irl__reindex_ends(irl__sched *s, irl__reindex *q, int level)
{
    irl__analyzer *an = irl__flow_range_analyzer(s, &q->u.p, level);
    for (int k = 0; k < q->u.count && an; k++) {
        const irl__axis *axis = &q->u.block->axes[k];
        const irl_expr  *first, *length, *zero = irl_expr_index(s->cx, 0);
        const int        is_part =
            !q->is_fixed[k] &&
            irl__flow_range(s, an, &q->u.p, level, axis->binding, &first, &length) &&
            irl__prove(an, irl_expr_op2(s->cx, IRL_OP_GE, first, zero)) &&
            irl__prove(an, irl_expr_op2(s->cx, IRL_OP_LE, irl__add(s->cx, first, length),
                                        axis->extent));
        q->first[k] = is_part ? first : zero;
        q->length[k] = is_part ? length : axis->extent;
    }
    return an && irl__ok(s->cx);
}

static int irl__reindex_write_holds(irl__sched *s, irl__reindex *q, int level)
{
    irl__flow_inverse inv;
    irl__flow_unit    used = q->u;
    const irl_expr   *missing;
    IRL__EACH_ROW(a, &q->t)
        if (a->buffer == q->b && a->kind == IRL__ACCESS_READ &&
            !a->is_declared && !irl__inits_cover(s, &q->u.p, level, a) &&
            !irl__init_begins(s, &q->u.p, level, a))
            return irl__refuse(s, "'%N' reads '%B', which it has not written", q->b);
    used.count = q->count;
    for (int k = 0; k < q->count; k++) {
        if (q->u.block->axes[q->axis[k]].is_reduction)
            return irl__refuse(s, "'%B' is written along the reduce axis '%s'", q->b,
                               q->u.var[q->axis[k]]->u.name);
        used.var[k] = q->u.var[q->axis[k]];
        used.min[k] = q->u.min[q->axis[k]];
        used.extent[k] = q->u.extent[q->axis[k]];
    }
    if (!irl__flow_invert(s, &used, q->b->rank, q->b->shape, q->indices, &inv, &missing)) return 0;
    if (missing)
        return irl__refuse(s, "the indices of '%B' do not determine '%s'", q->b, missing->u.name);
    if (irl__reindex_is_partial(q->u.block->body))
        return irl__refuse(s, "'%N' stores under a condition, or in a loop that may not run: the "
                           "copy would hold what was never stored (%H)", "cache_write fills it "
                           "first");
    /* Where loops around the copy back decide an axis, it copies that point. A block with a
       condition is asked for all of its points. */
    for (int k = 0; k < q->u.count && !q->u.block->predicate; k++)
        q->is_fixed[k] =
            (uint8_t)irl__place_is_lasting(s, &q->u.p, level, q->u.block->axes[k].binding);
    return (irl__reindex_ends(s, q, level) && irl__reindex_is_complete(s, q, level)) ||
           irl__refuse(s, "as far as is known, '%N' does not reach each point of its axes");
}

static int irl__reindex_do(irl__sched *s, int written)
{
    irl__reindex      q;
    const irl_stmt   *before[2], *block = NULL;
    memset(&q, 0, sizeof q);
    const int level = irl__copy_of_block(s, written, &q.u, &q.b);
    if (level >= 0) q.block = irl__place_last(&q.u.p);
    if (level < 0 || !irl__reindex_access(s, &q) || !irl__reindex_is_closed(s, &q) ||
        !irl__reindex_stays(s, &q, written, level))
        return 0;
    if (s->arg_count > 3 ? !irl__reindex_map(s, &s->args[3], &q) : !irl__reindex_identity(&q))
        return 0;
    if (written && !irl__reindex_write_holds(s, &q, level)) return 0;
    if (!irl__reindex_buffer(s, &q) ||
        !irl__copy_is_common(s, &q.u.p, level, q.cache, &s->args[1]) ||
        (written && !irl__copy_take_bits(s, q.block, q.b, q.cache, &s->args[1])))
        return 0;
    before[0] = irl_stmt_alloc(s->cx, q.cache);
    const irl_stmt *copy = before[1] = irl__reindex_copy(s, &q, written, &block);
    const irl_expr *value = irl_expr_load(s->cx, q.b, q.b->rank, q.indices);
    const irl_stmt *now = irl__copy_redirected(s, q.block, q.b, value, q.cache, q.out);
    return copy && irl__copy_around(s, &q.u.p, level, now, q.b, before, written ? 1 : 2,
                                    written ? copy : NULL, block);
}

int irl__do_reindex(irl__sched *s)
{
    return irl__reindex_do(s, irl__flow_block_writes(s));
}
int irl__do_reindex_cache_read(irl__sched *s)
{
    return irl__reindex_do(s, 0);
}
int irl__do_reindex_cache_write(irl__sched *s)
{
    return irl__reindex_do(s, 1);
}
