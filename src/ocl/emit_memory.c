/* emit_memory.c - memory in OpenCL C: what a kernel's pointers point to, loads, stores.

   needs     emit_survey.c, emit_lanes.c; flattened bodies: every access has one index
   promises  whole runs of elements are vector loads; anything else goes lane by lane. bool lies in
             memory as uchar, f16 as half or its bits, bf16 as its bits. An alias of another type
             never meets the compiler's type-based alias analysis: it goes through as_type, through
             bytes, or through a pointer of a type that may alias */
#include "ocl.h"

/* ------------------------------------------------------------------ what a pointer points to */

static const char *irl__memory_space(irl_scope scope)
{
    static const char *const spaces[] = {
#define IRL_SCOPE_ROW(name, text, ocl, image) ocl,
#include "../ir/scopes.h"
    };
    return spaces[scope];
}

/* The C type of a scalar in memory. */
static const char *irl__memory_scalar(irl_type t)
{
    return t.scalar == IRL_BOOL ? "uchar" : irl__type_info(t)->ocl;
}

/* A pointer to half is legal everywhere, an array of it is not. */
static int irl__memory_is_half(const irl__ocl_memory *m)
{
    int is_array = m->buffer->scope == IRL_SCOPE_SHARED || m->buffer->scope == IRL_SCOPE_LOCAL;
    return m->type.scalar == IRL_F16 && m->has_values && !m->has_bits && !is_array;
}

/* Both ways of touching f16 in one memory that is written: only bits then, so that the compiler
   sees one type. */
static int irl__memory_converts_half(const irl__ocl_memory *m)
{
    return m->has_values && !(m->has_bits && m->is_written);
}

static const char *irl__memory_declared(const irl__ocl_memory *m)
{
    return irl__memory_is_half(m) ? "half" : irl__memory_scalar(m->type);
}

void irl__ocl_pointee(irl__emit *e, const irl__ocl_memory *m)
{
    irl_scope scope = m->buffer->scope;
    irl__textf(&e->text, "%s%s%s", irl__memory_space(scope),
               scope == IRL_SCOPE_GLOBAL && !m->is_written ? "const " : "",
               irl__memory_declared(m));
    if (m->element.lanes > 1) irl__text_uint(&e->text, m->element.lanes);
}

/* ------------------------------------------------------------------ places */

typedef enum irl__memory_way {
    IRL__WAY_DIRECT,  /* the pointer's own type */
    IRL__WAY_AS,      /* another type of the same size: as_type */
    IRL__WAY_POINTER, /* through a pointer of the other type */
    IRL__WAY_BYTES    /* through bytes, which may alias anything */
} irl__memory_way;

/* A run of elements in memory. */
typedef struct irl__memory_place {
    const irl__ocl_memory *memory;
    const char            *name;   /* of the pointer */
    const irl_expr        *index;  /* in runs of `lanes` if by_run, else in scalars; NULL: 0 */
    uint32_t               lanes;
    int                    by_run, is_store;
    const char            *scalar; /* C type of one */
    int                    bytes;  /* of one */
    irl__memory_way        way;
} irl__memory_place;

static irl__memory_way irl__memory_way_of(const irl__ocl_memory *m, const char *scalar, int bytes)
{
    int own = irl__type_info(m->type)->bytes;
    if (strcmp(scalar, irl__memory_declared(m)) == 0) return IRL__WAY_DIRECT;
    if (bytes == own && strcmp(scalar, "half") != 0) return IRL__WAY_AS;
    if (m->has_other_size && m->is_written && bytes != 1 && own != 1 && strcmp(scalar, "half") != 0)
        return IRL__WAY_BYTES;
    return IRL__WAY_POINTER;
}

int irl__ocl_memory_ok(irl__emit *e, const irl_buffer *b)
{
    if (!irl__scope_is_image(b->scope) || irl__ocl_of(e)->target->texels) return 1;
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, b->loc,
                     "buffer '%s' is in scope %s, and target '%s' has no images", b->name,
                     irl__scope_text(b->scope), irl__ocl_of(e)->target->name);
}

