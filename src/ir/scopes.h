/* scopes.h - where memory lives, one row each: IRL_SCOPE_ROW(NAME, text, ocl, image, doc).

   image  what kind of image it is: NONE is plain memory, of one dimension. A 2D one with two separators is an array
   Re-includable; undefines its macro. */
/* re-includable table */
IRL_SCOPE_ROW(GLOBAL, "global", "__global", NONE, "memory that the host gives; also temporaries between kernels")
IRL_SCOPE_ROW(SHARED, "shared", "__local", NONE, "one instance per work-group")
IRL_SCOPE_ROW(LOCAL, "local", "", NONE, "one instance per work-item")
IRL_SCOPE_ROW(CONSTANT, "constant", "__constant", NONE, "read-only memory that the host gives")
IRL_SCOPE_ROW(TEXTURE, "texture", "image2d_t", 2D, "an image; rows are all axes but the last two, columns the last but one. With two separators image2d_array_t")
IRL_SCOPE_ROW(TEXTURE_WEIGHT, "texture:weight", "image2d_t", 2D, "an image; rows are the first axis")
IRL_SCOPE_ROW(TEXTURE_VOLUME, "texture:volume", "image3d_t", VOLUME, "slices are all axes but the last three, rows the last but two, columns the last but one")
IRL_SCOPE_ROW(TEXTURE_BUFFER, "texture:buffer", "image1d_buffer_t", LINE, "one row of texels, as long as a buffer: no separator")
#undef IRL_SCOPE_ROW
