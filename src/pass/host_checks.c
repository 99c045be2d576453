/* host_checks.c - checks the arguments of a call before they are used: a function of assertions
   over the descriptors of the arguments.

   requires  a module that was lowered; parameters are scalars of numbers, and memory
   promises  the function reads a field of an argument only after the check that makes it readable:
             the count, all kinds, then for each argument the pointer, the rank, the type, the
             extents, the strides, the offset, the address, the device; finally that no memory that
             is written overlaps another one. It computes nothing that leaves 64 bits, for any
             arguments. Each assertion names the argument and the axis, and says what was expected
             and found
   cost      linear in the parameters; pairs of buffers are quadratic
   source    DLPack (dlpack.h): a tensor is data, device, rank, type, extents, strides (or none:
             compact), byte offset

   Intrinsics read the descriptors ("argument.extent" and others, packed.h); the interpreter and the
   emitters know them. */
#include "pass.h"

/* Everything computed here lies between -LIMIT and LIMIT, so that two of them have a sum. */
#define IRL__CHECKS_LIMIT (INT64_C(1) << 61)

enum { IRL__CHECKS_CPU = 1, IRL__CHECKS_TENSOR = 3 };

typedef struct irl__checks {
    irl_ctx          *cx;
    const irl_module *m;        /* NULL: a function alone */
    const irl_func   *host;
    int               is_logical; /* of irl_tensors: every argument is one, of its logical shape */
    irl__analyzer    *an;
    const irl_stmt  **list;
    unsigned char    *written;  /* of each parameter of the host, whether a kernel writes it */
    const irl_expr  **first;    /* of each buffer: the address of its first byte */
    const irl_expr  **bytes;    /* and how many are reached; 0 where it is empty */
    const irl_expr  **bounded;  /* variables that are known to be small */
    int               device;   /* the first tensor; -1: none yet */
} irl__checks;

/* ------------------------------------------------------------------ reading and saying */

/* A field of what is handed over for parameter k. */
static const irl_expr *irl__checks_read(irl__checks *c, irl_type type, const char *field, int k,
                                        int axis)
{
    const irl_expr *a[2];
    a[0] = irl_expr_index(c->cx, k < 0 ? k : irl__func_argument(c->host, k));
    a[1] = irl_expr_index(c->cx, axis);
    return irl_expr_intrinsic(c->cx, type, field, k < 0 ? 0 : axis < 0 ? 1 : 2, a);
}

static const irl_expr *irl__checks_field(irl__checks *c, const char *field, int k, int axis)
{
    return irl__checks_read(c, irl__type_index(), field, k, axis);
}

static int irl__checks_push(irl__checks *c, const irl_stmt *s)
{
    return s && IRL__PUSH_SCRATCH(c->cx, c->list, s);
}

/* A name for what is read once. */
static const irl_expr *irl__checks_let(irl__checks *c, const char *name, const irl_expr *value)
{
    const irl_expr *var = value ? irl_expr_var(c->cx, name, value->type) : NULL;
    return var && irl__checks_push(c, irl_stmt_let(c->cx, var, value)) ? var : NULL;
}

/* assert(condition, "x.shape[0] must be {}; found {}", expected, found). Each may be NULL where the
   message has no place for it. */
static int irl__checks_say(irl__checks *c, const irl_expr *condition, const char *message,
                           const irl_expr *expected, const irl_expr *found)
{
    const irl_expr *values[2];
    int             n = 0;
    if (!condition || !message) return 0;
    if (expected) values[n++] = expected;
    if (found) values[n++] = found;
    return irl__checks_push(c, irl_stmt_assert_values(c->cx, condition, message, n, values));
}

/* "x.shape[0] must be {}; found {}"; axis -1: none. */
static const char *irl__checks_text(irl__checks *c, const char *name, const char *field, int axis,
                                    const char *must)
{
    irl__text t;
    irl__text_init(&t, c->cx);
    irl__textf(&t, "%s%s", name, field);
    if (axis >= 0) irl__textf(&t, "[%d]", axis);
    irl__textf(&t, " %s", must);
    return irl__text_done(&t);
}

/* How what is found must stand to what is expected. */
typedef struct irl__checks_relation {
    irl_op      op;
    const char *must;
} irl__checks_relation;

static const irl__checks_relation irl__checks_relations[] = {
    { IRL_OP_EQ, "must be {}; found {}" },
    { IRL_OP_GE, "must be at least {}; found {}" },
    { IRL_OP_LE, "must be at most {}; found {}" },
};

