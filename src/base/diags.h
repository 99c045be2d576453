/* diags.h - every diagnostic the library gives: IRL_DIAGNOSTIC(NAME, slug, outcome, remedy).

   name     the enumerator is IRL_ERROR_<NAME>
   slug     is printed, and is what scripts and tests look for
   outcome  what it means to the caller, IRL_OUTCOME_<outcome>, the exit status of irlc: NO (the
            input is well-formed, and refused or false), UNDECIDED, or NONE (there is no answer: the
            text, an option or the input is malformed, or the machine fails)
   remedy   the hint; what was found and expected is written where it is raised

   Re-includable; undefines its macro. To add one: a row here, a call of irl__fail, and a test in
   tests/test_diagnostics.c. */
/* re-includable table */

/* memory and limits */
IRL_DIAGNOSTIC(OUT_OF_MEMORY, "out-of-memory", NONE,
               "give the context more memory, or rewind it between pieces of work (irl_mark, "
               "irl_ctx_rewind)")
IRL_DIAGNOSTIC(TOO_DEEP, "too-deep", NO,
               "split the expression or the statement: name parts with let, or write them as "
               "separate statements")
IRL_DIAGNOSTIC(TOO_LARGE, "too-large", NO,
               "use smaller extents or fewer parts")
IRL_DIAGNOSTIC(OVERFLOW, "overflow", NO,
               "use smaller numbers: an index, extent or size must fit 63 bits, and a constant "
               "must fit its type")
IRL_DIAGNOSTIC(BAD_ARGUMENT, "bad-argument", NONE,
               "correct what the message names; the function's comment in irlayout.h says what it "
               "takes")

/* text */
IRL_DIAGNOSTIC(SYNTAX, "syntax", NONE,
               "examples of the form are: of a function, func f(x: f32[8]) { for (i: 8) x[i] = 0; "
               "}; of a map, (i, j) -> (j, i); of an element, u1 bits(msb)")
IRL_DIAGNOSTIC(UNKNOWN_NAME, "unknown-name", NONE,
               "correct the name, or declare it before its use: as a parameter (n: index), a loop, "
               "alloc, decl, let or const; IRL_LET passes a whole-number constant of C; a shape "
               "declares a name that is a whole extent, x: f32[n]")
IRL_DIAGNOSTIC(AMBIGUOUS_NAME, "ambiguous-name", NO,
               "rename one of the things that have this name")
IRL_DIAGNOSTIC(DUPLICATE_NAME, "duplicate-name", NONE,
               "rename one of the two")

/* types and structure */
IRL_DIAGNOSTIC(TYPE_MISMATCH, "type-mismatch", NONE,
               "insert a cast to the expected type, written like a call: i32(x); write a "
               "condition as a comparison: x != 0")
IRL_DIAGNOSTIC(BAD_TYPE, "bad-type", NONE,
               "use one of bool, i8..i64, u8..u64, f16, bf16, f32, f64, index, unorm8, snorm8, "
               "unorm16, snorm16, with x2 .. x64 for lanes; elements in memory may also have a "
               "width in bits, u1..u63, i2..i63, unorm1..unorm24, snorm2..snorm24")
IRL_DIAGNOSTIC(RANK_MISMATCH, "rank-mismatch", NONE,
               "give one index (in a map: one input) for each axis of the shape, or correct "
               "the shape")
IRL_DIAGNOSTIC(UNDECLARED, "undeclared", NONE,
               "declare the buffer or variable before its use, in the same scope or an enclosing "
               "one")
IRL_DIAGNOSTIC(REDECLARED, "redeclared", NONE,
               "declare each variable and buffer once; give the second one another name")
IRL_DIAGNOSTIC(BAD_SEPARATORS, "bad-separators", NONE,
               "separators must be strictly increasing, above 0 and below the number of axes")
IRL_DIAGNOSTIC(BAD_STRUCTURE, "bad-structure", NONE,
               "move the statement to a place where it is allowed, as the message says")
IRL_DIAGNOSTIC(BAD_GRAPH, "bad-graph", NONE,
               "pass a tensor of the right type and shape for each parameter that the function "
               "only reads, and name a result for each parameter that it writes, in the order of "
               "the parameters")
