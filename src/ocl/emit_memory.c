/* emit_memory.c - memory in OpenCL C: what a kernel's pointers point to, loads, stores.

   needs     flattened bodies: every access has one index
   promises  whole runs of elements are vector loads; anything else goes lane by lane. bool lies in memory as uchar, f16 as
             half or its bits, bf16 as its bits. An alias of another type never meets the compiler's type-based alias
             analysis: it goes through as_type, through bytes, or through a pointer of a type that may alias */
#include "ocl.h"

/* ------------------------------------------------------------------ survey */

static irl__ocl_memory *irl__memory_find(irl__ocl *o, const irl_expr *data) { return (irl__ocl_memory *)irl__ptr_map_get(&o->memory_of, data); }

/* bool, f16, bf16 and three lanes have no C type that lies in memory as the IR says. */
static int irl__memory_has_vector_type(irl_type t)
{
    return t.lanes != 3 && t.lanes <= 16 && (t.lanes & (t.lanes - 1)) == 0 && t.scalar != IRL_BOOL && !irl__type_is_storage(t);
}

static int irl__memory_add(irl__ocl *o, const irl_buffer *b)
{
    irl__ocl_memory *m = (irl__ocl_memory *)irl__scratch_alloc(o->cx, 1, sizeof *m);
    if (!m) return 0;
    m->data = b->data;
    m->buffer = b;
    m->type = irl__type_with_lanes(b->type, 1);
    m->sequence = o->sequence;
    m->is_variable = b->scope == IRL_SCOPE_LOCAL && b->rank == 0 && b->type.scalar != IRL_BOOL && !irl__type_is_storage(b->type);
    m->element = irl__type_with_lanes(b->type, m->is_variable || irl__memory_has_vector_type(b->type) ? b->type.lanes : 1);
    return irl__ptr_map_put(o->cx, &o->memory_of, b->data, m) && IRL__PUSH_SCRATCH(o->cx, o->memories, m);
}

/* Something points into the memory, so it is an array. */
static void irl__memory_points(irl__ocl_memory *m)
{
    m->is_variable = 0;
    if (!irl__memory_has_vector_type(m->buffer->type)) m->element.lanes = 1;
}

/* How an access uses the memory; `converted`: an f16 that a built-in function converts on the way. */
static int irl__memory_note(irl__ocl *o, const irl_buffer *b, uint32_t index_lanes, int is_store, int converted)
{
    irl__ocl_memory *m = irl__memory_find(o, b->data);
    irl_type         own;
    if (!m) return irl__fail(o->cx, IRL_ERROR_UNDECLARED, o->cx->here, "buffer '%s' is used where its memory is not declared", b->name);
    own = m->buffer->type;
    if (!m->is_accessed) m->is_stored_first = is_store && m->is_variable && m->sequence && m->sequence == o->sequence;
    m->is_accessed = 1;
    m->is_read |= !is_store;
    m->is_written |= is_store;
    if (m->is_variable && b != m->buffer) irl__memory_points(m);
    if (index_lanes != 1 || !irl_type_equal(b->type, m->element)) m->element.lanes = 1;
    if (irl__type_info(b->type)->bytes != irl__type_info(own)->bytes) m->has_other_size = 1;
    if (m->seen.lanes == 0) m->seen = b->type;
    m->has_scalars |= m->seen.scalar != b->type.scalar;
    m->has_runs |= index_lanes != 1 || m->seen.lanes != b->type.lanes;
    if (b->type.scalar == IRL_F16 && converted) m->has_values = 1;
    else if (own.scalar == IRL_F16 || b->type.scalar == IRL_F16) m->has_bits = 1;
    return 1;
}

static int irl__memory_survey_expr(irl__ocl *o, const irl_expr *x);

static int irl__memory_survey_list(irl__ocl *o, uint32_t count, const irl_expr *const *list)
{
    uint32_t k;
    for (k = 0; k < count; k++)
        if (!irl__memory_survey_expr(o, list[k])) return 0;
    return 1;
}

