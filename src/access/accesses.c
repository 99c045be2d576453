/* accesses.c - the table of accesses: one walk over a function, in the order in which it runs.

   needs     ir
   promises  every load, store and call with a pointer is a row; rows share the loops and conditions
             around them, so the table is linear in the function */
#include "access.h"

typedef struct irl__accesses_walk {
    irl__accesses  *t;
    const irl_stmt *only; /* rows are made inside of it; NULL: everywhere */
    const irl_stmt *place;
    irl__around    *around; /* the innermost */
    int             is_inside, is_declared;
    int             way_at; /* how many statements of the way the walk has come to */
    irl__place      way;    /* from the body to `only`; count 0: it is nowhere */
} irl__accesses_walk;

static int irl__accesses_stmt(irl__accesses_walk *w, const irl_stmt *s);

/* ------------------------------------------------------------------ what stands around */

static irl__around *irl__around_push(irl__accesses_walk *w, irl__around_kind kind,
                                     const irl_stmt *s)
{
    irl__around *n = IRL__SCRATCH(w->t->cx, irl__around, 1);
    if (!n) return NULL;
    n->outer = w->around;
    n->kind = kind;
    n->depth = w->around ? w->around->depth + 1 : 0;
    n->loop_count = (w->around ? w->around->loop_count : 0) + (kind == IRL__AROUND_LOOP);
    n->loop = kind == IRL__AROUND_LOOP ? n : w->around ? w->around->loop : NULL;
    n->binder = kind != IRL__AROUND_MEMORY ? n : w->around ? w->around->binder : NULL;
    n->first = n->end = w->t->count;
    n->launch = n->launch_end = (int)stbds_arrlen(w->t->launches);
    n->stmt = s;
    w->around = n;
    return n;
}

static int irl__around_condition(irl__accesses_walk *w, irl__around_kind kind,
                                 const irl_expr *condition, int holds, const irl_stmt *s)
{
    if (!holds) condition = irl_expr_op1(w->t->cx, IRL_OP_NOT, condition);
    irl__around *n = condition ? irl__around_push(w, kind, s) : NULL;
    if (n) n->value = condition;
    return n != NULL;
}

static int irl__around_share(irl__accesses *t, const irl_expr *memory)
{
    return irl__ptr_map_put(t->cx, &t->shared, memory, memory);
}

/* A pointer of a let or of a match buffer to the memory behind another one. */
static int irl__around_behind(irl__accesses *t, const irl_expr *pointer, const irl_expr *source)
{
    const irl_expr *behind = (const irl_expr *)irl__ptr_map_get(&t->behind, source);
    if (!behind) behind = source;
    return irl__around_share(t, behind) &&
           irl__ptr_map_put(t->cx, &t->behind, pointer, behind);
}

/* A let, or an axis. */
static irl__around *irl__around_named(irl__accesses_walk *w, irl__around_kind kind,
                                      const irl_expr *var, const irl_expr *value, const irl_stmt *s)
{
    irl__accesses *t = w->t;
    irl__around   *n = irl__around_push(w, kind, s);
    if (!n) return NULL;
    n->var = var;
    n->value = value;
    n->number = (int)stbds_arrlen(t->named);
    if (var->type.is_pointer)
        return value->op != IRL_OP_VAR || irl__around_behind(t, var, value) ? n : NULL;
    return IRL__PUSH_SCRATCH(t->cx, t->named, n) && irl__ptr_map_put(t->cx, &t->of_var, var, n)
               ? n
               : NULL;
}

static irl__memory_rows *irl__accesses_rows(irl__accesses *t, const irl_expr *memory)
{
    irl__memory_rows *rows = (irl__memory_rows *)irl__ptr_map_get(&t->of_memory, memory);
    if (rows) return rows;
    rows = IRL__SCRATCH(t->cx, irl__memory_rows, 1);
    if (!rows || !irl__ptr_map_put(t->cx, &t->of_memory, memory, rows)) return NULL;
    rows->last = -1;
    return rows;
}

