/* liveness.c - from when to when memory is touched, in a function and over the launches of a
   module; which values flow where, for users.

   needs     supply.c; the table of accesses
   promises  outside of the rows that are returned nothing touches the memory: a loop that touches
             it in one of its iterations, and does not allocate it, touches it as long as it runs
   cost      linear in the function; for the flows, one question for each pair of a write and a read
             of one memory, at most IRL__SUPPLY_QUESTIONS */
#include "analysis.h"

/* ------------------------------------------------------------------ lives */

static int irl__life_add(irl__accesses *t, irl__life **list, const irl_buffer *b,
                         const irl__around *node)
{
    irl__life one;
    memset(&one, 0, sizeof one);
    one.buffer = b;
    one.memory = b->data;
    one.node = node;
    one.is_parameter = node == NULL;
    return IRL__PUSH_SCRATCH(t->cx, *list, one);
}

/* The innermost loop around both. */
static const irl__around *irl__life_common(const irl__around *a, const irl__around *b)
{
    a = irl__around_next(a, IRL__AROUND_LOOP);
    b = irl__around_next(b, IRL__AROUND_LOOP);
    while (a != b) {
        if (!a || !b) return NULL;
        if (a->loop_count >= b->loop_count) a = irl__around_next(a->outer, IRL__AROUND_LOOP);
        else b = irl__around_next(b->outer, IRL__AROUND_LOOP);
    }
    return a;
}

int irl__lives_of(irl__accesses *t, irl__life **list)
{
    irl__ptr_map of; /* memory -> its life: the array does not move any more */
    int          k;
    memset(&of, 0, sizeof of);
    for (k = 0; k < t->f->param_count; k++)
        if (t->f->params[k].buffer && !irl__life_add(t, list, t->f->params[k].buffer, NULL))
            return 0;
    for (k = 0; k < (int)stbds_arrlen(t->memory); k++)
        if (irl__around_allocates(t->memory[k]) &&
            !irl__life_add(t, list, t->memory[k]->buffer, t->memory[k]))
            return 0;
    for (k = 0; k < (int)stbds_arrlen(*list); k++)
        if (!irl__ptr_map_put(t->cx, &of, (*list)[k].memory, &(*list)[k])) return 0;
    for (k = 0; k < t->count; k++) {
        const irl__access *a = &t->list[k];
        irl__life         *l = (irl__life *)irl__ptr_map_get(&of, a->memory);
        if (!l || a->is_declared) continue;
        l->loop = l->rows.end ? irl__life_common(l->loop, a->around)
                              : irl__around_next(a->around, IRL__AROUND_LOOP);
        if (!l->rows.end) l->rows.first = k;
        l->rows.end = k + 1;
    }
    for (k = 0; k < (int)stbds_arrlen(*list); k++) /* of memory that is allocated at two places */
        (*list)[k].rows = ((irl__life *)irl__ptr_map_get(&of, (*list)[k].memory))->rows;
    return irl__ok(t->cx);
}

/* Of these rows the first and the last that touch it, loops around them counted whole that stand
   inside of the rows' own: what has to be kept while they run. */
static irl__rows irl__life_within(const irl__accesses *t, const irl__life *life, irl__rows rows)
{
    const int last = rows.end < life->rows.end ? rows.end : life->rows.end;
    irl__rows out;
    int       k = rows.first > life->rows.first ? rows.first : life->rows.first;
    out.first = rows.end;
    out.end = rows.first;
    for (; k < last; k++) {
        const irl__around *n = t->list[k].around;
        int                first = k, end = k + 1;
        if (t->list[k].memory != life->memory || t->list[k].is_declared) continue;
        for (n = irl__around_next(n, IRL__AROUND_LOOP); n;
             n = irl__around_next(n->outer, IRL__AROUND_LOOP)) {
            /* the loop stands inside of what allocates the memory */
            if (n->first < rows.first || n->end > rows.end ||
                (n->first == rows.first && n->end == rows.end) ||
                (t->list[k].allocation && n->depth <= t->list[k].allocation->depth))
                break;
            first = n->first;
            end = n->end;
        }
        if (first < out.first) out.first = first;
        if (end > out.end) out.end = end;
    }
    if (out.first >= out.end) out.first = out.end = rows.first;
    return out;
}

/* A row's launches, with those of the loops around it that run while its memory is kept. */
static irl__rows irl__life_launch(const irl__access *a, const irl__life *life)
{
    const int          outer = life->node ? life->node->loop_count : 0;
    const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP);
    irl__rows          out;
    out.first = a->launch - (a->place->kind != IRL__LAUNCH && a->launch > 0);
    out.end = a->launch + 1;
    for (; n && n->loop_count > outer; n = irl__around_next(n->outer, IRL__AROUND_LOOP)) {
        if (n->launch < out.first) out.first = n->launch;
        if (n->launch_end > out.end) out.end = n->launch_end;
    }
    return out;
}

