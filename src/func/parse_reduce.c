/* parse_reduce.c - reading reductions, sum(k: 64, e), and making the statements that compute them.

   needs     parse_expr.c, parse_seq.c (ranges)
   promises  a reduction becomes a load of a new variable, which statements before the statement
             with the reduction compute. If the reduction is all that is stored, y[i] = sum(...),
             and nothing in it reads y, the cell itself is that variable. A reduction is computed
             only where its expression would be: not if a condition excludes it

   If the ranges are constant and not empty, outside of blocks, these statements are a block with an
   init, whose spatial axes are loops around it; else

       t[] = 0; for (k: n) t[] = t[] + e;

   Sums and products of floats have no order of their own: note(order = "free") says so. */
#include "parse_func.h"

/* ------------------------------------------------------------------ what it starts from */

/* What an empty reduction is. */
static const irl_expr *irl__reduce_identity(irl_ctx *cx, irl_op op, irl_type type)
{
    const int bits = irl__type_info(type)->bits;
    const int is_signed = irl__type_info(type)->kind != IRL_KIND_UINT;
    double    huge = 1e300;
    if (op == IRL_OP_ADD || op == IRL_OP_MUL) {
        if (irl__type_is_integer(type)) return irl_expr_int(cx, type, op == IRL_OP_MUL);
        return irl_expr_float(cx, type, op == IRL_OP_MUL ? 1 : 0);
    }
    if (!irl__type_is_integer(type)) {
        huge *= huge; /* infinite */
        return irl_expr_float(cx, type, op == IRL_OP_MAX ? -huge : huge);
    }
    int64_t most = (int64_t)(UINT64_MAX >> (64 - bits + is_signed));
    return irl_expr_int(cx, type, op == IRL_OP_MIN ? most : is_signed ? -most - 1 : 0);
}

/* ------------------------------------------------------------------ names */

/* The name of a block: `name` with `behind` behind it, and _1, _2, ... where blocks have it, or, if
   it is to be a variable's too, something else in scope. */
static const char *irl__reduce_name(irl__parser *p, const char *name, const char *behind,
                                    irl__symbol **symbol)
{
    irl__symbol *first = NULL;
    do {
        irl__text t;
        irl__text_init(&t, p->cx);
        irl__text_puts(&t, name ? name : behind);
        if (name && *behind) irl__textf(&t, "_%s", behind);
        if (first) irl__textf(&t, "_%u", (uint64_t)++first->block_count);
        *symbol = irl__text_done(&t) ? irl__symbol_of(p, irl__text_done(&t)) : NULL;
        if (!*symbol) return NULL;
        if (!first) first = *symbol;
    } while ((*symbol)->is_of_block ||
             (*behind && (*symbol)->binding.kind != IRL__UNDECLARED));
    (*symbol)->is_of_block = 1;
    return (*symbol)->text;
}

/* ------------------------------------------------------------------ a cell, and what it becomes */

static const irl_stmt *irl__reduce_update(irl__parser *p, const irl__reduction *r,
                                          const irl__reduce_cell *c)
{
    if (r->best) return irl__reduce_pick_update(p, r, c);
    const irl_expr *const ab[] = {
        irl__expr_load(p->cx, c->buffer, c->rank, c->indices, r->loc), r->value };
    if (!ab[0]) return NULL;
    return irl__stmt_store(p->cx, c->buffer, irl__expr_op(p->cx, r->what->op, 2, ab, r->loc),
                           c->rank, c->indices, r->loc);
}

static const irl_stmt *irl__reduce_init(irl__parser *p, const irl__reduction *r,
                                        const irl__reduce_cell *c)
{
    const irl_expr *identity = irl__reduce_identity(p->cx, r->what->op, r->type);
    if (r->best) return irl__reduce_pick_store(p, r, c, identity, r->first);
    return irl__stmt_store(p->cx, c->buffer, identity, c->rank, c->indices, r->loc);
}

