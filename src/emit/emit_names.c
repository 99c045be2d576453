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
    uint32_t        next_suffix; /* of names after this one: all below are taken */
    uint32_t        suffix;
    int             in_scope;
};

int irl__emit_begin(irl__emit *e, irl__emit_unit *unit, const char *prefix)
{
    memset(e, 0, sizeof *e);
    e->cx = unit->cx;
    e->language = unit->language;
    e->unit = unit;
    e->prefix = prefix;
    irl__text_init(&e->text, e->cx);
    e->ranges = irl__analyzer_begin(e->cx);
    return e->ranges != NULL;
}

/* ------------------------------------------------------------------ the table of names */

static irl__emit_name *irl__names_found(const irl__emit *e, const char *text)
{
    return (irl__emit_name *)irl__ptr_map_get(&e->names, irl__namez(e->cx, text));
}

/* The entry of a text that is a legal name. */
static irl__emit_name *irl__names_entry(irl__emit *e, const char *text)
{
    irl__emit_name *n = irl__names_found(e, text);
    if (n) return n;
    n = IRL__SCRATCH(e->cx, irl__emit_name, 1);
    if (!n) return NULL;
    n->text = irl__namez(e->cx, text);
    n->next_suffix = 1;
    return n->text && irl__ptr_map_put(e->cx, &e->names, n->text, n) ? n : NULL;
}

static const char *irl__names_enter(irl__emit *e, irl__emit_name *n)
{
    if (!IRL__PUSH_SCRATCH(e->cx, e->name_stack, n)) return NULL;
    n->in_scope = 1;
    return n->text;
}

const char *irl__emit_take_name(irl__emit *e, const char *wish)
{
    char            legal[IRL__IDENTIFIER_MAX + 16]; /* a number may come after the name */
    irl__text       numbered;
    irl__emit_name *base = irl__names_found(e, wish), *n;
    if (!base) {
        irl__identifier(e->language->tongue, wish, legal);
        base = irl__names_entry(e, legal);
    }
    if (!base || !base->in_scope) return base ? irl__names_enter(e, base) : NULL;
    do {
        uint32_t suffix = base->next_suffix++;
        irl__text_init_fixed(&numbered, legal, sizeof legal);
        irl__textf(&numbered, "%s_%u", base->text, (uint64_t)suffix);
        n = irl__names_entry(e, legal);
        if (!n) return NULL;
        if (!n->in_scope) {
            n->base = base;
            n->suffix = suffix;
        }
    } while (n->in_scope);
    return irl__names_enter(e, n);
}

const char *irl__emit_take_of(irl__emit *e, const char *name, const char *part)
{
    const char *wish = irl__format(e->cx, "%s_%s", name, part);
    return wish ? irl__emit_take_name(e, wish) : NULL;
}

/* ------------------------------------------------------------------ scopes */

irl__emit_scope irl__emit_scope_begin(irl__emit *e)
{
    irl__emit_scope s;
    s.names = (size_t)stbds_arrlen(e->name_stack);
    s.keys = (size_t)stbds_arrlen(e->key_stack);
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

int irl__emit_mentions(const irl__text *t, size_t from, const char *name)
{
    const size_t n = strlen(name);
    if (!n || t->length < from + n) return 0;
    const char *text = t->data + from, *at = text, *end = t->data + t->length;
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
    const size_t end = (size_t)stbds_arrlen(e->key_stack);
    size_t       kept = scope.keys;
    for (size_t k = scope.keys; k < end; k++) {
        irl__emit_symbol *s = irl__emit_find(e, e->key_stack[k]);
        if (e->key_stack[k] == keep) kept = scope.keys + 1;
        else if (s) {
            e->temporaries -= s->is_temporary;
            if (s->end) (void)IRL__PUSH_SCRATCH(e->cx, e->constants, *s); /* failed: in cx */
            s->name = NULL;
        }
    }
    if (kept > scope.keys) e->key_stack[scope.keys] = keep;
    while ((size_t)stbds_arrlen(e->key_stack) > kept) (void)stbds_arrpop(e->key_stack);
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
        if (list[k].end > t->length || irl__emit_mentions(t, list[k].end, list[k].name)) continue;
        memmove(t->data + list[k].start, t->data + list[k].end, t->length - list[k].end + 1);
        t->length -= list[k].end - list[k].start;
    }
    while ((size_t)stbds_arrlen(e->constants) > first) (void)stbds_arrpop(e->constants);
}

void irl__emit_scope_end(irl__emit *e, irl__emit_scope scope)
{
    irl__emit_forget(e, scope, NULL);
    irl__names_drop(e, scope.constants);
    while ((size_t)stbds_arrlen(e->name_stack) > scope.names) {
        irl__emit_name *n = stbds_arrpop(e->name_stack);
        n->in_scope = 0;
        if (n->base && n->base->next_suffix > n->suffix) n->base->next_suffix = n->suffix;
        n->base = NULL;
    }
}

/* ------------------------------------------------------------------ symbols */

irl__emit_symbol *irl__emit_find(const irl__emit *e, const void *key)
{
    irl__emit_symbol *s = (irl__emit_symbol *)irl__ptr_map_get(&e->symbols, key);
    return s && s->name ? s : NULL;
}

irl__emit_symbol *irl__emit_bind(irl__emit *e, const void *key, const char *name)
{
    irl__emit_symbol *s = (irl__emit_symbol *)irl__ptr_map_get(&e->symbols, key);
    if (!name || !IRL__PUSH_SCRATCH(e->cx, e->key_stack, key)) return NULL;
    if (!s) {
        s = IRL__SCRATCH(e->cx, irl__emit_symbol, 1);
        if (!s || !irl__ptr_map_put(e->cx, &e->symbols, key, s)) return NULL;
    }
    memset(s, 0, sizeof *s);
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
