/* generate_items.h - kernels whose work-items have several axes: loops bound to local.x, local.y
   and local.z in any order, several such nests one behind the other in a kernel, whose work-items
   are numbered by other axes each time; memory declared at the top of the function, in the group
   and in the work-item; values exchanged over barriers, transposed, reversed, rotated, handed out
   by one work-item, summed by a tree; loops and conditions around barriers; kernels one behind the
   other, and in loops of the host.

   needs     generate.h; draw_items.h has the steps
   promises  a seed gives the same function always, in numbers that are exact. Nearly all run: an
             array is read at other places than a work-item's own only where a barrier stands
             behind its last store, and stored to again only behind the next one */
#ifndef IRL_GENERATE_ITEMS_H
#define IRL_GENERATE_ITEMS_H

enum { ITEMS_ARRAYS = 14, ITEMS_DIMS = 3, ITEMS_TEXT = 96 };

typedef enum items_form {
    ITEMS_FLAT,   /* [items]: one cell of each work-item */
    ITEMS_BOX,    /* one axis for each of the work-items' */
    ITEMS_ROWS,   /* [groups, items] */
    ITEMS_ONE,    /* a cell that work-item 0 stores for all */
    ITEMS_PRIVATE, /* some cells of a work-item's own */
    ITEMS_LET      /* a value that was read */
} items_form;

typedef struct items_array {
    char        name[8];
    const char *scope;
    items_form  form;
    int         extent;     /* of a private one */
    int         is_known;   /* are all of its cells written? */
    int         is_stored;  /* since the last barrier: read at one's own place alone */
    int         is_shown;   /* read elsewhere since then: not to be stored to */
    int         is_guarded; /* may only be read */
    int         has_view;   /* is it declared once more, with an axis for each of the items'? */
} items_array;

typedef struct items {
    gen         g;
    const char *type;
    int         groups, count; /* work-items of a group */
    int         dims, extent[ITEMS_DIMS], axis[ITEMS_DIMS];
    char        own[ITEMS_DIMS][4];      /* the loops of the nest at hand */
    char        flat[ITEMS_TEXT];        /* the number of the work-item */
    char        row[24];                 /* the number of the group */
    char        serial[4];               /* a loop around the statement; "" */
    int         serial_extent;
    int         depth, names, arrays, has_n, n;
    items_array array[ITEMS_ARRAYS];
} items;

static void items_begin(items *c) { gen_put(&c->g, "%*s", 4 * c->depth, ""); }

static items_array *items_declare(items *c, items_form form, const char *scope)
{
    items_array *a = &c->array[c->arrays++];
    int          k;
    memset(a, 0, sizeof *a);
    sprintf(a->name, "t%d", c->names++);
    a->form = form;
    a->scope = scope;
    items_begin(c);
    gen_put(&c->g, "alloc %s: %s[", a->name, c->type);
    switch (form) {
    case ITEMS_FLAT: gen_put(&c->g, "%d", c->count); break;
    case ITEMS_ROWS: gen_put(&c->g, "%d, %d", c->groups, c->count); break;
    case ITEMS_ONE: gen_put(&c->g, "1"); break;
    case ITEMS_PRIVATE:
        a->extent = 1 + gen_below(&c->g, 3);
        gen_put(&c->g, "%d", a->extent);
        break;
    default:
        for (k = 0; k < c->dims; k++) gen_put(&c->g, k ? ", %d" : "%d", c->extent[k]);
    }
    gen_put(&c->g, strcmp(scope, "global") ? "] scope(%s);\n" : "];\n", scope);
    a->has_view = (form == ITEMS_FLAT || form == ITEMS_ROWS) && gen_chance(&c->g, 20);
    if (!a->has_view) return a;
    items_begin(c);
    gen_put(&c->g, "decl v%s: %s[", a->name + 1, c->type);
    if (form == ITEMS_ROWS) gen_put(&c->g, "%d, ", c->groups);
    for (k = 0; k < c->dims; k++) gen_put(&c->g, k ? ", %d" : "%d", c->extent[k]);
    gen_put(&c->g, "] data(%s);\n", a->name);
    return a;
}

