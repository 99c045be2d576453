#!/bin/bash
# How long the public part and the implementation take to compile at -O0, in units of a plain text of 2,000 functions
# that the same machine compiles (bounds are generous: against runaway growth, not against a slow machine). With warnings
# gcc takes at most half as long again, and still reports one that is in the implementation.
. "$(dirname "$0")/common"
needs CL/cl.h

units
sed 's/^#include/#define IRLAYOUT_MAPS_ONLY\n&/' "$T/core.c" > "$T/maps.c"
: > "$T/empty.c"
for n in $(seq 2000); do
    echo "long unit_$n(const long *x, long n) { long sum = 0, i; for (i = 0; i < n; i++) { sum += x[i] * $n;"
    echo "    if (sum % 7 == i) sum -= x[n - 1 - i]; else sum ^= (x[i] >> 3) + (sum << 1); } return sum; }"
done > "$T/unit.c"
ms() { # FILE TIMES [FLAG..]: the least of some times of compiling it: of the processor, since others may be at work too
    local file=$1 times=$2 best=999999 t
    shift 2
    for _ in $(seq "$times"); do
        t=$({ TIMEFORMAT='%U %S'; time gcc -std=c99 -O0 "$@" $INC -c -o "$T/o" "$T/$file.c"; } 2>&1 | awk '{printf "%d", ($1 + $2) * 1000}')
        [ "$t" -ge $best ] || best=$t
    done
    echo $best
}
for f in public maps single_public single_runtime; do
    gcc -std=c99 -w $INC -fsyntax-only "$T/$f.c" || fail "$f does not compile"
done
empty=$(ms empty 2) public=$(($(ms public 2) - empty)) single=$(($(ms single_public 2) - empty))
maps=$(ms maps 1) all=$(ms single_runtime 1) unit=$(ms unit 2)
warned=$(ms single_runtime 1 -Wall -Wextra)
sed 's|^/\* ---- end src/base/context.c|static int planted(int a) { int unused; return a; }\n&|' single_include/irlayout.h > "$T/irlayout.h"
gcc -std=c99 -Wall -Wextra -DIRLAYOUT_IMPLEMENTATION -I"$T" $INC -fsyntax-only -x c "$T/irlayout.h" 2>&1 | grep -q 'unused variable .unused.' ||
    fail "gcc -Wall -Wextra does not report a warning in the implementation"
echo '#include "single_include/irlayout_map.h"' | sed 's/^/#define IRLAYOUT_IMPLEMENTATION\n/' > "$T/layouts.c"
layouts=$(ms layouts 1)
[ $((100 * layouts)) -le $((35 * all)) ] || fail "irlayout_map.h takes $layouts ms, irlayout.h $all ms"
[ $((2 * warned)) -le $((3 * all)) ] || fail "with -Wall -Wextra $warned ms, without $all ms"
figures="public part $public ms, of the single header $single ms, maps only $maps ms, all with OpenCL $all ms (with -Wall -Wextra $warned ms), irlayout_map.h $layouts ms, the unit $unit ms"
[ $((4 * public)) -lt "$unit" ] && [ $((4 * single)) -lt "$unit" ] && [ "$all" -lt $((10 * unit)) ] || fail "$figures"
ok "$figures"
