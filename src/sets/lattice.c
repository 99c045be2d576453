/* lattice.c - how many different numbers are sums of progressions, and how many lines of memory
   they touch.

   needs     base
   promises  exact, or an upper bound that says so
   cost      sums whose digits do not overlap, or fill gaps of one another, are counted by their
             structure, whatever their length; the others are marked in a bitset of at most
             IRL__LATTICE_WORDS words

   A lattice becomes a ladder: rungs with ascending strides, each stride larger than all that the
   rungs below reach. So the count is the product of the rungs' counts, and the lines of a rung are
   those of its copies, less one for each copy that begins on the line on which the one before ends.
   Copies are alike again after line / gcd(stride, line) of them. */
#include "sets.h"

/* ------------------------------------------------------------------ lattices */

void irl__lattice_begin(irl__lattice *l, int64_t base)
{
    l->base = l->last = base;
    l->parts = 0;
}

int irl__lattice_add(irl__lattice *l, int64_t stride, int64_t count)
{
    int64_t reach;
    int     k;
    if (stride == 0 || count <= 1) return 1;
    if (l->parts == IRL__LATTICE_PARTS || !irl__mul64(stride, count - 1, &reach)) return 0;
    if (!irl__add64(stride < 0 ? l->base : l->last, reach, stride < 0 ? &l->base : &l->last))
        return 0;
    if (stride < 0 && (stride == INT64_MIN || (stride = -stride) < 0)) return 0;
    for (k = l->parts++; k > 0 && l->stride[k - 1] > stride; k--) {
        l->stride[k] = l->stride[k - 1];
        l->count[k] = l->count[k - 1];
    }
    l->stride[k] = stride;
    l->count[k] = count;
    return 1;
}

static int irl__lattice_alike(const irl__lattice *a, const irl__lattice *b)
{
    if (a->parts != b->parts) return 0;
    for (int k = 0; k < a->parts; k++)
        if (a->stride[k] != b->stride[k] || a->count[k] != b->count[k]) return 0;
    return 1;
}

/* Heap sort by base, so that the order of many boxes costs no more than they do. */
static void irl__lattice_sift(irl__lattice **list, int at, int count)
{
    irl__lattice *moved = list[at];
    int           child;
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && list[child + 1]->base > list[child]->base) child++;
        if (list[child]->base <= moved->base) break;
        list[at] = list[child];
        at = child;
    }
    list[at] = moved;
}

/* ------------------------------------------------------------------ bitsets */

typedef struct irl__marks {
    uint64_t *words;
    int64_t   count; /* of words */
    int64_t   unit;  /* bit k is address base + k * unit */
    int64_t   base, bits;
} irl__marks;

typedef struct irl__lattice_work {
    irl_ctx *cx;
    int64_t  width, line, left;
} irl__lattice_work;

/* a |= a << by, within `words` words. */
static void irl__marks_shift(uint64_t *a, int64_t words, int64_t by)
{
    const int64_t beyond = by / 64;
    const int     close_by = (int)(by % 64);
    for (int64_t k = words; k-- > beyond;) {
        uint64_t moved = a[k - beyond] << close_by;
        if (close_by && k > beyond) moved |= a[k - beyond - 1] >> (64 - close_by);
        a[k] |= moved;
    }
}

static int irl__marks_ones(uint64_t w)
{
    w -= (w >> 1) & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + ((w >> 2) & UINT64_C(0x3333333333333333));
    w = (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)((w * UINT64_C(0x0101010101010101)) >> 56);
}

/* Room for the addresses base .. last at steps of unit; NULL words where that is too much. False
   when memory is out. */
static int irl__marks_begin(irl__lattice_work *w, irl__marks *m, int64_t base, int64_t last,
                            int64_t unit)
{
    memset(m, 0, sizeof *m);
    m->base = base;
    m->unit = unit;
    m->bits = (last - base) / unit + 1;
    m->count = (m->bits - 1) / 64 + 1;
    if (m->count > IRL__LATTICE_WORDS || m->count > w->left) return 1;
    w->left -= m->count;
    m->words = IRL__SCRATCH(w->cx, uint64_t, m->count + 1);
    return m->words != NULL;
}

