/* fields.c - what a statement is made of, field by field, by the rows of stmts.h.

   needs     stmts.h
   promises  the one description that walking, rewriting, equality and depth go by */
#include "ir.h"

#define IRL__AT(kind, form, member, count) \
    { IRL__FIELD_##kind, IRL__FIELD_##form, (uint16_t)offsetof(IRL__FIELDS_OF, member), \
      (uint16_t)(count) }
#define IRL__ONE(kind, member) IRL__AT(kind, ONE, member, sizeof ((IRL__FIELDS_OF *)0)->member)
#define IRL__MANY(kind, member, count) \
    IRL__AT(kind, MANY, member, offsetof(IRL__FIELDS_OF, count))
#define IRL__RANK(kind, member, buffer) \
    IRL__AT(kind, AXES, member, offsetof(IRL__FIELDS_OF, buffer))
#define IRL__END { IRL__FIELD_END, 0, 0, 0 }

#define IRL__FIELDS_OF irl_stmt
static const irl__field irl__fields_of_stmt[IRL__STMT_KIND_COUNT + 1][8] = {
#define IRL_STMT_ROW(name, ...) { __VA_ARGS__, IRL__END },
#include "stmts.h"
    { IRL__END }
};
#undef IRL__FIELDS_OF

#define IRL__FIELDS_OF irl__block_data
static const irl__field irl__fields_of_block[] = {
    IRL__ONE(NAME, name), IRL__MANY(AXIS, axes, axis_count), IRL__ONE(EXPR, predicate),
    IRL__MANY(REGION, reads, read_count), IRL__MANY(REGION, writes, write_count),
    IRL__MANY(NOTE, notes, note_count), IRL__MANY(NEW, allocs, alloc_count),
    IRL__MANY(MATCH, matches, match_count), IRL__ONE(STMT, init), IRL__ONE(STMT, body), IRL__END
};
#undef IRL__FIELDS_OF

#define IRL__FIELDS_OF irl__axis
static const irl__field irl__fields_of_axis[] = { IRL__ONE(VALUE, is_reduction),
                                                IRL__ONE(VALUE, is_unstated),
                                                IRL__ONE(EXPR, extent), IRL__ONE(EXPR, binding),
                                                IRL__ONE(VAR, var), IRL__END };
#undef IRL__FIELDS_OF

#define IRL__FIELDS_OF irl__region
static const irl__field irl__fields_of_region[] = { IRL__ONE(BUFFER, buffer),
                                                  IRL__RANK(EXPR, min, buffer),
                                                  IRL__RANK(EXPR, extent, buffer), IRL__END };
#undef IRL__FIELDS_OF

#define IRL__FIELDS_OF irl__match
static const irl__field irl__fields_of_match[] = { IRL__ONE(REGION, source), IRL__ONE(NEW, buffer),
                                                 IRL__END };
#undef IRL__FIELDS_OF
#undef IRL__AT
#undef IRL__ONE
#undef IRL__MANY
#undef IRL__RANK
#undef IRL__END

/* What is of no kind, which the verifier refuses, has no fields. */
const irl__field *irl__stmt_fields(const irl_stmt *s)
{
    int kind = s->kind;
    return irl__fields_of_stmt[kind < IRL__STMT_KIND_COUNT ? kind : (int)IRL__STMT_KIND_COUNT];
}

/* By irl__field_kind: the fields of a record, and how many bytes one of a list takes. */
static const struct {
    const irl__field *fields; /* NULL: it is no record */
    size_t            bytes;
} irl__field_kinds[] = {
    { NULL, 0 },                                    /* END */
    { NULL, sizeof(const irl_expr *) },             /* EXPR */
    { NULL, sizeof(const irl_stmt *) },             /* STMT */
    { NULL, sizeof(const irl_buffer *) },           /* BUFFER */
    { NULL, sizeof(const irl_buffer *) },           /* NEW */
    { irl__fields_of_block, sizeof(const irl__block_data *) },
    { irl__fields_of_axis, sizeof(irl__axis) },
    { irl__fields_of_region, sizeof(irl__region) },
    { irl__fields_of_match, sizeof(irl__match) },
    { NULL, sizeof(const irl_expr *) },             /* VAR */
    { NULL, sizeof(const char *) },                 /* NAME */
    { NULL, 0 },                                    /* VALUE: in no list */
    { NULL, sizeof(irl__annotation) }               /* NOTE */
};

const irl__field *irl__record_fields(int kind) { return irl__field_kinds[kind].fields; }

irl__elements irl__field_elements(const irl__field *p, const void *whole)
{
    const char   *base = (const char *)whole;
    irl__elements e;
    if (p->form == IRL__FIELD_ONE) {
        e.first = base + p->at;
        e.bytes = p->count;
        e.count = 1;
        return e;
    }
    memcpy(&e.first, base + p->at, sizeof e.first); /* whatever it points to */
    base += p->count;
    e.bytes = irl__field_kinds[p->kind].bytes;
    e.count = p->form == IRL__FIELD_MANY
                  ? *(const int *)(const void *)base
                  : (*(const irl_buffer *const *)(const void *)base)->rank;
    return e;
}

