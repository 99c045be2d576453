/* image_sums.c - computes a sum that is stored into an image in plain memory first.

   requires  a function before layouts are applied
   maintains what it computes
   breaks    nothing: a sum of another form stays as it is, and a target without images that are
             read and written refuses it
   cost      linear in the function for each image

   A cell of an image is set and then added to, by a block with an init or by a nest:

       for (i: 8, c: 4) { y[i, c] = 0; for (k: 9) y[i, c] = y[i, c] + x[i, k] * w[k, c]; }

   No device below OpenCL 2.0 reads an image that it writes. Loops without memory in their bounds
   are split: the sum goes to an array over those that it uses, a second nest copies it. In any
   other place the sum is a variable, which is stored after it. The parser, irl_func_set_scope and
   lowering all call this file, so the result does not depend on which of them sets the scope. */
#include "ir.h"

typedef struct irl__image_sum {
    irl_ctx          *cx;
    const irl_func   *f;
    const irl_expr   *data;  /* the image */
    int               depth; /* of the frame: loops and conditions, the outermost first */
    const irl_stmt   *frame[2 * IRL_MAX_RANK];
    const irl_stmt   *core;  /* sets the cell, and adds to it */
    const irl_stmt   *block; /* in the core, with an init; NULL: the core is a sequence */
    const irl_stmt   *first; /* the store that sets the cell */
    const irl_expr   *index[IRL_MAX_RANK]; /* of the cell, over what is around the core */
    const irl_expr   *last;  /* what the last other store stores */
    int               reads, stores_more, is_other; /* accesses in the core; is_other: not a sum */
    const irl_buffer *to;    /* where the sum is computed */
    const irl_expr   *to_index[IRL_MAX_RANK];
} irl__image_sum;

/* ------------------------------------------------------------------ what is a sum */

static int irl__image_sum_is_cell(const irl__image_sum *x, const irl_buffer *b,
                                  const irl_expr *const *indices)
{
    const irl_stmt *first = x->first;
    return b == first->u.store.buffer &&
           irl__exprs_equal(b->rank, indices, first->u.store.indices);
}

static int irl__image_sum_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__image_sum *x = (irl__image_sum *)v->user;
    x->is_other |= e == x->data;
    if (e->op != IRL_OP_LOAD || e->u.buffer->data != x->data) return 1;
    x->reads = 1;
    x->is_other |= !irl__image_sum_is_cell(x, e->u.buffer, e->a);
    return 1;
}

static int irl__image_sum_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__image_sum *x = (irl__image_sum *)v->user;
    if (s->kind == IRL__ALLOC || s->kind == IRL__DECL)
        x->is_other |= s->u.alloc.buffer->data == x->data;
    if (s->kind != IRL__STORE) return 1;
    if (s->u.store.buffer->data != x->data) return x->stores_more = 1;
    x->is_other |= !irl__image_sum_is_cell(x, s->u.store.buffer, s->u.store.indices);
    if (s != x->first) x->last = s->u.store.value;
    return 1;
}

/* Is the loop's variable one of those that a reduction of the block goes over? */
static int irl__image_sum_reduces(const irl_stmt *block, const irl_stmt *loop)
{
    for (int k = 0; k < block->u.block->axis_count; k++)
        if (block->u.block->axes[k].is_reduction &&
            irl__expr_uses_var(block->u.block->axes[k].binding, loop->u.loop.var))
            return 1;
    return 0;
}

/* The number that a loop of the core starts from. */
static int irl__image_sum_start(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl_stmt *s = (const irl_stmt *)user;
    while (s->kind == IRL__FOR && s->u.loop.var != var) s = s->u.loop.body;
    if (s->kind == IRL__FOR) out->i = s->u.loop.min->u.i;
    return s->kind == IRL__FOR;
}

/* Do the loops from s on to the block run through the whole reduction, from its first iteration,
   which is the one of the init? */
