/* types.h - the scalar types, one row each:
   IRL_TYPE_ROW(NAME, text, kind, bits, bytes, ocl, c, glsl, glsl_vector).

   NAME   the constructor is irl_type_of(IRL_<NAME>, lanes)
   kind   BOOL, INT, UINT, FLOAT, BFLOAT, INDEX; UNORM and SNORM: an integer that represents a
          fraction of the largest, stored only
   bits   of a value; index is 64 bits in the compiler
   bytes  that an element takes in memory
   ocl    what holds a value in OpenCL C, c in C, and glsl in GLSL, where glsl_vector, with the
          number of lanes behind it, holds several; what is stored only is held as its bits
   Re-includable; undefines its macro. */
/* re-includable table */
IRL_TYPE_ROW(BOOL, "bool", BOOL, 1, 1, "bool", "int", "bool", "bvec")
IRL_TYPE_ROW(I8, "i8", INT, 8, 1, "char", "int8_t", "int8_t", "i8vec")
IRL_TYPE_ROW(I16, "i16", INT, 16, 2, "short", "int16_t", "int16_t", "i16vec")
IRL_TYPE_ROW(I32, "i32", INT, 32, 4, "int", "int32_t", "int", "ivec")
IRL_TYPE_ROW(I64, "i64", INT, 64, 8, "long", "int64_t", "int64_t", "i64vec")
IRL_TYPE_ROW(U8, "u8", UINT, 8, 1, "uchar", "uint8_t", "uint8_t", "u8vec")
IRL_TYPE_ROW(U16, "u16", UINT, 16, 2, "ushort", "uint16_t", "uint16_t", "u16vec")
IRL_TYPE_ROW(U32, "u32", UINT, 32, 4, "uint", "uint32_t", "uint", "uvec")
IRL_TYPE_ROW(U64, "u64", UINT, 64, 8, "ulong", "uint64_t", "uint64_t", "u64vec")
IRL_TYPE_ROW(F16, "f16", FLOAT, 16, 2, "ushort", "uint16_t", "uint16_t", "u16vec")
IRL_TYPE_ROW(BF16, "bf16", BFLOAT, 16, 2, "ushort", "uint16_t", "uint16_t", "u16vec")
IRL_TYPE_ROW(F32, "f32", FLOAT, 32, 4, "float", "float", "float", "vec")
IRL_TYPE_ROW(F64, "f64", FLOAT, 64, 8, "double", "double", "double", "dvec")
IRL_TYPE_ROW(INDEX, "index", INDEX, 64, 8, "long", "int64_t", "int", "ivec")
IRL_TYPE_ROW(UNORM8, "unorm8", UNORM, 8, 1, "uchar", "uint8_t", "uint8_t", "u8vec")
IRL_TYPE_ROW(SNORM8, "snorm8", SNORM, 8, 1, "char", "int8_t", "int8_t", "i8vec")
IRL_TYPE_ROW(UNORM16, "unorm16", UNORM, 16, 2, "ushort", "uint16_t", "uint16_t", "u16vec")
IRL_TYPE_ROW(SNORM16, "snorm16", SNORM, 16, 2, "short", "int16_t", "int16_t", "i16vec")
#undef IRL_TYPE_ROW
