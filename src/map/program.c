/* program.c - expressions compiled so that they can be evaluated at many points.

   needs     irl__scalar_of for one point, irl__fold_op for what is rare
   promises  the value of the expression as it is written, including its errors: an overflow of an
             index, a division by zero and a bad shift are found at the point where they happen. The
             arms of if_then_else and the right side of && and || are evaluated only where the
             program's meaning says so: errors elsewhere do not count.
   cost      a few nanoseconds for each operator and point */
#include "map.h"

/* ------------------------------------------------------------------ one point */

/* Where the variables stand. */
typedef struct irl__point_in {
    int             count, *next; /* next: names stand in a row, mostly */
    const irl_expr *const *vars;
    const int64_t  *values;
} irl__point_in;

static int irl__point_name(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl__point_in *p = (const irl__point_in *)user;
    int                  n, k = *p->next;
    for (n = 0; n < p->count; n++, k++) {
        if (k >= p->count) k = 0;
        if (p->vars[k] != var) continue;
        *p->next = k + 1;
        return out->i = p->values[k], 1;
    }
    return 0;
}

irl__fold_status irl__value_at_why(const irl_expr *e, int count, const irl_expr *const *vars,
                                   const int64_t *values, int64_t *out, irl__no_value *why)
{
    irl__point_in  p;
    irl__valuation v;
    irl__scalar    value;
    int            next = 0;
    p.count = count;
    p.next = &next;
    p.vars = vars;
    p.values = values;
    v.name = irl__point_name;
    v.call = NULL;
    v.function = NULL;
    v.user = &p;
    v.is_exact = 1;
    value.i = 0;
    irl__fold_status status = irl__scalar_of(&v, e, &value);
    *out = value.i;
    if (why && v.part) {
        why->status = status;
        why->part = v.part;
        why->operand[0] = v.operand[0].i;
        why->operand[1] = v.operand[1].i;
    }
    return status;
}

irl__fold_status irl__value_at(const irl_expr *e, int count, const irl_expr *const *vars,
                               const int64_t *values, int64_t *out)
{
    return irl__value_at_why(e, count, vars, values, out, NULL);
}

/* ------------------------------------------------------------------ compiling */

typedef struct irl__compiler {
    irl__program   *p;
    irl__analyzer  *an;
    const irl_expr *const *inputs;
    /* the slot of each expression, plus one: what is shared is computed once */
    irl__ptr_map done;
    int          capacity;
} irl__compiler;

static int irl__compile(irl__compiler *c, const irl_expr *e);

static int irl__compile_find(const irl__compiler *c, const irl_expr *e)
{
    for (int k = 0; k < c->p->input_count; k++)
        if (c->inputs[k] == e) return k;
    return (int)(uintptr_t)irl__ptr_map_get(&c->done, e) - 1;
}

/* A step has a strip of values, so their number is limited too. */
static int irl__compile_room(irl__compiler *c)
{
    int        n = c->capacity ? c->capacity * 2 : 32;
    irl__step *steps;
    if (c->p->step_count < c->capacity) return 1;
    if (n > IRL__MOST_STEPS)
        return IRL__FAIL(c->p->cx, IRL_ERROR_TOO_LARGE, "a map of more than %d different parts "
                         "cannot be evaluated point by point", IRL__MOST_STEPS);
    steps = IRL__SCRATCH(c->p->cx, irl__step, n);
    if (!steps) return 0;
    if (c->capacity) memcpy(steps, c->p->steps, (size_t)c->capacity * sizeof *steps);
    c->p->steps = steps;
    c->capacity = n;
    return 1;
}

/* Whether the operation has a value for all operands, so that it needs no check. */
static int irl__compile_safe(irl__analyzer *an, const irl_expr *e)
{
    switch (e->op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
    case IRL_OP_NEG:
    case IRL_OP_ABS:
    case IRL_OP_SHL:
    case IRL_OP_SHR: return 0;
    case IRL_OP_FLOORDIV: case IRL_OP_FLOORMOD: case IRL_OP_TRUNCDIV: case IRL_OP_TRUNCMOD:
        return an ? irl__interval_of(an, e->a[1]).lo > 0
                  : e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0;
    default: return 1;
    }
}

