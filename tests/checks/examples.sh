#!/bin/bash
# Every example builds alone and runs; where examples/NAME.out exists, it prints exactly that.
. "$(dirname "$0")/common"
needs CL/cl.h

make -s -j"$JOBS" examples || fail "the examples do not build"
export POCL_CACHE_DIR=$T/cache
n=0
for f in examples/*.c; do
    [ -f "$f" ] || continue
    name=$(basename "$f" .c)
    timeout 120 "build/examples/$name" > "$T/out" 2> "$T/err" < /dev/null || { tail -n 20 "$T/out" "$T/err"; fail "$name: exit status $?"; }
    [ -s "$T/out" ] || fail "$name prints nothing"
    if [ -f "examples/$name.out" ]; then
        diff "examples/$name.out" "$T/out" > "$T/diff" || { head -n 40 "$T/diff"; fail "$name prints something else than $name.out"; }
    fi
    n=$((n + 1))
done
ok "$n examples"
