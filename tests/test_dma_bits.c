/* test_dma_bits.c - lists of transfers for layouts whose elements take bits, against a model of
   single bits: whether there is a list is known by looking at every bit of every element; each list
   is played by models of the controllers, and every bit of the target compared; what is refused
   names elements and bits that are true.

   usage  test_dma_bits [FIRST]     another sequence of random layouts */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define _GNU_SOURCE
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#endif
#include "generate.h"
#include "test.h"
#include "c_batch.h"
#include "random64.h"
#include "map_truth.h"
#include "random_maps.h"
#include "failing.h"
#include "dma_machines.h"

/* ------------------------------------------------------------------ the model

   Bits are counted from the least significant one of byte 0. */

enum { MOST_MODEL = 1 << 20 };

typedef struct question {
    const irl_map  *map;
    irl_shape       shape, memory;
    irl_bit_element e;
    int             unpack, swap, overwrite;
} question;

/* Bit of significance s of the element at bit `at` of an order. */
static int64_t bit_of(int64_t at, int bits, int is_msb, int s)
{
    const int64_t p = at + (is_msb ? bits - 1 - s : s);
    return is_msb ? p / 8 * 8 + 7 - p % 8 : p;
}

static int64_t plain_bit(const question *q, int64_t n, int s)
{
    return bit_of(n * q->e.bits, q->e.bits, (q->e.order == IRL_BITS_MSB) != q->swap, s);
}

static int64_t memory_bit(const question *q, int64_t cell, int s)
{
    const int64_t stride = q->e.stride ? q->e.stride : q->e.bits;
    return bit_of(q->e.offset + cell * stride, q->e.bits, q->e.order == IRL_BITS_MSB, s);
}

/* The cell of a point; -1: it has none. */
static int64_t cell_of(const question *q, const irl_shape *at)
{
    irl_shape to;
    int64_t   cell = 0;
    int       k;
    if (!truth_apply(q->map, at, &to)) return -1;
    for (k = 0; k < to.rank; k++) {
        if (to.extent[k] < 0 || to.extent[k] >= q->memory.extent[k]) return -1;
        cell = cell * q->memory.extent[k] + to.extent[k];
    }
    return cell;
}

static int64_t number_of(const irl_shape *shape, const irl_shape *at)
{
    int64_t n = 0;
    int     k;
    for (k = 0; k < shape->rank; k++) n = n * shape->extent[k] + at->extent[k];
    return n;
}

typedef struct model {
    int64_t  points, plain_bytes, memory_bytes, end; /* end: behind the last cell, in its order */
    int64_t *lies;  /* for each bit of the plain array its bit of memory; -1: no element's */
    int64_t *owner; /* for each bit of memory one bit of the plain array, -1: none */
    int      lossy; /* a bit of memory is two elements' */
} model;

static void model_end(model *m)
{
    free(m->lies);
    free(m->owner);
}

/* 0: it is too large, or a point has no place. */
static int model_begin(model *m, const question *q)
{
    const int64_t stride = q->e.stride ? q->e.stride : q->e.bits;
    irl_shape     at;
    int64_t       cells = 1, n = 0, k;
    int           s, ok = 1;
    memset(m, 0, sizeof *m);
    m->points = 1;
    for (k = 0; k < q->shape.rank; k++) m->points *= q->shape.extent[k];
    for (k = 0; k < q->memory.rank; k++) cells *= q->memory.extent[k];
    m->end = cells ? q->e.offset + (cells - 1) * stride + q->e.bits : 0;
    m->plain_bytes = (m->points * q->e.bits + 7) / 8;
    m->memory_bytes = (m->end + 7) / 8;
    if (m->plain_bytes > MOST_MODEL / 8 || m->memory_bytes > MOST_MODEL / 8) return 0;
    m->lies = (int64_t *)calloc((size_t)m->plain_bytes * 8 + 1, sizeof *m->lies);
    m->owner = (int64_t *)calloc((size_t)m->memory_bytes * 8 + 1, sizeof *m->owner);
    if (!m->lies || !m->owner) exit(1);
    for (k = 0; k < 8 * m->plain_bytes; k++) m->lies[k] = -1;
    for (k = 0; k < 8 * m->memory_bytes; k++) m->owner[k] = -1;
    memset(&at, 0, sizeof at);
    at.rank = q->shape.rank;
    if (!truth_empty(&q->shape))
        do {
            const int64_t cell = cell_of(q, &at);
            ok &= cell >= 0;
            for (s = 0; ok && s < q->e.bits; s++) {
                const int64_t p = plain_bit(q, n, s), to = memory_bit(q, cell, s);
                m->lies[p] = to;
                m->lossy |= m->owner[to] >= 0;
                m->owner[to] = p;
            }
            n++;
        } while (ok && truth_next(&q->shape, &at));
    if (!ok) model_end(m);
    return ok;
}

/* Behind the last cell of memory: nobody's. */
static int is_tail(const model *m, const question *q, int64_t bit)
{
    const int64_t in_order = q->e.order == IRL_BITS_MSB ? bit / 8 * 8 + 7 - bit % 8 : bit;
    return in_order >= m->end;
}

typedef enum answer { LIST, NO_BYTES, OVERWRITES, LOSSY } answer;

/* Whether copies of bytes do it, bit by bit. */
static answer truth_of(const model *m, const question *q)
{
    answer  out = LIST;
    int64_t byte, to;
    int     k;
    if (m->lossy && !q->unpack) return LOSSY;
    for (byte = 0; byte < m->plain_bytes; byte++) {
        for (to = -1, k = 0; k < 8; k++) {
            const int64_t bit = m->lies[8 * byte + k];
            if (bit < 0) continue;
            if (bit % 8 != k || (to >= 0 && bit / 8 != to)) return NO_BYTES;
            to = bit / 8;
        }
        for (k = 0; k < 8 && !q->unpack; k++) { /* what the copy writes */
            if (m->lies[8 * byte + k] >= 0) continue;
            if (m->owner[8 * to + k] >= 0) return NO_BYTES;
            if (!q->overwrite && !is_tail(m, q, 8 * to + k)) out = OVERWRITES;
        }
    }
    return out;
}

