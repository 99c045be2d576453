/* form.c - the form of functions, modules, maps and prototypes, as a sequence of numbers: equal
   things have equal sequences, and the hash of a function is that of its sequence.

   needs     fields.c, ptr_map.c
   promises  a bound name counts by the order in which it appears, a free name by its text; places
             and ids do not count, constants count bit for bit; the two sides of a comparison may
             belong to different contexts. A hash is the same on every machine and in every run;
             time linear in the size */
#include "ir.h"

typedef struct irl__form {
    irl_ctx     *cx;        /* of one side: for scratch memory */
    irl__ptr_map numbers[2]; /* of each side: a variable or buffer -> its number, from 1 */
    size_t       count[2];
    int          side;
    uint64_t    *list; /* the sequence of the first side, with which the second is compared */
    size_t       at;   /* in it, on the second side */
    int          is_hash, differs;
    uint64_t     hash;
} irl__form;

static void irl__form_take(irl__form *q, uint64_t value)
{
    if (q->is_hash)
        for (int k = 0; k < 8; k++) { /* FNV-1a, of the bytes from the lowest on */
            q->hash ^= value >> (8 * k) & 255;
            q->hash *= UINT64_C(1099511628211);
        }
    else if (q->side) q->differs |= q->at >= stbds_arrlenu(q->list) || q->list[q->at++] != value;
    else q->differs |= !IRL__PUSH_SCRATCH(q->cx, q->list, value);
}

static void irl__form_text(irl__form *q, const char *text)
{
    irl__form_take(q, text != NULL);
    for (; text && *text; text++) irl__form_take(q, (unsigned char)*text);
    irl__form_take(q, 256);
}

static void irl__form_type(irl__form *q, irl_type type)
{
    irl__form_take(q, (uint64_t)type.scalar | (uint64_t)type.scope << 8 |
                          (uint64_t)(type.is_pointer != 0) << 16 | (uint64_t)type.lanes << 32);
}

/* ------------------------------------------------------------------ variables and buffers */

/* From here on the thing has the next number. */
static void irl__form_bind(irl__form *q, const void *thing)
{
    q->differs |= !irl__ptr_map_put(q->cx, &q->numbers[q->side], thing,
                                    (const void *)++q->count[q->side]);
}

static void irl__form_bind_var(irl__form *q, const irl_expr *var)
{
    irl__form_type(q, var->type);
    irl__form_bind(q, var);
}

/* Has the thing a number, which is taken? */
static int irl__form_is_bound(irl__form *q, const void *thing)
{
    const size_t number = (size_t)irl__ptr_map_get(&q->numbers[q->side], thing);
    irl__form_take(q, number);
    return number != 0;
}

static void irl__form_expr(irl__form *q, const irl_expr *e);

static void irl__form_exprs(irl__form *q, int count, const irl_expr *const *list)
{
    irl__form_take(q, list ? (uint64_t)count : 0);
    for (int k = 0; list && k < count; k++) irl__form_expr(q, list[k]);
}

static void irl__form_ints(irl__form *q, int count, const int *list)
{
    irl__form_take(q, (uint64_t)count);
    for (int k = 0; k < count; k++) irl__form_take(q, (uint64_t)list[k]);
}

static void irl__form_new_buffer(irl__form *q, const irl_buffer *b)
{
    irl__form_type(q, b->type);
    const int form[] = { b->rank, (int)b->scope, (int)b->alignment, b->texel, b->bits,
                         (int)b->bit_order, (int)b->norm, b->is_field };
    irl__form_ints(q, (int)IRL__COUNTOF(form), form);
    irl__form_ints(q, b->separator_count, b->separators);
    irl__form_exprs(q, b->rank, b->shape);
    irl__form_exprs(q, b->rank, b->strides);
    irl__form_expr(q, b->offset);
    if (!irl__form_is_bound(q, b->data)) irl__form_bind_var(q, b->data);
    irl__form_bind(q, b);
}

static void irl__form_buffer(irl__form *q, const irl_buffer *b)
{
    if (irl__form_is_bound(q, b)) return;
    irl__form_text(q, b->name);
    irl__form_new_buffer(q, b);
}

/* ------------------------------------------------------------------ expressions and statements */

