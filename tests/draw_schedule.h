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
    int  next[MOST_NAMES]; /* of a block: the first loop that stands behind its name */
} names;

static void add_block(names *n, const char *at, size_t length)
{
    if (length == 0 || length >= NAME_ROOM || n->blocks >= MOST_NAMES) return;
    if (n->blocks && n->next[n->blocks - 1] == n->loops &&
        strncmp(n->block[n->blocks - 1], at, length) == 0 && !n->block[n->blocks - 1][length])
        return; /* what a block stores */
    memcpy(n->block[n->blocks], at, length);
    n->next[n->blocks++] = n->loops;
}

/* Does a statement begin there, in a line of its own? */
static int begins_line(const char *text, const char *at)
{
    while (at > text && at[-1] == ' ') at--;
    return at > text && at[-1] == '\n';
}

/* The variables of loops and the names of blocks, nests and buffers that stand in a text: words
   behind `for` and `block`, before `: for`, and before `[`, which a nest that stores there is named
   by. */
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
        if (length && (strncmp(at + length, ": for", 5) == 0 ||
                       (at[length] == '[' && begins_line(text, at))))
            add_block(n, at, length);
        if (strncmp(at, "block ", 6) == 0 && /* names with a \\ in them are left out */
            (at[6] != '`' || at[7 + strcspn(at + 7, "`\\")] == '`'))
            add_block(n, at + 6,
                      at[6] == '`' ? strcspn(at + 7, "`") + 2 : strcspn(at + 6, "( \n"));
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

