/* emit_names.c - identifiers, and which variable has which.

   needs     base (identifier.c): what the language has taken
   promises  whatever the user called a thing, what is printed is an identifier that the language
             has not taken, of at most 63 characters, and unlike all names of the enclosing scopes.
             A name that is legal and free stays as it is. Cost: constant for each, even if many
             things want one name. */
#include "emit.h"

struct irl__emit_name {
    const char     *text;
    irl__emit_name *base;        /* the name that this one is numbered after; NULL: none */
    uint32_t        hash, length;
    uint32_t        next_suffix; /* of names after this one: all below are taken */
    uint32_t        suffix;
    int             in_scope;
};

int irl__emit_begin(irl__emit *e, irl__emit_unit *unit, const char *prefix)
{
    irl_ctx *cx = unit->cx;
    memset(e, 0, sizeof *e);
    e->cx = cx;
    e->language = unit->language;
    e->unit = unit;
    e->prefix = prefix;
    irl__text_init(&e->text, cx);
    e->name_capacity = 64;
    e->symbol_capacity = 64;
    e->names = (irl__emit_name **)irl__scratch_alloc(cx, e->name_capacity, sizeof *e->names);
    e->symbols =
        (irl__emit_symbol *)irl__scratch_alloc(cx, e->symbol_capacity, sizeof *e->symbols);
    e->ranges = irl__analyzer_begin(cx);
    return e->names && e->symbols && e->ranges;
}

/* ------------------------------------------------------------------ the table of names */

static irl__emit_name **irl__names_place(irl__emit_name **table, size_t capacity, const char *text,
                                         size_t length, uint32_t hash)
{
    size_t at = hash & (capacity - 1);
    while (table[at] && (table[at]->hash != hash || table[at]->length != length ||
                         memcmp(table[at]->text, text, length) != 0))
        at = (at + 1) & (capacity - 1);
    return &table[at];
}

static int irl__names_grow(irl__emit *e)
{
    size_t           capacity = e->name_capacity * 2, k;
    irl__emit_name **table = (irl__emit_name **)irl__scratch_alloc(e->cx, capacity, sizeof *table);
    if (!table) return 0;
    for (k = 0; k < e->name_capacity; k++) {
        irl__emit_name *n = e->names[k];
        if (n) *irl__names_place(table, capacity, n->text, n->length, n->hash) = n;
    }
    e->names = table;
    e->name_capacity = capacity;
    return 1;
}

/* The entry of a text that is a legal name. */
static irl__emit_name *irl__names_entry(irl__emit *e, const char *text, size_t length)
{
    uint32_t        hash = irl__hash_bytes(e->cx, text, length);
    irl__emit_name *n;
    if (e->name_count * 2 >= e->name_capacity && !irl__names_grow(e)) return NULL;
    irl__emit_name **place = irl__names_place(e->names, e->name_capacity, text, length, hash);
    if (*place) return *place;
    n = (irl__emit_name *)irl__scratch_alloc(e->cx, 1, sizeof *n);
    char *copy = (char *)irl__scratch_alloc(e->cx, length + 1, 1);
    if (!n || !copy) return NULL;
    memcpy(copy, text, length);
    n->text = copy;
    n->hash = hash;
    n->length = (uint32_t)length;
    n->next_suffix = 1;
    e->name_count++;
    return *place = n;
}

static const char *irl__names_enter(irl__emit *e, irl__emit_name *n)
{
    if (e->name_depth < (size_t)stbds_arrlen(e->name_stack)) e->name_stack[e->name_depth] = n;
    else if (!IRL__PUSH_SCRATCH(e->cx, e->name_stack, n)) return NULL;
    e->name_depth++;
    n->in_scope = 1;
    return n->text;
}

const char *irl__emit_take_name(irl__emit *e, const char *wish)
{
    char      legal[IRL__IDENTIFIER_MAX + 16]; /* a number may come after the name */
    size_t    length = strlen(wish);
    irl__text numbered;
    irl__emit_name *base = *irl__names_place(e->names, e->name_capacity, wish, length,
                                             irl__hash_bytes(e->cx, wish, length)),
                   *n;
    if (!base) {
        length = irl__identifier(e->language->tongue, wish, legal);
        base = irl__names_entry(e, legal, length);
    }
    if (!base || !base->in_scope) return base ? irl__names_enter(e, base) : NULL;
    do {
        uint32_t suffix = base->next_suffix++;
        irl__text_init_fixed(&numbered, legal, sizeof legal);
        irl__text_append(&numbered, base->text, base->length);
        irl__textf(&numbered, "_%u", (uint64_t)suffix);
        n = irl__names_entry(e, legal, numbered.length);
        if (!n) return NULL;
        if (!n->in_scope) {
            n->base = base;
            n->suffix = suffix;
        }
    } while (n->in_scope);
    return irl__names_enter(e, n);
}

/* ------------------------------------------------------------------ scopes */

irl__emit_scope irl__emit_scope_begin(irl__emit *e)
{
    irl__emit_scope s;
    s.names = e->name_depth;
    s.keys = e->key_depth;
    s.constants = (size_t)stbds_arrlen(e->constants);
    return s;
}

int irl__emit_calls(const irl_expr *x)
{
    if (!(x->flags & IRL__HAS_MEMORY)) return 0;
    if (x->op == IRL_OP_CALL_EXTERN || x->op == IRL_OP_CALL_INTRINSIC) return 1;
    for (uint32_t k = 0; k < x->count; k++)
        if (irl__emit_calls(x->a[k])) return 1;
    return 0;
}

