/* sample.c - some elements of a result, computed alone, where all of them would take too long.

   A function is rewritten so that it computes chosen elements of one parameter: each statement that
   stores to it runs once for each chosen element, its store under the condition that the element
   is that one, and each loop around it under the condition that the element may be stored inside.
   Memory that is allocated inside, of which such a store reads one element, is treated the same, so
   that a tile of sums costs what one sum costs. The interpreter does the rest.

   Nothing is rewritten where this would not compute the same: if the result is read for another
   element, through a view or by a call, if a barrier is inside, or if the statement also changes
   what is read elsewhere. Then everything is computed. */
#include "irlc.h"

#include <stdlib.h>

enum { SAMPLE_VARS = 512, SAMPLE_BUFFERS = 32, SAMPLE_SHARED = 4096 };

/* A buffer of which one element is wanted, or all elements along the axes without a point. If it is
   shared, several points of the result want the same ones: `first` is 1 for the first of them. */
typedef struct sample_wanted {
    const irl_buffer *buffer;
    const irl_expr   *point[IRL_MAX_RANK], *first;
    int               is_shared;
} sample_wanted;

/* lo <= var <= hi, over variables from outside of what is judged; lo NULL: not known */
typedef struct sample_range {
    const irl_expr *var, *lo, *hi;
} sample_range;

typedef struct sampler {
    irl_ctx       *cx;
    const irl_func *f;
    int             wanted_count, range_count, inside_count, may_share;
    sample_wanted   wanted[SAMPLE_BUFFERS]; /* the first is the result */
    /* of the loop that is judged */
    sample_range      range[SAMPLE_VARS];
    const irl_buffer *inside[SAMPLE_BUFFERS]; /* allocated inside */
    const irl_expr   *loop_var, *test, *exact;
    int               is_refused, stores, is_untested, is_inexact;
    /* of a search */
    const irl_buffer *sought;
    const irl_expr   *point[IRL_MAX_RANK];
    int               found, is_other;
} sampler;

static const sample_wanted *find_wanted(const sampler *s, const irl_buffer *b)
{
    for (int k = 0; k < s->wanted_count; k++)
        if (s->wanted[k].buffer == b) return &s->wanted[k];
    return NULL;
}

/* Equal expressions are one object. */
static int contains(const irl_expr *e, const irl_expr *part)
{
    if (e == part) return 1;
    for (int k = 0; k < irl_expr_arg_count(e); k++)
        if (contains(irl_expr_arg(e, k), part)) return 1;
    return 0;
}

static int reads_memory(const irl_expr *e)
{
    if (irl_expr_op(e) == IRL_OP_LOAD || irl_expr_op(e) == IRL_OP_CALL_EXTERN) return 1;
    for (int k = 0; k < irl_expr_arg_count(e); k++)
        if (reads_memory(irl_expr_arg(e, k))) return 1;
    return 0;
}

/* ------------------------------------------------------------------ ranges of index expressions */

static int range_of(const sampler *s, const irl_expr *e, sample_range *out);

static int range_of_op(const sampler *s, const irl_expr *e, sample_range *out)
{
    const irl_op    op = irl_expr_op(e);
    sample_range    a, b, c;
    if (irl_expr_arg_count(e) != 2 || op == IRL_OP_LOAD || !range_of(s, irl_expr_arg(e, 0), &a) ||
        !range_of(s, irl_expr_arg(e, 1), &b))
        return 0;
    if (op == IRL_OP_MUL && a.lo == a.hi && irl_expr_op(a.lo) == IRL_OP_INT) c = a, a = b, b = c;
    const irl_expr *by = b.lo;
    int is_number = by == b.hi && irl_expr_op(by) == IRL_OP_INT && irl_expr_int_value(by) > 0;
    if (a.lo == a.hi && b.lo == b.hi) out->lo = out->hi = irl_expr_op2(s->cx, op, a.lo, b.lo);
    else if (op == IRL_OP_ADD || op == IRL_OP_MIN || op == IRL_OP_MAX) {
        out->lo = irl_expr_op2(s->cx, op, a.lo, b.lo);
        out->hi = irl_expr_op2(s->cx, op, a.hi, b.hi);
    } else if (op == IRL_OP_SUB) {
        out->lo = irl_expr_op2(s->cx, op, a.lo, b.hi);
        out->hi = irl_expr_op2(s->cx, op, a.hi, b.lo);
    } else if (is_number && (op == IRL_OP_MUL || op == IRL_OP_FLOORDIV)) {
        out->lo = irl_expr_op2(s->cx, op, a.lo, by);
        out->hi = irl_expr_op2(s->cx, op, a.hi, by);
    } else return 0;
    return 1;
}

