/* verify_field.c - verifies that the fields of a record do not overlap.

   needs     verify_expr.c, span.c
   promises  every bit of every element of a field is examined, so the answer is exact; if two
             elements overlap, the diagnostic names both and the bit. The first axes may have names
             in their extents if they are rows of consecutive records, each a constant number of
             bits (the period) after the one before: then all records are alike, and bits are
             examined modulo the period
   cost      linear in the bits of all fields of one memory, for each field; up to IRL__FIELD_BITS.
             Fields of one record are not compared again */
#include "verify.h"

#define IRL__FIELD_COUNT 250 /* fields that are compared with another one */
#define IRL__FIELD_BITS (INT64_C(1) << 20) /* bits of a memory that are looked at */

/* A field as numbers. */
typedef struct irl__field_span {
    irl__span span;   /* of one record */
    int       open;   /* first axes, which go over records */
    int64_t   period; /* bits from one record to the next; 0: there are no such axes */
} irl__field_span;

static int irl__field_is_number(const irl_expr *e, int64_t least)
{
    return e->op == IRL_OP_INT && e->u.i >= least && e->u.i <= IRL__FIELD_BITS;
}

/* The factors of a product: numbers in *number, all others in `list`. 0: too many, or too large. */
static int irl__field_factors(const irl_expr *e, int64_t *number, const irl_expr **list, int *count)
{
    if (e->op == IRL_OP_INT) return irl__mul64(*number, e->u.i, number);
    if (e->op == IRL_OP_MUL)
        return irl__field_factors(e->a[0], number, list, count) &&
               irl__field_factors(e->a[1], number, list, count);
    if (*count == IRL_MAX_RANK) return 0;
    list[(*count)++] = e;
    return 1;
}

/* Is `stride` the product of the next axis's extent and stride, factor by factor? */
static int irl__field_is_row(const irl_expr *stride, const irl_expr *extent, const irl_expr *step)
{
    const irl_expr *a[IRL_MAX_RANK], *b[IRL_MAX_RANK];
    int64_t         n = 1, m = 1;
    int             an = 0, bn = 0, i, j;
    if (!irl__field_factors(stride, &n, a, &an) || !irl__field_factors(extent, &m, b, &bn) ||
        !irl__field_factors(step, &m, b, &bn) || n != m || an != bn)
        return 0;
    for (i = 0; i < an; i++) {
        for (j = 0; j < bn && !(b[j] && a[i] == b[j]); j++) continue;
        if (j == bn) return 0;
        b[j] = NULL;
    }
    return 1;
}

/* The number of first axes up to the last one that is no number; -1: they are no rows. */
static int irl__field_open(const irl_buffer *b)
{
    int k, open = b->rank;
    while (open > 0 && irl__field_is_number(b->shape[open - 1], 0) &&
           (!b->strides || irl__field_is_number(b->strides[open - 1], 0)))
        open--;
    if (!b->strides || !open) return open;
    for (k = 0; k + 1 < open; k++)
        if (!irl__field_is_row(b->strides[k], b->shape[k + 1], b->strides[k + 1])) return -1;
    return irl__field_is_number(b->strides[open - 1], 1) ? open : -1;
}

/* The field as numbers; 0: there are none, or too many bits. */
static int irl__field_read(const irl_buffer *b, irl__field_span *out)
{
    const int64_t unit = b->bits ? 1 : 8 * (int64_t)irl__type_bytes(b->type);
    int64_t       step = irl__buffer_step(b) * unit;
    memset(out, 0, sizeof *out);
    out->span.width = (int)step;
    out->span.is_msb = b->bits && b->bit_order == IRL_BITS_MSB;
    out->open = irl__field_open(b);
    if (out->open < 0 || (b->offset && !irl__field_is_number(b->offset, 0))) return 0;
    out->span.offset = b->offset ? b->offset->u.i * unit : 0;
    out->span.rank = b->rank - out->open;
    for (int k = b->rank; k-- > 0;) {
        const int64_t stride =
            b->strides && (k >= out->open - 1) ? b->strides[k]->u.i * unit : step;
        if (k == out->open - 1) out->period = stride;
        if (k < out->open) continue;
        out->span.extent[k - out->open] = b->shape[k]->u.i;
        out->span.stride[k - out->open] = stride;
        if (!irl__mul64(step, b->shape[k]->u.i, &step)) return 0;
    }
    const int64_t end = irl__span_end(&out->span);
    return end >= 0 && end <= IRL__FIELD_BITS && out->period <= IRL__FIELD_BITS;
}

static int irl__field_unknown(irl__verifier *v, const irl_buffer *b)
{
    return IRL__VERIFY_FAIL(v, IRL_ERROR_UNSUPPORTED, "field '%s' needs numbers as extents, "
                            "strides and offset, of at most %l bits; or consecutive records: the "
                            "first axes may have names as extents, if the last of these has a "
                            "number as its stride, the same for all fields, and each other one the "
                            "product of the next one's extent and stride. Otherwise it is not "
                            "known whether fields overlap", b->name, IRL__FIELD_BITS);
}

