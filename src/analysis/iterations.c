/* iterations.c - finds an iteration that is reached and satisfies a condition, and shows it for all
   parameters.

   needs     path.c; irl__value_at
   promises  an iteration that is found was evaluated: bounds, lets and conditions around the place,
             from the outside in. NONE means that every iteration was examined
   cost      at most the work that is given, in nodes evaluated

   Only what is related to the condition is examined together: its variables, the conditions that
   mention one of these, their variables, and so on. The rest must be reached too, but
   separately. */
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
    int64_t            lo, hi;     /* this time, of a loop or a parameter */
    int64_t            at, many;   /* which value is tried, of so many: from lo on, or candidates */
    int                counts_up;
    int64_t            candidate[IRL__ITEM_VALUES];
    int64_t            found; /* the answer; INT64_MIN: it depends on data */
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

static int irl__items_is_number(irl_type t)
{
    return (irl__type_is_integer(t) || t.scalar == IRL_BOOL) && t.lanes == 1 && !t.is_pointer;
}

static int irl__items_add(irl__items *s, irl__item_kind kind, const irl__around *node,
                          const irl_expr *var, const irl_expr *value, const irl_expr *extent)
{
    irl__item item;
    if (var && !irl__items_is_number(var->type)) return 1;
    memset(&item, 0, sizeof item);
    item.kind = kind;
    item.node = node;
    item.var = var;
    item.value = value;
    item.extent = extent;
    return (var || value) && IRL__PUSH_SCRATCH(s->cx, s->list, item);
}

/* Extents are not negative, or nothing runs. */
static int irl__items_add_shape(irl__items *s, const irl__around *n, const irl_buffer *b)
{
    for (int k = 0; k < b->rank; k++)
        if (b->shape[k]->op != IRL_OP_INT &&
            !irl__items_add(s, IRL__ITEM_HOLDS, n, NULL,
                            irl_expr_op2(s->cx, IRL_OP_GE, b->shape[k], irl_expr_index(s->cx, 0)),
                            NULL))
            return 0;
    return 1;
}

static int irl__items_add_around(irl__items *s, const irl__around *n)
{
    switch (n->kind) {
    case IRL__AROUND_LOOP:
        return irl__items_add(s, IRL__ITEM_LOOP, n, n->var, n->stmt->u.loop.min,
                              n->stmt->u.loop.extent);
    case IRL__AROUND_AXIS:
    case IRL__AROUND_LET: return irl__items_add(s, IRL__ITEM_VALUE, n, n->var, n->value, NULL);
    case IRL__AROUND_GUARD:
    case IRL__AROUND_CHECK: return irl__items_add(s, IRL__ITEM_HOLDS, n, NULL, n->value, NULL);
    case IRL__AROUND_MEMORY: return irl__items_add_shape(s, n, n->buffer);
    case IRL__AROUND_BLOCK: break;
    }
    return 1;
}

static int irl__items_begin(irl__items *s, irl__path *p, int64_t work)
{
    const irl_func *f = p->t->f;
    memset(s, 0, sizeof *s);
    s->cx = p->t->cx;
    s->path = p;
    for (int k = 0; k < f->param_count; k++)
        if (!f->params[k].buffer &&
            !irl__items_add(s, IRL__ITEM_NAME, NULL, f->params[k].var, NULL, NULL))
            return 0;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && !irl__items_add_shape(s, NULL, f->params[k].buffer)) return 0;
    for (int k = 0; k < p->count; k++)
        if (!irl__items_add_around(s, p->steps[k].around)) return 0;
    s->count = (int)stbds_arrlen(s->list);
    s->left = work - (int64_t)s->count * IRL__ITEM_VALUES;
    const size_t room = (size_t)s->count + 1;
    s->order = (irl__item **)irl__scratch_alloc(s->cx, room, sizeof *s->order);
    s->vars = (const irl_expr **)irl__scratch_alloc(s->cx, room, sizeof *s->vars);
    s->values = (int64_t *)irl__scratch_alloc(s->cx, room, sizeof *s->values);
    for (int k = 0; k < s->count; k++)
        if (s->list[k].var && !irl__ptr_map_put(s->cx, &s->of_var, s->list[k].var, &s->list[k]))
            return 0;
    return s->order && s->vars && s->values;
}

