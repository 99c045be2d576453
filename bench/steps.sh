#!/bin/sh
# Instructions of one step of a schedule on one nest, by callgrind, in functions of 10 to MOST units (10,000; one to three nests each), and
# those in the largest by those in the smallest.
#   bench/steps.sh [MOST [STEP...]]
# The counts are the same on every run of one machine and compiler; needs valgrind and gcc.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -std=c99 -O2 -I. -I/usr/include/stb bench/steps.c -lm -o "$work/steps"
most=${1:-10000}
[ $# -eq 0 ] || shift
count() { # STEP COUNT UNITS
    valgrind --tool=callgrind --callgrind-out-file="$work/counts" "$work/steps" "$1" "$2" "$3" 2>&1 | sed -n 's/.*Collected : //p'
}
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else "$work/steps"; fi | while read -r step; do
    printf '%-30s' "$step"
    first=
    for units in 10 100 1000 10000; do
        [ "$units" -le "$most" ] || break
        one=$(( ($(count "$step" 6 "$units") - $(count "$step" 1 "$units")) / 5 ))
        printf ' %10d' "$one"
        first=${first:-$one}
    done
    awk "BEGIN { printf \"  %.2f\\n\", $one / $first }"
done
