/* taken_names.h - names that a language, a header or a printer has taken, and functions that bear
   them.

   needs     generate.h and c_batch.h before it, random64.h
   promises  the list of words does not come from the library's tables: keywords are written down
             here as the standards have them, macros and functions come from the compilers' own
             headers, and the printers' names from the texts that they print. A function is renamed
             in its text: every name that it declares becomes another word, in back quotes */
#ifndef IRL_TAKEN_NAMES_H
#define IRL_TAKEN_NAMES_H

#include <ctype.h>

/* Stands in a word for the name of the function that bears it: irl_OWN_min is a printer's name in
   any function. */
#define TAKEN_OWN "OWN"

static const char *const taken_by_standards[] = {
    /* C99, C11, C23 */
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic "
    "_Imaginary _Noreturn _Static_assert _Thread_local alignas alignof bool constexpr false "
    "nullptr static_assert thread_local true typeof typeof_unqual _BitInt _Decimal128 _Decimal32 "
    "_Decimal64 asm fortran __func__ main errno NULL NDEBUG unix linux i386",
    /* C++ to C++20, and words that mean something in some places of it */
    "and and_eq atomic_cancel atomic_commit atomic_noexcept bitand bitor catch char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const_cast consteval constinit "
    "decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not "
    "not_eq operator or or_eq private protected public reflexpr reinterpret_cast requires "
    "static_cast synchronized template this throw try typeid typename using virtual wchar_t xor "
    "xor_eq final override import module std",
    /* OpenCL C: qualifiers, types, and what 2.0 and 3.0 added */
    "__kernel kernel __global global __local local __constant constant __private private "
    "__generic generic __read_only read_only __write_only write_only __read_write read_write "
    "pipe uchar ushort uint ulong half quad bool2 half2 float2 float3 float4 float8 float16 "
    "double2 double4 double16 int2 int3 int4 int8 int16 uint2 uint4 uint8 uint16 char2 char16 "
    "uchar4 short8 ushort3 long2 ulong4 quad4 size_t ptrdiff_t intptr_t uintptr_t image2d_t "
    "image3d_t image2d_array_t image1d_t image1d_buffer_t image1d_array_t sampler_t event_t "
    "queue_t clk_event_t ndrange_t reserve_id_t complex imaginary vec_step as_float as_int4 "
    "convert_int convert_uchar4_sat_rte atomic_int atomic_flag memory_order memory_scope uniform "
    "MAXFLOAT HUGE_VALF INFINITY NAN M_PI M_PI_F CLK_LOCAL_MEM_FENCE CLK_NORMALIZED_COORDS_FALSE "
    "CLK_ADDRESS_NONE CLK_FILTER_NEAREST CHAR_BIT INT_MAX FLT_MAX DBL_EPSILON HALF_MAX",
    /* GLSL 4.50: keywords, words kept for later, types */
    "attribute varying uniform buffer shared coherent readonly writeonly atomic_uint layout "
    "centroid flat smooth noperspective patch sample invariant precise subroutine in out inout "
    "discard lowp mediump highp precision vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 "
    "bvec2 bvec3 bvec4 dvec2 dvec3 dvec4 mat2 mat3 mat4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 "
    "mat3x4 mat4x2 mat4x3 mat4x4 dmat2 dmat3 dmat4 dmat2x3 dmat4x4 sampler1D sampler2D sampler3D "
    "samplerCube sampler1DShadow sampler2DShadow sampler1DArray sampler2DArray sampler2DRect "
    "samplerBuffer sampler2DMS isampler2D usampler2D isamplerBuffer image1D image2D image3D "
    "iimage2D uimage2D imageCube imageBuffer image2DArray sampler samplerShadow texture1D "
    "texture2D texture3D itexture2D utexture2D textureBuffer subpassInput isubpassInput common "
    "partition active filter superp external fixed input output hvec2 hvec3 hvec4 fvec2 fvec3 "
    "fvec4 sampler3DRect noinline cast interface resource packed goto row_major column_major "
    "std140 std430 binding offset location set push_constant local_size_x constant_id "
    "GL_core_profile VULKAN __VERSION__ __LINE__ gl_GlobalInvocationID gl_NumWorkGroups "
    "float16_t f16vec2 int8_t uint8_t int16_t u16vec4 int64_t uint64_t i64vec2 float32_t "
    "float64_t f64vec3 i8vec4 u8vec2 i16vec3 u32vec4",
    /* GLSL's functions */
    "radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 "
    "log2 sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp "
    "mix step smoothstep isnan isinf floatBitsToInt floatBitsToUint intBitsToFloat "
    "uintBitsToFloat fma frexp ldexp packUnorm2x16 packSnorm4x8 unpackHalf2x16 packDouble2x32 "
    "length distance dot cross normalize faceforward reflect refract ftransform matrixCompMult "
    "outerProduct transpose determinant inverse lessThan lessThanEqual greaterThan equal notEqual "
    "any all not uaddCarry usubBorrow umulExtended imulExtended bitfieldExtract bitfieldInsert "
    "bitfieldReverse bitCount findLSB findMSB textureSize texture textureLod texelFetch "
    "textureGather atomicCounter atomicAdd atomicMin atomicExchange atomicCompSwap imageSize "
    "imageLoad imageStore imageAtomicAdd dFdx dFdy fwidth interpolateAtCentroid noise1 "
    "EmitVertex EndPrimitive barrier memoryBarrier memoryBarrierShared groupMemoryBarrier "
    "anyInvocation subpassLoad",
    /* of headers that a user's program includes beside the emitted one */
    "printf malloc free memcpy strlen time signal read write open close FILE EOF stdout assert "
    "offsetof va_list max_align_t",
    /* this library's own language */
    "align alloc assert assume assume_injective attr bits block bytes data decl else evaluate "
    "extern field floordiv floormod for func graph host if implicit init input kernel launch "
    "layout let logical match module note offset output pad prod ptr pure reads record reduce "
    "schedule scope sep spatial strides sum target texel true false where writes index serial "
    "parallel vectorized unrolled bind f32 f16 i32 u8 bool texture global irl_floordiv irl_foo "
    "IRL_RESTRICT IRL_LAYOUT scratch place point pack unpack get set to from p at bit own word "
    "value u k b s t one source target i0 i1 memory rest cl group count arguments refusal refused "
    "status run rest "
    TAKEN_OWN "_place " TAKEN_OWN "_point " TAKEN_OWN "_points " TAKEN_OWN "_pack " TAKEN_OWN
    "_unpack " TAKEN_OWN "_get " TAKEN_OWN "_set " TAKEN_OWN "_index_fits " TAKEN_OWN "_play "
    TAKEN_OWN "_scratch_bytes " TAKEN_OWN "_checked " TAKEN_OWN "_types_fit " TAKEN_OWN "_0",
};