/* Marks the variables of e; true if that changed anything. A variable that nothing around binds is
   a parameter. */
static int irl__items_mark(irl__items *s, const irl_expr *e)
{
    int changed = 0;
    if (!e || !(e->flags & IRL__HAS_VAR)) return 0;
    if (e->op == IRL_OP_VAR) {
        irl__item *item = (irl__item *)irl__ptr_map_get(&s->of_var, e);
        if (!item || item->is_chosen) return 0;
        return item->is_chosen = 1;
    }
    for (uint32_t k = 0; k < e->count; k++) changed |= irl__items_mark(s, e->a[k]);
    return changed;
}

static int irl__items_is_marked(const irl_expr *e, const void *user)
{
    if (e->op != IRL_OP_VAR) return 0;
    const irl__item *item =
        (const irl__item *)irl__ptr_map_get(&((const irl__items *)user)->of_var, e);
    return item && item->is_chosen;
}

/* Until nothing more has to do with it. */
static void irl__items_choose(irl__items *s, const irl_expr *condition)
{
    int changed = 1;
    irl__items_mark(s, condition);
    while (changed && s->left > 0) {
        changed = 0;
        s->left -= s->count;
        for (int k = s->count; k-- > 0;) {
            irl__item *item = &s->list[k];
            if (!item->is_chosen &&
                ((item->value && irl__expr_any(item->value, irl__items_is_marked, s)) ||
                 (item->extent && irl__expr_any(item->extent, irl__items_is_marked, s))))
                changed = item->is_chosen = 1;
            if (!item->is_chosen) continue;
            changed |= irl__items_mark(s, item->value);
            changed |= irl__items_mark(s, item->extent);
        }
    }
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
        s->slots += s->order[k]->var != NULL;
    }
}

/* ------------------------------------------------------------------ values worth a try */

static void irl__items_constants(irl__items *s, const irl_expr *e)
{
    if (e->op == IRL_OP_INT && e->u.i > 1 && e->u.i < INT64_MAX / 2) {
        int k;
        for (k = 0; k < s->constant_count && s->constant[k] != e->u.i; k++) {}
        if (k == s->constant_count && k < IRL__ITEM_CONSTANTS)
            s->constant[s->constant_count++] = e->u.i;
    }
    for (uint32_t k = 0; k < e->count && s->constant_count < IRL__ITEM_CONSTANTS; k++)
        irl__items_constants(s, e->a[k]);
}

static void irl__item_candidate(irl__item *item, int most, int64_t v)
{
    if (v < item->lo || v > item->hi || item->many == most) return;
    for (int k = 0; k < (int)item->many; k++)
        if (item->candidate[k] == v) return;
    item->candidate[item->many++] = v;
}

static void irl__item_near_constants(const irl__items *s, irl__item *item, int most)
{
    for (int k = 0; k < s->constant_count; k++)
        for (int j = -1; j <= 1; j++) irl__item_candidate(item, most, s->constant[k] + j);
}

/* Of a loop the ends first: what leaves a buffer leaves it there, most of the time. Of a parameter
   small numbers, and those near the constants that it is compared with. */
static void irl__item_candidates(const irl__items *s, irl__item *item)
{
    static const int64_t usual[] = { 1, 2, 3, 4, 0, 5, 7, 8, 16, 33 };
    const int            most = item->kind == IRL__ITEM_NAME ? IRL__ITEM_VALUES : s->most;
    if (item->kind == IRL__ITEM_LOOP) {
        irl__item_candidate(item, most, item->hi);
        irl__item_candidate(item, most, item->lo);
        irl__item_candidate(item, most, item->hi - (item->hi > item->lo));
        irl__item_candidate(item, most, item->lo + (item->hi > item->lo));
        irl__item_near_constants(s, item, most);
        return;
    }
    if (item->lo > INT64_MIN) irl__item_candidate(item, most, item->lo);
    for (int k = 0; k < (int)IRL__COUNTOF(usual); k++) {
        if (k == 4) irl__item_near_constants(s, item, most);
        irl__item_candidate(item, most, usual[k]);
    }
    if (item->hi < INT64_MAX) irl__item_candidate(item, most, item->hi);
    irl__item_candidate(item, most, -1);
}

/* ------------------------------------------------------------------ the walk */

