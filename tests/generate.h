/* generate.h - functions made at random for the property tests; generate_data.h has the data that they run on.

   needs     irlayout.h and, in the split build, src/ir/ir.h and src/eval/eval.h before it
   promises  a seed gives the same function and data on every machine. By construction the function has no access out of
             range, no race, no read of what was not written, and results that two implementations must agree on:

   - Integers wrap, so any arithmetic will do; divisors are never 0 or -1, shift distances are below the width.
   - What has one right answer in floating point (sums, products, fma, rounding, comparison, conversion) may be computed
     with. It stays small and away from subnormal numbers: at most GEN_PRODUCTS products in an expression, and what is
     stored is clamped, or marked wide and clamped when it is read.
   - What may differ by some units in the last place (division, roots, functions, rounding to 16 bits) is stored, and from
     there on only copied. gen_param.ulp says how far it may be off.

   How it is made: a function is a sequence of stages. Each defines all of one tensor, an output or a temporary, from the
   tensors that are defined already, in one of the ways of gen_stage. */
#ifndef IRL_GENERATE_H
#define IRL_GENERATE_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GEN_PARAMS = 8, GEN_TENSORS = 32, GEN_AXES = 4, GEN_NAMES = 16, GEN_ATOMS = 16, GEN_PRODUCTS = 2, GEN_LOOPS = 8 };

/* What a caller wants of the functions; zero is the default. */
typedef struct gen_options {
    int for_device;   /* 1: no separators, which make a rank that an OpenCL buffer has not, and constant extents inside kernels */
    int stages;       /* most stages (4) */
    int cells;        /* most elements of a tensor (320) */
} gen_options;

typedef struct gen_param {
    char       name[8];
    irl_scalar type;
    int        is_buffer, rank, extent[GEN_AXES];
    int        ulp;   /* how many units a device may be off */
    int64_t    value; /* of a scalar */
} gen_param;

typedef struct gen_case {
    char     *text; /* of the function */
    uint64_t  seed;
    int       param_count;
    gen_param params[GEN_PARAMS];
} gen_case;

/* ------------------------------------------------------------------ state */

/* A short text: a name, an index, an extent. */
typedef char gen_words[192];

typedef struct gen_axis {
    int  extent;
    char text[16]; /* a number, or in terms of n */
} gen_axis;

typedef struct gen_tensor {
    char       name[8];
    irl_scalar type;
    int        rank;
    gen_axis   axis[GEN_AXES];
    int        memory;     /* number; an alias has that of what it views */
    int        is_param, is_defined, is_written;
    int        is_input;   /* holds the caller's data still */
    int        is_fixed;   /* an alias, strides, or vectors: no layout */
    int        is_wide;    /* floats beyond 64 */
    int        ulp;        /* not 0: only to be copied */
    char       attributes[64]; /* how it lies in memory: strides, offset, separators, alignment */
} gen_tensor;

/* An index expression that is in scope, from 0 below an extent. */
typedef struct gen_atom {
    gen_words text;
    int       extent;
} gen_atom;

/* A scalar that is in scope. */
typedef struct gen_name {
    char       text[8];
    irl_scalar type;
} gen_name;

typedef struct gen {
    uint64_t    random;
    gen_options options;
    char       *text;
    size_t      length, capacity;
    int         indent;
    gen_tensor  tensors[GEN_TENSORS];
    int         tensor_count, memory_count, temp_count;
    gen_atom    atoms[GEN_ATOMS];
    int         atom_count;
    gen_name    names[GEN_NAMES];
    int         name_count, name_number;
    int         loop_number, block_number;
    int         hidden;   /* memory that is being written: not to be read; -1: none */
    int         products; /* that the current expression may still use */
    int         nesting;  /* of loads in indices */
    int         n, m;     /* the values of the parameter n, and of the let m; 0: there is none */
} gen;

/* ------------------------------------------------------------------ randomness and text */

/* Splitmix: any seed is good, also 0, 1, 2. */
static uint64_t gen_next(gen *g)
{
    uint64_t z = (g->random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int gen_below(gen *g, int n) { return n <= 1 ? 0 : (int)(gen_next(g) % (uint64_t)n); }
static int gen_chance(gen *g, int percent) { return gen_below(g, 100) < percent; }
static int gen_between(gen *g, int lo, int hi) { return lo + gen_below(g, hi - lo + 1); }

static void *gen_kept(void *memory)
{
    if (memory) return memory;
    printf("the test is out of memory\n");
    exit(1);
}

static void gen_put(gen *g, const char *format, ...)
{
    va_list list;
    int     n;
    for (;;) {
        va_start(list, format);
        n = vsnprintf(g->text + g->length, g->capacity - g->length, format, list);
        va_end(list);
        if (g->length + (size_t)n < g->capacity) break;
        g->capacity = g->capacity * 2 + (size_t)n + 1;
        g->text = (char *)gen_kept(realloc(g->text, g->capacity));
    }
    g->length += (size_t)n;
}

/* A line is one statement or one brace, which is what the shrinker takes away. */
static void gen_begin(gen *g) { gen_put(g, "%*s", 4 * g->indent, ""); }
static void gen_end(gen *g) { gen_put(g, ";\n"); }
static void gen_open_brace(gen *g)
{
    gen_put(g, " {\n");
    g->indent++;
}
static void gen_close_brace(gen *g)
{
    g->indent--;
    gen_begin(g);
    gen_put(g, "}\n");
}

static void gen_say_list(char *to, size_t at, const char *format, va_list list) { vsnprintf(to + at, sizeof(gen_words) - at, format, list); }

static void gen_say(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    gen_say_list(to, 0, format, list);
    va_end(list);
}

static void gen_say_more(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    gen_say_list(to, strlen(to), format, list);
    va_end(list);
}

/* ------------------------------------------------------------------ types */

typedef struct gen_type {
    const char *text;
    char        kind; /* b bool, i signed, u unsigned, f float, h 16 bits of storage */
    int         bits;
} gen_type;

/* In the order of irl_scalar. */
static const gen_type gen_types[] = { { "bool", 'b', 1 },   { "i8", 'i', 8 },   { "i16", 'i', 16 }, { "i32", 'i', 32 }, { "i64", 'i', 64 },
                                      { "u8", 'u', 8 },     { "u16", 'u', 16 }, { "u32", 'u', 32 }, { "u64", 'u', 64 }, { "f16", 'h', 16 },
                                      { "bf16", 'h', 16 },  { "f32", 'f', 32 }, { "f64", 'f', 64 }, { "index", 'x', 64 } };

static const char *gen_text(irl_scalar t) { return gen_types[t].text; }
static int gen_is(irl_scalar t, const char *kinds) { return strchr(kinds, gen_types[t].kind) != NULL; }

static irl_scalar gen_some_type(gen *g)
{
    static const unsigned char often[] = { IRL_F32, IRL_F32, IRL_F32, IRL_I32, IRL_I32, IRL_F16, IRL_U8, IRL_F64 };
    return (irl_scalar)(gen_chance(g, 60) ? often[gen_below(g, 8)] : gen_below(g, (int)IRL_F64 + 1));
}

/* ------------------------------------------------------------------ shapes and tensors */

static int gen_some_extent(gen *g)
{
    static const int extents[] = { 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 13, 16, 17, 31, 63, 64 };
    if (g->options.cells > 5000 && gen_chance(g, 60)) return 8 << gen_below(g, 3);
    return extents[gen_below(g, (int)(sizeof extents / sizeof *extents))];
}

static gen_axis gen_constant_axis(int extent)
{
    gen_axis a;
    a.extent = extent;
    snprintf(a.text, sizeof a.text, "%d", extent);
    return a;
}

/* An axis that is n, or made of it; or m, which a let of the body makes of it. */
static gen_axis gen_symbolic_axis(gen *g)
{
    gen_axis a;
    int      form = gen_below(g, 6);
    if (g->m && gen_chance(g, 30)) {
        a.extent = g->m;
        strcpy(a.text, "m");
        return a;
    }
    a.extent = form == 0 ? g->n + 1 : form == 1 ? 2 * g->n : g->n;
    strcpy(a.text, form == 0 ? "(n + 1)" : form == 1 ? "(n * 2)" : "n");
    return a;
}

static void gen_shape(gen *g, gen_tensor *t)
{
    int k, cells = 1;
    t->rank = gen_chance(g, 4) ? 0 : gen_between(g, 1, gen_chance(g, 30) ? 4 : 3);
    for (k = 0; k < t->rank; k++) {
        gen_axis a = g->n && gen_chance(g, 40) ? gen_symbolic_axis(g) : gen_constant_axis(gen_some_extent(g));
        while (cells * a.extent > g->options.cells) a = gen_constant_axis(gen_between(g, 1, 3));
        if (cells * a.extent > g->options.cells) a = gen_constant_axis(1);
        cells *= a.extent;
        t->axis[k] = a;
    }
}

static gen_tensor *gen_tensor_new(gen *g, const char *prefix, int number)
{
    gen_tensor *t = &g->tensors[g->tensor_count++];
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, "%s%d", prefix, number);
    t->type = gen_some_type(g);
    t->memory = g->memory_count++;
    /* the shape of a tensor that is there, more often than a new one: then there is something to combine */
    if (g->tensor_count > 1 && gen_chance(g, 55)) {
        const gen_tensor *like = &g->tensors[gen_below(g, g->tensor_count - 1)];
        t->rank = like->rank;
        memcpy(t->axis, like->axis, sizeof t->axis);
    } else gen_shape(g, t);
    return t;
}

static int gen_cells(const gen_tensor *t)
{
    int k, cells = 1;
    for (k = 0; k < t->rank; k++) cells *= t->axis[k].extent;
    return cells;
}

static int gen_axis_is_symbolic(const gen_axis *a) { return a->text[0] < '0' || a->text[0] > '9'; }

static int gen_is_symbolic(const gen_tensor *t)
{
    int k;
    for (k = 0; k < t->rank; k++)
        if (gen_axis_is_symbolic(&t->axis[k])) return 1;
    return 0;
}

static void gen_put_shape(gen *g, const gen_tensor *t)
{
    int k;
    gen_put(g, "%s: %s[", t->name, gen_text(t->type));
    for (k = 0; k < t->rank; k++) gen_put(g, "%s%s", k ? ", " : "", t->axis[k].text);
    gen_put(g, "]");
}

/* Now and then a tensor says itself how it lies in memory; then it gets no layout. */
static void gen_attributes(gen *g, gen_tensor *t)
{
    char  *at = t->attributes;
    size_t room = sizeof t->attributes;
    int    k, strides[GEN_AXES], stride = 1;
    if (t->rank && !gen_is_symbolic(t) && gen_chance(g, 10)) {
        for (k = t->rank; k-- > 0;) {
            strides[k] = stride;
            stride = stride * t->axis[k].extent + gen_below(g, 3);
        }
        for (k = 0; k < t->rank; k++) snprintf(at + strlen(at), room - strlen(at), "%s%d", k ? ", " : " strides(", strides[k]);
        snprintf(at + strlen(at), room - strlen(at), ")");
        if (gen_chance(g, 50)) snprintf(at + strlen(at), room - strlen(at), " offset(%d)", gen_between(g, 1, 9));
    } else if (t->rank > 1 && !g->options.for_device && gen_chance(g, 10)) snprintf(at, room, " sep(%d)", gen_between(g, 1, t->rank - 1));
    t->is_fixed = at[0] != '\0';
    if (gen_chance(g, 8)) snprintf(at + strlen(at), room - strlen(at), " align(%d)", 8 << gen_below(g, 4));
}

static void gen_put_alloc(gen *g, const gen_tensor *t)
{
    gen_begin(g);
    gen_put(g, "alloc ");
    gen_put_shape(g, t);
    gen_put(g, "%s;\n", t->attributes);
}

/* A tensor that may be read, of these kinds of type (or of one type), exact or not; NULL if there is none. */
static gen_tensor *gen_some_tensor(gen *g, const char *kinds, int type, int inexact_too)
{
    gen_tensor *found[GEN_TENSORS];
    int         k, n = 0;
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *t = &g->tensors[k];
        if (!t->is_defined || t->memory == g->hidden || (t->ulp && !inexact_too)) continue;
        if (kinds ? !gen_is(t->type, kinds) : (int)t->type != type) continue;
        found[n++] = t;
    }
    return n ? found[gen_below(g, n)] : NULL;
}

