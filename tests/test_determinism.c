/* test_determinism.c - what comes out depends on what goes in and on nothing else: the same input
   in contexts at other places, with other keys, before and after other work, gives the same text,
   byte for byte: simplified expressions, verdicts, inverses, paddings, modules and OpenCL C.
   test_extents asks the same of symbolic shapes. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/arith/engine.h"
#include "../src/eval/eval.h"
#endif
#include "test.h"
#include "random64.h"
#include "random_maps.h"
#include "generate.h"
#include "elsewhere.h"

enum { PLACES = 3, TEXT_ROOM = 1 << 20 };

/* Everything that is printed about one input. */
typedef struct record {
    size_t length;
    char   text[TEXT_ROOM];
} record;

static record first, other;

static void note(record *r, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    if (!CHECK(text != NULL) || !CHECK(r->length + n + 2 < TEXT_ROOM)) return;
    memcpy(r->text + r->length, text, n);
    r->length += n;
    r->text[r->length++] = '\n';
    r->text[r->length] = '\0';
}

static void same(const char *what, unsigned seed)
{
    size_t k;
    if (CHECK(first.length == other.length && memcmp(first.text, other.text, first.length) == 0))
        return;
    for (k = 0; first.text[k] && first.text[k] == other.text[k]; k++) continue;
    while (k && first.text[k - 1] != '\n') k--;
    printf("%s %u: in one place\n%.600s\nin another\n%.600s\n", what, seed, first.text + k,
           other.text + k);
}

/* ------------------------------------------------------------------ maps */

static void record_map(record *r, const recipe *m)
{
    const irl_map *map = build(m);
    irl_verdict    v;
    irl__analyzer *an;
    irl__arena_mark mark = irl__scratch_begin(cx);
    int            k;
    r->length = 0;
    if (!CHECK(map != NULL)) return;
    an = irl__analyzer_begin(cx);
    for (k = 0; k < m->shape.rank; k++)
        irl__bind_range(an, map->inputs[k], 0, m->shape.extent[k] - 1);
    for (k = 0; k < map->output_count; k++)
        note(r, irl_expr_text(cx, irl__simplify(an, map->outputs[k])));
    irl__scratch_end(cx, mark);
    v = irl_map_check(cx, map, m->shape);
    note(r, irl_verdict_json(cx, map, &v));
    if (v.inverse) note(r, irl_map_text(cx, v.inverse));
    if (v.padding) note(r, irl_expr_text(cx, v.padding));
}

static void test_maps(void)
{
    int n, place, total = TEST_TENTH(160);
    for (n = 0; n < total; n++) {
        recipe m = invent(STEP_KINDS), before = invent(CENSUS_KINDS);
        size_t shift;
        for (place = 0; place < PLACES; place++) {
            cx = elsewhere_context(&shift, place ? (unsigned)n * 7 + (unsigned)place * 1000 : 0);
            if (place == 2) record_map(&other, &before); /* and the context has seen other work */
            record_map(place ? &other : &first, &m);
            if (place) same("map", (unsigned)n);
            irl_ctx_destroy(cx);
        }
    }
    printf("%d maps in %d places\n", total, PLACES);
}

/* ----------------------------- large expressions: more than the memo holds, or too much work */

enum { VARIABLES = 5, POOL = 40 };

static int spent; /* how often the bound was reached */

