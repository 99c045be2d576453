/* iterations.c - an iteration that is reached and does something: looked for, and shown for all
   parameters.

   needs     path.c; irl__value_at
   promises  what is found was evaluated: bounds, lets and conditions around the place, from the
             outside in, as the program means them. NONE is said when every iteration was looked at
   cost      at most the work that is given, in nodes evaluated

   Only what has to do with the condition is looked at together: its variables, the conditions that
   mention one of these, their variables, and so on. The rest must be reached too, but by itself. */
#include "analysis.h"

enum {
    IRL__ITEM_VALUES = 20,     /* tried of one loop or parameter where not all are */
    IRL__ITEM_CONSTANTS = 16,  /* of the expressions, near which something may happen */
    IRL__ITEMS_POINTS = 4096,  /* that are tried */
    IRL__ITEMS_SOME = 1 << 16, /* work on them */
    IRL__ITEMS_ALL = 1 << 20,  /* work on all points; more values of one loop are not counted up */
    IRL__ENDS_PATTERNS = 32
};

typedef enum irl__item_kind {
    IRL__ITEM_NAME, /* a parameter */
    IRL__ITEM_LOOP,
    IRL__ITEM_VALUE, /* a let or an axis */
    IRL__ITEM_HOLDS  /* a condition */
} irl__item_kind;

typedef struct irl__item {
    irl__item_kind     kind;
    const irl__around *node;
    const irl_expr    *var, *value, *extent; /* of a loop: the value where it begins */
    int                is_chosen;            /* among what has to do with the condition */
    int                slot;       /* of var, among the values; how many stand before a condition */
    int                is_unknown; /* this time: it depends on data */
    int64_t lo, hi, at; /* of a loop, this time: `at` is the value, or the candidate's place */
    int64_t candidate[IRL__ITEM_VALUES];
    int     candidate_count;
} irl__item;

typedef struct irl__items {
    irl_ctx   *cx;
    irl__path *path;
    irl__item *list, **order; /* order: those that are walked, conditions as early as may be */
    int        count, order_count, slots;
    irl__ptr_map     of_var; /* a variable's item */
    const irl_expr **vars; /* by slot; NULL: unknown */
    int64_t         *values;
    int64_t          constant[IRL__ITEM_CONSTANTS];
    int              constant_count;
    int              all;     /* every value is tried */
    int              most;    /* else so many of each loop */
    int              unknown; /* how many items are, now */
    int              partial; /* some values were left out */
    int64_t          left;    /* work */
} irl__items;

/* ------------------------------------------------------------------ what there is to walk */

static irl__item *irl__items_find(const irl__items *s, const irl_expr *var)
{
    return (irl__item *)irl__ptr_map_get(&s->of_var, var);
}

/* Marks the variables of e; true if that changed anything. A variable that nothing around binds is
   a parameter. */
static int irl__items_mark(irl__items *s, const irl_expr *e)
{
    int changed = 0;
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    if (e->op == IRL_OP_VAR) {
        irl__item *item = irl__items_find(s, e);
        if (!item || item->is_chosen) return 0;
        return item->is_chosen = 1;
    }
    for (uint32_t k = 0; k < e->count; k++) changed |= irl__items_mark(s, e->a[k]);
    return changed;
}

static int irl__items_mentions(const irl__items *s, const irl_expr *e)
{
    const irl__item *item;
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    if (e->op == IRL_OP_VAR) {
        item = irl__items_find(s, e);
        return item && item->is_chosen;
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__items_mentions(s, e->a[k])) return 1;
    return 0;
}

/* Until nothing more has to do with it. */
static void irl__items_choose(irl__items *s, const irl_expr *condition)
{
    int k, changed = 1;
    irl__items_mark(s, condition);
    while (changed && s->left > 0) {
        changed = 0;
        s->left -= s->count;
        for (k = s->count; k-- > 0;) {
            irl__item *item = &s->list[k];
            if (!item->is_chosen && ((item->value && irl__items_mentions(s, item->value)) ||
                                     (item->extent && irl__items_mentions(s, item->extent))))
                changed = item->is_chosen = 1;
            if (!item->is_chosen) continue;
            if (item->value) changed |= irl__items_mark(s, item->value);
            if (item->extent) changed |= irl__items_mark(s, item->extent);
        }
    }
}

