/* generate_races.h - functions of which about half race: views of every kind of one memory, whose
   elements have other types, strides, offsets, vectors, bits, in loops that are parallel,
   vectorized or bound; shared memory with barriers at any place of serial loops.

   needs     random64.h
   promises  numbers alone decide which cells are touched; every index lies in its buffer */
#ifndef IRL_GENERATE_RACES_H
#define IRL_GENERATE_RACES_H

#include <stdarg.h>

enum { RACES_BYTES = 128, RACES_ITEMS = 256, RACES_VIEWS = 4 };

typedef struct races_view {
    char        name[8];
    const char *type;     /* of a value */
    int         elements; /* that an index may be */
    int         columns;  /* of two axes; 0: there is one */
} races_view;

typedef struct races_var {
    const char *name;
    int         extent;
} races_var;

typedef struct races {
    char       text[4096];
    size_t     used;
    int        view_count, var_count;
    races_view view[RACES_VIEWS];
    races_var  var[6];
    int        is_unsure;   /* whether a barrier is passed depends on an iteration, or on n */
    int        has_bits;    /* iterations that write bits of one byte may be refused */
    int        is_one_loop; /* one loop of the function has all the iterations, loop 0 */
    int        has_n;
    int        axes;        /* of a group */
    int        is_careful;  /* most accesses are an iteration's own, most stores have a barrier */
} races;

static void races_put(races *c, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    c->used += (size_t)vsnprintf(c->text + c->used, sizeof c->text - c->used, format, list);
    va_end(list);
}

/* ------------------------------------------------------------------ views */

typedef struct races_type {
    const char *element, *value;
    int         bits;
} races_type;

static const races_type races_types[] = {
    { "u8", "u8", 8 },      { "i16", "i16", 16 },   { "i32", "i32", 32 },
    { "u4", "u8", 4 },      { "u2", "u8", 2 },      { "i32x4", "i32x4", 128 },
    { "u8x4", "u8x4", 32 }, { "i16x2", "i16x2", 32 }
};

static races_view *races_name(races *c, const char *name, const races_type *t, int elements)
{
    races_view *v = &c->view[c->view_count++];
    snprintf(v->name, sizeof v->name, "%s", name);
    v->type = t->value;
    v->elements = elements;
    v->columns = 0;
    return v;
}

/* Another name for `bytes` bytes of `data`. */
static void races_declare(races *c, const char *data, const char *scope, int bytes, int most)
{
    const races_type *t = &races_types[random_below(most)];
    char              name[8];
    const int         all = bytes * 8 / t->bits, step = t->bits < 8 ? t->bits : 1;
    int               n = all, by;
    races_view       *v;
    snprintf(name, sizeof name, "V%d", c->view_count);
    c->has_bits |= t->bits < 8;
    races_put(c, "decl %s: %s[", name, t->element);
    switch (random_below(5)) {
    case 0:
        by = 1 + random_below(3);
        n = all / (by + 1);
        races_put(c, "%d] strides(%d)", n, (by + 1) * step);
        v = races_name(c, name, t, n);
        break;
    case 1:
        by = 1 + random_below(all / 2);
        n = all - by;
        races_put(c, "%d] strides(%d) offset(%d)", n, step, by * step);
        v = races_name(c, name, t, n);
        break;
    case 2:
        if (all >= 4) {
            by = all >= 8 && random_below(2) ? 4 : 2;
            races_put(c, "%d, %d]", all / by, by);
            v = races_name(c, name, t, all / by * by);
            v->columns = by;
            break;
        } /* fall through */
    default:
        races_put(c, "%d]", n);
        v = races_name(c, name, t, n);
    }
    if (t->bits < 8 && random_below(2)) races_put(c, " bits(msb)");
    races_put(c, " data(%s)%s; ", data, scope);
}

/* ------------------------------------------------------------------ indices */

static const races_var *races_any_var(const races *c)
{
    return &c->var[c->var_count - 1 - (random_below(3) ? 0 : random_below(c->var_count))];
}

