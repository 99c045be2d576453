/* targets.h - what each target can do, one row each:

     IRL_TARGET(NAME, text, pointer_casts, alignment, run_alignment, widths, ramps, int64,
     halves, buffer_bytes, work_group,
                local_bytes, vector_bytes, registers, cache_bytes, serial, texels, image_extent,
                volume_extent, layers, line_texels,
                samplerless, image_tensors, subgroup, group_items, units, line_bytes, banks,
                doc)

   irl_target in irlayout.h says what the columns are; texels is a set of target.h's, NO_TEXELS:
   there are no images. vectors.c says which forms of vectors there are beside ramps;
   target_check.c checks the columns of a target that a program makes.
   Re-includable; undefines its macro.

   C99: a schedule keeps to 16 scalars, the float registers of x86-64, so that none is spilled.

   Phones: Qualcomm's OpenCL guide says that waves have 64 or 128 work-items, that groups should be
   whole waves, and vectors of 128 bits. Arm's says that warps have up to 16, that groups of 64 to
   128 do best, that shared memory is emulated in global memory, and that a work-item has 64
   registers of 32 bits. Of the embedded profile the least of these. */
/* re-includable table */
IRL_TARGET(OPENCL12, "opencl12", 1, 128, 1, 0x808f, 1, 1, 0, INT64_MAX, 256, 32768, 64, 32, 32768,
           0, OPENCL_TEXELS,
           8192, 2048, 2048, 65536, 1, 0, 0, 0, 0, 0, 0, "OpenCL C 1.2, full profile")
IRL_TARGET(OPENCL12_FP16, "opencl12-fp16", 1, 128, 1, 0x808f, 1, 1, 1, INT64_MAX, 256, 32768, 64,
           32, 32768, 0, OPENCL_TEXELS,
           8192, 2048, 2048, 65536, 1, 0, 0, 0, 0, 0, 0,
           "OpenCL C 1.2 with cl_khr_fp16: halves are computed in f16")
IRL_TARGET(OPENCL12_GPU, "opencl12-gpu", 1, 128, 1, 0x808f, 1, 1, 0, INT64_MAX, 256, 32768, 16, 128,
           16384, 0, OPENCL_TEXELS,
           8192, 2048, 2048, 65536, 1, 0, 32, 256, 64, 128, 32,
           "OpenCL C 1.2 on GPUs: tiles of a group in shared memory")
IRL_TARGET(OPENCL12_AVX2, "opencl12-avx2", 1, 128, 1, 0x808f, 1, 1, 0, INT64_MAX, 256, 32768, 32,
           16, 32768, 0, OPENCL_TEXELS,
           8192, 2048, 2048, 65536, 1, 0, 0, 0, 0, 0, 0,
           "OpenCL C 1.2 on CPUs, scheduled for the registers of x86 with AVX2 and FMA")
IRL_TARGET(OPENCL12_EMBEDDED, "opencl12-embedded", 1, 64, 1, 0x808f, 1, 0, 0, INT32_MAX, 64, 1024,
           16, 16, 16384, 0,
           OPENCL_TEXELS, 2048, 0, 256, 2048, 0, 0, 16, 64, 8, 64, 0,
           "OpenCL C 1.2, embedded profile")
IRL_TARGET(ADRENO, "adreno", 1, 128, 1, 0x808f, 1, 1, 0, INT64_MAX, 256, 32768, 16, 32, 32768, 0,
           OPENCL_TEXELS, 16384, 2048, 2048, 65536, 1, 1, 64, 128, 16, 64, 0,
           "OpenCL C 1.2 on phones: tensors of graphs in images")
IRL_TARGET(MALI, "mali", 1, 128, 1, 0x808f, 1, 1, 0, INT64_MAX, 256, 32768, 16, 16, 16384, 0,
           OPENCL_TEXELS, 8192, 2048, 2048, 65536, 1, 0, 16, 64, 16, 64, 0,
           "OpenCL C 1.2 on phones whose shared memory is global memory")
IRL_TARGET(STRICT, "strict", 0, 128, 128, 0x808f, 0, 1, 0, INT64_MAX, 128, 16384, 16, 64,
           16384, 0, SPIRV_TEXELS,
           4096,
           256, 256, 65536, 1, 0, 0, 0, 0, 0, 0,
           "one access type per buffer, as SPIR-V requires (it is not about exact floats)")
IRL_TARGET(GLSL, "glsl", 0, 128, 128, 0x000f, 0, 0, 0, 134217728, 128, 16384, 16, 128, 16384, 0,
           SPIRV_TEXELS, 4096, 256, 256, 65536, 1, 0, 32, 128, 64, 128, 32,
           "compute shaders in GLSL 4.50: what Vulkan guarantees on every device")
IRL_TARGET(SCALAR, "scalar", 0, 8, 1, 0x0001, 0, 1, 0, INT64_MAX, 256, 32768, 0, 0, 0, 0,
           NO_TEXELS, 0, 0, 0,
           0, 0, 0, 0, 0, 0, 0, 0, "no vectors")
IRL_TARGET(C99, "c99", 0, 8, 1, 0x0001, 0, 1, 0, INT64_MAX, INT32_MAX, INT32_MAX, 0, 16, 32768, 1,
           NO_TEXELS, 0, 0,
           0, 0, 0, 0, 0, 0, 0, 0, 0, "C99: work-items are loops, images are arrays")
IRL_TARGET(C_GNU, "c-gnu", 0, 1, 1, 0x808b, 1, 1, 0, INT64_MAX, INT32_MAX, INT32_MAX, 0, 16, 32768,
           1, NO_TEXELS, 0, 0,
           0, 0, 0, 0, 0, 0, 0, 0, 0, "C99 with the vectors of gcc and clang")
IRL_TARGET(C_GNU_AVX2, "c-gnu-avx2", 0, 1, 1, 0x808b, 1, 1, 0, INT64_MAX, INT32_MAX, INT32_MAX, 32,
           16, 32768, 1, NO_TEXELS, 0, 0,
           0, 0, 0, 0, 0, 0, 0, 0, 0, "c-gnu, scheduled for the registers of x86 with AVX2 and FMA")
IRL_TARGET(C_GNU_AVX512, "c-gnu-avx512", 0, 1, 1, 0x808b, 1, 1, 0, INT64_MAX, INT32_MAX, INT32_MAX,
           64, 32, 32768, 1, NO_TEXELS, 0, 0,
           0, 0, 0, 0, 0, 0, 0, 0, 0, "c-gnu, scheduled for the registers of x86 with AVX-512")
#undef IRL_TARGET
