/* lower_textures.c - accesses to images become loads and stores of whole texels.

   requires  layouts applied, no blocks; before flatten, where the innermost axis still stands alone
   maintains what is computed; loops over the lanes of a texel vanish into vectors
   breaks    loads and stores of texture buffers: none is left. Their buffers get the separators of their convention
   cost      linear in the function, times the lanes of a texel for a store that is built lane by lane
   source    seed 2, T0 (its two conventions, the automatic vectorization of the channel loop); DESIGN, semantics 8

   An image of axes (layers), (rows), (columns, lane) is read and written by texels, the elements that differ in the last axis
   alone: four, or as many as 128 bits hold. A load takes its lanes out of a texel. A store must write all at once. Where a loop over the lanes surrounds
   it, that loop becomes the innermost (each cell is still written by the same iterations in the same order, since a lane is
   one value of its variable) and is vectorized, or its values are computed one by one and put together. Where a
   condition leaves out lanes, these must hold nothing: padding of the layout, or memory that nothing else writes. */
#include "pass.h"

typedef struct irl__tex_state {
    irl_ctx        *cx;
    const irl_func *f;
    irl__analyzer  *an;
    irl__ptr_map    buffers; /* texture buffer -> itself with its separator */
    irl__ptr_map    owners;  /* data variable -> the first buffer seen on it */
    irl__ptr_map    filled;  /* data variable of a temporary -> the constant that all of it holds from the start */
} irl__tex_state;

static int irl__tex_is(const irl_buffer *b) { return irl__scope_is_image(b->scope); }

/* ------------------------------------------------------------------ buffers: the convention, and what no image can be */

/* Elements are texels where they have a texel's lanes; else the last axis is the texel. */
static int irl__tex_by_element(const irl_buffer *b) { return b->type.lanes != 1; }

/* Axes of rows, columns and so on. */
static int irl__tex_axes(const irl_buffer *b) { return b->rank - !irl__tex_by_element(b); }

static int irl__tex_refuse_lanes(irl_ctx *cx, const irl_buffer *b)
{
    const char *scope = irl__scope_text(b->scope), *type = irl__type_cstr(cx, irl__type_with_lanes(b->type, 1));
    int         wide = irl__texel_wide(b->type);
    irl__text   t;
    char        or_wide[64];
    irl__text_init_fixed(&t, or_wide, sizeof or_wide);
    if (wide != IRL__TEXEL_LANES && !b->texel) irl__textf(&t, ", or %d of %s,", wide, type);
    if (irl__tex_by_element(b))
        return irl__fail(cx, IRL_ERROR_BAD_TEXEL, b->loc, "'%s' in scope %s holds elements of %d lanes; a texel has %d%s", b->name, scope, (int)b->type.lanes,
                         IRL__TEXEL_LANES, or_wide);
    return irl__fail(cx, IRL_ERROR_BAD_TEXEL, b->loc, "the innermost extent of '%s' in scope %s must be %d%s; found %s", b->name, scope, irl__texel_lanes(b),
                     or_wide, b->rank ? irl_expr_text(cx, b->shape[b->rank - 1]) : "none");
}

/* One group of axes for each dimension, or enough axes for the scope's convention to make them. */
static int irl__tex_check_groups(irl_ctx *cx, const irl_buffer *b)
{
    int         groups = irl__image_coordinates(irl__image_of(b)), axes = irl__tex_axes(b);
    const char *scope = irl__scope_text(b->scope), *image = irl__image_text(irl__image_of(b));
    if (b->separator_count && b->separator_count != groups - 1)
        return irl__fail(cx, IRL_ERROR_UNSUPPORTED_RANK, b->loc, "'%s' has %d separators; an %s of scope %s has %d%s", b->name, b->separator_count, image, scope,
                         groups - 1, irl__scope_image(b->scope) == IRL__IMAGE_2D ? ", and an array of them 2" : "");
    if (!b->separator_count && axes < groups && !irl__image_is_flat(b) && groups > 1)
        return irl__fail(cx, IRL_ERROR_UNSUPPORTED_RANK, b->loc, "'%s' in scope %s has %d axes besides the texel; an %s has %d dimensions", b->name, scope, axes,
                         image, groups);
    return 1;
}

static int irl__tex_check(irl__tex_state *state, const irl_buffer *b)
{
    irl_ctx    *cx = state->cx;
    const char *scope = irl__scope_text(b->scope);
    if (!irl__texel_has_format(b->type))
        return irl__fail(cx, IRL_ERROR_IMAGE_FORMAT, b->loc, "'%s' in scope %s holds %s, for which images have no format", b->name, scope,
                         irl__type_cstr(cx, b->type));
    if (b->strides || b->offset) return irl__fail(cx, IRL_ERROR_UNSUPPORTED, b->loc, "'%s' in scope %s has strides or an offset; an image has rows", b->name, scope);
    if (b->separator_count > 2) return irl__tex_check_groups(cx, b);
    return irl__texel_measure(b) ? irl__tex_check_groups(cx, b) : irl__tex_refuse_lanes(cx, b);
}

/* All views of an image have its axes: a view of others would cut the rows elsewhere. */
static int irl__tex_same_view(irl__tex_state *state, const irl_buffer *b)
{
    const irl_buffer *owner = (const irl_buffer *)irl__ptr_map_get(&state->owners, b->data);
    int               k, same;
    if (!owner) return irl__ptr_map_put(state->cx, &state->owners, b->data, b);
    same = owner->rank == b->rank && irl_type_equal(owner->type, b->type) && owner->separator_count == b->separator_count &&
           owner->texel == b->texel;
    for (k = 0; same && k < b->rank; k++) same = owner->shape[k] == b->shape[k];
    for (k = 0; same && k < b->separator_count; k++) same = owner->separators[k] == b->separators[k];
    return same || irl__fail(state->cx, IRL_ERROR_BAD_ALIAS, b->loc, "'%s' sees the image '%s' with other axes or elements", b->name, owner->name);
}

/* Where the convention of its scope cuts the axes of a buffer. */
static int irl__tex_separators(const irl_buffer *b, int *separators)
{
    int groups = irl__image_coordinates(irl__image_of(b)), k;
    for (k = 0; k < groups - 1; k++) separators[k] = irl__tex_axes(b) - (groups - 1) + k;
    if (b->scope == IRL_SCOPE_TEXTURE_WEIGHT) separators[0] = 1;
    return groups - 1;
}