static int irl__checks_is(irl__checks *c, irl_op op, const char *name, const char *field, int axis,
                          const irl_expr *found, const irl_expr *expected)
{
    const irl__checks_relation *r = irl__checks_relations;
    while (r->op != op) r++;
    return found && expected &&
           irl__checks_say(c, irl_expr_op2(c->cx, op, found, expected),
                           irl__checks_text(c, name, field, axis, r->must), expected, found);
}

static int irl__checks_between(irl__checks *c, const char *name, const char *field, int axis,
                               const irl_expr *found, int64_t least, int64_t most)
{
    return irl__checks_is(c, IRL_OP_GE, name, field, axis, found, irl_expr_index(c->cx, least)) &&
           irl__checks_is(c, IRL_OP_LE, name, field, axis, found, irl_expr_index(c->cx, most));
}

static const irl_expr *irl__checks_or(irl__checks *c, const irl_expr *a, const irl_expr *b)
{
    return !a ? b : irl_expr_op2(c->cx, IRL_OP_OR, a, b);
}

/* ------------------------------------------------------------------ arithmetic that stays small */

/* a * b * times, at most LIMIT: b == 0 || abs(a) <= LIMIT / times / abs(b), of what C has. */
static int irl__checks_product(irl__checks *c, const irl_expr *a, const irl_expr *b,
                               int64_t times, const char *message)
{
    const irl_expr *limit = irl_expr_index(c->cx, IRL__CHECKS_LIMIT / times),
                   *zero = irl_expr_index(c->cx, 0), *size_a = irl_expr_op1(c->cx, IRL_OP_ABS, a),
                   *size_b = irl_expr_op1(c->cx, IRL_OP_ABS, b),
                   *fits = irl_expr_op2(c->cx, IRL_OP_LE, size_a,
                                               irl_expr_op2(c->cx, IRL_OP_TRUNCDIV, limit, size_b));
    fits = irl__checks_or(c, irl_expr_op2(c->cx, IRL_OP_EQ, b, zero), fits);
    return (fits && irl__prove(c->an, fits)) || irl__checks_say(c, fits, message, NULL, NULL);
}

static int irl__checks_is_bounded(const irl__checks *c, const irl_expr *var)
{
    for (ptrdiff_t k = 0; k < stbds_arrlen(c->bounded); k++)
        if (c->bounded[k] == var) return 1;
    return 0;
}

static int irl__checks_is_implicit(const irl__checks *c, const irl_expr *var)
{
    int k = irl__func_param_of(c->host, var);
    return k >= 0 && c->host->params[k].is_implicit;
}

/* Asserts that e can be computed: names are small, no divisor is 0, no product leaves the limits.
   `what` says whose it is. */
static int irl__checks_computable(irl__checks *c, const irl_expr *e, const char *what)
{
    irl__text   t;
    const char *message;
    if (e->op == IRL_OP_INT) return 1;
    if (e->op == IRL_OP_VAR) {
        /* Sizes are made of this name: assert that it is small. */
        if (!irl__type_is_index(e->type)) return 1;
        if (irl__checks_is_bounded(c, e)) return 1;
        if (irl__checks_is_implicit(c, e))
            return irl__fail(c->cx, IRL_ERROR_UNSUPPORTED, c->host->loc, "no extent of an argument "
                             "before its first use is '%s', so its value does not follow from the "
                             "arguments: declare it as a parameter", e->u.name);
        return irl__checks_between(c, e->u.name, "", -1, e, -IRL__MOST_EXTENT, IRL__MOST_EXTENT) &&
               irl__bind_range(c->an, e, -IRL__MOST_EXTENT, IRL__MOST_EXTENT) &&
               IRL__PUSH_SCRATCH(c->cx, c->bounded, e);
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__checks_computable(c, e->a[k], what)) return 0;
    if (!irl__type_is_index(e->type)) return 1;
    irl__text_init(&t, c->cx);
    if (e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD || e->op == IRL_OP_TRUNCDIV ||
        e->op == IRL_OP_TRUNCMOD) {
        if (e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0) return 1;
        irl__textf(&t, "%s contains a division by {}", what);
        message = irl__text_done(&t);
        return irl__checks_say(c,
                               irl_expr_op2(c->cx, IRL_OP_GT, e->a[1], irl_expr_index(c->cx, 0)),
                               message, e->a[1], NULL);
    }
    if (e->op == IRL_OP_MIN || e->op == IRL_OP_MAX) return 1;
    irl__interval r = irl__range_of(c->an, e);
    if (r.lo >= -IRL__CHECKS_LIMIT && r.hi <= IRL__CHECKS_LIMIT) return 1;
    irl__textf(&t, "%s is too large", what);
    message = irl__text_done(&t);
    if (e->op == IRL_OP_MUL) return irl__checks_product(c, e->a[0], e->a[1], 1, message);
    if (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB) {
        const irl_expr *size = irl_expr_op1(c->cx, IRL_OP_ABS, e);
        return irl__checks_say(c,
                               irl_expr_op2(c->cx, IRL_OP_LE, size,
                                                   irl_expr_index(c->cx, IRL__CHECKS_LIMIT)),
                               message, NULL, NULL);
    }
    if (c->is_logical) return 1; /* who runs these notices an overflow */
    return irl__fail(c->cx, IRL_ERROR_UNSUPPORTED, c->host->loc, "%s is %s, which is not known to "
                     "fit 64 bits", what, irl_expr_text(c->cx, e));
}

