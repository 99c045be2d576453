/* emit_image.c - images in OpenCL C: arguments, reads and writes of whole texels.

   needs     texture-lowered bodies: images appear in the intrinsics of texel.c alone
   promises  a kernel's image is __read_only or __write_only, as it is used; one that is both is
             refused. Coordinates are whole numbers. A read has no sampler where it is proved in
             range and the target takes that; else what it gives out of range, which a guard throws
             away, is defined by the sampler, or by a clamped coordinate where the kind of image
             takes none. f16 and bf16 are held as everywhere, mostly as bits: an image of four
             halves is read and written as floats by the device; a texel of 128 bits with more than
             four lanes is four uints, reinterpreted */
#include "ocl.h"

/* How the device hands over a texel of a scalar type: read_image<suffix> gives <wide>4. */
typedef struct irl__image_row {
    irl_scalar  scalar;
    const char *suffix, *wide;
} irl__image_row;

static const irl__image_row irl__image_rows[] = {
    { IRL_F32, "f", "float" },     { IRL_F16, "f", "float" },    { IRL_BF16, "ui", "uint" },
    { IRL_I8, "i", "int" },        { IRL_I16, "i", "int" },      { IRL_I32, "i", "int" },
    { IRL_U8, "ui", "uint" },      { IRL_U16, "ui", "uint" },    { IRL_U32, "ui", "uint" },
    { IRL_UNORM8, "f", "float" },  { IRL_SNORM8, "f", "float" }, { IRL_UNORM16, "f", "float" },
    { IRL_SNORM16, "f", "float" },
};
/* 128 bits of anything */
static const irl__image_row irl__image_wide_row = { IRL_U32, "ui", "uint" };

/* What the device rounds floats to, and reads as floats. */
static int irl__image_is_rounded(irl_type t)
{
    return t.scalar == IRL_F16 || irl__type_is_normalised(t);
}
static int irl__image_is_wide(irl_type t) { return t.lanes != IRL__TEXEL_LANES; }

static const irl__image_row *irl__image_row_of(irl__emit *e, irl_type t)
{
    if (irl__image_is_wide(t)) return &irl__image_wide_row;
    for (size_t k = 0; k < IRL__COUNTOF(irl__image_rows); k++)
        if ((uint8_t)irl__image_rows[k].scalar == t.scalar) return &irl__image_rows[k];
    irl__fail(e->cx, IRL_ERROR_IMAGE_FORMAT, e->cx->here, "images have no format for %s",
              irl__type_cstr(e->cx, t));
    return NULL;
}

/* ------------------------------------------------------------------ arguments */

/* An image over a buffer is written through a pointer to its texels: the buffer is there, and not
   every driver writes such an image. */
static int irl__image_is_pointer(const irl__emit_memory *m)
{
    return m->is_written && irl__image_of(m->buffer) == IRL__IMAGE_LINE;
}

void irl__ocl_image_argument(irl_ocl_argument *a, const irl__emit_memory *m)
{
    const irl_buffer *b = m->buffer;
    a->image = irl__image_is_pointer(m) ? NULL : irl__image_text(irl__image_of(b));
    a->texel = irl__texel_lanes(b);
    a->columns = b->separator_count ? b->separators[b->separator_count - 1] : 0;
    a->rows = b->separator_count > 1 ? b->separators[b->separator_count - 2] : 0;
}

void irl__ocl_image_parameter(irl__emit *e, const irl__emit_memory *m, const char *name)
{
    if (irl__image_is_pointer(m)) {
        irl__emitf(e, "__global %t *%s%s", irl__texel_type(m->buffer),
                   m->is_shared_by_arguments ? "" : "restrict ", name);
    } else
        irl__textf(&e->text, "%s %s %s", m->is_written ? "__write_only" : "__read_only",
                   irl__image_text(irl__image_of(m->buffer)), name);
}

/* ------------------------------------------------------------------ places */

