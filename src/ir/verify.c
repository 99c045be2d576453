/* verify.c - the structural verifier: what must hold between all passes, at every stage.

   needs     type.c (the operators' rules), table.c
   promises  a function that passes has: every variable and buffer declared once, before its use and in scope; types that
             follow the operators' rules; one index for each axis, only the last a vector; valid separators, and one number
             of them for all views of one memory; views no larger than their memory where both sizes are constant, and
             of elements for which it is aligned; launches
             only in a host function, of kernels that are there, with arguments that fit. Else a diagnostic at the statement.
   cost      linear in the statements and the nodes of their expressions
   Bounds, races, termination and what a target can do are the semantic verifier's. */
#include "ir.h"

/* What is known of a variable or a buffer; 0 is nothing. */
typedef enum irl__verify_state {
    IRL__STATE_OPEN = 1,
    IRL__STATE_CLOSED = 2,
    IRL__STATE_AGAIN = 3 /* closed, and may be declared again: shared expressions, maps */
} irl__verify_state;

enum { IRL__VERIFY_PAGE = 256, IRL__VERIFY_GOOD = 8 }; /* powers of two */

typedef struct irl__verifier {
    irl_ctx          *cx;
    const irl_func   *f;
    const irl_module *m;       /* NULL: f alone */
    uint32_t        **pages;   /* by id of a variable or buffer: 4 * epoch + irl__verify_state; a page is NULL while nothing is known */
    uint32_t          epoch;   /* counts the functions of a module: what was known in another is nothing */
    irl__ptr_map      memory;  /* data variable -> the buffer that owns it, or saw it first */
    irl__ptr_map      pointers; /* data variables that come from calls and arguments, not from a buffer */
    irl__ptr_map      names;   /* interned names of buffers that a layout may stand for */
    irl__ptr_map      kernels; /* of m: interned name -> irl_func */
    uint32_t        **scope;   /* the places of what is in scope, in the order of declaration */
    size_t            scope_count, scope_capacity;
    unsigned          axes;    /* thread axes bound around the statement: bit k is irl_axis k */
    irl_loc           loc;     /* of the statement */
    const irl_expr   *good[IRL__VERIFY_GOOD]; /* expressions that were found right since a scope ended; NULL: none */
} irl__verifier;

static int irl__verify_stmt(irl__verifier *v, const irl_stmt *s);
static int irl__verify_expr(irl__verifier *v, const irl_expr *e);

/* ------------------------------------------------------------------ declarations */

/* Ids are dense, and what is declared together has ids close together: so a table by id stays in the cache. */
static irl__verify_state irl__verify_state_of(const irl__verifier *v, uint32_t id)
{
    const uint32_t *page = v->pages[id / IRL__VERIFY_PAGE];
    uint32_t        known = page ? page[id % IRL__VERIFY_PAGE] : 0;
    return (irl__verify_state)(known / 4 == v->epoch ? known % 4 : 0);
}

static int irl__verify_is_open(const irl__verifier *v, uint32_t id) { return irl__verify_state_of(v, id) == IRL__STATE_OPEN; }

static int irl__verify_open(irl__verifier *v, uint32_t id)
{
    uint32_t **page = &v->pages[id / IRL__VERIFY_PAGE];
    if (!*page) *page = (uint32_t *)irl__scratch_alloc(v->cx, IRL__VERIFY_PAGE, sizeof **page);
    if (!*page) return 0;
    if (v->scope_count == v->scope_capacity) {
        size_t     capacity = v->scope_capacity ? v->scope_capacity * 2 : 64;
        uint32_t **grown = (uint32_t **)irl__scratch_alloc(v->cx, capacity, sizeof *grown);
        if (!grown) return 0;
        if (v->scope_count) memcpy(grown, v->scope, v->scope_count * sizeof *grown);
        v->scope = grown;
        v->scope_capacity = capacity;
    }
    v->scope[v->scope_count] = &(*page)[id % IRL__VERIFY_PAGE];
    *v->scope[v->scope_count++] = v->epoch * 4 + IRL__STATE_OPEN;
    return 1;
}

/* Always true, to stand at the end of a chain. */
static int irl__verify_close(irl__verifier *v, size_t mark, irl__verify_state state)
{
    if (v->scope_count > mark) memset(v->good, 0, sizeof v->good);
    while (v->scope_count > mark) *v->scope[--v->scope_count] = v->epoch * 4 + (uint32_t)state;
    return 1;
}

static int irl__verify_new(irl__verifier *v, uint32_t id, const char *what, const char *name)
{
    irl__verify_state state = irl__verify_state_of(v, id);
    if (state != IRL__STATE_OPEN && state != IRL__STATE_CLOSED) return irl__verify_open(v, id);
    return irl__fail(v->cx, IRL_ERROR_REDECLARED, v->loc, "%s '%s' is declared twice", what, name);
}

