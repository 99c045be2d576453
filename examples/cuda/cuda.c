/* cuda.c - CUDA C, as rows of a language: the kernels of a function that is scheduled for a GPU.

       cc -I. -I/usr/include/stb examples/cuda/cuda.c -lm
       ./a.out examples/cuda/product.irl > product.cu && nvcc -fmad=false -c product.cu

   To the library, CUDA C is OpenCL C in other words. So its rows are those of OpenCL C, changed
   where CUDA C differs. They are private to the library (their names have two underscores), and a
   later version may change them. The target has neither vectors nor images, so nothing is printed
   of them. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout_ocl.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ the rows */

static const char *const index_types[] = { "uint32_t", "int32_t", "int64_t" };
static const char *const index_suffixes[] = { "u", "", "ll" };

/* by irl_scope: any pointer may point to any memory */
static const char *const spaces[] = { "", "", "", "const ", "", "", "", "" };
static const char *const arrays[] = { "", "__shared__ ", "", "", "", "", "", "" };

#define AXES(place) place(x), place(y), place(z)
#define GROUP(axis) "blockIdx." #axis
#define LOCAL(axis) "threadIdx." #axis
#define GLOBAL(axis) "(blockIdx." #axis " * blockDim." #axis " + threadIdx." #axis ")"
static const char *const items[] = { AXES(GROUP), AXES(LOCAL), AXES(GLOBAL) };

/* in the texts of the helpers */
static const char *const words[] = {
    "static", "static __device__",
    "as_float", "irl_as<float>", "as_uint", "irl_as<uint32_t>",
    "char", "int8_t", "short", "int16_t", "int", "int32_t", "long", "int64_t",
    "uchar", "uint8_t", "ushort", "uint16_t", "uint", "uint32_t", "ulong", "uint64_t", NULL
};

/* What C has not taken: no variable gets such a name. A star means any letters, # a number of
   lanes. */
static const irl__word_row *taken(void)
{
    static const irl__word_row rows[] = {
        { 'a', "alignas alignof and and_eq asm atomic*", NULL },
        { 'b', "bitand bitor blockDim blockIdx bool", NULL },
        { 'c', "catch class compl concept const_cast consteval constexpr constinit co_*", NULL },
        { 'd', "decltype delete dynamic_cast dim3 double#", NULL },
        { 'e', "exp10* explicit export", NULL },
        { 'f', "false friend float#", NULL },
        { 'g', "gridDim", NULL },
        { 'i', "int#", NULL },
        { 'm', "max min mutable", NULL },
        { 'n', "namespace new noexcept not not_eq nullptr", NULL },
        { 'o', "operator or or_eq", NULL },
        { 'p', "private protected public", NULL },
        { 'r', "reinterpret_cast requires rsqrt*", NULL },
        { 's', "static_assert static_cast", NULL },
        { 't', "template this thread_local threadIdx throw true try typeid typename", NULL },
        { 'u', "uint# using", NULL },
        { 'v', "virtual", NULL },
        { 'w', "warpSize wchar_t", NULL },
        { 'x', "xor xor_eq", NULL },
        { 0, NULL, irl__words_of_c } /* and the words of C */
    };
    return rows;
}

/* Functions of the program, where those of OpenCL C use what CUDA C has not. */
static int helper(irl__emit *e, irl__text *t, irl__emit_helper h)
{
    static const irl__helper_row rows[] = {
        { IRL__OCL_MIN, 0, 0,
          "static $ irl_min_$($ a, $ b)\n{\n    return b < a ? b : a;\n}\n\n" },
        { IRL__OCL_MAX, 0, 0,
          "static $ irl_max_$($ a, $ b)\n{\n    return b > a ? b : a;\n}\n\n" },
        { IRL__OCL_ABS, 0, 0,
          "static $ irl_abs_$($ x)\n{\n    return x < 0 ? ($)(0u - (#)x) : x;\n}\n\n" },
        { 0, 0, 0, NULL }
    };
    return irl__emit_helper_row(e, t, rows, h) || irl__emit_helper_row(e, t, irl__c_helper_rows, h);
}

/* Several elements at once, which no access of a target without vectors is. */
static void load_run(irl__emit *e, const irl__memory_place *p)
{
    irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "'%s' is accessed by vectors", p->name);
}

static void store_run(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    (void)value;
    load_run(e, p);
}

static void cuda_language(irl__emit_language *l, const char **types)
{
    irl__ocl_language(l);
    for (int k = 0; k < (int)IRL__SCALAR_COUNT; k++) types[k] = irl_scalar_info((irl_scalar)k)->c;
    types[IRL_BOOL] = "bool";
    l->name = l->title = "CUDA C";
    l->types = types;
    l->index_types = index_types;
    l->index_suffixes = index_suffixes;
    l->long_suffix = "ll";
    l->unsigned_suffixes[1] = "ull";
    l->float_suffix = "f";
    l->spaces = spaces;
    l->arrays = arrays;
    l->words = words;
    l->half = NULL; /* f16 is held as its bits */
    l->items = items;
    l->item_type = "unsigned";
    l->barriers[0] = l->barriers[1] = "\t__syncthreads();\n";
    l->as_format = "irl_as<%t>(";
    l->heads[0] = "#include <stdint.h>\n\n"
                  "/* the bits of a value as another type */\n"
                  "template <class To, class From> static __device__ To irl_as(From from)\n{\n"
                  "    union { From from; To to; } u;\n    u.from = from;\n    return u.to;\n}\n";
    l->heads[1] = l->heads[2] = l->heads[3] = NULL;
    l->external = "extern \"C\" __device__ ";
    l->kernel = "extern \"C\" __global__ ";
    l->group = "__launch_bounds__(%l * %l * %l)\n";
    l->restricted = "__restrict__ ";
    l->tongue = taken;
    l->helper = helper;
    l->load_run = load_run;
    l->store_run = store_run;
    l->load_half = NULL;
    l->store_half = NULL;
}

/* ------------------------------------------------------------------ a target, and a function */

static const irl_target *cuda_target(irl_ctx *cx)
{
    irl_target t = *irl_target_find("opencl12-gpu");
    t.name = "cuda";
    t.doc = "CUDA C: blocks of threads, shared memory, no vectors";
    t.widths = 1; /* of one lane */
    t.ramps = 0;
    t.texels = 0;
    t.image_extent = t.volume_extent = t.layers = t.line_texels = t.samplerless = 0;
    return irl_target_new(cx, &t);
}

int main(int argc, char **argv)
{
    const char        *types[IRL__SCALAR_COUNT];
    static char        text[65536];
    irl_ctx           *cx = irl_ctx_create(NULL);
    FILE              *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    const size_t       length = file ? fread(text, 1, sizeof text, file) : 0;
    irl__emit_language language;
    if (file) fclose(file);
    cuda_language(&language, types);
    /* lowering makes a schedule, for the columns of the target */
    irl_func              *f = irl_func_parse(cx, text, length, argc == 2 ? argv[1] : NULL);
    irl_module            *m = irl_func_lower(f, cuda_target(cx));
    const irl_ocl_program *program = m ? irl__ocl_emit_in(m, &language) : NULL;
    if (program) fputs(program->source, stdout);
    else fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return !program;
}
