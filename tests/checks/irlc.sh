#!/bin/bash
# Every command of irlc answers as its help says: results on stdout alone, exit status 0 yes, 1 no, 2 bad input, 3 undecided.
. "$(dirname "$0")/common"

make -s irlc lib || fail "irlc does not build"
irlc=build/irlc
gcc -std=c99 -Wall -Wextra -Werror $INC -DIRLC_NO_OPENCL -o "$T/small" tools/irlc/*.c build/split/libirlayout.a -lm || fail "irlc does not build without OpenCL"
export POCL_CACHE_DIR=$T/cache
n=0

# try STATUS WORD ARGUMENT...: the exit status, and a text that stdout holds (stderr, where stdout is
# empty; it is where the status is 2, and stderr is where it is 0)
try() {
    want=$1 word=$2
    shift 2
    n=$((n + 1))
    "$irlc" "$@" > "$T/out" 2> "$T/err" < /dev/null
    rc=$?
    sed -i '/^[0-9]* warnings* generated\.$/d' "$T/err" # PoCL's compiler, of vectors that the processor has not
    [ $rc = "$want" ] || { cat "$T/out" "$T/err"; fail "irlc $*: exit status $rc instead of $want"; }
    where=$T/out
    [ -s "$T/out" ] || where=$T/err
    echo "$1 $want" >> "$T/seen"
    [ "$want" != 2 ] || [ ! -s "$T/out" ] || [ "${!#}" = --json ] || fail "irlc $*: bad input, but something on stdout"
    [ "$want" != 0 ] || [ ! -s "$T/err" ] || fail "irlc $*: $(cat "$T/err")"
    [ -z "$word" ] || grep -qF -e "$word" "$where" || { cat "$T/out" "$T/err"; fail "irlc $*: '$word' is not in what it says"; }
}
# the same, and what it prints is JSON
json() {
    try "$@"
    if command -v python3 > /dev/null; then
        python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$T/out" || { cat "$T/out"; fail "irlc ${*:3}: not JSON"; }
    fi
}

nchw4c='(n, h, w, c) -> (n, c/4, h, |, w, c%4)'
cat > "$T/relu.irl" <<'END'
// a function in logical indices
func relu(x: f32[1, 5, 7, 6], y: f32[1, 5, 7, 6]) attr(unstated_padding = "y") {
    for (n: 1, h: 5, w: 7, c: 6)
        y[n, h, w, c] = max(x[n, h, w, c], 0.0f);
}
END
cat > "$T/scale.irl" <<'END'
func scale(n: index, a: f32, x: f32[n], y: f32[n]) {
    for (i: n)
        y[i] = x[i] * a / 3.0f;
}
END
echo 'func turn(x: f32[3], y: f32[4, 3]) { for (i: 3, j: 4) y[3 - j, i] = x[i]; }' > "$T/turn.irl"
echo 'func wide(x: f32[300], y: f32[300]) { for (i: 300) y[i] = x[299 - i]; }' > "$T/wide.irl"
echo 'func late(x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i + 1]; }' > "$T/late.irl"
echo 'func worse(x: f32[4] { }' > "$T/worse.irl"
layout=--layout=y='(n, h, w, c) -> (n, c/4, h, w, c%4)'

try 0 "irlc check" --help

# an extent that shapes alone name is no argument
echo 'func copy(x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i]; }' > "$T/implicit.irl"
try 0 "y: f32[5]" run "$T/implicit.irl" --set n=5
echo 'func sizes(x: f32[n, m], y: f32[k]) { for (i: n, j: m) x[i, j] = 1; for (i: k) y[i] = 2; }' > "$T/sizes.irl"
try 2 "each index parameter needs a value, --set NAME=VALUE: n, k" run "$T/sizes.irl" --set m=5
try 0 "y: f32[5]" run "$T/implicit.irl" --set n=5 --device
try 0 "same" run "$T/implicit.irl" --set n=5 --check
try 0 "same as interpreter, 11 elements" time "$T/implicit.irl" --set n=5 --runs 2

# graphs
cat > "$T/net.irl" <<'END'
graph net {
    func scale(x: f32[n], a: f32, y: f32[n]) { for (i: n) y[i] = x[i] * a; }
    func add(x: f32[n], y: f32[n], z: f32[n]) { for (i: n) z[i] = x[i] + y[i]; }
    input x: f32[100];
    t = scale(x, 2.0);
    y = add(t, x);
    output y;
}
END
sed 's/add(t/add(u/' "$T/net.irl" > "$T/unknown.irl"
echo 'graph g { func f(p: ptr(f32, global), y: f32[4]) { y[0] = 1.0; } }' > "$T/pointer.irl"
try 0 "t = scale(x, 2.0f);" graph "$T/net.irl"
json 0 '"func_name": "scale"' graph "$T/net.irl" --json
cp "$T/out" "$T/net.json"
try 0 "output y;" graph "$T/net.json"
try 1 "is a pointer" graph "$T/pointer.irl"
try 2 "unknown.irl:6:13: error: the tensor 'u' is not an input" graph "$T/unknown.irl"
try 2 "holds no graph" graph "$T/relu.irl"
try 0 "launch add(t, x, y);" lower "$T/net.irl"
try 0 "net(" emit "$T/net.irl"
try 0 "same: 200 elements" run "$T/net.json" --check
# --place: images and layouts for tensors, and the reasons on stderr
cat > "$T/image.irl" <<'END'
graph net {
    func relu(x: f32[n, h, w, c], y: f32[n, h, w, c]) { for (a: n, i: h, j: w, k: c) y[a, i, j, k] = max(x[a, i, j, k], 0.0f); }
    input x: f32[1, 8, 8, 16];
    t = relu(x);
    y = relu(t);
    output y;
}
END
"$irlc" lower "$T/image.irl" --place --target adreno > "$T/out" 2> "$T/err" || fail "irlc lower --place"
grep -q "alloc t: .* scope(texture)" "$T/out" && grep -q "^t: texture .* texels" "$T/err" || { cat "$T/out" "$T/err"; fail "--place places nothing"; }
json 0 '"places": "x: texture' lower "$T/image.irl" --place --target adreno --json
try 0 "y: f32[1, 8, 8, 16]" run "$T/image.irl"
cp "$T/out" "$T/plain"
"$irlc" run "$T/image.irl" --place --target adreno > "$T/out" 2> "$T/err" && cmp -s "$T/out" "$T/plain" || fail "in images a graph computes something else"
echo 'graph none { func r(x: f32[n, c, h, w], y: f32[n, c, h, w]) { for (i: n, k: c, p: h, q: w) y[i, k, p, q] = x[i, k, p, q]; } input x: f32[1, 0, 8, 8]; y = r(x); output y; }' > "$T/none_in.irl"
"$irlc" lower "$T/none_in.irl" --place --target adreno 2>&1 > "$T/out" | grep -q "^x: global: no image: it has no elements" || fail "--place does not say that a tensor has no elements"
try 2 "--place is for graphs" lower "$T/relu.irl" --place
try 2 "for a graph --schedule is auto" lower "$T/net.irl" --schedule mine
try 2 "state layouts and scopes in its functions" lower "$T/net.irl" --layout 'x=(i) -> (i)'
try 2 "--fuse is for graphs" lower "$T/relu.irl" --fuse
try 2 "found a graph" schedule "$T/net.irl"
"$irlc" graph "$T/net.irl" --fuse > "$T/out" 2> "$T/err" || fail "irlc graph --fuse"
grep -qF "y = scale_add(x);" "$T/out" && grep -qF "1 nodes fused, 400 bytes" "$T/err" || fail "irlc graph --fuse: not fused"
try 0 "irlc 0" --version
cat > "$T/nests.irl" <<'END'
func nests(n: index, x: f32[n, n], y: f32[n, n], k: i32[n]) {
    for (i: 1 .. n)
        for (j: n - 2)
            if (i != j)
                y[i, j + 2] = y[i - 1, j] + x[i, j];
    for (s: n)
        y[index(k[s]), 0] = 0.0;
}
END
cat > "$T/chain.irl" << 'END'
func chain(x: f32[64], y: f32[64]) {
    alloc a: f32[64];
    alloc b: f32[64];
    for (i: 64) a[i] = x[63 - i];
    for (i: 64) b[i] = a[63 - i] * 2.0;
    for (i: 64) y[i] = b[63 - i];
}
END
try 0 "pool 0, global: 512 bytes, aligned to 128; at least 512, at launch 1; proved to be the least" plan "$T/chain.irl"
try 0 "#define chain_b_offset " plan "$T/chain.irl" --as c
json 0 '"lower_bound": 512' plan "$T/chain.irl" --json
try 2 "--as text or --as c" plan "$T/chain.irl" --as glsl
try 0 "<title>b: 256 bytes at " plan "$T/chain.irl" --svg
! command -v python3 > /dev/null || python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$T/out" || fail "irlc plan --svg: no XML"
try 0 "0: source 0, target 7: ACNT 1 source 1 target 1; BCNT 16 SRCBIDX 1 DSTBIDX 8; CCNT 8 SRCCIDX 16 DSTCIDX -1" \
    dma '(y, x) -> (x, 7 - y)' 8,16 --type u8 --controller edma3
try 0 "1 transfer for rp2040" dma '(i) -> ((i + 3) % 8)' 8 --type u8 --controller rp2040
try 0 "16 transfers for edma3" dma "$nchw4c" 1,56,56,64 --controller edma3 --split
try 0 "static const blit_transfer blit[1] = {" dma '(y, x) -> (x, 7 - y)' 8,16 --as c --name blit
try 0 "the layout's [4, 4] to plain [8, 8]" dma '(y, x) -> (y/2, x/2)' 8,8 --unpack
json 0 '"controller": "edma3"' dma '(y, x) -> (x, 7 - y)' 8,16 --controller edma3 --json
try 1 "DSTBIDX holds -32768 .. 32767, and copy 0 needs 50176" dma "$nchw4c" 1,56,56,64 --controller edma3
try 1 "(0, 0) and (1, 0) both map" dma '(y, x) -> (y/2)' 8,8
try 1 "dma-list" dma '(i) -> (i*i)' 400 --most 10
try 3 "irlc --work" dma '(i) -> (i/4, i%4)' 10000 --work 10
"$irlc" dma '(i) -> (i/4, i%4)' 10000 --work 10 2>&1 | grep -q 'hint: .*--work' || fail "irlc dma --work: the hint does not name --work"
try 0 "beats 16 source 1 target 64; times 64 source 16 target 1" dma '(y, x) -> (x/8, y, x%8)' 64,128 --type u1
try 0 "elements u16 bits(msb); 1 nested copy" dma '(i) -> (i)' 300 --type 'u16 bits(msb)' --swap
try 0 "72 bytes, aligned to 1; target: 64 bytes" dma '(n, i) -> (n*36 + i)' 4,32 --type 'u4 offset(16)' --as c --controller edma3 --unpack --name q
json 0 '"bits": "u1", "overwritten": 224, "overwritten_byte": 1' dma '(i) -> (i)' 13 --type u1 --json
try 1 "takes bit 1 of byte 0 of the plain array and bit 0 of byte 1 of the memory: a controller moves bytes" dma '(y, x) -> (y/8, x, y%8)' 64,128 --type u1
try 1 "dma-bits" dma '(i) -> (i/4, i%4)' 6 --type u1
try 0 "bits 6 to 7 of byte 0 of the target belong to no element, and are overwritten" dma '(i) -> (i/4, i%4)' 6 --type u1 --overwrite
try 2 "swap and overwrite are for elements of bits" dma '(i) -> (i)' 8 --type u16 --swap
try 2 "a controller is" dma '(i) -> (i)' 8 --controller pl330
try 0 "8 transfers for stm32-dma2d, beats of 1 byte" dma '(y, x) -> (x, 7 - y)' 8,16 --type u8 --controller stm32-dma2d --split
try 0 "beats 16 SINCOS 1 DINCOS 8; BRC 8 SUV 0 DUV -129" dma '(y, x) -> (x, 7 - y)' 8,16 --type u8 --controller stm32-mdma
try 0 "accesses 16 SOFF 1 DOFF 8; CITER 8 MLOFF 0 MLOFF -129" dma '(y, x) -> (x, 7 - y)' 8,16 --type u8 --controller nxp-edma
try 0 "2 transfers for esp32-gdma, linked by next" dma '(i) -> (i)' 5000 --type u8 --controller esp32-gdma --split
# a controller from a file: what --as controller prints is one
for c in generic stm32-gpdma edma3 rp2040 stm32-dma2d stm32-mdma nxp-edma esp32-gdma; do
    "$irlc" dma '(i) -> (i)' 8 --controller $c --as controller > "$T/row" || fail "irlc dma --as controller: $c"
    "$irlc" dma '(y, x) -> (x, 7 - y)' 8,16 --controller $c --split > "$T/by_name"
    "$irlc" dma '(y, x) -> (x, 7 - y)' 8,16 --controller "$T/row" --split > "$T/by_file"
    cmp -s "$T/by_name" "$T/by_file" || fail "the list for $c from a file is another"
done
try 0 "where H < 65536 && W < 32768 && W < 65536 && H < 32768" dma '(y, x) -> (x, H - 1 - y)' H,W --let H=? --let W=? --type u8 --controller edma3
try 0 "times C, source 16, target H * W * 16" dma '(n, h, w, c) -> (n, c/4, h, w, c%4)' N,H,W,4*C --let N=? --let H=? --let W=? --let C=?
try 1 "rp2040: the copy has more nested levels" dma '(y, x) -> (x, y)' H,W --let H=? --let W=? --controller rp2040
try 3 "is not a sum of whole parts" dma '(c) -> (c/4, 3 - c%4)' C --let C=?
try 2 "is printed --as text" dma '(c) -> (c)' C --let C=? --as c
sed -i 's/^level0_most_count/level0_most_cuont/' "$T/row"
try 2 "row:7:1: error: expected a key: name, doc, beats" dma '(i) -> (i)' 8 --controller "$T/row"
try 2 "hint: write a line key = value for each limit" dma '(i) -> (i)' 8 --controller "$T/row"
try 2 "--as text or --as c, a controller" dma '(i) -> (i)' 8 --as glsl
try 2 "a number of transfers" dma '(i) -> (i)' 8 --most 0
try 0 "5:17     reads y[i - 1, j]  where i != j" explain "$T/nests.irl"
try 0 "3:9      j: could be parallel" explain "$T/nests.irl"
try 0 "are one element where n = 7; the distance is always: i -1, j -2" explain "$T/nests.irl"
try 0 "s: not known: y[index(k[s]), 0] and y[index(k[s]), 0]: it depends on values in memory" explain "$T/nests.irl"
json 0 '"distances": {"i": -1, "j": -2}' explain "$T/nests.irl" --json
try 0 "3:9      nest j: reads y[i - 1, 0: n - 2] at most, x[i, 0: n - 2] at most writes y[i, 2: n - 2] at most" explain "$T/nests.irl"
json 0 '{"buffer": "x", "access": "read", "exact": "no", "text": "x[1: n - 1, 0: n - 2]", "start": ["1", "0"], "extent": ["n - 1", "n - 2"]}' explain "$T/nests.irl" --json
cat > "$T/block.irl" <<'END'
func sums(x: f32[8, 64], y: f32[8]) {
    for (i: 8, k: 16)
        block s(v: spatial(8) = i, r: reduce(16) = k) reads(x[v, r*4: 3]) writes(y[v]) {
            init y[v] = 0.0;
            for (t: 4) y[v] = y[v] + x[v, r*4 + t];
        }
}
END
try 0 "3:9      reduction block s: reads y[v], x[v, r * 4: 4] writes y[v]" explain "$T/block.irl"
try 0 "r is reduce" explain "$T/block.irl"
json 0 '{"name": "v", "declared": "spatial", "kind": "spatial", "because": null}' explain "$T/block.irl" --json
escape="x[v, r * 4 + t] is read = [0, 3] where i = 0, k = 0, t = 3, outside of the region that block 's' declares, reads(x[v, r * 4: 3])"
try 0 "$escape" explain "$T/block.irl"
json 0 "\"escapes\": [{\"access\": 2, \"proved\": \"yes\", \"text\": \"$escape\"}]" explain "$T/block.irl" --json
try 1 "block.irl:5:24: error: $escape [bad-region]" lower "$T/block.irl"
json 0 '"parallel": "unknown"' explain "$T/nests.irl" --json
echo 'func f(x: f32[9, 9], y: f32[9]) { for (i: 9) for (j: i + 1) y[i] = y[i] + x[j, i]; }' > "$T/triangle.irl"
try 0 "x[j, i]: 45 times, 45 cells, 180 bytes, 6 lines" explain "$T/triangle.irl"
json 0 '"lines": {"exact": "yes", "value": 6}' explain "$T/triangle.irl" --json
echo 'func f(N: index, y: f32[N, 8]) { for (i: N, j: 8) y[i, j] = 1.0; }' > "$T/named.irl"
try 0 "y[i, j]: N * 8 times, N * 8 cells, N * 32 bytes" explain "$T/named.irl"
json 0 '"formula": "N * 8", "formula_exact": "yes"' explain "$T/named.irl" --json
try 0 "y[i, j]: 512 times, 512 cells, 2048 bytes, 32 lines" explain "$T/named.irl" --set N=64
try 2 "no scalar parameter" explain "$T/named.irl" --set M=64
try 0 "it depends on names whose values are not given" explain "$T/nests.irl"
echo 'func f(n: index, x: f32[n], y: f32[n]) { alloc a: f32[n + 1]; for (i: n) a[i + 1] = x[i]; for (i: n) y[i] = a[i]; }' > "$T/hole.irl"
try 0 "a[i]: a[i] at i = 0 is read, but nothing has written it where n = 1" explain "$T/hole.irl"
json 0 '"memory": [{"buffer": "x"' explain "$T/hole.irl" --json
$irlc lower "$T/triangle.irl" --schedule none > "$T/lowered.irl" || fail "a triangle is not lowered"
try 0 "y (parameter, 36 bytes): from launch 0 to launch 0" explain "$T/lowered.irl"
try 2 "expected" explain "$T/worse.irl"

try 2 "no command" frobnicate
try 2 "usage" check "$nchw4c"
try 2 "texture:weight" lower "$T/relu.irl" --scope x=moon
try 2 "cannot read the file" lower "$T"
try 2 "no such option" check "$nchw4c" 2,5,7,16 --target scalar
"$irlc" --help > "$T/help"
for c in $(sed -nE 's/^    irlc ([a-z]+) .*/\1/p' "$T/help"); do
    try 0 "irlc $c" $c --help
    cp "$T/out" "$T/of"
    for form in "$c -h" "help $c"; do
        "$irlc" $form > "$T/out" && cmp -s "$T/of" "$T/out" || fail "irlc $form says something else than irlc $c --help"
    done
    sed -n '/^  example:$/{n;p}' "$T/out" | grep -q "^    irlc $c " || fail "irlc help $c has no example"
    [ -z "$(awk 'length > 100' "$T/out")" ] || fail "the help of $c is wider than 100 columns"
