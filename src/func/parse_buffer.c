/* parse_buffer.c - reading buffers: name: type[shape] and the attributes after it.

   needs     parse_expr.c, the constructors of buffer.c
   promises  every buffer records the place where it was written; each attribute occurs at most
             once */
#include "parse_func.h"

/* What may stand behind a shape; each at most once. */
typedef struct irl__attr_list {
    int             has_scope, has_strides, has_offset, has_align, has_sep, has_texel, has_bits;
    int             is_field;
    irl_bit_order   bit_order;
    irl_scope       scope;
    size_t          strides; /* base of the strides on p->exprs */
    int             stride_count;
    const irl_expr *offset, *data;
    int             align, texel;
    int             separator_count, separators[IRL_MAX_RANK];
} irl__attr_list;

static int irl__parse_attr_separators(irl__parser *p, irl__attr_list *a)
{
    do {
        if (a->separator_count == IRL_MAX_RANK)
            return irl__unexpected(p, "')': more separators than axes");
        if (!irl__parse_count(p, 0, IRL_MAX_RANK, "a separator",
                              &a->separators[a->separator_count]))
            return 0;
        a->separator_count++;
    } while (irl__accept(p, ','));
    return irl__expect(p, ')', "',' or ')' after a separator");
}

static int irl__parse_attr_align(irl__parser *p, irl__attr_list *a)
{
    if (!irl__parse_attr_once(p, &a->has_align, "align")) return 0;
    uint32_t offset = p->token.offset;
    if (!irl__parse_count(p, 1, 1 << 20, "an alignment in bytes", &a->align)) return 0;
    if (a->align & (a->align - 1))
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, offset, "an alignment is a power of two");
    return irl__expect(p, ')', "')' after the alignment");
}

static int irl__parse_buffer_attrs(irl__parser *p, irl__attr_list *a)
{
    int ok = 1;
    memset(a, 0, sizeof *a);
    while (ok && p->token.kind == IRL__TOKEN_NAME && !p->token.is_quoted) {
        switch (p->token.symbol->word) {
        case IRL__WORD_SCOPE:
            ok = irl__parse_attr_once(p, &a->has_scope, "scope") &&
                 irl__parse_scope_name(p, &a->scope) && irl__expect(p, ')', "')' after the scope");
            break;
        case IRL__WORD_STRIDES:
            ok = irl__parse_attr_once(p, &a->has_strides, "strides");
            a->strides = p->expr_count;
            ok = ok && irl__parse_indices(p, ')', "',' and the next stride, or ')'", 0,
                                          &a->stride_count);
            break;
        case IRL__WORD_OFFSET:
            ok = irl__parse_attr_once(p, &a->has_offset, "offset") &&
                 (a->offset = irl__parse_index(p)) != NULL &&
                 irl__expect(p, ')', "')' after the offset");
            break;
        case IRL__WORD_ALIGN: ok = irl__parse_attr_align(p, a); break;
        case IRL__WORD_SEP:
            ok = irl__parse_attr_once(p, &a->has_sep, "sep") && irl__parse_attr_separators(p, a);
            break;
        case IRL__WORD_TEXEL:
            ok = irl__parse_attr_once(p, &a->has_texel, "texel") &&
                 irl__parse_count(p, 1, IRL_MAX_LANES, "the lanes of a texel", &a->texel) &&
                 irl__expect(p, ')', "')' after the lanes");
            break;
        case IRL__WORD_FIELD:
            a->is_field = 1;
            irl__next(p);
            break;
        case IRL__WORD_BITS:
            ok = irl__parse_bit_order(p, &a->has_bits, &a->bit_order);
            break;
        case IRL__WORD_DATA: ok = irl__parse_data(p, &a->data); break;
        default: return 1;
        }
    }
    return ok;
}

static int irl__parse_buffer_apply_attrs(irl__parser *p, irl_buffer *b, const irl__attr_list *a)
{
    if (a->has_strides && a->stride_count != b->rank)
        return irl__fail(p->cx, IRL_ERROR_RANK_MISMATCH, b->loc, "buffer '%s' has %d axes and %d "
                         "strides", b->name, b->rank, a->stride_count);
    if (a->stride_count) {
        b->strides = IRL__COPY(p->cx, const irl_expr *, p->exprs + a->strides, a->stride_count);
        if (!b->strides) return 0;
    }
    b->offset = a->offset;
    b->alignment = (uint32_t)a->align;
    b->texel = a->texel;
    b->is_field = a->is_field;
    if (!a->separator_count) return 1;
    if (!irl__separators_valid(p->cx, b->rank, a->separator_count, a->separators, b->loc)) return 0;
    b->separators = IRL__COPY(p->cx, int, a->separators, a->separator_count);
    b->separator_count = a->separator_count;
    return b->separators != NULL;
}

irl_buffer *irl__parse_buffer(irl__parser *p, const irl__token *name,
                              const irl_bit_element *element)
{
    size_t          base = p->expr_count;
    irl__attr_list  a;
    irl_bit_element e = *element;
    int             rank = 0;
    if (!irl__parse_shape(p, &rank) || !irl__parse_buffer_attrs(p, &a)) return NULL;
    const char *text = name->symbol->text;
    if (!a.has_scope && a.data) a.scope = (irl_scope)a.data->type.scope;
    if (!e.bits && a.has_bits) irl__bitfield_of_type(&e);
    if (e.bits && !a.data)
        a.data = irl_expr_var(p->cx, text, irl_type_pointer(irl_type_of(IRL_U8, 1), a.scope));
    irl_buffer *b = irl__buffer_make(p->cx, text, e.type, a.scope, rank, p->exprs + base, a.data,
                                     irl__loc_at(p, name->offset));
    if (!b || !irl__parse_buffer_apply_attrs(p, b, &a)) return NULL;
    b->bits = e.bits;
    b->norm = e.norm;
    b->bit_order = a.bit_order;
    if (b->bits && !irl__bitfield_valid(p->cx, b)) return NULL;
    p->expr_count = base;
    return b;
}

/* name: type[shape] attributes, and whether its memory is its own. */
irl_buffer *irl__parse_declared_buffer(irl__parser *p, irl__token *name)
{
    irl_bit_element e;
    if (!irl__expect_name(p, name, "the name of the buffer") ||
        !irl__expect(p, ':', "':' and the type of the buffer") ||
        !irl__parse_element_type(p, &e))
        return NULL;
    return irl__parse_buffer(p, name, &e);
}

int irl__parse_is_view(const irl_buffer *b)
{
    return b->data->u.name != b->name || b->data->id + 1 != b->id;
}

irl_buffer *irl__parse_new_memory(irl__parser *p, irl__token *name)
{
    irl_buffer *b = irl__parse_declared_buffer(p, name);
    if (b && irl__parse_is_view(b)) {
        irl__fail(p->cx, IRL_ERROR_SYNTAX, b->loc, "alloc makes new memory; a view of other memory "
                  "is written decl %s: ... data(...)", b->name);
        return NULL;
    }
    return b && irl__declare_buffer(p, name, b) ? b : NULL;
}
