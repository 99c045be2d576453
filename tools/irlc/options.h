/* options.h - the options of irlc, one row each: IRLC_OPTION_ROW(NAME, text, value, help).

   value  the kind of its value, or all values, as in "ir|opencl" (scripts/completion.sh reads
          them in the help); NULL for a flag. The table of commands in irlc.c says which commands
          take the option: two rows may have one text, for different commands.
   Re-includable; undefines its macro. */
IRLC_OPTION_ROW(BOUND, "bound", "SHAPE", "indices at or beyond it are out of range")
IRLC_OPTION_ROW(WORK, "work", "STEPS",
                "that a question about a map may take, 100000000 if not said (about 100 ms): what "
                "takes more is undecided")
IRLC_OPTION_ROW(DO, "do", "STEP",
                "a step of a schedule, '(io, ii) = split(y.i, 16)'; several are done in order")
IRLC_OPTION_ROW(SCHEDULE, "schedule", "FILE",
                "a schedule: { step; ... } in a file, or the name of one beside the function, of "
                "which the first is done by default; auto: the one that is made for the function "
                "and the target (default, where there is no other); none: as it is written")
IRLC_OPTION_ROW(AUTO, "auto", NULL,
                "print the schedule that is made for the function and the target, with its reasons")
IRLC_OPTION_ROW(FUSE, "fuse", NULL,
                "nodes of a graph that compute cell by cell become part of others, said on stderr")
IRLC_OPTION_ROW(RUNS, "runs", "N", "how often it is run, of which the least time is shown (20)")
IRLC_OPTION_ROW(LAYOUT, "layout", "BUF=MAP",
                "how a parameter or allocation lies in memory; several are applied in order")
IRLC_OPTION_ROW(ASSUME, "assume", "BUF=MAP",
                "the same, and you vouch for a map that cannot be decided")
IRLC_OPTION_ROW(SHARED, "shared-cells", "BUF",
                "you mean it that the layout of BUF, which is only read, puts several points into "
                "one cell: no note")
IRLC_OPTION_ROW(SCOPE, "scope", "BUF=SCOPE",
                "which memory: global, shared, local, constant, texture, texture:weight, "
                "texture:volume, texture:buffer")
IRLC_OPTION_ROW(PADDING, "padding", "BUF=VALUE", "what the unused cells of a layout hold")
IRLC_OPTION_ROW(TARGET, "target", "NAME",
                "opencl12 (default; where a device runs it, the row that fits it), opencl12-fp16, "
                "opencl12-gpu, opencl12-avx2, opencl12-embedded, strict, scalar, c99; "
                "`irlc target` lists them")
IRLC_OPTION_ROW(EMIT, "emit", "ir|opencl", "the form of the result (ir)")
IRLC_OPTION_ROW(AFTER, "after", "PASS",
                "show, or interpret, the stage after this pass: apply_layouts, ..., split_host, "
                "... (--trace names them)")
IRLC_OPTION_ROW(WITHOUT, "without", "PASS",
                "leave out an optional pass: parallelize, split_loops, simplify, vectorize, ...")
IRLC_OPTION_ROW(BOUNDS, "bounds", "warn|refuse|guard",
                "what happens to an access that is not proved to be within its buffer (warn); "
                "guard: the code compares first; what is proved outside is refused always")
IRLC_OPTION_ROW(TRACE, "trace", NULL, "print the text after every pass on stderr")
IRLC_OPTION_ROW(VERIFY, "verify-each", NULL,
                "ask after every pass that the result is legal for the target: widths and forms of "
                "vectors, alignment, types, sizes")
IRLC_OPTION_ROW(
    INTERPRET, "interpret", NULL,
    "run in the reference interpreter (default): the function as written, or after --after PASS")
IRLC_OPTION_ROW(DEVICE, "device", NULL, "run the lowered module on the first OpenCL device")
IRLC_OPTION_ROW(CHECK, "check", NULL,
                "run both and compare; behind contract or reassociate also with what was written, "
                "up to rounding; fmt: say whether it would change the file")
IRLC_OPTION_ROW(SEED, "seed", "N", "of the random input (1)")
IRLC_OPTION_ROW(SET, "set", "NAME=VALUE",
                "the value of a scalar parameter; where it runs, an index parameter must have one")
IRLC_OPTION_ROW(
    ULP, "ulp", "N",
    "how far floats may differ (0; where the function divides or calls functions 16, or the bound "
    "of their rounding)")
IRLC_OPTION_ROW(
    CHANNEL, "channel", "AXIS",
    "the axis of which a texel holds 4, from 0 (default: 1 of four axes, else the last)")
IRLC_OPTION_ROW(LIMIT, "limit", "WxH", "the largest image of the device, in texels (8192x8192)")
IRLC_OPTION_ROW(TEXELS, "texels", "N", "the longest image over a buffer (65536)")
IRLC_OPTION_ROW(LAYERS, "layers", "N", "the most layers of an array of images (2048)")
IRLC_OPTION_ROW(VOLUME, "volume", "N",
                "the longest side of a volume (2048, or the limit if that is less)")