done
[ -z "$(awk 'length > 100' "$T/help")" ] || fail "the help is wider than 100 columns"
# each example without a file runs as it stands
for c in map check inverse show pack dma simplify texture target steps; do
    (eval "$("$irlc" help $c | sed -n '/^  example:$/{n;s|^    irlc|"$irlc"|;p}')" > /dev/null) || fail "the example of irlc $c fails"
done
# what was meant
meant() { # WORDS what is offered
    local word=$1
    shift
    "$irlc" "$@" > "$T/out" 2> "$T/err" < /dev/null
    [ $? = 2 ] && [ ! -s "$T/out" ] && grep -qF -e "$word" "$T/err" && [ "$(wc -l < "$T/err")" -lt 40 ] || fail "irlc $* does not offer '$word'"
}
meant "there is no command 'chekc'; did you mean 'check'?" chekc
meant "did you mean 'schedule'?" help shedule
meant "--layuot; did you mean --layout?" lower "$T/relu.irl" --layuot x=1
meant "edma; did you mean edma3?" dma '(i) -> (i)' 4 --controller edma
meant "opencl21; did you mean opencl12?" lower "$T/relu.irl" --target opencl21
meant "vectorise; did you mean vectorize?" lower "$T/relu.irl" --without vectorise
meant "splitt; did you mean split?" steps splitt
meant "textur; did you mean texture?" lower "$T/relu.irl" --scope x=textur
meant "openlc; did you mean opencl?" lower "$T/relu.irl" --emit openlc
meant "guad; did you mean guard?" lower "$T/relu.irl" --bounds guad
meant "point; did you mean points?" show '(i) -> (i)' 4 --side point
meant "f63; did you mean f64?" emit '(i) -> (i)' 4 --type f63
meant "uin16; did you mean uint16?" emit '(i) -> (i)' 4 --index uin16
meant "opncl; did you mean opencl?" emit '(i) -> (i)' 4 --as opncl
meant "yy; did you mean y?" show "$T/relu.irl" --access yy
meant "there is no command 'frobnicate' (irlc" frobnicate
# -o FILE: what would have been printed; nothing where there is none, and then the file stays
try 0 "" check "$nchw4c" 2,5,7,16 -o "$T/kept"
"$irlc" check "$nchw4c" 2,5,7,16 | cmp -s - "$T/kept" && [ ! -s "$T/out" ] || fail "-o of irlc check"
try 1 "" check '(y, x) -> (y/2, x)' 6,6 --out "$T/lossy"
grep -q lossy "$T/lossy" || fail "-o of a verdict that says no"
try 1 "dma-limit" dma '(y, x) -> (x, y)' 6,6 --controller rp2040 -o "$T/kept"
try 2 "syntax" map '(y) -> ' 6 -o "$T/kept"
grep -q bijective "$T/kept" && [ ! -e "$T/kept.part" ] || fail "a result that there is not has taken the place of a file"
try 2 "cannot write" check '(i) -> (i)' 4 -o "$T/none/such"
# fmt: the same again, of its own text too; comments stay
printf 'func f(x: f32[8],y: f32[8]){for(i:8)y[i]=x[i]*2.0;}\nschedule wide { vectorize(y.i); } // kept\n' > "$T/form.irl"
try 0 "" fmt "$T/form.irl" -o "$T/formed.irl"
try 0 "schedule wide { vectorize(y.i); } // kept" fmt "$T/formed.irl"
try 0 "" fmt "$T/formed.irl" --check
try 1 "would change" fmt "$T/form.irl" --check
cat > "$T/named.irl" <<'END'
const N = 512; // rows
fn half(x: f32) -> f32 = x * 0.5;

/* halves */
func f(x: f32[N, 1024]) {
    for (i: N)
        x[i, 0] = x[i, 1] * 0.5f; // one
}
END
try 0 "" fmt "$T/named.irl" --constants name --check
try 0 "x: f32[512, 1024]" fmt "$T/named.irl"
try 2 "did you mean name" fmt "$T/named.irl" --constants nam
cat > "$T/comments.irl" << 'X'
// 1: at the head
/* 2: two
   lines */
