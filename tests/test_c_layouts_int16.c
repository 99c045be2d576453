/* test_c_layouts_int16.c - c_layouts.h where irl_index is int16_t; the library may be compiled for
 * another. */
#define IRL_INDEX_TYPE int16_t
#include "c_layouts.h"

int main(void)
{
    test_lines(6, 4);
    return TEST_DONE();
}
