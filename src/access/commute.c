/* commute.c - updates of one cell that may be exchanged: y[v] = y[v] + e.

   needs     the table of accesses
   promises  yes only if any order of such updates leaves the same value: integers, which wrap, and
             min and max, except for elements that keep fewer bits than a value has; sums and
             products of floats only if their order is declared free, by note(order = "free") on the
             block or the loop, or by attr(numbers = "free") of the function

   The value must be the old one and one operand (a product, where it is an fma) that does not read
   the cell's memory. A value that is wider than the cell is rounded to it at each update. */
#include "access.h"

/* Of rounded numbers: f16 and its kin are computed with as f32. */
int irl__update_is_rounded(irl_type t) { return irl__type_is_real(t); }

static int irl__commute_op(irl_op op, int is_float, int is_free)
{
    switch (op) {
    case IRL_OP_MIN: case IRL_OP_MAX: return 1;
    case IRL_OP_ADD: case IRL_OP_MUL: return !is_float || is_free;
    case IRL_OP_BITAND: case IRL_OP_BITOR: case IRL_OP_BITXOR: return !is_float;
    default: return 0;
    }
}

static int irl__commute_says(int count, const irl__annotation *notes, const char *key)
{
    for (int k = 0; k < count; k++)
        if (notes[k].text && strcmp(notes[k].key, key) == 0 && strcmp(notes[k].text, "free") == 0)
            return 1;
    return 0;
}

int irl__order_is_noted(const irl_stmt *s)
{
    return s->kind == IRL__BLOCK
               ? irl__commute_says(s->u.block->note_count, s->u.block->notes, IRL__NOTE_ORDER)
               : s->kind == IRL__FOR && irl__commute_says(s->u.loop.annotation_count,
                                                          s->u.loop.annotations, IRL__NOTE_ORDER);
}

/* Is the order of a reduction declared free where the access stands? */
static int irl__order_is_free(const irl__accesses *t, const irl__access *a)
{
    const irl__around *n = a->around;
    if (irl__commute_says(t->f->annotation_count, t->f->annotations, IRL__ATTR_NUMBERS)) return 1;
    for (; n; n = n->outer) {
        if (n->kind == IRL__AROUND_BLOCK) return irl__order_is_noted(n->stmt);
        if (n->kind == IRL__AROUND_LOOP && irl__order_is_noted(n->stmt)) return 1;
    }
    return 0;
}

static int irl__commute_reads(const irl_expr *e, const void *data)
{
    if (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC) return 1;
    if (e->op == IRL_OP_LOAD && e->u.buffer->data == data) return 1;
    return e->flags & IRL__HAS_MEMORY ? 0 : -1;
}

/* What is computed with: y[v] + e, also where y is narrower: y[v] = f16(f32(y[v]) + e). */
static const irl_expr *irl__commute_without_cast(const irl_expr *e, int is_float)
{
    return is_float && e->op == IRL_OP_CAST && irl__update_is_rounded(e->a[0]->type) ? e->a[0] : e;
}

/* Is e what the cell held that s stores into? */
static int irl__commute_is_old(const irl_stmt *s, const irl_expr *e, int is_float)
{
    const irl_buffer *b = s->u.store.buffer;
    int               j;
    e = irl__commute_without_cast(e, is_float);
    if (e->op != IRL_OP_LOAD || e->u.buffer != b) return 0;
    for (j = 0; j < b->rank && e->a[j] == s->u.store.indices[j]; j++) {}
    return j == b->rank;
}

int irl__store_update(const irl_stmt *s, irl__update *out)
{
    const irl_buffer *b = s->u.store.buffer;
    const int         is_float = irl__update_is_rounded(b->type);
    out->value = irl__commute_without_cast(s->u.store.value, is_float);
    int count = (int)out->value->count;
    out->op = out->value->op == IRL_OP_FMA ? IRL_OP_ADD : (irl_op)out->value->op;
    if (count != 2 && out->value->op != IRL_OP_FMA) return 0;
    /* fma(a, b, y) adds a product to y, as contract has made it of y + a * b */
    for (out->old = out->value->op == IRL_OP_FMA ? 2 : 0; out->old < count; out->old++)
        if (irl__commute_is_old(s, out->value->a[out->old], is_float)) break;
    if (out->old == count) return 0;
    for (int k = 0; k < count; k++)
        if (k != out->old && irl__expr_any(out->value->a[k], irl__commute_reads, b->data)) return 0;
    return 1;
}

int irl__update_operator(const irl__access *update, irl_op *op)
{
    const irl_stmt *s = update->place;
    irl__update     u;
    if (update->kind != IRL__ACCESS_UPDATE || update->expr || s->kind != IRL__STORE ||
        update->buffer != s->u.store.buffer || update->buffer->data != update->memory ||
        !irl__store_update(s, &u))
        return 0;
    *op = u.op;
    return 1;
}

int irl__update_commutes(const irl__accesses *t, const irl__access *update)
{
    irl_op op;
    return irl__update_operator(update, &op) &&
           !((op == IRL_OP_MIN || op == IRL_OP_MAX) && irl__bitfield_is_narrow(update->buffer)) &&
           irl__commute_op(op, irl__update_is_rounded(update->buffer->type),
                           irl__order_is_free(t, update));
}

int irl__accesses_commute(const irl__accesses *t, const irl__access *a, const irl__access *b)
{
    const irl__access *update = a->kind == IRL__ACCESS_UPDATE ? a : b;
    if (a->place != b->place || a->memory != b->memory || update->of_pair < 0) return 0;
    if (a != update && a != &t->list[update->of_pair]) return 0;
    if (b != update && b != &t->list[update->of_pair]) return 0;
    return irl__update_commutes(t, update);
}
