/* dma.c - irl_dma_new: the copies between plain memory and the memory of a layout, as a list of
   nested strided transfers.

   needs     verdict.c, check_bits.c, dma_groups.c, dma_bits.c, dma_fit.c
   promises  packing writes each cell of the layout once, because the map is proved bijective or
             injective; unpacking writes each plain element once, for every map. If one transfer
             suffices, it is found */
#include "dma.h"

/* ------------------------------------------------------------------ the question */

/* The map's box, and that it may be copied through. */
static int irl__dma_judge(irl__dma_ask *q)
{
    irl_ctx    *cx = q->cx;
    irl_verdict v = irl__check_text(cx, q->map, q->list->shape);
    if (!irl__ok(cx)) return 0;
    if (q->how->unpack) irl__verdict_permit_loss(&v);
    if (irl__verdict_is_right(&v)) q->list->memory = v.memory;
    else if (v.kind != IRL_LOSSY || !q->how->unpack)
        return irl__fail(cx, v.code, q->map->loc, "nothing can be copied %s the layout: it is %s",
                         q->how->unpack ? "from" : "to", irl_verdict_text(cx, &v));
    else if (!irl_map_memory(cx, q->map, q->list->shape, &q->list->memory)) return 0;
    for (int k = q->map->output_count; k-- > 0;) {
        const int last = k == q->map->output_count - 1;
        if (!irl__mul64(last ? 1 : q->stride[k + 1], last ? 1 : q->list->memory.extent[k + 1],
                        &q->stride[k]))
            return irl__fail(cx, IRL_ERROR_OVERFLOW, q->map->loc,
                             "the memory of the layout has more than 2^63 elements");
    }
    for (int k = q->map->input_count; k-- > 0;)
        q->plain[k] = k == q->map->input_count - 1
                          ? 1
                          : q->plain[k + 1] * q->list->shape.extent[k + 1]; /* points: 63 bits */
    return 1;
}

static int64_t irl__dma_bytes_of(const irl_shape *shape, int64_t element)
{
    int64_t bytes = irl_shape_count(*shape);
    return bytes >= 0 && irl__mul64(bytes, element, &bytes) ? bytes : -1;
}

int irl__dma_beat(irl_ctx *cx, const irl_dma_options *how, int64_t *element, int64_t *beat)
{
    const irl_dma_controller *c = how->controller;
    const irl_type type = how->element.lanes ? how->element : irl_type_of(IRL_F32, 1);
    *element = how->bits ? 0 : (int64_t)irl__type_bytes(type);
    *beat = c ? 0 : how->bits ? 1 : *element;
    for (int64_t size = 1; c && size <= 64; size *= 2)
        if ((c->beats & size) && (!c->block_bytes || size <= c->block_bytes) &&
            (how->bits ? !*beat : *element % size == 0))
            *beat = size;
    if ((*element < 1 && !how->bits) || !*beat)
        return IRL__FAIL(cx, IRL_ERROR_DMA_LIMIT, "%s cannot move elements of %l bytes: none of "
                         "its beats divides that size and fits a block", c ? c->name : "dma",
                         *element);
    return 1;
}

/* Elements of `unit` bytes become bytes, the innermost level a beat. Sizes of both memories fit 63
   bits. */
static void irl__dma_in_bytes(const irl__dma_ask *q, const irl__dma_copy *c, int64_t unit,
                              irl__dma_work *w)
{
    const int64_t beat = q->list->beat;
    memset(w, 0, sizeof *w);
    w->source = (q->how->unpack ? c->first.memory : c->first.plain) * unit;
    w->target = (q->how->unpack ? c->first.plain : c->first.memory) * unit;
    if (unit > beat) {
        w->level[0].count = unit / beat;
        w->level[0].source = w->level[0].target = beat;
        w->level_count = 1;
    }
    for (int k = 0; k < c->level_count; k++) {
        const irl__dma_level *from = &c->levels[k];
        irl_dma_level        *level = &w->level[w->level_count], *below = level - 1;
        level->count = from->count;
        level->source = (q->how->unpack ? from->memory : from->plain) * unit;
        level->target = (q->how->unpack ? from->plain : from->memory) * unit;
        if (w->level_count == 1 && unit > beat && level->source == unit && level->target == unit)
            below->count *= level->count;
        else w->level_count++;
    }
}

/* Bytes in beats of more than one: whole beats side by side, whole beats apart. */
static int irl__dma_in_beats(const irl__dma_ask *q, irl__dma_work *w)
{
    const int64_t beat = q->list->beat;
    int           ok = w->source % beat == 0 && w->target % beat == 0 && w->level_count > 0;
    if (beat == 1) return 1;
    ok = ok && w->level[0].source == 1 && w->level[0].target == 1 && w->level[0].count % beat == 0;
    for (int k = 1; ok && k < w->level_count; k++)
        ok = w->level[k].source % beat == 0 && w->level[k].target % beat == 0;
    if (!ok)
        return IRL__FAIL(q->cx, IRL_ERROR_DMA_LIMIT, "%s moves %l bytes at a time, but some copies "
                         "have fewer bytes, or do not begin at a multiple of it",
                         q->list->controller->name, beat);
    w->level[0].count /= beat;
    w->level[0].source = w->level[0].target = beat;
    return 1;
}

