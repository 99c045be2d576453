/* spots.c - the statements at the top of a function's body by what they hold, name and touch, so
   that a step finds what it concerns without looking at the others.

   needs     named.c; maps and arrays in scratch memory
   promises  what irl__name_list_of and a walk over the body would find
   cost      linear in the statements that are put in or taken out; those are linked lists, but for
             the order of nests of one name (y_1, y_2 ...), which is an array */
#include "schedule.h"

enum { IRL__SPOTS_LEAST = 4 }; /* of fewer statements nothing is left out */

#define IRL__SPOTS_GAP (UINT64_C(1) << 32) /* between the keys of spots */

/* ------------------------------------------------------------------ what is known of names */

typedef struct irl__spots_entry irl__spots_entry;

typedef struct irl__spots_name {
    irl__spots_entry  *first[IRL__NAMED_KINDS];
    int                count[IRL__NAMED_KINDS];
    irl__spots_entry **order;   /* of blocks and nests */
    irl__spots_touch **buffers; /* that are declared by that name */
} irl__spots_name;

struct irl__spots_entry {
    irl__spot        *spot;
    irl__spots_name  *name;
    irl__spots_entry *next_of_spot, *before, *after;
    uint32_t          id;
    int               number; /* within the spot */
    irl__named_kind   kind;
};

struct irl__spots {
    irl_ctx          *cx;
    const irl_func   *f;     /* whose index it is */
    irl__spot        *first, *last;
    irl__ptr_map      names; /* of interned texts: irl__spots_name */
    irl__ptr_map      ids;   /* of loops and blocks: irl__spot */
    irl__ptr_map      memory;
    irl__spots_memory always;
    irl__ptr_map      extents; /* no numbers -> the spot of an allocation that tells of them */
    int               has_pointers; /* one stands for what another one does */
};

static const void *irl__spots_key(uint32_t id) { return (const void *)(uintptr_t)id; }

static irl__spots_name *irl__spots_name_of(irl__spots *x, const char *key)
{
    irl__spots_name *n = (irl__spots_name *)irl__ptr_map_get(&x->names, key);
    if (n) return n;
    n = (irl__spots_name *)irl__scratch_alloc(x->cx, 1, sizeof *n);
    return n && irl__ptr_map_put(x->cx, &x->names, key, n) ? n : NULL;
}

/* ------------------------------------------------------------------ the order of them */

static int irl__spots_is_before(const irl__spots_entry *a, const irl__spots_entry *b)
{
    return a->spot != b->spot ? a->spot->key < b->spot->key : a->number < b->number;
}

/* Where it stands, or belongs. */
static size_t irl__spots_place(irl__spots_entry **list, const irl__spots_entry *e)
{
    size_t low = 0, high = stbds_arrlenu(list);
    if (high && irl__spots_is_before(list[high - 1], e)) return high;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (irl__spots_is_before(list[mid], e)) low = mid + 1;
        else high = mid;
    }
    return low;
}

static int irl__spots_order_in(irl__spots *x, irl__spots_entry *e)
{
    const size_t count = stbds_arrlenu(e->name->order), at = irl__spots_place(e->name->order, e);
    if (!IRL__PUSH_SCRATCH(x->cx, e->name->order, e)) return 0;
    memmove(e->name->order + at + 1, e->name->order + at, (count - at) * sizeof *e->name->order);
    e->name->order[at] = e;
    return 1;
}

/* ------------------------------------------------------------------ putting a statement in */

typedef struct irl__spots_entering {
    irl__spots *x;
    irl__spot  *spot;
    int         number, is_failed, is_always;
} irl__spots_entering;

static void irl__spots_enter_name(irl__spots_entering *q, const irl__name_row *one)
{
    const irl__named_kind kind = one->kind;
    irl__spots_name      *n = irl__spots_name_of(q->x, one->name);
    irl__spots_entry *e =
        n ? (irl__spots_entry *)irl__scratch_alloc(q->x->cx, 1, sizeof *e) : NULL;
    q->is_failed |= !e;
    if (!e) return;
    e->spot = q->spot;
    e->name = n;
    e->id = one->at->id;
    e->number = q->number++;
    e->kind = kind;
    e->next_of_spot = q->spot->entries;
    q->spot->entries = e;
    e->after = n->first[kind];
    if (e->after) e->after->before = e;
    n->first[kind] = e;
    n->count[kind]++;
    if (irl__named_counts(kind)) q->is_failed |= !irl__spots_order_in(q->x, e);
}

