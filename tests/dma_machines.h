/* dma_machines.h - the controllers that irl_dma_new knows, as models that have registers alone:
   they play a list, and measure every field against widths that stand here; and how many copies a
   few cells take at least. */
#ifndef IRL_DMA_MACHINES_H
#define IRL_DMA_MACHINES_H

/* ------------------------------------------------------------------ the machines

   Bytes are moved as numbers of their own: what arrives says where it came from. */

typedef struct machine {
    int64_t *source, *target;
    int     *written; /* how often each byte of the target was */
    int64_t  source_bytes, target_bytes;
    int      outside; /* accesses beyond the two memories */
} machine;

static void machine_begin(machine *m, const irl_dma_list *list)
{
    int64_t k;
    memset(m, 0, sizeof *m);
    m->source_bytes = list->unpack ? list->memory_bytes : list->plain_bytes;
    m->target_bytes = list->unpack ? list->plain_bytes : list->memory_bytes;
    m->source = (int64_t *)calloc((size_t)m->source_bytes + 1, sizeof *m->source);
    m->target = (int64_t *)calloc((size_t)m->target_bytes + 1, sizeof *m->target);
    m->written = (int *)calloc((size_t)m->target_bytes + 1, sizeof *m->written);
    if (!m->source || !m->target || !m->written) exit(1);
    for (k = 0; k < m->source_bytes; k++) m->source[k] = k + 1;
}

static void machine_end(machine *m)
{
    free(m->source);
    free(m->target);
    free(m->written);
}

static void move(machine *m, int64_t from, int64_t to, int64_t bytes)
{
    for (; bytes-- > 0; from++, to++) {
        if (from < 0 || from >= m->source_bytes || to < 0 || to >= m->target_bytes) {
            m->outside++;
            continue;
        }
        m->target[to] = m->source[from];
        m->written[to]++;
    }
}

/* Without limits: strides of each level. */
static void play_any(machine *m, const irl_dma_list *list, const irl_dma_transfer *t, int level,
                     int64_t from, int64_t to)
{
    int64_t k;
    if (level < 0) {
        move(m, from, to, list->beat);
        return;
    }
    for (k = 0; k < t->levels[level].count; k++)
        play_any(m, list, t, level - 1, from + k * t->levels[level].source_step,
                 to + k * t->levels[level].target_step);
}

static int fits(int64_t value, int64_t lo, int64_t hi)
{
    if (value < lo || value > hi) printf("%lld is not in %lld .. %lld\n", (long long)value,
                                         (long long)lo, (long long)hi);
    return value >= lo && value <= hi;
}

/* A list of runs of bytes. */
static int play_generic(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    const int64_t bytes = t->levels[0].count * list->beat;
    move(m, t->source, t->target, bytes);
    return t->level_count == 1 && fits(t->levels[0].count, 1, UINT32_MAX) && !t->source_wrap &&
           !t->target_wrap;
}

/* Registers of a GPDMA channel: SBL is 6 bits of beats less one; BNDT 16 bits of bytes; SAO, DAO 13
   bits and a sign; BRC 11 bits of repeats; BRSAO, BRDAO 16 bits and a sign. Addresses go on. */
static int play_gpdma(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    const irl_dma_level *l = t->levels;
    int64_t from = t->source, to = t->target, block, left, beat, bndt;
    if (t->level_count != 3) return 0;
    bndt = l[0].count * l[1].count * list->beat;
    for (block = 0; block <= l[2].count - 1; block++) {
        for (left = bndt; left > 0;) {
            for (beat = 0; beat < l[0].count; beat++) {
                move(m, from, to, list->beat);
                from += l[0].source_step;
                to += l[0].target_step;
                left -= list->beat;
            }
            from += l[1].source_step;
            to += l[1].target_step;
        }
        from += l[2].source_step;
        to += l[2].target_step;
    }
    return fits(l[0].count - 1, 0, 63) && fits(bndt, 1, 65535) &&
           fits(l[1].source_step, -8191, 8191) && fits(l[1].target_step, -8191, 8191) &&
           fits(l[2].count - 1, 0, 2047) && fits(l[2].source_step, -65535, 65535) &&
           fits(l[2].target_step, -65535, 65535) &&
           (l[0].source_step == 0 || l[0].source_step == list->beat) &&
           (l[0].target_step == 0 || l[0].target_step == list->beat) &&
           (list->beat == 1 || list->beat == 2 || list->beat == 4) && !t->source_wrap &&
           !t->target_wrap;
}

