/* visit.c - walking the IR, and rewriting it into a new one.

   needs     expr.c, stmt.c, fields.c
   promises  a rewrite that changes nothing returns the same pointers;
             what it changes keeps ids, locations and annotations. While a statement is rewritten
             the context's `here` is its place, so that failures inside point at it. */
#include "ir.h"

/* ------------------------------------------------------------------ expressions */

/* Operand lists are short; longer ones (wide calls and shuffles) take memory of the context. Not
   scratch: a hook may grow a table there that must outlive this call. */
#define IRL__VISIT_FEW 16

static const irl_buffer *irl__rewrite_buffer(irl__rewriter *r, const irl_buffer *b)
{
    return r->buffer && b ? r->buffer(r, b) : b;
}

/* What is accessed in the place of b, at which indices. */
static const irl_buffer *irl__rewrite_access(irl__rewriter *r, const irl_buffer *b,
                                             const irl_expr **indices)
{
    const irl_buffer *to = r->access ? r->access(r, b, indices) : b;
    return to == b ? irl__rewrite_buffer(r, b) : to;
}

static const irl_expr *irl__rewrite_load(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *indices[IRL_MAX_RANK];
    if (!irl__rewrite_exprs(r, (int)e->count, e->a, indices)) return NULL;
    const irl_buffer *b = irl__rewrite_access(r, e->u.buffer, indices);
    if (!b || b == e->u.buffer) return b ? irl__expr_with(r->cx, e, indices) : NULL;
    if (!r->access) return irl__expr_load(r->cx, b, (int)e->count, indices, irl__nowhere());
    return irl_expr_cast(r->cx, e->type,
                         irl__expr_load(r->cx, b, b->rank, indices, irl__nowhere()));
}

const irl_expr *irl__rewrite_expr_children(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *few[IRL__VISIT_FEW], **list = few;
    if (e && e->op == IRL_OP_LOAD) return irl__rewrite_load(r, e);
    if (!e || e->count == 0) return e;
    if (e->count > IRL__VISIT_FEW) list = IRL__NEW(r->cx, const irl_expr *, e->count);
    return list && irl__rewrite_exprs(r, (int)e->count, e->a, list)
               ? irl__expr_with(r->cx, e, list)
               : NULL;
}

const irl_expr *irl__rewrite_expr(irl__rewriter *r, const irl_expr *e)
{
    if (!e || (!r->expr && !(e->flags & IRL__HAS_MEMORY))) return e; /* loads alone may change */
    return r->expr ? r->expr(r, e) : irl__rewrite_expr_children(r, e);
}

const irl_expr *irl__expr_of_lanes(irl_ctx *cx, const irl_expr *e, uint32_t lanes,
                                   const irl_expr *const *operands)
{
    const irl_type type = irl__type_with_lanes(e->type, lanes);
    if (e->op == IRL_OP_CAST) return irl_expr_cast(cx, type, operands[0]);
    if (e->op == IRL_OP_REINTERPRET) return irl_expr_reinterpret(cx, type, operands[0]);
    return irl__expr_op(cx, (irl_op)e->op, (int)e->count, operands, irl__nowhere());
}

int irl__rewrite_exprs(irl__rewriter *r, int count, const irl_expr *const *list,
                       const irl_expr **out)
{
    for (int k = 0; k < count; k++)
        if (!(out[k] = irl__rewrite_expr(r, list[k]))) return 0;
    return 1;
}

const irl_expr *irl__rewrite_no_expr(irl__rewriter *r, const irl_expr *e)
{
    (void)r;
    return e;
}

/* ------------------------------------------------------------------ statements */

/* What was rewritten, and is another one than before. Not compared byte by byte: padding is not
   set. */
static int irl__rewrite_fields(irl__rewriter *r, const irl__field *p, const void *old, void *now,
                               int *changed);

/* A record, or a pointer, of a list. */
typedef union irl__rewrite_copy {
    irl__axis   axis;
    irl__region region;
    irl__match  match;
    const void *pointer;
} irl__rewrite_copy;