/* The spot's touch of that memory, a new one if there was none. */
static irl__spots_touch *irl__spots_touch_new(irl__spots_entering *q, irl__spots_memory *m)
{
    irl__spots_touch *t = (irl__spots_touch *)irl__scratch_alloc(q->x->cx, 1, sizeof *t);
    q->is_failed |= !t;
    if (!t) return NULL;
    t->spot = q->spot;
    t->memory = m;
    t->next_of_spot = q->spot->touches;
    q->spot->touches = t;
    t->after = m->touches;
    if (t->after) t->after->before = t;
    m->touches = t; /* the newest: so a spot that touches it again finds itself in front */
    return t;
}

static irl__spots_memory *irl__spots_memory_new(irl__spots_entering *q, const irl_expr *data)
{
    irl__spots_memory *m = (irl__spots_memory *)irl__ptr_map_get(&q->x->memory, data);
    if (m) return m;
    m = (irl__spots_memory *)irl__scratch_alloc(q->x->cx, 1, sizeof *m);
    if (m && !irl__ptr_map_put(q->x->cx, &q->x->memory, data, m)) m = NULL;
    q->is_failed |= !m;
    return m;
}

static irl__spots_touch *irl__spots_touches(irl__spots_entering *q, const irl_expr *data,
                                            int is_write)
{
    irl__spots_memory *m = irl__spots_memory_new(q, data);
    irl__spots_touch  *t = m ? m->touches : NULL;
    if (m && (!t || t->spot != q->spot)) t = irl__spots_touch_new(q, m);
    if (!t) return NULL;
    if (is_write && !t->is_write) {
        t->is_write = 1;
        m->writes++;
    }
    return t;
}

static void irl__spots_declares(irl__spots_entering *q, const irl_buffer *b)
{
    irl__spots_touch *t = irl__spots_touches(q, b->data, 0);
    const char       *key = irl__namez(q->x->cx, b->name);
    irl__spots_name  *n = t && key ? irl__spots_name_of(q->x, key) : NULL;
    if (!n || t->buffer) { /* two in one statement: a view of itself */
        q->is_failed |= !n;
        if (t) q->x->has_pointers = 1;
        return;
    }
    t->buffer = b;
    if (!t->memory->declared) t->memory->declared = t;
    q->is_failed |= !IRL__PUSH_SCRATCH(q->x->cx, n->buffers, t);
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
    if (s->kind == IRL__ALLOC || s->kind == IRL__DECL)
        irl__spots_declares(q, s->u.alloc.buffer);
    if (s->kind == IRL__BLOCK) {
        const irl__block_data *block = s->u.block;
        for (int k = 0; k < block->alloc_count; k++) irl__spots_declares(q, block->allocs[k]);
        for (int k = 0; k < block->match_count; k++) {
            irl__spots_declares(q, block->matches[k].buffer);
            (void)irl__spots_touches(q, block->matches[k].source.buffer->data, 1);
        }
    }
    if (s->kind == IRL__STORE) (void)irl__spots_touches(q, s->u.store.buffer->data, 1);
    if (s->kind == IRL__LET && s->u.let.var->type.is_pointer) x->has_pointers = 1;
    return 1;
}

