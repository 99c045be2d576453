/* registers.c - private arrays that are accessed only at constant places become variables: buffers
   of rank 0.

   requires  flatten; vectorize, legalize and unroll before it, so that accesses are in their final
             form
   maintains what is computed
   breaks    such arrays: each run of elements that is accessed as a whole becomes a variable
   cost      linear in the function, times the logarithm of an array's runs

   A compiler keeps a variable in a register. It keeps an array there only if it finds out by itself
   what this pass knows. Accesses must agree on the runs: a store is of a whole run, a load of a run
   or of a part of one. f16 and bf16 stay in arrays: their type in memory differs from the type of
   computation. */
#include "pass.h"

enum { IRL__REGISTER_MOST = 256 }; /* variables of one array */

/* Elements [start, start + count) of an array. */
typedef struct irl__register {
    int64_t start;
    int64_t count;
    int     is_stored;
    /* the run that this one is a part of, as a number; its own where it is whole */
    int               owner;
    const irl_buffer *variable; /* of a whole run */
} irl__register;

typedef struct irl__register_array {
    const irl_buffer *buffer;
    irl__register    *runs; /* in order: by their starts, of one start the longest first */
    int               stays;
} irl__register_array;

typedef struct irl__register_state {
    irl_ctx              *cx;
    irl__ptr_map          arrays; /* data variable -> irl__register_array */
    irl__register_array **list;
    int                   is_failed;
} irl__register_state;

/* ------------------------------------------------------------------ runs */

