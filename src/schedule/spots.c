/* spots.c - an index of the statements at the top of a function's body: what each contains, names
   and touches, so that a step finds the statements that it concerns without visiting the others.

   needs     named.c; maps and arrays in scratch memory
   promises  finds the same as irl__name_list_of and a walk over the body
   cost      linear in the statements that are put in or taken out, but for the order of nests of
             one name (y_1, y_2 ...), which is an array */
#include "schedule.h"

enum { IRL__SPOTS_LEAST = 4 }; /* of fewer statements nothing is left out */

#define IRL__SPOTS_GAP (UINT64_C(1) << 32) /* between the keys of spots */

/* What the map has for the key; if that is nothing, a new thing of that size. */
static void *irl__spots_made(irl__spots *x, irl__ptr_map *map, const void *key, size_t size)
{
    void *made = irl__ptr_map_get(map, key);
    if (made || !key) return made;
    made = irl__scratch_alloc(x->cx, 1, size);
    return made && irl__ptr_map_put(x->cx, map, key, made) ? made : NULL;
}

irl__spots_name *irl__spots_name_of(irl__spots *x, const char *name)
{
    return (irl__spots_name *)irl__spots_made(x, &x->names, irl__namez(x->cx, name),
                                              sizeof(irl__spots_name));
}

/* ------------------------------------------------------------------ putting a statement in */

typedef struct irl__spots_entering {
    irl__spots *x;
    irl__spot  *spot;
    int         number, is_failed, is_always;
} irl__spots_entering;

/* Where it is in the order of its name, or belongs. */
static size_t irl__spots_place(const irl__spots_entry *e)
{
    size_t low = 0, high = stbds_arrlenu(e->name->order);
    for (size_t mid = high - 1; low < high; mid = (low + high) / 2) { /* mostly it is the last */
        const irl__spots_entry *other = e->name->order[mid];
        if (other->spot != e->spot ? other->spot->key < e->spot->key : other->number < e->number)
            low = mid + 1;
        else high = mid;
    }
    return low;
}

static void irl__spots_enter_name(irl__spots_entering *q, const irl__name_row *one)
{
    irl__spots_name  *n =
        (irl__spots_name *)irl__spots_made(q->x, &q->x->names, one->name, sizeof *n);
    irl__spots_entry *e = n ? IRL__SCRATCH(q->x->cx, irl__spots_entry, 1) : NULL;
    q->is_failed |= !e;
    if (!e) return;
    e->spot = q->spot;
    e->name = n;
    e->id = one->at->id;
    e->number = q->number++;
    e->kind = one->kind;
    e->next_of_spot = q->spot->entries;
    q->spot->entries = e;
    n->count[e->kind]++;
    n->ids[e->kind] += e->id;
    if (!irl__named_counts(e->kind)) return;
    const size_t count = stbds_arrlenu(n->order), at = irl__spots_place(e);
    if (!IRL__PUSH_SCRATCH(q->x->cx, n->order, e)) q->is_failed = 1;
    else memmove(n->order + at + 1, n->order + at, (count - at) * sizeof *n->order);
    if (!q->is_failed) n->order[at] = e;
}

static void irl__spots_touch_new(irl__spots_entering *q, irl__spots_memory *m)
{
    irl__spots_touch *t = IRL__SCRATCH(q->x->cx, irl__spots_touch, 1);
    q->is_failed |= !t;
    if (!t) return;
    t->spot = q->spot;
    t->memory = m;
    t->next = m->touches;
    m->touches = t;
    t->next_of_spot = q->spot->touches;
    q->spot->touches = t;
}

/* The spot's touch of that memory, which is the first one if there is one; NULL: memory is out. */
static irl__spots_touch *irl__spots_touches(irl__spots_entering *q, const irl_expr *data,
                                            int is_write)
{
    irl__spots_memory *m =
        (irl__spots_memory *)irl__spots_made(q->x, &q->x->memory, data, sizeof *m);
    if (m && (!m->touches || m->touches->spot != q->spot)) irl__spots_touch_new(q, m);
    q->is_failed |= !m;
    if (q->is_failed) return NULL;
    irl__spots_touch *t = m->touches;
    m->writes += is_write && !t->is_write;
    t->is_write |= is_write != 0;
    return t;
}

