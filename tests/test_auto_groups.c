/* test_auto_groups.c - schedules for groups of work-items that run in step: each is carried out,
   replays, and computes the same numbers in the interpreter, which watches races and barriers, up
   to rounding where sums were contracted or reordered; tiles fit the device; and what a product of
   512 touches is counted: loads of global memory, lines, words of banks.

   test_auto_groups [CASE]: that one alone, with its schedules. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "test.h"
#include "agreement.h"
#include "group_cases.h"
#include "meaning.h"
#include "random64.h"

/* ------------------------------------------------------------------ the same numbers */

/* Rounded otherwise: these steps say so. */
static int is_exact(const char *schedule)
{
    return !strstr(schedule, "contract(") && !strstr(schedule, "few results") &&
           !strstr(schedule, "a group computes a row");
}

static int same(const irl_func *f, int64_t n, const meaning_data *expected, const irl_func *g,
                const irl_module *m, int exact)
{
    meaning       c;
    meaning_data  found;
    irl_agreement sum;
    int           ok;
    memset(&c, 0, sizeof c);
    memset(&sum, 0, sizeof sum);
    c.n = n;
    if (!meaning_arguments(f, &c, &found)) return 0;
    if (!exact) {
        ok = agreement_of(f, &found.arguments, g, m, &sum) != DISAGREE;
    } else {
        ok = g ? irl_func_interpret(g, found.arguments)
               : m && irl_module_interpret(m, found.arguments);
        ok = ok && meaning_same(expected, &found);
    }
    meaning_free(&found);
    return ok;
}

/* What is wrong where the name is n. */
static const char *judge_numbers(const irl_func *f, int64_t n, const irl_func *g,
                                 const irl_module *m, int exact)
{
    const char  *wrong = NULL;
    meaning      values;
    meaning_data expected;
    memset(&values, 0, sizeof values);
    values.n = n;
    if (!meaning_arguments(f, &values, &expected)) return "given arguments";
    if (!irl_func_interpret(f, expected.arguments)) wrong = "interpreted as it was written";
    else if (!same(f, n, &expected, g, NULL, exact)) wrong = "the same numbers";
    else if (!same(f, n, &expected, NULL, m, exact)) wrong = "the same numbers, lowered";
    meaning_free(&expected);
    return wrong;
}

static int has_parts(const group_case *c, const char *made)
{
    int k, ok = 1;
    for (k = 0; k < 4 && c->parts[k]; k++) {
        const int is_not = c->parts[k][0] == '!';
        ok &= (strstr(made, c->parts[k] + is_not) != NULL) == !is_not;
    }
    return ok;
}

static int scheduled;

/* What is wrong; NULL: nothing. Numbers are compared where `runs`. */
static const char *judge(irl_ctx *cx, const group_case *c, const irl_func *f,
                         const irl_target *target, int device, int runs)
{
    const char  *made = irl_schedule_auto(f, target);
    irl_func    *g = irl_schedule_parse(f, made, IRL_TO_NUL, "made");
    irl_func    *again = g ? irl_schedule_parse(f, irl_schedule_text(g), IRL_TO_NUL, NULL) : NULL;
    irl_module  *m = g ? irl_func_lower(g, target) : NULL, *whole = irl_func_lower(f, target);
    const int    is_unrolled = strstr(made, ", unroll = 4);") != NULL;
    const char  *wrong = NULL;
    scheduled += strchr(made, ';') != NULL;
    if (!g) return "carried out";
    if (!again || strcmp(irl_func_text(again), irl_func_text(g)) != 0) return "replayed";
    if (strcmp(made, irl_schedule_auto(f, target)) != 0) return "the same twice";
    if (device == 1 && !has_parts(c, made)) return "as expected";
    if (!m || !irl_module_check(m, target)) return "within the limits of the device";
    if (strstr(irl_module_text(m), "attr(idle")) return "several work-items of a group";
    if (is_unrolled && !strstr(c->text, "texture") && /* a texel has four iterations */
        !strstr(irl_module_text(m), "note(unroll = 4)"))
        return "unrolled by four";
    if (!whole || strcmp(irl_schedule_text(irl_module_scheduled(whole)), irl_schedule_text(g)) != 0)
        return "lowered with that schedule";
    const int is_named = strstr(c->text, "n: index") != NULL;
    for (int64_t n = 9; runs && n < (is_named ? 30 : 10) && !wrong; n += 13)
        wrong = judge_numbers(f, n, g, m, is_exact(made));
    return irl_ok(cx) ? wrong : wrong ? wrong : "without a diagnostic";
}

