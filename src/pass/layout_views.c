/* layout_views.c - a view of another shape or type, of memory that has a layout.

   requires  the layout of the memory is decided; the view has been compared with its memory, where
             both have numbers as extents
   promises  each element of the view keeps its bytes, in their order: the view becomes one of the
             memory's new shape, and its index composes with the layout. Otherwise it is refused,
             with an element that the layout would split
   cost      some proofs for each view; at most IRL__VIEWS_POINTS points where a proof fails

   Elements of the memory are numbered row-major, before the layout and after it. Two cases:

       parts   an element of the memory holds `count` of the view, u8 in f32: they stay in it
       groups  an element of the view is `count` of the memory, f32x4 of f32: the layout must place
               these next to each other, and the first one at a multiple of `count`

       x: f32[64], (i) -> (i / 8, i % 8), v: f32x4[16] data(x)      v becomes f32x4[8, 2]
                                                                    v[c] is v[c / 2, c % 2] */
#include "layouts.h"

enum { IRL__VIEWS_POINTS = 1 << 14 };

typedef struct irl__view_question {
    irl_ctx                  *cx;
    const irl__layouts_state *memory;
    const irl_buffer         *view;
    irl__analyzer            *an;      /* knows the sizes, the indices and `member` */
    const irl_expr           *index[IRL_MAX_RANK]; /* of the view */
    const irl_expr           *member;  /* of a group: from 0 to count - 1 */
    const irl_expr           *number;  /* of the element of the view */
    int64_t                   count;
    int                       is_parts;
} irl__view_question;

/* ------------------------------------------------------------------ numbers of elements */

static const irl_expr *irl__views_number_of(const irl__view_question *q)
{
    irl_ctx          *cx = q->cx;
    const irl_buffer *v = q->view;
    const irl_expr   *n = v->offset ? v->offset : irl_expr_index(cx, 0);
    if (!v->strides)
        return irl__add(cx, n, irl__row_major(cx, v->rank, v->shape, q->index));
    for (int k = 0; k < v->rank; k++)
        n = irl__add(cx, n, irl__mul(cx, q->index[k], v->strides[k]));
    return n;
}

/* Where element n of the memory goes. */
static int irl__views_place(const irl__view_question *q, const irl_expr *n, const irl_expr **out)
{
    irl_ctx          *cx = q->cx;
    const irl_buffer *from = q->memory->from;
    const irl_expr   *index[IRL_MAX_RANK], *inner = irl_expr_index(cx, 1);
    for (int k = from->rank; k-- > 0;) {
        index[k] = irl__floordiv(cx, n, inner);
        if (k) index[k] = irl__floormod(cx, index[k], from->shape[k]);
        index[k] = irl__simplify(q->an, index[k]);
        inner = irl__mul(cx, inner, from->shape[k]);
    }
    if (!irl__ok(cx) || !irl__map_substitute(cx, q->memory->map, index, out)) return 0;
    for (int k = 0; k < q->memory->map->output_count; k++)
        if (!(out[k] = irl__simplify(q->an, out[k]))) return 0;
    return 1;
}

/* ------------------------------------------------------------------ the proof */

static int irl__views_is_multiple(const irl__view_question *q, const irl_expr *e)
{
    return irl__prove_equal(q->an, irl__floormod(q->cx, e, irl_expr_index(q->cx, q->count)),
                            irl_expr_index(q->cx, 0));
}

/* Whether all groups stay together along the last axis, which they fill: is_flat: in the memory as
   one axis. `first` is where the first element of a group goes. */