static int irl__around_memory(irl__accesses_walk *w, const irl_buffer *b, const irl__match *match,
                              const irl_stmt *s)
{
    irl__accesses *t = w->t;
    irl__around   *n = irl__around_push(w, IRL__AROUND_MEMORY, s);
    if (!n || !IRL__PUSH_SCRATCH(t->cx, t->memory, n)) return 0;
    n->buffer = b;
    n->match = match;
    if (match) n->binder = n;
    if (!irl__ptr_map_put(t->cx, &t->declared, b, n)) return 0;
    if (irl__around_allocates(n)) {
        irl__memory_rows *rows = irl__accesses_rows(t, b->data);
        if (!rows) return 0;
        rows->allocation = n;
    }
    if (match && b->data != match->source.buffer->data &&
        !irl__around_behind(t, b->data, match->source.buffer->data))
        return 0;
    return irl__ptr_map_get(&t->owner, b->data) ? irl__around_share(t, b->data)
                                                : irl__ptr_map_put(t->cx, &t->owner, b->data, b);
}

/* ------------------------------------------------------------------ rows */

/* A new row, all but its indices; NULL outside of the statement asked for (which is no failure), or
 * when memory is out. */
static irl__access *irl__accesses_add(irl__accesses_walk *w, irl__access_kind kind,
                                      const irl_buffer *b, const irl_expr *pointer)
{
    irl__accesses *t = w->t;
    const irl_expr *behind =
        t->behind.count ? (const irl_expr *)irl__ptr_map_get(&t->behind, pointer) : NULL;
    irl__access a;
    if (!w->is_inside) return NULL;
    memset(&a, 0, sizeof a);
    a.kind = (uint8_t)kind;
    a.is_declared = (uint8_t)w->is_declared;
    a.lanes = 1;
    a.of_pair = -1;
    a.memory = behind ? behind : pointer;
    a.buffer = b ? b : (const irl_buffer *)irl__ptr_map_get(&t->owner, a.memory);
    a.place = w->place;
    a.around = w->around;
    irl__memory_rows *rows = irl__accesses_rows(t, a.memory);
    if (!rows) return NULL;
    a.allocation = rows->allocation;
    a.previous = rows->last;
    rows->last = t->count;
    if (a.previous < 0 && !a.allocation && (!t->f || irl__func_param_of(t->f, a.memory) < 0))
        t->is_strange = 1;
    a.launch = (int)stbds_arrlen(t->launches);
    if (kind == IRL__ACCESS_OPAQUE && !irl__around_share(t, a.memory)) return NULL;
    if (!IRL__PUSH_SCRATCH(t->cx, t->list, a)) return NULL;
    return &t->list[t->count++];
}

static void irl__accesses_indices(irl__access *a, int rank, const irl_expr *const *indices)
{
    a->rank = rank;
    a->indices = indices;
    a->lanes = rank ? indices[rank - 1]->type.lanes : 1;
}

/* Memory that a call reads, or writes, or either: n elements, NULL is any. */
static int irl__accesses_touch(irl__accesses_walk *w, const irl_expr *call, uint32_t k,
                               const irl_expr *count, int only_reads)
{
    irl__access *a = irl__accesses_add(w, IRL__ACCESS_OPAQUE, NULL, call->a[k]);
    if (!a) return irl__ok(w->t->cx);
    a->expr = call;
    a->only_reads = (uint8_t)only_reads;
    /* the memory of a match buffer starts somewhere in what is behind it */
    if (count && a->memory == call->a[k] && !(count->flags & IRL__HAS_MEMORY)) a->count = count;
    return 1;
}

static int irl__accesses_passed(irl__accesses_walk *w, const irl__extern *x, const irl_expr *call,
                                uint32_t k)
{
    const irl_extern_param *p = x ? &x->is.params[k] : NULL;
    irl_ctx                *cx = w->t->cx;
    if (!p || !irl__extern_is_confined(x)) return irl__accesses_touch(w, call, k, NULL, 0);
    return (!p->reads ||
            irl__accesses_touch(w, call, k, irl__extern_count(cx, x, call, p->read_count), 1)) &&
           (!p->writes ||
            irl__accesses_touch(w, call, k, irl__extern_count(cx, x, call, p->write_count), 0));
}