/* A parameter set of EDMA3: ACNT, BCNT, CCNT of 16 bits, indices of 16 bits with sign; CIDX is from
   the beginning of a frame. */
static int play_edma3(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    const irl_dma_level *l = t->levels;
    int64_t              b, c;
    int                  k, ok = t->level_count == 3 && list->beat == 1;
    for (c = 0; ok && c < l[2].count; c++)
        for (b = 0; b < l[1].count; b++)
            move(m, t->source + c * l[2].source_step + b * l[1].source_step,
                 t->target + c * l[2].target_step + b * l[1].target_step, l[0].count);
    for (k = 0; ok && k < 3; k++) ok = fits(l[k].count, 1, 65535);
    for (k = 1; ok && k < 3; k++)
        ok = fits(l[k].source_step, -32768, 32767) && fits(l[k].target_step, -32768, 32767);
    return ok;
}

/* A channel of RP2040: TRANS_COUNT of 32 bits; an address that wraps keeps the bits above
   RING_SIZE, and one of the two at most does. */
static int play_rp2040(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    int64_t from = t->source, to = t->target, k;
    if (t->level_count != 1) return 0;
    for (k = 0; k < t->levels[0].count; k++) {
        int64_t next = from + t->levels[0].source_step;
        move(m, from, to, list->beat);
        from = t->source_wrap ? (from & -t->source_wrap) | (next & (t->source_wrap - 1)) : next;
        next = to + t->levels[0].target_step;
        to = t->target_wrap ? (to & -t->target_wrap) | (next & (t->target_wrap - 1)) : next;
    }
    return fits(t->levels[0].count, 1, UINT32_MAX) && !(t->source_wrap && t->target_wrap) &&
           t->source_wrap <= 32768 && t->target_wrap <= 32768 &&
           (t->source_wrap & (t->source_wrap - 1)) == 0 &&
           (t->target_wrap & (t->target_wrap - 1)) == 0;
}

/* DMA2D: PL of 14 bits of pixels, NL of 16 bits of lines, FGOR and OOR of 14 bits of pixels, added
   after each line. */
static int play_dma2d(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    const int64_t pl = t->levels[0].count, nl = t->level_count == 2 ? t->levels[1].count : 0;
    const int64_t fgor = nl ? t->levels[1].source_step / list->beat : 0,
                  oor = nl ? t->levels[1].target_step / list->beat : 0;
    for (int64_t line = 0; line < nl; line++)
        move(m, t->source + line * (pl + fgor) * list->beat,
             t->target + line * (pl + oor) * list->beat, pl * list->beat);
    return fits(pl, 1, 16383) && fits(nl, 1, 65535) && fits(fgor, 0, 16383) &&
           fits(oor, 0, 16383) && (list->beat == 1 || list->beat == 2 || list->beat == 4) &&
           (nl < 2 || (t->levels[1].source_step % list->beat == 0 &&
                       t->levels[1].target_step % list->beat == 0)) &&
           t->levels[0].source_step == list->beat && t->levels[0].target_step == list->beat &&
           !t->source_wrap && !t->target_wrap;
}

/* An increment of MDMA: up or down by 1, 2, 4 or 8 bytes, not less than a beat. */
static int fits_increment(int64_t step, int64_t beat)
{
    const int64_t size = step < 0 ? -step : step;
    return (size == 1 || size == 2 || size == 4 || size == 8) && size >= beat;
}

/* MDMA: BNDT of 65536 bytes at most, BRC of 12 bits of repeats, SUV and DUV of 16 bits and a sign,
   added to where a block ended. */
static int play_mdma(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    const irl_dma_level *l = t->levels;
    int64_t from = t->source, to = t->target, brc, bndt;
    if (t->level_count != 2) return 0;
    for (brc = l[1].count - 1;; brc--) {
        for (bndt = l[0].count * list->beat; bndt > 0; bndt -= list->beat) {
            move(m, from, to, list->beat);
            from += l[0].source_step;
            to += l[0].target_step;
        }
        if (brc == 0) break;
        from += l[1].source_step;
        to += l[1].target_step;
    }
    return fits(l[0].count * list->beat, 1, 65536) && fits(l[1].count - 1, 0, 4095) &&
           fits(l[1].source_step, -65535, 65535) && fits(l[1].target_step, -65535, 65535) &&
           fits_increment(l[0].source_step, list->beat) &&
           fits_increment(l[0].target_step, list->beat) &&
           (list->beat == 1 || list->beat == 2 || list->beat == 4) && !t->source_wrap &&
           !t->target_wrap;
}

