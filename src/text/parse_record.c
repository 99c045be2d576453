/* parse_record.c - reading records: alone, or in memory as the views of their fields.

   needs     parse_buffer.c
   promises  a field without offset(...) begins after the one before it; a record in a function is
             right (irl_record_check), and becomes one declaration for each field */
#include "parse.h"

int irl__parse_attr_once(irl__parser *p, int *seen, const char *what)
{
    if (*seen) return IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, p->token.offset, "%s is given twice", what);
    *seen = 1;
    irl__next(p);
    return irl__expect(p, '(', "'(' after the word");
}

int irl__parse_data(irl__parser *p, const irl_expr **data)
{
    irl__token name = p->token;
    int        seen = *data != NULL;
    if (!irl__parse_attr_once(p, &seen, "data")) return 0;
    name = p->token;
    if (name.kind != IRL__TOKEN_NAME)
        return irl__unexpected(p, "the buffer or pointer whose memory is shared");
    const irl__binding *b = &name.symbol->binding;
    if (b->kind == IRL__DECLARED_BUFFER) *data = b->buffer->data;
    else if (b->kind == IRL__DECLARED_VAR && b->var->type.is_pointer) *data = b->var;
    else if (b->kind == IRL__UNDECLARED) return irl__unknown_name(p, &name, "buffer or pointer");
    else
        return IRL__FAIL_AT(p, IRL_ERROR_TYPE_MISMATCH, p->token.offset, "data(...) names a buffer "
                            "or a pointer");
    irl__next(p);
    return irl__expect(p, ')', "')' after the name");
}

int irl__parse_bit_order(irl__parser *p, int *seen, irl_bit_order *out)
{
    if (!irl__parse_attr_once(p, seen, "bits")) return 0;
    for (int k = IRL_BITS_LSB; k <= IRL_BITS_MSB; k++) {
        const char *word = irl__bit_order_text((irl_bit_order)k);
        if (p->token.kind != IRL__TOKEN_NAME || strcmp(p->token.symbol->text, word) != 0) continue;
        *out = (irl_bit_order)k;
        irl__next(p);
        return irl__expect(p, ')', "')' after the order of bits");
    }
    return irl__unexpected(p, "lsb or msb: which bit of a byte is the first");
}

/* A number, which may be written as a product or sum of numbers. */
static int irl__parse_record_number(irl__parser *p, const char *what, int64_t *out)
{
    uint32_t        offset = p->token.offset;
    const irl_expr *e = irl__parse_index(p);
    if (!e) return 0;
    *out = e->op == IRL_OP_INT ? e->u.i : 0;
    return e->op == IRL_OP_INT ||
           IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, offset, "%s is a number", what);
}

/* Numbers up to `close`. */
static int irl__parse_record_numbers(irl__parser *p, int close, int64_t *out, int *count)
{
    for (*count = 0; irl__another(p, close, *count, "',' and the next number of the field");
         ++*count) {
        if (*count == IRL_MAX_RANK - 1)
            return IRL__FAIL_AT(p, IRL_ERROR_TOO_LARGE, p->token.offset, "a field of a record has "
                                "at most %d axes", IRL_MAX_RANK - 1);
        if (!irl__parse_record_number(p, "an extent or stride of a field", &out[*count])) return 0;
    }
    return irl__ok(p->cx);
}

/* when(NAME == number), or when(NAME == begin .. end), of one of the fields before it. */
static int irl__parse_record_when(irl__parser *p, irl_record_field *f,
                                  const irl_record_field *list, int count)
{
    if (!irl__parse_attr_once(p, &f->when, "when")) return 0;
    for (f->when = count; f->when > 0; f->when--)
        if (p->token.kind == IRL__TOKEN_NAME &&
            strcmp(list[f->when - 1].name, p->token.symbol->text) == 0)
            break;
    if (!f->when) return irl__unexpected(p, "a field of this record before the one that depends");
    irl__next(p);
    if (!irl__expect(p, IRL__PAIR('=', '='), "'==' and the value for which there is the field"))
        return 0;
    if (list[f->when - 1].type.scalar == IRL_BOOL &&
        (irl__at_word(p, IRL__WORD_TRUE) || irl__at_word(p, IRL__WORD_FALSE))) {
        f->least = f->most = irl__at_word(p, IRL__WORD_TRUE);
        irl__next(p);
        return irl__expect(p, ')', "')' after the value");
    }
    if (!irl__parse_record_number(p, "the value of a field", &f->least)) return 0;
    f->most = f->least;
    if (irl__accept(p, IRL__DOTS2)) {
        if (!irl__parse_record_number(p, "the end of the values", &f->most)) return 0;
        f->most -= f->most > INT64_MIN;
    }
    return irl__expect(p, ')', "'..' and the end of the values, which is excluded, or ')'");
}

