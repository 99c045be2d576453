/* emit_memory.c - memory: what a kernel's pointers point to, loads, stores, arrays.

   needs     emit_survey.c; flattened bodies: every access has one index
   promises  one element of the pointer's own type is name[index]; runs of elements, and elements of
             other sizes, are the language's. bool is a byte in memory, f16 and bf16 as their bits,
             or f16 as a half if the language converts it. An access as another type never breaks
             the compiler's type-based alias analysis: it goes through the bits of a value, through
             bytes, or through a pointer of a type that may alias */
#include "emit.h"

/* ------------------------------------------------------------------ what a pointer points to */

/* The C type of a scalar in memory. */
static const char *irl__memory_scalar(const irl__emit *e, irl_type t)
{
    return e->language->types[irl__emit_held(t).scalar];
}

/* Both ways of touching f16 in one memory that is written: only bits then, so that the compiler
   sees one type. */
int irl__emit_converts_half(const irl__emit_memory *m)
{
    return m->has_values && !(m->has_bits && m->is_written);
}

const char *irl__emit_declared(const irl__emit *e, const irl__emit_memory *m)
{
    /* A pointer to half is legal everywhere, an array of it is not. */
    return m->type.scalar == IRL_F16 && m->has_values && !m->has_bits &&
                   !(m->buffer->scope == IRL_SCOPE_SHARED || m->buffer->scope == IRL_SCOPE_LOCAL)
               ? e->language->half
               : irl__memory_scalar(e, m->type);
}

void irl__emit_elements(irl__emit *e, const irl__emit_memory *m)
{
    irl_type held = irl__emit_held(m->type);
    if (m->element.lanes == 1) irl__text_puts(&e->text, irl__emit_declared(e, m));
    else irl__emit_type(e, irl__type_with_lanes(held, m->element.lanes));
}

static void irl__memory_pointee(irl__emit *e, const irl__emit_memory *m, const char *const *spaces)
{
    irl_scope scope = m->buffer->scope;
    irl__textf(&e->text, "%s%s%s", spaces[scope],
               scope == IRL_SCOPE_GLOBAL && !m->is_written ? "const " : "",
               irl__emit_precise(e, m->type));
    irl__emit_elements(e, m);
}

void irl__emit_pointee(irl__emit *e, const irl__emit_memory *m)
{
    irl__memory_pointee(e, m, e->language->spaces);
}

/* ------------------------------------------------------------------ places */

/* A byte may be seen in any memory; else the language says whether a cast pointer may. */
static irl__memory_way irl__memory_way_of(const irl__emit *e, const irl__emit_memory *m,
                                          const irl__memory_place *p, int as_half)
{
    int own = irl__type_info(m->type)->bytes;
    if (strcmp(p->scalar, irl__emit_declared(e, m)) == 0) return IRL__WAY_DIRECT;
    if (p->bytes == own && !as_half) return IRL__WAY_AS;
    if (e->language->pointer_casts < 0) return IRL__WAY_BYTES; /* the language refuses it */
    if (!e->language->pointer_casts && p->bytes != 1) return IRL__WAY_BYTES;
    if (m->has_other_size && m->is_written && p->bytes != 1 && own != 1 && !as_half)
        return IRL__WAY_BYTES;
    return IRL__WAY_POINTER;
}

int irl__emit_param_ok(irl__emit *e, const irl__param *p)
{
    const irl_scope scope = p->buffer->scope;
    if (!irl__target_has_image(e->cx, e->unit->target, p->buffer)) return 0;
    return (scope != IRL_SCOPE_LOCAL && scope != IRL_SCOPE_SHARED) ||
           irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, p->loc,
                     "parameter '%s' is in scope %s; it must be global or constant memory",
                     p->name, irl__scope_text(scope));
}

/* Only memory of one dimension can be reached by a pointer. */
static int irl__memory_rank_ok(irl__emit *e, const irl_buffer *b)
{
    irl__text separators, of;
    char      text[128], view[80];
    if (!irl__target_has_image(e->cx, e->unit->target, b)) return 0;
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
    for (int k = 0; k < b->separator_count; k++)
        irl__textf(&separators, k ? ", %d" : "%d", b->separators[k]);
    irl__text_init_fixed(&of, view, sizeof view);
    /* a view that a pass made: the user's name too */
    if (strcmp(b->name, b->data->u.name) != 0)
        irl__textf(&of, ", a view of '%s',", b->data->u.name);
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED_RANK, e->cx->here,
                     "buffer '%s'%s has %d axes (separators: [%s]), but memory of scope %s has one "
                     "in %s; %s",
                     b->name, view, b->rank, text, irl__scope_text(b->scope), e->language->name,
                     b->separator_count
                         ? "remove its separators, or give it a scope of that many dimensions"
                         : "flatten it first");
}

