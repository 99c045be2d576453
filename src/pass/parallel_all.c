/* parallel_all.c - what the step parallel() without a loop does: in the nests that no step has
   changed, it marks the outer loops whose iterations never touch one another's cells.

   needs     analysis (irl__loop_carries)
   promises  nothing but the kind of these loops changes: serial becomes parallel; a nest with such
             a loop says that it is scheduled
   cost      that of one question for each loop of a nest: irl__loop_carries
   source    this project */
#include "pass.h"

enum { IRL__NEST_OPAQUE = 1 << IRL__BARRIER | IRL__HOLDS_BOUND };

typedef struct irl__nest {
    irl_ctx         *cx;
    irl__accesses   *t;         /* of the function */
    const irl__around **loops;  /* the perfect nest, outermost first */
    int              is_opaque; /* a barrier, a bound loop, a call: left alone */
} irl__nest;

static int irl__nest_is_rectangular(const irl__nest *nest, const irl_stmt *loop)
{
    for (int k = 0; k < (int)stbds_arrlen(nest->loops); k++)
        if (irl__stmt_bounds_use(loop, nest->loops[k]->var)) return 0;
    return 1;
}

static int irl__nest_collect(irl__nest *nest, const irl_stmt *s)
{
    nest->is_opaque = irl__stmt_calls(nest->t->f, s) || irl__stmt_holds(s, IRL__NEST_OPAQUE);
    for (; s->kind == IRL__FOR && (s->u.loop.kind == IRL_SERIAL || s->u.loop.kind == IRL_PARALLEL);
         s = s->u.loop.body) {
        if (!irl__nest_is_rectangular(nest, s) ||
            ((s->u.loop.extent->flags | s->u.loop.min->flags) & IRL__HAS_MEMORY))
            break;
        if (!IRL__PUSH_SCRATCH(nest->cx, nest->loops, irl__loop_of(nest->t, s))) return 0;
    }
    return 1;
}

/* Whether all iterations of a loop store to one place, or store elements of bits, several of which
   may be in one byte: then nothing is to be asked. */
static int irl__nest_meets(const irl__nest *nest, const irl__around *loop)
{
    for (int k = loop->first, j; k < loop->end; k++) {
        const irl__access *a = &nest->t->list[k];
        if (!irl__access_writes(a) || a->kind == IRL__ACCESS_OPAQUE ||
            (a->allocation && a->allocation->depth > loop->depth))
            continue;
        if (a->buffer && a->buffer->bits) return 1;
        for (j = 0; j < a->rank; j++) {
            const irl_expr *e = irl__accesses_plain(nest->t, a->indices[j]);
            if (!e || e->flags & IRL__HAS_MEMORY || irl__expr_uses_var(e, loop->var)) break;
        }
        if (j == a->rank) return 1;
    }
    return 0;
}

/* The nest again, from the inside out, with the loops that are parallel marked. */
static const irl_stmt *irl__nest_marked(const irl__nest *nest, const irl_stmt *outermost)
{
    int             k = (int)stbds_arrlen(nest->loops), changed = 0;
    const irl_stmt *body = k ? nest->loops[k - 1]->stmt->u.loop.body : outermost;
    while (k-- > 0) {
        const irl_stmt *loop = nest->loops[k]->stmt;
        const int       becomes = loop->u.loop.kind == IRL_SERIAL && !nest->is_opaque &&
                            (irl__is_int(loop->u.loop.extent, 1) ||
                             (!irl__nest_meets(nest, nest->loops[k]) &&
                              irl__loop_carries(nest->t, nest->loops[k], NULL) == IRL_NO));
        changed |= becomes;
        if (!changed) {
            body = loop;
            continue;
        }
        body = irl__stmt_loop_as(nest->cx, loop, becomes ? IRL_PARALLEL : loop->u.loop.kind,
                                 loop->u.loop.axis, body);
        if (!body) return NULL;
    }
    return body;
}

static const irl_stmt *irl__nest_parallel(irl__rewriter *r, const irl_stmt *s)
{
    if (s->kind == IRL__SEQ) return irl__rewrite_stmt_children(r, s);
    if (!irl__stmt_is_free(s)) return s;
    irl__nest nest = { r->cx, (irl__accesses *)r->user, NULL, 0 };
    const irl_stmt *now = irl__nest_collect(&nest, s) ? irl__nest_marked(&nest, s) : NULL;
    return now && now != s ? irl__stmt_set_scheduled(r->cx, now, 1) : now;
}

irl_func *irl__pass_parallel(const irl_func *f, const irl_target *target)
{
    irl__arena_mark mark;
    irl__accesses   t;
    irl__rewriter   r = irl__rewriter_make(f->cx, &t, NULL, irl__nest_parallel);
    (void)target;
    if (!irl__stmt_has_free(f->body)) return irl__func_copy(f->cx, f);
    mark = irl__scratch_begin(f->cx);
    irl_func *out = irl__accesses_of(&t, f, NULL) ? irl__rewrite_func(&r, f) : NULL;
    irl__scratch_end(f->cx, mark);
    return out;
}