static int irl__items_add(irl__items *s, irl__item_kind kind, const irl__around *node,
                          const irl_expr *var, const irl_expr *value)
{
    irl__item *item = &s->list[s->count++];
    item->kind = kind;
    item->node = node;
    item->var = var;
    item->value = value;
    return !var || irl__ptr_map_put(s->cx, &s->of_var, var, item);
}

static int irl__items_is_number(irl_type t)
{
    return (irl__type_is_integer(t) || t.scalar == IRL_BOOL) && t.lanes == 1 && !t.is_pointer;
}

/* Extents are not negative, or nothing runs. */
static int irl__items_add_shape(irl__items *s, const irl__around *n, const irl_buffer *b)
{
    const irl_expr *condition;
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op == IRL_OP_INT) continue;
        condition = irl_expr_op2(s->cx, IRL_OP_GE, b->shape[k], irl_expr_index(s->cx, 0));
        if (!condition) return 0;
        (void)irl__items_add(s, IRL__ITEM_HOLDS, n, NULL, condition);
    }
    return 1;
}

static int irl__items_add_around(irl__items *s, const irl__around *n)
{
    switch (n->kind) {
    case IRL__AROUND_LOOP:
        s->list[s->count].extent = n->stmt->u.loop.extent;
        return irl__items_add(s, IRL__ITEM_LOOP, n, n->var, n->stmt->u.loop.min);
    case IRL__AROUND_AXIS:
    case IRL__AROUND_LET:
        return !irl__items_is_number(n->var->type) ||
               irl__items_add(s, IRL__ITEM_VALUE, n, n->var, n->value);
    case IRL__AROUND_GUARD:
    case IRL__AROUND_CHECK: return irl__items_add(s, IRL__ITEM_HOLDS, n, NULL, n->value);
    case IRL__AROUND_MEMORY: return irl__items_add_shape(s, n, n->buffer);
    case IRL__AROUND_BLOCK: break;
    }
    return 1;
}

static size_t irl__items_most(const irl__path *p)
{
    const irl_func *f = p->t->f;
    size_t          n = (size_t)f->param_count + (size_t)p->count;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer) n += (size_t)f->params[k].buffer->rank;
    for (int k = 0; k < p->count; k++)
        if (p->steps[k].around->buffer) n += (size_t)p->steps[k].around->buffer->rank;
    return n;
}

static int irl__items_begin(irl__items *s, irl__path *p, int64_t work)
{
    const irl_func *f = p->t->f;
    size_t          most = irl__items_most(p);
    memset(s, 0, sizeof *s);
    s->cx = p->t->cx;
    s->path = p;
    s->left = work - (int64_t)most * IRL__ITEM_VALUES;
    s->list = (irl__item *)irl__scratch_alloc(s->cx, most, sizeof *s->list);
    s->order = (irl__item **)irl__scratch_alloc(s->cx, most, sizeof *s->order);
    s->vars = (const irl_expr **)irl__scratch_alloc(s->cx, most, sizeof *s->vars);
    s->values = (int64_t *)irl__scratch_alloc(s->cx, most, sizeof *s->values);
    if (!s->list || !s->order || !s->vars || !s->values) return 0;
    for (int k = 0; k < f->param_count; k++)
        if (!f->params[k].buffer && irl__items_is_number(f->params[k].var->type) &&
            !irl__items_add(s, IRL__ITEM_NAME, NULL, f->params[k].var, NULL))
            return 0;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && !irl__items_add_shape(s, NULL, f->params[k].buffer)) return 0;
    for (int k = 0; k < p->count; k++)
        if (!irl__items_add_around(s, p->steps[k].around)) return 0;
    return 1;
}

/* How many of the ordered items must stand before e can be evaluated. */
static int irl__items_after(const irl__items *s, const irl_expr *e)
{
    int i, most = 0;
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    for (i = s->order_count; e->op == IRL_OP_VAR && i-- > 0;)
        if (s->order[i]->var == e) return i + 1;
    for (uint32_t k = 0; k < e->count; k++) {
        i = irl__items_after(s, e->a[k]);
        if (i > most) most = i;
    }
    return most;
}

