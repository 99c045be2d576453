/* comments.c - keeps the comments of a file in the text that the printer makes from it.

   The printer keeps no comments. Both texts are cut into tokens, and the longest common subsequence
   says which token became which. A comment on its own line goes before the line of the token that
   followed it. A comment at the end of a line goes after the token before it, or after the nearest
   token that still exists. If several come to one line, the last is put at its end and the others
   before it. Memory: two bytes for each pair of tokens. */
#include "irlc.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST_PAIRS = 1 << 25 };

typedef struct token {
    const char *at;
    size_t      length;
    int         line; /* from 0 */
} token;

typedef struct comment {
    const char *at;
    size_t      length;
    int         next; /* the token that follows it */
    int         is_trailing;
    int         line; /* the line of the printed text before which, or at whose end, it is put */
    int         is_gone; /* the token before it */
} comment;

typedef struct tokens {
    token   *list;
    comment *comments;
    int      count, comment_count, line;
} tokens;

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

const char *skip_quoted(const char *p)
{
    const char quote = *p;
    if (quote != '"' && quote != '`') return p;
    for (p++; *p && *p != quote; p++)
        if (*p == '\\' && p[1]) p++;
    return *p ? p + 1 : p;
}

const char *skip_comment(const char *p)
{
    if (p[0] != '/' || (p[1] != '/' && p[1] != '*')) return p;
    if (p[1] == '/') {
        p += strcspn(p, "\n");
        while (is_blank(p[-1])) p--;
        return p;
    }
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

static const char *skip_token(const char *p)
{
    const char *after = skip_quoted(p);
    if (after != p) return after;
    while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
           *p == '_')
        p++;
    return p == after ? p + 1 : p;
}

static int ends_line(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    return !*p || *p == '\n';
}

/* Cuts the text [at, end); with lists NULL it counts alone. */
static void cut(tokens *t, const char *at, const char *end)
{
    int last_line = -1; /* of a token */
    t->count = t->comment_count = t->line = 0;
    while (at < end) {
        const char *p = at;
        for (; at < end && is_blank(*at); at++) t->line += *at == '\n';
        if (at >= end) return;
        const char *after = skip_comment(at);
        if (after != at) {
            if (t->comments) {
                comment *c = &t->comments[t->comment_count];
                c->at = at;
                c->length = (size_t)(after - at);
                c->next = t->count;
                c->is_trailing = last_line == t->line && ends_line(after) &&
                                 !memchr(at, '\n', c->length);
            }
            t->comment_count++;
        } else {
            after = skip_token(at);
            if (t->list) {
                t->list[t->count].at = at;
                t->list[t->count].length = (size_t)(after - at);
                t->list[t->count].line = t->line;
            }
            last_line = t->line;
            t->count++;
        }
        for (p = at; p < after; p++) t->line += *p == '\n';
        at = after;
    }
}

static int cut_all(tokens *t, const char *text, const char *end)
{
    memset(t, 0, sizeof *t);
    cut(t, text, end);
    t->list = (token *)calloc((size_t)t->count + 1, sizeof *t->list);
    t->comments = (comment *)calloc((size_t)t->comment_count + 1, sizeof *t->comments);
    if (!t->list || !t->comments) return 0;
    cut(t, text, end);
    return 1;
}

