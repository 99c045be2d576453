/* c_lanes.c - vectors that change their lanes, as gcc and clang have them: conversions, and bytes
   of two vectors in any order.

   needs     vectors in the forms of src/target/vectors.c; the types of c_vector.c, by their names
   promises  conversions and shuffles, in the form that each compiler turns into one instruction */
#include "c.h"

/* ------------------------------------------------------------------ conversions */

static int irl__c_lanes_is_int(irl_type t)
{
    const irl__kind kind = irl__type_info(t)->kind;
    return (kind == IRL_KIND_UINT || kind == IRL_KIND_INT) && irl__type_info(t)->bits <= 32;
}

/* ------------------------------------------------------------------ bytes of two vectors */

/* A shuffle of vectors of as many bytes each as it has. */
static int irl__c_lanes_picks(const irl_expr *x)
{
    return irl__is_pick(x) ||
           (x->op == IRL_OP_SHUFFLE && x->count == 1 && x->type.lanes >= 8 &&
            irl__type_info(x->type)->bytes == 1 && x->type.scalar != IRL_BOOL &&
            irl_type_equal(x->a[0]->type, x->type));
}

/* To four times as wide, from bytes that are picked: gcc would load each from its own place. */
static int irl__c_lanes_by_two(const irl_expr *x)
{
    return irl__type_info(x->type)->bits == 32 && x->type.scalar != IRL_F32 &&
           irl__type_info(x->a[0]->type)->bits == 8 && irl__c_lanes_picks(x->a[0]);
}

/* To lanes as wide or twice as wide, once or twice; others gcc 12 makes better of their lanes one
   by one. */
static int irl__c_lanes_converts(const irl_expr *x)
{
    if (x->op != IRL_OP_CAST || x->type.lanes == 1 || !irl__c_lanes_is_int(x->a[0]->type) ||
        (!irl__c_lanes_is_int(x->type) && x->type.scalar != IRL_F32))
        return 0;
    int from = irl__type_info(x->a[0]->type)->bits;
    int to = irl__type_info(x->type)->bits;
    return to == from || to == 2 * from || irl__c_lanes_by_two(x);
}

int irl__c_lanes_is_own(const irl_expr *x)
{
    return irl__c_lanes_converts(x) || irl__c_lanes_picks(x);
}

/* Both operands, one of them twice where there is one, and the numbers; of `twice` each of them two
   times, the second half of the lanes from the second operand. */
static void irl__c_lanes_arguments(irl__emit *e, const irl_expr *x, int twice)
{
    const uint32_t lanes = x->type.lanes;
    irl__emitf(e, "(%x, %x", x->a[0], x->a[x->count - 1]);
    for (uint32_t k = 0; k < lanes; k++) {
        uint32_t pick = (uint32_t)x->u.picks[k];
        if (x->count == 1 && twice && k >= lanes / 2) pick += lanes;
        for (int j = 0; j <= twice; j++) irl__textf(&e->text, ", %u", (uint64_t)pick);
    }
    irl__text_putc(&e->text, ')');
}

void irl__c_lanes(irl__emit *e, const irl_expr *x)
{
    /* Numbers of 16 bits from bytes that are loaded in other places. */
    const irl_expr *a = x->op == IRL_OP_CAST && x->type.scalar == IRL_U16 ? x->a[0] : NULL;
    const int       widens = a && a->type.scalar == IRL_U8 && irl__c_lanes_picks(a) &&
                       a->a[0]->op == IRL_OP_LOAD && a->a[a->count - 1]->op == IRL_OP_LOAD;
    if (widens || irl__c_lanes_picks(x)) {
        irl__emit_need(e, IRL__C_VECTOR, widens ? x->a[0]->type : x->type);
        irl__emit_need(e, widens ? IRL__C_WIDEN : IRL__C_PICK, x->type);
        irl__emit_vector_name(e, &e->text, widens ? "widen_" : "pick_", x->type);
        irl__c_lanes_arguments(e, widens ? x->a[0] : x, widens);
        return;
    }
    irl_type twice = irl_type_of(x->a[0]->type.scalar == IRL_I8 ? IRL_I16 : IRL_U16,
                                 (int)x->type.lanes);
    if (irl__c_lanes_by_two(x))
        irl__emitf(e, "__builtin_convertvector(__builtin_convertvector(%x, %t), %t)", x->a[0],
                   twice, x->type);
    else irl__emitf(e, "__builtin_convertvector(%x, %t)", x->a[0], x->type);
}

