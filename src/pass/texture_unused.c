/* texture_unused.c - lanes of a texel without data: what they hold, and who may write them.

   needs     texture_nest.c; the verdict on a layout, for its padding
   promises  a texel is written as a whole only if each lane that the nest leaves out is proved to
             hold nothing */
#include "textures.h"

/* --------------------------------------------------------- lanes that a condition leaves out */

static const irl__param *irl__tex_param(const irl__tex_state *state, const irl_buffer *b)
{
    int k = irl__func_param_of(state->f, b->data);
    return k < 0 ? NULL : &state->f->params[k];
}

/* The cells of a parameter that its layout leaves unused, at the indices of the store; NULL if not
   known, for all values of the names. */
static const irl_expr *irl__tex_padding_at(irl__tex_state *state, const irl__param *p,
                                           const irl_stmt *store)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *outside = NULL;
    const irl_expr *const *box;
    if (!p->map || p->logical_rank > IRL_MAX_RANK) return NULL;
    irl_verdict v = irl__check_text(cx, p->map, irl_shape_of(p->logical_rank, p->logical_shape));
    if (!irl__verdict_is_right(&v) || !v.inverse || v.physical.rank != p->buffer->rank ||
        !(box = irl__shape_extents(cx, &v.physical)))
        return NULL;
    /* a layout's last group is whole even where no point reaches its end */
    for (int k = 0; k < v.physical.rank; k++)
        if (box[k] != p->buffer->shape[k]) {
            const irl_expr *beyond = irl_expr_op2(cx, IRL_OP_GE, store->u.store.indices[k], box[k]);
            outside = outside ? irl_expr_op2(cx, IRL_OP_OR, outside, beyond) : beyond;
        }
    if (!(v.padding && v.pad_cells)) return outside;
    const irl_expr *inside = irl__substitute(cx, v.padding, v.inverse->input_count,
                                             v.inverse->inputs, store->u.store.indices);
    return outside ? irl_expr_op2(cx, IRL_OP_OR, outside, inside) : inside;
}

int irl__tex_leaves_padding(irl__tex_state *state, const irl__tex_nest *n)
{
    const irl__param *p = irl__tex_param(state, n->store->u.store.buffer);
    const irl_expr   *padding = p ? irl__tex_padding_at(state, p, n->store) : NULL, *left_out;
    int               mark = irl__facts_mark(state->an), proved;
    if (!padding) return 0;
    left_out = irl__simplify(state->an, irl_expr_op1(state->cx, IRL_OP_NOT, n->partial));
    proved = left_out && irl__fact(state->an, left_out) && irl__prove(state->an, padding);
    irl__facts_release(state->an, mark);
    return proved;
}

/* How many statements of the function store to the memory; -1 on failure. */
static int irl__tex_writers(const irl__tex_state *state, const irl_expr *memory)
{
    irl__arena_mark mark = irl__scratch_begin(state->cx);
    irl__accesses   t;
    int             ok = irl__accesses_of(&t, state->f, NULL), count = 0;
    for (int k = 0; ok && k < t.count; k++)
        count += t.list[k].memory == memory && t.list[k].kind != IRL__ACCESS_READ;
    irl__scratch_end(state->cx, mark);
    return ok ? count : -1;
}

typedef struct irl__tex_variables {
    const irl__tex_state *state;
    const irl__tex_nest  *nest;
} irl__tex_variables;

/* Is it what a texel does not tell? A parameter of the function is the same everywhere. */
static int irl__tex_is_other(const irl_expr *e, const void *user)
{
    const irl__tex_variables *s = (const irl__tex_variables *)user;
    const irl_expr *const    *texel = s->nest->store->u.store.indices;
    return e->op == IRL_OP_LOAD ||
           (e->op == IRL_OP_VAR && e != s->nest->lane && irl__func_param_of(s->state->f, e) < 0 &&
            !irl__indices_tell(s->nest->store->u.store.buffer->rank - 1, texel, e, texel, e));
}

/* What the condition leaves out is left out whenever this texel is written, so it never holds
   anything but that. The condition must be the texel's: the same whenever it is written. */
