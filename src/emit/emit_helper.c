/* emit_helper.c - the functions that an emitted program brings along: divisions that floor, numbers
   that C has no type for.

   needs     emit_type.c for their names; a language for those that only it has
   promises  each computes, bit for bit, what number.c and scalar.c do

   In a text $ stands for the type with its lanes ("int4"), # for its unsigned kin, @ for the lanes
   ("4", or nothing). Its words are those of OpenCL C, which has short ones for what C spells out;
   another language has its own for them in a table. A name that starts with irl_ gets the program's
   own prefix. */
#include "emit.h"

/* ------------------------------------------------------------------ templates */

static int irl__helper_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A word of a text, in the language. */
static void irl__helper_word(const irl__emit *e, irl__text *t, const char *word, size_t length)
{
    const char *const *w;
    for (w = e->language->words; w && w[0]; w += 2)
        if (strlen(w[0]) == length && memcmp(w[0], word, length) == 0) {
            word = w[1];
            length = strlen(word);
            break;
        }
    if (length > 4 && memcmp(word, "irl_", 4) == 0) {
        irl__text_puts(t, e->prefix);
        word += 3;
        length -= 3;
    }
    irl__text_append(t, word, length);
}

void irl__emit_template(const irl__emit *e, irl__text *t, const char *text, irl_type type)
{
    const char *const *types = type.lanes > 1 && e->language->vectors ? e->language->vectors
                                                                      : e->language->types;
    size_t n;
    for (; *text; text += n) {
        for (n = 0; irl__helper_is_letter(text[n]) || (n && text[n] >= '0' && text[n] <= '9');) n++;
        if (n) {
            irl__helper_word(e, t, text, n);
            continue;
        }
        n = 1;
        if (*text == '$') irl__text_puts(t, types[type.scalar]);
        else if (*text == '#') irl__text_puts(t, types[irl__type_uint(type)]);
        else if (*text != '@') irl__text_putc(t, *text);
        if ((*text == '$' || *text == '#' || *text == '@') && type.lanes > 1)
            irl__text_uint(t, type.lanes);
    }
}

/* ------------------------------------------------------------------ scalars */

/* Division: the least number divided by -1 wraps (hardware may trap on it); floors are one below
   where signs differ. */
typedef struct irl__helper_row {
    int         kind;
    const char *text;
} irl__helper_row;

static const irl__helper_row irl__helper_rows[] = {
    { IRL_OP_TRUNCDIV,
      "static $ irl_truncdiv_$($ a, $ b)\n{\n    return b == -1 ? ($)(0u - (#)a) : a / b;\n}\n\n" },
    { IRL_OP_TRUNCMOD,
      "static $ irl_truncmod_$($ a, $ b)\n{\n    return b == -1 ? 0 : a % b;\n}\n\n" },
    { IRL_OP_FLOORDIV,
      "static $ irl_floordiv_$($ a, $ b)\n{\n    if (b == -1) return ($)(0u - (#)a);\n"
      "    return a / b - (a % b != 0 && (a < 0) != (b < 0));\n}\n\n" },
    { IRL_OP_FLOORMOD,
      "static $ irl_floormod_$($ a, $ b)\n{\n    $ r = b == -1 ? 0 : a % b;\n"
      "    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n}\n\n" },
    { IRL__HELP_HALF_TO_FLOAT,
      IRL__HALF_TO_FLOAT_HEAD IRL__HALF_TO_FLOAT_BODY "}\n\n" },
    { IRL__HELP_FLOAT_TO_HALF,
      "/* the bits of the half nearest to f, ties to even */\n"
      "static ushort irl_float_to_half(float f)\n{\n"
      "    uint sign = as_uint(f) & 0x80000000u, u = as_uint(f) ^ sign, h;\n"
      "    if (u > 0x7f800000u) h = 0x7e00u;\n"
      "    else if (u >= 0x477ff000u) h = 0x7c00u;\n"
      "    else if (u < 0x38800000u) h = as_uint(as_float(u) + 0.5f) - 0x3f000000u;\n"
      "    else h = (u - 0x38000000u + 0x0fffu + (u >> 13 & 1u)) >> 13;\n"
      "    return (ushort)(h | sign >> 16);\n}\n\n" },
    { IRL__HELP_FLOAT_TO_BFLOAT,
      "/* the bits of the bfloat16 nearest to f, ties to even */\n"
      "static ushort irl_float_to_bfloat(float f)\n{\n"
      "    uint u = as_uint(f), near = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;\n"
      "    return (ushort)(f != f ? (u >> 16) | 0x40u : near);\n}\n\n" },
};

void irl__emit_helper_text(irl__emit *e, irl__text *t, irl__emit_helper helper)
{
    if (e->language->helper(e, t, helper)) return;
    for (size_t j = 0; j < IRL__COUNTOF(irl__helper_rows); j++)
        if (irl__helper_rows[j].kind == helper.kind)
            irl__emit_template(e, t, irl__helper_rows[j].text, helper.type);
}

void irl__emit_helpers(irl__emit *e, irl__text *t)
{
    ptrdiff_t k;
    for (k = 0; k < stbds_arrlen(e->helpers); k++) irl__emit_helper_text(e, t, e->helpers[k]);
}
