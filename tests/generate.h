/* generate.h - functions made at random for the property tests; generate_data.h has the data that
   they run on.

   needs     irlayout.h and, in the split build, src/text/text.h and src/eval/eval.h before it
   promises  a seed gives the same function and data on every machine. By construction the function
             has no access out of range, no race, no read of what was not written, and results that
             two implementations must agree on:

   - Integers wrap, so any arithmetic will do; divisors are never 0 or -1, shift distances are below
     the width.
   - What has one right answer in floating point (sums, products, fma, rounding, comparison,
     conversion) may be computed with. It stays small and away from subnormal numbers: at most
     GEN_PRODUCTS products in an expression, and what is stored is clamped, or marked wide and
     clamped when it is read.
   - A normalised element (unorm8 and its kin) is written as a whole number of codes and read back
     as one, rint(f32(x) * 255): a device may be off by 1.5 units in the last place of the fraction,
     far less than half a code. So these are exact too.
   - What may differ by some units in the last place (division, roots, functions, rounding to 16
     bits) is stored, and from there on only copied. gen_param.ulp says how far it may be off.

   How it is made: a function is a sequence of stages. Each defines all of one tensor, an output or
   a temporary, from the tensors that are defined already, in one of the ways of gen_stage. */
#ifndef IRL_GENERATE_H
#define IRL_GENERATE_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GEN_PARAMS = 8,
    GEN_TENSORS = 32,
    GEN_AXES = 4,
    GEN_NAMES = 16,
    GEN_ATOMS = 16,
    GEN_PRODUCTS = 2,
    GEN_LOOPS = 8
};

/* What a caller wants of the functions; zero is the default. */
typedef struct gen_options {
    /* 1: no separators, which make a rank that an OpenCL buffer has not, and constant extents
       inside kernels */
    int for_device;
    int stages;       /* most stages (4) */
    int cells;        /* most elements of a tensor (320) */
    int narrow;       /* 1: no types of 64 bits */
    int plain;        /* 1: gen_lane_function without images: the same layouts in plain memory */
    /* 1: gen_lane_function with normalised elements; without, a seed draws what it drew before
       there were any */
    int normalised;
    /* 1: no reductions in one line, updates, labels and implicit parameters; a seed draws what it
       drew before there were any */
    int written_out;
    int integers; /* 1: no floats, and constants at the ends of types (generate_integers.h) */
} gen_options;

typedef struct gen_param {
    char       name[8];
    irl_scalar type;
    int        is_buffer, rank, extent[GEN_AXES];
    int        ulp;   /* how many units a device may be off */
    int64_t    value; /* of a scalar */
    int        is_implicit; /* an extent that stands in front of the buffer that has it */
} gen_param;

typedef struct gen_case {
    char     *text;   /* of the function */
    char     *called; /* the same with calls in it, by generate_calls.h; NULL */
    uint64_t  seed;
    int       param_count;
    gen_param params[GEN_PARAMS];
} gen_case;

/* Of a generator that draws its functions by itself: a parameter, of rank 0 the index `rows`. */
static void gen_case_param(gen_case *c, const char *name, irl_scalar type, int rank, int rows,
                           int columns)
{
    gen_param *p = &c->params[c->param_count++];
    memset(p, 0, sizeof *p);
    strcpy(p->name, name);
    p->type = type;
    p->is_buffer = type != IRL_INDEX;
    p->rank = rank;
    p->extent[0] = rows;
    p->extent[1] = columns;
    p->value = rows;
}

#include "generate_value.h"
#include "generate_reduce.h"
#include "generate_loops.h"
#include "generate_stages.h"

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
        gen_put(g, "%c * %d + %c)", "abcd"[t->rank - 2], t -> axis[t->rank - 1].extent,
                "abcd"[t->rank - 1]);
    } else {
        gen_put(g, "(%s) -> (", inputs[t->rank]);
        if (way < 5) gen_put_permutation(g, t);
        else if (way == 5) gen_put_tiles(g, t);
        else gen_put_mixture(g, t);
        gen_put(g, ")");
    }
    if (gen_chance(g, 30))
        gen_put(g, t->type == IRL_BOOL ? ", pad(true)" : ", pad(%s(%d))", gen_text(t->type),
                gen_below(g, 5));
    gen_put(g, ")");
}

static void gen_layouts(gen *g)
{
    int k;
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *t = &g->tensors[k];
        if (t->is_fixed || t->rank == 0 || strchr("tay", t->name[0]) == NULL || !gen_chance(g, 35))
            continue;
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
    if (g->n && gen_chance(g, 30)) gen_line(g, "assert(n == %d, \"n is %d\")", g->n, g->n);
    if (g->n && gen_chance(g, 30)) gen_line(g, "assume(n >= 1)");
    if (g->n && gen_chance(g, 15)) gen_line(g, "assert(n %% %d == 0, \"a multiple\")", g->n);
    if (g->n && gen_chance(g, 20)) {
        g->m = 2 * g->n + 1;
        gen_line(g, "let m: index = n * 2 + 1");
    }
    if (gen_chance(g, 15)) {
        gen_name *v = &g->names[g->name_count++];
        snprintf(v->text, sizeof v->text, "v%d", g->name_number++);
        v->type = gen_chance(g, 50) ? IRL_F32 : IRL_I32;
        gen_line(g, "let %s: %s = %d", v->text, gen_text(v->type), gen_between(g, -9, 9));
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
        if (t->lanes) p->extent[p->rank++] = t->lanes; /* of the data, which are scalars */
    }
}

