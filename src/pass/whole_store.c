/* whole_store.c - finds the nest that defines a whole buffer: one store, reached once for every
   point, and no other lasting effect.

   requires  a function before apply_layouts; the number of stores to the buffer is known to be 1
   promises  the nest may run over any other set of iterations, in any order, that contains each
             point once: iterations read nothing that another one writes, and write only their
             element and memory that they allocate
   cost      linear in the nest

   A layout with padding turns such a nest into loops over the physical box: there the same store
   gives an unreached cell its padding, and no second nest has to. Recognised is

       for (i: I, j: J) b[i, j] = ...            loops from 0 over whole axes, each the index of one
       for (i: I, j: J) { let ...; alloc ...; b[i, j] = ... }    with whatever computes in between
       for (i: I, j: J) block (vi = i, vj = j) { b[vi, vj] = ... }       the same through its axes
       for (o: O, i: 4) b[o * 4 + i] = ...       loops proved to reach every element once

   at a place that the function always reaches, and once: not in a condition, not in another
   loop. */
#include "layouts.h"

enum {
    /* of an expression in the nest: it is written again in other variables */
    IRL__WHOLE_NODES = 4096,
    IRL__WHOLE_INVERSE = 64, /* of what stands for a loop's variable */
    /* what may stand in the nest: this, but for bound loops and shared memory */
    IRL__WHOLE_KINDS = 1 << IRL__SEQ | 1 << IRL__IF | 1 << IRL__LET | 1 << IRL__ASSUME |
                       1 << IRL__ASSERT | 1 << IRL__EVALUATE | 1 << IRL__FOR | 1 << IRL__ALLOC |
                       1 << IRL__STORE,
    IRL__WHOLE_NOT = (((1 << IRL__STMT_KIND_COUNT) - 1) & ~IRL__WHOLE_KINDS) | IRL__HOLDS_BOUND |
                     IRL__HOLDS_SHARED
};

/* ------------------------------------------------------------------ what the nest does */

static int irl__whole_is_large(const irl_expr *e, const void *user)
{
    (void)user;
    return e->size > IRL__WHOLE_NODES ? 1 : -1; /* what is in it is smaller */
}

/* The store to the buffer, if it is the body or stands directly in its sequence. */
static const irl_stmt *irl__whole_store_in(const irl_stmt *body, const irl_buffer *b)
{
    if (body->kind == IRL__STORE) return body->u.store.buffer->data == b->data ? body : NULL;
    for (int k = 0; body->kind == IRL__SEQ && k < body->u.seq.count; k++) {
        const irl_stmt *s = body->u.seq.stmts[k];
        if (s->kind == IRL__STORE && s->u.store.buffer->data == b->data) return s;
    }
    return NULL;
}

/* Is the point that the store writes all that an iteration touches of the buffer, and nothing else
   written that lasts? */
static int irl__whole_is_alone(irl_ctx *cx, const irl_stmt *body, const irl_stmt *store)
{
    const irl_buffer *b = store->u.store.buffer;
    irl__arena_mark   mark = irl__scratch_begin(cx);
    irl__accesses     t;
    int               ok = irl__accesses_in(&t, cx, body);
    for (int k = 0; ok && k < t.count; k++) {
        const irl__access *a = &t.list[k];
        if (a->kind != IRL__ACCESS_READ) ok = a->place == store || a->allocation;
        else if (a->memory == b->data) {
            ok = a->buffer == b && !a->is_texel;
            for (int j = 0; ok && j < b->rank; j++) ok = a->indices[j] == store->u.store.indices[j];
        }
    }
    irl__scratch_end(cx, mark);
    return ok;
}

/* ------------------------------------------------------------------ the shape of the nest */

typedef struct irl__whole_shape {
    /* of the loops; of the block's axes, if there is a block */
    const irl_expr *vars[IRL_MAX_RANK], *extents[IRL_MAX_RANK];
    /* the loops' variables, beside those */
    const irl_expr *loops[IRL_MAX_RANK];
    int             count;
} irl__whole_shape;