static void irl__form_expr(irl__form *q, const irl_expr *e)
{
    uint64_t bits = 0;
    irl__form_take(q, e ? (uint64_t)e->op + 1 : 0);
    if (!e || q->differs) return;
    if (e->op != IRL_OP_VAR) irl__form_type(q, e->type);
    switch (e->op) {
    case IRL_OP_VAR:
        if (irl__form_is_bound(q, e)) return;
        irl__form_text(q, e->u.name);
        irl__form_bind_var(q, e);
        return;
    case IRL_OP_LET:
        irl__form_expr(q, e->a[1]);
        irl__form_bind_var(q, e->a[0]);
        irl__form_expr(q, e->a[2]);
        return;
    case IRL_OP_INT: irl__form_take(q, (uint64_t)e->u.i); break;
    case IRL_OP_FLOAT:
        memcpy(&bits, &e->u.f, sizeof e->u.f);
        irl__form_take(q, bits);
        break;
    case IRL_OP_LOAD: irl__form_buffer(q, e->u.buffer); break;
    case IRL_OP_SHUFFLE: irl__form_ints(q, (int)e->type.lanes, e->u.picks); break;
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC: irl__form_text(q, e->u.name); break;
    default: break;
    }
    irl__form_exprs(q, (int)e->count, e->a);
}

static void irl__form_annotation(irl__form *q, const irl__annotation *a)
{
    irl__form_text(q, a->key);
    irl__form_text(q, a->text);
    irl__form_expr(q, a->value);
}

static void irl__form_stmt(irl__form *q, const irl_stmt *s);

static int irl__form_field(void *user, irl__field_kind kind, const void *at)
{
    irl__form *q = (irl__form *)user;
    switch (kind) {
    case IRL__FIELD_EXPR: irl__form_expr(q, *(const irl_expr *const *)at); break;
    case IRL__FIELD_STMT: irl__form_stmt(q, *(const irl_stmt *const *)at); break;
    case IRL__FIELD_VAR: irl__form_bind_var(q, *(const irl_expr *const *)at); break;
    case IRL__FIELD_BUFFER: irl__form_buffer(q, *(const irl_buffer *const *)at); break;
    case IRL__FIELD_NEW: irl__form_new_buffer(q, *(const irl_buffer *const *)at); break;
    case IRL__FIELD_NAME: irl__form_text(q, *(const char *const *)at); break;
    case IRL__FIELD_NOTE: irl__form_annotation(q, (const irl__annotation *)at); break;
    default: irl__form_take(q, (uint64_t)*(const int *)at); break; /* a number */
    }
    return !q->differs;
}

static void irl__form_stmt(irl__form *q, const irl_stmt *s)
{
    irl__form_take(q, s ? (uint64_t)s->kind + 1 : 0);
    if (!s || q->differs) return;
    if (s->kind == IRL__FOR) irl__form_take(q, (uint64_t)s->u.loop.kind);
    if (irl__stmt_is_bound(s)) irl__form_take(q, (uint64_t)s->u.loop.axis);
    if (s->kind == IRL__BARRIER) irl__form_take(q, (uint64_t)s->u.barrier.scope);
    irl__fields_each(s, ~0u, irl__form_field, q);
}

/* ------------------------------------------------------------------ maps and prototypes */

static void irl__form_map(irl__form *q, const irl_map *m)
{
    irl__form_take(q, m != NULL);
    if (!m) return;
    const int form[] = { m->input_count, m->variadic, m->variadic ? m->variadic_in : 0,
                         m->variadic ? m->variadic_out : 0 };
    irl__form_ints(q, (int)IRL__COUNTOF(form), form);
    for (int k = 0; k < m->input_count; k++) irl__form_bind_var(q, m->inputs[k]);
    irl__form_ints(q, m->separator_count, m->separators);
    irl__form_exprs(q, m->output_count, m->outputs);
}

static void irl__form_extern(irl__form *q, const irl_extern_desc *x)
{
    irl__form_text(q, x->name);
    irl__form_type(q, x->type);
    irl__form_take(q, (uint64_t)x->count);
    irl__form_take(q, x->is_pure != 0);
    for (int k = 0; k < x->count; k++) irl__form_bind_var(q, x->params[k].var);
    for (int k = 0; k < x->count; k++) {
        irl__form_take(q, x->params[k].reads != 0);
        irl__form_take(q, x->params[k].writes != 0);
        irl__form_expr(q, x->params[k].read_count);
        irl__form_expr(q, x->params[k].write_count);
    }
}

/* ------------------------------------------------------------------ functions */

static void irl__form_param(irl__form *q, const irl__param *p)
{
    irl__form_take(q, p->buffer ? 2 : (uint64_t)(p->is_implicit != 0));
    if (!p->buffer) return; /* scalars are bound already */
    irl__form_new_buffer(q, p->buffer);
    irl__form_exprs(q, p->logical_rank, p->logical_shape);
    irl__form_map(q, p->map);
    irl__form_expr(q, p->padding);
}

