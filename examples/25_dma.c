/* 25_dma.c - a DMA controller turns a picture by 90 degrees: a layout becomes a list of transfers
   with the values for the controller's fields, and the program executes the list.

       cc -I. -I/usr/include/stb examples/25_dma.c -lm && ./a.out

   The sprite has 8 rows of 16 pixels. The panel is mounted upright, so there it becomes 16 rows of
   8 pixels, in a frame with 12 pixels in each row.

   This example is the first that uses these names. C: irl_dma_controller_find, irl_dma_new,
   irl_dma_text. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>
#include <string.h>

enum { H = 8, W = 16, PITCH = 12 };
IRL_LAYOUT(turned, (y, x), (x * PITCH + H - 1 - y));

/* Copies one transfer, as a controller does. Each level is a loop, and each iteration adds a step
   to both addresses. */
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

/* Copies the sprite by the list, and prints it as the panel shows it. */
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

/* Prints the list for a controller and returns 1, or prints why it is refused and returns 0. */
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
    ok &= say(cx, map, NULL, 0);           /* without a controller: one nested copy */
    ok &= say(cx, map, "stm32-gpdma", 0);  /* two controllers that have strides */
    ok &= say(cx, map, "edma3", 0);
    ok &= !say(cx, map, "rp2040", 0);      /* one that only copies runs refuses it, */
    ok &= say(cx, map, "rp2040", 1);       /* or accepts it split into bytes */
    irl_ctx_destroy(cx);
    return ok ? 0 : 1;
}
