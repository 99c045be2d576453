/* visit.c - walking the IR, and rewriting it into a new one.

   needs     expr.c, stmt.c
   promises  a rewrite that changes nothing returns the same pointers (blocks are always copied);
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

static const irl_expr *irl__rewrite_operands(irl__rewriter *r, const irl_expr *e,
                                             const irl_expr **list)
{
    uint32_t k;
    int      changed = 0;
    for (k = 0; k < e->count; k++) {
        list[k] = irl__rewrite_expr(r, e->a[k]);
        if (!list[k]) return NULL;
        changed |= list[k] != e->a[k];
    }
    if (e->op == IRL_OP_LOAD) {
        const irl_buffer *b = irl__rewrite_buffer(r, e->u.buffer);
        if (!b) return NULL;
        if (b != e->u.buffer) return irl__expr_load(r->cx, b, (int)e->count, list, irl__nowhere());
    }
    return changed ? irl__expr_with(r->cx, e, list) : e;
}

const irl_expr *irl__rewrite_expr_children(irl__rewriter *r, const irl_expr *e)
{
    const irl_expr *few[IRL__VISIT_FEW], **list = few;
    if (!e || (e->count == 0 && e->op != IRL_OP_LOAD)) return e;
    if (e->count > IRL__VISIT_FEW)
        list = (const irl_expr **)irl__alloc_array(r->cx, e->count, sizeof *list);
    return list ? irl__rewrite_operands(r, e, list) : NULL;
}

const irl_expr *irl__rewrite_expr(irl__rewriter *r, const irl_expr *e)
{
    if (!e) return NULL;
    return r->expr ? r->expr(r, e) : irl__rewrite_expr_children(r, e);
}

/* ------------------------------------------------------------------ statements */

/* Rewrites an expression list in place of the old one; *list is a new list only if something
   changed. */
static int irl__rewrite_list(irl__rewriter *r, int count, const irl_expr *const **list)
{
    const irl_expr **copy = NULL;
    int              k;
    for (k = 0; k < count; k++) {
        const irl_expr *old = (*list)[k], *now = irl__rewrite_expr(r, old);
        if (!now) return 0;
        if (now == old) continue;
        if (!copy) {
            copy = (const irl_expr **)irl__copy(r->cx, *list, (size_t)count, sizeof *copy);
            if (!copy) return 0;
        }
        copy[k] = now;
    }
    if (copy) *list = copy;
    return 1;
}

static int irl__rewrite_regions(irl__rewriter *r, int count, const irl__region **regions)
{
    irl__region *list = (irl__region *)irl__copy(r->cx, *regions, (size_t)count, sizeof *list);
    int          k;
    if (!list) return 0;
    for (k = 0; k < count; k++) {
        int rank = list[k].buffer->rank;
        if (!irl__rewrite_list(r, rank, &list[k].min) ||
            !irl__rewrite_list(r, rank, &list[k].extent))
            return 0;
        list[k].buffer = irl__rewrite_buffer(r, list[k].buffer);
        if (!list[k].buffer) return 0;
    }
    *regions = list;
    return 1;
}

static int irl__rewrite_optional_expr(irl__rewriter *r, const irl_expr **e)
{
    if (!*e) return 1;
    *e = irl__rewrite_expr(r, *e);
    return *e != NULL;
}

static int irl__rewrite_optional_stmt(irl__rewriter *r, const irl_stmt **s)
{
    if (!*s) return 1;
    *s = irl__rewrite_stmt(r, *s);
    return *s != NULL;
}

