/* print_record.c - prints records and the elements of bits.

   needs     print_expr.c
   promises  irl_record_parse(irl_record_text(r)) equals r */
#include "print.h"

static int irl__print_record_is_compact(const irl_record_field *f)
{
    int64_t step = f->bits;
    for (int k = f->rank; k-- > 0; step *= f->extent[k]) /* at most IRL__SPAN_MOST */
        if (f->stride[k] != step) return 0;
    return 1;
}

static void irl__print_record_type(irl__text *t, const irl_record_field *f)
{
    irl_buffer b;
    memset(&b, 0, sizeof b);
    b.type = f->type;
    b.bits = f->bits;
    b.norm = f->norm;
    irl__buffer_type_text(t, &b);
}

void irl__print_record_when(irl__text *t, const irl_record *r, int k)
{
    const irl_record_field *f = &r->fields[k];
    if (!f->when) return;
    irl__text_puts(t, " when(");
    irl__print_symbol(t, r->fields[f->when - 1].name);
    irl__textf(t, " == %l", f->least);
    if (f->most > f->least) irl__textf(t, " .. %l", f->most + 1);
    irl__text_putc(t, ')');
}

/* name: element[shape] attributes; order: the record's. */
static void irl__print_record_field(irl__text *t, const irl_record *r, int k, irl_bit_order order)
{
    const irl_record_field *f = &r->fields[k];
    int                     last;
    irl__print_symbol(t, f->name);
    irl__text_puts(t, ": ");
    irl__print_record_type(t, f);
    if (f->rank) irl__text_numbers(t, "[]", f->rank, f->extent);
    if (!irl__print_record_is_compact(f)) {
        irl__text_puts(t, " strides");
        irl__text_numbers(t, "()", f->rank, f->stride);
    }
    if (f->offset != irl__record_begin(r->fields, k, &last) ||
        (last >= 0 && r->fields[last].order != f->order && f->offset % 8 != 0))
        irl__textf(t, " offset(%l)", f->offset);
    if (f->order != order) irl__textf(t, " bits(%s)", irl__bit_order_text(f->order));
    irl__print_record_when(t, r, k);
    irl__text_putc(t, ';');
}

/* " bytes(18) data(w) { scale: f16; q: u4[2, 16] strides(4, 8); }" */
void irl__print_record_rest(irl__text *t, const irl_record *r, irl__printer *p,
                            const irl_expr *data)
{
    const irl_bit_order order = r->count ? r->fields[0].order : IRL_BITS_LSB;
    irl__textf(t, " bytes(%l)", r->bytes);
    if (data) irl__printf(p, " data(%v)", data);
    if (order != IRL_BITS_LSB) irl__textf(t, " bits(%s)", irl__bit_order_text(order));
    irl__text_puts(t, " {");
    for (int k = 0; k < r->count; k++) {
        irl__text_putc(t, ' ');
        irl__print_record_field(t, r, k, order);
    }
    irl__text_puts(t, " }");
}

const char *irl_record_text(const irl_record *r)
{
    irl__text t;
    if (!r) return "";
    irl__text_init(&t, r->cx);
    irl__text_puts(&t, "record ");
    irl__print_symbol(&t, r->name);
    irl__print_record_rest(&t, r, NULL, NULL);
    return irl__text_or_empty(irl__text_done(&t));
}

const char *irl_bit_element_text(irl_ctx *cx, const irl_bit_element *e)
{
    irl__text        t;
    irl_record_field f;
    if (!cx || !e || !irl__ok(cx)) return "";
    memset(&f, 0, sizeof f);
    f.type = e->type;
    f.bits = e->bits;
    f.norm = e->norm;
    irl__text_init(&t, cx);
    irl__print_record_type(&t, &f);
    if (e->order != IRL_BITS_LSB || f.bits == 8 * (int)irl__type_bytes(f.type))
        irl__textf(&t, " bits(%s)", irl__bit_order_text(e->order));
    if (e->stride && e->stride != e->bits) irl__textf(&t, " strides(%l)", e->stride);
    if (e->offset) irl__textf(&t, " offset(%l)", e->offset);
    return irl__text_or_empty(irl__text_done(&t));
}
