#!/bin/bash
# The implementation exports irl_* only, nothing with IRL_STATIC; the public part defines no other macros; and the
# library calls nothing that prints, exits or jumps.
. "$(dirname "$0")/common"
needs clang g++ clang++ CL/cl.h

units
std="-std=c99 $INC"
for f in core emitter runtime single_runtime; do
    for cc in gcc clang "g++ -std=c++11 -x c++" "clang++ -std=c++11 -x c++"; do
        case $cc in *++*) flags=$INC ;; *) flags=$std ;; esac
        $cc $flags -w -c -o "$T/o" "$T/$f.c" || fail "$f does not compile with $cc"
        leaked=$(nm -g --defined-only "$T/o" | awk '{print $NF}' | grep -Ev '^irl_[a-z0-9]' | tr '\n' ' ')
        [ -z "$leaked" ] || fail "$f with $cc exports $leaked"
        n=$(nm -g --defined-only "$T/o" | wc -l)
        $cc $flags -w -DIRL_STATIC -c -o "$T/o.static" "$T/$f.c" || fail "$f does not compile with IRL_STATIC and $cc"
        leaked=$(nm -g --defined-only "$T/o.static" | awk '{print $NF}' | tr '\n' ' ')
        [ -z "$leaked" ] || fail "$f with IRL_STATIC and $cc exports $leaked"
    done
    calls=$(nm -u "$T/o" | awk '{print $NF}' |
        grep -E '^(v?f?printf|v?sn?printf|puts|fputs|fputc|putchar|fwrite|_?exit|_Exit|abort|__assert_fail|_?_?(sig)?setjmp|longjmp)(@|$)')
    [ -z "$calls" ] || fail "$f calls $(echo $calls)"
done

printf '#include <stddef.h>\n#include <stdint.h>\n' > "$T/std.c"
for f in public public_ocl; do
    gcc $std -dM -E "$T/std.c" | sort > "$T/before"
    gcc $std -dM -E "$T/$f.c" | sort > "$T/after"
    leaked=$(comm -13 "$T/before" "$T/after" | awk '{sub(/\(.*/, "", $2); print $2}' | grep -vE '^(IRL|irl_)' | tr '\n' ' ')
    [ -z "$leaked" ] || fail "$f.h defines the macros $leaked"
done
ok "$n functions; without them: $(nm -u "$T/o" | awk '{print $NF}' | grep -vE '^(cl[A-Z]|_GLOBAL|__stack)' | tr '\n' ' ')"
