/* analyzer.c - keeps what is known about variables and expressions, as long as it is known.

   needs     scratch memory for its start, the context's arena for what grows beyond it
   promises  lookups in constant time; nothing is built that the IR would refuse */
#include "engine.h"

enum { IRL__KNOWN_START = 32, IRL__TERMS_START = 64, IRL__UNDO_START = 16 };

irl__analyzer *irl__analyzer_make(irl_ctx *cx, irl__simplifier *simplify)
{
    irl__analyzer *an = IRL__SCRATCH(cx, irl__analyzer, 1);
    if (!an) return NULL;
    an->cx = cx;
    an->simplify = simplify;
    an->memo = (irl__memos *)irl__scratch_room(cx, 1, sizeof *an->memo);
    if (an->memo) memset(an->memo->filled, 0, sizeof an->memo->filled);
    an->known = IRL__SCRATCH(cx, irl__known, IRL__KNOWN_START);
    an->known_capacity = IRL__KNOWN_START;
    an->keys = (const irl_expr **)irl__scratch_room(cx, IRL__KNOWN_START, sizeof *an->keys);
    an->key_capacity = IRL__KNOWN_START;
    an->undo = (irl__undo *)irl__scratch_room(cx, IRL__UNDO_START, sizeof *an->undo);
    an->undo_capacity = IRL__UNDO_START;
    an->terms = (irl__term *)irl__scratch_room(cx, IRL__TERMS_START, sizeof *an->terms);
    an->term_capacity = IRL__TERMS_START;
    an->generation = an->next_generation = 1;
    an->work = IRL__WORK_LEAST;
    return an->memo && an->known && an->keys && an->undo && an->terms ? an : NULL;
}

/* ------------------------------------------------------------------ the table of what is known */

static int irl__known_slot(const irl__known *table, int capacity, const irl_expr *key)
{
    int slot = (int)(key->head.hash & (uint32_t)(capacity - 1));
    while (table[slot].key && table[slot].key != key) slot = (slot + 1) & (capacity - 1);
    return slot;
}

irl__known *irl__known_find(const irl__analyzer *an, const irl_expr *key)
{
    if (an->known_count == 0) return NULL;
    int slot = irl__known_slot(an->known, an->known_capacity, key);
    return an->known[slot].key ? &an->known[slot] : NULL;
}

void *irl__analyzer_room(irl__analyzer *an, void *list, int count, int *capacity, size_t size)
{
    if (count < *capacity) return list;
    void *grown = irl__alloc_array(an->cx, (size_t)*capacity * 2, size);
    if (!grown) return NULL;
    memcpy(grown, list, (size_t)count * size);
    *capacity *= 2;
    return grown;
}

static int irl__known_grow(irl__analyzer *an)
{
    int         capacity = an->known_capacity * 2, k;
    irl__known *table = IRL__NEW(an->cx, irl__known, capacity);
    if (!table) return 0;
    for (k = 0; k < an->known_capacity; k++)
        if (an->known[k].key)
            table[irl__known_slot(table, capacity, an->known[k].key)] = an->known[k];
    an->known = table;
    an->known_capacity = capacity;
    return 1;
}

irl__known *irl__known_add(irl__analyzer *an, const irl_expr *key)
{
    irl__known *entry = irl__known_find(an, key);
    if (entry) return entry;
    if (an->known_count * 2 >= an->known_capacity && !irl__known_grow(an)) return NULL;
    const irl_expr **keys = (const irl_expr **)irl__analyzer_room(
        an, an->keys, an->known_count, &an->key_capacity, sizeof *keys);
    if (!keys) return NULL;
    an->keys = keys;
    keys[an->known_count] = key;
    entry = &an->known[irl__known_slot(an->known, an->known_capacity, key)];
    entry->key = key;
    entry->range = irl__interval_any();
    entry->since = an->known_count++;
    return entry;
}

int irl__bindings_mark(const irl__analyzer *an) { return an ? an->known_count : 0; }

void irl__bindings_release(irl__analyzer *an, int mark)
{
    if (!an) return;
    /* Empties a slot; entries behind it that could not have been reached otherwise move up. */
    while (an->known_count > mark) {
        int slot = irl__known_slot(an->known, an->known_capacity, an->keys[--an->known_count]);
        int mask = an->known_capacity - 1, next = slot, home;
        for (;;) {
            next = (next + 1) & mask;
            if (!an->known[next].key) break;
            home = (int)(an->known[next].key->head.hash & (uint32_t)mask);
            if (((next - home) & mask) < ((next - slot) & mask)) continue;
            an->known[slot] = an->known[next];
            slot = next;
        }
        memset(&an->known[slot], 0, sizeof an->known[slot]);
    }
}

irl__memo *irl__memo_in(const irl__analyzer *an, irl__memos *memos, const irl_expr *key)
{
    const uint32_t place = key->id & (IRL__MEMO_SIZE - 1), bit = 1u << (place & 31);
    irl__memo     *m = &memos->at[place];
    if (!(memos->filled[place / 32] & bit)) memos->filled[place / 32] |= bit;
    else if (m->key == key && m->generation == an->generation) return m;
    m->key = key;
    m->generation = an->generation;
    m->result = NULL;
    m->has_range = 0;
    return m;
}

irl__memo *irl__memo_of(irl__analyzer *an, const irl_expr *key)
{
    return irl__memo_in(an, an->memo, key);
}

void irl__forget_memo(irl__analyzer *an) { an->generation = ++an->next_generation; }

/* ------------------------------------------------------------------ building within the limits */

static int irl__make_fits(irl__analyzer *an, int count, const irl_expr *const *a)
{
    uint64_t size = 1;
    for (int k = 0; k < count; k++) {
        if (!a[k]) return 0;
        size += a[k]->size;
        if (a[k]->depth + 2 > IRL_MAX_DEPTH) an->too_big = 1;
    }
    if (size > IRL_MAX_NODES) an->too_big = 1;
    return !an->too_big;
}

const irl_expr *irl__make1(irl__analyzer *an, irl_op op, const irl_expr *a)
{
    return irl__make_fits(an, 1, &a) ? irl_expr_op1(an->cx, op, a) : NULL;
}

const irl_expr *irl__make2(irl__analyzer *an, irl_op op, const irl_expr *a, const irl_expr *b)
{
    const irl_expr *ab[2];
    ab[0] = a;
    ab[1] = b;
    return irl__make_fits(an, 2, ab) ? irl_expr_op2(an->cx, op, a, b) : NULL;
}

const irl_expr *irl__make_with(irl__analyzer *an, const irl_expr *e,
                               const irl_expr *const *operands)
{
    return irl__make_fits(an, (int)e->count, operands) ? irl__expr_with(an->cx, e, operands) : NULL;
}
