/* auto_rows.c - loops around several nests (softmax as one loop over rows): each nest is decided
   separately, then the outer loops.

   needs     auto.c, which decides a nest and lists those of a loop; compute_at, which moves nests
             into the loops of the last one
   promises  loops whose iterations do not meet become work-items, the others stay in order; where
             the last step is refused, everything in the loops is as it was; consecutive nests of
             the same rows (a norm) become one loop over the rows, if all is decided inside of it,
             or a row of all of them is made by one group, with what is between in shared memory
   cost      that of the nests, squared, and one table of accesses for each such loop */
#include "auto.h"

/* The loops from `top` on around several statements. 0: there are no such loops, or no loop in
   them. */
static int irl__auto_around_of(irl__auto *a, const irl_stmt *top, irl__auto_nest *n)
{
    const irl_stmt *loops[IRL__AUTO_LOOPS], *list;
    irl__auto_nest_begin(n, a);
    n->loop_count = irl__auto_around_list(top, loops, &list);
    for (int k = 0; k < n->loop_count; k++) {
        n->last = n->loops[k].stmt = loops[k];
        n->loops[k].is_symbolic = loops[k]->u.loop.extent->op != IRL_OP_INT;
        n->loops[k].extent = n->loops[k].is_symbolic ? 0 : loops[k]->u.loop.extent->u.i;
    }
    return n->loop_count && irl__stmt_holds(list, 1 << IRL__FOR);
}

/* The loops that are bound, those that do not reduce, as steps; 0: one of them has no name. A group
   of its own costs as much as few iterations: of work-items that do little many are one. */
static int irl__auto_around_items(irl__auto *a, irl__auto_nest *n, irl__auto_plan *p)
{
    const int64_t inside = irl__auto_iterations(n->last->u.loop.body, IRL__AUTO_GROUP_LEAST);
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    memset(cuts, 0, sizeof cuts);
    for (int k = 0; k < n->loop_count; k++) {
        const irl_stmt *loop = irl__auto_top(a->f, n->loops[k].stmt->id);
        if (!loop || n->loops[k].is_reduce) continue;
        cuts[k].outer = irl__sched_loop_name(a->f, loop);
        if (!cuts[k].outer) return 0;
        n->name = loop->u.loop.var->u.name;
    }
    irl__auto_plan_begin(a, p);
    irl__auto_items(a, n, p, cuts, inside < IRL__AUTO_GROUP_LEAST ? "global" : "group");
    return 1;
}

/* Loops whose iterations meet are marked as those that reduce; how many others there are, and of
   so many iterations (0: not known). */
static int irl__auto_around_meet(irl__auto *a, irl__auto_nest *n, int64_t *items)
{
    irl__accesses t;
    int           count = 0;
    *items = 1;
    if (!irl__accesses_of(&t, a->f, NULL)) return 0;
    for (int k = 0; k < n->loop_count; k++) {
        const irl_stmt *loop = n->loops[k].stmt;
        n->loops[k].is_reduce =
            irl__loop_carries(&t, irl__loop_of(&t, loop), NULL) != IRL_NO;
        if (n->loops[k].is_reduce) continue;
        count++;
        if (!irl__mul64(*items, n->loops[k].extent, items)) *items = 0;
    }
    return count;
}

/* Are all statements nests of so many iterations that a launch in each iteration of the loop around
   them costs little beside what they compute? */
static int irl__auto_are_launches(irl__auto *a, const irl_stmt *seq)
{
    const char    *why;
    irl__auto_nest n;
    for (int k = 0; k < seq->u.seq.count; k++)
        if (seq->u.seq.stmts[k]->kind != IRL__FOR ||
            !irl__auto_nest_of(&n, a, seq->u.seq.stmts[k], &why) ||
            !irl__auto_has_iterations(&n, IRL__AUTO_LAUNCH))
            return 0;
    return 1;
}

