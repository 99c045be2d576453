/* scopes.h - the scopes of memory, one row each: IRL_SCOPE_ROW(NAME, text, ocl, image).

   ocl    the qualifier in OpenCL C of what a pointer into it points to; of an image, into the
          buffer below it
   image  what kind of image it is: NONE is plain memory, of one dimension. A 2D one with two
          separators is an array
   Re-includable; undefines its macro. */
/* re-includable table */
/* memory that the host gives; also temporaries between kernels */
IRL_SCOPE_ROW(GLOBAL, "global", "__global ", NONE)
IRL_SCOPE_ROW(SHARED, "shared", "__local ", NONE) /* one instance per work-group */
IRL_SCOPE_ROW(LOCAL, "local", "", NONE) /* one instance per work-item */
IRL_SCOPE_ROW(CONSTANT, "constant", "__constant ", NONE) /* read-only memory that the host gives */
/* an image; rows are all axes but the last two, columns the last but one. With two separators
   image2d_array_t */
IRL_SCOPE_ROW(TEXTURE, "texture", "__global ", 2D)
/* an image; rows are the first axis */
IRL_SCOPE_ROW(TEXTURE_WEIGHT, "texture:weight", "__global ", 2D)
/* slices are all axes but the last three, rows the last but two, columns the last but one */
IRL_SCOPE_ROW(TEXTURE_VOLUME, "texture:volume", "__global ", VOLUME)
/* one row of texels, as long as a buffer: no separator */
IRL_SCOPE_ROW(TEXTURE_BUFFER, "texture:buffer", "__global ", LINE)
#undef IRL_SCOPE_ROW