/* Marks the first `parts` sums of a lattice in `own`, cleared words that reach from its base. */
static int irl__marks_fill(irl__lattice_work *w, uint64_t *own, const irl__lattice *l, int parts,
                           int64_t unit)
{
    int64_t reach = 0;
    own[0] = 1;
    for (int k = 0; k < parts; k++) {
        int64_t have = 1, step;
        for (; have < l->count[k]; have += step) {
            step = have < l->count[k] - have ? have : l->count[k] - have;
            reach += l->stride[k] / unit * step;
            w->left -= reach / 64 + 1;
            if (w->left < 0) return 0;
            irl__marks_shift(own, reach / 64 + 1, l->stride[k] / unit * step);
        }
    }
    return 1;
}

static int64_t irl__marks_count(const irl__marks *m)
{
    int64_t k, n = 0;
    for (k = 0; k < m->count; k++) n += irl__marks_ones(m->words[k]);
    return n;
}

/* ------------------------------------------------------------------ ladders */

/* Lines that something touches which begins on line 0. */
typedef struct irl__lines {
    int64_t count, last;
} irl__lines;

typedef struct irl__ladder {
    irl__marks  low; /* the lowest addresses, where they have no structure; without words: one */
    int64_t     low_count;
    int         rungs;
    int64_t     stride[IRL__LATTICE_PARTS], count[IRL__LATTICE_PARTS];
    int64_t     reach;                     /* of all, from the base */
    irl__lines *known[IRL__LATTICE_PARTS]; /* of the rungs below, by place in a line; or count 0 */
} irl__ladder;

/* The lowest sums without structure become a bitset. 1, 0 when memory is out, -1: too many. */
static int irl__ladder_mark(irl__lattice_work *w, irl__ladder *d, const irl__lattice *l, int parts)
{
    int64_t unit = 0, reach = 0;
    for (int k = 0; k < parts; k++) {
        unit = irl__gcd64(unit, l->stride[k]);
        reach += l->stride[k] * (l->count[k] - 1);
    }
    d->rungs = 0;
    d->reach = reach;
    if (!irl__marks_begin(w, &d->low, 0, reach, unit)) return 0;
    if (!d->low.words || !irl__marks_fill(w, d->low.words, l, parts, unit)) return -1;
    d->low_count = irl__marks_count(&d->low);
    return 1;
}

/* 1, 0 when memory is out, -1 where it has no structure and is too large for a bitset. */
static int irl__ladder_make(irl__lattice_work *w, irl__ladder *d, const irl__lattice *l)
{
    int ok;
    memset(d, 0, sizeof *d);
    d->low_count = 1;
    for (int k = 0; k < l->parts; k++) {
        const int64_t stride = l->stride[k], count = l->count[k];
        const int     top = d->rungs - 1;
        if (top >= 0 && stride % d->stride[top] == 0 &&
            stride / d->stride[top] <= d->count[top]) { /* it goes on where the rung ends */
            d->count[top] += stride / d->stride[top] * (count - 1);
            d->reach += stride * (count - 1);
        } else if (stride > d->reach) {
            d->stride[d->rungs] = stride;
            d->count[d->rungs++] = count;
            d->reach += stride * (count - 1);
        } else if ((ok = irl__ladder_mark(w, d, l, k + 1)) != 1)
            return ok;
    }
    return 1;
}

/* Of marked addresses that begin `at` bytes behind the start of line 0. */
static irl__lines irl__marks_lines(irl__lattice_work *w, const irl__marks *m, int64_t at)
{
    irl__lines out;
    out.count = 0;
    out.last = -1;
    w->left -= m->bits;
    for (int64_t k = 0; k < m->bits && w->left > 0; k++) {
        const int64_t begin = at + k * m->unit * w->width, first = begin / w->line,
                      last = (begin + w->width - 1) / w->line;
        if (!(m->words[k / 64] >> (k % 64) & 1)) continue;
        out.count += last - (first > out.last ? first - 1 : out.last);
        out.last = last;
    }
    return out;
}

