/* host_changes.h - HOST_CHANGE(number, what is changed in a call, what is said of it); included by
   host_cases.h. */
HOST_CHANGE(1, call->count = 5, "k takes 6 arguments; found 5")
HOST_CHANGE(2, call->count = 7, "k takes 6 arguments; found 7")
HOST_CHANGE(3, call->args[HOST_N].kind = 2, "n must be an integer (kind 1); found kind 2")
HOST_CHANGE(4,
            call->args[HOST_S].kind = 1,
            "s must be a floating point number (kind 2); found kind 1")
HOST_CHANGE(5,
            call->args[HOST_X].kind = 1;
            call->args[HOST_X].value.integer = 16,
            "x must be a tensor (kind 3); found kind 1")
HOST_CHANGE(6, call->args[HOST_Z].kind = 0, "z must be a tensor (kind 3); found kind 0")
HOST_CHANGE(7, call->args[HOST_B].value.integer = -129, "b must be at least -128; found -129")
HOST_CHANGE(8, call->args[HOST_B].value.integer = 128, "b must be at most 127; found 128")
HOST_CHANGE(9, call->args[HOST_X].value.tensor = NULL, "x is NULL; it must be a tensor")
HOST_CHANGE(10, HOST_X_.ndim = 3, "x.ndim must be 2; found 3")
HOST_CHANGE(11, HOST_X_.ndim = -1, "x.ndim must be 2; found -1")
HOST_CHANGE(12, HOST_X_.dtype.code = 0, "x.dtype.code must be 2, a floating point number; found 0")
HOST_CHANGE(13, HOST_Z_.dtype.code = 0, "z.dtype.code must be 1, an unsigned integer; found 0")
HOST_CHANGE(14, HOST_X_.dtype.bits = 64, "x.dtype.bits must be 32; found 64")
HOST_CHANGE(15, HOST_X_.dtype.lanes = 4, "x.dtype.lanes must be 1; found 4")
HOST_CHANGE(16, HOST_X_.shape = NULL, "x.shape is NULL")
HOST_CHANGE(17, call->shape[HOST_X][0] = 5, "x.shape[0] must be 4; found 5")
HOST_CHANGE(18, call->shape[HOST_X][1] = -8, "x.shape[1] must be 8; found -8")
HOST_CHANGE(19, call->shape[HOST_Z][0] = 4, "z.shape[0] must be 5; found 4")
HOST_CHANGE(20,
            call->args[HOST_N].value.integer = -1;
            call->shape[HOST_X][0] = -1,
            "x.shape[0] must be at least 0; found -1")
HOST_CHANGE(21,
            call->args[HOST_N].value.integer = INT64_MAX;
            call->shape[HOST_X][0] = INT64_MAX,
            "n must be at most 281474976710656; found 9223372036854775807")
HOST_CHANGE(22,
            call->args[HOST_N].value.integer = INT64_C(1) << 47;
            call->shape[HOST_X][0] = INT64_C(1) << 47,
            "x is larger than memory can be")
HOST_CHANGE(23,
            HOST_X_.strides = call->strides[HOST_X];
            call->strides[HOST_X][0] = 9;
            call->strides[HOST_X][1] = 1,
            "x.strides[0] must be 8; found 9")
HOST_CHANGE(24,
            HOST_X_.strides = call->strides[HOST_X];
            call->strides[HOST_X][0] = 8;
            call->strides[HOST_X][1] = 2,
            "x.strides[1] must be 1; found 2")
HOST_CHANGE(25,
            HOST_X_.strides = call->strides[HOST_X];
            call->strides[HOST_X][0] = 8;
            call->strides[HOST_X][1] = 1,
            "")
HOST_CHANGE(26,
            HOST_Y_.strides = NULL,
            "y.strides is NULL; its memory is not compact, they must be [16, 1]")
HOST_CHANGE(27, call->strides[HOST_Y][0] = 8, "y.strides[0] must be 16; found 8")
HOST_CHANGE(28, HOST_X_.byte_offset = 12, "")
HOST_CHANGE(29,
            HOST_X_.byte_offset = UINT64_MAX,
            "x.byte_offset must be at most 281474976710656; found 9223372036854775807")
HOST_CHANGE(30, HOST_X_.data = NULL, "x.data is NULL")
HOST_CHANGE(31,
            HOST_X_.byte_offset = 2,
            "x.data with its byte_offset must lie at a multiple of 4 bytes; found 2 above one")
HOST_CHANGE(32, HOST_X_.device.device_type = 2, "x.device.device_type must be 1, the CPU; found 2")
HOST_CHANGE(33, HOST_Y_.device.device_id = 1, "y.device.device_id must be 0; found 1")
HOST_CHANGE(34, HOST_X_.data = call->y, "x and y overlap, and y is written")
HOST_CHANGE(35, HOST_X_.data = call->y + 55, "x and y overlap, and y is written")
HOST_CHANGE(36, HOST_Z_.data = (unsigned char *)call->y + 200, "y and z overlap, and y is written")
HOST_CHANGE(37, HOST_Z_.data = (unsigned char *)call->y + 224, "")
HOST_CHANGE(38,
            call->args[HOST_N].value.integer = 0;
            call->shape[HOST_X][0] = call->shape[HOST_Y][0] = call->shape[HOST_Z][1] = 0;
            call->shape[HOST_Z][0] = 1;
            HOST_X_.data = NULL;
            HOST_X_.strides = call->strides[HOST_X],
            "")
#undef HOST_CHANGE