static int irl__verify_new_var(irl__verifier *v, const irl_expr *var)
{
    if (!var || var->op != IRL_OP_VAR) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "what is declared must be a variable");
    return irl__verify_new(v, var->id, "variable", var->u.name);
}

static int irl__verify_undeclared(irl__verifier *v, uint32_t id, const char *what, const char *name)
{
    return irl__fail(v->cx, IRL_ERROR_UNDECLARED, v->loc, "%s '%s' is %s", what, name,
                     irl__verify_state_of(v, id) ? "used behind the end of its scope" : "used but not declared");
}

/* ------------------------------------------------------------------ expressions */

static int irl__verify_type_error(irl__verifier *v, const irl_expr *e, const char *what)
{
    const irl__op_row *row = irl__op_info((irl_op)e->op);
    return irl__fail(v->cx, IRL_ERROR_TYPE_MISMATCH, v->loc, "%s: %s; its type is %s", row->name, what, irl__type_cstr(v->cx, e->type));
}

/* One index for each axis, of type index, only the last a vector; *lanes are those of the last. */
static int irl__verify_indices(irl__verifier *v, const irl_buffer *b, uint32_t count, const irl_expr *const *indices, uint32_t *lanes)
{
    uint32_t k;
    *lanes = 1;
    if (!irl__verify_is_open(v, b->id)) return irl__verify_undeclared(v, b->id, "buffer", b->name);
    if (count != (uint32_t)b->rank)
        return irl__fail(v->cx, IRL_ERROR_RANK_MISMATCH, v->loc, "buffer '%s' has %d axes; found %u indices", b->name, b->rank, (uint64_t)count);
    for (k = 0; k < count; k++) {
        if (!indices[k] || !irl__type_is_index(indices[k]->type) || (indices[k]->type.lanes != 1 && k + 1 != count))
            return irl__fail(v->cx, IRL_ERROR_TYPE_MISMATCH, v->loc, "index %u of '%s' must be of type index, and only the last may be a vector",
                             (uint64_t)k, b->name);
        if (!irl__verify_expr(v, indices[k])) return 0;
        *lanes = indices[k]->type.lanes;
    }
    return 1;
}

static int irl__verify_load(irl__verifier *v, const irl_expr *e)
{
    uint32_t lanes;
    if (!irl__verify_indices(v, e->u.buffer, e->count, e->a, &lanes)) return 0;
    if (irl_type_equal(e->type, irl__type_with_lanes(e->u.buffer->type, e->u.buffer->type.lanes * lanes))) return 1;
    return irl__verify_type_error(v, e, "a load has the element's type, with the lanes of element times index");
}

static int irl__verify_let(irl__verifier *v, const irl_expr *e)
{
    size_t mark = v->scope_count;
    if (!irl__verify_expr(v, e->a[1]) || !irl__verify_new_var(v, e->a[0])) return 0;
    if (!irl_type_equal(e->a[0]->type, e->a[1]->type) || !irl_type_equal(e->type, e->a[2]->type))
        return irl__verify_type_error(v, e, "the variable has the value's type, and let has its body's");
    return irl__verify_expr(v, e->a[2]) && irl__verify_close(v, mark, IRL__STATE_AGAIN);
}

static int irl__verify_operands(irl__verifier *v, const irl_expr *e)
{
    uint32_t k;
    for (k = 0; k < e->count; k++)
        if (!irl__verify_expr(v, e->a[k])) return 0;
    return 1;
}

static int irl__verify_shuffle(irl__verifier *v, const irl_expr *e)
{
    uint32_t k, total = 0;
    for (k = 0; k < e->count; k++) {
        if (e->a[k]->type.scalar != e->type.scalar || e->a[k]->type.is_pointer) return irl__verify_type_error(v, e, "the vectors have one element type");
        total += e->a[k]->type.lanes;
    }
    for (k = 0; k < e->type.lanes; k++)
        if (e->u.picks[k] < 0 || (uint32_t)e->u.picks[k] >= total) return irl__verify_type_error(v, e, "a lane is picked that is not there");
    return 1;
}