static int irl__ladder_lines(irl__lattice_work *w, irl__ladder *d, int rungs, int64_t at,
                             irl__lines *out);

/* Of the first n copies, with what two neighbours share. */
static int irl__ladder_copies(irl__lattice_work *w, irl__ladder *d, int rung, int64_t at, int64_t n,
                              irl__lines *out)
{
    const int64_t step = d->stride[rung] * w->width;
    out->count = 0;
    out->last = -1;
    for (int64_t k = 0; k < n; k++) {
        const int64_t begin = at + k * step, line = begin / w->line;
        irl__lines    one;
        if (!irl__ladder_lines(w, d, rung, begin - line * w->line, &one)) return 0;
        out->count += one.count - (line == out->last);
        out->last = line + one.last;
    }
    return 1;
}

static int irl__ladder_rung(irl__lattice_work *w, irl__ladder *d, int rung, int64_t at,
                            irl__lines *out)
{
    const int64_t step = d->stride[rung] * w->width,
                  period = w->line / irl__gcd64(step % w->line, w->line), n = d->count[rung];
    irl__lines one, more;
    if (n <= period + 1) return irl__ladder_copies(w, d, rung, at, n, out);
    int64_t periods = (n - 1) / period;
    int64_t begin = at + (n - 1) * step;
    if (!irl__ladder_lines(w, d, rung, at, &one) ||
        !irl__ladder_copies(w, d, rung, at, period + 1, &more) ||
        !irl__ladder_copies(w, d, rung, at, n - periods * period, out))
        return 0;
    out->count += (more.count - one.count) * periods;
    if (!irl__ladder_lines(w, d, rung, begin % w->line, &one)) return 0;
    out->last = begin / w->line + one.last;
    return 1;
}

/* Of the lowest rungs, which begin `at` bytes behind the start of line 0, before its end. False:
   that is too much work, or memory is out. */
static int irl__ladder_lines(irl__lattice_work *w, irl__ladder *d, int rungs, int64_t at,
                             irl__lines *out)
{
    if (--w->left < 0) return 0;
    if (!d->low.words && (rungs == 0 || (rungs == 1 && d->stride[0] == 1))) {
        out->last = (at + (rungs ? d->count[0] : 1) * w->width - 1) / w->line;
        out->count = out->last + 1;
        return 1;
    }
    if (rungs && rungs == d->rungs) return irl__ladder_rung(w, d, rungs - 1, at, out);
    if (!d->known[rungs]) d->known[rungs] = IRL__SCRATCH(w->cx, irl__lines, w->line);
    if (!d->known[rungs]) return 0;
    irl__lines *known = &d->known[rungs][at];
    if (known->count) *out = *known;
    else if (rungs == 0) *out = irl__marks_lines(w, &d->low, at);
    else if (!irl__ladder_rung(w, d, rungs - 1, at, out)) return 0;
    *known = *out;
    return w->left >= 0;
}

/* ------------------------------------------------------------------ unions */

/* What is below is in order of addresses: no line is counted twice that the last one was on. */
typedef struct irl__union {
    irl__lattice_work work;
    irl__touched     *out;
    int64_t           last_line;
    int               has_line;
} irl__union;

static void irl__union_lines(irl__union *u, int64_t first, const irl__lines *lines)
{
    u->out->lines += lines->count - (u->has_line && first == u->last_line);
    u->last_line = first + lines->last;
    u->has_line = 1;
}

/* The line of a byte. */
static int64_t irl__union_line(const irl__union *u, int64_t at)
{
    int64_t line = 0;
    irl__floordiv64(at, u->work.line, &line);
    return line;
}

