/* window.c - a step sees only what it concerns: a function with the same parameters, whose body has
   the statements that contain the step's arguments, those that the primitive must examine (`sees`
   of primitives.h), the declarations of everything that these touch, and a mark for each part that
   is left out.

   needs     spots.c, names.c
   promises  what a step makes of this part is right in the whole function; a step that is refused
             there, that looks for names elsewhere, or loses a mark, runs once more on the whole
             function, which therefore gives every refusal
   cost      linear in the part; of a refusal, linear in the function */
#include "schedule.h"

typedef struct irl__window_segment {
    const irl_stmt *mark;
    irl__spot      *first, *end; /* from first on, up to end (NULL: the last) */
} irl__window_segment;

typedef struct irl__window {
    irl_ctx             *cx;
    irl__spots          *x;
    irl__spot          **taken; /* in the order in which they stand; scratch */
    irl__window_segment *out;   /* what is left out; scratch */
    uint32_t             stamp; /* of no other step */
    int                  has_evaluate, is_failed;
} irl__window;

/* ------------------------------------------------------------------ which statements */

static void irl__window_take(irl__window *w, irl__spot *spot)
{
    if (spot->taken == w->stamp) return;
    spot->taken = w->stamp;
    w->has_evaluate |= irl__stmt_holds(spot->stmt, 1u << IRL__EVALUATE);
    w->is_failed |= !IRL__PUSH_SCRATCH(w->cx, w->taken, spot);
}

static void irl__window_take_users(irl__window *w, irl__spots_memory *m)
{
    for (irl__spots_touch **at = m ? &m->touches : NULL; at && *at;) {
        if ((*at)->spot->is_gone) *at = (*at)->next;
        else {
            irl__window_take(w, (*at)->spot);
            at = &(*at)->next;
        }
    }
}

/* All that touch a buffer of the name. */
static void irl__window_take_name(irl__window *w, const irl_func *f, const char *name)
{
    const irl__spots_name *n = irl__spots_name_of(w->x, name);
    for (size_t k = 0; n && k < stbds_arrlenu(n->buffers); k++)
        irl__window_take_users(w, n->buffers[k]->memory);
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && strcmp(f->params[k].name, name) == 0)
            irl__window_take_users(w, (irl__spots_memory *)irl__ptr_map_get(&w->x->memory,
                                                                            f->params[k].var));
}

static int irl__window_meets(const irl__window *w, size_t count, const irl__spot *spot)
{
    for (const irl__spots_touch *own = spot->touches; own; own = own->next_of_spot)
        for (size_t k = 0; own->memory->writes && k < count; k++)
            for (const irl__spots_touch *t = w->taken[k]->touches; t; t = t->next_of_spot)
                if (t->memory == own->memory) return 1;
    return 0;
}

/* Of those that touch parameters: who stands between the statements taken. What is computed goes
   past no other, and a parameter keeps its shape. */
static void irl__window_take_passed(irl__window *w, size_t count)
{
    irl__spot *first = w->taken[0], *last = w->taken[0];
    for (size_t k = 1; k < stbds_arrlenu(w->taken); k++) {
        if (w->taken[k]->key < first->key) first = w->taken[k];
        if (w->taken[k]->key > last->key) last = w->taken[k];
    }
    for (; first != last; first = first->after)
        if (irl__window_meets(w, count, first)) irl__window_take(w, first);
}

/* What may concern any statement. What is asserted before anything is computed is believed: there
   no mark stands for declarations. */
static void irl__window_take_always(irl__window *w)
{
    irl__window_take_users(w, &w->x->always);
    irl__spot *at = w->x->always.touches ? w->x->first : NULL;
    for (; at && (at->stmt->kind == IRL__ALLOC || at->taken == w->stamp); at = at->after)
        irl__window_take(w, at);
}

