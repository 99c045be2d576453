/* ocl_words.h - names that OpenCL C has taken: IRL_OCL_WORDS(first, "word word ..."), one row per
   first letter.

   Keywords of C and OpenCL C, types, built-in functions, macros and constants, from OpenCL C 1.0 to
   3.0 and the extensions that compilers declare without being asked. `word*` is everything that
   starts so; `word#` is the word alone or with 2, 3, 4, 8 or 16 after it. Words that C reserves by
   their form (_X, __x) are not listed. Re-includable; undefines its macro. */
/* re-includable table */
IRL_OCL_WORDS('A', "ALIGN4 ALIGN8 ATOMIC_*")
IRL_OCL_WORDS('B', "BOOL")
IRL_OCL_WORDS('C', "CHAR_BIT CHAR_MAX CHAR_MIN CLANG_* CLK_* CL_*")
IRL_OCL_WORDS('D', "DBL_*")
IRL_OCL_WORDS('F', "FLT_* FP_*")
IRL_OCL_WORDS('H', "HALF_* HUGE_VAL HUGE_VALF")
IRL_OCL_WORDS('I', "IMG_RO_AQ IMG_RW_AQ IMG_WO_AQ INFINITY INT_MAX INT_MIN INTMAX_* INTPTR_* "
              "INTTYPE")
IRL_OCL_WORDS('L', "LLVM_* LONG_MAX LONG_MIN")
IRL_OCL_WORDS('M', "MAXFLOAT MAX_KERNEL_* MAX_WORK_DIM M_1_* M_2_* M_E M_E_* M_LN* M_LOG* M_PI "
              "M_PI_* M_SQRT*")
IRL_OCL_WORDS('N', "NAN NULL")
IRL_OCL_WORDS('P', "POCL_* PTRDIFF_*")
IRL_OCL_WORDS('S', "SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN SIZE_MAX SPIR_*")
IRL_OCL_WORDS('U', "UCHAR_MAX UINT_MAX UINTPTR_* ULONG_MAX USHRT_MAX")
IRL_OCL_WORDS('a', "abs abs_diff acos acosh acospi add_sat alignas alignof all amd_* any arm_dot* "
              "as_* asin asinh asinpi asm "
                   "async_work_group_* atan atan2 atan2pi atanh atanpi atom_* atomic_* auto")
IRL_OCL_WORDS('b', "barrier bit_reverse bitfield_* bitselect bool break")
IRL_OCL_WORDS('c', "capture_event_profiling_info case cbrt ceil char# cl_* clamp cles_* clk_* clz "
              "complex const const_cast constant "
                   "continue convert_* copysign cos cosh cospi create_user_event cross ctz")
IRL_OCL_WORDS('d', "default defined degrees distance do dot dot_4x8packed_* dot_acc_sat* double#")
IRL_OCL_WORDS('e', "else enable_if enqueue_kernel enqueue_marker enum erf erfc event_t exp exp10 "
              "exp2 expm1 extern")
IRL_OCL_WORDS('f', "fabs false fast_distance fast_length fast_normalize fdim float# floor fma fmax "
              "fmin fmod for fract frexp")
IRL_OCL_WORDS('g', "generic get_default_queue get_enqueued_* get_fence get_global_id "
              "get_global_linear_id get_global_offset "
                   "get_global_size get_group_id get_image_* get_kernel_* get_local_id "
                   "get_local_linear_id get_local_size "
                   "get_max_sub_group_size get_num_groups get_num_sub_groups get_pipe_* "
                   "get_sub_group_* get_work_dim global goto")
IRL_OCL_WORDS('h', "hadd half# half_cos half_divide half_exp half_exp10 half_exp2 half_log "
              "half_log10 half_log2 half_powr "
                   "half_recip half_rsqrt half_sin half_sqrt half_tan hypot")
IRL_OCL_WORDS('i', "i386 if ilogb image1d_* image2d_* image3d_* imaginary inline int# intel_* "
              "intptr_t irl_* is_valid_event "
                   "is_valid_reserve_id isequal isfinite isgreater isgreaterequal isinf isless "
                   "islessequal islessgreater isnan "
                   "isnormal isnotequal isordered isunordered")
IRL_OCL_WORDS('k', "kernel kernel_enqueue_flags_t kernel_exec")
IRL_OCL_WORDS('l', "ldexp length lgamma lgamma_r linux local log log10 log1p log2 logb long#")
IRL_OCL_WORDS('m', "mad mad24 mad_hi mad_sat main max maxmag mem_fence memory_order* memory_scope* "
              "min minmag mix modf mul24 "
                   "mul_hi")
IRL_OCL_WORDS('n', "nan native_cos native_divide native_exp native_exp10 native_exp2 native_log "
              "native_log10 native_log2 "
                   "native_powr native_recip native_rsqrt native_sin native_sqrt native_tan "
                   "ndrange_* nextafter normalize nullptr")
IRL_OCL_WORDS('o', "offsetof")
IRL_OCL_WORDS('p', "pipe popcount pow pown powr prefetch printf private ptrdiff_t")
IRL_OCL_WORDS('q', "quad# qcom_* queue_t")
IRL_OCL_WORDS('r', "radians read_image* read_mem_fence read_only read_pipe read_write register "
              "release_event remainder remquo "
                   "reserve_id_t reserve_read_pipe reserve_write_pipe restrict retain_event return "
                   "rhadd rint rootn rotate round rsqrt")
IRL_OCL_WORDS('s', "sampler_t select set_user_event_status short# shuffle shuffle2 sign signbit "
              "signed sin sincos sinh sinpi "
                   "size_t sizeof smoothstep sqrt static static_assert step struct sub_group_* "
                   "sub_sat switch")
IRL_OCL_WORDS('t', "tan tanh tanpi tgamma thread_local to_global to_local to_private true trunc "
              "typedef typeof typeof_unqual")
IRL_OCL_WORDS('u', "uchar# uint# uintptr_t ulong# uniform union unix unsigned upsample ushort#")
IRL_OCL_WORDS('v', "vec_step vload* void volatile vstore*")
IRL_OCL_WORDS('w', "wait_group_events while work_group_* write_image* write_mem_fence write_only "
              "write_pipe")
#undef IRL_OCL_WORDS