/* The permission that the order may change, where that needs one. */
static const irl_stmt *irl__reduce_permitted(irl__parser *p, const irl__reduction *r,
                                             const irl_stmt *s)
{
    const irl_op op = r->what->op;
    if (!s || !irl__type_is_float(r->type) || (op != IRL_OP_ADD && op != IRL_OP_MUL)) return s;
    return irl_stmt_set_note(p->cx, s, irl__note_of(IRL__NOTE_ORDER, "free"));
}

/* The loops over the ranges around s. */
static const irl_stmt *irl__reduce_loops(irl__parser *p, const irl__reduction *r, const irl_stmt *s)
{
    for (int k = r->count; s && k-- > 0;) {
        const irl_expr *const *range = r->ranges + 3 * k;
        const int              is_block = s->kind == IRL__BLOCK;
        s = irl__loop_for(p->cx, r->loc, IRL_SERIAL, IRL_GROUP_X, range[0], range[1], range[2], s);
        if (k == r->count - 1 && !is_block) s = irl__reduce_permitted(p, r, s);
    }
    return s;
}

/* ------------------------------------------------------------------ as a block */

/* Does the cell differ wherever the variable does? Then it is one of its indices. */
static int irl__reduce_is_index(const irl__reduce_cell *c, const irl_expr *var)
{
    for (int k = 0; k < c->rank; k++)
        if (c->indices[k] == var) return 1;
    return 0;
}

/* The loops around as axes, the innermost first; 0: they cannot all be. A variable of the iteration
   needs only those that the value uses. */
static int irl__reduce_spatial(irl__parser *p, const irl__reduction *r, const irl__reduce_cell *c,
                               irl__reduce_axes *a)
{
    const irl__loops_around *l;
    for (l = p->func->loops; l; l = l->outer)
        for (size_t at = l->end; at > l->base; at -= 3) {
            const irl_expr *const *range = p->exprs + at - 3;
            if (c->is_own ? !irl__expr_uses_var(r->value, range[0])
                          : !irl__reduce_is_index(c, range[0])) {
                if (c->is_own) continue;
                return 0;
            }
            if (range[1]->op != IRL_OP_INT || range[2]->flags & IRL__HAS_MEMORY ||
                a->count == IRL_MAX_RANK)
                return 0;
            a->range[a->count++] = range;
        }
    a->spatial = a->count;
    return 1;
}

int irl__reduce_axes_of(irl__parser *p, const irl__reduction *r, const irl__reduce_cell *c,
                        irl__reduce_axes *a)
{
    int k, j;
    memset(a, 0, sizeof *a);
    if (p->func->is_in_block || r->inner || p->within || !irl__reduce_spatial(p, r, c, a)) return 0;
    for (k = 0, j = a->spatial - 1; k < j; k++, j--) { /* the outermost first */
        const irl_expr *const *range = a->range[k];
        a->range[k] = a->range[j];
        a->range[j] = range;
    }
    for (k = 0; k < r->count; k++) {
        const irl_expr *const *range = r->ranges + 3 * k;
        if (range[1]->op != IRL_OP_INT || range[2]->op != IRL_OP_INT || range[2]->u.i < 1 ||
            a->count == IRL_MAX_RANK)
            return 0;
        a->range[a->count++] = range;
    }
    /* The extents of axes are the same in all iterations of the loops around. */
    const irl__loops_around *l;
    for (l = p->func->loops; l; l = l->outer)
        for (size_t at = l->base; at < l->end; at += 3)
            for (int i = 0; i < a->count; i++)
                if (irl__expr_uses_var(a->range[i][2], p->exprs[at])) return 0;
    return 1;
}

/* The axes, which count from 0; what stands for the loops' variables in the block. */
static irl__axis *irl__reduce_make_axes(irl__parser *p, irl__reduce_axes *a)
{
    irl__axis *axes = IRL__NEW(p->cx, irl__axis, a->count);
    for (int k = 0; axes && k < a->count; k++) {
        const irl_expr *const *range = a->range[k];
        a->from[k] = range[0];
        a->to[k] = irl__loop_axis(p->cx, range[0], range[1], range[2], &axes[k]);
        if (!a->to[k]) return NULL;
        axes[k].is_reduction = k >= a->spatial;
    }
    return axes;
}