/* ------------------------------------------------------------------ indices */

static void gen_atom_add(gen *g, const char *text, int extent)
{
    if (g->atom_count == GEN_ATOMS) return;
    gen_say(g->atoms[g->atom_count].text, "%s", text);
    g->atoms[g->atom_count++].extent = extent;
}

static const gen_atom *gen_some_atom(gen *g) { return g->atom_count ? &g->atoms[gen_below(g, g->atom_count)] : NULL; }

static const gen_atom *gen_atom_of_extent(gen *g, int extent)
{
    int k, first = gen_below(g, g->atom_count);
    for (k = 0; k < g->atom_count; k++) {
        const gen_atom *a = &g->atoms[(first + k) % g->atom_count];
        if (a->extent == extent) return a;
    }
    return NULL;
}

static void gen_load(gen *g, gen_tensor *t);

/* index(data % extent): an index that depends on data. */
static int gen_gather(gen *g, const gen_axis *axis)
{
    gen_tensor *t = g->nesting || axis->extent > 100 || gen_axis_is_symbolic(axis) ? NULL : gen_some_tensor(g, "iu", 0, 0);
    if (!t) return 0;
    g->nesting++;
    gen_put(g, gen_chance(g, 50) ? "(" : "index(");
    gen_load(g, t);
    gen_put(g, " %% %s(%d))", gen_text(t->type), axis->extent);
    g->nesting--;
    return 1;
}

/* Any index from 0 below the axis's extent. */
static void gen_index(gen *g, const gen_axis *axis)
{
    const gen_atom *a = gen_atom_of_extent(g, axis->extent), *b = gen_some_atom(g);
    int             c = gen_between(g, 1, 3), way = gen_below(g, 100);
    if (a && way < 60) {
        gen_put(g, "%s", a->text);
        return;
    }
    if (way > 93 && gen_gather(g, axis)) return;
    if (!b) {
        gen_put(g, "%d", gen_below(g, axis->extent));
        return;
    }
    if (b->extent <= axis->extent) {
        switch (way % 5) {
        case 0: gen_put(g, "%s", b->text); return;
        case 1: gen_put(g, "%s - 1 - (%s)", axis->text, b->text); return;
        case 2: gen_put(g, "min(%s + %d, %s - 1)", b->text, c, axis->text); return;
        case 3: gen_put(g, "max(%s - %d, 0)", b->text, c); return;
        default: break;
        }
    } else if (way % 3 == 0) {
        gen_put(g, "(%s) / %d", b->text, (b->extent + axis->extent - 1) / axis->extent);
        return;
    }
    switch (way % 7) {
    case 0: gen_put(g, "%d", gen_below(g, axis->extent)); break;
    case 1: gen_put(g, "(%s - %d) %% %s", b->text, 2 * c, axis->text); break;
    case 2: gen_put(g, "((%s) * %d + %d) %% %s", b->text, c, c + 1, axis->text); break;
    case 3: gen_put(g, "(%s + %s) %% %s", b->text, gen_some_atom(g)->text, axis->text); break;
    case 4: gen_put(g, "(%d - (%s)) %% %s", c, b->text, axis->text); break;
    default: gen_put(g, "(%s) %% %s", b->text, axis->text); break;
    }
}

static void gen_load(gen *g, gen_tensor *t)
{
    int k;
    gen_put(g, "%s[", t->name);
    for (k = 0; k < t->rank; k++) {
        gen_put(g, k ? ", " : "");
        gen_index(g, &t->axis[k]);
    }
    gen_put(g, "]");
}

/* A condition on indices. */
static void gen_index_condition(gen *g)
{
    const gen_atom *a = gen_some_atom(g), *b = gen_some_atom(g);
    if (!a) {
        gen_put(g, "true");
        return;
    }
    switch (gen_below(g, 4)) {
    case 0: gen_put(g, "(%s < %d)", a->text, gen_between(g, 0, a->extent)); break;
    case 1: gen_put(g, "((%s + %s) %% 2 == 0)", a->text, b->text); break;
    case 2: gen_put(g, "(%s >= %s)", a->text, b->text); break;
    default: gen_put(g, "(%s != %d)", a->text, gen_below(g, a->extent)); break;
    }
}

/* ------------------------------------------------------------------ exact values */

static void gen_value(gen *g, irl_scalar type, int depth);
static void gen_bool(gen *g, int depth);

static void gen_constant(gen *g, irl_scalar t)
{
    int small = gen_between(g, -16, 16);
    if (t == IRL_BOOL) gen_put(g, small & 1 ? "true" : "false");
    else if (gen_is(t, "i")) gen_put(g, "%s(%d)", gen_text(t), gen_chance(g, 10) ? -100 : small);
    else if (gen_is(t, "u")) gen_put(g, "%s(%d)", gen_text(t), gen_chance(g, 10) ? 200 : abs(small));
    else if (t == IRL_F32 && gen_chance(g, 30)) gen_put(g, "%g.0f", (double)small);
    else gen_put(g, "%s(%g)", gen_text(t), small / (double)(1 << gen_below(g, 4)));
}

/* A float that was loaded, no larger than 64. */
static void gen_load_float(gen *g, gen_tensor *t)
{
    if (t->is_wide) gen_put(g, "rint(min(max(");
    gen_load(g, t);
    if (t->is_wide) gen_put(g, ", -64.0), 64.0))");
}

/* An integer or bool tensor's element as a small number of type `to`. */
static void gen_load_converted(gen *g, gen_tensor *t, irl_scalar to)
{
    int is_float = gen_is(to, "f");
    gen_put(g, "%s(", gen_text(to));
    if (gen_is(t->type, "fh")) {
        /* to an integer: 16-bit storage is widened first, and what cannot be negative is made positive */
        gen_put(g, gen_is(to, "u") ? "abs(" : "(");
        if (is_float) gen_load_float(g, t);
        else {
            gen_put(g, "rint(min(max(");
            if (gen_is(t->type, "h")) gen_put(g, "f32(");
            gen_load(g, t);
            gen_put(g, gen_is(t->type, "h") ? "), -60.0), 60.0))" : ", -60.0), 60.0))");
        }
        gen_put(g, ")");
    } else {
        gen_load(g, t);
        if (is_float && t->type != IRL_BOOL) gen_put(g, " %% %s(61)", gen_text(t->type));
    }
    gen_put(g, ")");
}

static const gen_name *gen_some_name(gen *g, irl_scalar t)
{
    int k, first = gen_below(g, g->name_count);
    for (k = 0; k < g->name_count; k++)
        if (g->names[(first + k) % g->name_count].type == t) return &g->names[(first + k) % g->name_count];
    return NULL;
}

static void gen_leaf(gen *g, irl_scalar t)
{
    gen_tensor     *same = gen_some_tensor(g, NULL, (int)t, 0), *other = gen_some_tensor(g, "biufh", 0, 0);
    const gen_name *name = gen_some_name(g, t);
    const gen_atom *atom = gen_some_atom(g);
    int             way = gen_below(g, 100);
    if (name && way < 15) gen_put(g, "%s", name->text);
    else if (same && way < 65) gen_load_float(g, same);
    else if (other && t != IRL_BOOL && way < 80) gen_load_converted(g, other, t);
    else if (atom && t != IRL_BOOL && way < 90) gen_put(g, "%s(%s)", gen_text(t), atom->text);
    else gen_constant(g, t);
}

static void gen_comparison(gen *g, int depth)
{
    static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=" };
    irl_scalar               t = (irl_scalar)gen_between(g, (int)IRL_I8, (int)IRL_F64);
    if (gen_is(t, "h")) t = IRL_F32;
    gen_put(g, "(");
    gen_value(g, t, depth - 1);
    gen_put(g, " %s ", signs[gen_below(g, 6)]);
    gen_value(g, t, depth - 1);
    gen_put(g, ")");
}

/* name[i + d, ...] > 0 where i + d is in range, and only there. */
static int gen_guarded_load(gen *g, irl_scalar type, const char *before, const char *between)
{
    gen_tensor     *t = gen_some_tensor(g, NULL, (int)type, 0);
    const gen_atom *a;
    int             axis, k, d = gen_between(g, -2, 2);
    if (!t || t->rank == 0) return 0;
    axis = gen_below(g, t->rank);
    a = gen_some_atom(g);
    if (!a) return 0;
    gen_put(g, "%s(%s + %d >= 0 && %s + %d < %s)%s", before, a->text, d, a->text, d, t->axis[axis].text, between);
    if (t->is_wide) gen_put(g, "rint(min(max(");
    gen_put(g, "%s[", t->name);
    for (k = 0; k < t->rank; k++) {
        gen_put(g, k ? ", " : "");
        if (k == axis) gen_put(g, "%s + %d", a->text, d);
        else gen_index(g, &t->axis[k]);
    }
    gen_put(g, "]");
    if (t->is_wide) gen_put(g, ", -64.0), 64.0))");
    return 1;
}

static void gen_bool(gen *g, int depth)
{
    static const char *const signs[] = { "&&", "||", "&&", "&", "|", "^", "==" };
    if (depth <= 0) {
        if (gen_chance(g, 50)) gen_index_condition(g);
        else gen_leaf(g, IRL_BOOL);
        return;
    }
    switch (gen_below(g, 6)) {
    case 0:
        gen_put(g, "!(");
        gen_bool(g, depth - 1);
        gen_put(g, ")");
        break;
    case 1:
    case 2:
        gen_put(g, "(");
        gen_bool(g, depth - 1);
        gen_put(g, " %s ", signs[gen_below(g, 7)]);
        gen_bool(g, depth - 1);
        gen_put(g, ")");
        break;
    case 3:
        if (gen_guarded_load(g, IRL_I32, "(", " && ")) {
            gen_put(g, " > 3)");
            break;
        }
        gen_index_condition(g);
        break;
    default: gen_comparison(g, depth); break;
    }
}

/* select(c, a, b), if_then_else(c, a, b), let(v = a, b), or a load under its guard. */
static void gen_choice(gen *g, irl_scalar t, int depth)
{
    switch (gen_below(g, 4)) {
    case 0:
    case 1:
        gen_put(g, gen_chance(g, 50) ? "select(" : "if_then_else(");
        gen_bool(g, depth - 1);
        gen_put(g, ", ");
        gen_value(g, t, depth - 1);
        gen_put(g, ", ");
        gen_value(g, t, depth - 1);
        gen_put(g, ")");
        break;
    case 2:
        if (g->nesting == 0 && g->name_count < GEN_NAMES) {
            gen_name *v;
            gen_words text;
            gen_say(text, "v%d", g->name_number++);
            gen_put(g, "let(%s = ", text);
            gen_value(g, t, depth - 1);
            gen_put(g, ", ");
            v = &g->names[g->name_count++];
            snprintf(v->text, sizeof v->text, "%.7s", text);
            v->type = t;
            gen_value(g, t, depth - 1);
            g->name_count--;
            gen_put(g, ")");
            break;
        } /* fall through */
    default:
        if (gen_guarded_load(g, t, "if_then_else(", ", ")) {
            gen_put(g, ", ");
            gen_value(g, t, depth - 1);
            gen_put(g, ")");
        } else gen_leaf(g, t);
        break;
    }
}