static const irl__block_data *irl__rewrite_block(irl__rewriter *r, const irl__block_data *block)
{
    irl__block_data   *b = (irl__block_data *)irl__copy(r->cx, block, 1, sizeof *b);
    irl__axis         *axes;
    irl__match        *matches;
    const irl_buffer **allocs;
    int                k;
    if (!b) return NULL;
    axes = (irl__axis *)irl__copy(r->cx, b->axes, (size_t)b->axis_count, sizeof *axes);
    matches = (irl__match *)irl__copy(r->cx, b->matches, (size_t)b->match_count, sizeof *matches);
    allocs =
        (const irl_buffer **)irl__copy(r->cx, b->allocs, (size_t)b->alloc_count, sizeof *allocs);
    if (!axes || !matches || !allocs) return NULL;
    for (k = 0; k < b->axis_count; k++) {
        axes[k].extent = irl__rewrite_expr(r, axes[k].extent);
        axes[k].binding = irl__rewrite_expr(r, axes[k].binding);
        if (!axes[k].extent || !axes[k].binding) return NULL;
    }
    for (k = 0; k < b->alloc_count; k++) {
        allocs[k] = irl__rewrite_buffer(r, allocs[k]);
        if (!allocs[k]) return NULL;
    }
    for (k = 0; k < b->match_count; k++) {
        const irl__region *source = &matches[k].source;
        if (!irl__rewrite_regions(r, 1, &source)) return NULL;
        matches[k].source = *source;
        matches[k].buffer = irl__rewrite_buffer(r, matches[k].buffer);
        if (!matches[k].buffer) return NULL;
    }
    b->axes = axes;
    b->matches = matches;
    b->allocs = allocs;
    if (!irl__rewrite_optional_expr(r, &b->predicate) ||
        !irl__rewrite_regions(r, b->read_count, &b->reads) ||
        !irl__rewrite_regions(r, b->write_count, &b->writes) ||
        !irl__rewrite_optional_stmt(r, &b->init) || !irl__rewrite_optional_stmt(r, &b->body))
        return NULL;
    return b;
}

static const irl_stmt *irl__rewrite_seq(irl__rewriter *r, const irl_stmt *s)
{
    const irl_stmt **list = NULL;
    int              k;
    for (k = 0; k < s->u.seq.count; k++) {
        const irl_stmt *old = s->u.seq.stmts[k], *now = irl__rewrite_stmt(r, old);
        if (!now) return NULL;
        if (now != old && !list) {
            list = (const irl_stmt **)irl__copy(r->cx, s->u.seq.stmts, (size_t)s->u.seq.count,
                                                sizeof *list);
            if (!list) return NULL;
        }
        if (list) list[k] = now;
    }
    return list ? irl__stmt_seq(r->cx, s->u.seq.count, list) : s;
}

static const irl_stmt *irl__rewrite_store(irl__rewriter *r, const irl_stmt *s)
{
    const irl_expr *const *indices = s->u.store.indices;
    const irl_buffer      *b = irl__rewrite_buffer(r, s->u.store.buffer);
    const irl_expr        *value = irl__rewrite_expr(r, s->u.store.value);
    if (!b || !value || !irl__rewrite_list(r, b->rank, &indices)) return NULL;
    if (b == s->u.store.buffer && value == s->u.store.value && indices == s->u.store.indices)
        return s;
    return irl__stmt_store(r->cx, b, value, b->rank, indices, s->loc);
}

/* Rewrites the parts of every other kind into `copy`; false on failure. */
static int irl__rewrite_parts(irl__rewriter *r, irl_stmt *copy)
{
    switch ((irl__stmt_kind)copy->kind) {
    case IRL__FOR:
        return irl__rewrite_optional_expr(r, &copy->u.loop.min) &&
               irl__rewrite_optional_expr(r, &copy->u.loop.extent) &&
               irl__rewrite_optional_stmt(r, &copy->u.loop.body);
    case IRL__BLOCK: return (copy->u.block = irl__rewrite_block(r, copy->u.block)) != NULL;
    case IRL__IF:
        return irl__rewrite_optional_expr(r, &copy->u.branch.condition) &&
               irl__rewrite_optional_stmt(r, &copy->u.branch.then_) &&
               irl__rewrite_optional_stmt(r, &copy->u.branch.else_);
    case IRL__LET: return irl__rewrite_optional_expr(r, &copy->u.let.value);
    case IRL__ALLOC:
    case IRL__DECL:
        return (copy->u.alloc.buffer = irl__rewrite_buffer(r, copy->u.alloc.buffer)) != NULL;
    case IRL__ASSUME:
    case IRL__ASSERT: return irl__rewrite_optional_expr(r, &copy->u.check.condition);
    case IRL__EVALUATE: return irl__rewrite_optional_expr(r, &copy->u.evaluate.value);
    case IRL__ATTR:
        return irl__rewrite_optional_expr(r, &copy->u.attr.annotation.value) &&
               irl__rewrite_optional_stmt(r, &copy->u.attr.body);
    case IRL__LAUNCH: return irl__rewrite_list(r, copy->u.launch.count, &copy->u.launch.args);
    default: return 1;
    }
}