/* The place of a layout's buffer among the parameters, or the buffer's name. */
static void irl__form_layout(irl__form *q, const irl_func *f, const irl__layout *l)
{
    int k = 0;
    while (k < f->param_count &&
           !(f->params[k].buffer && strcmp(f->params[k].name, l->buffer) == 0))
        k++;
    irl__form_take(q, (uint64_t)k);
    if (k == f->param_count) irl__form_text(q, l->buffer);
    irl__form_take(q, l->assume_injective != 0);
    irl__form_map(q, l->map);
    irl__form_expr(q, l->padding);
    irl__form_map(q, l->pad);
}

enum { IRL__FORM_PARTS = 3 };

/* A function in parts: two that differ mostly do so in the first. */
static void irl__form_func(irl__form *q, const irl_func *f, int part)
{
    if (part == 0) {
        irl__form_take(q, (uint64_t)f->role);
        irl__form_take(q, (uint64_t)f->param_count);
        for (int k = 0; k < f->param_count; k++)
            if (!f->params[k].buffer) irl__form_bind_var(q, f->params[k].var);
        for (int k = 0; k < f->param_count; k++) irl__form_param(q, &f->params[k]);
    } else if (part == 1) {
        irl__form_take(q, (uint64_t)f->layout_count);
        for (int k = 0; k < f->layout_count; k++) irl__form_layout(q, f, &f->layouts[k]);
        irl__form_take(q, (uint64_t)f->annotation_count);
        for (int k = 0; k < f->annotation_count; k++) irl__form_annotation(q, &f->annotations[k]);
        irl__form_take(q, (uint64_t)f->extern_count);
        for (int k = 0; k < f->extern_count; k++) irl__form_extern(q, &f->externs[k].is);
    } else irl__form_stmt(q, f->body);
}

/* What is bound in a function means nothing in the next one: a module's kernels may share
   variables, or each have their own. */
static irl__arena_mark irl__form_begin(irl__form *q, irl_ctx *cx)
{
    memset(q, 0, sizeof *q);
    q->cx = cx;
    return irl__scratch_begin(cx);
}

/* Has the second side no more than the first? */
static int irl__form_end(irl__form *q, irl__arena_mark mark)
{
    const int equal = !q->differs && q->at == stbds_arrlenu(q->list);
    irl__scratch_end(q->cx, mark);
    return equal;
}

uint64_t irl_func_hash(const irl_func *f)
{
    irl__form q;
    if (!f || !irl__ok(f->cx)) return 0;
    irl__arena_mark mark = irl__form_begin(&q, f->cx);
    q.is_hash = 1;
    q.hash = UINT64_C(14695981039346656037);
    for (int part = 0; part < IRL__FORM_PARTS; part++) irl__form_func(&q, f, part);
    irl__scratch_end(f->cx, mark);
    return irl__ok(f->cx) ? q.hash : 0;
}

int irl_func_equal(const irl_func *a, const irl_func *b)
{
    irl__form q;
    if (!a || !b || strcmp(a->name, b->name) != 0) return a == b;
    irl__arena_mark mark = irl__form_begin(&q, a->cx);
    for (int part = 0; !q.differs && part < IRL__FORM_PARTS; part++) {
        q.side = 0;
        irl__form_func(&q, a, part);
        q.side = 1;
        irl__form_func(&q, b, part);
    }
    return irl__form_end(&q, mark);
}

int irl_module_equal(const irl_module *a, const irl_module *b)
{
    if (!a || !b) return a == b;
    const char *target[] = { a->target ? a->target : "", b->target ? b->target : "" };
    if (strcmp(a->name, b->name) != 0 || strcmp(target[0], target[1]) != 0 ||
        !a->target != !b->target || a->kernel_count != b->kernel_count)
        return 0;
    int equal = irl_func_equal(a->host, b->host);
    for (int k = 0; equal && k < a->kernel_count; k++)
        equal = irl_func_equal(a->kernels[k], b->kernels[k]);
    return equal;
}

int irl__map_equal_text(const irl_map *a, const irl_map *b)
{
    irl__form q;
    if (!a || !b) return a == b;
    irl__arena_mark mark = irl__form_begin(&q, a->cx);
    irl__form_map(&q, a);
    q.side = 1;
    irl__form_map(&q, b);
    return irl__form_end(&q, mark);
}

int irl__extern_equal(irl_ctx *cx, const irl__extern *a, const irl__extern *b)
{
    irl__form       q;
    irl__arena_mark mark = irl__form_begin(&q, cx);
    irl__form_extern(&q, &a->is);
    q.side = 1;
    irl__form_extern(&q, &b->is);
    return irl__form_end(&q, mark);
}