/* Only memory of one dimension can be reached by a pointer. */
static int irl__memory_rank_ok(irl__emit *e, const irl_buffer *b)
{
    irl__text separators, of;
    char      text[128], view[80];
    int       k;
    if (!irl__ocl_memory_ok(e, b)) return 0;
    if (irl__scope_is_image(b->scope))
        return irl__fail(e->cx, IRL_ERROR_BAD_STAGE, e->cx->here,
                         "buffer '%s' is an image, which is accessed by texels: run lower_textures",
                         b->name);
    if (b->rank == 0 && !b->offset) return 1;
    if (b->rank <= 1 && irl__buffer_is_flat(b)) return 1;
    if (b->rank <= 1)
        return irl__fail(e->cx, IRL_ERROR_BAD_STAGE, e->cx->here,
                         "buffer '%s' has strides or an offset: flatten it first", b->name);
    irl__text_init_fixed(&separators, text, sizeof text);
    for (k = 0; k < b->separator_count; k++)
        irl__textf(&separators, k ? ", %d" : "%d", b->separators[k]);
    irl__text_init_fixed(&of, view, sizeof view);
    /* a view that a pass made: the user's name too */
    if (strcmp(b->name, b->data->u.name) != 0)
        irl__textf(&of, ", a view of '%s',", b->data->u.name);
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED_RANK, e->cx->here,
                     "buffer '%s'%s has %d axes (separators: [%s]), but memory of scope %s has one "
                     "in OpenCL C; %s",
                     b->name, view, b->rank, text, irl__scope_text(b->scope),
                     b->separator_count
                         ? "remove its separators, or give it a scope of that many dimensions"
                         : "flatten it first");
}

int irl__ocl_is_run(const irl_expr *index)
{
    return !index || index->type.lanes == 1 ||
           (index->op == IRL_OP_RAMP && irl__is_int(index->a[1], 1));
}

/* Where an access to b at `index` lies; false where the lanes do not lie one after the other. */
static int irl__memory_place_of(irl__emit *e, const irl_buffer *b, const irl_expr *index,
                                int is_store, int as_half, irl__memory_place *p)
{
    irl__ocl_memory  *m = irl__ocl_find_memory(irl__ocl_of(e), b->data);
    irl__emit_symbol *symbol = irl__emit_find(e, b->data);
    memset(p, 0, sizeof *p);
    if (!m || !symbol)
        return irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here,
                         "buffer '%s' is used where its memory is not declared", b->name);
    p->memory = m;
    p->name = symbol->name;
    p->is_store = is_store;
    p->scalar = as_half ? "half" : irl__memory_scalar(b->type);
    p->bytes = irl__type_info(b->type)->bytes;
    p->way = irl__memory_way_of(m, p->scalar, p->bytes);
    p->index = index;
    p->lanes = b->type.lanes;
    p->by_run = 1;
    if (!index || index->type.lanes == 1) return 1;
    if (!irl__ocl_is_run(index)) return 0;
    p->lanes *= index->type.lanes;
    p->by_run = 0;
    p->index = index->a[0];
    if (b->type.lanes > 1)
        p->index = irl__simplify_alone(
            e->cx, irl__mul(e->cx, p->index, irl_idx(e->cx, (int64_t)b->type.lanes)));
    return p->index != NULL;
}

static void irl__memory_index(irl__emit *e, const irl__memory_place *p)
{
    if (p->index) irl__emit_place(e, p->index, IRL__PREC_ANY);
    else irl__text_putc(&e->text, '0');
}

