/* print_expr.c - writing constants, expressions and maps.

   needs     print_names.c, decimal.c
   promises  an operator that binds less than its place requires is in parentheses, and nothing
             else; a constant says its type if its place does not; reading the text back gives the
             same expression */
#include "print.h"

#define IRL__PRINT_PREFIX_PRECEDENCE 13

/* ------------------------------------------------------------------ constants */

void irl__print_decimal(irl__text *t, irl_type type, double value)
{
    char digits[IRL__DECIMAL_DIGITS + 1];
    int  point, count = irl__decimal_shortest(type, value, digits, &point), k;
    if (point > 16 || point < -4) { /* d.ddde-30 */
        irl__text_putc(t, digits[0]);
        if (count > 1) irl__text_putc(t, '.');
        irl__text_append(t, digits + 1, (size_t)count - 1);
        irl__textf(t, "e%d", point - 1);
        return;
    }
    if (point <= 0) irl__text_puts(t, "0.");
    for (k = point; k < 0; k++) irl__text_putc(t, '0');
    for (k = 0; k < count || k < point; k++) {
        if (k == point && k) irl__text_putc(t, '.');
        irl__text_putc(t, k < count ? digits[k] : '0');
    }
    if (k == point) irl__text_puts(t, ".0");
}

/* as(f32, u32(0x7fc00000)): the bits of what is no number, or not finite. */
static void irl__print_float_bits(irl__text *t, irl_type type, double value)
{
    int         bits = irl__type_info(type)->bits, shift;
    irl__scalar s;
    s.f = value;
    irl__textf(t, "as(%s, u%d(0x", irl__type_info(type)->text, bits);
    for (shift = bits - 4; shift >= 0; shift -= 4)
        irl__text_putc(t, "0123456789abcdef"[irl__scalar_bits(type, s) >> shift & 15]);
    irl__text_puts(t, "))");
}

void irl__print_float(irl__text *t, irl_type type, double value)
{
    uint64_t bits;
    int      is_f32 = type.scalar == IRL_F32;
    memcpy(&bits, &value, sizeof bits);
    if (((bits >> 52) & 0x7ff) == 0x7ff) {
        irl__print_float_bits(t, type, value);
        return;
    }
    if (!is_f32) irl__textf(t, "%s(", irl__type_info(type)->text);
    if (bits >> 63) irl__text_putc(t, '-');
    irl__print_decimal(t, type, value);
    irl__text_putc(t, is_f32 ? 'f' : ')');
}

/* Whether e is printed without a type where its place says the type. */
static int irl__print_is_number(const irl_expr *e)
{
    const irl__const_name *n = irl__const_name_of(e);
    return n ? n->how != IRL__NAMED_TYPED : e->op == IRL_OP_INT && e->type.scalar != IRL_BOOL;
}

static int irl__print_is_bare(const irl_expr *e, irl__print_place place)
{
    return place == IRL__PLACE_TYPED ||
           (place == IRL__PLACE_NONE && e->op == IRL_OP_INT && e->type.scalar == IRL_INDEX);
}

int irl__print_const_name(irl__printer *p, const irl_expr *e, irl__print_place place, int is_end)
{
    const irl__const_name     *n = irl__const_name_of(e);
    const irl__print_used *u =
        n ? (const irl__print_used *)irl__ptr_map_get(&p->used, n->name) : NULL;
    if (!n || (n->how == IRL__NAMED_END) != is_end || (u && u->in_scope)) return 0;
    const int bare = n->how != IRL__NAMED_NUMBER || irl__print_is_bare(e, place);
    if (bare) irl__printf(p, "%n", n->name);
    else irl__printf(p, "%t(%n)", e->type, n->name);
    return 1;
}

static void irl__print_int(irl__text *t, const irl_expr *e, irl__print_place place)
{
    const int bare = irl__print_is_bare(e, place);
    if (e->type.scalar == IRL_BOOL) {
        irl__text_puts(t, e->u.i ? "true" : "false");
        return;
    }
    if (!bare) irl__textf(t, "%s(", irl__type_info(e->type)->text);
    if (irl__type_info(e->type)->kind == IRL_KIND_UINT) irl__text_uint(t, (uint64_t)e->u.i);
    else irl__text_int(t, e->u.i);
    if (!bare) irl__text_putc(t, ')');
}