static int range_of(const sampler *s, const irl_expr *e, sample_range *out)
{
    out->lo = out->hi = e;
    if (irl_expr_op(e) == IRL_OP_INT) return 1;
    if (irl_expr_op(e) != IRL_OP_VAR) return range_of_op(s, e, out);
    for (int k = s->range_count; k-- > 0;)
        if (s->range[k].var == e) {
            *out = s->range[k];
            return out->lo != NULL;
        }
    return 1;
}

static void bind_range(sampler *s, const irl_expr *var, const irl_expr *value)
{
    sample_range *r = &s->range[s->range_count];
    if (s->range_count == SAMPLE_VARS) {
        s->is_refused = 1;
        return;
    }
    if (irl_expr_type(value).scalar != IRL_INDEX || !range_of(s, value, r)) r->lo = NULL;
    r->var = var;
    s->range_count++;
}

static void bind_loop(sampler *s, const irl_stmt *loop)
{
    const irl_expr *one = irl_expr_index(s->cx, 1);
    sample_range    extent, *r = &s->range[s->range_count];
    bind_range(s, irl_stmt_var(loop), irl_stmt_min(loop));
    if (s->is_refused || !r->lo) return;
    sample_range min = *r;
    if (!range_of(s, irl_stmt_extent(loop), &extent)) r->lo = NULL;
    else
        r->hi = irl_expr_op2(s->cx, IRL_OP_ADD, min.hi,
                             irl_expr_op2(s->cx, IRL_OP_SUB, extent.hi, one));
}

/* ------------------------------------------------------------------ may a body be skipped */

static void see_inside(sampler *s, const irl_buffer *b)
{
    if (s->inside_count == SAMPLE_BUFFERS) s->is_refused = 1;
    else s->inside[s->inside_count++] = b;
}

static int is_inside(const sampler *s, const irl_buffer *b)
{
    for (int k = 0; k < s->inside_count; k++)
        if (s->inside[k] == b) return 1;
    return 0;
}

static int see_load(void *user, const irl_expr *e, const irl_stmt *of)
{
    sampler *s = (sampler *)user;
    (void)of;
    s->found |= irl_expr_op(e) == IRL_OP_LOAD && irl_expr_buffer(e) == s->sought;
    return !s->found;
}

/* Is it read anywhere? */
static int is_read(sampler *s, const irl_buffer *b)
{
    irl_walk walk = { NULL, see_load, NULL, NULL, NULL };
    walk.user = s;
    s->sought = b;
    s->found = 0;
    irl_func_walk(s->f, &walk);
    return s->found;
}

/* The value of the loop's variable for which e is `value`; NULL: e does not only add it to others,
   or subtract it. */
static const irl_expr *solved(const sampler *s, const irl_expr *e, const irl_expr *value)
{
    while (e != s->loop_var) {
        const int is_sub = irl_expr_op(e) == IRL_OP_SUB;
        if (!is_sub && irl_expr_op(e) != IRL_OP_ADD) return NULL;
        const int       first = contains(irl_expr_arg(e, 0), s->loop_var);
        const irl_expr *rest = irl_expr_arg(e, first);
        if (contains(rest, s->loop_var)) return NULL;
        value = is_sub && !first ? irl_expr_op2(s->cx, IRL_OP_SUB, rest, value)
                                 : irl_expr_op2(s->cx, is_sub ? IRL_OP_ADD : IRL_OP_SUB, value,
                                                rest);
        e = irl_expr_arg(e, !first);
    }
    return value;
}

/* What a store to a wanted element says of the loop: when the element may be stored inside of it,
   and whether its variable can be one value alone. */
