/* packed.c - what checks read of a caller's arguments.

   needs     ir/packed.h
   promises  exactly what is asked for is read, so that a tool that watches memory finds a check
             that reads too early */
#include "eval.h"

static int64_t irl__packed_integer(const irl_packed *a, irl__packed_field field, int64_t axis)
{
    const irl_dltensor *t = a->value.tensor;
    switch (field) {
    case IRL__PACKED_KIND: return a->kind;
    case IRL__PACKED_INTEGER: return a->value.integer;
    case IRL__PACKED_HAS_TENSOR: return t != NULL;
    case IRL__PACKED_NDIM: return t->ndim;
    case IRL__PACKED_CODE: return t->dtype.code;
    case IRL__PACKED_BITS: return t->dtype.bits;
    case IRL__PACKED_LANES: return t->dtype.lanes;
    case IRL__PACKED_HAS_SHAPE: return t->shape != NULL;
    case IRL__PACKED_EXTENT: return t->shape[axis];
    case IRL__PACKED_HAS_STRIDES: return t->strides != NULL;
    case IRL__PACKED_STRIDE: return t->strides[axis];
    case IRL__PACKED_OFFSET:
        return t->byte_offset > INT64_MAX ? INT64_MAX : (int64_t)t->byte_offset;
    case IRL__PACKED_HAS_DATA: return t->data != NULL;
    case IRL__PACKED_ADDRESS: return (int64_t)((uint64_t)(uintptr_t)t->data + t->byte_offset);
    case IRL__PACKED_DEVICE_TYPE: return (int64_t)t->device.device_type;
    case IRL__PACKED_DEVICE_ID: return t->device.device_id;
    default: return 0;
    }
}

/* An index that says so many bytes, or the largest. */
static int64_t irl__packed_size(uint64_t bytes)
{
    return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

/* The same of a tensor, which may be a scalar. */
static irl__scalar irl__packed_of_tensor(const irl_tensor *t, irl__packed_field field, int64_t axis)
{
    int         code = irl__packed_code(t->type);
    irl__scalar value;
    value.i = 0;
    switch (field) {
    case IRL__PACKED_INTEGER:
    case IRL__PACKED_NUMBER: return irl__load_scalar(t->type, irl__tensor_data(t));
    case IRL__PACKED_HAS_TENSOR:
    case IRL__PACKED_HAS_SHAPE: value.i = 1; break;
    case IRL__PACKED_NDIM: value.i = t->shape.rank; break;
    case IRL__PACKED_CODE: value.i = code; break;
    case IRL__PACKED_BITS:
        value.i = code < 0 ? 0 : t->bits ? t->bits : 8 * irl__type_info(t->type)->bytes;
        break;
    case IRL__PACKED_LANES: value.i = (int64_t)t->type.lanes; break;
    case IRL__PACKED_EXTENT: value.i = t->shape.extent[axis]; break;
    case IRL__PACKED_HAS_STRIDES: value.i = t->strides != NULL; break;
    case IRL__PACKED_STRIDE: value.i = t->strides[axis]; break;
    case IRL__PACKED_OFFSET: value.i = irl__packed_size(t->byte_offset); break;
    case IRL__PACKED_HAS_DATA: value.i = t->data != NULL; break;
    case IRL__PACKED_ADDRESS:
        value.i = (int64_t)((uint64_t)(uintptr_t)t->data + t->byte_offset);
        break;
    case IRL__PACKED_DEVICE_TYPE: value.i = t->device_type ? t->device_type : 1; break;
    case IRL__PACKED_DEVICE_ID: value.i = t->device_id; break;
    case IRL__PACKED_BYTES: value.i = irl__packed_size(t->bytes); break;
    default: break;
    }
    return value;
}

int irl__packed_read(irl_ctx *cx, const irl__handed *handed, const irl_expr *e, irl__scalar *out)
{
    irl__packed_field field = irl__packed_field_of(e);
    int64_t           k = e->count ? e->a[0]->u.i : 0, axis = e->count > 1 ? e->a[1]->u.i : 0;
    irl_scalar        wanted = field == IRL__PACKED_NUMBER    ? IRL_F64
                               : field == IRL__PACKED_ADDRESS ? IRL_U64
                                                              : IRL_INDEX;
    if (!irl_type_equal(e->type, irl_type_of(wanted, 1)))
        return IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "the intrinsic '%s' is %s; found %s",
                         e->u.name, irl__type_cstr(cx, irl_type_of(wanted, 1)),
                         irl__type_cstr(cx, e->type));
    if (field == IRL__PACKED_COUNT) out->i = handed->count;
    else if (k < 0 || k >= handed->count || axis < 0)
        return IRL__FAIL(cx, IRL_ERROR_ARGUMENT_MISMATCH, "argument %l is read, but the call has "
                         "%d arguments", k, handed->count);
    else if (handed->tensors) *out = irl__packed_of_tensor(&handed->tensors[k], field, axis);
    else if (field == IRL__PACKED_NUMBER) out->f = handed->packed[k].value.number;
    else out->i = irl__packed_integer(&handed->packed[k], field, axis);
    return 1;
}
