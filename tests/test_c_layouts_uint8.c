/* test_c_layouts_uint8.c - c_layouts.h where irl_index is uint8_t; the library may be compiled for
 * another. */
#define IRL_INDEX_TYPE uint8_t
#include "c_layouts.h"

int main(void)
{
    test_lines(17, 8);
    return TEST_DONE();
}
