/* auto_list.c - a list of nests: the statements of a function, or of a loop around several.

   needs     auto.c, which decides one nest; auto_join.c and auto_apart.c
   promises  sums that are said in several statements are one nest, or several, before they are
             decided; what reads a sum cell by cell is computed where the sum is stored
   cost      that of the nests; beyond IRL__AUTO_WORK of them the rest stays as it is */
#include "auto.h"

enum { IRL__AUTO_WORK = 1 << 12 }; /* nests that are looked at, times nests of the function */

/* ------------------------------------------------------------------ sums of two statements */

/* The innermost loop of the last of two statements in the nest, the first being a store: a
   reduction as a person writes it, if anything. NULL: the nest is none such. */
static const irl_stmt *irl__auto_last_of_two(const irl_stmt *s)
{
    const irl_stmt *loop = NULL;
    while (s->kind == IRL__FOR) s = s->u.loop.body;
    if (s->kind != IRL__SEQ || s->u.seq.count != 2 || s->u.seq.stmts[0]->kind != IRL__STORE)
        return NULL;
    for (s = s->u.seq.stmts[1]; s->kind == IRL__FOR; s = s->u.loop.body) loop = s;
    return s->kind == IRL__STORE ? loop : NULL;
}

/* The innermost loop of a nest around one update and nothing else; NULL: it is no such nest. */
static const irl_stmt *irl__auto_update(const irl_stmt *s)
{
    const irl_stmt *loop = NULL;
    irl__update     u;
    for (; s->kind == IRL__FOR; s = s->u.loop.body) loop = s;
    return s->kind == IRL__STORE && irl__store_update(s, &u) ? loop : NULL;
}

/* Statements of the list in which the loop of that id stands. */
static int irl__auto_siblings(const irl_func *f, uint32_t id)
{
    irl__place p;
    int        k;
    if (!irl__place_of(f->body, id, &p)) return 0;
    for (k = p.count - 1; k >= 0 && p.at[k]->kind != IRL__SEQ; k--) {}
    return k < 0 ? 0 : p.at[k]->u.seq.count;
}

/* Is a nest called so? */
static int irl__auto_has_nest(const irl__auto *a, const char *name)
{
    irl_ctx              *cx = a->f->cx;
    irl__name_list        names;
    const irl__arena_mark mark = irl__scratch_begin(cx);
    int                   found = 0;
    if (irl__name_list_of(cx, a->f->body, &names))
        for (int k = 0; k < names.count && !found; k++)
            found = names.list[k].kind == IRL__NAMED_NEST && strcmp(names.list[k].name, name) == 0;
    irl__scratch_end(cx, mark);
    return found;
}

static int irl__auto_compose_as(irl__auto *a, const char *name, const char *nest)
{
    irl__auto_plan p;
    irl__auto_plan_begin(a, &p);
    irl__auto_step(&p, "a store and the loops that update it",
                   "%s = compose_reduction(%s);", name, nest);
    return irl__auto_try(a, &p);
}

/* The nest whose innermost loop that is (NULL: none) becomes a block: of its name, if no other nest
   has that, and no store stays in front (is_begun: there is one), whose nest would have it. */
static int irl__auto_compose(irl__auto *a, const irl_stmt *loop, int is_begun)
{
    const irl__auto before = *a;
    const char     *name = loop ? irl__sched_nest_name(a->f, loop) : NULL;
    if (!name || !irl__auto_compose_as(a, name, name)) return 0;
    const int is_same_count = irl__auto_siblings(a->f, loop->id) ==
                              irl__auto_siblings(before.f, loop->id);
    if (!(is_begun && is_same_count) && !irl__auto_has_nest(a, name)) return 1;
    irl__auto_back(a, &before);
    const char *sum = irl__auto_name(a, name, "sum");
    return sum && irl__auto_compose_as(a, sum, name);
}

/* The nest of that id, a store and loops that update it, becomes a block, if it is one. Loops
   around a store that stayed, and its sum, are loops around each. The id of the sum's nest. */
