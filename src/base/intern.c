/* intern.c - tables that hold equal things once.

   needs     memory outside the arenas for the buckets, so that a rewind never pulls them away
   promises  equal names are equal pointers; rewinding pops what is newer than a mark, in time proportional to it */
#include "base.h"

uint32_t irl__hash_bytes(const void *data, size_t length, uint32_t seed)
{
    const unsigned char *p = (const unsigned char *)data;
    uint32_t             h = seed ^ UINT32_C(2166136261); /* FNV-1a */
    size_t               i;
    for (i = 0; i < length; i++) h = (h ^ p[i]) * UINT32_C(16777619);
    return h;
}

/* Doubling splits each bucket in two and keeps the order within it, newest first. */
static int irl__intern_grow(irl_ctx *cx, irl__intern_table *table)
{
    size_t          old_count = table->bucket_count, count = old_count ? old_count * 2 : 256, i;
    irl__interned **buckets = (irl__interned **)irl__raw_alloc(cx, count * sizeof *buckets);
    if (!buckets) return 0;
    memset(buckets, 0, count * sizeof *buckets);
    for (i = 0; i < old_count; i++) {
        irl__interned *item = table->buckets[i], *next;
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

int irl__intern_add(irl_ctx *cx, irl__intern_table *table, irl__interned *item)
{
    irl__interned **bucket;
    if (table->count >= table->bucket_count && !irl__intern_grow(cx, table)) return 0;
    bucket = &table->buckets[item->hash & (table->bucket_count - 1)];
    item->next = *bucket;
    *bucket = item;
    item->older = table->newest;
    table->newest = item;
    table->count++;
    return 1;
}

void irl__intern_rewind(irl__intern_table *table, irl__interned *newest)
{
    while (table->newest != newest) {
        irl__interned *item = table->newest;
        table->buckets[item->hash & (table->bucket_count - 1)] = item->next; /* the newest stands first in its bucket */
        table->newest = item->older;
        table->count--;
    }
}

typedef struct irl__name_entry {
    irl__interned head;
    size_t        length;
    char         *text;
} irl__name_entry;

const char *irl__name(irl_ctx *cx, const char *text, size_t length)
{
    uint32_t         hash = irl__hash_bytes(text, length, 0);
    irl__interned   *item = irl__intern_bucket(&cx->names, hash);
    irl__name_entry *entry;
    for (; item; item = item->next) {
        entry = (irl__name_entry *)(void *)item;
        if (item->hash == hash && entry->length == length && memcmp(entry->text, text, length) == 0) return entry->text;
    }
    if (length > SIZE_MAX / 2) return NULL;
    entry = (irl__name_entry *)irl__alloc(cx, sizeof *entry + length + 1);
    if (!entry) return NULL;
    entry->head.hash = hash;
    entry->length = length;
    entry->text = (char *)(entry + 1);
    if (length) memcpy(entry->text, text, length);
    entry->text[length] = '\0';
    return irl__intern_add(cx, &cx->names, &entry->head) ? entry->text : NULL;
}

const char *irl__namez(irl_ctx *cx, const char *text) { return irl__name(cx, text, strlen(text)); }
