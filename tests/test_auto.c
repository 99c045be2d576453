/* test_auto.c - schedules that are made: each parses, is carried out, prints and replays, is the
   same in another context, and computes the same numbers in the interpreter, also lowered: of
   products, convolutions and reductions drawn at random on data whose sums are exact, of generated
   functions, and of the texts that a newcomer would write. Where it contracts or reassociates, the
   numbers are compared where they are rounded, too, within the errors of both (agreement.h). Where
   a nest is left alone, a reason is said.

   test_auto [FIRST [COUNT]]: these seeds. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include <float.h>
#include <math.h>

#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "experiment.h"
#include "agreement.h"
#include "failing.h"
#include "generate_phones.h"
#include "generate_sums.h"
#include "generate_namesakes.h"
#include "random64.h"
#include "text_corpus.h"

static int scheduled, left_alone; /* functions that got steps, and those that did not */
static int judged, not_judged;    /* compared on rounded numbers, and those that do not run there */
static irl_agreement agreement;

/* A schedule that changes what is rounded: f on rounded numbers beside g, or the module. */
static int is_agreed(const irl_func *f, const irl_arguments *given, const irl_func *g,
                     const irl_module *m, const char *steps)
{
    agreement_answer answer;
    if (!strstr(steps, "contract(") && !strstr(steps, "reassociate(") &&
        !strstr(steps, "expand_powers("))
        return 1;
    answer = agreement_of(f, given, g, m, &agreement);
    judged += answer != NOT_JUDGED;
    not_judged += answer == NOT_JUDGED;
    return answer != DISAGREE;
}

/* Are the lines of two schedules the same, but for lines that are comments? */
static int are_same_steps(const char *a, const char *b)
{
    for (;;) {
        while (strncmp(a, "    //", 6) == 0) a = strchr(a, '\n') + 1;
        while (strncmp(b, "    //", 6) == 0) b = strchr(b, '\n') + 1;
        const size_t length = strcspn(a, "\n");
        if (strcspn(b, "\n") != length || strncmp(a, b, length) != 0) return 0;
        if (!a[length]) return 1;
        a += length + 1;
        b += length + 1;
    }
}

/* The schedule of f, judged by all that can be asked of it but the numbers; NULL: wrong, and said
   in *wrong. */
static irl_func *make(irl_ctx *cx, const irl_func *f, const irl_target *target, const char **wrong)
{
    const char *text = irl_schedule_auto(f, target), *again;
    irl_func   *g, *replayed;
    *wrong = "made";
    if (!text[0]) return NULL;
    *wrong = "made twice";
    again = irl_schedule_auto(f, target);
    if (strcmp(text, again) != 0) return NULL;
    *wrong = "told why";
    if (strstr(text, "stays as it is: \n")) return NULL;
    if (scheduled % 8 == 0 && !are_same_steps(text, irl_schedule_auto_why(f, target))) return NULL;
    *wrong = "carried out";
    g = irl_schedule_parse(f, text, IRL_TO_NUL, NULL);
    if (!g) return NULL;
    *wrong = "replayed";
    replayed = irl_schedule_parse(f, irl_schedule_text(g), IRL_TO_NUL, NULL);
    if (!replayed || strcmp(irl_func_text(g), irl_func_text(replayed)) != 0) return NULL;
    if (strchr(text, ';')) scheduled++;
    else left_alone++;
    *wrong = "printed and parsed";
    return irl_func_parse(cx, irl_func_text(g), IRL_TO_NUL, NULL) ? g : NULL;
}

/* ------------------------------------------------------------------ products drawn at random */

enum { AXES = 6, CELLS = 1 << 14, BUFFERS = 3 };

typedef struct product {
    int  spatial, reduce, extent[AXES];
    char text[2048];
    int  cells[BUFFERS]; /* of the result, then of the operands */
    int  is_integer, is_plain; /* loops as a person writes them, with no block */
    int  begins;               /* the result with: 0 a number, 1 what y holds, 2 that, scaled */
    char guard[128]; /* an operand is read where that holds; "": always */
} product;

static char *put(char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    at += vsprintf(at, format, arguments);
    va_end(arguments);
    return at;
}

/* The indices of an operand: axes in some order, now and then the sum of two, as of a window. */
typedef struct operand {
    int rank, first[AXES], second[AXES], offset[AXES]; /* second -1: none */
    int part[AXES];                                    /* iterations that have the same index */
    int by[AXES];                                      /* the stride of a window; 0: 1 */
} operand;

static operand draw_operand(const product *p)
{
    const int axes = p->spatial + p->reduce;
    operand   o;
    int       used[AXES] = { 0 }, k;
    memset(&o, 0, sizeof o);
    for (k = 0; k < axes; k++) {
        int at = random_below(axes);
        if (used[at] || random_below(4) == 0) continue;
        used[at] = 1;
        o.first[o.rank] = at;
        o.second[o.rank] = -1;
        o.part[o.rank] = !p->reduce && random_below(4) == 0 ? 2 + random_below(3) : 1;
        if (o.part[o.rank] == 1 && random_below(5) == 0) {
            int other = random_below(axes);
            if (!used[other]) {
                used[other] = 1;
                o.second[o.rank] = other;
                o.by[o.rank] = random_below(2) ? 2 + random_below(2) : 0;
            }
        }
        o.offset[o.rank++] = random_below(8) == 0 ? random_below(3) : 0;
    }
    return o;
}

static int extent_of(const product *p, const operand *o, int k)
{
    return (p->extent[o->first[k]] - 1) * (o->by[k] ? o->by[k] : 1) /
               (o->part[k] ? o->part[k] : 1) + 1 + o->offset[k] +
           (o->second[k] < 0 ? 0 : p->extent[o->second[k]] - 1);
}

/* Now and then a layout for it: an index in blocks, whose parts go first and last. */
static char *put_layout(char *at, const product *p, const operand *o, const char *name)
{
    static const int sizes[] = { 2, 3, 4, 8 };
    const int        cut = o->rank ? random_below(o->rank) : 0, size = sizes[random_below(4)];
    int              k;
    if (!o->rank || random_below(2) || extent_of(p, o, cut) % size) return at;
    at = put(at, " layout(%s: (", name);
    for (k = 0; k < o->rank; k++) at = put(at, "%sd%d", k ? ", " : "", k);
    at = put(at, ") -> (d%d / %d", cut, size);
    for (k = 0; k < o->rank; k++)
        if (k != cut) at = put(at, ", d%d", k);
    return put(at, ", d%d %% %d))", cut, size);
}

/* is_shape 2: the neighbours' indices, as far as there are neighbours. */
static char *put_operand(char *at, const product *p, const operand *o, int is_shape, int *cells)
{
    int k;
    at = put(at, "[");
    *cells = 1;
    for (k = 0; k < o->rank; k++) {
        const int extent = extent_of(p, o, k);
        *cells *= extent;
        at = put(at, k ? ", " : "");
        if (is_shape == 1) at = put(at, "%d", extent);
        else {
            const char letter = p->is_plain ? 'i' : 'v';
            at = put(at, "%s%c%d", is_shape ? "min(" : "", letter, o->first[k]);
            if (o->by[k]) at = put(at, " * %d", o->by[k]);
            if (o->part[k] > 1) at = put(at, " / %d", o->part[k]);
            if (o->second[k] >= 0) at = put(at, " + %c%d", letter, o->second[k]);
            if (o->offset[k]) at = put(at, " + %d", o->offset[k]);
            if (is_shape) at = put(at, " + 1, %d)", extent - 1);
        }
    }
    return put(at, "]");
}

/* y, of the temporary's cells, by loops in their order or another one. */
static char *put_behind(char *at, const product *p, const operand *out)
{
    const int first = random_below(4) ? 0 : random_below(out->rank);
    int       k;
    at = put(at, "    for (");
    for (k = 0; k < out->rank; k++) {
        const int axis = (k + first) % out->rank;
        at = put(at, "%sj%d: %d", k ? ", " : "", axis, extent_of(p, out, axis));
    }
    at = put(at, ")\n        y[");
    for (k = 0; k < out->rank; k++) at = put(at, "%sj%d", k ? ", " : "", k);
    at = put(at, "] = max(t[");
    for (k = 0; k < out->rank; k++) at = put(at, "%sj%d", k ? ", " : "", k);
    return put(at, "], %s);\n", p->is_integer ? "2" : "2.0f");
}

/* A window, lo <= v0 + v1 < hi; or a mask of axes, such as k >= i && k <= j. */
static void draw_guard(product *p)
{
    static const char *const relations[] = { "<", "<=", ">", ">=", "!=" };
    const int                reduced = p->spatial + random_below(p->reduce);
    const char               v = p->is_plain ? 'i' : 'v';
    int                      axis = random_below(p->spatial);
    if (random_below(2)) {
        const int most = p->extent[axis] + p->extent[reduced] - 1 - random_below(3);
        if (most) put(put(p->guard, "%c%d + %c%d >= %d && ", v, axis, v, reduced, random_below(3)),
                      "%c%d + %c%d < %d", v, axis, v, reduced, most);
        return;
    }
    char *at = p->guard;
    for (int parts = 1 + random_below(3); parts-- > 0; axis = random_below(p->spatial))
        at = put(at, "%c%d %s %c%d%s", v, reduced, relations[random_below(5)], v, axis,
                 !parts ? "" : random_below(4) ? " && " : " || ");
}

static void draw_product(product *p)
{
    static const int         extents[] = { 1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16, 16, 20, 32, 33 };
    static const char *const forms[] = { "%s + %s * %s", "%s + %s * %s", "%s * %s + %s",
                                         "%s + (%s - %s)", "max(%s, %s + %s)", "min(%s, %s * %s)" };
    const char *type, *zero;
    operand     out, in[2];
    char       *at, *at_cell, cell[3][300];
    int         order[AXES] = { 0, 1, 2, 3, 4, 5 };
    int         k, form, axes, points, is_both, is_between;
    const char *result;
    do {
        p->spatial = 1 + random_below(4);
        p->reduce = random_below(3); /* 0: element by element, in a plain nest */
        axes = p->spatial + p->reduce;
        points = 1;
        for (k = 0; k < axes; k++)
            points *= p->extent[k] = extents[random_below((int)(sizeof extents / sizeof *extents))];
    } while (points > 6000);
    p->guard[0] = '\0';
    p->begins = p->reduce ? random_below(4) % 3 : 0;
    p->is_plain = !p->reduce || (p->begins && random_below(2));
    if (p->reduce && random_below(3) == 0) draw_guard(p);
    p->is_integer = random_below(3) == 0;
    type = p->is_integer ? "i32" : "f32";
    zero = p->is_integer ? "3" : "0.5f";
    memset(&out, 0, sizeof out);
    for (k = 0; k < p->spatial; k++) {
        int other = random_below(k + 1);
        out.first[k] = out.first[other];
        out.first[other] = k;
        out.second[k] = -1;
    }
    out.rank = p->spatial;
    in[0] = draw_operand(p);
    in[1] = draw_operand(p);
    at = put(p->text, "func product(y: %s", type);
    at = put_operand(at, p, &out, 1, &p->cells[0]);
    at = put(at, ", a: %s", type);
    at = put_operand(at, p, &in[0], 1, &p->cells[1]);
    at = put(at, ", b: %s", type);
    at = put_operand(at, p, &in[1], 1, &p->cells[2]);
    at = put(at, ")");
    at = put_layout(at, p, &out, "y");
    at = put_layout(at, p, &in[0], "a");
    at = put_layout(at, p, &in[1], "b");
    is_between = p->reduce && !p->begins && random_below(3) == 0; /* the sum is a temporary */
    result = is_between ? "t" : "y";
    at = put(at, " {\n");
    if (is_between) {
        at = put_operand(put(at, "    alloc t: %s", type), p, &out, 1, &points);
        at = put(at, ";\n");
    }
    /* with nothing in front of the loops that reduce these are anywhere */
    for (k = axes; p->is_plain && p->begins == 1 && k-- > 1;) {
        int other = random_below(k + 1), was = order[k];
        order[k] = order[other];
        order[other] = was;
    }
    at = put(at, "    for (");
    for (k = 0; k < axes; k++) {
        if (p->is_plain && p->begins == 2 && k == p->spatial) {
            at = put_operand(put(at, ") {\n        y"), p, &out, 0, &points);
            at = put_operand(put(at, " = y"), p, &out, 0, &points);
            at = put(at, " * %s;\n        for (", zero);
        } else if (k) at = put(at, ", ");
        at = put(at, "i%d: %d", order[k], p->extent[order[k]]);
    }
    at = put(at, ")\n        ");
    if (!p->reduce) {
        at = put_operand(put(at, "y"), p, &out, 0, &points);
        const int power = p->is_integer || random_below(4) ? 0 : 2 + random_below(7);
        at = put_operand(put(at, power ? " = pow(a" : " = a"), p, &in[0], 0, &points);
        if (power) at = put(at, ", %d.0f)", power);
        at = put_operand(put(at, random_below(2) ? " * b" : " - b"), p, &in[1], 0, &points);
        if (random_below(3) == 0) at = put_operand(put(at, " + a"), p, &in[0], 2, &points);
        put(at, ";\n}\n");
        return;
    }
    if (!p->is_plain) at = put(at, "block y(");
    for (k = 0; !p->is_plain && k < axes; k++)
        at = put(at, "%sv%d: %s(%d) = i%d", k ? ", " : "", k, k < p->spatial ? "spatial" : "reduce",
                 p->extent[k], k);
    form = random_below(6);
    put_operand(put(cell[form == 2 ? 2 : 0], result), p, &out, 0, &points);
    at_cell = cell[form == 2 ? 0 : 1];
    if (p->guard[0]) at_cell = put(at_cell, "(%s ? ", p->guard);
    at_cell = put_operand(put(at_cell, "a"), p, &in[0], 0, &points);
    is_both = p->guard[0] && form < 2 && random_below(2); /* the product is guarded */
    if (p->guard[0] && !is_both) put(at_cell, " : %s)", zero);
    at_cell = put_operand(put(cell[form == 2 ? 1 : 2], "b"), p, &in[1], 0, &points);
    if (is_both) put(at_cell, " : %s)", zero);
    if (!p->is_plain) {
        at = put_operand(put(at, ") {\n            init %s", result), p, &out, 0, &points);
        at = put(at, " = ");
        if (p->begins) at = put_operand(put(at, "y"), p, &out, 0, &points);
        at = put(at, "%s%s;\n            ", p->begins == 2 ? " * " : "",
                 p->begins == 1 ? "" : zero);
    }
    at = put_operand(put(at, "%s", result), p, &out, 0, &points);
    at = put(at, " = ");
    at = put(at, forms[form], cell[0], cell[1], cell[2]);
    at = put(at, ";\n%s", p->is_plain && p->begins == 1 ? "" : "        }\n");
    if (is_between) at = put_behind(at, p, &out);
    put(at, "}\n");
}

/* Small integers, so that sums of products are exact, and a product rounded once is the same. */
static void fill_cells(const product *p, void *memory, int cells)
{
    int k;
    for (k = 0; k < cells; k++) {
        int value = random_below(9) - 4;
        if (p->is_integer) ((int32_t *)memory)[k] = value;
        else ((float *)memory)[k] = (float)value;
    }
}

static float cells_of[2 * BUFFERS][CELLS], begun[CELLS]; /* what the result holds before */

/* The sign of a zero that min and max give is free. */
static int same_cells(const product *p, const float *a, const float *b)
{
    int k;
    if (p->is_integer) return memcmp(a, b, (size_t)p->cells[0] * 4) == 0;
    for (k = 0; k < p->cells[0] && a[k] == b[k]; k++) {}
    return k == p->cells[0];
}

static int same_numbers(const product *p, const irl_func *f, const irl_module *m)
{
    irl_arguments arguments;
    int           k;
    arguments = IRL_ARGS(cells_of[3], cells_of[4], cells_of[5]);
    for (k = 1; k < BUFFERS; k++) memcpy(cells_of[3 + k], cells_of[k], sizeof cells_of[k]);
    memcpy(cells_of[3], begun, sizeof begun);
    return (f ? irl_func_interpret(f, arguments) : m ? irl_module_interpret(m, arguments) : 0) &&
           same_cells(p, cells_of[0], cells_of[3]);
}

/* Devices with small groups, whose tiles small functions fill: with shared memory, and without. */
static void small_groups(irl_ctx *cx)
{
    irl_target_parse(cx, "target small: `opencl12-gpu` { subgroup = 4; group_items = 16; "
                         "units = 2; line_bytes = 16; banks = 4; registers = 24; }", IRL_TO_NUL,
                     NULL);
    irl_target_parse(cx, "target phone: mali { subgroup = 2; group_items = 8; units = 1; }",
                     IRL_TO_NUL, NULL);
}

static void one_product(uint64_t seed)
{
    static const char *const targets[] = { "opencl12",      "opencl12",     "opencl12-embedded",
                                           "strict",        "opencl12-gpu", "opencl12-gpu",
                                           "opencl12-avx2", "small", "mali", "phone" };
    irl_ctx          *cx = irl_ctx_create(NULL), *other = irl_ctx_create(NULL);
    const irl_target *target;
    product           p;
    irl_func         *f, *g = NULL;
    irl_module       *m;
    irl_lower_options how;
    irl_arguments     given = IRL_ARGS(cells_of[0], cells_of[1], cells_of[2]);
    const char       *wrong = "parsed", *again;
    int               k;
    random64_state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    (void)random64();
    draw_product(&p);
    small_groups(cx);
    small_groups(other);
    target = irl_target_find_in(cx, targets[random_below(10)]);
    for (k = 0; k < BUFFERS; k++)
        if (p.cells[k] > CELLS) goto done;
    memset(begun, 0x5a, sizeof begun);
    if (p.begins) fill_cells(&p, begun, p.cells[0]);
    memcpy(cells_of[0], begun, sizeof begun);
    fill_cells(&p, cells_of[1], p.cells[1]);
    fill_cells(&p, cells_of[2], p.cells[2]);
    f = irl_func_parse(cx, p.text, IRL_TO_NUL, NULL);
    if (f && irl_func_interpret(f, IRL_ARGS(cells_of[0], cells_of[1], cells_of[2])))
        g = make(cx, f, target, &wrong);
    again = irl_schedule_auto(irl_func_parse(other, p.text, IRL_TO_NUL, NULL),
                              irl_target_find_in(other, target->name));
    if (g && strcmp(again, irl_schedule_auto(f, target)) != 0)
        g = NULL, wrong = "the same elsewhere";
    if (g && !same_numbers(&p, g, NULL)) g = NULL, wrong = "the same numbers";
    memset(&how, 0, sizeof how);
    how.schedule = IRL_SCHEDULE_AUTO;
    m = g ? irl_func_lower_with(f, target, &how) : NULL;
    if (g && strcmp(irl_schedule_text(irl_module_scheduled(m)), irl_schedule_text(g)) != 0)
        g = NULL, wrong = "the schedule that lowering makes";
    if (g && !same_numbers(&p, NULL, m))
        g = NULL, wrong = "the same numbers, lowered with a schedule";
    if (g && !same_numbers(&p, NULL, irl_func_lower(g, target)))
        g = NULL, wrong = "the same numbers, lowered";
    if (g && !is_agreed(f, &given, g, NULL, irl_schedule_text(g)))
        g = NULL, wrong = "the same up to rounding";
    if (g && !is_agreed(f, &given, NULL, m, irl_schedule_text(g)))
        g = NULL, wrong = "the same up to rounding, lowered";
    if (!CHECK(g != NULL) && test_failed < 6)
        printf("seed %lu, not %s: %s\n%s%s\n", (unsigned long)seed, wrong, irl_diag_text(cx),
               p.text, irl_ok(cx) ? irl_schedule_auto(f, target) : "");
done:
    irl_ctx_destroy(cx);
    irl_ctx_destroy(other);
}

/* ------------------------------------------------------------------ generated functions */

/* Is f lowered as it is written? It may leave its buffers for other values of n than were drawn. */
static int is_lowered(const irl_func *f)
{
    const irl_mark mark = irl_ctx_mark(f->cx);
    const int      is = irl_func_lower(f, &irl_target_opencl12) != NULL ||
                   irl_diag_of(f->cx)->code != IRL_ERROR_OUT_OF_BOUNDS;
    irl_ctx_rewind(f->cx, mark);
    return is;
}