int irl__lives_launches(const irl__accesses *t, int count, const irl__life *list, irl__rows *out)
{
    const int    launches = (int)stbds_arrlen(t->launches);
    irl__ptr_map of; /* memory -> its life */
    memset(&of, 0, sizeof of);
    for (int k = 0; k < count; k++) {
        out[k].first = launches;
        out[k].end = 0;
        if (!irl__ptr_map_put(t->cx, &of, list[k].memory, &list[k])) return 0;
    }
    for (int k = 0; k < t->count; k++) {
        const irl__life *life = (const irl__life *)irl__ptr_map_get(&of, t->list[k].memory);
        irl__rows        rows, *all = life ? &out[life - list] : NULL;
        if (!life || t->list[k].is_declared) continue;
        rows = irl__life_launch(&t->list[k], life);
        if (rows.first < all->first) all->first = rows.first;
        if (rows.end > all->end) all->end = rows.end < launches ? rows.end : launches;
    }
    return 1;
}

/* ------------------------------------------------------------------ irl_func_liveness */

typedef struct irl__life_names {
    const irl_func    *f;
    const irl__around *node;
} irl__life_names;

/* A name that is no parameter, nor of a loop around: of a let of what memory holds, or an axis. */
static int irl__life_is_strange(const irl_expr *e, const void *user)
{
    const irl__life_names *names = (const irl__life_names *)user;
    const irl__around     *n = irl__around_next(names->node, IRL__AROUND_LOOP);
    if (e->flags & IRL__HAS_MEMORY) return 1;
    if (e->op != IRL_OP_VAR) return e->flags & IRL__HAS_VAR ? 0 : -1;
    while (n && n->var != e) n = irl__around_next(n->outer, IRL__AROUND_LOOP);
    return !n && irl__func_param_of(names->f, e) < 0;
}

const irl_expr *irl__life_bytes(irl__accesses *t, const irl__life *life)
{
    const irl_expr *bytes = irl__accesses_plain(t, irl__size_bytes(t->cx, life->buffer));
    irl__life_names names;
    names.f = t->f;
    names.node = life->node;
    return bytes && !irl__expr_any(bytes, irl__life_is_strange, &names)
               ? irl__simplify_size(t->cx, bytes, NULL)
               : NULL;
}

static irl_lives *irl__lives_out(irl_ctx *cx, irl_life *list, const irl__accesses *host)
{
    irl_lives *lives = (irl_lives *)irl__alloc(cx, sizeof *lives);
    if (!lives) return NULL;
    lives->count = (int)stbds_arrlen(list);
    lives->list = list;
    lives->launch_count = host ? (int)stbds_arrlen(host->launches) : 0;
    return lives;
}

/* From the first launch of a kernel to the last. */
static irl__rows irl__life_of_kernel(const irl__accesses *host, const char *kernel)
{
    irl__rows out;
    out.first = out.end = 0;
    for (int k = 0; k < (int)stbds_arrlen(host->launches); k++) {
        if (strcmp(host->launches[k]->u.launch.kernel, kernel) != 0) continue;
        if (!out.end) out.first = k;
        out.end = k + 1;
    }
    return out;
}

/* Adds the lives of t's memory: by accesses (no host), by launches of the host that t is, or of
   what a kernel of that host allocates. */
static int irl__lives_add(irl__accesses *t, const irl__accesses *host, const irl_func *kernel,
                          irl_life **out)
{
    irl__life *list = NULL;
    irl__rows  when, *launches;
    irl_life   one;
    if (!irl__lives_of(t, &list)) return 0;
    launches = IRL__SCRATCH(t->cx, irl__rows, stbds_arrlenu(list) + 1);
    if (!launches || !irl__lives_launches(t, (int)stbds_arrlen(list), list, launches)) return 0;
    for (int k = 0; k < (int)stbds_arrlen(list); k++) {
        if (kernel && list[k].is_parameter) continue;
        when.first = 0;
        when.end = t->count;
        when = kernel ? irl__life_of_kernel(host, kernel->name)
               : host ? launches[k]
                      : irl__life_within(t, &list[k], when);
        memset(&one, 0, sizeof one);
        one.buffer = list[k].buffer->name;
        one.is_parameter = list[k].is_parameter;
        one.scope = (irl_scope)list[k].buffer->scope;
        one.bytes = irl__life_bytes(t, &list[k]);
        one.place = irl__place_text(t->cx, list[k].buffer->loc);
        one.loop = list[k].loop ? list[k].loop->number : -1;
        one.first = when.first < when.end ? when.first : -1;
        one.last = when.first < when.end ? when.end - 1 : -1;
        one.kernel = kernel ? kernel->name : NULL;
        if (!one.place || !IRL__PUSH(t->cx, *out, one)) return 0;
    }
    return 1;
}

