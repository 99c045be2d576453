#!/bin/bash
# The example of another language: clang, and nvcc where there is one, compile the CUDA C of its kernels for a GPU; and what the kernels compute
# in threads of this machine lies within the error bounds of the interpreter.
. "$(dirname "$0")/common"
needs clang g++

$QUICK $INC -o "$T/cuda" examples/cuda/cuda.c -lm || fail "the example does not build"
make -s -j"$JOBS" lib || fail "the split sources do not build"
cat > "$T/device.h" << 'X'
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(most) __attribute__((launch_bounds(most)))
struct place { unsigned x, y, z; };
extern const __device__ place threadIdx, blockIdx, blockDim;
__device__ void __syncthreads() __attribute__((convergent));
extern "C" __device__ float expf(float), exp10f(float), fmaf(float, float, float), fmaxf(float, float), fabsf(float);
extern "C" __device__ double sqrt(double), fabs(double), fmax(double, double);
__device__ int abs(int);
X
cat > "$T/host.h" << 'X'
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(most)
static thread_local struct { unsigned x, y, z; } threadIdx, blockIdx;
static struct { unsigned x, y, z; } blockDim;
static pthread_barrier_t all;
static void __syncthreads() { pthread_barrier_wait(&all); }
X
cat > "$T/run.cpp" << 'X'
#include TEXT
#include "irlayout.h"
#include <stdio.h>
#include <string.h>
#include <thread>
#include <utility>
#include <vector>
enum { MOST = 16 };
static std::vector<unsigned char> given[MOST], wanted[MOST], found[MOST];
template <class... P, size_t... K> static void call(void (*f)(P...), void **a, std::index_sequence<K...>) { f((P)a[K]...); }
template <class... P> static void call(void (*f)(P...), void **a) { call(f, a, std::index_sequence_for<P...>()); }
static void block_of(unsigned thread, unsigned *groups, unsigned *local, void **a)
{
    threadIdx.x = thread % local[0], threadIdx.y = thread / local[0] % local[1], threadIdx.z = thread / local[0] / local[1];
    for (unsigned z = 0; z < groups[2]; z++)
        for (unsigned y = 0; y < groups[1]; y++)
            for (unsigned x = 0; x < groups[0]; x++) {
                blockIdx.x = x, blockIdx.y = y, blockIdx.z = z;
                call(KERNEL, a);
                __syncthreads(); /* the next block has the same shared memory */
            }
}
static void fill(irl_type type, unsigned char *p, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const int n = rand();
        const float f = (float)(n % 2001 - 1000) / 256;
        const double d = f;
        const uint16_t h = (uint16_t)(0x3c00 + n % 512 + (n & 0x10000 ? 0x8000 : 0));
        if (type.scalar == IRL_F32) memcpy(p + 4 * k, &f, 4);
        else if (type.scalar == IRL_F64) memcpy(p + 8 * k, &d, 8);
        else if (type.scalar == IRL_F16 || type.scalar == IRL_BF16) memcpy(p + 2 * k, &h, 2);
        else if (type.scalar == IRL_BOOL) p[k] = n & 1;
        else memcpy(p + irl_scalar_info((irl_scalar)type.scalar)->bytes * k, &n, irl_scalar_info((irl_scalar)type.scalar)->bytes);
    }
}
int main(int argc, char **argv)
{
    static char text[65536];
    FILE *file = fopen(argv[1], "rb");
    const size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, text, length, NULL);
    irl_tensor is[MOST];
    irl_arguments none = { 0 }, arguments = { 0 };
    void *a[MOST] = { NULL };
    double *errors[MOST];
    const int count = irl_func_param_count(f);
    unsigned groups[3], local[3], k;
    for (k = 0; k < 3; k++) local[k] = atoi(argv[5 + k]), groups[k] = atoi(argv[2 + k]) / local[k];
    for (int j = 0; j < count; j++) {
        irl_func_param_tensor(f, j, none, &is[j]);
        given[j].resize(is[j].bytes);
        fill(is[j].type, given[j].data(), is[j].bytes / irl_scalar_info((irl_scalar)is[j].type.scalar)->bytes);
        wanted[j] = found[j] = given[j];
        errors[j] = (double *)calloc(is[j].bytes, sizeof(double));
        a[j] = found[j].data();
        arguments.data[arguments.count++] = wanted[j].data();
    }
    irl_interpret_options how = { errors, NULL };
    if (!irl_func_interpret_with(f, arguments, &how)) return puts(irl_diag_text(cx)), 2;
    blockDim.x = local[0], blockDim.y = local[1], blockDim.z = local[2];
    const unsigned threads = local[0] * local[1] * local[2];
    pthread_barrier_init(&all, NULL, threads);
    std::vector<std::thread> list;
    for (k = 0; k < threads; k++) list.emplace_back(block_of, k, groups, local, a);
    for (auto &t : list) t.join();
    int64_t numbers = 0, bounded = 0;
    for (int j = 0; j < count; j++) {
        const int64_t n = (int64_t)(is[j].bytes / irl_scalar_info((irl_scalar)is[j].type.scalar)->bytes);
        const std::vector<double> exact(n, 0.0);
        irl_agreement sum = { 0, 0, 0 };
        if (wanted[j] == given[j]) continue; /* not written */
        if (irl_array_beyond(is[j].type, n, wanted[j].data(), errors[j], found[j].data(), exact.data(), &sum) >= 0) return printf("%s differs\n", irl_func_param_name(f, j)), 1;
        numbers += sum.numbers, bounded += sum.numbers - sum.unbounded;
    }
    printf("%ld of %ld\n", (long)bounded, (long)numbers);
    irl_ctx_destroy(cx);
    return bounded * 2 < numbers; /* bounds that mean something */
}
X