/* Operators with a rule of their own; the operands are verified. */
static int irl__verify_special(irl__verifier *v, const irl_expr *e)
{
    irl_type t = e->type, a;
    memset(&a, 0, sizeof a);
    if (e->count) a = e->a[0]->type;
    switch (e->op) {
    case IRL_OP_INT:
        if (t.lanes == 1 && !t.is_pointer && (irl__type_is_integer(t) || t.scalar == IRL_BOOL) && irl__wrap_int(t, e->u.i) == e->u.i) return 1;
        return irl__verify_type_error(v, e, "an integer constant is a scalar that fits its type");
    case IRL_OP_FLOAT:
        if (t.lanes == 1 && (irl__type_is_float(t) || irl__type_is_storage(t))) return 1;
        return irl__verify_type_error(v, e, "a floating point constant is a scalar");
    case IRL_OP_CAST: return (t.lanes == a.lanes && !t.is_pointer && !a.is_pointer) || irl__verify_type_error(v, e, "a cast keeps the lanes");
    case IRL_OP_REINTERPRET:
        return (!t.is_pointer && !a.is_pointer && irl__type_bytes(t) == irl__type_bytes(a)) || irl__verify_type_error(v, e, "as() keeps the bits");
    case IRL_OP_RAMP:
        if (a.lanes == 1 && irl_type_equal(a, e->a[1]->type) && irl__type_is_integer(a) && irl_type_equal(t, irl__type_with_lanes(a, t.lanes))) return 1;
        return irl__verify_type_error(v, e, "base and stride are scalars of the element's type");
    case IRL_OP_BROADCAST:
        if (!a.is_pointer && t.lanes % a.lanes == 0 && irl_type_equal(t, irl__type_with_lanes(a, t.lanes))) return 1;
        return irl__verify_type_error(v, e, "a broadcast repeats its operand");
    case IRL_OP_SHUFFLE: return irl__verify_shuffle(v, e);
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
        if (!e->u.name) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a call has the name of a function");
        return irl__texel_verify(v->cx, e, e->count ? (const irl_buffer *)irl__ptr_map_get(&v->memory, e->a[0]) : NULL, v->loc);
    case IRL_OP_UNDEF: return !t.is_pointer || irl__verify_type_error(v, e, "undef is a value");
    default: return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "an expression has the unknown operator %d", (int)e->op);
    }
}

static int irl__verify_node(irl__verifier *v, const irl_expr *e)
{
    irl_type type;
    switch (e->op) {
    case IRL_OP_VAR: return irl__verify_is_open(v, e->id) || irl__verify_undeclared(v, e->id, "variable", e->u.name);
    case IRL_OP_INT:
        if (irl_type_equal(e->type, irl__type_index())) return 1; /* most constants are */
        break;
    case IRL_OP_LOAD: return irl__verify_load(v, e);
    case IRL_OP_LET: return irl__verify_let(v, e);
    default: break;
    }
    if (!irl__verify_operands(v, e)) return 0;
    if (irl__op_info((irl_op)e->op)->rule == IRL__OWN && e->op != IRL_OP_SELECT && e->op != IRL_OP_IF_THEN_ELSE && e->op != IRL_OP_LANE)
        return irl__verify_special(v, e);
    if (!irl__op_type(v->cx, (irl_op)e->op, (int)e->count, e->a, v->loc, &type)) return 0;
    return irl_type_equal(type, e->type) || irl__verify_type_error(v, e, "the result does not follow from the operands");
}

/* Equal expressions are one: what was found right is right again, as long as no scope has ended. */
static int irl__verify_expr(irl__verifier *v, const irl_expr *e)
{
    const irl_expr **good;
    if (!e) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "an expression is missing");
    good = &v->good[e->head.hash & (IRL__VERIFY_GOOD - 1)];
    if (*good == e) return 1;
    if (!irl__verify_node(v, e)) return 0;
    if (e->count) *good = e;
    return 1;
}

static int irl__verify_of_type(irl__verifier *v, const irl_expr *e, irl_type type, const char *what)
{
    if (!irl__verify_expr(v, e)) return 0;
    if (irl_type_equal(e->type, type)) return 1;
    return irl__fail(v->cx, IRL_ERROR_TYPE_MISMATCH, v->loc, "%s must be of type %s; found %s", what, irl__type_cstr(v->cx, type),
                     irl__type_cstr(v->cx, e->type));
}

static int irl__verify_index(irl__verifier *v, const irl_expr *e, const char *what) { return irl__verify_of_type(v, e, irl__type_index(), what); }

static int irl__verify_index_list(irl__verifier *v, int count, const irl_expr *const *list, const char *what)
{
    int k;
    for (k = 0; k < count; k++)
        if (!irl__verify_index(v, list[k], what)) return 0;
    return 1;
}

static int irl__verify_condition(irl__verifier *v, const irl_expr *e)
{
    return irl__verify_of_type(v, e, irl__type_bool(1), "a condition");
}

/* ------------------------------------------------------------------ buffers */

typedef enum irl__verify_size { IRL__SIZE_OPEN, IRL__SIZE_KNOWN, IRL__SIZE_TOO_LARGE } irl__verify_size;

/* Elements that the physical axis made of axes [first, end) spans. */
static int irl__verify_span(const irl_buffer *b, int first, int end, int64_t *out)
{
    int64_t part;
    int     k;
    *out = 1;
    for (k = first; k < end; k++) {
        if (!b->strides) {
            if (!irl__mul64(*out, b->shape[k]->u.i, out)) return 0;
        } else if (!irl__mul64(b->shape[k]->u.i - 1, b->strides[k]->u.i, &part) || !irl__add64(*out, part, out)) return 0;
    }
    return 1;
}