/* Is it the first allocation that says of an extent with names in it that it is none below 0? */
static int irl__spots_tells(irl__spots_entering *q, const irl_stmt *s)
{
    const irl_buffer *b = s->kind == IRL__ALLOC ? s->u.alloc.buffer : NULL;
    int               k, tells = 0;
    for (k = 0; b && k < b->rank; k++) {
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
    if (q.is_always) (void)irl__spots_touch_new(&q, &x->always);
    return !q.is_failed && irl__ok(x->cx);
}

/* ------------------------------------------------------------------ taking a statement out */

static void irl__spots_leave_buffer(irl__spots *x, const irl__spots_touch *t)
{
    const char      *key = irl__namez(x->cx, t->buffer->name);
    irl__spots_name *n = key ? irl__spots_name_of(x, key) : NULL;
    size_t           k = n ? stbds_arrlenu(n->buffers) : 0;
    while (k > 0 && n->buffers[k - 1] != t) k--;
    if (!k) return;
    n->buffers[k - 1] = n->buffers[stbds_arrlenu(n->buffers) - 1];
    (void)stbds_arrpop(n->buffers);
}

/* Its loops and blocks stay in the table of ids: of a spot that is gone they are no one's. */
static void irl__spots_leave(irl__spots *x, irl__spot *spot)
{
    for (irl__spots_entry *e = spot->entries; e; e = e->next_of_spot) {
        if (irl__named_counts(e->kind)) {
            const size_t at = irl__spots_place(e->name->order, e),
                         count = stbds_arrlenu(e->name->order);
            memmove(e->name->order + at, e->name->order + at + 1,
                    (count - at - 1) * sizeof *e->name->order);
            (void)stbds_arrpop(e->name->order);
        }
        if (e->before) e->before->after = e->after;
        else e->name->first[e->kind] = e->after;
        if (e->after) e->after->before = e->before;
        e->name->count[e->kind]--;
    }
    for (irl__spots_touch *t = spot->touches; t; t = t->next_of_spot) {
        if (t->buffer) irl__spots_leave_buffer(x, t);
        if (t->before) t->before->after = t->after;
        else t->memory->touches = t->after;
        if (t->after) t->after->before = t->before;
        t->memory->writes -= t->is_write;
        if (t->memory->declared == t) t->memory->declared = NULL;
    }
    spot->is_gone = 1;
}

/* ------------------------------------------------------------------ the list */

/* A new spot in front of `after`; NULL: the last. */
static int irl__spots_insert(irl__spots *x, irl__spot *after, const irl_stmt *stmt)
{
    irl__spot *s = (irl__spot *)irl__scratch_alloc(x->cx, 1, sizeof *s);
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
    irl__spots *x;
    if (f->body->kind != IRL__SEQ || f->body->u.seq.count < IRL__SPOTS_LEAST) return NULL;
    x = (irl__spots *)irl__scratch_alloc(f->cx, 1, sizeof *x);
    if (!x) return NULL;
    x->cx = f->cx;
    if (!irl__spots_replace(x, NULL, NULL, f->body->u.seq.stmts, f->body->u.seq.count) ||
        x->has_pointers)
        return NULL;
    return x;
}

/* ------------------------------------------------------------------ questions */

irl__spot *irl__spots_first(const irl__spots *x) { return x->first; }

int irl__spots_has_pointers(const irl__spots *x) { return x->has_pointers; }

irl__spot *irl__spots_of_id(const irl__spots *x, uint32_t id)
{
    irl__spot *spot = id ? (irl__spot *)irl__ptr_map_get(&x->ids, irl__spots_key(id)) : NULL;
    return spot && !spot->is_gone ? spot : NULL;
}

const irl__spots_memory *irl__spots_always(const irl__spots *x) { return &x->always; }

const irl__spots_memory *irl__spots_memory_of(const irl__spots *x, const irl_expr *data)
{
    return (const irl__spots_memory *)irl__ptr_map_get(&x->memory, data);
}

static const irl__spots_name *irl__spots_named(const irl__spots *x, const char *name)
{
    return (const irl__spots_name *)irl__ptr_map_get(&x->names, name);
}

void irl__spots_buffers(const irl__spots *x, const char *name,
                        void (*see)(void *user, const irl__spots_memory *m), void *user)
{
    const char *key = irl__namez(x->cx, name);
    const irl__spots_name *n = key ? irl__spots_named(x, key) : NULL;
    for (size_t k = 0; n && k < stbds_arrlenu(n->buffers); k++) see(user, n->buffers[k]->memory);
}

int irl__spots_knows(const irl__spots *x, const irl_func *f) { return x && x->f == f; }

void irl__spots_is_of(irl__spots *x, const irl_func *f) { x->f = f; }

int irl__spots_named_count(const irl__spots *x, const char *name)
{
    const irl__spots_name *n = irl__spots_named(x, name);
    return n ? (int)stbds_arrlenu(n->order) + n->count[IRL__NAMED_STORES] : 0;
}

static void irl__spots_nest(const irl__spots_name *n, int number, irl__named_found *found)
{
    if (n && (size_t)number < stbds_arrlenu(n->order) &&
        n->order[number]->kind == IRL__NAMED_NEST)
        irl__named_found_one(found, n->order[number]->id);
}

void irl__spots_look(const irl__spots *x, const irl__wanted *wanted, irl__named_found *found)
{
    const irl__spots_name *n = irl__spots_named(x, wanted->name);
    for (int k = 0; n && k < IRL__NAMED_KINDS; k++) {
        if (k == IRL__NAMED_NEST || !n->count[k]) continue;
        found[k].count = n->count[k];
        found[k].id = n->first[k]->id;
    }
    irl__spots_nest(n, 0, &found[IRL__NAMED_NEST]);
    if (wanted->stem)
        irl__spots_nest(irl__spots_named(x, wanted->stem), wanted->number, &found[IRL__NAMED_NEST]);
}
