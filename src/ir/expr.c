/* expr.c - making expressions: typed, interned, bounded.

   needs     the operator table and its type rules
   promises  equal expressions of one context are one pointer; nothing is folded or reordered here:
             an expression is printed as it was built; NULL when the context has failed, an operand
             is NULL, or a type does not fit */
#include "ir.h"

/* ------------------------------------------------------------------ interning */

/* What two equal nodes share. f is compared by bits, through i: 0.0 and -0.0 differ, a NaN equals
   itself. */
static int irl__expr_same(const irl_expr *e, const irl_expr *key)
{
    if (e->head.hash != key->head.hash || e->op != key->op || e->count != key->count) return 0;
    if (!irl_type_equal(e->type, key->type)) return 0;
    if (memcmp(&e->u, &key->u, sizeof e->u) != 0) {
        if (e->op != IRL_OP_SHUFFLE) return 0;
        if (memcmp(e->u.picks, key->u.picks, e->type.lanes * sizeof *e->u.picks) != 0) return 0;
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (e->a[k] != key->a[k]) return 0;
    return 1;
}

enum { IRL__HASH_SEGMENT = 1 << 14, IRL__HASH_PER_VAR = 8 };

/* What is made at one time is made over variables of that time, which the ids tell. It goes to one
   segment of the table, which so stays in the cache, and is spread within it: a text that makes a
   million nodes over one variable makes chains of sixty. */
static uint32_t irl__expr_segment(const irl_expr *e)
{
    uint32_t youngest = 0, k;
    for (k = 0; k < e->count; k++) {
        uint32_t at =
            e->a[k]->op == IRL_OP_VAR ? e->a[k]->id * IRL__HASH_PER_VAR : e->a[k]->head.hash;
        if (e->a[k]->flags & IRL__HAS_VAR && at > youngest) youngest = at;
    }
    return youngest / IRL__HASH_SEGMENT;
}

static uint32_t irl__expr_hash(const irl_ctx *cx, const irl_expr *e)
{
    uint32_t h = (uint32_t)e->op | (uint32_t)e->type.scalar << 8 |
                 (uint32_t)e->type.is_pointer << 16 | e->type.lanes << 17,
             segment, k;
    uint64_t bits = 0;
    if (e->op == IRL_OP_SHUFFLE)
        h ^= irl__hash_bytes(cx, e->u.picks, e->type.lanes * sizeof *e->u.picks);
    else {
        memcpy(&bits, &e->u, sizeof e->u < sizeof bits ? sizeof e->u : sizeof bits);
        h = irl__hash_mix(h, irl__hash_constant(cx, bits));
    }
    for (k = 0; k < e->count; k++) h = irl__hash_mix(h, (uint64_t)(uintptr_t)e->a[k]);
    segment = irl__expr_segment(e);
    return segment ? segment * IRL__HASH_SEGMENT + h % IRL__HASH_SEGMENT : h;
}

static uint32_t irl__form_of_own(uint32_t h, const irl_expr *e)
{
    uint64_t bits = 0;
    uint32_t k;
    switch (e->op) {
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC: return irl__hash_mix(h, irl__name_form(e->u.name));
    /* of the memory: a view's name may be anywhere */
    case IRL_OP_LOAD: return irl__hash_mix(h, irl__name_form(e->u.buffer->data->u.name));
    case IRL_OP_INT: return irl__hash_mix(h, (uint64_t)e->u.i);
    case IRL_OP_FLOAT: memcpy(&bits, &e->u.f, sizeof e->u.f); return irl__hash_mix(h, bits);
    case IRL_OP_SHUFFLE:
        for (k = 0; k < e->type.lanes; k++) h = irl__hash_mix(h, (uint64_t)e->u.picks[k]);
        return h;
    default: return h;
    }
}

/* A hash of what a node says, not of where it lies: the same in every run, in every context. What
   decides how far a question is pursued goes by it (the memo of src/arith), what only finds things
   by head.hash, which an input cannot foresee. */
static uint32_t irl__expr_form(const irl_expr *e)
{
    uint32_t h = (uint32_t)e->op | (uint32_t)e->type.scalar << 8 |
                 (uint32_t)e->type.is_pointer << 16 | e->type.lanes << 17,
             k;
    h = irl__form_of_own(h, e);
    for (k = 0; k < e->count; k++)
        h = irl__hash_mix(h, e->a[k]->op == IRL_OP_VAR ? irl__name_form(e->a[k]->u.name)
                                                       : e->a[k]->id);
    return h;
}

static int irl__expr_measure(irl_ctx *cx, irl_expr *e, irl_loc where)
{
    uint64_t size = 1;
    unsigned depth = 0;
    for (uint32_t k = 0; k < e->count; k++) {
        if (e->a[k]->depth > depth) depth = e->a[k]->depth;
        size += e->a[k]->size;
        e->flags = (uint8_t)(e->flags | e->a[k]->flags);
    }
    if (depth >= IRL_MAX_DEPTH)
        return irl__fail(cx, IRL_ERROR_TOO_DEEP, where, "an expression nests deeper than %d",
                         IRL_MAX_DEPTH);
    if (size > IRL_MAX_NODES)
        return irl__fail(cx, IRL_ERROR_TOO_LARGE, where, "an expression has more than %u nodes",
                         (uint64_t)IRL_MAX_NODES);
    e->depth = (uint16_t)(depth + 1);
    e->size = (uint32_t)size;
    return 1;
}

/* The node equal to `key`, NULL if there is none. The table is large and out of the cache, so it is
   asked last: most expressions that exist were made or asked for just now, and over an operand that
   nothing was made of there is none. */
static const irl_expr *irl__expr_find(irl_ctx *cx, const irl_expr *key)
{
    const irl_expr **recent = &cx->recent[key->head.hash & (IRL__RECENT - 1)];
    irl__interned   *item;
    if (*recent && irl__expr_same(*recent, key)) return *recent;
    for (uint32_t k = 0; k < key->count; k++)
        if (!key->a[k]->head.is_operand) return NULL;
    for (item = irl__intern_bucket(&cx->exprs, key->head.hash); item; item = item->next)
        if (irl__expr_same((const irl_expr *)(void *)item, key))
            return *recent = (const irl_expr *)(void *)item;
    return NULL;
}

/* The one node equal to `key`, whose operand list may be the caller's. */
static const irl_expr *irl__expr_intern(irl_ctx *cx, irl_expr *key, irl_loc where)
{
    irl_expr *e;
    size_t    operand_bytes = key->count * sizeof *key->a;
    key->head.hash = irl__expr_hash(cx, key);
    const irl_expr *known = irl__expr_find(cx, key);
    if (known) return known;
    if (!irl__expr_measure(cx, key, where)) return NULL;
    key->id = irl__expr_form(key);
    e = (irl_expr *)irl__alloc(cx, sizeof *e + operand_bytes);
    if (!e) return NULL;
    *e = *key;
    if (key->count) {
        memcpy(e + 1, key->a, operand_bytes);
        e->a = (const irl_expr *const *)(const void *)(e + 1);
    }
    if (!irl__intern_add(cx, &cx->exprs, &e->head)) return NULL;
    irl_expr *operand;
    for (uint32_t k = 0; k < e->count; k++) {
        memcpy(&operand, &e->a[k], sizeof operand); /* to others it is constant */
        operand->head.is_operand = 1;
    }
    return cx->recent[e->head.hash & (IRL__RECENT - 1)] = e;
}

static void irl__expr_key(irl_expr *key, irl_op op, irl_type type)
{
    memset(key, 0, sizeof *key);
    key->op = (uint8_t)op;
    key->type = type;
    key->size = 1;
    key->depth = 1;
    key->flags = type.lanes > 1 ? IRL__HAS_LANES : 0;
}

/* The node of an operator over operands that fit it; flags: what it adds to theirs; holds: of a
   load, a call or a shuffle what is in u, else NULL. */
static const irl_expr *irl__expr_node_of(irl_ctx *cx, irl_op op, irl_type type, int flags,
                                         const void *holds, int count, const irl_expr *const *a,
                                         irl_loc where)
{
    irl_expr key;
    irl__expr_key(&key, op, type);
    key.flags = (uint8_t)(key.flags | flags);
    if (holds) memcpy((void *)&key.u, &holds, sizeof holds);
    key.count = (uint32_t)count;
    key.a = a;
    return irl__expr_intern(cx, &key, where);
}

static const irl_expr *irl__expr_node(irl_ctx *cx, irl_op op, irl_type type, int flags, int count,
                                      const irl_expr *const *a, irl_loc where)
{
    return irl__expr_node_of(cx, op, type, flags, NULL, count, a, where);
}

/* True if building may go on: the context is well and no operand is missing. */
static int irl__expr_ready(irl_ctx *cx, int count, const irl_expr *const *a)
{
    if (!irl__is_list(cx, "operands", count, a) || !irl__work(cx, IRL__STEPS_NODE)) return 0;
    for (int k = 0; k < count; k++)
        if (!a[k]) return 0;
    return 1;
}

/* ------------------------------------------------------------------ leaves */

/* A constant of that type, if `fits`: in each lane. */
static const irl_expr *irl__expr_constant(irl_ctx *cx, irl_op op, irl_type type, int fits,
                                          irl__scalar value)
{
    irl_expr key;
    if (!irl__expr_ready(cx, 0, NULL)) return NULL;
    if (!fits) {
        IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "%s constant cannot be of type %s",
                  op == IRL_OP_INT ? "an integer" : "a floating point", irl__type_cstr(cx, type));
        return NULL;
    }
    irl__expr_key(&key, op, irl__type_with_lanes(type, 1));
    if (op == IRL_OP_INT) key.u.i = irl__wrap_int(type, value.i);
    else key.u.f = irl__round_float(type, value.f);
    const irl_expr *e = irl__expr_intern(cx, &key, irl__nowhere());
    return type.lanes == 1 ? e : irl_expr_broadcast(cx, e, (int)type.lanes);
}