static int irl__memory_survey_load(irl__ocl *o, const irl_expr *x, int converted)
{
    uint32_t lanes = x->count ? x->a[x->count - 1]->type.lanes : 1;
    return irl__memory_note(o, x->u.buffer, lanes, 0, converted) && irl__memory_survey_list(o, x->count, x->a);
}

static int irl__memory_survey_expr(irl__ocl *o, const irl_expr *x)
{
    irl__ocl_memory *m;
    o->uses_double |= x->type.scalar == IRL_F64;
    o->has_lanes |= x->type.lanes != 1;
    if (irl__texel_call_of(x) != IRL__TEXEL_NO_CALL) return irl__ocl_image_survey(o, x) && irl__memory_survey_list(o, x->count - 1, x->a + 1);
    if (x->op == IRL_OP_LOAD) return irl__memory_survey_load(o, x, 0);
    if (x->op == IRL_OP_CAST && x->a[0]->op == IRL_OP_LOAD) return irl__memory_survey_load(o, x->a[0], x->a[0]->type.scalar == IRL_F16);
    if (x->op == IRL_OP_VAR && x->type.is_pointer) { /* a call's argument: the function may do anything with it */
        m = irl__memory_find(o, x);
        if (m) m->is_read = m->is_written = m->has_bits = 1;
        if (m) irl__memory_points(m);
        if (m) m->element.lanes = 1;
        if (m) m->has_scalars = 1;
        return 1;
    }
    return irl__memory_survey_list(o, x->count, x->a);
}

static int irl__memory_survey_store(irl__ocl *o, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *value = s->u.store.value;
    uint32_t          lanes = b->rank ? s->u.store.indices[b->rank - 1]->type.lanes : 1;
    return irl__memory_survey_list(o, (uint32_t)b->rank, s->u.store.indices) && irl__memory_survey_expr(o, value) &&
           irl__memory_note(o, b, lanes, 1, value->op == IRL_OP_CAST);
}

/* One axis has one extent: all items of the launch run every statement. */
static int irl__memory_survey_axis(irl__ocl *o, const irl_stmt *s)
{
    irl__ocl_axis *axis = &o->axes[s->u.loop.axis];
    int            k;
    if (axis->extent && axis->extent != s->u.loop.extent)
        return irl__fail(o->cx, IRL_ERROR_UNSUPPORTED, s->loc, "two loops are bound to %s with different extents; a kernel has one size for each axis",
                         irl__axis_text(s->u.loop.axis));
    axis->extent = s->u.loop.extent;
    for (k = 0; k < s->u.loop.annotation_count; k++) {
        const irl__annotation *note = &s->u.loop.annotations[k];
        if (strcmp(note->key, IRL__NOTE_GROUP) == 0 && note->value && note->value->op == IRL_OP_INT) axis->group = note->value->u.i;
    }
    return 1;
}

static int irl__memory_survey_stmt(irl__ocl *o, const irl_stmt *s);

/* A sequence, or the body of a loop or branch, which need not be one. */
static int irl__memory_survey_body(irl__ocl *o, const irl_stmt *s)
{
    const irl_stmt *outer = o->sequence;
    int             k, ok = 1;
    o->sequence = s->kind == IRL__SEQ ? s : NULL;
    if (!o->sequence) ok = irl__memory_survey_stmt(o, s);
    else for (k = 0; ok && k < s->u.seq.count; k++) ok = irl__memory_survey_stmt(o, s->u.seq.stmts[k]);
    o->sequence = outer;
    return ok;
}