/* The buffer with its separators, the user's or by the scope's convention, and the lanes of its texel where these are not 4. */
static const irl_buffer *irl__tex_buffer(irl__rewriter *r, const irl_buffer *b)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    irl_buffer     *to;
    int             separators[IRL__TEXEL_AXES], lanes;
    if (!irl__tex_is(b)) return b;
    to = (irl_buffer *)irl__ptr_map_get(&state->buffers, b);
    if (to) return to;
    if (!irl__tex_check(state, b) || !irl__tex_same_view(state, b)) return NULL;
    lanes = irl__texel_measure(b);
    if ((b->separator_count || irl__image_of(b) == IRL__IMAGE_LINE) && lanes == irl__texel_lanes(b))
        return irl__ptr_map_put(r->cx, &state->buffers, b, b) ? b : NULL;
    to = irl__buffer_copy(r->cx, b);
    if (!to) return NULL;
    if (lanes != irl__texel_lanes(b)) to->texel = lanes;
    if (!b->separator_count) {
        to->separator_count = irl__tex_separators(b, separators);
        to->separators = (const int *)irl__copy(r->cx, separators, (size_t)to->separator_count, sizeof *separators);
        if (!to->separators) return NULL;
    }
    return irl__ptr_map_put(r->cx, &state->buffers, b, to) && irl__ptr_map_put(r->cx, &state->buffers, to, to) ? to : NULL;
}

/* ------------------------------------------------------------------ where an access goes */

typedef struct irl__tex_place {
    const irl_expr *at[IRL__TEXEL_AXES]; /* column, row, layer: as many as the image has dimensions, the others NULL */
    const irl_expr *lane;                /* NULL: the whole texel */
} irl__tex_place;

/* Row-major over axes [first, end), whose indices are scalars. */
static const irl_expr *irl__tex_digits(irl__tex_state *state, const irl_buffer *b, int first, int end, const irl_expr *const *indices)
{
    const irl_expr *sum = irl_idx(state->cx, 0);
    for (; first < end; first++) sum = irl__add(state->cx, irl__mul(state->cx, sum, b->shape[first]), indices[first]);
    return sum ? irl__simplify(state->an, sum) : NULL;
}

/* The column and the lane that the last axes tell. */
static int irl__tex_column(irl__tex_state *state, const irl_buffer *b, int first, const irl_expr *const *indices, irl__tex_place *p)
{
    irl_ctx        *cx = state->cx;
    const irl_expr *last = indices[b->rank - 1], *lanes = irl_idx(cx, irl__texel_lanes(b));
    p->lane = NULL;
    if (irl__tex_by_element(b)) {
        p->at[0] = irl__tex_digits(state, b, first, b->rank, indices);
        return p->at[0] != NULL;
    }
    if (irl__image_is_flat(b)) {
        p->at[0] = irl__simplify(state->an, irl__floordiv(cx, last, lanes));
        p->lane = irl__simplify(state->an, irl__floormod(cx, last, lanes));
    } else {
        p->at[0] = irl__tex_digits(state, b, first, b->rank - 1, indices);
        p->lane = irl__simplify(state->an, last);
    }
    return p->at[0] && p->lane;
}

/* The place of the element at scalar indices. */
static int irl__tex_place_of(irl__tex_state *state, const irl_buffer *b, const irl_expr *const *indices, irl__tex_place *p)
{
    int group, first = 0, lanes = irl__texel_lanes(b);
    memset(p, 0, sizeof *p);
    for (group = 0; group < b->separator_count; first = b->separators[group++]) {
        const irl_expr **at = &p->at[b->separator_count - group];
        *at = irl__tex_digits(state, b, first, b->separators[group], indices);
        if (!*at) return 0;
    }
    if (!irl__tex_column(state, b, first, indices, p)) return 0;
    return !p->lane || p->lane->op != IRL_OP_INT || (p->lane->u.i >= 0 && p->lane->u.i < lanes) ||
           irl__fail(state->cx, IRL_ERROR_OUT_OF_BOUNDS, irl__nowhere(), "lane %l of a texel of '%s', which has %d", p->lane->u.i, b->name, lanes);
}

/* Lane k of an index. */
static const irl_expr *irl__tex_index_lane(irl__tex_state *state, const irl_expr *e, uint32_t k)
{
    irl_ctx *cx = state->cx;
    if (e->type.lanes == 1) return e;
    if (e->op == IRL_OP_RAMP) return irl__simplify(state->an, irl__add(cx, e->a[0], irl__mul(cx, e->a[1], irl_idx(cx, (int64_t)k))));
    if (e->op == IRL_OP_BROADCAST && e->a[0]->type.lanes == 1) return e->a[0];
    return irl_op2(cx, IRL_OP_LANE, e, irl_idx(cx, (int64_t)k));
}

/* The places of all lanes of an access; scalar rows and columns first. */
static int irl__tex_places(irl__tex_state *state, const irl_buffer *b, const irl_expr *const *indices, uint32_t *count, irl__tex_place *places)
{
    const irl_expr *scalar[IRL_MAX_RANK];
    uint32_t        k;
    memcpy(scalar, indices, (size_t)b->rank * sizeof *scalar);
    *count = indices[b->rank - 1]->type.lanes;
    for (k = 0; k < *count; k++) {
        scalar[b->rank - 1] = irl__tex_index_lane(state, indices[b->rank - 1], k);
        if (!scalar[b->rank - 1] || !irl__tex_place_of(state, b, scalar, &places[k])) return 0;
    }
    return 1;
}

static int irl__tex_one_texel(const irl__tex_place *places, uint32_t count)
{
    uint32_t k;
    for (k = 1; k < count; k++)
        if (memcmp(places[k].at, places[0].at, sizeof places[0].at) != 0) return 0;
    return 1;
}

/* ------------------------------------------------------------------ loads */

/* The lanes as numbers; false if one is not constant. */
static int irl__tex_constant_lanes(const irl__tex_place *places, uint32_t count, int *picks)
{
    uint32_t k;
    for (k = 0; k < count; k++) {
        if (!places[k].lane || places[k].lane->op != IRL_OP_INT) return 0;
        picks[k] = (int)places[k].lane->u.i;
    }
    return 1;
}

static const irl_expr *irl__tex_load_place(irl__tex_state *state, const irl_buffer *b, const irl__tex_place *p)
{
    const irl_expr *texel = irl__texel_load(state->cx, b, p->at);
    return p->lane ? irl_op2(state->cx, IRL_OP_LANE, texel, p->lane) : texel;
}

static const irl_expr *irl__tex_load(irl__tex_state *state, const irl_buffer *b, const irl_expr *const *indices)
{
    irl__tex_place  places[IRL_MAX_LANES];
    const irl_expr *parts[IRL_MAX_LANES], *texel;
    int             picks[IRL_MAX_LANES];
    uint32_t        count, k, lanes = (uint32_t)irl__texel_lanes(b), each = irl__tex_by_element(b) ? lanes : 1;
    if (!irl__tex_places(state, b, indices, &count, places)) return NULL;
    if (count == 1) return irl__tex_load_place(state, b, &places[0]);
    if (irl__tex_one_texel(places, count) && irl__tex_constant_lanes(places, count, picks)) {
        texel = irl__texel_load(state->cx, b, places[0].at);
        for (k = 0; k < count && picks[k] == (int)k; k++) {}
        if (count == lanes && k == count) return texel;
        return irl_shuffle(state->cx, 1, &texel, (int)count, picks);
    }
    for (k = 0; k < count; k++) {
        parts[k] = irl__tex_load_place(state, b, &places[k]);
        if (!parts[k]) return NULL;
    }
    for (k = 0; k < count * each; k++) picks[k] = (int)k;
    return irl_shuffle(state->cx, (int)count, parts, (int)(count * each), picks);
}