/* The chosen items, or the others: conditions stand as soon as their variables do. */
static void irl__items_order(irl__items *s, int chosen)
{
    s->order_count = s->slots = 0;
    for (int k = 0; k < s->count; k++) {
        irl__item *item = &s->list[k];
        if (item->is_chosen != chosen) continue;
        int at = item->kind == IRL__ITEM_HOLDS ? irl__items_after(s, item->value) : s->order_count;
        memmove(s->order + at + 1, s->order + at, (size_t)(s->order_count - at) * sizeof *s->order);
        s->order[at] = item;
        s->order_count++;
    }
    for (int k = 0; k < s->order_count; k++) {
        s->order[k]->slot = s->slots;
        if (s->order[k]->var) s->slots++;
    }
}

/* ------------------------------------------------------------------ values worth a try */

static void irl__items_constant(irl__items *s, int64_t c)
{
    for (int k = 0; k < s->constant_count; k++)
        if (s->constant[k] == c) return;
    if (s->constant_count < IRL__ITEM_CONSTANTS) s->constant[s->constant_count++] = c;
}

static void irl__items_constants(irl__items *s, const irl_expr *e)
{
    if (e->op == IRL_OP_INT && e->u.i > 1 && e->u.i < INT64_MAX / 2) irl__items_constant(s, e->u.i);
    for (uint32_t k = 0; k < e->count && s->constant_count < IRL__ITEM_CONSTANTS; k++)
        irl__items_constants(s, e->a[k]);
}

static void irl__item_candidate(irl__item *item, int most, int64_t v)
{
    if (v < item->lo || v > item->hi || item->candidate_count == most) return;
    for (int k = 0; k < item->candidate_count; k++)
        if (item->candidate[k] == v) return;
    item->candidate[item->candidate_count++] = v;
}

/* Of a loop the ends first: what leaves a buffer leaves it there, most of the time. */
static void irl__item_candidates(const irl__items *s, irl__item *item)
{
    item->candidate_count = 0;
    if (item->kind == IRL__ITEM_NAME) {
        /* A parameter: small numbers, and those near the constants that it is compared with. */
        static const int64_t usual[] = { 1, 2, 3, 4, 0, 5, 7, 8, 16, 33 };
        int                  k, j, count = (int)IRL__COUNTOF(usual);
        if (item->lo > INT64_MIN) irl__item_candidate(item, IRL__ITEM_VALUES, item->lo);
        for (k = 0; k < 4; k++) irl__item_candidate(item, IRL__ITEM_VALUES, usual[k]);
        for (k = 0; k < s->constant_count; k++)
            for (j = -1; j <= 1; j++)
                irl__item_candidate(item, IRL__ITEM_VALUES, s->constant[k] + j);
        for (k = 4; k < count; k++) irl__item_candidate(item, IRL__ITEM_VALUES, usual[k]);
        if (item->hi < INT64_MAX) irl__item_candidate(item, IRL__ITEM_VALUES, item->hi);
        irl__item_candidate(item, IRL__ITEM_VALUES, -1);
        return;
    }
    irl__item_candidate(item, s->most, item->hi);
    irl__item_candidate(item, s->most, item->lo);
    irl__item_candidate(item, s->most, item->hi - (item->hi > item->lo));
    irl__item_candidate(item, s->most, item->lo + (item->hi > item->lo));
    for (int k = 0; k < s->constant_count; k++)
        for (int j = -1; j <= 1; j++) irl__item_candidate(item, s->most, s->constant[k] + j);
}

static uint64_t irl__item_span(const irl__item *item)
{
    return (uint64_t)item->hi - (uint64_t)item->lo;
}

static int irl__item_counts_up(const irl__items *s, const irl__item *item)
{
    return s->all && irl__item_span(item) < IRL__ITEMS_ALL;
}

/* ------------------------------------------------------------------ the walk */

static irl__fold_status irl__items_evaluate(irl__items *s, const irl__item *before,
                                            const irl_expr *e, int64_t *out)
{
    int count = before ? before->slot : s->slots;
    if (e->op == IRL_OP_INT) return *out = e->u.i, IRL__FOLD_OK;
    s->left -= (int64_t)e->size + 1;
    return irl__value_at(e, count, s->vars, s->values, out);
}

