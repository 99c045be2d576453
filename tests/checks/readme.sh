#!/bin/bash
# The README's program compiles and prints what the README says, and so does every irlc command in it.
. "$(dirname "$0")/common"

make -s irlc || fail "irlc does not build"
export PATH=$PWD/build:$PATH

# the first block of C, and the block after it
awk '/^```c$/ { on = 1; next } /^```$/ && on { exit } on' README.md > "$T/program.c"
awk '/^```c$/ { seen = 1; next } /^```$/ && seen { fences++; next } fences == 2 { print } fences > 2 { exit }' README.md > "$T/expected"
[ -s "$T/program.c" ] && [ -s "$T/expected" ] || fail "the program or its output is not where it should be"
gcc -std=c99 -pedantic -Wall -Wextra $INC -o "$T/program" "$T/program.c" -lm || fail "the program does not compile"
"$T/program" > "$T/out" || fail "the program fails"
sed -e '${/^$/d}' "$T/out" > "$T/trimmed" # puts adds a line's end
diff "$T/expected" "$T/trimmed" || fail "the program prints something else"

# each `$ irlc` line of the console blocks, and what stands under it up to the next
awk '/^```console$/ { on = 1; next } /^```$/ { on = 0 } on' README.md > "$T/console"
grep '^\$ ' "$T/console" | sed 's/^\$ //' > "$T/commands"
n=0
while IFS= read -r command; do
    echo "\$ $command"
    eval "$command" < /dev/null 2>&1
    n=$((n + 1))
done < "$T/commands" > "$T/out"
diff "$T/console" "$T/out" || fail "irlc prints something else"
[ $n -gt 0 ] || fail "no command found"
ok "$n commands"