const irl_lives *irl_func_liveness(const irl_func *f)
{
    irl__query q;
    irl_life  *list = NULL;
    if (!irl__query_begin(&q, f)) return NULL;
    int ok = irl__lives_add(&q.t, NULL, NULL, &list);
    return (const irl_lives *)irl__query_end(&q, ok ? irl__lives_out(q.cx, list, NULL) : NULL);
}

const irl_lives *irl_module_liveness(const irl_module *m)
{
    irl__query    q;
    irl__accesses t;
    irl_life     *list = NULL;
    if (!m || !irl__query_begin(&q, m->host)) return NULL;
    int ok = irl__lives_add(&q.t, &q.t, NULL, &list);
    for (int k = 0; ok && k < m->kernel_count; k++)
        ok = irl__accesses_of(&t, m->kernels[k], NULL) &&
             irl__lives_add(&t, &q.t, m->kernels[k], &list);
    return (const irl_lives *)irl__query_end(&q, ok ? irl__lives_out(q.cx, list, &q.t) : NULL);
}

/* ------------------------------------------------------------------ irl_flow */

typedef struct irl__supply_out {
    irl__accesses *t;
    irl_flow      *list;
    irl_covered   *reads;
    int64_t        left;
} irl__supply_out;

static int irl__supply_pair(irl__supply_out *o, int writer, int reader)
{
    irl__meeting m;
    irl_flow     one;
    one.writer = writer;
    one.reader = reader;
    if (o->t->list[writer].kind == IRL__ACCESS_READ || o->t->list[writer].is_declared ||
        o->t->list[reader].kind != IRL__ACCESS_READ || o->t->list[reader].is_declared)
        return 1;
    if (--o->left < 0) return 1;
    one.answer = irl__reaches(o->t, &o->t->list[writer], &o->t->list[reader], NULL, &m);
    if (one.answer == IRL_NO) return irl__ok(o->t->cx);
    one.text = irl__meeting_cstr(o->t, &m);
    return one.text && IRL__PUSH(o->t->cx, o->list, one);
}

/* "a[i] at i = 3 is read, and nothing has written it where n = 4"; the reason. */
static const char *irl__supply_hole(irl__accesses *t, const irl__meeting *m)
{
    irl__meeting read;
    irl_witness  w;
    irl__text    text;
    if (m->answer != IRL_NO) return m->answer == IRL_YES ? "" : m->reason ? m->reason : "not known";
    read = *m;
    read.answer = IRL_YES;
    read.b = NULL;
    irl__text_init(&text, t->cx);
    if (!irl__meeting_witness(t->cx, t, &read, &w)) return NULL;
    irl__meeting_said(&text, &w, " is read, but nothing has written it");
    return irl__text_done(&text);
}

static int irl__supply_covered(irl__supply_out *o, int reader)
{
    const irl__access *r = &o->t->list[reader];
    irl__meeting       m;
    irl_covered        one;
    if (r->kind != IRL__ACCESS_READ || r->is_declared || !r->allocation) return 1;
    if (--o->left < 0) return 1;
    one.access = reader;
    one.answer = irl__covered(o->t, r, NULL, &m);
    one.text = irl__supply_hole(o->t, &m);
    return one.text && IRL__PUSH(o->t->cx, o->reads, one);
}

/* Each read with the writers of its memory, in order. */
static int irl__supply_all(irl__supply_out *o)
{
    const irl__access *list = o->t->list;
    int *after = IRL__SCRATCH(o->t->cx, int, o->t->count + 1);
    int  r, w, ok = 1;
    if (!after) return 0;
    for (r = 0; r < o->t->count; r++) after[r] = -1;
    for (r = 0; r < o->t->count; r++)
        if (list[r].previous >= 0) after[list[r].previous] = r;
    for (r = 0; ok && r < o->t->count && o->left >= 0; r++) {
        for (w = list[r].previous; ok && w >= 0 && o->left >= 0; w = list[w].previous)
            ok = irl__supply_pair(o, w, r);
        for (w = after[r]; ok && w >= 0 && o->left >= 0; w = after[w])
            if (irl__access_loop_count(&o->t->list[w])) ok = irl__supply_pair(o, w, r);
        ok = ok && irl__supply_covered(o, r);
    }
    return ok && irl__ok(o->t->cx);
}

const irl_flows *irl_func_flows(const irl_func *f)
{
    irl__query      q;
    irl__supply_out o;
    irl_flows      *out;
    if (!irl__query_begin(&q, f)) return NULL;
    memset(&o, 0, sizeof o);
    out = (irl_flows *)irl__alloc(q.cx, sizeof *out);
    o.t = &q.t;
    o.left = IRL__SUPPLY_QUESTIONS;
    if (out && !irl__supply_all(&o)) out = NULL;
    if (!irl__query_end(&q, out)) return NULL;
    out->is_complete = o.left >= 0;
    out->count = (int)stbds_arrlen(o.list);
    out->list = o.list;
    out->read_count = (int)stbds_arrlen(o.reads);
    out->reads = o.reads;
    return out;
}
