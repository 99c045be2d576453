/* emit_glsl.c - compute shaders: one for each kernel, with the layout of the resources that a host
   binds.

   requires  a module that was lowered for a target of one access type for each memory: flattened
             bodies, bound loops for what runs in parallel
   promises  a text that needs nothing but the extensions that it names: binding k of set 0 is
             parameter k, scalars are push constants, groups are of one size, and items beyond a
             global axis do nothing. Texts of the user appear as identifiers or inside comments
             only.
   cost      linear in the module */
#include "glsl.h"

/* What Vulkan promises of every device. */
enum {
    IRL__GLSL_PUSH_BYTES = 128,
    IRL__GLSL_GROUPS = 65535, /* along a dimension */
    IRL__GLSL_GROUP = 64      /* items of a group along the first global axis, where nothing says */
};

/* ------------------------------------------------------------------ sizes */

/* Items of a group along a dimension, of at most `most`; 0 with a diagnostic. */
static int irl__glsl_local_size(irl__emit *e, int d, int most, int is_first)
{
    const irl__emit_unit *o = e->unit;
    const irl__emit_axis *global = &o->axes[IRL_GLOBAL_X + d];
    const irl_expr       *local = o->axes[IRL_LOCAL_X + d].extent;
    int64_t               size;
    if (local && local->op != IRL_OP_INT)
        return irl__fail(o->cx, IRL_ERROR_UNSUPPORTED, o->function->loc,
                         "the size of a work-group must be constant in a shader; %s has %s",
                         irl_axis_text((irl_axis)(IRL_LOCAL_X + d)),
                         irl_expr_text(o->cx, local));
    if (local) size = local->u.i < 1 ? 1 : local->u.i;
    else if (!global->extent) return 1;
    else {
        size = global->group > 0 ? global->group : is_first ? IRL__GLSL_GROUP : 1;
        if (global->extent->op == IRL_OP_INT && global->extent->u.i < size)
            size = global->extent->u.i < 1 ? 1 : global->extent->u.i;
        if (size > most) size = most;
    }
    if (size <= most) return (int)size;
    return irl__fail(o->cx, IRL_ERROR_TARGET_LIMIT, o->function->loc,
                     "a work-group of kernel '%s' has more than %d work-items", o->function->name,
                     o->target->work_group);
}

static const irl_expr *irl__glsl_group_count(irl__emit *e, int d, int size)
{
    const irl__emit_unit *o = e->unit;
    const irl_expr       *global = irl__emit_iterations(e, o->axes[IRL_GLOBAL_X + d].extent),
                         *group = irl__emit_iterations(e, o->axes[IRL_GROUP_X + d].extent),
                         *local = o->axes[IRL_LOCAL_X + d].extent, *count;
    if (!global) count = group ? group : irl_expr_index(o->cx, 1);
    else
        count = irl__simplify_alone(
            o->cx, irl__op_number(o->cx, IRL_OP_FLOORDIV,
                                  irl__op_number(o->cx, IRL_OP_ADD, global, size - 1), size));
    if (local && local->op == IRL_OP_INT && local->u.i < 1) count = irl_expr_index(o->cx, 0);
    if (!count || count->op != IRL_OP_INT || count->u.i <= IRL__GLSL_GROUPS) return count;
    irl__fail(o->cx, IRL_ERROR_TARGET_LIMIT, o->function->loc,
              "kernel '%s' has %l groups along dimension %d; Vulkan guarantees %d",
              o->function->name, count->u.i, d, IRL__GLSL_GROUPS);
    return NULL;
}

/* ------------------------------------------------------------------ arguments */

static void irl__glsl_buffer(irl__emit *e, const irl__emit_memory *m, int binding, const char *name)
{
    char      block[80];
    irl__text wish;
    irl__text_init_fixed(&wish, block, sizeof block);
    irl__textf(&wish, "%s_memory", name);
    const char *taken = irl__emit_take_name(e, block);
    irl__textf(&e->text, "layout(std430, set = 0, binding = %d) ", binding);
    if (!m->is_shared_by_arguments) irl__text_puts(&e->text, "restrict ");
    if (!m->is_written) irl__text_puts(&e->text, "readonly ");
    else if (!m->is_read) irl__text_puts(&e->text, "writeonly ");
    if (m->is_written && m->is_read && irl__glsl_of(e)->has_barrier)
        irl__text_puts(&e->text, "coherent ");
    irl__textf(&e->text, "buffer %s { ", taken ? taken : "");
    if (m->is_written) irl__text_puts(&e->text, irl__emit_precise(e, m->type));
    irl__emit_elements(e, m);
    irl__textf(&e->text, " %s[]; };\n", name);
}

