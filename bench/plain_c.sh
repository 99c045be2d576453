#!/bin/bash
# Emitted C99 beside naive C by hand: product 256^3, convolution 3x3, softmax, layer norm; gcc -O2 or the flags given.
# Least processor time of 30 rounds. From the root of the repository, with build/irlc built.
T=$(mktemp -d) && trap 'rm -rf "$T"' EXIT
emit() { echo "$2" > "$T/$1.irl" && build/irlc emit --as c --target c99 "$T/$1.irl" > "$T/$1.c" || exit 1; }
emit product 'func product(a: f32[256, 256], b: f32[256, 256], c: f32[256, 256]) {
    for (i: 256, j: 256) c[i, j] = sum(k: 256, a[i, k] * b[k, j]); }'
emit conv 'func conv(x: f32[16, 66, 66], w: f32[16, 16, 3, 3], y: f32[16, 64, 64]) {
    for (o: 16, h: 64, v: 64) y[o, h, v] = sum(c: 16, r: 3, s: 3, x[c, h + r, v + s] * w[o, c, r, s]); }'
emit softmax 'func softmax(x: f32[256, 512], y: f32[256, 512]) { for (i: 256) {
    let m = max(j: 512, x[i, j]); let z = sum(j: 512, exp(x[i, j] - m));
    for (j: 512) y[i, j] = exp(x[i, j] - m) / z; } }'
emit norm 'func norm(x: f32[256, 512], g: f32[512], b: f32[512], y: f32[256, 512]) { for (i: 256) {
    let m = sum(j: 512, x[i, j]) / 512.0f; let v = sum(j: 512, (x[i, j] - m) * (x[i, j] - m)) / 512.0f;
    for (j: 512) y[i, j] = (x[i, j] - m) * rsqrt(v + 0.00001f) * g[j] + b[j]; } }'
cat > "$T/main.c" <<'C'
#include <math.h>
#include <stdio.h>
#include <time.h>
typedef const float *in;
void product(in, in, float *), conv(in, in, float *), softmax(in, float *), norm(in, in, in, float *);
static float a[140000], b[140000], c[140000];
#define HAND __attribute__((noinline)) static void
HAND by_hand_product(in restrict x, in restrict w, float *restrict y)
{
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 256; j++) {
            float s = 0;
            for (int k = 0; k < 256; k++) s += x[i * 256 + k] * w[k * 256 + j];
            y[i * 256 + j] = s;
        }
}
HAND by_hand_conv(in restrict x, in restrict w, float *restrict y)
{
    for (int o = 0; o < 16; o++)
        for (int h = 0; h < 64; h++)
            for (int v = 0; v < 64; v++) {
                float t = 0;
                for (int k = 0; k < 16; k++)
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++)
                            t += x[(k * 66 + h + r) * 66 + v + s] * w[((o * 16 + k) * 3 + r) * 3 + s];
                y[(o * 64 + h) * 64 + v] = t;
            }
}
HAND by_hand_softmax(in restrict x, float *restrict y)
{
    for (int i = 0; i < 256; i++, x += 512, y += 512) {
        float m = -INFINITY, z = 0;
        for (int j = 0; j < 512; j++) m = x[j] > m ? x[j] : m;
        for (int j = 0; j < 512; j++) z += y[j] = expf(x[j] - m);
        for (int j = 0; j < 512; j++) y[j] /= z;
    }
}
HAND by_hand_norm(in restrict x, in restrict g, in restrict w, float *restrict y)
{
    for (int i = 0; i < 256; i++, x += 512, y += 512) {
        float m = 0, v = 0;
        for (int j = 0; j < 512; j++) m += x[j];
        m /= 512;
        for (int j = 0; j < 512; j++) v += (x[j] - m) * (x[j] - m);
        const float r = 1 / sqrtf(v / 512 + 0.00001f);
        for (int j = 0; j < 512; j++) y[j] = (x[j] - m) * r * g[j] + w[j];
    }
}
#define LEAST(t, call) \
    for (int k = 0; k < 30; k++) { \
        clock_t start = clock(); \
        call; \
        double now = (double)(clock() - start) / CLOCKS_PER_SEC * 1e3; \
        if (!k || now < t) t = now; \
    }
#define COMPARE(name, ...) \
    do { \
        double ours = 0, hand = 0; \
        LEAST(ours, name(__VA_ARGS__)) LEAST(hand, by_hand_##name(__VA_ARGS__)) \
        printf("%-8s %7.3f ms, by hand %7.3f: %.2f\n", #name, ours, hand, ours / hand); \
    } while (0)
int main(void)
{
    for (int k = 0; k < 140000; k++) a[k] = (float)(k % 1000) / 500 - 1, b[k] = (float)(k % 77) / 77;
    COMPARE(product, a, b, c);
    COMPARE(conv, a, b, c);
    COMPARE(softmax, a, c);
    COMPARE(norm, a, b, b, c);
    return 0;
}
C
${CC:-gcc} -std=gnu99 ${*:--O2} -o "$T/p" "$T"/*.c -lm && "$T/p"