static const irl__block_data *irl__rewrite_block(irl__rewriter *r, const irl__block_data *old)
{
    irl__block_data now;
    int             changed = 0;
    memcpy(&now, old, sizeof now);
    if (!irl__rewrite_fields(r, irl__record_fields(IRL__FIELD_BLOCK), old, &now, &changed))
        return NULL;
    return changed ? IRL__COPY(r->cx, irl__block_data, &now, 1) : old;
}

static const void *irl__rewrite_pointer(irl__rewriter *r, int kind, const void *old)
{
    switch (kind) {
    case IRL__FIELD_EXPR: return irl__rewrite_expr(r, (const irl_expr *)old);
    case IRL__FIELD_STMT: return irl__rewrite_stmt(r, (const irl_stmt *)old);
    case IRL__FIELD_BLOCK: return irl__rewrite_block(r, (const irl__block_data *)old);
    default: return irl__rewrite_buffer(r, (const irl_buffer *)old);
    }
}

/* What stands at `now`, a copy of what stands at `old`. */
static int irl__rewrite_one(irl__rewriter *r, int kind, const void *old, void *now, int *changed)
{
    const void *before;
    if (kind == IRL__FIELD_AXIS || kind == IRL__FIELD_REGION || kind == IRL__FIELD_MATCH) {
        if (!irl__rewrite_fields(r, irl__record_fields(kind), old, now, changed)) return 0;
        if (kind != IRL__FIELD_REGION || !r->region) return 1;
        const irl_buffer *from = ((const irl__region *)old)->buffer;
        irl__region      *region = (irl__region *)now;
        const int         ok = r->region(r, from, region);
        *changed |= region->buffer != from;
        return ok;
    }
    memcpy((void *)&before, old, sizeof before);
    if (!before && (kind == IRL__FIELD_EXPR || kind == IRL__FIELD_STMT)) return 1;
    const void *after = irl__rewrite_pointer(r, kind, before);
    memcpy(now, (const void *)&after, sizeof after);
    *changed |= after != before;
    return after != NULL;
}

/* *list is a new one only if something changed. */
static int irl__rewrite_list(irl__rewriter *r, int kind, irl__elements old, void *list,
                             int *changed)
{
    irl__rewrite_copy copy;
    char             *now = NULL;
    for (int k = 0; k < old.count; k++) {
        const char *one = old.first + (size_t)k * old.bytes;
        int         differs = 0;
        memcpy(&copy, one, old.bytes);
        if (!irl__rewrite_one(r, kind, one, &copy, &differs)) return 0;
        if (!differs) continue;
        if (!now) now = (char *)irl__copy(r->cx, old.first, (size_t)old.count, old.bytes);
        if (!now) return 0;
        memcpy(now + (size_t)k * old.bytes, &copy, old.bytes);
    }
    if (now) memcpy(list, &now, sizeof now);
    *changed |= now != NULL;
    return 1;
}

/* Rewrites the fields of `old` into its copy `now`; false on failure. */
static int irl__rewrite_fields(irl__rewriter *r, const irl__field *p, const void *old, void *now,
                               int *changed)
{
    for (; p->kind != IRL__FIELD_END; p++) {
        char *place = (char *)now + p->at;
        if (p->kind >= IRL__FIELD_VAR) continue; /* compared, in no walk */
        if (p->form == IRL__FIELD_ONE
                ? !irl__rewrite_one(r, p->kind, (const char *)old + p->at, place, changed)
                : !irl__rewrite_list(r, p->kind, irl__field_elements(p, old), place, changed))
            return 0;
    }
    return 1;
}

static const irl_stmt *irl__rewrite_store(irl__rewriter *r, const irl_stmt *s)
{
    const irl_buffer *from = s->u.store.buffer, *b;
    const irl_expr   *indices[IRL_MAX_RANK], *value = irl__rewrite_expr(r, s->u.store.value);
    if (!value || !irl__rewrite_exprs(r, from->rank, s->u.store.indices, indices)) return NULL;
    b = irl__rewrite_access(r, from, indices);
    if (!b || (b == from && value == s->u.store.value &&
               irl__exprs_equal(from->rank, indices, s->u.store.indices)))
        return b ? s : NULL;
    if (r->access && b->type.scalar != from->type.scalar)
        value = irl_expr_cast(r->cx, irl_type_of((irl_scalar)b->type.scalar,
                                                 (int)value->type.lanes), value);
    return irl__stmt_store(r->cx, b, value, r->access ? b->rank : from->rank, indices, s->loc);
}

