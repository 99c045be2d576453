/* glsl_words.h - names that GLSL 4.50 has taken: IRL_GLSL_WORDS(first, "word word ..."), one row
   per first letter.

   Keywords, words kept for later, types, built-in functions and what starts as they do, the
   extensions' too that a shader here may ask for. `word*` is everything that starts so; `word#` is
   the word alone or followed by a number of lanes. Re-includable; undefines its macro. */
/* re-includable table */
IRL_GLSL_WORDS('E', "EXT_*")
IRL_GLSL_WORDS('G', "GL_*")
IRL_GLSL_WORDS('V', "VULKAN")
IRL_GLSL_WORDS('a', "abs acos acosh active all any anyInvocation* allInvocation* asin asinh asm "
                    "assert* atan atanh atomic* attribute")
IRL_GLSL_WORDS('b', "barrier bfloat* bitCount bitfield* bool break buffer bvec#")
IRL_GLSL_WORDS('c', "case cast ceil centroid clamp class coherent common const continue "
                    "controlBarrier cos cosh coopmat* cross")
IRL_GLSL_WORDS('d', "dFd* debugPrintfEXT default defined degrees demote determinant discard "
                    "distance dmat* do dot double dvec#")
IRL_GLSL_WORDS('e', "else enum equal exp exp2 extern external")
IRL_GLSL_WORDS('f', "f16* f32* f64* faceforward false filter findLSB findMSB fixed flat float "
                    "float16* float32* float64* float16_t floatBitsTo* floor fma for fract "
                    "frexp ftransform fvec# fwidth*")
IRL_GLSL_WORDS('g', "gl_* goto greaterThan*")
IRL_GLSL_WORDS('h', "half highp hvec# helperInvocation*")
IRL_GLSL_WORDS('i', "i16* i32* i64* i8* if iimage* image* imulExtended inline inout input in "
                    "int int16* int32* int64* int8* intBitsTo* interface interpolate* invariant "
                    "inverse inversesqrt invocation* irl_* isampler* isinf isnan isubpass* "
                    "itexture* ivec#")
IRL_GLSL_WORDS('l', "layout ldexp length lessThan* log log2 long lowp local_size_*")
IRL_GLSL_WORDS('m', "main mat2* mat3* mat4* matrixCompMult max mediump memoryBarrier* min mix "
                    "mod modf")
IRL_GLSL_WORDS('n', "namespace noinline noise1 noise2 noise3 noise4 nonuniform* noperspective "
                    "normalize not notEqual")
IRL_GLSL_WORDS('o', "out outerProduct output")
IRL_GLSL_WORDS('p', "pack* partition packed patch pow precise precision public")
IRL_GLSL_WORDS('r', "radians readonly reflect refract resource restrict return round roundEven")
IRL_GLSL_WORDS('s', "sample sampler* shared shadercallcoherent short sign sin sinh sizeof "
                    "smooth smoothstep sqrt static step struct subgroup* subpass* subroutine "
                    "superp switch")
IRL_GLSL_WORDS('t', "tan tanh template texel* texture* this transpose true trunc typedef")
IRL_GLSL_WORDS('u', "u16* u32* u64* u8* uaddCarry uimage* uint uint16* uint32* uint64* uint8* "
                    "uintBitsTo* umulExtended uniform union unpack* unsigned usampler* using "
                    "usubBorrow usubpass* utexture* uvec#")
IRL_GLSL_WORDS('v', "varying vec# void volatile")
IRL_GLSL_WORDS('w', "while workgroupcoherent writeonly")
#undef IRL_GLSL_WORDS
