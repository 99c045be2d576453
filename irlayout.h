/* irlayout.h - state a buffer's layout once; the library proves it and emits kernels that use it.

   A program states a computation in logical indices: the indices that its author thinks in. One
   line per buffer states its layout: the map from logical indices to cells of memory. irlayout
   proves that the layout is right for a given shape, or shows two points that collide in one cell.
   It then rewrites every access of the computation to use the layout, and emits C, OpenCL C or
   GLSL.

   HOW TO ADD IT
       In one C or C++ file:         #define IRLAYOUT_IMPLEMENTATION
                                     #include "irlayout.h"
       In every other file:          #include "irlayout.h"
       A program that emits OpenCL includes irlayout_ocl.h, which includes this file. A program that
       runs kernels also defines IRLAYOUT_OCL_RUNTIME next to IRLAYOUT_IMPLEMENTATION, and links the
       OpenCL loader (-lOpenCL). The implementation needs stb_ds.h (Debian: libstb-dev) and libm.
       The declarations need only <stddef.h> and <stdint.h>.

   CONFIGURATION (define before the include. "all": in every file that includes this one; "one":
   only in the file that defines IRLAYOUT_IMPLEMENTATION)
     IRL_STATIC               all  every function is static and leaves no symbol. Each file that
                                   includes the header must then define IRLAYOUT_IMPLEMENTATION.
     IRL_API                  all  the linkage of public functions; default extern. For a shared
                                   library on Windows: __declspec(dllexport) in the file that
                                   implements it, __declspec(dllimport) in the files that use it;
                                   elsewhere __attribute__((visibility("default")))
     IRL_INDEX_TYPE           all  the type of irl_index in IRL_LAYOUT functions; default int64_t
     IRL_STB_DS_H             one  the name of stb_ds.h, with quotes or brackets
     IRL_MAX_DEPTH            one  how deep expressions and statements may nest; default 400

   WHAT CAN BE LEFT OUT (define before the include; "all" and "one" as above)
   These switches may be combined. A part that is left out is not declared, so a program that uses
   it does not compile; the implementation does not contain it either. The last column counts the
   functions that are compiled; docs/claims.md has the compile times. `make compile-times` measures
   both. A name such as >>graphs is a section of this file: search for the mark.
     switch                        leaves out                                          functions
     (none)                        nothing                                                  6841
     IRLAYOUT_NO_SCHEDULES    all  irl_schedule and its kin, steps, irl_graph_fuse,         5507
                                   and what IRLAYOUT_NO_AUTO leaves out
     IRLAYOUT_NO_AUTO         all  irl_schedule_auto; irl_func_lower then emits a nest      6431
                                   that has no schedule as it is written
     IRLAYOUT_NO_GRAPHS       all  >>graphs and irl_ocl_graph_load                          6629
     IRLAYOUT_NO_DMA          all  >>dma                                                    6723
     IRLAYOUT_NO_PICTURES     all  >>pictures, irl_func_picture and irl_plan_svg            6710
     IRLAYOUT_NO_GLSL         all  irl_glsl_source and its kin                              6751
     IRLAYOUT_NO_INTERPRETER  all  irl_func_interpret and its kin                           6618
     IRLAYOUT_NO_PROOF        all  irl_map_roundtrip_proof                                  6796
     (all of these)                all of these; functions to C and OpenCL C remain         4711
     IRLAYOUT_MAPS_ONLY       all  >>analysis, >>schedules, >>lowering (C of layouts        2540
                                   too), plans of modules, >>running, >>graphs and
                                   OpenCL. Layouts, verdicts, records, pictures,
                                   textures, packing functions, DMA lists, >>building
                                   and >>reading remain.
     irlayout_map.h                (another file) all but layouts, verdicts, pictures,      1936
                                   records and C of a layout
     IRL_NO_LIBC_ALLOCATOR    one  malloc and files: a context then needs an                   -
                                   allocator or a block
     IRL_NO_FILES             one  stdio: a diagnostic of a macro then shows the macro's       -
                                   text instead of the line of its file

   THE TEN FUNCTIONS THAT YOU NEED
     irl_ctx_create           a context, which owns everything else; irl_ctx_destroy frees it
     irl_layout               the index map of an IRL_LAYOUT line (irl_map_parse: of a text)
     irl_map_check            the verdict: bijective, injective, lossy with two points, ...
     irl_map_picture          the layout as a picture
     irl_kernel               the function of an IRL_KERNEL (irl_func_parse: of a text)
     irl_func_set_layout      the function with a layout for one buffer
     irl_func_lower           the module for a target: a host function and kernels
     irl_ocl_source           the module as OpenCL C (in irlayout_ocl.h); irl_c_source: as C99
     irl_module_interpret     runs the module on arrays; its results define what is right
     irl_diag_text            why something failed; irl_ok says whether something failed

   THE FIRST PROGRAM: a layout is both a C function and a text that the library can check
       IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8));            page, column, bit

       irl_index at[3];
       IRL_AT(ssd1306, at, 13, 5);                                plain C: 1, 5, 5

       irl_ctx *cx = irl_ctx_create(NULL);
       irl_verdict v = irl_map_check(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(64, 128));
       puts(irl_verdict_text(cx, &v));                            bijective onto [8, 128, 8]
       irl_ctx_destroy(cx);

   THE SECOND PROGRAM: a kernel in logical indices, and a layout for one of its buffers.
   irl_module_interpret runs the kernel; irlayout_ocl.h can emit it as OpenCL C
       IRL_LAYOUT(blocked, (i), (i / 4, i % 4));
       IRL_KERNEL(twice, (x: f32[10], y: f32[10]) { for (i: 10) y[i] = x[i] + x[i]; });

       irl_func   *f = irl_func_set_layout(irl_kernel(cx, &twice), "y", irl_layout(cx, &blocked));
       irl_module *m = irl_func_lower(f, &irl_target_opencl12);
       puts(irl_ok(cx) ? irl_module_text(m) : irl_diag_text(cx)); y becomes f32[3, 4]
       irl_module_interpret(m, IRL_ARGS(x, y));                   x, y: plain arrays of 10

   THE THIRD PROGRAM: a pass of your own. It counts divisions, then replaces each division by 2 by a
   multiplication by 0.5 (is_division and no_div are functions of yours; section >>reading describes
   them)
       irl_func_walk(f, &walk);
       f = irl_func_rewrite(f, no_div, NULL);

   STEP BY STEP: recipes. In all recipes `cx` is a context made by irl_ctx_create(NULL), `tiles` is
   the layout of recipe 1, and `plus` is the kernel of recipe 10. The text at the right of a line is
   what the line prints. tests/test_manual.c compiles and runs every line.

   1. Prove a layout for a shape.
       IRL_LAYOUT(tiles, (y, x), (y / 8, x / 8, y % 8, x % 8));         outside of functions

       irl_verdict v = irl_map_check(cx, irl_layout(cx, &tiles), IRL_SHAPE(64, 128));
       puts(irl_verdict_text(cx, &v));                                  bijective onto [8, 16, 8, 8]

   2. See the mistake. If a layout loses data, its verdict names two points that collide. Here the
   programmer forgot c % 4.
       const irl_map *wrong = irl_map_parse(cx, "(n, c) -> (n, c / 4)");
       irl_verdict    v = irl_map_check(cx, wrong, IRL_SHAPE(2, 8));
       if (v.kind == IRL_LOSSY) puts(irl_verdict_text(cx, &v));
   prints: lossy: (0, 0) and (0, 1) both map to [0, 0].

   3. Prove a layout for every size. An extent of a shape may be a name, here N.
       const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
       const irl_map  *fours = irl_map_parse(cx, "(i) -> (i / 4, i % 4)");
       irl_verdict     v = irl_map_check(cx, fours, irl_shape_of(1, &n));
       puts(irl_verdict_text(cx, &v));                  injective into [(N + 3) / 4, min(N, 4)] ...

   4. Get the inverse map, and a predicate that is true for the cells that no point maps to.
       const irl_map  *map = irl_layout(cx, &tiles);
       const irl_expr *unused;
       const irl_map  *back = irl_map_inverse(cx, map, IRL_SHAPE(60, 128), &unused);
       puts(irl_map_text(cx, back));           ... -> (axis0 * 8 + axis2, axis1 * 8 + axis3)
       puts(irl_expr_text(cx, unused));        axis0 * 8 + axis2 >= 60

   5. Draw a layout, in characters or as SVG.
       const irl_map      *map = irl_layout(cx, &tiles);
       irl_picture_options how;
       puts(irl_map_picture(cx, map, IRL_SHAPE(16, 16)));
       memset(&how, 0, sizeof how);
       how.form = IRL_PICTURE_SVG;
       puts(irl_map_picture_with(cx, map, IRL_SHAPE(16, 16), &how));

   6. Use a layout in a C program: IRL_AT computes the physical index without the library.
       irl_verdict   v = irl_map_check(cx, irl_layout(cx, &tiles), IRL_SHAPE(8, 8));
       for (y = 0; y < 8; y++)
           for (x = 0; x < 8; x++) {
               irl_index at[4];
               IRL_AT(tiles, at, y, x);
               packed[irl_offset(&v.memory, at)] = plain[y * 8 + x];
           }

   7. Write a layout as C: a separate header that needs only <stdint.h>.
       irl_c_layout_options how = { 0 };
       how.name = "tiles";
       how.type = irl_type_of(IRL_U8, 1);
       puts(irl_c_layout_source(cx, irl_layout(cx, &tiles), IRL_SHAPE(64, 128), &how));

   8. Lay out elements that are not whole bytes: pixels of 12 bits, side by side.
       irl_bit_element pixel;
       irl_bit_element_parse(cx, "u12", &pixel);
       const irl_map  *rows_of_bits = irl_map_parse(cx, "(y, x) -> (y, x)");
       irl_bit_verdict bits = irl_map_check_bits(cx, rows_of_bits, IRL_SHAPE(3, 7), &pixel);
       puts(irl_bit_verdict_text(cx, &bits));           injective: 4 of 256 bits are unused, ...

   9. Describe a record of bit fields, and write C that reads and sets its fields.
       const char *text = "record rgb bytes(2) { r: u5; g: u6 offset(5); b: u5 offset(11); }";
       const irl_record *rgb = irl_record_parse(cx, text, IRL_TO_NUL, "rgb.txt");
       irl_record_verdict bits = irl_record_check(rgb);
       puts(irl_record_verdict_text(rgb, &bits));       bijective: each of 16 bits ...
       puts(irl_c_record_source(rgb, NULL));            rgb_get_g, rgb_set_g, ...

   10. Emit OpenCL C of a kernel (include irlayout_ocl.h).
       IRL_KERNEL(plus, (x: f32[8, 6], y: f32[8, 6]) { for (i: 8, c: 6) y[i, c] = x[i, c] + 1; });

       irl_module *m = irl_func_lower(irl_kernel(cx, &plus), &irl_target_opencl12);
       puts(irl_ok(cx) ? irl_ocl_source(m) : irl_diag_text(cx));

   11. Give a buffer of the kernel a layout, and its unused cells a value. Read the warnings.
       const irl_map *map = irl_map_parse(cx, "(i, c) -> (c / 4, i, c % 4)");
       irl_func *f = irl_func_set_layout(irl_kernel(cx, &plus), "y", map);
       f = irl_func_set_padding(f, "y", 0);
       irl_module *m = irl_func_lower(f, &irl_target_opencl12);
       puts(irl_func_warnings(irl_module_host(m)));

   12. Run the module of recipe 11 on plain arrays, and compare it with the kernel as it is written.
      By default the a * b + c of a sum is rounded once, so the last bits may differ in kernels that
      have such sums. For these either compare with irl_module_scheduled(m), or compare by
      irl_array_beyond, or write attr(numbers = "strict") in the kernel.
       irl_module_interpret(m, IRL_ARGS(x, y));
       irl_func_interpret(irl_kernel(cx, &plus), IRL_ARGS(x, z));
       int64_t first = irl_array_difference(irl_type_of(IRL_F32, 1), 48, y, z, 0);
       if (first < 0) puts("equal");

   13. Put a buffer into an image: ask for the layouts that fit, and take the best one.
       irl_func *f = irl_kernel(cx, &plus);
       irl_texture_options question;
       memset(&question, 0, sizeof question);
       question.shape = IRL_SHAPE(8, 6);
       irl_texture_choice found = irl_texture_candidates(cx, &question);
       const irl_texture_candidate *best = found.chosen < 0 ? NULL : &found.list[found.chosen];
       if (best) f = irl_func_set_layout(f, "x", best->map);
       if (best) f = irl_func_set_scope(f, "x", best->scope);
       puts(irl_ocl_source(irl_func_lower(f, &irl_target_opencl12)));

   14. Schedule a kernel by hand. The library checks that the kernel computes the same after each
      step. Only rounding may change, and only by `contract`, or if a sum may be done in any order.
       irl_func *f = irl_kernel(cx, &plus);
       f = irl_schedule_do(f, "(io, ii) = split(y.i, %d)", 4);
       f = irl_schedule_do(f, "reorder(y.c, ii)");
       f = irl_schedule_do(f, "unroll(ii)");
       puts(irl_schedule_text(f));

   15. Ask why a step would be refused, and leave the context as it was.
       IRL_KERNEL(running, (x: f32[9], y: f32[9]) { for (i: 1 .. 9) y[i] = y[i - 1] + x[i]; });

       const char *why;
       if (!irl_schedule_try(irl_kernel(cx, &running), "{ parallel(y.i); }", &why)) puts(why);
   prints: ... y[i - 1] at i = 2 and y[i] at i = 1 are one element ...

   16. Let the library write the schedule, with a reason for each step. You may edit the text before
      irl_schedule_parse carries it out.
       irl_func   *f = irl_kernel(cx, &plus);
       const char *steps = irl_schedule_auto(f, &irl_target_c_gnu_avx2);
       puts(steps);
       f = irl_schedule_parse(f, steps, IRL_TO_NUL, "plus.irl");

   17. Emit C99, here as one header with declarations and implementation.
       irl_c_options how = { 0 };
       how.is_header = 1;
       irl_module *m = irl_func_lower(irl_kernel(cx, &plus), &irl_target_c99);
       puts(irl_c_source_with(m, &how));

   18. Emit a compute shader for Vulkan.
       irl_module *m = irl_func_lower(irl_kernel(cx, &plus), &irl_target_glsl);
       puts(irl_glsl_source(m, 0));

   19. Lower a graph of functions to one module, after fusing nodes that compute cell by cell.
       static const char *const text =
           "graph net { func flip(x: f32[n], y: f32[n]) { for (i: n) y[i] = x[n - 1 - i]; }"
           "    input x: f32[100]; t = flip(x); u = flip(t); y = flip(u); output y; }";

       irl_graph_fusion fused;
       irl_graph *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net.irl");
       g = irl_graph_fuse(g, &fused);
       puts(fused.text);
       irl_module *m = irl_graph_lower(g, &irl_target_opencl12);

   20. Plan the memory of the temporaries between kernels: as a picture, and as #defines of C.
       irl_graph *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net.irl");
       const irl_module_plan *p = irl_plan(irl_graph_lower(g, &irl_target_opencl12));
       puts(irl_plan_text(p));
       puts(irl_plan_c(p));

   21. Turn a layout into a list of transfers for a DMA controller.
       irl_dma_options how = { 0 };
       how.element = irl_type_of(IRL_U8, 1);
       how.controller = irl_dma_controller_find("edma3");
       const irl_map *turned = irl_map_parse(cx, "(y, x) -> (x, 7 - y)");
       const irl_dma_list *list = irl_dma_new(cx, turned, IRL_SHAPE(8, 16), &how);
       puts(irl_dma_c(cx, list, "turn"));               turn_play does what the controller does

   22. Ask whether two iterations of a loop touch one element.
       irl_func *f = irl_kernel(cx, &plus);
       const irl_access_table *t = irl_func_accesses(f);
       const irl_meeting *m = irl_func_carried(f, t->list[0].loop);
       if (m->answer == IRL_NO) puts("its iterations may run in any order");

   23. Use your own allocator. (Or set desc.block to give the context one block of memory.)
       static void *take(void *user, size_t bytes)
       {
           *(size_t *)user += bytes;
           return malloc(bytes);
       }
       static void give(void *user, void *memory, size_t bytes)
       {
           *(size_t *)user -= bytes;
           free(memory);
       }

       size_t       held = 0;
       irl_ctx_desc desc;
       memset(&desc, 0, sizeof desc);
       desc.allocator.allocate = take;
       desc.allocator.release = give;
       desc.allocator.user = &held;
       irl_ctx *own = irl_ctx_create(&desc);

   24. Continue after an error: return to a mark, which also frees everything made since the mark.
   irl_ctx_take_error instead only removes the failure, and keeps everything made before it.
       irl_mark m = irl_ctx_mark(cx);
       const irl_map *wrong = irl_map_parse(cx, "(i) -> (j)");
       if (!irl_ok(cx)) puts(irl_diag_text(cx));
       irl_ctx_rewind(cx, m);

   25. Put your own pass into the pipeline (>>lowering shows the function `census`, which counts
   kernels).
       irl_pass_desc     mine = { "census", NULL, "serialize", census, &kernels };
       irl_lower_options how = { 0 };
       how.passes = &mine;
       how.pass_count = 1;
       m = irl_func_lower_with(f, &irl_target_opencl12, &how);

   26. Rewrite expressions (>>reading shows the function `no_div`, which replaces x / 2 by x * 0.5).
       f = irl_func_rewrite(f, no_div, NULL);
       puts(irl_func_text(f));

   27. Describe your own device: copy one of the library's targets and change some of its fields.
       irl_target mine = irl_target_opencl12;
       mine.name = "mygpu8";
       mine.widths = 1 << 0 | 1 << 1 | 1 << 3;                          vectors of 1, 2 and 4 lanes
       irl_module *m = irl_func_lower(irl_kernel(cx, &plus), irl_target_new(cx, &mine));

   WHAT IT DOES NOT DO (docs/limits.md has the full list, with ways around)
     run C or GLSL            C and GLSL are emitted as texts; your program compiles and dispatches
                              them. irlayout_ocl.h does run OpenCL.
     interpret fast           the interpreter takes about a microsecond for each statement; it is
                              for tests
     guess                    a layout is IRL_UNDECIDED if no rule proves it and it is too large to
                              enumerate. By irl_func_assume_layout the caller vouches for it.
     search for schedules     rules decide automatic schedules; nothing is timed on a device.
                              Schedules for GPUs were never timed at all.
     layouts that depend on   a map is a formula of indices and named sizes. A kernel may use an
     data                     index that it reads from memory; a map cannot.
     check plain pointers     IRL_ARGS checks sizes of elements; the _tensors functions check
                              shapes, types and bytes
     expand macros in         pass constants by IRL_LET. IRL_LAYOUT does expand macros.
     IRL_KERNEL
     exceed its limits        32 axes, 64 lanes, 32 arguments to IRL_ARGS, 400 levels of nesting
     share a context between  only one thread at a time may use a context. Two contexts share
     threads                  nothing.

   THE SECTIONS OF THIS FILE, IN READING ORDER. Search for a mark to find its section. If you only
   want layouts, stop after >>verdicts.
       >>version   >>contexts   >>diagnostics   >>types   >>layouts   >>verdicts   >>records
       >>pictures   >>textures   >>kernels   >>analysis   >>schedules   >>lowering   >>plans
       >>packing   >>dma   >>running   >>graphs   >>building   >>reading   >>implementation
   Macros, strings, files and printed output use one language. Its grammar is in docs/grammar.md.

   WORDS
       point          the values of all logical indices, such as (y, x)
       cell           one element of memory; a map takes a point to a cell
       shape          the extents of all axes of a buffer
       nest           a loop with everything inside it
       lane           one number of a vector
       texel          one element of an image, usually a vector of 4 lanes
       text           a string (char *) in the library's language, or one meant for people
       a name         a size that is not a number but a variable, such as N in f32[N]. "With names"
                      means: if a shape or a map has such a size

   NAMES OF FUNCTIONS
       irl_NOUN_VERB: the noun is the object that the function works on: irl_map_check,
       irl_func_lower, irl_expr_cast. A few functions have shorter names: irl_layout, irl_kernel and
       irl_schedule, which belong to the macros IRL_LAYOUT, IRL_KERNEL and IRL_SCHEDULE, and irl_ok.
           new            makes an object that the context owns; there is nothing to free
           create         makes an object that the caller frees by destroy
           parse, text    reads an object from a text; writes it as a text
           _with          takes a struct of options as its last argument
           _let           takes constants by name: IRL_LET(H, W)
           _desc          a struct that describes an object to make
           _options       a struct that changes how something is done

   RULES THAT HOLD EVERYWHERE
       - A context owns everything made in it, texts included, and frees everything at once. Objects
         are immutable: a pass returns a new function, and the old function does not change. Do not
         mix objects of different contexts.
       - The first failure stays in the context (irl_ok, irl_diag_text). After a failure every
         function does nothing and returns NULL or 0, so it is enough to check once, at the end of
         your program. If you pass NULL where it is not allowed, that is a failure too
         (IRL_ERROR_BAD_ARGUMENT), unless an earlier failure explains the NULL.
       - A function that returns a text never returns NULL. It returns "" if there is no text
         (because NULL was passed, the context has failed, or memory is out). You may thus pass the
         result to puts. The exceptions are functions that return name number k: they return NULL
         after the last name, so that a loop ends (irl_target_name, irl_pass_name, irl_step_name,
         irl_dma_controller_name, irl_func_param_name).
       - Clear option and description structs (irl_ctx_desc, irl_pack_options, ...) with memset or
         = { 0 } before you set fields. Zero is the default of every field.
       - In kernels integers are not promoted: u8 + u8 is u8, so 200 + 200 is 144. Cast the
         operands: u8((i32(x[i]) + i32(x[i + 1])) / 2).
       - Only one thread at a time may use a context. Two contexts share nothing, so two threads may
         each use one at the same time.
       - The library prints nothing, never exits, and allocates only through its context.

   LICENCE: MIT, see LICENSE. */
#ifndef IRLAYOUT_H
#define IRLAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Some switches imply others: IRLAYOUT_NO_SCHEDULES also leaves out automatic schedules, and
   IRLAYOUT_MAPS_ONLY leaves out everything that works on functions. */
#if defined(IRLAYOUT_MAPS_ONLY) && !defined(IRLAYOUT_NO_SCHEDULES)
#define IRLAYOUT_NO_SCHEDULES
#endif
#if defined(IRLAYOUT_NO_SCHEDULES) && !defined(IRLAYOUT_NO_AUTO)
#define IRLAYOUT_NO_AUTO
#endif
#if defined(IRLAYOUT_MAPS_ONLY) && !defined(IRLAYOUT_NO_GRAPHS)
#define IRLAYOUT_NO_GRAPHS
#endif
#if defined(IRLAYOUT_MAPS_ONLY) && !defined(IRLAYOUT_NO_GLSL)
#define IRLAYOUT_NO_GLSL
#endif
#if defined(IRLAYOUT_MAPS_ONLY) && !defined(IRLAYOUT_NO_INTERPRETER)
#define IRLAYOUT_NO_INTERPRETER
#endif

/* ================================================================== >>version */

#define IRL_VERSION_MAJOR 0
#define IRL_VERSION_MINOR 1
#define IRL_VERSION_PATCH 0
#define IRL_VERSION_STRING "0.1.0"
#define IRL_VERSION_HEX ((IRL_VERSION_MAJOR << 16) | (IRL_VERSION_MINOR << 8) | IRL_VERSION_PATCH)

#if defined(IRL_STATIC)
#if !defined(IRLAYOUT_IMPLEMENTATION)
#error "IRL_STATIC: define IRLAYOUT_IMPLEMENTATION before each include, or leave IRL_STATIC out"
#endif
#undef IRL_API
#if defined(__GNUC__) || defined(__clang__)
#define IRL_API __attribute__((__unused__)) static
#else
#define IRL_API static
#endif
#elif !defined(IRL_API)
#define IRL_API extern
#endif

/* Marks static objects that a macro defines and that a program may leave unused. */
#if defined(__GNUC__) || defined(__clang__)
#define IRL__UNUSED __attribute__((__unused__))
#else
#define IRL__UNUSED
#endif

#ifndef IRL_INDEX_TYPE
#define IRL_INDEX_TYPE int64_t
#endif
/* The integer type of IRL_LAYOUT functions. The library itself always computes in 64 bits and
   checks for overflow. */
typedef IRL_INDEX_TYPE irl_index;

/* Conversions that cause no compiler warning. */
#ifdef __cplusplus
#define IRL__INT64(v) static_cast<int64_t>(v)
#define IRL__INDEX(v) static_cast<irl_index>(v)
#define IRL__INT(v) static_cast<int>(v)
#else
#define IRL__INT64(v) (int64_t)(v)
#define IRL__INDEX(v) (irl_index)(v)
#define IRL__INT(v) (int)(v)
#endif
/* Converts an integer. A float does not compile, because | does not accept it. */
#define IRL__WHOLE_NUMBER(v) IRL__INT64((v) | 0)
/* The value of irl_source_text.index. If irl_index is unsigned, -1 converted to it is greater than
   0. */
#define IRL__INDEX_KIND ((IRL__INDEX(-1) < IRL__INDEX(1) ? 1 : -1) * IRL__INT(sizeof(irl_index)))

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the implementation, in the form of IRL_VERSION_HEX. Compare it with
   IRL_VERSION_HEX if the header and the object file may be of different versions. */
IRL_API int irl_version(void);

/* ================================================================== >>contexts */

/* The owner of everything: memory, names, functions, and the first failure. */
typedef struct irl_ctx irl_ctx;

/* Where memory comes from. Set both functions or neither. `release` gets the size that was asked
   for. Both are called in the thread that uses the context. The context asks for pieces of a few
   KiB, and for a larger piece if an object needs it. */
typedef struct irl_allocator {
    /* must return memory that is aligned as malloc's is, or NULL if there is none */
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes); /* memory is never NULL */
    void *user;
} irl_allocator;

/* A function of yours that returns the text of a source file, or NULL if there is no such file. The
   library calls it to show the user's own line in a diagnostic about a macro. You need it if the
   file is not at the path of __FILE__, or if there are no files. The text must stay valid until the
   failing call has returned. */
typedef const char *irl_read_source_fn(void *user, const char *file, size_t *length);

/* A function of yours that carries out a call `extern(type, name, ...)` of a kernel.
   irl_func_interpret and its kin call it, and irl_ocl_run calls it for the host function. Emitted
   code calls the C function of that name instead.

   It must set *result and return 1. It must return 0 if there is no function of that name, or if
   the function failed. An integer is in the field `integer`, a float in `number`. An argument that
   is memory is given by `pointer`, its first byte, and `bytes`, the number of bytes from there. If
   the result is a pointer, as in let h = extern(ptr(f32, global), name, 64);, set both fields. You
   must keep the memory of that result valid until the run ends. The run reads what it holds and
   writes to it directly, even if the run fails later. */
typedef struct irl_extern_value {
    int64_t integer;
    double  number;
    void   *pointer;
    size_t  bytes;
} irl_extern_value;
typedef int irl_extern_fn(void *user, const char *name, int count,
                          const irl_extern_value *arguments, irl_extern_value *result);

/* How a context is made. Zero is the default of every field: clear the struct, or make it static,
   and then set the fields that you need. Later versions may add fields. */
typedef struct irl_ctx_desc {
    irl_allocator       allocator;   /* default: malloc and free */
    /* if set, all memory comes from this block and the allocator is not used. The block must stay
       valid until the context is destroyed */
    void               *block;
    size_t              block_bytes;
    /* used by diagnostics about a macro. By default the library opens the file that __FILE__ names,
       and reads it into memory of the context until the diagnostic is made. A relative name is
       relative to the current directory. The macro's text is shown instead if there is no libc, or
       if the file is missing, is not a regular file, is larger than 4 MiB, or does not contain the
       text */
    irl_read_source_fn *read_source;
    void               *read_source_user;
    int                 no_files; /* 1: no file is opened */
    /* the most steps of work for a question about a map, unless its irl_check_options set a limit;
       default 100,000,000 */
    int64_t             most_work;
    irl_extern_fn      *call_extern; /* default: none; such a call is IRL_ERROR_UNSUPPORTED */
    void               *call_extern_user;
} irl_ctx_desc;

/* Returns a new context; It returns NULL if memory is out, if the block is too small, or if only
   one function of the allocator is set. `desc` may be NULL. Cost: the context grows with the work
   that is done in it. The verdict of a small layout takes about 50 KiB (examples/06_firmware.c);
   irl_ctx_memory measures it. */
IRL_API irl_ctx *irl_ctx_create(const irl_ctx_desc *desc);

/* Frees the context and everything made in it. NULL is legal. */
IRL_API void irl_ctx_destroy(irl_ctx *cx);

/* The memory of a context: the bytes that it holds now, the most bytes that it ever held, and how
   many bytes a block must have for the same work. The block must be aligned for any scalar. It must
   be larger than the peak, because only the last piece of a block can be given back. To size a
   block, run the work once with malloc. */
typedef struct irl_memory {
    size_t in_use, peak, block;
} irl_memory;
IRL_API irl_memory irl_ctx_memory(const irl_ctx *cx);

