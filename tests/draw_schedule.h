/* draw_schedule.h - steps of schedules drawn at random, for the names in a function's text.

   needs     stdio.h, string.h, ctype.h
   promises  draw_state decides all; a step is one in braces that parses, and names loops, blocks
             and buffers that there are; most are refused */
#ifndef IRL_DRAW_SCHEDULE_H
#define IRL_DRAW_SCHEDULE_H

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 12, MOST_TRIES = 8, MOST_NAMES = 64, NAME_ROOM = 20 };

typedef struct names {
    int  loops, blocks, buffers;
    char loop[MOST_NAMES][NAME_ROOM], block[MOST_NAMES][NAME_ROOM], buffer[MOST_NAMES][NAME_ROOM];
} names;

/* The variables of loops and the names of blocks and buffers that stand in a text: words behind
   `for` and `block`, and before `[`. */
static void read_names(const char *text, names *n)
{
    const char *at = text;
    memset(n, 0, sizeof *n);
    for (; *at; at++) {
        size_t length;
        if (at != text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) continue;
        for (length = 0; isalnum((unsigned char)at[length]) || at[length] == '_'; length++) {}
        if (length && length < NAME_ROOM && at[length] == '[' && n->buffers < MOST_NAMES)
            memcpy(n->buffer[n->buffers++], at, length);
        if (strncmp(at, "block ", 6) == 0 && n->blocks < MOST_NAMES) {
            length = at[6] == '`' ? strcspn(at + 7, "`") + 2 : strcspn(at + 6, "( \n");
            if (length < NAME_ROOM && n->blocks < MOST_NAMES)
                memcpy(n->block[n->blocks++], at + 6, length);
        }
        if (strncmp(at, "for ", 4) != 0) continue;
        at += strcspn(at, "(");
        if (strncmp(at, "(group.", 7) == 0 || strncmp(at, "(local.", 7) == 0 ||
            strncmp(at, "(global.", 8) == 0)
            at += 1 + strcspn(at + 1, "(");
        for (;;) { /* name: bounds, name: bounds) */
            int depth = 0;
            at++;
            at += strspn(at, " ");
            length = strcspn(at, ":");
            if (n->loops < MOST_NAMES && length < NAME_ROOM)
                memcpy(n->loop[n->loops++], at, length);
            for (; *at && (depth || (*at != ',' && *at != ')')); at++) {
                depth += *at == '(' || *at == '[';
                depth -= *at == ')' || *at == ']';
            }
            if (*at != ',') break;
        }
    }
}

static uint64_t draw_state;
static int draw(int n)
{
    draw_state = draw_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return n > 0 ? (int)((draw_state >> 33) % (uint64_t)n) : 0;
}

/* A layout of what a block writes, or reads; right, padded or lossy. */
static void draw_layout(const char *block, const char *buffer, char *out, size_t room)
{
    static const char *const maps[] = {
        "(..., i, j) -> (..., j, i)", "(..., i) -> (..., i / 2, i % 2)", "(i, ...) -> (..., i)",
        "(..., i) -> (..., i / 4, i % 4)", "(i, j) -> (j / 2, i, j % 2)",
        "(i, j) -> (j, i / 3, i % 3)", "(..., i) -> (..., i / 2)", "(i) -> (i % 3, i / 3)",
        "(i, ...) -> (i / 2, ..., i % 2)"
    };
    static const char *const pads[] = { "", ", pad = 0", ", pad = 1", ", pad = \"any\"" };
    static const char *const results[] = { "", "", "", "a = ", "(a, b) = ", "(a, b, c) = " };
    const char *result = results[draw(6)], *map = maps[draw(9)];
    snprintf(out, room, "{ %stransform_layout(%s, %s, %s%s); }", result, block, buffer, map,
             pads[draw(4)]);
}

static void draw_block_layout(const char *block, char *out, size_t room)
{
    static const char *const maps[] = {
        "(..., i, j) -> (..., j, i)",       "(..., i) -> (..., i / 2, i % 2)",
        "(i, ...) -> (..., i)",             "(i, j) -> (j / 2, i, j % 2)",
        "(..., i) -> (..., i % 3, i / 3)",  "(i, ...) -> (0, i, ...)",
        "(i, j) -> (j * 4 + i)",            "(i, ...) -> (i / 3, ..., i % 3)",
        "(..., i) -> (..., 5 - i)"
    };
    snprintf(out, room, "{ transform_block_layout(%s, %s); }", block, maps[draw(9)]);
}

