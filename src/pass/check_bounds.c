/* check_bounds.c - refuses an access that leaves its buffer, a lane that a vector does not have,
   and an operator that has no value in any run; reports an access that may leave its buffer.

   requires  nothing; before apply_layouts the messages speak of the user's indices
   maintains the function, except for one attribute for each access that is not proved inside
   breaks    nothing
   cost      that of irl__bounds_of

   The attribute is attr(unproved = "..."): irl_func_warnings gives it to programs. */
#include "pass.h"

enum { IRL__BOUNDS_NOTES = 16 }; /* more are counted */

static int irl__check_bounds_refuse(irl_ctx *cx, irl_code code, const irl__bounds *b,
                                    const irl__bounds_finding *g)
{
    irl__text text, remedy;
    irl__text_init(&text, cx);
    irl__bounds_text(&text, b, g);
    irl__text_init(&remedy, cx);
    irl__bounds_put_remedy(&remedy, b, g);
    const char *write = irl__text_done(&remedy);
    irl__fail(cx, code, irl__bounds_place(b, g)->loc, "%s", irl__text_done(&text));
    if (!write || !*write) return 0;
    return irl__hint(cx, code == IRL_ERROR_OUT_OF_BOUNDS ? "%s" : "%s; or have it guarded: "
                     "--bounds guard, irl_lower_options.bounds", write);
}

/* A lane of a vector that has not so many; one that is not a number is the interpreter's. */
typedef struct irl__lanes_seen {
    irl_ctx *cx;
    irl_loc  loc;
} irl__lanes_seen;

static int irl__lanes_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__lanes_seen *seen = (irl__lanes_seen *)v->user;
    if (e->op == IRL_OP_LANE && e->a[1]->op == IRL_OP_INT &&
        (e->a[1]->u.i < 0 || e->a[1]->u.i >= (int64_t)e->a[0]->type.lanes))
        (void)irl__fail(seen->cx, IRL_ERROR_OUT_OF_BOUNDS, seen->loc,
                        "lane %l of a value of %u lanes, which are numbered from 0", e->a[1]->u.i,
                        (uint64_t)e->a[0]->type.lanes);
    return 1;
}

static int irl__lanes_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    ((irl__lanes_seen *)v->user)->loc = s->loc;
    return 1;
}

/* ------------------------------------------------------------------ what is never right */

/* The number that all lanes of e are; 0: it is none. */
static int irl__never_number(const irl_expr *e, irl__scalar *out)
{
    if (e->op == IRL_OP_BROADCAST) e = e->a[0];
    if (e->op != IRL_OP_INT) return 0;
    out->i = e->u.i;
    return 1;
}

/* x / 0, x << 9 of u8: the fold of 1 and that number says so. What not every evaluation of an
   expression reaches is skipped: arms, and the right side of && and ||. */
static int irl__never_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__lanes_seen *seen = (irl__lanes_seen *)v->user;
    irl__scalar      a[3];
    if (irl__expr_is_lazy(e) || e->op == IRL_OP_SELECT) {
        irl__visit_expr(v, e->a[0]);
        return 0;
    }
    if (e->count != 2 || !irl__type_is_integer(e->a[0]->type) || !irl__never_number(e->a[1], &a[1]))
        return 1;
    a[0].i = 1;
    const irl_type         type = irl_type_of((irl_scalar)e->a[0]->type.scalar, 1);
    const irl__fold_status status = irl__fold_scalar((irl_op)e->op, type, a, &a[2]);
    if (status == IRL__FOLD_ZERO_DIVISION || status == IRL__FOLD_BAD_SHIFT)
        (void)irl__operator_fail(seen->cx, seen->loc, e, status);
    return irl__ok(seen->cx);
}

/* What not every run reaches is skipped: branches, blocks with a condition, and loops that may have
   no iteration. */
static int irl__never_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__lanes_seen *seen = (irl__lanes_seen *)v->user;
    seen->loc = s->loc;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__IF: irl__visit_expr(v, s->u.branch.condition); return 0;
    case IRL__FOR: return s->u.loop.extent->op == IRL_OP_INT && s->u.loop.extent->u.i > 0;
    case IRL__BLOCK:
        if (!s->u.block->predicate && !s->u.block->init) irl__visit_stmt(v, s->u.block->body);
        return 0;
    case IRL__ASSUME: return 0;
    default: return irl__ok(seen->cx);
    }
}

