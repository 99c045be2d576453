/* places.c - where the tensors of a graph are: scopes and layouts, chosen by the rule of the target
   or by the user, as far as the functions around each tensor accept them.

   requires  a graph; functions that state no layout and no scope for what is to be moved
   maintains what the graph computes
   breaks    nothing; if nodes need a tensor in different layouts, lowering the graph adds copies
   cost      for each node that touches an image, unlike the others, a lowering of its function, and
             two for each image that it is refused with

   The order is: what functions state is kept. A tensor without a stated layout takes the layout of
   a node that states one for it; if several do, the one that most of them state, and the others get
   copies. A layout is passed on through nodes that compute cell by cell. For the other tensors the
   target, or the user, decides. */
#include "graph.h"

/* An image that a tensor may lie in. */
typedef struct irl__place_offer {
    const char    *name;
    const char    *text; /* its map, where `map` is not made yet */
    const irl_map *map;
    irl_scope      scope;
    int            group; /* conventions, the best that is searched, the others */
    int64_t        width, height;
    const char    *over;  /* the limit that it is over; NULL: it fits */
} irl__place_offer;

/* How far a tensor's offers are gone through: one that is refused, by the limits, by try_image or
   by a node that would touch it, is not offered again. */
typedef struct irl__place_tried {
    irl__place_offer now;     /* name NULL: it lies in none of them */
    int              seen;    /* offers, in their order */
    int              asked;   /* of these, not over a limit */
    int              refused;
    const char      *first;   /* which of them was refused first, and why */
} irl__place_tried;

typedef struct irl__placer {
    const irl_graph                 *g;
    irl_ctx                         *cx;
    const irl_target                *target;
    const irl_graph_storage_options *how;
    irl_graph_place                 *places; /* of each tensor */
    irl__place_tried                *tried;  /* of each tensor */
    irl__text                       *t;
} irl__placer;

/* ------------------------------------------------------------------ what functions state */

/* A map of the node's function with the node's numbers in the place of names. */
static const irl_map *irl__place_map(const irl_graph_node *node, const irl_map *map)
{
    irl_ctx         *cx = node->func->cx;
    irl__arena_mark  mark = irl__scratch_begin(cx);
    const int        n = node->func->param_count;
    const irl_expr **from = IRL__SCRATCH(cx, const irl_expr *, n + 1);
    const irl_expr **to = IRL__SCRATCH(cx, const irl_expr *, n + 1);
    const irl_expr **outputs = IRL__COPY(cx, const irl_expr *, map->outputs, map->output_count);
    irl_map *copy = IRL__COPY(cx, irl_map, map, 1);
    int      k, count = 0, ok = from && to && outputs && copy;
    for (k = 0; ok && k < n; k++) {
        if (!node->scalars[k]) continue;
        from[count] = node->func->params[k].var;
        to[count++] = node->scalars[k];
    }
    for (k = 0; ok && count && k < map->output_count; k++) {
        outputs[k] = irl__substitute(cx, outputs[k], count, from, to);
        ok = outputs[k] && (outputs[k] = irl__simplify_alone(cx, outputs[k])) != NULL;
    }
    irl__scratch_end(cx, mark);
    if (!ok || !count) return ok ? map : NULL;
    copy->outputs = outputs;
    copy->c = NULL;
    return copy;
}

/* Where parameter p of the node's function lies by its own signature; 0: nothing is stated. */
static int irl__place_stated(const irl_graph_node *node, int p, irl_graph_place *out)
{
    const irl_func   *f = node->func;
    const irl_buffer *b = f->params[p].buffer;
    memset(out, 0, sizeof *out);
    out->scope = b->scope;
    for (int k = 0; k < f->layout_count; k++)
        if (strcmp(f->layouts[k].buffer, b->name) == 0)
            out->map = irl__place_map(node, f->layouts[k].map);
    return out->map != NULL || out->scope != IRL_SCOPE_GLOBAL || b->separator_count > 0;
}