/* Element `at` of b, and the one of `other`, which may be b, that had the bit before. The bits may
   be those of two records. */
static int irl__field_fail(irl__verifier *v, const irl_buffer *b, const irl__field_span *mine,
                           const irl_buffer *other, const irl__field_span *theirs, int64_t period,
                           irl__span_hit at)
{
    irl__span_hit first;
    irl__text     t;
    irl__span_first(&theirs->span, period, at.bit, &first);
    int64_t apart = (at.bit - first.bit) / period;
    if ((apart > 0 && !theirs->period) || (apart < 0 && !mine->period))
        return irl__field_unknown(v, b); /* one of them has one record alone */
    irl__text_init(&t, v->cx);
    irl__span_text(&t, &theirs->span, other->name, theirs->open, apart > 0 ? apart : 0,
                   first.element);
    irl__text_puts(&t, " and ");
    irl__span_text(&t, &mine->span, b->name, mine->open, apart < 0 ? -apart : 0, at.element);
    if (apart > 0) first.bit = at.bit;
    return IRL__VERIFY_FAIL(v, IRL_ERROR_LOSSY_MAP, "fields overlap: %s have bit %l of byte %l of "
                            "the memory, '%s'", irl__text_or_empty(irl__text_done(&t)),
                            first.bit % 8, first.bit / 8, b->data->u.name);
}

/* b among the fields before it in `list`, each with its numbers. What has no records of its own is
   looked at modulo the period with others alone. */
static int irl__field_meets(irl__verifier *v, const irl_buffer *b, const irl_buffer *const *list,
                            const irl__field_span *spans, int count, int64_t period, int is_open)
{
    unsigned      char *owner = (unsigned char *)irl__scratch_alloc(v->cx, (size_t)period, 1);
    irl__span_hit at = { 0, 0 };
    int           k, met;
    if (!owner) return 0;
    for (k = 0; k < count; k++)
        (void)irl__span_mark(&spans[k].span, period, owner, k, is_open && !spans[k].period, &at);
    met = irl__span_mark(&spans[count].span, period, owner, count,
                         is_open && !spans[count].period, &at);
    return met < 0 || irl__field_fail(v, b, &spans[count], met == count ? b : list[met],
                                      &spans[met], period, at);
}

/* Of the period that fields of records have; 0: they have none, -1: it is not one. */
static int64_t irl__field_period(const irl__field_span *spans, int count)
{
    int64_t period = 0;
    for (int k = 0; k <= count; k++) {
        if (spans[k].period && period && spans[k].period != period) return -1;
        if (spans[k].period) period = spans[k].period;
    }
    for (int k = 0; k < count; k++)
        if (period % 8 && spans[k].span.is_msb != spans[count].span.is_msb) return -1;
    return period;
}

/* As many bits as all have, to the end of a byte. */
static int64_t irl__field_most(const irl__field_span *spans, int count)
{
    int64_t most = 0, end;
    for (int k = 0; k <= count; k++)
        if ((end = irl__span_end(&spans[k].span)) > most) most = end;
    return most / 8 * 8 + 8;
}

/* Whether both are fields of one record, which irl_record_check has compared. */
static int irl__field_is_beside(const irl_buffer *a, const irl_buffer *b)
{
    return a->record && a->record == b->record && a->record_field != b->record_field &&
           irl__record_is_view(a) && irl__record_is_view(b);
}

int irl__verify_field(irl__verifier *v, const irl_buffer *b)
{
    const irl_buffer *list[IRL__FIELD_COUNT];
    irl__field_span  *spans = IRL__SCRATCH(v->cx, irl__field_span, IRL__FIELD_COUNT + 1);
    int k, count = 0;
    if (!spans) return 0;
    for (k = (int)stbds_arrlen(v->fields); k-- > 0 && count < IRL__FIELD_COUNT;) {
        if (v->fields[k]->data != b->data || !irl__verify_is_open(v, v->fields[k]->id) ||
            irl__field_is_beside(b, v->fields[k]))
            continue;
        if (!irl__field_read(v->fields[k], &spans[count])) return irl__field_unknown(v, b);
        list[count++] = v->fields[k];
    }
    if (!count && b->record && irl__record_is_view(b))
        return IRL__PUSH_SCRATCH(v->cx, v->fields, b);
    if (!irl__field_read(b, &spans[count])) return irl__field_unknown(v, b);
    int64_t period = irl__field_period(spans, count);
    if (period < 0) return irl__field_unknown(v, b);
    /* records that begin within bytes: all have one order, so that elements meet where their places
       in that order do, which move with the record; bits of bytes do not */
    for (k = 0; period % 8 && k <= count; k++) spans[k].span.is_msb = 0;
    if (period && !spans[count].period &&
        !irl__field_meets(v, b, NULL, &spans[count], 0, irl__field_most(&spans[count], 0), 0))
        return 0;
    return irl__field_meets(v, b, list, spans, count,
                            period ? period : irl__field_most(spans, count), period != 0) &&
           IRL__PUSH_SCRATCH(v->cx, v->fields, b);
}
