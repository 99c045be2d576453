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
       Settings, and parts that you can leave out, are listed under CONFIGURATION below.

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
       irl_walk walk = { NULL, is_division, NULL, NULL, NULL };
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
   If a kernel computes a * b + c of floats, the last bits may differ, because lowering rounds it
   once. Then do one of three things: interpret irl_module_scheduled(m), the function after its
   schedule; compare with irl_array_beyond, which uses computed error bounds (>>running); or write
   attr(numbers = "strict") in the kernel.
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
   step. Only rounding may change: a * b + c may be rounded once (the step `contract`), and the
   terms of a sum may be added in another order.
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

   19. Lower a graph of functions to one module, after fusing nodes that compute each element of the
   result from one element of the input, at any index.
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
       puts(irl_dma_c(cx, list, "turn"));      also a C function turn_play, which makes these copies

   22. Ask whether the iterations of a loop depend on each other: whether two of them touch one
   element that one of them writes. Here the loop is the one around the first access.
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

   25. Put your own pass into the pipeline: here `census`, which counts the kernels of the module m
   (>>lowering shows it). The fields: its name; the pass before which it runs, or NULL; the pass
   after which it runs, or NULL; the function; its user pointer.
       int               kernels = 0;
       irl_pass_desc     mine = { "census", NULL, "serialize", census, &kernels };
       irl_lower_options how = { 0 };
       how.passes = &mine;
       how.pass_count = 1;
       irl_module *m = irl_func_lower_with(irl_kernel(cx, &plus), &irl_target_opencl12, &how);

   26. Rewrite expressions (>>reading shows the function `no_div`, which replaces x / 2 by x * 0.5).
       irl_func *f = irl_kernel(cx, &plus);
       f = irl_func_rewrite(f, no_div, NULL);
       puts(irl_func_text(f));

   27. Describe your own device: copy one of the library's targets and change some of its fields.
       irl_target mine = irl_target_opencl12;
       mine.name = "mygpu8";
       mine.widths = 1 << 0 | 1 << 1 | 1 << 3;       bit k: vectors of k + 1 lanes, here 1, 2 and 4
       irl_module *m = irl_func_lower(irl_kernel(cx, &plus), irl_target_new(cx, &mine));

   WHAT IT DOES NOT DO (docs/limits.md has the full list, with ways around)
     run C or GLSL            C and GLSL are emitted as texts; your program compiles and dispatches
                              them. irlayout_ocl.h does run OpenCL.
     interpret fast           the interpreter takes about a microsecond for each statement; it is
                              for tests
     guess                    a layout is IRL_UNDECIDED if no rule proves it and it is too large to
                              enumerate. irl_func_assume_layout accepts it on your word.
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
   functions that are compiled; README.md has the compile times. `make compile-times` measures
   both. A name such as >>graphs is a section of this file: search for the mark.
     switch                        leaves out                                          functions
     (none)                        nothing                                                  7116
     IRLAYOUT_NO_SCHEDULES    all  irl_schedule and the functions that carry out, list      5700
                                   or parse steps, irl_graph_fuse, and what
                                   IRLAYOUT_NO_AUTO leaves out
     IRLAYOUT_NO_AUTO         all  irl_schedule_auto; irl_func_lower then schedules a       6659
                                   nest by parallel() alone
     IRLAYOUT_NO_GRAPHS       all  >>graphs and irl_ocl_graph_load                          6902
     IRLAYOUT_NO_DMA          all  >>dma                                                    6954
     IRLAYOUT_NO_PICTURES     all  >>pictures, irl_func_picture and irl_plan_svg            6985
     IRLAYOUT_NO_GLSL         all  irl_glsl_source and the other irl_glsl_...               7051
     IRLAYOUT_NO_INTERPRETER  all  irl_func_interpret and similar functions                 6889
     IRLAYOUT_NO_PROOF        all  irl_map_roundtrip_proof                                  7071
     (all of these)                all of these; functions to C and OpenCL C remain         4879
     IRLAYOUT_MAPS_ONLY       all  >>analysis, >>schedules, >>lowering with                 2686
                                   irl_c_layout_source (irlayout_map.h has it),
                                   plans of modules, >>running, >>graphs, OpenCL.
                                   Layouts, verdicts, records, pictures, textures,
                                   packing functions, DMA lists, >>building and
                                   >>reading remain.
     irlayout_map.h                (another file) all but layouts, verdicts, pictures,      1754
                                   records and C of a layout
     IRL_NO_LIBC_ALLOCATOR    one  malloc and files: a context then needs an                   -
                                   allocator or a block
     IRL_NO_FILES             one  stdio: a diagnostic of a macro then shows the macro's       -
                                   text instead of the line of its file

   WORDS
       point          the values of all logical indices, such as (y, x)
       cell           one element of memory; a map takes a point to a cell
       shape          the extents of all axes of a buffer
       nest           a loop with everything inside it
       lane           one number of a vector
       texel          one element of an image, usually a vector of 4 lanes
       text           a string (char *) in the library's language, or one meant for people
       symbolic size  a size that is not a number but a variable, such as N in f32[N]. A name in
                      a shape or a map is such a size

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
   irl_func_interpret and similar functions call it, and irl_ocl_run calls it for the host function.
   Emitted code calls the C function of that name instead.

   It must set *result and return 1. It must return 0 if there is no function of that name, or if
   the function failed. An integer is in the field `integer`, a float in `number`. An argument that
   is memory is given by `pointer`, its first byte, and `bytes`, the number of bytes from there. If
   the result is a pointer, as in let h = extern(ptr(f32, global), name, 64);, set both fields. You
   must keep the memory of that result valid until the run ends. The run works in this memory,
   without a copy; if the run fails later, what it has written there stays. */
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

/* Returns a new context. It returns NULL if memory is out, if the block is too small, or if only
   one function of the allocator is set. `desc` may be NULL. Cost: the context grows with the work
   that is done in it. The verdict of a small layout takes about 50 KiB (examples/06_firmware.c);
   irl_ctx_memory measures it. */
IRL_API irl_ctx *irl_ctx_create(const irl_ctx_desc *desc);

/* Frees the context and everything made in it. NULL is legal. */
IRL_API void irl_ctx_destroy(irl_ctx *cx);

/* The memory of a context: the bytes that it holds now, the most bytes that it ever held, and how
   large a block suffices for the same work. The block must be aligned for any scalar. `block` is
   larger than `peak`, because memory in a block can be used again only if it was allocated last. A
   block is used up to its end, so a somewhat smaller one may do. To size a block, run the work once
   with malloc. */
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
    char     remedy[384]; /* what to write, what the schedule's step requires, or irl_code_remedy */
    /* all of it, as irl_diag_text returns it: place, message, line with a caret, remedy */
    char     text[1408];
} irl_diag;

/* Returns 1 if nothing has failed in the context, else 0. It also returns 0 for a NULL context, so
   you need no separate check of irl_ctx_create. */
IRL_API int irl_ok(const irl_ctx *cx);

/* Returns the failure as a text of several lines, without a newline at the end; "" if there is
   none. The text is owned by the context. */
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
#define IRL_TYPE_ROW(name, ...) IRL_##name,
#include "src/ir/types.h"
    IRL__SCALAR_COUNT
} irl_scalar;

/* The order of bits in buffers whose elements are not whole bytes (docs/grammar.md, "Bits").
   IRL_BITS_LSB: the first bit of a byte is the least significant one; a number begins with its
   least significant bit, and its low byte comes first. IRL_BITS_MSB: the first bit is the most
   significant one; a number begins with its most significant bit, and its high byte comes first. */
typedef enum irl_bit_order { IRL_BITS_LSB, IRL_BITS_MSB } irl_bit_order;

/* What the n bits of an element are. IRL_NORM_NONE: a value of its type. IRL_NORM_UNSIGNED: an
   integer c that represents the f32 number c / (2^n - 1), from 0 to 1. IRL_NORM_SIGNED: a signed
   c represents c / (2^(n-1) - 1), and the least c also -1. These are unorm and snorm as in OpenGL
   and Vulkan. A store clamps the number and rounds it to the nearest c, ties to even; a NaN is
   stored as 0, or as -1 if signed. */
typedef enum irl_bit_norm { IRL_NORM_NONE, IRL_NORM_UNSIGNED, IRL_NORM_SIGNED } irl_bit_norm;

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

/* The type of a value: a scalar type and a number of lanes. A type may also be that of a pointer to
   such elements in a scope. Compare types with irl_type_equal. */
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

/* Returns the type as a text: "f32", "i8x4", "ptr(f32, global)". The text is owned by the
   context. */
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
    /* if the shape has names: -1 for each extent that is not a number */
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

   irl_map_check says whether the C function and the text agree. For this it uses the irl_index with
   which the line was compiled, even if irl_map_check was compiled with another one. The C function
   and the text agree if every intermediate result fits irl_index and no dividend is negative. (C
   truncates a quotient, and the text rounds it down.) For a dividend that may be negative write
   irl_floordiv(a, b) and irl_floormod(a, b), which mean the same in both. */
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
   type does not compile. (Pass a float as a parameter of the kernel, s: f32.) Each argument must be
   a single name: the functions that take constants refuse IRL_LET(W + 1). Write enum { N = W + 1 };
   and IRL_LET(N) instead. */
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
   BAD_MAP, ... The diagnostic shows the line and column of the mistake in the macro. Cost: linear
   in the text, so call it once and keep the map. */
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
   diagnostic. The shape is the box of irl_map_shape, except along axes that are remainders (`c %
   4`) or are built from remainders alone. Such an axis always gets as many cells as the remainder
   has values: `c % 4` gets 4 cells, even for three channels. y % 64 / 8 and y / 8 % 8 get 8 cells,
   y % 64 / 8 * 8 + x % 8 gets 64, and x % 8 * 2 gets 16, as x * 2 % 16 does. Packing,
   irl_func_set_layout and irl_verdict.memory use this shape. */
IRL_API int irl_map_memory(irl_ctx *cx, const irl_map *map, irl_shape shape, irl_shape *memory);

/* Does the same as irl_map_shape, but for the points first, first + 1, ... first + shape - 1 along
   each axis: the points of a loop's range, or of one tile.
       (i) -> (i/4, i%4), first 6, shape 4:   minimum [1, 0], physical [3, 4] */
IRL_API int irl_map_ranges(irl_ctx *cx, const irl_map *map, irl_shape first, irl_shape shape,
                           irl_shape *physical, irl_shape *minimum);

/* Returns the composed map R, simplified: R(i) = outer(inner(i)) at every i at which the right side
   has a value. R may have a value at points where the right side has none: `inner` may have no
   value there, or the right side may overflow in a sum that R no longer contains. The separators of
   R are those of `outer`. The call returns NULL with IRL_ERROR_RANK_MISMATCH unless `outer` has as
   many inputs as `inner` has outputs. */
IRL_API const irl_map *irl_map_compose(irl_ctx *cx, const irl_map *outer, const irl_map *inner);

/* Returns the map for points of `rank` axes: axes with names replace "...", and the identity
   replaces the empty map () -> (). Any other map is returned unchanged. The call returns NULL with
   a diagnostic if the map has another number of inputs. */
IRL_API const irl_map *irl_map_of_rank(irl_ctx *cx, const irl_map *map, int rank);

/* Returns the identity of `rank` axes. */
IRL_API const irl_map *irl_map_identity(irl_ctx *cx, int rank);

/* Returns a map made of these parts; the lists are copied. The inputs must be different variables
   of type index. The outputs must be expressions over the inputs and over parameters
   (irl_map_check), and contain only integers and bools. The call returns NULL with
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

/* Return maps with tiles whose elements need not be adjacent: a tile may be every second element.
   (CuTe calls them logical_divide and logical_product.) A tile is a list of modes. A mode is an
   extent s and a stride d, which CuTe writes s:d: s elements at distance d. Elements of a tile are
   numbered so that the first mode counts fastest. Sorted by stride, each stride must be a multiple
   of the next smaller stride times the extent of its mode; otherwise the functions return NULL with
   IRL_ERROR_BAD_ARGUMENT. The tile and its shifted copies then cover every index once. Copies are
   numbered by their first index.
       divide    two axes replace axis a: the number of the copy that contains index i, and the
                 number of i within this copy
                     irl_map_divide(cx, 1, 0, IRL_SHAPE(4), IRL_SHAPE(2))
                                                        (i0) -> (i0/8*2 + i0%2, i0/2%4)
                 Here the even elements of every eight are one tile, the odd elements the next.
                 Injective for every extent.
       product   the opposite. The inputs are first the modes of `outer`, which give the number of a
                 copy (the sum of each input times its stride), then the modes of the tile. The
                 output is the index of the element
                   irl_map_product(cx, IRL_SHAPE(2, 2), IRL_SHAPE(4, 1), IRL_SHAPE(6), IRL_SHAPE(1))
                                                    (i0, i1, i2) -> (i0/2*8 + i1*4 + i0%2*2 + i2)
                 Injective if different points of `outer` give different copies. To split an array
                 into blocks by factors f, each above 1, and to use this layout in each block,
                 compose the product with irl_map_tile of f. */
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
    /* point a maps to `at`, in which an index is negative, or at least irl_check_options.bound (if
       that is given), or 2^63-1 (no extent is large enough for that) */
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
    /* if the shape has names: BIJECTIVE and INJECTIVE are proved for all values of the names.
       LOSSY, OUT_OF_RANGE, C_DIFFERS and UNDEFINED hold for some values, which are in `values` */
    irl_verdict_kind kind;
    /* the code with which irl_func_lower and other functions refuse such a map. The exit status of
       irlc is its irl_code_outcome. IRL_OK for BIJECTIVE and INJECTIVE; IRL_ERROR_DIVISION_BY_ZERO,
       OVERFLOW or BAD_VALUE for UNDEFINED */
    irl_code         code;
    /* the method of the proof: "identity", "mixed-radix decomposition", "enumeration", ...; "" if
       undecided */
    const char      *method;
    /* the shape that was checked; as numbers if all extents are constants */
    irl_shape        shape;
    irl_shape        minimum;  /* least index along each physical axis */
    /* largest index along each physical axis, plus one. If the shape has names, a formula that
       could be negative is put into max(..., 0), so that no extent is negative */
    irl_shape        physical;
    /* the shape of the buffer in memory: irl_map_memory. Its cells beyond `physical` are unused
       too */
    irl_shape        memory;
    /* 1: minimum, physical and memory are valid, even if the verdict is undecided; 0: ignore
       them */
    int              box_known;
    /* if box_known is 1: 1 if the box is proved to be the smallest, as it always is without names.
       If the shape has names, a remainder or a quotient may prevent the proof; the box then still
       contains every cell that a point maps to */
    int              box_reached;
    /* the number of unused cells within `physical` (not within `memory`). -1: it exceeds 63 bits,
       or is a formula (pad_cells_named). 0 if the verdict is neither BIJECTIVE nor INJECTIVE */
    int64_t          pad_cells;
    /* the same as a formula, if the shape has names and `inverse` is not NULL; else NULL */
    const struct irl_expr *pad_cells_named;
    /* for LOSSY (a, b, at), OUT_OF_RANGE and C_DIFFERS (a, at), UNDEFINED (a) */
    irl_shape        a, b, at;
    /* for LOSSY: a point that is out of range, and the cell it maps to. The rank of outside_at is 0
       if no point is out of range or if the box is not known. If the shape has names, the point is
       out of range for `values` */
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

   If the shape or the map has names, the answer holds for all their values from 1 on, as long as
   every index and every extent of the box fits 63 bits. Enumeration is then impossible. If there is
   no proof, small values of the names are tried: the verdict then gives values and a witness that
   refute the layout, or it is UNDECIDED. For an IRL_LAYOUT it is proved that C's divisions round as
   those of the text do. Whether every number fits irl_index is only checked for shapes without
   names.
       const irl_expr *n = irl_expr_var(cx, "N", irl_type_of(IRL_INDEX, 1));
       irl_verdict v = irl_map_check(cx, irl_map_parse(cx, "(i) -> (i/4, i%4)"),
                                     irl_shape_of(1, &n));
   The text of this verdict is injective into [(N + 3)/4, min(N, 4)]. The unused cells are those
   with N <= axis0*4 + axis1.

   If the check cannot be made (wrong rank, out of memory), the verdict is UNDECIDED. The diagnostic
   is in the context, and its message in `reason`.

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

/* Returns the word for a kind of verdict, such as "bijective". */
IRL_API const char *irl_verdict_name(irl_verdict_kind kind);

/* Returns the verdict as JSON on one line, owned by the context: {"map": ..., "shape": ..., "min":
   ..., "physical": ..., "memory": ..., "verdict": ..., "method": ..., "inverse": ..., "padding":
   ..., "pad_cells": ..., "witness": {"a": ..., "b": ..., "at": ...}, "reason": ...}. A field that
   does not apply is null. "padding" and "pad_cells" are about the whole memory: they include the
   unused cells beyond the box, which "verdict" does not count. If the shape has names, a value that
   is not a number is a string, and there are also the members "box_reached", "where", "condition"
   and "values". The JSON does not contain `bytes`, so it is the same in every context; `irlc check
   --json` adds it. */
IRL_API const char *irl_verdict_json(irl_ctx *cx, const irl_map *map, const irl_verdict *verdict);

/* Returns any text as a JSON string, with its quotes; "null" for NULL. Bytes that are not UTF-8
   become \u00XX. The result is owned by the context. */
IRL_API const char *irl_json_text(irl_ctx *cx, const char *text);

/* Returns the inverse (axis0, axis1, ...) -> (...) of an injective map, after checking the map.
   *padding becomes a predicate over the inputs of the inverse that is true for exactly the unused
   cells of the physical box; `padding` may be NULL. The function returns NULL with a diagnostic if
   the map is lossy, out of range, undefined or undecided. If the shape has names, it also returns
   NULL if the map is not proved for all values of the names. */
IRL_API const irl_map *irl_map_inverse(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                       const struct irl_expr **padding);

typedef enum irl_answer { IRL_UNKNOWN = 0, IRL_YES, IRL_NO } irl_answer;

/* A point at which two maps differ. Its rank is -1 if the maps differ in rank. If the shape has
   names, `values` are values of the parameters for which the maps differ; without names it is NULL.
   */
typedef struct irl_difference {
    irl_shape                     point;
    int                           parameter_count;
    const struct irl_expr *const *parameters;
    const int64_t                *values;
} irl_difference;

/* Returns IRL_YES if two maps take every point of the shape to the same cell; if the shape has
   names, for all values of the names from 1 on. It returns IRL_NO if they differ, and *difference
   becomes a point at which they do; `difference` may be NULL. If the shape has names, small values
   and the constants in the maps are tried to find a difference. The call returns IRL_UNKNOWN if the
   simplifier cannot prove equality and no difference is found in as many points as the context's
   most_work allows. It returns IRL_UNKNOWN with a diagnostic if an argument is wrong or a map has
   no value at some point. */
IRL_API irl_answer irl_map_equal(irl_ctx *cx, const irl_map *a, const irl_map *b, irl_shape shape,
                                 irl_difference *difference);

/* ================================================================== >>records */

/* A record: fields of 1 to 64 bits at fixed offsets in a block of bytes. Immutable. This example
   reads one from a text (docs/grammar.md, "Records"):
       static const char  text[] = "record q4_0 bytes(18) { s: f16; q: u4[2, 16] strides(4, 8); }";
       const irl_record  *block = irl_record_parse(cx, text, IRL_TO_NUL, NULL);
       irl_record_verdict bits = irl_record_check(block);
       puts(irl_record_verdict_text(block, &bits));
   prints bijective: each of 144 bits belongs to a field. */
