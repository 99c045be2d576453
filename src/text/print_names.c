/* print_names.c - the names under which things are printed.

   needs     ptr_map.c
   promises  two things in scope never have one name, even if many want it; each name is found in
             constant time */
#include "print.h"

void irl__printer_init(irl__printer *p, irl__text *t, irl_ctx *cx)
{
    memset(p, 0, sizeof *p);
    p->t = t;
    p->cx = cx;
}

static int irl__print_is_identifier(const char *s)
{
    return irl__has_identifier_form(s) && strcmp(s, "true") != 0 && strcmp(s, "false") != 0;
}

/* Between quotes, with escapes. */
void irl__print_quoted(irl__text *t, const char *s, char quote)
{
    static const char hex[] = "0123456789abcdef";
    irl__text_putc(t, quote);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '\n') irl__text_puts(t, "\\n");
        else if (c == '\t') irl__text_puts(t, "\\t");
        else if (c == '\\' || *s == quote) {
            irl__text_putc(t, '\\');
            irl__text_putc(t, *s);
        } else if (c < 32 || c == 127) {
            irl__text_puts(t, "\\x");
            irl__text_putc(t, hex[c >> 4]);
            irl__text_putc(t, hex[c & 15]);
        } else irl__text_putc(t, *s);
    }
    irl__text_putc(t, quote);
}

/* A name that nothing here declares: a function's, a kernel's, a key. */
void irl__print_symbol(irl__text *t, const char *name)
{
    if (irl__print_is_identifier(name)) irl__text_puts(t, name);
    else irl__print_quoted(t, name, '`');
}

const char *irl__symbol_text(irl_ctx *cx, const char *name)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__print_symbol(&t, name);
    return irl__text_done(&t);
}

static irl__print_used *irl__print_used_of(irl__printer *p, const char *name)
{
    irl__print_used *u = (irl__print_used *)irl__ptr_map_get(&p->used, name);
    if (u) return u;
    u = IRL__SCRATCH(p->cx, irl__print_used, 1);
    return u && irl__ptr_map_put(p->cx, &p->used, name, u) ? u : NULL;
}

static int irl__print_remember(irl__printer *p, irl__print_used *u, const irl_expr *memory)
{
    irl__print_undo undo = { u, { 0, 0 }, memory };
    if (u) undo.before = *u;
    return IRL__STACK_PUSH(p->cx, p->undo, p->undo_count, p->undo_capacity, undo);
}

/* The name that is written for one that wants `wanted`: itself, or the first with a suffix that is
   free. */
static const char *irl__print_free_name(irl__printer *p, const char *wanted, irl__print_used **out)
{
    irl__print_used *base = irl__print_used_of(p, wanted), *u = base;
    const char      *name = wanted;
    if (base && base->in_scope && !irl__print_remember(p, base, NULL)) return NULL;
    while (u && u->in_scope) {
        name = irl__namef(p->cx, "%s_%u", wanted, ++base->suffix);
        u = name ? irl__print_used_of(p, name) : NULL;
    }
    *out = u;
    return u ? name : NULL;
}

static const irl__print_name *irl__print_name_new(irl__printer *p, const char *name)
{
    irl__print_name *n = IRL__SCRATCH(p->cx, irl__print_name, 1);
    if (!n) return NULL;
    n->text = irl__print_is_identifier(name) ? name : irl__symbol_text(p->cx, name);
    if (!n->text) return NULL;
    n->length = strlen(n->text);
    return n;
}

/* Gives `thing` a name from here to the end of the scope, or for good (is_free: it is declared
   outside of what is printed). */
const irl__print_name *irl__print_declare(irl__printer *p, const void *thing, const char *wanted,
                                          int is_free)
{
    irl__print_used *u = NULL;
    if (!p->cx || p->t->failed) return NULL;
    const char            *name = irl__print_free_name(p, wanted, &u);
    const irl__print_name *n = name ? irl__print_name_new(p, name) : NULL;
    if (!n || (!is_free && !irl__print_remember(p, u, NULL)) ||
        !irl__ptr_map_put(p->cx, &p->names, thing, n)) {
        p->t->failed = 1;
        return NULL;
    }
    u->in_scope = 1;
    return n;
}

size_t irl__print_open(const irl__printer *p) { return p->undo_count; }

void irl__print_close(irl__printer *p, size_t mark)
{
    while (p->undo_count > mark) {
        const irl__print_undo *u = &p->undo[--p->undo_count];
        if (u->used) *u->used = u->before;
        else if (!irl__ptr_map_put(p->cx, &p->names, u->memory, NULL)) p->t->failed = 1;
    }
}

void irl__print_var(irl__printer *p, const irl_expr *var)
{
    const irl__print_name *n = (const irl__print_name *)irl__ptr_map_get(&p->names, var);
    if (!n) n = irl__print_declare(p, var, var->u.name, 1);
    if (n) irl__text_append(p->t, n->text, n->length);
    else irl__print_symbol(p->t, var->u.name);
}

/* The name of a buffer; its memory goes by the same name unless it has one. Kernels that get one
   memory may each name it otherwise, so that name too ends with the scope. */
const irl__print_name *irl__print_declare_buffer(irl__printer *p, const irl_buffer *b, int is_free)
{
    const irl__print_name *n = irl__print_declare(p, b, b->name, is_free);
    if (n && !irl__ptr_map_get(&p->names, b->data) &&
        ((!is_free && !irl__print_remember(p, NULL, b->data)) ||
         !irl__ptr_map_put(p->cx, &p->names, b->data, n)))
        p->t->failed = 1;
    return n;
}

void irl__print_buffer_name(irl__printer *p, const irl_buffer *b)
{
    const irl__print_name *n = (const irl__print_name *)irl__ptr_map_get(&p->names, b);
    if (!n) n = irl__print_declare_buffer(p, b, 1);
    if (n) irl__text_append(p->t, n->text, n->length);
    else irl__print_symbol(p->t, b->name);
}
