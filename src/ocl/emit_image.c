/* emit_image.c - images in OpenCL C: arguments, reads and writes of whole texels.

   needs     texture-lowered bodies: images appear in the intrinsics of texel.c alone
   promises  a kernel's image is __read_only or __write_only, as it is used; one that is both is refused. Coordinates are
             whole numbers, and a read out of range, which a guard throws away, is defined by the sampler. f16 and bf16 are
             held as their bits, as everywhere: an image of halves is read and written as floats by the device */
#include "ocl.h"

/* How the device hands over a texel of a scalar type: read_image<suffix> gives <wide>4. */
typedef struct irl__image_row {
    irl_scalar  scalar;
    const char *suffix, *wide;
} irl__image_row;

static const irl__image_row irl__image_rows[] = {
    { IRL_F32, "f", "float" }, { IRL_F16, "f", "float" }, { IRL_BF16, "ui", "uint" }, { IRL_I8, "i", "int" },   { IRL_I16, "i", "int" },
    { IRL_I32, "i", "int" },   { IRL_U8, "ui", "uint" },  { IRL_U16, "ui", "uint" },  { IRL_U32, "ui", "uint" },
};

static const irl__image_row *irl__image_row_of(irl__emit *e, irl_type t)
{
    size_t k;
    for (k = 0; k < IRL__COUNTOF(irl__image_rows); k++)
        if ((uint8_t)irl__image_rows[k].scalar == t.scalar) return &irl__image_rows[k];
    irl__fail(e->cx, IRL_ERROR_IMAGE_FORMAT, e->cx->here, "images have no format for %s", irl__type_cstr(e->cx, t));
    return NULL;
}

/* ------------------------------------------------------------------ survey */

int irl__ocl_image_survey(irl__ocl *o, const irl_expr *x)
{
    irl__ocl_memory *m = (irl__ocl_memory *)irl__ptr_map_get(&o->memory_of, x->a[0]);
    if (!m) return irl__fail(o->cx, IRL_ERROR_UNDECLARED, o->cx->here, "image '%s' is used where its memory is not declared", x->a[0]->u.name);
    if (irl__texel_call_of(x) == IRL__TEXEL_STORE) m->is_written = 1;
    else m->is_read = 1;
    if (!m->is_written || !m->is_read) return 1;
    return irl__fail(o->cx, IRL_ERROR_IMAGE_READ_WRITE, o->cx->here, "kernel '%s' reads and writes image '%s'", o->function->name, m->buffer->name);
}

void irl__ocl_image_parameter(irl__emit *e, const irl__ocl_memory *m, const char *name)
{
    irl__textf(&e->text, "%s image2d_t %s", m->is_written ? "__write_only" : "__read_only", name);
}

/* ------------------------------------------------------------------ reads */

/* "x, irl_texel, (int2)(column, row)": the sampler only for reads. */
static void irl__image_place(irl__emit *e, const irl_expr *x)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x->a[0]);
    int                     k;
    irl__text_puts(&e->text, symbol ? symbol->name : "");
    irl__text_puts(&e->text, irl__texel_call_of(x) == IRL__TEXEL_LOAD ? ", irl_texel, (int2)(" : ", (int2)(");
    for (k = 1; k < 3; k++) {
        if (k == 2) irl__text_puts(&e->text, ", ");
        irl__emit_index(e, x->a[k], irl__emit_width(e, x->a[k], NULL), IRL__PREC_ANY);
    }
    irl__text_putc(&e->text, ')');
    if (!symbol) irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here, "image '%s' is no argument of this kernel", x->a[0]->u.name);
}

static void irl__image_read(irl__emit *e, const irl__image_row *row, const irl_expr *x)
{
    irl__emit_need(e, IRL__OCL_SAMPLER, irl_type_of(IRL_BOOL, 1));
    irl__textf(&e->text, "read_image%s(", row->suffix);
    irl__image_place(e, x);
    irl__text_putc(&e->text, ')');
}

int irl__ocl_is_half_texel(irl__emit *e, const irl_expr *x)
{
    return x->type.scalar == IRL_F16 && irl__texel_call_of(x) == IRL__TEXEL_LOAD && !(e->temporaries && irl__emit_find(e, x));
}

