/* small_nests.h - small functions with numbers for all extents, as a list of nests that a test can
   change by itself: what a step of a schedule would make, whether that is right or not.

   needs     random64.h
   promises  every index is inside of its buffer; each stored value depends on the iteration, so
             that another order shows */
#ifndef IRL_SMALL_NESTS_H
#define IRL_SMALL_NESTS_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "random64.h"

enum { SMALL_NESTS = 5, SMALL_LOOPS = 3, SMALL_SIDE = 6, SMALL_TEXT = 400, SMALL_FUNC = 6000 };

typedef struct small_loop {
    char        name[8];
    int         first, extent;
    const char *kind; /* "", "parallel ", "bind(global.x) " */
} small_loop;

typedef struct small_nest {
    int        loop_count, store_count;
    small_loop loop[SMALL_LOOPS]; /* outermost first */
    char       guard[SMALL_TEXT]; /* "": none */
    char       store[2][SMALL_TEXT];
    char       target[8]; /* of the first store */
    int        is_producer; /* t[i, j] = ... over all of t */
    /* what a test has moved into one of the loops, -1: nothing; the nest itself stands elsewhere */
    int        before, before_at, after, after_at, is_gone; /* before_at -1: in front of it */
} small_nest;

typedef struct small_func {
    int        nest_count, next;
    small_nest nest[SMALL_NESTS + 2]; /* two more for what a test puts into others */
    small_loop around;           /* a loop around the nests first .. last */
    int        first, last;      /* last < first: none */
    char       extra[SMALL_TEXT]; /* allocations */
    int        has_history;       /* hy0 and its kin hold what was stored in each cell, in order */
} small_func;

/* ------------------------------------------------------------------ text */

typedef struct small_out {
    char  *text;
    size_t used, room;
} small_out;

static void small_put(small_out *o, const char *s)
{
    size_t length = strlen(s);
    if (o->used + length + 1 > o->room) length = o->room - o->used - 1;
    memcpy(o->text + o->used, s, length);
    o->text[o->used += length] = '\0';
}

static int small_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The text with another word for each word `from`. */
static void small_replace(char *text, size_t room, const char *from, const char *to)
{
    char        copy[SMALL_FUNC];
    small_out   o;
    const char *at = text;
    size_t      length = strlen(from);
    o.text = copy;
    o.room = room < sizeof copy ? room : sizeof copy;
    o.used = 0;
    copy[0] = '\0';
    for (; *at; at++) {
        char one[2] = { 0, 0 };
        if (strncmp(at, from, length) == 0 && !small_is_word(at[length]) &&
            (at == text || !small_is_word(at[-1]))) {
            small_put(&o, to);
            at += length - 1;
            continue;
        }
        one[0] = *at;
        small_put(&o, one);
    }
    memcpy(text, copy, o.used + 1);
}

static void small_print_nest(const small_func *f, const small_nest *n, int from, small_out *o);

static void small_print_for(const small_loop *l, small_out *o)
{
    char line[100];
    snprintf(line, sizeof line, "for %s(%s: %d .. %d) {\n", l->kind, l->name, l->first,
             l->first + l->extent);
    small_put(o, line);
}

/* The loops from `from` on and what they hold. */
static void small_print_nest(const small_func *f, const small_nest *n, int from, small_out *o)
{
    int k;
    if (n->before >= 0 && n->before_at < 0) small_print_nest(f, &f->nest[n->before], 0, o);
    for (k = from; k < n->loop_count; k++) {
        small_print_for(&n->loop[k], o);
        if (n->before >= 0 && n->before_at == k)
            small_print_nest(f, &f->nest[n->before], 0, o);
    }
    if (n->guard[0]) small_put(o, "if ("), small_put(o, n->guard), small_put(o, ") {\n");
    for (k = 0; k < n->store_count; k++) {
        char line[SMALL_TEXT * 2];
        small_put(o, n->store[k]);
        small_put(o, "\n");
        if (!f->has_history || n->store[k][0] != 'y') continue;
        snprintf(line, sizeof line, "h%.*s = h%.*s * 31 + %.*s;\n",
                 (int)(strchr(n->store[k], '=') - n->store[k]), n->store[k],
                 (int)(strchr(n->store[k], '=') - n->store[k]), n->store[k],
                 (int)(strchr(n->store[k], '=') - n->store[k]), n->store[k]);
        small_put(o, line);
    }
    if (n->guard[0]) small_put(o, "}\n");
    for (k = n->loop_count; k-- > from;) {
        if (n->after >= 0 && n->after_at == k) small_print_nest(f, &f->nest[n->after], 0, o);
        small_put(o, "}\n");
    }
}

