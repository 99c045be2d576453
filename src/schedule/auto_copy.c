/* auto_copy.c - operands that are copied: packed once, in the order in which tiles read them, or
   with what a guard gives around them; or a tile's part of them, turned.

   needs     auto_write.c
   promises  a copy holds what the block or nest reads, in another order; it is made by
             reindex_cache_read, cache_padded and cache_read, which prove that */
#include "auto.h"

/* The axis that an index is, or (is_near) to which it adds a number, or which it subtracts from
   one; NULL: it is another index. */
static const irl_expr *irl__auto_axis_of(const irl_expr *e, int is_near)
{
    if (is_near && (e->op == IRL_OP_ADD || e->op == IRL_OP_SUB)) {
        if (e->a[0]->op == IRL_OP_INT) e = e->a[1];
        else if (e->a[1]->op == IRL_OP_INT) e = e->a[0];
    }
    return e->op == IRL_OP_VAR ? e : NULL;
}

int irl__auto_may_pack(const irl__auto_nest *n, const irl__auto_row *row, int is_near)
{
    const irl__access *a = row->access;
    const irl_expr    *axis[IRL_MAX_RANK];
    if (!n->block || n->is_inside || row->is_guarded || a->rank < 1 || a->lanes != 1) return 0;
    for (int k = 0; k < a->rank; k++) {
        axis[k] = irl__auto_axis_of(a->indices[k], is_near);
        if (!axis[k] || irl__auto_loop_of(n, axis[k]) < 0) return 0;
        for (int j = 0; j < k; j++)
            if (axis[j] == axis[k]) return 0;
    }
    return irl__auto_is_told(n, row) && irl__auto_reuse(n, row) >= IRL__AUTO_REUSE;
}

int irl__auto_may_turn(const irl__auto_nest *n, const irl__auto_row *row, int k, int along,
                       int64_t lanes)
{
    if (along < 0 || along == k || row->is_guarded || row->step[along] != 1 ||
        row->run[along] < lanes || !irl__auto_divides(n, along, lanes) ||
        irl__auto_index_of(n, row, k) < 0 || irl__auto_index_of(n, row, along) < 0)
        return 0;
    for (int j = 0; j < row->access->rank; j++)
        if (irl__auto_loop_of(n, row->access->indices[j]) < 0) return 0;
    if (!(n->block ? irl__auto_is_told(n, row) : irl__auto_is_alone(n, row))) return 0;
    for (int j = along + 1; j < n->loop_count; j++)
        if (n->loops[along].is_reduce && n->loops[j].is_reduce) return 0;
    return n->is_reduction == n->loops[along].is_reduce;
}

/* Indices of an operand in the order of their loops, for a copy that is read in that order. */
static int irl__auto_in_order(const irl__auto_nest *n, const irl__auto_row *row, int *at)
{
    int k, count = 0;
    for (k = 0; k < n->loop_count; k++) {
        const int index = irl__auto_index_of(n, row, k);
        if (index >= 0) at[count++] = index;
    }
    return count;
}

const char *irl__auto_copy_map(irl__auto *a, const irl__auto_nest *n, const irl__auto_plan *p,
                               int row)
{
    const irl__access *access = n->rows[row].access;
    const irl_expr    *indices[IRL_MAX_RANK];
    int                at[IRL_MAX_RANK], count = access->rank, last = -1, k, is_next = 0;
    int64_t            panel = p->panel[row];
    irl__text          t;
    if (row == n->written) count = irl__auto_sum_indices(n, p->vector, indices);
    else memcpy(indices, access->indices, (size_t)count * sizeof *indices);
    for (k = 0; k < count; k++) at[k] = k;
    if (p->copy[row] == IRL__AUTO_LINED) count = irl__auto_in_order(n, &n->rows[row], at);
    if (p->copy[row] != IRL__AUTO_TURNED)
        last = irl__auto_index_of(n, &n->rows[row], p->last[row]);
    const irl_expr *lane = last < 0 ? NULL : irl__auto_axis_of(access->indices[last], 1);
    if (last >= 0 && !lane) return NULL;
    irl__text_init(&t, a->cx);
    irl__text_puts(&t, "(");
    for (k = 0; k < n->block->axis_count; k++) {
        irl__text_puts(&t, k ? ", " : "");
        irl__print_symbol(&t, n->block->axes[k].var->u.name);
    }
    irl__text_puts(&t, ") -> (");
    for (k = 0; k < count; k++) {
        if (at[k] == last) continue;
        const irl_expr *index = irl__auto_axis_of(indices[at[k]], 1);
        if (!index) return NULL;
        irl__text_puts(&t, is_next++ ? ", " : "");
        if (panel && n->loops[irl__auto_loop_of(n, index)].is_reduce) {
            irl__print_symbol(&t, lane->u.name);
            irl__textf(&t, " / %l, ", panel);
            panel = 0;
        }
        irl__print_symbol(&t, index->u.name);
    }
    if (last >= 0) {
        irl__text_puts(&t, is_next ? ", " : "");
        irl__print_symbol(&t, lane->u.name);
        if (p->panel[row]) irl__textf(&t, " %% %l", p->panel[row]);
    }
    irl__text_puts(&t, ")");
    return irl__text_done(&t);
}

