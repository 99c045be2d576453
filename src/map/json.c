/* json.c - a verdict for machines; symbolic_text.c has those with names in them.

   needs     the printer of maps and expressions
   promises  one line of JSON with the same fields always; null where a field does not apply */
#include "map.h"

/* Bytes of the UTF-8 sequence at s, 0 if it is none: too long a form, a surrogate, beyond U+10FFFF,
   cut off. */
static int irl__json_utf8(const unsigned char *s)
{
    unsigned char least = s[0] == 0xe0   ? 0xa0
                          : s[0] == 0xf0 ? 0x90
                                         : 0x80,
                  most = s[0] == 0xed   ? 0x9f
                         : s[0] == 0xf4 ? 0x8f
                                        : 0xbf;
    int length = s[0] < 0x80   ? 1
                 : s[0] < 0xc2 ? 0
                 : s[0] < 0xe0 ? 2
                 : s[0] < 0xf0 ? 3
                 : s[0] < 0xf5 ? 4
                               : 0,
        k;
    for (k = 1; k < length; k++, least = 0x80, most = 0xbf)
        if (s[k] < least || s[k] > most) return 0;
    return length;
}

/* JSON is UTF-8; a name may hold any bytes: those that are none are written as the characters of
   their numbers. */
void irl__json_string(irl__text *t, const char *s)
{
    static const char hex[] = "0123456789abcdef";
    if (!s) {
        irl__text_puts(t, "null");
        return;
    }
    irl__text_putc(t, '"');
    while (*s) {
        unsigned char c = (unsigned char)*s;
        int           length = c < 0x20 ? 0 : irl__json_utf8((const unsigned char *)s);
        if (c == '"' || c == '\\') irl__text_putc(t, '\\');
        if (length) irl__text_append(t, s, (size_t)length);
        else if (c == '\n') irl__text_puts(t, "\\n");
        else irl__textf(t, "\\u00%c%c", hex[c >> 4], hex[c & 15]);
        s += length ? length : 1;
    }
    irl__text_putc(t, '"');
}

const char *irl_json_text(irl_ctx *cx, const char *text)
{
    irl__text t;
    if (!cx) return NULL;
    irl__text_init(&t, cx);
    irl__json_string(&t, text);
    return irl__text_done(&t);
}

void irl__json_shape(irl__text *t, const irl_shape *s)
{
    int k;
    irl__text_putc(t, '[');
    for (k = 0; k < s->rank; k++) irl__textf(t, k ? ", %l" : "%l", s->extent[k]);
    irl__text_putc(t, ']');
}

void irl__json_shape_if(irl__text *t, int applies, const irl_shape *s)
{
    if (applies) irl__json_shape(t, s);
    else irl__text_puts(t, "null");
}

const char *irl_verdict_json(irl_ctx *cx, const irl_map *map, const irl_verdict *v)
{
    irl__text   t;
    int         injective, witness;
    const char *text;
    if (!cx || !map || !v) return "";
    injective = v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE;
    witness = v->kind >= IRL_LOSSY;
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{\"map\": ");
    irl__json_string(&t, irl_map_text(cx, map));
    irl__text_puts(&t, ", \"shape\": ");
    irl__json_shape(&t, &v->shape);
    irl__text_puts(&t, ", \"min\": ");
    irl__json_shape_if(&t, v->box_known, &v->minimum);
    irl__text_puts(&t, ", \"physical\": ");
    irl__json_shape_if(&t, v->box_known, &v->physical);
    irl__text_puts(&t, ", \"verdict\": ");
    irl__json_string(&t, irl_verdict_name(v->kind));
    irl__text_puts(&t, ", \"method\": ");
    irl__json_string(&t, v->method && v->method[0] ? v->method : NULL);
    irl__text_puts(&t, ", \"inverse\": ");
    irl__json_string(&t, v->inverse ? irl_map_text(cx, v->inverse) : NULL);
    irl__text_puts(&t, ", \"padding\": ");
    irl__json_string(&t, v->padding ? irl_expr_text(cx, v->padding) : NULL);
    irl__text_puts(&t, ", \"pad_cells\": ");
    if (injective && v->pad_cells >= 0) irl__text_int(&t, v->pad_cells);
    else irl__text_puts(&t, "null");
    irl__text_puts(&t, ", \"witness\": ");
    if (witness) {
        irl__text_puts(&t, "{\"a\": ");
        irl__json_shape(&t, &v->a);
        irl__text_puts(&t, ", \"b\": ");
        irl__json_shape_if(&t, v->kind == IRL_LOSSY, &v->b);
        irl__text_puts(&t, ", \"at\": ");
        irl__json_shape(&t, &v->at);
        irl__text_putc(&t, '}');
    } else irl__text_puts(&t, "null");
    irl__text_puts(&t, ", \"reason\": ");
    irl__json_string(&t, v->kind == IRL_UNDECIDED || v->kind == IRL_C_DIFFERS ? v->reason : NULL);
    irl__text_putc(&t, '}');
    text = irl__text_done(&t);
    return text ? text : "";
}
