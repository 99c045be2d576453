/* dma_grid.c - cells over several axes as few nests of strided copies.

   needs     dma_sequence.c
   promises  the copies contain each cell once

   A slice of an axis is the cells at one of its indices. If all slices of every axis are alike, the
   place of a cell is a sum of one number for each axis, and the nests of the axes together are one
   nest. If not, one axis is divided into sets of indices with equal slices, each set a few strided
   ranges: the axis that needs the fewest. */
#include "dma.h"

/* ------------------------------------------------------------------ axes that add up */

static int irl__dma_axes_add_up(irl__dma_copies *out, const irl__dma_grid *g)
{
    irl__dma_copies all = irl__dma_copies_begin(out, out->most), axis;
    irl__dma_cell   first;
    first.plain = g->plain_first;
    first.memory = g->memory[g->first];
    if (!irl__dma_push(&all, first, 0, NULL)) return 0;
    for (int d = g->rank; d-- > 0;) {
        if (g->extent[d] == 1) continue;
        axis = irl__dma_copies_begin(out, out->most);
        /* The cells of axis d where all others are at 0, from 0 on. */
        irl__dma_cell *cell = IRL__SCRATCH(axis.cx, irl__dma_cell, g->extent[d]);
        if (!cell) return 0;
        for (int64_t k = 0; k < g->extent[d]; k++) {
            cell[k].plain = k * g->plain[d];
            cell[k].memory = g->memory[g->first + k * g->stride[d]] - g->memory[g->first];
        }
        if (!irl__dma_sequence(&axis, g->extent[d], cell) || !irl__dma_multiply(&all, &axis))
            return 0;
    }
    return irl__dma_append(out, &all);
}

/* ------------------------------------------------------------------ slices */

/* The next index of all axes but d; false after the last. *offset goes along in the array. */
static int irl__dma_next(const irl__dma_grid *g, int d, int64_t *at, int64_t *offset)
{
    for (int k = g->rank; k-- > 0;) {
        if (k == d) continue;
        *offset += g->stride[k];
        if (++at[k] < g->extent[k]) return 1;
        *offset -= g->stride[k] * g->extent[k];
        at[k] = 0;
    }
    return 0;
}

static int irl__dma_slices_alike(const irl__dma_grid *g, int d, int64_t i, int64_t j)
{
    const int64_t *a = g->memory + g->first + i * g->stride[d],
                  *b = g->memory + g->first + j * g->stride[d];
    int64_t at[IRL_MAX_RANK], offset = 0;
    memset(at, 0, sizeof at);
    do {
        if (a[offset] - a[0] != b[offset] - b[0]) return 0;
    } while (irl__dma_next(g, d, at, &offset));
    return 1;
}

/* Indices of one axis by what their slices look like. */
typedef struct irl__dma_cut {
    int      axis;
    int      class_count;
    int64_t  pieces; /* strided ranges of indices with slices alike */
    int     *class_of;
    int64_t  first[IRL__DMA_CLASSES]; /* index of each class */
    uint32_t hash[IRL__DMA_CLASSES];
} irl__dma_cut;

/* From `from` on: how many indices of class c are a range of one stride, which stands in *step; the
   first is at *from. 0: there are no more. */
static int64_t irl__dma_range(const irl__dma_cut *cut, int64_t extent, int c, int64_t *from,
                              int64_t *step, int64_t *behind)
{
    int64_t k = *from, count = 1, last;
    while (k < extent && cut->class_of[k] != c) k++;
    *step = 1;
    *from = last = k;
    if (k == extent) return 0;
    for (k++; k < extent; k++) {
        if (cut->class_of[k] != c) continue;
        if (count == 1) *step = k - last;
        else if (k - last != *step) break;
        last = k;
        count++;
    }
    *behind = last + 1;
    return count;
}

/* The classes of axis d: 1; 0 memory or work is out; -1 they are too many. */
static int irl__dma_classes(irl_ctx *cx, const irl__dma_grid *g, int64_t cells, int d,
                            irl__dma_cut *cut)
{
    int64_t from, step, behind;
    int     c;
    cut->axis = d;
    cut->class_count = 0;
    cut->pieces = 0;
    if (!irl__work(cx, 2 * cells)) return 0;
    for (int64_t k = 0; k < g->extent[d]; k++) {
        /* A number of what slice i of axis d looks like: equal for slices alike. */
        const int64_t *slice = g->memory + g->first + k * g->stride[d];
        int64_t        at[IRL_MAX_RANK], offset = 0;
        uint32_t       hash = 1;
        memset(at, 0, sizeof at);
        do hash = irl__hash_mix(hash, (uint64_t)(slice[offset] - slice[0]));
        while (irl__dma_next(g, d, at, &offset));
        for (c = 0; c < cut->class_count; c++)
            if (cut->hash[c] == hash && irl__dma_slices_alike(g, d, cut->first[c], k)) break;
        if (c == IRL__DMA_CLASSES) return -1;
        if (c == cut->class_count) {
            cut->hash[c] = hash;
            cut->first[c] = k;
            cut->class_count++;
        }
        cut->class_of[k] = c;
        if (!irl__work(cx, c)) return 0;
    }
    for (c = 0; c < cut->class_count; c++)
        for (from = 0; irl__dma_range(cut, g->extent[d], c, &from, &step, &behind); from = behind)
            cut->pieces++;
    return 1;
}

/* ------------------------------------------------------------------ the cuts */

int irl__dma_divide(irl__dma_copies *out, const irl__dma_grid *g)
{
    irl__dma_cut *best = IRL__SCRATCH(out->cx, irl__dma_cut, 2), *cut;
    int64_t       cells = 1;
    int           ok, found = 0, alike = 1;
    if (!best) return 0;
    cut = best + 1;
    for (int d = 0; d < g->rank; d++) cells *= g->extent[d]; /* at most IRL__DMA_CELLS */
    for (int d = 0; d < g->rank; d++) {
        if (g->extent[d] == 1) continue;
        cut->class_of = IRL__SCRATCH(out->cx, int, g->extent[d]);
        ok = cut->class_of ? irl__dma_classes(out->cx, g, cells, d, cut) : 0;
        if (!ok) return 0;
        alike &= ok == 1 && cut->class_count == 1;
        if (ok < 0 || cut->class_count == 1 || (found && cut->pieces >= best->pieces)) continue;
        *best = *cut;
        found = 1;
    }
    if (alike) return irl__dma_axes_add_up(out, g);
    if (found) {
        /* Each piece is a grid with one axis less to cut. */
        int64_t from, step, behind, count;
        for (int c = 0; c < best->class_count; c++)
            for (from = 0; (count = irl__dma_range(best, g->extent[best->axis], c, &from, &step,
                                                   &behind)) != 0;
                 from = behind) {
                irl__dma_grid piece = *g;
                if (out->too_many) return 1;
                piece.extent[best->axis] = count;
                piece.first += from * g->stride[best->axis];
                piece.plain_first += from * g->plain[best->axis];
                piece.stride[best->axis] *= step;
                piece.plain[best->axis] *= step;
                if (!irl__dma_divide(out, &piece)) return 0;
            }
        return 1;
    }
    out->too_many = 1;
    return 1;
}