/* ------------------------------------------------------------------ expressions */

/* Where operand k of an operator stands whose operands are all of one type. Numbers only would be
   computed by the parser, so then the first says its type; a number beside something else takes
   that one's type. */
static irl__print_place irl__print_operand_place(const irl_expr *e, uint32_t from, uint32_t k,
                                                 irl__print_place place)
{
    uint32_t i, numbers = 0;
    if (place == IRL__PLACE_FORCED) place = IRL__PLACE_NONE;
    if (!irl__print_is_number(e->a[k]))
        return irl__op_info((irl_op)e->op)->rule == IRL__COMPARE ? IRL__PLACE_NONE : place;
    for (i = from; i < e->count; i++) numbers += (uint32_t)irl__print_is_number(e->a[i]);
    if (numbers < e->count - from) return IRL__PLACE_TYPED;
    if (k > from) return IRL__PLACE_TYPED;
    return e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_RAMP
               ? place
               : IRL__PLACE_FORCED;
}

/* -(0.5f) is an operator on a constant, -0.5f is a constant. */
static void irl__print_prefix(irl__printer *p, const irl_expr *e, irl__print_place place)
{
    int guard =
        e->a[0]->op == IRL_OP_FLOAT || irl__op_info((irl_op)e->a[0]->op)->form == IRL_FORM_PREFIX;
    irl__text_puts(p->t, irl__op_info((irl_op)e->op)->text);
    if (guard) irl__text_putc(p->t, '(');
    irl__print_at(p, e->a[0], guard ? 0 : IRL__PRINT_PREFIX_PRECEDENCE,
                  irl__print_operand_place(e, 0, 0, place));
    if (guard) irl__text_putc(p->t, ')');
}

static void irl__print_special(irl__printer *p, const irl_expr *e, irl__print_place place)
{
    if (irl__print_const_name(p, e, place, 0)) return;
    switch (e->op) {
    case IRL_OP_INT: irl__print_int(p->t, e, place); break;
    case IRL_OP_FLOAT: irl__print_float(p->t, e->type, e->u.f); break;
    case IRL_OP_VAR: irl__print_var(p, e); break;
    case IRL_OP_RAMP:
        irl__printf(p, "ramp(%p, %p, %u)", e->a[0], (int)irl__print_operand_place(e, 0, 0, place),
                    e->a[1], (int)irl__print_operand_place(e, 0, 1, place), (int)e->type.lanes);
        break;
    case IRL_OP_SHUFFLE:
        irl__printf(p, "shuffle(%l, [", (int)e->count, e->a);
        for (uint32_t k = 0; k < e->type.lanes; k++)
            irl__textf(p->t, k ? ", %d" : "%d", e->u.picks[k]);
        irl__text_puts(p->t, "])");
        break;
    case IRL_OP_LET: {
        const size_t mark = irl__print_open(p);
        irl__printf(p, "let(%d = %e, %p)", e->a[0], e->a[1], e->a[2], (int)place);
        irl__print_close(p, mark);
    } break;
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC:
        irl__printf(p, e->count ? "%s(%t, %n, %l)" : "%s(%t, %n)",
                    irl__op_info((irl_op)e->op)->text, e->type, e->u.name, (int)e->count, e->a);
        break;
    case IRL_OP_UNDEF: irl__printf(p, "undef(%t)", e->type); break;
    case IRL_OP_CAST:
        irl__printf(p, "%t(%p)", e->type, e->a[0], (int)IRL__PLACE_FORCED);
        break;
    case IRL_OP_REINTERPRET: irl__printf(p, "as(%t, %e)", e->type, e->a[0]); break;
    case IRL_OP_BROADCAST:
        irl__printf(p, "broadcast(%p, %u)", e->a[0],
                    (int)(place == IRL__PLACE_FORCED ? IRL__PLACE_NONE : place),
                    (int)(e->type.lanes / e->a[0]->type.lanes));
        break;
    case IRL_OP_LOAD: irl__printf(p, "%b[%x]", e->u.buffer, (int)e->count, e->a); break;
    default: break;
    }
}