/* A texel is read or written where the call says; of any other call what its prototype says. */
static int irl__accesses_call(irl__accesses_walk *w, const irl_expr *e)
{
    irl__texel_call    texel = irl__texel_call_of(e);
    const irl__extern *x = irl__extern_called(w->t->f, e);
    irl__access       *a;
    for (uint32_t k = 0; k < e->count; k++) {
        if (!e->a[k]->type.is_pointer) continue;
        if (texel == IRL__TEXEL_NO_CALL) {
            if (!irl__accesses_passed(w, x, e, k)) return 0;
            continue;
        }
        a = irl__accesses_add(w,
                              texel == IRL__TEXEL_LOAD ? IRL__ACCESS_READ : IRL__ACCESS_WRITE,
                              NULL, e->a[k]);
        if (!a) return irl__ok(w->t->cx);
        a->expr = e;
        a->is_texel = 1;
        irl__accesses_indices(a, irl__image_coordinates(irl__texel_image_of(e)), e->a + 1);
        return 1;
    }
    return 1;
}

static int irl__accesses_expr(irl__accesses_walk *w, const irl_expr *e)
{
    if (!e || !(e->flags & IRL__HAS_MEMORY)) return 1;
    if (e->op == IRL_OP_LET) {
        irl__around *outer = w->around;
        int          ok = irl__accesses_expr(w, e->a[1]);
        if (ok && (e->a[2]->flags & IRL__HAS_MEMORY))
            ok = irl__around_named(w, IRL__AROUND_LET, e->a[0], e->a[1], NULL) &&
                 irl__accesses_expr(w, e->a[2]);
        w->around = outer;
        return ok;
    }
    for (uint32_t k = 0; k < e->count; k++) {
        irl__around *outer = w->around;
        const int    holds = irl__expr_when(e, k);
        if (!(e->a[k]->flags & IRL__HAS_MEMORY)) continue;
        int ok = (holds < 0 ||
                  irl__around_condition(w, IRL__AROUND_GUARD, e->a[0], holds, NULL)) &&
                 irl__accesses_expr(w, e->a[k]);
        w->around = outer;
        if (!ok) return 0;
    }
    if (e->op == IRL_OP_LOAD) {
        irl__access *a = irl__accesses_add(w, IRL__ACCESS_READ, e->u.buffer, e->u.buffer->data);
        if (!a) return irl__ok(w->t->cx);
        a->expr = e;
        irl__accesses_indices(a, (int)e->count, e->a);
        return 1;
    }
    w->t->has_calls |= e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC;
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC)
        return irl__accesses_call(w, e);
    return 1;
}

static int irl__accesses_exprs(irl__accesses_walk *w, int count, const irl_expr *const *list)
{
    for (int k = 0; list && k < count; k++)
        if (!irl__accesses_expr(w, list[k])) return 0;
    return 1;
}

/* What declaring a buffer reads: shapes may stand in memory. */
static int irl__accesses_shape(irl__accesses_walk *w, const irl_buffer *b)
{
    return irl__accesses_exprs(w, b->rank, b->shape) &&
           irl__accesses_exprs(w, b->rank, b->strides) && irl__accesses_expr(w, b->offset);
}

/* ------------------------------------------------------------------ statements */

int irl__access_in(const irl__access *a, const irl_stmt *block_or_loop)
{
    const irl__around *n = a->around;
    while (n && n->stmt != block_or_loop) n = n->outer;
    return n != NULL;
}

int irl__access_under(const irl__access *a, const irl__around *node)
{
    const irl__around *n = a->around;
    while (n && n->depth > node->depth) n = n->outer;
    return n == node;
}

int irl__access_is_same(const irl__access *a, const irl__access *b)
{
    if (a->memory != b->memory || a->buffer != b->buffer || a->rank != b->rank) return 0;
    for (int k = 0; k < a->rank; k++)
        if (a->indices[k] != b->indices[k]) return 0;
    return 1;
}

