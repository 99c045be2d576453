/* parse_stmt.c - reading statements: each begins at its word, a store at its buffer.

   needs     parse_buffer.c, parse_seq.c, parse_block.c, the constructors of stmt.c
   promises  every statement has the place where it was written; recursion is bounded; a name that a
             loop declares ends with it */
#include "parse_func.h"

/* ------------------------------------------------------------------ loops */

static int irl__parse_for_kind(irl__parser *p, irl_for_kind *kind, irl_axis *axis)
{
    *kind = IRL_SERIAL;
    *axis = IRL_GROUP_X;
    if (p->token.kind == '(') return 1;
    if (p->token.kind == IRL__TOKEN_NAME)
        for (int k = 1; k <= (int)IRL_BOUND; k++) {
            const char *text = irl_for_kind_text((irl_for_kind)k);
            if (strcmp(text, p->token.symbol->text) != 0) continue;
            *kind = (irl_for_kind)k;
            irl__next(p);
            if (k != (int)IRL_BOUND) return 1;
            return irl__expect(p, '(', "'(' and a thread axis") && irl__parse_axis_name(p, axis) &&
                   irl__expect(p, ')', "')' after the thread axis");
        }
    return irl__unexpected(p, "'(', parallel, vectorized, unrolled or bind(...)");
}

typedef struct irl__for_head {
    irl_for_kind     kind;
    irl_axis         axis;
    size_t           base; /* of the ranges on p->exprs */
    irl__annotation *notes;
    uint32_t         offset;
} irl__for_head;

/* The loops of a header around its body, from the inside. */
static const irl_stmt *irl__parse_make_loops(irl__parser *p, const irl__for_head *h,
                                             const uint32_t *offsets, const irl_stmt *body)
{
    size_t at = p->expr_count, k = (at - h->base) / 3;
    while (at > h->base) {
        irl_stmt *s =
            body ? irl__stmt_new(p->cx, IRL__FOR, irl__loc_at(p, offsets[--k])) : NULL;
        if (!s) return NULL;
        at -= 3;
        s->u.loop.kind = h->kind;
        s->u.loop.axis = h->axis;
        s->u.loop.var = p->exprs[at];
        s->u.loop.min = p->exprs[at + 1];
        s->u.loop.extent = p->exprs[at + 2];
        s->u.loop.body = body;
        if (at + 3 == p->expr_count)
            IRL__TAKE_LIST(s->u.loop.annotations, s->u.loop.annotation_count, h->notes);
        body = irl__stmt_finish(p->cx, s);
    }
    return body;
}

/* for kind (ranges) notes body; "for" is the current token. Notes belong to the innermost loop. */
static const irl_stmt *irl__parse_for(irl__parser *p)
{
    irl__for_head     h;
    uint32_t         *offsets = NULL, offset = p->token.offset, at = 0;
    size_t            scope = irl__scope_open(p);
    const irl_stmt   *s = NULL;
    memset(&h, 0, sizeof h);
    h.base = p->expr_count;
    irl__next(p);
    if (!irl__parse_for_kind(p, &h.kind, &h.axis) ||
        !irl__expect(p, '(', "'(' and the ranges of the loop: (i: 4, j: 2 .. 6)"))
        return NULL;
    do {
        if (!irl__parse_range(p, &at)) return NULL;
        if (!IRL__PUSH_SCRATCH(p->cx, offsets, h.base + 3 == p->expr_count ? offset : at))
            return NULL;
    } while (irl__accept(p, ','));
    if (!irl__expect(p, ')', "',' and another range, or ')'") || !irl__parse_notes(p, &h.notes))
        return NULL;
    irl__loops_around around = { h.base, p->expr_count, p->func->loops };
    p->func->loops = &around;
    s = irl__parse_body(p);
    p->func->loops = around.outer;
    if (s) s = irl__parse_make_loops(p, &h, offsets, s);
    p->expr_count = h.base;
    irl__scope_close(p, scope);
    return s;
}

/* ---------------------------------------- the others: what follows the word is read into s */

