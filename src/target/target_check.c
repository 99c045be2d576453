/* target_check.c - a target that a program defines: checks its columns; the context keeps it.

   needs     target.c
   promises  a target that is kept has each column in its range, and its columns agree with one
             another, so that passes and emitters need not check; a diagnostic names the column,
             what was found and what is expected. A name means one target in a context */
#include "target.h"

#include <stddef.h>

/* ------------------------------------------------------------------ columns */

static const irl__tcolumn irl__tcolumns[] = {
#define IRL__COLUMN(name, kind, least, most, meaning) \
    { #name, IRL__COLUMN_##kind, offsetof(irl_target, name), least, most, meaning }
    IRL__COLUMN(serial, FLAG, 0, 1, "true: no device; work-items are loops, images are arrays"),
    IRL__COLUMN(pointer_casts, FLAG, 0, 1,
                "true: pointers may be cast; false: a memory has one access type"),
    IRL__COLUMN(widths, WIDTHS, 0, 0, "lanes of vectors; 1: no vectors"),
    IRL__COLUMN(ramps, FLAG, 0, 1, "true: one access may touch several consecutive elements"),
    IRL__COLUMN(alignment, POWER, 1, 128,
                "in bytes: a vector is aligned to its size, or to this if less"),
    IRL__COLUMN(run_alignment, POWER, 1, 128, "the same for an access to consecutive elements"),
    IRL__COLUMN(int64, FLAG, 0, 1, "true: there are 64-bit integers"),
    IRL__COLUMN(halves, FLAG, 0, 1, "true: f16 is computed in f16; false: in f32, then rounded"),
    IRL__COLUMN(buffer_bytes, BYTES, 1, INT64_MAX, "the most bytes of a buffer"),
    IRL__COLUMN(work_group, COUNT, 1, INT32_MAX, "the most work-items of a group"),
    IRL__COLUMN(local_bytes, COUNT, 0, INT32_MAX, "bytes of shared memory"),
    IRL__COLUMN(registers, COUNT, 0, 4096, "the number of vector registers, for schedules; 0: no "
                                           "schedules"),
    IRL__COLUMN(vector_bytes, COUNT, 0, 128, "the bytes of a vector register"),
    IRL__COLUMN(cache_bytes, COUNT, 0, INT32_MAX, "the bytes of the nearest cache"),
    IRL__COLUMN(subgroup, COUNT, 0, 1024,
                "work-items that run in lockstep, for schedules; 0: no lockstep"),
    IRL__COLUMN(group_items, COUNT, 0, INT32_MAX, "the preferred number of work-items of a "
                                                  "group, for schedules"),
    IRL__COLUMN(units, COUNT, 0, 65536, "the number of such groups that keep the device busy"),
    IRL__COLUMN(line_bytes, COUNT, 0, 4096, "the bytes of a line of global memory"),
    IRL__COLUMN(banks, COUNT, 0, 1024, "banks of shared memory, 4 bytes each; 0: no tiles there"),
    IRL__COLUMN(texels, TEXELS, 0, 0, "types of the four values of a texel; none: no images"),
    IRL__COLUMN(image_extent, COUNT, 0, INT32_MAX, "the most texels along a side of an image"),
    IRL__COLUMN(volume_extent, COUNT, 0, INT32_MAX, "the same for an image of three dimensions; 0: "
                                                    "none"),
    IRL__COLUMN(layers, COUNT, 0, INT32_MAX, "the most layers of an array of images; 0: none"),
    IRL__COLUMN(line_texels, COUNT, 0, INT32_MAX, "the most texels of an image over a buffer; 0: "
                                                  "none"),
    IRL__COLUMN(samplerless, FLAG, 0, 1, "true: a read proved to be in range has no sampler"),
    IRL__COLUMN(image_tensors, FLAG, 0, 1,
                "true: tensors of graphs go into images if all nodes allow it"),
#undef IRL__COLUMN
};

const irl__tcolumn *irl__tcolumn_at(int k)
{
    return k >= 0 && (size_t)k < IRL__COUNTOF(irl__tcolumns) ? &irl__tcolumns[k] : NULL;
}

int64_t irl__tcolumn_get(const irl_target *t, const irl__tcolumn *column)
{
    const char *at = (const char *)t + column->at;
    switch (column->kind) {
    case IRL__COLUMN_BYTES: return *(const int64_t *)(const void *)at;
    case IRL__COLUMN_FLAG:
    case IRL__COLUMN_COUNT: return *(const int *)(const void *)at;
    default: return *(const uint32_t *)(const void *)at;
    }
}

void irl__tcolumn_set(irl_target *t, const irl__tcolumn *column, int64_t value)
{
    char *at = (char *)t + column->at;
    switch (column->kind) {
    case IRL__COLUMN_BYTES: *(int64_t *)(void *)at = value; break;
    case IRL__COLUMN_FLAG:
    case IRL__COLUMN_COUNT: *(int *)(void *)at = (int)value; break;
    default: *(uint32_t *)(void *)at = (uint32_t)value;
    }
}

static int irl__target_same(const irl_target *a, const irl_target *b)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__tcolumns); k++)
        if (irl__tcolumn_get(a, &irl__tcolumns[k]) != irl__tcolumn_get(b, &irl__tcolumns[k]))
            return 0;
    return 1;
}

