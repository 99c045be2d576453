/* scopes.h - where memory lives, one row each: IRL_SCOPE_ROW(NAME, text, ocl, dimensions, doc).

   dimensions  that the memory has, and so the rank that flattening must reach; 1 is plain memory
   Re-includable; undefines its macro. */
/* re-includable table */
IRL_SCOPE_ROW(GLOBAL, "global", "__global", 1, "memory that the host gives; also temporaries between kernels")
IRL_SCOPE_ROW(SHARED, "shared", "__local", 1, "one instance per work-group")
IRL_SCOPE_ROW(LOCAL, "local", "", 1, "one instance per work-item")
IRL_SCOPE_ROW(CONSTANT, "constant", "__constant", 1, "read-only memory that the host gives")
IRL_SCOPE_ROW(TEXTURE, "texture", "image2d_t", 2, "an image; rows are all axes but the last two, columns the last but one")
IRL_SCOPE_ROW(TEXTURE_WEIGHT, "texture:weight", "image2d_t", 2, "an image; rows are the first axis")
#undef IRL_SCOPE_ROW
