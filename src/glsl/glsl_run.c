/* glsl_run.c - accesses to several elements of an array, one by one: an array in GLSL has one type,
   and memory cannot be accessed in another way.

   needs     emit_memory.c
   promises  an access to elements of another size is refused */
#include "glsl.h"

static int irl__glsl_run_ok(irl__emit *e, const irl__memory_place *p)
{
    if (p->way == IRL__WAY_DIRECT || p->way == IRL__WAY_AS) return 1;
    return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                     "'%s' is an array of %s, and is accessed as %s: GLSL has one type for an "
                     "array; access it as %s, and reinterpret what is loaded by as(%s, value)",
                     p->memory->buffer->name, irl__type_info(p->memory->type)->text,
                     irl__type_info(p->type)->text, irl__type_info(p->memory->type)->text,
                     irl__type_info(p->type)->text);
}

/* name[lanes * index + k], of an array of vectors with its lane behind it. */
static void irl__glsl_run_element(irl__emit *e, const irl__memory_place *p, uint32_t k)
{
    uint32_t        each = p->memory->element.lanes;
    const irl_expr *at = p->index ? p->index : irl_expr_index(e->cx, 0);
    if (p->by_run) at = irl__op_number(e->cx, IRL_OP_MUL, at, (int64_t)p->lanes);
    at = irl__op_number(e->cx, IRL_OP_ADD, at, (int64_t)k);
    at = at && !(at->flags & IRL__HAS_LET) ? irl__simplify_alone(e->cx, at) : at;
    irl__textf(&e->text, "%s[", p->name);
    if (at) irl__emit_place(e, at, IRL__PREC_ANY);
    irl__text_putc(&e->text, ']');
    if (each != 1) /* the survey makes arrays of scalars of what is seen in several widths */
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                  "'%s' is an array of vectors of %u lanes, but is accessed by vectors of "
                  "another length",
                  p->memory->buffer->name, (uint64_t)each);
}

/* Of bits that are seen as another type of the same size. */
static void irl__glsl_run_as(irl__emit *e, const irl__memory_place *p, int is_store)
{
    irl_type own = irl__emit_held(irl__type_with_lanes(p->memory->type, 1));
    if (p->way == IRL__WAY_AS) irl__glsl_as(e, is_store ? own : p->type, is_store ? p->type : own);
}

void irl__glsl_load_run(irl__emit *e, const irl__memory_place *p)
{
    if (!irl__glsl_run_ok(e, p)) return;
    if (p->lanes > 1) irl__emitf(e, "%t(", irl__type_with_lanes(p->type, p->lanes));
    for (uint32_t k = 0; k < p->lanes; k++) {
        if (k) irl__text_puts(&e->text, ", ");
        irl__glsl_run_as(e, p, 0);
        irl__glsl_run_element(e, p, k);
        if (p->way == IRL__WAY_AS) irl__text_putc(&e->text, ')');
    }
    if (p->lanes > 1) irl__text_putc(&e->text, ')');
}

/* const vec4 run = value; x[i] = run.x; ... */
void irl__glsl_store_run(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    const char *name = irl__emit_take_name(e, "run");
    irl_type    type = irl__type_with_lanes(p->type, p->lanes);
    if (!name || !irl__glsl_run_ok(e, p)) return;
    irl__emitf(e, "const %t %s = ", type, name);
    if (value->type.scalar == IRL_BOOL) irl__emitf(e, "%t(%e)", type, value);
    else irl__emit_expr(e, value, IRL__PREC_CHOICE);
    for (uint32_t k = 0; k < p->lanes; k++) {
        irl__emitf(e, ";\n\t");
        irl__glsl_run_element(e, p, k);
        irl__text_puts(&e->text, " = ");
        irl__glsl_run_as(e, p, 1);
        irl__text_puts(&e->text, name);
        if (p->lanes > 1) irl__textf(&e->text, ".%c", "xyzw"[k & 3]);
        if (p->way == IRL__WAY_AS) irl__text_putc(&e->text, ')');
    }
}