/* ------------------------------------------------------------------ values */

static void items_wait(items *c, const char *which)
{
    const int is_shared = strcmp(which, "shared") == 0;
    int       k;
    items_begin(c);
    gen_put(&c->g, "barrier(%s);\n", which);
    for (k = 0; k < c->arrays; k++)
        if ((strcmp(c->array[k].scope, "shared") == 0) == is_shared)
            c->array[k].is_stored = c->array[k].is_shown = 0;
}

static void items_wait_for(items *c, const items_array *a)
{
    items_wait(c, strcmp(a->scope, "shared") == 0 ? "shared" : "global");
}

/* One's own cell. */
static void items_cell(items *c, const items_array *a)
{
    const int is_view = a->has_view && gen_chance(&c->g, 50);
    int       k;
    gen_put(&c->g, is_view ? "v%s[" : "%s[", is_view ? a->name + 1 : a->name);
    if (is_view && a->form == ITEMS_ROWS) gen_put(&c->g, "%s, ", c->row);
    switch (is_view ? ITEMS_BOX : a->form) {
    case ITEMS_FLAT: gen_put(&c->g, "%s", c->flat); break;
    case ITEMS_ROWS: gen_put(&c->g, "%s, %s", c->row, c->flat); break;
    case ITEMS_ONE: case ITEMS_PRIVATE: gen_put(&c->g, "0"); break;
    default:
        for (k = 0; k < c->dims; k++) gen_put(&c->g, k ? ", %s" : "%s", c->own[k]);
    }
    gen_put(&c->g, "]");
}

/* Any number below an extent, made of one's own or of a loop's. */
static void items_place(items *c, const char *own, int extent)
{
    switch (gen_below(&c->g, 7)) {
    case 0: gen_put(&c->g, "%d - (%s)", extent - 1, own); break;
    case 1: gen_put(&c->g, "(%s + %d) %% %d", own, 1 + gen_below(&c->g, 3), extent); break;
    case 2: gen_put(&c->g, "%d", gen_below(&c->g, extent)); break;
    case 3: gen_put(&c->g, "min(%s + 1, %d)", own, extent - 1); break;
    case 4: case 5:
        if (*c->serial && c->serial_extent <= extent) gen_put(&c->g, "%s", c->serial);
        else if (*c->serial) gen_put(&c->g, "(%s + %s) %% %d", own, c->serial, extent);
        else gen_put(&c->g, "%s", own);
        break;
    default: gen_put(&c->g, "%s", own);
    }
}

/* A cell of another work-item; transposed where two axes are as long as each other. */
static void items_other(items *c, const items_array *a)
{
    const int with = c->dims > 1 && c->extent[0] == c->extent[1] && gen_chance(&c->g, 50);
    const int is_view = a->has_view && gen_chance(&c->g, 50);
    const int is_box = a->form == ITEMS_BOX || is_view;
    int       k;
    gen_put(&c->g, is_view ? "v%s[" : "%s[", is_view ? a->name + 1 : a->name);
    if (a->form == ITEMS_ROWS) gen_put(&c->g, "%s, ", c->row);
    if (!is_box) items_place(c, c->flat, c->count);
    for (k = 0; is_box && k < c->dims; k++) {
        if (k) gen_put(&c->g, ", ");
        if (with) gen_put(&c->g, "%s", c->own[k < 2 ? 1 - k : k]);
        else items_place(c, c->own[k], c->extent[k]);
    }
    gen_put(&c->g, "]");
}

static void items_read(items *c)
{
    const int    k = gen_below(&c->g, c->arrays);
    items_array *a = &c->array[k];
    if (!a->is_known) {
        if (*c->serial && gen_chance(&c->g, 40)) gen_put(&c->g, "%s(%s)", c->type, c->serial);
        else items_cell(c, &c->array[0]);
    } else if (a->form == ITEMS_LET) {
        gen_put(&c->g, "%s", a->name);
    } else if (a->form == ITEMS_PRIVATE) {
        gen_put(&c->g, "%s[%d]", a->name, gen_below(&c->g, a->extent));
    } else if (a->form == ITEMS_ONE) {
        if (a->is_stored) items_cell(c, &c->array[0]);
        else items_cell(c, a), a->is_shown = 1;
    } else if (a->is_stored || gen_chance(&c->g, 25)) items_cell(c, a);
    else {
        a->is_shown = 1;
        items_other(c, a);
    }
}