static int irl__image_sum_is_whole(const irl_stmt *s, const irl_stmt *block)
{
    const irl__block_data *b = block->u.block;
    irl__valuation         v;
    irl__scalar            value;
    memset(&v, 0, sizeof v);
    v.name = irl__image_sum_start;
    v.user = s;
    for (const irl_stmt *at = s; at != block; at = at->u.loop.body)
        if (!irl__image_sum_reduces(block, at) || at->u.loop.min->op != IRL_OP_INT ||
            !irl__stmt_loop_runs(at))
            return 0;
    for (int k = 0; k < b->axis_count; k++)
        if (b->axes[k].is_reduction &&
            (irl__scalar_of(&v, b->axes[k].binding, &value) != IRL__FOLD_OK || value.i))
            return 0;
    return !b->predicate;
}

/* The block with an init that s is, in loops of its reduction alone, which are all of them. */
static const irl_stmt *irl__image_sum_block(const irl_stmt *s)
{
    const irl_stmt *block = s;
    while (block->kind == IRL__FOR) block = block->u.loop.body;
    return block->kind == IRL__BLOCK && block->u.block->init && irl__image_sum_is_whole(s, block)
               ? block
               : NULL;
}

/* The indices of the cell, the axes of its block replaced by what they are bound to. */
static int irl__image_sum_place(irl__image_sum *x)
{
    const irl__block_data *b = x->block ? x->block->u.block : NULL;
    const irl_expr        *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    int                    k, count = 0;
    for (k = 0; b && k < b->axis_count; k++) {
        from[k] = b->axes[k].var;
        to[k] = b->axes[k].binding;
        count++;
    }
    for (k = 0; k < x->first->u.store.buffer->rank; k++) {
        x->index[k] = x->first->u.store.indices[k];
        if (x->index[k]->flags & IRL__HAS_MEMORY || x->index[k]->type.lanes != 1) return 0;
        for (int j = 0; j < count; j++)
            if (b->axes[j].is_reduction && irl__expr_uses_var(x->index[k], from[j])) return 0;
        if (count) x->index[k] = irl__substitute(x->cx, x->index[k], count, from, to);
        if (!x->index[k]) return 0;
    }
    return 1;
}

/* Is s such a core? */
static int irl__image_sum_is_core(irl__image_sum *x, const irl_stmt *s)
{
    irl__visitor v = irl__visitor_make(x, irl__image_sum_see_expr, irl__image_sum_see_stmt);
    x->core = s;
    x->block = s->kind == IRL__SEQ ? NULL : irl__image_sum_block(s);
    x->first = x->block ? x->block->u.block->init : NULL;
    if (x->block && x->block->u.block->axis_count > IRL_MAX_RANK) return 0;
    for (int k = 0; s->kind == IRL__SEQ && !x->first && k < s->u.seq.count; k++)
        if (irl__stmt_names(s->u.seq.stmts[k], x->data, NULL)) x->first = s->u.seq.stmts[k];
    if (!x->first || x->first->kind != IRL__STORE || x->first->u.store.buffer->data != x->data ||
        irl__expr_reads(x->first->u.store.value, x->data) ||
        irl__stmt_holds(s, IRL__HOLDS_REGIONS | IRL__HOLDS_MATCH | IRL__HOLDS_BOUND |
                               IRL__HOLDS_PARALLEL))
        return 0;
    x->reads = x->stores_more = x->is_other = 0;
    x->last = NULL;
    irl__visit_stmt(&v, s);
    return x->reads && !x->is_other && irl__image_sum_place(x);
}

/* ------------------------------------------------------------------ names */

static int irl__image_name_differs(void *name, irl__field_kind kind, const void *at)
{
    (void)kind;
    return strcmp((*(const irl_buffer *const *)at)->name, *(const char *const *)name) != 0;
}

static int irl__image_name_stmt(const irl_stmt *s, const void *name)
{
    const char *label = irl__stmt_label(s), *own = s->kind == IRL__FOR   ? s->u.loop.var->u.name
                                                   : s->kind == IRL__LET   ? s->u.let.var->u.name
                                                   : s->kind == IRL__BLOCK ? s->u.block->name
                                                                           : NULL;
    return (own && strcmp(own, (const char *)name) == 0) ||
           (label && strcmp(label, (const char *)name) == 0) ||
           !irl__fields_each(s, IRL__FIELDS_NEW, irl__image_name_differs, &name);
}

