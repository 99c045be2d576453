/* memory.c - the allocator, the arenas, the growing array, checked arithmetic.

   needs     an irl_allocator, or one block of the caller's
   promises  every byte is accounted for and given back by irl_ctx_destroy; sizes that overflow are an out-of-memory
             diagnostic; a failed growth leaves the array as it was */
#include "base.h"

#include <stdlib.h>

#define IRL__ALIGN ((size_t)8)
#define IRL__FIRST_CHUNK ((size_t)4096 - sizeof(irl__chunk))
#define IRL__LARGEST_CHUNK ((size_t)1 << 20)

/* ------------------------------------------------------------------ allocators */

#ifndef IRL_NO_LIBC_ALLOCATOR
static void *irl__libc_allocate(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void irl__libc_release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}
#endif

static size_t irl__align_up(size_t bytes) { return (bytes + (IRL__ALIGN - 1)) & ~(IRL__ALIGN - 1); }

static void *irl__block_allocate(void *user, size_t bytes)
{
    irl__memory_block *b = (irl__memory_block *)user;
    size_t      need = irl__align_up(bytes);
    void       *piece = b->top;
    if (need < bytes || need > (size_t)(b->end - b->top)) return NULL;
    b->top += need;
    return piece;
}

static void irl__block_release(void *user, void *memory, size_t bytes)
{
    irl__memory_block *b = (irl__memory_block *)user;
    if ((unsigned char *)memory + irl__align_up(bytes) == b->top) b->top = (unsigned char *)memory;
}

void *irl__raw_alloc(irl_ctx *cx, size_t bytes)
{
    void *memory = cx->allocator.allocate(cx->allocator.user, bytes);
    if (!memory) {
        irl__fail(cx, IRL_ERROR_OUT_OF_MEMORY, irl__nowhere(), "%z bytes were asked for, %z are in use", bytes, cx->bytes_in_use);
        return NULL;
    }
    cx->bytes_in_use += bytes;
    if (cx->bytes_in_use > cx->bytes_peak) cx->bytes_peak = cx->bytes_in_use;
    return memory;
}

void irl__raw_free(irl_ctx *cx, void *memory, size_t bytes)
{
    if (!memory) return;
    cx->bytes_in_use -= bytes;
    cx->allocator.release(cx->allocator.user, memory, bytes);
}

/* ------------------------------------------------------------------ arenas */

static unsigned char *irl__chunk_data(irl__chunk *c) { return (unsigned char *)(c + 1); }

/* Moves to the next chunk that holds `bytes`; chunks kept by a rewind are used again before new ones are asked for. */
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
        return irl__fail(cx, IRL_ERROR_OUT_OF_MEMORY, irl__nowhere(), "%z bytes were asked for", bytes);
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
    void  *piece;
    if (need < bytes) {
        irl__fail(cx, IRL_ERROR_OUT_OF_MEMORY, irl__nowhere(), "%z bytes were asked for", bytes);
        return NULL;
    }
    if (!arena->current || need > arena->current->capacity - arena->current->used)
        if (!irl__arena_advance(cx, arena, need)) return NULL;
    piece = irl__chunk_data(arena->current) + arena->current->used;
    arena->current->used += need;
    return piece;
}

static irl__arena_mark irl__arena_now(const irl__arena *arena)
{
    irl__arena_mark mark;
    mark.chunk = arena->current;
    mark.used = arena->current ? arena->current->used : 0;
    return mark;
}

static void irl__arena_rewind(irl__arena *arena, irl__arena_mark mark)
{
    arena->current = mark.chunk;
    if (mark.chunk) mark.chunk->used = mark.used;
}

static void irl__arena_free(irl_ctx *cx, irl__arena *arena)
{
    irl__chunk *c = arena->first, *next;
    for (; c; c = next) {
        next = c->next;
        irl__raw_free(cx, c, sizeof(irl__chunk) + c->capacity);
    }
    arena->first = arena->current = NULL;
}