/* A transfer control descriptor of eDMA. MLOFF is one number; SMLOE and DMLOE say which sides add
   it, and leave 10 bits to NBYTES. */
static int play_edma(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    const irl_dma_level *l = t->levels;
    int64_t from = t->source, to = t->target, citer, nbytes, mloff, is_added;
    if (t->level_count != 2) return 0;
    mloff = l[1].source_step ? l[1].source_step : l[1].target_step;
    is_added = mloff != 0;
    for (citer = l[1].count; citer > 0; citer--) {
        for (nbytes = l[0].count * list->beat; nbytes > 0; nbytes -= list->beat) {
            move(m, from, to, list->beat);
            from += l[0].source_step;
            to += l[0].target_step;
        }
        if (l[1].source_step) from += mloff;
        if (l[1].target_step) to += mloff;
    }
    return fits(l[0].count * list->beat, 1, is_added ? 1023 : (INT64_C(1) << 30) - 1) &&
           fits(l[1].count, 1, 32767) && fits(mloff, -524288, 524287) &&
           fits(l[0].source_step, -32768, 32767) && fits(l[0].target_step, -32768, 32767) &&
           l[0].source_step % list->beat == 0 && l[0].target_step % list->beat == 0 &&
           (list->beat == 1 || list->beat == 2 || list->beat == 4) && !t->source_wrap &&
           !t->target_wrap;
}

/* A pair of descriptors of GDMA: 12 bits of bytes. */
static int play_gdma(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    move(m, t->source, t->target, t->levels[0].count);
    return t->level_count == 1 && list->beat == 1 && fits(t->levels[0].count, 1, 4095) &&
           !t->source_wrap && !t->target_wrap;
}

/* Whether an address may be advanced by `step` bytes after a beat. */
static int row_strides(const irl_dma_controller *c, int64_t step, int64_t beat)
{
    const int64_t least = c->level[0].least_step * (c->steps_in_beats ? beat : 1),
                  most = c->level[0].most_step * (c->steps_in_beats ? beat : 1);
    int64_t       size = step < 0 ? -step : step;
    if (step == beat || (step == 0 && c->may_stay)) return 1;
    if ((least == 0 && most == 0) || step % beat != 0 || step < least || step > most) return 0;
    if (!c->has_power_steps) return 1;
    while (size > 1 && size % 2 == 0) size /= 2;
    return size == 1;
}

/* The transfer by counters of each level, innermost first, and by addresses that go on or that each
   level keeps from where it began; the fields by the limits that the row states. */
static int play_row(machine *m, const irl_dma_list *list, const irl_dma_transfer *t)
{
    const irl_dma_controller *c = list->controller;
    const irl_dma_level      *l = t->levels;
    const int64_t             unit = c->steps_in_beats ? list->beat : 1;
    int64_t began[2][IRL_DMA_LEVELS], counter[IRL_DMA_LEVELS] = { 0 }, at[2], bytes = list->beat;
    int     k, j, ok = t->level_count == c->level_count, has_offset = 0;
    if (!ok) return 0;
    at[0] = t->source;
    at[1] = t->target;
    for (k = 0; k < c->level_count; k++) {
        began[0][k] = at[0];
        began[1][k] = at[1];
        ok &= l[k].count >= 1 && (!c->level[k].most_count || l[k].count <= c->level[k].most_count);
        if (k < (c->block_levels ? c->block_levels : 2)) bytes *= l[k].count;
        if (k == 0) continue;
        has_offset |= l[k].source_step || l[k].target_step;
        ok &= l[k].source_step % unit == 0 && l[k].target_step % unit == 0;
        ok &= l[k].count == 1 || (fits(l[k].source_step / unit, c->level[k].least_step,
                                       c->level[k].most_step) &&
                                  fits(l[k].target_step / unit, c->level[k].least_step,
                                       c->level[k].most_step));
        ok &= !c->has_one_step || !l[k].source_step || !l[k].target_step ||
              l[k].source_step == l[k].target_step;
    }
    ok &= row_strides(c, l[0].source_step, list->beat) &&
          row_strides(c, l[0].target_step, list->beat) && (c->beats & list->beat);
    if (c->block_bytes) ok &= fits(bytes, 1, c->block_bytes);
    if (c->offset_block_bytes && has_offset)
        ok &= fits(bytes, 1, c->offset_block_bytes);
    for (; ok;) {
        int64_t step[2];
        move(m, at[0], at[1], list->beat);
        for (k = 0; k < c->level_count; k++) {
            step[0] = l[k].source_step;
            step[1] = l[k].target_step;
            for (j = 0; j < 2; j++) at[j] = (c->is_relative ? at[j] : began[j][k]) + step[j];
            if (++counter[k] < l[k].count) break;
            counter[k] = 0;
        }
        if (k == c->level_count) break;
        for (j = 0; j <= k; j++) {
            began[0][j] = at[0];
            began[1][j] = at[1];
        }
    }
    return ok && !t->source_wrap && !t->target_wrap;
}

