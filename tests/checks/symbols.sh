#!/bin/bash
# The implementation exports irl_* only, nothing with IRL_STATIC; the public part defines no other macros; and the
# library calls nothing that prints, exits or jumps.
. "$(dirname "$0")/common"
needs tcc clang++ CL/cl.h

units
# What is external is a matter of the text and not of who compiles it, but for C and C++: tcc, which is quick, shows every part
# in C, clang++ the whole in C++. What is called the sources' own objects show.
exports() { nm -g --defined-only "$1" | awk '{print $NF}'; }
for unit in "tcc core" "tcc emitter" "tcc runtime" "tcc single_runtime" "clang++ single_runtime"; do
    f=${unit#* } cc=${unit% *} flags="$INC -w"
    [ $cc = tcc ] || flags="$flags -std=c++11 -x c++"
    $cc $flags -c -o "$T/$f.o" "$T/$f.c" || fail "$f does not compile with $cc"
    leaked=$(exports "$T/$f.o" | grep -Ev '^irl_[a-z0-9]' | tr '\n' ' ')
    [ -z "$leaked" ] || fail "$f with $cc exports $leaked"
    n=$(exports "$T/$f.o" | wc -l)
    [ "$n" -gt 100 ] || fail "$f with $cc exports only $n functions"
    $cc $flags -DIRL_STATIC -c -o "$T/static.o" "$T/$f.c" || fail "$f does not compile with IRL_STATIC and $cc"
    leaked=$(exports "$T/static.o" | tr '\n' ' ')
    [ -z "$leaked" ] || fail "$f with IRL_STATIC and $cc exports $leaked"
done
make -s -j"$JOBS" lib || fail "the split sources do not build"
nm -u build/split/libirlayout.a | awk 'NF == 2 { print $NF }' | grep -v '^irl_' | sort -u > "$T/calls"
[ "$(wc -l < "$T/calls")" -gt 20 ] || fail "only $(wc -l < "$T/calls") functions are called"
calls=$(
    grep -E '^(v?f?printf|v?sn?printf|puts|fputs|fputc|putchar|fwrite|_?exit|_Exit|abort|__assert_fail|_?_?(sig)?setjmp|longjmp)(@|$)' "$T/calls")
# what a user asked for by naming a directory: built programs are written there, by this file alone
[ "$(nm -A -u build/split/libirlayout.a | awk -F: '/ fwrite$/ { print $2 }' | tr '\n' ' ')" = "runtime_binary.o " ] &&
    calls=$(printf '%s\n' "$calls" | grep -v '^fwrite$')
[ -z "$calls" ] || fail "the library calls $(echo $calls)"

printf '#include <stddef.h>\n#include <stdint.h>\n' > "$T/std.c"
for f in public public_ocl; do
    gcc -std=c99 $INC -dM -E "$T/std.c" | sort > "$T/before"
    gcc -std=c99 $INC -dM -E "$T/$f.c" | sort > "$T/after"
    grep -q 'define IRL_VERSION_MAJOR' "$T/after" || fail "$f.h is not read"
    leaked=$(comm -13 "$T/before" "$T/after" | awk '{sub(/\(.*/, "", $2); print $2}' | grep -vE '^(IRL|irl_)' | tr '\n' ' ')
    [ -z "$leaked" ] || fail "$f.h defines the macros $leaked"
done
ok "$n functions; without them: $(grep -vE '^(cl[A-Z]|_GLOBAL|__stack)' "$T/calls" | tr '\n' ' ')"
