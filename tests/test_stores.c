/* test_stores.c - lets and conditions in loops become part of what is stored (compose_store) or
   bounds of the loops (tighten), scatters loops over cells (gather), loops around several
   statements loops around each (distribute), by hand and in automatic schedules: functions drawn
   at random compute what they computed.

   test_stores [SEED [COUNT]] */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"

#include "../src/eval/eval.h"

#include "test.h"

#include "random64.h"

#include "generate_stores.h"
#include "schedule_data.h"

enum { TRIES = 8 };

static int composed, distributed, tightened, widened, refused, scheduled, apart, tight, wide;
static int beside, compared, gathered, gathers;

/* Steps drawn at random, most of them compose_store, as far as they are taken. */
static const irl_func *draw_steps(irl_ctx *cx, const irl_func *f)
{
    static const char *const nests[] = { "y", "z", "y_1", "z_1", "y_z" };
    static const char *const loops[] = { "i", "j", "k", "r", "s" };
    int                      k;
    for (k = 0; k < TRIES; k++) {
        const irl_func *g;
        char            text[96];
        const char     *nest = nests[random_below(5)], *loop = loops[random_below(5)];
        irl_mark        mark = irl_ctx_mark(cx);
        if (random_below(3) == 0)
            snprintf(text, sizeof text, "{ distribute(%s%s%s); }", random_below(2) ? nest : "",
                     random_below(2) ? "." : "", loop);
        else if (random_below(3) == 0)
            snprintf(text, sizeof text, "{ tighten(%s%s%s); }", random_below(2) ? nest : "",
                     random_below(2) ? "." : "", random_below(2) ? "i" : loop);
        else if (random_below(3) == 0)
            snprintf(text, sizeof text, "{ widen(%s%s%s); }", random_below(2) ? nest : "",
                     random_below(2) ? "." : "", random_below(2) ? "i" : loop);
        else if (random_below(4))
            snprintf(text, sizeof text, "{ compose_store(%s.%s); }", nest, loop);
        else snprintf(text, sizeof text, "{ compose_reduction(%s); }", nest);
        g = irl_schedule_parse(f, text, IRL_TO_NUL, NULL);
        if (g) {
            if (strstr(text, "store")) composed++;
            if (strstr(text, "distribute")) distributed++;
            if (strstr(text, "tighten")) tightened++;
            if (strstr(text, "widen")) widened++;
            f = g;
            continue;
        }
        refused++;
        irl_ctx_rewind(cx, mark);
    }
    return f;
}

static int module_same(const irl_func *f, const irl_module *m)
{
    schedule_args a, b;
    int           k, answer = NOT_RUN;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    if (schedule_args_make(&a, f) && schedule_args_make(&b, f) &&
        irl_func_interpret(f, a.pointers)) {
        answer = irl_module_interpret(m, b.pointers) ? SAME : DIFFERENT;
        for (k = 0; answer == SAME && k < a.count; k++)
            if (irl_array_difference(a.type[k],
                                     (int64_t)(a.bytes[k] / irl__type_bytes(a.type[k])), a.data[k],
                                     b.data[k], 0) >= 0)
                answer = DIFFERENT;
    }
    schedule_args_free(&a);
    schedule_args_free(&b);
    return answer;
}