enum { TAKEN_PLACES = 1 << 15 };

typedef struct taken_list {
    char *words[TAKEN_PLACES / 2];
    char *places[TAKEN_PLACES]; /* the same, by their hash */
    int   count, next;
} taken_list;

static void taken_add(taken_list *list, const char *word, size_t length)
{
    unsigned hash = 5381;
    size_t   k;
    char   **place;
    for (k = 0; k < length; k++) hash = hash * 33 + (unsigned char)word[k];
    for (;; hash++) {
        place = &list->places[hash % TAKEN_PLACES];
        if (!*place) break;
        if (strncmp(*place, word, length) == 0 && !(*place)[length]) return;
    }
    if (list->count == TAKEN_PLACES / 2) return;
    *place = (char *)gen_kept(malloc(length + 1));
    memcpy(*place, word, length);
    (*place)[length] = '\0';
    list->words[list->count++] = *place;
}

static int taken_is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* All identifiers of a text, as short as names are here. In a printer's text `own`, the function's
   name, becomes TAKEN_OWN. */
static void taken_add_all(taken_list *list, const char *text, const char *own)
{
    size_t      n = own ? strlen(own) : 0;
    const char *end, *p;
    for (; *text; text = end) {
        char word[48];
        for (end = text + 1; taken_is_letter(*text) && taken_is_letter(*end);) end++;
        if (!taken_is_letter(*text) || isdigit((unsigned char)*text) || end - text > 39) continue;
        for (p = text; n && p + n <= end; p++)
            if (memcmp(p, own, n) == 0 && (p == text || p[-1] == '_') &&
                (p + n == end || p[n] == '_'))
                break;
        if (!n || p + n > end) snprintf(word, sizeof word, "%.*s", (int)(end - text), text);
        else
            snprintf(word, sizeof word, "%.*s" TAKEN_OWN "%.*s", (int)(p - text), text,
                     (int)(end - p - (ptrdiff_t)n), p + n);
        /* NAME_1 and v_NAME are what a printer makes of a taken NAME: a function of that name in
           another text of the file would be defined twice */
        const char *last = strrchr(word, '_');
        if (strncmp(word, "v_", 2) == 0) continue;
        if (!last || last == word || !last[1] || last[1 + strspn(last + 1, "0123456789")] ||
            strstr(word, TAKEN_OWN))
            taken_add(list, word, strlen(word));
    }
}

