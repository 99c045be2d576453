#!/bin/bash
# The implementation compiles in about a second at -O0 and the public part in a few milliseconds (bounds are generous:
# this machine may be busy; the figures are printed).
. "$(dirname "$0")/common"

units
: > "$T/empty.c"
ms() { # the least of 7 times of compiling a file
    best=999999
    for _ in 1 2 3 4 5 6 7; do
        t=$(date +%s%N)
        gcc -std=c99 -O0 $INC -c -o "$T/o" "$T/$1.c"
        t=$((($(date +%s%N) - t) / 1000000))
        [ $t -ge $best ] || best=$t
    done
    echo $best
}
for f in public core emitter runtime single_public single_runtime; do
    gcc -std=c99 -w $INC -fsyntax-only "$T/$f.c" || fail "$f does not compile"
done
empty=$(ms empty) public=$(($(ms public) - empty)) single=$(($(ms single_public) - empty))
core=$(ms core) emitter=$(ms emitter) all=$(ms single_runtime)
figures="public part $public ms (single header $single), core $core ms, with emitter $emitter ms, with runtime $all ms"
[ $public -lt 1000 ] && [ $single -lt 1000 ] && [ "$all" -lt 15000 ] || fail "$figures"
ok "$figures"
