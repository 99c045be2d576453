/* generate_temporaries.h - functions whose host has many temporaries: chains of nests over memory
   of different sizes, some of them named by a parameter; loops of the host that carry memory from
   turn to turn or allocate it in each; branches; statements that may be computed in place, and such
   that look as if they might.

   needs     random_below (test.h's TEST_RANDOM) and the library before it
   promises  a seed gives the same function on every machine; nothing is read that was not written;
             integers alone, so results are equal and not close */
#ifndef IRL_GENERATE_TEMPORARIES_H
#define IRL_GENERATE_TEMPORARIES_H

#include <stdio.h>
#include <string.h>

enum { GT_MEMORIES = 40, GT_TEXT = 32768, GT_CELLS = 96, GT_INPUT = 48, GT_OUTPUT = 32 };

typedef struct gt_memory {
    int times, plus; /* n * times + plus elements */
    int type;        /* of gt_types */
} gt_memory;

typedef struct gt_case {
    char      text[GT_TEXT];
    size_t    used;
    uint64_t  state;
    int       n; /* the value of the parameter */
    gt_memory memory[GT_MEMORIES];
    int       memories, loops, statements;
    int       bound; /* 1: loops are bound to work-items; 0: left to the library */
} gt_case;

static const char *const gt_types[] = { "i32", "u8", "i16", "i64" };

/* What a statement may read: those that are defined. */
typedef struct gt_scope {
    int visible[GT_MEMORIES], defined[GT_MEMORIES], count;
} gt_scope;

static int gt_below(gt_case *c, int most)
{
    c->state = c->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((c->state >> 33) % (uint64_t)most);
}

static void gt_put(gt_case *c, const char *text)
{
    const size_t length = strlen(text);
    if (c->used + length + 1 > GT_TEXT) return;
    memcpy(c->text + c->used, text, length + 1);
    c->used += length;
}

static void gt_number(gt_case *c, const char *before, int number, const char *after)
{
    char digits[16];
    sprintf(digits, "%d", number);
    gt_put(c, before);
    gt_put(c, digits);
    gt_put(c, after);
}

static int gt_cells(const gt_case *c, int k)
{
    return c->memory[k].times * c->n + c->memory[k].plus;
}

static void gt_extent(gt_case *c, int k)
{
    if (c->memory[k].times) gt_number(c, "n * ", c->memory[k].times, " + ");
    gt_number(c, "", c->memory[k].plus, "");
}

static void gt_alloc(gt_case *c, gt_scope *s)
{
    gt_memory *m = &c->memory[c->memories];
    int        like = gt_below(c, 3);
    m->times = gt_below(c, 4) ? 0 : 1 + gt_below(c, 3);
    m->plus = 1 + gt_below(c, GT_CELLS);
    m->type = gt_below(c, 4) ? 0 : gt_below(c, 4);
    if (!like && c->memories) *m = c->memory[gt_below(c, c->memories)]; /* the size of another */
    gt_number(c, "alloc m", c->memories, ": ");
    gt_put(c, gt_types[m->type]);
    gt_put(c, "[");
    gt_extent(c, c->memories);
    gt_put(c, "];\n");
    s->visible[s->count] = c->memories++;
    s->defined[s->count++] = 0;
}

/* For memory `to` (-1: an output): m3[(i * 5 + 2) % 17]; x[...] where nothing is defined; straight:
   m3[i], of equal size. */
static void gt_read(gt_case *c, const gt_scope *s, int to, int straight)
{
    const int cells = to < 0 ? 0 : gt_cells(c, to);
    int k, at = -1, seen = 0, extent;
    for (k = 0; k < s->count; k++)
        if (s->defined[k] && (straight || s->visible[k] != to) && /* else it were a race */
            (!straight || gt_cells(c, s->visible[k]) == cells) &&
            gt_below(c, ++seen) == 0)
            at = s->visible[k];
    extent = at < 0 ? GT_INPUT : gt_cells(c, at);
    gt_put(c, "i32(");
    if (at < 0) gt_put(c, "x[");
    else gt_number(c, "m", at, "[");
    if (straight && at >= 0) gt_put(c, "i");
    else {
        gt_number(c, "(i * ", 1 + gt_below(c, 7), "");
        gt_number(c, " + ", gt_below(c, 9), ")");
        gt_number(c, " % ", extent, "");
    }
    gt_put(c, "])");
}

