#!/bin/bash
# How long the implementation takes to compile at -O0, whole and in part, and the public part (bounds are generous:
# against runaway growth; the table is printed).
. "$(dirname "$0")/common"
needs CL/cl.h

units
sed 's/^#include/#define IRLAYOUT_MAPS_ONLY\n&/' "$T/core.c" > "$T/maps.c"
sed 's/^#include/#define IRLAYOUT_NO_INTERPRETER\n&/' "$T/core.c" > "$T/lean.c"
: > "$T/empty.c"
ms() { # the least of 2 times of compiling a file: of the processor, since others may be at work too
    best=999999
    for _ in 1 2; do
        t=$({ TIMEFORMAT='%U %S'; time gcc -std=c99 -O0 $INC -c -o "$T/o" "$T/$1.c"; } 2>&1 | awk '{printf "%d", ($1 + $2) * 1000}')
        [ "$t" -ge $best ] || best=$t
    done
    echo $best
}
for f in public maps lean core emitter runtime single_public single_runtime; do
    gcc -std=c99 -w $INC -fsyntax-only "$T/$f.c" || fail "$f does not compile"
done
empty=$(ms empty) public=$(($(ms public) - empty)) single=$(($(ms single_public) - empty))
maps=$(ms maps) lean=$(ms lean) core=$(ms core) emitter=$(ms emitter) all=$(ms single_runtime)
printf '%-44s %5d ms\n' "the public part, beside an empty file" $public "the same of the single header" $single \
    "implementation, IRLAYOUT_MAPS_ONLY" "$maps" "implementation, IRLAYOUT_NO_INTERPRETER" "$lean" "implementation" "$core" \
    "with the OpenCL emitter" "$emitter" "with emitter and runtime" "$all"
figures="public part $public ms, maps only $maps ms, core $core ms, with OpenCL $all ms"
[ $public -lt 1000 ] && [ $single -lt 1000 ] && [ "$all" -lt 15000 ] || fail "$figures"
ok "$figures"
