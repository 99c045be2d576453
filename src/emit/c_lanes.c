/* c_lanes.c - vectors that change their lanes, as gcc and clang have them: conversions, and
   bytes of two vectors in any order.

   needs     vectors in the forms of src/target/vectors.c; the types of c_vector.c, by their names
   promises  what a conversion and a shuffle do, in the form that each compiler makes one of */
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

static void irl__c_lanes_name(const irl__emit *e, irl__text *t, const char *what, irl_type type)
{
    irl__textf(t, "%s_%s_%sx%u", e->prefix, what, irl__type_info(type)->text,
               (uint64_t)type.lanes);
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

static void irl__c_lanes_type(irl__emit *e, irl_type type)
{
    irl__emit_need(e, IRL__C_VECTOR, type);
    irl__textf(&e->text, "%s_%sx%u", e->prefix, irl__type_info(type)->text, (uint64_t)type.lanes);
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
        irl__c_lanes_name(e, &e->text, widens ? "widen" : "pick", x->type);
        irl__c_lanes_arguments(e, widens ? x->a[0] : x, widens);
        return;
    }
    irl__text_puts(&e->text, "__builtin_convertvector(");
    if (irl__c_lanes_by_two(x)) irl__text_puts(&e->text, "__builtin_convertvector(");
    irl__emitf(e, "%x, ", x->a[0]);
    if (irl__c_lanes_by_two(x)) {
        irl__c_lanes_type(e, irl_type_of(irl__type_is_signed(x->a[0]->type) ? IRL_I16 : IRL_U16,
                                         (int)x->type.lanes));
        irl__text_puts(&e->text, "), ");
    }
    irl__c_lanes_type(e, x->type);
    irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ helpers */

void irl__c_lanes_pick_helper(const irl__emit *e, irl__text *t, irl_type type)
{
    irl__text_puts(t, "/* bytes of two vectors */\n#if defined(__clang__) || __GNUC__ >= 12\n");
    for (int k = 0; k < 2; k++) {
        irl__text_puts(t, k ? "#else\n#define " : "#define ");
        irl__c_lanes_name(e, t, "pick", type);
        if (k == 0) irl__text_puts(t, "(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)\n");
    }
    irl__textf(t,
               "(a, b, ...) \\\n    __builtin_shuffle(a, b, (%s_%sx%u){ __VA_ARGS__ })\n"
               "#endif\n\n",
               e->prefix, irl__type_info(type)->text, (uint64_t)type.lanes);
}

/* A type of this helper's own. */
static void irl__c_lanes_own(const irl__emit *e, irl__text *t, irl_type type, const char *scalar,
                             const char *what, const char *attribute)
{
    irl__textf(t, "typedef %s ", scalar);
    irl__c_lanes_name(e, t, "widen", type);
    irl__textf(t, "_%s __attribute__((%s", what, attribute);
    if (attribute[0] == 'v') irl__textf(t, "(%u)", (uint64_t)type.lanes * 2);
    irl__text_puts(t, "));\n");
}

/* "irl_f_widen_u16x16" and what follows it. */
static void irl__c_lanes_widen(const irl__emit *e, irl__text *t, irl_type type, const char *rest)
{
    irl__c_lanes_name(e, t, "widen", type);
    irl__text_puts(t, rest);
}

/* A pair as a vector of words: `count` of each of its halves, which lie in memory. */
static void irl__c_lanes_words(const irl__emit *e, irl__text *t, irl_type type, const char *word,
                               uint32_t count)
{
    irl__text_puts(t, "#define ");
    irl__c_lanes_widen(e, t, type, "_pair(a, b) \\\n    ((");
    irl__c_lanes_widen(e, t, type, "_bytes)(");
    irl__c_lanes_widen(e, t, type, "_");
    irl__textf(t, "%ss){", word);
    for (uint32_t k = 0; k < 2 * count; k++) {
        irl__textf(t, "%s \\\n        ((const ", k ? "," : "");
        irl__c_lanes_widen(e, t, type, "_");
        irl__textf(t, "%s *)(const void *)&(%s))[%u]", word, k < count ? "a" : "b",
                   (uint64_t)(k % count));
    }
    irl__text_puts(t, " })\n");
}

/* The bytes of two vectors in memory, end to end, in the form of which each compiler makes two
   loads: gcc of numbers as wide as a vector where the machine has them (of vectors end to end it
   loads both and shuffles them), clang of words (it takes vectors end to end apart again). */
static void irl__c_lanes_pair(const irl__emit *e, irl__text *t, irl_type type)
{
    const int is_wide = type.lanes == 16; /* bytes of a vector: as __int128 has */
    if (is_wide) {
        irl__text_puts(t, "#if !defined(__clang__) && defined(__SIZEOF_INT128__)\n__extension__ ");
        irl__c_lanes_own(e, t, type, "unsigned __int128", "wides", "vector_size");
        irl__text_puts(t, "__extension__ ");
        irl__c_lanes_own(e, t, type, "unsigned __int128", "wide", "aligned(1), may_alias");
        irl__c_lanes_words(e, t, type, "wide", 1);
    }
    irl__textf(t, "#%sif !defined(__clang__) && __GNUC__ >= 12\n#define ", is_wide ? "el" : "");
    irl__c_lanes_widen(e, t, type, "_pair(a, b) \\\n    __builtin_shufflevector(a, b");
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
    irl__text_puts(t, "/* bytes of two vectors in memory, each as a number: both halves of it, and "
                      "a mask */\n");
    irl__c_lanes_own(e, t, type, "uint8_t", "bytes", "vector_size");
    irl__c_lanes_own(e, t, type, "uint16_t", "numbers", "vector_size");
    irl__c_lanes_own(e, t, type, "uint64_t", "words", "vector_size");
    irl__c_lanes_own(e, t, type, "uint64_t", "word", "aligned(1), may_alias");
    for (int clang = 1; clang >= 0; clang--) {
        irl__text_puts(t, clang ? "#if defined(__clang__)\n#define " : "#else\n#define ");
        irl__c_lanes_name(e, t, "widen", type);
        irl__text_puts(t, "(a, b, ...) \\\n    ((");
        irl__c_lanes_name(e, t, "widen", type);
        irl__textf(t, "_numbers)__builtin_shuffle%s( \\\n        ", clang ? "vector" : "");
        for (uint32_t k = 0; k <= (uint32_t)clang; k++) {
            irl__c_lanes_name(e, t, "widen", type);
            irl__text_puts(t, "_pair(a, b), ");
        }
        if (!clang) {
            irl__text_putc(t, '(');
            irl__c_lanes_name(e, t, "widen", type);
            irl__text_puts(t, "_bytes){ ");
        }
        irl__textf(t, "__VA_ARGS__%s) & \\\n     (", clang ? "" : " }");
        irl__c_lanes_name(e, t, "widen", type);
        irl__text_puts(t, "_numbers){");
        for (uint32_t k = 0; k < type.lanes; k++) irl__text_puts(t, k ? ", 255" : " 255");
        irl__text_puts(t, " })\n");
    }
    irl__text_puts(t, "#endif\n");
    irl__c_lanes_pair(e, t, type);
    irl__text_putc(t, '\n');
}
