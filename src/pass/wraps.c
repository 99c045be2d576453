/* wraps.c - the warning of narrow integers that wrap where C would promote them.

   needs     func.c
   promises  names each operand of 8 or 16 bits that may wrap and is then divided, compared, shifted
             right, widened or made a float: there C's int has another value. What only wraps, and
             is stored, has the same bits in C, and is not named
   cost      linear in the function, times the depth to which values are followed */
#include "set.h"

typedef struct irl__wraps_range {
    int64_t lo, hi;
    int     wraps; /* the type may be too narrow for the value, or for one on the way to it */
} irl__wraps_range;

enum { IRL__WRAPS_DEPTH = 6, IRL__WRAPS_MOST = 4 };
typedef struct irl__wraps {
    irl__text      *t;
    const irl_func *f;
    int             count;
} irl__wraps;

static int irl__wraps_is_narrow(irl_type t)
{
    return !t.is_pointer && irl__type_is_integer(t) && irl__type_info(t)->bits <= 16;
}

static irl__wraps_range irl__wraps_of(const irl_expr *e, int depth);

/* The values of e before they are cut to its type. */
static irl__wraps_range irl__wraps_exact(const irl_expr *e, int depth, irl__wraps_range own)
{
    irl__wraps_range a = own, b = own, r = own;
    const irl_expr  *by = e->count == 2 && e->a[1]->op == IRL_OP_INT ? e->a[1] : NULL;
    const int64_t    c = by ? by->u.i : 0;
    if (e->op == IRL_OP_INT) r.lo = r.hi = e->u.i;
    if (e->op == IRL_OP_LOAD && e->u.buffer->bits && e->u.buffer->bits < 16) {
        r.hi = (INT64_C(1) << (e->u.buffer->bits - (own.lo < 0))) - 1;
        r.lo = own.lo < 0 ? -1 - r.hi : 0;
    }
    if (e->op == IRL_OP_BITAND && by && c >= 0) r.lo = 0, r.hi = c;
    if (e->op == IRL_OP_FLOORMOD && by && c > 0) r.lo = 0, r.hi = c - 1;
    if (e->count == 0 || depth == 0 || !irl__wraps_is_narrow(e->a[0]->type)) return r;
    a = irl__wraps_of(e->a[0], depth - 1);
    if (e->count == 2) b = irl__wraps_of(e->a[1], depth - 1);
    switch (e->op) {
    case IRL_OP_CAST: r.lo = a.lo, r.hi = a.hi; return r;
    case IRL_OP_FLOORDIV:
        if (by && c > 0) r.lo = a.lo / c - (a.lo % c < 0), r.hi = a.hi / c - (a.hi % c < 0);
        return r;
    case IRL_OP_SHR:
        if (by && c >= 0 && c < 16) {
            r.lo = a.lo / (1 << c) - (a.lo % (1 << c) < 0);
            r.hi = a.hi / (1 << c) - (a.hi % (1 << c) < 0);
        }
        return r;
    case IRL_OP_MIN:
        r.lo = a.lo < b.lo ? a.lo : b.lo, r.hi = a.hi < b.hi ? a.hi : b.hi;
        return r;
    case IRL_OP_MAX:
        r.lo = a.lo > b.lo ? a.lo : b.lo, r.hi = a.hi > b.hi ? a.hi : b.hi;
        return r;
    case IRL_OP_ADD: r.lo = a.lo + b.lo, r.hi = a.hi + b.hi; break;
    case IRL_OP_SUB: r.lo = a.lo - b.hi, r.hi = a.hi - b.lo; break;
    case IRL_OP_NEG: r.lo = -a.hi, r.hi = -a.lo; break;
    case IRL_OP_MUL: {
        const int64_t p[4] = { a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi };
        r.lo = r.hi = p[0];
        for (int k = 1; k < 4; k++) {
            if (p[k] < r.lo) r.lo = p[k];
            if (p[k] > r.hi) r.hi = p[k];
        }
        break;
    }
    case IRL_OP_SHL:
        if (by && c >= 0 && c < 16) r.lo = a.lo * (1 << c), r.hi = a.hi * (1 << c);
        break;
    default: return r;
    }
    r.wraps = a.wraps || (e->count == 2 && b.wraps);
    return r;
}

static irl__wraps_range irl__wraps_of(const irl_expr *e, int depth)
{
    const int        is_signed = irl__type_is_signed(e->type);
    int              bits = irl__type_info(e->type)->bits;
    irl__wraps_range own, r;
    own.wraps = 0;
    own.lo = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    own.hi = (INT64_C(1) << (bits - is_signed)) - 1;
    r = irl__wraps_exact(e, depth, own);
    if (r.lo >= own.lo && r.hi <= own.hi) return r;
    own.wraps = r.wraps || e->op != IRL_OP_CAST;
    return own;
}

/* What is done with an operand that has another value in C, once it wraps; NULL: nothing. */
static const char *irl__wraps_use(const irl_expr *e)
{
    switch (e->op) {
    case IRL_OP_FLOORDIV:
    case IRL_OP_TRUNCDIV: return "divided";
    case IRL_OP_FLOORMOD:
    case IRL_OP_TRUNCMOD: return "divided with remainder";
    case IRL_OP_SHR: return "shifted right";
    case IRL_OP_EQ:
    case IRL_OP_NE:
    case IRL_OP_LT:
    case IRL_OP_LE:
    case IRL_OP_GT:
    case IRL_OP_GE:
    case IRL_OP_MIN:
    case IRL_OP_MAX: return "compared";
    case IRL_OP_ABS: return "made positive";
    case IRL_OP_CAST:
        return irl__type_is_float(e->type) ? "made a float"
               : irl__wraps_is_narrow(e->a[0]->type) &&
                       irl__type_info(e->type)->bits > irl__type_info(e->a[0]->type)->bits
                   ? "widened" : NULL;
    default: return NULL;
    }
}

static int irl__wraps_see(irl__visitor *v, const irl_expr *e)
{
    irl__wraps *w = (irl__wraps *)v->user;
    const char *use = irl__wraps_use(e);
    for (uint32_t k = 0; use && k < e->count; k++) {
        const irl_expr *x = e->a[k];
        if (!irl__wraps_is_narrow(x->type) || !irl__wraps_of(x, IRL__WRAPS_DEPTH).wraps) continue;
        if (w->count++ >= IRL__WRAPS_MOST) continue;
        irl__textf(w->t, "warning: in '%s', %s may wrap in %s before it is %s: integers are not "
                         "promoted as in C. ",
                   w->f->name, irl_expr_text(w->f->cx, x), irl__type_cstr(w->f->cx, x->type), use);
        irl__textf(w->t, "Widen the operands, i32(...), or state attr(%s = \"intended\")\n",
                   IRL__ATTR_WRAPS);
    }
    return 1;
}

void irl__func_warn_wraps(irl__text *t, const irl_func *f)
{
    irl__wraps   w = { t, f, 0 };
    irl__visitor v = irl__visitor_make(&w, irl__wraps_see, NULL);
    for (int k = 0; k < f->annotation_count; k++)
        if (strcmp(f->annotations[k].key, IRL__ATTR_WRAPS) == 0) return;
    irl__visit_stmt(&v, f->body);
    if (w.count > IRL__WRAPS_MOST)
        irl__textf(t, "warning: in '%s', %d more narrow integers may wrap\n", f->name,
                   w.count - IRL__WRAPS_MOST);
}
