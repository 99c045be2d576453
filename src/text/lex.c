/* lex.c - from characters to tokens, in one pass.

   needs     a text that ends in '\0', copied into the context once
   promises  each name comes with its symbol; NUL bytes, what is not ASCII
             outside strings and comments, and numbers that do not fit are diagnostics at their
             place; after a failure there is only END */
#include "parse.h"

static const char *const irl__lex_words[] = {
    "",
#define IRL__WORD_TEXT(name, text) text,
    IRL__WORDS(IRL__WORD_TEXT)
#undef IRL__WORD_TEXT
};

/* What a character can be part of. */
enum { IRL__CHAR_BLANK = 1, IRL__CHAR_LETTER = 2, IRL__CHAR_DIGIT = 4, IRL__CHAR_PUNCTUATION = 8 };

static int irl__char_class(unsigned char c)
{
    static const unsigned char classes[128] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 8, 8, 0, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4,
        4, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 8, 0, 8, 8, 2, 0, 2, 2, 2, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 8, 8, 8, 8, 0
    };
    return c < 128 ? classes[c] : 0;
}

/* ------------------------------------------------------------------ failing */

static void irl__lex_stop(irl__parser *p)
{
    p->token.kind = IRL__TOKEN_END;
    p->token.length = 0;
    p->position = p->length;
}

static void irl__lex_fail(irl__parser *p, irl_code code, uint32_t offset, const char *message)
{
    IRL__FAIL_AT(p, code, offset, "%s", message);
    irl__lex_stop(p);
}

static void irl__lex_bad_char(irl__parser *p, uint32_t offset)
{
    unsigned char c = (unsigned char)p->text[offset];
    const char   *said = "the byte %d is not part of the language: the text is ASCII, except in "
                         "comments, strings and quoted names";
    if (c > 32 && c < 127) said = "the character '%c' means nothing here";
    if (c == 0 && offset + 1 == p->length)
        said = "the length of the text includes its final NUL; IRL_TO_NUL stops before it";
    IRL__FAIL_AT(p, IRL_ERROR_SYNTAX, offset, said, (int)c);
    irl__lex_stop(p);
}

/* ------------------------------------------------------------------ symbols */

static irl_op irl__lex_call_op(const char *text, size_t length)
{
    for (int op = 0; op < (int)IRL__OP_COUNT; op++) {
        const irl__op_row *row = irl__op_info((irl_op)op);
        if (row->text[0] == text[0] && strlen(row->text) == length &&
            memcmp(row->text, text, length) == 0 &&
            (row->form == IRL_FORM_CALL || row->form == IRL_FORM_SPECIAL))
            return (irl_op)op;
    }
    return (irl_op)0;
}

static irl__word irl__lex_word(const char *text, size_t length)
{
    for (int word = 1; word < (int)IRL__WORD_COUNT; word++)
        if (irl__lex_words[word][0] == text[0] && strlen(irl__lex_words[word]) == length &&
            memcmp(irl__lex_words[word], text, length) == 0)
            return (irl__word)word;
    return IRL__WORD_NONE;
}

static irl__symbol *irl__lex_symbol(irl__parser *p, const char *text, size_t length)
{
    const char  *name = irl__name(p->cx, text, length);
    irl__symbol *s = name ? (irl__symbol *)irl__ptr_map_get(&p->symbols, name) : NULL;
    if (s || !name) return s;
    s = IRL__SCRATCH(p->cx, irl__symbol, 1);
    if (!s || !irl__ptr_map_put(p->cx, &p->symbols, name, s)) return NULL;
    s->text = name;
    s->length = length;
    s->older = p->newest;
    p->newest = s;
    if (length == 1) return s; /* no word is shorter, and most names of loops are */
    s->is_type = (uint8_t)irl__type_named(name, length, &s->type);
    if (s->is_type) return s;
    s->word = (uint8_t)irl__lex_word(name, length);
    /* two words are operators as well */
    if (s->word && s->word != IRL__WORD_LET && s->word != IRL__WORD_EXTERN) return s;
    s->op = (uint8_t)irl__lex_call_op(name, length);
    if (!s->op && length > 4 && memcmp(name, "irl_", 4) == 0) { /* irl_erf is erf, also hidden */
        s->op = (uint8_t)irl__lex_call_op(name + 4, length - 4);
        if (irl__may_be_hidden(s)) s->is_plain = s->op != 0;
        else s->op = 0;
    }
    return s;
}

irl__symbol *irl__symbol_of(irl__parser *p, const char *name)
{
    return irl__lex_symbol(p, name, strlen(name));
}

/* ------------------------------------------------------------------ blanks */

