/* build.c - makes maps of common kinds: permutation, split, tile, ...

   needs     constructors
   promises  what the comment in irlayout.h says; every argument is checked */
#include "map.h"

static const irl_map *irl__build_refuse(irl_ctx *cx, const char *what)
{
    IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "%s", what);
    return NULL;
}

/* The inputs i0, i1, ... in v; false with a diagnostic. */
static int irl__build_inputs(irl_ctx *cx, int rank, const irl_expr **v)
{
    const irl_map *id = irl_map_identity(cx, rank);
    if (!id) return 0;
    if (rank) memcpy(v, id->inputs, (size_t)rank * sizeof *v);
    return 1;
}

static const irl_map *irl__build_make(irl_ctx *cx, int rank, const irl_expr *const *in, int count,
                                      const irl_expr *const *out)
{
    return irl__map_make(cx, rank, in, count, out, 0, NULL, irl__nowhere());
}

const irl_map *irl_map_new(irl_ctx *cx, int input_count, const irl_expr *const *inputs,
                           int output_count, const irl_expr *const *outputs, int separator_count,
                           const int *separators)
{
    if (!cx || !irl__ok(cx)) return NULL;
    if (input_count < 0 || output_count < 0 || separator_count < 0 || (input_count && !inputs) ||
        (output_count && !outputs) || (separator_count && !separators))
        return irl__build_refuse(cx, "a map needs lists of inputs, outputs and separators");
    for (int k = 0; k < input_count && k < IRL_MAX_RANK; k++) {
        if (!inputs[k] || inputs[k]->op != IRL_OP_VAR || !irl__type_is_index(inputs[k]->type) ||
            inputs[k]->type.lanes != 1)
            return irl__build_refuse(cx, "an input of a map is a variable of type index");
        for (int i = 0; i < k; i++)
            if (inputs[i] == inputs[k])
                return irl__build_refuse(cx, "a map names every input once");
    }
    for (int k = 0; k < output_count && k < IRL_MAX_RANK; k++)
        if (!irl__map_fits(cx, outputs[k], irl__nowhere())) return NULL;
    if (!irl__separators_valid(cx, output_count, separator_count, separators, irl__nowhere()))
        return NULL;
    return irl__map_make(cx, input_count, inputs, output_count, outputs, separator_count,
                         separators, irl__nowhere());
}

const irl_map *irl_map_permutation(irl_ctx *cx, int rank, const int *order)
{
    const irl_expr *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    unsigned        seen = 0;
    if (!cx || !irl__build_inputs(cx, rank, in)) return NULL;
    if (rank && !order) return irl__build_refuse(cx, "a permutation needs an order of the axes");
    for (int k = 0; k < rank; k++) {
        if (order[k] < 0 || order[k] >= rank || (seen >> order[k]) & 1u)
            return irl__build_refuse(cx, "a permutation names every axis once");
        seen |= 1u << order[k];
        out[k] = in[order[k]];
    }
    return irl__build_make(cx, rank, in, rank, out);
}

const irl_map *irl_map_split(irl_ctx *cx, int rank, int axis, int64_t factor)
{
    const irl_expr *in[IRL_MAX_RANK], *out[IRL_MAX_RANK + 1];
    int             k, n = 0;
    if (!cx || !irl__build_inputs(cx, rank, in)) return NULL;
    if (axis < 0 || axis >= rank || factor < 1)
        return irl__build_refuse(cx, "a split needs an axis of the map and a factor above 0");
    for (k = 0; k < rank; k++) {
        if (k == axis) out[n++] = irl__floordiv(cx, in[k], irl_expr_index(cx, factor));
        out[n++] = k == axis ? irl__floormod(cx, in[k], irl_expr_index(cx, factor)) : in[k];
    }
    return irl__build_make(cx, rank, in, n, out);
}

const irl_map *irl_map_fuse(irl_ctx *cx, irl_shape shape, int first, int count)
{
    const irl_expr *in[IRL_MAX_RANK], *out[IRL_MAX_RANK], *fused = NULL;
    const irl_expr *const *extents;
    int             k, n = 0;
    if (!cx || !irl__build_inputs(cx, shape.rank, in) ||
        !irl__shape_settle(cx, &shape, IRL__AS_SHAPE, irl__nowhere()) ||
        !(extents = irl__shape_extents(cx, &shape)))
        return NULL;
    if (first < 0 || count < 1 || count > shape.rank - first)
        return irl__build_refuse(cx, "a fuse needs adjacent axes of the shape");
    for (k = 0; k < shape.rank; k++) {
        if (k < first || k >= first + count) {
            out[n++] = in[k];
            continue;
        }
        fused = fused ? irl__add(cx, irl__mul(cx, fused, extents[k]), in[k]) : in[k];
        if (k == first + count - 1) out[n++] = fused;
    }
    return irl__build_make(cx, shape.rank, in, n, out);
}

const irl_map *irl_map_tile(irl_ctx *cx, int rank, const int64_t *factor)
{
    const irl_expr *in[IRL_MAX_RANK], *out[2 * IRL_MAX_RANK];
    int             k, n = 0;
    if (!cx || !irl__build_inputs(cx, rank, in)) return NULL;
    if (rank && !factor) return irl__build_refuse(cx, "a tile needs a factor for every axis");
    for (k = 0; k < rank; k++) {
        if (factor[k] < 1) return irl__build_refuse(cx, "the factors of a tile are above 0");
        out[n++] = factor[k] > 1 ? irl__floordiv(cx, in[k], irl_expr_index(cx, factor[k])) : in[k];
    }
    for (k = 0; k < rank; k++)
        if (factor[k] > 1) out[n++] = irl__floormod(cx, in[k], irl_expr_index(cx, factor[k]));
    return irl__build_make(cx, rank, in, n, out);
}

const irl_map *irl_map_pad(irl_ctx *cx, int rank, const int64_t *before)
{
    const irl_expr *in[IRL_MAX_RANK], *out[IRL_MAX_RANK];
    if (!cx || !irl__build_inputs(cx, rank, in)) return NULL;
    if (rank && !before) return irl__build_refuse(cx, "padding needs a number for every axis");
    for (int k = 0; k < rank; k++) {
        if (before[k] < 0) return irl__build_refuse(cx, "padding must not be negative");
        out[k] = before[k] ? irl__add(cx, in[k], irl_expr_index(cx, before[k])) : in[k];
    }
    return irl__build_make(cx, rank, in, rank, out);
}

const irl_map *irl_map_strided(irl_ctx *cx, irl_shape stride)
{
    const irl_expr *in[IRL_MAX_RANK], *sum = NULL;
    const irl_expr *const *strides;
    int             k;
    if (!cx || !irl__build_inputs(cx, stride.rank, in) ||
        !irl__shape_settle(cx, &stride, IRL__AS_STRIDES, irl__nowhere()) ||
        !(strides = irl__shape_extents(cx, &stride)))
        return NULL;
    for (k = 0; k < stride.rank; k++) {
        const irl_expr *term = irl__mul(cx, in[k], strides[k]);
        sum = sum ? irl__add(cx, sum, term) : term;
    }
    sum = sum ? irl__simplify_alone(cx, sum) : irl_expr_index(cx, 0);
    return irl__build_make(cx, stride.rank, in, 1, &sum);
}