/* Lanes of one texel, put together one by one: the texel, its lanes picked. */
static const irl_expr *irl__tex_picked(irl__tex_state *state, const irl_expr *e)
{
    const irl_expr *texel = e->a[0]->op == IRL_OP_LANE ? e->a[0]->a[0] : NULL;
    int             picks[IRL_MAX_LANES];
    uint32_t        k;
    if (!texel || irl__texel_call_of(texel) == IRL__TEXEL_NO_CALL) return e;
    for (k = 0; k < e->count; k++)
        if (e->a[k]->op != IRL_OP_LANE || e->a[k]->a[0] != texel || e->a[k]->a[1]->op != IRL_OP_INT) return e;
    for (k = 0; k < e->type.lanes; k++) picks[k] = (int)e->a[e->u.picks[k]]->a[1]->u.i; /* each operand is one lane */
    return irl_shuffle(state->cx, 1, &texel, (int)e->type.lanes, picks);
}

static const irl_expr *irl__tex_expr(irl__rewriter *r, const irl_expr *e)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_expr   *indices[IRL_MAX_RANK];
    const irl_buffer *b;
    uint32_t          k;
    if (!(e->flags & IRL__HAS_MEMORY)) return e;
    if (e->op != IRL_OP_LOAD || !irl__tex_is(e->u.buffer)) {
        e = irl__rewrite_expr_children(r, e);
        return e && e->op == IRL_OP_SHUFFLE ? irl__tex_picked(state, e) : e;
    }
    b = irl__tex_buffer(r, e->u.buffer);
    for (k = 0; b && k < e->count; k++) {
        indices[k] = irl__rewrite_expr(r, e->a[k]);
        if (!indices[k]) return NULL;
    }
    return b ? irl__tex_load(state, b, indices) : NULL;
}

/* ------------------------------------------------------------------ stores of whole texels */

typedef struct irl__tex_reading {
    const irl_expr *data;
    int             found;
} irl__tex_reading;

static int irl__tex_see_memory(irl__visitor *v, const irl_expr *e)
{
    irl__tex_reading *search = (irl__tex_reading *)v->user;
    search->found |= (e->op == IRL_OP_LOAD && e->u.buffer->data == search->data) || e == search->data;
    return (e->flags & (IRL__HAS_MEMORY | IRL__HAS_VAR)) != 0;
}

static int irl__tex_reads(const irl_expr *e, const irl_expr *data)
{
    irl__tex_reading search;
    irl__visitor     v;
    memset(&v, 0, sizeof v);
    search.data = data;
    search.found = 0;
    v.user = &search;
    v.expr = irl__tex_see_memory;
    irl__visit_expr(&v, e);
    return search.found;
}

static const irl_stmt *irl__tex_refuse_partial(irl__tex_state *state, const irl_stmt *s)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = s->u.store.buffer;
    if (irl__tex_reads(s->u.store.value, b->data))
        irl__fail(cx, IRL_ERROR_IMAGE_READ_WRITE, s->loc, "image '%s' is read where it is written", b->name);
    else
        irl__fail(cx, IRL_ERROR_PARTIAL_TEXEL, s->loc, "a store writes %s of the %d lanes of a texel of '%s': [..., %s]",
                  b->rank && s->u.store.indices[b->rank - 1]->type.lanes > 1 ? "some" : "one", irl__texel_measure(b), b->name,
                  b->rank ? irl_expr_text(cx, s->u.store.indices[b->rank - 1]) : "");
    return NULL;
}

/* The value in the order of the lanes; NULL where the lanes are not those of one texel, each once. */
static const irl_expr *irl__tex_ordered(irl__tex_state *state, const irl_buffer *b, const irl_expr *value, const irl__tex_place *places, uint32_t count)
{
    int picks[IRL_MAX_LANES], order[IRL_MAX_LANES], k, lanes = irl__texel_lanes(b);
    if (count != (uint32_t)lanes || !irl__tex_one_texel(places, count) || !irl__tex_constant_lanes(places, count, picks)) return NULL;
    for (k = 0; k < lanes; k++) order[k] = -1;
    for (k = 0; k < lanes; k++) {
        if (order[picks[k]] >= 0) return NULL;
        order[picks[k]] = k;
    }
    for (k = 0; k < lanes && order[k] == k; k++) {}
    return k == lanes ? value : irl_shuffle(state->cx, 1, &value, lanes, order);
}

/* A store whose index has all its lanes already. */
static const irl_stmt *irl__tex_store(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = irl__tex_buffer(r, s->u.store.buffer);
    const irl_expr   *indices[IRL_MAX_RANK], *value;
    irl__tex_place    places[IRL_MAX_LANES];
    uint32_t          count;
    int               k;
    for (k = 0; b && k < b->rank; k++) {
        indices[k] = irl__rewrite_expr(r, s->u.store.indices[k]);
        if (!indices[k]) return NULL;
    }
    value = b ? irl__rewrite_expr(r, s->u.store.value) : NULL;
    if (!value || !irl__tex_places(state, b, indices, &count, places)) return NULL;
    if (!irl__tex_by_element(b)) value = irl__tex_ordered(state, b, value, places, count);
    else if (count != 1) value = NULL;
    if (value) return irl__texel_store(state->cx, b, places[0].at, value, s->loc);
    return irl__ok(state->cx) ? irl__tex_refuse_partial(state, s) : NULL;
}

/* ------------------------------------------------------------------ what a loop's variable is to the images in it */

typedef struct irl__tex_uses {
    const irl_expr *var;
    const irl_stmt *store;    /* one whose lane follows the variable */
    int             has_load; /* a load whose lane follows it */
    int             stores;   /* of all kinds, inside */
    int             others;   /* stores into images whose lane does not follow it */
    int             lanes;    /* of the texels whose lanes follow it; -1: not all the same */
} irl__tex_uses;

static int irl__tex_follows(const irl_buffer *b, const irl_expr *const *indices, const irl_expr *var)
{
    return irl__tex_is(b) && !irl__tex_by_element(b) && b->rank > 0 && irl__expr_uses_var(indices[b->rank - 1], var);
}