static void items_value(items *c)
{
    switch (gen_below(&c->g, 6)) {
    case 0:
        gen_put(&c->g, "max(");
        items_read(c);
        gen_put(&c->g, ", ");
        items_read(c);
        gen_put(&c->g, ")");
        break;
    case 1: case 2:
        items_read(c);
        gen_put(&c->g, " + ");
        items_read(c);
        break;
    case 3:
        items_read(c);
        gen_put(&c->g, " * %s(3) - ", c->type);
        items_read(c);
        break;
    default: items_read(c);
    }
}

/* What some of the work-items fulfil. */
static void items_condition(items *c)
{
    const int   k = gen_below(&c->g, c->dims);
    switch (gen_below(&c->g, 5)) {
    case 0: gen_put(&c->g, "%s < %d", c->own[k], gen_below(&c->g, c->extent[k] + 1)); break;
    case 1: gen_put(&c->g, "%s %% 2 == 0", c->own[k]); break;
    case 2:
        gen_put(&c->g, "%s * %d + %s < %d", c->row, c->count, c->flat,
                c->groups * c->count - gen_below(&c->g, c->count));
        break;
    case 3:
        if (c->has_n) gen_put(&c->g, "%s < n", c->flat);
        else gen_put(&c->g, "%s == 0", c->flat);
        break;
    default: gen_put(&c->g, "%s >= %d", c->flat, gen_below(&c->g, c->count));
    }
}

/* ------------------------------------------------------------------ statements of a work-item */

/* An array that may be stored to, by waiting if need be; NULL. Private ones too, if asked. */
static items_array *items_target(items *c, int may_be_private)
{
    int tries = 8;
    while (tries--) {
        items_array *a = &c->array[1 + gen_below(&c->g, c->arrays - 1)];
        if (a->form == ITEMS_PRIVATE && !may_be_private) continue;
        if (a->is_guarded || a->form == ITEMS_LET) continue;
        return a;
    }
    return NULL;
}

static void items_store(items *c)
{
    static const char *const kinds[] = { "", "", "", "", "", "vectorized ", "unrolled ",
                                         "parallel " };
    items_array *a = items_target(c, 1);
    int          is_loop = gen_chance(&c->g, 40), is_under = 0;
    if (!a) return;
    if (a->is_shown) items_wait_for(c, a);
    if (a->form == ITEMS_PRIVATE) {
        items_begin(c);
        gen_put(&c->g, "for %s(i: %d) %s[i] = ", kinds[gen_below(&c->g, 8)], a->extent, a->name);
        items_value(c);
        gen_put(&c->g, ";\n");
        a->is_known = 1;
        return;
    }
    items_begin(c);
    if (a->form == ITEMS_ONE) gen_put(&c->g, "if (%s == 0) ", c->flat);
    else if (a->is_known && gen_chance(&c->g, 30)) {
        is_under = 1;
        gen_put(&c->g, "if (");
        items_condition(c);
        gen_put(&c->g, ") ");
    }
    if (is_loop) gen_put(&c->g, "for (i: 1) ");
    items_cell(c, a);
    gen_put(&c->g, " = ");
    if (a->is_known && a->form != ITEMS_ONE && gen_chance(&c->g, 30)) {
        items_cell(c, a);
        gen_put(&c->g, " + ");
    }
    a->is_stored = 1; /* of itself it reads its own */
    items_value(c);
    gen_put(&c->g, ";\n");
    a->is_known |= !is_under;
}