/* ------------------------------------------------------------------ kinds and scalars */

static int irl__checks_kinds(irl__checks *c)
{
    static const char *const texts[] = {
        "", "must be an integer (kind {}); found kind {}",
        "must be a floating point number (kind {}); found kind {}",
        "must be a tensor (kind {}); found kind {}"
    };
    const irl_func *f = c->host;
    const irl_expr *count = irl__checks_field(c, "argument.count", -1, -1),
                   *wanted = irl_expr_index(c->cx, irl__func_argument_count(f));
    if (!irl__checks_say(c, irl_expr_op2(c->cx, IRL_OP_EQ, count, wanted),
                         irl__checks_text(c, f->name, "", -1, "takes {} arguments; found {}"),
                         wanted, count))
        return 0;
    for (int k = 0; k < f->param_count && !c->is_logical; k++) {
        if (f->params[k].is_implicit) continue;
        const irl_expr *found = irl__checks_field(c, "argument.kind", k, -1);
        int             kind = f->params[k].buffer                          ? IRL__CHECKS_TENSOR
                               : irl__type_is_float(f->params[k].var->type) ? 2
                                                                            : 1;
        const irl_expr *expected = irl_expr_index(c->cx, kind);
        if (!irl__checks_say(c, irl_expr_op2(c->cx, IRL_OP_EQ, found, expected),
                             irl__checks_text(c, f->params[k].name, "", -1, texts[kind]), expected,
                             found))
            return 0;
    }
    return 1;
}

/* The value by its name, as the type that it has; an integer that does not fit is refused. */
static int irl__checks_scalar(irl__checks *c, int k)
{
    const irl__param    *p = &c->host->params[k];
    const irl__type_row *row = irl__type_info(p->var->type);
    const irl_expr      *value;
    int                  bits = row->kind == IRL_KIND_BOOL ? 1 : row->bits;
    if (p->var->type.lanes != 1 || irl__type_is_normalised(p->var->type) ||
        p->var->type.is_pointer)
        return c->is_logical || /* nothing is made of its value */
               irl__fail(c->cx, IRL_ERROR_UNSUPPORTED, p->loc, "'%s' is %s, which no argument can "
                         "hold", p->name, irl__type_cstr(c->cx, p->var->type));
    if (irl__type_is_float(p->var->type)) {
        value = irl__checks_read(c, irl_type_of(IRL_F64, 1), "argument.number", k, -1);
        if (p->var->type.scalar != IRL_F64) value = irl_expr_cast(c->cx, p->var->type, value);
        return value && irl__checks_push(c, irl_stmt_let(c->cx, p->var, value));
    }
    value = irl__checks_field(c, "argument.integer", k, -1);
    if (irl__type_is_index(p->var->type))
        return value && irl__checks_push(c, irl_stmt_let(c->cx, p->var, value));
    if (bits < 64 && !c->is_logical) { /* a u64 beyond the largest i64 comes as its bits */
        int64_t least = irl__type_is_signed(p->var->type) ? -((int64_t)1 << (bits - 1)) : 0,
                most = irl__type_is_signed(p->var->type) ? -(least + 1)
                                                         : (int64_t)(((uint64_t)1 << bits) - 1);
        value = irl__checks_let(c, p->name, value);
        if (!value || !irl__checks_between(c, p->name, "", -1, value, least, most)) return 0;
    }
    value = row->kind == IRL_KIND_BOOL
                ? irl_expr_op2(c->cx, IRL_OP_NE, value, irl_expr_index(c->cx, 0))
                : irl_expr_cast(c->cx, p->var->type, value);
    return value && irl__checks_push(c, irl_stmt_let(c->cx, p->var, value));
}

/* ------------------------------------------------------------------ tensors */