/* Each nest, then the loops around. */
static int irl__auto_rows_inside(irl__auto *a, irl__auto_nest *n, const char **why)
{
    const irl__auto before = *a;
    irl__auto_plan  p;
    int64_t         items;
    int             count = 0, is_bound = 0;
    a->deep++;
    a->around = n->last->id;
    if (!a->is_inside) {
        count = irl__auto_around_meet(a, n, &items);
        a->is_inside = (items == 0 || items >= IRL__AUTO_LEAST) && count > 0;
        a->is_inside |= !irl__auto_are_launches(a, n->last->u.loop.body);
        is_bound = a->is_inside && count > 0;
    }
    irl__auto_list_do(a);
    a->deep = before.deep;
    a->around = before.around;
    a->is_inside = before.is_inside;
    *why = "nothing inside it can be improved";
    if (!irl__ok(a->cx) || a->steps == before.steps) return 0;
    if (is_bound && (!irl__auto_around_items(a, n, &p) || !irl__auto_try(a, &p))) {
        *why = a->why;
        const int64_t left = a->left;
        irl__auto_back(a, &before);
        a->left = left;
        return 0;
    }
    for (int k = 0; k < n->loop_count && !before.is_inside; k++)
        if (n->loops[k].is_reduce || !is_bound)
            irl__auto_leave(a, n->loops[k].stmt->u.loop.var->u.name,
                            n->loops[k].is_reduce ? "iterations access cells that others write"
                                                  : "each nest inside becomes a separate launch");
    return 1;
}

/* Each nest for all rows, if fewer iterations stay as they are then; else all is as *inside has it,
   with the text behind *before. Whether the nests are apart. */
static int irl__auto_rows_apart(irl__auto *a, uint32_t id, const irl__auto *before,
                                const irl__auto *inside)
{
    const size_t length = inside->text.length - before->text.length;
    const char  *text = (const char *)irl__copy(a->cx, inside->text.data + before->text.length,
                                                length, 1);
    int at;
    if (!text) return 0;
    irl__auto_back(a, before);
    a->left = 0;
    irl__auto_compose_inside(a, id);
    int made = irl__auto_apart(a, id, 1, &at);
    if (made && irl__auto_aparts_do(a, at, made) && a->left < inside->left) return 1;
    irl__auto_back(a, before);
    irl__text_append(&a->text, text, length);
    a->f = inside->f;
    a->steps = inside->steps;
    a->left = inside->left;
    return 0;
}

/* ------------------------------------------------------------------ lanes around */

int irl__auto_walks(irl__auto *a, irl__accesses *t, const irl__access *at, const irl_expr *var)
{
    for (int j = 0; j < at->rank && at->buffer; j++) {
        const irl_expr *index = irl__accesses_plain(t, at->indices[j]);
        if (!index || !irl__expr_uses_var(index, var)) continue;
        if (at->lanes != 1) return -1; /* the lanes are an access's own */
        index = irl__simplify_alone(a->cx, irl__sub(a->cx, index, var));
        if (j + 1 < at->rank || at->buffer->strides || at->buffer->bits || !index ||
            irl__expr_uses_var(index, var))
            return -1;
        for (int i = 0; i < a->f->layout_count; i++)
            if (strcmp(a->f->layouts[i].buffer, at->buffer->name) == 0) return -1;
        return 1;
    }
    return 0;
}

/* The lanes of vectors along the loop, if everything in it that depends on it is contiguous along
   it, and is laid out as the text says; 0: it is not. */