/* Elements from the data pointer to the last one, where all numbers are constant: row-major over the physical axes. */
static irl__verify_size irl__verify_elements(const irl_buffer *b, int64_t *out)
{
    int64_t span = 1;
    int     k, group, end = b->rank, empty = 0;
    if (b->offset && b->offset->op != IRL_OP_INT) return IRL__SIZE_OPEN;
    for (k = 0; k < b->rank; k++) {
        if (b->shape[k]->op != IRL_OP_INT) return IRL__SIZE_OPEN;
        if (b->strides && (b->strides[k]->op != IRL_OP_INT || b->strides[k]->u.i < 0)) return IRL__SIZE_OPEN;
        empty |= b->shape[k]->u.i <= 0;
    }
    *out = !empty;
    if (empty) return IRL__SIZE_KNOWN;
    for (group = irl__buffer_groups(b); group-- > 0;) {
        int first = group ? b->separators[group - 1] : 0;
        if (!irl__verify_span(b, first, end, &span) || !irl__mul64(*out, span, out)) return IRL__SIZE_TOO_LARGE;
        end = first;
    }
    if (b->offset && !irl__add64(*out, b->offset->u.i, out)) return IRL__SIZE_TOO_LARGE;
    return IRL__SIZE_KNOWN;
}

static irl__verify_size irl__verify_bytes(const irl_buffer *b, int64_t *out)
{
    irl__verify_size known = irl__verify_elements(b, out);
    if (known == IRL__SIZE_KNOWN && !irl__mul64(*out, (int64_t)irl__type_bytes(b->type), out)) return IRL__SIZE_TOO_LARGE;
    return known;
}

static int irl__verify_size_ok(irl__verifier *v, const irl_buffer *b)
{
    int64_t bytes;
    if (irl__verify_bytes(b, &bytes) != IRL__SIZE_TOO_LARGE) return 1;
    return irl__fail(v->cx, IRL_ERROR_OVERFLOW, v->loc, "the size of buffer '%s' does not fit 63 bits", b->name);
}

/* What holds for every buffer, whatever its memory. */
static int irl__verify_buffer_form(irl__verifier *v, const irl_buffer *b)
{
    if (b->type.is_pointer || irl__type_is_index(b->type))
        return irl__fail(v->cx, IRL_ERROR_BAD_TYPE, v->loc, "buffer '%s' has elements of %s", b->name, irl__type_cstr(v->cx, b->type));
    if (!b->data || !b->data->type.is_pointer || b->data->type.scope != (uint8_t)b->scope)
        return irl__fail(v->cx, IRL_ERROR_TYPE_MISMATCH, v->loc, "the memory of buffer '%s' is not a pointer into its scope, %s", b->name,
                         irl__scope_text(b->scope));
    if (!irl__verify_index_list(v, b->rank, b->shape, "an extent") ||
        (b->strides && !irl__verify_index_list(v, b->rank, b->strides, "a stride")) ||
        (b->offset && !irl__verify_index(v, b->offset, "an offset")))
        return 0;
    if (b->offset && b->separator_count)
        return irl__fail(v->cx, IRL_ERROR_BAD_SEPARATORS, v->loc, "buffer '%s' has separators and an offset: an offset is of one axis", b->name);
    if (b->texel && (b->type.lanes != 1 || !irl__texel_lanes_ok(b->type, b->texel)))
        return irl__fail(v->cx, IRL_ERROR_BAD_TEXEL, v->loc, "'%s' has %d elements of %s to a texel, which holds %d, or %d bits of them", b->name, b->texel,
                         irl__type_cstr(v->cx, b->type), IRL__TEXEL_LANES, IRL__TEXEL_BITS);
    return irl__separators_valid(v->cx, b->rank, b->separator_count, b->separators, v->loc) && irl__verify_size_ok(v, b);
}

static int irl__verify_layout_name(irl__verifier *v, const char *name)
{
    const char *interned;
    if (v->f->layout_count == 0) return 1;
    interned = irl__namez(v->cx, name);
    return interned && irl__ptr_map_put(v->cx, &v->names, interned, interned);
}

/* A buffer with memory of its own: a parameter, an allocation, the view that match makes. */
static int irl__verify_owner(irl__verifier *v, const irl_buffer *b)
{
    irl_type element = irl_pointer_to(b->type, b->scope);
    if (!irl__verify_buffer_form(v, b)) return 0;
    if (!irl_type_equal(b->data->type, element))
        return irl__fail(v->cx, IRL_ERROR_TYPE_MISMATCH, v->loc, "buffer '%s' of %s has memory of %s", b->name, irl__type_cstr(v->cx, b->type),
                         irl__type_cstr(v->cx, b->data->type));
    return irl__verify_new_var(v, b->data) && irl__verify_new(v, b->id, "buffer", b->name) && irl__ptr_map_put(v->cx, &v->memory, b->data, b);
}

