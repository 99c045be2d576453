/* test_threads.c - threads with contexts of their own share nothing: each gets what one thread
   alone gets. */
#define _POSIX_C_SOURCE 200809L
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 12 };

static const char program[] =
    "func f(x: f32[6, 10], y: f32[10, 6]) layout(x: (i, j) -> (i, j / 4, j % 4), pad(1)) layout(y: "
    "(i, j) -> (j, i)) {\n"
    "    alloc t: f32[6, 10];\n"
    "    for (i: 6, j: 10) t[i, j] = x[i, j] * f32(i * 10 + j) - 0.5;\n"
    "    for (i: 10, j: 6) y[i, j] = max(t[j, i], t[5 - j, 9 - i]) / 3.0;\n"
    "}\n";

/* What a thread is told and what it found. */
typedef struct job {
    const char *source; /* expected; NULL: this is the first */
    const float *y;
    char        own_source[8192];
    float       own_y[60];
    int         is_equal;
} job;

static void *run(void *argument)
{
    job *j = (job *)argument;
    int  k, round;
    j->is_equal = 1;
    for (round = 0; round < ROUNDS; round++) {
        irl_ctx    *a = irl_ctx_create(NULL), *b = irl_ctx_create(NULL); /* two contexts in turns */
        irl_func *f = irl_func_parse(a, program, sizeof program - 1, "a"),
                 *g = irl_func_parse(b, program, sizeof program - 1, "b");
        irl_module *m = irl_func_lower(f, &irl_target_opencl12),
                   *n = irl_func_lower(g, &irl_target_opencl12);
        const char *s = irl_ocl_source(m), *t = irl_ocl_source(n);
        float       x[60], y[60];
        for (k = 0; k < 60; k++) x[k] = (float)((k * 37) % 19) - 9.0f;
        memset(j->own_y, 0, sizeof j->own_y);
        memset(y, 0, sizeof y);
        j->is_equal &= m && n && irl_module_interpret(m, IRL_ARGS(x, j->own_y)) &&
                       irl_module_interpret(n, IRL_ARGS(x, y));
        j->is_equal &= s[0] && strcmp(s, t) == 0 && memcmp(y, j->own_y, sizeof y) == 0;
        if (s[0]) snprintf(j->own_source, sizeof j->own_source, "%s", s);
        if (j->source)
            j->is_equal &= strcmp(j->source, j->own_source) == 0 &&
                           memcmp(j->y, j->own_y, sizeof j->own_y) == 0;
        irl_ctx_destroy(b);
        irl_ctx_destroy(a);
    }
    return NULL;
}

int main(void)
{
    static job first, jobs[THREADS];
    pthread_t  threads[THREADS];
    int        k, started[THREADS];
    run(&first);
    CHECK(first.is_equal && first.own_source[0]);
    for (k = 0; k < THREADS; k++) {
        jobs[k].source = first.own_source;
        jobs[k].y = first.own_y;
        started[k] = pthread_create(&threads[k], NULL, run, &jobs[k]) == 0;
        CHECK(started[k]);
    }
    for (k = 0; k < THREADS; k++) {
        if (!started[k]) continue;
        pthread_join(threads[k], NULL);
        CHECK(jobs[k].is_equal);
    }
    return TEST_DONE();
}
