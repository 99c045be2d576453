#!/bin/bash
# The README's program and the first examples compile on the single header as C99 and as C++11, without a warning, and print the same
# (the check readme links it with gcc).
. "$(dirname "$0")/common"
needs clang g++ clang++

gcc -std=c99 -o "$T/amalgamate" tools/amalgamate.c && mkdir "$T/single" && "$T/amalgamate" . "$T/single" || fail "no single header"
awk '/^```c$/ { on = 1; text = ""; next } /^```$/ { if (on && text ~ /int main/) { printf "%s", text; exit } on = 0 } on { text = text $0 "\n" }' README.md > "$T/readme.c"
for f in 01_layout 02_function 07_builder; do cp "examples/$f.c" "$T/"; done
n=0
for program in readme 01_layout 02_function 07_builder; do
    for cc in "clang -x c $STRICT" "clang++ $STRICT_CPP" "g++ $STRICT_CPP"; do
        [ "${cc%% *} $program" = "g++ readme" ] || [ "${cc%% *}" != g++ ] || continue # slow, and it says nothing new
        $cc -I"$T/single" -I/usr/include/stb -o "$T/program" "$T/$program.c" -lm > "$T/log" 2>&1 || { cat "$T/log"; fail "$program does not compile with ${cc%% *}"; }
        "$T/program" > "$T/out" || fail "$program fails with ${cc%% *}"
        [ -f "$T/$program.out" ] || cp "$T/out" "$T/$program.out"
        cmp "$T/out" "$T/$program.out" || fail "$program prints something else with ${cc%% *}"
        n=$((n + 1))
    done
    [ ! -f "examples/$program.out" ] || cmp "$T/$program.out" "examples/$program.out" || fail "$program prints something else than examples/$program.out"
done
ok "$n programs"
