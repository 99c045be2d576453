/* in_place.c - a temporary that a launch makes takes the memory of another one that this launch
   reads for the last time, if no cell is read after it was written.

   requires  split_host and all that changes kernels
   maintains what is computed: memory y becomes memory x of the same bytes and type if the launch
             that first writes y is the last that uses x, x is declared in y's sequence or around
             it, no loop of the host runs the launch while x is still needed, and each read of a
             cell of x comes, within one work-item, before the write of the same cell of y
   breaks    that two parameters of a kernel are different memory: such a kernel says attr(in_place
             = "x"), and its pointers are not `restrict`
   cost      linear in the host, and the launches' arguments squared; for each such launch a
             question about dependences for each pair of a read and a write, at most
             IRL__IN_PLACE_PAIRS of them for at most IRL__IN_PLACE_TRIES pairs of temporaries */
#include "pass.h"

enum { IRL__IN_PLACE_PAIRS = 64, IRL__IN_PLACE_TRIES = 64 };

/* A temporary, and the one whose memory it takes; -1: none. */
typedef struct irl__in_place_life {
    irl__life life;
    irl__rows launches;
    irl__rows scope;   /* the numbers of the sequence that declares it and of those inside of it */
    int       next;    /* that dies in the same launch and is handed to it; -1 */
    int       in, is_taken, is_alone;
} irl__in_place_life;

typedef struct irl__in_place {
    irl_ctx            *cx;
    irl_module         *m; /* changed */
    irl__accesses      *t; /* of its host */
    irl__in_place_life *list;
    int                 count, taken;
    irl__ptr_map        of_memory, of_buffer; /* of these -> its row of the list */
    const irl__around **around; /* of each launch: what stands around it */
    int                *dying;  /* of each launch: the first that dies in it; -1 */
    const irl_func    **kernels; /* the module's, to be changed; NULL: none is yet */
    int                 next_kernel;
} irl__in_place;

/* ------------------------------------------------------------------ in the kernel */

/* Work-items that stand in loops around one of them alone are not told apart. */
static int irl__in_place_has_own_items(const irl__access *a, const irl__pair *p, int common)
{
    const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP);
    for (; n; n = irl__around_next(n->outer, IRL__AROUND_LOOP))
        if (irl__stmt_is_parallel(n->stmt) &&
            (!common || n != irl__pair_loop(p, n->loop_count - 1)))
            return 1;
    return 0;
}

/* Is no cell read by r in an iteration that does not come before that of w which writes it, where
   the two are made to name one memory? False where that is not known. */
static int irl__in_place_pair_ok(irl__accesses *t, const irl__access *r, const irl__access *w)
{
    irl__arena_mark mark = irl__scratch_begin(t->cx);
    irl__access     same = *w;
    same.memory = r->memory;
    irl__pair *p = irl__pair_begin(t, r, &same, IRL__PAIR_STEPS);
    int ok = p && !irl__in_place_has_own_items(r, p, irl__pair_loop_count(p)) &&
             !irl__in_place_has_own_items(w, p, irl__pair_loop_count(p)) &&
             irl__pair_meets_in_order(p, 0, IRL__AFTER, r > w, NULL) == IRL_NO;
    irl__scratch_end(t->cx, mark);
    return ok;
}

/* May the kernel write y where x lies? */
static int irl__in_place_kernel_ok(irl__accesses *t, const irl_expr *x, const irl_expr *y)
{
    int pairs = 0;
    for (int r = 0; r < t->count; r++) {
        const irl__access *a = &t->list[r];
        if (a->is_declared || (a->memory != x && a->memory != y)) continue;
        if (a->kind == IRL__ACCESS_OPAQUE || a->is_texel ||
            (a->memory == x && irl__access_writes(a)))
            return 0;
    }
    for (int r = 0; r < t->count; r++)
        for (int w = 0; t->list[r].memory == x && !t->list[r].is_declared && w < t->count; w++)
            if (t->list[w].memory == y && irl__access_writes(&t->list[w]) &&
                (pairs++ == IRL__IN_PLACE_PAIRS ||
                 !irl__in_place_pair_ok(t, &t->list[r], &t->list[w])))
                return 0;
    return 1;
}

/* ------------------------------------------------------------------ in the host */

