/* parse_stmt.c - reading buffers and statements.

   needs     parse_expr.c, the constructors of stmt.c and buffer.c
   promises  every statement and buffer has the place where it was written; recursion is bounded; what a block, a loop or a
             sequence declares ends with it */
#include "parse.h"

static const irl_stmt *irl__parse_stmt(irl__parser *p);

/* ------------------------------------------------------------------ buffers */

/* What may stand behind a shape; each at most once. */
typedef struct irl__attr_list {
    int             has_scope, has_strides, has_offset, has_align, has_sep, has_texel;
    irl_scope       scope;
    size_t          strides; /* base of the strides on p->exprs */
    int             stride_count;
    const irl_expr *offset, *data;
    int             align, texel;
    int             separator_count, separators[IRL_MAX_RANK];
} irl__attr_list;

int irl__parse_shape(irl__parser *p, int *rank)
{
    return irl__expect(p, '[', "'[' and a shape") && irl__parse_indices(p, ']', "',' and the next extent, or ']'", 0, rank);
}

static int irl__parse_attr_once(irl__parser *p, int *seen, const char *what)
{
    if (*seen) return irl__fail(p->cx, IRL_ERROR_SYNTAX, irl__here(p), "%s is given twice", what);
    *seen = 1;
    irl__next(p);
    return irl__expect(p, '(', "'(' after the word");
}

static int irl__parse_attr_separators(irl__parser *p, irl__attr_list *a)
{
    do {
        if (a->separator_count == IRL_MAX_RANK) return irl__unexpected(p, "')': more separators than axes");
        if (!irl__parse_count(p, 0, IRL_MAX_RANK, "a separator", &a->separators[a->separator_count])) return 0;
        a->separator_count++;
    } while (irl__accept(p, ','));
    return irl__expect(p, ')', "',' or ')' after a separator");
}

