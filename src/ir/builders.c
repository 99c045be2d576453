/* builders.c - builder calls for objects with many parts: views and strides, blocks, notes,
   attributes, launches, modules.

   needs     buffer.c, stmt.c, func.c; verify.c, which says whether a module holds together
   promises  everything that the text form can express can be built, and equals what the parser
             makes; lists are copied; a list that is missing or has a hole gives NULL. The verifier
             checks whether the parts fit, as for everything that is built */
#include "ir.h"

/* ------------------------------------------------------------------ lists */

#define IRL__BUILDERS_LIST(cx, type, what, count, list) \
    (irl__is_list((cx), (what), (count), (list)) ? IRL__COPY((cx), type, (list), (count)) : NULL)

/* The expressions, copied. NULL if one is missing. */
static const irl_expr *const *irl__builders_exprs(irl_ctx *cx, const char *what, int count,
                                                  const irl_expr *const *list)
{
    const irl_expr *const *copy = IRL__BUILDERS_LIST(cx, const irl_expr *, what, count, list);
    for (int k = 0; copy && k < count; k++)
        if (!copy[k]) return NULL;
    return copy;
}

/* ------------------------------------------------------------------ buffers */

static int irl__builders_placed(irl_ctx *cx, irl_buffer *b, const irl_buffer_desc *d)
{
    if (d->alignment < 0 || d->alignment > 1 << 20 || (d->alignment & (d->alignment - 1)))
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the alignment of '%s' is not a power of two "
                         "up to 1048576: %d", b->name, d->alignment);
    if (d->texel < 0 || d->texel > IRL_MAX_LANES)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a texel of '%s' has 1 to %d lanes; found %d",
                         b->name, IRL_MAX_LANES, d->texel);
    if (!irl__is_list(cx, "separators", d->separator_count, d->separators) ||
        !irl__separators_valid(cx, b->rank, d->separator_count, d->separators, irl__nowhere()))
        return 0;
    b->alignment = (uint32_t)d->alignment;
    b->texel = d->texel;
    b->offset = d->offset;
    b->separator_count = d->separator_count;
    b->separators =
        d->separator_count ? IRL__COPY(cx, int, d->separators, d->separator_count) : NULL;
    b->strides =
        d->strides && b->rank ? irl__builders_exprs(cx, "strides", b->rank, d->strides) : NULL;
    return (b->separators || !d->separator_count) && (b->strides || !d->strides || !b->rank);
}

const irl_buffer *irl_buffer_new_with(irl_ctx *cx, const char *name, irl_type element,
                                      irl_scope scope, int rank, const irl_expr *const *shape,
                                      const irl_buffer_desc *desc)
{
    const irl_expr *data = !desc ? NULL : desc->of ? desc->of->data : desc->pointer;
    if (data && (data->op != IRL_OP_VAR || !data->type.is_pointer)) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the memory of '%s' must be a variable of pointer "
                  "type", name ? name : "");
        return NULL;
    }
    irl_buffer *b = irl__buffer_make(cx, name, element, scope, rank, shape, data, irl__nowhere());
    return b && (!desc || irl__builders_placed(cx, b, desc)) ? b : NULL;
}

const irl_expr *irl_buffer_pointer(const irl_buffer *buffer)
{
    return buffer ? buffer->data : NULL;
}

/* ------------------------------------------------------------------ notes and attributes */

/* A note of the caller's becomes one of the context. */
static int irl__builders_note(irl_ctx *cx, irl__annotation *a)
{
    if (!cx || !irl__ok(cx)) return 0;
    if (!a->key || !a->text == !a->value)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a note has a key, and a value or a text");
    a->key = irl__namez(cx, a->key);
    a->text = a->text ? irl__namez(cx, a->text) : NULL;
    return a->key && (a->text || a->value);
}

/* The list with one more at its end. */
static irl__annotation *irl__builders_more(irl_ctx *cx, int count, const irl__annotation *list,
                                           irl_note note, int of_func)
{
    irl__annotation *longer = IRL__NEW(cx, irl__annotation, count + 1);
    if (!longer) return NULL;
    longer[count] = note;
    if (!irl__builders_note(cx, &longer[count]) ||
        !irl__note_check(cx, irl__nowhere(), of_func, &longer[count]))
        return NULL;
    if (count) memcpy(longer, list, (size_t)count * sizeof *list);
    return longer;
}