static uint32_t irl__auto_composed(irl__auto *a, uint32_t id)
{
    const irl_stmt *top = irl__auto_top(a->f, id), *body;
    int             at;
    const irl_stmt *begun = irl__auto_last_of_two(top);
    const irl_stmt *loop = begun ? begun : irl__auto_update(top);
    if (!irl__auto_may(a, top) || !irl__auto_compose(a, loop, begun != NULL)) return id;
    a->deep++; /* what is parted was marked by that step */
    int made = irl__auto_apart(a, id, 0, &at);
    body = irl__auto_body(a);
    if (made == 2) {
        id = body->u.seq.stmts[at + 1]->id;
        irl__auto_nest_do(a, body->u.seq.stmts[at]->id);
    }
    a->deep--;
    return id;
}

/* The innermost loop of a nest that updates what the statement before it stored, among others.
   NULL: the nest is none such. */
static const irl_stmt *irl__auto_begun(const irl__auto *a, const irl_stmt *top)
{
    const irl_stmt *before, *loop = top, *s;
    const int       at = irl__auto_at(a, top);
    if (at < 1) return NULL;
    before = irl__auto_body(a)->u.seq.stmts[at - 1];
    for (s = top; s->kind == IRL__FOR; s = s->u.loop.body) loop = s;
    return before->kind == IRL__STORE && s->kind == IRL__STORE &&
                   s->u.store.buffer == before->u.store.buffer ? loop : NULL;
}

/* Nothing was decided behind steps that alone win nothing: they are gone, and the lines of reasons
   behind them stay. */
static void irl__auto_without(irl__auto *a, const irl__auto *before)
{
    const char *line = a->text.data ? a->text.data + before->text.length : "", *end;
    irl__text   reasons;
    irl__text_init(&reasons, a->cx);
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (strncmp(line + strspn(line, " "), "//", 2) == 0)
            irl__text_append(&reasons, line, (size_t)(end + 1 - line));
    irl__auto_back(a, before);
    if (reasons.length) irl__text_append(&a->text, reasons.data, reasons.length);
}

/* Such a nest is decided as a block; if nothing follows but a reason, a store in front of the loops
   is the better form. 0: it is none, or a failure. */
static int irl__auto_begun_do(irl__auto *a, uint32_t id, int *is_done)
{
    const irl__auto before = *a;
    const irl_stmt *loop = irl__auto_begun(a, irl__auto_top(a->f, id));
    if (!irl__auto_compose(a, loop, 1)) return 0;
    *is_done = irl__auto_nest_do(a, id);
    if (!*is_done) irl__auto_without(a, &before);
    return irl__ok(a->cx);
}

/* ------------------------------------------------------------------ the list */

/* The nests of these statements, by their ids. */
static uint32_t *irl__auto_tops(irl_ctx *cx, const irl_stmt *body, int *count)
{
    const int most = irl__stmt_count(body);
    uint32_t *ids = (uint32_t *)irl__alloc_array(cx, (size_t)most, sizeof *ids);
    for (int k = *count = 0; ids && k < most; k++)
        if (irl__stmt_at(body, k)->kind == IRL__FOR) ids[(*count)++] = irl__stmt_at(body, k)->id;
    return ids;
}

/* Does a row read each cell of that temporary once: is each of its indices a number, or but for one
   a loop of its own? Sets these; -1: a number. */
static int irl__auto_is_cell(const irl__auto_nest *n, const irl__auto_row *row,
                             const char *temporary, int *loops)
{
    const irl__access *a = row->access;
    int                j, count = 0;
    if (row->is_write || !a->buffer || strcmp(a->buffer->name, temporary) != 0 ||
        irl__func_param_of(n->f, a->memory) >= 0)
        return 0;
    for (int k = 0; k < a->rank; k++) {
        loops[k] = -1;
        if (a->indices[k]->op == IRL_OP_INT) continue;
        loops[k] = irl__auto_loop_near(n, a->indices[k]);
        for (j = 0; j < k && loops[j] != loops[k]; j++) {}
        if (loops[k] < 0 || j < k) return 0;
        count++;
    }
    return count == n->loop_count;
}