static int irl__read_if(irl__parser *p, irl_stmt *s)
{
    if (!irl__expect(p, '(', "'(' and a condition")) return 0;
    s->u.branch.condition = irl__parse_condition(p);
    if (!s->u.branch.condition || !irl__expect(p, ')', "')' after the condition")) return 0;
    s->u.branch.then_ = irl__parse_body(p);
    if (!s->u.branch.then_) return 0;
    if (!irl__parse_at_line(p, IRL__WORD_ELSE)) return 1;
    irl__next(p);
    s->u.branch.else_ = irl__parse_body(p);
    return s->u.branch.else_ != NULL;
}

static int irl__read_let(irl__parser *p, irl_stmt *s)
{
    irl__token name;
    irl_type   type;
    irl__value v = irl__value_none(p);
    if (!irl__expect_name(p, &name, "the name that let binds")) return 0;
    p->func->target = name.symbol->text;
    if (irl__accept(p, ':'))
        s->u.let.value = irl__parse_type(p, &type) && irl__expect(p, '=', "'=' and a value")
                             ? irl__parse_typed(p, type)
                             : NULL;
    else
        s->u.let.value =
            irl__expect(p, '=', "'=' and a value, or ':' and a type") ? irl__parse_any_value(p, &v)
                                                                      : NULL;
    if (!s->u.let.value) return 0;
    s->u.let.var = irl__declare_let(p, &name, s->u.let.value->type, &v);
    return s->u.let.var != NULL;
}

static int irl__read_alloc(irl__parser *p, irl_stmt *s)
{
    irl__token name;
    s->u.alloc.buffer = irl__parse_new_memory(p, &name);
    return s->u.alloc.buffer != NULL;
}

static int irl__read_decl(irl__parser *p, irl_stmt *s)
{
    irl__token  name;
    irl_buffer *b = irl__parse_declared_buffer(p, &name);
    if (!b) return 0;
    if (!irl__parse_is_view(b))
        return irl__unexpected(p, "data(...): decl names another view of memory that is there; "
                                  "alloc makes new memory");
    s->u.alloc.buffer = b;
    return irl__declare_buffer(p, &name, b);
}

static int irl__read_assume(irl__parser *p, irl_stmt *s)
{
    if (!irl__expect(p, '(', "'(' and a condition")) return 0;
    s->u.check.condition = irl__parse_condition(p);
    return s->u.check.condition && irl__expect(p, ')', "')' after the condition");
}

/* What is printed for the {} of a message. */
static int irl__parse_message_values(irl__parser *p, irl_stmt *s)
{
    const irl_expr *values[IRL_MAX_MESSAGE_VALUES];
    int             count = 0;
    while (count < IRL_MAX_MESSAGE_VALUES && irl__accept(p, ',')) {
        values[count] = irl__parse_index(p);
        if (!values[count++]) return 0;
    }
    s->u.check.value_count = count;
    if (!count) return 1;
    s->u.check.values = IRL__COPY(p->cx, const irl_expr *, values, count);
    return s->u.check.values && irl__stmt_message_ok(p->cx, s, s->loc);
}

static int irl__read_assert(irl__parser *p, irl_stmt *s)
{
    if (!irl__expect(p, '(', "'(' and a condition")) return 0;
    s->u.check.condition = irl__parse_condition(p);
    if (!s->u.check.condition || !irl__expect(p, ',', "',' and a message")) return 0;
    if (p->token.kind != IRL__TOKEN_STRING)
        return irl__unexpected(p, "a message in double quotes");
    s->u.check.message = irl__token_string(p);
    irl__next(p);
    return s->u.check.message && irl__parse_message_values(p, s) &&
           irl__expect(p, ')', "')' after the message");
}

static int irl__read_barrier(irl__parser *p, irl_stmt *s)
{
    if (!irl__expect(p, '(', "'(' and shared or global")) return 0;
    uint32_t offset = p->token.offset;
    return irl__parse_scope_name(p, &s->u.barrier.scope) &&
           irl__barrier_ok(p->cx, IRL_ERROR_BAD_STRUCTURE, irl__loc_at(p, offset),
                           s->u.barrier.scope) &&
           irl__expect(p, ')', "')' after the scope");
}

static int irl__read_evaluate(irl__parser *p, irl_stmt *s)
{
    s->u.evaluate.value = irl__parse_any(p);
    return s->u.evaluate.value != NULL;
}