static void judge_store(sampler *s, const irl_stmt *store, const sample_wanted *w)
{
    const irl_expr *test = NULL, *exact = NULL;
    sample_range    r;
    for (int k = 0; k < irl_stmt_arg_count(store); k++) {
        const irl_expr *part, *value, *point = w->point[k];
        if (!point || !range_of(s, irl_stmt_arg(store, k), &r) ||
            (!contains(r.lo, s->loop_var) && !contains(r.hi, s->loop_var)))
            continue;
        if (r.lo == r.hi && (value = solved(s, r.lo, point)) != NULL) exact = value;
        if (r.lo == r.hi) part = irl_expr_op2(s->cx, IRL_OP_EQ, r.lo, point);
        else
            part = irl_expr_op2(s->cx, IRL_OP_AND, irl_expr_op2(s->cx, IRL_OP_LE, r.lo, point),
                                irl_expr_op2(s->cx, IRL_OP_LE, point, r.hi));
        test = test ? irl_expr_op2(s->cx, IRL_OP_AND, test, part) : part;
    }
    if (!exact || (s->exact && s->exact != exact)) s->is_inexact = 1;
    s->exact = exact;
    if (!test) s->is_untested = 1;
    else s->test = s->test ? irl_expr_op2(s->cx, IRL_OP_OR, s->test, test) : test;
    s->stores++;
}

static int judge_stmt(void *user, const irl_stmt *t)
{
    sampler              *s = (sampler *)user;
    const irl_block_desc *block;
    const sample_wanted  *wanted;
    if (s->is_refused) return 0;
    switch (irl_stmt_kind_of(t)) {
    case IRL_STMT_FOR: bind_loop(s, t); break;
    case IRL_STMT_LET: bind_range(s, irl_stmt_var(t), irl_stmt_value(t)); break;
    case IRL_STMT_ALLOC: see_inside(s, irl_stmt_buffer(t)); break;
    case IRL_STMT_BLOCK:
        block = irl_stmt_block_desc(t);
        s->is_refused |= block->match_count > 0;
        for (int k = 0; k < block->axis_count && !s->is_refused; k++)
            bind_range(s, block->axes[k].var, block->axes[k].binding);
        for (int k = 0; k < block->alloc_count && !s->is_refused; k++)
            see_inside(s, block->allocs[k]);
        break;
    case IRL_STMT_STORE:
        wanted = find_wanted(s, irl_stmt_buffer(t));
        if (is_inside(s, irl_stmt_buffer(t))) break;
        if (wanted) judge_store(s, t, wanted);
        else s->is_refused |= is_read(s, irl_stmt_buffer(t));
        break;
    case IRL_STMT_SEQ: case IRL_STMT_IF: case IRL_STMT_ASSUME: case IRL_STMT_ATTR: break;
    default: s->is_refused = 1;
    }
    return 1;
}

/* Fills in s->test, s->exact and the rest for a loop over this variable (NULL: none). */
static void judge(sampler *s, const irl_stmt *body, const irl_expr *loop_var)
{
    irl_walk walk = { judge_stmt, NULL, NULL, NULL, NULL };
    walk.user = s;
    s->loop_var = loop_var;
    s->test = s->exact = NULL;
    s->range_count = s->inside_count = s->stores = 0;
    s->is_refused = s->is_untested = s->is_inexact = 0;
    irl_stmt_walk(body, &walk);
}

/* ------------------------------------------------------------------ which elements are wanted */

/* The one variable of an index such as 2 * v + 1, and from the index's value in *value that of the
   variable; NULL: the index is not a multiple of one, plus a number. */
static const irl_expr *variable_of(sampler *s, const irl_expr *e, const irl_expr **value)
{
    while (irl_expr_op(e) != IRL_OP_VAR) {
        const irl_op    op = irl_expr_op(e);
        const irl_expr *number, *rest;
        if (op != IRL_OP_ADD && op != IRL_OP_SUB && op != IRL_OP_MUL) return NULL;
        rest = irl_expr_arg(e, 0), number = irl_expr_arg(e, 1);
        if (op != IRL_OP_SUB && irl_expr_op(rest) == IRL_OP_INT)
            rest = number, number = irl_expr_arg(e, 0);
        if (irl_expr_op(number) != IRL_OP_INT || irl_expr_int_value(number) < 1) return NULL;
        *value = irl_expr_op2(s->cx, op == IRL_OP_MUL   ? IRL_OP_FLOORDIV
                                     : op == IRL_OP_ADD ? IRL_OP_SUB : IRL_OP_ADD,
                              *value, number);
        e = rest;
    }
    return e;
}

