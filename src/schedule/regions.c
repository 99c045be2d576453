/* regions.c - the declared reads and writes of the blocks around a step's place, after the step.

   needs     declared.c, region.c
   promises  if a block's list was right before, and an access of the block is outside of it now,
             the list becomes what the block touches; if its axes cannot express that (a matched
             buffer), the list is removed, and the inferred regions count
   cost      nothing where no block with lists has others in it; else that of declared.c */
#include "schedule.h"

/* Does a block with lists have loops or blocks in it? */
static int irl__regions_are_around(const irl_stmt *body)
{
    irl__place p;
    IRL__EACH_STMT(s, &p, body) {
        if (s->kind == IRL__BLOCK && (s->u.block->read_count || s->u.block->write_count) &&
            irl__stmt_holds(s->u.block->body, 1u << IRL__FOR | 1u << IRL__BLOCK))
            return 1;
        if (!irl__stmt_holds(s, IRL__HOLDS_REGIONS)) irl__place_pass(&p);
    }
    return 0;
}

/* Does the list that is meant of the block hold no more: an access lies outside? */
static int irl__regions_is_left(const irl__declared *d, uint32_t id, int written)
{
    for (int k = 0; k < d->count; k++)
        if (d->list[k].answer == IRL_YES && d->list[k].block->stmt->id == id &&
            irl__flow_is_write(&d->t->list[d->list[k].row]) == written)
            return 1;
    return 0;
}

static irl_func *irl__regions_put(irl__sched *s, const irl_func *f, irl__accesses *t,
                                  const irl__around *block, int written)
{
    irl__place       p;
    irl__block_data *data;
    if (!irl__place_of(f->body, block->stmt->id, &p)) return NULL;
    irl_stmt *copy = irl__block_copy(s->cx, p.at[p.count - 1], &data);
    if (!copy || !irl__flow_region_list(s, t, block->stmt, written,
                                        written ? &data->writes : &data->reads,
                                        written ? &data->write_count : &data->read_count))
        return NULL;
    return irl__stmt_finish(s->cx, copy) ? irl__place_put(f, &p, p.count - 1, copy) : NULL;
}

const irl_func *irl__regions_after(irl__sched *s, const irl_func *before, const irl_func *f)
{
    irl__accesses t, old_rows;
    irl__declared now, old;
    int           has_old = 0;
    if (f == before) return f;
    if (!irl__regions_are_around(f->body)) return f;
    if (!irl__accesses_of(&t, f, NULL) || !irl__declared_of(&now, &t)) return NULL;
    for (int k = 0; f && k < now.count; k++) {
        const irl__around *block = now.list[k].block;
        const int          written = irl__flow_is_write(&t.list[now.list[k].row]);
        if (now.list[k].answer != IRL_YES) continue;
        if (!has_old++ && (!irl__accesses_of(&old_rows, before, NULL) ||
                           !irl__declared_of(&old, &old_rows)))
            return NULL;
        if (!irl__regions_is_left(&old, block->stmt->id, written))
            f = irl__regions_put(s, f, &t, block, written);
    }
    return f;
}
