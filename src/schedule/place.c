/* place.c - where loops and blocks stand in a function, and a function with another statement in
   the place of one of them.

   needs     stmt.c
   promises  what does not stand around the place is shared with the function before; ids and
             locations stay */
#include "schedule.h"

typedef struct irl__place_search {
    irl__place *p;
    uint32_t    id;
} irl__place_search;

static int irl__place_is_not(void *user, irl__field_kind kind, const void *a, const void *b,
                             size_t bytes);

/* The recursion is as deep as statements nest. */
static int irl__place_found(irl__place_search *q, const irl_stmt *s)
{
    if (q->p->count > IRL_MAX_DEPTH) return 0;
    q->p->at[q->p->count++] = s;
    if ((s->id == q->id && q->id) || !irl__fields_each(s, s, irl__place_is_not, q)) return 1;
    q->p->count--;
    return 0;
}

static int irl__place_is_not(void *user, irl__field_kind kind, const void *a, const void *b,
                             size_t bytes)
{
    const irl_stmt *s = kind == IRL__FIELD_STMT ? *(const irl_stmt *const *)a : NULL;
    (void)b, (void)bytes;
    return !s || !irl__place_found((irl__place_search *)user, s);
}

int irl__place_of(const irl_stmt *body, uint32_t id, irl__place *out)
{
    irl__place_search q;
    q.p = out;
    q.id = id;
    out->count = 0;
    return irl__place_found(&q, body);
}

/* ------------------------------------------------------------------ rebuilding */

typedef struct irl__place_swap {
    const irl_stmt *from, *to;
} irl__place_swap;

static const irl_expr *irl__place_expr(irl__rewriter *r, const irl_expr *e)
{
    (void)r;
    return e;
}

static const irl_stmt *irl__place_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__place_swap *swap = (const irl__place_swap *)r->user;
    return s == swap->from ? swap->to : s;
}

irl_func *irl__place_put(const irl_func *f, const irl__place *p, int level, const irl_stmt *now)
{
    irl__place_swap swap;
    irl__rewriter   r = irl__rewriter_make(f->cx, &swap, irl__place_expr, irl__place_stmt);
    for (; now && level > 0; level--) {
        swap.from = p->at[level];
        swap.to = now;
        now = irl__rewrite_stmt_children(&r, p->at[level - 1]);
    }
    return now ? irl__func_with_body(f, now) : NULL;
}