IRL_DIAGNOSTIC(BAD_ALIAS, "bad-alias", NO,
               "an alias must be within its memory: no more bytes, compatible element size, offset "
               "and alignment")

/* maps and layouts */
IRL_DIAGNOSTIC(BAD_MAP, "bad-map", NONE,
               "a map is (i, j) -> (e0, e1, ...); its right side uses the names on its left")
IRL_DIAGNOSTIC(LOSSY_MAP, "lossy-map", NO,
               "give the two points different cells: where the map divides, as in c / 4, it must "
               "also keep the remainder, c % 4")
IRL_DIAGNOSTIC(MAP_OUT_OF_RANGE, "map-out-of-range", NO,
               "the point shown is mapped outside: shift the map so that every index is at least "
               "0, or correct the shape")
IRL_DIAGNOSTIC(UNDECIDED, "undecided", UNDECIDED,
               "use a smaller shape, or allow more steps (most_work, irlc --work); if you know "
               "that the layout of a function is injective, state it: irl_func_assume_layout, "
               "layout(..., assume_injective), irlc --assume")
IRL_DIAGNOSTIC(DIVISION_BY_ZERO, "division-by-zero", NO,
               "guard the division or use a constant divisor")

/* lowering and targets */
IRL_DIAGNOSTIC(
    BAD_STAGE, "bad-stage", NONE,
    "run the passes in the order of irl_func_lower; irl_pass_doc says what "
    "each is for")
IRL_DIAGNOSTIC(BAD_PASS, "bad-pass", NONE,
               "correct your own pass: it must return the function that it got, or one made from "
               "it, with the same name, parameters, layouts and attributes")
IRL_DIAGNOSTIC(BAD_TARGET, "bad-target", NONE,
               "irl_target in irlayout.h explains the columns; `irlc target opencl12` shows one as "
               "a text")
IRL_DIAGNOSTIC(OUT_OF_BOUNDS, "out-of-bounds", NO,
               "guard the access or change the loop's extent")
IRL_DIAGNOSTIC(BOUNDS_UNKNOWN, "bounds-unknown", UNDECIDED,
               "state what keeps the index inside by assume(...) or assert(...), guard the access, "
               "or have it guarded: --bounds guard, irl_lower_options.bounds")
IRL_DIAGNOSTIC(BAD_REGION, "bad-region", NO,
               "let the block's reads(...) and writes(...) contain the access, or leave them out: "
               "they are inferred")
IRL_DIAGNOSTIC(BAD_AXIS, "bad-axis", NO,
               "declare the axis as reduce(...), or let each instance of the block write different "
               "cells")
IRL_DIAGNOSTIC(UNSTATED_AXIS, "unstated-axis", NO,
               "state the kind of the axis: spatial(extent) or reduce(extent)")
IRL_DIAGNOSTIC(ILLEGAL_STEP, "illegal-step", NO,
               "remove the obstacle that the message names; `irlc steps` says what each step "
               "requires")
IRL_DIAGNOSTIC(UNSUPPORTED_RANK, "unsupported-rank", NO,
               "a buffer of this rank needs a memory with that many dimensions: set a texture "
               "scope, or remove the separator")
IRL_DIAGNOSTIC(UNSUPPORTED, "unsupported", NO,
               "lower for a target that has what the message names (`irlc target` lists them), or "
               "rewrite it for this one")
IRL_DIAGNOSTIC(SHARED_MEMORY, "shared-memory", NO,
               "bind the loops around it to group and local, or choose another scope: local "
               "belongs to one work-item, global to all")
IRL_DIAGNOSTIC(PRIVATE_EXTENT, "private-extent", NO,
               "bound the names in its extents, as in assume(n <= 64); or allocate it at the top "
               "of the function, where the host allocates it; or give it the largest extents that "
               "it can have")
IRL_DIAGNOSTIC(INDEX_WIDTH, "index-width", NO,
               "choose a wider index type, or a signed one if a value is negative, or a target "
               "with 64-bit integers; if a size is a name, bound it: assume(n <= 4096)")
IRL_DIAGNOSTIC(ALIGNMENT, "alignment", NO,
               "lower the function for this target, which splits the access; or state align(n) for "
               "the memory, and make the index a multiple of the lanes")