/* The pointer, cast to a type where the way asks for it. */
static void irl__memory_pointer(irl__emit *e, const irl__memory_place *p, const char *type)
{
    if (type)
        irl__textf(&e->text, "(%s%s%s *)", irl__memory_space(p->memory->buffer->scope),
                   p->is_store ? "" : "const ", type);
    irl__text_puts(&e->text, p->name);
}

/* name[index], perhaps through a pointer of another type; a variable's name */
static void irl__memory_element(irl__emit *e, const irl__memory_place *p)
{
    int cast = p->way == IRL__WAY_POINTER;
    if (p->memory->is_variable) {
        irl__text_puts(&e->text, p->name);
        return;
    }
    if (cast) irl__text_putc(&e->text, '(');
    irl__memory_pointer(e, p, cast ? p->scalar : NULL);
    if (cast) irl__text_putc(&e->text, ')');
    irl__text_putc(&e->text, '[');
    irl__memory_index(e, p);
    irl__text_putc(&e->text, ']');
}

/* "index, pointer)" or "0, pointer + index)": the end of a vload or vstore of `lanes` scalars of
   p's type. */
static void irl__memory_run(irl__emit *e, const irl__memory_place *p)
{
    const char *type = p->way == IRL__WAY_BYTES     ? "uchar"
                       : p->way == IRL__WAY_POINTER ? p->scalar
                                                    : NULL;
    if (p->by_run) {
        irl__memory_index(e, p);
        irl__text_puts(&e->text, ", ");
        irl__memory_pointer(e, p, type);
    } else {
        irl__text_puts(&e->text, "0, ");
        irl__memory_pointer(e, p, type);
        irl__text_puts(&e->text, " + ");
        if (p->way == IRL__WAY_BYTES) irl__textf(&e->text, "%d * ", p->bytes);
        irl__emit_place(e, p->index,
                        p->way == IRL__WAY_BYTES ? IRL__PREC_UNARY : IRL__PREC_PRODUCT);
    }
    irl__text_putc(&e->text, ')');
}

static int irl__memory_bytes_ok(irl__emit *e, const irl__memory_place *p)
{
    return p->way != IRL__WAY_BYTES || irl__ocl_lanes_ok(e, (uint32_t)p->bytes * p->lanes);
}

static void irl__memory_type(irl__text *t, const char *scalar, uint32_t lanes)
{
    irl__text_puts(t, scalar);
    if (lanes > 1) irl__text_uint(t, lanes);
}

static int irl__memory_is_element(const irl__memory_place *p)
{
    return p->by_run && p->lanes == p->memory->element.lanes &&
           (p->lanes == 1 || p->way == IRL__WAY_DIRECT);
}

/* ------------------------------------------------------------------ loads */

static void irl__memory_load_place(irl__emit *e, const irl__memory_place *p)
{
    int as = p->way == IRL__WAY_AS || p->way == IRL__WAY_BYTES;
    if (!irl__memory_bytes_ok(e, p)) return;
    if (as) {
        irl__text_puts(&e->text, "as_");
        irl__memory_type(&e->text, p->scalar, p->lanes);
        irl__text_putc(&e->text, '(');
    }
    if (p->way != IRL__WAY_BYTES && irl__memory_is_element(p)) irl__memory_element(e, p);
    else {
        irl__textf(&e->text, "vload%u(",
                   (uint64_t)(p->way == IRL__WAY_BYTES ? (uint32_t)p->bytes * p->lanes : p->lanes));
        irl__memory_run(e, p);
    }
    if (as) irl__text_putc(&e->text, ')');
}

