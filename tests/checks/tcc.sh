#!/bin/bash
# tcc builds both headers and the single header, irlc by make, and every test with the single header in it; the tests that need no
# device pass.
. "$(dirname "$0")/common"
needs tcc CL/cl.h

units
# (never tcc -o /dev/null: it unlinks its output first, and as root that takes the device away)
for f in "$T"/*.c; do
    case $f in *runtime.c) werror= ;; *) werror=-Werror ;; esac # the OpenCL headers have a #warning for tcc
    tcc -Wall $werror $INC -c -o "$T/o" "$f" || fail "tcc does not build $(basename "$f")"
done
# the Makefile asks tcc for nothing that it does not have; what was built is built again when a header changes
mkdir "$T/make" && cp -pr Makefile irlayout.h irlayout_ocl.h src tools examples "$T/make/"
make -s -C "$T/make" CC=tcc irlc build/examples/01_layout > "$T/log" 2>&1 || { cat "$T/log"; fail "make CC=tcc irlc"; }
"$T/make/build/irlc" check '(i, j) -> (j, i)' 4,5 > "$T/log" 2>&1 || { cat "$T/log"; fail "irlc built by tcc does not run"; }
"$T/make/build/examples/01_layout" | diff - examples/01_layout.out || fail "an example built by tcc says something else"
touch "$T/make/tools/irlc/irlc.h"
! make -q -C "$T/make" CC=tcc irlc || fail "make CC=tcc does not see that a header changed"
# a tree that looks like this one, except that irlayout.h is the single header
mkdir -p "$T/bin" "$T/tree" && cp -pr tests "$T/tree/" && cp -p single_include/*.h "$T/tree/"
for d in src examples tools docs bench; do ln -s "$PWD/$d" "$T/tree/$d"; done
for f in tests/test_*.c; do
    tcc -Wall $INC -o "$T/bin/$(basename "$f" .c)" "$T/tree/$f" -lm -lpthread || fail "tcc does not build $f"
done
IRL_SLOW=40 bash tests/run.sh "$T"/bin/* > "$T/log" || { cat "$T/log"; fail "tests built with tcc do not pass"; }
ok "$(tail -n 1 "$T/log")"