/* Notes may say what a schedule did, and the name of the nest. */
static const irl_stmt *irl__whole_loops(const irl_stmt *s, irl__whole_shape *shape,
                                        int *is_parallel)
{
    *is_parallel = 1;
    for (; s->kind == IRL__FOR && shape->count < IRL_MAX_RANK; s = s->u.loop.body) {
        if ((s->u.loop.kind != IRL_SERIAL && s->u.loop.kind != IRL_PARALLEL) ||
            s->u.loop.annotation_count >
                irl__stmt_is_scheduled(s) + (!shape->count && irl__stmt_label(s) != NULL) ||
            !irl__is_int(s->u.loop.min, 0))
            break;
        *is_parallel &= s->u.loop.kind == IRL_PARALLEL;
        shape->vars[shape->count] = shape->loops[shape->count] = s->u.loop.var;
        shape->extents[shape->count++] = s->u.loop.extent;
    }
    return s;
}

static int irl__whole_find_var(const irl__whole_shape *shape, const irl_expr *var)
{
    for (int k = 0; k < shape->count; k++)
        if (shape->vars[k] == var) return k;
    return -1;
}

/* A block whose axes are the loops, one each: its axes stand for them. */
static int irl__whole_block(const irl__block_data *b, irl__whole_shape *shape)
{
    irl__whole_shape axes;
    uint32_t         seen = 0;
    if (b->predicate || b->init || b->alloc_count || b->match_count ||
        b->axis_count != shape->count)
        return 0;
    for (int k = 0; k < b->axis_count; k++) {
        int loop = irl__whole_find_var(shape, b->axes[k].binding);
        if (loop < 0 || (seen >> loop) & 1 || b->axes[k].is_reduction ||
            b->axes[k].extent != shape->extents[loop])
            return 0;
        seen |= UINT32_C(1) << loop;
        axes.vars[k] = b->axes[k].var;
        axes.loops[k] = shape->loops[loop];
        axes.extents[k] = b->axes[k].extent;
    }
    axes.count = b->axis_count;
    *shape = axes;
    return 1;
}

/* Each index a variable of the nest, each variable an index, over the whole axis. */
static int irl__whole_covers_by_axes(const irl__whole_shape *shape, const irl_stmt *store,
                                     irl__whole_store *out)
{
    const irl_buffer *b = store->u.store.buffer;
    uint32_t          seen = 0;
    if (b->rank != shape->count) return 0;
    for (int k = 0; k < b->rank; k++) {
        int at = irl__whole_find_var(shape, store->u.store.indices[k]);
        if (at < 0 || (seen >> at) & 1 || shape->extents[at] != b->shape[k]) return 0;
        seen |= UINT32_C(1) << at;
        out->vars[at] = shape->vars[at];
        out->loops[at] = shape->loops[at];
        out->values[at] = out->axes[k];
        out->place[k] = at;
    }
    return 1;
}

/* Where an index goes in the order of the loops: to the first variable in it. */
static int irl__whole_place(const irl__whole_shape *shape, const irl_expr *index)
{
    int k = 0;
    while (k < shape->count && !irl__expr_uses_var(index, shape->vars[k])) k++;
    return k;
}