static int irl__memory_survey_stmt(irl__ocl *o, const irl_stmt *s)
{
    if (s->loc.source) o->cx->here = s->loc;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: return irl__memory_survey_body(o, s);
    case IRL__FOR:
        if (s->u.loop.kind == IRL_BOUND && !irl__memory_survey_axis(o, s)) return 0;
        return irl__memory_survey_expr(o, s->u.loop.min) && irl__memory_survey_expr(o, s->u.loop.extent) &&
               irl__memory_survey_body(o, s->u.loop.body);
    case IRL__IF:
        return irl__memory_survey_expr(o, s->u.branch.condition) && irl__memory_survey_body(o, s->u.branch.then_) &&
               (!s->u.branch.else_ || irl__memory_survey_body(o, s->u.branch.else_));
    case IRL__LET: return irl__memory_survey_expr(o, s->u.let.value);
    case IRL__STORE: return irl__memory_survey_store(o, s);
    case IRL__ALLOC: return irl__memory_add(o, s->u.alloc.buffer);
    case IRL__EVALUATE: return irl__memory_survey_expr(o, s->u.evaluate.value);
    case IRL__ATTR: return irl__memory_survey_stmt(o, s->u.attr.body);
    default: return 1;
    }
}

/* Two arguments that the host gives the same memory may not be `restrict`. */
static void irl__memory_survey_launch(irl__ocl *o, const irl_stmt *s)
{
    int              j, k;
    irl__ocl_memory *m;
    if (strcmp(s->u.launch.kernel, o->function->name) != 0) return;
    for (k = 0; k < s->u.launch.count && k < o->function->param_count; k++)
        for (j = 0; j < s->u.launch.count; j++) {
            if (j == k || s->u.launch.args[j] != s->u.launch.args[k] || !s->u.launch.args[k]->type.is_pointer) continue;
            m = irl__memory_find(o, o->function->params[k].var);
            if (m) m->is_shared_by_arguments = 1;
        }
}

static int irl__memory_repeats(const irl_stmt *launch)
{
    int j, k;
    for (k = 0; k < launch->u.launch.count; k++)
        for (j = 0; j < k; j++)
            if (launch->u.launch.args[j] == launch->u.launch.args[k] && launch->u.launch.args[k]->type.is_pointer) return 1;
    return 0;
}

static int irl__memory_see_launch(irl__visitor *v, const irl_stmt *s)
{
    irl__ocl *o = (irl__ocl *)v->user;
    if (s->kind == IRL__LAUNCH && irl__memory_repeats(s) && !IRL__PUSH_SCRATCH(o->cx, o->repeating, s)) o->is_failed = 1;
    return 1;
}

static int irl__memory_skip_expr(irl__visitor *v, const irl_expr *x)
{
    (void)v, (void)x;
    return 0;
}

int irl__ocl_survey_host(irl__ocl *o)
{
    irl__visitor v;
    memset(&v, 0, sizeof v);
    v.user = o;
    v.stmt = irl__memory_see_launch;
    v.expr = irl__memory_skip_expr;
    if (o->module->host) irl__visit_stmt(&v, o->module->host->body);
    return !o->is_failed;
}

/* A parameter that a kernel sees by views of one type alone: its pointer is of that type. */
static void irl__memory_retype(irl__ocl_memory *m)
{
    irl_type own = m->buffer->type, seen = m->seen;
    if (seen.lanes == 0 || m->has_scalars || m->is_shared_by_arguments || irl_type_equal(seen, own)) return;
    if (own.scalar == IRL_BOOL || seen.scalar == IRL_BOOL || irl__type_is_storage(own) || irl__type_is_storage(seen)) return;
    m->type = m->element = irl__type_with_lanes(seen, 1);
    m->has_other_size = 0;
    if (!m->has_runs && irl__memory_has_vector_type(seen) && irl__type_alignment(seen) <= irl__buffer_alignment(m->buffer, 1)) m->element = seen;
}