/* A sum over cells that others wrote, in memory of one's own or in a store. */
static void items_sum(items *c)
{
    items_array *a = items_target(c, 1);
    const int    is_plain = gen_chance(&c->g, 40);
    char         around[sizeof c->serial];
    const int    extent_around = c->serial_extent;
    if (!a || a->form == ITEMS_ONE) return;
    strcpy(around, c->serial);
    if (a->is_shown) items_wait_for(c, a);
    c->serial_extent = 1 + gen_below(&c->g, 4);
    items_begin(c);
    if (!is_plain || !a->is_known) {
        items_cell(c, a);
        gen_put(&c->g, " = ");
    }
    a->is_stored = 1;
    if (!is_plain) {
        gen_put(&c->g, "%s(k: %d, ", gen_chance(&c->g, 70) ? "sum" : "max", c->serial_extent);
        strcpy(c->serial, "k");
        items_value(c);
        gen_put(&c->g, ");\n");
    } else {
        if (!a->is_known) {
            gen_put(&c->g, "%s(1);\n", c->type);
            items_begin(c);
        }
        strcpy(c->serial, "k");
        gen_put(&c->g, "for (k: %d) ", c->serial_extent);
        items_cell(c, a);
        gen_put(&c->g, " = ");
        items_cell(c, a);
        gen_put(&c->g, " + ");
        items_value(c);
        gen_put(&c->g, ";\n");
    }
    strcpy(c->serial, around);
    c->serial_extent = extent_around;
    a->is_known |= a->form != ITEMS_PRIVATE || a->extent == 1;
}

static void items_statement(items *c);

/* Statements in braces, that all work-items come to: a loop, which others' iterations wait for, or
   a condition of the group. */
static void items_together(items *c)
{
    const int was = c->arrays, is_loop = gen_chance(&c->g, 65) && !*c->serial;
    int       k, known[ITEMS_ARRAYS], count = 1 + gen_below(&c->g, 3);
    items_wait(c, "shared");
    if (gen_chance(&c->g, 50)) items_wait(c, "global");
    for (k = 0; k < c->arrays; k++) known[k] = c->array[k].is_known;
    for (k = 0; k < c->arrays; k++) { /* what the end of the loop does not wait for */
        items_array *a = &c->array[k];
        if (is_loop && k && strcmp(a->scope, "shared") && a->form != ITEMS_PRIVATE)
            a->is_guarded = 1;
    }
    items_begin(c);
    if (is_loop) {
        c->serial_extent = 1 + gen_below(&c->g, 3);
        strcpy(c->serial, "r");
        gen_put(&c->g, "for (r: %d) {\n", c->serial_extent);
    } else if (c->has_n && gen_chance(&c->g, 40)) gen_put(&c->g, "if (n > 1) {\n");
    else gen_put(&c->g, "if (%s < 1) {\n", c->row);
    c->depth++;
    while (count--) items_statement(c);
    items_wait(c, "shared");
    c->depth--;
    items_begin(c);
    gen_put(&c->g, "}\n");
    if (is_loop) *c->serial = '\0';
    c->arrays = was;
    for (k = 0; k < c->arrays; k++) {
        if (!is_loop) c->array[k].is_known = known[k];
        c->array[k].is_guarded = 0;
    }
}

/* Halves are added to halves. */
static void items_tree(items *c)
{
    const char  *own = c->flat;
    items_array *a = items_target(c, 0);
    int          half;
    if (!a || !a->is_known || a->form != ITEMS_FLAT || c->count < 2 || *c->serial) return;
    items_wait_for(c, a);
    half = (c->count + 1) / 2;
    if (gen_chance(&c->g, 50)) {
        int rounds = 0;
        while (1 << rounds < c->count) rounds++;
        if (1 << rounds != c->count) return;
        items_begin(c);
        gen_put(&c->g, "for (r: %d) {\n", rounds);
        c->depth++;
        items_begin(c);
        gen_put(&c->g, "if (%s < %d >> (r + 1)) %s[%s] = %s[%s] + %s[%s + (%d >> (r + 1))];\n", own,
                c->count, a->name, own, a->name, own, a->name, own, c->count);
        items_wait_for(c, a);
        c->depth--;
        items_begin(c);
        gen_put(&c->g, "}\n");
        return;
    }
    items_begin(c);
    gen_put(&c->g, "if (%s < %d) %s[%s] = %s[%s] + %s[%s + %d];\n", own, c->count - half, a->name,
            own, a->name, own, a->name, own, half);
    items_wait_for(c, a);
}