func mm(a: f32[4, 8], /* 3: inside */ b: f32[8, 4], // 4: behind
        c: f32[4, 4]) // 5: behind, too
{
    // 6: before a loop
    for (i: 4) { // 7: braces that go
        for (j: 4) {
            // 8: "a quote
            c[i, j] = sum(k: 8, a[i, k] * b[k, j]); // 9: `b
        } // 10
    }
    // 11: at the end of a block
} // 12
// 13: of the schedule
schedule wide { vectorize(c.j); } // 14
X
try 0 "" fmt "$T/comments.irl" -o "$T/commented.irl"
for k in $(seq 14); do [ "$(grep -c "/[/*] $k\b" "$T/commented.irl")" = 1 ] || fail "fmt: comment $k is lost or there twice"; done
grep -q 'b\[vk, vj\]; // 9: `b' "$T/commented.irl" && grep -q '^} // 12$' "$T/commented.irl" || fail "fmt: comments stand elsewhere"
try 0 "" fmt "$T/commented.irl" --check
grep -qE '//.*//' "$T/commented.irl" && { cat "$T/commented.irl"; fail "fmt: two comments on one line"; }
printf 'func f(x: f32[8], // in\n       y: f32[8]) // out\n{ // body\n    for (i: 8) // loop\n        y[i] = x[i] // value\n            * 2.0f; // twice\n} // end\n' > "$T/behind.irl"
printf '// in\n// out\nfunc f(x: f32[8], y: f32[8]) { // body\n    for (i: 8) // loop\n        // value\n        y[i] = x[i] * 2.0f; // twice\n} // end\n' > "$T/wanted.irl"
try 0 "" fmt "$T/behind.irl" -o "$T/formed.irl"
diff "$T/wanted.irl" "$T/formed.irl" || fail "fmt: comments behind lines that become one"
try 0 "" fmt "$T/wanted.irl" --check
# comments far inside, and a file of many tokens without one
{ echo 'func f(x: f32[8], schedules: f32[8]) {'; for k in $(seq 40); do echo 'if (x[0] > 0.0) {'; done; for k in $(seq 60); do echo '// k'; done
  echo 'x[0] = schedules[0];'; for k in $(seq 40); do echo '}'; done; echo '}'; } > "$T/deep.irl"
try 0 "" fmt "$T/deep.irl" -o "$T/deeper.irl"
[ "$(grep -c '// k' "$T/deeper.irl")" = 60 ] || fail "fmt: comments far inside are lost"
{ echo 'func f(x: f32[8]) {'; for k in $(seq 1200); do echo 'x[0] = x[1];'; done; echo '}'; } > "$T/long.irl"
try 0 "x[0] = x[1]" fmt "$T/long.irl"
for what in comments commented; do "$irlc" lower "$T/$what.irl" > "$T/$what.out" || fail "irlc lower $what.irl"; done
cmp -s "$T/comments.out" "$T/commented.out" || fail "fmt changes what a function means"
echo 'func f(' > "$T/broken.irl"
try 2 "syntax" fmt "$T/broken.irl"
try 2 "cannot read" fmt "$T/none.irl"

try 0 "static inline uint16_t ssd1306_place(uint16_t y, uint16_t x)" emit '(y, x) -> (y/8, x, y%8)' 64,128 --index uint16 --name ssd1306
try 0 "static inline void layout_pack(const uint8_t *from, uint8_t *to)" emit "$nchw4c" 2,5,7,16 --type u8 --as c
try 1 "is 256, and uint8_t holds 0 to 255" emit '(y, x) -> (y/8, x, y%8)' 64,128 --index u8
try 1 "lossy: (0, 0) and (1, 0) both map to [0, 0]" emit '(y, x) -> (y / 8, x)' 96,200 --type u8 --name epd
try 1 "lossy" emit '(y, x) -> (y / 8, x)' 96,200 --type u1 --name epd
try 0 "epd_place" emit '(y, x) -> (y / 8, x)' 96,200 --type u8 --name epd --lossy
turned='(y, x) -> ((95 - y) / 8, 199 - x, (95 - y) % 8)'
try 0 "bits       bit 0 of byte 2399" map "$turned" 96,200 0,0 --type 'u1 bits(msb)'
try 0 "bits       bit 0 of byte 20 to bit 7 of byte 23" map '(y, x) -> (y, x)' 4,4 1,1 --type f32
json 0 '"last_bit": 7' map '(y, x) -> (y, x)' 4,4 1,1 --type u12 --json
try 0 "each index fits u16" check "$turned" 96,200 --type 'u1 bits(msb)' --index u16
try 1 "is 19199, and uint8_t holds 0 to 255" check "$turned" 96,200 --index u8
json 1 "is 19199, and uint8_t holds 0 to 255" check "$turned" 96,200 --index u8 --json
try 0 "bijective: each of 19200 bits" check "$turned" 96,200 --type u1 --bound 12,200,8
try 1 "out-of-range: (0, 0) goes to [12, 0, 0]" check '(y, x) -> ((96 - y) / 8, x, (96 - y) % 8)' 96,200 --type u1 --bound 12,200,8
try 2 "there is no such index type" emit "$nchw4c" 2,5,7,16 --index int
try 2 "a layout is emitted as c" emit "$nchw4c" 2,5,7,16 --as opencl
try 0 "int relu_create(relu_opencl *cl" emit "$T/relu.irl" "$layout" --as c-opencl
try 2 "--as is c, c-gnu, opencl, c-opencl or glsl" emit "$nchw4c" 2,5,7,16 --as pascal
try 0 "void relu(const float *IRL_RESTRICT x, float *IRL_RESTRICT y);" emit "$T/relu.irl" "$layout"
try 0 "__kernel" emit "$T/relu.irl" "$layout" --as opencl
try 0 "int relu_checked(int count, const irl_packed *arguments, irl_refusal *refusal);" emit "$T/relu.irl" "$layout" --checked
try 0 "#ifdef UI_RELU_IMPLEMENTATION" emit "$T/relu.irl" "$layout" --header --prefix ui_
try 0 "for (uint16_t" emit "$T/relu.irl" "$layout" --index uint16
try 0 "x_h_w += 6" emit "$T/relu.irl" "$layout" --index u8 # a pointer moves, and what is left of the index fits
try 1 "and uint8_t holds 0 to 255" emit "$T/wide.irl" --index u8
try 2 "use -o x.c" emit "$T/relu.irl" "$layout" --header-source
try 2 "one header, or a header and a source" emit "$T/relu.irl" "$layout" --header --header-source -o "$T/pair.c"
try 2 "are for --as c" emit "$T/relu.irl" "$layout" --index u16 --as opencl
"$irlc" emit "$T/relu.irl" "$layout" --header-source -o "$T/pair.c" && grep -q '^#include "pair.h"$' "$T/pair.c" &&
    ! grep -q '^{' "$T/pair.h" && printf '#include "pair.h"\nint main(void) { (void)relu; return 0; }\n' > "$T/pair_main.c" &&
    gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -o "$T/pair" "$T/pair_main.c" "$T/pair.c" && "$T/pair" || fail "the emitted pair does not work"
"$irlc" emit "$T/relu.irl" "$layout" --header --checked -o "$T/twice.h" && printf '#define RELU_IMPLEMENTATION\n#include "twice.h"\n#include "twice.h"\nint main(void) { (void)relu; return 0; }\n' > "$T/twice.c" &&
    gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -o "$T/twice" "$T/twice.c" && "$T/twice" || fail "the emitted header does not go into a file twice"
try 2 "--static takes a number of bytes" emit "$T/relu.irl" --static x
try 2 "--type is for layouts" emit "$T/relu.irl" --type f32
try 2 "--name are for --as c" emit "$T/relu.irl" --as opencl --name f
"$irlc" emit "$T/relu.irl" --name rectify --prefix my_ > "$T/named.c" && grep -q '^void my_rectify(' "$T/named.c" && ! grep -q '^[a-z].*relu' "$T/named.c" ||
    fail "emit --name does not name the function"
"$irlc" emit "$nchw4c" 2,5,7,16 --name nc -o "$T/nc.h" && printf '#include "nc.h"\nint main(void) { return (int)nc_place(0, 0, 0, 0); }\n' > "$T/nc.c" &&
    gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -o "$T/nc" "$T/nc.c" && "$T/nc" || fail "the emitted header does not work"

try 0 "[2, 4, 5, 7, 4]" map "$nchw4c" 2,5,7,16
try 0 "[27, 13]" map "$nchw4c" 2,5,7,16 1,2,3,5
try 0 "[3, 4, 2]" map '(..., c) -> (..., c/2, c%2)' '[3, 7]'
try 2 "not in the shape" map "$nchw4c" 2,5,7,16 1,2,3,16
try 2 "a shape is written" map "$nchw4c" 2.5
try 2 "unknown-name" map '(a) -> (b)' 4
json 0 '"place": [27, 13]' map "$nchw4c" 2,5,7,16 1,2,3,5 --json

try 0 "bijective onto [2, 4, 5, 7, 4]" check "$nchw4c" 2,5,7,16
try 0 "injective into" check "$nchw4c" 2,5,7,14
try 0 "bijective onto [2, 1, 5, 7, 3], in memory [2, 1, 5, 7, 4]" check "$nchw4c" 2,5,7,3
json 0 '"physical": [1, 3], "memory": [1, 4], "verdict": "bijective"' check '(i) -> (i/4, i%4)' 3 --json
json 0 '"padding": "axis1 >= 3", "pad_cells": 1' check '(i) -> (i/4, i%4)' 3 --json
try 0 "in memory [1, 4, 8, 8]" check '(y, x) -> (y/64, x, y%64/8, y%8)' 39,4
try 1 "both map to [-1], and out of range: (0) goes to [-1]" check '(i) -> (i / 2 - 1)' 4
try 1 "both map to [0], and out of range: (7) goes to [3]" check '(i) -> (i / 2)' 8 --bound 3
try 1 "out-of-range: (0) goes to [-1]" dma '(i) -> (i / 2 - 1)' 4 --type u8 --unpack
try 1 "out-of-range: (0) goes to [-1]" emit '(i) -> (i / 2 - 1)' 4
json 0 '"physical": [2, 1, 5, 7, 3], "buffer": [2, 1, 5, 7, 4]' map "$nchw4c" 2,5,7,3 --json
try 0 "injective: 1 of 16 bits is unused, the first is bit 7 of byte 1" check 'record rgb bytes(2) { b: u5; g: u5; r: u5; }'
try 0 "injective: 6 of 32 bits are unused, the first is bit 0 of byte 1" check '(y, x) -> (y*16 + x)' 2,13 --type 'u1 bits(msb)'
try 0 "elements: bijective onto [4]" check '(i) -> (i)' 4 --type u3
try 1 "lossy: (0) and (1) have bit 2 of byte 1" check '(i) -> (i)' 4 --type 'i12 strides(10)'
try 1 "lossy for N = 1, M = 2: (0, 0) and (0, 1) have bit 2 of byte 0" check '(y, x) -> (y, x)' 'N=?,M=?' --type 'u3 strides(2)'
json 0 '"unused_bits": "7 - (N * 3 + 7) % 8"' check '(i) -> (i)' 'N=?' --type u3 --json
try 2 "bad-type" check '(i) -> (i)' 4 --type u65
try 2 "u1..u63, i2..i63" check '(i) -> (i)' 4 --type u65
try 0 "static inline uint8_t d_get(const uint8_t *memory, uint16_t y, uint16_t x)" emit '(y, x) -> (y/8, x, y%8)' 64,128 --type u1 --name d --index u16
try 0 "elements u3 bits(msb), injective: 1 of 40 bits is unused" emit '(i) -> (i)' 13 --type 'u3 bits(msb)'
try 0 "layout_pack(const uint8_t *from, uint8_t *to)" emit '(i) -> (u8(i*7))' 54 --type u8
try 0 "there is no layout_point: no formula of the inverse is known" emit '(i) -> (u8(i*7))' 54 --type u8
for element in 'u1 offset(4)' 'u16 offset(8)' 'u3 offset(2) strides(7)'; do
    "$irlc" emit '(i) -> (i + 1)' 8 --type "$element" -o "$T/signs.h" && gcc -std=c99 -Wall -Wextra -Wconversion -Wsign-conversion -Werror -fsyntax-only -x c "$T/signs.h" ||
        fail "irlc emit --type '$element': warnings"
done
try 2 "bad-type" emit '(i) -> (i)' 13 --type u65
try 1 "lossy: s and q[0] have bit 4 of byte 1" check 'record r bytes(18) { s: f16; q: u4[4] offset(12); }'
json 1 '"verdict": "out-of-range", "unused_bits": 0, "b": {"field": "a", "element": 1}, "bit": 10}' check 'record r bytes(1) { a: u5[2]; }' --json
echo 'record q4 bytes(18) { s: f16; q: u4[2, 16] strides(4, 8); }' > "$T/q4.irl"
try 0 "bijective: each of 144 bits" check "$T/q4.irl"
try 2 "cannot be read" check "$T/none.irl"
try 2 "syntax" check 'record r { }'
printf '// one\nfunc f(x: f32[4]) { x[0] = 1; }\n' > "$T/no_record.irl"
try 2 "the file holds functions: irlc explain FILE" check "$T/no_record.irl"
try 2 "is not a name in C" emit 'record `x*/ int evil; /*` bytes(1) { a: u8; }' --name q
try 0 "i_0" pack 'record r bytes(2) { i0: u8[2]; }'
try 0 "static inline uint8_t q_get_q(const uint8_t *record, uint32_t i0, uint32_t i1)" emit "$T/q4.irl" --name q
try 2 "a record is emitted as c; as OpenCL C it is packed" emit "$T/q4.irl" --as opencl
try 2 "a record is emitted as c" emit 'record r bytes(1) { a: u8; }' --as glsl
try 1 "lossy-map" emit 'record r bytes(2) { a: u5[2] strides(4); }'
try 2 "its only option is --name" emit "$T/q4.irl" --type u8
try 0 "func pack_q4(n: index implicit, s: f16[n], q: u8[n, 2, 16], packed: u8[n, 18])" pack "$T/q4.irl"
json 0 '"unpack": "func unpack_q4(' pack "$T/q4.irl" --json
try 0 "__kernel" pack "$T/q4.irl" --emit opencl
try 1 "map-out-of-range" pack 'record r bytes(1) { a: u5[2]; }'
try 2 "not for a record" pack "$T/q4.irl" --pad 0
try 2 "a map needs a shape" pack '(i) -> (i)'
try 2 "for a map, not for a record" check "$T/q4.irl" --bound 4
try 1 "both map to [2, 0]" check '(y, x) -> (y, (x ^ y) % 6)' 6,6
try 1 "out-of-range" check '(y, x) -> (y - 1, x)' 6,6
try 1 "out-of-range" check '(y, x) -> (y, x)' 6,6 --bound 6,5
try 0 "bijective" check '(y, x) -> (y, x)' 6,6 --bound=6,6
try 3 "undecided" check '(i) -> (i*i + i / 3 * (i % 7))' 1000000000
try 3 "undecided: deciding it takes more than 20000 steps; most_work allows more (irlc --work)" check '(i) -> (i*i*i % 999983)' 999983 --work 20000
try 0 "bijective onto [999983]" check '(i) -> (i*i*i % 999983)' 999983 --work 1000000000
try 3 "more than 100 steps" check '(i) -> (i/4, i%4)' N=? --work 100
try 3 "more than 100 steps" inverse '(i) -> (i/4, i%4)' 64 --work 100
try 2 "a number of steps, above 0; found" check '(i) -> (i)' 4 --work 0
try 2 "a number of steps, above 0; found" check '(i) -> (i)' 4 --work 1e9
try 1 "undefined: overflow at i * 4611686018427387904: its operands are 2 and 4611686018427387904 at (2), one of 100 points" check '(i) -> (i*4611686018427387904)' 100
json 1 '"witness": {"a": [2], "b": null, "at": null}, "reason": "overflow at i * 4611686018427387904' check '(i) -> (i*4611686018427387904)' 100 --json
try 1 "division by zero at 8 / i: its operands are 8 and 0 at (0)" check '(i) -> (8/i)' 9
json 0 '"padding": "axis1 * 4 + axis4 >= 14"' check "$nchw4c" 2,5,7,14 --json
json 1 '"witness": {"a": [' check '(y, x) -> (y/2, x)' 6,6 --json

# points that map to one cell of what is only read: said on stderr, unless the function or the caller says that it is meant
echo 'func share(x: f32[4, 8], y: f32[4, 8]) { for (i: 4, c: 8) y[i, c] = x[i, c]; }' > "$T/share.irl"
note="warning: 'x' is only read, and its layout maps different points to one cell: (0, 0) and (0, 1) both map to [0, 0]. Its caller must pass that memory, x: f32[4, 2]"
"$irlc" lower "$T/share.irl" --layout 'x=(i, c) -> (i, c/4)' --emit opencl > "$T/out" 2> "$T/err" || fail "a many-to-one layout of what is read is refused"
grep -qF "$note" "$T/err" || fail "no warning of points that map to one cell: $(cat "$T/err")"
! grep -qF "note:" "$T/out" || fail "a note on stdout"
grep -qF "x: read, f32[4, 2], not injective: (0, 0) and (0, 1) both map to [0, 0]" "$T/out" || fail "the kernel's comment does not say that not injective"
try 0 "x: read, f32[4, 2], not injective" lower "$T/share.irl" --layout 'x=(i, c) -> (i, c/4)' --emit opencl --shared-cells x
sed 's/) {/) attr(shared_cells = "x") {/' "$T/share.irl" > "$T/meant.irl"
try 0 'attr(shared_cells = "x")' lower "$T/meant.irl" --layout 'x=(i, c) -> (i, c/4)'

# cells of what is written that hold what nobody states
sed 's/ attr(unstated_padding = "y")//' "$T/relu.irl" > "$T/unstated.irl"
"$irlc" lower "$T/unstated.irl" "$layout" > "$T/out" 2> "$T/err" || fail "padding that is not stated is refused"
grep -qF "warning: 'y' is written, and its layout has unused cells: 70 of them, where axis1 * 4 + axis4 >= 6." "$T/err" || fail "no warning of padding that is not stated: $(cat "$T/err")"
try 0 "host func relu" lower "$T/unstated.irl" "$layout" --padding y=0

try 0 " KiB of memory" check '(y, x) -> (y/8, x, y%8)' 64,128
try 0 "proved by mixed-radix decomposition, within " check '(i) -> (i/4, i%4)' N=?
try 0 "proved by enumeration, within " check '(i) -> (i*i)' 1000
try 3 "not known, within " check '(i) -> (i*i + i / 3 * (i % 7))' 10000000
json 0 '"reason": null, "flattened": [64], "bytes": ' check '(i) -> (i/4, i%4)' 64 --json
json 3 '", "flattened": [2], "bytes": ' check '(i) -> (i ^ 1)' N=? --json
try 1 "lossy" check '(i) -> (i/2 - 3)' 8
# a name in a shape, or in an expression, that is not declared is a question
try 2 "'abc' is not declared; write abc=? for a symbolic extent" check '(i) -> (i)' abc
try 2 "'rwos' is not declared; write rwos=? for a symbolic extent, or --let for a value; did you mean rows?" check '(i, j) -> (i, j)' 'rows=?,4*rwos'
try 2 "'N' is not declared" inverse '(i) -> (i)' N
try 2 "'N' is not declared" pack '(i) -> (i)' N
try 2 "'M' is not declared" check '(i) -> (i)' N=? --bound M
try 2 "'n' is not declared; write n=? for any integer" simplify 'n + k' k=5
echo 'func f(x: f32[rows, k], y: f32[rwos, k]) { for (i: rows, j: k) y[i, j] = x[i, j]; }' > "$T/misspelt.irl"
for verb in explain show lower schedule; do
    "$irlc" $verb "$T/misspelt.irl" 2>&1 > /dev/null | grep -q "^warning: in 'f', 'rwos' .* is 'rows' meant?" || fail "irlc $verb asks nothing about rwos"
done
try 0 "bijective onto [N, 4]" check '(i) -> (i/4, i%4)' '4*N=?'
try 0 "none where min(C, 4) <= (C + 3) % 4 + 1" check "$nchw4c" N=?,H=?,W=?,C=?
try 0 "bijective onto [N, M, T, 8]" check '(i, j) -> (i/T, j/8, i%T, j%8)' '[T=?*N=?, 8*M=?]'
try 1 "lossy for N = 2, M = 9: (0, 8) and (1, 0) both map to [8]; where M <= 8, injective into" check '(i, j) -> (i*8 + j)' N=?,M=?
try 1 "out-of-range for N = 10: (9) goes to [11]" check '(i) -> (i + 2)' N=? --bound 10
try 0 "injective" check '(i) -> (i + 2)' N=? --bound N+2
try 0 "injective" check '(i) -> (i + 2)' 8 --bound N=?+9
try 3 "the range of output 0 is not known" check '(i, j) -> (i ^ j, j)' 16,M=?
try 2 "write a map as in (y, x)" check '(i) -> (i))' 4
try 2 "0 by 10 is written 0,10; found: 0x10" check '(i) -> (i)' 0x10
try 2 "0 by 10 is written 0,10; found: 0x10" map '(i) -> (i)' 0x10
printf 'func f(x: u65[8]) { }' > "$T/u33.irl"
try 2 "'u65' is not a type: integers have 8, 16, 32 or 64 bits" fmt "$T/u33.irl"
printf 'func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 8) { alloc s: f32[100] scope(local); for (k: 100) s[k] = x[k / 20]; y[g] = s[g * 9]; } }' > "$T/one.irl"
try 0 "s: 400 bytes, " plan "$T/one.irl"
printf 'graph net { func h(x: f32[n], y: f32[n]) { for (i: n) y[i] = x[i]; } input x: f32[8]; c = h(x); output c; }' > "$T/banana.irl"
build/irlc graph "$T/banana.irl" --json | sed 's/"storage_id": .*\]\]*/&, "storage_scope": ["list_str", ["global", "texture:banana"]]/' > "$T/banana.json"
try 2 "texture, texture:weight, texture:volume or texture:buffer" graph "$T/banana.json"
printf 'graph net { func h(x: i32[6], y: i32[6]) layout(x: (i) -> (i / 2)) { for (i: 6) y[i] = x[i]; } input x: i32[6]; y = h(x); output y; }' > "$T/halves.irl"
try 0 "same: 9 elements" run "$T/halves.irl" --check
printf 'func f(x: f32[8]) { x[0] = extern(f32, h, 1.0f); }' > "$T/no_form.irl"
try 1 "or rewrite it for this one" emit "$T/no_form.irl" --as glsl
printf 'func f(N: index, x: f16[8, 8, 4] scope(texture), k: f32, y: f32[8, N], t: f32[8, 8, 4] scope(texture)) {\n for (h: 8, v: 8, o: 4) t[h, v, o] = f32(x[h, v, o]) * k;\n for (h: 8, v: N) y[h, v] = k; }' > "$T/shaders.irl"
json 0 '"launches": ["f_0", "f_1"], "memory": [{"name": "x", "kind": "parameter", "bytes": "512", "first": 0, "last": 0}' emit "$T/shaders.irl" --as glsl --json
json 0 '"groups": ["(N + 63) / 64", "8", "1"], "push_bytes": 8' emit "$T/shaders.irl" --as glsl --json
json 0 '{"name": "x", "type": "f16", "set": 0, "binding": 0, "kind": "sampled image", "access": "read", "format": null}' emit "$T/shaders.irl" --as glsl --json
json 0 '"kind": "storage image", "access": "write", "format": "rgba32f"}' emit "$T/shaders.irl" --as glsl --json
try 2 "--json is for all shaders of --as glsl" emit "$T/shaders.irl" --json
try 2 "choose by --kernel, or take all by --json" emit "$T/shaders.irl" --as glsl
try 2 "expected ')'" check '(i) -> (i)' '2*(N=?'
try 2 "rank-mismatch" check '(i) -> (i)' 'N=?,M=?'
try 2 "the bound has 2 axes and the map goes to 1" check '(i) -> (i)' N=? --bound N,2
json 0 '"min": [0, "max(N - 2, 1) * M", 0], "physical": [3, "N * M + 1", "M"], "memory": [3, "N * M + 1", "M"], "box_reached": true' check '(i, j) -> (i, (N - i % N) * M, j)' '3,M' --let 'N=?' --let 'M=?' --json
json 0 '"shape": ["N", "4 * N"], "min": [0], "physical": ["N * N * 4"], "memory": ["N * N * 4"], "box_reached": true, "verdict": "bijective", "method": "mixed-radix decomposition", "where": null' check '(i, j) -> (i*(4*N) + j)' 'N=?,4*N' --json
json 1 '"values": {"N": 2}, "witness": {"a": [0], "b": [1], "at": [0]}' check '(i) -> (i/2)' N=? --json
json 1 '"b": null' check '(i) -> (i - 1)' N=? --json
json 3 '"reason": "the range' check '(i) -> (i ^ 1)' N=? --json

try 0 "(axis0) -> (axis0 / M, axis0 % M)" inverse '(i, j) -> (i*M + j)' N=?,M=?
try 0 "padding where N <= axis0 * 4 + axis1" inverse '(i) -> (i/4, i%4)' N=?
try 1 "" inverse '(i) -> (i/2)' N=?
json 0 '"condition":' inverse '(i) -> (i/4, i%4)' N=? --json
try 0 "axis1 * 4 + axis4" inverse "$nchw4c" 2,5,7,16
try 0 "padding where" inverse "$nchw4c" 2,5,7,14
try 1 "" inverse '(y, x) -> (y/2, x)' 6,6
json 0 '"pad_cells": 140' inverse "$nchw4c" 2,5,7,14 --json

try 0 "func unpack(packed: f32[2, 4, 5, 7, 4], plain: f32[2, 5, 7, 14])" pack "$nchw4c" 2,5,7,14
try 0 "? 7 : plain[" pack "$nchw4c" 2,5,7,14 --pad 7 --type i32 --emit=opencl
try 0 "3. every other cell" pack "$nchw4c" 2,5,7,14 --proof
json 0 '"proof": "layout ' pack "$nchw4c" 2,5,7,14 --proof --json
try 0 "func pack(N: index, plain: f32[N], packed: f32[(N + 3) / 4, 4])" pack '(i) -> (i/4, i%4)' N=?
try 0 "assert(M >= 1 && N >= 1 && N < 9" pack '(i, j) -> (i*8 + j)' M=?,N=?
try 0 "unused   C <= axis1 * 4 + axis4" pack "$nchw4c" 1,H=?,W=?,C=? --proof
json 0 '"shape": [1, "H", "W", "C"]' pack "$nchw4c" 1,H=?,W=?,C=? --json
try 1 "" pack '(i) -> (i/2)' N=?
try 1 "" pack '(y, x) -> (y/2, x)' 6,6
try 0 "func pack(plain: u8[6, 5], packed: u4[2, 5, 4])" pack '(c, x) -> (c/4, x, c%4)' 6,5 --type u4
try 0 "decl cells: i12[8] data(packed) strides(20) offset(4) bits(msb)" pack '(i) -> (i)' 8 --type 'i12 bits(msb) offset(4) strides(20)'
try 0 "packed: read and written, u10[64]" pack '(i) -> (i)' 64 --type u10 --emit opencl
try 0 "packed: u8[N * 2])" pack '(i) -> (i)' N=? --type 'u10 offset(4) strides(16)'
try 0 "bits: bijective: each of 32 bits belongs to an element" pack '(i) -> (7 - i)' 8 --type u4 --proof
json 0 '"element": "u4"' pack '(i) -> (7 - i)' 8 --type u4 --json
try 1 "elements of 10 bits every 8 bits: lossy: (0) and (1) have bit 0 of byte 1" pack '(i) -> (i)' 8 --type 'u10 strides(8)'
try 2 "does not fit elements of 4 bits: they are 0 to 15" pack '(i) -> (i/4, i%4)' 6 --type u4 --pad 16
try 2 "has a fraction" pack '(i) -> (i/4, i%4)' 6 --type u4 --pad 1.5
echo 'func f(x: i32[6], y: i32[6]) { for (i: 6) y[i] = x[i]; }' > "$T/relu_int.irl"
try 2 "has a fraction, and type u8 holds only whole numbers" pack '(i) -> (i/4, i%4)' 6 --type u8 --pad 1.5
try 0 "1.5f" pack '(i) -> (i/4, i%4)' 6 --pad 1.5
try 2 "has a fraction" lower "$T/relu_int.irl" --layout 'x=(i) -> (i/4, i%4)' --padding x=1.5
try 1 "need strides of at least their width" pack '(i) -> (i/4, i%4)' 5 --type 'u4 strides(2)'
"$irlc" pack '(i) -> (i)' 'N=?' --type u4 | sed '/^$/,$d' > "$T/packing.irl"
try 0 "packed: read and written, u4[N]" emit "$T/packing.irl" --as c
try 0 "plain: read, u8[N]" emit "$T/packing.irl" --as c
try 2 "cannot be filled" pack '(i) -> (2 * i)' 6 --type 'u10 strides(8)' --pad 0
try 2 "padding is a number" pack "$nchw4c" 2,5,7,14 --pad none
try 2 "does not fit" pack "$nchw4c" 2,5,7,14 --pad 300 --type u8
try 2 "no such element type" pack "$nchw4c" 2,5,7,14 --type f12

try 0 "c * 3" simplify '(c/4*4 + c%4)*2 + min(c, 99)' c=0..63
try 0 "n + 5" simplify 'n + k' k=5 n=?
try 2 "a range is written" simplify 'c' c=zero
json 0 '"simplified": "true"' simplify 'a < b + 1' a=0..3 b=5..9 --json

try 0 "chosen" texture 1,64,1120,1120
try 0 "chosen     texture:buffer" texture 1,64,56,56 --limit 4x4
try 1 "width 50176 is over the limit of 50000" texture 1,64,56,56 --limit 4x4 --texels 50000 --layers=8
try 2 "a limit is at least 1; found" texture 1,64,56,56 --texels 0
try 2 "a limit is at least 1; found" texture 1,64,56,56 --layers many
json 0 '"chosen": "texture:buffer"' texture 65521x4 --json
json 0 '"map": "(i0, c) -> (i0, c / 4, c % 4)", "width": 65521, "height": 1, "layers": 1, "scope": "texture:buffer", "waste": 0, "fits": true' texture 65521x4 --json
json 0 '"chosen": "texture:volume"' texture 1x256x1200x1200 --layers 63 --json
json 1 '"chosen": null' texture 1x256x1200x1200 --layers 63 --volume 1000 --json
try 2 "a limit is written" texture 1,64,56,56 --limit wide
json 0 '"chosen": "' texture 1,56,56,64 --channel=3 --limit 16384x16384 --type f16 --json

# schedules
printf 'func f(y: i32[10]) { for (i: 9) y[i + 1] = y[i]; }' > "$T/chain.irl"
printf '{ (a, b) = split(y.i, 4); annotate(a, k = 1); }' > "$T/steps"
try 0 "for (io: 3)" schedule "$T/chain.irl" --do '(io, ii) = split(y.i, 4)' --do 'annotate(io, k = 1)'
printf 'func f(y: i32[8]) { for (i: 8) y[i] = 1; }\nschedule a { (io, ii) = split(y.i, 4); }\nschedule b { unroll(y.i); }' > "$T/beside.irl"
try 0 "for (io: 2)" schedule "$T/beside.irl"
try 0 "for unrolled (i: 8)" schedule "$T/beside.irl" --schedule b
try 0 "for (i: 8)" schedule "$T/beside.irl" --schedule none
try 0 "for (io: 2)" schedule "$T/beside.irl" --do 'unroll(ii)'
try 2 "there is no schedule 'c' next to the function: a, b" schedule "$T/beside.irl" --schedule c
try 0 "same" run "$T/beside.irl" --check
# a function whose steps keep its rounding is compared as it was written, before them
for how in "" "--schedule b" "--schedule none" "--schedule none --do unroll(y.i)"; do
    json 0 '"interpreted": "as written"' run "$T/beside.irl" --check --json $how
done
try 0 "same: 8 elements, on the device and in the interpreter, as written" run "$T/beside.irl" --check
json 0 '"interpreted": "after a pass"' run "$T/beside.irl" --check --after flatten --json
# a lossy layout takes other data than what was written
echo 'func g(x: f32[8], y: f32[8]) attr(shared_cells = "x") { for (i: 8) y[i] = x[i / 2 * 2]; }' > "$T/lossy_read.irl"
json 0 '"interpreted": "as scheduled"' run "$T/lossy_read.irl" --check --json --layout 'x=(i) -> (i/2)' --do '(a, b) = split(y.i, 4)'
json 0 '"interpreted": "as written"' run "$T/lossy_read.irl" --check --json --layout 'x=(i) -> (i/4, i%4)' --do '(a, b) = split(y.i, 4)'
# what is written is a result, whatever the memory held before
echo 'func t(y: u32[1]) { y[0] = 2; }' > "$T/two.irl"
echo 'func t(y: u32[1], x: u32[1]) { decl v: u8[4] data(y); for (i: 4) v[i] = u8(x[0]) * 0 + 2; }' > "$T/view.irl"
for seed in 1 2 3 4 5 6 7 8 9; do
    json 0 '[{"name": "y", "type": "u32", "shape": [1], "checksum": "8d1ace904a398d17", "first": [2]}]' run "$T/two.irl" --json --seed $seed
    json 0 '[{"name": "y", "type": "u32", "shape": [1], "checksum": ' run "$T/view.irl" --json --seed $seed
done
echo '{ reorder(c.k, c.i); vectorize(c.k); }' > "$T/steps2"
try 0 '"schedule": "{\n    (a, b) = split(y.i, 4);' schedule "$T/chain.irl" --schedule "$T/steps" --json
try 1 "are one element" schedule "$T/chain.irl" --do 'parallel(y.i)'
try 1 '"code": "illegal-step"' schedule "$T/chain.irl" --do 'parallel(y.i)' --json
echo 'func f(y: f32[9]) { for (i: 8) y[i + 1] = y[i]; }' > "$T/carried.irl"
try 2 "no step 'cut'" schedule "$T/chain.irl" --do 'cut(y.i)'
cat > "$T/product.irl" <<'END'
func product(a: f32[32, 24], b: f32[32, 24], c: f32[32, 32]) {
    for (i: 32, j: 32, k: 24)
        block c(vi: spatial(32) = i, vj: spatial(32) = j, vk: reduce(24) = k) {
            init c[vi, vj] = 0.0f;
            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vj, vk];
        }
}
END
try 0 "b_packed = reindex_cache_read(c, b, global, (vi, vj, vk) -> (vk, vj)); // " schedule "$T/product.irl" --auto
json 0 '"schedule": "{\n    contract(c);' schedule "$T/product.irl" --auto --json
"$irlc" schedule "$T/product.irl" --auto > "$T/made" || fail "no schedule is made"
"$irlc" schedule "$T/product.irl" --schedule auto > "$T/auto1" && "$irlc" schedule "$T/product.irl" --schedule "$T/made" > "$T/auto2" &&
    cmp -s "$T/auto1" "$T/auto2" || fail "--schedule auto is not the schedule that --auto prints"
# with layouts and scopes, and after steps that are given: what --auto prints is what lower uses
lowers_so() {
    "$irlc" lower "$T/product.irl" "$@" > "$T/auto1" && "$irlc" schedule "$T/product.irl" --auto "$@" > "$T/made" &&
        "$irlc" lower "$T/product.irl" "$@" --schedule "$T/made" > "$T/auto2" || fail "no schedule is made with $*"
    cmp -s "$T/auto1" "$T/auto2" || fail "schedule --auto $* prints another schedule than lower uses"
}
lowers_so --layout 'a=(i, j) -> (j, i)'
lowers_so --layout 'b=(i, j) -> (i, j/5, j%5)' --padding b=0
lowers_so --layout 'b=(i, j) -> (i, |, j/4, |, j%4)' --scope b=texture
lowers_so --scope a=constant --target opencl12-gpu
lowers_so --layout 'c=(i, j) -> (j, i)' --target c-gnu-avx2
echo 'func copy(x: f32[64, 64], y: f32[64, 64]) { for (i: 64, j: 64) y[i, j] = x[i, j]; }' > "$T/turned.irl"
try 0 "fuse(y.i, y.j)" schedule "$T/turned.irl" --auto
try 0 "(i_o, i_v) = split(y.i, 16);" schedule "$T/turned.irl" --auto --layout 'x=(i, j) -> (j, i)' --layout 'y=(i, j) -> (j, i)'
echo 'func two(x: f32[64], y: f32[64, 64], z: f32[64]) { for (i: 64, j: 64) y[i, j] = x[i] + x[j]; for (i: 64) z[i] = y[i, 0]; }' > "$T/two.irl"
echo '{ (zo, zi) = split(z.i, 4); vectorize(zi); }' > "$T/first"
try 0 "vectorize(zi);" schedule "$T/two.irl" --auto --schedule "$T/first"
grep -q " = .*(y.*; // " "$T/out" || fail "schedule --auto --schedule FILE does not make the rest"
cp "$T/out" "$T/made"
try 0 "(zo: 16)" schedule "$T/two.irl" --schedule "$T/made"
try 0 "for (i: 32, j: 32, k: 24)" schedule "$T/product.irl" --schedule none
try 0 "for (i: 32, j: 32, k: 24)" schedule "$T/product.irl"
try 0 "float16" lower "$T/product.irl" --emit opencl
try 0 "bind(group.y)" lower "$T/product.irl" --after schedule
try 0 "for parallel (i: 32) note(scheduled = 1)" lower "$T/product.irl" --do 'parallel()' --after legalize_bits
for former in --after --without; do
    $irlc lower "$T/product.irl" $former split_loops --schedule none > "$T/out" 2> "$T/err" || fail "$former split_loops is refused"
    grep -qF "there is no pass 'split_loops' any more: automatic schedules do this" "$T/err" || fail "it is not said what replaced split_loops"
    grep -qE 'for .*i: 32' "$T/out" || fail "$former split_loops shows nothing"
done
try 2 "the pass did not run" lower "$T/product.irl" --after schedule --schedule none
try 2 "the pass did not run" lower "$T/product.irl" --after schedule --do "contract(c)"
echo '{ }' > "$T/nothing"
try 2 "the pass did not run" lower "$T/product.irl" --after schedule --schedule "$T/nothing"
try 0 "on the device and in the interpreter, as scheduled" run "$T/product.irl" --check
try 0 "as written: the same up to rounding, at most 0." run "$T/product.irl" --check
echo 'func f(x: f32[64], y: f32[63]) { alloc m: u8[256]; decl a: f32[64] data(m) bits(lsb); decl b: f32[63] data(m) bits(lsb) strides(32) offset(8); for (i: 64) a[i] = x[i] * x[i] + x[i]; for (j: 63) y[j] = b[j]; }' > "$T/phase.irl"
try 0 "63 of 127 numbers have none" run "$T/phase.irl" --do 'contract(a)' --check
# of bits several elements are one byte, and each has an error
for few in 'u4[4]' 'u1[256]'; do
    echo "func bits(x: $few, y: i32[1]) { for (i: 1) y[i] = sum(i32: j: ${few:3:-1}, i32(x[j])); }" > "$T/few_bits.irl"
    try 0 "as written: the same up to rounding" run "$T/few_bits.irl" --check --do 'reassociate(y)'
done
json 0 '"rounding": {"result": "same", "worst": 0.' run "$T/product.irl" --check --json
try 0 '"interpreted": "as written"' run "$T/product.irl" --check --schedule none --json
grep -q rounding "$T/out" && fail "nothing is rounded otherwise without contract and reassociate"
# what is far from the interpreter in ulp, but within its bound of rounding, is the same
echo 'func near(x: f32[64], y: f32[64]) { for (i: 64) y[i] = exp(x[i] + 2.0f) - exp(x[i] * 1.001f + 2.0f); }' > "$T/near.irl"
try 0 "up to rounding, at most 0." run "$T/near.irl" --check
json 0 '"of_bound": 0.' run "$T/near.irl" --check --json
try 1 "16 ulp are allowed (irlc run --check --ulp N: N)" run "$T/near.irl" --check --ulp 16
try 0 "same as interpreter, up to rounding" time "$T/near.irl" --runs 1
try 0 " 1 kernel," time "$T/near.irl" --runs 1
sed 's/= \(exp.*\);/= 1.0f \/ (\1);/; s/1.001f/1.000001f/' "$T/near.irl" > "$T/open.irl"
try 1 "and rounding has no bound there" run "$T/open.irl" --check
json 1 '"result": "different"' run "$T/open.irl" --check --json
sed '2i assert(a[0, 0] * 16.0f == floor(a[0, 0] * 16.0f), "sixteenths");' "$T/product.irl" > "$T/whole.irl"
try 0 "as written: not compared" run "$T/whole.irl" --check
json 0 '"rounding": "not compared"' run "$T/whole.irl" --check --json
sed 's/a\[vi, vk\] \* b\[vj, vk\]/a[vi, vk] * b[vj, vk] \/ (a[0, 0] - a[0, 1] - a[0, 0] + a[0, 1])/' "$T/product.irl" > "$T/open.irl"
try 0 "1024 of 2560 numbers have none" run "$T/open.irl" --check --schedule none --do 'reassociate(c)'
printf 'func f(a: f16[5, 65], y: f16[5]) { for (i: 5) y[i] = sum(k: 65, a[i, k]); }' > "$T/parts.irl"
try 0 "as written: the same up to rounding, at most 0." run "$T/parts.irl" --target opencl12-gpu --check
try 0 "same as interpreter, as scheduled, which equals the function as written up to rounding" time "$T/parts.irl" --target opencl12-gpu --runs 2
try 0 "same: 330 elements" run "$T/parts.irl" --target opencl12-gpu --schedule none --check
grep -q "as scheduled" "$T/out" && fail "nothing is scheduled"
printf 'func f(a: f16[65, 70000], y: f16[65]) { for (i: 65) y[i] = sum(k: 70000, a[i, k]); }' > "$T/long.irl"
try 0 "same as interpreter, as scheduled, which equals the function as written up to rounding" time "$T/long.irl" --target opencl12-gpu --runs 1
try 0 "splits a loop into nested loops" steps
json 0 '"name": "split"' steps split --json
try 2 "no step of a schedule" steps lunch
try 0 "float16" lower "$T/product.irl" --schedule auto --emit opencl
try 0 "__kernel" emit "$T/product.irl" --schedule auto --as opencl
try 0 "void product(" emit "$T/product.irl" --schedule auto
try 0 "f32x16_at" emit "$T/product.irl" --target c-gnu-avx512
try 1 "has work-items; C has loops" emit "$T/product.irl" --target opencl12
try 0 "same" run "$T/product.irl" --schedule auto --check
# where all takes long some elements are checked: how many of how many is said, and how long it would take
sed 's/\b32\b/512/g; s/\b24\b/512/g' "$T/product.irl" > "$T/large.irl"
sampled() {
    n=$((n + 1))
    timeout 120 "$irlc" "$@" > "$T/out" 2> "$T/err" || { cat "$T/out" "$T/err"; fail "irlc $*: $?"; }
    grep -q "checked 64 of 262144 elements" "$T/out" || { cat "$T/out"; fail "irlc $* does not say how much it checks"; }
    grep -q "checking all 262144 elements takes about [0-9]* s; 64 are checked (--check=all: all)" "$T/err" || { cat "$T/err"; fail "irlc $* does not say how long all would take"; }
}
sampled run "$T/large.irl" --check
sampled run "$T/large.irl" --check --schedule none
sampled time "$T/large.irl" --runs 1
"$irlc" run "$T/large.irl" --check=7 2>&1 > "$T/out" | grep -q "takes about [0-9]* s; 7 are checked" || fail "--check=7 does not say how long all would take"
# what the elements are made of is computed whole: how long that takes is said
echo 'func late(x: f32[8000000], y: f32[8000000]) { alloc t: f32[8000000]; t[0] = x[0]; for (i: 1 .. 8000000) t[i] = x[i] + t[i - 1]; for (i: 8000000) y[i] = t[i]; }' > "$T/whole_sums.irl"
"$irlc" run "$T/whole_sums.irl" --check --schedule none 2>&1 > "$T/out" | grep -q "; what they are made of takes about 1 s" || fail "it is not said how long what is computed whole takes"
# of half as many: long indices, as schedules make them, take longer
echo 'func late(x: f32[3000000], y: f32[3000000]) { alloc t: f32[3000000]; t[0] = x[0]; for (i: 1 .. 3000000) t[i / 8 * 8 + i % 8] = x[i] + t[(i - 1) / 8 * 8 + (i - 1) % 8]; for (i: 3000000) y[i] = t[i]; }' > "$T/long_indices.irl"
"$irlc" run "$T/long_indices.irl" --check --schedule none 2>&1 > "$T/out" | grep -q "; what they are made of takes about 1 s" || fail "long indices take no longer"
try 0 "; not checked" time "$T/large.irl" --runs 1 --no-check
try 0 "checked 7 of 1024 elements" run "$T/product.irl" --check=7
try 0 "checked 1 of 1024 elements" run "$T/product.irl" --check=1 --schedule none
try 0 "checked 1024 of 1024 elements" run "$T/product.irl" --check=5000
try 0 "checked 9 of 1024 elements" time "$T/product.irl" --runs 1 --check=9
json 0 '"elements": 9, "of_elements": 1024' run "$T/product.irl" --check=9 --json
json 0 '"compared": "checked 9 of 1024 elements"' time "$T/product.irl" --runs 1 --check=9 --json
try 0 "same: 2560 elements" run "$T/product.irl" --check=all
try 2 "--check is all or a number from 1" run "$T/product.irl" --check=0
try 2 "--check is all or a number from 1" time "$T/product.irl" --check=some
try 2 "choose one of --check, --no-check" time "$T/product.irl" --check=all --no-check
try 2 "choose one of --check, --no-check" run "$T/product.irl" --check --no-check
# each element needs the one before it: no sample
echo 'func sums(x: f32[100], y: f32[100]) { y[0] = x[0]; for (i: 1 .. 100) y[i] = y[i - 1] + x[i]; }' > "$T/sums.irl"
"$irlc" run "$T/sums.irl" --check=5 > "$T/out" 2> "$T/err" && grep -q "same: 200 elements" "$T/out" && grep -q "no element can be computed alone" "$T/err" ||
    { cat "$T/out" "$T/err"; fail "irlc run --check=5 of a running sum"; }
try 0 "same as interpreter, as scheduled, which equals the function as written up to rounding" time "$T/product.irl" --schedule auto --runs 2
try 0 "same as interpreter, as scheduled" time "$T/whole.irl" --schedule auto --runs 2
grep -q "up to rounding" "$T/out" && fail "it does not run on the rounded input"
json 0 '"kernels": 2, "gflops": ' time "$T/product.irl" --schedule auto --runs 2 --json
try 2 "at most 64 options" steps $(printf -- '--json %.0s' $(seq 65))
echo 'func cnt(x: f32[100], y: f32[100]) { for (i: 100) y[i] = i > 2 ? x[i] : 0.0f; }' > "$T/cnt.irl"
try 0 "y[i]: 100 times" explain "$T/cnt.irl"
grep -q "operations of floats" "$T/out" && fail "a choice is no operation of floats"
try 2 "numbers is \"strict\" or \"free\"" fmt <(echo 'func f(x: f32[4]) attr(numbers = "nonsense") { }')
try 2 "--runs needs" time "$T/product.irl" --runs 0
try 1 "illegal-step" time "$T/product.irl" --schedule "$T/steps2"
try 0 "us  auto" tune "$T/product.irl" --runs 2 -o "$T/tuned"
grep -q "// irlc tune: the fastest of" "$T/tuned" || fail "the tuned schedule does not say what it was faster than"
try 0 "same as" time "$T/product.irl" --schedule "$T/tuned" --runs 2
try 0 "// irlc tune: the fastest of" tune "$T/product.irl" --runs 1
json 0 '"name": "as written", "us": ' tune "$T/product.irl" --runs 1 --json
echo 'func out(y: f32[8]) { for (i: 9) y[i] = 1.0f; }' > "$T/leaves.irl"
try 1 "out-of-bounds" tune "$T/leaves.irl" --runs 1
try 1 "out-of-bounds" plan "$T/leaves.irl"
try 2 "there is no such option" tune "$T/product.irl" --schedule auto
try 2 "cannot write" tune "$T/product.irl" --runs 1 -o "$T/no/such/folder"
try 2 "cannot read the schedule" schedule "$T/chain.irl" --schedule "$T/none"
try 0 "host func f" lower "$T/chain.irl" --do 'split(y.i, 4)'

try 0 "host func relu" lower "$T/relu.irl"
try 0 "void relu(__global const float" lower "$T/relu.irl" "$layout" --emit=opencl
try 0 "pad(0.0f)" lower "$T/relu.irl" "$layout" --padding y=0 --after=apply_layouts
try 0 "scope(constant)" lower "$T/relu.irl" --scope x=constant --after=apply_layouts
try 1 "" lower "$T/relu.irl" --layout 'y=(n, h, w, c) -> (n, c/4, h, w)'
# on what is only read several points may map to one cell; who forgot a remainder is told so
n=$((n + 1))
"$irlc" lower "$T/relu.irl" --layout 'x=(n, h, w, c) -> (n, c/4, h, w)' > "$T/out" 2> "$T/err" || fail "lower: many-to-one on what is only read"
grep -qF "warning: 'x' is only read, and its layout maps different points to one cell: (0, 0, 0, 0) and (0, 0, 0, 1) both map to [0, 0, 0, 0]" "$T/err" || { cat "$T/err"; fail "lower: no warning of a many-to-one layout"; }
try 2 "no such scope" lower "$T/relu.irl" --scope x=cellar
try 2 "unknown-name" lower "$T/relu.irl" --scope z=constant
try 2 "no such pass" lower "$T/relu.irl" --after lunch
try 2 "--layout x:1:29: error: there is no variable 'q'" lower "$T/relu.irl" --layout 'x=(n,h,w,c) -> (n, c/4, h, w, q%4)'
try 2 "--assume x:1:10: error" lower "$T/relu.irl" --assume 'x=(n,h,w,c)'
try 2 "MAP:1:14: error" check '(n,h) -> (n, q)' 4,4
try 2 "MAP:1:1: error: the map takes 2 axes, (n, h); 1 is given" check '(n,h) -> (n, h)' 4
try 2 "relu.irl:2:6: error: 'q' is neither a parameter nor an allocation" lower "$T/relu.irl" --layout 'q=(i) -> (i)'
try 2 "standard input:1:1: error" lower -
try 2 "'q' is neither a parameter" lower "$T/relu.irl" --padding q=0
try 2 "relu.irl:2:31: error: 'y' has no layout whose padding could be set" lower "$T/relu.irl" --padding y=0

# every stage that --trace shows can be asked for, printed as it was, and run; what is optional can be left out
$irlc lower "$T/relu.irl" "$layout" --trace > "$T/out" 2> "$T/trace" || fail "lower --trace"
same=$($irlc run "$T/relu.irl" | grep -o "checksum.*")
for pass in $(sed -n 's,^// after ,,p' "$T/trace" | grep -v reading | sort -u); do
    try 0 "relu" lower "$T/relu.irl" "$layout" --after "$pass"
    try 0 "$same" run "$T/relu.irl" "$layout" --after "$pass"
    if $irlc lower "$T/relu.irl" "$layout" --without "$pass" > /dev/null 2>&1; then
        try 0 "$same" run "$T/relu.irl" "$layout" --without "$pass" --after split_host
    else
        try 2 "it cannot be left out" lower "$T/relu.irl" --without "$pass"
    fi
done
try 0 "kernel func relu" lower "$T/relu.irl" --after split_host
try 0 "for (h: 5, w: 7, c: 6)" lower "$T/relu.irl" --schedule none --without vectorize
try 2 "the pass did not run: vectorize" lower "$T/relu.irl" --without vectorize --after vectorize
try 2 "no such pass" lower "$T/relu.irl" --without lunch
echo 'func f(m: index, n: index, x: f32[m, n]) { for (i: m, j: n) x[i, j] = 1.0f; }' > "$T/set.irl"
try 2 "another --set the next" run "$T/set.irl" --interpret --set m=3,n=4
try 2 "OpenCL is emitted from the last" lower "$T/relu.irl" --after flatten --emit=opencl
# what leaves its buffer: refused, said, refused if it is asked, guarded
echo 'func gather(x: i32[8], y: f32[16], z: f32[8]) { for (i: 8) z[i] = y[index(x[i])]; }' > "$T/gather.irl"
echo 'func beyond(y: f32[8]) { for (i: 9) y[i] = 1.0; }' > "$T/beyond.irl"
try 1 "'y' is written at [i] = [8], outside of its shape [8] where i = 8 [out-of-bounds]" lower "$T/beyond.irl"
try 1 "out-of-bounds" lower "$T/beyond.irl" --bounds guard
echo 'func shift(a: u8[8], b: u8[8]) { for (i: 8) b[i] = (a[i] * b[i]) >> 8; }' > "$T/shift.irl"
try 1 "what is shifted has 8 bits, and u8 is not promoted: write i32(a[i]) * i32(b[i]) >> 8" lower "$T/shift.irl"
"$irlc" lower "$T/gather.irl" > "$T/out" 2> "$T/err" || fail "lower: an access that is not proved"
grep -qF "gather.irl:1:60: warning: 'y' is read at [index(x[i])], and index(x[i]) is not proved to be in [0, 16): it is from -2147483648 to 2147483647" "$T/err" || { cat "$T/err"; fail "lower: no warning"; }
try 3 "[bounds-unknown]" lower "$T/gather.irl" --bounds refuse
try 0 "x[i] >= 0 && x[i] < 16 ? y[x[i]] : 0.0f" lower "$T/gather.irl" --bounds guard --emit opencl
try 0 "if_then_else(index(x[i]) >= 0 && index(x[i]) < 16, y[index(x[i])], 0.0f)" lower "$T/gather.irl" --bounds guard --after guard_bounds
try 0 "checksum" run "$T/gather.irl" --bounds guard
try 2 "--bounds is warn, refuse or guard; found: maybe" lower "$T/gather.irl" --bounds maybe
json 0 '"after": "split_host", "ir": "module relu' lower "$T/relu.irl" --after split_host --json
json 0 '"kernels": null' lower "$T/relu.irl" --json
json 0 '"global": null, "local": null, "global_text": ["n"]' lower "$T/scale.irl" --emit=opencl --json
printf 'func f(`\xff`: f32[4], `gr\xc3\xb6`: f32[4]) { for (i: 4) `gr\xc3\xb6`[i] = `\xff`[i]; }' > "$T/bytes.irl"
json 0 '"name": "gr'"$(printf '\xc3\xb6')" run "$T/bytes.irl" --json
json 0 '`\u00ff`' lower "$T/bytes.irl" --json
json 0 '"name": "strict"' target --json
try 0 "false: a memory has one access type" target strict
try 0 "work_group = 256;" target
try 0 "// c99                C99: work-items are loops" target
try 0 "target opencl12 {" target opencl12
echo 'target mygpu: opencl12 { widths = 1, 2; work_group = 64; }' > "$T/my.target"
try 0 "work_group = 64;" target "$T/my.target"
try 0 "target(mygpu)" lower "$T/relu.irl" --target "$T/my.target"
try 0 "target(tiny)" lower "$T/relu.irl" --target 'target tiny { }'
try 2 "expected a power of two" lower "$T/relu.irl" --target 'target tiny { alignment = 3; }'
try 2 "no such target" target abacus
try 2 "no such target" lower "$T/relu.irl" --target abacus
try 2 "syntax" lower "$T/worse.irl"
try 2 "cannot read" lower "$T/nowhere.irl"
json 0 '"name": "relu"' lower "$T/relu.irl" "$layout" --emit=opencl --json
$irlc lower "$T/relu.irl" "$layout" > "$T/module.irl" || fail "lower"
try 0 "host func relu" lower "$T/module.irl"
try 2 "holds a module" lower "$T/module.irl" "$layout"
$irlc lower "$T/relu.irl" --trace > "$T/out" 2> "$T/err" || fail "lower --trace"
grep -q "// after flatten" "$T/err" || fail "--trace does not show the stages"
$irlc lower "$T/relu.irl" --verify-each > "$T/verified" 2> "$T/err" || fail "lower --verify-each"
cmp -s "$T/out" "$T/verified" || fail "--verify-each changes what is lowered"
echo 'func wide(y: f32[16]) { for bind(group.x) (g: 4) { alloc s: f32[20000] scope(shared); for bind(local.x) (l: 4) { s[l] = 1.0; y[g * 4 + l] = s[l]; } } }' > "$T/wide.irl"
$irlc lower "$T/wide.irl" > "$T/out" 2>&1 || fail "what no target has room for is lowered where nobody asks"
try 1 "80000 bytes of shared memory; target 'opencl12' has 32768" lower "$T/wide.irl" --verify-each

try 0 "chosen     n,c/16,h|c/4%4,w" texture 1x64x1120x1120
try 0 "4480 x 4480" texture 1x64x1120x1120 --limit 16384x16384
try 1 "no: images have no format for f64" texture 1x64x56x56 --type f64
try 2 "one of the shape's axes" texture 1x64x56x56 --channel 4
json 0 '"chosen": "n,c/16,h|c/4%4,w"' texture 1x64x1120x1120 --json

try 0 "checksum" run "$T/relu.irl"
cp "$T/out" "$T/first"
try 0 "$(cat "$T/first")" run "$T/relu.irl" "$layout" --after simplify
try 0 "$(cat "$T/first")" run "$T/module.irl"
try 0 "y: f32[9]" run "$T/scale.irl" --set n=9 --set a=1.5 --seed 7
# integers take all values, the ends of their types too; one that becomes an index only if each access is proved
echo 'func ends(x: i8[4096], u: u64[4096], y: i8[2], z: u64[2]) {
    y[0] = min(i: 4096, x[i]); y[1] = max(i: 4096, x[i]); z[0] = min(i: 4096, u[i]); z[1] = max(i: 4096, u[i]);
}' > "$T/ends.irl"
try 0 "-128 127" run "$T/ends.irl"
try 0 "0 18446744073709551615" run "$T/ends.irl"
echo 'func bins(x: u8[5000], h: i32[256], y: i32[1]) {
    for (b: 256) h[b] = 0;
    for (i: 5000) h[index(x[i])] += 1;
    y[0] = count(i32: b: 256, h[b] > 0);
}' > "$T/bins.irl"
try 0 "    256" run "$T/bins.irl"
sed 's/256/16/g' "$T/bins.irl" > "$T/bins16.irl"
$irlc run "$T/bins16.irl" 2> /dev/null | grep -q "^    16$" || fail "an index that is not proved to be inside is not small"
try 2 "needs a value" run "$T/scale.irl"
try 2 "no scalar parameter of this name: m" run "$T/scale.irl" --set n=9 --set m=2
try 2 "no scalar parameter of this name: x" run "$T/scale.irl" --set n=9 --set x=2
try 1 "" run "$T/late.irl"
json 0 '"checksum"' run "$T/relu.irl" --json
try 2 "choose one" run "$T/relu.irl" --device --check
if $irlc run "$T/relu.irl" --device > "$T/out" 2> "$T/err"; then
    diff "$T/first" "$T/out" || fail "the device and the interpreter print different results"
    try 0 "same: 420 elements" run "$T/relu.irl" "$layout" --padding y=0 --check
    try 0 "same: " run "$T/scale.irl" --set n=100 --check
    json 0 '"result": "same"' run "$T/relu.irl" --check --json
