/* amalgamate.c - writes single_include/ from irlayout.h, irlayout_ocl.h and src/.

   usage     amalgamate ROOT OUTDIR
   writes    OUTDIR/irlayout.h      the declarations of both public headers, then both
             implementations
             OUTDIR/irlayout_ocl.h  one line that includes it, so that programs compile unchanged
             OUTDIR/irlayout_map.h  layouts alone: what MAP_SECTIONS of irlayout.h declare, and what
                                    that uses

   There is no list of files here: the #include "..." lines of the sources are the list, and the
   rules are these.
   - A quoted include is replaced by the file, looked up beside the including file, then in ROOT.
     <x.h> and #include MACRO stay as they are.
   - A header whose first lines are #ifndef X, #define X and whose last is the matching #endif is
     guarded: its text comes once, and again (its guard is kept) only where the first copy stood
     under a condition that does not hold here. A header without such a guard is a table: its text
     comes every time. A .c file may come only once.
   - An include cycle is an error, and the chain is printed. Naming a public header is none: it is
     at the top already.
   - A .c or .h file under ROOT/src that no include reaches is an error.
   - A public header is cut at its #if that names IRLAYOUT_IMPLEMENTATION and is outside every other
     condition.
   - What an #ifdef IRL_SPLIT_BUILD includes is left out: the single file is never split.
   - A body without braces that a statement follows gets braces: gcc -Wall is slow without them.
   - ROOT/LICENSE, where there is one, stands at the end of each file, as a comment.
   - The output depends on the sources alone: no time, no path of the machine, LF endings. Its
     second line carries the version and FNV-1a (64 bits) over every source in order of first use:
     path, a zero byte, text, a zero byte. */

#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const PUBLIC[] = {"irlayout.h", "irlayout_ocl.h"};
enum { PUBLICS = 2, MAX_DEPTH = 64, MAX_FILES = 1024, MAX_COPIES = 16, MAX_PATH = 1024 };
static const char CUT[] = "IRLAYOUT_IMPLEMENTATION";
static const char SPLIT[] = "#ifdef IRL_SPLIT_BUILD";

/* A logical line: physical lines joined by backslashes. `code` is its text without comments. */
typedef struct {
    const char *raw;
    size_t      len;
    char       *code;
    int         number;
} line;

/* The conditions in force somewhere, as text. A once-guard is left out of it ("" if it is all): it
   hides nothing. */
typedef struct {
    char *at[MAX_DEPTH];
    int   n;
} conds;

typedef struct {
    char  *path; /* relative to ROOT */
    char  *text;
    line  *lines;
    int    count;
    int    guarded, is_c;
    conds *copies[MAX_COPIES]; /* where its text stands already */
    int    ncopies;
} source;

static const char *root;
static source     *files[MAX_FILES];
static int         nfiles;
static source     *chain[MAX_DEPTH]; /* the files being inlined, outermost first */
static int         nchain;
static conds       now;
static char       *out;
static size_t      out_len, out_cap;
static uint64_t    hash = UINT64_C(14695981039346656037);

static void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("amalgamate: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void *take(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    if (!p) die("out of memory");
    return p;
}

static char *copy(const char *text, size_t len)
{
    char *p = (char *)take(NULL, len + 1);
    memcpy(p, text, len);
    p[len] = 0;
    return p;
}

static void put(const char *text, size_t len)
{
    if (out_len + len > out_cap) {
        out_cap = 2 * (out_len + len) + 4096;
        out = (char *)take(out, out_cap);
    }
    memcpy(out + out_len, text, len);
    out_len += len;
}

static void banner(const char *what, const char *path)
{
    char text[MAX_PATH + 64];
    put(text, (size_t)snprintf(text, sizeof text, "/* ---- %s %s ---- */\n", what, path));
}

static void hash_bytes(const char *p, size_t n)
{
    while (n--) hash = (hash ^ (unsigned char)*p++) * UINT64_C(1099511628211);
}

/* ---- reading ---- */

/* The whole file with LF endings and a newline at its end, or NULL. */
static char *slurp(const char *path)
{
    char   name[2 * MAX_PATH], *text = NULL;
    size_t n = 0, kept = 0, got;
    snprintf(name, sizeof name, "%s/%s", root, path);
    FILE *f = fopen(name, "rb");
    if (!f) return NULL;
    do {
        text = (char *)take(text, n + 65536 + 2);
        got = fread(text + n, 1, 65536, f);
        n += got;
    } while (got);
    fclose(f);
    for (size_t i = 0; i < n; i++)
        if (text[i] != '\r') text[kept++] = text[i];
    if (kept && text[kept - 1] != '\n') text[kept++] = '\n';
    text[kept] = 0;
    return text;
}

