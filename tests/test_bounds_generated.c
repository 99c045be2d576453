/* test_bounds_generated.c - generated functions, half of them with one access made wrong: of the
   wrong quasi-affine ones at least 99 % are refused with a point that the model and the interpreter
   confirm, the rest warned of; of the right ones none is refused, and under 2 % are warned of. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#include "../src/eval/eval.h"
#endif
#include "generate_accesses.h"
#include "test.h"

static int rights, wrongs, gathers, refused, warned, warned_right, shown;

/* Zeros for every parameter; names have the values of a point, or 3. */
static int interpret(irl_ctx *cx, const irl_func *f, const irl__iteration *at)
{
    static float   zeros[1 << 16];
    static int64_t names[8];
    irl_arguments  args;
    int            k, j;
    memset(&args, 0, sizeof args);
    memset(zeros, 0, sizeof zeros);
    args.count = f->param_count;
    for (k = 0; k < f->param_count; k++) {
        args.data[k] = zeros;
        if (f->params[k].buffer) continue;
        names[k] = 3;
        for (j = 0; at && j < at->count; j++)
            if (at->vars[j] == f->params[k].var) names[k] = at->values[j];
        args.data[k] = &names[k];
    }
    (void)cx;
    return irl_func_interpret(f, args);
}

/* Does the model leave there too? */
static int model_leaves(const ga_case *c, const irl__iteration *at)
{
    int64_t i[GA_LOOPS] = { 0, 0, 0, 0 };
    int     k, j, found = 0;
    for (k = 0; k < c->loops; k++)
        for (j = 0; j < at->count; j++)
            if (at->vars[j]->u.name[0] == 'i' && at->vars[j]->u.name[1] == '0' + k)
                i[k] = at->values[j], found++;
    if (found != c->loops || (c->guard >= 0 && !ga_eval(c, c->guard, i))) return 0;
    for (k = 0; k < c->loops; k++)
        if (i[k] < c->min[k] || i[k] >= c->min[k] + (c->triangle[k] ? i[k - 1] + 1 : c->extent[k]))
            return 0;
    for (k = 0; k < c->rank; k++) {
        int64_t v = ga_eval(c, c->index[k], i);
        if (v < 0 || v >= c->shape[k]) return 1;
    }
    return 0;
}

static void show(const char *text, const irl_ctx *cx, const char *why)
{
    if (shown++ < 10) printf("%s\n%s\n%s\n", why, text, irl_diag_text(cx));
}

/* c is NULL for what has names. */
static void wrong(const char *text, const ga_case *c)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_func       *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    irl__arena_mark mark;
    irl__accesses   t;
    irl__bounds     b;
    irl_mark        here;
    int             k, is_right = 0, is_outside = 0;
    wrongs++;
    if (!CHECK_OK(cx)) show(text, cx, "does not parse");
    mark = irl__scratch_begin(cx);
    CHECK(irl__accesses_of(&t, f, NULL) && irl__bounds_of(&b, &t) && b.count > 0);
    for (k = 0; k < b.count && !is_outside; k++)
        if (b.list[k].is_outside) {
            is_outside = 1;
            here = irl_ctx_mark(cx);
            is_right = !interpret(cx, f, &b.list[k].point) &&
                       irl_diag_of(cx)->code == IRL_ERROR_OUT_OF_BOUNDS &&
                       (!c || model_leaves(c, &b.list[k].point));
            if (!CHECK(is_right)) show(text, cx, "the point is not right");
            irl_ctx_rewind(cx, here);
        }
    refused += is_outside;
    if (!is_outside) warned++, CHECK(b.count > 0), show(text, cx, "warned of only");
    irl__scratch_end(cx, mark);
    CHECK((irl_func_run_pass(f, "check_bounds") == NULL) == is_outside);
    irl_ctx_destroy(cx);
}

static void right(const char *text, int is_gather)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL), *g;
    int       is_warned;
    rights++;
    if (!CHECK_OK(cx)) show(text, cx, "does not parse");
    g = irl_func_run_pass(f, "check_bounds");
    if (!CHECK(g != NULL)) show(text, cx, "refused, and right");
    is_warned = g && irl_func_warnings(g)[0];
    warned_right += is_warned;
    if (is_warned) show(text, cx, irl_func_warnings(g));
    if (g && !CHECK(interpret(cx, f, NULL))) show(text, cx, "the generator is wrong");
    (void)is_gather;
    irl_ctx_destroy(cx);
}

/* Never refused, always said. */
static void unknown(const char *text)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *g = irl_func_run_pass(irl_func_parse(cx, text, IRL_TO_NUL, NULL), "check_bounds");
    gathers++;
    if (!CHECK(g && irl_func_warnings(g)[0])) show(text, cx, "not said");
    irl_ctx_destroy(cx);
}

#define SOME(list) (list), (int)(sizeof(list) / sizeof *(list))

int main(int argc, char **argv)
{
    static ga_case c;
    char           text[1000];
    int            k, n = getenv("IRL_SOAK") ? 20000 : getenv("IRL_SLOW") ? 200 : 2000;
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 2) random64_seed(argv[2]);
    for (k = 0; k < n; k++) {
        int kind = random_below(10), number = 1 + random_below(5);
        if (kind < 7) {
            ga_make(&c, k % 2);
            if (k % 2) wrong(c.text, &c);
            else right(c.text, 0);
        } else if (kind < 9) {
            if (k % 2) ga_fill(text, SOME(ga_wrong_names), number), wrong(text, NULL);
            else ga_fill(text, SOME(ga_right_names), number), right(text, 0);
        } else if (k % 4 == 1) ga_fill(text, SOME(ga_wrong_sometimes), number), unknown(text);
        else if (k % 2) ga_fill(text, SOME(ga_wrong_gathers), number), unknown(text);
        else ga_fill(text, SOME(ga_right_gathers), number), right(text, 1);
    }
    printf("%d wrong: %d refused, %d warned of; %d sometimes wrong, all warned of; %d right: "
           "%d warned of\n", wrongs, refused, warned, gathers, rights, warned_right);
    CHECK(refused * 100 >= wrongs * 99 && warned_right * 50 < rights);
    return TEST_DONE();
}