/* ------------------------------------------------------------------ checks */

typedef struct irl__target_check {
    irl_ctx          *cx;
    const irl_target *t;
    const irl_loc    *at; /* of each column's value; NULL: no text */
    irl_loc           where;
} irl__target_check;

/* A column, by the name that it has. */
static const irl__tcolumn *irl__tcolumn_named(const char *name)
{
    int k = 0;
    while (strcmp(irl__tcolumns[k].name, name) != 0) k++;
    return &irl__tcolumns[k];
}

/* Refuses a column: its value, and what is expected. */
static int irl__target_bad(const irl__target_check *c, const char *name, const char *expected)
{
    const irl__tcolumn *column = irl__tcolumn_named(name);
    const int64_t       value = irl__tcolumn_get(c->t, column);
    const irl_loc      *at = c->at ? &c->at[column - irl__tcolumns] : NULL;
    irl_loc             where = at && at->source ? *at : c->where;
    if (column->kind == IRL__COLUMN_WIDTHS || column->kind == IRL__COLUMN_TEXELS)
        return irl__fail(c->cx, IRL_ERROR_BAD_TARGET, where, "column '%s' of target '%s' %s", name,
                         c->t->name, expected);
    return irl__fail(c->cx, IRL_ERROR_BAD_TARGET, where,
                     "column '%s' of target '%s' is %l; expected %s", name, c->t->name, value,
                     expected);
}

static int irl__target_check_column(const irl__target_check *c, const irl__tcolumn *column)
{
    const int64_t value = irl__tcolumn_get(c->t, column);
    char          range[96];
    irl__text     t;
    if (column->kind == IRL__COLUMN_WIDTHS || column->kind == IRL__COLUMN_TEXELS) return 1;
    if (value < column->least || value > column->most) {
        irl__text_init_fixed(&t, range, sizeof range);
        if (column->most == INT64_MAX) irl__textf(&t, "%l or more", column->least);
        else irl__textf(&t, "%l to %l", column->least, column->most);
        return irl__target_bad(c, column->name, range);
    }
    return column->kind != IRL__COLUMN_POWER || !(value & (value - 1)) ||
           irl__target_bad(c, column->name, "a power of two");
}

/* Vectors are halved until they are of a width that there is. */
static int irl__target_check_widths(const irl__target_check *c)
{
    enum { ALL = 0x808f, POWERS = 0x808b };
    const uint32_t widths = c->t->widths;
    uint32_t       lanes;
    if (widths & ~(uint32_t)ALL)
        return irl__target_bad(c, "widths", "has another width than 1, 2, 3, 4, 8 and 16");
    if (!(widths & 1)) return irl__target_bad(c, "widths", "lacks 1, which every target needs");
    for (lanes = 16; lanes > 1; lanes /= 2)
        if ((widths >> (lanes - 1) & 1) && !(widths >> (lanes / 2 - 1) & 1))
            return irl__target_bad(c, "widths", "has a width, but not half of it");
    if ((widths >> 2 & 1) && !(widths >> 3 & 1))
        return irl__target_bad(c, "widths", "has 3, but not 4: a vector of 3 lanes is stored in "
                                            "one of 4");
    return !c->t->serial || !(widths & ~(uint32_t)POWERS) ||
           irl__target_bad(c, "widths", "has 3, but C compilers have no vectors of 3 lanes");
}