static int run_generated(experiment *x, irl_ctx *cx, const char *text)
{
    irl_func   *f = experiment_begin(x, cx, text);
    const char *wrong = "";
    irl_note    strict = { "numbers", NULL, "strict" };
    if (!f) return 0;
    if (!is_lowered(f)) return 1;
    f = make(cx, irl_func_set_attr(f, strict), &irl_target_opencl12, &wrong);
    if (!f) return experiment_fail(x, "not ", wrong);
    return experiment_same(x, f, NULL, "scheduled", "") &&
           experiment_same(x, NULL, irl_func_lower(f, &irl_target_opencl12), "module", "");
}

/* As it is written, so that sums may be contracted; x->about: their order is free, too. */
static int run_rounded(experiment *x, irl_ctx *cx, const char *text)
{
    static const irl_note free_order = { "numbers", NULL, "free" };
    const irl_arguments   given = gen_arguments(&x->given);
    irl_func             *f = experiment_begin(x, cx, text), *g;
    const char           *wrong = "", *steps;
    if (f && x->about) f = irl_func_set_attr(f, free_order);
    g = f ? make(cx, f, &irl_target_opencl12, &wrong) : NULL;
    if (!g) return experiment_fail(x, "not ", wrong);
    steps = irl_schedule_text(g);
    return (is_agreed(f, &given, g, NULL, steps) &&
            is_agreed(f, &given, NULL, irl_func_lower(g, &irl_target_opencl12), steps)) ||
           experiment_fail(x, "beyond the errors of both", "");
}

/* -------------------------------------------------------- element by element, at random */

/* Three axes in any order of loops, one of one iteration among them; operands and result lie in
   blocks, transposed, or as they are; one operand is read backwards, or again and again. is_pack:
   a large tensor comes into blocks. */
static void elements_text(char *at, int extent[3], int is_pack)
{
    static const char *const layouts[] = { "", "(a, b, c) -> (c / 4, a, b, c % 4)",
                                           "(a, b, c) -> (b, c, a)",
                                           "(a, b, c) -> (a, b / 2, c, b % 2)",
                                           "(a, b, c) -> (a, c / 4, b / 2, b % 2, c % 4)" };
    static const char *const orders[] = { "ijku", "ikju", "kjiu", "ukij", "jukI", "jiuk" };
    const char *order = orders[is_pack ? 0 : TEST_RANDOM(6)], *x = layouts[TEST_RANDOM(5)];
    const char *y = layouts[is_pack ? 1 : TEST_RANDOM(5)];
    const int   form = is_pack ? 0 : TEST_RANDOM(5);
    const int   most = TEST_RANDOM(5) ? 4 : 16; /* tiles want many items */
    int         k;
    extent[0] = 2 * most - TEST_RANDOM(most);
    extent[1] = 2 * (most - TEST_RANDOM(most / 2));
    extent[2] = 4 * (most / 2 - TEST_RANDOM(most / 4));
    if (is_pack) {
        extent[0] = extent[1] = extent[2] = 32;
        x = "";
    }
    at = put(at, "func elements(x: f32[%d, %d, %d], v: f32[%d], y: f32[%d, %d, %d])", extent[0],
             extent[1], extent[2], extent[2], extent[0], extent[1], extent[2]);
    if (*x) at = put(at, " layout(x: %s)", x);
    if (*y) at = put(at, " layout(y: %s)", y);
    at = put(at, " {\n    for (");
    for (k = 0; k < 4; k++) {
        const char name = order[k] == 'I' ? 'i' : order[k];
        at = put(at, "%s%c: %d", k ? ", " : "", name, name == 'u' ? 1 : extent[name - 'i']);
    }
    at = put(at, ")\n        y[i, j, k] = x[i + u, j, %s] * 2.0f",
             form == 1 ? "k ^ 3" : form == 2 ? "k / 2" : "k");
    if (form == 1) at = put(at, " + v[%d - k]", extent[2] - 1);
    if (form == 3) at = put(at, " + v[k]");
    if (form == 4) at = put(at, " + f32(i * 3 + k)");
    put(at, ";\n}\n");
}

enum { ELEMENTS = 32 * 32 * 32 };

static void elements(int count)
{
    static float x[ELEMENTS], v[32], y[3][ELEMENTS];
    int          n, k, j, cells, made[2] = { 0, 0 };
    for (n = 0; n < count; n++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        char        text[1024];
        const char *wrong = "", *steps;
        int         extent[3];
        irl_func   *f, *g;
        const irl_target *target;
        elements_text(text, extent, n == 0);
        cells = extent[0] * extent[1] * extent[2];
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        small_groups(cx);
        target = n % 3 == 2 ? irl_target_find_in(cx, n % 2 ? "small" : "phone")
                            : &irl_target_opencl12;
        g = make(cx, f, target, &wrong);
        steps = irl_schedule_auto(f, target);
        made[0] += strstr(steps, "fuse(") != NULL;
        made[1] += strstr(steps, "annotate(") != NULL;
        for (k = 0; k < cells; k++) {
            x[k] = (float)(k % 1021);
            for (j = 0; j < 3; j++) y[j][k] = -1;
        }
        for (k = 0; k < extent[2]; k++) v[k] = (float)(k * 7);
        if (!CHECK(g && irl_func_interpret(f, IRL_ARGS(x, v, y[0])) &&
                   irl_func_interpret(g, IRL_ARGS(x, v, y[1])) &&
                   irl_module_interpret(irl_func_lower(f, target), IRL_ARGS(x, v, y[2])) &&
                   memcmp(y[0], y[1], (size_t)cells * sizeof **y) == 0 &&
                   memcmp(y[0], y[2], (size_t)cells * sizeof **y) == 0))
            printf("%s%s%s%s", text, steps, wrong, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
    printf("elements: of %d nests %d with a walk through several loops, %d transposed in tiles\n",
           count, made[0], made[1]);
    CHECK(made[0] * 10 > count && made[1] > 0);
}

/* -------------------------------------------------------- tiles of few registers, at random */

enum { TILE_CELLS = 300 * 300, GUARD_CELLS = 1 << 14 };

/* A product, whose operands are transposed or lie in blocks, of as many rows as no tile divides, or
   a sum over windows that neighbours share: large enough that lines are far apart. */
static void tile_text(char *at)
{
    static const int wide[] = { 16, 24, 32, 40, 256, 272 };
    const int        is_long = TEST_RANDOM(3) == 0;
    const int        n = wide[TEST_RANDOM(6)], k = 4 * (1 + TEST_RANDOM(2)) + TEST_RANDOM(2);
    const int        m = is_long ? 256 + TEST_RANDOM(8) : 20 + TEST_RANDOM(n < 64 ? 120 : 90);
    const int        columns = is_long ? 128 : n;
    const int        r = 2 + TEST_RANDOM(2), e = 2 + TEST_RANDOM(8), stride = 1 + TEST_RANDOM(3);
    const char      *a = TEST_RANDOM(2) ? "vi, vk" : "vk, vi";
    const char      *b = TEST_RANDOM(2) ? "vk, vj" : "vj, vk";
    if (TEST_RANDOM(6) == 0) {
        const int edge = 1 + TEST_RANDOM(4), rows = 20 + TEST_RANDOM(30), o = 2 + TEST_RANDOM(8);
        put(at, "func tile(a: f32[%d, %d, %d], b: f32[8], c: f32[%d, %d, %d]) {\n    for (o: %d, "
                "i: %d, j: %d) c[o, i, j] = i >= %d && i < %d && j >= %d && j < %d%s ? a[o, i - %d,"
                " j - %d] + %s : b[o %% 8];\n}\n",
            o, rows, 2 * rows, o, rows + 2 * edge, 2 * rows + edge, o, rows + 2 * edge,
            2 * rows + edge, edge, rows + edge, edge, 2 * rows + edge,
            TEST_RANDOM(4) ? "" : TEST_RANDOM(2) ? " && j != 40" : " && (i + j) % 3 != 1", edge,
            edge, TEST_RANDOM(2) ? "b[0]" : "a[o, max(i - 9, 0), max(j - 9, 0)]");
        return;
    }
    if (TEST_RANDOM(8) == 0) { /* a transpose of odd sizes */
        const int i = 60 + TEST_RANDOM(160), j = 60 + TEST_RANDOM(160);
        put(at, "func tile(a: f32[%d, %d], b: f32[8], c: f32[%d, %d]) {\n    for (i: %d, j: %d) "
                "c[%s] = a[%s]%s;\n}\n",
            i, j, j, i, i, j, "j, i", "i, j", TEST_RANDOM(2) ? "" : " * 2.0f - 1.0f");
        return;
    }
    if (TEST_RANDOM(8) == 0) { /* one element of another place, which is held to its range */
        static const char *const forms[] = { "(j + %d) %% %d", "(j + %d - 1) %% %d",
                                             "max(0, min(j - %d, %d - 1))",
                                             "j + %d < %d ? j + 1 : 0" };
        const int rows = 20 + TEST_RANDOM(30), columns = 250 + TEST_RANDOM(50);
        const int by = 1 + TEST_RANDOM(TEST_RANDOM(2) ? 3 : columns);
        at = put(at, "func tile(a: f32[%d, %d], b: f32[8], c: f32[%d, %d]) {\n    for (i: %d, j: "
                     "%d) c[i, j] = a[%s, ",
                 rows, columns, rows, columns, rows, columns,
                 TEST_RANDOM(2) ? "i" : "i > 0 ? i - 1 : 0");
        at = put(at, forms[TEST_RANDOM(4)], by, columns);
        put(at, "]%s;\n}\n", TEST_RANDOM(2) ? "" : " + a[i, j]");
        return;
    }
    if (TEST_RANDOM(8) == 0) { /* a matrix and itself */
        static const char *const forms[] = { "a[i, k] * a[j, k]", "a[k, i] * a[k, j]",
                                             "(a[i, k] - a[j, k]) * (a[i, k] - a[j, k])",
                                             "a[i, k] * a[k, j]", "max(a[k, i], a[j, k])" };
        const int size = 8 * (2 + TEST_RANDOM(6)) + TEST_RANDOM(2);
        put(at, "func tile(a: f32[%d, %d], b: f32[8], c: f32[%d, %d]) {\n    for (i: %d, j: %d) "
                "c[i, j] = sum(k: %d, %s);\n}\n",
            size, size, size, size, size, size, size, forms[TEST_RANDOM(5)]);
        return;
    }
    if (TEST_RANDOM(8) == 0) { /* results that lie some elements apart, with a border or without */
        const int by = 2 + TEST_RANDOM(2), long_one = 60 + TEST_RANDOM(120), o = 4 + TEST_RANDOM(9);
        const int edge = TEST_RANDOM(2), at_once = TEST_RANDOM(by), i = 20 + TEST_RANDOM(30);
        put(at, "func tile(a: f32[%d, %d], b: f32[%d, %d, %d], c: f32[%d, %d]) {\n"
                "    for (o: %d, q: %d) c[o, %d * q + %d] = sum(i: %d, s: %d, q + s >= %d && q + s"
                " < %d ? a[i, q + s - %d] * b[i, o, s] : 0.0f);\n}\n",
            i, edge ? long_one : long_one + e, i, o, e, o, by * long_one + at_once, o, long_one, by,
            at_once, i, e, edge, edge ? long_one + 1 : long_one + e, edge);
        return;
    }
    if (TEST_RANDOM(8) == 0) { /* windows whose indices are held to the operand's range */
        static const char *const forms[] = {
            "max(0, min(%d, i + r - %d))", "(i + r + %d - %d) %% %d",
            "i + r < %d ? 0 : min(i + r - %d, %d)"
        };
        const int rows = 12 + TEST_RANDOM(30), o = 1 + TEST_RANDOM(16), form = TEST_RANDOM(3);
        const int edge = 1 + TEST_RANDOM(2);
        at = put(at, "func tile(a: f32[%d, %d], b: f32[%d, %d, %d], c: f32[%d, %d, %d]) {\n"
                     "    for (o: %d, i: %d, j: %d) c[o, i, j] = sum(r: %d, s: %d, a[",
                 rows, 2 * rows, o, r, e, o, rows, 2 * rows, o, rows, 2 * rows, r, e);
        at = form == 0   ? put(at, forms[0], rows - 1, edge)
             : form == 1 ? put(at, forms[1], rows, edge, rows)
                         : put(at, forms[2], edge, edge, rows - 1);
        put(at, ", min(max(j + s - %d, 0), %d)] * b[o, r, s]);\n}\n", edge, 2 * rows - 1);
        return;
    }
    if (TEST_RANDOM(5) == 0) {
        const int edge = TEST_RANDOM(e + 1), rows = 12 + TEST_RANDOM(30), o = 1 + TEST_RANDOM(12);
        put(at, "func tile(a: f32[%d, %d], b: f32[%d, %d, %d], c: f32[%d, %d, %d]) {\n"
                "    for (o: %d, i: %d, j: %d) c[o, i, j] = sum(r: %d, s: %d, i + r >= %d && i + r "
                "< %d && j + s >= %d && j + s < %d ? a[i + r - %d, j + s - %d] * b[o, r, s] : "
                "0.0f);\n}\n",
            rows, 2 * rows, o, r, e, o, rows, 2 * rows, o, rows, 2 * rows, r, e, edge % r,
            rows + edge % r, edge, 2 * rows + edge, edge % r, edge);
        return;
    }
    if (TEST_RANDOM(3) == 0) {
        put(at, "func tile(a: f32[%d, %d, %d], b: f32[%d, %d, %d], c: f32[%d, %d, %d]) {\n"
                "    for (h: %d, i: %d, j: %d, r: %d, s: %d) block c(vh: spatial(%d) = h, "
                "vi: spatial(%d) = i, vj: spatial(%d) = j, vr: reduce(%d) = r, "
                "vs: reduce(%d) = s) {\n        init c[vh, vi, vj] = 1.0f;\n"
                "        c[vh, vi, vj] = c[vh, vi, vj] + "
                "a[vh + vr, vi * %d + vs, vj] * b[vr, vs, vj];\n    }\n}\n",
            2 + r, 32 * stride + e, n < 64 ? n : 16, r, e, n < 64 ? n : 16, 3, 32, n < 64 ? n : 16,
            3, 32, n < 64 ? n : 16, r, e, 3, 32, n < 64 ? n : 16, r, e, stride);
        return;
    }
    at = put(at, "func tile(a: f32[%d, %d], b: f32[%d, %d], c: f32[%d, %d])",
             a[1] == 'i' ? m : k, a[1] == 'i' ? k : m, b[1] == 'k' ? k : columns,
             b[1] == 'k' ? columns : k, m, columns);
    if (k % 4 == 0 && a[1] == 'i' && TEST_RANDOM(2))
        at = put(at, " layout(a: (i, k) -> (k / %d, i, k %% %d))", k / 2, k / 2);
    put(at, " {\n    for (i: %d, j: %d, k: %d) block c(vi: spatial(%d) = i, vj: spatial(%d) = j, "
            "vk: reduce(%d) = k) {\n        init c[vi, vj] = 1.0f;\n        c[vi, vj] = c[vi, vj] "
            "+ a[%s] * b[%s];\n    }\n}\n", m, columns, k, m, columns, k, a, b);
}

/* Functions of a, b and y that are drawn; what their schedules have in some of them. */
typedef struct drawn {
    const char        *what;
    void             (*draw)(char *text);
    const char *const *targets; /* four, which take turns */
    const char *const *seen;    /* up to NULL */
    const float       *a, *b;
    float             *y; /* three times as many cells */
    size_t             cells;
} drawn;

/* As written, behind the steps of its schedule, and lowered: the same in every bit. */
static void check_drawn(const drawn *q, int count)
{
    float *y[3];
    int    n, k, made[16] = { 0 };
    for (k = 0; k < 3; k++) y[k] = q->y + (size_t)k * q->cells;
    for (n = 0; n < count; n++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        const irl_target *target;
        char              text[2048];
        const char       *wrong = "", *steps;
        irl_func         *f, *g;
        small_groups(cx);
        target = irl_target_find_in(cx, q->targets[n % 4]);
        q->draw(text);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        g = make(cx, f, target, &wrong);
        steps = irl_schedule_auto(f, target);
        for (k = 0; q->seen[k]; k++) made[k] += strstr(steps, q->seen[k]) != NULL;
        memset(y[0], 0x5a, 3 * q->cells * sizeof *q->y);
        if (!CHECK(g && irl_func_interpret(f, IRL_ARGS(q->a, q->b, y[0])) &&
                   irl_func_interpret(g, IRL_ARGS(q->a, q->b, y[1])) &&
                   irl_module_interpret(irl_func_lower(f, target),
                                        IRL_ARGS(q->a, q->b, y[2])) &&
                   memcmp(y[0], y[1], q->cells * sizeof *q->y) == 0 &&
                   memcmp(y[0], y[2], q->cells * sizeof *q->y) == 0))
            printf("%s%s%s%s", text, steps, wrong, irl_diag_text(cx));
        if (!CHECK(target->banks ||
                   !strstr(irl_module_text(irl_func_lower(f, target)), "attr(idle")))
            printf("%s%s", text, steps);
        irl_ctx_destroy(cx);
    }
    printf("%s: of %d", q->what, count);
    for (k = 0; q->seen[k]; k++) {
        printf(", %d %s", made[k], q->seen[k]);
        CHECK(count < 80 || made[k] > 0);
    }
    printf("\n");
}

static void tiles(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "opencl12-avx2",
                                           "opencl12-avx2" };
    static const char *const seen[] = {
        "then the remainder", "consecutive reads are far", ", vj % ", "operands shared by",
        "partition(c_1.i, ", "reindex_cache_write(c, 0, local, (vo, vq",
        "reindex_cache_write(c_1, 0, local, (vo, vq", NULL
    };
    static float x[2][TILE_CELLS], y[3 * TILE_CELLS];
    drawn        q = { "tiles", tile_text, targets, seen, x[0], x[1], y, TILE_CELLS };
    int          k;
    for (k = 0; k < TILE_CELLS; k++) {
        x[0][k] = (float)(k % 13 - 6);
        x[1][k] = (float)(k % 7 - 3);
    }
    check_drawn(&q, count);
}

/* -------------------------------------------------------- walks of several loops, at random */

/* What an array holds is reduced along its last axes, and maybe its first one, and the result is
   used with each of its elements; the loops may be in another order than memory. */
static void walk_text(char *at)
{
    static const char *const forms[] = { "a[n, c, h, w]", "a[n, c, h, w] * a[n, c, h, w]",
                                         "a[n, c, h, w] + b[w]" };
    static const char *const uses[] = { "a[n, c, h, w] - s[%s]", "max(a[n, c, h, w], s[%s])",
                                        "exp(a[n, c, h, w]) * 0.0f + s[%s] * b[c]",
                                        "a[n, c, h, w] + a[n, c, (h + 1) %% 4, w] * s[%s]" };
    static const char *const loops[] = { "h: %d, w: %d", "c: %d, h: %d, w: %d",
                                         "n: %d, h: %d, w: %d", "n: %d, c: %d, h: %d, w: %d",
                                         "h: %d, n: %d, w: %d" };
    static const char *const cells[] = { "n, c", "n", "c", "", "c" };
    static const char *const around[] = { "for (n: %d, c: %d) ", "for (n: %d) ", "for (c: %d) ",
                                          "", "for (c: %d) " };
    const int n = 1 + TEST_RANDOM(3), c = 1 + TEST_RANDOM(5), h = 1 + TEST_RANDOM(20);
    const int w = TEST_RANDOM(2) ? 16 * (1 + TEST_RANDOM(3)) : 1 + TEST_RANDOM(48);
    const int over = TEST_RANDOM(5), form = TEST_RANDOM(6), use = TEST_RANDOM(h < 4 ? 3 : 4);
    at = put(at, "func walk(a: f32[%d, %d, %d, %d], b: f32[64], y: f32[%d, %d, %d, %d]) {\n"
                 "    alloc s: f32[",
             n, c, h, w, n, c, h, w);
    at = over == 0 ? put(at, "%d, %d", n, c) : over == 3 ? at : put(at, "%d", over == 1 ? n : c);
    at = put(put(at, "];\n    "), around[over], over < 2 ? n : c, c);
    at = put(at, "s[%s] = %s(", cells[over], form == 3 ? "max" : form == 4 ? "min" : "sum");
    at = put(at, loops[over], over < 1 || over == 4 ? h : over == 1 ? c : n,
             over < 1 ? w : over == 3 ? c : over == 4 ? n : h, over == 3 ? h : w, w);
    at = put(at, ", %s);\n    for (n: %d, c: %d, h: %d, w: %d) y[n, c, h, w] = ", forms[form % 3],
             n, c, h, w);
    put(put(at, uses[use], cells[over]), ";\n}\n");
}

static void walks(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "mali", "c-gnu-avx512" };
    static const char *const seen[] = { "transform_block_layout(s", "fuse(y.", "s_parts", NULL };
    static float x[2][GUARD_CELLS], y[3 * GUARD_CELLS];
    drawn        q = { "walks", walk_text, targets, seen, x[0], x[1], y, GUARD_CELLS };
    int          k;
    for (k = 0; k < GUARD_CELLS; k++) {
        x[0][k] = (float)(k % 13 - 6);
        x[1][k] = (float)(k % 7 - 3);
    }
    check_drawn(&q, count);
}

