/* views.c - what a buffer is in the interpreter: separate memory or a view, and where its indices
   are in it.

   needs     evaluate.c for shapes, storage.c
   promises  a view is within its memory, so that an index within its extents needs no further
             check; an overflow is a diagnostic */
#include "eval.h"

#include <math.h>

/* ------------------------------------------------------------------ new memory */

static irl__eval_memory *irl__view_memory_fail(irl__interpreter *in, const char *name, irl_loc at)
{
    irl__fail(in->cx, IRL_ERROR_TOO_LARGE, at,
              "'%s' is too large: the interpreter holds at most %l bytes in one buffer", name,
              IRL__MEMORY_LIMIT);
    return NULL;
}

/* Shared memory belongs to a group; any other is seen by the parallel levels that come after it
   only. */
static int irl__view_memory_level(const irl__interpreter *in, const irl_buffer *b)
{
    int of_group =
        b->scope == IRL_SCOPE_SHARED && in->launch && in->launch == &in->teams[in->team_count - 1];
    return of_group ? in->team_count - 1 : in->team_count;
}

/* The books of a memory whose bytes are there or are about to be: what is undefined, who touched
   what. */
static irl__eval_memory *irl__view_memory_make(irl__interpreter *in, const char *name,
                                               size_t element_bytes, size_t size, int level,
                                               int of_bits)
{
    irl__eval_memory *m = IRL__SCRATCH(in->cx, irl__eval_memory, 1);
    size_t            levels = (size_t)(in->team_most - level);
    if (!m) return NULL;
    m->name = name;
    m->element_bytes = element_bytes;
    m->size = size;
    m->cells = (size + ((size_t)1 << in->cell_shift) - 1) >> in->cell_shift;
    m->of_bits = of_bits && size <= SIZE_MAX / 8;
    m->stride = m->of_bits ? 8 * size : m->cells;
    m->level = level;
    m->is_undefined = (unsigned char *)irl__scratch_alloc(in->cx, m->cells, 1);
    if (!m->is_undefined || (levels && m->stride > SIZE_MAX / levels)) return NULL;
    if (in->error_at) {
        m->error = IRL__SCRATCH(in->cx, double, m->cells);
        if (!m->error) return NULL;
    }
    m->records = IRL__SCRATCH(in->cx, irl__eval_access, m->stride * levels);
    return m->records ? m : NULL;
}

/* New memory for that many steps of b, undefined; of bits, zeros. */
static irl__eval_memory *irl__view_memory_new(irl__interpreter *in, const irl_buffer *b,
                                              int64_t elements)
{
    int64_t           size;
    irl__eval_memory *m;
    if (!irl__buffer_step_bytes(b, elements, &size) || size > IRL__MEMORY_LIMIT)
        return irl__view_memory_fail(in, b->name, b->loc);
    m = irl__view_memory_make(in, b->name, irl__type_bytes(irl__buffer_memory_type(b)),
                              (size_t)size, irl__view_memory_level(in, b),
                              irl__ptr_map_get(&in->bit_data, b->data) != NULL);
    if (!m) return irl__ok(in->cx) ? irl__view_memory_fail(in, b->name, b->loc) : NULL;
    m->is_shared = b->scope == IRL_SCOPE_SHARED;
    m->bytes = (unsigned char *)irl__scratch_alloc(in->cx, m->size, 1);
    if (!m->bytes) return NULL;
    if (m->cells && !b->bits) memset(m->is_undefined, IRL__EVAL_UNDEFINED, m->cells);
    return m;
}

irl__eval_memory *irl__eval_pool(irl__interpreter *in, const char *name, int64_t bytes)
{
    irl__eval_memory *m =
        irl__view_memory_make(in, name, 1, (size_t)bytes, in->team_count, 0);
    if (!m) return NULL;
    m->bytes = (unsigned char *)irl__scratch_alloc(in->cx, m->size, 1);
    if (m->bytes && m->cells) memset(m->is_undefined, IRL__EVAL_UNDEFINED, m->cells);
    return m->bytes ? m : NULL;
}