/* What a command prints. */
static void taken_add_output(taken_list *list, const char *command)
{
    char  line[4000];
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) taken_add_all(list, line, NULL);
    if (f) (void)pclose(f);
}

static void taken_shuffle(taken_list *list)
{
    int k;
    for (k = list->count - 1; k > 0; k--) {
        int   j = random_below(k + 1);
        char *w = list->words[k];
        list->words[k] = list->words[j];
        list->words[j] = w;
    }
    list->next = 0;
}

static const char *taken_next(taken_list *list)
{
    if (list->next == list->count) taken_shuffle(list);
    return list->words[list->next++];
}

/* What only a function may not be called, and only where C++'s <math.h> declares all that POSIX has
   in <stdlib.h>: parameters often have these names. */
static const char taken_by_posix[] = "gamma index select random";

enum { TAKEN_WORD = 88 };
/* The next word for a name in what is called `function`; NULL: for the function itself, which has
   no TAKEN_OWN in it. */
static const char *taken_choose(char *out, const char *function, taken_list *words)
{
    const char *word, *own;
    do word = taken_next(words), own = strstr(word, TAKEN_OWN);
    while (!function && (own || strstr(taken_by_posix, word)));
    if (own)
        snprintf(out, TAKEN_WORD, "%.*s%.40s%s", (int)(own - word), word, function,
                 own + strlen(TAKEN_OWN));
    else snprintf(out, TAKEN_WORD, "%s", word);
    return out;
}

/* ------------------------------------------------------------------ a function renamed */

typedef struct taken_pair {
    char name[40], word[TAKEN_WORD];
} taken_pair;

typedef struct taken_names {
    taken_pair pairs[200];
    int        count;
} taken_names;

static const taken_pair *taken_find(const taken_names *names, const char *name, size_t length)
{
    int k;
    for (k = 0; k < names->count; k++)
        if (strncmp(names->pairs[k].name, name, length) == 0 && !names->pairs[k].name[length])
            return &names->pairs[k];
    return NULL;
}

/* The names that a printed function declares: NAME of "NAME: type", "NAME = value", "func NAME".
   That of "note(NAME = value" is the language's. */
static void taken_declared(taken_names *names, const char *text, taken_list *words)
{
    const char *p, *end, *before = "";
    size_t      length = 0;
    names->count = 0;
    for (p = text; *p; p = end) {
        end = p + 1;
        if (!taken_is_letter(*p) || isdigit((unsigned char)*p)) continue;
        while (taken_is_letter(*end)) end++;
        if (((*end == ':' && end[1] == ' ') || strncmp(end, " = ", 3) == 0 ||
             (length == 4 && strncmp(before, "func", 4) == 0)) &&
            !(p >= text + 5 && strncmp(p - 5, "note(", 5) == 0) &&
            end - p < 40 && names->count < 200 && !taken_find(names, p, (size_t)(end - p))) {
            taken_pair *pair = &names->pairs[names->count++];
            memset(pair->name, 0, sizeof pair->name);
            memcpy(pair->name, p, (size_t)(end - p));
            taken_choose(pair->word, names->count > 1 ? names->pairs[0].word : NULL, words);
        }
        before = p;
        length = (size_t)(end - p);
    }
}

/* u16 in "x: u16[4]" and in "u16(y)", where loops are called u16 too: not in "for (x: u16)", whose
   bracket alone has a space before it. */