/* By Shell's method. */
static void irl__window_sort(irl__spot **list, size_t count)
{
    size_t gap, j;
    for (gap = 1; gap < count / 3;) gap = 3 * gap + 1;
    for (; gap; gap /= 3)
        for (size_t k = gap; k < count; k++) {
            irl__spot *at = list[k];
            for (j = k; j >= gap && list[j - gap]->key > at->key; j -= gap)
                list[j] = list[j - gap];
            list[j] = at;
        }
}

/* The statement that holds the loop or block of that id. */
static void irl__window_take_id(irl__window *w, uint32_t id)
{
    irl__spot *spot = id ? (irl__spot *)irl__ptr_map_get(&w->x->ids, irl__spots_key(id)) : NULL;
    if (spot && !spot->is_gone) irl__window_take(w, spot);
}

static int irl__window_choose(irl__window *w, irl__sched *s)
{
    const irl__sched_step *step = s->step;
    const irl__sees        sees = step->primitive->sees;
    const int              by_buffer = (sees == IRL__SEES_BUFFER && step->arg_count > 1) ||
                                       (sees == IRL__SEES_READERS && step->arg_count > 3);
    /* The statements that hold the arguments. */
    if (w->x->has_pointers) return 0;
    for (int m = 0; m < step->arg_count; m++) {
        if (step->args[m].kind != IRL__ARG_NAME) continue;
        irl__window_take_id(w, irl__sched_id_of(s, &step->args[m]));
        irl__window_take_id(w, irl__sched_part_of(s, &step->args[m]));
    }
    const size_t count = stbds_arrlenu(w->taken);
    if (!count) return 0;
    if (sees == IRL__SEES_MET) {
        /* All that touch temporaries that the first spots touch, if anybody writes them. */
        const irl__spots_touch *t;
        for (size_t i = 0; i < count; i++)
            for (t = w->taken[i]->touches; t; t = t->next_of_spot)
                if (t->memory->declared && t->memory->writes) irl__window_take_users(w, t->memory);
        irl__window_take_passed(w, count);
    }
    const irl__arg *k = by_buffer ? &step->args[1] : NULL;
    if (k && k->kind == IRL__ARG_NAME) irl__window_take_name(w, s->f, k->name);
    else if (k) {
        /* A K by its number is one of those that the block touches. */
        for (size_t n = 0; n < count; n++)
            for (const irl__spots_touch *t = w->taken[n]->touches; t; t = t->next_of_spot) {
                irl__window_take_users(w, t->memory);
                if (t->memory->declared)
                    irl__window_take_name(w, s->f, t->memory->declared->buffer->name);
            }
    }
    irl__window_take_always(w);
    for (size_t j = 0; j < stbds_arrlenu(w->taken); j++)
        for (const irl__spots_touch *t = w->taken[j]->touches; t; t = t->next_of_spot)
            if (t->memory->declared) irl__window_take(w, t->memory->declared->spot);
    irl__window_sort(w->taken, stbds_arrlenu(w->taken));
    return !w->is_failed;
}

/* ------------------------------------------------------------------ the part */

/* A statement that does nothing, and no primitive makes. */
static int irl__window_mark(irl__window *w, const irl_stmt ***list, irl__spot *first,
                            irl__spot *end)
{
    irl__window_segment out;
    if (first == end) return 1;
    out.first = first;
    out.end = end;
    out.mark = irl_stmt_evaluate(w->cx, irl_expr_index(w->cx, 0));
    return out.mark && IRL__PUSH_SCRATCH(w->cx, w->out, out) &&
           IRL__PUSH_SCRATCH(w->cx, *list, out.mark);
}

static irl_func *irl__window_part(irl__window *w, const irl_func *f)
{
    const irl_stmt **list = NULL;
    irl__spot       *at = w->x->first;
    for (size_t k = 0; k < stbds_arrlenu(w->taken); k++) {
        if (!irl__window_mark(w, &list, at, w->taken[k]) ||
            !IRL__PUSH_SCRATCH(w->cx, list, w->taken[k]->stmt))
            return NULL;
        at = w->taken[k]->after;
    }
    if (!irl__window_mark(w, &list, at, NULL)) return NULL;
    return irl__func_with_body(f, irl__stmt_seq(w->cx, (int)stbds_arrlen(list), list));
}

