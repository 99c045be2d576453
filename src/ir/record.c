/* record.c - records: fields of bits at fixed places in a block of bytes.

   needs     span.c, buffer.c
   promises  the verdict on a record examines every bit of every element, so it is exact: which two
             elements have a bit in common, or which one does not fit, and how many bits no field
             has. A field of records in memory is a view whose first axes go over the records
   cost      linear in the bits of the fields, or in words of whole bytes, if all runs of elements
             consist of such words: up to IRL__RECORD_UNITS, four times as many of whole bytes if no
             field depends on another one */
#include "ir.h"

#define IRL__RECORD_FIELDS 250
#define IRL__RECORD_BYTES (IRL__SPAN_MOST / 8)
#define IRL__RECORD_UNITS (INT64_C(1) << 24)

/* ------------------------------------------------------------------ making one */

static int irl__record_has_name(const irl_record *r, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(r->fields[k].name, name) == 0) return 1;
    return 0;
}

void irl__record_span(const irl_record_field *f, irl__span *out)
{
    memset(out, 0, sizeof *out);
    out->width = f->bits;
    out->is_msb = f->order == IRL_BITS_MSB;
    out->rank = f->rank;
    out->offset = f->offset;
    memcpy(out->extent, f->extent, sizeof out->extent);
    memcpy(out->stride, f->stride, sizeof out->stride);
}

int64_t irl__record_next(const irl_record_field *f)
{
    irl__span s;
    irl__record_span(f, &s);
    return irl__span_end(&s);
}

irl_bit_element irl__record_field_element(const irl_record_field *f)
{
    irl_bit_element e = { f->type, f->bits, f->order, f->offset, 0, f->norm };
    return e;
}

/* ------------------------------------------------------------------ alternatives */

/* Each field depends on an earlier one, so that the way to the first ends. */
int irl__record_excludes(const irl_record_field *list, int a, int b)
{
    for (int x = a; list[x].when; x = list[x].when - 1)
        for (int y = b; list[y].when; y = list[y].when - 1)
            if (list[x].when == list[y].when &&
                (list[x].most < list[y].least || list[y].most < list[x].least))
                return 1;
    return 0;
}

int irl_record_are_alternatives(const irl_record *r, int a, int b)
{
    return r && a >= 0 && b >= 0 && a < r->count && b < r->count &&
           irl__record_excludes(r->fields, a, b);
}

int64_t irl__record_begin(const irl_record_field *list, int k, int *last)
{
    int64_t at = 0;
    *last = -1;
    for (int j = k; j-- > 0;) {
        const int64_t end = irl__record_next(&list[j]);
        if (irl__record_excludes(list, j, k) || (!list[j].when && *last >= 0)) {
            if (list[j].when) continue;
            break;
        }
        if (end < 0) return end;
        if (*last < 0 || end > at) {
            at = end;
            *last = j;
        }
        if (!list[j].when) break;
    }
    return at;
}

int irl__record_depends(const irl_record *r)
{
    for (int k = 0; k < r->count; k++)
        if (r->fields[k].when) return 1;
    return 0;
}

/* How many of 2^62 records have field k, if all values of the fields it depends on are as likely;
   0: these have more than 62 bits. */
static int64_t irl__record_share(const irl_record_field *list, int k)
{
    int64_t share = INT64_C(1) << 62;
    int     bits = 0;
    for (; list[k].when; k = list[k].when - 1) {
        const irl_record_field *on = &list[list[k].when - 1];
        bits += on->bits;
        if (bits > 62) return 0;
        share = (share >> on->bits) * (list[k].most - list[k].least + 1);
    }
    return share;
}