static int irl__place_same(const irl_graph_place *a, const irl_graph_place *b)
{
    return a->scope == b->scope && (a->map == b->map || irl__map_equal_text(a->map, b->map));
}

/* How many nodes state that place for the tensor; *writes: one of them writes it. */
static int irl__place_votes(const irl__placer *q, int tensor, const irl_graph_place *place,
                            int *writes)
{
    int k, p, votes = 0;
    for (k = 0; k < q->g->node_count; k++) {
        const irl_graph_node *node = &q->g->nodes[k].is;
        irl_graph_place       one;
        for (p = 0; p < node->func->param_count; p++) {
            if (node->tensors[p] != tensor || !irl__place_stated(node, p, &one) ||
                !irl__place_same(&one, place))
                continue;
            votes++;
            *writes |= node->is_result[p];
        }
    }
    return votes;
}

/* The place that most of the nodes around a tensor state; of the one that writes it where that
   states one. 0: nobody does. */
static int irl__place_asked(const irl__placer *q, int tensor, irl_graph_place *best)
{
    int k, p, most = 0, all = 0;
    for (k = 0; k < q->g->node_count; k++) {
        const irl_graph_node *node = &q->g->nodes[k].is;
        irl_graph_place       one;
        int                   writes = 0, votes;
        for (p = 0; p < node->func->param_count; p++) {
            if (node->tensors[p] != tensor || !irl__place_stated(node, p, &one)) continue;
            all++;
            votes = irl__place_votes(q, tensor, &one, &writes);
            if (writes) votes = INT32_MAX;
            if (votes <= most) continue;
            most = votes;
            *best = one;
        }
    }
    if (most == INT32_MAX) best->reason = "as the node that writes it states";
    else
        best->reason = most < all ? "as most of the nodes that read it state: others get copies"
                                  : "as the nodes that read it state";
    return most > 0;
}

/* ------------------------------------------------------------------ cell by cell */

/* Is each cell of the result computed of the same cell of what has its shape? */
static int irl__place_is_cells(const irl_func *f)
{
    irl__arena_mark    mark = irl__scratch_begin(f->cx);
    const irl__access *w = NULL;
    irl__accesses      t;
    int                k, j, ok = irl__accesses_of(&t, f, NULL);
    for (k = 0; ok && k < t.count; k++) {
        if (!t.list[k].is_declared && irl__access_writes(&t.list[k])) {
            ok = !w;
            w = &t.list[k];
        }
    }
    for (k = 0; ok && w && k < t.count; k++) {
        const irl__access *a = &t.list[k];
        if (a->is_declared || !a->buffer || a->rank != w->rank) continue;
        for (j = 0; ok && j < a->rank; j++) ok = a->indices[j] == w->indices[j];
    }
    irl__scratch_end(f->cx, mark);
    return ok && w != NULL;
}

/* What nobody states takes the place of another tensor of the node. 1: something changed. */
static int irl__place_flow(irl__placer *q, const irl__graph_node *node)
{
    const irl_func *f = node->is.func;
    int             p, r, changed = 0;
    for (r = 0; r < f->param_count; r++)
        for (p = 0; p < f->param_count; p++) {
            const int        from = node->is.tensors[r], to = node->is.tensors[p];
            irl_graph_place *a = from >= 0 ? &q->places[from] : NULL;
            irl_graph_place *b = to >= 0 ? &q->places[to] : NULL;
            if (!a || !b || !a->reason || b->reason ||
                node->is.is_result[r] == node->is.is_result[p] ||
                q->g->tensors[from].is.shape.rank != q->g->tensors[to].is.shape.rank ||
                memcmp(q->g->tensors[from].is.shape.extent, q->g->tensors[to].is.shape.extent,
                       (size_t)q->g->tensors[from].is.shape.rank *
                           sizeof *q->g->tensors[from].is.shape.extent) != 0)
                continue;
            *b = *a;
            b->reason = "as another tensor of a node that computes cell by cell";
            changed = 1;
        }
    return changed;
}

