/* loops.c - the primitives that split, join and mark loops.

   needs     place.c, frame.c, cut.c
   promises  every iteration runs once, in the order of the function before, unless a primitive says
             otherwise */
#include "schedule.h"

/* Only loops that run one after the other, or in any order, are cut and joined. */
static int irl__loop_may_be_cut(irl__sched *s, const irl__arg *arg, const irl_stmt *loop)
{
    const irl_for_kind kind = loop->u.loop.kind;
    if (kind == IRL_BOUND)
        return irl__refuse_at(s, arg->loc, "the loop '%L' is bound to %s: %H", loop,
                              irl_axis_text(loop->u.loop.axis), "bind it afterwards");
    if (kind == IRL_VECTORIZED)
        return irl__refuse_at(s, arg->loc, "the loop '%L' is vectorized: %H", loop, "vectorize it "
                              "afterwards");
    return irl__sched_bounds_are_named(s, arg->loc, loop);
}

int irl__loop_is_free(irl__sched *s, irl_loc where, const irl_stmt *loop, const irl_expr *var)
{
    return !irl__stmt_bounds_use(loop, var) || irl__refuse_at(s, where, "the bounds of '%L' depend "
                                                              "on '%s'", loop, var->u.name);
}

/* ------------------------------------------------------------------ conditions of iterations */

/* May the condition move inwards to the blocks and stores? Not where it would be computed behind
   something that it guards: a let, or bounds that are no numbers. */
static int irl__loop_guard_sinks(const irl_stmt *s)
{
    for (; s->kind == IRL__FOR; s = s->u.loop.body)
        if (s->u.loop.extent->op != IRL_OP_INT || s->u.loop.min->op != IRL_OP_INT) return 0;
    if (s->kind != IRL__SEQ) return s->kind == IRL__BLOCK || s->kind == IRL__STORE;
    for (int k = 0; k < s->u.seq.count; k++)
        if (!irl__loop_guard_sinks(s->u.seq.stmts[k])) return 0;
    return s->u.seq.count > 0;
}

/* Iterations that the loop did not have get a condition: blocks their `where`, other statements an
   if. */
static const irl_stmt *irl__loop_guard(irl_ctx *cx, const irl_stmt *s, const irl_expr *condition)
{
    if (s->kind == IRL__STORE || !irl__loop_guard_sinks(s))
        return irl_stmt_if(cx, condition, s, NULL);
    if (s->kind == IRL__BLOCK)
        return irl__block_with(cx, s, irl__and(cx, condition, s->u.block->predicate),
                               s->u.block->body);
    if (s->kind == IRL__SEQ) {
        const irl_stmt **list = IRL__COPY(cx, const irl_stmt *, s->u.seq.stmts, s->u.seq.count);
        for (int k = 0; list && k < s->u.seq.count; k++) {
            list[k] = irl__loop_guard(cx, list[k], condition);
            if (!list[k]) return NULL;
        }
        return list ? irl__stmt_seq(cx, s->u.seq.count, list) : NULL;
    }
    return irl__stmt_loop_of(cx, s, irl__loop_guard(cx, s->u.loop.body, condition));
}

/* ------------------------------------------------------------------ split

   requires  a loop that is neither bound nor vectorized; factors above 0, one of which may be `_`
   does      i becomes (i0*f1 + i1)*f2 + ...: the first loop outermost, the factor that is not given
             (the first, if none is `_`) the least that covers the extent; where the factors do not
             divide it, blocks get a `where` and other statements a condition
   refuses   another factor; more than 16 loops; extents beyond 63 bits; loops that would run more
             than 2^31 - 1 iterations, most of them none of the loop's */