/* A view needs memory that is as aligned as its elements, and as it says. `first` is the buffer that the memory was seen by. */
static int irl__verify_alignment(irl__verifier *v, const irl_buffer *first, const irl_buffer *b)
{
    uint32_t has = irl__buffer_alignment(first, !irl__ptr_map_get(&v->pointers, b->data)), needs = irl__type_alignment(b->type);
    if (b != first && b->alignment > needs) needs = b->alignment; /* the first one states it */
    return needs <= has || irl__fail(v->cx, IRL_ERROR_BAD_ALIAS, v->loc, "'%s' is a view of %s, at multiples of %u bytes, and its memory, '%s', starts at one of %u",
                                     b->name, irl__type_cstr(v->cx, b->type), (uint64_t)needs, first->name, (uint64_t)has);
}

static int irl__verify_alias(irl__verifier *v, const irl_buffer *b)
{
    const irl_buffer *owner;
    int64_t           mine, theirs;
    if (!b->data || b->data->op != IRL_OP_VAR) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "buffer '%s' has no memory", b->name);
    if (!irl__verify_is_open(v, b->data->id)) return irl__verify_undeclared(v, b->data->id, "the memory of buffer", b->name);
    if (!irl__verify_buffer_form(v, b) || !irl__verify_new(v, b->id, "buffer", b->name)) return 0;
    owner = (const irl_buffer *)irl__ptr_map_get(&v->memory, b->data);
    if (!owner) /* a pointer from a call: its first view sets the separators and the alignment */
        return irl__ptr_map_put(v->cx, &v->memory, b->data, b) && irl__ptr_map_put(v->cx, &v->pointers, b->data, b) && irl__verify_alignment(v, b, b);
    if (!irl__verify_alignment(v, owner, b)) return 0;
    if (owner->separator_count != b->separator_count)
        return irl__fail(v->cx, IRL_ERROR_BAD_SEPARATORS, v->loc, "'%s' has %d separators and '%s', a view of the same memory, has %d", owner->name,
                         owner->separator_count, b->name, b->separator_count);
    if (irl__verify_bytes(b, &mine) != IRL__SIZE_KNOWN || irl__verify_bytes(owner, &theirs) != IRL__SIZE_KNOWN || mine <= theirs) return 1;
    return irl__fail(v->cx, IRL_ERROR_BAD_ALIAS, v->loc, "'%s' takes %l bytes and its memory, '%s', has %l", b->name, mine, owner->name, theirs);
}

/* ------------------------------------------------------------------ statements */

static int irl__verify_scoped(irl__verifier *v, const irl_stmt *s)
{
    size_t mark = v->scope_count;
    return irl__verify_stmt(v, s) && irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

static int irl__verify_seq(irl__verifier *v, const irl_stmt *s)
{
    size_t mark = v->scope_count;
    int    k;
    for (k = 0; k < s->u.seq.count; k++)
        if (!irl__verify_stmt(v, s->u.seq.stmts[k])) return 0;
    return irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

static int irl__verify_annotations(irl__verifier *v, int count, const irl__annotation *a)
{
    int k;
    for (k = 0; k < count; k++) {
        if (!a[k].key) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "an annotation has no key");
        if (a[k].value && !irl__verify_expr(v, a[k].value)) return 0;
    }
    return 1;
}

static int irl__verify_bound_axis(irl__verifier *v, const irl_stmt *s)
{
    unsigned bit;
    if ((unsigned)s->u.loop.axis >= (unsigned)IRL__AXIS_COUNT)
        return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a loop is bound to an unknown axis");
    bit = 1u << s->u.loop.axis;
    if (v->f->role == IRL__HOST) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a host function has no thread axes");
    if (v->axes & bit)
        return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "two loops, one in the other, are bound to %s", irl__axis_text(s->u.loop.axis));
    v->axes |= bit;
    return 1;
}

