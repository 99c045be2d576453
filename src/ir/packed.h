/* packed.h - what can be read of a caller's arguments: IRL_PACKED_FIELD(NAME, text, operands).

   text      the name of the intrinsic; of type index, but NUMBER, which is f64, and ADDRESS, u64
   operands  0: none; 1: the number of the argument; 2: that and an axis

   The first two may be read always, a value where the kind is right, the others of a tensor, a
   stride where there are strides. Re-includable; undefines its macro. */
/* re-includable table */
IRL_PACKED_FIELD(COUNT, "argument.count", 0)
IRL_PACKED_FIELD(KIND, "argument.kind", 1)
IRL_PACKED_FIELD(INTEGER, "argument.integer", 1)
IRL_PACKED_FIELD(NUMBER, "argument.number", 1)
IRL_PACKED_FIELD(HAS_TENSOR, "argument.has_tensor", 1)
IRL_PACKED_FIELD(NDIM, "argument.ndim", 1)
IRL_PACKED_FIELD(CODE, "argument.code", 1)
IRL_PACKED_FIELD(BITS, "argument.bits", 1)
IRL_PACKED_FIELD(LANES, "argument.lanes", 1)
IRL_PACKED_FIELD(HAS_SHAPE, "argument.has_shape", 1)
IRL_PACKED_FIELD(EXTENT, "argument.extent", 2)
IRL_PACKED_FIELD(HAS_STRIDES, "argument.has_strides", 1)
IRL_PACKED_FIELD(STRIDE, "argument.stride", 2)
IRL_PACKED_FIELD(OFFSET, "argument.offset", 1) /* of bytes; the largest index if it is none */
IRL_PACKED_FIELD(HAS_DATA, "argument.has_data", 1)
IRL_PACKED_FIELD(ADDRESS, "argument.address", 1) /* of the byte at the offset */
IRL_PACKED_FIELD(DEVICE_TYPE, "argument.device_type", 1)
IRL_PACKED_FIELD(DEVICE_ID, "argument.device_id", 1)
IRL_PACKED_FIELD(BYTES, "argument.bytes", 1) /* behind data; of an irl_tensor alone */
#undef IRL_PACKED_FIELD
