#!/bin/bash
# No warning: the public part, the implementation, the single header, every split source, example and tool, with gcc and
# clang as strict C99, the headers with g++ and clang++ as C++11, and the implementation for a 32-bit machine.
. "$(dirname "$0")/common"
needs clang g++ clang++ arm-linux-gnueabihf-gcc CL/cl.h

# Reading alone (-fsyntax-only) shows all that clang warns of, and of gcc's warnings all but those of its middle end: what
# falls off its end, what may be unset, what writes beyond an object. Those the single header's object shows, which
# single_tests compiles with the optimizer; and a user's program is compiled here without the library in it.
units
n=0
try() { # command... file
    n=$((n + 1))
    "$@" 2> "$T/log" || { cat "$T/log"; fail "$*"; }
    [ ! -s "$T/log" ] || { cat "$T/log"; fail "$*"; }
}
reads() { try "$@" $INC -fsyntax-only; }
for f in "$T"/*.c; do reads gcc $STRICT "$f"; done
for f in src/*/*.c; do reads gcc $STRICT -DIRL_SPLIT_BUILD -DIRLAYOUT_OCL_RUNTIME "$f"; done
# (the single header's text is that of the sources: the check `single` compares)
for cc in "clang $STRICT" "g++ $STRICT_CPP" "clang++ $STRICT_CPP"; do
    for f in "$T"/public*.c "$T"/single_*.c; do reads $cc "$f"; done
    for part in core emitter runtime; do reads $cc -DIRL_STATIC "$T/$part.c"; done
done
for part in core emitter; do reads gcc $STRICT -DIRL_STATIC "$T/$part.c"; done
try gcc $STRICT $INC -DIRL_STATIC -c -o "$T/o" "$T/runtime.c" # unused: the middle end
try arm-linux-gnueabihf-gcc $STRICT $INC -fsyntax-only "$T/core.c"
for f in examples/*.c tools/*.c tools/irlc/*.c bench/*.c; do
    if grep -q 'irl__\|IRL__' "$f"; then # it looks inside of the library
        reads clang $STRICT "$f"
        reads gcc $STRICT "$f"
        continue
    fi
    sed 's/^#define IRLAYOUT_IMPLEMENTATION$//' "$f" > "$T/user.c"
    reads clang $STRICT "-I$(dirname "$f")" "$T/user.c"
    try gcc $STRICT -O1 $INC "-I$(dirname "$f")" -c -o "$T/o" "$T/user.c"
done
ok "$n compilations"
