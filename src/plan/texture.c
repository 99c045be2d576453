/* texture.c - how a tensor can be stored in an image of RGBA texels: the known conventions, and
   layouts searched for the shape; which of them fit the device, and the best.

   needs     map's constructors, arith
   promises  every candidate's map is injective on the shape, layers and rows before its separators,
             columns after them, the texel last; width, height, layers and waste are exact; a
             candidate that does not fit says why, with numbers
   cost      candidates times the nodes of an index expression; at most IRL__TEXTURE_MOST candidates

   The channel axis c is cut into slices of 4, or of as many as 128 bits hold: a texel holds one
   slice at one point of the other axes. A layout says which of the axes (the slices among them)
   count rows and which count columns. Where no such division fits, the slices themselves are
   divided: c/(4k) counts rows and c/4 % k columns. */
#include "plan.h"

enum {
    IRL__TEXTURE_MOST = 1024,      /* candidates */
    /* up to so many axes besides the channel, every division is tried; beyond, only cuts in
       order */
    IRL__TEXTURE_FREE_AXES = 5,
    IRL__TEXTURE_MOST_AXES = 12,
    /* where the question does not say: what OpenCL 1.2 promises */
    IRL__TEXTURE_SIDE = 8192,      /* of an image */
    IRL__TEXTURE_TEXELS = 65536,   /* over a buffer */
    IRL__TEXTURE_LAYERS = 2048,    /* of an array */
    IRL__TEXTURE_VOLUME = 2048     /* a side of a volume */
};

/* One digit of a row or column number: axis / divide % modulo; modulo 0: without a remainder. */
typedef struct irl__texture_digit {
    int     axis;
    int64_t divide, modulo;
} irl__texture_digit;

typedef enum irl__texture_side_no {
    IRL__SIDE_ROWS,
    IRL__SIDE_COLUMNS,
    IRL__SIDE_LAYERS,
    IRL__SIDES
} irl__texture_side_no;

typedef struct irl__texture_plan {
    const char        *name;  /* NULL: made from the digits */
    irl__image         image; /* the sides that it has not are empty */
    int                count[IRL__SIDES];
    irl__texture_digit digit[IRL__SIDES][IRL_MAX_RANK + 1];
} irl__texture_plan;

typedef struct irl__texture_search {
    irl_ctx               *cx;
    irl_texture_options    q;
    int64_t                lanes; /* of a texel */
    int64_t                slices;
    const irl_expr       **inputs;
    irl__analyzer         *an;
    irl_texture_candidate *list;
    int                    count;
} irl__texture_search;

/* ------------------------------------------------------------------ the conventions

   In a row: < all axes of the packed shape but its last, > the last; ^ the first, + all others; *
   all; ( all but the last two,
   - the last but one; 0 1 2 the axes besides the channel, in order (batch, height, width of
     activations; input, height, width
   of filters); s the slices. The packed shape is the logical one with the channel axis replaced by
   its slices. */

typedef enum irl__texture_use {
    IRL__FOR_ANY,
    IRL__FOR_THREE,
    IRL__FOR_ACTIVATIONS,
    IRL__FOR_FILTERS
} irl__texture_use;
typedef struct irl__texture_row {
    const char *name, *layers, *rows, *columns;
    irl__image  image;
    /* three axes or more; the last two, of four: the channel is the first of filters, not the first
       of activations */
    irl__texture_use use;
} irl__texture_row;