static int irl__verify_for(irl__verifier *v, const irl_stmt *s)
{
    unsigned axes = v->axes;
    size_t   mark = v->scope_count;
    if ((unsigned)s->u.loop.kind > (unsigned)IRL_BOUND)
        return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a loop has an unknown kind");
    if (!irl__verify_index(v, s->u.loop.min, "a loop's start") || !irl__verify_index(v, s->u.loop.extent, "a loop's extent") ||
        !irl__verify_annotations(v, s->u.loop.annotation_count, s->u.loop.annotations) || !irl__verify_new_var(v, s->u.loop.var) ||
        !irl__verify_index(v, s->u.loop.var, "a loop's variable"))
        return 0;
    if (s->u.loop.kind == IRL_BOUND && !irl__verify_bound_axis(v, s)) return 0;
    if (!irl__verify_stmt(v, s->u.loop.body)) return 0;
    v->axes = axes;
    return irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

static int irl__verify_region(irl__verifier *v, const irl__region *r)
{
    if (!irl__verify_is_open(v, r->buffer->id)) return irl__verify_undeclared(v, r->buffer->id, "buffer", r->buffer->name);
    if (r->buffer->rank && (!r->min || !r->extent))
        return irl__fail(v->cx, IRL_ERROR_RANK_MISMATCH, v->loc, "a region of '%s' has no axes", r->buffer->name);
    return irl__verify_index_list(v, r->buffer->rank, r->min, "the start of a region") &&
           irl__verify_index_list(v, r->buffer->rank, r->extent, "the extent of a region");
}

static int irl__verify_regions(irl__verifier *v, int count, const irl__region *r)
{
    int k;
    for (k = 0; k < count; k++)
        if (!irl__verify_region(v, &r[k])) return 0;
    return 1;
}

/* Extents and bindings stand outside the block: all of them before the first variable. */
static int irl__verify_axes(irl__verifier *v, const irl__block_data *b)
{
    int k;
    for (k = 0; k < b->axis_count; k++)
        if (!irl__verify_index(v, b->axes[k].extent, "the extent of an axis") || !irl__verify_index(v, b->axes[k].binding, "the binding of an axis"))
            return 0;
    for (k = 0; k < b->axis_count; k++)
        if (!irl__verify_new_var(v, b->axes[k].var) || !irl__verify_index(v, b->axes[k].var, "an axis")) return 0;
    return 1;
}

/* A view of a part of another buffer, with memory of its own or that of the source. */
static int irl__verify_match(irl__verifier *v, const irl__match *m)
{
    const irl_buffer *b = m->buffer, *source = m->source.buffer;
    if (!irl__verify_region(v, &m->source)) return 0;
    if (!irl_type_equal(b->type, source->type) || b->scope != source->scope)
        return irl__fail(v->cx, IRL_ERROR_TYPE_MISMATCH, v->loc, "'%s' matches '%s', which has another element type or scope", b->name, source->name);
    return b->data && irl__verify_is_open(v, b->data->id) ? irl__verify_alias(v, b) : irl__verify_owner(v, b);
}

static int irl__verify_block_buffers(irl__verifier *v, const irl__block_data *b)
{
    int k;
    for (k = 0; k < b->alloc_count; k++)
        if (!irl__verify_owner(v, b->allocs[k]) || !irl__verify_layout_name(v, b->allocs[k]->name)) return 0;
    for (k = 0; k < b->match_count; k++)
        if (!irl__verify_match(v, &b->matches[k])) return 0;
    return 1;
}

static int irl__verify_block(irl__verifier *v, const irl__block_data *b)
{
    size_t mark = v->scope_count;
    if (!b || !b->name) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a block has no name");
    if (!irl__verify_axes(v, b) || (b->predicate && !irl__verify_condition(v, b->predicate)) ||
        !irl__verify_regions(v, b->read_count, b->reads) || !irl__verify_regions(v, b->write_count, b->writes) ||
        !irl__verify_annotations(v, b->annotation_count, b->annotations) || !irl__verify_block_buffers(v, b) ||
        (b->init && !irl__verify_scoped(v, b->init)) || !irl__verify_stmt(v, b->body))
        return 0;
    return irl__verify_close(v, mark, IRL__STATE_CLOSED);
}

static int irl__verify_let_stmt(irl__verifier *v, const irl_stmt *s)
{
    if (!s->u.let.var) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a let has no variable");
    return irl__verify_of_type(v, s->u.let.value, s->u.let.var->type, "what let binds") && irl__verify_new_var(v, s->u.let.var);
}

static int irl__verify_store(irl__verifier *v, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    uint32_t          lanes;
    if (b->scope == IRL_SCOPE_CONSTANT)
        return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "buffer '%s' is in constant memory, which is only read", b->name);
    return irl__verify_indices(v, b, (uint32_t)b->rank, s->u.store.indices, &lanes) &&
           irl__verify_of_type(v, s->u.store.value, irl__type_with_lanes(b->type, b->type.lanes * lanes), "what is stored");
}

static int irl__verify_barrier(irl__verifier *v, const irl_stmt *s)
{
    if (v->f->role == IRL__HOST) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a host function has no barriers: launches run in order");
    if (s->u.barrier.scope == IRL_SCOPE_SHARED || s->u.barrier.scope == IRL_SCOPE_GLOBAL) return 1;
    return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a barrier orders shared or global memory; found %s", irl__scope_text(s->u.barrier.scope));
}