static int taken_is_type(const char *text, const char *p, const char *end)
{
    const int   bits = atoi(p + 1);
    const char *open = p;
    while (open > text && *open != '(' && *open != '\n') open--;
    if (open > text && open[-1] == ' ' && *end != '(') return 0;
    return strchr("uif", *p) && (bits == 8 || bits == 16 || bits == 32 || bits == 64) &&
           (*end == '(' || (p >= text + 3 && strncmp(p - 3, "as(", 3) == 0) ||
            (p >= text + 6 && strncmp(p - 6, "undef(", 6) == 0) ||
            (p >= text + 2 && p[-2] == ':' && strchr("[,)", *end)));
}

static void taken_put_renamed(c_text *out, const char *text, const taken_names *names)
{
    const char *p, *end;
    for (p = text; *p; p = end) {
        const taken_pair *pair;
        for (end = p + 1; taken_is_letter(*p) && taken_is_letter(*end);) end++;
        pair = taken_find(names, p, (size_t)(end - p));
        if (pair && (p == text || p[-1] != '.') && !taken_is_type(text, p, end))
            c_put(out, "`%s`", pair->word);
        else c_put(out, "%.*s", (int)(end - p), p);
    }
}

/* A word is numbered as the printers number theirs, or a name as they number another one: then
   their numbers are others, and names of scopes that have nothing in common may be one. */
static int taken_has_numbered(const taken_names *names)
{
    int k;
    for (k = 0; k < names->count; k++) {
        const char *word = strrchr(names->pairs[k].word, '_'), *name = names->pairs[k].name;
        const char *at = strrchr(name, '_');
        if (word && isdigit((unsigned char)word[1])) return 1;
        if (at && isdigit((unsigned char)at[1]) && taken_find(names, name, (size_t)(at - name)))
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ two texts but for names */

/* The next token after comments, strings and lines of the preprocessor; its length in *length, 0
   at the end. */
static const char *taken_token(const char *p, size_t *length)
{
    const char *end;
    for (;;) {
        while (isspace((unsigned char)*p) || *p == '\\') p++;
        if (*p == '#') p += strcspn(p, "\n");
        else if (p[0] == '/' && p[1] == '*') p = strstr(p + 2, "*/") + 2;
        else if (*p == '"') {
            for (p++; *p && *p != '"';) p += *p == '\\' && p[1] ? 2 : 1;
            if (*p) p++;
        } else break;
    }
    for (end = p; taken_is_letter(*end);) end++;
    *length = end > p ? (size_t)(end - p) : *p != 0;
    return p;
}

/* The number of open braces after the token at p, without the brace of extern "C". */
static int taken_depth(int depth, const char *p, const char *before)
{
    if (*p == '{') return depth + (strncmp(before, "extern", 6) != 0);
    return depth - (*p == '}' && depth > 0);
}

/* Whether the texts are one but for names, and, in each function, different names stay different.
   What is in the brackets of GLSL's layout() names nothing. Where they part is left in *at and
   *bt. */
static int taken_is_same(const char **at, const char **bt)
{
    static struct {
        const char *a, *b;
        size_t      n, m;
    } seen[4000];
    int         count = 0, is_member = 0, in_layout = 0, depth = 0, k;
    const char *a = *at, *b = *bt, *start = a, *before = a;
    size_t      n, m;
    for (;; a += n, b += m) {
        is_member = a > start && (a[-1] == '.' || (a > start + 1 && a[-1] == '>' && a[-2] == '-'));
        *at = a = taken_token(a, &n);
        *bt = b = taken_token(b, &m);
        if (!n || !m) return n == m;
        in_layout = strncmp(before, "layout", 6) == 0 || (in_layout && *a != ')');
        depth = taken_depth(depth, a, before);
        before = a;
        /* A function, or a prototype, has ended, or its parameters begin: one of them may have the
           function's name. */
        if (depth == 0 && strchr("};(", *a)) count = 0;
        if (is_member || in_layout || !taken_is_letter(*a) || isdigit((unsigned char)*a)) {
            if (n != m || memcmp(a, b, n) != 0) return 0;
            continue;
        }
        for (k = 0; k < count; k++) {
            int as = seen[k].n == n && memcmp(seen[k].a, a, n) == 0,
                bs = seen[k].m == m && memcmp(seen[k].b, b, m) == 0;
            if (as != bs) return 0;
            if (as) break;
        }
        if (k < count || count == 4000) continue;
        seen[count].a = a, seen[count].n = n;
        seen[count].b = b, seen[count++].m = m;
    }
}

#endif