/* Cuts the text into logical lines and takes the comments out of `code`. */
static void cut_lines(source *s)
{
    const char *p = s->text;
    int         number = 1, comment = 0, room = 0;
    while (*p) {
        const char *start = p;
        char        quote = 0, *c;
        int         first = number, over = 0;
        char       *code = c = (char *)take(NULL, strlen(p) < 4096 ? strlen(p) + 1 : 4096);
        while (*p && !over) {
            /* long lines are never directives: what they say does not matter */
            if (c - code > 4000) c--;
            if (p[0] == '\\' && p[1] == '\n') p += 2, number++;
            else if (*p == '\n') over = 1, number++, p++;
            else if (comment) {
                if (p[0] == '*' && p[1] == '/') comment = 0, p += 2, *c++ = ' ';
                else p++;
            } else if (quote) {
                if (*p == quote) quote = 0;
                else if (p[0] == '\\' && p[1] && p[1] != '\n') *c++ = *p++;
                *c++ = *p++;
            } else if (p[0] == '/' && p[1] == '*') comment = 1, p += 2;
            else if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
            else {
                if (*p == '"' || *p == '\'') quote = *p;
                *c++ = *p++;
            }
        }
        while (c > code && strchr(" \t", c[-1])) c--;
        *c = 0;
        if (s->count == room) {
            room = 2 * room + 64;
            s->lines = (line *)take(s->lines, (size_t)room * sizeof *s->lines);
        }
        s->lines[s->count].raw = start;
        s->lines[s->count].len = (size_t)(p - start);
        s->lines[s->count].code =
            copy(code + strspn(code, " \t"), strlen(code + strspn(code, " \t")));
        s->lines[s->count++].number = first;
        free(code);
    }
    if (comment) die("%s: a comment is not closed", s->path);
}

/* The word after '#' when the line is that directive, and what follows it; else NULL. */
static const char *directive(const line *l, const char *word)
{
    const char *p = l->code;
    size_t      n = strlen(word);
    if (*p != '#') return NULL;
    p += 1 + strspn(p + 1, " \t");
    if (strncmp(p, word, n) != 0 || (p[n] && !strchr(" \t\"<(!", p[n]))) return NULL;
    return p + n + strspn(p + n, " \t");
}

static int next_code(const source *s, int i)
{
    while (++i < s->count && !s->lines[i].code[0]) {}
    return i;
}

static size_t word_length(const char *p)
{
    return strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
}

/* #ifndef X here and #define X on the next line with code */
static int is_once_guard(const source *s, int i)
{
    const char *x = directive(&s->lines[i], "ifndef");
    int         j = next_code(s, i);
    if (!x || j >= s->count) return 0;
    const char *y = directive(&s->lines[j], "define");
    return y && word_length(x) == word_length(y) && strncmp(x, y, word_length(x)) == 0;
}

/* The condition of line i without its once-guard: "#if defined(A) && !defined(X)" before "#define
   X" is "#if defined(A) && ". */
static char *condition(const source *s, int i)
{
    const line *l = &s->lines[i];
    char       *text = copy(l->code, strlen(l->code)), *to = text;
    char        once[MAX_PATH];
    int         j = next_code(s, i);
    const char *x = j < s->count ? directive(&s->lines[j], "define") : NULL;
    for (; *to; to++) /* "#if  A" and "#if A" are one condition */
        while (strchr(" \t", to[0]) && to[1] && strchr(" \t", to[1]))
            memmove(to, to + 1, strlen(to));
    if (is_once_guard(s, i)) *text = 0;
    if (x && word_length(x) < MAX_PATH / 2) {
        snprintf(once, sizeof once, "!defined(%.*s)", (int)word_length(x), x);
        char *hit = strstr(text, once);
        if (hit) memmove(hit, hit + strlen(once), strlen(hit + strlen(once)) + 1);
    }
    return text;
}

static int opens(const line *l)
{
    return directive(l, "if") || directive(l, "ifdef") || directive(l, "ifndef");
}

/* The line of the #endif that closes the condition opened at line i. */
static int closing(const source *s, int i)
{
    int depth = 0;
    for (int j = i; j < s->count; j++) {
        if (opens(&s->lines[j])) depth++;
        if (directive(&s->lines[j], "endif") && --depth == 0) return j;
    }
    die("%s:%d: this condition is not closed", s->path, s->lines[i].number);
    return 0;
}

/* The file at this path (relative to ROOT), read at first use; NULL where there is none. */
static source *load(const char *path)
{
    source *s;
    int     i;
    for (i = 0; i < nfiles; i++)
        if (strcmp(files[i]->path, path) == 0) return files[i];
    char *text = slurp(path);
    if (!text) return NULL;
    if (nfiles == MAX_FILES) die("more than %d files", MAX_FILES);
    s = (source *)take(NULL, sizeof *s);
    memset(s, 0, sizeof *s);
    s->path = copy(path, strlen(path));
    s->text = text;
    s->is_c = strlen(path) > 2 && strcmp(path + strlen(path) - 2, ".c") == 0;
    cut_lines(s);
    i = next_code(s, -1);
    if (i < s->count && is_once_guard(s, i)) s->guarded = next_code(s, closing(s, i)) >= s->count;
    hash_bytes(path, strlen(path) + 1);
    hash_bytes(text, strlen(text) + 1);
    return files[nfiles++] = s;
}

