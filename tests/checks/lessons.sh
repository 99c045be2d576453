#!/bin/bash
# Each example says at its head how it is compiled; as a single file tcc does it in less than half a second, and gcc's times are said
# (of the processor, for the machine may be busy).
. "$(dirname "$0")/common"
needs tcc CL/cl.h python3

# no lesson uses what none before it introduces: its head names what is new in it
python3 scripts/lessons.py || fail "heads of lessons are not current: python3 scripts/lessons.py --update"

TIMEFORMAT=%U
is() { awk "BEGIN { exit !($1) }"; }
slowest=0 slow_gcc=0 n=0
for f in examples/*.c; do
    grep -qF "cc -I. -I/usr/include/stb $f" <(head -n 12 "$f") || fail "$f does not say at its head how it is compiled"
    took=$({ time tcc $INC -c -o "$T/o" "$f" 2> "$T/err"; } 2>&1 | tail -n 1) || fail "$f does not compile with tcc"
    [ -f "$T/o" ] || { cat "$T/err"; fail "$f does not compile with tcc"; }
    rm -f "$T/o"
    ! is "$took > $slowest" || slowest=$took which=$f
    # against an object of the implementation: the public part alone
    sed -E 's/^#define IRLAYOUT_(IMPLEMENTATION|OCL_RUNTIME)$//; s/^#define IRL_STATIC$//' "$f" > "$T/public.c"
    took=$({ time gcc -std=c99 $INC -Iexamples -c -o "$T/p" "$T/public.c" 2> "$T/err"; } 2>&1 | tail -n 1)
    ! is "$took > $slow_gcc" || slow_gcc=$took
    n=$((n + 1))
done
is "$slowest < 0.5" || fail "tcc takes $slowest s for $which"
is "$slow_gcc < 1" || fail "gcc takes $slow_gcc s against an object of the implementation"
ok "$n lessons; tcc at most $slowest s each, gcc at most $slow_gcc s against an object"
