/* memory.c - the primitives that set the scope of a temporary and its layout in memory.

   needs     copies.c for which buffer is meant; set_scope.c
   promises  what is computed stays the same: indices do not change */
#include "schedule.h"
#include "../pass/set.h"

/* A temporary that the block or nest writes (or reads). */
static const irl_buffer *irl__memory_find(irl__sched *s, int written, irl__flow_buffer *found)
{
    const irl_buffer *b = irl__copy_find(s, &s->args[1], irl__place_last(&s->p), written);
    return b && irl__flow_temporary(s, &s->args[1], b, found) ? b : NULL;
}

static int irl__memory_put(irl__sched *s, const irl_buffer *from, const irl_buffer *to)
{
    const irl_stmt *body = irl__copy_swapped(s, s->f->body, 1, &from, &to);
    return irl__sched_become(s, irl__func_with_body(s->f, body));
}

/* ------------------------------------------------------------------ set_scope

   requires  a temporary that the block writes
   does      it lies in another memory
   refuses   a parameter; plain memory for an image, or an image for it; an image that does not hold
             it; shared memory that iterations which run at the same
             time would each have had for themselves, or that every work-item of a group would store
             to, beside the loops of work-items; shared memory where work-items wait for one another
             because of global memory; memory of its own for each work-item, where one reads what
             another one wrote, or they wait in its kernel */

/* Finds a loop of work-items that does not stand around a store to the memory: each of them does
   that store. */
static int irl__memory_is_under(const irl__access *a, irl_axis axis)
{
    for (const irl__around *w = a->around; w; w = w->outer)
        if (w->stmt && irl__stmt_is_bound(w->stmt) && w->stmt->u.loop.axis == axis)
            return 1;
    return 0;
}

static const irl_stmt *irl__memory_items_beside(const irl__flow_buffer *found)
{
    const irl__accesses *t = &found->t;
    const int            kernel = irl__place_kernel(&found->scope, found->scope.count);
    irl__place           p;
    if (kernel == found->scope.count) return NULL;
    IRL__EACH_STMT(s, &p, found->scope.at[kernel]) {
        if (!irl__stmt_is_bound(s) || s->u.loop.axis <= IRL_GROUP_Z) continue;
        IRL__EACH_ROW(a, t) {
            if (!a->is_declared && irl__flow_is_of(a, found->buffer) && irl__flow_is_write(a) &&
                !irl__memory_is_under(a, s->u.loop.axis))
                return s;
        }
    }
    return NULL;
}

/* Is the statement around the declaration? */
static int irl__memory_is_around(const irl__flow_buffer *found, const irl_stmt *at)
{
    return irl__place_level(&found->scope, at) < found->scope.count;
}

/* What each work-item has for itself becomes the group's, in f: does none touch what another one
   stores to? */
static int irl__memory_items_are_apart(irl__sched *s, const irl__flow_buffer *found,
                                       const irl_func *f, const irl_buffer *moved)
{
    irl__accesses t;
    return irl__place_kernel(&found->scope, found->scope.count) == found->scope.count ||
           (irl__accesses_of(&t, f, NULL) &&
            irl__flow_is_apart(s, s->step->loc, &t, NULL, moved,
                               "each work-item has its own, and in shared memory they would write "
                               "the same elements", NULL));
}

/* Those of bits lie side by side in one row of bytes, which is no shared memory. */
static int irl__memory_has_elements(irl__sched *s, const irl_buffer *b)
{
    return !b->bits || irl__refuse(s, "'%B' has elements of bits, which are side by side in one "
                                   "row of bytes; shared memory cannot hold such elements", b);
}

/* Do work-items wait there? Where it becomes shared: for what others do to memory that is not. */
static int irl__memory_waits(const irl_stmt *kernel, int scope_now)
{
    irl__place p;
    if (scope_now != IRL_SCOPE_SHARED) return irl__stmt_holds(kernel, 1u << IRL__BARRIER);
    IRL__EACH_STMT(s, &p, kernel)
        if (s->kind == IRL__BARRIER && s->u.barrier.scope != IRL_SCOPE_SHARED) return 1;
    return 0;
}

/* Where work-items that touch the buffer by the access may wait for each other: in the scope of its
   declaration, if that stands in a kernel, and else in the outermost loop around the access. */
static const irl_stmt *irl__memory_kernel(const irl__flow_buffer *found, const irl__access *a)
{
    const irl_stmt *kernel = NULL;
    const int       last = found->scope.count - 1;
    if (irl__place_kernel(&found->scope, last + 1) <= last) return found->scope.at[last];
    for (const irl__around *n = a->around; n; n = n->outer)
        if (n->kind == IRL__AROUND_LOOP && !irl__memory_is_around(found, n->stmt)) kernel = n->stmt;
    return kernel;
}

/* A loop of work-items that use the buffer together: it stands inside of where that is declared
   (and is shared), or they wait for each other there, so that another scope parts them. NULL: each
   reads what it wrote itself. */
