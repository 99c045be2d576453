/* emit_comment.c - the line about a parameter in the comment above a function.

   needs     irl__emit_comment, which ensures that no text of the user ends the comment
   promises  shapes, layouts and points as they are in the text form */
#include "emit.h"
#include "../pass/pass.h"

static void irl__comment_printed(irl__text *t, irl_ctx *cx, const irl_expr *x, const irl_map *map)
{
    irl__text plain;
    irl__text_init(&plain, cx);
    if (x) irl__print_expr(&plain, x);
    else irl__print_map(&plain, map);
    const char *text = irl__text_done(&plain);
    if (text) irl__emit_comment(t, text);
}

void irl__emit_comment_expr(irl__text *t, irl_ctx *cx, const irl_expr *x)
{
    irl__comment_printed(t, cx, x, NULL);
}

void irl__emit_comment_sizes(irl__emit *e, const char *what, int count,
                             const irl_expr *const *sizes)
{
    irl__text_puts(&e->text, what);
    for (int k = 0; k < count; k++) {
        if (k) irl__text_puts(&e->text, " x ");
        irl__emit_comment_expr(&e->text, e->cx, sizes[k]);
    }
}

static void irl__comment_shape(irl__text *t, irl_ctx *cx, const irl_buffer *b, int rank,
                               const irl_expr *const *shape)
{
    irl__buffer_type_text(t, b);
    irl__text_putc(t, '[');
    for (int k = 0; k < rank; k++) {
        if (k) irl__text_puts(t, ", ");
        if (shape[k]->op == IRL_OP_INT) irl__text_int(t, shape[k]->u.i);
        else irl__emit_comment_expr(t, cx, shape[k]);
    }
    irl__text_putc(t, ']');
}

/* The shapes of a buffer and the map between. Kept, because many kernels of a program take the same
   buffers. */
static const char *irl__comment_buffer(irl__emit *e, const irl__param *p)
{
    irl__ptr_map *known = &e->unit->comments;
    const char   *text = (const char *)irl__ptr_map_get(known, p->buffer);
    irl__text     t;
    if (text) return text;
    irl__text_init(&t, e->cx);
    irl__comment_shape(&t, e->cx, p->buffer, p->logical_rank, p->logical_shape);
    if (p->map) {
        irl__text_puts(&t, " by ");
        irl__comment_printed(&t, e->cx, NULL, p->map);
        irl__text_puts(&t, ", in memory ");
        irl__comment_shape(&t, e->cx, p->buffer, p->buffer->rank, p->buffer->shape);
        if (irl__bitfield_says_order(p->buffer))
            irl__textf(&t, " bits(%s)", irl__bit_order_text(p->buffer->bit_order));
    }
    text = irl__text_done(&t);
    return text && irl__ptr_map_put(e->cx, known, p->buffer, text) ? text : "";
}

void irl__emit_comment_name(irl__text *t, const char *name)
{
    irl__text_puts(t, " (");
    for (int k = 0; name[k] && k < 64; k++)
        irl__text_putc(t, irl__in_identifier(name[k]) ? name[k] : '_');
    irl__text_putc(t, ')');
}

void irl__emit_comment_param(irl__emit *e, const irl_func *f, const irl__param *p, const char *name,
                             const irl__emit_memory *m)
{
    /* "x: (0) and (1) both map to [0]", or "x" */
    const char *shared = p->buffer ? irl__func_said(f, IRL__ATTR_SHARED, p->name) : NULL;
    const char *access = !m || (!m->is_read && !m->is_written) ? "not used"
                         : !m->is_written                     ? "read"
                         : m->is_read                         ? "read and written"
                                                              : "written";
    irl__textf(&e->text, "\n   %s", name);
    if (strcmp(name, p->name) != 0) irl__emit_comment_name(&e->text, p->name);
    irl__text_puts(&e->text, ": ");
    if (!p->buffer) irl__type_text(&e->text, p->var->type);
    else irl__textf(&e->text, "%s, %s", access, irl__comment_buffer(e, p));
    if (shared) irl__text_puts(&e->text, ", not injective");
    if (shared && shared[strlen(p->name)])
        irl__emit_comment(&e->text, shared + strlen(p->name));
}
