#!/bin/bash
# The example of a build step works: headers that irlc emits, included by a program, by make and by CMake.
. "$(dirname "$0")/common"

make -s irlc || fail "irlc does not build"
irlc=$PWD/build/irlc
make -s -C examples/build_step OUT="$T/make" IRLC="$irlc" || fail "make does not build it"
"$T/make/main" > "$T/out" || fail "what make built fails"
diff examples/build_step/main.out "$T/out" || fail "it prints something else than main.out"
if command -v cmake > /dev/null; then
    cmake -S examples/build_step -B "$T/cmake" -DIRLC="$irlc" > "$T/log" 2>&1 && cmake --build "$T/cmake" >> "$T/log" 2>&1 ||
        { tail -n 20 "$T/log"; fail "CMake does not build it"; }
    "$T/cmake/main" | diff examples/build_step/main.out - || fail "what CMake built prints something else"
    ok "by make and by CMake"
fi
ok "by make; there is no cmake"