static int irl__loop_split_read(irl__sched *s, irl__loop_cut *c)
{
    int given = 0;
    memset(c, 0, sizeof *c);
    c->open = -1;
    c->product = 1;
    for (int k = 1; k < s->arg_count; k++) given += s->args[k].kind == IRL__ARG_NUMBER;
    if (given == s->arg_count - 1) c->factor[c->open = c->count++] = 0;
    if (c->count + s->arg_count - 1 > IRL__LOOP_CUT_MOST)
        return irl__refuse(s, "a loop is split into at most %d", IRL__LOOP_CUT_MOST);
    for (int k = 1; k < s->arg_count; k++) {
        const irl__arg *arg = &s->args[k];
        if (arg->kind != IRL__ARG_NUMBER) {
            if (c->open >= 0)
                return irl__refuse_at(s, arg->loc, "one factor may be left out, not two");
            c->factor[c->open = c->count++] = 0;
            continue;
        }
        if (arg->number <= 0)
            return irl__refuse_at(s, arg->loc, "a factor must be above 0; found %l", arg->number);
        if (!irl__mul64(c->product, arg->number, &c->product))
            return irl__refuse_at(s, arg->loc, "the factors' product is beyond 63 bits");
        c->factor[c->count++] = arg->number;
    }
    return 1;
}

/* What factors add to a short loop is guarded, but counted through: a factor that was meant for
   another loop, or miscounted, would never end. Of an extent that is no number only the factors are
   known. */
static int irl__loop_split_ends(irl__sched *s, const irl__loop_cut *c, const irl_expr *extent)
{
    const int64_t   n = extent->op == IRL_OP_INT && extent->u.i > 0 ? extent->u.i : 0;
    const int64_t   most = n > INT32_MAX / 2 ? n <= INT64_MAX / 2 ? 2 * n : INT64_MAX : INT32_MAX;
    const irl_expr *rest = c->extent[c->open];
    int64_t         runs;
    if (!irl__mul64(c->product, rest->op == IRL_OP_INT ? rest->u.i : 1, &runs)) runs = INT64_MAX;
    return runs <= most || irl__refuse(s, "the loops would run %l iterations; expected at most "
                                       "%l%s", runs, most,
                                       n ? "" : ", because the extent is not a number");
}

int irl__do_split(irl__sched *s)
{
    irl__loop_cut c;
    if (!irl__loop_split_read(s, &c)) return 0;
    const irl_stmt *loop = irl__place_last(&s->p);
    if (!irl__loop_may_be_cut(s, &s->args[0], loop)) return 0;
    for (int k = 0; k < c.count; k++) {
        const irl_expr *var = loop->u.loop.var;
        c.var[k] = irl__sched_var(s, k, c.count == 2
                                                  ? irl__loop_cut_name(s->cx, var,
                                                                       k ? "inner" : "outer")
                                                  : irl__format(s->cx, "%s_%d", var->u.name, k));
        c.extent[k] = k == c.open ? irl__loop_cut_rest(s->cx, &c, loop->u.loop.extent)
                                  : irl_expr_index(s->cx, c.factor[k]);
        if (!c.var[k] || !c.extent[k]) return 0;
    }
    if (!irl__loop_split_ends(s, &c, loop->u.loop.extent)) return 0;
    const irl_expr *from = loop->u.loop.var;
    const irl_expr *value = irl__loop_cut_value(s->cx, &c);
    const irl_stmt *body = loop->u.loop.body;
    if (!c.is_exact)
        body = irl__loop_guard(s->cx, body,
                               irl_expr_op2(s->cx, IRL_OP_LT, value, loop->u.loop.extent));
    if (!irl__is_int(loop->u.loop.min, 0)) value = irl__add(s->cx, loop->u.loop.min, value);
    body = body && value ? irl__substitute_stmt(s->cx, body, 1, &from, &value) : NULL;
    for (int k = c.count; k-- > 0;) {
        body = irl__stmt_loop_new(s->cx, loop, k == 0, c.var[k], irl_expr_index(s->cx, 0),
                                  c.extent[k], body);
        if (!irl__sched_result(s, k, body)) return 0;
    }
    return irl__sched_put(s, body);
}