/* The record that stands at `at`: a block's stands elsewhere. */
static const void *irl__record_at(int kind, const void *at)
{
    return kind == IRL__FIELD_BLOCK ? *(const irl__block_data *const *)at : at;
}

typedef struct irl__fields_search {
    unsigned       kinds;
    irl__field_fn *fn;
    void          *user;
} irl__fields_search;

static int irl__fields_walk(const irl__fields_search *q, const irl__field *p, const void *whole);

static int irl__fields_one(const irl__fields_search *q, int kind, const void *at)
{
    const irl__field *inner = irl__field_kinds[kind].fields;
    return inner ? irl__fields_walk(q, inner, irl__record_at(kind, at))
                 : q->fn(q->user, (irl__field_kind)kind, at);
}

static int irl__fields_walk(const irl__fields_search *q, const irl__field *p, const void *whole)
{
    for (; p->kind != IRL__FIELD_END; p++) {
        irl__elements x;
        if (!(q->kinds >> p->kind & 1)) continue;
        if (p->form == IRL__FIELD_ONE) {
            if (!irl__fields_one(q, p->kind, (const char *)whole + p->at)) return 0;
            continue;
        }
        for (x = irl__field_elements(p, whole); x.count > 0; x.count--, x.first += x.bytes)
            if (!irl__fields_one(q, p->kind, x.first)) return 0;
    }
    return 1;
}

/* Most statements are sequences of others, loops around others, or have none in them: what these
   hold is given without looking through their rows. */
static int irl__fields_stmts(const irl_stmt *s, irl__field_fn *fn, void *user, int *answer)
{
    int k;
    *answer = 1;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        for (k = 0; *answer && k < s->u.seq.count; k++)
            *answer = fn(user, IRL__FIELD_STMT, &s->u.seq.stmts[k]);
        return 1;
    case IRL__FOR: *answer = fn(user, IRL__FIELD_STMT, &s->u.loop.body); return 1;
    case IRL__STORE: case IRL__ALLOC: case IRL__LET: return 1;
    default: return 0;
    }
}

int irl__fields_each(const irl_stmt *s, unsigned kinds, irl__field_fn *fn, void *user)
{
    irl__fields_search q;
    int                answer;
    if (kinds == IRL__FIELDS_STMTS && irl__fields_stmts(s, fn, user, &answer)) return answer;
    q.kinds = kinds;
    q.fn = fn;
    q.user = user;
    return irl__fields_walk(&q, irl__stmt_fields(s), s);
}

static int irl__fields_walk_both(const irl__field *p, const void *a, const void *b,
                                 irl__fields_fn *fn, void *user)
{
    for (; p->kind != IRL__FIELD_END; p++) {
        const irl__field *inner = irl__field_kinds[p->kind].fields;
        irl__elements     x = irl__field_elements(p, a), y = irl__field_elements(p, b);
        if (x.count != y.count) return 0;
        for (; x.count > 0; x.count--, x.first += x.bytes, y.first += x.bytes)
            if (inner ? !irl__fields_walk_both(inner, irl__record_at(p->kind, x.first),
                                               irl__record_at(p->kind, y.first), fn, user)
                      : !fn(user, (irl__field_kind)p->kind, x.first, y.first, x.bytes))
                return 0;
    }
    return 1;
}

int irl__fields_both(const irl_stmt *a, const irl_stmt *b, irl__fields_fn *fn, void *user)
{
    return irl__fields_walk_both(irl__stmt_fields(a), a, b, fn, user);
}

/* ------------------------------------------------------------------ the way to a statement */

typedef struct irl__path_search {
    const irl_stmt **at, *self;
    uint32_t         id;
    int              count;
} irl__path_search;

static int irl__path_is_not(void *user, irl__field_kind kind, const void *at);

/* The recursion is as deep as statements nest. Most statements are leaves, or sequences of them. */
static int irl__path_found(irl__path_search *q, const irl_stmt *s)
{
    if (s != q->self && (!q->id || s->id != q->id) && s->kind != IRL__SEQ && s->kind != IRL__FOR &&
        s->kind != IRL__IF && s->kind != IRL__BLOCK && s->kind != IRL__ATTR)
        return 0;
    if (q->count > IRL_MAX_DEPTH) return 0;
    q->at[q->count++] = s;
    if (s == q->self || (q->id && s->id == q->id)) return 1;
    if (s->kind == IRL__SEQ) {
        for (int k = 0; k < s->u.seq.count; k++)
            if (irl__path_found(q, s->u.seq.stmts[k])) return 1;
    } else if (s->kind == IRL__FOR) {
        if (irl__path_found(q, s->u.loop.body)) return 1;
    } else if (!irl__fields_each(s, IRL__FIELDS_STMTS, irl__path_is_not, q)) return 1;
    q->count--;
    return 0;
}

static int irl__path_is_not(void *user, irl__field_kind kind, const void *at)
{
    const irl_stmt *s = *(const irl_stmt *const *)at;
    (void)kind;
    return !s || !irl__path_found((irl__path_search *)user, s);
}

int irl__stmt_path(const irl_stmt *body, uint32_t id, const irl_stmt *self, const irl_stmt **at)
{
    irl__path_search q;
    q.at = at;
    q.self = self;
    q.id = id;
    q.count = 0;
    return irl__path_found(&q, body) ? q.count : 0;
}
