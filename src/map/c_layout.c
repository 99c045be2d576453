/* c_layout.c - does the C function of an IRL_LAYOUT compute what its text says?

   needs     the ranges and facts of src/arith; program.c where they do not suffice
   promises  yes by proof, or by examining every point; no with a point, the operation and its value
             there. Every intermediate result must fit irl_index itself: then neither the promotion
             of short types to int, however short int is, nor the conversion back changes a value.
             If the type, or a constant, is unsigned, no value may be negative. A quotient or
             remainder must be that of the text, which rounds down while C rounds towards 0; a
             number that is shifted may not be negative
   cost      for the proof, a range for each node of the line; the budget bounds the examination of
             points */
#include "map.h"

typedef struct irl__c_judge {
    irl__check          *check;
    irl__analyzer       *an;       /* knows the inputs */
    const irl__c_layout *c;
    int64_t              lo, hi;   /* of what irl_index holds, as far as the line may use it */
    int64_t              work;     /* nodes that may still be looked at */
    int                  rounding; /* only how quotients are rounded: nothing else is asked */
} irl__c_judge;

enum { IRL__C_WORK = 1 << 20 };

static int irl__c_bits(const irl__c_judge *j)
{
    return 8 * j->c->bytes - !j->c->is_unsigned;
}

/* ---------------------------------------------------------- what must hold of a node */

static const irl_expr *irl__c_within(irl_ctx *cx, const irl_expr *e, int64_t lo, int64_t hi)
{
    return irl__and(cx, irl_expr_op2(cx, IRL_OP_GE, e, irl_expr_index(cx, lo)),
                    irl_expr_op2(cx, IRL_OP_LE, e, irl_expr_index(cx, hi)));
}

/* The same operator, rounding down. */
static const irl_expr *irl__c_floors(irl_ctx *cx, const irl_expr *e)
{
    return irl_expr_op2(cx, e->op == IRL_OP_TRUNCDIV ? IRL_OP_FLOORDIV : IRL_OP_FLOORMOD, e->a[0],
                        e->a[1]);
}

/* Why a node is not what the text says: its value does not fit; it rounds otherwise; a divisor of
   irl_floordiv is not above 0; a negative number is shifted; a shift is too far. */
typedef enum irl__c_fault {
    IRL__C_FITS,
    IRL__C_ROUNDS,
    IRL__C_DIVISOR,
    IRL__C_SHIFTS,
    IRL__C_DISTANCE
} irl__c_fault;

/* Whether C computes e as int: it is made of constants alone, none of them longer. What a shift is
   by, and what a choice is made by, does not count. */
static int irl__c_is_int(const irl_expr *e)
{
    uint32_t k, first = e->op == IRL_OP_IF_THEN_ELSE, end = e->count;
    if (e->op == IRL_OP_INT) return e->u.i <= INT32_MAX && e->u.i >= INT32_MIN;
    if (e->op == IRL_OP_VAR || e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) return 0;
    if (e->op == IRL_OP_SHL || e->op == IRL_OP_SHR) end = 1;
    for (k = first; k < end; k++)
        if (!irl__c_is_int(e->a[k])) return 0;
    return 1;
}

/* What holds a node's value: irl_index, or int. */
static irl__interval irl__c_room(const irl__c_judge *j, const irl_expr *e)
{
    irl__interval r;
    r.lo = j->lo;
    r.hi = j->hi;
    if (e->count == 0 || !irl__c_is_int(e)) return r;
    if (r.lo < INT32_MIN) r.lo = INT32_MIN;
    if (r.hi > INT32_MAX) r.hi = INT32_MAX;
    return r;
}

static int irl__c_distance(const irl__c_judge *j, const irl_expr *e)
{
    int bits = irl__c_bits(j);
    return irl__c_is_int(e) && bits > 31 ? 31 : bits;
}

/* The condition that a fault does not occur; NULL: it cannot at this operator. */
static const irl_expr *irl__c_condition(const irl__c_judge *j, const irl_expr *e,
                                        irl__c_fault fault)
{
    irl_ctx      *cx = j->check->cx;
    irl__interval room = irl__c_room(j, e);
    int           is_shift = e->op == IRL_OP_SHL || e->op == IRL_OP_SHR;
    switch (fault) {
    case IRL__C_FITS: return j->rounding ? NULL : irl__c_within(cx, e, room.lo, room.hi);
    case IRL__C_ROUNDS:
        if (e->op != IRL_OP_TRUNCDIV && e->op != IRL_OP_TRUNCMOD) return NULL;
        return irl_expr_op2(cx, IRL_OP_EQ, e, irl__c_floors(cx, e));
    case IRL__C_DIVISOR:
        if (e->op != IRL_OP_FLOORDIV && e->op != IRL_OP_FLOORMOD) return NULL;
        return irl_expr_op2(cx, IRL_OP_GE, e->a[1], irl_expr_index(cx, 1));
    case IRL__C_SHIFTS:
        return is_shift && !j->rounding
                   ? irl_expr_op2(cx, IRL_OP_GE, e->a[0], irl_expr_index(cx, 0))
                   : NULL;
    default:
        return is_shift && !j->rounding ? irl__c_within(cx, e->a[1], 0, irl__c_distance(j, e) - 1)
                                        : NULL;
    }
}

