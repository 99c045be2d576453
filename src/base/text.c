/* text.c - builds texts: the printer, the emitters and the verdicts write into them.

   needs     an arena
   promises  after the first failed append nothing is appended and irl__text_done returns NULL */
#include "base.h"

void irl__text_init(irl__text *t, irl_ctx *cx)
{
    memset(t, 0, sizeof *t);
    t->cx = cx;
}

void irl__text_init_fixed(irl__text *t, char *buffer, size_t capacity)
{
    memset(t, 0, sizeof *t);
    t->data = buffer;
    t->capacity = capacity;
    t->fixed = 1;
    buffer[0] = '\0';
}

static int irl__text_fail(irl__text *t)
{
    t->failed = 1;
    t->capacity = t->length; /* so that every append comes to irl__text_room */
    return 0;
}

/* Room for *length bytes and the terminator; a fixed text cuts them to what there is. */
static int irl__text_room(irl__text *t, size_t *length)
{
    size_t capacity = t->capacity ? t->capacity : 64;
    if (t->failed) return 0;
    if (t->fixed) return *length = t->capacity - t->length - 1, 1;
    if (*length > SIZE_MAX / 4) return irl__text_fail(t);
    while (capacity - t->length <= *length) capacity *= 2;
    char *data = (char *)irl__alloc(t->cx, capacity);
    if (!data) return irl__text_fail(t);
    if (t->length) memcpy(data, t->data, t->length);
    t->data = data;
    t->capacity = capacity;
    return 1;
}

void irl__text_append(irl__text *t, const char *bytes, size_t length)
{
    if (length >= t->capacity - t->length && !irl__text_room(t, &length)) return;
    memcpy(t->data + t->length, bytes, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void irl__text_putc(irl__text *t, char c)
{
    if (t->capacity - t->length < 2) {
        irl__text_append(t, &c, 1);
        return;
    }
    t->data[t->length++] = c;
    t->data[t->length] = '\0';
}

void irl__text_uint(irl__text *t, uint64_t value)
{
    char digits[20];
    int  n = 20;
    do {
        digits[--n] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    irl__text_append(t, digits + n, (size_t)(20 - n));
}

void irl__text_int(irl__text *t, int64_t value)
{
    if (value < 0) irl__text_putc(t, '-');
    irl__text_uint(t, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void irl__text_numbers(irl__text *t, const char *ends, int count, const int64_t *list)
{
    if (ends[0]) irl__text_putc(t, ends[0]);
    for (int k = 0; k < count; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__text_int(t, list[k]);
    }
    if (ends[0]) irl__text_putc(t, ends[1]);
}

void irl__textv(irl__text *t, const char *format, va_list arguments)
{
    const char *p = format;
    while (*p) {
        const char *percent = p;
        while (*percent && *percent != '%') percent++;
        if (percent != p) irl__text_append(t, p, (size_t)(percent - p));
        if (!*percent) return;
        switch (percent[1]) {
        case 's': {
            const char *s = va_arg(arguments, const char *);
            irl__text_puts(t, s ? s : "(none)");
            break;
        }
        case 'c': irl__text_putc(t, (char)va_arg(arguments, int)); break;
        case 'd': irl__text_int(t, va_arg(arguments, int)); break;
        case 'l': irl__text_int(t, va_arg(arguments, int64_t)); break;
        case 'u': irl__text_uint(t, va_arg(arguments, uint64_t)); break;
        case 'z': irl__text_uint(t, va_arg(arguments, size_t)); break;
        default: irl__text_putc(t, percent[1]); break;
        }
        p = percent + (percent[1] ? 2 : 1);
    }
}

void irl__textf(irl__text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    irl__textv(t, format, arguments);
    va_end(arguments);
}

const char *irl__text_done(irl__text *t)
{
    if (t->failed) return NULL;
    return t->data ? t->data : "";
}

static const char *irl__formatv(irl_ctx *cx, const char *format, va_list arguments)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__textv(&t, format, arguments);
    return irl__text_done(&t);
}

const char *irl__text_of(irl_ctx *cx, const char *format, va_list arguments)
{
    return irl__text_or_empty(irl__formatv(cx, format, arguments));
}

const char *irl__format(irl_ctx *cx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = irl__formatv(cx, format, arguments);
    va_end(arguments);
    return text;
}

const char *irl__namef(irl_ctx *cx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = irl__formatv(cx, format, arguments);
    va_end(arguments);
    return text ? irl__namez(cx, text) : NULL;
}