int irl__auto_copies(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    static const char *const reasons[] = {
        "", "lanes would be gathered many times: a copy makes vectors contiguous",
        "contiguous along another loop than the vectors': a tile is transposed",
        "consecutive reads are far apart in memory: a copy puts them next to each other"
    };
    const int is_part = a->deep || irl__auto_is_symbolic(n); /* other parts read it themselves */
    int       j;
    for (int k = 0; k < n->row_count; k++) {
        const int         is_packed = p->copy[k] != IRL__AUTO_TURNED;
        const irl_buffer *b = n->rows[k].access->buffer;
        const char       *buffer, *map = "";
        for (j = 0; j < k && !irl__access_is_same(n->rows[j].access, n->rows[k].access); j++) {}
        if (j < k) p->copy[k] = IRL__AUTO_DIRECT; /* the same place: it reads that copy */
        if (p->copy[k] == IRL__AUTO_DIRECT) continue;
        if (p->copy[k] == IRL__AUTO_PACKED) p->last[k] = p->vector;
        p->made[k] = irl__auto_name(a, b->name, is_packed ? "packed" : "tile");
        buffer = irl__auto_symbol(a->cx, b->name);
        if (n->block) map = irl__auto_copy_map(a, n, p, k);
        if (!p->made[k] || !buffer || !map) return 0;
        if (n->block)
            irl__auto_step(p, reasons[p->copy[k]], "%s = reindex_cache_read(%s, %s, %s, %s);",
                           p->made[k], n->name, buffer, is_packed ? "global" : "local", map);
        else
            irl__auto_step(p, reasons[p->copy[k]], "%s = cache_read(%s, %s, local%s%s);",
                           p->made[k], n->name, buffer, is_part ? ", " : "",
                           is_part ? n->name : "");
    }
    return 1;
}

int irl__auto_is_chosen(const irl_expr *e, const void *load)
{
    return (e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_SELECT) &&
           (e->a[1] == load || e->a[2] == load);
}

/* Operand k is read from what a step of that form makes of it before the nest. */
static int irl__auto_before(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p, int k,
                            const char *suffix, const char *reason, const char *form)
{
    const char *buffer = irl__auto_symbol(a->cx, n->rows[k].access->buffer->name);
    p->copy[k] = IRL__AUTO_PACKED;
    p->made[k] = irl__auto_name(a, n->rows[k].access->buffer->name, suffix);
    if (!p->made[k] || !buffer) return 0;
    irl__auto_step(p, reason, form, p->made[k], n->name, buffer);
    p->again = n->block->name;
    return 1;
}

int irl__auto_border_copies(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    int j;
    for (int k = 0; n->block && k < n->row_count; k++) {
        const irl_buffer *b = n->rows[k].access->buffer;
        if ((!n->rows[k].is_guarded && !n->rows[k].is_held) || irl__auto_is_own(n, k) || !b ||
            irl__auto_reuse(n, &n->rows[k]) < IRL__AUTO_REUSE)
            continue;
        for (j = 0; j < k && !(p->made[j] && n->rows[j].access->buffer == b); j++) {}
        if (j < k) continue;
        if (!irl__auto_before(a, n, p, k, "padded",
                              "its reads are guarded at the border, and repeated: a copy includes "
                              "the border", "%s = cache_padded(%s, %s, global);"))
            return 0;
    }
    return p->again != NULL;
}

int irl__auto_values(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    for (int k = 0; n->block && k < n->row_count; k++) {
        const irl_buffer *b = n->rows[k].access->buffer;
        const irl_expr   *value = b && !irl__auto_is_own(n, k) ? irl__cached_value(n->block, b)
                                                               : NULL;
        if (!value || !irl__expr_any(value, irl__auto_is_function, NULL) ||
            irl__auto_reuse(n, &n->rows[k]) < IRL__AUTO_REUSE)
            continue;
        return irl__auto_before(a, n, p, k, "value",
                                "functions are computed once for each element, not in each "
                                "iteration that reads it", "%s = cache_value(%s, %s);");
    }
    return 0;
}

/* The number of a loop among those of a copy: of a block's, in the order of its axes; else of the
   buffer's. */
static int irl__auto_copy_axis(const irl__auto_nest *n, const irl__auto_row *row, int loop)
{
    int k, j, number = 0;
    if (!n->block) return irl__auto_index_of(n, row, loop);
    for (k = 0; k < n->block->axis_count; k++) {
        if (n->block->axes[k].binding == n->loops[loop].stmt->u.loop.var) return number;
        for (j = 0; j < row->access->rank; j++)
            number += row->access->indices[j] == n->block->axes[k].var;
    }
    return number;
}

void irl__auto_turns(const irl__auto_nest *n, irl__auto_plan *p, const char *loop)
{
    for (int k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        if (p->copy[k] != IRL__AUTO_TURNED) continue;
        irl__auto_step(p, "", "compute_at(%s, %s);", p->made[k], loop);
        irl__auto_step(p, "", "unroll(%s.ax%d);", p->made[k],
                       irl__auto_copy_axis(n, row, p->vector));
        irl__auto_step(p, "", "vectorize(%s.ax%d);", p->made[k],
                       irl__auto_copy_axis(n, row, p->along));
    }
}