/* Any indices that are proved to reach every element once: o * 4 + i, 6 - c. */
static int irl__whole_covers_by_verdict(irl_ctx *cx, const irl__whole_shape *shape,
                                        const irl_stmt *store, irl__whole_store *out)
{
    const irl_buffer *b = store->u.store.buffer;
    const irl_map    *map;
    irl_shape         loops;
    memset(&loops, 0, sizeof loops);
    loops.rank = shape->count;
    for (int k = 0; k < shape->count; k++) {
        if (shape->extents[k]->op != IRL_OP_INT) return 0;
        loops.extent[k] = shape->extents[k]->u.i;
    }
    for (int k = 0; k < b->rank; k++)
        if ((store->u.store.indices[k]->flags & IRL__HAS_LET) ||
            irl__map_misfit(store->u.store.indices[k]) || b->shape[k]->op != IRL_OP_INT)
            return 0;
    map = irl_map_new(cx, shape->count, shape->vars, b->rank, store->u.store.indices, 0, NULL);
    if (!map || irl__map_has_names(map)) return 0; /* what it reaches differs from call to call */
    irl_verdict v = irl_map_check(cx, map, loops);
    if (v.kind != IRL_BIJECTIVE || !v.inverse) return 0;
    for (int k = 0; k < b->rank; k++) {
        if (v.physical.extent[k] != b->shape[k]->u.i) return 0;
        out->place[k] = irl__whole_place(shape, store->u.store.indices[k]);
    }
    for (int k = 0; k < shape->count; k++) {
        if (v.inverse->outputs[k]->size > IRL__WHOLE_INVERSE) return 0;
        out->vars[k] = shape->vars[k];
        out->loops[k] = shape->loops[k];
        out->values[k] =
            irl__substitute(cx, v.inverse->outputs[k], b->rank, v.inverse->inputs, out->axes);
    }
    return irl__ok(cx);
}

static int irl__whole_covers(irl_ctx *cx, const irl__whole_shape *shape, const irl_stmt *store,
                             irl__whole_store *out)
{
    const irl_buffer *b = store->u.store.buffer;
    out->count = shape->count;
    out->indices = store->u.store.indices;
    for (int k = 0; k < b->rank; k++) {
        const irl_expr *index = out->indices[k]; /* the axis has its name, if it has one */
        out->axes[k] = index->op == IRL_OP_VAR
                           ? irl_expr_var(cx, index->u.name, index->type)
                           : irl_expr_var(cx, irl__format(cx, "axis%d", k), irl__type_index());
        if (!out->axes[k]) return 0;
    }
    return irl__whole_covers_by_axes(shape, store, out) ||
           (!out->block && irl__whole_covers_by_verdict(cx, shape, store, out));
}

int irl__whole_store_find(irl_ctx *cx, const irl_stmt *s, const irl_buffer *b,
                          irl__whole_store *out)
{
    irl__whole_shape shape;
    memset(&shape, 0, sizeof shape);
    memset(out, 0, sizeof *out);
    out->body = irl__whole_loops(s, &shape, &out->is_parallel);
    if (out->body->kind == IRL__BLOCK) {
        out->block = out->body;
        if (!irl__whole_block(out->block->u.block, &shape)) return 0;
        out->body = out->block->u.block->body;
    }
    const irl_stmt *store = irl__whole_store_in(out->body, b);
    if (!store || !irl__whole_covers(cx, &shape, store, out)) return 0;
    if (irl__stmt_any(out->body, NULL, irl__whole_is_large, NULL) ||
        irl__stmt_calls(NULL, out->body) ||
        irl__stmt_holds(out->body, IRL__WHOLE_NOT) ||
        !irl__whole_is_alone(cx, out->body, store))
        return 0;
    out->nest = s;
    return 1;
}

const irl_stmt *irl__stmt_without_lets(irl_ctx *cx, const irl_stmt *s)
{
    if (s->kind != IRL__SEQ || s->u.seq.count == 0) return s;
    const irl_stmt *store = s->u.seq.stmts[s->u.seq.count - 1];
    for (int k = 0; k < s->u.seq.count - 1; k++)
        if (s->u.seq.stmts[k]->kind != IRL__LET) return s;
    for (int k = s->u.seq.count - 1; store && k-- > 0;)
        store = irl__substitute_stmt(cx, store, 1, &s->u.seq.stmts[k]->u.let.var,
                                     &s->u.seq.stmts[k]->u.let.value);
    return store;
}
