#!/bin/bash
# By how much an index grows along a loop is answered by arith/affine.c alone: no other file puts
# v + 1 for a variable, or compares values at sample points, but those named here with their reason.
. "$(dirname "$0")/common"

steps='src/arith/affine.c
src/analysis/kernel.c
src/map/growth.c'
# kernel.c: the iteration after a barrier is v + 1; growth.c: the other inputs change as well
found=$(grep -lE 'irl__add\([^;]*var[^;]*irl_expr_(index|int)\([^;]*\b1\)\)' src/*/*.c)
for f in $found; do
    grep -qxF "$f" <<< "$steps" || fail "$f puts v + 1 for a variable; irl__step_along answers that"
done

# the automatic scheduler looks at sample iterations, in the files of its own point
for f in $(grep -lE 'irl__auto_point_at\(' src/*/*.c); do
    case $f in
    src/schedule/auto_nest.c) ;;
    *) fail "$f looks at sample points" ;;
    esac
done
ok "v + 1 in $(wc -w <<< "$found") files"