static uint32_t irl__lex_comment(irl__parser *p, uint32_t at)
{
    uint32_t start = at;
    if (p->text[at + 1] == '/') {
        while (at < p->length && p->text[at] != '\n' && p->text[at] != '\0') at++;
        return at;
    }
    for (at += 2; at < p->length && p->text[at] != '\0'; at++)
        if (p->text[at] == '*' && p->text[at + 1] == '/') return at + 2;
    if (at < p->length) return at; /* a NUL: the caller meets it */
    irl__lex_fail(p, IRL_ERROR_SYNTAX, start, "this comment has no end: */ is missing");
    return p->length;
}

static void irl__lex_skip(irl__parser *p)
{
    uint32_t at = p->position;
    for (;;) {
        char c = p->text[at];
        if (irl__char_class((unsigned char)c) & IRL__CHAR_BLANK) at++;
        else if (c == '/' && (p->text[at + 1] == '/' || p->text[at + 1] == '*'))
            at = irl__lex_comment(p, at);
        else break;
    }
    p->position = at;
}

int irl__next_char(irl__parser *p)
{
    irl__lex_skip(p);
    return (unsigned char)p->text[p->position];
}

/* ------------------------------------------------------------------ numbers */

static int irl__lex_is_digit(char c) { return c >= '0' && c <= '9'; }

