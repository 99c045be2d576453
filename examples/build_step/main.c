/* main.c - a program that uses code that its build step emitted: the functions of a layout, and a
   kernel whose arguments are checked. The program does not need irlayout. To build it, run one of
   these in this folder; both call irlc (IRLC=path/to/irlc):

       make
       cmake -B build && cmake --build build */
#define SCALE_IMPLEMENTATION
#include "scale.h"
#include "weights.h"
#include <stdio.h>

static irl_dltensor tensor(float *data, int64_t *shape)
{
    irl_dltensor t = { 0 };
    t.data = data;
    t.device.device_type = 1; /* the CPU */
    t.ndim = 2;
    t.dtype.code = 2; /* f32 */
    t.dtype.bits = 32;
    t.dtype.lanes = 1;
    t.shape = shape;
    return t;
}

int main(void)
{
    static float  plain[weights_points], packed[weights_cells];
    float         x[3 * 8], y[3 * 8];
    int64_t       shape[2] = { 3, 8 }, wrong[2] = { 4, 8 };
    irl_dltensor  from = tensor(x, shape), to = tensor(y, shape);
    irl_packed    arguments[4] = { { 0 } };
    irl_refusal   refusal;
    int           k;

    /* a weight of 8 output channels, 3 input channels, 3 by 3, in blocks of 4 output channels */
    for (k = 0; k < (int)weights_points; k++) plain[k] = (float)k;
    weights_pack(plain, packed);
    printf("w[5, 2, 1, 0] is %g, and is in cell %d\n",
           (double)packed[weights_place(5, 2, 1, 0)], (int)weights_place(5, 2, 1, 0));

    /* DLPack's tensors: checked, then run */
    for (k = 0; k < 24; k++) x[k] = (float)k;
    arguments[0].kind = 1;
    arguments[0].value.integer = 3;
    arguments[1].kind = 2;
    arguments[1].value.number = 0.5;
    arguments[2].kind = arguments[3].kind = 3;
    arguments[2].value.tensor = &from;
    arguments[3].value.tensor = &to;
    if (scale_checked(4, arguments, &refusal) == 0) printf("y[2, 7] is %g\n", (double)y[23]);
    to.shape = wrong;
    if (scale_checked(4, arguments, &refusal) != 0) printf("refused: %s\n", refusal.message);
    to.shape = shape;
    to.data = x + 4;
    if (scale_checked(4, arguments, &refusal) != 0) printf("refused: %s\n", refusal.message);
    return 0;
}
