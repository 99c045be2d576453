/* nest_pairs.h - two iterations of a random nest, and how they stand to one another. */
#ifndef IRL_TEST_NEST_PAIRS_H
#define IRL_TEST_NEST_PAIRS_H

#include "random_nests.h"

static int nest_side(int64_t a, int64_t b) { return a < b ? 1 : a == b ? 2 : 4; }

static int nest_same_cell(const nest *n, const nest_iteration *a, const nest_iteration *b)
{
    int k;
    for (k = 0; k < n->rank && a->cell[k] == b->cell[k]; k++) {}
    return k == n->rank;
}

#endif