static void gen_binary(gen *g, irl_scalar t, int depth, const char *sign)
{
    gen_put(g, "(");
    gen_value(g, t, depth - 1);
    gen_put(g, " %s ", sign);
    gen_value(g, t, depth - 1);
    gen_put(g, ")");
}

static void gen_call(gen *g, irl_scalar t, int depth, const char *name, int arity)
{
    int k;
    gen_put(g, "%s(", name);
    for (k = 0; k < arity; k++) {
        gen_put(g, k ? ", " : "");
        gen_value(g, t, depth - 1);
    }
    gen_put(g, ")");
}

/* A divisor that is neither 0 nor -1. */
static void gen_divisor(gen *g, irl_scalar t)
{
    const char *type = gen_text(t);
    if (gen_chance(g, 50)) gen_put(g, "%s(%d)", type, gen_is(t, "i") && gen_chance(g, 40) ? gen_between(g, -9, -2) : gen_between(g, 1, 9));
    else {
        gen_put(g, "((");
        gen_leaf(g, t);
        if (gen_is(t, "i") && gen_chance(g, 40)) gen_put(g, " %% %s(5)) - %s(7))", type, type);
        else gen_put(g, " %% %s(5)) + %s(1))", type, type);
    }
}

static void gen_division(gen *g, irl_scalar t, int depth)
{
    static const char *const before[] = { "(", "(", "truncdiv(", "truncmod(" };
    static const char *const between[] = { " / ", " % ", ", ", ", " };
    int                      way = gen_below(g, 4);
    gen_put(g, "%s", before[way]);
    gen_value(g, t, depth - 1);
    gen_put(g, "%s", between[way]);
    gen_divisor(g, t);
    gen_put(g, ")");
}

static void gen_shift(gen *g, irl_scalar t, int depth)
{
    const char *type = gen_text(t);
    gen_put(g, "(");
    gen_value(g, t, depth - 1);
    gen_put(g, gen_chance(g, 50) ? " << " : " >> ");
    if (gen_chance(g, 60)) gen_put(g, "%s(%d))", type, gen_below(g, gen_types[t].bits));
    else {
        gen_put(g, "(");
        gen_leaf(g, t);
        gen_put(g, " %% %s(%d)))", type, gen_types[t].bits);
    }
}

static void gen_integer(gen *g, irl_scalar t, int depth)
{
    static const char *const signs[] = { "+", "-", "*", "&", "|", "^", "+" };
    switch (gen_below(g, 12)) {
    case 0:
    case 1: gen_division(g, t, depth); break;
    case 2: gen_shift(g, t, depth); break;
    case 3: gen_call(g, t, depth, gen_chance(g, 50) ? "min" : "max", 2); break;
    case 4: gen_call(g, t, depth, gen_chance(g, 50) ? "abs" : gen_chance(g, 50) ? "~" : "-", 1); break;
    case 5:
        if (gen_chance(g, 10)) {
            gen_put(g, "lane(ramp(");
            gen_leaf(g, t);
            gen_put(g, ", %s(3), 4), (", gen_text(t));
            gen_leaf(g, t);
            gen_put(g, " %% %s(4)))", gen_text(t));
            break;
        }
        gen_put(g, "%s(", gen_text(t));
        gen_value(g, (irl_scalar)gen_between(g, (int)IRL_I8, (int)IRL_U64), depth - 1);
        gen_put(g, ")");
        break;
    case 6:
        if (t == IRL_U32 || t == IRL_I32) {
            gen_put(g, "as(%s, ", gen_text(t));
            gen_value(g, t == IRL_U32 ? IRL_I32 : IRL_U32, depth - 1);
            gen_put(g, ")");
            break;
        } /* fall through */
    case 7: gen_choice(g, t, depth); break;
    default: gen_binary(g, t, depth, signs[gen_below(g, 7)]); break;
    }
}

static void gen_float(gen *g, irl_scalar t, int depth)
{
    static const char *const rounding[] = { "floor", "ceil", "trunc", "rint" };
    int                      way = gen_below(g, 12);
    if (way < 2 && g->products <= 0) way = 4;
    if (way < 2) g->products--;
    switch (way) {
    case 0: gen_binary(g, t, depth, "*"); break;
    case 1: gen_call(g, t, depth, "fma", 3); break;
    case 2: gen_call(g, t, depth, gen_chance(g, 50) ? "min" : "max", 2); break;
    case 3: gen_call(g, t, depth, gen_chance(g, 50) ? "abs" : "-", 1); break;
    case 4: gen_call(g, t, depth, rounding[gen_below(g, 4)], 1); break;
    case 5:
    case 6: gen_choice(g, t, depth); break;
    default: gen_binary(g, t, depth, gen_chance(g, 60) ? "+" : "-"); break;
    }
}

/* A value with one right answer; floats below about 2^50. */
static void gen_value(gen *g, irl_scalar type, int depth)
{
    if (type == IRL_BOOL) gen_bool(g, depth);
    else if (depth <= 0 || gen_chance(g, 15)) gen_leaf(g, type);
    else if (gen_is(type, "f")) gen_float(g, type, depth);
    else gen_integer(g, type, depth);
}

/* ------------------------------------------------------------------ what is stored */

/* The last step of an expression of floats: a function with a tolerance. Returns its units in the last place, which are
   OpenCL's bound and one for the C library's own error. */
static int gen_inexact(gen *g, irl_scalar t)
{
    typedef struct gen_function {
        const char *before, *after;
        int         ulp;
    } gen_function;
    static const gen_function functions[] = {
        { "exp(min(max(", ", -8.0), 8.0))", 4 },    { "exp2(min(max(", ", -8.0), 8.0))", 4 }, { "log(abs(", ") + 0.5)", 4 },
        { "sqrt(abs(", "))", 4 },                   { "rsqrt(abs(", ") + 0.25)", 3 },         { "sin(min(max(", ", -3.0), 3.0))", 5 },
        { "cos(min(max(", ", -3.0), 3.0))", 5 },    { "tanh(min(max(", ", -4.0), 4.0))", 6 }, { "tan(min(max(", ", -1.0), 1.0))", 6 },
        { "log2(abs(", ") + 0.5)", 4 },             { "pow(abs(", ") + 0.5, 1.5)", 17 },      { "(1.0 / (abs(", ") + 0.75))", 4 },
    };
    const gen_function *f = &functions[gen_below(g, (int)(sizeof functions / sizeof *functions))];
    gen_put(g, "%s", f->before);
    gen_value(g, t, 2);
    gen_put(g, "%s", f->after);
    return f->ulp;
}

/* A float clamped to 64; rounded too where products have made it fine. */
static void gen_clamped(gen *g, irl_scalar t, int depth, int is_rounded)
{
    size_t start = g->length;
    char  *made;
    g->products = GEN_PRODUCTS;
    gen_value(g, t, depth);
    made = (char *)gen_kept(malloc(g->length - start + 1));
    memcpy(made, g->text + start, g->length - start + 1);
    g->length = start;
    if (g->products < GEN_PRODUCTS) is_rounded = 1;
    if (gen_chance(g, 70)) gen_put(g, is_rounded ? "rint(min(max(%s, -64.0), 64.0))" : "min(max(%s, -64.0), 64.0)", made);
    else gen_put(g, is_rounded ? "floor(max(min(%s, 60.0), -60.0))" : "max(min(%s, 60.0), -60.0)", made);
    free(made);
}

/* The value of a store into t, for which is_copy was decided for the whole nest. */
static void gen_stored(gen *g, gen_tensor *t, int depth)
{
    if (gen_is(t->type, "f")) gen_clamped(g, t->type, depth, 0);
    else if (gen_is(t->type, "h")) {
        gen_put(g, "%s(", gen_text(t->type));
        gen_clamped(g, gen_chance(g, 80) ? IRL_F32 : IRL_F64, depth, 1);
        gen_put(g, ")");
    } else gen_value(g, t->type, depth);
}

/* As gen_stored, but the result may be off by some units; t is then only to be copied. */
static void gen_stored_inexactly(gen *g, gen_tensor *t)
{
    g->products = GEN_PRODUCTS;
    if (gen_is(t->type, "h")) {
        gen_put(g, "%s(", gen_text(t->type));
        gen_clamped(g, IRL_F32, 2, 0);
        gen_put(g, ")");
        if (t->ulp < 1) t->ulp = 1;
    } else {
        int ulp = gen_inexact(g, t->type);
        if (t->ulp < ulp) t->ulp = ulp;
    }
}

/* ------------------------------------------------------------------ loops over a tensor's points */

typedef struct gen_loop {
    gen_words   name, text; /* text: of the range */
    int         min, extent;
    const char *kind;     /* NULL: not decided yet */
} gen_loop;

typedef enum gen_style { GEN_SERIAL, GEN_PARALLEL, GEN_GLOBAL, GEN_GROUPS, GEN_VECTOR, GEN_STYLES } gen_style;

typedef struct gen_nest {
    gen_loop loops[GEN_LOOPS];
    int      loop_count, first; /* loops[first..) may change places */
    gen_words place[GEN_AXES], guard;
    int      braces, atoms, names; /* to go back to */
} gen_nest;

static gen_loop *gen_loop_add(gen *g, gen_nest *nest, int min, int extent, const char *extent_text)
{
    gen_loop *l = &nest->loops[nest->loop_count++];
    gen_say(l->name, "i%d", g->loop_number++);
    l->min = min;
    l->extent = extent;
    l->kind = NULL;
    if (min) gen_say(l->text, "%d .. %s + %d", min, extent_text, min);
    else gen_say(l->text, "%s", extent_text);
    return l;
}

static void gen_guard_add(gen_nest *nest, const char *place, const gen_axis *axis)
{
    gen_say_more(nest->guard, "%s%s < %s", nest->guard[0] ? " && " : "", place, axis->text);
}

/* Two loops, outer * factor + inner; a guard where the factor does not divide. */
static void gen_tile(gen *g, gen_nest *nest, const gen_axis *axis, int factor, char *place)
{
    gen_words text;
    gen_loop *outer, *inner;
    if (gen_axis_is_symbolic(axis)) gen_say(text, "(%s + %d) / %d", axis->text, factor - 1, factor);
    else gen_say(text, "%d", (axis->extent + factor - 1) / factor);
    outer = gen_loop_add(g, nest, 0, (axis->extent + factor - 1) / factor, text);
    gen_say(text, "%d", factor);
    inner = gen_loop_add(g, nest, 0, factor, text);
    gen_say(place, "%s * %d + %s", outer->name, factor, inner->name);
    if (axis->extent % factor || gen_axis_is_symbolic(axis)) gen_guard_add(nest, place, axis);
}

/* The loops of one axis, and the expression that takes each of its values once. */
static void gen_axis_loops(gen *g, gen_nest *nest, const gen_axis *axis, int plain, char *place)
{
    int       way = plain ? 99 : gen_below(g, 100);
    gen_loop *l;
    if (way < 12 && nest->loop_count + 2 <= GEN_LOOPS - 2) {
        gen_tile(g, nest, axis, gen_between(g, 2, 5), place);
        return;
    }
    l = gen_loop_add(g, nest, way < 20 ? gen_between(g, 1, 5) : 0, axis->extent, axis->text);
    if (l->min) gen_say(place, "%s - %d", l->name, l->min);
    else if (way < 28) gen_say(place, "%s - 1 - %s", axis->text, l->name);
    else gen_say(place, "%s", l->name);
}

