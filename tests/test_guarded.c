/* test_guarded.c - arithmetic behind what keeps it defined: sums at the ends of 64 bits, divisions
   by what a condition keeps from 0, accesses that only a condition keeps in bounds. Every primitive
   and the automatic schedule, lowered for several targets: where the function as it is written has
   a value, what is made of it has the same, judged by the interpreter.

   test_guarded [FIRST [COUNT]]: these seeds */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"
#include "draw_schedule.h"

enum { TRIES = 24, STEPS = 4, MOST_I = 17, MOST_J = 33, ROOM = 4096 };

/* ------------------------------------------------------------------ functions */

typedef struct text {
    char   at[ROOM];
    size_t used;
} text;

static void add(text *t, const char *what)
{
    const size_t length = strlen(what);
    if (t->used + length + 1 > sizeof t->at) return;
    memcpy(t->at + t->used, what, length + 1);
    t->used += length;
}

static const char *one_of(const char *const *list, int count) { return list[draw(count)]; }
#define ONE_OF(list) one_of((list), (int)(sizeof(list) / sizeof *(list)))

/* A template with `P` for a parameter, `I` and `J` for what counts the loops. */
static void add_filled(text *t, const char *what, const char *p, const char *i, const char *j)
{
    char one[2] = { 0, 0 };
    for (; *what; what++) {
        one[0] = *what;
        add(t, *what == 'P' ? p : *what == 'I' ? i : *what == 'J' ? j : one);
    }
}

/* What a condition keeps defined, and the condition. */
typedef struct guarded {
    const char *condition, *value;
} guarded;
static const guarded cases[] = {
    { "P > -3 && P < 9", "i32(P * 5 + I - J)" },
    { "P < I + 5 && P > -3 - J", "i32(I + P) + i32(J - P)" },
    { "P > 0 && P < 7", "i32((I + 3) * 100 / P)" },
    { "P > 0 && P < 7", "i32((I + J) % P)" },
    { "P != 0 && P != -1", "i32((I + J) / P)" },
    { "P >= 0 && P < 20", "x[P + J]" },
    { "P >= 0 && P < 20", "x[I + P] + x[J]" },
    { "P == 1 || P == 2", "x[J * P / 2]" },
    { "P < 9 && P + I >= 0 && P + J > -2 && P > -5", "x[P + 5 + J]" },
    { "I >= 1 && J >= 1", "w[I - 1, J - 1]" },
    { "I >= 1 && I < 2 + P && P < 4", "w[I - 1, J]" },
    { "x[J] != 0", "12 / x[J]" },
    { "x[I] > 0 && P > x[I] - 3 ? P < 9 : false", "12 / x[I] + i32(P + J)" },
    { "P >= 0 && P < 64", "x[P] * x[J]" },
    { "P >= 0 && P <= 3", "x[I << P]" },
    { "P > 4 && P < 60", "i32(I << (P - 5)) + i32(J)" },
    { "max(P, 3) == 3 && min(P, 0) == 0", "x[P * 4] + i32(P + I)" },
    { "!(P < 0 || P > 8)", "i32(8 - P) + x[8 * P + J % 8]" },
};
enum { CASES = sizeof cases / sizeof *cases };

static const char *a_param(void) { return draw(2) ? "n" : "m"; }

static void add_choice(text *t, const char *i, const char *j)
{
    static const char *const more[] = { "J > 1 && ", "I != 2 && ", "P != 5 && ", "", "", "" };
    const guarded *c = &cases[draw(CASES)];
    const char    *p = a_param();
    add(t, "if_then_else(");
    add_filled(t, ONE_OF(more), a_param(), i, j);
    add(t, "(");
    add_filled(t, c->condition, p, i, j);
    add(t, ")");
    if (draw(3) == 0) add_filled(t, " && J < 9", p, i, j);
    add(t, ", ");
    add_filled(t, c->value, p, i, j);
    add(t, draw(2) ? ", 1)" : ", y[0, 0])");
}