static void irl__items_unknown(irl__items *s, irl__item *item)
{
    item->is_unknown = 1;
    s->unknown++;
}

static void irl__items_set(irl__items *s, irl__item *item, int64_t v)
{
    s->vars[item->slot] = item->var;
    s->values[item->slot] = v;
}

/* The first value that is tried; false where there is none. */
static int irl__items_first(irl__items *s, irl__item *item)
{
    if (item->lo > item->hi) return 0;
    item->at = 0;
    if (irl__item_counts_up(s, item)) {
        irl__items_set(s, item, item->lo);
        return 1;
    }
    irl__item_candidates(s, item);
    if (irl__item_span(item) >= (uint64_t)item->candidate_count) s->partial = 1;
    if (!item->candidate_count) return 0;
    irl__items_set(s, item, item->candidate[0]);
    return 1;
}

static int irl__items_next(irl__items *s, irl__item *item)
{
    if ((item->kind != IRL__ITEM_LOOP && item->kind != IRL__ITEM_NAME) || item->is_unknown)
        return 0;
    if (irl__item_counts_up(s, item)) {
        if (s->values[item->slot] == item->hi) return 0;
        s->values[item->slot]++;
        return 1;
    }
    if (++item->at >= item->candidate_count) return 0;
    s->values[item->slot] = item->candidate[item->at];
    return 1;
}

/* False where the walk cannot go on from here: a condition is false, or something has no value. */
static int irl__items_enter(irl__items *s, irl__item *item)
{
    irl__fold_status status;
    irl__interval    r;
    int64_t          v;
    item->is_unknown = 0;
    switch (item->kind) {
    case IRL__ITEM_NAME:
        r = irl__range_of(s->path->an, item->var);
        item->lo = r.lo;
        item->hi = r.hi;
        return irl__items_first(s, item);
    case IRL__ITEM_LOOP: {
        int64_t          extent = 1;
        irl__fold_status min = irl__items_evaluate(s, item, item->value, &item->lo),
                         size = irl__items_evaluate(s, item, item->extent, &extent);
        if (min == IRL__FOLD_NO_RULE || size == IRL__FOLD_NO_RULE) {
            irl__items_unknown(s, item);
            s->partial = 1;
            s->vars[item->slot] = NULL;
            if (min != IRL__FOLD_OK) return min == IRL__FOLD_NO_RULE;
            irl__items_set(s, item, item->lo); /* if it runs at all */
            return 1;
        }
        if (min != IRL__FOLD_OK || size != IRL__FOLD_OK || extent <= 0 ||
            !irl__add64(item->lo, extent - 1, &item->hi))
            return 0;
        return irl__items_first(s, item);
    }
    case IRL__ITEM_VALUE:
        status = irl__items_evaluate(s, item, item->value, &v);
        if (status == IRL__FOLD_OK) irl__items_set(s, item, v);
        else s->vars[item->slot] = NULL; /* what needs it will not be known */
        return status == IRL__FOLD_OK || status == IRL__FOLD_NO_RULE;
    case IRL__ITEM_HOLDS:
        status = irl__items_evaluate(s, item, item->value, &v);
        if (status == IRL__FOLD_NO_RULE) {
            /* what is asserted of data alone, some data keep */
            if (item->is_chosen || (item->node && item->node->kind == IRL__AROUND_GUARD))
                irl__items_unknown(s, item);
            return 1;
        }
        return status == IRL__FOLD_OK && v != 0;
    }
    return 0;
}

/* Back to the innermost item that has another value; its place, or -1. */
static int irl__items_back(irl__items *s, int k)
{
    while (--k >= 0) {
        irl__item *item = s->order[k];
        if (irl__items_next(s, item)) return k;
        s->unknown -= item->is_unknown;
        item->is_unknown = 0;
    }
    return -1;
}

static int irl__items_keep(irl__items *s, int64_t *values)
{
    for (int k = 0; k < s->slots; k++) values[k] = s->vars[k] ? s->values[k] : INT64_MIN;
    return 1;
}

/* Walks the ordered items for an iteration where the condition (NULL: any) is true; `values` is
   what was found. */