/* ------------------------------------------------------------------ a list that was played */

/* Each bit of an element came from where it lies; what else was written stands in the list. */
static int bits_arrived(const machine *w, const irl_dma_list *list, const question *q,
                        const model *m)
{
    const int64_t target_bits = 8 * w->target_bytes;
    int64_t       bit, from;
    for (bit = 0; bit < target_bits; bit++) {
        const int64_t byte = bit / 8;
        const int     over = list->overwritten && list->overwritten_byte == byte &&
                         (list->overwritten >> bit % 8 & 1);
        from = q->unpack ? m->lies[bit] : m->owner[bit];
        if (w->written[byte] > 1) return 0;
        if (from < 0) { /* no element's */
            if ((w->written[byte] != 0) != over) {
                /* a byte that was left alone, or one that was written beside its elements */
                return 0;
            }
            continue;
        }
        if (over || !w->written[byte]) return 0;
        if (w->target[byte] != from / 8 + 1 || from % 8 != bit % 8) return 0;
    }
    return 1;
}

/* Of few bytes: whether the list is the least is known by trying all. */
static int least_is_true(const irl_dma_list *list, const model *m)
{
    int64_t place[FEW];
    int     k, s, least;
    if (m->plain_bytes < 1 || m->plain_bytes > FEW) return 1;
    for (k = 0; k < m->plain_bytes; k++)
        for (s = 0; s < 8; s++)
            if (m->lies[8 * k + s] >= 0) place[k] = m->lies[8 * k + s] / 8;
    least = least_copies((int)m->plain_bytes, place);
    return list->copies >= least && (list->copies == 1) == (least == 1) &&
           (!list->is_least || list->copies == least);
}

static int list_is_right(const irl_dma_list *list, const question *q, const model *m,
                         int controller)
{
    machine w;
    int     ok;
    if (list->plain_bytes != m->plain_bytes || list->memory_bytes != m->memory_bytes ||
        !truth_same(&list->memory, &q->memory))
        return 0;
    machine_begin(&w, list);
    ok = play(&w, list, controller) && bits_arrived(&w, list, q, m);
    machine_end(&w);
    return ok && (list->reason[0] != 0) == (list->copies > 1) &&
           (list->copies > 1 || list->is_least) && least_is_true(list, m) && list->bits &&
           list->element == 0 &&
           list->beat == 1;
}

/* ------------------------------------------------------------------ what a refusal says */

static int word(const char **at, const char *text)
{
    const size_t n = strlen(text);
    if (strncmp(*at, text, n) != 0) return 0;
    *at += n;
    return 1;
}

static int number(const char **at, int64_t *out)
{
    char *end;
    *out = strtoll(*at, &end, 10);
    if (end == *at) return 0;
    *at = end;
    return 1;
}

/* "bits 4 to 7 of byte 0 and bit 3 of byte 9": into a list; how many, 0: it is none. */
static int read_bits(const char **at, int64_t *bit)
{
    int n = 0;
    do {
        int64_t low, high, byte, k;
        if (word(at, "bits ")) {
            if (!number(at, &low) || !word(at, " to ") || !number(at, &high) || high <= low)
                return 0;
        } else {
            if (!word(at, "bit ") || !number(at, &low)) return 0;
            high = low;
        }
        if (!word(at, " of byte ") || !number(at, &byte)) return 0;
        for (k = low; k <= high && n < 64; k++) bit[n++] = 8 * byte + k;
    } while (word(at, " and "));
    return n;
}

static int is_in(int n, const int64_t *list, int64_t value)
{
    while (n-- > 0)
        if (list[n] == value) return 1;
    return 0;
}

/* "element (0, 1) takes ... of the plain array and ... of the memory": true, and all that the byte
   of the plain array has of it. *plain_byte and *memory_byte; -1: more than one; *turned: a bit is
   another one of its byte. */
static int read_part(const char **at, const question *q, int64_t *plain_byte,
                     int64_t *memory_byte, int *turned)
{
    irl_shape point;
    int64_t   plain[64], memory[64], cell, n;
    int       k, plain_count, memory_count, found = 0;
    memset(&point, 0, sizeof point);
    if (!word(at, "element (")) return 0;
    while (!word(at, ")")) {
        if (point.rank && !word(at, ", ")) return 0;
        if (!number(at, &point.extent[point.rank++])) return 0;
    }
    if (point.rank != q->shape.rank) return 0;
    for (k = 0; k < point.rank; k++)
        if (point.extent[k] < 0 || point.extent[k] >= q->shape.extent[k]) return 0;
    if (!word(at, " takes ") || !(plain_count = read_bits(at, plain)) ||
        !word(at, " of the plain array and ") || !(memory_count = read_bits(at, memory)) ||
        !word(at, " of the memory") || plain_count != memory_count)
        return 0;
    *plain_byte = plain[0] / 8;
    *memory_byte = memory[0] / 8;
    *turned = 0;
    cell = cell_of(q, &point);
    n = number_of(&q->shape, &point);
    for (k = 0; k < q->e.bits; k++) {
        const int64_t p = plain_bit(q, n, k), to = memory_bit(q, cell, k);
        if (is_in(plain_count, plain, p) != is_in(memory_count, memory, to)) return 0;
        if (is_in(plain_count, plain, p) != (p / 8 == *plain_byte)) return 0;
        if (p / 8 != *plain_byte) continue;
        found++;
        *turned |= p % 8 != to % 8;
        if (to / 8 != *memory_byte) *memory_byte = -1;
    }
    return found == plain_count;
}

static int part_is_true(const char *text, const question *q)
{
    const char *at = strstr(text, "element (");
    int64_t     byte[2], to[2];
    int         turned[2];
    if (!at || !read_part(&at, q, &byte[0], &to[0], &turned[0])) return 0;
    if (!word(&at, ", ")) return turned[0] && strncmp(at, ": a controller moves bytes", 26) == 0;
    return read_part(&at, q, &byte[1], &to[1], &turned[1]) && byte[0] == byte[1] &&
           to[0] != to[1] && strncmp(at, ": a controller moves bytes", 26) == 0;
}