/* -------------------------------------------------------- phones, at random */

static void phones(int count)
{
    static const char *const targets[] = { "mali", "phone", "adreno", "phone" };
    static const char *const seen[] = {
        ", local.x)", ", local.y)", "the lanes of one texel", "where the sum is stored", NULL
    };
    static float x[2][PHONE_CELLS], y[3 * PHONE_CELLS];
    drawn        q = { "phones", phone_text, targets, seen, x[0], x[1], y, PHONE_CELLS };
    int          k;
    for (k = 0; k < PHONE_CELLS; k++) {
        x[0][k] = (float)(k % 13 - 6);
        x[1][k] = (float)(k % 7 - 3);
    }
    check_drawn(&q, count);
}

/* ---------------------------------------- functions in the terms of a sum, at random */

static void value_text(char *at)
{
    static const char *const parts[] = { "(exp(a[i, k] * 0.0f) + a[i, k])",
                                         "exp((a[i, k] - m[i]) * 0.0f) * m[i]",
                                         "(a[i, k] > 0.0f ? exp(a[i, k] * 0.0f) : -1.0f)",
                                         "erf(a[0, k] * 0.0f)", "(sqrt(4.0f) * a[i, k])" };
    static const char *const rests[] = { "%s * b[k, j]", "b[k, j] - %s", "(j < 5 ? %s : b[k, j])" };
    const int i = 1 + TEST_RANDOM(30), k = 1 + TEST_RANDOM(40), j = 1 + TEST_RANDOM(70);
    at = put(at, "func value(a: f32[%d, %d], b: f32[%d, %d], y: f32[%d, %d]) {\n"
                 "    alloc m: f32[%d];\n    for (i: %d) m[i] = max(k: %d, a[i, k]);\n"
                 "    for (i: %d, j: %d) y[i, j] = sum(k: %d, ",
             i, k, k, j, i, j, i, i, k, i, j, k);
    put(put(at, rests[TEST_RANDOM(3)], parts[TEST_RANDOM(5)]), ");\n}\n");
}

static void values(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "opencl12",
                                           "c-gnu-avx512" };
    static const char *const seen[] = { "a_value = cache_value(y, a)", "split(y.j", NULL };
    static float x[2][GUARD_CELLS], y[3 * GUARD_CELLS];
    drawn        q = { "values", value_text, targets, seen, x[0], x[1], y, GUARD_CELLS };
    for (int k = 0; k < GUARD_CELLS; k++) {
        x[0][k] = (float)(k % 13 - 6);
        x[1][k] = (float)(k % 7 - 3);
    }
    check_drawn(&q, count);
}

/* -------------------------------------------------------- filters of pixels, at random */

enum { PIXEL_CELLS = 35 * 59 * 7 };

/* The value at a place of the window, for borders that are left out (0: results begin at 0, 1: they
   stand where the window's middle does), zeros (2), clamped (3, and 4, with the numbers first),
   going round (5), or chosen (6). */
static char *put_pixel(char *at, int border, const char *r, const char *s, int h, int w)
{
    switch (border) {
    case 0: return put(at, "a[y + %s, x + %s, c]", r, s);
    case 1: return put(at, "a[y + %s - 1, x + %s - 1, c]", r, s);
    case 2:
        return put(at, "(y + %s >= 1 && y + %s < %d && x + %s >= 1 && x + %s < %d ? "
                       "a[y + %s - 1, x + %s - 1, c] : 0.0f)", r, r, h + 1, s, s, w + 1, r, s);
    case 3:
        return put(at, "a[min(max(y + %s - 1, 0), %d), min(max(x + %s - 1, 0), %d), c]", r, h - 1,
                   s, w - 1);
    case 4:
        return put(at, "a[max(0, min(%d, y + %s - 1)), max(0, min(%d, x + %s - 1)), c]", h - 1, r,
                   w - 1, s);
    case 5:
        return put(at, "a[(y + %s + %d) %% %d, (x + %s - 1) %% %d, c]", r, h - 1, h, s, w);
    default:
        return put(at, "a[y + %s < 1 ? 0 : y + %s > %d ? %d : y + %s - 1, x + %s == 0 ? %d : "
                       "x + %s > %d ? 0 : x + %s - 1, c]",
                   r, r, h, h - 1, r, s, w - 1, s, w, s);
    }
}

/* The loops of results, in some order, from `first` on. */
static char *put_pixel_loops(char *at, int order, int first, int rows, int columns, int channels)
{
    static const char orders[4][4] = { "yxc", "cyx", "ycx", "xcy" };
    int               k;
    for (k = 0; k < 3; k++) {
        const char name = orders[order][k];
        at = put(at, "%s%c: ", k ? ", " : "", name);
        if (name == 'c') at = put(at, "%d", channels);
        else at = put(at, "%d .. + %d", first, name == 'y' ? rows : columns);
    }
    return at;
}

/* A window over pixels of a few channels: a sum, a sum of which something is computed, loops that
   update what was stored, or a window of two that is written out. */
static void pixel_text(char *at)
{
    const int c = 1 + TEST_RANDOM(7), h = 14 + TEST_RANDOM(21), w = 20 + TEST_RANDOM(39);
    const int border = TEST_RANDOM(7), form = TEST_RANDOM(4), first = border == 1;
    const int r = form == 3 ? 1 : 1 + TEST_RANDOM(3), s = form == 3 ? 2 : 1 + TEST_RANDOM(3);
    const int rows = border < 2 ? h - r + 1 : h, columns = border < 2 ? w - s + 1 : w;
    at = put(at, "func pixels(a: f32[%d, %d, %d], b: f32[3, 3], o: f32[%d, %d, %d]) {\n    for (",
             h, w, c, rows + first, columns + first, c);
    at = put(put_pixel_loops(at, TEST_RANDOM(4), first, rows, columns, c), ") {\n        ");
    if (form == 2)
        at = put(at, "o[y, x, c] = 1.0f;\n        for (r: %d, s: %d) o[y, x, c] += ", r, s);
    else if (form == 3) at = put(at, "o[y, x, c] = ");
    else at = put(at, "o[y, x, c] = %s(r: %d, s: %d, ", form == 1 ? "2.0f - sum" : "sum", r, s);
    at = put_pixel(at, border, form == 3 ? "0" : "r", form == 3 ? "0" : "s", h, w);
    if (form == 3) at = put_pixel(put(at, " - "), border, "0", "1", h, w);
    put(at, form == 3 ? ";\n    }\n}\n" : form == 2 ? " * b[r, s];\n    }\n}\n"
                                                   : " * b[r, s]);\n    }\n}\n");
}

static void pixels(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "opencl12",
                                           "c-gnu-avx512" };
    static const char *const seen[] = {
        "transform_block_layout(", "reindex_cache_write(", "fuse(o.", "reverse_compute_inline(o)",
        "inside the border", NULL
    };
    static float x[PIXEL_CELLS], w[9], y[3 * PIXEL_CELLS];
    drawn        q = { "pixels", pixel_text, targets, seen, x, w, y, PIXEL_CELLS };
    int          k;
    for (k = 0; k < PIXEL_CELLS; k++) x[k] = (float)(k % 13 - 6);
    for (k = 0; k < 9; k++) w[k] = (float)(k % 5 - 1);
    check_drawn(&q, count);
}

/* -------------------------------------------------------- sums under conditions, at random */


/* Where an output reads of x, along one of its axes: padded, with a stride, or the other way round,
   with a remainder that must be 0. */
static char *put_guard_at(char *at, char *index, const char *out, const char *in, int extent,
                          int stride, int dilation, int is_back)
{
    const int padding = TEST_RANDOM(4);
    if (!is_back) {
        sprintf(index, "%s * %d + %s * %d - %d", out, stride, in, dilation, padding);
        return put(at, "%s >= 0 && %s < %d", index, index, extent);
    }
    sprintf(index, "(%s + %d - %s * %d) / %d", out, padding, in, dilation, stride);
    if (stride > 1) at = put(at, "(%s + %d - %s * %d) %% %d == 0 && ", out, padding, in, dilation,
                             stride);
    return put(at, "%s >= 0 && %s < %d", index, index, extent);
}

static void guard_text(char *at)
{
    static const char *const ends[] = { "0.0f", "0.0f", "-0.0f", "0.5f" };
    const int is_deep = TEST_RANDOM(3) == 0; /* enough to add up for lanes that are stored apart */
    const int o = is_deep ? 16 : 1 + TEST_RANDOM(33), i = is_deep ? 16 : 1 + TEST_RANDOM(6);
    const int h = 1 + TEST_RANDOM(3), r = 1 + TEST_RANDOM(2), w = 4 + TEST_RANDOM(40);
    const int k = is_deep ? 4 + TEST_RANDOM(5) : 1 + TEST_RANDOM(5);
    const int form = TEST_RANDOM(3), is_last = TEST_RANDOM(2), mask = TEST_RANDOM(4);
    const int is_back = TEST_RANDOM(2), stride = 1 + TEST_RANDOM(3), dilation = 1 + TEST_RANDOM(2);
    const int columns = is_back ? w * stride + TEST_RANDOM(4) : (w - 1) / stride + 1;
    char      row[80], column[80];
    at = put(at, "func guards(a: f32[%d], b: f32[%d], y: f32[%d]) {\n    alloc x: f32[",
             GUARD_CELLS, GUARD_CELLS, GUARD_CELLS);
    at = put(at, is_last ? "%d, %d, %d" : "%d, %d, %d", is_last ? h : i, is_last ? w : h,
             is_last ? i : w);
    at = put(at, "];\n    alloc z: f32[%d, %d, %d];\n    alloc t: f32[%d, %d, %d, %d];\n",
             is_last ? h : o, is_last ? columns : h, is_last ? o : columns, is_last ? r : i,
             is_last ? k : o, is_last ? i : r, is_last ? o : k);
    at = put(at, is_last ? "    for (v: %d, w: %d, i: %d) x[v, w, i] = a[(i * %d + v) * %d + w];\n"
                         : "    for (v: %d, w: %d, i: %d) x[i, v, w] = a[(i * %d + v) * %d + w];\n",
             h, w, i, h, w);
    at = put(at, is_last ? "    for (i: %d, o: %d, r: %d, k: %d) t[r, k, i, o]"
                         : "    for (i: %d, o: %d, r: %d, k: %d) t[i, o, r, k]", i, o, r, k);
    at = put(at, " = b[((i * %d + o) * %d + r) * %d + k];\n", o, r, k);
    at = put(at, is_last ? "    for (v: %d, w: %d, o: %d) z[v, w, o] = "
                         : "    for (v: %d, w: %d, o: %d) z[o, v, w] = ", h, columns, o);
    at = put(at, "%s(r: %d, k: %d, i: %d, ", form == 2 ? "max" : "sum", r, k, i);
    at = put_guard_at(at, row, "v", "r", h, 1, 1, is_back);
    at = put_guard_at(put(at, " && "), column, "w", "k", w, stride, dilation, is_back);
    if (mask == 0) at = put(at, " && o >= k");
    if (mask == 1) at = put(at, " && (i + r <= o || w > k)");
    at = put(at, is_last ? " ? x[%s, %s, i]" : " ? x[i, %s, %s]", row, column);
    at = put(at, form == 1 ? " - " : " * ");
    if (TEST_RANDOM(3)) at = put(at, is_last ? "t[r, k, i, o]" : "t[i, o, r, k]");
    else at = put(at, is_last ? "t[r, %d - k, i, o]" : "t[i, o, r, %d - k]", k - 1);
    at = put(at, " : %s);\n", ends[TEST_RANDOM(4)]);
    at = put(at, "    for (v: %d, w: %d, o: %d) y[(v * %d + w) * %d + o] = ", h, columns, o,
             columns, o);
    put(at, is_last ? "z[v, w, o];\n}\n" : "z[o, v, w];\n}\n");
}

static void guards(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "opencl12",
                                           "c-gnu-avx512" };
    static const char *const seen[] = { "cache_padded(z, x", "skip_neutral(z", "z_sum",
                                        "t_packed = reindex_cache_read(z", NULL };
    static float x[2][GUARD_CELLS], y[3 * GUARD_CELLS];
    drawn        q = { "guards", guard_text, targets, seen, x[0], x[1], y, GUARD_CELLS };
    int          k;
    for (k = 0; k < GUARD_CELLS; k++) {
        x[0][k] = (float)(k % 13 - 6);
        x[1][k] = (float)(k % 7 - 3);
    }
    check_drawn(&q, count);
}

/* -------------------------------------------------------- pooling, at random */

/* Windows of a few rows and columns of each channel, with a border; or all of a column. */
static void pool_text(char *at)
{
    static const char *const ops[] = { "max", "sum", "min" };
    const int c = 8 * (1 + TEST_RANDOM(8)), w = 8 + TEST_RANDOM(40), stride = 1 + TEST_RANDOM(2);
    const int h = 1 + TEST_RANDOM(GUARD_CELLS / c / w < 8 ? GUARD_CELLS / c / w : 8);
    const int r = 1 + TEST_RANDOM(3), k = 1 + TEST_RANDOM(5), dilation = 1 + TEST_RANDOM(2);
    const int columns = (w - 1) / stride + 1, is_column = TEST_RANDOM(4) == 0;
    char      row[80], column[80];
    at = put(at, "func pools(a: f32[%d, %d, %d], b: f32[1], y: f32[%d, %d, %d]) {\n", c, h, w, c,
             is_column ? 1 : h, is_column ? w : columns);
    if (is_column && TEST_RANDOM(2)) {
        put(at, "    for (c: %d, v: 1, w: %d) y[c, v, w] = %s(r: %d, a[c, r, w]);\n}\n", c, w,
            ops[TEST_RANDOM(3)], h);
        return;
    }
    if (is_column) { /* a place, of many rows */
        put(at, "    for (c: %d, w: %d) y[c, 0, w] = f32(%s(r: %d, a[c, r %% %d, w]));\n}\n", c, w,
            TEST_RANDOM(2) ? "argmin" : "argmax", h * (1 + (1 << 14) / c / w / h), h);
        return;
    }
    at = put(at, "    for (c: %d, v: %d, w: %d) y[c, v, w] = %s(r: %d, k: %d, ", c, h, columns,
             ops[TEST_RANDOM(3)], r, k);
    at = put_guard_at(at, row, "v", "r", h, 1, 1, 0);
    at = put_guard_at(put(at, " && "), column, "w", "k", w, stride, dilation, 0);
    at = put(at, " ? a[c, %s, %s] : %s)", row, column, TEST_RANDOM(2) ? "0.0f" : "-9.0f");
    put(at, TEST_RANDOM(2) ? ";\n}\n" : " * 0.25f;\n}\n");
}

static void pools(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "opencl12",
                                           "c-gnu-avx512" };
    static const char *const seen[] = { "all parts of a row", "inside the border",
                                        "whole vectors, then", "cells of a vector are", NULL };
    static float x[2][GUARD_CELLS], y[3 * GUARD_CELLS];
    drawn        q = { "pools", pool_text, targets, seen, x[0], x[1], y, GUARD_CELLS };
    for (int k = 0; k < GUARD_CELLS; k++) x[0][k] = (float)(k % 13 - 6);
    check_drawn(&q, count);
}

/* -------------------------------------------------------- norms, at random */

enum { NORM_CELLS = 1 << 14 };

/* Up to four axes; those in `mask` are the rows, and axis 1 may be of groups of `each`. */
typedef struct norm {
    int rank, mask, each, extent[4];
} norm;

/* The axes in `mask`, from axis `turn` on: their extents (form 'e'), loops over all of them ('a'),
   over groups ('l'), indices in these loops (' ', and 'g' inside of a group) or of the group of all
   of them ('/'). */
static char *put_axes(char *at, const norm *q, int mask, int turn, char form)
{
    int k, any = 0;
    for (k = 0; k < q->rank; k++) {
        const int axis = (k + turn) % q->rank, each = axis == 1 ? q->each : 1;
        const int all = q->extent[axis] * (form == 'l' || form == 'r' ? 1 : each);
        if (!(mask >> axis & 1)) continue;
        if (any++) at = put(at, ", ");
        if (form != 'e' && form != 'r') at = put(at, "%c", "nchw"[axis]);
        if (form == 'a' || form == 'l') at = put(at, ": ");
        if (form != ' ' && form != 'g' && form != '/') at = put(at, "%d", all);
        if (each > 1 && form == 'g') at = put(at, " * %d + g", each);
        if (each > 1 && form == '/') at = put(at, " / %d", each);
    }
    return at;
}

/* Sums of rows, and results from them, in nests of their own. */
static void norm_text(char *at)
{
    static const char *const ops[] = { "sum", "max", "sum", "min" };
    static const int         extents[] = { 3, 4, 5, 8, 9, 12, 7, 14, 16, 17, 32, 48 };
    const char              *of = TEST_RANDOM(4) ? "a" : "y"; /* y: in place */
    norm                     q;
    int                      k, inner, cells = 1;
    q.rank = 2 + TEST_RANDOM(3);
    inner = TEST_RANDOM(4) ? 1 << (q.rank - 1) | TEST_RANDOM(1 << (q.rank - 1))
                           : 1 + TEST_RANDOM((1 << q.rank) - 1);
    if (TEST_RANDOM(4) && inner == (1 << q.rank) - 1) inner &= ~(1 << TEST_RANDOM(q.rank - 1));
    q.mask = ((1 << q.rank) - 1) & ~inner;
    q.each = q.mask & 2 && TEST_RANDOM(2) ? 2 + TEST_RANDOM(3) : 1;
    for (k = 0; k < q.rank; k++) {
        q.extent[k] = extents[(inner >> k & 1 ? 6 : 0) + TEST_RANDOM(6)];
        if (cells * q.extent[k] * q.each > NORM_CELLS) q.extent[k] = 1;
        cells *= q.extent[k];
    }
    at = put_axes(put(at, "func norms(a: f32["), &q, 15, 0, 'e');
    at = put_axes(put(at, "], b: f32["), &q, 15, 0, 'e');
    at = put_axes(put(at, "], y: f32["), &q, 15, 0, 'e');
    at = put_axes(put(at, "]) {\n    alloc m: f32["), &q, q.mask, 0, 'r');
    at = put_axes(put(at, "];\n    alloc s: f32["), &q, q.mask, 0, 'r');
    at = put(at, "];\n");
    if (*of == 'y') {
        at = put_axes(put(at, "    for ("), &q, 15, 0, 'a');
        at = put_axes(put(at, ") y["), &q, 15, 0, ' ');
        at = put_axes(put(at, "] = a["), &q, 15, 0, ' ');
        at = put(at, "];\n");
    }
    for (k = 0; k < 2; k++) {
        const int   is_turned = k == 1 && q.mask & 1 && TEST_RANDOM(6) == 0; /* of another row */
        const char *op = ops[TEST_RANDOM(4)];
        if (q.mask) at = put_axes(put(at, "    for ("), &q, q.mask, 0, 'l');
        at = put_axes(put(at, q.mask ? ") %c[" : "    %c[", "ms"[k]), &q, q.mask, 0, ' ');
        at = put_axes(put(at, "] = %s(%s", op, q.each > 1 ? "g: " : ""), &q, 0, 0, 'l');
        if (q.each > 1) at = put(at, "%d, ", q.each);
        at = put_axes(at, &q, inner, 0, 'l');
        at = put_axes(put(at, k ? ", abs(%s[" : ", %s[", of), &q, 15, 0, 'g');
        at = put(at, k ? "] - m[" : "]");
        if (k && is_turned) at = put(at, "%d - ", q.extent[0] - 1);
        if (k) at = put(put_axes(at, &q, q.mask, 0, ' '), "])");
        at = put(at, TEST_RANDOM(2) ? ") * 0.25f;\n" : ");\n");
    }
    at = put_axes(put(at, "    for ("), &q, 15, TEST_RANDOM(q.rank), 'a');
    at = put_axes(put(at, ") y["), &q, 15, 0, ' ');
    at = put_axes(put(at, "] = (%s[", of), &q, 15, 0, ' ');
    at = put_axes(put(at, "] - m["), &q, q.mask, 0, '/');
    at = put_axes(put(at, "]) * s["), &q, q.mask, 0, '/');
    const int is_function = TEST_RANDOM(3) == 0;
    at = put_axes(put(at, is_function ? "] + exp(b[" : "] + b["), &q, 15, 0, ' ');
    put(at, is_function ? "]);\n}\n" : "];\n}\n");
}

