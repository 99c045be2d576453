/* options.h - the options of irlc, one row each: IRLC_OPTION_ROW(NAME, text, value, help).

   value  the kind of its value, or all values, as in "ir|opencl" (scripts/completion.sh reads
          them in the help); NULL for a flag; in brackets, after "=": it may be left out. The table
          of commands in irlc.c says which commands take the option: two rows may have one text,
          for different commands.
   Re-includable; undefines its macro. */
IRLC_OPTION_ROW(BOUND, "bound", "SHAPE",
                "the extents of memory: an index at or beyond them is out of range")
IRLC_OPTION_ROW(LET, "let", "NAME=VALUE",
                "a name in the map or the shape: NAME=4, its value; NAME=?, any value from 1 on")
IRLC_OPTION_ROW(WORK, "work", "STEPS",
                "the most steps for a question about a map (100000000, about 100 ms); a question "
                "that needs more is undecided")
IRLC_OPTION_ROW(DO, "do", "STEP",
                "a step of a schedule, '(io, ii) = split(y.i, 16)'; several are applied in order")
IRLC_OPTION_ROW(SCHEDULE, "schedule", "FILE",
                "a schedule: a file with { step; ... }, or the name of a schedule next to the "
                "function (default: the first); auto: a schedule that irlc makes for the function "
                "and the target (default if there is no other); none: the function as it is "
                "written")
IRLC_OPTION_ROW(AUTO, "auto", NULL,
                "print the schedule that irlc makes for the function, its layouts and scopes, and "
                "the target, with its reasons; steps that you give come first, and irlc makes the "
                "rest")
IRLC_OPTION_ROW(WHY, "why", NULL,
                "with --auto, also print what was tried for each reduction, and what tiles cost")
IRLC_OPTION_ROW(FUSE, "fuse", NULL,
                "fuse nodes of a graph that compute cell by cell; stderr says which")
IRLC_OPTION_ROW(PLACE, "place", NULL,
                "put tensors of a graph into images and layouts, as the target requests; stderr "
                "says where each is, and why")
IRLC_OPTION_ROW(WEIGHTS, "weights", "NAMES",
                "parameters that stay the same from run to run, with commas between: kernels that "
                "depend on them alone are left out, and what they make becomes a parameter")
IRLC_OPTION_ROW(PREPARE, "prepare", NULL,
                "with --weights, the kernels that are left out without it")
IRLC_OPTION_ROW(RUNS, "runs", "N", "the number of runs; the least time is shown (20)")
IRLC_OPTION_ROW(LAYOUT, "layout", "BUF=MAP",
                "the layout of a parameter or allocation; several are applied in order")
IRLC_OPTION_ROW(ASSUME, "assume", "BUF=MAP",
                "the same; you guarantee that the map is injective, if that cannot be decided")
IRLC_OPTION_ROW(SHARED, "shared-cells", "BUF",
                "do not warn that the layout of BUF, which is only read, maps several points to "
                "one cell")
IRLC_OPTION_ROW(SCOPE, "scope", "BUF=SCOPE",
                "the memory of a parameter or allocation: global, shared, local, constant, "
                "texture, texture:weight, texture:volume, texture:buffer")
IRLC_OPTION_ROW(PADDING, "padding", "BUF=VALUE", "the value of the unused cells of a layout")
IRLC_OPTION_ROW(TARGET, "target", "NAME",
                "opencl12 (default; on a device, the target that suits it; emit: c99 for C, glsl "
                "for glsl), opencl12-fp16, "
                "opencl12-gpu, opencl12-avx2, opencl12-embedded, strict, scalar, c99; `irlc "
                "target` lists them")
IRLC_OPTION_ROW(EMIT, "emit", "ir|opencl", "the form of the result (ir)")
IRLC_OPTION_ROW(AFTER, "after", "PASS",
                "show, or interpret, the stage after this pass: apply_layouts, ..., split_host, "
                "... (--trace names them)")
IRLC_OPTION_ROW(WITHOUT, "without", "PASS",
                "leave out an optional pass: simplify, vectorize, unroll, ...")
IRLC_OPTION_ROW(BOUNDS, "bounds", "warn|refuse|guard",
                "what happens to an access that is not proved to be within its buffer (warn); "
                "guard: the code checks the index first; an access that is proved to be outside "
                "is always refused")
IRLC_OPTION_ROW(TRACE, "trace", NULL, "print the text after every pass on stderr")
IRLC_OPTION_ROW(VERIFY, "verify-each", NULL,
                "check after every pass that the target supports the result: widths and forms of "
                "vectors, alignment, types, sizes")
