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

static const char *const controllers[] = { NULL, "generic", "stm32-gpdma", "edma3", "rp2040" };
enum { CONTROLLERS = 5 };

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
        default: ok &= play_rp2040(m, list, t);
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
