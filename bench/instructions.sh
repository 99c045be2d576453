#!/bin/sh
# Instructions of the compiler's jobs, by callgrind, for this tree or beside another one.
#   bench/instructions.sh [OTHER TREE]      of each job: millions of instructions for a repeat, other, this, their ratio
# The counts are the same on every run of one machine and compiler; needs valgrind and gcc.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count() { # PROGRAM JOB REPEATS
    valgrind --tool=callgrind --callgrind-out-file="$work/counts" "$1" "$2" "$3" 2>&1 | sed -n 's/.*Collected : //p'
}
each() { # PROGRAM JOB
    echo $(( ($(count "$1" "$2" 21) - $(count "$1" "$2" 1)) / 20 ))
}
build() { # TREE PROGRAM
    gcc -std=c99 -O2 -I"$1" -I/usr/include/stb bench/instructions.c -lm -o "$2"
}
build . "$work/this"
[ $# = 0 ] || build "$1" "$work/other"
for job in $("$work/this"); do
    this=$(each "$work/this" "$job")
    if [ $# = 0 ]; then printf '%-14s %12d\n' "$job" "$this"; continue; fi
    other=$(each "$work/other" "$job")
    printf '%-14s %12d %12d  %s\n' "$job" "$other" "$this" "$(awk "BEGIN { printf \"%.3f\", $this / $other }")"
done
