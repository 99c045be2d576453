/* sum_choice.c - minimum, maximum and select as terms of sums.

   needs     sum_expr.c
   promises  the same sum; one term instead of two

     pairs         min(x, y) + max(x, y) = x + y,  min(x + k, y + k) - min(x, y) = k,
                   select(c, a, b) + select(c, d, e) = select(c, a + d, b + e)
   and the same with min and max exchanged. */
#include "engine.h"

/* A pair of terms that is less than two: 1 after the change, 0 if there is none, -1 on failure. */
static int irl__pair_replace(irl__analyzer *an, irl__sum *s, int i, int k, const irl_expr *by,
                             int64_t coef)
{
    if (!by) return -1;
    an->terms[s->first + i].coef = an->terms[s->first + k].coef = 0;
    irl__sum_compact(an, s);
    return irl__sum_add_done(an, s, by, coef) ? 1 : -1;
}

static const irl_expr *irl__pair_sum(irl__analyzer *an, const irl_expr *a, const irl_expr *b,
                                     int64_t sign)
{
    irl__sum        s = irl__sum_begin(an, a->type);
    const irl_expr *e = NULL;
    if (irl__sum_add_done(an, &s, a, 1) && irl__sum_add_done(an, &s, b, sign) &&
        irl__sum_merge(an, &s))
        e = irl__sum_emit(an, &s);
    irl__sum_end(an, &s);
    return e;
}

static int irl__pair_same_leaves(const irl_expr *a, const irl_expr *b)
{
    return (a->a[0] == b->a[0] && a->a[1] == b->a[1]) || (a->a[0] == b->a[1] && a->a[1] == b->a[0]);
}

int irl__sum_merge_choices(irl__analyzer *an, irl__sum *s)
{
    int i, k, swap;
    for (i = 0; i < s->count; i++)
        for (k = i + 1; k < s->count; k++) {
            irl__term       a = an->terms[s->first + i], b = an->terms[s->first + k];
            const irl_expr *d, *e, *arm[3];
            int minmax = (a.atom->op == IRL_OP_MIN || a.atom->op == IRL_OP_MAX) &&
                         (b.atom->op == IRL_OP_MIN || b.atom->op == IRL_OP_MAX);
            if (minmax && a.atom->op != b.atom->op && a.coef == b.coef &&
                irl__pair_same_leaves(a.atom, b.atom))
                return irl__pair_replace(an, s, i, k,
                                         irl__pair_sum(an, a.atom->a[0], a.atom->a[1], 1), a.coef);
            if (minmax && a.atom->op == b.atom->op && a.coef == -b.coef)
                for (swap = 0; swap < 2; swap++) {
                    d = irl__pair_sum(an, a.atom->a[0], b.atom->a[swap], -1);
                    e = irl__pair_sum(an, a.atom->a[1], b.atom->a[1 - swap], -1);
                    if (d && d == e) return irl__pair_replace(an, s, i, k, d, a.coef);
                }
            if (a.atom->op == IRL_OP_SELECT && b.atom->op == IRL_OP_SELECT &&
                a.atom->a[0] == b.atom->a[0] && (a.coef == b.coef || a.coef == -b.coef)) {
                arm[0] = a.atom->a[0];
                arm[1] = irl__pair_sum(an, a.atom->a[1], b.atom->a[1], a.coef == b.coef ? 1 : -1);
                arm[2] = irl__pair_sum(an, a.atom->a[2], b.atom->a[2], a.coef == b.coef ? 1 : -1);
                if (!arm[1] || !arm[2]) return -1;
                return irl__pair_replace(
                    an, s, i, k, irl__simplify_node(an, irl__make_with(an, a.atom, arm)), a.coef);
            }
        }
    return 0;
}