/* a/b/../c.h -> a/c.h; 0 when it leaves ROOT */
static int tidy(char *path)
{
    char *from = path, *to = path;
    while (*from) {
        size_t n = strcspn(from, "/");
        if (n == 2 && strncmp(from, "..", 2) == 0) {
            if (to == path) return 0;
            to--;
            while (to > path && to[-1] != '/') to--;
        } else if (n && !(n == 1 && *from == '.')) {
            memmove(to, from, n);
            to += n;
            if (from[n]) *to++ = '/';
        }
        from += n + (from[n] == '/');
    }
    *to = 0;
    return 1;
}

static source *find(const source *from, const char *name, size_t len)
{
    char    path[2 * MAX_PATH];
    size_t dir = (size_t)((strrchr(from->path, '/') ? strrchr(from->path, '/') + 1 : from->path) -
                          from->path);
    source *s = NULL;
    if (len >= MAX_PATH || dir >= MAX_PATH)
        die("%s: the name of an include is too long", from->path);
    snprintf(path, sizeof path, "%.*s%.*s", (int)dir, from->path, (int)len, name);
    if (tidy(path)) s = load(path);
    if (s) return s;
    snprintf(path, sizeof path, "%.*s", (int)len, name);
    return tidy(path) ? load(path) : NULL;
}

/* ---- conditions ---- */

static int holds(const conds *then) /* every condition of `then` is in force now */
{
    int j;
    for (int i = 0; i < then->n; i++) {
        if (!then->at[i][0]) continue;
        for (j = 0; j < now.n && strcmp(then->at[i], now.at[j]) != 0; j++) {}
        if (j == now.n) return 0;
    }
    return 1;
}

static void follow_condition(const source *s, int i)
{
    const line *l = &s->lines[i];
    if (opens(l)) {
        if (now.n == MAX_DEPTH) die("%s:%d: conditions nest too deep", s->path, l->number);
        now.at[now.n++] = condition(s, i);
    } else if (directive(l, "else") || directive(l, "elif")) {
        char text[2 * MAX_PATH];
        if (!now.n) die("%s:%d: #else without #if", s->path, l->number);
        snprintf(text, sizeof text, "%s after %s", l->code, now.at[now.n - 1]);
        now.at[now.n - 1] = copy(text, strlen(text));
    } else if (directive(l, "endif")) {
        if (!now.n) die("%s:%d: #endif without #if", s->path, l->number);
        now.n--;
    }
}

/* ---- inlining ---- */

static void put_lines(source *s, int from, int to);

static void put_file(source *s, const source *by, int number)
{
    int    depth = now.n;
    conds *here;
    for (int i = 0; i < PUBLICS; i++)
        if (strcmp(s->path, PUBLIC[i]) == 0) return;
    for (int i = 0; i < now.n; i++)
        if (strcmp(now.at[i], SPLIT) == 0) return;
    for (int i = 0; i < nchain; i++)
        if (chain[i] == s) {
            fputs("amalgamate: include cycle:\n", stderr);
            for (; i < nchain; i++) fprintf(stderr, "  %s includes\n", chain[i]->path);
            fprintf(stderr, "  %s (at %s:%d)\n", s->path, by->path, number);
            exit(1);
        }
    if (s->is_c && s->ncopies)
        die("%s:%d: %s is included a second time", by->path, number, s->path);
    if (s->guarded)
        for (int i = 0; i < s->ncopies; i++)
            if (holds(s->copies[i])) return;
    if (nchain == MAX_DEPTH) die("%s:%d: includes nest too deep", by->path, number);
    if (s->guarded || s->is_c) {
        if (s->ncopies == MAX_COPIES)
            die("%s: copied %d times under different conditions", s->path, MAX_COPIES);
        here = (conds *)take(NULL, sizeof *here);
        *here = now;
        s->copies[s->ncopies++] = here;
    }
    banner("begin", s->path);
    put_lines(s, 0, s->count);
    banner("end", s->path);
    if (now.n != depth) die("%s: its conditions do not balance", s->path);
}

static void put_lines(source *s, int from, int to)
{
    int dropped = 0;
    chain[nchain++] = s;
    for (int i = from; i < to; i++) {
        const line *l = &s->lines[i];
        const char *name = directive(l, "include");
        if (name && *name == '"') {
            size_t  len = strcspn(name + 1, "\""), before = out_len;
            source *t = find(s, name + 1, len);
            if (!t) die("%s:%d: cannot find \"%.*s\"", s->path, l->number, (int)len, name + 1);
            put_file(t, s, l->number);
            dropped = out_len == before;
            continue;
        }
        follow_condition(s, i);
        /* an include that left nothing between two blank lines takes one of them along */
        if (!(dropped && l->len == 1 && out_len >= 2 && out[out_len - 2] == '\n'))
            put(l->raw, l->len);
        dropped = 0;
    }
    nchain--;
}

static int names(const char *code, const char *word)
{
    const char *p = code;
    size_t      n = strlen(word);
    while ((p = strstr(p, word)) != NULL) {
        if ((p == code || !word_length(p - 1)) && !word_length(p + n)) return 1;
        p += n;
    }
    return 0;
}

