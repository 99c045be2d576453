#!/bin/sh
# place.sh - instructions of layouts' place functions, emitted and by hand (small_machines_hand.h), by gcc and clang at -O2 on this machine.
#
#   usage  sh bench/place.sh          fails where all of a compiler's emitted ones together are more than 1.1 times those by hand
#   needs  objdump; build/bench/small_machines, which writes the functions
# A compiler that is not there is left out. Padding between functions does not count.
set -e
[ -x build/bench/small_machines ] || make -s build/bench/small_machines
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
TMPDIR=$T build/bench/small_machines --write "$T"
status=0
for c in gcc clang; do
    command -v $c > /dev/null || continue
    for f in functions hand; do
        $c -std=c99 -O2 -w -c -o "$T/$f.o" "$T/$f.c"
        objdump -d --no-show-raw-insn "$T/$f.o"
    done | awk -v c=$c '
        /^[0-9a-f]+ <.*_place>:/ { split($2, n, /[<>]/); at = n[2]; next }
        /^[0-9a-f]+ </ { at = ""; next }
        at != "" && /^ +[0-9a-f]+:/ && !/nop|xchg +%ax,%ax|int3/ { count[at]++ }
        END {
            for (k in count) if (k ~ /^emitted_/) {
                name = substr(k, 9); hand = count["hand_" name]
                printf "%-6s %-18s %3d, by hand %3d\n", c, name, count[k], hand
                e += count[k]; h += hand
            }
            printf "%-6s %-18s %3d, by hand %3d: %.2f\n", c, "all", e, h, e / h
            exit e > 1.1 * h
        }' || status=1
done
exit $status