static int irl__record_when_ok(irl_ctx *cx, const irl_record *r, int k, irl_loc loc)
{
    const irl_record_field *f = &r->fields[k],
                           *on = f->when > 0 && f->when <= k ? &r->fields[f->when - 1] : NULL;
    if (!on || on->rank || on->norm || irl__type_is_float(on->type) ||
        on->bits > 32)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc,
                         "field '%s' of record '%s' can depend on an integer or bool before it, of "
                         "one element and up to 32 bits", f->name, r->name);
    const int     is_signed = irl__type_is_signed(on->type);
    const int64_t end = INT64_C(1) << (on->bits - is_signed);
    if (f->least > f->most || f->least < (is_signed ? -end : 0) || f->most >= end)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc,
                         "field '%s' depends on values %l to %l of field '%s', which is %l to %l",
                         f->name, f->least, f->most, on->name, is_signed ? -end : 0, end - 1);
    return irl__record_share(r->fields, k) ||
           irl__fail(cx, IRL_ERROR_TOO_LARGE, loc,
                     "the fields on which '%s' depends have more than 62 bits", f->name);
}

/* ------------------------------------------------------------------ making one, in full */

int irl__bit_element_ok(irl_ctx *cx, const irl_bit_element *e, irl_bit_element *out, irl_loc loc)
{
    const int64_t most = INT64_C(1) << 40;
    *out = *e;
    if (!irl__bitfield_type_ok(e->type, e->bits, e->norm))
        return irl__fail(cx, IRL_ERROR_BAD_TYPE, loc,
                         "an element has %d bits of %s: it has 1 to %d bits of the smallest "
                         "integer that holds them, all of a float's, 1 of bool, or up to %d of a "
                         "normalised f32", e->bits, irl__type_cstr(cx, e->type), IRL__MOST_FIELD,
                         IRL__MOST_NORM);
    if (e->offset < 0 || e->stride < 0 || e->offset > most || e->stride > most)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc,
                         "elements have offset %l and stride %l: an offset is 0 to %l, a stride 1 "
                         "to %l", e->offset, e->stride, most, most);
    if (out->stride == 0) out->stride = out->bits;
    return 1;
}

static int irl__record_field_ok(irl_ctx *cx, const irl_record *r, int k, irl_loc loc)
{
    const irl_record_field *f = &r->fields[k];
    if (!f->name || !f->name[0] || irl__record_has_name(r, k, f->name))
        return irl__fail(cx, IRL_ERROR_DUPLICATE_NAME, loc,
                         "field %d of record '%s' needs a name that no other field "
                         "has", k, r->name);
    if (!irl__bitfield_type_ok(f->type, f->bits, f->norm))
        return irl__fail(cx, IRL_ERROR_BAD_TYPE, loc,
                         "field '%s' of record '%s' has %d bits of %s: a field has 1 to %d bits of "
                         "the smallest integer that holds them, all of a float's, 1 of bool, or up "
                         "to %d of a normalised f32", f->name, r->name, f->bits,
                         irl__type_cstr(cx, f->type), IRL__MOST_FIELD, IRL__MOST_NORM);
    if (f->rank < 0 || f->rank > IRL_MAX_RANK - 1)
        return irl__fail(cx, IRL_ERROR_TOO_LARGE, loc, "field '%s' has %d axes; the most is %d",
                         f->name, f->rank, IRL_MAX_RANK - 1);
    for (int n = 0; n < f->rank; n++)
        if (f->extent[n] < 1 || f->stride[n] < 0)
            return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, loc,
                             "axis %d of field '%s' has extent %l and stride %l: an extent is at "
                             "least 1, a stride at least 0", n, f->name, f->extent[n],
                             f->stride[n]);
    if (f->when && !irl__record_when_ok(cx, r, k, loc)) return 0;
    if (irl__record_next(f) < 0)
        return irl__fail(cx, IRL_ERROR_TOO_LARGE, loc,
                         "field '%s' of record '%s' begins below bit 0, or goes beyond bit %l",
                         f->name, r->name, IRL__SPAN_MOST);
    return 1;
}

/* The bits of a run, elements without gaps between them; *rank: the axes over such runs. */
static int64_t irl__record_run(const irl_record_field *f, int *rank)
{
    int64_t run = f->bits;
    for (*rank = f->rank; *rank > 0 && f->stride[*rank - 1] == run; --*rank)
        run *= f->extent[*rank - 1];
    return run;
}

