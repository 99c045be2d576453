/* test_c_layouts_uint32.c - c_layouts.h where irl_index is uint32_t; the library may be compiled
 * for another. */
#define IRL_INDEX_TYPE uint32_t
#include "c_layouts.h"

int main(void)
{
    test_lines(11, 0);
    return TEST_DONE();
}