static irl__fold_status irl__items_evaluate(irl__items *s, int slots, const irl_expr *e,
                                            int64_t *out)
{
    if (e->op == IRL_OP_INT) return *out = e->u.i, IRL__FOLD_OK;
    s->left -= (int64_t)e->size + 1;
    return irl__value_at(e, slots, s->vars, s->values, out);
}

/* The value of now; true. */
static int irl__items_set(irl__items *s, const irl__item *item)
{
    if (!item->var) return 1;
    s->vars[item->slot] = item->var;
    s->values[item->slot] = item->counts_up ? item->lo + item->at : item->candidate[item->at];
    return 1;
}

/* From the first value between lo and hi on; false where there is none. */
static int irl__items_first(irl__items *s, irl__item *item)
{
    const uint64_t span = (uint64_t)item->hi - (uint64_t)item->lo;
    if (item->lo > item->hi) return 0;
    item->counts_up = s->all && span < IRL__ITEMS_ALL;
    if (item->counts_up) item->many = (int64_t)span + 1;
    else {
        irl__item_candidates(s, item);
        s->partial |= span >= (uint64_t)item->many;
    }
    return item->many && irl__items_set(s, item);
}

/* One value, or none that is known: what needs it will not be known. False: it has no value. */
static int irl__items_only(irl__items *s, irl__item *item, irl__fold_status status, int64_t value)
{
    item->many = item->counts_up = 1;
    item->lo = value;
    irl__items_set(s, item);
    if (status != IRL__FOLD_OK) s->vars[item->slot] = NULL;
    return status == IRL__FOLD_OK || status == IRL__FOLD_NO_RULE;
}

static int irl__items_unknown(irl__items *s, irl__item *item)
{
    s->unknown++;
    return item->is_unknown = 1;
}

static int irl__items_enter_loop(irl__items *s, irl__item *item)
{
    int64_t          min = 0, extent = 1;
    irl__fold_status start = irl__items_evaluate(s, item->slot, item->value, &min),
                     size = irl__items_evaluate(s, item->slot, item->extent, &extent);
    if (start == IRL__FOLD_NO_RULE || size == IRL__FOLD_NO_RULE) { /* if it runs at all */
        irl__items_unknown(s, item);
        s->partial = 1;
        return irl__items_only(s, item, start, min);
    }
    item->lo = min;
    return start == IRL__FOLD_OK && size == IRL__FOLD_OK && extent > 0 &&
           irl__add64(min, extent - 1, &item->hi) && irl__items_first(s, item);
}

/* False where the walk cannot go on from here: a condition is false, or something has no value. */
static int irl__items_enter(irl__items *s, irl__item *item)
{
    irl__fold_status status;
    irl__interval    r;
    int64_t          v = 0;
    item->at = item->many = 0;
    if (item->kind == IRL__ITEM_LOOP) return irl__items_enter_loop(s, item);
    if (item->kind == IRL__ITEM_NAME) {
        r = irl__range_of(s->path->an, item->var);
        item->lo = r.lo;
        item->hi = r.hi;
        return irl__items_first(s, item);
    }
    status = irl__items_evaluate(s, item->slot, item->value, &v);
    if (item->kind == IRL__ITEM_VALUE) return irl__items_only(s, item, status, v);
    if (status != IRL__FOLD_NO_RULE) return status == IRL__FOLD_OK && v != 0;
    /* what is asserted of data alone, some data keep */
    return (!item->is_chosen && !(item->node && item->node->kind == IRL__AROUND_GUARD)) ||
           irl__items_unknown(s, item);
}

/* From item k outwards to the first that has another value; its place, or -1. */
static int irl__items_back(irl__items *s, int k)
{
    for (; k >= 0; k--) {
        irl__item *item = s->order[k];
        if (++item->at < item->many && irl__items_set(s, item)) break;
        s->unknown -= item->is_unknown;
        item->is_unknown = 0;
    }
    return k;
}

static int irl__items_keep(irl__items *s)
{
    for (int k = 0; k < s->order_count; k++) {
        const int slot = s->order[k]->slot;
        if (s->order[k]->var) s->order[k]->found = s->vars[slot] ? s->values[slot] : INT64_MIN;
    }
    return 1;
}