static void one_function(uint64_t seed)
{
    static const char *const targets[] = { "opencl12", "opencl12-avx2", "opencl12-gpu", "c99" };
    irl_ctx                 *cx = irl_ctx_create(NULL);
    const irl_target        *target = irl_target_find(targets[seed % 4]);
    const char              *wrong = NULL, *text = "";
    const irl_func          *f, *g = NULL;
    stores                   q;
    int                      answer;
    random64_state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    (void)random64();
    draw_stores(&q);
    f = irl_func_parse(cx, q.text, IRL_TO_NUL, NULL);
    if (!f) wrong = "parsed";
    if (f) g = draw_steps(cx, f);
    answer = f ? schedule_same(f, g, 0) : NOT_RUN;
    compared += answer == SAME;
    if (answer == DIFFERENT) wrong = "the same behind steps";
    if (answer == DIFFERENT) text = irl_schedule_text(g);
    if (!wrong) {
        text = irl_schedule_auto(f, target);
        g = text[0] ? irl_schedule_parse(f, text, IRL_TO_NUL, NULL) : NULL;
        if (!g) wrong = "scheduled";
        else {
            scheduled += strstr(text, "compose_store") != NULL;
            apart += strstr(text, "distribute") != NULL;
            beside += strstr(text, "a sum in a separate loop") != NULL;
            tight += strstr(text, "tighten") != NULL;
            wide += strstr(text, "widen") != NULL;
            gathers += strstr(text, "gather") != NULL;
        }
    }
    if (!wrong && answer == SAME && schedule_same(f, g, 0) != SAME) wrong = "the same by auto";
    /* contracted values that round differ in their last digits */
    if (!wrong && answer == SAME && (!stores_is_float(&q) || !strstr(text, "contract")) &&
        module_same(f, irl_func_lower(f, target)) != SAME)
        wrong = "the same, lowered";
    if (!CHECK(!wrong) && test_failed < 6)
        printf("seed %lu, not %s: %s\n%s%s\n", (unsigned long)seed, wrong, irl_diag_text(cx),
               q.text, text);
    irl_ctx_destroy(cx);
}

/* Loops that scatter become loops over cells. */
static void one_scatter(uint64_t seed)
{
    static const char *const loops[2][2] = { { "a", "r" }, { "b", "s" } };
    irl_ctx                 *cx = irl_ctx_create(NULL);
    stores                   q;
    char                     text[96];
    random64_state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    (void)random64();
    draw_scatters(&q);
    const irl_func *f = irl_func_parse(cx, q.text, IRL_TO_NUL, NULL), *g = f;
    const char     *nest = strstr(q.text, "y[a, b] = ") ? "y_1" : "y";
    for (int k = 0, first = random_below(2); f && k < 2; k++) {
        const char *const *pair = loops[k ^ first];
        const int          turned = random_below(3) == 0;
        const irl_mark     mark = irl_ctx_mark(cx);
        snprintf(text, sizeof text, "{ gather(%s.%s, %s.%s); }", nest, pair[turned], nest,
                 pair[!turned]);
        const irl_func *now = irl_schedule_parse(g, text, IRL_TO_NUL, NULL);
        if (now) g = now, gathered++;
        else refused++, irl_ctx_rewind(cx, mark);
    }
    const int answer = f ? schedule_same(f, g, 0) : NOT_RUN;
    if (!CHECK(f && answer != DIFFERENT) && test_failed < 6)
        printf("seed %lu, not the same behind gather: %s\n%s%s\n", (unsigned long)seed,
               irl_diag_text(cx), q.text, f ? irl_schedule_text(g) : "");
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const int      count = argc > 2 ? atoi(argv[2]) : TEST_COUNT(640);
    uint64_t       seed;
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        one_function(seed);
        one_scatter(seed);
    }
    printf("of %d functions %d ran; %d steps of compose_store, %d of distribute, %d of tighten, %d "
           "of widen, %d of gather, %d refused; auto took them in %d, %d (of sums beside others "
           "%d), %d, %d, %d\n", count, compared, composed, distributed, tightened, widened,
           gathered, refused, scheduled, apart, beside, tight, wide, gathers);
    CHECK(argc > 1 || count < 400 ||
          (compared > 200 && composed > 40 && distributed > 4 && tightened > 6 &&
           widened > 1 && gathered > 200 && gathers > 8 && scheduled > 80 && apart > 4 &&
           beside > 1 && tight > 8 && wide > 8));
    test_seeds((unsigned long)first, count);
    return test_done();
}
