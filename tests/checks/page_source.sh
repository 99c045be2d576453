#!/bin/bash
# The page in docs/page, ready to open, is made from these sources: it holds their hash (make page).
. "$(dirname "$0")/common"

page=docs/page/index.html
[ -f $page ] || fail "there is no $page: make page"
[ "$(wc -c < $page)" -le 5000000 ] || fail "$page has more than 5 MB"
hash=$(sh scripts/page.sh --hash)
grep -q "<!-- made from $hash -->" $page || fail "$page is not made from these sources: make page"
ok "${hash:0:12}"
