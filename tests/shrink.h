/* shrink.h - the smallest text of a function that still fails.

   needs     texts with one statement a line, and braces at the ends of lines, as generate.h makes
             them
   promises  every text that was kept failed in the way that the caller looks for */
#ifndef IRL_SHRINK_H
#define IRL_SHRINK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1 if the text still fails in the way that is looked for; a text that is no function any more does
   not. */
typedef int shrink_fails(void *user, const char *text);

static void *shrink_kept(void *memory)
{
    if (!memory) {
        printf("the test is out of memory\n");
        exit(1);
    }
    return memory;
}

static const char *shrink_line_end(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static int shrink_line_braces(const char *line, const char *end)
{
    int depth = 0;
    for (; line < end; line++) depth += (*line == '{') - (*line == '}');
    return depth;
}

/* The end of the lines from `line` on that belong together: one, or up to the closing brace. */
static const char *shrink_region_end(const char *line)
{
    const char *end = shrink_line_end(line);
    int         depth = shrink_line_braces(line, end);
    while (depth > 0 && *end) {
        const char *next = shrink_line_end(end);
        depth += shrink_line_braces(end, next);
        end = next;
    }
    return end;
}

/* text without [from, to) and [from2, to2). */
static char *shrink_without(const char *text, const char *from, const char *to, const char *from2,
                            const char *to2)
{
    size_t a = (size_t)(from - text), b = (size_t)(from2 - to), rest = strlen(to2);
    char  *out = (char *)shrink_kept(malloc(a + b + rest + 1));
    memcpy(out, text, a);
    memcpy(out + a, to, b);
    memcpy(out + a + b, to2, rest + 1);
    return out;
}

/* Tries to take away each statement, then each pair of braces around statements; returns a smaller
   text, or NULL. */
static char *shrink_once(const char *text, shrink_fails *fails, void *user, int *tries)
{
    const char *line = shrink_line_end(text);
    for (; *line && *tries > 0; line = shrink_line_end(line)) {
        const char *end = shrink_region_end(line), *head = shrink_line_end(line), *tail = end;
        char       *smaller;
        if (shrink_line_braces(line, head) < 0) continue;
        --*tries;
        smaller = shrink_without(text, line, end, end, end);
        if (fails(user, smaller)) return smaller;
        free(smaller);
        if (head == end) continue;
        for (tail = end - 1; tail > text && tail[-1] != '\n'; tail--) {}
        --*tries;
        smaller = shrink_without(text, line, head, tail, end);
        if (fails(user, smaller)) return smaller;
        free(smaller);
    }
    return NULL;
}

/* The smallest text found that still fails; the caller frees it. */
static char *shrink(const char *text, shrink_fails *fails, void *user)
{
    int   tries = 400;
    char *best = (char *)shrink_kept(malloc(strlen(text) + 1)), *smaller;
    strcpy(best, text);
    while (tries > 0 && (smaller = shrink_once(best, fails, user, &tries)) != NULL) {
        free(best);
        best = smaller;
    }
    return best;
}

#endif
