/* runtime_pack.c - copies logical arrays to memory of the device and back, through the layouts of
   parameters.

   needs     map's compiled expressions
   promises  each logical element goes to the element of memory that the map names, which is checked
             to be inside; unused elements get the padding's value, or 0xa5 bytes if none is
             stated */
#include "runtime.h"
#include "../eval/eval.h"

enum { IRL__PACK_UNDEFINED = 0xa5 };

/* ------------------------------------------------------------------ sizes */

static int irl__pack_extent(const irl_func *host, const irl__passed *arguments,
                            const irl__param *p, const irl_expr *e, int64_t *out)
{
    const irl_expr *known = irl__argument_known(host, arguments, e);
    if (!known) return 0;
    if (known->op != IRL_OP_INT || known->u.i < 0)
        return irl__fail(host->cx, IRL_ERROR_ARGUMENT_MISMATCH, p->loc,
                         "parameter '%s' has no size: an extent is %s", p->name,
                         irl_expr_text(host->cx, known));
    *out = known->u.i;
    if (known->u.i > IRL__MOST_EXTENT)
        return irl__fail(host->cx, IRL_ERROR_OVERFLOW, p->loc,
                         "parameter '%s' is larger than memory can be", p->name);
    return 1;
}

/* The elements from the first to the last, strides and offset counted. */
static int irl__pack_elements(const irl_func *host, const irl__passed *arguments,
                              const irl__param *p, int64_t *out)
{
    const irl_buffer *b = p->buffer;
    int64_t           extent, step, last = 0, product = 1;
    int               k, is_empty = 0, fits = 1;
    for (k = 0; k < b->rank; k++) {
        if (!irl__pack_extent(host, arguments, p, b->shape[k], &extent)) return 0;
        is_empty |= extent == 0;
        fits = fits && irl__mul64(product, extent, &product);
        if (!b->strides) continue;
        if (!irl__pack_extent(host, arguments, p, b->strides[k], &step)) return 0;
        fits = fits && irl__mul64(extent - 1, step, &step) && irl__add64(last, step, &last);
    }
    if (b->strides) product = is_empty ? 0 : last + 1;
    if (b->offset) {
        if (!irl__pack_extent(host, arguments, p, b->offset, &step)) return 0;
        fits = fits && irl__add64(product, step, &product);
    }
    if (!fits || (uint64_t)product > SIZE_MAX / 2 / irl__type_bytes(b->type))
        return irl__fail(host->cx, IRL_ERROR_OVERFLOW, p->loc,
                         "parameter '%s' is larger than memory can be", p->name);
    *out = product;
    return 1;
}

/* ------------------------------------------------------------------ where a logical point lies */

static int irl__pack_place(const irl_func *host, const irl__passed *arguments,
                           irl__runtime_param *out)
{
    irl_ctx          *cx = host->cx;
    const irl__param *p = out->param;
    const irl_map    *map = p->map ? irl__map_of_rank(cx, p->map, p->logical_rank) : NULL;
    const irl_expr   *indices[IRL_MAX_RANK];
    out->element = NULL;
    if (p->map && (!map || map->output_count != p->buffer->rank))
        return irl__fail(cx, IRL_ERROR_RANK_MISMATCH, p->loc,
                         "the outputs of the map of '%s' are not its %d axes",
                         p->name, p->buffer->rank);
    if (!map && !p->buffer->strides && !p->buffer->offset) return 1;
    out->point = IRL__NEW(cx, const irl_expr *, p->logical_rank);
    if (!out->point) return 0;
    for (int k = 0; k < p->logical_rank; k++) {
        out->point[k] = map ? map->inputs[k] : irl_expr_var(cx, "i", irl__type_index());
        if (!out->point[k]) return 0;
    }
    for (int k = 0; k < p->buffer->rank; k++) indices[k] = map ? map->outputs[k] : out->point[k];
    /* offset + sum of index * stride; compact and row-major where there are no strides. */
    const irl_buffer *b = p->buffer;
    const irl_expr   *sum = irl_expr_index(cx, 0);
    for (int k = 0; k < b->rank; k++) {
        if (b->strides) sum = irl__add(cx, sum, irl__mul(cx, indices[k], b->strides[k]));
        else sum = irl__add(cx, irl__mul(cx, sum, b->shape[k]), indices[k]);
    }
    out->element =
        irl__argument_known(host, arguments, b->offset ? irl__add(cx, sum, b->offset) : sum);
    return out->element != NULL;
}

/* The columns, rows and layers of an image. */
static int irl__pack_image(const irl_func *host, const irl__passed *arguments,
                           irl__runtime_param *out)
{
    const irl_buffer *b = out->param->buffer;
    int64_t           extent[IRL_MAX_RANK];
    if (!irl__runtime_is_image(b)) return 1;
    for (int k = 0; k < b->rank; k++)
        if (!irl__pack_extent(host, arguments, out->param, b->shape[k], &extent[k])) return 0;
    return irl__image_size(b, extent, out->image) ||
           irl__fail(host->cx, IRL_ERROR_BAD_STAGE, b->loc,
                     "image '%s' has no rows and columns: it needs a separator", b->name);
}

int irl__runtime_param_make(const irl_func *host, int k, const irl__passed *arguments,
                            irl__runtime_param *out)
{
    const irl__param *p = &host->params[k];
    memset(out, 0, sizeof *out);
    out->param = p;
    out->element_bytes = irl__type_bytes(p->buffer->type);
    for (int axis = 0; axis < p->logical_rank; axis++)
        if (!irl__pack_extent(host, arguments, p, p->logical_shape[axis], &out->shape[axis]))
            return 0;
    return irl__pack_elements(host, arguments, p, &out->elements) &&
           irl__pack_image(host, arguments, out) && irl__pack_place(host, arguments, out);
}