/* One step in a text; 0: there is nothing to do it to. */
static int draw_step(const names *n, char *out, size_t room)
{
    static const char *const axes[] = { "global.x", "global.y", "group.x", "local.x", "group.y" };
    static const char *const memories[] = { "global", "local", "shared", "texture" };
    const char *loop = n->loop[draw(n->loops)], *other = n->loop[draw(n->loops)];
    const char *block = n->block[draw(n->blocks)];
    if (!n->loops) return 0;
    switch (draw(n->blocks ? 45 : 11)) {
    case 0: case 1: snprintf(out, room, "{ split(%s, %d); }", loop, 1 + draw(6)); break;
    case 2: snprintf(out, room, "{ split(%s, %d, _, %d); }", loop, 1 + draw(3), 1 + draw(3)); break;
    case 3: snprintf(out, room, "{ fuse(%s, %s); }", loop, other); break;
    case 4: case 5: snprintf(out, room, "{ reorder(%s, %s); }", loop, other); break;
    case 6: snprintf(out, room, "{ parallel(%s); }", loop); break;
    case 7: snprintf(out, room, draw(2) ? "{ vectorize(%s); }" : "{ unroll(%s); }", loop); break;
    case 8: snprintf(out, room, "{ bind(%s, %s); }", loop, axes[draw(5)]); break;
    case 9: snprintf(out, room, "{ partition(%s, %d); }", loop, 1 + draw(4)); break;
    case 10: snprintf(out, room, "{ merge(%s, %s); }", loop, other); break;
    case 18:
        snprintf(out, room, "{ set_scope(%s, 0, %s); }", block, memories[draw(3)]);
        break;
    case 19: snprintf(out, room, "{ storage_align(%s, 0, -1, 4, %d); }", block, draw(4)); break;
    case 22: snprintf(out, room, "{ reindex(%s, %d); }", block, draw(2)); break;
    case 24:
        snprintf(out, room, "{ reindex_cache_read(%s, %d, %s, (%s) -> (j, i)); }", block, draw(2),
                 memories[draw(3)], draw(3) ? "i, j" : "i, j, k");
        break;
    case 23:
        snprintf(out, room, "{ reindex_cache_write(%s, 0, local, (i, j) -> (j, i)); }", block);
        break;
    case 25: case 26: case 27:
        draw_layout(block, n->buffer[draw(n->buffers)], out, room);
        break;
    case 28: case 29: draw_block_layout(block, out, room); break;
    case 35: snprintf(out, room, "{ blockize(%s); }", loop); break;
    case 37: case 38: snprintf(out, room, "{ rolling_buffer(%s, %s); }", block, loop); break;
    case 36: snprintf(out, room, "{ compose_reduction(%s); }", block); break;
    case 34: snprintf(out, room, "{ decompose_padding(%s, %s); }", block, loop); break;
    case 32: case 33: {
        static const char *const factors[] = { "3", "2, 3", "4, 1", "3, 2, 5", "2, 1, 1, 3" };
        snprintf(out, room, "{ pad_einsum(%s, %s); }", block, factors[draw(5)]);
        break;
    }
    case 30: case 31: snprintf(out, room, "{ rfactor(%s, %d); }", loop, draw(4) - 2); break;
    case 20: {
        static const char *const maps[] = { "", ", (..., i) -> (..., i / 4, i % 4)",
                                            ", (i, ...) -> (..., i)", ", (..., i) -> (..., i / 3)",
                                            ", (..., i) -> (i % 3, ..., i / 3)" };
        const char *map = maps[draw(5)], *reader = n->block[draw(n->blocks)];
        const int   k = draw(2), is_named = draw(2);
        snprintf(out, room, "{ cache_read(%s, %d, %s%s%s%s); }", block, k, memories[draw(4)], map,
                 is_named ? ", " : "", is_named ? reader : "");
        break;
    }
    case 21:
        snprintf(out, room, "{ cache_read(%s, %d, %s); }", block, draw(2), memories[draw(4)]);
        break;
    case 11: {
        const char *memory = memories[draw(3)], *reader = n->block[draw(n->blocks)];
        const int   is_named = draw(2);
        snprintf(out, room, "{ cache_write(%s, 0, %s%s%s); }", block, memory,
                 is_named ? ", " : "", is_named ? reader : "");
        break;
    }
    case 39: case 40: snprintf(out, room, "{ contract(%s); }", block); break;
    case 41: case 42: snprintf(out, room, "{ reassociate(%s); }", block); break;
    case 43:
        snprintf(out, room, "{ set_axis_separator(%s, %s, %d); }", block,
                 n->buffer[draw(n->buffers)], draw(4));
        break;
    case 44:
        snprintf(out, room, "{ cache_padded(%s, %s, %s); }", block, n->buffer[draw(n->buffers)],
                 memories[draw(4)]);
        break;
    case 12: snprintf(out, room, "{ compute_inline(%s); }", block); break;
    case 13: snprintf(out, room, "{ reverse_compute_inline(%s); }", block); break;
    case 14: case 15: snprintf(out, room, "{ compute_at(%s, %s); }", block, loop); break;
    case 16: case 17: snprintf(out, room, "{ reverse_compute_at(%s, %s); }", block, loop); break;
    default: snprintf(out, room, "{ decompose_reduction(%s, %s); }", block, loop); break;
    }
    return 1;
}

/* What changes the order of a sum, or what is rounded in it. 0: there is nothing to do it to. */
static int draw_sum_step(const names *n, char *out, size_t room)
{
    const char *loop = n->loop[draw(n->loops)], *other = n->loop[draw(n->loops)],
               *block = n->block[draw(n->blocks)];
    if (!n->loops || !n->blocks) return 0;
    switch (draw(7)) {
    case 0: snprintf(out, room, "{ contract(%s); }", block); break;
    case 1: case 2: snprintf(out, room, "{ reassociate(%s); }", block); break;
    case 3: snprintf(out, room, "{ split(%s, %d); }", loop, 2 + draw(5)); break;
    case 4: snprintf(out, room, "{ reorder(%s, %s); }", loop, other); break;
    case 5: snprintf(out, room, "{ rfactor(%s, %d); }", loop, draw(3) - 1); break;
    default: snprintf(out, room, "{ bind(%s, local.x); }", loop); break;
    }
    return 1;
}

#endif
