/* dma_bits.c - elements that take bits, as the bytes that a controller moves.

   needs     check_bits.c, dma_groups.c
   promises  exact up to IRL__DMA_CELLS points, and wherever all elements are one nest: if each
             byte of the plain array is in one byte of the memory, at the same bits, these bytes
             are the copies; else the first that is not is named, with its element. No bit of the
             target is written that an element does not take, except for those after the last one of
             the plain array, and of the memory
   cost      a look at the points of axes that do not add up, then at all bytes; memory: 8 bytes a
             point, 24 a byte of the plain array

   A byte of the plain array is full of elements, except for the last one. So if it is in one byte
   of the memory at the same bits, that byte is full too: only the last copy meets unused bits. */
#include "dma.h"

static int64_t irl__dma_bits_at(const irl__dma_bits *b, int64_t cell)
{
    return b->first + cell * b->stride;
}

/* The byte that a bit is in, in the same way of counting. */
static int64_t irl__dma_bits_byte(int64_t bit) { return (bit - (bit & 7)) / 8; }

static int64_t irl__dma_bits_forwards(const irl__dma_bits *b, int64_t byte)
{
    return b->backwards ? -1 - byte : byte;
}

static int irl__dma_bits_plain_msb(const irl__dma_bits *b)
{
    return (b->element.order == IRL_BITS_MSB) != b->backwards;
}

/* ------------------------------------------------------------------ one byte */

/* What a byte of the plain array has of an element. */
typedef struct irl__dma_part {
    int64_t element;
    int64_t plain, memory, count; /* its first bit on both sides; bits */
} irl__dma_part;

static irl__dma_part irl__dma_part_of(const irl__dma_bits *b, int64_t byte, int64_t element,
                                      int64_t cell)
{
    const int64_t begin = element * b->width, end = begin + b->width;
    irl__dma_part p = { element, begin > 8 * byte ? begin : 8 * byte, 0, 0 };
    p.count = (end < 8 * byte + 8 ? end : 8 * byte + 8) - p.plain;
    p.memory = irl__dma_bits_at(b, cell) + p.plain - begin;
    return p;
}

static int irl__dma_part_is_turned(const irl__dma_part *p)
{
    return ((p->memory ^ p->plain) & 7) != 0;
}

/* Whether a byte of the plain array is one of the memory, *to, at the same bits; else the part that
   is not, and the first of the byte. cell[0] is that of the first element in it. */
static int irl__dma_bits_look(const irl__dma_bits *b, int64_t byte, const int64_t *cell,
                              int64_t *to, irl__dma_part part[2])
{
    const int64_t first = 8 * byte / b->width, behind = (8 * byte + 7) / b->width;
    for (int64_t n = first; n <= behind && n < b->points; n++) {
        part[1] = irl__dma_part_of(b, byte, n, cell[n - first]);
        if (n == first) part[0] = part[1];
        *to = irl__dma_bits_byte(part[0].memory);
        if (irl__dma_part_is_turned(&part[1]) || irl__dma_bits_byte(part[1].memory) != *to)
            return 0;
    }
    *to = irl__dma_bits_forwards(b, *to);
    return 1;
}

/* ------------------------------------------------------------------ refusals */

/* "bits 4 to 7 of byte 0", counted from the least significant one; across an end of a byte both. */
static void irl__dma_bits_text(irl__text *t, int64_t bit, int64_t count, int is_msb)
{
    const char *and_then = "";
    while (count > 0) {
        const int64_t at = bit % 8, n = count < 8 - at ? count : 8 - at,
                      low = is_msb ? 8 - at - n : at;
        if (n == 1) irl__textf(t, "%sbit %l", and_then, low);
        else irl__textf(t, "%sbits %l to %l", and_then, low, low + n - 1);
        irl__textf(t, " of byte %l", bit / 8);
        and_then = " and ";
        bit += n;
        count -= n;
    }
}