static int irl__place_see_stated(irl__placer *q)
{
    unsigned char *is_cells =
        (unsigned char *)irl__scratch_alloc(q->cx, (size_t)q->g->node_count + 1, 1);
    int k, p;
    if (!is_cells) return 0;
    for (k = 0; k < q->g->tensor_count; k++)
        if (!irl__place_asked(q, k, &q->places[k])) memset(&q->places[k], 0, sizeof *q->places);
    for (k = 0; k < q->g->node_count; k++) {
        irl_graph_place one;
        is_cells[k] = 1;
        for (p = 0; p < q->g->nodes[k].is.func->param_count; p++)
            if (q->g->nodes[k].is.tensors[p] >= 0 &&
                irl__place_stated(&q->g->nodes[k].is, p, &one))
                is_cells[k] = 0;
        if (is_cells[k]) is_cells[k] = (unsigned char)irl__place_is_cells(q->g->nodes[k].is.func);
    }
    int j, changed = 1;
    while (changed) {
        changed = 0;
        for (j = 0; j < q->g->node_count; j++)
            if (is_cells[j]) changed |= irl__place_flow(q, &q->g->nodes[j]);
        for (j = q->g->node_count; j-- > 0;)
            if (is_cells[j]) changed |= irl__place_flow(q, &q->g->nodes[j]);
    }
    return irl__ok(q->cx);
}

/* ------------------------------------------------------------------ the rule for images */

/* The first of them, in the order in which they are tried. */
typedef struct irl__place_offers {
    int              count;
    irl__place_offer list[IRL_MAX_IMAGE_TRIES];
    int              before; /* offers of this tensor that stand before them */
} irl__place_offers;

/* How far from a square. */
static double irl__place_length(const irl__place_offer *c)
{
    return c->width > c->height ? (double)c->width / (double)c->height
                                : (double)c->height / (double)c->width;
}

static int irl__place_is_before(const irl__place_offer *a, const irl__place_offer *b)
{
    return a->group != b->group ? a->group < b->group
                                : irl__place_length(a) < irl__place_length(b);
}

/* In its place: by group, the squarest first, of those alike the first. */
static void irl__place_add_offer(irl__place_offers *o, const irl__place_offer *one)
{
    int k = o->count;
    if (k == IRL_MAX_IMAGE_TRIES && !irl__place_is_before(one, &o->list[--k])) return;
    if (k == o->count) o->count++;
    for (; k > 0 && irl__place_is_before(one, &o->list[k - 1]); k--) o->list[k] = o->list[k - 1];
    o->list[k] = *one;
}

/* Images of two dimensions; of those over a limit the conventions, so that it is said. These have
   scopes of their own, or names without a '|'. */
static void irl__place_see_choice(irl__place_offers *o, const irl_texture_choice *choice)
{
    for (int k = 0; k < choice->count; k++) {
        const irl_texture_candidate *c = &choice->list[k];
        const int                    is_searched = strchr(c->name, '|') || strchr(c->name, ',');
        irl__place_offer             one;
        if (c->layers != 1 || irl__scope_image(c->scope) != IRL__IMAGE_2D ||
            (c->waste && k != choice->chosen) || (is_searched && !c->fits))
            continue;
        memset(&one, 0, sizeof one);
        one.name = c->name;
        one.map = c->map;
        one.scope = c->scope;
        one.width = c->width;
        one.height = c->height;
        one.group = !is_searched && !c->waste ? 0 : k == choice->chosen ? 1 : 2;
        one.over = c->fits ? NULL : c->reason;
        irl__place_add_offer(o, &one);
    }
}

/* What is packed in fours already, [A, B, C, D, 4], is flattened to rows and columns: the seed's
   two conventions, and the one for NHWC. */
typedef struct irl__place_convention {
    const char *name, *map;
    int         rows; /* so many axes are rows */
} irl__place_convention;

static const irl__place_convention irl__place_conventions[] = {
    { "texture:weight", "(a, b, c, d, e) -> (a, |, b, c, d, e)", 1 },
    { "texture", "(a, b, c, d, e) -> (a, b, c, |, d, e)", 3 },
    { "texture:nhwc", "(a, b, c, d, e) -> (a, b, |, c, d, e)", 2 },
};

