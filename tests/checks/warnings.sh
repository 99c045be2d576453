#!/bin/bash
# No warning: the public part, the implementation, the single header, every split source, example and tool, with gcc and
# clang as strict C99, the headers with g++ and clang++ as C++11, and the sources for a 32-bit machine.
. "$(dirname "$0")/common"
needs clang g++ clang++ arm-linux-gnueabihf-gcc CL/cl.h

units
n=0
try() { # command... file
    n=$((n + 1))
    "$@" -o "$T/o" 2> "$T/log" || { cat "$T/log"; fail "$*"; }
    [ ! -s "$T/log" ] || { cat "$T/log"; fail "$*"; }
}
for cc in gcc clang; do
    for f in "$T"/*.c; do try $cc $STRICT $INC -c "$f"; done
    for f in "$T"/*core.c "$T"/*emitter.c "$T"/*runtime.c; do try $cc $STRICT -DIRL_STATIC $INC -c "$f"; done
    for f in src/*/*.c; do try $cc $STRICT $INC -DIRL_SPLIT_BUILD -DIRLAYOUT_OCL_RUNTIME -c "$f"; done
    for f in examples/*.c tools/*.c tools/irlc/*.c bench/*.c; do [ ! -f "$f" ] || try $cc $STRICT $INC -c "$f"; done
done
try gcc $STRICT -O2 $INC -c "$T/runtime.c" # some warnings need the optimizer
for cc in g++ clang++; do
    for f in "$T"/*.c; do try $cc $STRICT_CPP $INC -c "$f"; done
    for f in "$T"/*core.c "$T"/*emitter.c "$T"/*runtime.c; do try $cc $STRICT_CPP -DIRL_STATIC $INC -c "$f"; done
done
for f in src/*/*.c; do
    case $f in src/ocl/runtime*) ;; *) try arm-linux-gnueabihf-gcc $STRICT $INC -DIRL_SPLIT_BUILD -c "$f" ;; esac
done
ok "$n compilations"