static int64_t irl__around_lanes(irl__auto *a, const irl_stmt *loop)
{
    const irl_expr *var = loop->u.loop.var, *extent = loop->u.loop.extent;
    int64_t         lanes = IRL_MAX_LANES;
    irl__accesses   t;
    int             walks = 0;
    if (extent->op != IRL_OP_INT ||
        irl__stmt_any(loop->u.loop.body, irl__auto_is_of_data, NULL, var) ||
        !irl__accesses_of(&t, a->f, loop))
        return 0;
    for (int k = 0; k < t.count; k++) {
        const irl__access *at = &t.list[k];
        const int step = irl__auto_walks(a, &t, at, var);
        if (step < 0) return 0;
        if (step == 0) continue;
        const int64_t most =
            a->target->vector_bytes / (int64_t)irl__type_bytes(at->buffer->type);
        if (lanes > most) lanes = most;
        walks = 1;
    }
    while (lanes > 1 &&
           (lanes > extent->u.i || !irl__target_has_width(a->target, (uint32_t)lanes)))
        lanes /= 2;
    return walks && lanes >= IRL__AUTO_WORTH ? lanes : 0;
}

/* The loops around, the l-th of which is cut into vectors of so many lanes (0: it is not), as
   work-items around vectors. */
static int irl__around_items(irl__auto *a, const irl__auto_nest *n, int l, int64_t lanes)
{
    const char    *name[3], *lane = NULL;
    irl__auto_plan p;
    int            count = 0, any = 0;
    irl__auto_plan_begin(a, &p);
    for (int k = 0; k < n->loop_count; k++) {
        const irl_stmt *loop = n->loops[k].stmt;
        if (!(name[count] = irl__sched_loop_name(a->f, loop))) return 0;
        if (k != l || !lanes) count++;
        else if (loop->u.loop.extent->u.i == lanes) lane = name[count];
        else {
            irl__auto_split_at(a, &p, loop->u.loop.var->u.name, name[count], lanes, "ov",
                               &name[count], &lane, "");
            count++;
        }
    }
    for (int k = 0; k < count && lane; k++) irl__auto_put(&p, &any, name[k]);
    irl__auto_put(&p, &any, any ? lane : NULL);
    if (any) irl__auto_put_end(&p, "");
    if (lane)
        irl__auto_step(&p, "the cells of a vector are computed at once", "vectorize(%s);", lane);
    irl__auto_bind(&p, name, count, "group", "independent iterations become work-items");
    return irl__auto_try(a, &p);
}

/* Loops around several statements in which no nest is decided: one of the loops is computed in
   vectors. The iterations that whole vectors leave over become a second nest. */
static int irl__around_do(irl__auto *a, const irl_stmt *top)
{
    irl__auto_nest n;
    irl__auto_plan p;
    int64_t        lanes = 0;
    int            l, any = 0;
    if (!top || !irl__auto_around_of(a, top, &n) || n.loop_count > 3) return 0;
    for (l = n.loop_count; l > 0 && !lanes;) lanes = irl__around_lanes(a, n.loops[--l].stmt);
    const irl_expr *extent = n.loops[l].stmt->u.loop.extent;
    if (!lanes || extent->u.i % lanes == 0) return irl__around_items(a, &n, l, lanes);
    const char *name, *parts[2];
    irl__auto_plan_begin(a, &p);
    for (int k = 0; k < n.loop_count && l > 0; k++) /* the loop first, then the others */
        irl__auto_put(&p, &any, irl__sched_loop_name(a->f,
                                                     n.loops[k == 0 ? l : k - (k <= l)].stmt));
    if (any) irl__auto_put_end(&p, "");
    name = irl__sched_loop_name(a->f, n.loops[l].stmt);
    if (!name) return 0;
    irl__auto_cut_off(a, &p, n.loops[l].stmt->u.loop.var->u.name, name, parts,
                      extent->u.i / lanes * lanes, 0, "whole vectors, then the remainder");
    if (!irl__auto_try(a, &p)) return 0;
    return irl__around_do(a, irl__auto_loop_named(a, parts[0])) &&
           irl__around_do(a, irl__auto_loop_named(a, parts[1]));
}

