/* ptr_map.c - a map from pointers to pointers, for passes that replace one thing by another.

   needs     scratch memory: the map ends with the scratch scope in which it grew
   promises  expected constant time; the order of insertion has no influence */
#include "base.h"

static size_t irl__ptr_map_slot(const irl__ptr_map *map, const void *key)
{
    size_t mask = map->capacity - 1, slot = irl__hash_mix(0, (uint64_t)(uintptr_t)key) & mask;
    while (map->keys[slot] && map->keys[slot] != key) slot = (slot + 1) & mask;
    return slot;
}

void *irl__ptr_map_get(const irl__ptr_map *map, const void *key)
{
    return map->capacity ? map->values[irl__ptr_map_slot(map, key)] : NULL;
}

static int irl__ptr_map_grow(irl_ctx *cx, irl__ptr_map *map)
{
    irl__ptr_map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 16;
    map->keys = IRL__SCRATCH(cx, const void *, map->capacity);
    map->values = IRL__SCRATCH(cx, void *, map->capacity);
    if (!map->keys || !map->values) {
        *map = old;
        return 0;
    }
    for (size_t k = 0; k < old.capacity; k++) {
        if (!old.keys[k]) continue;
        size_t slot = irl__ptr_map_slot(map, old.keys[k]);
        map->keys[slot] = old.keys[k];
        map->values[slot] = old.values[k];
    }
    return 1;
}

int irl__ptr_map_put(irl_ctx *cx, irl__ptr_map *map, const void *key, const void *value)
{
    if (2 * map->count >= map->capacity && !irl__ptr_map_grow(cx, map)) return 0;
    size_t slot = irl__ptr_map_slot(map, key);
    map->count += map->keys[slot] == NULL;
    map->keys[slot] = key;
    /* keeps the constness of the value out of the types */
    memcpy(&map->values[slot], &value, sizeof value);
    return 1;
}