/* Does the nest write at other loops' indices than it reads that cell, or in another order? */
static int irl__auto_is_turned(const irl__auto_nest *n, const int *loops, int rank)
{
    const irl__access *w = n->rows[n->written].access;
    int                k, at = 0;
    for (k = 0; k < w->rank; k++) {
        if (w->indices[k]->op == IRL_OP_INT) continue;
        while (at < rank && loops[at] < 0) at++;
        if (at == rank || irl__auto_loop_near(n, w->indices[k]) != loops[at++]) return 1;
    }
    while (at < rank && loops[at] < 0) at++;
    return at != rank;
}

/* How the nest behind a sum, which reads it cell by cell, stores what it computes. */
static void irl__auto_tell_end(irl__auto *a, const char *sum, uint32_t id)
{
    irl__arena_mark      mark = irl__scratch_begin(a->cx);
    const irl_stmt      *top = irl__auto_top(a->f, id);
    const irl__auto_row *cell = NULL;
    const char          *why;
    irl__auto_nest       n;
    int                  loops[IRL_MAX_RANK], k, j;
    a->end.sum = NULL;
    if (top && irl__auto_nest_of(&n, a, top, &why) && !n.is_reduction)
        for (k = 0; k < n.row_count && !cell; k++)
            if (irl__auto_is_cell(&n, &n.rows[k], sum, loops)) cell = &n.rows[k];
    if (cell) {
        const irl__auto_row *w = &n.rows[n.written];
        a->end.sum = sum;
        a->end.nest = id;
        a->end.rank = cell->access->rank;
        a->end.is_turned = irl__auto_is_turned(&n, loops, a->end.rank);
        for (k = 0; k < a->end.rank; k++) {
            a->end.extent[k] = 0;
            if ((j = loops[k]) < 0) continue;
            a->end.extent[k] = n.loops[j].extent;
            a->end.step[k] = w->step[j];
            a->end.run[k] = w->run[j];
            a->end.is_even[k] = w->is_even[j];
        }
    }
    irl__scratch_end(a->cx, mark);
}

/* What a nest at the top sums up; NULL: it is no reduction. */
static const char *irl__auto_sum_of(irl__auto *a, uint32_t id)
{
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    const irl_stmt *top = irl__auto_top(a->f, id);
    const char     *why, *name = NULL;
    irl__auto_nest  n;
    if (top && irl__auto_nest_of(&n, a, top, &why) && n.is_reduction)
        name = n.store->u.store.buffer->name;
    irl__scratch_end(a->cx, mark);
    return name;
}

int irl__auto_copied_do(irl__auto *a, uint32_t id, uint32_t next)
{
    const char *sum = irl__auto_sum_of(a, id);
    if (sum) irl__auto_tell_end(a, sum, next);
    a->end.is_turned = 0; /* it is flattened */
    return sum && a->end.sum && irl__auto_nest_do(a, id) && a->end.sum &&
           irl__auto_behind(a, next);
}

/* A step that takes a loop alone. */
static int irl__auto_loop_step(irl__auto *a, const irl_stmt *top, const char *reason,
                               const char *format)
{
    const char    *name = irl__sched_loop_name(a->f, top);
    irl__auto_plan p;
    if (!name) return 0;
    irl__auto_plan_begin(a, &p);
    irl__auto_step(&p, reason, format, name);
    return irl__auto_try(a, &p);
}

/* Lets and conditions in the loops of a nest become part of what it stores. */
static int irl__auto_stores(irl__auto *a, const irl_stmt *top)
{
    return irl__stmt_holds(top, 1u << IRL__LET | 1u << IRL__IF) &&
           irl__auto_loop_step(a, top, "lets and conditions become part of the store",
                               "compose_store(%s);");
}

/* Does all that it computes stand in a condition, in these loops? */
static int irl__auto_is_guarded(const irl_stmt *top)
{
    while (top->kind == IRL__FOR) top = top->u.loop.body;
    return top->kind == IRL__IF && !top->u.branch.else_;
}

/* A nest, and what follows it (0: nothing) if that reads its sums cell by cell. Whether anything
   was decided. */
