/* emit_helper.c - the functions that an emitted program brings along: divisions that floor, numbers
   that C has no type for.

   needs     emit_type.c for their names; a language for those that only it has
   promises  each computes, bit for bit, what number.c and scalar.c do

   In a text $ means the type with its lanes ("int4"), # its unsigned type, @ for the lanes
   ("4", or nothing), ` for the type's name in the IR, and the words of irl__helper_own_word for
   numbers and types that follow from it; # at the start of a line is itself. Its words are those of
   OpenCL C, which has short ones for what C spells out; another language has its own for them in a
   table. A name that starts with irl_ gets the program's own prefix, unless one letter follows: a
   local variable's. */
#include "emit.h"

/* ------------------------------------------------------------------ templates */

static int irl__helper_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Prints a word whose text follows from the type. 0: it is no such word. */
static int irl__helper_own_word(const irl__emit *e, irl__text *t, const char *word, size_t length,
                                irl_type type)
{
    const irl__type_row *row = irl__type_info(type);
    const int            is_signed = row->kind == IRL_KIND_SNORM;
    const int64_t        most = (INT64_C(1) << ((row->bits - is_signed) & 31)) - 1;
    static const char *const words[] = { "MOST", "LEAST", "LANES", "BYTES", "EACH", "LAST",
                                         "SCALAR", "MASK", "VECTOR", "VECTOR_at" };
    size_t                   k = 0;
    while (k < IRL__COUNTOF(words) && (strncmp(words[k], word, length) != 0 || words[k][length]))
        k++;
    switch (k) {
    case 0: irl__text_int(t, most); return 1; /* the ends of a normalised type */
    case 1: irl__text_int(t, is_signed ? -most - 1 : 0); return 1;
    case 2: irl__text_uint(t, type.lanes == 3 ? 4 : type.lanes); return 1; /* as they are held */
    case 3: irl__text_uint(t, (uint64_t)irl__type_bytes(type)); return 1;
    case 4: irl__text_int(t, row->bytes); return 1;
    case 5: irl__text_int(t, row->bits - 1); return 1; /* the number of the last bit */
    case 6: irl__text_puts(t, e->language->types[type.scalar]); return 1;
    case 7: irl__emit_vector_name(e, t, "", irl__emit_mask_type(type)); return 1;
    case 8: /* of one lane too */
    case 9:
        irl__emit_vector_name(e, t, "", type);
        if (k == 9) irl__text_puts(t, "_at");
        return 1;
    default: return 0;
    }
}