static void irl__tex_note_lanes(irl__tex_uses *uses, const irl_buffer *b)
{
    int lanes = irl__texel_measure(b);
    uses->lanes = uses->lanes && uses->lanes != lanes ? -1 : lanes;
}

static int irl__tex_see_expr(irl__visitor *v, const irl_expr *e)
{
    irl__tex_uses *uses = (irl__tex_uses *)v->user;
    if (e->op == IRL_OP_LOAD && irl__tex_follows(e->u.buffer, e->a, uses->var)) {
        uses->has_load = 1;
        irl__tex_note_lanes(uses, e->u.buffer);
    }
    return (e->flags & IRL__HAS_MEMORY) != 0;
}

static int irl__tex_see_stmt(irl__visitor *v, const irl_stmt *s)
{
    irl__tex_uses *uses = (irl__tex_uses *)v->user;
    if (s->kind != IRL__STORE) return 1;
    uses->stores++;
    if (irl__tex_follows(s->u.store.buffer, s->u.store.indices, uses->var)) {
        uses->store = s;
        irl__tex_note_lanes(uses, s->u.store.buffer);
    } else uses->others += irl__tex_is(s->u.store.buffer);
    return 1;
}

static irl__tex_uses irl__tex_uses_of(const irl_stmt *loop)
{
    irl__tex_uses uses;
    irl__visitor  v;
    memset(&uses, 0, sizeof uses);
    memset(&v, 0, sizeof v);
    uses.var = loop->u.loop.var;
    v.user = &uses;
    v.expr = irl__tex_see_expr;
    v.stmt = irl__tex_see_stmt;
    irl__visit_stmt(&v, loop->u.loop.body);
    return uses;
}

/* Doing each statement for all iterations at once is the same: said or proved by someone, or one store that reads nothing
   of what it writes. */
static int irl__tex_may_vectorize(const irl_stmt *loop, const irl__tex_uses *uses)
{
    const irl_stmt *s = loop->u.loop.body;
    if (loop->u.loop.kind == IRL_PARALLEL || loop->u.loop.kind == IRL_VECTORIZED) return 1;
    return loop->u.loop.kind != IRL_BOUND && uses->stores == 1 && s->kind == IRL__STORE && !irl__tex_reads(s->u.store.value, s->u.store.buffer->data);
}

static int irl__tex_is_texel(const irl_stmt *loop, int lanes) { return irl__is_int(loop->u.loop.extent, lanes) && irl__is_int(loop->u.loop.min, 0); }

/* ------------------------------------------------------------------ a nest around one store */

/* Loops and conditions from the channel loop down to the store. */
typedef struct irl__tex_nest {
    const irl_stmt *store;                   /* lets written into it, indices and value simplified, over outer and lane */
    const irl_stmt *around[IRL_MAX_RANK * 2]; /* loops and ifs, outermost first; [0] is the channel loop */
    const irl_expr *guard[IRL_MAX_RANK * 2];  /* conditions over outer and lane, of the ifs; NULL for loops and for what follows the lane */
    int             count;
    int             lanes;                   /* of a texel of the image that the store goes to */
    const irl_expr *outer, *lane;            /* the channel is outer * lanes + lane */
    int64_t         outer_extent;
    const irl_expr *partial;                 /* conditions that leave out lanes; NULL: none */
} irl__tex_nest;

/* A sequence of lets and one store, as the store alone. */
static const irl_stmt *irl__tex_inline_lets(irl_ctx *cx, const irl_stmt *s)
{
    const irl_stmt *store;
    int             k;
    if (s->kind != IRL__SEQ || s->u.seq.count == 0) return s;
    store = s->u.seq.stmts[s->u.seq.count - 1];
    for (k = 0; k < s->u.seq.count - 1; k++)
        if (s->u.seq.stmts[k]->kind != IRL__LET) return s;
    for (k = s->u.seq.count - 1; store && k-- > 0;)
        store = irl__substitute_stmt(cx, store, 1, &s->u.seq.stmts[k]->u.let.var, &s->u.seq.stmts[k]->u.let.value);
    return store;
}

/* The channel from 0 on; or a part of one texel. */
static int irl__tex_range_ok(const irl_stmt *loop, int lanes)
{
    const irl_expr *min = loop->u.loop.min, *extent = loop->u.loop.extent;
    if (min->op != IRL_OP_INT || extent->op != IRL_OP_INT || extent->u.i <= 0) return 0;
    return min->u.i == 0 || (min->u.i > 0 && min->u.i < lanes && extent->u.i <= lanes - min->u.i);
}

/* True if the loop's body is such a nest. */
static int irl__tex_nest_find(irl__tex_state *state, const irl_stmt *loop, irl__tex_nest *n)
{
    const irl_stmt *s = loop;
    memset(n, 0, sizeof *n);
    while (n->count < (int)IRL__COUNTOF(n->around)) {
        if (s->kind == IRL__FOR && s->u.loop.kind != IRL_BOUND && (s == loop || (!irl__expr_uses_var(s->u.loop.min, loop->u.loop.var) &&
                                                                                 !irl__expr_uses_var(s->u.loop.extent, loop->u.loop.var)))) {
            if (s != loop && !irl__bind_extent(state->an, s->u.loop.var, s->u.loop.min, s->u.loop.extent)) return 0;
            n->around[n->count++] = s;
            s = s->u.loop.body;
        } else if (s->kind == IRL__IF && !s->u.branch.else_) {
            n->around[n->count++] = s;
            s = s->u.branch.then_;
        } else break;
        s = irl__tex_inline_lets(state->cx, s);
        if (!s) return 0;
    }
    n->store = s;
    if (s->kind != IRL__STORE || !irl__tex_is(s->u.store.buffer)) return 0;
    n->lanes = irl__texel_measure(s->u.store.buffer);
    return n->lanes > 0 && irl__tex_range_ok(loop, n->lanes);
}

static const irl_expr *irl__tex_name_var(irl_ctx *cx, const irl_expr *var, const char *part)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__textf(&t, "%s_%s", var->u.name, part);
    return irl_var(cx, irl__text_done(&t), var->type);
}

/* e with the channel written as outer * lanes + lane. */
static const irl_expr *irl__tex_divided(irl__tex_state *state, const irl__tex_nest *n, const irl_expr *e)
{
    const irl_expr *channel = irl__add(state->cx, irl__mul(state->cx, n->outer, irl_idx(state->cx, n->lanes)), n->lane);
    const irl_expr *var = n->around[0]->u.loop.var;
    e = channel ? irl__substitute(state->cx, e, 1, &var, &channel) : NULL;
    return e ? irl__simplify(state->an, e) : NULL;
}