static int irl__read_attr(irl__parser *p, irl_stmt *s)
{
    if (!irl__parse_annotation(p, &s->u.attr.annotation)) return 0;
    s->u.attr.body = irl__parse_body(p);
    return s->u.attr.body != NULL;
}

static int irl__read_launch(irl__parser *p, irl_stmt *s)
{
    size_t base = p->expr_count;
    s->u.launch.kernel = irl__expect_symbol(p, "the name of a kernel");
    if (!s->u.launch.kernel || !irl__expect(p, '(', "'(' and the arguments")) return 0;
    for (; irl__another(p, ')', s->u.launch.count, "',' and the next argument, or ')'");
         s->u.launch.count++)
        if (!irl__push_expr(p, irl__parse_any(p))) return 0;
    s->u.launch.args = IRL__COPY(p->cx, const irl_expr *, p->exprs + base, s->u.launch.count);
    p->expr_count = base;
    return s->u.launch.args && irl__ok(p->cx);
}

/* A view for each field: the last is returned, those before it are pushed. */
static const irl_stmt *irl__parse_record_views(irl__parser *p, const irl_record *r,
                                               const irl__record_head *h)
{
    const irl_stmt *s = NULL;
    for (int k = 0; k < r->count; k++) {
        irl_buffer *b = irl__record_view(r, k, h->data, h->rank, p->exprs + h->shape, r->loc);
        irl__token  name = h->name;
        if (!b) return NULL;
        name.symbol = irl__symbol_of(p, b->name);
        if (!name.symbol || !irl__declare_buffer(p, &name, b)) return NULL;
        if (s && !irl__push_stmt(p, s)) return NULL;
        s = irl_stmt_decl(p->cx, b);
        if (!s) return NULL;
    }
    return s ? s : irl__stmt_seq(p->cx, 0, NULL);
}

/* The operator of y[i] += e and its kin, as C has them, at its token; 0: there is none. */
static irl_op irl__parse_update_op(const irl__parser *p)
{
    static const int tokens[] = { '+', '-', '*', '/', '%', '&', '|', '^', IRL__PAIR('<', '<'),
                                  IRL__PAIR('>', '>') };
    uint32_t end = p->token.offset + p->token.length;
    for (size_t k = 0; end < p->length && p->text[end] == '=' && k < IRL__COUNTOF(tokens); k++)
        if (p->token.kind == tokens[k]) return (irl_op)p->infix[tokens[k]];
    return (irl_op)0;
}

/* The value of y[i] += e: y[i] + e. The operator is the current token. */
static const irl_expr *irl__parse_updated(irl__parser *p, irl_op op, const irl_buffer *b, int rank,
                                          const irl_expr *const *indices, irl_type type)
{
    uint32_t   where = p->token.offset;
    irl__value v[2];
    for (int k = 0; k < rank; k++)
        if (irl__expr_any(indices[k], irl__expr_is_call, NULL)) {
            IRL__FAIL_AT(p, IRL_ERROR_UNSUPPORTED, where, "an index of an update calls a function, "
                         "which must be called once: bind the index by let before");
            return NULL;
        }
    irl__next(p);
    irl__next(p); /* = */
    v[0] = irl__value_of(p, irl__expr_load(p->cx, b, rank, indices, irl__loc_at(p, where)), where);
    if (v[0].kind == IRL__VALUE_NONE) return NULL;
    v[1] = irl__parse_value(p, irl__value_hint_beside(&v[0], irl__value_hint_of(type)));
    if (v[1].kind == IRL__VALUE_NONE) return NULL;
    where = v[1].offset;
    v[0] = irl__value_apply(p, op, 2, v, irl__value_hint_of(type), v[0].offset);
    const irl_expr *e = v[0].kind == IRL__VALUE_NONE ? NULL : irl__value_as(p, &v[0], type);
    if (!e) return irl__failed_at(p, where), (const irl_expr *)NULL;
    if (irl_type_equal(e->type, type)) return e;
    v[0].offset = where;
    irl__value_mismatch(p, &v[0], type, irl__type_cstr(p->cx, e->type));
    return NULL;
}

