#!/bin/bash
# The tests pass on the code of the single header. It is compiled once, with its private functions visible, and linked to every
# test (the tcc check compiles tests that include it whole), strictly and with the optimizer, which some warnings need.
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
make -C $S -s -j"$JOBS" SRC= B=bin TEST_OPT=-O0 LDFLAGS=-lOpenCL programs || fail "the tests do not build on the single header"
kernels
CACHE=$T/kernels IRL_SLOW=40 bash tests/run.sh $(find $S/bin/tests -type f -perm -u+x | sort) > "$T/log" || { cat "$T/log"; fail "tests on the single header do not pass"; }
ok "$(tail -n 1 "$T/log")"