static int irl__auto_top_do(irl__auto *a, uint32_t id, uint32_t next)
{
    const irl__auto before = *a;
    const uint32_t  nest = id;
    int             is_done = 0, is_tight;
    if (irl__auto_begun_do(a, id, &is_done)) return is_done;
    /* Conditions around what a nest computes become bounds of its loops. */
    const irl_stmt *top = irl__auto_top(a->f, id);
    is_tight =
        irl__auto_may(a, top) && irl__auto_is_guarded(top) &&
        irl__auto_loop_step(a, top, "the condition becomes bounds of the loops", "tighten(%s);");
    id = irl__auto_composed(a, id);
    const char *sum = next ? irl__auto_sum_of(a, id) : NULL;
    if (sum && irl__auto_may(a, irl__auto_top(a->f, next)))
        irl__auto_stores(a, irl__auto_top(a->f, next));
    if (sum) irl__auto_tell_end(a, sum, next);
    a->deep += id != nest;
    is_done = irl__auto_nest_do(a, id);
    a->deep -= id != nest;
    if (a->end.sum && !a->end.is_turned && irl__ok(a->cx)) irl__auto_behind(a, next);
    if ((!is_tight && id == nest) || is_done || !irl__ok(a->cx)) return is_done;
    irl__auto_back(a, &before);
    a->left = before.left;
    return irl__auto_nest_do(a, nest); /* which says why it stays */
}

/* What irl__auto_join made. */
static int irl__auto_joined_do(irl__auto *a, uint32_t id)
{
    irl__auto_stores(a, irl__auto_top(a->f, id));
    a->deep++;
    int is_done = irl__auto_nest_do(a, irl__auto_composed(a, id));
    a->deep--;
    return is_done;
}

static int irl__auto_ids_do(irl__auto *a, const uint32_t *ids, int count);

int irl__auto_aparts_do(irl__auto *a, int at, int made)
{
    const irl_stmt *body = irl__auto_body(a);
    uint32_t       *ids = (uint32_t *)irl__alloc_array(a->cx, (size_t)made, sizeof *ids);
    int             k, count = 0, is_done;
    for (k = at; ids && body->kind == IRL__SEQ && k < at + made; k++)
        if (body->u.seq.stmts[k]->kind == IRL__FOR) ids[count++] = body->u.seq.stmts[k]->id;
    if (!ids) return 0;
    a->deep++;
    is_done = irl__auto_ids_do(a, ids, count);
    a->deep--;
    return is_done;
}

/* One nest of a list as it is, or two that are one. Whether anything was decided. */
static int irl__auto_one_do(irl__auto *a, uint32_t id, uint32_t next)
{
    const irl__auto before = *a;
    uint32_t        joined = next ? irl__auto_join(a, id, next) : 0;
    int             is_composed, is_done = 0, at, made;
    if (joined && irl__auto_joined_do(a, joined)) return 1;
    if (joined) irl__auto_back(a, &before);
    const irl_stmt *top = irl__auto_top(a->f, id);
    is_composed = irl__auto_may(a, top) && irl__auto_stores(a, top);
    top = irl__auto_top(a->f, id);
    made = irl__auto_may(a, top) && !irl__auto_last_of_two(top) ? irl__auto_apart(a, id, 0, &at)
                                                                : 0;
    if (made) is_done = irl__auto_aparts_do(a, at, made);
    if (made && is_done) return 1;
    if (made) irl__auto_back(a, &before);
    if (made) is_composed = irl__auto_stores(a, irl__auto_top(a->f, id));
    is_done = irl__auto_top_do(a, id, next);
    if (!is_done && is_composed) irl__auto_without(a, &before);
    return is_done;
}

