/* declared.c - does a block access what it declares, reads(...) and writes(...), and no more?

   needs     system.h; path.c
   promises  an access that is in no finding is within the declared regions whenever it is reached.
             For an access that escapes there is an iteration at which everything was evaluated; any
             other finding is not known, and says why
   cost      nothing for an index that is in the declaration as it is written; else that of a proof
             by ranges, and then of one small system

   A list that is left out, or empty, declares nothing; then the inferred regions count (region.c).
   A block with an init may read what it declares to write, the old value of its reduction, and so
   may the blocks around it. An access that leaves its buffer is not counted: bounds.c reports
   it. */
#include "access.h"
#include "../sets/system.h"

typedef struct irl__declared_state {
    irl__declared *d;
    irl__path      path;
    irl_ctx       *cx;
} irl__declared_state;

/* One access, as an access of the buffer that the block sees. */
typedef struct irl__declared_row {
    const irl__access *a;
    const irl__around *block;
    const irl_buffer  *buffer;
    int                rank;
    const irl_expr    *indices[IRL_MAX_RANK], *lane;
} irl__declared_row;

/* ------------------------------------------------------------------ where it may lie */

/* Does the block, or one in it around the access, have an init? */
static int irl__declared_has_init(const irl__declared_row *x)
{
    const irl__around *n = irl__around_next(x->a->around, IRL__AROUND_BLOCK);
    for (; n != x->block; n = irl__around_next(n->outer, IRL__AROUND_BLOCK))
        if (n->stmt->u.block->init) return 1;
    return n->stmt->u.block->init != NULL;
}

static int irl__declared_count(const irl__declared_row *x)
{
    const irl__block_data *b = x->block->stmt->u.block;
    if (x->a->kind != IRL__ACCESS_READ) return b->write_count;
    return b->read_count + (irl__declared_has_init(x) ? b->write_count : 0);
}

static const irl__region *irl__declared_at(const irl__declared_row *x, int k)
{
    const irl__block_data *b = x->block->stmt->u.block;
    if (x->a->kind != IRL__ACCESS_READ) return &b->writes[k];
    return k < b->read_count ? &b->reads[k] : &b->writes[k - b->read_count];
}

/* Is there a list that says something? */
static int irl__declared_says(const irl__access *a, const irl__block_data *b)
{
    return a->kind == IRL__ACCESS_READ     ? b->read_count > 0
           : a->kind == IRL__ACCESS_OPAQUE ? b->read_count + b->write_count > 0
                                           : b->write_count > 0;
}

static int irl__declared_has(const irl__block_data *b, const irl_buffer *buffer)
{
    for (int k = 0; k < b->read_count; k++)
        if (b->reads[k].buffer == buffer) return 1;
    for (int k = 0; k < b->write_count; k++)
        if (b->writes[k].buffer == buffer) return 1;
    return 0;
}

/* Does it declare some of the memory, by whatever name? A call has the memory's pointer, which no
   name of it can be told from. */
static int irl__declared_has_memory(const irl__block_data *b, const irl_expr *memory)
{
    for (int k = 0; k < b->read_count; k++)
        if (b->reads[k].buffer->data == memory) return 1;
    for (int k = 0; k < b->write_count; k++)
        if (b->writes[k].buffer->data == memory) return 1;
    return 0;
}

/* ------------------------------------------------------------------ by ranges */

/* 0 <= e - min < extent? */
static int irl__declared_inside(irl__declared_state *s, const irl__around *block,
                                const irl_expr *e, const irl_expr *min, const irl_expr *extent)
{
    if (!irl__accesses_is_stable(s->path.t, block->first, block->end, min)) return 0;
    if (e == min && extent->op == IRL_OP_INT) return extent->u.i >= 1;
    e = irl__accesses_plain(s->path.t, e);
    min = irl__accesses_plain(s->path.t, min);
    extent = irl__accesses_plain(s->path.t, extent);
    if (!e || !min || !extent || e->depth > IRL_MAX_DEPTH / 4 || min->depth > IRL_MAX_DEPTH / 4)
        return 0;
    const irl_expr *d = irl__simplify(s->path.an, irl__sub(s->cx, e, min));
    if (!d) return 0;
    irl__interval r = irl__interval_of(s->path.an, d);
    if (r.lo < 0) return 0;
    if (extent->op == IRL_OP_INT) return r.hi < extent->u.i;
    return irl__prove(s->path.an, irl_expr_op2(s->cx, IRL_OP_LT, d, extent));
}