static const irl__texture_row irl__texture_conventions[] = {
    { "texture", "", "<", ">", IRL__IMAGE_2D, IRL__FOR_ANY },
    { "texture:weight", "", "^", "+", IRL__IMAGE_2D, IRL__FOR_ANY },
    { "texture:nhwc", "", "01", "2s", IRL__IMAGE_2D, IRL__FOR_ACTIVATIONS },
    { "mnn", "", "01", "s2", IRL__IMAGE_2D, IRL__FOR_ACTIVATIONS },
    { "paddle", "", "01", "s2", IRL__IMAGE_2D, IRL__FOR_ACTIVATIONS },
    { "tflite", "", "1s", "20", IRL__IMAGE_2D, IRL__FOR_ACTIVATIONS },
    { "mnn:filter", "", "s12", "0", IRL__IMAGE_2D, IRL__FOR_FILTERS },
    { "texture:buffer", "", "", "*", IRL__IMAGE_LINE, IRL__FOR_ANY },
    { "tflite:buffer", "", "", "s120", IRL__IMAGE_LINE, IRL__FOR_ACTIVATIONS },
    { "texture:array", "(", "-", ">", IRL__IMAGE_ARRAY, IRL__FOR_THREE },
    { "tflite:array", "s", "1", "20", IRL__IMAGE_ARRAY, IRL__FOR_ACTIVATIONS },
    { "texture:volume", "(", "-", ">", IRL__IMAGE_VOLUME, IRL__FOR_THREE },
    { "tflite:volume", "s", "1", "20", IRL__IMAGE_VOLUME, IRL__FOR_ACTIVATIONS },
};

static int irl__texture_is_for(const irl__texture_search *s, irl__texture_use use)
{
    if (use == IRL__FOR_THREE) return s->q.shape.rank >= 3;
    return use == IRL__FOR_ANY ||
           (s->q.shape.rank == 4 && (use == IRL__FOR_FILTERS) == (s->q.channel == 0));
}

static void irl__texture_push(irl__texture_plan *plan, int side, int axis, int64_t divide,
                              int64_t modulo)
{
    irl__texture_digit *d = &plan->digit[side][plan->count[side]++];
    d->axis = axis;
    d->divide = divide;
    d->modulo = modulo;
}

/* Axes first to end - 1 of the packed shape. */
static void irl__texture_packed(const irl__texture_search *s, irl__texture_plan *plan, int side,
                                int first, int end)
{
    for (int k = first; k < end; k++)
        irl__texture_push(plan, side, k, k == s->q.channel ? s->lanes : 1, 0);
}

static void irl__texture_fill_side(const irl__texture_search *s, irl__texture_plan *plan, int side,
                                   const char *digits)
{
    const int rank = s->q.shape.rank;
    for (; *digits; digits++) {
        int first = 0, end = rank;
        switch (*digits) {
        case '<': end = rank - 1; break;
        case '>': first = rank - 1; break;
        case '^': end = 1; break;
        case '+': first = 1; break;
        case '*': break;
        case '(': end = rank - 2; break;
        case '-': first = rank - 2, end = rank - 1; break;
        case 's': first = s->q.channel, end = first + 1; break;
        default:
            first = *digits - '0' + (*digits - '0' >= s->q.channel);
            end = first + 1;
        }
        irl__texture_packed(s, plan, side, first, end);
    }
}

/* ------------------------------------------------------------------ one plan */

static int64_t irl__texture_extent(const irl__texture_search *s, irl__texture_digit d)
{
    return d.modulo ? d.modulo : (s->q.shape.extent[d.axis] - 1) / d.divide + 1;
}

static const irl_expr *irl__texture_value(const irl__texture_search *s, irl__texture_digit d)
{
    const irl_expr *e = s->inputs[d.axis];
    if (d.divide > 1) e = irl__floordiv(s->cx, e, irl_expr_index(s->cx, d.divide));
    return d.modulo ? irl__floormod(s->cx, e, irl_expr_index(s->cx, d.modulo)) : e;
}

/* The product of a side's extents; -1 if it does not fit 63 bits. */
static int64_t irl__texture_side(const irl__texture_search *s, const irl__texture_plan *plan,
                                 int side)
{
    int64_t product = 1;
    for (int k = 0; k < plan->count[side]; k++)
        if (!irl__mul64(product, irl__texture_extent(s, plan->digit[side][k]), &product))
            return -1;
    return product;
}

/* The sides of a kind of image as its groups of axes, in order. */
static const int irl__texture_groups[IRL__IMAGE_VOLUME + 1][IRL__SIDES + 1] = {
    { -1, -1, -1, -1 },
    { IRL__SIDE_COLUMNS, -1, -1, -1 },
    { IRL__SIDE_ROWS, IRL__SIDE_COLUMNS, -1, -1 },
    { IRL__SIDE_LAYERS, IRL__SIDE_ROWS, IRL__SIDE_COLUMNS, -1 },
    { IRL__SIDE_LAYERS, IRL__SIDE_ROWS, IRL__SIDE_COLUMNS, -1 },
};

