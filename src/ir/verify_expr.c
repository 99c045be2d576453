/* verify_expr.c - verifies declarations and expressions.

   needs     type.c (the operators' rules), ptr_map.c
   promises  every variable and buffer declared once, before its use and in scope; types that follow
             the operators' rules; one index for each axis, only the last a vector
   cost      linear in the nodes; an expression that was just verified is not examined again */
#include "verify.h"

/* ------------------------------------------------------------------ declarations */

/* Ids are dense, and what is declared together has ids close together: so a table by id stays in
   the cache. */
static irl__verify_state irl__verify_state_of(const irl__verifier *v, uint32_t id)
{
    const uint32_t *page = v->pages[id / IRL__VERIFY_PAGE];
    uint32_t        known = page ? page[id % IRL__VERIFY_PAGE] : 0;
    return (irl__verify_state)(known / 4 == v->epoch ? known % 4 : 0);
}

int irl__verify_is_open(const irl__verifier *v, uint32_t id)
{
    return irl__verify_state_of(v, id) == IRL__STATE_OPEN;
}

/* Always true, to stand at the end of a chain. */
int irl__verify_close(irl__verifier *v, size_t mark, irl__verify_state state)
{
    if (v->scope_count > mark) memset(v->good, 0, sizeof v->good);
    while (v->scope_count > mark) *v->scope[--v->scope_count] = v->epoch * 4 + (uint32_t)state;
    return 1;
}

int irl__verify_new(irl__verifier *v, uint32_t id, const char *what, const char *name)
{
    irl__verify_state state = irl__verify_state_of(v, id);
    if (state != IRL__STATE_OPEN && state != IRL__STATE_CLOSED) {
        uint32_t **page = &v->pages[id / IRL__VERIFY_PAGE];
        if (!*page) *page = IRL__SCRATCH(v->cx, uint32_t, IRL__VERIFY_PAGE);
        if (!*page) return 0;
        uint32_t *known = &(*page)[id % IRL__VERIFY_PAGE];
        *known = v->epoch * 4 + IRL__STATE_OPEN;
        return IRL__STACK_PUSH(v->cx, v->scope, v->scope_count, v->scope_capacity, known);
    }
    return IRL__VERIFY_FAIL(v, IRL_ERROR_REDECLARED, "%s '%s' is declared twice", what, name);
}

int irl__verify_new_var(irl__verifier *v, const irl_expr *var)
{
    if (!var || var->op != IRL_OP_VAR)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "what is declared must be a variable");
    return irl__verify_new(v, var->id, "variable", var->u.name);
}

int irl__verify_undeclared(irl__verifier *v, uint32_t id, const char *what, const char *name)
{
    return IRL__VERIFY_FAIL(
        v, IRL_ERROR_UNDECLARED, "%s '%s' is %s", what, name,
        irl__verify_state_of(v, id) ? "used after the end of its scope" : "used but not declared");
}

/* ------------------------------------------------------------------ expressions */

static int irl__verify_type_error(irl__verifier *v, const irl_expr *e, const char *what)
{
    const irl__op_row *row = irl__op_info((irl_op)e->op);
    return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "%s: %s; its type is %s", row->name, what,
                            irl__type_cstr(v->cx, e->type));
}

/* One index for each axis, of type index, only the last a vector; *lanes are those of the last. */
int irl__verify_indices(irl__verifier *v, const irl_buffer *b, uint32_t count,
                        const irl_expr *const *indices, uint32_t *lanes)
{
    *lanes = 1;
    if (!irl__verify_is_open(v, b->id)) return irl__verify_undeclared(v, b->id, "buffer", b->name);
    if (count != (uint32_t)b->rank)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_RANK_MISMATCH, "buffer '%s' has %d axes; found %u "
                                "indices", b->name, b->rank, (uint64_t)count);
    for (uint32_t k = 0; k < count; k++) {
        if (!indices[k] || !irl__type_is_index(indices[k]->type) ||
            (indices[k]->type.lanes != 1 && k + 1 != count))
            return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "index %u of '%s' must be of type "
                                    "index, and only the last may be a vector", (uint64_t)k,
                                    b->name);
        if (!irl__verify_expr(v, indices[k])) return 0;
        *lanes = indices[k]->type.lanes;
    }
    return 1;
}