/* ------------------------------------------------------------------ fuse

   requires  loops, each of which holds the next and nothing else, of one kind, neither bound nor
             vectorized; no extent depends on the variable of another one
   does      one loop over the product of the extents: i = f / (Ej * Ek), j = f / Ek % Ej, ...
   refuses   what is not nested so; a product beyond 63 bits */

typedef struct irl__loop_fuse_nest {
    int             count;
    const irl_stmt *loops[IRL_MAX_RANK];
    const irl_expr *vars[IRL_MAX_RANK], *extents[IRL_MAX_RANK], *values[IRL_MAX_RANK];
} irl__loop_fuse_nest;

const irl_expr *irl__extent_from_zero(irl_ctx *cx, const irl_expr *extent)
{
    const irl_expr *least = irl_expr_index(cx, 0);
    if (extent->op == IRL_OP_INT) return extent->u.i < 0 ? least : extent;
    return irl_expr_op2(cx, IRL_OP_MAX, extent, least);
}

static int irl__loop_fuse_read(irl__sched *s, irl__loop_fuse_nest *n)
{
    irl__place p;
    if (s->arg_count > IRL_MAX_RANK)
        return irl__refuse(s, "fuse joins at most %d loops; found %d", IRL_MAX_RANK, s->arg_count);
    n->count = s->arg_count;
    for (int k = 0; k < n->count; k++) {
        const irl__arg *arg = &s->args[k];
        if (!irl__sched_loop(s, arg, &p)) return 0;
        const irl_stmt *loop = n->loops[k] = irl__place_last(&p);
        if (!irl__loop_may_be_cut(s, arg, loop)) return 0;
        if (k && n->loops[k - 1]->u.loop.body != loop) {
            char outer[80], inner[80];
            irl__arg_said(arg - 1, outer, sizeof outer);
            irl__arg_said(arg, inner, sizeof inner);
            s->cx->refused->loop = loop;
            return irl__refuse_at(s, arg->loc, "the body of the loop '%s' is not the loop '%s' "
                                  "alone", outer, inner);
        }
        if (k && loop->u.loop.kind != n->loops[0]->u.loop.kind)
            return irl__refuse_at(s, arg->loc, "one of the loops is parallel, one is not");
        for (int j = 0; j < k; j++)
            if (!irl__loop_is_free(s, arg->loc, loop, n->vars[j])) return 0;
        n->vars[k] = loop->u.loop.var;
        n->extents[k] = irl__extent_from_zero(s->cx, loop->u.loop.extent);
        if (!n->extents[k]) return 0;
    }
    return 1;
}

/* values[k] of the old variables in terms of the new one. What divides is not 0 where the loop
   runs. */
static const irl_expr *irl__loop_fuse_values(irl__sched *s, irl__loop_fuse_nest *n,
                                             const irl_expr *var)
{
    const irl_expr *inner = NULL; /* product of the extents further inside; NULL: 1 */
    for (int k = n->count; k-- > 0;) {
        const irl_expr *value = inner ? irl__floordiv(s->cx, var, inner) : var;
        if (k) value = irl__floormod(s->cx, value, n->extents[k]);
        if (!irl__is_int(n->loops[k]->u.loop.min, 0))
            value = irl__add(s->cx, n->loops[k]->u.loop.min, value);
        n->values[k] = value;
        inner = inner ? irl__mul(s->cx, n->extents[k], inner) : n->extents[k];
        inner = irl__simplify_alone(s->cx, inner);
        if (!value || !inner) return NULL;
    }
    return inner;
}

static int irl__loop_fuse_fits(irl__sched *s, const irl__loop_fuse_nest *n)
{
    int64_t product = 1;
    for (int k = 0; k < n->count; k++)
        if (n->extents[k]->op == IRL_OP_INT && !irl__mul64(product, n->extents[k]->u.i, &product))
            return irl__refuse(s, "the product of the extents is beyond 63 bits");
    return 1;
}