/* A comparison of sums and products of variables and constants, which has an answer everywhere. */
static int irl__tex_is_sums(const irl_expr *e)
{
    uint32_t k;
    if (e->op == IRL_OP_INT || e->op == IRL_OP_VAR) return 1;
    if (irl__op_info((irl_op)e->op)->rule != IRL__COMPARE && e->op != IRL_OP_ADD && e->op != IRL_OP_SUB && e->op != IRL_OP_MUL) return 0;
    for (k = 0; k < e->count; k++)
        if (!irl__tex_is_sums(e->a[k])) return 0;
    return 1;
}

/* Terms of a condition that follow the lane leave lanes out, the others guard the texel. What stands behind a term about the
   lane may count on it, so it stays behind it, unless it is a comparison of sums. */
static void irl__tex_sort_condition(irl__tex_state *state, irl__tex_nest *n, int k, const irl_expr *g)
{
    const irl_expr *left = g->op == IRL_OP_AND ? g->a[0] : NULL, *right = left ? g->a[1] : g;
    if (left) irl__tex_sort_condition(state, n, k, left);
    if (right->op == IRL_OP_AND) irl__tex_sort_condition(state, n, k, right);
    else if (irl__expr_uses_var(right, n->lane) || (n->partial && !irl__tex_is_sums(right))) n->partial = irl__and(state->cx, n->partial, right);
    else n->guard[k] = irl__and(state->cx, n->guard[k], right);
}

/* Divides the channel and everything that names it; sorts the conditions. False on failure. */
static int irl__tex_nest_divide(irl__tex_state *state, irl__tex_nest *n)
{
    irl_ctx        *cx = state->cx;
    const irl_stmt *loop = n->around[0];
    const irl_expr *indices[IRL_MAX_RANK], *value, *g;
    int64_t         first = loop->u.loop.min->u.i, extent = first + loop->u.loop.extent->u.i;
    int             k;
    n->outer_extent = extent / n->lanes + (extent % n->lanes != 0);
    n->lane = n->outer_extent > 1 ? irl__tex_name_var(cx, loop->u.loop.var, "lane") : irl_var(cx, loop->u.loop.var->u.name, irl__type_index());
    n->outer = n->outer_extent > 1 ? irl__tex_name_var(cx, loop->u.loop.var, "texel") : irl_idx(cx, 0);
    if (!n->lane || !n->outer || !irl__bind_range(state->an, n->lane, 0, n->lanes - 1)) return 0;
    if (n->outer_extent > 1 && !irl__bind_range(state->an, n->outer, 0, n->outer_extent - 1)) return 0;
    if (extent % n->lanes) n->partial = irl_op2(cx, IRL_OP_LT, irl__tex_divided(state, n, loop->u.loop.var), irl_idx(cx, extent));
    if (first) n->partial = irl__and(cx, n->partial, irl_op2(cx, IRL_OP_GE, n->lane, irl_idx(cx, first)));
    for (k = 1; k < n->count; k++) {
        if (n->around[k]->kind != IRL__IF) continue;
        g = irl__tex_divided(state, n, n->around[k]->u.branch.condition);
        if (!g) return 0;
        irl__tex_sort_condition(state, n, k, g);
    }
    for (k = 0; k < n->store->u.store.buffer->rank; k++) {
        indices[k] = irl__tex_divided(state, n, n->store->u.store.indices[k]);
        if (!indices[k]) return 0;
    }
    value = irl__tex_divided(state, n, n->store->u.store.value);
    n->store = value ? irl__stmt_store(cx, n->store->u.store.buffer, value, n->store->u.store.buffer->rank, indices, n->store->loc) : NULL;
    return n->store && irl__ok(cx);
}

/* The lane of the store is the nest's, and nothing else of its index follows it. */
static int irl__tex_nest_is_texel(irl__rewriter *r, const irl__tex_nest *n, irl__tex_place *p)
{
    const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
    int               k;
    if (!b || !irl__tex_place_of((irl__tex_state *)r->user, b, n->store->u.store.indices, p) || p->lane != n->lane) return 0;
    for (k = 0; k < IRL__TEXEL_AXES; k++)
        if (p->at[k] && irl__expr_uses_var(p->at[k], n->lane)) return 0;
    return 1;
}

/* ------------------------------------------------------------------ lanes that a condition leaves out */

static const irl__param *irl__tex_param(const irl__tex_state *state, const irl_buffer *b)
{
    int k = irl__func_param_of(state->f, b->data);
    return k < 0 ? NULL : &state->f->params[k];
}

/* The cells of a parameter that its layout leaves unused, at the indices of the store; NULL if not known. */
static const irl_expr *irl__tex_padding_at(irl__tex_state *state, const irl__param *p, const irl_stmt *store)
{
    irl_ctx        *cx = state->cx;
    irl_shape       shape, box, minimum;
    irl_verdict     v;
    const irl_expr *outside = NULL;
    int             k;
    memset(&shape, 0, sizeof shape);
    if (!p->map || p->logical_rank > IRL_MAX_RANK) return NULL;
    shape.rank = p->logical_rank;
    for (k = 0; k < p->logical_rank; k++) {
        if (p->logical_shape[k]->op != IRL_OP_INT) return NULL;
        shape.extent[k] = p->logical_shape[k]->u.i;
    }
    v = irl_check(cx, p->map, shape);
    if ((v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) || !v.inverse || !irl_map_shape(cx, p->map, shape, &box, &minimum)) return NULL;
    for (k = 0; k < p->buffer->rank; k++) { /* a layout's last group is whole even where no point reaches its end */
        const irl_expr *beyond;
        if (irl__is_int(p->buffer->shape[k], box.extent[k])) continue;
        beyond = irl_op2(cx, IRL_OP_GE, store->u.store.indices[k], irl_idx(cx, box.extent[k]));
        outside = outside ? irl_op2(cx, IRL_OP_OR, outside, beyond) : beyond;
    }
    if (v.padding && v.pad_cells) {
        const irl_expr *inside = irl__substitute(cx, v.padding, v.inverse->input_count, v.inverse->inputs, store->u.store.indices);
        outside = outside ? irl_op2(cx, IRL_OP_OR, outside, inside) : inside;
    }
    return outside;
}

/* Whatever the condition leaves out holds no data. */
static int irl__tex_leaves_padding(irl__tex_state *state, const irl__tex_nest *n)
{
    const irl__param *p = irl__tex_param(state, n->store->u.store.buffer);
    const irl_expr   *padding = p ? irl__tex_padding_at(state, p, n->store) : NULL, *left_out;
    int               mark = irl__facts_mark(state->an), proved;
    if (!padding) return 0;
    left_out = irl__simplify(state->an, irl_op1(state->cx, IRL_OP_NOT, n->partial));
    proved = left_out && irl__fact(state->an, left_out) && irl__prove(state->an, padding);
    irl__facts_release(state->an, mark);
    return proved;
}

typedef struct irl__tex_writers {
    const irl_expr *data;
    int             count;
} irl__tex_writers;

