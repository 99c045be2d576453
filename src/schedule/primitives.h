/* primitives.h - every primitive of a schedule: IRL_PRIMITIVE(name, loops, block, sees, takes,
   gives, example, does, needs).

   loops is 1 if it decides about the loops of the nests that it changes: the passes do not
   change these (kept.c); 0 if it is about data, values and blocks.
   block is 1 if it requires a block: a plain nest becomes one first (frame.c).
   sees is which statements of the body it examines besides those that contain its arguments
   (window.c): NEST, none; BUFFER, those that touch the buffer of its K; READERS, the same if it
   has a fourth argument, else none; MET, those that touch the same memory, because the step moves
   a computation past them, or makes memory undefined that nobody reads: for temporaries all of
   them, for parameters those in between.
   takes and gives are one letter for each argument and result. After the last one `+` means one or
   more of it, `*` any number, `?` at most one:
     L  a loop: conv.i, or the name that a step gave it     B  a block, by its name
     T  a loop or a block                                   F  a factor: an integer, or _
     A  a thread axis: global.x, local.y
     K  a buffer that a block accesses, by its name, or     N  key = value, key = "text"
        by its number among those it reads (or writes)      S  a memory: local, texture:weight
     M  a map: (i, j) -> (j, i)
   The function irl__do_name (schedule.h) does the primitive `name` at s->p, the place of what the
   first argument names, which frame.c finds; its file states in full what it requires, does and
   refuses. The texts here are for users and diagnostics: `name does`, `name
   requires needs`. Re-includable; undefines its macro. To add one: a row here, the function, and a
   case in tests/test_schedule.c. */
/* re-includable table */
IRL_PRIMITIVE(split, 1, 0, NEST, "LF+", "L+", "(io, ii) = split(conv.i, 16)",
              "splits a loop into nested loops: i = io * 16 + ii; if the factors do not divide the "
              "extent, a condition is added",
              "a loop that is neither bound nor vectorized; factors above 0, one of which may be _ "
              "(computed from the extent)")
IRL_PRIMITIVE(fuse, 1, 0, NEST, "L+", "L", "ij = fuse(conv.i, conv.j)",
              "replaces nested loops by one loop over the product of their extents",
              "loops of one kind, each directly inside the one before, with nothing else in it; no "
              "extent depends on the variable of another one")
IRL_PRIMITIVE(reorder, 1, 0, NEST, "L+", "", "reorder(conv.h, conv.w, conv.c)",
              "changes the order of nested loops; loops that are not named stay where they are",
              "loops of one nest, and an order that keeps the order of any two iterations that "
              "touch one cell. If an init is between the loops, use decompose_reduction first; if "
              "another store is, compose_reduction; if the loops sum floats, reassociate")
IRL_PRIMITIVE(parallel, 1, 0, NEST, "L?", "", "parallel(conv.h)",
              "lets the iterations of a loop run in any order, or at the same time; parallel() "
              "takes all loops that allow it, in nests that no step has changed",
              "independent iterations: none touches a cell that another one writes. Otherwise "
              "split or reorder so that another loop is outermost, or rfactor a loop that reduces")
IRL_PRIMITIVE(vectorize, 1, 0, NEST, "L", "", "vectorize(ii)",
              "turns the iterations of a loop into the lanes of vectors",
              "independent iterations: none touches a cell that another one writes. Take a loop "
              "that does not reduce, or rfactor first")
IRL_PRIMITIVE(unroll, 1, 0, NEST, "L", "", "unroll(ii)",
              "replaces a loop by copies of its body, one for each iteration",
              "a serial or parallel loop, or a bound loop that is a whole kernel")
