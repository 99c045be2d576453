/* generate_arrays.h - kernels with many arrays of their own, private and shared, whose lives
   overlap in all ways: filled and read in loops of the work-item, in loops around barriers, in
   branches;
   shared arrays with a barrier between them and without one.

   needs     the library before it
   promises  a seed gives the same kernel on every machine; nothing is read that was not written;
             no two work-items touch a cell in no order, on a device too, where memory that is
             allocated again lies where it lay; integers alone */
#ifndef IRL_GENERATE_ARRAYS_H
#define IRL_GENERATE_ARRAYS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { GA_TEXT = 32768, GA_ARRAYS = 48, GA_GROUPS = 3, GA_ITEMS = 8, GA_CELLS = 24 };

typedef struct ga_case {
    char     text[GA_TEXT];
    size_t   used;
    uint64_t state;
    int      arrays; /* names given */
    struct { int shared, size, type, fresh; } list[GA_ARRAYS];
    int      visible[GA_ARRAYS], count; /* those that hold something */
    int      indent, statements;
} ga_case;

static const char *const ga_types[] = { "i32", "i32", "i32", "i64", "u8" };

static inline int ga_below(ga_case *c, int most)
{
    c->state = c->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((c->state >> 33) % (uint64_t)most);
}

static inline void ga_put(ga_case *c, const char *text)
{
    const size_t length = strlen(text);
    if (c->used + length + 1 > GA_TEXT) return;
    memcpy(c->text + c->used, text, length + 1);
    c->used += length;
}

static inline void ga_line(ga_case *c)
{
    int k;
    for (k = 0; k < c->indent; k++) ga_put(c, "    ");
}

/* A cell of something that is defined, with `v` somewhere between 0 and 31. */
static inline void ga_value(ga_case *c, const char *v, int may_share)
{
    char      text[128];
    const int k = c->count ? c->visible[ga_below(c, c->count)] : -1;
    const int plus = ga_below(c, 7);
    if (k < 0 || ga_below(c, 4) == 0 || (c->list[k].shared && !may_share))
        sprintf(text, "x[g, (%s + %d) %% %d]", v, plus, GA_CELLS);
    else sprintf(text, "i32(a%d[(%s + %d) %% %d])", k, v, plus, c->list[k].size);
    ga_put(c, text);
}

static inline void ga_sum(ga_case *c, const char *v, int may_share)
{
    int k, n = 1 + ga_below(c, 3);
    for (k = 0; k < n; k++) {
        if (k) ga_put(c, ga_below(c, 2) ? " + " : " - ");
        ga_value(c, v, may_share);
    }
    if (ga_below(c, 2)) ga_put(c, " * 3");
}

/* An array that holds something behind these lines. Work-items wait before they read what others
   have written. */
static inline void ga_fill(ga_case *c, int k, int may_share)
{
    char text[128];
    if (c->list[k].shared) {
        ga_line(c);
        sprintf(text, "a%d[i] = %s(", k, ga_types[c->list[k].type]);
        ga_put(c, text);
        ga_sum(c, "i", may_share);
        ga_put(c, ");\n");
        ga_line(c);
        ga_put(c, "barrier(shared);\n");
        return;
    }
    ga_line(c);
    sprintf(text, "for (k: %d) a%d[k] = %s(", c->list[k].size, k, ga_types[c->list[k].type]);
    ga_put(c, text);
    ga_sum(c, "k", may_share);
    ga_put(c, ");\n");
}

static inline void ga_array(ga_case *c, int may_share)
{
    char      text[96];
    const int k = c->arrays, shared = may_share && ga_below(c, 2);
    if (k == GA_ARRAYS) return;
    c->arrays++;
    c->list[k].shared = shared;
    c->list[k].type = ga_below(c, 5);
    c->list[k].size = shared ? GA_ITEMS : 3 + ga_below(c, 20);
    ga_line(c);
    sprintf(text, "alloc a%d: %s[%d] scope(%s);\n", k, ga_types[c->list[k].type], c->list[k].size,
            shared ? "shared" : "local");
    ga_put(c, text);
    ga_fill(c, k, may_share);
    c->visible[c->count++] = k;
    if (ga_below(c, 3) == 0) return;
    ga_line(c);
    sprintf(text, "y[g, i] = y[g, i] * 5 + i32(a%d[(i + %d) %% %d]);\n", k, ga_below(c, 7),
            c->list[k].size);
    ga_put(c, text);
}