static void norms(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "opencl12",
                                           "c-gnu-avx512" };
    static const char *const seen[] = { "a row is read again", ") = split(y.c", "reorder(y.c",
                                        "_max_part", "transform_block_layout",
                                        "stored one by one", NULL };
    static float x[2][NORM_CELLS], y[3 * NORM_CELLS];
    drawn        q = { "norms", norm_text, targets, seen, x[0], x[1], y, NORM_CELLS };
    int          k;
    for (k = 0; k < NORM_CELLS; k++) {
        x[0][k] = (float)(k % 13 - 6);
        x[1][k] = (float)(k % 7 - 3);
    }
    check_drawn(&q, count);
}

/* A nest whose rows are two axes of the memory, with no sum, is stored lane by lane: its result has
   no block whose axes could be asked for. */
static void rows_without_a_sum(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    const char *wrong = "";
    CHECK(make(cx, irl_func_parse(cx, "func f(a: f32[4, 4, 14], m: f32[4, 4], y: f32[4, 4, 14]) {"
                                      " for (n: 4, c: 4, h: 14) y[n, c, h] = a[n, c, h];"
                                      " for (h: 14, n: 4, c: 4)"
                                      " y[n, c, h] = y[n, c, h] * m[n, c] + exp(a[n, c, h]); }",
                                  IRL_TO_NUL, NULL), &irl_target_opencl12, &wrong));
    irl_ctx_destroy(cx);
}

/* ------------------------------------------- nests with loops and buffers of the same names */

enum { NAMESAKE_CELLS = 96 * 192 };

static int namesakes_numbered;

/* The primitives of a schedule's steps. */
static void primitives_of(const char *steps, char *out)
{
    const char *end;
    for (*out = '\0'; (end = strchr(steps, '\n')) != NULL; steps = end + 1) {
        const char *from = steps + strspn(steps, " {}"), *results = strstr(from, " = ");
        if (*from == '\n' || *from == '/') continue;
        if (results && (*from == '(' || results < strchr(from, '('))) from = results + 3;
        out = put(out, "%.*s ", (int)strcspn(from, "("), from);
    }
}

/* If their loops have names of their own, the steps are the same. */
static void namesake_text(char *at)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_target *target = irl_target_find_in(cx, "opencl12-avx2");
    char              text[2][NAMESAKES_ROOM], made[2][NAMESAKES_ROOM];
    const char       *steps = "";
    int               k, which[NAMESAKES_MOST];
    for (k = 0; k < NAMESAKES_MOST; k++) which[k] = TEST_RANDOM(NAMESAKE_BODIES);
    for (k = 0; k < 2; k++) {
        namesakes_text(text[k], which, NAMESAKES_MOST, "f32", 96, 192, !k);
        steps = irl_schedule_auto(irl_func_parse(cx, text[k], IRL_TO_NUL, NULL), target);
        primitives_of(steps, made[k]);
    }
    namesakes_numbered += strstr(steps, "_1.j") != NULL;
    if (!CHECK_OK(cx) || !CHECK(made[0][0] && strcmp(made[0], made[1]) == 0))
        printf("%s%s\n%s\n%s\n", text[1], steps, made[0], made[1]);
    strcpy(at, text[1]);
    irl_ctx_destroy(cx);
}

static void namesakes(int count)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "c-gnu-avx512",
                                           "opencl12-gpu" };
    static const char *const seen[] = { "split(y_p_1.j", "compose_store(t_s_1.j", NULL };
    static float x[2][NAMESAKE_CELLS], y[3 * NAMESAKE_CELLS];
    drawn q = { "nests of the same names", namesake_text, targets, seen, x[0], x[1], y,
                NAMESAKE_CELLS };
    for (int k = 0; k < NAMESAKE_CELLS; k++) {
        x[0][k] = (float)(k % 13 - 6);
        x[1][k] = (float)(k % 7 - 3);
    }
    check_drawn(&q, count);
    CHECK(namesakes_numbered > count / 3);
}

/* -------------------------------------------------------- one loop of rows, at random */

enum { ROWS = 5 * 7, WIDTH = 133, ROW_BUFFERS = 5 };

typedef struct rows {
    const char *type;  /* of all elements */
    const char *at;    /* the indices of the row */
    int         width, lets, is_deep;
    char        text[4096];
} rows;

/* A value of the row's element j. Of those that rows before stored some make a row wait. */
static char *put_value(char *at, const rows *r)
{
    switch (random_below(8)) {
    case 0: at = put(at, "y[%s, j]", r->at); break;
    case 1: at = put(at, "t[j]"); break;
    case 2: at = put(at, "own[%d - j]", r->width - 1); break;
    case 3:
        at = put(at, "(i > 0 ? y[%si - 1, j] : %s(1))", r->is_deep ? "b, " : "", r->type);
        break;
    case 4: at = put(at, "x[%s, %d - j]", r->at, r->width - 1); break;
    default: at = put(at, "x[%s, j]", r->at); break;
    }
    if (r->lets && random_below(2)) at = put(at, " + s%d", random_below(r->lets));
    return at;
}

static char *put_let(char *at, rows *r)
{
    static const char *const forms[] = { "sum", "max", "min" };
    const int has_function = *r->type == 'f' && random_below(3) == 0; /* 1: x is not negative */
    at = put(at, "let s%d: %s = %s(j: %d, ", r->lets, r->type, forms[random_below(3)], r->width);
    if (has_function) at = put(at, "exp(min(x[%s, j], %s(0))) * (", r->at, r->type);
    at = put(put_value(at, r), has_function ? "));\n" : ");\n");
    r->lets++;
    return at;
}

/* A store, and a loop that updates it; `m` has a cell for each row, `one` one for all of them. */
static char *put_update(char *at, const rows *r)
{
    static const char *const forms[] = { "max(", "min(", "" };
    const int   form = random_below(3);
    const char *cell = random_below(4) ? "m" : "one", *index = *cell == 'm' ? r->at : "0";
    at = put(at, "%s[%s] = ", cell, index);
    at = random_below(2) ? put(at, "%s(2);\n", r->type) : put(at, "x[%s, 0];\n", r->at);
    if (random_below(6) == 0) at = put(at, "y[%s, 0] = x[%s, 1];\n", r->at, r->at);
    at = put(at, "for (j: %d) %s[%s] = %s%s[%s]%s ", r->width, cell, index, forms[form], cell,
             index, form == 2 ? " +" : ",");
    return put(put_value(at, r), form == 2 ? ";\n" : ");\n");
}

/* Values stay small: y is summed up again. */
static char *put_elements(char *at, const rows *r)
{
    const int to = random_below(5);
    at = put(at, "for (j: %d) ", r->width);
    at = to == 0   ? put(at, "t[j]")
         : to == 1 ? put(at, "own[j]")
         : to == 2 ? put(at, "y[%s, %d - j]", r->at, r->width - 1)
                   : put(at, "y[%s, j]", r->at);
    return put(put_value(put(at, " = min("), r), ", %s(4));\n", r->type);
}

static void draw_rows(rows *r, int form)
{
    static const char *const types[] = { "i32", "f32", "f64", "f16", "u8", "i16" };
    static const int         widths[] = { 5, 8, 16, 17, 24, 32, 48, 64, 97, 100, 128, 133 };
    char                    *at = r->text;
    const char              *t = r->type = types[random_below(6)];
    int                      k, w = r->width = widths[random_below(12)];
    const char              *rank = (r->is_deep = form > 0) ? "5, 7" : "35";
    r->at = r->is_deep ? "b, i" : "i";
    r->lets = 0;
    at = put(at, "func rows(x: %s[%s, %d], y: %s[%s, %d], t: %s[%d], m: %s[%s], one: %s[1])%s {\n",
             t, rank, w, t, rank, w, t, w, t, rank, t,
             random_below(2) ? " attr(numbers = \"free\")" : "");
    at = put(at, form == 0 ? "for (i: 35) {\n" : form == 1 ? "for (b: 5, i: 7) {\n"
                                                           : "for (b: 5) {\n");
    if (form == 2) {
        at = put(at, "for (i: 7, j: %d) y[b, i, j] = x[b, i, j] + %s(1);\n", w, t);
        at = put(at, "for (i: 7) {\n");
    }
    at = put(at, "alloc own: %s[%d];\nfor (j: %d) own[j] = x[%s, j];\n", t, w, w, r->at);
    for (k = 1 + random_below(3); k > 0; k--)
        at = random_below(3) ? put_let(at, r) : put_update(at, r);
    for (k = 1 + random_below(2); k > 0; k--) at = put_elements(at, r);
    put(at, form == 2 ? "}\n}\n}\n" : "}\n}\n");
}

/* 0 to 4, which are the same in all types, of `bytes` each. */
static void fill_row_cells(const rows *r, void *memory)
{
    static const uint16_t halves[] = { 0, 0x3c00, 0x4000, 0x4200, 0x4400 };
    int                   k;
    for (k = 0; k < ROWS * WIDTH; k++) {
        const int value = random_below(5);
        switch (r->type[0] == 'f' ? r->type[1] : r->type[1] + 1) {
        case '3': ((float *)memory)[k] = (float)value; break;
        case '6': ((double *)memory)[k] = (double)value; break;
        case '1': ((uint16_t *)memory)[k] = halves[value]; break;
        case '4': ((int32_t *)memory)[k] = value; break;
        case '9': ((uint8_t *)memory)[k] = (uint8_t)value; break;
        default: ((int16_t *)memory)[k] = (int16_t)value; break;
        }
    }
}

static double row_cells[3][ROW_BUFFERS][ROWS * WIDTH];

/* f or the module on the given cells, which are in front; into those behind. */
static int run_rows(const irl_func *f, const irl_module *m, int into)
{
    double      (*to)[ROWS * WIDTH] = row_cells[into];
    irl_arguments arguments = IRL_POINTERS(to[0], to[1], to[2], to[3], to[4]);
    memcpy(to, row_cells[0], sizeof row_cells[0]);
    return f ? irl_func_interpret(f, arguments) : m ? irl_module_interpret(m, arguments) : 0;
}

static void one_loop_of_rows(uint64_t seed, int *bound, int *in_order)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_target *target = irl_target_find(seed % 3 ? "opencl12" : "opencl12-avx2");
    const char       *wrong = "parsed", *steps = "";
    irl_func         *f, *g = NULL;
    rows              r;
    int               k;
    random64_state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    (void)random64();
    draw_rows(&r, (int)(seed % 3));
    for (k = 0; k < ROW_BUFFERS; k++) fill_row_cells(&r, row_cells[0][k]);
    f = irl_func_parse(cx, r.text, IRL_TO_NUL, NULL);
    if (f && run_rows(f, NULL, 1)) g = make(cx, f, target, &wrong);
    if (g) steps = irl_schedule_text(g);
    *bound += strstr(steps, "bind(") != NULL;
    *in_order += strchr(steps, ';') && !strstr(steps, "bind(");
    if (g && (!run_rows(g, NULL, 2) || memcmp(row_cells[1], row_cells[2], sizeof row_cells[1])))
        g = NULL, wrong = "the same numbers";
    if (g && (!run_rows(NULL, irl_func_lower(g, target), 2) ||
              memcmp(row_cells[1], row_cells[2], sizeof row_cells[1])))
        g = NULL, wrong = "the same numbers, lowered";
    if (!CHECK(g != NULL) && test_failed < 6)
        printf("seed %lu, not %s: %s\n%s%s\n", (unsigned long)seed, wrong, irl_diag_text(cx),
               r.text, steps);
    irl_ctx_destroy(cx);
}

static void loops_of_rows(uint64_t first, int count)
{
    int      bound = 0, in_order = 0;
    uint64_t seed;
    for (seed = first; seed < first + (uint64_t)count; seed++)
        one_loop_of_rows(seed, &bound, &in_order);
    printf("loops of rows: of %d %d are work-items, %d in order with vectors in them\n", count,
           bound, in_order);
    CHECK(count < 50 || (bound > count / 5 && in_order > count / 5));
}

/* ------------------------------------------------------------------ texts */

/* What stands in the schedule that is made of a text. */
/* Nothing is decided but what parallel() does. */
#define REST "\n    parallel(); // independent"

typedef struct expectation {
    const char *text, *parts[6];
} expectation;

#define MATMUL(M, N, K, A, B) \
    "func matmul(a: f32[" A "], b: f32[" B "], c: f32[" M ", " N "]) {\n" \
    "    for (i: " M ", j: " N ", k: " K ")\n" \
    "        block c(vi: spatial(" M ") = i, vj: spatial(" N ") = j, vk: reduce(" K ") = k) {\n" \
    "            init c[vi, vj] = 0.0f;\n"

#define BLOCKS(OF) " layout(" OF ": (h, w, c) -> (c / 4, h, w, c % 4))"

#define PACK "func pack(x: f32[32, 32, 64], y: f32[32, 32, 64])" BLOCKS("y") \
             " { for (h: 32, w: 32, c: 64) y[h, w, c] = x[h, w, c]; }"

#define DEPTHWISE \
    "func depthwise(x: f32[4, 8, 32], k: f32[3, 3, 32], y: f32[4, 8, 32]) {\n" \
    "    for (i: 4, j: 8, o: 32)\n" \
    "        y[i, j, o] = sum(r: 3, s: 3, i + r >= 1 && i + r < 5 && j + s >= 1 && j + s < 9\n" \
    "            ? x[i + r - 1, j + s - 1, o] * k[r, s, o] : 0.0f);\n" \
    "}\n"

#define ROWS_OF_THREE \
    "func softmax(x: f32[32, 256], y: f32[32, 256]) { for (i: 32) { let m: f32 = max(j: 256, " \
    "x[i, j]); let s: f32 = sum(j: 256, exp(x[i, j] - m)); for (j: 256) y[i, j] = " \
    "exp(x[i, j] - m) / s; } }"

/* of work-items in step each of the nests in a loop is launched for all rows */
static const expectation grouped[] = {
    { ROWS_OF_THREE,
      { "distribute(i);", "compute_at(m_max, y.i);", "bind(y_l, local.x, m_max_l, s_sum_l);",
        "!stays as it is", NULL } }
};

