/* auto_point.c - the loops of a nest at numbers: what an index is in one iteration.

   needs     evaluated expressions
   promises  a value where loops and names decide it alone; names are samples */
#include "auto.h"

enum {
    IRL__AUTO_SAMPLE = (1 << 15) + 31, /* of the first name: what small tiles leave is most, and */
    IRL__AUTO_SAMPLES = 64             /* from each name to the next */
};

/* Names are taken for numbers: what is decided by them is right for others, for steps are proved,
   and as good if these are not small. */
static int irl__auto_sample(const irl_func *f, const irl_expr *var, irl__scalar *out)
{
    const int k = irl__func_param_of(f, var);
    if (k < 0 || f->params[k].buffer || var->type.lanes != 1) return 0;
    out->i = IRL__AUTO_SAMPLE + IRL__AUTO_SAMPLES * (int64_t)k;
    return 1;
}

static int irl__auto_sample_name(const void *user, const irl_expr *var, irl__scalar *out)
{
    return irl__auto_sample((const irl_func *)user, var, out);
}

/* An integer of what `name` knows. */
static int irl__auto_valued(int (*name)(const void *user, const irl_expr *var, irl__scalar *out),
                            const void *user, const irl_expr *e, int64_t *out)
{
    irl__valuation v;
    irl__scalar    value;
    memset(&v, 0, sizeof v);
    v.name = name;
    v.user = user;
    v.is_exact = 1;
    if (irl__scalar_of(&v, e, &value) != IRL__FOLD_OK) return 0;
    *out = value.i;
    return 1;
}

int irl__auto_sampled(const irl_func *f, const irl_expr *e, int64_t *out)
{
    if (e->op != IRL_OP_INT) return irl__auto_valued(irl__auto_sample_name, f, e, out);
    *out = e->u.i;
    return 1;
}

irl__auto_point irl__auto_point_at(const irl__auto_nest *n, int moved, int64_t by)
{
    irl__auto_point p;
    memset(&p, 0, sizeof p);
    p.n = n;
    p.moved = moved;
    p.by = by;
    return p;
}

static int64_t irl__auto_part_of(const irl__auto_point *p, int64_t extent)
{
    if (p->quarter) return (extent - 1) / 4 * p->quarter + (extent - 1) % 4 * p->quarter / 4;
    return p->is_end ? extent - 1 : 0;
}

static int irl__auto_point_name(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl__auto_point *p = (const irl__auto_point *)user;
    int64_t                extent;
    for (int k = 0; k < p->n->loop_count; k++)
        if (p->n->loops[k].stmt->u.loop.var == var) {
            out->i = p->n->loops[k].stmt->u.loop.min->u.i +
                     (k == p->moved && !p->quarter
                          ? p->by : irl__auto_part_of(p, p->n->loops[k].extent));
            return 1;
        }
    for (int k = 0; k < p->n->around_count; k++) {
        const irl_stmt *s = p->n->around[k];
        if (s->u.loop.var != var || s->u.loop.min->op != IRL_OP_INT) continue;
        out->i = s->u.loop.min->u.i;
        return (!p->is_end && !p->quarter) ||
               (irl__auto_sampled(p->n->f, s->u.loop.extent, &extent) &&
                irl__add64(out->i, irl__auto_part_of(p, extent), &out->i));
    }
    return irl__auto_sample(p->n->f, var, out);
}

int irl__auto_value(const irl__auto_point *p, const irl_expr *e, int64_t *out)
{
    return irl__auto_valued(irl__auto_point_name, p, e, out);
}

int irl__auto_is_symbolic(const irl__auto_nest *n)
{
    int k = n->loop_count;
    while (k-- > 0 && !n->loops[k].is_symbolic) {}
    return k >= 0;
}