const irl_stmt *irl__rewrite_stmt_children(irl__rewriter *r, const irl_stmt *s)
{
    irl_stmt now;
    int      changed = 0;
    if (!s) return NULL;
    if (s->kind == IRL__STORE) return irl__rewrite_store(r, s);
    memcpy(&now, s, sizeof now);
    if (!irl__rewrite_fields(r, irl__stmt_fields(s), s, &now, &changed)) return NULL;
    if (!changed) return s;
    if (s->kind == IRL__SEQ)
        return irl__stmt_seq_of(r->cx, now.u.seq.count, now.u.seq.stmts, s->u.seq.stmts);
    return irl__stmt_finish(r->cx, irl__stmt_copy(r->cx, &now));
}

const irl_stmt *irl__rewrite_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl_loc outer = r->cx->here;
    if (!s || !irl__ok(r->cx)) return NULL;
    if (s->loc.source) r->cx->here = s->loc;
    const irl_stmt *result = r->stmt ? r->stmt(r, s) : irl__rewrite_stmt_children(r, s);
    r->cx->here = outer;
    return result;
}

/* ------------------------------------------------------------------ walking */

void irl__visit_expr(irl__visitor *v, const irl_expr *e)
{
    /* without a hook only loads matter */
    if (!e || (v->expr ? !v->expr(v, e) : !v->buffer || !(e->flags & IRL__HAS_MEMORY))) return;
    if (e->op == IRL_OP_LOAD && v->buffer) v->buffer(v, e->u.buffer, NULL);
    for (uint32_t k = 0; k < e->count; k++) irl__visit_expr(v, e->a[k]);
}

typedef struct irl__visit_walk {
    irl__visitor   *v;
    const irl_stmt *s;
} irl__visit_walk;

static int irl__visit_field(void *user, irl__field_kind kind, const void *at)
{
    const irl__visit_walk *walk = (const irl__visit_walk *)user;
    if (kind == IRL__FIELD_EXPR) irl__visit_expr(walk->v, *(const irl_expr *const *)at);
    else if (kind == IRL__FIELD_STMT) irl__visit_stmt(walk->v, *(const irl_stmt *const *)at);
    else if (walk->v->buffer)
        walk->v->buffer(walk->v, *(const irl_buffer *const *)at, walk->s);
    return 1;
}

void irl__visit_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__visit_walk walk = { v, s };
    const irl_stmt *part;
    if (!s || (v->stmt && !v->stmt(v, s))) return;
    if (v->expr || v->buffer) irl__fields_each(s, IRL__FIELDS_WALKED, irl__visit_field, &walk);
    else for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++) irl__visit_stmt(v, part);
    if (v->leave) v->leave(v, s);
}

void irl__visit_shape(irl__visitor *v, const irl_buffer *b)
{
    for (int k = 0; k < b->rank; k++) irl__visit_expr(v, b->shape[k]);
    for (int k = 0; b->strides && k < b->rank; k++) irl__visit_expr(v, b->strides[k]);
    irl__visit_expr(v, b->offset);
}

const irl_expr *irl__expr_base(const irl_expr *e, int64_t *by)
{
    int64_t next;
    while ((e->op == IRL_OP_ADD || e->op == IRL_OP_SUB) && e->type.lanes == 1 &&
           e->a[1]->op == IRL_OP_INT &&
           (e->op == IRL_OP_ADD ? irl__add64(*by, e->a[1]->u.i, &next)
                                : irl__sub64(*by, e->a[1]->u.i, &next))) {
        *by = next;
        e = e->a[0];
    }
    return e;
}

int irl__expr_uses_var(const irl_expr *e, const irl_expr *var)
{
    if (e == var) return 1;
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    for (uint32_t k = 0; k < e->count; k++)
        if (irl__expr_uses_var(e->a[k], var)) return 1;
    return 0;
}

int irl__stmt_bounds_use(const irl_stmt *loop, const irl_expr *var)
{
    return irl__expr_uses_var(loop->u.loop.min, var) ||
           irl__expr_uses_var(loop->u.loop.extent, var);
}

