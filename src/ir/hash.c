/* hash.c - a number for the form of a function, by which equal ones are found.

   needs     fields.c, ptr_map.c
   promises  functions that are equal but for their own names (irl_func_equal) have one hash: what
             they bind counts by the order in which it first appears, names, places and ids do not.
             The same on every machine and in every run; time linear in the function */
#include "ir.h"

typedef struct irl__hasher {
    uint64_t     hash;
    irl__ptr_map numbers; /* variable -> its number, from 1 */
    size_t       count;
    irl_ctx     *cx;
} irl__hasher;

static void irl__hasher_take(irl__hasher *h, uint64_t value)
{
    for (int k = 0; k < 8; k++) { /* FNV-1a, of the bytes from the lowest on */
        h->hash ^= value >> (8 * k) & 255;
        h->hash *= UINT64_C(1099511628211);
    }
}

static void irl__hasher_text(irl__hasher *h, const char *text)
{
    for (; text && *text; text++) irl__hasher_take(h, (unsigned char)*text);
    irl__hasher_take(h, 256);
}

static void irl__hasher_type(irl__hasher *h, irl_type type)
{
    irl__hasher_take(h, (uint64_t)type.scalar);
    irl__hasher_take(h, (uint64_t)type.lanes);
    irl__hasher_take(h, type.is_pointer ? 1 : 0);
}

static void irl__hasher_var(irl__hasher *h, const irl_expr *var)
{
    size_t number = (size_t)irl__ptr_map_get(&h->numbers, var);
    if (!number) {
        number = ++h->count;
        irl__ptr_map_put(h->cx, &h->numbers, var, (const void *)number);
        irl__hasher_type(h, var->type);
    }
    irl__hasher_take(h, number);
}

static void irl__hasher_expr(irl__hasher *h, const irl_expr *e)
{
    uint64_t bits = 0;
    if (!e) {
        irl__hasher_take(h, 0);
        return;
    }
    irl__hasher_take(h, (uint64_t)e->op + 1);
    if (e->op == IRL_OP_VAR) {
        irl__hasher_var(h, e);
        return;
    }
    irl__hasher_type(h, e->type);
    if (e->op == IRL_OP_INT) irl__hasher_take(h, (uint64_t)e->u.i);
    if (e->op == IRL_OP_FLOAT) {
        memcpy(&bits, &e->u.f, sizeof e->u.f);
        irl__hasher_take(h, bits);
    }
    if (e->op == IRL_OP_LOAD) irl__hasher_var(h, e->u.buffer->data);
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC)
        irl__hasher_text(h, e->u.name);
    for (uint32_t k = 0; k < e->count; k++) irl__hasher_expr(h, e->a[k]);
}

static void irl__hasher_exprs(irl__hasher *h, int count, const irl_expr *const *list)
{
    for (int k = 0; list && k < count; k++) irl__hasher_expr(h, list[k]);
}

/* What is said where it is declared. */
static void irl__hasher_buffer(irl__hasher *h, const irl_buffer *b)
{
    irl__hasher_type(h, b->type);
    irl__hasher_take(h, (uint64_t)b->scope);
    irl__hasher_take(h, (uint64_t)b->alignment);
    irl__hasher_take(h, (uint64_t)b->bits);
    irl__hasher_take(h, (uint64_t)b->norm);
    irl__hasher_take(h, (uint64_t)b->separator_count);
    irl__hasher_exprs(h, b->rank, b->shape);
    irl__hasher_exprs(h, b->rank, b->strides);
    irl__hasher_expr(h, b->offset);
    irl__hasher_var(h, b->data);
}

static void irl__hasher_stmt(irl__hasher *h, const irl_stmt *s);

static int irl__hasher_field(void *user, irl__field_kind kind, const void *a)
{
    irl__hasher *h = (irl__hasher *)user;
    switch (kind) {
    case IRL__FIELD_EXPR: irl__hasher_expr(h, *(const irl_expr *const *)a); break;
    case IRL__FIELD_STMT: irl__hasher_stmt(h, *(const irl_stmt *const *)a); break;
    case IRL__FIELD_VAR: irl__hasher_var(h, *(const irl_expr *const *)a); break;
    case IRL__FIELD_BUFFER: irl__hasher_var(h, (*(const irl_buffer *const *)a)->data); break;
    case IRL__FIELD_NEW: irl__hasher_buffer(h, *(const irl_buffer *const *)a); break;
    default: break; /* equal functions are equal in these too */
    }
    return 1;
}

static void irl__hasher_stmt(irl__hasher *h, const irl_stmt *s)
{
    if (!s) return;
    irl__hasher_take(h, (uint64_t)s->kind + 1000);
    irl__fields_each(s, ~0u, irl__hasher_field, h);
}

static void irl__hasher_map(irl__hasher *h, const irl_map *map)
{
    if (!map) return;
    irl__hasher_take(h, (uint64_t)map->input_count);
    for (int k = 0; k < map->input_count; k++) irl__hasher_var(h, map->inputs[k]);
    irl__hasher_exprs(h, map->output_count, map->outputs);
}

uint64_t irl_func_hash(const irl_func *f)
{
    irl__hasher h;
    if (!f || !irl__ok(f->cx)) return 0;
    memset(&h, 0, sizeof h);
    h.hash = UINT64_C(14695981039346656037);
    h.cx = f->cx;
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    for (int k = 0; k < f->param_count; k++)
        if (!f->params[k].buffer) irl__hasher_var(&h, f->params[k].var);
    for (int k = 0; k < f->param_count; k++) {
        if (f->params[k].buffer) irl__hasher_buffer(&h, f->params[k].buffer);
        irl__hasher_map(&h, f->params[k].map);
    }
    for (int k = 0; k < f->layout_count; k++) irl__hasher_map(&h, f->layouts[k].map);
    irl__hasher_stmt(&h, f->body);
    irl__scratch_end(f->cx, mark);
    return irl__ok(f->cx) ? h.hash : 0;
}