/* The line where a public header's implementation starts. */
static int cut_of(const source *s)
{
    int depth = 0;
    for (int i = 0; i < s->count; i++) {
        const line *l = &s->lines[i];
        if (depth == 0 && opens(l) && !directive(l, "ifndef") && names(l->code, CUT)) return i;
        if (opens(l)) depth++;
        if (directive(l, "endif")) depth--;
    }
    die("%s: no #if that names %s outside other conditions", s->path, CUT);
    return 0;
}

/* ---- braces ---- */

/* gcc's -Wmisleading-indentation, a part of -Wall, reads much of the file again for each body
   without braces that a statement follows: with so many lines it takes a minute. So these bodies
   get braces. No line is added, and directives are left as they are. */

/* For each character of out: how many opening braces go before it, and 16 times how many closing
   ones. */
static unsigned char *braces;

/* The first text at p or after it that is neither blank nor a comment between slashes and stars. */
static const char *past_blank(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\n");
        if (p[0] != '/' || p[1] != '*') return p;
        p = strstr(p + 2, "*/") + 2;
    }
}

/* p is in a directive: the line after it. */
static const char *past_directive(const char *p)
{
    do p += strcspn(p, "\n"), p += *p == '\n';
    while (*p && p[-2] == '\\');
    return p;
}

/* The first token at p or after it. */
static const char *token(const char *p)
{
    for (;;) {
        p = past_blank(p);
        if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
        else if (*p == '#') p = past_directive(p);
        else return p;
    }
}

static const char *token_end(const char *p)
{
    const char *q = p;
    if (word_length(p)) return p + word_length(p);
    if (*p != '"' && *p != '\'') return p + (*p != 0);
    for (q++; *q && *q != *p; q++) q += *q == '\\';
    return q + 1;
}

static int is_word(const char *p, const char *word)
{
    return word_length(p) == strlen(word) && strncmp(p, word, strlen(word)) == 0;
}

/* p is at an opening parenthesis: the place after the closing one. */
static const char *past_parens(const char *p)
{
    int depth = 0;
    do {
        depth += (*p == '(') - (*p == ')');
        p = token_end(p);
        if (depth) p = token(p);
    } while (depth && *p);
    return p;
}

static const char *statement(const char *p);

/* What an if, else or loop guards: the place after it. */
static const char *body(const char *p)
{
    const char *start = token(p), *end = statement(start), *next = token(end);
    if (*start != '{' && *start != ';' && *next != '}' && !is_word(next, "else"))
        braces[start - out] += 1, braces[end - out] += 16;
    return end;
}

/* p is at an opening brace: the place after the closing one. */
static const char *block(const char *p)
{
    for (p = token(p + 1); *p && *p != '}'; p = token(p)) p = statement(p);
    return p + (*p != 0);
}

/* A statement, declaration or definition that starts at p: the place after it. */
static const char *statement(const char *p)
{
    char last = 0;
    if (*p == '{') return block(p);
    if (is_word(p, "do")) p = body(p + 2); /* `while (..)` and `;` follow as plain tokens */
    else if (is_word(p, "if") || is_word(p, "for") || is_word(p, "while") || is_word(p, "switch")) {
        const int is_if = is_word(p, "if");
        p = body(past_parens(token(token_end(p))));
        return is_if && is_word(token(p), "else") ? body(token(p) + 4) : p;
    }
    if (is_word(p, "case") || is_word(p, "default")) {
        while (*p && *p != ':') p = token(token_end(p));
        return p + (*p != 0);
    }
    for (p = token(p); *p && *p != ';' && *p != '}'; p = token(p)) {
        if (*p == '{') {
            p = block(p);
            if (last == ')' || last == '"') return p; /* of a function; extern "C" */
            last = '}';
        } else {
            p = *p == '(' ? past_parens(p) : token_end(p);
            last = p[-1];
        }
    }
    return p + (*p == ';');
}

static void put_braces(void)
{
    const char *p;
    size_t      n = out_len;
    put("", 1);
    const char *old = out;
    braces = (unsigned char *)take(NULL, n + 1);
    memset(braces, 0, n + 1);
    for (p = token(old); *p; p = token(p)) p = *p == '}' ? p + 1 : statement(p);
    out = NULL, out_len = out_cap = 0;
    for (size_t i = 0; i < n; i++) {
        for (; braces[i] >= 16; braces[i] -= 16) put(" }", 2);
        for (; braces[i]; braces[i]--) put("{ ", 2);
        put(old + i, 1);
    }
}

/* ---- a part of the library ---- */

/* irlayout_map.h holds what the sections of irlayout.h in this list declare, what that needs, and
   nothing else: an item at file scope (a definition, a declaration, a macro) is kept where its name
   is used by one that is kept. */
static const char *const MAP_SECTIONS[] = { "version", "contexts", "diagnostics", "types",
                                            "layouts", "verdicts", "records", "pictures" };
static const char *const MAP_FUNCTIONS[] = { "irl_c_layout_source", "irl_c_record_source" };

enum { BRACKET_OPENS = 1, BRACKET_CLOSES = 2, PLAIN_DIRECTIVE = 4, MACRO_CALL = 8 };

