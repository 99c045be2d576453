/* modes.c - tiles whose elements need not be adjacent: CuTe's divide and product, as maps.

   needs     constructors, the simplifier
   promises  what the comments in irlayout.h say; every argument is checked, every product of
             extents too
   source    the algebra of CuTe (CUTLASS, media/docs/cpp/cute/02_layout_algebra.md): complement,
             logical_divide, logical_product, read as functions on indices and not as rewritings of
             shape:stride pairs

   A tile of modes s_k:d_k holds the offsets t_0*d_0 + t_1*d_1 + ..., 0 <= t_k < s_k. Sorted by
   stride, each stride a multiple of d*s of the one before, they are digits of a number; what is
   between are the digits of the complement, of which the last one is open. So every index has one
   place in the tile and one number of a copy: the two add up to it. */
#include "map.h"

/* One digit of an index: i / stride % extent. */
typedef struct irl__mode {
    int64_t extent, stride; /* extent 0: open, no remainder is taken */
    int     given;          /* of a tile: its place in the caller's list */
} irl__mode;

typedef struct irl__modes {
    int       count, gap_count;
    irl__mode tile[IRL_MAX_RANK];    /* by stride */
    irl__mode gap[IRL_MAX_RANK + 1]; /* the complement, by stride; the last is open */
} irl__modes;

static int irl__modes_refuse(irl_ctx *cx, int k, const char *what)
{
    return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "mode %d of a tile: %s", k, what);
}

/* Extents and their strides are numbers. */
static int irl__modes_are_counted(irl_ctx *cx, const char *who, irl_shape *extent,
                                  irl_shape *stride)
{
    return cx && irl__ok(cx) &&
           irl__shape_is_counted(cx, extent, IRL__AS_TENSOR, who, irl__nowhere()) &&
           irl__shape_is_counted(cx, stride, IRL__AS_STRIDES, who, irl__nowhere());
}

/* The modes of more than one element, by stride. */
static int irl__modes_sort(irl_ctx *cx, const irl_shape *extent, const irl_shape *stride,
                           irl__modes *m)
{
    int at;
    memset(m, 0, sizeof *m);
    if (extent->rank < 0 || extent->rank > IRL_MAX_RANK || extent->rank != stride->rank)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a tile has one stride for each extent; found "
                         "%d and %d", extent->rank, stride->rank);
    for (int k = 0; k < extent->rank; k++) {
        if (extent->extent[k] < 1) return irl__modes_refuse(cx, k, "its extent is above 0");
        if (extent->extent[k] == 1) continue; /* its stride does not matter */
        if (stride->extent[k] < 1) return irl__modes_refuse(cx, k, "its stride is above 0");
        for (at = m->count++; at > 0 && m->tile[at - 1].stride > stride->extent[k]; at--)
            m->tile[at] = m->tile[at - 1];
        m->tile[at].extent = extent->extent[k];
        m->tile[at].stride = stride->extent[k];
        m->tile[at].given = k;
    }
    return 1;
}

/* What the tile leaves over: the digits between its own. */
static int irl__modes_complement(irl_ctx *cx, irl__modes *m)
{
    int64_t end = 1; /* where the digits so far end */
    for (int k = 0; k < m->count; k++) {
        const irl__mode *t = &m->tile[k];
        if (t->stride % end != 0)
            return irl__modes_refuse(
                cx, t->given,
                "its stride is not a multiple of the next smaller mode's extent times stride");
        if (t->stride > end) {
            m->gap[m->gap_count].stride = end;
            m->gap[m->gap_count++].extent = t->stride / end;
        }
        if (!irl__mul64(t->stride, t->extent, &end))
            return IRL__FAIL(cx, IRL_ERROR_OVERFLOW, "mode %d of a tile reaches beyond 63 bits",
                             t->given);
    }
    m->gap[m->gap_count++].stride = end;
    return 1;
}

static const irl_expr *irl__modes_digit(irl_ctx *cx, const irl_expr *i, int64_t stride,
                                        int64_t extent)
{
    if (stride != 1) i = irl__floordiv(cx, i, irl_expr_index(cx, stride));
    return extent ? irl__floormod(cx, i, irl_expr_index(cx, extent)) : i;
}

/* sum + digit*scale; sum NULL for nothing yet. */
static const irl_expr *irl__modes_add(irl_ctx *cx, const irl_expr *sum, const irl_expr *digit,
                                      int64_t scale)
{
    if (scale != 1) digit = irl__mul(cx, digit, irl_expr_index(cx, scale));
    return sum ? irl__add(cx, sum, digit) : digit;
}

/* The digits of i at the modes' strides, put together without gaps; `back`: those of i without
   gaps, put at the strides. NULL: there are none. What they are scaled by lies below the last
   stride times extent, so that it does not overflow. */
static const irl_expr *irl__modes_moved(irl_ctx *cx, const irl_expr *i, int count,
                                        const irl__mode *modes, int back)
{
    const irl_expr *e = NULL;
    int64_t         below = 1;
    for (int k = 0; k < count; k++) {
        const int64_t stride = modes[k].stride;
        e = irl__modes_add(cx, e, irl__modes_digit(cx, i, back ? below : stride, modes[k].extent),
                           back ? stride : below);
        below *= modes[k].extent;
    }
    return e;
}