/* Does a prototype have the name of this function? */
static int irl__print_is_hidden(const irl__printer *p, const char *name)
{
    for (int k = 0; p->func && k < p->func->extern_count; k++)
        if (strcmp(p->func->externs[k].is.name, name) == 0) return 1;
    return 0;
}

/* Writes e where operators of precedence `least` and above need no parentheses. */
void irl__print_at(irl__printer *p, const irl_expr *e, int least, irl__print_place place)
{
    switch (irl__op_info((irl_op)e->op)->form) {
    case IRL_FORM_INFIX: {
        const irl__op_row *row = irl__op_info((irl_op)e->op);
        if (row->precedence < least) irl__text_putc(p->t, '(');
        irl__print_at(p, e->a[0], row->precedence, irl__print_operand_place(e, 0, 0, place));
        irl__printf(p, " %s ", row->text);
        irl__print_at(p, e->a[1], row->precedence + 1, irl__print_operand_place(e, 0, 1, place));
        if (row->precedence < least) irl__text_putc(p->t, ')');
    } break;
    case IRL_FORM_PREFIX: irl__print_prefix(p, e, place); break;
    case IRL_FORM_CALL: {
        int      chooses = e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE;
        uint32_t k, from = chooses ? 1 : 0;
        const char *name = irl__op_info((irl_op)e->op)->text;
        const int is_hidden = e->op >= IRL__OP_HIDEABLE && irl__print_is_hidden(p, name);
        irl__printf(p, is_hidden ? "irl_%s(" : "%s(", name);
        for (k = 0; k < e->count; k++) {
            if (k) irl__text_append(p->t, ", ", 2);
            if (e->op == IRL_OP_LANE || k < from) irl__print_at(p, e->a[k], 0, IRL__PLACE_NONE);
            else irl__print_at(p, e->a[k], 0, irl__print_operand_place(e, from, k, place));
        }
        irl__text_putc(p->t, ')');
    } break;
    case IRL_FORM_LEAF:
    case IRL_FORM_SPECIAL: irl__print_special(p, e, place); break;
    }
}

void irl__print_any(irl__printer *p, const irl_expr *e) { irl__print_at(p, e, 0, IRL__PLACE_NONE); }

void irl__print_named_buffer(irl__printer *p, const irl_buffer *b, int is_view)
{
    irl__printf(p, "%b: ", b);
    irl__buffer_type_text(p->t, b);
    irl__printf(p, "[%x]", b->rank, b->shape);
    irl_scope usual = is_view ? (irl_scope)b->data->type.scope : IRL_SCOPE_GLOBAL;
    if (is_view) irl__printf(p, " data(%v)", b->data);
    if (b->scope != usual) irl__textf(p->t, " scope(%s)", irl__scope_text(b->scope));
    if (b->strides && b->rank) irl__printf(p, " strides(%x)", b->rank, b->strides);
    if (b->offset) irl__printf(p, " offset(%e)", b->offset);
    if (b->alignment) irl__textf(p->t, " align(%u)", (uint64_t)b->alignment);
    for (int k = 0; k < b->separator_count; k++)
        irl__textf(p->t, k ? ", %d" : " sep(%d", b->separators[k]);
    if (b->separator_count) irl__text_putc(p->t, ')');
    if (b->texel) irl__textf(p->t, " texel(%d)", b->texel);
    if (b->is_field) irl__text_puts(p->t, " field");
    if (irl__bitfield_says_order(b))
        irl__textf(p->t, " bits(%s)", irl__bit_order_text(b->bit_order));
}

static void irl__print_new_buffer(irl__printer *p, const irl_buffer *b)
{
    const int is_view = irl__ptr_map_get(&p->names, b->data) != NULL;
    irl__print_declare_buffer(p, b, 0);
    irl__print_named_buffer(p, b, is_view);
}

