/* c_host.c - the host function in C: it calls the kernels in order, provides memory for
   temporaries, and says which assertion failed.

   requires  a module's host function
   promises  a temporary is in memory that the caller passes, or in static memory if the options say
             so; nothing is allocated. Temporaries that no kernel needs at the same time share bytes
             if their elements have one type and their sizes are numbers; the others are placed one
             after the other, also those of a loop or a branch */
#include "c.h"

enum { IRL__C_ALIGNED = IRL__PLAN_C_ALIGN }; /* of a temporary in the caller's memory */

/* ------------------------------------------------------------------ temporaries */

const irl_expr *irl__c_elements_of(irl__emit *e, const irl_buffer *b, int from, int to)
{
    const irl_expr *n = irl_expr_index(e->cx, 1);
    for (int k = from; n && k < to; k++)
        n = irl__mul(e->cx, n, irl__emit_iterations(e, b->shape[k]));
    return n;
}

/* Bytes of an allocation; an expression over what the host knows. */
static const irl_expr *irl__c_bytes_of(irl__emit *e, const irl_buffer *b)
{
    const irl_expr *n = irl__c_elements_of(e, b, 0, b->rank);
    return irl__simplify(e->ranges, irl__op_number(e->cx, IRL_OP_MUL, n,
                                                   (int64_t)irl__type_bytes(b->type)));
}

static const char *irl__c_element(const irl__emit *e, const irl_buffer *b)
{
    return e->language->types[irl__emit_held(b->type).scalar];
}

/* Does more than one temporary lie in the pool? A single one needs no static pool. */
static int irl__c_is_pool(const irl__c_program *p, int pool)
{
    int k, count = 0;
    for (k = 0; k < (int)stbds_arrlen(p->planned); k++) count += p->planned[k].out.pool == pool;
    return count > 1 && p->pools[pool].bytes > 0;
}

/* What module.c says of the temporary; NULL: it shares no memory. */
static const irl_plan_temporary *irl__c_planned(const irl__c_program *p, const irl_buffer *b)
{
    for (int k = 0; k < (int)stbds_arrlen(p->planned); k++)
        if (p->planned[k].buffer == b && p->planned[k].out.pool >= 0)
            return p->pool_names && !p->pool_names[p->planned[k].out.pool] ? NULL
                                                                           : &p->planned[k].out;
    return NULL;
}

static int irl__c_static_ok(irl__emit *e, const irl_buffer *b, const irl_expr *bytes)
{
    int64_t most = irl__c_program_of(e)->options->static_bytes;
    return (bytes->op == IRL_OP_INT && bytes->u.i <= most) ||
           irl__fail(e->cx, IRL_ERROR_TARGET_LIMIT, b->loc,
                     "temporary '%s' has %s bytes; static memory for one is limited to %l", b->name,
                     irl_expr_text(e->cx, bytes), most);
}

/* static float t[96]; */
static int irl__c_static(irl__emit *e, const irl_buffer *b, const char *name, const irl_expr *bytes)
{
    const int64_t each = (int64_t)irl__type_info(b->type)->bytes;
    if (!irl__c_static_ok(e, b, bytes)) return 0;
    irl__emitf(e, "\tstatic %s %s[%l];\n", irl__c_element(e, b), name,
               bytes->u.i ? bytes->u.i / each : 1);
    return 1;
}

