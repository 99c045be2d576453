/* library.c - the implementation of irlayout, compiled once for all files of irlc. Without OpenCL
   there is no runtime in it. */
#define IRLAYOUT_IMPLEMENTATION
#ifndef IRLC_NO_OPENCL
#define IRLAYOUT_OCL_RUNTIME
#endif
#include "../../irlayout_ocl.h"