const irl_stmt *irl__reduce_block(irl__parser *p, const irl__reduction *r,
                                  const irl__reduce_cell *c, irl__reduce_axes *a,
                                  const char *name)
{
    irl__block_data *b = IRL__NEW(p->cx, irl__block_data, 1);
    irl__axis       *axes = irl__reduce_make_axes(p, a);
    irl_stmt        *s = irl__stmt_new(p->cx, IRL__BLOCK, r->loc);
    const irl_stmt  *init = irl__reduce_init(p, r, c), *update = irl__reduce_update(p, r, c);
    if (!b || !axes || !s || !name || !init || !update) return NULL;
    b->name = name;
    b->axes = axes;
    b->axis_count = a->count;
    b->init = irl__substitute_stmt(p->cx, init, a->count, a->from, a->to);
    b->body = irl__substitute_stmt(p->cx, update, a->count, a->from, a->to);
    if (!b->init || !b->body) return NULL;
    s->u.block = b;
    return irl__reduce_loops(p, r, irl__reduce_permitted(p, r, irl__stmt_finish(p->cx, s)));
}

/* ------------------------------------------------------------------ as plain loops */

/* What stands around the reduction in its statement stands around the loops. */
static const irl_stmt *irl__reduce_guard(irl__parser *p, const irl__reduction *r, const irl_stmt *s)
{
    const irl__parse_within *w;
    for (w = p->within; s && w; w = w->outer) {
        if (w->var) {
            s = irl__substitute_stmt(p->cx, s, 1, &w->var, &w->value);
            continue;
        }
        irl_stmt *branch = irl__stmt_new(p->cx, IRL__IF, r->loc);
        if (!branch || !w->value) return NULL;
        if (w->value->type.scalar != IRL_BOOL || w->value->type.lanes != 1) {
            irl__fail(p->cx, IRL_ERROR_UNSUPPORTED, r->loc, "a reduction depends on a condition "
                      "that is not one bool; bind the reduction by let before");
            return NULL;
        }
        branch->u.branch.condition =
            w->truth ? w->value : irl_expr_op1(p->cx, IRL_OP_NOT, w->value);
        branch->u.branch.then_ = s;
        s = branch->u.branch.condition ? irl__stmt_finish(p->cx, branch) : NULL;
    }
    return s;
}

/* The update behind what declares and computes the variables that it uses. */
static const irl_stmt *irl__reduce_body(irl__parser *p, const irl__reduction *r,
                                        const irl__reduce_cell *c)
{
    const size_t base = p->func->stmt_count;
    for (int k = 0; r->inner && k < r->inner->u.seq.count; k++)
        if (!irl__push_stmt(p, r->inner->u.seq.stmts[k])) return NULL;
    return irl__stmt_behind(p, base, irl__reduce_update(p, r, c));
}

const irl_stmt *irl__reduce_plain(irl__parser *p, const irl__reduction *r,
                                  const irl__reduce_cell *c)
{
    const irl_stmt *init = irl__reduce_init(p, r, c);
    const irl_stmt *s = irl__reduce_guard(p, r, irl__reduce_loops(p, r, irl__reduce_body(p, r, c)));
    if (r->best) init = irl__reduce_guard(p, r, init); /* its first index may use a let */
    return irl__stmt_pair(p->cx, init, s);
}

/* ------------------------------------------------------------------ y[i] = sum(...) */

int irl__reduce_is_read(const irl__reduction *r, const irl_expr *data)
{
    for (int k = 0; k < 3 * r->count; k++)
        if (irl__expr_reads(r->ranges[k], data)) return 1;
    return irl__expr_reads(r->value, data) ||
           (r->inner && irl__stmt_names(r->inner, data, NULL));
}