const irl_expr *irl_expr_int(irl_ctx *cx, irl_type type, int64_t value)
{
    irl__scalar s;
    s.i = value;
    return irl__expr_constant(cx, IRL_OP_INT, type,
                              irl__type_is_integer(type) ||
                                  (type.scalar == IRL_BOOL && !type.is_pointer), s);
}

const irl_expr *irl_expr_index(irl_ctx *cx, int64_t value)
{
    return irl_expr_int(cx, irl__type_index(), value);
}
const irl_expr *irl__bool(irl_ctx *cx, int value)
{
    return irl_expr_int(cx, irl__type_bool(1), value != 0);
}

const irl_expr *irl_expr_float(irl_ctx *cx, irl_type type, double value)
{
    irl__scalar s;
    s.f = value;
    return irl__expr_constant(cx, IRL_OP_FLOAT, type, irl__type_is_real(type), s);
}

const irl_expr *irl__number(irl_ctx *cx, irl_type type, double value)
{
    if (irl__type_is_real(type)) return irl_expr_float(cx, type, value);
    /* a NaN is not either */
    const int fits = value >= -9223372036854775808.0 && value < 9223372036854775808.0 &&
                     irl__wrap_int(type, (int64_t)value) == (int64_t)value;
    if (fits && (double)(int64_t)value == value) return irl_expr_int(cx, type, (int64_t)value);
    irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(),
              fits ? "the value has a fraction, and type %s holds only whole numbers"
                   : "the value does not fit type %s", irl__type_cstr(cx, type));
    return NULL;
}

