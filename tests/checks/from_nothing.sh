#!/bin/bash
# From nothing: in an empty folder, with the two headers, stb_ds.h and a compiler alone, the README's programs give a verdict, a picture
# and a kernel; nothing else of this repository is read. Says how long it took.
. "$(dirname "$0")/common"
[ -f /usr/include/stb/stb_ds.h ] || skip "there is no stb_ds.h"

mkdir "$T/empty"
cp single_include/irlayout.h single_include/irlayout_ocl.h /usr/include/stb/stb_ds.h "$T/empty"
awk -v to="$T/empty" '/^```c$/ { n++; on = 1; next } /^```/ { on = 0 } on { print > (to "/readme" n ".c") }' README.md
grep -L 'int main' "$T"/empty/readme* | xargs -r rm # statements of a program
[ "$(ls "$T/empty" | grep -c '^readme')" -ge 2 ] || fail "the README shows fewer than two programs"
cc=$(command -v tcc gcc clang | head -n 1)
start=$(date +%s%N)
for f in "$T"/empty/readme*.c; do
    (cd "$T/empty" && env -i PATH=/usr/bin:/bin "$cc" -I. -o "${f%.c}" "$f" -lm && env -i "${f%.c}" > "${f%.c}.out") ||
        fail "$(basename "$f") does not build and run with the headers alone"
done
took=$((($(date +%s%N) - start) / 1000000))
cat "$T"/empty/*.out > "$T/out"
for word in "injective into [3, 4], 2 cells are unused" "/ padding: no point in this cell" "__kernel void relu"; do
    grep -qF "$word" "$T/out" || fail "no '$word' in what they print"
done
(cd "$T/empty" && gcc -M -I. readme*.c | tr ' ' '\n' | grep '\.h$' | grep -v '^/usr/\(include\|lib\)' | grep -v '^\(irlayout\|irlayout_ocl\|stb_ds\)\.h$') > "$T/else"
[ ! -s "$T/else" ] || fail "it reads $(head -n 1 "$T/else")"
for c in gcc clang tcc; do
    command -v $c > /dev/null || continue
    ! (cd "$T/empty" && for f in readme*.c; do $c -E -I. "$f"; done) | grep -q '/stb/stb_ds.h"' ||
        fail "$c reads a stb_ds.h that is not in the folder"
done
ok "verdict, picture and kernel in $took ms with $(basename "$cc")"