static int irl__tex_see_writer(irl__visitor *v, const irl_stmt *s)
{
    irl__tex_writers *w = (irl__tex_writers *)v->user;
    w->count += s->kind == IRL__STORE && s->u.store.buffer->data == w->data;
    return 1;
}

/* Whether the texel tells the variable: it stands alone as an index, or as quotient and remainder by one divisor. */
static int irl__tex_recovers(const irl_stmt *store, const irl_expr *var)
{
    int axes = store->u.store.buffer->rank - 1, k, j;
    for (k = 0; k < axes; k++) {
        const irl_expr *e = store->u.store.indices[k];
        if (e == var) return 1;
        if (e->op != IRL_OP_FLOORDIV || e->a[0] != var || e->a[1]->op != IRL_OP_INT) continue;
        for (j = 0; j < axes; j++) {
            const irl_expr *m = store->u.store.indices[j];
            if (m->op == IRL_OP_FLOORMOD && m->a[0] == var && m->a[1] == e->a[1]) return 1;
        }
    }
    return 0;
}

static int irl__tex_see_variable(irl__visitor *v, const irl_expr *e)
{
    irl__tex_nest *n = (irl__tex_nest *)v->user;
    if (e->op == IRL_OP_LOAD || (e->op == IRL_OP_VAR && e != n->lane && !irl__tex_recovers(n->store, e))) n->count = -1;
    return 1;
}

/* A temporary that nothing else writes, unless all of it was filled with a constant first: what the condition leaves out is
   left out whenever this texel is written, so it never holds anything but that. The condition must be the texel's: the same
   whenever it is written. */
static int irl__tex_leaves_nothing(irl__tex_state *state, const irl__tex_nest *n)
{
    irl__tex_writers w;
    irl__tex_nest    search = *n;
    irl__visitor     v;
    if (irl__tex_param(state, n->store->u.store.buffer)) return 0;
    memset(&v, 0, sizeof v);
    w.data = n->store->u.store.buffer->data;
    w.count = 0;
    v.user = &w;
    v.stmt = irl__tex_see_writer;
    irl__visit_stmt(&v, state->f->body);
    memset(&v, 0, sizeof v);
    v.user = &search;
    v.expr = irl__tex_see_variable;
    irl__visit_expr(&v, n->partial);
    return w.count == 1 + (irl__ptr_map_get(&state->filled, w.data) != NULL) && search.count >= 0;
}

/* The filling of padding: the layout's own value, stored exactly where no point lies. Texels that also hold data get their
   padding with the data; so only texels of nothing else are written here. */
static int irl__tex_is_filling(irl__tex_state *state, const irl__tex_nest *n)
{
    const irl__param *p = irl__tex_param(state, n->store->u.store.buffer);
    const irl_expr   *padding = p && p->padding == n->store->u.store.value ? irl__tex_padding_at(state, p, n->store) : NULL;
    int               mark = irl__facts_mark(state->an), proved;
    if (!padding) return 0;
    proved = irl__fact(state->an, n->partial) && irl__prove(state->an, padding);
    irl__facts_release(state->an, mark);
    return proved;
}

/* ------------------------------------------------------------------ the texel that a nest stores */

static const irl_expr *irl__tex_at_lane(irl__tex_state *state, const irl__tex_nest *n, const irl_expr *e, int k)
{
    const irl_expr *lane = irl_idx(state->cx, k);
    e = lane ? irl__substitute(state->cx, e, 1, &n->lane, &lane) : NULL;
    return e ? irl__simplify(state->an, e) : NULL;
}

/* What a lane holds that no data goes to: the layout's padding, what it was filled with, or anything. */
static const irl_expr *irl__tex_filler(irl__tex_state *state, const irl_buffer *b)
{
    const irl__param *p = irl__tex_param(state, b);
    const irl_expr   *filled = (const irl_expr *)irl__ptr_map_get(&state->filled, b->data);
    if (filled) return filled;
    return p && p->padding ? p->padding : irl__zero(state->cx, b->type);
}

/* A texel's values, computed one by one. */
static const irl_stmt *irl__tex_gathered(irl__rewriter *r, const irl__tex_nest *n, const irl__tex_place *p)
{
    irl__tex_state  *state = (irl__tex_state *)r->user;
    const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
    const irl_expr  *parts[IRL_MAX_LANES], *holds;
    int              picks[IRL_MAX_LANES], k;
    if (!b) return NULL;
    for (k = 0; k < n->lanes; k++) {
        picks[k] = k;
        holds = n->partial ? irl__tex_at_lane(state, n, n->partial, k) : NULL;
        parts[k] = irl__tex_at_lane(state, n, n->store->u.store.value, k);
        if (!parts[k] || (n->partial && !holds)) return NULL;
        if (holds && irl__is_int(holds, 0)) parts[k] = irl__tex_filler(state, b);
        else if (holds && !irl__is_int(holds, 1)) parts[k] = irl_op3(state->cx, IRL_OP_IF_THEN_ELSE, holds, parts[k], irl__tex_filler(state, b));
        parts[k] = parts[k] ? irl__rewrite_expr(r, parts[k]) : NULL;
        if (!parts[k]) return NULL;
    }
    return irl__texel_store(state->cx, b, p->at, irl_shuffle(state->cx, n->lanes, parts, n->lanes, picks), n->store->loc);
}

/* The filling of texels that are padding alone. */
static const irl_stmt *irl__tex_filled(irl__rewriter *r, const irl__tex_nest *n, const irl__tex_place *p)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = irl__tex_buffer(r, n->store->u.store.buffer);
    const irl_expr   *all = NULL;
    int               k;
    for (k = 0; k < n->lanes; k++) all = irl__and(state->cx, all, irl__tex_at_lane(state, n, n->partial, k));
    all = all ? irl__simplify(state->an, all) : NULL;
    if (!b || !all) return NULL;
    if (irl__is_int(all, 0)) return irl__stmt_empty(state->cx);
    return irl_if(state->cx, all,
                  irl__texel_store(state->cx, b, p->at, irl_broadcast(state->cx, n->store->u.store.value, n->lanes), n->store->loc), NULL);
}

/* The store for all lanes, inside of the nest. NULL with a diagnostic where that cannot be. */
static const irl_stmt *irl__tex_nest_store(irl__rewriter *r, const irl__tex_nest *n)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    irl_ctx        *cx = state->cx;
    const irl_expr *data = n->store->u.store.buffer->data;
    irl__tex_place  p;
    if (irl__tex_reads(n->store->u.store.value, data) || !irl__tex_nest_is_texel(r, n, &p))
        return irl__ok(cx) ? irl__tex_refuse_partial(state, n->store) : NULL;
    if (!n->partial) {
        const irl_stmt *loop = irl_for(cx, IRL_VECTORIZED, n->lane, irl_idx(cx, 0), irl_idx(cx, n->lanes), n->store);
        const irl_stmt *vector = loop ? irl__vectorize_one(cx, state->an, loop) : NULL;
        if (vector || !irl__ok(cx)) return vector ? irl__rewrite_stmt(r, vector) : NULL;
        return irl__tex_gathered(r, n, &p);
    }
    if (irl__tex_leaves_padding(state, n) || irl__tex_leaves_nothing(state, n)) return irl__tex_gathered(r, n, &p);
    if (irl__tex_is_filling(state, n)) return irl__tex_filled(r, n, &p);
    return irl__ok(cx) ? irl__tex_refuse_partial(state, n->store) : NULL;
}