/* An item: its text with the comment in front of it, and the identifiers that it defines. */
typedef struct {
    const char *start, *code, *end;
    int         form; /* of a directive that opens or closes a condition, or is kept; 0: code */
    int         is_public, is_root, is_kept;
} item;

/* An identifier: the items that define it, as a list. */
typedef struct ident {
    const char  *text;
    size_t       len;
    int         *items, count, room, is_used;
    struct ident *next;
} ident;

enum { NAME_LISTS = 1 << 16 };
static ident *name_lists[NAME_LISTS];
static item *items;
static int   nitems, items_room;

static ident *name_of(const char *p, size_t n)
{
    uint32_t h = 2166136261u;
    ident    *at;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)p[i]) * 16777619u;
    for (at = name_lists[h % NAME_LISTS]; at; at = at->next)
        if (at->len == n && memcmp(at->text, p, n) == 0) return at;
    at = (ident *)take(NULL, sizeof *at);
    memset(at, 0, sizeof *at);
    at->text = p, at->len = n;
    at->next = name_lists[h % NAME_LISTS];
    return name_lists[h % NAME_LISTS] = at;
}

static void defines(int k, const char *p)
{
    ident *n = name_of(p, word_length(p));
    if (n->count == n->room) {
        n->room = 2 * n->room + 2;
        n->items = (int *)take(n->items, (size_t)n->room * sizeof *n->items);
    }
    n->items[n->count++] = k;
}

/* A macro call that is all of an item, M(x, ...), defines what the text of M pastes x to. */
static void note_pasted(int k)
{
    const char *p = items[k].code, *x = token(token(p + word_length(p)) + 1), *at;
    const ident *macro = name_of(p, word_length(p));
    const item *it = macro->count ? &items[macro->items[macro->count - 1]] : NULL;
    for (at = it ? it->code : NULL; at && at < it->end;
         at += word_length(at) ? word_length(at) : 1) {
        size_t n = word_length(at), m = word_length(x);
        if (!n || at[n] != '#' || at[n + 1] != '#') continue;
        char *pasted = (char *)take(NULL, n + m + 1);
        memcpy(pasted, at, n);
        memcpy(pasted + n, x, m);
        pasted[n + m] = 0;
        defines(k, pasted);
    }
}

/* Notes what the item defines: a macro; the function before the first parenthesis, or the pointer
   in it; the object or type before the semicolon; a tag; the enumerators. */
static void note_names(int k)
{
    const item *it = &items[k];
    const char *p = it->code, *last = NULL;
    int         depth = 0, is_enum = 0, is_tag = 0, is_done = 0, is_value = 0;
    if (*p == '#') {
        p += 1 + strspn(p + 1, " \t");
        p += word_length(p);
        defines(k, p + strspn(p, " \t"));
        return;
    }
    for (; p < it->end; p = token(token_end(p))) {
        if (word_length(p)) {
            const char *word = p;
            if (is_tag && !depth && strchr("{;", *token(token_end(p)))) defines(k, word);
            else if (depth == 1 && is_enum && !is_value) defines(k, word);
            is_tag = is_word(p, "struct") || is_word(p, "enum") || is_word(p, "union");
            if (!depth && is_tag) is_enum = is_word(p, "enum");
            if (!depth) last = word;
            continue;
        }
        is_tag = 0, is_value = strchr("{,;", *p) ? 0 : is_value || *p == '=';
        if (!depth && !is_done && (*p == '(' || *p == '[' || *p == '=')) {
            const char *inner = token(p + 1);
            if (*p == '(' && *inner == '*') last = token(inner + 1);
            if (last) defines(k, last);
            is_done = 1;
        }
        if (*p == '{' || *p == '(') depth++;
        if (*p == '}' || *p == ')') depth--;
    }
    if (!is_done && last && !is_word(last, "enum")) defines(k, last);
}

static const char *item_end(const char *p, int *form)
{
    const char *q = p;
    *form = 0;
    if (*p == '#') {
        q = past_directive(q);
        p += 1 + strspn(p + 1, " \t");
        *form = strncmp(p, "if", 2) == 0  ? BRACKET_OPENS
                : is_word(p, "endif")     ? BRACKET_CLOSES
                : is_word(p, "define")    ? 0
                                          : PLAIN_DIRECTIVE;
        return q;
    }
    if (*p == '}' || is_word(p, "extern")) {
        const char *text = token(token_end(p));
        if (*p == '}' || *text == '"') { /* extern "C" { and its end */
            *form = PLAIN_DIRECTIVE;
            return *p == '}' ? p + 1 : token(token_end(text)) + 1;
        }
    }
    q = token(token_end(p));
    if (word_length(p) && *q == '(') { /* a macro that is all of the item */
        q = past_parens(q);
        if (!strchr("{;", *token(q))) {
            *form = MACRO_CALL;
            return q;
        }
    }
    return statement(p);
}

static int is_listed(const char *const *list, size_t n, const char *p)
{
    while (n--)
        if (is_word(p, list[n])) return 1;
    return 0;
}
#define LISTED(list, p) is_listed(list, sizeof list / sizeof list[0], p)