static const irl_map *irl__texture_map(const irl__texture_search *s, const irl__texture_plan *plan)
{
    const irl_expr *outputs[IRL_MAX_RANK + 4];
    int             k, n = 0, separators[IRL__SIDES], count = 0;
    for (const int *side = irl__texture_groups[plan->image]; *side >= 0; side++) {
        if (n) separators[count++] = n;
        for (k = 0; k < plan->count[*side]; k++)
            outputs[n++] = irl__texture_value(s, plan->digit[*side][k]);
        /* an image of one row */
        if (*side != IRL__SIDE_COLUMNS && plan->count[*side] == 0)
            outputs[n++] = irl_expr_index(s->cx, 0);
    }
    outputs[n++] = irl__floormod(s->cx, s->inputs[s->q.channel], irl_expr_index(s->cx, s->lanes));
    for (k = 0; k < n; k++)
        if (!outputs[k]) return NULL;
    return irl__map_make(s->cx, s->q.shape.rank, s->inputs, n, outputs, count, separators,
                         irl__nowhere());
}

static int irl__texture_operators(const irl_expr *e)
{
    int count = e->count > 0;
    for (uint32_t k = 0; k < e->count; k++) count += irl__texture_operators(e->a[k]);
    return count;
}

/* Operators that it takes to compute row, column and layer, simplified for this shape. -1 on
   failure. */
static int irl__texture_cost(const irl__texture_search *s, const irl__texture_plan *plan)
{
    int side, k, cost = 0;
    for (side = 0; side < IRL__SIDES; side++) {
        const irl_expr *sum = irl_expr_index(s->cx, 0);
        for (k = 0; k < plan->count[side]; k++) {
            const irl_expr *extent =
                irl_expr_index(s->cx, irl__texture_extent(s, plan->digit[side][k]));
            sum = irl__add(s->cx, irl__mul(s->cx, sum, extent),
                           irl__texture_value(s, plan->digit[side][k]));
        }
        sum = sum ? irl__simplify(s->an, sum) : NULL;
        if (!sum) return -1;
        cost += irl__texture_operators(sum);
    }
    return cost;
}

/* "n,c/16,h|c/4%4,w": the digits as they stand in the map. */
static const char *irl__texture_name(const irl__texture_search *s, const irl__texture_plan *plan)
{
    irl__text t;
    irl__text_init(&t, s->cx);
    for (int side = 0; side < 2; side++) {
        if (side) irl__text_putc(&t, '|');
        for (int k = 0; k < plan->count[side]; k++) {
            irl__texture_digit d = plan->digit[side][k];
            irl__textf(&t, "%s%s", k ? "," : "", s->inputs[d.axis]->u.name);
            if (d.divide > 1) irl__textf(&t, "/%l", d.divide);
            if (d.modulo) irl__textf(&t, "%%%l", d.modulo);
        }
    }
    return irl__text_done(&t);
}

static const char *irl__texture_reason(const irl__texture_search *s, irl__image image,
                                       const irl_texture_candidate *c)
{
    static const  char *const names[3] = { "width", "height", "layers" };
    const int64_t size[3] = { c->width, c->height, c->layers };
    int64_t       most[3];
    irl__text     t;
    irl__text_init(&t, s->cx);
    /* The most columns, rows and layers of a kind of image. */
    most[0] = image == IRL__IMAGE_LINE     ? s->q.max_texels
              : image == IRL__IMAGE_VOLUME ? s->q.max_volume
                                           : s->q.max_width;
    most[1] = image == IRL__IMAGE_VOLUME ? s->q.max_volume : s->q.max_height;
    most[2] = image == IRL__IMAGE_VOLUME ? s->q.max_volume : s->q.max_layers;
    if (c->width < 0 || c->height < 0 || c->layers < 0)
        irl__text_puts(&t, "its size does not fit 63 bits");
    else if (!irl__texel_has_format(s->q.element)) {
        irl__text_puts(&t, "images have no format for ");
        irl__type_text(&t, s->q.element);
    } else
        for (int k = 0; k < 3; k++)
            if (size[k] > most[k])
                irl__textf(&t, "%s%s %l is over the limit of %l", t.length ? "; " : "", names[k],
                           size[k], most[k]);
    return irl__text_done(&t);
}