/* A store of one lane by its number, where the other lanes hold nothing: a channel axis of extent 1, for example. */
static const irl_stmt *irl__tex_single(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state   *state = (irl__tex_state *)r->user;
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *indices[IRL_MAX_RANK];
    irl__tex_nest     n;
    int64_t           k;
    memset(&n, 0, sizeof n);
    memcpy(indices, s->u.store.indices, (size_t)b->rank * sizeof *indices);
    n.lanes = irl__texel_measure(b);
    n.lane = irl_var(state->cx, "lane", irl__type_index());
    n.outer = irl_idx(state->cx, 0);
    n.outer_extent = 1;
    if (!n.lane || !n.outer || !irl__bind_range(state->an, n.lane, 0, n.lanes - 1)) return NULL;
    k = indices[b->rank - 1]->u.i; /* at the ends as a bound, which proves more */
    if (k == 0) n.partial = irl_op2(state->cx, IRL_OP_LT, n.lane, irl_idx(state->cx, 1));
    else n.partial = irl_op2(state->cx, k == n.lanes - 1 ? IRL_OP_GE : IRL_OP_EQ, n.lane, indices[b->rank - 1]);
    indices[b->rank - 1] = n.lane;
    n.store = irl__stmt_store(state->cx, b, s->u.store.value, b->rank, indices, s->loc);
    if (!n.store || !n.partial) return NULL;
    if (irl__tex_leaves_padding(state, &n) || irl__tex_leaves_nothing(state, &n) || irl__tex_is_filling(state, &n)) return irl__tex_nest_store(r, &n);
    return irl__ok(state->cx) ? irl__tex_refuse_partial(state, s) : NULL;
}

static int irl__tex_is_single(const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    const irl_expr   *last = b->rank ? s->u.store.indices[b->rank - 1] : NULL;
    int               lanes = irl__texel_measure(b);
    return last && lanes && !irl__tex_by_element(b) && irl__is_int(b->shape[b->rank - 1], lanes) && last->op == IRL_OP_INT && last->u.i >= 0 && last->u.i < lanes;
}

/* The nest again, without the lanes. */
static const irl_stmt *irl__tex_nest_build(irl__rewriter *r, const irl__tex_nest *n, const irl_stmt *body)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    int             k;
    if (body->kind == IRL__SEQ && body->u.seq.count == 0) return body;
    for (k = n->count; body && k-- > 0;) {
        irl_stmt *copy;
        if (n->around[k]->kind == IRL__IF) {
            const irl_expr *guard = n->guard[k] ? irl__rewrite_expr(r, n->guard[k]) : NULL;
            if (n->guard[k]) body = guard ? irl_if(state->cx, guard, body, NULL) : NULL;
            continue;
        }
        if (k == 0 && n->outer_extent == 1) continue;
        copy = irl__stmt_copy(state->cx, n->around[k]);
        if (!copy) return NULL;
        copy->u.loop.body = body;
        if (k == 0) {
            copy->u.loop.var = n->outer;
            copy->u.loop.extent = irl_idx(state->cx, n->outer_extent);
        }
        if (copy->u.loop.kind == IRL_VECTORIZED) copy->u.loop.kind = IRL_SERIAL; /* its lanes are used */
        body = copy->u.loop.extent ? irl__stmt_finish(state->cx, copy) : NULL;
    }
    return body;
}

/* ------------------------------------------------------------------ loops */

/* A loop of lets and stores, as one loop for each store. Each of them is done for all iterations before the next, as in a
   vectorized loop; what a let reads must not change on the way. NULL where the body is of another kind. */
static const irl_stmt *irl__tex_distribute(irl__tex_state *state, const irl_stmt *loop)
{
    irl_ctx         *cx = state->cx;
    const irl_stmt  *body = loop->u.loop.body, **list = NULL;
    int              k, j;
    if (body->kind != IRL__SEQ) return NULL;
    for (k = 0; k < body->u.seq.count; k++) {
        const irl_stmt *s = body->u.seq.stmts[k];
        if (s->kind != IRL__LET && s->kind != IRL__STORE) return NULL;
        for (j = 0; s->kind == IRL__STORE && j < body->u.seq.count; j++) {
            const irl_stmt *let = body->u.seq.stmts[j];
            if (let->kind == IRL__LET && irl__tex_reads(let->u.let.value, s->u.store.buffer->data)) return NULL;
        }
    }
    for (k = 0; k < body->u.seq.count; k++) {
        const irl_stmt *one = body->u.seq.stmts[k];
        irl_stmt       *copy;
        if (one->kind != IRL__STORE) continue;
        for (j = k; one && j-- > 0;) {
            const irl_stmt *let = body->u.seq.stmts[j];
            if (let->kind == IRL__LET) one = irl__substitute_stmt(cx, one, 1, &let->u.let.var, &let->u.let.value);
        }
        copy = one ? irl__stmt_copy(cx, loop) : NULL;
        if (!copy) return NULL;
        copy->u.loop.body = one;
        copy->u.loop.kind = IRL_PARALLEL;
        one = irl__stmt_finish(cx, copy);
        if (!one || !IRL__PUSH(cx, list, one)) return NULL;
    }
    return stbds_arrlen(list) > 1 ? irl__stmt_seq(cx, (int)stbds_arrlen(list), list) : NULL;
}

static const irl_stmt *irl__tex_loop(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    irl__tex_uses   uses = irl__tex_uses_of(s);
    irl__tex_nest   nest;
    const irl_stmt *vector, *several;
    if (!irl__bind_extent(state->an, s->u.loop.var, s->u.loop.min, s->u.loop.extent)) return NULL;
    if (!uses.store && !uses.has_load) return irl__rewrite_stmt_children(r, s);
    if (uses.store && s->u.loop.kind == IRL_BOUND) return irl__tex_refuse_partial(state, uses.store);
    if (uses.store && uses.stores == 1 && irl__tex_nest_find(state, s, &nest)) {
        const irl_stmt *body = irl__tex_nest_divide(state, &nest) ? irl__tex_nest_store(r, &nest) : NULL;
        return body ? irl__tex_nest_build(r, &nest, body) : NULL;
    }
    /* a texel's loads become one, unless a loop inside is the one over the lanes of a store */
    if (irl__tex_is_texel(s, uses.lanes) && (uses.store || !uses.others) && irl__tex_may_vectorize(s, &uses)) {
        vector = irl__vectorize_one(state->cx, state->an, s);
        if (vector || !irl__ok(state->cx)) return vector ? irl__rewrite_stmt(r, vector) : NULL;
    }
    if (uses.store && (s->u.loop.kind == IRL_PARALLEL || s->u.loop.kind == IRL_VECTORIZED)) {
        several = irl__tex_distribute(state, s);
        if (several || !irl__ok(state->cx)) return several ? irl__rewrite_stmt(r, several) : NULL;
    }
    if (uses.store) return irl__tex_refuse_partial(state, uses.store);
    return irl__rewrite_stmt_children(r, s);
}

