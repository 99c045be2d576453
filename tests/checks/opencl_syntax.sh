#!/bin/bash
# Another compiler than the device's takes every source of test_emit: clang, as strictly OpenCL C 1.2. No operator beside another one
# makes a compiler ask for parentheses, of scalars and of vectors, and no constant is declared that nothing uses.
. "$(dirname "$0")/common"

cc=$(command -v clang || ls /usr/bin/clang-[0-9]* 2> /dev/null | head -n 1)
[ -n "$cc" ] || skip "there is no clang"
make -s build/split/tests/test_emit || fail "test_emit does not build"
mkdir "$T/cl"
build/split/tests/test_emit --write "$T/cl" > "$T/out" || { tail -n 20 "$T/out"; fail "test_emit fails"; }
n=$(ls "$T/cl" | wc -l)
[ "$n" -gt 100 ] || fail "test_emit wrote only $n sources"
for f in "$T"/cl/*.cl; do
    "$cc" -x cl -cl-std=CL1.2 -target spir64 -Wall -Wextra -Wno-unused-parameter -Werror -fsyntax-only "$f" > "$T/log" 2>&1 ||
        { head -n 20 "$T/log"; cat "$f"; fail "clang does not take $(basename "$f")"; }
done

make -s irlc || fail "no irlc"
CL="$cc -x cl -cl-std=CL1.2 -target spir64 -Wall -Wextra -Wno-unused-parameter -Werror -fsyntax-only"
{   echo "func f(a: u32, x: u32[8], y: u32[8], v: u32[8], z: u8[8]) { for (i: 8) {"
    for one in + - '*' / % '<<' '>>' '&' '|' ^; do
        for two in + - '*' / % '<<' '>>' '&' '|' ^; do
            echo "y[i] = y[i] $one (x[i] $two (a | 9)); y[i] = (y[i] $one x[i]) $two (a | 9);"
            echo "if (((x[i] $one 3) == (y[i] $two 5) && a < 7) || x[i] < (y[i] $two 1) || (a > 2 && !(a > 3))) z[i] = u8(1);"
            echo "v[ramp(0, 1, 4)] = x[ramp(0, 1, 4)] $one (y[ramp(4, 1, 4)] $two broadcast(a + 1, 4));"
            echo "v[ramp(4, 1, 4)] = (x[ramp(0, 1, 4)] $one broadcast(a + 1, 4)) $two y[ramp(4, 1, 4)];"
        done
    done
    echo "} }"
} > "$T/pairs.irl"
build/irlc emit "$T/pairs.irl" --schedule none --as opencl > "$T/pairs.cl" && build/irlc emit "$T/pairs.irl" --schedule none --as c > "$T/pairs.c" &&
    build/irlc emit "$T/pairs.irl" --schedule none --as c --target c-gnu > "$T/pairs_gnu.c" || fail "pairs of operators are not emitted"
$CL "$T/pairs.cl" > "$T/log" 2>&1 || { head -n 20 "$T/log"; fail "pairs of operators in OpenCL C"; }
for c in pairs pairs_gnu; do
    for compiler in gcc "$cc"; do
        $compiler -std=gnu99 -Wall -Wextra -Wno-psabi -Werror -fsyntax-only "$T/$c.c" > "$T/log" 2>&1 || { head -n 20 "$T/log"; fail "$c.c, $compiler"; }
    done
done

# bound loops of one iteration
for shape in 1,1,5,7 1,1,1,1 4,1,1,3 1,6,1,1; do
    IFS=, read -r a b c d <<< "$shape"
    echo "func f(x: f32[$a, $b, $c, $d, 9], y: f32[$a, $b, $c, $d]) {
        for (a: $a, b: $b, c: $c, d: $d) y[a, b, c, d] = sum(e: 9, x[a, b, c, d, e]); }" > "$T/sum.irl"
    for target in opencl12 opencl12-gpu adreno; do
        build/irlc emit "$T/sum.irl" --as opencl --target $target --schedule auto > "$T/sum.cl" || fail "sum over $shape for $target"
        $CL "$T/sum.cl" > "$T/log" 2>&1 || { head -n 20 "$T/log"; fail "sum over $shape for $target"; }
    done
done
ok "$n sources, 400 pairs of operators, 12 sums"
