/* draw_items.h - steps for kernels of work-items of several axes (generate_items.h,
   generate_tiles.h).

   needs     draw_schedule.h */
#ifndef IRL_DRAW_ITEMS_H
#define IRL_DRAW_ITEMS_H

/* A loop, of a block near at hand or any. */
static inline void items_loop_of(const names *n, int b, char *out)
{
    if (draw(3) || !n->blocks) snprintf(out, 2 * NAME_ROOM, "%s", n->loop[draw(n->loops)]);
    else loop_of(n, b, out);
}

/* 0: there is none. */
static inline int draw_items_step(const names *n, char *out, size_t room)
{
    static const char *const memories[] = { "shared", "shared", "local", "global" };
    static const char *const axes[] = { "local.x", "local.y", "local.z", "local.x", "local.y",
                                        "group.x", "group.y", "group.z", "global.x" };
    const int   b = draw(n->blocks), near = b + 1 < n->blocks && draw(3) ? b + 1 : draw(n->blocks);
    const char *block = n->block[b], *next = n->block[near], *memory = memories[draw(4)];
    const char *buffer = n->buffer[draw(n->buffers)], *axis = axes[draw(9)];
    char        loop[2 * NAME_ROOM], other[2 * NAME_ROOM];
    if (!n->blocks || !n->loops || !n->buffers) return 0;
    items_loop_of(n, b, loop);
    items_loop_of(n, near, other);
    switch (draw(36)) {
    case 28: case 29: case 30: case 31:
        snprintf(out, room, "{ c = cache_read(%s, %s, %s); compute_at(c, %s); }", block, buffer,
                 memory, loop);
        break;
    case 32: case 33:
        snprintf(out, room, "{ c = cache_write(%s, %s, %s); reverse_compute_at(%s, %s); }", block,
                 buffer, memory, buffer, loop);
        break;
    case 34:
        snprintf(out, room, "{ set_scope(%s, 0, shared); compute_at(%s, %s); }", block, block,
                 other);
        break;
    case 35:
        snprintf(out, room, "{ bind(%s, group.x); bind(%s, %s); }",
                 n->loop[draw(n->loops < 2 ? n->loops : 2)],
                 n->loop[draw(n->loops < 3 ? n->loops : 3)], axes[draw(5)]);
        break;
    case 0: case 1: case 2: case 3: snprintf(out, room, "{ bind(%s, %s); }", loop, axis); break;
    case 4: case 5: snprintf(out, room, "{ compute_at(%s, %s); }", block, other); break;
    case 6: case 7: snprintf(out, room, "{ reverse_compute_at(%s, %s); }", next, loop); break;
    case 8: case 9: case 10:
        snprintf(out, room, "{ cache_read(%s, %s, %s); }", block, buffer, memory);
        break;
    case 11: case 12:
        snprintf(out, room, "{ cache_write(%s, %s, %s); }", block, buffer, memory);
        break;
    case 13: snprintf(out, room, "{ set_scope(%s, 0, %s); }", block, memory); break;
    case 14: snprintf(out, room, "{ unroll(%s); }", loop); break;
    case 15: snprintf(out, room, "{ merge(%s, %s); }", loop, other); break;
    case 16: snprintf(out, room, "{ split(%s, %d); }", loop, 1 + draw(4)); break;
    case 17: snprintf(out, room, "{ reorder(%s, %s); }", loop, other); break;
    case 18: snprintf(out, room, "{ fuse(%s, %s); }", loop, other); break;
    case 19: snprintf(out, room, "{ %s(%s); }", draw(2) ? "vectorize" : "parallel", loop); break;
    case 20: snprintf(out, room, "{ storage_align(%s, 0, 0, %d, 1); }", block, 2 + draw(4)); break;
    case 21: draw_layout(block, buffer, out, room); break;
    case 22: snprintf(out, room, "{ compute_inline(%s); }", block); break;
    case 23: snprintf(out, room, "{ reverse_compute_inline(%s); }", block); break;
    case 24: snprintf(out, room, "{ decompose_reduction(%s, %s); }", block, loop); break;
    case 25:
        if (draw(2)) snprintf(out, room, "{ rfactor(%s, 0); }", loop);
        else snprintf(out, room, "{ rolling_buffer(%s, %s); }", block, loop);
        break;
    case 26: snprintf(out, room, "{ partition(%s, %d); }", loop, 1 + draw(2)); break;
    default: snprintf(out, room, "{ blockize(%s); }", loop); break;
    }
    return 1;
}

/* Loops l0, l1 ... that stand one after the other, bound together, or all but one; or another
   step. */
static inline int draw_nests_step(const names *n, char *out, size_t room)
{
    char list[80] = "";
    int  k, count = 0, skip = draw(8);
    for (k = 0; k < n->loops && k < 12; k++) {
        if (n->loop[k][0] != 'l' || strlen(n->loop[k]) != 2 || n->loop[k][1] - '0' == skip)
            continue;
        sprintf(list + strlen(list), "%s%s", count == 1 ? ", local.x, " : count ? ", " : "",
                n->loop[k]);
        count++;
    }
    if (count < 2 || !draw(3)) return draw_items_step(n, out, room);
    snprintf(out, room, "{ bind(%s); }", list);
    return 1;
}

#endif
