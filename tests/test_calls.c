/* test_calls.c - generated functions that call (generate_calls.h), with prototypes whose promises
   hold: interpreted as they are, after every pass and as modules they give what the reference
   gives. A function that breaks its promise is a diagnostic, in each of these forms.

   usage  test_calls [FIRST [COUNT]]     seeds */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "generate.h"
#include "generate_calls.h"
#include "test.h"

/* What the functions do that they say they do not. */
typedef struct calls_state {
    int breaks; /* irl_peek writes what it reads */
    int broken; /* ... and has done so */
} calls_state;

static int answer(void *user, const char *name, int count, const irl_extern_value *a,
                  irl_extern_value *result)
{
    calls_state *state = (calls_state *)user;
    const int    is_float = strstr(name, "f32") != NULL;
    if (count != 1 || a[0].bytes < 4) return 0;
    if (strncmp(name, "irl_bump", 8) == 0) {
        if (is_float) *(float *)a[0].pointer += 1.0f;
        else *(int32_t *)a[0].pointer = (int32_t)(*(uint32_t *)a[0].pointer + 1u);
        return 1;
    }
    if (strncmp(name, "irl_peek", 8) != 0) return 0;
    result->number = *(float *)a[0].pointer;
    result->integer = *(int32_t *)a[0].pointer;
    if (state->breaks) {
        *(uint32_t *)a[0].pointer ^= 1u;
        state->broken = 1;
    }
    return 1;
}

static int ran, peeked, parallel, lowered;

static int wrong(const gen_case *c, irl_ctx *cx, const char *stage, const char *why)
{
    printf("seed %lu, %s: %s\n%s\n%s", (unsigned long)c->seed, stage, why, irl_diag_text(cx),
           c->called);
    return 0;
}

/* One form: f or m. */
static int same(const gen_case *c, irl_ctx *cx, calls_state *state, const gen_data *given,
                const gen_data *expected, const irl_func *f, const irl_module *m,
                const char *stage)
{
    gen_data data = gen_data_copy(given);
    char     why[160] = "";
    int      ok = f ? irl_func_interpret(f, gen_arguments(&data))
                    : irl_module_interpret(m, gen_arguments(&data));
    if (state->breaks) {
        const irl_diag *d = irl_diag_of(cx);
        if (state->broken ? ok || d->code != IRL_ERROR_BROKEN_PROTOTYPE : !ok)
            ok = wrong(c, cx, stage, "a broken promise was not seen");
        else ok = 1;
    } else if (!ok || !gen_data_equal(c, expected, &data, 0, why, sizeof why))
        ok = wrong(c, cx, stage, why);
    gen_data_free(&data);
    return ok;
}

/* All forms of the function. */
static int all_forms(const gen_case *c, irl_ctx *cx, calls_state *state, const gen_data *given,
                     const gen_data *expected)
{
    const irl_target *targets[] = { &irl_target_c99, &irl_target_opencl12 };
    irl_func   *f = irl_func_parse(cx, c->called, IRL_TO_NUL, "called"), *again, *g;
    const char *text = irl_func_text(f), *pass;
    irl_mark    mark;
    int         k;
    again = f ? irl_func_parse(cx, text, IRL_TO_NUL, "again") : NULL;
    if (!again || !irl_func_equal(f, again)) return wrong(c, cx, "text", "it is another");
    mark = irl_ctx_mark(cx);
    if (!same(c, cx, state, given, expected, f, NULL, "as it is")) return 0;
    if (state->breaks) irl_ctx_rewind(cx, mark);
    for (k = 0, g = f; g && !state->breaks && (pass = irl_pass_name(k)) != NULL; k++) {
        if (!TEST_PASS(k)) continue;
        g = irl_func_run_pass(g, pass);
        if (!g || !same(c, cx, state, given, expected, g, NULL, pass))
            return g ? 0 : wrong(c, cx, pass, "it fails");
    }
    for (k = 0; k < 2; k++) {
        irl_module *m = irl_func_lower(f, targets[k]);
        if (!m) return wrong(c, cx, "lowering", "it fails");
        text = irl_module_text(m);
        if (!irl_module_equal(m, irl_module_parse(cx, text, IRL_TO_NUL, "module")))
            return wrong(c, cx, "a module's text", "it is another");
        if (k == 1 && !state->breaks && strstr(text, "irl_peek")) {
            const char *at = strstr(text, "extern(");
            lowered++;
            parallel += at && strstr(text, "global.x");
        }
        state->broken = 0;
        if (!same(c, cx, state, given, expected, NULL, m, "a module")) return 0;
        irl_ctx_rewind(cx, mark);
    }
    return 1;
}

static int try_seed(const gen_case *c)
{
    calls_state  state;
    irl_ctx_desc desc;
    irl_ctx     *cx;
    gen_data     given = gen_data_new(c), expected = gen_data_copy(&given);
    irl_func    *f;
    int          k, ok = 1;
    memset(&desc, 0, sizeof desc);
    desc.call_extern = answer;
    desc.call_extern_user = &state;
    for (k = 0; k < 2 && ok; k++) {
        if (k && !strstr(c->called, "= extern") && !strstr(c->called, "+ extern")) break;
        peeked += k;
        memset(&state, 0, sizeof state);
        cx = irl_ctx_create(&desc);
        f = irl_func_parse(cx, c->text, IRL_TO_NUL, "reference");
        ok = f && (k || irl_func_interpret(f, gen_arguments(&expected)));
        if (!ok) wrong(c, cx, "reference", "");
        state.breaks = k;
        ok = ok && all_forms(c, cx, &state, &given, &expected);
        irl_ctx_destroy(cx);
    }
    gen_data_free(&given);
    gen_data_free(&expected);
    return ok;
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seed;
    int           count = argc > 2 ? atoi(argv[2]) : TEST_TENTH(300);
    gen_options   options;
    memset(&options, 0, sizeof options);
    options.for_device = 1;
    test_seeds(first, count);
    for (seed = first; seed < first + (unsigned long)count; seed++) {
        gen_case c = gen_call_function(seed, options);
        if (c.called) {
            ran++;
            CHECK(try_seed(&c));
        }
        gen_free(&c);
    }
    printf("%d functions call, %d of them break a promise; of %d, %d have calls in parallel\n", ran,
           peeked, lowered, parallel);
    CHECK(argc > 1 || (ran > count / 3 && peeked > count / 20));
    return TEST_DONE();
}