/* The same expression in every context, from the random numbers as they stand. */
static const irl_expr *large_expression(irl__analyzer *an)
{
    static const char *const names[VARIABLES] = { "i", "j", "k", "n", "m" };
    static const irl_op ops[] = { IRL_OP_ADD,      IRL_OP_ADD,      IRL_OP_SUB, IRL_OP_MUL,
                                  IRL_OP_FLOORDIV, IRL_OP_FLOORMOD, IRL_OP_MIN, IRL_OP_MAX };
    const irl_expr          *pool[POOL], *arms[3];
    int                      k;
    for (k = 0; k < VARIABLES; k++) {
        pool[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        irl__bind_range(an, pool[k], k < 3 ? 0 : 1, k < 3 ? 1 + random_below(40) : INT64_MAX);
    }
    for (; k < POOL; k++) {
        irl_op          o = ops[random_below(8)];
        const irl_expr
            *a = pool[random_below(4) ? k - 1 - random_below(k < 4 ? k : 4) : random_below(k)],
            *b = pool[random_below(k)], *c;
        int             constant = random_below(3) != 0;
        if (o == IRL_OP_FLOORDIV || o == IRL_OP_FLOORMOD || (o == IRL_OP_MUL && constant))
            b = num(2 + random_below(9));
        if (a->size + b->size > 3000) a = pool[random_below(VARIABLES)];
        pool[k] = op(o, a, b);
        if (random_below(5)) continue;
        c = op(IRL_OP_LT, a, pool[random_below(k)]);
        if (random_below(2))
            c = op(random_below(2) ? IRL_OP_AND : IRL_OP_OR, c,
                   op(IRL_OP_LE, pool[random_below(k)], b));
        if (c->size + a->size > 3000) continue;
        arms[0] = c;
        arms[1] = pool[k];
        arms[2] = a;
        pool[k] = irl__expr_op(cx, IRL_OP_SELECT, 3, arms, irl__nowhere());
    }
    return pool[POOL - 1];
}

/* Beside the form, the work that it took: where that is bounded, what is left of it decides the
   form. */
static void record_large(record *r)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__analyzer  *an = irl__analyzer_begin(cx);
    const irl_expr *e = large_expression(an);
    char            work[32];
    r->length = 0;
    an->running = 1; /* as if within another question: the work is what that has left */
    an->work = 20 + random_below(2000);
    note(r, irl_expr_text(cx, irl__simplify(an, e)));
    snprintf(work, sizeof work, "%d left", (int)an->work);
    note(r, work);
    spent += an->work < 0;
    an->running = 0;
    note(r, irl_expr_text(cx, irl__simplify(an, e)));
    irl__scratch_end(cx, mark);
}

static void test_large(void)
{
    int n, place, total = TEST_TENTH(40);
    for (n = 0; n < total; n++) {
        uint64_t state = random64_state;
        size_t   shift;
        for (place = 0; place < PLACES; place++) {
            cx = elsewhere_context(&shift, place ? (unsigned)n * 7 + (unsigned)place * 1000 : 0);
            if (place == 2) (void)large_expression(irl__analyzer_begin(cx));
            random64_state = state;
            record_large(place ? &other : &first);
            if (place) same("expression", (unsigned)n);
            irl_ctx_destroy(cx);
        }
    }
    CHECK(spent * 20 > total * PLACES && spent < total * PLACES);
    printf("%d large expressions in %d places, %d times the work was all spent\n", total, PLACES,
           spent);
}

/* ------------------------------------------------------------------ functions */

static void record_func(record *r, irl_ctx *in, const char *text)
{
    irl_func   *f = irl_func_parse(in, text, strlen(text), "generated");
    irl_module *m = f ? irl_func_lower(f, &irl_target_opencl12) : NULL;
    r->length = 0;
    if (!CHECK(f != NULL)) return;
    note(r, irl_func_text(f));
    if (m) {
        note(r, irl_module_text(m));
        note(r, irl_ocl_source(m)[0] ? irl_ocl_source(m) : irl_diag_text(in));
    } else note(r, irl_diag_text(in));
}

static void test_functions(void)
{
    int         n, place, total = TEST_TENTH(40);
    gen_options options;
    memset(&options, 0, sizeof options);
    for (n = 0; n < total; n++) {
        gen_case c = gen_function((uint64_t)n + 1, options);
        size_t   shift;
        for (place = 0; place < PLACES; place++) {
            irl_ctx *in =
                elsewhere_context(&shift, place ? (unsigned)n * 5 + (unsigned)place * 1000 : 0);
            record_func(place ? &other : &first, in, c.text);
            if (place) same("function", (unsigned)n + 1);
            irl_ctx_destroy(in);
        }
        gen_free(&c);
    }
    printf("%d functions in %d places\n", total, PLACES);
}

int main(int argc, char **argv)
{
    if (argc > 1) random64_seed(argv[1]);
    test_maps();
    test_large();
    test_functions();
    return TEST_DONE();
}