static int irl__target_check_images(const irl__target_check *c)
{
    static const char *const sizes[] = { "image_extent", "volume_extent", "layers", "line_texels",
                                         "samplerless", "image_tensors" };
    for (int k = 0; k < 32; k++)
        if ((c->t->texels >> k & 1) &&
            (k >= (int)IRL__SCALAR_COUNT ||
             !irl__texel_has_format(irl_type_of((irl_scalar)k, 1))))
            return irl__target_bad(c, "texels", "has a type for which there are no images");
    if (c->t->texels && c->t->serial)
        return irl__target_bad(c, "texels", "has types; a serial target has no images");
    if (c->t->texels)
        return c->t->image_extent > 0 ||
               irl__target_bad(c, "image_extent", "1 or more, as there are texels");
    for (int k = 0; k < (int)IRL__COUNTOF(sizes); k++)
        if (irl__tcolumn_get(c->t, irl__tcolumn_named(sizes[k])))
            return irl__target_bad(c, sizes[k], "0, as there are no texels");
    return 1;
}

/* Schedules for groups want to know all about them. */
static int irl__target_check_groups(const irl__target_check *c)
{
    static const      char *const rest[] = { "group_items", "line_bytes", "banks" };
    const irl_target *t = c->t;
    for (int k = 0; k < (int)IRL__COUNTOF(rest); k++) {
        const int64_t value = irl__tcolumn_get(t, irl__tcolumn_named(rest[k]));
        if (!t->subgroup && value)
            return irl__target_bad(c, rest[k], "0, as there is no subgroup");
        const int may_be_none = strcmp(rest[k], "banks") == 0;
        if (t->subgroup && (value < !may_be_none || (value & (value - 1))))
            return irl__target_bad(c, rest[k], "a power of two, as there is a subgroup");
    }
    if (!t->subgroup)
        return !t->units || irl__target_bad(c, "units", "0, as there is no subgroup");
    if (t->subgroup & (t->subgroup - 1))
        return irl__target_bad(c, "subgroup", "a power of two, or 0");
    if (t->serial) return irl__target_bad(c, "subgroup", "0: serial code has no work-items");
    if (t->units < 1) return irl__target_bad(c, "units", "1 or more, as there is a subgroup");
    if (t->group_items > t->work_group)
        return irl__target_bad(c, "group_items", "no more than work_group");
    return t->group_items >= t->subgroup ||
           irl__target_bad(c, "group_items", "no less than subgroup");
}

static int irl__target_is_right(const irl__target_check *c)
{
    const char *p = c->t->name ? c->t->name : "";
    size_t      n = strlen(p), j;
    for (j = 0; j < n; j++)
        if (!((p[j] >= 'a' && p[j] <= 'z') || (p[j] >= 'A' && p[j] <= 'Z') || p[j] == '_' ||
              (j && ((p[j] >= '0' && p[j] <= '9') || p[j] == '-' || p[j] == '.'))))
            break;
    if (!((n && n <= 64 && j == n) ||
          irl__fail(c->cx, IRL_ERROR_BAD_TARGET, c->where,
                    "'%s' is not a name for a target: a letter, then letters, digits, - _ and ., "
                    "64 bytes at most",
                    p)))
        return 0;
    for (int k = 0; irl__tcolumn_at(k); k++)
        if (!irl__target_check_column(c, irl__tcolumn_at(k))) return 0;
    if (!irl__target_check_widths(c) || !irl__target_check_images(c) ||
        !irl__target_check_groups(c))
        return 0;
    if (!c->t->int64 && c->t->buffer_bytes > INT32_MAX)
        return irl__target_bad(c, "buffer_bytes",
                               "2147483647 or less: without 64-bit integers indices have 32 bits");
    if (c->t->serial && c->t->pointer_casts)
        return irl__target_bad(c, "pointer_casts", "0: code for a serial target reads memory by "
                                                   "its declared type");
    return !c->t->registers || c->t->vector_bytes || c->t->serial ||
           irl__target_bad(c, "vector_bytes", "1 or more, as there are registers");
}