/* (float4)(x[i], x[j], ...): each lane of the index by itself. */
static void irl__memory_gather(irl__emit *e, const irl_expr *x)
{
    uint32_t k, count = x->a[0]->type.lanes;
    irl__text_putc(&e->text, '(');
    irl__ocl_type(e, x->type);
    irl__text_puts(&e->text, ")(");
    for (k = 0; k < count && irl__ok(e->cx); k++) {
        const irl_expr *index = irl__ocl_lane_of(e, x->a[0], k),
                       *load = irl__expr_load(e->cx, x->u.buffer, 1, &index, irl__nowhere());
        if (!load) return;
        if (k) irl__text_puts(&e->text, ", ");
        if (x->type.scalar == IRL_BOOL) irl__text_puts(&e->text, "-");
        irl__emit_expr(e, load, x->type.scalar == IRL_BOOL ? IRL__PREC_POSTFIX : IRL__PREC_ANY);
    }
    irl__text_putc(&e->text, ')');
}

int irl__ocl_is_half_load(irl__emit *e, const irl_expr *x)
{
    const irl__ocl_memory *m = x->op == IRL_OP_LOAD && x->type.scalar == IRL_F16
                                   ? irl__ocl_find_memory(irl__ocl_of(e), x->u.buffer->data)
                                   : NULL;
    const irl_expr        *index = m && x->count ? x->a[x->count - 1] : NULL;
    if (!m || !irl__memory_converts_half(m) || (e->temporaries && irl__emit_find(e, x))) return 0;
    return irl__ocl_is_run(index);
}

void irl__ocl_half_load(irl__emit *e, const irl_expr *x)
{
    irl__memory_place p;
    if (!irl__memory_rank_ok(e, x->u.buffer) || !irl__ocl_lanes_ok(e, x->type.lanes)) return;
    if (!irl__memory_place_of(e, x->u.buffer, x->count ? x->a[0] : NULL, 0, 1, &p)) return;
    irl__text_puts(&e->text, "vload_half");
    if (p.lanes > 1) irl__text_uint(&e->text, p.lanes);
    irl__text_putc(&e->text, '(');
    irl__memory_run(e, &p);
}