/* The value first, as the interpreter does; then what the indices read; then the store itself. */
static int irl__accesses_store(irl__accesses_walk *w, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    irl__accesses    *t = w->t;
    int               first = t->count, end, k;
    if (!irl__accesses_expr(w, s->u.store.value)) return 0;
    end = t->count;
    if (!irl__accesses_exprs(w, b->rank, s->u.store.indices)) return 0;
    irl__access *a = irl__accesses_add(w, IRL__ACCESS_WRITE, b, b->data);
    if (!a) return irl__ok(t->cx);
    irl__accesses_indices(a, b->rank, s->u.store.indices);
    for (k = end; k-- > first;) {
        if (t->list[k].kind != IRL__ACCESS_READ || !irl__access_is_same(&t->list[k], a) ||
            a->is_texel || t->list[k].is_texel)
            continue;
        t->list[k].of_pair = t->count - 1;
        a->of_pair = k;
        a->kind = IRL__ACCESS_UPDATE;
    }
    return 1;
}

/* What a statement binds ends with it. */
static int irl__accesses_scoped(irl__accesses_walk *w, const irl_stmt *s)
{
    irl__around *outer = w->around;
    int          ok = !s || irl__accesses_stmt(w, s);
    w->around = outer;
    return ok;
}

static int irl__accesses_loop(irl__accesses_walk *w, const irl_stmt *s)
{
    irl__around *outer = w->around, *n;
    if (!irl__accesses_expr(w, s->u.loop.min) || !irl__accesses_expr(w, s->u.loop.extent)) return 0;
    n = irl__around_push(w, IRL__AROUND_LOOP, s);
    if (!n) return 0;
    n->number = (int)stbds_arrlen(w->t->loops);
    if (!IRL__PUSH_SCRATCH(w->t->cx, w->t->loops, n) ||
        !irl__ptr_map_put(w->t->cx, &w->t->of_stmt, s, n))
        return 0;
    n->var = s->u.loop.var;
    int ok = irl__accesses_stmt(w, s->u.loop.body);
    n->end = w->t->count;
    n->launch_end = (int)stbds_arrlen(w->t->launches);
    w->around = outer;
    return ok;
}

static int irl__accesses_regions(irl__accesses_walk *w, int count, const irl__region *r)
{
    for (int k = 0; k < count; k++)
        if (!irl__accesses_exprs(w, r[k].buffer->rank, r[k].min) ||
            !irl__accesses_exprs(w, r[k].buffer->rank, r[k].extent))
            return 0;
    return 1;
}

static int irl__accesses_declared_regions(irl__accesses_walk *w, const irl__block_data *b)
{
    int ok;
    w->is_declared = 1;
    ok = irl__accesses_regions(w, b->read_count, b->reads) &&
         irl__accesses_regions(w, b->write_count, b->writes);
    w->is_declared = 0;
    return ok;
}

static int irl__accesses_block_memory(irl__accesses_walk *w, const irl_stmt *s)
{
    const irl__block_data *b = s->u.block;
    for (int k = 0; k < b->alloc_count; k++)
        if (!irl__accesses_shape(w, b->allocs[k]) || !irl__around_memory(w, b->allocs[k], NULL, s))
            return 0;
    for (int k = 0; k < b->match_count; k++)
        if (!irl__accesses_regions(w, 1, &b->matches[k].source) ||
            !irl__accesses_shape(w, b->matches[k].buffer) ||
            !irl__around_memory(w, b->matches[k].buffer, &b->matches[k], s))
            return 0;
    return 1;
}

/* init runs where every reduction axis is 0. */
static int irl__accesses_init(irl__accesses_walk *w, const irl_stmt *s)
{
    const irl__block_data *b = s->u.block;
    irl__around           *outer = w->around;
    int                    k, ok = 1;
    for (k = 0; ok && k < b->axis_count; k++)
        if (b->axes[k].is_reduction)
            ok = irl__around_condition(w, IRL__AROUND_GUARD,
                                       irl_expr_op2(w->t->cx, IRL_OP_EQ, b->axes[k].var,
                                                    irl_expr_index(w->t->cx, 0)),
                                       1, s);
    ok = ok && irl__accesses_stmt(w, b->init);
    w->around = outer;
    return ok;
}

