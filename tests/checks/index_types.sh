#!/bin/bash
# The public header and a layout's C function compile without a warning for every IRL_INDEX_TYPE, in C and in C++, and compute.
. "$(dirname "$0")/common"
needs clang g++ clang++

cat > "$T/layout.c" <<'END'
#include "irlayout.h"
IRL_LAYOUT(page, (y, x), (y / 8, x), (y % 8));
IRL_LAYOUT(turn, (i), (irl_floormod(i + 3, 8), irl_floordiv(i, 8), i * 2));
int main(void)
{
    irl_index at[3], other[3];
    irl_shape box = IRL_SHAPE(8, 2, 20);
    IRL_AT(page, at, 13, 5);
    IRL_AT(turn, other, 9);
    if (page.index != IRL__INDEX_KIND || at[0] != 1 || at[1] != 5 || at[2] != 5) return 1;
    return other[0] != 4 || other[1] != 1 || other[2] != 18 || irl_offset(&box, other) != 198;
}
END
n=0
for type in int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t int unsigned "long long"; do
    for cc in "gcc $STRICT -Wsign-conversion" "clang $STRICT -Wsign-conversion" "g++ $STRICT_CPP" "clang++ $STRICT_CPP"; do
        $cc -I. "-DIRL_INDEX_TYPE=$type" -o "$T/layout" "$T/layout.c" > "$T/log" 2>&1 || { cat "$T/log"; fail "$type with ${cc%% *}"; }
        "$T/layout" || fail "$type with ${cc%% *} computes something else"
        n=$((n + 1))
    done
done
ok "$n programs"