/* The same of a loop or block: one of that key goes, and a label stays the last. */
static const irl__annotation *irl__builders_noted(irl_ctx *cx, int *count,
                                                  const irl__annotation *list, irl_note note)
{
    irl__annotation *longer = irl__builders_more(cx, *count, list, note, 0), last;
    int              k, kept = 0;
    if (!longer) return NULL;
    last = longer[*count];
    for (k = 0; k < *count; k++)
        if (strcmp(longer[k].key, last.key) != 0) longer[kept++] = longer[k];
    longer[kept] = last;
    if (kept && strcmp(longer[kept - 1].key, IRL__NOTE_LABEL) == 0) {
        longer[kept] = longer[kept - 1];
        longer[kept - 1] = last;
    }
    *count = kept + 1;
    return longer;
}

const irl_stmt *irl_stmt_set_note(irl_ctx *cx, const irl_stmt *s, irl_note note)
{
    if (!cx || !s || !irl__ok(cx)) return NULL;
    if (s->kind != IRL__FOR && s->kind != IRL__BLOCK) {
        irl__fail(cx, IRL_ERROR_BAD_STRUCTURE, s->loc, "a note belongs to a loop or a block");
        return NULL;
    }
    irl__block_data *b = NULL;
    irl_stmt *copy = s->kind == IRL__BLOCK ? irl__block_copy(cx, s, &b) : irl__stmt_copy(cx, s);
    if (!copy) return NULL;
    const irl__annotation **list = b ? &b->notes : &copy->u.loop.annotations;
    *list = irl__builders_noted(cx, b ? &b->note_count : &copy->u.loop.annotation_count, *list,
                                note);
    return *list ? irl__stmt_finish(cx, copy) : NULL;
}

const irl_stmt *irl_stmt_attr(irl_ctx *cx, irl_note note, const irl_stmt *body)
{
    irl_stmt *s = body ? irl__stmt_new(cx, IRL__ATTR, irl__nowhere()) : NULL;
    if (!s) return NULL;
    s->u.attr.annotation = note;
    if (!irl__builders_note(cx, &s->u.attr.annotation)) return NULL;
    s->u.attr.body = body;
    return irl__stmt_finish(cx, s);
}

irl_func *irl_func_set_attr(const irl_func *f, irl_note note)
{
    irl_func *copy = f && irl__ok(f->cx) ? irl__func_copy(f->cx, f) : NULL;
    if (!copy) return NULL;
    copy->annotations = irl__builders_more(f->cx, f->annotation_count, f->annotations, note, 1);
    copy->annotation_count++;
    return copy->annotations ? copy : NULL;
}

/* ------------------------------------------------------------------ blocks */

/* Where no extent is given, each is 1. */
static int irl__builders_region(irl_ctx *cx, irl__region *r)
{
    const irl_expr *ones[IRL_MAX_RANK];
    if (!r->buffer) return 0;
    const int rank = r->buffer->rank;
    for (int k = 0; k < rank; k++) ones[k] = r->extent ? NULL : irl_expr_index(cx, 1);
    r->min = irl__builders_exprs(cx, "starts of a region", rank, r->min);
    r->extent = irl__builders_exprs(cx, "extents of a region", rank, r->extent ? r->extent : ones);
    return r->min && r->extent;
}

static const irl__region *irl__builders_regions(irl_ctx *cx, int count, const irl_region *list)
{
    irl__region *copy = IRL__BUILDERS_LIST(cx, irl__region, "regions", count, list);
    for (int k = 0; copy && k < count; k++)
        if (!irl__builders_region(cx, &copy[k])) return NULL;
    return copy;
}

static const irl__axis *irl__builders_axes(irl_ctx *cx, int count, const irl_block_axis *list)
{
    irl__axis *copy = IRL__BUILDERS_LIST(cx, irl__axis, "axes", count, list);
    for (int k = 0; copy && k < count; k++) {
        if (!copy[k].var || !copy[k].extent || !copy[k].binding) return NULL;
        copy[k].is_unstated = copy[k].is_unstated != 0;
        copy[k].is_reduction = copy[k].is_reduction != 0 && !copy[k].is_unstated;
    }
    return copy;
}

static const irl__match *irl__builders_matches(irl_ctx *cx, int count, const irl_match *list)
{
    irl__match *copy = IRL__BUILDERS_LIST(cx, irl__match, "matches", count, list);
    for (int k = 0; copy && k < count; k++)
        if (!copy[k].buffer || !irl__builders_region(cx, &copy[k].source)) return NULL;
    return copy;
}