else
    grep -q "no-device" "$T/err" || { cat "$T/err"; fail "run --device"; }
fi
# ---- exit statuses: what each command's are says the table of the help, and it is true, cell by cell

irlc=build/irlc
cat > "$T/wide.irl" <<'END'
func wide(x: f32[1000000000], y: f32[1000000000]) {
    for (i: 4) y[i] = x[i];
}
END
far='(i) -> (i*i + i / 3 * (i % 7))' # decided by no rule, with too many points to look at
fault() { # BODY: the one element of a function's loop, run
    echo "func f(x: f32[64], y: f32[64]) { for (i: 64) { $1 } }" > "$T/fault.irl"
}
try 1 overflow map '(i) -> (i * 4611686018427387904)' 100
try 1 division-by-zero map '(i) -> (8 / i)' 9
# a map without a value somewhere is refused, whatever the reason, for numbers and for names, by every command
while IFS='|' read -r kind map shape; do
    try 1 "$kind" check "$map" "$shape"
    try 1 "$kind" inverse "$map" "$shape"
    try 1 "$kind" pack "$map" "$shape"
done <<'END'
undefined: division by zero|(i) -> (4 / i)|3
undefined: division by zero|(i) -> (i % 0)|N=?
undefined: division by zero|(i) -> (let(q = 4 / i, i))|N=?
undefined: overflow at|(i) -> (i * 4611686018427387904)|3
undefined: overflow at|(i) -> (i + 9223372036854775807)|9000000000000
undefined: the distance of a shift is too large|(i) -> (i << 30 * i)|4
undefined: the distance of a shift is too large|(i) -> (i, u8(i) << u8(i))|N=?
undefined: the distance of a shift is too large|(i) -> (1 << (i - 1))|2
, and division by zero at|(i) -> (4 / i)|N=?
, and the distance of a shift is too large at|(i) -> (u8(i) << u8(i))|20
, and overflow at|(i) -> (i / 2 * 4611686018427387904)|9
out-of-range: (0) goes to|(i) -> (i + 9223372036854775807)|1
END
try 1 bad-value map '(i) -> (i << 30 * i)' 4
try 3 undecided show "$far" 1000000000
try 1 "! several points in this place" show '(y, x) -> (y/2, x)' 4,6
try 0 "/ padding: no point in this cell" show '(i) -> (i/4, i%4)' 10
try 0 $'\033[' show '(i) -> (i/4, i%4)' 10 --color always
try 0 "framed: 16 elements" show '(i) -> (i/4, i%4)' 64 --line 64 --type f32
try 0 "framed: 8 elements" show '(y, x) -> (y/8, x, y%8)' 16,8 --frame 8 --side memory --cells 4x8
try 0 "<svg " show '(i) -> (i/4, i%4)' 10 --svg --walk
try 0 "<animate " show '(i) -> (i/4, i%4)' 10 --svg --animate
if command -v python3 > /dev/null; then
    python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$T/out" || fail "irlc show --svg: no XML"
