#!/bin/bash
# make test stays within its budget: 600 s of the processor with the build, 20 s for each program, as its last run left them.
. "$(dirname "$0")/common"

[ -s build/took/tests ] || skip "make test has not run here"
built=$(built)
[ "$(pace)" = 1 ] || skip "this machine takes $built s of the processor to build, where the budget counts on 60"
scale=$(awk -v built="$built" 'BEGIN { print (built > 60 ? built / 60 : 1) }') # of a machine that is somewhat slower
awk -v most="$scale" '$1 !~ /\.sh$/ && $2 > 20 * most { print $1 ": " $2 " s"; over = 1 } END { exit over }' build/took/tests || fail "a program needs more than 20 s of the processor: give it fewer cases where IRL_SLOW is set"
all=$(awk -v built="$built" '{ t += $2 } END { printf "%.0f", t + built }' build/took/tests)
awk -v all="$all" -v most="$scale" 'BEGIN { exit all > 600 * most }' || { sort -k2 -rn build/took/tests | head -n 20; fail "make test needs $all s of the processor, $built of them to build"; }
ok "$all s of the processor, $built of them to build; at most $(sort -k2 -rn build/took/tests | sed -n '1s/\([^ ]*\) \(.*\)/\2 in \1/p')"
