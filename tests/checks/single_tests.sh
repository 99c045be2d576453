#!/bin/bash
# Tests pass on the code of the single header. It is compiled once, with its private functions visible, strictly and with the
# optimizer, which some warnings need, and linked to tests of every room: its text is that of the sources (the check `single`),
# so that what may differ is what one translation unit makes of it. (The tcc check compiles tests that include it whole.)
. "$(dirname "$0")/common"
needs CL/cl.h

# a tree that looks like this one, except that irlayout.h is the single header
S=build/single
mkdir -p $S/bin && rm -rf $S/tests && cp -pr tests $S/tests && cp -p Makefile $S/
for f in single_include/*.h; do cmp -s "$f" "$S/${f##*/}" || cp "$f" $S/; done
for d in src examples tools docs bench; do ln -sfn "../../$d" $S/$d; done
if [ ! -f $S/bin/libirlayout.a ] || [ $S/irlayout.h -nt $S/bin/libirlayout.a ] || [ $S/irlayout_ocl.h -nt $S/bin/libirlayout.a ]; then
    printf '#define IRLAYOUT_IMPLEMENTATION\n#define IRLAYOUT_OCL_RUNTIME\n#include "../irlayout_ocl.h"\n' > $S/bin/all.c
    gcc $STRICT -g -O2 -DIRL_SPLIT_BUILD $INC -c -o $S/bin/all.o $S/bin/all.c || fail "the single header does not compile"
    rm -f $S/bin/libirlayout.a && ar rcs $S/bin/libirlayout.a $S/bin/all.o
fi
tests="test_text test_map test_arith test_dependence test_schedule test_schedule_random test_lowering test_vectors test_interpreter
    test_plan test_graph test_emit test_c test_records test_dma test_pictures test_glsl test_user_passes test_work ocl_run ocl_textures
    ocl_graphs ocl_share_arrays"
tests=$(printf 'bin/tests/%s ' $tests)
make -C $S -s -j"$JOBS" SRC= B=bin TEST_OPT=-O0 LDFLAGS=-lOpenCL $tests || fail "the tests do not build on the single header"
kernels
CACHE=$T/kernels IRL_SLOW=40 bash tests/run.sh $(printf "$S/%s " $tests) > "$T/log" || { cat "$T/log"; fail "tests on the single header do not pass"; }
ok "$(tail -n 1 "$T/log")"