static int irl__verify_arguments(irl__verifier *v, const irl_stmt *s, const irl_func *kernel)
{
    int k;
    if (s->u.launch.count != kernel->param_count)
        return irl__fail(v->cx, IRL_ERROR_BAD_ARGUMENTS, v->loc, "kernel '%s' has %d parameters; found %d arguments", kernel->name,
                         kernel->param_count, s->u.launch.count);
    for (k = 0; k < s->u.launch.count; k++)
        if (!irl_type_equal(s->u.launch.args[k]->type, kernel->params[k].var->type))
            return irl__fail(v->cx, IRL_ERROR_TYPE_MISMATCH, v->loc, "argument %d of kernel '%s' is %s; found %s", k, kernel->name,
                             irl__type_cstr(v->cx, kernel->params[k].var->type), irl__type_cstr(v->cx, s->u.launch.args[k]->type));
    return 1;
}

static int irl__verify_launch(irl__verifier *v, const irl_stmt *s)
{
    const irl_func *kernel;
    const char     *name;
    int             k;
    if (v->f->role != IRL__HOST) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "only a host function launches kernels");
    for (k = 0; k < s->u.launch.count; k++)
        if (!irl__verify_expr(v, s->u.launch.args[k])) return 0;
    if (!v->m) return 1;
    name = irl__namez(v->cx, s->u.launch.kernel);
    kernel = name ? (const irl_func *)irl__ptr_map_get(&v->kernels, name) : NULL;
    if (!kernel) return irl__fail(v->cx, IRL_ERROR_UNDECLARED, v->loc, "the module has no kernel '%s'", s->u.launch.kernel);
    return irl__verify_arguments(v, s, kernel);
}

static int irl__verify_stmt(irl__verifier *v, const irl_stmt *s)
{
    if (!s) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a statement is missing");
    v->loc = s->loc;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ: return irl__verify_seq(v, s);
    case IRL__FOR: return irl__verify_for(v, s);
    case IRL__BLOCK: return irl__verify_block(v, s->u.block);
    case IRL__IF:
        return irl__verify_condition(v, s->u.branch.condition) && irl__verify_scoped(v, s->u.branch.then_) &&
               (!s->u.branch.else_ || irl__verify_scoped(v, s->u.branch.else_));
    case IRL__LET: return irl__verify_let_stmt(v, s);
    case IRL__STORE: return irl__verify_store(v, s);
    case IRL__ALLOC: return irl__verify_owner(v, s->u.alloc.buffer) && irl__verify_layout_name(v, s->u.alloc.buffer->name);
    case IRL__DECL: return irl__verify_alias(v, s->u.alloc.buffer);
    case IRL__ASSUME:
    case IRL__ASSERT: return irl__verify_condition(v, s->u.check.condition);
    case IRL__BARRIER: return irl__verify_barrier(v, s);
    case IRL__EVALUATE: return irl__verify_expr(v, s->u.evaluate.value);
    case IRL__ATTR: return irl__verify_annotations(v, 1, &s->u.attr.annotation) && irl__verify_scoped(v, s->u.attr.body);
    case IRL__LAUNCH: return irl__verify_launch(v, s);
    case IRL__STMT_KIND_COUNT: break;
    }
    return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a statement has the unknown kind %d", (int)s->kind);
}

/* ------------------------------------------------------------------ functions and modules */

static int irl__verify_map(irl__verifier *v, const irl_map *m)
{
    size_t mark = v->scope_count;
    int    k;
    for (k = 0; k < m->input_count; k++)
        if (!irl__verify_new_var(v, m->inputs[k]) || !irl__verify_index(v, m->inputs[k], "an axis of a map")) return 0;
    return irl__verify_index_list(v, m->output_count, m->outputs, "an output of a map") &&
           irl__separators_valid(v->cx, m->output_count + (m->variadic ? 1 : 0), m->separator_count, m->separators, v->loc) &&
           irl__verify_close(v, mark, IRL__STATE_AGAIN);
}

static int irl__verify_padding(irl__verifier *v, const irl_expr *padding, const irl_buffer *b)
{
    if (!padding) return 1;
    if (padding->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY)) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "padding holds a constant");
    return b ? irl__verify_of_type(v, padding, b->type, "what padding holds") : irl__verify_expr(v, padding);
}

static int irl__verify_param(irl__verifier *v, const irl__param *p)
{
    v->loc = p->loc;
    if (!p->buffer) return 1;
    if (p->var != p->buffer->data)
        return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "parameter '%s' is not the memory of its buffer", p->name);
    if (!irl__verify_owner(v, p->buffer) || !irl__verify_layout_name(v, p->name)) return 0;
    if (!irl__verify_index_list(v, p->logical_rank, p->logical_shape, "a logical extent") || !irl__verify_padding(v, p->padding, p->buffer)) return 0;
    if (!p->map) return 1;
    if (p->map->variadic || p->map->input_count != p->logical_rank || p->map->output_count != p->buffer->rank)
        return irl__fail(v->cx, IRL_ERROR_RANK_MISMATCH, v->loc, "the map of parameter '%s' goes from %d to %d axes; its shapes have %d and %d", p->name,
                         p->map->input_count, p->map->output_count, p->logical_rank, p->buffer->rank);
    return irl__verify_map(v, p->map);
}