int irl__auto_rows_do(irl__auto *a, uint32_t id, const char **why)
{
    const irl__auto before = *a;
    const irl_stmt *top = irl__auto_top(a->f, id);
    irl__auto_nest  n;
    int             is_done = 0;
    if (a->deep >= IRL__AUTO_DEEP || !irl__auto_around_of(a, top, &n)) return 0;
    const int64_t unknown = INT64_MAX / 2, all = irl__auto_iterations(top, unknown);
    a->left = 0;
    if (!a->target->banks) is_done = irl__auto_rows_inside(a, &n, why);
    else {
        *why = "it has several statements; each iteration would need a whole group";
        a->left = all;
    }
    irl__auto inside = *a;
    if (irl__ok(a->cx) && a->left >= IRL__AUTO_KERNELS &&
        (all == unknown || a->left >= all / IRL__AUTO_WORTH))
        is_done |= irl__auto_rows_apart(a, id, &before, &inside);
    if (!is_done && irl__ok(a->cx) && !before.is_inside && !a->target->subgroup &&
        irl__around_lanes(a, n.last) && all >= IRL__AUTO_KERNELS) {
        const irl__auto without = *a;
        if (irl__around_do(a, irl__auto_top(a->f, id))) {
            a->left = before.left;
            return 1;
        }
        irl__auto_back(a, &without);
    }
    irl__auto_left_add(a, before.left);
    return is_done;
}

/* ------------------------------------------------------------------ nests that share rows */

enum { IRL__JOINT_SEEN = 4 * IRL__AUTO_ROWS };

/* Consecutive nests that walk through the same rows of memory, the first of which sums up each row,
   and the text of the steps that make them one. */
typedef struct irl__joint {
    int            rows;      /* loops that count them */
    irl__auto_loop loop[IRL__AUTO_LOOPS];
    const void    *operand;   /* the memory that the first nest sums up */
    int            seen_count;
    const void    *seen[IRL__JOINT_SEEN]; /* memory, and its step in each of these loops */
    int64_t        step[IRL__JOINT_SEEN][IRL__AUTO_LOOPS];
    irl__auto_plan order; /* steps that put the rows' loops outermost */
    irl__text      merge[IRL__AUTO_LOOPS];
} irl__joint;

/* Does row `row` of a sum's accesses read each element once, at another place in each iteration? */
static int irl__joint_is_operand(const irl__auto_nest *n, int row)
{
    return irl__auto_reduce_of(n, &n->rows[row]) >= 0 && !irl__auto_is_own(n, row) &&
           !n->rows[row].is_guarded && irl__auto_reuse(n, &n->rows[row]) == 1;
}

/* The loops of the first nest's results count the rows. 0: there are too few, or memory is
   contiguous along one of them. */
static int irl__joint_begin(irl__joint *q, irl__auto *a, const irl__auto_nest *n)
{
    int64_t items = 1;
    int     row, k;
    for (row = 0; row < n->row_count && !irl__joint_is_operand(n, row); row++) {}
    if (!n->is_free || row == n->row_count) return 0;
    q->operand = n->rows[row].access->memory;
    for (k = q->rows = q->seen_count = 0; k < n->loop_count && !n->loops[k].is_reduce; k++) {
        if (n->rows[row].step[k] == 1 || !irl__mul64(items, n->loops[k].extent, &items)) return 0;
        irl__text_init(&q->merge[k], n->cx);
        q->loop[q->rows++] = n->loops[k];
    }
    irl__auto_plan_begin(a, &q->order);
    return items >= IRL__AUTO_LEAST && irl__auto_extents(n, 0) == items;
}

/* A loop of a nest that counts the same rows as a loop of the first: all of it, or, for `each` > 1,
   groups of so many iterations, and as its steps are to name it. */
typedef struct irl__joint_part {
    int         loop;
    int64_t     each;
    const char *outer, *inner;
} irl__joint_part;

