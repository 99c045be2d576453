/* test_grammar.c - docs/grammar.md is the parser's grammar: every text on the page parses, is
   right, and comes back from the printer; these texts use every word and sign that the grammar
   names; and every word, type, scope and axis that the parser knows is on the page. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/text/parse.h"
#endif
#include "test.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
enum { PAGE = 1 << 16 };

typedef struct page {
    char text[PAGE];
    char grammar[PAGE];  /* the block of productions */
    char examples[PAGE]; /* all others, one behind the other */
    int  functions, modules, maps;
} page;

/* ------------------------------------------------------------------ the page */

static int read_page(page *p)
{
    FILE  *in = fopen("docs/grammar.md", "rb");
    size_t n = in ? fread(p->text, 1, PAGE - 1, in) : 0;
    if (in) fclose(in);
    p->text[n] = '\0';
    return n > 0 && n < PAGE - 1;
}

/* A function or a module: the other is NULL. */
typedef struct parsed {
    irl_func   *f;
    irl_module *m;
} parsed;

static parsed parse(irl_ctx *cx, int is_module, const char *text, size_t length, const char *file)
{
    parsed p;
    p.f = is_module ? NULL : irl_func_parse_scheduled(cx, text, length, file, NULL);
    p.m = is_module ? irl_module_parse(cx, text, length, file) : NULL;
    return p;
}

static void read_program(irl_ctx *cx, int is_module, const char *text, size_t length)
{
    parsed      first = parse(cx, is_module, text, length, "grammar.md"), again;
    const char *printed = first.m   ? irl_module_text(first.m)
                          : first.f ? irl_func_text(first.f)
                                    : "";
    again = parse(cx, is_module, printed, strlen(printed), "printed");
    CHECK(is_module ? first.m && again.m && irl_module_equal(first.m, again.m)
                    : first.f && again.f && irl_func_equal(first.f, again.f));
}

/* One to a line. */
static void read_maps(page *p, irl_ctx *cx, const char *text, size_t length)
{
    char line[256];
    while (length) {
        size_t         n = 0;
        const irl_map *map, *again;
        while (n < length && text[n] != '\n') n++;
        if (!CHECK(n < sizeof line)) return;
        memcpy(line, text, n);
        line[n] = '\0';
        map = irl_map_parse_over(cx, line, "grammar.md", 0, NULL);
        again = map ? irl_map_parse(cx, irl_map_text(cx, map)) : NULL;
        CHECK(map && again && strcmp(irl_map_text(cx, map), irl_map_text(cx, again)) == 0);
        p->maps++;
        n += n < length;
        text += n;
        length -= n;
    }
}

static void read_target(irl_ctx *cx, const char *text, size_t length)
{
    const irl_target *first = irl_target_parse(cx, text, length, "grammar.md");
    CHECK(first && irl_target_parse(cx, irl_target_text(cx, first), IRL_TO_NUL, NULL) == first);
}

static void read_record(irl_ctx *cx, const char *text, size_t length)
{
    const irl_record *first = irl_record_parse(cx, text, length, "grammar.md");
    CHECK(irl_record_equal(first,
                           irl_record_parse(cx, irl_record_text(first), IRL_TO_NUL, NULL)));
}

static void read_graph(irl_ctx *cx, const char *text, size_t length)
{
    const irl_graph *first = irl_graph_parse(cx, text, length, "grammar.md");
    CHECK(irl_graph_equal(first, irl_graph_parse(cx, irl_graph_text(first), IRL_TO_NUL, NULL)));
}