/* A word of a text, in the language. */
static void irl__helper_word(const irl__emit *e, irl__text *t, const char *word, size_t length,
                             irl_type type)
{
    const char *const *w;
    if (irl__helper_own_word(e, t, word, length, type)) return;
    for (w = e->language->words; w && w[0]; w += 2)
        if (strlen(w[0]) == length && memcmp(w[0], word, length) == 0) {
            word = w[1];
            length = strlen(word);
            break;
        }
    if (length >= 4 && length != 5 && memcmp(word, "irl_", 4) == 0) {
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
    const int          is_made = type.lanes > 1 && e->language->vector_type;
    size_t             n;
    for (int is_start = 1; text && *text; is_start = text[n - 1] == '\n', text += n) {
        for (n = 0; irl__helper_is_letter(text[n]) || (n && text[n] >= '0' && text[n] <= '9');) n++;
        if (n) {
            irl__helper_word(e, t, text, n, type);
            continue;
        }
        n = 1;
        if (*text == '$' && is_made) irl__emit_vector_name(e, t, "", type);
        else if (*text == '$') irl__text_puts(t, types[type.scalar]);
        else if (*text == '#' && !is_start) irl__text_puts(t, types[irl__type_uint(type)]);
        else if (*text == '`') irl__text_puts(t, irl__type_info(type)->text);
        else if (*text != '@') irl__text_putc(t, *text);
        if (type.lanes > 1 && (*text == '@' || (!is_made && *text == '$') ||
                               (*text == '#' && !is_start)))
            irl__text_uint(t, type.lanes);
    }
}

/* ------------------------------------------------------------------ scalars */

/* Division: the least number divided by -1 wraps (hardware may trap on it); floors are one below
   where signs differ. */
static const irl__helper_row irl__helper_rows[] = {
    { IRL_OP_TRUNCDIV, 0, 0,
      "static $ irl_truncdiv_$($ a, $ b)\n{\n    return b == -1 ? ($)(0u - (#)a) : a / b;\n}\n\n" },
    { IRL_OP_TRUNCMOD, 0, 0,
      "static $ irl_truncmod_$($ a, $ b)\n{\n    return b == -1 ? 0 : a % b;\n}\n\n" },
    { IRL_OP_FLOORDIV, 0, 0,
      "static $ irl_floordiv_$($ a, $ b)\n{\n    if (b == -1) return ($)(0u - (#)a);\n"
      "    return a / b - (a % b != 0 && (a < 0) != (b < 0));\n}\n\n" },
    { IRL_OP_FLOORMOD, 0, 0,
      "static $ irl_floormod_$($ a, $ b)\n{\n    $ r = b == -1 ? 0 : a % b;\n"
      "    return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n}\n\n" },
    { IRL__HELP_HALF_TO_FLOAT, 0, 0,
      IRL__HALF_TO_FLOAT_HEAD IRL__HALF_TO_FLOAT_BODY "}\n\n" },
    { IRL__HELP_FLOAT_TO_HALF, 0, 0,
      "/* the bits of the half nearest to f, ties to even */\n"
      "static ushort irl_float_to_half(float f)\n{\n"
      "    uint sign = as_uint(f) & 0x80000000u, u = as_uint(f) ^ sign, h;\n"
      "    if (u > 0x7f800000u) h = 0x7e00u;\n"
      "    else if (u >= 0x477ff000u) h = 0x7c00u;\n"
      "    else if (u < 0x38800000u) h = as_uint(as_float(u) + 0.5f) - 0x3f000000u;\n"
      "    else h = (u - 0x38000000u + 0x0fffu + (u >> 13 & 1u)) >> 13;\n"
      "    return (ushort)(h | sign >> 16);\n}\n\n" },
    { IRL__HELP_FLOAT_TO_BFLOAT, 0, 0,
      "/* the bits of the bfloat16 nearest to f, ties to even */\n"
      "static ushort irl_float_to_bfloat(float f)\n{\n"
      "    uint u = as_uint(f), near = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;\n"
      "    return (ushort)(f != f ? (u >> 16) | 0x40u : near);\n}\n\n" },
    { 0, 0, 0, NULL }
};

int irl__emit_helper_row(const irl__emit *e, irl__text *t, const irl__helper_row *row,
                         irl__emit_helper helper)
{
    const unsigned kind = 1u << irl__type_info(helper.type)->kind;
    const int      is_wide = helper.type.lanes > 1;
    for (; row->text; row++) {
        if (row->kind != helper.kind || (row->kinds && !(row->kinds & kind)) ||
            (row->lanes && is_wide != (row->lanes > 1)))
            continue;
        irl__emit_template(e, t, row->text, helper.type);
        return 1;
    }
    return 0;
}

void irl__emit_helper_text(irl__emit *e, irl__text *t, irl__emit_helper helper)
{
    if (!e->language->helper(e, t, helper) &&
        !irl__emit_helper_row(e, t, irl__helper_rows, helper))
        IRL__FAIL(e->cx, IRL_ERROR_UNSUPPORTED, "%s has no form for %s", e->language->name,
                  irl__type_cstr(e->cx, helper.type));
}

void irl__emit_helpers(irl__emit *e, irl__text *t)
{
    for (ptrdiff_t k = 0; k < stbds_arrlen(e->helpers); k++)
        irl__emit_helper_text(e, t, e->helpers[k]);
}
