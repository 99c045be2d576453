/* dependence.c - what a function does to memory, for users: accesses, whether two of them meet,
   what a loop carries, whether buffers share memory.

   needs     pair.c, carries.c
   promises  the context owns everything that is returned; nothing is changed
   cost      each question makes the table of accesses of the function, which is linear, and solves
             the systems that its comment states */
#include "analysis.h"

/* ------------------------------------------------------------------ irl_func_accesses */

static int irl__dependence_access(irl_ctx *cx, const irl__access *a, irl_access *out)
{
    static const irl_access_kind kinds[] = { IRL_ACCESS_READ, IRL_ACCESS_WRITE, IRL_ACCESS_UPDATE,
                                             IRL_ACCESS_OPAQUE };
    const irl__around *loop = irl__around_next(a->around, IRL__AROUND_LOOP);
    memset(out, 0, sizeof *out);
    out->kind = kinds[a->kind];
    out->is_declared = a->is_declared;
    out->buffer = a->buffer ? a->buffer->name : NULL;
    irl__text t;
    irl__text_init(&t, cx);
    irl__access_text(&t, a);
    out->text = irl__text_done(&t);
    out->rank = a->rank;
    out->indices = a->indices;
    out->lanes = (int)a->lanes;
    out->loop = loop ? loop->number : -1;
    out->place = a->place ? irl__place_text(cx, a->place->loc) : "";
    const irl_expr **list;
    int              count = 0;
    for (const irl__around *n = irl__around_next(a->around, IRL__AROUND_GUARD); n;
         n = irl__around_next(n->outer, IRL__AROUND_GUARD))
        count++;
    list = IRL__NEW(cx, const irl_expr *, count + 1);
    if (!list) return 0;
    out->guards = list;
    out->guard_count = count;
    for (const irl__around *n = irl__around_next(a->around, IRL__AROUND_GUARD); n;
         n = irl__around_next(n->outer, IRL__AROUND_GUARD))
        list[--count] = n->value;
    return out->text && out->place;
}

static int irl__dependence_table(irl__accesses *t, irl_access_table *out)
{
    irl_access *list = IRL__NEW(t->cx, irl_access, t->count + 1);
    const int   loop_count = (int)stbds_arrlen(t->loops);
    irl_loop   *loops = IRL__NEW(t->cx, irl_loop, loop_count + 1);
    if (!list || !loops) return 0;
    for (int k = 0; k < t->count; k++)
        if (!irl__dependence_access(t->cx, &t->list[k], &list[k])) return 0;
    for (int k = 0; k < loop_count; k++) {
        const irl__around *n = t->loops[k];
        const irl__around *outer = irl__around_next(n->outer, IRL__AROUND_LOOP);
        memset(&loops[k], 0, sizeof loops[k]);
        loops[k].name = n->var->u.name;
        loops[k].var = n->var;
        loops[k].min = n->stmt->u.loop.min;
        loops[k].extent = n->stmt->u.loop.extent;
        loops[k].outer = outer ? outer->number : -1;
        loops[k].first_access = n->first;
        loops[k].end_access = n->end;
        loops[k].place = irl__place_text(t->cx, n->stmt->loc);
        if (loops[k].place == NULL) return 0;
    }
    out->count = t->count;
    out->list = list;
    out->loop_count = loop_count;
    out->loops = loops;
    return 1;
}

const irl_access_table *irl_func_accesses(const irl_func *f)
{
    irl__query        q;
    irl_access_table *out;
    if (!irl__query_begin(&q, f)) return NULL;
    out = (irl_access_table *)irl__alloc(q.cx, sizeof *out);
    if (out && !irl__dependence_table(&q.t, out)) out = NULL;
    return (const irl_access_table *)irl__query_end(&q, out);
}

/* ------------------------------------------------------------------ a meeting, for users */

static irl_meeting *irl__dependence_meeting(irl__accesses *t, const irl__meeting *m)
{
    irl_meeting *out = (irl_meeting *)irl__alloc(t->cx, sizeof *out);
    irl_value *values = IRL__NEW(t->cx, irl_value, m->count + 1);
    if (!out || !values) return NULL;
    memset(out, 0, sizeof *out);
    out->answer = m->answer;
    out->text = irl__meeting_cstr(t, m);
    out->a = m->a && m->answer != IRL_NO ? (int)(m->a - t->list) : -1;
    out->b = m->b && m->answer != IRL_NO ? (int)(m->b - t->list) : -1;
    out->values = values;
    for (int k = 0; k < m->count; k++)
        if (m->values[k].copy >= 0) values[out->value_count++] = m->values[k];
    return out->text ? out : NULL;
}

/* ------------------------------------------------------------------ irl_func_dependence */

/* How iterations that meet stand to one another in loop k; it is known that some do. */
static void irl__dependence_order(irl__pair *p, uint8_t *relation, const irl__meeting *m, int k,
                                  irl_loop_order *out)
{
    const irl__around *loop = irl__pair_loop(p, k);
    const int64_t      a = irl__meeting_at(m, loop->var, 0), b = irl__meeting_at(m, loop->var, 1);
    out->loop = loop->number;
    for (int side = IRL__BEFORE; side <= IRL__AFTER; side *= 2) {
        relation[k] = (uint8_t)side;
        if (irl__pair_meets(p, relation, NULL) != IRL_NO) out->order |= side;
    }
    relation[k] = IRL__ANY;
    if (m->answer != IRL_YES || !irl__sub64(b, a, &out->distance)) return;
    out->is_distance = irl__pair_is_apart(p, NULL, k, out->distance);
    if (!out->is_distance) out->distance = 0;
}

