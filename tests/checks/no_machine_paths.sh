#!/bin/bash
# No file names a folder of somebody's machine or the host of a package registry.
. "$(dirname "$0")/common"

if git rev-parse --git-dir > /dev/null 2>&1; then
    git ls-files -co --exclude-standard
else
    find . -path ./build -prune -o -type f -print
fi > "$T/files"
# (the brackets keep this file itself from matching)
tr '\n' '\0' < "$T/files" | xargs -0 grep -InE \
    -e '(^|[^A-Za-z0-9_.])/[w]ork/|/[r]oot/|/[h]ome/[a-z]' \
    -e '(deb|security|ftp|mirrors?|registry|proxy|files|index|static)[.][a-z0-9-]+[.](org|com|io|net)' \
    -e '(py[p]i|[c]rates|[n]pmjs)[.](org|io|com)' > "$T/bad"
[ ! -s "$T/bad" ] || { cut -c1-200 "$T/bad"; fail "$(wc -l < "$T/bad") lines"; }
ok