/* Scalars first: a shape may name one that stands behind it. */
static int irl__verify_params(irl__verifier *v)
{
    int k;
    for (k = 0; k < v->f->param_count; k++) {
        v->loc = v->f->params[k].loc;
        if (!v->f->params[k].buffer && !irl__verify_new_var(v, v->f->params[k].var)) return 0;
    }
    for (k = 0; k < v->f->param_count; k++)
        if (!irl__verify_param(v, &v->f->params[k])) return 0;
    return 1;
}

static int irl__verify_layouts(irl__verifier *v)
{
    int k;
    for (k = 0; k < v->f->layout_count; k++) {
        const irl__layout *l = &v->f->layouts[k];
        v->loc = l->loc;
        if (!l->map || !l->buffer) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a layout has no map or no buffer");
        if (!irl__verify_map(v, l->map) || !irl__verify_padding(v, l->padding, NULL)) return 0;
    }
    return 1;
}

/* Which buffers there are is known when the body has been read. */
static int irl__verify_layout_names(irl__verifier *v)
{
    int k;
    for (k = 0; k < v->f->layout_count; k++) {
        const char *name = irl__namez(v->cx, v->f->layouts[k].buffer);
        if (name && !irl__ptr_map_get(&v->names, name))
            return irl__fail(v->cx, IRL_ERROR_UNKNOWN_NAME, v->f->layouts[k].loc, "a layout is given for '%s'; no parameter or allocation has that name", name);
    }
    return irl__ok(v->cx);
}

static int irl__verify_func(irl__verifier *v, const irl_func *f)
{
    v->f = f;
    v->loc = f->loc;
    v->axes = 0;
    v->epoch++;
    memset(&v->memory, 0, sizeof v->memory);
    memset(&v->pointers, 0, sizeof v->pointers);
    memset(&v->names, 0, sizeof v->names);
    if (!f->name || !f->body) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, v->loc, "a function has no name or no body");
    return irl__verify_params(v) && irl__verify_layouts(v) && irl__verify_annotations(v, f->annotation_count, f->annotations) &&
           irl__verify_scoped(v, f->body) && irl__verify_layout_names(v) && irl__verify_close(v, 0, IRL__STATE_CLOSED);
}

static int irl__verify_begin(irl__verifier *v, irl_ctx *cx, const irl_module *m)
{
    memset(v, 0, sizeof *v);
    v->cx = cx;
    v->m = m;
    v->pages = (uint32_t **)irl__scratch_alloc(cx, cx->next_id / IRL__VERIFY_PAGE + 1, sizeof *v->pages);
    return v->pages != NULL;
}

int irl__verify(const irl_func *f)
{
    irl__verifier   v;
    irl__arena_mark mark;
    int             ok;
    if (!f || !irl__ok(f->cx)) return 0;
    mark = irl__scratch_begin(f->cx);
    ok = irl__verify_begin(&v, f->cx, NULL) && irl__verify_func(&v, f);
    irl__scratch_end(f->cx, mark);
    return ok;
}

static int irl__verify_kernel_names(irl__verifier *v)
{
    int k;
    for (k = 0; k < v->m->kernel_count; k++) {
        const irl_func *kernel = v->m->kernels[k];
        const char     *name = irl__namez(v->cx, kernel->name);
        if (!name) return 0;
        if (kernel->role != IRL__KERNEL) return irl__fail(v->cx, IRL_ERROR_BAD_STRUCTURE, kernel->loc, "'%s' is not a kernel func", name);
        if (irl__ptr_map_get(&v->kernels, name)) return irl__fail(v->cx, IRL_ERROR_DUPLICATE_NAME, kernel->loc, "the module has two kernels '%s'", name);
        if (!irl__ptr_map_put(v->cx, &v->kernels, name, kernel)) return 0;
    }
    return 1;
}

int irl__verify_module(const irl_module *m)
{
    irl__verifier   v;
    irl__arena_mark mark;
    int             k, ok;
    if (!m || !irl__ok(m->cx)) return 0;
    if (!m->host || m->host->role != IRL__HOST)
        return irl__fail(m->cx, IRL_ERROR_BAD_STRUCTURE, irl__nowhere(), "the module '%s' has no host func", m->name ? m->name : "");
    mark = irl__scratch_begin(m->cx);
    ok = irl__verify_begin(&v, m->cx, m) && irl__verify_kernel_names(&v) && irl__verify_func(&v, m->host);
    for (k = 0; ok && k < m->kernel_count; k++) ok = irl__verify_func(&v, m->kernels[k]);
    irl__scratch_end(m->cx, mark);
    return ok;
}