/* A number of the loops' variables, and the least that is above it. */
static int races_number(races *c, char *out, size_t size)
{
    const races_var *x = races_any_var(c), *y = &c->var[0];
    const int        by = 1 + random_below(3), plus = random_below(4);
    int              k, last, n, used;
    switch (random_below(c->is_careful ? 50 : 9)) {
    case 0: snprintf(out, size, "%d", plus); return plus + 1;
    case 1: snprintf(out, size, "%s / %d", x->name, by + 1); return x->extent;
    case 2: snprintf(out, size, "%s %% %d", x->name, by + 1); return by + 1;
    case 3: snprintf(out, size, "%d - %s", x->extent - 1, x->name); return x->extent;
    case 4: snprintf(out, size, "%s * %d + %d", x->name, by, plus);
            return x->extent * by + plus;
    case 5: snprintf(out, size, "%s + %s", x->name, y->name); return x->extent + y->extent;
    default: /* all of them, as digits; in a group, mostly those of its work-items */
        k = c->axes && random_below(4);
        last = k ? k + c->axes : c->var_count;
        used = snprintf(out, size, "%.*s%s", last - k - 1, "((((((", c->var[k].name);
        for (n = c->var[k].extent; ++k < last; n *= c->var[k].extent)
            used += snprintf(out + used, size - (size_t)used, ") * %d + %s", c->var[k].extent,
                             c->var[k].name);
        return n;
    }
}

static void races_index(races *c, const races_view *v)
{
    char      at[200], in[240];
    const int n = races_number(c, at, sizeof at);
    snprintf(in, sizeof in, n > v->elements ? "(%s) %% %d" : "%s", at, v->elements);
    if (v->columns) races_put(c, "(%s) / %d, (%s) %% %d", in, v->columns, in, v->columns);
    else races_put(c, "%s", in);
}

static void races_access(races *c, const races_view *v)
{
    races_put(c, "%s[", v->name);
    races_index(c, v);
    races_put(c, "]");
}

static void races_value(races *c, const char *type)
{
    const int         any = c->is_careful && random_below(4) ? c->view_count - 1
                                                             : random_below(c->view_count);
    const races_view *v = &c->view[any];
    const races_var  *x = races_any_var(c);
    const int         is_vector = strchr(type, 'x') != NULL;
    if (random_below(3) && (strcmp(v->type, type) == 0 || (!is_vector && !strchr(v->type, 'x')))) {
        if (strcmp(v->type, type) != 0) races_put(c, "%s(", type);
        races_access(c, v);
        if (strcmp(v->type, type) != 0) races_put(c, ")");
    } else if (is_vector)
        races_put(c, "broadcast(%.*s(%s), %s)", (int)(strchr(type, 'x') - type), type, x->name,
                  strchr(type, 'x') + 1);
    else
        races_put(c, "%s(%s)", type, x->name);
}

static void races_store(races *c)
{
    const races_view *v = &c->view[c->is_careful ? c->view_count - 1 : random_below(c->view_count)];
    const races_var  *x = races_any_var(c);
    switch (random_below(9)) {
    case 0: races_put(c, "if (%s > %d) ", x->name, random_below(x->extent)); break;
    case 1: races_put(c, "if (%s == %d) ", x->name, random_below(x->extent)); break;
    case 2: races_put(c, "if (%s %% 2 == %d) ", x->name, random_below(2)); break;
    default: break;
    }
    races_access(c, v);
    races_put(c, " = ");
    races_value(c, v->type);
    races_put(c, "; ");
}

static void races_open(races *c, const char *kind, const char *name, int extent)
{
    races_put(c, "for %s%s(%s: %d) ", kind, kind[0] ? " " : "", name, extent);
    c->var[c->var_count].name = name;
    c->var[c->var_count++].extent = extent;
}

/* ------------------------------------------------------------------ loops over one memory */