/* A whole axis, which no index of an access leaves. */
static int irl__declared_is_whole(const irl__region *r, int axis)
{
    return irl__is_int(r->min[axis], 0) && r->extent[axis] == r->buffer->shape[axis];
}

static int irl__declared_contains(irl__declared_state *s, const irl__declared_row *x,
                                  const irl__region *r)
{
    if (r->buffer != x->buffer || x->lane) return 0;
    for (int k = 0; k < x->rank; k++)
        if (!irl__declared_is_whole(r, k) &&
            !irl__declared_inside(s, x->block, x->indices[k], r->min[k], r->extent[k])) return 0;
    return 1;
}

/* ------------------------------------------------------------------ exactly */

static const irl_expr *irl__declared_either(irl_ctx *cx, const irl_expr *a, const irl_expr *b)
{
    return a ? irl_expr_op2(cx, IRL_OP_OR, a, b) : b;
}

static int irl__declared_decide(irl__declared_state *s, const irl__declared_row *x,
                                irl__declared_finding *g)
{
    irl__system *system = IRL__SCRATCH(s->cx, irl__system, 1);
    if (!system) return 0;
    irl__enter_begin(system, s->path.t, IRL__PAIR_STEPS);
    irl__enter(system, s->path.t, 0, x->a->around, NULL);
    for (int k = 0; k < irl__declared_count(x); k++)
        if (irl__declared_at(x, k)->buffer == x->buffer) {
            /* The access is outside of the region: before it or after it along some axis. */
            irl_ctx           *cx = s->cx;
            const irl__region *r = irl__declared_at(x, k);
            const irl_expr    *out = NULL, *end;
            for (int j = 0; j < x->rank; j++) {
                if (irl__declared_is_whole(r, j) ||
                    (x->indices[j] == r->min[j] && irl__is_int(r->extent[j], 1)))
                    continue;
                end = irl__add(cx, r->min[j], r->extent[j]);
                out = irl__declared_either(cx, out,
                                           irl_expr_op2(cx, IRL_OP_LT, x->indices[j], r->min[j]));
                out =
                    irl__declared_either(cx, out, irl_expr_op2(cx, IRL_OP_GE, x->indices[j], end));
            }
            irl__system_require(system, 0, out ? out : irl__bool(cx, 0));
        }
    for (int k = 0; k < x->rank; k++)
        irl__system_require_below(system, 0, x->indices[k], x->buffer->shape[k]);
    if (x->lane)
        irl__system_require_below(system, 0, x->lane,
                                  irl_expr_index(system->cx, (int64_t)x->a->lanes));
    if (!irl__ok(s->cx) || system->failed) return 0;
    g->answer = irl__system_decide(system);
    g->reason = g->answer == IRL_UNKNOWN ? system->why : NULL;
    if (g->answer != IRL_YES) return irl__ok(s->cx);
    return irl__iteration_of(s->path.t, system->found_count, system->found, &g->point);
}

/* ------------------------------------------------------------------ the rows */

static int irl__declared_keep(irl__declared_state *s, const irl__declared_finding *g)
{
    if (!IRL__PUSH_SCRATCH(s->cx, s->d->list, *g)) return 0;
    s->d->count++;
    return 1;
}

static int irl__declared_doubt(irl__declared_state *s, irl__declared_finding *g, const char *why)
{
    g->answer = IRL_UNKNOWN;
    g->reason = why;
    return irl__declared_keep(s, g);
}