static int irl__compile_add(irl__compiler *c, const irl_expr *e, const int *a, int64_t value)
{
    if (!irl__compile_room(c)) return -1;
    irl__step *s = &c->p->steps[c->p->step_count];
    memset(s, 0, sizeof *s);
    s->op = e->op;
    s->scalar = e->count ? e->a[0]->type.scalar : e->type.scalar;
    s->checked = (uint8_t)(e->count > 0 && !irl__compile_safe(c->an, e));
    s->value = value;
    if (a) memcpy(s->a, a, sizeof s->a);
    int slot = c->p->input_count + c->p->step_count++;
    return irl__ptr_map_put(c->p->cx, &c->done, e, (const void *)(uintptr_t)((unsigned)slot + 1))
               ? slot
               : -1;
}

static int irl__compile_refuse(irl__compiler *c, const irl_expr *e)
{
    if (e->op == IRL_OP_VAR)
        IRL__FAIL(c->p->cx, IRL_ERROR_UNDECIDED, "'%s' has no value here: the map depends on a "
                  "symbol", e->u.name);
    else
        IRL__FAIL(c->p->cx, IRL_ERROR_BAD_MAP, "'%s' is not allowed in an index map",
                  irl__op_info((irl_op)e->op)->name);
    return -1;
}

/* The name has the slot of its value, which must exist though the body may not use it. A name that
   has another slot, as a second let of it would give it, is replaced in the body. */
static int irl__compile_let(irl__compiler *c, const irl_expr *e)
{
    const irl_expr *body = e->a[2];
    int             a[3] = { 0, 0, 0 }, own = irl__compile_find(c, e->a[0]);
    a[0] = irl__compile(c, e->a[1]);
    if (a[0] < 0) return -1;
    if (own < 0 && !irl__ptr_map_put(c->p->cx, &c->done, e->a[0],
                                     (const void *)(uintptr_t)((unsigned)a[0] + 1)))
        return -1;
    if (own >= 0 && own != a[0]) body = irl__substitute(c->p->cx, body, 1, &e->a[0], &e->a[1]);
    a[1] = body ? irl__compile(c, body) : -1;
    return a[1] < 0 ? -1 : irl__compile_add(c, e, a, 0);
}

static int irl__compile(irl__compiler *c, const irl_expr *e)
{
    int a[3] = { 0, 0, 0 }, slot = irl__compile_find(c, e);
    if (slot >= 0) return slot;
    if (e->op == IRL_OP_INT) return irl__compile_add(c, e, NULL, e->u.i);
    if (e->op == IRL_OP_LET) return irl__compile_let(c, e);
    if (e->count == 0 || e->count > 3 || e->type.lanes != 1 || e->op == IRL_OP_LOAD ||
        e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC || e->op == IRL_OP_SHUFFLE ||
        e->op == IRL_OP_RAMP || e->op == IRL_OP_LANE ||
        !(irl__type_is_integer(e->type) || e->type.scalar == IRL_BOOL))
        return irl__compile_refuse(c, e);
    for (uint32_t k = 0; k < e->count; k++) {
        if (!(irl__type_is_integer(e->a[k]->type) || e->a[k]->type.scalar == IRL_BOOL))
            return irl__compile_refuse(c, e->a[k]);
        a[k] = irl__compile(c, e->a[k]);
        if (a[k] < 0) return -1;
    }
    return irl__compile_add(c, e, a, e->type.scalar);
}

int irl__program_make(irl_ctx *cx, irl__program *p, irl__analyzer *an, int input_count,
                      const irl_expr *const *inputs, int output_count,
                      const irl_expr *const *outputs)
{
    irl__compiler c;
    memset(&c, 0, sizeof c);
    memset(p, 0, sizeof *p);
    p->cx = cx;
    p->input_count = input_count;
    p->output_count = output_count;
    p->outputs = IRL__SCRATCH(cx, int, output_count + 1);
    if (!p->outputs) return 0;
    p->inputs = inputs;
    p->exprs = outputs;
    c.p = p;
    c.an = an;
    c.inputs = inputs;
    for (int k = 0; k < output_count; k++)
        if ((p->outputs[k] = irl__compile(&c, outputs[k])) < 0) return 0;
    p->slots = IRL__SCRATCH(cx, int64_t, (size_t)(input_count + p->step_count + 1) * IRL__STRIP);
    p->seen = IRL__SCRATCH(cx, uint8_t, p->step_count + 1);
    if (!p->slots || !p->seen) return 0;
    for (int k = 0; k < p->step_count; k++) { /* constants are written once */
        if (p->steps[k].op == IRL_OP_INT)
            for (int i = 0; i < IRL__STRIP; i++)
                p->slots[(ptrdiff_t)(input_count + k) * IRL__STRIP + i] = p->steps[k].value;
    }
    return 1;
}