static const expectation expected[] = {
    /* what all lanes read lies along the tile's rows, a part of a line in each iteration: panels as
       high as the tile, which are written one after the other */
    { "func high(a: f32[512, 1000], b: f32[512, 64], c: f32[1000, 64]) {\n"
      "    for (i: 1000, j: 64) c[i, j] = sum(k: 512, a[k, i] * b[k, j]); }",
      { "reindex_cache_read(c, a, global, (vi, vj, vk) -> (vi / 8, vk, vi % 8));",
        "reorder(ax0_o, a_packed.ax1, ax0_v);", "bind(ax0_o, group.x);",
        "!bind(a_packed.ax1", NULL, NULL } },
    /* ... which fewer iterations find in the cache again */
    { "func few(a: f32[300, 1000], b: f32[300, 64], c: f32[1000, 64]) {\n"
      "    for (i: 1000, j: 64) c[i, j] = sum(k: 300, a[k, i] * b[k, j]); }",
      { "!reindex_cache_read", "(i_o, i_i) = split(c.i", NULL, NULL, NULL, NULL } },
    /* rows by columns: two vectors of 16 and eight rows, sums in registers */
    { MATMUL("512", "512", "512", "512, 512", "512, 512")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "contract(c);", "split(c.i, 8);", "split(c.j, _, 2, 16);", "cache_write(c, 0, local)",
        "decompose_reduction(c, c.k)", "bind(i_o, group.y)" } },
    /* as a person writes it */
    { "func matmul(a: f32[512, 512], b: f32[512, 512], c: f32[512, 512]) {\n"
      "    for (i: 512, j: 512) { c[i, j] = 0.0f;\n"
      "        for (k: 512) c[i, j] = c[i, j] + a[i, k] * b[k, j]; } }",
      { "c = compose_reduction(c);", "split(c.i, 8);", "split(c.j, _, 2, 16);",
        "cache_write(c, 0, local)", "decompose_reduction(c, c.k)", "bind(i_o, group.y)" } },
    /* the second operand transposed: a copy has its columns in order */
    { MATMUL("512", "512", "512", "512, 512", "512, 512")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vj, vk]; } }",
      { "reindex_cache_read(c, b, global, (vi, vj, vk) -> (vk, vj));", "split(c.j, _, 2, 16);",
        NULL, NULL, NULL, NULL } },
    /* a layout says where the columns are: no copy */
    { "func matmul(a: f32[64, 64], b: f32[64, 64], c: f32[64, 64])\n"
      "    layout(b: (j, k) -> (k, j)) {\n"
      "    for (i: 64, j: 64, k: 64)\n"
      "        block c(vi: spatial(64) = i, vj: spatial(64) = j, vk: reduce(64) = k) {\n"
      "            init c[vi, vj] = 0.0f;\n"
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vj, vk]; } }",
      { "split(c.i, 8);", "split(c.j, _, 2, 16);", NULL, NULL, NULL, NULL } },
    /* the result goes on for four lanes: sums are vectors of sixteen, and stored by parts */
    { "func blocks(a: f32[64, 64], b: f32[64, 64], c: f32[64, 64])\n"
      "    layout(c: (i, j) -> (j / 4, i, j % 4)) {\n"
      "    for (i: 64, j: 64, k: 64)\n"
      "        block c(vi: spatial(64) = i, vj: spatial(64) = j, vk: reduce(64) = k) {\n"
      "            init c[vi, vj] = 0.0f;\n"
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "split(c.j, _, 2, 16);", "split(c_sum.ax1, 4); // that many elements are "
        "contiguous in memory",
        "vectorize(c_sum_v);", NULL, NULL, NULL } },
    /* ... but few updates do not pay for stores of single lanes: vectors go along the rows */
    { "func few(a: f32[64, 8], b: f32[8, 64], c: f32[64, 64])\n"
      "    layout(c: (i, j) -> (j, i)) {\n"
      "    for (i: 64, j: 64, k: 8)\n"
      "        block c(vi: spatial(64) = i, vj: spatial(64) = j, vk: reduce(8) = k) {\n"
      "            init c[vi, vj] = 0.0f;\n"
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "a_packed", "vectorize(i_v);", "!vectorize(j_v);", NULL, NULL, NULL } },
    /* numbers as they are written */
    { "func strict(a: f32[64, 64], b: f32[64, 64], c: f32[64, 64]) attr(numbers = \"strict\") {\n"
      "    for (i: 64, j: 64, k: 64)\n"
      "        block c(vi: spatial(64) = i, vj: spatial(64) = j, vk: reduce(64) = k) {\n"
      "            init c[vi, vj] = 0.0f;\n"
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "!contract", "vectorize(j_v);", NULL, NULL, NULL, NULL } },
    /* a transpose: lines as it reads, halves of them as it writes, turned in between */
    { "func t(x: f32[64, 64], y: f32[64, 64]) { for (i: 64, j: 64) y[i, j] = x[j, i]; }",
      { "cache_read(y, x, local);", "split(y.i, 16);", "split(y.j, 8);", "compute_at(x_tile, j_o);",
        NULL, NULL } },
    /* sums of rows, in their order: sixteen rows at once */
    { "func rows(x: f32[64, 64], y: f32[64]) { for (i: 64, j: 64) block y(vi: spatial(64) = i, "
      "vj: reduce(64) = j) { init y[vi] = 0.0f; y[vi] = y[vi] + x[vi, vj]; } }",
      { "reindex_cache_read(y, x, local, (vi, vj) -> (vi, vj));", "compute_at(x_tile, j_o);",
        "vectorize(i_v);", "!reassociate", NULL, NULL } },
    /* where the order is free: partial sums, by vectors along the rows */
    { "func rows(x: f32[64, 64], y: f32[64]) attr(numbers = \"free\") { for (i: 64, j: 64) "
      "block y(vi: spatial(64) = i, vj: reduce(64) = j) { init y[vi] = 0.0f; "
      "y[vi] = y[vi] + x[vi, vj]; } }",
      { "(j_o, j_g, j_v) = split(y.j, _, 2, 16);", "y_part = rfactor(j_v, -1);",
        "y_groups = rfactor(y_part.j_g, -2);", "compute_at(y_groups, y.i);", "!_tile", NULL } },
    /* ... of one vector, where there are not more */
    { "func rows(x: f32[64, 48], y: f32[64]) attr(numbers = \"free\") { for (i: 64, j: 48) "
      "block y(vi: spatial(64) = i, vj: reduce(48) = j) { init y[vi] = 0.0f; "
      "y[vi] = y[vi] + x[vi, vj]; } }",
      { "(j_o, j_v) = split(y.j, 16);", "vectorize(y_start.ax0);", "!_groups", NULL, NULL,
        NULL } },
    { "func most(x: f32[64, 128], y: f32[64]) { for (i: 64, j: 128) "
      "block y(vi: spatial(64) = i, vj: reduce(128) = j) { init y[vi] = 0.0f; "
      "y[vi] = max(y[vi], x[vi, vj]); } }",
      { "(j_o, j_g, j_v) = split(y.j, _, 4, 16);", "rfactor(j_v, -1);", NULL, NULL, NULL, NULL } },
    /* sums of columns: vectors along the columns */
    { "func columns(x: f32[64, 512], y: f32[512]) { for (i: 512, j: 64) "
      "block y(vi: spatial(512) = i, "
      "vj: reduce(64) = j) { init y[vi] = 0.0f; y[vi] = y[vi] + x[vj, vi]; } }",
      { "(i_o, i_i, i_v) = split(y.i, _, 4, 16);", "!_tile", NULL, NULL, NULL, NULL } },
    /* ... of whole rows, which go past sums that lie in the cache */
    { "func columns(x: f32[40, 2048], y: f32[2048]) { for (i: 2048, j: 40) "
      "block y(vi: spatial(2048) = i, "
      "vj: reduce(40) = j) { init y[vi] = 0.0f; y[vi] = y[vi] + x[vj, vi]; } }",
      { "(i_o, i_i, i_v) = split(y.i, _, 16, 16);", "reorder(i_o, j_o, i_i, j_i, i_v);",
        "unroll(j_i);", NULL, NULL, NULL } },
    { "func mean(x: f32[8, 6, 7, 512], y: f32[8, 512]) { for (n: 8, c: 512, h: 6, w: 7) "
      "block y(vn: spatial(8) = n, vc: spatial(512) = c, vh: reduce(6) = h, vw: reduce(7) = w) { "
      "init y[vn, vc] = 0.0f; y[vn, vc] = y[vn, vc] + x[vn, vh, vw, vc]; } }",
      { "reorder(y.n, c_o, y.h, c_i, y.w, c_v);", "unroll(y.w);", "bind(c_o, group.x);", NULL,
        NULL, NULL } },
    /* a border that is a condition, in what is read again and again: a copy has it */
    { "func border(x: f32[64, 16], w: f32[32, 16, 3], y: f32[64, 32]) {\n"
      "    for (h: 64, o: 32, r: 3, i: 16)\n"
      "        block y(vh: spatial(64) = h, vo: spatial(32) = o, vr: reduce(3) = r, "
      "vi: reduce(16) = i) {\n"
      "            init y[vh, vo] = 0.0f;\n"
      "            y[vh, vo] = y[vh, vo] + (vh + vr >= 1 && vh + vr < 65 ? x[vh + vr - 1, vi] "
      ": 0.0f) * w[vo, vi, vr];\n"
      "        }\n}\n",
      { "x_padded = cache_padded(y, x, global);", "w_packed = reindex_cache_read", "!partition",
        "unroll(h_i);", NULL, NULL } },
    /* results that lie apart: vectors of sums are stored element by element, in each part */
    { "func apart(x: f32[4, 64, 800], t: f32[64, 32, 3], y: f32[4, 32, 1601]) { for (n: 4, o: 32, "
      "q: 800) y[n, o, 2 * q + 1] = sum(i: 64, s: 3, q + 1 - s >= 0 && q + 1 - s < 800 ? "
      "x[n, i, q + 1 - s] * t[i, o, s] : 0.0f); }",
      { "partition(y.q, 32, 768)", "reindex_cache_write(y_1, 0, local, (vn, vo, vq, vi, vs) -> "
        "(vn, vo, vq));", "vectorize(q_b_v);", "vectorize(q_c_v);", NULL, NULL } },
    /* pixels that caches do not hold: each is read once, by all results of it */
    { "func pointwise(x: f32[2, 64, 96, 96], t: f32[128, 64], y: f32[2, 128, 96, 96]) { "
      "for (n: 2, o: 128, h: 96, w: 96) y[n, o, h, w] = sum(c: 64, x[n, c, h, w] * t[o, c]); }",
      { "reorder(y.n, y.h, w_o, o_o, y.c, o_i, w_i, w_v);", "bind(o_o, group.x);", NULL, NULL, NULL,
        NULL } },
    /* a long sum of few results: partial sums of as much as the caches hold */
    { "func product(a: f32[128, 16384], b: f32[16384, 128], c: f32[128, 128]) "
      "{ for (i: 128, j: 128) c[i, j] = sum(k: 16384, a[i, k] * b[k, j]); }",
      { "(k_o, k_i) = split(c.k, 1024);", "c_parts = rfactor(k_o, 0);",
        "reorder(c_parts.k_o, c_parts.i, c_parts.j);", "!_packed", "contract(c_parts);",
        "vectorize(j_v);" } },
    /* more of b than caches hold: panels as wide as a tile, each of which all rows use in turn */
    { MATMUL("64", "1024", "1024", "64, 1024", "1024, 1024")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "b_packed = reindex_cache_read(c, b, global, (vi, vj, vk) -> (vj / 32, vk, vj % 32));",
        "reorder(j_o, i_o, c.k, i_i, j_i, j_v);", NULL, NULL, NULL, NULL } },
    /* one matrix is both operands: the one that would be gathered is copied */
    { "func gram(x: f32[64, 48], y: f32[64, 64]) { for (i: 64, j: 64) "
      "y[i, j] = sum(k: 48, x[i, k] * x[j, k]); }",
      { "x_packed = reindex_cache_read(y, x, global, (vi, vj, vk) -> (vk, vj));",
        "a tile fills", "!rfactor", NULL, NULL, NULL } },
    /* ... or an index that is clamped, or wraps around */
    { "func edge(x: f32[64, 16], w: f32[32, 16, 3], y: f32[64, 32]) { for (h: 64, o: 32) "
      "y[h, o] = sum(r: 3, i: 16, x[max(0, min(63, h + r - 1)), i] * w[o, i, r]); }",
      { "x_padded = cache_padded(y, x, global);", "w_packed = reindex_cache_read", "!partition(y",
        "unroll(h_i);", NULL, NULL } },
    { "func round(x: f32[64, 16], w: f32[32, 16, 3], y: f32[64, 32]) { for (h: 64, o: 32) "
      "y[h, o] = sum(r: 3, i: 16, x[(h + r + 63) % 64, i] * w[o, i, r]); }",
      { "x_padded = cache_padded(y, x, global);", "w_packed = reindex_cache_read", "!partition(y",
        "unroll(h_i);", NULL, NULL } },
    /* ... which wraps around more often is no border */
    { "func often(x: f32[4, 16], w: f32[32, 16, 3], y: f32[64, 32]) { for (h: 64, o: 32) "
      "y[h, o] = sum(r: 3, i: 16, x[(h + r) % 4, i] * w[o, i, r]); }",
      { "!cache_padded", "!partition(y", NULL, NULL, NULL, NULL } },
    /* ... in what is read once, the same for all lanes: the tile asks */
    { "func thin(x: f32[64, 32], w: f32[32, 3], y: f32[64, 32]) {\n"
      "    for (h: 64, o: 32, r: 3)\n"
      "        block y(vh: spatial(64) = h, vo: spatial(32) = o, vr: reduce(3) = r) {\n"
      "            init y[vh, vo] = 0.0f;\n"
      "            y[vh, vo] = y[vh, vo] + (vh + vr >= 1 && vh + vr < 65 ? x[vh + vr - 1, vo] "
      ": 0.0f) * w[vo, vr];\n"
      "        }\n}\n",
      { "w_packed = reindex_cache_read", "(h_o, h_i) = split(y.h, 16);", "!partition",
        "!cache_padded", NULL, NULL } },
    /* ... of a product, which no copy with zeros gives: w may hold infinities */
    /* what a sum's cells become lies in blocks: so does the sum, in registers */
    { "func blocks(x: f32[8, 8, 32], k: f32[3, 32], v: f32[32], y: f32[8, 8, 32])\n"
      "    layout(x: (h, w, c) -> (c / 4, h, w, c % 4))\n"
      "    layout(y: (h, w, c) -> (c / 4, h, w, c % 4)) {\n"
      "    alloc t: f32[8, 8, 32];\n"
      "    for (i: 8, j: 8, o: 32)\n"
      "        t[i, j, o] = sum(r: 3, i + r >= 1 && i + r < 9\n"
      "            ? x[i + r - 1, j, o] * k[r, o] : 0.0f);\n"
      "    for (i: 8, j: 8, o: 32) y[i, j, o] = max(t[i, j, o] + v[o], 0.0f);\n}\n",
      { "vectors of 4 along", "reverse_compute_inline(y); // computed where the sum is "
                                     "stored",
        "!partition", NULL, NULL, NULL } },
    { "func columns(x: f32[64, 48], k: f32[48, 32], v: f32[32], y: f32[64, 32])\n"
      "    layout(x: (h, c) -> (c / 4, h, c % 4)) layout(y: (h, c) -> (c / 4, h, c % 4)) {\n"
      "    alloc t: f32[64, 32];\n"
      "    for (i: 64, o: 32) t[i, o] = sum(q: 48, x[i, q] * k[q, o]);\n"
      "    for (i: 64, o: 32) y[i, o] = max(t[i, o] + v[o], 0.0f);\n}\n",
      { "split(t_sum.ax1, 4); // that many elements are "
        "contiguous in memory", "reverse_compute_inline(y);",
        "split(t.o, _, 2, 16);", NULL, NULL, NULL } },
    { DEPTHWISE, { "contract(y); // attr(numbers) allows it by default; each arm of the choice is "
                   "a sum",
                   "vectorize(o_v);", "!partition", "!cache_padded", NULL, NULL } },
    /* ... that lanes do not share: cut off */
    { "func along(x: f32[64], w: f32[3], y: f32[64]) {\n"
      "    for (i: 64, r: 3)\n"
      "        block y(vi: spatial(64) = i, vr: reduce(3) = r) {\n"
      "            init y[vi] = 0.0f;\n"
      "            y[vi] = y[vi] + (vi + vr >= 1 && vi + vr < 65 ? x[vi + vr - 1] : 0.0f) * w[vr];"
      "\n        }\n}\n",
      { "(i_a, i_b, i_c) = partition(y.i, 1, 63);", "!cache_padded", NULL, NULL, NULL, NULL } },
    /* ... along both axes, if rows of a tile would ask each for itself, inside of the first border;
       each part is a nest with a name of its own */
    { "func blur(x: f32[40, 40], g: f32[5, 5], y: f32[40, 40]) { for (i: 40, j: 40) y[i, j] = sum("
      "a: 5, b: 5, i + a >= 2 && i + a < 42 && j + b >= 2 && j + b < 42 ? x[i + a - 2, j + b - 2] "
      "* g[a, b] : 0.0f); }",
      { "(j_a, j_b, j_c) = partition(y.j, 2, 38);", "(i_a, i_b, i_c) = partition(y_1.i, 2, 38);",
        "(j_b_a, j_b_b) = partition(y_1_1.j_b, 32);", "vectorize(y_2_init.", "!partition(y.i",
        "!stays as it is" } },
    /* ... not if all rows ask the same; what vectors leave is not cut again */
    { "func nchw(x: f32[8, 56, 56], w: f32[64, 8, 3, 3], y: f32[64, 56, 56]) { for (o: 64, h: 56, "
      "v: 56) y[o, h, v] = sum(i: 8, r: 3, s: 3, h + r >= 1 && h + r < 57 && v + s >= 1 && v + s < "
      "57 ? x[i, h + r - 1, v + s - 1] * w[o, i, r, s] : 0.0f); }",
      { "x_padded = cache_padded(y, x, global);", "(v_a, v_b) = partition(y.v, 48);",
        "skip_neutral(y);", "!w_packed", "!partition(y.h", NULL } },
    /* ... but where it has vectors much shorter than it might */
    { "func nchw(x: f32[8, 12, 28], w: f32[12, 8, 3, 3], y: f32[12, 10, 26]) { for (o: 12, h: 10, "
      "v: 26) y[o, h, v] = sum(i: 8, r: 3, s: 3, x[i, h + r, v + s] * w[o, i, r, s]); }",
      { "(v_a, v_b) = partition(y.v, 16);", "(v_b_a, v_b_b) = partition(y_1.v_b, 8);",
        "vectors of 8", NULL, NULL, NULL } },
    /* ... also where they read a copy, which serves all parts */
    { "func stride(x: f32[16, 128], t: f32[32, 16, 3], y: f32[32, 40]) { for (o: 32, w: 40) y[o, "
      "w] = sum(i: 16, s: 3, x[i, w * 3 + s * 4] * t[o, i, s]); }",
      { "x_packed = reindex_cache_read(y, x", "(w_a, w_b) = partition(y.w, 32);", "vectors of 16",
        NULL, NULL, NULL } },
    /* ... in a long row the masks are cut off */
    { "func row(x: f32[32, 1024], t: f32[32, 32, 5], y: f32[32, 1024]) { for (o: 32, w: 1024) "
      "y[o, w] = sum(i: 32, s: 5, w + s >= 2 && w + s < 1026 ? x[i, w + s - 2] * t[o, i, s] : "
      "0.0); }",
      { "x_padded = cache_padded(y, x, global);", "= partition(y.w, 32, 992);", NULL, NULL, NULL,
        NULL } },
    /* ... lanes that would ask for other remainders are other ones, in the order of the tile */
    { "func back(x: f32[8, 64], t: f32[8, 32, 4], y: f32[32, 128]) { for (o: 32, w: 128) y[o, w] = "
      "sum(i: 8, s: 4, (w - s) % 2 == 0 && (w - s) / 2 >= 0 && (w - s) / 2 < 64 ? x[i, (w - s) / "
      "2] * t[i, o, s] : 0.0); }",
      { "x_padded = cache_padded(y, x, global);", "t_packed = reindex_cache_read(y, t",
        "y_sum = reindex_cache_write(y, 0, local", "skip_neutral(y);", "split(y.w_a, 14);",
        "unroll(y.s);" } },
    /* ... by parts of it that ask for nothing, a copy over the axes that an index is made of */
    { "func parts(x: f32[16, 35], t: f32[16, 32, 16], y: f32[32, 66]) { for (o: 32, w: 33, b: 2) "
      "y[o, w * 2 + b] = sum(i: 16, s: 8, x[i, w + s / 4] * t[i, o, s * 2 + b]); }",
      { "reindex_cache_read(y, t, global, (vo, vw, vb, vi, vs) -> (vb, vi, vs, vo));",
        "reindex_cache_write(y, 0, local, (vo, vw, vb, vi, vs) -> (vw, vb, vo));",
        "vectorize(o_v);", NULL, NULL, NULL } },
    /* vectors do not divide the columns: the operand gets zeros behind, and the copy of what counts
       is part of the tile */
    { MATMUL("64", "37", "8", "64, 8", "8, 37")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "pad_einsum(c, 1, 48, 1);", "reverse_compute_at(c_pad, j_o);", "set_scope(c, 0, local);",
        "(c_pad_a, c_pad_b) = partition(c_pad.ax1, 32);", "!b_pad.ax0", NULL } },
    /* ... of a tile that has some columns, too; the last tiles of rows and columns are parts */
    { MATMUL("131", "93", "16", "131, 16", "16, 93")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "pad_einsum(c, 1, 96, 1);", "reverse_compute_at(c_pad, j_o);",
        "(i_o_a, i_o_b) = partition(i_o, 14);", "(j_o_a, j_o_b) = partition(c.j_o, ", "!c_sum",
        NULL } },
    /* ... where lanes would be gathered; partial results would read all operands for each result */
    { "func turned(a: f32[32, 64], b: f32[37, 64], c: f32[32, 37]) { for (i: 32, j: 37) c[i, j] = "
      "sum(k: 64, a[i, k] * b[j, k]); }",
      { "pad_einsum(c, 1, 48, 1);", "b_pad_packed = reindex_cache_read(c, b_pad, global",
        "vectorize(j_v);", "!rfactor(", NULL, NULL } },
    /* what is scattered is gathered by each cell, and then the sum of a window */
    { "func back(x: f32[8, 64], t: f32[8, 32, 3], y: f32[32, 66]) { for (o: 32, w: 66) y[o, w] = "
      "0.0; for (i: 8, o: 32, w: 64, s: 3) y[o, w + s] += x[i, w] * t[i, o, s]; }",
      { "gather(y_1.w, s);", "merge(y.w, y_1.w);", "compose_store(o);",
        "x_padded = cache_padded(y_1, x, global);", NULL, NULL } },
    /* ... but what is read once is cut: 32, then 4, then 1 */
    { "func columns(x: f32[64, 37], y: f32[37]) { for (i: 37, j: 64) "
      "block y(vi: spatial(37) = i, vj: reduce(64) = j) { init y[vi] = 0.0f; "
      "y[vi] = y[vi] + x[vj, vi]; } }",
      { "(i_a, i_b) = partition(y.i, 32);", "partition(y_1.i_b, 4);", NULL, NULL, NULL, NULL } },
    /* no tile divides the rows: the rest is a nest of its own */
    { MATMUL("131", "64", "16", "131, 16", "16, 64")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "(i_a, i_b) = partition(c.i, 126);", "(i_a_o, i_a_i) = split(c.i_a, 14);",
        "c_sum = cache_write(c, 0, local);", "c_1_sum = cache_write(c_1, 0, local);", NULL,
        NULL } },
    /* few columns are vectors of their own: no padding; rows whose lines lie far apart are few */
    { "func few(x: f32[60, 512], w: f32[512, 8], y: f32[60, 8]) { for (h: 60, o: 8) y[h, o] = "
      "sum(k: 512, x[h, k] * w[k, o]); }",
      { "vectors of 8 along", "(h_o, h_i) = split(y.h, 6);", "!pad_einsum", NULL, NULL,
        NULL } },
    /* element by element: vectors, and what they leave, in the order of memory */
    { "func inner(a: f32[100, 128], b: f32[100, 126]) { for (i: 100, j: 126) "
      "b[i, j] = a[i, j] + a[i, j + 2]; }",
      { "(j_a, j_b) = partition(b.j, 112); // whole vectors, then the remainder",
        "reorder(b.i, j_a_o, j_a_v);", "vectorize(j_a_v);", "bind(b.i, group.x);", NULL, NULL } },
    /* ... what is guarded at its ends is cut off along the vectors; rows share what they read */
    { "func heat(a: f32[100, 128], b: f32[100, 128]) { for (i: 100, j: 128) b[i, j] = i > 0 && i < "
      "99 && j > 0 && j < 127 ? a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] : "
      "a[i, j]; }",
      { "(j_a, j_b, j_c) = partition(b.j, 1, 127);", "(i_o, i_i) = split(b_1.i, 4);",
        "parallel(b.j_a);", "vectorize(j_b_a_v);", NULL, NULL } },
    /* ... along the vectors, if rows share nothing */
    { "func pad(x: f32[64, 56, 56], y: f32[64, 58, 58]) { for (c: 64, h: 58, w: 58) y[c, h, w] = "
      "h >= 1 && h < 57 && w >= 1 && w < 57 ? x[c, h - 1, w - 1] : 0.0f; }",
      { "(w_a, w_b, w_c) = partition(y.w, 1, 57);", "vectorize(w_b_v);", "!partition(y_1.h", NULL,
        NULL, NULL } },
    /* ... not what all lanes of a vector ask */
    { "func pad(x: f32[56, 56, 64], y: f32[58, 58, 64]) { for (h: 58, w: 58, c: 64) y[h, w, c] = "
      "h >= 1 && h < 57 && w >= 1 && w < 57 ? x[h - 1, w - 1, c] : 0.0f; }",
      { "(c_o, c_v) = split(y.c, 16);", "vectorize(c_v);", "!partition", NULL, NULL, NULL } },
    /* what is read at several places */
    { "func stencil(x: f32[66], y: f32[64]) { for (i: 64) y[i] = x[i] + x[i + 2]; }",
      { "(i_o, i_v) = split(y.i, 16);", "vectorize(i_v);", NULL, NULL, NULL, NULL } },
    /* ... that wrap around at the ends, or are chosen there: inside of the border they go on */
    { "func stencil(x: f32[128, 256], y: f32[128, 256]) { for (i: 128, j: 256) y[i, j] = "
      "x[(i + 127) % 128, j] + x[i, (j + 1) % 256]; }",
      { "(j_a, j_b) = partition(y.j, 255); // inside the border", "partition(y.j_a, 240);",
        "vectors of 16", NULL, NULL, NULL } },
    { "func stencil(x: f32[128, 256], y: f32[128, 256]) { for (i: 128, j: 256) { let b = j == 0 ? "
      "255 : j - 1; y[i, j] = x[i, b] + x[i > 0 ? i - 1 : 0, j]; } }",
      { "(j_a, j_b) = partition(y.j, 1); // inside the border", "vectors of 16", NULL, NULL,
        NULL, NULL } },
    /* ... by the arm that most iterations take: its lines lie apart */
    { "func turn(x: f32[256, 256], y: f32[256, 256]) { for (i: 256, j: 256) "
      "y[i, j] = x[j == 0 ? 255 : j - 1, i]; }",
      { "!vectors of 16, along", "!partition", NULL, NULL, NULL, NULL } },
    /* ... also where that is all that is read, which is no walk then */
    { "func turn(x: f32[257, 257], y: f32[257, 257]) { for (i: 257, j: 257) "
      "y[i, j] = x[i, (j + 1) % 257]; }",
      { "(j_a, j_b) = partition(y.j, 256); // inside the border", "vectors of 16", "!fuse(",
        NULL, NULL, NULL } },
    { "func shift(x: f32[257, 257], y: f32[257, 257]) { for (i: 257, j: 257) "
      "y[i, j] = x[i, max(j - 1, 0)]; }",
      { "(j_a, j_b) = partition(y.j, 1); // inside the border", "vectors of 16", "!fuse(", NULL,
        NULL, NULL } },
    /* ... and what vectors leave is one more part */
    { "func shift(x: f32[16, 16, 300], y: f32[16, 16, 300]) { for (i: 16, j: 16, k: 300) "
      "y[i, j, k] = x[i, j, max(k - 1, 0)]; }",
      { "(k_b_a, k_b_b) = partition(y_1.k_b, 288);", "parallel(y_2.k_b_b);", NULL, NULL, NULL,
        NULL } },
    /* short ones are not cut: what is left has no vectors */
    { "func turn(x: f32[64, 64, 64], y: f32[64, 64, 64]) { for (i: 64, j: 64, k: 64) "
      "y[i, j, k] = x[i, j, k] + x[i, j, (k + 1) % 64]; }",
      { "!partition", "vectors of 16", NULL, NULL, NULL, NULL } },
    /* ... and not every few iterations */
    { "func turn(x: f32[128, 128], y: f32[128, 128]) { for (i: 128, j: 128) "
      "y[i, j] = x[i, (j + 1) % 4] + x[i, j % 2 == 0 ? j : j - 1]; }",
      { "!partition", NULL, NULL, NULL, NULL, NULL } },
    /* whole tiles of a transpose, and what they leave */
    { "func turn(x: f32[101, 203], y: f32[203, 101]) { for (i: 203, j: 101) y[i, j] = x[j, i]; }",
      { "(i_a, i_b) = partition(y.i, 192); // whole tiles, then the remainder",
        "(j_a, j_b) = partition(y.j, 96);", "x_tile = cache_read(y, x, local, y);",
        "split(y.j_a, 8);", NULL, NULL } },
    /* ... of which narrower vectors leave nothing */
    { "func turn(x: f32[100, 204], y: f32[204, 100]) { for (i: 204, j: 100) y[i, j] = x[j, i]; }",
      { "!partition", "x_tile = cache_read(y, x, local);", NULL, NULL, NULL, NULL } },
    /* ... of which rows that are near read the same: they share a tile */
    { "func stencil(x: f32[66, 80], y: f32[64, 80]) { for (i: 64, j: 80) "
      "y[i, j] = x[i, j] + x[i + 1, j] + x[i + 2, j]; }",
      { "(i_o, i_i) = split(y.i, 4);", "reorder(i_o, j_o, i_i, j_v);", "unroll(i_i);", NULL, NULL,
        NULL } },
    /* ... of which the iterations of a pair read the same: they share a tile */
    { "func grow(x: f32[16, 32], y: f32[32, 32]) { for (i: 32, j: 32) "
      "y[i, j] = x[i / 2, j] + x[min(i / 2 + 1, 15), j]; }",
      { "(i_o, i_i) = split(y.i, 2); // these iterations read", "unroll(i_i);", "vectorize(j_v);",
        NULL, NULL, NULL } },
    /* no loop by which all of it goes on; lanes that lie apart, but not far, are collected */
    { "func odd(x: f32[640], y: f32[64]) { for (i: 64) y[i] = x[i * 10]; }",
      { "// y stays as it is: other loops would not be faster", REST, NULL, NULL, NULL } },
    { "func even(x: f32[128], y: f32[64]) { for (i: 64) y[i] = x[i * 2]; }",
      { "(i_o, i_v) = split(y.i, 16);", NULL, NULL, NULL, NULL, NULL } },
    { "func even(x: f16[128], y: f16[64]) { for (i: 64) y[i] = x[i * 2]; }",
      { "// y stays as it is: other loops would not be faster" REST, NULL, NULL, NULL, NULL } },
    { "func pool(x: f32[64, 113, 113], y: f32[64, 56, 56]) { for (c: 64, i: 56, j: 56) "
      "y[c, i, j] = max(r: 3, s: 3, x[c, 2 * i + r, 2 * j + s]); }",
      { "(j_o, j_v) = split(y.j, 8);", "unroll(y.s);", "bind(y.i, group.x);", "!bind(j_o", NULL,
        NULL } },
    /* memory is one walk */
    { "func copy(x: f32[4, 6, 8], y: f32[4, 6, 8]) { for (i: 4, j: 6, k: 8) "
      "y[i, j, k] = x[i, j, k]; }",
      { "fuse(y.i, y.j, y.k); // consecutive in memory", "split(y.i_j_k_fused, 16);", "vectorize(",
        NULL, NULL, NULL } },
    { "func copy(x: f32[6, 4, 5], y: f32[6, 4, 5]) { for (k: 5, u: 1, i: 4, j: 6) "
      "y[j, i + u, k] = x[j, i + u, k]; }",
      { "reorder(y.u, y.j, y.i, y.k); // in the order of memory", "fuse(y.j, y.i, y.k);", NULL,
        NULL, NULL, NULL } },
    /* ... as layouts have it, of which one iteration takes four */
    { "func relu(x: f32[6, 6, 8], y: f32[6, 6, 8])" BLOCKS("x") BLOCKS("y")
      " { for (h: 6, w: 6, c: 8) y[h, w, c] = max(x[h, w, c], 0.0f); }",
      { "(c_o, c_i) = split(y.c, 4); // that many", "c_o_h_w = fuse(c_o, y.h, y.w);",
        "parallel(c_o_h_w);", "vectorize(c_i);", "!unroll", NULL } },
    /* ... and few stay in an item */
    { "func few(x: f32[40, 40, 6], y: f32[40, 40, 3]) { for (h: 40, w: 40, c: 3) "
      "y[h, w, c] = x[h, w, 5 - c * 2]; }",
      { "h_w = fuse(y.h, y.w);", "vectorize(y.c);", NULL, NULL, NULL, NULL } },
    /* a layout that transposes: two lines of each are written by an item */
    { PACK,
      { "(h_w_o, h_w_i) = split(h_w, 8);", "reorder(h_w_o, c_o, h_w_i, c_i);",
        "annotate(c_o, group = 16);", "annotate(h_w_o, group = 128);", "unroll(h_w_i);",
        "vectorize(c_i);" } },
    /* ... where that would leave too few items */
    { "func pack(x: f32[4, 4, 64], y: f32[4, 4, 64])" BLOCKS("y")
      " { for (h: 4, w: 4, c: 64) y[h, w, c] = x[h, w, c]; }",
      { "(c_o, c_i) = split(y.c, 4);", "h_w = fuse(y.h, y.w);", "!unroll", NULL, NULL, NULL } },
    /* loops in what is stored */
    { "func names(y: f32[6, 8]) { for (i: 6, j: 8) y[i, j] = f32(i * j); }",
      { "fuse(y.i, y.j);", "split(y.i_j_fused, 16);", NULL, NULL, NULL, NULL } },
    /* not: rows of their own, a walk that turns back, one cell for all, padding that is stated */
    { "func rows(x: f32[6, 8], y: f32[6, 8]) layout(x: (i, j) -> (i, |, j))"
      " { for (i: 6, j: 8) y[i, j] = x[i, j]; }",
      { "!fuse", NULL, NULL, NULL, NULL, NULL } },
    { "func turn(x: f32[8], y: f32[8]) { for (i: 8) y[(i + 4) % 8] = x[7 - i]; }",
      { "// y stays as it is: other loops would not be faster" REST, NULL, NULL, NULL, NULL } },
    { "func turn(x: f32[8], y: f32[8]) { for (i: 8) y[(3 - i) % 8] = x[i]; }",
      { "// y stays as it is: other loops would not be faster" REST, NULL, NULL, NULL, NULL } },
    { "func one(x: f32[6, 8], y: f32[1]) { for (i: 6, j: 8) y[0] = x[i, j]; }",
      { "!;", NULL, NULL, NULL, NULL, NULL } },
    { "func pad(x: f32[6, 6, 7], y: f32[6, 6, 7]) layout(y: (h, w, c) -> (c / 4, h, w, c % 4), "
      "pad(0.0)) { for (h: 6, w: 6, c: 7) y[h, w, c] = x[h, w, c]; }",
      { "// y stays as it is: it also stores padding", REST, NULL, NULL, NULL } },
    { "func full(x: f32[6, 6, 8], y: f32[6, 6, 8]) layout(y: (h, w, c) -> (c / 4, h, w, c % 4), "
      "pad(0.0)) { for (h: 6, w: 6, c: 8) y[h, w, c] = x[h, w, c]; }",
      { "(c_o, c_i) = split(y.c, 4);", "!parallel();", NULL, NULL, NULL } },
    /* what is scheduled stays as it is, and a comment says so */
    { "func bound(x: f32[64], y: f32[64]) { for bind(global.x) (i: 64) y[i] = x[i]; }",
      { "// i stays as it is: its loops are scheduled already", "!;", NULL, NULL, NULL, NULL } },
    /* one loop of rows: each nest in it by itself, then the rows are work-items */
    { ROWS_OF_THREE,
      { "(j_o, j_g, j_v) = split(m_max.j, _, 4, 16);", "rfactor(s_sum_part.j_g1, -2);",
        "(j_o2, j_v2) = split(y.j, 16);", "bind(i, global.x);", "!compute_at",
        "!stays as it is" } },
    /* ... of functions: what whole vectors leave are shorter ones */
    { "func softmax(x: f32[32, 63], y: f32[32, 63]) { for (i: 32) { let m: f32 = max(j: 63, "
      "x[i, j]); let s: f32 = sum(j: 63, exp(x[i, j] - m)); for (j: 63) y[i, j] = "
      "exp(x[i, j] - m) / s; } }",
      { "(j_a1, j_b1) = partition(s_sum_part.j_o1, 3);",
        "(j_v1_a, j_v1_b, j_v1_c) = partition(s_sum_part_1.j_v1, 8, 12);", "vectorize(j_v1_b);",
        "vectorize(s_sum_part.j_v1);", "partition(y.j, 48);", "partition(y_1.j_b2, 8);" } },
    { "func rows(x: f32[4, 5, 6, 512], y: f32[4, 5, 6, 512]) { for (b: 4, h: 5, i: 6) { "
      "let m: f32 = max(j: 512, x[b, h, i, j]); "
      "for (j: 512) y[b, h, i, j] = x[b, h, i, j] - m; } }",
      { "bind(b, group.z);", "bind(h, group.y);", "bind(i, group.x);", "split(m_max.j, _, 4, 16);",
        NULL, NULL } },
    /* ... with arrays: a store in front of what updates it is an init */
    { "func rows(x: f32[64, 64], y: f32[64, 64]) { alloc m: f32[64]; for (i: 64) { m[i] = x[i, 0]; "
      "for (j: 64) m[i] = max(m[i], x[i, j]); for (j: 64) y[i, j] = x[i, j] - m[i]; } }",
      { "m = compose_reduction(m);", "m_part = rfactor(j_v, -1);", "vectorize(j_v1);",
        "bind(i, global.x);", NULL, NULL } },
    /* ... but not where nothing else follows: a sum in its order */
    { "func rows(x: f32[64, 64], y: f32[64, 64]) { alloc m: f32[64]; for (i: 64) { m[i] = 0.0f; "
      "for (j: 64) m[i] = m[i] + x[i, j]; for (j: 64) y[i, j] = x[i, j] - m[i]; } }",
      { "!compose_reduction",
        "// m stays as it is: none of its loops can be vectorized, and no tile "
                              "fits",
        "vectorize(j_v);", "bind(i, global.x);", NULL, NULL } },
    /* ... loops in loops that hold more */
    { "func deep(x: f32[12, 16, 64], y: f32[12, 16, 64], z: f32[12, 64]) { for (b: 12) { "
      "for (j: 64) z[b, j] = x[b, 0, j] * 2.0f; for (i: 16) { let m: f32 = max(j: 64, x[b, i, j]); "
      "for (j: 64) y[b, i, j] = z[b, j] - m; } } }",
      { "split(z.j, 16);", "split(m_max.j, _, 2, 16);", "split(y.j, 16);", "bind(b, group.x);",
        "!bind(i", "!stays as it is" } },
    /* rows that read what rows before stored stay in order: a running sum, one memory for all */
    { "func run(x: i32[8, 64], c: i32[64], y: i32[8, 64]) { for (i: 8) { for (j: 64) c[j] = c[j] + "
      "x[i, j] % 8; for (j: 64) y[i, j] = c[j]; } }",
      { "vectorize(j_v);", "vectorize(j_v1);", "!bind(",
        "// i stays as it is: iterations access cells that others write", NULL, NULL } },
    { "func all(x: i32[8, 64], t: i32[64], y: i32[8, 64]) { for (i: 8) { for (j: 64) t[j] = "
      "x[i, j] % 8; let s: i32 = sum(j: 64, t[j]); for (j: 64) y[i, j] = s; } }",
      { "split(s_sum.j, _, 2, 16);", "!bind(",
        "// i stays as it is: iterations access cells that others write", NULL, NULL, NULL } },
    /* ... large nests in them are launched each; small ones are not */
    { "func steps(x: f32[514, 514], y: f32[512, 512]) { for (t: 3) { for (i: 512, j: 512) "
      "y[i, j] = x[i, j + 1] + x[i + 2, j + 1]; for (i: 512, j: 512) x[i + 1, j + 1] = y[i, j]; } "
      "}",
      { "bind(i_o, group.x);", "bind(x.i, group.x);",
        "// t stays as it is: iterations access cells that others write", NULL, NULL, NULL } },
    { "func steps(x: f32[66, 66], y: f32[64, 64]) { for (t: 3) { for (i: 64, j: 64) "
      "y[i, j] = x[i, j + 1] + x[i + 2, j + 1]; for (i: 64, j: 64) x[i + 1, j + 1] = y[i, j]; } }",
      { "vectorize(j_v);", "!bind(", NULL, NULL, NULL, NULL } },
    /* ... also few rows that do not meet */
    { "func two(x: f32[2, 512, 512], y: f32[2, 512, 512], z: f32[2, 512, 512]) { for (t: 2) { "
      "for (i: 512, j: 512) y[t, i, j] = x[t, i, j] + x[t, i, 0]; for (i: 512, j: 512) z[t, i, j] "
      "= y[t, i, j] + x[t, i, 1]; } }",
      { "bind(y.i, group.x);", "!bind(t", "// t stays as it is: each nest inside becomes a",
        NULL, NULL, NULL } },
    /* ... in which nothing is decided stay as they are, and the passes come by */
    { "func odd(x: f32[8, 128], y: f32[8, 64]) { for (i: 8) { y[i, 0] = 1.0f; "
      "for (j: 32) y[i, j * 2 + 1] = x[i, j * 3]; } }",
      { "// y stays as it is: none of its loops runs along contiguous memory",
        "// i stays as it is: nothing inside it can be improved", REST, NULL, NULL } },
    /* sums of rows that vectors do not divide: the main part, and what is left behind it */
    { "func rows(x: f32[64, 998], y: f32[64]) { for (i: 64) y[i] = sum(j: 998, x[i, j]); }",
      { "(j_a, j_b) = partition(y.j, 992);", "(j_o, j_g, j_v) = split(j_a, _, 2, 16);",
        "bind(y.i, group.x);", "!compute_at", NULL, NULL } },
    { "func rows(x: f32[64, 998], y: f32[64, 998]) { for (i: 64) { let m: f32 = max(j: 998, "
      "x[i, j]); for (j: 998) y[i, j] = x[i, j] - m; } }",
      { "(j_a, j_b) = partition(m_max.j, 992);", "(j_a1, j_b1) = partition(y.j, 992);",
        "split(y.j_a1, 16);", "bind(i, group.x);", NULL, NULL } },
    /* ... not where they are in their order */
    { "func rows(x: f32[64, 998], y: f32[64]) { for (i: 64, j: 998) block y(vi: spatial(64) = i, "
      "vj: reduce(998) = j) { init y[vi] = 0.0f; y[vi] = y[vi] + x[vi, vj]; } }",
      { "!rfactor", NULL, NULL, NULL, NULL, NULL } },
    /* a nest that no name finds, for a block behind it has that name */
    { "func named(x: f32[64, 64], w: f32[64], t: f32[64, 64]) { for (i: 64, j: 64) t[i, j] = "
      "x[j, i]; for (i: 64, j: 3) block t(a: spatial(64) = i, b: spatial(64) = j) "
      "{ t[a, b] = w[b]; } }",
      { "// i stays as it is: a block, or another nest, has its name: give it a label", NULL, NULL,
        NULL, NULL, NULL } },
    /* rows of functions that are shorter than a vector: its lanes are rows */
    { "func softmax(x: f32[4096, 10], y: f32[4096, 10]) { for (i: 4096) { let m = max(k: 10, "
      "x[i, k]); let s = sum(k: 10, exp(x[i, k] - m)); for (k: 10) y[i, k] = "
      "exp(x[i, k] - m) / s; } }",
      { "distribute(i);", "i_v) = split(s_sum.i, _, 4, 16);", "y_lanes = cache_write(y, 0, local);",
        "reverse_compute_at(y_lanes, y.k);", "unroll(y_lanes.ax0);", "!stays as it is" } },
    /* rows along which memory does not go on: each nest for all rows, so that it does */
    { "func softmax(x: f32[512, 256], y: f32[512, 256]) { for (j: 256) { "
      "let m = max(i: 512, x[i, j]); let s = sum(i: 512, exp(x[i, j] - m)); "
      "for (i: 512) y[i, j] = exp(x[i, j] - m) / s; } }",
      { "compose_store(j);", "distribute(j);", "_v) = split(m_max.j,",
        "_v1) = split(s_sum.j,", "split(y.j, 16);", "!stays as it is" } },
    /* a sum beside a store, in a loop whose variable other loops have: inside of the rows, and for
       all rows where so much is left then */
    { "func f(x: f32[64, 4096], y: f32[64, 4096]) { for (i: 64) { alloc s: f32[]; s[] = 0.0f; "
      "for (k: 4096) { y[i, k] = exp(x[i, k]); s[] += y[i, k]; } "
      "for (k: 4096) y[i, k] /= s[]; } }",
      { "k_s = distribute(y_s);", "split(y_1.k_s, 16)", "split(y.k, 16)", "!not a single block",
        NULL } },
    { "func f(x: f32[64, 16384], y: f32[64, 16384]) { for (i: 64) { alloc s: f32[]; s[] = 0.0f; "
      "for (k: 16384) { y[i, k] = exp(x[i, k]); s[] += y[i, k]; } "
      "for (k: 16384) y[i, k] /= s[]; } }",
      { "distribute(i);", "k_s = distribute(y_s);", "distribute(k_s.i);", "split(y_1.k_s, 16)",
        "s_1 = compose_reduction(s_1);", "!not a single block" } },
    /* a condition around all of it bounds its loops, where something is decided then */
    { "func f(x: f32[256, 256], w: f32[3, 3], y: f32[256, 256]) { for (i: 256, j: 256) "
      "if (i > 0 && i < 255 && j > 0 && j < 255) "
      "y[i, j] = sum(r: 3, s: 3, x[i + r - 1, j + s - 1] * w[r, s]); }",
      { "tighten(i); // the condition becomes bounds of the loops", "split(y.j_a, _, 3, 16);",
        "bind(i_o, group.x);", "!stays as it is", NULL, NULL } },
    { "func f(x: f32[256, 256], y: f32[256, 256]) { for (i: 256, j: 256) "
      "if (i > 0 && i < 255) y[i, j] = x[i - 1, j] + x[i + 1, j]; }",
      { "tighten(i); // the condition becomes bounds of "
        "the loops", "vectorize(j_v);", "bind(y.i, group.x);",
        "!stays as it is", NULL, NULL } },
    { "func f(x: f32[64, 64], k: i32[64], y: f32[64, 64]) { for (i: 64, j: 64) "
      "if (i > 0 && k[i] > 3) y[i, j] = sum(r: 2, x[i - r, j]); }",
      { "!tighten(", "// i stays as it is: it is not a single block or store inside "
                     "its loops", NULL, NULL,
        NULL, NULL } },
    /* names: whole tiles of symbolic loops, and what they leave; sums that may be of nothing */
    { "func f(n: index, m: index, q: index, a: f32[n, q], b: f32[q, m], c: f32[n, m]) { "
      "for (i: n, j: m) c[i, j] = sum(k: q, a[i, k] * b[k, j]); }",
      { "c_sum = compose_reduction(c);", "(i_a, i_b) = peel(c_sum.i, 8);",
        "(j_a, j_b) = peel(c_sum.j, 32);", "split(c_sum.j_a, _, 2, 16);",
        "reverse_compute_at(c_sum_sum, j_a_o);", "peel(c_sum_2.j_b, 4);" } },
    { "func f(n: index, m: index, q: index, a: f32[n, q], b: f32[m, q], c: f32[n, m]) { "
      "for (i: n, j: m) { c[i, j] = 0; for (k: q) c[i, j] = c[i, j] + a[i, k] * b[j, k]; } }",
      { "b_packed = reindex_cache_read(c_sum, b, global, (vi, vj, vk) -> (vk, vj));",
        "(j_a_o, j_a_i, j_a_v) = split(c_sum.j_a, _, 2, 16);", NULL, NULL, NULL, NULL } },
    { "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) { for (i: n) { let t = max(k: m, "
      "x[i, k]); for (j: m) y[i, j] = exp(x[i, j] - t); } }",
      { "t_max = compose_reduction(t_max);", "peel(t_max.k, 32);", "peel(y.j, 16);",
        "bind(i, group.x);", NULL, NULL } },
    { "func f(n: index, m: index, x: f32[n, m], y: f32[m, n]) { for (i: m, j: n) y[i, j] = "
      "x[j, i]; }",
      { "peel(y.i, 16);", "peel(y.j, 16);", "x_tile = cache_read(y, x, local, y);", NULL, NULL,
        NULL } },
    { "func f(n: index, x: f32[n], z: f32[n], y: f32[]) attr(numbers = \"free\") { y[] = sum(i: n, "
      "x[i] * z[i]); }",
      { "(i_a, i_b) = peel(y_sum.i, 4096);", "y_sum_parts = rfactor(i_o, 0);", NULL, NULL, NULL,
        NULL } },
    /* more loops of items than a launch has dimensions stay loops where they are of names */
    { "func f(b: index, h: index, n: index, q: f32[b, h, n, 64], k: f32[b, h, n, 64], "
      "s: f32[b, h, n, n]) { for (e: b, g: h, i: n, j: n) s[e, g, i, j] = sum(d: 64, "
      "q[e, g, i, d] * k[e, g, j, d]); }",
      { "group.z);", "!fuse(", "peel(s.i, 8);", NULL, NULL, NULL } },
    /* of a triangle a tile adds up only what is in it, also where cells go on from what they are */
    { "func f(a: f32[64, 64], b: f32[64, 64], c: f32[64, 64]) { for (i: 64, j: 64) c[i, j] = "
      "j <= i ? sum(k: j .. i + 1, a[i, k] * b[k, j]) : 0.0; }",
      { "skip_neutral(c_sum);", "tighten(c_sum.k); // other iterations add nothing to the tile",
        NULL, NULL, NULL, NULL } },
    { "func f(a: f32[64, 64], b: f32[64, 64], c: f32[64, 64]) { for (i: 64, j: i .. 64, "
      "k: i .. j + 1) c[i, j] += a[i, k] * b[k, j]; }",
      { "skip_neutral(c);", "tighten(c.k);", NULL, NULL, NULL, NULL } },
    /* arms that are not computed where they are not chosen have no vector */
    { "func f(x: f32[512, 512], m: f32[], y: f32[512, 512]) { for (i: 512, j: 512) "
      "if (x[i, j] > 0) y[i, j] = x[i, j] * m[]; else y[i, j] = 0; }",
      { "!vectorize(", NULL, NULL, NULL, NULL, NULL } },
    { "func f(x: f32[512, 512], m: f32[512], y: f32[512, 512]) { for (i: 512, j: 512) "
      "if (x[i, j] > m[j]) y[i, j] = x[i, j]; else y[i, j] = m[j]; }",
      { "vectorize(j_v);", NULL, NULL, NULL, NULL, NULL } },
    /* functions of floats are computed in all lanes: a device's compiler makes no vector of them */
    { "func f(x: f32[512, 512], y: f32[512, 512]) { for (i: 512, j: 512) "
      "y[i, j] = x[i, j] > 0 ? x[i, j] : expm1(x[i, j]); }",
      { "vectorize(j_v);", NULL, NULL, NULL, NULL, NULL } },
    /* what two peels leave of loops over names is a tile in registers, too */
    { "func left(n: index, m: index, x: f64[n + 1, m, 8], w: f64[8, 8], y: f64[n, m, 8]) { "
      "for (i: n, j: m, c: 8) y[i, j, c] = sum(r: 2, k: 8, x[i + r, j, k] * w[k, c]); }",
      { "peel(y_1_1.j_b, 4);", "reverse_compute_at(y_1_1_sum, c_o2);", "vectorize(c_v2);", NULL,
        NULL, NULL } },
    /* nests whose bounds go by the loop around them */
    { "func turn(A: f64[200, 240], R: f64[240, 240], Q: f64[200, 240]) { for (k: 240) { for (i: "
      "200) Q[i, k] = A[i, k] * 2.0; for (j: k + 1 .. 240) { R[k, j] = 0.0; for (i: 200) R[k, j] "
      "+= Q[i, k] * A[i, j]; for (i: 200) A[i, j] = A[i, j] - Q[i, k] * R[k, j]; } } }",
      { "distribute(j);", "compose_reduction(R);", "peel(R.j, 8);", "vectorize(j_a_v);",
        "peel(A.j, 8);", NULL } },
    { "func side(A: f64[200, 240], R: f64[240, 240], Q: f64[200, 240]) { for (k: 240) { for (j: k "
      "+ 1 .. 240) { R[k, j] = 0.0; for (i: 200) R[k, j] += Q[i, k] * A[i, j]; } for (j: k + 1 .. "
      "240, i: 200) A[i, j] = A[i, j] - Q[i, k] * R[k, j]; } }",
      { "R_sum = compose_reduction(R);", "peel(R_sum.j, 8);", "peel(A.j, 8);", NULL, NULL, NULL } },
    /* rows that all read one matrix are a product */
    { "func attend(p: f32[128, 128], v: f32[128, 64], o: f32[128, 64]) { for (i: 128) { "
      "let s = sum(j: 128, p[i, j]); "
      "for (d: 64) o[i, d] = sum(j: 128, p[i, j] * v[j, d]) / s; } }",
      { "distribute(i);", "split(o_sum.i, 8);", "reverse_compute_inline(o);", "!stays as it is",
        NULL, NULL } },
    /* loops along which memory goes on as along one are one, where each is no whole vectors */
    { "func mean(x: f32[8, 64, 14, 14], y: f32[64]) { "
      "for (c: 64) y[c] = sum(n: 8, h: 14, w: 14, x[n, c, h, w]); }",
      { "transform_block_layout(y, (c, n, h, w) -> (c, n, h * 14 + w));",
        "y_parts = rfactor(y.n, 0);", "partition(y_parts.ax2, 192);", "vectorize(",
        "!stays as it is", NULL } },
    { "func scale(x: f32[64, 14, 14], s: f32[64], y: f32[64, 14, 14]) { "
      "for (c: 64, h: 14, w: 14) y[c, h, w] = x[c, h, w] * s[c]; }",
      { "fuse(y.h, y.w);", "192);", "_v) = split(y.h_w_fused_a, 16);", "!stays as it is", NULL,
        NULL } },
    /* ... of the results of a sum: channels of pixels, whatever loops say them, and where they
       begin; what is computed of them is stored by vectors, too */
    { "func box(x: u8[48, 64, 3], y: u8[48, 64, 3]) { for (c: 3, h: 1 .. 47, v: 1 .. 63) "
      "y[h, v, c] = u8(sum(r: 3, s: 3, i32(x[h + r - 1, v + s - 1, c])) / 9); }",
      { "transform_block_layout(y_sum, (c, h, v, r, s) -> (h, v * 3 + c, r, s));",
        "y_sum_flat = reindex_cache_write(y_sum, 0, global, (h, c_flat, r, s) -> (h, c_flat));",
        "reverse_compute_inline(y);", "partition(y_sum.ax1, 176);", "vectorize(ax1_a_v);",
        "reverse_compute_inline(y_sum_flat);" } },
    /* ... with a border: the flat loop has it */
    { "func same(x: f32[48, 64, 3], w: f32[3, 3], y: f32[48, 64, 3]) { for (h: 48, v: 64, c: 3) "
      "y[h, v, c] = sum(r: 3, s: 3, h + r >= 1 && h + r < 49 && v + s >= 1 && v + s < 65 ? "
      "x[h + r - 1, v + s - 1, c] * w[r, s] : 0.0f); }",
      { "v * 3 + c", "partition(y.ax1, 3, 189);", "ax1_b_a_v) = split(", "!stays as it is", NULL,
        NULL } },
    /* ... element by element, with loops between them */
    { "func edge(x: f32[48, 64, 3], y: f32[48, 63, 3]) { for (c: 3, h: 48, v: 63) "
      "y[h, v, c] = x[h, v + 1, c] - x[h, v, c]; }",
      { "reorder(y.h, y.v, y.c);", "fuse(y.v, y.c);", "_v) = split(y.v_c_fused_a, 16);",
        NULL, NULL, NULL } },
    /* ... but a sum of whole vectors is not turned for what stores it in another order */
    { "func turned(x: f32[64, 48], w: f32[48, 64], t: f32[64, 64]) { alloc y: f32[64, 64]; "
      "for (i: 64, j: 64) y[i, j] = sum(k: 48, x[i, k] * w[k, j]); "
      "for (i: 64, j: 64) t[j, i] = max(y[i, j], 0.0f); }",
      { "split(y.j, ", "!reverse_compute_inline(", NULL, NULL, NULL, NULL } },
    { "func odd(x: f32[48, 64, 3], y: f32[48, 63, 3]) { for (h: 48, v: 63, c: 3) "
      "y[h, v, c] = v % 2 == 0 ? x[h, v + 1, c] : x[h, v, c] * 2.0f; }",
      { "!fuse(", NULL, NULL, NULL, NULL, NULL } },
    /* ... not where whole vectors leave little, a channel has a weight of its own, or the guard
       asks for it */
    { "func wide(x: f32[48, 64, 16], w: f32[3], y: f32[48, 62, 16]) { for (h: 48, v: 62, c: 16) "
      "y[h, v, c] = sum(s: 3, x[h, v + s, c] * w[s]); }",
      { "!transform_block_layout", NULL, NULL, NULL, NULL, NULL } },
    { "func own(x: f32[48, 64, 3], w: f32[3, 3], y: f32[48, 62, 3]) { for (h: 48, v: 62, c: 3) "
      "y[h, v, c] = sum(s: 3, x[h, v + s, c] * w[s, c]); }",
      { "!transform_block_layout", NULL, NULL, NULL, NULL, NULL } },
    { "func two(x: f32[48, 64, 3], w: f32[3], y: f32[48, 62, 3]) { for (h: 48, v: 62, c: 3) "
      "y[h, v, c] = sum(s: 3, c < 2 ? x[h, v + s, c] * w[s] : 0.0f); }",
      { "!transform_block_layout", NULL, NULL, NULL, NULL, NULL } },
    /* in place, each element of its own */
    { "func grow(x: f32[100, 64]) { for (i: 100, j: 64) x[i, j] = exp(x[i, j]) * x[i, j]; }",
      { "fuse(x.i, x.j);", "_v) = split(x.i_j_fused, 16);", "!stays as it is", NULL, NULL,
        NULL } },
    { "func norm(x: f32[8, 32, 64, 64], y: f32[8, 32, 64, 64], m: f32[32]) { for (c: 32) m[c] = "
      "sum(n: 8, h: 64, w: 64, x[n, c, h, w]); for (n: 8, c: 32, h: 64, w: 64) y[n, c, h, w] = "
      "x[n, c, h, w] - m[c]; }",
      { "transform_block_layout(m, (c, n, h, w) -> (c, n, h * 64 + w));", "fuse(y.h, y.w);",
        "!rfactor(m_parts.", "bind(y.n, group.y);", "bind(y.c, group.x);", NULL } },
    /* vectors divide the columns badly: lanes are channels, and filters are copied */
    { "func conv(x: f32[64, 32, 64], t: f32[128, 64, 3, 3], y: f32[128, 30, 62]) { for (o: 128, "
      "h: 30, w: 62) y[o, h, w] = sum(i: 64, r: 3, s: 3, x[i, h + r, w + s] * t[o, i, r, s]); }",
      { "t_packed = reindex_cache_read(y, t", "_v) = split(y.o, _, ", "!partition(", NULL, NULL,
        NULL } },
    /* no vectors: several sums at once, which do not wait for each other */
    { "func pool(x: f32[16, 256, 256], y: f32[16, 23, 23]) { for (c: 16, h: 23, w: 23) y[c, h, w] "
      "= sum(r: 11, s: 11, x[c, h * 11 + r, w * 11 + s]); }",
      { "(c_o, c_i) = split(y.c, 8);", "unroll(c_i);", "!vectorize(", NULL, NULL, NULL } },
    /* prefix sums are a recurrence, in the order of their terms */
    { "func scan(x: f32[64, 2048], y: f32[64, 2048]) { for (i: 64, j: 2048) y[i, j] = sum(k: "
      "j + 1, x[i, k]); }",
      { "continue_sum(j);", "!widen(", NULL, NULL, NULL, NULL } },
    /* bounds that are data: neither masks up to all that their type holds, nor lanes of a vector */
    { "func csr(p: u16[30], x: f32[29], y: f32[29]) { for (i: 29) y[i] = sum(k: index(p[i]) .. "
      "index(p[i + 1]), x[k]); }",
      { "parallel();", "!widen(", "!vectorize(", NULL, NULL, NULL } },
    { "func spmv(p: i32[4097], c: i32[40000], v: f32[40000], x: f32[4096], y: f32[4096]) { for (i: "
      "4096) y[i] = sum(k: index(p[i]) .. index(p[i + 1]), v[k] * x[index(c[k])]); }",
      { "parallel();", "!widen(", "!vectorize(", NULL, NULL, NULL } },
    /* a function in a sum is computed once for each of its operands */
    { "func soft(s: f32[256, 256], v: f32[256, 64], y: f32[256, 64]) { for (i: 256, e: 64) y[i, e] "
      "= sum(j: 256, exp(s[i, j]) * v[j, e]); }",
      { "s_value = cache_value(y, s);", "contract(y);", "s_value.ax1, 16);", NULL, NULL, NULL } },
    /* the same of a scatter, whose filters are read backwards */
    { "func conv(x: f32[32, 64, 64], t: f32[32, 32, 3, 3], y: f32[32, 66, 66]) { for (o: 32, h: "
      "66, w: 66) y[o, h, w] = 0.0; for (i: 32, o: 32, h: 64, w: 64, r: 3, s: 3) y[o, h + r, w + "
      "s] += x[i, h, w] * t[i, o, r, s]; }",
      { "t_packed = reindex_cache_read(y_1, t", "_v) = split(y_1.o, _, ", NULL, NULL, NULL,
        NULL } },
    /* they divide most of these well */
    { "func conv(x: f32[64, 4096], t: f32[128, 64, 3], y: f32[128, 4094]) { for (o: 128, "
      "w: 4094) y[o, w] = sum(i: 64, s: 3, x[i, w + s] * t[o, i, s]); }",
      { "partition(y.w, 4080);", "_v) = split(y.w_a, _, ", "vectorize(o_v);", NULL, NULL, NULL } }
};