/* Every device schedules the case; fewer, each in its turn, run it where a part is asked for. */
static void one_case(const group_case *c, int k, int is_shown)
{
    int device;
    for (device = 0; device < GROUP_DEVICES; device++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        const irl_target *target = group_device(cx, device);
        irl_func         *f = irl_func_parse(cx, c->text, IRL_TO_NUL, "case");
        const int         runs = is_shown ||
                               (k + device) % GROUP_DEVICES < TEST_COUNT(GROUP_DEVICES);
        const char       *wrong = f ? judge(cx, c, f, target, device, runs) : "parsed";
        if (!CHECK(!wrong) || is_shown) {
            irl_ctx *other = irl_ctx_create(NULL);
            printf("case %d, device %d, not %s: %s\n%s%s", k, device, wrong ? wrong : "wrong",
                   irl_diag_text(cx), c->text,
                   irl_schedule_auto(irl_func_parse(other, c->text, IRL_TO_NUL, NULL),
                                     group_device(other, device)));
            irl_ctx_destroy(other);
        }
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ reductions drawn at random */

/* The axes of an operand, in any order: of results and of what reduces those that it has. */
static void draw_axes(const int *extents, int has, char *shape, char *indices)
{
    int order[4] = { 0, 1, 2, 3 }, k, j, t;
    shape[0] = indices[0] = '\0';
    for (k = 3; k > 0; k--) {
        j = random_below(k + 1);
        t = order[k];
        order[k] = order[j];
        order[j] = t;
    }
    for (k = 0; k < 4; k++) {
        const char *comma = shape[0] ? ", " : "";
        if (!(has >> order[k] & 1)) continue;
        sprintf(shape + strlen(shape), "%s%d", comma, extents[order[k]]);
        sprintf(indices + strlen(indices), "%s%c", comma, "abcd"[order[k]]);
    }
}

/* Products, and sums and largest elements of few cells, whose order is free: two loops of results
   and two that reduce, some of one iteration; multiples of four often. */
static void draw_reduction(char *text)
{
    static const int results[] = { 1, 1, 2, 3, 8, 16, 24, 32, 36, 64 }, terms[] = { 1, 3, 8 };
    const int  is_product = random_below(2), is_max = !is_product && random_below(3) == 0;
    const int  from = is_product ? 3 : 0, few = is_product ? 7 : 4;
    const int  is_long = random_below(is_product ? 6 : 2) == 0;
    const int  extents[4] = { results[from + random_below(few)], results[from + random_below(few)],
                              terms[random_below(3)],
                              is_long ? 256 * (1 + random_below(6)) : 4 * (1 + random_below(6)) };
    const char *type = random_below(4) ? "f32" : is_product ? "i32" : "f16";
    char        shape[3][64], at[3][64];
    draw_axes(extents, is_product ? 13 : 15, shape[0], at[0]);
    draw_axes(extents, 14, shape[1], at[1]);
    draw_axes(extents, 3, shape[2], at[2]);
    sprintf(text, "func f(x: %s[%s], w: %s[%s], y: %s[%s]) attr(numbers = \"free\") {\n"
                  "    for (a: %d, b: %d) y[%s] = %s(c: %d, d: %d, x[%s]", type, shape[0], type,
            shape[1], type, shape[2], extents[0], extents[1], at[2], is_max ? "max" : "sum",
            extents[2], extents[3], at[0]);
    sprintf(text + strlen(text), is_product ? " * w[%s]);\n}\n" : ");\n}\n", at[1]);
}

/* Rows that are summed up and read again, by one loop or two, in steps some of which an output
   keeps, are of a row alone, or run along the other axis. */
static void draw_rows(char *text)
{
    static const int lengths[] = { 20, 36, 64, 72, 300 };
    const int        is_deep = random_below(3) == 0, is_kept = random_below(4) == 0;
    const int        rows = 8 << random_below(3), length = lengths[random_below(5)];
    const char      *r = is_deep ? "a, b" : "a", *of = random_below(2) ? "sum" : "max";
    const int        is_turned = !is_deep && random_below(4) == 0;
    const char      *y = is_turned ? "d, a" : is_deep ? "a, b, d" : "a, d";
    char             shape[32], loops[32], row[64], turned[32], e[96];
    sprintf(shape, is_deep ? "%d, 3" : "%d", rows);
    sprintf(loops, is_deep ? "a: %d, b: 3" : "a: %d", rows);
    sprintf(row, "%s, %d", shape, length);
    sprintf(turned, "%d, %d", length, rows);
    sprintf(e, "e: f32[%s]%s", row, is_kept ? ", " : ";");
    sprintf(text, "func f(x: f32[%s], %sy: f32[%s]) attr(numbers = \"free\") {\n"
                  "    alloc m: f32[%s]; alloc s: f32[%s]; %s%s\n", row, is_kept ? e : "",
            is_turned ? turned : row, shape, shape, is_kept ? "" : "alloc ", is_kept ? "" : e);
    sprintf(text + strlen(text),
            "    for (%s) m[%s] = %s(d: %d, x[%s, d])%s;\n"
            "    for (%s, d: %d) e[%s, d] = %s(x[%s, d] - m[%s]);\n"
            "    for (%s) s[%s] = sum(d: %d, e[%s, d] * e[%s, d])%s;\n"
            "    for (%s, d: %d) y[%s] = e[%s, d] / (s[%s] + 1.0f);\n}\n",
            loops, r, of, length, r, random_below(2) ? " / 8.0f" : "", loops, length, r,
            random_below(2) ? "exp" : "abs", r, r, loops, r, length, r, r,
            random_below(2) ? " / 16.0f" : "", loops, length, y, r, r);
}

static void random_cases(int count)
{
    static const char *const parts[] = { "transform_layout(", "unroll = 4", "vectorize(",
                                         "rfactor(", "pad_einsum(", "a group computes a row" };
    enum { PARTS = sizeof parts / sizeof *parts };
    int reached[PARTS] = { 0 }, k, j;
    for (k = 0; k < count; k++) {
        char        text[1024];
        group_case  c;
        irl_ctx    *cx = irl_ctx_create(NULL);
        const char *made;
        memset(&c, 0, sizeof c);
        (k % 4 ? draw_reduction : draw_rows)(text);
        c.text = text;
        one_case(&c, k, 0);
        made = irl_schedule_auto(irl_func_parse(cx, text, IRL_TO_NUL, NULL),
                                 group_device(cx, k % 3));
        for (j = 0; j < PARTS; j++) reached[j] += strstr(made, parts[j]) != NULL;
        irl_ctx_destroy(cx);
    }
    printf("of %d reductions", count);
    for (j = 0; j < PARTS; j++) printf(", %d %s", reached[j], parts[j]);
    printf("\n");
    for (j = 0; j < PARTS && count >= 60; j++) CHECK(reached[j]);
}

/* ------------------------------------------------------------------ what is counted */

/* The loops of that name, after `count` others. */
static int loops_of(const irl_access_table *t, const char *name, int *loops, int count)
{
    for (int k = 0; k < t->loop_count; k++)
        if (strcmp(t->loops[k].name, name) == 0) loops[count++] = k;
    return count;
}

/* How often a subgroup's words are in one bank, where loops but work-items are at their start; a
   word has so many elements, which a work-item loads at once from as many banks. */
static int64_t repeats(irl_ctx *cx, const irl_func *f, int access, int run)
{
    const int banks_of = 32 / run;
    irl_shape      runs, point, cell;
    const irl_map *map = irl_func_access_map(f, access, &runs);
    int64_t        banks[32] = { 0 }, at, seen[32], most = 0;
    int            lane, k, count = 0;
    if (!CHECK(map && runs.rank >= 4)) return 0;
    for (lane = 0; lane < 32; lane++) { /* loops 2 and 3 are the rows' and the columns' */
        memset(&point, 0, sizeof point);
        point.rank = runs.rank;
        point.extent[2] = lane / runs.extent[3];
        point.extent[3] = lane % runs.extent[3];
        if (!CHECK(irl_map_apply(cx, map, point, &cell))) {
            printf("%s%s\n", irl_map_text(cx, map), irl_diag_text(cx));
            return 0;
        }
        at = cell.extent[0] / run;
        for (k = 0; k < count && seen[k] != at; k++) {}
        if (k < count) continue;
        seen[count++] = at;
        if (++banks[at % banks_of] > most) most = banks[at % banks_of];
    }
    return most;
}

typedef struct counted {
    const char *text;
    int64_t     row[2]; /* the strides of the tiles of x and w */
} counted;

static const counted products[] = {
    { GROUP_PRODUCT("f32", "0.0f", "512", "512", "512", "512, 512", "512, 512", "vi, vk",
                    "vk, vj"), { 68, 64 } },
    { GROUP_PRODUCT("f32", "0.0f", "512", "512", "512", "512, 512", "512, 512", "vi, vk",
                    "vj, vk"), { 66, 68 } },
    { GROUP_PRODUCT("f32", "0.0f", "512", "512", "512", "512, 512", "512, 512", "vk, vi",
                    "vk, vj"), { 64, 64 } },
    { GROUP_PRODUCT("f32", "0.0f", "512", "512", "512", "512, 512", "512, 512", "vk, vi",
                    "vj, vk"), { 64, 68 } },
};

/* Of a product of 512: no more than 2 of 64 loads of global memory for each multiplication, whole
   lines in each access of a group; a load of neighbours takes two accesses of shared memory at
   most, one for the elements of 32 banks, and a store into a tile that is turned four. */
static void count_product(const counted *c)
{
    irl_ctx                *cx = irl_ctx_create(NULL);
    irl_func               *f = irl_func_parse(cx, c->text, IRL_TO_NUL, "case");
    const irl_target       *target = irl_target_find("opencl12-gpu");
    const irl_func         *g = irl_schedule_parse(f, irl_schedule_auto(f, target), IRL_TO_NUL,
                                                   NULL);
    irl_lower_options        lower;
    const irl_func          *kernel;
    const irl_access_table  *t;
    int64_t                 loads = 0;
    int                     k, loops[16], shared = 0, items;
    irl_cost_options        how;
    memset(&how, 0, sizeof how);
    memset(&lower, 0, sizeof lower);
    how.line_bytes = 128;
    for (k = 0; irl_pass_name(k); k++) /* these make names of indices */
        if (strcmp(irl_pass_name(k), "unroll") == 0 || strcmp(irl_pass_name(k), "registers") == 0 ||
            strcmp(irl_pass_name(k), "vectorize") == 0)
            lower.disable |= (uint64_t)1 << k;
    kernel = irl_module_kernel(irl_func_lower_with(g, target, &lower), 0);
    t = irl_func_accesses(kernel);
    if (!CHECK(t)) return;
    items = loops_of(t, "j_l", loops, loops_of(t, "i_l", loops, 0));
    CHECK(items == 2);
    CHECK(loops_of(t, c->row[0] == 66 ? "ax6" : "ax5", loops, items) == items + 1);
    how.loops = loops;
    for (k = 0; k < t->count; k++) {
        const irl_access *a = &t->list[k];
        how.loop_count = items + (a->kind == IRL_ACCESS_WRITE); /* neighbours are stored at once */
        const irl_cost   *all = irl_func_cost(kernel, k, NULL),
                         *group = irl_func_cost(kernel, k, &how);
        const int         is_global = a->buffer && strstr(a->buffer, "_flat") != NULL;
        if (a->is_declared || !a->buffer) continue;
        if (is_global) {
            CHECK(all->iterations.exactness == IRL_COUNT_EXACT);
            if (a->kind == IRL_ACCESS_READ) loads += all->iterations.value;
            CHECK(group->lines.exactness == IRL_COUNT_EXACT &&
                  group->lines.value * 128 <= group->bytes.value * 2);
            if (a->kind == IRL_ACCESS_READ) CHECK(group->lines.value * 128 == group->bytes.value);
        } else if (strstr(a->buffer, "_shared")) {
            const int is_read = a->kind == IRL_ACCESS_READ;
            const int row = a->buffer[0] == 'w', run = !row && c->row[0] == 66 ? 2 : 4;
            const int turned = c->row[row] > 64;
            if (!CHECK(repeats(cx, kernel, k, is_read ? run : 1) <= (is_read ? 2 : turned ? 4 : 1)))
                printf("%s\n%s", a->text, irl_func_text(kernel));
            shared++;
        }
    }
    CHECK(shared >= 4);
    CHECK(loads * 64 <= (int64_t)2 * 512 * 512 * 512);
    for (k = 0; k < 2; k++) {
        char part[32];
        sprintf(part, "strides(%d, 1)", (int)c->row[k]);
        CHECK(c->row[k] == 64 || strstr(irl_func_text(g), part));
    }
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int k;
    if (argc > 1) {
        one_case(&group_cases[atoi(argv[1])], atoi(argv[1]), 1);
        return TEST_DONE();
    }
    for (k = 0; k < GROUP_CASES; k++) one_case(&group_cases[k], k, 0);
    printf("%d cases for %d devices, %d scheduled\n", (int)GROUP_CASES, (int)GROUP_DEVICES,
           scheduled);
    CHECK(scheduled * 4 > GROUP_CASES * GROUP_DEVICES * 3);
    for (k = 0; k < (int)(sizeof products / sizeof *products); k++) count_product(&products[k]);
    random_cases(getenv("IRL_SOAK") ? 3000 : TEST_COUNT(60));
    return TEST_DONE();
}
