/* primitives.h - every primitive of a schedule: IRL_PRIMITIVE(name, loops, block, sees, takes,
   gives, example, does, needs).

   loops is 1 where it decides about the loops of the nests that it changes: the passes leave
   those as they are (kept.c); 0 where it is about data, values and blocks.
   block is 1 where it wants a block: a plain nest becomes one first (frame.c).
   sees is which statements of the body it looks at beside those that hold its arguments
   (window.c): NEST, none; BUFFER, those that touch the buffer of its K; READERS, those too where
   it has a fourth argument, else none; MET, those that touch what they touch, since what is
   computed goes past them to another place: of temporaries all, of parameters those between.
   takes and gives are one letter for each argument and result, with `+` behind the last where one
   or more may stand, `*` where any number may, `?` where one may:
     L  a loop: conv.i, or the name that a step gave it     B  a block, by its name
     T  a loop or a block                                   F  a factor: an integer, or _
     A  a thread axis: global.x, local.y
     K  a buffer that a block accesses, by its name, or     N  key = value, key = "text"
        by its number among those it reads (or writes)      S  a memory: local, texture:weight
     M  a map: (i, j) -> (j, i)
   The primitive `name` is done by irl__do_name (schedule.h), whose file says what it requires, does
   and refuses in full; here it is said for users, and in diagnostics: `name does`, `name requires
   needs`. Re-includable; undefines its macro. To add one: a row here, the function, and a case in
   tests/test_schedule.c. */
/* re-includable table */
IRL_PRIMITIVE(split, 1, 0, NEST, "LF+", "L+", "(io, ii) = split(conv.i, 16)",
              "cuts a loop into nested ones: i = io * 16 + ii; what the factors do not divide "
              "gets a condition",
              "a loop that is neither bound nor vectorized, and factors above 0, of which one "
              "may be _")
IRL_PRIMITIVE(fuse, 1, 0, NEST, "L+", "L", "ij = fuse(conv.i, conv.j)",
              "makes one loop of nested ones, over the product of their extents",
              "loops of one kind, each of which holds the next and nothing else; no extent "
              "depends on an outer one of them")
IRL_PRIMITIVE(reorder, 1, 0, NEST, "L+", "", "reorder(conv.h, conv.w, conv.c)",
              "puts nested loops into the stated order, in the places that they have; the "
              "others stay",
              "loops of one chain, and an order in which no two iterations that touch one cell "
              "change places; decompose_reduction first where an init stands in the way "
              "(compose_reduction, where it is a store in front of loops), reassociate where a sum "
              "of floats does")
IRL_PRIMITIVE(parallel, 1, 0, NEST, "L", "", "parallel(conv.h)",
              "lets the iterations of a loop run in any order, or at the same time",
              "iterations that touch no cell of each other, one of them writing it: split or "
              "reorder so that another loop is outermost, or rfactor where it reduces")
IRL_PRIMITIVE(vectorize, 1, 0, NEST, "L", "", "vectorize(ii)",
              "makes the iterations of a loop the lanes of vectors",
              "iterations that touch no cell of each other, one of them writing it: take a "
              "loop that does not reduce, or rfactor first")
IRL_PRIMITIVE(unroll, 1, 0, NEST, "L", "", "unroll(ii)",
              "writes the iterations of a loop out, one after the other",
              "a serial or parallel loop, or a bound one that is a kernel of its own")
IRL_PRIMITIVE(bind, 1, 0, NEST, "LA", "", "bind(conv.h, global.x)",
              "makes the iterations of a loop work-items or groups; a reduce loop becomes a "
              "sum of the group",
              "a loop, serial, parallel or a kernel of its own, whose iterations touch no cell "
              "of each other, one of them writing it; an axis that is not bound around it, or "
              "has the same extent elsewhere")
IRL_PRIMITIVE(annotate, 0, 0, NEST, "TN", "", "annotate(conv.h, group = 64)",
              "puts a note at a loop or block, instead of one of the same key",
              "a loop or a block, and a note that no other step puts, as reassociate does: a group "
              "is a number above 0, a label a text")
IRL_PRIMITIVE(add_unit_loop, 1, 0, NEST, "T", "L", "u = add_unit_loop(conv)",
              "puts a loop of one iteration around a loop or block",
              "a loop or a block")
IRL_PRIMITIVE(cache_read, 0, 0, BUFFER, "BKSM?B*", "B", "xs = cache_read(conv, x, shared)",
              "copies a buffer before the blocks that read it, which then read the copy; after the "
              "scope come the layout of the copy, and the only blocks that read it",
              "a block or nest that reads the buffer, by no view, and a place before it where "
              "nobody writes it; a map that keeps its points apart")
IRL_PRIMITIVE(cache_write, 0, 0, READERS, "BKSB*", "B", "acc = cache_write(conv, y, local)",
              "lets a block write a buffer of its own, which is copied back after it; the blocks "
              "that are named read the new buffer",
              "a block or nest that writes the buffer, by no view, and a statement around it "
              "in which nothing else touches the buffer but blocks that are named")
