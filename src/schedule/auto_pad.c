/* auto_pad.c - sums of products whose columns vectors do not divide: the operands are copied with
   zeros behind, and what is computed beyond is thrown away.

   needs     auto_tile.c; pad_einsum, which proves that the sums are the same
   promises  nothing is padded that is not read again and again, and the work at most doubles */
#include "auto.h"

int irl__auto_may_pad(irl__auto *a, const irl__auto_nest *n, int loop)
{
    int j;
    for (int k = 0; k < n->block->axis_count; k++) {
        for (j = 0; j < n->loop_count; j++)
            if (n->block->axes[k].binding == n->loops[j].stmt->u.loop.var &&
                irl__is_int(n->block->axes[k].extent, n->loops[j].extent) &&
                irl__is_int(n->loops[j].stmt->u.loop.min, 0))
                break;
        if (j == n->loop_count) return 0;
    }
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        const size_t         length = row->access->buffer ? strlen(row->access->buffer->name) : 0;
        if (row->step[loop] == 0) continue;
        if (irl__auto_index_of(n, row, loop) < 0 || row->is_guarded ||
            (!irl__auto_is_own(n, k) && irl__auto_reuse(n, row) < IRL__AUTO_REUSE))
            return 0;
        const char *name = irl__auto_name(a, row->access->buffer->name, "pad");
        if (!name || strlen(name) != length + 4) return 0; /* the step does not choose another */
    }
    return 1;
}

/* The lanes of vectors of a loop that is padded: the work at most doubles. */
static int64_t irl__auto_pad_lanes(const irl__auto_nest *n, int loop)
{
    const int64_t extent = n->loops[loop].extent;
    int64_t       lanes = n->target->vector_bytes / irl__auto_bytes(n);
    while (lanes > 1 && (!irl__target_has_width(n->target, (uint32_t)lanes) ||
                         (lanes + extent - 1) / lanes * lanes > 2 * extent))
        lanes--;
    return lanes > 1 ? lanes : 1;
}

/* The extent that it would have. */
static int64_t irl__auto_padded(const irl__auto_nest *n, int loop)
{
    const int64_t lanes = irl__auto_pad_lanes(n, loop);
    return (n->loops[loop].extent + lanes - 1) / lanes * lanes;
}

/* Are there fewer vectors than without? 16 columns are one, and so are 8. */
static int irl__auto_pad_is_won(const irl__auto_nest *n, int loop)
{
    return irl__auto_padded(n, loop) / irl__auto_pad_lanes(n, loop) <
           n->loops[loop].extent / irl__auto_lanes(n, loop, 1);
}

/* The loop of results along which the result goes on in memory is padded; -1: it is not. */
static int irl__auto_choose_pad(irl__auto *a, const irl__auto_nest *n)
{
    int k;
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && n->rows[n->written].step[k] == 1) break;
    if (k == n->loop_count || n->loops[k].extent < 3 || !n->block->init) return -1;
    if (irl__auto_padded(n, k) == n->loops[k].extent || !irl__auto_pad_is_won(n, k)) return -1;
    return irl__auto_may_pad(a, n, k) ? k : -1;
}

int irl__auto_pad(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int loop = irl__auto_choose_pad(a, n);
    char      reason[96];
    irl__text t;
    if (loop < 0) return 0;
    irl__text_init_fixed(&t, reason, sizeof reason);
    irl__textf(&t, "padded to %l columns, which are whole vectors; %l "
                   "are not", irl__auto_padded(n, loop),
               n->loops[loop].extent);
    irl__textf(&p->text, "    pad_einsum(%s", n->name);
    for (int k = 0; k < n->block->axis_count; k++)
        irl__textf(&p->text, ", %l",
                   n->block->axes[k].binding == n->loops[loop].stmt->u.loop.var
                       ? irl__auto_padded(n, loop)
                       : (int64_t)1);
    irl__textf(&p->text, "); // %s\n", reason);
    p->steps++;
    p->is_padded = 1;
    p->again = n->block->name;
    p->counts = n->loops[loop].extent;
    return 1;
}

/* The block that copies what `written` holds somewhere else, the only one that reads it but for the
   block of that name. */
typedef struct irl__auto_crop {
    const irl_buffer *of;
    const char       *name;
} irl__auto_crop;

static int irl__auto_see_crop(irl__visitor *v, const irl_stmt *s)
{
    irl__auto_crop *q = (irl__auto_crop *)v->user;
    const irl_stmt *body = s->kind == IRL__BLOCK ? s->u.block->body : NULL;
    if (body && body->kind == IRL__STORE && body->u.store.value->op == IRL_OP_LOAD &&
        body->u.store.value->u.buffer == q->of)
        q->name = s->u.block->name;
    return 1;
}

const char *irl__auto_crop_of(irl__auto *a, const irl__auto_nest *n)
{
    irl__auto_crop q;
    irl__visitor   v = irl__visitor_make(&q, NULL, irl__auto_see_crop);
    q.of = n->rows[n->written].access->buffer;
    q.name = NULL;
    irl__visit_stmt(&v, a->f->body);
    return q.name ? irl__auto_symbol(a->cx, q.name) : NULL;
}