void irl__printf(irl__printer *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (; *format; format++) {
        if (*format != '%') {
            irl__text_putc(p->t, *format);
            continue;
        }
        switch (*++format) {
        case 'e': irl__print_any(p, va_arg(args, const irl_expr *)); break;
        case 'p': {
            const irl_expr *e = va_arg(args, const irl_expr *);
            irl__print_at(p, e, 0, (irl__print_place)va_arg(args, int));
        } break;
        case 'u': irl__text_int(p->t, va_arg(args, int)); break;
        case 'v': irl__print_var(p, va_arg(args, const irl_expr *)); break;
        case 'd': {
            const irl_expr *var = va_arg(args, const irl_expr *);
            irl__print_declare(p, var, var->u.name, 0);
            irl__print_var(p, var);
        } break;
        case 'D': irl__print_new_buffer(p, va_arg(args, const irl_buffer *)); break;
        case 'i':
            for (int n = va_arg(args, int); n > 0; n--) irl__text_append(p->t, "    ", 4);
            break;
        case 'b': irl__print_buffer_name(p, va_arg(args, const irl_buffer *)); break;
        case 'n': irl__print_symbol(p->t, va_arg(args, const char *)); break;
        case 'q': irl__print_quoted(p->t, va_arg(args, const char *), '"'); break;
        case 'm': irl__print_map_with(p, va_arg(args, const irl_map *)); break;
        case 't': irl__type_text(p->t, va_arg(args, irl_type)); break;
        case 'c': irl__print_at(p, va_arg(args, const irl_expr *), 0, IRL__PLACE_TYPED); break;
        case 'l':
        case 'x': {
            const int count = va_arg(args, int);
            const irl_expr *const *a = va_arg(args, const irl_expr *const *);
            const irl__print_place place = *format == 'x' ? IRL__PLACE_TYPED : IRL__PLACE_NONE;
            for (int k = 0; k < count; k++) {
                if (k) irl__text_append(p->t, ", ", 2);
                irl__print_at(p, a[k], 0, place);
            }
        } break;
        default: irl__text_puts(p->t, va_arg(args, const char *)); break; /* %s */
        }
    }
    va_end(args);
}

/* ------------------------------------------------------------------ maps */

void irl__print_map_with(irl__printer *p, const irl_map *m)
{
    size_t mark = irl__print_open(p);
    irl__text_putc(p->t, '(');
    for (int k = 0; k <= m->input_count; k++) {
        if (m->variadic && k == m->variadic_in) {
            irl__text_puts(p->t, k ? ", ..." : "...");
            if (k < m->input_count) irl__text_puts(p->t, ", ");
        } else if (k && k < m->input_count) irl__text_puts(p->t, ", ");
        if (k == m->input_count) break;
        irl__printf(p, "%d", m->inputs[k]);
    }
    irl__text_putc(p->t, ')');
    irl__text_puts(p->t, " -> ");
    int place, j = 0, separator = 0, places = m->output_count + (m->variadic ? 1 : 0);
    irl__text_putc(p->t, '(');
    for (place = 0; place < places; place++) {
        if (place) irl__text_puts(p->t, ", ");
        if (separator < m->separator_count && m->separators[separator] == place) {
            irl__text_puts(p->t, "|, ");
            separator++;
        }
        if (m->variadic && place == m->variadic_out) irl__text_puts(p->t, "...");
        else irl__print_any(p, m->outputs[j++]);
    }
    irl__text_putc(p->t, ')');
    irl__print_close(p, mark);
}

/* ------------------------------------------------------------------ entries */

irl__arena_mark irl__print_begin(irl__printer *p, irl__text *t, irl_ctx *cx)
{
    irl__arena_mark none;
    memset(&none, 0, sizeof none);
    irl__printer_init(p, t, cx);
    return cx ? irl__scratch_begin(cx) : none;
}

void irl__print_end(irl__printer *p, irl__arena_mark mark)
{
    if (p->cx) irl__scratch_end(p->cx, mark);
}

static const irl__print_name irl__print_bound = { "?", 1 };