static const irl_stmt *irl__memory_items_exchange(const irl__flow_buffer *found, int scope_now)
{
    const int          is_shared = found->buffer->scope == IRL_SCOPE_SHARED;
    const irl__around *n;
    IRL__EACH_ROW(a, &found->t) {
        const irl_stmt    *kernel = irl__flow_is_of(a, found->buffer)
                                        ? irl__memory_kernel(found, a) : NULL;
        const int waits = kernel && irl__memory_waits(kernel, scope_now);
        for (n = kernel ? a->around : NULL; n; n = n->outer)
            if (n->kind == IRL__AROUND_LOOP && n->stmt->u.loop.kind == IRL_BOUND &&
                n->stmt->u.loop.axis > IRL_GROUP_Z &&
                (waits || (is_shared && !irl__memory_is_around(found, n->stmt))))
                return n->stmt;
    }
    return NULL;
}

/* An image of another scope holds it, as the function's layout says that it lies. */
static int irl__memory_fits_image(irl__sched *s, const irl_buffer *b, irl_scope scope)
{
    irl_buffer *to = irl__buffer_copy(s->cx, b);
    if (!to || !irl__scope_is_image(scope)) return to != NULL;
    to->scope = scope;
    for (int k = 0; k < s->f->layout_count; k++) {
        const irl__layout *layout = &s->f->layouts[k];
        if (layout->data ? layout->data != b->data : strcmp(layout->buffer, b->name) != 0) continue;
        to->separator_count = layout->map->separator_count;
        int groups = irl__image_coordinates(irl__image_of(to));
        return !to->separator_count || to->separator_count == groups - 1 ||
               irl__refuse(s, "the layout of '%B' has %d separators; an %s of scope %s has %d", b,
                           to->separator_count, irl__image_text(irl__image_of(to)),
                           irl__scope_text(scope), groups - 1);
    }
    return irl__copy_fits_image(s, to, s->step->loc);
}

/* Is the temporary seen through a match, in a function whose iterations follow each other? There it
   may lie in any memory that is no image: nothing is done at the same time. */
static int irl__memory_is_matched(irl__sched *s, const irl_buffer *b)
{
    irl__accesses t;
    if (irl__func_param_of(s->f, b->data) >= 0 ||
        !irl__stmt_holds(s->f->body, IRL__HOLDS_MATCH) ||
        irl__stmt_holds(s->f->body,
                        IRL__HOLDS_BOUND | IRL__HOLDS_PARALLEL | IRL__HOLDS_VECTORIZED) ||
        !irl__accesses_of(&t, s->f, NULL) || irl__accesses_is_alone(&t, b->data))
        return 0;
    IRL__EACH_ROW(r, &t)
        if (r->kind == IRL__ACCESS_OPAQUE) return 0;
    return 1;
}

int irl__do_set_scope(irl__sched *s)
{
    irl__flow_buffer found;
    const irl_buffer *b = irl__copy_find(s, &s->args[1], irl__place_last(&s->p), 1);
    const int is_matched = b && irl__memory_is_matched(s, b);
    irl_func *f;
    if (!b || (!is_matched && !irl__flow_temporary(s, &s->args[1], b, &found))) return 0;
    const int scope = irl__scope_of_arg(s, &s->args[2]);
    if (scope < 0) return 0;
    if (irl__scope_is_image((irl_scope)scope) != irl__scope_is_image(b->scope))
        return irl__refuse_at(s, s->args[2].loc, "memory does not become an image, or an image "
                              "memory; make a copy: cache_read or cache_write");
    if (!irl__memory_fits_image(s, b, (irl_scope)scope)) return 0;
    if (scope == IRL_SCOPE_SHARED && !irl__memory_has_elements(s, b)) return 0;
    if (is_matched)
        return irl__sched_become(s, irl__func_set_scope(s->f, b, (irl_scope)scope, NULL));
    for (int k = 0; scope == IRL_SCOPE_SHARED && k < found.scope.count; k++) {
        const irl_stmt *at = found.scope.at[k];
        if (irl__stmt_is_parallel(at) &&
            !(at->u.loop.kind == IRL_BOUND && at->u.loop.axis <= IRL_GROUP_Z))
            return irl__refuse(s, "'%B' is private to each iteration of the loop '%L': in shared "
                               "memory they would write the same elements", b, at);
    }
    const irl_stmt *items = scope == IRL_SCOPE_SHARED ? irl__memory_items_beside(&found) : NULL;
    if (items)
        return irl__refuse(s, "'%B' is stored to outside the loop '%L': in shared memory every "
                           "work-item would write the same elements", b, items);
    items = (irl_scope)scope != b->scope &&
                    (scope == IRL_SCOPE_LOCAL || b->scope == IRL_SCOPE_SHARED ||
                     scope == IRL_SCOPE_SHARED)
                ? irl__memory_items_exchange(&found, scope) : NULL;
    if (items)
        return irl__refuse(s, "the work-items of the loop '%L' share '%B': %s", items, b,
                           scope == IRL_SCOPE_SHARED
                               ? "a barrier there waits for memory that is not shared"
                               : "each would have its own");
    const irl_buffer *moved = b;
    f = irl__func_set_scope(s->f, b, (irl_scope)scope, &moved);
    return f && (scope != IRL_SCOPE_SHARED || b->scope == IRL_SCOPE_SHARED ||
                 irl__memory_items_are_apart(s, &found, f, moved)) &&
           irl__sched_become(s, f);
}

