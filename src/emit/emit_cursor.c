/* emit_cursor.c - pointers that move with an outer loop, for programs whose code is to be small.

   needs     the ranges of the variables in scope; constant extents
   promises  in a loop that contains loops, if all places of a parameter's memory move by one number
             of elements from each iteration to the next, the memory is accessed by a separate
             pointer, which moves by that number with the loop's variable; the rest of each index is
             then less to compute. The pointer never leaves the memory, except to its end: the
             number is above 0, the loop begins at 0 or above, and the number times the loop's end
             is at most the memory's size. The rest of each index, with all intermediate results, is
             proved to fit the type of an index; otherwise the index and the pointer stay as they
             are */
#include "../analysis/analysis.h"
#include "emit.h"

enum { IRL__CURSOR_MOST = 8, IRL__CURSOR_DEPTH = 16 };

typedef struct irl__cursor_found {
    const irl_expr *data;
    int64_t         step;
    int             stays;
} irl__cursor_found;

typedef struct irl__cursor_survey {
    irl__emit        *e;
    const irl_expr   *var;
    irl__cursor_found list[IRL__CURSOR_MOST];
    int               count, is_full;
    int               marks[IRL__CURSOR_DEPTH], depth;
} irl__cursor_survey;

/* Whether an index and all indices on the way to it are from 0 to what the index type holds. */
static int irl__cursor_fits(irl__emit *e, const irl_expr *x)
{
    const irl_type      own = irl_type_of(e->language->index_scalar, 1);
    const int           bits = irl__type_info(own)->bits - irl__type_is_signed(own);
    const irl__interval r = irl__range_of(e->ranges, x);
    if (r.lo < 0 || r.hi > (INT64_C(1) << (bits > 31 ? 31 : bits)) - 1) return 0;
    if (x->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return 0;
    for (uint32_t k = 0; k < x->count; k++)
        if (irl__type_is_index(x->a[k]->type) && !irl__cursor_fits(e, x->a[k])) return 0;
    return 1;
}

/* The index behind the pointer that has moved `step` for each of var; NULL: there is none. */
static const irl_expr *irl__cursor_rest(irl__emit *e, const irl_expr *var, int64_t step,
                                        const irl_expr *index)
{
    const irl_expr *rest = irl__simplify(
        e->ranges, irl__sub(e->cx, index, irl__op_number(e->cx, IRL_OP_MUL, var, step)));
    return rest && !irl__expr_uses_var(rest, var) && irl__cursor_fits(e, rest) ? rest : NULL;
}

/* By how much an index grows with var; 0: by no number above 0. */
static int64_t irl__cursor_step(irl__emit *e, const irl_expr *var, const irl_expr *index)
{
    if (index->flags & (IRL__HAS_MEMORY | IRL__HAS_LET)) return 0;
    int64_t step = irl__step_number(e->ranges, index, var);
    return step > 0 && step <= INT16_MAX ? step : 0;
}

/* ------------------------------------------------------------------ the loop's memory */

static irl__cursor_found *irl__cursor_of(irl__cursor_survey *q, const irl_expr *data)
{
    for (int k = 0; k < q->count; k++)
        if (q->list[k].data == data) return &q->list[k];
    if (q->count == IRL__CURSOR_MOST) {
        q->is_full = 1;
        return NULL;
    }
    irl__cursor_found *found = &q->list[q->count++];
    memset(found, 0, sizeof *found);
    found->data = data;
    return found;
}

/* Whether accesses to b are by the elements that the pointer points to. */
static int irl__cursor_is_plain(const irl__emit *e, const irl_buffer *b)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, b->data);
    const char             *const      *types = e->language->types;
    return m && irl__func_param_of(e->unit->function, b->data) >= 0 && m->element.lanes == 1 &&
           b->type.lanes == 1 && b->rank == 1 && m->type.scalar != IRL_BOOL &&
           b->type.scalar != IRL_BOOL && b->scope == IRL_SCOPE_GLOBAL &&
           strcmp(types[m->type.scalar], types[b->type.scalar]) == 0;
}

static void irl__cursor_access(irl__cursor_survey *q, const irl_buffer *b,
                               const irl_expr *const *indices)
{
    irl__cursor_found *found = irl__cursor_of(q, b->data);
    if (!found || found->stays) return;
    found->stays = 1;
    if (!irl__cursor_is_plain(q->e, b) || indices[0]->type.lanes != 1) return;
    int64_t step = irl__cursor_step(q->e, q->var, indices[0]);
    if (!step || (found->step && found->step != step) ||
        !irl__cursor_rest(q->e, q->var, step, indices[0]))
        return;
    found->step = step;
    found->stays = 0;
}

static int irl__cursor_see_expr(irl__visitor *v, const irl_expr *x)
{
    if (x->op == IRL_OP_LOAD) irl__cursor_access((irl__cursor_survey *)v->user, x->u.buffer, x->a);
    return (x->flags & IRL__HAS_MEMORY) != 0;
}