/* Does loop j of a nest, `each` iterations at a time, count what row loop `to` does? */
static int irl__joint_counts(const irl__auto_nest *n, int j, int64_t each,
                             const irl__auto_loop *to)
{
    const irl__auto_loop *by = &n->loops[j];
    int64_t               extent;
    if (by->is_reduce || by->stmt->u.loop.min != to->stmt->u.loop.min) return 0;
    if (each == 1) return by->stmt->u.loop.extent == to->stmt->u.loop.extent;
    return irl__is_int(by->stmt->u.loop.min, 0) && !by->is_symbolic && !to->is_symbolic &&
           irl__mul64(to->extent, each, &extent) && by->extent == extent;
}

/* The loop that counts row loop k: an access goes with `each` iterations of it as one that was seen
   goes with loop k. 0: there is none. */
static int irl__joint_find(const irl__joint *q, const irl__auto_nest *n, int k,
                           irl__joint_part *part)
{
    for (int at = 0; at < n->row_count * q->seen_count; at++) {
        const irl__auto_row *row = &n->rows[at / q->seen_count];
        const int64_t        step = q->step[at % q->seen_count][k];
        for (int j = 0; q->seen[at % q->seen_count] == row->access->memory && j < n->loop_count;
             j++) {
            part->loop = j;
            part->each = row->step[j] > 0 && step % row->step[j] == 0 ? step / row->step[j] : 0;
            if (part->each > 0 && irl__joint_counts(n, j, part->each, &q->loop[k])) return 1;
        }
    }
    return 0;
}

/* The loops over the rows become the outermost of one more nest. */
static void irl__joint_order(irl__joint *q, irl__auto *a, const irl__auto_nest *n,
                             irl__joint_part *part)
{
    int k, is_there = 1, any = 0;
    for (k = 0; k < q->rows; k++) {
        const char *name = n->loops[part[k].loop].name;
        part[k].outer = irl__auto_member(n, part[k].loop);
        part[k].inner = NULL;
        is_there &= part[k].loop == k && part[k].each == 1;
        if (part[k].each > 1)
            irl__auto_split_at(a, &q->order, name, part[k].outer, part[k].each, "oi",
                               &part[k].outer, &part[k].inner, "");
    }
    for (k = 0; k < q->rows && !is_there; k++) irl__auto_put(&q->order, &any, part[k].outer);
    for (int j = 0; j < n->loop_count && !is_there; j++) {
        for (k = 0; k < q->rows && part[k].loop != j; k++) {}
        irl__auto_put(&q->order, &any, k < q->rows ? part[k].inner : irl__auto_member(n, j));
    }
    if (!is_there) irl__auto_put_end(&q->order, "");
}

/* One more nest; *reads: it reads the first one's operand. 0: it does not walk through the rows, or
   sums up what is read again for each of them. */
static int irl__joint_add(irl__joint *q, irl__auto *a, const irl__auto_nest *n, int *reads)
{
    irl__joint_part part[IRL__AUTO_LOOPS];
    int             k, j;
    for (k = *reads = 0; k < n->row_count; k++) {
        if (irl__auto_reduce_of(n, &n->rows[k]) >= 0 && !irl__joint_is_operand(n, k)) return 0;
        *reads |= q->operand == n->rows[k].access->memory;
    }
    for (k = 0; k < q->rows; k++) {
        part[k].loop = k;
        part[k].each = 1;
        if (q->seen_count && !irl__joint_find(q, n, k, &part[k])) return 0;
        for (j = 0; j < k && part[j].loop != part[k].loop; j++) {}
        if (j < k) return 0;
    }
    irl__joint_order(q, a, n, part);
    for (k = 0; k < q->rows; k++)
        irl__textf(&q->merge[k], "%s%s", q->seen_count ? ", " : "merge(", part[k].outer);
    for (j = 0; j < n->row_count && q->seen_count < IRL__JOINT_SEEN; j++, q->seen_count++) {
        q->seen[q->seen_count] = n->rows[j].access->memory;
        for (k = 0; k < q->rows; k++) {
            int64_t *step = &q->step[q->seen_count][k];
            *step = n->rows[j].step[part[k].loop];
            if (*step == IRL__AUTO_FAR || !irl__mul64(*step, part[k].each, step)) *step = 0;
        }
    }
    return 1;
}