/* "(int2)(column, row)", "(int4)(column, row, layer, 0)"; of one dimension the column. */
static void irl__image_coordinates_text(irl__emit *e, const irl_expr *x, int count)
{
    irl__textf(&e->text, "(int%d)(", count == 2 ? 2 : 4);
    for (int k = 1; k <= count; k++) {
        if (k > 1) irl__text_puts(&e->text, ", ");
        irl__emit_place(e, x->a[k], IRL__PREC_ANY);
    }
    irl__text_puts(&e->text, count == 2 ? ")" : ", 0)");
}

/* A column of an image that takes no sampler: what is out of range is read at its end. */
static void irl__image_column(irl__emit *e, const irl_expr *x, int is_inside)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, x->a[0]);
    const irl_expr         *column = x->a[1];
    if (!is_inside && m) {
        column = irl_expr_op2(e->cx, IRL_OP_MAX, column, irl_expr_index(e->cx, 0));
        /* The texels of an image of one row. */
        const irl_buffer *b = m->buffer;
        const irl_expr   *texels = irl_expr_index(e->cx, (int64_t)b->type.lanes);
        for (int k = 0; k < b->rank; k++) texels = irl__mul(e->cx, texels, b->shape[k]);
        column = irl_expr_op2(
            e->cx, IRL_OP_MIN, column,
            irl__sub(e->cx,
                     irl__floordiv(e->cx, texels, irl_expr_index(e->cx, irl__texel_lanes(b))),
                     irl_expr_index(e->cx, 1)));
        if (column && !(column->flags & (IRL__HAS_LANES | IRL__HAS_LET)))
            column = irl__simplify(e->ranges, column);
    }
    if (column) irl__emit_place(e, column, IRL__PREC_ANY);
}

/* "x, irl_texel, (int2)(column, row)": the sampler only for reads that need one. */
static void irl__image_place(irl__emit *e, const irl_expr *x)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x->a[0]);
    const char             *name = symbol ? symbol->name : "";
    irl__image              image = irl__texel_image_of(x);
    int is_load = irl__texel_call_of(x) == IRL__TEXEL_LOAD,
        is_inside = !is_load || irl__emit_texel_is_inside(e, x);
    if (!symbol)
        irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here,
                  "image '%s' is not an argument of this kernel", x->a[0]->u.name);
    irl__textf(&e->text, "%s, ", name);
    if (image == IRL__IMAGE_LINE) {
        irl__image_column(e, x, is_inside);
        return;
    }
    if (is_load && !(is_inside && e->unit->target->samplerless)) {
        irl__emit_need(e, IRL__OCL_SAMPLER, irl_type_of(IRL_BOOL, 1));
        irl__text_puts(&e->text, "irl_texel, ");
    }
    irl__image_coordinates_text(e, x, irl__image_coordinates(image));
}

/* ------------------------------------------------------------------ reads */

static void irl__image_read(irl__emit *e, const irl__image_row *row, const irl_expr *x)
{
    irl__textf(&e->text, "read_image%s(", row->suffix);
    irl__image_place(e, x);
    irl__text_putc(&e->text, ')');
}

int irl__ocl_is_float_texel(irl__emit *e, const irl_expr *x)
{
    return irl__image_is_rounded(x->type) && !irl__image_is_wide(x->type) &&
           irl__texel_call_of(x) == IRL__TEXEL_LOAD && !(e->temporaries && irl__emit_find(e, x));
}

void irl__ocl_float_texel(irl__emit *e, const irl_expr *x)
{
    irl__image_read(e, &irl__image_rows[1], x);
}

void irl__ocl_intrinsic(irl__emit *e, const irl_expr *x)
{
    if (irl__texel_call_of(x) != IRL__TEXEL_LOAD) {
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                  "the intrinsic '%s' is not a value in OpenCL C", x->u.name);
        return;
    }
    const irl__image_row *row = irl__image_row_of(e, x->type);
    if (!row) return;
    if (irl__image_is_wide(x->type)) {
        /* A texel of 128 bits as the lanes that it holds: as_ushort8(read_imageui(...)) */
        irl__emitf(e, "as_%t(", x->type);
        irl__image_read(e, &irl__image_wide_row, x);
        irl__text_putc(&e->text, ')');
        return;
    }
    if (x->type.scalar == IRL_F16 && e->language->halves)
        irl__text_puts(&e->text, "convert_half4(");
    else if (x->type.scalar == IRL_F16) { /* bits */
        irl__emit_need(e, IRL__HELP_FLOAT_TO_HALF, x->type);
        irl__text_puts(&e->text, "irl_float_to_half4(");
    } else if (irl__type_is_normalised(x->type)) {
        irl__emit_need(e, IRL__HELP_FLOAT_TO_NORM, x->type);
        irl__emit_norm_name(e, &e->text, IRL__HELP_FLOAT_TO_NORM, x->type);
        irl__text_putc(&e->text, '(');
    } else if (irl__type_info(x->type)->bits < 32)
        irl__textf(&e->text, "convert_%s4(", e->language->types[x->type.scalar]);
    irl__image_read(e, row, x);
    if (irl__type_info(x->type)->bits < 32) irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ writes */