/* ------------------------------------------------------------------ helpers */

/* A pair as a vector of words: `count` of each of its halves, which lie in memory. */
static void irl__c_lanes_words(const irl__emit *e, irl__text *t, irl_type type, const char *word,
                               uint32_t count)
{
    irl__emit_template(e, t,
                       irl__format(e->cx, "#define irl_widen_`x@_pair(a, b) \\\n"
                                          "    ((irl_widen_`x@_bytes)(irl_widen_`x@_%ss){", word),
                       type);
    for (uint32_t k = 0; k < 2 * count; k++)
        irl__emit_template(e, t,
                           irl__format(e->cx, "%s \\\n        ((const irl_widen_`x@_%s *)"
                                              "(const void *)&(%s))[%u]", k ? "," : "", word,
                                       k < count ? "a" : "b", (uint64_t)(k % count)), type);
    irl__text_puts(t, " })\n");
}

/* The bytes of two vectors in memory, end to end, in the form of which each compiler makes two
   loads: gcc of numbers as wide as a vector where the machine has them (of vectors end to end it
   loads both and shuffles them), clang of words (it takes vectors end to end apart again). */
static void irl__c_lanes_pair(const irl__emit *e, irl__text *t, irl_type type)
{
    const int is_wide = type.lanes == 16; /* bytes of a vector: as __int128 has */
    if (is_wide) {
        irl__emit_template(
            e, t, "#if !defined(__clang__) && defined(__SIZEOF_INT128__)\n"
                  "__extension__ typedef unsigned __int128 irl_widen_`x@_wides "
                  "__attribute__((vector_size(BYTES)));\n"
                  "__extension__ typedef unsigned __int128 irl_widen_`x@_wide "
                  "__attribute__((aligned(1), may_alias));\n", type);
        irl__c_lanes_words(e, t, type, "wide", 1);
    }
    irl__textf(t, "#%sif !defined(__clang__) && __GNUC__ >= 12\n", is_wide ? "el" : "");
    irl__emit_template(e, t, "#define irl_widen_`x@_pair(a, b) \\\n"
                             "    __builtin_shufflevector(a, b", type);
    for (uint32_t k = 0; k < 2 * type.lanes; k++)
        irl__textf(t, ",%s%u", k % 16 ? " " : " \\\n        ", (uint64_t)k);
    irl__text_puts(t, ")\n#else\n");
    irl__c_lanes_words(e, t, type, "word", type.lanes / 8);
    irl__text_puts(t, "#endif\n");
}

/* Each byte is taken for both halves of a number, whichever comes first in memory, and one half
   masked: a shuffle of bytes for the machine, and often no mask. */
void irl__c_lanes_widen_helper(const irl__emit *e, irl__text *t, irl_type type)
{
    static const char *const texts[] = {
        "/* bytes of two vectors in memory, each as a number: both halves of it, and a mask */\n"
        "typedef uint8_t irl_widen_`x@_bytes __attribute__((vector_size(BYTES)));\n"
        "typedef uint16_t irl_widen_`x@_numbers __attribute__((vector_size(BYTES)));\n"
        "typedef uint64_t irl_widen_`x@_words __attribute__((vector_size(BYTES)));\n"
        "typedef uint64_t irl_widen_`x@_word __attribute__((aligned(1), may_alias));\n"
        "#if defined(__clang__)\n#define irl_widen_`x@(a, b, ...) \\\n"
        "    ((irl_widen_`x@_numbers)__builtin_shufflevector( \\\n"
        "        irl_widen_`x@_pair(a, b), irl_widen_`x@_pair(a, b), __VA_ARGS__) & \\\n",
        "#else\n#define irl_widen_`x@(a, b, ...) \\\n"
        "    ((irl_widen_`x@_numbers)__builtin_shuffle( \\\n"
        "        irl_widen_`x@_pair(a, b), (irl_widen_`x@_bytes){ __VA_ARGS__ }) & \\\n"
    };
    for (int k = 0; k < 2; k++) {
        irl__emit_template(e, t, texts[k], type);
        irl__emit_template(e, t, "     (irl_widen_`x@_numbers){", type);
        for (uint32_t j = 0; j < type.lanes; j++) irl__text_puts(t, j ? ", 255" : " 255");
        irl__text_puts(t, " })\n");
    }
    irl__text_puts(t, "#endif\n");
    irl__c_lanes_pair(e, t, type);
    irl__text_putc(t, '\n');
}