/* A loop in front of the name of block b, more often one that is near; behind it; any. */
static const char *loop_before(const names *n, int b)
{
    const int near = n->next[b] < 4 ? n->next[b] : 4;
    return near && draw(5) ? n->loop[n->next[b] - 1 - draw(near)] : n->loop[draw(n->loops)];
}
static const char *loop_behind(const names *n, int b)
{
    const int left = n->loops - n->next[b];
    return left > 0 && draw(5) ? n->loop[n->next[b] + draw(left < 5 ? left : 5)]
                               : n->loop[draw(n->loops)];
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
    static const char *const pads[] = { "", ", pad = 0", ", pad = (u, v) -> (3 * u - v)",
                                        ", pad = \"any\"" };
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

/* One step that is about loops alone. */
static void draw_loops(const char *loop, const char *other, char *out, size_t room)
{
    static const char *const axes[] = { "global.x", "global.y", "group.x", "local.x", "group.y" };
    switch (draw(13)) {
    case 0: case 1: snprintf(out, room, "{ split(%s, %d); }", loop, 1 + draw(6)); break;
    case 2: snprintf(out, room, "{ split(%s, %d, _, %d); }", loop, 1 + draw(3), 1 + draw(3)); break;
    case 3: snprintf(out, room, "{ split(%s, _, %d, %d); }", loop, 1 + draw(3), 1 + draw(3)); break;
    case 4: snprintf(out, room, "{ fuse(%s, %s); }", loop, other); break;
    case 5: case 6: snprintf(out, room, "{ reorder(%s, %s); }", loop, other); break;
    case 7: snprintf(out, room, "{ parallel(%s); }", loop); break;
    case 8: snprintf(out, room, draw(2) ? "{ vectorize(%s); }" : "{ unroll(%s); }", loop); break;
    case 9: snprintf(out, room, "{ bind(%s, %s); }", loop, axes[draw(5)]); break;
    case 10:
        if (draw(2)) snprintf(out, room, "{ partition(%s, %d); }", loop, 1 + draw(4));
        else snprintf(out, room, "{ peel(%s, %d); }", loop, 2 + draw(4));
        break;
    case 11:
        snprintf(out, room, "{ partition(%s, %d, %d); }", loop, 1 + draw(2), 3 + draw(3));
        break;
    default: snprintf(out, room, "{ merge(%s, %s); }", loop, other); break;
    }
}

/* One step that takes a block, number b, and a loop near it. */
static void draw_moves(const names *n, int b, char *out, size_t room)
{
    static const char *const before[] = { "decompose_reduction", "rolling_buffer",
                                          "decompose_padding", "reverse_compute_at" };
    if (draw(3)) snprintf(out, room, "{ %s(%s, %s); }", before[draw(4)], n->block[b],
                          loop_before(n, b));
    else snprintf(out, room, "{ compute_at(%s, %s); }", n->block[b], loop_behind(n, b));
}

/* One step that makes a copy of what a block reads or writes. */
static void draw_copies(const names *n, const char *block, char *out, size_t room)
{
    static const char *const memories[] = { "global", "local", "shared", "texture" };
    static const char *const maps[] = { "", ", (..., i) -> (..., i / 4, i % 4)",
                                        ", (i, ...) -> (..., i)", ", (..., i) -> (..., i / 3)",
                                        ", (..., i) -> (i % 3, ..., i / 3)" };
    const char *memory = memories[draw(4)], *reader = n->block[draw(n->blocks)];
    const int   k = draw(2), is_named = draw(2);
    switch (draw(7)) {
    case 0: snprintf(out, room, "{ reindex(%s, %d); }", block, k); break;
    case 1:
        snprintf(out, room, "{ reindex_cache_read(%s, %d, %s, (%s) -> (j, i)); }", block, k,
                 memories[draw(3)], draw(3) ? "i, j" : "i, j, k");
        break;
    case 2:
        snprintf(out, room, "{ reindex_cache_write(%s, 0, local, (i, j) -> (j, i)); }", block);
        break;
    case 3:
        snprintf(out, room, "{ cache_read(%s, %d, %s%s%s%s); }", block, k, memory, maps[draw(5)],
                 is_named ? ", " : "", is_named ? reader : "");
        break;
    case 4: snprintf(out, room, "{ cache_read(%s, %d, %s); }", block, k, memory); break;
    case 5:
        snprintf(out, room, "{ cache_write(%s, 0, %s%s%s); }", block, memories[draw(3)],
                 is_named ? ", " : "", is_named ? reader : "");
        break;
    default:
        if (draw(2)) snprintf(out, room, "{ cache_value(%s, %d); }", block, k);
        else
            snprintf(out, room, "{ cache_padded(%s, %s, %s); }", block,
                     n->buffer[draw(n->buffers)], memory);
        break;
    }
}

/* One step that takes a block alone, or one and numbers; `loop` is any. */
static void draw_blocks(const names *n, const char *block, const char *loop, char *out, size_t room)
{
    static const char *const memories[] = { "global", "local", "shared" };
    static const char *const factors[] = { "3", "2, 3", "4, 1", "3, 2, 5", "2, 1, 1, 3" };
    static const char *const plain[] = { "compute_inline", "reverse_compute_inline",
                                         "compose_reduction", "contract", "contract",
                                         "reassociate", "reassociate", "skip_neutral" };
    const char *buffer = n->buffer[draw(n->buffers)];
    switch (draw(14)) {
    case 12: snprintf(out, room, "{ compose_store(%s); }", loop); break;
    case 13: snprintf(out, room, "{ distribute(%s); }", loop); break;
    case 0: snprintf(out, room, "{ set_scope(%s, 0, %s); }", block, memories[draw(3)]); break;
    case 1: snprintf(out, room, "{ storage_align(%s, 0, -1, 4, %d); }", block, draw(4)); break;
    case 2: draw_layout(block, buffer, out, room); break;
    case 3: draw_block_layout(block, out, room); break;
    case 4: snprintf(out, room, "{ blockize(%s); }", draw(2) ? loop : block); break;
    case 5: snprintf(out, room, "{ pad_einsum(%s, %s); }", block, factors[draw(5)]); break;
    case 6: snprintf(out, room, "{ rfactor(%s, %d); }", loop, draw(4) - 2); break;
    case 7:
        snprintf(out, room, "{ set_axis_separator(%s, %s, %d); }", block, buffer, draw(4));
        break;
    case 8:
        snprintf(out, room, draw(2) ? "{ add_unit_loop(%s); }" : "{ annotate(%s, group = 4); }",
                 draw(2) ? loop : block);
        break;
    default: snprintf(out, room, "{ %s(%s); }", plain[draw(8)], block); break;
    }
}

/* One step in a text; 0: there is nothing to do it to. */
static int draw_step(const names *n, char *out, size_t room)
{
    const int   l = draw(n->loops), b = draw(n->blocks), near = l + 1 + draw(3);
    const char *other = near < n->loops && draw(3) ? n->loop[near] : n->loop[draw(n->loops)];
    const char *block = n->block[b];
    if (!n->loops) return 0;
    switch (n->blocks ? draw(10) : 0) {
    case 0: case 1: case 2: draw_loops(n->loop[l], other, out, room); break;
    case 3: case 4: draw_moves(n, b, out, room); break;
    case 5: case 6: draw_copies(n, block, out, room); break;
    default: draw_blocks(n, block, n->loop[l], out, room); break;
    }
    return 1;
}

/* What changes the order of a sum, or what is rounded in it. 0: there is nothing to do it to. */
static inline int draw_sum_step(const names *n, char *out, size_t room)
{
    const char *loop = n->loop[draw(n->loops)], *other = n->loop[draw(n->loops)],
               *block = n->block[draw(n->blocks)];
    if (!n->loops || !n->blocks) return 0;
    switch (draw(8)) {
    case 7: snprintf(out, room, "{ skip_neutral(%s); }", block); break;
    case 0: snprintf(out, room, "{ contract(%s); }", block); break;
    case 1: case 2: snprintf(out, room, "{ reassociate(%s); }", block); break;
    case 3: snprintf(out, room, "{ split(%s, %d); }", loop, 2 + draw(5)); break;
    case 4: snprintf(out, room, "{ reorder(%s, %s); }", loop, other); break;
    case 5: snprintf(out, room, "{ rfactor(%s, %d); }", loop, draw(3) - 1); break;
    default: snprintf(out, room, "{ bind(%s, local.x); }", loop); break;
    }
    return 1;
}

/* What moves a stage of a chain (generate_chains.h) into the next one, or changes how it meets its
   border or adds up; several steps, where one alone has nothing to do. 0: there is none. */
static inline int draw_chain_step(const names *n, char *out, size_t room)
{
    char        stage[NAME_ROOM], next[NAME_ROOM];
    const int   k = draw(3), inner = draw(2);
    const char *loop = inner ? "j" : "i";
    int         j, is_there = 0;
    snprintf(stage, sizeof stage, "t%d", k);
    snprintf(next, sizeof next, "t%d", k + 1);
    for (j = 0; j < n->blocks; j++) is_there |= strcmp(n->block[j], next) == 0;
    if (!is_there) strcpy(next, "y");
    switch (draw(12)) {
    case 0: case 1:
        snprintf(out, room, "{ compute_at(%s, %s.%s); rolling_buffer(%s, %s.%s); }", stage, next,
                 loop, stage, next, loop);
        break;
    case 2: snprintf(out, room, "{ merge(%s.i, %s.i); }", stage, next); break;
    case 3: snprintf(out, room, "{ decompose_padding(%s, %s.%s); }", stage, stage, loop); break;
    case 4: snprintf(out, room, "{ cache_padded(%s, %s, local); }", next, stage); break;
    case 5: snprintf(out, room, "{ reverse_compute_at(%s, %s.%s); }", next, stage, loop); break;
    case 6: snprintf(out, room, "{ compute_at(%s, %s.%s); }", stage, next, loop); break;
    case 7:
        snprintf(out, room, "{ compose_reduction(%s); decompose_reduction(%s, %s); }", stage,
                 stage, draw(2) ? "r" : loop);
        break;
    case 8: snprintf(out, room, "{ reorder(%s.j, %s.i); }", stage, stage); break;
    case 9: snprintf(out, room, "{ fuse(%s.i, %s.j); }", stage, stage); break;
    case 10: snprintf(out, room, "{ compute_inline(%s); }", stage); break;
    default: snprintf(out, room, "{ reverse_compute_inline(%s); }", next); break;
    }
    return 1;
}

/* A loop around block b, more often one of the inner two, as `block.loop`. */
static inline void loop_of(const names *n, int b, char *out)
{
    const int count = n->next[b], near = count > 2 && draw(5) ? 2 : count;
    snprintf(out, 2 * NAME_ROOM, "%s.%s", n->block[b],
             near ? n->loop[count - 1 - draw(near)] : "i");
}

/* What takes a block for what alone touches a buffer, or its init for a store, on functions of
   generate_views.h: what copies, sums in parts or pads what block b does. */
static inline void draw_view_copies(const names *n, int b, char *out, size_t room)
{
    static const char *const memories[] = { "global", "local" };
    const char *memory = memories[draw(2)], *block = n->block[b];
    const char *buffer = n->buffer[draw(n->buffers)];
    switch (draw(7)) {
    case 0: case 1: snprintf(out, room, "{ reindex(%s, %s); }", block, buffer); break;
    case 2: snprintf(out, room, "{ cache_write(%s, %s, %s); }", block, buffer, memory); break;
    case 3: snprintf(out, room, "{ cache_read(%s, %s, %s); }", block, buffer, memory); break;
    case 4:
        snprintf(out, room, "{ reindex_cache_write(%s, %s, %s, (p) -> (p)); }", block, buffer,
                 memory);
        break;
    case 5: draw_layout(block, buffer, out, room); break;
    default:
        snprintf(out, room, "{ pad_einsum(%s, %d%s); }", block, 2 + draw(4), draw(2) ? ", 3" : "");
        break;
    }
}

/* A block, one that is near it as a rule, and a loop of each. */
typedef struct two_blocks {
    int         at; /* the block's number */
    const char *block, *next;
    char        loop[2 * NAME_ROOM], other[2 * NAME_ROOM];
} two_blocks;

/* 0: there are none. */
static inline int draw_two_blocks(const names *n, two_blocks *out)
{
    const int b = draw(n->blocks), near = b + 1 < n->blocks && draw(3) ? b + 1 : draw(n->blocks);
    out->at = b;
    out->block = n->block[b];
    out->next = n->block[near];
    if (!n->blocks || !n->loops || !n->buffers) return 0;
    loop_of(n, b, out->loop);
    loop_of(n, near, out->other);
    return 1;
}

/* The same, and what moves its blocks or nests them. 0: there is none. */
static inline int draw_view_step(const names *n, char *out, size_t room)
{
    two_blocks  two;
    const char *block, *loop;
    if (!draw_two_blocks(n, &two)) return 0;
    block = two.block;
    loop = two.loop;
    switch (draw(14)) {
    case 0: case 1: snprintf(out, room, "{ compute_at(%s, %s); }", block, two.other); break;
    case 2: case 3: snprintf(out, room, "{ reverse_compute_at(%s, %s); }", two.next, loop); break;
    case 4: snprintf(out, room, "{ compute_inline(%s); }", block); break;
    case 5: snprintf(out, room, "{ reverse_compute_inline(%s); }", block); break;
    case 6: snprintf(out, room, "{ merge(%s, %s); }", loop, two.other); break;
    case 7: snprintf(out, room, "{ blockize(%s); }", loop); break;
    case 8: snprintf(out, room, "{ rfactor(%s, 0); }", loop); break;
    case 9: snprintf(out, room, "{ decompose_reduction(%s, %s); }", block, loop); break;
    case 10: snprintf(out, room, "{ split(%s, %d); }", loop, 2 + draw(2)); break;
    default: draw_view_copies(n, two.at, out, room); break;
    }
    return 1;
}

#endif