/* Walks the ordered items for an iteration where the condition (NULL: any) is true, and keeps
   it. */
static irl__sought irl__items_walk(irl__items *s, const irl_expr *condition)
{
    int on_data = 0, is_open = 0, k = 0;
    s->unknown = s->partial = 0;
    for (int j = 0; j < s->order_count; j++) s->order[j]->is_unknown = 0;
    do {
        if (s->left <= 0) return on_data ? IRL__SOUGHT_ON_DATA : IRL__SOUGHT_OPEN;
        if (k < s->order_count) {
            k = irl__items_enter(s, s->order[k]) ? k + 1 : irl__items_back(s, k) + 1;
            if (k) continue;
            break;
        }
        int64_t v = 1;
        if (condition) {
            irl__fold_status status = irl__items_evaluate(s, s->slots, condition, &v);
            is_open |= status == IRL__FOLD_NO_RULE;
            if (status != IRL__FOLD_OK) v = 0;
        }
        if (v && !s->unknown) return irl__items_keep(s), IRL__SOUGHT_FOUND;
        if (v && !on_data) on_data = irl__items_keep(s);
        k = irl__items_back(s, k - 1) + 1;
    } while (k);
    return on_data                 ? IRL__SOUGHT_ON_DATA
           : s->partial || is_open ? IRL__SOUGHT_OPEN
                                   : IRL__SOUGHT_NONE;
}

/* ------------------------------------------------------------------ the answer */

/* What was found: parameters and loops, in their order. */
static int irl__items_result(irl__items *s, irl__iteration *out)
{
    const irl_expr **vars =
        (const irl_expr **)irl__alloc_array(s->cx, (size_t)s->count, sizeof *vars);
    int64_t *values = (int64_t *)irl__alloc_array(s->cx, (size_t)s->count, sizeof *values);
    int      n = 0;
    if (!vars || !values) return 0;
    for (int k = 0; k < s->count; k++) {
        const irl__item *item = &s->list[k];
        if ((item->kind != IRL__ITEM_NAME && item->kind != IRL__ITEM_LOOP) ||
            item->found == INT64_MIN)
            continue;
        vars[n] = item->var;
        values[n++] = item->found;
    }
    out->count = n;
    out->vars = vars;
    out->values = values;
    return 1;
}

/* So many values of each loop that the points are not too many; two at least, the ends. */
static int irl__items_some(const irl__items *s)
{
    int most = IRL__ITEM_VALUES;
    for (; most > 2; most--) {
        int64_t points = 1;
        for (int k = 0; k < s->order_count && points <= IRL__ITEMS_POINTS; k++)
            if (s->order[k]->kind == IRL__ITEM_LOOP) points *= most;
        if (points <= IRL__ITEMS_POINTS) break;
    }
    return most;
}

/* Among the chosen items, or the others: with some values, then with all. */
static irl__sought irl__items_seek(irl__items *s, int chosen, const irl_expr *condition)
{
    int64_t     left = s->left;
    irl__sought found = IRL__SOUGHT_OPEN;
    irl__items_order(s, chosen);
    s->most = irl__items_some(s);
    for (s->all = 0; s->all < 2; s->all++) {
        const int64_t most = s->all ? IRL__ITEMS_ALL : IRL__ITEMS_SOME;
        const int64_t given = s->left = left < most ? left : most;
        found = irl__items_walk(s, condition);
        left -= given - s->left;
        if (found == IRL__SOUGHT_FOUND || found == IRL__SOUGHT_NONE) break;
    }
    s->left = left;
    return found;
}

static int irl__items_is_some(irl__sought found)
{
    return found == IRL__SOUGHT_FOUND || found == IRL__SOUGHT_ON_DATA;
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
        irl__items_choose(&s, condition);
        irl__items_constants(&s, condition);
        for (int k = 0; k < s.count; k++)
            if (s.list[k].is_chosen && s.list[k].value) irl__items_constants(&s, s.list[k].value);
        found = irl__items_seek(&s, 1, condition);
        if (irl__items_is_some(found)) {
            const irl__sought rest = irl__items_seek(&s, 0, NULL);
            if (rest != IRL__SOUGHT_FOUND) found = rest;
        }
        if (irl__items_is_some(found) && !irl__items_result(&s, out)) found = IRL__SOUGHT_FAILED;
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
