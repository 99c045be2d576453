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
    IRL__MANY(NOTE, annotations, annotation_count), IRL__MANY(NEW, allocs, alloc_count),
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

const irl__field *irl__record_fields(int kind)
{
    switch (kind) {
    case IRL__FIELD_BLOCK: return irl__fields_of_block;
    case IRL__FIELD_AXIS: return irl__fields_of_axis;
    case IRL__FIELD_REGION: return irl__fields_of_region;
    case IRL__FIELD_MATCH: return irl__fields_of_match;
    default: return NULL;
    }
}

irl__elements irl__field_elements(const irl__field *p, const void *whole)
{
    const char   *base = (const char *)whole;
    irl__elements e;
    e.bytes = sizeof(void *);
    if (p->kind == IRL__FIELD_AXIS) e.bytes = sizeof(irl__axis);
    if (p->kind == IRL__FIELD_REGION) e.bytes = sizeof(irl__region);
    if (p->kind == IRL__FIELD_MATCH) e.bytes = sizeof(irl__match);
    if (p->kind == IRL__FIELD_NOTE) e.bytes = sizeof(irl__annotation);
    if (p->form == IRL__FIELD_ONE) {
        e.first = base + p->at;
        e.bytes = p->count;
        e.count = 1;
        return e;
    }
    memcpy(&e.first, base + p->at, sizeof e.first); /* whatever it points to */
    base += p->count;
    e.count = p->form == IRL__FIELD_MANY
                  ? *(const int *)(const void *)base
                  : (*(const irl_buffer *const *)(const void *)base)->rank;
    return e;
}

static int irl__fields_walk(const irl__field *p, const void *a, const void *b, irl__field_fn *fn,
                            void *user)
{
    for (; p->kind != IRL__FIELD_END; p++) {
        irl__elements x = irl__field_elements(p, a), y = a == b ? x : irl__field_elements(p, b);
        int           k;
        if (x.count != y.count) return 0;
        for (k = 0; k < x.count; k++) {
            const char       *one = x.first + (size_t)k * x.bytes;
            const char       *other = y.first + (size_t)k * x.bytes;
            const irl__field *inner = irl__record_fields(p->kind);
            if (p->kind == IRL__FIELD_BLOCK) {
                one = (const char *)*(const irl__block_data *const *)(const void *)one;
                other = (const char *)*(const irl__block_data *const *)(const void *)other;
            }
            if (inner ? !irl__fields_walk(inner, one, other, fn, user)
                      : !fn(user, (irl__field_kind)p->kind, one, other, x.bytes))
                return 0;
        }
    }
    return 1;
}

int irl__fields_each(const irl_stmt *a, const irl_stmt *b, irl__field_fn *fn, void *user)
{
    return irl__fields_walk(irl__stmt_fields(a), a, b, fn, user);
}
