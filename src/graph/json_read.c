/* json_read.c - JSON from outside, as a tree.

   needs     text
   promises  a tree or a diagnostic with its place, for any bytes; what is kept is bounded by the
             length of the text, and nesting by IRL__JSON_DEPTH; time linear. A string is its bytes:
             \u0080 to \u00ff are bytes too, because irl_json_text writes bytes that are not UTF-8
             so */
#include "graph.h"

typedef struct irl__json_reader {
    irl_ctx           *cx;
    const irl__source *source;
    size_t             at;
} irl__json_reader;

static irl__json *irl__json_value(irl__json_reader *r, int depth);

irl_loc irl__json_loc(const irl__json *v)
{
    irl_loc loc;
    loc.source = v->source;
    loc.offset = v->offset;
    return loc;
}

static int irl__json_wrong(irl__json_reader *r, const char *expected)
{
    irl_loc loc;
    loc.source = r->source;
    loc.offset = (uint32_t)r->at;
    return irl__fail(r->cx, IRL_ERROR_SYNTAX, loc, "JSON: expected %s", expected);
}

/* The next character, white space aside; '\0' at the end. */
static char irl__json_next(irl__json_reader *r)
{
    const char *text = r->source->text;
    while (r->at < r->source->length &&
           (text[r->at] == ' ' || text[r->at] == '\t' || text[r->at] == '\r' ||
            text[r->at] == '\n'))
        r->at++;
    return r->at < r->source->length ? text[r->at] : '\0';
}

static int irl__json_accept(irl__json_reader *r, char c)
{
    if (irl__json_next(r) != c) return 0;
    r->at++;
    return 1;
}

/* ------------------------------------------------------------------ strings */

static int irl__json_hex(irl__json_reader *r, unsigned *out)
{
    int k;
    for (*out = 0, k = 0; k < 4; k++, r->at++) {
        const char c = r->at < r->source->length ? r->source->text[r->at] : '\0';
        const int  digit = c >= '0' && c <= '9'   ? c - '0'
                           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
        if (digit < 0) return irl__json_wrong(r, "four hexadecimal digits");
        *out = *out * 16 + (unsigned)digit;
    }
    return 1;
}

static int irl__json_escape(irl__json_reader *r, irl__text *t)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    unsigned     code;
    const char   c = r->at < r->source->length ? r->source->text[r->at++] : '\0';
    if (c != 'u') {
        const char *found = c ? strchr(from, c) : NULL;
        if (!found) return irl__json_wrong(r, "an escape of JSON: \\n, \\\", \\u0041");
        irl__text_putc(t, to[found - from]);
        return 1;
    }
    if (!irl__json_hex(r, &code)) return 0;
    if (!code || (code >= 0xd800 && code < 0xe000))
        return irl__json_wrong(r, "a character that is allowed in a name, not NUL and not a "
                                  "surrogate");
    if (code < 0x100) irl__text_putc(t, (char)code);
    else {
        if (code >= 0x800) irl__text_putc(t, (char)(0xe0 | code >> 12));
        irl__text_putc(t, (char)(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6));
        irl__text_putc(t, (char)(0x80 | (code & 0x3f)));
    }
    return 1;
}

static const char *irl__json_text(irl__json_reader *r)
{
    irl__text t;
    irl__text_init(&t, r->cx);
    r->at++;
    for (;;) {
        const char c = r->at < r->source->length ? r->source->text[r->at] : '\0';
        if ((unsigned char)c < 0x20)
            return irl__json_wrong(r, "'\"' at the end of the string"), (const char *)NULL;
        r->at++;
        if (c == '"') break;
        if (c != '\\') irl__text_putc(&t, c);
        else if (!irl__json_escape(r, &t)) return NULL;
    }
    return irl__text_done(&t);
}

/* ------------------------------------------------------------------ values */

