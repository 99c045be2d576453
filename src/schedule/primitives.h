/* primitives.h - every primitive of a schedule: IRL_PRIMITIVE(name, takes, gives, example).

   takes and gives are one letter for each argument and result, with `+` behind the last where one
   or more may stand, `*` where any number may:
     L  a loop: conv.i, or the name that a step gave it     B  a block, by its name
     T  a loop or a block                                   F  a factor: an integer, or _
     A  a thread axis: global.x, local.y
     K  a buffer that a block accesses, by its name, or     N  key = value, key = "text"
        by its number among those it reads (or writes)      S  a memory: local, texture:weight
     M  a map: (i, j) -> (j, i)
   The primitive `name` is done by irl__do_name (schedule.h), whose file says what it requires, does
   and refuses; `example` stands in diagnostics. Re-includable; undefines its macro. To add one: a
   row here, the function, and a case in tests/test_schedule.c. */
/* re-includable table */
IRL_PRIMITIVE(split, "LF+", "L+", "(io, ii) = split(conv.i, 16)")
IRL_PRIMITIVE(fuse, "L+", "L", "ij = fuse(conv.i, conv.j)")
IRL_PRIMITIVE(reorder, "L+", "", "reorder(conv.h, conv.w, conv.c)")
IRL_PRIMITIVE(parallel, "L", "", "parallel(conv.h)")
IRL_PRIMITIVE(vectorize, "L", "", "vectorize(ii)")
IRL_PRIMITIVE(unroll, "L", "", "unroll(ii)")
IRL_PRIMITIVE(bind, "LA", "", "bind(conv.h, global.x)")
IRL_PRIMITIVE(annotate, "TN", "", "annotate(conv.h, group = 64)")
IRL_PRIMITIVE(add_unit_loop, "T", "L", "u = add_unit_loop(conv)")
IRL_PRIMITIVE(cache_read, "BKS", "B", "xs = cache_read(conv, x, shared)")
IRL_PRIMITIVE(cache_write, "BKS", "B", "acc = cache_write(conv, y, local)")
IRL_PRIMITIVE(decompose_reduction, "BL", "B", "init = decompose_reduction(conv, conv.k)")
IRL_PRIMITIVE(compose_reduction, "B", "B", "y = compose_reduction(y)")
IRL_PRIMITIVE(compute_inline, "B", "", "compute_inline(pad)")
IRL_PRIMITIVE(reverse_compute_inline, "B", "", "reverse_compute_inline(relu)")
IRL_PRIMITIVE(compute_at, "BL", "", "compute_at(pad, conv.h)")
IRL_PRIMITIVE(reverse_compute_at, "BL", "", "reverse_compute_at(relu, conv.h)")
IRL_PRIMITIVE(rolling_buffer, "BL", "", "rolling_buffer(pad, conv.h)")
IRL_PRIMITIVE(partition, "LF+", "L+", "(border, interior) = partition(pad.i, 1)")
IRL_PRIMITIVE(merge, "L+", "L", "i = merge(a.i, b.i)")
IRL_PRIMITIVE(set_scope, "BKS", "", "set_scope(pad, 0, local)")
IRL_PRIMITIVE(set_axis_separator, "BKF+", "", "set_axis_separator(pad, x_pad, 2)")
IRL_PRIMITIVE(storage_align, "BKFFF", "", "storage_align(x_shared, 0, 0, 32, 1)")
IRL_PRIMITIVE(contract, "B", "", "contract(conv)")
IRL_PRIMITIVE(reindex, "BK", "B", "r = reindex(conv, x)")
IRL_PRIMITIVE(reindex_cache_read, "BKSM", "B",
              "r = reindex_cache_read(copy, x, shared, (i, j) -> (j, i))")
IRL_PRIMITIVE(reindex_cache_write, "BKSM", "B",
              "r = reindex_cache_write(copy, y, shared, (i, j) -> (j, i))")
IRL_PRIMITIVE(transform_layout, "BKMN*", "L+",
              "transform_layout(conv, y, (n, h, w, c) -> (n, c/4, h, w, c%4))")
IRL_PRIMITIVE(transform_block_layout, "BM", "L+",
              "transform_block_layout(conv, (i, j, k) -> (i, j, k / 8, k % 8))")
IRL_PRIMITIVE(rfactor, "LF", "B", "parts = rfactor(dot.ki, 0)")
IRL_PRIMITIVE(pad_einsum, "BF+", "", "pad_einsum(conv, 16, 16, 8)")
IRL_PRIMITIVE(decompose_padding, "BL", "B", "zeros = decompose_padding(pad, pad.h)")
IRL_PRIMITIVE(blockize, "L", "B", "tile = blockize(dot.ii)")
IRL_PRIMITIVE(reassociate, "B", "", "reassociate(conv)")
#undef IRL_PRIMITIVE
