/* host_words.h - names that C for a host of OpenCL has taken beside C's own: IRL_HOST_WORDS(first,
   "word word ..."), one row per first letter.

   What CL/cl.h declares. `word*` is everything that starts so. Re-includable; undefines its
   macro. */
/* re-includable table */
IRL_HOST_WORDS('C', "CL_*")
IRL_HOST_WORDS('c', "cl_* clBuild* clCompile* clCreate* clEnqueue* clFinish clFlush clGet* "
                    "clLink* clRelease* clRetain* clSet* clSVM* clUnload* clWait*")
#undef IRL_HOST_WORDS