static void add_number(text *t, int n)
{
    char number[16];
    snprintf(number, sizeof number, "%d", n);
    add(t, number);
}

/* Loops over i and j; sometimes they run as often as a parameter says, or not at all. */
static void add_loops(text *t, int rows, int columns)
{
    static const char *const kinds[] = { "for (", "for (", "for (", "for unrolled (" };
    add(t, ONE_OF(kinds));
    add(t, "i: ");
    if (draw(5) == 0) {
        add(t, "min(");
        add(t, a_param());
        add(t, ", ");
        add_number(t, rows);
        add(t, ")");
    } else add_number(t, rows);
    add(t, ") for (j: ");
    add_number(t, columns);
    add(t, ") ");
}

static void add_stage(text *t, int number, int rows, int columns)
{
    const guarded *c = &cases[draw(CASES)];
    const char    *p = a_param();
    char           name[16];
    snprintf(name, sizeof name, "s%d", number);
    add(t, "    ");
    switch (draw(6)) {
    case 0: /* a choice */
        add(t, name);
        add(t, ": ");
        add_loops(t, rows, columns);
        add(t, "y[i, j] = ");
        add_choice(t, "i", "j");
        break;
    case 1: /* a condition around */
        add_loops(t, rows, columns);
        add(t, "if (");
        add_filled(t, c->condition, p, "i", "j");
        add(t, ") y[i, j] = ");
        add_filled(t, c->value, p, "i", "j");
        break;
    case 2: /* a condition of a block */
        add_loops(t, rows, columns);
        add(t, "block ");
        add(t, name);
        add(t, "(vi: spatial(");
        add_number(t, rows);
        add(t, ") = i, vj: spatial(");
        add_number(t, columns);
        add(t, ") = j) where(");
        add_filled(t, c->condition, p, "i", "j");
        add(t, ") { y[vi, vj] = ");
        add_filled(t, c->value, p, "vi", "vj");
        add(t, "; }\n");
        return;
    case 3: /* a sum, along loops that may not run, into places that a parameter spreads */
        add(t, "for (i: 3, k: ");
        add(t, draw(3) ? "2" : "min(m, 2)");
        add(t, ") for (j: ");
        add(t, draw(3) ? "4" : "min(n, 4)");
        add(t, ") block ");
        add(t, name);
        add(t, "(vi: spatial(17) = ");
        add(t, draw(3) ? "i" : "if_then_else(n > -3 && n < 4, i * n + 6, i)");
        add(t, ", vk: reduce(2) = k, vj: reduce(4) = j) { init { z[vi] = 3; } z[vi] = z[vi] + ");
        add_choice(t, "vi", "vj");
        add(t, "; }\n");
        return;
    case 4: /* a let behind a condition in front of loops */
        add(t, "if (");
        add_filled(t, c->condition, p, "2", "1");
        add(t, ") { let q = ");
        add_filled(t, c->value, p, "2", "1");
        add(t, "; ");
        add_loops(t, rows, columns);
        add(t, "y[i, j] = q + y[i, j]; }\n");
        return;
    default: /* one stage and its reader */
        add(t, "for (i: ");
        add_number(t, rows);
        add(t, ", j: ");
        add_number(t, columns);
        add(t, ") t[i, j] = ");
        add_choice(t, "i", "j");
        add(t, ";\n    for (i: ");
        add_number(t, rows);
        add(t, ", j: ");
        add_number(t, columns);
        add(t, ") y[i, j] = ");
        add(t, draw(2) ? "t[i, j] * 2" : "if_then_else(j > 0, t[i, j - 1], 5)");
        break;
    }
    add(t, ";\n");
}