/* The point at which a wanted store reads `e`: its own variables are those of the wanted point. */
static int point_of_load(sampler *s, const irl_expr *e, const irl_stmt *store,
                         const irl_expr **point)
{
    const sample_wanted *w = find_wanted(s, irl_stmt_buffer(store));
    const irl_expr      *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    int                  count = 0;
    if (!w) return 0;
    for (int k = 0; k < irl_stmt_arg_count(store); k++) {
        if (!w->point[k]) continue;
        to[count] = w->point[k];
        from[count] = variable_of(s, irl_stmt_arg(store, k), &to[count]);
        if (!from[count++]) return 0;
    }
    for (int k = 0; k < irl_expr_arg_count(e); k++)
        point[k] = irl_expr_substitute(s->cx, irl_expr_arg(e, k), count, from, to);
    return 1;
}

static int is_own_load(const irl_expr *e, const irl_stmt *store)
{
    for (int k = 0; k < irl_expr_arg_count(e); k++)
        if (irl_expr_arg(e, k) != irl_stmt_arg(store, k)) return 0;
    return 1;
}

/* A load of s->sought: of the element that its store writes, or of one that a wanted store needs;
   or s->is_other. */
static int see_use(void *user, const irl_expr *e, const irl_stmt *of)
{
    sampler        *s = (sampler *)user;
    const irl_expr *point[IRL_MAX_RANK];
    int             is_store = of && irl_stmt_kind_of(of) == IRL_STMT_STORE;
    s->is_other |= irl_expr_op(e) == IRL_OP_CALL_EXTERN;
    if (irl_expr_op(e) != IRL_OP_LOAD || irl_expr_buffer(e) != s->sought) return 1;
    for (int k = 0; is_store && k < irl_stmt_arg_count(of); k++)
        is_store = !contains(irl_stmt_arg(of, k), e);
    if (is_store && irl_stmt_buffer(of) == s->sought && is_own_load(e, of)) return 1;
    if (!is_store || irl_stmt_buffer(of) == s->sought || !point_of_load(s, e, of, point)) {
        s->is_other = 1;
        return 0;
    }
    for (int k = 0; k < irl_expr_arg_count(e); k++) /* different ones: all along that axis */
        if (!s->found) s->point[k] = reads_memory(point[k]) ? NULL : point[k];
        else if (s->point[k] != point[k]) s->point[k] = NULL;
    s->found = 1;
    return 1;
}

/* Where a variable of the point is bound inside of `t`, all along that axis are wanted. */
static int see_bound(void *user, const irl_stmt *t)
{
    sampler              *s = (sampler *)user;
    const irl_block_desc *block =
        irl_stmt_kind_of(t) == IRL_STMT_BLOCK ? irl_stmt_block_desc(t) : NULL;
    const irl_expr *var = irl_stmt_var(t);
    for (int k = 0; k < irl_buffer_rank(s->sought); k++) {
        int is_bound = s->point[k] && var && contains(s->point[k], var);
        for (int j = 0; block && s->point[k] && j < block->axis_count; j++)
            is_bound |= contains(s->point[k], block->axes[j].var);
        if (is_bound) s->point[k] = NULL;
    }
    return 1;
}

typedef struct sample_stores {
    const irl_buffer *buffer;
    int               found, is_other;
} sample_stores;