irl__eval_memory *irl__eval_adopt(irl__interpreter *in, const irl_expr *var,
                                  const irl_extern_value *from)
{
    irl_type          element = var->type;
    irl__eval_memory *m;
    element.is_pointer = 0;
    m = from->bytes > (size_t)IRL__MEMORY_LIMIT
            ? NULL
            : irl__view_memory_make(in, var->u.name, irl__type_bytes(element), from->bytes,
                                    in->team_count,
                                    irl__ptr_map_get(&in->bit_data, var) != NULL);
    if (!m)
        return irl__ok(in->cx) ? irl__view_memory_fail(in, var->u.name, irl__nowhere()) : NULL;
    /* Nothing is stated of what a call left there. */
    m->bytes = (unsigned char *)from->pointer;
    if (m->error && m->size) irl__eval_set_error(in, m, irl__type_index(), 0, m->size, HUGE_VAL);
    return m;
}

/* ------------------------------------------------------------------ views */

static irl__eval_view *irl__view_new(irl__interpreter *in, const irl_buffer *b)
{
    irl__eval_view *view = IRL__SCRATCH(in->cx, irl__eval_view, 1);
    if (!view) return NULL;
    view->buffer = b;
    view->extent = IRL__SCRATCH(in->cx, int64_t, b->rank);
    view->step = IRL__SCRATCH(in->cx, int64_t, b->rank);
    return view->extent && view->step ? view : NULL;
}

static int irl__view_number(irl__interpreter *in, const irl_buffer *b, const irl_expr *e,
                            const char *what, int64_t *out)
{
    if (!irl__eval_number(in, e, what, out)) return 0;
    return *out >= 0 || IRL__FAIL(in->cx, IRL_ERROR_BAD_ARGUMENT, "%s of '%s' is negative: %l",
                                  what, b->name, *out);
}

static int irl__view_overflow(irl__interpreter *in, const irl_buffer *b)
{
    return irl__fail(in->cx, IRL_ERROR_OVERFLOW, b->loc, "the size of '%s' does not fit 63 bits",
                     b->name);
}

/* One physical axis: its steps, in units of `inner` steps of the buffer, and how many of these
   units it spans. */
static int irl__view_group(irl__interpreter *in, irl__eval_view *view, int first, int end,
                           int64_t inner, int64_t *span)
{
    const irl_buffer *b = view->buffer;
    int64_t           stride, reach, size = irl__buffer_step(b);
    int               k, is_empty = 0;
    for (k = end; k-- > first;) {
        stride = size;
        if (b->strides && !irl__view_number(in, b, b->strides[k], "a stride", &stride)) return 0;
        if (!irl__mul64(stride, inner, &view->step[k])) return irl__view_overflow(in, b);
        is_empty |= view->extent[k] == 0;
        if (!b->strides) {
            if (!irl__mul64(size, view->extent[k], &size)) return irl__view_overflow(in, b);
        } else if (view->extent[k] > 0) {
            if (!irl__mul64(stride, view->extent[k] - 1, &reach) || !irl__add64(size, reach, &size))
                return irl__view_overflow(in, b);
        }
    }
    *span = is_empty ? 0 : size;
    return 1;
}

/* Compact or strided, row-major over the physical axes; sets how many elements lie between the data
   pointer and the end. */
static int irl__view_measure(irl__interpreter *in, irl__eval_view *view, int64_t *elements)
{
    const irl_buffer *b = view->buffer;
    int64_t           span = 0;
    int               k, group, end = b->rank;
    *elements = 1;
    for (k = 0; k < b->rank; k++)
        if (!irl__view_number(in, b, b->shape[k], "an extent", &view->extent[k])) return 0;
    for (group = irl__buffer_groups(b); group-- > 0;) {
        int first = group ? b->separators[group - 1] : 0;
        if (!irl__view_group(in, view, first, end, *elements, &span)) return 0;
        if (!irl__mul64(*elements, span, elements)) return irl__view_overflow(in, b);
        end = first;
    }
    if (!b->offset) return 1;
    if (!irl__view_number(in, b, b->offset, "the offset", &view->offset)) return 0;
    return *elements == 0 || irl__add64(*elements, view->offset, elements) ||
           irl__view_overflow(in, b);
}

/* `data` is what the buffer's pointer stands for. */
static irl__eval_view *irl__view_bind(irl__interpreter *in, irl__eval_view *view,
                                      irl__eval_memory *memory, irl__eval_memory *data)
{
    view->memory = memory;
    irl__eval_bound(in, view->buffer->id)->u.view = view;
    irl__eval_bound(in, view->buffer->data->id)->u.memory = data;
    return view;
}