/* name[indices] of a store; the name is the current token, and the indices are pushed. NULL: it is
   no buffer, or the indices are wrong. */
static const irl_buffer *irl__parse_stored(irl__parser *p, int *rank)
{
    const irl__token  name = p->token;
    const irl_buffer *b = name.symbol->binding.buffer;
    if (name.symbol->binding.kind != IRL__DECLARED_BUFFER)
        return irl__unknown_name(p, &name, "buffer"), (const irl_buffer *)NULL;
    p->func->target = b->name;
    irl__next(p);
    irl__next(p); /* [ */
    return irl__parse_indices(p, ']', "',' and the next index, or ']'", 1, rank) ? b : NULL;
}

/* y[i], at[i] = argmax(...): the value and its index, with y[i] read. y[i] is stored first. */
static const irl_stmt *irl__parse_store_pick(irl__parser *p, const irl_buffer *y, int rank,
                                             size_t base, uint32_t offset)
{
    const size_t stmts = p->func->stmt_count, base_at = p->expr_count;
    int          rank_at = 0;
    irl__next(p); /* , */
    if (p->token.kind != IRL__TOKEN_NAME || irl__next_char(p) != '[')
        return irl__unexpected(p, "the element that the index goes to, y[i], at[i] = argmax(...)"),
               (const irl_stmt *)NULL;
    const uint32_t    offset_at = p->token.offset;
    const irl_buffer *at = irl__parse_stored(p, &rank_at);
    if (!at || !irl__expect(p, '=', "'=' and argmax or argmin")) return NULL;
    const uint32_t         where = p->token.offset;
    const irl_expr        *index = irl__parse_typed(p, at->type), *e = index;
    const irl__reduction  *r = p->func->reduction;
    while (e && e->op == IRL_OP_CAST) e = e->a[0];
    if (!e && irl_diag_of(p->cx)->code == IRL_ERROR_TYPE_MISMATCH &&
        irl__type_is_float(at->type) && irl__type_is_integer(y->type))
        irl__hint(p->cx, "store the value first and its index second: %s[...], %s[...] = ...",
                  at->name, y->name);
    if (!e) return NULL;
    if (!r || !r->best || e != r->load || r->base < stmts) {
        IRL__FAIL_AT(p, IRL_ERROR_BAD_STRUCTURE, where, "only argmax and argmin store two elements "
                     "at once");
        return NULL;
    }
    if (!irl_type_equal(r->type, y->type)) {
        IRL__FAIL_AT(p, IRL_ERROR_TYPE_MISMATCH, offset, "%s finds the type %s, and '%s' holds %s",
                     r->what->text, irl__type_cstr(p->cx, r->type), y->name,
                     irl__type_cstr(p->cx, y->type));
        irl__hint(p->cx, "state the type, as in %s(%s: k: 64, e)", r->what->text,
                  irl__type_cstr(p->cx, y->type));
        return NULL;
    }
    const irl_expr *best = irl__expr_load(p->cx, r->best, 0, NULL, r->loc);
    const irl_stmt *s = irl__stmt_store(p->cx, y, best, rank, p->exprs + base,
                                        irl__loc_at(p, offset));
    if (!irl__push_stmt(p, s)) return NULL;
    s = irl__stmt_store(p->cx, at, index, rank_at, p->exprs + base_at, irl__loc_at(p, offset_at));
    p->expr_count = base;
    return irl__parse_semicolon(p, s);
}

/* name[indices] = value, or op= value; the name is the current token. */
static const irl_stmt *irl__parse_store(irl__parser *p)
{
    size_t            base = p->expr_count, stmts = p->func->stmt_count;
    irl__token        name = p->token;
    const irl_stmt   *s = NULL;
    int               rank = 0;
    const irl_buffer *b = irl__parse_stored(p, &rank);
    if (!b) return NULL;
    if (p->token.kind == ',') return irl__parse_store_pick(p, b, rank, base, name.offset);
    irl_op op = irl__parse_update_op(p);
    if (!op && !irl__expect(p, '=', p->token.kind == '['
                                        ? "'=' and the value that is stored; all indices are in "
                                          "one pair of brackets, y[i, j]"
                                        : "'=' and the value that is stored"))
        return NULL;
    irl_type type = b->type;
    if (rank) type.lanes *= p->exprs[p->expr_count - 1]->type.lanes;
    const irl_expr *value = op ? irl__parse_updated(p, op, b, rank, p->exprs + base, type)
                               : irl__parse_typed(p, type);
    if (value && !op) s = irl__reduce_into(p, stmts, b, rank, p->exprs + base, value);
    if (value && !s)
        s = irl__stmt_store(p->cx, b, value, rank, p->exprs + base, irl__loc_at(p, name.offset));
    p->expr_count = base;
    return irl__parse_semicolon(p, s);
}