/* What argument k must be: as it lies in memory, or the compact array of the logical shape. */
typedef struct irl__checks_wanted {
    const char     *name;
    irl_type        type;
    int             bits;    /* of a scalar */
    int             is_bits; /* scalars lie side by side, bit by bit */
    int             rank;
    const irl_expr *const *shape, *const *strides; /* strides NULL: compact */
    const irl_expr *offset;
    uint32_t        align;
} irl__checks_wanted;

static void irl__checks_want(const irl__checks *c, int k, irl__checks_wanted *w)
{
    const irl__param *p = &c->host->params[k];
    const irl_buffer *b = p->buffer;
    memset(w, 0, sizeof *w);
    w->name = p->name;
    w->type = b ? b->type : p->var->type;
    w->bits = b && b->bits ? b->bits : irl__type_info(w->type)->bits;
    w->align = irl__type_alignment(irl__type_with_lanes(w->type, 1));
    w->is_bits = b && b->bits;
    if (w->is_bits) w->align = 1;
    if (!b) return;
    w->rank = c->is_logical ? p->logical_rank : b->rank;
    w->shape = c->is_logical ? p->logical_shape : b->shape;
    if (c->is_logical) return;
    w->strides = b->strides;
    w->offset = b->offset;
    if (b->alignment) w->align = b->alignment;
}

/* A bool is an unsigned byte, or has a code of its own. */
static int irl__checks_type(irl__checks *c, int k, const irl__checks_wanted *w)
{
    static const char *const kinds[] = { "an integer",
                                         "an unsigned integer",
                                         "a floating point number",
                                         "",
                                         "a bfloat" };
    const irl_expr *code = irl__checks_field(c, "argument.code", k, -1), *wanted, *right;
    int             number = irl__packed_code(w->type), is_bool = number == IRL__PACKED_BOOL;
    if (is_bool) number = 1;
    wanted = irl_expr_index(c->cx, number);
    right = irl_expr_op2(c->cx, IRL_OP_EQ, code, wanted);
    if (is_bool)
        right = irl__checks_or(c, right,
                               irl_expr_op2(c->cx, IRL_OP_EQ, code,
                                                   irl_expr_index(c->cx, IRL__PACKED_BOOL)));
    return irl__checks_say(c, right,
                           irl__format(c->cx, "%s.dtype.code must be {}, %s; found {}", w->name,
                                       is_bool ? "an unsigned integer, or 6, a bool"
                                               : kinds[number]), wanted, code) &&
           irl__checks_is(c, IRL_OP_EQ, w->name, ".dtype.bits", -1,
                             irl__checks_field(c, "argument.bits", k, -1),
                             irl_expr_index(c->cx, is_bool ? 8 : w->bits)) &&
           irl__checks_is(c, IRL_OP_EQ, w->name, ".dtype.lanes", -1,
                             irl__checks_field(c, "argument.lanes", k, -1),
                             irl_expr_index(c->cx, (int64_t)w->type.lanes));
}

static const char *irl__checks_what(irl__checks *c, const char *name, const char *field, int axis)
{
    return irl__format(c->cx, "%s%s[%d]", name, field, axis);
}

/* An extent that is an implicit parameter without a value yet gives it one. */
static int irl__checks_implicit(irl__checks *c, int k, const irl__checks_wanted *w, int axis)
{
    const irl_expr *var = w->shape[axis], *extent;
    if (!irl__checks_is_implicit(c, var) || irl__checks_is_bounded(c, var)) return 1;
    extent = irl__checks_field(c, "argument.extent", k, axis);
    return extent && irl__checks_push(c, irl_stmt_let(c->cx, var, extent)) &&
           irl__checks_between(c, w->name, ".shape", axis, var, 0, IRL__MOST_EXTENT) &&
           irl__bind_range(c->an, var, 0, IRL__MOST_EXTENT) &&
           IRL__PUSH_SCRATCH(c->cx, c->bounded, var);
}

