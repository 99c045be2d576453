/* tensor_changes.h - TENSOR_CHANGE(number, what is changed in a call, what is said of it); included
   by tensor_cases.h. */
TENSOR_CHANGE(0, (void)call, "")
TENSOR_CHANGE(1, call->count = 5, "k takes 6 arguments; found 5")
TENSOR_CHANGE(2, call->count = 7, "k takes 6 arguments; found 7")
TENSOR_CHANGE(3, call->t[HOST_N].shape.rank = 1, "n.ndim must be 0; found 1")
TENSOR_CHANGE(4, call->t[HOST_N].type.scalar = IRL_I32, "n.dtype.bits must be 64; found 32")
TENSOR_CHANGE(5,
              call->t[HOST_N].type.scalar = IRL_I64,
              "the argument for 'n' must be of type index; found i64")
TENSOR_CHANGE(6, call->t[HOST_N].data = NULL, "n.data is NULL")
TENSOR_CHANGE(7, call->t[HOST_N].bytes = 7, "n.bytes must be at least 8; found 7")
TENSOR_CHANGE(8,
              call->t[HOST_S].type.scalar = IRL_U32,
              "s.dtype.code must be 2, a floating point number; found 1")
TENSOR_CHANGE(9,
              call->t[HOST_B].type.scalar = IRL_U8,
              "b.dtype.code must be 0, an integer; found 1")
TENSOR_CHANGE(10, TENSOR_X.shape.rank = 3, "x.ndim must be 2; found 3")
TENSOR_CHANGE(11, TENSOR_X.shape.rank = -1, "x.ndim must be 2; found -1")
TENSOR_CHANGE(12, TENSOR_X.shape.rank = 1000, "x.ndim must be 2; found 1000")
TENSOR_CHANGE(13,
              TENSOR_X.type.scalar = IRL_I32,
              "x.dtype.code must be 2, a floating point number; found 0")
TENSOR_CHANGE(14, TENSOR_X.type.scalar = IRL_F64, "x.dtype.bits must be 32; found 64")
TENSOR_CHANGE(15, TENSOR_X.type.lanes = 4, "x.dtype.lanes must be 1; found 4")
TENSOR_CHANGE(16,
              TENSOR_X.type.is_pointer = 1,
              "x.dtype.code must be 2, a floating point number; found -1")
TENSOR_CHANGE(17,
              TENSOR_Z.type.scalar = IRL_UNORM16,
              "the argument for 'z' must be of type u16; found unorm16")
TENSOR_CHANGE(18, TENSOR_X.shape.extent[0] = 5, "x.shape[0] must be 4; found 5")
TENSOR_CHANGE(19, TENSOR_X.shape.extent[1] = -8, "x.shape[1] must be 8; found -8")
TENSOR_CHANGE(20, TENSOR_Z.shape.extent[0] = 4, "z.shape[0] must be 5; found 4")
TENSOR_CHANGE(21,
              call->n = -1;
              TENSOR_X.shape.extent[0] = -1,
              "x: the declared shape[0] must be at least 0; found -1")
TENSOR_CHANGE(22,
              call->n = INT64_MAX;
              TENSOR_X.shape.extent[0] = INT64_MAX,
              "n must be at most 281474976710656; found 9223372036854775807")
TENSOR_CHANGE(23,
              call->n = INT64_C(1) << 47;
              TENSOR_X.shape.extent[0] = INT64_C(1) << 47,
              "x is larger than memory can be")
TENSOR_CHANGE(24, TENSOR_X.strides = call->strides[HOST_X], "")
TENSOR_CHANGE(25,
              TENSOR_X.strides = call->strides[HOST_X];
              call->strides[HOST_X][0] = 9,
              "x.strides[0] must be 8; found 9")
TENSOR_CHANGE(26,
              TENSOR_X.strides = call->strides[HOST_X];
              call->strides[HOST_X][1] = 2,
              "x.strides[1] must be 1; found 2")
TENSOR_CHANGE(27, /* strides of memory are not those of the array that is packed into it */
              TENSOR_Y.strides = call->strides[HOST_Y];
              call->strides[HOST_Y][0] = 16,
              "y.strides[0] must be 8; found 16")
TENSOR_CHANGE(28, TENSOR_X.byte_offset = 12, "")
TENSOR_CHANGE(29, TENSOR_Y.byte_offset = 384, "")
TENSOR_CHANGE(30, TENSOR_Y.byte_offset = 388, "y.bytes must be at least 516; found 512")
TENSOR_CHANGE(31, TENSOR_Y.bytes = 127, "y.bytes must be at least 128; found 127")
TENSOR_CHANGE(32, TENSOR_Y.bytes = 128, "")
TENSOR_CHANGE(33,
              TENSOR_X.byte_offset = UINT64_MAX,
              "x.byte_offset must be at most 281474976710656; found 9223372036854775807")
TENSOR_CHANGE(34,
              TENSOR_X.byte_offset = 2,
              "x.data with its byte_offset must be a multiple of 4 bytes; found a remainder of 2")
TENSOR_CHANGE(35, TENSOR_X.data = NULL, "x.data is NULL")
TENSOR_CHANGE(36, TENSOR_X.device_type = 2, "x.device.device_type must be 1, the CPU; found 2")
TENSOR_CHANGE(37, TENSOR_X.device_type = 1, "")
TENSOR_CHANGE(38, TENSOR_Y.device_id = 1, "y.device.device_id must be 0; found 1")
TENSOR_CHANGE(39, TENSOR_X.data = TENSOR_Y.data, "x and y overlap, and y is written")
TENSOR_CHANGE(40,
              TENSOR_X.data = call->room[1].bytes + 124,
              "x and y overlap, and y is written")
TENSOR_CHANGE(41,
              TENSOR_Z.data = call->room[1].bytes + 126,
              "y and z overlap, and y is written")
TENSOR_CHANGE(42,
              tensor_call_init(call, 0);
              TENSOR_X.data = NULL;
              TENSOR_X.bytes = 0;
              TENSOR_X.strides = call->strides[HOST_X],
              "")
#undef TENSOR_CHANGE