/* The steps that join nests, from the first of the list on to the last one that reads the first
   one's operand again. 0: there is none such. */
static int irl__joint_steps(irl__auto *a, const uint32_t *ids, int count, irl__auto_plan *p)
{
    irl__auto_nest n;
    irl__joint     q;
    int            k, reads;
    for (k = 0; k < count && k < IRL__AUTO_LOOPS; k++) {
        if (!irl__auto_may(a, irl__auto_top(a->f, ids[k])) || !irl__auto_nest_at(&n, a, ids[k]) ||
            (k == 0 && !irl__joint_begin(&q, a, &n)) || !irl__joint_add(&q, a, &n, &reads))
            break;
        if (k == 0 || !reads) continue;
        irl__auto_plan_begin(a, p);
        irl__text_puts(&p->text, irl__text_or_empty(irl__text_done(&q.order.text)));
        for (int j = 0; j < q.rows; j++)
            irl__auto_step(p, j ? "" : "a row is read again while it is in the cache", "%s);",
                           irl__text_or_empty(irl__text_done(&q.merge[j])));
    }
    return k > 1 && p->steps > 0;
}

int irl__auto_rows_join(irl__auto *a, const uint32_t *ids, int count)
{
    const irl__auto before = *a;
    const irl_stmt *s = irl__auto_top(a->f, ids[0]);
    const char     *why;
    irl__auto_plan  p;
    irl__auto_nest  n;
    while (s && s->kind == IRL__FOR) s = s->u.loop.body;
    if (!s || s->kind != IRL__BLOCK || count < 2 || a->is_inside || a->target->banks ||
        a->target->image_tensors)
        return 0;
    const char     *name = s->u.block->name;
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    irl__auto_plan_begin(a, &p);
    int is_done = irl__joint_steps(a, ids, count, &p) && irl__auto_try(a, &p);
    irl__scratch_end(a->cx, mark);
    if (!is_done) return 0;
    const irl_stmt *top = irl__auto_top(a->f, irl__auto_nest_named(a, name));
    /* as in irl__auto_rows_do, a little may stay as it is */
    const int64_t all = top ? irl__auto_iterations(top, INT64_MAX / 2) : 0;
    if (top && irl__auto_around_of(a, top, &n) && irl__auto_rows_inside(a, &n, &why) &&
        a->left - before.left <= all / IRL__AUTO_WORTH)
        return 1;
    return irl__auto_back(a, &before);
}

/* ------------------------------------------------------------------ launches */

/* Are the bound loops of two kernels the same, and does the other one store to memory that the
   first stores to? So parts of a loop that was cut do. */
static int irl__launch_is_part(const irl__accesses *t, const irl_stmt *first,
                               const irl_stmt *other)
{
    const irl_stmt *one = first, *part = other;
    for (; one->kind == IRL__FOR && one->u.loop.kind == IRL_BOUND; one = one->u.loop.body) {
        if (part->kind != IRL__FOR || part->u.loop.kind != IRL_BOUND ||
            one->u.loop.min != part->u.loop.min || one->u.loop.extent != part->u.loop.extent ||
            one->u.loop.axis != part->u.loop.axis)
            return 0;
        part = part->u.loop.body;
    }
    if (irl__stmt_holds(one, IRL__HOLDS_BOUND) || irl__stmt_holds(part, IRL__HOLDS_BOUND)) return 0;
    for (int k = 0; k < t->count; k++)
        if (irl__access_writes(&t->list[k]) && t->list[k].buffer &&
            t->list[k].buffer->scope == IRL_SCOPE_GLOBAL &&
            irl__stmt_stores(other, t->list[k].buffer->data))
            return 1;
    return 0;
}

/* The statements from number `at` on, up to `most`, that are parts of one nest, and kernels of the
   same work-items, though not yet in the function as it came: their names. How many. */