void irl__ocl_half_texel(irl__emit *e, const irl_expr *x) { irl__image_read(e, &irl__image_rows[1], x); }

void irl__ocl_intrinsic(irl__emit *e, const irl_expr *x)
{
    const irl__image_row *row;
    if (irl__texel_call_of(x) != IRL__TEXEL_LOAD) {
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "the intrinsic '%s' is no value in OpenCL C", x->u.name);
        return;
    }
    row = irl__image_row_of(e, x->type);
    if (!row) return;
    if (x->type.scalar == IRL_F16) { /* bits */
        irl__emit_need(e, IRL__OCL_FLOAT_TO_HALF, irl_type_of(IRL_F16, 1));
        irl__emit_need(e, IRL__OCL_HALF_BITS, irl_type_of(IRL_F16, 1));
        irl__text_puts(&e->text, "irl_half_bits4(");
    } else if (irl__type_info(x->type)->bits < 32) irl__textf(&e->text, "convert_%s4(", e->language->types[x->type.scalar]);
    irl__image_read(e, row, x);
    if (irl__type_info(x->type)->bits < 32) irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ writes */

/* The value as the device takes it. */
static void irl__image_value(irl__emit *e, const irl__image_row *row, const irl_expr *value)
{
    const irl_expr *as_float;
    if (value->type.scalar == IRL_F16 && value->op == IRL_OP_CAST && value->a[0]->type.scalar != IRL_F64 && !(e->temporaries && irl__emit_find(e, value))) {
        as_float = irl_cast(e->cx, irl_type_of(IRL_F32, IRL__TEXEL_LANES), value->a[0]);
        if (as_float) irl__emit_expr(e, as_float, IRL__PREC_CHOICE);
    } else if (value->type.scalar == IRL_F16) {
        irl__emit_need(e, IRL__OCL_HALF_TO_FLOAT, irl_type_of(IRL_F16, 1));
        irl__emit_need(e, IRL__OCL_HALF_VALUES, irl_type_of(IRL_F16, 1));
        irl__emit_call(e, "irl_half_values4", 1, &value);
    } else if (irl__type_info(value->type)->bits < 32) {
        irl__textf(&e->text, "convert_%s4", row->wide);
        irl__emit_call(e, "", 1, &value);
    } else irl__emit_expr(e, value, IRL__PREC_CHOICE);
}

void irl__ocl_image_store(irl__emit *e, const irl_stmt *s)
{
    const irl_expr       *x = s->u.evaluate.value, *value = x->a[3];
    irl__emit_scope       scope = irl__emit_scope_begin(e);
    const irl__image_row *row = irl__image_row_of(e, x->type);
    if (!row) return;
    irl__emit_prepare(e, x->a[1]);
    irl__emit_prepare(e, x->a[2]);
    irl__emit_prepare(e, value->type.scalar == IRL_F16 && value->op == IRL_OP_CAST ? value->a[0] : value);
    irl__emit_line(e);
    irl__textf(&e->text, "write_image%s(", row->suffix);
    irl__image_place(e, x);
    irl__text_puts(&e->text, ", ");
    irl__image_value(e, row, value);
    irl__text_puts(&e->text, ");\n");
    irl__emit_forget(e, scope, NULL);
}

/* ------------------------------------------------------------------ helpers */

const char *irl__ocl_image_helper(int kind)
{
    switch (kind) {
    case IRL__OCL_SAMPLER:
        return "__constant sampler_t irl_texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n\n";
    case IRL__OCL_HALF_BITS:
        return "static ushort4 irl_half_bits4(float4 v)\n{\n"
               "    return (ushort4)(irl_float_to_half(v.s0), irl_float_to_half(v.s1), irl_float_to_half(v.s2), irl_float_to_half(v.s3));\n}\n\n";
    case IRL__OCL_HALF_VALUES:
        return "static float4 irl_half_values4(ushort4 v)\n{\n"
               "    return (float4)(irl_half_to_float(v.s0), irl_half_to_float(v.s1), irl_half_to_float(v.s2), irl_half_to_float(v.s3));\n}\n\n";
    default: return "";
    }
}