/* By ranges, as most are. */
static int irl__c_is_plain(const irl__c_judge *j, const irl_expr *e, irl__c_fault fault)
{
    irl__interval a, b;
    switch (fault) {
    case IRL__C_FITS:
        a = irl__range_of(j->an, e);
        b = irl__c_room(j, e);
        return a.lo >= b.lo && a.hi <= b.hi;
    case IRL__C_ROUNDS:
        a = irl__range_of(j->an, e->a[0]);
        b = irl__range_of(j->an, e->a[1]);
        return a.lo >= 0 && b.lo > 0;
    case IRL__C_DIVISOR: return irl__range_of(j->an, e->a[1]).lo >= 1;
    case IRL__C_SHIFTS: return irl__range_of(j->an, e->a[0]).lo >= 0;
    default:
        a = irl__range_of(j->an, e->a[1]);
        return a.lo >= 0 && a.hi < irl__c_distance(j, e);
    }
}

/* ---------------------------------------------------------- a point where it does not */

/* The node as it is written: with / and %. */
static const irl_expr *irl__c_written(irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *a[3], *written;
    if (e->count == 0 || e->count > 3) return e;
    for (uint32_t k = 0; k < e->count; k++)
        if (!(a[k] = irl__c_written(cx, e->a[k]))) return NULL;
    written = irl__expr_with(cx, e, a);
    if (!written || (e->op != IRL_OP_TRUNCDIV && e->op != IRL_OP_TRUNCMOD)) return written;
    return irl__c_floors(cx, written);
}

static void irl__c_say(irl__c_judge *j, const irl_expr *e, irl__c_fault fault, const int64_t *at)
{
    irl_verdict   *v = &j->check->v;
    const irl_map *map = j->check->map;
    int64_t        value = 0, other = 0;
    irl__text      t;
    irl__interval  room;
    const irl_expr *shown = fault == IRL__C_SHIFTS                                 ? e->a[0]
                            : fault == IRL__C_DISTANCE || fault == IRL__C_DIVISOR ? e->a[1]
                                                                                  : e;
    (void)irl__value_at(shown, map->input_count, map->inputs, at, &value);
    if (fault == IRL__C_ROUNDS)
        (void)irl__value_at(irl__c_floors(j->check->cx, e), map->input_count, map->inputs, at,
                            &other);
    irl__text_init(&t, j->check->cx);
    irl__text_puts(&t, "at ");
    irl__text_numbers(&t, "()", map->input_count, at);
    irl__textf(&t, " %s is %l",
               irl_expr_text(j->check->cx, irl__c_written(j->check->cx, shown)), value);
    switch (fault) {
    case IRL__C_FITS:
        room = irl__c_room(j, e);
        if (room.hi < j->hi) irl__text_puts(&t, ", and int, the type of constants in C,");
        else if (j->lo == 0 && !j->c->is_unsigned)
            irl__text_puts(&t, ", and an unsigned type, in which C computes it,");
        else {
            irl__text_puts(&t, ", and ");
            irl__textf(&t, "%sint%d_t", j->c->is_unsigned ? "u" : "", 8 * j->c->bytes);
        }
        irl__textf(&t, value < room.lo ? " holds nothing below %l" : " holds nothing above %l",
                   value < room.lo ? room.lo : room.hi);
        break;
    case IRL__C_ROUNDS:
        irl__textf(&t, " in C, which rounds towards 0, and %l in the text: write irl_floor%s",
                   other, e->op == IRL_OP_TRUNCDIV ? "div" : "mod");
        break;
    case IRL__C_DIVISOR:
        irl__text_puts(&t, ", and irl_floordiv and irl_floormod divide by numbers above 0");
        break;
    case IRL__C_SHIFTS: irl__text_puts(&t, ", and C does not define its shift"); break;
    default: irl__textf(&t, ", and the shifted number has %d bits", irl__c_distance(j, e)); break;
    }
    const char *text = irl__text_done(&t);
    v->kind = IRL_C_DIFFERS;
    v->method = "C";
    v->reason = text ? text : "";
    v->a.rank = map->input_count;
    memcpy(v->a.extent, at, (size_t)map->input_count * sizeof *at);
    if (!irl_map_apply(j->check->cx, map, v->a, &v->at)) v->kind = IRL_UNDECIDED;
}

