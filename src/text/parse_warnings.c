/* parse_warnings.c - texts that are well-formed and probably not intended: numbers that lose a
   fraction, and ranges that are empty.

   needs     lex.c, parse_hints.c
   promises  a warning has its place and the text to write; a cast that is written silences it. At
             most IRL__WARNINGS_MOST are kept of one function, and the number of others */
#include "parse.h"

enum { IRL__WARNINGS_MOST = 8 };

const char *irl__parse_warnings_done(irl__parser *p)
{
    if (p->warning_count > IRL__WARNINGS_MOST)
        irl__textf(&p->warnings, "warning: %d more warnings about numbers and ranges\n",
                   p->warning_count - IRL__WARNINGS_MOST);
    const char *text = irl__text_or_empty(irl__text_done(&p->warnings));
    p->warnings.cx = NULL;
    return text;
}

void irl__warn(irl__parser *p, irl_loc where, const char *format, ...)
{
    const size_t was = p->warnings.length;
    va_list      arguments;
    if (!p->warnings.cx || p->warning_count++ >= IRL__WARNINGS_MOST) return;
    irl__loc_prefix(&p->warnings, p->cx, where);
    irl__text_puts(&p->warnings, "warning: ");
    va_start(arguments, format);
    irl__textv(&p->warnings, format, arguments);
    va_end(arguments);
    irl__text_putc(&p->warnings, '\n');
    char *const said = p->warnings.data;
    if (p->warnings.failed || !was || strstr(said, said + was) == said + was) return;
    said[p->warnings.length = was] = '\0';
    p->warning_count--;
}

/* 1/2 is to be written 1.0/2; an integer that is meant, as one of `type`. */
static void irl__warn_division(irl__parser *p, const irl__value *v, const char *type)
{
    char      written[48], meant[56];
    irl__text t;
    irl__hint_operand(v->cut->at.source->text, v->cut->at.offset, v->cut->end, written,
                      sizeof written);
    irl__text_init_fixed(&t, meant, sizeof meant);
    const size_t sign = written[0] == '-', end = sign + strspn(written + sign, "0123456789");
    if (end > sign && (written[end] == ' ' || written[end] == '/')) {
        irl__text_append(&t, written, end);
        irl__text_puts(&t, ".0");
        irl__text_puts(&t, written + end);
    } else irl__text_puts(&t, "f32(...) / ...");
    irl__warn(p, v->cut->at, "%s is a division of integers, which gives %s%u, in an expression of "
              "floats; write %s, or %s(%s) if this is meant", written, v->is_negative ? "-" : "",
              v->magnitude, meant, type, written);
}

/* A number that becomes `made`, a constant of floats. */
static void irl__warn_number(irl__parser *p, const irl__value *v, irl_type type, double made)
{
    const double size = made < 0 ? -made : made;
    if (v->kind != IRL__VALUE_INTEGER) return;
    if (v->cut) irl__warn_division(p, v, "f32");
    else if (size >= 18446744073709551616.0 || (uint64_t)size != v->magnitude)
        irl__warn(p, irl__loc_at(p, v->offset),
                  "no %s has the value %u, so it is rounded; write %u.0 if this is meant",
                  irl__type_cstr(p->cx, type), v->magnitude, v->magnitude);
}

/* The operand of a cast; it is the last one that was read. */
static void irl__warn_cast(irl__parser *p, const irl__value *v, irl_type type)
{
    const irl_expr *e = v->e;
    char            written[48];
    if (v->name && v->cut && irl__type_is_real(type)) irl__warn_division(p, v, "index");
    if (v->kind != IRL__VALUE_TYPED) return;
    const int is_float = e->op == IRL_OP_FLOAT;
    if ((!is_float && (e->op != IRL_OP_INT || e->type.scalar == IRL_BOOL)) ||
        !irl__type_is_integer(type) || type.is_pointer ||
        (!is_float && irl__type_info(e->type)->bits <= irl__type_info(type)->bits))
        return;
    const double  f = is_float ? e->u.f : 0;
    const int64_t i = !is_float ? e->u.i : f > -9e18 && f < 9e18 ? (int64_t)f : 0;
    const int64_t kept = irl__wrap_int(irl__type_with_lanes(type, 1), i);
    if (is_float ? (double)kept == f : kept == i) return;
    irl__hint_operand(p->text, v->offset, p->token_end, written, sizeof written);
    irl__warn(p, irl__loc_at(p, v->offset),
              "%s is not a value of %s, so the cast changes it; write the integer that is meant",
              written, irl__type_cstr(p->cx, type));
}

/* n - 1, n - 2, ...: likely the last element of something. A size, n, which is not negative. */
static int irl__warn_is_last(irl__parser *p, const irl_expr *e)
{
    if (e->op != IRL_OP_VAR)
        return e->op == IRL_OP_SUB && e->a[0]->op == IRL_OP_VAR && e->a[1]->op == IRL_OP_INT &&
               e->a[1]->u.i > 0;
    const irl__symbol *s = irl__symbol_of(p, e->u.name);
    return s && s->binding.var == e && s->extent_of == p->func_count + 1;
}

void irl__warn_range(irl__parser *p, const irl_expr *lo, const irl_expr *hi, int64_t step,
                     uint32_t offset)
{
    char       written[48];
    const int  are_known = hi->op == IRL_OP_INT && lo->op == IRL_OP_INT;
    const char *turned = step < 0 ? "downwards; exchange its ends, or omit the step"
                                  : "upwards; to count down to 0, write -1 : -1 as its end";
    if (step < 0 ? !are_known || lo->u.i >= hi->u.i
                 : are_known ? lo->u.i <= hi->u.i
                             : hi->op != IRL_OP_INT || !irl__warn_is_last(p, lo) ||
                                   (hi->u.i != 0 && hi->u.i != -1))
        return;
    irl__hint_written(p->text, offset, p->token_end, written, sizeof written);
    irl__warn(p, irl__loc_at(p, offset), "the range %s is empty, since it counts %s", written,
              turned);
}

void irl__parse_warnings(irl__parser *p)
{
    irl__text_init(&p->warnings, p->cx);
    p->warning_count = 0;
    p->warner.unexpected = irl__hint_unexpected;
    p->warner.operands = irl__hint_operands;
    p->warner.number = irl__warn_number;
    p->warner.cast = irl__warn_cast;
}