IRLC_OPTION_ROW(TYPE, "type", "TYPE",
                "of an element (f32); check, emit, pack, show, dma: of bits too, u1, "
                "'i12 bits(msb)', "
                "'u10 offset(4) strides(16)'")
IRLC_OPTION_ROW(PAD, "pad", "VALUE",
                "what packing writes into the unused cells; without it they keep what they held")
IRLC_OPTION_ROW(PROOF, "proof", NULL,
                "print why unpacking gives back what was packed, step by step")
IRLC_OPTION_ROW(AS, "as", "c|c-gnu|opencl|c-opencl|glsl",
                "the language (c); c-gnu: C with the vectors of gcc and clang (--target "
                "c-gnu-avx2, c-gnu-avx512: scheduled for their registers); c-opencl: C with the "
                "calls of OpenCL in it; glsl: a compute shader for Vulkan")
IRLC_OPTION_ROW(AS_TABLE, "as", "text|c", "the form of the result (text); c: tables in C")
IRLC_OPTION_ROW(CONTROLLER, "controller", "generic|stm32-gpdma|edma3|rp2040",
                "the controller whose limits hold (none)")
IRLC_OPTION_ROW(UNPACK, "unpack", NULL, "from the layout's memory into the plain array")
IRLC_OPTION_ROW(SPLIT, "split", NULL, "what a controller does not take at once is split")
IRLC_OPTION_ROW(SWAP, "swap", NULL,
                "of elements of bits: the plain array has the other order, of bits and of bytes")
IRLC_OPTION_ROW(OVERWRITE, "overwrite", NULL,
                "bits of the memory that no element takes may be written beside the last element")
IRLC_OPTION_ROW(MOST, "most", "N", "transfers (4096)")
IRLC_OPTION_ROW(KERNEL, "kernel", "NAME", "of several, the one that is emitted as glsl")
IRLC_OPTION_ROW(INDEX, "index", "TYPE",
                "of indices in C, each proved to fit: u8, uint16, i32, ... (a layout: the first of "
                "u32, i32 and i64 that holds them; a function: as wide as each needs)")
IRLC_OPTION_ROW(NAME, "name", "NAME", "of what is emitted (layout, or the function's)")
IRLC_OPTION_ROW(CHECKED, "checked", NULL,
                "with NAME_checked in C, which looks at its arguments first: DLPack's tensors")
IRLC_OPTION_ROW(HEADER, "header", NULL,
                "one header in C; the functions are where NAME_IMPLEMENTATION is defined")
IRLC_OPTION_ROW(HEADER_SOURCE, "header-source", NULL,
                "a header and a source in C: with -o x.c, x.h and x.c")
IRLC_OPTION_ROW(OPENMP, "openmp", NULL, "parallel loops in C are OpenMP's, where there is one")
IRLC_OPTION_ROW(PREFIX, "prefix", "TEXT", "in front of the names of functions in C")
IRLC_OPTION_ROW(STATIC, "static", "BYTES",
                "temporaries in C lie in static memory, none of more bytes")
IRLC_OPTION_ROW(SVG, "svg", NULL, "SVG instead of characters")
IRLC_OPTION_ROW(COLOR, "color", "auto|always|never",
                "auto (default): on a terminal, unless NO_COLOR is set")
IRLC_OPTION_ROW(SIDE, "side", "points|memory|both", "which grids are drawn (both)")
IRLC_OPTION_ROW(FRAME, "frame", "N", "frame so many elements of memory: a word, a texel")
IRLC_OPTION_ROW(LINE, "line", "BYTES", "frame what lies in so many bytes: a cache line")
IRLC_OPTION_ROW(CELLS, "cells", "RxC", "the most rows and columns that are shown")
IRLC_OPTION_ROW(WALK, "walk", NULL, "with --svg: lines in the order of memory")
IRLC_OPTION_ROW(ANIMATE, "animate", NULL, "with --svg: a dot goes along the lines")
IRLC_OPTION_ROW(HTML, "html", NULL,
                "one page without scripts: the function before and after each step and each pass")
IRLC_OPTION_ROW(ACCESS, "access", "BUF",
                "of a function: the order in which its loops touch this buffer, where they write "
                "it, or else read it")
IRLC_OPTION_ROW(OUT, "out", "FILE", "where it goes, also as -o FILE (standard output)")
IRLC_OPTION_ROW(JSON, "json", NULL,
                "print JSON: one object (run: a list), of a failure too: code, text, place, found, "
                "expected, hint, and of a step of a schedule that is refused its refusal: step and "
                "number, argument, block, loop, buffer, reason, two accesses in their iterations, "
                "the cell, parameters, doubt, a name that nothing has and those there are, advice; "
                "null is what there is not")
IRLC_OPTION_ROW(HELP, "help", NULL, "print this")
#undef IRLC_OPTION_ROW