/* Does a loop in s have bounds that depend on one of the loops around it in the nest? */
static int irl__auto_is_ragged(const irl_stmt *s, const irl_stmt *top)
{
    if (s->kind == IRL__IF) return irl__auto_is_ragged(s->u.branch.then_, top);
    for (int k = 0; s->kind == IRL__SEQ && k < s->u.seq.count; k++)
        if (irl__auto_is_ragged(s->u.seq.stmts[k], top)) return 1;
    if (s->kind != IRL__FOR) return 0;
    for (; top != s && top->kind == IRL__FOR; top = top->u.loop.body)
        if (irl__expr_uses_var(s->u.loop.min, top->u.loop.var) ||
            irl__expr_uses_var(s->u.loop.extent, top->u.loop.var))
            return 1;
    return irl__auto_is_ragged(s->u.loop.body, top);
}

static int irl__auto_see_power(irl__visitor *v, const irl_expr *e)
{
    *(int *)v->user |= irl__power_of(e, NULL);
    return 1;
}

/* Powers by small whole numbers become products: no compiler makes vectors of pow. */
static void irl__auto_powers(irl__auto *a, const irl_stmt *top)
{
    int          found = 0;
    irl__visitor v = irl__visitor_make(&found, irl__auto_see_power, NULL);
    if (!irl__auto_may(a, top) || irl__auto_is_strict(a->f)) return;
    irl__visit_stmt(&v, top);
    if (found) irl__auto_loop_step(a, top, "attr(numbers) allows it by default",
                                   "expand_powers(%s);");
}

/* The innermost loop around a loop with ragged bounds and something else; NULL: it is none such. */
static const irl_stmt *irl__auto_around_sum(const irl_stmt *s)
{
    while (s->kind == IRL__FOR && s->u.loop.body->kind == IRL__FOR) s = s->u.loop.body;
    return s->kind == IRL__FOR && s->u.loop.body->kind == IRL__SEQ ? s : NULL;
}

/* One nest: where bounds depend on loops, between numbers, if anything is decided of it then. */
static int irl__auto_id_do(irl__auto *a, uint32_t id, uint32_t next)
{
    irl__auto_powers(a, irl__auto_top(a->f, id));
    const irl__auto before = *a;
    const irl_stmt *top = irl__auto_top(a->f, id);
    const int is_ragged = !a->is_inside && irl__auto_may(a, top) && irl__auto_is_ragged(top, top);
    const irl_stmt *sums = is_ragged && !a->target->banks ? irl__auto_around_sum(top) : NULL;
    if (sums && irl__auto_loop_step(a, sums, "each sum continues the one before",
                                    "continue_sum(%s);"))
        return 1;
    if (is_ragged &&
        irl__auto_loop_step(a, top, "bounds that depend on other loops become conditions",
                            "widen(%s);")) {
        if (irl__auto_one_do(a, id, next)) return 1;
        irl__auto_back(a, &before);
        a->left = before.left;
    }
    return irl__auto_one_do(a, id, next);
}

/* Whether anything was decided. */
static int irl__auto_ids_do(irl__auto *a, const uint32_t *ids, int count)
{
    int k, joined, is_done = 0;
    for (k = 0; k < count && !a->has_bits; k++) irl__auto_gather_cells(a, ids[k]);
    for (k = 0; k < count && irl__ok(a->cx); k++) {
        if (a->steps > IRL__AUTO_STEPS || k > IRL__AUTO_WORK / (count + 1)) {
            irl__text_puts(&a->text, "    // the rest is not scheduled: the function is too "
                                     "large\n");
            break;
        }
        const irl_stmt *top = irl__auto_top(a->f, ids[k]), *body = irl__auto_body(a);
        if (!top || (top != body && irl__auto_at(a, top) < 0)) continue; /* in the one before */
        if (a->has_bits) irl__auto_bits_do(a, ids[k]);
        else if (irl__auto_rows_join(a, ids + k, count - k)) is_done = 1;
        else if ((joined = irl__group_rows_join(a, ids + k, count - k)) > 0) {
            is_done = 1;
            k += joined - 1;
        }
        else is_done |= irl__auto_id_do(a, ids[k], k + 1 < count ? ids[k + 1] : 0);
    }
    return is_done;
}

void irl__auto_list_do(irl__auto *a)
{
    int             count;
    const uint32_t *ids = irl__auto_tops(a->cx, irl__auto_body(a), &count);
    if (ids) irl__auto_ids_do(a, ids, count);
}