/* A value that is kept, also over what waits behind it. */
static void items_let(items *c)
{
    items_array *a = &c->array[c->arrays];
    if (c->arrays == ITEMS_ARRAYS) return;
    memset(a, 0, sizeof *a);
    sprintf(a->name, "b%d", c->names++);
    a->form = ITEMS_LET;
    a->scope = "local";
    items_begin(c);
    gen_put(&c->g, "let %s: %s = ", a->name, c->type);
    items_value(c);
    gen_put(&c->g, ";\n");
    a->is_known = 1;
    c->arrays++;
}

static void items_statement(items *c)
{
    static const items_form shared[] = { ITEMS_FLAT, ITEMS_BOX, ITEMS_BOX, ITEMS_ONE };
    switch (gen_below(&c->g, 13)) {
    case 12: items_let(c); break;
    case 0:
        if (c->arrays < ITEMS_ARRAYS && !*c->serial) items_declare(c, ITEMS_PRIVATE, "local");
        items_store(c);
        break;
    case 1:
        if (c->arrays < ITEMS_ARRAYS && !*c->serial)
            items_declare(c, shared[gen_below(&c->g, 4)], "shared");
        items_store(c);
        break;
    case 2: case 3: items_wait(c, gen_chance(&c->g, 70) ? "shared" : "global"); break;
    case 4: case 5: case 6: items_sum(c); break;
    case 7:
        if (c->depth < 6) items_together(c);
        break;
    case 8: items_tree(c); break;
    default: items_store(c);
    }
}

/* ------------------------------------------------------------------ kernels */

/* The loops of a nest, by axes that are as long as its dimensions. */
static void items_loops(items *c, int number)
{
    static const char *const names[] = { "l", "m", "q" };
    int order[ITEMS_DIMS], k;
    for (k = 0; k < c->dims; k++) {
        const int with = gen_below(&c->g, c->dims), axis = c->axis[k];
        if (c->extent[with] == c->extent[k] && gen_chance(&c->g, 50)) {
            c->axis[k] = c->axis[with];
            c->axis[with] = axis;
        }
        order[k] = k;
    }
    for (k = 0; k < c->dims; k++) {
        const int with = gen_below(&c->g, c->dims), o = order[k];
        order[k] = order[with];
        order[with] = o;
        sprintf(c->own[k], number ? "%s%d" : "%s", names[k], number);
    }
    if (c->dims == 1) sprintf(c->flat, "%s", c->own[0]);
    else if (c->dims == 2) sprintf(c->flat, "%s * %d + %s", c->own[0], c->extent[1], c->own[1]);
    else
        sprintf(c->flat, "(%s * %d + %s) * %d + %s", c->own[0], c->extent[1], c->own[1],
                c->extent[2], c->own[2]);
    for (k = 0; k < c->dims; k++) {
        items_begin(c);
        gen_put(&c->g, "for bind(local.%c) (%s: %d)%s\n", "xyz"[c->axis[order[k]]],
                c->own[order[k]], c->extent[order[k]], k + 1 == c->dims ? " {" : "");
    }
}

static void items_nest(items *c, int number)
{
    const int was = c->arrays;
    int       count = 1 + gen_below(&c->g, 4);
    items_loops(c, number);
    c->depth++;
    while (count--) items_statement(c);
    c->depth--;
    items_begin(c);
    gen_put(&c->g, "}\n");
    c->arrays = was;
}

/* The last nest of a kernel ends with a store to y, array 1. */
static void items_end(items *c, int number)
{
    const int was = c->arrays;
    int       count = gen_below(&c->g, 3);
    items_loops(c, number);
    c->depth++;
    while (count--) items_statement(c);
    if (c->array[1].is_shown) items_wait_for(c, &c->array[1]);
    items_begin(c);
    if (gen_chance(&c->g, 25)) {
        gen_put(&c->g, "if (");
        items_condition(c);
        gen_put(&c->g, ") ");
    }
    items_cell(c, &c->array[1]);
    gen_put(&c->g, " = ");
    c->array[1].is_stored = 1;
    items_value(c);
    gen_put(&c->g, ";\n");
    c->depth--;
    items_begin(c);
    gen_put(&c->g, "}\n");
    c->arrays = was;
}