static int irl__image_name_is_taken(const irl_func *f, const char *name)
{
    for (int k = 0; k < f->param_count; k++)
        if (strcmp(f->params[k].name, name) == 0) return 1;
    return irl__stmt_any(f->body, irl__image_name_stmt, NULL, name);
}

/* ------------------------------------------------------------------ the sum elsewhere */

static const irl_buffer *irl__image_sum_access(irl__rewriter *r, const irl_buffer *b,
                                               const irl_expr **indices)
{
    const irl__image_sum *x = (const irl__image_sum *)r->user;
    if (b->data != x->data) return b;
    memcpy(indices, x->to_index, (size_t)x->to->rank * sizeof *indices);
    return x->to;
}

/* The block named as what it computes, without the axes that nothing in it uses any more. */
static const irl_stmt *irl__image_sum_axes(const irl__image_sum *x, const irl_stmt *s)
{
    irl_ctx               *cx = x->cx;
    const irl__block_data *b = s->u.block;
    irl__block_data       *copy;
    irl_stmt              *made = irl__block_copy(cx, s, &copy);
    irl__axis             *axes = made ? irl__block_axes(cx, copy, 0) : NULL;
    if (!axes) return NULL;
    copy->name = x->to->name;
    copy->axis_count = 0;
    for (int k = 0; k < b->axis_count; k++) {
        const irl__axis *axis = &b->axes[k];
        if (axis->is_reduction || axis->extent->op != IRL_OP_INT ||
            irl__stmt_names(b->body, axis->var, NULL) || irl__stmt_names(b->init, axis->var, NULL))
            axes[copy->axis_count++] = *axis;
    }
    return irl__stmt_finish(cx, made);
}

static const irl_stmt *irl__image_sum_block_of(irl__rewriter *r, const irl_stmt *s)
{
    irl__image_sum *x = (irl__image_sum *)r->user;
    const irl_stmt *made = irl__rewrite_stmt_children(r, s);
    return made && s == x->block ? irl__image_sum_axes(x, made) : made;
}

/* New memory, x->to; the core, computing there; and the cell gets what was computed at `from`.
   False on failure. */
static int irl__image_sum_move(irl__image_sum *x, const char *name, irl_scope scope, int rank,
                               const irl_expr *const *shape, const irl_expr *const *from,
                               const irl_stmt **parts)
{
    const irl_buffer *b = x->first->u.store.buffer;
    const irl_loc     loc = x->first->loc;
    irl__rewriter     r = irl__rewriter_make(x->cx, x, NULL, irl__image_sum_block_of);
    r.access = irl__image_sum_access;
    x->to = irl__buffer_make(x->cx, name, b->type, scope, rank, shape, NULL, loc);
    parts[1] = x->to ? irl__rewrite_stmt(&r, x->core) : NULL;
    if (!parts[1]) return 0;
    parts[0] = irl_stmt_alloc(x->cx, x->to);
    parts[2] = irl__stmt_store(x->cx, b, irl__expr_load(x->cx, x->to, rank, from, loc), b->rank,
                               x->index, loc);
    return 1;
}

/* ------------------------------------------------------------------ two nests */

/* Is the loop an index, over the whole axis? */
static int irl__loops_is_index(const irl_buffer *b, const irl_expr *const *indices,
                               const irl_stmt *loop)
{
    const irl_expr *extent = loop->u.loop.extent;
    for (int k = 0; k < b->rank; k++)
        if (indices[k] == loop->u.loop.var &&
            (extent->op == IRL_OP_INT ? extent->u.i >= 0 : extent == b->shape[k]))
            return 1;
    return 0;
}

/* Do indices count the loop in another way, from another number, say, or backwards? Then it is
   asked that the array over such loops be no larger than the buffer. */
static int irl__loops_counts(const irl_buffer *b, const irl_expr *const *indices,
                             const irl_stmt *loop, int64_t *left)
{
    const int64_t extent = loop->u.loop.extent->op == IRL_OP_INT ? loop->u.loop.extent->u.i : 0;
    if (extent < 1 || *left < extent) return 0;
    *left /= extent;
    return irl__exprs_use_var(b->rank, indices, loop->u.loop.var);
}