/* 1: `bad` is true nowhere, 0 failed, -1 it is true at `at`, -2 that takes too long to see. */
static int irl__c_look(irl__c_judge *j, const irl_expr *bad, int64_t *at)
{
    irl__check     *c = j->check;
    irl__arena_mark mark = irl__scratch_begin(c->cx);
    irl__output_walk o;
    irl_shape        reduced;
    int              n = 0, i;
    int ok = irl__output_walk_begin(c->cx, &o, c->map, &c->v.shape, &bad, &c->budget);
    if (ok < 0) ok = -2;
    while (ok > 0 && (n = irl__walk_next(&o.walk, &o.program)) > 0) {
        if (!irl__program_run(&o.program, n)) ok = irl__program_fail(&o.program, c->map->loc);
        for (i = 0; ok > 0 && i < n; i++) {
            if (!irl__program_output(&o.program, 0)[i]) continue;
            irl__strip_point(&o.program, i, &reduced);
            irl__axes_point(&o.axes, reduced.extent, c->map->input_count, at);
            ok = -1;
        }
    }
    irl__scratch_end(c->cx, mark);
    return n < 0 ? -2 : ok;
}

/* Corners first, where values are largest and dividends least. */
static int irl__c_find(irl__c_judge *j, const irl_expr *bad, int64_t *at)
{
    irl__check *c = j->check;
    int64_t     value;
    for (int n = 0; n < 2 + 2 * c->v.shape.rank; n++) {
        irl__corner_point(&c->v.shape, n, at);
        if (irl__value_at(bad, c->map->input_count, c->map->inputs, at, &value) == IRL__FOLD_OK &&
            value)
            return -1;
    }
    return irl__c_look(j, bad, at);
}

/* One condition at one node that is reached where `guard` is true (NULL: everywhere). */
static int irl__c_node(irl__c_judge *j, const irl_expr *e, const irl_expr *guard,
                       irl__c_fault fault)
{
    irl_ctx        *cx = j->check->cx;
    const irl_expr *condition = irl__c_condition(j, e, fault), *bad;
    int64_t         at[IRL_MAX_RANK];
    if (!condition) return irl__ok(cx);
    if (irl__c_is_plain(j, e, fault) || irl__prove(j->an, condition)) return 1;
    bad = irl_expr_op1(cx, IRL_OP_NOT, condition);
    if (guard) bad = irl__and(cx, guard, bad);
    if (!bad || !irl__ok(cx)) return 0;
    int ok = irl__c_find(j, bad, at);
    if (ok == -1) irl__c_say(j, e, fault, at);
    if (ok == -2)
        j->check->v.reason = irl__reason(
            cx, "it is not known whether C computes %s as the text says", irl_expr_text(cx, e));
    return ok < 0 ? -1 : ok;
}

/* ---------------------------------------------------------- all nodes, in the order of evaluation
 */

static int irl__c_walk(irl__c_judge *j, const irl_expr *e, const irl_expr *guard);

static int irl__c_walk_operand(irl__c_judge *j, const irl_expr *e, uint32_t k,
                               const irl_expr *guard)
{
    const int holds = irl__expr_when(e, k);
    if (holds < 0) return irl__c_walk(j, e->a[k], guard);
    int mark = irl__facts_mark(j->an), ok = 0;
    guard = irl__and(j->check->cx, guard,
                     holds ? e->a[0] : irl_expr_op1(j->check->cx, IRL_OP_NOT, e->a[0]));
    if (guard && irl__fact_for(j->an, e, k)) ok = irl__c_walk(j, e->a[k], guard);
    irl__facts_release(j->an, mark);
    return ok;
}

/* What becomes an irl_index: constants too. */
static int irl__c_stored(irl__c_judge *j, const irl_expr *e, const irl_expr *guard)
{
    if (e->op == IRL_OP_INT || e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_SELECT)
        return irl__c_node(j, e, guard, IRL__C_FITS);
    return 1;
}