/* What the question is packed for, if it is. */
static void irl__place_see_packed(const irl__placer *q, irl__place_offers *o,
                                  const irl_texture_options *question)
{
    irl__place_offer c;
    if (question->shape.rank != 5 || question->shape.extent[4] != 4) return;
    for (size_t k = 0; k < IRL__COUNTOF(irl__place_conventions); k++) {
        int is_number = 1;
        memset(&c, 0, sizeof c);
        c.name = irl__place_conventions[k].name;
        c.text = irl__place_conventions[k].map;
        c.scope = IRL_SCOPE_TEXTURE;
        c.width = c.height = 1;
        for (int axis = 0; axis < 4; axis++) {
            int64_t *side = axis < irl__place_conventions[k].rows ? &c.height : &c.width;
            is_number = is_number && irl__mul64(*side, question->shape.extent[axis], side);
        }
        if (!is_number || c.width <= 0 || c.height <= 0) continue;
        if (c.width > question->max_width || c.height > question->max_height)
            c.over = irl__reason(q->cx, "the limit is %l x %l", question->max_width,
                                      question->max_height);
        irl__place_add_offer(o, &c);
    }
}

/* It is passed over; the first of these says why. */
static void irl__place_refuse(const irl__placer *q, irl__place_tried *t,
                              const irl__place_offer *one, const char *why)
{
    if (!t->refused++)
        t->first = irl__reason(q->cx, "%s, %l x %l texels: %s", one->name, one->width,
                                    one->height, why);
}

/* Is it within the limits, and can it be made? */
static int irl__place_can(const irl__placer *q, int tensor, const irl__place_offer *one)
{
    irl__place_tried *t = &q->tried[tensor];
    const char       *why = one->over;
    if (!why) {
        t->asked++;
        why = "";
        if (!q->how->try_image || q->how->try_image(q->how->try_user, &q->g->tensors[tensor].is,
                                                    one->width, one->height, &why))
            return 1;
    }
    irl__place_refuse(q, t, one, why);
    return 0;
}

/* Do sides that were tried already come back? */
static int irl__place_was_tried(const irl__place_offers *o, int k)
{
    for (int j = 0; j < k; j++)
        if (o->list[j].width == o->list[k].width && o->list[j].height == o->list[k].height)
            return 1;
    return 0;
}

/* The tensor lies in that one. */
static void irl__place_lay(const irl__placer *q, int tensor, const irl__place_offer *one,
                           irl_graph_place *out)
{
    irl__place_tried *t = &q->tried[tensor];
    const char       *where = irl__reason(q->cx, "%s, %l x %l texels", one->name, one->width,
                                               one->height);
    t->now = *one;
    out->scope = one->scope;
    out->map = one->text ? irl_map_parse(q->cx, one->text) : one->map;
    out->reason = t->refused ? irl__reason(q->cx, "%s; %d refused before, first %s", where,
                                                t->refused, t->first)
                             : where;
}

/* 1: the tensor lies in the first of these that was not offered yet and can be made. */
static int irl__place_take(const irl__placer *q, int tensor, irl__place_offers *o,
                           irl_graph_place *out)
{
    irl__place_tried *t = &q->tried[tensor];
    for (int k = 0; irl__ok(q->cx) && t->asked < IRL_MAX_IMAGE_TRIES && k < o->count; k++) {
        if (o->before + k < t->seen) continue;
        t->seen = o->before + k + 1;
        if (irl__place_was_tried(o, k) || !irl__place_can(q, tensor, &o->list[k])) continue;
        irl__place_lay(q, tensor, &o->list[k], out);
        return 1;
    }
    o->before += o->count;
    o->count = 0;
    return 0;
}

