/* emit_text.c - texts with parts of the IR in them.

   needs     emit_expr.c, emit_type.c, which print the parts
   promises  a format says what a line of the program looks like, so that it can be read here */
#include "emit.h"

void irl__emit_line(irl__emit *e)
{
    static const char blanks[] = "                                                                ";
    int          n = e->indent * 4;
    for (; n > 64; n -= 64) irl__text_append(&e->text, blanks, 64);
    irl__text_append(&e->text, blanks, (size_t)n);
}

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
        case 's': irl__text_puts(&e->text, va_arg(arguments, const char *)); break;
        case 'c': irl__text_putc(&e->text, (char)va_arg(arguments, int)); break;
        case 'd': irl__text_int(&e->text, va_arg(arguments, int)); break;
        case 'l': irl__text_int(&e->text, va_arg(arguments, int64_t)); break;
        case 'u': irl__text_uint(&e->text, va_arg(arguments, uint32_t)); break;
        case 't': irl__emit_type(e, va_arg(arguments, irl_type)); break;
        case 'x': irl__emitf_operand(e, va_arg(arguments, const irl_expr *), IRL__PREC_CHOICE);
            break;
        case 'o': {
            int precedence = va_arg(arguments, int);
            irl__emitf_operand(e, va_arg(arguments, const irl_expr *), precedence);
        } break;
        case 'e': irl__emit_expr(e, va_arg(arguments, const irl_expr *), IRL__PREC_CHOICE); break;
        default: irl__text_putc(&e->text, *p); break;
        }
        p++;
    }
    va_end(arguments);
}