int irl__emit_place_of(irl__emit *e, const irl_buffer *b, const irl_expr *index, int is_store,
                       int as_half, irl__memory_place *p)
{
    irl__emit_memory *m = irl__emit_memory_of(e->unit, b->data);
    irl__emit_symbol *symbol = irl__emit_find(e, b->data);
    memset(p, 0, sizeof *p);
    if (!m || !symbol)
        return irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here,
                         "buffer '%s' is used where its memory is not declared", b->name);
    p->memory = m;
    p->name = index ? irl__emit_cursor_of(e, b, &index) : NULL;
    if (!p->name) p->name = symbol->name;
    p->is_store = is_store;
    p->type = irl__emit_held(irl__type_with_lanes(b->type, 1));
    p->scalar = as_half ? e->language->half : irl__memory_scalar(e, b->type);
    p->bytes = irl__type_info(b->type)->bytes;
    p->way = irl__memory_way_of(e, m, p, as_half);
    p->index = index;
    p->lanes = b->type.lanes * (index ? index->type.lanes : 1);
    p->by_run = 1;
    if (p->way == IRL__WAY_BYTES && p->lanes > 1 &&
        !irl__target_has_width(e->unit->target, p->lanes * (uint32_t)p->bytes))
        return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                         "'%s' is accessed by bytes, and %u of them are not a vector; run legalize",
                         b->name, (uint64_t)p->lanes * (uint64_t)p->bytes);
    if (!index || index->type.lanes == 1) return 1;
    p->by_run = 0;
    p->index = index->a[0];
    if (b->type.lanes > 1)
        p->index = irl__simplify_alone(
            e->cx, irl__op_number(e->cx, IRL_OP_MUL, p->index, (int64_t)b->type.lanes));
    return p->index != NULL;
}

/* Whether x is a sum with a number, nothing of which is below 0. */
static int irl__memory_adds_number(irl__emit *e, const irl_expr *x)
{
    return x->op == IRL_OP_ADD && x->a[1]->op == IRL_OP_INT && !irl__emit_find(e, x) &&
           irl__emit_width(e, x, NULL) == IRL__WIDTH_UINT;
}

void irl__emit_place_index(irl__emit *e, const irl__memory_place *p)
{
    if (!p->index) irl__text_putc(&e->text, '0');
    else if (e->language->place && irl__memory_adds_number(e, p->index)) {
        irl__textf(&e->text, "(%s)", e->language->place);
        irl__emit_place(e, p->index->a[0], IRL__PREC_UNARY);
        irl__textf(&e->text, " + %l", p->index->a[1]->u.i);
    } else irl__emit_place(e, p->index, IRL__PREC_ANY);
}

void irl__emit_place_pointer(irl__emit *e, const irl__memory_place *p, const char *type)
{
    if (type)
        irl__textf(&e->text, "(%s%s%s *)", e->language->spaces[p->memory->buffer->scope],
                   p->is_store ? "" : "const ", type);
    irl__text_puts(&e->text, p->name);
}

int irl__emit_is_element(const irl__memory_place *p)
{
    return p->way != IRL__WAY_BYTES && p->by_run && p->lanes == p->memory->element.lanes &&
           (p->lanes == 1 || p->way == IRL__WAY_DIRECT);
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
    irl__emit_place_pointer(e, p, cast ? p->scalar : NULL);
    if (cast) irl__text_putc(&e->text, ')');
    irl__text_putc(&e->text, '[');
    irl__emit_place_index(e, p);
    irl__text_putc(&e->text, ']');
}

/* The scalar that the pointer points to, with the lanes of a place. */
static irl_type irl__memory_own(const irl__memory_place *p)
{
    return irl__type_with_lanes(irl__emit_held(p->memory->type), p->lanes);
}

/* ------------------------------------------------------------------ loads */

int irl__emit_load_float(irl__emit *e, const irl_expr *x, int print)
{
    if (x->op != IRL_OP_LOAD) return irl__emit_float_texel(e, x, print);
    const irl__emit_memory *m =
        x->type.scalar == IRL_F16 ? irl__emit_memory_of(e->unit, x->u.buffer->data) : NULL;
    if (!(m && irl__emit_converts_half(m) && !(e->temporaries && irl__emit_find(e, x)))) return 0;
    if (print && irl__memory_rank_ok(e, x->u.buffer)) e->language->load_half(e, x);
    return 1;
}

/* A load from a place, of bools as the bytes that they lie in. */
static void irl__memory_load(irl__emit *e, const irl__memory_place *p)
{
    if (!irl__emit_is_element(p)) e->language->load_run(e, p);
    else if (p->way == IRL__WAY_AS) {
        irl__emit_as(e, irl__type_with_lanes(p->type, p->lanes), irl__memory_own(p));
        irl__memory_element(e, p);
        irl__text_putc(&e->text, ')');
    } else irl__memory_element(e, p);
}

