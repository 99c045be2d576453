/* intern.c - tables that hold equal things once.

   needs     memory outside the arenas for the buckets, so that a rewind never pulls them away
   promises  equal names are equal pointers; rewinding pops what is newer than a mark, in time
             proportional to it; a text cannot be made to fill one bucket without knowing the
             context's keys, which differ from run to run wherever the system places memory at
             random (nodes over one variable share a segment of 2^14 buckets). No result depends on
             them: they only find things; decisions about the work of a question use forms, which
             are hashes of content. */
#include "base.h"

/* A bijection of 64 bits in which every input bit moves about half of the output's. */
static uint64_t irl__hash_stir(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void irl__hash_keys_make(irl_ctx *cx)
{
    /* where this run of the program put them */
    const uint64_t a = (uint64_t)(uintptr_t)cx, b = (uint64_t)(uintptr_t)&cx;
    cx->hash_point =
        (uint32_t)(irl__hash_stir(a ^ irl__hash_stir(b)) % (IRL__HASH_PRIME - 256)) + 255;
    cx->hash_low = irl__hash_stir(a + b) | 1;
    cx->hash_high = irl__hash_stir(b - a) | 1;
}

/* The polynomial whose coefficients are the bytes, at the context's point. */
uint32_t irl__hash_bytes(const irl_ctx *cx, const void *data, size_t length)
{
    const unsigned char *p = (const unsigned char *)data;
    uint64_t       h = 1;
    size_t         i;
    for (i = 0; i < length; i++) {
        h = h * cx->hash_point + p[i];
        h = (h & IRL__HASH_PRIME) + (h >> 31); /* the same modulo 2^31 - 1 */
        if (h >= IRL__HASH_PRIME) h -= IRL__HASH_PRIME;
    }
    return (uint32_t)h;
}

/* Doubling splits each bucket in two and keeps the order within it, newest first. */
static int irl__intern_grow(irl_ctx *cx, irl__intern_hash *table)
{
    size_t          old_count = table->bucket_count, count = old_count ? old_count * 2 : 256, i;
    irl__interned **buckets = (irl__interned **)irl__raw_alloc(cx, count * sizeof *buckets);
    if (!buckets) return 0;
    memset(buckets, 0, count * sizeof *buckets);
    for (i = 0; i < old_count; i++) {
        irl__interned  *item = table->buckets[i], *next;
        irl__interned **low = &buckets[i], **high = &buckets[i + old_count];
        for (; item; item = next) {
            next = item->next;
            item->next = NULL;
            if (item->hash & old_count) {
                *high = item;
                high = &item->next;
            } else {
                *low = item;
                low = &item->next;
            }
        }
    }
    irl__raw_free(cx, table->buckets, old_count * sizeof *buckets);
    table->buckets = buckets;
    table->bucket_count = count;
    return 1;
}

int irl__intern_add(irl_ctx *cx, irl__intern_hash *table, irl__interned *item)
{
    if (table->count >= table->bucket_count && !irl__intern_grow(cx, table)) return 0;
    irl__interned **bucket = &table->buckets[item->hash & (table->bucket_count - 1)];
    item->next = *bucket;
    *bucket = item;
    item->older = table->newest;
    table->newest = item;
    table->count++;
    return 1;
}

void irl__intern_rewind(irl__intern_hash *table, irl__interned *newest)
{
    while (table->newest != newest) {
        irl__interned *item = table->newest;
        /* the newest stands first in its bucket */
        table->buckets[item->hash & (table->bucket_count - 1)] = item->next;
        table->newest = item->older;
        table->count--;
    }
}

typedef struct irl__name_entry {
    irl__interned head;
    size_t        length;
    char         *text; /* right behind the entry */
    uint32_t      form;
} irl__name_entry;

uint32_t irl__name_form(const char *name)
{
    return ((const irl__name_entry *)(const void *)name - 1)->form;
}

const char *irl__name(irl_ctx *cx, const char *text, size_t length)
{
    uint32_t         hash = irl__hash_bytes(cx, text, length);
    irl__interned   *item = irl__intern_bucket(&cx->names, hash);
    irl__name_entry *entry;
    for (; item; item = item->next) {
        entry = (irl__name_entry *)(void *)item;
        if (item->hash == hash && entry->length == length && memcmp(entry->text, text, length) == 0)
            return entry->text;
    }
    if (length > SIZE_MAX / 2) return NULL;
    entry = (irl__name_entry *)irl__alloc(cx, sizeof *entry + length + 1);
    if (!entry) return NULL;
    entry->head.hash = hash;
    entry->length = length;
    entry->text = (char *)(entry + 1);
    if (length) memcpy(entry->text, text, length);
    entry->text[length] = '\0';
    uint32_t h = 0;
    for (size_t i = 0; i < length; i++) h = irl__hash_mix(h, (unsigned char)text[i]);
    entry->form = h;
    return irl__intern_add(cx, &cx->names, &entry->head) ? entry->text : NULL;
}

const char *irl__namez(irl_ctx *cx, const char *text) { return irl__name(cx, text, strlen(text)); }