IRLC_OPTION_ROW(
    INTERPRET, "interpret", NULL,
    "run in the reference interpreter (default): the function as written, or after --after PASS")
IRLC_OPTION_ROW(DEVICE, "device", NULL, "run the lowered module on the first OpenCL device")
IRLC_OPTION_ROW(CHECK, "check", "[=all|N]",
                "run both and compare; after contract or reassociate also compare with the "
                "function as written, up to rounding. N: that many elements of each result, spread "
                "over it (default: all; 64 where all would take longer than a second)")
IRLC_OPTION_ROW(CHECK_TIMED, "check", "[=all|N]",
                "how many elements of each result are compared: all, or N, spread over it "
                "(default: all; 64 where all would take longer than a second)")
IRLC_OPTION_ROW(CHECK_FILE, "check", NULL, "only say whether formatting would change the file")
IRLC_OPTION_ROW(CONSTANTS, "constants", "value|name",
                "how the constants of `const` are printed (value); name: by their names, with the "
                "definitions before the function as they are written")
IRLC_OPTION_ROW(NO_CHECK, "no-check", NULL, "compare nothing (run: the default)")
IRLC_OPTION_ROW(SEED, "seed", "N", "the seed of the random input (1)")
IRLC_OPTION_ROW(SET, "set", "NAME=VALUE",
                "the value of a scalar parameter; to run, every index parameter needs one")
IRLC_OPTION_ROW(ULP, "ulp", "N",
                "by how many ulps floats may differ (0; if the function divides or calls "
                "functions: 16, or the bound of its rounding)")
IRLC_OPTION_ROW(CHANNEL, "channel", "AXIS",
                "the axis of the channel, of which a texel holds 4 values; axes count from 0 "
                "(default: 1 of four axes, else the last)")
IRLC_OPTION_ROW(LIMIT, "limit", "WxH", "the largest image of the device, in texels (8192x8192)")
IRLC_OPTION_ROW(TEXELS, "texels", "N", "the longest image over a buffer (65536)")
IRLC_OPTION_ROW(LAYERS, "layers", "N", "the most layers of an array of images (2048)")
IRLC_OPTION_ROW(VOLUME, "volume", "N",
                "the longest side of a volume (2048, or the limit if that is less)")
IRLC_OPTION_ROW(TYPE, "type", "TYPE",
                "the type of an element (f32); check, emit, pack, show, dma: also elements of "
                "bits, u1, 'i12 bits(msb)', 'u10 offset(4) strides(16)'")
IRLC_OPTION_ROW(PAD, "pad", "VALUE",
                "the value that packing writes into unused cells; without it they keep their "
                "values")
IRLC_OPTION_ROW(PROOF, "proof", NULL,
                "print the proof that unpacking undoes packing, step by step")
IRLC_OPTION_ROW(AS, "as", "c|c-gnu|opencl|c-opencl|glsl",
                "the language (c); c-gnu: C with the vectors of gcc and clang (--target "
                "c-gnu-avx2, c-gnu-avx512: scheduled for their registers); c-opencl: C with the "
                "calls of OpenCL in it; glsl: a compute shader for Vulkan")
IRLC_OPTION_ROW(AS_TABLE, "as", "text|c", "the form of the result (text); c: tables in C")
IRLC_OPTION_ROW(AS_TRANSFERS, "as", "text|c|controller",
                "the form of the result (text); c: tables in C; controller: only the limits of the "
                "controller, as a file for --controller")
IRLC_OPTION_ROW(CONTROLLER, "controller",
                "generic|stm32-gpdma|edma3|rp2040|stm32-dma2d|stm32-mdma|nxp-edma|esp32-gdma|FILE",
                "the controller whose limits apply (none), by its name, or a file with a line "
                "`key = value` for each of its limits (--as controller prints one)")
IRLC_OPTION_ROW(UNPACK, "unpack", NULL, "copy from the layout's memory into the plain array")
IRLC_OPTION_ROW(SPLIT, "split", NULL, "split transfers that do not fit the controller")
IRLC_OPTION_ROW(SWAP, "swap", NULL,
                "for elements of bits: the plain array has the opposite order of bits and bytes")
IRLC_OPTION_ROW(OVERWRITE, "overwrite", NULL,
                "allow bits of the memory that belong to no element to be overwritten")