void irl__ocl_load(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__memory_place p;
    int               opened = 0;
    if (!irl__memory_rank_ok(e, x->u.buffer) || !irl__ocl_lanes_ok(e, x->type.lanes)) return;
    if (!irl__memory_place_of(e, x->u.buffer, x->count ? x->a[0] : NULL, 0, 0, &p)) {
        if (irl__ok(e->cx)) irl__memory_gather(e, x);
        return;
    }
    if (x->type.scalar == IRL_BOOL) opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
    irl__memory_load_place(e, &p);
    if (x->type.scalar == IRL_BOOL && p.lanes == 1) irl__text_puts(&e->text, " != 0");
    if (x->type.scalar == IRL_BOOL && p.lanes > 1)
        irl__textf(&e->text, " != (uchar%u)(0)", (uint64_t)p.lanes);
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ stores */

/* The value as it lies in memory. */
static void irl__memory_stored_value(irl__emit *e, const irl__memory_place *p,
                                     const irl_expr *value)
{
    int as = p->way == IRL__WAY_AS || p->way == IRL__WAY_BYTES;
    if (as) {
        irl__text_puts(&e->text, "as_");
        if (p->way == IRL__WAY_BYTES)
            irl__memory_type(&e->text, "uchar", (uint32_t)p->bytes * p->lanes);
        else irl__memory_type(&e->text, irl__memory_declared(p->memory), p->lanes);
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
        irl__text_puts(&e->text, "(uchar)");
        irl__emit_expr(e, value, IRL__PREC_UNARY);
    } else irl__emit_expr(e, value, IRL__PREC_CHOICE);
    if (as) irl__text_putc(&e->text, ')');
}

/* vstore_half_rte(value, index, pointer), from float, double, or what converts to float exactly
   enough */
static void irl__memory_store_half(irl__emit *e, const irl_buffer *b, const irl_expr *index,
                                   const irl_expr *value)
{
    irl__memory_place p;
    irl_type          as_float = irl_type_of(IRL_F32, (int)value->type.lanes);
    if (value->type.scalar != IRL_F64) value = irl_cast(e->cx, as_float, value);
    if (!value || !irl__memory_place_of(e, b, index, 1, 1, &p)) return;
    irl__text_puts(&e->text, "vstore_half");
    if (p.lanes > 1) irl__text_uint(&e->text, p.lanes);
    irl__text_puts(&e->text, "_rte(");
    irl__emit_expr(e, value, IRL__PREC_CHOICE);
    irl__text_puts(&e->text, ", ");
    irl__memory_run(e, &p);
}

static void irl__memory_store_place(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    if (!irl__memory_bytes_ok(e, p)) return;
    if (p->way != IRL__WAY_BYTES && irl__memory_is_element(p)) {
        irl__memory_element(e, p);
        irl__text_puts(&e->text, " = ");
        irl__memory_stored_value(e, p, value);
        return;
    }
    irl__textf(&e->text, "vstore%u(",
               (uint64_t)(p->way == IRL__WAY_BYTES ? (uint32_t)p->bytes * p->lanes : p->lanes));
    irl__memory_stored_value(e, p, value);
    irl__text_puts(&e->text, ", ");
    irl__memory_run(e, p);
}

/* One store for each lane of the index, of the value's part that belongs there. */
static void irl__memory_scatter(irl__emit *e, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *value = s->u.store.value, *part, *index;
    uint32_t          k, j, each = b->type.lanes, count = s->u.store.indices[0]->type.lanes;
    int               picks[IRL_MAX_LANES];
    irl__emit_temporary(e, value, "lanes");
    for (k = 0; k < count && irl__ok(e->cx); k++) {
        for (j = 0; j < each; j++) picks[j] = (int)(k * each + j);
        part = each == 1 ? irl_op2(e->cx, IRL_OP_LANE, value, irl_idx(e->cx, (int64_t)k))
                         : irl_shuffle(e->cx, 1, &value, (int)each, picks);
        index = irl__ocl_lane_of(e, s->u.store.indices[0], k);
        if (part && index) irl__ocl_store(e, irl__stmt_store(e->cx, b, part, 1, &index, s->loc));
    }
}

static int irl__memory_is_half_store(irl__emit *e, const irl_buffer *b, const irl_expr *value)
{
    const irl__ocl_memory *m =
        b->type.scalar == IRL_F16 ? irl__ocl_find_memory(irl__ocl_of(e), b->data) : NULL;
    return m && irl__memory_converts_half(m) && value->op == IRL_OP_CAST &&
           !(e->temporaries && irl__emit_find(e, value));
}

void irl__ocl_store(irl__emit *e, const irl_stmt *s)
{
    irl__emit_scope   scope = irl__emit_scope_begin(e);
    const irl_buffer *b = s ? s->u.store.buffer : NULL;
    const irl_expr   *value, *index;
    irl__ocl_memory  *m;
    irl__memory_place p;
    if (!b || !irl__memory_rank_ok(e, b)) return;
    value = s->u.store.value;
    index = b->rank ? s->u.store.indices[0] : NULL;
    if (!irl__ocl_lanes_ok(e, value->type.lanes)) return;
    if (index) irl__emit_prepare(e, index);
    irl__emit_prepare(e, irl__memory_is_half_store(e, b, value) ? value->a[0] : value);
    if (!irl__memory_place_of(e, b, index, 1, 0, &p)) {
        if (irl__ok(e->cx)) irl__memory_scatter(e, s);
    } else {
        m = irl__ocl_find_memory(irl__ocl_of(e), b->data);
        irl__emit_line(e);
        if (m->is_variable && m->is_stored_first) { /* "float sum = " */
            irl__ocl_pointee(e, m);
            irl__text_putc(&e->text, ' ');
            m->is_stored_first = 0;
        }
        if (irl__memory_is_half_store(e, b, value))
            irl__memory_store_half(e, b, index, value->a[0]);
        else irl__memory_store_place(e, &p, value);
        irl__text_puts(&e->text, ";\n");
    }
    irl__emit_forget(e, scope, NULL);
}