const irl_stmt *irl__reduce_into(irl__parser *p, size_t base, const irl_buffer *b, int rank,
                                 const irl_expr *const *indices, const irl_expr *value)
{
    const irl__reduction *r = p->func->reduction;
    const char           *name = p->func->label;
    irl__reduce_axes      a;
    irl__symbol          *symbol = NULL;
    if (!r || r->best || value != r->load || r->base != base || r->end != p->func->stmt_count ||
        p->func->is_in_block || irl__reduce_is_read(r, b->data))
        return NULL;
    for (int k = 0; k < rank; k++)
        if (indices[k]->type.lanes != 1 || indices[k]->flags & IRL__HAS_MEMORY) return NULL;
    irl__reduce_cell c = { b, rank, indices, 0 };
    p->func->stmt_count = base;
    p->func->sums_into_image |= irl__scope_is_image(b->scope);
    if (r->name) r->name->is_of_block = 0;
    if (!irl__reduce_axes_of(p, r, &c, &a)) return irl__reduce_plain(p, r, &c);
    p->func->label = NULL;
    if (!name) name = irl__reduce_name(p, b->name, "", &symbol);
    else if ((symbol = irl__symbol_of(p, name)) != NULL) symbol->is_of_block = 1;
    return symbol ? irl__reduce_block(p, r, &c, &a, name) : NULL;
}

/* ------------------------------------------------------------------ reading */

/* The variable beside the one of a pick. */
static int irl__reduce_make_best(irl__parser *p, irl__reduction *r, const char *name)
{
    irl__symbol *symbol;
    const char  *own = irl__reduce_name(p, name, "value", &symbol);
    r->best = own ? irl__buffer_make(p->cx, own, r->type, IRL_SCOPE_LOCAL, 0, NULL, NULL, r->loc)
                  : NULL;
    return r->best != NULL;
}

/* The variable of a reduction, and what computes it, are pushed onto p->func->stmts. */
static const irl_expr *irl__reduce_variable(irl__parser *p, irl__reduction *r)
{
    const char      *outer = p->func->label ? p->func->label : p->func->target;
    irl__reduce_axes a;
    const int        is_pick = r->what->form == IRL__REDUCED_PICK;
    const char      *name = irl__reduce_name(p, outer, r->what->text, &r->name);
    if (!name) return NULL;
    irl_buffer *t = irl__buffer_make(p->cx, name, is_pick ? r->index_type : r->type,
                                     IRL_SCOPE_LOCAL, 0, NULL, NULL, r->loc);
    if (!t || (is_pick && !irl__reduce_make_best(p, r, name))) return NULL;
    irl__reduce_cell c = { t, 0, NULL, 1 };
    p->func->label_is_used = 1;
    r->base = p->func->stmt_count;
    if (is_pick && !irl__push_stmt(p, irl_stmt_alloc(p->cx, r->best))) return NULL;
    const irl_stmt *s = irl__reduce_axes_of(p, r, &c, &a) ? irl__reduce_block(p, r, &c, &a, name)
                                                          : irl__reduce_plain(p, r, &c);
    if (!s || !irl__push_stmt(p, irl_stmt_alloc(p->cx, t)) || !irl__push_stmt(p, s)) return NULL;
    r->end = p->func->stmt_count;
    r->is_guarded = p->within != NULL;
    r->load = irl__expr_load(p->cx, t, 0, NULL, r->loc);
    if (!is_pick && !irl__ptr_map_put(p->cx, &p->func->reductions, t, r)) return NULL;
    return r->load;
}

/* k: 64, j: 2 .. k, and the comma behind each. */
static int irl__reduce_ranges(irl__parser *p, irl__reduction *r, size_t base, irl_type hint)
{
    uint32_t           at = 0;
    const irl__symbol *range = p->token.symbol;
    while (irl__parse_at_ranges(p))
        if (!irl__parse_range(p, &at) ||
            !irl__expect(p, ',', "',' and another range, or what is accumulated"))
            return 0;
    r->count = (int)((p->expr_count - base) / 3);
    if (!r->count)
        return irl__unexpected(p, "the ranges of a reduction, as in sum(k: 64, x[k])");
    r->ranges = IRL__COPY(p->cx, const irl_expr *, p->exprs + base, p->expr_count - base);
    return r->ranges &&
           (r->what->form != IRL__REDUCED_PICK || irl__reduce_picked(p, r, range, hint));
}