/* ------------------------------------------------------------------ storage_align

   requires  a temporary of sizes that are numbers, written by the block, compact; no image
   does      the stride of an axis becomes the least that is not smaller and leaves `offset` when
             divided by `factor`, those of the axes outside of it follow: so that columns of a tile
             do not lie in one bank
   refuses   an axis that there is not; a factor that is not above 0, or beyond any extent; sizes
             beyond 63 bits */

static int irl__memory_strides(irl__sched *s, irl_buffer *to,
                               int64_t axis, int64_t factor, int64_t offset)
{
    const irl_expr **strides = IRL__NEW(s->cx, const irl_expr *, to->rank + 1);
    int64_t stride = 1, more;
    if (!strides) return 0;
    for (int k = to->rank; k-- > 0;) {
        if (k == axis) {
            more = ((offset - stride) % factor + factor) % factor;
            if (!irl__add64(stride, more, &stride))
                return irl__refuse(s, "the stride is beyond 63 bits");
        }
        strides[k] = irl_expr_index(s->cx, stride);
        if (!strides[k]) return 0;
        if (to->shape[k]->op != IRL_OP_INT)
            return irl__refuse(s, "the extent of axis %d of '%B' is not a number", k, to);
        if (!irl__mul64(stride, to->shape[k]->u.i, &stride))
            return irl__refuse(s, "the stride is beyond 63 bits");
    }
    to->strides = strides;
    return 1;
}

int irl__do_storage_align(irl__sched *s)
{
    irl__flow_buffer  found;
    const irl_buffer *b = irl__memory_find(s, 1, &found);
    int64_t           value[3];
    if (!b) return 0;
    for (int k = 0; k < 3; k++) {
        if (s->args[k + 2].kind != IRL__ARG_NUMBER)
            return irl__refuse_at(s, s->args[k + 2].loc, "a number is expected");
        value[k] = s->args[k + 2].number;
    }
    if (value[0] < 0) value[0] += b->rank; /* from the end */
    if (value[0] < 0 || value[0] >= b->rank)
        return irl__refuse_at(s, s->args[2].loc, "'%B' has %d axes, counted from 0", b, b->rank);
    if (value[1] <= 0 || value[1] > IRL__MOST_EXTENT)
        return irl__refuse_at(s, s->args[3].loc, "a factor must be above 0 and at most %l; found "
                              "%l", IRL__MOST_EXTENT, value[1]);
    if (value[2] < 0 || value[2] >= value[1])
        return irl__refuse_at(s, s->args[4].loc, "an offset must be at least 0 and below the "
                              "factor; found %l", value[2]);
    if (b->strides || b->offset || irl__scope_is_image(b->scope) || b->separator_count)
        return irl__refuse(s, "'%B' has strides, separators or is an image", b);
    if (!irl__memory_has_elements(s, b)) return 0;
    irl_buffer *to = irl__buffer_copy(s->cx, b);
    return to && irl__memory_strides(s, to, value[0], value[1], value[2]) &&
           irl__memory_put(s, b, to);
}

/* ------------------------------------------------------------------ set_axis_separator

   requires  a temporary that the block touches
   does      its axes are flattened to as many physical ones as there are separators, and one more;
             none: to one
   refuses   separators that are not increasing, within the axes, or that an image of its scope has
             not; memory with strides, which are those of the physical dimensions that it has
             (storage_align) */

int irl__do_set_axis_separator(irl__sched *s)
{
    irl__flow_buffer found;
    int             *separators;
    const irl_buffer *b = irl__memory_find(s, irl__flow_block_writes(s), &found);
    if (!b) return 0;
    if (!irl__memory_has_elements(s, b)) return 0;
    if (b->strides)
        return irl__refuse(s, "'%B' has strides, whose meaning separators would change", b);
    separators = IRL__NEW(s->cx, int, s->arg_count);
    irl_buffer *to = irl__buffer_copy(s->cx, b);
    if (!separators || !to) return 0;
    for (int k = 2; k < s->arg_count; k++) {
        const irl__arg *arg = &s->args[k];
        if (arg->kind != IRL__ARG_NUMBER || arg->number < 0 || arg->number > IRL_MAX_RANK)
            return irl__refuse_at(s, arg->loc, "a separator is the number of an axis");
        separators[k - 2] = (int)arg->number;
    }
    to->separator_count = s->arg_count - 2;
    if (to->separator_count == 1 && separators[0] == 0) to->separator_count = 0;
    to->separators = to->separator_count ? separators : NULL;
    return irl__separators_valid(s->cx, b->rank, to->separator_count, separators, s->step->loc) &&
           irl__copy_fits_image(s, to, s->step->loc) && irl__memory_put(s, b, to);
}