static int irl__parse_attr_data(irl__parser *p, irl__attr_list *a)
{
    irl__token          name = p->token;
    const irl__binding *b;
    int                 seen = a->data != NULL;
    if (!irl__parse_attr_once(p, &seen, "data")) return 0;
    name = p->token;
    if (name.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the buffer or pointer whose memory is shared");
    b = &name.symbol->binding;
    if (b->kind == IRL__BOUND_BUFFER) a->data = b->buffer->data;
    else if (b->kind == IRL__BOUND_VAR && b->var->type.is_pointer) a->data = b->var;
    else if (b->kind == IRL__UNBOUND) return irl__unknown_name(p, &name, "buffer or pointer");
    else return irl__fail(p->cx, IRL_ERROR_TYPE_MISMATCH, irl__here(p), "data(...) names a buffer or a pointer");
    irl__next(p);
    return irl__expect(p, ')', "')' after the name");
}

static int irl__parse_attr_align(irl__parser *p, irl__attr_list *a)
{
    uint32_t offset;
    if (!irl__parse_attr_once(p, &a->has_align, "align")) return 0;
    offset = p->token.offset;
    if (!irl__parse_count(p, 1, 1 << 20, "an alignment in bytes", &a->align)) return 0;
    if (a->align & (a->align - 1)) return irl__fail(p->cx, IRL_ERROR_BAD_ARGUMENT, irl__loc_at(p, offset), "an alignment is a power of two");
    return irl__expect(p, ')', "')' after the alignment");
}

static int irl__parse_attr_texel(irl__parser *p, irl__attr_list *a)
{
    return irl__parse_attr_once(p, &a->has_texel, "texel") && irl__parse_count(p, 1, IRL_MAX_LANES, "the lanes of a texel", &a->texel) &&
           irl__expect(p, ')', "')' after the lanes");
}

static int irl__parse_attr_strides(irl__parser *p, irl__attr_list *a)
{
    if (!irl__parse_attr_once(p, &a->has_strides, "strides")) return 0;
    a->strides = p->expr_count;
    return irl__parse_indices(p, ')', "',' and the next stride, or ')'", 0, &a->stride_count);
}

static int irl__parse_attr_offset(irl__parser *p, irl__attr_list *a)
{
    if (!irl__parse_attr_once(p, &a->has_offset, "offset")) return 0;
    a->offset = irl__parse_index(p);
    return a->offset && irl__expect(p, ')', "')' after the offset");
}

static int irl__parse_buffer_attrs(irl__parser *p, irl__attr_list *a)
{
    int ok = 1;
    memset(a, 0, sizeof *a);
    while (ok && p->token.kind == IRL__TOKEN_NAME && !p->token.is_quoted) {
        switch (p->token.symbol->word) {
        case IRL__WORD_SCOPE:
            ok = irl__parse_attr_once(p, &a->has_scope, "scope") && irl__parse_scope_name(p, &a->scope) && irl__expect(p, ')', "')' after the scope");
            break;
        case IRL__WORD_STRIDES: ok = irl__parse_attr_strides(p, a); break;
        case IRL__WORD_OFFSET: ok = irl__parse_attr_offset(p, a); break;
        case IRL__WORD_ALIGN: ok = irl__parse_attr_align(p, a); break;
        case IRL__WORD_SEP: ok = irl__parse_attr_once(p, &a->has_sep, "sep") && irl__parse_attr_separators(p, a); break;
        case IRL__WORD_TEXEL: ok = irl__parse_attr_texel(p, a); break;
        case IRL__WORD_DATA: ok = irl__parse_attr_data(p, a); break;
        default: return 1;
        }
    }
    return ok;
}

static int irl__parse_buffer_apply_attrs(irl__parser *p, irl_buffer *b, const irl__attr_list *a)
{
    if (a->has_strides && a->stride_count != b->rank)
        return irl__fail(p->cx, IRL_ERROR_RANK_MISMATCH, b->loc, "buffer '%s' has %d axes and %d strides", b->name, b->rank, a->stride_count);
    if (a->stride_count) {
        b->strides = (const irl_expr *const *)irl__copy(p->cx, p->exprs + a->strides, (size_t)a->stride_count, sizeof *p->exprs);
        if (!b->strides) return 0;
    }
    b->offset = a->offset;
    b->alignment = (uint32_t)a->align;
    b->texel = a->texel;
    if (!a->separator_count) return 1;
    if (!irl__separators_valid(p->cx, b->rank, a->separator_count, a->separators, b->loc)) return 0;
    b->separators = (const int *)irl__copy(p->cx, a->separators, (size_t)a->separator_count, sizeof *a->separators);
    b->separator_count = a->separator_count;
    return b->separators != NULL;
}

irl_buffer *irl__parse_buffer(irl__parser *p, const irl__token *name, irl_type type)
{
    size_t            base = p->expr_count;
    irl__attr_list    a;
    irl_buffer       *b;
    const char       *text;
    int               rank = 0;
    if (!irl__parse_shape(p, &rank) || !irl__parse_buffer_attrs(p, &a)) return NULL;
    text = irl__name(p->cx, name->symbol->text, name->symbol->length);
    if (!a.has_scope && a.data) a.scope = (irl_scope)a.data->type.scope;
    b = irl__buffer_make(p->cx, text, type, a.scope, rank, p->exprs + base, a.data, irl__loc_at(p, name->offset));
    if (!b || !irl__parse_buffer_apply_attrs(p, b, &a)) return NULL;
    p->expr_count = base;
    return b;
}

/* name: type[shape] attributes, and whether its memory is its own. */
static irl_buffer *irl__parse_declared_buffer(irl__parser *p, irl__token *name)
{
    irl_type type;
    if (!irl__expect_name(p, name, "the name of the buffer") || !irl__expect(p, ':', "':' and the type of the buffer") || !irl__parse_type(p, &type))
        return NULL;
    return irl__parse_buffer(p, name, type);
}

static int irl__parse_is_view(const irl_buffer *b) { return b->data->u.name != b->name || b->data->id + 1 != b->id; }

static irl_buffer *irl__parse_new_memory(irl__parser *p, irl__token *name)
{
    irl_buffer *b = irl__parse_declared_buffer(p, name);
    if (b && irl__parse_is_view(b)) {
        irl__fail(p->cx, IRL_ERROR_SYNTAX, b->loc, "alloc makes new memory; a view of other memory is written decl %s: ... data(...)", b->name);
        return NULL;
    }
    return b && irl__declare_buffer(p, name, b) ? b : NULL;
}

/* ------------------------------------------------------------------ annotations */

int irl__parse_annotation(irl__parser *p, irl__annotation *out)
{
    memset(out, 0, sizeof *out);
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and key = value")) return 0;
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "a key");
    out->key = irl__token_name(p);
    irl__next(p);
    if (!out->key || !irl__expect(p, '=', "'=' and a value")) return 0;
    if (p->token.kind == IRL__TOKEN_STRING) {
        out->text = irl__token_string(p);
        irl__next(p);
        if (!out->text) return 0;
    } else {
        out->value = irl__parse_any(p);
        if (!out->value) return 0;
    }
    return irl__expect(p, ')', "')' after the value");
}