static int see_store(void *user, const irl_stmt *t)
{
    sample_stores *s = (sample_stores *)user;
    if (irl_stmt_kind_of(t) == IRL_STMT_DECL &&
        irl_buffer_pointer(irl_stmt_buffer(t)) == irl_buffer_pointer(s->buffer))
        s->is_other = 1;
    const irl_block_desc *block =
        irl_stmt_kind_of(t) == IRL_STMT_BLOCK ? irl_stmt_block_desc(t) : NULL;
    for (int k = 0; block && k < block->match_count; k++)
        s->is_other |= block->matches[k].source.buffer == s->buffer;
    if (irl_stmt_kind_of(t) != IRL_STMT_STORE || irl_stmt_buffer(t) != s->buffer) return 1;
    s->found = 1;
    for (int k = 0; k < irl_stmt_arg_count(t); k++)
        s->is_other |= irl_expr_type(irl_stmt_arg(t, k)).lanes != 1;
    return 1;
}

/* Does it store to b? *is_other: also as a vector, or through a view. */
static int stores_to(const irl_stmt *t, const irl_buffer *b, int *is_other)
{
    sample_stores s = { NULL, 0, 0 };
    irl_walk      walk = { see_store, NULL, NULL, NULL, NULL };
    s.buffer = b;
    walk.user = &s;
    irl_stmt_walk(t, &walk);
    *is_other |= s.is_other;
    return s.found;
}

/* Is one element of b, which the sequence allocates, all that is needed, or if may_be_row those
   along some axes? Then it is wanted. */
static void want_local(sampler *s, const irl_buffer *b, const irl_stmt *scope, int may_be_row)
{
    irl_walk uses = { NULL, see_use, NULL, NULL, NULL },
             bound = { see_bound, NULL, NULL, NULL, NULL };
    sample_wanted *w = &s->wanted[s->wanted_count];
    if (s->wanted_count == SAMPLE_BUFFERS || find_wanted(s, b)) return;
    uses.user = bound.user = s;
    s->sought = b;
    s->found = s->is_other = 0;
    irl_stmt_walk(scope, &uses);
    stores_to(scope, b, &s->is_other);
    if (!s->found || s->is_other) return;
    irl_stmt_walk(scope, &bound);
    int points = 0;
    for (int k = 0; k < irl_buffer_rank(b); k++) points += s->point[k] != NULL;
    if (points < irl_buffer_rank(b) && (!may_be_row || !points)) return;
    memset(w, 0, sizeof *w);
    w->buffer = b;
    memcpy(w->point, s->point, sizeof w->point);
    s->wanted_count++;
}

static int see_scope(void *user, const irl_stmt *t)
{
    sampler *s = (sampler *)user;
    for (int k = 0; irl_stmt_kind_of(t) == IRL_STMT_SEQ && k < irl_stmt_child_count(t); k++)
        if (irl_stmt_kind_of(irl_stmt_child(t, k)) == IRL_STMT_ALLOC)
            want_local(s, irl_stmt_buffer(irl_stmt_child(t, k)), t, 0);
    return 1;
}

/* ------------------------------------------------------------------ rewriting */

static const irl_stmt *only_wanted(sampler *s, const irl_stmt *t)
{
    const irl_expr      *test = NULL, *var = irl_stmt_var(t);
    const irl_stmt      *parts[2];
    if (irl_stmt_kind_of(t) == IRL_STMT_STORE) {
        const sample_wanted *w = find_wanted(s, irl_stmt_buffer(t));
        if (w && w->first)
            test = irl_expr_op2(s->cx, IRL_OP_EQ, w->first, irl_expr_index(s->cx, 1));
        for (int k = 0; w && k < irl_stmt_arg_count(t); k++) {
            if (!w->point[k]) continue;
            const irl_expr *part = irl_expr_op2(s->cx, IRL_OP_EQ, irl_stmt_arg(t, k), w->point[k]);
            test = test ? irl_expr_op2(s->cx, IRL_OP_AND, test, part) : part;
        }
        return test ? irl_stmt_if(s->cx, test, t, NULL) : t;
    }
    if (irl_stmt_kind_of(t) != IRL_STMT_FOR) {
        for (int k = 0; k < irl_stmt_child_count(t); k++)
            t = irl_stmt_set_child(s->cx, t, k, only_wanted(s, irl_stmt_child(t, k)));
        return t;
    }
    const irl_stmt *body = only_wanted(s, irl_stmt_child(t, 0));
    judge(s, irl_stmt_child(t, 0), var);
    if (s->is_refused || !s->stores || s->is_untested)
        return irl_stmt_set_child(s->cx, t, 0, body);
    if (s->is_inexact)
        return irl_stmt_set_child(s->cx, t, 0, irl_stmt_if(s->cx, s->test, body, NULL));
    parts[0] = irl_stmt_let(s->cx, var, s->exact);
    parts[1] = body;
    test = irl_expr_op2(s->cx, IRL_OP_ADD, irl_stmt_min(t), irl_stmt_extent(t));
    test = irl_expr_op2(s->cx, IRL_OP_AND,
                        irl_expr_op2(s->cx, IRL_OP_LE, irl_stmt_min(t), s->exact),
                        irl_expr_op2(s->cx, IRL_OP_LT, s->exact, test));
    return irl_stmt_if(s->cx, test, irl_stmt_seq(s->cx, 2, parts), NULL);
}