static int irl__declared_row_of(irl__declared_state *s, int row, const irl__around *block)
{
    const irl__access     *a = &s->path.t->list[row];
    const irl__block_data *b = block->stmt->u.block;
    irl__declared_row      x;
    irl__declared_finding  g;
    memset(&x, 0, sizeof x);
    memset(&g, 0, sizeof g);
    g.row = row;
    g.block = block;
    x.a = a;
    x.block = block;
    x.buffer = a->buffer;
    x.rank = a->rank;
    if (!a->buffer || a->is_texel) return 1;
    if (a->allocation && a->allocation->depth > block->depth) return 1;
    if (a->kind == IRL__ACCESS_OPAQUE) /* what is declared of a call is believed */
        return irl__declared_has_memory(b, a->memory) ||
               irl__declared_doubt(s, &g, "a call may touch any part of the memory");
    memcpy((void *)x.indices, (const void *)a->indices, (size_t)a->rank * sizeof *x.indices);
    if (a->lanes > 1) {
        x.lane = irl_expr_var(s->cx, "lane", irl__type_index());
        if (!x.lane) return 0;
        x.indices[a->rank - 1] = irl__index_lane(s->cx, a->indices[a->rank - 1], x.lane);
        if (!x.indices[a->rank - 1])
            return irl__declared_doubt(s, &g, "it is not known which elements they are");
    }
    if (!irl__unmatch(s->cx, a->around, block, &x.buffer, &x.rank, x.indices))
        return irl__declared_doubt(s, &g, "it is not known which element of the matched buffer "
                                          "it is");
    if (x.buffer->data != a->memory && !irl__declared_has(b, x.buffer))
        return irl__declared_doubt(s, &g, "its memory is also accessed by another name there");
    if (!irl__path_to(&s->path, x.a->around)) return 0;
    if (s->path.never) return 1;
    for (int k = 0; k < irl__declared_count(&x); k++)
        if (irl__declared_contains(s, &x, irl__declared_at(&x, k))) return 1;
    irl__arena_mark mark = irl__scratch_begin(s->cx);
    int             ok = irl__declared_decide(s, &x, &g);
    irl__scratch_end(s->cx, mark);
    return ok && (g.answer == IRL_NO || irl__declared_keep(s, &g));
}

/* Each block around a row is asked, up to the outermost. */
int irl__declared_of(irl__declared *d, irl__accesses *t)
{
    irl__declared_state s;
    const irl__around  *n;
    memset(d, 0, sizeof *d);
    d->t = t;
    s.d = d;
    s.cx = t->cx;
    if (!irl__path_begin(&s.path, t)) return 0;
    for (int k = 0; k < t->count; k++) {
        const irl__access *a = &t->list[k];
        for (n = irl__around_next(a->around, IRL__AROUND_BLOCK); n && !a->is_declared;
             n = irl__around_next(n->outer, IRL__AROUND_BLOCK))
            if (irl__declared_says(a, n->stmt->u.block) && !irl__declared_row_of(&s, k, n))
                return 0;
    }
    return irl__ok(t->cx);
}

/* ------------------------------------------------------------------ in words */

/* "reads(A[vi, 0: 4])" */
static void irl__declared_put_regions(irl__text *text, const irl__declared_finding *g,
                                      const irl__access *a)
{
    const irl__block_data *b = g->block->stmt->u.block;
    const int              reads = a->kind == IRL__ACCESS_READ;
    const irl__region     *list = reads ? b->reads : b->writes;
    int                    k, axis, count = 0;
    irl__text_puts(text, reads ? "reads(" : "writes(");
    for (k = 0; k < (reads ? b->read_count : b->write_count); k++) {
        if (list[k].buffer != a->buffer) continue;
        irl__textf(text, "%s%s[", count++ ? ", " : "", list[k].buffer->name);
        for (axis = 0; axis < list[k].buffer->rank; axis++) {
            if (axis) irl__text_puts(text, ", ");
            irl__print_expr(text, list[k].min[axis]);
            if (irl__is_int(list[k].extent[axis], 1)) continue;
            irl__text_puts(text, ": ");
            irl__print_expr(text, list[k].extent[axis]);
        }
        irl__text_putc(text, ']');
    }
    irl__text_puts(text, count ? ")" : "...)");
}

void irl__declared_text(irl__text *text, const irl__declared *d, const irl__declared_finding *g)
{
    const irl__access *a = &d->t->list[g->row];
    irl__access_text(text, a);
    irl__textf(text, " is %s",
               a->kind == IRL__ACCESS_READ     ? "read"
               : a->kind == IRL__ACCESS_OPAQUE ? "passed to a call"
                                               : "written");
    if (g->answer == IRL_YES) {
        irl__iteration_list(text, d->t, &g->point, a->rank, a->indices);
        irl__iteration_text(text, &g->point);
    }
    irl__textf(text, g->answer == IRL_YES ? ", outside of the region that block '%s' declares, "
                                          : ", and it is not proved to be inside the region that "
                                            "block '%s' declares, ",
               g->block->stmt->u.block->name);
    irl__declared_put_regions(text, g, a);
    if (g->answer == IRL_UNKNOWN) irl__textf(text, ": %s", g->reason ? g->reason : "not known");
}