/* Why the tensor lies in no image, before any is looked at; NULL: one is looked for. */
static const char *irl__place_no_image(const irl__placer *q, int tensor)
{
    const irl_graph_tensor *t = &q->g->tensors[tensor].is;
    if (q->how->plain && q->how->plain[tensor]) return q->how->plain[tensor];
    if (q->how->no_images) return "no image: the device has none";
    if (t->shape.rank != 4 && t->shape.rank != 5)
        return irl__reason(q->cx, "no image: it has %d axes; the rule is for 4 and 5",
                                t->shape.rank);
    for (int k = 0; k < t->shape.rank; k++)
        if (t->shape.extent[k] == 0) return "no image: it has no elements";
    return t->type.lanes != 1 || !irl__target_has_texel(q->target, (irl_scalar)t->type.scalar)
               ? irl__reason(q->cx, "no image: texels of the target do not hold %s",
                                  irl__type_cstr(q->cx, t->type))
               : NULL;
}

/* The next image for a tensor, from the first on; plain memory behind the last. */
static int irl__place_image(const irl__placer *q, int tensor, irl_graph_place *out)
{
    irl__place_tried   *t = &q->tried[tensor];
    irl_texture_options question;
    irl__place_offers   offers;
    memset(&question, 0, sizeof question);
    question.shape = q->g->tensors[tensor].is.shape;
    question.max_width = question.max_height = q->target->image_extent;
    if (q->how->max_width && q->how->max_width < question.max_width)
        question.max_width = q->how->max_width;
    if (q->how->max_height && q->how->max_height < question.max_height)
        question.max_height = q->how->max_height;
    question.element = q->g->tensors[tensor].is.type;
    question.has_channel = 1;
    question.channel = q->g->tensors[tensor].is.shape.rank - 1;
    memset(&offers, 0, sizeof offers);
    t->now.name = NULL;
    out->scope = IRL_SCOPE_GLOBAL;
    out->map = NULL;
    out->reason = irl__place_no_image(q, tensor);
    if (out->reason) return irl__ok(q->cx);
    irl__place_see_packed(q, &offers, &question);
    if (irl__place_take(q, tensor, &offers, out)) return irl__ok(q->cx);
    irl_texture_choice choice = irl_texture_candidates(q->cx, &question);
    if (!choice.count) return 0;
    irl__place_see_choice(&offers, &choice);
    if (irl__place_take(q, tensor, &offers, out)) return irl__ok(q->cx);
    out->reason = t->asked
                      ? irl__reason(q->cx, "no image: %d layouts refused, first %s",
                                         t->refused, t->first)
                      : irl__reason(q->cx, "no image: none of %d layouts fits %l x %l texels",
                                         choice.count, question.max_width, question.max_height);
    return irl__ok(q->cx);
}

/* Results of one node lie in one scope: plain memory, where they would not. */
static void irl__place_even(irl__placer *q, const irl__graph_node *node)
{
    const irl_graph_place *first = NULL;
    irl_graph_place        stated;
    int                    k, is_even = 1;
    for (k = 0; k < node->is.func->param_count; k++) {
        if (!node->is.is_result[k]) continue;
        if (!first) first = &q->places[node->is.tensors[k]];
        is_even &= q->places[node->is.tensors[k]].scope == first->scope;
    }
    for (k = 0; !is_even && k < node->is.func->param_count; k++) {
        if (!node->is.is_result[k] || irl__place_stated(&node->is, k, &stated)) continue;
        irl_graph_place *place = &q->places[node->is.tensors[k]];
        if (!irl__scope_is_image(place->scope)) continue; /* it says why */
        place->scope = IRL_SCOPE_GLOBAL;
        place->map = NULL;
        place->reason = "no image: another result of the node is not in an image";
    }
}

/* The row's own rule: images, where the row says so. */
static int irl__place_collect(irl__placer *q)
{
    for (int k = 0; k < q->g->tensor_count; k++) {
        irl_graph_place *place = &q->places[k];
        if (place->reason) continue;
        if (!q->target->image_tensors) place->reason = "plain memory: the target requests nothing "
                                                       "else";
        else if (!irl__place_image(q, k, place)) return 0;
    }
    for (int k = 0; k < q->g->node_count; k++) irl__place_even(q, &q->g->nodes[k]);
    return 1;
}