static int overwriting_is_true(const char *text, const question *q, const model *m)
{
    const char *at = strstr(text, "would overwrite ");
    int64_t     bit[64];
    int         k, n, bad = 0;
    if (!at || !word(&at, "would overwrite ") || !(n = read_bits(&at, bit))) return 0;
    if (n != 8 - (int)(m->points * q->e.bits % 8)) return 0;
    for (k = 0; k < n; k++) {
        if (bit[k] >= 8 * m->memory_bytes || m->owner[bit[k]] >= 0) return 0;
        bad |= !is_tail(m, q, bit[k]);
    }
    return bad;
}

/* ------------------------------------------------------------------ one question */

static int answers[4], one_copy, more_copies, limits, too_many, undecided, tails, not_modelled;

/* Whether the library answers as the model does, NULL where there is none; an answer that it is not
   decided is right. */
static int agrees(irl_ctx *c, const question *q, const model *m, int controller, int split)
{
    irl_dma_options     how;
    const irl_dma_list *list;
    irl_code            code;
    answer              truth;
    const char         *said;
    int                 ok;
    memset(&how, 0, sizeof how);
    how.bits = &q->e;
    how.unpack = q->unpack;
    how.swap = q->swap;
    how.overwrite = q->overwrite;
    how.controller = irl_dma_controller_find(controllers[controller]);
    how.split = split;
    list = irl_dma_new(c, q->map, q->shape, &how);
    code = irl_diag_of(c) ? irl_diag_of(c)->code : IRL_OK;
    undecided += code == IRL_ERROR_UNDECIDED;
    if (code == IRL_ERROR_UNDECIDED || code == IRL_ERROR_MAP_OUT_OF_RANGE ||
        code == IRL_ERROR_DIVISION_BY_ZERO)
        return 1;
    not_modelled += !m;
    if (!m) return 1;
    said = irl_diag_text(c);
    truth = truth_of(m, q);
    answers[truth]++;
    limits += code == IRL_ERROR_DMA_LIMIT;
    too_many += code == IRL_ERROR_DMA_LIST;
    if (list) {
        one_copy += list->copies == 1;
        more_copies += list->copies > 1;
        tails += list->overwritten != 0;
        ok = truth == LIST && list_is_right(list, q, m, controller);
    } else
        ok = truth == LIST         ? (code == IRL_ERROR_DMA_LIMIT && !split) ||
                                     code == IRL_ERROR_DMA_LIST
             : truth == LOSSY      ? code == IRL_ERROR_LOSSY_MAP
             : truth == OVERWRITES ? code == IRL_ERROR_DMA_BITS &&
                                         overwriting_is_true(said, q, m)
                                   : code == IRL_ERROR_DMA_BITS &&
                                         part_is_true(said, q);
    if (!ok)
        printf("%s on [%d, ...] of rank %d, %s, unpack %d, swap %d, overwrite %d: truth %d\n%s%s\n",
               irl_map_text(c, q->map), (int)q->shape.extent[0], q->shape.rank,
               irl_bit_element_text(c, &q->e), q->unpack, q->swap, q->overwrite, (int)truth,
               list ? irl_dma_text(c, list) : "", said);
    return ok;
}

/* Both ways, for every controller. */
static void ask(irl_ctx *c, const irl_map *map, irl_shape shape, const irl_bit_element *e,
                int number_of_case)
{
    question  q;
    model     m[2];
    const int step = getenv("IRL_SLOW") ? 5 : 1;
    irl_mark  mark = irl_ctx_mark(c);
    int       k, known;
    memset(&q, 0, sizeof q);
    q.map = map;
    q.shape = shape;
    q.e = *e;
    q.overwrite = number_of_case % 5 == 4;
    known = irl_map_memory(c, map, shape, &q.memory);
    irl_ctx_rewind(c, mark);
    for (q.swap = 0; known && q.swap < 2; q.swap++) known = model_begin(&m[q.swap], &q);
    for (k = number_of_case % step; k < 8 * CONTROLLERS; k += step) {
        q.unpack = k & 1;
        q.swap = k >> 1 & 1;
        CHECK(agrees(c, &q, known ? &m[q.swap] : NULL, k / 8, k >> 2 & 1));
        irl_ctx_rewind(c, mark);
    }
    for (k = 0; known && k < 2; k++) model_end(&m[k]);
}

/* ------------------------------------------------------------------ by hand */

typedef struct row {
    const char *map, *element;
    irl_shape   shape;
    int         swap, copies; /* 0: it is refused */
    const char *part;         /* of the text, or of the refusal */
} row;

