#!/bin/bash
# The programs of make test pass with all of their cases, of which it runs a third, and with emitted C by each compiler; those
# that run kernels pass with half of their cases; on a device some more seeds give the same numbers as the interpreter. On a
# machine that is much slower, the seeds on a device are all.
. "$(dirname "$0")/common"

make -s -j"$JOBS" programs || fail "the tests do not build"
n=0
export POCL_CACHE_DIR=$T/cache
more() { # PROGRAM FIRST COUNT
    [ -x build/split/tests/$1 ] || return
    build/split/tests/$1 "$2" "$3" > "$T/out" 2>&1 < /dev/null || { tail -n 60 "$T/out"; fail "$1 $2 $3: exit status $?"; }
    ! grep -q '^skipped' "$T/out" || return
    echo "$1 $2 $3: $(tail -n 1 "$T/out")"
    n=$((n + $3))
}
more ocl_lanes 11 10
more ocl_lanes 10006 5
more ocl_generated 101 50
pace=$(pace)
[ "$pace" = 1 ] || ok "$n more seeds on a device; this machine is $pace times slower, so a third of the other cases, which make test runs, is all"

# those whose own files, or the headers of tests that they include, ask how much to run
asking=
for p in build/split/tests/*.o.d; do
    name=$(basename "$p" .o.d)
    case $name in isl_*) continue ;; esac
    own=$(tr ' ' '\n' < "$p" | grep -E '^tests/[a-z0-9_]+\.[ch]$' | grep -v '^tests/test\.h$' | sort -u)
    ! grep -qE 'TEST_COUNT|TEST_TENTH|IRL_SLOW' $own || asking="$asking build/split/tests/$name"
done
[ "$(wc -w <<< "$asking")" -gt 60 ] || fail "few programs ask how much to run:$asking"
[ ! -d build/kernels ] || cp -r build/kernels "$T/kernels"
CACHE=$T/kernels bash tests/run.sh $(tr ' ' '\n' <<< "$asking" | grep -v '/ocl_') > "$T/log" &&
    CACHE=$T/kernels IRL_SLOW=2 bash tests/run.sh $(tr ' ' '\n' <<< "$asking" | grep '/ocl_') > "$T/devices" || {
    cat "$T/log" "$T/devices"
    fail "tests do not pass with all of their cases"
}
cat "$T/log" "$T/devices"
ok "$(wc -w <<< "$asking") programs, $(tail -n 1 "$T/log"), on a device $(tail -n 1 "$T/devices"); $n more seeds"