int irl__program_of_map(irl_ctx *cx, irl__program *p, irl__analyzer *an, const irl_map *map)
{
    return irl__program_make(cx, p, an, map->input_count, map->inputs, map->output_count,
                             map->outputs);
}

/* ------------------------------------------------------------------ running */

/* Any operator, one point after the other, with all checks. */
static int irl__run_slowly(irl__program *p, const irl__step *s, int64_t *out, int count)
{
    int         i, k, arity = irl__op_info((irl_op)s->op)->arity;
    irl_type    type = irl_type_of((irl_scalar)s->scalar, 1);
    irl__scalar a[3], r;
    for (i = 0; i < count; i++) {
        irl__fold_status status;
        for (k = 0; k < arity; k++) a[k].i = p->slots[(ptrdiff_t)s->a[k] * IRL__STRIP + i];
        r.i = 0;
        status = irl__fold_op((irl_op)s->op, type, irl_type_of((irl_scalar)s->value, 1), a, &r);
        if (status != IRL__FOLD_OK) return 0;
        out[i] = r.i;
    }
    return 1;
}

static int64_t irl__quick_floordiv(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b < 0);
}

static int64_t irl__quick_floormod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r + (r < 0 ? b : 0);
}

/* Index arithmetic on whole strips; false where the operator is not one of these or an overflow
   must be looked for. */
static int irl__run_quickly(const irl__program *p, const irl__step *s, int64_t *out, int count)
{
    const int64_t *a = p->slots + (ptrdiff_t)s->a[0] * IRL__STRIP,
                  *b = p->slots + (ptrdiff_t)s->a[1] * IRL__STRIP;
    const int64_t *c = p->slots + (ptrdiff_t)s->a[2] * IRL__STRIP;
    int            i;
    switch (s->op) {
    case IRL_OP_SELECT:
    case IRL_OP_IF_THEN_ELSE:
        for (i = 0; i < count; i++) out[i] = a[i] ? b[i] : c[i];
        return 1;
    case IRL_OP_LET: for (i = 0; i < count; i++) out[i] = b[i]; return 1;
    default: break;
    }
    if (s->scalar != IRL_INDEX || s->checked) return 0;
    switch (s->op) {
    case IRL_OP_FLOORDIV:
        for (i = 0; i < count; i++) out[i] = irl__quick_floordiv(a[i], b[i]);
        return 1;
    case IRL_OP_FLOORMOD:
        for (i = 0; i < count; i++) out[i] = irl__quick_floormod(a[i], b[i]);
        return 1;
    case IRL_OP_MIN: for (i = 0; i < count; i++) out[i] = a[i] < b[i] ? a[i] : b[i]; return 1;
    case IRL_OP_MAX: for (i = 0; i < count; i++) out[i] = a[i] > b[i] ? a[i] : b[i]; return 1;
    case IRL_OP_BITAND: for (i = 0; i < count; i++) out[i] = a[i] & b[i]; return 1;
    case IRL_OP_BITOR: for (i = 0; i < count; i++) out[i] = a[i] | b[i]; return 1;
    case IRL_OP_BITXOR: for (i = 0; i < count; i++) out[i] = a[i] ^ b[i]; return 1;
    case IRL_OP_EQ: for (i = 0; i < count; i++) out[i] = a[i] == b[i]; return 1;
    case IRL_OP_NE: for (i = 0; i < count; i++) out[i] = a[i] != b[i]; return 1;
    case IRL_OP_LT: for (i = 0; i < count; i++) out[i] = a[i] < b[i]; return 1;
    case IRL_OP_LE: for (i = 0; i < count; i++) out[i] = a[i] <= b[i]; return 1;
    case IRL_OP_GT: for (i = 0; i < count; i++) out[i] = a[i] > b[i]; return 1;
    case IRL_OP_GE: for (i = 0; i < count; i++) out[i] = a[i] >= b[i]; return 1;
    default: return 0;
    }
}

