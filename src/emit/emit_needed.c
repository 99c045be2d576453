/* emit_needed.c - which private memory the text of a kernel reads: a constant that nothing uses is
   not printed (emit_names.c), so a load of it disappears, and the memory may then be only written,
   of which compilers warn.

   needs     a survey: all memory of the kernel is known
   promises  irl__emit_memory.is_needed of private memory: a store to other memory, a condition, a
             bound or a call reads it, or such memory or constants as these read
   cost      a walk over the kernel for each step from memory to memory, of which there are at most
             IRL__NEEDED_WALKS: after these, everything that is read counts */
#include "emit.h"

#define IRL__NEEDED_WALKS 8

typedef struct irl__needed {
    irl__emit_unit *o;
    irl__ptr_map    vars; /* that are used */
    int             all;  /* what is read is needed */
    int             changed;
} irl__needed;

static void irl__needed_memory(irl__needed *n, const irl_expr *data)
{
    irl__emit_memory *m = irl__emit_memory_of(n->o, data);
    if (!m || m->is_needed) return;
    m->is_needed = n->changed = 1;
}

/* What is used is seen before its declaration, because statements are walked from the last on. */
static void irl__needed_expr(irl__needed *n, const irl_expr *x)
{
    if (x->op == IRL_OP_VAR) {
        if (x->type.is_pointer) irl__needed_memory(n, x);
        else if (!irl__ptr_map_put(n->o->cx, &n->vars, x, x)) n->all = 1;
        return;
    }
    if (x->op == IRL_OP_LOAD) irl__needed_memory(n, x->u.buffer->data);
    if (x->op == IRL_OP_LET) {
        irl__needed_expr(n, x->a[2]);
        if (irl__ptr_map_get(&n->vars, x->a[0]) || irl__emit_calls(x->a[1]))
            irl__needed_expr(n, x->a[1]);
        return;
    }
    for (uint32_t k = 0; k < x->count; k++) irl__needed_expr(n, x->a[k]);
}

static void irl__needed_store(irl__needed *n, const irl_stmt *s)
{
    const irl_buffer       *b = s->u.store.buffer;
    const irl__emit_memory *m = irl__emit_memory_of(n->o, b->data);
    int                     k, idle = m && m->buffer->scope == IRL_SCOPE_LOCAL && !m->is_needed;
    if (idle && !irl__emit_calls(s->u.store.value)) return;
    irl__needed_expr(n, s->u.store.value);
    for (k = 0; !idle && k < b->rank; k++) irl__needed_expr(n, s->u.store.indices[k]);
}

static void irl__needed_stmt(irl__needed *n, const irl_stmt *s)
{
    int k = 0;
    while (irl__stmt_part(s, k)) k++;
    while (k-- > 0) irl__needed_stmt(n, irl__stmt_part(s, k));
    switch ((irl__stmt_kind)s->kind) {
    case IRL__FOR:
        irl__needed_expr(n, s->u.loop.extent);
        irl__needed_expr(n, s->u.loop.min);
        break;
    case IRL__IF: irl__needed_expr(n, s->u.branch.condition); break;
    case IRL__LET:
        if (n->all || irl__ptr_map_get(&n->vars, s->u.let.var) ||
            irl__emit_calls(s->u.let.value))
            irl__needed_expr(n, s->u.let.value);
        break;
    case IRL__STORE: irl__needed_store(n, s); break;
    case IRL__EVALUATE:
        if (irl__emit_calls(s->u.evaluate.value)) irl__needed_expr(n, s->u.evaluate.value);
        break;
    case IRL__SEQ:
    case IRL__ATTR:
    case IRL__ALLOC:
    case IRL__BLOCK:
    case IRL__DECL:
    case IRL__ASSUME:
    case IRL__ASSERT:
    case IRL__BARRIER:
    case IRL__LAUNCH:
    case IRL__STMT_KIND_COUNT: break;
    }
}

void irl__emit_needed(irl__emit_unit *o, const irl_func *kernel)
{
    irl__needed n;
    ptrdiff_t   k, count = stbds_arrlen(o->memories);
    for (k = 0; k < count && o->memories[k]->buffer->scope != IRL_SCOPE_LOCAL;) k++;
    if (k == count) return;
    memset(&n, 0, sizeof n);
    n.o = o;
    for (int walks = 0; walks < IRL__NEEDED_WALKS; walks++) {
        n.changed = 0;
        irl__needed_stmt(&n, kernel->body);
        if (!n.changed) return;
    }
    for (k = 0; k < count; k++) o->memories[k]->is_needed |= o->memories[k]->is_read;
}