#define SMALL_PARAMS                                                       \
    "a0: u32[6, 6], a1: u32[6], y0: u32[6, 6], y1: u32[6, 6], y2: u32[6]," \
    "hy0: u32[6, 6], hy1: u32[6, 6], hy2: u32[6]"

static void small_print(const small_func *f, char *text, size_t room)
{
    small_out o;
    int       k;
    o.text = text;
    o.room = room;
    o.used = 0;
    text[0] = '\0';
    small_put(&o, "func f(" SMALL_PARAMS ") {\nalloc t0: u32[6, 6];\nalloc t1: u32[6];\n");
    small_put(&o, f->extra);
    for (k = 0; k < f->nest_count; k++) {
        if (f->first <= f->last && k == f->first) small_print_for(&f->around, &o);
        if (!f->nest[k].is_gone) small_print_nest(f, &f->nest[k], 0, &o);
        if (f->first <= f->last && k == f->last) small_put(&o, "}\n");
    }
    small_put(&o, "}\n");
}

/* ------------------------------------------------------------------ drawn */

/* An index within [0, SMALL_SIDE) in the loops of the nest, and the one around. */
static void small_index(const small_func *f, const small_nest *n, int is_around, char *out,
                        size_t room)
{
    const small_loop *a, *b;
    int               count = n->loop_count + is_around;
#define SMALL_PICK() (int)random_below(count)
    int  x = SMALL_PICK(), y = SMALL_PICK();
    int  top;
    a = x < n->loop_count ? &n->loop[x] : &f->around;
    b = y < n->loop_count ? &n->loop[y] : &f->around;
    top = a->first + a->extent - 1;
    switch (random_below(12)) {
    case 0: case 1: case 2: case 3: snprintf(out, room, "%s", a->name); return;
    case 4:
        if (top + 1 < SMALL_SIDE) snprintf(out, room, "%s + 1", a->name);
        else snprintf(out, room, "%s", a->name);
        return;
    case 5: snprintf(out, room, "%d - %s", top + random_below(SMALL_SIDE - top), a->name); return;
    case 6:
        if (2 * top + 1 < SMALL_SIDE) snprintf(out, room, "%s * 2 + %d", a->name, random_below(2));
        else snprintf(out, room, "%s / 2", a->name);
        return;
    case 7:
        if (a != b && top + b->first + b->extent - 1 < SMALL_SIDE)
            snprintf(out, room, "%s + %s", a->name, b->name);
        else snprintf(out, room, "max(%s - 1, 0)", a->name);
        return;
    case 8: snprintf(out, room, "%d", random_below(SMALL_SIDE)); return;
    case 9: snprintf(out, room, "min(%s + %d, 5)", a->name, 1 + random_below(2)); return;
    case 10: snprintf(out, room, "(%s * 2 + %s) %% 6", a->name, b->name); return;
    default: snprintf(out, room, "%s", a->name); return;
    }
}

static void small_cell(const small_func *f, const small_nest *n, int is_around, const char *buffer,
                       char *out, size_t room)
{
    char at[2][48];
    int  rank = strcmp(buffer, "a1") == 0 || strcmp(buffer, "y2") == 0 || strcmp(buffer, "t1") == 0
                    ? 1 : 2;
    small_index(f, n, is_around, at[0], sizeof at[0]);
    small_index(f, n, is_around, at[1], sizeof at[1]);
    if (rank == 2 && strcmp(at[0], at[1]) == 0 && n->loop_count > 1) /* both axes, more often */
        snprintf(at[0], sizeof at[0], "%s", n->loop[0].name),
            snprintf(at[1], sizeof at[1], "%s", n->loop[1].name);
    if (rank == 1) snprintf(out, room, "%s[%s]", buffer, at[0]);
    else snprintf(out, room, "%s[%s, %s]", buffer, at[0], at[1]);
}