int irl__emit_mentions(const char *text, size_t length, const char *name)
{
    const size_t n = strlen(name);
    if (!n || length < n) return 0;
    const char *at = text, *end = text + length;
    for (; (size_t)(end - at) >= n; at++) {
        at = (const char *)memchr(at, *name, (size_t)(end - at) - n + 1);
        if (!at) return 0;
        if (memcmp(at, name, n) == 0 && (at == text || !irl__in_identifier(at[-1])) &&
            (at + n == end || !irl__in_identifier(at[n])))
            return 1;
    }
    return 0;
}

void irl__emit_forget(irl__emit *e, irl__emit_scope scope, const void *keep)
{
    int kept = 0;
    for (size_t k = scope.keys; k < e->key_depth; k++) {
        irl__emit_symbol *s = irl__emit_find(e, e->key_stack[k]);
        if (e->key_stack[k] == keep) kept = 1;
        else if (s) {
            e->temporaries -= s->is_temporary;
            if (s->end) (void)IRL__PUSH_SCRATCH(e->cx, e->constants, *s); /* failed: in cx */
            s->name = NULL;
        }
    }
    e->key_depth = scope.keys;
    if (kept) e->key_stack[e->key_depth++] = keep;
}

/* Constants that nothing after them uses are not declared: compilers warn of them. The last goes
   first, because it may be what used another one. */
static void irl__names_drop(irl__emit *e, size_t first)
{
    size_t            count = (size_t)stbds_arrlen(e->constants), k, j;
    irl__text        *t = &e->text;
    irl__emit_symbol *list = e->constants, moved;
    for (k = first + 1; k < count; k++) { /* sorted but for a few */
        moved = list[k];
        for (j = k; j > first && list[j - 1].start > moved.start; j--) list[j] = list[j - 1];
        list[j] = moved;
    }
    for (k = count; k-- > first && !t->failed;) {
        if (list[k].end > t->length ||
            irl__emit_mentions(t->data + list[k].end, t->length - list[k].end, list[k].name))
            continue;
        memmove(t->data + list[k].start, t->data + list[k].end, t->length - list[k].end + 1);
        t->length -= list[k].end - list[k].start;
    }
    while ((size_t)stbds_arrlen(e->constants) > first) (void)stbds_arrpop(e->constants);
}

void irl__emit_scope_end(irl__emit *e, irl__emit_scope scope)
{
    irl__emit_forget(e, scope, NULL);
    irl__names_drop(e, scope.constants);
    while (e->name_depth > scope.names) {
        irl__emit_name *n = e->name_stack[--e->name_depth];
        n->in_scope = 0;
        if (n->base && n->base->next_suffix > n->suffix) n->base->next_suffix = n->suffix;
        n->base = NULL;
    }
}

/* ------------------------------------------------------------------ symbols */

static irl__emit_symbol *irl__symbols_place(irl__emit_symbol *table, size_t capacity,
                                            const void *key)
{
    size_t at = irl__hash_mix(0, (uint64_t)(uintptr_t)key) & (capacity - 1);
    while (table[at].key && table[at].key != key) at = (at + 1) & (capacity - 1);
    return &table[at];
}

irl__emit_symbol *irl__emit_find(irl__emit *e, const void *key)
{
    irl__emit_symbol *s = irl__symbols_place(e->symbols, e->symbol_capacity, key);
    return s->key && s->name ? s : NULL;
}

static int irl__symbols_grow(irl__emit *e)
{
    size_t capacity = e->symbol_capacity * 2, k;
    irl__emit_symbol *table =
        (irl__emit_symbol *)irl__scratch_alloc(e->cx, capacity, sizeof *table);
    if (!table) return 0;
    e->symbol_count = 0;
    for (k = 0; k < e->symbol_capacity; k++)
        if (e->symbols[k].key && e->symbols[k].name) {
            *irl__symbols_place(table, capacity, e->symbols[k].key) = e->symbols[k];
            e->symbol_count++;
        }
    e->symbols = table;
    e->symbol_capacity = capacity;
    return 1;
}

irl__emit_symbol *irl__emit_bind(irl__emit *e, const void *key, const char *name)
{
    if (!name) return NULL;
    if (e->key_depth < (size_t)stbds_arrlen(e->key_stack)) e->key_stack[e->key_depth] = key;
    else if (!IRL__PUSH_SCRATCH(e->cx, e->key_stack, key)) return NULL;
    e->key_depth++;
    if (e->symbol_count * 2 >= e->symbol_capacity && !irl__symbols_grow(e)) return NULL;
    irl__emit_symbol *s = irl__symbols_place(e->symbols, e->symbol_capacity, key);
    if (!s->key) e->symbol_count++;
    memset(s, 0, sizeof *s);
    s->key = key;
    s->name = name;
    s->width = IRL__WIDTH_LONG;
    return s;
}

/* ------------------------------------------------------------------ comments */

void irl__emit_comment(irl__text *t, const char *text)
{
    for (; *text; text++) {
        char c = *text;
        if (c == '/' && t->length && t->data[t->length - 1] == '*') irl__text_putc(t, ' ');
        if (c == '*' && t->length && t->data[t->length - 1] == '/') irl__text_putc(t, ' ');
        irl__text_putc(t, (unsigned char)c < 32 || c == '\\' || (unsigned char)c > 126 ? '?' : c);
    }
}