static irl__sought irl__items_walk(irl__items *s, const irl_expr *condition, int64_t *values)
{
    int     k = 0, on_data = 0, is_open = 0;
    int64_t v = 1;
    s->unknown = s->partial = 0;
    for (k = 0; k < s->order_count; k++) s->order[k]->is_unknown = 0;
    for (k = 0; k >= 0;) {
        if (s->left <= 0) return on_data ? IRL__SOUGHT_ON_DATA : IRL__SOUGHT_OPEN;
        if (k < s->order_count) {
            irl__item *item = s->order[k];
            if (irl__items_enter(s, item)) k++;
            else {
                s->unknown -= item->is_unknown;
                item->is_unknown = 0;
                k = irl__items_back(s, k) + 1;
                if (k == 0) break;
            }
            continue;
        }
        if (condition) {
            irl__fold_status status = irl__items_evaluate(s, NULL, condition, &v);
            is_open |= status == IRL__FOLD_NO_RULE;
            if (status != IRL__FOLD_OK) v = 0;
        }
        if (v && !s->unknown) return irl__items_keep(s, values), IRL__SOUGHT_FOUND;
        if (v && !on_data) on_data = irl__items_keep(s, values);
        k = irl__items_back(s, k) + 1;
        if (k == 0) break;
    }
    return on_data                 ? IRL__SOUGHT_ON_DATA
           : s->partial || is_open ? IRL__SOUGHT_OPEN
                                   : IRL__SOUGHT_NONE;
}

/* ------------------------------------------------------------------ the answer */

/* What was found of the chosen items, and of the others: parameters and loops, in their order. */
static int irl__items_result(irl__items *s, irl__iteration *out)
{
    const irl_expr **vars =
        (const irl_expr **)irl__alloc_array(s->cx, (size_t)s->count, sizeof *vars);
    int64_t *values = (int64_t *)irl__alloc_array(s->cx, (size_t)s->count, sizeof *values);
    int      k, n = 0;
    if (!vars || !values) return 0;
    for (k = 0; k < s->count; k++) {
        const irl__item *item = &s->list[k];
        if (item->kind != IRL__ITEM_NAME && item->kind != IRL__ITEM_LOOP) continue;
        if (item->at == INT64_MIN) continue; /* it depends on data */
        vars[n] = item->var;
        values[n++] = item->at;
    }
    out->count = n;
    out->vars = vars;
    out->values = values;
    return 1;
}

static void irl__items_take(irl__items *s, const int64_t *values)
{
    for (int k = 0; k < s->order_count; k++)
        if (s->order[k]->var) s->order[k]->at = values[s->order[k]->slot];
}

/* So many values of each loop that the points are not too many; two at least, the ends. */
static int irl__items_some(const irl__items *s)
{
    int k, most = IRL__ITEM_VALUES;
    for (; most > 2; most--) {
        int64_t points = 1;
        for (k = 0; k < s->order_count && points <= IRL__ITEMS_POINTS; k++)
            if (s->order[k]->kind == IRL__ITEM_LOOP) points *= most;
        if (points <= IRL__ITEMS_POINTS) break;
    }
    return most;
}

/* With some values; then with all. */
static irl__sought irl__items_seek(irl__items *s, const irl_expr *condition, int64_t *values)
{
    int64_t     left = s->left, most;
    irl__sought found = IRL__SOUGHT_OPEN;
    s->most = irl__items_some(s);
    for (s->all = 0; s->all < 2; s->all++) {
        most = s->all ? IRL__ITEMS_ALL : IRL__ITEMS_SOME;
        s->left = left < most ? left : most;
        most = s->left;
        found = irl__items_walk(s, condition, values);
        left -= most - s->left;
        if (found == IRL__SOUGHT_FOUND || found == IRL__SOUGHT_NONE) break;
    }
    s->left = left;
    return found;
}