static int is_same(const token *a, const token *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* became[k]: the token of b that token k of a became, -1: none. NULL when memory is out. */
static int *align(const tokens *a, const tokens *b)
{
    const size_t width = (size_t)b->count + 1;
    uint16_t    *lcs = (uint16_t *)calloc(((size_t)a->count + 1) * width, sizeof *lcs);
    int         *became = (int *)malloc(((size_t)a->count + 1) * sizeof *became);
    int          i, j;
    for (i = 1; lcs && became && i <= a->count; i++)
        for (j = 1; j <= b->count; j++) {
            const uint16_t up = lcs[(size_t)(i - 1) * width + (size_t)j];
            const uint16_t left = lcs[(size_t)i * width + (size_t)j - 1];
            const uint16_t both = lcs[(size_t)(i - 1) * width + (size_t)j - 1];
            lcs[(size_t)i * width + (size_t)j] =
                is_same(&a->list[i - 1], &b->list[j - 1]) ? (uint16_t)(both + 1)
                                                          : up > left ? up : left;
        }
    /* from the end: of braces, some of which are gone, the outer ones close what is left */
    for (i = a->count, j = b->count; lcs && became && i > 0; i--) {
        became[i - 1] = -1;
        while (j > 0 && !is_same(&a->list[i - 1], &b->list[j - 1]) &&
               lcs[(size_t)i * width + (size_t)j - 1] >= lcs[(size_t)(i - 1) * width + (size_t)j])
            j--;
        if (j > 0 && is_same(&a->list[i - 1], &b->list[j - 1])) became[i - 1] = --j;
    }
    free(lcs);
    if (!lcs) free(became), became = NULL;
    return became;
}

/* The line of the printed text where a comment belongs. */
static int line_of(const comment *c, const tokens *a, const tokens *b, const int *became)
{
    if (c->is_trailing) {
        for (int k = c->next - 1; k >= 0; k--)
            if (became[k] >= 0) return b->list[became[k]].line;
        return 0;
    }
    for (int k = c->next; k < a->count; k++)
        if (became[k] >= 0) return b->list[became[k]].line;
    return b->line + 1;
}

/* Writes the printed text with the comments to `out`. */
static void weave(char *out, const char *printed, const tokens *a)
{
    const char *p = printed;
    int         line = 0, k = 0, j;
    for (; *p || k < a->comment_count; line++) {
        const size_t n = strcspn(p, "\n"), blanks = strspn(p, " ");
        const size_t indent = p[blanks] == '}' ? blanks + 4 : blanks; /* inside of what it ends */
        int          after = -1; /* the last whose token is still there, else the last */
        for (j = k; *p && j < a->comment_count && a->comments[j].line <= line; j++)
            if (a->comments[j].is_trailing &&
                (after < 0 || a->comments[after].is_gone || !a->comments[j].is_gone))
                after = j;
        for (j = k; j < a->comment_count && (!*p || a->comments[j].line <= line); j++) {
            if (j == after) continue;
            out += sprintf(out, "%*s%.*s\n", *p ? (int)indent : 0, "", (int)a->comments[j].length,
                           a->comments[j].at);
        }
        out += sprintf(out, "%.*s", (int)n, p);
        if (after >= 0)
            out += sprintf(out, " %.*s", (int)a->comments[after].length, a->comments[after].at);
        k = j;
        p += n;
        if (!*p) continue;
        p++;
        *out++ = '\n';
    }
    *out = '\0';
}

/* The most blanks that a line of the printed text begins with. */
static size_t widest_indent(const char *printed)
{
    size_t      widest = 0;
    const char *p = printed;
    while (*p) {
        const size_t blanks = strspn(p, " ");
        if (blanks > widest) widest = blanks;
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return widest;
}

char *with_comments(const char *text, const char *end, const char *printed)
{
    tokens a, b;
    int   *became = NULL;
    char  *out = NULL;
    size_t room = strlen(printed) + 2, indent = widest_indent(printed) + 4; /* see weave */
    memset(&b, 0, sizeof b);
    if (cut_all(&a, text, end) && cut_all(&b, printed, printed + strlen(printed)) &&
        (size_t)(a.count + 1) * (size_t)(b.count + 1) < MOST_PAIRS && a.count < 65000)
        became = align(&a, &b);
    else if (a.count && a.comment_count == 0)
        became = (int *)calloc(1, sizeof *became); /* nothing has a place to be found */
    for (int k = 0; became && k < a.comment_count; k++) {
        const int last = k ? a.comments[k - 1].line : 0;
        a.comments[k].line = line_of(&a.comments[k], &a, &b, became);
        a.comments[k].is_gone = a.comments[k].next == 0 || became[a.comments[k].next - 1] < 0;
        if (a.comments[k].line < last) a.comments[k].line = last; /* their order stays */
        room += a.comments[k].length + indent + 2; /* a blank or an end of line, NUL */
    }
    if (became) out = (char *)malloc(room);
    if (out) weave(out, printed, &a);
    free(a.list), free(a.comments), free(b.list), free(b.comments), free(became);
    return out;
}