/* Item k defines what the #ifndef in front of it asks for. */
static int is_guard(int k)
{
    const char *asked = k ? items[k - 1].code : "", *defined = items[k].code;
    if (strncmp(asked, "#ifndef ", 8) != 0 || strncmp(defined, "#define ", 8) != 0) return 0;
    return word_length(asked + 8) == word_length(defined + 8) &&
           strncmp(asked + 8, defined + 8, word_length(asked + 8)) == 0;
}

/* A macro whose use cannot be seen: stb_ds.h asks for it, or public macros paste its name. */
static int is_needed_unseen(const char *code, int is_public)
{
    if (strncmp(code, "#define ", 8) != 0) return 0;
    if (is_public) return strncmp(code + 8, "IRL__", 5) == 0;
    return strncmp(code + 8, "IRL", 3) != 0 && strncmp(code + 8, "irl__", 5) != 0;
}

static int is_private(const char *p, size_t n) { return n > 5 && strncmp(p, "IRL__", 5) == 0; }

/* What a part makes of a condition: its lines and what stands in it; the latter; none of both. */
typedef enum { KEPT, OPENED, LEFT_OUT } branch;

/* No switch of the library is set in a part, and a header inside of it comes once. */
static branch branch_of(const char *code)
{
    static const char *seen[MAX_FILES];
    static int         count;
    const char        *name = code + strlen("#ifndef "), *end = token_end(name);
    const int          is_negated = strncmp(code, "#ifndef ", 8) == 0;
    if (strncmp(code, "#ifdef IRLAYOUT_", 16) == 0) return LEFT_OUT;
    if (!is_negated) return KEPT;
    if (strncmp(name, "IRLAYOUT_NO_", 12) == 0 || is_word(name, "IRLAYOUT_MAPS_ONLY"))
        return OPENED;
    if (!is_private(name, (size_t)(end - name)) || strncmp(end - 2, "_H", 2) != 0) return KEPT;
    for (int k = 0; k < count; k++)
        if (is_word(name, seen[k])) return LEFT_OUT;
    if (count == MAX_FILES) die("more than %d headers", MAX_FILES);
    seen[count++] = copy(name, (size_t)(end - name));
    return OPENED;
}

/* Whether the part has the item; follows the conditions. */
static int is_in_part(const item *it)
{
    static branch open[MAX_DEPTH];
    static int    depth, left_out; /* the outermost condition that is left out, from 1 */
    branch        of = KEPT;
    if (it->form == BRACKET_OPENS) {
        if (depth == MAX_DEPTH) die("conditions nest too deep");
        of = open[depth++] = left_out ? LEFT_OUT : branch_of(it->code);
        if (of == LEFT_OUT && !left_out) left_out = depth;
    } else if (it->form == BRACKET_CLOSES && depth) {
        of = open[--depth];
        if (depth < left_out) left_out = 0;
    } else if (strncmp(it->code, "#else", 5) == 0 && depth && open[depth - 1] != KEPT) {
        of = open[depth - 1] = open[depth - 1] == OPENED ? LEFT_OUT : OPENED;
        if (left_out == depth) left_out = 0;
        else if (!left_out && of == LEFT_OUT) left_out = depth;
        of = OPENED;
    }
    return of == KEPT && !left_out;
}

/* Cuts the text into items; those in the sections of the list are roots. */
static void cut_items(const char *text)
{
    const char *p = text, *code;
    int         in_section = 0, is_private_part = 0;
    while (*(code = past_blank(p))) {
        const char *mark = p;
        while ((mark = strstr(mark, "=== >>")) != NULL && mark < code)
            mark += 6, in_section = LISTED(MAP_SECTIONS, mark),
            is_private_part |= is_word(mark, "implementation");
        if (nitems == items_room) {
            items_room = 2 * items_room + 1024;
            items = (item *)take(items, (size_t)items_room * sizeof *items);
        }
        item *it = &items[nitems];
        it->start = p, it->code = code;
        p = it->end = item_end(code, &it->form);
        p += strspn(p, " \t");
        if (*p == '/' && p[1] == '*') p = strstr(p, "*/") + 2; /* a comment behind the item */
        p += *p == '\n';
        it->end = p;
        if (!is_in_part(it)) continue;
        it->is_public = !is_private_part;
        it->is_root = (it->form & ~MACRO_CALL) || in_section || is_guard(nitems) ||
                      is_needed_unseen(code, it->is_public);
        it->is_kept = 0;
        if (!it->form) note_names(nitems);
        if (it->form == MACRO_CALL) note_pasted(nitems);
        nitems++;
    }
}

static int *queue, queued;

static void keep(int k)
{
    if (items[k].is_kept) return;
    items[k].is_kept = 1;
    queue[queued++] = k;
}

/* Keeps what the item uses; `prefix##` uses every name with that prefix, of macros where it is a
   private one. (IRL_##x is an enumerator of the item that pastes it.) */
