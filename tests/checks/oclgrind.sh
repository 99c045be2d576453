#!/bin/bash
# The kernels touch no memory out of range and race nowhere: tests/ocl_*.c that know IRL_OCLGRIND run under Oclgrind.
. "$(dirname "$0")/common"
needs oclgrind CL/cl.h

make -s -j"$JOBS" programs || fail "the tests do not build"
n=0
for f in $(grep -l 'getenv("IRL_OCLGRIND")' tests/ocl_*.c 2> /dev/null); do
    name=$(basename "$f" .c)
    IRL_OCLGRIND=1 timeout "${LIMIT:-600}" oclgrind --data-races --log "$T/report" "build/split/tests/$name" > "$T/out" 2>&1 < /dev/null ||
        { tail -n 20 "$T/out"; fail "$name: exit status $?"; }
    tail -n 1 "$T/out"
    [ ! -s "$T/report" ] || { head -n 30 "$T/report"; fail "$name: Oclgrind reports"; }
    n=$((n + 1))
done
ok "$n programs"