int irl__ocl_survey(irl__ocl *o, const irl_func *kernel)
{
    int k, ok = 1;
    o->function = kernel;
    for (k = 0; ok && k < kernel->param_count; k++) {
        if (kernel->params[k].buffer) ok = irl__memory_add(o, kernel->params[k].buffer);
        o->uses_double |= kernel->params[k].var->type.scalar == IRL_F64;
    }
    ok = ok && irl__memory_survey_stmt(o, kernel->body);
    for (k = 0; k < (int)stbds_arrlen(o->repeating); k++) irl__memory_survey_launch(o, o->repeating[k]);
    for (k = 0; ok && k < kernel->param_count; k++)
        if (kernel->params[k].buffer) irl__memory_retype(irl__memory_find(o, kernel->params[k].var));
    return ok;
}

/* ------------------------------------------------------------------ what a pointer points to */

static const char *irl__memory_space(irl_scope scope)
{
    switch (scope) {
    case IRL_SCOPE_SHARED: return "__local ";
    case IRL_SCOPE_LOCAL: return "";
    case IRL_SCOPE_CONSTANT: return "__constant ";
    default: return "__global ";
    }
}

/* The C type of a scalar in memory. */
static const char *irl__memory_scalar(uint8_t scalar) { return scalar == IRL_BOOL ? "uchar" : irl__ocl_language()->types[scalar]; }

/* A pointer to half is legal everywhere, an array of it is not. */
static int irl__memory_is_half(const irl__ocl_memory *m)
{
    int is_array = m->buffer->scope == IRL_SCOPE_SHARED || m->buffer->scope == IRL_SCOPE_LOCAL;
    return m->type.scalar == IRL_F16 && m->has_values && !m->has_bits && !is_array;
}

/* Both ways of touching f16 in one memory that is written: only bits then, so that the compiler sees one type. */
static int irl__memory_converts_half(const irl__ocl_memory *m) { return m->has_values && !(m->has_bits && m->is_written); }

static const char *irl__memory_declared(const irl__ocl_memory *m)
{
    return irl__memory_is_half(m) ? "half" : irl__memory_scalar(m->type.scalar);
}

void irl__ocl_pointee(irl__emit *e, const irl__ocl_memory *m)
{
    irl_scope scope = m->buffer->scope;
    irl__textf(&e->text, "%s%s%s", irl__memory_space(scope), scope == IRL_SCOPE_GLOBAL && !m->is_written ? "const " : "", irl__memory_declared(m));
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
    if (m->has_other_size && m->is_written && bytes != 1 && own != 1 && strcmp(scalar, "half") != 0) return IRL__WAY_BYTES;
    return IRL__WAY_POINTER;
}

int irl__ocl_memory_ok(irl__emit *e, const irl_buffer *b)
{
    if (!irl__scope_is_image(b->scope) || irl__ocl_of(e)->target->images) return 1;
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, b->loc, "buffer '%s' is in scope %s, and target '%s' has no images", b->name,
                     irl__scope_text(b->scope), irl__ocl_of(e)->target->name);
}

/* Only memory of one dimension can be reached by a pointer. */
static int irl__memory_rank_ok(irl__emit *e, const irl_buffer *b)
{
    irl__text separators;
    char      text[128];
    int       k;
    if (!irl__ocl_memory_ok(e, b)) return 0;
    if (irl__scope_is_image(b->scope))
        return irl__fail(e->cx, IRL_ERROR_BAD_STAGE, e->cx->here, "buffer '%s' is an image, which is accessed by texels: run lower_textures", b->name);
    if (b->rank == 0 && !b->offset) return 1;
    if (b->rank <= 1 && irl__buffer_is_flat(b)) return 1;
    if (b->rank <= 1) return irl__fail(e->cx, IRL_ERROR_BAD_STAGE, e->cx->here, "buffer '%s' has strides or an offset: flatten it first", b->name);
    irl__text_init_fixed(&separators, text, sizeof text);
    for (k = 0; k < b->separator_count; k++) irl__textf(&separators, k ? ", %d" : "%d", b->separators[k]);
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED_RANK, e->cx->here,
                     "buffer '%s' has %d axes (separators: [%s]), but memory of scope %s has one in OpenCL C; %s", b->name, b->rank, text,
                     irl__scope_text(b->scope), b->separator_count ? "remove its separators, or give it a scope of that many dimensions" : "flatten it first");
}