int irl__do_fuse(irl__sched *s)
{
    irl__loop_fuse_nest n;
    irl__text           name;
    const irl_expr     *var;
    const irl_stmt     *body;
    if (!irl__loop_fuse_read(s, &n) || !irl__loop_fuse_fits(s, &n)) return 0;
    irl__text_init(&name, s->cx);
    for (int k = 0; k < n.count; k++) irl__textf(&name, "%s_", n.vars[k]->u.name);
    irl__text_puts(&name, "fused");
    var = irl__text_done(&name) ? irl__sched_var(s, 0, irl__text_done(&name)) : NULL;
    const irl_expr *extent = var ? irl__loop_fuse_values(s, &n, var) : NULL;
    if (!extent) return 0;
    body = irl__substitute_stmt(s->cx, n.loops[n.count - 1]->u.loop.body, n.count, n.vars,
                                n.values);
    const irl_stmt *made = irl__stmt_loop_new(s->cx, n.loops[0], 1, var, irl_expr_index(s->cx, 0),
                                              extent, body);
    return irl__sched_result(s, 0, made) && irl__sched_put(s, made);
}

/* ------------------------------------------------------------------ add_unit_loop, annotate

   requires  a loop or a block
   does      puts a loop of one iteration around it; puts a note at its end, instead of one of the
             same key
   refuses   annotate: what another step says (order), or all steps (scheduled); what a group or a
             label cannot be */

int irl__do_add_unit_loop(irl__sched *s)
{
    const irl_stmt *at = irl__place_last(&s->p);
    const irl_stmt *loop = irl__loop_for(s->cx, at->loc, IRL_SERIAL, IRL_GROUP_X,
                                         irl__sched_var(s, 0, "u"), irl_expr_index(s->cx, 0),
                                         irl_expr_index(s->cx, 1), at);
    return irl__sched_result(s, 0, loop) && irl__sched_put(s, loop);
}

/* The library's own notes: those that say what a step has proved, or may change, are not given so;
   the others are of one kind. */
static int irl__loop_may_be_noted(irl__sched *s, const irl__arg *arg)
{
    const irl__annotation *note = &arg->note;
    char                   said[96];
    irl__arg_said(arg, said, sizeof said);
    if (strcmp(note->key, IRL__NOTE_ORDER) == 0)
        return irl__refuse_at(s, arg->loc, "annotate cannot state the order of a reduction: %H",
                              "reassociate does");
    if (strcmp(note->key, IRL__NOTE_SCHEDULED) == 0)
        return irl__refuse_at(s, arg->loc, "'%s' is a note that the library itself puts on "
                              "scheduled loops", note->key);
    const int is_group = strcmp(note->key, IRL__NOTE_GROUP) == 0;
    if ((is_group || strcmp(note->key, IRL__NOTE_UNROLL) == 0) &&
        !(note->value && note->value->op == IRL_OP_INT && note->value->u.i >= 1))
        return irl__refuse_at(s, arg->loc, "%s is a number of iterations, 1 or more; found %s",
                              is_group ? "a group" : "unroll", said);
    if (strcmp(note->key, IRL__NOTE_LABEL) == 0 && !(note->text && note->text[0]))
        return irl__refuse_at(s, arg->loc, "a label is a text that is not empty; found %s", said);
    return 1;
}

int irl__do_annotate(irl__sched *s)
{
    if (!irl__loop_may_be_noted(s, &s->args[1])) return 0;
    const irl_note   note = s->args[1].note;
    irl__named_found was;
    memset(&was, 0, sizeof was);
    if (strcmp(note.key, IRL__NOTE_LABEL) == 0) was = irl__sched_meaning(s, note.text);
    const irl_stmt *now = irl_stmt_set_note(s->cx, irl__place_last(&s->p), note);
    if (!now || !(s->f = irl__place_put(s->f, &s->p, s->p.count - 1, now))) return 0;
    return !was.count || irl__sched_still_means(s, s->args[1].loc, note.text, &was);
}