int irl__bounds_analyzed(const irl_func *f, irl__accesses *t, irl__bounds *b)
{
    /* The first access that is outside is a failure. */
    irl__lanes_seen seen = { f->cx, irl__nowhere() };
    irl__visitor    v = irl__visitor_make(&seen, irl__lanes_see_expr, irl__lanes_see_stmt);
    irl__visit_stmt(&v, f->body);
    seen.loc = irl__nowhere();
    v = irl__visitor_make(&seen, irl__never_see_expr, irl__never_see_stmt);
    irl__visit_stmt(&v, f->body);
    if (!(irl__ok(f->cx) && irl__accesses_of(t, f, NULL) && irl__bounds_of(b, t))) return 0;
    for (int k = 0; k < b->count; k++)
        if (b->list[k].is_outside)
            return irl__check_bounds_refuse(b->t->cx, IRL_ERROR_OUT_OF_BOUNDS, b, &b->list[k]);
    return 1;
}

irl_func *irl__bounds_unproved(irl_func *f, const char *text)
{
    return f && text ? irl_func_set_attr(f, irl__note_of(IRL__ATTR_UNPROVED, text)) : NULL;
}

/* One attribute each. */
static irl_func *irl__check_bounds_notes(irl_func *f, const irl__bounds *b)
{
    irl__text text;
    int       n = 0;
    for (int k = 0; f && k < b->count; k++) {
        if (irl__bounds_is_half(b, &b->list[k]) || n++ >= IRL__BOUNDS_NOTES) continue;
        irl__text_init(&text, f->cx);
        irl__loc_prefix(&text, f->cx, irl__bounds_place(b, &b->list[k])->loc);
        irl__text_puts(&text, "warning: ");
        irl__bounds_text(&text, b, &b->list[k]);
        if (b->list[k].row >= 0 &&
            b->t->list[b->list[k].row].indices[b->list[k].axis]->op == IRL_OP_INT) {
            irl__text_puts(&text, ": ");
            irl__bounds_put_remedy(&text, b, &b->list[k]);
        }
        f = irl__bounds_unproved(f, irl__text_done(&text));
    }
    if (!f || n <= IRL__BOUNDS_NOTES) return f;
    return irl__bounds_unproved(
        f, irl__format(f->cx, "warning: %d more accesses are not proved to be inside their buffers",
                       n - IRL__BOUNDS_NOTES));
}

/* Without the attributes of an earlier look. */
static irl_func *irl__check_bounds_fresh(const irl_func *f)
{
    irl_func        *copy = irl__func_copy(f->cx, f);
    int              k, n = 0;
    for (k = 0; k < f->annotation_count; k++)
        n += strcmp(f->annotations[k].key, IRL__ATTR_UNPROVED) != 0;
    if (!copy || n == f->annotation_count) return copy;
    irl__annotation *list = IRL__NEW(f->cx, irl__annotation, n);
    if (!list) return NULL;
    for (k = n = 0; k < f->annotation_count; k++)
        if (strcmp(f->annotations[k].key, IRL__ATTR_UNPROVED) != 0) list[n++] = f->annotations[k];
    copy->annotations = list;
    copy->annotation_count = n;
    return copy;
}

/* A copy of the function, with reports of what is not proved; NULL: an access is refused. */
static irl_func *irl__check_bounds_of(const irl_func *f, int reports, int proves)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accesses   t;
    irl__bounds     b;
    irl_func       *out = NULL;
    if (irl__bounds_analyzed(f, &t, &b) &&
        (!proves || b.count == 0 ||
         irl__check_bounds_refuse(f->cx, IRL_ERROR_BOUNDS_UNKNOWN, &b, &b.list[0])))
        out = reports ? irl__check_bounds_notes(irl__check_bounds_fresh(f), &b)
                      : irl__func_copy(f->cx, f);
    irl__scratch_end(f->cx, mark);
    return out;
}

irl_func *irl__pass_check_bounds(const irl_func *f) { return irl__check_bounds_of(f, 1, 0); }
/* The same, but what may leave is refused too. */
irl_func *irl__pass_prove_bounds(const irl_func *f) { return irl__check_bounds_of(f, 0, 1); }
int irl__bounds_ok(const irl_func *f) { return irl__check_bounds_of(f, 0, 0) != NULL; }