/* Bindings stand outside of all axes. */
static int irl__accesses_block(irl__accesses_walk *w, const irl_stmt *s)
{
    const irl__block_data *b = s->u.block;
    irl__around           *outer = w->around, *n, *axis;
    int                    k, ok = 1;
    for (k = 0; k < b->axis_count; k++)
        if (!irl__accesses_expr(w, b->axes[k].extent) || !irl__accesses_expr(w, b->axes[k].binding))
            return 0;
    n = irl__around_push(w, IRL__AROUND_BLOCK, s);
    if (!n || !irl__ptr_map_put(w->t->cx, &w->t->of_stmt, s, n)) return 0;
    for (k = 0; k < b->axis_count; k++) {
        axis = irl__around_named(w, IRL__AROUND_AXIS, b->axes[k].var, b->axes[k].binding, s);
        if (!axis) return 0;
        axis->axis = &b->axes[k];
    }
    if (b->predicate)
        ok = irl__accesses_expr(w, b->predicate) &&
             irl__around_condition(w, IRL__AROUND_GUARD, b->predicate, 1, s);
    ok = ok && irl__accesses_declared_regions(w, b) && irl__accesses_block_memory(w, s) &&
         (!b->init || irl__accesses_init(w, s)) && irl__accesses_stmt(w, b->body);
    n->end = w->t->count;
    w->around = outer;
    return ok;
}

/* Outside of what is asked for, what stands beside the way to it is seen only if it binds, or holds
   to the end of its sequence. */
static int irl__accesses_skips(const irl__accesses_walk *w, const irl_stmt *s)
{
    if (w->is_inside || !w->way.count) return 0;
    if (w->way_at < w->way.count && s == w->way.at[w->way_at]) return 0;
    return s->kind != IRL__LET && s->kind != IRL__ALLOC && s->kind != IRL__DECL &&
           s->kind != IRL__ASSUME && s->kind != IRL__ASSERT;
}

static int irl__accesses_seq(irl__accesses_walk *w, const irl_stmt *s)
{
    irl__around *outer = w->around, *n;
    int          k, j, ok = 1;
    for (k = 0; ok && k < s->u.seq.count; k++) {
        const irl_stmt *child = s->u.seq.stmts[k];
        const int       is_way = !w->is_inside && w->way.count && child == w->way.at[w->way_at];
        if (!irl__accesses_skips(w, child)) ok = irl__accesses_stmt(w, child);
        if (is_way) break;
    }
    for (j = 0; j < k; j++) {
        const irl_stmt *let = s->u.seq.stmts[j];
        n = let->kind == IRL__LET
                ? (irl__around *)irl__ptr_map_get(&w->t->of_var, let->u.let.var) : NULL;
        if (n) n->end = w->t->count;
    }
    w->around = outer;
    return ok;
}

static int irl__accesses_kind(irl__accesses_walk *w, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: return irl__accesses_seq(w, s);
    case IRL__FOR: return irl__accesses_loop(w, s);
    case IRL__BLOCK: return irl__accesses_block(w, s);
    case IRL__IF: {
        const irl_expr *condition = s->u.branch.condition;
        irl__around    *outer = w->around;
        int             ok = irl__accesses_expr(w, condition) &&
                 irl__around_condition(w, IRL__AROUND_GUARD, condition, 1, s) &&
                 irl__accesses_stmt(w, s->u.branch.then_);
        w->around = outer;
        if (!ok || !s->u.branch.else_) return ok;
        ok = irl__around_condition(w, IRL__AROUND_GUARD, condition, 0, s) &&
             irl__accesses_stmt(w, s->u.branch.else_);
        w->around = outer;
        return ok;
    }
    case IRL__LET:
        return irl__accesses_expr(w, s->u.let.value) &&
               irl__around_named(w, IRL__AROUND_LET, s->u.let.var, s->u.let.value, s);
    case IRL__STORE: return irl__accesses_store(w, s);
    case IRL__ALLOC:
    case IRL__DECL:
        return irl__accesses_shape(w, s->u.alloc.buffer) &&
               irl__around_memory(w, s->u.alloc.buffer, NULL, s);
    case IRL__ASSUME:
    case IRL__ASSERT:
        return irl__accesses_expr(w, s->u.check.condition) &&
               irl__around_condition(w, IRL__AROUND_CHECK, s->u.check.condition, 1, s);
    case IRL__EVALUATE: return irl__accesses_expr(w, s->u.evaluate.value);
    case IRL__ATTR: return irl__accesses_scoped(w, s->u.attr.body);
    case IRL__LAUNCH:
        for (int k = 0; k < s->u.launch.count; k++) {
            const irl_expr *arg = s->u.launch.args[k];
            if (!arg->type.is_pointer) {
                if (!irl__accesses_expr(w, arg)) return 0;
            } else if (!irl__accesses_add(w, IRL__ACCESS_OPAQUE, NULL, arg) && !irl__ok(w->t->cx))
                return 0;
        }
        return IRL__PUSH_SCRATCH(w->t->cx, w->t->launches, s);
    case IRL__BARRIER:
    case IRL__STMT_KIND_COUNT: break;
    }
    return 1;
}