/* Two axes by one loop: p / extent and p % extent. */
static void gen_fused_loops(gen *g, gen_nest *nest, const gen_axis *a, const gen_axis *b, char *place_a, char *place_b)
{
    gen_words text;
    gen_loop *l;
    gen_say(text, "%s * %s", a->text, b->text);
    l = gen_loop_add(g, nest, 0, a->extent * b->extent, text);
    gen_say(place_a, "%s / %s", l->name, b->text);
    gen_say(place_b, "%s %% %s", l->name, b->text);
}

static void gen_group_kinds(gen *g, gen_nest *nest, const gen_tensor *t)
{
    int k, axis = gen_below(g, t->rank);
    gen_tile(g, nest, &t->axis[axis], gen_chance(g, 50) ? 4 : gen_between(g, 2, 8), nest->place[axis]);
    nest->loops[0].kind = " bind(group.x)";
    nest->loops[1].kind = " bind(local.x)";
    nest->first = 2;
    for (k = 0; k < t->rank; k++) {
        if (k == axis) continue;
        gen_axis_loops(g, nest, &t->axis[k], nest->first == 2, nest->place[k]);
        if (nest->first == 2 && gen_chance(g, 50)) {
            nest->loops[2].kind = gen_chance(g, 50) ? " bind(group.y)" : nest->loops[2].extent <= 8 ? " bind(local.y)" : " bind(group.y)";
            nest->first = 3;
        }
    }
}

static void gen_plan_axes(gen *g, gen_nest *nest, const gen_tensor *t, gen_style style)
{
    int k;
    if (style == GEN_GROUPS) {
        gen_group_kinds(g, nest, t);
        return;
    }
    for (k = 0; k < t->rank; k++) {
        int plain = style == GEN_GLOBAL || (style == GEN_VECTOR && k == t->rank - 1);
        if (style != GEN_GLOBAL && style != GEN_VECTOR && k + 1 < t->rank && gen_chance(g, 8)) {
            gen_fused_loops(g, nest, &t->axis[k], &t->axis[k + 1], nest->place[k], nest->place[k + 1]);
            k++;
        } else gen_axis_loops(g, nest, &t->axis[k], plain, nest->place[k]);
    }
}

static void gen_swap_loops(gen *g, gen_nest *nest, int last)
{
    int k;
    for (k = nest->first; k + 1 < last; k++) {
        int      with = gen_between(g, k, last - 1);
        gen_loop l = nest->loops[k];
        nest->loops[k] = nest->loops[with];
        nest->loops[with] = l;
    }
}

static void gen_plan_kinds(gen *g, gen_nest *nest, gen_style style)
{
    static const char *const global[] = { " bind(global.x)", " bind(global.y)", " bind(global.z)" };
    int                      n = nest->loop_count, k, some = gen_between(g, 1, n);
    if (gen_chance(g, 25)) gen_swap_loops(g, nest, style == GEN_VECTOR ? n - 1 : n);
    for (k = 0; k < n; k++) {
        gen_loop *l = &nest->loops[k];
        if (l->kind) continue;
        if (style == GEN_PARALLEL && k < some) l->kind = " parallel";
        else if (style == GEN_GLOBAL && k < some && k < 3) l->kind = global[k];
        else if (style == GEN_VECTOR && k == n - 1) l->kind = " vectorized";
        else l->kind = l->extent <= 8 && (l->text[0] >= '0' && l->text[0] <= '9') && gen_chance(g, 12) ? " unrolled" : "";
    }
}

static void gen_open_loops(gen *g, gen_nest *nest)
{
    int k;
    for (k = 0; k < nest->loop_count; k++) {
        const gen_loop *l = &nest->loops[k];
        int             joins = k && strcmp(l->kind, nest->loops[k - 1].kind) == 0 && !strchr(l->kind, '(') && gen_chance(g, 60);
        if (joins) {
            g->length -= strlen(") {\n"); /* of the loop before */
            g->indent--;
            nest->braces--;
            gen_put(g, ", %s: %s)", l->name, l->text);
        } else {
            gen_begin(g);
            gen_put(g, "for%s (%s: %s)", l->kind, l->name, l->text);
        }
        gen_open_brace(g);
        nest->braces++;
    }
}

/* Loops that visit every point of t once; nest->place[k] is the index on axis k. The guard of uneven tiles is opened here,
   unless the caller wants it for itself. */
static void gen_open_nest(gen *g, const gen_tensor *t, gen_style style, int own_guard, gen_nest *nest)
{
    int k;
    memset(nest, 0, sizeof *nest);
    nest->atoms = g->atom_count;
    nest->names = g->name_count;
    if (t->rank == 0) return;
    gen_plan_axes(g, nest, t, style);
    gen_plan_kinds(g, nest, style);
    gen_open_loops(g, nest);
    for (k = 0; k < t->rank; k++) gen_atom_add(g, nest->place[k], t->axis[k].extent);
    if (nest->guard[0] && !own_guard) {
        gen_begin(g);
        gen_put(g, "if (%s)", nest->guard);
        gen_open_brace(g);
        nest->braces++;
    }
}

static void gen_close_nest(gen *g, gen_nest *nest)
{
    while (nest->braces-- > 0) gen_close_brace(g);
    g->atom_count = nest->atoms;
    g->name_count = nest->names;
}

static void gen_put_place(gen *g, const gen_tensor *t, const gen_nest *nest)
{
    int k;
    gen_put(g, "%s[", t->name);
    for (k = 0; k < t->rank; k++) gen_put(g, "%s%s", k ? ", " : "", nest->place[k]);
    gen_put(g, "]");
}

static gen_style gen_some_style(gen *g, const gen_tensor *t)
{
    if (t->rank == 0 || gen_chance(g, 40)) return GEN_SERIAL;
    return (gen_style)gen_below(g, (int)GEN_STYLES);
}

/* ------------------------------------------------------------------ statements within a nest */

static void gen_let(gen *g)
{
    irl_scalar t = (irl_scalar)gen_between(g, (int)IRL_BOOL, (int)IRL_F64);
    gen_name  *v;
    gen_words  text;
    if (g->name_count == GEN_NAMES) return;
    if (gen_is(t, "h")) t = IRL_F32;
    gen_say(text, "v%d", g->name_number++);
    gen_begin(g);
    gen_put(g, gen_chance(g, 50) ? "let %s = " : "let %s: %s = ", text, gen_text(t));
    if (gen_is(t, "f")) gen_clamped(g, t, 2, 0);
    else gen_value(g, t, 2);
    gen_end(g);
    v = &g->names[g->name_count++];
    snprintf(v->text, sizeof v->text, "%.7s", text);
    v->type = t;
}

static void gen_store_once(gen *g, gen_tensor *t, const gen_nest *nest, int inexact)
{
    gen_begin(g);
    gen_put_place(g, t, nest);
    gen_put(g, " = ");
    if (inexact) gen_stored_inexactly(g, t);
    else gen_stored(g, t, gen_between(g, 1, 3));
    gen_end(g);
}

/* The store of an element: straight, or under a condition with both branches, or on top of undef. */
static void gen_store(gen *g, gen_tensor *t, const gen_nest *nest, int inexact)
{
    if (gen_chance(g, 3)) {
        gen_begin(g);
        gen_put_place(g, t, nest);
        gen_put(g, " = undef(%s)", gen_text(t->type));
        gen_end(g);
    }
    if (gen_chance(g, 85)) {
        gen_store_once(g, t, nest, inexact);
        return;
    }
    gen_begin(g);
    gen_put(g, "if (");
    if (gen_chance(g, 50)) gen_index_condition(g);
    else gen_bool(g, 1);
    gen_put(g, ")");
    gen_open_brace(g);
    gen_store_once(g, t, nest, inexact);
    gen_close_brace(g);
    g->length--; /* the line goes on */
    gen_put(g, " else");
    gen_open_brace(g);
    gen_store_once(g, t, nest, inexact);
    gen_close_brace(g);
}

/* ------------------------------------------------------------------ the ways of a stage. Each defines all of t. */

/* t[...] = something, element by element. */
static int gen_elementwise(gen *g, gen_tensor *t)
{
    gen_nest nest;
    int      inexact = gen_is(t->type, "fh") && gen_chance(g, 15);
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    if (gen_chance(g, 2)) {
        gen_begin(g);
        gen_put(g, "for (never: %s)", gen_chance(g, 50) ? "0" : "2 .. 2");
        gen_open_brace(g);
        gen_store_once(g, t, &nest, 0);
        gen_close_brace(g);
    }
    if (gen_chance(g, 25)) gen_let(g);
    if (gen_chance(g, 5) && g->atom_count) {
        gen_begin(g);
        gen_put(g, "assume(%s < %d)", g->atoms[g->atom_count - 1].text, g->atoms[g->atom_count - 1].extent);
        gen_end(g);
    }
    gen_store(g, t, &nest, inexact);
    if (gen_chance(g, 4)) {
        gen_tensor *any = gen_some_tensor(g, "biufh", 0, 1);
        if (any) {
            gen_begin(g);
            gen_put(g, "evaluate ");
            gen_load(g, any);
            gen_end(g);
        }
    }
    gen_close_nest(g, &nest);
    return 1;
}

/* A copy, which is all that may be done with inexact numbers. */
static int gen_copy(gen *g, gen_tensor *t)
{
    gen_nest    nest;
    gen_tensor *from = gen_some_tensor(g, NULL, (int)t->type, 1);
    if (!from) return 0;
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    gen_begin(g);
    gen_put_place(g, t, &nest);
    gen_put(g, " = ");
    gen_load(g, from);
    gen_end(g);
    gen_close_nest(g, &nest);
    t->ulp = from->ulp;
    t->is_wide = from->is_wide;
    return 1;
}

/* What a reduction adds: small, and at most a product of the caller's own data. */
static void gen_term(gen *g, irl_scalar t)
{
    gen_tensor *a = gen_some_tensor(g, NULL, (int)t, 0), *b = gen_some_tensor(g, NULL, (int)t, 0);
    if (a && b && a->is_input && b->is_input && gen_is(t, "f") && gen_chance(g, 60)) {
        gen_load(g, a);
        gen_put(g, " * ");
        gen_load(g, b);
    } else if (gen_is(t, "f")) {
        g->products = 0;
        gen_put(g, "rint(min(max(");
        gen_value(g, t, 2);
        gen_put(g, ", -64.0), 64.0))");
    } else gen_value(g, t, 2);
}

/* place = place op term, op of the type. */
static void gen_accumulate(gen *g, irl_scalar type, const char *place)
{
    gen_begin(g);
    if (type == IRL_BOOL) {
        gen_put(g, "%s = %s ^ ", place, place);
        gen_bool(g, 1);
    } else if (gen_chance(g, 25)) {
        gen_put(g, "%s = max(%s, ", place, place);
        gen_term(g, type);
        gen_put(g, ")");
    } else {
        gen_put(g, "%s = %s + ", place, place);
        gen_term(g, type);
    }
    gen_end(g);
}

static void gen_put_zero(gen *g, irl_scalar t) { gen_put(g, t == IRL_BOOL ? "false" : "%s(0)", gen_text(t)); }

