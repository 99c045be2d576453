#!/bin/bash
# The table of functions in docs/grammar.md has every function of the language, and no other.
. "$(dirname "$0")/common"

tr '\n' ' ' < src/ir/ops.h | grep -oE 'IRL_OPERATOR\([A-Z0-9_]+, "[a-z0-9_]+", CALL' | cut -d'"' -f2 > "$T/rows"
sed -n 's/^IRL_FLOAT_OPERATOR([A-Z0-9]*, \([a-z0-9]*\),.*/\1/p' src/ir/ops.h >> "$T/rows"
sed -n '/irl__sugar_rows/,/^};/s/^ *{ "\([a-z]*\)".*/\1/p' src/text/parse_fn.c >> "$T/rows"
sort -o "$T/rows" "$T/rows"
grep -oE '^\| `[a-z0-9_]+\(' docs/grammar.md | tr -d '| `(' | sort > "$T/table"
[ "$(wc -l < "$T/rows")" -gt 15 ] || fail "only $(wc -l < "$T/rows") functions were found"
diff "$T/rows" "$T/table" || fail "docs/grammar.md has other functions than src/ir/ops.h"
ok "$(wc -l < "$T/rows") functions"
