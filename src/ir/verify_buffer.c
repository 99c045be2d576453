/* verify_buffer.c - verifies buffers: their form, and the memory that views share.

   needs     verify_expr.c
   promises  valid separators, and one number of them for all views of one memory; views no larger
             than their memory where both sizes are constant, and of elements for which it is
             aligned */
#include "verify.h"

typedef enum irl__verify_size {
    IRL__SIZE_OPEN,
    IRL__SIZE_KNOWN,
    IRL__SIZE_TOO_LARGE
} irl__verify_size;

/* Steps that the physical axis made of axes [first, end) spans. */
static int irl__verify_span(const irl_buffer *b, int first, int end, int64_t *out)
{
    int64_t part;
    *out = irl__buffer_step(b);
    for (int k = first; k < end; k++) {
        if (!b->strides) {
            if (!irl__mul64(*out, b->shape[k]->u.i, out)) return 0;
        } else if (!irl__mul64(b->shape[k]->u.i - 1, b->strides[k]->u.i, &part) ||
                   !irl__add64(*out, part, out))
            return 0;
    }
    return 1;
}

/* Steps from the data pointer to the last one, where all numbers are constant: row-major over
   the physical axes. */
static irl__verify_size irl__verify_elements(const irl_buffer *b, int64_t *out)
{
    int64_t span = 1;
    int     k, group, end = b->rank, empty = 0;
    if (b->offset && b->offset->op != IRL_OP_INT) return IRL__SIZE_OPEN;
    for (k = 0; k < b->rank; k++) {
        if (b->shape[k]->op != IRL_OP_INT) return IRL__SIZE_OPEN;
        if (b->strides && (b->strides[k]->op != IRL_OP_INT || b->strides[k]->u.i < 0))
            return IRL__SIZE_OPEN;
        empty |= b->shape[k]->u.i <= 0;
    }
    *out = !empty;
    if (empty) return IRL__SIZE_KNOWN;
    for (group = irl__buffer_groups(b); group-- > 0;) {
        int first = group ? b->separators[group - 1] : 0;
        if (!irl__verify_span(b, first, end, &span) || !irl__mul64(*out, span, out))
            return IRL__SIZE_TOO_LARGE;
        end = first;
    }
    if (b->offset && !irl__add64(*out, b->offset->u.i, out)) return IRL__SIZE_TOO_LARGE;
    return IRL__SIZE_KNOWN;
}

static irl__verify_size irl__verify_bytes(const irl_buffer *b, int64_t *out)
{
    irl__verify_size known = irl__verify_elements(b, out);
    if (known == IRL__SIZE_KNOWN && !irl__buffer_step_bytes(b, *out, out))
        return IRL__SIZE_TOO_LARGE;
    return known;
}

/* What holds for every buffer, whatever its memory. */
static int irl__verify_buffer_form(irl__verifier *v, const irl_buffer *b)
{
    if (b->type.is_pointer || irl__type_is_index(b->type))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_TYPE, "buffer '%s' has elements of %s", b->name,
                                irl__type_cstr(v->cx, b->type));
    if (!b->data || !b->data->type.is_pointer || b->data->type.scope != (uint8_t)b->scope)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "the memory of buffer '%s' is not a "
                                "pointer into its scope, %s", b->name, irl__scope_text(b->scope));
    if (!irl__verify_index_list(v, b->rank, b->shape, "an extent") ||
        (b->strides && !irl__verify_index_list(v, b->rank, b->strides, "a stride")) ||
        (b->offset && !irl__verify_index(v, b->offset, "an offset")))
        return 0;
    if (b->offset && b->separator_count)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_SEPARATORS, "buffer '%s' has separators and an "
                                "offset: an offset needs memory without separators", b->name);
    if (b->texel && (b->type.lanes != 1 || !irl__texel_lanes_ok(b->type, b->texel)))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_TEXEL, "a texel of '%s' has %d elements of %s; it "
                                "must have %d, or as many as fill %d bits", b->name, b->texel,
                                irl__type_cstr(v->cx, b->type), IRL__TEXEL_LANES, IRL__TEXEL_BITS);
    if (b->bits && !irl__bitfield_valid(v->cx, b)) return 0;
    if (!irl__separators_valid(v->cx, b->rank, b->separator_count, b->separators, v->loc)) return 0;
    int64_t bytes;
    if (irl__verify_bytes(b, &bytes) != IRL__SIZE_TOO_LARGE) return 1;
    return IRL__VERIFY_FAIL(v, IRL_ERROR_OVERFLOW, "the size of buffer '%s' does not fit 63 bits",
                            b->name);
}

