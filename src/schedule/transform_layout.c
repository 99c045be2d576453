/* transform_layout.c - the primitive that changes the layout of a buffer at once.

   needs     layouts.c; copies.c for which buffer is meant
   promises  every access of the buffer in the function goes through the map */
#include "../pass/layouts.h"
#include "schedule.h"

/* ------------------------------------------------------------------ transform_layout

   requires  a buffer that the block reads or writes (by number: that it reads); a map of its axes
   does      the buffer lies as the map says: accesses, regions, shape, separators. A parameter
             keeps its shape for the caller, and the map between. Results are loops over the axes in
             memory, in their order, in the place of those around the block, which stores the whole
             buffer. Cells that no point reaches hold what pad = 0 says: of what is only read the
             parameter says so; the nest that stores the whole buffer stores it too; else it is
             filled. pad = "any": it does not matter; new loops store 0 there.
             pad = (a, b) -> (a + b): a value for each cell of what the function writes.
             assume = "injective": the map is taken where it is not proved
   refuses   a lossy map, with two points; unused cells of which nothing is said, with their number
             and where; a layout that takes elements of a view apart, with one of them; a match of
             the buffer; a call that gets its pointer; new loops for
             what does not store it all
   source    TVM RFC 39, Buffer Physical Layout */

/* A constant of the buffer's type. */
static const irl_expr *irl__relayout_padding(irl__sched *s, const irl__arg *arg,
                                             const irl_expr *value, irl_type type)
{
    const irl_expr *e = irl__simplify_alone(s->cx, value);
    if (e && e->op == IRL_OP_INT && !irl__type_is_real(type) &&
        irl__wrap_int(type, e->u.i) == e->u.i)
        return irl_expr_int(s->cx, type, e->u.i);
    if (e && e->op == IRL_OP_INT) return irl__number(s->cx, type, (double)e->u.i);
    if (e && e->op == IRL_OP_FLOAT) return irl__number(s->cx, type, e->u.f);
    irl__refuse_at(s, arg->loc, "padding holds a constant");
    return NULL;
}

static int irl__relayout_notes(irl__sched *s, const irl_buffer *b,
                               irl__layout *layout, irl__layouts_how *how)
{
    for (int k = 3; k < s->arg_count; k++) {
        const irl__annotation *note = &s->args[k].note;
        if (strcmp(note->key, "assume") == 0 && note->text && strcmp(note->text, "injective") == 0)
            layout->assume_injective = 1;
        else if (strcmp(note->key, "pad") == 0 && note->text && strcmp(note->text, "any") == 0)
            how->any = 1;
        else if (strcmp(note->key, "pad") == 0 && !note->text) {
            layout->pad = s->args[k].map;
            if (!layout->pad)
                layout->padding = irl__relayout_padding(s, &s->args[k], note->value, b->type);
            if (!layout->pad && !layout->padding) return 0;
        } else
            return irl__refuse_at(s, s->args[k].loc, "pad = a constant, pad = (a, b) -> (a + b), "
                                  "pad = \"any\" or assume = \"injective\" is expected here");
    }
    /* new loops reach unused cells too, and store something there */
    if (how->any && s->step->result_count && !layout->padding && !layout->pad)
        layout->padding = irl__relayout_padding(s, &s->args[2], irl_expr_index(s->cx, 0), b->type);
    return irl__ok(s->cx);
}

/* A match of a part of the buffer; NULL: there is none. */
static const irl_buffer *irl__relayout_matched(const irl_stmt *top, const irl_buffer *b)
{
    const irl_buffer *found = NULL;
    irl__place        p;
    IRL__EACH_STMT(s, &p, top) {
        for (int k = 0; s->kind == IRL__BLOCK && k < s->u.block->match_count; k++)
            if (s->u.block->matches[k].source.buffer->data == b->data)
                found = s->u.block->matches[k].buffer;
        if (found) irl__place_pass(&p);
    }
    return found;
}