IRLC_OPTION_ROW(MOST, "most", "N", "the most transfers (4096)")
IRLC_OPTION_ROW(KERNEL, "kernel", "NAME", "which of several kernels is emitted as glsl")
IRLC_OPTION_ROW(INDEX, "index", "TYPE",
                "the type of indices in C, each proved to fit: u8, u16, i32, ... (a layout: the "
                "first of u32, i32 and i64 that holds them; a function: as wide as each needs)")
IRLC_OPTION_ROW(LOSSY, "lossy", NULL,
                "emit a layout that is lossy too, without the functions that write (without this "
                "option it is refused)")
IRLC_OPTION_ROW(NAME, "name", "NAME", "the name of what is emitted (layout, or the function's "
                                      "name)")
IRLC_OPTION_ROW(CHECKED, "checked", NULL,
                "also emit net_checked, of a function net in C: it checks its arguments, which "
                "are DLPack tensors (types, shapes, strides, alignment), and then calls net; "
                "without it nothing is checked at run time")
IRLC_OPTION_ROW(HEADER, "header", NULL,
                "one header in C; its functions are compiled in the file that defines "
                "NET_IMPLEMENTATION, for a function net (the name in capitals)")
IRLC_OPTION_ROW(HEADER_SOURCE, "header-source", NULL,
                "a header and a source in C: -o x.c writes x.h and x.c")
IRLC_OPTION_ROW(OPENMP, "openmp", NULL, "parallel loops in C use OpenMP, if the compiler has it")
IRLC_OPTION_ROW(PREFIX, "prefix", "TEXT", "a prefix for the names of functions in C")
IRLC_OPTION_ROW(STATIC, "static", "BYTES",
                "make temporaries in C static arrays, of at most this many bytes each")
IRLC_OPTION_ROW(SVG, "svg", NULL, "SVG instead of characters")
IRLC_OPTION_ROW(COLOR, "color", "auto|always|never",
                "auto (default): on a terminal, unless NO_COLOR is set")
IRLC_OPTION_ROW(SIDE, "side", "points|memory|both", "which grids are drawn (both)")
IRLC_OPTION_ROW(FRAME, "frame", "N", "frame every N elements of memory, such as a word or a texel")
IRLC_OPTION_ROW(LINE, "line", "BYTES", "frame every BYTES bytes of memory, such as a cache line")
IRLC_OPTION_ROW(CELLS, "cells", "RxC", "the most rows and columns that are shown")
IRLC_OPTION_ROW(WALK, "walk", NULL, "with --svg: draw lines in the order of memory")
IRLC_OPTION_ROW(ANIMATE, "animate", NULL, "with --svg: move a dot along these lines")
IRLC_OPTION_ROW(HTML, "html", NULL,
                "one page without scripts: the function before and after each step and each pass")
IRLC_OPTION_ROW(ACCESS, "access", "BUF",
                "for a function: the order in which its loops write this buffer, or else read it")
IRLC_OPTION_ROW(OUT, "out", "FILE", "the file for the result, also -o FILE (standard output)")
IRLC_OPTION_ROW(IN, "in", "NAME=FILE",
                "numbers for a parameter instead of random ones: a .npy, or raw bytes in this "
                "machine's order; '-': standard input, of either kind. Sizes that no --set gives "
                "are taken from the shapes of .npy files")
IRLC_OPTION_ROW(RESULT, "out", "NAME=FILE",
                "write what a parameter holds after the run: .npy, or raw bytes if FILE ends "
                "otherwise; '-' (raw), '-.npy': standard output, and then the text goes to stderr")
IRLC_OPTION_ROW(EXPECT, "expect", "NAME=FILE",
                "compare what a parameter holds after the run with a file, read as --in reads it; "
                "floats may differ by --ulp")
IRLC_OPTION_ROW(IN_MEMORY, "in-memory", NULL,
                "the files of --in, --out and --expect hold memory as the layouts arrange it "
                "(without it they hold logical arrays, which are packed)")
IRLC_OPTION_ROW(JSON, "json", NULL,
                "print JSON: one object (run: a list); for a failure: code, text, place, found, "
                "expected, hint, and for a refused step of a schedule its refusal: step and "
                "number, argument, block, loop, buffer, reason, two accesses in their iterations, "
                "the cell, parameters, doubt, an unknown name and the known ones, advice; a value "
                "that does not apply is null")
IRLC_OPTION_ROW(HELP, "help", NULL, "print this")
#undef IRLC_OPTION_ROW