static int irl__c_operator(irl__c_judge *j, const irl_expr *e, const irl_expr *guard)
{
    int fault, k, ok = 1;
    if (!irl__type_is_index(e->type)) return 1;
    if (e->op == IRL_OP_FLOORDIV || e->op == IRL_OP_FLOORMOD) /* the functions of irlayout.h */
        for (k = 0; ok > 0 && k < 2; k++)
            ok = irl__c_stored(j, e->a[k], guard);
    for (fault = IRL__C_FITS; ok > 0 && fault <= IRL__C_DISTANCE; fault++)
        ok = irl__c_node(j, e, guard, (irl__c_fault)fault);
    return ok;
}

/* 1 C computes it as the text says, 0 failed, -1 it does not, or that is not known. */
static int irl__c_walk(irl__c_judge *j, const irl_expr *e, const irl_expr *guard)
{
    int ok = 1;
    if (--j->work < 0) return j->check->v.reason = "the line is too long to be judged as C", -1;
    if (e->op == IRL_OP_VAR) return 1;
    if (e->op == IRL_OP_INT)
        return e->u.i >= 0 || j->lo < 0 ? 1 : irl__c_node(j, e, guard, IRL__C_FITS);
    for (uint32_t k = 0; ok > 0 && k < e->count; k++) ok = irl__c_walk_operand(j, e, k, guard);
    return ok > 0 && !irl__expr_is_lazy(e) ? irl__c_operator(j, e, guard) : ok;
}

/* The function's parameters are of type irl_index, and so is what it stores. */
static int irl__c_ends(irl__c_judge *j)
{
    irl__check *c = j->check;
    int         k, ok = 1;
    for (k = 0; ok > 0 && k < c->map->input_count; k++)
        ok = irl__c_node(j, c->map->inputs[k], NULL, IRL__C_FITS);
    for (k = 0; ok > 0 && k < c->map->output_count; k++)
        ok = irl__c_stored(j, j->c->outputs[k], NULL);
    return ok;
}

static int irl__c_run(irl__check *check, int rounding)
{
    irl__arena_mark mark = irl__scratch_begin(check->cx);
    irl__c_judge    j;
    for (int k = 0; k < check->v.shape.rank; k++)
        if (check->v.shape.extent[k] == 0) return irl__scratch_end(check->cx, mark), 1;
    memset(&j, 0, sizeof j);
    j.check = check;
    j.c = check->map->c;
    j.work = IRL__C_WORK;
    j.rounding = rounding;
    j.an = irl__map_analyzer(check->cx, check->map, &check->v.shape);
    if (!j.c->outputs)
        return check->v.reason = "the line cannot be judged as C",
               irl__scratch_end(check->cx, mark), -1;
    int bits = irl__c_bits(&j);
    j.hi = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
    j.lo = j.c->is_unsigned || j.c->has_unsigned ? 0 : -j.hi - 1;
    int ok = j.an ? irl__c_ends(&j) : 0;
    for (int k = 0; ok > 0 && k < check->map->output_count; k++)
        ok = irl__c_walk(&j, j.c->outputs[k], NULL);
    irl__scratch_end(check->cx, mark);
    return irl__ok(check->cx) ? ok : 0;
}

/* ---------------------------------------------------------- for all values of names */

static int irl__c_rounds_alike(irl_ctx *cx, irl__analyzer *an, const irl_expr *e)
{
    if (e->op != IRL_OP_TRUNCDIV && e->op != IRL_OP_TRUNCMOD) return 1;
    if (irl__range_of(an, e->a[0]).lo >= 0 && irl__range_of(an, e->a[1]).lo > 0) return 1;
    if (irl__prove(an, irl_expr_op2(cx, IRL_OP_GE, e->a[0], irl_expr_index(cx, 0))) &&
        irl__prove(an, irl_expr_op2(cx, IRL_OP_GE, e->a[1], irl_expr_index(cx, 1))))
        return 1;
    return irl__prove(an, irl_expr_op2(cx, IRL_OP_EQ, e, irl__c_floors(cx, e)));
}

const irl_expr *irl__c_unrounded(irl_ctx *cx, irl__analyzer *an, const irl_expr *e)
{
    for (uint32_t k = 0; k < e->count; k++) {
        int             mark = irl__facts_mark(an);
        const irl_expr *part = e->a[k];
        if (irl__fact_for(an, e, k)) part = irl__c_unrounded(cx, an, part);
        irl__facts_release(an, mark);
        if (part) return part;
    }
    return irl__c_rounds_alike(cx, an, e) ? NULL : e;
}

int irl__check_c(irl__check *check) { return check->map->c ? irl__c_run(check, 0) : 1; }
int irl__check_c_rounding(irl__check *check) { return check->map->c ? irl__c_run(check, 1) : 1; }
