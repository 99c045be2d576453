/* random64.h - numbers for the large counts: a period that a soak run does not see the end of, the
   same on every machine. */
#ifndef IRL_TEST_RANDOM64_H
#define IRL_TEST_RANDOM64_H

#include <stdint.h>
#include <stdlib.h>

static uint64_t random64_state = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t random64(void)
{
    random64_state ^= random64_state >> 12;
    random64_state ^= random64_state << 25;
    random64_state ^= random64_state >> 27;
    return random64_state * UINT64_C(2685821657736338717);
}

/* Another sequence for each number. The state stays odd: from 0 nothing but 0 comes. */
static inline void random64_seed(const char *number)
{
    int k;
    random64_state ^= (uint64_t)strtoull(number, NULL, 10) << 1;
    for (k = 0; k < 64; k++) (void)random64(); /* so that neighbours part */
}

/* 0 .. n-1 */
static int random_below(int n) { return (int)((random64() >> 33) % (uint64_t)n); }

#endif