/* The points that are wanted, in new variables. */
static void renew_points(sampler *s)
{
    const irl_expr *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    const int       rank = irl_buffer_rank(s->wanted[0].buffer);
    memcpy(from, s->wanted[0].point, sizeof from);
    for (int k = 0; k < rank; k++) to[k] = irl_expr_var(s->cx, "e", irl_type_of(IRL_INDEX, 1));
    for (int k = 0; k < s->wanted_count; k++)
        for (int j = 0; j < irl_buffer_rank(s->wanted[k].buffer); j++)
            if (!from[0]) s->wanted[k].point[j] = to[j];
            else if (s->wanted[k].point[j])
                s->wanted[k].point[j] =
                    irl_expr_substitute(s->cx, s->wanted[k].point[j], rank, from, to);
}

/* The statement for each point of the table; NULL: it must run as it is. */
static const irl_stmt *for_points(sampler *s, const irl_stmt *t, const irl_buffer *table, int count)
{
    const irl_type  index = irl_type_of(IRL_INDEX, 1);
    const irl_expr *q = irl_expr_var(s->cx, "q", index), *at[2];
    const irl_stmt *parts[IRL_MAX_RANK + SAMPLE_BUFFERS + 1];
    const int       rank = irl_buffer_rank(s->wanted[0].buffer), outer = s->wanted_count;
    int             lets = rank;
    irl_walk        walk = { see_scope, NULL, NULL, NULL, NULL };
    int             before;
    walk.user = s;
    at[0] = q;
    renew_points(s);
    for (int k = 0; k < rank; k++) {
        at[1] = irl_expr_index(s->cx, k);
        parts[k] = irl_stmt_let(s->cx, s->wanted[0].point[k],
                                irl_expr_cast(s->cx, index, irl_expr_load(s->cx, table, 2, at)));
    }
    for (int k = 1; k < outer; k++) {
        if (!s->wanted[k].is_shared) continue;
        at[1] = irl_expr_index(s->cx, rank + k);
        s->wanted[k].first = irl_expr_var(s->cx, "first", index);
        parts[lets++] =
            irl_stmt_let(s->cx, s->wanted[k].first,
                         irl_expr_cast(s->cx, index, irl_expr_load(s->cx, table, 2, at)));
    }
    judge(s, t, NULL);
    if (s->is_refused) return NULL;
    do {
        before = s->wanted_count;
        irl_stmt_walk(t, &walk);
    } while (s->wanted_count > before);
    parts[lets] = only_wanted(s, t);
    s->wanted_count = outer;
    return irl_stmt_for(s->cx, IRL_SERIAL, q, irl_expr_index(s->cx, 0),
                        irl_expr_index(s->cx, count), irl_stmt_seq(s->cx, lets + 1, parts));
}

/* The parts of a sequence, or the one statement; NULL beyond the last. */
static const irl_stmt *part_of(const irl_stmt *body, int k)
{
    return irl_stmt_kind_of(body) == IRL_STMT_SEQ ? irl_stmt_child(body, k) : k ? NULL : body;
}

/* Is coordinate k of a point of the result one of w's? */
static int has_coordinate(const sampler *s, const sample_wanted *w, int k)
{
    for (int j = 0; j < irl_buffer_rank(w->buffer); j++)
        if (w->point[j] && w->point[j] == s->wanted[0].point[k]) return 1;
    return 0;
}