/* note(...) note(...): *list stays NULL if there is none. */
static int irl__parse_notes(irl__parser *p, irl__annotation **list)
{
    irl__annotation a;
    while (irl__at_word(p, IRL__WORD_NOTE))
        if (!irl__parse_annotation(p, &a) || !IRL__PUSH(p->cx, *list, a)) return 0;
    return 1;
}

/* ------------------------------------------------------------------ sequences */

static int irl__parse_push_stmt(irl__parser *p, const irl_stmt *s)
{
    if (!s) return 0;
    if (p->stmt_count == p->stmt_capacity) {
        const irl_stmt **grown = (const irl_stmt **)irl__stack_grow(p->cx, p->stmts, p->stmt_count, &p->stmt_capacity, sizeof *grown);
        if (!grown) return 0;
        p->stmts = grown;
    }
    p->stmts[p->stmt_count++] = s;
    return 1;
}

/* Statements up to "}", which is read over. */
static const irl_stmt *irl__parse_list(irl__parser *p)
{
    size_t          base = p->stmt_count;
    const irl_stmt *s;
    while (p->token.kind != '}') {
        if (p->token.kind == IRL__TOKEN_END) return irl__unexpected(p, "a statement or '}'"), (const irl_stmt *)NULL;
        if (!irl__parse_push_stmt(p, irl__parse_stmt(p))) return NULL;
    }
    irl__next(p);
    s = irl__stmt_seq(p->cx, (int)(p->stmt_count - base), p->stmts + base);
    p->stmt_count = base;
    return s;
}

const irl_stmt *irl__parse_braces(irl__parser *p)
{
    uint32_t        offset = p->token.offset;
    const irl_stmt *s;
    if (!irl__expect(p, '{', "'{'")) return NULL;
    s = irl__parse_list(p);
    if (!s) irl__failed_at(p, offset);
    return s;
}

/* A statement that belongs to another: what it declares ends with it. */
static const irl_stmt *irl__parse_body(irl__parser *p)
{
    size_t          scope = irl__scope_open(p);
    const irl_stmt *s = p->token.kind == '{' ? irl__parse_braces(p) : irl__parse_stmt(p);
    irl__scope_close(p, scope);
    return s;
}

static const irl_stmt *irl__parse_semicolon(irl__parser *p, const irl_stmt *s)
{
    return s && irl__expect(p, ';', "';' at the end of the statement") ? s : NULL;
}

static irl_stmt *irl__parse_new_stmt(irl__parser *p, irl__stmt_kind kind, uint32_t offset)
{
    return irl__stmt_new(p->cx, kind, irl__loc_at(p, offset));
}

/* ------------------------------------------------------------------ loops */

/* lo .. hi, or lo .. + extent; with the ".." read. Numbers are subtracted here. */
static const irl_expr *irl__parse_range_end(irl__parser *p, const irl_expr *lo)
{
    uint32_t        offset = p->token.offset;
    const irl_expr *hi;
    int64_t         extent;
    if (irl__accept(p, '+')) return irl__parse_index(p);
    hi = irl__parse_index(p);
    if (!hi) return NULL;
    if (hi->op != IRL_OP_INT || lo->op != IRL_OP_INT) return irl__sub(p->cx, hi, lo);
    if (irl__sub64(hi->u.i, lo->u.i, &extent)) return irl_idx(p->cx, extent);
    irl__fail(p->cx, IRL_ERROR_OVERFLOW, irl__loc_at(p, offset), "the length of this range does not fit 63 bits");
    return NULL;
}

/* name: extent, or name: lo .. hi. Pushes variable, start and extent, and declares the name. */
static int irl__parse_range(irl__parser *p, uint32_t *offset)
{
    irl__token      name;
    const irl_expr *min, *extent;
    if (!irl__expect_name(p, &name, "the name of a loop variable") || !irl__expect(p, ':', "':' and the extent of the loop, or a range: 2 .. 6"))
        return 0;
    extent = irl__parse_index(p);
    if (!extent) return 0;
    min = irl_idx(p->cx, 0);
    if (irl__accept(p, IRL__DOTS2)) {
        min = extent;
        extent = irl__parse_range_end(p, min);
    }
    *offset = name.offset;
    return irl__push_expr(p, irl__declare_var(p, &name, irl__type_index())) && irl__push_expr(p, min) && irl__push_expr(p, extent);
}