static void items_groups(items *c)
{
    items_begin(c);
    if (c->groups == 4 && gen_chance(&c->g, 50)) {
        gen_put(&c->g, "for bind(group.%s) (g: 2)\n", gen_chance(&c->g, 50) ? "y" : "x");
        items_begin(c);
        /* the other one of the two */
        gen_put(&c->g, "for bind(group.%s) (h: 2) {\n",
                strstr(c->g.text + c->g.length - 40, "group.y") ? "x" : "y");
        strcpy(c->row, "g * 2 + h");
        return;
    }
    gen_put(&c->g, "for bind(group.x) (g: %d) {\n", c->groups);
    strcpy(c->row, "g");
}

/* Nests that the group comes to again and again, or some groups alone. */
static void items_rounds(items *c, int number)
{
    const int is_loop = gen_chance(&c->g, 60) && !*c->serial, two = gen_chance(&c->g, 40);
    int       k, known[ITEMS_ARRAYS];
    items_wait(c, "shared");
    items_wait(c, "global");
    for (k = 0; k < c->arrays; k++) known[k] = c->array[k].is_known;
    items_begin(c);
    if (is_loop) {
        c->serial_extent = 1 + gen_below(&c->g, 3);
        strcpy(c->serial, "s");
        gen_put(&c->g, "for (s: %d) {\n", c->serial_extent);
    } else if (c->has_n && gen_chance(&c->g, 40)) gen_put(&c->g, "if (n > 1) {\n");
    else gen_put(&c->g, "if (%s < 1) {\n", c->row);
    c->depth++;
    for (k = 0; k < 1 + two; k++) {
        items_nest(c, number + k * 3);
        items_wait(c, "shared");
        items_wait(c, "global");
    }
    c->depth--;
    items_begin(c);
    gen_put(&c->g, "}\n");
    if (is_loop) *c->serial = '\0';
    for (k = 0; k < c->arrays && !is_loop; k++) c->array[k].is_known = known[k];
}

/* What stands in the group beside its nests: each work-item has it for itself. */
static void items_beside(items *c)
{
    items_array *a;
    if (c->arrays == ITEMS_ARRAYS) return;
    if (gen_chance(&c->g, 50)) {
        a = &c->array[c->arrays];
        memset(a, 0, sizeof *a);
        sprintf(a->name, "b%d", c->names++);
        a->form = ITEMS_LET;
        a->scope = "local";
        items_begin(c);
        gen_put(&c->g, "let %s: %s = x[%s, %d];\n", a->name, c->type, c->row,
                gen_below(&c->g, c->count));
        c->arrays++;
    } else {
        a = items_declare(c, ITEMS_PRIVATE, "local");
        items_begin(c);
        gen_put(&c->g, "for (i: %d) %s[i] = x[%s, i %% %d];\n", a->extent, a->name, c->row,
                c->count);
    }
    a->is_known = 1;
}

static void items_kernel(items *c)
{
    static const items_form shared[] = { ITEMS_FLAT, ITEMS_BOX, ITEMS_BOX, ITEMS_ONE };
    const int was = c->arrays, nests = gen_below(&c->g, 3), has_groups = gen_chance(&c->g, 90);
    int       k, count = gen_below(&c->g, 3);
    if (has_groups) items_groups(c), c->depth++;
    else strcpy(c->row, "0");
    for (k = 0; has_groups && k < count; k++)
        items_declare(c, shared[gen_below(&c->g, 4)], "shared");
    if (has_groups && gen_chance(&c->g, 15))
        items_declare(c, ITEMS_PRIVATE, "local");
    for (k = 0; has_groups && k < nests; k++) {
        if (gen_chance(&c->g, 15)) items_beside(c);
        if (gen_chance(&c->g, 20)) {
            items_rounds(c, k + 1);
            continue;
        }
        items_nest(c, k + 1);
        if (gen_chance(&c->g, 90)) items_wait(c, "shared");
        if (gen_chance(&c->g, 60)) items_wait(c, "global");
    }
    items_end(c, 0);
    if (has_groups) {
        c->depth--;
        items_begin(c);
        gen_put(&c->g, "}\n");
    }
    c->arrays = was;
    for (k = 0; k < c->arrays; k++) c->array[k].is_stored = c->array[k].is_shown = 0;
}