const irl_expr *irl__expr_named(irl_ctx *cx, const irl_expr *e, const char *name,
                                irl__named_how how)
{
    if (!cx->named || !e || !name || !irl__is_const(e)) return e;
    irl__const_name *n = IRL__NEW(cx, irl__const_name, 1);
    if (!n) return NULL;
    n->e = *e;
    n->e.flags |= IRL__IS_NAMED;
    n->name = name;
    n->how = how;
    return &n->e;
}

const irl__const_name *irl__const_name_of(const irl_expr *e)
{
    return irl__is_const(e) && (e->flags & IRL__IS_NAMED) ? (const irl__const_name *)(const void *)e
                                                          : NULL;
}

const irl_expr *irl_expr_undef(irl_ctx *cx, irl_type type)
{
    if (!irl__expr_ready(cx, 0, NULL)) return NULL;
    return irl__expr_node(cx, IRL_OP_UNDEF, type, IRL__HAS_UNDEF, 0, NULL, irl__nowhere());
}

const irl_expr *irl__zero(irl_ctx *cx, irl_type type)
{
    return irl__type_is_real(type) ? irl_expr_float(cx, type, 0.0) : irl_expr_int(cx, type, 0);
}

/* Variables are never shared: each is new, told apart by its id. */
const irl_expr *irl_expr_var(irl_ctx *cx, const char *name, irl_type type)
{
    irl_expr *e;
    if (!irl__expr_ready(cx, 0, NULL) || !name) return NULL;
    e = (irl_expr *)irl__alloc(cx, sizeof *e);
    if (!e) return NULL;
    irl__expr_key(e, IRL_OP_VAR, type);
    e->flags |= IRL__HAS_VAR;
    e->id = cx->next_id++;
    /* never in the table of expressions; in others, neighbours lie together */
    e->head.hash = e->id;
    e->u.name = irl__namez(cx, name);
    return e->u.name ? e : NULL;
}