static int irl__lex_hex(char c)
{
    if (irl__lex_is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* The digits from `at`; false when they exceed 64 bits. */
static int irl__lex_integer(const char *text, uint32_t *at, unsigned base, uint64_t *out)
{
    uint64_t value = 0;
    int      fits = 1, digit;
    for (; (digit = irl__lex_hex(text[*at])) >= 0 && digit < (int)base; (*at)++) {
        if (value > (UINT64_MAX - (unsigned)digit) / base) fits = 0;
        else value = value * base + (unsigned)digit;
    }
    *out = value;
    return fits;
}

static void irl__lex_number_end(irl__parser *p, uint32_t at)
{
    uint32_t start = p->token.offset;
    if (p->in_layout && p->token.kind == IRL__TOKEN_INTEGER)
        for (; p->text[at] == 'u' || p->text[at] == 'U' || p->text[at] == 'l' || p->text[at] == 'L';
             at++)
            p->c_unsigned |= p->text[at] == 'u' || p->text[at] == 'U';
    p->token.length = at - start;
    p->position = at;
    if (irl__char_class((unsigned char)p->text[at]) & (IRL__CHAR_LETTER | IRL__CHAR_DIGIT))
        irl__lex_fail(p, IRL_ERROR_SYNTAX, start,
                      "a number ends where a letter begins: types are written like calls, u32(5); "
                      "only f may follow a decimal");
}

/* A decimal: the digits before the point have been read up to `at`. */
static void irl__lex_decimal(irl__parser *p, uint32_t at)
{
    const char *t = p->text;
    p->token.kind = IRL__TOKEN_DECIMAL;
    if (t[at] == '.') at++;
    while (irl__lex_is_digit(t[at])) at++;
    if (t[at] == 'e' || t[at] == 'E') {
        uint32_t e = at + 1;
        if (t[e] == '+' || t[e] == '-') e++;
        if (irl__lex_is_digit(t[e])) at = e;
        while (irl__lex_is_digit(t[at])) at++;
    }
    if (t[at] == 'f' || t[at] == 'F') at++;
    irl__lex_number_end(p, at);
}

static void irl__lex_number(irl__parser *p)
{
    const char *t = p->text;
    uint32_t    start = p->position, at = start;
    int         fits, is_hex = t[at] == '0' && (t[at + 1] == 'x' || t[at + 1] == 'X');
    if (is_hex) at += 2;
    fits = irl__lex_integer(t, &at, is_hex ? 16 : 10, &p->token.integer);
    if (!is_hex && ((t[at] == '.' && t[at + 1] != '.') || t[at] == 'e' || t[at] == 'E' ||
                    t[at] == 'f' || t[at] == 'F')) {
        irl__lex_decimal(p, at);
        return;
    }
    p->token.kind = IRL__TOKEN_INTEGER;
    /* the first type that holds it may be one without a sign, as decimals have none of */
    if (is_hex && (p->token.integer >> 31 == 1 || p->token.integer >> 63)) p->c_unsigned = 1;
    if (is_hex && at == start + 2)
        irl__lex_fail(p, IRL_ERROR_SYNTAX, start, "0x needs hexadecimal digits after it");
    else if (!is_hex && t[start] == '0' && at > start + 1)
        irl__lex_fail(
            p, IRL_ERROR_SYNTAX, start,
            "a number that starts with 0 is octal in C and not here: write it without the 0");
    else if (!fits)
        irl__lex_fail(p, IRL_ERROR_OVERFLOW, start, "this integer does not fit 64 bits");
    else irl__lex_number_end(p, at);
}

/* ------------------------------------------------------------------ strings and quoted names */

/* Finds the closing quote; the token covers both quotes. */
static void irl__lex_quoted(irl__parser *p, char quote)
{
    uint32_t at = p->position + 1;
    while (at < p->length && p->text[at] != quote && p->text[at] != '\n' && p->text[at] != '\0')
        at += p->text[at] == '\\' && at + 1 < p->length ? 2u : 1u;
    if (at >= p->length || p->text[at] != quote) {
        irl__lex_fail(p, IRL_ERROR_SYNTAX, p->position,
                      quote == '"' ? "this string has no closing \" on its line"
                                   : "this quoted name has no closing ` on its line");
        return;
    }
    p->token.length = at + 1 - p->token.offset;
    p->position = at + 1;
}

/* The character behind the backslash at text[*at]; moves over it. -1: none such. */
static int irl__lex_escape(const char *text, uint32_t *at)
{
    char c = text[*at + 1];
    int  high, low;
    *at += 2;
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case '\\': case '"': case '`': case '\'': return c;
    case 'x':
        high = irl__lex_hex(text[*at]);
        low = high < 0 ? -1 : irl__lex_hex(text[*at + 1]);
        if (low < 0 || high * 16 + low == 0) return -1;
        *at += 2;
        return high * 16 + low;
    default: return -1;
    }
}

/* What is between the quotes of the current token, in scratch memory. */
static const char *irl__lex_decode(irl__parser *p, uint32_t *length)
{
    uint32_t at = p->token.offset + 1, end = p->token.offset + p->token.length - 1, n = 0;
    char    *out = (char *)irl__scratch_alloc(p->cx, (size_t)p->token.length + 1, 1);
    if (!out) return NULL;
    while (at < end) {
        uint32_t start = at;
        int c = p->text[at] == '\\' ? irl__lex_escape(p->text, &at) : (unsigned char)p->text[at++];
        if (c < 0) {
            irl__lex_fail(
                p, IRL_ERROR_SYNTAX, start,
                "unknown escape: \\n, \\t, \\r, \\\\, \\\", \\` and \\xHH (not \\x00) are known");
            return NULL;
        }
        out[n++] = (char)c;
    }
    *length = n;
    return out;
}

static void irl__lex_quoted_name(irl__parser *p)
{
    uint32_t length = 0;
    irl__lex_quoted(p, '`');
    if (p->token.kind == IRL__TOKEN_END) return;
    const char *name = irl__lex_decode(p, &length);
    p->token.symbol = name ? irl__lex_symbol(p, name, length) : NULL;
    if (!p->token.symbol) irl__lex_stop(p);
}

const char *irl__token_string(irl__parser *p)
{
    uint32_t    length = 0;
    const char *s = irl__lex_decode(p, &length);
    return s ? irl__name(p->cx, s, length) : NULL;
}

/* ------------------------------------------------------------------ tokens */

static int irl__lex_is_pair(char a, char b)
{
    switch (a) {
    case '-': return b == '>';
    case '=': case '!': return b == '=';
    case '<': return b == '=' || b == '<';
    case '>': return b == '=' || b == '>';
    case '&': return b == '&';
    case '|': return b == '|';
    case '.': return b == '.';
    default: return 0;
    }
}

void irl__next(irl__parser *p)
{
    p->token_end = p->position;
    irl__lex_skip(p);
    char c = p->text[p->position];
    int  class_ = irl__char_class((unsigned char)c);
    p->token.offset = p->position;
    p->token.is_quoted = 0;
    if (class_ & IRL__CHAR_LETTER) {
        p->token.kind = IRL__TOKEN_NAME;
        const char *text = p->text + p->position, *end = text;
        while (irl__char_class((unsigned char)*end) & (IRL__CHAR_LETTER | IRL__CHAR_DIGIT)) end++;
        p->token.length = (uint32_t)(end - text);
        p->position += p->token.length;
        p->token.symbol = irl__lex_symbol(p, text, p->token.length);
        if (!p->token.symbol) irl__lex_stop(p);
    } else if (class_ & IRL__CHAR_DIGIT) {
        irl__lex_number(p);
    } else if (c == '.' && irl__lex_is_digit(p->text[p->position + 1])) {
        irl__lex_decimal(p, p->position);
    } else if (class_ & IRL__CHAR_PUNCTUATION) {
        const char *t = p->text + p->position;
        p->token.kind = t[0];
        p->token.length = 1;
        if (irl__lex_is_pair(t[0], t[1])) {
            p->token.kind = IRL__PAIR(t[0], t[1]);
            p->token.length = 2;
        }
        if (p->token.kind == IRL__DOTS2 && t[2] == '.') {
            p->token.kind = IRL__DOTS3;
            p->token.length = 3;
        }
        p->position += p->token.length;
    } else if (c == '"') {
        p->token.kind = IRL__TOKEN_STRING;
        irl__lex_quoted(p, '"');
    } else if (c == '`') {
        p->token.kind = IRL__TOKEN_NAME;
        p->token.is_quoted = 1;
        irl__lex_quoted_name(p);
    } else if (p->position >= p->length) {
        irl__lex_stop(p);
    } else {
        irl__lex_bad_char(p, p->position);
    }
}

void irl__back_to(irl__parser *p, const irl__token *token)
{
    if (!irl__ok(p->cx)) { /* after a failure there is only END */
        irl__lex_stop(p);
        return;
    }
    p->token = *token;
    p->position = token->offset + token->length;
}

/* ------------------------------------------------------------------ starting */

static int irl__lex_token_of(const char *text)
{
    return text[1] ? IRL__PAIR(text[0], text[1]) : text[0];
}

/* So that a place in a text is found in logarithmic time. */
static int irl__source_lines(irl_ctx *cx, irl__source *source)
{
    const char *end = source->text + source->length, *at;
    int         count = 1;
    for (at = source->text; (at = (const char *)memchr(at, '\n', (size_t)(end - at))); at++)
        count++;
    uint32_t *lines = IRL__NEW(cx, uint32_t, count);
    if (!lines) return 0;
    source->lines = lines;
    source->line_count = count;
    *lines++ = 0;
    for (at = source->text; (at = (const char *)memchr(at, '\n', (size_t)(end - at)));)
        *lines++ = (uint32_t)(++at - source->text);
    return 1;
}

const irl__source *irl__source_copy(irl_ctx *cx, const char *text, size_t length, const char *file,
                                    int line, int is_macro)
{
    if (length >= UINT32_MAX - 16) {
        IRL__FAIL(cx, IRL_ERROR_TOO_LARGE, "a text of %z bytes; the most is 4 GiB", length);
        return NULL;
    }
    irl__source *source = IRL__NEW(cx, irl__source, 1);
    char *copy = (char *)irl__alloc(cx, length + 1);
    if (!source || !copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = '\0';
    source->text = copy;
    source->length = length;
    source->file = file ? irl__namez(cx, file) : NULL;
    source->line = line;
    source->is_macro = is_macro;
    return (file && !source->file) || !irl__source_lines(cx, source) ? NULL : source;
}

static int irl__parser_init(irl__parser *p, irl_ctx *cx, const char *text, size_t length,
                            const char *file, int line, int is_macro)
{
    memset(p, 0, sizeof *p);
    p->cx = cx;
    cx->here = irl__nowhere();
    p->source = irl__source_copy(cx, text, length, file, line, is_macro);
    if (!p->source) return 0;
    p->text = p->source->text;
    p->length = (uint32_t)length;
    /* The operator of a token by its text: the first row of the table that has it. */
    for (int op = (int)IRL__OP_HIDEABLE - 1; op > 0; op--) { /* from there on all have names */
        const irl__op_row *row = irl__op_info((irl_op)op);
        if (row->form == IRL_FORM_INFIX) p->infix[irl__lex_token_of(row->text)] = (uint8_t)op;
        if (row->form == IRL_FORM_PREFIX) p->prefix[irl__lex_token_of(row->text)] = (uint8_t)op;
    }
    /* an empty list is no NULL */
    if (!irl__stack_grow(cx, &p->exprs, 0, &p->expr_capacity, sizeof *p->exprs)) return 0;
    irl__next(p);
    return irl__ok(cx);
}

int irl__parse_go_on(irl__parser *p, const irl_source_text *text)
{
    const size_t       length = strlen(text->text);
    const irl__source *source =
        irl__source_copy(p->cx, text->text, length, text->file, text->line, 1);
    if (!source) return 0;
    p->source = source;
    p->text = source->text;
    p->length = (uint32_t)length;
    p->position = p->token_end = 0;
    irl__next(p);
    return irl__ok(p->cx);
}

int irl__parse_text_given(irl_ctx *cx, const void *text)
{
    if (!cx || !irl__ok(cx)) return 0;
    return text ? 1
                : IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no text: the pointer is NULL");
}

int irl__parse_begin(irl__parser *p, irl_ctx *cx, const char *text, size_t length, const char *file,
                     int line, int is_macro)
{
    if (!irl__parse_text_given(cx, text)) return 0;
    irl__arena_mark mark = irl__scratch_begin(cx);
    if (length == IRL_TO_NUL) length = strlen(text);
    int ok = irl__parser_init(p, cx, text, length, file, line, is_macro);
    p->mark = mark;
    if (!ok) irl__scratch_end(cx, mark);
    return ok;
}