typedef struct irl_record irl_record;

typedef struct irl_record_field {
    const char   *name;
    /* the type of a value: the smallest integer type with `bits` bits, or f16, bf16, f32, f64; bool
       with 1 bit; f32 if `norm` is not IRL_NORM_NONE */
    irl_type      type;
    int           bits; /* 1 to 64; at most 24 with `norm` */
    irl_bit_order order;
    int           rank; /* 0: one element */
    int64_t       offset; /* of the first element, in bits, counted in `order` */
    int64_t       extent[IRL_MAX_RANK], stride[IRL_MAX_RANK]; /* strides in bits */
    irl_bit_norm  norm;
    /* 0: each record has the field. k + 1: only those records have it whose field k has a value
       from `least` to `most`. Field k must precede this field, and must be an integer or bool of up
       to 32 bits and one element */
    int           when;
    int64_t       least, most;
} irl_record_field;

/* Returns a record made of these fields. The fields and their names are copied. The function
   accepts fields that overlap or exceed the record; irl_record_check finds them. The call returns
   NULL with a diagnostic if the record is invalid: IRL_ERROR_BAD_TYPE, DUPLICATE_NAME or
   BAD_ARGUMENT. The failure is TOO_LARGE if there are more than 250 fields, more than 2^28 bytes,
   or more than 2^24 parts. (Elements without gaps between them form a run. A part has n bytes if
   all offsets and strides and the sizes of all runs are multiples of n bytes; otherwise a part is
   a bit.) */
IRL_API const irl_record *irl_record_new(irl_ctx *cx, const char *name, int64_t bytes, int count,
                                         const irl_record_field *fields);

/* Returns the record in a text; NULL with a diagnostic on failure. `length` and `file` are as for
   irl_func_parse. */
IRL_API const irl_record *irl_record_parse(irl_ctx *cx, const char *text, size_t length,
                                           const char *file);

/* Returns the record as a text, which parses to an equal record; "" for NULL. The text is owned by
   the context. */
IRL_API const char *irl_record_text(const irl_record *record);

/* Returns 1 if two records are equal. */
IRL_API int irl_record_equal(const irl_record *a, const irl_record *b);

/* Return the name of a record, its size in bytes, and the number of its fields. */
IRL_API const char *irl_record_name(const irl_record *record);
IRL_API int64_t     irl_record_bytes(const irl_record *record);
IRL_API int         irl_record_field_count(const irl_record *record);

/* Returns field k; NULL if there is none. */
IRL_API const irl_record_field *irl_record_field_at(const irl_record *record, int k);

/* Returns whether fields a and b are alternatives: there is no record that has both, because a
   field that both depend on would need two values. Only alternatives may share bits. */
IRL_API int irl_record_are_alternatives(const irl_record *record, int a, int b);

/* The answer about a record. Bits are counted from the least significant bit of byte 0. */
typedef struct irl_record_verdict {
    /* BIJECTIVE: each bit belongs to exactly one field. INJECTIVE: some bits are unused, in each
       record or for some values of the fields on which alternatives depend. LOSSY: element
       a_element of field a and element b_element of field b both contain `bit`, and the fields are
       not alternatives. OUT_OF_RANGE: element b_element of field b needs `bit`, which is outside of
       the record */
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
    int           bits; /* 1 to 64 */
    irl_bit_order order;
    int64_t       offset, stride; /* stride 0: elements are side by side */
    irl_bit_norm  norm;
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
    /* for INJECTIVE; else 0 and -1. first_unused is also -1 if the shape has names, or if it would
       take too long to find it */
    int64_t          unused_bits, first_unused;
    irl_shape        a, b;
    int64_t          bit; /* -1: the memory is not known */
    /* if the shape has names; otherwise NULL. bits_named and unused_named: `bits` and `unused_bits`
       as expressions over irl_verdict.parameters. condition: a predicate that is true for the
       values for which no bit is unused; NULL: not known. values: for LOSSY, values of the
       parameters for which a and b collide */
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

   If elements may overlap and there are names, only small values of the names are tried. The
   verdict is UNDECIDED if no overlap is found for these values. Cost: that of irl_map_check. In
   addition it is linear in the cells before the first unused bit, or in all cells if elements are
   wider than the stride. */
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
   cell; the grid of the memory shows for each cell its point. A word of memory is the innermost
   axis, or a frame; its cells have the same colour in both grids, each darker than the one before.
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
    IRL_PICTURE_COLOUR, /* in characters, with the 256 colours of terminals */
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
       each byte. Unused bits are drawn like unused cells, and bits of two elements like cells of
       two points. NULL: elements are whole bytes */
    const irl_bit_element *bits;
} irl_picture_options;

/* Returns the picture as a text, owned by the context. Lossy maps and maps that are out of range
   are drawn too. The call returns "" with a diagnostic if irl_map_check fails, if the shape has
   names, or if an option is invalid. Cost: that of irl_map_check, and some nanoseconds for each
   point if there are up to 2^20 points. In a larger shape the inverse gives the point of each cell
   that is drawn; if there is no inverse, the cells are drawn as `?`. */
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
   that would change one returns a new object. */
typedef struct irl_func   irl_func;
typedef struct irl_module irl_module;

/* IRL_KERNEL(name, (x: f32[4, 4], y: f32[4, 4]) { ... }) is a function in the language of
   docs/grammar.md. Macros in it are not expanded. To use constants of C, pass them by name:
   irl_kernel_let(cx, &name, IRL_LET(H, W)). With -pedantic, write __extension__ before a kernel
   that is longer than 4095 characters. Sums, products, minima, maxima, means, counts and argmax
   over ranges are expressions. Before the parameters, fn and const define functions of values and
   numbers, whose definitions replace their uses: fn sq(x: f32) -> f32 = x * x; const N = 8;
   (x: f32[N], ...) { ... }. A label such as `a:` names a nest of loops for a schedule:
       IRL_KERNEL(rows, (x: f32[9, 8], y: f32[9]) { a: for (i: 9) y[i] = sum(k: 8, x[i, k]); }); */