irl__eval_view *irl__eval_declare(irl__interpreter *in, const irl_buffer *b,
                                  irl__eval_memory *memory)
{
    irl__eval_view *view = irl__view_new(in, b);
    int64_t         elements, size;
    if (!view || !irl__view_measure(in, view, &elements)) return NULL;
    if (!memory) memory = irl__view_memory_new(in, b, elements);
    if (!memory) return NULL;
    if (!irl__buffer_step_bytes(b, elements, &size) || (uint64_t)size > memory->size) {
        irl__fail(in->cx, IRL_ERROR_BAD_ALIAS, b->loc,
                  b->bits ? "'%s' spans %l bits (%z bytes for a value); the memory of '%s' has %z "
                            "bytes"
                          : "'%s' spans %l elements of %z bytes; the memory of '%s' has %z bytes",
                  b->name, elements, irl__type_bytes(b->type), memory->name, memory->size);
        return NULL;
    }
    /* The columns, rows and layers of texels of an image. */
    if (irl__image_size(view->buffer, view->extent, memory->image))
        memory->texel = irl__texel_lanes(view->buffer);
    return irl__view_bind(in, view, memory, memory);
}

irl__eval_view *irl__eval_declare_alias(irl__interpreter *in, const irl_buffer *b)
{
    irl__eval_memory *memory = irl__eval_bound(in, b->data->id)->u.memory;
    if (memory) return irl__eval_declare(in, b, memory);
    irl__fail(in->cx, IRL_ERROR_UNDECLARED, b->loc,
              "'%s' is declared over '%s', which has no memory here", b->name, b->data->u.name);
    return NULL;
}

/* ------------------------------------------------------------------ match buffers */

/* Axis k of the source: the view begins at the region's start; axes that the view drops have extent
   1. */
static int irl__view_match_axis(irl__interpreter *in, const irl__match *match,
                                const irl__eval_view *source, irl__eval_view *view, int k)
{
    const irl_buffer *b = match->buffer, *from = match->source.buffer;
    int               own = k - (from->rank - b->rank);
    int64_t           min, extent, wanted = 1, end, skipped;
    if (!irl__eval_number(in, match->source.min[k], "a region's start", &min) ||
        !irl__eval_number(in, match->source.extent[k], "a region's extent", &extent) ||
        (own >= 0 && !irl__eval_number(in, b->shape[own], "an extent", &wanted)))
        return 0;
    if (min < 0 || extent < 0 || !irl__add64(min, extent, &end) || end > source->extent[k])
        return IRL__FAIL(in->cx, IRL_ERROR_OUT_OF_BOUNDS, "'%s' views '%s' from %l for %l on axis "
                         "%d, which has %l", b->name, from->name, min, extent, k,
                         source->extent[k]);
    if (wanted != extent)
        return IRL__FAIL(in->cx, IRL_ERROR_BAD_ALIAS, "'%s' has extent %l where its region of '%s' "
                         "has %l", b->name, wanted, from->name, extent);
    if (!irl__mul64(min, source->step[k], &skipped) ||
        !irl__add64(view->offset, skipped, &view->offset))
        return irl__view_overflow(in, b);
    if (own >= 0) {
        view->extent[own] = extent;
        view->step[own] = source->step[k];
    }
    return 1;
}

irl__eval_view *irl__eval_declare_match(irl__interpreter *in, const irl__match *match)
{
    const irl_buffer     *b = match->buffer, *from = match->source.buffer;
    const irl__eval_view *source = irl__eval_view_of(in, from);
    irl__eval_view       *view = irl__view_new(in, b);
    if (!source || !view) return NULL;
    if (b->rank > from->rank || b->strides || b->offset) {
        irl__fail(
            in->cx, IRL_ERROR_UNSUPPORTED, b->loc,
            "match buffer '%s' must view '%s' with no more axes, and neither strides nor offset",
            b->name, from->name);
        return NULL;
    }
    view->offset = source->offset;
    for (int k = 0; k < from->rank; k++)
        if (!irl__view_match_axis(in, match, source, view, k)) return NULL;
    /* an alias of a view would begin elsewhere than the view: its data pointer has no memory of its
       own */
    return irl__view_bind(in, view, source->memory, NULL);
}