static int irl__glsl_memory(irl__emit *e, const irl__param *p, int binding)
{
    const irl__emit_memory *m = irl__emit_memory_of(e->unit, p->var);
    const char             *name = irl__emit_take_name(e, p->name);
    if (!name || !irl__emit_bind(e, p->var, name) || !irl__emit_param_ok(e, p)) return 0;
    if (irl__scope_is_image(p->buffer->scope)) irl__glsl_image_declare(e, m, binding, name);
    else irl__glsl_buffer(e, m, binding, name);
    return irl__ok(e->cx);
}

/* What holds a scalar among the push constants, of at least 32 bits. */
static irl_type irl__glsl_pushed(irl_type t)
{
    const irl__type_row *row = irl__type_info(t);
    if (irl__type_is_index(t)) return irl_type_of(IRL_I32, 1);
    if (row->bits >= 32) return t;
    return irl_type_of(row->kind == IRL_KIND_INT ? IRL_I32 : IRL_U32, 1);
}

/* Where parameter k lies behind `offset`: std430 aligns three lanes as four. */
static int irl__glsl_push(irl__emit *e, const irl__param *p, int *offset, int *at)
{
    irl_type t = irl__glsl_pushed(p->var->type);
    int      bytes = irl__type_info(t)->bytes, aligned;
    if (p->var->type.lanes != 1 && (irl__type_is_index(p->var->type) ||
                                    irl__type_info(p->var->type)->bits < 32))
        return irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, p->loc,
                         "parameter '%s' is of type %s, which cannot be a push constant in GLSL",
                         p->name, irl__type_cstr(e->cx, p->var->type));
    aligned = bytes * (t.lanes == 3 ? 4 : (int)t.lanes);
    *at = (*offset + aligned - 1) / aligned * aligned;
    *offset = *at + bytes * (int)t.lanes;
    return *offset <= IRL__GLSL_PUSH_BYTES ||
           irl__fail(e->cx, IRL_ERROR_TARGET_LIMIT, p->loc,
                     "kernel '%s' has more than %d bytes of scalars, which Vulkan promises as push "
                     "constants", e->unit->function->name, IRL__GLSL_PUSH_BYTES);
}

/* One scalar: `int n;`, or, of what is narrower, a member of another name. */
static int irl__glsl_scalar_argument(irl__emit *e, const irl__param *p, int at)
{
    irl_type          own = p->var->type, t = irl__glsl_pushed(own);
    const char       *name = irl__emit_take_name(e, p->name);
    irl__emit_symbol *symbol = name ? irl__emit_bind(e, p->var, name) : NULL;
    char              member[80];
    irl__text         wish;
    if (!symbol) return 0;
    if (irl__type_is_index(own)) {
        if (!irl__emit_short_index(e, p->var)) return 0;
    } else if (t.scalar != own.scalar) {
        irl__text_init_fixed(&wish, member, sizeof member);
        irl__textf(&wish, "%s_argument", name);
        name = irl__emit_take_name(e, member);
        if (!name) return 0;
    }
    irl__emitf(e, "    layout(offset = %d) %t %s;\n", at, t, name);
    return 1;
}

/* "const uint8_t x = uint8_t(x_argument);" at the top of main. */
static void irl__glsl_narrow_argument(irl__emit *e, const irl__param *p)
{
    irl_type                own = p->var->type;
    const irl__emit_symbol *symbol = irl__emit_find(e, p->var);
    const char             *type = e->language->types[own.scalar];
    if (p->buffer || irl__type_is_index(own) || irl__glsl_pushed(own).scalar == own.scalar ||
        !symbol)
        return;
    irl__textf(&e->text, "    const %s %s = %s(%s_argument);\n", type, symbol->name, type,
               symbol->name);
}

static int irl__glsl_arguments_of(irl__emit *e, const irl_func *f, irl_glsl_kernel *k)
{
    int *offsets = IRL__NEW(e->cx, int, f->param_count), j;
    if (!offsets) return 0;
    k->argument_count = f->param_count;
    k->offsets = offsets;
    for (j = 0; j < f->param_count; j++) {
        offsets[j] = -1;
        if (f->params[j].buffer ? !irl__glsl_memory(e, &f->params[j], j)
                                : !irl__glsl_push(e, &f->params[j], &k->push_bytes, &offsets[j]))
            return 0;
    }
    if (!k->push_bytes) return 1;
    irl__text_puts(&e->text, "layout(push_constant) uniform irl_arguments {\n");
    for (j = 0; j < f->param_count; j++)
        if (offsets[j] >= 0 && !irl__glsl_scalar_argument(e, &f->params[j], offsets[j])) return 0;
    irl__text_puts(&e->text, "};\n");
    return 1;
}

