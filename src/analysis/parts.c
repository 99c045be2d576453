/* parts.c - what each part of a function touches, for users: irl_func_regions.

   needs     region.c, declared.c, kinds.c
   promises  what is returned is the context's; nothing is changed
   cost      each access once for each loop and block around it; for blocks the questions of
             kinds.c */
#include "analysis.h"

typedef struct irl__parts {
    irl__query          q;
    irl__path           path;
    irl__declared       declared;
    const irl__around **list; /* loops and blocks in the order in which they begin */
    irl__ptr_map        seen; /* node -> node */
} irl__parts;

/* ------------------------------------------------------------------ a box */

static int irl__parts_box(irl__parts *s, const irl__region_box *b, irl_box *out)
{
    out->buffer = b->buffer->name;
    out->is_write = b->is_write;
    out->is_exact = b->is_exact;
    out->rank = b->buffer->rank;
    out->start = (const irl_expr *const *)b->first;
    out->extent = (const irl_expr *const *)b->extent;
    irl__text t;
    irl__text_init(&t, s->q.cx);
    irl__textf(&t, "%s[", b->buffer->name);
    for (int k = 0; k < b->buffer->rank; k++) {
        if (k) irl__text_puts(&t, ", ");
        irl__print_expr(&t, b->first[k]);
        if (irl__is_int(b->extent[k], 1)) continue;
        irl__text_puts(&t, ": ");
        irl__print_expr(&t, b->extent[k]);
    }
    irl__text_putc(&t, ']');
    out->text = irl__text_done(&t);
    return out->text != NULL;
}

/* ------------------------------------------------------------------ a block */

static int irl__parts_axes(irl__parts *s, const irl__around *part, irl_part *out)
{
    static const irl_part_kind kinds[] = { IRL_PART_COMPLETE, IRL_PART_REDUCTION, IRL_PART_OPAQUE };
    static const irl_axis_kind axis_kinds[] = { IRL_AXIS_SPATIAL, IRL_AXIS_REDUCE,
                                                IRL_AXIS_OPAQUE };
    const irl__block_data *b = part->stmt->u.block;
    irl_part_axis *axes = IRL__NEW(s->q.cx, irl_part_axis, b->axis_count + 1);
    irl__axis_kind *found = IRL__SCRATCH(s->q.cx, irl__axis_kind, b->axis_count + 1);
    if (!axes || !found) return 0;
    for (int k = 0; k < b->axis_count; k++) {
        irl__meeting m;
        found[k] = irl__axis_kind_of(&s->q.t, part, k, &m);
        axes[k].name = b->axes[k].var->u.name;
        axes[k].var = b->axes[k].var;
        axes[k].extent = b->axes[k].extent;
        axes[k].declared = b->axes[k].is_reduction ? IRL_AXIS_REDUCE : IRL_AXIS_SPATIAL;
        axes[k].kind = axis_kinds[found[k]];
        axes[k].why = found[k] == IRL__KIND_OPAQUE ? irl__meeting_cstr(&s->q.t, &m) : NULL;
        if (found[k] == IRL__KIND_OPAQUE && !axes[k].why) return 0;
    }
    out->axis_count = b->axis_count;
    out->axes = axes;
    out->kind = kinds[irl__block_kind_of(&s->q.t, part, found, &out->why)];
    return 1;
}

static int irl__parts_escapes(irl__parts *s, const irl__around *part, irl_part *out)
{
    irl_escape *list = IRL__NEW(s->q.cx, irl_escape, s->declared.count + 1);
    irl__text text;
    int       k, n = 0;
    if (!list) return 0;
    for (k = 0; k < s->declared.count; k++) {
        const irl__declared_finding *g = &s->declared.list[k];
        if (g->block != part) continue;
        irl__text_init(&text, s->q.cx);
        irl__declared_text(&text, &s->declared, g);
        list[n].access = g->row;
        list[n].is_proved = g->answer == IRL_YES;
        list[n].text = irl__text_done(&text);
        if (!list[n++].text) return 0;
    }
    out->escape_count = n;
    out->escapes = list;
    return 1;
}

/* ------------------------------------------------------------------ the list */

static int irl__parts_one(irl__parts *s, const irl__around *part, irl_part *out)
{
    memset(out, 0, sizeof *out);
    out->kind = IRL_PART_NEST;
    out->place = "";
    if (!part) {
        out->kind = IRL_PART_FUNC;
        out->name = s->q.t.f->name;
    } else {
        out->first_access = part->first;
        out->place = irl__place_text(s->q.cx, part->stmt->loc);
        if (!out->place) return 0;
    }
    out->end_access = part ? part->end : s->q.t.count;
    irl__regions r;
    irl_box     *list;
    int          k, turn, n = 0;
    if (!irl__regions_of(&r, &s->path, part)) return 0;
    list = IRL__NEW(s->q.cx, irl_box, r.count + 1);
    if (!list) return 0;
    for (turn = 0; turn < 2; turn++)
        for (k = 0; k < r.count; k++)
            if (r.list[k].is_write == turn && !irl__parts_box(s, &r.list[k], &list[n++])) return 0;
    out->box_count = n;
    out->boxes = list;
    if (part && part->kind == IRL__AROUND_LOOP) out->name = part->var->u.name;
    if (!part || part->kind == IRL__AROUND_LOOP) return 1;
    out->name = part->stmt->u.block->name;
    return irl__parts_axes(s, part, out) && irl__parts_escapes(s, part, out);
}

static int irl__parts_all(irl__parts *s, irl_part_table *out)
{
    irl_part *list;
    for (int k = 0; k < s->q.t.count; k++) {
        /* What is around a row and has not been seen, from the outside in. */
        const irl__around  *n = s->q.t.list[k].around;
        const irl__around **new_ones = NULL;
        for (; n && !irl__ptr_map_get(&s->seen, n); n = n->outer) {
            if (!irl__ptr_map_put(s->q.cx, &s->seen, n, n)) return 0;
            if ((n->kind == IRL__AROUND_LOOP || n->kind == IRL__AROUND_BLOCK) &&
                !IRL__PUSH_SCRATCH(s->q.cx, new_ones, n))
                return 0;
        }
        for (int j = (int)stbds_arrlen(new_ones); j-- > 0;)
            if (!IRL__PUSH_SCRATCH(s->q.cx, s->list, new_ones[j])) return 0;
    }
    int count = (int)stbds_arrlen(s->list) + 1;
    list = IRL__NEW(s->q.cx, irl_part, count);
    if (!list) return 0;
    for (int k = 0; k < count; k++)
        if (!irl__parts_one(s, k ? s->list[k - 1] : NULL, &list[k])) return 0;
    out->count = count;
    out->list = list;
    return 1;
}

const irl_part_table *irl_func_regions(const irl_func *f)
{
    irl__parts      s;
    irl_part_table *out;
    memset(&s, 0, sizeof s);
    if (!irl__query_begin(&s.q, f)) return NULL;
    out = (irl_part_table *)irl__alloc(s.q.cx, sizeof *out);
    if (out && !(irl__declared_of(&s.declared, &s.q.t) && irl__path_begin(&s.path, &s.q.t) &&
                 irl__parts_all(&s, out)))
        out = NULL;
    return (const irl_part_table *)irl__query_end(&s.q, out);
}