IRL_DIAGNOSTIC(TARGET_LIMIT, "target-limit", NO,
               "choose smaller sizes or another target")

/* textures */
IRL_DIAGNOSTIC(BAD_TEXEL, "bad-texel", NO,
               "the innermost axis of a texture must have extent 4 (8 if elements have 16 bits, "
               "16 if they have 8): give the buffer a layout such as (n, h, w, c) -> (n, c / 4, "
               "h), (w, c % 4)")
IRL_DIAGNOSTIC(PARTIAL_TEXEL, "partial-texel", NO,
               "images are written by whole texels: store all lanes in one loop over the channel, "
               "or use plain memory")
IRL_DIAGNOSTIC(IMAGE_FORMAT, "image-format", NO,
               "images hold f32, f16, bf16, integers of 8, 16 or 32 bits, and unorm8, snorm8, "
               "unorm16, snorm16: cast, or use plain memory")
IRL_DIAGNOSTIC(IMAGE_LIMIT, "image-limit", NO,
               "choose another layout: irlc texture lists those that fit, with their sizes")
IRL_DIAGNOSTIC(IMAGE_READ_WRITE, "image-read-write", NO,
               "before OpenCL 2.0 a kernel cannot both read and write an image: store a sum at "
               "once, as in y[i, c] = sum(k: 9, e), compute in another buffer and copy it, or "
               "split the function")

/* copies by a DMA controller */
IRL_DIAGNOSTIC(DMA_LIMIT, "dma-limit", NO,
               "let irlayout split the list (irlc dma --split, irl_dma_options.split), or choose "
               "another controller (irlc dma --controller)")
IRL_DIAGNOSTIC(DMA_LIST, "dma-list", NO,
               "allow more transfers (irlc dma --most, irl_dma_options.most), or copy by a "
               "function: irl_map_pack_func, irlc pack")
IRL_DIAGNOSTIC(DMA_BITS, "dma-bits", NO,
               "choose a layout that keeps bytes of the plain array whole; allow unused bits to be "
               "overwritten (irlc dma --overwrite, irl_dma_options.overwrite); or copy by a "
               "function: irlc emit MAP SHAPE --type u4")

/* running */
IRL_DIAGNOSTIC(ARGUMENT_MISMATCH, "argument-mismatch", NONE,
               "pass one pointer (or descriptor) per parameter, in the order of the parameter "
               "list; irl_func_param_tensor says what each must be")
IRL_DIAGNOSTIC(BARRIER_DIVERGENT, "divergent-barrier", NO,
               "every work-item of a group must reach the barrier: move it out of the condition")
IRL_DIAGNOSTIC(DATA_RACE, "data-race", NO,
               "write a sum as a reduction, y[0] = sum(i: 8, x[i]); give each iteration its own "
               "cells; make the loop serial; or, between work-items of one group, put a barrier "
               "between the write and the other access")
IRL_DIAGNOSTIC(ASSERTION, "assertion-failed", NO,
               "an assert of the function itself was false: pass values for which it holds, or "
               "correct it")
IRL_DIAGNOSTIC(BROKEN_PROTOTYPE, "broken-prototype", NO,
               "correct the prototype or the called function: the function may read and write "
               "only what the prototype states")
IRL_DIAGNOSTIC(BAD_VALUE, "bad-value", NO,
               "guard the operation: a shift's distance must be below the width, a float must fit "
               "the integer it is cast to")
IRL_DIAGNOSTIC(UNDEF_USED, "undef-used", NO,
               "store a value before it is read")
IRL_DIAGNOSTIC(STEP_LIMIT, "step-limit", UNDECIDED,
               "raise the limit or use smaller shapes")

/* OpenCL */
IRL_DIAGNOSTIC(NO_DEVICE, "no-device", NONE,
               "install an OpenCL driver (Debian: pocl-opencl-icd), ask irl_ocl_desc for another "
               "device, or use the interpreter")
IRL_DIAGNOSTIC(BUILD_FAILED, "build-failed", NONE,
               "the compiler's message is shown; if the emitted source is wrong, please report it")
IRL_DIAGNOSTIC(DEVICE_ERROR, "device-error", NONE,
               "the specification of the OpenCL call says what the status means; the usual cause "
               "is memory of another context, or of another size")

#undef IRL_DIAGNOSTIC
