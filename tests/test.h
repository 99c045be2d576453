/* test.h - what every test program needs: CHECK counts, CHECK_CODE compares a context's diagnostic,
   TEST_DONE reports. */
#ifndef IRL_TEST_H
#define IRL_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* skipped: what the machine at hand cannot run, counted by the program */
static int test_passed, test_failed, test_skipped;

static int test_check(int ok, const char *what, const char *file, int line)
{
    if (ok) test_passed++;
    else if (++test_failed <= 50) printf("%s:%d: check failed: %s\n", file, line, what);
    return ok;
}

/* 1 if the context's first failure has this code; shows the diagnostic if it has another. */
static int test_code(const irl_ctx *cx, irl_code code, const char *file, int line)
{
    const irl_diag *d = irl_diag_of(cx);
    irl_code        found = d ? d->code : IRL_OK;
    if (found != code)
        printf("%s:%d: expected %s, found %s\n%s\n", file, line, irl_code_name(code),
               irl_code_name(found), irl_diag_text(cx));
    return test_check(found == code, "the diagnostic", file, line);
}

/* Something could not be tested here, and why: counted, and shown beside the program's name. */
static void test_skip(const char *why)
{
    test_skipped++;
    printf("skipped: %s\n", why);
}

/* A context whose irl_ocl_create gave nothing: the test is skipped if the reason is that there is
   no device, and fails if it is another. */
static void test_no_device(const irl_ctx *cx, const char *file, int line)
{
    if (irl_diag_of(cx) && irl_diag_of(cx)->code == IRL_ERROR_NO_DEVICE)
        test_skip(irl_diag_text(cx));
    else test_code(cx, IRL_ERROR_NO_DEVICE, file, line);
}

#define CHECK(condition) test_check(!!(condition), #condition, __FILE__, __LINE__)
#define CHECK_CODE(cx, code) test_code((cx), (code), __FILE__, __LINE__)
#define TEST_SKIP(why) test_skip(why)
#define TEST_NO_DEVICE(cx) test_no_device((cx), __FILE__, __LINE__)
#define CHECK_OK(cx) test_code((cx), IRL_OK, __FILE__, __LINE__)

/* A small generator of numbers, the same on every machine. */
static unsigned long test_seed = 1;
static unsigned test_random(void)
{
    test_seed = (test_seed * 1103515245ul + 12345ul) & 0x7ffffffful;
    return (unsigned)(test_seed >> 8) & 0xffffu;
}
static int test_random_below(int n)
{
    unsigned high = test_random(); /* in this order everywhere */
    return (int)((high << 8 ^ test_random()) % (unsigned)n);
}
#define TEST_RANDOM(n) test_random_below(n)

/* How many of n cases to run: in `make soak` a hundred times n; with IRL_SLOW=k a k-th of them,
   where 1 means a tenth. TEST_TENTH runs at least a tenth: the test looks at shares of its
   cases. */
static int test_count(int n, int most)
{
    const char *slow = getenv("IRL_SLOW");
    int         part = slow ? atoi(slow) : 1;
    if (getenv("IRL_SOAK")) return n * 100;
    if (slow && part < 2) part = 10;
    if (part > most) part = most;
    return (n + part - 1) / part;
}
#define TEST_COUNT(n) test_count((n), 1000)
#define TEST_TENTH(n) test_count((n), 10)

/* Said by a program whose cases have numbers of their own: `make soak` shows it. */
static void test_seeds(unsigned long first, int count)
{
    printf("seeds %lu to %lu\n", first, first + (unsigned long)count - 1);
}

/* Whether a function that is no kernel goes through pass k: for opencl12, with those for kernels
   that want no target. */
#define TEST_PASS(k) \
    (irl_pass_runs((k), &irl_target_opencl12, NULL) && \
     (irl_pass_level_of(k) == IRL_PASS_FUNC || \
      (irl_pass_level_of(k) == IRL_PASS_KERNEL && irl_pass_is_optional(k))))

/* The last line of a test program, and the status to return from main. */
static int test_done(void)
{
    /* not every program uses all */
    (void)test_check, (void)test_code, (void)test_skip, (void)test_no_device, (void)test_count,
        (void)test_random_below, (void)test_seeds;
    if (test_skipped)
        printf("%d passed, %d failed, %d skipped\n", test_passed, test_failed, test_skipped);
    else printf("%d passed, %d failed\n", test_passed, test_failed);
    return test_failed != 0;
}
#define TEST_DONE() test_done()

#endif
