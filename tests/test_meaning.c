/* test_meaning.c - what functions mean where nobody looks is the same as they are and lowered. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"
#include "meaning.h"
#include "meaning_cases.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Sizes that make loops empty, of negative extent, and full. */
static void test_sizes(irl_ctx *cx, int count, const char *const *texts)
{
    static const int64_t sizes[] = { -3, 0, 1, 4, 6 };
    meaning              c;
    int                  k, n, m;
    memset(&c, 0, sizeof c);
    for (k = 0; k < count; k++)
        for (n = 0; n < COUNT(sizes); n++)
            for (m = 0; m < COUNT(sizes); m++) {
                c.text = texts[k];
                c.n = sizes[n];
                c.m = sizes[m];
                meaning_check(cx, &c, meaning_interpreted, NULL);
            }
}

static void test_cases(irl_ctx *cx, int count, const meaning *cases)
{
    int k;
    for (k = 0; k < count; k++) meaning_check(cx, &cases[k], meaning_interpreted, NULL);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    test_sizes(cx, COUNT(empty_loops), empty_loops);
    test_sizes(cx, COUNT(sized_loops), sized_loops);
    test_cases(cx, COUNT(memory_cases), memory_cases);
    test_cases(cx, COUNT(parallel_cases), parallel_cases);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
