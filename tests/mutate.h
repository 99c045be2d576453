/* mutate.h - a text of the language, changed at random: bytes, pieces, tokens, words and digits.

   needs     test.h
   promises  the text stays within its capacity; the changes follow from the seed of the test */
#ifndef MUTATE_H
#define MUTATE_H

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The word at or behind `at`: where it starts, and its length. */
static size_t find_word(const char *text, size_t length, size_t at, size_t *n)
{
    while (at < length && !is_letter(text[at])) at++;
    for (*n = 0; at + *n < length && is_letter(text[at + *n]);) ++*n;
    return at;
}

/* Changes that keep the tokens in order: one word for another of the text, one digit for
   another. */
static void mutate_word(char *text, size_t *length, size_t capacity, size_t at)
{
    size_t n, m, from = (size_t)TEST_RANDOM((int)*length);
    char   word[32];
    if (TEST_RANDOM(2)) {
        while (at < *length && (text[at] < '0' || text[at] > '9')) at++;
        if (at < *length) text[at] = (char)('1' + TEST_RANDOM(9));
        return;
    }
    from = find_word(text, *length, from, &m);
    if (m > sizeof word) return;
    memcpy(word, text + from, m);
    at = find_word(text, *length, at, &n);
    if (*length - n + m > capacity) return;
    memmove(text + at + m, text + at + n, *length - at - n);
    memcpy(text + at, word, m);
    *length = *length - n + m;
}

static void mutate(char *text, size_t *length, size_t capacity)
{
    static const char *const tokens[] = {
        "(", ")", "[", "]", "{", "}", ";", ",", ":", "..", "...", "|", "->", "-", "for", "let",
        "x", "y", "f32", "0", "1e9", "99999999999999999999", "-9223372036854775808", "\"", "`",
        "/*", "//", "\\", "ramp(", "block", "alloc", "data(x)", "sep(1)", "f32x4", "i", "4",
        "0.5", "0x", "layout(", "pad(", "if", "else", "\xff", "shuffle(", "as(", "bind(local.x)",
        "let(a = ", "?"
    };
    int times = TEST_RANDOM(2) ? 1 : 1 + TEST_RANDOM(4);
    while (times--) {
        size_t at = *length ? (size_t)TEST_RANDOM((int)*length) : 0,
               n = 1 + (size_t)TEST_RANDOM(12), from;
        const char *token = tokens[TEST_RANDOM((int)(sizeof tokens / sizeof tokens[0]))];
        if (!*length) return;
        switch (TEST_RANDOM(10)) {
        case 0: text[at] = (char)TEST_RANDOM(256); break;
        case 1: /* cut out */
            if (at + n > *length) n = *length - at;
            memmove(text + at, text + at + n, *length - at - n);
            *length -= n;
            break;
        case 2: /* a piece twice */
            from = (size_t)TEST_RANDOM((int)*length);
            if (from + n > *length) n = *length - from;
            if (*length + n > capacity) break;
            memmove(text + at + n, text + at, *length - at);
            *length += n;
            if (from >= at) from += n;
            memmove(text + at, text + from, from + n > *length ? *length - from : n);
            break;
        case 3: case 4: /* a token put in */
            n = strlen(token);
            if (*length + n > capacity) break;
            memmove(text + at + n, text + at, *length - at);
            memcpy(text + at, token, n);
            *length += n;
            break;
        case 5: *length = at; break; /* the rest missing */
        default: mutate_word(text, length, capacity, at); break;
        }
    }
}

#endif