static void keep_used(const item *it)
{
    const char *p = it->code;
    for (; p < it->end && !(it->form & ~MACRO_CALL); p++) {
        size_t n = word_length(p);
        if (!n) {
            if (*p == '/' && p[1] == '*') p = strstr(p + 2, "*/") + 1;
            else if (*p == '"' || *p == '\'') p = token_end(p) - 1;
            continue;
        }
        if (is_word(p, "struct") && *token(token_end(token(p + n))) == '*') {
            p = token_end(token(p + n)) - 1; /* an incomplete type will do */
            continue;
        }
        name_of(p, n)->is_used = 1;
        for (int j = 0; j < name_of(p, n)->count; j++) keep(name_of(p, n)->items[j]);
        if (p[n] == '#' && p[n + 1] == '#' && !is_word(p, "IRL_"))
            for (int i = 0; i < NAME_LISTS; i++) {
                const ident *at = name_lists[i];
                for (; at; at = at->next)
                    for (int j = 0; at->len > n && memcmp(at->text, p, n) == 0 && j < at->count;
                         j++)
                        if (*items[at->items[j]].code != '#' || is_private(p, n))
                            keep(at->items[j]);
            }
        p += n - 1;
    }
}

/* Drops conditions with nothing in them. */
static void drop_empty(void)
{
    int *open = (int *)take(NULL, (size_t)nitems * sizeof *open), n = 0;
    int *full = (int *)take(NULL, (size_t)nitems * sizeof *full);
    for (int i = 0; i < nitems; i++) {
        if (!items[i].is_kept) continue;
        if (items[i].form == BRACKET_OPENS) open[n] = i, full[n++] = 0;
        else if (items[i].form == BRACKET_CLOSES && n) {
            n--;
            if (n) full[n - 1] |= full[n];
            for (int j = open[n]; !full[n] && j <= i; j++) items[j].is_kept = 0;
        } else if (n && !(items[i].form == PLAIN_DIRECTIVE &&
                          (strncmp(items[i].code, "#el", 3) == 0 ||
                           strncmp(items[i].code, "#undef", 6) == 0)))
            full[n - 1] = 1;
    }
}

/* The text without its comments: those of the implementation are in irlayout.h. */
static void put_bare(const char *p, const char *end)
{
    while (p < end) {
        const char *q = *p == '"' || *p == '\'' ? token_end(p) : p + 1;
        if (p[0] == '/' && p[1] == '*') {
            p = strstr(p + 2, "*/") + 2;
            while (out_len && strchr(" \t", out[out_len - 1])) out_len--;
        } else put(p, (size_t)(q - p)), p = q;
    }
}

static int is_absent(const char *p, size_t n)
{
    const ident *name = name_of(p, n);
    for (int j = 0; j < name->count; j++)
        if (items[name->items[j]].is_kept) return 0;
    return name->count > 0;
}

static int is_between(char c, char least, char most) { return c >= least && c <= most; }

/* A heading or a numbered recipe of the manual. */
static int begins_block(const char *p)
{
    if (strncmp(p, "   ", 3) != 0) return 0;
    return is_between(p[3], '1', '9') || (is_between(p[3], 'A', 'Z') && is_between(p[4], 'A', 'Z'));
}

/* The manual without the blocks that name what the part has not. */
static void put_manual(const char *p, const char *end)
{
    while (p < end) {
        const char *block_start = p;
        int         is_whole = 1;
        do {
            for (; *p != '\n'; p += word_length(p) ? word_length(p) : 1)
                is_whole &= !is_absent(p, word_length(p));
        } while (++p < end && !begins_block(p));
        if (is_whole) put(block_start, (size_t)(p - block_start));
    }
}

/* Leaves out the rows of diagnostics that the part cannot give. */
static void drop_rows(void)
{
    static const char row[] = "\nIRL_DIAGNOSTIC(";
    char             *p = out, code[64];
    put("", 1);
    while ((p = strstr(p, row)) != NULL) {
        const char *name = token(p + strlen(row)), *end = past_parens(p + strlen(row) - 1);
        snprintf(code, sizeof code, "IRL_ERROR_%.*s", (int)word_length(name), name);
        if (name_of(code, strlen(code))->is_used) p++;
        else memmove(p, end, strlen(end) + 1);
    }
    out_len = strlen(out);
}

/* The part of `out` that the list of sections needs, as a text of its own in `out`. */
static void keep_part(void)
{
    const char *whole = out;
    int         j;
    cut_items(whole);
    queue = (int *)take(NULL, (size_t)nitems * sizeof *queue);
    for (int i = 0; i < nitems; i++)
        if (items[i].is_root) keep(i);
    for (int i = 0; i < (int)(sizeof MAP_FUNCTIONS / sizeof MAP_FUNCTIONS[0]); i++) {
        const ident *n = name_of(MAP_FUNCTIONS[i], strlen(MAP_FUNCTIONS[i]));
        for (j = 0; j < n->count; j++) keep(n->items[j]);
    }
    for (int i = 0; i < queued; i++) keep_used(&items[queue[i]]);
    for (int i = 0; i < nitems; i++) /* an #undef of what is not here */
        if (strncmp(items[i].code, "#undef ", 7) == 0) {
            const ident *n = name_of(items[i].code + 7, word_length(items[i].code + 7));
            for (j = 0; j < n->count && !items[n->items[j]].is_kept; j++) {}
            items[i].is_kept = j < n->count;
        }
    drop_empty();
    out = NULL, out_len = out_cap = 0;
    for (int i = 0; i < nitems; i++) {
        const char *start = items[i].start, *end = items[i].end;
        const int   is_public = items[i].is_public;
        if (!items[i].is_kept) continue;
        if (i == 0) put_manual(start, items[i].code), start = items[i].code;
        if (is_public) put(start, (size_t)(end - start));
        else put_bare(items[i].code, end);
    }
    drop_rows();
}