/* What follows the shape of a field, which comes after those of the list. */
static int irl__parse_record_attrs(irl__parser *p, irl_record_field *f,
                                   const irl_record_field *list, int count, int *has_strides,
                                   int *has_offset)
{
    int has_order = 0, strides = 0, ok = 1;
    while (ok && p->token.kind == IRL__TOKEN_NAME) {
        if (irl__at_word(p, IRL__WORD_STRIDES))
            ok = irl__parse_attr_once(p, has_strides, "strides") &&
                 irl__parse_record_numbers(p, ')', f->stride, &strides);
        else if (irl__at_word(p, IRL__WORD_OFFSET))
            ok = irl__parse_attr_once(p, has_offset, "offset") &&
                 irl__parse_record_number(p, "the offset of a field", &f->offset) &&
                 irl__expect(p, ')', "')' after the offset");
        else if (irl__at_word(p, IRL__WORD_BITS))
            ok = irl__parse_bit_order(p, &has_order, &f->order);
        else if (list && irl__at_word(p, IRL__WORD_WHEN))
            ok = irl__parse_record_when(p, f, list, count);
        else
            return irl__unexpected(p, list ? "strides(...), offset(...), bits(...), when(...) or "
                                             "the end"
                                           : "strides(...), offset(...), bits(...) or the end");
    }
    if (!ok || !*has_strides || strides == f->rank) return ok;
    return IRL__FAIL_AT(p, IRL_ERROR_RANK_MISMATCH, p->token.offset, "field '%s' has %d axes and "
                        "%d strides", f->name, f->rank, strides);
}

/* Side by side, row-major. */
static int irl__parse_record_compact(irl__parser *p, irl_record_field *f)
{
    int64_t step = f->bits;
    for (int k = f->rank; k-- > 0;) {
        f->stride[k] = step;
        if (!irl__mul64(step, f->extent[k], &step))
            return IRL__FAIL_AT(p, IRL_ERROR_OVERFLOW, p->token.offset, "the size of field '%s' "
                                "does not fit 63 bits", f->name);
    }
    return 1;
}

/* The type, bits and norm of a field. */
static int irl__parse_record_element(irl__parser *p, irl_record_field *f)
{
    irl_bit_element e;
    if (!irl__parse_element_type(p, &e)) return 0;
    if (!e.bits) irl__bitfield_of_type(&e);
    f->type = e.type;
    f->bits = e.bits;
    f->norm = e.norm;
    return 1;
}

/* Field k of the list, which has those before it: name: element[shape] attributes. */
static int irl__parse_record_field(irl__parser *p, irl_bit_order order, irl_record_field *list,
                                   int k)
{
    irl_record_field *f = &list[k];
    irl__token        name;
    int               has_strides = 0, has_offset = 0, last;
    memset(f, 0, sizeof *f);
    f->order = order;
    if (!irl__expect_name(p, &name, "the name of a field, or '}'") ||
        !irl__expect(p, ':', "':' and the type of the field") ||
        !irl__parse_record_element(p, f))
        return 0;
    f->name = name.symbol->text;
    if ((irl__accept(p, '[') && !irl__parse_record_numbers(p, ']', f->extent, &f->rank)) ||
        !irl__parse_record_attrs(p, f, list, k, &has_strides, &has_offset) ||
        (!has_strides && !irl__parse_record_compact(p, f)))
        return 0;
    if (!has_offset) {
        f->offset = irl__record_begin(list, k, &last); /* irl__record_make refuses -1 */
        if (last >= 0 && list[last].order != f->order && f->offset % 8 != 0)
            return IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, name.offset, "field '%s' has another order of "
                                "bits than the one before it, which ends within a byte: state "
                                "offset(...)", f->name);
    }
    return irl__expect(p, ';', "';' at the end of the field") && irl__ok(p->cx);
}

/* "{" fields "}" */
static irl_record_field *irl__parse_record_fields(irl__parser *p, irl_bit_order order)
{
    irl_record_field *list = NULL, f;
    memset(&f, 0, sizeof f);
    if (!irl__expect(p, '{', "'{' and the fields of the record")) return NULL;
    while (p->token.kind != '}') {
        if (!IRL__PUSH_SCRATCH(p->cx, list, f) ||
            !irl__parse_record_field(p, order, list, (int)stbds_arrlen(list) - 1))
            return NULL;
    }
    irl__next(p);
    return list;
}

