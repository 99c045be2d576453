/* apply_layouts.c - every access of a buffer goes through its layout.

   requires  the attribute layout_transform_map names parameters or allocations of the function
   maintains loops, blocks, ids; the numbers that the function computes
   breaks    the attribute: it is removed, so a second run changes nothing. Parameters get an ABI
             shape beside their logical shape, and the map between
   cost      linear in the function, plus a verdict per layout; once more where a buffer gets
             another layout on top
   source    TVM RFC 39, Buffer Physical Layout */
#include "pass.h"

irl_func *irl__pass_apply_layouts(const irl_func *f)
{
    /* A match buffer is a part of another one by its axes; with a layout that has other axes, it is
       its accesses that can be rewritten. */
    if (f->layout_count && irl__stmt_holds(f->body, IRL__HOLDS_MATCH)) f = irl__resolve_matches(f);
    return f ? irl__layouts_apply(f, NULL) : NULL;
}