static int irl__c_carved(irl__emit *e, const irl_buffer *b, const char *name, const irl_expr *bytes)
{
    irl__c_program *p = irl__c_program_of(e);
    const char     *element = irl__c_element(e, b);
    bytes = irl__emit_without_lets(e->unit, bytes);
    if (!bytes) return 0;
    if (!irl__expr_is_of_params(bytes, e->unit->module->host))
        return irl__fail(e->cx, IRL_ERROR_PRIVATE_EXTENT, b->loc,
                         "temporary '%s' has %s bytes, which do not follow from the parameters: a "
                         "caller cannot provide its memory",
                         b->name, irl_expr_text(e->cx, bytes));
    irl__emitf(e, "\t%s *const %s = (%s *)(void *)((unsigned char *)%s", element, name, element,
               p->scratch_name);
    /* The place is in size_t: what the host computes is an index, which is not negative here. */
    const irl_expr *offset = p->scratch;
    if (!irl__is_int(offset, 0)) {
        irl__text_puts(&e->text, " + ");
        if (offset->op == IRL_OP_INT) irl__text_int(&e->text, offset->u.i);
        else {
            irl__text_puts(&e->text, "(size_t)");
            irl__emit_index(e, offset, IRL__WIDTH_LONG, IRL__PREC_UNARY);
            irl__c_program_of(e)->uses_size = 1;
        }
    }
    irl__text_puts(&e->text, ");\n");
    bytes = irl__op_number(e->cx, IRL_OP_ADD, bytes, IRL__C_ALIGNED - 1);
    bytes = irl__op_number(e->cx, IRL_OP_FLOORDIV, bytes, IRL__C_ALIGNED);
    bytes = irl__op_number(e->cx, IRL_OP_MUL, bytes, IRL__C_ALIGNED);
    p->scratch = irl__simplify(e->ranges, irl__add(e->cx, p->scratch, bytes));
    return p->scratch != NULL;
}

static void irl__c_alloc(irl__emit *e, const irl_buffer *b)
{
    const irl_expr           *bytes = irl__c_bytes_of(e, b);
    const char               *name = irl__emit_take_name(e, b->name);
    int                       is_static = irl__c_program_of(e)->options->static_bytes > 0;
    const irl_plan_temporary *shared = irl__c_planned(irl__c_program_of(e), b);
    if (!bytes || !name || !irl__target_has_image(e->cx, e->unit->target, b)) return;
    if (shared) {
        if (is_static && !irl__c_static_ok(e, b, bytes)) return;
        /* float *const t = pool + 64; */
        const irl__c_program *p = irl__c_program_of(e);
        const char           *element = irl__c_element(e, b);
        const int64_t         each = (int64_t)irl__type_info(b->type)->bytes;
        int64_t               at =
            p->pool_names ? shared->offset / each : p->pool_at[shared->pool] + shared->offset;
        irl__emit_line(e);
        if (p->pool_names)
            irl__textf(&e->text, "%s *const %s = %s", element, name, p->pool_names[shared->pool]);
        else
            irl__textf(&e->text, "%s *const %s = (%s *)(void *)((unsigned char *)%s", element, name,
                       element, p->scratch_name);
        if (at) irl__textf(&e->text, " + %l", at);
        irl__text_puts(&e->text, p->pool_names ? ";\n" : ");\n");
        irl__emit_bind(e, b->data, name);
    } else if (is_static ? irl__c_static(e, b, name, bytes) : irl__c_carved(e, b, name, bytes))
        irl__emit_bind(e, b->data, name);
}

/* static float pool[4096]; the element type is that of what lies in it. */
static int irl__c_static_pool(irl__emit *e, int pool)
{
    irl__c_program *p = irl__c_program_of(e);
    const char     *name = irl__emit_take_name(e, "pool");
    int             k;
    if (!name) return 0;
    p->pool_names[pool] = name;
    for (k = 0; p->planned[k].out.pool != pool; k++) {}
    irl__emitf(e, "\tstatic %s %s[%l];\n", irl__c_element(e, p->planned[k].buffer), name,
               p->pools[pool].bytes / (int64_t)irl__type_info(p->planned[k].buffer->type)->bytes);
    return irl__ok(e->cx);
}