/* ------------------------------------------------------------------ functions that lie so */

/* The node's function for its numbers, its parameters where the places say; NULL with a
   diagnostic. */
static const irl_func *irl__place_func(const irl__placer *q, const irl__graph_node *node)
{
    const irl_func *f = irl__graph_special(node);
    for (int k = 0; f && k < node->is.func->param_count; k++) {
        irl_graph_place stated;
        if (node->is.tensors[k] < 0 || irl__place_stated(&node->is, k, &stated)) continue;
        const irl_graph_place *place = &q->places[node->is.tensors[k]];
        const char            *name = node->is.func->params[k].buffer->name;
        if (place->map) f = irl_func_set_layout(f, name, place->map);
        if (f && place->scope != IRL_SCOPE_GLOBAL) f = irl_func_set_scope(f, name, place->scope);
    }
    return f;
}

/* Do the node's results and arguments lie in images that nobody stated? */
static int irl__place_has_image(const irl__placer *q, const irl__graph_node *node, int is_result)
{
    int             k, found = 0;
    irl_graph_place stated;
    for (k = 0; k < node->is.func->param_count; k++)
        found |= node->is.tensors[k] >= 0 && node->is.is_result[k] == is_result &&
                 irl__scope_is_image(q->places[node->is.tensors[k]].scope) &&
                 !irl__place_stated(&node->is, k, &stated);
    return found;
}

/* Does the target take the function, within its limits? *why: the first line of its refusal. */
static int irl__place_takes(const irl__placer *q, const irl__graph_node *node, char why[160])
{
    const irl_mark    mark = irl_ctx_mark(q->cx);
    const irl_func   *f = irl__place_func(q, node);
    const irl_module *m = f ? irl_func_lower(f, q->target) : NULL;
    const int         ok = m && irl__check_target(m, q->target, IRL__CHECK_ALL);
    irl__text         t;
    irl__text_init_fixed(&t, why, 160);
    if (!ok && (irl__ok(q->cx) || irl_diag_of(q->cx)->code == IRL_ERROR_OUT_OF_MEMORY)) return -1;
    if (!ok) irl__text_puts(&t, irl_diag_of(q->cx)->message);
    irl_ctx_rewind(q->cx, mark);
    return ok;
}

/* The node's results, or its arguments, get the next image that the target's rule has for them, as
   where a device does not make one; plain memory where the user's function chose theirs. */
static void irl__place_demote(irl__placer *q, const irl__graph_node *node, int is_result,
                              const char *why)
{
    const char     *says = irl__reason(q->cx, "'%s' %s it, and is refused: %s",
                                            node->is.func->name, is_result ? "writes" : "reads",
                                            why);
    irl_graph_place stated;
    for (int k = 0; irl__ok(q->cx) && k < node->is.func->param_count; k++) {
        const int t = node->is.tensors[k];
        if (t < 0 || node->is.is_result[k] != is_result ||
            !irl__scope_is_image(q->places[t].scope) ||
            irl__place_stated(&node->is, k, &stated))
            continue;
        irl__place_tried *tried = &q->tried[t];
        if (tried->now.name) {
            irl__place_refuse(q, tried, &tried->now, says);
            irl__place_image(q, t, &q->places[t]);
            continue;
        }
        q->places[t].scope = IRL_SCOPE_GLOBAL;
        q->places[t].map = NULL;
        q->places[t].reason = irl__reason(q->cx, "no image: %s", says);
    }
}