/* Extents: what the shape says, and none that memory cannot have. found[axis] is a name. */
static int irl__checks_extents(irl__checks *c, int k, const irl__checks_wanted *w,
                               const irl_expr **found)
{
    const irl__param *p = &c->host->params[k];
    const irl_expr   *expected, *left;
    int               axis;
    for (axis = 0; axis < w->rank; axis++)
        if (!irl__checks_implicit(c, k, w, axis)) return 0;
    for (axis = 0; axis < p->logical_rank; axis++) { /* what the user wrote, where it has names */
        expected = p->logical_shape[axis];
        if (expected->op == IRL_OP_INT) continue;
        /* of a name that the shape itself binds it is what was found; of others what is wanted */
        const char *what = irl__checks_is_implicit(c, expected) ? ".shape" : ": the declared shape";
        if (!irl__checks_computable(c, expected, irl__checks_what(c, w->name, ".shape", axis)) ||
            !irl__checks_between(c, p->name, what, axis, expected, 0, IRL__MOST_EXTENT))
            return 0;
    }
    for (axis = 0; axis < w->rank; axis++) {
        found[axis] = irl__checks_let(c, irl__format(c->cx, "%s_%d", p->name, axis),
                                      irl__checks_field(c, "argument.extent", k, axis));
        expected = w->shape[axis];
        if (!found[axis] ||
            !irl__checks_computable(c, expected, irl__checks_what(c, w->name, ".shape", axis)) ||
            !irl__checks_is(c, IRL_OP_EQ, p->name, ".shape", axis, found[axis], expected) ||
            !irl__checks_between(c, p->name, ".shape", axis, expected, 0, IRL__MOST_EXTENT) ||
            !irl__bind_range(c->an, found[axis], 0, IRL__MOST_EXTENT))
            return 0;
    }
    left = irl_expr_index(c->cx, IRL__MOST_EXTENT / (int64_t)irl__type_bytes(w->type));
    for (axis = w->rank - 1; left && axis >= 0; axis--) { /* all of them together */
        const irl_expr *one = irl_expr_index(c->cx, 1), *extent = found[axis];
        if (!irl__checks_say(c, irl_expr_op2(c->cx, IRL_OP_LE, extent, left),
                             irl__format(c->cx, "%s is larger than memory can be", p->name), NULL,
                             NULL))
            return 0;
        left = irl_expr_op2(c->cx, IRL_OP_TRUNCDIV, left,
                            irl_expr_op2(c->cx, IRL_OP_MAX, extent, one));
    }
    return left != NULL;
}

/* any of the extents is 0 */
static const irl_expr *irl__checks_empty(irl__checks *c, int rank, const irl_expr *const *extent)
{
    const irl_expr *empty = NULL;
    for (int axis = 0; axis < rank; axis++)
        empty = irl__checks_or(
            c, empty, irl_expr_op2(c->cx, IRL_OP_EQ, extent[axis], irl_expr_index(c->cx, 0)));
    return empty ? empty : irl__bool(c->cx, 0);
}

/* Strides: none for compact memory, or what they must be; along an axis of one element, and of
   memory without elements, they do not matter. */
static int irl__checks_strides(irl__checks *c, int k, const irl__checks_wanted *w,
                               const irl_expr *const *extent, const irl_expr *empty,
                               const irl_expr **stride)
{
    const irl_expr *has = irl__checks_field(c, "argument.has_strides", k, -1),
                   *one = irl_expr_index(c->cx, 1), *zero = irl_expr_index(c->cx, 0), *found,
                   *right;
    irl__text t;
    for (int axis = w->rank - 1; axis >= 0; axis--) {
        if (w->strides) stride[axis] = w->strides[axis];
        else if (axis == w->rank - 1) stride[axis] = one;
        else stride[axis] = irl__mul(c->cx, stride[axis + 1], extent[axis + 1]);
        if (!stride[axis]) return 0;
        if (w->strides &&
            !irl__checks_computable(c, stride[axis],
                                    irl__checks_what(c, w->name, ".strides", axis)))
            return 0;
    }
    if (w->strides && w->rank) {
        irl__text_init(&t, c->cx);
        irl__textf(&t, "%s.strides is NULL; its memory is not compact, so strides are "
                       "required", w->name);
        for (int axis = 0; axis < w->rank; axis++)
            irl__textf(&t, axis ? ", %s" : " [%s", irl_expr_text(c->cx, w->strides[axis]));
        irl__text_puts(&t, "]");
        if (!irl__checks_say(c, irl_expr_op2(c->cx, IRL_OP_NE, has, zero), irl__text_done(&t),
                             NULL, NULL))
            return 0;
    }
    const irl_stmt **outer = c->list;
    c->list = NULL;
    for (int axis = 0; axis < w->rank; axis++) {
        found = irl__checks_field(c, "argument.stride", k, axis);
        right = irl__checks_or(c, irl_expr_op2(c->cx, IRL_OP_EQ, extent[axis], one),
                               irl_expr_op2(c->cx, IRL_OP_EQ, found, stride[axis]));
        if (!irl__checks_say(c, irl__checks_or(c, empty, right),
                             irl__checks_text(c, w->name, ".strides", axis, "must be {}; found {}"),
                             stride[axis], found))
            return 0;
    }
    const irl_stmt *body = irl__stmt_seq(c->cx, (int)stbds_arrlen(c->list), c->list);
    c->list = outer;
    if (!w->rank || !body) return body != NULL;
    return irl__checks_push(
        c, irl_stmt_if(c->cx, irl_expr_op2(c->cx, IRL_OP_NE, has, zero), body, NULL));
}