/* ------------------------------------------------------------------ back into the whole */

/* Do the marks stand as they did, at the top alone? */
static int irl__window_is_whole(const irl__window *w, const irl_stmt *const *now, int count)
{
    size_t at = 0;
    for (int k = 0; k < count; k++) {
        if (at < stbds_arrlenu(w->out) && now[k] == w->out[at].mark) at++;
        else if (!w->has_evaluate && irl__stmt_holds(now[k], 1u << IRL__EVALUATE)) return 0;
    }
    return at == stbds_arrlenu(w->out);
}

static const irl_stmt *const *irl__window_list(const irl_stmt *const *body)
{
    return (*body)->kind == IRL__SEQ ? (*body)->u.seq.stmts : body;
}

irl_func *irl__window_whole(irl__sched *s)
{
    const irl_stmt **list = NULL;
    for (const irl__spot *at = s->spots->first; at; at = at->after)
        if (!IRL__PUSH_SCRATCH(s->cx, list, at->stmt)) return NULL;
    return irl__func_with_body(s->f, irl__stmt_seq(s->cx, (int)stbds_arrlen(list), list));
}

/* Scratch memory of a step goes with it; what a refusal tells of stays. */
static int irl__window_does(irl__sched *s, irl__window_step *does)
{
    const irl__arena_mark mark = irl__scratch_begin(s->cx);
    const int done = irl__name_list_of(s->cx, s->f->body, &s->names) && does(s);
    if (done) irl__scratch_end(s->cx, mark);
    return done;
}

static int irl__window_do_whole(irl__sched *s, irl__window_step *does)
{
    s->f = irl__window_whole(s);
    return s->f && irl__window_does(s, does) &&
           irl__spots_replace(s->spots, s->spots->first, NULL,
                              irl__window_list(&s->f->body), irl__stmt_count(s->f->body));
}

int irl__window_do(irl__sched *s, irl__window_step *does)
{
    const irl_func *f = s->f;
    const size_t    named = stbds_arrlenu(s->named);
    irl__window     w;
    if (!s->spots) return irl__window_does(s, does);
    memset(&w, 0, sizeof w);
    w.cx = s->cx;
    w.x = s->spots;
    w.stamp = ++s->windows;
    s->spots->f = f;
    s->is_doubtful = 0;
    if (!irl__window_choose(&w, s)) return irl__window_do_whole(s, does);
    s->f = irl__window_part(&w, f);
    s->spots->f = s->f;
    if (s->f && irl__window_does(s, does) && !s->is_doubtful) {
        const irl_stmt *const *now = irl__window_list(&s->f->body);
        const int              count = irl__stmt_count(s->f->body);
        if (irl__window_is_whole(&w, now, count)) {
            irl__spot *first = w.x->first;
            int        k = 0, from = 0;
            for (size_t at = 0; at < stbds_arrlenu(w.out); at++) {
                while (now[k] != w.out[at].mark) k++;
                if (!irl__spots_replace(w.x, first, w.out[at].first, now + from, k - from))
                    return 0;
                from = ++k;
                first = w.out[at].end; /* NULL: what comes then is the last */
            }
            return irl__spots_replace(w.x, first, NULL, now + from, count - from);
        }
    }
    if (s->cx->diag.code == IRL_ERROR_OUT_OF_MEMORY ||
        (!irl__ok(s->cx) && !stbds_arrlenu(w.out)))
        return 0;
    memset(&s->cx->diag, 0, sizeof s->cx->diag);
    while (stbds_arrlenu(s->named) > named) (void)stbds_arrpop(s->named);
    s->f = f;
    return irl__window_do_whole(s, does);
}