/* Would the node take its arguments in images if its results lay in plain memory? */
static int irl__place_takes_arguments(irl__placer *q, const irl__graph_node *node, char why[160])
{
    const int       n = node->is.func->param_count;
    irl__arena_mark mark = irl__scratch_begin(q->cx);
    irl_graph_place *kept = IRL__SCRATCH(q->cx, irl_graph_place, n + 1);
    int k, ok = -1;
    for (k = 0; kept && k < n; k++) {
        if (!node->is.is_result[k]) continue;
        kept[k] = q->places[node->is.tensors[k]];
        memset(&q->places[node->is.tensors[k]], 0, sizeof *kept);
    }
    if (kept) ok = irl__place_takes(q, node, why);
    for (k = 0; kept && k < n; k++)
        if (node->is.is_result[k]) q->places[node->is.tensors[k]] = kept[k];
    irl__scratch_end(q->cx, mark);
    return ok;
}

/* 1: the node takes what it has; 0: something lies elsewhere now; -1 on failure. It is the
   arguments that move where they are refused whatever becomes of the results. */
static int irl__place_settle(irl__placer *q, const irl__graph_node *node)
{
    char      why[160];
    const int has_arguments = irl__place_has_image(q, node, 0);
    int       is_result = irl__place_has_image(q, node, 1), ok;
    if (!has_arguments && !is_result) return 1;
    ok = irl__place_takes(q, node, why);
    if (ok) return ok;
    if (has_arguments && is_result) {
        char other[160];
        ok = irl__place_takes_arguments(q, node, other);
        if (ok < 0) return ok;
        if (!ok) memcpy(why, other, sizeof why);
        is_result = ok;
    }
    irl__place_demote(q, node, is_result, why);
    return 0;
}

/* Was a node like this one, whose tensors lie alike, settled before it? */
static int irl__place_is_known(const irl__placer *q, int node)
{
    const irl__graph_node *b = &q->g->nodes[node];
    int                    k, p, same = 0;
    for (k = 0; k < node && !same; k++) {
        const irl__graph_node *a = &q->g->nodes[k];
        same = irl__graph_alike(a, b);
        for (p = 0; same && p < a->is.func->param_count; p++)
            same = a->is.tensors[p] < 0 || irl__place_same(&q->places[a->is.tensors[p]],
                                                           &q->places[b->is.tensors[p]]);
    }
    return same;
}

/* Until all nodes take what they have: in each round without an end a tensor goes on in its offers,
   or to plain memory behind them. */
static int irl__place_settle_all(irl__placer *q)
{
    int k, done, again = 1;
    while (again) {
        again = 0;
        for (k = 0; k < q->g->node_count; k++) {
            if (irl__place_is_known(q, k)) continue;
            done = irl__place_settle(q, &q->g->nodes[k]);
            if (done < 0) return 0;
            again |= !done;
        }
        for (k = 0; again && !q->how->collect && k < q->g->node_count; k++)
            irl__place_even(q, &q->g->nodes[k]);
    }
    return irl__ok(q->cx);
}

/* ------------------------------------------------------------------ the graph */

/* Results of one node lie in memory of one scope. */
static int irl__place_results_ok(const irl__placer *q, const irl__graph_node *node)
{
    int k, first = -1;
    for (k = 0; k < node->is.func->param_count; k++) {
        if (!node->is.is_result[k]) continue;
        if (first < 0) first = node->is.tensors[k];
        if (q->places[node->is.tensors[k]].scope != q->places[first].scope)
            return irl__fail(q->cx, IRL_ERROR_BAD_GRAPH, node->loc,
                             "all results of one node must be in one scope: '%s' would be in %s, "
                             "and '%s' in %s", q->g->tensors[first].is.name,
                             irl__scope_text(q->places[first].scope),
                             q->g->tensors[node->is.tensors[k]].is.name,
                             irl__scope_text(q->places[node->is.tensors[k]].scope));
    }
    return 1;
}

/* A function under a name that is free: of nodes that are alike, and lie alike, one. */
static const irl_func *irl__place_named(irl__placer *q, const irl_func ***made, const irl_func *f)
{
    const char *name = irl__namez(q->cx, f->name);
    size_t      j;
    for (int k = 1; name; k++) {
        for (j = 0; j < stbds_arrlenu(*made); j++)
            if (strcmp((*made)[j]->name, name) == 0) break;
        irl_func *copy = irl__func_copy(q->cx, f);
        if (!copy) return NULL;
        copy->name = name;
        if (j == stbds_arrlenu(*made))
            return IRL__PUSH_SCRATCH(q->cx, *made, (const irl_func *)copy) ? copy : NULL;
        if (irl_func_equal((*made)[j], copy)) return (*made)[j];
        name = irl__namez(q->cx, irl__reason(q->cx, "%s_%d", f->name, k));
    }
    return NULL;
}

