/* dma_text.c - a list of transfers as text, as C and as JSON.

   needs     dma.c, json.c
   promises  the same list has the same text everywhere; the C is C99 and needs stdint.h alone */
#include "dma.h"

/* The name of a field: of the controller, or what it says without one. */
static const char *irl__dma_count_name(const irl_dma_list *list, int level)
{
    const char *name = list->controller ? list->controller->level[level].count_field : "";
    return name && *name ? name : level ? "times" : "beats";
}

/* "plain [8, 16] to [16, 8] by (y, x) -> (x, 7 - y)" */
static void irl__dma_title(irl__text *t, const irl_dma_list *list)
{
    const irl_shape *from = list->unpack ? &list->memory : &list->shape,
                    *to = list->unpack ? &list->shape : &list->memory;
    irl__text_puts(t, list->unpack ? "the layout's " : "plain ");
    irl__text_numbers(t, "[]", from->rank, from->extent);
    irl__text_puts(t, list->unpack ? " to plain " : " to the layout's ");
    irl__text_numbers(t, "[]", to->rank, to->extent);
    const char *text = irl_map_text(t->cx, list->map);
    /* a name in back quotes may end the comment that this stands in */
    irl__textf(t, " by %s", strstr(text, "*/") ? "a map whose names end comments" : text);
}

static const char *irl__dma_plural(int64_t n) { return n == 1 ? "" : "s"; }

/* The bits of one byte that are written beside the elements: those from the first of a mask on. */
static void irl__dma_overwritten_text(irl__text *t, const irl_dma_list *list)
{
    int low = 0, high = 7;
    if (!list->overwritten) return;
    while (!(list->overwritten >> low & 1)) low++;
    while (!(list->overwritten >> high & 1)) high--;
    if (low == high) irl__textf(t, "bit %d of byte %l", low, list->overwritten_byte);
    else irl__textf(t, "bits %d to %d of byte %l", low, high, list->overwritten_byte);
    irl__text_puts(t, " of the target belong to no element, and are overwritten\n");
}

/* How many transfers, of how many copies, why they are not one, and what else they write. */
static void irl__dma_counts(irl__text *t, const irl_dma_list *list)
{
    irl__textf(t, "%d transfer%s", list->count, irl__dma_plural(list->count));
    if (list->controller) irl__textf(t, " for %s", list->controller->name);
    if (list->controller && list->count > 1 && list->controller->chain_field &&
        *list->controller->chain_field)
        irl__textf(t, ", linked by %s", list->controller->chain_field);
    irl__textf(t, ", beats of %l byte%s", list->beat, irl__dma_plural(list->beat));
    if (list->bits) irl__textf(t, ", elements %s", irl_bit_element_text(t->cx, list->bits));
    else if (list->element != list->beat) irl__textf(t, ", elements of %l", list->element);
    irl__textf(t, "; %d nested cop%s, %s\n", list->copies, list->copies == 1 ? "y" : "ies",
               list->is_least ? "proved to be the least" : "not known to be the least");
    if (*list->reason) irl__textf(t, "%s\n", list->reason);
    irl__dma_overwritten_text(t, list);
}

/* ------------------------------------------------------------------ as text */

static void irl__dma_step_text(irl__text *t, const char *field, const char *side, int64_t step)
{
    irl__textf(t, " %s %l", *field ? field : side, step);
}