/* A state of the context to return to. irl_ctx_rewind frees everything made since the mark, and
   clears a failure that happened since the mark. Do not use objects that were made since the mark
   again. Objects that were made before it stay valid. Marks nest: a rewind to an outer mark also
   removes the inner marks, and a later rewind to an inner mark is IRL_ERROR_BAD_ARGUMENT. Use marks
   in search loops, in servers, and to continue after a failure.
       irl_mark m = irl_ctx_mark(cx);
       irl_ctx_rewind(cx, m);                               all made in between is given back
   Cost: linear in what is freed, whatever the size of the context. The fields are private. */
typedef struct irl_mark {
    const void *point;
    uint64_t    serial;
} irl_mark;
IRL_API irl_mark irl_ctx_mark(irl_ctx *cx);
IRL_API void     irl_ctx_rewind(irl_ctx *cx, irl_mark mark);

/* ================================================================== >>diagnostics */

/* Codes of failures. src/base/diags.h has a row for each code, with its remedy. In your tests
   compare codes, never texts. */
typedef enum irl_code {
    IRL_OK = 0,
#define IRL_DIAGNOSTIC(name, slug, outcome, remedy) IRL_ERROR_##name,
#include "src/base/diags.h"
    IRL__CODE_COUNT
} irl_code;

/* What a failure means for the caller. The numbers are the exit statuses of irlc. */
typedef enum irl_outcome {
    IRL_OUTCOME_YES = 0,
    /* the input is well-formed, and the answer is no: refused, different or false */
    IRL_OUTCOME_NO = 1,
    /* no answer: malformed text, options, input or output, or a machine that fails */
    IRL_OUTCOME_NONE = 2,
    IRL_OUTCOME_UNDECIDED = 3
} irl_outcome;

/* The first failure of a context. `line` and `column` count from 1; 0 means not known. They refer
   to the user's file if the text came with a file name, or if the text is a macro's and the file of
   the macro can be read (irl_ctx_desc.read_source). Otherwise `line` is the macro's line, and
   `column` counts in the text that is shown. A text that is too long is cut off. */
typedef struct irl_diag {
    irl_code code;
    int      line, column;
    char     file[128];
    char     message[384]; /* what was found and what was expected */
    char     remedy[384]; /* advice: irl_code_remedy, or the requirement of the schedule's step */
    /* all of it, as irl_diag_text returns it: place, message, line with a caret, remedy */
    char     text[1408];
} irl_diag;

/* Returns 1 if nothing has failed in the context, else 0. It also returns 0 for a NULL context, so
   you need no separate check of irl_ctx_create. */
IRL_API int irl_ok(const irl_ctx *cx);

/* Returns the failure as a text of several lines, without a newline at the end; "" if there is
   none. Owned by the context. */
IRL_API const char *irl_diag_text(const irl_ctx *cx);

/* Returns the failure in parts, or NULL if there is none. The struct and its texts are owned by the
   context, and stay valid until irl_ctx_rewind clears the failure. */
IRL_API const irl_diag *irl_diag_of(const irl_ctx *cx);

/* Takes the failure out of the context, so that the program can continue with it. Returns 1 and
   writes the failure to *out, unless out is NULL. Returns 0 if nothing has failed. Objects that
   were made before the failure stay valid. */
IRL_API int irl_ctx_take_error(irl_ctx *cx, irl_diag *out);

/* Return the name of a code ("lossy-map" for IRL_ERROR_LOSSY_MAP), and advice for such a
   failure. */
IRL_API const char *irl_code_name(irl_code code);
IRL_API const char *irl_code_remedy(irl_code code);

/* Returns what a code means for the caller: IRL_OUTCOME_NO (as for IRL_ERROR_LOSSY_MAP),
   IRL_OUTCOME_UNDECIDED, or IRL_OUTCOME_NONE (as for IRL_ERROR_SYNTAX and IRL_ERROR_OUT_OF_MEMORY).
   It returns IRL_OUTCOME_YES for IRL_OK. */
IRL_API irl_outcome irl_code_outcome(irl_code code);

/* Returns 1 if the misspelt `wanted` probably means `name`, and is nearer to it than to the names
   tried before. Two names are near if few letters must be inserted, deleted, replaced or exchanged
   with a neighbour. Set *edits to 0, then call the function for each name: *edits keeps the least
   number of such edits so far. With `edits` NULL no earlier name is considered. Use the function
   for your program's own messages about options and names. */
IRL_API int irl_name_is_nearer(const char *wanted, const char *name, int *edits);

/* ================================================================== >>types */

/* Scalar types: IRL_BOOL, IRL_I8 .. IRL_I64, IRL_U8 .. IRL_U64, IRL_F16, IRL_BF16, IRL_F32,
   IRL_F64, and IRL_INDEX. IRL_INDEX is the type of every index and extent: it has 64 bits, and
   overflow is an error. IRL_UNORM8, IRL_SNORM8, IRL_UNORM16 and IRL_SNORM16 are integers in memory
   that represent numbers from 0 to 1 or from -1 to 1, as in images. Kernels can load, store and
   cast them, but not compute with them. An operator on f16 or bf16 computes in f32 and rounds its
   result to f16 or bf16 at once. src/ir/types.h has a row for each type. */
typedef enum irl_scalar {
#define IRL_TYPE_ROW(name, text, kind, bits, bytes, ocl, c) IRL_##name,
#include "src/ir/types.h"
    IRL__SCALAR_COUNT
} irl_scalar;

/* The order of bits in buffers whose elements are not whole bytes (docs/grammar.md, "Bits").
   IRL_BITS_LSB: the first bit of a byte is the least significant one; a number begins with its
   least significant bit, and its low byte comes first. IRL_BITS_MSB: the first bit is the most
   significant one; a number begins with its most significant bit, and its high byte comes first. */
typedef enum irl_bit_order { IRL_BITS_LSB, IRL_BITS_MSB } irl_bit_order;

/* Where memory lives. IRL_SCOPE_GLOBAL is the default. IRL_SCOPE_SHARED memory belongs to a
   work-group; it must be allocated inside loops that are bound to group and local axes.
   IRL_SCOPE_LOCAL memory belongs to a work-item. IRL_SCOPE_CONSTANT memory is only read.
   IRL_SCOPE_TEXTURE and IRL_SCOPE_TEXTURE_WEIGHT are images of two dimensions, or arrays of such
   images. IRL_SCOPE_TEXTURE_VOLUME is an image of three dimensions. IRL_SCOPE_TEXTURE_BUFFER is an
   image of one dimension over a buffer. src/ir/scopes.h has a row for each scope. */
typedef enum irl_scope {
#define IRL_SCOPE_ROW(name, text, ocl, image) IRL_SCOPE_##name,
#include "src/ir/scopes.h"
    IRL__SCOPE_COUNT
} irl_scope;

/* Returns the scope of that name ("global", "texture:weight", ...), or -1 if there is none. */
IRL_API int irl_scope_find(const char *name);

/* Returns the name of a scope, or "" for a number that is not a scope. */
IRL_API const char *irl_scope_text(irl_scope scope);

/* The type of a value: a scalar type and a number of lanes. Or a pointer to elements of such a
   type, in a scope. Compare types with irl_type_equal. */
typedef struct irl_type {
    uint8_t  scalar;     /* irl_scalar */
    uint8_t  is_pointer;
    uint8_t  scope;      /* irl_scope of the memory that a pointer points to; 0 for values */
    uint8_t  reserved;
    uint32_t lanes;      /* 1 for scalars */
} irl_type;

#define IRL_MAX_LANES 64 /* of a value */
#define IRL_MAX_RANK 32  /* of a buffer, a shape, either side of a map */

/* Make types: irl_type_of(IRL_F32, 4) is f32x4; a type of one lane is a scalar. These functions do
   not fail: an impossible type is refused by the function that uses it. */
IRL_API irl_type irl_type_of(irl_scalar scalar, int lanes);
IRL_API irl_type irl_type_pointer(irl_type element, irl_scope scope);
IRL_API int      irl_type_equal(irl_type a, irl_type b);

/* Returns the type in the text form: "f32", "i8x4", "ptr(f32, global)". Owned by the context. */
IRL_API const char *irl_type_text(irl_ctx *cx, irl_type type);

struct irl_expr; /* see >>building */

/* A shape or a point, passed by value: IRL_SHAPE(64, 128), for any integers. Extents count elements
   and are not negative. The shape of rank 0, a struct of zeros, has a single point. An extent may
   have names in it, such as N or 4*N. All extents are then expressions, in `named`.
       const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
       irl_shape row = irl_shape_of(1, &n);
   Make a shape by IRL_SHAPE or by irl_shape_of, or clear a struct and fill it in. Functions about
   maps accept shapes with names. Functions that need numbers refuse such a shape with
   IRL_ERROR_BAD_ARGUMENT. */
typedef struct irl_shape {
    int     rank;
    /* NULL: the extents are the numbers below. Otherwise: `rank` expressions of type index, over
       variables that are not inputs of the map. You must keep the list valid while a call runs. The
       list in a shape that the library returns belongs to the context */
    const struct irl_expr *const *named;
    /* with names: -1 for each extent that is not a number */
    int64_t extent[IRL_MAX_RANK];
} irl_shape;
#define IRL_SHAPE(...) \
    IRL__MAKE(irl_shape, IRL__COUNT(__VA_ARGS__), NULL, { IRL__EACH(IRL__INT64, __VA_ARGS__) })

/* Returns the shape of these extents. The list is not copied. The function does not fail: an
   impossible shape is refused by the function that uses it. If all extents are constants, the shape
   is equivalent to the IRL_SHAPE of these numbers. */
IRL_API irl_shape irl_shape_of(int rank, const struct irl_expr *const *extents);

/* Returns the number of points of a shape, which is the number of elements of an array of that
   shape: the product of its extents, which is 1 for rank 0. Returns -1 if the number exceeds 63
   bits, if the shape has names, or if it is invalid. */
IRL_API int64_t irl_shape_count(irl_shape shape);

/* ================================================================== >>layouts */

/* A text in the language and its place in the source. IRL_LAYOUT and IRL_KERNEL make one. */
typedef struct irl_source_text {
    const char *name;
    const char *text;
    const char *file;
    int         line;
    /* for an IRL_LAYOUT: sizeof(irl_index) where the macro was compiled, negated if irl_index is
       unsigned */
    int index;
} irl_source_text;

/* IRL_LAYOUT(name, (inputs), (outputs)[, (outputs)...]) defines two things. It must be outside of
   functions:
   - name_at(out, inputs), a static C function that writes the physical index. Call it by
     IRL_AT(name, out, ...). `out` has an irl_index for each output of all groups.
   - name, the same tokens as a text, for irl_layout(cx, &name).

   Each group of outputs is one physical axis; the text has a separator between groups.
       IRL_LAYOUT(nchw4c_image, (n, h, w, c), (n, c / 4, h), (w, c % 4));
   has the text (n, h, w, c) -> (n, c / 4, h, |, w, c % 4). `|` and `...` are not C: write groups,
   or a text for irl_map_parse. There are at most 32 inputs. Macros are expanded in both meanings.
   Enumerators and variables have values only in C; pass their values for the text by
   irl_layout_let.

   irl_map_check says whether the C function and the text agree. It uses the irl_index with which
   the line was compiled, even if irl_map_check was compiled with another one. They agree if every
   intermediate result fits irl_index and no dividend is negative, because C truncates a quotient
   and the text rounds it down. For a dividend that may be negative write irl_floordiv(a, b) and
   irl_floormod(a, b), which mean the same in both. */
#define IRL_LAYOUT(name, in, ...) \
    static IRL__UNUSED void name##_at(irl_index *irl__out, IRL__PARAMETERS(in)) \
    { \
        const irl_index irl__v[] = { IRL__EACH_IN(IRL__INDEX, \
                                                  IRL__EACH(IRL__UNWRAP, __VA_ARGS__)) }; \
        unsigned irl__k; \
        for (irl__k = 0; irl__k < sizeof irl__v / sizeof irl__v[0]; irl__k++) \
            irl__out[irl__k] = irl__v[irl__k]; \
    } \
    static const irl_source_text name IRL__UNUSED = { \
        #name, IRL__STRING(in) " -> " IRL__STRING(__VA_ARGS__), __FILE__, __LINE__, \
        IRL__INDEX_KIND \
    }

#define IRL_AT(name, out, ...) name##_at((out), __VA_ARGS__)

/* Returns the offset, in elements, of the cell `at` in a row-major array of shape `memory`. Nothing
   is checked. If irl_map_check proved the layout for a shape, the index that IRL_AT writes for a
   point of this shape is inside of the array.
       irl_index at[3];
       IRL_AT(camera, at, x, c);
       packed[irl_offset(&verdict.memory, at)] = line[x * 3 + c]; */
static IRL__UNUSED int64_t irl_offset(const irl_shape *memory, const irl_index *at)
{
    int64_t offset = 0;
    int     k;
    for (k = 0; k < memory->rank; k++) offset = offset * memory->extent[k] + IRL__INT64(at[k]);
    return offset;
}

/* Floor division and modulo for IRL_LAYOUT, for d > 0. (If irl_index is unsigned, nothing is
   negative.) */
static IRL__UNUSED irl_index irl_floordiv(irl_index a, irl_index d)
{
    return IRL__INDEX(a / d - (a % d < 1 && a % d != 0));
}
static IRL__UNUSED irl_index irl_floormod(irl_index a, irl_index d)
{
    return IRL__INDEX(a % d < 1 && a % d != 0 ? a % d + d : a % d);
}

/* Named integer constants for a text. IRL_LET(H, W) makes constants with the names H and W. There
   may be up to 16; each is a macro, an enumerator or a variable of integer type. A value of another
   type does not compile. (Pass a float as a parameter of the kernel, s: f32.) The functions that
   take constants refuse an argument that is not a single name, such as W + 1. Write enum { N = W +
   1 }; and IRL_LET(N) instead. */
typedef struct irl_constants {
    int         count;
    const char *names; /* "H, W" */
    int64_t     value[16];
} irl_constants;
#define IRL_LET(...) \
    IRL__MAKE(irl_constants, IRL__COUNT(__VA_ARGS__), #__VA_ARGS__, \
              { IRL__EACH(IRL__WHOLE_NUMBER, __VA_ARGS__) })

/* An index map, (i, j) -> (e0, e1, | e2): it takes a logical point to its cell of memory.
   Immutable. */
typedef struct irl_map irl_map;

/* Returns the map of an IRL_LAYOUT. It returns NULL on failure: IRL_ERROR_SYNTAX, UNKNOWN_NAME,
   BAD_MAP, ... The diagnostic has a place in the macro's text. Cost: linear in the text, so call it
   once and keep the map. */
IRL_API const irl_map *irl_layout(irl_ctx *cx, const irl_source_text *layout);

/* Returns the same for an IRL_LAYOUT that uses enumerators or variables of C. (The preprocessor has
   already replaced macros in the text, but not these.) `constants` gives their values.
       enum { LANES = 8 };
       IRL_LAYOUT(camera, (x, c), (x / LANES, c, x % LANES));
       const irl_map *map = irl_layout_let(cx, &camera, IRL_LET(LANES)); */
IRL_API const irl_map *irl_layout_let(irl_ctx *cx, const irl_source_text *layout,
                                      irl_constants constants);

/* Returns the map of a text such as "(n, h, w, c) -> (n, c/4, h, |, w, c%4)", in which `|` is a
   separator, or "(..., c) -> (..., c/4, c%4)", in which `...` is any number of axes. It returns
   NULL on failure. */
IRL_API const irl_map *irl_map_parse(irl_ctx *cx, const char *text);

/* Returns the same for a text that uses `parameters`, which are variables of type index, such as N
   in "(i, j) -> (i*N + j)". See irl_map_check. `file` names the text in diagnostics; NULL means
   "text". */
IRL_API const irl_map *irl_map_parse_over(irl_ctx *cx, const char *text, const char *file,
                                          int count, const struct irl_expr *const *parameters);

/* Returns the text of a map, which parses to an equal map. The text is owned by the context. */
IRL_API const char *irl_map_text(irl_ctx *cx, const irl_map *map);

/* Return the number of axes on the left and on the right; 0 for NULL. In a map with "..." they
   count only the axes that have names. */
IRL_API int irl_map_input_count(const irl_map *map);
IRL_API int irl_map_output_count(const irl_map *map);

/* Returns the number of separators, and writes at most `capacity` of them. A separator ends the
   group of axes that make up one dimension of memory: in an image, first the rows and then the
   columns. Plain memory has one dimension and no separator. A separator is given as the number of
   the first axis of the next group: (n, c/4, h, | , w, c%4) has one separator, 3. */
IRL_API int irl_map_separators(const irl_map *map, int *separators, int capacity);

/* Writes the cell of `point` to *out. Returns 1, or 0 on failure: if the rank is wrong, if the
   computation overflows or divides by zero, or if the map or the point has names. */
IRL_API int irl_map_apply(irl_ctx *cx, const irl_map *map, irl_shape point, irl_shape *out);

/* Computes the smallest box that holds the images of all points of `shape`: the cells that the map
   takes them to. *minimum becomes the least index along each axis, and *physical the largest index
   plus one. Either may be NULL. Returns 1 if the box is exact, else 0 with a diagnostic. If the
   shape or the map has names, the box holds for all values of the names from 1 on, like the box of
   an irl_verdict; the function then returns 0 if no box is known, or if an index may be negative.
   Cost: independent of the number of points if the box can be computed symbolically, else some
   nanoseconds per point. */
IRL_API int irl_map_shape(irl_ctx *cx, const irl_map *map, irl_shape shape, irl_shape *physical,
                          irl_shape *minimum);

/* Computes the shape in memory of a buffer of `shape` with this layout. Returns 1, or 0 with a
   diagnostic. It is the box of irl_map_shape, except along axes that are remainders (`c % 4`) or
   are built from remainders alone. Such an axis always gets as many cells as the remainder has
   values: `c % 4` gets 4 cells, even for three channels. y % 64 / 8 and y / 8 % 8 get 8 cells, y %
   64 / 8 * 8 + x % 8 gets 64, and x % 8 * 2 gets 16, as x * 2 % 16 does. Packing,
   irl_func_set_layout and irl_verdict.memory use this shape. */
IRL_API int irl_map_memory(irl_ctx *cx, const irl_map *map, irl_shape shape, irl_shape *memory);

/* Does the same as irl_map_shape, but for the points first, first + 1, ... first + shape - 1 along
   each axis: the points of a loop's range, or of one tile.
       (i) -> (i/4, i%4), first 6, shape 4:   minimum [1, 0], physical [3, 4] */
IRL_API int irl_map_ranges(irl_ctx *cx, const irl_map *map, irl_shape first, irl_shape shape,
                           irl_shape *physical, irl_shape *minimum);

/* Returns the composed map R, simplified: R(i) = outer(inner(i)) at every i at which the right side
   has a value. R may have a value at points where the right side has none: `inner` may have no
   value there, or a sum may overflow that simplifying removed. The separators of R are those of
   `outer`. It returns NULL with IRL_ERROR_RANK_MISMATCH unless `outer` has as many inputs as
   `inner` has outputs. */
IRL_API const irl_map *irl_map_compose(irl_ctx *cx, const irl_map *outer, const irl_map *inner);

/* Returns the map for points of `rank` axes: axes with names replace "...", and the identity
   replaces the empty map () -> (). Any other map is returned unchanged. It returns NULL with a
   diagnostic if the map has another number of inputs. */
IRL_API const irl_map *irl_map_of_rank(irl_ctx *cx, const irl_map *map, int rank);

/* Returns the identity of `rank` axes. */
IRL_API const irl_map *irl_map_identity(irl_ctx *cx, int rank);

/* Returns a map made of these parts; the lists are copied. The inputs must be different variables
   of type index. The outputs must be expressions over the inputs and over parameters
   (irl_map_check), and contain only integers and bools. It returns NULL with
   IRL_ERROR_BAD_ARGUMENT, BAD_MAP or BAD_SEPARATORS if they are not. examples/07_builder.c builds
   expressions. */
IRL_API const irl_map *irl_map_new(irl_ctx *cx, int input_count,
                                   const struct irl_expr *const *inputs, int output_count,
                                   const struct irl_expr *const *outputs, int separator_count,
                                   const int *separators);

/* Return maps of common kinds. Axes are counted from 0. The inputs are named i0, i1, ...; their
   number is `rank`, or the rank of the shape. The functions return NULL with IRL_ERROR_BAD_ARGUMENT
   if a condition below does not hold.
       permutation  output k is input order[k]; `order` must have every axis once. Bijective.
                        order { 0, 2, 1 }                   (i0, i1, i2) -> (i0, i2, i1)
       split        two axes, a/factor and a%factor, replace axis a; factor > 0. Injective for every
                    extent.
                        irl_map_split(cx, 2, 1, 4)          (i0, i1) -> (i0, i1/4, i1%4)
       fuse         one axis replaces `count` axes, at least one, starting at axis `first`. It is
                    the row-major number of their values in `shape`, which may have names. Bijective
                    on that shape.
                        irl_map_fuse(cx, IRL_SHAPE(2, 3, 5), 0, 2)   (i0, i1, i2) -> (i0*3 + i1, i2)
       tile         every axis a with factor[a] > 1 is split; factors > 0. The outputs are first all
                    axes, divided if they are split, then all remainders a%factor[a].
                        factor { 4, 1, 8 }      (i0, i1, i2) -> (i0/4, i1, i2/8, i0%4, i2%8)
       pad          before[a] unused cells (>= 0) come before the first cell along axis a.
                        before { 0, 2 }         (i0, i1) -> (i0, i1 + 2)
       strided      one output, the sum of i_a * stride[a] over all axes a. Strides may have names.
                    irl_map_check says whether the strides are large enough to make it injective.
                        irl_map_strided(cx, IRL_SHAPE(12, 1))        (i0, i1) -> (i0*12 + i1) */
IRL_API const irl_map *irl_map_permutation(irl_ctx *cx, int rank, const int *order);
IRL_API const irl_map *irl_map_split(irl_ctx *cx, int rank, int axis, int64_t factor);
IRL_API const irl_map *irl_map_fuse(irl_ctx *cx, irl_shape shape, int first, int count);
IRL_API const irl_map *irl_map_tile(irl_ctx *cx, int rank, const int64_t *factor);
IRL_API const irl_map *irl_map_pad(irl_ctx *cx, int rank, const int64_t *before);
IRL_API const irl_map *irl_map_strided(irl_ctx *cx, irl_shape stride);

/* Return maps with tiles whose elements need not be adjacent, as CuTe's logical_divide and
   logical_product do. A tile is a list of modes. A mode is an extent s and a stride d, which CuTe
   writes s:d: s elements at distance d. Elements of a tile are numbered so that the first mode
   counts fastest. Sorted by stride, each stride must be a multiple of the next smaller stride times
   the extent of its mode; otherwise the functions return NULL with IRL_ERROR_BAD_ARGUMENT. The tile
   and its shifted copies then cover every index once. Copies are numbered by their first index.
       divide    two axes replace axis a: the number of the copy that contains index i, and the
                 number of i within this copy
                     irl_map_divide(cx, 1, 0, IRL_SHAPE(4), IRL_SHAPE(2))
                                                        (i0) -> (i0/8*2 + i0%2, i0/2%4)
                 Here the even elements of every eight are one tile, the odd elements the next.
                 Injective for every extent.
       product   the opposite. The inputs are first the modes of `outer`, which select a copy, then
                 the modes of the tile. The output is the index of the element
                   irl_map_product(cx, IRL_SHAPE(2, 2), IRL_SHAPE(4, 1), IRL_SHAPE(6), IRL_SHAPE(1))
                                                    (i0, i1, i2) -> (i0/2*8 + i1*4 + i0%2*2 + i2)
                 Injective if different points of `outer` select different copies. To use this
                 layout within each tile of an array, compose the product with the irl_map_tile of
                 the tile's extents, each above 1. */
IRL_API const irl_map *irl_map_divide(irl_ctx *cx, int rank, int axis, irl_shape tile,
                                      irl_shape stride);
IRL_API const irl_map *irl_map_product(irl_ctx *cx, irl_shape tile, irl_shape tile_stride,
                                       irl_shape outer, irl_shape outer_stride);

/* ================================================================== >>verdicts */

/* A layout of a buffer that is written must be bijective or injective. irl_func_lower refuses any
   other verdict. */
typedef enum irl_verdict_kind {
    /* neither proved nor refuted, and too large to enumerate; `reason` says what was not decided */
    IRL_UNDECIDED = 0,
    IRL_BIJECTIVE, /* every cell of the physical box is the image of exactly one point */
    IRL_INJECTIVE, /* different points have different cells; some cells are unused (pad_cells) */
    /* points a and b map to the same cell `at`. `reason` says if another point is known to have no
       value, or if the point `outside` is out of range too; otherwise it is "" */
    IRL_LOSSY,
    /* point a maps to `at`, in which an index is negative, beyond the bound, or 2^63-1 (no extent
       is large enough for that) */
    IRL_OUT_OF_RANGE,
    /* only for an IRL_LAYOUT: the text is injective and maps point a to `at`, but the C function
       computes another cell. `reason` says in which part of the line they differ */
    IRL_C_DIFFERS,
    /* the map has no value at point a because of an overflow, a division by zero, or a shift that
       is negative or too far. `reason` says in which part of the map */
    IRL_UNDEFINED
} irl_verdict_kind;

/* The answer about a map on a shape. It is valid as long as the context. If the shape, the bound or
   the map has names, the answer is for all values of the names from 1 on, or for the values for
   which `where` is true. All extents of its boxes are then expressions over the names, in
   irl_shape.named. */
typedef struct irl_verdict {
    /* with names: BIJECTIVE and INJECTIVE are proved for all values of the names. LOSSY,
       OUT_OF_RANGE, C_DIFFERS and UNDEFINED hold for some values, which are in `values` */
    irl_verdict_kind kind;
    /* the code with which irl_func_lower and other functions refuse such a map. The exit status of
       irlc is its irl_code_outcome. IRL_OK for BIJECTIVE and INJECTIVE; IRL_ERROR_DIVISION_BY_ZERO,
       OVERFLOW or BAD_VALUE for UNDEFINED */
    irl_code         code;
    /* the method of the proof: "identity", "mixed-radix decomposition", "enumeration", ...; "" if
       undecided */
    const char      *method;
    irl_shape        shape;    /* the shape in question; a shape without names has numbers */
    irl_shape        minimum;  /* least index along each physical axis */
    /* largest index along each physical axis, plus one. With names, a formula that could be
       negative is put into max(..., 0), so that no extent is negative */
    irl_shape        physical;
    /* the shape of the buffer in memory: irl_map_memory. Its cells beyond `physical` are unused
       too */
    irl_shape        memory;
    /* 1: minimum, physical and memory are valid, even if the verdict is undecided; 0: ignore
       them */
    int              box_known;
    /* if box_known is 1: 1 if the box is proved to be the smallest, as it always is without names.
       With names a remainder or a quotient may prevent the proof; the box then still contains every
       cell that a point maps to */
    int              box_reached;
    /* the number of unused cells within `physical` (not within `memory`). -1: it exceeds 63 bits,
       or is a formula (pad_cells_named). 0 if the verdict is neither BIJECTIVE nor INJECTIVE */
    int64_t          pad_cells;
    const struct irl_expr *pad_cells_named; /* with names, if `inverse` is not NULL; else NULL */
    /* for LOSSY (a, b, at), OUT_OF_RANGE and C_DIFFERS (a, at), UNDEFINED (a) */
    irl_shape        a, b, at;
    /* for LOSSY: a point that is out of range, and the cell it maps to. The rank of outside_at is 0
       if no point is out of range or if the box is not known. With names: for `values` */
    irl_shape        outside, outside_at;
    /* for UNDECIDED: why, and the size of the part that was not decided, or the message of the
       failure. For UNDEFINED, C_DIFFERS and LOSSY: see irl_verdict_kind. "" otherwise */
    const char      *reason;
    /* the peak memory that this question used in addition to what the context held. If the context
       is in a block, that many bytes must still be free in it */
    size_t           bytes;
    /* the steps that the question took, at most irl_check_options.most_work */
    int64_t          work;
    /* for BIJECTIVE and INJECTIVE, and if `where` is not NULL: the inverse (axis0, axis1, ...) ->
       (...), which is right for every cell that a point maps to; may be NULL */
    const irl_map   *inverse;
    /* if `inverse` is not NULL: a predicate over its inputs that is true for exactly the cells that
       no point maps to */
    const struct irl_expr *padding;
    /* the names: the variables that are not inputs of the map. Without names the count is 0, and
       all fields from `parameters` on are NULL */
    int              parameter_count;
    const struct irl_expr *const *parameters;
    const int64_t   *values; /* the values of the parameters for which a, b and at are a witness */
    /* a predicate over the parameters: the box, `inverse` and `padding` are right for the values
       for which it is true. NULL: for all values */
    const struct irl_expr *where;
    /* a predicate over the parameters: the box has no unused cell for the values for which it is
       true. NULL: not known */
    const struct irl_expr *condition;
} irl_verdict;