/* Sums and products, with the overflow of the strip found at its end by size: |a| + |b| below 2^62
   cannot overflow. */
static int irl__run_linear(const irl__program *p, const irl__step *s, int64_t *out, int count)
{
    const int64_t *a = p->slots + (ptrdiff_t)s->a[0] * IRL__STRIP,
                  *b = p->slots + (ptrdiff_t)s->a[1] * IRL__STRIP;
    const int64_t limit = s->op == IRL_OP_MUL ? INT64_C(0x7fffffff) : INT64_C(0x3fffffffffffffff);
    uint64_t      seen = 0;
    int           i;
    if (s->scalar != IRL_INDEX) return 0;
    if (s->op != IRL_OP_ADD && s->op != IRL_OP_SUB && s->op != IRL_OP_MUL) return 0;
    for (i = 0; i < count; i++)
        seen |= (uint64_t)(a[i] ^ (a[i] >> 63)) | (uint64_t)(b[i] ^ (b[i] >> 63));
    if (seen > (uint64_t)limit) return 0;
    switch (s->op) {
    case IRL_OP_ADD: for (i = 0; i < count; i++) out[i] = a[i] + b[i]; return 1;
    case IRL_OP_SUB: for (i = 0; i < count; i++) out[i] = a[i] - b[i]; return 1;
    default: for (i = 0; i < count; i++) out[i] = a[i] * b[i]; return 1;
    }
}

/* One slot of one point by its meaning: an arm that is not taken is not computed. p->seen holds the
   status of each step, plus 1. */
static irl__fold_status irl__run_slot(irl__program *p, int slot, int i)
{
    irl__scalar      a[3], r;
    irl__fold_status status = IRL__FOLD_OK;
    int              k, taken, arity, at = slot - p->input_count;
    if (at < 0) return IRL__FOLD_OK;
    const irl__step *s = &p->steps[at];
    if (s->op == IRL_OP_INT) return IRL__FOLD_OK;
    if (p->seen[at]) return (irl__fold_status)(p->seen[at] - 1);
    arity = s->op == IRL_OP_LET ? 2 : irl__op_info((irl_op)s->op)->arity; /* its value, its body */
    memset(a, 0, sizeof a);
    r.i = 0;
    for (k = 0, taken = 7; k < arity && status == IRL__FOLD_OK; k++) {
        if (!(taken >> k & 1)) continue;
        status = irl__run_slot(p, s->a[k], i);
        a[k].i = p->slots[(ptrdiff_t)s->a[k] * IRL__STRIP + i];
        if (k == 0 && s->op == IRL_OP_IF_THEN_ELSE) taken = a[0].i ? 3 : 5;
        if (k == 0 && (s->op == IRL_OP_AND || s->op == IRL_OP_OR) &&
            (a[0].i != 0) == (s->op == IRL_OP_OR))
            taken = 1;
    }
    if (status == IRL__FOLD_OK) {
        if (s->op == IRL_OP_IF_THEN_ELSE) r = a[a[0].i ? 1 : 2];
        else if (s->op == IRL_OP_LET) r = a[1];
        else
            status = irl__fold_op((irl_op)s->op, irl_type_of((irl_scalar)s->scalar, 1),
                                  irl_type_of((irl_scalar)s->value, 1), a, &r);
    }
    p->slots[(ptrdiff_t)slot * IRL__STRIP + i] = r.i;
    p->seen[at] = (uint8_t)(status + 1);
    return status;
}

static int irl__run_point(irl__program *p, int i)
{
    memset(p->seen, 0, (size_t)p->step_count);
    for (int k = 0; k < p->output_count; k++) {
        irl__fold_status status = irl__run_slot(p, p->outputs[k], i);
        if (status == IRL__FOLD_OK) continue;
        p->status = status;
        p->failed_at = i;
        return 0;
    }
    return 1;
}

