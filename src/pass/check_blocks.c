/* check_blocks.c - checks that blocks do what they declare: a proved escape is refused, a possible
   one is reported.

   requires  nothing; before lower_blocks, after which there are no blocks
   maintains the function, except for one attribute for each access that is not proved to be within
             what its block declares
   breaks    nothing
   cost      that of irl__declared_of, and of the axes' kinds */
#include "pass.h"

enum { IRL__CHECK_BLOCKS_NOTES = 16 };

/* The first that is proved to escape is a failure. */
static int irl__check_blocks_regions(const irl__declared *d)
{
    irl__text text;
    for (int k = 0; k < d->count; k++) {
        if (d->list[k].answer != IRL_YES) continue;
        irl__text_init(&text, d->t->cx);
        irl__declared_text(&text, d, &d->list[k]);
        return irl__fail(d->t->cx, IRL_ERROR_BAD_REGION, d->t->list[d->list[k].row].place->loc,
                         "%s", irl__text_done(&text));
    }
    return 1;
}

/* The first spatial axis along which two instances write one cell is a failure. */
static int irl__check_blocks_axes(irl__accesses *t, const irl__around *block)
{
    const irl__block_data *b = block->stmt->u.block;
    irl__meeting           m;
    for (int k = 0; k < b->axis_count; k++) {
        if (b->axes[k].is_reduction || irl__axis_collides(t, block, k, &m) != IRL_YES) continue;
        return irl__fail(t->cx, IRL_ERROR_BAD_AXIS, block->stmt->loc, "instances of block '%s' "
                         "that differ in its spatial axis '%s' write one cell: %s", b->name,
                         b->axes[k].var->u.name, irl__meeting_cstr(t, &m));
    }
    return irl__ok(t->cx);
}

/* Each block once: it is met at its first row. */
static int irl__check_blocks_kinds(irl__accesses *t)
{
    for (int k = 0; k < t->count; k++)
        for (const irl__around *n = irl__around_next(t->list[k].around, IRL__AROUND_BLOCK); n;
             n = irl__around_next(n->outer, IRL__AROUND_BLOCK))
            if (n->first == k && !irl__check_blocks_axes(t, n)) return 0;
    return 1;
}

static irl_func *irl__check_blocks_notes(irl_func *f, const irl__declared *d)
{
    irl__text text;
    for (int k = 0; f && k < d->count && k < IRL__CHECK_BLOCKS_NOTES; k++) {
        irl__text_init(&text, f->cx);
        irl__loc_prefix(&text, f->cx, d->t->list[d->list[k].row].place->loc);
        irl__text_puts(&text, "warning: ");
        irl__declared_text(&text, d, &d->list[k]);
        f = irl__bounds_unproved(f, irl__text_done(&text));
    }
    return f;
}

irl_func *irl__pass_check_blocks(const irl_func *f)
{
    irl__accesses t;
    irl__declared d;
    irl_func     *out = NULL;
    if (!irl__stmt_holds(f->body, 1 << IRL__BLOCK)) return irl__func_copy(f->cx, f);
    irl__arena_mark mark = irl__scratch_begin(f->cx);
    if (irl__accesses_of(&t, f, NULL) && irl__declared_of(&d, &t) &&
        irl__check_blocks_regions(&d) && irl__check_blocks_kinds(&t))
        out = irl__check_blocks_notes(irl__func_copy(f->cx, f), &d);
    irl__scratch_end(f->cx, mark);
    return out;
}