static int irl__memory_loaded(irl__emit *e, const irl_expr *x, irl__memory_place *p)
{
    return irl__memory_rank_ok(e, x->u.buffer) &&
           irl__emit_place_of(e, x->u.buffer, x->count ? x->a[0] : NULL, 0, 0, p);
}

void irl__emit_load_held(irl__emit *e, const irl_expr *x)
{
    irl__memory_place p;
    if (irl__memory_loaded(e, x, &p)) irl__memory_load(e, &p);
}

void irl__emit_load(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__memory_place p;
    int               opened = 0, is_bool = x->type.scalar == IRL_BOOL;
    if (!irl__memory_loaded(e, x, &p)) return;
    if (is_bool) opened = irl__emit_open(e, IRL__PREC_EQUAL, precedence);
    irl__memory_load(e, &p);
    if (is_bool && p.lanes == 1) irl__text_puts(&e->text, " != 0");
    if (is_bool && p.lanes > 1)
        irl__textf(&e->text, " != (%s%u)(0)", p.scalar, (uint64_t)p.lanes);
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ stores */

/* A bool, as it lies in memory. */
static void irl__memory_byte(irl__emit *e, const irl__memory_place *p, const irl_expr *value,
                             int precedence)
{
    int opened = irl__emit_cast(e, p->scalar, &precedence);
    irl__emit_expr(e, value, precedence);
    irl__emit_close(e, opened);
}

static void irl__memory_store_place(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    if (!irl__emit_is_element(p)) {
        e->language->store_run(e, p, value);
        return;
    }
    irl__memory_element(e, p);
    irl__text_puts(&e->text, " = ");
    int is_bool = value->type.scalar == IRL_BOOL;
    if (p->way == IRL__WAY_AS) {
        irl__emit_as(e, irl__memory_own(p), irl__type_with_lanes(p->type, p->lanes));
        if (is_bool) irl__memory_byte(e, p, value, IRL__PREC_ANY);
        else irl__emit_argument(e, value); /* a conversion of bits wants the exact type */
        irl__text_putc(&e->text, ')');
    } else if (is_bool && (e->language->promotes || e->language->exact_types))
        irl__memory_byte(e, p, value, IRL__PREC_CHOICE);
    else irl__emit_assigned(e, value);
}

/* A float that the language's own store rounds to f16. */
static int irl__memory_is_half_store(irl__emit *e, const irl_buffer *b, const irl_expr *value)
{
    const irl__emit_memory *m =
        b->type.scalar == IRL_F16 ? irl__emit_memory_of(e->unit, b->data) : NULL;
    return m && irl__emit_converts_half(m) && value->op == IRL_OP_CAST &&
           !(e->temporaries && irl__emit_find(e, value));
}

/* A variable that takes its own value, of which compilers warn. */
static int irl__memory_is_itself(const irl__emit *e, const irl_buffer *b, const irl_expr *value)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, b->data);
    return m && m->is_variable && !m->is_stored_first && value->op == IRL_OP_LOAD &&
           value->u.buffer == b;
}

void irl__emit_store(irl__emit *e, const irl_stmt *s)
{
    irl__emit_scope   scope = irl__emit_scope_begin(e);
    const irl_buffer *b = s ? s->u.store.buffer : NULL;
    irl__emit_memory *m;
    irl__memory_place p;
    if (!b || !irl__memory_rank_ok(e, b)) return;
    const irl_expr *value = s->u.store.value;
    if (irl__memory_is_itself(e, b, value)) return;
    const irl_expr *index = b->rank ? s->u.store.indices[0] : NULL;
    if (index) irl__emit_prepare(e, index);
    irl__emit_prepare(e, irl__memory_is_half_store(e, b, value) ? value->a[0] : value);
    if (irl__emit_place_of(e, b, index, 1, 0, &p)) {
        m = irl__emit_memory_of(e->unit, b->data);
        irl__emit_line(e);
        if (m->is_variable && m->is_stored_first) { /* "float sum = " */
            irl__emit_pointee(e, m);
            irl__text_putc(&e->text, ' ');
            m->is_stored_first = 0;
        }
        if (irl__memory_is_half_store(e, b, value))
            e->language->store_half(e, b, index, value->a[0]);
        else irl__memory_store_place(e, &p, value);
        irl__text_puts(&e->text, ";\n");
    }
    irl__emit_forget(e, scope, NULL);
}

/* ------------------------------------------------------------------ arrays */

static int irl__memory_times(irl__emit *e, const irl_buffer *b, int64_t by, int64_t *size)
{
    return irl__mul64(*size, by, size) || irl__fail(e->cx, IRL_ERROR_OVERFLOW, b->loc,
                                                    "the size of '%s' does not fit 63 bits",
                                                    b->name);
}