static int irl__accesses_stmt(irl__accesses_walk *w, const irl_stmt *s)
{
    const irl_stmt *place = w->place;
    int             was_inside = w->is_inside, ok;
    if (irl__accesses_skips(w, s)) return 1;
    w->place = s;
    if (w->way_at < w->way.count && s == w->way.at[w->way_at]) w->way_at++;
    if (s == w->only) w->is_inside = 1;
    ok = irl__accesses_kind(w, s);
    w->is_inside = was_inside;
    w->place = place;
    return ok;
}

/* Of `only` (NULL: all), which is s or stands in it. */
static int irl__accesses_make(irl__accesses *t, const irl_stmt *s, const irl_stmt *only)
{
    irl__accesses_walk w;
    memset(&w, 0, offsetof(irl__accesses_walk, way));
    w.way.count = 0;
    w.t = t;
    w.only = only;
    w.is_inside = only == NULL;
    if (only) (void)irl__place_seek(s, 0, only, &w.way);
    return irl__accesses_stmt(&w, s) && irl__ok(t->cx);
}

int irl__accesses_of(irl__accesses *t, const irl_func *f, const irl_stmt *s)
{
    memset(t, 0, sizeof *t);
    t->cx = f->cx;
    t->f = f;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer &&
            !irl__ptr_map_put(t->cx, &t->owner, f->params[k].var, f->params[k].buffer))
            return 0;
    return irl__accesses_make(t, f->body, s);
}

int irl__accesses_in(irl__accesses *t, irl_ctx *cx, const irl_stmt *s)
{
    memset(t, 0, sizeof *t);
    t->cx = cx;
    return irl__accesses_make(t, s, NULL);
}

/* ------------------------------------------------------------------ questions */

const irl__around *irl__around_next(const irl__around *n, irl__around_kind kind)
{
    if (kind == IRL__AROUND_LOOP) return n ? n->loop : NULL;
    if (kind == IRL__AROUND_MEMORY)
        while (n && n->kind != kind) n = n->outer;
    else
        for (n = irl__around_binder(n); n && n->kind != kind;) n = irl__around_binder(n->outer);
    return n;
}

const irl__around **irl__around_binders(irl_ctx *cx, const irl__around *n, int from, int *count)
{
    const irl__around **list, *each = n = irl__around_binder(n);
    int                 k = 0;
    for (; each && each->depth >= from; each = irl__around_binder(each->outer)) k++;
    *count = k;
    list = IRL__SCRATCH(cx, const irl__around *, k + 1);
    for (; list && k > 0; n = irl__around_binder(n->outer)) list[--k] = n;
    return list;
}

void irl__access_loops(const irl__access *a, const irl__around **loops)
{
    const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP);
    for (; n; n = irl__around_next(n->outer, IRL__AROUND_LOOP)) loops[n->loop_count - 1] = n;
}

static int irl__accesses_writes(const irl__accesses *t, int first, int end, const irl_expr *data)
{
    const irl_expr *behind = (const irl_expr *)irl__ptr_map_get(&t->behind, data);
    for (; first < end; first++)
        if (irl__access_writes(&t->list[first]) && !t->list[first].is_declared &&
            t->list[first].memory == (behind ? behind : data))
            return 1;
    return 0;
}

int irl__accesses_is_alone(const irl__accesses *t, const irl_expr *memory)
{
    return !irl__ptr_map_get(&t->shared, memory);
}