/* ------------------------------------------------------------------ operators of the table */

const irl_expr *irl__expr_op(irl_ctx *cx, irl_op op, int count, const irl_expr *const *a,
                             irl_loc where)
{
    irl_type type;
    if (!irl__expr_ready(cx, count, a) || !irl__op_type(cx, op, count, a, where, &type))
        return NULL;
    return irl__expr_node(cx, op, type, 0, count, a, where);
}

const irl_expr *irl_expr_op1(irl_ctx *cx, irl_op op, const irl_expr *a)
{
    return irl__expr_op(cx, op, 1, &a, irl__nowhere());
}

const irl_expr *irl_expr_op2(irl_ctx *cx, irl_op op, const irl_expr *a, const irl_expr *b)
{
    const irl_expr *const ab[] = { a, b };
    return irl__expr_op(cx, op, 2, ab, irl__nowhere());
}

const irl_expr *irl_expr_op3(irl_ctx *cx, irl_op op, const irl_expr *a, const irl_expr *b,
                             const irl_expr *c)
{
    const irl_expr *const abc[] = { a, b, c };
    return irl__expr_op(cx, op, 3, abc, irl__nowhere());
}

const irl_expr *irl__add(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, IRL_OP_ADD, a, b);
}
const irl_expr *irl__sub(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, IRL_OP_SUB, a, b);
}
const irl_expr *irl__mul(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, IRL_OP_MUL, a, b);
}
const irl_expr *irl__floordiv(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, IRL_OP_FLOORDIV, a, b);
}
const irl_expr *irl__floormod(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return irl_expr_op2(cx, IRL_OP_FLOORMOD, a, b);
}

const irl_expr *irl__product(irl_ctx *cx, int count, const irl_expr *const *list)
{
    const irl_expr *n = irl_expr_index(cx, 1);
    for (int k = 0; k < count; k++) n = irl__mul(cx, n, list[k]);
    return n;
}

const irl_expr *irl__row_major(irl_ctx *cx, int rank, const irl_expr *const *shape,
                               const irl_expr *const *index)
{
    const irl_expr *n = irl_expr_index(cx, 0);
    for (int k = 0; k < rank; k++) n = irl__add(cx, irl__mul(cx, n, shape[k]), index[k]);
    return n;
}

const irl_expr *irl__and(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    if (!a || !b) return a ? a : b;
    return irl_expr_op2(cx, IRL_OP_AND, a, b);
}

/* ------------------------------------------------------------------ conversions and lanes */

const irl_expr *irl_expr_cast(irl_ctx *cx, irl_type type, const irl_expr *a)
{
    if (!irl__expr_ready(cx, 1, &a)) return NULL;
    if (irl_type_equal(type, a->type)) return a;
    if (type.lanes != a->type.lanes || type.is_pointer || a->type.is_pointer) {
        IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "a cast keeps the number of lanes and takes values; "
                  "found %s to %s", irl__type_cstr(cx, a->type), irl__type_cstr(cx, type));
        return NULL;
    }
    return irl__expr_node(cx, IRL_OP_CAST, type, 0, 1, &a, irl__nowhere());
}

const irl_expr *irl_expr_reinterpret(irl_ctx *cx, irl_type type, const irl_expr *a)
{
    if (!irl__expr_ready(cx, 1, &a)) return NULL;
    if (irl_type_equal(type, a->type)) return a;
    int ok = !type.is_pointer && !a->type.is_pointer &&
             irl__type_bytes(type) == irl__type_bytes(a->type) && type.scalar != IRL_BOOL &&
             a->type.scalar != IRL_BOOL && type.scalar != IRL_INDEX && a->type.scalar != IRL_INDEX;
    if (!ok) {
        IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "as() keeps the bits, so both types must have the "
                  "same width, and neither may be bool or index; found %s as %s",
                  irl__type_cstr(cx, a->type), irl__type_cstr(cx, type));
        return NULL;
    }
    if (type.lanes == 1 && irl__is_const(a)) {
        /* A constant at once, so that NaN and infinities, written by their bits, are constants. */
        irl__scalar s;
        int         to_float = irl__type_is_real(type);
        if (a->op == IRL_OP_INT) s.i = a->u.i;
        else s.f = a->u.f;
        s = irl__scalar_of_bits(type, irl__scalar_bits(a->type, s));
        return to_float ? irl_expr_float(cx, type, s.f) : irl_expr_int(cx, type, s.i);
    }
    return irl__expr_node(cx, IRL_OP_REINTERPRET, type, 0, 1, &a, irl__nowhere());
}