fi
grep -q 'http' "$T/out" && [ "$(grep -o 'http[^"]*' "$T/out" | sort -u)" != http://www.w3.org/2000/svg ] && fail "irlc show --svg loads something"
try 0 "" show '(i) -> (i/4, i%4)' 10 --out "$T/picture.txt"
grep -q "memory of 12 cells" "$T/picture.txt" || fail "irlc show --out"
try 0 "|  |  |  |  reads x[n, h, w, c]" show "$T/relu.irl"
try 0 "<svg " show "$T/relu.irl" --svg
try 0 "1. layouts and scopes" lower "$T/relu.irl" "$layout" --html
grep -q "<script\|src=\|href=" "$T/out" && fail "irlc lower --html: it loads something"
for word in "apply_layouts" "__kernel" "</html>"; do
    grep -qF "$word" "$T/out" || fail "irlc lower --html: no $word"
done
"$irlc" lower "$T/relu.irl" --html --out "$T/page.html" && grep -q "</html>" "$T/page.html" || fail "irlc lower --html --out"
try 0 "a step of the schedule" lower "$T/relu.irl" --html --do '(io, ii) = split(y.h, 5)'
try 1 "out-of-bounds" lower "$T/late.irl" --html
# the steps alone, side by side, of a schedule from the command line and of one in the file
try 0 '<h2>1. (io, ii) = split(y.h, 5)</h2>' schedule "$T/relu.irl" --html --do '(io, ii) = split(y.h, 5)' --do 'vectorize(ii)'
for word in '<h2>2. vectorize(ii)</h2>' '<td class="p">        for vectorized (ii: 5)</td>' '>for vectorized ii: 5</text>' '</html>'; do
    grep -qF -e "$word" "$T/out" || fail "irlc schedule --html: no $word"