/* How many elements the buffer has; 0: no number. */
static int64_t irl__loops_elements(const irl_buffer *b)
{
    int64_t all = 1;
    for (int k = 0; k < b->rank; k++)
        if (b->shape[k]->op != IRL_OP_INT || !irl__mul64(all, b->shape[k]->u.i, &all)) return 0;
    return all;
}

int irl__stmt_loops_fit(const irl_buffer *b, const irl_expr *const *indices, int count,
                        const irl_stmt *const *loops)
{
    int64_t left = irl__loops_elements(b);
    int     k, all = 1;
    for (k = 0; k < count; k++) all &= irl__loops_is_index(b, indices, loops[k]);
    for (k = 0; k < count && !all; k++)
        if (!irl__loops_counts(b, indices, loops[k], &left)) return 0;
    return 1;
}

/* Are the frame, and the indices in it, the same for a second nest? */
static int irl__image_sum_frame_stays(const irl__image_sum *x)
{
    const irl_stmt *core = x->core;
    int             k, j, loops = 0;
    for (k = 0; k < x->depth; k++) {
        const irl_stmt *s = x->frame[k];
        for (j = 0; s->kind == IRL__FOR && j < k; j++)
            if (x->frame[j]->kind == IRL__FOR &&
                irl__expr_uses_var(s->u.loop.extent, x->frame[j]->u.loop.var))
                return 0;
        if (s->kind == IRL__IF ? s->u.branch.condition->flags & IRL__HAS_MEMORY ||
                                     irl__expr_any(s->u.branch.condition, irl__expr_is_call,
                                                   NULL)
                               : s->u.loop.kind != IRL_SERIAL || irl__stmt_is_scheduled(s) ||
                                     s->u.loop.min->op != IRL_OP_INT ||
                                     s->u.loop.extent->flags & IRL__HAS_MEMORY)
            return 0;
        loops += s->kind == IRL__FOR;
    }
    for (k = 0; core->kind == IRL__SEQ && k < core->u.seq.count; k++)
        for (j = 0; j < x->first->u.store.buffer->rank; j++)
            if (core->u.seq.stmts[k]->kind == IRL__LET &&
                irl__expr_uses_var(x->index[j], core->u.seq.stmts[k]->u.let.var))
                return 0;
    return loops > 0 && loops <= IRL_MAX_RANK &&
           !irl__stmt_any(core, NULL, irl__expr_is_call, NULL);
}

/* Is the loop needed for the sum, computed by `alone` with a variable? One that stores elsewhere
   too runs as often as before. */
static int irl__image_sum_keeps(const irl__image_sum *x, const irl_stmt *loop,
                                const irl_stmt *alone)
{
    const irl_expr *var = loop->u.loop.var;
    int             k, used = x->stores_more || irl__stmt_names(alone, var, NULL);
    for (k = 0; k < x->depth; k++)
        used |= x->frame[k]->kind == IRL__IF &&
                irl__expr_uses_var(x->frame[k]->u.branch.condition, var);
    return used || !irl__stmt_loop_runs(loop);
}

/* The same in the core: an axis of its block; NULL: there is none. */
static const irl_expr *irl__image_sum_axis(const irl__image_sum *x, const irl_expr *at)
{
    if (!x->block) return at;
    for (int k = 0; k < x->block->u.block->axis_count; k++)
        if (x->block->u.block->axes[k].binding == at) return x->block->u.block->axes[k].var;
    return NULL;
}

/* A statement of the frame around s; a loop of the sum gets a variable. */
static const irl_stmt *irl__image_sum_around(irl_ctx *cx, const irl_stmt *around, const irl_stmt *s,
                                             const irl_expr *var)
{
    irl_stmt *copy = s ? irl__stmt_copy(cx, around) : NULL;
    if (!copy) return NULL;
    if (around->kind == IRL__IF) {
        copy->u.branch.then_ = s;
        return irl__stmt_finish(cx, copy);
    }
    copy->u.loop.body = s;
    if (var) {
        copy->u.loop.annotation_count -= irl__stmt_label(around) != NULL;
        copy->u.loop.var = var;
        copy->id = cx->next_id++;
    }
    return irl__stmt_finish(cx, copy);
}