static int irl__expr_lanes_ok(irl_ctx *cx, uint64_t lanes)
{
    if (lanes >= 1 && lanes <= IRL_MAX_LANES) return 1;
    return IRL__FAIL(cx, IRL_ERROR_BAD_TYPE, "a value has 1 to %d lanes; found %u", IRL_MAX_LANES,
                     lanes);
}

const irl_expr *irl_expr_ramp(irl_ctx *cx, const irl_expr *base, const irl_expr *stride, int lanes)
{
    const irl_expr *const ab[] = { base, stride };
    if (!irl__expr_ready(cx, 2, ab)) return NULL;
    if (!irl_type_equal(base->type, stride->type) || base->type.lanes != 1 ||
        !irl__type_is_integer(base->type)) {
        IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "ramp takes a scalar integer base and stride of one "
                  "type; found %s and %s", irl__type_cstr(cx, base->type),
                  irl__type_cstr(cx, stride->type));
        return NULL;
    }
    if (!irl__expr_lanes_ok(cx, lanes < 2 ? 0 : (uint64_t)lanes)) return NULL;
    return irl__expr_node(cx, IRL_OP_RAMP, irl__type_with_lanes(base->type, (uint32_t)lanes), 0, 2,
                          ab, irl__nowhere());
}

const irl_expr *irl_expr_broadcast(irl_ctx *cx, const irl_expr *a, int lanes)
{
    if (!irl__expr_ready(cx, 1, &a)) return NULL;
    if (lanes == 1) return a;
    if (a->type.is_pointer) {
        IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "a pointer cannot be broadcast");
        return NULL;
    }
    if (!irl__expr_lanes_ok(cx, lanes < 1 ? 0 : (uint64_t)lanes * a->type.lanes)) return NULL;
    return irl__expr_node(cx, IRL_OP_BROADCAST,
                          irl__type_with_lanes(a->type, (uint32_t)lanes * a->type.lanes), 0, 1, &a,
                          irl__nowhere());
}

const irl_expr *irl_expr_shuffle(irl_ctx *cx, int count, const irl_expr *const *vectors, int lanes,
                                 const int *picks)
{
    uint32_t total = 0;
    if (!irl__expr_ready(cx, count, vectors) ||
        !irl__expr_lanes_ok(cx, lanes < 1 ? 0 : (uint64_t)lanes))
        return NULL;
    if (count < 1 || !picks) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "shuffle takes at least one vector, and a list of "
                  "lanes");
        return NULL;
    }
    for (int k = 0; k < count; k++) {
        if (vectors[k]->type.scalar != vectors[0]->type.scalar || vectors[k]->type.is_pointer) {
            IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "the vectors of a shuffle have one element "
                      "type; found %s and %s", irl__type_cstr(cx, vectors[0]->type),
                      irl__type_cstr(cx, vectors[k]->type));
            return NULL;
        }
        total += vectors[k]->type.lanes;
    }
    for (int k = 0; k < lanes; k++)
        if (picks[k] < 0 || (uint32_t)picks[k] >= total) {
            IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "shuffle picks lane %d of %u", picks[k],
                      (uint64_t)total);
            return NULL;
        }
    const void *copy = irl__copy(cx, picks, (size_t)lanes, sizeof *picks);
    return copy ? irl__expr_node_of(cx, IRL_OP_SHUFFLE,
                                    irl__type_with_lanes(vectors[0]->type, (uint32_t)lanes), 0,
                                    copy, count, vectors, irl__nowhere())
                : NULL;
}

/* ------------------------------------------------------------------ let, load, calls */

int irl__let_ok(irl_ctx *cx, const irl_expr *var, const irl_expr *value)
{
    return (var->op == IRL_OP_VAR && irl_type_equal(var->type, value->type)) ||
           IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "let binds a variable to a value of its type; "
                     "found %s and %s", irl__type_cstr(cx, var->type),
                     irl__type_cstr(cx, value->type));
}

const irl_expr *irl_expr_let(irl_ctx *cx, const irl_expr *var, const irl_expr *value,
                             const irl_expr *body)
{
    const irl_expr *const abc[] = { var, value, body };
    if (!irl__expr_ready(cx, 3, abc)) return NULL;
    return irl__let_ok(cx, var, value)
               ? irl__expr_node(cx, IRL_OP_LET, body->type, IRL__HAS_LET, 3, abc, irl__nowhere())
               : NULL;
}