/* All of a memory, from one or two others. */
static void gt_define(gt_case *c, gt_scope *s, int which)
{
    const int to = s->visible[which], straight = gt_below(c, 3) != 0;
    gt_put(c, c->bound ? "for bind(global.x) (i: " : "for (i: ");
    gt_extent(c, to);
    gt_number(c, ") m", to, "[i] = ");
    gt_put(c, gt_types[c->memory[to].type]);
    gt_put(c, "(");
    gt_read(c, s, to, straight);
    gt_number(c, " * ", 1 + gt_below(c, 5), " + ");
    if (gt_below(c, 2)) {
        gt_read(c, s, to, straight && gt_below(c, 3));
        gt_put(c, " + ");
    }
    gt_number(c, "", gt_below(c, 100), ");\n");
    s->defined[which] = 1;
    c->statements++;
}

static void gt_sequence(gt_case *c, gt_scope *s, int depth, int count);

/* In a loop or a branch: what it defines of others counts behind a loop, which runs. */
static void gt_inner(gt_case *c, gt_scope *s, int depth)
{
    gt_scope  inner = *s;
    const int is_loop = gt_below(c, 3) != 0;
    int       k;
    if (is_loop) {
        gt_number(c, "for (t", c->loops++, ": ");
        gt_number(c, "", 1 + gt_below(c, 3), ") {\n");
    } else gt_number(c, "if (n > ", gt_below(c, 8), ") {\n");
    gt_sequence(c, &inner, depth + 1, 1 + gt_below(c, 6));
    gt_put(c, "}\n");
    for (k = 0; is_loop && k < s->count; k++) s->defined[k] = inner.defined[k];
}

static void gt_sequence(gt_case *c, gt_scope *s, int depth, int count)
{
    while (count-- > 0 && c->used < GT_TEXT / 2) {
        const int what = gt_below(c, 12);
        int       which;
        if (what < 2 && depth < 3 && c->bound && s->count) {
            gt_inner(c, s, depth);
            continue;
        }
        if ((what < 9 || !s->count) && c->memories < GT_MEMORIES) gt_alloc(c, s);
        if (!s->count) continue;
        which = what < 9 ? s->count - 1 : gt_below(c, s->count);
        gt_define(c, s, which);
    }
}

static void gt_generate(gt_case *c, uint64_t seed, int statements)
{
    gt_scope s;
    int      k;
    memset(c, 0, sizeof *c);
    memset(&s, 0, sizeof s);
    c->state = seed * 2 + 1;
    for (k = 0; k < 4; k++) (void)gt_below(c, 2);
    c->n = 1 + gt_below(c, 12);
    c->bound = gt_below(c, 4) != 0;
    gt_number(c, "func f", (int)(seed % 1000000), "");
    gt_number(c, "(n: index, x: i32[", GT_INPUT, "]");
    gt_number(c, ", y: i32[", GT_OUTPUT, "]) {\n");
    gt_sequence(c, &s, 0, statements);
    gt_number(c, "for (i: ", GT_OUTPUT, ") y[i] = ");
    for (k = 0; k < 3; k++) {
        gt_read(c, &s, -1, 0);
        gt_put(c, " + ");
    }
    gt_put(c, "1;\n}\n");
}

static void gt_input(const gt_case *c, int32_t *x)
{
    int k;
    for (k = 0; k < GT_INPUT; k++) x[k] = (int32_t)(k * 37 + (int)(c->state % 101)) % 251 - 100;
}

#endif
