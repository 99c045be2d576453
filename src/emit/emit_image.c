/* emit_image.c - images: whole texels as values, and stores of them.

   needs     texture-lowered bodies: images appear in the intrinsics of texel.c alone; a language's
             texel hook, which says where a texel is
   promises  f16 and bf16 are represented as elsewhere, mostly as bits. A half or a normalised
             number is passed as a float; a texel of 128 bits with more than four lanes as four
             uints, reinterpreted */
#include "emit.h"

static const irl__texel_format irl__image_rows[] = {
    { IRL_F32, IRL_F32, "rgba32f", "CL_FLOAT" },
    { IRL_F16, IRL_F32, "rgba16f", "CL_HALF_FLOAT" },
    { IRL_BF16, IRL_U32, "rgba16ui", "CL_UNSIGNED_INT16" },
    { IRL_I8, IRL_I32, "rgba8i", "CL_SIGNED_INT8" },
    { IRL_I16, IRL_I32, "rgba16i", "CL_SIGNED_INT16" },
    { IRL_I32, IRL_I32, "rgba32i", "CL_SIGNED_INT32" },
    { IRL_U8, IRL_U32, "rgba8ui", "CL_UNSIGNED_INT8" },
    { IRL_U16, IRL_U32, "rgba16ui", "CL_UNSIGNED_INT16" },
    { IRL_U32, IRL_U32, "rgba32ui", "CL_UNSIGNED_INT32" },
    { IRL_UNORM8, IRL_F32, "rgba8", "CL_UNORM_INT8" },
    { IRL_SNORM8, IRL_F32, "rgba8_snorm", "CL_SNORM_INT8" },
    { IRL_UNORM16, IRL_F32, NULL, "CL_UNORM_INT16" },
    { IRL_SNORM16, IRL_F32, NULL, "CL_SNORM_INT16" },
};

static int irl__image_is_wide(irl_type t) { return t.lanes != IRL__TEXEL_LANES; }

const irl__texel_format *irl__emit_texel_row(irl_type t)
{
    const irl_scalar scalar = irl__image_is_wide(t) ? IRL_U32 : (irl_scalar)t.scalar;
    for (size_t k = 0; k < IRL__COUNTOF(irl__image_rows); k++)
        if (irl__image_rows[k].scalar == scalar) return &irl__image_rows[k];
    return NULL;
}

const irl__texel_format *irl__emit_texel_format(irl__emit *e, irl_type t)
{
    const irl__texel_format *row = irl__emit_texel_row(t);
    if (row && (!e->language->states_formats || (row->glsl && !irl__image_is_wide(t)))) return row;
    irl__fail(e->cx, IRL_ERROR_IMAGE_FORMAT, e->cx->here, "an image of %s has no format in %s",
              irl__type_cstr(e->cx, t), e->language->name);
    return NULL;
}

int irl__emit_texel_is_inside(irl__emit *e, const irl_expr *x)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, x->a[0]);
    int64_t                 extent[IRL_MAX_RANK], size[IRL__TEXEL_AXES];
    for (int k = 0; m && k < m->buffer->rank; k++) {
        if (m->buffer->shape[k]->op != IRL_OP_INT) return 0;
        extent[k] = m->buffer->shape[k]->u.i;
    }
    if (!m || !irl__image_size(m->buffer, extent, size)) return 0;
    for (int k = 0; k < irl__image_coordinates(irl__texel_image_of(x)); k++) {
        irl__interval r = irl__range_of(e->ranges, x->a[k + 1]);
        if (r.lo < 0 || r.hi >= size[k]) return 0;
    }
    return 1;
}

const char *irl__emit_image_name(irl__emit *e, const irl_expr *x)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x->a[0]);
    if (symbol) return symbol->name;
    irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here,
              "image '%s' is not an argument of this kernel", x->a[0]->u.name);
    return "";
}

void irl__emit_coordinates(irl__emit *e, const irl_expr *x)
{
    for (int k = 1; k <= irl__image_coordinates(irl__texel_image_of(x)); k++) {
        if (k > 1) irl__text_puts(&e->text, ", ");
        irl__emit_place(e, x->a[k], IRL__PREC_ANY);
    }
}

/* ------------------------------------------------------------------ reads */

/* A half or a normalised number, which the device hands over as a float. */
static int irl__image_is_float(irl__emit *e, const irl_expr *x)
{
    return (x->type.scalar == IRL_F16 || irl__type_is_normalised(x->type)) &&
           !irl__image_is_wide(x->type) && !(e->temporaries && irl__emit_find(e, x));
}