/* The launch is handed memory of `own`, which therefore stands around it: in the same loop? */
static int irl__in_place_runs_once(const irl__around *launch, const irl__around *own)
{
    return launch && launch->loop_count == own->loop_count;
}

/* Where the pointer stands among the arguments, alone; -1. */
static int irl__in_place_argument(const irl_stmt *launch, const irl_expr *memory)
{
    int at = -1;
    for (int k = 0; k < launch->u.launch.count; k++)
        if (launch->u.launch.args[k] == memory) {
            if (at >= 0) return -1;
            at = k;
        }
    return at;
}

static int irl__in_place_note(irl__in_place *s, int kernel, int param)
{
    const irl_func *f = s->m->kernels[kernel];
    irl_note        note = { IRL__ATTR_IN_PLACE, NULL, NULL };
    if (irl__func_said(f, note.key, f->params[param].name)) return 1;
    note.text = f->params[param].name;
    if (!s->kernels) s->kernels =
        IRL__COPY(s->cx, const irl_func *, s->m->kernels, s->m->kernel_count);
    f = irl_func_set_attr(f, note);
    if (!s->kernels || !f) return 0;
    s->kernels[kernel] = f;
    s->m->kernels = s->kernels;
    return 1;
}

/* x dies in launch k, y is born in it: takes x's memory for y, where that is right. */
static int irl__in_place_try(irl__in_place *s, const irl_stmt *launch, irl__in_place_life *x,
                             irl__in_place_life *y)
{
    const int     i = irl__in_place_argument(launch, x->life.memory);
    const int     j = irl__in_place_argument(launch, y->life.memory);
    const int     number = irl__launch_kernel(s->m, launch, &s->next_kernel);
    irl__accesses t;
    if (i < 0 || j < 0 || number < 0) return irl__ok(s->cx);
    irl__arena_mark mark = irl__scratch_begin(s->cx);
    int ok = irl__accesses_of(&t, s->m->kernels[number], NULL) &&
             irl__in_place_kernel_ok(&t, s->m->kernels[number]->params[i].var,
                                         s->m->kernels[number]->params[j].var);
    irl__scratch_end(s->cx, mark);
    if (!ok) return irl__ok(s->cx);
    y->in = (int)(x - s->list);
    x->is_taken = 1;
    s->taken++;
    return irl__in_place_note(s, number, i) && irl__in_place_note(s, number, j);
}

/* y is born in launch k: which of those that die there gives it its memory? */
static int irl__in_place_born(irl__in_place *s, int k, irl__in_place_life *y)
{
    const irl_stmt    *launch = s->t->launches[k];
    const irl__around *around = s->around[k];
    int                tries = IRL__IN_PLACE_TRIES;
    if (!irl__in_place_runs_once(around, y->life.node)) return 1;
    for (int x = s->dying[k]; x >= 0 && y->in < 0 && tries > 0; x = s->list[x].next) {
        irl__in_place_life *dies = &s->list[x];
        /* Is x declared in the sequence in which y is, or around it? */
        if (dies == y || dies->is_taken ||
            !(dies->scope.first <= y->scope.first && y->scope.end <= dies->scope.end &&
              y->scope.first < y->scope.end) ||
            !irl__in_place_runs_once(around, dies->life.node))
            continue;
        const irl_buffer *a = dies->life.buffer, *b = y->life.buffer;
        if (a->scope != b->scope || irl__scope_is_image((irl_scope)a->scope) ||
            a->type.scalar != b->type.scalar || a->type.lanes != b->type.lanes ||
            a->alignment < b->alignment || a->offset || b->offset ||
            irl__life_bytes(s->t, &dies->life) == NULL ||
            irl__life_bytes(s->t, &dies->life) != irl__life_bytes(s->t, &y->life))
            continue;
        tries--;
        if (!irl__in_place_try(s, launch, dies, y)) return 0;
    }
    return irl__ok(s->cx);
}