static const irl_buffer *const *irl__builders_allocs(irl_ctx *cx, int count,
                                                     const irl_buffer *const *list)
{
    const irl_buffer *const *copy =
        IRL__BUILDERS_LIST(cx, const irl_buffer *, "allocations", count, list);
    for (int k = 0; copy && k < count; k++)
        if (!copy[k]) return NULL;
    return copy;
}

static const irl__annotation *irl__builders_notes(irl_ctx *cx, int count, const irl_note *list)
{
    irl__annotation *copy = IRL__BUILDERS_LIST(cx, irl__annotation, "notes", count, list);
    for (int k = 0; copy && k < count; k++)
        if (!irl__builders_note(cx, &copy[k]) ||
            !irl__note_check(cx, irl__nowhere(), 0, &copy[k]))
            return NULL;
    return copy;
}

const irl_stmt *irl_stmt_block(irl_ctx *cx, const irl_block_desc *d)
{
    if (!d || !d->name || !d->body) return NULL;
    irl__block_data *b;
    irl_stmt        *s = irl__block_new(cx, irl__nowhere(), d, &b);
    if (!s) return NULL;
    b->name = irl__namez(cx, d->name);
    b->axes = irl__builders_axes(cx, d->axis_count, d->axes);
    b->reads = irl__builders_regions(cx, d->read_count, d->reads);
    b->writes = irl__builders_regions(cx, d->write_count, d->writes);
    b->allocs = irl__builders_allocs(cx, d->alloc_count, d->allocs);
    b->matches = irl__builders_matches(cx, d->match_count, d->matches);
    b->notes = irl__builders_notes(cx, d->note_count, d->notes);
    return b->name && b->axes && b->reads && b->writes && b->allocs && b->matches && b->notes
               ? irl__stmt_finish(cx, s)
               : NULL;
}

/* ------------------------------------------------------------------ launches and modules */

const irl_expr *irl_expr_intrinsic(irl_ctx *cx, irl_type type, const char *name, int count,
                                   const irl_expr *const *args)
{
    if (!irl__is_list(cx, "arguments", count, args)) return NULL;
    return irl__expr_call(cx, IRL_OP_CALL_INTRINSIC, type, name, count, args);
}

const irl_stmt *irl_stmt_launch(irl_ctx *cx, const char *kernel, int count,
                                const irl_expr *const *args)
{
    irl_stmt *s = kernel ? irl__stmt_new(cx, IRL__LAUNCH, irl__nowhere()) : NULL;
    if (!s) return NULL;
    s->u.launch.kernel = irl__namez(cx, kernel);
    s->u.launch.count = count;
    s->u.launch.args = irl__builders_exprs(cx, "arguments", count, args);
    return s->u.launch.kernel && s->u.launch.args ? s : NULL;
}

/* The function in the role that it has in a module. */
static const irl_func *irl__builders_role(irl_ctx *cx, const irl_func *f, irl__role role)
{
    irl_func *copy = irl__func_copy(cx, f);
    if (copy && f->layout_count) {
        irl__fail(cx, IRL_ERROR_BAD_STAGE, f->loc,
                  "'%s' has layouts that are not applied; a module is lowered already", f->name);
        return NULL;
    }
    if (copy) copy->role = role;
    return copy;
}

irl_module *irl_module_new(irl_ctx *cx, const char *name, const char *target, const irl_func *host,
                           int kernel_count, const irl_func *const *kernels)
{
    if (!name || !host || !irl__is_list(cx, "kernels", kernel_count, kernels)) return NULL;
    irl_module *m = IRL__NEW(cx, irl_module, 1);
    const irl_func **list = IRL__NEW(cx, const irl_func *, kernel_count);
    if (!m || !list) return NULL;
    m->cx = cx;
    m->name = irl__namez(cx, name);
    m->target = target ? irl__namez(cx, target) : NULL;
    m->host = irl__builders_role(cx, host, IRL__HOST);
    m->kernel_count = kernel_count;
    m->kernels = list;
    for (int k = 0; k < kernel_count; k++) {
        list[k] = irl__builders_role(cx, kernels[k], IRL__KERNEL);
        if (!list[k]) return NULL;
    }
    return m->name && m->host && irl__verify_module(m) ? m : NULL;
}
