/* targets.h - what each target can do, one row each:

     IRL_TARGET(NAME, text, plain_rank, images, pointer_casts, widths, ramps, half, int64, work_group, local_bytes, image_extent, doc)

   plain_rank     rank of a buffer in plain memory after flattening
   images         1: two-dimensional scopes become images
   pointer_casts  1: a pointer may be cast to one of other elements; 0: one access type per memory
   widths         bit k set: vectors of k+1 lanes, among 1 2 3 4 8 16
   ramps          an index may be: 2: any ramp; 1: a ramp of stride 1; 0: a scalar, of elements as wide as the access
   half           1: arithmetic on f16; 0: storage only
   int64          1: 64-bit integers
   work_group     most work-items of a group; local_bytes: of shared memory; image_extent: of one image axis
   Re-includable; undefines its macro. */
/* re-includable table */
IRL_TARGET(OPENCL12, "opencl12", 1, 1, 1, 0x808f, 1, 0, 1, 256, 32768, 8192, "OpenCL C 1.2, full profile")
IRL_TARGET(OPENCL12_EMBEDDED, "opencl12-embedded", 1, 1, 1, 0x808f, 1, 0, 0, 64, 1024, 2048, "OpenCL C 1.2, embedded profile")
IRL_TARGET(STRICT, "strict", 1, 1, 0, 0x808f, 0, 0, 1, 128, 16384, 4096, "one access type per buffer, as SPIR-V demands")
IRL_TARGET(SCALAR, "scalar", 1, 0, 0, 0x0001, 0, 0, 1, 256, 32768, 0, "no vectors")
#undef IRL_TARGET