void *irl__alloc(irl_ctx *cx, size_t bytes) { return irl__arena_alloc(cx, &cx->arena, bytes); }

static void *irl__arena_alloc_cleared(irl_ctx *cx, irl__arena *arena, size_t count, size_t size)
{
    void *piece;
    if (size && count > SIZE_MAX / size) {
        irl__fail(cx, IRL_ERROR_OUT_OF_MEMORY, irl__nowhere(), "%z times %z bytes were asked for", count, size);
        return NULL;
    }
    piece = irl__arena_alloc(cx, arena, count * size);
    if (piece) memset(piece, 0, count * size);
    return piece;
}

void *irl__alloc_array(irl_ctx *cx, size_t count, size_t size) { return irl__arena_alloc_cleared(cx, &cx->arena, count, size); }

void *irl__copy(irl_ctx *cx, const void *data, size_t count, size_t size)
{
    void *piece = irl__alloc_array(cx, count, size);
    if (piece && data && count) memcpy(piece, data, count * size);
    return piece;
}

irl__arena_mark irl__scratch_begin(irl_ctx *cx) { return irl__arena_now(&cx->scratch); }
void irl__scratch_end(irl_ctx *cx, irl__arena_mark mark) { irl__arena_rewind(&cx->scratch, mark); }
void *irl__scratch_alloc(irl_ctx *cx, size_t count, size_t size) { return irl__arena_alloc_cleared(cx, &cx->scratch, count, size); }

/* ------------------------------------------------------------------ arrays */