/* Values that no point reaches. -1 where that overflows. */
static int64_t irl__texture_waste(const irl__texture_search *s, const irl_texture_candidate *c)
{
    int64_t cells, points = 1;
    for (int k = 0; k < s->q.shape.rank; k++)
        if (!irl__mul64(points, s->q.shape.extent[k], &points)) return -1;
    if (c->width < 0 || c->height < 0 || c->layers < 0 ||
        !irl__mul64(c->width, c->height, &cells) || !irl__mul64(cells, c->layers, &cells) ||
        !irl__mul64(cells, s->lanes, &cells))
        return -1;
    return cells - points;
}

static int irl__texture_add(irl__texture_search *s, const irl__texture_plan *plan)
{
    irl_texture_candidate c;
    memset(&c, 0, sizeof c);
    c.name = plan->name ? plan->name : irl__texture_name(s, plan);
    for (int k = 0; c.name && k < s->count; k++)
        if (strcmp(s->list[k].name, c.name) == 0) return 1;
    c.map = irl__texture_map(s, plan);
    c.scope = plan->image == IRL__IMAGE_LINE     ? IRL_SCOPE_TEXTURE_BUFFER
              : plan->image == IRL__IMAGE_VOLUME ? IRL_SCOPE_TEXTURE_VOLUME
                                                 : IRL_SCOPE_TEXTURE;
    c.height = irl__texture_side(s, plan, IRL__SIDE_ROWS);
    c.width = irl__texture_side(s, plan, IRL__SIDE_COLUMNS);
    c.layers = irl__texture_side(s, plan, IRL__SIDE_LAYERS);
    c.waste = irl__texture_waste(s, &c);
    c.cost = irl__texture_cost(s, plan);
    c.reason = irl__texture_reason(s, plan->image, &c);
    if (!c.name || !c.map || c.cost < 0 || !c.reason) return 0;
    c.fits = c.reason[0] == '\0';
    if (s->count == IRL__TEXTURE_MOST) return 1;
    if (!IRL__PUSH(s->cx, s->list, c)) return 0;
    s->count++;
    return 1;
}

/* ------------------------------------------------------------------ all plans */

static int irl__texture_fixed(irl__texture_search *s)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__texture_conventions); k++) {
        const irl__texture_row *row = &irl__texture_conventions[k];
        irl__texture_plan       plan;
        if (!irl__texture_is_for(s, row->use)) continue;
        memset(&plan, 0, sizeof plan);
        plan.name = row->name;
        plan.image = row->image;
        irl__texture_fill_side(s, &plan, IRL__SIDE_LAYERS, row->layers);
        irl__texture_fill_side(s, &plan, IRL__SIDE_ROWS, row->rows);
        irl__texture_fill_side(s, &plan, IRL__SIDE_COLUMNS, row->columns);
        if (!irl__texture_add(s, &plan)) return 0;
    }
    return 1;
}

/* Which side an axis besides the channel goes to. The last axis is the lowest bit: so the first
   plans tried keep the order. */
static int irl__texture_side_of(const irl__texture_search *s, unsigned assignment, int axis)
{
    return (int)((assignment >> (s->q.shape.rank - 1 - axis)) & 1);
}

/* The slices go to `slice_side`, or, divided, to both. */
static int irl__texture_assign(irl__texture_search *s, unsigned assignment, int slice_side,
                               int64_t split)
{
    irl__texture_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.image = IRL__IMAGE_2D;
    for (int k = 0; k < s->q.shape.rank; k++) {
        if (k != s->q.channel || !split) {
            irl__texture_packed(
                s, &plan, k == s->q.channel ? slice_side : irl__texture_side_of(s, assignment, k),
                k, k + 1);
        } else {
            irl__texture_push(&plan, 0, k, s->lanes * split, 0);
            irl__texture_push(&plan, 1, k, s->lanes, split);
        }
    }
    return irl__texture_add(s, &plan);
}

/* Slices divided between rows and columns: by every divisor, and by the most that fits in the
   columns, which may waste. */
