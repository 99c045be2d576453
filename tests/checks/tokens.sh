#!/bin/bash
# How large the library is, in tokens of C, by a counter that counts right.
. "$(dirname "$0")/common"

printf '%s\n' '/* a comment, "not a string"' '   on two lines */ int x = 1.5e-3f; // 5 here' '#define A(b) \' \
    '    (b)->c "a /* b */ \" c" '"'\\\\'" > "$T/a.c" # 5 + 6 + 8
n=$(bash scripts/tokens.sh "$T/a.c")
[ "$n" = 19 ] || fail "19 tokens are counted as $n"
bash scripts/tokens.sh > "$T/log" || fail "the sources cannot be counted"
cat "$T/log"
ok "$(awk 'END { print $2 }' "$T/log") tokens"
