/* context.c - contexts: where their memory comes from, making and destroying them, returning to a
   mark.

   needs     an irl_allocator, or one block of the caller's; memory.c, intern.c
   promises  every byte is counted, and irl_ctx_destroy frees it; after irl_ctx_rewind the context
             is as it was at the mark */
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
    memset(&standard, 0, sizeof standard);
    if (!desc) desc = &standard;
    irl_ctx *cx = desc->block ? irl__context_in_block(desc->block, desc->block_bytes)
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
    if (!cx) return;
    irl__context_free_hash(cx, &cx->names);
    irl__context_free_hash(cx, &cx->exprs);
    irl__arena_free(cx, &cx->arena);
    irl__arena_free(cx, &cx->scratch);
    if (cx->block.begin) return;
    irl_allocator allocator = cx->allocator;
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

static irl__mark_point irl__mark_now(const irl_ctx *cx)
{
    irl__mark_point p;
    memset(&p, 0, sizeof p);
    p.arena = irl__arena_now(&cx->arena);
    p.newest_name = cx->names.newest;
    p.newest_expr = cx->exprs.newest;
    p.targets = cx->targets;
    p.next_id = cx->next_id;
    p.code = cx->diag.code;
    p.refusal = cx->refusal;
    return p;
}

/* Is q the state p? */
static int irl__mark_is(const irl__mark_point *p, const irl__mark_point *q)
{
    return p->arena.chunk == q->arena.chunk && p->arena.used == q->arena.used &&
           p->newest_name == q->newest_name && p->newest_expr == q->newest_expr &&
           p->targets == q->targets && p->next_id == q->next_id && p->code == q->code &&
           p->refusal == q->refusal;
}

irl_mark irl_ctx_mark(irl_ctx *cx)
{
    irl_mark        m = { NULL, 0 };
    irl__mark_point now, *p = cx ? cx->marks : NULL;
    if (!cx) return m;
    now = irl__mark_now(cx);
    if (!p || !irl__mark_is(p, &now)) {
        p = (irl__mark_point *)irl__alloc(cx, sizeof *p);
        if (!p) return m;
        now.outer = cx->marks;
        now.serial = ++cx->mark_serial;
        now.arena = irl__arena_now(&cx->arena);
        *p = now;
        cx->marks = p;
    }
    m.point = p;
    m.serial = p->serial;
    return m;
}

void irl_ctx_rewind(irl_ctx *cx, irl_mark m)
{
    irl__mark_point *p = cx ? cx->marks : NULL;
    while (p && p->serial > m.serial) p = p->outer;
    if (!cx || !m.point) return;
    if (p != m.point || p->serial != m.serial) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the mark is of another context, or an earlier "
                  "rewind removed it");
        return;
    }
    irl__intern_rewind(&cx->names, p->newest_name);
    irl__intern_rewind(&cx->exprs, p->newest_expr);
    cx->targets = p->targets;
    cx->marks = p;
    irl__arena_rewind(&cx->arena, p->arena);
    memset((void *)cx->recent, 0, sizeof cx->recent);
    cx->next_id = p->next_id;
    cx->here = irl__nowhere();
    cx->refusal = p->refusal;
    if (p->code == IRL_OK) memset(&cx->diag, 0, sizeof cx->diag);
}