static int irl__texture_splits(irl__texture_search *s, unsigned assignment)
{
    int64_t k, columns = 1;
    for (k = 2; k < s->slices && k <= 64; k++)
        if (s->slices % k == 0 && !irl__texture_assign(s, assignment, 0, k)) return 0;
    for (int axis = 0; axis < s->q.shape.rank; axis++)
        if (axis != s->q.channel && irl__texture_side_of(s, assignment, axis) &&
            !irl__mul64(columns, s->q.shape.extent[axis], &columns))
            return 1;
    k = columns ? s->q.max_width / columns : 0;
    return k < 2 || k >= s->slices || irl__texture_assign(s, assignment, 0, k);
}

static int irl__texture_is_tried(const irl__texture_search *s, unsigned assignment)
{
    int k, seen = 0;
    /* the slices have a choice of their own */
    if (irl__texture_side_of(s, assignment, s->q.channel)) return 0;
    if (s->q.shape.rank - 1 <= IRL__TEXTURE_FREE_AXES) return 1;
    for (k = 0; k < s->q.shape.rank; k++) {
        if (k == s->q.channel) continue;
        if (seen && !irl__texture_side_of(s, assignment, k)) return 0;
        seen |= irl__texture_side_of(s, assignment, k);
    }
    return 1;
}

static int irl__texture_searched(irl__texture_search *s)
{
    unsigned assignment, end = 1u << s->q.shape.rank;
    for (assignment = 0; assignment < end; assignment++) {
        if (!irl__texture_is_tried(s, assignment)) continue;
        if (!irl__texture_assign(s, assignment, 0, 0) ||
            !irl__texture_assign(s, assignment, 1, 0) || !irl__texture_splits(s, assignment))
            return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ the best */

static int64_t irl__texture_longer(const irl_texture_candidate *c)
{
    return c->width > c->height ? c->width : c->height;
}

/* Two dimensions are what caches and tiles of textures are made for; a row over a buffer can be
   written everywhere, a volume not. */
static int irl__texture_rank(const irl_texture_candidate *c)
{
    if (c->scope == IRL_SCOPE_TEXTURE) return irl_map_separators(c->map, NULL, 0) == 1 ? 0 : 2;
    return c->scope == IRL_SCOPE_TEXTURE_BUFFER ? 1 : 3;
}

/* By kind, by waste, then by cost of the index, then the squarer; among equals the one listed
   first. Both fit. */
static int irl__texture_better(const irl_texture_candidate *a, const irl_texture_candidate *b)
{
    if (irl__texture_rank(a) != irl__texture_rank(b))
        return irl__texture_rank(a) < irl__texture_rank(b);
    if (a->waste != b->waste) return a->waste < b->waste;
    if (a->cost != b->cost) return a->cost < b->cost;
    return irl__texture_longer(a) < irl__texture_longer(b);
}

/* ------------------------------------------------------------------ the question */

static int64_t irl__texture_least(int64_t a, int64_t b) { return a < b ? a : b; }

static int irl__texture_ask_limits(irl__texture_search *s, const irl_texture_options *q)
{
    if (q->max_width < 0 || q->max_height < 0)
        return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "a limit of %l by %l texels allows no "
                         "image", q->max_width, q->max_height);
    if (q->max_texels < 0 || q->max_layers < 0 || q->max_volume < 0)
        return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "limits of %l texels over a buffer, %l "
                         "layers and volumes of side %l: a limit must not be negative",
                         q->max_texels, q->max_layers, q->max_volume);
    if (!q->max_width) s->q.max_width = IRL__TEXTURE_SIDE;
    if (!q->max_height) s->q.max_height = IRL__TEXTURE_SIDE;
    if (!q->max_texels) s->q.max_texels = IRL__TEXTURE_TEXELS;
    if (!q->max_layers) s->q.max_layers = IRL__TEXTURE_LAYERS;
    if (!q->max_volume)
        s->q.max_volume = irl__texture_least(IRL__TEXTURE_VOLUME,
                                             irl__texture_least(s->q.max_width, s->q.max_height));
    return 1;
}