const irl_stmt *irl__rewrite_stmt_children(irl__rewriter *r, const irl_stmt *s)
{
    irl_stmt copy;
    if (!s) return NULL;
    if (s->kind == IRL__SEQ) return irl__rewrite_seq(r, s);
    if (s->kind == IRL__STORE) return irl__rewrite_store(r, s);
    copy = *s;
    if (!irl__rewrite_parts(r, &copy)) return NULL;
    if (memcmp(&copy, s, sizeof copy) == 0) return s;
    return irl__stmt_finish(r->cx, irl__stmt_copy(r->cx, &copy));
}

const irl_stmt *irl__rewrite_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl_loc         outer = r->cx->here;
    const irl_stmt *result;
    if (!s || !irl__ok(r->cx)) return NULL;
    if (s->loc.source) r->cx->here = s->loc;
    result = r->stmt ? r->stmt(r, s) : irl__rewrite_stmt_children(r, s);
    r->cx->here = outer;
    return result;
}

/* ------------------------------------------------------------------ walking */

void irl__visit_expr(irl__visitor *v, const irl_expr *e)
{
    uint32_t k;
    /* without a hook only loads matter */
    if (!e || (v->expr ? !v->expr(v, e) : !(e->flags & IRL__HAS_MEMORY))) return;
    if (e->op == IRL_OP_LOAD && v->buffer) v->buffer(v, e->u.buffer, NULL);
    for (k = 0; k < e->count; k++) irl__visit_expr(v, e->a[k]);
}

static void irl__visit_list(irl__visitor *v, int count, const irl_expr *const *list)
{
    int k;
    for (k = 0; k < count; k++) irl__visit_expr(v, list[k]);
}

static void irl__visit_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    if (v->buffer) v->buffer(v, b, s);
}

static void irl__visit_regions(irl__visitor *v, int count, const irl__region *regions,
                               const irl_stmt *s)
{
    int k;
    for (k = 0; k < count; k++) {
        irl__visit_buffer(v, regions[k].buffer, s);
        irl__visit_list(v, regions[k].buffer->rank, regions[k].min);
        irl__visit_list(v, regions[k].buffer->rank, regions[k].extent);
    }
}

static void irl__visit_block(irl__visitor *v, const irl_stmt *s)
{
    const irl__block_data *b = s->u.block;
    int                    k;
    for (k = 0; k < b->axis_count; k++) {
        irl__visit_expr(v, b->axes[k].extent);
        irl__visit_expr(v, b->axes[k].binding);
    }
    irl__visit_expr(v, b->predicate);
    irl__visit_regions(v, b->read_count, b->reads, s);
    irl__visit_regions(v, b->write_count, b->writes, s);
    for (k = 0; k < b->alloc_count; k++) irl__visit_buffer(v, b->allocs[k], s);
    for (k = 0; k < b->match_count; k++) {
        irl__visit_buffer(v, b->matches[k].buffer, s);
        irl__visit_regions(v, 1, &b->matches[k].source, s);
    }
    irl__visit_stmt(v, b->init);
    irl__visit_stmt(v, b->body);
}