/* What a statement could be, seen from what stands there. */
static const char *irl__parse_stmt_wanted(const irl__parser *p)
{
    if (irl__type_of_c(&p->token) || (p->token.symbol && p->token.symbol->is_type))
        return "a statement: where C declares, let t = x[i] names a value and alloc t: f32[16] "
               "makes memory";
    if (p->token.kind == IRL__TOKEN_NAME && p->token.symbol->binding.kind != IRL__UNDECLARED)
        return "a statement: what is stored are elements of buffers, y[i] = ..., or y[] = ... "
               "where there are no axes";
    return "a statement: name[...] = ..., for, if, let, alloc, decl, block, ...";
}

static const irl_stmt *irl__parse_stmt_of_word(irl__parser *p)
{
    static const struct {
        irl__word      word;
        irl__stmt_kind kind;
        int            ends_in_body; /* not in ';' */
        int (*read)(irl__parser *p, irl_stmt *s);
    } rows[] = {
        { IRL__WORD_IF, IRL__IF, 1, irl__read_if },
        { IRL__WORD_LET, IRL__LET, 0, irl__read_let },
        { IRL__WORD_ALLOC, IRL__ALLOC, 0, irl__read_alloc },
        { IRL__WORD_DECL, IRL__DECL, 0, irl__read_decl },
        { IRL__WORD_ASSUME, IRL__ASSUME, 0, irl__read_assume },
        { IRL__WORD_ASSERT, IRL__ASSERT, 0, irl__read_assert },
        { IRL__WORD_BARRIER, IRL__BARRIER, 0, irl__read_barrier },
        { IRL__WORD_EVALUATE, IRL__EVALUATE, 0, irl__read_evaluate },
        { IRL__WORD_ATTR, IRL__ATTR, 1, irl__read_attr },
        { IRL__WORD_LAUNCH, IRL__LAUNCH, 0, irl__read_launch },
        { IRL__WORD_BLOCK, IRL__BLOCK, 1, irl__read_block },
    };
    const int word = p->token.symbol->word;
    if (word == IRL__WORD_FOR) return irl__parse_for(p);
    /* record name ..., in a function: declarations, of which all but the last are on the stack of
       statements. */
    if (word == IRL__WORD_RECORD) {
        irl__record_head h;
        if (!irl__parse_record_head(p, &h)) return NULL;
        if (!h.data)
            return irl__unexpected(p, "data(...): whose memory the records are"),
                   (const irl_stmt *)NULL;
        const irl_record *r = irl__parse_record_make(p, &h);
        if (!r || !irl__record_right(r, r->loc)) return NULL;
        const irl_stmt *s = irl__parse_record_views(p, r, &h);
        p->expr_count = h.shape;
        return s;
    }
    for (size_t k = 0; k < IRL__COUNTOF(rows); k++) {
        if (word != (int)rows[k].word) continue;
        irl_stmt *s = irl__stmt_new(p->cx, rows[k].kind, irl__here(p));
        irl__next(p);
        if (!s || !rows[k].read(p, s)) return NULL;
        const irl_stmt *done = irl__stmt_finish(p->cx, s);
        return rows[k].ends_in_body ? done : irl__parse_semicolon(p, done);
    }
    if (!irl__ok(p->cx)) return NULL;
    irl__unexpected(p, irl__parse_stmt_wanted(p));
    int is_param = 0;
    for (int k = 0; k < p->func->f->param_count; k++)
        is_param |= p->token.symbol && p->func->f->params[k].var == p->token.symbol->binding.var;
    irl__hint_assigned(p, is_param);
    return NULL;
}