IRL_PRIMITIVE(bind, 1, 0, NEST, "LAL*", "", "bind(conv.h, global.x)",
              "turns the iterations of a loop into work-items or groups; a reduce loop becomes a "
              "sum over the group. Loops that are named after the axis are bound to it in the same "
              "step, such as those of all nests of a group: bind(a.i, local.x, b.i)",
              "a loop that is serial, parallel or a whole kernel, with independent iterations: "
              "none touches a cell that another one writes. The axis must not be bound around it "
              "already, and must have the same extent wherever else it is bound")
IRL_PRIMITIVE(annotate, 0, 0, NEST, "TN", "", "annotate(conv.h, group = 64)",
              "puts a note on a loop or block; it replaces a note with the same key",
              "a loop or a block, and a note that no other step makes (reassociate makes one); "
              "group and unroll take a number above 0, label a text")
IRL_PRIMITIVE(add_unit_loop, 1, 0, NEST, "T", "L", "u = add_unit_loop(conv)",
              "puts a loop with one iteration around a loop or block",
              "a loop or a block")
IRL_PRIMITIVE(cache_read, 0, 0, BUFFER, "BKSM?B*", "B", "xs = cache_read(conv, x, shared)",
              "copies a buffer before the blocks that read it, which then read the copy; after the "
              "scope, the layout of the copy and the blocks that read it may be stated",
              "a block or nest that reads the buffer, not through a view; a place before it after "
              "which nothing writes the buffer; an injective map")
IRL_PRIMITIVE(cache_write, 0, 0, READERS, "BKSB*", "B", "acc = cache_write(conv, y, local)",
              "lets a block write a new buffer, which is copied back after it; the blocks that are "
              "named read the new buffer",
              "a block or nest that writes the buffer, not through a view; in the statement around "
              "it nothing else touches the buffer except the named blocks")
IRL_PRIMITIVE(decompose_reduction, 1, 0, NEST, "BL", "B",
              "init = decompose_reduction(conv, conv.k)",
              "moves the init of a reduction into a separate block before the loop",
              "a block with an init (compose_reduction makes one from a nest), and a loop around "
              "it such that no loop further out reduces")
IRL_PRIMITIVE(compose_reduction, 0, 0, MET, "B", "B", "y = compose_reduction(y)",
              "joins a store before the loops that reduce and the update inside them into one "
              "block with an init; without such a store the init is the cell as it is",
              "a nest around one update, in which some loops reduce; a store before it must be of "
              "the same cell, and directly before the loops that reduce")
IRL_PRIMITIVE(compose_store, 0, 0, NEST, "L", "", "compose_store(y.i)",
              "moves lets and conditions of a loop into the stores: names are replaced by their "
              "values, `if (c) y[i] = a; else y[i] = b;` becomes one store, and an update under a "
              "condition adds the neutral value if the condition is false",
              "a loop with lets whose operands are not written afterwards, or with conditions "
              "around one store; such a condition has an else, or a store of the same cell "
              "directly before it")
IRL_PRIMITIVE(tighten, 0, 0, NEST, "L", "", "tighten(y.i)",
              "turns conditions that compare loop variables with numbers into bounds of the loops: "
              "`for (i: 8) if (i > 0) s;` becomes `for (i: 1 .. 8) s;`; if there are none, removes "
              "the iterations of the loop in which the loops inside it do nothing: `for (k: 64, v: "
              "8) if (k >= 8 * i + v) s;` gets `k: 8 * i .. 64`",
              "a loop with such conditions inside it, reached only through loops and conditions "
              "without else; the bounds of the loops are numbers. Or a loop whose variable is "
              "compared with an index by such conditions, or by the condition of a store that "
              "keeps its cell if it is false")
IRL_PRIMITIVE(widen, 0, 0, NEST, "L", "", "widen(y.i)",
              "turns bounds that depend on outer loops into numbers and a condition: `for (i: 8, "
              "k: i .. 8) s;` becomes `for (i: 8, k: 8) if (k >= i) s;`",
              "a loop that contains such a loop, or is one; the least and the greatest values of "
              "its bounds are known numbers")