/* No point before the n-th wants the same elements of w. */
static int is_first(const sampler *s, const sample_wanted *w, const irlc_points *points, int n)
{
    const irl_shape point = point_of(&points->shape, points->element[n]);
    for (int m = 0; m < n; m++) {
        const irl_shape other = point_of(&points->shape, points->element[m]);
        int             k;
        for (k = 0; k < point.rank; k++)
            if (point.extent[k] != other.extent[k] && has_coordinate(s, w, k)) break;
        if (k == point.rank) return 0;
    }
    return 1;
}

/* The table of points: its allocation, and its stores. */
static int fill_table(const sampler *s, const irl_buffer *table, const irlc_points *points,
                      const irl_stmt **list)
{
    const irl_type  i64 = irl_type_of(IRL_I64, 1);
    const irl_expr *at[2];
    int             count = 0;
    list[count++] = irl_stmt_alloc(s->cx, table);
    for (int n = 0; n < points->count; n++) {
        const irl_shape point = point_of(&points->shape, points->element[n]);
        at[0] = irl_expr_index(s->cx, n);
        for (int j = 0; j < point.rank + s->wanted_count; j++) {
            const sample_wanted *w = j < point.rank ? NULL : &s->wanted[j - point.rank];
            if (w && !w->is_shared) continue;
            const int64_t value = w ? is_first(s, w, points, n) : point.extent[j];
            at[1] = irl_expr_index(s->cx, j);
            list[count++] = irl_stmt_store(s->cx, table, irl_expr_int(s->cx, i64, value), 2, at);
        }
    }
    return count;
}

/* Do different points of the result want different elements of the last buffer that is wanted? */
static int is_injective(const sampler *s)
{
    for (int k = 0; k < irl_buffer_rank(s->wanted[0].buffer); k++)
        if (!has_coordinate(s, &s->wanted[s->wanted_count - 1], k)) return 0;
    return 1;
}

/* Do the points that want the same elements of it have the same coordinates? */
static int is_projection(const sampler *s, const sample_wanted *w)
{
    const sample_wanted *result = &s->wanted[0];
    const int            rank = irl_buffer_rank(result->buffer);
    for (int j = 0; j < irl_buffer_rank(w->buffer); j++) {
        int k = 0;
        while (k < rank && w->point[j] != result->point[k]) k++;
        if (w->point[j] && k == rank) return 0;
    }
    return 1;
}

/* A statement that stores to it, and to another one that is wanted, might read it in between: it
   must be stored for each point, and so must the other. */
static int is_beside_shared(const sampler *s, const sample_wanted *w, const irl_stmt *body)
{
    int is_other = 0;
    for (int n = 0; part_of(body, n); n++) {
        if (!stores_to(part_of(body, n), w->buffer, &is_other)) continue;
        for (int k = 0; k < s->wanted_count; k++)
            if (&s->wanted[k] != w && (w->is_shared || s->wanted[k].is_shared) &&
                stores_to(part_of(body, n), s->wanted[k].buffer, &is_other))
                return 1;
    }
    return 0;
}

static void want_earlier(sampler *s, const irl_buffer *b, const irl_stmt *body)
{
    const int before = s->wanted_count;
    int       is_other = 0;
    if (!b || !stores_to(body, b, &is_other)) return;
    want_local(s, b, body, 1);
    if (s->wanted_count == before) return;
    sample_wanted *w = &s->wanted[before];
    w->is_shared = !is_injective(s);
    if ((w->is_shared && (!s->may_share || !is_projection(s, w))) || is_beside_shared(s, w, body))
        s->wanted_count = before;
}

/* What the result is made of, element by element, is wanted too, however many steps that takes. */
static void want_chain(sampler *s, const irl_stmt *body)
{
    int before;
    do {
        before = s->wanted_count;
        for (int k = 0; irl_func_param_name(s->f, k); k++)
            want_earlier(s, irl_func_param_buffer(s->f, k), body);
        for (int k = 0; part_of(body, k); k++)
            if (irl_stmt_kind_of(part_of(body, k)) == IRL_STMT_ALLOC)
                want_earlier(s, irl_stmt_buffer(part_of(body, k)), body);
    } while (s->wanted_count > before);
}

