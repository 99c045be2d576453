/* parse_block.c - reading blocks: axes, regions, matches, init.

   needs     parse_buffer.c, parse_seq.c
   promises  names that a block declares end with it; the bindings of its axes are outside of it */
#include "parse_func.h"

static int irl__parse_region(irl__parser *p, irl__region *out)
{
    size_t           base = p->expr_count;
    irl__token       name = p->token;
    int              rank = 0;
    const irl_expr **min, **extent;
    if (name.kind != IRL__TOKEN_NAME)
        return irl__unexpected(p, "a region: buffer[min: extent, ...]");
    if (name.symbol->binding.kind != IRL__DECLARED_BUFFER)
        return irl__unknown_name(p, &name, "buffer");
    out->buffer = name.symbol->binding.buffer;
    irl__next(p);
    if (!irl__expect(p, '[', "'[' and the axes of the region")) return 0;
    for (; irl__another(p, ']', rank, "',' and the next axis, or ']'"); rank++)
        if (!irl__push_expr(p, irl__parse_index(p)) ||
            !irl__push_expr(p,
                            irl__accept(p, ':') ? irl__parse_index(p) : irl_expr_index(p->cx, 1)))
            return 0;
    if (!irl__ok(p->cx)) return 0;
    if (rank != out->buffer->rank)
        return IRL__FAIL_AT(p, IRL_ERROR_RANK_MISMATCH, name.offset, "buffer '%s' has %d axes; the "
                            "region has %d", out->buffer->name, out->buffer->rank, rank);
    min = IRL__NEW(p->cx, const irl_expr *, rank);
    extent = IRL__NEW(p->cx, const irl_expr *, rank);
    if (!min || !extent) return 0;
    for (int k = 0; k < rank; k++) {
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
    while (irl__another(p, ')', stbds_arrlen(*list), "',' and the next region, or ')'"))
        if (!irl__parse_region(p, &r) || !IRL__PUSH(p->cx, *list, r)) return 0;
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

/* spatial(extent), reduce(extent), or the extent alone: the kind is left out. */
static int irl__parse_axis_extent(irl__parser *p, irl__axis *a)
{
    int is_called = irl__next_char(p) == '(';
    a->is_reduction = is_called && irl__at_word(p, IRL__WORD_REDUCE);
    a->is_unstated = !a->is_reduction && !(is_called && irl__at_word(p, IRL__WORD_SPATIAL));
    /* A name that is called as a function, and is no operator. */
    if (a->is_unstated && is_called) {
        const irl__symbol *s = p->token.symbol;
        if (p->token.kind == IRL__TOKEN_NAME && !p->token.is_quoted && !s->is_type && !s->op &&
            s->word != IRL__WORD_FLOORDIV && s->word != IRL__WORD_FLOORMOD)
            return irl__unexpected(p, "spatial(...) or reduce(...), or the extent alone");
    }
    if (!a->is_unstated) {
        irl__next(p);
        irl__next(p); /* the parenthesis */
    }
    a->extent = irl__parse_index(p);
    return a->extent &&
           (a->is_unstated || irl__expect(p, ')', "')' after the extent of the axis"));
}

/* name: spatial(extent) = binding. The name is declared when all bindings are read: they stand
   outside the block. */
static int irl__parse_axis(irl__parser *p, irl__block_reader *r)
{
    irl__axis  a;
    irl__token name;
    memset(&a, 0, sizeof a);
    if (!irl__expect_name(p, &name, "the name of a block's axis") ||
        !irl__expect(p, ':', "':' and the extent, spatial(...), reduce(...) or alone") ||
        !irl__parse_axis_extent(p, &a) ||
        !irl__expect(p, '=', "'=' and what the axis is bound to"))
        return 0;
    a.binding = irl__parse_index(p);
    return a.binding && IRL__PUSH(p->cx, r->axes, a) && IRL__PUSH_SCRATCH(p->cx, r->names, name);
}

static int irl__parse_block_head(irl__parser *p, irl__block_reader *r)
{
    int ok = 1;
    while (ok && p->token.kind == IRL__TOKEN_NAME) {
        if (irl__at_word(p, IRL__WORD_WHERE) && !r->block->predicate) {
            irl__next(p);
            ok = irl__expect(p, '(', "'(' and the predicate of the block");
            r->block->predicate = ok ? irl__parse_condition(p) : NULL;
            ok = r->block->predicate && irl__expect(p, ')', "')' after the predicate");
        } else if (irl__at_word(p, IRL__WORD_READS) && !r->reads)
            ok = irl__parse_regions(p, &r->reads);
        else if (irl__at_word(p, IRL__WORD_WRITES) && !r->writes)
            ok = irl__parse_regions(p, &r->writes);
        else if (irl__at_word(p, IRL__WORD_NOTE))
            ok = irl__parse_annotation_of(p, 0, &r->notes);
        else return irl__unexpected(p, "where, reads, writes (each once), note, or '{'");
    }
    return ok;
}

/* match b: type[shape] = A[region]; */
static int irl__parse_match(irl__parser *p, irl__block_reader *r)
{
    irl__match m;
    irl__token name;
    memset(&m, 0, sizeof m);
    irl__next(p);
    irl_buffer *b = irl__parse_declared_buffer(p, &name);
    if (!b || !irl__expect(p, '=', "'=' and the region that is matched") ||
        !irl__parse_region(p, &m.source) || !irl__expect(p, ';', "';' after match"))
        return 0;
    m.buffer = b;
    return irl__declare_buffer(p, &name, b) && IRL__PUSH(p->cx, r->matches, m);
}

static int irl__parse_block_body(irl__parser *p, irl__block_reader *r)
{
    irl__token name;
    if (!irl__expect(p, '{', "'{' and the body of the block")) return 0;
    while (irl__parse_at_line(p, IRL__WORD_ALLOC)) {
        irl__next(p);
        const irl_buffer *b = irl__parse_new_memory(p, &name);
        if (!b || !irl__expect(p, ';', "';' after alloc") || !IRL__PUSH(p->cx, r->allocs, b))
            return 0;
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

int irl__read_block(irl__parser *p, irl_stmt *s)
{
    irl__block_reader        r;
    const irl__loops_around *loops = p->func->loops;
    const int                is_in_block = p->func->is_in_block;
    memset(&r, 0, sizeof r);
    r.block = IRL__NEW(p->cx, irl__block_data, 1);
    if (!r.block) return 0;
    if (p->token.kind != IRL__TOKEN_NAME) return irl__unexpected(p, "the name of the block");
    r.block->name = p->token.symbol->text;
    p->token.symbol->is_of_block = 1;
    irl__next(p);
    size_t scope = irl__scope_open(p);
    p->func->loops = NULL;
    p->func->is_in_block = 1;
    if (!irl__expect(p, '(', "'(' and the axes of the block")) return 0;
    while (irl__another(p, ')', stbds_arrlen(r.axes), "',' and the next axis, or ')'"))
        if (!irl__parse_axis(p, &r)) return 0;
    for (ptrdiff_t k = 0; k < stbds_arrlen(r.axes); k++) {
        r.axes[k].var = irl__declare_var(p, &r.names[k], irl__type_index());
        if (!r.axes[k].var) return 0;
    }
    if (!irl__parse_block_head(p, &r) || !irl__parse_block_body(p, &r)) return 0;
    p->func->loops = loops;
    p->func->is_in_block = is_in_block;
    irl__scope_close(p, scope);
    irl__block_data *b = r.block;
    IRL__TAKE_LIST(b->axes, b->axis_count, r.axes);
    IRL__TAKE_LIST(b->reads, b->read_count, r.reads);
    IRL__TAKE_LIST(b->writes, b->write_count, r.writes);
    IRL__TAKE_LIST(b->notes, b->note_count, r.notes);
    IRL__TAKE_LIST(b->allocs, b->alloc_count, r.allocs);
    IRL__TAKE_LIST(b->matches, b->match_count, r.matches);
    s->u.block = b;
    return 1;
}