/* The nest with its label, where no block has taken that: loops, or those behind an init. */
static const irl_stmt *irl__parse_put_label(irl__parser *p, const char *label, const irl_stmt *s)
{
    if (!s || !p->func->label) return s;
    if (s->kind == IRL__SEQ && s->u.seq.count == 2 && s->u.seq.stmts[1]->kind == IRL__FOR)
        return irl__stmt_pair(p->cx, s->u.seq.stmts[0],
                              irl__parse_put_label(p, label, s->u.seq.stmts[1]));
    if (s->kind != IRL__FOR) return s;
    p->func->label_is_used = 1;
    return irl_stmt_set_note(p->cx, s, irl__note_of(IRL__NOTE_LABEL, label));
}

/* label: for ..., or label: y[i] = sum(...); the label is the current token. */
static const irl_stmt *irl__parse_labelled(irl__parser *p)
{
    const char     *outer = p->func->label, *label;
    const irl_stmt *s = NULL;
    uint32_t        offset = p->token.offset;
    int             outer_is_used = p->func->label_is_used;
    label = p->func->label = p->token.symbol->text;
    p->func->label_is_used = 0;
    irl__next(p);
    irl__next(p); /* : */
    if (irl__parse_at_line(p, IRL__WORD_FOR)) s = irl__parse_for(p);
    else if (p->token.kind == IRL__TOKEN_NAME && irl__next_char(p) == '[') {
        p->reduce = irl__parse_reduction;
        s = irl__parse_store(p);
    } else irl__unexpected(p, "for, or the store of a reduction, after the label");
    s = irl__parse_put_label(p, label, s);
    if (s && p->func->label && !p->func->label_is_used) {
        IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, offset, "a label names a nest of loops or a reduction; "
                     "this is a store");
        s = NULL;
    }
    p->func->label = outer;
    p->func->label_is_used = outer_is_used;
    return s;
}

/* Statements in front of which others may stand, which compute what they use. */
static int irl__parse_at_plain_stmt(irl__parser *p)
{
    switch (irl__next_char(p) == '[' ? 0 : p->token.symbol->word) {
    case 0:
    case IRL__WORD_IF:
    case IRL__WORD_LET:
    case IRL__WORD_ASSUME:
    case IRL__WORD_ASSERT:
    case IRL__WORD_EVALUATE: return 1;
    default: return 0;
    }
}

const irl_stmt *irl__parse_stmt(irl__parser *p)
{
    uint32_t              offset = p->token.offset;
    size_t                base = p->func->stmt_count;
    irl__parse_reduce_fn *const outer = p->reduce;
    const irl_stmt       *s = NULL;
    if (p->func->stmt_depth > IRL_MAX_DEPTH) {
        IRL__FAIL_AT(p, IRL_ERROR_TOO_DEEP, p->token.offset, "statements nest deeper than %d",
                     IRL_MAX_DEPTH);
        return NULL;
    }
    p->func->stmt_depth++;
    p->func->target = NULL;
    p->reduce = p->token.kind == IRL__TOKEN_NAME && irl__parse_at_plain_stmt(p)
                    ? irl__parse_reduction
                    : NULL;
    if (p->token.kind == '{') s = irl__parse_body(p);
    else if (p->token.kind == IRL__TOKEN_NAME && irl__next_char(p) == '[') s = irl__parse_store(p);
    else if (p->token.kind == IRL__TOKEN_NAME && irl__next_char(p) == ':')
        s = irl__parse_labelled(p);
    else if (p->token.kind == IRL__TOKEN_NAME && !p->token.is_quoted)
        s = irl__parse_stmt_of_word(p);
    else irl__unexpected(p, "a statement");
    p->func->stmt_depth--;
    p->reduce = outer;
    /* what let binds is seen by the statements behind it, which stand beside it; so are the fields
       of a record; the variables of a store's sums stand beside it too, as those of a let do */
    if (s && s->kind != IRL__LET && s->kind != IRL__DECL && s->kind != IRL__STORE)
        s = irl__stmt_behind(p, base, s);
    if (!s) irl__failed_at(p, offset);
    return s;
}