int irl__verify_owner(irl__verifier *v, const irl_buffer *b)
{
    irl_type element = irl_type_pointer(irl__buffer_memory_type(b), b->scope);
    if (!irl__verify_buffer_form(v, b)) return 0;
    if (b->is_field)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "'%s' is a field, and has its own "
                                "memory: a field must be a view (decl ... data(...))", b->name);
    if (b->bits && (b->strides || b->offset))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "'%s' has elements of bits and its own "
                                "memory, where they are side by side: only a view has strides and "
                                "offset (decl ... data(...))", b->name);
    if (b->bits && b->scope == IRL_SCOPE_SHARED)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "'%s' has elements of bits in shared "
                                "memory, which each work-item would fill with zeros: allocate "
                                "bytes, and declare the bits over them (decl ... data(...))",
                                b->name);
    if (!irl_type_equal(b->data->type, element))
        return IRL__VERIFY_FAIL(v, IRL_ERROR_TYPE_MISMATCH, "buffer '%s' of %s has memory of %s",
                                b->name, irl__type_cstr(v->cx, b->type),
                                irl__type_cstr(v->cx, b->data->type));
    return irl__verify_new_var(v, b->data) && irl__verify_new(v, b->id, "buffer", b->name) &&
           irl__ptr_map_put(v->cx, &v->memory, b->data, b);
}

/* A view needs memory that is as aligned as its elements, and as it says. `first` is the buffer
   that the memory was seen by. */
static int irl__verify_alignment(irl__verifier *v, const irl_buffer *first, const irl_buffer *b)
{
    uint32_t has = irl__buffer_alignment(first, !irl__ptr_map_get(&v->pointers, b->data)),
             needs = irl__type_alignment(irl__buffer_memory_type(b));
    if (b != first && b->alignment > needs) needs = b->alignment; /* the first one states it */
    return needs <= has || IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_ALIAS, "'%s' is a view of %s, which "
                                            "must start at a multiple of %u bytes; its memory, "
                                            "'%s', starts at a multiple of %u", b->name,
                                            irl__type_cstr(v->cx, b->type), (uint64_t)needs,
                                            first->name, (uint64_t)has);
}

int irl__verify_alias(irl__verifier *v, const irl_buffer *b)
{
    int64_t mine, theirs;
    if (!b->data || b->data->op != IRL_OP_VAR)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_STRUCTURE, "buffer '%s' has no memory", b->name);
    if (!irl__verify_is_open(v, b->data->id))
        return irl__verify_undeclared(v, b->data->id, "the memory", b->data->u.name);
    const irl_buffer *owner = (const irl_buffer *)irl__ptr_map_get(&v->matches, b->data);
    if (owner)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_ALIAS, "'%s' is declared over '%s', which is a "
                                "match buffer: a part of another buffer, without its own memory. "
                                "Declare it over the memory of that other buffer, with strides and "
                                "offset", b->name, owner->name);
    if (!irl__verify_buffer_form(v, b) || !irl__verify_new(v, b->id, "buffer", b->name)) return 0;
    owner = (const irl_buffer *)irl__ptr_map_get(&v->memory, b->data);
    if (!owner) /* a pointer from a call: its first view sets the separators and the alignment */
        return irl__ptr_map_put(v->cx, &v->memory, b->data, b) &&
               irl__ptr_map_put(v->cx, &v->pointers, b->data, b) && irl__verify_alignment(v, b, b);
    if (!irl__verify_alignment(v, owner, b) || (b->is_field && !irl__verify_field(v, b))) return 0;
    if (owner->separator_count != b->separator_count)
        return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_SEPARATORS, "'%s' has %d separators and '%s', a "
                                "view of the same memory, has %d", owner->name,
                                owner->separator_count, b->name, b->separator_count);
    if (irl__verify_bytes(b, &mine) != IRL__SIZE_KNOWN ||
        irl__verify_bytes(owner, &theirs) != IRL__SIZE_KNOWN || mine <= theirs)
        return 1;
    return IRL__VERIFY_FAIL(v, IRL_ERROR_BAD_ALIAS, "'%s' takes %l bytes and its memory, '%s', has "
                            "%l", b->name, mine, owner->name, theirs);
}