/* ------------------------------------------------------------------ what a context knows */

const irl_target *irl_target_find_in(const irl_ctx *cx, const char *name)
{
    const irl_target *row = irl_target_find(name);
    if (row || !cx || !name) return row;
    for (const irl__target_node *node = cx->targets; node; node = node->older)
        if (strcmp(node->target->name, name) == 0) return node->target;
    return NULL;
}

static int irl__target_is_known(const irl_ctx *cx, const irl_target *target)
{
    for (int k = 0; irl_target_name(k); k++)
        if (irl_target_find(irl_target_name(k)) == target) return 1;
    for (const irl__target_node *node = cx->targets; node; node = node->older)
        if (node->target == target) return 1;
    return 0;
}

int irl__target_given(irl_ctx *cx, const irl_target *target)
{
    if (!target)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "no target: irl_target_find knows opencl12, "
                         "scalar, ...");
    return irl__target_is_known(cx, target) ||
           IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the target was not made in this context: pass "
                     "the pointer that irl_target_find, irl_target_new or irl_target_parse "
                     "returned, not a copy");
}

const irl_target *irl__target_unknown(irl_ctx *cx, irl_loc where, const char *name)
{
    irl__near nearest;
    if (!name || !*name) {
        irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where, "the module names no target");
        return NULL;
    }
    irl__near_of(&nearest, name, irl_target_name);
    for (const irl__target_node *node = cx->targets; node; node = node->older)
        irl__near_try(&nearest, node->target->name, strlen(node->target->name));
    irl__fail(cx, IRL_ERROR_UNKNOWN_NAME, where,
              "there is no target '%s' in this context; irl_target_name lists those of the "
              "library, irl_target_parse and irl_target_new add others%s",
              name, irl__near_said(&nearest));
    return NULL;
}

const irl_target *irl__target_keep(irl_ctx *cx, const irl_target *columns, const irl_loc *at,
                                   irl_loc where)
{
    irl_target       *kept, filled = *columns;
    irl__target_node *node;
    irl__target_check c;
    c.cx = cx;
    c.t = columns = &filled;
    c.at = at;
    c.where = where;
    /* Zero is a default where no target can have it. */
    for (size_t k = 0; k < IRL__COUNTOF(irl__tcolumns); k++)
        if (irl__tcolumn_get(&filled, &irl__tcolumns[k]) == 0 && irl__tcolumns[k].least == 1)
            irl__tcolumn_set(&filled, &irl__tcolumns[k],
                             irl__tcolumns[k].kind == IRL__COLUMN_BYTES ? INT32_MAX : 1);
    if (!filled.widths) filled.widths = 1;
    if (!irl__target_is_right(&c)) return NULL;
    const irl_target *known = irl_target_find_in(cx, columns->name);
    if (known && irl__target_same(known, columns)) return known;
    if (known) {
        irl__fail(cx, IRL_ERROR_DUPLICATE_NAME, where,
                  "there is a target '%s' with other columns already", columns->name);
        return NULL;
    }
    kept = IRL__COPY(cx, irl_target, columns, 1);
    node = IRL__NEW(cx, irl__target_node, 1);
    if (!kept || !node) return NULL;
    kept->name = irl__namez(cx, columns->name);
    kept->doc = columns->doc ? irl__namez(cx, columns->doc) : "";
    if (!kept->name || !kept->doc) return NULL;
    node->target = kept;
    node->older = cx->targets;
    cx->targets = node;
    return kept;
}

const irl_target *irl_target_new(irl_ctx *cx, const irl_target *columns)
{
    if (!cx || !irl__ok(cx)) return NULL;
    if (!columns) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "irl_target_new: no columns");
        return NULL;
    }
    return irl__target_keep(cx, columns, NULL, irl__nowhere());
}