/* "element (0, 1) takes bits 4 to 7 of byte 0 of the plain array and bits ... of the memory" */
static void irl__dma_part_text(irl__text *t, const irl__dma_ask *q, const irl__dma_part *p)
{
    const irl__dma_bits *b = &q->bits;
    irl__text_puts(t, "element ");
    irl__dma_point_text(t, q, q->list->shape.extent, p->element);
    irl__text_puts(t, " takes ");
    irl__dma_bits_text(t, p->plain, p->count, irl__dma_bits_plain_msb(b));
    irl__text_puts(t, " of the plain array and ");
    irl__dma_bits_text(t, b->backwards ? -p->memory - p->count : p->memory, p->count,
                       b->element.order == IRL_BITS_MSB);
    irl__text_puts(t, " of the memory");
}

/* A byte is no byte of the memory. Returns 0. */
static int irl__dma_bits_refuse(irl__dma_ask *q, const irl__dma_part part[2])
{
    irl__text t;
    irl__text_init(&t, q->cx);
    if (!irl__dma_part_is_turned(&part[1])) {
        irl__dma_part_text(&t, q, &part[0]);
        irl__text_puts(&t, ", ");
    }
    irl__dma_part_text(&t, q, &part[1]);
    return irl__fail(q->cx, IRL_ERROR_DMA_BITS, q->map->loc, "%s: a controller moves bytes",
                     irl__text_or_empty(irl__text_done(&t)));
}

/* In which cell of the memory an element lies. */
static int irl__dma_bits_cell(irl__dma_ask *q, int64_t element, int64_t *cell)
{
    irl_shape at, to;
    int       k;
    memset(&at, 0, sizeof at);
    at.rank = q->list->shape.rank;
    irl__point_of(at.rank, q->list->shape.extent, element, at.extent);
    if (!irl_map_apply(q->cx, q->map, at, &to)) return 0;
    for (*cell = 0, k = 0; k < to.rank; k++) *cell += to.extent[k] * q->stride[k];
    return 1;
}

/* Refuses if the byte with the first bit of an element cannot be copied. */
static int irl__dma_bits_try(irl__dma_ask *q, int64_t element)
{
    const int64_t byte = element * q->bits.width / 8, first = 8 * byte / q->bits.width;
    irl__dma_part part[2];
    int64_t       cell[8], to;
    for (int64_t n = 0; n < 8 && first + n < q->bits.points; n++)
        if (!irl__dma_bits_cell(q, first + n, &cell[n])) return 0;
    return irl__dma_bits_look(&q->bits, byte, cell, &to, part) || irl__dma_bits_refuse(q, part);
}

/* Refuses if a copy of elements that is none of bytes shows at its beginning, or at the first step
   of a level, that a byte cannot be copied. It does if the copy is all there is. */
static int irl__dma_bits_try_copy(irl__dma_ask *q, const irl__dma_copy *c)
{
    if (!irl__dma_bits_try(q, c->first.plain)) return 0;
    for (int k = 0; k < c->level_count; k++)
        if (!irl__dma_bits_try(q, c->first.plain + c->levels[k].plain)) return 0;
    return 1;
}

/* Not all copies of elements are copies of bytes, and their beginnings do not say why. Returns 0.
 */
static int irl__dma_bits_open(irl__dma_ask *q)
{
    for (int64_t n = 0; n < IRL__DMA_TRIED && n < q->bits.points; n++)
        if (!irl__work(q->cx, 64) || !irl__dma_bits_try(q, n)) return 0;
    return irl__fail(q->cx, IRL_ERROR_UNDECIDED, q->map->loc,
                     "copies of elements end within bytes; copies of whole bytes are searched "
                     "among at most %l points", IRL__DMA_CELLS);
}

/* The last byte of the plain array may have fewer bits of elements: what its copy overwrites beside
   them must be nobody's. */
