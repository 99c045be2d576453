#!/bin/bash
# Every public function of irlayout.h and irlayout_ocl.h has a caller in a test or an example; a comment and a string are none.
. "$(dirname "$0")/common"

# The names of the functions that header $1 declares, one a line: what stands before the first ( of an IRL_API prototype.
declared() {
    sed 's|/\*.*\*/||' "$1" | tr '\n' ' ' | grep -oE 'IRL_API [^;({]*\(' | grep -oE 'irl_[a-z0-9_]+\($' | tr -d '(' | sort -u
}
for header in irlayout.h irlayout_ocl.h; do declared $header; done | sort -u > "$T/functions"
count=$(wc -l < "$T/functions")
[ "$count" -gt 100 ] || fail "only $count public functions were found in the headers"

# Words that a parenthesis follows, outside of comments and strings, in the files $@.
called() {
    for file; do gcc -fpreprocessed -dD -E -P -x c "$file" 2> /dev/null; done |
        sed -E 's/"([^"\\]|\\.)*"/""/g' | grep -oE '\birl_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u
}
called tests/*.[ch] examples/*.c > "$T/called"
comm -23 "$T/functions" "$T/called" > "$T/idle"
[ ! -s "$T/idle" ] || { cat "$T/idle"; fail "$(wc -l < "$T/idle") of $count public functions have no caller in tests and examples"; }

# the rule has teeth: what stands in a comment or a string is no caller, and a function that nobody calls is found
printf '/* irl_one(1);\n irl_two(2) */\nvoid f(void) { puts("irl_three(3) \\" irl_four(4)"); // irl_five(5)\n irl_six (6); }\n' > "$T/user.c"
[ "$(called "$T/user.c" | tr '\n' ' ')" = "irl_six " ] || fail "what a call is: $(called "$T/user.c" | tr '\n' ' ')"
echo "IRL_API int irl_nobody_calls_this(int k);" > "$T/header.h"
declared "$T/header.h" | comm -23 - "$T/called" | grep -q irl_nobody_calls_this || fail "a function without a caller is not found"
ok "$count public functions"