static int irl__views_is_together(const irl__view_question *q, const irl_expr *const *first,
                                  int is_flat)
{
    irl_ctx              *cx = q->cx;
    const int             rank = q->memory->map->output_count;
    const irl_expr *const *shape = q->memory->shape;
    const irl_expr       *next[IRL_MAX_RANK], *a, *b;
    if (q->is_parts || q->count == 1) return 1;
    if (rank == 0 || (!is_flat && !irl__views_is_multiple(q, shape[rank - 1]))) return 0;
    const irl_expr *n = irl__mul(cx, q->number, irl_expr_index(cx, q->count));
    if (!irl__views_place(q, irl__add(cx, n, q->member), next)) return 0;
    for (int k = 0; !is_flat && k < rank - 1; k++)
        if (!irl__prove_equal(q->an, first[k], next[k])) return 0;
    a = is_flat ? irl__row_major(cx, rank, shape, first) : first[rank - 1];
    b = is_flat ? irl__row_major(cx, rank, shape, next) : next[rank - 1];
    return irl__views_is_multiple(q, a) && irl__prove_equal(q->an, irl__add(cx, a, q->member), b);
}

/* ------------------------------------------------------------------ an element that falls apart */

/* Element n of the memory: its index, and its place in the new memory. 0: not known. */
static int irl__views_place_of(const irl__view_question *q, int64_t n, int64_t *point,
                               int64_t *place)
{
    const irl__layouts_state *m = q->memory;
    int64_t                   value;
    for (int k = m->from->rank; k-- > 0;) {
        point[k] = k ? n % m->from->shape[k]->u.i : n;
        n /= m->from->shape[k]->u.i;
    }
    *place = 0;
    for (int k = 0; k < m->map->output_count; k++) {
        if (irl__value_at(m->map->outputs[k], m->from->rank, m->map->inputs, point, &value) !=
            IRL__FOLD_OK)
            return 0;
        *place = *place * m->shape[k]->u.i + value;
    }
    return 1;
}

static void irl__views_element(irl__text *t, const irl_buffer *b, const int64_t *at)
{
    irl__text_puts(t, b->name);
    irl__text_numbers(t, "[]", b->rank, at);
}

/* The refusal: element `at` of the view begins with element n of the memory, which goes to `first`;
   the element `member` after that goes to `place`. */
static int irl__views_apart(const irl__view_question *q, const int64_t *at, int64_t n,
                            int64_t member, int64_t first, int64_t place)
{
    irl_ctx          *cx = q->cx;
    const irl_buffer *from = q->memory->from;
    const char       *map = irl_map_text(cx, q->memory->map);
    int64_t           point[IRL_MAX_RANK], ignored;
    char              text[400];
    irl__text         t;
    irl__text_init_fixed(&t, text, sizeof text);
    irl__views_element(&t, q->view, at);
    irl__textf(&t, " is ");
    for (int k = 0; k < 2; k++) {
        if (!irl__views_place_of(q, n + (k ? q->count - 1 : 0), point, &ignored)) return 0;
        irl__views_element(&t, from, point);
        irl__textf(&t, k ? "; " : " to ");
    }
    if (!irl__views_place_of(q, n, point, &ignored)) return 0;
    irl__views_element(&t, from, point);
    irl__textf(&t, " goes to place %l of memory", first);
    if (member && !irl__views_place_of(q, n + member, point, &ignored)) return 0;
    if (member) {
        irl__textf(&t, ", ");
        irl__views_element(&t, from, point);
        irl__textf(&t, " to place %l", place);
    } else irl__textf(&t, ", no multiple of %l", q->count);
    irl__fail(cx, IRL_ERROR_BAD_ALIAS, q->memory->layout->loc,
              "'%s' cannot get the layout %s, which takes an element of its view '%s' apart: %s",
              from->name, map, q->view->name, text);
    return irl__hint(cx, "keep each %l elements next to each other and in order, as a last output "
                         "i %% %l does", q->count, q->count);
}

/* The element of the view whose index is `at`: 1: the layout keeps it together; 0: it does not,
   with a diagnostic; -1: that is not known. */