/* Every launch, and what dies and is born in it. */
static int irl__in_place_find(irl__in_place *s)
{
    const int launches = (int)stbds_arrlen(s->t->launches);
    int       k;
    for (int y = 0; y < s->count; y++) {
        irl__in_place_life *one = &s->list[y];
        k = one->launches.first;
        if (one->is_alone && k < launches && k < one->launches.end &&
            irl__in_place_argument(s->t->launches[k], one->life.memory) >= 0 &&
            !irl__in_place_born(s, k, one))
            return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ the tables */

/* Sequences are numbered as they begin. */
typedef struct irl__in_place_scopes {
    irl__in_place *s;
    int            count;
} irl__in_place_scopes;

static int irl__in_place_see_seq(irl__visitor *v, const irl_stmt *seq)
{
    irl__in_place_scopes *q = (irl__in_place_scopes *)v->user;
    const int             number = q->count;
    if (seq->kind != IRL__SEQ) return 1;
    q->count++;
    for (int k = 0; k < seq->u.seq.count; k++) irl__visit_stmt(v, seq->u.seq.stmts[k]);
    for (int k = 0; k < seq->u.seq.count; k++) {
        const irl_stmt *alloc = seq->u.seq.stmts[k];
        irl__in_place_life *one =
            alloc->kind == IRL__ALLOC ? (irl__in_place_life *)irl__ptr_map_get(
                                            &q->s->of_buffer, alloc->u.alloc.buffer)
                                      : NULL;
        if (!one) continue;
        one->scope.first = number;
        one->scope.end = q->count;
    }
    return 0;
}

/* What something else touches than launches, or has another name. */
static void irl__in_place_see_alone(irl__in_place *s)
{
    const irl__accesses *t = s->t;
    irl__in_place_life  *one;
    for (int k = 0; k < s->count; k++)
        s->list[k].is_alone = s->list[k].life.rows.first < s->list[k].life.rows.end;
    for (int k = 0; k < (int)stbds_arrlen(t->memory); k++) {
        const irl_expr *data = t->memory[k]->buffer->data;
        const void     *behind = irl__ptr_map_get(&t->behind, data);
        if (irl__around_allocates(t->memory[k])) continue;
        one = (irl__in_place_life *)irl__ptr_map_get(&s->of_memory, data);
        if (one) one->is_alone = 0;
        one = behind ? (irl__in_place_life *)irl__ptr_map_get(&s->of_memory, behind) : NULL;
        if (one) one->is_alone = 0;
    }
    for (int k = 0; k < t->count; k++) {
        one = (irl__in_place_life *)irl__ptr_map_get(&s->of_memory, t->list[k].memory);
        if (one && t->list[k].place->kind != IRL__LAUNCH) one->is_alone = 0;
        if (t->list[k].place->kind == IRL__LAUNCH)
            s->around[t->list[k].launch] = t->list[k].around;
    }
}

/* Of each launch those of its arguments that die in it, as they stand in the list. */
static void irl__in_place_see_dying(irl__in_place *s)
{
    const int launches = (int)stbds_arrlen(s->t->launches);
    for (int k = 0; k < launches; k++) s->dying[k] = -1;
    for (int k = s->count; k-- > 0;) {
        irl__in_place_life *one = &s->list[k];
        const int           last = one->launches.end - 1;
        one->next = -1;
        if (!one->is_alone || one->launches.first >= last ||
            irl__in_place_argument(s->t->launches[last], one->life.memory) < 0)
            continue;
        one->next = s->dying[last];
        s->dying[last] = k;
    }
}

static int irl__in_place_tables(irl__in_place *s)
{
    const size_t         launches = stbds_arrlenu(s->t->launches);
    s->around = IRL__SCRATCH(s->cx, const irl__around *, launches + 1);
    s->dying = IRL__SCRATCH(s->cx, int, launches + 1);
    if (!s->around || !s->dying) return 0;
    for (int k = 0; k < s->count; k++)
        if (!irl__ptr_map_put(s->cx, &s->of_memory, s->list[k].life.memory, &s->list[k]) ||
            !irl__ptr_map_put(s->cx, &s->of_buffer, s->list[k].life.buffer, &s->list[k]))
            return 0;
    irl__in_place_scopes q = { s, 0 };
    irl__visitor v = irl__visitor_make(&q, NULL, irl__in_place_see_seq);
    irl__visit_stmt(&v, s->m->host->body);
    irl__in_place_see_alone(s);
    irl__in_place_see_dying(s);
    return 1;
}

static int irl__in_place_collect(irl__in_place *s)
{
    irl__life *lives = NULL;
    irl__rows *launches;
    if (!irl__lives_of(s->t, &lives)) return 0;
    int count = (int)stbds_arrlen(lives);
    launches = IRL__SCRATCH(s->cx, irl__rows, count + 1);
    s->list = IRL__SCRATCH(s->cx, irl__in_place_life, count + 1);
    if (!launches || !s->list || !irl__lives_launches(s->t, count, lives, launches)) return 0;
    for (int k = 0; k < count; k++) {
        irl__in_place_life *one = &s->list[s->count];
        if (lives[k].is_parameter) continue;
        one->life = lives[k];
        one->launches = launches[k];
        one->in = -1;
        s->count++;
    }
    return irl__in_place_tables(s);
}

/* ------------------------------------------------------------------ the host without them */

static const irl_stmt *irl__in_place_stmt(irl__rewriter *r, const irl_stmt *s)
{
    const irl__in_place *p = (const irl__in_place *)r->user;
    const irl__in_place_life *one =
        s->kind == IRL__ALLOC
            ? (const irl__in_place_life *)irl__ptr_map_get(&p->of_buffer, s->u.alloc.buffer)
            : NULL;
    return one && one->in >= 0 ? irl__stmt_empty(r->cx) : irl__rewrite_stmt_children(r, s);
}

static const irl_expr *irl__in_place_expr(irl__rewriter *r, const irl_expr *e)
{
    const irl__in_place *p = (const irl__in_place *)r->user;
    const irl__in_place_life *one =
        e->op == IRL_OP_VAR && e->type.is_pointer
            ? (const irl__in_place_life *)irl__ptr_map_get(&p->of_memory, e)
            : NULL;
    return one && one->in >= 0 ? p->list[one->in].life.memory : e;
}

/* Each with its own memory comes to lie in the first one's of its chain. */
static int irl__in_place_root(irl__in_place *s, int k)
{
    int root = k, next;
    while (s->list[root].in >= 0) root = s->list[root].in;
    for (; s->list[k].in >= 0; k = next) {
        next = s->list[k].in;
        s->list[k].in = root;
    }
    return root;
}

/* The host's notes, and "b: in a" for each. */
static int irl__in_place_said(irl__in_place *s, irl_func *host)
{
    irl__annotation *list = IRL__NEW(s->cx, irl__annotation, host->annotation_count + s->taken);
    int n = host->annotation_count;
    if (!list) return 0;
    if (n) memcpy(list, host->annotations, (size_t)n * sizeof *list);
    for (int k = 0; k < s->count; k++) {
        if (s->list[k].in < 0) continue;
        list[n].key = irl__namez(s->cx, IRL__ATTR_IN_PLACE);
        list[n].text = irl__format(s->cx, "%s: in %s", s->list[k].life.buffer->name,
                                   s->list[s->list[k].in].life.buffer->name);
        if (!list[n].key || !list[n++].text) return 0;
    }
    host->annotations = list;
    host->annotation_count = n;
    return 1;
}

static irl_func *irl__in_place_host(irl__in_place *s)
{
    irl__rewriter r = irl__rewriter_make(s->cx, s, irl__in_place_expr, irl__in_place_stmt);
    irl_func     *host = irl__func_copy(s->cx, s->m->host);
    if (!host || !irl__in_place_said(s, host)) return NULL;
    for (int k = 0; k < s->count; k++) irl__in_place_root(s, k);
    return irl__rewrite_func(&r, host);
}

irl_module *irl__pass_in_place(const irl_module *m)
{
    irl__query    q;
    irl__in_place s;
    memset(&s, 0, sizeof s);
    s.cx = m->cx;
    s.m = IRL__COPY(m->cx, irl_module, m, 1);
    if (!s.m || !m->host || !irl__stmt_holds(m->host->body, 1u << IRL__ALLOC) ||
        !irl__stmt_holds(m->host->body, 1u << IRL__LAUNCH))
        return s.m;
    if (!irl__query_begin(&q, m->host)) return NULL;
    s.t = &q.t;
    int ok = irl__in_place_collect(&s) && irl__in_place_find(&s);
    if (ok && s.taken) {
        s.m->host = irl__in_place_host(&s);
        ok = s.m->host != NULL;
    }
    return irl__query_end(&q, ok ? s.m : NULL) ? s.m : NULL;
}
