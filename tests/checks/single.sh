#!/bin/bash
# single_include/ is what the amalgamator makes of the sources now, byte for byte.
. "$(dirname "$0")/common"

gcc -std=c99 -o "$T/amalgamate" tools/amalgamate.c || fail "tools/amalgamate.c does not compile"
mkdir "$T/out"
"$T/amalgamate" . "$T/out" || fail "the sources cannot be put together"
for f in irlayout.h irlayout_ocl.h irlayout_map.h; do
    cmp "$T/out/$f" "single_include/$f" || fail "single_include/$f is not up to date: make single"
    # the licence stands at its end, word for word
    tail -n "$(grep -c '' LICENSE)" "single_include/$f" > "$T/end"
    { tail -n +2 LICENSE; echo '*/'; } | cmp -s - "$T/end" || fail "single_include/$f does not end by the licence"
done
ok
