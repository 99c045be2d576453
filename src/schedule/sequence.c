/* sequence.c - the primitives that make several loops, one after the other, from one loop, and one
   from several.

   needs     place.c, names.c; pairs of accesses
   promises  every iteration runs once; accesses to one cell, one of them writing it, keep their
             order */
#include "schedule.h"

enum { IRL__SEQUENCE_MOST = 16 };

/* ------------------------------------------------------------------ copies

   Everything that a copy binds, variables, loops, blocks and memory, is its own. */

typedef struct irl__sequence_names {
    irl__sched      *s;
    const irl_expr **from, **to; /* scratch lists */
    const char     **made;       /* names and labels of all copies; scratch */
    int              number;     /* of the copy: blocks and labels are named after it */
    irl__ptr_map     memory;     /* a buffer that is allocated -> that of the copy */
    const irl_stmt  *declares;   /* what cannot be copied */
} irl__sequence_names;

/* The name or label with the copy's number behind it, or with the next that nothing has. */
static const char *irl__sequence_name(irl__sequence_names *n, const char *old)
{
    const char *name;
    int         number = n->number, is_taken;
    do {
        name = irl__namef(n->s->cx, "%s_%d", old, number++);
        is_taken = name && irl__sched_is_name(n->s, name);
        for (int k = 0; name && k < (int)stbds_arrlen(n->made); k++) is_taken |= n->made[k] == name;
    } while (is_taken);
    return name && IRL__PUSH_SCRATCH(n->s->cx, n->made, name) ? name : NULL;
}

static const irl_expr *irl__sequence_var(irl__sequence_names *n, const irl_expr *var)
{
    const irl_expr *to = irl_expr_var(n->s->cx, var->u.name, var->type);
    if (!to || !IRL__PUSH_SCRATCH(n->s->cx, n->from, var) ||
        !IRL__PUSH_SCRATCH(n->s->cx, n->to, to))
        return NULL;
    return to;
}

/* A copy of a loop: two that have one label would both be without a name. */
static const irl_stmt *irl__sequence_labelled(irl__sequence_names *n, const irl_stmt *loop)
{
    const char *label = irl__stmt_label(loop);
    if (!label) return loop;
    label = irl__sequence_name(n, label);
    return label ? irl_stmt_set_note(n->s->cx, loop, irl__note_of(IRL__NOTE_LABEL, label)) : NULL;
}

const irl_stmt *irl__sched_labelled(irl__sched *s, const irl_stmt *loop, int number)
{
    irl__sequence_names n;
    memset(&n, 0, sizeof n);
    n.s = s;
    n.number = number;
    return irl__sequence_labelled(&n, loop);
}

/* The copy has memory of its own, by another name: so no layout may be noted for the name. */
static int irl__sequence_alloc(irl__sequence_names *n, const irl_stmt *alloc)
{
    irl_ctx          *cx = n->s->cx;
    const irl_buffer *b = alloc->u.alloc.buffer;
    for (int k = 0; k < n->s->f->layout_count; k++)
        if (strcmp(n->s->f->layouts[k].buffer, b->name) == 0) n->declares = alloc;
    irl_buffer *copy = irl__buffer_copy(cx, b);
    if (!copy || !(copy->name = irl__sequence_name(n, b->name))) return 0;
    copy->data = irl_expr_var(cx, copy->name, b->data->type);
    return copy->data && IRL__PUSH_SCRATCH(cx, n->from, b->data) &&
           IRL__PUSH_SCRATCH(cx, n->to, copy->data) && irl__ptr_map_put(cx, &n->memory, b, copy);
}

static const irl_buffer *irl__sequence_memory(irl__rewriter *r, const irl_buffer *b)
{
    const irl__sequence_names *n = (const irl__sequence_names *)r->user;
    const irl_buffer          *copy = (const irl_buffer *)irl__ptr_map_get(&n->memory, b);
    return copy ? copy : b;
}