int irl__ocl_is_run(const irl_expr *index)
{
    return !index || index->type.lanes == 1 || (index->op == IRL_OP_RAMP && irl__is_int(index->a[1], 1));
}

/* Where an access to b at `index` lies; false where the lanes do not lie one after the other. */
static int irl__memory_place_of(irl__emit *e, const irl_buffer *b, const irl_expr *index, int is_store, int as_half, irl__memory_place *p)
{
    irl__ocl_memory  *m = irl__memory_find(irl__ocl_of(e), b->data);
    irl__emit_symbol *symbol = irl__emit_find(e, b->data);
    memset(p, 0, sizeof *p);
    if (!m || !symbol) return irl__fail(e->cx, IRL_ERROR_UNDECLARED, e->cx->here, "buffer '%s' is used where its memory is not declared", b->name);
    p->memory = m;
    p->name = symbol->name;
    p->is_store = is_store;
    p->scalar = as_half ? "half" : irl__memory_scalar(b->type.scalar);
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
    if (b->type.lanes > 1) p->index = irl__simplify_alone(e->cx, irl__mul(e->cx, p->index, irl_idx(e->cx, (int64_t)b->type.lanes)));
    return p->index != NULL;
}

static void irl__memory_index(irl__emit *e, const irl__memory_place *p)
{
    if (p->index) irl__emit_expr(e, p->index, IRL__PREC_ANY);
    else irl__text_putc(&e->text, '0');
}