/* ------------------------------------------------------------------ moving elements */

/* A copy of a size that is known: the compiler makes a move of it. */
static void irl__pack_copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
    switch (bytes) {
    case 1: *to = *from; break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, bytes); break;
    }
}

/* Element `from` of one array of bits into element `to` of another. */
static void irl__pack_bits(const irl_buffer *b, unsigned char *to, uint64_t to_at,
                           const unsigned char *from, uint64_t from_at)
{
    const uint64_t bits = (uint64_t)b->bits;
    irl__bitfield_put(b, to, to_at * bits, irl__bitfield_bits(b, from, from_at * bits));
}

/* All logical elements, in order: from `logical` into `memory`, or back. One of the two is only
   read. */
static int irl__pack_move(irl_ctx *cx, const irl__runtime_param *p, unsigned char *logical,
                          unsigned char *memory, int is_packing)
{
    const irl_buffer *b = p->param->buffer;
    irl__program      program;
    irl__walk         walk;
    size_t            bytes = p->element_bytes;
    uint64_t          element = 0;
    int               n;
    if (!irl__program_make(cx, &program, NULL, p->param->logical_rank, p->point, 1, &p->element))
        return 0;
    if (!irl__walk_begin(&walk, p->param->logical_rank, p->shape, INT64_MAX))
        return irl__fail(cx, IRL_ERROR_OVERFLOW, p->param->loc, "'%s' has too many elements",
                         p->param->name);
    while ((n = irl__walk_next(&walk, &program)) > 0) {
        if (!irl__program_run(&program, n)) return irl__program_fail(&program, p->param->loc);
        const int64_t *at = irl__program_output(&program, 0);
        for (int k = 0; k < n; k++, element++) {
            unsigned char *here = logical + (size_t)element * bytes;
            if (at[k] < 0 || at[k] >= p->elements)
                return irl__fail(cx, IRL_ERROR_MAP_OUT_OF_RANGE, p->param->loc,
                                 "an element of '%s' goes to element %l of %l in memory",
                                 p->param->name, at[k], p->elements);
            if (b->bits && is_packing)
                irl__pack_bits(b, memory, (uint64_t)at[k], logical, element);
            else if (b->bits) irl__pack_bits(b, logical, element, memory, (uint64_t)at[k]);
            else if (is_packing) irl__pack_copy(memory + (size_t)at[k] * bytes, here, bytes);
            else irl__pack_copy(here, memory + (size_t)at[k] * bytes, bytes);
        }
    }
    return 1;
}

static void irl__pack_fill(const irl__runtime_param *p, unsigned char *memory)
{
    const irl_expr   *padding = p->param->padding;
    const irl_buffer *b = p->param->buffer;
    irl_type          scalar = irl__type_with_lanes(p->param->buffer->type, 1);
    irl__scalar       value;
    size_t            bytes = irl__type_bytes(scalar), total = irl__runtime_param_bytes(p), at;
    while (padding && padding->op == IRL_OP_BROADCAST) padding = padding->a[0];
    if (!padding || !irl__is_const(padding)) {
        memset(memory, IRL__PACK_UNDEFINED, total);
        return;
    }
    if (padding->op == IRL_OP_INT) value.i = padding->u.i;
    else value.f = padding->u.f;
    for (int64_t k = 0; b->bits && k < p->elements; k++)
        irl__bitfield_store(b, memory, (uint64_t)k * (uint64_t)b->bits, value);
    for (at = 0; !b->bits && at < total; at += bytes)
        irl__store_scalar(scalar, memory + at, value);
}

/* ------------------------------------------------------------------ to the device and back */

cl_mem irl__runtime_param_memory(irl_ocl *cl, const irl__runtime_param *p)
{
    if (irl__runtime_is_image(p->param->buffer))
        return irl__runtime_image(cl, p->param->buffer, p->image);
    return irl__runtime_memory(cl, irl__runtime_param_bytes(p));
}

int irl__runtime_upload(irl_ocl *cl, const irl__runtime_param *p, const void *data, cl_mem memory)
{
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    size_t          bytes = irl__runtime_param_bytes(p);
    const void     *from = data;
    int             ok = 1;
    if (p->element) {
        unsigned char *packed = (unsigned char *)irl__scratch_alloc(cl->cx, bytes + 1, 1);
        unsigned char *logical;
        memcpy(&logical, &data, sizeof logical); /* only read when packing */
        if (packed) irl__pack_fill(p, packed);
        ok = packed && irl__pack_move(cl->cx, p, logical, packed, 1);
        from = packed;
    }
    if (ok && bytes)
        ok = irl__runtime_is_image(p->param->buffer)
                 ? irl__runtime_image_write(cl, memory, p->image, from)
                 : irl__runtime_write(cl, memory, bytes, from);
    irl__scratch_end(cl->cx, mark);
    return ok;
}

int irl__runtime_download(irl_ocl *cl, const irl__runtime_param *p, void *data, cl_mem memory)
{
    irl__arena_mark mark = irl__scratch_begin(cl->cx);
    size_t          bytes = irl__runtime_param_bytes(p);
    unsigned char *to = p->element ? (unsigned char *)irl__scratch_alloc(cl->cx, bytes + 1, 1)
                                   : (unsigned char *)data;
    int ok = to != NULL;
    if (ok && bytes)
        ok = irl__runtime_is_image(p->param->buffer)
                 ? irl__runtime_image_read(cl, memory, p->image, to)
                 : irl__runtime_read(cl, memory, bytes, to);
    if (ok && p->element) ok = irl__pack_move(cl->cx, p, (unsigned char *)data, to, 0);
    irl__scratch_end(cl->cx, mark);
    return ok;
}