/* An imperfect nest: start, accumulate over an axis, finish; in place or in private memory. */
static int gen_reduction(gen *g, gen_tensor *t)
{
    gen_nest nest;
    gen_words place, name;
    int       in_place = gen_chance(g, 50), extent = gen_some_extent(g), acc = g->temp_count++, k;
    if (gen_is(t->type, "h")) return 0;
    if (extent > 17) extent = 17;
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    if (in_place) {
        gen_say(place, "%s[", t->name);
        for (k = 0; k < t->rank; k++) gen_say_more(place, "%s%s", k ? ", " : "", nest.place[k]);
        gen_say_more(place, "]");
    } else {
        gen_say(place, "q%d[0]", acc);
        gen_begin(g);
        gen_put(g, "alloc q%d: %s[1]%s;\n", acc, gen_text(t->type), gen_chance(g, 50) ? " scope(local)" : "");
    }
    gen_begin(g);
    gen_put(g, "%s = ", place);
    gen_put_zero(g, t->type);
    gen_end(g);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for%s (%s: %d)", extent <= 8 && gen_chance(g, 20) ? " unrolled" : "", name, extent);
    gen_open_brace(g);
    gen_atom_add(g, name, extent);
    gen_accumulate(g, t->type, place);
    gen_close_brace(g);
    if (!in_place) {
        gen_begin(g);
        gen_put_place(g, t, &nest);
        gen_put(g, " = q%d[0]", acc);
        gen_end(g);
    }
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* Each element from the one before it: a loop that is not parallel, and must not become so. */
static int gen_scan(gen *g, gen_tensor *t)
{
    gen_nest nest;
    gen_tensor outer = *t;
    gen_words name;
    int      k, last = t->rank - 1;
    if (t->rank == 0 || gen_is(t->type, "h") || t->type == IRL_BOOL) return 0;
    outer.rank = last;
    gen_open_nest(g, &outer, gen_some_style(g, &outer), 0, &nest);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %s)", name, t->axis[last].text);
    gen_open_brace(g);
    gen_atom_add(g, name, t->axis[last].extent);
    gen_say(nest.place[last], "%s", name);
    gen_begin(g);
    gen_put_place(g, t, &nest);
    gen_put(g, " = if_then_else(%s > 0, %s[", name, t->name);
    for (k = 0; k < last; k++) gen_put(g, "%s, ", nest.place[k]);
    gen_put(g, "max(%s, 1) - 1], ", name);
    gen_put_zero(g, t->type);
    gen_put(g, ") + ");
    gen_term(g, t->type);
    gen_end(g);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* All of t, then the part below its diagonal again: a loop whose extent is another's variable. */
static int gen_triangle(gen *g, gen_tensor *t)
{
    gen_words   i, j, place;
    const char *kind;
    if (t->rank != 2 || gen_is(t->type, "h") || t->type == IRL_BOOL) return 0;
    gen_elementwise(g, t);
    if (t->ulp) return 1;
    gen_say(i, "i%d", g->loop_number++);
    gen_say(j, "i%d", g->loop_number++);
    kind = gen_chance(g, 25) ? " parallel" : "";
    gen_begin(g);
    gen_put(g, "for%s (%s: %s)", kind, i, t->axis[0].text);
    gen_open_brace(g);
    gen_begin(g);
    gen_put(g, "for%s (%s: min(%s + 1, %s))", kind, j, i, t->axis[1].text);
    gen_open_brace(g);
    gen_atom_add(g, i, t->axis[0].extent);
    gen_atom_add(g, j, t->axis[1].extent);
    gen_say(place, "%s[%s, %s]", t->name, i, j);
    gen_accumulate(g, t->type, place);
    g->atom_count -= 2;
    gen_close_brace(g);
    gen_close_brace(g);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* A nest with a temporary of its own that is filled and then read backwards. */
static int gen_inner_temporary(gen *g, gen_tensor *t)
{
    gen_nest   nest;
    gen_tensor outer = *t, *temp;
    int        last = t->rank - 1, extent;
    gen_words  name;
    if (t->rank == 0 || g->tensor_count >= GEN_TENSORS - 1) return 0;
    if (g->options.for_device && gen_axis_is_symbolic(&t->axis[last])) return 0;
    extent = t->axis[last].extent;
    outer.rank = last;
    gen_open_nest(g, &outer, gen_some_style(g, &outer), 0, &nest);
    temp = gen_tensor_new(g, "q", g->temp_count++);
    temp->type = t->type;
    temp->rank = 1;
    temp->axis[0] = t->axis[last];
    gen_begin(g);
    gen_put(g, "alloc ");
    gen_put_shape(g, temp);
    gen_put(g, "%s;\n", gen_chance(g, 40) && !gen_axis_is_symbolic(&t->axis[last]) ? " scope(local)" : "");
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %s)", name, temp->axis[0].text);
    gen_open_brace(g);
    gen_atom_add(g, name, extent);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", temp->name, name);
    gen_stored(g, temp, 2);
    gen_end(g);
    gen_close_brace(g);
    gen_begin(g);
    gen_put(g, "for (%s: %s)", name, temp->axis[0].text);
    gen_open_brace(g);
    gen_say(nest.place[last], "%s", name);
    gen_begin(g);
    gen_put_place(g, t, &nest);
    gen_put(g, " = %s[%s - 1 - %s]", temp->name, temp->axis[0].text, name);
    gen_end(g);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    g->tensor_count--;
    return 1;
}

/* ------------------------------------------------------------------ blocks */

/* match m: T[...] = source[...]: part of a tensor under its own name, until the block ends. */
static void gen_match(gen *g)
{
    gen_tensor *from = gen_some_tensor(g, "biufh", 0, 0), to;
    int         k;
    if (!from || from->rank == 0 || g->tensor_count == GEN_TENSORS) return;
    from->is_fixed = 1;
    to = *from;
    to.is_param = 0;
    snprintf(to.name, sizeof to.name, "m%d", g->temp_count++);
    for (k = 0; k < to.rank; k++) {
        int whole = gen_chance(g, 50) || gen_axis_is_symbolic(&from->axis[k]) || from->axis[k].extent < 2;
        if (!whole) to.axis[k] = gen_constant_axis(gen_chance(g, 50) ? 1 : from->axis[k].extent - 1);
    }
    gen_begin(g);
    gen_put(g, "match ");
    gen_put_shape(g, &to);
    gen_put(g, " = %s[", from->name);
    for (k = 0; k < to.rank; k++) {
        gen_put(g, k ? ", " : "");
        if (to.axis[k].extent == from->axis[k].extent) gen_put(g, "0");
        else if (to.axis[k].extent == 1) gen_index(g, &from->axis[k]);
        else gen_put(g, "1");
        gen_put(g, ": %s", to.axis[k].text);
    }
    gen_put(g, "];\n");
    g->tensors[g->tensor_count++] = to;
}

static void gen_put_reads(gen *g, int count)
{
    int k, j, first = 1;
    gen_put(g, " reads(");
    for (k = 0; k < count; k++) {
        const gen_tensor *t = &g->tensors[k];
        if (!t->is_defined || t->memory == g->hidden) continue;
        gen_put(g, "%s%s[", first ? "" : ", ", t->name);
        for (j = 0; j < t->rank; j++) gen_put(g, "%s0: %s", j ? ", " : "", t->axis[j].text);
        gen_put(g, "]");
        first = 0;
    }
    gen_put(g, ")");
}

/* The head of a block over t's points, and over a reduction axis bound to `reduction` unless that is NULL. From here on the
   axes' names are the indices. */
static void gen_block_head(gen *g, gen_tensor *t, gen_nest *nest, const char *reduction, int extent)
{
    int k, number = g->block_number++, has_reads = gen_chance(g, 40);
    gen_begin(g);
    gen_put(g, "block b%d(", number);
    g->atom_count = nest->atoms; /* inside, the axes take the place of the loops */
    for (k = 0; k < t->rank; k++) {
        gen_put(g, "%sx%d_%d: spatial(%s) = %s", k ? ", " : "", number, k, t->axis[k].text, nest->place[k]);
        gen_say(nest->place[k], "x%d_%d", number, k);
        gen_atom_add(g, nest->place[k], t->axis[k].extent);
    }
    if (reduction) {
        gen_words name;
        gen_put(g, "%sr%d: reduce(%d) = %s", t->rank ? ", " : "", number, extent, reduction);
        gen_say(name, "r%d", number);
        gen_atom_add(g, name, extent);
    }
    gen_put(g, ")");
    if (nest->guard[0]) gen_put(g, " where(%s)", nest->guard);
    if (has_reads) gen_put_reads(g, g->tensor_count);
    if (has_reads || gen_chance(g, 20)) {
        gen_put(g, " writes(");
        gen_put_place(g, t, nest);
        gen_put(g, ")");
    }
    if (gen_chance(g, 10)) gen_put(g, " note(tag = %d)", number);
    gen_open_brace(g);
}

/* A block that stores an element, with matched parts of other tensors and memory of its own. */
static int gen_block(gen *g, gen_tensor *t)
{
    gen_nest nest;
    int      tensors;
    gen_open_nest(g, t, gen_chance(g, 70) ? GEN_SERIAL : gen_some_style(g, t), 1, &nest);
    gen_block_head(g, t, &nest, NULL, 0);
    tensors = g->tensor_count;
    if (gen_chance(g, 25) && tensors < GEN_TENSORS) {
        gen_tensor *own = gen_tensor_new(g, "q", g->temp_count++);
        own->rank = 1;
        own->axis[0] = gen_constant_axis(gen_between(g, 1, 5));
        if (gen_is(own->type, "h")) own->type = IRL_F32;
        gen_begin(g);
        gen_put(g, "alloc ");
        gen_put_shape(g, own);
        gen_put(g, "%s;\n", gen_chance(g, 50) ? " scope(local)" : "");
    }
    if (gen_chance(g, 50)) gen_match(g);
    if (gen_chance(g, 20)) gen_match(g);
    if (g->tensor_count > tensors && g->tensors[tensors].name[0] == 'q') {
        gen_tensor *own = &g->tensors[tensors];
        gen_words   name;
        gen_say(name, "i%d", g->loop_number++);
        gen_begin(g);
        gen_put(g, "for (%s: %s)", name, own->axis[0].text);
        gen_open_brace(g);
        gen_atom_add(g, name, own->axis[0].extent);
        gen_begin(g);
        gen_put(g, "%s[%s] = ", own->name, name);
        gen_stored(g, own, 1);
        gen_end(g);
        g->atom_count--;
        gen_close_brace(g);
        own->is_defined = 1;
    }
    if (gen_chance(g, 25)) gen_let(g);
    gen_store(g, t, &nest, gen_is(t->type, "fh") && gen_chance(g, 8));
    gen_close_brace(g);
    g->tensor_count = tensors;
    gen_close_nest(g, &nest);
    return 1;
}

/* A block over the first axis, and in it loops and a block over the others. */
static int gen_nested_blocks(gen *g, gen_tensor *t)
{
    gen_nest   outer, inner;
    gen_tensor first = *t, rest = *t;
    int        k;
    if (t->rank < 2) return 0;
    first.rank = 1;
    rest.rank = t->rank - 1;
    memmove(rest.axis, rest.axis + 1, (size_t)rest.rank * sizeof *rest.axis);
    gen_open_nest(g, &first, GEN_SERIAL, 1, &outer);
    gen_begin(g);
    gen_put(g, "block b%d(x%d: spatial(%s) = %s)", g->block_number, g->block_number, t->axis[0].text, outer.place[0]);
    gen_say(outer.place[0], "x%d", g->block_number++);
    if (outer.guard[0]) gen_put(g, " where(%s)", outer.guard);
    gen_open_brace(g);
    g->atom_count = outer.atoms;
    gen_atom_add(g, outer.place[0], t->axis[0].extent);
    gen_open_nest(g, &rest, GEN_SERIAL, 1, &inner);
    for (k = rest.rank; k > 0; k--) strcpy(inner.place[k], inner.place[k - 1]);
    strcpy(inner.place[0], outer.place[0]);
    inner.atoms = g->atom_count - rest.rank; /* the outer block's axis stays */
    gen_block_head(g, t, &inner, NULL, 0);
    gen_store(g, t, &inner, 0);
    gen_close_brace(g);
    gen_close_nest(g, &inner);
    gen_close_brace(g);
    gen_close_nest(g, &outer);
    return 1;
}

/* A block with a reduction axis and an init. */
static int gen_block_reduction(gen *g, gen_tensor *t)
{
    gen_nest nest;
    gen_words name, place;
    int      k, extent = gen_some_extent(g);
    if (gen_is(t->type, "h")) return 0;
    if (extent > 17) extent = 17;
    gen_open_nest(g, t, GEN_SERIAL, 1, &nest);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %d)", name, extent);
    gen_open_brace(g);
    nest.braces++;
    gen_block_head(g, t, &nest, name, extent);
    gen_say(place, "%s[", t->name);
    for (k = 0; k < t->rank; k++) gen_say_more(place, "%s%s", k ? ", " : "", nest.place[k]);
    gen_say_more(place, "]");
    if (gen_chance(g, 25)) {
        int tensors = g->tensor_count;
        gen_match(g);
        g->tensor_count = tensors;
    }
    gen_begin(g);
    gen_put(g, "init");
    gen_open_brace(g);
    gen_begin(g);
    gen_put(g, "%s = ", place);
    gen_put_zero(g, t->type);
    gen_end(g);
    gen_close_brace(g);
    gen_accumulate(g, t->type, place);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* ------------------------------------------------------------------ shared memory */

/* Sums the tile in halves. */
static void gen_tree(gen *g, const char *tile, const char *local, int size)
{
    int half;
    for (half = size / 2; half; half /= 2) {
        gen_begin(g);
        gen_put(g, "if (%s < %d)", local, half);
        gen_open_brace(g);
        gen_begin(g);
        gen_put(g, "%s[%s] = %s[%s] + %s[%s + %d];\n", tile, local, tile, local, tile, local, half);
        gen_close_brace(g);
        gen_begin(g);
        gen_put(g, "barrier(shared);\n");
    }
}

static void gen_put_tile(gen *g, const char *tile, irl_scalar type, const char *shape)
{
    gen_begin(g);
    gen_put(g, "alloc %s: %s[%s] scope(shared);\n", tile, gen_text(type), shape);
}

static void gen_put_barrier(gen *g, const char *scope)
{
    gen_begin(g);
    gen_put(g, "barrier(%s);\n", scope);
}

/* for bind(axis) (name: extent) { */
static void gen_open_bound(gen *g, const char *axis, char *name, const char *extent)
{
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for bind(%s) (%s: %s)", axis, name, extent);
    gen_open_brace(g);
}

/* How many groups of this size cover an axis. */
static void gen_groups_text(const gen_axis *a, int size, char *text)
{
    if (gen_axis_is_symbolic(a)) gen_say(text, "(%s + %d) / %d", a->text, size - 1, size);
    else gen_say(text, "%d", (a->extent + size - 1) / size);
}

/* A group fills a tile, waits, and reads other cells of it than its own: turned around, or moved by one. */
static int gen_shared(gen *g, gen_tensor *t)
{
    gen_words       group, local, tile, text, shape;
    const gen_axis *a = &t->axis[0];
    int             size = gen_between(g, 2, 9), outside = gen_chance(g, 30);
    if (t->rank != 1) return 0;
    gen_say(tile, "s%d", g->temp_count++);
    gen_say(shape, "%d", size);
    gen_groups_text(a, size, text);
    gen_open_bound(g, "group.x", group, text);
    if (outside) gen_put_tile(g, tile, t->type, shape);
    gen_open_bound(g, "local.x", local, shape);
    if (!outside) gen_put_tile(g, tile, t->type, shape);
    gen_say(text, "min(%s * %d + %s, %s - 1)", group, size, local, a->text);
    gen_atom_add(g, text, a->extent);
    gen_atom_add(g, local, size);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", tile, local);
    gen_stored(g, t, 2);
    gen_end(g);
    gen_put_barrier(g, "shared");
    gen_begin(g);
    gen_put(g, "if (%s * %d + %s < %s)", group, size, local, a->text);
    gen_open_brace(g);
    gen_begin(g);
    if (gen_chance(g, 50)) gen_put(g, "%s[%s * %d + %s] = %s[%d - %s];\n", t->name, group, size, local, tile, size - 1, local);
    else gen_put(g, "%s[%s * %d + %s] = %s[(%s + 1) %% %d];\n", t->name, group, size, local, tile, local, size);
    gen_close_brace(g);
    g->atom_count -= 2;
    gen_close_brace(g);
    gen_close_brace(g);
    return 1;
}

/* Each group sums a tile into one element. */
static int gen_shared_sum(gen *g, gen_tensor *t)
{
    gen_words group, local, tile, shape;
    int  size = 1 << gen_between(g, 1, 4);
    if (t->rank != 1 || gen_is(t->type, "bh")) return 0;
    gen_say(tile, "s%d", g->temp_count++);
    gen_say(shape, "%d", size);
    gen_open_bound(g, "group.x", group, t->axis[0].text);
    gen_open_bound(g, "local.x", local, shape);
    gen_put_tile(g, tile, t->type, shape);
    gen_atom_add(g, group, t->axis[0].extent);
    gen_atom_add(g, local, size);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", tile, local);
    gen_term(g, t->type);
    gen_end(g);
    gen_put_barrier(g, "shared");
    gen_tree(g, tile, local, size);
    gen_begin(g);
    gen_put(g, "if (%s == 0)", local);
    gen_open_brace(g);
    gen_begin(g);
    gen_put(g, "%s[%s] = %s[0];\n", t->name, group, tile);
    gen_close_brace(g);
    g->atom_count -= 2;
    gen_close_brace(g);
    gen_close_brace(g);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* A tile in two dimensions, turned over its diagonal on the way. */
static int gen_shared_transpose(gen *g, gen_tensor *t)
{
    gen_words group[2], local[2], tile, text, shape, size_text;
    int  size = gen_between(g, 2, 4), k;
    if (t->rank != 2) return 0;
    gen_say(tile, "s%d", g->temp_count++);
    gen_say(size_text, "%d", size);
    gen_say(shape, "%d, %d", size, size + 1);
    for (k = 0; k < 2; k++) {
        gen_groups_text(&t->axis[k], size, text);
        gen_open_bound(g, k ? "group.x" : "group.y", group[k], text);
    }
    for (k = 0; k < 2; k++) gen_open_bound(g, k ? "local.x" : "local.y", local[k], size_text);
    gen_put_tile(g, tile, t->type, shape);
    for (k = 0; k < 2; k++) {
        gen_say(text, "min(%s * %d + %s, %s - 1)", group[k], size, local[k], t->axis[k].text);
        gen_atom_add(g, text, t->axis[k].extent);
        gen_atom_add(g, local[k], size);
    }
    gen_begin(g);
    gen_put(g, "%s[%s, %s] = ", tile, local[0], local[1]);
    gen_stored(g, t, 2);
    gen_end(g);
    gen_put_barrier(g, "shared");
    gen_begin(g);
    gen_put(g, "if (%s * %d + %s < %s && %s * %d + %s < %s)", group[0], size, local[0], t->axis[0].text, group[1], size, local[1], t->axis[1].text);
    gen_open_brace(g);
    gen_begin(g);
    gen_put(g, "%s[%s * %d + %s, %s * %d + %s] = %s[%s, %s];\n", t->name, group[0], size, local[0], group[1], size, local[1], tile, local[1], local[0]);
    gen_close_brace(g);
    g->atom_count -= 4;
    for (k = 0; k < 4; k++) gen_close_brace(g);
    return 1;
}

/* A temporary like t, for a stage's own use. */
static gen_tensor *gen_companion(gen *g, const gen_tensor *t)
{
    gen_tensor *u = gen_tensor_new(g, "u", g->temp_count++);
    u->type = t->type;
    u->rank = t->rank;
    memcpy(u->axis, t->axis, sizeof u->axis);
    gen_put_alloc(g, u);
    return u;
}

/* Through global memory from one work-item of a group to another. */
static int gen_global_exchange(gen *g, gen_tensor *t)
{
    gen_words   group, local, text;
    int         size, extent = t->axis[0].extent;
    gen_tensor *u;
    if (t->rank != 1 || gen_axis_is_symbolic(&t->axis[0]) || g->tensor_count >= GEN_TENSORS - 1) return 0;
    for (size = 8; extent % size; size--) {}
    if (size == 1) return 0;
    u = gen_companion(g, t);
    gen_say(text, "%d", extent / size);
    gen_open_bound(g, "group.x", group, text);
    gen_say(text, "%d", size);
    gen_open_bound(g, "local.x", local, text);
    gen_say(text, "%s * %d + %s", group, size, local);
    gen_atom_add(g, text, extent);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", u->name, text);
    gen_stored(g, t, 2);
    gen_end(g);
    gen_put_barrier(g, "global");
    gen_begin(g);
    gen_put(g, "%s[%s] = %s[%s * %d + (%d - %s)];\n", t->name, text, u->name, group, size, size - 1, local);
    g->atom_count--;
    gen_close_brace(g);
    gen_close_brace(g);
    g->tensor_count--;
    return 1;
}

/* ------------------------------------------------------------------ loops around launches */

static void gen_half_step(gen *g, gen_tensor *to, gen_tensor *from)
{
    static const gen_style styles[] = { GEN_GLOBAL, GEN_GROUPS, GEN_PARALLEL, GEN_SERIAL };
    gen_nest               nest;
    from->is_defined = 1;
    g->hidden = to->memory;
    gen_open_nest(g, to, styles[gen_below(g, 4)], 0, &nest);
    gen_store_once(g, to, &nest, 0);
    gen_close_nest(g, &nest);
}

/* Two tensors from each other, again and again. */
static int gen_steps(gen *g, gen_tensor *t)
{
    gen_tensor *u;
    gen_words   name;
    if (t->rank == 0 || g->tensor_count >= GEN_TENSORS - 1) return 0;
    gen_elementwise(g, t);
    if (t->ulp) return 1;
    u = gen_companion(g, t);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %d)", name, gen_between(g, 1, 3));
    gen_open_brace(g);
    gen_atom_add(g, name, 3);
    gen_half_step(g, u, t);
    gen_half_step(g, t, u);
    g->atom_count--;
    gen_close_brace(g);
    g->tensor_count--;
    return 1;
}

/* ------------------------------------------------------------------ vectors that are written as such */

/* What vectors are made of: a tensor with `lanes` elements of its last axis from `base` on, or a view whose elements are
   vectors, at `base`. */
typedef struct gen_lanes {
    irl_scalar  type;
    int         lanes;
    gen_tensor *from; /* NULL: none suits */
    const char *view; /* NULL: from is accessed itself */
    const char *base;
} gen_lanes;

static void gen_vector(gen *g, const gen_lanes *v, int depth);

static void gen_vectors_in(gen *g, const gen_lanes *v, int depth, const char *before, const char *between, const char *after)
{
    gen_put(g, "%s", before);
    gen_vector(g, v, depth - 1);
    gen_put(g, "%s", between);
    gen_vector(g, v, depth - 1);
    gen_put(g, "%s", after);
}

static void gen_vector_leaf(gen *g, const gen_lanes *v)
{
    int k;
    if (v->view && gen_chance(g, 70)) gen_put(g, "%s[%s]", v->view, v->base);
    else if (v->from && !v->view && gen_chance(g, 70)) {
        gen_put(g, "%s[", v->from->name);
        for (k = 0; k + 1 < v->from->rank; k++) {
            gen_index(g, &v->from->axis[k]);
            gen_put(g, ", ");
        }
        gen_put(g, "ramp(%s, 1, %d)]", v->base, v->lanes);
    } else if (gen_is(v->type, "iu") && gen_chance(g, 30)) {
        gen_put(g, "ramp(");
        gen_leaf(g, v->type);
        gen_put(g, ", %s(%d), %d)", gen_text(v->type), gen_between(g, 1, 3), v->lanes);
    } else {
        gen_put(g, "broadcast(");
        gen_leaf(g, v->type);
        gen_put(g, ", %d)", v->lanes);
    }
}

static void gen_vector(gen *g, const gen_lanes *v, int depth)
{
    int k;
    if (depth <= 0 || gen_chance(g, 20)) {
        gen_vector_leaf(g, v);
        return;
    }
    switch (gen_below(g, 6)) {
    case 0:
        gen_vectors_in(g, v, depth, "shuffle(", ", ", ", [");
        for (k = 0; k < v->lanes; k++) gen_put(g, "%s%d", k ? ", " : "", gen_below(g, 2 * v->lanes));
        gen_put(g, "])");
        break;
    case 1:
        gen_vectors_in(g, v, depth, "select(", gen_chance(g, 50) ? " < " : " == ", ", ");
        gen_vectors_in(g, v, depth, "", ", ", ")");
        break;
    case 2: gen_vectors_in(g, v, depth, gen_chance(g, 50) ? "min(" : "max(", ", ", ")"); break;
    case 3:
        if (gen_is(v->type, "iu")) {
            gen_lanes other = *v;
            other.type = (irl_scalar)gen_between(g, (int)IRL_I8, (int)IRL_U64);
            other.from = NULL;
            other.view = NULL;
            gen_put(g, "%sx%d(", gen_text(v->type), v->lanes);
            gen_vector(g, &other, depth - 1);
            gen_put(g, ")");
            break;
        } /* fall through */
    default: gen_vectors_in(g, v, depth, "(", gen_chance(g, 60) ? " + " : " - ", ")"); break;
    }
}

/* t[..., ramp(j * lanes, 1, lanes)] = vectors. */
static int gen_vectors(gen *g, gen_tensor *t)
{
    static const int widths[] = { 16, 8, 4, 3, 2 };
    gen_nest         nest;
    gen_lanes        v;
    gen_tensor       outer = *t;
    gen_words        name, base;
    int              k, last = t->rank - 1, first = gen_below(g, 5);
    memset(&v, 0, sizeof v);
    v.type = t->type;
    if (t->rank == 0 || gen_is(t->type, "bh") || gen_axis_is_symbolic(&t->axis[last])) return 0;
    for (k = 0; k < 5 && !v.lanes; k++)
        if (t->axis[last].extent % widths[(first + k) % 5] == 0) v.lanes = widths[(first + k) % 5];
    if (!v.lanes) return 0;
    v.from = gen_some_tensor(g, NULL, (int)t->type, 0);
    if (v.from && (v.from->rank == 0 || v.from->is_wide || v.from->axis[v.from->rank - 1].extent < t->axis[last].extent)) v.from = NULL;
    if (v.from) v.from->is_fixed = 1;
    t->is_fixed = 1;
    outer.rank = last;
    gen_open_nest(g, &outer, gen_some_style(g, &outer), 0, &nest);
    gen_say(name, "i%d", g->loop_number++);
    gen_say(base, "%s * %d", name, v.lanes);
    v.base = base;
    gen_begin(g);
    gen_put(g, "for (%s: %d)", name, t->axis[last].extent / v.lanes);
    gen_open_brace(g);
    gen_atom_add(g, name, t->axis[last].extent / v.lanes);
    gen_begin(g);
    gen_put(g, "%s[", t->name);
    for (k = 0; k < last; k++) gen_put(g, "%s, ", nest.place[k]);
    gen_put(g, "ramp(%s, 1, %d)] = ", base, v.lanes);
    gen_vector(g, &v, 2);
    gen_end(g);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* decl w: T x lanes [...] data(t), and all of t through it. */
static int gen_vector_view(gen *g, gen_tensor *t)
{
    gen_lanes   v;
    gen_tensor *from;
    gen_words   name, view, source;
    int         cells = gen_cells(t);
    memset(&v, 0, sizeof v);
    v.type = t->type;
    v.lanes = cells % 4 == 0 ? 4 : 2;
    if (gen_is(t->type, "bh") || t->is_fixed || gen_is_symbolic(t) || cells % v.lanes) return 0;
    gen_say(view, "w%d", g->temp_count++);
    gen_say(source, "w%d", g->temp_count++);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "decl %s: %sx%d[%d] data(%s);\n", view, gen_text(t->type), v.lanes, cells / v.lanes, t->name);
    from = gen_some_tensor(g, NULL, (int)t->type, 0);
    if (from && !from->is_fixed && !from->is_wide && !gen_is_symbolic(from) && gen_cells(from) >= cells && gen_cells(from) % v.lanes == 0) {
        from->is_fixed = 1;
        gen_begin(g);
        gen_put(g, "decl %s: %sx%d[%d] data(%s);\n", source, gen_text(t->type), v.lanes, gen_cells(from) / v.lanes, from->name);
        v.view = source;
    }
    t->is_fixed = 1;
    gen_begin(g);
    gen_put(g, "for%s (%s: %d)", gen_chance(g, 30) ? " parallel" : "", name, cells / v.lanes);
    gen_open_brace(g);
    gen_atom_add(g, name, cells / v.lanes);
    v.base = name;
    gen_begin(g);
    gen_put(g, "%s[%s] = ", view, name);
    gen_vector(g, &v, 2);
    gen_end(g);
    g->atom_count--;
    gen_close_brace(g);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* ------------------------------------------------------------------ aliases */

/* Another type of the same width, for a view of the same memory; the same type if there is none. */
static irl_scalar gen_other_type(gen *g, irl_scalar t)
{
    static const unsigned char groups[][4] = { { IRL_I8, IRL_U8, IRL_U8, IRL_I8 },
                                               { IRL_I16, IRL_U16, IRL_I16, IRL_U16 },
                                               { IRL_I32, IRL_U32, IRL_I32, IRL_U32 },
                                               { IRL_I64, IRL_U64, IRL_I64, IRL_U64 } };
    int                        k;
    for (k = 0; k < 4; k++)
        if (groups[k][0] == (unsigned char)t || groups[k][1] == (unsigned char)t) return (irl_scalar)groups[k][gen_below(g, 4)];
    return t;
}

/* A view of the whole memory of a tensor: one axis, two axes, or another type; floats as bits where they are the caller's. */
static void gen_alias(gen *g)
{
    gen_tensor *of, *view;
    int         cells, k, k_first;
    if (g->tensor_count == GEN_TENSORS) return;
    k_first = gen_below(g, g->tensor_count);
    for (of = NULL, k = 0; k < g->tensor_count && !of; k++) {
        gen_tensor *t = &g->tensors[(k_first + k) % g->tensor_count];
        if (t->is_defined && !t->is_fixed && !gen_is_symbolic(t) && t->type != IRL_BOOL) of = t;
    }
    if (!of) return;
    cells = gen_cells(of);
    of->is_fixed = 1;
    view = &g->tensors[g->tensor_count++];
    *view = *of;
    view->is_param = 0;
    snprintf(view->name, sizeof view->name, "w%d", g->temp_count++);
    if (of->is_input && of->type == IRL_F32 && gen_chance(g, 50)) view->type = IRL_U32;
    else if (of->is_input && of->type == IRL_F64 && gen_chance(g, 50)) view->type = IRL_I64;
    else if (of->is_input && gen_is(of->type, "h") && gen_chance(g, 50)) view->type = IRL_U16;
    else view->type = gen_other_type(g, of->type);
    if (gen_is(view->type, "iu") && gen_types[view->type].bits == 32 && gen_chance(g, 20)) {
        cells *= 4;
        view->type = IRL_U8;
    }
    view->attributes[0] = '\0';
    view->rank = 1;
    view->axis[0] = gen_constant_axis(cells);
    if (cells % 2 == 0 && gen_chance(g, 40)) {
        view->rank = 2;
        view->axis[0] = gen_constant_axis(cells / 2);
        view->axis[1] = gen_constant_axis(2);
    }
    gen_begin(g);
    gen_put(g, "decl ");
    gen_put_shape(g, view);
    gen_put(g, " data(%s);\n", of->name);
}

/* ------------------------------------------------------------------ stages */

/* A way to define all of a tensor; 0, and nothing is written, where it does not suit it. */
typedef int gen_way(gen *g, gen_tensor *t);

static gen_way *const gen_ways[] = {
    gen_elementwise, gen_elementwise, gen_elementwise, gen_elementwise, gen_copy,       gen_reduction,        gen_reduction,       gen_scan,
    gen_triangle,    gen_inner_temporary, gen_block,   gen_block,       gen_nested_blocks, gen_block_reduction, gen_shared,       gen_shared_sum,
    gen_shared_transpose, gen_global_exchange, gen_steps, gen_vectors,  gen_vector_view,
};

/* Defines all of t, of which nothing may be read meanwhile. */
static void gen_stage(gen *g, gen_tensor *t)
{
    int has_attribute = gen_chance(g, 3);
    g->hidden = t->memory;
    g->products = GEN_PRODUCTS;
    if (has_attribute) {
        gen_begin(g);
        gen_put(g, "attr(origin = \"a stage\")");
        gen_open_brace(g);
    }
    if (!gen_ways[gen_below(g, (int)(sizeof gen_ways / sizeof *gen_ways))](g, t)) gen_elementwise(g, t);
    if (has_attribute) gen_close_brace(g);
    g->hidden = -1;
    t->is_defined = 1;
    t->is_written = 1;
    t->is_input = 0;
}

/* Changes a tensor that is defined, in place. */
static void gen_update(gen *g, gen_tensor *t)
{
    gen_nest nest;
    if (t->ulp || gen_is(t->type, "h")) return;
    g->hidden = t->memory;
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    gen_begin(g);
    gen_put_place(g, t, &nest);
    gen_put(g, " = ");
    if (t->type == IRL_BOOL) {
        gen_put(g, "!");
        gen_put_place(g, t, &nest);
    } else {
        gen_put(g, gen_is(t->type, "f") ? "rint(min(max(" : "");
        gen_put_place(g, t, &nest);
        gen_put(g, gen_is(t->type, "f") ? ", -64.0), 64.0)) + " : " + ");
        if (gen_is(t->type, "f")) gen_clamped(g, t->type, 2, 0);
        else gen_value(g, t->type, 2);
        t->is_wide |= gen_is(t->type, "f");
    }
    gen_end(g);
    gen_close_nest(g, &nest);
    g->hidden = -1;
    t->is_written = 1;
    t->is_input = 0;
}

/* An alias of what was just written shows other bits now: only integers keep views of another type. */
static void gen_memory_written(gen *g, const gen_tensor *t)
{
    int k;
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *other = &g->tensors[k];
        if (other == t || other->memory != t->memory) continue;
        other->is_input = 0;
        other->is_wide |= t->is_wide;
        if (t->ulp > other->ulp) other->ulp = t->ulp;
        if (gen_is(t->type, "fh") != gen_is(other->type, "fh")) other->is_defined = 0;
    }
}

static void gen_stages(gen *g, int first_output, int outputs)
{
    int k, stages = gen_between(g, 0, g->options.stages - 1);
    for (k = 0; k < stages; k++) {
        if (gen_chance(g, 15)) gen_alias(g);
        if (gen_chance(g, 6)) gen_let(g); /* of what memory holds now, for all that follows */
        if (gen_chance(g, 20)) {
            gen_tensor *t = &g->tensors[gen_below(g, g->tensor_count)];
            if (t->is_defined && t->is_written) {
                gen_update(g, t);
                gen_memory_written(g, t);
                continue;
            }
        }
        if (g->tensor_count < GEN_TENSORS - 4) {
            gen_tensor *t = gen_tensor_new(g, "t", g->temp_count++);
            gen_attributes(g, t);
            gen_put_alloc(g, t);
            gen_stage(g, t);
        }
    }
    for (k = first_output; k < first_output + outputs; k++) {
        gen_tensor *t = &g->tensors[k];
        if (t->is_defined && gen_chance(g, 70)) gen_update(g, t);
        else if (g->n && gen_chance(g, 10)) {
            gen_begin(g);
            gen_put(g, "if (n > %d)", gen_between(g, 1, 9));
            gen_open_brace(g);
            gen_stage(g, t);
            gen_close_brace(g);
            g->length--;
            gen_put(g, " else");
            gen_open_brace(g);
            t->is_defined = 0;
            gen_stage(g, t);
            gen_close_brace(g);
        } else gen_stage(g, t);
        gen_memory_written(g, t);
    }
}

/* ------------------------------------------------------------------ layouts */

static void gen_put_permutation(gen *g, const gen_tensor *t)
{
    static const char names[] = "abcd";
    int               order[GEN_AXES], k;
    for (k = 0; k < t->rank; k++) order[k] = k;
    for (k = 0; k + 1 < t->rank; k++) {
        int with = gen_between(g, k, t->rank - 1), o = order[k];
        order[k] = order[with];
        order[with] = o;
    }
    for (k = 0; k < t->rank; k++) {
        gen_put(g, k ? ", " : "");
        if (k && !g->options.for_device && gen_chance(g, 20)) gen_put(g, "|, ");
        gen_put(g, "%c", names[order[k]]);
    }
}

/* One output per axis, some axes shifted, reversed, swizzled or split. */
static void gen_put_mixture(gen *g, const gen_tensor *t)
{
    static const char names[] = "abcd";
    int               k, chosen = gen_below(g, t->rank), factor = gen_between(g, 2, 5);
    char              a = names[chosen];
    for (k = 0; k < t->rank; k++) {
        int extent = t->axis[k].extent;
        gen_put(g, k ? ", " : "");
        if (k && !g->options.for_device && gen_chance(g, 15)) gen_put(g, "|, ");
        if (k != chosen || gen_is_symbolic(t)) {
            gen_put(g, "%c", names[k]);
            continue;
        }
        switch (gen_below(g, 8)) {
        case 0: gen_put(g, "%c + %d", a, factor); break;
        case 1: gen_put(g, "%d - %c", extent - 1, a); break;
        case 2: gen_put(g, "%c * %d", a, gen_between(g, 2, 3)); break;
        case 3: gen_put(g, k ? "%c ^ (%c %% 4)" : "%c ^ 5", a, names[k - (k > 0)]); break;
        case 4: gen_put(g, k ? "(%c + %c) %% %d" : "%c", a, names[k - (k > 0)], extent); break;
        case 5: gen_put(g, "%c %% %d, %c / %d", a, factor, a, factor); break;
        default: gen_put(g, "%c / %d, %c %% %d", a, factor, a, factor); break;
        }
    }
}

/* Every axis in two, the outer parts before the inner ones: tiles. */
static void gen_put_tiles(gen *g, const gen_tensor *t)
{
    static const char names[] = "abcd";
    int               k, factor[GEN_AXES];
    for (k = 0; k < t->rank; k++) factor[k] = gen_between(g, 2, 4);
    for (k = 0; k < t->rank; k++) gen_put(g, "%s%c / %d", k ? ", " : "", names[k], factor[k]);
    if (!g->options.for_device && gen_chance(g, 30)) gen_put(g, ", |");
    for (k = 0; k < t->rank; k++) gen_put(g, ", %c %% %d", names[k], factor[k]);
}

static void gen_put_layout(gen *g, const gen_tensor *t)
{
    static const char *const inputs[] = { "", "a", "a, b", "a, b, c", "a, b, c, d" };
    int                      way = gen_below(g, 10), k;
    gen_put(g, "\n    layout(%s: ", t->name);
    if (way == 0) gen_put(g, "(..., z) -> (..., z / 4, z %% 4)");
    else if (way == 1 && t->rank > 1) gen_put(g, "(z, ...) -> (..., z)");
    else if (way == 2 && t->rank > 1 && !gen_is_symbolic(t)) {
        gen_put(g, "(%s) -> (", inputs[t->rank]);
        for (k = 0; k + 2 < t->rank; k++) gen_put(g, "%c, ", "abcd"[k]);
        gen_put(g, "%c * %d + %c)", "abcd"[t->rank - 2], t->axis[t->rank - 1].extent, "abcd"[t->rank - 1]);
    } else {
        gen_put(g, "(%s) -> (", inputs[t->rank]);
        if (way < 5) gen_put_permutation(g, t);
        else if (way == 5) gen_put_tiles(g, t);
        else gen_put_mixture(g, t);
        gen_put(g, ")");
    }
    if (gen_chance(g, 30)) gen_put(g, t->type == IRL_BOOL ? ", pad(true)" : ", pad(%s(%d))", gen_text(t->type), gen_below(g, 5));
    gen_put(g, ")");
}

static void gen_layouts(gen *g)
{
    int k;
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *t = &g->tensors[k];
        if (t->is_fixed || t->rank == 0 || strchr("tay", t->name[0]) == NULL || !gen_chance(g, 35)) continue;
        gen_put_layout(g, t);
        if (gen_chance(g, 12)) gen_put(g, "\n    layout(%s: (z, ...) -> (..., z))", t->name);
    }
}