int irl__emit_float_texel(irl__emit *e, const irl_expr *x, int print)
{
    if (irl__texel_call_of(x) != IRL__TEXEL_LOAD || !irl__image_is_float(e, x)) return 0;
    if (print) e->language->texel(e, x, IRL_F32);
    return 1;
}

/* The type that the device hands over and takes: halves where it computes with them. */
static irl_scalar irl__image_device(irl__emit *e, const irl__texel_format *row, irl_type t)
{
    return t.scalar == IRL_F16 && e->language->halves && e->unit->target->halves &&
                   !irl__image_is_wide(t)
               ? IRL_F16
               : row->device;
}

/* Opens a call that makes a value of type t of what the device hands over, or with `to_device` the
   other way; 0: it is the same. */
static int irl__image_converts(irl__emit *e, irl_type t, irl_scalar device, int to_device)
{
    const int kind = t.scalar == IRL_BF16 ? 0 : irl__emit_storage_kind(e, t, !to_device);
    if (irl__type_info(t)->bits >= 32 || device == t.scalar) return 0;
    if (kind) {
        irl__emit_storage_helper(e, kind, t);
        irl__text_putc(&e->text, '(');
    } else
        irl__emitf(e, e->language->convert,
                   to_device ? irl_type_of(device, IRL__TEXEL_LANES) : t);
    return 1;
}

void irl__emit_texel(irl__emit *e, const irl_expr *x)
{
    const irl_type wide = irl_type_of(IRL_U32, IRL__TEXEL_LANES);
    if (irl__texel_call_of(x) != IRL__TEXEL_LOAD) {
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                  "the intrinsic '%s' is not a value in %s", x->u.name, e->language->name);
        return;
    }
    const irl__texel_format *row = irl__emit_texel_format(e, x->type);
    if (!row) return;
    const irl_scalar device = irl__image_device(e, row, x->type);
    int              opened = irl__image_is_wide(x->type);
    if (opened) irl__emit_as(e, x->type, wide);
    else opened = irl__image_converts(e, x->type, device, 0);
    e->language->texel(e, x, device);
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ writes */

/* Made on the spot from floats, which the device itself rounds. */
static int irl__image_rounds(irl__emit *e, const irl_expr *value)
{
    return e->language->rounds_texels && irl__image_is_float(e, value) &&
           value->op == IRL_OP_CAST && value->a[0]->type.scalar != IRL_F64;
}

/* The value as the device takes it. */
static void irl__image_value(irl__emit *e, irl_scalar device, const irl_expr *value)
{
    int opened = irl__image_is_wide(value->type);
    if (irl__image_rounds(e, value)) {
        irl__emitf(e, "%e", irl_expr_cast(e->cx, irl_type_of(IRL_F32, IRL__TEXEL_LANES),
                                          value->a[0]));
        return;
    }
    if (opened) irl__emit_as(e, irl_type_of(IRL_U32, IRL__TEXEL_LANES), value->type);
    else opened = irl__image_converts(e, value->type, device, 1);
    irl__emit_expr(e, value, IRL__PREC_CHOICE);
    irl__emit_close(e, opened);
}

void irl__emit_texel_store(irl__emit *e, const irl_stmt *s)
{
    const irl_expr       *x = s->u.evaluate.value, *value = x->a[x->count - 1];
    /* an image over a buffer is written through a pointer to its texels */
    const int             is_pointer = e->language->pointer_casts > 0 &&
                           irl__texel_image_of(x) == IRL__IMAGE_LINE;
    irl__emit_scope       scope = irl__emit_scope_begin(e);
    const irl__texel_format *row = irl__emit_texel_format(e, x->type);
    if (!row) return;
    for (uint32_t k = 1; k + 1 < x->count; k++) irl__emit_prepare(e, x->a[k]);
    irl__emit_prepare(e, !is_pointer && irl__image_rounds(e, value) ? value->a[0] : value);
    irl__emit_line(e);
    if (is_pointer) {
        irl__emitf(e, "%s[", irl__emit_image_name(e, x));
        irl__emit_place(e, x->a[1], IRL__PREC_ANY);
        irl__emitf(e, "] = %e;\n", value);
    } else {
        const irl_scalar device =
            irl__image_rounds(e, value) ? row->device : irl__image_device(e, row, value->type);
        e->language->texel(e, x, device);
        irl__text_puts(&e->text, ", ");
        irl__image_value(e, device, value);
        irl__text_puts(&e->text, ");\n");
    }
    irl__emit_forget(e, scope, NULL);
}