/* A number; whether it is an integer of 63 bits. */
static int irl__json_number(irl__json_reader *r, irl__json *v)
{
    const char *text = r->source->text + r->at;
    size_t      n = 0, digits;
    int64_t     value = 0;
    int         fits = 1;
    if (text[n] == '-') n++;
    for (digits = n; text[n] >= '0' && text[n] <= '9'; n++) {
        fits &= value <= (INT64_MAX - (text[n] - '0')) / 10;
        if (fits) value = value * 10 + (text[n] - '0');
    }
    if (n == digits || (text[digits] == '0' && n > digits + 1))
        return irl__json_wrong(r, "a value");
    v->is_integer = fits && text[n] != '.' && text[n] != 'e' && text[n] != 'E';
    v->integer = text[0] == '-' ? -value : value;
    if (text[n] == '.')
        for (n++; text[n] >= '0' && text[n] <= '9';) n++;
    if (text[n] == 'e' || text[n] == 'E') {
        n++;
        if (text[n] == '+' || text[n] == '-') n++;
        while (text[n] >= '0' && text[n] <= '9') n++;
    }
    r->at += n;
    return 1;
}

static int irl__json_word(irl__json_reader *r, const char *word)
{
    const size_t n = strlen(word);
    if (r->source->length - r->at < n || memcmp(r->source->text + r->at, word, n) != 0)
        return irl__json_wrong(r, "a value");
    r->at += n;
    return 1;
}

/* What stands between brackets; members of an object with their names. */
static int irl__json_inside(irl__json_reader *r, irl__json *v, char close, int depth)
{
    irl__json **last = &v->first, *one;
    const char *key = NULL;
    r->at++;
    if (irl__json_accept(r, close)) return 1;
    do {
        if (close == '}') {
            if (irl__json_next(r) != '"') return irl__json_wrong(r, "'\"' and a member's name");
            key = irl__json_text(r);
            if (!key) return 0;
            if (!irl__json_accept(r, ':')) return irl__json_wrong(r, "':' and the value");
        }
        one = irl__json_value(r, depth + 1);
        if (!one) return 0;
        one->key = key;
        *last = one;
        last = &one->next;
        v->count++;
    } while (irl__json_accept(r, ','));
    return irl__json_accept(r, close) ||
           irl__json_wrong(r, close == '}' ? "',' or '}'" : "',' or ']'");
}

static irl__json *irl__json_value(irl__json_reader *r, int depth)
{
    irl__json *v = IRL__NEW(r->cx, irl__json, 1);
    const char c = irl__json_next(r);
    int        ok;
    if (!v) return NULL;
    v->source = r->source;
    v->offset = (uint32_t)r->at;
    if (depth > IRL__JSON_DEPTH) {
        irl__fail(r->cx, IRL_ERROR_TOO_DEEP, irl__json_loc(v), "JSON: more than %d brackets deep",
                  IRL__JSON_DEPTH);
        return NULL;
    }
    v->kind = c == '{' || c == '[' || c == '"' ? c : c == '-' || (c >= '0' && c <= '9') ? '0' : 'n';
    switch (v->kind) {
    case '{': ok = irl__json_inside(r, v, '}', depth); break;
    case '[': ok = irl__json_inside(r, v, ']', depth); break;
    case '"': ok = (v->text = irl__json_text(r)) != NULL; break;
    case '0': ok = irl__json_number(r, v); break;
    default:
        ok = irl__json_word(r, c == 't' ? "true" : c == 'f' ? "false" : "null");
        break;
    }
    return ok ? v : NULL;
}

irl__json *irl__json_read(irl_ctx *cx, const char *text, size_t length, const char *file)
{
    irl__json_reader r;
    r.cx = cx;
    r.source = irl__source_copy(cx, text, length, file, 1, 0);
    if (!r.source) return NULL;
    r.at = 0;
    irl__json *v = irl__json_value(&r, 0);
    if (v && irl__json_next(&r) == '\0' && r.at == length) return v;
    if (v) irl__json_wrong(&r, "the end of the text");
    return NULL;
}

const irl__json *irl__json_member(const irl__json *v, const char *key)
{
    for (const irl__json *one = v && v->kind == '{' ? v->first : NULL; one; one = one->next)
        if (strcmp(one->key, key) == 0) return one;
    return NULL;
}
