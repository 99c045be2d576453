/* check_bounds.c - what leaves its buffer is refused, as is a lane that a vector has not; what may
   leave it is said.

   requires  nothing; before apply_layouts the messages speak of the user's indices
   maintains the function, but for one attribute for each access that is not proved inside
   breaks    nothing
   cost      that of irl__bounds_of

   The attribute is attr(unproved = "..."): irl_func_warnings gives it to programs. */
#include "pass.h"

enum { IRL__BOUNDS_NOTES = 16 }; /* more are counted */

static int irl__check_bounds_refuse(irl_ctx *cx, irl_code code, const irl__bounds *b,
                                    const irl__bounds_finding *g)
{
    irl__text text;
    irl__text_init(&text, cx);
    irl__bounds_text(&text, b, g);
    return irl__fail(cx, code, irl__bounds_place(b, g)->loc, "%s", irl__text_done(&text));
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

int irl__bounds_analyzed(const irl_func *f, irl__accesses *t, irl__bounds *b)
{
    /* The first access that is outside is a failure. */
    irl__lanes_seen seen;
    irl__visitor    v = irl__visitor_make(&seen, irl__lanes_see_expr, irl__lanes_see_stmt);
    seen.cx = f->cx;
    seen.loc = irl__nowhere();
    irl__visit_stmt(&v, f->body);
    if (!(irl__ok(f->cx) && irl__accesses_of(t, f, NULL) && irl__bounds_of(b, t))) return 0;
    for (int k = 0; k < b->count; k++)
        if (b->list[k].is_outside)
            return irl__check_bounds_refuse(b->t->cx, IRL_ERROR_OUT_OF_BOUNDS, b, &b->list[k]);
    return 1;
}

static irl_func *irl__check_bounds_note(irl_func *f, const char *text)
{
    irl_note note = { IRL__ATTR_UNPROVED, NULL, NULL };
    note.text = text;
    return f && text ? irl_func_set_attr(f, note) : NULL;
}

/* One attribute each. */
static irl_func *irl__check_bounds_notes(irl_func *f, const irl__bounds *b)
{
    irl__text text;
    int       k, n = 0;
    for (k = 0; f && k < b->count; k++) {
        if (irl__bounds_is_half(b, &b->list[k]) || n++ >= IRL__BOUNDS_NOTES) continue;
        irl__text_init(&text, f->cx);
        irl__loc_prefix(&text, f->cx, irl__bounds_place(b, &b->list[k])->loc);
        irl__text_puts(&text, "warning: ");
        irl__bounds_text(&text, b, &b->list[k]);
        f = irl__check_bounds_note(f, irl__text_done(&text));
    }
    if (!f || n <= IRL__BOUNDS_NOTES) return f;
    irl__text_init(&text, f->cx);
    irl__textf(&text, "warning: %d more accesses are not proved to be inside their buffers",
               n - IRL__BOUNDS_NOTES);
    return irl__check_bounds_note(f, irl__text_done(&text));
}

/* Without the attributes of an earlier look. */
static irl_func *irl__check_bounds_fresh(const irl_func *f)
{
    irl_func        *copy = irl__func_copy(f->cx, f);
    irl__annotation *list;
    int              k, n = 0;
    for (k = 0; k < f->annotation_count; k++)
        n += strcmp(f->annotations[k].key, IRL__ATTR_UNPROVED) != 0;
    if (!copy || n == f->annotation_count) return copy;
    list = (irl__annotation *)irl__alloc_array(f->cx, (size_t)n, sizeof *list);
    if (!list) return NULL;
    for (k = n = 0; k < f->annotation_count; k++)
        if (strcmp(f->annotations[k].key, IRL__ATTR_UNPROVED) != 0) list[n++] = f->annotations[k];
    copy->annotations = list;
    copy->annotation_count = n;
    return copy;
}

irl_func *irl__pass_check_bounds(const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accesses   t;
    irl__bounds     b;
    irl_func       *out = NULL;
    if (irl__bounds_analyzed(f, &t, &b))
        out = irl__check_bounds_notes(irl__check_bounds_fresh(f), &b);
    irl__scratch_end(f->cx, mark);
    return out;
}

/* The same, but what may leave is refused too. */
irl_func *irl__pass_prove_bounds(const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accesses   t;
    irl__bounds     b;
    int             ok =
        irl__bounds_analyzed(f, &t, &b) &&
        (b.count == 0 || irl__check_bounds_refuse(f->cx, IRL_ERROR_BOUNDS_UNKNOWN, &b, &b.list[0]));
    irl__scratch_end(f->cx, mark);
    return ok ? irl__func_copy(f->cx, f) : NULL;
}

int irl__bounds_ok(const irl_func *f)
{
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__accesses   t;
    irl__bounds     b;
    int             ok = irl__bounds_analyzed(f, &t, &b);
    irl__scratch_end(f->cx, mark);
    return ok;
}