static int irl__verify_shuffle(irl__verifier *v, const irl_expr *e)
{
    uint32_t k, total = 0;
    for (k = 0; k < e->count; k++) {
        if (e->a[k]->type.scalar != e->type.scalar || e->a[k]->type.is_pointer)
            return irl__verify_type_error(v, e, "the vectors have one element type");
        total += e->a[k]->type.lanes;
    }
    for (k = 0; k < e->type.lanes; k++)
        if (e->u.picks[k] < 0 || (uint32_t)e->u.picks[k] >= total)
            return irl__verify_type_error(v, e,
                                          "a shuffle picks a lane that its operands lack");
    return 1;
}

/* Operators with a rule of their own; the operands are verified. */
/* A call of a function that is declared fits its prototype. */
static int irl__verify_prototype(irl__verifier *v, const irl_expr *e)
{
    const irl__extern *x = e->op == IRL_OP_CALL_EXTERN && v->f->extern_count
                               ? (const irl__extern *)irl__ptr_map_get(&v->own_externs, e->u.name)
                               : NULL;
    return !x || irl__extern_fits(v->cx, x, e, v->loc);
}

static int irl__verify_special(irl__verifier *v, const irl_expr *e)
{
    irl_type t = e->type, a;
    memset(&a, 0, sizeof a);
    if (e->count) a = e->a[0]->type;
    switch (e->op) {
    case IRL_OP_INT:
        if (t.lanes == 1 && !t.is_pointer && (irl__type_is_integer(t) || t.scalar == IRL_BOOL) &&
            irl__wrap_int(t, e->u.i) == e->u.i)
            return 1;
        return irl__verify_type_error(v, e, "an integer constant is a scalar that fits its type");
    case IRL_OP_FLOAT:
        if (t.lanes == 1 && irl__type_is_real(t)) return 1;
        return irl__verify_type_error(v, e, "a floating point constant is a scalar");
    case IRL_OP_CAST:
        return (t.lanes == a.lanes && !t.is_pointer && !a.is_pointer) ||
               irl__verify_type_error(v, e, "a cast keeps the lanes");
    case IRL_OP_REINTERPRET:
        return (!t.is_pointer && !a.is_pointer && irl__type_bytes(t) == irl__type_bytes(a)) ||
               irl__verify_type_error(v, e, "as() keeps the bits");
    case IRL_OP_RAMP:
        if (a.lanes == 1 && irl_type_equal(a, e->a[1]->type) && irl__type_is_integer(a) &&
            irl_type_equal(t, irl__type_with_lanes(a, t.lanes)))
            return 1;
        return irl__verify_type_error(v, e, "base and stride are scalars of the element's type");
    case IRL_OP_BROADCAST:
        if (!a.is_pointer && t.lanes % a.lanes == 0 &&
            irl_type_equal(t, irl__type_with_lanes(a, t.lanes)))
            return 1;
        return irl__verify_type_error(v, e, "a broadcast repeats its operand");
    case IRL_OP_SHUFFLE: return irl__verify_shuffle(v, e);
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
        if (!e->u.name)
            return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "a call has the name of a "
                                    "function");
        return irl__verify_prototype(v, e) && irl__texel_verify(
            v->cx, e, e->count ? (const irl_buffer *)irl__ptr_map_get(&v->memory, e->a[0]) : NULL,
            v->loc);
    case IRL_OP_UNDEF: return !t.is_pointer || irl__verify_type_error(v, e, "undef is a value");
    default:
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "an expression has the unknown "
                                "operator %d", (int)e->op);
    }
}