static int irl__dependence_orders(irl__accesses *t, irl__pair *p, const irl__meeting *m,
                                  irl_meeting *out)
{
    const int count = irl__pair_loop_count(p);
    irl_loop_order *list = IRL__NEW(t->cx, irl_loop_order, count + 1);
    uint8_t *relation = (uint8_t *)irl__scratch_alloc(t->cx, (size_t)count + 1, 1);
    if (!list || !relation) return 0;
    memset(list, 0, ((size_t)count + 1) * sizeof *list);
    memset(relation, IRL__ANY, (size_t)count);
    for (int k = 0; k < count && m->answer != IRL_NO; k++)
        irl__dependence_order(p, relation, m, k, &list[k]);
    out->loop_count = m->answer == IRL_NO ? 0 : count;
    out->loops = list;
    return 1;
}

static irl_meeting *irl__dependence_of(irl__accesses *t, int a, int b)
{
    irl__meeting m;
    irl__pair   *p = irl__pair_begin(t, &t->list[a], &t->list[b], IRL__PAIR_STEPS);
    if (!p) return NULL;
    irl__pair_meets(p, NULL, &m);
    irl_meeting *out = irl__ok(t->cx) ? irl__dependence_meeting(t, &m) : NULL;
    return out && irl__dependence_orders(t, p, &m, out) ? out : NULL;
}

static int irl__dependence_number(irl_ctx *cx, const char *what, int k, int count)
{
    if (k >= 0 && k < count) return 1;
    return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no %s of number %d: they are numbered "
                     "from 0, and there are %d", what, k, count);
}

const irl_meeting *irl_func_dependence(const irl_func *f, int a, int b)
{
    irl__query   q;
    irl_meeting *out = NULL;
    if (!irl__query_begin(&q, f)) return NULL;
    if (irl__dependence_number(q.cx, "access", a, q.t.count) &&
        irl__dependence_number(q.cx, "access", b, q.t.count))
        out = irl__dependence_of(&q.t, a, b);
    return (const irl_meeting *)irl__query_end(&q, out);
}

/* ------------------------------------------------------------------ irl_func_carried */

static const irl_meeting *irl__dependence_carried(irl__accesses *t, int loop)
{
    irl__meeting m;
    irl__loop_carries(t, t->loops[loop], &m);
    return irl__ok(t->cx) ? irl__dependence_meeting(t, &m) : NULL;
}

const irl_meeting *irl_func_carried(const irl_func *f, int loop)
{
    irl__query         q;
    const irl_meeting *out = NULL;
    if (!irl__query_begin(&q, f)) return NULL;
    if (irl__dependence_number(q.cx, "loop", loop, (int)stbds_arrlen(q.t.loops)))
        out = irl__dependence_carried(&q.t, loop);
    return (const irl_meeting *)irl__query_end(&q, out);
}

const irl_carried *irl_func_carried_all(const irl_func *f)
{
    irl__query   q;
    irl_carried *list = NULL;
    int          k, ok;
    if (!irl__query_begin(&q, f)) return NULL;
    int count = (int)stbds_arrlen(q.t.loops);
    list = IRL__NEW(q.cx, irl_carried, count + 1);
    for (k = 0, ok = list != NULL; ok && k < count; k++) {
        const irl_meeting *m = list[k].meeting = irl__dependence_carried(&q.t, k);
        list[k].dependence = NULL;
        if (m && m->answer == IRL_YES && m->a >= 0 && m->b >= 0)
            list[k].dependence = irl__dependence_of(&q.t, m->a, m->b);
        ok = m && irl__ok(q.cx);
    }
    return (const irl_carried *)irl__query_end(&q, ok ? list : NULL);
}

/* ------------------------------------------------------------------ irl_func_may_alias */

/* The buffer of a name, views among them. */
typedef struct irl__dependence_named {
    const char       *name;
    const irl_buffer *first, *second; /* that are different */
} irl__dependence_named;

static void irl__dependence_see(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__dependence_named *n = (irl__dependence_named *)v->user;
    (void)s;
    if (strcmp(b->name, n->name) != 0 || b == n->first) return;
    if (n->first) n->second = b;
    else n->first = b;
}

static const irl_buffer *irl__dependence_buffer(const irl_func *f, const char *name)
{
    irl__dependence_named n;
    irl__visitor          v = irl__visitor_make(&n, NULL, NULL);
    memset(&n, 0, sizeof n);
    n.name = name;
    v.buffer = irl__dependence_see;
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer) irl__dependence_see(&v, f->params[k].buffer, NULL);
    irl__visit_stmt(&v, f->body);
    if (n.first && !n.second) return n.first;
    irl__fail(f->cx, IRL_ERROR_UNKNOWN_NAME, f->loc,
              n.first ? "two buffers have the name '%s'" : "there is no buffer '%s'", name);
    return NULL;
}

irl_answer irl_func_may_alias(const irl_func *f, const char *a, const char *b)
{
    irl__query q;
    irl_answer answer = IRL_UNKNOWN;
    if (!f || !a || !b || !irl__ok(f->cx)) return IRL_UNKNOWN;
    const irl_buffer *x = irl__dependence_buffer(f, a);
    const irl_buffer *y = x ? irl__dependence_buffer(f, b) : NULL;
    if (!y) return IRL_UNKNOWN;
    if (!irl__query_begin(&q, f)) return IRL_UNKNOWN;
    answer = irl__buffers_alias(&q.t, x, y);
    return irl__query_end(&q, f) ? answer : IRL_UNKNOWN;
}
