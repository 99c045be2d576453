#!/bin/bash
# What compilers for GPUs make of automatic schedules: no scratch memory and no spills, and of each product the share of instructions of
# the innermost loop that multiply, at least what the table says. For sm_80 by clang and ptxas, for gfx90a and gfx1030 by clang.
. "$(dirname "$0")/common"

dir=$(sh scripts/gpu.sh 2> "$T/why") || skip "$(tail -n 1 "$T/why")"
make -s -j"$JOBS" irlc > /dev/null || fail "irlc cannot be built"
bin=$dir/debian/usr/lib/llvm-22/bin clc=$dir/debian/usr/lib/clc
nv=$(ls -d "$dir"/python/nvidia/cu1* | head -n 1)
llvm() { tool=$1; shift; LD_LIBRARY_PATH=$dir/debian/usr/lib/x86_64-linux-gnu:$dir/debian/usr/lib/llvm-22/lib "$bin/$tool" "$@"; }

product() { # M N K
    echo "func f(x: f32[$1, $3], w: f32[$3, $2], y: f32[$1, $2]) { for (i: $1, j: $2) y[i, j] = sum(k: $3, x[i, k] * w[k, j]); }"
}
convolution() { # rows and columns of x, what is read of it
    echo "func f(x: f32[$1, $1, 64], w: f32[3, 3, 64, 64], y: f32[56, 56, 64]) {
        for (h: 56, v: 56, o: 64) y[h, v, o] = sum(r: 3, s: 3, i: 64, $2 * w[r, s, i, o]); }"
}
softmax="func f(x: f32[128, 1024], y: f32[128, 1024]) { alloc m: f32[128]; alloc e: f32[128, 1024]; alloc s: f32[128];
    for (i: 128) m[i] = max(j: 1024, x[i, j]); for (i: 128, j: 1024) e[i, j] = exp(x[i, j] - m[i]);
    for (i: 128) s[i] = sum(j: 1024, e[i, j]); for (i: 128, j: 1024) y[i, j] = e[i, j] / s[i]; }"
rows='func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) { for (i: n) { let t = max(j: m, x[i, j]);
    let s = sum(j: m, exp(x[i, j] - t)); for (j: m) y[i, j] = exp(x[i, j] - t) / s; } }'
total='func f(x: f32[4194304], y: f32[1]) attr(numbers = "free") { for (o: 1) y[o] = sum(i: 4194304, x[i]); }'
named=$(product n m q | sed 's/f(/f(n: index, m: index, q: index, /')
half=$(product 1024 1024 1024 | sed 's/f32/f16/g')

# amd CPU OPTION KERNELS: "scratch-bytes spills waves" of each kernel
amd() {
    llvm clang -target amdgcn-amd-amdhsa -nogpulib "-mcpu=$1" "$2" -x cl -cl-std=CL1.2 -w -Xclang -finclude-default-header -O3 -emit-llvm -S "$T/k.cl" \
        -Xclang -mlink-builtin-bitcode -Xclang "$clc/$1-amdgcn--.bc" -o - | sed -E 's/"target-(features|cpu)"="[^"]*"//g' > "$T/k.ll" &&
        llvm opt "-mcpu=$1" -passes='internalize,inline,default<O3>' "-internalize-public-api-list=$3" "$T/k.ll" -o "$T/k.bc" &&
        llvm llc -O3 "-mcpu=$1" "$T/k.bc" -o "$T/k.s" || return 1
    awk '/^; Occupancy:/ { waves[++n] = $3 } /\.private_segment_fixed_size:/ { scratch[++s] = $2 } /\.vgpr_spill_count:/ { spill[++v] = $2 }
         END { for (k = 1; k <= n; k++) print scratch[k], spill[k], waves[k] }' "$T/k.s"
}
# nvidia KERNELS: "scratch-bytes spilled-bytes" of each kernel; then, of the loop with the most multiply-adds for an instruction, these and all in it
nvidia() {
    llvm clang -target nvptx64-nvidia-nvcl -x cl -cl-std=CL1.2 -w -Xclang -finclude-default-header -O3 -Xclang -target-cpu -Xclang sm_80 -emit-llvm -c "$T/k.cl" \
        -Xclang -mlink-builtin-bitcode -Xclang "$clc/nvptx64--nvidiacl.bc" -Xclang -mlink-builtin-bitcode -Xclang "$nv/nvvm/libdevice/libdevice.10.bc" \
        -o "$T/k.bc" 2> /dev/null &&
        llvm opt -passes='internalize,inline,default<O3>' "-internalize-public-api-list=$1" "$T/k.bc" -o "$T/k2.bc" &&
        llvm llc -O3 -mcpu=sm_80 "$T/k2.bc" -o "$T/k.ptx" && "$nv/bin/ptxas" -arch=sm_80 -v "$T/k.ptx" -o "$T/k.cubin" 2> "$T/ptxas" || return 1
    sed -nE 's/.* ([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores.*/\1 \2/p' "$T/ptxas"
    "$nv/bin/nvdisasm" -c "$T/k.cubin" | awk '
        /\.L_x_[0-9]+:/ { match($0, /\.L_x_[0-9]+/); at[substr($0, RSTART, RLENGTH)] = n }
        /^ *\/\*[0-9a-f]+\*\/ / { mads[n + 1] = mads[n] + ($0 ~ / (FFMA|FMUL|HFMA2|HMUL2)/); n++
            if ($0 ~ / BRA/ && match($0, /\.L_x_[0-9]+/) && (l = substr($0, RSTART, RLENGTH)) in at) {
                m = mads[n] - mads[at[l]]; all = n - at[l]
                if (m * best > most * all || !best) { most = m; best = all } } }
        END { print "loop", most + 0, best + 0 }'
}