static int irl__launches_of(const irl__auto *a, const irl_func *given, int at, int most,
                            irl__text *names)
{
    const irl_stmt *body = irl__auto_body(a), *first = NULL, *old;
    irl__accesses   t;
    int             count = 0;
    for (; at < irl__stmt_count(body) && count < most; at++) {
        const irl_stmt *s = irl__stmt_at(body, at);
        if (s->kind == IRL__ALLOC && first) continue;
        if (s->kind != IRL__FOR || s->u.loop.kind != IRL_BOUND ||
            (!first && !irl__accesses_of(&t, a->f, s)) ||
            !irl__launch_is_part(&t, first ? first : s, s) ||
            ((old = irl__auto_top(given, s->id)) != NULL && old->kind == IRL__FOR &&
             old->u.loop.kind == IRL_BOUND))
            break;
        if (!first) first = s;
        irl__textf(names, "%s%s", count++ ? ", " : "",
                   irl__text_or_empty(irl__sched_loop_name(a->f, s)));
    }
    return count;
}

void irl__auto_launches_do(irl__auto *a, const irl_func *given)
{
    irl__text names;
    if (a->target->subgroup || a->target->serial) return;
    for (int k = 0, most = IRL__AUTO_LOOPS; k < irl__stmt_count(irl__auto_body(a)) &&
                                            irl__ok(a->cx);) {
        irl__arena_mark mark = irl__scratch_begin(a->cx);
        irl__text_init(&names, a->cx);
        const int count = irl__launches_of(a, given, k, most, &names);
        const int is_done = count > 1 &&
                            irl__auto_do(a, "a work-item computes all parts of a row", "merge(%s);",
                                         irl__text_or_empty(irl__text_done(&names)));
        irl__scratch_end(a->cx, mark);
        if (is_done) continue;
        k += count <= 2;
        most = count > 2 ? 2 : IRL__AUTO_LOOPS; /* if not all of them, then two */
    }
}

/* -------------------------------------------------------------- rows of several nests as groups */

/* Nests of the list: of each its name, and whether a parameter holds its result. */
typedef struct irl__group_rows {
    int         rows, count;              /* loops of rows; nests */
    int64_t     extent[3], along, groups; /* of those loops; of the one along a row; rows in all */
    int64_t     bytes;                    /* of what is between nests */
    const char *name[IRL__AUTO_LOOPS], *loop[IRL__AUTO_LOOPS]; /* that along a row, NULL: none */
    const char *row[3];                                        /* the loops of the last nest */
    int         is_kept[IRL__AUTO_LOOPS], may_contract[IRL__AUTO_LOOPS];
} irl__group_rows;

/* Neighbours along a row are neighbours in memory, or the same element. */
static int irl__rows_is_along(const irl__auto_nest *n, int loop)
{
    for (int k = 0; k < n->row_count; k++)
        if (n->rows[k].step[loop] != 0 && n->rows[k].step[loop] != 1) return 0;
    return 1;
}