/* The same for vectors of 8, and 16 registers. */
static const expectation narrow[] = {
    /* six rows by two vectors, and the rows that they leave; columns in panels as wide as a tile */
    { MATMUL("512", "512", "512", "512, 512", "512, 512")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "b_packed = reindex_cache_read(c, b, global, (vi, vj, vk) -> (vj / 16, vk, vj % 16));",
        "(i_a, i_b) = partition(c.i, 510);", "(i_a_o, i_a_i) = split(c.i_a, 6);",
        "split(c.j, _, 2, 8);", "split(c_1.i_b, 2);", "!a_packed" } },
    /* rows that lie far apart: a copy goes on along what is added up */
    { MATMUL("512", "512", "512", "512, 512", "512, 512")
      "            c[vi, vj] = c[vi, vj] + a[vk, vi] * b[vk, vj]; } }",
      { "a_packed = reindex_cache_read(c, a, global, (vi, vj, vk) -> (vi, vk));",
        "(vj / 16, vk, vj % 16)", NULL, NULL, NULL, NULL } },
    /* ... that lie near: no copy; and what is left would be much beside the rows: no cut */
    { MATMUL("56", "64", "64", "56, 64", "64, 64")
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "split(c.i, 4);", "split(c.j, _, 2, 8);", "!packed", "!partition", NULL, NULL } },
    /* a layout of what is added up, along which it goes on for four */
    { "func blocks(a: f32[64, 64], b: f32[64, 64], c: f32[64, 64])\n"
      "    layout(a: (i, k) -> (k / 4, i, k % 4)) {\n"
      "    for (i: 64, j: 64, k: 64)\n"
      "        block c(vi: spatial(64) = i, vj: spatial(64) = j, vk: reduce(64) = k) {\n"
      "            init c[vi, vj] = 0.0f;\n"
      "            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]; } }",
      { "split(c.j, _, 2, 8);", "j_o, c.k, i_i, j_i, j_v);",
        "decompose_reduction(c, c.k);", NULL, NULL, NULL } },
    /* windows that neighbours share: read once, in as many rows as leave registers for them */
    { "func depthwise(x: f32[114, 114, 32], w: f32[3, 3, 32], y: f32[112, 112, 32]) {\n"
      "    for (h: 112, v: 112, o: 32) y[h, v, o] = sum(r: 3, s: 3, x[h + r, v + s, o] * "
      "w[r, s, o]); }",
      { "(h_o, h_i) = split(y.h, 2);", "(v_o, v_i) = split(y.v, 4);",
        "reorder(h_o, v_o, o_o, y.r, h_i, v_i, y.s, o_v);", "unroll(y.r);", "unroll(y.s);",
        "!bind(o_o" } },
    /* ... of one loop alone where more reduces, or its neighbours have nothing in common */
    { "func inside(x: f32[114, 114, 8], w: f32[3, 3, 8, 32], y: f32[112, 112, 32]) {\n"
      "    for (h: 112, v: 112, o: 32) y[h, v, o] = sum(i: 8, r: 3, s: 3, x[h + r, v + s, i] * "
      "w[r, s, i, o]); }",
      { "!split(y.h", "!unroll(y.r);", NULL, NULL, NULL, NULL } },
    { "func rows(x: f32[336, 114, 32], w: f32[3, 3, 32], y: f32[112, 112, 32]) {\n"
      "    for (h: 112, v: 112, o: 32) y[h, v, o] = sum(r: 3, s: 3, x[h * 3 + r, v + s, o] * "
      "w[r, s, o]); }",
      { "!split(y.h", "(v_o, v_i) = split(y.v, 8);", "unroll(y.s);", "!unroll(y.r);", NULL,
        NULL } },
    /* ... of one loop alone under a guard, too: each row asks for itself */
    { "func same(x: f32[28, 28, 64], w: f32[3, 3, 64], y: f32[28, 28, 64]) {\n"
      "    for (h: 28, v: 28, o: 64) y[h, v, o] = sum(r: 3, s: 3, (h + r >= 1 && h + r < 29 && "
      "v + s >= 1 && v + s < 29 ? x[h + r - 1, v + s - 1, o] : 0.0f) * w[r, s, o]); }",
      { "!split(y.h", "!unroll(y.r);", NULL, NULL, NULL, NULL } },
    /* ... not those that are apart */
    { "func apart(x: f32[336, 336, 32], w: f32[3, 3, 32], y: f32[112, 112, 32]) {\n"
      "    for (h: 112, v: 112, o: 32) y[h, v, o] = sum(r: 3, s: 3, x[h * 3 + r, v * 3 + s, o] * "
      "w[r, s, o]); }",
      { "!unroll(y.s);", "bind(o_o", NULL, NULL, NULL, NULL } },
    /* ... of a plane, along which vectors go: rows of several lines, a work-item for each of these;
       of a sum of nothing else, too */
    { "func planes(x: f32[64, 114, 114], w: f32[64, 3, 3], y: f32[64, 112, 112]) {\n"
      "    for (o: 64, h: 112, v: 112) y[o, h, v] = sum(r: 3, s: 3, x[o, h + r, v + s] * "
      "w[o, r, s]); }",
      { "(h_o, h_i) = split(y.h, 4);", "reorder(y.o, h_o, v_o, y.r, h_i, y.s, ",
        "unroll(y.r);", "bind(h_o, group.x);", "!bind(v_o", NULL } },
    { "func bytes(x: u8[258, 258], y: u8[256, 256]) {\n"
      "    for (h: 256, v: 256) y[h, v] = max(r: 3, s: 3, x[h + r, v + s]); }",
      { "!split(y.h", "!unroll(y.r);", NULL, NULL, NULL, NULL } },
    { "func most(x: f32[258, 258], y: f32[256, 256]) {\n"
      "    for (h: 256, v: 256) y[h, v] = max(r: 3, s: 3, x[h + r, v + s]); }",
      { "(h_o, h_i) = split(y.h, 4);", "unroll(y.r);", "bind(h_o, group.x);", NULL, NULL,
        NULL } },
};

