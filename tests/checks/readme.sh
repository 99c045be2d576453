#!/bin/bash
# The programs and irlc commands of the README, the tutorial and using.md print what is shown there; with a mistake in it the README's program shows the
# diagnostic and the line that is wrong.
. "$(dirname "$0")/common"

for f in README.md docs/tutorial.md docs/using.md; do
    bash scripts/blocks.sh $f > "$T/now.md" || fail "a program of $f does not compile or run"
    diff $f "$T/now.md" || fail "$f shows something else: scripts/blocks.sh --update $f"
done
n=$(grep -c '^\$ ' README.md)
[ "$n" -gt 0 ] || fail "no command found"

# each program with a mistake: a layout that loses points, on what is written
awk -v to="$T/program" '/^```c$/ { n++; on = 1; next } /^```/ { on = 0 } on { print > (to n ".c") }' README.md
programs=0
for f in "$T"/program*.c; do
    grep -q 'int main' "$f" && grep -q irl_func_lower "$f" || continue
    sed -E 's/, c % 4//; s/"x", irl_layout/"y", irl_layout/; /define IRLAYOUT_IMPLEMENTATION/d' "$f" > "$T/wrong.c"
    gcc -std=c99 $INC -o "$T/wrong" "$T/wrong.c" build/split/libirlayout.a -lOpenCL -lm || fail "the program with a mistake does not compile"
    "$T/wrong" > "$T/out"
    grep -q 'error: .*both map to' "$T/out" && grep -q 'IRL_LAYOUT(nchw4c' "$T/out" || { cat "$T/out"; fail "the program hides its diagnostic"; }
    programs=$((programs + 1))
done
[ $programs -gt 0 ] || fail "no program to spoil"
ok "$n commands, $programs programs with a mistake"