/* Made on the spot from floats, which the device itself rounds. */
static int irl__image_rounds(irl__emit *e, const irl_expr *value)
{
    return irl__image_is_rounded(value->type) && !irl__image_is_wide(value->type) &&
           value->op == IRL_OP_CAST && value->a[0]->type.scalar != IRL_F64 &&
           !(e->temporaries && irl__emit_find(e, value));
}

/* The value as the device takes it. */
static void irl__image_value(irl__emit *e, const irl__image_row *row, const irl_expr *value)
{
    const irl_expr *as_float;
    if (irl__image_is_wide(value->type)) irl__emit_call(e, "as_uint4", 1, &value);
    else if (irl__image_rounds(e, value)) {
        as_float = irl_expr_cast(e->cx, irl_type_of(IRL_F32, IRL__TEXEL_LANES), value->a[0]);
        if (as_float) irl__emit_expr(e, as_float, IRL__PREC_CHOICE);
    } else if (value->type.scalar == IRL_F16 && e->language->halves) {
        irl__emit_call(e, "convert_float4", 1, &value);
    } else if (value->type.scalar == IRL_F16) {
        irl__emit_need(e, IRL__HELP_HALF_TO_FLOAT, value->type);
        irl__emit_call(e, "irl_half_to_float4", 1, &value);
    } else if (irl__type_is_normalised(value->type)) {
        irl__emit_need(e, IRL__HELP_NORM_TO_FLOAT, value->type);
        irl__emit_norm_name(e, &e->text, IRL__HELP_NORM_TO_FLOAT, value->type);
        irl__emit_call(e, "", 1, &value);
    } else if (irl__type_info(value->type)->bits < 32) {
        irl__textf(&e->text, "convert_%s4", row->wide);
        irl__emit_call(e, "", 1, &value);
    } else irl__emit_expr(e, value, IRL__PREC_CHOICE);
}

/* x[column] = value */
static void irl__image_store_texel(irl__emit *e, const irl_expr *x, const irl_expr *value)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x->a[0]);
    irl__textf(&e->text, "%s[", symbol ? symbol->name : "");
    irl__emit_place(e, x->a[1], IRL__PREC_ANY);
    irl__text_puts(&e->text, "] = ");
    irl__emit_expr(e, value, IRL__PREC_CHOICE);
    irl__text_puts(&e->text, ";\n");
}

void irl__ocl_image_store(irl__emit *e, const irl_stmt *s)
{
    const irl_expr       *x = s->u.evaluate.value, *value = x->a[x->count - 1];
    int                   is_pointer = irl__texel_image_of(x) == IRL__IMAGE_LINE;
    irl__emit_scope       scope = irl__emit_scope_begin(e);
    const irl__image_row *row = irl__image_row_of(e, x->type);
    if (!row) return;
    for (uint32_t k = 1; k + 1 < x->count; k++) irl__emit_prepare(e, x->a[k]);
    irl__emit_prepare(e, !is_pointer && irl__image_rounds(e, value) ? value->a[0] : value);
    irl__emit_line(e);
    if (is_pointer) irl__image_store_texel(e, x, value);
    else {
        irl__textf(&e->text, "write_image%s(", row->suffix);
        irl__image_place(e, x);
        irl__text_puts(&e->text, ", ");
        irl__image_value(e, row, value);
        irl__text_puts(&e->text, ");\n");
    }
    irl__emit_forget(e, scope, NULL);
}