static int irl__dma_answer(irl__dma_ask *q)
{
    const int      n = (int)stbds_arrlen(q->all.list);
    irl_dma_list  *list = q->list;
    if (q->all.too_many)
        return irl__fail(q->cx, IRL_ERROR_DMA_LIST, q->map->loc, "the layout needs more than %l "
                         "nested copies; %s", q->all.most, list->reason);
    irl__dma_work *work = IRL__SCRATCH(q->cx, irl__dma_work, n + 1);
    if (!work) return 0;
    for (int k = 0; k < n; k++) {
        irl__dma_in_bytes(q, &q->all.list[k], list->bits ? 1 : list->element, &work[k]);
        if (list->bits && !irl__dma_in_beats(q, &work[k])) return 0;
    }
    list->copies = n;
    if (n <= 1) list->reason = "";
    /* where one nest was refused, two are the least; a list of none or one is. (Elements that are
       no nest may be bytes that are one, if the last byte is not full.) */
    list->is_least = n <= 1 || (n == 2 && (!list->bits || q->by_bytes || !list->overwritten));
    return irl__dma_fit(q->cx, list, q->all.most, q->how->split, n, work);
}

/* The bytes of both sides. */
static int irl__dma_sizes(irl__dma_ask *q)
{
    irl_dma_list *list = q->list;
    if (list->bits) return irl__dma_bits_begin(q);
    list->plain_bytes = irl__dma_bytes_of(&list->shape, list->element);
    list->memory_bytes = irl__dma_bytes_of(&list->memory, list->element);
    return (list->plain_bytes >= 0 && list->memory_bytes >= 0) ||
           irl__fail(q->cx, IRL_ERROR_OVERFLOW, q->map->loc,
                     "the memory of the copy has more than 2^63 bytes");
}

static int irl__dma_ask_all(irl__dma_ask *q)
{
    irl_dma_list *list = q->list;
    int           empty = 0;
    if (!irl__dma_beat(q->cx, q->how, &list->element, &list->beat) || !irl__dma_judge(q) ||
        !irl__dma_sizes(q))
        return 0;
    for (int k = 0; k < list->shape.rank; k++) empty |= list->shape.extent[k] == 0;
    if (empty) return irl__dma_answer(q);
    return irl__domain_begin(&q->on, q->cx, q->map, &list->shape, NULL) &&
           (list->bits ? irl__dma_bits_copies(q) : irl__dma_all_groups(q)) && irl__dma_answer(q);
}

/* The element of bits that is asked for, into the list; of others nothing. */
static int irl__dma_element(irl__dma_ask *q)
{
    irl_bit_element *e = &q->bits.element;
    if (!q->how->bits && (q->how->swap || q->how->overwrite))
        return irl__fail(q->cx, IRL_ERROR_BAD_ARGUMENT, q->map->loc, "swap and overwrite are for "
                         "elements of bits: state the type as one, 'u16 bits(lsb)'");
    if (!q->how->bits) return 1;
    if (!irl__bit_element_ok(q->cx, q->how->bits, e, q->map->loc)) return 0;
    q->bits.width = e->bits;
    q->list->bits = IRL__COPY(q->cx, irl_bit_element, e, 1);
    return q->list->bits != NULL;
}

const irl_dma_list *irl_dma_new(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                const irl_dma_options *how)
{
    irl_dma_options none;
    irl__dma_ask    q;
    memset(&none, 0, sizeof none);
    memset(&q, 0, sizeof q);
    q.cx = cx;
    q.how = how ? how : &none;
    q.map = irl__map_for_shape(cx, map, &shape);
    if (!q.map || !irl__shape_is_counted(cx, &shape, IRL__AS_TENSOR, "irl_dma_new", q.map->loc) ||
        (q.how->controller && !irl__dma_controller_ok(cx, q.how->controller, NULL)))
        return NULL;
    q.list = IRL__COPY(cx, irl_dma_list, NULL, 1);
    if (!q.list) return NULL;
    q.list->map = q.map;
    q.list->shape = shape;
    q.list->controller = q.how->controller;
    q.list->unpack = q.how->unpack;
    q.list->reason = "";
    if (!irl__dma_element(&q)) return NULL;
    q.all.cx = cx;
    q.all.most = q.how->most > 0 ? q.how->most : (int64_t)IRL__DMA_MOST;
    irl__question   question = irl__question_begin(cx, 0);
    irl__arena_mark mark = irl__scratch_begin(cx);
    int             ok = irl__dma_ask_all(&q);
    irl__scratch_end(cx, mark);
    irl__question_end(&question, 0);
    return ok && irl__ok(cx) ? q.list : NULL;
}
