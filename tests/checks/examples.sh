#!/bin/bash
# Every example builds and runs; where examples/NAME.out exists, it prints exactly that. The library is in each of them (the
# checks programs and warnings compile them as they stand): here it is linked to those that ask it for nothing special.
. "$(dirname "$0")/common"
needs CL/cl.h

make -s -j"$JOBS" lib || fail "the split sources do not build"
export POCL_CACHE_DIR=$T/cache
n=0
for f in examples/*.c; do
    [ -f "$f" ] || continue
    name=$(basename "$f" .c)
    library='build/split/libirlayout.a -lOpenCL'
    { echo "#line 1 \"$f\""; sed -E 's/^#define IRLAYOUT_(IMPLEMENTATION|OCL_RUNTIME)$//' "$f"; } > "$T/$name.c"
    ! grep -qE '^#define (IRL_|IRLAYOUT_)' "$T/$name.c" || { cp "$f" "$T/"; library=; }
    define=$(grep -o '^#define IRLAYOUT_OCL_RUNTIME' "$f" | sed 's/#define /-D/')
    gcc -std=c99 $INC -Iexamples $define -o "$T/example" "$T/$name.c" $library -lm || fail "$name does not build"
    timeout 120 "$T/example" > "$T/out" 2> "$T/err" < /dev/null || { tail -n 20 "$T/out" "$T/err"; fail "$name: exit status $?"; }
    [ -s "$T/out" ] || fail "$name prints nothing"
    # the demo fits one screen, compares on each device or without one, and its times are not the same twice
    case $name in *demo*) [ "$(grep -c '^EQUAL  0 of' "$T/out")" = 2 ] && [ "$(wc -l < "$T/out")" -le 40 ] ||
        { cat "$T/out"; fail "$name: two comparisons in at most 40 lines are wanted"; } ;; esac
    if [ -f "examples/$name.out" ]; then
        diff "examples/$name.out" "$T/out" > "$T/diff" || { head -n 40 "$T/diff"; fail "$name prints something else than $name.out"; }
    fi
    n=$((n + 1))
done
ok "$n examples"