static void draw_function(text *t, int *rows, int *columns)
{
    static const int each[] = { 4, 5, 8, 16, 33 }, high[] = { 3, 4, 6, 16, 17 };
    int              k, stages = 1 + draw(2);
    t->used = 0;
    *rows = high[draw(5)];
    *columns = each[draw(5)];
    add(t, "func f(n: index, m: index, x: i32[64], w: i32[17, 33], y: i32[");
    add_number(t, *rows);
    add(t, ", ");
    add_number(t, *columns);
    add(t, "], z: i32[17]) {\n    alloc t: i32[");
    add_number(t, *rows);
    add(t, ", ");
    add_number(t, *columns);
    add(t, "];\n");
    for (k = 0; k < stages; k++) add_stage(t, k, *rows, *columns);
    add(t, "}\n");
}

/* ------------------------------------------------------------------ what they are run on */

typedef struct run_data {
    int64_t n, m;
    int32_t x[64], w[17 * 33], y[MOST_I * MOST_J], z[17];
    int     is_defined;
} run_data;

static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, -7, -1, 0, 1, 2, 3, 5, 8,
                                19, 63, INT64_MAX / 2, INT64_MAX - 1, INT64_MAX };
enum { POINTS = 10 };

static void fill(run_data *d)
{
    int k;
    d->n = ends[draw(16)];
    d->m = ends[draw(16)];
    for (k = 0; k < 64; k++) d->x[k] = draw(5) - 2;
    for (k = 0; k < 17 * 33; k++) d->w[k] = draw(100);
    for (k = 0; k < MOST_I * MOST_J; k++) d->y[k] = draw(100);
    for (k = 0; k < 17; k++) d->z[k] = draw(100);
}

typedef struct trial {
    run_data given[POINTS], wanted[POINTS];
    int      defined;
} trial;

static irl_arguments arguments(run_data *d)
{
    irl_arguments a;
    memset(&a, 0, sizeof a);
    a.count = 6;
    a.data[0] = &d->n;
    a.data[1] = &d->m;
    a.data[2] = d->x;
    a.data[3] = d->w;
    a.data[4] = d->y;
    a.data[5] = d->z;
    return a;
}

static int points, defined, steps, refused_steps, modules, refused_modules, autos;

static int is_run(irl_ctx *cx, const irl_func *f, const irl_module *m, run_data *d)
{
    irl_mark mark = irl_ctx_mark(cx);
    int      ok = f ? irl_func_interpret(f, arguments(d)) : irl_module_interpret(m, arguments(d));
    irl_ctx_rewind(cx, mark);
    return ok;
}

/* What the function gives for numbers drawn: 0 where it has a value for none of them. */
static int begin(trial *t, irl_ctx *cx, const irl_func *f)
{
    int k;
    for (k = t->defined = 0; k < POINTS; k++) {
        run_data *d = &t->wanted[t->defined];
        fill(&t->given[t->defined]);
        *d = t->given[t->defined];
        points++;
        t->defined += is_run(cx, f, NULL, d);
    }
    defined += t->defined;
    return t->defined;
}