int irl__tex_skipped_lanes_are_undefined(irl__tex_state *state, const irl__tex_nest *n)
{
    const irl_expr    *memory = n->store->u.store.buffer->data;
    int                writers = 1;
    if (irl__tex_param(state, n->store->u.store.buffer)) return 0;
    irl__tex_variables search = { state, n };
    if (irl__ptr_map_get(&state->filled, memory)) writers++;
    return !irl__expr_any(n->partial, irl__tex_is_other, &search) &&
           irl__tex_writers(state, memory) == writers;
}

/* Texels that also hold data get their
   padding with the data; so only texels of nothing else are written here. */
int irl__tex_is_filling(irl__tex_state *state, const irl__tex_nest *n)
{
    const irl__param *p = irl__tex_param(state, n->store->u.store.buffer);
    const irl_expr *padding =
        p && p->padding == n->store->u.store.value ? irl__tex_padding_at(state, p, n->store) : NULL;
    int mark = irl__facts_mark(state->an), proved;
    if (!padding) return 0;
    proved = irl__fact(state->an, n->partial) && irl__prove(state->an, padding);
    irl__facts_release(state->an, mark);
    return proved;
}

/* --------------------------------------------------------- temporaries that are filled first */

static const irl_expr *irl__tex_constant_of(const irl_expr *e)
{
    if (e->op == IRL_OP_CAST && e->a[0]->op == IRL_OP_FLOAT) return e;
    return e->op == IRL_OP_INT || e->op == IRL_OP_FLOAT ? e : NULL;
}

/* Whether the loops of a nest go over all of a buffer's box: every index is a loop's variable, from
   0 to its axis's extent. */
static int irl__tex_covers(const irl_stmt *nest, const irl_stmt *store)
{
    const irl_buffer *b = store->u.store.buffer;
    int               k, loops = 0, axes = 0;
    for (const irl_stmt *s = nest; s != store; s = s->u.loop.body, loops++) {
        if (!irl__is_int(s->u.loop.min, 0)) return 0;
        for (k = 0; k < b->rank && store->u.store.indices[k] != s->u.loop.var; k++) {}
        if (k == b->rank || s->u.loop.extent != b->shape[k]) return 0;
    }
    for (k = 0; k < b->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        if (index->op == IRL_OP_VAR) axes++;
        else if (!irl__is_int(index, 0) || !irl__is_int(b->shape[k], 1)) return 0;
    }
    return loops == axes; /* a variable twice would leave an axis without its loop */
}

/* An allocation, and right behind it the loops that give all of it one value. */
static int irl__tex_see_filled(irl__visitor *v, const irl_stmt *s)
{
    irl__tex_state *state = (irl__tex_state *)v->user;
    if (s->kind != IRL__SEQ) return 1;
    for (int k = 0; k + 1 < s->u.seq.count; k++) {
        const irl_stmt *alloc = s->u.seq.stmts[k], *nest = s->u.seq.stmts[k + 1], *store = nest;
        while (store->kind == IRL__FOR) store = store->u.loop.body;
        if (alloc->kind != IRL__ALLOC || store->kind != IRL__STORE ||
            store->u.store.buffer != alloc->u.alloc.buffer || !irl__tex_is(alloc->u.alloc.buffer))
            continue;
        if (!irl__tex_constant_of(store->u.store.value) || !irl__tex_covers(nest, store)) continue;
        if (!irl__ptr_map_put(state->cx, &state->filled, alloc->u.alloc.buffer->data,
                              store->u.store.value))
            return 0;
    }
    return 1;
}

void irl__tex_find_filled(irl__tex_state *state)
{
    irl__visitor v = irl__visitor_make(state, NULL, irl__tex_see_filled);
    irl__visit_stmt(&v, state->f->body);
}

const irl_expr *irl__tex_filler(irl__tex_state *state, const irl_buffer *b)
{
    const irl__param *p = irl__tex_param(state, b);
    const irl_expr   *filled = (const irl_expr *)irl__ptr_map_get(&state->filled, b->data);
    if (filled) return filled;
    return p && p->padding ? p->padding : irl__zero(state->cx, b->type);
}
