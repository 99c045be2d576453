#!/bin/bash
# The README's pictures are those that irlc draws today (make pictures), well-formed, and load nothing from elsewhere.
. "$(dirname "$0")/common"

make -s irlc || fail "irlc does not build"
sh scripts/pictures.sh "$T/pictures" || fail "scripts/pictures.sh"
n=0
for f in "$T"/pictures/*.svg; do
    name=$(basename "$f")
    cmp -s "$f" "docs/pictures/$name" || fail "docs/pictures/$name is not current: make pictures"
    grep -q "docs/pictures/$name" README.md || fail "README.md does not show $name"
    ! grep -qE '<script|<image|@import|href=' "$f" || fail "$name loads something"
    ! command -v python3 > /dev/null || python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$f" || fail "$name is no XML"
    n=$((n + 1))
done
[ "$(ls docs/pictures | wc -l)" = $n ] || fail "docs/pictures holds others too"
ok "$n pictures"