/* Nobody has noted a layout for it, nobody sees it as something else. */
static int irl__relayout_may(irl__sched *s, const irl_buffer *b)
{
    irl__accesses t;
    for (int k = 0; k < s->f->layout_count; k++)
        if (strcmp(s->f->layouts[k].buffer, b->name) == 0)
            return irl__refuse(s, "'%B' has a layout already, which is applied when the function "
                               "is lowered", b);
    if (!irl__accesses_of(&t, s->f, NULL)) return 0;
    IRL__EACH_ROW(r, &t)
        if (r->kind == IRL__ACCESS_OPAQUE && r->memory == b->data)
            return irl__refuse(s, "'%B' is passed to a call, which depends on its layout", b);
    const irl_buffer *match = irl__relayout_matched(s->f->body, b);
    return !match || irl__refuse(s, "'%B' is a match of a part of '%s', by its axes", match,
                                 b->name);
}

static irl_func *irl__relayout_apply(irl__sched *s, const irl_buffer *b, const irl__layout *layout,
                                     const irl__layouts_how *how)
{
    irl_func   *f = irl__func_copy(s->cx, s->f);
    irl__layout one = *layout;
    if (!f) return NULL;
    if (irl__func_memory(s->f, b->data) == b) one.data = b->data; /* no view, nor match */
    f->layouts = &one;
    f->layout_count = 1;
    if ((how->any || layout->pad) && irl__func_param_of(f, b->data) >= 0)
        f = irl_func_set_attr(f, irl__note_of(IRL__ATTR_PADDING, layout->buffer));
    f = f ? irl__layouts_apply(f, how) : NULL;
    if (!f) return NULL;
    f->layouts = s->f->layouts;
    f->layout_count = s->f->layout_count;
    return f;
}

/* The layout of b by the map of an argument. */
static irl__layout irl__relayout_of(irl__sched *s, const irl_buffer *b, const irl__arg *map)
{
    irl__layout layout;
    memset(&layout, 0, sizeof layout);
    layout.buffer = b->name;
    layout.map = map->map;
    layout.loc = map->loc;
    if (layout.map->variadic && b->rank >= layout.map->input_count)
        layout.map = irl__map_of_rank(s->cx, layout.map, b->rank); /* so many loops there are */
    return layout;
}

irl_func *irl__layout_copy(irl__sched *s, const irl_buffer *b, const irl__arg *map)
{
    const irl__layout layout = irl__relayout_of(s, b, map);
    irl__layouts_how  how;
    memset(&how, 0, sizeof how);
    how.any = 1;
    return layout.map && irl__relayout_may(s, b) ? irl__relayout_apply(s, b, &layout, &how) : NULL;
}

int irl__do_transform_layout(irl__sched *s)
{
    irl__layouts_how how;
    const irl_stmt  *loops[IRL_MAX_RANK];
    memset(&how, 0, sizeof how);
    uint32_t          id = irl__place_last(&s->p)->id;
    const irl_buffer *b = irl__copy_find(s, &s->args[1], irl__place_last(&s->p),
                                         irl__flow_block_writes(s));
    if (!b) return 0;
    irl__layout layout = irl__relayout_of(s, b, &s->args[2]);
    if (!layout.map || !irl__relayout_notes(s, b, &layout, &how) || !irl__relayout_may(s, b))
        return 0;
    how.loops = loops;
    if (s->step->result_count) {
        if (s->step->result_count != layout.map->output_count)
            return irl__refuse(s, "%d loops are named; the map has %d axes", s->step->result_count,
                               layout.map->output_count);
        how.nest = id;
        how.names = s->step->results;
    }
    irl_func *f = irl__relayout_apply(s, b, &layout, &how);
    if (f && how.nest) f = irl__flow_block_regions(s, f, id);
    /* An image still holds it. */
    if (!f) return 0;
    const irl_buffer *laid = irl__scope_is_image(b->scope) ? irl__func_memory(f, b->data) : NULL;
    if (!(irl__ok(s->cx) && (!laid || irl__copy_fits_image(s, laid, s->step->loc)))) return 0;
    for (int k = 0; k < s->step->result_count; k++)
        if (!irl__sched_result(s, k, loops[k])) return 0;
    return irl__sched_become(s, f);
}
