#!/bin/sh
# Instructions of one step of a schedule on one nest, by callgrind, in functions of 10 to MOST units (10,000; three nests each).
#   bench/steps.sh [MOST]
# The counts are the same on every run of one machine and compiler; needs valgrind and gcc.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -std=c99 -O2 -I. -I/usr/include/stb bench/steps.c -lm -o "$work/steps"
count() { # STEP COUNT NESTS
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/steps" "$1" "$2" "$3" 2>&1 | sed -n 's/.*Collected : //p'
}
for step in $("$work/steps"); do
    printf '%-16s' "$step"
    for nests in 10 100 1000 10000; do
        [ "$nests" -le "${1:-10000}" ] || break
        printf ' %12d' $(( ($(count "$step" 6 "$nests") - $(count "$step" 1 "$nests")) / 5 ))
    done
    echo
done