/* ------------------------------------------------------------------ extensions */

typedef struct irl__glsl_uses {
    int bytes, shorts;
} irl__glsl_uses;

static void irl__glsl_use_type(irl__glsl_uses *u, irl_type t)
{
    if (t.is_pointer || t.scalar == IRL_BOOL) return;
    u->bytes |= irl__type_info(t)->bits == 8;
    u->shorts |= irl__type_info(t)->bits == 16;
}

static void irl__glsl_use_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__glsl_uses *u = (irl__glsl_uses *)v->user;
    if (s && s->kind == IRL__DECL) return; /* accesses see to the type */
    irl__glsl_use_type(u, b->type);
    u->bytes |= b->type.scalar == IRL_BOOL;
}

static int irl__glsl_use_expr(irl__visitor *v, const irl_expr *x)
{
    irl__glsl_use_type((irl__glsl_uses *)v->user, x->type);
    return 1;
}

/* ------------------------------------------------------------------ one shader */

static void irl__glsl_comment(irl__emit *e, irl__text *t, const irl_func *f,
                              const irl_glsl_kernel *k)
{
    const irl__text outer = e->text;
    e->text = *t;
    irl__textf(&e->text, "/* %s: ", k->name);
    irl__emit_comment_sizes(e, "", 3, k->groups);
    irl__text_puts(&e->text, " groups");
    for (int j = 0; j < f->param_count; j++) {
        const irl__emit_symbol *symbol = irl__emit_find(e, f->params[j].var);
        irl__emit_comment_param(e, f, &f->params[j], symbol ? symbol->name : "",
                                irl__emit_memory_of(e->unit, f->params[j].var));
    }
    irl__textf(&e->text, "\n   GLSL 4.50 for Vulkan, emitted by irlayout %s */\n",
               IRL_VERSION_STRING);
    *t = irl__emit_back(e, outer);
}

static int irl__glsl_kernel_text(irl__emit *e, const irl_func *f, irl_glsl_kernel *k)
{
    k->function = f;
    k->name = f->name;
    irl__glsl_of(e)->has_barrier = irl__stmt_holds(f->body, 1u << IRL__BARRIER);
    if (!irl__glsl_arguments_of(e, f, k) || !irl__emit_facts(e, f)) return 0;
    const irl__emit_unit *o = e->unit;
    int                   d, most = o->target->work_group, is_first = 1;
    for (d = 0; d < 3; d++) {
        k->local[d] = irl__glsl_local_size(e, d, most, is_first);
        if (!k->local[d]) return 0;
        if (o->axes[IRL_GLOBAL_X + d].extent) is_first = 0;
        most /= k->local[d];
        k->groups[d] = irl__glsl_group_count(e, d, k->local[d]);
        if (!k->groups[d]) return 0;
    }
    if (!irl__ok(o->cx)) return 0;
    if (!irl__emit_shared_arrays(e)) return 0;
    irl__text_puts(&e->text, "\nvoid main()\n{\n");
    for (int j = 0; j < f->param_count; j++) irl__glsl_narrow_argument(e, &f->params[j]);
    e->indent = 1;
    irl__emit_stmt(e, f->body);
    irl__text_puts(&e->text, "}\n");
    if (!irl__ok(e->cx) || e->text.failed) return 0;
    irl__text t;
    irl__text_init(&t, e->cx);
    irl__text_puts(&t, "#version 450\n");
    irl__glsl_uses u = { 0, 0 };
    irl__visitor   v = irl__visitor_make(&u, irl__glsl_use_expr, NULL);
    v.buffer = irl__glsl_use_buffer;
    irl__visit_stmt(&v, f->body);
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].buffer) irl__glsl_use_buffer(&v, f->params[i].buffer, NULL);
        else irl__glsl_use_type(&u, f->params[i].var->type);
    if (u.bytes)
        irl__text_puts(&t, "#extension GL_EXT_shader_8bit_storage : require\n"
                           "#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require\n");
    if (u.shorts)
        irl__text_puts(&t, "#extension GL_EXT_shader_16bit_storage : require\n"
                           "#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n");
    if (irl__glsl_of(e)->has_texels)
        irl__text_puts(&t, "#extension GL_EXT_samplerless_texture_functions : require\n");
    irl__glsl_comment(e, &t, f, k);
    irl__textf(&t, "layout(local_size_x = %d, local_size_y = %d, local_size_z = %d) in;\n\n",
               k->local[0], k->local[1], k->local[2]);
    irl__emit_helpers(e, &t);
    irl__text_join(&t, &e->text);
    k->source = irl__text_done(&t);
    return k->source != NULL;
}

