/* emit_run.c - vload and vstore of OpenCL C: several elements of memory at once, elements of
   another size, halves that are converted on the way.

   needs     emit_memory.c
   promises  whole runs of elements are vector loads */
#include "ocl.h"

/* "pointer + index)": the place of an element; the pointer is to that type (NULL: to its own). */
static void irl__vload_place(irl__emit *e, const irl__memory_place *p, const char *type)
{
    irl__emit_place_pointer(e, p, type);
    irl__text_puts(&e->text, " + ");
    if (p->way == IRL__WAY_BYTES) irl__textf(&e->text, "%d * ", p->bytes);
    irl__emit_place(e, p->index, p->way == IRL__WAY_BYTES ? IRL__PREC_UNARY : IRL__PREC_PRODUCT);
    irl__text_putc(&e->text, ')');
}

/* "index, pointer)" or "0, pointer + index)": the end of a vload or vstore of `lanes` scalars of
   p's type. */
static void irl__vload_end(irl__emit *e, const irl__memory_place *p)
{
    const char *type = p->way == IRL__WAY_BYTES     ? "uchar"
                       : p->way == IRL__WAY_POINTER ? p->scalar
                                                    : NULL;
    if (p->by_run) {
        irl__emit_place_index(e, p);
        irl__text_puts(&e->text, ", ");
        irl__emit_place_pointer(e, p, type);
        irl__text_putc(&e->text, ')');
    } else {
        irl__text_puts(&e->text, "0, ");
        irl__vload_place(e, p, type);
    }
}

/* How many scalars, or bytes, are moved. */
static uint32_t irl__vload_length(const irl__memory_place *p)
{
    return p->way == IRL__WAY_BYTES ? (uint32_t)p->bytes * p->lanes : p->lanes;
}

static void irl__vload_type(irl__text *t, const char *scalar, uint32_t lanes)
{
    irl__text_puts(t, scalar);
    if (lanes > 1) irl__text_uint(t, lanes);
}

/* PoCL's vload16 is eight loads of two lanes, which its compiler does not put together where two
   are added: a sum of neighbours takes 1.7 times as long (bench/auto, the stencil). A vector in
   a packed struct is one load. Only on rows of CPUs, whose registers hold more than 16 bytes: the
   compilers of GPUs were made for vload, whose vectors are of 4. */
static int irl__vload_is_whole(const irl__emit *e, const irl__memory_place *p)
{
    return p->way == IRL__WAY_DIRECT && !p->by_run && p->lanes >= 8 &&
           p->memory->buffer->scope == IRL_SCOPE_GLOBAL && e->unit->target->pointer_casts &&
           e->unit->target->vector_bytes > 16;
}

void irl__ocl_load_run(irl__emit *e, const irl__memory_place *p)
{
    int      as = p->way == IRL__WAY_AS || p->way == IRL__WAY_BYTES;
    irl_type type = irl__type_with_lanes(irl__emit_held(p->memory->type), p->lanes);
    if (irl__vload_is_whole(e, p)) {
        irl__emit_need(e, IRL__OCL_LOAD, type);
        irl__emitf(e, "%s_load_%t(", e->prefix, type);
        irl__vload_place(e, p, NULL);
        return;
    }
    if (as) {
        irl__text_puts(&e->text, "as_");
        irl__vload_type(&e->text, p->scalar, p->lanes);
        irl__text_putc(&e->text, '(');
    }
    irl__textf(&e->text, "vload%u(", (uint64_t)irl__vload_length(p));
    irl__vload_end(e, p);
    if (as) irl__text_putc(&e->text, ')');
}

/* The value as it lies in memory. */
static void irl__vstore_value(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    int as = p->way == IRL__WAY_AS || p->way == IRL__WAY_BYTES;
    if (as) {
        irl__text_puts(&e->text, "as_");
        if (p->way == IRL__WAY_BYTES) irl__vload_type(&e->text, "uchar", irl__vload_length(p));
        else irl__vload_type(&e->text, irl__emit_declared(e, p->memory), p->lanes);
        if (value->type.scalar != IRL_BOOL) { /* as_type wants the exact type */
            irl__emit_call(e, "", 1, &value);
            return;
        }
        irl__text_putc(&e->text, '(');
    }
    if (value->type.scalar == IRL_BOOL && value->type.lanes > 1) {
        irl__textf(&e->text, "as_uchar%u(", (uint64_t)value->type.lanes);
        irl__ocl_mask(e, value, 8, IRL__PREC_UNARY);
        irl__text_puts(&e->text, " & (char)1)");
    } else if (value->type.scalar == IRL_BOOL && as) {
        irl__emitf(e, "(uchar)%p", IRL__PREC_UNARY, value);
    } else irl__emit_expr(e, value, IRL__PREC_CHOICE);
    if (as) irl__text_putc(&e->text, ')');
}

void irl__ocl_store_run(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    irl__textf(&e->text, "vstore%u(", (uint64_t)irl__vload_length(p));
    irl__vstore_value(e, p, value);
    irl__text_puts(&e->text, ", ");
    irl__vload_end(e, p);
}

/* ------------------------------------------------------------------ halves */

void irl__ocl_load_half(irl__emit *e, const irl_expr *x)
{
    irl__memory_place p;
    if (!irl__emit_place_of(e, x->u.buffer, x->count ? x->a[0] : NULL, 0, 1, &p)) return;
    irl__text_puts(&e->text, "vload_half");
    if (p.lanes > 1) irl__text_uint(&e->text, p.lanes);
    irl__text_putc(&e->text, '(');
    irl__vload_end(e, &p);
}

/* vstore_half_rte(value, index, pointer), from float, double, or what converts to float exactly
   enough */
void irl__ocl_store_half(irl__emit *e, const irl_buffer *b, const irl_expr *index,
                         const irl_expr *value)
{
    irl__memory_place p;
    irl_type          as_float = irl_type_of(IRL_F32, (int)value->type.lanes);
    if (value->type.scalar != IRL_F64) value = irl_expr_cast(e->cx, as_float, value);
    if (!value || !irl__emit_place_of(e, b, index, 1, 1, &p)) return;
    irl__text_puts(&e->text, "vstore_half");
    if (p.lanes > 1) irl__text_uint(&e->text, p.lanes);
    irl__emitf(e, "_rte(%e, ", value);
    irl__vload_end(e, &p);
}