#define IRL_KERNEL(name, ...) \
    static const irl_source_text name IRL__UNUSED = { #name, #__VA_ARGS__, __FILE__, __LINE__, 0 }

/* Returns the function of an IRL_KERNEL, in which the values replace the constants' names. Names,
   types, ranks and scopes are checked. The call returns NULL on failure; the diagnostic points into
   the user's file if the file can be read, else into the macro's text. Cost: linear in the text. */
IRL_API irl_func *irl_kernel(irl_ctx *cx, const irl_source_text *kernel);
IRL_API irl_func *irl_kernel_let(irl_ctx *cx, const irl_source_text *kernel,
                                 irl_constants constants);

/* IRL_DEFINITIONS(name, fn ...; const ...;) is a text of definitions that several kernels use.
   irl_kernel_using returns the function of an IRL_KERNEL that may use them; its own definitions
   come after them. Diagnostics point into the macro that has the mistake.
       IRL_DEFINITIONS(common, fn sq(x: f32) -> f32 = x * x; const W = 8;);
       IRL_KERNEL(squared, (x: f32[W], y: f32[W]) { for (i: W) y[i] = sq(x[i]); });
       f = irl_kernel_using(cx, &common, &squared); */
#define IRL_DEFINITIONS(name, ...) \
    static const irl_source_text name IRL__UNUSED = { #name, #__VA_ARGS__, __FILE__, __LINE__, 0 }

IRL_API irl_func *irl_kernel_using(irl_ctx *cx, const irl_source_text *definitions,
                                  const irl_source_text *kernel);

#define IRL_TO_NUL ((size_t)-1)

/* Returns the function in a text that starts with "func name(...)", or the module in a text that
   starts with "module". `length` is in bytes; IRL_TO_NUL means up to the '\0' of a C string. `file`
   names the text in diagnostics and may be NULL. The text is copied. Both functions return NULL on
   failure.
       f = irl_func_parse(cx, "func f(x: f32[8]) { for (i: 8) x[i] = 0; }", IRL_TO_NUL, NULL); */
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

/* Returns the text of a function with its constants by name: the `const` of the file that the
   function was parsed from, and then the function. The text parses to an equal function. If the
   function was changed after it was parsed, its constants are printed as numbers, as irl_func_text
   does.
       f = irl_func_parse(cx, "const N = 8; func f(x: f32[N]) { x[0] = 0; }", IRL_TO_NUL, NULL);
       puts(irl_func_text_named(f)); */
IRL_API const char *irl_func_text_named(const irl_func *f);

/* Return 1 if both are equal; the names of variables that are declared inside may differ. Places in
   the source are not compared; constants are compared bit for bit. */
IRL_API int irl_func_equal(const irl_func *a, const irl_func *b);
IRL_API int irl_module_equal(const irl_module *a, const irl_module *b);

/* Returns a hash of a function; the name of the function is not part of it. Equal functions have
   equal hashes, on every machine and in every run. Equal hashes do not prove that functions are
   equal. The call returns 0 for NULL, or if memory is out. */
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
   memory in each iteration. The call returns NULL on failure (IRL_ERROR_BAD_ARGUMENT if there is no
   such access). Cost: some ten microseconds; after some milliseconds of work the answer is UNKNOWN.
       const irl_meeting *m = irl_func_dependence(irl_kernel(cx, &running), 0, 2);
       if (m->loops[0].is_distance) step = m->loops[0].distance;  -1: of the iteration before */
IRL_API const irl_meeting *irl_func_dependence(const irl_func *f, int a, int b);

/* Returns whether two iterations of a loop touch one element that at least one of them writes. NO
   means that the iterations may run in any order, or all at once. YES comes with two accesses and
   the iterations in which they touch it. The answer is also UNKNOWN if the loop contains a call or
   a barrier. */
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
   IRL_UNKNOWN if their shapes, strides and offsets do not decide that. It also returns IRL_UNKNOWN
   on failure (IRL_ERROR_UNKNOWN_NAME: the function has no such buffer). */
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

/* Access `reader` may read a cell after access `writer` has written it. */
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

/* The kind of an axis of a block. An instance of a block is one run of it, with one value for each
   axis. Spatial: two instances of the block with different values of the axis never touch one cell
   that one of them writes. Reduce: two such instances touch one cell only in an update, y[v] = y[v]
   op e, or in init. Opaque: any other axis. */
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
    const char          *why; /* for OPAQUE: the reason */
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
   the map also covers iterations that a guard excludes. The call returns NULL with
   IRL_ERROR_BAD_ARGUMENT if there is no such access, if it has no index, or if the extent of a loop
   is not a number; with BAD_MAP if an index depends on the contents of memory.
       irl_shape      runs;
       const irl_map *order = irl_func_access_map(irl_kernel(cx, &running), 2, &runs); */
IRL_API const irl_map *irl_func_access_map(const irl_func *f, int access, irl_shape *shape);
#endif

/* ================================================================== >>schedules */

/* IRL_SCHEDULE(name, { step; ... }) states in which order, and on which work-items, a function
   computes. It does not change the results. Each step calls one primitive; `irlc steps` and
   irl_step_doc list the primitives. Macros are not expanded, as in IRL_KERNEL.
       IRL_SCHEDULE(tiled, { (io, ii) = split(y.i, 4); annotate(io, group = 64); });
   Steps refer to parts of the function by these names. A block has its own name. A nest of loops
   around one store, outside of blocks, has its label (`conv: for ...`) or, without a label, the
   name of the buffer that it writes (`y`; the second such nest is `y_1`). A sum in the expression
   that the nest conv stores is conv.sum. A loop has the name of the block or nest and of its
   variable (conv.i, conv.sum.k), or the name that a step gave it. A step that makes loops may name
   them; otherwise they are named after the loops that they replace: i_outer, i_inner.

   irl_func_lower emits the loops of a nest as the schedule states them. Passes do not change a nest
   in which the schedule or the text binds, vectorizes or unrolls a loop. Any other nest that a
   schedule changed has note(scheduled = 1) on its outermost loop. */
#define IRL_SCHEDULE(name, ...) \
    static const irl_source_text name IRL__UNUSED = { #name, #__VA_ARGS__, __FILE__, __LINE__, 0 }

#ifndef IRLAYOUT_NO_SCHEDULES
/* Returns the function after the schedule; f does not change. It returns NULL with a diagnostic if
   a step is malformed (IRL_ERROR_SYNTAX, UNKNOWN_NAME), or if a step would change what the function
   computes (IRL_ERROR_ILLEGAL_STEP). Cost: each step is linear in the function.
       f = irl_schedule(irl_kernel(cx, &twice), &tiled); */
IRL_API irl_func *irl_schedule(const irl_func *f, const irl_source_text *schedule);

/* Does the same with the text "{ step; ... }". `length` and `file` are as for irl_func_parse. */
IRL_API irl_func *irl_schedule_parse(const irl_func *f, const char *text, size_t length,
                                     const char *file);

/* Returns the function after one step. The text of the step is made as by printf, with %s, %d, and
   %l for an int64_t. The step may use names that earlier steps gave. A name is valid until a later
   step replaces the loop or block that it names.
       f = irl_schedule_do(f, "(io, ii) = split(%s, %d)", "y.i", 8);
       f = irl_schedule_do(f, "vectorize(ii)"); */
IRL_API irl_func *irl_schedule_do(const irl_func *f, const char *format, ...);

/* Returns 1 if the steps "{ step; ... }" are legal, else 0. The steps are not carried out, and a
   refusal is not a failure of the context. *why becomes the text of the diagnostic, owned by the
   context, or "" if the steps are legal; `why` may be NULL. irl_schedule_refusal returns the
   diagnostic in parts. Cost: that of irl_schedule_parse. */
IRL_API int irl_schedule_try(const irl_func *f, const char *text, const char **why);
#endif

#ifndef IRLAYOUT_MAPS_ONLY
/* The value of a variable in one iteration, or of a parameter. */
typedef struct irl_named_value {
    const char *name;
    int64_t     value;
} irl_named_value;

/* One half of a witness: an access in one iteration, or one of two points that a map takes to one
   cell. */
typedef struct irl_witness_access {
    const char            *text;   /* "a[i + 1]"; NULL for a point of a map */
    const char            *buffer; /* "a"; NULL for a point of a map */
    int                    writes; /* 1: the access stores or updates; 0: it loads */
    /* the iteration: the values of the loops around the access, outermost first; or the coordinates
       of the point. 0: no iteration is known, or there is no loop */
    int                    value_count;
    const irl_named_value *values;
} irl_witness_access;

/* Why a step was refused: two accesses that touch one cell, and their iterations if these are
   known. */
typedef struct irl_witness {
    irl_witness_access     access[2]; /* not known if `text` is NULL and there are no values */
    /* the cell, as an index into `buffer`; for points of a map, the index that both map to. cell
       NULL: not known. If the two accesses use different views of the memory, `buffer` is that of
       the first access */
    const char            *buffer;
    int                    cell_rank;
    const int64_t         *cell;
    /* values of the function's parameters for which they touch one cell: n = 3 */
    int                    parameter_count;
    const irl_named_value *parameters;
    /* why it is not known whether they touch one cell; NULL: they do */
    const char            *doubt;
} irl_witness;

/* The parts of a diagnostic about a step of a schedule. A part that does not apply is NULL or 0. */
typedef struct irl_step_refusal {
    irl_code     code;      /* IRL_ERROR_ILLEGAL_STEP, UNKNOWN_NAME, LOSSY_MAP, ... */
    /* the number of the step, counted from 1. Steps that the function already had
       (irl_schedule_text) are not counted */
    int          number;
    const char  *step;      /* as irl_schedule_do takes it: "parallel(y.i)" */
    const char  *primitive; /* "parallel" */
    const char  *argument;  /* the text of the argument that is wrong */
    /* the block or nest, the loop and the buffer that the step names; NULL if it names none, or if
       there is none of that name */
    const char  *block, *loop, *buffer;
    const char  *reason;    /* the message without the witness */
    irl_witness  witness;
    const char  *missing;   /* a name that does not exist; `names` are the names that do */
    int          name_count;
    const char *const *names;
    const char  *advice;    /* how to make this step legal, if that is known */
    const char  *remedy;    /* the requirement of the primitive: irl_diag.remedy */
} irl_step_refusal;
#endif

#ifndef IRLAYOUT_NO_SCHEDULES
/* Returns the parts of a refusal. If the context has failed because a step was refused, the result
   is about this step. Otherwise it is about the last call of irl_schedule_try that returned 0 and
   had a `why` that was not NULL. The call returns NULL if no step was refused, for example if the
   text of the schedule could not be parsed. The result is owned by the context. It is valid until
   irl_ctx_rewind undoes the failure (or the call of irl_schedule_try), or until the next schedule
   is tried or carried out. Cost: some hundred bytes of the context; if memory is out for them, the
   failure is IRL_ERROR_OUT_OF_MEMORY.
       const char *why;
       irl_schedule_try(irl_kernel(cx, &running), "{ parallel(y.i); }", &why);
       const irl_step_refusal *r = irl_schedule_refusal(cx);
       if (r && r->witness.cell) puts(r->witness.access[0].text);              y[i - 1] */
IRL_API const irl_step_refusal *irl_schedule_refusal(const irl_ctx *cx);

/* Return texts about primitive number k: its name (NULL after the last primitive); an example of a
   step; what the step does; what it requires. The last two are phrases that continue "split ..."
   and "split requires ...".
       for (k = 0; irl_step_name(k); k++) puts(irl_step_example(k)), puts(irl_step_doc(k)); */
IRL_API const char *irl_step_name(int k);
IRL_API const char *irl_step_example(int k);
IRL_API const char *irl_step_doc(int k);
IRL_API const char *irl_step_requires(int k);

/* Returns the steps that schedules carried out on f, as a text "{ ... }" with a line for each step.
   irl_schedule_parse, called with this text and the function that f was made from, returns a
   function that is equal to f. The text is owned by the context. */
IRL_API const char *irl_schedule_text(const irl_func *f);
#endif

/* ================================================================== >>lowering */

/* What a target can do. The library's targets, such as irl_target_opencl12, are rows of one table,
   src/target/targets.h; the fields of this struct are its columns. Passes and emitters look at the
   columns, never at the name. Zero is the default of every column and means its least value: 1 for
   alignment, run_alignment, widths and work_group, INT32_MAX for buffer_bytes. */
typedef struct irl_target {
    const char *name; /* a letter, followed by letters, digits, - _ and . */
    /* 1: the code may cast a pointer to another element type; memory that is both read and written
       is then declared as bytes. 0: all accesses to one memory have one type. Exception: serial
       code with `ramps` and a run_alignment of 1 may access any number of the memory's own scalars
       at once */
    int         pointer_casts;
    /* in bytes, powers of two up to 128. alignment: the address of an element that is a vector is a
       multiple of its size, or of `alignment` if that is smaller. run_alignment: the same for an
       access to several consecutive elements; 1: the access may begin at any element (vload and
       vstore) */
    uint32_t    alignment, run_alignment;
    /* bit k: vectors of k+1 lanes exist, for 1, 2, 3, 4, 8 and 16 lanes. A width requires its half,
       and 3 requires 4 */
    uint32_t    widths;
    /* 1: one access may touch several consecutive elements; 0: only one element */
    int         ramps;
    /* 1: there are 64-bit integers. 0: irl_module_check refuses i64 and u64, indices have 32 bits,
       and buffer_bytes must be at most INT32_MAX. Other types have no column; a pass of your own
       may refuse them */
    int         int64;
    /* 1: f16 is computed in f16 (sums, products, quotients, roots). 0: it is computed in f32, and
       each result is rounded to f16. The results have the same bits */
    int         halves;
    int64_t     buffer_bytes; /* the most bytes of a buffer; INT64_MAX: any number */
    /* the most work-items of a group; the most bytes of shared memory of a group */
    int         work_group, local_bytes;
    /* for irl_schedule_auto. vector_bytes: the bytes of a vector register. registers: the number of
       such registers; 0: the schedule is parallel() alone. cache_bytes: the bytes of the nearest
       cache. If vector_bytes is 0 (serial targets alone), registers hold scalars, and what would be
       vectors are innermost loops, of which a C compiler makes vectors */
    int         vector_bytes, registers, cache_bytes;
    /* for irl_schedule_auto, if work-items of the device run in lockstep. subgroup: the number of
       work-items that run in lockstep, for example 32; `registers` are then those of one work-item,
       and `vector_bytes` what it loads at once, for which shared memory is aligned.
       0: each work-item is scheduled by itself, and the other four columns are 0. group_items: the
       preferred number of work-items of a group. units: the number of groups of that size that keep
       the device busy. line_bytes: the bytes of a line of global memory; all that a subgroup reads
       within one line is one transfer. banks: the number of banks of shared memory, of 4 bytes
       each; 0: shared memory is not faster than global memory, so nothing is copied to it, and a
       work-item computes a tile by vectors of `vector_bytes`. All but `units` are powers of two */
    int         subgroup, group_items, units, line_bytes, banks;
    /* 1: the code runs without a device: work-items are loops, and images are arrays of texels. 0:
       work-items run on a device */
    int         serial;
    /* bit k: images may have texels of four values of type irl_scalar k. 0: there are no images,
       and the columns from image_extent to samplerless are 0 */
    uint32_t    texels;
    /* image_extent: the most texels along a side of an image. volume_extent: the same for an image
       of three dimensions. layers: the most layers of an array of images. line_texels: the most
       texels of an image over a buffer. 0: there are no such images */
    int         image_extent, volume_extent, layers, line_texels;
    /* 1: an access that is proved to be in range is read without a sampler */
    int         samplerless;
    /* 1: irl_graph_place_tensors puts a tensor into an image if every node that uses the tensor
       allows it */
    int         image_tensors;
    const char *doc;         /* a line that describes the target; NULL means "" */
} irl_target;

/* Returns the library's target of that name; NULL if there is none. */
IRL_API const irl_target *irl_target_find(const char *name);

/* Returns the name of target k; NULL after the last. */
IRL_API const char       *irl_target_name(int k);

/* Makes a target of your own. The easiest way is to copy a target and to change some of its
   columns:
       irl_target mine = irl_target_opencl12;
       mine.name = "mygpu";
       mine.widths = 1 << 0 | 1 << 1 | 1 << 3;    bit k: k + 1 lanes, here 1, 2 and 4
       m = irl_func_lower(f, irl_target_new(cx, &mine));
   The columns are checked and copied. Returns the copy; pass it, not your struct, to other
   functions. The context knows the target by its name, and a module that is lowered for the target
   contains this name. You can parse, check and emit such a module only in a context that knows a
   target of that name. In another context, first call irl_target_parse with the irl_target_text of
   the target. Two different targets of one context cannot have one name; if the columns are equal,
   the existing target is returned. irl_ctx_rewind forgets targets made since the mark. On failure
   irl_target_new returns NULL. With IRL_ERROR_BAD_TARGET, the diagnostic names the column, the
   value and what was expected. The other code is DUPLICATE_NAME. examples/18_target.c makes two
   targets; examples/19_emitter.c makes a target for which it emits Python, examples/cuda/cuda.c one
   for CUDA C. */
IRL_API const irl_target *irl_target_new(irl_ctx *cx, const irl_target *columns);

/* Makes a target from a text with these columns. A column that the text does not state has the
   value of the target after ':', or zero if there is none. `length` and `file` are as for
   irl_func_parse.
       irl_target_parse(cx, "target mygpu: opencl12 { widths = 1, 2, 4; }", IRL_TO_NUL, NULL); */
IRL_API const irl_target *irl_target_parse(irl_ctx *cx, const char *text, size_t length,
                                           const char *file);

/* Returns the target as such a text, with a line for each column and its meaning. The text parses
   to an equal target. It is owned by the context; "" for NULL. */
IRL_API const char       *irl_target_text(irl_ctx *cx, const irl_target *target);

/* Returns the target of that name, made by the library or in the context. NULL if there is none. */
IRL_API const irl_target *irl_target_find_in(const irl_ctx *cx, const char *name);
#define irl_target_opencl12 (*irl_target_find("opencl12"))
#define irl_target_opencl12_fp16 (*irl_target_find("opencl12-fp16"))
#define irl_target_opencl12_gpu (*irl_target_find("opencl12-gpu"))
#define irl_target_opencl12_avx2 (*irl_target_find("opencl12-avx2"))
#define irl_target_opencl12_embedded (*irl_target_find("opencl12-embedded"))
#define irl_target_adreno (*irl_target_find("adreno"))
#define irl_target_mali (*irl_target_find("mali"))
#define irl_target_strict (*irl_target_find("strict"))
#define irl_target_glsl (*irl_target_find("glsl"))
#define irl_target_scalar (*irl_target_find("scalar"))
#define irl_target_c99 (*irl_target_find("c99"))
#define irl_target_c_gnu (*irl_target_find("c-gnu"))
#define irl_target_c_gnu_avx2 (*irl_target_find("c-gnu-avx2"))
#define irl_target_c_gnu_avx512 (*irl_target_find("c-gnu-avx512"))

#ifndef IRLAYOUT_NO_AUTO
/* Returns a schedule for f on a target, as a text that you can edit: each line has one step, and
   the reason for it as a comment. irl_schedule_parse accepts the text for f. The same f and target
   always give the same text. It is owned by the context; it is "" with a diagnostic if target is
   NULL, or if memory is out.

   Rules decide the schedule; nothing is timed. They look at the extents of the loops, at the order
   in which each access goes through memory under its layout, and at the registers of the target.
   For a target whose column `banks` is not 0 (irl_target_opencl12_gpu) the schedule is for groups
   of work-items: it keeps results in registers and tiles of operands in shared memory, and computes
   a reduction as a tree if its order is free. If only `subgroup` is not 0 (irl_target_mali) a
   work-item computes a tile by vectors, and groups have whole subgroups. The schedule does not
   change a nest that already has bound, vectorized or unrolled loops, nor a nest that no rule fits;
   a comment says why. It makes a * b + c of floats round once, unless the function says
   attr(numbers = "strict"). It changes the order of a sum only if the function allows any order.
   For C without vectors (irl_target_c99) it does neither, so that the results have the same bits
   as those of the function as it is written; and the function needs no more memory of its caller.
   Cost: that of the steps. Lowering schedules in the same way (irl_schedule_kind).
       puts(irl_schedule_auto(irl_kernel(cx, &twice), &irl_target_opencl12)); */
IRL_API const char *irl_schedule_auto(const irl_func *f, const irl_target *target);

/* Returns the text of irl_schedule_auto with more comments. Before the steps of each reduction
   there is a line for each way that was tried and does not serve, with the reason, and one for each
   tile that cost less than those that were looked at before it. A cost counts what the loads of a
   tile take, 4 for a value that all lanes share; the tile with the least cost for each update is
   chosen. On targets with `banks` it also counts operations, and stores.
       puts(irl_schedule_auto_why(irl_kernel(cx, &twice), &irl_target_opencl12)); */
IRL_API const char *irl_schedule_auto_why(const irl_func *f, const irl_target *target);
#endif

#ifndef IRLAYOUT_MAPS_ONLY
/* Returns the function with a layout for the parameter or allocation of that name. The text of the
   kernel keeps its logical indices:
       f = irl_func_set_layout(f, "x", irl_map_parse(cx, "(n, h, w, c) -> (n, c/4, h, w, c%4)"));
   The function only records the layout. irl_func_lower (its pass apply_layouts) checks the layout
   for the shape of the buffer. It refuses a layout that is lossy or out of range, with a witness
   (IRL_ERROR_LOSSY_MAP, MAP_OUT_OF_RANGE). It also refuses a layout that is UNDECIDED, and a map
   with another number of inputs than the buffer has axes (RANK_MISMATCH), and a parameter that
   states strides (UNSUPPORTED). An access to a vector of elements becomes one access for each lane.
   A buffer declared by `match` in a block gets the layout of the buffer that it is part of.

   If the buffer has a declared view of another shape or type, the accesses of the view use the
   layout too. One element of the view may consist of several elements of the buffer. The layout
   must keep these next to each other and in order, and their first cell must be a multiple of their
   number. Otherwise the layout is refused (BAD_ALIAS), and the diagnostic shows the element that it
   would take apart. It is also refused if the view has elements of bits.

   A second layout of a buffer does not replace the first layout. It is applied after the first
   layout, and its inputs are the axes that the first layout made. The shape in memory is that of
   irl_map_memory: an axis that is a remainder (`c % 4`), or is built from remainders alone, always
   gets as many cells as the remainder has values: `c % 4` gets 4, even for three channels. The
   value of unused cells is `undef`, unless you call irl_func_set_padding. irl_func_warnings
   mentions the unused cells of a buffer that is written.

   TAKE CARE: for a parameter that is only read, a map that takes two points to one cell is legal if
   no point is out of range. So if you forget c % 4 there, you get no error; but after lowering,
   irl_func_warnings names two such points. Such a parameter cannot be packed from a logical array,
   in which the two points may have different values. Pass it as it is in memory, also to
   irl_module_interpret and irl_ocl_run.

   If the shape or the map has names, the verdict is for all values from 1 on that satisfy the
   assumes and asserts at the beginning of the function. If a name could be less than 1 although the
   buffer has elements, lowering adds an assert to the function: for (i) -> (i * m) on [n] it
   asserts m >= 1. */
IRL_API irl_func *irl_func_set_layout(const irl_func *f, const char *buffer, const irl_map *map);

/* Does the same as irl_func_set_layout, but accepts a map that irl_map_check cannot decide: the
   caller vouches that the map is injective. A map that is known to be lossy is still refused. A map
   that is proved only for some values of the names is accepted, and lowering adds an assert for
   these values: for (i) -> (i % 8) on [n] it asserts n < 9. */
IRL_API irl_func *irl_func_assume_layout(const irl_func *f, const char *buffer, const irl_map *map);

/* Returns warnings about a function, a line for each; "" if there are none. For a module, pass
   irl_module_host. There are seven kinds of warnings:

   (1) After layouts are applied, two indices of a parameter that is only read map to one cell. The
   warning has both indices and the shape of the memory that the caller must pass. attr(shared_cells
   = "x") silences it.

   (2) The layout of a parameter that is written has unused cells, and no value is stated for them.
   The warning has their number and says where they are. irl_func_set_padding or
   attr(unstated_padding = "y") silences it.

   (3) It is not proved that an access is inside its buffer (irl_bounds). The warning has the place
   of the access, its range, and values for which it is outside, if such values are known. An
   assume, an assert or a condition that makes the proof possible silences it.

   (4) Only before lowering: a name is probably misspelt, as in f32[rows, k] and f32[rwos, k]. Such
   a name occurs in only one extent, no parameter declares it, and it is similar to a name in
   another parameter. To silence the warning, declare the name: rwos: index.

   (5) Only before lowering: an integer of 8 or 16 bits may wrap, and is then divided, compared,
   shifted right, widened or converted to a float. The same expression in C would promote to int and
   give another value. attr(wraps = "intended") silences it.

   (6) Only before lowering, and only if the function was read from text: a constant loses its
   fraction or digits, or a range is empty. 1/2 * x[i] is 0 * x[i], since 1/2 divides integers:
   write 1.0/2, or f32(1/2) to silence the warning. After let a = 1/2, f32(a) is 0 too; index(1/2)
   silences that. i32(2.5f) is 2. for (i: 15 .. 0) does nothing,
   since ranges count upwards: a step counts down, for (i: 15 .. -1 : -1).

   (7) Only after lowering: work-items of the target run in lockstep (`subgroup`), and each group of
   a kernel, or all of the kernel, is one work-item, although loops are independent. The kernel
   leaves all but one lane idle. To silence the warning, bind a loop to local.x (or: parallel()). */
IRL_API const char *irl_func_warnings(const irl_func *f);

/* Returns the function with a value for the unused cells of the buffer's last layout. If elements
   are floats, the value is rounded to their type. If they are integers, the fraction is dropped,
   and a value that does not fit is IRL_ERROR_BAD_ARGUMENT. */
IRL_API irl_func *irl_func_set_padding(const irl_func *f, const char *buffer, double value);

/* Returns the function with a buffer, and its views, in another scope. A parameter must not be
   shared or local, and a parameter that is written must not be constant (IRL_ERROR_BAD_ARGUMENT).
   The failure is UNKNOWN_NAME if there is no such buffer. irl_func_lower checks whether the target
   has memory of this scope. */
IRL_API irl_func *irl_func_set_scope(const irl_func *f, const char *buffer, irl_scope scope);

/* What to do with an access that cannot be proved to be inside its buffer or outside, such as
   y[index(x[i])]. An access is outside if it leaves the buffer in an iteration that is reached; if
   sizes are names, if it does so for all values for which the loops around it run. Such an access
   is always refused (IRL_ERROR_OUT_OF_BOUNDS); the diagnostic has the access, the iteration and the
   shape. An access that is proved to be inside is never guarded. Two more things are checked in the
   same way: the value that a block axis is bound to must be below its extent, and the region of a
   `match` must be inside its buffer. For irl_func_run_pass the three choices are the passes
   "check_bounds", "prove_bounds" and "guard_bounds". */
typedef enum irl_bounds {
    IRL_BOUNDS_WARN,   /* the access does not change; irl_func_warnings mentions it */
    IRL_BOUNDS_REFUSE, /* the access is refused: IRL_ERROR_BOUNDS_UNKNOWN */
    /* a comparison guards the access: if it is outside, a store is skipped and a load gives zero */
    IRL_BOUNDS_GUARD
} irl_bounds;

/* How nests without a schedule are scheduled. AUTO, the default, runs the pass "schedule". This
   never makes lowering fail: if a later pass refuses the scheduled function, the schedule is
   parallel() alone. All passes after "schedule" then run a second time, yours too, and after_pass
   gets the reason. irl_module_scheduled returns the function after scheduling. AUTO rounds each
   term of a sum of products once, unless the function says attr(numbers = "strict"), or the target
   is C without vectors (irl_target_c99, irl_target_c_gnu). The last bits of floats may thus differ
   from those of the function as it is written. NONE leaves loops as they are written: a serial loop
   stays one, so a nest is one work-item unless its loops are parallel or bound. */
typedef enum irl_schedule_kind {
    IRL_SCHEDULE_AUTO, /* as irl_schedule_auto decides */
    IRL_SCHEDULE_NONE
} irl_schedule_kind;

/* Your own pass, placed before or after one of the library's (irl_pass_name). If it is placed
   before "split_host", `run` gets the function; if after, it is called for each kernel. `run` must
   return one of these:
     - f itself, if it changes nothing
     - a function made from f, with the same name, parameters, layouts and attributes. It may have
       more attributes and, before "apply_layouts", more layouts
     - NULL, after calling irl_pass_refuse, if it refuses f

   Your pass runs even if the library's pass next to it does not run for the target. If two of your
   passes are at one place, the first in the list runs first.
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
   The library checks the function that your pass returns before using it. Each diagnostic names the
   pass. The structure is checked, as after every pass. The function is refused if an access is
   proved to leave its buffer (IRL_ERROR_OUT_OF_BOUNDS), if two iterations of a parallel loop are
   proved to touch one cell, and, after "legalize_kernel", if it has a vector or an access that the
   target does not have (UNSUPPORTED, ALIGNMENT). A changed signature is IRL_ERROR_BAD_PASS.

   A property that can be neither proved nor refuted is accepted, as for a function that was parsed.
   If your pass runs before "check_parallel", its result gets all checks that a parsed function
   gets, those of irl_lower_options.bounds too. After "apply_layouts", indices are physical, and
   less can be proved about them. The library does not check that your pass keeps what the function
   computes. To test that, compare irl_module_interpret with irl_func_interpret of the original
   function. examples/17_pipeline.c shows two passes. */
typedef struct irl_pass_desc {
    /* at most 64 bytes; must differ from the names of the library's passes */
    const char *name;
    /* set exactly one of the two, to the name of a pass of the library; the last one is
       "check_target" */
    const char *before, *after;
    const irl_func *(*run)(void *user, const irl_func *f, const irl_target *target);
    void *user;
} irl_pass_desc;
struct irl_stmt; /* >>building */

/* Records why your pass refuses a function: as the context's failure IRL_ERROR_UNSUPPORTED, at the
   place of the statement `where` (NULL: of the function). Returns NULL, so that your pass can
   return this result. */
IRL_API const irl_func *irl_pass_refuse(const irl_func *f, const struct irl_stmt *where,
                                        const char *why);

/* Options of irl_func_lower_with. Zero is the default of every field. */
typedef struct irl_lower_options {
    /* called after each pass, yours included, with the text of the function; after split_host with
       the text of the whole module */
    void (*after_pass)(void *user, const char *pass, const char *text);
    void *user;
    uint64_t    disable;     /* bit k: leave out the pass irl_pass_name(k), if it is optional */
    int         verify;      /* 1: irl_module_check's verifier also runs after every pass */
    irl_bounds  bounds;
    irl_schedule_kind schedule;
    int                  pass_count; /* your own passes */
    const irl_pass_desc *passes;
} irl_lower_options;

/* Returns the module: a host function, and a kernel for each statement at the top level of f that
   computes. Loops without a schedule are scheduled (irl_schedule_kind). By default this makes a * b
   + c of floats round once, so the results of the module may differ from those of f in the last
   bits. The module computes exactly the same as its irl_module_scheduled. The structure of the
   function is verified after every pass. The call returns NULL with a diagnostic that points at a
   statement. If f is NULL it also returns NULL; the failure that made f NULL is already recorded.

   Lowering does not check all limits of the target (work-items of a group, bytes of shared memory
   and of a buffer, 64-bit integers, image sizes). The library's emitters and irl_module_check do,
   and so does lowering with irl_lower_options.verify. An emitter of your own must call
   irl_module_check first. Cost: linear in the function, plus a verdict for each layout. */
IRL_API irl_module *irl_func_lower(const irl_func *f, const irl_target *target);
IRL_API irl_module *irl_func_lower_with(const irl_func *f, const irl_target *target,
                                        const irl_lower_options *how);

/* Returns the function that m was lowered from, after automatic scheduling; its irl_schedule_text
   has the steps. It computes exactly the same as m, with the same rounding. The result is NULL for
   a module that was parsed.
       puts(irl_schedule_text(irl_module_scheduled(m))); */
IRL_API const irl_func *irl_module_scheduled(const irl_module *m);

/* A module in two parts. Kernels that depend only on inputs that stay the same from run to run, the
   weights of a network for example, run once. */
typedef struct irl_prepared {
    irl_module *prepare; /* NULL: no kernel depends on the weights alone */
    irl_module *run;
} irl_prepared;

/* Returns the two parts of a module, or of a graph's. `weights` are the names of the parameters
   that stay the same, with commas between; none of them may be written.
       func mm(x: f32[64, 96], w: f32[80, 96], y: f32[64, 80]) {
           for (i: 64, j: 80) y[i, j] = sum(k: 96, x[i, k] * w[j, k]);
       }
       m = irl_func_lower(f, &irl_target_opencl12);        its first kernel packs w
       irl_prepared parts = irl_module_prepare(m, "w");
       parts.prepare     mm_prepare(w: f32[80, 96], w_packed: f32[7680])
       parts.run         mm(x: f32[64, 96], y: f32[64, 80], w_global: f32[7680])
   The parameters of `prepare` are the weights that it reads, then what it makes; run it when the
   weights are set. The parameters of `run` are those of m, without the weights that only
   `prepare` reads (one whose shape has names stays), then what `prepare` made, as it is in memory.
   Both are modules as any other: print, interpret, emit and run them. Both together compute what m
   does. A kernel stays in `run` if it takes another parameter, runs under a condition or in a loop
   of the host, or writes memory that such a kernel writes too. So does what shares memory after the
   pass in_place (irl_lower_options.disable leaves it out).

   On failure both parts are NULL, with a diagnostic: IRL_ERROR_UNKNOWN_NAME; BAD_ARGUMENT for a
   weight that is written or is a temporary. If `prepare` is NULL without a failure, `run` is equal
   to m. Cost: linear in the module, but for the number of launches times that of kernels. */
IRL_API irl_prepared irl_module_prepare(const irl_module *m, const char *weights);

/* Returns 1 if the target can do everything that the module needs, and no access is proved to leave
   its buffer. Otherwise it returns 0 with a diagnostic that has numbers: IRL_ERROR_OUT_OF_BOUNDS,
   ALIGNMENT, TARGET_LIMIT, IMAGE_LIMIT, UNSUPPORTED, ... Use it for a module that was parsed, or
   that was lowered for another target. `target` NULL means the module's own target. */
IRL_API int irl_module_check(const irl_module *m, const irl_target *target);

/* How a module is written in C. Zero is the default of every field. */
typedef struct irl_c_options {
    const char *prefix;       /* a prefix of the names of its functions */
    /* 1: the text is one header with declarations and functions. For the function `net`, the file
       that defines NET_IMPLEMENTATION before including the header gets the functions */
    int         is_header;
    /* above 0: temporaries are static arrays, and a temporary with more bytes than this is refused.
       0: the caller must pass memory of NAME_scratch_bytes bytes for the temporaries, as the
       argument `scratch` */
    int64_t     static_bytes;
    /* 1: also emits int NAME_checked(int count, const irl_packed *arguments, irl_refusal *refusal),
       which makes the checks of irl_module_host_checks and then runs the function. If there is an
       argument `scratch`, it comes before `refusal` */
    int         is_checked;
    /* 1: the outermost parallel loop of each kernel gets an OpenMP pragma, which takes effect if
       the compiler has OpenMP */
    int         openmp;
    /* the type of every index, also of index parameters: IRL_U8 to IRL_U64, IRL_I8 to IRL_I64. It
       is proved that each index and each intermediate result fits the type, for all values that a
       parameter of that type can have. If the proof fails, the module is refused
       (IRL_ERROR_INDEX_WIDTH), with values of the variables for which a result does not fit.
       IRL_BOOL, the default: index parameters are int64_t, and other indices are as wide as they
       need to be.

       A type of at most 32 bits selects code for small machines. Numbers of 8 and 16 bits are
       computed in C's unsigned. Pointers are advanced by outer loops instead of being computed. A
       loop that shifts a number by one more bit in each iteration keeps the shifted number. An f16
       is converted to float by a multiplication with an operand that may be subnormal */
    irl_scalar  index;
    /* the name of a header, "relu.h". The text includes this header and declares nothing itself;
       irl_c_header returns the header. NULL: no separate header */
    const char *header_name;
    /* the name of the function in C, after the prefix; NULL: its name in the module. Kernels that
       are named after the function, such as relu_0, are renamed too */
    const char *name;
} irl_c_options;

/* Return a module as C99 that is also valid C++11: irl_c_source(irl_func_lower(f,
   &irl_target_c99)). The C code includes <stdint.h>, <stddef.h> and <math.h> only if it uses them.
   It does not need this library, and allocates no memory. The text is owned by the context; it is
   "" with a diagnostic on failure. Cost: linear in the module.

   To run the module, call the C function that has the name of the host function. Its parameters are
   those of the host function, in order. A buffer is a pointer to its physical memory
   (irl_func_param_memory); an image is an array of its texels, row after row; an index is an
   int64_t; a bool is an int. f16, bf16 and normalised numbers are integers that hold their bits.
   Arrays must not overlap if one of them is written. A function with assertions returns the number
   of the first assertion that fails, or 0. Integers wrap, division rounds down, and floats follow
   IEEE 754; #error stops a compiler with other rules (-ffast-math). A name that C or its library
   uses is changed (v_int). The comment above a function says which memory its code loads and
   stores. "read and written" does not imply that the function needs the old values: a sum may be
   stored first and loaded afterwards. */
IRL_API const char *irl_c_source(const irl_module *m);
IRL_API const char *irl_c_source_with(const irl_module *m, const irl_c_options *options);

/* Returns the header with the declarations for callers. It belongs to the irl_c_source_with of the
   same options. */
IRL_API const char *irl_c_header(const irl_module *m, const irl_c_options *options);

#ifndef IRLAYOUT_NO_GLSL
/* One kernel as a compute shader, and the data that a host needs to dispatch it. A buffer that is
   parameter k is binding k of set 0. Plain memory is a storage buffer. An image is a sampled image
   (without a sampler) if it is read, and a storage image if it is written; an image over a buffer
   is a uniform or storage texel buffer. Scalars are push constants: an index, i8, i16 and i32 are
   an int, a bool, u8, u16 and u32 a uint, with their value; f16 and bf16 are a uint with their
   bits. */
typedef struct irl_glsl_kernel {
    const char      *name;     /* the kernel's name in the module; in the text it is main */
    const char      *source;
    const irl_func  *function; /* the function that it was emitted from */
    int              argument_count;
    /* the offset of each scalar in the push constants, in bytes; -1 for other arguments */
    const int       *offsets;
    int              push_bytes; /* the bytes of all push constants */
    int              local[3];   /* work-items of a group */
    /* numbers of groups of a dispatch: call irl_glsl_kernel_groups */
    const struct irl_expr *groups[3];
} irl_glsl_kernel;
typedef struct irl_glsl_program {
    int                    kernel_count;
    const irl_glsl_kernel *kernels; /* in the order of the module */
} irl_glsl_program;

/* Returns a module that was lowered for irl_target_glsl as shaders in GLSL 4.50 for Vulkan, with
   one text for each kernel:

       irl_module *m = irl_func_lower(f, &irl_target_glsl);
       puts(irl_glsl_source(m, 0));

   A shader requires the extensions for its types: for 8 and 16 bits in memory, and the device's
   shaderFloat64 for f64. It forbids the device's compiler to contract or reorder sums. Indices are
   ints. Your program must ensure that buffers are within the target's limit and that index
   arguments fit 32 bits. The call returns NULL with IRL_ERROR_UNSUPPORTED if GLSL cannot express
   something (extern calls, 64-bit integers, texels of 16 bytes that do not have four values, exp of
   f64); with IRL_ERROR_TARGET_LIMIT if a kernel needs more than Vulkan guarantees. The result is
   owned by the context. Cost: linear in the module. */
IRL_API const irl_glsl_program *irl_glsl_emit(const irl_module *m);

/* Returns the text of one kernel; on failure "" with a diagnostic. */
IRL_API const char *irl_glsl_source(const irl_module *m, int kernel);

/* Computes the numbers of groups of a dispatch from the values of the kernel's index parameters, in
   order (NULL if it has none). Returns 1, or 0 on failure: a number of groups is negative or above
   65535. */
IRL_API int irl_glsl_kernel_groups(irl_ctx *cx, const irl_glsl_kernel *kernel,
                                   const int64_t *indices, uint32_t groups[3]);
#endif

/* How a layout is written in C. Zero is the default of every field. For a frame buffer whose pixels
   are not whole bytes set `bits`. */
typedef struct irl_c_layout_options {
    const char *name;  /* an identifier: the prefix of all its names; NULL: "layout" */
    irl_type    type;  /* of an element; zero: f32 */
    /* the type of coordinates and of cell numbers: IRL_U8 to IRL_U64, IRL_I8 to IRL_I64. IRL_BOOL:
       the first of uint32_t, int32_t and int64_t that holds them */
    irl_scalar  index;
    /* the elements, if they are not whole bytes; `type` is then ignored. NULL: elements are whole
       bytes */
    const irl_bit_element *bits;
} irl_c_layout_options;

/* Returns a layout of a shape as a C99 header that needs only <stdint.h>. `how` may be NULL. The
   header has the verdict as a comment, and
       NAME_place      returns the number of the cell of a point, row-major
       NAME_point      computes the point of a cell, if the inverse has a formula
       NAME_pack       copies a row-major array of all points into the memory of the layout
       NAME_unpack     copies it back
       NAME_points     the number of elements of that array; NAME_cells: of the memory
   The header checks the sizes of types when it is compiled. It is proved that every index and every
   intermediate number fits the index type; if the proof fails, the layout is refused with a point
   for which a number does not fit (IRL_ERROR_INDEX_WIDTH). C's own division is used if the dividend
   is not negative. For a lossy layout the header has only NAME_place. A shape with names is
   refused.

   With `bits` the memory has NAME_bytes bytes. NAME_get(memory, i, j) and NAME_set(memory, i, j,
   value) read and write an element by shifts and masks. NAME_set keeps all other bits, and touches
   only bytes that hold bits of the element. There is no NAME_set for a lossy layout. The functions
   do not check coordinates: the caller must pass values below the extents. */
IRL_API const char *irl_c_layout_source(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                        const irl_c_layout_options *how);

/* Returns a record as a C99 header that needs only <stdint.h>. The header has the verdict as a
   comment, NAME_bytes, and for each field NAME_get_FIELD(record, i0, i1) and NAME_set_FIELD(record,
   i0, i1, value). `record` points to the bytes of one record; i0, i1, ... are an index for each
   axis of the field, which is not checked. An f16 or bf16 is a uint16_t that holds its bits, a bool
   is an int. For a field that depends on another one there is also NAME_has_FIELD(record),
   which tells whether the record has it. NAME_set_FIELD keeps all other bits, and touches only
   bytes that hold bits of the element. NAME is `name`, or the record's name if that is NULL. The
   call returns "" with a diagnostic if irl_record_check does not accept the record
   (IRL_ERROR_LOSSY_MAP, MAP_OUT_OF_RANGE), or if C does not allow a name (BAD_ARGUMENT). */
IRL_API const char *irl_c_record_source(const irl_record *record, const char *name);

/* Return facts about pass number k of the library's pipeline: its name (NULL after the last pass);
   what it does, in one line; what it runs on; whether it may be left out (bit k of
   irl_lower_options.disable); whether irl_func_lower_with runs it for a target (`how` may be NULL).
   src/pass/pipeline.c has a row for each pass. Each file in src/pass begins with what its pass
   requires, maintains and breaks. This lists the passes next to which you can place a pass of your
   own:
       for (k = 0; irl_pass_name(k); k++) puts(irl_pass_name(k)), puts(irl_pass_doc(k)); */
typedef enum irl_pass_level {
    IRL_PASS_FUNC,   /* the function, before there are kernels */
    IRL_PASS_SPLIT,  /* split_host: the function becomes a module */
    IRL_PASS_KERNEL, /* each kernel of the module */
    IRL_PASS_MODULE  /* in_place, check_target: the module */
} irl_pass_level;

IRL_API const char    *irl_pass_name(int k);
IRL_API const char    *irl_pass_doc(int k);
IRL_API irl_pass_level irl_pass_level_of(int k);
IRL_API int            irl_pass_is_optional(int k);
IRL_API int            irl_pass_runs(int k, const irl_target *target, const irl_lower_options *how);

/* Returns a sentence that says what replaced a pass of an earlier version: parallelize,
   split_loops, arrange_loops, keep_loops. Returns "" for other names. */
IRL_API const char *irl_pass_replacement(const char *name);

/* Run one pass by name, so that you can look at its result: "apply_layouts", "flatten", "unroll",
   ... Passes for functions and passes for kernels are accepted; a pass for kernels also accepts a
   function that is not a kernel. irl_func_run_pass is for the target opencl12. Both return NULL
   with IRL_ERROR_BAD_ARGUMENT if there is no such pass, with BAD_STAGE if the pass makes or changes
   a module. */
IRL_API irl_func   *irl_func_run_pass(const irl_func *f, const char *pass);
IRL_API irl_func *irl_func_run_pass_for(const irl_func *f, const char *pass,
                                        const irl_target *target);

/* irl_func_split_host returns the module that the pass "split_host" makes of f. irl_module_run_pass
   returns the module after a later pass, for the target of the module. */
IRL_API irl_module *irl_func_split_host(const irl_func *f, const irl_target *target);
IRL_API irl_module *irl_module_run_pass(const irl_module *m, const char *pass);
#endif

/* ================================================================== >>plans */

/* How to place items in one memory. Each item is needed (alive) during some steps. Items that are
   never alive at the same time may share bytes. */
typedef struct irl_plan_item {
    int64_t size;        /* in bytes; an item of 0 bytes gets the offset 0 */
    int64_t align;       /* alignment of its offset, a power of two; 0: 1 */
    int64_t first, last; /* the item is needed from step first to step last, both included */
} irl_plan_item;

typedef struct irl_plan_offsets {
    int64_t        bytes;       /* the size of the memory */
    /* the address of the memory must be a multiple of this, the largest alignment of its items */
    int64_t        align;
    /* the most bytes that are alive at once, ignoring alignments. No placement needs fewer bytes */
    int64_t        lower_bound;
    int64_t        fullest;     /* the first step at which lower_bound bytes are alive */
    int            is_least;    /* 1: proved that no placement needs fewer bytes; 0: not known */
    int            count;
    const int64_t *offsets;     /* one for each item, in bytes from the start of the memory */
} irl_plan_offsets;

#define IRL_MAX_PLAN_ITEMS 16777216

/* Returns an offset for each of `count` items. Items are placed greedily in a few orders, and the
   best placement is then improved by small changes. For up to 12 items the result is proved to need
   the least memory (except for some items with many different alignments, if a million steps do not
   suffice). `most_steps` limits the search for an improvement; 0 means a thousand steps for each
   item, at most three million. Equal items get the same offsets on every machine. The call returns
   NULL with BAD_ARGUMENT if an item is invalid (the diagnostic has its number), and with OVERFLOW
   if the items alive at once have more than 2^63 - 1 bytes. The result is owned by the context.
   Cost: about linear in the items; 10,000 items take some 10 ms.
       static const irl_plan_item lives[3] = {{4096, 64, 0, 1}, {1024, 64, 1, 2}, {4096, 64, 2, 3}};
       const irl_plan_offsets *o = irl_plan_arena(cx, 3, lives, 0);
       printf("%d bytes of at least %d\n", (int)o->bytes, (int)o->lower_bound);  5120, 5120 */
IRL_API const irl_plan_offsets *irl_plan_arena(irl_ctx *cx, int count, const irl_plan_item *items,
                                               int64_t most_steps);

/* The same for images of two dimensions, in texels. A pool is one image that several images share,
   one after the other. It is as wide as the widest of them and as high as the highest. */
typedef struct irl_plan_image {
    int64_t width, height; /* in texels, from 1 on */
    /* any number that you choose for the type of the image; images of different kinds never share a
       pool */
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
    int64_t                    texels;      /* the texels of all pools */
    int64_t                    lower_bound; /* the most texels that are alive at once */
    /* the texels of all images together, if none were shared */
    int64_t                    separate;
} irl_plan_image_pools;

/* Returns a pool for each image, owned by the context. Images are placed in the order of their
   first steps. An image takes the idle pool of its kind that must grow by the fewest texels; among
   equal pools it takes the one with the least waste. It gets a new pool if every idle pool would
   exceed the limits, or would grow by more texels than the image has. The function returns NULL
   with BAD_ARGUMENT if an image is larger than the limits (the message has its number), and with
   OVERFLOW if the texels do not fit 63 bits. Cost: the number of images times the number of pools.
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
    /* its bytes, as an expression over parameters and loops; NULL: not known */
    const struct irl_expr *size;
    int64_t                bytes;       /* the value of `size`; -1: `size` is not a number */
    /* the first and the last launch that touch it, counted from 0; -1: no launch does */
    int                    first, last;
    int                    pool;        /* the number of its pool; -1: it shares no memory */
    int64_t                offset;      /* in the pool, in bytes */
} irl_plan_temporary;

/* One memory that temporaries share. */
typedef struct irl_plan_pool {
    irl_scope scope;
    int64_t   bytes, align, lower_bound; /* as of irl_plan_offsets */
    int64_t   separate;                  /* the bytes of all its temporaries, if none were shared */
    int       fullest;                   /* the launch at which the most bytes are alive */
    int       is_least;
    int64_t   width, height;             /* of an image, in texels; 0: plain memory */
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
    /* the alignment of offsets, in bytes. 0: the alignment that emitted code uses. For C (targets
       whose column `serial` is 1) that is 16, and types_apart counts as 1 even if you set it to 0.
       For other targets it is 128, which suits every element. For sub-buffers of a device use
       CL_DEVICE_MEM_BASE_ADDR_ALIGN / 8 */
    int64_t          align;
    int64_t          most_steps;  /* as of irl_plan_arena */
    /* 1: each element type has its own pool, because compilers assume that memory that is read as
       one type is not written as another. With align 0 and a target for C, the bytes of all pools
       together are NAME_scratch_bytes */
    int              types_apart;
    int              value_count; /* values for the parameters in sizes; `copy` is ignored */
    const irl_value *values;
} irl_plan_options;

/* Return a pool and an offset for each temporary of a module. Temporaries that are never needed at
   the same time share memory. The result is owned by the context; NULL on failure. The plan covers
   temporaries in global memory whose size is a number, and images of two dimensions; each pool of
   images is one image (irl_plan_images, within the limits of the module's target). Other
   temporaries do not share memory. Two temporaries that the pass in_place put into the same bytes
   count as one; irl_plan_text names both. Cost: that of irl_module_liveness, irl_plan_arena and
   irl_plan_images.
       const irl_module_plan *p = irl_plan(irl_func_lower(f, &irl_target_opencl12));
       puts(irl_plan_text(p)); */
IRL_API const irl_module_plan *irl_plan(const irl_module *m);
IRL_API const irl_module_plan *irl_plan_with(const irl_module *m, const irl_plan_options *options);

/* An array that a kernel or another function allocates. It is private to each work-item, or shared
   by a group. */
typedef struct irl_array {
    const char *name;
    irl_scope   scope;
    const char *place;       /* of its declaration */
    int64_t     bytes;       /* -1: not a number */
    /* the first and the last statement that touch it, numbered in the order of the text; -1: no
       statement does */
    int         first, last;
    int         pool;        /* the number of its pool; -1: it shares no memory */
    int64_t     offset;      /* in the pool, in bytes */
} irl_array;
typedef struct irl_array_total {
    int64_t bytes;       /* as planned */
    int64_t lower_bound; /* the most bytes that are alive at once */
    int64_t separate;    /* the bytes of all arrays, if none were shared */
} irl_array_total;
typedef struct irl_array_plan {
    const irl_func      *func;
    int                  count;
    const irl_array     *list;
    int                  pool_count;
    const irl_plan_pool *pools;
    irl_array_total      local, shared; /* totals of the arrays whose bytes are a number */
} irl_array_plan;

/* Returns the arrays that f allocates, and a pool and an offset for each. A local scalar is a
   variable, and is not among them. The pass share_arrays carries out the same plan, but need not
   have run. Two arrays of one element type share bytes if no statement needs both. Arrays in shared
   memory share bytes only if there is also a barrier between their uses that every work-item
   passes. The result is owned by the context; NULL on failure. Cost: linear in f, and that of
   irl_plan_arena.
       const irl_array_plan *a = irl_func_plan_arrays(irl_module_kernel(m, 0));
       printf("%d bytes of each work-item\n", (int)a->local.bytes); */
IRL_API const irl_array_plan *irl_func_plan_arrays(const irl_func *f);
IRL_API const char           *irl_array_plan_text(const irl_array_plan *p);

/* Return the plan as a text, as #defines of C, and as JSON. The text has the offsets, the bytes of
   each pool, the most bytes that are alive at once, and a picture. The picture has a column for
   each launch and a row for each segment of memory, and names the temporary in each segment. */
IRL_API const char *irl_plan_text(const irl_module_plan *p);
IRL_API const char *irl_plan_c(const irl_module_plan *p);
IRL_API const char *irl_plan_json(const irl_module_plan *p);

#ifndef IRLAYOUT_NO_PICTURES
/* Returns the plan as SVG, with launches from left to right and bytes from the bottom up. A line
   marks the most bytes that are alive at once. Only the first 32 pools are drawn. */
IRL_API const char *irl_plan_svg(const irl_module_plan *p);
#endif
#endif

/* ================================================================== >>packing */

/* How to pack. Zero is the default of every field. */
typedef struct irl_pack_options {
    irl_type    element; /* type of an element of both arrays; zero: f32 */
    /* 1: packing writes `padding` into the unused cells; 0: the unused cells keep their values */
    int         fill;
    double      padding;
    const char *name;    /* the name of the function; NULL: "pack" or "unpack" */
    /* the elements of the packed array, if they are not whole bytes; `element` is then ignored.
       NULL: elements are whole bytes */
    const irl_bit_element *bits;
} irl_pack_options;

/* irl_map_pack_func returns a function that copies a plain row-major array of `shape` into the
   memory that a layout describes. irl_map_unpack_func returns a function that copies it back. `how`
   may be NULL.
       func pack(plain: f32[1, 5, 7, 6], packed: f32[1, 2, 5, 7, 4])
       func unpack(packed: f32[1, 2, 5, 7, 4], plain: f32[1, 5, 7, 6])
   They are ordinary functions, which you can lower, emit, run or interpret. The packed array has
   the shape that the layout gives a buffer (irl_map_memory). It has no separators, because the
   memory is row-major. Every loop is parallel, because no cell is written twice. unpack(pack(x)) is
   x; irl_map_roundtrip_proof says why. Both return NULL with a diagnostic if the map is lossy, out
   of range or undecided, or if the padding does not fit the type.

   If the shape or the map has names, the names are the first parameters of the functions. The
   functions assert that the names have values for which the map is proved: all values from 1 on, or
   those of irl_verdict.where:
       func pack(N: index, plain: f32[N], packed: f32[(N + 3) / 4, 4]) {
           assert(N >= 1, "the layout is right for these sizes"); ...
   To allocate `packed`, compute the number of its elements by irl_map_memory and irl_shape_count.

   With `bits` the plain array has values of the type of the irl_bit_element (u8 for u4). Packing
   keeps the low bits of a value; unpacking restores the value with its sign. If the elements are
   side by side, the packed array has elements of that width. Otherwise the packed array consists of
   bytes, and the elements are a view of the bytes:
       func pack(plain: u8[6], packed: u4[2, 4])
       func pack(plain: u16[6], packed: u8[16]) { decl cells: u10[2, 4] data(packed) ...
   Unused bits keep their values. The bits of unused cells keep theirs too if `fill` is 0. If
   elements overlap, the failure is IRL_ERROR_LOSSY_MAP (irl_map_check_bits). Loops that write parts
   of bytes are serial; lowering makes such a loop parallel if it proves that its iterations write
   different bytes.
       irl_func *pack = irl_map_pack_func(cx, map, IRL_SHAPE(1, 5, 7, 6), NULL);
       irl_func_interpret(pack, IRL_ARGS(plain, packed));
   The interpreter takes about a microsecond per element. For large arrays, lower the function and
   run it on a device, or pack in C by IRL_AT. */
IRL_API irl_func *irl_map_pack_func(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                    const irl_pack_options *how);
IRL_API irl_func *irl_map_unpack_func(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                      const irl_pack_options *how);

#ifndef IRLAYOUT_NO_PROOF
/* Returns the proof that these two functions undo each other, as a text for people. It shows three
   things: that the inverse takes the cell of a point back to the point, by simplifying step by
   step; that no point maps to an unused cell; and that every other cell is the image of a point.
   Each line equals the line above it for all values in the stated ranges; irl_expr_simplify or
   `irlc simplify` can check a step. On failure it returns "", with the diagnostic of
   irl_map_pack_func. Cost: that of irl_map_check, and of some simplifications. */
IRL_API const char *irl_map_roundtrip_proof(irl_ctx *cx, const irl_map *map, irl_shape shape);
#endif

/* irl_record_pack_func returns a function that packs n records side by side, from one array for
   each field: pack_NAME(field0: T[n, extents], ..., packed: u8[n, bytes]). Unused bits become 0. Of
   alternatives it packs the one that the record has. irl_record_unpack_func returns a function that
   unpacks them; elements of a field that a record does not have become 0. Both return NULL with a
   diagnostic if irl_record_check does not accept the record. */
IRL_API irl_func *irl_record_pack_func(const irl_record *record);
IRL_API irl_func *irl_record_unpack_func(const irl_record *record);

/* ================================================================== >>dma */

#ifndef IRLAYOUT_NO_DMA
/* A layout as work for a DMA controller: a list of transfers that copy a plain row-major array into
   the layout's memory, or back. Each transfer is a nest of strided copies. */

/* One level of a transfer. It repeats the level below it `count` times; source and target advance
   by their strides each time. Level 0 repeats a beat: the bytes that the controller moves in one
   access. */
typedef struct irl_dma_level {
    int64_t count;
    int64_t source, target; /* the strides, in bytes */
    /* the values for the controller's fields. If irl_dma_controller.is_relative is 0, they are the
       strides. If it is 1, they are the numbers to add to the address at which the level below
       ended. At level 0: how far the address advances after a beat */
    int64_t source_step, target_step;
} irl_dma_level;

typedef struct irl_dma_transfer {
    int64_t              source, target; /* bytes from the start of each memory */
    int                  level_count;    /* at least 1 */
    const irl_dma_level *levels;         /* innermost first; the count of level 0 is in beats */
    /* a power of two: addresses of that side wrap around within the block of that many bytes,
       aligned to its size, that contains the first address. 0: they do not wrap */
    int64_t              source_wrap, target_wrap;
} irl_dma_transfer;

enum { IRL_DMA_LEVELS = 4 }; /* the most levels of a controller */

/* The limits of the fields of one level. If the name of a field is empty, the controller has no
   such field. */
typedef struct irl_dma_level_limits {
    const char *count_field, *source_field, *target_field;
    int64_t     most_count;            /* 0: any */
    /* in bytes. At level 0: the least and the most stride of a beat, if it may differ from the size
       of the beat; 0, 0: it may not */
    int64_t     least_step, most_step;
} irl_dma_level_limits;

/* A controller: one that irl_dma_controller_find returns, one that irl_dma_controller_parse reads
   from a text, or your own (zero is the default of the numbers). Level 0 copies beats that are
   adjacent on both sides, unless its limits allow other strides. */
typedef struct irl_dma_controller {
    const char          *name, *doc;
    /* the sum of the sizes that a beat may have, in bytes: powers of two up to 64, as in 1 + 2 */
    int                  beats;
    /* 1: a step is added to the address at which the level below ended; 0: to the address at which
       that level began */
    int                  is_relative;
    int                  may_stay;    /* 1: in level 0 the address of one side may stay the same */
    int                  level_count; /* 1 .. IRL_DMA_LEVELS */
    /* the field for the number of bytes that the levels below block_levels copy together */
    const char          *block_field;
    int64_t              block_bytes; /* the largest number in block_field; 0: any */
    const char          *ring_field;
    /* addresses may wrap around at up to 2^ring_bits bytes; 0: they cannot wrap */
    int                  ring_bits;
    irl_dma_level_limits level[IRL_DMA_LEVELS];
    int                  block_levels; /* 0: levels 0 and 1 */
    /* 1: least_step and most_step are in beats, as an offset in pixels is; 0: in bytes */
    int                  steps_in_beats;
    /* 1: the strides that the limits of level 0 allow are powers of two of either sign, and not
       less than a beat */
    int                  has_power_steps;
    /* 1: in each level above 0 a single field is added to the address of one side or of both */
    int                  has_one_step;
    /* the largest number in block_field (at least 64) if a step above level 0 is not 0. 0: it is
       block_bytes too */
    int64_t              offset_block_bytes;
    /* the field by which a transfer starts the next one, without the CPU; NULL or "": none */
    const char          *chain_field;
} irl_dma_controller;

/* irl_dma_controller_find returns the controller of that name ("generic", "stm32-gpdma", "edma3",
   "rp2040", "stm32-dma2d", "stm32-mdma", "nxp-edma", "esp32-gdma"), or NULL if there is none.
   irl_dma_controller_name returns the name of controller k, or NULL after the last.
   src/map/dma_controller.c has a row for each, with its source. */
IRL_API const irl_dma_controller *irl_dma_controller_find(const char *name);
IRL_API const char               *irl_dma_controller_name(int k);

/* irl_dma_controller_parse reads a controller from a text. The text has a line `key = value` for
   each field of irl_dma_controller that is not 0. The keys for the fields of level 0 begin with
   "level0_", and so on. Comments begin with two slashes. The keys `name`, `beats`, `level_count`,
   and `level0_count_field` for each level are necessary. `length` and `file` are as for
   irl_func_parse. On failure it returns NULL, and the diagnostic has the place of an unknown or
   repeated key, of a bad value, or of the end of the text if a key is missing.
   irl_dma_controller_text returns a controller as such a text, which parses to an equal controller;
   "" for NULL.
       how.controller = irl_dma_controller_parse(
           cx, "name = \"mine\" beats = 1, 2, 4 level_count = 1 level0_count_field = \"COUNT\"",
           IRL_TO_NUL, NULL); */
IRL_API const irl_dma_controller *irl_dma_controller_parse(irl_ctx *cx, const char *text,
                                                           size_t length, const char *file);
IRL_API const char *irl_dma_controller_text(irl_ctx *cx, const irl_dma_controller *controller);

/* How transfers are made. Zero is the default of every field. */
typedef struct irl_dma_options {
    irl_type                  element;    /* zero: f32 */
    int                       unpack;     /* 1: from the layout's memory into the plain array */
    const irl_dma_controller *controller; /* NULL: no limits, any number of levels */
    /* 1: a transfer that exceeds the controller's limits is split; 0: it is refused */
    int                       split;
    int64_t                   most;       /* the most transfers; 0: 4096 */
    /* the elements, if they are not whole bytes; `element` is then ignored. In the plain array they
       are side by side. In the layout's memory element n is at bit offset + n * stride. NULL:
       elements are whole bytes */
    const irl_bit_element    *bits;
    /* with `bits`. 1: the plain array has the opposite order of bits, and its numbers have the
       opposite byte order */
    int                       swap;
    /* with `bits`. 1: the list may overwrite bits of the target that belong to no element, such as
       the rest of a byte after the last element. 0: such a list is refused */
    int                       overwrite;
} irl_dma_options;

typedef struct irl_dma_list {
    const irl_map            *map;
    /* the shapes of the plain array and of the layout's memory (irl_map_memory) */
    irl_shape                 shape, memory;
    const irl_dma_controller *controller;    /* or NULL */
    int                       unpack;
    const irl_bit_element    *bits;          /* or NULL: whole bytes */
    /* in bytes. A beat is what the controller moves in one access. With `bits`, `element` is 0 */
    int64_t                   element, beat;
    int64_t                   plain_bytes, memory_bytes;
    /* the number of nested copies, before they were split to fit the controller */
    int                       copies;
    /* 1: it is proved that fewer copies are impossible; 0: not known */
    int                       is_least;
    /* why one copy does not suffice, with a point that shows it; "" if one suffices */
    const char               *reason;
    int                       count;
    const irl_dma_transfer   *transfers;     /* sorted by their starts in the target */
    /* the alignment that the transfers need for each memory, in bytes */
    int64_t                   source_align, target_align;
    /* with `bits`: a byte of the target, and a mask of its bits that are written but belong to no
       element */
    int                       overwritten;
    int64_t                   overwritten_byte;
} irl_dma_list;

/* Returns the transfers that copy a plain array of `shape` into the memory of a layout, or back. It
   returns one nested copy if that suffices, otherwise a few. Each byte of the target is written
   once; unused cells are not written. To pack, the map must be bijective or injective.
   To unpack, the map need only have a value at every point; if two points map to one cell, the cell
   is read twice. `how` may be NULL.
       const irl_map *map = irl_map_parse(cx, "(y, x) -> (x, 7 - y)");
       irl_dma_options how;
       memset(&how, 0, sizeof how);
       how.element = irl_type_of(IRL_U8, 1);
       how.controller = irl_dma_controller_find("edma3");
       const irl_dma_list *list = irl_dma_new(cx, map, IRL_SHAPE(8, 16), &how);
       puts(irl_dma_text(cx, list));
   A controller moves bytes. Elements that are not whole bytes can be moved only if each byte of the
   plain array is in one byte of the memory, at the same bits. Unused bits are not written, except
   after the last element of the plain array and after the last cell of the memory.
       irl_bit_element pixel;
       irl_bit_element_parse(cx, "u1 bits(msb)", &pixel);
       how.bits = &pixel;
       list = irl_dma_new(cx, irl_map_parse(cx, "(y, x) -> (y, x ^ 8)"), IRL_SHAPE(8, 16), &how);
   It returns NULL with one of these failures:
       LOSSY_MAP or another code of a map that is refused, with a witness
       DMA_LIST, if the layout needs more than `most` transfers
       DMA_BITS, with an element because of which a byte cannot be copied
       DMA_LIMIT, with the field that is too small, and the split that would fit
       UNDECIDED, if axes that share a term of the offset in memory have more than 2^22 points
         together, or if one axis has more than 2^20 runs at a constant stride. For elements that
         are not whole bytes also if copies end within bytes and the array has more than 2^22 points
   A shape with names is refused: use irl_dma_new_named. Axes that share no term of the offset are
   examined one by one, so the cost is linear in the points of axes that share a term, not in all
   points of the shape. Memory: 24 bytes for each of these points, and 81 bytes for each run. */
IRL_API const irl_dma_list *irl_dma_new(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                        const irl_dma_options *how);

/* Return the list of transfers as a text, as C99, and as JSON. The text has a line for each
   transfer. The C code needs only <stdint.h>. It has the struct of a transfer, a const array of
   transfers, and a function NAME_play that does what the controller does; NAME is `name`, or "dma"
   if that is NULL. */
IRL_API const char *irl_dma_text(irl_ctx *cx, const irl_dma_list *list);
IRL_API const char *irl_dma_c(irl_ctx *cx, const irl_dma_list *list, const char *name);
IRL_API const char *irl_dma_json(irl_ctx *cx, const irl_dma_list *list);

/* A transfer whose numbers are expressions over names; otherwise as irl_dma_level and
   irl_dma_transfer. */
typedef struct irl_dma_named_level {
    const struct irl_expr *count, *source, *target, *source_step, *target_step;
} irl_dma_named_level;

typedef struct irl_dma_named {
    const irl_map             *map;
    irl_shape                  shape, memory;
    const irl_dma_controller  *controller; /* or NULL */
    int                        unpack;
    int64_t                    element, beat;
    const struct irl_expr     *source, *target; /* bytes from the start of each memory */
    int                        level_count;
    const irl_dma_named_level *levels; /* innermost first */
    /* the values of the names for which the transfer is right and fits the controller; NULL: all
       from 1 on */
    const struct irl_expr     *where;
} irl_dma_named;

/* Returns the transfer for a shape or a map with names: a single nested copy. If a count is 0 there
   is nothing to copy. The offset in memory must be a sum of digits of the indices times strides,
   for all values of the names. An axis has digits, such as c / 4 and c % 4, if its extent is proved
   to be a multiple (4*C). The call returns NULL on failure. The failure is UNDECIDED if that is not
   proved, DMA_LIMIT if no values of the names fit the controller (lists with names are not split),
   UNSUPPORTED for elements of bits, or a failure of irl_dma_new.
       shape = irl_shape_of(2, extents);
       const irl_dma_named *any = irl_dma_new_named(cx, map, shape, NULL);
       puts(irl_dma_named_text(cx, any)); */
IRL_API const irl_dma_named *irl_dma_new_named(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                               const irl_dma_options *how);
IRL_API const char *irl_dma_named_text(irl_ctx *cx, const irl_dma_named *list);
#endif

/* ================================================================== >>running */

/* The arguments of a run: a pointer for each parameter, in order. For a buffer, pass a pointer to
   an array that is compact and in row-major order of the logical indices. For an index, pass a
   pointer to an int64_t; for another scalar, pass a pointer to its value. The memory remains yours.
   The run writes only to arrays of buffers that the function writes. For func f(N: index, x:
   f32[N], y: f32[N]):
       int64_t n = 10;
       irl_func_interpret(f, IRL_ARGS(&n, x, y));
   IRL_ARGS records the size of the object that each pointer points to. A run refuses doubles for
   f32, or an int for an index (IRL_ERROR_ARGUMENT_MISMATCH). It accepts a number as large as the
   scalar of the parameter's type (f32: 4 bytes, index: 8, bool: 1, f16: 2). It accepts a struct as
   large as an element that is a vector (f32x4), and an array as large as a row, a plane, ... of the
   buffer: float x[64][3] for f32[64, 3]. It cannot find out that an object of 4 bytes is an int
   where the function expects an f32, or how long an array is. Arguments that are irl_tensors state
   this, and are checked.

   Use IRL_POINTERS to pass NULL, void *, a cl_mem, or memory that is an array of bytes in C; it
   records no sizes, so nothing is checked. If you fill in the struct by hand, clear it first. */
#define IRL_MAX_ARGUMENTS 32
typedef struct irl_arguments {
    int           count;
    const void   *data[IRL_MAX_ARGUMENTS];
    /* the bytes of the object that data[k] points to; 0: not known */
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

/* An argument that can be checked: data, type, shape and size in bytes. If all fields after `bytes`
   are zero, the tensor is compact memory of the CPU that begins at `data`. The fields after `bytes`
   are checked too: strides must be those of compact memory, except of axes with one element; the
   byte offset must keep elements aligned and within the bytes; all arguments must be on the CPU; no
   argument may overlap an argument that is written. The diagnostic names the argument and the axis,
   what was expected and what was found. */
typedef struct irl_tensor {
    void          *data;
    irl_type       type;
    irl_shape      shape; /* without names; rank 0 for a scalar */
    size_t         bytes;
    const int64_t *strides;     /* in elements, one for each axis; NULL: compact */
    uint64_t       byte_offset; /* from `data` to the first element */
    int            device_type, device_id; /* as in DLPack; the CPU is 1, 0, and also 0, 0 */
    /* the bits of an element, in the bit order of the buffer; 0: elements are whole bytes */
    int            bits;
} irl_tensor;

/* An argument of a host function that checks its arguments (irl_c_options.is_checked,
   irl_module_check_arguments): an integer, a number, or a tensor in the form of DLPack.
   irl_dltensor has the fields of DLTensor; it is DLTensor if dlpack.h was included before this
   file. */
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
    int  check; /* the number of the check that failed; 0: no check failed */
    char message[160];
} irl_refusal;
#endif

#ifndef IRLAYOUT_MAPS_ONLY
/* Returns the checks of a host function's arguments, as a function that consists of assertions.
   They check the number of arguments; their kinds, before a pointer is followed; the rank, type,
   extents, strides, byte offset, address and device of each tensor; and that no argument that is
   written overlaps another argument. Extents are those in memory (irl_func_param_memory).
   irl_module_check_arguments runs this function, and so does emitted C with
   irl_c_options.is_checked. The function is owned by the context. It is NULL with
   IRL_ERROR_UNSUPPORTED if the module has a parameter that does not fit an irl_packed. */
IRL_API irl_func *irl_module_host_checks(const irl_module *m);

/* Returns 1 if the arguments fit the parameters of the module. Otherwise it returns 0 with
   IRL_ERROR_ARGUMENT_MISMATCH; the diagnostic names the argument and the axis, what was expected
   and what was found. The memory at `data` is not touched. */
IRL_API int irl_module_check_arguments(const irl_module *m, int count, const irl_packed *arguments);

#ifndef IRLAYOUT_NO_INTERPRETER
/* Run a function (at any stage of lowering) or a module on logical arrays, by the reference
   interpreter. The interpreter packs the arrays through the layouts, runs the function, and unpacks
   the arrays that are written. The call returns 1, or 0 with a diagnostic if there is an error,
   such as an access out of range, a race, a divergent barrier or an undefined result. After an
   error the arrays keep their values. A layout that is not applied yet (irl_func_layout_count) has
   no effect. Temporaries of a module share memory as irl_plan says. A kernel that reads a temporary
   before it is written gets an undefined value, even if another temporary left bytes there. Cost:
   very roughly a microsecond for each statement that is executed. The interpreter is for tests, not
   for speed. */
IRL_API int irl_func_interpret(const irl_func *f, irl_arguments arguments);
IRL_API int irl_module_interpret(const irl_module *m, irl_arguments arguments);

/* Do the same with arguments that are checked before anything runs (irl_tensor). There may be any
   number of them: a graph may have more inputs than IRL_ARGS can take. */
IRL_API int irl_func_interpret_tensors(const irl_func *f, int count, const irl_tensor *tensors);
IRL_API int irl_module_interpret_tensors(const irl_module *m, int count,
                                         const irl_tensor *tensors);

/* Requests error bounds from a run (running error analysis). Set errors[k] to an array with one
   double for each number of argument k (each lane of an element), or to NULL if you do not need its
   bounds. The run writes an error bound for each result into this array: how far the result may be
   from the result of exact real arithmetic on the same inputs, on any machine that the library
   emits for.

   The error of an operator is what the errors of its operands cause, plus its own error: half a
   unit in the last place for + - * and fma (one unit for f16 and bf16), OpenCL's bound for other
   functions, and the whole value for a subnormal result (except f64). Inputs count as exact.

   A comparison is undecided if the errors of its operands allow both outcomes. A bound is infinite
   after an overflow, if a divisor may be zero, for floats that an external function wrote, and for
   a value that depends on an undecided comparison. The bound of an integer is 0 or infinite. If the
   condition of an `if`, the extent of a loop or the index of a store is undecided, all bounds are
   infinite.

   Cost: about twice the time. The run also needs more memory: all its memory is divided into cells
   of the size of the program's smallest scalar type, and each cell takes 8 more bytes. */
typedef struct irl_interpret_options {
    double *const *errors;    /* one pointer for each argument; NULL: no bounds */
    /* with `errors`: becomes the number of undecided comparisons and conversions to integers; may
       be NULL */
    int64_t       *undecided;
} irl_interpret_options;

IRL_API int irl_func_interpret_with(const irl_func *f, irl_arguments arguments,
                                    const irl_interpret_options *how);
IRL_API int irl_module_interpret_with(const irl_module *m, irl_arguments arguments,
                                      const irl_interpret_options *how);
#endif

/* Writes type, logical shape and bytes of parameter k of a function to *out; out->data becomes
   NULL. If the shape depends on integer parameters, their values are read from `arguments`; other
   pointers in `arguments` may be NULL. Returns 1, or 0 with a diagnostic. */
IRL_API int irl_func_param_tensor(const irl_func *f, int k, irl_arguments arguments,
                                  irl_tensor *out);

/* Writes the same about the buffer in memory: its shape after the layouts are applied, and its
   bytes. Use it to allocate memory if you pack the array yourself:
       irl_tensor memory;
       irl_func_param_memory(irl_module_host(m), 0, IRL_POINTERS(NULL, NULL), &memory);
   memory is f32[3, 4] for x: f32[10], 48 bytes. */
IRL_API int irl_func_param_memory(const irl_func *f, int k, irl_arguments arguments,
                                  irl_tensor *out);

/* Returns the number of the first of `count` elements in which two arrays differ; -1 if no element
   differs. Integers are compared bit for bit. Floats are equal if they are at most `ulp`
   representable numbers apart, both NaN, both zero, or both subnormal (except f64). */
IRL_API int64_t irl_array_difference(irl_type type, int64_t count, const void *a, const void *b,
                                     int ulp);

/* Returns the number of the first of `count` elements in which the results of two runs differ by
   more than their error bounds (irl_interpret_options) allow; -1 if there is none. Use it to
   compare a function before and after steps that change rounding, such as `contract` and
   `reassociate`. You need not choose a tolerance:
       double y_errors[9], z_errors[9], *of_y[] = { NULL, y_errors }, *of_z[] = { NULL, z_errors };
       irl_interpret_options by_f = { of_y, NULL }, by_g = { of_z, NULL };
       irl_agreement sum = { 0, 0, 0 };
       irl_func_interpret_with(f, IRL_POINTERS(x, y), &by_f);
       irl_func_interpret_with(g, IRL_POINTERS(x, z), &by_g);
       irl_array_beyond(irl_type_of(IRL_F32, 1), 9, y, y_errors, z, z_errors, &sum);
   The counts are added to *sum, so one *sum may cover several arrays. `sum` may be NULL. */
typedef struct irl_agreement {
    int64_t numbers;
    int64_t unbounded; /* numbers with an infinite bound, which agree with everything */
    double  worst;     /* the largest |a - b| / (bound of a + bound of b) of the other numbers */
} irl_agreement;

IRL_API int64_t irl_array_beyond(irl_type type, int64_t count, const void *a,
                                 const double *a_errors, const void *b, const double *b_errors,
                                 irl_agreement *sum);

/* Returns the `ulp` for irl_array_difference if one function or module runs on different machines.
   It is 0 if the function only adds, subtracts, multiplies, fuses and rounds. It is 16, the largest
   of OpenCL's bounds, if it divides, takes roots or calls any other function. Do not use it to
   compare a function with the module that it was lowered to, because lowering may change rounding.
   Compare these by irl_array_beyond, or compare the module with irl_module_scheduled. */
IRL_API int irl_func_tolerance(const irl_func *f);
#endif

/* ================================================================== >>graphs */

#ifndef IRLAYOUT_NO_GRAPHS
/* A graph. Its nodes are calls of functions, one after the other, and its edges are tensors. In the
   library's language:

     graph net {
         func scale(x: f32[n], a: f32, y: f32[n]) { for (i: n) y[i] = x[i] * a; }
         func add(x: f32[n], y: f32[n], z: f32[n]) { for (i: n) z[i] = x[i] + y[i]; }
         input x: f32[100];
         t = scale(x, 2.0);
         y = add(t, x);
         output y;
     }

   The parameters that a function writes are its results, in order. The other parameters are its
   arguments: tensors, or constants for scalars. Names in the shapes of parameters get their values
   from the tensors that are passed as arguments; the shapes of results follow. A tensor is written
   by one node, and only later nodes may read it, so there are no cycles. Extents of tensors are
   numbers. */
typedef struct irl_graph irl_graph;

typedef struct irl_graph_tensor {
    const char *name;
    irl_type    type;  /* of an element */
    irl_shape   shape; /* the logical shape, without names */
    int         node;  /* the number of the node that writes it; -1: an input */
    int         is_output;
} irl_graph_tensor;

typedef struct irl_graph_node {
    const irl_func               *func;
    /* the number of the tensor for each parameter of func; -1 for a scalar */
    const int                    *tensors;
    /* the value for each scalar parameter, implicit parameters included; NULL for a tensor */
    const struct irl_expr *const *scalars;
    const unsigned char          *is_result; /* 1: the function writes the parameter */
} irl_graph_node;

/* Returns the graph in a text that starts with "graph". The graph is verified. On failure it
   returns NULL, and the diagnostic has the place: IRL_ERROR_BAD_GRAPH if an argument does not fit
   its parameter, UNKNOWN_NAME if no earlier node writes a tensor, DUPLICATE_NAME if a tensor is
   written twice. `length` and `file` are as for irl_func_parse. Cost: linear in the text. */
IRL_API irl_graph *irl_graph_parse(irl_ctx *cx, const char *text, size_t length, const char *file);

/* Returns the graph as a text, owned by the context, which parses to an equal graph. */
IRL_API const char *irl_graph_text(const irl_graph *g);

/* Returns this text with the constants of its functions by name, as irl_func_text_named does. */
IRL_API const char *irl_graph_text_named(const irl_graph *g);

/* Returns 1 if the two graphs have equal functions, and tensors, nodes, inputs and outputs with the
   same names in the same order. */
IRL_API int irl_graph_equal(const irl_graph *a, const irl_graph *b);

/* irl_graph_json returns a graph as JSON. irl_graph_parse_json returns the graph in such a text,
   which equals the original graph. It verifies the graph; on failure it returns NULL, and the
   diagnostic has the place. Nesting, axes and extents are limited, and unknown members are skipped.

   The JSON has the form that graph runtimes such as TVM's use: `nodes` (inputs, whose op is "null",
   and calls of attrs.func_name with inputs [row, output, 0]), `arg_nodes`, `heads`, `node_row_ptr`,
   and `attrs` of all outputs of all rows: dltype, shape, storage_id (equal for tensors that may
   share memory), and storage_scope (missing if all scopes are global). This library adds four
   members:
     functions   the texts of the functions
     scalars     the scalar arguments of the nodes
     results     the names of a node's results, if it has several
     name        the graph's name */
IRL_API const char *irl_graph_json(const irl_graph *g);
IRL_API irl_graph  *irl_graph_parse_json(irl_ctx *cx, const char *text, size_t length,
                                         const char *file);

/* Returns the graph in a text of either form. The text is taken as JSON if its first character that
   is not blank is '{'. */
IRL_API irl_graph  *irl_graph_load(irl_ctx *cx, const char *text, size_t length, const char *file);

/* The parts of a graph, from which irl_graph_new makes it: inputs (name, type, shape), nodes in an
   order in which they can run, and the names of outputs. A node calls a function: it has an
   argument for each parameter that is not a result, in order, and the names of the tensors that its
   results become. The graph is verified as irl_graph_parse does. */
typedef struct irl_graph_argument {
    const char            *tensor; /* NULL: `scalar` is the argument */
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
   declared, any other tensor where a node writes it. If there is no tensor or node k, the result is
   NULL; if there is no input or output k, it is -1. */
IRL_API const char *irl_graph_name(const irl_graph *g);
IRL_API int         irl_graph_tensor_count(const irl_graph *g);
IRL_API int         irl_graph_node_count(const irl_graph *g);
IRL_API int         irl_graph_input_count(const irl_graph *g);
IRL_API int         irl_graph_output_count(const irl_graph *g);
IRL_API const irl_graph_tensor *irl_graph_tensor_of(const irl_graph *g, int k);
IRL_API const irl_graph_node   *irl_graph_node_of(const irl_graph *g, int k);
IRL_API int irl_graph_input(const irl_graph *g, int k); /* the number of its tensor */
IRL_API int irl_graph_output(const irl_graph *g, int k);

/* Returns one function that computes the same as the whole graph, and so defines what the graph
   means. Its parameters are the inputs, then the outputs; its body consists of the bodies of all
   nodes. The layouts and scopes of the nodes' functions are left out, except a lossy layout of an
   input: the caller of a lowered graph passes that memory. */
IRL_API irl_func *irl_graph_func(const irl_graph *g);

#ifndef IRLAYOUT_NO_SCHEDULES
/* What irl_graph_fuse did. */
typedef struct irl_graph_fusion {
    int         count; /* the number of nodes that became part of another node */
    /* the bytes of the tensors that are no longer needed between nodes */
    int64_t     bytes;
    const char *text;  /* a line for each pair of nodes that was examined: fused, or why not */
} irl_graph_fusion;

/* Returns the graph after fusing nodes. If a tensor is not an output and only one node reads it,
   the tensor is computed where it is read (by the primitive compute_inline), unless it would then
   be computed more often. Otherwise the reading node is computed where the tensor is written (by
   reverse_compute_inline). Last, if a tensor is a sum and its reader computes each cell from the
   same cell of the sum, the two nodes become one; the sum is kept inside of this node. Two nodes
   are not fused if the primitives refuse it, or if one of their functions has layouts, scopes or
   schedules. A fused node gets a new function, such as `scale_add`; equal pairs of nodes get the
   same function. The results are bit for bit those of g. `fusion` may be NULL. The call returns
   NULL on failure. Cost: that of the primitive, for each pair. */
IRL_API irl_graph *irl_graph_fuse(const irl_graph *g, irl_graph_fusion *fusion);
#endif

/* The place of a tensor of a graph: its scope and its layout. */
typedef struct irl_graph_place {
    irl_scope      scope;
    const irl_map *map;    /* the layout; NULL: row-major */
    /* why the tensor is in this place, and not in an image; NULL: no function states a place */
    const char    *reason;
} irl_graph_place;
#define IRL_MAX_IMAGE_TRIES 8

/* How places are found. Zero is the default of every field. */
typedef struct irl_graph_storage_options {
    /* a function of yours that replaces the target's rule: it fills in `places`, one for each
       tensor. A place that a function states already has a reason. Return 0 to refuse the graph,
       else 1. NULL: the target's rule decides */
    int (*collect)(void *user, const irl_graph *g, irl_graph_place *places);
    void   *user;
    /* the largest width and height of the device's images, in texels. 0, or a number above the
       target's limit: the target's limit */
    int64_t max_width, max_height;
    int     no_images;             /* 1: the device has no images */
    /* for each tensor NULL, or the reason why the target's rule must leave it in plain memory.
       plain NULL: no tensor must stay there */
    const char *const *plain;
    /* a function of yours that is called for each image of two dimensions before the target's rule
       uses it. Return 1 if the device can make the image. Otherwise return 0 and set *why to the
       device's answer, which must stay valid until the next call. NULL: the device can make every
       image */
    int (*try_image)(void *try_user, const irl_graph_tensor *tensor, int64_t width, int64_t height,
                     const char **why);
    void *try_user;
} irl_graph_storage_options;

/* Returns the graph with a layout and a scope for each tensor. If a node's function states a place
   for a tensor, the tensor keeps it. Any other tensor takes the layout that most of the nodes
   around it state; the remaining nodes get copies of the tensor when the graph is lowered. If a
   node computes each cell of its result from the same cell of an argument, the result takes the
   layout of the argument, or the argument that of the result.

   The target decides about tensors that have no place yet. If its column image_tensors is 1, a
   tensor of 4 or 5 axes is put into an image. Several layouts are tried: first the known
   conventions, the squarest image first; then the best layout that irl_texture_candidates finds
   with the last axis as the channel; then other two-dimensional layouts without waste, the squarest
   first. A layout is rejected if the image exceeds the limits of the device or of the target, if
   try_image refuses it, or if a node that uses the tensor cannot be lowered with it. (If this is
   because of the arguments of the node, their layouts change; else those of its results do.) Then
   the next layout whose image has another width or height is tried. After IRL_MAX_IMAGE_TRIES
   layouts the tensor stays in plain memory. Its reason names the first layout that was rejected,
   and why.

   All results of one node must be in one scope; otherwise the failure is IRL_ERROR_BAD_GRAPH. *text
   says for each tensor where it is and why; `text` may be NULL. The call returns NULL on failure.
   Cost: one lowering for each node that uses a tensor of which an image is tried, and for each
   layout that is tried; nodes with the same function, shapes and places are lowered once.
       const char *why;
       g = irl_graph_place_tensors(g, &irl_target_adreno, NULL, &why);
       m = irl_graph_lower(g, &irl_target_adreno); */
IRL_API irl_graph *irl_graph_place_tensors(const irl_graph *g, const irl_target *target,
                                           const irl_graph_storage_options *how,
                                           const char **text);

/* Returns one module for the whole graph. The parameters of its host function are the inputs, then
   the outputs. The host function allocates the other tensors and launches the kernels of all nodes.
   Each node's function is lowered with numbers for its names, which follow from the node's
   arguments, and with the options `how`; with NULL, and by irl_graph_lower, it is scheduled as
   irl_schedule_auto does. Two nodes with the same function and the same numbers share their
   kernels. A tensor has the layout and scope that the function that writes it states; an input has
   the layout and scope that its first reader states. A node that states another layout or scope
   gets a copy, made by a kernel `copy`. The call returns NULL with a diagnostic on failure.
       irl_graph  *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net.irl");
       irl_module *m = irl_graph_lower(g, &irl_target_opencl12);
       irl_module_interpret(m, IRL_ARGS(x, y));           computes what irl_graph_func(g) does */
IRL_API irl_module *irl_graph_lower(const irl_graph *g, const irl_target *target);
IRL_API irl_module *irl_graph_lower_with(const irl_graph *g, const irl_target *target,
                                         const irl_lower_options *how);
#endif

/* ================================================================== >>building */

/* Operators: IRL_OP_ADD, ... src/ir/ops.h has a row for each operator: its text, the types of its
   operands and its result, and its meaning. In the library's language `/` and `%` of integers round
   down: they are IRL_OP_FLOORDIV and IRL_OP_FLOORMOD. C's division is IRL_OP_TRUNCDIV. */
typedef enum irl_op {
#define IRL_OPERATOR(name, text, form, arity, precedence, rule, eval, ocl, doc) IRL_OP_##name,
#include "src/ir/ops.h"
    IRL__OP_COUNT,
    IRL_OP_NONE = IRL__OP_COUNT /* the operator of NULL */
} irl_op;

/* How the iterations of a loop run. PARALLEL and VECTORIZED promise that no iteration accesses a
   cell that another iteration writes. The target may then run the iterations in any order, at once,
   or several of them in step, statement by statement. The interpreter reports a broken promise
   (IRL_ERROR_DATA_RACE). Lowering refuses a loop if it proves that two iterations touch one cell
   that one of them writes; the diagnostic names the iterations and the cell. */
typedef enum irl_for_kind {
    IRL_SERIAL = 0,
    IRL_PARALLEL,
    IRL_VECTORIZED,
    IRL_UNROLLED,
    IRL_BOUND
} irl_for_kind;

/* Axes of work-items, for bound loops. GROUP is the number of the work-group, LOCAL the number of
   the work-item in its group, GLOBAL the number of the work-item in the whole range. */
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
   its operands, and converts no operand. The call returns NULL with a diagnostic if the types do
   not fit. It returns NULL without a new diagnostic if the context has already failed or an operand
   is NULL. Cost: constant, because operands are shared. */

/* an integer constant; a value that is too wide for the type wraps */
IRL_API const irl_expr *irl_expr_int(irl_ctx *cx, irl_type type, int64_t value);
IRL_API const irl_expr *irl_expr_index(irl_ctx *cx, int64_t value); /* a constant of type index */

/* a float constant, rounded to the type */
IRL_API const irl_expr *irl_expr_float(irl_ctx *cx, irl_type type, double value);

/* a variable; each call makes a new one, even if the name is the same */
IRL_API const irl_expr *irl_expr_var(irl_ctx *cx, const char *name, irl_type type);

/* An operator of one, two or three operands: irl_expr_op2(cx, IRL_OP_ADD, a, b) is a + b. Both
   operands of + must have the same type. */
IRL_API const irl_expr *irl_expr_op1(irl_ctx *cx, irl_op op, const irl_expr *a);
IRL_API const irl_expr *irl_expr_op2(irl_ctx *cx, irl_op op, const irl_expr *a, const irl_expr *b);
IRL_API const irl_expr *irl_expr_op3(irl_ctx *cx, irl_op op, const irl_expr *a, const irl_expr *b,
                                     const irl_expr *c);

/* cast: a, converted to another type with the same number of lanes. reinterpret: the bits of a as
   another type with the same number of bytes. undef: an unspecified value, for results that are not
   used. */
IRL_API const irl_expr *irl_expr_cast(irl_ctx *cx, irl_type type, const irl_expr *a);
IRL_API const irl_expr *irl_expr_reinterpret(irl_ctx *cx, irl_type type, const irl_expr *a);
IRL_API const irl_expr *irl_expr_undef(irl_ctx *cx, irl_type type);

/* Vectors. ramp: base, base + stride, ... broadcast: a in every lane. shuffle: lane k of the result
   is lane picks[k] of the vectors, whose lanes are numbered one vector after the other. */
IRL_API const irl_expr *irl_expr_ramp(irl_ctx *cx, const irl_expr *base, const irl_expr *stride,
                                      int lanes);
IRL_API const irl_expr *irl_expr_broadcast(irl_ctx *cx, const irl_expr *a, int lanes);
IRL_API const irl_expr *irl_expr_shuffle(irl_ctx *cx, int count, const irl_expr *const *vectors,
                                         int lanes, const int *picks);

/* The value of `body`, in which `var` has the value `value`. */
IRL_API const irl_expr *irl_expr_let(irl_ctx *cx, const irl_expr *var, const irl_expr *value,
                                     const irl_expr *body);

/* load: buffer[indices], with one index for each axis; the last index may be a vector. extern: a
   call of a function of your program; your program must link it with the emitted code. */
IRL_API const irl_expr *irl_expr_load(irl_ctx *cx, const irl_buffer *buffer, int rank,
                                      const irl_expr *const *indices);
IRL_API const irl_expr *irl_expr_extern(irl_ctx *cx, irl_type type, const char *name, int count,
                                        const irl_expr *const *args);

/* Return the type of an expression, and its text, which is owned by the context. */
IRL_API irl_type        irl_expr_type(const irl_expr *e);
IRL_API const char     *irl_expr_text(irl_ctx *cx, const irl_expr *e);

/* Returns the expression in a text, which may refer to the variables `vars` by name. On failure it
   returns NULL, and the diagnostic points into the text. */
IRL_API const irl_expr *irl_expr_parse(irl_ctx *cx, const char *text, int count,
                                       const irl_expr *const *vars);

/* The values of an integer variable, from lo to hi, both included. */
typedef struct irl_range {
    const irl_expr *var;
    int64_t         lo, hi;
} irl_range;

/* Returns a simpler expression that has the same value for all values of the variables in the
   ranges. A variable without a range may have any value. The result overflows or divides by 0 only
   for values for which e does too; for these it may also have a value. The narrower the ranges, the
   simpler the result. The call returns NULL with IRL_ERROR_BAD_ARGUMENT if a range is empty; with
   DIVISION_BY_ZERO or BAD_VALUE if e has no value, whatever values the variables have (c / 0).
       c/4*4 + c%4 with c in [0, 63] is c;   c < 64 is true
       c % 5 * 2 % 5 is c * 2 % 5 with c in [0, 63]; without a range it stays, as c * 2 may overflow
   Cost: linear in the nodes of e, times the number of terms of a sum that is merged. */
IRL_API const irl_expr *irl_expr_simplify(irl_ctx *cx, const irl_expr *e, int count,
                                          const irl_range *ranges);

/* Return a buffer with `rank` extents of type index, compact and row-major. irl_buffer_new returns
   a buffer with new memory at each call. irl_buffer_alias returns another view of the memory of
   `of`, with other axes or other elements: vectors over scalars, scalars over vectors, or the same
   bits as another type.

   A view must be declared (irl_stmt_decl) before it is used, where its memory is visible. It must
   have the same scope and the same number of separators as its memory, and no more bytes. The
   alignment that its elements need must not exceed that of its memory. The library assumes that a
   parameter or allocation is aligned to 128 bytes, which suits every type, and which OpenCL
   promises; if a parameter has a smaller alignment, it must state align(n). The verifier refuses a
   view that breaks a rule (IRL_ERROR_BAD_ALIAS, BAD_SEPARATORS, TYPE_MISMATCH). Views of one memory
   may have different types: their elements are read and written as bytes, so no access is undefined
   because of that. src/pass/type_memory.c says how targets access views. */
IRL_API const irl_buffer *irl_buffer_new(irl_ctx *cx, const char *name, irl_type element,
                                         irl_scope scope, int rank, const irl_expr *const *shape);
IRL_API const irl_buffer *irl_buffer_alias(irl_ctx *cx, const char *name, const irl_buffer *of,
                                           irl_type element, int rank,
                                           const irl_expr *const *shape);

/* The properties that a buffer may have besides its type and shape. In a text they come after the
   shape. Zero is the default of every field. */
typedef struct irl_buffer_desc {
    /* if set, the result is a view of this buffer's memory, as by irl_buffer_alias; NULL: new
       memory */
    const irl_buffer      *of;
    /* if set, the result is a view of the memory that this variable of pointer type points to */
    const irl_expr        *pointer;
    /* in elements, one for each axis; NULL: compact and row-major */
    const irl_expr *const *strides;
    const irl_expr        *offset;    /* in elements, from the start of the memory; NULL: 0 */
    /* the alignment of the start of the memory, in bytes, a power of two; 0: not stated */
    int                    alignment;
    int                    separator_count;
    /* the number of the first axis of each group after the first group */
    const int             *separators;
    int                    texel;     /* the lanes of an image's texel; 0: 4 */
} irl_buffer_desc;

/* Returns a buffer with these properties: f32[4, 4] strides(8, 1) offset(2). `desc` may be NULL. */
IRL_API const irl_buffer *irl_buffer_new_with(irl_ctx *cx, const char *name, irl_type element,
                                              irl_scope scope, int rank,
                                              const irl_expr *const *shape,
                                              const irl_buffer_desc *desc);

/* Returns a view of field k of consecutive records in the memory of a buffer, for irl_stmt_decl.
   Its first `rank` axes, with the extents `shape`, count the records. The call returns NULL with a
   diagnostic on failure, for example if irl_record_check does not accept the record
   (IRL_ERROR_LOSSY_MAP, MAP_OUT_OF_RANGE). */
IRL_API const struct irl_buffer *irl_record_view(const irl_record *record, int k,
                                                 const struct irl_buffer *memory, int rank,
                                                 const struct irl_expr *const *shape);

/* Returns a pointer to the buffer's memory, which may be an argument of a launch or a call. In a
   text it is written as the buffer's name without indices. */
IRL_API const irl_expr *irl_buffer_pointer(const irl_buffer *buffer);

/* Returns a call of a function that the target provides: texture2d_load(x, column, row), ...
   (docs/grammar.md, Images). */
IRL_API const irl_expr *irl_expr_intrinsic(irl_ctx *cx, irl_type type, const char *name, int count,
                                           const irl_expr *const *args);

/* Statements. When the function is verified, everything must be declared before its use, and each
   access must have one index for each axis. A let, an allocation and a declaration are visible up
   to the end of the sequence that contains them. The builders return NULL with a diagnostic if the
   operands do not fit, and NULL without a new diagnostic if the context has already failed or an
   operand is NULL. examples/07_builder.c and 32_builders_more.c build functions. */

/* buffer[indices] = value */
IRL_API const irl_stmt *irl_stmt_store(irl_ctx *cx, const irl_buffer *buffer, const irl_expr *value,
                                       int rank, const irl_expr *const *indices);

/* for: a loop with `extent` iterations, the first of which has the value `min`; a negative extent
   means no iterations. `kind` must not be IRL_BOUND. for_bound: a loop whose variable is the number
   of the work-item along an axis. */
IRL_API const irl_stmt *irl_stmt_for(irl_ctx *cx, irl_for_kind kind, const irl_expr *var,
                                     const irl_expr *min, const irl_expr *extent,
                                     const irl_stmt *body);
IRL_API const irl_stmt *irl_stmt_for_bound(irl_ctx *cx, irl_axis axis, const irl_expr *var,
                                           const irl_expr *extent, const irl_stmt *body);

/* seq: statements one after the other. */
IRL_API const irl_stmt *irl_stmt_seq(irl_ctx *cx, int count, const irl_stmt *const *stmts);

/* if: then_ if the condition is true, else else_, which may be NULL. */
IRL_API const irl_stmt *irl_stmt_if(irl_ctx *cx, const irl_expr *condition, const irl_stmt *then_,
                                    const irl_stmt *else_);

/* let: a name for a value. alloc: new memory. decl: a view of memory (irl_buffer_alias). */
IRL_API const irl_stmt *irl_stmt_let(irl_ctx *cx, const irl_expr *var, const irl_expr *value);
IRL_API const irl_stmt *irl_stmt_alloc(irl_ctx *cx, const irl_buffer *buffer);
IRL_API const irl_stmt *irl_stmt_decl(irl_ctx *cx, const irl_buffer *alias);

/* assume: a condition that the caller of the function guarantees, and that the simplifier may use.
   assert: a condition that is checked at run time, and the message if it is false. */
IRL_API const irl_stmt *irl_stmt_assume(irl_ctx *cx, const irl_expr *condition);
IRL_API const irl_stmt *irl_stmt_assert(irl_ctx *cx, const irl_expr *condition,
                                        const char *message);

#define IRL_MAX_MESSAGE_VALUES 8

/* Returns an assert whose message contains values of type index: the next value replaces each {}.
   There may be at most IRL_MAX_MESSAGE_VALUES values. In a text: assert(n < 9, "n is {}", n); */
IRL_API const irl_stmt *irl_stmt_assert_values(irl_ctx *cx, const irl_expr *condition,
                                               const char *message, int count,
                                               const irl_expr *const *values);

/* A barrier: every work-item of the group waits for the others. After the barrier, each work-item
   sees the values that the others have written to memory of this scope: IRL_SCOPE_SHARED or
   IRL_SCOPE_GLOBAL. */
IRL_API const irl_stmt *irl_stmt_barrier(irl_ctx *cx, irl_scope scope);

/* A statement that evaluates e, usually a call, for its effect. */
IRL_API const irl_stmt *irl_stmt_evaluate(irl_ctx *cx, const irl_expr *e);

/* note(key = value) or note(key = "text"): set exactly one of `value` and `text`. Passes keep notes
   that they do not know. */
typedef struct irl_note {
    const char     *key;
    const irl_expr *value;
    const char     *text;
} irl_note;

/* irl_stmt_set_note returns the loop or block with one more note, which replaces a note with the
   same key. irl_stmt_attr returns a statement that puts `body` under an attribute.
   irl_func_set_attr returns the function with one more attribute. */
IRL_API const irl_stmt *irl_stmt_set_note(irl_ctx *cx, const irl_stmt *loop_or_block,
                                          irl_note note);
IRL_API const irl_stmt *irl_stmt_attr(irl_ctx *cx, irl_note note, const irl_stmt *body);
IRL_API irl_func       *irl_func_set_attr(const irl_func *f, irl_note note);

/* A block: a computation over axes that belong to it, each bound to an expression of the loops
   around the block. Zero is the default of every field except name and body. In a text: block
   name(axes) where(...) reads(...) writes(...) { alloc ...; match ...; init ... body } */
typedef struct irl_block_axis {
    const irl_expr *var, *extent; /* the variable takes the values [0, extent) */
    /* the value that the variable is bound to, over variables from outside of the block */
    const irl_expr *binding;
    int             is_reduction; /* 0: spatial: points are computed independently */
    /* 1: the kind is not stated; is_reduction is 0 (docs/grammar.md, Kinds) */
    int             is_unstated;
} irl_block_axis;
typedef struct irl_region {
    const irl_buffer      *buffer;
    const irl_expr *const *min, *const *extent; /* one for each axis; extent NULL: all 1 */
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
    const irl_buffer *const *allocs;  /* memory that the block allocates */
    const irl_match       *matches;
    const irl_note        *notes;
    /* runs before the body if all reduction axes are 0; NULL: nothing runs */
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
    /* 1: the scalar is declared only by shapes: irl_func_param_is_implicit */
    int               is_implicit;
} irl_param_desc;

IRL_API irl_func *irl_func_new(irl_ctx *cx, const char *name, int count,
                               const irl_param_desc *params, const irl_stmt *body);

/* The prototype of an external function that a function calls. In a text it comes between the
   parameters and the body:
       extern scale(x: ptr(f32, global) reads(n), y: ptr(f32, global) writes(n), n: index): f32
   Calls must fit the prototype. Emitted C and OpenCL C declare the function with it. The library
   trusts the statements of a prototype about memory. The interpreter refuses a write that the
   prototype does not state (IRL_ERROR_BROKEN_PROTOTYPE), but it cannot see reads.

   A parameter is a variable (irl_expr_var): a number or a pointer. For a pointer, `reads` states
   that the function reads its memory, and `writes` states that it writes it: the first `read_count`
   or `write_count` elements. Each count is an expression of type index over the integer parameters;
   NULL: any elements. Elements that are not written must keep their values. If neither `reads` nor
   `writes` is set, the call may do anything to the memory of the pointer. If one of them is set for
   every pointer, and the function returns no pointer, the function must not touch any other memory.
   `is_pure` states that a function without pointers returns a value that depends only on its
   arguments. */
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

/* Returns f with one more prototype. If f already has an equal prototype, nothing changes; a
   different prototype of the same name is refused (IRL_ERROR_DUPLICATE_NAME). The lists are
   copied. */
IRL_API irl_func *irl_func_declare(const irl_func *f, const irl_extern_desc *desc);

/* Return the number of prototypes of f, and prototype k, or NULL if there is none. */
IRL_API int                    irl_func_extern_count(const irl_func *f);
IRL_API const irl_extern_desc *irl_func_extern(const irl_func *f, int k);

/* A statement of a host function that runs a kernel of the module. Pass a buffer as its
   irl_buffer_pointer. */
IRL_API const irl_stmt *irl_stmt_launch(irl_ctx *cx, const char *kernel, int count,
                                        const irl_expr *const *args);

/* Returns a module made of functions that are already lowered. The module is verified. The call
   returns NULL with a diagnostic if a launch does not fit its kernel. `target` is the name of a
   target, or NULL. (To make a module from a function, call irl_func_lower.) */
IRL_API irl_module *irl_module_new(irl_ctx *cx, const char *name, const char *target,
                                   const irl_func *host, int kernel_count,
                                   const irl_func *const *kernels);

/* ================================================================== >>reading */

/* Functions to read, walk and rewrite expressions, statements, buffers and functions. You need them
   for a pass, a printer or an emitter of your own. There is one function for each part of a node.
   If you pass NULL, a node of another kind, or a number past the end of a list, the function
   returns NULL, "" for a text, or 0. The functions that read do not fail, allocate or copy: their
   results are owned by the context and never change.
       for (k = 0; k < irl_func_param_count(f); k++) puts(irl_func_param_name(f, k));
       if (irl_stmt_kind_of(s) == IRL_STMT_FOR) puts(irl_expr_text(cx, irl_stmt_extent(s)));
   An emitter must call irl_module_check first, which says whether the target can do everything that
   the module needs. After all passes an emitter finds this in a kernel:
     - Any operator, also let, ?: and floor division. You may emit C's division for e / d if
       irl_expr_simplify, with the ranges of the loops around it, simplifies e >= 0 to true.
     - Vectors, but only in forms that the target has.
     - Plain memory with one axis, and images with one axis for each group.
     - Declared buffers, which are views. The memory of a view is the parameter or allocation with
       the same irl_buffer_pointer. If the target does not allow pointer casts, each memory has one
       view, of the type with which the memory must be declared.
     - Bound loops. Each iteration is a work-item. A launch may have more work-items than the loop
       has iterations; emit code that makes the others skip its body. */

/* How an operator is written. A LEAF has no operands; each SPECIAL operator has its own syntax. */
typedef enum irl_op_form {
    IRL_FORM_LEAF,
    IRL_FORM_PREFIX,
    IRL_FORM_INFIX,
    IRL_FORM_CALL, /* text(a, b) */
    IRL_FORM_SPECIAL
} irl_op_form;

/* The rule for the types of an operator's operands and of its result. */
typedef enum irl_op_rule {
    IRL_RULE_SAME_ARITH, /* operands and result have one type: integer, index or float */
    IRL_RULE_SAME_INT,   /* operands and result have one type: integer or index */
    IRL_RULE_SAME_FLOAT, /* operands and result have one float type */
    IRL_RULE_SAME_BITS,  /* operands and result have one type: integer or bool */
    IRL_RULE_COMPARE,    /* two operands of one type; the result is bool, with as many lanes */
    IRL_RULE_BOOL,       /* operands and result are bool */
    IRL_RULE_OWN         /* a rule that only this operator has */
} irl_op_rule;

/* The row of an operator in src/ir/ops.h. */
typedef struct irl_op_row {
    const char *name, *text; /* for IRL_OP_FLOORDIV: "FLOORDIV" and "/" */
    irl_op_form form;
    int         arity;      /* -1: any number of operands */
    /* for INFIX and PREFIX, as in C: 13 for -a, 12 for a * b, 3 for a || b */
    int         precedence;
    irl_op_rule rule;
    const char *ocl; /* the operator or function of OpenCL C, if there is one; else "" */
    const char *doc; /* its meaning */
} irl_op_row;

/* Returns the row of an operator; NULL if there is no such operator. */
IRL_API const irl_op_row *irl_op_info(irl_op op);

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
    /* the types that hold an element in OpenCL C and in C: "uchar", "uint8_t" */
    const char     *ocl, *c;
} irl_scalar_row;

/* Returns the row of a scalar type; NULL if there is no such type. */
IRL_API const irl_scalar_row *irl_scalar_info(irl_scalar scalar);

/* Return the words that a text uses: "group.x" for an axis; "parallel" for a kind of loop, or ""
   for a serial loop. They return "?" for an invalid value. */
IRL_API const char *irl_axis_text(irl_axis axis);
IRL_API const char *irl_for_kind_text(irl_for_kind kind);

/* Return the operator of an expression (IRL_OP_NONE for NULL), the number of its operands, and
   operand k. Operands are in the order in which they are written. The operands of a LET are the
   variable, the value and the body; the operands of a LOAD are the indices. */
IRL_API irl_op          irl_expr_op(const irl_expr *e);
IRL_API int             irl_expr_arg_count(const irl_expr *e);
IRL_API const irl_expr *irl_expr_arg(const irl_expr *e, int k);

/* Return one part of an expression. int_value: the value of an INT, sign-extended from its type;
   for a u64 its bits. float_value: the value of a FLOAT. name: the name of a VAR or of a call.
   buffer: the buffer of a LOAD. pick: for a SHUFFLE, the number of the lane that becomes its lane k
   (irl_expr_shuffle).

   Names may be any text, and are not unique: passes make several variables with one name. Compare
   variables by pointer. An emitter must make names unique, for example by numbers, as irl_func_text
   does. */
IRL_API int64_t           irl_expr_int_value(const irl_expr *e);
IRL_API double            irl_expr_float_value(const irl_expr *e);
IRL_API const char       *irl_expr_name(const irl_expr *e);
IRL_API const irl_buffer *irl_expr_buffer(const irl_expr *e);
IRL_API int               irl_expr_pick(const irl_expr *e, int k);

/* The place in the source where a statement or buffer was written. If it is not known, `file` is ""
   and `line` is 0. For an IRL_KERNEL it is the place in the user's file, as in diagnostics; the
   file is read at each call. If the file cannot be read, `line` is the macro's line, and `column`
   counts in the macro's text. Expressions have no place; use the place of their statement. */
typedef struct irl_place {
    const char *file;
    int         line, column; /* from 1 */
} irl_place;

/* Return the properties of a buffer. Strides are NULL if the memory is compact and row-major; the
   offset is NULL if it is 0. The alignment (in bytes) and the lanes of a texel are 0 if they are
   not stated. A separator is the number of the first axis of the next group. Views of one memory
   have the same irl_buffer_pointer. */
IRL_API const char     *irl_buffer_name(const irl_buffer *b);
IRL_API irl_type        irl_buffer_type(const irl_buffer *b); /* of an element */
IRL_API irl_scope       irl_buffer_scope(const irl_buffer *b);
IRL_API int             irl_buffer_rank(const irl_buffer *b);
IRL_API const irl_expr *irl_buffer_extent(const irl_buffer *b, int axis);
IRL_API const irl_expr *irl_buffer_stride(const irl_buffer *b, int axis);
IRL_API const irl_expr *irl_buffer_offset(const irl_buffer *b);
IRL_API int             irl_buffer_alignment(const irl_buffer *b);
IRL_API int             irl_buffer_separator_count(const irl_buffer *b);
IRL_API int             irl_buffer_separator(const irl_buffer *b, int k);
IRL_API int             irl_buffer_texel(const irl_buffer *b);

/* Returns 1 if the buffer's elements are not whole bytes, and writes their type, width and order of
   bits to *out; `out` may be NULL. Strides and offset of such a buffer are in bits. Returns 0 if
   elements are whole bytes. */
IRL_API int irl_buffer_bits(const irl_buffer *b, irl_bit_element *out);

/* Returns 1; or 0 if the place is not known, for example because a pass made the buffer. */
IRL_API int irl_buffer_place(irl_ctx *cx, const irl_buffer *b, irl_place *out);

/* Kinds of statements: IRL_STMT_SEQ, FOR, BLOCK, IF, LET, STORE, ALLOC, DECL, ASSUME, ASSERT,
   BARRIER, EVALUATE, ATTR, LAUNCH. src/ir/stmts.h has a row for each. */
typedef enum irl_stmt_kind {
#define IRL_STMT_ROW(name, ...) IRL_STMT_##name,
#include "src/ir/stmts.h"
    IRL__STMT_KIND_COUNT,
    IRL_STMT_NONE = IRL__STMT_KIND_COUNT /* the kind of NULL */
} irl_stmt_kind;

/* Returns the kind of a statement. */
IRL_API irl_stmt_kind irl_stmt_kind_of(const irl_stmt *s);

/* Return the statements directly inside of s, in the order of the text. They are the statements of
   a SEQ; the body of a FOR or an ATTR; the init, if there is one, and the body of a BLOCK; the then
   branch and, if there is one, the else branch of an IF. */
IRL_API int             irl_stmt_child_count(const irl_stmt *s);
IRL_API const irl_stmt *irl_stmt_child(const irl_stmt *s, int k);
IRL_API const irl_stmt *irl_stmt_body(const irl_stmt *s); /* FOR, BLOCK, ATTR */
IRL_API const irl_stmt *irl_stmt_then(const irl_stmt *s); /* IF */
IRL_API const irl_stmt *irl_stmt_else(const irl_stmt *s);

/* Return a part of a FOR: its kind; its axis, if the kind is IRL_BOUND; its first value; its number
   of iterations. */
IRL_API irl_for_kind    irl_stmt_for_kind(const irl_stmt *s);
IRL_API irl_axis        irl_stmt_axis(const irl_stmt *s);
IRL_API const irl_expr *irl_stmt_min(const irl_stmt *s);
IRL_API const irl_expr *irl_stmt_extent(const irl_stmt *s);

/* Return a part of a statement of one of the kinds at the right. */
IRL_API const irl_expr   *irl_stmt_var(const irl_stmt *s);       /* FOR, LET */
IRL_API const irl_expr   *irl_stmt_value(const irl_stmt *s);     /* LET, STORE, EVALUATE */
IRL_API const irl_expr   *irl_stmt_condition(const irl_stmt *s); /* IF, ASSUME, ASSERT */
IRL_API const irl_buffer *irl_stmt_buffer(const irl_stmt *s);    /* STORE, ALLOC, DECL */
IRL_API const char       *irl_stmt_name(const irl_stmt *s);      /* BLOCK; LAUNCH: the kernel */
IRL_API const char       *irl_stmt_message(const irl_stmt *s);   /* ASSERT */
IRL_API irl_scope         irl_stmt_scope(const irl_stmt *s);     /* BARRIER */

/* Return the indices of a STORE, the arguments of a LAUNCH, or the values in the message of an
   ASSERT. */
IRL_API int             irl_stmt_arg_count(const irl_stmt *s);
IRL_API const irl_expr *irl_stmt_arg(const irl_stmt *s, int k);

/* Return the notes of a FOR or a BLOCK, in order, or the note of an ATTR. */
IRL_API int             irl_stmt_note_count(const irl_stmt *s);
IRL_API const irl_note *irl_stmt_note(const irl_stmt *s, int k);

/* Returns all parts of a BLOCK, as irl_stmt_block takes them. Each list of a region has as many
   items as its buffer has axes. */
IRL_API const irl_block_desc *irl_stmt_block_desc(const irl_stmt *s);

/* Returns 1; or 0 if the place is not known. `file` is owned by the context. */
IRL_API int irl_stmt_place(irl_ctx *cx, const irl_stmt *s, irl_place *out);

/* Returns the id of a FOR or a BLOCK. Passes keep it, so that you can find the statement again
   after a pass. */
IRL_API uint32_t irl_stmt_id(const irl_stmt *s);

/* Return the parts of a map (see also irl_map_input_count, irl_map_output_count,
   irl_map_separators). input: variable k on the left. output: expression k on the right. rest_input
   and rest_output: the number of inputs and of outputs before "..."; -1 if the map has no "..." or
   is NULL. */
IRL_API const irl_expr *irl_map_input(const irl_map *map, int k);
IRL_API const irl_expr *irl_map_output(const irl_map *map, int k);
IRL_API int             irl_map_rest_input(const irl_map *map);
IRL_API int             irl_map_rest_output(const irl_map *map);

typedef enum irl_role {
    IRL_ROLE_PLAIN, /* not lowered */
    IRL_ROLE_HOST,
    IRL_ROLE_KERNEL
} irl_role;

/* Return the name of a function, its role and its body. */
IRL_API const char     *irl_func_name(const irl_func *f);
IRL_API irl_role        irl_func_role(const irl_func *f);
IRL_API const irl_stmt *irl_func_body(const irl_func *f);

/* Return the number of parameters, and facts about parameter k. scalar: the variable of a scalar.
   buffer: the buffer as it is in memory. logical_rank and logical_extent: the shape that the user
   wrote. map: the map from a logical point to an index of the buffer; NULL: they are the same.
   padding: the value of unused cells; NULL: any value. */
IRL_API int               irl_func_param_count(const irl_func *f);
IRL_API const char       *irl_func_param_name(const irl_func *f, int k);
IRL_API const irl_expr   *irl_func_param_scalar(const irl_func *f, int k);
IRL_API int               irl_func_param_is_buffer(const irl_func *f, int k);
IRL_API const irl_buffer *irl_func_param_buffer(const irl_func *f, int k);
IRL_API int               irl_func_param_logical_rank(const irl_func *f, int k);
IRL_API const irl_expr   *irl_func_param_logical_extent(const irl_func *f, int k, int axis);
IRL_API const irl_map    *irl_func_param_map(const irl_func *f, int k);
IRL_API const irl_expr   *irl_func_param_padding(const irl_func *f, int k);

/* Returns 1 if the parameter is a name that only a shape declares, such as n in func f(x: f32[n]).
   If you pass irl_tensors, or arguments to irl_module_check_arguments, leave this parameter out,
   because a shape gives its value. If you use IRL_ARGS, pass it, before x. */
IRL_API int irl_func_param_is_implicit(const irl_func *f, int k);

/* Return facts about layout k, which is set but not applied yet. Layouts are numbered in the order
   in which they will be applied. The facts are the buffer's name; the map; the value of unused
   cells, or NULL if no constant is stated; 1 if the layout was set by irl_func_assume_layout. */
IRL_API int             irl_func_layout_count(const irl_func *f);
IRL_API const char     *irl_func_layout_buffer(const irl_func *f, int k);
IRL_API const irl_map  *irl_func_layout_map(const irl_func *f, int k);
IRL_API const irl_expr *irl_func_layout_padding(const irl_func *f, int k);
IRL_API int             irl_func_layout_is_assumed(const irl_func *f, int k);

/* Return the number of attributes of the function, and attribute k. */
IRL_API int             irl_func_attr_count(const irl_func *f);
IRL_API const irl_note *irl_func_attr(const irl_func *f, int k);

/* Return the name of a module, and the name of its target, or "". */
IRL_API const char *irl_module_name(const irl_module *m);
IRL_API const char *irl_module_target(const irl_module *m);

/* Returns the host function; its parameters are the parameters of the module. */
IRL_API const irl_func *irl_module_host(const irl_module *m);

/* Return the number of kernels, and kernel k. */
IRL_API int             irl_module_kernel_count(const irl_module *m);
IRL_API const irl_func *irl_module_kernel(const irl_module *m, int k);

/* A walk over everything in a statement, from the outside to the inside. The functions of this
   struct are yours; each may be NULL. `stmt` is called for each statement. `expr` is called for
   each expression of a statement, then for its operands. Both must return 1 to visit the inside of
   the statement or expression, or 0 to skip it. `buffer` is called first for each parameter that
   is a buffer, with s = NULL, and then for the buffer of each declaration, load and store, of which
   s is the statement. `leave` is called for a statement after everything inside it.

   The expressions of a loop include its first value and its extent. The expressions of a block
   include its bindings, its predicate and its regions, although regions compute nothing. A sum(...)
   of the text is a loop. The extents, strides and offset of a buffer are not visited: see
   irl_buffer_extent. Cost: linear; an expression that occurs several times is visited each time.
       irl_walk walk = { NULL, is_division, NULL, NULL, NULL };
       irl_func_walk(f, &walk);
   Here is_division is a function of yours that counts divisions, or prints the irl_stmt_place of
   s. */
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

/* A rewrite, from the inside to the outside. The functions of this struct are yours; each may be
   NULL. `expr`, `stmt` and `buffer` get a node whose parts are already rewritten. They must return
   the node that replaces it: the same node, or another node of the same type. To delete a
   statement, return irl_stmt_seq(cx, 0, NULL). To return NULL is a failure.

   `expr` is called once for equal expressions, which are one object, but again after each call of
   `stmt` or `enter`. It is not called for a variable where a loop or a let declares it. `buffer` is
   called for each buffer, first for those of parameters; its result replaces the buffer everywhere.
   `enter` is called before the inside of a statement is visited; if it returns 0, the statement
   does not change. This pass replaces divisions by 2:
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
   and buffers get the place of the statement that is being rewritten. A node that does not change
   stays the same object. A statement that changes only inside keeps its place, notes and id. The
   resulting function is verified, as after a pass of the library. The result is NULL with a
   diagnostic on failure. Cost: linear in the function. */
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

/* Return the rewritten statement or expression, which is not verified. */
IRL_API const irl_stmt *irl_stmt_rewrite(irl_ctx *cx, const irl_stmt *s,
                                         const irl_rewrite_options *how);
IRL_API const irl_expr *irl_expr_rewrite(irl_ctx *cx, const irl_expr *e,
                                         const irl_rewrite_options *how);

/* Return the expression or statement with each variable from[k] replaced by the expression to[k] of
   the same type. Extents, strides and offsets of buffers do not change. */
IRL_API const irl_expr *irl_expr_substitute(irl_ctx *cx, const irl_expr *e, int count,
                                            const irl_expr *const *from, const irl_expr *const *to);
IRL_API const irl_stmt *irl_stmt_substitute(irl_ctx *cx, const irl_stmt *s, int count,
                                            const irl_expr *const *from, const irl_expr *const *to);

/* Returns s with `child` as its child k (irl_stmt_child). The place, the id and the notes of s do
   not change. */
IRL_API const irl_stmt *irl_stmt_set_child(irl_ctx *cx, const irl_stmt *s, int k,
                                           const irl_stmt *child);

/* Returns s with the place in the text of the statement `of`, which s replaces. If both are loops
   or both are blocks, s gets the id of `of` too, and, if s has no notes, the notes of `of`. */
IRL_API const irl_stmt *irl_stmt_set_origin(irl_ctx *cx, const irl_stmt *s, const irl_stmt *of);

/* Returns the function with another body. The function is verified when it is next lowered,
   interpreted or passed to irl_func_run_pass. */
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

/* The size of the object that an argument points to; and whether the object is a number, if the
   compiler can tell (GCC's classes: 1 to 4 are integers, 8 is a float, others are pointers, arrays
   and structs). */
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
#include "src/ir/scalar_float.c"
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
#include "src/ir/form.c"
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
#include "src/text/parse_hints.c"
#include "src/text/parse_warnings.c"
#include "src/text/parse_names.c"
#include "src/text/parse_value.c"
#include "src/text/parse_expr.c"
#include "src/text/parse_map.c"
#include "src/text/parse_fn.c"
#include "src/text/parse_call.c"
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
#include "src/map/dma_controller.c"
#include "src/map/dma_fit.c"
#include "src/map/dma.c"
#include "src/map/dma_text.c"
#include "src/map/dma_named.c"
#endif
#ifndef IRLAYOUT_NO_PROOF
/* proof: why a round trip gives back what went in */
#include "src/proof/explain.c"
#include "src/proof/proof.c"
#endif
/* func: the language of statements, functions and modules */
#include "src/func/print_func.c"
#include "src/func/parse_buffer.c"
#include "src/func/parse_range.c"
#include "src/func/parse_seq.c"
#include "src/func/parse_forms.c"
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
/* sets: conditions on integers, decided, and addresses, counted */
#include "src/sets/linear.c"
#include "src/sets/poly.c"
#include "src/sets/system.c"
#include "src/sets/decide.c"
#include "src/sets/lattice.c"
#include "src/sets/boxes.c"
#include "src/sets/recover.c"
/* access: what statements touch, as relations between iterations and cells */
#include "src/access/accesses.c"
#include "src/access/path.c"
#include "src/access/enter.c"
#include "src/access/commute.c"
#include "src/access/tiles.c"
#include "src/access/pair.c"
#include "src/access/meeting.c"
#include "src/access/carries.c"
#include "src/access/fence.c"
#include "src/access/supply.c"
#include "src/access/iterations.c"
#include "src/access/bounds.c"
#include "src/access/region.c"
#include "src/access/declared.c"
/* analysis: what follows for blocks, kernels and memory */
#include "src/analysis/sizes.c"
#include "src/analysis/kinds.c"
#include "src/analysis/infer_kinds.c"
#include "src/analysis/beside.c"
#include "src/analysis/kernel.c"
#include "src/analysis/liveness.c"
#include "src/analysis/dependence.c"
#include "src/analysis/parts.c"
#include "src/analysis/formula.c"
#include "src/analysis/cost.c"
#include "src/plan/image_misfit.c"
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
#include "src/pass/whole_store.c"
#include "src/pass/layout_shape.c"
#include "src/pass/layout_symbolic.c"
#include "src/pass/layout_views.c"
#include "src/pass/layout_padding.c"
#include "src/pass/layout_lanes.c"
#include "src/pass/layouts.c"
#include "src/pass/check_bounds.c"
#include "src/pass/check_blocks.c"
#include "src/pass/lower_blocks.c"
#include "src/pass/apply_layouts.c"
#include "src/pass/flatten.c"
#include "src/pass/bits_place.c"
#include "src/pass/bits_whole.c"
#include "src/pass/bits_loop.c"
#include "src/pass/bits_parallel.c"
#include "src/pass/legalize_bits.c"
#include "src/pass/fit_views.c"
#include "src/pass/check_parallel.c"
#include "src/pass/halves.c"
#include "src/pass/simplify_func.c"
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
#include "src/pass/accumulate.c"
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
#include "src/pass/compute_once.c"
#include "src/pass/in_place.c"
#include "src/pass/prepare.c"
#include "src/pass/check_target.c"
#include "src/pass/guard_bounds.c"
#include "src/pass/parallel_all.c"
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
#include "src/schedule/cache_value.c"
#include "src/schedule/memory.c"
#include "src/schedule/sequence.c"
#include "src/schedule/distribute.c"
#include "src/schedule/reduction.c"
#include "src/schedule/compose_store.c"
#include "src/schedule/tighten.c"
#include "src/schedule/continue_sum.c"
#include "src/schedule/gather.c"
#include "src/schedule/compose.c"
#include "src/schedule/inline.c"
#include "src/schedule/share.c"
#include "src/schedule/move.c"
#include "src/schedule/legal.c"
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
#include "src/schedule/auto_nest.c"
#include "src/schedule/auto_write.c"
#include "src/schedule/auto_arrange.c"
#include "src/schedule/auto_tile.c"
#include "src/schedule/auto_sums.c"
#include "src/schedule/auto_group.c"
#include "src/schedule/auto_group_items.c"
#include "src/schedule/auto.c"
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
#include "src/emit/emit_text.c"
#include "src/emit/emit_number.c"
#include "src/emit/emit_index.c"
#include "src/emit/emit_expr.c"
#include "src/emit/emit_cursor.c"
#include "src/emit/emit_prepare.c"
#include "src/emit/emit_type.c"
#include "src/emit/emit_survey.c"
#include "src/emit/emit_needed.c"
#include "src/emit/emit_image.c"
#include "src/emit/emit_memory.c"
#include "src/emit/emit_stmt.c"
#include "src/emit/emit_convert.c"
#include "src/emit/emit_vector.c"
#include "src/emit/emit_helper.c"
#include "src/emit/emit_comment.c"
#include "src/emit/emit_facts.c"
#include "src/emit/emit_unit.c"
#include "src/emit/c_integers.c"
#include "src/emit/c_lanes.c"
#include "src/emit/c_float_math.c"
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
