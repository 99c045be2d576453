#!/bin/bash
# Another compiler than the device's takes every source of test_emit: clang, as strictly OpenCL C 1.2.
. "$(dirname "$0")/common"

cc=$(command -v clang || ls /usr/bin/clang-[0-9]* 2> /dev/null | head -n 1)
[ -n "$cc" ] || skip "there is no clang"
make -s build/split/tests/test_emit || fail "test_emit does not build"
mkdir "$T/cl"
build/split/tests/test_emit --write "$T/cl" > "$T/out" || { tail -n 20 "$T/out"; fail "test_emit fails"; }
n=$(ls "$T/cl" | wc -l)
[ "$n" -gt 100 ] || fail "test_emit wrote only $n sources"
for f in "$T"/cl/*.cl; do
    "$cc" -x cl -cl-std=CL1.2 -target spir64 -Wall -Wextra -Wno-unused-parameter -Werror -fsyntax-only "$f" > "$T/log" 2>&1 ||
        { head -n 20 "$T/log"; cat "$f"; fail "clang does not take $(basename "$f")"; }
done
ok "$n sources"
