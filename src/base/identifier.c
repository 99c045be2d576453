/* identifier.c - which names a language and our printers have taken, and how a name becomes one
   that is free.

   needs     the tables c_words.h, ocl_words.h, glsl_words.h and host_words.h: the one place where
             such words are written down
   promises  an identifier is letters, digits and underscores, and is free in its language: no
             keyword, type, macro or function of it, and no macro or helper that our printers print.
             What is an identifier stays as it is. A name of a printer that depends on what it
             prints is taken by that printer, from its table of names (emit_names.c) */
#include "base.h"

struct irl__word_row {
    char        first; /* the letter that all begin with */
    const char *words; /* with a space between them; NULL: the last row */
    irl__tongue *more; /* of the last row: whose words are taken too, or NULL */
};

const irl__word_row *irl__words_of_c(void)
{
    static const irl__word_row rows[] = {
#define IRL_C_WORDS(first, words) { first, words, NULL },
#include "c_words.h"
        { 0, NULL, NULL }
    };
    return rows;
}

const irl__word_row *irl__words_of_opencl(void)
{
    static const irl__word_row rows[] = {
#define IRL_OCL_WORDS(first, words) { first, words, NULL },
#include "ocl_words.h"
        { 0, NULL, NULL }
    };
    return rows;
}

const irl__word_row *irl__words_of_glsl(void)
{
    static const irl__word_row rows[] = {
#define IRL_GLSL_WORDS(first, words) { first, words, NULL },
#include "glsl_words.h"
        { 0, NULL, NULL }
    };
    return rows;
}

const irl__word_row *irl__words_of_host(void)
{
    static const irl__word_row rows[] = {
#define IRL_HOST_WORDS(first, words) { first, words, NULL },
#include "host_words.h"
        { 0, NULL, irl__words_of_c }
    };
    return rows;
}

static int irl__identifier_is_digit(char c) { return c >= '0' && c <= '9'; }

int irl__in_identifier(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           irl__identifier_is_digit(c);
}

int irl__has_identifier_form(const char *name)
{
    size_t n = 0;
    while (irl__in_identifier(name[n])) n++;
    return n && !name[n] && !irl__identifier_is_digit(name[0]);
}

/* ------------------------------------------------------------------ words */

/* Nothing, or a vector's lanes. */
static int irl__word_is_width(const char *text, size_t length)
{
    if (length == 0) return 1;
    if (length == 1) return text[0] == '2' || text[0] == '3' || text[0] == '4' || text[0] == '8';
    return length == 2 && text[0] == '1' && text[1] == '6';
}

static int irl__word_matches(const char *word, size_t n, const char *name, size_t length)
{
    char last = word[n - 1];
    if (last != '*' && last != '#') return n == length && memcmp(word, name, n) == 0;
    n--;
    if (length < n || memcmp(word, name, n) != 0) return 0;
    return last == '*' || irl__word_is_width(name + n, length - n);
}

int irl__is_taken(irl__tongue *tongue, const char *name, size_t length)
{
    const char *end;
    /* Names that C reserves by their form, and what is no identifier. */
    if (length == 0 || irl__identifier_is_digit(name[0])) return 1;
    if (name[0] == '_' && (length == 1 || name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z')))
        return 1;
    const irl__word_row *row = tongue();
    for (; row->words; row++) {
        if (row->first != name[0]) continue;
        for (const char *p = row->words; *p; p = *end ? end + 1 : end) {
            end = strchr(p, ' ');
            if (!end) end = p + strlen(p);
            if (irl__word_matches(p, (size_t)(end - p), name, length)) return 1;
        }
    }
    return row->more && irl__is_taken(row->more, name, length);
}

/* ------------------------------------------------------------------ making a name one */

int irl__is_identifier(irl__tongue *tongue, const char *name)
{
    size_t n = 0;
    while (name[n] && irl__in_identifier(name[n])) n++;
    return !name[n] && !irl__is_taken(tongue, name, n);
}

size_t irl__identifier(irl__tongue *tongue, const char *wish, char *out)
{
    size_t n = 0;
    for (; *wish && n < IRL__IDENTIFIER_MAX; wish++)
        out[n++] = irl__in_identifier(*wish) ? *wish : '_';
    out[n] = '\0';
    if (!irl__is_taken(tongue, out, n)) return n;
    memmove(out + 2, out, n + 1);
    out[0] = 'v';
    out[1] = '_';
    return n + 2;
}
