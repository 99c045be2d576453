#!/bin/bash
# The README's program compiles and prints what the README says, and so does every irlc command in it.
. "$(dirname "$0")/common"

bash scripts/readme.sh > "$T/README.md" || fail "the program does not compile or run"
diff README.md "$T/README.md" || fail "it prints something else: scripts/readme.sh --update"
n=$(grep -c '^\$ ' "$T/README.md")
[ "$n" -gt 0 ] || fail "no command found"
ok "$n commands"
