/* memory.c - the arenas and the growing array.

   needs     the context's irl_allocator
   promises  every byte is counted, and irl_ctx_destroy frees it; sizes that overflow are an
             out-of-memory diagnostic; a failed growth leaves the array as it was */
#include "base.h"
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define IRL__WATCH_UNSET
#endif
#endif

#define IRL__FIRST_CHUNK ((size_t)4096 - sizeof(irl__chunk))
#define IRL__LARGEST_CHUNK ((size_t)1 << 20)

/* ------------------------------------------------------------------ what the allocator gives */

/* What a block would hold is counted with every allocator, so that a run with malloc tells how
   large a block must be. */
void irl__raw_count(irl_ctx *cx, void *piece, size_t bytes)
{
    cx->bytes_in_use += bytes;
    if (cx->bytes_in_use > cx->bytes_peak) cx->bytes_peak = cx->bytes_in_use;
    cx->block_top += irl__align_up(bytes);
    if (cx->block_top > cx->block_peak) cx->block_peak = cx->block_top;
    cx->last_piece = piece;
}

void *irl__raw_try(irl_ctx *cx, size_t bytes)
{
    void *memory = cx->allocator.allocate(cx->allocator.user, bytes);
    if (memory) irl__raw_count(cx, memory, bytes);
    return memory;
}

void *irl__raw_alloc(irl_ctx *cx, size_t bytes)
{
    void *memory = irl__raw_try(cx, bytes);
    if (!memory)
        IRL__FAIL(cx, IRL_ERROR_OUT_OF_MEMORY, "%z bytes were asked for, %z are in use", bytes,
                  cx->bytes_in_use);
    return memory;
}

void irl__raw_free(irl_ctx *cx, void *memory, size_t bytes)
{
    if (!memory) return;
    cx->bytes_in_use -= bytes;
    if (memory == cx->last_piece) {
        cx->block_top -= irl__align_up(bytes);
        cx->last_piece = NULL;
    }
    cx->allocator.release(cx->allocator.user, memory, bytes);
}

/* ------------------------------------------------------------------ arenas */

/* Memory that an arena hands out, or takes back, holds nothing: MemorySanitizer then reports a read
   of it, also where it was in use before. */
static void irl__arena_unset(void *memory, size_t bytes)
{
#ifdef IRL__WATCH_UNSET
    __msan_poison(memory, bytes);
#else
    (void)memory, (void)bytes;
#endif
}

/* Moves to the next chunk that holds `bytes`; chunks kept by a rewind are used again before new
   ones are asked for. */
static int irl__arena_advance(irl_ctx *cx, irl__arena *arena, size_t bytes)
{
    size_t      wanted = arena->current ? arena->current->capacity * 2 : IRL__FIRST_CHUNK;
    irl__chunk *c = arena->current ? arena->current->next : arena->first;
    if (c && c->capacity >= bytes) {
        c->used = 0;
        arena->current = c;
        return 1;
    }
    if (wanted > IRL__LARGEST_CHUNK) wanted = IRL__LARGEST_CHUNK;
    if (wanted < bytes) wanted = bytes;
    if (wanted > SIZE_MAX - sizeof(irl__chunk) - IRL__ALIGN)
        return IRL__FAIL(cx, IRL_ERROR_OUT_OF_MEMORY, "%z bytes were asked for", bytes);
    /* a block is used up to its end */
    while (cx->block.end && wanted / 2 >= bytes &&
           wanted + sizeof(irl__chunk) > (size_t)(cx->block.end - cx->block.top))
        wanted = irl__align_up(wanted / 2);
    c = (irl__chunk *)irl__raw_alloc(cx, sizeof(irl__chunk) + wanted);
    if (!c) return 0;
    c->capacity = wanted;
    c->used = 0;
    if (arena->current) {
        c->next = arena->current->next;
        arena->current->next = c;
    } else {
        c->next = arena->first;
        arena->first = c;
    }
    arena->current = c;
    return 1;
}

static void *irl__arena_alloc(irl_ctx *cx, irl__arena *arena, size_t bytes)
{
    size_t need = irl__align_up(bytes ? bytes : 1);
    if (need < bytes) {
        IRL__FAIL(cx, IRL_ERROR_OUT_OF_MEMORY, "%z bytes were asked for", bytes);
        return NULL;
    }
    if (!arena->current || need > arena->current->capacity - arena->current->used)
        if (!irl__arena_advance(cx, arena, need)) return NULL;
    void *piece = (unsigned char *)(arena->current + 1) + arena->current->used;
    arena->current->used += need;
    irl__arena_unset(piece, need);
    return piece;
}