/* Whether the type follows the operator's rule. */
static int irl__verify_rule(irl__verifier *v, const irl_expr *e)
{
    irl_type type;
    if (!irl__op_has_rule((irl_op)e->op)) return irl__verify_special(v, e);
    if (!irl__op_type(v->cx, (irl_op)e->op, (int)e->count, e->a, v->loc, &type)) return 0;
    return irl_type_equal(type, e->type) ||
           irl__verify_type_error(v, e, "the result does not follow from the operands");
}

/* Nodes never change, so a rule that held once holds in every stage. A call's may go by what memory
   its buffer is. */
static int irl__verify_type(irl__verifier *v, const irl_expr *e)
{
    irl_expr *mark;
    if (e->head.is_typed) return 1;
    if (!irl__verify_rule(v, e)) return 0;
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC) return 1;
    memcpy(&mark, &e, sizeof mark); /* to others it is constant */
    mark->head.is_typed = 1;
    return 1;
}

static int irl__verify_node(irl__verifier *v, const irl_expr *e)
{
    switch (e->op) {
    case IRL_OP_LOAD: {
        uint32_t lanes;
        if (!irl__verify_indices(v, e->u.buffer, e->count, e->a, &lanes)) return 0;
        if (irl_type_equal(
                e->type, irl__type_with_lanes(e->u.buffer->type, e->u.buffer->type.lanes * lanes)))
            return 1;
        return irl__verify_type_error(
            v, e, "a load has the element's type, with the lanes of element times index");
    }
    case IRL_OP_LET: {
        size_t mark = v->scope_count;
        if (!irl__verify_expr(v, e->a[1]) || !irl__verify_new_var(v, e->a[0])) return 0;
        if (!irl_type_equal(e->a[0]->type, e->a[1]->type) ||
            !irl_type_equal(e->type, e->a[2]->type))
            return irl__verify_type_error(
                v, e, "the variable has the value's type, and let has its body's");
        return irl__verify_expr(v, e->a[2]) && irl__verify_close(v, mark, IRL__STATE_AGAIN);
    }
    default: break;
    }
    for (uint32_t k = 0; k < e->count; k++)
        if (!irl__verify_expr(v, e->a[k])) return 0;
    return irl__verify_type(v, e);
}

/* Equal expressions are one: what was found right is right again, as long as no scope has ended. */
int irl__verify_expr(irl__verifier *v, const irl_expr *e)
{
    if (!e) return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "an expression is missing");
    if (e->op == IRL_OP_VAR)
        return irl__verify_is_open(v, e->id) ||
               irl__verify_undeclared(v, e->id, "variable", e->u.name);
    /* constants have no scope */
    if (e->head.is_typed && !(e->flags & (IRL__HAS_VAR | IRL__HAS_MEMORY | IRL__HAS_LET))) return 1;
    const irl_expr **good = &v->good[e->head.hash & (IRL__VERIFY_GOOD - 1)];
    if (*good == e) return 1;
    if (!irl__verify_node(v, e)) return 0;
    if (e->count) *good = e;
    return 1;
}

int irl__verify_of_type(irl__verifier *v, const irl_expr *e, irl_type type, const char *what)
{
    if (!irl__verify_expr(v, e)) return 0;
    if (irl_type_equal(e->type, type)) return 1;
    return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "%s must be of type %s; found %s", what,
                            irl__type_cstr(v->cx, type), irl__type_cstr(v->cx, e->type));
}

int irl__verify_index(irl__verifier *v, const irl_expr *e, const char *what)
{
    if (e && irl__is_index(e)) return irl__verify_expr(v, e);
    return irl__verify_of_type(v, e, irl__type_index(), what);
}

int irl__verify_index_list(irl__verifier *v, int count, const irl_expr *const *list,
                           const char *what)
{
    for (int k = 0; k < count; k++)
        if (!irl__verify_index(v, list[k], what)) return 0;
    return 1;
}

int irl__verify_condition(irl__verifier *v, const irl_expr *e)
{
    return irl__verify_of_type(v, e, irl__type_bool(1), "a condition");
}