/* Written again: behind a barrier, for others may still read it. */
static inline void ga_again(ga_case *c, int may_share)
{
    const int k = c->count ? c->visible[ga_below(c, c->count)] : -1;
    if (k < 0 || (c->list[k].shared && !may_share)) return;
    if (c->list[k].shared) {
        char text[64];
        ga_line(c);
        ga_put(c, "barrier(shared);\n");
        ga_line(c);
        sprintf(text, "a%d[i] = %s(", k, ga_types[c->list[k].type]);
        ga_put(c, text);
        ga_put(c, "x[g, i] + 5);\n");
        ga_line(c);
        ga_put(c, "barrier(shared);\n");
        return;
    }
    ga_fill(c, k, may_share);
}

static inline void ga_statements(ga_case *c, int count, int may_share);

static inline void ga_inner(ga_case *c, const char *head, int may_share)
{
    int       outer[GA_ARRAYS];
    const int kept = c->count;
    memcpy(outer, c->visible, sizeof outer);
    ga_line(c);
    ga_put(c, head);
    c->indent++;
    if (may_share) { /* what it allocates may lie where it lay in the turn before */
        ga_line(c);
        ga_put(c, "barrier(shared);\n");
    }
    ga_statements(c, 1 + ga_below(c, 4), may_share);
    c->count = kept;
    memcpy(c->visible, outer, sizeof outer);
    c->indent--;
    ga_line(c);
    ga_put(c, "}\n");
}

static inline void ga_out(ga_case *c, int may_share)
{
    ga_line(c);
    ga_put(c, "y[g, i] = y[g, i] * 5 + ");
    ga_sum(c, "i", may_share);
    ga_put(c, ";\n");
}

static inline void ga_statements(ga_case *c, int count, int may_share)
{
    for (; count > 0; count--) {
        const int what = c->indent > 5 ? ga_below(c, 9) : ga_below(c, 13);
        if (c->statements++ > 40) return;
        while (c->count && ga_below(c, 2)) { /* one is not read any more */
            const int k = ga_below(c, c->count);
            memmove(c->visible + k, c->visible + k + 1,
                    (size_t)(--c->count - k) * sizeof *c->visible);
        }
        if (may_share && ga_below(c, 2)) {
            ga_line(c);
            ga_put(c, "barrier(shared);\n");
        }
        if (what < 5) ga_array(c, may_share);
        else if (what < 6) ga_again(c, may_share);
        else if (what < 9) ga_out(c, may_share);
        else if (what == 9) ga_inner(c, "for (t: 3) {\n", may_share);
        else if (what == 10) ga_inner(c, "for (t: 2) {\n", 0);
        else if (what == 11) ga_inner(c, "if (g != 1) {\n", may_share);
        else ga_inner(c, "if (i < 5) {\n", 0);
    }
}

static inline void ga_generate(ga_case *c, unsigned long seed)
{
    char text[160];
    memset(c, 0, sizeof *c);
    c->state = (uint64_t)seed * 2 + 1;
    sprintf(text, "func f%lu(x: i32[%d, %d], y: i32[%d, %d]) {\n", seed % 1000000, GA_GROUPS,
            GA_CELLS, GA_GROUPS, GA_ITEMS);
    ga_put(c, text);
    sprintf(text, "    for bind(group.x) (g: %d)\n        for bind(local.x) (i: %d) {\n", GA_GROUPS,
            GA_ITEMS);
    ga_put(c, text);
    c->indent = 3;
    ga_line(c);
    ga_put(c, "y[g, i] = i32(i);\n");
    ga_statements(c, 4 + ga_below(c, 9), seed % 4 != 0);
    ga_out(c, seed % 4 != 0);
    ga_put(c, "        }\n}\n");
}

static inline void ga_input(unsigned long seed, int32_t *x)
{
    int k;
    for (k = 0; k < GA_GROUPS * GA_CELLS; k++)
        x[k] = (int32_t)(((uint64_t)seed + 3 + (uint64_t)k) * UINT64_C(2654435761) % 1009) - 500;
}

#endif
