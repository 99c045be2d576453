/* meeting.c - the description of two accesses that meet, as a struct and as a text.

   needs     the table of accesses; what pair.c has found
   promises  the text is written from the struct */
#include "access.h"

int64_t irl__meeting_at(const irl__meeting *m, const irl_expr *var, int copy)
{
    for (int k = 0; k < m->count; k++)
        if (m->values[k].var == var && m->values[k].copy == copy) return m->values[k].value;
    return 0;
}

int irl__access_is_of_loop(const irl__access *a, const irl_expr *var)
{
    const irl__around *n = irl__around_next(a->around, IRL__AROUND_LOOP);
    while (n && n->var != var) n = irl__around_next(n->outer, IRL__AROUND_LOOP);
    return n != NULL;
}

const irl__around *irl__meeting_loop(const irl__around *compared, const irl__meeting *m)
{
    const irl__around *n = irl__around_next(m->a->around, IRL__AROUND_LOOP), *found = NULL;
    for (; n && n->depth >= compared->depth; n = irl__around_next(n->outer, IRL__AROUND_LOOP))
        if (irl__access_is_of_loop(m->b, n->var) &&
            (n == compared || irl__stmt_is_bound(n->stmt)) &&
            irl__meeting_at(m, n->var, 0) != irl__meeting_at(m, n->var, 1))
            found = n;
    return found;
}

void irl__access_text(irl__text *t, const irl__access *a)
{
    irl__text_puts(t, a->buffer ? a->buffer->name : a->memory ? a->memory->u.name : "?");
    if (a->kind == IRL__ACCESS_OPAQUE) return;
    irl__text_putc(t, '[');
    for (int k = 0; k < a->rank; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__print_expr(t, a->indices[k]);
    }
    irl__text_putc(t, ']');
}

const char *irl__place_text(irl_ctx *cx, irl_loc loc)
{
    char text[48];
    if (!loc.source) return "";
    irl__loc_short(cx, loc, text, sizeof text);
    return irl__namez(cx, text);
}

int irl__meeting_access(irl_ctx *cx, const irl__access *a, irl_witness_access *out)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__access_text(&t, a);
    out->text = irl__text_done(&t);
    out->buffer = a->buffer ? a->buffer->name : a->memory ? a->memory->u.name : NULL;
    out->writes = irl__access_writes(a);
    return out->text != NULL;
}

/* The loops around an access in the iteration that was found. */
static int irl__meeting_iteration(irl_ctx *cx, const irl__meeting *m, const irl__access *a,
                                  int copy, irl_witness_access *out)
{
    const int       count = irl__access_loop_count(a);
    irl__arena_mark mark = irl__scratch_begin(cx);
    const irl__around **loops = IRL__SCRATCH(cx, const irl__around *, count + 1);
    irl_named_value *list = IRL__NEW(cx, irl_named_value, count);
    if (loops) irl__access_loops(a, loops);
    for (int k = 0; loops && list && k < count; k++) {
        list[k].name = loops[k]->var->u.name;
        list[k].value = irl__meeting_at(m, loops[k]->var, copy);
    }
    out->value_count = count;
    out->values = list;
    irl__scratch_end(cx, mark);
    return loops && list;
}

int irl__meeting_witness(irl_ctx *cx, const irl__accesses *table, const irl__meeting *m,
                        irl_witness *out)
{
    memset(out, 0, sizeof *out);
    if ((m->a && !irl__meeting_access(cx, m->a, &out->access[0])) ||
        (m->b && !irl__meeting_access(cx, m->b, &out->access[1])))
        return 0;
    out->buffer = out->access[0].buffer;
    if (m->answer == IRL_UNKNOWN) out->doubt = m->reason ? m->reason : "not known";
    if (m->answer != IRL_YES) return 1;
    if (m->cell_of) {
        out->buffer = m->cell_of->name;
        out->cell_rank = m->cell_rank;
        out->cell = IRL__COPY(cx, int64_t, m->cell, m->cell_rank);
        if (!out->cell) return 0;
    }
    if ((m->a && !irl__meeting_iteration(cx, m, m->a, 0, &out->access[0])) ||
        (m->b && !irl__meeting_iteration(cx, m, m->b, 1, &out->access[1])))
        return 0;
    irl_named_value *list = NULL;
    irl__iteration   all;
    if (!irl__iteration_of(table, m->count, m->values, &all)) return 0;
    for (int k = 0; k < all.count && irl__func_param_of(table->f, all.vars[k]) >= 0; k++) {
        irl_named_value one;
        one.name = all.vars[k]->u.name;
        one.value = all.values[k];
        if (!IRL__PUSH(cx, list, one)) return 0;
    }
    out->parameter_count = (int)stbds_arrlen(list);
    out->parameters = list;
    return 1;
}

