#!/bin/bash
# `irlc run` and `irlc time` take numbers from files and give them: .npy of every type and order, raw bytes, pipes; what does not fit is refused, and no
# changed file leads to undefined behaviour.
. "$(dirname "$0")/common"
needs python3 clang

# the first python3 that has numpy
python=python3
for p in $(type -ap python3); do "$p" -c 'import numpy' 2> /dev/null && { python=$p; break; }; done
count=${IRL_SOAK:+1000} changed=${IRL_SOAK:+300}
make -s irlc lib || fail "irlc does not build"
irlc=build/irlc
export POCL_CACHE_DIR=$T/cache
"$python" tests/npy.py $irlc "${count:-60}" "$T" > "$T/log" 2>&1 || { cat "$T/log"; fail "a file is not what it was"; }
said=$(tail -n 1 "$T/log")
clang -std=c99 -w -g -fsanitize=address,undefined -fno-sanitize-recover=all -DIRLC_NO_OPENCL $INC -o "$T/watched" tools/irlc/*.c build/split/libirlayout.a -lm ||
    fail "irlc does not build with sanitizers"
"$python" tests/npy.py "$T/watched" "${changed:-20}" "$T" --mutate > "$T/log" 2>&1 || { cat "$T/log"; fail "a changed file"; }

# says STATUS WORD ARGUMENT...: the exit status, and a word of what is said
says() {
    $irlc "${@:3}" > "$T/out" 2> "$T/err" < "${stdin:-/dev/null}"
    rc=$?
    [ $rc = "$1" ] || { cat "$T/out" "$T/err"; fail "irlc ${*:3}: exit status $rc instead of $1"; }
    [ -z "$2" ] || cat "$T/out" "$T/err" | grep -qF -e "$2" || { cat "$T/out" "$T/err"; fail "irlc ${*:3}: '$2' is not in what it says"; }
}
echo 'func dbl(x: f32[n, m], y: f32[n, 2*m]) { for (i: n, j: m) { y[i, 2*j] = x[i, j] * 2.0f; y[i, 2*j + 1] = 0.0f; } }' > "$T/dbl.irl"
echo 'func sum(n: index, a: f32, x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i] + a; }' > "$T/sum.irl"
python3 - "$T" << 'END'
import struct, sys
def save(name, descr, shape, *values):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n" % (descr, shape)
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%df" % len(values), *values))
save("x.npy", "<f4", (1, 2), 1, 2)
save("y.npy", "<f4", (1, 4), 2, 0, 4, 0)
save("z.npy", "<f4", (1, 4), 2, 0, 5, 1)
save("odd.npy", "<f4", (1, 3), 2, 0, 5)
save("a.npy", "<f4", (), 3)
save("v.npy", "<f4", (2,), 1, 2)
END
says 0 "same: y, 4 elements, as in $T/y.npy" run "$T/dbl.irl" --in x="$T/x.npy" --expect y="$T/y.npy"
says 1 "different: y[0, 2] is 4, and 5 in $T/z.npy; 2 of 4 elements differ" run "$T/dbl.irl" --in x="$T/x.npy" --expect y="$T/z.npy"
says 1 "same: 8 elements" run "$T/dbl.irl" --in x="$T/x.npy" --expect y="$T/z.npy" --check
says 1 '"different": 2, "ulp": 0, "at": [0, 2], "is": "4", "wanted": "5"' run "$T/dbl.irl" --in x="$T/x.npy" --expect y="$T/z.npy" --json
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$T/out" || fail "no JSON"
says 0 "same: y" time "$T/dbl.irl" --in x="$T/x.npy" --expect y="$T/y.npy" --runs 2
says 1 "different: y" time "$T/dbl.irl" --in x="$T/x.npy" --expect y="$T/z.npy" --runs 2
says 2 "m is 3 by --set, and 2 by $T/x.npy, axis 1 of x" run "$T/dbl.irl" --in x="$T/x.npy" --set m=3
says 2 "expected the shape (1, 4); found: (1, 3)" run "$T/dbl.irl" --in x="$T/x.npy" --expect y="$T/odd.npy"
says 2 "x=$T/v.npy: expected the shape (n, m); found: (2,)" run "$T/dbl.irl" --in x="$T/v.npy"
says 2 "x=$T/x.npy: expected the shape (n,); found: (1, 2)" run "$T/sum.irl" --in x="$T/x.npy"
says 2 "no parameter of this name: z" run "$T/dbl.irl" --in z="$T/x.npy"
says 2 "cannot read the file" run "$T/dbl.irl" --in x="$T/none.npy"
says 2 "given twice for one name" run "$T/dbl.irl" --in x="$T/x.npy" --in x="$T/y.npy"
says 2 "needs a value, --set" run "$T/dbl.irl" --expect y="$T/odd.npy"
# scalars, sizes from a shape
says 0 "y: f32[2]" run "$T/sum.irl" --in x="$T/v.npy" --in a="$T/a.npy"
grep -q '4 5' "$T/out" || fail "a scalar from a file is not used"
says 2 "--in and --set give the value twice" run "$T/sum.irl" --in x="$T/v.npy" --in a="$T/a.npy" --set a=1
# pipes; the text then goes to stderr, or with -o to a file
stdin=$T/x.npy
says 0 "y: f32[1, 4]" run "$T/dbl.irl" --in x=- --out y=-.npy
cmp -s <(tail -c 16 "$T/out") <(tail -c 16 "$T/y.npy") || fail "what goes through a pipe is not what was computed"
says 0 "" run "$T/dbl.irl" --in x=- --out y=- -o "$T/text"
cmp -s "$T/out" <(tail -c 16 "$T/y.npy") && grep -q checksum "$T/text" || fail "raw bytes through a pipe"
says 2 "a pipe can be used once" run "$T/dbl.irl" --in x=- --expect y=-
says 2 "--json" run "$T/dbl.irl" --in x=- --out y=- --json
# --out FILE is the text, as -o FILE is
says 0 "" run "$T/dbl.irl" --in x="$T/x.npy" --out "$T/text"
grep -q checksum "$T/text" || fail "--out FILE is not the text"
ok "$said"