/* Returns the verdict about the map on this shape. The verdict is exact or UNDECIDED, never a
   guess. It is computed in 64-bit arithmetic that checks for overflow.
       const irl_map *map = irl_map_parse(cx, "(y, x) -> (y/8, x)");
       irl_verdict    v = irl_map_check(cx, map, IRL_SHAPE(64, 128));
       if (v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) puts(irl_verdict_text(cx, &v));
   prints lossy: (0, 0) and (1, 0) both map to [0, 0].

   The map is checked as it is written, before any simplification. It has no value at a point at
   which it overflows, divides by zero or shifts too far. If there is such a point, the verdict is
   LOSSY if other points collide, else UNDEFINED; if both are known, the text of the verdict says
   both. If the map may have no value somewhere but no such point was found, the verdict is
   UNDECIDED.
       (i) -> (i*4611686018427387904) on [100]
   prints undefined: overflow at i * 4611686018427387904: its operands are 2 and 4611686018427387904
   at (2), one of 100 points.

   If the text of an IRL_LAYOUT is injective, its C function is checked too, with the irl_index with
   which it was compiled. If irl_index is int16_t, (y * 320 + x) on [240, 320] is C_DIFFERS: at
   (239, 319) y * 320 is 76480, but int16_t holds at most 32767.

   With names, the answer holds for all values of the names from 1 on for which every index and
   every extent of the box fits 63 bits. Enumeration is then impossible. If there is no proof, small
   values of the names are tried: the verdict then gives values and a witness that refute the
   layout, or it is UNDECIDED. For an IRL_LAYOUT it is proved that C's divisions round as those of
   the text do. Whether every number fits irl_index is only checked for shapes without names.
       const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
       irl_verdict v = irl_map_check(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"),
                                     irl_shape_of(1, &n));
   The verdict is injective into [(N + 3)/4, min(N, 4)]. The unused cells are those with N <=
   axis0*4 + axis1.

   If the question fails (wrong rank, out of memory), the verdict is UNDECIDED. The diagnostic is in
   the context, and its message in `reason`.

   Cost: independent of the number of points if a symbolic proof succeeds. Otherwise points are
   enumerated: a few nanoseconds for each point and one bit for each cell, up to 2^26 cells. A
   question takes at most irl_check_options.most_work steps; if that is 0, at most
   irl_ctx_desc.most_work, whose default is 100,000,000. A step takes about a nanosecond. Steps are
   counted instead of time, so that answers are the same on every machine. A question that needs
   more steps is UNDECIDED, and `reason` says so. More steps may decide such a question, but never
   change an answer.

   Memory: enumeration allocates one piece of (cells + 127)/64*8 bytes, which is 8 MiB for the
   default `most_cells`; all other pieces are small. If memory is out, the diagnostic says how much
   was asked for. `bytes` of the verdict says how much was used. */
IRL_API irl_verdict irl_map_check(irl_ctx *cx, const irl_map *map, irl_shape shape);

/* How to check. Zero is the default of every field. */
typedef struct irl_check_options {
    /* an index at or above this extent is out of range. It may have names. NULL: only negative
       indices are out of range */
    const irl_shape *bound;
    /* without names: the most cells of an enumeration, which takes a bit for each cell; default
       2^26 */
    int64_t          most_cells;
    /* without names: called now and then while points are enumerated. Return 0 to stop: the answer
       is then UNDECIDED */
    int (*progress)(void *user, int64_t done, int64_t total);
    void *user;
    /* the most steps of work; a question that needs more is UNDECIDED; default:
       irl_ctx_desc.most_work */
    int64_t most_work;
} irl_check_options;
IRL_API irl_verdict irl_map_check_with(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                       const irl_check_options *how);

/* Returns the verdict in one line: "bijective onto [8, 128, 8]"; or "bijective onto [5, 3], in
   memory [5, 4]" if the buffer in memory is larger; or "bijective onto [N, 4]". The text is owned
   by the context. */
IRL_API const char *irl_verdict_text(irl_ctx *cx, const irl_verdict *verdict);
IRL_API const char *irl_verdict_name(irl_verdict_kind kind);

/* Returns the verdict as JSON on one line, owned by the context: {"map": ..., "shape": ..., "min":
   ..., "physical": ..., "memory": ..., "verdict": ..., "method": ..., "inverse": ..., "padding":
   ..., "pad_cells": ..., "witness": {"a": ..., "b": ..., "at": ...}, "reason": ...}. A field that
   does not apply is null. "padding" and "pad_cells" are about the whole memory: they include the
   unused cells beyond the box, which "verdict" does not count. With names, a value that is not a
   number is a string, and there are also the members "box_reached", "where", "condition" and
   "values". The JSON does not contain `bytes`, so it is the same in every context; `irlc check
   --json` adds it. */
IRL_API const char *irl_verdict_json(irl_ctx *cx, const irl_map *map, const irl_verdict *verdict);

/* Returns any text as a JSON string, with its quotes; "null" for NULL. Bytes that are not UTF-8
   become \u00XX. The result is owned by the context. */
IRL_API const char *irl_json_text(irl_ctx *cx, const char *text);

/* Returns the inverse (axis0, axis1, ...) -> (...) of an injective map, after checking the map.
   *padding becomes a predicate over the inputs of the inverse that is true for exactly the unused
   cells of the physical box; `padding` may be NULL. The function returns NULL with a diagnostic if
   the map is lossy, out of range, undefined or undecided. With names, it also returns NULL if the
   map is not proved for all values of the names. */
IRL_API const irl_map *irl_map_inverse(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                       const struct irl_expr **padding);

typedef enum irl_answer { IRL_UNKNOWN = 0, IRL_YES, IRL_NO } irl_answer;

/* A point at which two maps differ. Its rank is -1 if the maps differ in rank. With names, `values`
   are values of the parameters for which the maps differ; without names it is NULL. */
typedef struct irl_difference {
    irl_shape                     point;
    int                           parameter_count;
    const struct irl_expr *const *parameters;
    const int64_t                *values;
} irl_difference;

/* Returns IRL_YES if two maps take every point of the shape to the same cell; with names, for all
   values of the names from 1 on. It returns IRL_NO if they differ, and *difference becomes a point
   at which they do; `difference` may be NULL. With names, small values and the constants in the
   maps are tried to find a difference. It returns IRL_UNKNOWN if the simplifier cannot prove
   equality and no difference is found in as many points as the context's most_work allows. It
   returns IRL_UNKNOWN with a diagnostic if an argument is wrong or a map has no value at some
   point. */
IRL_API irl_answer irl_map_equal(irl_ctx *cx, const irl_map *a, const irl_map *b, irl_shape shape,
                                 irl_difference *difference);

/* ================================================================== >>records */

/* A record: fields of 1 to 32 bits at fixed offsets in a block of bytes. Immutable. This example
   reads one from a text (docs/grammar.md, "Records"):
       static const char  text[] = "record q4_0 bytes(18) { s: f16; q: u4[2, 16] strides(4, 8); }";
       const irl_record  *block = irl_record_parse(cx, text, IRL_TO_NUL, NULL);
       irl_record_verdict bits = irl_record_check(block);
       puts(irl_record_verdict_text(block, &bits));
   prints bijective: each of 144 bits belongs to a field. */
typedef struct irl_record irl_record;

typedef struct irl_record_field {
    const char   *name;
    /* the type of a value: the smallest integer type that has `bits` bits, or f16, bf16, f32 */
    irl_type      type;
    int           bits; /* 1 to 32 */
    irl_bit_order order;
    int           rank; /* 0: one element */
    int64_t       offset; /* of the first element, in bits, counted in `order` */
    int64_t       extent[IRL_MAX_RANK], stride[IRL_MAX_RANK]; /* strides in bits */
} irl_record_field;

/* Returns a record made of these fields. The fields and their names are copied. The function
   accepts fields that overlap or exceed the record; irl_record_check finds them. It returns NULL
   with a diagnostic if the record is invalid: IRL_ERROR_BAD_TYPE, DUPLICATE_NAME or BAD_ARGUMENT;
   TOO_LARGE for more than 131072 bytes or 250 fields. */
IRL_API const irl_record *irl_record_new(irl_ctx *cx, const char *name, int64_t bytes, int count,
                                         const irl_record_field *fields);

/* Returns the record in a text; NULL with a diagnostic on failure. `length` and `file` are as for
   irl_func_parse. */
IRL_API const irl_record *irl_record_parse(irl_ctx *cx, const char *text, size_t length,
                                           const char *file);

/* Returns the record as a text, which parses to an equal record; "" for NULL. The text is owned by
   the context. */
IRL_API const char *irl_record_text(const irl_record *record);
IRL_API int         irl_record_equal(const irl_record *a, const irl_record *b);
IRL_API const char *irl_record_name(const irl_record *record);
IRL_API int64_t     irl_record_bytes(const irl_record *record);
IRL_API int         irl_record_field_count(const irl_record *record);

/* Returns field k; NULL if there is none. */
IRL_API const irl_record_field *irl_record_field_at(const irl_record *record, int k);

/* The answer about a record. Bits are counted from the least significant bit of byte 0. */
typedef struct irl_record_verdict {
    /* BIJECTIVE: each bit belongs to exactly one field. INJECTIVE: some bits are unused. LOSSY:
       element a_element of field a and element b_element of field b both contain `bit`.
       OUT_OF_RANGE: element b_element of field b needs `bit`, which is outside of the record */
    irl_verdict_kind kind;
    irl_code         code;         /* as in irl_verdict; UNDECIDED for NULL */
    int64_t          unused_bits, first_unused; /* for INJECTIVE; else 0 and -1 */
    int              a, b;         /* fields, by number */
    int64_t          a_element, b_element, bit; /* elements by their row-major numbers */
} irl_record_verdict;

/* Returns the verdict about a record. It is exact: every bit of every element is examined. Cost:
   linear in the bits. */
IRL_API irl_record_verdict irl_record_check(const irl_record *record);

/* Returns the verdict in one line: "injective: 3 of 8 bits are unused, the first is bit 5 of byte
   0". */
IRL_API const char *irl_record_verdict_text(const irl_record *record,
                                            const irl_record_verdict *verdict);

/* An element that is not whole bytes, and the bits at which the elements of a layout begin: element
   n of the row-major memory begins at bit offset + n * stride, counted in `order`. As a text: "u3",
   "i12 bits(msb)", "u16 bits(msb)", "u10 offset(4) strides(16)" (docs/grammar.md, "Bits"). */
typedef struct irl_bit_element {
    irl_type      type; /* the type of a value, as in irl_record_field */
    int           bits; /* 1 to 32 */
    irl_bit_order order;
    int64_t       offset, stride; /* stride 0: elements are side by side */
} irl_bit_element;

/* Reads the text of an element. Returns 1, or 0 with a diagnostic. */
IRL_API int irl_bit_element_parse(irl_ctx *cx, const char *text, irl_bit_element *out);

/* The answer about the bits of a layout. The memory consists of whole bytes, up to the last bit of
   the last element of irl_verdict.memory. Bits are counted from the least significant bit of byte
   0. */
typedef struct irl_bit_verdict {
    /* BIJECTIVE: each bit of the memory belongs to exactly one element. INJECTIVE: some bits are
       unused. LOSSY: the elements of points a and b both contain `bit`. Otherwise the kind of the
       map's verdict */
    irl_verdict_kind kind;
    irl_code         code; /* as in irl_verdict */
    irl_verdict      map;  /* the verdict of the map, whose cells are elements */
    int64_t          bits; /* the bits of the memory; -1: the number has names, or is not known */
    /* for INJECTIVE; else 0 and -1. first_unused is also -1 with names, or if finding it would take
       too long */
    int64_t          unused_bits, first_unused;
    irl_shape        a, b;
    int64_t          bit; /* -1: the memory is not known */
    /* with names; otherwise NULL. bits_named and unused_named: `bits` and `unused_bits` as
       expressions over irl_verdict.parameters. condition: a predicate that is true for the values
       for which no bit is unused; NULL: not known. values: for LOSSY, values of the parameters for
       which a and b collide */
    const struct irl_expr *bits_named, *unused_named, *condition;
    const int64_t         *values;
    /* for UNDECIDED, or if the kind is that of the map's verdict; else "" */
    const char            *reason;
} irl_bit_verdict;

/* Returns the verdict about the bits of a layout: it is exact or UNDECIDED. An injective map is
   still LOSSY here if elements are wider than the stride, so that two elements overlap. The verdict
   counts every bit that belongs to no element.
       irl_bit_element   pixel;
       irl_bit_element_parse(cx, "u3", &pixel);
       irl_bit_verdict   seen = irl_map_check_bits(cx, irl_map_parse(cx, "(y, x) -> (y, x)"),
                                                   IRL_SHAPE(3, 7), &pixel);
       puts(irl_bit_verdict_text(cx, &seen));
   prints injective: 1 of 64 bits is unused, the first is bit 7 of byte 7.

   If elements may overlap and there are names, only small values of the names are tried to find an
   overlap; the verdict is UNDECIDED if they show none. Cost: that of irl_map_check. In addition it
   is linear in the cells before the first unused bit, or in all cells if elements are wider than
   the stride. */
IRL_API irl_bit_verdict irl_map_check_bits(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                           const irl_bit_element *element);

/* Returns the verdict in one line, such as "lossy: (0, 1) and (0, 2) have bit 4 of byte 0". */
IRL_API const char *irl_bit_verdict_text(irl_ctx *cx, const irl_bit_verdict *verdict);

/* Returns the verdict as JSON: {"map": ..., "element": ..., "verdict": ..., "bits": ...,
   "unused_bits": ..., "first_unused": ..., "witness": {"a": ..., "b": ..., "bit": ..., "values":
   ...}, "reason": ..., "memory": ..., "elements": ...}. "memory" is the extents in elements;
   "elements" is the JSON of the map's verdict. A field that does not apply is null. */
IRL_API const char *irl_bit_verdict_json(irl_ctx *cx, const irl_map *map,
                                         const irl_bit_element *element,
                                         const irl_bit_verdict *verdict);

/* Returns the element in the text form of irl_bit_element_parse. */
IRL_API const char *irl_bit_element_text(irl_ctx *cx, const irl_bit_element *element);

/* ================================================================== >>pictures */

#ifndef IRLAYOUT_NO_PICTURES
/* A picture of a layout has two grids. The grid of points shows for each point the number of its
   cell; the grid of the memory shows for each cell its point. Cells of one word of memory (the
   innermost axis, or a frame) have one colour in both grids, which gets darker along the word.
   Unused cells are hatched. Points that map to one cell are red, and a line joins the two points of
   the verdict's witness. A grid that is too large is cut off with an ellipsis, and the text below
   it says how much is shown.
       puts(irl_map_picture(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"), IRL_SHAPE(10)));
       irl_picture_options how;
       memset(&how, 0, sizeof how);
       how.form = IRL_PICTURE_SVG;
       puts(irl_map_picture_with(cx, irl_map_identity(cx, 2), IRL_SHAPE(4, 8), &how)); */
typedef enum irl_picture_form {
    IRL_PICTURE_ASCII = 0,
    IRL_PICTURE_COLOUR, /* the same with the 256 colours of terminals */
    IRL_PICTURE_SVG     /* an SVG document without scripts; it loads nothing */
} irl_picture_form;

typedef enum irl_picture_side {
    IRL_PICTURE_BOTH = 0,
    IRL_PICTURE_POINTS, /* only the grid of points */
    IRL_PICTURE_MEMORY
} irl_picture_side;

typedef struct irl_picture_options {
    irl_picture_form form;
    irl_picture_side side;
    /* the most cells across and down, up to 256. 0: 32 and 24; in characters as many as fit 78
       columns */
    int              columns, rows;
    /* the number of cells of memory that a frame encloses: a word, a texel, a cache line; 0: no
       frames */
    int64_t          frame;
    /* only for SVG. 1: lines that follow the order of memory; 2: also a dot that moves along the
       lines */
    int              walk;
    /* 1: the map comes from irl_func_access_map. Its points are iterations, and several iterations
       may touch one element. The element is drawn with its first iteration and the number of the
       others */
    int              is_access;
    /* the elements, if they are not whole bytes. The memory is then drawn as bits, with a frame for
       each byte. Unused bits, and bits of two elements, are drawn like such cells. NULL: elements
       are whole bytes */
    const irl_bit_element *bits;
} irl_picture_options;

/* Returns the picture as a text, owned by the context. Lossy maps and maps that are out of range
   are drawn too. It returns "" with a diagnostic if irl_map_check fails, if the shape has names, or
   if an option is invalid. Cost: that of irl_map_check, and some nanoseconds for each point if
   there are up to 2^20 points. In a larger shape the inverse gives the point of each cell that is
   drawn; if there is no inverse, the cells are drawn as `?`. */
IRL_API const char *irl_map_picture(irl_ctx *cx, const irl_map *map, irl_shape shape);
IRL_API const char *irl_map_picture_with(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                         const irl_picture_options *how);

/* Returns a picture of a record's bytes: each bit with the field that it belongs to, and a line for
   each field below. Only the options form, rows and columns are used. Records that irl_record_check
   does not accept are drawn too. Cost: linear in the bits of the record. */
IRL_API const char *irl_record_picture(const irl_record *record, const irl_picture_options *how);
#endif

/* ================================================================== >>textures */

/* Layouts of a tensor in an image. An image is a grid of texels, usually with 4 values in each
   texel. Its width and its height are limited, so a layout convention that suits one tensor may not
   fit the next tensor. irl_texture_candidates lists the layouts for a shape, with their sizes and
   costs, and chooses the best one. If no image of two dimensions can hold the tensor, the
   candidates also include an image over a buffer (one row of texels), an array of images, and a
   volume (an image of three dimensions). Zero is the default of every option except the shape.
       irl_texture_options question;
       memset(&question, 0, sizeof question);
       question.shape = IRL_SHAPE(1, 64, 56, 56);
       irl_texture_choice choice = irl_texture_candidates(cx, &question);
       const irl_texture_candidate *best = choice.chosen >= 0 ? &choice.list[choice.chosen] : NULL;
       if (best) f = irl_func_set_scope(irl_func_set_layout(f, "x", best->map), "x", best->scope);
   If no layout fits, leave the buffer in plain memory. */
typedef struct irl_texture_options {
    irl_shape shape;   /* the logical shape of the tensor; without names */
    /* 1: `channel` is the number of the channel axis, from 0. 0: the channel axis is axis 1 if
       there are four axes (NCHW), else the last axis */
    int       has_channel;
    /* a texel holds 4 consecutive values along this axis (or as many as `element` has lanes) */
    int       channel;
    /* the largest width and height of the device's images, in texels. 0: 8192, which OpenCL 1.2
       guarantees */
    int64_t   max_width, max_height;
    /* the most texels of an image over a buffer (CL_DEVICE_IMAGE_MAX_BUFFER_SIZE). 0: 65536, which
       OpenCL 1.2 guarantees */
    int64_t   max_texels;
    /* the most layers of an array of images (CL_DEVICE_IMAGE_MAX_ARRAY_SIZE); 0: 2048 */
    int64_t   max_layers;
    /* the most texels along any side of a volume: the smallest of the device's
       CL_DEVICE_IMAGE3D_MAX_* values. 0: 2048, or less if max_width or max_height is less */
    int64_t   max_volume;
    /* the type of a texel's values; zero: f32. If it is a vector, a texel has that many values:
       f16x8 and u8x16 fill 128 bits */
    irl_type  element;
} irl_texture_options;

typedef struct irl_texture_candidate {
    /* the name of a convention ("texture", "mnn", ...), or the quotients and remainders of the map:
       "n,c/16,h|c/4%4,w" */
    const char    *name;
    /* the layout, to pass to irl_func_set_layout. Its groups of axes are (rows), (columns, lane);
       over a buffer (columns, lane); in an array or volume (layers), (rows), (columns, lane) */
    const irl_map *map;
    irl_scope      scope;         /* to pass to irl_func_set_scope */
    int64_t        width, height; /* in texels; -1: more than 63 bits */
    int64_t        layers;        /* of an array, or the depth of a volume; else 1 */
    int64_t        waste;         /* values in the image that hold no element */
    int            cost;          /* operators that compute the row, the column and the layer */
    int            fits;
    const char    *reason;        /* why it does not fit, with numbers; "" if it does */
} irl_texture_candidate;

typedef struct irl_texture_choice {
    irl_texture_options          options; /* with the defaults filled in */
    int                          count;
    /* the conventions first, then the layouts searched for this shape */
    const irl_texture_candidate *list;
    /* the number of the best candidate that fits; -1: none fits. An image of two dimensions is
       preferred, then an image over a buffer, an array, a volume. Among candidates of one kind, the
       least waste decides, then the least cost, then the squarest image */
    int chosen;
} irl_texture_choice;

/* Returns the candidates. On failure the count is 0, and there is a diagnostic. */
IRL_API irl_texture_choice irl_texture_candidates(irl_ctx *cx,
                                                  const irl_texture_options *question);

/* ================================================================== >>kernels */

/* irl_func is a function in the library's language, at some stage of lowering. irl_module is a
   module: a host function and kernels. Both are immutable and owned by their context. A C function
   that changes one returns a new object. */
typedef struct irl_func   irl_func;
typedef struct irl_module irl_module;

/* IRL_KERNEL(name, (x: f32[4, 4], y: f32[4, 4]) { ... }) is a function in the language of
   docs/grammar.md. Macros in it are not expanded. To use constants of C, pass them by name:
   irl_kernel_let(cx, &name, IRL_LET(H, W)). With -pedantic, write __extension__ before a kernel
   that is longer than 4095 characters. Sums, products, minima and maxima are expressions. A label
   such as `a:` names a nest of loops for a schedule:
       IRL_KERNEL(rows, (x: f32[9, 8], y: f32[9]) { a: for (i: 9) y[i] = sum(k: 8, x[i, k]); }); */