bad=0 kernels=0
while IFS='|' read -r name least text; do
    eval "text=$text"
    echo "$text" > "$T/k.irl"
    build/irlc lower "$T/k.irl" --emit=opencl --target opencl12-gpu > "$T/k.cl" 2> "$T/err" || fail "$name: $(cat "$T/err")"
    list=$(grep -oE '^void \w+' "$T/k.cl" | cut -d' ' -f2 | paste -sd,)
    nvidia "$list" > "$T/nv" || fail "$name is not compiled for sm_80: $(tail -n 1 "$T/ptxas")"
    amd gfx90a -mwavefrontsize64 "$list" > "$T/90a" && amd gfx1030 -mno-wavefrontsize64 "$list" > "$T/1030" || fail "$name is not compiled for gfx90a, gfx1030"
    share=$(awk '/^loop/ { print int(100 * $2 / ($3 ? $3 : 1)) }' "$T/nv")
    spills=$(awk '!/^loop/ && ($1 > 0 || $2 > 0)' "$T/nv" "$T/90a" "$T/1030" | wc -l)
    waves=$(awk '$3 < 6' "$T/1030" | wc -l)
    [ "$(wc -l < "$T/90a")" = "$(echo "$list" | tr , '\n' | wc -l)" ] || fail "$name: not every kernel has a listing"
    kernels=$((kernels + $(wc -l < "$T/90a")))
    echo "$name: $share % multiply-adds, $spills kernels with scratch or spills, $waves of fewer than 6 waves"
    [ "$share" -ge "$least" ] && [ "$spills" = 0 ] && [ "$waves" = 0 ] || { bad=$((bad + 1)); echo "  expected at least $least %, 0, 0"; }
done << 'END'
product 1024|85|$(product 1024 1024 1024)
product 4096|85|$(product 4096 4096 4096)
product 1000x37x513|45|$(product 1000 37 513)
convolution 3x3|65|$(convolution 58 "x[h + r, v + s, i]")
convolution 3x3, a border|65|$(convolution 56 "(h + r >= 1 && h + r < 57 && v + s >= 1 && v + s < 57 ? x[h + r - 1, v + s - 1, i] : 0.0)")
product of f16|12|$half
softmax|0|$softmax
softmax of names|0|$rows
sum of 4M|0|$total
product of names|80|$named
convolution of names|75|$(convolution '(n + 2)' "x[h + r, v + s, i]" | sed 's/f(/f(n: index, /; s/56/n/g')
END
[ $bad = 0 ] || fail "$bad of the texts are worse than expected"
ok "$kernels kernels for sm_80, gfx90a and gfx1030"