/* The pointer, cast to a type where the way asks for it. */
static void irl__memory_pointer(irl__emit *e, const irl__memory_place *p, const char *type)
{
    if (type) irl__textf(&e->text, "(%s%s%s *)", irl__memory_space(p->memory->buffer->scope), p->is_store ? "" : "const ", type);
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

/* "index, pointer)" or "0, pointer + index)": the end of a vload or vstore of `lanes` scalars of p's type. */
static void irl__memory_run(irl__emit *e, const irl__memory_place *p)
{
    const char *type = p->way == IRL__WAY_BYTES ? "uchar" : p->way == IRL__WAY_POINTER ? p->scalar : NULL;
    if (p->by_run) {
        irl__memory_index(e, p);
        irl__text_puts(&e->text, ", ");
        irl__memory_pointer(e, p, type);
    } else {
        irl__text_puts(&e->text, "0, ");
        irl__memory_pointer(e, p, type);
        irl__text_puts(&e->text, " + ");
        if (p->way == IRL__WAY_BYTES) irl__textf(&e->text, "%d * ", p->bytes);
        irl__emit_expr(e, p->index, p->way == IRL__WAY_BYTES ? IRL__PREC_UNARY : IRL__PREC_PRODUCT);
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
    return p->by_run && p->lanes == p->memory->element.lanes && (p->lanes == 1 || p->way == IRL__WAY_DIRECT);
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
        irl__textf(&e->text, "vload%u(", (uint64_t)(p->way == IRL__WAY_BYTES ? (uint32_t)p->bytes * p->lanes : p->lanes));
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
        const irl_expr *index = irl__ocl_lane_of(e, x->a[0], k), *load = irl__expr_load(e->cx, x->u.buffer, 1, &index, irl__nowhere());
        if (!load) return;
        if (k) irl__text_puts(&e->text, ", ");
        if (x->type.scalar == IRL_BOOL) irl__text_puts(&e->text, "-");
        irl__emit_expr(e, load, x->type.scalar == IRL_BOOL ? IRL__PREC_POSTFIX : IRL__PREC_ANY);
    }
    irl__text_putc(&e->text, ')');
}

int irl__ocl_is_half_load(irl__emit *e, const irl_expr *x)
{
    const irl__ocl_memory *m = x->op == IRL_OP_LOAD && x->type.scalar == IRL_F16 ? irl__memory_find(irl__ocl_of(e), x->u.buffer->data) : NULL;
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
    if (x->type.scalar == IRL_BOOL && p.lanes > 1) irl__textf(&e->text, " != (uchar%u)(0)", (uint64_t)p.lanes);
    irl__emit_close(e, opened);
}

/* ------------------------------------------------------------------ stores */

/* The value as it lies in memory. */
static void irl__memory_stored_value(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    int as = p->way == IRL__WAY_AS || p->way == IRL__WAY_BYTES;
    if (as) {
        irl__text_puts(&e->text, "as_");
        if (p->way == IRL__WAY_BYTES) irl__memory_type(&e->text, "uchar", (uint32_t)p->bytes * p->lanes);
        else irl__memory_type(&e->text, irl__memory_declared(p->memory), p->lanes);
        irl__text_putc(&e->text, '(');
    }
    if (value->type.scalar == IRL_BOOL && value->type.lanes > 1) {
        irl__textf(&e->text, "as_uchar%u(", (uint64_t)value->type.lanes);
        irl__ocl_mask(e, value, 8, IRL__PREC_UNARY);
        irl__text_puts(&e->text, " & (char)1)");
    } else if (value->type.scalar == IRL_BOOL && as) {
        irl__text_puts(&e->text, "(uchar)");
        irl__emit_expr(e, value, IRL__PREC_UNARY);
    } else if (as && value->op == IRL_OP_INT) { /* as_type wants the exact type */
        irl__text_putc(&e->text, '(');
        irl__ocl_type(e, value->type);
        irl__text_putc(&e->text, ')');
        irl__emit_expr(e, value, IRL__PREC_UNARY);
    } else irl__emit_expr(e, value, IRL__PREC_CHOICE);
    if (as) irl__text_putc(&e->text, ')');
}

/* vstore_half_rte(value, index, pointer), from float, double, or what converts to float exactly enough */
static void irl__memory_store_half(irl__emit *e, const irl_buffer *b, const irl_expr *index, const irl_expr *value)
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
    irl__textf(&e->text, "vstore%u(", (uint64_t)(p->way == IRL__WAY_BYTES ? (uint32_t)p->bytes * p->lanes : p->lanes));
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
        part = each == 1 ? irl_op2(e->cx, IRL_OP_LANE, value, irl_idx(e->cx, (int64_t)k)) : irl_shuffle(e->cx, 1, &value, (int)each, picks);
        index = irl__ocl_lane_of(e, s->u.store.indices[0], k);
        if (part && index) irl__ocl_store(e, irl__stmt_store(e->cx, b, part, 1, &index, s->loc));
    }
}

static int irl__memory_is_half_store(irl__emit *e, const irl_buffer *b, const irl_expr *value)
{
    const irl__ocl_memory *m = b->type.scalar == IRL_F16 ? irl__memory_find(irl__ocl_of(e), b->data) : NULL;
    return m && irl__memory_converts_half(m) && value->op == IRL_OP_CAST && !(e->temporaries && irl__emit_find(e, value));
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
        m = irl__memory_find(irl__ocl_of(e), b->data);
        irl__emit_line(e);
        if (m->is_variable && m->is_stored_first) { /* "float sum = " */
            irl__ocl_pointee(e, m);
            irl__text_putc(&e->text, ' ');
            m->is_stored_first = 0;
        }
        if (irl__memory_is_half_store(e, b, value)) irl__memory_store_half(e, b, index, value->a[0]);
        else irl__memory_store_place(e, &p, value);
        irl__text_puts(&e->text, ";\n");
    }
    irl__emit_forget(e, scope, NULL);
}