IRL_PRIMITIVE(continue_sum, 0, 0, NEST, "L", "", "continue_sum(y.j)",
              "lets each iteration of a loop continue the sum of the one before: `for (j: 8) { "
              "y[j] = 0; for (k: j + 1) y[j] += x[k]; }` becomes `for (j: 8) y[j] = (j > 0 ? "
              "y[j - 1] : 0) + x[j];`",
              "a serial loop around a store of a constant and a loop that updates the cell; each "
              "iteration sums the terms of the iteration before and then one more, the first "
              "iteration one term or none")
IRL_PRIMITIVE(gather, 0, 0, NEST, "LL", "", "gather(y.w, y.s)",
              "turns a loop that scatters into a loop over the cells that it stores to: `for (w: "
              "64, s: 3) y[w + s] += x[w];` becomes `for (s: 3, w: 66) if (w + s - 2 >= 0 && "
              "w + s - 2 < 64) y[w] += x[w + s - 2];`",
              "two serial loops, one in the other, around one store; one index of the store is a "
              "sum of multiples of both variables, no other index uses them, and the values read "
              "no other cells of what is stored to")
IRL_PRIMITIVE(compute_inline, 0, 0, MET, "B", "", "compute_inline(pad)",
              "computes the value of a block where it is read, and removes the block and its "
              "temporary",
              "a block or nest of one store that is not a reduction; it alone writes the "
              "temporary, and the indices of the store determine its axes")
IRL_PRIMITIVE(reverse_compute_inline, 0, 0, MET, "B", "", "reverse_compute_inline(relu)",
              "computes what a block makes from a temporary where the temporary is written, and "
              "removes the block and the temporary",
              "a block or nest of one store that alone reads a temporary; the writers of the "
              "temporary do not read it. If a reduction writes it, there is no other writer, and "
              "the block only copies")
IRL_PRIMITIVE(compute_at, 1, 0, MET, "BL", "", "compute_at(pad, conv.h)",
              "moves a block into a loop: each iteration computes the part of a temporary that it "
              "reads, and the temporary shrinks to that part",
              "a block or nest that alone writes temporaries, and a loop after it that contains "
              "all their readers; nothing in between writes what it reads")
IRL_PRIMITIVE(reverse_compute_at, 1, 0, MET, "BL", "", "reverse_compute_at(relu, conv.h)",
              "moves a block to the end of a loop: each iteration computes what depends on the "
              "cells that it has written",
              "a block or nest, and a loop before it that alone writes a temporary which the block "
              "reads, each cell in one iteration")
IRL_PRIMITIVE(rolling_buffer, 1, 0, MET, "BL", "", "rolling_buffer(pad, conv.h)",
              "keeps the parts of a temporary that earlier iterations computed in a ring buffer, "
              "so that each iteration computes only the new part",
              "a block in a serial loop that alone writes a temporary; the part of it that an "
              "iteration reads moves forwards from each iteration to the next; use compute_at "
              "first")
IRL_PRIMITIVE(partition, 1, 0, NEST, "LF+", "L+", "(border, interior) = partition(pad.i, 1)",
              "cuts a loop into consecutive loops; lowering removes conditions that are always "
              "true in a part",
              "a serial, parallel or unrolled loop, and increasing numbers within its extent; the "
              "last number may count from its end: partition(pad.i, 1, -1)")
IRL_PRIMITIVE(peel, 1, 0, NEST, "LF", "L+", "(whole, rest) = peel(pad.i, 4)",
              "cuts off the iterations that remain after whole groups of 4; to split the first "
              "loop by 4 then needs no condition, even if the extent is a name",
              "a serial, parallel or unrolled loop, and a number above 1")
IRL_PRIMITIVE(distribute, 1, 0, NEST, "L", "L+", "(a, b) = distribute(y.j)",
              "replaces a loop around several statements by a loop around each; memory allocated "
              "in an iteration gets one more index",
              "a serial or parallel loop around several statements, with independent iterations; "
              "no let between the statements: compose_store first")
