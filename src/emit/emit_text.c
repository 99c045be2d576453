/* emit_text.c - formats texts that contain parts of the IR.

   needs     the language's tables; emit_expr.c, which prints expressions
   promises  a format shows what a line of the program looks like */
#include "emit.h"

void irl__emit_line(irl__emit *e)
{
    static const char blanks[] = "                                                                ";
    int          n = e->indent * 4;
    for (; n > 64; n -= 64) irl__text_append(&e->text, blanks, 64);
    irl__text_append(&e->text, blanks, (size_t)n);
}

void irl__emit_unused(irl__emit *e, const irl__text *body, const irl_expr *var)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, var);
    if (symbol && !irl__emit_mentions(body, 0, symbol->name))
        irl__textf(&e->text, "    (void)%s;\n", symbol->name);
}

/* ------------------------------------------------------------------ types of values */

const char *irl__emit_scalar_type(const irl__emit *e, irl_type type)
{
    return irl__type_is_index(type) ? e->language->index_types[e->width]
                                    : e->language->types[type.scalar];
}

irl_type irl__emit_computed(const irl__emit *e, irl_type type)
{
    static const irl_scalar by_width[] = { IRL_U32, IRL_I32, IRL_I64 };
    const irl_scalar        one = e->language->index_scalar;
    if (irl__type_is_index(type))
        type.scalar = (uint8_t)(one != IRL_BOOL ? one : by_width[e->width]);
    return type;
}

void irl__emit_type(irl__emit *e, irl_type type)
{
    const irl__emit_language *l = e->language;
    const char *const        *names = l->vectors ? l->vectors : l->types;
    if (type.lanes == 1) {
        irl__text_puts(&e->text, irl__emit_scalar_type(e, type));
        return;
    }
    if (l->vector_type) {
        l->vector_type(e, type);
        return;
    }
    irl__text_puts(&e->text, l->mask && type.scalar == IRL_BOOL ? l->mask
                             : !irl__type_is_index(type)         ? names[type.scalar]
                             : l->index_vectors                  ? l->index_vectors[e->width]
                                                                 : l->index_types[e->width]);
    irl__text_uint(&e->text, type.lanes);
}

const char *irl__emit_precise(const irl__emit *e, irl_type type)
{
    return e->language->precise && irl__type_is_float(type) && !irl__type_is_storage(type)
               ? e->language->precise
               : "";
}

irl_type irl__emit_held(irl_type type)
{
    return type.scalar == IRL_BOOL ? irl_type_of(IRL_U8, (int)type.lanes) : type;
}

/* ------------------------------------------------------------------ formats */

/* An operand, which may be NULL where the context has failed. */
static void irl__emitf_operand(irl__emit *e, const irl_expr *x, int precedence)
{
    if (x) irl__emit_operand(e, x, precedence);
}

void irl__emitf(irl__emit *e, const char *format, ...)
{
    va_list     arguments;
    const char *p = format;
    va_start(arguments, format);
    while (*p) {
        const char *stop = p;
        while (*stop && *stop != '%' && *stop != '\t') stop++;
        if (stop != p) irl__text_append(&e->text, p, (size_t)(stop - p));
        p = *stop == '%' ? stop + 1 : stop;
        switch (*p) {
        case '\0': va_end(arguments); return;
        case '\t': irl__emit_line(e); break;
        case 's': {
            const char *s = va_arg(arguments, const char *);
            irl__text_puts(&e->text, s ? s : "(none)");
        } break;
        case 'c': irl__text_putc(&e->text, (char)va_arg(arguments, int)); break;
        case 'd': irl__text_int(&e->text, va_arg(arguments, int)); break;
        case 'l': irl__text_int(&e->text, va_arg(arguments, int64_t)); break;
        case 'u': irl__text_uint(&e->text, va_arg(arguments, uint64_t)); break;
        case 't': irl__emit_type(e, va_arg(arguments, irl_type)); break;
        case 'x': irl__emitf_operand(e, va_arg(arguments, const irl_expr *), IRL__PREC_CHOICE);
            break;
        case 'o': {
            int precedence = va_arg(arguments, int);
            irl__emitf_operand(e, va_arg(arguments, const irl_expr *), precedence);
        } break;
        case 'p': {
            int precedence = va_arg(arguments, int);
            irl__emit_expr(e, va_arg(arguments, const irl_expr *), precedence);
        } break;
        case 'e': irl__emit_expr(e, va_arg(arguments, const irl_expr *), IRL__PREC_CHOICE); break;
        default: irl__text_putc(&e->text, *p); break;
        }
        p++;
    }
    va_end(arguments);
}