int irl__exprs_use_var(int count, const irl_expr *const *list, const irl_expr *var)
{
    while (count-- > 0)
        if (irl__expr_uses_var(list[count], var)) return 1;
    return 0;
}

int irl__exprs_equal(int count, const irl_expr *const *a, const irl_expr *const *b)
{
    return !count || !memcmp(a, b, (size_t)count * sizeof *a);
}

typedef struct irl__visit_named {
    const irl_expr *var;
    size_t          bytes;
    int             found;
} irl__visit_named;

static int irl__visit_see_named(irl__visitor *v, const irl_expr *e)
{
    irl__visit_named *q = (irl__visit_named *)v->user;
    q->found |= e == q->var;
    return (e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY)) != 0;
}

static void irl__visit_see_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__visit_named *q = (irl__visit_named *)v->user;
    (void)s;
    if (b->data != q->var) return;
    q->found = 1;
    if (irl__type_bytes(b->type) > q->bytes) q->bytes = irl__type_bytes(b->type);
}

int irl__stmt_names(const irl_stmt *s, const irl_expr *var, size_t *bytes)
{
    irl__visit_named q = { var, 0, 0 };
    irl__visitor     v = irl__visitor_make(&q, irl__visit_see_named, NULL);
    v.buffer = irl__visit_see_buffer;
    irl__visit_stmt(&v, s);
    if (bytes && q.bytes > *bytes) *bytes = q.bytes;
    return q.found;
}

int irl__stmt_declared(irl_ctx *cx, const irl_stmt *s, irl__ptr_map *out)
{
    const irl_stmt *part;
    const void     *made = s->kind == IRL__FOR   ? (const void *)s->u.loop.var
                           : s->kind == IRL__LET ? (const void *)s->u.let.var
                           : s->kind == IRL__ALLOC || s->kind == IRL__DECL
                               ? (const void *)s->u.alloc.buffer
                               : NULL;
    if (made && !irl__ptr_map_put(cx, out, made, made)) return 0;
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++)
        if (!irl__stmt_declared(cx, part, out)) return 0;
    return 1;
}

int irl__expr_is_over(const irl_expr *e, int count, const irl_expr *const *vars)
{
    if (e->flags & IRL__HAS_MEMORY) return 0;
    if (!(e->flags & IRL__HAS_VAR)) return 1;
    for (int j = 0; e->op == IRL_OP_VAR && j < count; j++)
        if (vars[j] == e) return 1;
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__expr_is_over(e->a[k], count, vars)) return 0;
    return e->op != IRL_OP_VAR;
}

int irl__expr_any(const irl_expr *e, irl__expr_is *is, const void *user)
{
    const int found = is(e, user);
    for (uint32_t k = 0; found == 0 && k < e->count; k++)
        if (irl__expr_any(e->a[k], is, user)) return 1;
    return found > 0;
}

typedef struct irl__visit_any {
    irl__stmt_is *is;
    irl__expr_is *expr;
    const void   *user;
} irl__visit_any;

static int irl__visit_is_none(void *any, irl__field_kind kind, const void *at)
{
    const irl__visit_any *q = (const irl__visit_any *)any;
    const void           *part;
    memcpy((void *)&part, at, sizeof part);
    if (!part || (kind != IRL__FIELD_EXPR && kind != IRL__FIELD_STMT)) return 1;
    return kind == IRL__FIELD_EXPR
               ? !irl__expr_any((const irl_expr *)part, q->expr, q->user)
               : !irl__stmt_any((const irl_stmt *)part, q->is, q->expr, q->user);
}

int irl__stmt_any(const irl_stmt *s, irl__stmt_is *is, irl__expr_is *expr, const void *user)
{
    irl__visit_any  q = { is, expr, user };
    const irl_stmt *part;
    const int       found = is ? is(s, user) : 0;
    if (found) return found > 0;
    for (int k = 0; !expr && (part = irl__stmt_part(s, k)) != NULL; k++)
        if (irl__stmt_any(part, is, NULL, user)) return 1;
    return expr && !irl__fields_each(s, IRL__FIELDS_WALKED, irl__visit_is_none, &q);
}