int irl__parse_record_head(irl__parser *p, irl__record_head *h)
{
    int has_bits = 0, has_bytes = 0;
    memset(h, 0, sizeof *h);
    irl__next(p);
    h->shape = p->expr_count;
    if (!irl__expect_name(p, &h->name, "the name of the record")) return 0;
    h->has_shape = p->token.kind == '[';
    if (h->has_shape && !irl__parse_shape(p, &h->rank)) return 0;
    if (!irl__at_word(p, IRL__WORD_BYTES))
        return irl__unexpected(p, "bytes(...): how many bytes a record has");
    if (!irl__parse_attr_once(p, &has_bytes, "bytes") ||
        !irl__parse_record_number(p, "the size of a record", &h->bytes) ||
        !irl__expect(p, ')', "')' after the size"))
        return 0;
    while (p->token.kind == IRL__TOKEN_NAME) {
        if (irl__at_word(p, IRL__WORD_DATA) ? !irl__parse_data(p, &h->data)
            : irl__at_word(p, IRL__WORD_BITS)
                ? !irl__parse_bit_order(p, &has_bits, &h->order)
                : !irl__unexpected(p, "data(...), bits(...) or '{' and the fields"))
            return 0;
    }
    return irl__ok(p->cx);
}

irl_record *irl__parse_record_make(irl__parser *p, const irl__record_head *h)
{
    irl_record_field *list = irl__parse_record_fields(p, h->order);
    if (!irl__ok(p->cx)) return NULL;
    return irl__record_make(p->cx, h->name.symbol->text, h->bytes, (int)stbds_arrlen(list), list,
                            irl__loc_at(p, h->name.offset));
}

/* ------------------------------------------------------------------ alone */

static const irl_record *irl__parse_record_alone(irl__parser *p)
{
    irl__record_head h;
    if (!irl__at_word(p, IRL__WORD_RECORD))
        return irl__unexpected(p, "record, its name and bytes(...)"), (const irl_record *)NULL;
    if (!irl__parse_record_head(p, &h)) return NULL;
    if (h.data || h.has_shape) {
        IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, h.name.offset, "a record alone has no shape and no "
                     "data(...): these are for a record in a function");
        return NULL;
    }
    return irl__parse_record_make(p, &h);
}

const irl_record *irl_record_parse(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    irl__parser p;
    if (!irl__parse_begin(&p, cx, text, length, file, 1, 0)) return NULL;
    p.warner.unexpected = irl__hint_unexpected;
    const irl_record *r = irl__parse_record_alone(&p);
    return irl__parse_end(&p) ? r : NULL;
}

/* ------------------------------------------------------------------ the elements of a layout */

/* A field of one axis, which has no name and no extent. */
static int irl__parse_bit_element(irl__parser *p, irl_bit_element *out)
{
    irl_record_field f;
    int              has_strides = 0, has_offset = 0;
    memset(&f, 0, sizeof f);
    f.name = "element";
    f.rank = 1;
    if (!irl__parse_record_element(p, &f)) return 0;
    if (!irl__parse_record_attrs(p, &f, NULL, 0, &has_strides, &has_offset)) return 0;
    if (p->token.kind != IRL__TOKEN_END)
        return irl__unexpected(p, "strides(...), offset(...), bits(...) or the end");
    if (has_strides && f.stride[0] < 1)
        return IRL__FAIL_AT(p, IRL_ERROR_BAD_ARGUMENT, p->token.offset, "the elements of a layout "
                            "are %l bits apart; at least 1 is required", f.stride[0]);
    out->type = f.type;
    out->bits = f.bits;
    out->order = f.order;
    out->norm = f.norm;
    out->offset = f.offset;
    out->stride = f.stride[0];
    return irl__ok(p->cx) && irl__bit_element_ok(p->cx, out, out, irl__here(p));
}

int irl_bit_element_parse(irl_ctx *cx, const char *text, irl_bit_element *out)
{
    irl__parser p;
    if (!out) return 0;
    memset(out, 0, sizeof *out);
    if (!irl__parse_begin(&p, cx, text, IRL_TO_NUL, "element", 1, 0)) return 0;
    int ok = irl__parse_bit_element(&p, out);
    return irl__parse_end(&p) && ok;
}