/* ------------------------------------------------------------------ the function */

static void gen_scalar_param(gen *g, gen_case *c, const char *name, irl_scalar type, int64_t value)
{
    gen_param *p = &c->params[c->param_count++];
    memset(p, 0, sizeof *p);
    strcpy(p->name, name);
    p->type = type;
    p->value = value;
    if (type != IRL_INDEX) {
        strcpy(g->names[g->name_count].text, name);
        g->names[g->name_count++].type = type;
    }
}

static void gen_prelude(gen *g)
{
    if (g->n && gen_chance(g, 30)) gen_begin(g), gen_put(g, "assert(n == %d, \"n is %d\");\n", g->n, g->n);
    if (g->n && gen_chance(g, 30)) gen_begin(g), gen_put(g, "assume(n >= 1);\n");
    if (g->n && gen_chance(g, 15)) gen_begin(g), gen_put(g, "assert(n %% %d == 0, \"a multiple\");\n", g->n);
    if (g->n && gen_chance(g, 20)) {
        g->m = 2 * g->n + 1;
        gen_begin(g);
        gen_put(g, "let m: index = n * 2 + 1;\n");
    }
    if (gen_chance(g, 15)) {
        gen_name *v = &g->names[g->name_count++];
        snprintf(v->text, sizeof v->text, "v%d", g->name_number++);
        v->type = gen_chance(g, 50) ? IRL_F32 : IRL_I32;
        gen_begin(g);
        gen_put(g, "let %s: %s = %d;\n", v->text, gen_text(v->type), gen_between(g, -9, 9));
    }
}