static irl__sought irl__items_answer(irl__items *s, const irl_expr *condition, irl__iteration *out)
{
    int64_t *values = (int64_t *)irl__scratch_alloc(s->cx, (size_t)s->count, sizeof *values);
    if (!values) return IRL__SOUGHT_FAILED;
    irl__items_choose(s, condition);
    irl__items_constants(s, condition);
    for (int k = 0; k < s->count; k++)
        if (s->list[k].is_chosen && s->list[k].value) irl__items_constants(s, s->list[k].value);
    irl__items_order(s, 1);
    irl__sought found = irl__items_seek(s, condition, values);
    if (found != IRL__SOUGHT_FOUND && found != IRL__SOUGHT_ON_DATA) return found;
    irl__items_take(s, values);
    irl__items_order(s, 0);
    irl__sought rest = irl__items_seek(s, NULL, values);
    if (rest == IRL__SOUGHT_OPEN || rest == IRL__SOUGHT_NONE) return rest;
    irl__items_take(s, values);
    if (!irl__items_result(s, out)) return IRL__SOUGHT_FAILED;
    return rest == IRL__SOUGHT_ON_DATA ? rest : found;
}

irl__sought irl__iteration_find(irl__path *p, const irl_expr *condition, int64_t *work,
                                irl__iteration *out)
{
    irl__arena_mark mark = irl__scratch_begin(p->t->cx);
    irl__items      s;
    irl__sought     found = IRL__SOUGHT_FAILED;
    memset(out, 0, sizeof *out);
    if (*work <= 0) found = IRL__SOUGHT_OPEN;
    else if (condition && irl__items_begin(&s, p, *work)) {
        found = irl__items_answer(&s, condition, out);
        *work = s.left > 0 ? s.left : 0;
    }
    irl__scratch_end(p->t->cx, mark);
    return irl__ok(p->t->cx) ? found : IRL__SOUGHT_FAILED;
}

/* ------------------------------------------------------------------ for all parameters */

/* One end of each loop, in terms of parameters. */
typedef struct irl__ends {
    irl__path            *path;
    irl_ctx              *cx;
    irl__analyzer        *an;
    const irl__iteration *like;
    int                   count;
    const irl_expr      **from, **to;
    uint32_t              pattern;
} irl__ends;

enum { IRL__ENDS_SIZE = 1 << 10, IRL__ENDS_DEPTH = IRL_MAX_DEPTH / 4 };

/* e, without lets and axes, at these ends; NULL where that is not known or too large. */
static const irl_expr *irl__ends_of(irl__ends *s, const irl_expr *e)
{
    uint32_t size = 1, depth = 0;
    e = irl__accesses_plain(s->path->t, e);
    if (!e || e->size > IRL__ENDS_SIZE) return NULL;
    for (int k = 0; k < s->count; k++) {
        if (s->to[k]->size > size) size = s->to[k]->size;
        if (s->to[k]->depth > depth) depth = s->to[k]->depth;
    }
    if (size > IRL__ENDS_SIZE || e->size * size > IRL__ENDS_SIZE ||
        e->depth + depth > IRL__ENDS_DEPTH)
        return NULL;
    return irl__substitute(s->cx, e, s->count, s->from, s->to);
}

static int irl__ends_fact(irl__ends *s, const irl_expr *condition)
{
    if (!condition || (condition->flags & IRL__HAS_MEMORY)) return condition != NULL;
    return irl__fact(s->an, condition);
}

/* The last iteration, the first, or the one that was found. */
static const irl_expr *irl__ends_choose(irl__ends *s, const irl_expr *var, const irl_expr *min,
                                        const irl_expr *extent)
{
    irl_ctx *cx = s->cx;
    const irl_expr *last = irl__sub(cx, irl__add(cx, min, extent), irl_expr_index(cx, 1)),
                   *at = NULL;
    for (int k = 0; k < s->like->count; k++)
        if (s->like->vars[k] == var) at = irl_expr_index(cx, s->like->values[k]);
    if (min->op == IRL_OP_INT && extent->op == IRL_OP_INT) /* it may be so at these ends alone */
        return at && at->u.i >= min->u.i && at->u.i - min->u.i < extent->u.i ? at : NULL;
    uint32_t way = s->pattern % 3;
    s->pattern /= 3;
    if (way < 2 || !at) return way == 1 ? min : last;
    return irl__prove(s->an, irl_expr_op2(cx, IRL_OP_LE, min, at)) &&
                   irl__prove(s->an, irl_expr_op2(cx, IRL_OP_LE, at, last))
               ? at
               : NULL;
}