/* What the two nests have in common. */
typedef struct irl__image_nests {
    int             count; /* of loops that the sum needs: the axes of the array */
    const irl_stmt *loops[IRL_MAX_RANK];
    const irl_expr *shape[IRL_MAX_RANK], *at[IRL_MAX_RANK]; /* where the copy finds the sum */
    const irl_expr *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];  /* the sum has variables of its own */
    char            keeps[2 * IRL_MAX_RANK];                /* of each statement of the frame */
} irl__image_nests;

static int irl__image_nests_read(irl__image_sum *x, irl__image_nests *n, const irl_stmt *alone)
{
    memset(n, 0, sizeof *n);
    for (int k = 0; k < x->depth; k++) {
        const irl_stmt *loop = x->frame[k];
        const int       j = n->count;
        n->keeps[k] = loop->kind == IRL__IF || irl__image_sum_keeps(x, loop, alone);
        if (loop->kind == IRL__IF || !n->keeps[k]) continue;
        n->loops[j] = loop;
        n->shape[j] = loop->u.loop.extent;
        n->from[j] = loop->u.loop.var;
        /* The loop's variable, from 0. */
        irl_ctx        *cx = x->cx;
        const irl_expr *min = loop->u.loop.min;
        n->at[j] = irl__is_int(min, 0) ? loop->u.loop.var : irl__sub(cx, loop->u.loop.var, min);
        n->to[j] = irl_expr_var(x->cx, n->from[j]->u.name, n->from[j]->type);
        x->to_index[j] = n->at[j] ? irl__image_sum_axis(x, n->at[j]) : NULL;
        if (!x->to_index[j] || !n->to[j]) return 0;
        n->count++;
    }
    return irl__stmt_loops_fit(x->first->u.store.buffer, x->index, n->count, n->loops);
}

/* The array, the nest that computes the sums, and the one that copies them. NULL: it cannot be so,
   or a failure. */
static const irl_stmt *irl__image_sum_nests(irl__image_sum *x, const char *name, const char *label)
{
    irl_ctx         *cx = x->cx;
    irl__image_nests n;
    const irl_stmt  *parts[3];
    int              k, left;
    if (!irl__image_sum_move(x, name, IRL_SCOPE_LOCAL, 0, NULL, NULL, parts) ||
        !irl__image_nests_read(x, &n, parts[1]) ||
        !irl__image_sum_move(x, name, IRL_SCOPE_GLOBAL, n.count, n.shape, n.at, parts))
        return NULL;
    for (k = x->depth, left = n.count; k-- > 0;) {
        const irl_stmt *s = x->frame[k];
        const int       is_loop = s->kind == IRL__FOR;
        parts[2] = irl__image_sum_around(cx, s, parts[2], NULL);
        if (n.keeps[k])
            parts[1] = irl__image_sum_around(cx, s, parts[1], is_loop ? n.to[--left] : NULL);
    }
    parts[1] = irl__substitute_stmt(cx, parts[1], n.count, n.from, n.to);
    if (label && parts[2] && parts[2]->kind == IRL__FOR)
        parts[2] = irl_stmt_set_note(cx, parts[2], irl__note_of(IRL__NOTE_LABEL, label));
    return irl__stmt_seq(cx, 3, parts);
}

/* ------------------------------------------------------------------ of a function */

/* The name of the sum, and the label that the copy keeps. */
static const char *irl__image_sum_names(const irl__image_sum *x, const char **label)
{
    const char *image = x->first->u.store.buffer->name;
    const char *of = x->block                             ? x->block->u.block->name
                     : x->depth && x->frame[0]->kind == IRL__FOR ? irl__stmt_label(x->frame[0])
                                                          : NULL;
    *label = x->block && strcmp(of, image) != 0 ? of : NULL;
    /* NAME_sum, of the label, the block or the image; with a number where that is taken. */
    const irl_op op = x->last ? (irl_op)x->last->op : IRL_OP_ADD;
    const char  *word = op == IRL_OP_MUL                       ? "prod"
                        : op == IRL_OP_MIN || op == IRL_OP_MAX ? irl__op_info(op)->text
                                                               : "sum";
    const char  *made;
    uint64_t     number = 0;
    do {
        made = irl__namef(x->cx, number ? "%s_%s_%u" : "%s_%s", of ? of : image, word, number);
        number++;
    } while (made && irl__image_name_is_taken(x->f, made));
    return made;
}