/* A nest of the host beside kernels: of loops that nobody bound. */
static void items_plain(items *c)
{
    items_array *a = items_target(c, 0);
    if (!a || a->form != ITEMS_ROWS) return;
    items_begin(c);
    gen_put(&c->g, "for (i: %d, j: %d) %s[i, j] = x[i, j] + %s(%d);\n", c->groups, c->count,
            a->name, c->type, gen_below(&c->g, 5));
    a->is_known = 1;
}

static void items_body(items *c)
{
    static const char *const scopes[] = { "global", "global", "global", "global",
                                          "local",  "local",  "local",  "shared" };
    int k, kernels = 1 + gen_below(&c->g, 3), tops = gen_below(&c->g, 3), in_loop = 0;
    for (k = 0; k < tops; k++) {
        const char *scope = scopes[gen_below(&c->g, 8)];
        if (gen_chance(&c->g, 60)) items_declare(c, ITEMS_ROWS, scope);
    }
    for (k = 0; k < kernels; k++) {
        if (!in_loop && gen_chance(&c->g, 15)) {
            in_loop = 1;
            strcpy(c->serial, "o");
            c->serial_extent = 2;
            items_begin(c);
            gen_put(&c->g, "for (o: 2) {\n");
            c->depth++;
        }
        if (gen_chance(&c->g, 15)) items_plain(c);
        else items_kernel(c);
    }
    if (in_loop) {
        c->depth--;
        gen_put(&c->g, "    }\n");
        *c->serial = '\0';
    }
}

static inline gen_case gen_items(uint64_t seed)
{
    static const irl_scalar  types[] = { IRL_I32, IRL_I32, IRL_U8, IRL_F32, IRL_I64 };
    static const char *const names[] = { "i32", "i32", "u8", "f32", "i64" };
    static const char *const params[] = { "x", "y" };
    gen_case made;
    items    c;
    int      k, which;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0x17e5);
    which = gen_below(&c.g, 5);
    c.type = names[which];
    c.groups = 1 << gen_below(&c.g, 3);
    c.dims = 1 + gen_below(&c.g, 3);
    c.count = 1;
    for (k = 0; k < c.dims; k++) {
        c.extent[k] = gen_chance(&c.g, 40) && k ? c.extent[k - 1] : 1 + gen_below(&c.g, 4);
        c.axis[k] = k;
        c.count *= c.extent[k];
    }
    for (k = 0; k < c.dims; k++) {
        const int with = gen_below(&c.g, c.dims), axis = c.axis[k];
        c.axis[k] = c.axis[with];
        c.axis[with] = axis;
    }
    c.has_n = gen_chance(&c.g, 20);
    c.n = gen_below(&c.g, c.count + 1);
    for (k = 0; k < 2; k++) {
        items_array *a = &c.array[c.arrays++];
        strcpy(a->name, params[k]);
        a->form = ITEMS_ROWS;
        a->scope = "global";
        a->is_known = 1;
    }
    gen_put(&c.g, "func items(x: %s[%d, %d], y: %s[%d, %d]%s) {\n", c.type, c.groups, c.count,
            c.type, c.groups, c.count, c.has_n ? ", n: index" : "");
    c.depth = 1;
    items_body(&c);
    gen_put(&c.g, "}\n");
    gen_case_param(&made, "x", types[which], 2, c.groups, c.count);
    gen_case_param(&made, "y", types[which], 2, c.groups, c.count);
    if (c.has_n) gen_case_param(&made, "n", IRL_INDEX, 0, c.n, 0);
    made.text = c.g.text;
    return made;
}

#endif