static int irl__cursor_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__cursor_survey *q = (irl__cursor_survey *)v->user;
    if (s->kind == IRL__STORE) irl__cursor_access(q, s->u.store.buffer, s->u.store.indices);
    if (s->kind != IRL__FOR) return 1;
    if (q->depth == IRL__CURSOR_DEPTH) {
        q->is_full = 1;
        return 0;
    }
    q->marks[q->depth++] = irl__bindings_mark(q->e->ranges);
    irl__bind_loop(q->e->ranges, s);
    return 1;
}

static void irl__cursor_leave(irl__visitor *v, const irl_stmt *s)
{
    irl__cursor_survey *q = (irl__cursor_survey *)v->user;
    if (s->kind == IRL__FOR) irl__bindings_release(q->e->ranges, q->marks[--q->depth]);
}

/* Whether a pointer that moves by `step` with loop s stays in the memory, or at its end. */
static int irl__cursor_stays_inside(irl__emit *e, const irl_stmt *s, const irl__cursor_found *found)
{
    const irl_func   *f = e->unit->function;
    const irl_buffer *b = f->params[irl__func_param_of(f, found->data)].buffer;
    const irl_expr   *bytes = b ? irl__size_bytes(e->cx, b) : NULL;
    irl__emit_memory *m = irl__emit_memory_of(e->unit, found->data);
    int64_t           end, size;
    return bytes && bytes->op == IRL_OP_INT && s->u.loop.min->u.i >= 0 &&
           irl__add64(s->u.loop.min->u.i, s->u.loop.extent->u.i, &end) &&
           irl__mul64(found->step, end, &size) &&
           irl__mul64(size, (int64_t)irl__type_bytes(m->element), &size) && size <= bytes->u.i;
}

/* ------------------------------------------------------------------ texts */

static void irl__cursor_begin(irl__emit *e, const irl_stmt *s, const irl__cursor_found *found)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, found->data);
    irl__emit_cursor        cursor;
    irl__text               wish;
    char                    text[128];
    if (!symbol) return;
    irl__text_init_fixed(&wish, text, sizeof text);
    irl__textf(&wish, "%s_%s", symbol->name, s->u.loop.var->u.name);
    cursor.data = found->data;
    cursor.var = s->u.loop.var;
    cursor.step = found->step;
    cursor.first = found->step * s->u.loop.min->u.i; /* within the memory */
    cursor.name = irl__emit_take_name(e, text);
    if (cursor.name) (void)IRL__PUSH_SCRATCH(e->cx, e->cursors, cursor); /* failed: in cx */
}

void irl__emit_cursors_open(irl__emit *e, const irl_stmt *s)
{
    irl__cursor_survey q;
    irl__visitor       v = irl__visitor_make(&q, irl__cursor_see_expr, irl__cursor_see_stmt);
    if (!e->moves_pointers || stbds_arrlen(e->cursors) || s->u.loop.min->op != IRL_OP_INT ||
        s->u.loop.extent->op != IRL_OP_INT || !irl__stmt_holds(s->u.loop.body, 1 << IRL__FOR))
        return;
    memset(&q, 0, sizeof q);
    q.e = e;
    q.var = s->u.loop.var;
    v.leave = irl__cursor_leave;
    irl__visit_stmt(&v, s->u.loop.body);
    for (int k = 0; !q.is_full && irl__ok(e->cx) && k < q.count; k++)
        if (!q.list[k].stays && irl__cursor_stays_inside(e, s, &q.list[k]))
            irl__cursor_begin(e, s, &q.list[k]);
}

void irl__emit_cursor_declared(irl__emit *e, const irl__emit_cursor *c)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, c->data);
    const irl__emit_symbol *symbol = irl__emit_find(e, c->data);
    irl__textf(&e->text, "%s%s *%s = %s", m->is_written ? "" : "const ",
               e->language->types[m->type.scalar], c->name, symbol->name);
    if (c->first) irl__textf(&e->text, " + %l", c->first);
    irl__text_puts(&e->text, ";\n");
}

void irl__emit_cursors_step(irl__emit *e, const irl_expr *var)
{
    for (ptrdiff_t k = 0; k < stbds_arrlen(e->cursors); k++)
        if (e->cursors[k].var == var)
            irl__textf(&e->text, ", %s += %l", e->cursors[k].name, e->cursors[k].step);
}

void irl__emit_cursors_close(irl__emit *e, const irl_expr *var)
{
    while (stbds_arrlen(e->cursors) && e->cursors[stbds_arrlen(e->cursors) - 1].var == var)
        (void)stbds_arrpop(e->cursors);
}

const char *irl__emit_cursor_of(irl__emit *e, const irl_buffer *b, const irl_expr **index)
{
    for (ptrdiff_t k = 0; k < stbds_arrlen(e->cursors); k++) {
        const irl__emit_cursor *c = &e->cursors[k];
        if (c->data != b->data || (*index)->type.lanes != 1) continue;
        const irl_expr *rest = irl__cursor_rest(e, c->var, c->step, *index);
        if (rest) *index = rest;
        return rest ? c->name : NULL;
    }
    return NULL;
}