/* What is not known exactly: no more than the addresses between, and than what they are made of. */
static int irl__union_at_most(irl__union *u, const irl__lattice *const *list, int count,
                              int64_t last)
{
    const int64_t span = last - list[0]->base, room = span < INT64_MAX ? span + 1 : INT64_MAX;
    int64_t       cells = 0, lines, end;
    for (int n = 0; n < count && cells < room; n++) {
        int64_t one = 1;
        for (int k = 0; k < list[n]->parts; k++)
            if (!irl__mul64(one, list[n]->count[k], &one)) one = room;
        if (!irl__add64(cells, one, &cells)) cells = room;
    }
    if (cells > room) cells = room;
    u->out->cells += cells;
    u->out->is_exact = u->out->lines_exact = 0;
    if (!u->work.line) return 1;
    lines = irl__union_line(u, list[0]->base * u->work.width);
    end = irl__union_line(u, last * u->work.width + u->work.width - 1);
    u->out->lines += end - lines + 1;
    u->last_line = end;
    u->has_line = 1;
    return 1;
}

static int irl__union_one(irl__union *u, const irl__lattice *l)
{
    irl__ladder d;
    irl__lines  lines;
    int         ok = irl__ladder_make(&u->work, &d, l);
    if (ok == 0) return 0;
    if (ok < 0) return irl__union_at_most(u, &l, 1, l->last);
    int64_t cells = d.low_count; /* at most d.reach + 1 when all are multiplied */
    for (int k = 0; k < d.rungs; k++) cells *= d.count[k];
    u->out->cells += cells;
    u->out->used_bits |= d.low.words != NULL;
    if (!u->work.line) return 1;
    int64_t first = irl__union_line(u, l->base * u->work.width);
    int64_t at = l->base * u->work.width - first * u->work.line;
    if (irl__ladder_lines(&u->work, &d, d.rungs, at, &lines)) {
        irl__union_lines(u, first, &lines);
        return 1;
    }
    if (!irl__ok(u->work.cx)) return 0;
    u->out->lines_exact = 0;
    lines.last = (at + (l->last - l->base + 1) * u->work.width - 1) / u->work.line;
    lines.count = lines.last + 1;
    irl__union_lines(u, first, &lines);
    return 1;
}

/* Lattices that differ in their base alone are one, if the bases are sums of progressions too. */
static int irl__union_shifted(irl__lattice **list, int count, irl__lattice *whole)
{
    int k;
    for (k = 1; k < count; k++)
        if (!irl__lattice_alike(list[0], list[k])) return 0;
    *whole = *list[0];
    while (count > 1) {
        const int64_t step = list[1]->base - list[0]->base;
        int           run = 2;
        while (run < count && list[run]->base - list[run - 1]->base == step) run++;
        if (count % run) return 0;
        for (k = 0; k < count; k++)
            if (list[k]->base - list[k - k % run]->base != k % run * step) return 0;
        if (!irl__lattice_add(whole, step, run)) return 0;
        for (k = 0; k < count / run; k++) list[k] = list[k * run];
        count /= run;
    }
    return 1;
}