done
{ cat "$T/scale.irl"; echo 'schedule wide { (o, v) = split(y.i, 8); vectorize(v); }'; } > "$T/wide_scale.irl"
try 0 '<h2>2. vectorize(v)</h2>' schedule "$T/wide_scale.irl" --html
try 0 'As it is scheduled' schedule "$T/relu.irl" --html --schedule auto
try 1 "are one element" schedule "$T/chain.irl" --html --do 'parallel(y.i)'
try 2 "--html shows the steps" schedule "$T/relu.irl" --html --auto
try 2 "--html shows the steps" schedule "$T/relu.irl" --html --json
try 0 "memory of 12 elements, by the first iteration that touches each" show "$T/turn.irl" --access y
try 0 "1,0+3" show "$T/turn.irl" --access x
try 0 "irl-y" show "$T/turn.irl" --access y --svg
try 2 "no such buffer" show "$T/turn.irl" --access z
try 2 "a number is expected" show "$T/scale.irl" --access y
try 2 "--access is for functions" show '(i) -> (i)' 4 --access y
try 2 "--html shows all stages" lower "$T/relu.irl" --html --trace
try 2 "--html shows all stages" lower "$T/net.irl" --html
try 0 "" lower "$T/relu.irl" --out "$T/lowered.out"
try 2 "--color is auto" show '(i) -> (i)' 4 --color red
try 2 "--side is points" show '(i) -> (i)' 4 --side left
try 2 "not a multiple of --type" show '(i) -> (i)' 4 --line 6
try 0 "framed: 8 elements that are neighbours" show '(y, x) -> (y/8, x, y%8)' 16,8 --type u1 --line 1 # bits in bytes
try 0 "framed: 4 elements" show '(i) -> (i)' 12 --type u10 --line 5
try 0 "   0  -------0-------| -0- -----1-----" show '(i) -> (i)' 7 --type u10
try 1 "lossy: (0) and (1) have bit 0 of byte 1" show '(i) -> (i)' 4 --type 'u10 strides(8)' --side memory
try 0 "<title>bit 4 of byte 0: 1</title>" show '(i) -> (i)' 4 --type u4 --svg
try 0 "   0  / / / / -speed-" show 'record can bytes(2) bits(msb) { speed: u12 offset(4); }'
printf '// a header\nrecord r bytes(1) { s: u4; }\n' > "$T/u4.irl"
try 0 "   0  / / / / ---s---" show "$T/u4.irl"
try 1 "a[0] and b have bit 3 of byte 0" show 'record r bytes(2) { a: u5[3]; b: u1 offset(3); }'
try 2 "for a record only --svg" show 'record r bytes(2) { a: u5[3]; }' --type u4
printf 'func f(x: u8[6], y: i4[6] bits(msb)) { for (i: 6) y[i] = i8(i) - i8(3); }' > "$T/run_bits.irl"
try 0 "-3 -2 -1 0 1 2" run "$T/run_bits.irl"
try 0 "y: i4 bits(msb)[6]" run "$T/run_bits.irl"
json 0 '"first": [-3, -2, -1, 0, 1, 2]' run "$T/run_bits.irl" --json
try 2 "not a multiple of --type" show '(i) -> (i)' 12 --type u10 --line 4
try 2 "no such element type: u32x" show '(i) -> (i)' 12 --type u32x --line 4
try 2 "two sizes" show '(i) -> (i)' 4 --line 64 --frame 4
try 2 "at most 256" show '(i) -> (i)' 4 --cells 300x2
try 2 "'N' is not declared; write N=? for a symbolic extent, or --let for a value" show '(i) -> (i)' N
try 2 "N=? is allowed in check, inverse, map and pack only; found: N=?" show '(i) -> (i)' N=?
# names in maps and shapes: a value, or any
try 0 "flattened memory [N * H * ((C + 3) / 4), W * 4]" check "$nchw4c" N=?,H=?,W=?,C=?
json 0 '"flattened": [1152, 12]' check "$nchw4c" 6,64,3,9 --json
json 0 '"flattened": null' check '(i, j) -> (i*1073741824, j*4294967296, 0)' 3,3 --json
try 0 "flattened memory [N]" check '(i) -> (i)' N=? --type u12
try 0 "in memory  [M * 4 + 13]" map '(i, j) -> (i/4, j, i%4)' N=?,M=? 5,3
try 0 "where      N >= 6 && M >= 4" map '(i, j) -> (i/4, j, i%4)' N=?,M=? 5,3
try 0 "goes to    [(N - 1) / 4, P, (N - 1) % 4]" map '(i, j) -> (i/4, j, i%4)' N=?,M=? N-1,P=?
try 0 "bits       bit 0 of byte N - 1 to bit 7 of byte N - 1" map '(i) -> (i)' N=? N-1 --type u8
json 0 '"place": ["p * 16"], "where": "p < N"' map '(i) -> (i*T)' N=? p=? --let T=16 --json
try 2 "the point is not in the shape" map '(i) -> (i)' N=? N
try 2 "'Q' is not declared" map '(i) -> (i)' N=? Q
try 2 "--let NAME=4 gives its value, --let NAME=? means any value from 1 on" check '(i) -> (i/T, i%T)' 16
json 2 '"hint": "declare a name that is not an axis' check '(i) -> (i/T, i%T)' 16 --json
try 0 "injective into [15 / T + 1, min(16, T)]" check '(i) -> (i/T, i%T)' 16 --let T=?
try 0 "bijective onto [4, 4]" check '(..., i) -> (..., i/T, i%T)' 4*T --let T=4
try 1 "undefined: division by zero" check '(i) -> (i/T, i%T)' 16 --let T=0
try 0 "layout: (i) -> (i / 8, i % 8) on [16]" emit '(i) -> (i/T, i%T)' 2*T --let T=8
try 0 "(axis0, axis1) -> (T * axis0 + axis1)" inverse '(i) -> (i/T, i%T)' N=? --let T=?
try 0 "func pack" pack '(i) -> (i/T, i%T)' 16 --let T=4
try 2 "--let T=4 gives the name its value" emit '(i) -> (i/T, i%T)' 16 --let T=?
try 2 "--let is N=4" check '(i) -> (i)' 4 --let T=x
try 2 "--let is N=4" check '(i) -> (i)' 4 --let 4=4
try 2 "given twice for one name: T=5" check '(i) -> (i)' 4 --let T=4 --let T=5
try 2 "--let is for a map and its shape" emit "$T/relu.irl" --let T=4
try 2 "--let is for a map and its shape" show "$T/relu.irl" --let T=4
try 3 undecided inverse "$far" 1000000000
try 3 undecided pack "$far" 1000000000
try 3 undecided lower "$T/wide.irl" --layout "y=$far"
try 3 undecided dma "$far" 1000000000
try 3 undecided plan "$T/wide.irl" --layout "y=$far"
try 3 undecided emit "$T/wide.irl" --layout "y=$far"
try 3 undecided run "$T/wide.irl" --layout "y=$far"
try 3 undecided time "$T/wide.irl" --layout "y=$far"
try 3 undecided tune "$T/wide.irl" --layout "y=$far"
try 1 division-by-zero simplify '1 / 0'
try 1 overflow simplify '9223372036854775807 + 1'
try 2 syntax simplify 'a +' a=?
try 2 "a shape is written" inverse '(i) -> (i)' 4,
try 2 "a shape is written" pack '(i) -> (i)' 4,
try 1 too-deep simplify "$(printf 'min(a, %.0s' $(seq 500))1$(printf ')%.0s' $(seq 500))" a=?
for word in 'out-of-bounds y[i] = x[i + 1];' 'division-by-zero y[i] = x[i / (i - i)];' \
    'overflow y[i] = f32(i * 4611686018427387904);' 'bad-value y[i] = f32(1 << (i * 40));' \
    'bad-value y[i] = f32(i32((x[i] + 9.0f) * 1e30f));' 'undef-used y[i] = undef(f32);' \
    'assertion-failed assert(i < 3, "no"); y[i] = 0.0f;'; do
    fault "${word#* }"
    try 1 "${word%% *}" run "$T/fault.irl"
