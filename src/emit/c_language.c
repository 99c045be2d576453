/* c_language.c - the row of C for the shared printers: the expressions and statements that only C
   prints.

   needs     the table ops.h; c_integers.c, c_helper.c
   promises  no vectors, unless the bits of several scalars are those of one; no images, no
             work-items: a module that has them was lowered for another target, and is refused */
#include "c.h"

/* ------------------------------------------------------------------ functions */

static const irl__function_row irl__c_functions[] = { /* that C99 lacks */
    { IRL_OP_EXP10, 1 << IRL_F32, "powf(10.0f" },
    { IRL_OP_EXP10, 1 << IRL_F64, "pow(10.0" },
    { IRL_OP_INT, 0, NULL }
};

/* A function of the user's own that is not declared gets a prototype, by its first call. */
static void irl__c_extern(irl__emit *e, const irl_expr *x)
{
    irl__c_program *p = irl__c_program_of(e);
    ptrdiff_t       k;
    uint32_t        j;
    const int       is_known = irl__emit_extern_is_known(e, x->u.name, x->type);
    p->uses_math |= is_known;
    if (is_known || irl__emit_extern_declared(e->unit, x)) {
        irl__emit_extern(e, x);
        return;
    }
    for (k = 0; k < stbds_arrlen(p->externs); k++) {
        const irl_expr *first = p->externs[k];
        if (strcmp(first->u.name, x->u.name) != 0) continue;
        for (j = 0; j < x->count && first->count == x->count; j++)
            if (!irl_type_equal(first->a[j]->type, x->a[j]->type)) break;
        if (j == x->count && first->count == x->count && irl_type_equal(first->type, x->type))
            break;
        irl__fail(e->cx, IRL_ERROR_TYPE_MISMATCH, e->cx->here,
                  "'%s' is called with arguments of other types than before; a function of C has "
                  "one prototype",
                  x->u.name);
        return;
    }
    if (k == stbds_arrlen(p->externs) && !IRL__PUSH_SCRATCH(e->cx, p->externs, x)) return;
    irl__emit_extern(e, x);
}

/* ------------------------------------------------------------------ expressions */

static void irl__c_refuse(irl__emit *e, const char *what, const char *name)
{
    irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
              "%s%s has no form in C%s", what, name,
              strcmp(e->unit->target->name, "c99") != 0 ? ": lower for target 'c99'" : "");
}

static int irl__c_expr(irl__emit *e, const irl_expr *x, int precedence)
{
    const int has_vectors = e->unit->target->widths != 1;
    irl__c_program *p = irl__c_program_of(e);
    const irl__op_row *row = irl__op_info((irl_op)x->op);
    if (irl__type_is_float(x->type) && row->rule != IRL__OWN) p->uses_float = 1;
    p->uses_single |= x->type.scalar == IRL_F32;
    p->uses_double |= x->type.scalar == IRL_F64;
    if (row->form == IRL_FORM_CALL && row->rule == IRL__SAME_FLOAT) p->uses_math = 1;
    if (x->type.lanes > 1) {
        irl__c_vector(e, x, precedence);
        return 1;
    }
    if (irl__c_low(e, x, precedence)) return 1;
    switch (x->op) {
    case IRL_OP_REINTERPRET:
        if (x->a[0]->type.lanes == 1) return irl__emit_scalar(e, x, precedence);
        if (has_vectors) irl__c_vector_to_scalar(e, x);
        else irl__c_join(e, x);
        return 1;
    case IRL_OP_LANE:
        if (has_vectors) irl__c_vector_pick(e, x, precedence);
        else irl__c_part(e, x->a[0], (uint32_t)x->a[1]->u.i);
        return 1;
    case IRL_OP_CALL_INTRINSIC:
        if (!irl__c_packed(e, x, precedence)) irl__c_refuse(e, "the intrinsic ", x->u.name);
        return 1;
    case IRL_OP_CALL_EXTERN: irl__c_extern(e, x); return 1;
    case IRL_OP_RSQRT: irl__c_call(e, IRL__C_RSQRT, "rsqrt", x); return 1;
    default: return irl__c_integer(e, x, precedence) || irl__emit_scalar(e, x, precedence);
    }
}

/* ------------------------------------------------------------------ statements */

/* Only a call does something. */
static void irl__c_evaluate(irl__emit *e, const irl_expr *x)
{
    irl__emit_scope scope = irl__emit_scope_begin(e);
    if (!irl__emit_calls(x)) return;
    irl__emit_prepare(e, x);
    irl__emitf(e, "\t(void)%p;\n", IRL__PREC_UNARY, x);
    irl__emit_forget(e, scope, NULL);
}

/* Private memory that nothing printed reads. */
static int irl__c_is_idle(irl__emit *e, const irl_buffer *b)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, b->data);
    return m && m->buffer->scope == IRL_SCOPE_LOCAL && !m->is_needed;
}

static int irl__c_stmt(irl__emit *e, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
        if (!irl__c_is_idle(e, s->u.store.buffer)) irl__emit_store(e, s);
        else irl__c_evaluate(e, s->u.store.value);
        return 1;
    case IRL__DECL: return 1; /* an alias is its memory; accesses see to the type */
    case IRL__ALLOC:
        if (irl__c_program_of(e)->in_host) return irl__c_host_stmt(e, s);
        if (!irl__c_is_idle(e, s->u.alloc.buffer)) irl__emit_array(e, s->u.alloc.buffer);
        else {
            /* A constant that nothing uses has a name all the same. */
            const char *name = irl__emit_take_name(e, s->u.alloc.buffer->name);
            if (name) irl__emit_bind(e, s->u.alloc.buffer->data, name);
        }
        return 1;
    case IRL__EVALUATE: irl__c_evaluate(e, s->u.evaluate.value); return 1;
    case IRL__BARRIER: irl__c_refuse(e, "a barrier", ""); return 1;
    case IRL__FOR:
        if (s->u.loop.kind != IRL_BOUND) return 0;
        irl__c_refuse(e, "a loop bound to ", irl_axis_text(s->u.loop.axis));
        return 1;
    default: return irl__c_program_of(e)->in_host && irl__c_host_stmt(e, s);
    }
}

/* ------------------------------------------------------------------ the language */

void irl__c_language(irl__emit_language *l)
{
    irl__c_integers(l);
    l->functions = irl__c_functions;
    l->expr = irl__c_expr;
    l->stmt = irl__c_stmt;
    l->vector_type = irl__c_vector_type;
    l->as = irl__c_as;
    l->helper = irl__c_helper;
    l->load_run = irl__c_load_run;
    l->store_run = irl__c_store_run;
    l->name_operands = irl__c_vector_name_operands;
}
