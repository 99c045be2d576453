/* text_corpus.h - functions and modules that together use every construct of the language, at every
   stage of lowering. Each parses and is valid. What is tested about the text form is tested about
   these first. */
#ifndef IRL_TEXT_CORPUS_H
#define IRL_TEXT_CORPUS_H

static const char *const text_functions[] = {
    /* as a user writes */
    "func relu(x: f32[1, 56, 56, 64], y: f32[1, 56, 56, 64]) {\n"
    "    for (n: 1, h: 56, w: 56, c: 64)\n"
    "        y[n, h, w, c] = max(x[n, h, w, c], 0.0f);\n"
    "}\n",
    "func nothing() { }",
    "func beside(x: u8[4]) { let t = irl_floordiv(x[0], select(x[1] > 2, 1, 2)); x[3] = t; }",
    "func empty_parts(N: index) { for (i: N) { } if (N > 3) { } else { } { } attr(a = 1) { } }",
    "func rank0(x: f32[], n: i32[]) { x[] = x[] * 2; n[] = n[] + 1; }",
    "func symbols(x: f32[N, M + 1], N: index, M: index, y: f32[M, N]) { for (i: N, j: M) y[j, i] = "
    "x[i, j + 1]; }",
    "func scalars(a: f32, b: i32, c: u8, d: bool, e: index, f: f64, y: f64[4]) {\n"
    "    if (d) y[e] = f64(a) + f64(b) + f64(c) + f * 2;\n"
    "}",
    "func matmul(a: f32[16, 32], b: f32[32, 16], c: f32[16, 16]) {\n"
    "    for (i: 16, j: 16) { c[i, j] = 0; for (k: 32) c[i, j] = c[i, j] + a[i, k] * b[k, j]; }\n"
    "}",
    "func ranges(N: index, y: f32[N]) {\n"
    "    for (i: 2 .. 6, j: N .. 2 * N, k: N .. + 3, l: i .. i + 4, m: 0 .. N, o: -4 .. 4) y[0] = "
    "1;\n"
    "    for (i: 3 .. + (5 - 3)) y[i] = 2;\n"
    "    for (i: N - 1 .. N) y[i] = 2;\n"
    "}",
    "func gather(t: i32[64], k: u8[8], x: f32[64, 8], y: f32[64, 8]) {\n"
    "    for (i: 64, j: 8) y[t[i], j] = x[t[t[i] + 1], k[j]] + x[i + t[i], 7];\n"
    "}",
    /* types and constants */
    "func constants(a: i8[4], b: i16[4], c: i32[4], d: i64[4], e: u8[4], f: u16[4], g: u32[4], h: "
    "u64[4],\n"
    "               p: f16[4], q: bf16[4], r: f32[9], s: f64[4], t: bool[2]) {\n"
    "    a[0] = -128; a[1] = 127; b[0] = -32768; b[1] = 32767; c[0] = -2147483648; c[1] = "
    "2147483647;\n"
    "    d[0] = -9223372036854775808; d[1] = 9223372036854775807; e[0] = 255; f[0] = 65535; g[0] = "
    "0xffffffff;\n"
    "    h[0] = 18446744073709551615; h[1] = 0xffffffffffffffff - h[2];\n"
    "    p[0] = 1.5; p[1] = -65504; p[2] = 0.00006; p[3] = as(f16, u16(0x7c00)); q[0] = 3; q[1] = "
    "bf16(0.1);\n"
    "    r[0] = 0.1; r[1] = -0.0; r[2] = 1e38; r[3] = 1e-45; r[4] = 16777216; r[5] = as(f32, "
    "u32(0x7fc00001));\n"
    "    r[6] = as(f32, u32(0xff800000)); r[7] = 3.4028235e38f; r[8] = .5f + 1.f;\n"
    "    s[0] = 0.1; s[1] = 1e308; s[2] = 5e-324; s[3] = as(f64, u64(0x7ff0000000000000));\n"
    "    t[0] = true; t[1] = false || t[0];\n"
    "}",
    "func computed(y: f32[64], z: i32[64], b: bool[4]) {\n"
    "    y[2 * 3 + 1] = 3 / 2.0; z[7 / 2 - -1] = (1 << 5) % 7 ^ 3; y[max(1, 2)] = 2.5 * 4 - 1;\n"
    "    z[0] = i32(2) * 3 + (index(2) * 3 < 7 ? 1 : 2); b[0] = 2 < 3; b[1] = index(2) < 3;\n"
    "    z[1] = -index(5) < 0 ? -i32(5) : ~i32(5);\n"
    "}",
    "func casts(x: f32[8], y: i32[8], z: f16[8], w: u8[8], t: bool[8]) {\n"
    "    y[0] = i32(x[0]); x[1] = f32(y[1]) + f32(index(5)) + f32(i32(5)) + f32(5) + f32(true); "
    "z[0] = f16(x[0] * f32(z[1]));\n"
    "    w[0] = u8(y[0]) + u8(7); x[2] = as(f32, y[0]); y[2] = as(i32, x[2]) & 0x7fffffff; t[0] = "
    "bool(y[0]);\n"
    "    z[2] = as(f16, u16(1) + as(u16, z[0]));\n"
    "}",
    /* operators */
    "func operators(a: i32[64], b: bool[8], x: f32[64]) {\n"
    "    a[0] = a[1] + a[2] - a[3] * a[4] / a[5] % a[6];\n"
    "    a[1] = (a[1] + a[2]) * (a[3] - (a[4] - a[5])) / (a[6] / a[7]);\n"
    "    a[2] = a[1] & a[2] | a[3] ^ a[4] << 2 >> a[5]; a[3] = (a[1] | a[2]) & (a[3] ^ ~a[4]);\n"
    "    a[4] = -a[1] + -(-a[2]) - -(a[3] + 1) + ~(-a[4]); a[5] = truncdiv(a[1], a[2]) + "
    "truncmod(a[1], 3) + abs(a[2]);\n"
    "    a[6] = min(a[1], 2) + max(3, a[2]) + select(b[0], 1, 2) + if_then_else(b[1], a[1], 5);\n"
    "    b[0] = a[0] < 1 && a[1] <= 2 || a[2] > 3 && !(a[3] >= 4 || b[1]) && (a[4] == 5) == (a[5] "
    "!= 6);\n"
    "    b[1] = (b[2] & b[3] | b[4]) ^ true;\n"
    "    x[0] = exp(x[0]) + exp2(x[1]) + log(x[2]) + log2(x[3]) + sqrt(x[4]) + rsqrt(x[5]) + "
    "sin(x[6]) + cos(x[7]);\n"
    "    x[1] = tan(x[0]) + tanh(x[1]) + pow(x[2], 2) + fma(x[3], 2, 1) + floor(x[4]) + ceil(x[5]) "
    "+ trunc(x[6]) + rint(x[7]);\n"
    "    x[2] = -(0.5f) + -0.5f - (x[0] - (x[1] - x[2])) + (x[3] + x[4]) + x[5] / (x[6] * x[7]) / "
    "2;\n"
    "    x[3] = a[0] < 3 ? x[0] : a[0] ? 1 : 2; a[7] = irl_floordiv(a[0], 3) + irl_floormod(a[0], "
    "3);\n"
    "}",
    "const N = 4; const half: f32 = 0.5;\n"
    "fn one() -> f32 = 1; fn cdf(x: f32, a: f32) -> f32 = half * (one() + erf(x * 0.7f)) + a * a;\n"
    "func definitions(x: f32[N], y: f32[N * 2]) extern scale(x: f32): f32 extern erf(x: f32): f32 "
    "{\n"
    "    for (i: N) { y[i] = cdf(x[i] + 1, x[i]) + sigmoid(x[i]) + irl_erf(erf(scale(x[i])));\n"
    "        y[i + N] = isnan(x[i]) ? inf : maximum(x[i], -nan) + atan2(x[i], softplus(x[0])); }\n"
    "}",
    "func lets(N: index, y: f32[N]) {\n"
    "    let a = 3; let b: i32 = 4; let c = 0.5; let d = N * 2 + 1; let e = y[a];\n"
    "    y[d] = let(t = y[0] * c, t * t + let(u = t + 1, u * t) + f32(b)) + e;\n"
    "    { let a = N; y[a] = 1; { let a = 2; y[a] = 2; } y[a] = 3; }\n"
    "    y[a] = 4;\n"
    "}",
    /* vectors */
    "func vectors(x: f32[16, 64], v: f32x4[16, 16], y: f32[64], m: bool[64], n: i32[64]) {\n"
    "    y[ramp(0, 1, 4)] = x[0, ramp(4, 2, 4)] * 2 + broadcast(y[0], 4);\n"
    "    v[1, 2] = v[0, 1] + 1; v[0, ramp(0, 1, 2)] = 0; y[ramp(0, 1, 8)] = v[3, ramp(2, 1, 2)];\n"
    "    v[1, 3] = shuffle(v[0, 0], v[0, 1], [0, 5, 2, 7]); y[0] = lane(v[0, 0], 3) + lane(v[0, "
    "1], n[0]);\n"
    "    y[ramp(0, 1, 4)] = select(x[0, ramp(0, 1, 4)] < 0, 0, x[1, ramp(0, 1, 4)]);\n"
    "    v[2, 2] = undef(f32x4); y[n[ramp(0, 1, 4)]] = f32(1); m[ramp(0, 1, 4)] = true;\n"
    "    m[ramp(0, 1, 4)] = n[ramp(0, 1, 4)] < 3 && true; n[ramp(0, 4, 4)] = i32x4(f32x4(n[ramp(0, "
    "1, 4)])) + i32x4(7);\n"
    "    v[3, 3] = broadcast(shuffle(y[0], y[1], [1, 0]), 2); n[ramp(i32(0) + 0, 1, 4)] = "
    "ramp(n[0], 2, 4);\n"
    "    y[0] = as(f32, u8x4(n[ramp(0, 1, 4)]));\n"
    "}",
    /* memory: scopes, views, strides, separators */
    "func memory(x: f32[16, 64] strides(128, 2) align(64), k: f32[9] scope(constant), t: f32[4, 8, "
    "4] scope(texture) sep(2), N: index) {\n"
    "    alloc a: f32[4, 4] scope(shared); alloc b: f32[N] scope(local) align(16); alloc c: "
    "f32x4[4, 2] strides(4, 2);\n"
    "    alloc d: f32[2, 3, 4, 5] sep(1, 3); alloc e: f16[16] offset(4);\n"
    "    decl f: f32x4[4] data(a); decl g: f32[16] data(f); decl h: f32[N / 2] data(b) offset(N / "
    "2); decl i: f32[6, 4, 5] data(d) sep(1, 2);\n"
    "    a[0, 1] = x[0, 1] + k[0]; f[0] = 0; g[1] = 2; h[0] = b[0]; c[0, 1] = 1; d[0, 1, 2, 3] = "
    "i[1, 2, 3]; t[0, 1, 2] = 1; e[0] = 1;\n"
    "    decl j: u32[16] data(a); j[0] = 5;\n"
    "    let p = extern(ptr(f32, global), device_malloc, 64); decl q: f32[64] data(p); q[0] = 1; "
    "evaluate extern(i32, device_free, p);\n"
    "}",
    /* prototypes: names of their own, numbers that take a parameter's type */
    "func prototypes(x: f32[8], n: index, y: i16[8] scope(constant)) attr(a = 1)\n"
    "    extern x(x: ptr(f32, global) reads(n * 2 - m) writes, n: index, m: index): f32\n"
    "    extern `a b`(`c d`: ptr(i16, constant) reads(index(k) / 2 + 1), k: u8): bool attr(b = 2)\n"
    "    extern none(): i32 pure extern get(n: i64): ptr(f32, shared)\n"
    "    extern z(a: f64, b: f16x4): f16\n"
    "{\n"
    "    x[0] = extern(f32, x, x, n, 4) + f32(extern(i32, none));\n"
    "    x[1] = extern(bool, `a b`, y, 3) ? 1 : 2; let p = extern(ptr(f32, shared), get, 5);\n"
    "    let q = extern(f16, z, 1, undef(f16x4)); let r = extern(f32, x, x, n - 1, 2 * 3);\n"
    "}",
    "func layouts(x: f32[1, 56, 56, 64], y: f32[16], z: i32[8, 8])\n"
    "    layout(x: (n, h, w, c) -> (n, c / 4, h, |, w, c % 4), pad(0))\n"
    "    layout(y: (..., i) -> (..., i / 4, |, i % 4), assume_injective)\n"
    "    layout(z: (i, j) -> (j), (i))\n"
    "    layout(tmp: (i) -> (i / 3, i % 3), pad(-1.5))\n"
    "    attr(kind = \"te\\xffst \\\"quoted\\\"\\n\") attr(level = 3)\n"
    "{\n    alloc tmp: f32[16];\n    y[0] = x[0, 0, 0, 0]; tmp[0] = y[1]; z[0, 0] = 1;\n}",
    "func abi(x: f32[1, 16, 56, 56, 4] sep(3) logical([1, 56, 56, 64], (n, h, w, c) -> (n, c / 4, "
    "h, |, w, c % 4), pad(-1)), N: index,\n"
    "         y: i32[N / 4, 4] logical([N], (i) -> (i / 4, i % 4), pad(7))) {\n"
    "    for (n: 1, c: 16, h: 56, w: 56, k: 4) x[n, c, h, w, k] = f32(y[0, k]);\n"
    "}",
    /* blocks */
    "func blocks(a: f32[16, 16], b: f32[16, 16], c: f32[16, 16]) {\n"
    "    for (i: 16, j: 16, k: 16)\n"
    "        block gemm(vi: spatial(16) = i, vj: spatial(16) = j, vk: reduce(16) = k)\n"
    "            where(i + j < 31) reads(a[vi, vk], b[vk: 1, 0: 16]) writes(c[vi, vj]) note(tile = "
    "4) note(how = \"fast\") {\n"
    "            alloc acc: f32[4] scope(local);\n"
    "            match row: f32[16] strides(1) = a[vi, 0: 16];\n"
    "            match whole: f32[16, 16] data(b) = b[0: 16, 0: 16];\n"
    "            init { acc[0] = 0; c[vi, vj] = 0; }\n"
    "            acc[0] = row[vk] * whole[vk, vj];\n"
    "            c[vi, vj] = c[vi, vj] + acc[0];\n"
    "        }\n"
    "    block b0() { init c[0, 0] = 1; }\n"
    "    block b1() { { alloc own: f32[4]; own[0] = 1; c[0, 0] = own[0]; } }\n"
    "    block b2(i: spatial(4) = 2) { block inner(i: spatial(4) = i) reads() { c[i, i] = 0; } }\n"
    "}",
    /* control */
    "func control(N: index, y: f32[N]) {\n"
    "    if (N > 3) y[0] = 1;\n"
    "    if (N > 3) y[0] = 1; else y[1] = 2;\n"
    "    if (N > 3) { if (N > 4) y[0] = 1; } else y[1] = 2;\n"
    "    if (N > 3) { for (i: N) if (N > 4) y[i] = 1; } else if (N > 2) { y[0] = 1; y[1] = 1; } "
    "else { y[2] = 2; }\n"
    "    if (N > 3) if (N > 4) y[0] = 1; else y[0] = 2;\n"
    "    if (N > 3) { attr(x = N) if (N > 4) y[0] = 1; } else { { let i = 3; y[i] = 1; } y[2] = 2; "
    "}\n"
    "    assume(N % 4 == 0); assert(N >= 1, \"N must be positive\"); assert(true, \"\");\n"
    "    evaluate extern(i32, sync); evaluate intrinsic(f32, `strange name`, N, y, 5, 0.5f);\n"
    "    attr(pragma = \"unroll\") for (i: N) note(a = N + 1) note(b = \"text\") y[i] = 1;\n"
    "    for (i: N) note(outer = 1) for (j: N) { y[i] = 1; for (i: 4) y[i + j] = 2; }\n"
    "}",
    "func loop_kinds(y: f32[64, 64]) {\n"
    "    for parallel (i: 4, j: 5) for (k: 4) for vectorized (l: 4) for unrolled (m: 2, n: 2) y[i, "
    "k * l] = 1;\n"
    "    for unrolled (i: 4) { for unrolled (j: 4) y[i, j] = 2; }\n"
    "    for (i: 4) { for (j: 4) y[i, j] = 2; y[0, 0] = 1; }\n"
    "}",
    /* kernels and what a target knows */
    "kernel func tiled(x: f32[1024], y: f32[1024], N: i32) {\n"
    "    for bind(group.x) (gx: 4) for bind(group.y) (gy: 1) for bind(group.z) (gz: 1)\n"
    "    for bind(local.x) (lx: 256) for bind(local.y) (ly: 1) for bind(local.z) (lz: 1) {\n"
    "        alloc tile: f32[256] scope(shared); alloc r: f32[1] scope(local);\n"
    "        tile[lx] = x[gx * 256 + lx]; barrier(shared); barrier(global);\n"
    "        r[0] = tile[255 - lx] * f32(N); y[gx * 256 + lx] = r[0];\n"
    "    }\n"
    "    for bind(global.x) (a: 4) for bind(global.y) (b: 4) for bind(global.z) (c: 4) y[a * b * "
    "c] = 0;\n"
    "}",
    /* names: words that mean something elsewhere, and what is no word at all */
    "func names(data: f32[16], scope: f32[16], `if`: index, for: f32[4], let: f32[4], min: index, "
    "index: index, f32: f32[4],\n"
    "           init: f32[4], else: f32[4], alloc: f32[4], match: f32[4], as: f32[4], `a b`: "
    "f32[4], `true`: index, `x\\`y\\\\z\\x01`: f32[4],\n"
    "           ``: index, N_1: index, N: index, true_: index, func: index, layout: f32[4], _: "
    "index)\n"
    "    layout(layout: (pad) -> (pad)) layout(`a b`: (i) -> (i))\n"
    "{\n"
    "    for[min] = let[index] + f32[0] + f32(`if`) + f32(min(min, index)); let[0] = data[N] + "
    "scope[N_1]; else[0] = alloc[`true`];\n"
    "    { let N = 3; let N_2 = N; let `a b` = 4; for (N: N) for (i: 4) `x\\`y\\\\z\\x01`[N] = "
    "f32(N + N_1 + N_2 + `a b`); }\n"
    "    if (`` > 0) init[0] = 1; else[1] = 2; as[0] = match[1]; alloc[0] = f32(true_ + func + _); "
    "layout[0] = 1;\n"
    "    block init() { match[0] = 1; init[0] = 1; } block `my block`() { alloc[0] = 1; }\n"
    "    block init() { init init[0] = 2; alloc[0] = 1; }\n"
    "}",
    /* after flattening */
    "func flat(x: f32[56, 64] logical([1, 14, 4, 64], (n, h, w, c) -> (h * 4 + w, c)), y: f32[4, "
    "4]) {\n"
    "    decl x_flat: f32[3584] data(x); decl y_flat: f32[16] data(y);\n"
    "    for (i: 3584) y_flat[i % 16] = x_flat[i] + y_flat[(i + 1) % 16];\n"
    "}"
};

static const char *const text_modules[] = {
    "module m target(opencl12) {\n"
    "    host func f(x: f32[64], y: f32[64], n: i32) {\n"
    "        assert(n == 64, \"n must be 64\");\n"
    "        alloc tmp: f32[64];\n"
    "        launch f_0(x, tmp);\n"
    "        for (i: 4) launch f_1(tmp, y, n, 5, i32(3));\n"
    "    }\n"
    "    kernel func f_0(a: f32[64], b: f32[64]) { for bind(global.x) (i: 64) b[i] = a[i]; }\n"
    "    kernel func f_1(a: f32[64], b: f32[64], n: i32, k: index, m: i32) { for bind(global.x) "
    "(i: 64) b[i] = a[i] * f32(n * m) + f32(k); }\n"
    "}\n",
    "module `odd name` { host func h() { launch `kernel k`(); } kernel func `kernel k`() { } }"
};

#endif