IRL_PRIMITIVE(decompose_reduction, 1, 0, NEST, "BL", "B",
              "init = decompose_reduction(conv, conv.k)",
              "makes the init of a reduction a block of its own, in front of the loop",
              "a block with an init, which compose_reduction makes of a nest, and a loop around "
              "it, outside of which no loop reduces")
IRL_PRIMITIVE(compose_reduction, 0, 0, NEST, "B", "B", "y = compose_reduction(y)",
              "makes a store in front of the loops that reduce, and the update in them, one "
              "block with an init",
              "a nest around one update, with a store of the same cell right before the loops "
              "that reduce")
IRL_PRIMITIVE(compose_store, 0, 0, NEST, "L", "", "compose_store(y.i)",
              "makes lets and conditions in a loop part of what is stored there: values stand "
              "where their names stood, `if (c) y[i] = a; else y[i] = b;` is one store, and an "
              "update under a condition adds nothing where that does not hold",
              "a loop with lets of what is not written behind them, or conditions around one "
              "store, with an else or of a cell that a store right before began")
IRL_PRIMITIVE(tighten, 0, 0, NEST, "L", "", "tighten(y.i)",
              "makes conditions that compare variables of loops with numbers the bounds of these "
              "loops: `for (i: 8) if (i > 0) s;` is `for (i: 1 .. 8) s;`",
              "a loop in which, through loops and conditions without else, conditions compare "
              "such variables with numbers; loops from a number to a number")
IRL_PRIMITIVE(compute_inline, 0, 0, MET, "B", "", "compute_inline(pad)",
              "puts what a block computes where its result is read; block and temporary are "
              "gone",
              "a block or nest of one store, no reduction, that alone writes a temporary whose "
              "indices determine its axes")
IRL_PRIMITIVE(reverse_compute_inline, 0, 0, MET, "B", "", "reverse_compute_inline(relu)",
              "puts what a block makes of a temporary where that is written; block and "
              "temporary are gone",
              "a block or nest of one store that alone reads a temporary, which blocks or nests "
              "write that do not read it; a reduction is alone, and may only be copied")
IRL_PRIMITIVE(compute_at, 1, 0, MET, "BL", "", "compute_at(pad, conv.h)",
              "computes in each iteration of a loop what that iteration reads of a temporary, "
              "which shrinks to it",
              "a block or nest that alone writes temporaries, and a loop behind it in which "
              "all that read them stand; what it reads is not written between")
IRL_PRIMITIVE(reverse_compute_at, 1, 0, MET, "BL", "", "reverse_compute_at(relu, conv.h)",
              "computes at the end of each iteration of a loop what the cells allow that it "
              "has written",
              "a block or nest, and a loop in front of it that alone writes a temporary which "
              "it reads, each cell in one iteration")
IRL_PRIMITIVE(rolling_buffer, 1, 0, MET, "BL", "", "rolling_buffer(pad, conv.h)",
              "keeps what earlier iterations of the loop computed of a temporary in a ring, and "
              "computes in each only what is new",
              "a block that alone writes a temporary in a serial loop, of which each iteration "
              "reads a window that moves on: compute_at first")
IRL_PRIMITIVE(partition, 1, 0, NEST, "LF+", "L+", "(border, interior) = partition(pad.i, 1)",
              "cuts a loop into loops one behind the other; conditions that hold in a whole part "
              "are gone from it when it is lowered",
              "a serial, parallel or unrolled loop, and numbers that increase within its "
              "extent; the last may count from its end: partition(pad.i, 1, -1)")
IRL_PRIMITIVE(peel, 1, 0, NEST, "LF", "L+", "(whole, rest) = peel(pad.i, 4)",
              "cuts off the iterations that whole groups of so many leave; what is in front "
              "splits evenly, also where the extent is a name",
              "a serial, parallel or unrolled loop, and a number above 1")
IRL_PRIMITIVE(distribute, 1, 0, NEST, "L", "L+", "(a, b) = distribute(y.j)",
              "makes of a loop around several statements a loop around each; memory that an "
              "iteration has for itself gets an index more",
              "a serial or parallel loop around several statements, whose iterations touch "
              "nothing of each other; no let between them: compose_store first")
IRL_PRIMITIVE(merge, 1, 0, NEST, "L+", "L", "i = merge(a.i, b.i)",
              "makes one loop of loops that stand one behind the other",
              "loops of the same bounds and kind with nothing between them; no iteration "
              "touches, one of them writing it, what a later one of a loop before touches")
IRL_PRIMITIVE(set_scope, 0, 0, BUFFER, "BKS", "", "set_scope(pad, 0, local)",
              "puts a temporary that a block writes into another memory",
              "a temporary, which is no image; in shared memory one that work-items do not "
              "each have for themselves, out of it one that they do not share")
IRL_PRIMITIVE(set_axis_separator, 0, 0, BUFFER, "BKF+", "", "set_axis_separator(pad, x_pad, 2)",
              "says to which axes of memory the axes of a temporary are flattened",
              "a temporary that the block touches, and separators that increase within its "
              "axes")