/* " at i = 1, j = 2" */
static void irl__meeting_values(irl__text *t, const char *before, int count,
                                const irl_named_value *values)
{
    for (int k = 0; k < count; k++)
        irl__textf(t, "%s%s = %l", k ? ", " : before, values[k].name, values[k].value);
}

static void irl__meeting_accesses(irl__text *t, const irl_witness *w)
{
    for (int k = 0; k < 2 && w->access[k].text; k++) {
        irl__textf(t, "%s%s", k ? " and " : "", w->access[k].text);
        irl__meeting_values(t, " at ", w->access[k].value_count, w->access[k].values);
    }
}

void irl__meeting_said(irl__text *t, const irl_witness *w, const char *says)
{
    irl__meeting_accesses(t, w);
    if (w->doubt) irl__textf(t, "%s%s", w->access[0].text ? ": " : "", w->doubt);
    else irl__text_puts(t, says);
    irl__meeting_values(t, " where ", w->parameter_count, w->parameters);
}

void irl__meeting_text(irl__text *t, const irl__accesses *table, const irl__meeting *m)
{
    irl_witness w;
    if (!irl__meeting_witness(t->cx, table, m, &w)) t->failed = 1;
    else if (m->answer == IRL_NO) irl__meeting_accesses(t, &w);
    else irl__meeting_said(t, &w, " are one element");
}

const char *irl__meeting_cstr(const irl__accesses *table, const irl__meeting *m)
{
    irl__text t;
    irl__text_init(&t, table->cx);
    irl__meeting_text(&t, table, m);
    return irl__text_done(&t);
}

/* ------------------------------------------------------------------ one iteration */

int irl__iteration_of(const irl__accesses *t, int count, const irl_value *list,
                      irl__iteration *out)
{
    const irl_expr **vars = IRL__NEW(t->cx, const irl_expr *, count + 1);
    int64_t *values = IRL__NEW(t->cx, int64_t, count + 1);
    const int params = t->f->param_count;
    out->count = 0;
    out->vars = vars;
    out->values = values;
    for (int p = 0; vars && values && p <= params; p++) /* the last time: the loops */
        for (int k = 0; k < count; k++) {
            const irl_expr *var = list[k].var;
            if (list[k].copy || (p < params ? t->f->params[p].var != var
                                            : irl__func_param_of(t->f, var) >= 0))
                continue;
            vars[out->count] = var;
            values[out->count++] = list[k].value;
        }
    return vars && values;
}

void irl__iteration_text(irl__text *text, const irl__iteration *at)
{
    for (int k = 0; k < at->count; k++)
        irl__textf(text, "%s%s = %l", k ? ", " : " where ", at->vars[k]->u.name, at->values[k]);
}

void irl__iteration_list(irl__text *text, irl__accesses *t, const irl__iteration *at, int count,
                         const irl_expr *const *list)
{
    int64_t v[IRL_MAX_RANK];
    int     k, known = 0;
    for (k = 0; k < count; k++) {
        const irl_expr *e = irl__accesses_plain(t, list[k]);
        if (!e || e->type.lanes != 1 ||
            irl__value_at(e, at->count, at->vars, at->values, &v[k]) != IRL__FOLD_OK)
            return;
        known |= list[k]->op != IRL_OP_INT;
    }
    if (!known) return;
    irl__text_puts(text, " = ");
    irl__text_numbers(text, "[]", count, v);
}