static int irl__spots_declares(void *entering, irl__field_kind kind, const void *at)
{
    irl__spots_entering *q = (irl__spots_entering *)entering;
    const irl_buffer    *b = *(const irl_buffer *const *)at;
    irl__spots_touch    *t = irl__spots_touches(q, b->data, 0);
    irl__spots_name     *n = t ? irl__spots_name_of(q->x, b->name) : NULL;
    (void)kind;
    if (!n || t->buffer) { /* two in one statement: a view of itself */
        q->is_failed |= !n;
        q->x->has_pointers = 1;
        return 1;
    }
    t->buffer = b;
    if (!t->memory->declared) t->memory->declared = t;
    q->is_failed |= !IRL__PUSH_SCRATCH(q->x->cx, n->buffers, t);
    return 1;
}

static void irl__spots_enter_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    (void)s;
    (void)irl__spots_touches((irl__spots_entering *)v->user, b->data, 0);
}

/* A pointer that is handed on may be written through. */
static int irl__spots_enter_expr(irl__visitor *v, const irl_expr *e)
{
    irl__spots_entering *q = (irl__spots_entering *)v->user;
    if (e->op == IRL_OP_VAR && e->type.is_pointer) (void)irl__spots_touches(q, e, 1);
    q->is_always |= e->op == IRL_OP_CALL_EXTERN;
    return (e->flags & IRL__HAS_MEMORY) != 0;
}

static int irl__spots_enter_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__spots_entering *q = (irl__spots_entering *)v->user;
    irl__spots          *x = q->x;
    if (s->kind == IRL__FOR || s->kind == IRL__BLOCK)
        q->is_failed |= !irl__ptr_map_put(x->cx, &x->ids, irl__spots_key(s->id), q->spot);
    if (s->kind != IRL__FOR && s->kind != IRL__STORE)
        (void)irl__fields_each(s, IRL__FIELDS_NEW, irl__spots_declares, q);
    for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->match_count; k++)
        (void)irl__spots_touches(q, s->u.block->matches[k].source.buffer->data, 1);
    if (s->kind == IRL__STORE) (void)irl__spots_touches(q, s->u.store.buffer->data, 1);
    if (s->kind == IRL__LET && s->u.let.var->type.is_pointer) x->has_pointers = 1;
    return 1;
}

/* Is it the first allocation that says of an extent with names in it that it is none below 0? */
static int irl__spots_tells(irl__spots_entering *q, const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    int               tells = 0;
    for (int k = 0; b && k < b->rank; k++) {
        if (b->shape[k]->op == IRL_OP_INT) continue;
        const irl__spot *by = (const irl__spot *)irl__ptr_map_get(&q->x->extents, b->shape[k]);
        if (by && !by->is_gone) continue;
        q->is_failed |= !irl__ptr_map_put(q->x->cx, &q->x->extents, b->shape[k], q->spot);
        tells = 1;
    }
    return tells;
}

static int irl__spots_enter(irl__spots *x, irl__spot *spot)
{
    irl__spots_entering q;
    irl__visitor        v = irl__visitor_make(&q, irl__spots_enter_expr, irl__spots_enter_stmt);
    v.buffer = irl__spots_enter_buffer;
    memset(&q, 0, sizeof q);
    q.x = x;
    q.spot = spot;
    /* What may concern any statement, wherever it is. */
    const irl_stmt *s = spot->stmt;
    q.is_always = (s->kind != IRL__FOR && s->kind != IRL__BLOCK && s->kind != IRL__STORE &&
                   s->kind != IRL__IF && s->kind != IRL__ALLOC && s->kind != IRL__ATTR) ||
                  irl__spots_tells(&q, spot->stmt);
    irl__name_list names;
    if (!irl__name_list_of(x->cx, spot->stmt, &names)) return 0;
    for (int k = 0; k < names.count; k++) irl__spots_enter_name(&q, &names.list[k]);
    irl__visit_stmt(&v, spot->stmt);
    if (q.is_always) irl__spots_touch_new(&q, &x->always);
    return !q.is_failed && irl__ok(x->cx);
}

/* ------------------------------------------------------------------ taking a statement out */

/* Its loops and blocks stay in the table of ids, and its touches in the lists of memory until
   somebody reads these: of a spot that is gone they are no one's. */