static const irl_stmt *irl__sequence_fresh_hook(irl__rewriter *r, const irl_stmt *s)
{
    irl__sequence_names *n = (irl__sequence_names *)r->user;
    const irl_stmt      *now = s->kind == IRL__STORE ? s : irl__rewrite_stmt_children(r, s);
    if (!now) return NULL;
    if (s->kind == IRL__ALLOC && !irl__sequence_alloc(n, s)) return NULL;
    if (s->kind == IRL__DECL) n->declares = s;
    if (s->kind == IRL__BLOCK) {
        irl__block_data *block;
        irl_stmt        *copy = irl__block_new(r->cx, now->loc, now->u.block, &block);
        irl__axis       *axes = copy ? irl__block_axes(r->cx, block, 0) : NULL;
        if (!axes) return NULL;
        if (block->alloc_count || block->match_count) n->declares = now;
        for (int k = 0; k < block->axis_count; k++)
            if (!(axes[k].var = irl__sequence_var(n, axes[k].var))) return NULL;
        block->name = irl__sequence_name(n, block->name);
        return block->name ? irl__stmt_finish(r->cx, copy) : NULL;
    }
    if (s->kind != IRL__FOR && s->kind != IRL__LET) return now;
    if (s->kind == IRL__FOR) {
        now = irl__stmt_loop_new(r->cx, now, 1, irl__sequence_var(n, s->u.loop.var),
                                 now->u.loop.min, now->u.loop.extent, now->u.loop.body);
        return now ? irl__sequence_labelled(n, now) : NULL;
    }
    irl_stmt *copy = irl__stmt_copy(r->cx, now);
    if (!copy) return NULL;
    copy->u.let.var = irl__sequence_var(n, s->u.let.var);
    return irl__ok(r->cx) ? irl__stmt_finish(r->cx, copy) : NULL;
}

static const irl_stmt *irl__sequence_fresh(irl__sequence_names *n, const irl_stmt *s)
{
    irl__rewriter   r = irl__rewriter_make(n->s->cx, n, irl__rewrite_no_expr,
                                           irl__sequence_fresh_hook);
    memset(&n->memory, 0, sizeof n->memory);
    const irl_stmt *now = irl__rewrite_stmt(&r, s);
    r = irl__rewriter_make(n->s->cx, n, NULL, NULL);
    r.buffer = irl__sequence_memory;
    if (now && n->memory.count) now = irl__rewrite_stmt(&r, now);
    return irl__substitute_stmt(n->s->cx, now, (int)stbds_arrlen(n->from), n->from, n->to);
}

/* ------------------------------------------------------------------ conditions that always hold */

typedef struct irl__sequence_known {
    irl__analyzer  *an;
    const irl_stmt *whole, *part; /* the loop, and a part that begins as it does: NULL: none */
} irl__sequence_known;

/* What is left of a condition; NULL: nothing, it holds. */
static const irl_expr *irl__sequence_left(irl_ctx *cx, irl__analyzer *an, const irl_expr *e)
{
    const irl_expr *b;
    if (e->op == IRL_OP_AND) {
        const irl_expr *a = irl__sequence_left(cx, an, e->a[0]);
        b = irl__sequence_left(cx, an, e->a[1]);
        return irl__and(cx, a, b);
    }
    return irl__prove(an, e) ? NULL : e;
}

/* Axes that count the whole loop count the part. */
static int irl__sequence_axes(irl_ctx *cx, const irl__sequence_known *q, irl__block_data *block)
{
    irl__axis *axes = q->part ? irl__block_axes(cx, block, 0) : NULL;
    for (int k = 0; axes && k < block->axis_count; k++)
        if (axes[k].binding == q->part->u.loop.var &&
            axes[k].extent == q->whole->u.loop.extent && irl__is_int(q->whole->u.loop.min, 0))
            axes[k].extent = q->part->u.loop.extent;
    return axes || !q->part;
}