static int irl__place_node(irl__placer *q, irl__graph_maker *m, const irl_func ***made,
                           const irl__graph_node *node)
{
    const irl__graph_func *func = NULL;
    const int              n = node->is.func->param_count;
    irl__graph_given      *given[2];
    int                    count[2] = { 0, 0 }, k;
    const irl_func        *f;
    for (k = 0; k < 2; k++) {
        given[k] = IRL__NEW(q->cx, irl__graph_given, n + 1);
        if (!given[k]) return 0;
    }
    if (!irl__place_results_ok(q, node) || !(f = irl__place_func(q, node)) ||
        !(f = irl__place_named(q, made, f)) || !irl__graph_add_func(m, f, &func))
        return 0;
    for (k = 0; k < n; k++) {
        const int r = node->is.is_result[k];
        if (node->is.tensors[k] < 0) continue;
        given[r][count[r]].loc = node->loc;
        given[r][count[r]++].tensor = q->g->tensors[node->is.tensors[k]].is.name;
    }
    return irl__graph_add_node(m, func, count[0], given[0], count[1], given[1], node->loc);
}

static irl_graph *irl__place_run(irl__placer *q)
{
    q->places = IRL__SCRATCH(q->cx, irl_graph_place, q->g->tensor_count + 1);
    q->tried = IRL__SCRATCH(q->cx, irl__place_tried, q->g->tensor_count + 1);
    if (!q->places || !q->tried || !irl__place_see_stated(q)) return NULL;
    if (q->how->collect ? !q->how->collect(q->how->user, q->g, q->places)
                        : !irl__place_collect(q)) {
        if (irl__ok(q->cx))
            IRL__FAIL(q->cx, IRL_ERROR_BAD_GRAPH, "collect refused the graph '%s'", q->g->name);
        return NULL;
    }
    if (!irl__ok(q->cx) || !irl__place_settle_all(q)) return NULL;
    for (int k = 0; k < q->g->tensor_count; k++) {
        const irl_graph_place *p = &q->places[k];
        irl__textf(q->t, "%s: %s", q->g->tensors[k].is.name, irl__scope_text(p->scope));
        if (p->map) irl__textf(q->t, " %s", irl_map_text(q->cx, p->map));
        irl__textf(q->t, ": %s\n", p->reason ? p->reason : "as requested");
    }
    const irl_graph *g = q->g;
    const irl_func **made = NULL;
    irl__graph_maker m;
    if (!irl__graph_begin_as(&m, g)) return NULL;
    for (int k = 0; k < g->node_count; k++)
        if (!irl__place_node(q, &m, &made, &g->nodes[k])) return NULL;
    return irl__graph_end_as(&m, g);
}

irl_graph *irl_graph_place_tensors(const irl_graph *g, const irl_target *target,
                                   const irl_graph_storage_options *how, const char **text)
{
    irl_graph_storage_options defaults;
    irl__placer               q;
    irl__text                 t;
    if (text) *text = "";
    if (!g || !irl__ok(g->cx) || !irl__target_given(g->cx, target)) return NULL;
    memset(&defaults, 0, sizeof defaults);
    memset(&q, 0, sizeof q);
    q.g = g;
    q.cx = g->cx;
    q.target = target;
    q.how = how ? how : &defaults;
    irl__text_init(&t, g->cx);
    q.t = &t;
    irl__arena_mark mark = irl__scratch_begin(q.cx);
    irl_graph      *out = irl__place_run(&q);
    irl__scratch_end(q.cx, mark);
    if (out && text) *text = irl__text_or_empty(irl__text_done(&t));
    return out;
}
