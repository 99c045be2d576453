#!/bin/bash
# Every public function of irlayout.h and irlayout_ocl.h has a caller in a test, a tool or an example.
. "$(dirname "$0")/common"

# The names of the functions that header $1 declares, one a line: what stands before the first ( of an IRL_API prototype.
declared() {
    sed 's|/\*.*\*/||' "$1" | tr '\n' ' ' | grep -oE 'IRL_API [^;({]*\(' | grep -oE 'irl_[a-z0-9_]+\($' | tr -d '(' | sort -u
}
for header in irlayout.h irlayout_ocl.h; do declared $header; done | sort -u > "$T/functions"
count=$(wc -l < "$T/functions")
[ "$count" -gt 100 ] || fail "only $count public functions were found in the headers"

# Words that a parenthesis follows, outside of comments of one line.
sed 's|/\*.*\*/||; s|//.*||' tests/*.[ch] tools/*.c tools/*/*.[ch] examples/*.c 2> /dev/null |
    grep -oE '\birl_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u > "$T/called"
comm -23 "$T/functions" "$T/called" > "$T/idle"
[ ! -s "$T/idle" ] || { cat "$T/idle"; fail "$(wc -l < "$T/idle") of $count public functions have no caller in tests, tools and examples"; }

# the rule has teeth: a function that nobody calls is found
echo "IRL_API int irl_nobody_calls_this(int k);" > "$T/header.h"
declared "$T/header.h" | comm -23 - "$T/called" | grep -q irl_nobody_calls_this || fail "a function without a caller is not found"
ok "$count public functions"
