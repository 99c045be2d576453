/* context.c - contexts: where their memory comes from, making and destroying them, returning to a
   mark.

   needs     an irl_allocator, or one block of the caller's; memory.c, intern.c
   promises  every byte is accounted for and given back by irl_ctx_destroy; after irl_ctx_rewind the
             context is as it was at the mark */
#include "base.h"

#include <stdlib.h>

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

static void *irl__block_allocate(void *user, size_t bytes)
{
    irl__memory_block *b = (irl__memory_block *)user;
    size_t             need = irl__align_up(bytes);
    void              *piece = b->top;
    if (need < bytes || need > (size_t)(b->end - b->top)) return NULL;
    b->top += need;
    return piece;
}

static void irl__block_release(void *user, void *memory, size_t bytes)
{
    irl__memory_block *b = (irl__memory_block *)user;
    if ((unsigned char *)memory + irl__align_up(bytes) == b->top) b->top = (unsigned char *)memory;
}

/* ------------------------------------------------------------------ contexts */

/* In the caller's block, whose rest is the context's memory. */
static irl_ctx *irl__context_in_block(void *memory, size_t bytes)
{
    irl__memory_block block;
    irl_ctx          *cx;
    size_t            skew = (size_t)(0 - (uintptr_t)memory) & (IRL__ALIGN - 1);
    if (bytes < skew) return NULL;
    block.begin = block.top = (unsigned char *)memory + skew;
    block.end = (unsigned char *)memory + bytes;
    cx = (irl_ctx *)irl__block_allocate(&block, sizeof *cx);
    if (!cx) return NULL;
    memset(cx, 0, sizeof *cx);
    cx->block = block;
    cx->allocator.allocate = irl__block_allocate;
    cx->allocator.release = irl__block_release;
    cx->allocator.user = &cx->block;
    return cx;
}

/* Both functions or neither: then malloc and free, if there are any. */
static irl_ctx *irl__context_allocated(irl_allocator allocator)
{
    irl_ctx *cx;
    if (!allocator.allocate != !allocator.release) return NULL;
#ifndef IRL_NO_LIBC_ALLOCATOR
    if (!allocator.allocate) {
        allocator.allocate = irl__libc_allocate;
        allocator.release = irl__libc_release;
    }
#endif
    cx = allocator.allocate ? (irl_ctx *)allocator.allocate(allocator.user, sizeof *cx) : NULL;
    if (!cx) return NULL;
    memset(cx, 0, sizeof *cx);
    cx->allocator = allocator;
    return cx;
}

irl_ctx *irl_ctx_create(const irl_ctx_desc *desc)
{
    irl_ctx_desc standard;
    irl_ctx *cx;
    memset(&standard, 0, sizeof standard);
    if (!desc) desc = &standard;
    cx = desc->block ? irl__context_in_block(desc->block, desc->block_bytes)
                     : irl__context_allocated(desc->allocator);
    if (!cx) return NULL;
    irl__raw_count(cx, cx, sizeof *cx);
    cx->next_id = 1;
    cx->steps_left = INT64_MAX;
    cx->most_work = desc->most_work;
    cx->read_source = desc->read_source;
    cx->read_source_user = desc->read_source_user;
    cx->no_files = desc->no_files;
    cx->call_extern = desc->call_extern;
    cx->call_extern_user = desc->call_extern_user;
    irl__hash_keys_make(cx);
    return cx;
}

static void irl__context_free_hash(irl_ctx *cx, irl__intern_hash *table)
{
    irl__raw_free(cx, table->buckets, table->bucket_count * sizeof *table->buckets);
    memset(table, 0, sizeof *table);
}

void irl_ctx_destroy(irl_ctx *cx)
{
    irl_allocator allocator;
    if (!cx) return;
    irl__context_free_hash(cx, &cx->names);
    irl__context_free_hash(cx, &cx->exprs);
    irl__arena_free(cx, &cx->arena);
    irl__arena_free(cx, &cx->scratch);
    if (cx->block.begin) return;
    allocator = cx->allocator;
    allocator.release(allocator.user, cx, sizeof *cx);
}

irl_memory irl_ctx_memory(const irl_ctx *cx)
{
    irl_memory m;
    m.in_use = cx ? cx->bytes_in_use : 0;
    m.peak = cx ? cx->bytes_peak : 0;
    m.block = cx ? cx->block_peak : 0;
    return m;
}

irl_mark irl_ctx_mark(irl_ctx *cx)
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
    m.newest_target = cx->targets;
    m.next_id = cx->next_id;
    m.code = (int)cx->diag.code;
    m.refusal = cx->refusal;
    return m;
}

void irl_ctx_rewind(irl_ctx *cx, irl_mark m)
{
    irl__arena_mark a;
    if (!cx) return;
    irl__intern_rewind(&cx->names, (irl__interned *)m.newest_name);
    irl__intern_rewind(&cx->exprs, (irl__interned *)m.newest_expr);
    cx->targets = (const struct irl__target_node *)m.newest_target;
    a.chunk = (irl__chunk *)m.chunk;
    a.used = m.used;
    irl__arena_rewind(&cx->arena, a);
    memset((void *)cx->recent, 0, sizeof cx->recent);
    cx->next_id = m.next_id;
    cx->here = irl__nowhere();
    cx->refusal = (const struct irl_step_refusal *)m.refusal;
    if (m.code == (int)IRL_OK) memset(&cx->diag, 0, sizeof cx->diag);
}