/* If a loop runs at any iteration of those around it, it runs at these ends: `for (i: n) for
   (k: i)` does so where i is n - 1, and never where it is 0. */
static int irl__ends_runs(irl__ends *s, const irl_expr *extent, const irl_expr *here)
{
    return extent && irl__prove(s->path->an, irl_expr_op2(s->cx, IRL_OP_LE, extent, here));
}

static int irl__ends_loop(irl__ends *s, const irl__around *n)
{
    const irl_expr *any = n->stmt->u.loop.extent, *min = irl__ends_of(s, n->stmt->u.loop.min),
                   *extent = min ? irl__ends_of(s, any) : NULL, *at;
    if (!extent || !irl__ends_runs(s, irl__accesses_plain(s->path->t, any), extent) ||
        !irl__ends_fact(s, irl_expr_op2(s->cx, IRL_OP_GE, extent, irl_expr_index(s->cx, 1))))
        return 0;
    at = irl__ends_choose(s, n->var, min, extent);
    at = at ? irl__simplify(s->an, at) : NULL;
    if (!at) return 0;
    s->from[s->count] = n->var;
    s->to[s->count++] = at;
    return 1;
}

static int irl__ends_shape(irl__ends *s, const irl_buffer *b)
{
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op == IRL_OP_INT) continue;
        const irl_expr *extent = irl__ends_of(s, b->shape[k]);
        if (!irl__ends_fact(s, extent ? irl_expr_op2(s->cx, IRL_OP_GE, extent,
                                                     irl_expr_index(s->cx, 0))
                                      : NULL))
            return 0;
    }
    return 1;
}

static int irl__ends_try(irl__ends *s, const irl_expr *condition, uint32_t pattern)
{
    s->an = irl__analyzer_begin(s->cx);
    s->pattern = pattern;
    s->count = 0;
    int ok = s->an && irl__path_params(s->an, s->path->t->f);
    for (int k = 0; ok && k < s->path->count; k++) {
        const irl__around *n = s->path->steps[k].around;
        if (n->kind == IRL__AROUND_LOOP) ok = irl__ends_loop(s, n);
        else if (n->kind == IRL__AROUND_GUARD) {
            /* True for all values that are left: a condition on parameters alone excludes none. */
            const irl_expr *here = irl__ends_of(s, n->value);
            ok = here && irl__prove(s->an, here);
        } else if (n->kind == IRL__AROUND_CHECK) ok = irl__ends_fact(s, irl__ends_of(s, n->value));
        else if (n->kind == IRL__AROUND_MEMORY) ok = irl__ends_shape(s, n->buffer);
    }
    condition = ok ? irl__ends_of(s, condition) : NULL;
    return condition && irl__prove(s->an, condition);
}

/* A loop whose ends are no numbers. */
static int irl__ends_is_open(const irl__around *n)
{
    return n->kind == IRL__AROUND_LOOP &&
           (n->stmt->u.loop.min->op != IRL_OP_INT || n->stmt->u.loop.extent->op != IRL_OP_INT);
}

int irl__iteration_for_all(irl__path *p, const irl_expr *condition, const irl__iteration *like)
{
    irl__arena_mark mark = irl__scratch_begin(p->t->cx), trial;
    irl__ends       s;
    uint32_t        pattern, patterns = 1;
    int             found = 0, k;
    for (k = 0; k < p->count && patterns < IRL__ENDS_PATTERNS; k++)
        if (irl__ends_is_open(p->steps[k].around)) patterns *= 3;
    memset(&s, 0, sizeof s);
    s.path = p;
    s.cx = p->t->cx;
    s.like = like;
    s.from = (const irl_expr **)irl__scratch_alloc(s.cx, (size_t)p->count, sizeof *s.from);
    s.to = (const irl_expr **)irl__scratch_alloc(s.cx, (size_t)p->count, sizeof *s.to);
    for (pattern = 0; s.from && s.to && !found && pattern < patterns; pattern++) {
        trial = irl__scratch_begin(s.cx);
        found = irl__ends_try(&s, condition, pattern);
        irl__scratch_end(s.cx, trial);
    }
    irl__scratch_end(p->t->cx, mark);
    return found && irl__ok(p->t->cx);
}