static const row rows[] = {
    /* SSD1306: a byte is a column of 8 pixels, so rows of pixels are none of its bytes; a plain
       array of pages is */
    { "(y, x) -> (y/8, x, y%8)", "u1", { 2, NULL, { 64, 128 } }, 0, 0,
      "element (0, 1) takes bit 1 of byte 0 of the plain array and bit 0 of byte 1 of the memory: "
      "a controller moves bytes" },
    { "(p, x, b) -> (p, 127 - x, b)", "u1", { 3, NULL, { 8, 128, 8 } }, 0, 1,
      "source 0, target 127: beats 128 source 1 target -1; times 8 source 128 target 128" },
    /* tiles of 8 columns; bytes of a row from right to left; pixels from right to left */
    { "(y, x) -> (x/8, y, x%8)", "u1", { 2, NULL, { 64, 128 } }, 0, 1,
      "beats 16 source 1 target 64; times 64 source 16 target 1" },
    { "(y, x) -> (y, (15 - x/8)*8 + x%8)", "u1 bits(msb)", { 2, NULL, { 64, 128 } }, 0, 1,
      "beats 16 source 1 target -1; times 64 source 16 target 16" },
    { "(y, x) -> (y, 127 - x)", "u1 bits(msb)", { 2, NULL, { 64, 128 } }, 0, 0,
      "element (0, 0) takes bit 7 of byte 0 of the plain array and bit 0 of byte 15" },
    { "(y, x) -> (y, 127 - x)", "u1 bits(msb)", { 2, NULL, { 64, 128 } }, 1, 1,
      "beats 16 source 1 target -1; times 64 source 16 target 16" },
    /* HUB75: 3 bits a pixel and plane, two halves at a time, a byte for each column */
    { "(b, y, x, h, c) -> (y, b, x, h, c)", "u1", { 5, NULL, { 4, 16, 32, 2, 4 } }, 0, 1,
      "beats 32 source 1 target 1; times 16 source 32 target 128; times 4 source 512 target 32" },
    { "(b, h, y, x, c) -> (y, b, x, h, c)", "u1", { 5, NULL, { 4, 2, 16, 32, 4 } }, 0, 0,
      "element (0, 0, 0, 1, 0) takes bit 4 of byte 0 of the plain array and bit 0 of byte 1 of" },
    /* glyphs of 8 and 16 columns into an atlas of 32 in a row; of 12 */
    { "(g, y, x) -> (g/32, y, g%32, x)", "u1 bits(msb)", { 3, NULL, { 96, 12, 8 } }, 0, 1,
      "beats 12 source 1 target 32; times 32 source 12 target 1; times 3 source 384 target 384" },
    { "(g, y, x) -> (g/32, y, g%32, x)", "u1 bits(msb)", { 3, NULL, { 96, 12, 16 } }, 0, 1,
      "beats 2 source 1 target 1; times 12 source 2 target 64" },
    { "(g, y, x) -> (g/32, y, g%32, x)", "u1 bits(msb)", { 3, NULL, { 96, 12, 12 } }, 0, 0,
      "element (0, 1, 0) takes bit 3 of byte 1 of the plain array and bit 7 of byte 48 of" },
    /* Q4_0: 16 bytes of nibbles behind the scale in 18; value i and i + 16 are one byte */
    { "(n, j, h) -> (n*36 + j*2 + h)", "u4 offset(16)", { 3, NULL, { 40, 16, 2 } }, 0, 1,
      "source 0, target 2: beats 16 source 1 target 1; times 40 source 16 target 18" },
    { "(n, i) -> (n*36 + i%16*2 + i/16)", "u4 offset(16)", { 2, NULL, { 40, 32 } }, 0, 0,
      "element (0, 1) takes bits 4 to 7 of byte 0 of the plain array and bits 0 to 3 of byte 3 of "
      "the memory: a controller moves bytes" },
    /* RAW10 as 10 bits after another: 4 pixels are 5 bytes, a row of 640 has 800 of a pitch of 832;
       RAW12: 2 are 3 */
    { "(y, x) -> (y*3328 + x*5)", "u10 strides(2)", { 2, NULL, { 48, 640 } }, 0, 1,
      "beats 800 source 1 target 1; times 48 source 800 target 832" },
    { "(y, x) -> (y*3328 + (x/4*4 + 3 - x%4)*5)", "u10 strides(2)", { 2, NULL, { 48, 640 } }, 0, 0,
      "element (0, 0) takes bits 0 to 7 of byte 0 of the plain array and bits 6 to 7 of byte 3 and "
      "bits 0 to 5 of byte 4 of the memory" },
    { "(y, x) -> (x/4, y, x%4)", "u10", { 2, NULL, { 48, 640 } }, 0, 1,
      "beats 5 source 1 target 1; times 160 source 5 target 240; times 48 source 800 target 5" },
    { "(y, x) -> (y*1024 + x)", "u12", { 2, NULL, { 9, 642 } }, 0, 1,
      "beats 963 source 1 target 1; times 9 source 963 target 1536" },
    { "(y, x) -> (y*1024 + x)", "u12", { 2, NULL, { 9, 641 } }, 0, 0, "element (1, 0) takes bits" },
    /* numbers of the other byte order */
    { "(i) -> (i)", "u16 bits(msb)", { 1, NULL, { 300 } }, 1, 1,
      "source 0, target 1: beats 2 source 1 target -1; times 300 source 2 target 2" },
    { "(i) -> (i)", "u24 bits(msb)", { 1, NULL, { 300 } }, 1, 1,
      "source 0, target 2: beats 3 source 1 target -1; times 300 source 3 target 3" },
    { "(i) -> (i)", "u16 bits(msb) strides(24)", { 1, NULL, { 300 } }, 0, 1,
      "beats 2 source 1 target 1; times 300 source 2 target 3" },
    { "(i) -> (i)", "u4 bits(msb)", { 1, NULL, { 32 } }, 1, 0,
      "element (0) takes bits 0 to 3 of byte 0 of the plain array and bits 4 to 7 of byte 0" },
    { "(i) -> (i ^ 1)", "u4 bits(msb)", { 1, NULL, { 32 } }, 1, 1, "beats 16 source 1 target 1" },
    { "(i) -> (i)", "u12", { 1, NULL, { 32 } }, 1, 0,
      "element (0) takes bits 0 to 7 of byte 0 of the plain array and bits 4 to 7 of byte 0 and "
      "bits 0 to 3 of byte 1 of the memory" },
    /* rotations: of whole bytes, of less */
    { "(i) -> ((i + 16) % 256)", "u2", { 1, NULL, { 256 } }, 0, 2,
      "no single nested copy: the 60 bytes from the byte of (0) on are one copy, but the byte of "
      "(240) is not part of it" },
    { "(i) -> ((i + 3) % 256)", "u2", { 1, NULL, { 256 } }, 0, 0,
      "element (0) takes bits 0 to 1 of byte 0 of the plain array and bits 6 to 7 of byte 0" },
    { "(y, x) -> (y/4, x/16, y%4, x%16)", "u1", { 2, NULL, { 10, 40 } }, 0, 4,
      "not known to be the least" },
    { "(y, x) -> (y/4, x/12, y%4, x%12)", "u1", { 2, NULL, { 12, 24 } }, 0, 0,
      "element (0, 12) takes bit 4 of byte 1 of the plain array and bit 0 of byte 6 of" },
    /* of one byte two bytes: at the same bits */
    { "(i) -> (i + i/4%2*8)", "u1", { 1, NULL, { 16 } }, 0, 0,
      "element (0) takes bit 0 of byte 0 of the plain array and bit 0 of byte 0 of the memory, "
      "element (4) takes bit 4 of byte 0 of the plain array and bit 4 of byte 1" },
    { "(y, x) -> (y/4, x/16, y%4, x%16)", "u1", { 2, NULL, { 10, 64 } }, 0, 2,
      "is 128 bytes after|is not part of it" },
    /* unused bits */
    { "(i) -> (i)", "u1", { 1, NULL, { 13 } }, 0, 1, "bits 5 to 7 of byte 1 of the target "
      "belong to no element, and are overwritten" },
    { "(i) -> (i)", "u1 bits(msb)", { 1, NULL, { 15 } }, 0, 1, "bit 0 of byte 1 of the target" },
    { "(i) -> (i/8*16 + i%8)", "u1", { 1, NULL, { 13 } }, 0, 1, "bits 5 to 7 of byte 2 of" },
    { "(i) -> (i/4, i%4)", "u1", { 1, NULL, { 6 } }, 0, 0,
      "the last byte of the plain array has 6 bits of elements: its copy would overwrite bits 6 to "
      "7 of byte 0 of the memory, which belong to no element" },
    { "(i) -> (8 - i/8*8 + i%8)", "u1 bits(msb)", { 1, NULL, { 9 } }, 0, 0,
      "has 1 bit of elements: its copy would overwrite bits 0 to 6 of byte 0" },
    { "(i) -> (i)", "u4 offset(4)", { 1, NULL, { 1 } }, 0, 0, "element (0) takes bits 0 to 3 of" },
    { "(i) -> (i)", "u8 offset(4)", { 1, NULL, { 2 } }, 0, 0,
      "and bits 4 to 7 of byte 0 and bits 0 to 3 of byte 1 of the memory" },
    { "(i) -> (i)", "u4 strides(8)", { 1, NULL, { 4 } }, 0, 0,
      "element (1) takes bits 4 to 7 of byte 0 of the plain array and bits 0 to 3 of byte 1" },
    { "(y, x) -> (y*9 + x)", "u1", { 2, NULL, { 4, 8 } }, 0, 0,
      "element (1, 0) takes bit 0 of byte 1 of the plain array and bit 1 of byte 1" },
    { "() -> ()", "u5", { 0, NULL, { 0 } }, 0, 1, "bits 5 to 7 of byte 0 of the target" },
    { "(i, j) -> (j, i)", "u1", { 2, NULL, { 0, 5 } }, 0, -1, "0 transfers" },
    { "(i) -> (i)", "i12 strides(6)", { 1, NULL, { 4 } }, 0, 0, "have bit" },
    { "(i) -> (i/2)", "u1", { 1, NULL, { 64 } }, 0, 0, "both map to" },
};