/* The old elements stay where they were when the array moves: a stretch of the arena gives them back. */
int irl__array_room(irl_ctx *cx, irl__arena *arena, void *array_address, size_t element_size)
{
    void               *array;
    stbds_array_header *old, *grown;
    size_t              capacity;
    memcpy(&array, array_address, sizeof array);
    old = array ? stbds_header(array) : NULL;
    if (old && old->length < old->capacity) return 1;
    capacity = old ? old->capacity * 2 : 8;
    if (capacity > (SIZE_MAX / 2 - sizeof *grown) / element_size)
        return irl__fail(cx, IRL_ERROR_OUT_OF_MEMORY, irl__nowhere(), "an array of %z elements was asked for", capacity);
    grown = (stbds_array_header *)irl__arena_alloc(cx, arena, sizeof *grown + capacity * element_size);
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

/* ------------------------------------------------------------------ contexts */

irl_ctx *irl_ctx_create(const irl_desc *desc)
{
    irl_allocator allocator;
    irl__memory_block block;
    irl_ctx      *cx;
    memset(&allocator, 0, sizeof allocator);
    memset(&block, 0, sizeof block);
    if (desc && desc->block) {
        size_t skew = (size_t)((uintptr_t)desc->block & (IRL__ALIGN - 1));
        if (skew) skew = IRL__ALIGN - skew;
        if (desc->block_bytes < skew) return NULL;
        block.begin = block.top = (unsigned char *)desc->block + skew;
        block.end = (unsigned char *)desc->block + desc->block_bytes;
        cx = (irl_ctx *)irl__block_allocate(&block, sizeof *cx);
        if (!cx) return NULL;
        memset(cx, 0, sizeof *cx);
        cx->block = block;
        cx->allocator.allocate = irl__block_allocate;
        cx->allocator.release = irl__block_release;
        cx->allocator.user = &cx->block;
    } else {
        if (desc) allocator = desc->allocator;
        if (!allocator.allocate != !allocator.release) return NULL;
#ifndef IRL_NO_LIBC_ALLOCATOR
        if (!allocator.allocate) {
            allocator.allocate = irl__libc_allocate;
            allocator.release = irl__libc_release;
        }
#endif
        if (!allocator.allocate) return NULL;
        cx = (irl_ctx *)allocator.allocate(allocator.user, sizeof *cx);
        if (!cx) return NULL;
        memset(cx, 0, sizeof *cx);
        cx->allocator = allocator;
    }
    cx->bytes_in_use = cx->bytes_peak = sizeof *cx;
    cx->next_id = 1;
    irl__hash_keys_make(cx);
    if (desc) {
        cx->read_source = desc->read_source;
        cx->read_source_user = desc->read_source_user;
    }
    return cx;
}

static void irl__table_free(irl_ctx *cx, irl__intern_table *table)
{
    irl__raw_free(cx, table->buckets, table->bucket_count * sizeof *table->buckets);
    memset(table, 0, sizeof *table);
}

void irl_ctx_destroy(irl_ctx *cx)
{
    irl_allocator allocator;
    if (!cx) return;
    irl__table_free(cx, &cx->names);
    irl__table_free(cx, &cx->exprs);
    irl__arena_free(cx, &cx->arena);
    irl__arena_free(cx, &cx->scratch);
    if (cx->block.begin) return;
    allocator = cx->allocator;
    allocator.release(allocator.user, cx, sizeof *cx);
}

irl_memory irl_memory_use(const irl_ctx *cx)
{
    irl_memory m;
    m.in_use = cx ? cx->bytes_in_use : 0;
    m.peak = cx ? cx->bytes_peak : 0;
    return m;
}

irl_mark irl_mark_now(irl_ctx *cx)
{
    irl_mark        m;
    irl__arena_mark a;
    memset(&m, 0, sizeof m);
    if (!cx) return m;
    a = irl__arena_now(&cx->arena);
    m.chunk = a.chunk;
    m.used = a.used;
    m.newest_name = cx->names.newest;
    m.newest_expr = cx->exprs.newest;
    m.next_id = cx->next_id;
    m.code = (int)cx->diag.code;
    return m;
}

void irl_rewind(irl_ctx *cx, irl_mark m)
{
    irl__arena_mark a;
    if (!cx) return;
    irl__intern_rewind(&cx->names, (irl__interned *)m.newest_name);
    irl__intern_rewind(&cx->exprs, (irl__interned *)m.newest_expr);
    a.chunk = (irl__chunk *)m.chunk;
    a.used = m.used;
    irl__arena_rewind(&cx->arena, a);
    memset((void *)cx->recent, 0, sizeof cx->recent);
    cx->next_id = m.next_id;
    cx->here = irl__nowhere();
    if (m.code == (int)IRL_OK) memset(&cx->diag, 0, sizeof cx->diag);
}

/* ------------------------------------------------------------------ checked arithmetic */

int irl__add64(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return 0;
    *out = a + b;
    return 1;
}

int irl__sub64(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) return 0;
    *out = a - b;
    return 1;
}

int irl__mul64(int64_t a, int64_t b, int64_t *out)
{
#if defined(__GNUC__) && !defined(__TINYC__)
    return !__builtin_mul_overflow(a, b, out);
#else
    if (a == 0 || b == 0) return *out = 0, 1;
    if (a == -1 ? b == INT64_MIN : b == -1 ? a == INT64_MIN : 0) return 0;
    if (a == -1 || b == -1) return *out = a == -1 ? -b : -a, 1;
    if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a) : (b > 0 ? a < INT64_MIN / b : a < INT64_MAX / b)) return 0;
    *out = a * b;
    return 1;
#endif
}

int irl__floordiv64(int64_t a, int64_t b, int64_t *out)
{
    int64_t q;
    if (b == 0 || (b == -1 && a == INT64_MIN)) return 0;
    q = a / b;
    *out = (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
    return 1;
}

int irl__floormod64(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    if (b == 0) return 0;
    if (b == -1) return *out = 0, 1; /* INT64_MIN % -1 traps on some machines */
    r = a % b;
    *out = (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
    return 1;
}

int64_t irl__gcd64(int64_t a, int64_t b)
{
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}