irl__arena_mark irl__arena_now(const irl__arena *arena)
{
    irl__arena_mark mark = { arena->current, arena->current ? arena->current->used : 0 };
    return mark;
}

void irl__arena_rewind(irl__arena *arena, irl__arena_mark mark)
{
    for (irl__chunk *c = mark.chunk ? mark.chunk : arena->first; c; c = c->next) {
        size_t kept = c == mark.chunk ? mark.used : 0;
        irl__arena_unset((unsigned char *)(c + 1) + kept, c->used - kept);
        if (c == arena->current) break;
    }
    arena->current = mark.chunk;
    if (mark.chunk) mark.chunk->used = mark.used;
}

void irl__arena_free(irl_ctx *cx, irl__arena *arena)
{
    irl__chunk *c = arena->first, *next;
    for (; c; c = next) {
        next = c->next;
        irl__raw_free(cx, c, sizeof(irl__chunk) + c->capacity);
    }
    arena->first = arena->current = NULL;
}

void *irl__alloc(irl_ctx *cx, size_t bytes) { return irl__arena_alloc(cx, &cx->arena, bytes); }

static void *irl__arena_array(irl_ctx *cx, irl__arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        IRL__FAIL(cx, IRL_ERROR_OUT_OF_MEMORY, "%z times %z bytes were asked for", count, size);
        return NULL;
    }
    if (!irl__work(cx, (int64_t)(count * size / 16))) return NULL;
    return irl__arena_alloc(cx, arena, count * size);
}

static void *irl__arena_alloc_cleared(irl_ctx *cx, irl__arena *arena, size_t count, size_t size)
{
    void *piece = irl__arena_array(cx, arena, count, size);
    if (piece) memset(piece, 0, count * size);
    return piece;
}

void *irl__alloc_array(irl_ctx *cx, size_t count, size_t size)
{
    return irl__arena_alloc_cleared(cx, &cx->arena, count, size);
}

void *irl__copy(irl_ctx *cx, const void *data, size_t count, size_t size)
{
    if (!data || (size && count > SIZE_MAX / size)) return irl__alloc_array(cx, count, size);
    void *piece = irl__alloc(cx, count * size);
    if (piece && count) memcpy(piece, data, count * size);
    return piece;
}

irl__arena_mark irl__scratch_begin(irl_ctx *cx) { return irl__arena_now(&cx->scratch); }
void irl__scratch_end(irl_ctx *cx, irl__arena_mark mark) { irl__arena_rewind(&cx->scratch, mark); }
void *irl__scratch_alloc(irl_ctx *cx, size_t count, size_t size)
{
    return irl__arena_alloc_cleared(cx, &cx->scratch, count, size);
}
void *irl__scratch_room(irl_ctx *cx, size_t count, size_t size)
{
    return irl__arena_array(cx, &cx->scratch, count, size);
}

int irl__stack_grow(irl_ctx *cx, void *list_address, size_t count, size_t *capacity, size_t size)
{
    size_t wanted = *capacity ? *capacity * 2 : 64;
    void  *list, *grown = irl__scratch_alloc(cx, wanted, size);
    if (!grown) return 0;
    memcpy(&list, list_address, sizeof list);
    if (count) memcpy(grown, list, count * size);
    memcpy(list_address, &grown, sizeof grown);
    *capacity = wanted;
    return 1;
}

/* ------------------------------------------------------------------ arrays */

/* The old elements stay where they were when the array moves: a segment of the arena gives them
   back. */
int irl__array_room(irl_ctx *cx, irl__arena *arena, void *array_address, size_t element_size)
{
    void               *array;
    stbds_array_header *grown;
    memcpy(&array, array_address, sizeof array);
    stbds_array_header *old = array ? stbds_header(array) : NULL;
    if (old && old->length < old->capacity) return 1;
    size_t capacity = old ? old->capacity * 2 : 8;
    if (capacity > (SIZE_MAX / 2 - sizeof *grown) / element_size)
        return IRL__FAIL(cx, IRL_ERROR_OUT_OF_MEMORY, "an array of %z elements was asked for",
                         capacity);
    grown =
        (stbds_array_header *)irl__arena_alloc(cx, arena, sizeof *grown + capacity * element_size);
    if (!grown) return 0;
    memset(grown, 0, sizeof *grown);
    grown->capacity = capacity;
    if (old) {
        grown->length = old->length;
        memcpy(grown + 1, old + 1, old->length * element_size);
    }
    array = grown + 1;
    memcpy(array_address, &array, sizeof array);
    return 1;
}