/* The same for a form of it; shows the first that is another. */
static int is_same(trial *t, irl_ctx *cx, const irl_func *f, const irl_module *m, const char *what)
{
    static run_data d;
    int             k;
    for (k = 0; k < t->defined; k++) {
        d = t->given[k];
        if (CHECK(is_run(cx, f, m, &d) && memcmp(&d, &t->wanted[k], sizeof d) == 0)) continue;
        printf("n = %ld, m = %ld, after %s\n", (long)d.n, (long)d.m, what);
        d = t->given[k];
        (void)(f ? irl_func_interpret(f, arguments(&d)) : irl_module_interpret(m, arguments(&d)));
        printf("%s\n%s\n", irl_diag_text(cx), f ? irl_func_text(f) : irl_module_text(m));
        return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ what is made of it */

static int is_lowered(trial *t, irl_ctx *cx, const irl_func *f, irl_schedule_kind schedule)
{
    static const char *const targets[] = { "opencl12", "c99", "strict", "scalar", "c-gnu-avx512" };
    irl_mark          mark = irl_ctx_mark(cx);
    const char       *name = targets[draw(5)];
    char              what[64];
    irl_lower_options how;
    irl_module       *m;
    int               ok = 1;
    memset(&how, 0, sizeof how);
    how.schedule = schedule;
    if (draw(4) == 0) how.bounds = IRL_BOUNDS_GUARD;
    m = irl_func_lower_with(f, irl_target_find(name), &how);
    snprintf(what, sizeof what, "%s, schedule %d", name, (int)schedule);
    modules += m != NULL;
    refused_modules += !m;
    if (m) ok = is_same(t, cx, NULL, m, what);
    else if (getenv("IRL_REFUSED")) printf("%s\n", irl_diag_text(cx));
    irl_ctx_rewind(cx, mark);
    return ok;
}

/* Parameters keep their layout: the data are those of the text. */
static int is_of_interest(const char *step)
{
    return !strstr(step, "transform_layout(") || strstr(step, ", t,");
}

static int is_scheduled(trial *t, irl_ctx *cx, const irl_func *f)
{
    char      step[120], all[STEPS * 124] = "";
    names     n;
    irl_mark  mark;
    irl_func *g;
    int       k, count = 0;
    for (k = 0; k < TRIES && count < STEPS; k++) {
        read_names(irl_func_text(f), &n);
        if (!draw_step(&n, step, sizeof step)) return 1;
        if (!is_of_interest(step)) continue;
        mark = irl_ctx_mark(cx);
        g = irl_schedule_parse(f, step, IRL_TO_NUL, NULL);
        if (!g) {
            refused_steps++;
            irl_ctx_rewind(cx, mark);
            continue;
        }
        strcat(strcat(all, step), "\n");
        count++;
        steps++;
        if (!is_same(t, cx, g, NULL, all)) return 0;
        g = irl_func_parse(cx, irl_func_text(g), IRL_TO_NUL, NULL);
        if (!CHECK(g)) return 0;
        f = g;
    }
    return is_lowered(t, cx, f, IRL_SCHEDULE_NONE);
}

static int is_right(trial *t, irl_ctx *cx, const irl_func *f)
{
    const char *made = irl_schedule_auto(f, &irl_target_opencl12);
    irl_mark    mark = irl_ctx_mark(cx);
    irl_func   *g = irl_schedule_parse(f, made, IRL_TO_NUL, NULL);
    autos += strstr(made, "(") != NULL;
    if (!CHECK(g) || !is_same(t, cx, g, NULL, made)) return 0;
    irl_ctx_rewind(cx, mark);
    return is_lowered(t, cx, f, IRL_SCHEDULE_AUTO) && is_lowered(t, cx, f, IRL_SCHEDULE_NONE) &&
           is_scheduled(t, cx, f) && is_scheduled(t, cx, f);
}

int main(int argc, char **argv)
{
    static trial t;
    static text  of;
    uint64_t     first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, seed;
    int          rows, columns, count = argc > 2 ? atoi(argv[2]) : TEST_COUNT(300);
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *f;
        draw_state = seed * 977 + 11;
        (void)draw(2);
        draw_function(&of, &rows, &columns);
        f = irl_func_parse(cx, of.at, IRL_TO_NUL, NULL);
        if (!CHECK(f)) printf("%s\n%s\n", of.at, irl_diag_text(cx));
        else if (begin(&t, cx, f) && !is_right(&t, cx, f))
            printf("seed %lu\n%s\n", (unsigned long)seed, of.at);
        irl_ctx_destroy(cx);
    }
    printf("%d of %d points defined; %d schedules made, %d steps done, %d refused; %d modules, %d "
           "refused\n", defined, points, autos, steps, refused_steps, modules, refused_modules);
    CHECK(defined * 5 > points && steps > count / 2 && refused_modules * 4 < modules);
    return test_done();
}