IRL_PRIMITIVE(merge, 1, 0, NEST, "L+", "L", "i = merge(a.i, b.i)",
              "joins consecutive loops into one",
              "loops of the same bounds and kind with nothing but allocations between them; no "
              "iteration of a loop conflicts with a later iteration of a loop before it, that is, "
              "touches the same cell where one of them writes")
IRL_PRIMITIVE(set_scope, 0, 0, BUFFER, "BKS", "", "set_scope(pad, 0, local)",
              "puts a temporary that a block writes into another scope",
              "a temporary that is not an image. To put it into shared memory, it must not be "
              "private to each work-item; to take it out, it must not be shared")
IRL_PRIMITIVE(set_axis_separator, 0, 0, BUFFER, "BKF+", "", "set_axis_separator(pad, x_pad, 2)",
              "sets how the axes of a temporary are grouped into the axes of its memory",
              "a temporary that the block touches, and increasing separators within its axes")
IRL_PRIMITIVE(storage_align, 0, 0, BUFFER, "BKFFF", "", "storage_align(x_shared, 0, 0, 32, 1)",
              "pads the stride of an axis of a temporary to the least stride that leaves the "
              "remainder `offset` when divided by `factor`",
              "a compact temporary whose extents are numbers, written by the block, not an image; "
              "a factor above 0")
IRL_PRIMITIVE(contract, 0, 0, NEST, "B", "", "contract(conv)",
              "turns a * b + c and a * b - c into an fma, which is rounded once; in y + (where ? a "
              "* b : c) it does so for the arm a * b",
              "a block or nest that stores a sum or difference that contains a product of f32 or "
              "f64")
IRL_PRIMITIVE(expand_powers, 0, 0, NEST, "L", "", "expand_powers(y.i)",
              "turns pow(x, n) into a product, whose error is at most 7 units in the last place; "
              "OpenCL permits an error of 16 in pow",
              "a loop that contains pow(x, 2.0) to pow(x, 8.0) of f32 or f64; x is a small "
              "expression without calls")
IRL_PRIMITIVE(skip_neutral, 0, 0, NEST, "B", "", "skip_neutral(conv)",
              "keeps the value of a reduction unchanged if the condition of a term is false: y + "
              "(where ? a : 0.0) becomes where ? y + a : y; the same for min and max",
              "a reduction that adds such a term, from an init that is a constant other than -0.0; "
              "or a block that adds -0.0 or an integer 0 there; "
              "or one that takes the min or max with such a term, whose constant is that of the "
              "init")
IRL_PRIMITIVE(reindex, 0, 1, NEST, "BK", "B", "r = reindex(conv, x)",
              "copies the part of a buffer that a block accesses, indexed by the block's axes",
              "a block that accesses the buffer at one list of indices only")
IRL_PRIMITIVE(reindex_cache_read, 0, 1, NEST, "BKSM", "B",
              "r = reindex_cache_read(copy, x, shared, (i, j) -> (j, i))",
              "copies what a block reads from a buffer, with a layout that is a map of the block's "
              "axes; only this block reads the copy",
              "a block that reads the buffer at one list of indices, or at one list over the axes "
              "that the map uses; an injective map of its axes. Only this block reads the copy: if "
              "several blocks read the buffer, use cache_read")
IRL_PRIMITIVE(reindex_cache_write, 0, 1, NEST, "BKSM", "B",
              "r = reindex_cache_write(copy, y, shared, (i, j) -> (j, i))",
              "lets a block write a copy with a layout that is a map of its axes; the copy is "
              "copied back",
              "a block that writes the buffer at one list of indices, and an injective map of its "
              "axes")