/* Bytes from the first element to the end of the last, strides being not negative. */
static const irl_expr *irl__checks_reach(irl__checks *c, const irl__checks_wanted *w,
                                         const irl_expr *const *extent,
                                         const irl_expr *const *stride, const irl_expr *empty)
{
    const irl_expr *one = irl_expr_index(c->cx, 1), *reach = one, *step;
    const int64_t   bytes = (int64_t)irl__type_bytes(w->type);
    for (int axis = 0; reach && axis < w->rank; axis++) {
        if (w->strides &&
            !irl__checks_product(c, extent[axis], stride[axis], bytes * w->rank,
                                 "the memory that strides reach is too large"))
            return NULL;
        step = irl__mul(c->cx, irl__sub(c->cx, extent[axis], one), stride[axis]);
        reach = irl__add(c->cx, reach, step);
    }
    if (w->is_bits && reach) {
        reach = irl__mul(c->cx, reach, irl_expr_index(c->cx, w->bits));
        reach = irl_expr_op2(c->cx, IRL_OP_TRUNCDIV,
                             irl__add(c->cx, reach, irl_expr_index(c->cx, 7)),
                             irl_expr_index(c->cx, 8));
    } else reach = irl__mul(c->cx, reach, irl_expr_index(c->cx, bytes));
    return irl_expr_op3(c->cx, IRL_OP_IF_THEN_ELSE, empty, irl_expr_index(c->cx, 0), reach);
}

/* Where its memory begins: the offset, the pointer, the alignment. */
static int irl__checks_memory(irl__checks *c, int k, const irl__checks_wanted *w,
                              const irl_expr *empty)
{
    int64_t  bytes = (int64_t)irl__type_bytes(w->type);
    uint32_t align = w->align;
    const irl_expr   *offset = irl__checks_field(c, "argument.offset", k, -1), *expected,
                   *has_data = irl_expr_op2(c->cx, IRL_OP_NE,
                                                   irl__checks_field(c, "argument.has_data", k, -1),
                                                   irl_expr_index(c->cx, 0)),
                   *address, *rest;
    irl_type u64 = irl_type_of(IRL_U64, 1);
    if (w->offset) {
        if (!irl__checks_computable(c, w->offset, "an offset")) return 0;
        expected = irl__mul(c->cx, w->offset, irl_expr_index(c->cx, bytes));
        if (!irl__checks_is(c, IRL_OP_EQ, w->name, ".byte_offset", -1, offset, expected)) return 0;
    } else if (!irl__checks_is(c, IRL_OP_LE, w->name, ".byte_offset", -1, offset,
                               irl_expr_index(c->cx, IRL__MOST_EXTENT)))
        return 0;
    if (!irl__checks_say(c, irl__checks_or(c, empty, has_data),
                         irl__checks_text(c, w->name, ".data", -1, "is NULL"), NULL, NULL))
        return 0;
    address = irl__checks_let(c, w->name, irl__checks_read(c, u64, "argument.address", k, -1));
    if (!address) return 0;
    c->first[k] = address;
    if (align <= 1) return 1;
    rest = irl_expr_cast(c->cx, irl__type_index(),
                         irl_expr_op2(c->cx, IRL_OP_TRUNCMOD, address,
                                      irl_expr_int(c->cx, u64, (int64_t)align)));
    expected = irl_expr_index(c->cx, (int64_t)align);
    return irl__checks_say(
        c,
        irl__checks_or(c, empty, irl_expr_op2(c->cx, IRL_OP_EQ, rest, irl_expr_index(c->cx, 0))),
        irl__checks_text(c, w->name, ".data", -1,
                         "with its byte_offset must be a multiple of {} bytes; found a remainder "
                         "of {}"),
        expected, rest);
}

static int irl__checks_device(irl__checks *c, int k)
{
    const char *name = c->host->params[k].name;
    const irl_expr *type = irl__checks_field(c, "argument.device_type", k, -1),
                   *id = irl__checks_field(c, "argument.device_id", k, -1),
                   *cpu = irl_expr_index(c->cx, IRL__CHECKS_CPU);
    if (!irl__checks_say(c, irl_expr_op2(c->cx, IRL_OP_EQ, type, cpu),
                         irl__checks_text(c, name, ".device.device_type", -1,
                                          "must be {}, the CPU; found {}"),
                         cpu, type))
        return 0;
    if (c->device < 0) {
        c->device = k;
        return 1;
    }
    return irl__checks_is(c, IRL_OP_EQ, name, ".device.device_id", -1, id,
                             irl__checks_field(c, "argument.device_id", c->device, -1));
}