#define IRL_KERNEL(name, ...) \
    static const irl_source_text name IRL__UNUSED = { #name, #__VA_ARGS__, __FILE__, __LINE__, 0 }

/* Returns the function of an IRL_KERNEL, in which the values replace the constants' names. Names,
   types, ranks and scopes are checked. It returns NULL on failure; the diagnostic points into the
   user's file if the file can be read, else into the macro's text. Cost: linear in the text. */
IRL_API irl_func *irl_kernel(irl_ctx *cx, const irl_source_text *kernel);
IRL_API irl_func *irl_kernel_let(irl_ctx *cx, const irl_source_text *kernel,
                                 irl_constants constants);

/* Returns the function in a text that starts with "func name(...)", or the module in a text that
   starts with "module". `length` is in bytes; IRL_TO_NUL means up to the '\0' of a C string. `file`
   names the text in diagnostics and may be NULL. The text is copied. Both functions return NULL on
   failure.
       f = irl_func_parse(cx, "func f(x: f32[8]) { for (i: 8) x[i] = 0; }", IRL_TO_NUL, NULL); */
#define IRL_TO_NUL ((size_t)-1)
IRL_API irl_func   *irl_func_parse(irl_ctx *cx, const char *text, size_t length, const char *file);
IRL_API irl_module *irl_module_parse(irl_ctx *cx, const char *text, size_t length,
                                     const char *file);
#ifndef IRLAYOUT_NO_SCHEDULES
/* Returns the function of a text that also contains schedules, after carrying out the schedule with
   the name `schedule`. If `schedule` is NULL, the first schedule is carried out, if there is one;
   if it is "", no schedule is. The other schedules are parsed but not carried out. Diagnostics are
   those of irl_func_parse and irl_schedule_parse, with places in this text. If there is no schedule
   of that name, IRL_ERROR_UNKNOWN_NAME lists the schedules in the text.
       text = "func f(y: f32[8]) { for (i: 8) y[i] = 0; } schedule rows { split(y.i, 4); }";
       f = irl_func_parse_scheduled(cx, text, IRL_TO_NUL, NULL, "rows"); */
IRL_API irl_func *irl_func_parse_scheduled(irl_ctx *cx, const char *text, size_t length,
                                           const char *file, const char *schedule);
#endif
/* Return the function or module as a text, owned by the context. The text parses to an equal
   function or module. They return "" for NULL, or if memory is out. */
IRL_API const char *irl_func_text(const irl_func *f);
IRL_API const char *irl_module_text(const irl_module *m);

/* Return 1 if both are equal; the names of variables that are declared inside may differ. Places in
   the source are not compared; constants are compared bit for bit. */
IRL_API int irl_func_equal(const irl_func *a, const irl_func *b);
IRL_API int irl_module_equal(const irl_module *a, const irl_module *b);

/* Returns a hash of a function; the name of the function is not part of it. Equal functions have
   equal hashes, on every machine and in every run. Equal hashes do not prove that functions are
   equal. It returns 0 for NULL, or if memory is out. */
IRL_API uint64_t irl_func_hash(const irl_func *f);

/* ================================================================== >>analysis */

#ifndef IRLAYOUT_MAPS_ONLY
/* What a function does to memory, and which order of its iterations this requires. Loads, stores
   and calls are numbered in the order in which they run. Loops are numbered in the order of the
   text, an outer loop before its inner loops.
       IRL_KERNEL(running, (x: f32[9], y: f32[9]) { for (i: 1 .. 9) y[i] = y[i - 1] + x[i]; });
       const irl_access_table *t = irl_func_accesses(irl_kernel(cx, &running));
       puts(t->list[0].text);                                     y[i - 1]
       puts(irl_func_carried(irl_kernel(cx, &running), t->list[0].loop)->text);
   The last line prints: y[i - 1] at i = 2 and y[i] at i = 1 are one element. */
typedef enum irl_access_kind {
    IRL_ACCESS_READ,
    IRL_ACCESS_WRITE,
    IRL_ACCESS_UPDATE, /* a store whose value depends on what the element held */
    IRL_ACCESS_OPAQUE  /* the memory is passed to a call, which may read and write it */
} irl_access_kind;

typedef struct irl_loop {
    const char            *name; /* the name of its variable */
    const struct irl_expr *var, *min, *extent;
    int                    outer; /* the number of the loop around it; -1: none */
    int                    first_access, end_access; /* the accesses inside are first .. end - 1 */
    const char            *place; /* line and column, "3:5"; "" if it does not come from a text */
} irl_loop;

typedef struct irl_access {
    irl_access_kind               kind;
    /* 1: the access is only declared, by reads(...) or writes(...) */
    int                           is_declared;
    /* the buffer's name; NULL: the access is through a pointer that belongs to no buffer */
    const char                   *buffer;
    const char                   *text;   /* "y[i, j + 1]" */
    int                           rank;   /* the number of indices; 0 for OPAQUE */
    const struct irl_expr *const *indices;
    /* the conditions (guards) under which the access is reached */
    int                           guard_count;
    const struct irl_expr *const *guards;
    int                           lanes; /* the lanes of the last index */
    int                           loop;  /* the innermost loop around it; -1: none */
    const char                   *place; /* of its statement */
} irl_access;

typedef struct irl_access_table {
    int               count;
    const irl_access *list;
    int               loop_count;
    const irl_loop   *loops;
} irl_access_table;

/* Returns the table of accesses and loops of f, owned by the context. It returns NULL for NULL, or
   if memory is out. Cost: linear in f. */
IRL_API const irl_access_table *irl_func_accesses(const irl_func *f);

/* The value of a variable in the iteration that reaches access a (copy 0) or b (copy 1). A
   parameter has copy 0. */
typedef struct irl_value {
    const struct irl_expr *var;
    int                    copy;
    int64_t                value;
} irl_value;

enum { IRL_ORDER_BEFORE = 1, IRL_ORDER_SAME = 2, IRL_ORDER_AFTER = 4 };

/* The order in one loop of two iterations that touch one element. */
typedef struct irl_loop_order {
    int     loop;
    /* the sum of the IRL_ORDER_ values that are possible: a's iteration comes BEFORE b's, is the
       SAME, or comes AFTER it */
    int     order;
    int     is_distance; /* 1: b's variable is always a's variable plus `distance` */
    int64_t distance;
} irl_loop_order;

/* The answer to the question whether two iterations touch one element. NO is proved for all values
   of the parameters. YES comes with two iterations; they were checked by evaluating indices, guards
   and bounds. UNKNOWN comes with a reason. The answer is UNKNOWN if an index depends on the
   contents of memory. */
typedef struct irl_meeting {
    irl_answer            answer;
    /* for YES: "y[i - 1] at i = 2 and y[i] at i = 1 are one element where n = 3"; for UNKNOWN the
       reason; "" for NO */
    const char           *text;
    /* the two accesses; -1 for NO, and if the answer is not about two accesses */
    int                   a, b;
    int                   value_count;
    const irl_value      *values;
    /* only from irl_func_dependence: the loops around both accesses, outermost first */
    int                   loop_count;
    const irl_loop_order *loops;
} irl_meeting;

/* Returns whether an iteration of access a and an iteration of access b touch one element, and in
   which order they run. a and b are numbers in irl_func_accesses(f). YES and NO are never wrong.
   The answer is not UNKNOWN if indices, bounds and guards consist of +, -, *, min, max, ?:, and /
   and % by numbers, and no names are multiplied with one another. Different parameters and
   different allocations are assumed to be different memory. An allocation inside a loop is new
   memory in each iteration. It returns NULL on failure (IRL_ERROR_BAD_ARGUMENT if there is no such
   access). Cost: some ten microseconds; after some milliseconds of work the answer is UNKNOWN.
       const irl_meeting *m = irl_func_dependence(irl_kernel(cx, &running), 0, 2);
       if (m->loops[0].is_distance) step = m->loops[0].distance;  -1: of the iteration before */
IRL_API const irl_meeting *irl_func_dependence(const irl_func *f, int a, int b);

/* Returns whether two iterations of a loop touch one element that at least one of them writes. NO
   means that the iterations may run in any order, or all at once. YES comes with two accesses and
   the iterations in which they meet. The answer is also UNKNOWN if the loop contains a call or a
   barrier. */
IRL_API const irl_meeting *irl_func_carried(const irl_func *f, int loop);

/* The answer about one loop: the result of irl_func_carried, and the result of irl_func_dependence
   for its two accesses. `dependence` is NULL if no two accesses touch one element, or if the answer
   is not about two accesses. */
typedef struct irl_carried {
    const irl_meeting *meeting, *dependence;
} irl_carried;

/* Returns the answer for each loop of irl_func_accesses(f), in the order of the loops. Cost: less
   than one call of irl_func_carried for each loop, because the function is walked only once. */
IRL_API const irl_carried *irl_func_carried_all(const irl_func *f);

/* Returns whether two buffers, given by name, are views of one memory and overlap. It returns
   IRL_UNKNOWN if their shapes, strides or offsets do not show it, and on failure (UNKNOWN_NAME). */
IRL_API irl_answer irl_func_may_alias(const irl_func *f, const char *a, const char *b);

/* The lifetime of a memory: the first and the last access to it, and its size. */
typedef struct irl_life {
    const char *buffer;
    /* in a module: the kernel that allocates it; NULL: the host function allocates it */
    const char *kernel;
    int         is_parameter; /* 1: a parameter; 0: an allocation */
    irl_scope   scope;        /* shared: each group has one; local: each work-item has one */
    /* an expression over parameters and the loops around its allocation; NULL: the size depends on
       the contents of memory, or exceeds 63 bits */
    const struct irl_expr *bytes;
    const char *place;        /* of its declaration */
    /* the first and the last access; -1: none. If the memory is allocated outside of a loop that
       touches it, all accesses of that loop count */
    int         first, last;
    int         loop;         /* the innermost loop around all accesses to it; -1: none */
} irl_life;

typedef struct irl_lives {
    int             count;
    const irl_life *list;
    int             launch_count; /* of a module */
} irl_lives;

/* Returns the lifetimes of the parameters of f, then those of its allocations. Numbers of accesses
   and loops are those of irl_func_accesses(f). The result is owned by the context; NULL on failure.
   Cost: linear in f.
       puts(irl_expr_text(cx, irl_func_liveness(irl_kernel(cx, &running))->list[0].bytes)); 36 */
IRL_API const irl_lives *irl_func_liveness(const irl_func *f);

/* Returns the lifetimes of memory in a module: of the host function's parameters, of its
   temporaries, and of the memory that each kernel allocates itself. `first` and `last` are numbers
   of launches, counted in order from 0. A launch touches every memory that is passed to it. An
   access by the host function itself counts as an access by the launches before and after it. */
IRL_API const irl_lives *irl_module_liveness(const irl_module *m);

/* Two accesses of which one (reader) may read a cell after the other (writer) has written it. */
typedef struct irl_flow {
    int         writer, reader;
    irl_answer  answer; /* YES: `text` has two iterations; UNKNOWN: `text` has the reason */
    const char *text;
} irl_flow;

/* Whether every element that an access reads from allocated memory was written before. */
typedef struct irl_covered {
    int         access;
    /* YES is proved. NO: `text` names an iteration that reads an element that was never written */
    irl_answer  answer;
    const char *text;
} irl_covered;

typedef struct irl_flows {
    int                is_complete; /* 0: there are more pairs of accesses than are examined */
    int                count, read_count;
    /* sorted by reader. For each pair that is not listed it is proved that the reader reads nothing
       that the writer has written */
    const irl_flow    *list;
    const irl_covered *reads; /* the reads from allocated memory */
} irl_flows;

/* Returns which access reads what another access has written, and whether every element that is
   read was written before. The answers are for all values of the parameters. The result is owned by
   the context; NULL on failure. Cost: some ten microseconds for each pair of accesses to one
   memory; at most 4000 pairs are examined.
       const irl_flows *flows = irl_func_flows(irl_kernel(cx, &running));
       puts(flows->list[0].text);  y[i] at i = 1 and y[i - 1] at i = 2 are one element */
IRL_API const irl_flows *irl_func_flows(const irl_func *f);

/* The cost of an access and its statement when some of the loops around it run: how much memory
   these iterations touch, and how much they compute. */
typedef enum irl_exactness { IRL_COUNT_UNKNOWN, IRL_COUNT_EXACT, IRL_COUNT_AT_MOST } irl_exactness;

typedef struct irl_count {
    irl_exactness exactness;
    int64_t       value; /* UNKNOWN: 0 */
    /* the count as an expression over the names that have no value, and its exactness. NULL if
       `value` says as much (it is EXACT, or both would be AT_MOST), or if no expression is known */
    const struct irl_expr *formula;
    irl_exactness          formula_is;
} irl_count;

typedef struct irl_cost {
    irl_count   iterations;                 /* iterations that reach the access, under its guards */
    /* the operators that its statement executes in all these iterations: +, -, *, min, max and
       comparisons, of floats and of integers. Each lane counts as one operator; fma counts as two.
       Specials are division, roots and functions of floats. ?:, casts and loads do not count */
    irl_count   floats, integers, specials;
    /* the different elements that are touched; their bytes */
    irl_count   cells, bytes;
    /* cache lines that are touched, if the memory starts at a line */
    irl_count   lines;
    irl_count   texels;                     /* texels of an image */
    const char *reason;                     /* why a count is not EXACT; else "" */
} irl_cost;

typedef struct irl_cost_options {
    int              loop_count; /* the loops of irl_func_accesses(f) that run; loops NULL: all */
    const int       *loops;
    int              value_count; /* values of parameters and of other loops */
    const irl_value *values;      /* a loop without a value is at its start; `copy` is ignored */
    int              with_count;  /* other accesses to the same memory, to count too */
    const int       *with;
    int              line_bytes; /* 0: 64; at most 4096 */
} irl_cost_options;

/* Returns the cost of access number `access` of irl_func_accesses(f). `how` may be NULL. Counts are
   exact if indices, bounds and guards consist of +, -, *, min, max, ?:, / and %, and the parameters
   have values. Without values the counts are formulas, for all values that the function's
   assumptions allow. A long loop takes no more time to count than a short one. If two loops
   together determine which elements are touched, at most 4096 cases are examined. If there are more
   cases, or if an index or a guard is read from memory, the count is an upper bound (AT_MOST). The
   result is owned by the context; NULL on failure (IRL_ERROR_BAD_ARGUMENT). Cost: linear in f for
   the table of accesses, then microseconds for an access of a convolution.
       irl_cost_options row = { 0 };
       row.line_bytes = 128;
       bytes = irl_func_cost(irl_kernel(cx, &running), 0, &row)->bytes.value; */
IRL_API const irl_cost *irl_func_cost(const irl_func *f, int access, const irl_cost_options *how);

/* Returns the costs of all accesses, in the order of irl_func_accesses(f). */
IRL_API const irl_cost *irl_func_costs(const irl_func *f, const irl_cost_options *how);

/* A box of cells of one buffer that a part of a function reads or writes (see irl_part_kind for the
   parts). It has a start and an extent along each axis, as expressions over variables from outside
   of the part. The box is empty if an extent is 0 or less. */
typedef struct irl_box {
    const char                   *buffer;
    int                           is_write;
    /* 1: all its cells are touched whenever the part runs */
    int                           is_exact;
    int                           rank;
    const struct irl_expr *const *start, *const *extent;
    const char                   *text; /* "A[vi * 4: 4, vj]" */
} irl_box;

/* The kind of an axis of a block. Spatial: two instances of the block with different values of the
   axis never touch one cell that one of them writes. Reduce: two such instances touch one cell only
   in an update, y[v] = y[v] op e, or in init. Opaque: any other axis. */
typedef enum irl_axis_kind { IRL_AXIS_SPATIAL, IRL_AXIS_REDUCE, IRL_AXIS_OPAQUE } irl_axis_kind;

typedef struct irl_part_axis {
    const char            *name;
    const struct irl_expr *var, *extent;
    irl_axis_kind          declared; /* the kind that the text states; it may state none */
    /* the kind that the analysis found; the text may promise less */
    irl_axis_kind          kind;
    /* for OPAQUE: two accesses to one cell that are the cause, or why the kind is not known; else
       NULL */
    const char            *why;
} irl_part_axis;

typedef enum irl_part_kind {
    IRL_PART_FUNC,
    IRL_PART_NEST,      /* a loop with everything inside it */
    /* a block whose axes are all spatial, which does not read the cells that it writes, and whose
       cells no other statement writes */
    IRL_PART_COMPLETE,
    IRL_PART_REDUCTION, /* a block that updates, along reduce axes */
    IRL_PART_OPAQUE     /* any other block */
} irl_part_kind;

/* An access outside of the regions that a block declares. */
typedef struct irl_escape {
    int         access;    /* its number in irl_func_accesses */
    int         is_proved; /* 1: `text` has an iteration; 0: not proved, `text` says why */
    const char *text;
} irl_escape;

typedef struct irl_part {
    irl_part_kind        kind;
    const char          *name;  /* of the function, of the loop's variable, of the block */
    const char          *place; /* as in irl_access */
    int                  first_access, end_access;
    int                  box_count; /* the boxes that are read come first */
    const irl_box       *boxes;
    int                  axis_count, escape_count; /* of a block */
    const irl_part_axis *axes;
    const irl_escape    *escapes;
    const char          *why; /* OPAQUE */
} irl_part;

typedef struct irl_part_table {
    int             count;
    const irl_part *list;
} irl_part_table;

/* Returns which cells each part of f touches. The first part is the whole function; then comes each
   loop and each block that contains accesses, an outer part before its inner parts. A box contains
   every cell that the part touches. It is the smallest box that could be proved. It is exact if
   indices are sums of multiples, quotients and remainders of the inner loops' variables, and each
   guard is about one of these variables. Memory that is allocated inside a part is left out.

   The boxes of a block are expressions over its axes. For a block the table also has the kinds of
   its axes and its escapes: the accesses outside of its reads(...) and writes(...), if the block
   states these. irl_func_lower refuses a proved escape (IRL_ERROR_BAD_REGION), and a spatial axis
   along which two instances write one cell (IRL_ERROR_BAD_AXIS). The result is owned by the
   context. It is NULL for NULL, or if memory is out. Cost: each access is examined once for each
   loop and block around it.
       const irl_part_table *parts = irl_func_regions(irl_kernel(cx, &running));
       puts(parts->list[0].boxes[1].text);                        x[1: 8] */
IRL_API const irl_part_table *irl_func_regions(const irl_func *f);
#endif

#if !defined(IRLAYOUT_MAPS_ONLY) && !defined(IRLAYOUT_NO_PICTURES)
/* Return a picture of a function. Its loops are nested boxes. Each box lists, in the order in which
   they run, the accesses that the loop reads, writes, updates (stores a value computed from the old
   one) or passes to a call. The picture is in characters, or SVG if irl_picture_options.form says
   so; the other options are for layouts. The text is owned by the context; it is "" for NULL, or if
   memory is out. Cost: that of irl_func_accesses.
       puts(irl_func_picture(irl_kernel(cx, &running))); */
IRL_API const char *irl_func_picture(const irl_func *f);
IRL_API const char *irl_func_picture_with(const irl_func *f, const irl_picture_options *how);

/* Returns an access of irl_func_accesses(f) as an index map. Its inputs are the loops around the
   access, outermost first, each counted from 0. Its outputs are the indices of the element. *shape
   becomes the number of iterations of each loop. To see the order in which a nest touches memory,
   draw the map with the options is_access, side IRL_PICTURE_MEMORY and walk. Guards are ignored:
   the map also covers iterations that a guard excludes. It returns NULL with IRL_ERROR_BAD_ARGUMENT
   if there is no such access, if it has no index, or if the extent of a loop is not a number; with
   BAD_MAP if an index depends on the contents of memory.
       irl_shape      runs;
       const irl_map *order = irl_func_access_map(irl_kernel(cx, &running), 2, &runs); */
IRL_API const irl_map *irl_func_access_map(const irl_func *f, int access, irl_shape *shape);
#endif

/* ================================================================== >>schedules */

/* IRL_SCHEDULE(name, { step; ... }) says when a function computes, apart from what it computes. A
   step is one primitive; `irlc steps` and irl_step_doc list them. Macros are not expanded, as in
   IRL_KERNEL.
       IRL_SCHEDULE(tiled, { (io, ii) = split(y.i, 4); annotate(io, group = 64); });
   Names in steps: A block has its name. A nest of loops around one store, outside of blocks, has
   its label, `conv: for ...`, or the name of the buffer that it writes (`y`; the second such nest
   is `y_1`). A sum inside of the expression that is stored is conv.sum. A loop is the block or nest
   and its variable, conv.i, conv.sum.k, or the name that a step gave it. If a step names no
   results, its loops are named after the loops that they came from: i_outer, i_inner.

   irl_func_lower emits what a schedule says about the loops of a nest. Passes do not change a nest
   with a loop that is bound, vectorized or unrolled, by a schedule or in the text. Other nests that
   a schedule changed have note(scheduled = 1) on their outermost loop. */
#define IRL_SCHEDULE(name, ...) \
    static const irl_source_text name IRL__UNUSED = { #name, #__VA_ARGS__, __FILE__, __LINE__, 0 }

#ifndef IRLAYOUT_NO_SCHEDULES
/* Returns the function after the schedule; f does not change. NULL with a diagnostic at the step
   that is wrong (IRL_ERROR_SYNTAX, UNKNOWN_NAME) or would change what the function computes
   (IRL_ERROR_ILLEGAL_STEP). Cost: each step is linear in the function.
       f = irl_schedule(irl_kernel(cx, &twice), &tiled); */
IRL_API irl_func *irl_schedule(const irl_func *f, const irl_source_text *schedule);

/* The same for the text "{ step; ... }". `length` and `file` as for irl_func_parse. */
IRL_API irl_func *irl_schedule_parse(const irl_func *f, const char *text, size_t length,
                                     const char *file);

/* Returns the function after one step, whose text is made as by printf (%s, %d, %l of an int64_t).
   Names that earlier steps gave are known. A name is a handle that is valid until another step
   replaces what it names.
       f = irl_schedule_do(f, "(io, ii) = split(%s, %d)", "y.i", 8);
       f = irl_schedule_do(f, "vectorize(ii)"); */
IRL_API irl_func *irl_schedule_do(const irl_func *f, const char *format, ...);

/* Returns 1 if the steps "{ step; ... }" would be carried out, else 0. The context does not change,
   and does not fail if they are refused. *why becomes the diagnostic's text, owned by the context,
   or ""; `why` may be NULL. irl_schedule_refusal has the parts. Cost: that of irl_schedule_parse.
   */
IRL_API int irl_schedule_try(const irl_func *f, const char *text, const char **why);
#endif

#ifndef IRLAYOUT_MAPS_ONLY
/* The value of a variable in one iteration, or of a parameter. */
typedef struct irl_named_value {
    const char *name;
    int64_t     value;
} irl_named_value;

/* An access, in one iteration, that shows why a step was refused; or one of two points that a map
   takes to one cell. */
typedef struct irl_witness_access {
    const char            *text;   /* "a[i + 1]"; of a point of a map: NULL */
    const char            *buffer; /* "a"; of a point of a map: NULL */
    int                    writes; /* 1: it stores or updates; 0: it loads */
    /* the iteration: the variables of the loops around it, outermost first; of a map its axes. 0 if
       no iteration is known or there is no loop */
    int                    value_count;
    const irl_named_value *values;
} irl_witness_access;

/* Two accesses in two iterations that touch one cell, as far as they are known. */
typedef struct irl_witness {
    irl_witness_access     access[2]; /* text NULL and no values: not known */
    /* the cell, as an index into this buffer; of points of a map the index that both have. cell
       NULL: not known. If the second access uses another view of the memory, the buffer is that of
       the first */
    const char            *buffer;
    int                    cell_rank;
    const int64_t         *cell;
    /* values of the function's parameters for which they meet: n = 3 */
    int                    parameter_count;
    const irl_named_value *parameters;
    const char            *doubt; /* why it is not known whether they meet; NULL: they do */
} irl_witness;

/* Why a step of a schedule was refused, in parts. A part that does not apply is NULL or 0. */
typedef struct irl_step_refusal {
    irl_code     code;      /* IRL_ERROR_ILLEGAL_STEP, UNKNOWN_NAME, LOSSY_MAP, ... */
    /* the number of the step, counted from 1. The first step is the one after those in
       irl_schedule_text */
    int          number;
    const char  *step;      /* as irl_schedule_do takes it: "parallel(y.i)" */
    const char  *primitive; /* "parallel" */
    const char  *argument;  /* the argument that is wrong, as it is written */
    /* the block or nest, the loop and the buffer that the step names; NULL if it names none, or it
       was not found */
    const char  *block, *loop, *buffer;
    const char  *reason;    /* the message without the witness */
    irl_witness  witness;
    const char  *missing;   /* a name that does not exist, and the names that do */
    int          name_count;
    const char *const *names;
    const char  *advice;    /* what would make this step legal, if that is known */
    const char  *remedy;    /* what the primitive requires: irl_diag.remedy */
} irl_step_refusal;
#endif

#ifndef IRLAYOUT_NO_SCHEDULES
/* Returns the parts of a refusal: of the context's failure, if a step was refused; or of the last
   irl_schedule_try that returned 0 for a step and was given `why`. NULL if there is none, for
   example if the text of the schedule could not be read. Owned by the context, until irl_ctx_rewind
   takes back the failure (or what irl_schedule_try made), or until the next schedule is tried or
   done. Cost: some hundred bytes. If memory is out for them, the failure is IRL_ERROR_OUT_OF_MEMORY
   instead.
       const char *why;
       irl_schedule_try(irl_kernel(cx, &running), "{ parallel(y.i); }", &why);
       const irl_step_refusal *r = irl_schedule_refusal(cx);
       if (r && r->witness.cell) puts(r->witness.access[0].text);              y[i - 1] */
IRL_API const irl_step_refusal *irl_schedule_refusal(const irl_ctx *cx);

/* The primitives in order, by number: the name, NULL after the last; an example of the step; what
   it does, and what it requires, as sentences that continue "split ..." and "split requires ...".
       for (k = 0; irl_step_name(k); k++) puts(irl_step_example(k)), puts(irl_step_doc(k)); */
IRL_API const char *irl_step_name(int k);
IRL_API const char *irl_step_example(int k);
IRL_API const char *irl_step_doc(int k);
IRL_API const char *irl_step_requires(int k);

/* Returns the steps that schedules did to f, as a text that does them again to the function that f
   came from: "{ ... }", a line for each step. Owned by the context. */
IRL_API const char *irl_schedule_text(const irl_func *f);
#endif

/* ================================================================== >>lowering */

/* What a target can do. irl_target_opencl12 and its kin are rows of one table,
   src/target/targets.h. Passes and emitters look at the columns, never at the name. Zero is the
   default of every column and means the least value: 1 for alignment, run_alignment, widths and
   work_group, INT32_MAX for buffer_bytes. */
typedef struct irl_target {
    const char *name; /* a letter, then letters, digits, - _ and . */
    /* 1: the code may cast a pointer to another element type; memory that is read and written is
       then declared as bytes. 0: each memory is accessed as one type. Exception: serial code with
       ramps and a run_alignment of 1 may access any number of the memory's own scalars at once */
    int         pointer_casts;
    /* in bytes, powers of two up to 128. alignment: an element that is a vector begins at a
       multiple of its size, or of this number if it is less. run_alignment: the same for an access
       to several consecutive elements; 1: it may begin at any element (vload and vstore) */
    uint32_t    alignment, run_alignment;
    /* bit k: vectors of k+1 lanes exist, for 1, 2, 3, 4, 8 and 16 lanes. A width requires its half,
       and 3 requires 4 */
    uint32_t    widths;
    int         ramps;  /* 1: one access may touch several consecutive elements; 0: one element */
    /* 1: 64-bit integers; 0: i64 and u64 are refused by irl_module_check, indices are of 32 bits,
       and buffer_bytes is at most INT32_MAX. There are no columns for other types; your own pass
       may refuse them */
    int         int64;
    /* 1: f16 is computed in f16 (sums, products, quotients, roots); 0: in f32, then rounded. The
       results have the same bits */
    int         halves;
    int64_t     buffer_bytes; /* the most bytes of a buffer; INT64_MAX: any number */
    /* the most work-items of a group; the bytes of its shared memory */
    int         work_group, local_bytes;
    /* for irl_schedule_auto: the bytes of a vector register; the number of such registers, where 0
       means that loops are not scheduled; the bytes of the nearest cache */
    int         vector_bytes, registers, cache_bytes;
    /* for irl_schedule_auto, of a device whose work-items run in lockstep. subgroup: how many do,
       for example 32; 0: schedules treat each work-item by itself, and the next four columns are 0.
       If it is not 0, `registers` are those of one work-item. group_items: the preferred
       work-items of a group. units: how many groups of that size keep the device busy. line_bytes:
       the bytes of a line of global memory; what a subgroup reads within a line is one transfer.
       banks: the banks of shared memory, 4 bytes each. All but units are powers of two */
    int         subgroup, group_items, units, line_bytes, banks;
    /* 1: there is no device: work-items are loops, and images are arrays of texels */
    int         serial;
    /* bit k: an image may have texels of four irl_scalar k; 0: there are no images, and the columns
       up to samplerless are 0 */
    uint32_t    texels;
    /* the most texels along a side of an image, and of a volume; the most layers of an array of
       images; the most texels of an image over a buffer. 0: there are no such images */
    int         image_extent, volume_extent, layers, line_texels;
    int         samplerless; /* 1: a read that is proved to be in range has no sampler */
    /* 1: irl_graph_place_tensors puts a tensor into an image if every node that touches it allows
       it */
    int         image_tensors;
    const char *doc;         /* a sentence; NULL is "" */
} irl_target;

/* Returns the library's target of that name; NULL if there is none */
IRL_API const irl_target *irl_target_find(const char *name);

/* Returns the name of target k; NULL after the last */
IRL_API const char       *irl_target_name(int k);

/* Returns a target of the program's own, most easily made by changing a row:
       irl_target mine = irl_target_opencl12;
       mine.name = "mygpu";
       mine.widths = 1 << 0 | 1 << 1 | 1 << 3;                      1, 2 and 4 lanes
       m = irl_func_lower(f, irl_target_new(cx, &mine));
   The columns are checked and copied. Other functions take this copy and no other. The context
   knows the target by its name, which is written in modules that are lowered for it. Such a module
   can be read, checked and emitted in a context that knows a target of that name; in another
   context, call irl_target_parse with the irl_target_text first. A name means one target: equal
   columns return the existing one. irl_ctx_rewind forgets targets made since the mark. NULL with a
   diagnostic that names the column, the value and what is expected: IRL_ERROR_BAD_TARGET;
   DUPLICATE_NAME. examples/18_target.c makes two targets; examples/19_emitter.c writes Python for
   another. */
IRL_API const irl_target *irl_target_new(irl_ctx *cx, const irl_target *columns);

/* The same from a text with these columns. A column that is left out is that of the target after
   ':', or zero. `length` and `file` as for irl_func_parse.
       irl_target_parse(cx, "target mygpu: opencl12 { widths = 1, 2, 4; }", IRL_TO_NUL, NULL); */
IRL_API const irl_target *irl_target_parse(irl_ctx *cx, const char *text, size_t length,
                                           const char *file);

/* Returns the target as such a text, a line for each column with its meaning; parse(print(t))
   equals t. Owned by the context; "" for NULL. */
IRL_API const char       *irl_target_text(irl_ctx *cx, const irl_target *target);

/* Returns a target by name: one of the library's, or one made in the context. NULL if there is
   none. */
IRL_API const irl_target *irl_target_find_in(const irl_ctx *cx, const char *name);
#define irl_target_opencl12 (*irl_target_find("opencl12"))
#define irl_target_opencl12_fp16 (*irl_target_find("opencl12-fp16"))
#define irl_target_opencl12_gpu (*irl_target_find("opencl12-gpu"))
#define irl_target_opencl12_avx2 (*irl_target_find("opencl12-avx2"))
#define irl_target_opencl12_embedded (*irl_target_find("opencl12-embedded"))
#define irl_target_adreno (*irl_target_find("adreno"))
#define irl_target_strict (*irl_target_find("strict"))
#define irl_target_glsl (*irl_target_find("glsl"))
#define irl_target_scalar (*irl_target_find("scalar"))
#define irl_target_c99 (*irl_target_find("c99"))
#define irl_target_c_gnu (*irl_target_find("c-gnu"))
#define irl_target_c_gnu_avx2 (*irl_target_find("c-gnu-avx2"))
#define irl_target_c_gnu_avx512 (*irl_target_find("c-gnu-avx512"))

#ifndef IRLAYOUT_NO_AUTO
/* Returns a schedule for f and a target, as a text that can be edited: one step a line, with its
   reason as a comment. irl_schedule_parse accepts it for f. The same f and target give the same
   text. Owned by the context; "" with a diagnostic for no target, or if memory is out.

   The schedule is decided, not searched: by the extents of the loops, by how each access walks
   through the memory that its layout makes, and by the target's registers. For a target with a
   subgroup (irl_target_opencl12_gpu) it schedules groups of work-items: results in registers, tiles
   of operands in shared memory, trees where the order of a reduction is free. A nest that already
   has bound, vectorized or unrolled loops is left alone, and so is a nest that no decision fits; a
   comment says why. a * b + c of floats is rounded once, unless the function says attr(numbers =
   "strict"). The order of a sum changes only if it is free. Cost: that of the steps it makes.
   Lowering does the same (irl_schedule_kind).
       puts(irl_schedule_auto(irl_kernel(cx, &twice), &irl_target_opencl12)); */
IRL_API const char *irl_schedule_auto(const irl_func *f, const irl_target *target);
#endif

#ifndef IRLAYOUT_MAPS_ONLY
/* Returns the function with a layout for one buffer, a parameter or an allocation, given by name.
   The kernel keeps its logical indices:
       f = irl_func_set_layout(f, "x", irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, c%4)"));
   The layout is recorded now, and judged by irl_func_lower (its pass apply_layouts) for the
   buffer's shape. It is refused with a witness if it is lossy or out of range (IRL_ERROR_LOSSY_MAP,
   MAP_OUT_OF_RANGE); it is also refused if it is UNDECIDED, or takes another number of axes
   (RANK_MISMATCH). A declared view of another shape or type is refused (BAD_ALIAS), and so are
   strides of a parameter (UNSUPPORTED). A match buffer follows its buffer. An access by a vector
   becomes one access for each lane.

   A second layout of a buffer does not replace the first: it applies to the result of the first,
   and takes its axes. In memory an axis that is a digit has its whole modulus: c % 4 is four lanes,
   even for three channels. Unused cells have the value `undef`, unless irl_func_set_padding gives
   them one; for a buffer that is written irl_func_warnings mentions them.

   TAKE CARE: a map that takes two points to one cell, as when c % 4 was forgotten, is legal on a
   parameter that is only read, if no point is out of range. The caller then passes the physical
   memory, also to irl_module_interpret and irl_ocl_run. After lowering, irl_func_warnings names two
   such points.

   If the shape or the map has names, the verdict of irl_map_check is for values from 1 on that
   satisfy what the function assumes or asserts first. If a name may be less although the buffer has
   elements, the function gets an assert: (i) -> (i * m) on [n] asserts m >= 1. */
IRL_API irl_func *irl_func_set_layout(const irl_func *f, const char *buffer, const irl_map *map);

/* The same as irl_func_set_layout, but the caller vouches that the map is injective if
   irl_map_check cannot decide it. A map that is known to be lossy is still refused. A map that is
   proved for some values of names only is accepted, and the function asserts these: (i) -> (i % 8)
   on [n] asserts n < 9. */
IRL_API irl_func *irl_func_assume_layout(const irl_func *f, const char *buffer, const irl_map *map);

/* Returns warnings about a function for its caller, a line each; "" if there are none. The warnings
   of a module are those of irl_module_host. They are about: (1) a parameter that is only read and
   of which two indices map to one element, once layouts are applied; with both indices and the
   memory to pass. attr(shared_cells = "x") silences it.

   (2) a parameter that is written and whose layout has unused cells without a stated value; with
   their number and place. irl_func_set_padding or attr(unstated_padding = "y") silences it.

   (3) an access that is not proved to be inside its buffer (irl_bounds); with its place, its range,
   and values for which it is outside, if some are known. An assume, an assert or a condition that
   proves the access silences the warning.

   (4) before lowering, a name that is in one extent only, that no parameter declares, and that is
   similar to a name in another parameter: f32[rows, k] and f32[rwos, k]. To silence it, declare the
   name: rwos: index.

   (5) before lowering, an integer of 8 or 16 bits that may wrap and is then divided, compared,
   shifted right, widened or made a float: there C, which promotes to int, has another value.
   attr(wraps = "intended") silences it. */
IRL_API const char *irl_func_warnings(const irl_func *f);

/* Returns the function with a value for the unused cells of the buffer's last layout. A float is
   rounded to the type of the elements. For integers the fraction is dropped, and a value that does
   not fit is IRL_ERROR_BAD_ARGUMENT. */
IRL_API irl_func *irl_func_set_padding(const irl_func *f, const char *buffer, double value);

/* Returns the function with a buffer, and its aliases, in another memory. A parameter may not be
   shared or local, and a parameter that is written not constant (IRL_ERROR_BAD_ARGUMENT).
   UNKNOWN_NAME if there is no such buffer. irl_func_lower checks whether the target has that
   memory. */
IRL_API irl_func *irl_func_set_scope(const irl_func *f, const char *buffer, irl_scope scope);

/* What to do with an access that is proved neither inside its buffer nor outside, as y[index(x[i])]
   often is. An access is outside if an iteration that is reached leaves the buffer; with names, if
   it does so for all values for which the surrounding loops run. Such an access is always refused
   (IRL_ERROR_OUT_OF_BOUNDS) with the access, the iteration and the shape. An access that is proved
   inside is never guarded. The axes of blocks, which must be within their extents, and matched
   regions are checked too. irl_func_run_pass knows the three choices as "check_bounds",
   "prove_bounds", "guard_bounds". */
typedef enum irl_bounds {
    IRL_BOUNDS_WARN,   /* it stays as it is; irl_func_warnings mentions it */
    IRL_BOUNDS_REFUSE, /* it is refused: IRL_ERROR_BOUNDS_UNKNOWN */
    /* it is guarded by a comparison: outside, a store is skipped and a load gives zero */
    IRL_BOUNDS_GUARD
} irl_bounds;

/* How nests without a schedule are scheduled. AUTO, the default, is the pass "schedule", which runs
   for targets with registers. It never makes lowering fail: if a later pass refuses the scheduled
   function, the function is lowered as it was written, later passes run a second time (the
   program's own too), and after_pass gets the reason. irl_module_scheduled is the function after
   scheduling. Each term of a sum of products is then rounded once, unless the function says
   attr(numbers = "strict"), so the last bits of floats may differ from those of the function as it
   is written. */
typedef enum irl_schedule_kind {
    /* as irl_schedule_auto decides; passes handle the nests that it leaves alone */
    IRL_SCHEDULE_AUTO,
    IRL_SCHEDULE_NONE  /* no automatic schedule; passes choose parallel loops and their order */
} irl_schedule_kind;

/* Your own pass, placed before or after one of the library's (irl_pass_name). `run` gets the
   function if the place is before "split_host", and each kernel by itself if it is after. It
   returns one of: f itself, if it changes nothing;

   a function made from f, with the same name, parameters, layouts and attributes; it may add
   attributes, and before "apply_layouts" also layouts;

   NULL, if it refuses, after calling irl_pass_refuse.

   The place is kept even if the library's pass does not run for the target. If two passes have one
   place, the first in the list runs first.
       static const irl_func *census(void *user, const irl_func *f, const irl_target *target)
       {
           (void)target;
           ++*(int *)user;
           return f;
       }

       int               kernels = 0;
       irl_pass_desc     mine = { "census", NULL, "serialize", census, &kernels };
       irl_lower_options how = { 0 };
       how.passes = &mine;
       how.pass_count = 1;
       m = irl_func_lower_with(f, &irl_target_opencl12, &how);   counts the kernels
   The library checks what the pass returns before using it, and each diagnostic names the pass. It
   checks the structure, as after every pass; accesses that are proved to leave their buffer
   (IRL_ERROR_OUT_OF_BOUNDS); iterations of parallel loops that are proved to touch one cell; after
   "legalize_kernel" also vectors and accesses that the target lacks (UNSUPPORTED, ALIGNMENT). A
   changed signature is IRL_ERROR_BAD_PASS.

   What is proved neither right nor wrong is accepted, as in a text. Before "check_parallel" the
   library asks of it all that it asks of a text, irl_lower_options.bounds included. From
   "apply_layouts" on, indices are those of memory, about which less can be proved. The pass itself
   is responsible for computing the same; to test it, compare irl_module_interpret with
   irl_func_interpret of the function before it. examples/17_pipeline.c shows two passes. */
typedef struct irl_pass_desc {
    const char *name;           /* at most 64 bytes; not a name of the library's passes */
    /* set one of the two to a name of the library's passes; the last pass is "check_target" */
    const char *before, *after;
    const irl_func *(*run)(void *user, const irl_func *f, const irl_target *target);
    void *user;
} irl_pass_desc;
struct irl_stmt; /* >>building */

/* Records why a pass refuses, as the context's failure IRL_ERROR_UNSUPPORTED, with the place of the
   statement (NULL: of the function). Returns NULL, which the pass then returns. */
IRL_API const irl_func *irl_pass_refuse(const irl_func *f, const struct irl_stmt *where,
                                        const char *why);

/* Options of irl_func_lower_with. Zero is the default of every field. */
typedef struct irl_lower_options {
    /* called with the text after each pass, the program's passes included: the text of the
       function, after split_host that of the whole module */
    void (*after_pass)(void *user, const char *pass, const char *text);
    void *user;
    uint64_t    disable;     /* bit k leaves out the pass irl_pass_name(k), if it is optional */
    int         verify;      /* 1: the semantic verifier too, between all passes */
    irl_bounds  bounds;
    irl_schedule_kind schedule;
    int                  pass_count; /* your own passes */
    const irl_pass_desc *passes;
} irl_lower_options;

/* Returns the module: a host function, and a kernel for each statement at the top of the function
   that computes. Loops without a schedule are scheduled, which by default contracts: a * b + c of
   floats is rounded once (irl_schedule_auto), so that the module may differ from f in the last
   bits. It computes exactly what irl_module_scheduled of it computes. The structural verifier runs
   after every pass. NULL with a diagnostic that points at the statement; NULL for a NULL function,
   whose failure is recorded already.

   Other limits of the target (work-items of a group, bytes of shared memory and of a buffer, 64-bit
   integers, image sizes) are checked by the library's emitters, by irl_module_check, and with
   irl_lower_options.verify. An emitter of your own must call irl_module_check first. Cost: linear
   in the function, plus a verdict for each layout. */
IRL_API irl_module *irl_func_lower(const irl_func *f, const irl_target *target);
IRL_API irl_module *irl_func_lower_with(const irl_func *f, const irl_target *target,
                                        const irl_lower_options *how);

/* Returns the function from which m was lowered, after its automatic schedule. irl_schedule_text of
   it has the steps. It computes exactly what m computes, contracted sums included. NULL for a
   module that was parsed.
       puts(irl_schedule_text(irl_module_scheduled(m))); */
IRL_API const irl_func *irl_module_scheduled(const irl_module *m);

/* Returns 1 if the module asks for nothing that the target cannot do, and no access is proved to
   leave its buffer. Else 0 and a diagnostic with numbers: IRL_ERROR_OUT_OF_BOUNDS, ALIGNMENT,
   TARGET_LIMIT, IMAGE_LIMIT, UNSUPPORTED, ... This is the semantic verifier alone, for a module
   that was parsed or was lowered for another target. `target` NULL means the module's own. */
IRL_API int irl_module_check(const irl_module *m, const irl_target *target);

/* How a module is written in C. Zero is the default of every field. */
typedef struct irl_c_options {
    const char *prefix;       /* put before the names of its functions */
    /* 1: the text is one header; a file that defines NET_IMPLEMENTATION (of the function `net`: the
       name in capitals) before including it gets the functions */
    int         is_header;
    /* above 0: temporaries are static arrays, and one with more bytes than this is refused. 0:
       temporaries are in memory of NAME_scratch_bytes bytes that the caller passes as the argument
       `scratch` */
    int64_t     static_bytes;
    /* 1: also emits int NAME_checked(int count, const irl_packed *arguments, irl_refusal *refusal),
       which runs irl_module_host_checks and then the function; `scratch` comes before `refusal` */
    int         is_checked;
    /* 1: the outermost parallel loop of each kernel gets an OpenMP pragma, used if the compiler has
       OpenMP */
    int         openmp;
    /* the type of every index, index parameters included: IRL_U8 to IRL_U64, IRL_I8 to IRL_I64.
       Each index and each intermediate result is proved to fit, for all values that the type of a
       parameter has. If one does not fit, the module is refused (IRL_ERROR_INDEX_WIDTH) with values
       of the variables that show it. IRL_BOOL, the default: parameters are int64_t, and other
       indices are as wide as they need to be.

       A type of at most 32 bits selects code for small machines: numbers of 8 and 16 bits are
       computed in C's unsigned, pointers advance with outer loops, a loop that shifts a number by
       one bit more in each iteration keeps the shifted number, and a half is converted to float by
       a multiplication whose operand may be subnormal */
    irl_scalar  index;
    /* the name of a header, "relu.h": the text includes it and declares nothing itself;
       irl_c_header returns the header. NULL: no separate header */
    const char *header_name;
    /* the name of the function in C, after the prefix; NULL: its name in the module. Kernels that
       are named after the function, such as relu_0, are renamed with it */
    const char *name;
} irl_c_options;

/* Returns a module as C99, which C++11 accepts too: irl_c_source(irl_func_lower(f,
   &irl_target_c99)). The text includes <stdint.h>, <stddef.h> and <math.h> only if it uses them. It
   needs nothing of this library, and allocates nothing. Owned by the context; "" with a diagnostic.
   Cost: linear.

   The function is the module's host function, with its name and its parameters in order: a buffer
   is a pointer to its memory (irl_func_param_memory), an image is an array of its texels row after
   row, an index is an int64_t, and a bool is an int. f16, bf16 and normalised numbers are integers
   that hold their bits. Arrays may not overlap if one of them is written. A function with
   assertions returns 0, or the number of the first assertion that fails. Integers wrap, division
   floors, and floats are those of IEEE 754: #error refuses a compiler with other rules
   (-ffast-math). Names that C or its library uses are changed (v_int). The comment above a function
   says which memory its code loads and stores: "read and written" may be a sum that is stored
   first, and then only what was stored is loaded. */
IRL_API const char *irl_c_source(const irl_module *m);
IRL_API const char *irl_c_source_with(const irl_module *m, const irl_c_options *options);

/* Returns the header that belongs to irl_c_source_with with the same options: the declarations for
   callers. */
IRL_API const char *irl_c_header(const irl_module *m, const irl_c_options *options);

#ifndef IRLAYOUT_NO_GLSL
/* One kernel as a compute shader, and what a host needs to dispatch it. A buffer that is parameter
   k is binding k of set 0: a storage buffer; for images, a sampled image (without a sampler) if it
   is read, a storage image if it is written, a uniform or storage texel buffer over a buffer. A
   scalar is a push constant: an index is an int, a bool a uint, and a type of less than 32 bits an
   int or uint with its value or its bits. */
typedef struct irl_glsl_kernel {
    const char      *name;     /* the kernel's name in the module; in the text it is main */
    const char      *source;
    const irl_func  *function; /* what it was emitted from */
    int              argument_count;
    /* the offset of each scalar in the push constants, in bytes; -1 for other arguments */
    const int       *offsets;
    int              push_bytes; /* the bytes of all push constants */
    int              local[3];   /* work-items of a group */
    const struct irl_expr *groups[3]; /* groups of a dispatch: call irl_glsl_kernel_groups */
} irl_glsl_kernel;
typedef struct irl_glsl_program {
    int                    kernel_count;
    const irl_glsl_kernel *kernels; /* in the order of the module */
} irl_glsl_program;

/* Returns a module that was lowered for irl_target_glsl as shaders in GLSL 4.50 for Vulkan, one
   text for each kernel:

       irl_module *m = irl_func_lower(f, &irl_target_glsl);
       puts(irl_glsl_source(m, 0));

   A text requires the extensions that its types need: 8 and 16 bits in memory, and shaderFloat64 of
   the device for f64. The text forbids the device's compiler to contract or reorder sums. Indices
   are ints: the program that dispatches must ensure that buffers are within the target's limit and
   that index arguments fit 32 bits. NULL with a diagnostic: IRL_ERROR_UNSUPPORTED for what GLSL
   cannot express (a function of the user's, 64-bit integers, texels of 16 bytes in other than four
   parts, exp of f64); IRL_ERROR_TARGET_LIMIT for more than Vulkan promises. Owned by the context.
   Cost: linear. */
IRL_API const irl_glsl_program *irl_glsl_emit(const irl_module *m);

/* Returns the text of one kernel; "" with a diagnostic. */
IRL_API const char *irl_glsl_source(const irl_module *m, int kernel);

/* Computes the groups of a dispatch from the values of the kernel's index parameters, in their
   order (NULL if it has none). Returns 1; 0 on failure: a number of groups is negative or above
   65535. */
IRL_API int irl_glsl_kernel_groups(irl_ctx *cx, const irl_glsl_kernel *kernel,
                                   const int64_t *indices, uint32_t groups[3]);
#endif

/* How a layout is written in C. Zero is the default of `name`, "layout", of `type`, f32, and of
   `index`. A frame buffer of bits needs `bits`; without it each element is a whole `type`. */
typedef struct irl_c_layout_options {
    const char *name;  /* an identifier, put before the names of its functions */
    irl_type    type;  /* of an element; f32 if zero */
    /* the type of coordinates and places: IRL_U8 to IRL_U64, IRL_I8 to IRL_I64; IRL_BOOL: the first
       of uint32_t, int32_t and int64_t that holds them */
    irl_scalar  index;
    /* elements of bits; `type` is then ignored; NULL: elements are whole bytes */
    const irl_bit_element *bits;
} irl_c_layout_options;

/* Returns a layout of a shape as a C99 header that needs <stdint.h> alone. `how` may be NULL. The
   header has the verdict as a comment, and
       NAME_place      the element of memory for a point
       NAME_point      the point in an element, if the inverse has a formula
       NAME_pack, NAME_unpack, NAME_points, NAME_cells
   The sizes of types are checked when it is compiled. Every index and every intermediate number is
   proved to fit the index type; otherwise the layout is refused with a point that does not fit
   (IRL_ERROR_INDEX_WIDTH). Division is C's own if the dividend is not negative. A lossy layout has
   a NAME_place only. A shape with names is refused.

   With `bits` memory is NAME_bytes bytes. NAME_get(memory, i, j) and NAME_set(memory, i, j, value)
   read and write an element by shifts and masks. NAME_set keeps all other bits, and touches only
   bytes that hold bits of the element. A lossy layout has no NAME_set. No function checks its
   coordinates: they are below the extents. */
IRL_API const char *irl_c_layout_source(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                        const irl_c_layout_options *how);

/* Returns a record as a C99 header that needs <stdint.h> alone. It has the verdict as a comment,
   NAME_bytes, and for each field NAME_get_FIELD(record, i0, i1) and NAME_set_FIELD(record, i0, i1,
   value): `record` is the bytes of one record, followed by an index for each axis of the field,
   which is not checked. f16 and bf16 are their bits, uint16_t. A set keeps all other bits, and
   touches only bytes that hold bits of the element. name NULL is the record's name. "" with a
   diagnostic for a record that is not right (IRL_ERROR_LOSSY_MAP, MAP_OUT_OF_RANGE), and for names
   that C does not allow (BAD_ARGUMENT). */
IRL_API const char *irl_c_record_source(const irl_record *record, const char *name);

/* The passes of the pipeline in order, by number, without the program's own: the name, NULL after
   the last; what it does, in a line; what it runs on; whether it may be left out (bit k of
   irl_lower_options.disable); whether irl_func_lower_with runs it for a target (`how` may be NULL).
   src/pass/pipeline.c has a row for each. Each file in src/pass says at its head what its pass
   requires, maintains and breaks. To see the possible places for a pass of your own:
       for (k = 0; irl_pass_name(k); k++) puts(irl_pass_name(k)), puts(irl_pass_doc(k)); */
typedef enum irl_pass_level {
    IRL_PASS_FUNC,   /* a function, before there are kernels */
    IRL_PASS_SPLIT,  /* split_host: the function becomes a module */
    IRL_PASS_KERNEL, /* each kernel of the module */
    IRL_PASS_MODULE  /* in_place, check_target: the module */
} irl_pass_level;
IRL_API const char    *irl_pass_name(int k);
IRL_API const char    *irl_pass_doc(int k);
IRL_API irl_pass_level irl_pass_level_of(int k);
IRL_API int            irl_pass_is_optional(int k);
IRL_API int            irl_pass_runs(int k, const irl_target *target, const irl_lower_options *how);

/* Runs one pass by name, to look at what it does: "apply_layouts", "flatten", "unroll", ... Passes
   for functions and for kernels are accepted; the latter also take a function that is not a kernel.
   The first form is for opencl12. NULL with a diagnostic: IRL_ERROR_BAD_ARGUMENT if there is no
   such pass, BAD_STAGE if it runs on something else. */
IRL_API irl_func   *irl_func_run_pass(const irl_func *f, const char *pass);
IRL_API irl_func *irl_func_run_pass_for(const irl_func *f, const char *pass,
                                        const irl_target *target);

/* Return the module after the pass "split_host", and after a later pass for the module's target. */
IRL_API irl_module *irl_func_split_host(const irl_func *f, const irl_target *target);
IRL_API irl_module *irl_module_run_pass(const irl_module *m, const char *pass);
#endif

/* ================================================================== >>plans */

/* Placement of items in one memory. Each item is alive, which means needed, during some steps.
   Items that are never alive at the same time may share bytes. */
typedef struct irl_plan_item {
    int64_t size;        /* in bytes; an item of 0 bytes has the offset 0 */
    int64_t align;       /* alignment of its offset, a power of two; 0: 1 */
    int64_t first, last; /* it is needed from step first to step last, both included */
} irl_plan_item;

typedef struct irl_plan_offsets {
    int64_t        bytes;       /* the size of the memory */
    /* the memory must begin at a multiple of this: the largest alignment of an item, or 1 */
    int64_t        align;
    /* the most bytes that are alive at once, ignoring alignments; no placement is smaller */
    int64_t        lower_bound;
    int64_t        fullest;     /* the first step at which so many are alive */
    int            is_least;    /* 1: proved that no placement needs fewer bytes; 0: not known */
    int            count;
    const int64_t *offsets;     /* one for each item, in bytes from the start of the memory */
} irl_plan_offsets;

#define IRL_MAX_PLAN_ITEMS 16777216

/* Returns an offset for each of `count` items. Placement is greedy: the best of a few orders,
   improved by changes. For up to 12 items it is proved to be the least memory (except for some with
   many alignments, where a million steps do not suffice). `most_steps` bounds the search for an
   improvement; 0 means a thousand for each item, at most three million. The same question has the
   same answer on every machine. NULL with a diagnostic: BAD_ARGUMENT for an invalid item, with its
   number; OVERFLOW if the items alive at once need more than 63 bits. Owned by the context. Cost:
   about linear in the items; 10,000 take some 10 ms.
       static const irl_plan_item lives[3] = {{4096, 64, 0, 1}, {1024, 64, 1, 2}, {4096, 64, 2, 3}};
       const irl_plan_offsets *o = irl_plan_arena(cx, 3, lives, 0);
       printf("%d bytes of at least %d\n", (int)o->bytes, (int)o->lower_bound);  5120, 5120 */
IRL_API const irl_plan_offsets *irl_plan_arena(irl_ctx *cx, int count, const irl_plan_item *items,
                                               int64_t most_steps);

/* The same for images of two dimensions, in texels. A pool is an image as wide and as high as the
   widest and the highest image in it. */
typedef struct irl_plan_image {
    int64_t width, height; /* in texels, from 1 on */
    /* any number; images of different kinds (type, kind of image) never share a pool */
    int     kind;
    int64_t first, last;
} irl_plan_image;
typedef struct irl_plan_image_pool {
    int64_t width, height;
    int     kind;
} irl_plan_image_pool;
typedef struct irl_plan_image_pools {
    int                        count, pool_count;
    const int                 *pool_of; /* the pool of each image */
    const irl_plan_image_pool *pools;
    int64_t                    texels;      /* texels of all pools */
    int64_t                    lower_bound; /* the most texels that are alive at once */
    int64_t                    separate;    /* texels of all images without sharing */
} irl_plan_image_pools;

/* Returns a pool for each image, owned by the context. In order of their first steps, each image
   takes the idle pool of its kind that grows by the fewest texels, preferably none; of several, the
   one with the least waste. It gets a new pool if every idle pool would exceed the limits, or would
   grow by more texels than the image has. NULL with a diagnostic: BAD_ARGUMENT for an image beyond
   the limits, with its number; OVERFLOW. Cost: the images times the pools.
       static const irl_plan_image two[2] = {{60, 60, 0, 0, 0}, {70, 50, 0, 1, 1}};
       const irl_plan_image_pools *i = irl_plan_images(cx, 2, two, 16384, 16384);
       printf("%d by %d\n", (int)i->pools[0].width, (int)i->pools[0].height);        70 by 60 */
IRL_API const irl_plan_image_pools *irl_plan_images(irl_ctx *cx, int count,
                                                    const irl_plan_image *images,
                                                    int64_t most_width, int64_t most_height);

#ifndef IRLAYOUT_MAPS_ONLY
/* A temporary of a module's host function, which one launch passes to a later one. */
typedef struct irl_plan_temporary {
    const char            *name;
    irl_scope              scope;
    const char            *place;       /* of its declaration */
    const struct irl_expr *size;        /* bytes, over parameters and loops; NULL: not known */
    int64_t                bytes;       /* -1: no number */
    /* the first and the last launch that touch it, from 0; -1: none does */
    int                    first, last;
    int                    pool;        /* -1: it shares no memory */
    int64_t                offset;      /* in the pool, in bytes */
} irl_plan_temporary;

/* One memory that temporaries share. */
typedef struct irl_plan_pool {
    irl_scope scope;
    int64_t   bytes, align, lower_bound; /* as of irl_plan_offsets */
    int64_t   separate;                  /* bytes if nothing were shared */
    int       fullest;                   /* the launch at which most is alive */
    int       is_least;
    int64_t   width, height;             /* of an image, in texels; 0: the pool is plain memory */
} irl_plan_pool;
typedef struct irl_module_plan {
    const irl_module         *module;
    int                       launch_count;
    const char *const        *launches; /* the kernels, in order */
    int                       count;
    const irl_plan_temporary *list;     /* in order of their allocations */
    int                       pool_count;
    const irl_plan_pool      *pools;
} irl_module_plan;
typedef struct irl_plan_options {
    /* alignment of offsets, in bytes. 0: as emitted code has it. C, which a target with `serial` is
       for, has 16, and types_apart is then 1 whatever it says; other targets have 128, which suits
       every element. For sub-buffers of a device use CL_DEVICE_MEM_BASE_ADDR_ALIGN / 8 */
    int64_t          align;
    int64_t          most_steps;  /* as of irl_plan_arena */
    /* 1: a pool for each element type: compilers assume that memory read as one type is not written
       as another. With align 0 and a target of C the bytes of all pools are NAME_scratch_bytes */
    int              types_apart;
    int              value_count; /* values of parameters that are in sizes; `copy` is ignored */
    const irl_value *values;
} irl_plan_options;

/* Returns a place for the temporaries of a module, such that temporaries which no launch needs
   together share memory. Owned by the context; NULL on failure. Planned are temporaries in global
   memory whose size is a number, and images of two dimensions; each pool of images is one image
   (irl_plan_images, within the limits of the module's target). The others do not share memory.
   Two temporaries that the pass in_place put into the same bytes count as one; the text names both.
   Cost: that of irl_module_liveness, irl_plan_arena and irl_plan_images.
       const irl_module_plan *p = irl_plan(irl_func_lower(f, &irl_target_opencl12));
       puts(irl_plan_text(p)); */
IRL_API const irl_module_plan *irl_plan(const irl_module *m);
IRL_API const irl_module_plan *irl_plan_with(const irl_module *m, const irl_plan_options *options);

/* An array that a kernel, or a function, allocates: private to each work-item, or shared by a
   group. */
typedef struct irl_array {
    const char *name;
    irl_scope   scope;
    const char *place;       /* of its declaration */
    int64_t     bytes;       /* -1: no number */
    /* the first and the last statement that touch it, numbered in the order of the text; -1: none
       does */
    int         first, last;
    int         pool;        /* -1: it shares no memory */
    int64_t     offset;      /* in the pool, in bytes */
} irl_array;
typedef struct irl_array_total {
    int64_t bytes;       /* as planned */
    int64_t lower_bound; /* the most alive at once */
    int64_t separate;    /* bytes if nothing were shared */
} irl_array_total;
typedef struct irl_array_plan {
    const irl_func      *func;
    int                  count;
    const irl_array     *list;
    int                  pool_count;
    const irl_plan_pool *pools;
    irl_array_total      local, shared; /* of those whose bytes are a number */
} irl_array_plan;

/* Returns what f allocates and how much of it is needed, according to the pass share_arrays, run
   already or not. Arrays of one element type share bytes if no statement needs both; arrays in
   shared memory also need a barrier between them that every work-item passes. Owned by the context;
   NULL on failure. Cost: linear, and that of irl_plan_arena.
       const irl_array_plan *a = irl_func_plan_arrays(irl_module_kernel(m, 0));
       printf("%d bytes of each work-item\n", (int)a->local.bytes); */
IRL_API const irl_array_plan *irl_func_plan_arrays(const irl_func *f);
IRL_API const char           *irl_array_plan_text(const irl_array_plan *p);

/* Return the plan as a text, as #defines of C, and as JSON. The text has the offsets, the bytes
   compared with the most alive at once, and a picture with a column for each launch and a row for
   each segment of memory, which names its temporary. */
IRL_API const char *irl_plan_text(const irl_module_plan *p);
IRL_API const char *irl_plan_c(const irl_module_plan *p);
IRL_API const char *irl_plan_json(const irl_module_plan *p);
#ifndef IRLAYOUT_NO_PICTURES
/* Returns the plan as SVG: launches from left to right, bytes from the bottom up, and a line at the
   most that is alive at once. Only the first 32 pools are drawn. */
IRL_API const char *irl_plan_svg(const irl_module_plan *p);
#endif
#endif

/* ================================================================== >>packing */

/* How to pack. Zero is the default of every field. */
typedef struct irl_pack_options {
    irl_type    element; /* type of an element of both arrays; zero: f32 */
    /* 1: packing writes `padding` into the unused cells; 0: they keep what they held */
    int         fill;
    double      padding;
    const char *name;    /* name of the function; NULL: "pack", "unpack" */
    /* elements of bits of the packed array, for which `element` is ignored; NULL: elements are
       whole bytes */
    const irl_bit_element *bits;
} irl_pack_options;

/* Return a function that copies a plain row-major array of `shape` into the memory that a layout
   describes, and a function that copies it back. `how` may be NULL.
       func pack(plain: f32[1, 5, 7, 6], packed: f32[1, 2, 5, 7, 4])
       func unpack(packed: f32[1, 2, 5, 7, 4], plain: f32[1, 5, 7, 6])
   They are ordinary functions: lower, emit, run or interpret them. The packed array has the shape
   that the layout gives a buffer (irl_func_set_layout), without separators, because memory is
   row-major. Every loop is parallel, since no cell is written twice. unpack(pack(x)) is x;
   irl_map_roundtrip_proof says why. NULL with a diagnostic for a map that is lossy, out of range or
   undecided, or if the padding does not fit the type.

   With names in the shape or the map, the functions take the names first, and assert the values for
   which the map is proved: all from 1 on, or those of irl_verdict.where:
       func pack(N: index, plain: f32[N], packed: f32[(N + 3) / 4, 4]) {
           assert(N >= 1, "the layout is right for these sizes"); ...
   packed has irl_shape_count(memory) elements: irl_map_memory.

   With `bits` the plain array has values of the type of the irl_bit_element (u8 for u4). Packing
   keeps their low bits; unpacking restores them with their sign. If the elements are side by side,
   the packed array has elements of that width; otherwise it is bytes, and the elements are a view
   of them:
       func pack(plain: u8[6], packed: u4[2, 4])
       func pack(plain: u16[6], packed: u8[16]) { decl cells: u10[2, 4] data(packed) ...
   Unused bits keep what they held; so do the bits of unused cells without `fill`. Elements that
   overlap are IRL_ERROR_LOSSY_MAP (irl_map_check_bits). Loops that write parts of bytes are serial;
   lowering makes such a loop parallel if it proves that its iterations write different bytes.
       irl_func *pack = irl_map_pack_func(cx, map, IRL_SHAPE(1, 5, 7, 6), NULL);
       irl_func_interpret(pack, IRL_ARGS(plain, packed));
   The interpreter takes about a microsecond per element. For large arrays lower the function and
   run it on a device, or pack in C by IRL_AT. */
IRL_API irl_func *irl_map_pack_func(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                    const irl_pack_options *how);
IRL_API irl_func *irl_map_unpack_func(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                      const irl_pack_options *how);
#ifndef IRLAYOUT_NO_PROOF
/* Returns the proof that these two undo each other, as a text for people: the inverse with the
   layout put in, simplified step by step down to the inputs; that no point maps to an unused cell;
   that every other cell is the image of its point. Each line equals the line above it for all
   values in the stated ranges; irl_expr_simplify or `irlc simplify` checks a step. "" with the
   diagnostic of irl_map_pack_func. Cost: that of irl_map_check, and of some simplifications. */
IRL_API const char *irl_map_roundtrip_proof(irl_ctx *cx, const irl_map *map, irl_shape shape);
#endif

/* Return a function that packs arrays, one for each field, into n records side by side, and one
   that unpacks them: pack_NAME(field0: T[n, extents], ..., packed: u8[n, bytes]). Unused bits
   become 0. NULL with a diagnostic for a record that is not right. */
IRL_API irl_func *irl_record_pack_func(const irl_record *record);
IRL_API irl_func *irl_record_unpack_func(const irl_record *record);

/* ================================================================== >>dma */

#ifndef IRLAYOUT_NO_DMA
/* A layout as the work of a DMA controller: a list of transfers, each of some nested strided
   copies, that move a plain row-major array into the layout's memory, or back. */

/* One level of a transfer: it repeats the level below `count` times, each time a stride further. */
typedef struct irl_dma_level {
    int64_t count;
    int64_t source, target; /* strides */
    /* the values of the controller's fields. If is_relative is 0 they are the strides. If it is 1
       they are what is added to the address at which the level below ended. At level 0: how far a
       beat advances */
    int64_t source_step, target_step;
} irl_dma_level;

typedef struct irl_dma_transfer {
    int64_t              source, target; /* bytes from the start of each memory */
    int                  level_count;    /* at least 1 */
    const irl_dma_level *levels;         /* innermost first; level 0 counts beats */
    /* a power of two: addresses of that side wrap within the aligned block of so many bytes that
       contains the first address; 0: they do not wrap */
    int64_t              source_wrap, target_wrap;
} irl_dma_transfer;

enum { IRL_DMA_LEVELS = 4 }; /* of a controller, at most */

/* The limits of the fields of one level. An empty name: the controller has no such field. */
typedef struct irl_dma_level_limits {
    const char *count_field, *source_field, *target_field;
    int64_t     most_count;            /* 0: any */
    int64_t     least_step, most_step; /* in bytes; ignored at level 0 */
} irl_dma_level_limits;

/* A controller: one that irlc dma --controller knows, or your own. Level 0 is a run of beats that
   are adjacent on both sides. */
typedef struct irl_dma_controller {
    const char          *name, *doc;
    /* the sum of the possible sizes of a beat in bytes, powers of two up to 64: 1 + 2 */
    int                  beats;
    /* 1: a step is added to the address at which the level below ended; 0: to where that level
       began */
    int                  is_relative;
    int                  may_stand;   /* 1: the address of a side may stay the same in level 0 */
    int                  level_count; /* 1 .. IRL_DMA_LEVELS */
    /* the field that holds the bytes of levels 0 and 1 together */
    const char          *block_field;
    int64_t              block_bytes; /* the most bytes in block_field; 0: any number */
    const char          *ring_field;
    /* addresses of a run may wrap at up to 2^ring_bits bytes; 0: they cannot wrap */
    int                  ring_bits;
    irl_dma_level_limits level[IRL_DMA_LEVELS];
} irl_dma_controller;

/* Return a controller by name ("generic", "stm32-gpdma", "edma3", "rp2040"), or NULL for another
   name; and the name of controller k, or NULL after the last. src/map/dma_fit.c has a row for each.
   */
IRL_API const irl_dma_controller *irl_dma_controller_find(const char *name);
IRL_API const char               *irl_dma_controller_name(int k);

/* Zero is the default everywhere. */
typedef struct irl_dma_options {
    irl_type                  element;    /* f32 */
    int                       unpack;     /* 1: from the layout's memory into the plain array */
    const irl_dma_controller *controller; /* default: no limits, any number of levels */
    /* 1: a transfer that does not fit the controller is split; 0: it is refused */
    int                       split;
    int64_t                   most;       /* the most transfers; 0: 4096 */
    /* elements of bits; `element` is then ignored. In the plain array they are side by side, in the
       layout at offset + n * stride; NULL: elements are whole bytes */
    const irl_bit_element    *bits;
    /* with `bits`: 1: the plain array has the opposite order of bits, and its numbers the opposite
       byte order */
    int                       swap;
    /* with `bits`: 1: the list may overwrite bits of the destination that belong to no element, as
       those beside the last elements of a byte that is not full; 0: such a list is refused */
    int                       overwrite;
} irl_dma_options;

typedef struct irl_dma_list {
    const irl_map            *map;
    /* of the plain array; of the layout's memory (irl_map_memory) */
    irl_shape                 shape, memory;
    const irl_dma_controller *controller;    /* or NULL */
    int                       unpack;
    const irl_bit_element    *bits;          /* or NULL: whole bytes */
    /* in bytes; a beat is moved at once; with `bits` element is 0 */
    int64_t                   element, beat;
    int64_t                   plain_bytes, memory_bytes;
    /* the nested copies, before they were fitted to the controller */
    int                       copies;
    /* 1: proved that fewer copies are impossible; 0: not known */
    int                       is_least;
    const char               *reason;        /* why one copy is not enough, with a point; "" */
    int                       count;
    const irl_dma_transfer   *transfers;     /* sorted by their start in the target */
    /* alignment of each memory that the transfers need, in bytes */
    int64_t                   source_align, target_align;
    /* with `bits`: a mask of bits in one byte of the target that belong to no element and are
       written */
    int                       overwritten;
    int64_t                   overwritten_byte;
} irl_dma_list;

/* Returns the transfers that copy a plain array of `shape` into the memory of a layout, or back:
   one nested copy if the layout is one, otherwise a few. Each byte of the target is written once;
   unused cells are left alone. To pack, the map must be bijective or injective. To unpack, any map
   that has values will do: if two indices map to one element, it is read twice. `how` may be NULL.
       const irl_map *map = irl_map_parse(cx, "(y, x) -> (x, 7 - y)");
       irl_dma_options how;
       memset(&how, 0, sizeof how);
       how.element = irl_type_of(IRL_U8, 1);
       how.controller = irl_dma_controller_find("edma3");
       const irl_dma_list *list = irl_dma_new(cx, map, IRL_SHAPE(8, 16), &how);
       puts(irl_dma_text(cx, list));
   A controller moves bytes. Elements of bits can be moved if each byte of the plain array is in one
   byte of the memory, at the same bits. Unused bits are left alone, except those after the last
   element of the plain array and after the last cell of the memory.
       irl_bit_element pixel;
       irl_bit_element_parse(cx, "u1 bits(msb)", &pixel);
       how.bits = &pixel;
       list = irl_dma_new(cx, irl_map_parse(cx, "(y, x) -> (y, x ^ 8)"), IRL_SHAPE(8, 16), &how);
   NULL on failure:
       LOSSY_MAP and its kin, with a witness
       DMA_LIST, if the layout needs more than `most` transfers
       DMA_BITS, with an element because of which a byte cannot be copied
       DMA_LIMIT, with the field that is too small, and the split that would fit
       UNDECIDED, if axes that must be looked at together have more than 2^22 points, if one axis
         has more than 2^20 straight runs, or if there are more points and the copies of elements
         of bits end within bytes
   A shape with names is refused. Cost: a look at the points of those axes, not of all. Memory: 24
   bytes for each of these points, and 81 for each run. */
IRL_API const irl_dma_list *irl_dma_new(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                        const irl_dma_options *how);

/* Return the list as a text, as C99, and as JSON. The text has a line for each transfer. The C
   needs <stdint.h> alone and has the struct of a transfer, a const array of transfers, and a
   function NAME_play that does what the controller does; name NULL is "dma". */
IRL_API const char *irl_dma_text(irl_ctx *cx, const irl_dma_list *list);
IRL_API const char *irl_dma_c(irl_ctx *cx, const irl_dma_list *list, const char *name);
IRL_API const char *irl_dma_json(irl_ctx *cx, const irl_dma_list *list);
#endif

/* ================================================================== >>running */

/* The arguments of a run: a pointer for each parameter, in order. For a buffer it points to an
   array, in row-major logical order and compact; for an index to an int64_t; for another scalar to
   its value. The memory remains the caller's; the run writes only the arrays of buffers that the
   function stores to. For func f(N: index, x: f32[N], y: f32[N]):
       int64_t n = 10;
       irl_func_interpret(f, IRL_ARGS(&n, x, y));
   IRL_ARGS records the size of what each pointer points to. A run refuses doubles for f32, or an
   int for an index (IRL_ERROR_ARGUMENT_MISMATCH). It accepts a number as large as the scalar of the
   type (f32: 4 bytes, index: 8, bool: 1, f16: 2); a struct as large as the element, of f32x4; and
   an array as large as a row, a plane, ... of the buffer: float x[64][3] for f32[64, 3]. It cannot
   see that 4 bytes are an int although f32 is wanted, nor how long an array is; irl_tensor can.

   Use IRL_POINTERS, which records no sizes and checks nothing, for NULL, void *, a cl_mem, and
   memory that is bytes in C. If you fill the struct by hand, clear it first. */
#define IRL_MAX_ARGUMENTS 32
typedef struct irl_arguments {
    int           count;
    const void   *data[IRL_MAX_ARGUMENTS];
    /* bytes of the object that data points to; 0: not known */
    size_t        size[IRL_MAX_ARGUMENTS];
    /* 1: the object is a number, not a struct or array; 0: not known */
    unsigned char is_number[IRL_MAX_ARGUMENTS];
} irl_arguments;
#define IRL_ARGS(...) \
    IRL__MAKE(irl_arguments, IRL__COUNT(__VA_ARGS__), { __VA_ARGS__ }, \
              { IRL__EACH(IRL__SIZE_BEHIND, __VA_ARGS__) }, \
              { IRL__EACH(IRL__IS_NUMBER, __VA_ARGS__) })
#define IRL_POINTERS(...) \
    IRL__MAKE(irl_arguments, IRL__COUNT(__VA_ARGS__), { __VA_ARGS__ }, { 0 }, { 0 })

/* An argument that can be checked: data, type, rank, shape and size in bytes. The fields after
   `bytes` may be zero: compact memory of the CPU that begins at `data`. They are checked too:
   strides must be those of compact memory, except of axes of one element; the offset must keep the
   element aligned and within the bytes; all arguments must be on one device, the CPU; and no
   argument may overlap one that is written. The diagnostic names argument and axis, what was
   expected and what was found. */
typedef struct irl_tensor {
    void          *data;
    irl_type       type;
    irl_shape      shape; /* of numbers; rank 0 for a scalar */
    size_t         bytes;
    const int64_t *strides;     /* in elements, one for each axis; NULL: compact */
    uint64_t       byte_offset; /* from `data` to the first element */
    int            device_type, device_id; /* as in DLPack; the CPU is 1, 0, and also 0, 0 */
    /* bits of an element of bits, in the bit order of the buffer; 0: elements are whole bytes */
    int            bits;
} irl_tensor;

/* An argument of a host function that checks its arguments (irl_c_options.is_checked,
   irl_module_check_arguments): an integer, a number, or a tensor as DLPack describes it.
   irl_dltensor has the fields of DLTensor; if dlpack.h was included before, it is DLTensor. */
#ifndef IRL_HOST_TYPES
#define IRL_HOST_TYPES
#ifdef DLPACK_VERSION
typedef DLTensor irl_dltensor;
#else
typedef struct irl_dltensor {
    void *data;
    struct {
        int device_type, device_id; /* 1: the CPU */
    } device;
    int ndim;
    struct {
        uint8_t  code, bits; /* 0: integer, 1: unsigned, 2: float, 4: bfloat, 6: bool */
        uint16_t lanes;
    } dtype;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: compact */
    uint64_t byte_offset;
} irl_dltensor;
#endif
typedef struct irl_packed {
    int kind; /* 1: integer, 2: number, 3: tensor */
    union {
        int64_t             integer;
        double              number;
        const irl_dltensor *tensor;
    } value;
} irl_packed;

/* Why a call was refused. */
typedef struct irl_refusal {
    int  check; /* the number of the check that failed; 0: none did */
    char message[160];
} irl_refusal;
#endif

#ifndef IRLAYOUT_MAPS_ONLY
/* Returns the checks that a module's host function makes of its arguments, as a function of
   assertions. They check the count; the kinds, before anything is read through a pointer; the rank,
   type, extents, strides, byte offset, address and device of each tensor; and that no written
   memory overlaps another argument. Extents are those in memory, irl_func_param_memory. Emitted C
   of a checked host function and irl_module_check_arguments run it. Owned by the context; NULL with
   IRL_ERROR_UNSUPPORTED for a parameter that no argument can hold. */
IRL_API irl_func *irl_module_host_checks(const irl_module *m);

/* Returns 1 if the arguments are what the module takes; else 0 with IRL_ERROR_ARGUMENT_MISMATCH,
   which names the argument and the axis, what was expected and what was found. The memory at `data`
   is not touched. */
IRL_API int irl_module_check_arguments(const irl_module *m, int count, const irl_packed *arguments);

#ifndef IRLAYOUT_NO_INTERPRETER
/* Runs a function (at any stage) or a module by the reference interpreter, on logical arrays: it
   packs through the layouts, runs, and unpacks what is written. Returns 1; or 0 with a diagnostic
   (an access out of range, a race, a divergent barrier, an undefined result, ...), and then the
   arrays keep what they held. Layouts that are not applied yet have no effect. Temporaries of a
   module share memory as irl_plan says; bytes that pass from one temporary to another are
   undefined. Cost: very roughly a microsecond per statement executed. It is for trust, not for
   speed. */
IRL_API int irl_func_interpret(const irl_func *f, irl_arguments arguments);
IRL_API int irl_module_interpret(const irl_module *m, irl_arguments arguments);

/* The same with arguments that are checked before anything runs (irl_tensor), and of any number,
   since a graph may have more inputs than IRL_ARGS takes. */
IRL_API int irl_func_interpret_tensors(const irl_func *f, int count, const irl_tensor *tensors);
IRL_API int irl_module_interpret_tensors(const irl_module *m, int count,
                                         const irl_tensor *tensors);

/* Requests error bounds from a run, by running error analysis. `errors` has a pointer for each
   argument: to one double for each number of the array (each lane of an element), or NULL if the
   bounds of that argument are not wanted. The run writes there how far each result may be from the
   result of real arithmetic on the same inputs, on any machine that this library emits for.

   An operator passes on the errors of its operands and adds its own: half a unit in the last place
   for + - * and fma (one unit for halves), OpenCL's bound for the other functions, and the whole
   value for a subnormal result (except f64). Inputs are exact.

   A bound is infinite after an overflow, for a divisor that may be zero, for floats that an
   external function wrote, and for a value that depends on a comparison whose outcome these errors
   leave undecided. Integers have 0 or infinity. If a condition of `if`, a loop's extent or the
   index of a store is undecided, all bounds are infinite.

   Cost: 8 more bytes for each cell of memory, where a cell is as large as the smallest scalar of
   the program, and about twice the time. */
typedef struct irl_interpret_options {
    double *const *errors;    /* one pointer for each argument; NULL: no bounds */
    /* with errors: receives how often a comparison or a conversion to an integer was undecided;
       NULL */
    int64_t       *undecided;
} irl_interpret_options;
IRL_API int irl_func_interpret_with(const irl_func *f, irl_arguments arguments,
                                    const irl_interpret_options *how);
IRL_API int irl_module_interpret_with(const irl_module *m, irl_arguments arguments,
                                      const irl_interpret_options *how);
#endif

/* Describes argument k of a function (irl_func_param_count, irl_func_param_name) in *out: type,
   logical shape and bytes; `data` is NULL. If the shape depends on integer parameters, their values
   are read from `arguments`; the other pointers may be NULL. Returns 1, or 0 with a diagnostic. */
IRL_API int irl_func_param_tensor(const irl_func *f, int k, irl_arguments arguments,
                                  irl_tensor *out);

/* The same for the buffer in memory: its shape after the layouts are applied, and its bytes. Use it
   to allocate memory if you pack the array yourself:
       irl_tensor memory;
       irl_func_param_memory(irl_module_host(m), 0, IRL_POINTERS(NULL, NULL), &memory);
   memory is f32[3, 4] for x: f32[10], 48 bytes. */
IRL_API int irl_func_param_memory(const irl_func *f, int k, irl_arguments arguments,
                                  irl_tensor *out);

/* Returns the first of `count` elements in which two arrays differ; -1 if none does. Integers are
   compared bit for bit. Floats are equal if they are at most `ulp` representable numbers apart,
   both NaN, both zero, or both (except f64) subnormal. */
IRL_API int64_t irl_array_difference(irl_type type, int64_t count, const void *a, const void *b,
                                     int ulp);

/* Returns the first of `count` elements in which two runs differ by more than their error bounds
   (irl_interpret_options) allow; -1 if none does. Use it to compare a function with itself after
   `contract` or `reassociate`, which change what is rounded. It needs no tolerance:
       double y_errors[9], z_errors[9], *of_y[] = { NULL, y_errors }, *of_z[] = { NULL, z_errors };
       irl_interpret_options by_f = { of_y, NULL }, by_g = { of_z, NULL };
       irl_agreement sum = { 0, 0, 0 };
       irl_func_interpret_with(f, IRL_POINTERS(x, y), &by_f);
       irl_func_interpret_with(g, IRL_POINTERS(x, z), &by_g);
       irl_array_beyond(irl_type_of(IRL_F32, 1), 9, y, y_errors, z, z_errors, &sum);
   The counts are added to *sum, so that it may cover several arrays. `sum` may be NULL. */
typedef struct irl_agreement {
    int64_t numbers;
    int64_t unbounded; /* those with infinite bounds, which agree with everything */
    double  worst;     /* the largest |a - b| / (bound of a + bound of b) of the others */
} irl_agreement;
IRL_API int64_t irl_array_beyond(irl_type type, int64_t count, const void *a,
                                 const double *a_errors, const void *b, const double *b_errors,
                                 irl_agreement *sum);

/* Returns the ulp by which two runs of one function or module may differ on different machines. It
   is not for a function and the module that it was lowered to, whose sums may be contracted:
   compare these by irl_array_beyond, or with irl_module_scheduled. 0 if it only
   adds, subtracts, multiplies, fuses and rounds; 16, the OpenCL bound of its worst function, if it
   divides, takes roots or calls anything else. */
IRL_API int irl_func_tolerance(const irl_func *f);
#endif

/* ================================================================== >>graphs */

#ifndef IRLAYOUT_NO_GRAPHS
/* A graph: its nodes are calls of functions, one after the other, and its edges are tensors. In the
   language:

     graph net {
         func scale(x: f32[n], a: f32, y: f32[n]) { for (i: n) y[i] = x[i] * a; }
         func add(x: f32[n], y: f32[n], z: f32[n]) { for (i: n) z[i] = x[i] + y[i]; }
         input x: f32[100];
         t = scale(x, 2.0);
         y = add(t, x);
         output y;
     }

   The parameters that a function writes are its results, in order. The others are its arguments: a
   tensor, or a constant for a scalar. Names in the shapes of arguments take their values from the
   tensors that are passed, and the shapes of results follow from them. A tensor is written once,
   before it is read, so there are no cycles. Extents are numbers. */
typedef struct irl_graph irl_graph;

typedef struct irl_graph_tensor {
    const char *name;
    irl_type    type;  /* of an element */
    irl_shape   shape; /* of numbers: the logical shape, as functions index it */
    int         node;  /* the node that writes it; -1: it is an input */
    int         is_output;
} irl_graph_tensor;

typedef struct irl_graph_node {
    const irl_func               *func;
    /* for each parameter of func the number of its tensor; -1 for a scalar */
    const int                    *tensors;
    /* for each parameter the value of a scalar, implicit ones included; NULL for a tensor */
    const struct irl_expr *const *scalars;
    const unsigned char          *is_result; /* 1: the function writes it */
} irl_graph_node;

/* Returns the graph in a text that starts with "graph", verified. NULL on failure, with the place:
   IRL_ERROR_BAD_GRAPH if an argument does not fit its parameter, UNKNOWN_NAME for a tensor that
   nothing before it writes, DUPLICATE_NAME for a tensor that is written twice. `length` and `file`
   as for irl_func_parse. Cost: linear in the text. */
IRL_API irl_graph *irl_graph_parse(irl_ctx *cx, const char *text, size_t length, const char *file);

/* The text form, owned by the context; parse(print(g)) equals g. */
IRL_API const char *irl_graph_text(const irl_graph *g);

/* Returns 1 if functions are equal, and tensors, nodes, inputs and outputs have the same names in
   the same order. */
IRL_API int irl_graph_equal(const irl_graph *a, const irl_graph *b);

/* Return a graph as JSON, and a graph from JSON. irl_graph_parse_json verifies what it reads, and
   returns NULL with the place on failure. Nesting, axes and extents are limited; unknown members
   are skipped. parse_json(json(g)) equals g.

   The JSON has the form that graph runtimes use: `nodes` (inputs, whose op is "null", and calls of
   attrs.func_name with inputs [row, output, 0]), `arg_nodes`, `heads`, `node_row_ptr`, and `attrs`
   of all outputs of all rows: dltype, shape, storage_id (equal for tensors that may share memory),
   storage_scope (left out if all are global). Four members are this library's own:
     functions   the texts of the functions
     scalars     the scalar arguments of the nodes
     results     the names of a node's results, if it has several
     name        the graph's name */
IRL_API const char *irl_graph_json(const irl_graph *g);
IRL_API irl_graph  *irl_graph_parse_json(irl_ctx *cx, const char *text, size_t length,
                                         const char *file);

/* Returns the graph of either form: JSON if the first character that is not blank is '{'. */
IRL_API irl_graph  *irl_graph_load(irl_ctx *cx, const char *text, size_t length, const char *file);

/* A graph made by calls: inputs (name, type, shape), nodes in an order in which they can run, and
   the names of outputs. A node has the arguments of its function in order, and the names of its
   results. It is verified as a text is. */
typedef struct irl_graph_argument {
    const char            *tensor; /* NULL: the constant */
    const struct irl_expr *scalar;
} irl_graph_argument;
typedef struct irl_graph_call {
    const irl_func           *func;
    int                       argument_count, result_count;
    const irl_graph_argument *arguments;
    const char *const        *results;
} irl_graph_call;
typedef struct irl_graph_desc {
    const char             *name;
    int                     input_count, node_count, output_count;
    const irl_graph_tensor *inputs;
    const irl_graph_call   *nodes;
    const char *const      *outputs;
} irl_graph_desc;
IRL_API irl_graph *irl_graph_new(irl_ctx *cx, const irl_graph_desc *desc);

/* Return the parts of a graph. Tensors are numbered in the order of the text: an input where it is
   declared, any other where a node writes it. Past the last: NULL, or -1 for the numbers of inputs
   and outputs. */
IRL_API const char *irl_graph_name(const irl_graph *g);
IRL_API int         irl_graph_tensor_count(const irl_graph *g);
IRL_API int         irl_graph_node_count(const irl_graph *g);
IRL_API int         irl_graph_input_count(const irl_graph *g);
IRL_API int         irl_graph_output_count(const irl_graph *g);
IRL_API const irl_graph_tensor *irl_graph_tensor_of(const irl_graph *g, int k);
IRL_API const irl_graph_node   *irl_graph_node_of(const irl_graph *g, int k);
IRL_API int irl_graph_input(const irl_graph *g, int k); /* the number of a tensor */
IRL_API int irl_graph_output(const irl_graph *g, int k);

/* Returns the meaning of a graph: one plain function whose parameters are the inputs, then the
   outputs, and whose body is that of all nodes. Layouts and scopes of the nodes' functions are left
   out. */
IRL_API irl_func *irl_graph_func(const irl_graph *g);

#ifndef IRLAYOUT_NO_SCHEDULES
/* What irl_graph_fuse did. */
typedef struct irl_graph_fusion {
    int         count; /* nodes that became part of another node */
    /* bytes of the removed tensors between them, which are no longer written and read */
    int64_t     bytes;
    const char *text;  /* a line for each pair of nodes that was examined: fused, or why not */
} irl_graph_fusion;

/* Returns the graph after fusing nodes that compute cell by cell. A tensor that only one node
   reads, and that is no output, is computed where it is read (the primitive compute_inline), if it
   is then computed no more often; or the reader is computed where the tensor is written
   (reverse_compute_inline). Not fused are pairs that the primitives refuse, functions that have
   layouts, scopes or schedules, and readers of a sum, which is not final where it is written. A
   fused node gets a new function, such as `scale_add`, one for all equal pairs. Results are bit for
   bit those of g. `fusion` may be NULL. NULL on failure. Cost: that of the primitive, for each
   pair. */
IRL_API irl_graph *irl_graph_fuse(const irl_graph *g, irl_graph_fusion *fusion);
#endif

/* The place of a tensor of a graph. */
typedef struct irl_graph_place {
    irl_scope      scope;
    const irl_map *map;    /* NULL: row-major, no layout */
    const char    *reason; /* why this place, and why no image; NULL: no function states a place */
} irl_graph_place;
#define IRL_MAX_IMAGE_TRIES 8
/* How places are found. Zero is the default of every field. */
typedef struct irl_graph_storage_options {
    /* replaces the target's rule: fills in `places`, one for each tensor. Places that functions
       state have a reason already. Returns 0 to refuse. NULL: the target's rule */
    int (*collect)(void *user, const irl_graph *g, irl_graph_place *places);
    void   *user;
    /* limits of the device's images, in texels; 0, or more than the target's limit: the target's
       limit */
    int64_t max_width, max_height;
    int     no_images;             /* 1: the device has none */
    /* for each tensor the reason why the target's rule must leave it in plain memory, or NULL;
       NULL: none must stay there */
    const char *const *plain;
    /* called for each image of two dimensions before the target's rule uses it. Returns 1 if the
       device can make it; else 0, and *why becomes the device's answer (in memory that is valid
       until the next call). NULL: every image can be made */
    int (*try_image)(void *try_user, const irl_graph_tensor *tensor, int64_t width, int64_t height,
                     const char **why);
    void *try_user;
} irl_graph_storage_options;

/* Returns the graph with a layout and a scope for each tensor. A place that functions state is
   kept. A tensor without one takes the layout that most of the nodes around it state; the other
   nodes get copies when the graph is lowered. Layouts also pass through nodes that compute cell by
   cell.

   For the remaining tensors the target decides. If its column image_tensors is 1, a tensor of 4 or
   5 axes is put into an image: in the known convention whose image is the squarest, else in the
   best layout that irl_texture_candidates finds with the last axis as the channel. The next layout
   with other side lengths is tried if the image exceeds the limits of the device or of the target,
   if try_image refuses it, or if a node that touches the tensor cannot be lowered with it. (If the
   node's arguments are the cause, they change; else its results do.) The layouts that are tried
   are, in order: the conventions, the best layout found, then the other two-dimensional ones
   without waste, the squarest first. After IRL_MAX_IMAGE_TRIES layouts the tensor stays in plain
   memory. The reason names the first layout that was rejected, and why.

   All results of one node must be in one scope, else IRL_ERROR_BAD_GRAPH. *text says for each
   tensor where it is and why; `text` may be NULL. NULL on failure. Cost: one lowering for each
   different node that would touch an image.
       const char *why;
       g = irl_graph_place_tensors(g, &irl_target_adreno, NULL, &why);
       m = irl_graph_lower(g, &irl_target_adreno); */
IRL_API irl_graph *irl_graph_place_tensors(const irl_graph *g, const irl_target *target,
                                           const irl_graph_storage_options *how,
                                           const char **text);

/* Returns one module for the whole graph. Its host function takes the inputs, then the outputs,
   allocates the tensors between them and launches the kernels of all nodes. Each node's function is
   lowered for the numbers that its arguments bind, as `how` says; how NULL (and irl_graph_lower)
   schedules as irl_schedule_auto does. Nodes of one function with the same numbers share their
   kernels. A tensor has the layout and scope that the function which writes it states; an input
   those of its first reader. A node that needs it otherwise gets a copy, made by a kernel `copy`.
   NULL with a diagnostic.
       irl_graph  *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net.irl");
       irl_module *m = irl_graph_lower(g, &irl_target_opencl12);
       irl_module_interpret(m, IRL_ARGS(x, y));           computes what irl_graph_func(g) does */
IRL_API irl_module *irl_graph_lower(const irl_graph *g, const irl_target *target);
IRL_API irl_module *irl_graph_lower_with(const irl_graph *g, const irl_target *target,
                                         const irl_lower_options *how);
#endif

/* ================================================================== >>building */

/* Operators: IRL_OP_ADD, ... src/ir/ops.h has a row for each: its text, the types it takes and
   returns, and its meaning. `/` and `%` of integers are IRL_OP_FLOORDIV and IRL_OP_FLOORMOD, as in
   the text; C's division is IRL_OP_TRUNCDIV. */
typedef enum irl_op {
#define IRL_OPERATOR(name, text, form, arity, precedence, rule, eval, ocl, doc) IRL_OP_##name,
#include "src/ir/ops.h"
    IRL__OP_COUNT,
    IRL_OP_NONE = IRL__OP_COUNT /* the operator of NULL */
} irl_op;

/* How the iterations of a loop run. PARALLEL and VECTORIZED promise that no iteration accesses what
   another one writes: the target may run them in any order, at once, or several of them in step,
   statement by statement. The interpreter reports a race (IRL_ERROR_DATA_RACE). Lowering refuses a
   loop if two iterations are proved to touch one cell which one of them writes, and names them and
   the cell. */
typedef enum irl_for_kind {
    IRL_SERIAL = 0,
    IRL_PARALLEL,
    IRL_VECTORIZED,
    IRL_UNROLLED,
    IRL_BOUND
} irl_for_kind;

/* Axes of work-items, for bound loops. GLOBAL is the work-item's number in the whole range. */
typedef enum irl_axis {
    IRL_GROUP_X = 0,
    IRL_GROUP_Y,
    IRL_GROUP_Z,
    IRL_LOCAL_X,
    IRL_LOCAL_Y,
    IRL_LOCAL_Z,
    IRL_GLOBAL_X,
    IRL_GLOBAL_Y,
    IRL_GLOBAL_Z,
    IRL__AXIS_COUNT
} irl_axis;

typedef struct irl_expr   irl_expr;
typedef struct irl_stmt   irl_stmt;
typedef struct irl_buffer irl_buffer;

/* Expressions. Equal expressions of one context are one object. Every builder checks the types of
   its operands and converts none. It returns NULL with a diagnostic if they do not fit; NULL
   without a diagnostic if the context has failed already or an operand is NULL. Cost: constant,
   because operands are shared. */

/* an integer constant; the value wraps to the type's width */
IRL_API const irl_expr *irl_expr_int(irl_ctx *cx, irl_type type, int64_t value);
IRL_API const irl_expr *irl_expr_index(irl_ctx *cx, int64_t value); /* a constant of type index */

/* a float constant, rounded to the type */
IRL_API const irl_expr *irl_expr_float(irl_ctx *cx, irl_type type, double value);

/* a new variable at each call, even if the name is the same */
IRL_API const irl_expr *irl_expr_var(irl_ctx *cx, const char *name, irl_type type);

/* An operator of one, two or three operands: irl_expr_op2(cx, IRL_OP_ADD, a, b) is a + b. Both
   sides have one type. */
IRL_API const irl_expr *irl_expr_op1(irl_ctx *cx, irl_op op, const irl_expr *a);
IRL_API const irl_expr *irl_expr_op2(irl_ctx *cx, irl_op op, const irl_expr *a, const irl_expr *b);
IRL_API const irl_expr *irl_expr_op3(irl_ctx *cx, irl_op op, const irl_expr *a, const irl_expr *b,
                                     const irl_expr *c);

/* cast: the value converted to another type with as many lanes. reinterpret: the same bits as
   another type with as many bytes. undef: any value, for results that do not matter. */
IRL_API const irl_expr *irl_expr_cast(irl_ctx *cx, irl_type type, const irl_expr *a);
IRL_API const irl_expr *irl_expr_reinterpret(irl_ctx *cx, irl_type type, const irl_expr *a);
IRL_API const irl_expr *irl_expr_undef(irl_ctx *cx, irl_type type);

/* Vectors. ramp: base, base + stride, ... broadcast: a in every lane. shuffle: lanes picked by
   number from the vectors, laid end to end. */
IRL_API const irl_expr *irl_expr_ramp(irl_ctx *cx, const irl_expr *base, const irl_expr *stride,
                                      int lanes);
IRL_API const irl_expr *irl_expr_broadcast(irl_ctx *cx, const irl_expr *a, int lanes);
IRL_API const irl_expr *irl_expr_shuffle(irl_ctx *cx, int count, const irl_expr *const *vectors,
                                         int lanes, const int *picks);

/* The value of body, in which var has this value. */
IRL_API const irl_expr *irl_expr_let(irl_ctx *cx, const irl_expr *var, const irl_expr *value,
                                     const irl_expr *body);

/* load: buffer[indices], one index per axis; the last index may be a vector. extern: a call of a
   function that the user's program provides for the emitted code. */
IRL_API const irl_expr *irl_expr_load(irl_ctx *cx, const irl_buffer *buffer, int rank,
                                      const irl_expr *const *indices);
IRL_API const irl_expr *irl_expr_extern(irl_ctx *cx, irl_type type, const char *name, int count,
                                        const irl_expr *const *args);

/* Return the type; and the text, which is owned by the context. */
IRL_API irl_type        irl_expr_type(const irl_expr *e);
IRL_API const char     *irl_expr_text(irl_ctx *cx, const irl_expr *e);

/* Returns the expression of a text, which refers to `vars` by name. NULL with a diagnostic that
   points into the text. */
IRL_API const irl_expr *irl_expr_parse(irl_ctx *cx, const char *text, int count,
                                       const irl_expr *const *vars);

/* The values of an integer variable, from lo to hi, both included. */
typedef struct irl_range {
    const irl_expr *var;
    int64_t         lo, hi;
} irl_range;

/* Returns a simpler expression with the same value for all values in the ranges. It is exact, never
   a guess. Variables without a range may have any value. If e has a value, the result has the same
   one; the result overflows or divides by 0 only where e does. The narrower the ranges, the more
   can be left out.
   NULL with IRL_ERROR_BAD_ARGUMENT for an empty range; with DIVISION_BY_ZERO or BAD_VALUE if e has
   a value for none of the values (c / 0).
       c/4*4 + c%4 with c in [0, 63] is c;   c < 64 is true
       c % 5 * 2 % 5 is c * 2 % 5 with c in [0, 63]; without a range it stays, as c * 2 may overflow
   Cost: linear in the nodes of e, times the terms of a sum that is merged. */
IRL_API const irl_expr *irl_expr_simplify(irl_ctx *cx, const irl_expr *e, int count,
                                          const irl_range *ranges);

/* Return a buffer of `rank` extents of type index, compact and row-major. irl_buffer_new makes one
   with new memory at each call. irl_buffer_alias makes another view of the memory of `of`, with
   other axes or other elements: vectors over scalars, scalars over vectors, the same bits as
   another type.

   The rules for a view: it is declared (irl_stmt_decl) before it is used, where its memory is
   visible; it has the same scope, no more bytes, and as many separators; its elements need no
   larger alignment than its memory has. A parameter or allocation is aligned for every type (128
   bytes) unless it states align(n). The verifier refuses a view that breaks a rule
   (IRL_ERROR_BAD_ALIAS, BAD_SEPARATORS, TYPE_MISMATCH). Elements of a view are read and written as
   bytes, so no access is undefined because another view has another type. src/pass/type_memory.c
   says how targets access views. */
IRL_API const irl_buffer *irl_buffer_new(irl_ctx *cx, const char *name, irl_type element,
                                         irl_scope scope, int rank, const irl_expr *const *shape);
IRL_API const irl_buffer *irl_buffer_alias(irl_ctx *cx, const char *name, const irl_buffer *of,
                                           irl_type element, int rank,
                                           const irl_expr *const *shape);

/* What a buffer may state besides its type and shape; in the text it comes after the shape. Zero is
   the default of every field. */
typedef struct irl_buffer_desc {
    /* a view of this buffer's memory, as irl_buffer_alias; NULL: new memory */
    const irl_buffer      *of;
    /* or a view of the memory that this variable of pointer type points to */
    const irl_expr        *pointer;
    /* in elements, one for each axis; NULL: compact and row-major */
    const irl_expr *const *strides;
    const irl_expr        *offset;    /* in elements, from the start of the memory; NULL: 0 */
    /* alignment of the start of the memory, in bytes, a power of two; 0: not stated */
    int                    alignment;
    int                    separator_count;
    const int             *separators; /* the first axis of each group after the first */
    int                    texel;     /* lanes of an image's texel; 0: 4 */
} irl_buffer_desc;

/* Returns a buffer with these properties: f32[4, 4] strides(8, 1) offset(2). `desc` may be NULL. */
IRL_API const irl_buffer *irl_buffer_new_with(irl_ctx *cx, const char *name, irl_type element,
                                              irl_scope scope, int rank,
                                              const irl_expr *const *shape,
                                              const irl_buffer_desc *desc);

/* Returns a view of field k of consecutive records in the memory of a buffer, for irl_stmt_decl.
   Its first `rank` axes, of these extents, count the records. NULL with a diagnostic, also for a
   record that is not right (IRL_ERROR_LOSSY_MAP, MAP_OUT_OF_RANGE). */
IRL_API const struct irl_buffer *irl_record_view(const irl_record *record, int k,
                                                 const struct irl_buffer *memory, int rank,
                                                 const struct irl_expr *const *shape);

/* Returns the pointer to the buffer's memory, as an argument of a launch or a call. In the text it
   is the buffer's name without indices. */
IRL_API const irl_expr *irl_buffer_pointer(const irl_buffer *buffer);

/* Returns a call of a function that the target provides: texture2d_load(x, column, row), ...
   (docs/grammar.md, Images). */
IRL_API const irl_expr *irl_expr_intrinsic(irl_ctx *cx, irl_type type, const char *name, int count,
                                           const irl_expr *const *args);

/* Statements. The names in them are checked when the function is verified: everything is declared
   before its use, and an access has one index per axis. A let, an allocation and a declaration are
   visible to the end of the sequence that contains them. NULL with a diagnostic if the operands do
   not fit; NULL without one if the context has failed before or an operand is NULL.
   examples/07_builder.c and 32_builders_more.c build functions. */

/* buffer[indices] = value */
IRL_API const irl_stmt *irl_stmt_store(irl_ctx *cx, const irl_buffer *buffer, const irl_expr *value,
                                       int rank, const irl_expr *const *indices);

/* for: a loop from `min` with `extent` iterations, none if that is negative, of any kind except
   IRL_BOUND. for_bound: a loop whose variable is the work-item's number along an axis. */
IRL_API const irl_stmt *irl_stmt_for(irl_ctx *cx, irl_for_kind kind, const irl_expr *var,
                                     const irl_expr *min, const irl_expr *extent,
                                     const irl_stmt *body);
IRL_API const irl_stmt *irl_stmt_for_bound(irl_ctx *cx, irl_axis axis, const irl_expr *var,
                                           const irl_expr *extent, const irl_stmt *body);

/* seq: statements one after the other. */
IRL_API const irl_stmt *irl_stmt_seq(irl_ctx *cx, int count, const irl_stmt *const *stmts);

/* if: one statement or the other; else_ may be NULL. */
IRL_API const irl_stmt *irl_stmt_if(irl_ctx *cx, const irl_expr *condition, const irl_stmt *then_,
                                    const irl_stmt *else_);

/* let: a name for a value. alloc: new memory. decl: a view of memory (irl_buffer_alias). */
IRL_API const irl_stmt *irl_stmt_let(irl_ctx *cx, const irl_expr *var, const irl_expr *value);
IRL_API const irl_stmt *irl_stmt_alloc(irl_ctx *cx, const irl_buffer *buffer);
IRL_API const irl_stmt *irl_stmt_decl(irl_ctx *cx, const irl_buffer *alias);

/* assume: a condition that the caller guarantees, and that the simplifier may use. assert: a
   condition that is checked at run time, with the message of the diagnostic. */
IRL_API const irl_stmt *irl_stmt_assume(irl_ctx *cx, const irl_expr *condition);
IRL_API const irl_stmt *irl_stmt_assert(irl_ctx *cx, const irl_expr *condition,
                                        const char *message);

/* The same with values of type index in the message: each {} is replaced by the next value. There
   are at most IRL_MAX_MESSAGE_VALUES. In the text: assert(n < 9, "n is {}", n); */
#define IRL_MAX_MESSAGE_VALUES 8
IRL_API const irl_stmt *irl_stmt_assert_values(irl_ctx *cx, const irl_expr *condition,
                                               const char *message, int count,
                                               const irl_expr *const *values);

/* A barrier: every work-item of the group waits for the others, then sees what they wrote to
   IRL_SCOPE_SHARED or IRL_SCOPE_GLOBAL. */
IRL_API const irl_stmt *irl_stmt_barrier(irl_ctx *cx, irl_scope scope);

/* A call for its effect. */
IRL_API const irl_stmt *irl_stmt_evaluate(irl_ctx *cx, const irl_expr *e);

/* note(key = value) or note(key = "text"): set one of the two. Passes keep notes that they do not
   know. */
typedef struct irl_note {
    const char     *key;
    const irl_expr *value;
    const char     *text;
} irl_note;

/* Return the loop or block with that note after its others, replacing one of the same key; a
   statement that is under an attribute; a function with one more attribute. */
IRL_API const irl_stmt *irl_stmt_set_note(irl_ctx *cx, const irl_stmt *loop_or_block,
                                          irl_note note);
IRL_API const irl_stmt *irl_stmt_attr(irl_ctx *cx, irl_note note, const irl_stmt *body);
IRL_API irl_func       *irl_func_set_attr(const irl_func *f, irl_note note);

/* A block: a computation over its own axes, which are bound to expressions of the loops around it.
   Zero is the default of every field except name and body. In the text: block name(axes) where(...)
   reads(...) writes(...) { alloc ...; match ...; init ...  body } */
typedef struct irl_block_axis {
    const irl_expr *var, *extent; /* the variable takes the values [0, extent) */
    /* the value that it is bound to, over names from outside the block */
    const irl_expr *binding;
    int             is_reduction; /* 0: spatial: its points are computed independently */
    /* 1: the kind is not stated; is_reduction is 0 (docs/grammar.md, Kinds) */
    int             is_unstated;
} irl_block_axis;
typedef struct irl_region {
    const irl_buffer      *buffer;
    const irl_expr *const *min, *const *extent; /* one for each axis; extent NULL: 1 along each */
} irl_region;
typedef struct irl_match {
    const irl_buffer *buffer; /* a name for the region: buffer[0, 0] is its first element */
    irl_region        source;
} irl_match;
typedef struct irl_block_desc {
    const char            *name;
    int axis_count, read_count, write_count, alloc_count, match_count, note_count;
    const irl_block_axis  *axes;
    const irl_expr        *predicate; /* NULL: always */
    const irl_region      *reads, *writes;
    const irl_buffer *const *allocs;  /* memory that only the block uses */
    const irl_match       *matches;
    const irl_note        *notes;
    /* runs before the body if all reduction axes are 0; NULL: none */
    const irl_stmt        *init;
    const irl_stmt        *body;
} irl_block_desc;
IRL_API const irl_stmt *irl_stmt_block(irl_ctx *cx, const irl_block_desc *desc);

/* Returns a function with these parameters, in order. Each is a buffer or a scalar variable: set
   exactly one of the two. The function is verified when it is first lowered, interpreted or passed
   to irl_func_run_pass. */
typedef struct irl_param_desc {
    const irl_buffer *buffer;
    const irl_expr   *scalar;
    /* 1: a scalar that is only in shapes: irl_func_param_is_implicit */
    int               is_implicit;
} irl_param_desc;
IRL_API irl_func *irl_func_new(irl_ctx *cx, const char *name, int count,
                               const irl_param_desc *params, const irl_stmt *body);

/* The prototype of an external function that f calls. In the text it is between the parameters and
   the body:
       extern scale(x: ptr(f32, global) reads(n), y: ptr(f32, global) writes(n), n: index): f32
   Calls must fit it. Emitted C and OpenCL C declare the function with this prototype. What it
   states about memory is trusted: the interpreter refuses a write that it does not state
   (IRL_ERROR_BROKEN_PROTOTYPE), but cannot see reads.

   A parameter is a variable (irl_expr_var), a number or a pointer. For a pointer, `reads` and
   `writes` state that its memory is read or written: the first `read_count` or `write_count`
   elements, an expression of type index over the integers among the parameters; NULL: any elements.
   Elements that are not written keep their values. If neither is set, the call may do anything to
   the memory of the pointer. A function that states it for all its pointers, and returns no
   pointer, touches no other memory. `is_pure` states that a function without pointers returns a
   value that depends on its arguments alone. */
typedef struct irl_extern_param {
    const irl_expr *var;
    int             reads, writes;
    const irl_expr *read_count, *write_count;
} irl_extern_param;
typedef struct irl_extern_desc {
    const char             *name;
    irl_type                type; /* the type of its result */
    int                     count;
    const irl_extern_param *params;
    int                     is_pure;
} irl_extern_desc;

/* Returns f with one more prototype. An equal prototype changes nothing; a different one of the
   same name is refused (IRL_ERROR_DUPLICATE_NAME). The lists are copied. */
IRL_API irl_func *irl_func_declare(const irl_func *f, const irl_extern_desc *desc);

/* Return the number of prototypes of f; and prototype k, or NULL if there is none. */
IRL_API int                    irl_func_extern_count(const irl_func *f);
IRL_API const irl_extern_desc *irl_func_extern(const irl_func *f, int k);

/* A statement of a host function: runs a kernel of the module. Buffers are passed as
   irl_buffer_pointer. */
IRL_API const irl_stmt *irl_stmt_launch(irl_ctx *cx, const char *kernel, int count,
                                        const irl_expr *const *args);

/* Returns a verified module of functions that are lowered already. NULL with a diagnostic if a
   launch does not fit its kernel. `target` is the name of a target, or NULL. (irl_func_lower makes
   a module from a function.) */
IRL_API irl_module *irl_module_new(irl_ctx *cx, const char *name, const char *target,
                                   const irl_func *host, int kernel_count,
                                   const irl_func *const *kernels);

/* ================================================================== >>reading */

/* Functions to read, walk and rewrite expressions, statements, buffers and functions, for a pass, a
   printer or an emitter. There is one function for each part. For NULL, for a node of another kind,
   or past the last of a list, it returns NULL, "" for a text, or 0. Nothing that reads fails,
   allocates or copies: results are owned by the context and never change.
       for (k = 0; k < irl_func_param_count(f); k++) puts(irl_func_param_name(f, k));
       if (irl_stmt_kind_of(s) == IRL_STMT_FOR) puts(irl_expr_text(cx, irl_stmt_extent(s)));
   After all passes an emitter finds this in a kernel: (1) Any operator, also lets, choices and
   floor division. C's division may be used instead if irl_expr_simplify, with the ranges of the
   loops around, simplifies e >= 0 to true. (2) Vectors only in forms that the target has. (3) Plain
   memory with one axis; images with one axis for each group. (4) Declared buffers, which are views.
   The memory of a view is the parameter or allocation with the same irl_buffer_pointer. If pointers
   may not be cast, each memory has one view, of the type that the binding needs. (5) Bound loops.
   Each iteration is a work-item. If more work-items are launched than the loop has iterations, the
   others skip its body. Call irl_module_check first: it says whether the target can do all of it.
   */

/* How an operator is written. Leaves have no operands; SPECIAL operators have their own syntax. */
typedef enum irl_op_form {
    IRL_FORM_LEAF,
    IRL_FORM_PREFIX,
    IRL_FORM_INFIX,
    IRL_FORM_CALL, /* text(a, b) */
    IRL_FORM_SPECIAL
} irl_op_form;

/* The types of its operands and of its result. */
typedef enum irl_op_rule {
    IRL_RULE_SAME_ARITH, /* operands: one type, integer, index or float; the result has it too */
    IRL_RULE_SAME_INT,   /* operands: one type, integer or index; the result has it too */
    IRL_RULE_SAME_FLOAT, /* operands: one float type; the result has it too */
    IRL_RULE_SAME_BITS,  /* operands: one type, integer or bool; the result has it too */
    IRL_RULE_COMPARE,    /* two operands of one type; the result is bool with as many lanes */
    IRL_RULE_BOOL,       /* operands and result are bool */
    IRL_RULE_OWN         /* a rule of this operator alone */
} irl_op_rule;

/* The row of an operator in src/ir/ops.h. */
typedef struct irl_op_row {
    const char *name, *text; /* of IRL_OP_FLOORDIV: "FLOORDIV" and "/" */
    irl_op_form form;
    int         arity;      /* -1: any number of operands */
    /* of infix and prefix forms, as in C: 13 for -a, 12 for a * b, 3 for a || b */
    int         precedence;
    irl_op_rule rule;
    const char *ocl; /* the operator or function of OpenCL C, if there is one; else "" */
    const char *doc; /* its meaning */
} irl_op_row;
IRL_API const irl_op_row *irl_op_info(irl_op op); /* NULL if there is no such operator */

typedef enum irl_scalar_kind {
    IRL_KIND_BOOL,
    IRL_KIND_INT,
    IRL_KIND_UINT,
    IRL_KIND_FLOAT,
    IRL_KIND_BFLOAT,
    IRL_KIND_INDEX,
    IRL_KIND_UNORM,
    IRL_KIND_SNORM
} irl_scalar_kind;

/* The row of a scalar type in src/ir/types.h. */
typedef struct irl_scalar_row {
    const char     *text; /* "u8" */
    irl_scalar_kind kind;
    int             bits, bytes; /* bits of a value; bytes of an element in memory */
    /* the type that holds it in OpenCL C and in C: "uchar", "uint8_t" */
    const char     *ocl, *c;
} irl_scalar_row;
/* NULL if there is no such type */
IRL_API const irl_scalar_row *irl_scalar_info(irl_scalar scalar);

/* Return the words of the text: "group.x"; "parallel", or "" for a serial loop. "?" for an invalid
   value. */
IRL_API const char *irl_axis_text(irl_axis axis);
IRL_API const char *irl_for_kind_text(irl_for_kind kind);

/* Expressions: the operator, which is IRL_OP_NONE for NULL; the operands, in the order in which
   they are written. The operands of a LET are the variable, the value and the body; those of a LOAD
   are the indices. */
IRL_API irl_op          irl_expr_op(const irl_expr *e);
IRL_API int             irl_expr_arg_count(const irl_expr *e);
IRL_API const irl_expr *irl_expr_arg(const irl_expr *e, int k);

/* int_value: of an INT, sign-extended from its type; the bits of a u64. float_value: of a FLOAT.
   name: of a VAR and of calls. buffer: of a LOAD. pick: of a SHUFFLE, which lane of the operands,
   laid end to end, is its lane k. */
IRL_API int64_t           irl_expr_int_value(const irl_expr *e);
IRL_API double            irl_expr_float_value(const irl_expr *e);

/* Names are not unique, and may be any text: passes make several variables of one name. Compare
   variables by pointer. An emitter makes names unique by numbers, as irl_func_text does. */
IRL_API const char       *irl_expr_name(const irl_expr *e);
IRL_API const irl_buffer *irl_expr_buffer(const irl_expr *e);
IRL_API int               irl_expr_pick(const irl_expr *e, int k);

/* The place in the source where a statement or buffer was written. If it is not known, file is ""
   and line is 0. For an IRL_KERNEL it is the place in the user's file, as in diagnostics; the file
   is read at each call. If it cannot be read, line is the macro's line, and column counts in the
   macro's text. Expressions have no place; use that of their statement. */
typedef struct irl_place {
    const char *file;
    int         line, column; /* from 1 */
} irl_place;

/* Buffers. A stride is NULL if memory is compact and row-major; an offset is NULL if it is 0. The
   alignment, in bytes, and the lanes of a texel are 0 if they are not stated. Separator k is given
   as the number of the axis after it. Views of one memory have the same irl_buffer_pointer. */
IRL_API const char     *irl_buffer_name(const irl_buffer *b);
IRL_API irl_type        irl_buffer_type(const irl_buffer *b); /* of an element */

/* Returns 1 if elements take some bits, and writes their type, width and order of bits to *out;
   `out` may be NULL. Strides and offset of such a buffer are in bits. Returns 0 if elements are
   whole bytes. */
IRL_API int             irl_buffer_bits(const irl_buffer *b, irl_bit_element *out);
IRL_API irl_scope       irl_buffer_scope(const irl_buffer *b);
IRL_API int             irl_buffer_rank(const irl_buffer *b);
IRL_API const irl_expr *irl_buffer_extent(const irl_buffer *b, int axis);
IRL_API const irl_expr *irl_buffer_stride(const irl_buffer *b, int axis);
IRL_API const irl_expr *irl_buffer_offset(const irl_buffer *b);
IRL_API int             irl_buffer_alignment(const irl_buffer *b);
IRL_API int             irl_buffer_separator_count(const irl_buffer *b);
IRL_API int             irl_buffer_separator(const irl_buffer *b, int k);
IRL_API int             irl_buffer_texel(const irl_buffer *b);

/* Returns 1; or 0 if the place is not known, as for a buffer that a pass made. */
IRL_API int irl_buffer_place(irl_ctx *cx, const irl_buffer *b, irl_place *out);

/* Kinds of statements: IRL_STMT_SEQ, FOR, BLOCK, IF, LET, STORE, ALLOC, DECL, ASSUME, ASSERT,
   BARRIER, EVALUATE, ATTR, LAUNCH. src/ir/stmts.h has a row for each. */
typedef enum irl_stmt_kind {
#define IRL_STMT_ROW(name, ...) IRL_STMT_##name,
#include "src/ir/stmts.h"
    IRL__STMT_KIND_COUNT,
    IRL_STMT_NONE = IRL__STMT_KIND_COUNT /* the kind of NULL */
} irl_stmt_kind;
IRL_API irl_stmt_kind irl_stmt_kind_of(const irl_stmt *s);

/* Return the statements directly inside, in the order of the text: those of a SEQ; the body of a
   FOR or an ATTR; the init, if there is one, and the body of a BLOCK; the then branch and, if there
   is one, the else branch of an IF. */
IRL_API int             irl_stmt_child_count(const irl_stmt *s);
IRL_API const irl_stmt *irl_stmt_child(const irl_stmt *s, int k);
IRL_API const irl_stmt *irl_stmt_body(const irl_stmt *s); /* FOR, BLOCK, ATTR */
IRL_API const irl_stmt *irl_stmt_then(const irl_stmt *s); /* IF */
IRL_API const irl_stmt *irl_stmt_else(const irl_stmt *s);

/* of a FOR: its kind; its axis, if the kind is IRL_BOUND; its first value; its number of iterations
   */
IRL_API irl_for_kind    irl_stmt_for_kind(const irl_stmt *s);
IRL_API irl_axis        irl_stmt_axis(const irl_stmt *s);
IRL_API const irl_expr *irl_stmt_min(const irl_stmt *s);
IRL_API const irl_expr *irl_stmt_extent(const irl_stmt *s);
IRL_API const irl_expr *irl_stmt_var(const irl_stmt *s);       /* FOR, LET */
IRL_API const irl_expr *irl_stmt_value(const irl_stmt *s);     /* LET, STORE, EVALUATE */
IRL_API const irl_expr *irl_stmt_condition(const irl_stmt *s); /* IF, ASSUME, ASSERT */
IRL_API const irl_buffer *irl_stmt_buffer(const irl_stmt *s);  /* STORE, ALLOC, DECL */

/* the indices of a STORE, the arguments of a LAUNCH, the values in the message of an ASSERT */
IRL_API int             irl_stmt_arg_count(const irl_stmt *s);
IRL_API const irl_expr *irl_stmt_arg(const irl_stmt *s, int k);
IRL_API const char     *irl_stmt_name(const irl_stmt *s);    /* a BLOCK's; the kernel of a LAUNCH */
IRL_API const char     *irl_stmt_message(const irl_stmt *s); /* ASSERT */
IRL_API irl_scope       irl_stmt_scope(const irl_stmt *s);   /* BARRIER */

/* the notes of a FOR or a BLOCK, in order; the note of an ATTR */
IRL_API int             irl_stmt_note_count(const irl_stmt *s);
IRL_API const irl_note *irl_stmt_note(const irl_stmt *s, int k);

/* all parts of a BLOCK, as irl_stmt_block takes them; the lists of a region are as long as the rank
   of its buffer */
IRL_API const irl_block_desc *irl_stmt_block_desc(const irl_stmt *s);

/* Returns 1; or 0 if the place is not known. `file` is owned by the context. */
IRL_API int irl_stmt_place(irl_ctx *cx, const irl_stmt *s, irl_place *out);

/* Returns a number of a FOR or a BLOCK that passes keep, so that you can find it again after them.
   */
IRL_API uint32_t irl_stmt_id(const irl_stmt *s);

/* Maps (see also irl_map_input_count, irl_map_output_count, irl_map_separators). input: a variable
   on the left. output: an expression over the inputs. rest_input and rest_output: how many inputs
   and outputs come before "..."; -1 if the map has no "..." or is NULL. */
IRL_API const irl_expr *irl_map_input(const irl_map *map, int k);
IRL_API const irl_expr *irl_map_output(const irl_map *map, int k);
IRL_API int             irl_map_rest_input(const irl_map *map);
IRL_API int             irl_map_rest_output(const irl_map *map);

typedef enum irl_role {
    IRL_ROLE_PLAIN, /* not lowered */
    IRL_ROLE_HOST,
    IRL_ROLE_KERNEL
} irl_role;
IRL_API const char       *irl_func_name(const irl_func *f);
IRL_API irl_role          irl_func_role(const irl_func *f);
IRL_API const irl_stmt   *irl_func_body(const irl_func *f);

/* The parameters in order. scalar: the variable of a scalar. buffer: the buffer as it is in memory.
   logical_rank and logical_extent: the shape that the user wrote. map: takes a logical point to an
   index of the buffer; NULL: they are the same. padding: the value of unused cells; NULL: any. */
IRL_API int               irl_func_param_count(const irl_func *f);
IRL_API const char       *irl_func_param_name(const irl_func *f, int k);
IRL_API const irl_expr   *irl_func_param_scalar(const irl_func *f, int k);
IRL_API int               irl_func_param_is_buffer(const irl_func *f, int k);

/* Returns 1 if the parameter is a name that is declared only by a shape, as n in func f(x: f32[n]).
   irl_tensor arguments and irl_module_check_arguments leave it out, because a shape gives its
   value. IRL_ARGS includes it, before x. */
IRL_API int irl_func_param_is_implicit(const irl_func *f, int k);
IRL_API const irl_buffer *irl_func_param_buffer(const irl_func *f, int k);
IRL_API int               irl_func_param_logical_rank(const irl_func *f, int k);
IRL_API const irl_expr   *irl_func_param_logical_extent(const irl_func *f, int k, int axis);
IRL_API const irl_map    *irl_func_param_map(const irl_func *f, int k);
IRL_API const irl_expr   *irl_func_param_padding(const irl_func *f, int k);

/* Layouts that are set but not applied yet, in the order in which they will be applied: the
   buffer's name; the map; the value of unused cells, NULL where no constant is stated; 1 if the
   caller vouched for it (irl_func_assume_layout). */
IRL_API int             irl_func_layout_count(const irl_func *f);
IRL_API const char     *irl_func_layout_buffer(const irl_func *f, int k);
IRL_API const irl_map  *irl_func_layout_map(const irl_func *f, int k);
IRL_API const irl_expr *irl_func_layout_padding(const irl_func *f, int k);
IRL_API int             irl_func_layout_is_assumed(const irl_func *f, int k);

/* attributes of the function */
IRL_API int             irl_func_attr_count(const irl_func *f);
IRL_API const irl_note *irl_func_attr(const irl_func *f, int k);

IRL_API const char     *irl_module_name(const irl_module *m);
IRL_API const char     *irl_module_target(const irl_module *m); /* the name of a target, or "" */

/* the function whose parameters the module takes */
IRL_API const irl_func *irl_module_host(const irl_module *m);
IRL_API int             irl_module_kernel_count(const irl_module *m);
IRL_API const irl_func *irl_module_kernel(const irl_module *m, int k);

/* A walk over everything in a statement, from the outside to the inside. Each function may be NULL.
   `stmt` is called for each statement. `expr` is called for each expression of a statement, then
   for its operands. Both return 1 to visit what is inside, 0 to skip it. `buffer` is called for
   each buffer that a statement or a load names or declares; `s` is NULL for a parameter. `leave` is
   called for a statement after everything inside it.

   The expressions of a loop include its first value and its extent; those of a block include its
   bindings, its predicate and its regions, which compute nothing by themselves. A sum(...) of the
   text is a loop. The extents, strides and offset of a buffer are not visited: see
   irl_buffer_extent. Cost: linear, where an expression counts as a tree.
       irl_walk walk = { NULL, is_division, NULL, NULL, NULL };
       irl_func_walk(f, &walk);
   where is_division counts divisions, or prints irl_stmt_place of s. */
typedef struct irl_walk {
    int  (*stmt)(void *user, const irl_stmt *s);
    int  (*expr)(void *user, const irl_expr *e, const irl_stmt *s);
    void (*buffer)(void *user, const irl_buffer *b, const irl_stmt *s);
    void (*leave)(void *user, const irl_stmt *s);
    void *user;
} irl_walk;
IRL_API void irl_func_walk(const irl_func *f, const irl_walk *how);
IRL_API void irl_stmt_walk(const irl_stmt *s, const irl_walk *how);
IRL_API void irl_expr_walk(const irl_expr *e, const irl_walk *how); /* `s` is NULL */

/* A rewrite, from the inside to the outside. Each function gets a node whose parts are rewritten
   already, and returns the node that replaces it: the same one, or another of the same type. A
   statement is deleted by returning irl_stmt_seq(cx, 0, NULL). Returning NULL is a failure. Each
   function may be NULL.

   `expr` is called once for equal expressions, which are one object, and again after a call of
   `stmt` or `enter`. It is not called for a variable where a loop or a let binds it. `buffer` is
   called for each buffer, those of parameters first; its result replaces the buffer everywhere.
   `enter` is called before the inside of a statement is visited; if it returns 0 the statement is
   left as it is. A pass that replaces divisions by 2:
       static const irl_expr *no_div(void *user, irl_ctx *cx, const irl_expr *e)
       {
           const irl_expr *by = irl_expr_arg(e, 1);
           (void)user;
           if (irl_expr_op(e) != IRL_OP_DIV || irl_expr_float_value(by) != 2) return e;
           by = irl_expr_float(cx, irl_expr_type(e), 0.5);
           return irl_expr_op2(cx, IRL_OP_MUL, irl_expr_arg(e, 0), by);
       }
       f = irl_func_rewrite(f, no_div, NULL);
   examples/16_pass.c finds divisions in innermost loops, and removes some of them. New statements
   and buffers get the place of the statement that is being rewritten. A node that is not changed
   stays the same object; a statement that changes only inside keeps its place, notes and id. The
   result is verified, as after a pass of the library. NULL with a diagnostic. Cost: linear. */
typedef const irl_expr *irl_rewrite_fn(void *user, irl_ctx *cx, const irl_expr *e);
typedef struct irl_rewrite_options {
    irl_rewrite_fn    *expr;
    const irl_stmt   *(*stmt)(void *user, irl_ctx *cx, const irl_stmt *s);
    const irl_buffer *(*buffer)(void *user, irl_ctx *cx, const irl_buffer *b);
    int               (*enter)(void *user, const irl_stmt *s);
    void              *user;
} irl_rewrite_options;
IRL_API irl_func *irl_func_rewrite(const irl_func *f, irl_rewrite_fn *expr, void *user);
IRL_API irl_func *irl_func_rewrite_with(const irl_func *f, const irl_rewrite_options *how);

/* Rewrite a statement or an expression. The result is not verified. */
IRL_API const irl_stmt *irl_stmt_rewrite(irl_ctx *cx, const irl_stmt *s,
                                         const irl_rewrite_options *how);
IRL_API const irl_expr *irl_expr_rewrite(irl_ctx *cx, const irl_expr *e,
                                         const irl_rewrite_options *how);

/* Replace variables by expressions of the same types. Extents, strides and offsets of buffers are
   not changed. */
IRL_API const irl_expr *irl_expr_substitute(irl_ctx *cx, const irl_expr *e, int count,
                                            const irl_expr *const *from, const irl_expr *const *to);
IRL_API const irl_stmt *irl_stmt_substitute(irl_ctx *cx, const irl_stmt *s, int count,
                                            const irl_expr *const *from, const irl_expr *const *to);

/* Returns the statement with another child k (irl_stmt_child). It keeps its place, id and notes. */
IRL_API const irl_stmt *irl_stmt_set_child(irl_ctx *cx, const irl_stmt *s, int k,
                                           const irl_stmt *child);

/* Returns s with the place of the statement `of`, which it replaces. If both are loops or both are
   blocks, s also gets the id of `of`, and its notes if s has none. */
IRL_API const irl_stmt *irl_stmt_set_origin(irl_ctx *cx, const irl_stmt *s, const irl_stmt *of);

/* Returns the function with another body. It is verified when it is next lowered, interpreted or
   passed on. */
IRL_API irl_func *irl_func_set_body(const irl_func *f, const irl_stmt *body);

#ifdef __cplusplus
}
#endif

/* ================================================ what the macros above are made of; private */

/* Counting and joining up to 32 arguments. */
#define IRL__COUNT(...) \
    IRL__COUNT_(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, \
                16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define IRL__COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
    a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, n, ...) n
#define IRL__CAT(a, b) IRL__CAT_(a, b)
#define IRL__CAT_(a, b) a##b
#define IRL__STRING(...) IRL__STRING_(__VA_ARGS__)
#define IRL__STRING_(...) #__VA_ARGS__
#define IRL__EXPAND(...) __VA_ARGS__

/* IRL__EACH(f, a, b, c) is f(a) f(b) f(c) with commas between. */
#define IRL__EACH(f, ...) IRL__CAT(IRL__EACH, IRL__COUNT(__VA_ARGS__))(f, __VA_ARGS__)
#define IRL__EACH1(f, a) f(a)
#define IRL__EACH2(f, a, ...) f(a), IRL__EACH1(f, __VA_ARGS__)
#define IRL__EACH3(f, a, ...) f(a), IRL__EACH2(f, __VA_ARGS__)
#define IRL__EACH4(f, a, ...) f(a), IRL__EACH3(f, __VA_ARGS__)
#define IRL__EACH5(f, a, ...) f(a), IRL__EACH4(f, __VA_ARGS__)
#define IRL__EACH6(f, a, ...) f(a), IRL__EACH5(f, __VA_ARGS__)
#define IRL__EACH7(f, a, ...) f(a), IRL__EACH6(f, __VA_ARGS__)
#define IRL__EACH8(f, a, ...) f(a), IRL__EACH7(f, __VA_ARGS__)
#define IRL__EACH9(f, a, ...) f(a), IRL__EACH8(f, __VA_ARGS__)
#define IRL__EACH10(f, a, ...) f(a), IRL__EACH9(f, __VA_ARGS__)
#define IRL__EACH11(f, a, ...) f(a), IRL__EACH10(f, __VA_ARGS__)
#define IRL__EACH12(f, a, ...) f(a), IRL__EACH11(f, __VA_ARGS__)
#define IRL__EACH13(f, a, ...) f(a), IRL__EACH12(f, __VA_ARGS__)
#define IRL__EACH14(f, a, ...) f(a), IRL__EACH13(f, __VA_ARGS__)
#define IRL__EACH15(f, a, ...) f(a), IRL__EACH14(f, __VA_ARGS__)
#define IRL__EACH16(f, a, ...) f(a), IRL__EACH15(f, __VA_ARGS__)
#define IRL__EACH17(f, a, ...) f(a), IRL__EACH16(f, __VA_ARGS__)
#define IRL__EACH18(f, a, ...) f(a), IRL__EACH17(f, __VA_ARGS__)
#define IRL__EACH19(f, a, ...) f(a), IRL__EACH18(f, __VA_ARGS__)
#define IRL__EACH20(f, a, ...) f(a), IRL__EACH19(f, __VA_ARGS__)
#define IRL__EACH21(f, a, ...) f(a), IRL__EACH20(f, __VA_ARGS__)
#define IRL__EACH22(f, a, ...) f(a), IRL__EACH21(f, __VA_ARGS__)
#define IRL__EACH23(f, a, ...) f(a), IRL__EACH22(f, __VA_ARGS__)
#define IRL__EACH24(f, a, ...) f(a), IRL__EACH23(f, __VA_ARGS__)
#define IRL__EACH25(f, a, ...) f(a), IRL__EACH24(f, __VA_ARGS__)
#define IRL__EACH26(f, a, ...) f(a), IRL__EACH25(f, __VA_ARGS__)
#define IRL__EACH27(f, a, ...) f(a), IRL__EACH26(f, __VA_ARGS__)
#define IRL__EACH28(f, a, ...) f(a), IRL__EACH27(f, __VA_ARGS__)
#define IRL__EACH29(f, a, ...) f(a), IRL__EACH28(f, __VA_ARGS__)
#define IRL__EACH30(f, a, ...) f(a), IRL__EACH29(f, __VA_ARGS__)
#define IRL__EACH31(f, a, ...) f(a), IRL__EACH30(f, __VA_ARGS__)
#define IRL__EACH32(f, a, ...) f(a), IRL__EACH31(f, __VA_ARGS__)
#define IRL__PARAMETER(v) irl_index v
/* The size of the object that an argument points to; and whether it is a number, if the compiler
   can tell (classes of GCC: 1 to 4 are integers, 8 is a float; others are pointers, arrays,
   structs). */
#define IRL__SIZE_BEHIND(p) sizeof *(p)
#if defined(__GNUC__) && !defined(__TINYC__)
#define IRL__CLASS_BEHIND(p) __builtin_classify_type(*(p))
#define IRL__IS_NUMBER(p) \
    (IRL__CLASS_BEHIND(p) == 8 || (IRL__CLASS_BEHIND(p) > 0 && IRL__CLASS_BEHIND(p) < 5))
#else
#define IRL__IS_NUMBER(p) 0
#endif
#ifdef __cplusplus
#define IRL__MAKE(type, ...) (type{ __VA_ARGS__ })
#else
#define IRL__MAKE(type, ...) ((type){ __VA_ARGS__ })
#endif
#define IRL__PARAMETERS(in) IRL__EACH_IN(IRL__PARAMETER, IRL__EXPAND in)
#define IRL__EACH_IN(f, ...) IRL__EACH(f, __VA_ARGS__)
/* The compiler's message shows this name if the parentheses of a group of outputs are missing:
   IRL_LAYOUT(a, (i, j), j, i). */
#define IRL__UNWRAP(group) IRL_LAYOUT_outputs_need_parentheses group
#define IRL_LAYOUT_outputs_need_parentheses(...) __VA_ARGS__

#endif /* IRLAYOUT_H: stop here if you only want the API */

/* ================================================================== >>implementation */

#if defined(IRLAYOUT_IMPLEMENTATION) && !defined(IRLAYOUT_IMPLEMENTATION_DONE)
#define IRLAYOUT_IMPLEMENTATION_DONE
#include "src/base/ds_begin.h"
/* base: allocator, arena, interning, diagnostics, text builder */
#include "src/base/checked.c"
#include "src/base/work.c"
#include "src/base/memory.c"
#include "src/base/intern.c"
#include "src/base/ptr_map.c"
#include "src/base/text.c"
#include "src/base/identifier.c"
#include "src/base/near.c"
#include "src/base/file.c"
#include "src/base/diag.c"
#include "src/base/context.c"
/* ir: types, operators, expressions, statements, functions, modules; verify */
#include "src/ir/type.c"
#include "src/ir/number.c"
#include "src/ir/scalar.c"
#include "src/ir/expr.c"
#include "src/ir/valuation.c"
#include "src/ir/lanes.c"
#include "src/ir/buffer.c"
#include "src/ir/bitfield.c"
#include "src/ir/span.c"
#include "src/ir/fields.c"
#include "src/ir/stmt.c"
#include "src/ir/visit.c"
#include "src/ir/map_data.c"
#include "src/ir/packed.c"
#include "src/ir/texel.c"
#include "src/ir/externs.c"
#include "src/ir/func.c"
#include "src/ir/equal.c"
#include "src/ir/hash.c"
#include "src/ir/declare.c"
#include "src/ir/record.c"
#include "src/ir/verify_expr.c"
#include "src/ir/verify_field.c"
#include "src/ir/verify_buffer.c"
#include "src/ir/verify_extern.c"
#include "src/ir/verify.c"
#include "src/ir/builders.c"
#include "src/ir/image_sums.c"
#include "src/ir/read.c"
#include "src/ir/rewrite.c"
/* text: the language of expressions, maps and records */
#include "src/text/decimal.c"
#include "src/text/print_names.c"
#include "src/text/print_expr.c"
#include "src/text/print_record.c"
#include "src/text/lex.c"
#include "src/text/parse_names.c"
#include "src/text/parse_value.c"
#include "src/text/parse_expr.c"
#include "src/text/parse_map.c"
#include "src/text/parse_record.c"
/* target: what a target can do */
#include "src/target/target.c"
#include "src/target/target_check.c"
#include "src/target/target_text.c"
#include "src/target/vectors.c"
/* arith: exact integer reasoning: ranges, divisibility, simplification */
#include "src/arith/interval.c"
#include "src/arith/analyzer.c"
#include "src/arith/range.c"
#include "src/arith/modular.c"
#include "src/arith/sum.c"
#include "src/arith/product.c"
#include "src/arith/sum_expr.c"
#include "src/arith/monomial.c"
#include "src/arith/facts.c"
#include "src/arith/order.c"
#include "src/arith/divmod.c"
#include "src/arith/sum_merge.c"
#include "src/arith/minmax.c"
#include "src/arith/compare.c"
#include "src/arith/logic.c"
#include "src/arith/lanes.c"
#include "src/arith/bits.c"
#include "src/arith/simplify.c"
#include "src/arith/prove.c"
#include "src/arith/affine.c"
#include "src/arith/reach.c"
#include "src/arith/defined.c"
#include "src/arith/keep.c"
#include "src/arith/solve_known.c"
#include "src/arith/solve_sum.c"
#include "src/arith/solve_divmod.c"
#include "src/arith/solve.c"
#include "src/arith/shape.c"
#include "src/arith/public.c"
/* map: index maps: apply, shape, compose, verdict, inverse */
#include "src/map/program.c"
#include "src/map/points.c"
#include "src/map/change_factor.c"
#include "src/map/values.c"
#include "src/map/change_vars.c"
#include "src/map/change_uses.c"
#include "src/map/change_sum.c"
#include "src/map/change_turn.c"
#include "src/map/change_split.c"
#include "src/map/change_fuse.c"
#include "src/map/change_onto.c"
#include "src/map/change_solve.c"
#include "src/map/change.c"
#include "src/map/change_box.c"
#include "src/map/apply.c"
#include "src/map/digits.c"
#include "src/map/enumerate.c"
#include "src/map/padding.c"
#include "src/map/inverse.c"
#include "src/map/witness.c"
#include "src/map/growth.c"
#include "src/map/lookup.c"
#include "src/map/c_layout.c"
#include "src/map/json.c"
#include "src/map/verdict_text.c"
#include "src/map/verdict.c"
#include "src/map/refute.c"
#include "src/map/extents.c"
#include "src/map/check.c"
#include "src/map/check_bits.c"
#include "src/map/box.c"
#include "src/map/equal.c"
#include "src/map/build.c"
#include "src/map/modes.c"
#include "src/map/pack.c"
#ifndef IRLAYOUT_NO_DMA
#include "src/map/dma_sequence.c"
#include "src/map/dma_grid.c"
#include "src/map/dma_groups.c"
#include "src/map/dma_bits.c"
#include "src/map/dma_fit.c"
#include "src/map/dma.c"
#include "src/map/dma_text.c"
#endif
#ifndef IRLAYOUT_NO_PROOF
/* proof: why a round trip gives back what went in */
#include "src/proof/explain.c"
#include "src/proof/proof.c"
#endif
/* func: the language of statements, functions and modules */
#include "src/func/print_func.c"
#include "src/func/parse_buffer.c"
#include "src/func/parse_seq.c"
#include "src/func/parse_reduce.c"
#include "src/func/parse_expand.c"
#include "src/func/parse_block.c"
#include "src/func/parse_stmt.c"
#include "src/func/parse_extern.c"
#include "src/func/parse_func.c"
#include "src/func/record_pack.c"
/* plan: an image for a tensor, places in one memory */
#include "src/plan/greedy.c"
#include "src/plan/exact.c"
#include "src/plan/arena.c"
#include "src/plan/images.c"
#include "src/plan/texture.c"
#ifndef IRLAYOUT_NO_PICTURES
/* show: pictures */
#include "src/show/svg.c"
#include "src/show/panel.c"
#include "src/show/holders.c"
#include "src/show/marks.c"
#include "src/show/show_text.c"
#include "src/show/show_svg.c"
#include "src/show/show_bits.c"
#include "src/show/picture.c"
#endif
#ifndef IRLAYOUT_MAPS_ONLY
/* analysis: what statements do to memory */
#include "src/analysis/images.c"
#include "src/analysis/sizes.c"
#include "src/analysis/accesses.c"
#include "src/analysis/recover.c"
#include "src/analysis/linear.c"
#include "src/analysis/poly.c"
#include "src/analysis/system.c"
#include "src/analysis/decide.c"
#include "src/analysis/pair.c"
#include "src/analysis/meeting.c"
#include "src/analysis/commute.c"
#include "src/analysis/kinds.c"
#include "src/analysis/infer_kinds.c"
#include "src/analysis/beside.c"
#include "src/analysis/tiles.c"
#include "src/analysis/carries.c"
#include "src/analysis/fence.c"
#include "src/analysis/kernel.c"
#include "src/analysis/always.c"
#include "src/analysis/supply.c"
#include "src/analysis/liveness.c"
#include "src/analysis/dependence.c"
#include "src/analysis/path.c"
#include "src/analysis/region.c"
#include "src/analysis/declared.c"
#include "src/analysis/parts.c"
#include "src/analysis/iterations.c"
#include "src/analysis/bounds.c"
#include "src/analysis/lattice.c"
#include "src/analysis/boxes.c"
#include "src/analysis/formula.c"
#include "src/analysis/cost.c"
#include "src/plan/module.c"
#include "src/plan/hold.c"
#include "src/plan/arrays.c"
#include "src/plan/arrays_text.c"
#include "src/plan/plan_text.c"
#ifndef IRLAYOUT_NO_PICTURES
#include "src/show/show_plan.c"
#include "src/show/nest.c"
#endif
/* pass: layouts and scopes that a user sets; one file for each pass; pipeline.c lists them */
#include "src/pass/wraps.c"
#include "src/pass/set_layout.c"
#include "src/pass/set_scope.c"
#include "src/pass/cut.c"
#include "src/pass/arrange.c"
#include "src/pass/whole_store.c"
#include "src/pass/layout_shape.c"
#include "src/pass/layout_symbolic.c"
#include "src/pass/layout_padding.c"
#include "src/pass/layout_lanes.c"
#include "src/pass/layouts.c"
#include "src/pass/check_bounds.c"
#include "src/pass/check_blocks.c"
#include "src/pass/lower_blocks.c"
#include "src/pass/apply_layouts.c"
#include "src/pass/keep_loops.c"
#include "src/pass/parallelize.c"
#include "src/pass/split_loops.c"
#include "src/pass/flatten.c"
#include "src/pass/bits_place.c"
#include "src/pass/bits_whole.c"
#include "src/pass/bits_loop.c"
#include "src/pass/bits_barrier.c"
#include "src/pass/bits_parallel.c"
#include "src/pass/legalize_bits.c"
#include "src/pass/fit_views.c"
#include "src/pass/check_parallel.c"
#include "src/pass/halves.c"
#include "src/pass/simplify_func.c"
#include "src/pass/arrange_loops.c"
#include "src/pass/vectorize.c"
#include "src/pass/texture_places.c"
#include "src/pass/texture_nest.c"
#include "src/pass/texture_unused.c"
#include "src/pass/lower_textures.c"
#include "src/pass/unswitch.c"
#include "src/pass/private_extents.c"
#include "src/pass/hoist_shared.c"
#include "src/pass/unroll.c"
#include "src/pass/registers.c"
#include "src/pass/run_shifts.c"
#include "src/pass/type_memory.c"
#include "src/pass/legalize.c"
#include "src/pass/lanes_gather.c"
#include "src/pass/lanes_narrow.c"
#include "src/pass/legalize_lanes.c"
#include "src/pass/split_kernel.c"
#include "src/pass/split_scalars.c"
#include "src/pass/split_host.c"
#include "src/pass/phases.c"
#include "src/pass/serialize.c"
#include "src/pass/share_arrays.c"
#include "src/pass/in_place.c"
#include "src/pass/check_target.c"
#include "src/pass/guard_bounds.c"
#include "src/pass/host_checks.c"
#include "src/pass/pipeline.c"
#include "src/pass/user_pass.c"
#include "src/pass/lower.c"
#endif
#ifndef IRLAYOUT_NO_SCHEDULES
/* schedule: when a function is computed, step after step */
#include "src/schedule/place.c"
#include "src/schedule/kept.c"
#include "src/schedule/steps.c"
#include "src/schedule/named.c"
#include "src/schedule/spots.c"
#include "src/schedule/refusal.c"
#include "src/schedule/names.c"
#include "src/schedule/names_after.c"
#include "src/schedule/window.c"
#include "src/schedule/loops.c"
#include "src/schedule/order.c"
#include "src/schedule/inits.c"
#include "src/schedule/flow.c"
#include "src/schedule/copies.c"
#include "src/schedule/caches.c"
#include "src/schedule/reindex.c"
#include "src/schedule/cache_padded.c"
#include "src/schedule/memory.c"
#include "src/schedule/sequence.c"
#include "src/schedule/distribute.c"
#include "src/schedule/reduction.c"
#include "src/schedule/compose_store.c"
#include "src/schedule/tighten.c"
#include "src/schedule/compose.c"
#include "src/schedule/inline.c"
#include "src/schedule/share.c"
#include "src/schedule/move.c"
#include "src/schedule/back_order.c"
#include "src/schedule/compute_at.c"
#include "src/schedule/rolling.c"
#include "src/schedule/transform_layout.c"
#include "src/schedule/block_layout.c"
#include "src/schedule/rfactor.c"
#include "src/schedule/pad.c"
#include "src/schedule/blockize.c"
#include "src/schedule/regions.c"
#include "src/schedule/frame.c"
#include "src/schedule/scheduled.c"
#endif
#ifndef IRLAYOUT_NO_AUTO
#include "src/schedule/auto_point.c"
#include "src/schedule/auto_border.c"
#include "src/schedule/auto_nest.c"
#include "src/schedule/auto_write.c"
#include "src/schedule/auto_copy.c"
#include "src/schedule/auto_tile.c"
#include "src/schedule/auto_parts.c"
#include "src/schedule/auto_pad.c"
#include "src/schedule/auto_fuse.c"
#include "src/schedule/auto_split.c"
#include "src/schedule/auto_arrange.c"
#include "src/schedule/auto_gather.c"
#include "src/schedule/auto_stream.c"
#include "src/schedule/auto_group.c"
#include "src/schedule/auto_group_write.c"
#include "src/schedule/auto_group_tree.c"
#include "src/schedule/auto_group_items.c"
#include "src/schedule/auto.c"
#include "src/schedule/auto_join.c"
#include "src/schedule/auto_apart.c"
#include "src/schedule/auto_list.c"
#include "src/schedule/auto_rows.c"
#endif
#ifndef IRLAYOUT_MAPS_ONLY
/* eval: what a function's arguments are; the reference interpreter */
#include "src/eval/ulp.c"
#include "src/eval/arguments.c"
#include "src/eval/packed.c"
#include "src/eval/calls.c"
#include "src/eval/host.c"
#endif
#ifndef IRLAYOUT_NO_INTERPRETER
#include "src/eval/survey.c"
#include "src/eval/partial.c"
#include "src/eval/storage.c"
#include "src/eval/rounding.c"
#include "src/eval/evaluate.c"
#include "src/eval/views.c"
#include "src/eval/temporaries.c"
#include "src/eval/items.c"
#include "src/eval/launch.c"
#include "src/eval/execute.c"
#include "src/eval/interpret.c"
#endif
#ifndef IRLAYOUT_NO_GRAPHS
/* graph: functions as nodes, tensors as edges */
#include "src/graph/graph.c"
#include "src/graph/print_graph.c"
#include "src/graph/parse_graph.c"
#include "src/graph/json_read.c"
#include "src/graph/write_json.c"
#include "src/graph/graph_of_json.c"
#include "src/graph/special.c"
#include "src/graph/whole.c"
#include "src/graph/lower_graph.c"
#include "src/graph/places.c"
#ifndef IRLAYOUT_NO_SCHEDULES
#include "src/graph/fuse.c"
#endif
#endif
#ifndef IRLAYOUT_MAPS_ONLY
/* emit: what the emitters of C-like languages share */
#include "src/emit/emit_names.c"
#include "src/emit/emit_number.c"
#include "src/emit/emit_index.c"
#include "src/emit/emit_expr.c"
#include "src/emit/emit_cursor.c"
#include "src/emit/emit_stmt.c"
#include "src/emit/emit_type.c"
#include "src/emit/emit_survey.c"
#include "src/emit/emit_needed.c"
#include "src/emit/emit_memory.c"
#include "src/emit/emit_convert.c"
#include "src/emit/emit_helper.c"
#include "src/emit/emit_comment.c"
#include "src/emit/emit_facts.c"
#include "src/emit/emit_unit.c"
#include "src/emit/c_lanes.c"
#include "src/emit/c_vector.c"
#include "src/emit/c_helper.c"
#include "src/emit/c_index.c"
#include "src/emit/c_low.c"
#include "src/emit/c_func.c"
#include "src/emit/c_checked.c"
#include "src/emit/c_host.c"
#include "src/emit/c_language.c"
#include "src/emit/c_program.c"
#include "src/emit/c_spread.c"
#include "src/emit/c_field.c"
#include "src/emit/c_layout.c"
#include "src/emit/c_record.c"
#endif
#ifndef IRLAYOUT_NO_GLSL
/* glsl: compute shaders for Vulkan */
#include "src/glsl/glsl_type.c"
#include "src/glsl/glsl_helper.c"
#include "src/glsl/glsl_image.c"
#include "src/glsl/glsl_vector.c"
#include "src/glsl/glsl_run.c"
#include "src/glsl/glsl_language.c"
#include "src/glsl/emit_glsl.c"
#endif
#include "src/base/ds_end.h"
#endif