static int irl__views_look(const irl__view_question *q, const int64_t *at)
{
    int64_t n, first = 0, place, point[IRL_MAX_RANK];
    if (irl__value_at(q->number, q->view->rank, q->index, at, &n) != IRL__FOLD_OK) return -1;
    for (int64_t k = 0; k < q->count; k++) {
        if (!irl__views_place_of(q, n * q->count + k, point, &place)) return -1;
        if (k == 0) first = place;
        if (first % q->count != 0 || place != first + k)
            return irl__views_apart(q, at, n * q->count, k, first, place);
    }
    return 1;
}

/* The same of all elements, where extents are numbers and the elements few. */
static int irl__views_look_at_all(const irl__view_question *q)
{
    const irl_shape shape = irl_shape_of(q->view->rank, q->view->shape);
    const int64_t   total = irl_shape_count(shape);
    int64_t         at[IRL_MAX_RANK];
    int             known = 1;
    const irl__layouts_state *m = q->memory;
    if (total < 0 || irl_shape_count(irl_shape_of(m->from->rank, m->from->shape)) < 0 ||
        irl_shape_count(irl_shape_of(m->map->output_count, m->shape)) < 0)
        return -1;
    for (int64_t n = 0; known > 0 && n < total; n++) {
        if (n >= IRL__VIEWS_POINTS / q->count) return -1;
        irl__point_of(shape.rank, shape.extent, n, at);
        known = irl__views_look(q, at);
    }
    return known;
}

/* ------------------------------------------------------------------ the view in the new memory */

/* Whether the view lies within its memory, before the layout: where sizes are names that is not
   known yet. */
static int irl__views_fits(const irl__view_question *q)
{
    irl_ctx          *cx = q->cx;
    const irl_buffer *from = q->memory->from;
    const irl_expr   *end = irl_expr_index(cx, q->count), *n;
    n = q->is_parts ? irl__floordiv(cx, q->number, end) : irl__mul(cx, q->number, end);
    if (!q->is_parts) n = irl__add(cx, n, q->member);
    return irl__prove_within(q->an, n, irl__product(cx, from->rank, from->shape));
}

static int irl__views_refuse(const irl__view_question *q, const char *why)
{
    irl__fail(q->cx, IRL_ERROR_BAD_ALIAS, q->memory->layout->loc, "'%s' cannot get the layout %s: "
              "its memory is also accessed as '%s', of another shape or type, %s",
              q->memory->from->name, irl_map_text(q->cx, q->memory->map), q->view->name, why);
    return irl__hint(q->cx, "access '%s' itself, or leave its layout out", q->memory->from->name);
}

/* The view's own state: a map from its index, and its shape in the new memory. */
static int irl__views_compose(const irl__view_question *q, irl__layouts_state *own)
{
    irl_ctx         *cx = q->cx;
    const irl_map   *map = q->memory->map;
    const irl_expr  *count = irl_expr_index(cx, q->count), *out[IRL_MAX_RANK];
    const irl_expr **shape = IRL__NEW(cx, const irl_expr *, IRL_MAX_RANK);
    int rank = map->output_count;
    const irl_expr *n = q->is_parts ? irl__floordiv(cx, q->number, count)
                                    : irl__mul(cx, q->number, count);
    if (!shape || !irl__views_place(q, n, out)) return 0;
    memcpy(shape, q->memory->shape, (size_t)rank * sizeof *shape);
    if (!irl__views_is_together(q, out, 0)) {
        if (!irl__ok(cx)) return 0;
        if (map->separator_count)
            return irl__views_refuse(q, "whose elements are not known to be in one row");
        const int known = irl__views_is_together(q, out, 1) ? 1 : irl__views_look_at_all(q);
        if (known < 0)
            return irl__views_refuse(q, "and the layout is not known to keep together what an "
                                        "element of that is made of");
        if (!known) return 0;
        out[0] = irl__row_major(cx, rank, q->memory->shape, out);
        shape[0] = irl__product(cx, rank, q->memory->shape);
        rank = 1;
    }
    if (q->count > 1 && rank == 0) {
        out[0] = irl_expr_index(cx, 0);
        shape[0] = irl_expr_index(cx, 1);
        rank = 1;
    }
    if (q->count > 1) {
        const irl_expr **last = &out[rank - 1], **extent = &shape[rank - 1];
        *last = q->is_parts ? irl__add(cx, irl__mul(cx, *last, count),
                                       irl__floormod(cx, q->number, count))
                            : irl__floordiv(cx, *last, count);
        *last = irl__simplify(q->an, *last);
        *extent = q->is_parts ? irl__mul(cx, *extent, count) : irl__floordiv(cx, *extent, count);
        *extent = irl__simplify_alone(cx, *extent);
    }
    own->shape = shape;
    own->map = irl__ok(cx) ? irl__map_make(cx, q->view->rank, q->index, rank, out,
                                           map->separator_count, map->separators, map->loc)
                           : NULL;
    return own->map != NULL;
}