/* t[i, j] = something of the inputs, over all of t. */
static void small_producer(small_func *f, small_nest *n, const char *buffer)
{
    char at[60], cell[120];
    int  k;
    n->is_producer = 1;
    n->loop_count = strcmp(buffer, "t0") == 0 ? 2 : 1;
    n->store_count = 1;
    snprintf(n->target, sizeof n->target, "%s", buffer);
    for (k = 0; k < n->loop_count; k++) n->loop[k].first = 0, n->loop[k].extent = SMALL_SIDE;
    if (n->loop_count == 2) snprintf(at, sizeof at, "%s, %s", n->loop[0].name, n->loop[1].name);
    else snprintf(at, sizeof at, "%s", n->loop[0].name);
    small_cell(f, n, 0, random_below(3) ? "a0" : "y0", cell, sizeof cell);
    snprintf(n->store[0], SMALL_TEXT, "%s[%s] = %s * 3 + u32(%s * 5 + 1);", buffer, at, cell,
             n->loop[0].name);
}

static void small_store(const small_func *f, const small_nest *n, int is_around,
                        const char *const *known, int known_count, char *target, char *out)
{
    static const char *const written[] = { "y0", "y1", "y2" };
    const char *buffer = written[random_below(3)], *read = known[random_below(known_count)];
    char        to[80], one[80], two[80], all[80];
    int         k, used = 0;
    for (k = 0; k < n->loop_count + is_around; k++)
        used += snprintf(all + used, sizeof all - (size_t)used, "%s * %d + ",
                         k < n->loop_count ? n->loop[k].name : f->around.name, 3 + 4 * k);
    small_cell(f, n, is_around, buffer, to, sizeof to);
    small_cell(f, n, is_around, read, one, sizeof one);
    small_cell(f, n, is_around, random_below(3) ? "a0" : buffer, two, sizeof two);
    snprintf(target, 8, "%s", buffer);
    if (random_below(4) == 0)
        snprintf(out, SMALL_TEXT, "%s = %s + (%s * 3 + u32(%s1));", to, to, one, all);
    else
        snprintf(out, SMALL_TEXT, "%s = %s * 3 + %s * 5 + u32(%s1);", to, one, two, all);
}

static void small_loops(small_func *f, small_nest *n)
{
    int k;
    n->loop_count = 1 + random_below(SMALL_LOOPS);
    for (k = 0; k < SMALL_LOOPS; k++) {
        small_loop *l = &n->loop[k];
        snprintf(l->name, sizeof l->name, "i%d", f->next++);
        l->first = random_below(8) == 0;
        l->extent = random_below(2) ? 3 : 2 + random_below(4);
        l->kind = random_below(12) == 0 ? "parallel " : random_below(12) == 0 ? "vectorized " : "";
    }
}

/* Temporaries are made first, and then read. */
static void small_draw(small_func *f)
{
    const char *known[8];
    int         known_count = 3, k, j, has_around;
    memset(f, 0, sizeof *f);
    known[0] = "a0";
    known[1] = "a1";
    known[2] = "y0";
    f->nest_count = 2 + random_below(SMALL_NESTS - 1);
    if (f->nest_count > SMALL_NESTS) f->nest_count = SMALL_NESTS;
    snprintf(f->around.name, sizeof f->around.name, "g");
    f->around.extent = 2 + random_below(2);
    f->around.kind = "";
    f->first = random_below(f->nest_count);
    f->last = random_below(2) ? f->first + random_below(f->nest_count - f->first) : f->first - 1;
    for (k = 0; k < f->nest_count; k++) {
        small_nest *n = &f->nest[k];
        has_around = f->first <= k && k <= f->last;
        n->before = n->after = -1;
        small_loops(f, n);
        if (k < 2 && !has_around && random_below(3)) {
            const char *made = known_count < 5 && random_below(2) == 0 ? "t1" : "t0";
            for (j = 3; j < known_count && strcmp(known[j], made); j++) {}
            if (j == known_count) {
                small_producer(f, n, made);
                known[known_count++] = made;
                continue;
            }
        }
        if (has_around && random_below(2) == 0)
            n->loop[0].kind = "bind(global.x) ", n->loop[0].first = 0, n->loop[0].extent = 4;
        n->store_count = 1 + (random_below(5) == 0);
        for (j = n->store_count; j-- > 0;)
            small_store(f, n, has_around, known, known_count, n->target, n->store[j]);
        if (random_below(8) == 0)
            snprintf(n->guard, SMALL_TEXT, "%s < %s + %d", n->loop[0].name,
                     n->loop[n->loop_count - 1].name, 1 + random_below(3));
    }
}

#endif