static void gen_buffer_params(gen *g, gen_case *c)
{
    int k, j;
    for (k = 0; k < g->tensor_count; k++) {
        const gen_tensor *t = &g->tensors[k];
        gen_param        *p;
        if (!t->is_param) continue;
        p = &c->params[c->param_count++];
        memset(p, 0, sizeof *p);
        strcpy(p->name, t->name);
        p->type = t->type;
        p->is_buffer = 1;
        p->rank = t->rank;
        p->ulp = t->ulp;
        for (j = 0; j < t->rank; j++) p->extent[j] = t->axis[j].extent;
    }
}

static void gen_put_params(gen *g, const gen_case *c)
{
    int k, j;
    for (k = 0; k < c->param_count; k++) {
        const gen_param *p = &c->params[k];
        gen_put(g, k ? ", " : "");
        if (!p->is_buffer) gen_put(g, "%s: %s", p->name, gen_text(p->type));
        for (j = 0; j < g->tensor_count; j++)
            if (p->is_buffer && strcmp(p->name, g->tensors[j].name) == 0) {
                gen_put_shape(g, &g->tensors[j]);
                gen_put(g, "%s", g->tensors[j].attributes);
            }
    }
}

/* The function of a seed. Freed by gen_free. */
static gen_case gen_function(uint64_t seed, gen_options options)
{
    gen      g;
    gen_case c;
    char    *body;
    int      k, inputs, outputs;
    memset(&g, 0, sizeof g);
    memset(&c, 0, sizeof c);
    c.seed = seed;
    g.random = seed;
    g.options = options;
    if (!g.options.stages) g.options.stages = 4;
    if (!g.options.cells) g.options.cells = 320;
    if (gen_chance(&g, 3)) { /* enough for what is only done to many iterations */
        g.options.cells *= 32;
        g.options.stages = 1;
    }
    g.hidden = -1;
    g.indent = 1;
    if (gen_chance(&g, 25)) {
        g.n = gen_between(&g, 1, 13);
        gen_scalar_param(&g, &c, "n", IRL_INDEX, g.n);
    }
    if (gen_chance(&g, 20)) gen_scalar_param(&g, &c, "p", gen_chance(&g, 50) ? IRL_I32 : IRL_F32, gen_between(&g, -9, 9));
    inputs = gen_between(&g, 1, 3);
    outputs = gen_between(&g, 1, 2);
    for (k = 0; k < inputs; k++) {
        gen_tensor *t = gen_tensor_new(&g, "a", k);
        gen_attributes(&g, t);
        t->is_param = t->is_defined = t->is_input = 1;
    }
    for (k = 0; k < outputs; k++) {
        gen_tensor *t = gen_tensor_new(&g, "y", k);
        gen_attributes(&g, t);
        t->is_param = 1;
        t->is_defined = t->is_input = gen_chance(&g, 15); /* in and out */
    }
    gen_put(&g, "%s", ""); /* a body may be empty */
    gen_prelude(&g);
    gen_stages(&g, inputs, outputs);
    gen_buffer_params(&g, &c);
    body = g.text;
    g.text = NULL;
    g.length = g.capacity = 0;
    gen_put(&g, "func f%d(", (int)(seed % 1000000));
    gen_put_params(&g, &c);
    gen_put(&g, ")");
    gen_layouts(&g);
    if (gen_chance(&g, 10)) gen_put(&g, "\n    attr(made_by = \"a generator\")");
    gen_put(&g, " {\n%s}\n", body);
    free(body);
    c.text = g.text;
    return c;
}

static void gen_free(gen_case *c)
{
    free(c->text);
    c->text = NULL;
}

#include "generate_data.h"

#endif