static void read_block(page *p, const char *text, size_t length)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    int is_func = strncmp(text, "func ", 5) == 0 || strncmp(text, "const ", 6) == 0,
        is_module = strncmp(text, "module ", 7) == 0 && !strchr("= \t", text[7]),
        is_target = strncmp(text, "target ", 7) == 0,
        is_graph = strncmp(text, "graph ", 6) == 0 && !strchr("= \t", text[6]),
        is_record = strncmp(text, "record ", 7) == 0 && !strchr("= \t", text[7]);
    p->functions += is_func;
    p->modules += is_module;
    if (is_func || is_module) read_program(cx, is_module, text, length);
    else if (is_target) read_target(cx, text, length);
    else if (is_graph) read_graph(cx, text, length);
    else if (is_record) read_record(cx, text, length);
    else if (*text == '(') read_maps(p, cx, text, length);
    else {
        CHECK(!p->grammar[0]); /* one block of productions */
        memcpy(p->grammar, text, length);
        p->grammar[length] = '\0';
        irl_ctx_destroy(cx);
        return;
    }
    if (!CHECK_OK(cx)) printf("%s\n", irl_diag_text(cx));
    strncat(p->examples, text, length);
    irl_ctx_destroy(cx);
}

static void read_blocks(page *p)
{
    char *begin = p->text, *end;
    while ((begin = strstr(begin, "\n```\n")) != NULL) {
        begin += 5;
        end = strstr(begin, "\n```\n");
        if (!CHECK(end != NULL)) return;
        read_block(p, begin, (size_t)(end + 1 - begin));
        begin = end + 5;
    }
}

/* ------------------------------------------------------------------ words and signs */

static int is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Does `what` stand in the text, as a word of its own if it is one? */
static int stands_in(const char *text, const char *what)
{
    size_t      n = strlen(what);
    const char *at;
    for (at = strstr(text, what); at; at = strstr(at + 1, what)) {
        if (is_word_char(what[0]) && at > text && is_word_char(at[-1])) continue;
        if (is_word_char(what[n - 1]) && is_word_char(at[n])) continue;
        return 1;
    }
    return 0;
}

/* Everything in quotes in the productions. Returns how many. */
static int test_terminals(const page *p)
{
    const char *at = p->grammar;
    char        terminal[64];
    int         count = 0;
    while ((at = strchr(at, '"')) != NULL) {
        size_t n = strcspn(at + 1, "\"");
        if (!CHECK(n > 0 && n < sizeof terminal && at[n + 1] == '"')) return count;
        memcpy(terminal, at + 1, n);
        terminal[n] = '\0';
        if (!CHECK(stands_in(p->examples, terminal))) printf("  no example has '%s'\n", terminal);
        at += n + 2;
        count++;
    }
    return count;
}

static void named(const page *p, const char *what)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", what);
    if (!CHECK(strstr(p->grammar, quoted) || stands_in(p->text, what)))
        printf("  the page does not name '%s'\n", what);
}

static void test_known(const page *p)
{
    static const char *const words[] = {
#define WORD(name, text) text,
        IRL__WORDS(WORD)
#undef WORD
    };
    static const char *const types[] = {
#define IRL_TYPE_ROW(name, text, ...) text,
#include "../src/ir/types.h"
    };
    static const char *const scopes[] = {
#define IRL_SCOPE_ROW(name, text, ocl, image) text,
#include "../src/ir/scopes.h"
    };
    int k;
    for (k = 0; k < COUNT(words); k++) named(p, words[k]);
    for (k = 0; k < COUNT(types); k++) named(p, types[k]);
    for (k = 0; k < COUNT(scopes); k++) named(p, scopes[k]);
    for (k = 0; k < COUNT(scopes); k++) CHECK(stands_in(p->examples, scopes[k]));
}

int main(void)
{
    static page p;
    if (CHECK(read_page(&p))) {
        read_blocks(&p);
        CHECK(p.functions >= 3 && p.modules >= 1 && p.maps >= 5);
        CHECK(test_terminals(&p) > 60);
        test_known(&p);
        CHECK(!stands_in(p.examples, "nonsense") && stands_in("a for b", "for") &&
              !stands_in("a fore b", "for"));
    }
    return TEST_DONE();
}
