/* emit_image.c - images in OpenCL C: arguments, and where a texel is.

   needs     ../emit/emit_image.c, which asks
   promises  a kernel's image is __read_only or __write_only, as it is used; one that is both is
             refused. Coordinates are whole numbers. A read has no sampler if it is proved in range
             and the target allows that; else the sampler defines the value out of range, which a
             guard discards; if the kind of image takes no sampler, a clamped coordinate does */
#include "ocl.h"

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
    if (irl__image_is_pointer(m))
        irl__emitf(e, "__global %t *%s%s", irl__texel_type(m->buffer),
                   m->is_shared_by_arguments ? "" : "restrict ", name);
    else
        irl__textf(&e->text, "%s %s %s", m->is_written ? "__write_only" : "__read_only",
                   irl__image_text(irl__image_of(m->buffer)), name);
}

/* ------------------------------------------------------------------ places */

/* A column of an image that takes no sampler: what is out of range is read at its end. */
static void irl__image_column(irl__emit *e, const irl_expr *x, int is_inside)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, x->a[0]);
    const irl_expr         *column = x->a[1];
    if (!is_inside && m) {
        column = irl__op_number(e->cx, IRL_OP_MAX, column, 0);
        /* The texels of an image of one row. */
        const irl_buffer *b = m->buffer;
        const irl_expr   *texels = irl_expr_index(e->cx, (int64_t)b->type.lanes);
        for (int k = 0; k < b->rank; k++) texels = irl__mul(e->cx, texels, b->shape[k]);
        texels = irl__op_number(e->cx, IRL_OP_FLOORDIV, texels, irl__texel_lanes(b));
        column = irl_expr_op2(e->cx, IRL_OP_MIN, column,
                              irl__op_number(e->cx, IRL_OP_SUB, texels, 1));
        if (column && !(column->flags & (IRL__HAS_LANES | IRL__HAS_LET)))
            column = irl__simplify(e->ranges, column);
    }
    if (column) irl__emit_place(e, column, IRL__PREC_ANY);
}

/* "read_imagef(x, irl_texel, (int2)(column, row))", the sampler only for reads that need one;
   "write_imagef(x, (int2)(column, row)", before the value. */
void irl__ocl_texel(irl__emit *e, const irl_expr *x, irl_scalar device)
{
    const irl__image image = irl__texel_image_of(x);
    const int        is_load = irl__texel_call_of(x) == IRL__TEXEL_LOAD,
              is_inside = !is_load || irl__emit_texel_is_inside(e, x);
    irl__textf(&e->text, "%s_image%s(%s, ", is_load ? "read" : "write",
               device == IRL_F32   ? "f"
               : device == IRL_F16 ? "h"
               : device == IRL_I32 ? "i" : "ui",
               irl__emit_image_name(e, x));
    if (image == IRL__IMAGE_LINE) irl__image_column(e, x, is_inside);
    else {
        if (is_load && !(is_inside && e->unit->target->samplerless)) {
            irl__emit_need(e, IRL__OCL_SAMPLER, irl_type_of(IRL_BOOL, 1));
            irl__text_puts(&e->text, "irl_texel, ");
        }
        /* "(int2)(column, row)", "(int4)(column, row, layer, 0)"; of one dimension the column. */
        const int count = irl__image_coordinates(image);
        irl__textf(&e->text, "(int%d)(", count == 2 ? 2 : 4);
        irl__emit_coordinates(e, x);
        irl__text_puts(&e->text, count == 2 ? ")" : ", 0)");
    }
    if (is_load) irl__text_putc(&e->text, ')');
}