int irl__expr_is_call(const irl_expr *e, const void *user)
{
    (void)user;
    return e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC;
}

int irl__expr_is_load_of(const irl_expr *e, const void *buffer)
{
    return e->op == IRL_OP_LOAD && e->u.buffer == buffer;
}

static int irl__reads_here(const irl_expr *e, const void *pointer)
{
    if ((e->op == IRL_OP_LOAD && e->u.buffer->data == pointer) || e == pointer) return 1;
    return e->flags & (IRL__HAS_MEMORY | IRL__HAS_VAR) ? 0 : -1;
}

int irl__expr_reads(const irl_expr *e, const irl_expr *pointer)
{
    return irl__expr_any(e, irl__reads_here, pointer);
}

int irl__stmt_is_store(const irl_stmt *s, const void *data)
{
    return s->kind == IRL__STORE && s->u.store.buffer->data == data;
}

static int irl__visit_is_store(const irl_stmt *s, const void *data)
{
    if (s->kind == IRL__STORE) return s->u.store.buffer->data == data;
    return s->kind == IRL__EVALUATE && irl__stmt_names(s, (const irl_expr *)data, NULL);
}

int irl__stmt_stores(const irl_stmt *s, const irl_expr *data)
{
    return irl__stmt_any(s, irl__visit_is_store, NULL, data);
}

static int irl__visit_is_stored(const irl_expr *e, const void *in)
{
    if (!(e->flags & IRL__HAS_MEMORY)) return -1;
    return e->op == IRL_OP_LOAD && e->u.buffer->scope == IRL_SCOPE_GLOBAL &&
           irl__stmt_stores((const irl_stmt *)in, e->u.buffer->data);
}

int irl__expr_is_stored(const irl_expr *e, const irl_stmt *in)
{
    return irl__expr_any(e, irl__visit_is_stored, in);
}

/* ------------------------------------------------------------------ substitution */

/* A let around what is being rewritten whose value was changed: its variable is another one in the
   copy. */
typedef struct irl__visit_renamed {
    const irl_expr                  *from, *to;
    const struct irl__visit_renamed *outer;
} irl__visit_renamed;

typedef struct irl__visit_substitution {
    int                       count;
    const irl_expr *const    *from, *const *to;
    const irl__visit_renamed *renamed;
    irl__ptr_map buffers; /* that are declared in the statement, of a shape that changes */
} irl__visit_substitution;

/* let(v = a, b): where a changes, the copy binds a variable of its own, so that a variable has one
   value wherever copies of an expression meet. */
static const irl_expr *irl__substitute_let(irl__rewriter *r, const irl_expr *e)
{
    irl__visit_substitution *s = (irl__visit_substitution *)r->user;
    irl__visit_renamed       renamed;
    const irl_expr          *value = irl__rewrite_expr(r, e->a[1]), *body;
    if (!value) return NULL;
    renamed.from = e->a[0];
    renamed.to = value == e->a[1] ? e->a[0] : irl_expr_var(r->cx, e->a[0]->u.name, e->a[0]->type);
    renamed.outer = s->renamed;
    if (!renamed.to) return NULL;
    s->renamed = &renamed;
    body = irl__rewrite_expr(r, e->a[2]);
    s->renamed = renamed.outer;
    if (!body) return NULL;
    return value == e->a[1] && body == e->a[2] ? e : irl_expr_let(r->cx, renamed.to, value, body);
}

static const irl_expr *irl__substitute_hook(irl__rewriter *r, const irl_expr *e)
{
    const irl__visit_substitution *s = (const irl__visit_substitution *)r->user;
    if (!(e->flags & (s->buffers.count ? IRL__HAS_VAR | IRL__HAS_MEMORY : IRL__HAS_VAR))) return e;
    if (!irl__work(r->cx, 16)) return NULL;
    if (e->op == IRL_OP_LET) return irl__substitute_let(r, e);
    if (e->op != IRL_OP_VAR) return irl__rewrite_expr_children(r, e);
    for (const irl__visit_renamed *renamed = s->renamed; renamed; renamed = renamed->outer)
        if (renamed->from == e) return renamed->to;
    for (int k = 0; k < s->count; k++)
        if (s->from[k] == e) return s->to[k];
    return e;
}