/* Where the temporaries lie that share memory: the pools come first in the caller's memory. */
static int irl__c_plan(irl__emit *e)
{
    irl__c_program  *p = irl__c_program_of(e);
    irl_plan_options how;
    int64_t          bytes = 0;
    int              k;
    memset(&how, 0, sizeof how);
    const irl_module_plan *plan = irl__plan_of(e->unit->module, &how, &p->planned);
    if (!plan) return 0;
    p->pools = plan->pools;
    p->pool_count = plan->pool_count;
    p->pool_at = IRL__NEW(e->cx, int64_t, plan->pool_count + 1);
    if (!p->pool_at) return 0;
    if (p->options->static_bytes > 0) {
        p->pool_names = IRL__NEW(e->cx, const char *, plan->pool_count + 1);
        if (!p->pool_names) return 0;
        for (k = 0; k < plan->pool_count; k++)
            if (irl__c_is_pool(p, k) && !irl__c_static_pool(e, k)) return 0;
    } else
        for (k = 0; k < plan->pool_count; k++) {
            p->pool_at[k] = bytes;
            if (!irl__add64(bytes, plan->pools[k].bytes, &bytes) ||
                !irl__pool_up(bytes, IRL__C_ALIGNED, &bytes))
                return IRL__FAIL(e->cx, IRL_ERROR_OVERFLOW, "the temporaries have 2^63 bytes or "
                                 "more");
        }
    p->scratch = irl_expr_index(e->cx, bytes);
    return p->scratch != NULL;
}

/* ------------------------------------------------------------------ statements */

static void irl__c_launch(irl__emit *e, const irl_stmt *s)
{
    const irl__c_program *p = irl__c_program_of(e);
    int                   k = irl__launch_kernel(e->unit->module, s, &e->unit->next_kernel), j;
    if (k < 0) {
        irl__fail(e->cx, IRL_ERROR_UNKNOWN_NAME, s->loc, "there is no kernel '%s'",
                  s->u.launch.kernel);
        return;
    }
    irl__emitf(e, "\t%s(", p->kernels[k].name);
    for (j = 0; j < s->u.launch.count; j++) {
        const irl_expr         *a = s->u.launch.args[j];
        const irl__emit_symbol *symbol = a->type.is_pointer ? irl__emit_find(e, a) : NULL;
        if (j) irl__text_puts(&e->text, ", ");
        if (symbol) irl__text_puts(&e->text, symbol->name);
        else if (irl__type_is_index(a->type))
            irl__emit_index(e, a, IRL__WIDTH_LONG, IRL__PREC_ANY);
        else irl__emit_argument(e, a);
    }
    irl__text_puts(&e->text, ");\n");
}

void irl__c_assert(irl__emit *e, const irl_stmt *s, const char *before, const char *after)
{
    irl__emit_prepare(e, s->u.check.condition);
    irl__emitf(e, "\tif (!%p) %s%d%s; /* ", IRL__PREC_POSTFIX, s->u.check.condition, before,
               ++irl__c_program_of(e)->asserts, after);
    irl__emit_comment(&e->text, s->u.check.message ? s->u.check.message : "");
    irl__text_puts(&e->text, " */\n");
    irl__emit_assume(e, s->u.check.condition, 1);
}

int irl__c_host_stmt(irl__emit *e, const irl_stmt *s)
{
    switch ((irl__stmt_kind)s->kind) {
    case IRL__LAUNCH: irl__c_launch(e, s); return 1;
    case IRL__ALLOC: irl__c_alloc(e, s->u.alloc.buffer); return 1;
    case IRL__LET: {
        /* float *const h = device_memory(64): what the call returns is held as kernels take it. */
        const irl_expr *var = s->u.let.var;
        if (!var->type.is_pointer || !irl__c_program_of(e)->in_host) return 0;
        const char *name = irl__emit_take_name(e, var->u.name);
        if (!name) return 1;
        irl__emitf(e, "\t%s *const %s = %e;\n",
                   e->language->types[irl__emit_held(var->type).scalar], name, s->u.let.value);
        irl__emit_bind(e, var, name);
        return 1;
    }
    case IRL__ASSERT:
        if (irl__c_program_of(e)->in_checked) irl__c_check(e, s);
        else irl__c_assert(e, s, "return ", "");
        return 1;
    default: return 0;
    }
}

/* ------------------------------------------------------------------ the function */

