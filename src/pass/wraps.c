/* wraps.c - the warning about narrow integers that wrap where C would promote them.

   needs     func.c; arith, for what may wrap; path.c, for what is known where it is computed
   promises  names each operand of 8 or 16 bits that may wrap and is then divided, compared, shifted
             right, widened or converted to a float: there C's int has another value. A value that
             only wraps, and is stored, has the same bits in C, and is not named
   cost      linear in the function, times the depth of its narrow sums; where one of them may wrap
             by its type alone, what is known there */
#include "../analysis/analysis.h"
#include "set.h"

enum { IRL__WRAPS_MOST = 4 };

/* An operand of a choice, which is computed where the condition holds. */
typedef struct irl__wraps_arm irl__wraps_arm;
struct irl__wraps_arm {
    const irl__wraps_arm *outer;
    const irl_expr       *condition;
};
typedef struct irl__wraps {
    irl__analyzer  *an; /* knows nothing */
    irl__text      *t;
    const irl_func *f;
    const irl_stmt *at;
    int             count;
    const irl__wraps_arm *arm; /* the innermost; NULL: none */
    /* Once something may wrap of which nothing is known. */
    irl__accesses table;
    irl__path     path;
    irl__ptr_map  around; /* statement -> what stands around its first row */
} irl__wraps;

static int irl__wraps_is_narrow(irl_type t)
{
    return !t.is_pointer && irl__type_is_integer(t) && irl__type_info(t)->bits <= 16;
}

/* Whether e, or a part that it is computed of without being cut by a cast, may wrap. */
static int irl__wraps_may(irl__analyzer *an, const irl_expr *e)
{
    if (!irl__wraps_is_narrow(e->type) ||
        (e->op != IRL_OP_ADD && e->op != IRL_OP_SUB && e->op != IRL_OP_NEG &&
         e->op != IRL_OP_MUL && e->op != IRL_OP_SHL))
        return 0;
    return !irl__is_exact(an, e) || irl__wraps_may(an, e->a[0]) ||
           (e->count == 2 && irl__wraps_may(an, e->a[1]));
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

static int irl__wraps_begin(irl__wraps *w)
{
    if (!irl__accesses_of(&w->table, w->f, NULL) || !irl__path_begin(&w->path, &w->table)) return 0;
    for (int k = 0; k < w->table.count; k++) {
        const irl__access *a = &w->table.list[k];
        if (a->around && !irl__ptr_map_get(&w->around, a->place) &&
            !irl__ptr_map_put(w->f->cx, &w->around, a->place, a->around))
            return 0;
    }
    return 1;
}

/* Whether x may wrap in the statement, by the loops and conditions around it. */
static int irl__wraps_may_there(irl__wraps *w, const irl_expr *x)
{
    if (!w->path.an && !irl__wraps_begin(w)) return 0;
    const irl__around *around = (const irl__around *)irl__ptr_map_get(&w->around, w->at);
    while (around && (!around->stmt || around->stmt == w->at)) around = around->outer;
    if (!irl__path_to(&w->path, around)) return 0;
    const int facts = irl__facts_mark(w->path.an);
    int       may = 1;
    for (const irl__wraps_arm *arm = w->arm; may && arm; arm = arm->outer)
        may = irl__path_believe(&w->path, arm->condition);
    may = may && irl__wraps_may(w->path.an, irl__accesses_plain(&w->table, x));
    irl__facts_release(w->path.an, facts);
    return may;
}

/* The operands of a choice, each where it is computed. */
static int irl__wraps_see_choice(irl__visitor *v, const irl_expr *e)
{
    irl__wraps    *w = (irl__wraps *)v->user;
    irl__wraps_arm arm;
    arm.outer = w->arm;
    for (uint32_t k = 0; k < e->count; k++) {
        const int holds = irl__expr_when(e, k);
        arm.condition = holds ? e->a[0] : irl_expr_op1(w->f->cx, IRL_OP_NOT, e->a[0]);
        if (holds >= 0) w->arm = &arm;
        irl__visit_expr(v, e->a[k]);
        w->arm = arm.outer;
    }
    return 0;
}

static int irl__wraps_see(irl__visitor *v, const irl_expr *e)
{
    irl__wraps *w = (irl__wraps *)v->user;
    const char *use = irl__wraps_use(e);
    if (irl__expr_is_lazy(e)) return irl__wraps_see_choice(v, e);
    for (uint32_t k = 0; use && k < e->count; k++) {
        const irl_expr *x = e->a[k];
        if (!irl__wraps_may(w->an, x) || !irl__wraps_may_there(w, x)) continue;
        if (w->count++ >= IRL__WRAPS_MOST) continue;
        x = irl__accesses_said(&w->table, x);
        if (!x) return 0;
        irl__textf(w->t, "warning: in '%s', %s may wrap in %s before it is %s: integers are not "
                         "promoted as in C. ",
                   w->f->name, irl_expr_text(w->f->cx, x), irl__type_cstr(w->f->cx, x->type), use);
        irl__textf(w->t, "Write %s, or state attr(%s = \"intended\")\n",
                   irl__widened_text(w->f->cx, x), IRL__ATTR_WRAPS);
    }
    return 1;
}

static int irl__wraps_enter(irl__visitor *v, const irl_stmt *s)
{
    ((irl__wraps *)v->user)->at = s;
    return 1;
}

void irl__func_warn_wraps(irl__text *t, const irl_func *f)
{
    irl__wraps   w;
    irl__visitor v = irl__visitor_make(&w, irl__wraps_see, irl__wraps_enter);
    memset(&w, 0, sizeof w);
    w.t = t;
    w.f = f;
    for (int k = 0; k < f->annotation_count; k++)
        if (strcmp(f->annotations[k].key, IRL__ATTR_WRAPS) == 0) return;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    w.an = irl__analyzer_begin(f->cx);
    if (w.an) irl__visit_stmt(&v, f->body);
    irl__scratch_end(f->cx, mark);
    if (w.count > IRL__WRAPS_MOST)
        irl__textf(t, "warning: in '%s', %d more narrow integers may wrap\n", f->name,
                   w.count - IRL__WRAPS_MOST);
}