static int irl__dma_bits_last(irl__dma_ask *q)
{
    const irl__dma_bits *b = &q->bits;
    irl_dma_list        *list = q->list;
    const int            used = (int)(b->points * b->width % 8),
              rest = irl__dma_bits_plain_msb(b) ? 0xff >> used : 0xff << used & 0xff;
    irl__text            t;
    int64_t              cell;
    if (!used) return 1;
    list->overwritten = rest;
    list->overwritten_byte = list->plain_bytes - 1;
    if (list->unpack) return 1;
    if (!irl__dma_bits_cell(q, b->points - 1, &cell)) return 0;
    int64_t byte = irl__dma_bits_byte(irl__dma_bits_at(b, cell) + b->width - 1);
    list->overwritten_byte = byte = irl__dma_bits_forwards(b, byte);
    int64_t first = 8 * byte + (b->backwards ? 0 : used);
    if (q->how->overwrite || first >= b->end) return 1;
    irl__text_init(&t, q->cx);
    irl__dma_bits_text(&t, first, 8 - used, b->element.order == IRL_BITS_MSB);
    return irl__fail(q->cx, IRL_ERROR_DMA_BITS, q->map->loc,
                     "the last byte of the plain array has %d bit%s of elements: its copy would "
                     "overwrite %s of the memory, which belong to no element", used,
                     used == 1 ? "" : "s", irl__text_or_empty(irl__text_done(&t)));
}

/* ------------------------------------------------------------------ copies of elements */

/* A copy of elements, its levels in order, as one of bytes; false, and as it was, where it is none
   by itself. It has room for a level more. */
static int irl__dma_bits_convert(const irl__dma_ask *q, irl__dma_copy *c)
{
    const irl__dma_bits *b = &q->bits;
    const int64_t        plain = c->first.plain * b->width,
                         memory = irl__dma_bits_at(b, c->first.memory);
    const int            way = b->backwards ? -1 : 1;
    irl__dma_level       levels[2 * IRL__DMA_DEPTH + 1];
    int64_t              run = b->width; /* bits side by side on both sides */
    int                  k = 0, n = 0;
    while (k < c->level_count && c->levels[k].plain * b->width == run &&
           c->levels[k].memory * b->stride == run)
        run *= c->levels[k++].count;
    if (((plain | memory) & 7) || (run % 8 != 0 && plain + run != b->points * b->width)) return 0;
    if (run > 8) {
        levels[n].count = (run + 7) / 8;
        levels[n].plain = 1;
        levels[n++].memory = way;
    }
    for (; k < c->level_count; k++, n++) {
        levels[n].count = c->levels[k].count;
        levels[n].plain = c->levels[k].plain * b->width;
        levels[n].memory = c->levels[k].memory * b->stride * way;
        if ((levels[n].plain | levels[n].memory) & 7) return 0;
        levels[n].plain /= 8;
        levels[n].memory /= 8;
    }
    c->first.plain = plain / 8;
    c->first.memory = irl__dma_bits_forwards(b, irl__dma_bits_byte(memory));
    if (n) memcpy(c->levels, levels, (size_t)n * sizeof *levels);
    c->level_count = n;
    return 1;
}

static int irl__dma_bits_convert_all(irl__dma_ask *q)
{
    int     all = 1;
    for (int64_t k = 0; k < stbds_arrlen(q->all.list); k++) {
        if (irl__dma_bits_convert(q, &q->all.list[k])) continue;
        if (!irl__dma_bits_try_copy(q, &q->all.list[k])) return 0;
        all = 0;
    }
    return all || irl__dma_bits_open(q);
}

/* ------------------------------------------------------------------ byte by byte */

/* The bytes of the plain array over the outer axes of the shape, and the bytes of the inner ones,
   the fewest that are whole bytes together. */
static void irl__dma_bits_grid(const irl__dma_ask *q, irl__dma_grid *g)
{
    const irl_shape *s = &q->list->shape;
    int64_t          bits = q->bits.width, stride = 1;
    int              inner = s->rank;
    memset(g, 0, sizeof *g);
    while (inner > 0 && (bits % 8 != 0 || inner == IRL_MAX_RANK)) bits *= s->extent[--inner];
    for (int k = 0; k < inner; k++)
        if (s->extent[k] > 1) g->extent[g->rank++] = s->extent[k];
    if (bits > 8) g->extent[g->rank++] = (bits + 7) / 8;
    for (int k = g->rank; k-- > 0; stride *= g->extent[k]) g->stride[k] = g->plain[k] = stride;
}