/* Names what e does not bind itself before what it binds: the former are known to the reader by
   their names. */
static void irl__print_name_free(irl__printer *p, const irl_expr *e)
{
    if (e->op == IRL_OP_VAR && !irl__ptr_map_get(&p->names, e))
        irl__print_declare(p, e, e->u.name, 1);
    for (uint32_t k = e->op == IRL_OP_LET; k < e->count && !p->t->failed; k++) {
        if (e->op == IRL_OP_LET && k == 2 &&
            !irl__ptr_map_put(p->cx, &p->names, e->a[0], &irl__print_bound))
            p->t->failed = 1;
        irl__print_name_free(p, e->a[k]);
    }
}

void irl__print_expr(irl__text *t, const irl_expr *e)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, t->cx);
    if (t->cx && (e->flags & IRL__HAS_LET)) irl__print_name_free(&p, e);
    irl__print_any(&p, e);
    irl__print_end(&p, mark);
}

void irl__print_map(irl__text *t, const irl_map *m)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, m->cx);
    irl__print_map_with(&p, m);
    irl__print_end(&p, mark);
}

const char *irl_expr_text(irl_ctx *cx, const irl_expr *e)
{
    irl__text t;
    if (!cx || !e) return "";
    irl__text_init(&t, cx);
    irl__print_expr(&t, e);
    return irl__text_or_empty(irl__text_done(&t));
}

const irl_expr *irl__widened(irl_ctx *cx, const irl_expr *e, irl_type to)
{
    const irl_expr *a[2];
    switch (e->op) {
    case IRL_OP_INT: return irl_expr_int(cx, to, e->u.i);
    case IRL_OP_ADD: case IRL_OP_SUB: case IRL_OP_MUL: case IRL_OP_NEG: case IRL_OP_SHL:
    case IRL_OP_SHR: case IRL_OP_BITAND: case IRL_OP_BITOR: case IRL_OP_BITXOR: break;
    default: return irl_expr_cast(cx, to, e);
    }
    for (uint32_t k = 0; k < e->count; k++) a[k] = irl__widened(cx, e->a[k], to);
    return irl__expr_op(cx, (irl_op)e->op, (int)e->count, a, irl__nowhere());
}

const char *irl__widened_text(irl_ctx *cx, const irl_expr *e)
{
    const irl__type_row *row = irl__type_info(e->type);
    const irl_expr      *value = e->op == IRL_OP_SHL || e->op == IRL_OP_SHR ? e->a[0] : e;
    /* the product of two u16 may be too large for i32 */
    const int is_unsigned = row->kind == IRL_KIND_UINT &&
                            (row->bits == 32 || (row->bits == 16 && value->op == IRL_OP_MUL));
    const irl_scalar to = row->bits == 32 ? is_unsigned ? IRL_U64 : IRL_I64
                                          : is_unsigned ? IRL_U32 : IRL_I32;
    return irl_expr_text(cx, irl__widened(cx, e, irl_type_of(to, (int)e->type.lanes)));
}

int irl__operator_fail(irl_ctx *cx, irl_loc loc, const irl_expr *e, irl__fold_status status)
{
    const irl_type type = e->a[0]->type;
    const int      bits = irl__type_info(type)->bits, wide = bits < 32 ? 32 : 64;
    const char    *said = status == IRL__FOLD_BAD_SHIFT && bits < 64 && e->a[1]->op == IRL_OP_INT &&
                                  e->a[1]->u.i >= 0 && e->a[1]->u.i < wide
                              ? irl__widened_text(cx, e) : NULL;
    irl__fold_fail(cx, loc, (irl_op)e->op, type, status);
    if (!said) return 0;
    return irl__hint(cx, "what is shifted has %d bits, and %s is not promoted: write %s", bits,
                     irl__type_info(type)->text, said);
}

const char *irl_map_text(irl_ctx *cx, const irl_map *map)
{
    irl__text t;
    if (!cx || !map) return "";
    irl__text_init(&t, cx);
    irl__print_map(&t, map);
    return irl__text_or_empty(irl__text_done(&t));
}