/* The parts of a row are alternatives. */
static int says(const char *text, const char *part)
{
    const char *bar = strchr(part, '|');
    char        first[128];
    if (!bar) return strstr(text, part) != NULL;
    memcpy(first, part, (size_t)(bar - part));
    first[bar - part] = 0;
    return strstr(text, first) || strstr(text, bar + 1);
}

static void by_hand(void)
{
    size_t k;
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        irl_ctx            *c = irl_ctx_create(NULL);
        const irl_map      *map = irl_map_parse(c, rows[k].map);
        const irl_dma_list *list;
        irl_dma_options     how;
        irl_bit_element     e;
        const char         *text;
        memset(&how, 0, sizeof how);
        CHECK(irl_bit_element_parse(c, rows[k].element, &e));
        how.bits = &e;
        how.swap = rows[k].swap;
        list = irl_dma_new(c, map, rows[k].shape, &how);
        text = list ? irl_dma_text(c, list) : irl_diag_text(c);
        if (!CHECK((list != NULL) == (rows[k].copies != 0)) || !CHECK(says(text, rows[k].part)) ||
            (list && !CHECK(list->copies == (rows[k].copies < 0 ? 0 : rows[k].copies))))
            printf("%s as %s:\n%s\n", rows[k].map, rows[k].element, text);
        irl_ctx_destroy(c);
        c = irl_ctx_create(NULL);
        ask(c, irl_map_parse(c, rows[k].map), rows[k].shape, &e, (int)k);
        irl_ctx_destroy(c);
    }
}

/* ------------------------------------------------------------------ random layouts */

static int gcd_with_8(int bits) { return bits % 8 == 0 ? 8 : bits % 4 == 0 ? 4 : bits % 2 ? 1 : 2; }

static irl_bit_element some_element(void)
{
    static const int widths[] = { 1, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 7, 8, 10, 10, 12, 12, 14, 16, 20,
                                  24, 32 };
    irl_bit_element e;
    char            text[64];
    const int       bits = random_below(5) ? widths[random_below(22)] : 1 + random_below(31);
    sprintf(text, bits == 8 || bits == 16 || bits == 32 ? "u%d bits(lsb)" : "u%d", bits);
    CHECK(irl_bit_element_parse(cx, text, &e) && e.bits == bits);
    e.order = random_below(2) ? IRL_BITS_MSB : IRL_BITS_LSB;
    if (random_below(3) == 0) e.offset = random_below(3) ? 8 * random_below(4) : random_below(20);
    if (random_below(4) == 0) {
        e.stride = random_below(3) ? bits + 8 * random_below(3) : 1 + random_below(bits + 9);
        if (bits % 2 == 0 && random_below(4) == 0) e.stride = bits / 2;
    }
    return e;
}

/* The map of a recipe with the last axis of its shape `group` times as long, less `short_of`: the
   groups go where the map says, and the elements of each lie side by side, 1 or 2 cells apart. */
