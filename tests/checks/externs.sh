#!/bin/bash
# A function whose memory comes from external calls, emitted as C, compiles with its prototypes by every compiler, runs, and gets negative indices as they are.
. "$(dirname "$0")/common"
needs clang g++

make -s irlc || fail "no irlc"
cat > "$T/f.irl" <<'END'
func f(n: index, x: f32[n, 4], y: f32[n, 4])
    extern own(k: index): f32 pure
    extern total(x: ptr(f32, global) reads(n), int: index, n: index, `double`: bool): f64
    extern fill(x: ptr(f32, global) reads(1) writes(n), n: index): i32
{
    let m = n * 4;
    let h = extern(ptr(f32, global), memory, m, n - 5);
    decl t: f32[n, 4] data(h);
    decl u: f32[m] data(h);
    for (i: n, j: 4) t[i, j] = x[i, j] * 2.0f;
    let g: ptr(i16, global) = extern(ptr(i16, global), table, x);
    decl v: i16[8] data(g);
    for (i: n, j: 4) y[i, j] = u[m - 1 - (i * 4 + j)] + f32(v[(i + j) % 8]) + extern(f32, own, j - n);
    evaluate extern(i32, fill, y, 2);
    y[0, 3] = f32(extern(f64, total, x, 0, n, true));
}
END
build/irlc emit "$T/f.irl" --as c -o "$T/f.c" || fail "no C"
cat > "$T/main.c" <<'END'
#include "f.c"
static float   bytes[64];
static int16_t numbers[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static int     wrong;
float *memory(int64_t count, int64_t less)
{
    wrong += count != 12 || less != -2;
    return bytes;
}
int16_t *table(float *x)
{
    wrong += x[0] != -5;
    return numbers;
}
float own(int64_t k) { return (float)k; }
double total(const float *x, int64_t more, int64_t n, uint8_t twice)
{
    wrong += more != 0 || twice != 1;
    return (double)x[n - 1];
}
int32_t fill(float *x, int64_t n)
{
    while (n-- > 0) x[n] += 100;
    return 1;
}
int main(void)
{
    float x[12], y[12];
    int   k, failed = 0;
    for (k = 0; k < 12; k++) x[k] = (float)k - 5;
    (void)f(3, x, y);
    for (k = 0; k < 12; k++)
        failed += y[k] != (k == 3 ? x[2] : x[11 - k] * 2 + (float)numbers[(k / 4 + k % 4) % 8] +
                                               (float)(k % 4 - 3) + (k < 2 ? 100 : 0)) ||
                  bytes[k] != x[k] * 2;
    return wrong || failed;
}
END
n=0
for cc in "gcc $STRICT" "clang $STRICT" "g++ $STRICT_CPP" tcc; do
    command -v ${cc%% *} > /dev/null || continue
    $cc -c -o "$T/main.o" "$T/main.c" && ${cc%% *} -o "$T/main" "$T/main.o" && "$T/main" || fail "${cc%% *}"
    n=$((n + 1))
done
ok "$n compilers"