done
echo 'func f(y: f32[8]) { for parallel (i: 7) y[i + 1] = y[i]; }' > "$T/fault.irl"
try 1 data-race run "$T/fault.irl"
try 1 bad-texel lower "$T/relu.irl" --scope x=texture
if $irlc run "$T/relu.irl" --device > /dev/null 2>&1; then
    fault 'y[i] = sin(x[i] * 1000.0f) + exp(x[i]) + pow(abs(x[i]), 0.3f);'
    try 1 different run "$T/fault.irl" --check --ulp 0
    try 1 "checked 64 of" run "$T/fault.irl" --check=64 --ulp 0
    json 1 '"result": "different"' run "$T/fault.irl" --check --ulp 0 --json
fi

# ---- with --json a failure is one object too, of every verb, with the same parts; and options that make no sense are refused
failure() { # STATUS CODE FOUND-OR-TEXT ARGUMENT...
    json "$1" "\"code\": \"$2\"" "${@:4}" --json
    grep -qF -e "$3" "$T/out" || { cat "$T/out"; fail "irlc ${*:4} --json: '$3' is not in it"; }
    [ "$(wc -l < "$T/out")" = 1 ] || { cat "$T/out"; fail "irlc ${*:4} --json: more than one line"; }
    for part in command code text file line column found expected hint refusal status; do
        grep -q "\"$part\": " "$T/out" || { cat "$T/out"; fail "irlc ${*:4} --json: no \"$part\""; }
    done
}
while IFS='|' read -r status code what words; do
    eval "failure $status $code \"\$what\" $words"