const char *irl_dma_text(irl_ctx *cx, const irl_dma_list *list)
{
    irl__text t;
    if (!cx || !list || !irl__ok(cx)) return "";
    irl__text_init(&t, cx);
    irl__dma_title(&t, list);
    irl__text_putc(&t, '\n');
    irl__dma_counts(&t, list);
    for (int k = 0; k < list->count; k++) {
        const irl_dma_transfer *one = &list->transfers[k];
        irl__textf(&t, "  %d: source %l, target %l:", k, one->source, one->target);
        for (int j = 0; j < one->level_count; j++) {
            const irl_dma_level        *level = &one->levels[j];
            const irl_dma_level_limits *limit =
                list->controller ? &list->controller->level[j] : NULL;
            if (j && level->count == 1) continue;
            irl__textf(&t, "%s %s %l", j ? ";" : "", irl__dma_count_name(list, j), level->count);
            irl__dma_step_text(&t, limit ? limit->source_field : "", "source", level->source_step);
            irl__dma_step_text(&t, limit ? limit->target_field : "", "target", level->target_step);
        }
        if (one->source_wrap) irl__textf(&t, "; source wraps at %l bytes", one->source_wrap);
        if (one->target_wrap) irl__textf(&t, "; target wraps at %l bytes", one->target_wrap);
        irl__text_putc(&t, '\n');
    }
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ as C */

static int irl__dma_wraps(const irl_dma_list *list)
{
    for (int k = 0; k < list->count; k++)
        if (list->transfers[k].source_wrap || list->transfers[k].target_wrap) return 1;
    return 0;
}

/* 32 where all numbers of the table and all places fit a signed integer of so many bits. */
static int irl__dma_int_bits(const irl_dma_list *list)
{
    if (list->plain_bytes > INT32_MAX || list->memory_bytes > INT32_MAX) return 64;
    for (int k = 0; k < list->count; k++)
        for (int j = 0; j < list->transfers[k].level_count; j++) {
            const irl_dma_level *level = &list->transfers[k].levels[j];
            if (level->source_step < -INT32_MAX || level->source_step > INT32_MAX ||
                level->target_step < -INT32_MAX || level->target_step > INT32_MAX)
                return 64;
        }
    return 32;
}

static void irl__dma_c_struct(irl__text *t, const irl_dma_list *list, const char *name, int bits,
                              int depth)
{
    irl__textf(t, "typedef struct %s_transfer {\n    int%d_t source, target; /* bytes from the "
                  "start of each memory */\n    int%d_t count[%d];       /*",
               name, bits, bits, depth);
    for (int k = 0; k < depth; k++)
        irl__textf(t, "%s %s", k ? "," : "", irl__dma_count_name(list, k));
    irl__textf(t, " */\n    int%d_t  source_step[%d], target_step[%d]; /*", bits, depth, depth);
    for (int k = 1; list->controller && k < depth; k++)
        irl__textf(t, "%s %s, %s", k > 1 ? ";" : "", list->controller->level[k].source_field,
                   list->controller->level[k].target_field);
    irl__textf(t, " bytes%s%s */\n",
               list->controller && list->controller->steps_in_beats ? ", which the fields count in "
                                                                      "beats"
                                                                    : "",
               list->controller && list->controller->is_relative
                   ? ", added to the address at which the level below ended"
                   : "");
    if (irl__dma_wraps(list))
        irl__textf(t, "    int%d_t source_wrap, target_wrap; /* bytes; 0: none */\n", bits);
    irl__textf(t, "} %s_transfer;\n", name);
}

static void irl__dma_c_table(irl__text *t, const irl_dma_list *list, const char *name, int depth)
{
    const int wraps = irl__dma_wraps(list);
    irl__textf(t, "enum { %s_count = %d, %s_beat = %l };\n", name, list->count, name, list->beat);
    irl__textf(t, "static const %s_transfer %s[%d] = {\n", name, name,
               list->count ? list->count : 1); /* C has no arrays of none */
    for (int k = 0; k < list->count; k++) {
        const irl_dma_transfer *one = &list->transfers[k];
        irl__textf(t, "%s    { %l, %l", k ? ",\n" : "", one->source, one->target);
        for (int which = 0; which < 3; which++) {
            irl__text_puts(t, ", {");
            for (int j = 0; j < depth; j++) {
                static const irl_dma_level once = { 1, 0, 0, 0, 0 };
                const irl_dma_level       *level = j < one->level_count ? &one->levels[j] : &once;
                irl__textf(t, j ? ", %l" : " %l",
                           which == 0   ? level->count
                           : which == 1 ? level->source_step
                                        : level->target_step);
            }
            irl__text_puts(t, " }");
        }
        if (wraps) irl__textf(t, ", %l, %l", one->source_wrap, one->target_wrap);
        irl__text_puts(t, " }");
    }
    irl__text_puts(t, list->count ? "\n};\n" : "    { 0 }\n};\n");
}

static void irl__dma_c_indent(irl__text *t, int n)
{
    while (n-- > 0) irl__text_puts(t, "    ");
}

/* What a beat does at place `s` of the source and `t` of the target. */
static void irl__dma_c_beat(irl__text *t, const irl_dma_list *list, const char *name, int depth)
{
    const int relative = list->controller && list->controller->is_relative,
              wraps = irl__dma_wraps(list);
    for (int side = 0; side < 2 && !relative; side++) {
        const char *word = side ? "target" : "source";
        irl__dma_c_indent(t, 2 + depth);
        irl__textf(t, "%c = one->%s", *word, word);
        for (int k = 0; k < depth; k++)
            irl__textf(t, " + i%d * one->%s_step[%d]", k, word, k);
        irl__text_puts(t, ";\n");
        if (!wraps) continue;
        irl__dma_c_indent(t, 2 + depth);
        irl__textf(t, "if (one->%s_wrap) %c = one->%s / one->%s_wrap * one->%s_wrap + %c %% "
                      "one->%s_wrap;\n",
                   word, *word, word, word, word, *word, word);
    }
    irl__dma_c_indent(t, 2 + depth);
    irl__textf(t, "for (b = 0; b < %s_beat; b++) to[t + b] = from[s + b];\n", name);
}

static void irl__dma_c_play(irl__text *t, const irl_dma_list *list, const char *name, int bits,
                            int depth)
{
    const int relative = list->controller && list->controller->is_relative;
    irl__textf(t, "/* What the controller does: for tests, and where there is none. */\n"
                  "static inline void %s_play(const void *source, void *target)\n{\n"
                  "    const unsigned char *from = (const unsigned char *)source;\n"
                  "    unsigned char *to = (unsigned char *)target;\n"
                  "    int k, b;\n    for (k = 0; k < %s_count; k++) {\n"
                  "        const %s_transfer *one = &%s[k];\n",
               name, name, name, name);
    irl__textf(t, "        int%d_t s = one->source, t = one->target;\n", bits);
    irl__textf(t, "        int%d_t", bits);
    for (int k = depth; k-- > 0;) irl__textf(t, " i%d%s", k, k ? "," : ";\n");
    for (int k = depth; k-- > 0;) {
        irl__dma_c_indent(t, 1 + depth - k);
        irl__textf(t, "for (i%d = 0; i%d < one->count[%d]; i%d++) {\n", k, k, k, k);
    }
    irl__dma_c_beat(t, list, name, depth);
    for (int k = 0; k < depth; k++) {
        if (relative) {
            irl__dma_c_indent(t, 2 + depth - k);
            irl__textf(t, "s += one->source_step[%d]; t += one->target_step[%d];\n", k, k);
        }
        irl__dma_c_indent(t, 1 + depth - k);
        irl__text_puts(t, "}\n");
    }
    irl__text_puts(t, "    }\n}\n");
}

const char *irl_dma_c(irl_ctx *cx, const irl_dma_list *list, const char *name)
{
    irl__text t;
    if (!cx || !list || !irl__ok(cx)) return "";
    /* The table's name in C: no word that C has taken, and no name in NAME_play, where the table is
       read. */
    static const char *const locals[] = { "source", "target", "from", "to", "k",
                                          "b",      "one",    "s",    "t" };
    char legal[IRL__IDENTIFIER_MAX + 3];
    (void)irl__identifier(irl__words_of_c, name && *name ? name : "dma", legal);
    int clashes = legal[0] == 'i' && legal[1] >= '0' && legal[1] <= '9' && !legal[2];
    for (size_t k = 0; k < IRL__COUNTOF(locals); k++) clashes |= strcmp(legal, locals[k]) == 0;
    name = irl__text_or_empty(irl__format(cx, clashes ? "v_%s" : "%s", legal));
    int bits = irl__dma_int_bits(list);
    /* The most levels of a transfer. */
    int depth = 1;
    for (int k = 0; k < list->count; k++)
        if (list->transfers[k].level_count > depth) depth = list->transfers[k].level_count;
    irl__text_init(&t, cx);
    irl__text_puts(&t, "/* ");
    irl__dma_title(&t, list);
    irl__text_puts(&t, "\n   ");
    irl__textf(&t, "source: %l bytes, aligned to %l; target: %l bytes, aligned to %l\n   ",
               list->unpack ? list->memory_bytes : list->plain_bytes, list->source_align,
               list->unpack ? list->plain_bytes : list->memory_bytes, list->target_align);
    irl__dma_counts(&t, list);
    irl__text_puts(&t, "*/\n#include <stdint.h>\n\n");
    irl__dma_c_struct(&t, list, name, bits, depth);
    irl__dma_c_table(&t, list, name, depth);
    irl__dma_c_play(&t, list, name, bits, depth);
    return irl__text_or_empty(irl__text_done(&t));
}

/* ------------------------------------------------------------------ as JSON */

const char *irl_dma_json(irl_ctx *cx, const irl_dma_list *list)
{
    irl__text t;
    if (!cx || !list || !irl__ok(cx)) return "";
    irl__text_init(&t, cx);
    irl__text_puts(&t, "{\"map\": ");
    irl__json_string(&t, irl_map_text(cx, list->map));
    irl__text_puts(&t, ", \"shape\": ");
    irl__text_numbers(&t, "[]", list->shape.rank, list->shape.extent);
    irl__text_puts(&t, ", \"memory\": ");
    irl__text_numbers(&t, "[]", list->memory.rank, list->memory.extent);
    irl__text_puts(&t, ", \"controller\": ");
    irl__json_string(&t, list->controller ? list->controller->name : NULL);
    irl__text_puts(&t, ", \"bits\": ");
    irl__json_string(&t, list->bits ? irl_bit_element_text(cx, list->bits) : NULL);
    irl__textf(&t, ", \"overwritten\": %d, \"overwritten_byte\": %l", list->overwritten,
               list->overwritten_byte);
    irl__textf(&t, ", \"unpack\": %d, \"element\": %l, \"beat\": %l, \"copies\": %d, "
                   "\"is_least\": %d, \"source_align\": %l, \"target_align\": %l, \"reason\": ",
               list->unpack, list->element, list->beat, list->copies, list->is_least,
               list->source_align, list->target_align);
    irl__json_string(&t, list->reason);
    irl__text_puts(&t, ", \"transfers\": [");
    for (int k = 0; k < list->count; k++) {
        irl__text_puts(&t, k ? ", " : "");
        irl__textf(&t, "{\"source\": %l, \"target\": %l, \"source_wrap\": %l, \"target_wrap\": %l, "
                   "\"levels\": [", list->transfers[k].source, list->transfers[k].target,
                   list->transfers[k].source_wrap, list->transfers[k].target_wrap);
        for (int j = 0; j < list->transfers[k].level_count; j++) {
            const irl_dma_level *level = &list->transfers[k].levels[j];
            irl__textf(&t, "%s{\"count\": %l, \"source\": %l, \"target\": %l, \"source_step\": %l, "
                       "\"target_step\": %l}", j ? ", " : "", level->count, level->source,
                       level->target, level->source_step, level->target_step);
        }
        irl__text_puts(&t, "]}");
    }
    irl__text_puts(&t, "]}\n");
    return irl__text_or_empty(irl__text_done(&t));
}