static const irl_stmt *irl__sequence_plain_hook(irl__rewriter *r, const irl_stmt *s)
{
    const irl__sequence_known *q = (const irl__sequence_known *)r->user;
    irl__analyzer             *an = q->an;
    const irl_expr            *left;
    irl__block_data           *block;
    if (s->kind == IRL__STORE) return s;
    if (!irl__bind_loop(an, s)) return NULL;
    if (s->kind == IRL__IF && !s->u.branch.else_ &&
        !(s->u.branch.condition->flags & IRL__HAS_MEMORY)) {
        left = irl__sequence_left(r->cx, an, s->u.branch.condition);
        if (!left) return irl__rewrite_stmt(r, s->u.branch.then_);
    }
    if (s->kind == IRL__BLOCK && (q->part || s->u.block->predicate)) {
        irl_stmt *copy = irl__block_copy(r->cx, s, &block);
        if (!copy || !irl__sequence_axes(r->cx, q, block)) return NULL;
        if (block->predicate && !(block->predicate->flags & IRL__HAS_MEMORY))
            block->predicate = irl__sequence_left(r->cx, an, block->predicate);
        s = irl__stmt_finish(r->cx, copy);
    }
    return irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ partition

   requires  a serial, parallel or unrolled loop; numbers, increasing; the last may be below 0
   does      one loop behind the other: up to the first number of iterations, on to the next, and
             the rest; a number below 0 counts from the end (what is left there, of an extent that
             is a name, counts from 0 itself). Conditions that hold in all of a part are gone
             there: the interior of a border. Axes that count the loop count its first part
             there. Blocks and labels behind the first part get _1, _2
             behind their names, or the next number that nothing has. A part whose bounds are not
             proved to lie in 64 bits stands in a condition: that it runs
   refuses   numbers that are not within the extent, or below 0 where the extent may be the least
             number of 64 bits; a loop that is bound or vectorized; memory that
             is allocated in it and has a layout, and views that are declared in it */

/* May the loop be cut into so many parts? */
static int irl__sequence_may_cut(irl__sched *s, const irl_stmt *loop, int parts)
{
    if (loop->u.loop.kind == IRL_BOUND || loop->u.loop.kind == IRL_VECTORIZED)
        return irl__refuse_at(s, s->args[0].loc, "the loop '%L' is bound or vectorized: %H", loop,
                              "do that afterwards");
    if (!irl__sched_bounds_are_named(s, s->args[0].loc, loop)) return 0;
    return s->step->result_count <= parts || irl__refuse(s, "there are %d parts", parts);
}

/* cut[k] of the parts from the second on; of a symbolic extent the last may be below 0. */
static int irl__sequence_cuts(irl__sched *s, const irl_stmt *loop,
                              int64_t cut[IRL__SEQUENCE_MOST + 2])
{
    const irl_expr *extent = loop->u.loop.extent;
    const int       is_named = extent->op != IRL_OP_INT;
    if (s->arg_count - 1 > IRL__SEQUENCE_MOST)
        return irl__refuse(s, "more than %d parts", IRL__SEQUENCE_MOST);
    cut[0] = 0;
    for (int k = 1; k < s->arg_count; k++) {
        const irl__arg *arg = &s->args[k];
        const int       is_back = k == s->arg_count - 1 && arg->number < 0;
        if (arg->kind != IRL__ARG_NUMBER || arg->number > IRL__MOST_EXTENT ||
            arg->number < -IRL__MOST_EXTENT)
            cut[k] = 0;
        else if (!is_back || is_named) cut[k] = arg->number;
        else if (!irl__add64(extent->u.i, arg->number, &cut[k])) cut[k] = 0;
        if ((cut[k] <= cut[k - 1] && !(is_back && is_named)) || cut[k] == 0 ||
            (!is_named && cut[k] >= extent->u.i))
            return irl__refuse_at(s, arg->loc, "the numbers must increase from 1 to below the "
                                  "extent of '%L'; the last may count from its end instead", loop);
    }
    return irl__sequence_may_cut(s, loop, s->arg_count);
}

/* Part k of a loop: how often it runs, from which value on, and what the loop's variable is where
   that of the part is `var`. */
typedef struct irl__sequence_cut {
    const irl_expr *min, *extent;
    const irl_expr *base;  /* NULL: the same; else what is added to it */
    const irl_expr *where; /* the condition of the part; NULL: none */
} irl__sequence_cut;

static const irl_expr *irl__sequence_part_var(irl__sched *s, const irl_stmt *loop, int k,
                                              const irl__sequence_cut *cut, irl__sequence_names *n)
{
    const irl_expr *var;
    n->from = n->to = NULL;
    n->number = k;
    var = irl__sched_var(s, k, irl__format(s->cx, "%s_%d", loop->u.loop.var->u.name, k));
    const irl_expr *value = var && cut->base ? irl__add(s->cx, cut->base, var) : var;
    if (!value || !IRL__PUSH_SCRATCH(s->cx, n->from, loop->u.loop.var) ||
        !IRL__PUSH_SCRATCH(s->cx, n->to, value))
        return NULL;
    return var;
}

static const irl_stmt *irl__sequence_part(irl__sched *s, const irl_stmt *loop, int k,
                                          const irl__sequence_cut *cut, irl__sequence_names *n)
{
    if (!cut->min || !cut->extent) return NULL;
    const irl_expr *var = irl__sequence_part_var(s, loop, k, cut, n);
    if (!var) return NULL;
    const irl_expr *min = irl__simplify_alone(s->cx, cut->min);
    const irl_expr *extent = irl__simplify_alone(s->cx, cut->extent);
    const irl_stmt *body = k ? irl__sequence_fresh(n, loop->u.loop.body)
                             : irl__substitute_stmt(s->cx, loop->u.loop.body, 1, n->from, n->to);
    if (!extent || !min || !body) return NULL;
    if (n->declares) {
        irl__refuse(s, "the loop allocates memory with a layout, or declares another view of "
                    "memory");
        return NULL;
    }
    const irl_stmt *made = irl__stmt_loop_new(s->cx, loop, 1, var, min, extent, body);
    return k && made ? irl__sequence_labelled(n, made) : made;
}

/* Of the part between two cuts, of which the second may count from the end; behind the last cut
   (end 0) what is left. */
static const irl_expr *irl__sequence_extent(irl_ctx *cx, const irl_stmt *loop, int64_t cut,
                                            int64_t end)
{
    const irl_expr *left = irl__sub(cx, loop->u.loop.extent, irl_expr_index(cx, cut));
    if (!end || !left) return left;
    if (end < 0) return irl__sub(cx, left, irl_expr_index(cx, -end));
    /* of an extent that is a name there may be fewer */
    return irl_expr_op2(cx, IRL_OP_MIN, irl_expr_index(cx, end - cut), left);
}

/* Part k of so many. What a cut from the end leaves counts from 0: where the loop is short it
   begins behind the cut before. */
static int irl__sequence_cut_of(irl_ctx *cx, const irl_stmt *loop, const int64_t *cut, int k,
                                int count, irl__sequence_cut *part)
{
    const irl_expr *from = irl_expr_index(cx, cut[k]);
    part->base = NULL;
    part->min = loop->u.loop.min;
    if (cut[k] < 0) {
        from = irl_expr_op2(cx, IRL_OP_MAX,
                            irl__sub(cx, loop->u.loop.extent, irl_expr_index(cx, -cut[k])),
                            irl_expr_index(cx, cut[k - 1]));
        part->base = irl__simplify_alone(cx, irl__is_int(part->min, 0)
                                                 ? from : irl__add(cx, part->min, from));
        part->min = irl_expr_index(cx, 0);
        part->extent = irl__sub(cx, loop->u.loop.extent, from);
        return part->base && part->min && part->extent;
    }
    if (k) part->min = irl__add(cx, part->min, from);
    part->extent = irl__sequence_extent(cx, loop, cut[k], k + 1 < count ? cut[k + 1] : 0);
    return part->min && part->extent;
}

/* The parts in the place of the loop, without conditions that hold in all of one. */
static int irl__sequence_put(irl__sched *s, const irl__place *p,
                             int count, const irl__sequence_cut *cuts)
{
    const irl_stmt     *parts[IRL__SEQUENCE_MOST + 2];
    irl__sequence_names names;
    irl__sequence_known known;
    irl__rewriter       r = irl__rewriter_make(s->cx, &known, irl__rewrite_no_expr,
                                               irl__sequence_plain_hook);
    memset(&names, 0, sizeof names);
    names.s = s;
    for (int k = 0; k < count; k++) {
        parts[k] = irl__sequence_part(s, irl__place_last(p), k, &cuts[k], &names);
        known.an = parts[k] ? irl__place_analyzer(s, p, p->count - 1) : NULL;
        known.whole = irl__place_last(p);
        known.part = k ? NULL : parts[k];
        parts[k] = known.an ? irl__rewrite_stmt(&r, parts[k]) : NULL;
        if (!parts[k] || !irl__sched_result(s, k, parts[k])) return 0;
        if (cuts[k].where) parts[k] = irl_stmt_if(s->cx, cuts[k].where, parts[k], NULL);
    }
    return irl__place_become(s, p, p->count - 1, irl__stmt_seq(s->cx, count, parts));
}

int irl__do_partition(irl__sched *s)
{
    irl__sequence_cut parts[IRL__SEQUENCE_MOST + 2];
    int64_t           cut[IRL__SEQUENCE_MOST + 2];
    const int         count = s->arg_count;
    const irl_stmt *loop = irl__place_last(&s->p);
    if (!irl__sequence_cuts(s, loop, cut)) return 0;
    irl__analyzer *an = irl__place_analyzer(s, &s->p, s->p.count - 1);
    if (!an) return 0;
    const irl__interval min = irl__interval_of(an, loop->u.loop.min);
    const irl__interval extent = irl__interval_of(an, loop->u.loop.extent);
    if (cut[count - 1] < 0 && extent.lo < INT64_MIN / 2)
        return irl__refuse_at(s, s->args[count - 1].loc, "the extent of the loop '%L' may be "
                              "-2^63, so a number cannot count from its end", loop);
    for (int k = 0; k < count; k++) {
        if (!irl__sequence_cut_of(s->cx, loop, cut, k, count, &parts[k])) return 0;
        parts[k].where = NULL;
        /* of an extent far below 0 the rest may not fit; what a cut from the end leaves does */
        if (cut[k] > 0 && (extent.lo < INT64_MIN + cut[k] || min.hi > INT64_MAX - cut[k]) &&
            !(parts[k].where = irl_expr_op2(s->cx, IRL_OP_GT, loop->u.loop.extent,
                                            irl_expr_index(s->cx, cut[k]))))
            return 0;
    }
    return irl__sequence_put(s, &s->p, count, parts);
}

/* ------------------------------------------------------------------ peel

   requires  a serial, parallel or unrolled loop; a number above 1
   does      two loops, one behind the other: as many iterations as whole groups of that number
             have, and what is left, from 0 on, fewer than the number. A split of the first by that
             number, or by numbers whose product divides it, is exact, also where the extent is a
             name
   refuses   a loop that is bound or vectorized; memory that is allocated in it and has a layout,
             and views that are declared in it */

/* The iterations that whole groups have, and those that are left: a loop whose extent is below 0
   has neither. What is left counts from 0, for the value behind the loop's last one may be none of
   64 bits; nor may what an extent near the least number is rounded down to. */
static int irl__sequence_whole(irl__sched *s, irl__analyzer *an, const irl_stmt *loop,
                               int64_t group, irl__sequence_cut parts[2])
{
    const irl_expr *zero = irl_expr_index(s->cx, 0), *number = irl_expr_index(s->cx, group);
    const irl_expr *extent = loop->u.loop.extent, *whole;
    const int64_t   least = irl__interval_of(an, extent).lo;
    int             may_be_less = least < 0;
    if (!zero || !number) return 0;
    if (least < INT64_MIN + group) extent = irl_expr_op2(s->cx, IRL_OP_MAX, extent, zero);
    whole = !extent ? NULL : irl__mul(s->cx, irl__floordiv(s->cx, extent, number), number);
    parts[0].base = NULL;
    parts[0].min = loop->u.loop.min;
    parts[0].extent = whole;
    may_be_less &= extent == loop->u.loop.extent;
    if (may_be_less && whole) whole = irl_expr_op2(s->cx, IRL_OP_MAX, whole, zero);
    if (!whole) return 0;
    parts[1].min = zero;
    parts[1].extent = may_be_less ? irl__sub(s->cx, extent, whole)
                                  : irl__floormod(s->cx, extent, number);
    if (!irl__is_int(loop->u.loop.min, 0)) whole = irl__add(s->cx, loop->u.loop.min, whole);
    parts[1].base = irl__simplify(an, whole);
    return parts[1].base != NULL;
}

static int irl__sequence_may_peel(irl__sched *s, const irl_stmt *loop)
{
    const irl__arg *number = &s->args[1];
    if (number->kind != IRL__ARG_NUMBER || number->number < 2 ||
        number->number > IRL__MOST_EXTENT)
        return irl__refuse_at(s, number->loc, "the size of a group must be a number of iterations, "
                              "2 or more");
    return irl__sequence_may_cut(s, loop, 2);
}

int irl__do_peel(irl__sched *s)
{
    irl__sequence_cut cuts[2];
    memset(cuts, 0, sizeof cuts);
    const irl_stmt *loop = irl__place_last(&s->p);
    irl__analyzer  *an = irl__place_analyzer(s, &s->p, s->p.count - 1);
    return an && irl__sequence_may_peel(s, loop) &&
           irl__sequence_whole(s, an, loop, s->args[1].number, cuts) &&
           irl__sequence_put(s, &s->p, 2, cuts);
}

/* ------------------------------------------------------------------ merge

   requires  two loops or more of the same bounds and kind, with nothing but allocations between
             them
   does      one loop over all of their bodies, in the same order, after the allocations; bound
             loops that are all there is in these, and are alike, become one, too
   refuses   a gap between them; other bounds; an iteration that touches, one of them writing it,
             what a later one of a loop before touches: with both iterations; barriers, images
             between them, calls in both that may do anything */

/* Loops that are often called alike, as the step names them. */
static int irl__sequence_differ(irl__sched *s, int a, int b, const char *format)
{
    char one[100], other[100];
    irl__arg_said(&s->args[a], one, sizeof one);
    irl__arg_said(&s->args[b], other, sizeof other);
    return irl__refuse_at(s, s->args[a > b ? a : b].loc, format, one, other);
}

/* Are the loops of the same bounds and kind? */
static int irl__sequence_is_alike(const irl_stmt *a, const irl_stmt *b)
{
    return a->u.loop.min == b->u.loop.min && a->u.loop.extent == b->u.loop.extent &&
           a->u.loop.kind == b->u.loop.kind && a->u.loop.axis == b->u.loop.axis &&
           !((a->u.loop.min->flags | a->u.loop.extent->flags) & IRL__HAS_MEMORY);
}

/* Does statement `to` of a sequence come after statement `from`, with only allocations between? */
static int irl__sequence_follows(const irl_stmt *seq, int from, int to)
{
    if (to <= from) return 0;
    while (++from < to && seq->u.seq.stmts[from]->kind == IRL__ALLOC) {}
    return from == to;
}

/* The loops; the place of the first; *last: which statement of the sequence the last one is. */
static int irl__sequence_merge_read(irl__sched *s, const irl_stmt **loops, irl__place *first,
                                    int *last)
{
    if (s->arg_count < 2 || s->arg_count > IRL__SEQUENCE_MOST)
        return irl__refuse(s, "merge joins 2 to %d loops", IRL__SEQUENCE_MOST);
    for (int k = 0; k < s->arg_count; k++) {
        irl__place p;
        if (!irl__sched_loop(s, &s->args[k], &p)) return 0;
        loops[k] = irl__place_last(&p);
        const int before = *last;
        *last = p.child[p.count - 1];
        if (k == 0) *first = p;
        if (k == 0) continue;
        if (p.count != first->count || p.count < 2 || p.at[p.count - 2]->kind != IRL__SEQ ||
            p.at[p.count - 2] != first->at[p.count - 2] ||
            !irl__sequence_follows(p.at[p.count - 2], before, *last))
            return irl__sequence_differ(s, k, k - 1, "the loop '%s' is not directly after "
                                                           "'%s'");
        if (!irl__sequence_is_alike(loops[0], loops[k]))
            return irl__sequence_differ(s, 0, k, "the loops '%s' and '%s' have different "
                                                       "bounds or kinds");
    }
    return 1;
}

/* Two rows of a loop, in an earlier and in a later body of it. */
static irl_answer irl__sequence_meets(irl__accesses *t, const irl__around *loop,
                                      const irl__access *a, const irl__access *b, irl__meeting *m)
{
    irl_answer answer = IRL_UNKNOWN;
    if (a->is_declared || b->is_declared || (!irl__access_writes(a) && !irl__access_writes(b)) ||
        irl__access_alias(t, a, b) == IRL_NO || irl__accesses_commute(t, a, b) ||
        irl__access_is_apart(a, b) || irl__access_tells(t, loop, a, b))
        return IRL_NO;
    memset(m, 0, sizeof *m);
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__pair      *p = irl__pair_begin(t, a, b, IRL__PAIR_STEPS);
    if (p) answer = irl__pair_meets_at(p, loop->loop_count - 1, IRL__AFTER, m);
    irl__scratch_end(t->cx, mark);
    return answer;
}

irl_answer irl__bodies_meet(irl__accesses *t, const irl__around *loop, int second, irl__meeting *m)
{
    irl_answer answer = IRL_NO;
    for (int i = loop->first; i < loop->first + second; i++)
        for (int j = loop->first + second; j < loop->end && answer == IRL_NO; j++)
            answer = irl__sequence_meets(t, loop, &t->list[i], &t->list[j], m);
    return answer;
}

/* Of the rows in the loop those from the second-th on are of bodies behind the others. */
static int irl__sequence_merge_holds(irl__sched *s, irl__accesses *t,
                                     int second, const irl_stmt *made)
{
    const irl__around *loop = irl__loop_of(t, made);
    irl__meeting       m;
    for (int i = loop->first; i < loop->first + second; i++)
        for (int j = loop->first + second; j < loop->end; j++)
            if (t->list[i].buffer && irl__scope_is_image(t->list[i].buffer->scope) &&
                t->list[i].memory == t->list[j].memory &&
                (irl__flow_is_write(&t->list[i]) || irl__flow_is_write(&t->list[j])))
                return irl__refuse(s, "'%B' is an image, which one kernel writes and the next one "
                                   "reads", t->list[i].buffer);
    return irl__bodies_meet(t, loop, second, &m) == IRL_NO ||
           irl__refuse_meeting(s, t, &m, "an iteration would run before a later one of an earlier "
                               "loop", NULL);
}

/* The loop with that body and one iteration. It keeps its label. */
static const irl_stmt *irl__sequence_once(irl_ctx *cx, const irl_stmt *loop, const irl_stmt *body)
{
    body = irl__stmt_loop_over(cx, loop, irl_expr_var(cx, "ax0", irl__type_index()),
                               irl_expr_index(cx, 0), irl_expr_index(cx, 1), body);
    return body ? irl__stmt_loop_as(cx, body, IRL_SERIAL, loop->u.loop.axis, body->u.loop.body)
                : NULL;
}

/* One loop over all bodies; where each body is a bound loop, and all are alike, these become one,
   too: the work-items of several kernels are those of one. A nest with a label that writes another
   buffer than the first loop stays a nest, so that the label still names it. */
static const irl_stmt *irl__sequence_one(irl_ctx *cx, int count, const irl_stmt *const *loops,
                                         const irl_expr *var)
{
    const irl_stmt *bodies[IRL__SEQUENCE_MOST];
    int             is_chain = 1;
    for (int k = 0; k < count; k++) {
        bodies[k] = irl__substitute_stmt(cx, loops[k]->u.loop.body, 1, &loops[k]->u.loop.var,
                                         &var);
        if (!bodies[k]) return NULL;
        is_chain &= bodies[k]->kind == IRL__FOR && bodies[k]->u.loop.kind == IRL_BOUND &&
                    irl__sequence_is_alike(bodies[0], bodies[k]);
        const irl_buffer *b = irl__named_buffer(loops[k]);
        if (b && b != irl__named_buffer(loops[0]) && irl__stmt_label(loops[k]))
            bodies[k] = irl__sequence_once(cx, loops[k], bodies[k]);
        if (!bodies[k]) return NULL;
    }
    return irl__stmt_loop_over(cx, loops[0], var, loops[0]->u.loop.min, loops[0]->u.loop.extent,
                               is_chain ? irl__sequence_one(cx, count, bodies,
                                                            bodies[0]->u.loop.var)
                                        : irl__stmt_seq(cx, count, bodies));
}

int irl__do_merge(irl__sched *s)
{
    irl__place      p;
    const irl_stmt *loops[IRL__SEQUENCE_MOST], **list, *parent, *at;
    irl__accesses   t, part;
    irl_func       *g;
    int             n = 0, rows = 0, last = 0;
    if (!irl__sequence_merge_read(s, loops, &p, &last)) return 0;
    for (int k = 0; k < s->arg_count; k++)
        if (irl__stmt_holds(loops[k]->u.loop.body, 1u << IRL__BARRIER))
            return irl__refuse_at(s, s->args[k].loc, "'%L' contains a barrier, and work-items "
                                  "would wait for each other elsewhere", loops[k]);
    for (int k = 1; k < s->arg_count; k++)
        if (irl__stmt_calls(s->f, loops[0]->u.loop.body) &&
            !irl__flow_keeps_calls(s, loops[k]->u.loop.body))
            return 0;
    const irl_expr *var = irl__sched_var(s, 0, loops[0]->u.loop.var->u.name);
    const irl_stmt *made = var ? irl__sequence_one(s->cx, s->arg_count, loops, var) : NULL;
    if (!made) return 0;
    for (at = made->u.loop.body; at->kind == IRL__FOR;) at = at->u.loop.body;
    for (int k = 0; k < s->arg_count && irl__stmt_holds(at, IRL__HOLDS_BOUND); k++)
        if (irl__stmt_holds(loops[k]->u.loop.body, IRL__HOLDS_BOUND))
            return irl__refuse_at(s, s->args[k].loc, "a loop in '%L' is bound, and its work-items "
                                  "would also run the statements next to it: merge before binding",
                                  loops[k]);
    parent = p.at[p.count - 2];
    list = IRL__NEW(s->cx, const irl_stmt *, parent->u.seq.count);
    if (!list) return 0;
    for (int k = p.child[p.count - 1]; k < last; k++)
        if (parent->u.seq.stmts[k]->kind == IRL__ALLOC) list[n++] = parent->u.seq.stmts[k];
    list[n++] = made;
    g = irl__place_put(s->f, &p, p.count - 2, irl__seq_replace(s->cx, parent, p.child[p.count - 1],
                                                               last + 1, n, list));
    if (!g || !irl__accesses_of(&t, g, made)) return 0;
    for (int k = 0; k + 1 < s->arg_count; k++) {
        if (!irl__accesses_of(&part, s->f, loops[k]->u.loop.body)) return 0;
        rows += part.count;
        for (at = made; at->kind == IRL__FOR; at = at->u.loop.body)
            if (!irl__sequence_merge_holds(s, &t, rows, at)) return 0;
    }
    return irl__sched_become(s, g) && irl__sched_result(s, 0, made);
}