static int irl__texture_ask(irl__texture_search *s, const irl_texture_options *q)
{
    s->q = *q;
    if (q->shape.rank < 1 || q->shape.rank > IRL__TEXTURE_MOST_AXES)
        return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "a texture holds a tensor of 1 to %d axes; "
                         "found %d", IRL__TEXTURE_MOST_AXES, q->shape.rank);
    if (!irl__shape_is_counted(s->cx, &s->q.shape, IRL__AS_TENSOR, "irl_texture_candidates",
                               irl__nowhere()))
        return 0;
    if (!q->has_channel) s->q.channel = q->shape.rank == 4 ? 1 : q->shape.rank - 1;
    s->q.has_channel = 1;
    if (s->q.channel < 0 || s->q.channel >= q->shape.rank)
        return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "there is no channel axis %d among %d axes",
                         q->channel, q->shape.rank);
    for (int k = 0; k < q->shape.rank; k++)
        if (s->q.shape.extent[k] < 1)
            return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "extent %d of the tensor is %l", k,
                             s->q.shape.extent[k]);
    if (!irl__texture_ask_limits(s, q)) return 0;
    if (!q->element.lanes) s->q.element = irl_type_of(IRL_F32, 1);
    s->lanes = s->q.element.lanes > 1 ? (int64_t)s->q.element.lanes : (int64_t)IRL__TEXEL_LANES;
    if (irl__texel_has_format(s->q.element) && !irl__texel_lanes_ok(s->q.element, (int)s->lanes))
        return IRL__FAIL(s->cx, IRL_ERROR_BAD_ARGUMENT, "a texel holds %d elements of %s, or %d; "
                         "found %l", IRL__TEXEL_LANES,
                         irl__type_cstr(s->cx, irl__type_with_lanes(s->q.element, 1)),
                         irl__texel_wide(s->q.element), s->lanes);
    s->slices = (s->q.shape.extent[s->q.channel] - 1) / s->lanes + 1;
    return 1;
}

/* n, c, h, w with the channel where it stands; i0, i1, ... and c for other ranks. */
static const char *irl__texture_axis_name(const irl__texture_search *s, int k, char text[8])
{
    int       rank = s->q.shape.rank, other = k < s->q.channel ? k : k - 1;
    irl__text t;
    if (k == s->q.channel) return "c";
    if (rank == 4) return other == 0 ? (s->q.channel == 0 ? "i" : "n") : other == 1 ? "h" : "w";
    if (rank == 3) return other == 0 ? "h" : "w";
    irl__text_init_fixed(&t, text, 8);
    irl__textf(&t, "i%d", k);
    return text;
}

static int irl__texture_bind(irl__texture_search *s)
{
    char text[8];
    s->inputs = IRL__NEW(s->cx, const irl_expr *, s->q.shape.rank);
    s->an = irl__analyzer_begin(s->cx);
    if (!s->inputs || !s->an) return 0;
    for (int k = 0; k < s->q.shape.rank; k++) {
        s->inputs[k] = irl_expr_var(s->cx, irl__texture_axis_name(s, k, text), irl__type_index());
        if (!s->inputs[k] || !irl__bind_range(s->an, s->inputs[k], 0, s->q.shape.extent[k] - 1))
            return 0;
    }
    return 1;
}

irl_texture_choice irl_texture_candidates(irl_ctx *cx, const irl_texture_options *question)
{
    irl_texture_choice  result;
    irl__texture_search s;
    int                 ok;
    memset(&result, 0, sizeof result);
    memset(&s, 0, sizeof s);
    result.chosen = -1;
    if (!cx || !question || !irl__ok(cx)) return result;
    s.cx = cx;
    irl__arena_mark mark = irl__scratch_begin(cx);
    ok = irl__texture_ask(&s, question) && irl__texture_bind(&s) && irl__texture_fixed(&s) &&
         irl__texture_searched(&s);
    irl__scratch_end(cx, mark);
    if (!ok) return result;
    result.options = s.q;
    result.count = s.count;
    result.list = s.list;
    int k, best = -1;
    for (k = 0; k < s.count; k++)
        if (s.list[k].fits && (best < 0 || irl__texture_better(&s.list[k], &s.list[best])))
            best = k;
    result.chosen = best;
    return result;
}
