/* bench.h - what the benchmarks share: a clock, the minimum of many, gates.

   A figure is the minimum of many runs: on a shared machine that is the one number that repeats.
   Rivals are interleaved, so that a slow minute slows all of them. Every benchmark measures one
   thing twice (A/A) and prints the ratio: what differs by less than that ratio differs from 1 is
   noise. */
#ifndef IRL_BENCH_H
#define IRL_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int bench_missed; /* gates that were not reached */

/* Wall time, or CPU time for what runs longer than a time slice, where wall time would count the
   neighbours. */
static clockid_t bench_clock = CLOCK_MONOTONIC;

static double bench_now(void) /* seconds */
{
    struct timespec t;
    clock_gettime(bench_clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench_least(double *least, double value)
{
    if (*least == 0 || value < *least) *least = value;
}

/* Says whether a gate is reached; a goal is printed and not counted. */
static void bench_gate(const char *what, int reached, double value, const char *unit,
                       const char *limit, int is_goal)
{
    printf("  %-4s %-52s %8.2f %s (%s %s)\n", is_goal ? "goal" : "gate", what, value, unit, limit,
           reached ? "ok" : "MISSED");
    bench_missed += !reached && !is_goal;
}

static int bench_done(void)
{
    if (bench_missed) printf("%d gates missed\n", bench_missed);
    return bench_missed != 0;
}

#endif
