/* emit_facts.c - what is known in a kernel before its first statement.

   needs     parameters that have names; the target's sizes
   promises  facts that the host ensures: it has checked them before it launches a kernel */
#include "emit.h"

/* Axes from `first` on together: not negative, and no more than `most`. */
static int irl__facts_axes(irl__emit *e, const irl_buffer *b, int first, int64_t most)
{
    const irl_expr *product = irl_expr_index(e->cx, 1);
    for (int k = first; k < b->rank; k++) {
        product = irl__mul(e->cx, product, b->shape[k]);
        product = irl__simplify(e->ranges, product);
        if (!product) return 0;
        if (product->op == IRL_OP_INT && product->u.i > most)
            return irl__target_too_large(e->cx, e->unit->target, b, product->u.i);
        if (product->op == IRL_OP_INT) continue;
        if (!irl__fact(e->ranges, irl__op_number(e->cx, IRL_OP_GE, product, 0)) ||
            !irl__fact(e->ranges, irl__op_number(e->cx, IRL_OP_LE, product, most)))
            return 0;
    }
    return 1;
}

/* Where indices are of 32 bits, a buffer has no more bytes than they reach, nor had it if its empty
   axes had one element: the host refuses it at its launch, so that here it is known. */
static int irl__facts_size(irl__emit *e, const irl_buffer *b)
{
    const int64_t most = e->unit->target->buffer_bytes;
    for (int k = 0; most != INT64_MAX && k < b->rank; k++)
        if (!irl__facts_axes(e, b, k, most / (int64_t)irl__type_bytes(b->type))) return 0;
    return 1;
}

int irl__emit_facts(irl__emit *e, const irl_func *f)
{
    for (int j = 0; j < f->param_count; j++)
        if (f->params[j].buffer) {
            /* An index parameter that is an extent is not negative. */
            const irl_buffer *b = f->params[j].buffer;
            int64_t           most = e->unit->target->int64 ? INT64_MAX : INT32_MAX;
            for (int k = 0; k < b->rank; k++) {
                if (b->shape[k]->op != IRL_OP_VAR) continue;
                irl__interval r = irl__range_of(e->ranges, b->shape[k]);
                irl__bind_range(e->ranges, b->shape[k], 0, r.hi < most ? r.hi : most);
            }
        }
    for (int j = 0; j < f->param_count; j++)
        if (f->params[j].buffer && !irl__facts_size(e, f->params[j].buffer)) return 0;
    if (e->narrow && e->unit->module->host) {
        /* Neither is an extent of what the host is given: the host checks it for its kernels. */
        const irl_func *host = e->unit->module->host;
        int             k;
        for (int j = 0; j < host->param_count; j++)
            for (k = 0; host->params[j].buffer && k < host->params[j].logical_rank; k++) {
                const irl_expr *extent = host->params[j].logical_shape[k];
                if (extent->op == IRL_OP_VAR && irl__emit_find(e, extent))
                    irl__fact(e->ranges, irl__op_number(e->cx, IRL_OP_GE, extent, 0));
            }
    }
    return 1;
}

const irl_expr *irl__emit_iterations(irl__emit *e, const irl_expr *extent)
{
    if (!extent || irl__range_of(e->ranges, extent).lo >= 0) return extent;
    if (extent->op == IRL_OP_INT) return irl_expr_index(e->cx, 0);
    return irl__op_number(e->cx, IRL_OP_MAX, extent, 0);
}