/* ------------------------------------------------------------------ divide */

/* i's place within the tile: the first of the caller's modes is the fastest. */
static const irl_expr *irl__divide_place(irl_ctx *cx, const irl__modes *m, const irl_shape *tile,
                                         const irl_expr *i)
{
    irl__mode in_order[IRL_MAX_RANK];
    int       count = 0, at;
    for (int k = 0; k < tile->rank; k++) {
        for (at = 0; at < m->count && m->tile[at].given != k; at++) continue;
        if (at < m->count) in_order[count++] = m->tile[at];
    }
    const irl_expr *e = irl__modes_moved(cx, i, count, in_order, 0);
    return e ? irl__simplify_alone(cx, e) : irl_expr_index(cx, 0);
}

const irl_map *irl_map_divide(irl_ctx *cx, int rank, int axis, irl_shape tile, irl_shape stride)
{
    const irl_expr *out[IRL_MAX_RANK + 1];
    const irl_map  *id = irl_map_identity(cx, rank);
    irl__modes      m;
    int             k, n = 0;
    if (!id || !irl__modes_are_counted(cx, "irl_map_divide", &tile, &stride) ||
        !irl__modes_sort(cx, &tile, &stride, &m) || !irl__modes_complement(cx, &m))
        return NULL;
    if (axis < 0 || axis >= rank) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no axis %d to divide: the map has %d axes",
                  axis, rank);
        return NULL;
    }
    for (k = 0; k < rank; k++) {
        out[n++] = k != axis ? id->inputs[k] /* the number of its copy of the tile */
                             : irl__simplify_alone(cx, irl__modes_moved(cx, id->inputs[k],
                                                                        m.gap_count, m.gap, 0));
        if (k == axis) out[n++] = irl__divide_place(cx, &m, &tile, id->inputs[k]);
    }
    return irl__map_make(cx, rank, id->inputs, n, out, 0, NULL, irl__nowhere());
}

/* ------------------------------------------------------------------ product */

/* The sum of the inputs times the strides, from inputs[0] on; NULL for a rank of 0. */
static const irl_expr *irl__product_sum(irl_ctx *cx, const irl_expr *const *inputs,
                                        const irl_shape *stride)
{
    const irl_expr *e = NULL;
    for (int k = 0; k < stride->rank; k++) e = irl__modes_add(cx, e, inputs[k], stride->extent[k]);
    return e;
}

static const irl_expr *irl__product_index(irl_ctx *cx, irl__analyzer *an, const irl__modes *m,
                                          const irl_map *id, const irl_shape *tile,
                                          const irl_shape *tile_stride, const irl_shape *outer,
                                          const irl_shape *outer_stride)
{
    const irl_expr *copy = irl__product_sum(cx, id->inputs, outer_stride),
                   *place = irl__product_sum(cx, id->inputs + outer->rank, tile_stride);
    for (int k = 0; k < outer->rank; k++)
        if (!irl__bind_range(an, id->inputs[k], 0, outer->extent[k] - 1)) return NULL;
    for (int k = 0; k < tile->rank; k++)
        if (!irl__bind_range(an, id->inputs[outer->rank + k], 0, tile->extent[k] - 1)) return NULL;
    /* where the copy begins: digits in the extents of the gaps, at the gaps' strides */
    copy = copy ? irl__modes_moved(cx, copy, m->gap_count, m->gap, 1) : irl_expr_index(cx, 0);
    return irl__simplify(an, place ? irl__add(cx, copy, place) : copy);
}

const irl_map *irl_map_product(irl_ctx *cx, irl_shape tile, irl_shape tile_stride, irl_shape outer,
                               irl_shape outer_stride)
{
    const irl_expr *index;
    irl__modes      m;
    int             k;
    if (!irl__modes_are_counted(cx, "irl_map_product", &tile, &tile_stride) ||
        !irl__modes_are_counted(cx, "irl_map_product", &outer, &outer_stride) ||
        !irl__modes_sort(cx, &tile, &tile_stride, &m) || !irl__modes_complement(cx, &m))
        return NULL;
    for (k = 0; k < outer.rank && k < IRL_MAX_RANK && outer.rank == outer_stride.rank; k++)
        if (outer.extent[k] < 1 || outer_stride.extent[k] < 0) break;
    if (k != outer.rank || outer.rank != outer_stride.rank) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the copies of a tile need extents above 0, and a "
                  "stride of at least 0 for each");
        return NULL;
    }
    const irl_map *id = irl_map_identity(cx, outer.rank + tile.rank);
    if (!id) return NULL;
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    index =
        an ? irl__product_index(cx, an, &m, id, &tile, &tile_stride, &outer, &outer_stride) : NULL;
    irl__scratch_end(cx, mark);
    return index
               ? irl__map_make(cx, id->input_count, id->inputs, 1, &index, 0, NULL, irl__nowhere())
               : NULL;
}