# KERNEL SIZE: the three numbers of the comment above a kernel, 1 where there is none
sizes() { { sed -nE "s/.*$2 size ([0-9x ]+).*/\1/p" "$T/$1.cu"; echo; } | head -n 1 | sed 's/x/ /g' | awk '{ for (k = 1; k <= 3; k++) print ($k ? $k : 1) }'; }
# KERNEL TEXT: whether what it computes here is right
run() {
    g++ -w $INC -include "$T/host.h" "-DTEXT=\"$T/$1.cu\"" "-DKERNEL=$1" -O1 -o "$T/run" "$T/run.cpp" build/split/libirlayout.a -lm -pthread || return 3
    timeout 300 "$T/run" "$2" $(sizes "$1" global) $(sizes "$1" local)
}
# KERNEL: whether clang takes it
compile() {
    clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -include "$T/device.h" -ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-cuda-version -O1 -S -o "$T/$1.ptx" "$T/$1.cu" 2> "$T/log"
}

cat > "$T/mixed.irl" << 'X'
func mixed(h: f16[64], b: bf16[64], s: i8[64], u: u32[64], d: f64[64], q: unorm8[64], t: bool[64],
           o: f16[64], p: bf16[64], v: i8[64], w: u32[64], e: f64[64], r: unorm8[64], z: bool[64], m: i64[64]) {
    for (i: 64) {
        o[i] = h[i] + f16(b[i]);
        p[i] = b[i] * bf16(2.0);
        v[i] = abs(s[i]) / i8(3) + s[i] % i8(5);
        w[i] = (u[i] >> (u[i] % u32(32))) ^ as(u32, f32(h[i]));
        e[i] = select(t[i], sqrt(abs(d[i])), max(d[i], -inf));
        r[i] = unorm8(f32(q[i]) * 0.5f);
        z[i] = t[i] && s[i] > i8(0);
        m[i] = abs(i64(d[i] * 1000.0)) / i64(s[i] | i8(1));
    }
}
X
n=0
for text in examples/cuda/*.irl "$T/mixed.irl"; do
    k=$(basename "$text" .irl)
    "$T/cuda" "$text" > "$T/$k.cu" 2> "$T/log" || { cat "$T/log"; fail "$k is not emitted"; }
    compile "$k" || { head -n 20 "$T/log"; fail "clang does not take $k"; }
    grep -q "\.visible \.entry $k(" "$T/$k.ptx" || fail "$k is no kernel"
    run "$k" "$text" > "$T/log" || { cat "$T/log"; fail "$k computes something else than the interpreter"; }
    if command -v nvcc > /dev/null; then
        nvcc -fmad=false -ptx -o "$T/nvcc.ptx" "$T/$k.cu" > "$T/log" 2>&1 || { head -n 20 "$T/log"; fail "nvcc does not take $k"; }
    fi
    n=$((n + 1))
done
# the lesson is about groups: shared memory, and threads that wait for each other
for k in product softmax; do
    grep -q '\.shared ' "$T/$k.ptx" && grep -q 'bar\.sync' "$T/$k.ptx" || fail "$k has no shared memory or no barriers"
done

# what is wrong is found: another word, another number, other places
cp "$T/product.cu" "$T/right.cu"
sed 's/__syncthreads/barrier/' "$T/right.cu" > "$T/product.cu"
! compile product || fail "clang takes a barrier of OpenCL C"
for wrong in 's/fmaf(/-fmaf(/' 's/threadIdx\.x;/threadIdx.y;/' 's/__shared__ float/float/'; do
    sed "$wrong" "$T/right.cu" > "$T/product.cu"
    run product examples/cuda/product.irl > "$T/log" && fail "'$wrong' is not found"
    [ $? = 1 ] || { cat "$T/log"; fail "'$wrong' does not run"; }
done
ok "$n kernels"