/* x.data is NULL, and its kin: a field that must not be 0. */
static int irl__checks_there(irl__checks *c, int k, const char *field, const char *what,
                             const char *must)
{
    return irl__checks_say(c,
                           irl_expr_op2(c->cx, IRL_OP_NE, irl__checks_field(c, field, k, -1),
                                               irl_expr_index(c->cx, 0)),
                           irl__checks_text(c, c->host->params[k].name, what, -1, must), NULL,
                           NULL);
}

/* What no descriptor of DLPack says: how much memory there is. */
static int irl__checks_room(irl__checks *c, int k, const irl_expr *empty)
{
    const irl_expr *found = irl__checks_field(c, "argument.bytes", k, -1),
                   *expected = irl__add(c->cx, irl__checks_field(c, "argument.offset", k, -1),
                                        c->bytes[k]);
    return expected &&
           irl__checks_say(
               c,
               irl__checks_or(c, empty, irl_expr_op2(c->cx, IRL_OP_GE, found, expected)),
               irl__checks_text(c, c->host->params[k].name, ".bytes", -1,
                                "must be at least {}; found {}"),
               expected, found);
}

/* Does an extent of argument k compute with an implicit parameter whose value a later argument has?
   Then k is checked after the others. */
static int irl__checks_waits(irl__checks *c, int k)
{
    irl__checks_wanted w;
    irl__checks_want(c, k, &w);
    for (int j = 0; j < c->host->param_count; j++) {
        const irl_expr *var = c->host->params[j].var;
        int             is_extent = 0, is_used = 0;
        if (!c->host->params[j].is_implicit || irl__checks_is_bounded(c, var)) continue;
        for (int axis = 0; axis < w.rank; axis++) {
            is_extent |= w.shape[axis] == var;
            is_used |= irl__expr_uses_var(w.shape[axis], var);
        }
        if (is_used && !is_extent) return 1;
    }
    return 0;
}

static int irl__checks_tensor(irl__checks *c, int k)
{
    irl__checks_wanted w;
    const irl_expr    *extent[IRL_MAX_RANK], *stride[IRL_MAX_RANK], *empty;
    irl__checks_want(c, k, &w);
    if (!irl__checks_there(c, k, "argument.has_tensor", "", "is NULL; it must be a tensor") ||
        !irl__checks_is(c, IRL_OP_EQ, w.name, ".ndim", -1,
                        irl__checks_field(c, "argument.ndim", k, -1),
                        irl_expr_index(c->cx, w.rank)) ||
        !irl__checks_type(c, k, &w) ||
        (w.rank && !irl__checks_there(c, k, "argument.has_shape", ".shape", "is NULL")) ||
        !irl__checks_extents(c, k, &w, extent))
        return 0;
    empty = irl__checks_empty(c, w.rank, extent);
    if (!empty || !irl__checks_strides(c, k, &w, extent, empty, stride) ||
        !irl__checks_memory(c, k, &w, empty) || !irl__checks_device(c, k))
        return 0;
    c->bytes[k] = irl__checks_reach(c, &w, extent, stride, empty);
    return c->bytes[k] && (!c->is_logical || irl__checks_room(c, k, empty));
}

/* ------------------------------------------------------------------ overlap */

/* Pointers to memory that a kernel stores to, or hands to a call. */
static int irl__checks_stored(irl__checks *c, const irl_func *kernel, irl__ptr_map *stored)
{
    irl__accesses t;
    int           ok = irl__accesses_of(&t, kernel, NULL);
    for (int k = 0; ok && k < t.count; k++)
        if (t.list[k].kind != IRL__ACCESS_READ)
            ok = irl__ptr_map_put(c->cx, stored, t.list[k].memory, &t.list[k]);
    return ok;
}

/* Marks the parameters of the host that a launch in s hands to a kernel that writes them. */
typedef struct irl__checks_launches {
    irl__checks *c;
    irl__ptr_map stored;
} irl__checks_launches;

static void irl__checks_see_passed(void *user, int kernel, int k, const irl_expr *passed)
{
    const irl__checks_launches *l = (const irl__checks_launches *)user;
    int                         at = irl__func_param_of(l->c->host, passed);
    if (at >= 0 && (kernel < 0 ||
                    irl__ptr_map_get(&l->stored, l->c->m->kernels[kernel]->params[k].var)))
        l->c->written[at] = 1;
}

