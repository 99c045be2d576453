/* targets.h - what each target can do, one row each:

     IRL_TARGET(NAME, text, pointer_casts, alignment, run_alignment, widths, ramps, int64,
     halves, buffer_bytes, work_group,
                local_bytes, vector_bytes, registers, cache_bytes, serial, texels, image_extent,
                volume_extent, layers, line_texels,
                samplerless, doc)

   pointer_casts  1: a pointer may be cast to one of other elements (written memory that is seen so
                  goes through bytes); 0: one access type per memory
   alignment      bytes: an element that is a vector begins at a multiple of its own size, but of no
                  more than this
   run_alignment  the same for lanes one after the other, which are several elements; 1: at any of
                  them (vload and vstore)
   widths         bit k set: vectors of k+1 lanes, among 1 2 3 4 8 16
   ramps          an index may be: 1: a ramp of stride 1; 0: a scalar, of elements as wide as the
                  access. vectors.c says which other forms of vectors there are
   int64          1: 64-bit integers. 0: indices are of 32 bits too, so that buffer_bytes must fit
                  31
   halves         1: f16 has sums, products, quotients and roots of its own; 0: they are f32's,
                  rounded, the same bits. bf16 always is computed in f32
   buffer_bytes   most bytes of a buffer that a kernel is given; INT64_MAX: any
   work_group     most work-items of a group; local_bytes: of shared memory
   vector_bytes   what schedules are made for (src/schedule/auto.c): bytes of a register that holds
                  a vector; registers: how many of them; cache_bytes: of the memory nearest to them.
                  0 registers: loops stay as they are
   serial         1: no device: work-items are loops, images are arrays of their texels
   texels         the types that images hold on every device of the kind, a set of target.h's:
                  NO_TEXELS: there are no images
   image_extent   texels along a side of a 2-d image that every device of the kind has;
                  volume_extent: of a 3-d one, 0: has none; layers: of an array; line_texels: of an
                  image over a buffer
   samplerless    1: a read that is proved in range carries no sampler
   Re-includable; undefines its macro. */
/* re-includable table */
IRL_TARGET(OPENCL12, "opencl12", 1, 128, 1, 0x808f, 1, 1, 0, INT64_MAX, 256, 32768, 64, 32, 32768,
           0, OPENCL_TEXELS,
           8192, 2048, 2048, 65536, 1, "OpenCL C 1.2, full profile")
IRL_TARGET(OPENCL12_EMBEDDED, "opencl12-embedded", 1, 64, 1, 0x808f, 1, 0, 0, INT32_MAX, 64, 1024,
           16, 32, 16384, 0,
           OPENCL_TEXELS, 2048, 0, 256, 2048, 0, "OpenCL C 1.2, embedded profile")
IRL_TARGET(STRICT, "strict", 0, 128, 128, 0x808f, 0, 1, 0, INT64_MAX, 128, 16384, 16, 64,
           16384, 0, SPIRV_TEXELS,
           4096,
           256, 256, 65536, 1, "one access type per buffer, as SPIR-V demands")
IRL_TARGET(SCALAR, "scalar", 0, 8, 1, 0x0001, 0, 1, 0, INT64_MAX, 256, 32768, 0, 0, 0, 0,
           NO_TEXELS, 0, 0, 0,
           0, 0, "no vectors")
IRL_TARGET(C99, "c99", 0, 8, 1, 0x0001, 0, 1, 0, INT64_MAX, INT32_MAX, INT32_MAX, 0, 0, 0, 1,
           NO_TEXELS, 0, 0,
           0, 0, 0, "C99: work-items are loops, images are arrays")
IRL_TARGET(C_GNU, "c-gnu", 0, 1, 1, 0x808b, 1, 1, 0, INT64_MAX, INT32_MAX, INT32_MAX, 0, 0, 0, 1,
           NO_TEXELS, 0, 0,
           0, 0, 0, "C99 with the vectors of gcc and clang")
#undef IRL_TARGET