static void races_loops(races *c)
{
    static const char *const kinds[] = { "parallel", "vectorized", "parallel", "bind(global.x)" };
    const int                kind = random_below(4);
    int                      k;
    if (random_below(3) == 0) races_open(c, "", "o", 2), c->is_one_loop = 0;
    if (c->has_n) {
        races_put(c, "for %s (i: n) ", kinds[kind]);
        c->var[c->var_count].name = "i";
        c->var[c->var_count++].extent = 6;
    } else races_open(c, kinds[kind], "i", 2 + random_below(7));
    if (kind == 2 || (kind == 3 && random_below(2))) {
        races_open(c, kind == 2 ? "parallel" : "bind(global.y)", "j", 2 + random_below(3));
        c->is_one_loop = 0;
    } else if (random_below(4) == 0) races_open(c, "", "k", 1 + random_below(3));
    races_put(c, "{ ");
    if (random_below(5) == 0) { /* a part of the memory, in a block */
        const races_view *v = &c->view[0];
        races_put(c, "block b(v: %s(%d) = %s) { match m: %s[2] = %s[v: 2]; m[%d] = ",
                  random_below(2) ? "spatial" : "reduce", c->var[c->var_count - 1].extent,
                  c->var[c->var_count - 1].name, v->type, v->name, random_below(2));
        races_value(c, v->type);
        races_put(c, "; } ");
    }
    for (k = random_below(2); k >= 0; k--) races_store(c);
    races_put(c, "} ");
}

/* ------------------------------------------------------------------ groups */

static void races_wait(races *c, const char *loop)
{
    if (loop && random_below(8) == 0) {
        races_put(c, "if (%s > 0) ", loop);
        c->is_unsure = 1;
    }
    races_put(c, "barrier(shared); ");
}

static void races_phases(races *c, const char *loop)
{
    int k;
    if (random_below(3) == 0 || c->is_careful) races_wait(c, loop);
    for (k = random_below(3); k >= 0; k--) {
        if (random_below(5) == 0) {
            races_open(c, "", "q", 1 + random_below(3));
            races_put(c, "{ ");
            races_store(c);
            if (random_below(2) || c->is_careful) races_wait(c, NULL);
            if (random_below(2)) races_store(c);
            races_put(c, "} ");
            c->var_count--;
        } else races_store(c);
        if (random_below(c->is_careful ? 8 : 2)) races_wait(c, loop);
    }
}

static void races_groups(races *c)
{
    static const races_type own = { "i32", "i32", 32 };
    const int               items = random_below(2) ? 4 : 8, two = random_below(4) == 0;
    races_view y;
    memset(&y, 0, sizeof y);
    strcpy(y.name, "y");
    c->is_one_loop = 0;
    c->axes = 1 + two;
    races_open(c, "bind(group.x)", "g", 1 + random_below(2));
    races_put(c, "{ alloc s: i32[%d] scope(shared); ", items * (two ? 2 : 1));
    races_name(c, "s", &own, items * (two ? 2 : 1));
    if (two) races_open(c, "bind(local.y)", "m", 2);
    races_open(c, "bind(local.x)", "l", items);
    races_put(c, "{ s[%s] = 1; barrier(shared); ", two ? "m + l * 2" : "l");
    if (random_below(2)) races_declare(c, "s", " scope(shared)", items * 4, 3);
    if (random_below(3)) {
        races_open(c, "", "it", 2 + random_below(2));
        races_put(c, "{ ");
        races_phases(c, "it");
    } else {
        races_put(c, "{ ");
        races_phases(c, NULL);
    }
    c->axes = 0; /* of all groups */
    y.elements = RACES_ITEMS;
    races_access(c, &y);
    races_put(c, " = ");
    c->axes = 1 + two;
    races_access(c, &c->view[0]);
    races_put(c, "; ");
    races_put(c, "} } } ");
}

static void races_make(races *c)
{
    const races_type *t = &races_types[random_below(3)];
    int               k, most = (int)(sizeof races_types / sizeof races_types[0]);
    memset(c, 0, sizeof *c);
    c->is_one_loop = 1;
    c->is_careful = random_below(4) > 0;
    c->has_n = c->is_unsure = random_below(8) == 0;
    races_put(c, "func f(n: index, A: %s[%d], y: i32[%d]) { ", t->element,
              RACES_BYTES * 8 / t->bits, RACES_ITEMS);
    if (random_below(3) == 0) {
        c->has_n = c->is_unsure = 0;
        races_groups(c);
    } else {
        races_name(c, "A", t, RACES_BYTES * 8 / t->bits);
        for (k = random_below(4); k > 0; k--) races_declare(c, "A", "", RACES_BYTES, most);
        races_loops(c);
    }
    races_put(c, "}");
}

#endif
