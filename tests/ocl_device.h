/* ocl_device.h - the device that the tests of OpenCL run on.

   needs     irlayout_ocl.h (in the split build src/ocl/runtime.h) before it
   promises  kernels are built with the options of IRL_CL_OPTIONS, "-cl-opt-disable" for instance:
             of generated modules most of the time goes into a device compiler's optimizer, and
             what is looked for may not depend on it */
#ifndef IRL_OCL_DEVICE_H
#define IRL_OCL_DEVICE_H

#include <stdlib.h>
#include <string.h>

/* What a program builds with where IRL_CL_OPTIONS is not set. */
#ifndef DEVICE_OPTIONS
#define DEVICE_OPTIONS NULL
#endif

/* A description with nothing in it but the options that kernels are built with. */
static irl_ocl_desc device_desc(void)
{
    irl_ocl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.build_options = getenv("IRL_CL_OPTIONS");
    if (!desc.build_options) desc.build_options = DEVICE_OPTIONS;
    /* Oclgrind's optimizer makes intrinsics that it does not know */
    if (getenv("IRL_OCLGRIND")) desc.build_options = "-cl-opt-disable";
    return desc;
}

static irl_ocl *device_open(irl_ctx *cx)
{
    irl_ocl_desc desc = device_desc();
    return irl_ocl_create(cx, &desc);
}

#endif