IRL_PRIMITIVE(cache_padded, 0, 1, NEST, "BKS", "B", "xs = cache_padded(conv, x, global)",
              "copies what a block reads under a condition, together with the constant that it "
              "uses otherwise, or what it reads at an index that is clamped or wraps around; the "
              "block then reads the copy without condition or clamping. Where the block computes "
              "with what it reads under the condition, the condition stays, and no index leaves "
              "the copy",
              "a block with one choice between a load and constants, whose condition depends only "
              "on the indices of the load; or with one load at an index that is min, max or % of "
              "an index and a number; or with a choice that computes with a load at one list of "
              "indices. Extents are numbers")
IRL_PRIMITIVE(cache_value, 0, 1, NEST, "BK", "B", "p = cache_value(y, s)",
              "computes a part of a block's value before the block, once for each point of the "
              "axes on which it depends: the largest part that reads the buffer and depends on "
              "fewer axes than the block. y[i, e] += exp(s[i, j]) * v[j, e] then reads "
              "s_value[i, j]",
              "a block without a condition, in loops over all of its axes, whose extents are "
              "numbers above 0; one such part, which is more than a load and not in an arm of a "
              "choice; nothing writes in between what the part reads")
IRL_PRIMITIVE(transform_layout, 0, 0, BUFFER, "BKMP*", "L+",
              "transform_layout(conv, y, (n, h, w, c) -> (n, c/4, h, w, c%4))",
              "changes the layout of a buffer; with names for its results, (n, c) = ..., one for "
              "each axis of the map, also the loops of the nest that stores it",
              "a buffer that the block accesses, and an injective map of its axes (assume = "
              "\"injective\" if that is not proved); if cells are unused, pad = 0, pad = \"any\", "
              "or for a buffer that is written pad = (n, c) -> (n + c)")
IRL_PRIMITIVE(transform_block_layout, 1, 1, NEST, "BM", "L+",
              "transform_block_layout(conv, (i, j, k) -> (i, j, k / 8, k % 8))",
              "replaces the axes and loops of a block by the outputs of a map",
              "a block each of whose axes is bound to its own serial loop that begins at a number, "
              "and a bijective map; no output mixes spatial and reduce axes; reassociate first if "
              "the order of a sum of floats changes")
IRL_PRIMITIVE(rfactor, 1, 0, NEST, "LF", "B", "parts = rfactor(dot.ki, 0)",
              "computes partial sums, one for each iteration of a loop; the block then adds them",
              "a serial loop over reduce axes with nothing but a block inside. The block updates a "
              "cell by + * min max & | ^ (compose_reduction makes such a block from a nest), or "
              "selects one by a comparison as argmin does; then take the outermost of these loops, "
              "or store an integer that tells which element comes first. If it sums floats, "
              "reassociate first")
IRL_PRIMITIVE(pad_einsum, 0, 1, NEST, "BF+", "", "pad_einsum(conv, 16, 16, 8)",
              "pads the axes of a sum of products to multiples of factors, by padded copies of the "
              "operands",
              "a block each of whose axes is bound to its own serial loop from 0, and that uses "
              "these axes as indices of its operands; a factor for each axis")
IRL_PRIMITIVE(decompose_padding, 0, 1, NEST, "BL", "B", "zeros = decompose_padding(pad, pad.h)",
              "splits a padding in two: one block stores the constant everywhere, another one "
              "stores the values",
              "a block that stores if_then_else(condition, value, constant), and a loop that "
              "contains nothing else")
IRL_PRIMITIVE(blockize, 1, 1, NEST, "L", "B", "tile = blockize(dot.ii)",
              "turns the loops inside a loop into a block, nested in a block over the outer loops",
              "a loop around nothing but a block; the inner loops divide the axes into whole "
              "parts, and all loops that sum are inside it")
IRL_PRIMITIVE(reassociate, 0, 0, NEST, "B", "", "reassociate(conv)",
              "declares that the terms of a reduction may be combined in any order: sums of floats "
              "may then be reordered",
              "a block or nest that updates a cell by one of + * min max & | ^")
#undef IRL_PRIMITIVE