int irl__c_is_single(const irl_module *m)
{
    const irl_stmt *s = m->host->body;
    while (s->kind == IRL__SEQ && s->u.seq.count == 1) s = s->u.seq.stmts[0];
    if (m->kernel_count != 1 || s->kind != IRL__LAUNCH) return 0;
    if (s->u.launch.count != m->host->param_count ||
        m->kernels[0]->param_count != m->host->param_count)
        return 0;
    for (int k = 0; k < m->host->param_count; k++)
        if (s->u.launch.args[k] != m->host->params[k].var) return 0;
    return 1;
}

/* Marks the parameters of the host function that its kernels read and write. */
typedef struct irl__c_host_written {
    const irl__c_program *p;
    const irl_func       *host;
    unsigned              char        *written;
} irl__c_host_written;

static void irl__c_see_passed(void *user, int kernel, int k, const irl_expr *passed)
{
    const irl__c_host_written *w = (const irl__c_host_written *)user;
    int                        at = irl__func_param_of(w->host, passed);
    if (at >= 0 && kernel < 0) w->written[at] |= IRL__C_WRITTEN;
    else if (at >= 0) w->written[at] |= w->p->kernels[kernel].written[k];
}

/* size_t f_scratch_bytes(int64_t n), or a constant. */
static void irl__c_host_scratch(irl__emit *e, const irl_func *host)
{
    irl__c_program *p = irl__c_program_of(e);
    irl__text      *t = &p->header_text;
    int             j, n = 0;
    if (irl__is_int(p->scratch, 0)) return;
    irl__textf(t,
               "/* the bytes at %s, an address that is a multiple of %d: the temporaries of %s "
               "*/\n",
               p->scratch_name, (int)IRL__C_ALIGNED, p->host);
    if (p->scratch->op == IRL_OP_INT) {
        irl__textf(t, "#define %s_scratch_bytes %l\n", p->host, p->scratch->u.i);
        return;
    }
    p->uses_size = 1;
    const irl__text outer = irl__emit_apart(e);
    irl__textf(&e->text, "size_t %s_scratch_bytes(", p->host);
    for (j = 0; j < host->param_count; j++) {
        const irl__emit_symbol *symbol = irl__emit_find(e, host->params[j].var);
        if (host->params[j].buffer || !irl__expr_uses_var(p->scratch, host->params[j].var))
            continue;
        irl__textf(&e->text, n++ ? ", %s %s" : "%s %s",
                   e->language->types[host->params[j].var->type.scalar], symbol->name);
    }
    irl__text_putc(&e->text, ')');
    irl__text_join(t, &e->text);
    irl__text_puts(t, ";\n");
    irl__text_puts(&e->text, "\n{\n    return (size_t)");
    irl__emit_index(e, p->scratch, IRL__WIDTH_LONG, IRL__PREC_UNARY);
    irl__text_puts(&e->text, ";\n}\n\n");
    const irl__text size = irl__emit_back(e, outer);
    irl__text_join(&e->text, &size);
}

static int irl__c_host_text(irl__emit *e, const irl_func *host)
{
    irl__c_program     *p = irl__c_program_of(e);
    irl__c_host_written w;
    w.p = p;
    w.host = host;
    w.written = (unsigned char *)irl__scratch_alloc(e->cx, (size_t)host->param_count, 1);
    if (!w.written) return 0;
    p->returns |= irl__stmt_holds(host->body, 1u << IRL__ASSERT);
    irl__see_launches(e->unit->module, irl__c_see_passed, &w);
    p->scratch = irl_expr_index(e->cx, 0);
    if (!p->scratch || !irl__c_parameters(e, host)) return 0;
    p->scratch_name = irl__emit_take_name(e, "scratch");
    if (!p->scratch_name) return 0;
    const irl__text body = irl__c_body(e, host, irl__c_plan);
    if (!irl__ok(e->cx)) return 0;
    irl__c_host_scratch(e, host);
    irl__c_function_text(e, host, p->host, w.written, &body, 1);
    return irl__ok(e->cx);
}

int irl__c_host(irl__emit *e, const irl_func *host)
{
    irl__emit_func state;
    int            ok = irl__emit_func_begin(e, host, &state);
    irl__c_program_of(e)->in_host = 1;
    ok = ok && irl__c_host_text(e, host);
    irl__emit_func_end(e, &state);
    return ok;
}
