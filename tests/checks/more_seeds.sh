#!/bin/bash
# More generated functions give the same numbers on a device as in the interpreter: seeds for which make test has no time.
. "$(dirname "$0")/common"
needs CL/cl.h

make -s -j"$JOBS" programs || fail "the tests do not build"
export POCL_CACHE_DIR=$T/cache
n=0
more() { # PROGRAM FIRST COUNT
    build/split/tests/$1 "$2" "$3" > "$T/out" 2>&1 < /dev/null || { tail -n 60 "$T/out"; fail "$1 $2 $3: exit status $?"; }
    ! grep -q '^skipped' "$T/out" || skip "$(sed -n 's/^skipped: //p' "$T/out" | head -n 1)"
    echo "$1 $2 $3: $(tail -n 1 "$T/out")"
    n=$((n + $3))
}
more ocl_lanes 11 10
more ocl_lanes 10006 5
more ocl_generated 101 50
ok "$n seeds"