/* Where each byte of the plain array lies. NULL on failure. */
static int64_t *irl__dma_bits_bytes(irl__dma_ask *q)
{
    const int64_t bytes = q->list->plain_bytes;
    int64_t      *cell = IRL__SCRATCH(q->cx, int64_t, q->bits.points),
            *to = IRL__SCRATCH(q->cx, int64_t, bytes);
    irl__dma_part part[2];
    if (!cell || !to || !irl__dma_places(q, q->list->shape.extent, cell) ||
        !irl__work(q->cx, q->bits.points + 4 * bytes))
        return NULL;
    for (int64_t k = 0; k < bytes; k++)
        if (!irl__dma_bits_look(&q->bits, k, cell + 8 * k / q->bits.width, &to[k], part))
            return irl__dma_bits_refuse(q, part), (int64_t *)NULL;
    return to;
}

static int irl__dma_bits_one_by_one(irl__dma_ask *q)
{
    irl__dma_copies one = q->all;
    irl__dma_cell   first = { 0, 0 };
    irl__dma_grid   g;
    int64_t        *bytes = irl__dma_bits_bytes(q);
    if (!bytes) return 0;
    irl__dma_bits_grid(q, &g);
    g.memory = bytes;
    first.memory = bytes[0];
    q->by_bytes = 1;
    if (!irl__dma_of_grid(q, &one, &g, q->list->shape.extent, q->list->plain_bytes) ||
        !irl__dma_push(&q->all, first, 0, NULL) || !irl__dma_multiply(&q->all, &one))
        return 0;
    return q->all.too_many || irl__dma_join_all(q);
}

/* ------------------------------------------------------------------ the question */

/* The bytes of both sides, from the bits that they take. */
static int irl__dma_bits_sizes(irl__dma_ask *q)
{
    irl__dma_bits *b = &q->bits;
    int64_t        cells = irl_shape_count(q->list->memory), plain, end = 0;
    b->points = irl_shape_count(q->list->shape);
    if (cells < 0 || b->points < 0 || !irl__mul64(b->points, b->width, &plain) ||
        !irl__add64(plain, 7, &plain) ||
        (cells && (!irl__mul64(cells - 1, b->element.stride, &end) ||
                   !irl__add64(end, b->element.offset + b->width + 7, &end))))
        return irl__fail(q->cx, IRL_ERROR_OVERFLOW, q->map->loc,
                         "the memory of the copy has more than 2^63 bits");
    q->list->plain_bytes = plain / 8;
    q->list->memory_bytes = end / 8;
    b->end = end - 7;
    return 1;
}

int irl__dma_bits_begin(irl__dma_ask *q)
{
    irl__dma_bits *b = &q->bits;
    b->backwards = q->how->swap != 0;
    b->first = b->backwards ? -b->element.offset - b->width : b->element.offset;
    b->stride = b->backwards ? -b->element.stride : b->element.stride;
    /* Elements wider than their distance may share bits: what is written may not. */
    if (!irl__dma_bits_sizes(q)) return 0;
    const irl_bit_element *e = &q->bits.element;
    if (q->list->unpack || e->stride >= e->bits || q->bits.points < 2) return 1;
    irl_bit_verdict v = irl_map_check_bits(q->cx, q->map, q->list->shape, e);
    if (v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) return 1;
    return irl__fail(q->cx, v.code, q->map->loc, "nothing can be copied to the layout: it is %s",
                     irl_bit_verdict_text(q->cx, &v));
}

int irl__dma_bits_copies(irl__dma_ask *q)
{
    const irl__dma_copies none = q->all;
    int                   ok;
    q->nest_only = 1;
    if (!irl__dma_all_groups(q)) return 0;
    q->nest_only = 0;
    if (!q->all.too_many) return irl__dma_bits_convert_all(q) && irl__dma_bits_last(q);
    q->all = none;
    if (q->bits.points <= IRL__DMA_CELLS)
        ok = irl__dma_bits_one_by_one(q);
    else
        ok = irl__dma_all_groups(q) &&
             (q->all.too_many || (irl__dma_bits_convert_all(q) && irl__dma_join_all(q)));
    return ok && (q->all.too_many || irl__dma_bits_last(q));
}