static void irl__spots_leave(irl__spots *x, irl__spot *spot)
{
    for (irl__spots_entry *e = spot->entries; e; e = e->next_of_spot) {
        irl__spots_name *n = e->name;
        n->count[e->kind]--;
        n->ids[e->kind] -= e->id;
        if (!irl__named_counts(e->kind)) continue;
        const size_t at = irl__spots_place(e), count = stbds_arrlenu(n->order);
        memmove(n->order + at, n->order + at + 1, (count - at - 1) * sizeof *n->order);
        (void)stbds_arrpop(n->order);
    }
    for (irl__spots_touch *t = spot->touches; t; t = t->next_of_spot) {
        t->memory->writes -= t->is_write;
        if (t->memory->declared == t) t->memory->declared = NULL;
        irl__spots_name *n = t->buffer ? irl__spots_name_of(x, t->buffer->name) : NULL;
        size_t           k = n ? stbds_arrlenu(n->buffers) : 0;
        while (k > 0 && n->buffers[k - 1] != t) k--;
        if (k) n->buffers[k - 1] = stbds_arrpop(n->buffers);
    }
    spot->is_gone = 1;
}

/* ------------------------------------------------------------------ the list */

/* A new spot in front of `after`; NULL: the last. */
static int irl__spots_insert(irl__spots *x, irl__spot *after, const irl_stmt *stmt)
{
    irl__spot *s = IRL__SCRATCH(x->cx, irl__spot, 1);
    if (!s) return 0;
    s->stmt = stmt;
    s->after = after;
    s->before = after ? after->before : x->last;
    if (s->before) s->before->after = s;
    else x->first = s;
    if (after) after->before = s;
    else x->last = s;
    uint64_t low = s->before ? s->before->key : 0;
    s->key = after ? low + (after->key - low) / 2 : low + IRL__SPOTS_GAP;
    if (s->key == low) {
        uint64_t key = 0;
        for (irl__spot *at = x->first; at; at = at->after) at->key = key += IRL__SPOTS_GAP;
    }
    return irl__spots_enter(x, s);
}

int irl__spots_replace(irl__spots *x, irl__spot *first, irl__spot *end,
                       const irl_stmt *const *now, int count)
{
    int k = 0;
    while (first != end && k < count && first->stmt == now[k]) first = first->after, k++;
    while (first != end && k < count &&
           (end ? end->before : x->last)->stmt == now[count - 1]) {
        end = end ? end->before : x->last;
        count--;
    }
    while (first != end) { /* all go before the first comes: ids are kept */
        irl__spot *next = first->after;
        irl__spots_leave(x, first);
        if (first->before) first->before->after = first->after;
        else x->first = first->after;
        if (first->after) first->after->before = first->before;
        else x->last = first->before;
        first = next;
    }
    for (; k < count; k++)
        if (!irl__spots_insert(x, end, now[k])) return 0;
    return 1;
}

irl__spots *irl__spots_make(const irl_func *f)
{
    if (f->body->kind != IRL__SEQ || f->body->u.seq.count < IRL__SPOTS_LEAST) return NULL;
    irl__spots *x = IRL__SCRATCH(f->cx, irl__spots, 1);
    if (!x) return NULL;
    x->cx = f->cx;
    if (!irl__spots_replace(x, NULL, NULL, f->body->u.seq.stmts, f->body->u.seq.count) ||
        x->has_pointers)
        return NULL;
    return x;
}

/* ------------------------------------------------------------------ questions */

static const irl__spots_name *irl__spots_named(const irl__spots *x, const char *name)
{
    return (const irl__spots_name *)irl__ptr_map_get(&x->names, name);
}

int irl__spots_named_count(const irl__spots *x, const char *name)
{
    const irl__spots_name *n = irl__spots_named(x, name);
    return n ? (int)stbds_arrlenu(n->order) + n->count[IRL__NAMED_STORES] : 0;
}

static void irl__spots_numbered(const irl__spots_name *n, int number, irl__named_found *found)
{
    const irl__spots_entry *e =
        n && (size_t)number < stbds_arrlenu(n->order) ? n->order[number] : NULL;
    if (e && irl__named_is_numbered(e->kind))
        irl__named_found_one(&found[irl__named_group(e->kind)], e->id);
}

int irl__spots_look(const irl__spots *x, const irl_func *f, const irl__wanted *wanted,
                    irl__named_found *found)
{
    if (!x || x->f != f) return 0;
    const irl__spots_name *n = irl__spots_named(x, wanted->name);
    for (int k = 0; n && k < IRL__NAMED_KINDS; k++) {
        if (irl__named_is_numbered((irl__named_kind)k)) continue;
        found[k].count = n->count[k];
        found[k].id = n->ids[k];
    }
    irl__spots_numbered(n, 0, found);
    if (wanted->stem)
        irl__spots_numbered(irl__spots_named(x, wanted->stem), wanted->number, found);
    return 1;
}