static irl__rewriter irl__substitute_begin(irl__visit_substitution *s, irl_ctx *cx, int count,
                                           const irl_expr *const *from, const irl_expr *const *to)
{
    memset(s, 0, sizeof *s);
    s->count = count;
    s->from = from;
    s->to = to;
    return irl__rewriter_make(cx, s, irl__substitute_hook, NULL);
}

const irl_expr *irl__substitute(irl_ctx *cx, const irl_expr *e, int count,
                                const irl_expr *const *from, const irl_expr *const *to)
{
    irl__visit_substitution s;
    irl__rewriter           r = irl__substitute_begin(&s, cx, count, from, to);
    return irl__rewrite_expr(&r, e);
}

/* A buffer whose shape, strides or offset change is another one, in all of the statement. */
static int irl__substitute_declared(void *rewriter, irl__field_kind kind, const void *at)
{
    irl__rewriter           *r = (irl__rewriter *)rewriter;
    irl__visit_substitution *s = (irl__visit_substitution *)r->user;
    const irl_buffer        *b = *(const irl_buffer *const *)at;
    irl_buffer               now;
    irl__elements            list = { (const char *)b->shape, sizeof *b->shape, b->rank };
    int                      changed = 0;
    (void)kind;
    memcpy(&now, b, sizeof now);
    if (!irl__rewrite_list(r, IRL__FIELD_EXPR, list, &now.shape, &changed)) return 0;
    list.first = (const char *)b->strides;
    if (b->strides && !irl__rewrite_list(r, IRL__FIELD_EXPR, list, &now.strides, &changed))
        return 0;
    if (b->offset && !(now.offset = irl__rewrite_expr(r, b->offset))) return 0;
    if (!changed && now.offset == b->offset) return 1;
    irl_buffer *to = irl__buffer_copy(r->cx, &now);
    return to && irl__ptr_map_put(r->cx, &s->buffers, b, to);
}

static const irl_buffer *irl__substitute_buffer(irl__rewriter *r, const irl_buffer *b)
{
    const irl__visit_substitution *s = (const irl__visit_substitution *)r->user;
    const irl_buffer              *to = (const irl_buffer *)irl__ptr_map_get(&s->buffers, b);
    return to ? to : b;
}

static const irl_stmt *irl__substitute_in(irl__rewriter *r, const irl_stmt *s)
{
    return irl__fields_each(s, IRL__FIELDS_NEW, irl__substitute_declared, r)
               ? irl__rewrite_stmt_children(r, s)
               : NULL;
}

const irl_stmt *irl__substitute_stmt(irl_ctx *cx, const irl_stmt *s, int count,
                                     const irl_expr *const *from, const irl_expr *const *to)
{
    irl__visit_substitution substitution;
    irl__rewriter           r = irl__substitute_begin(&substitution, cx, count, from, to);
    irl__arena_mark         mark = irl__scratch_begin(cx);
    r.stmt = irl__substitute_in;
    r.buffer = irl__substitute_buffer;
    s = irl__rewrite_stmt(&r, s);
    irl__scratch_end(cx, mark);
    return s;
}

const irl_stmt *irl__stmt_loop_renewed(irl_ctx *cx, const irl_stmt *loop, const irl_stmt *body)
{
    const irl_expr *from = loop->u.loop.var, *to = irl_expr_var(cx, from->u.name, from->type);
    return irl__stmt_loop_over(cx, loop, to, loop->u.loop.min, loop->u.loop.extent,
                               to && body ? irl__substitute_stmt(cx, body, 1, &from, &to) : NULL);
}

static void irl__bitfield_see(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    (void)s;
    if (b->bits) *(int *)v->user = 1;
}

int irl__func_has_bits(const irl_func *f)
{
    int          k, has = 0;
    irl__visitor v = irl__visitor_make(&has, NULL, NULL);
    for (k = 0; k < f->param_count; k++) has |= f->params[k].buffer && f->params[k].buffer->bits;
    if (has) return 1;
    v.buffer = irl__bitfield_see;
    irl__visit_stmt(&v, f->body);
    return has;
}