/* How many bits are always together: a number of bytes of which all runs consist, or 1 bit. */
static int64_t irl__record_unit(const irl_record *r)
{
    int64_t unit = 8 * r->bytes;
    for (int k = 0; k < r->count; k++) {
        const irl_record_field *f = &r->fields[k];
        int                     rank;
        unit = irl__gcd64(irl__gcd64(unit, irl__record_run(f, &rank)), f->offset);
        for (int n = 0; n < rank; n++) unit = irl__gcd64(unit, f->stride[n]);
    }
    return unit % 8 ? 1 : unit;
}

/* A field in units: its elements if these are bits, else its runs. */
static void irl__record_units(const irl_record_field *f, int64_t unit, irl__span *out)
{
    irl__record_span(f, out);
    if (unit == 1) return;
    out->is_msb = 0;
    out->width = (int)(irl__record_run(f, &out->rank) / unit);
    out->offset /= unit;
    for (int n = 0; n < out->rank; n++) out->stride[n] /= unit;
}

/* The element of field k at a bit of its n-th run, counted in the order of the field. */
static int64_t irl__record_in_run(const irl_record *r, int k, int64_t n, int64_t bit)
{
    const irl_record_field *f = &r->fields[k];
    irl__span               s;
    irl__record_units(f, r->unit, &s);
    return (n * s.width * r->unit + bit - irl__span_at(&s, n) * r->unit) / f->bits;
}

irl_record *irl__record_make(irl_ctx *cx, const char *name, int64_t bytes, int count,
                             const irl_record_field *fields, irl_loc loc)
{
    irl_record *r = IRL__NEW(cx, irl_record, 1);
    if (!r || !name) return NULL;
    r->cx = cx;
    r->name = irl__namez(cx, name);
    r->bytes = bytes;
    r->count = count;
    r->fields = IRL__COPY(cx, irl_record_field, fields, count);
    r->loc = loc;
    if (!r->name || !r->fields) return NULL;
    if (bytes < 1 || bytes > IRL__RECORD_BYTES || count < 0 || count > IRL__RECORD_FIELDS) {
        irl__fail(cx, IRL_ERROR_TOO_LARGE, loc,
                  "record '%s' has %l bytes and %d fields: 1 to %l bytes, and at most %d fields",
                  r->name, bytes, count, IRL__RECORD_BYTES, IRL__RECORD_FIELDS);
        return NULL;
    }
    for (int k = 0; k < count; k++) {
        if (!irl__record_field_ok(cx, r, k, loc)) return NULL;
        r->fields[k].name = irl__namez(cx, fields[k].name);
        if (!r->fields[k].name) return NULL;
    }
    r->unit = irl__record_unit(r);
    const int64_t most =
        r->unit == 1 || irl__record_depends(r) ? IRL__RECORD_UNITS : 4 * IRL__RECORD_UNITS;
    if (8 * bytes / r->unit <= most) return r;
    irl__fail(cx, IRL_ERROR_TOO_LARGE, loc,
              "record '%s' has %l bits, and its fields begin and end at multiples of %l: at most "
              "%l such parts are compared; larger records need fields of whole bytes", r->name,
              8 * bytes, r->unit, most);
    return NULL;
}

const irl_record *irl_record_new(irl_ctx *cx, const char *name, int64_t bytes, int count,
                                 const irl_record_field *fields)
{
    if (!cx || !irl__ok(cx)) return NULL;
    if (!name || !name[0] || count < 0 || (count && !fields)) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a record needs a name and a list of fields");
        return NULL;
    }
    return irl__record_make(cx, name, bytes, count, fields, irl__nowhere());
}

/* ------------------------------------------------------------------ reading one */

const char *irl_record_name(const irl_record *r) { return r ? r->name : ""; }
int64_t     irl_record_bytes(const irl_record *r) { return r ? r->bytes : 0; }
int         irl_record_field_count(const irl_record *r) { return r ? r->count : 0; }

static int irl__record_field_equal(const irl_record_field *a, const irl_record_field *b)
{
    if (strcmp(a->name, b->name) != 0 || !irl_type_equal(a->type, b->type) || a->bits != b->bits ||
        a->when != b->when || (a->when && (a->least != b->least || a->most != b->most)) ||
        a->norm != b->norm || a->order != b->order || a->rank != b->rank || a->offset != b->offset)
        return 0;
    for (int k = 0; k < a->rank; k++)
        if (a->extent[k] != b->extent[k] || a->stride[k] != b->stride[k]) return 0;
    return 1;
}