static const irl_map *in_groups(recipe *r, int group, int short_of, int apart)
{
    const irl_map  *m = build(r);
    const int       last = r->shape.rank - 1;
    const irl_expr *x, *in[MOST_AXES], *out[MOST_OUTPUTS + 1], *inner, *outer;
    int             k;
    if (!m) return NULL;
    x = m->inputs[last];
    outer = op(IRL_OP_FLOORDIV, x, num(group));
    inner = op(IRL_OP_FLOORMOD, x, num(group));
    for (k = 0; k < r->shape.rank; k++) in[k] = m->inputs[k];
    for (k = 0; k < m->output_count; k++)
        out[k] = irl__substitute(cx, m->outputs[k], 1, &x, &outer);
    k = m->output_count - 1; /* without a pitch between groups: the last axis has them all */
    if (k >= 0)
        out[k] = op(IRL_OP_MUL,
                    op(IRL_OP_ADD, op(IRL_OP_MUL, out[k], num(group)), inner), num(apart));
    r->shape.extent[last] = r->shape.extent[last] * group - short_of;
    return irl__map_make(cx, r->shape.rank, in, m->output_count, out, 0, NULL, irl__nowhere());
}

static void random_layouts(int count)
{
    int n;
    for (n = 0; n < count; n++) {
        recipe          r;
        irl_bit_element e;
        const irl_map  *map;
        int             kind = random_below(4), group, short_of = 0;
        cx = irl_ctx_create(NULL);
        r = invent(STEP_KINDS);
        e = some_element();
        group = 8 / gcd_with_8(e.bits) * (random_below(3) ? 1 : 1 + random_below(3));
        if (kind == 2) group = 1 + random_below(8);
        if (kind == 3 && r.shape.extent[0] > 0) {
            r.shape.rank = 1;
            short_of = random_below(group);
        }
        map = kind == 0 ? build(&r)
                        : in_groups(&r, group, short_of, e.stride * 2 == e.bits ? 2 : 1);
        if (map) ask(cx, map, r.shape, &e, n);
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
    printf("%d lists, %d of one copy, %d of more, %d with a last byte that is not full; refused: "
           "%d no bytes, %d overwrite, %d lossy, %d limits, %d too many; %d undecided, %d not "
           "modelled\n", answers[LIST], one_copy, more_copies, tails, answers[NO_BYTES],
           answers[OVERWRITES], answers[LOSSY], limits, too_many, undecided, not_modelled);
    CHECK(one_copy > count && more_copies * 4 > count && tails > 0);
    CHECK(answers[NO_BYTES] > count && answers[OVERWRITES] > 0 && answers[LOSSY] > 0);
    CHECK((undecided + not_modelled) * 20 <
          answers[LIST] + answers[NO_BYTES] + answers[OVERWRITES] + answers[LOSSY]);
}

/* ------------------------------------------------------------------ more than 2^22 points */

typedef struct large_row {
    const char *map, *element;
    irl_shape   shape;
    int         copies; /* 0: refused */
    const char *part;
} large_row;

static const large_row large_rows[] = {
    { "(y, x) -> (x/8, y, x%8)", "u1", { 2, NULL, { 2048, 2560 } }, 1, "beats 320" },
    { "(y, x) -> (y, (x + 8)%2097152)", "u1", { 2, NULL, { 3, 2097152 } }, 2, "least" },
    { "(y, x) -> (y/4, x/64, y%4, x%64)", "u1", { 2, NULL, { 2050, 2112 } }, 2, "least" },
    { "(y, x) -> ((y + 1)%2050, x)", "u4", { 2, NULL, { 2050, 2112 } }, 2, "least" },
    { "(y, x) -> ((y + 1)%2049, x)", "u4", { 2, NULL, { 2049, 2113 } }, 0,
      "element (0, 0) takes bits 0 to 3 of byte 0 of the plain array and bits 4 to 7" },
    { "(y, x) -> (y, (x + 3)%2097152)", "u1", { 2, NULL, { 3, 2097152 } }, 0, "element (0, " },
    { "(y, x) -> (y, x ^ 1)", "u4", { 2, NULL, { 3, 2097152 } }, 0, "element (0, 0)" },
    { "(y, x) -> (x, y)", "u4", { 2, NULL, { 1 << 30, 1 << 20 } }, 0, "element (0, 1)" },
    { "(i) -> (i)", "u3", { 1, NULL, { 4194305 } }, 1, "bits 3 to 7 of byte 1572864" },
};

/* Every seventh byte, and how many were written. */
static int large_is_right(const irl_dma_list *list)
{
    machine   w;
    question  q;
    irl_shape at;
    int64_t   n, written = 0;
    int       k, ok;
    machine_begin(&w, list);
    ok = play(&w, list, 0);
    memset(&q, 0, sizeof q);
    q.map = list->map;
    q.shape = list->shape;
    q.memory = list->memory;
    q.e = *list->bits;
    memset(&at, 0, sizeof at);
    at.rank = list->shape.rank;
    for (n = 0; ok && n < irl_shape_count(list->shape); n += 53) {
        int64_t rest = n, p, to;
        for (k = at.rank; k-- > 0; rest /= q.shape.extent[k])
            at.extent[k] = rest % q.shape.extent[k];
        p = plain_bit(&q, n, 0);
        to = memory_bit(&q, cell_of(&q, &at), 0);
        ok = p % 8 == to % 8 && w.target[to / 8] == p / 8 + 1 && w.written[to / 8] == 1;
    }
    for (n = 0; n < w.target_bytes; n++) written += w.written[n];
    machine_end(&w);
    return ok && written == list->plain_bytes;
}

static void large_ones(void)
{
    size_t k;
    for (k = 0; k < sizeof large_rows / sizeof *large_rows; k++) {
        const large_row    *r = &large_rows[k];
        irl_ctx            *c = irl_ctx_create(NULL);
        irl_dma_options     how;
        irl_bit_element     e;
        const irl_dma_list *list;
        const char         *text;
        memset(&how, 0, sizeof how);
        CHECK(irl_bit_element_parse(c, r->element, &e));
        how.bits = &e;
        list = irl_dma_new(c, irl_map_parse(c, r->map), r->shape, &how);
        text = list ? irl_dma_text(c, list) : irl_diag_text(c);
        if (!CHECK(list ? list->copies == r->copies && large_is_right(list)
                        : !r->copies && irl_diag_of(c)->code == IRL_ERROR_DMA_BITS) ||
            !CHECK(strstr(text, r->part)))
            printf("%s: %s\n", r->map, text);
        irl_ctx_destroy(c);
    }
}

/* A layout that is there z times, in a box of more than 2^22 points, is a list if it is one there 8
   times: what is found by groups of axes is what is found byte by byte. */
static void large_as_small(int count)
{
    int n, lists = 0, refused = 0, open = 0;
    for (n = 0; n < count; n++) {
        recipe              r;
        irl_dma_options     how;
        irl_bit_element     e;
        irl_shape           shape;
        const irl_map      *map;
        const irl_expr     *in[MOST_AXES + 1], *out[MOST_OUTPUTS + 1];
        const irl_dma_list *small, *large;
        irl_mark            mark;
        int64_t             points = 1;
        int                 k, is_list, copies;
        cx = irl_ctx_create(NULL);
        r = invent(CLAMP);
        do e = some_element();
        while (e.bits > 8);
        e.stride = 0;
        map = in_groups(&r, random_below(3) ? 8 / gcd_with_8(e.bits) : 1 + random_below(4), 0, 1);
        if (!CHECK(map)) continue;
        in[0] = out[0] = irl_expr_var(cx, "z", irl_type_of(IRL_INDEX, 1));
        shape.named = NULL;
        shape.rank = r.shape.rank + 1;
        for (k = 0; k < r.shape.rank; k++) in[k + 1] = map->inputs[k];
        for (k = 0; k < r.shape.rank; k++) points *= shape.extent[k + 1] = r.shape.extent[k];
        for (k = 0; k < map->output_count; k++) out[k + 1] = map->outputs[k];
        map = irl__map_make(cx, shape.rank, in, map->output_count + 1, out, 0, NULL,
                            irl__nowhere());
        memset(&how, 0, sizeof how);
        how.bits = &e;
        mark = irl_ctx_mark(cx);
        shape.extent[0] = 8;
        small = irl_dma_new(cx, map, shape, &how);
        is_list = small != NULL;
        copies = small ? small->copies : 0;
        if (!small && irl_diag_of(cx)->code != IRL_ERROR_DMA_BITS) is_list = -1;
        irl_ctx_rewind(cx, mark);
        shape.extent[0] = (INT64_C(1) << 22) / points / 8 * 8 + 8;
        large = irl_dma_new(cx, map, shape, &how);
        if (is_list >= 0 && !large && irl_diag_of(cx)->code == IRL_ERROR_UNDECIDED) open++;
        else if (is_list >= 0 &&
                 !CHECK(large ? is_list && (large->copies > 1) == (copies > 1) &&
                                    (large->memory_bytes > (1 << 24) || large_is_right(large))
                              : !is_list && irl_diag_of(cx)->code == IRL_ERROR_DMA_BITS))
            printf("%s, %s: %s%s\n", irl_map_text(cx, map), irl_bit_element_text(cx, &e),
                   irl_dma_text(cx, large), irl_diag_text(cx));
        lists += large != NULL;
        refused += !large;
        irl_ctx_destroy(cx);
    }
    printf("of more than 2^22 points: %d lists, %d refused, %d undecided\n", lists, refused, open);
    CHECK(lists * 5 > count && refused * 5 > count && open * 10 < count);
}

/* ------------------------------------------------------------------ refusals of another kind */

static irl_code code_of(const char *map, irl_shape shape, const irl_dma_options *how)
{
    irl_ctx *c = irl_ctx_create(NULL);
    irl_code code;
    CHECK(!irl_dma_new(c, irl_map_parse(c, map), shape, how));
    code = irl_diag_of(c) ? irl_diag_of(c)->code : IRL_OK;
    irl_ctx_destroy(c);
    return code;
}

static void refused_ones(void)
{
    irl_dma_controller  words = *irl_dma_controller_find("edma3");
    irl_dma_options     how;
    irl_bit_element     e;
    const irl_dma_list *list;
    irl_ctx            *c = irl_ctx_create(NULL);
    memset(&how, 0, sizeof how);
    CHECK(irl_bit_element_parse(c, "u4", &e));
    how.bits = &e;
    e.bits = 40;
    CHECK(code_of("(i) -> (i)", IRL_SHAPE(4), &how) == IRL_ERROR_BAD_TYPE);
    e.bits = 4;
    e.offset = -1;
    CHECK(code_of("(i) -> (i)", IRL_SHAPE(4), &how) == IRL_ERROR_BAD_ARGUMENT);
    e.offset = 0;
    CHECK(code_of("(i) -> (i - 1)", IRL_SHAPE(4), &how) == IRL_ERROR_MAP_OUT_OF_RANGE);
    CHECK(code_of("(i) -> (i)", IRL_SHAPE(INT64_MAX / 3), &how) == IRL_ERROR_OVERFLOW);
    e.stride = INT64_C(1) << 40;
    CHECK(code_of("(i) -> (i)", IRL_SHAPE(INT64_C(1) << 24), &how) == IRL_ERROR_OVERFLOW);
    e.stride = 0;
    CHECK(code_of("(i) -> (i/16*24 + (i + 3)/8*8 + i%8)", IRL_SHAPE(INT64_C(1) << 40), &how) ==
          IRL_ERROR_UNDECIDED);
    how.bits = NULL;
    how.swap = 1;
    CHECK(code_of("(i) -> (i)", IRL_SHAPE(4), &how) == IRL_ERROR_BAD_ARGUMENT);
    how.swap = 0;
    how.bits = &e;
    how.most = 3;
    CHECK(code_of("(y, x) -> (y*y, x)", IRL_SHAPE(9, 8), &how) == IRL_ERROR_DMA_LIST);
    /* a controller of words */
    how.most = 0;
    words.beats = 4;
    how.controller = &words;
    list = irl_dma_new(c, irl_map_parse(c, "(y, x) -> (y*24 + x)"), IRL_SHAPE(3, 16), &how);
    CHECK(list && list->beat == 4 && list->transfers[0].levels[0].count == 2 &&
          list->source_align == 4);
    CHECK(code_of("(y, x) -> (y*24 + x)", IRL_SHAPE(3, 18), &how) == IRL_ERROR_DMA_LIMIT);
    CHECK(code_of("(y, x) -> (y*18 + x)", IRL_SHAPE(3, 16), &how) == IRL_ERROR_DMA_LIMIT);
    irl_ctx_destroy(c);
}

static int ask_list(irl_ctx *c, int which)
{
    static const char *const maps[] = { "(y, x) -> (x/4, 7 - y, x%4)", "(y, x) -> (y, x ^ y & 4)",
                                        "(y, x) -> ((y*8 + x + 12)/16, (y*8 + x + 12)%16)" };
    irl_dma_options     how;
    irl_bit_element     e;
    const irl_dma_list *list;
    memset(&how, 0, sizeof how);
    how.split = 1;
    how.unpack = which & 1;
    how.controller = irl_dma_controller_find(controllers[which % CONTROLLERS]);
    if (!irl_bit_element_parse(c, "u4 strides(2)", &e)) return 0;
    e.stride = 4;
    how.bits = &e;
    list = irl_dma_new(c, irl_map_parse(c, maps[which % 3]), IRL_SHAPE(8, 8), &how);
    return list && irl_dma_text(c, list)[0] && irl_dma_c(c, list, "x")[0] &&
           irl_dma_json(c, list)[0];
}

/* ------------------------------------------------------------------ emitted C */

/* The tables of a list, and a run that compares each bit of each element. */
static void put_list(irl_ctx *c, c_text *t, const irl_dma_list *list, int swap, int number)
{
    const int64_t source = list->unpack ? list->memory_bytes : list->plain_bytes,
                  target = list->unpack ? list->plain_bytes : list->memory_bytes;
    question      q;
    irl_shape     at;
    int64_t       n = 0;
    int           s;
    char          name[16];
    memset(&q, 0, sizeof q);
    q.map = list->map;
    q.shape = list->shape;
    q.memory = list->memory;
    q.e = *list->bits;
    q.swap = swap;
    snprintf(name, sizeof name, "d%d", number);
    memset(&at, 0, sizeof at);
    at.rank = list->shape.rank;
    c_put(t, "%s", irl_dma_c(c, list, name));
    c_put(t, "static const int32_t bit_%d[][2] = {", number);
    do {
        for (s = 0; s < q.e.bits; s++) {
            const int64_t plain = plain_bit(&q, n, s), memory = memory_bit(&q, cell_of(&q, &at), s);
            c_put(t, "{%d,%d},", (int)(list->unpack ? memory : plain),
                  (int)(list->unpack ? plain : memory));
        }
        n++;
    } while (truth_next(&list->shape, &at));
    c_put(t, "};\nstatic unsigned char from_%d[%d], to_%d[%d];\n", number, (int)source + 1, number,
          (int)target + 1);
    c_put(t, "static void run_%d(void)\n{\n    int32_t k, other;\n    for (other = 0; other < 2; "
          "other++) {\n        for (k = 0; k < %d; k++)\n            from_%d[k] = (unsigned char)"
          "(((k * 251 + k / 256) ^ (other ? 255 : 0)) & 255);\n        d%d_play(from_%d, to_%d);\n",
          number, (int)source, number, number, number, number);
    c_put(t, "        for (k = 0; k < %d; k++) {\n            int32_t p = bit_%d[k][0], q = "
          "bit_%d[k][1];\n            int a = from_%d[p / 8] >> p %% 8 & 1, b = to_%d[q / 8] >> q "
          "%% 8 & 1;\n            if (a != b) c_wrong(%d, \"bit\", q, (uint64_t)a, (uint64_t)b);\n"
          "        }\n    }\n}\n",
          (int)(n * q.e.bits), number, number, number, number, number);
}

static void emitted(void)
{
    c_text    t = { NULL, 0, 0 };
    const int is_slow = getenv("IRL_SLOW") != NULL;
    int       numbers[100], n = 0, k, j;
    c_put(&t, "%s", c_prologue);
    for (k = 0; k < (int)(sizeof rows / sizeof *rows); k += is_slow ? 3 : 1)
        for (j = k % 2; j < 2 * CONTROLLERS && n < 100; j += 2) {
            irl_ctx            *c = irl_ctx_create(NULL);
            irl_dma_options     how;
            irl_bit_element     e;
            const irl_dma_list *list;
            memset(&how, 0, sizeof how);
            CHECK(irl_bit_element_parse(c, rows[k].element, &e));
            how.bits = &e;
            how.swap = rows[k].swap;
            how.split = 1;
            how.unpack = j / 2 % 2;
            how.controller = irl_dma_controller_find(controllers[j / 2]);
            list = irl_dma_new(c, irl_map_parse(c, rows[k].map), rows[k].shape, &how);
            if (list && list->count && list->count < 40 && list->plain_bytes < 1100) {
                put_list(c, &t, list, how.swap, n);
                numbers[n] = n;
                n++;
            }
            irl_ctx_destroy(c);
        }
    CHECK(n > (is_slow ? 10 : 40));
    c_put_main(&t, n, numbers);
    c_run_all(&t, c_compilers, C_COMPILERS);
    printf("%d tables were played by their C\n", n);
    free(t.data);
}

int main(int argc, char **argv)
{
    int which;
    if (argc > 1) random64_seed(argv[1]);
    by_hand();
    random_layouts(getenv("IRL_SOAK") ? 100000 : TEST_COUNT(200));
    if (!getenv("IRL_SLOW")) {
        large_ones();
        large_as_small(getenv("IRL_SOAK") ? 500 : 25);
    }
    refused_ones();
    emitted();
    for (which = 0; which < 10; which += getenv("IRL_SLOW") ? 3 : 1)
        failing_each(ask_list, which, which & 1);
    c_folder_end();
    return TEST_DONE();
}