static int irl__glsl_kernel(irl__emit_unit *o, const irl_func *f, irl_glsl_kernel *k)
{
    irl__arena_mark  mark = irl__scratch_begin(o->cx);
    irl__glsl_shader shader;
    irl__emit_func   state;
    irl__emit        e;
    int              ok = 0;
    memset(&shader, 0, sizeof shader);
    shader.kernel = k;
    shader.exact = 1;
    o->user = &shader;
    memset(&o->comments, 0, sizeof o->comments); /* its memory goes with the mark */
    if (irl__emit_begin(&e, o, "irl")) {
        irl__emit_narrow_begin(&e);
        ok = irl__emit_func_begin(&e, f, &state) && irl__glsl_kernel_text(&e, f, k);
        irl__emit_func_end(&e, &state);
    }
    irl__scratch_end(o->cx, mark);
    return ok;
}

/* ------------------------------------------------------------------ a module */

/* A target for which the text is right: no pointers, no vectors of more than four lanes. */
static int irl__glsl_target_ok(const irl__emit_unit *o)
{
    const irl_target *t = o->target;
    return (!t->int64 && !t->pointer_casts && !t->serial && !(t->widths & ~0xfu)) ||
           IRL__FAIL(o->cx, IRL_ERROR_UNSUPPORTED, "the module was lowered for target '%s'; a "
                     "shader needs indices of 32 bits, at most four lanes and one type for each "
                     "memory: lower for glsl", t->name);
}

const irl_glsl_program *irl_glsl_emit(const irl_module *m)
{
    irl_glsl_program *program;
    irl_glsl_kernel  *kernels;
    irl__emit_unit    o;
    irl__emit_language language;
    if (!m || !irl__ok(m->cx)) return NULL;
    program = IRL__NEW(m->cx, irl_glsl_program, 1);
    kernels = IRL__NEW(m->cx, irl_glsl_kernel, m->kernel_count);
    if (!program || !kernels) return NULL;
    irl__arena_mark mark = irl__scratch_begin(m->cx);
    irl__glsl_language(&language);
    int ok = irl__emit_unit_begin(&o, m, "glsl", &language) && irl__glsl_target_ok(&o) &&
             irl__emit_survey_host(&o);
    for (int k = 0; ok && k < o.module->kernel_count; k++)
        ok = irl__glsl_kernel(&o, o.module->kernels[k], &kernels[k]);
    irl__scratch_end(m->cx, mark);
    program->kernel_count = m->kernel_count;
    program->kernels = kernels;
    return ok && irl__ok(m->cx) ? program : NULL;
}

const char *irl_glsl_source(const irl_module *m, int kernel)
{
    const irl_glsl_program *program = irl_glsl_emit(m);
    if (!program) return "";
    if (kernel >= 0 && kernel < program->kernel_count) return program->kernels[kernel].source;
    IRL__FAIL(m->cx, IRL_ERROR_BAD_ARGUMENT, "there is no kernel %d; there are %d", kernel,
              program->kernel_count);
    return "";
}

int irl_glsl_kernel_groups(irl_ctx *cx, const irl_glsl_kernel *kernel, const int64_t *indices,
                           uint32_t groups[3])
{
    const irl_expr *vars[IRL_MAX_ARGUMENTS];
    int64_t         values[IRL_MAX_ARGUMENTS], value;
    int             k, count = 0, d;
    if (!cx || !kernel || !groups) return 0;
    for (k = 0; indices && k < kernel->argument_count && count < IRL_MAX_ARGUMENTS; k++) {
        const irl__param *p = &kernel->function->params[k];
        if (p->buffer || p->var->type.scalar != IRL_INDEX) continue;
        vars[count] = p->var;
        values[count] = indices[count];
        count++;
    }
    for (d = 0; d < 3; d++) {
        irl__fold_status status = irl__value_at(kernel->groups[d], count, vars, values, &value);
        if (status != IRL__FOLD_OK || value < 0 || value > IRL__GLSL_GROUPS)
            return irl__fail(cx, status == IRL__FOLD_OK ? IRL_ERROR_TARGET_LIMIT
                                                        : IRL_ERROR_ARGUMENT_MISMATCH,
                             kernel->function->loc,
                             "the groups of kernel '%s' along dimension %d are not a number from 0 "
                             "to %d for these index arguments: %s", kernel->name, d,
                             IRL__GLSL_GROUPS, irl_expr_text(cx, kernel->groups[d]));
        groups[d] = (uint32_t)value;
    }
    return 1;
}