#define RAW10                                                              \
    "func raw10(p: u8[320], y: u16[256]) {\n"                              \
    "  decl high: u8[64, 4] data(p) strides(40, 8) field bits(lsb);\n"     \
    "  decl low: u2[64, 4] data(p) strides(40, 2) offset(32) field;\n"     \
    "  for (x: 256) y[x] = u16(high[x / 4, x % 4]) * 4 + u16(low[x / 4, x % 4]); }"

/* Bytes that are picked from windows, for a target that does. */
static const expectation picked[] = {
    { RAW10,
      { "(x_o, x_v) = split(y.x, 16); // vectors of 16, whose bytes are selected from 19 loaded "
        "bytes",
        "vectorize(x_v);", "bind(x_o, group.x);", NULL, NULL, NULL } },
    /* rows of lines, as work-items */
    { "func raw12(p: u8[8, 96], y: u16[8, 64]) { for (i: 8, x: 64) y[i, x] = "
      "u16(p[i, x / 2 * 3 + x % 2]) * 16 + u16(p[i, x / 2 * 3 + 2] >> u8(x % 2 * 4)) % 16; }",
      { "bind(y.i, group.y);", "(x_o, x_v) = split(y.x, 16);", "bind(x_o, group.x);", NULL, NULL,
        NULL } },
    /* numbers that no byte ends, and what vectors leave */
    { "func packed(p: u8[150], y: u16[100]) { decl v: u12[100] data(p) bits(lsb);\n"
      "  for (x: 100) y[x] = v[x]; }",
      { "(x_a, x_b) = partition(y.x, 96);", "(x_o, x_v) = split(x_a, 16);", "bind(x_o, group.x);",
        NULL, NULL, NULL } },
    /* a name in the loop, several loops, one of which is a vector */
    { "func q4(w: u8[8, 18], y: f32[8, 2, 16]) { decl d: f16[8] data(w) strides(144) field "
      "bits(lsb);\n  decl q: u4[8, 2, 16] data(w) strides(144, 4, 8) offset(16) field;\n"
      "  for (b: 8) { let s = f32(d[b]); for (t: 2, j: 16) "
      "y[b, t, j] = s * f32(i32(q[b, t, j]) - 8); } }",
      { "bind(b, group.x);", "vectorize(j_v);", NULL, NULL, NULL, NULL } },
    /* several stores */
    { "func both(p: u8[80], y: u8[64], z: u8[64]) { for (x: 64) { "
      "y[x] = p[x / 4 * 5 + x % 4]; z[x] = p[x / 4 * 5 + 4]; } }",
      { "(x_o, x_v) = split(x, 16);", "vectorize(x_v);", "bind(x_o, group.x);", NULL, NULL,
        NULL } },
    /* the same distance apart: compilers do that; what is written; numbers of two bytes; too far;
       other places in other vectors */
    { "func even(p: u8[256], y: u8[64]) { for (x: 64) y[x] = p[x * 3 + 1]; }",
      { "!window", NULL, NULL, NULL, NULL, NULL } },
    { "func own(p: u8[256]) { for (x: 64) p[x + 128] = p[x / 4 * 5 + x % 4]; }",
      { "!window", NULL, NULL, NULL, NULL, NULL } },
    { "func wide(p: u16[256], y: u16[64]) { for (x: 64) y[x] = p[x / 4 * 5 + x % 4]; }",
      { "!window", "split(y.x, 4); // that many", NULL, NULL, NULL, NULL } },
    { "func apart(p: u8[1024], y: u8[64]) { for (x: 64) y[x] = p[x % 4 * 200 + x / 4]; }",
      { "!window", "split(y.x, 4);", NULL, NULL, NULL, NULL } },
    { "func shifts(p: u8[64], y: u8[96]) { for (x: 96) y[x] = p[x % 6 + x / 12]; }",
      { "!window", NULL, NULL, NULL, NULL, NULL } },
    /* a store of bits is no vector's */
    { "func store(p: u8[320], y: u8[64]) { decl b: u4[128] data(y) bits(lsb);\n"
      "  for (x: 128) b[x] = p[x / 4 * 5 + x % 4]; }",
      { "// x stays as it is: the function has elements of bits", "!;", NULL, NULL, NULL, NULL } },
};