IRL_PRIMITIVE(storage_align, 0, 0, BUFFER, "BKFFF", "", "storage_align(x_shared, 0, 0, 32, 1)",
              "pads the stride of an axis of a temporary: the least that leaves `offset` when "
              "divided by `factor`",
              "a compact temporary of sizes that are numbers, written by the block, which is "
              "no image; a factor above 0")
IRL_PRIMITIVE(contract, 0, 0, NEST, "B", "", "contract(conv)",
              "makes a * b + c and a * b - c an fma, which is rounded once; of "
              "y + (where ? a * b : c) an arm",
              "a block or nest that stores a sum or difference with a product of f32 or f64 in it")
IRL_PRIMITIVE(reindex, 0, 1, NEST, "BK", "B", "r = reindex(conv, x)",
              "copies what a block accesses of a buffer, over the block's axes",
              "a block that accesses the buffer at one list of indices")
IRL_PRIMITIVE(reindex_cache_read, 0, 1, NEST, "BKSM", "B",
              "r = reindex_cache_read(copy, x, shared, (i, j) -> (j, i))",
              "copies what a block reads of a buffer, laid out by a map of the block's axes",
              "a block that alone reads the buffer, at one list of indices, or at one over the "
              "axes that the map uses, and a map of its axes that keeps their points apart; "
              "cache_read where several blocks read it")
IRL_PRIMITIVE(reindex_cache_write, 0, 1, NEST, "BKSM", "B",
              "r = reindex_cache_write(copy, y, shared, (i, j) -> (j, i))",
              "lets a block write a copy laid out by a map of its axes, which is copied back",
              "a block that writes the buffer at one list of indices, and a map of its axes "
              "that keeps their points apart")
IRL_PRIMITIVE(cache_padded, 0, 1, NEST, "BKS", "B", "xs = cache_padded(conv, x, global)",
              "copies what a block reads under a condition, with the constant beside it around, or "
              "at an index that is clamped or wraps around; the copy is read without either",
              "a block with one choice of a load and constants, by a condition that the indices "
              "of the load decide, or one load at the least, the largest or the rest of an index "
              "and a number; sizes that are numbers")
IRL_PRIMITIVE(transform_layout, 0, 0, BUFFER, "BKMP*", "L+",
              "transform_layout(conv, y, (n, h, w, c) -> (n, c/4, h, w, c%4))",
              "changes how a buffer lies; with names for its results, (n, c) = ..., one for each "
              "axis of the map, the loops of the nest that stores it, too",
              "a buffer that the block accesses, and a map of its axes that keeps its points "
              "apart (assume = \"injective\" where that is not proved); where cells are unused "
              "pad = 0, pad = \"any\", or of what is written pad = (n, c) -> (n + c)")
IRL_PRIMITIVE(transform_block_layout, 1, 1, NEST, "BM", "L+",
              "transform_block_layout(conv, (i, j, k) -> (i, j, k / 8, k % 8))",
              "makes the axes and loops of a block the outputs of a map",
              "a block whose axes are all of serial loops from a number, one each, and a map that "
              "is bijective; no output of spatial and reduce axes; reassociate first where the "
              "order of a sum of floats changes")
IRL_PRIMITIVE(rfactor, 1, 0, NEST, "LF", "B", "parts = rfactor(dot.ki, 0)",
              "sums in parts, one for each iteration of a loop, which the block sums then",
              "a serial loop of reduce axes around a block alone, which updates a cell by + * "
              "min max & | ^ (compose_reduction makes one of a nest), or picks one by < or > as "
              "argmin does, in the outermost of these loops; reassociate first where it sums "
              "floats")
IRL_PRIMITIVE(pad_einsum, 0, 1, NEST, "BF+", "", "pad_einsum(conv, 16, 16, 8)",
              "pads the axes of a sum of products to multiples of factors, in copies of the "
              "operands",
              "a block whose axes are serial loops from 0, one each, and index what is padded; "
              "a factor for each axis")
IRL_PRIMITIVE(decompose_padding, 0, 1, NEST, "BL", "B", "zeros = decompose_padding(pad, pad.h)",
              "stores the constant of a padding everywhere, in a block of its own, and values "
              "where there are some",
              "a block that stores if_then_else(condition, value, constant), and a loop with "
              "nothing else in it")
IRL_PRIMITIVE(blockize, 1, 1, NEST, "L", "B", "tile = blockize(dot.ii)",
              "makes the part of a nest inside of a loop a block, within a block over the "
              "outer parts",
              "a loop around a block alone, whose extent divides the axes; all sums are inside "
              "of it")
IRL_PRIMITIVE(reassociate, 0, 0, NEST, "B", "", "reassociate(conv)",
              "declares the order of a reduction free: sums of floats may then be reordered",
              "a block or nest that updates a cell by one of + * min max & | ^")
#undef IRL_PRIMITIVE