static const irl_stmt *irl__image_sum_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__image_sum *x = (irl__image_sum *)r->user;
    const char     *label;
    if (!irl__stmt_names(s, x->data, NULL)) return s;
    x->depth = 0;
    if (!irl__image_sum_is_core(x, s)) return irl__rewrite_stmt_children(r, s);
    const char *name = irl__image_sum_names(x, &label);
    /* The core with a variable, and the store after it. */
    const irl_stmt *parts[3];
    return name && irl__image_sum_move(x, name, IRL_SCOPE_LOCAL, 0, NULL, NULL, parts)
               ? irl__stmt_seq(x->cx, 3, parts)
               : NULL;
}

/* A statement at the top of the function. */
static const irl_stmt *irl__image_sum_top(irl__image_sum *x, const irl_stmt *top)
{
    irl__rewriter   r = irl__rewriter_make(x->cx, x, irl__rewrite_no_expr, irl__image_sum_stmt);
    const irl_stmt *s = top, *made = NULL;
    const char     *label;
    for (x->depth = 0; !irl__image_sum_is_core(x, s); x->depth++) {
        if ((s->kind != IRL__FOR && (s->kind != IRL__IF || s->u.branch.else_)) ||
            x->depth == (int)IRL__COUNTOF(x->frame))
            return irl__rewrite_stmt(&r, top);
        x->frame[x->depth] = s;
        s = s->kind == IRL__FOR ? s->u.loop.body : s->u.branch.then_;
    }
    const char *name = irl__image_sum_names(x, &label);
    if (name && irl__image_sum_frame_stays(x)) made = irl__image_sum_nests(x, name, label);
    return made || !irl__ok(x->cx) ? made : irl__rewrite_stmt(&r, top);
}

static irl_func *irl__image_sums_of(const irl_func *f, const irl_expr *data)
{
    const irl_stmt  *body = f->body;
    irl__arena_mark  mark = irl__scratch_begin(f->cx);
    irl__image_sum   x;
    x.cx = f->cx;
    x.f = f;
    x.data = data;
    const int        is_list = body->kind == IRL__SEQ && !irl__image_sum_is_core(&x, body);
    const int        count = is_list ? body->u.seq.count : 1;
    const irl_stmt **made = IRL__SCRATCH(f->cx, const irl_stmt *, count + 1);
    for (int k = 0; made && k < count; k++) {
        const irl_stmt *s = is_list ? body->u.seq.stmts[k] : body;
        made[k] = irl__stmt_names(s, data, NULL) ? irl__image_sum_top(&x, s) : s;
        if (!made[k]) made = NULL;
    }
    body = made ? irl__stmt_seq(f->cx, count, made) : NULL;
    irl__scratch_end(f->cx, mark);
    return irl__func_with_body(f, body);
}

/* The first image behind the one of that id that is allocated in the function. */
static const irl_expr *irl__image_behind(const irl_func *f, uint32_t id)
{
    const irl_expr *data = NULL;
    irl__place      p;
    IRL__EACH_STMT(s, &p, f->body) {
        const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
        if (b && irl__scope_is_image(b->scope) && b->data->id > id &&
            (!data || b->data->id < data->id))
            data = b->data;
        if (!irl__stmt_holds(s, IRL__HOLDS_IMAGE)) irl__place_pass(&p);
    }
    return data;
}

irl_func *irl__func_image_sums(const irl_func *f, const irl_expr *data)
{
    irl_func *to = f && irl__ok(f->cx) ? irl__func_copy(f->cx, f) : NULL;
    if (data) return to ? irl__image_sums_of(to, data) : NULL;
    for (int k = 0; to && k < f->param_count; k++)
        if (f->params[k].buffer && irl__scope_is_image(f->params[k].buffer->scope))
            to = irl__image_sums_of(to, f->params[k].buffer->data);
    data = to ? irl__image_behind(f, 0) : NULL;
    for (; to && data; data = irl__image_behind(f, data->id)) to = irl__image_sums_of(to, data);
    return to;
}

int irl__func_has_images(const irl_func *f)
{
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && irl__scope_is_image(f->params[k].buffer->scope)) return 1;
    return 0;
}