/* What was tried, and what tiles cost. */
static void costs(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, "func f(a: f32[512, 512], b: f32[512, 512], c: f32[512, "
                                       "512]) { for (i: 512, j: 512) c[i, j] = sum(k: 512, "
                                       "a[i, k] * b[k, j]); }", IRL_TO_NUL, NULL);
    const char *why = irl_schedule_auto_why(f, &irl_target_opencl12);
    CHECK(strstr(why, "// c: not padded columns: the columns are whole vectors") != NULL);
    CHECK(strstr(why, "// c: a tile of sums in registers; of 18 tiles these") != NULL);
    CHECK(strstr(why, "8 of i by 2 vectors of 16 along j: loads cost 56 for 16 updates, 19 reg"));
    why = irl_schedule_auto_why(f, irl_target_find("opencl12-gpu"));
    CHECK(strstr(why, "// c: not work-items of a group that add up parts: there are many") != NULL);
    CHECK(strstr(why, "results along j and i: cost ") != NULL);
    CHECK(!irl_schedule_auto_why(NULL, &irl_target_opencl12)[0]);
    irl_ctx_destroy(cx);
}

static void check_expectation(const expectation *e, const irl_target *target)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, e->text, IRL_TO_NUL, NULL);
    const char *wrong = "", *text = irl_schedule_auto(f, target);
    int         k;
    CHECK(make(cx, f, target, &wrong) != NULL);
    for (k = 0; k < 6 && e->parts[k]; k++) {
        const int is_not = e->parts[k][0] == '!';
        if (!CHECK(text && (strstr(text, e->parts[k] + is_not) != NULL) == !is_not))
            printf("%s\n%s'%s'\n", e->text, text ? text : irl_diag_text(cx), e->parts[k]);
    }
    irl_ctx_destroy(cx);
}

/* Every text of the corpus, for every target: a schedule that is carried out, or a failure that the
   text has anyway. */
static void corpus(void)
{
    size_t k;
    int    j;
    for (k = 0; k < sizeof text_functions / sizeof *text_functions; k++)
        for (j = 0; irl_target_name(j); j++) {
            irl_ctx    *cx = irl_ctx_create(NULL);
            irl_func   *f = irl_func_parse(cx, text_functions[k], IRL_TO_NUL, NULL);
            const char *wrong = "";
            if (!CHECK(make(cx, f, irl_target_find(irl_target_name(j)), &wrong) != NULL))
                printf("not %s: %s\n%s\n", wrong, text_functions[k], irl_diag_text(cx));
            irl_ctx_destroy(cx);
        }
}

/* ------------------------------------------------------------------ failures */

/* Borders that wrap around and are chosen, with names, and a matrix and itself. */
#define WRAPS_AROUND \
    "func round(n: index, m: index, x: f32[n, m], y: f32[n, m], a: f32[64, 64], c: f32[64, 64]) " \
    "{ for (i: n, j: m) y[i, j] = x[(i + n - 1) % n, j] + x[i, j == m - 1 ? 0 : j + 1]; " \
    "for (i: 64, j: 64) c[i, j] = sum(k: 64, a[i, k] * a[j, (k + 1) % 64]); }"

static void failures(const char *of, const char *target)
{
    failing      state;
    irl_ctx_desc     desc;
    irl_lower_options how;
    irl_ctx *cx;
    long     left, once;
    int      ends = 0;
    for (once = 0; once < 2; once++)
        for (left = 0, ends = 0; left < 4000 && !ends; left += TEST_COUNT(10) < 10 ? 7 : 1) {
            const char *text;
            desc = failing_desc(&state, left, (int)once);
            cx = irl_ctx_create(&desc);
            text = cx ? irl_schedule_auto(irl_func_parse(cx, of, IRL_TO_NUL, NULL),
                                          irl_target_find(target))
                      : "";
            ends = text[0] && state.left >= 0;
            if (cx && !text[0]) CHECK_CODE(cx, IRL_ERROR_OUT_OF_MEMORY);
            irl_ctx_destroy(cx);
            CHECK(state.held == 0);
        }
    CHECK(ends);
    cx = irl_ctx_create(NULL);
    CHECK(!irl_schedule_auto(NULL, &irl_target_opencl12)[0]);
    CHECK(!irl_schedule_auto(irl_func_parse(cx, expected[0].text, IRL_TO_NUL, NULL), NULL)[0]);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
    cx = irl_ctx_create(NULL);
    memset(&how, 0, sizeof how);
    how.schedule = (irl_schedule_kind)7;
    CHECK(irl_func_lower_with(irl_func_parse(cx, expected[0].text, IRL_TO_NUL, NULL),
                              &irl_target_opencl12, &how) == NULL);
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);
}

/* A function of many nests: bounded, and said. */
static void many(void)
{
    enum { NESTS = 120 };
    char       *text = (char *)malloc(NESTS * 300), *at = text;
    irl_ctx    *cx = irl_ctx_create(NULL);
    const char *made;
    int         k;
    at = put(at, "func many(x: f32[32, 32], y: f32[32]) {\n");
    for (k = 0; k < NESTS; k++)
        at = put(at, "for (i: 32, k: 32) block b%d(vi: spatial(32) = i, vk: reduce(32) = k) { init "
                     "y[vi] = 0.0f; y[vi] = y[vi] + x[vk, vi]; }\n", k);
    put(at, "}\n");
    made = irl_schedule_auto(irl_func_parse(cx, text, IRL_TO_NUL, NULL), &irl_target_opencl12);
    CHECK(made && strstr(made, "the rest is not scheduled") != NULL &&
          strstr(made, "bind(") != NULL);
    irl_ctx_destroy(cx);
    free(text);
}

/* ------------------------------------------------------------------ what cannot be lowered */

typedef struct refusals {
    int  runs, shown; /* of the pass; texts of the pass "schedule" */
    char last[1 << 13];
} refusals;

static const irl_func *refuses(void *user, const irl_func *f, const irl_target *target)
{
    (void)target;
    ((refusals *)user)->runs++;
    return strstr(irl_func_text(f), "bind(") ? irl_pass_refuse(f, NULL, "no work-items") : f;
}

static void see_schedule(void *user, const char *pass, const char *text)
{
    refusals *r = (refusals *)user;
    if (strcmp(pass, "schedule") != 0) return;
    r->shown++;
    CHECK(strlen(text) < sizeof r->last);
    strncpy(r->last, text, sizeof r->last - 1);
}

/* A schedule that is made never costs a lowering: the text that is written is lowered then, and the
   stages say why. A schedule that was written is not given up. */
static void falls_back(void)
{
    static refusals   r;
    irl_pass_desc     mine = { "refuses", NULL, "lower_blocks", refuses, &r };
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = irl_func_parse(cx, expected[1].text, IRL_TO_NUL, NULL);
    irl_lower_options how;
    irl_module       *m, *plain;
    memset(&how, 0, sizeof how);
    how.schedule = IRL_SCHEDULE_NONE;
    plain = irl_func_lower_with(f, &irl_target_opencl12, &how);
    CHECK(plain && !strstr(irl_module_text(plain), "fma(") &&
          !strstr(irl_module_text(plain), "bind"));
    CHECK(irl_func_equal(irl_module_scheduled(plain), f));
    f = irl_schedule_do(f, "parallel()");
    plain = irl_func_lower_with(f, &irl_target_opencl12, &how);
    f = irl_func_parse(cx, expected[1].text, IRL_TO_NUL, NULL);
    how.schedule = IRL_SCHEDULE_AUTO;
    how.passes = &mine;
    how.pass_count = 1;
    how.after_pass = see_schedule;
    how.user = &r;
    m = irl_func_lower_with(f, &irl_target_opencl12, &how);
    CHECK(m && irl_module_equal(m, plain) && r.runs == 2 && r.shown == 2);
    CHECK(irl_func_equal(irl_module_scheduled(m), irl_schedule_do(f, "parallel()")));
    CHECK(strncmp(r.last, "// lowered as it is written, because the automatic schedule "
                          "failed:", 67) == 0 &&
          strstr(r.last, "no work-items") && irl_func_parse(cx, r.last, IRL_TO_NUL, NULL));
    m = irl_func_lower_with(irl_schedule_parse(f, "{ bind(c.i, global.x); }", IRL_TO_NUL, NULL),
                            &irl_target_opencl12, &how);
    CHECK(!m && r.runs == 3);
    CHECK_CODE(cx, IRL_ERROR_UNSUPPORTED);
    irl_ctx_destroy(cx);
}

/* What is multiplied by zero there, infinities, is not read where the guard fails. */
static void border_of_infinities(void)
{
    static float x[4 * 8 * 32], k[3 * 3 * 32], y[2][4 * 8 * 32];
    irl_ctx     *cx = irl_ctx_create(NULL);
    irl_func    *f = irl_func_parse(cx, DEPTHWISE, IRL_TO_NUL, NULL);
    int          j;
    for (j = 0; j < 4 * 8 * 32; j++) x[j] = (float)(1 + j % 7);
    for (j = 0; j < 3 * 3 * 32; j++) k[j] = j < 3 * 32 ? INFINITY : 1;
    CHECK(irl_func_interpret(f, IRL_ARGS(x, k, y[0])));
    CHECK(irl_module_interpret(irl_func_lower(f, &irl_target_opencl12), IRL_ARGS(x, k, y[1])));
    CHECK(y[0][0] == 2 + 5 + 5 + 1 && y[0][8 * 32] > FLT_MAX);
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    gen_options options;
    irl_ctx    *cx = irl_ctx_create(NULL);
    uint64_t    seed, first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int         count = argc > 2 ? atoi(argv[2]) : TEST_COUNT(160);
    int         least = count < 60 ? 16 : 36; /* fewer where a machine is emulated */
    size_t      k;
    memset(&options, 0, sizeof options);
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) one_product(seed);
    printf("products: %d scheduled, %d left alone\n", scheduled, left_alone);
    scheduled = left_alone = 0;
    for (seed = first; seed < first + (uint64_t)(count / 3 + 1); seed++) {
        gen_case c = gen_function(seed, options);
        experiment_check(&c, run_generated, NULL, 5);
        experiment_check(&c, run_rounded, NULL, 5);
        gen_free(&c);
        c = gen_sums(seed);
        experiment_check(&c, run_rounded, seed % 2 ? &c : NULL, 5);
        gen_free(&c);
    }
    printf("generated functions: %d scheduled, %d left alone\n", scheduled, left_alone);
    printf("%d compared on rounded numbers, at most %.3f of the errors of both, %ld numbers, %ld "
           "without a bound; %d not compared\n", judged, agreement.worst, (long)agreement.numbers,
           (long)agreement.unbounded, not_judged);
    CHECK(count < 60 || (judged > count && agreement.worst > 0.05 && agreement.worst <= 1));
    elements(count / 2 + 1);
    tiles(count / 6 + least);
    phones(count / 6 + least);
    pixels(count / 6 + least);
    guards(count / 6 + least);
    walks(count / 6 + least);
    values(count / 6 + least);
    pools(count / 6 + least);
    norms(count / 3 + least);
    rows_without_a_sum();
    namesakes(count / 25 + 2);
    loops_of_rows(first, count);
    for (k = 0; k < sizeof expected / sizeof *expected; k++)
        check_expectation(&expected[k], &irl_target_opencl12);
    for (k = 0; k < sizeof narrow / sizeof *narrow; k++)
        check_expectation(&narrow[k], irl_target_find("opencl12-avx2"));
    for (k = 0; k < sizeof grouped / sizeof *grouped; k++)
        check_expectation(&grouped[k], irl_target_find("opencl12-gpu"));
    for (k = 0; k < sizeof picked / sizeof *picked; k++)
        check_expectation(&picked[k], irl_target_find("c-gnu-avx2"));
    CHECK(!strstr(irl_schedule_auto(irl_func_parse(cx, RAW10, IRL_TO_NUL, NULL),
                                    irl_target_find("c-gnu")), "vectorize"));
    irl_ctx_destroy(cx);
    costs();
    corpus();
    failures(expected[1].text, "opencl12");
    failures(PACK, "opencl12");
    failures(ROWS_OF_THREE, "opencl12");
    failures(WRAPS_AROUND, "opencl12");
    failures(expected[1].text, "opencl12-gpu");
    failures(PACK, "opencl12-gpu");
    falls_back();
    border_of_infinities();
    many();
    return test_done();
}
