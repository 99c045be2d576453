/* fields.c - the parts of a statement, field by field, from the rows of stmts.h.

   needs     stmts.h
   promises  the one description that walking, rewriting, equality, hash and depth use */
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
    irl__elements e = { base + p->at, p->count, 1 };
    if (p->form == IRL__FIELD_ONE) return e;
    memcpy(&e.first, base + p->at, sizeof e.first); /* whatever it points to */
    base += p->count;
    e.bytes = irl__field_kinds[p->kind].bytes;
    e.count = p->form == IRL__FIELD_MANY
                  ? *(const int *)(const void *)base
                  : (*(const irl_buffer *const *)(const void *)base)->rank;
    return e;
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
    /* The record that stands at `at`: a block's stands elsewhere. */
    return inner
               ? irl__fields_walk(
                     q, inner, kind == IRL__FIELD_BLOCK ? *(const irl__block_data *const *)at : at)
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
        x = irl__field_elements(p, whole);
        if ((q->kinds & 1u << IRL__FIELD_END) && !q->fn(q->user, IRL__FIELD_END, &x.count))
            return 0;
        for (; x.count > 0; x.count--, x.first += x.bytes)
            if (!irl__fields_one(q, p->kind, x.first)) return 0;
    }
    return 1;
}

int irl__fields_each(const irl_stmt *s, unsigned kinds, irl__field_fn *fn, void *user)
{
    const irl__fields_search q = { kinds, fn, user };
    return irl__fields_walk(&q, irl__stmt_fields(s), s);
}

/* ------------------------------------------------------------------ where a statement is */

const irl_stmt *irl__stmt_part_of(const irl_stmt *s, int k)
{
    const int         is_block = s->kind == IRL__BLOCK;
    const irl__field *p = is_block ? irl__fields_of_block : irl__stmt_fields(s);
    const char       *whole = is_block ? (const char *)s->u.block : (const char *)s;
    for (; p->kind != IRL__FIELD_END; p++) {
        if (p->kind != IRL__FIELD_STMT) continue;
        const irl_stmt *part;
        memcpy(&part, whole + p->at, sizeof part);
        if (part && k-- == 0) return part;
    }
    return NULL;
}

void irl__place_begin(irl__place *p, const irl_stmt *top)
{
    p->count = 1;
    p->at[0] = top;
    p->child[0] = p->is_begun = p->is_over = 0;
}

const irl_stmt *irl__place_next(irl__place *p)
{
    int k = 0;
    if (!p->is_begun++) return p->at[0];
    if (p->is_over || p->count >= IRL_MAX_DEPTH + 2) k = p->child[--p->count] + 1;
    p->is_over = 0;
    while (p->count > 0) {
        const irl_stmt *next = irl__stmt_part(irl__place_last(p), k);
        if (next) {
            p->child[p->count] = k;
            return p->at[p->count++] = next;
        }
        k = p->child[--p->count] + 1;
    }
    return NULL;
}

int irl__place_seek(const irl_stmt *body, uint32_t id, const irl_stmt *self, irl__place *out)
{
    const irl_stmt *s;
    irl__place_begin(out, body);
    while ((s = irl__place_next(out)) != NULL && s != self && (!id || s->id != id)) {}
    for (int k = 1; k < out->count; k++)
        if (out->at[k - 1]->kind != IRL__SEQ) out->child[k] = 0;
    return s != NULL;
}