int irl__accesses_is_stable(const irl__accesses *t, int first, int end, const irl_expr *e)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return 1;
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC) return 0;
    if (e->op == IRL_OP_LOAD && irl__accesses_writes(t, first, end, e->u.buffer->data)) return 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__accesses_is_stable(t, first, end, e->a[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ without lets and axes */

/* Far below what the constructors refuse: an analysis may not make a function fail. */
enum { IRL__PLAIN_VARS = 32, IRL__PLAIN_DEPTH = IRL_MAX_DEPTH / 4, IRL__PLAIN_SIZE = 1 << 12 };

/* The variables of an expression that are bound by a let or an axis. */
typedef struct irl__plain_vars {
    irl__accesses  *t;
    int             count; /* more than IRL__PLAIN_VARS: too many */
    const irl_expr *from[IRL__PLAIN_VARS];
    const irl_expr *to[IRL__PLAIN_VARS];
} irl__plain_vars;

static int irl__plain_see(irl__visitor *v, const irl_expr *e)
{
    irl__plain_vars *vars = (irl__plain_vars *)v->user;
    int              k;
    if (e->op == IRL_OP_VAR && vars->count <= IRL__PLAIN_VARS &&
        irl__ptr_map_get(&vars->t->of_var, e)) {
        for (k = 0; k < vars->count && vars->from[k] != e; k++) {}
        if (k == vars->count && vars->count++ < IRL__PLAIN_VARS) vars->from[k] = e;
    }
    return (e->flags & IRL__HAS_VAR) && vars->count <= IRL__PLAIN_VARS;
}

/* e with the values of its lets and axes, which are known; e itself if that would be too large. */
static const irl_expr *irl__plain_put_in(irl__accesses *t, const irl_expr *e)
{
    irl__plain_vars vars;
    irl__visitor    v = irl__visitor_make(&vars, irl__plain_see, NULL);
    uint32_t        size = 1, depth = 0;
    if (e->size > IRL__PLAIN_SIZE || !(e->flags & IRL__HAS_VAR)) return e;
    vars.t = t;
    vars.count = 0;
    irl__visit_expr(&v, e);
    if (vars.count == 0 || vars.count > IRL__PLAIN_VARS) return e;
    for (int k = 0; k < vars.count; k++) {
        vars.to[k] = ((const irl__around *)irl__ptr_map_get(&t->of_var, vars.from[k]))->plain;
        if (!vars.to[k]) vars.to[k] = vars.from[k]; /* of an expression's let, inside e */
        if (vars.to[k]->size > size) size = vars.to[k]->size;
        if (vars.to[k]->depth > depth) depth = vars.to[k]->depth;
    }
    if (e->size * size > IRL__PLAIN_SIZE || e->depth + depth > IRL__PLAIN_DEPTH) return e;
    return irl__substitute(t->cx, e, vars.count, vars.from, vars.to);
}

/* In the order of the walk: what a value is made of was bound before. */
static int irl__plain_all(irl__accesses *t)
{
    for (; t->plain_count < (int)stbds_arrlen(t->named); t->plain_count++) {
        irl__around *n = t->named[t->plain_count];
        n->plain = n->value->flags & IRL__HAS_MEMORY || n->value->size > IRL__PLAIN_SIZE ||
                           n->value->depth > IRL__PLAIN_DEPTH
                       ? n->var
                       : irl__plain_put_in(t, n->value);
        if (!n->plain) return 0;
    }
    return 1;
}

const irl_expr *irl__accesses_plain(irl__accesses *t, const irl_expr *e)
{
    if (!e || !t->of_var.count) return e;
    return irl__plain_all(t) ? irl__plain_put_in(t, e) : NULL;
}

const irl_expr *irl__accesses_said(const irl__accesses *t, const irl_expr *e)
{
    const irl_expr *said = e;
    for (int k = (int)stbds_arrlen(t->named) - 1; said && k >= 0; k--) {
        const irl__around *n = t->named[k];
        if (n->kind == IRL__AROUND_AXIS && irl__expr_uses_var(said, n->var))
            said = irl__substitute(t->cx, said, 1, &n->var, &n->axis->binding);
    }
    /* i - 1 + 1 is i; what is no index stays as it was written */
    return said && said != e && irl__type_is_index(e->type) ? irl__simplify_alone(t->cx, said)
                                                            : said;
}