/* How many elements of one are one of the other. 0: neither is made of the other, or they are of
   bits and not the same. */
static int irl__views_count(irl__view_question *q)
{
    const irl_buffer *from = q->memory->from;
    q->count = 1;
    if (q->view->bits || from->bits)
        return q->view->bits == from->bits && q->view->bit_order == from->bit_order &&
               irl_type_equal(q->view->type, from->type) && !q->view->strides && !q->view->offset;
    const int64_t     theirs = (int64_t)irl__type_bytes(from->type),
                      mine = (int64_t)irl__type_bytes(q->view->type);
    q->is_parts = mine < theirs;
    q->count = q->is_parts ? theirs / mine : mine / theirs;
    return (q->is_parts ? mine : theirs) * q->count == (q->is_parts ? theirs : mine);
}

int irl__layouts_view(irl__layouts_round *round, const irl__layouts_state *memory,
                      const irl_buffer *view)
{
    irl_ctx            *cx = round->f->cx;
    irl__view_question  q;
    irl__layouts_state *own = IRL__SCRATCH(cx, irl__layouts_state, 1);
    if (!own) return 0;
    memset(own, 0, sizeof *own);
    memset(&q, 0, sizeof q);
    own->f = round->f;
    own->how = round->how;
    own->layout = memory->layout;
    own->from = view;
    own->is_view = 1;
    q.cx = cx;
    q.memory = memory;
    q.view = view;
    if (memory->from->strides || memory->from->offset)
        return irl__views_refuse(&q, "and has strides or an offset itself");
    if (!irl__views_count(&q))
        return irl__views_refuse(&q, view->bits || memory->from->bits
                                         ? "by bits, which a layout could move apart: only a view "
                                           "of the same elements, without strides, can follow it"
                                         : "whose elements are neither whole elements of that "
                                           "memory nor whole parts of them");
    q.an = irl__analyzer_begin(cx);
    q.member = irl_expr_var(cx, "member", irl_type_of(IRL_INDEX, 1));
    if (!q.an || !q.member || !irl__path_params(q.an, round->f) ||
        !irl__bind_range(q.an, q.member, 0, q.count - 1))
        return 0;
    for (int k = 0; k < view->rank; k++) {
        q.index[k] = irl_expr_var(cx, irl__format(cx, "i%d", k), irl_type_of(IRL_INDEX, 1));
        if (!q.index[k] ||
            !irl__bind_extent(q.an, q.index[k], irl_expr_index(cx, 0), view->shape[k]))
            return 0;
    }
    const irl_expr *fact; /* fit_views asserts there that views fit */
    for (int k = 0; (fact = irl__stmt_next_fact(round->f->body, &k)) != NULL;)
        if (!(fact->flags & IRL__HAS_MEMORY)) (void)irl__fact(q.an, fact);
    q.number = irl__views_number_of(&q);
    if (!irl__ok(cx)) return 0;
    if (!irl__views_fits(&q))
        return irl__ok(cx) && irl__views_refuse(&q, "which is not known to be within it");
    return irl__views_compose(&q, own) && irl__ptr_map_put(cx, &round->of_view, view, own);
}