int irl_record_equal(const irl_record *a, const irl_record *b)
{
    if (!a || !b || strcmp(a->name, b->name) != 0 || a->bytes != b->bytes || a->count != b->count)
        return a == b && a;
    for (int k = 0; k < a->count; k++)
        if (!irl__record_field_equal(&a->fields[k], &b->fields[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ the verdict */

/* The first element that ends beyond the record; -1: none does. */
static int64_t irl__record_beyond(const irl_record *r, const irl__span *s)
{
    int64_t at;
    if (irl__span_end(s) <= 8 * r->bytes) return -1;
    for (int64_t n = 0; (at = irl__span_at(s, n)) >= 0; n++)
        if (at + s->width > 8 * r->bytes) return n;
    return -1;
}

/* Makes field k the owner of its bits, or adds its share of all records to them. */
static void irl__record_bits(const irl_record *r, int k, unsigned char *owner, int64_t *shares)
{
    const int64_t share = irl__record_share(r->fields, k);
    irl__span     s;
    int64_t       at;
    irl__record_units(&r->fields[k], r->unit, &s);
    for (int64_t n = 0; (at = irl__span_at(&s, n)) >= 0; n++)
        for (int i = 0; i < s.width; i++) {
            if (owner) owner[irl__span_bit(&s, at + i)] = (unsigned char)(k + 1);
            else shares[irl__span_bit(&s, at + i)] += share;
        }
}

/* Field k in `owner`; 0: it meets another one, or does not fit, and v says where. */
static int irl__record_place(const irl_record *r, int k, unsigned char *owner,
                             irl_record_verdict *v)
{
    irl__span     s, other;
    irl__span_hit hit;
    const int64_t units = 8 * r->bytes / r->unit;
    irl__record_span(&r->fields[k], &s);
    v->b = k;
    v->b_element = irl__record_beyond(r, &s);
    if (v->b_element >= 0) {
        v->kind = IRL_OUT_OF_RANGE;
        v->code = IRL_ERROR_MAP_OUT_OF_RANGE;
        v->bit = irl__span_at(&s, v->b_element) + s.width;
        return 0;
    }
    if (irl__record_depends(r)) { /* others than alternatives */
        memset(owner, 0, (size_t)units);
        for (int j = 0; j < k; j++) {
            if (!irl__record_excludes(r->fields, j, k)) irl__record_bits(r, j, owner, NULL);
        }
    }
    irl__record_units(&r->fields[k], r->unit, &s);
    v->a = irl__span_mark(&s, units, owner, k, 0, &hit);
    if (v->a < 0) return 1;
    v->kind = IRL_LOSSY;
    v->code = IRL_ERROR_LOSSY_MAP;
    v->b_element = hit.element;
    v->bit = hit.bit * r->unit;
    irl__record_units(&r->fields[v->a], r->unit, &other);
    irl__span_first(&other, units, hit.bit, &hit);
    v->a_element = hit.element;
    if (r->unit == 1) return 0;
    /* its first bit in the order of b */
    irl__record_span(&r->fields[k], &s);
    v->b_element = irl__record_in_run(r, k, v->b_element, v->bit);
    v->bit = irl__span_bit(&s, v->bit);
    irl__record_span(&r->fields[v->a], &s);
    v->a_element = irl__record_in_run(r, v->a, v->a_element, irl__span_bit(&s, v->bit));
    return 0;
}

irl_record_verdict irl_record_check(const irl_record *r)
{
    irl_record_verdict v;
    unsigned           char     *owner;
    int64_t            *shares = NULL;
    int                k, ok = 1;
    memset(&v, 0, sizeof v);
    v.code = IRL_ERROR_UNDECIDED;
    if (!r || !irl__ok(r->cx)) return v;
    irl__arena_mark mark = irl__scratch_begin(r->cx);
    const int64_t units = 8 * r->bytes / r->unit;
    owner = (unsigned char *)irl__scratch_alloc(r->cx, (size_t)units, 1);
    v.code = IRL_OK;
    v.first_unused = -1;
    for (k = 0; owner && ok && k < r->count; k++) ok = irl__record_place(r, k, owner, &v);
    if (owner && ok && irl__record_depends(r)) shares = IRL__SCRATCH(r->cx, int64_t, units);
    for (k = 0; shares && k < r->count; k++) irl__record_bits(r, k, NULL, shares);
    for (int64_t at = 0; owner && ok && at < units; at++) {
        if (shares ? shares[at] == INT64_C(1) << 62 : owner[at]) continue;
        if (!v.unused_bits) v.first_unused = at * r->unit;
        v.unused_bits += r->unit;
    }
    irl__scratch_end(r->cx, mark);
    if (!owner || !irl__ok(r->cx)) v.code = IRL_ERROR_OUT_OF_MEMORY;
    else if (ok) v.kind = v.unused_bits ? IRL_INJECTIVE : IRL_BIJECTIVE;
    return v;
}

static void irl__record_element(irl__text *t, const irl_record *r, int k, int64_t element)
{
    irl__span s;
    irl__record_span(&r->fields[k], &s);
    irl__span_text(t, &s, r->fields[k].name, 0, 0, element);
}

static void irl__record_reason(irl__text *t, const irl_record *r, const irl_record_verdict *v)
{
    switch (v->kind) {
    case IRL_BIJECTIVE: irl__textf(t, "each of %l bits belongs to a field", 8 * r->bytes); break;
    case IRL_INJECTIVE:
        irl__span_unused_text(t, v->unused_bits, 8 * r->bytes, v->first_unused);
        if (irl__record_depends(r)) irl__text_puts(t, ", of some records");
        break;
    case IRL_LOSSY:
        irl__record_element(t, r, v->a, v->a_element);
        irl__text_puts(t, " and ");
        irl__record_element(t, r, v->b, v->b_element);
        irl__span_shared_text(t, v->bit);
        break;
    case IRL_OUT_OF_RANGE:
        irl__record_element(t, r, v->b, v->b_element);
        irl__textf(t, " ends before bit %l, and the record has %l", v->bit, 8 * r->bytes);
        break;
    default: irl__text_puts(t, "there was no memory, or no record"); break;
    }
}

const char *irl_verdict_name(irl_verdict_kind kind)
{
    static const char *const names[] = { "undecided", "bijective", "injective", "lossy",
                                         "out-of-range", "c-differs", "undefined" };
    return (unsigned)kind < IRL__COUNTOF(names) ? names[kind] : "undecided";
}

const char *irl_record_verdict_text(const irl_record *r, const irl_record_verdict *v)
{
    irl__text t;
    if (!r || !v) return "";
    irl__text_init(&t, r->cx);
    irl__textf(&t, "%s: ", irl_verdict_name(v->kind));
    irl__record_reason(&t, r, v);
    return irl__text_or_empty(irl__text_done(&t));
}

int irl__record_right(const irl_record *r, irl_loc loc)
{
    irl_record_verdict v = irl_record_check(r);
    irl__text          t;
    if (v.code == IRL_OK || !irl__ok(r->cx)) return irl__ok(r->cx);
    irl__text_init(&t, r->cx);
    irl__record_reason(&t, r, &v);
    return irl__fail(r->cx, v.code, loc, "record '%s' is %s: %s", r->name, irl_verdict_name(v.kind),
                     irl__text_or_empty(irl__text_done(&t)));
}

/* ------------------------------------------------------------------ in memory */

/* a * b; NULL where numbers do not fit. */
static const irl_expr *irl__record_product(const irl_record *r, const irl_expr *a,
                                           const irl_expr *b)
{
    int64_t n;
    if (!a || !b || a->op != IRL_OP_INT || b->op != IRL_OP_INT) return irl__mul(r->cx, a, b);
    if (irl__mul64(a->u.i, b->u.i, &n)) return irl_expr_index(r->cx, n);
    irl__fail(r->cx, IRL_ERROR_OVERFLOW, r->loc, "the bits of the records '%s' do not fit 63 bits",
              r->name);
    return NULL;
}

/* The strides of the axes over records, then those of the field. */
static int irl__record_strides(const irl_record *r, const irl_record_field *f, int rank,
                               const irl_expr *const *shape, const irl_expr **out)
{
    const irl_expr *step = irl_expr_index(r->cx, 8 * r->bytes);
    for (int k = rank; k-- > 0; step = irl__record_product(r, shape[k], step))
        if (!(out[k] = step)) return 0;
    for (int k = 0; k < f->rank; k++)
        if (!(out[rank + k] = irl_expr_index(r->cx, f->stride[k]))) return 0;
    return irl__ok(r->cx);
}

irl_buffer *irl__record_view(const irl_record *r, int k, const irl_expr *data, int rank,
                             const irl_expr *const *shape, irl_loc loc)
{
    const irl_record_field *f = &r->fields[k];
    const irl_expr         *axes[IRL_MAX_RANK], *strides[IRL_MAX_RANK];
    if (rank + f->rank > IRL_MAX_RANK) {
        irl__fail(r->cx, IRL_ERROR_TOO_LARGE, loc, "field '%s' has %d axes; the most is %d",
                  f->name, rank + f->rank, IRL_MAX_RANK);
        return NULL;
    }
    for (int n = 0; n < rank; n++) axes[n] = shape[n];
    for (int n = 0; n < f->rank; n++) axes[rank + n] = irl_expr_index(r->cx, f->extent[n]);
    if (!irl__record_strides(r, f, rank, shape, strides)) return NULL;
    irl_buffer *b = irl__buffer_make(r->cx, irl__format(r->cx, "%s_%s", r->name, f->name), f->type,
                                     (irl_scope)data->type.scope, rank + f->rank, axes, data, loc);
    if (!b) return NULL;
    b->strides = IRL__COPY(r->cx, const irl_expr *, strides, b->rank);
    b->offset = f->offset ? irl_expr_index(r->cx, f->offset) : NULL;
    b->bits = f->bits;
    b->bit_order = f->order;
    b->norm = f->norm;
    b->is_field = !f->when;
    b->record = r;
    b->record_field = k;
    return b->strides && irl__ok(r->cx) ? b : NULL;
}

int irl__record_is_view(const irl_buffer *b)
{
    const irl_record       *r = b->record;
    const irl_record_field *f = r ? &r->fields[b->record_field] : NULL;
    const int               outer = f ? b->rank - f->rank : -1;
    const irl_expr         *strides[IRL_MAX_RANK];
    if (outer < 0 || !b->strides || !irl_type_equal(b->type, f->type) || b->bits != f->bits ||
        b->norm != f->norm || b->bit_order != f->order || b->is_field == !!f->when ||
        b->alignment || b->separator_count ||
        b->texel || b->scope != (irl_scope)b->data->type.scope)
        return 0;
    if (b->offset ? !irl__is_int(b->offset, f->offset) || !f->offset : f->offset != 0) return 0;
    for (int k = 0; k < f->rank; k++)
        if (!irl__is_int(b->shape[outer + k], f->extent[k])) return 0;
    if (!irl__record_strides(r, f, outer, b->shape, strides)) return 0;
    for (int k = 0; k < b->rank; k++)
        if (strides[k] != b->strides[k]) return 0;
    return 1;
}

const irl_buffer *irl_record_view(const irl_record *r, int k, const irl_buffer *memory, int rank,
                                  const irl_expr *const *shape)
{
    if (!r || !memory || !irl__ok(r->cx)) return NULL;
    if (k < 0 || k >= r->count || rank < 0 || rank > IRL_MAX_RANK || (rank && !shape)) {
        IRL__FAIL(r->cx, IRL_ERROR_BAD_ARGUMENT, "record '%s' has %d fields; there is none of "
                  "number %d, or the axes over records are missing", r->name, r->count, k);
        return NULL;
    }
    return irl__record_right(r, irl__nowhere())
               ? irl__record_view(r, k, memory->data, rank, shape, irl__nowhere())
               : NULL;
}