done <<'END'
2|syntax|"expected": "',' and the next output, or ')'"|check '(i) -> (i' 4
2|unknown-name|there is no variable 'q' here|map '(i) -> (q)' 4
2|rank-mismatch|"line": 1, "column": 1|check '(i) -> (i)' 4,4
2|bad-argument|"found": "4.5", "expected": "a shape is written 2,5,7,16"|check '(i) -> (i)' 4.5
2|bad-argument|usage: irlc check MAP SHAPE|check '(i) -> (i)'
2|bad-argument|"found": "--frob"|check '(i) -> (i)' 4 --frob
1|lossy-map|no inverse: the map is lossy: (0) and (1) both map to [0]|inverse '(i) -> (i / 2)' 4
1|lossy-map|no inverse: the map is lossy for N = 2|inverse '(i) -> (i / 2)' N=?
3|undecided|no inverse: the map is undecided|inverse "$far" 1000000000
1|division-by-zero|division by zero at 4 / i|map '(i) -> (4 / i)' 4
1|lossy-map|nothing can be packed|pack '(i) -> (i / 2)' 4
1|division-by-zero|'c / 0' divides by 0|simplify 'c / 0' c=0..4
1|bad-value|shifts by a distance that is negative|simplify 'c << 64' c=?
2|bad-argument|a limit is written 8192x8192|texture 1,64,56,56 --limit 5
2|bad-argument|"found": "abacus"|target abacus
2|syntax|"line": 1|lower "$T/worse.irl"
2|bad-argument|cannot read the file|lower "$T/nowhere.irl"
1|out-of-bounds|outside of its shape [8]|lower "$T/beyond.irl"
3|bounds-unknown|is not proved to be in|lower "$T/gather.irl" --bounds refuse
1|illegal-step|are one element|schedule "$T/chain.irl" --do 'parallel(y.i)'
1|illegal-step|"refusal": {"step": "parallel(o)", "number": 2, "primitive": "parallel", "argument": null, "block": "y", "loop": "o", "buffer": "y", "reason": "|schedule "$T/carried.irl" --do '(o, n) = split(y.i, 4)' --do 'parallel(o)'
1|illegal-step|"accesses": [{"text": "y[i]", "buffer": "y", "writes": false, "iteration": [{"name": "i", "value": 1}]}, {"text": "y[i + 1]", "buffer": "y", "writes": true, "iteration": [{"name": "i", "value": 0}]}], "cell": {"buffer": "y", "indices": [1]}, "parameters": [], "doubt": null, "missing": null, "names": [], "advice": null}, "status": 1|schedule "$T/carried.irl" --do 'parallel(y.i)'
1|illegal-step|"argument": "0", "block": "y", "loop": "i", "buffer": null|schedule "$T/carried.irl" --do 'split(y.i, 0)'
2|unknown-name|"accesses": [], "cell": null, "parameters": [], "doubt": null, "missing": "j", "names": ["i"]|schedule "$T/carried.irl" --do 'unroll(y.j)'
2|syntax|"refusal": null, "status": 2|schedule "$T/carried.irl" --do 'unroll(y'
2|unknown-name|no step 'cut'|schedule "$T/chain.irl" --do 'cut(y.i)'
2|bad-argument|"found": "n"|run "$T/scale.irl"
1|out-of-bounds|x[i + 1]|run "$T/late.irl"
2|bad-argument|--ulp needs a number from 0|run "$T/relu.irl" --ulp -1
2|bad-argument|is given twice for one name|run "$T/scale.irl" --set n=3 --set n=4
2|bad-argument|"found": "seed", "expected": "the option is given twice"|run "$T/relu.irl" --seed 1 --seed 2
2|bad-argument|is given twice for one name|lower "$T/relu.irl" --scope x=global --scope x=constant
2|syntax|"file": |explain "$T/worse.irl"
END
try 0 "if_then_else(c >= 10, c / 0, 1)" simplify 'c > 9 ? c / 0 : 1' c=?
for shape in '[]' '()' ''; do
    try 0 "bijective onto [1]" check '() -> (0)' "$shape"
    try 0 "func unpack(packed: f32[1], plain: f32[])" pack '() -> (0)' "$shape"
    try 0 "goes to    [7]" map '() -> (7)' "$shape" "$shape"
done

# a table without holes: a cell that says something was seen above with that status, one that says "-" never was
"$irlc" --help > "$T/help"
sed -n '/^Exit status:/,/^    2, of all/p' "$T/help" | sed '1,2d;$d' > "$T/table"
for c in $(sed -nE 's/^    irlc ([a-z]+) .*/\1/p' "$T/help"); do
    grep -q "^    $c " "$T/table" || fail "the help has no exit statuses of $c"
    for status in 0 1 3; do
        at=$((15 + (status == 1) * 28 + (status == 3) * 66))
        cell=$(grep "^    $c " "$T/table" | cut -c$at-$((at + 4)) | tr -d ' ')
        grep -q "^$c $status\$" "$T/seen" && seen=1 || seen=0
        [ "$cell" != - ] && said=1 || said=0
        [ $seen = $said ] || fail "the help says '$cell' for exit status $status of $c, seen: $seen"
    done
    grep -q "^$c 2\$" "$T/seen" || fail "$c was never given bad input"
done
# every code is listed with one status, and a diagnostic ends in the one that its code is listed with
sed '1,/^The exit status for each code/d' "$T/help" | tr -s ' ' '\n' | grep -E '^[a-z]' | sort > "$T/codes"
[ "$(wc -l < "$T/codes")" = "$(grep -c '^IRL_DIAGNOSTIC' src/base/diags.h)" ] && [ -z "$(uniq -d "$T/codes")" ] ||
    fail "the help does not list every code once"

# what takes more than a second says so on a terminal, and there alone, and not where NO_COLOR is set
if command -v script > /dev/null; then
    n=$((n + 1))
    slow="(sleep 1.3; cat $T/relu.irl) | $irlc explain - > $T/out"
    script -qec "$slow" "$T/typed" > "$T/err" < /dev/null || fail "irlc explain fails on a terminal"
    grep -q "^irlc explain: 1 s, working" "$T/err" || { cat "$T/err"; fail "irlc says nothing in more than a second"; }
    cp "$T/out" "$T/kept"
    NO_COLOR=1 script -qec "$slow" "$T/typed" > "$T/err" < /dev/null
    [ ! -s "$T/err" ] || { cat "$T/err"; fail "progress, with NO_COLOR"; }
    bash -c "$slow" 2> "$T/err"
    [ ! -s "$T/err" ] && cmp -s "$T/out" "$T/kept" || { cat "$T/err"; fail "progress where there is no terminal"; }
    script -qec "$irlc check '(i) -> (i)' 4 > /dev/null" "$T/typed" > "$T/err" < /dev/null
    [ ! -s "$T/err" ] || fail "progress of what takes no second"
fi

# a result that cannot be written is none, whatever it was
full() { # ARGUMENT...
    n=$((n + 1))
    "$irlc" "$@" > /dev/full 2> "$T/err" < /dev/null
    [ $? = 2 ] && grep -q "cannot be written" "$T/err" || fail "irlc $*: a result that cannot be written looks like one that was"
}
if [ -w /dev/full ]; then
    full --help
    full help
    full --version
    for c in $(sed -nE 's/^    irlc ([a-z]+) .*/\1/p' "$T/help"); do full "$c" --help; done
    full map "$nchw4c" 2,5,7,16
    full check "$nchw4c" 2,5,7,16
    full check '(y, x) -> (y/2, x)' 6,6
    full check "$far" 1000000000
    full inverse "$nchw4c" 2,5,7,16
    full pack "$nchw4c" 2,5,7,16
    full simplify "a + 0" a=?
    full texture 1,64,56,56
    full texture 1,64,56,56 --type f64
    full target
    full lower "$T/relu.irl"
    full lower "$T/relu.irl" --emit opencl
    full run "$T/relu.irl"
    full run "$T/relu.irl" --json
fi

irlc=$T/small
try 0 "checksum" run "$T/relu.irl" "$layout" --interpret
try 2 "without OpenCL" run "$T/relu.irl" --check
ok "$n answers"