static const irl_stmt *irl__tex_stmt(irl__rewriter *r, const irl_stmt *s)
{
    irl__tex_state *state = (irl__tex_state *)r->user;
    const irl_stmt *result;
    int             mark;
    switch ((irl__stmt_kind)s->kind) {
    case IRL__STORE:
        if (!irl__tex_is(s->u.store.buffer)) break;
        return irl__tex_is_single(s) ? irl__tex_single(r, s) : irl__tex_store(r, s);
    case IRL__FOR: return irl__tex_loop(r, s);
    case IRL__IF:
        if (s->u.branch.else_ || (s->u.branch.condition->flags & IRL__HAS_MEMORY)) break;
        mark = irl__facts_mark(state->an);
        result = irl__fact(state->an, s->u.branch.condition) ? irl__rewrite_stmt_children(r, s) : NULL;
        irl__facts_release(state->an, mark);
        return result;
    default: break;
    }
    return irl__rewrite_stmt_children(r, s);
}

/* ------------------------------------------------------------------ temporaries that are filled first */

static const irl_expr *irl__tex_constant_of(const irl_expr *e)
{
    if (e->op == IRL_OP_CAST && e->a[0]->op == IRL_OP_FLOAT) return e;
    return e->op == IRL_OP_INT || e->op == IRL_OP_FLOAT ? e : NULL;
}

/* Whether the loops of a nest go over all of a buffer's box: every index is a loop's variable, from 0 to its axis's extent. */
static int irl__tex_covers(const irl_stmt *nest, const irl_stmt *store)
{
    const irl_buffer *b = store->u.store.buffer;
    const irl_stmt   *s;
    int               k, loops = 0, axes = 0;
    for (s = nest; s != store; s = s->u.loop.body, loops++) {
        if (!irl__is_int(s->u.loop.min, 0)) return 0;
        for (k = 0; k < b->rank && store->u.store.indices[k] != s->u.loop.var; k++) {}
        if (k == b->rank || s->u.loop.extent != b->shape[k]) return 0;
    }
    for (k = 0; k < b->rank; k++) {
        const irl_expr *index = store->u.store.indices[k];
        if (index->op == IRL_OP_VAR) axes++;
        else if (!irl__is_int(index, 0) || !irl__is_int(b->shape[k], 1)) return 0;
    }
    return loops == axes; /* a variable twice would leave an axis without its loop */
}

/* An allocation, and right behind it the loops that give all of it one value. */
static int irl__tex_see_filled(irl__visitor *v, const irl_stmt *s)
{
    irl__tex_state *state = (irl__tex_state *)v->user;
    int             k;
    if (s->kind != IRL__SEQ) return 1;
    for (k = 0; k + 1 < s->u.seq.count; k++) {
        const irl_stmt *alloc = s->u.seq.stmts[k], *nest = s->u.seq.stmts[k + 1], *store = nest;
        while (store->kind == IRL__FOR) store = store->u.loop.body;
        if (alloc->kind != IRL__ALLOC || store->kind != IRL__STORE || store->u.store.buffer != alloc->u.alloc.buffer || !irl__tex_is(alloc->u.alloc.buffer)) continue;
        if (!irl__tex_constant_of(store->u.store.value) || !irl__tex_covers(nest, store)) continue;
        if (!irl__ptr_map_put(state->cx, &state->filled, alloc->u.alloc.buffer->data, store->u.store.value)) return 0;
    }
    return 1;
}

static void irl__tex_find_filled(irl__tex_state *state)
{
    irl__visitor v;
    memset(&v, 0, sizeof v);
    v.user = state;
    v.stmt = irl__tex_see_filled;
    irl__visit_stmt(&v, state->f->body);
}

/* ------------------------------------------------------------------ the pass */

typedef struct irl__tex_search {
    int found;
} irl__tex_search;

static void irl__tex_see_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    (void)s;
    ((irl__tex_search *)v->user)->found |= irl__tex_is(b);
}

static int irl__tex_any(const irl_func *f)
{
    irl__tex_search search;
    irl__visitor    v;
    int             k;
    search.found = 0;
    for (k = 0; k < f->param_count; k++) search.found |= f->params[k].buffer && irl__tex_is(f->params[k].buffer);
    memset(&v, 0, sizeof v);
    v.user = &search;
    v.buffer = irl__tex_see_buffer;
    irl__visit_stmt(&v, f->body);
    return search.found;
}

static int irl__tex_params(irl__rewriter *r, irl_func *to)
{
    irl__param *params = (irl__param *)irl__copy(r->cx, to->params, (size_t)to->param_count, sizeof *params);
    int         k;
    for (k = 0; params && k < to->param_count; k++) {
        if (!params[k].buffer) continue;
        r->cx->here = params[k].loc;
        params[k].buffer = irl__tex_buffer(r, params[k].buffer);
        if (!params[k].buffer) return 0;
    }
    to->params = params;
    return params != NULL;
}

irl_func *irl__pass_lower_textures(const irl_func *f)
{
    irl_ctx        *cx = f->cx;
    irl__arena_mark mark;
    irl__tex_state  state;
    irl__rewriter   r;
    irl_func       *result = NULL;
    if (!irl__tex_any(f)) return irl__func_with_body(f, f->body);
    f = irl__pass_simplify(f); /* so that an index shows which variables it follows */
    if (!f) return NULL;
    mark = irl__scratch_begin(cx);
    memset(&state, 0, sizeof state);
    memset(&r, 0, sizeof r);
    state.cx = cx;
    state.f = f;
    state.an = irl__analyzer_begin(cx);
    r.cx = cx;
    r.user = &state;
    r.expr = irl__tex_expr;
    r.stmt = irl__tex_stmt;
    r.buffer = irl__tex_buffer;
    irl__tex_find_filled(&state);
    if (state.an) result = irl__func_copy(cx, f);
    if (result && irl__tex_params(&r, result)) result->body = irl__rewrite_stmt(&r, f->body);
    else result = NULL;
    if (result && !result->body) result = NULL;
    irl__scratch_end(cx, mark);
    return result;
}