/* Lattices in one bitset. 1, 0 when memory is out, -1: too many. */
static int irl__union_marked(irl__union *u, irl__lattice **list, int count, int64_t last)
{
    irl__marks m, own;
    irl__lines lines;
    int64_t    unit = 0, k, first;
    for (int n = 0; n < count; n++) {
        unit = irl__gcd64(unit, list[n]->base - list[0]->base);
        for (int j = 0; j < list[n]->parts; j++) unit = irl__gcd64(unit, list[n]->stride[j]);
    }
    if (!irl__marks_begin(&u->work, &m, list[0]->base, last, unit) ||
        !irl__marks_begin(&u->work, &own, list[0]->base, last, unit))
        return 0;
    if (!m.words || !own.words) return -1;
    for (int n = 0; n < count; n++) {
        const int64_t at = (list[n]->base - m.base) / unit,
                      words = (list[n]->last - list[n]->base) / unit / 64 + 1;
        u->work.left -= 2 * words;
        if (u->work.left < 0) return -1;
        memset(own.words, 0, (size_t)words * sizeof *own.words);
        if (!irl__marks_fill(&u->work, own.words, list[n], list[n]->parts, unit)) return -1;
        for (k = 0; k < words; k++) {
            m.words[at / 64 + k] |= own.words[k] << (at % 64);
            if (at % 64) m.words[at / 64 + k + 1] |= own.words[k] >> (64 - at % 64);
        }
    }
    u->out->cells += irl__marks_count(&m);
    u->out->used_bits = 1;
    if (!u->work.line) return 1;
    first = irl__union_line(u, m.base * u->work.width);
    lines = irl__marks_lines(&u->work, &m, m.base * u->work.width - first * u->work.line);
    if (u->work.left < 0) return -1;
    irl__union_lines(u, first, &lines);
    return 1;
}

/* Lattices whose addresses lie between one another. */
static int irl__union_cluster(irl__union *u, irl__lattice **list, int count, int64_t last)
{
    irl__lattice   whole;
    irl__lattice **shifted;
    irl__touched   before = *u->out;
    int            k, unlike = 1, ok;
    for (k = 1; k < count; k++) /* the same again */
        if (list[k]->base != list[unlike - 1]->base ||
            !irl__lattice_alike(list[k], list[unlike - 1]))
            list[unlike++] = list[k];
    count = unlike;
    if (count == 1) return irl__union_one(u, list[0]);
    shifted = IRL__SCRATCH(u->work.cx, irl__lattice *, count);
    if (!shifted) return 0;
    memcpy(shifted, list, (size_t)count * sizeof *shifted);
    if (irl__union_shifted(shifted, count, &whole)) return irl__union_one(u, &whole);
    ok = irl__union_marked(u, list, count, last);
    if (ok >= 0) return ok;
    *u->out = before;
    return irl__union_at_most(u, (const irl__lattice *const *)list, count, last);
}

static int irl__union_all(irl__union *u, irl__lattice **order, int count)
{
    int end;
    for (int k = count / 2; k-- > 0;) irl__lattice_sift(order, k, count);
    for (int k = count; k-- > 1;) {
        irl__lattice *first = order[0];
        order[0] = order[k];
        order[k] = first;
        irl__lattice_sift(order, 0, k);
    }
    for (int first = 0; first < count; first = end) {
        int64_t last = order[first]->last;
        for (end = first + 1; end < count && order[end]->base <= last; end++)
            if (order[end]->last > last) last = order[end]->last;
        if (end == first + 1 ? !irl__union_one(u, order[first])
                             : !irl__union_cluster(u, order + first, end - first, last))
            return 0;
    }
    return 1;
}

/* Every address, in bytes and with a line before and behind it, fits 64 bits. */
static int irl__lattice_fits(const irl__lattice *l, int64_t width)
{
    const int64_t most = INT64_MAX / 8 / width - IRL__LATTICE_LINE;
    return l->base > -most && l->last < most;
}

int irl__lattices_count(irl_ctx *cx, irl__lattice *list, int count, int64_t width, int64_t line,
                        irl__touched *out)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__lattice  **order;
    irl__union      u;
    int             k;
    memset(out, 0, sizeof *out);
    memset(&u, 0, sizeof u);
    out->is_exact = out->lines_exact = 1;
    u.out = out;
    u.work.cx = cx;
    u.work.width = width;
    u.work.line = line;
    u.work.left = IRL__LATTICE_WORK;
    order = IRL__SCRATCH(cx, irl__lattice *, count + 1);
    for (k = 0; order && k < count && irl__lattice_fits(&list[k], width); k++) order[k] = &list[k];
    int ok = order && k == count && irl__union_all(&u, order, count);
    irl__scratch_end(cx, mark);
    return ok;
}
