/* 25_dma.c - a picture turned by a quarter, moved by a DMA controller: the layout as the transfers
   of one, in its fields, and what they do.

       cc -I. -I/usr/include/stb examples/25_dma.c -lm && ./a.out

   The sprite is 8 rows of 16 pixels; on a panel that is mounted upright it becomes 16 rows of 8, in
   a frame of 12 pixels a row.

   New: irl_dma_controller_find, irl_dma_new, irl_dma_text. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

enum { H = 8, W = 16, PITCH = 12 };
IRL_LAYOUT(turned, (y, x), (x * PITCH + H - 1 - y));

/* What a controller does that knows strides: each level so many times, each time a step on. */
static void play(const irl_dma_list *list, const irl_dma_transfer *t, int level, const char *from,
                 char *to)
{
    int64_t k;
    if (level < 0) {
        memcpy(to, from, (size_t)list->beat);
        return;
    }
    for (k = 0; k < t->levels[level].count; k++)
        play(list, t, level - 1, from + k * t->levels[level].source,
             to + k * t->levels[level].target);
}

/* The sprite through the list, as the panel shows it. */
static void show(const irl_dma_list *list)
{
    static const char sprite[] = "................"
                                 ".##############."
                                 ".#............#."
                                 ".#.##.........#."
                                 ".#.##.........#."
                                 ".#............#."
                                 ".####..........."
                                 "................";
    char frame[W * PITCH];
    int  k;
    memset(frame, ' ', sizeof frame);
    for (k = 0; k < list->count; k++)
        play(list, &list->transfers[k], list->transfers[k].level_count - 1,
             sprite + list->transfers[k].source, frame + list->transfers[k].target);
    for (k = 0; k < W; k++) printf("    %.*s\n", H, frame + k * PITCH);
}

/* The list for a controller; 0: it is refused, which is said. */
static int say(irl_ctx *cx, const irl_map *map, const char *controller, int split)
{
    irl_dma_options     how;
    const irl_dma_list *list;
    irl_mark            mark = irl_ctx_mark(cx);
    memset(&how, 0, sizeof how);
    how.element = irl_type_of(IRL_U8, 1);
    how.controller = irl_dma_controller_find(controller);
    how.split = split;
    list = irl_dma_new(cx, map, IRL_SHAPE(H, W), &how);
    if (!list) printf("%s\n", irl_diag_text(cx));
    else if (list->count > 4) printf("%d transfers for %s\n", list->count, controller);
    else printf("%s", irl_dma_text(cx, list));
    if (list && !controller) show(list);
    puts("");
    irl_ctx_rewind(cx, mark);
    return list != NULL;
}

int main(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *map = irl_layout_let(cx, &turned, IRL_LET(PITCH, H));
    int            ok = irl_ok(cx);
    ok &= say(cx, map, NULL, 0);           /* as it is: one nested copy */
    ok &= say(cx, map, "stm32-gpdma", 0);  /* in the fields of two that know strides */
    ok &= say(cx, map, "edma3", 0);
    ok &= !say(cx, map, "rp2040", 0);      /* one that knows runs alone refuses it, */
    ok &= say(cx, map, "rp2040", 1);       /* or takes it byte by byte */
    irl_ctx_destroy(cx);
    return ok ? 0 : 1;
}