/* One more nest, if it goes over the rows of those before it. */
static int irl__rows_add(irl__auto *a, const irl__auto_nest *n, irl__group_rows *q)
{
    const irl_buffer *b = n->store->u.store.buffer;
    const int         at = q->count, last = n->loop_count - 1;
    if (at == 0) {
        q->rows = last;
        q->groups = 1;
        if (!n->is_reduction || last < 1 || last > 3) return 0;
        for (int k = 0; k < last; k++) {
            q->extent[k] = n->loops[k].extent;
            if (!irl__mul64(q->groups, q->extent[k], &q->groups)) return 0;
        }
        q->along = n->loops[last].extent;
        if (2 * q->groups < n->target->units || q->along < n->target->subgroup) return 0;
    }
    if (at == IRL__AUTO_LOOPS || n->is_inside || (n->is_reduction && !n->is_free) ||
        n->is_conditional ||
        (last != q->rows && (last != q->rows - 1 || n->is_reduction)))
        return 0;
    for (int k = 0; k <= last; k++)
        if (n->loops[k].is_reduce != (n->is_reduction && k == q->rows) ||
            n->loops[k].extent != (k < q->rows ? q->extent[k] : q->along))
            return 0;
    if (last == q->rows && !irl__rows_is_along(n, last)) return 0;
    q->name[at] = n->name;
    q->loop[at] = last == q->rows ? irl__auto_member(n, last) : NULL;
    for (int k = 0; k < q->rows; k++) q->row[k] = irl__auto_member(n, k);
    q->is_kept[at] = irl__func_param_of(a->f, b->data) >= 0;
    q->may_contract[at] = n->is_reduction && irl__auto_may_contract(n, 0);
    if (!q->is_kept[at])
        q->bytes += (n->is_reduction ? n->target->group_items : last == q->rows ? q->along : 0) *
                    (int64_t)irl__type_bytes(b->type);
    q->count++;
    return irl__ok(a->cx);
}

/* The nests as one over the rows, as steps. */
static void irl__rows_write(irl__auto *a, irl__auto_plan *p, const irl__group_rows *q)
{
    const char *item[IRL__AUTO_LOOPS], *outer;
    int64_t     items = a->target->group_items;
    const int   last = q->count - 1;
    while (items > q->along) items /= 2;
    for (int k = 0; k < last; k++)
        if (!q->loop[k])
            irl__auto_step(p, "", "compute_inline(%s);", q->name[k]);
    for (int k = last; k-- > 0;)
        if (q->loop[k])
            irl__auto_step(p, k == last - 1 ? "a group computes a row, which is read again" : "",
                           "compute_at(%s, %s);", q->name[k], q->row[q->rows - 1]);
    for (int k = 0; k <= last; k++) {
        if (!q->loop[k]) continue;
        if (q->may_contract[k]) irl__auto_step(p, "attr(numbers) allows it by default",
                                               "contract(%s);", q->name[k]);
        irl__auto_split_at(a, p, q->name[k],
                           k == last ? q->loop[k]
                                     : irl__reason(a->cx, "%s.ax%d", q->name[k], q->rows),
                           items, "ol", &outer, &item[k], "");
        irl__auto_step(p, "", "reorder(%s, %s);", item[k], outer);
        if (k < last && !q->is_kept[k])
            irl__auto_step(p, "", "set_scope(%s, 0, shared);", q->name[k]);
    }
    irl__auto_bind(p, q->row, q->rows, "group", "");
    irl__textf(&p->text, "    bind(%s, local.x", item[last]);
    for (int k = 0; k < last; k++)
        if (q->loop[k]) irl__textf(&p->text, ", %s", item[k]);
    irl__auto_put_end(p, "neighbours in a subgroup access neighbouring memory");
}

int irl__group_rows_join(irl__auto *a, const uint32_t *ids, int count)
{
    const irl__auto before = *a;
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    int             joined = 0;
    for (int most = a->target->subgroup ? count : 0; most > 1 && !joined; most--) {
        irl__group_rows q;
        irl__auto_plan p;
        memset(&q, 0, sizeof q);
        for (int k = 0; k < most; k++) {
            irl__auto_nest n;
            irl__auto_compose_begun(a, ids[k]);
            if (!irl__auto_may(a, irl__auto_top(a->f, ids[k])) ||
                !irl__auto_nest_at(&n, a, ids[k]) || !irl__rows_add(a, &n, &q))
                break;
        }
        most = q.count;
        if (most < 2 || !q.loop[most - 1] ||
            q.bytes > a->target->local_bytes / 8 * 7)
            continue;
        irl__auto_plan_begin(a, &p);
        irl__rows_write(a, &p, &q);
        if (irl__auto_try(a, &p)) joined = most;
    }
    irl__scratch_end(a->cx, mark);
    if (!joined && a->f != before.f) irl__auto_back(a, &before);
    return joined;
}