static const char *const controllers[] = { NULL,          "generic",    "stm32-gpdma",
                                           "edma3",       "rp2040",     "stm32-dma2d",
                                           "stm32-mdma",  "nxp-edma",   "esp32-gdma" };
enum { CONTROLLERS = sizeof controllers / sizeof *controllers, OF_ROW = -1 };

static int play(machine *m, const irl_dma_list *list, int controller)
{
    int k, ok = 1;
    for (k = 0; ok && k < list->count; k++) {
        const irl_dma_transfer *t = &list->transfers[k];
        ok = t->source % list->beat == 0 && t->target % list->beat == 0;
        switch (controller) {
        case 0: play_any(m, list, t, t->level_count - 1, t->source, t->target); break;
        case 1: ok &= play_generic(m, list, t); break;
        case 2: ok &= play_gpdma(m, list, t); break;
        case 3: ok &= play_edma3(m, list, t); break;
        case 4: ok &= play_rp2040(m, list, t); break;
        case 5: ok &= play_dma2d(m, list, t); break;
        case 6: ok &= play_mdma(m, list, t); break;
        case 7: ok &= play_edma(m, list, t); break;
        case 8: ok &= play_gdma(m, list, t); break;
        default: ok &= play_row(m, list, t);
        }
    }
    return ok && !m->outside;
}

/* ------------------------------------------------------------------ the least, by trying all

   A nest of few cells is a set of them: what can be made of one cell by taking it, and what is made
   of it, some times, each time the same way further in both memories. */

enum { FEW = 9 };

static unsigned char is_nest[1 << FEW];

/* The set moved `by` cells of plain memory on, each cell the same way in the layout's; 0: it does
   not lie there, or not all of it. */
static unsigned moved_set(unsigned set, int by, int n, const int64_t *place)
{
    unsigned to = 0;
    int64_t  way = 0;
    int      k, seen = 0;
    for (k = 0; k < n; k++) {
        if (!(set & 1u << k)) continue;
        if (k + by < 0 || k + by >= n) return 0;
        if (!seen++) way = place[k + by] - place[k];
        if (place[k + by] - place[k] != way) return 0;
        to |= 1u << (k + by);
    }
    return to;
}

static int least_copies(int n, const int64_t *place)
{
    unsigned char best[1 << FEW];
    unsigned      set, all = (1u << n) - 1, part;
    int           by, grew;
    memset(is_nest, 0, sizeof is_nest);
    for (by = 0; by < n; by++) is_nest[1u << by] = 1;
    do
        for (grew = 0, set = 1; set <= all; set++)
            for (by = 1; is_nest[set] && by < n; by++) {
                unsigned sum = set, last = set;
                int64_t  way = 0;
                int      low = 0, first = 1;
                while (!(set & 1u << low)) low++;
                for (;;) {
                    unsigned next = moved_set(last, by, n, place);
                    while (!(last & 1u << low)) low++;
                    if (!next || (next & sum)) break;
                    if (!first && place[low + by] - place[low] != way) break;
                    way = place[low + by] - place[low];
                    first = 0;
                    sum |= next;
                    last = next;
                    low += by;
                    grew |= !is_nest[sum];
                    is_nest[sum] = 1;
                }
            }
    while (grew);
    best[0] = 0;
    for (set = 1; set <= all; set++) {
        best[set] = FEW + 1;
        for (part = set; part; part = (part - 1) & set)
            if (is_nest[part] && best[set & ~part] + 1 < best[set])
                best[set] = (unsigned char)(best[set & ~part] + 1);
    }
    return best[all];
}

#endif
