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
            "x: the declared shape[0] must be at least 0; found -1")
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
            "y.strides is NULL; its memory is not compact, so strides are required [16, 1]")
HOST_CHANGE(27, call->strides[HOST_Y][0] = 8, "y.strides[0] must be 16; found 8")
HOST_CHANGE(28, HOST_X_.byte_offset = 12, "")
HOST_CHANGE(29,
            HOST_X_.byte_offset = UINT64_MAX,
            "x.byte_offset must be at most 281474976710656; found 9223372036854775807")
HOST_CHANGE(30, HOST_X_.data = NULL, "x.data is NULL")
HOST_CHANGE(31,
            HOST_X_.byte_offset = 2,
            "x.data with its byte_offset must be a multiple of 4 bytes; found a remainder of 2")
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
HOST_CHANGE(39, call->args[HOST_B].kind = 3, "b must be an integer (kind 1); found kind 3")
HOST_CHANGE(40, call->args[HOST_Y].kind = 2, "y must be a tensor (kind 3); found kind 2")
HOST_CHANGE(41,
            call->args[HOST_N].value.integer = INT64_MIN,
            "n must be at least -281474976710656; found -9223372036854775808")
HOST_CHANGE(42, call->args[HOST_Y].value.tensor = NULL, "y is NULL; it must be a tensor")
HOST_CHANGE(43, HOST_Y_.ndim = 1, "y.ndim must be 2; found 1")
HOST_CHANGE(44,
            HOST_Y_.dtype.code = 4,
            "y.dtype.code must be 2, a floating point number; found 4")
HOST_CHANGE(45, HOST_Y_.dtype.bits = 8, "y.dtype.bits must be 32; found 8")
HOST_CHANGE(46, HOST_Y_.dtype.lanes = 0, "y.dtype.lanes must be 1; found 0")
HOST_CHANGE(47, HOST_Y_.shape = NULL, "y.shape is NULL")
HOST_CHANGE(48, call->args[HOST_Z].value.tensor = NULL, "z is NULL; it must be a tensor")
HOST_CHANGE(49, HOST_Z_.ndim = 1, "z.ndim must be 2; found 1")
HOST_CHANGE(50, HOST_Z_.dtype.bits = 8, "z.dtype.bits must be 16; found 8")
HOST_CHANGE(51, HOST_Z_.dtype.lanes = 0, "z.dtype.lanes must be 1; found 0")
HOST_CHANGE(52, HOST_Z_.shape = NULL, "z.shape is NULL")
HOST_CHANGE(53, call->shape[HOST_Y][0] = 3, "y.shape[0] must be 4; found 3")
HOST_CHANGE(54, call->shape[HOST_Y][1] = 9, "y.shape[1] must be 8; found 9")
HOST_CHANGE(55,
            call->shape[HOST_Z][1] = INT64_MIN,
            "z.shape[1] must be 4; found -9223372036854775808")
HOST_CHANGE(56,
            call->args[HOST_N].value.integer = INT64_C(1) << 24;
            call->shape[HOST_X][0] = call->shape[HOST_Y][0] = INT64_C(1) << 24;
            call->shape[HOST_Z][0] = (INT64_C(1) << 24) + 1;
            call->shape[HOST_Z][1] = INT64_C(1) << 24,
            "z is larger than memory can be")
HOST_CHANGE(57, call->strides[HOST_Y][1] = 2, "y.strides[1] must be 1; found 2")
HOST_CHANGE(58,
            HOST_Z_.strides = call->strides[HOST_Z];
            call->strides[HOST_Z][0] = 5;
            call->strides[HOST_Z][1] = 1,
            "z.strides[0] must be 4; found 5")
HOST_CHANGE(59,
            HOST_Z_.strides = call->strides[HOST_Z];
            call->strides[HOST_Z][0] = 4;
            call->strides[HOST_Z][1] = 0,
            "z.strides[1] must be 1; found 0")
HOST_CHANGE(60,
            HOST_Y_.byte_offset = (UINT64_C(1) << 48) + 1,
            "y.byte_offset must be at most 281474976710656; found 281474976710657")
HOST_CHANGE(61, HOST_Y_.data = NULL, "y.data is NULL")
HOST_CHANGE(62,
            HOST_Y_.byte_offset = 3,
            "y.data with its byte_offset must be a multiple of 4 bytes; found a remainder of 3")
HOST_CHANGE(63,
            HOST_Y_.device.device_type = 7,
            "y.device.device_type must be 1, the CPU; found 7")
HOST_CHANGE(64,
            HOST_Z_.byte_offset = (UINT64_C(1) << 48) + 1,
            "z.byte_offset must be at most 281474976710656; found 281474976710657")
HOST_CHANGE(65, HOST_Z_.data = NULL, "z.data is NULL")
HOST_CHANGE(66,
            HOST_Z_.byte_offset = 1,
            "z.data with its byte_offset must be a multiple of 2 bytes; found a remainder of 1")
HOST_CHANGE(67,
            HOST_Z_.device.device_type = 7,
            "z.device.device_type must be 1, the CPU; found 7")
HOST_CHANGE(68, HOST_Z_.device.device_id = -1, "z.device.device_id must be 0; found -1")
HOST_CHANGE(69, HOST_Z_.data = call->x, "x and z overlap, and z is written")
#undef HOST_CHANGE