/* The type of an access: its lanes are the lanes of an element times those of the last index, which
   alone may be a vector. */
static int irl__expr_access_type(irl_ctx *cx, const irl_buffer *b, int rank,
                                 const irl_expr *const *indices, irl_loc where, irl_type *out)
{
    *out = b->type;
    if (rank != b->rank)
        return irl__fail(cx, IRL_ERROR_RANK_MISMATCH, where, "buffer '%s' has %d %s; found %d %s",
                         b->name, b->rank, b->rank == 1 ? "axis" : "axes", rank,
                         rank == 1 ? "index" : "indices");
    for (int k = 0; k < rank; k++) {
        irl_type t = indices[k]->type;
        if (!irl__type_is_index(t))
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                             "index %d of '%s' must be of type index; found %s", k, b->name,
                             irl__type_cstr(cx, t));
        if (t.lanes == 1) continue;
        if (k != rank - 1)
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                             "only the last index of '%s' may be a vector; index %d is %s", b->name,
                             k, irl__type_cstr(cx, t));
        if (!irl__expr_lanes_ok(cx, (uint64_t)t.lanes * b->type.lanes)) return 0;
        out->lanes = t.lanes * b->type.lanes;
    }
    return 1;
}

const irl_expr *irl__expr_load(irl_ctx *cx, const irl_buffer *b, int rank,
                               const irl_expr *const *indices, irl_loc where)
{
    irl_type type;
    return irl__expr_ready(cx, rank, indices) && b &&
                   irl__expr_access_type(cx, b, rank, indices, where, &type)
               ? irl__expr_node_of(cx, IRL_OP_LOAD, type, IRL__HAS_MEMORY, b, rank, indices, where)
               : NULL;
}

const irl_expr *irl_expr_load(irl_ctx *cx, const irl_buffer *buffer, int rank,
                              const irl_expr *const *indices)
{
    return irl__expr_load(cx, buffer, rank, indices, irl__nowhere());
}

const irl_expr *irl__expr_call(irl_ctx *cx, irl_op op, irl_type type, const char *name, int count,
                               const irl_expr *const *args)
{
    name = irl__expr_ready(cx, count, args) && name ? irl__namez(cx, name) : NULL;
    return name ? irl__expr_node_of(cx, op, type, IRL__HAS_MEMORY, name, count, args,
                                    irl__nowhere())
                : NULL;
}

const irl_expr *irl_expr_extern(irl_ctx *cx, irl_type type, const char *name, int count,
                                const irl_expr *const *args)
{
    return irl__expr_call(cx, IRL_OP_CALL_EXTERN, type, name, count, args);
}

irl_type irl_expr_type(const irl_expr *e) { return e ? e->type : irl_type_of(IRL_BOOL, 1); }

/* ------------------------------------------------------------------ rewriting */

const irl_expr *irl__expr_with(irl_ctx *cx, const irl_expr *e, const irl_expr *const *operands)
{
    if (!irl__expr_ready(cx, (int)e->count, operands)) return NULL;
    if (e->count == 0 || memcmp(e->a, operands, e->count * sizeof *operands) == 0) return e;
    if (irl__op_has_rule((irl_op)e->op))
        return irl__expr_op(cx, (irl_op)e->op, (int)e->count, operands, irl__nowhere());
    switch (e->op) {
    case IRL_OP_CAST: return irl_expr_cast(cx, e->type, operands[0]);
    case IRL_OP_REINTERPRET: return irl_expr_reinterpret(cx, e->type, operands[0]);
    case IRL_OP_RAMP: return irl_expr_ramp(cx, operands[0], operands[1], (int)e->type.lanes);
    case IRL_OP_BROADCAST:
        return irl_expr_broadcast(cx, operands[0], (int)(e->type.lanes / e->a[0]->type.lanes));
    case IRL_OP_LET: return irl_expr_let(cx, operands[0], operands[1], operands[2]);
    case IRL_OP_LOAD:
        return irl__expr_load(cx, e->u.buffer, (int)e->count, operands, irl__nowhere());
    case IRL_OP_SHUFFLE:
        return irl_expr_shuffle(cx, (int)e->count, operands, (int)e->type.lanes, e->u.picks);
    default: break; /* calls */
    }
    return irl__expr_node_of(cx, (irl_op)e->op, e->type, IRL__HAS_MEMORY, e->u.name, (int)e->count,
                             operands, irl__nowhere());
}