static void gen_put_params(gen *g, const gen_case *c)
{
    int k, j;
    for (k = 0; k < c->param_count; k++) {
        const gen_param *p = &c->params[k];
        if (p->is_implicit && c->seed % 2) continue; /* the buffer says it */
        gen_put(g, g->text[g->length - 1] == '(' ? "" : ", ");
        if (!p->is_buffer) gen_put(g, "%s: %s", p->name, gen_text(p->type));
        if (p->is_implicit) gen_put(g, " implicit");
        for (j = 0; j < g->tensor_count; j++)
            if (p->is_buffer && strcmp(p->name, g->tensors[j].name) == 0) {
                gen_put_shape(g, &g->tensors[j]);
                gen_put(g, "%s", g->tensors[j].attributes);
            }
    }
}

/* The first axis of a parameter whose extent is made of n; NULL. */
static const gen_axis *gen_axis_of_n(const gen *g, const gen_param *p)
{
    int k, axis;
    for (k = 0; k < g->tensor_count; k++)
        for (axis = 0; axis < g->tensors[k].rank; axis++)
            if (strcmp(p->name, g->tensors[k].name) == 0 &&
                strchr(g->tensors[k].axis[axis].text, 'n'))
                return &g->tensors[k].axis[axis];
    return NULL;
}

/* n as an implicit parameter, in front of the first buffer that it is in the shape of. */
static void gen_make_implicit(gen *g, gen_case *c)
{
    int at = 1;
    if (!g->n || !gen_one_line_chance(g, 40)) return;
    while (at < c->param_count && !gen_axis_of_n(g, &c->params[at])) at++;
    if (at < c->param_count && strcmp(gen_axis_of_n(g, &c->params[at])->text, "n") == 0) {
        const gen_param n = c->params[0];
        memmove(c->params, c->params + 1, (size_t)(at - 1) * sizeof *c->params);
        c->params[at - 1] = n;
        c->params[at - 1].is_implicit = 1;
    }
}

/* Takes the body that was written so far out of g, and begins the function's text: its name and
   parameters. */
static char *gen_begin_func(gen *g, const gen_case *c, uint64_t seed)
{
    char *body = g->text;
    g->text = NULL;
    g->length = g->capacity = 0;
    gen_put_definitions(g);
    gen_put(g, "func f%d(", (int)(seed % 1000000));
    gen_put_params(g, c);
    gen_put(g, ")");
    return body;
}

/* How many functions got a text without some kinds of axes, and of how many these could not be
   inferred, so that they keep them. */
static int gen_without_kinds, gen_needs_kinds;

/* The text with some of `spatial(n)` and `reduce(n)` as `n`; freed by the caller. NULL: with
   all. */
static char *gen_leave_out(const char *text, uint64_t *random)
{
    static const char *const kinds[] = { ": spatial(", ": reduce(" };
    char *copy = (char *)malloc(strlen(text) + 1), *out = copy;
    int   k, depth, changed = 0;
    if (!copy) abort();
    while (*text) {
        for (k = 0; k < 2 && strncmp(text, kinds[k], strlen(kinds[k])) != 0; k++) {}
        *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (k == 2 || *random >> 63) {
            *out++ = *text++;
            continue;
        }
        changed = 1;
        *out++ = ':';
        *out++ = ' ';
        text += strlen(kinds[k]);
        for (depth = 1; *text; text++) {
            depth += (*text == '(') - (*text == ')');
            if (depth == 0) break;
            *out++ = *text;
        }
        text += *text != '\0';
    }
    *out = '\0';
    if (changed) return copy;
    free(copy);
    return NULL;
}

/* One function of two leaves out kinds, if they can be inferred: its meaning stays the same. */
static void gen_without(gen_case *c)
{
    uint64_t random = (c->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    char    *text = random >> 62 & 1 ? gen_leave_out(c->text, &random) : NULL;
    irl_ctx *cx;
    int      ok;
    if (!text) return;
    cx = irl_ctx_create(NULL);
    ok = irl_func_accesses(irl_func_parse(cx, text, strlen(text), NULL)) != NULL;
    if (!ok && irl_ok(cx)) abort();
    gen_without_kinds += ok;
    gen_needs_kinds += !ok && irl_diag_of(cx)->code == IRL_ERROR_UNSTATED_AXIS;
    if (ok || irl_diag_of(cx)->code != IRL_ERROR_UNSTATED_AXIS) { /* or it is a defect: shown */
        free(c->text);
        c->text = text;
    } else free(text);
    irl_ctx_destroy(cx);
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
    g.one_line = !options.written_out;
    g.work = g.options.cells > 1000 ? 4 : GEN_REDUCE_WORK;
    if (gen_chance(&g, 25)) {
        g.n = gen_between(&g, 1, 13);
        gen_scalar_param(&g, &c, "n", IRL_INDEX, g.n);
    }
    if (gen_chance(&g, 20)) {
        int value = gen_between(&g, -9, 9); /* one after the other, by every compiler */
        gen_scalar_param(&g, &c, "p", gen_chance(&g, 50) ? IRL_I32 : IRL_F32, value);
    }
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
    gen_make_implicit(&g, &c);
    body = gen_begin_func(&g, &c, seed);
    gen_layouts(&g);
    if (gen_chance(&g, 10)) gen_put(&g, "\n    attr(made_by = \"a generator\")");
    gen_put(&g, " {\n%s}\n", body);
    free(body);
    c.text = g.text;
    gen_without(&c);
    return c;
}

static void gen_free(gen_case *c)
{
    free(c->text);
    free(c->called);
    c->text = c->called = NULL;
}

#include "generate_data.h"

/* Calls fn with the function of each of `count` seeds. */
static inline void gen_each(uint64_t first, int count, void (*fn)(const gen_case *c))
{
    gen_options options;
    memset(&options, 0, sizeof options);
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        gen_case c = gen_function(seed, options);
        fn(&c);
        gen_free(&c);
    }
}

#endif