/* One ends before the other begins, or has nothing. */
static int irl__checks_apart(irl__checks *c, int a, int b)
{
    irl_type u64 = irl_type_of(IRL_U64, 1);
    const irl_expr *end_a = irl_expr_op2(c->cx, IRL_OP_ADD, c->first[a],
                                         irl_expr_cast(c->cx, u64, c->bytes[a])),
                   *end_b = irl_expr_op2(c->cx, IRL_OP_ADD, c->first[b],
                                         irl_expr_cast(c->cx, u64, c->bytes[b])),
                   *zero = irl_expr_index(c->cx, 0),
                   *apart = irl__checks_or(
                       c, irl_expr_op2(c->cx, IRL_OP_LE, end_a, c->first[b]),
                       irl_expr_op2(c->cx, IRL_OP_LE, end_b, c->first[a])),
                   *nothing = irl__checks_or(c,
                                             irl_expr_op2(c->cx, IRL_OP_EQ, c->bytes[a], zero),
                                             irl_expr_op2(c->cx, IRL_OP_EQ, c->bytes[b], zero));
    const char *said = irl__format(c->cx, "%s and %s overlap, and %s is written",
                                   c->host->params[a].name, c->host->params[b].name,
                                   c->host->params[c->written[a] ? a : b].name);
    return irl__checks_say(c, irl__checks_or(c, nothing, apart), said, NULL, NULL);
}

/* ------------------------------------------------------------------ the function */

static int irl__checks_all(irl__checks *c)
{
    const irl_func *f = c->host;
    irl__checks_launches launches;
    memset(&launches, 0, sizeof launches);
    launches.c = c;
    if (!c->m && !irl__checks_stored(c, c->host, &launches.stored)) return 0;
    for (int k = 0; !c->m && k < c->host->param_count; k++)
        c->written[k] = irl__ptr_map_get(&launches.stored, c->host->params[k].var) != NULL;
    for (int k = 0; c->m && k < c->m->kernel_count; k++)
        if (!irl__checks_stored(c, c->m->kernels[k], &launches.stored)) return 0;
    if (c->m) irl__see_launches(c->m, irl__checks_see_passed, &launches);
    if (!irl__checks_kinds(c)) return 0;
    for (int k = 0; k < f->param_count; k++)
        if (!f->params[k].buffer && !f->params[k].is_implicit &&
            ((c->is_logical && !irl__checks_tensor(c, k)) || !irl__checks_scalar(c, k)))
            return 0;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && !irl__checks_waits(c, k) && !irl__checks_tensor(c, k)) return 0;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && !c->first[k] && !irl__checks_tensor(c, k)) return 0;
    for (int a = 0; a < c->host->param_count; a++)
        for (int b = a + 1; b < c->host->param_count; b++)
            if (c->host->params[a].buffer && c->host->params[b].buffer &&
                (c->written[a] || c->written[b]) && !irl__checks_apart(c, a, b))
                return 0;
    return 1;
}

static irl_func *irl__checks_make(irl__checks *c)
{
    irl_func *f = irl__func_copy(c->cx, c->host);
    if (!f) return NULL;
    f->name = irl__format(c->cx, "%s_checks", c->host->name);
    f->role = IRL__PLAIN;
    f->param_count = f->layout_count = f->annotation_count = 0;
    f->steps = NULL;
    f->body = irl__stmt_seq(c->cx, (int)stbds_arrlen(c->list), c->list);
    return f->body && f->name && irl__verify(f) ? f : NULL;
}

irl_func *irl__host_checks_of(const irl_func *host, const irl_module *m, int is_logical)
{
    irl_ctx        *cx = host->cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__checks     c;
    irl_func       *f = NULL;
    size_t          count = (size_t)host->param_count;
    memset(&c, 0, sizeof c);
    c.cx = cx;
    c.m = m;
    c.host = host;
    c.is_logical = is_logical;
    c.device = -1;
    c.an = irl__analyzer_begin(cx);
    c.written = (unsigned char *)irl__scratch_alloc(cx, count, 1);
    c.first = IRL__SCRATCH(cx, const irl_expr *, count);
    c.bytes = IRL__SCRATCH(cx, const irl_expr *, count);
    if (c.an && c.written && c.first && c.bytes && irl__checks_all(&c)) f = irl__checks_make(&c);
    irl__scratch_end(cx, mark);
    return f && (f = irl__pass_simplify(f)) != NULL && irl__verify(f) ? f : NULL;
}

irl_func *irl_module_host_checks(const irl_module *m)
{
    return m && m->host && irl__ok(m->cx) ? irl__host_checks_of(m->host, m, 0) : NULL;
}