/* Where a run stands, or would: by their starts, of one start the longest first. */
static int irl__register_at(const irl__register_array *array, int64_t start, int64_t count)
{
    int low = 0, high = (int)stbds_arrlen(array->runs);
    while (low < high) {
        const int            middle = low + (high - low) / 2;
        const irl__register *run = &array->runs[middle];
        if (run->start < start || (run->start == start && run->count > count)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static irl__register *irl__register_find(const irl__register_array *array, int64_t start,
                                         int64_t count)
{
    const int      k = irl__register_at(array, start, count);
    irl__register *run = k < (int)stbds_arrlen(array->runs) ? &array->runs[k] : NULL;
    return run && run->start == start && run->count == count ? run : NULL;
}

/* Where an index lies, if that is constant. */
static int irl__register_place(const irl_expr *index, int64_t *start, int64_t *count)
{
    *count = index->type.lanes;
    if (index->op == IRL_OP_RAMP && irl__is_int(index->a[1], 1)) index = index->a[0];
    if (index->op != IRL_OP_INT) return 0;
    *start = index->u.i;
    return 1;
}

static int irl__register_access(irl__register_state *state, const irl__access *a)
{
    irl__register_array *array = (irl__register_array *)irl__ptr_map_get(&state->arrays, a->memory);
    irl__register        fresh;
    if (!array || array->stays) return 1;
    memset(&fresh, 0, sizeof fresh);
    array->stays = !irl__register_place(a->indices[0], &fresh.start, &fresh.count) ||
                   !(a->buffer->shape[0]->op == IRL_OP_INT && fresh.start >= 0 &&
                     fresh.count <= a->buffer->shape[0]->u.i &&
                     fresh.start <= a->buffer->shape[0]->u.i - fresh.count);
    if (array->stays) return 1;
    irl__register *run = irl__register_find(array, fresh.start, fresh.count);
    fresh.is_stored = a->kind != IRL__ACCESS_READ;
    if (run) {
        run->is_stored |= fresh.is_stored;
        return 1;
    }
    array->stays = stbds_arrlen(array->runs) == IRL__REGISTER_MOST;
    if (array->stays) return 1;
    const int k = irl__register_at(array, fresh.start, fresh.count);
    if (!IRL__PUSH_SCRATCH(state->cx, array->runs, fresh)) return 0;
    memmove(&array->runs[k + 1], &array->runs[k],
            (size_t)(stbds_arrlen(array->runs) - 1 - k) * sizeof fresh);
    array->runs[k] = fresh;
    return 1;
}

/* Arrays that have one name, which no call gets. */
static int irl__register_add(irl__register_state *state, const irl__accesses *t,
                             const irl__around *n)
{
    const irl_buffer    *b = n->buffer;
    irl__register_array *array;
    if (!irl__unroll_is_array(t, n) || irl__type_is_storage(b->type)) return 1;
    array = IRL__SCRATCH(state->cx, irl__register_array, 1);
    if (!array) return 0;
    array->buffer = b;
    return irl__ptr_map_put(state->cx, &state->arrays, b->data, array) &&
           IRL__PUSH_SCRATCH(state->cx, state->list, array);
}

static int irl__register_survey(irl__register_state *state, const irl_func *f)
{
    irl__accesses t;
    int           ok = irl__accesses_of(&t, f, NULL);
    for (int k = 0; ok && k < (int)stbds_arrlen(t.memory); k++)
        ok = irl__register_add(state, &t, t.memory[k]);
    for (int k = 0; ok && state->list && k < t.count; k++)
        ok = irl__register_access(state, &t.list[k]);
    return ok;
}

/* --------------------------------------------------------- which arrays, and their variables */

/* Each run is whole, or a part of the whole one in front of it: none crosses another's border, and
   no part is stored. */
static int irl__register_agrees(irl__register_array *array)
{
    int whole = 0;
    for (int k = 0; k < (int)stbds_arrlen(array->runs); k++) {
        irl__register *run = &array->runs[k], *last = &array->runs[whole];
        if (run->start >= last->start + last->count) whole = k;
        else if (k > 0 && (run->start + run->count > last->start + last->count || run->is_stored))
            return 0;
        run->owner = whole;
    }
    return !array->stays && stbds_arrlen(array->runs) > 0;
}

/* A variable for a whole run, named after its place among the others; -1: it is the only one. */
static int irl__register_declare(irl__register_state *state, irl__register_array *array,
                                 irl__register *run, int place)
{
    const irl_buffer *b = array->buffer;
    irl__text         text;
    char              name[128];
    irl__text_init_fixed(&text, name, sizeof name);
    irl__textf(&text, place >= 0 ? "%s_%d" : "%s", b->name, place);
    run->variable = irl__buffer_make(
        state->cx, name, irl__type_with_lanes(b->type, b->type.lanes * (uint32_t)run->count),
        IRL_SCOPE_LOCAL, 0, NULL, NULL, b->loc);
    return run->variable != NULL;
}

static int irl__register_decide(irl__register_state *state)
{
    int place, any = 0;
    for (int j = 0; j < (int)stbds_arrlen(state->list); j++) {
        irl__register_array *array = state->list[j];
        const int            count = (int)stbds_arrlen(array->runs);
        array->stays = !irl__register_agrees(array);
        if (array->stays) continue;
        any = 1;
        place = array->runs[count - 1].owner == 0 ? -1 : 0;
        for (int k = 0; k < count; k++)
            if (array->runs[k].owner == k &&
                !irl__register_declare(state, array, &array->runs[k], place < 0 ? -1 : place++))
                state->is_failed = 1;
    }
    return any && !state->is_failed;
}

/* ------------------------------------------------------------------ the function again */

static irl__register_array *irl__register_array_of(const irl__register_state *state,
                                                   const irl_buffer *b)
{
    irl__register_array *array = (irl__register_array *)irl__ptr_map_get(&state->arrays, b->data);
    return array && !array->stays ? array : NULL;
}

static const irl_expr *irl__register_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl__register_array *array =
        e->op == IRL_OP_LOAD ? irl__register_array_of((irl__register_state *)r->user, e->u.buffer)
                             : NULL;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    /* A load of a run: the variable, or lanes of the variable that holds the run. */
    if (!array) return irl__rewrite_expr_children(r, e);
    int64_t start = 0, count = 0;
    irl__register_place(e->a[0], &start, &count);
    const irl__register *run = irl__register_find(array, start, count);
    const irl__register *owner = &array->runs[run->owner];
    const irl_expr      *whole = irl__expr_load(r->cx, owner->variable, 0, NULL, irl__nowhere());
    if (owner == run || !whole) return whole;
    return irl__lanes_cut(
        r->cx, whole, (uint32_t)(start - owner->start) * array->buffer->type.lanes, e->type.lanes);
}

/* The variables of an array are declared where it was. */
static const irl_stmt *irl__register_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__STORE   ? s->u.store.buffer
                          : s->kind == IRL__ALLOC ? s->u.alloc.buffer
                                                  : NULL;
    const irl__register_array *array =
        b ? irl__register_array_of((irl__register_state *)r->user, b) : NULL;
    if (!array) return irl__rewrite_stmt_children(r, s);
    if (s->kind == IRL__ALLOC) {
        const irl_stmt **list = NULL;
        for (int j = 0; j < (int)stbds_arrlen(array->runs); j++)
            if (array->runs[j].variable &&
                !IRL__PUSH(r->cx, list, irl_stmt_alloc(r->cx, array->runs[j].variable)))
                return NULL;
        return irl__stmt_seq(r->cx, (int)stbds_arrlen(list), list);
    }
    const irl_expr *value = irl__rewrite_expr(r, s->u.store.value);
    int64_t         start = 0, count = 0;
    irl__register_place(s->u.store.indices[0], &start, &count);
    return irl__stmt_store(r->cx, irl__register_find(array, start, count)->variable, value,
                           0, NULL, s->loc);
}

irl_func *irl__pass_registers(const irl_func *f)
{
    irl_ctx            *cx = f->cx;
    irl__arena_mark     mark = irl__scratch_begin(cx);
    irl__register_state state;
    const irl_stmt     *body = f->body;
    memset(&state, 0, sizeof state);
    state.cx = cx;
    irl__rewriter r = irl__rewriter_make(cx, &state, irl__register_expr, irl__register_stmt);
    if (irl__stmt_holds(f->body, 1 << IRL__ALLOC) && !irl__register_survey(&state, f))
        state.is_failed = 1;
    else if (irl__register_decide(&state)) body = irl__rewrite_stmt(&r, f->body);
    irl__scratch_end(cx, mark);
    return state.is_failed ? NULL : irl__func_with_body(f, body);
}
