#!/bin/bash
# From nothing: with the two headers, stb_ds.h, a compiler and the C library alone, the README's programs give a verdict, a picture and a
# kernel. The folder is the root of all that they can see, where a root can be changed (by root or in a user namespace) and tcc's packages
# are installed; else it is an empty folder. Nothing else of this repository is read. Says how long it took.
. "$(dirname "$0")/common"
[ -f /usr/include/stb/stb_ds.h ] || skip "there is no stb_ds.h"

mkdir "$T/empty"
cp single_include/irlayout.h single_include/irlayout_ocl.h /usr/include/stb/stb_ds.h "$T/empty"
awk -v to="$T/empty" '/^```c$/ { n++; on = 1; next } /^```/ { on = 0 } on { print > (to "/readme" n ".c") }' README.md
grep -L 'int main' "$T"/empty/readme* | xargs -r rm # statements of a program
[ "$(ls "$T/empty" | grep -c '^readme')" -ge 2 ] || fail "the README shows fewer than two programs"
cc=$(command -v tcc gcc clang | head -n 1)

# the files of these packages, and nothing more, under $T/empty; $inside CALL runs there
inside= where="an empty folder"
if dpkg -L tcc libc6 libc6-dev linux-libc-dev > "$T/files" 2> /dev/null; then
    sort -u "$T/files" | grep -vE '^/(\.|usr/share/.*)?$' | tar -C / -h --no-recursion -T - -cf - 2> /dev/null | tar -C "$T/empty" -xf - 2> /dev/null
    for to in "chroot $T/empty" "unshare -r chroot $T/empty"; do
        [ "$inside" ] || ! $to /usr/bin/tcc -v > /dev/null 2>&1 || inside=$to
    done
    [ ! "$inside" ] || cc=/usr/bin/tcc where="a root of its own"
fi
start=$(date +%s%N)
for f in "$T"/empty/readme*.c; do
    to=$(basename "${f%.c}")
    (cd "$T/empty" && env -i PATH=/usr/sbin:/usr/bin:/bin $inside "$cc" -I. -o "$to" "$to.c" -lm &&
        env -i PATH=/usr/sbin:/usr/bin:/bin $inside "./$to" > "$to.out") ||
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
ok "verdict, picture and kernel in $where in $took ms with $(basename "$cc")"
