/* json.c - writes strings as JSON.

   needs     only texts
   promises  the output is UTF-8 */
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
    if (!cx) return "";
    irl__text_init(&t, cx);
    irl__json_string(&t, text);
    return irl__text_or_empty(irl__text_done(&t));
}