static int irl__parse_for_kind(irl__parser *p, irl_for_kind *kind, irl_axis *axis)
{
    int k;
    *kind = IRL_SERIAL;
    *axis = IRL_GROUP_X;
    if (p->token.kind == '(') return 1;
    if (p->token.kind == IRL__TOKEN_NAME)
        for (k = 1; k <= (int)IRL_BOUND; k++) {
            const char *text = irl__for_kind_text((irl_for_kind)k);
            if (strlen(text) != p->token.symbol->length || memcmp(text, p->token.symbol->text, p->token.symbol->length) != 0) continue;
            *kind = (irl_for_kind)k;
            irl__next(p);
            if (k != (int)IRL_BOUND) return 1;
            return irl__expect(p, '(', "'(' and a thread axis") && irl__parse_axis_name(p, axis) && irl__expect(p, ')', "')' after the thread axis");
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
static const irl_stmt *irl__parse_make_loops(irl__parser *p, const irl__for_head *h, const uint32_t *offsets, const irl_stmt *body)
{
    size_t at = p->expr_count, k = (at - h->base) / 3;
    while (at > h->base) {
        irl_stmt *s = body ? irl__parse_new_stmt(p, IRL__FOR, offsets[--k]) : NULL;
        if (!s) return NULL;
        at -= 3;
        s->u.loop.kind = h->kind;
        s->u.loop.axis = h->axis;
        s->u.loop.var = p->exprs[at];
        s->u.loop.min = p->exprs[at + 1];
        s->u.loop.extent = p->exprs[at + 2];
        s->u.loop.body = body;
        if (at + 3 == p->expr_count && h->notes) {
            s->u.loop.annotations = h->notes;
            s->u.loop.annotation_count = (int)stbds_arrlen(h->notes);
        }
        body = irl__stmt_finish(p->cx, s);
    }
    return body;
}

/* for kind (ranges) notes body; "for" is the current token. Notes belong to the innermost loop. */
static const irl_stmt *irl__parse_for(irl__parser *p)
{
    irl__for_head   h;
    uint32_t       *offsets = NULL, offset = p->token.offset, at = 0;
    size_t          scope = irl__scope_open(p);
    const irl_stmt *s = NULL;
    memset(&h, 0, sizeof h);
    h.base = p->expr_count;
    irl__next(p);
    if (!irl__parse_for_kind(p, &h.kind, &h.axis) || !irl__expect(p, '(', "'(' and the ranges of the loop: (i: 4, j: 2 .. 6)")) return NULL;
    do {
        if (!irl__parse_range(p, &at)) return NULL;
        if (!IRL__PUSH_SCRATCH(p->cx, offsets, h.base + 3 == p->expr_count ? offset : at)) return NULL;
    } while (irl__accept(p, ','));
    if (!irl__expect(p, ')', "',' and another range, or ')'") || !irl__parse_notes(p, &h.notes)) return NULL;
    s = irl__parse_body(p);
    if (s) s = irl__parse_make_loops(p, &h, offsets, s);
    p->expr_count = h.base;
    irl__scope_close(p, scope);
    return s;
}

/* ------------------------------------------------------------------ blocks */

static int irl__parse_region(irl__parser *p, irl__region *out)
{
    size_t     base = p->expr_count;
    irl__token name = p->token;
    int        rank = 0, k;
    const irl_expr **min, **extent;
    if (name.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "a region: buffer[min: extent, ...]");
    if (name.symbol->binding.kind != IRL__BOUND_BUFFER) return irl__unknown_name(p, &name, "buffer");
    out->buffer = name.symbol->binding.buffer;
    irl__next(p);
    if (!irl__expect(p, '[', "'[' and the axes of the region")) return 0;
    for (; p->token.kind != ']'; rank++) {
        if (rank && !irl__expect(p, ',', "',' and the next axis, or ']'")) return 0;
        if (!irl__push_expr(p, irl__parse_index(p))) return 0;
        if (!irl__push_expr(p, irl__accept(p, ':') ? irl__parse_index(p) : irl_idx(p->cx, 1))) return 0;
    }
    irl__next(p);
    if (rank != out->buffer->rank)
        return irl__fail(p->cx, IRL_ERROR_RANK_MISMATCH, irl__loc_at(p, name.offset), "buffer '%s' has %d axes; the region has %d",
                         out->buffer->name, out->buffer->rank, rank);
    min = (const irl_expr **)irl__alloc_array(p->cx, (size_t)rank, sizeof *min);
    extent = (const irl_expr **)irl__alloc_array(p->cx, (size_t)rank, sizeof *extent);
    if (!min || !extent) return 0;
    for (k = 0; k < rank; k++) {
        min[k] = p->exprs[base + 2 * (size_t)k];
        extent[k] = p->exprs[base + 2 * (size_t)k + 1];
    }
    p->expr_count = base;
    out->min = min;
    out->extent = extent;
    return 1;
}

static int irl__parse_regions(irl__parser *p, irl__region **list)
{
    irl__region r;
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and regions")) return 0;
    while (p->token.kind != ')') {
        if (stbds_arrlen(*list) && !irl__expect(p, ',', "',' and the next region, or ')'")) return 0;
        if (!irl__parse_region(p, &r) || !IRL__PUSH(p->cx, *list, r)) return 0;
    }
    irl__next(p);
    return irl__ok(p->cx);
}

/* The lists of a block while it is being read. */
typedef struct irl__block_reader {
    irl__axis         *axes;
    irl__token        *names; /* of the axes */
    irl__region       *reads, *writes;
    irl__annotation   *notes;
    const irl_buffer **allocs;
    irl__match        *matches;
    irl__block_data   *block;
} irl__block_reader;

/* name: spatial(extent) = binding. The name is declared when all bindings are read: they stand outside the block. */
static int irl__parse_axis(irl__parser *p, irl__block_reader *r)
{
    irl__axis  a;
    irl__token name;
    memset(&a, 0, sizeof a);
    if (!irl__expect_name(p, &name, "the name of a block's axis") || !irl__expect(p, ':', "':' and spatial(...) or reduce(...)")) return 0;
    a.is_reduction = irl__at_word(p, IRL__WORD_REDUCE);
    if (!a.is_reduction && !irl__at_word(p, IRL__WORD_SPATIAL)) return irl__unexpected(p, "spatial(...) or reduce(...)");
    irl__next(p);
    if (!irl__expect(p, '(', "'(' and the extent of the axis")) return 0;
    a.extent = irl__parse_index(p);
    if (!a.extent || !irl__expect(p, ')', "')' after the extent of the axis") || !irl__expect(p, '=', "'=' and what the axis is bound to")) return 0;
    a.binding = irl__parse_index(p);
    return a.binding && IRL__PUSH(p->cx, r->axes, a) && IRL__PUSH_SCRATCH(p->cx, r->names, name);
}

static int irl__parse_axes(irl__parser *p, irl__block_reader *r)
{
    ptrdiff_t k;
    if (!irl__expect(p, '(', "'(' and the axes of the block")) return 0;
    while (p->token.kind != ')') {
        if (stbds_arrlen(r->axes) && !irl__expect(p, ',', "',' and the next axis, or ')'")) return 0;
        if (!irl__parse_axis(p, r)) return 0;
    }
    irl__next(p);
    for (k = 0; k < stbds_arrlen(r->axes); k++) {
        r->axes[k].var = irl__declare_var(p, &r->names[k], irl__type_index());
        if (!r->axes[k].var) return 0;
    }
    return 1;
}

static int irl__parse_block_head(irl__parser *p, irl__block_reader *r)
{
    irl__annotation a;
    int             ok = 1;
    while (ok && p->token.kind == IRL__TOKEN_NAME) {
        if (irl__at_word(p, IRL__WORD_WHERE) && !r->block->predicate) {
            irl__next(p);
            ok = irl__expect(p, '(', "'(' and the predicate of the block");
            r->block->predicate = ok ? irl__parse_condition(p) : NULL;
            ok = r->block->predicate && irl__expect(p, ')', "')' after the predicate");
        } else if (irl__at_word(p, IRL__WORD_READS) && !r->reads) ok = irl__parse_regions(p, &r->reads);
        else if (irl__at_word(p, IRL__WORD_WRITES) && !r->writes) ok = irl__parse_regions(p, &r->writes);
        else if (irl__at_word(p, IRL__WORD_NOTE)) ok = irl__parse_annotation(p, &a) && IRL__PUSH(p->cx, r->notes, a);
        else return irl__unexpected(p, "where, reads, writes (each once), note, or '{'");
    }
    return ok;
}

/* match b: type[shape] = A[region]; */
static int irl__parse_match(irl__parser *p, irl__block_reader *r)
{
    irl__match  m;
    irl__token  name;
    irl_buffer *b;
    memset(&m, 0, sizeof m);
    irl__next(p);
    b = irl__parse_declared_buffer(p, &name);
    if (!b || !irl__expect(p, '=', "'=' and the region that is matched") || !irl__parse_region(p, &m.source) ||
        !irl__expect(p, ';', "';' after match"))
        return 0;
    m.buffer = b;
    return irl__declare_buffer(p, &name, b) && IRL__PUSH(p->cx, r->matches, m);
}

/* Is the current name a word that starts a line of its own, rather than a buffer that is stored to? */
static int irl__parse_at_line(irl__parser *p, irl__word word) { return irl__at_word(p, word) && irl__next_char(p) != '['; }

static int irl__parse_block_body(irl__parser *p, irl__block_reader *r)
{
    irl__token name;
    if (!irl__expect(p, '{', "'{' and the body of the block")) return 0;
    while (irl__parse_at_line(p, IRL__WORD_ALLOC)) {
        const irl_buffer *b;
        irl__next(p);
        b = irl__parse_new_memory(p, &name);
        if (!b || !irl__expect(p, ';', "';' after alloc") || !IRL__PUSH(p->cx, r->allocs, b)) return 0;
    }
    while (irl__parse_at_line(p, IRL__WORD_MATCH))
        if (!irl__parse_match(p, r)) return 0;
    if (irl__parse_at_line(p, IRL__WORD_INIT)) {
        irl__next(p);
        r->block->init = irl__parse_body(p);
        if (!r->block->init) return 0;
    }
    r->block->body = irl__parse_list(p);
    return r->block->body != NULL;
}

static void irl__parse_block_lists(irl__block_reader *r)
{
    irl__block_data *b = r->block;
    b->axes = r->axes;
    b->axis_count = (int)stbds_arrlen(r->axes);
    b->reads = r->reads;
    b->read_count = (int)stbds_arrlen(r->reads);
    b->writes = r->writes;
    b->write_count = (int)stbds_arrlen(r->writes);
    b->annotations = r->notes;
    b->annotation_count = (int)stbds_arrlen(r->notes);
    b->allocs = r->allocs;
    b->alloc_count = (int)stbds_arrlen(r->allocs);
    b->matches = r->matches;
    b->match_count = (int)stbds_arrlen(r->matches);
}

static const irl_stmt *irl__parse_block(irl__parser *p)
{
    irl__block_reader r;
    size_t            scope;
    irl_stmt         *s = irl__parse_new_stmt(p, IRL__BLOCK, p->token.offset);
    memset(&r, 0, sizeof r);
    r.block = (irl__block_data *)irl__alloc_array(p->cx, 1, sizeof *r.block);
    if (!s || !r.block) return NULL;
    irl__next(p);
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the name of the block"), (const irl_stmt *)NULL;
    r.block->name = irl__token_name(p);
    irl__next(p);
    scope = irl__scope_open(p);
    if (!irl__parse_axes(p, &r) || !irl__parse_block_head(p, &r) || !irl__parse_block_body(p, &r)) return NULL;
    irl__scope_close(p, scope);
    irl__parse_block_lists(&r);
    s->u.block = r.block;
    return irl__stmt_finish(p->cx, s);
}

/* ------------------------------------------------------------------ the other statements: each begins at its word */

static const irl_stmt *irl__parse_if(irl__parser *p)
{
    irl_stmt *s = irl__parse_new_stmt(p, IRL__IF, p->token.offset);
    irl__next(p);
    if (!s || !irl__expect(p, '(', "'(' and a condition")) return NULL;
    s->u.branch.condition = irl__parse_condition(p);
    if (!s->u.branch.condition || !irl__expect(p, ')', "')' after the condition")) return NULL;
    s->u.branch.then_ = irl__parse_body(p);
    if (!s->u.branch.then_) return NULL;
    if (irl__parse_at_line(p, IRL__WORD_ELSE)) {
        irl__next(p);
        s->u.branch.else_ = irl__parse_body(p);
        if (!s->u.branch.else_) return NULL;
    }
    return irl__stmt_finish(p->cx, s);
}

static const irl_stmt *irl__parse_let_stmt(irl__parser *p)
{
    irl_stmt  *s = irl__parse_new_stmt(p, IRL__LET, p->token.offset);
    irl__token name;
    irl_type   type;
    irl__next(p);
    if (!s || !irl__expect_name(p, &name, "the name that let binds")) return NULL;
    if (irl__accept(p, ':')) s->u.let.value = irl__parse_type(p, &type) && irl__expect(p, '=', "'=' and a value") ? irl__parse_typed(p, type) : NULL;
    else s->u.let.value = irl__expect(p, '=', "'=' and a value, or ':' and a type") ? irl__parse_any(p) : NULL;
    if (!s->u.let.value) return NULL;
    s->u.let.var = irl__declare_var(p, &name, s->u.let.value->type);
    return s->u.let.var ? irl__parse_semicolon(p, s) : NULL;
}

static const irl_stmt *irl__parse_alloc(irl__parser *p)
{
    irl_stmt  *s = irl__parse_new_stmt(p, IRL__ALLOC, p->token.offset);
    irl__token name;
    irl__next(p);
    if (!s) return NULL;
    s->u.alloc.buffer = irl__parse_new_memory(p, &name);
    return s->u.alloc.buffer ? irl__parse_semicolon(p, s) : NULL;
}

static const irl_stmt *irl__parse_decl(irl__parser *p)
{
    irl_stmt   *s = irl__parse_new_stmt(p, IRL__DECL, p->token.offset);
    irl__token  name;
    irl_buffer *b;
    irl__next(p);
    b = s ? irl__parse_declared_buffer(p, &name) : NULL;
    if (!b) return NULL;
    if (!irl__parse_is_view(b)) return irl__unexpected(p, "data(...): decl names another view of memory that is there; alloc makes new memory"), (const irl_stmt *)NULL;
    s->u.alloc.buffer = b;
    return irl__declare_buffer(p, &name, b) ? irl__parse_semicolon(p, s) : NULL;
}

static const irl_stmt *irl__parse_assume(irl__parser *p)
{
    irl_stmt *s = irl__parse_new_stmt(p, IRL__ASSUME, p->token.offset);
    irl__next(p);
    if (!s || !irl__expect(p, '(', "'(' and a condition")) return NULL;
    s->u.check.condition = irl__parse_condition(p);
    return s->u.check.condition && irl__expect(p, ')', "')' after the condition") ? irl__parse_semicolon(p, s) : NULL;
}

static const irl_stmt *irl__parse_assert(irl__parser *p)
{
    irl_stmt *s = irl__parse_new_stmt(p, IRL__ASSERT, p->token.offset);
    irl__next(p);
    if (!s || !irl__expect(p, '(', "'(' and a condition")) return NULL;
    s->u.check.condition = irl__parse_condition(p);
    if (!s->u.check.condition || !irl__expect(p, ',', "',' and a message")) return NULL;
    if (p->token.kind != IRL__TOKEN_STRING) return irl__unexpected(p, "a message in double quotes"), (const irl_stmt *)NULL;
    s->u.check.message = irl__token_string(p);
    irl__next(p);
    return s->u.check.message && irl__expect(p, ')', "')' after the message") ? irl__parse_semicolon(p, s) : NULL;
}

static const irl_stmt *irl__parse_barrier(irl__parser *p)
{
    irl_stmt *s = irl__parse_new_stmt(p, IRL__BARRIER, p->token.offset);
    uint32_t  offset;
    irl__next(p);
    if (!s || !irl__expect(p, '(', "'(' and shared or global")) return NULL;
    offset = p->token.offset;
    if (!irl__parse_scope_name(p, &s->u.barrier.scope)) return NULL;
    if (s->u.barrier.scope != IRL_SCOPE_SHARED && s->u.barrier.scope != IRL_SCOPE_GLOBAL) {
        irl__fail(p->cx, IRL_ERROR_BAD_STRUCTURE, irl__loc_at(p, offset), "a barrier orders shared or global memory; found %s",
                  irl__scope_text(s->u.barrier.scope));
        return NULL;
    }
    return irl__expect(p, ')', "')' after the scope") ? irl__parse_semicolon(p, s) : NULL;
}

static const irl_stmt *irl__parse_evaluate(irl__parser *p)
{
    irl_stmt *s = irl__parse_new_stmt(p, IRL__EVALUATE, p->token.offset);
    irl__next(p);
    if (!s) return NULL;
    s->u.evaluate.value = irl__parse_any(p);
    return s->u.evaluate.value ? irl__parse_semicolon(p, s) : NULL;
}

static const irl_stmt *irl__parse_attr(irl__parser *p)
{
    irl_stmt *s = irl__parse_new_stmt(p, IRL__ATTR, p->token.offset);
    if (!s || !irl__parse_annotation(p, &s->u.attr.annotation)) return NULL;
    s->u.attr.body = irl__parse_body(p);
    return s->u.attr.body ? irl__stmt_finish(p->cx, s) : NULL;
}

static const irl_stmt *irl__parse_launch(irl__parser *p)
{
    size_t    base = p->expr_count;
    irl_stmt *s = irl__parse_new_stmt(p, IRL__LAUNCH, p->token.offset);
    irl__next(p);
    if (!s) return NULL;
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the name of a kernel"), (const irl_stmt *)NULL;
    s->u.launch.kernel = irl__token_name(p);
    irl__next(p);
    if (!s->u.launch.kernel || !irl__expect(p, '(', "'(' and the arguments")) return NULL;
    while (p->token.kind != ')') {
        if (s->u.launch.count && !irl__expect(p, ',', "',' and the next argument, or ')'")) return NULL;
        if (!irl__push_expr(p, irl__parse_any(p))) return NULL;
        s->u.launch.count++;
    }
    irl__next(p);
    s->u.launch.args = (const irl_expr *const *)irl__copy(p->cx, p->exprs + base, (size_t)s->u.launch.count, sizeof *p->exprs);
    p->expr_count = base;
    return s->u.launch.args ? irl__parse_semicolon(p, s) : NULL;
}

/* name[indices] = value; the name is the current token. */
static const irl_stmt *irl__parse_store(irl__parser *p)
{
    size_t            base = p->expr_count;
    irl__token        name = p->token;
    const irl_buffer *b = name.symbol->binding.buffer;
    const irl_expr   *value;
    const irl_stmt   *s;
    irl_type          type;
    int               rank = 0;
    if (name.symbol->binding.kind != IRL__BOUND_BUFFER) return irl__unknown_name(p, &name, "buffer"), (const irl_stmt *)NULL;
    irl__next(p);
    irl__next(p); /* [ */
    if (!irl__parse_indices(p, ']', "',' and the next index, or ']'", 1, &rank) || !irl__expect(p, '=', "'=' and the value that is stored")) return NULL;
    type = b->type;
    if (rank) type.lanes *= p->exprs[p->expr_count - 1]->type.lanes;
    value = irl__parse_typed(p, type);
    s = value ? irl__stmt_store(p->cx, b, value, rank, p->exprs + base, irl__loc_at(p, name.offset)) : NULL;
    p->expr_count = base;
    return irl__parse_semicolon(p, s);
}

static const irl_stmt *irl__parse_stmt_of_word(irl__parser *p)
{
    switch (p->token.symbol->word) {
    case IRL__WORD_FOR: return irl__parse_for(p);
    case IRL__WORD_IF: return irl__parse_if(p);
    case IRL__WORD_LET: return irl__parse_let_stmt(p);
    case IRL__WORD_ALLOC: return irl__parse_alloc(p);
    case IRL__WORD_DECL: return irl__parse_decl(p);
    case IRL__WORD_ASSUME: return irl__parse_assume(p);
    case IRL__WORD_ASSERT: return irl__parse_assert(p);
    case IRL__WORD_BARRIER: return irl__parse_barrier(p);
    case IRL__WORD_EVALUATE: return irl__parse_evaluate(p);
    case IRL__WORD_ATTR: return irl__parse_attr(p);
    case IRL__WORD_LAUNCH: return irl__parse_launch(p);
    case IRL__WORD_BLOCK: return irl__parse_block(p);
    default: irl__unexpected(p, "a statement: name[...] = ..., for, if, let, alloc, decl, block, ..."); return NULL;
    }
}

static const irl_stmt *irl__parse_stmt(irl__parser *p)
{
    uint32_t        offset = p->token.offset;
    const irl_stmt *s = NULL;
    if (p->stmt_depth > IRL_MAX_DEPTH) {
        irl__fail(p->cx, IRL_ERROR_TOO_DEEP, irl__here(p), "statements nest deeper than %d", IRL_MAX_DEPTH);
        return NULL;
    }
    p->stmt_depth++;
    if (p->token.kind == '{') s = irl__parse_body(p);
    else if (p->token.kind == IRL__TOKEN_NAME && irl__next_char(p) == '[') s = irl__parse_store(p);
    else if (p->token.kind == IRL__TOKEN_NAME && !p->token.is_quoted) s = irl__parse_stmt_of_word(p);
    else irl__unexpected(p, "a statement");
    p->stmt_depth--;
    if (!s) irl__failed_at(p, offset);
    return s;
}