int irl__program_run(irl__program *p, int count)
{
    if (!irl__work(p->cx, ((int64_t)p->step_count + 4) * count)) return 0;
    for (int k = 0; k < p->step_count; k++) {
        const irl__step *s = &p->steps[k];
        int64_t         *out = p->slots + (ptrdiff_t)(p->input_count + k) * IRL__STRIP;
        if (s->op == IRL_OP_INT || irl__run_linear(p, s, out, count) ||
            irl__run_quickly(p, s, out, count) || irl__run_slowly(p, s, out, count))
            continue;
        /* it may stand in an arm that is not taken there: all again, point by point */
        for (int i = 0; i < count; i++)
            if (!irl__work(p->cx, (int64_t)p->step_count * 16) || !irl__run_point(p, i)) return 0;
        return 1;
    }
    return 1;
}

int irl__program_run_some(irl__program *p, int count, uint8_t *has_value)
{
    int i, n = 0, all = irl__program_run(p, count);
    for (i = 0; i < count; i++) n += has_value[i] = (uint8_t)(all || irl__run_point(p, i));
    return n;
}

/* ------------------------------------------------------------------ what went wrong */

/* An expression in at most a line's length. */
static void irl__no_value_part(irl__text *t, const irl_expr *e)
{
    char      line[128];
    irl__text part;
    if (e->size > 256) {
        irl__textf(t, "a '%s' of %u nodes", irl__op_info((irl_op)e->op)->name, (uint64_t)e->size);
        return;
    }
    irl__text_init_fixed(&part, line, sizeof line);
    irl__print_expr(&part, e);
    irl__text_puts(t, line);
    if (part.length + 1 >= sizeof line) irl__text_puts(t, "...");
}

void irl__no_value_text(irl__text *t, const irl__no_value *why)
{
    static const char *const names[] = { "nothing", "division by zero", "overflow",
                                         "the distance of a shift is too large", "no value" };
    irl__text_puts(t, names[why->status]);
    if (!why->part) return;
    irl__text_puts(t, " at ");
    irl__no_value_part(t, why->part);
}

void irl__no_value_point(irl__text *t, const irl__no_value *why, int rank, const int64_t *at)
{
    if (why->part && why->part->count == 2)
        irl__textf(t, "its operands are %l and %l ", why->operand[0], why->operand[1]);
    else if (why->part) irl__textf(t, "its operand is %l ", why->operand[0]);
    irl__text_puts(t, "at ");
    irl__text_numbers(t, "()", rank, at);
}

irl_code irl__no_value_code(irl__fold_status status)
{
    static const irl_code codes[] = { IRL_ERROR_BAD_MAP, IRL_ERROR_DIVISION_BY_ZERO,
                                      IRL_ERROR_OVERFLOW, IRL_ERROR_BAD_VALUE, IRL_ERROR_BAD_MAP };
    return codes[status];
}

int irl__no_value_fail(irl_ctx *cx, irl_loc loc, const irl__no_value *why, int rank,
                       const int64_t *at)
{
    irl__text text;
    char      message[sizeof cx->diag.message];
    irl__text_init_fixed(&text, message, sizeof message);
    irl__no_value_text(&text, why);
    irl__text_puts(&text, ": ");
    irl__no_value_point(&text, why, rank, at);
    return irl__fail(cx, irl__no_value_code(why->status), loc, "%s", message);
}

int irl__program_fail(irl__program *p, irl_loc loc)
{
    int64_t       at[IRL_MAX_RANK], value;
    irl__no_value why;
    memset(&why, 0, sizeof why);
    for (int k = 0; k < p->input_count && k < IRL_MAX_RANK; k++)
        at[k] = irl__program_input(p, k)[p->failed_at];
    for (int k = 0; k < p->output_count && p->input_count <= IRL_MAX_RANK && !why.part; k++)
        if (irl__value_at_why(p->exprs[k], p->input_count, p->inputs, at, &value, &why) !=
            IRL__FOLD_OK)
            break;
    if (!why.part) why.status = p->status;
    return irl__no_value_fail(p->cx, loc, &why, p->input_count <= IRL_MAX_RANK ? p->input_count : 0,
                              at);
}