/* Does it store to something wanted? */
static int stores_wanted(const sampler *s, const irl_stmt *t)
{
    int is_other = 0;
    for (int k = 0; k < s->wanted_count; k++)
        if (stores_to(t, s->wanted[k].buffer, &is_other)) return 1;
    return 0;
}

/* The parts of the body that are needed, those that store to what is wanted for the points alone;
   NULL: one of these cannot be. `list` has room. */
static const irl_stmt *sampled_body(sampler *s, const irl_stmt *body, const irlc_points *points,
                                    const irl_stmt **list)
{
    const irl_expr   *shape[2];
    shape[0] = irl_expr_index(s->cx, points->count);
    shape[1] = irl_expr_index(s->cx, points->shape.rank + s->wanted_count);
    const irl_buffer *table =
        irl_buffer_new(s->cx, "sample", irl_type_of(IRL_I64, 1), IRL_SCOPE_GLOBAL, 2, shape);
    int count = fill_table(s, table, points, list);
    for (int n = 0; part_of(body, n); n++) {
        const irl_stmt *t = part_of(body, n);
        list[count++] = stores_wanted(s, t) ? for_points(s, t, table, points->count) : t;
        if (!list[count - 1]) return NULL;
    }
    return irl_stmt_seq(s->cx, count, list);
}

/* The body as far as the last part that stores to b; NULL: none does, or not as it can be
   sampled. */
static const irl_stmt *needed_body(irl_ctx *cx, const irl_func *f, const irl_buffer *b)
{
    const irl_stmt *body = irl_func_body(f), **list;
    int             end = 0, is_other = 0;
    for (int n = 0; part_of(body, n); n++)
        if (stores_to(part_of(body, n), b, &is_other)) end = n + 1;
    list = end && !is_other ? (const irl_stmt **)calloc((size_t)end, sizeof *list) : NULL;
    if (!list) return NULL;
    for (int n = 0; n < end; n++) list[n] = part_of(body, n);
    body = irl_stmt_seq(cx, end, list);
    free((void *)list);
    return body;
}

/* Of a function whose axes all have kinds: in what is made of it they might not be known. */
static irl_func *sample_stated(irl_ctx *cx, const irl_func *f, int k, const irlc_points *points)
{
    const irl_buffer *b = irl_func_param_buffer(f, k);
    const int         rank = b ? irl_buffer_rank(b) : 0,
              is_plain = rank && !irl_func_param_map(f, k) && points->shape.rank == rank &&
                         !irl_buffer_bits(b, NULL);
    const irl_stmt   *body = is_plain ? needed_body(cx, f, b) : NULL, **list, *sampled = NULL;
    irl_walk          uses = { NULL, see_use, NULL, NULL, NULL };
    sampler          *s = body ? (sampler *)calloc(1, sizeof *s) : NULL;
    int               n;
    for (n = 0; body && part_of(body, n); n++) continue;
    list = s ? (const irl_stmt **)calloc((size_t)points->count * (size_t)(rank + SAMPLE_BUFFERS) +
                                             (size_t)n + 1, sizeof *list)
             : NULL;
    for (int is_chained = 1; list && is_chained >= 0 && !sampled; is_chained--) {
        memset(s, 0, sizeof *s);
        s->cx = cx;
        s->f = f;
        s->wanted_count = 1;
        s->may_share = points->count <= SAMPLE_SHARED;
        s->wanted[0].buffer = s->sought = b;
        renew_points(s);
        uses.user = s;
        irl_stmt_walk(body, &uses); /* is the result read for another element? */
        if (s->is_other) break;
        if (is_chained) want_chain(s, body);
        sampled = sampled_body(s, body, points, list);
    }
    free((void *)list);
    free(s);
    return sampled ? irl_func_set_body(f, sampled) : NULL;
}

irl_func *sample_func(irl_ctx *cx, const irl_func *f, int k, const irlc_points *points)
{
    f = irl_func_run_pass(f, "infer_kinds");
    return f ? sample_stated(cx, f, k, points) : NULL;
}