/* ---- what the output says about itself ---- */

static int version_part(const source *s, const char *part)
{
    size_t n = strlen(part);
    for (int i = 0; i < s->count; i++) {
        const char *x = directive(&s->lines[i], "define");
        if (x && word_length(x) == n && strncmp(x, part, n) == 0) return atoi(x + n);
    }
    die("%s: %s is not defined", s->path, part);
    return 0;
}

/* prints the sources under dir that nothing includes, returns their number */
static int unreached(const char *dir)
{
    char           path[2 * MAX_PATH], full[4 * MAX_PATH];
    struct dirent *e;
    int            n = 0, i;
    snprintf(full, sizeof full, "%s/%s", root, dir);
    DIR *d = opendir(full);
    if (!d) die("cannot read the folder %s", full);
    while ((e = readdir(d)) != NULL) {
        struct stat st;
        size_t      len = strlen(e->d_name);
        if (e->d_name[0] == '.' || len >= MAX_PATH / 2) continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        snprintf(full, sizeof full, "%s/%s", root, path);
        if (stat(full, &st) != 0) continue;
        if (S_ISDIR(st.st_mode)) {
            if (strlen(path) < MAX_PATH / 2) n += unreached(path);
            continue;
        }
        if (len < 2 ||
            (strcmp(e->d_name + len - 2, ".c") != 0 && strcmp(e->d_name + len - 2, ".h") != 0))
            continue;
        for (i = 0; i < nfiles && strcmp(files[i]->path, path) != 0; i++) {}
        if (i == nfiles) fprintf(stderr, "amalgamate: nothing includes %s\n", path), n++;
    }
    closedir(d);
    return n;
}

/* ROOT/LICENSE as a comment, or "". */
static const char *licence_comment(void)
{
    static char comment[8192];
    char       *text = slurp("LICENSE");
    if (!text) return "";
    if (strstr(text, "*/") || strlen(text) + 16 > sizeof comment)
        die("%s/LICENSE cannot be a comment", root);
    snprintf(comment, sizeof comment, "\n/*\n%s*/\n", text);
    return comment;
}

static void write_file(const char *dir, const char *name, const char *head, const char *body,
                       size_t len)
{
    const char *licence = licence_comment();
    char  path[2 * MAX_PATH];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(head, 1, strlen(head), f) != strlen(head) || fwrite(body, 1, len, f) != len ||
        fprintf(f, "%s", licence) < 0 || fclose(f) != 0)
        die("cannot write %s", path);
}

int main(int argc, char **argv)
{
    source *top[PUBLICS];
    int     cut[PUBLICS];
    char    head[512];
    if (argc != 3) {
        fputs("usage: amalgamate ROOT OUTDIR\n", stderr);
        return 2;
    }
    root = argv[1];
    for (int i = 0; i < PUBLICS; i++) {
        top[i] = load(PUBLIC[i]);
        if (!top[i]) die("cannot read %s/%s", root, PUBLIC[i]);
        cut[i] = cut_of(top[i]);
    }
    for (int i = 0; i < PUBLICS; i++) {
        banner("declarations of", PUBLIC[i]);
        put_lines(top[i], 0, cut[i]);
    }
    for (int i = 0; i < PUBLICS; i++) {
        banner("implementation of", PUBLIC[i]);
        put_lines(top[i], cut[i], top[i]->count);
    }
    if (now.n) die("the conditions of the public headers do not balance");
    if (unreached("src")) return 1;
    put_braces();

    snprintf(head, sizeof head,
             "/* GENERATED by tools/amalgamate.c from irlayout.h, irlayout_ocl.h and src/: edit "
             "those, then 'make single'.\n"
             "   irlayout %d.%d.%d, sources fnv1a64 %016llx */\n",
             version_part(top[0], "IRL_VERSION_MAJOR"), version_part(top[0], "IRL_VERSION_MINOR"),
             version_part(top[0], "IRL_VERSION_PATCH"), (unsigned long long)hash);
    write_file(argv[2], PUBLIC[0], head, out, out_len);
    for (int i = 1; i < PUBLICS; i++)
        write_file(argv[2], PUBLIC[i],
                   "/* GENERATED by tools/amalgamate.c: everything is in irlayout.h; this name "
                   "keeps programs unchanged. */\n",
                   "#include \"irlayout.h\"\n", strlen("#include \"irlayout.h\"\n"));
    put("", 1);
    keep_part();
    write_file(argv[2], "irlayout_map.h", head, out, out_len);
    return 0;
}