/* What is accumulated, in its own type or in the one that is stated; not a condition. */
static const irl_expr *irl__reduce_number(irl__parser *p, irl__reduction *r, irl_type type,
                                          irl_type hint)
{
    if (r->what->form == IRL__REDUCED_PICK) hint = irl__value_no_hint();
    if (type.lanes) hint = irl__value_hint_of(type);
    irl__value      v = irl__parse_value(p, hint);
    const irl_expr *e = v.kind == IRL__VALUE_NONE ? NULL : irl__value_settle(p, &v, hint);
    if (e && type.lanes) {
        type.lanes = type.lanes > 1 ? type.lanes : e->type.lanes;
        if (!irl_type_equal(e->type, type)) e = irl_expr_cast(p->cx, type, e);
    }
    if (e && e->type.scalar == IRL_INDEX) { /* which no memory holds */
        r->is_of_index |= r->what->form != IRL__REDUCED_PICK;
        e = irl_expr_cast(p->cx, irl__reduce_held(p, r, e, NULL), e);
    }
    if (!e) irl__failed_at(p, v.offset);
    return e;
}

static int irl__reduce_value(irl__parser *p, irl__reduction *r, size_t base, irl_type type,
                             irl_type hint)
{
    const size_t             stmts = p->func->stmt_count;
    const irl__parse_within *within = p->within;
    const irl__reduced_form  form = r->what->form;
    irl__loops_around around = { base, p->expr_count, p->func->loops };
    p->func->loops = &around;
    p->within = NULL;
    r->value = form == IRL__REDUCED_TRUTH || form == IRL__REDUCED_COUNT
                   ? irl__reduce_condition(p, r, type, hint)
                   : irl__reduce_number(p, r, type, hint);
    p->func->loops = around.outer;
    p->within = within;
    if (!r->value) return 0;
    r->type = r->value->type;
    if (p->func->stmt_count == stmts) return 1;
    r->inner = irl__pop_stmts(p, stmts);
    return r->inner != NULL;
}

static int irl__reduce_read(irl__parser *p, irl__reduction *r, irl_type hint)
{
    const size_t base = p->expr_count;
    irl_type     type = irl__value_no_hint();
    if (p->token.kind == IRL__TOKEN_NAME && p->token.symbol->is_type && !p->token.is_quoted &&
        irl__next_char(p) == ':' &&
        (!irl__parse_type(p, &type) || !irl__expect(p, ':', "':' and the ranges")))
        return 0;
    p->reduce = NULL;
    int ok = irl__reduce_ranges(p, r, base, hint);
    p->reduce = irl__parse_reduction;
    uint32_t offset = p->token.offset;
    ok = ok && irl__reduce_value(p, r, base, type, hint) && irl__reduce_computes(p, r, offset) &&
         irl__expect(p, ')', "')' after what is accumulated");
    p->expr_count = base;
    return ok;
}

irl__value irl__parse_reduction(irl__parser *p, const irl__reduced *what, irl_type hint,
                                uint32_t offset)
{
    irl__reduction *r = IRL__NEW(p->cx, irl__reduction, 1);
    if (!r || !irl__ok(p->cx)) return irl__value_new(IRL__VALUE_NONE, offset);
    r->what = what;
    r->loc = irl__loc_at(p, offset);
    size_t scope = irl__scope_open(p);
    int    ok = irl__reduce_read(p, r, hint);
    irl__scope_close(p, scope);
    if (!ok) return irl__value_new(IRL__VALUE_NONE, offset);
    p->func->reduction = r;
    const irl_expr *made = irl__reduce_variable(p, r);
    return irl__value_of(p, made ? irl__reduce_result(p, r, made) : NULL, offset);
}