void irl__visit_stmt(irl__visitor *v, const irl_stmt *s)
{
    int k;
    if (!s || (v->stmt && !v->stmt(v, s))) return;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; k < s->u.seq.count; k++) irl__visit_stmt(v, s->u.seq.stmts[k]);
        break;
    case IRL__FOR:
        irl__visit_expr(v, s->u.loop.min);
        irl__visit_expr(v, s->u.loop.extent);
        irl__visit_stmt(v, s->u.loop.body);
        break;
    case IRL__BLOCK: irl__visit_block(v, s); break;
    case IRL__IF:
        irl__visit_expr(v, s->u.branch.condition);
        irl__visit_stmt(v, s->u.branch.then_);
        irl__visit_stmt(v, s->u.branch.else_);
        break;
    case IRL__LET: irl__visit_expr(v, s->u.let.value); break;
    case IRL__STORE:
        irl__visit_buffer(v, s->u.store.buffer, s);
        irl__visit_list(v, s->u.store.buffer->rank, s->u.store.indices);
        irl__visit_expr(v, s->u.store.value);
        break;
    case IRL__ALLOC:
    case IRL__DECL: irl__visit_buffer(v, s->u.alloc.buffer, s); break;
    case IRL__ASSUME:
    case IRL__ASSERT: irl__visit_expr(v, s->u.check.condition); break;
    case IRL__EVALUATE: irl__visit_expr(v, s->u.evaluate.value); break;
    case IRL__ATTR:
        irl__visit_expr(v, s->u.attr.annotation.value);
        irl__visit_stmt(v, s->u.attr.body);
        break;
    case IRL__LAUNCH: irl__visit_list(v, s->u.launch.count, s->u.launch.args); break;
    default: break;
    }
}

int irl__expr_uses_var(const irl_expr *e, const irl_expr *var)
{
    uint32_t k;
    if (e == var) return 1;
    if (!(e->flags & IRL__HAS_VAR)) return 0;
    for (k = 0; k < e->count; k++)
        if (irl__expr_uses_var(e->a[k], var)) return 1;
    return 0;
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
    renamed.to = value == e->a[1] ? e->a[0] : irl_var(r->cx, e->a[0]->u.name, e->a[0]->type);
    renamed.outer = s->renamed;
    if (!renamed.to) return NULL;
    s->renamed = &renamed;
    body = irl__rewrite_expr(r, e->a[2]);
    s->renamed = renamed.outer;
    if (!body) return NULL;
    return value == e->a[1] && body == e->a[2] ? e : irl_let(r->cx, renamed.to, value, body);
}

static const irl_expr *irl__substitute_hook(irl__rewriter *r, const irl_expr *e)
{
    const irl__visit_substitution *s = (const irl__visit_substitution *)r->user;
    const irl__visit_renamed      *renamed;
    int                            k;
    if (!(e->flags & IRL__HAS_VAR)) return e;
    if (e->op == IRL_OP_LET) return irl__substitute_let(r, e);
    if (e->op != IRL_OP_VAR) return irl__rewrite_expr_children(r, e);
    for (renamed = s->renamed; renamed; renamed = renamed->outer)
        if (renamed->from == e) return renamed->to;
    for (k = 0; k < s->count; k++)
        if (s->from[k] == e) return s->to[k];
    return e;
}

static void irl__substitute_begin(irl__rewriter *r, irl__visit_substitution *s, irl_ctx *cx,
                                  int count, const irl_expr *const *from, const irl_expr *const *to)
{
    memset(r, 0, sizeof *r);
    s->count = count;
    s->from = from;
    s->to = to;
    s->renamed = NULL;
    r->cx = cx;
    r->user = s;
    r->expr = irl__substitute_hook;
}

const irl_expr *irl__substitute(irl_ctx *cx, const irl_expr *e, int count,
                                const irl_expr *const *from, const irl_expr *const *to)
{
    irl__rewriter           r;
    irl__visit_substitution s;
    irl__substitute_begin(&r, &s, cx, count, from, to);
    return irl__rewrite_expr(&r, e);
}

const irl_stmt *irl__substitute_stmt(irl_ctx *cx, const irl_stmt *s, int count,
                                     const irl_expr *const *from, const irl_expr *const *to)
{
    irl__rewriter           r;
    irl__visit_substitution substitution;
    irl__substitute_begin(&r, &substitution, cx, count, from, to);
    return irl__rewrite_stmt(&r, s);
}