/* The number of elements of a buffer inside a kernel, which C wants to know. */
static int irl__memory_constant_size(irl__emit *e, const irl_buffer *b, int64_t *size)
{
    *size = 1;
    for (int k = 0; k < b->rank; k++) {
        if (b->shape[k]->op != IRL_OP_INT)
            return irl__fail(e->cx, IRL_ERROR_PRIVATE_EXTENT, b->loc,
                             "'%s' is allocated inside a kernel, so its extents must be numbers; "
                             "axis %d is %s",
                             b->name, k, irl_expr_text(e->cx, b->shape[k]));
        if (!irl__memory_times(e, b, b->shape[k]->u.i, size)) return 0;
    }
    if (*size == 0) *size = 1; /* C has no arrays of nothing */
    return 1;
}

/* "__local float tile[64];", or "float sum;" of what is a variable */
void irl__emit_array(irl__emit *e, const irl_buffer *b)
{
    irl__emit_memory *m = irl__emit_memory_of(e->unit, b->data);
    const char       *name = irl__emit_take_name(e, b->name);
    int64_t           size;
    if (!m || !name || !irl__memory_constant_size(e, b, &size)) return;
    if (m->is_variable && m->is_stored_first) { /* declared with its first value */
        irl__emit_bind(e, b->data, name);
        return;
    }
    if (!irl__memory_times(e, b, (int64_t)(b->type.lanes / m->element.lanes), &size)) return;
    const irl__emit_language *l = e->language;
    irl__emit_line(e);
    irl__memory_pointee(e, m, l->arrays ? l->arrays : l->spaces);
    irl__textf(&e->text, m->is_variable ? " %s" : " %s[%l]", name, size);
    /* work-items in lockstep load several elements of shared memory at once, if it is aligned */
    const irl_target *target = e->unit->target;
    uint32_t          alignment = b->alignment;
    if (b->scope == IRL_SCOPE_SHARED && target->subgroup > 0 &&
        alignment < (uint32_t)target->vector_bytes)
        alignment = (uint32_t)target->vector_bytes;
    if (l->aligned && alignment > irl__type_bytes(m->element))
        irl__textf(&e->text, l->aligned, (uint64_t)alignment);
    irl__text_puts(&e->text, ";\n");
    irl__emit_bind(e, b->data, name);
    irl__emit_unit *o = e->unit;
    if (m->buffer->scope == IRL_SCOPE_SHARED &&
        (!irl__mul64(size, (int64_t)irl__type_bytes(m->element), &size) ||
         !irl__add64(o->local_bytes, size, &o->local_bytes)))
        irl__fail(e->cx, IRL_ERROR_OVERFLOW, m->buffer->loc,
                  "the shared memory of the kernel up to '%s' does not fit 63 bits",
                  m->buffer->name);
}

void irl__emit_alloc(irl__emit *e, const irl_stmt *s)
{
    const irl_buffer *b = s->u.alloc.buffer;
    if (b->scope == IRL_SCOPE_SHARED) return; /* of the whole kernel: irl__emit_shared_arrays */
    if (b->scope == IRL_SCOPE_LOCAL) irl__emit_array(e, b);
    else
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, s->loc,
                  "'%s' is allocated in scope %s inside a kernel; %s has shared and local there",
                  b->name, irl__scope_text(b->scope), e->language->name);
}

int irl__emit_has_global(const irl__emit_unit *o)
{
    for (int k = (int)IRL_GLOBAL_X; k < (int)IRL__AXIS_COUNT; k++)
        if (o->axes[k].extent) return 1;
    return 0;
}

int irl__emit_shared_arrays(irl__emit *e)
{
    irl__emit_unit *o = e->unit;
    const irl_func *f = o->function;
    for (int k = 0; k < (int)stbds_arrlen(o->memories); k++)
        if (o->memories[k]->buffer->scope == IRL_SCOPE_SHARED &&
            irl__func_param_of(f, o->memories[k]->data) < 0)
            irl__emit_array(e, o->memories[k]->buffer);
    if (o->local_bytes && irl__emit_has_global(o))
        return irl__fail(e->cx, IRL_ERROR_SHARED_MEMORY, f->loc,
                         "kernel '%s' has shared memory, and a loop that is bound to global: it is "
                         "not known which work-items form a group", f->name);
    if (o->local_bytes > o->target->local_bytes)
        return irl__fail(e->cx, IRL_ERROR_TARGET_LIMIT, f->loc,
                         "kernel '%s' needs %l bytes of shared memory; target '%s' has %d", f->name,
                         o->local_bytes, o->target->name, o->target->local_bytes);
    return irl__ok(e->cx);
}
