/* test_pass_cases.c - functions that want to break the passes, and that no generator makes: match
   buffers with layouts, memory of blocks, predicates, layouts on top of layouts, empty and single
   axes, strides with names, orders that matter, memory that is read once and changes then. Each is
   run as it is, after every pass, and as the module of every target that takes it; the numbers are
   those of the first run, and each stage is read back from its text. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "random64.h"
#include "test.h"

enum { MOST_SETS = 6, MOST_SCALARS = 2 };

typedef struct pass_case {
    irl_code    code; /* of apply_layouts */
    int         sets;
    int64_t     values[MOST_SETS][MOST_SCALARS]; /* of the scalar parameters, in order */
    const char *text;
} pass_case;

static const pass_case cases[] = {
    /* alias through match buffers, layout on both params */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6, 7]) layout(x: (i, c) -> (c, i)) layout(y: (i, c) -> (c / 4, "
      "i, c % 4), pad(3.0)) { for "
      "(i: 6) block b(vi: spatial(6) = i) reads(x[vi, 0: 7]) writes(y[vi, 0: 7]) { match a: f32[1, "
      "7] = x[vi: 1, 0: 7]; "
      "match d: f32[1, 7] = y[vi: 1, 0: 7]; for (c: 7) d[0, c] = a[0, 6 - c]; } }" },
    /* layout on block-level allocation within loops */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6, 7]) layout(t: (c) -> (c / 4, c % 4), pad(1.0)) { for (i: 6) "
      "block b(vi: spatial(6) = "
      "i) { alloc t: f32[7]; for (c: 7) t[c] = x[vi, c] * 2.0; for (c: 7) y[vi, c] = t[6 - c]; } "
      "}" },
    /* block-level alloc + init */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6]) layout(t: (c) -> (c / 4, c % 4), pad(1.0)) { for (i: 6, k: "
      "7) block b(vi: spatial(6) "
      "= i, vk: reduce(7) = k) { alloc t: f32[3]; init y[vi] = 0.0; t[1] = x[vi, vk]; y[vi] = "
      "y[vi] + t[1]; } }" },
    /* predicate */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[10], y: f32[10]) layout(y: (i) -> (i / 4, i % 4), pad(5.0)) layout(x: (i) -> "
      "(i / 4, i % 4)) { for (o: "
      "3, i: 4) block b(v: spatial(12) = o * 4 + i) where(v < 10) { y[v] = x[v] + 1.0; } }" },
    /* twice with different separators */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 8], y: f32[6, 8]) layout(y: (i, c) -> (i, |, c / 4, c % 4)) layout(y: (a, "
      "b, d) -> (b, a, |, d)) { "
      "for (i: 6, c: 8) y[i, c] = x[i, c]; }" },
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 8], y: f32[6, 8] scope(texture)) layout(y: (i, c) -> (i, |, c / 4, c % 4)) "
      "layout(y: (a, b, d) -> "
      "(b, a, |, d)) { for (i: 6, c: 8) y[i, c] = x[i, c]; }" },
    /* zero extents */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[0, 4], y: f32[0, 4]) layout(y: (i, c) -> (c, i)) layout(x: (i, c) -> (i / 2, "
      "c, i % 2), pad(1.0)) { for "
      "(i: 0, c: 4) y[i, c] = x[i, c]; }" },
    /* zero extents padded */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[0], y: f32[0], z: f32[3]) layout(y: (i) -> (i / 4, i % 4), pad(2.0)) { for "
      "(i: 0) y[i] = x[i]; for (i: "
      "3) z[i] = 1.0; }" },
    /* extent 1 */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[1, 1], y: f32[1, 1]) layout(y: (i, c) -> (i / 4, c, i % 4), pad(2.0)) { for "
      "(i: 1, c: 1) y[i, c] = x[i, "
      "c]; }" },
    /* negative offset map */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[10], y: f32[10]) layout(y: (i) -> (9 - i)) layout(x: (i) -> (i + 3), "
      "pad(4.0)) { for (i: 10) y[i] = "
      "x[i]; }" },
    /* reductions over padded axes, max with neutral element */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 7], y: f32[4]) layout(x: (i, k) -> (i, k / 4, k % 4), pad(100.0)) { for "
      "(i: 4, k: 7) block b(vi: "
      "spatial(4) = i, vk: reduce(7) = k) { init y[vi] = -1000.0; y[vi] = max(y[vi], x[vi, vk]); } "
      "}" },
    /* nested blocks reduction with padded y */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[5, 7], y: f32[5]) layout(x: (i, k) -> (i / 2, k / 4, i % 2, k % 4), "
      "pad(100.0)) layout(y: (i) -> (i / "
      "4, i % 4), pad(-1.0)) { for (i: 5) block outer(vi: spatial(5) = i) { for (k: 7) block "
      "inner(vk: reduce(7) = k) { init "
      "y[vi] = 0.0; y[vi] = y[vi] + x[vi, vk]; } } }" },
    /* symbolic strides */
    { IRL_OK,
      3,
      { { 3, 9 }, { 1, 8 }, { 0, 8 } },
      "func f(n: index, s: index, x: f32[n, 8] strides(s, 1), y: f32[n, 8]) layout(y: (i, c) -> "
      "(i, c / 3, c % 3), pad(1.0)) "
      "{ for (i: n, c: 8) y[i, c] = x[i, c]; }" },
    /* zero extent with strides */
    { IRL_OK,
      2,
      { { 0 }, { 2 } },
      "func f(n: index, x: f32[n, 7] strides(8, 1), y: f32[n, 7]) { for (i: n, c: 7) y[i, c] = "
      "x[i, c]; }" },
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[0, 7] strides(8, 1), y: f32[0, 7] strides(8, 1) offset(2), z: f32[2]) { for "
      "(i: 0, c: 7) y[i, c] = x[i, "
      "c]; for (i: 2) z[i] = 2.0; }" },
    /* temporary with layout in conditional host loop, used in both branches */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(t: (i) -> (i / 4, i % 4), pad(9.0)) { for (r: 2) { "
      "alloc t: f32[6]; for (i: 6) "
      "t[i] = x[i] + f32(r); if (r == 1) for (i: 6) y[i] = t[5 - i]; else for (i: 6) y[i] = t[i]; "
      "} }" },
    /* store under whole nest with let depend */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6], w: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for "
      "(i: 6) { let a = x[i]; w[i] "
      "= a; y[i] = a * 2.0; } }" },
    /* whole nest reading own buffer at another index through a temp */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) { "
      "alloc t: f32[2]; t[0] = x[i]; "
      "t[1] = t[0] + 1.0; y[i] = t[1]; } }" },
    /* assertion inside */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) { "
      "assert(x[i] > -1000.0, \"ok\"); "
      "y[i] = x[i]; } }" },
    /* division inside index */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) y[i] = "
      "x[60 / (i + 1) % 6]; }" },
    /* reading at an index computed from padded inverse - out of range if evaluated at padding */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i * 3 + 2), pad(9.0)) { for (i: 6) y[i] = "
      "x[i]; }" },
    /* assume */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) { "
      "assume(i < 6); y[i] = x[i]; } }" },
    /* bool and others */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: bool[5], y: bool[5]) layout(y: (i) -> (i / 4, i % 4), pad(true)) layout(x: (i) -> "
      "(i / 2, i % 2)) { for (i: "
      "5) y[i] = !x[i]; }" },
    /* match of a match, with layout */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6, 7]) layout(x: (i, c) -> (c / 4, i, c % 4)) { for (i: 6) "
      "block b(vi: spatial(6) = i) { "
      "match a: f32[1, 7] = x[vi: 1, 0: 7]; for (c: 7) block d(vc: spatial(7) = c) { match e: "
      "f32[1, 1] = a[0: 1, vc: 1]; "
      "y[vi, vc] = e[0, 0]; } } }" },
    /* match of rank lower */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6, 7]) layout(x: (i, c) -> (c / 4, i, c % 4)) layout(y: (i, c) "
      "-> (c, i)) { for (i: 6) "
      "block b(vi: spatial(6) = i) { match a: f32[7] = x[vi: 1, 0: 7]; match d: f32[7] = y[vi: 1, "
      "0: 7]; for (c: 7) d[c] = "
      "a[c]; } }" },
    /* two match buffers on the same param, overlapping */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7]) layout(x: (i, c) -> (c / 4, i, c % 4), pad(2.0)) { for (i: 5) block "
      "b(vi: spatial(5) = i) { "
      "match a: f32[1, 7] = x[vi: 1, 0: 7]; match d: f32[1, 7] = x[vi + 1: 1, 0: 7]; for (c: 7) "
      "d[0, c] = a[0, c] + d[0, c]; "
      "} }" },
    /* races: parallel loop over padded */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6, 7]) layout(y: (i, c) -> (i / 4, c, i % 4), pad(2.0)) { for "
      "parallel (i: 6, c: 7) y[i, "
      "c] = x[i, c]; }" },
    /* parallel with private */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6, 7]) layout(y: (i, c) -> (i / 4, c, i % 4), pad(2.0)) "
      "layout(t: (c) -> (6 - c)) { for "
      "parallel (i: 6) { alloc t: f32[7]; for (c: 7) t[c] = x[i, c]; for (c: 7) y[i, c] = t[c]; } "
      "}" },
    /* bound loops */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8]) layout(y: (i, c) -> (c, i)) layout(s: (a) -> (7 - a)) { "
      "for bind(group.x) (g: 8) { "
      "alloc s: f32[8] scope(shared); for bind(local.x) (l: 8) { s[l] = x[g, l]; barrier(shared); "
      "y[g, l] = s[7 - l]; } } }" },
    /* shared with padding */
    { IRL_ERROR_UNSUPPORTED,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8]) layout(s: (a) -> (a / 3, a % 3), pad(1.0)) { for "
      "bind(group.x) (g: 8) { alloc s: "
      "f32[8] scope(shared); for bind(local.x) (l: 8) { s[l] = x[g, l]; barrier(shared); y[g, l] = "
      "s[7 - l]; } } }" },
    /* bound written param with padding */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 7], y: f32[8, 7]) layout(y: (i, c) -> (i, c / 4, c % 4), pad(1.0)) { for "
      "bind(group.x) (g: 8) for "
      "bind(local.x) (l: 7) y[g, l] = x[g, l]; }" },
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: bool[5], y: bool[5]) layout(y: (i) -> (i / 4, i % 4), pad(true)) layout(x: (i) -> "
      "(i / 2, i % 2)) { for (i: "
      "5) y[i] = !x[i]; }" },
    /* near 2^31 via strides only (memory large) : skip alloc; use zero-size with large extents */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[0, 2147483647], y: f32[4]) layout(x: (i, c) -> (c, i)) { for (i: 4) y[i] = "
      "1.0; for (i: 0, c: "
      "2147483647) y[0] = x[i, c]; }" },
    /* if with predicate on padded index */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6, 7]) layout(y: (i, c) -> (i, c / 4, c % 4), pad(1.0)) { for "
      "(i: 6, o: 2, c: 4) if (o * "
      "4 + c < 7) y[i, o * 4 + c] = x[i, o * 4 + c]; }" },
    /* block predicate using padded loops and layout on both + reduction init under predicate */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6]) layout(x: (i, c) -> (i, c / 4, c % 4), pad(7.0)) layout(y: "
      "(i) -> (i / 4, i % 4), "
      "pad(2.0)) { for (i: 6, o: 2, c: 4) block b(vi: spatial(6) = i, vc: reduce(8) = o * 4 + c) "
      "where(vc < 7) { init y[vi] "
      "= 0.0; y[vi] = y[vi] + x[vi, vc]; } }" },
    /* reduction with predicate false at first iteration: init must still... vc==0 */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 7], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(2.0)) { for (i: 6) "
      "y[i] = 5.0; for (i: 6, o: 2, "
      "c: 4) block b(vi: spatial(6) = i, vc: reduce(8) = o * 4 + c) where(vc > 0 && vc < 7) { init "
      "y[vi] = 0.0; y[vi] = "
      "y[vi] + x[vi, vc]; } }" },
    /* host loop with reduce axes bound to non loops */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 4], y: f32[6]) layout(y: (i) -> (5 - i)) { for (i: 6, k: 4) block b(vi: "
      "spatial(6) = 5 - i, vk: "
      "reduce(4) = 3 - k) { init y[vi] = 0.0; y[vi] = y[vi] * 2.0 + x[vi, vk]; } }" },
    /* layouts applied twice with padding both */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[7], y: f32[7]) layout(y: (i) -> (i / 4, i % 4), pad(1.0)) layout(y: (a, b) -> "
      "(b, a / 4, a % 4), "
      "pad(2.0)) { for (i: 7) y[i] = x[i]; }" },
    /* same on temp */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[7], y: f32[7]) layout(t: (i) -> (i / 4, i % 4), pad(1.0)) layout(t: (a, b) -> "
      "(b, a / 4, a % 4), "
      "pad(2.0)) { alloc t: f32[7]; for (i: 7) t[i] = x[i]; for (i: 7) y[i] = t[6 - i]; }" },
    /* same on read */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[7], y: f32[7]) layout(x: (i) -> (i / 4, i % 4), pad(1.0)) layout(x: (a, b) -> "
      "(b, a / 4, a % 4), "
      "pad(2.0)) { for (i: 7) y[i] = x[i]; }" },
    /* memory of two sequences, one with a layout */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[7], y: f32[7]) layout(t: (i) -> (i / 4, i % 4), pad(1.0)) { { alloc t: "
      "f32[7]; for (i: 7) t[i] = x[i]; "
      "for (i: 7) y[i] = t[6 - i]; } { alloc u: f32[7]; for (i: 7) u[i] = y[i]; for (i: 7) y[i] = "
      "u[6 - i] + 1.0; } }" },
    /* lane stores */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32x4[7], y: f32x4[7]) layout(y: (i) -> (i / 4, i % 4), pad(1.0)) { for (i: 7) "
      "y[i] = x[i] + x[6 - i]; }" },
    /* stores with let between indexes and loops reversed */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 6], y: f32[4, 6]) layout(y: (i, c) -> (c / 4, i, c % 4), pad(9.0)) { for "
      "(i: 4) { let k = 3 - i; for "
      "(c: 6) y[k, c] = x[k, 5 - c]; } }" },
    /* extents 1 loops & modulo */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[1, 6], y: f32[1, 6]) layout(y: (i, c) -> (c / 4, i % 1, c % 4), pad(9.0)) { "
      "for (i: 1, c: 6) y[i, c] = "
      "x[i, 5 - c]; }" },
    /* index through data */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], ix: i32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) "
      "layout(x: (i) -> (i % 2, i / 2)) "
      "{ for (i: 6) y[i] = x[abs(ix[i]) % 6]; }" },
    /* scatter through data: y written at data-dependent index */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], ix: i32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for "
      "(i: 6) y[i] = 0.0; for (i: "
      "6) y[abs(ix[i]) % 6] = x[i]; }" },
    /* index array gets a layout */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], ix: i32[6], y: f32[6]) layout(ix: (i) -> (i / 4, i % 4)) layout(x: (i) -> "
      "(i % 2, i / 2)) { for (i: "
      "6) y[i] = x[abs(ix[i]) % 6]; }" },
    /* loop bound by data */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], ix: i32[6], y: f32[6]) layout(ix: (i) -> (i / 4, i % 4)) layout(y: (i) -> "
      "(i % 2, i / 2)) { for (i: "
      "6) { y[i] = 0.0; for (k: index(ix[i] & 3)) y[i] = y[i] + x[k]; } }" },
    /* alias decl same shape */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { decl z: f32[6] "
      "data(y); for (i: 6) z[i] = "
      "x[i]; for (i: 6) y[i] = z[i] + 1.0; }" },
    /* alias of other shape */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { decl z: f32[2, 3] "
      "data(y); for (i: 2, j: 3) "
      "z[i, j] = x[i * 3 + j]; }" },
    /* alias of another type, whose elements the layout takes apart */
    { IRL_ERROR_BAD_ALIAS,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i % 2, i / 2)) { decl z: f32x2[3] data(y); "
      "for (i: 3) z[i] = broadcast(x[i], 2); }" },
    /* negative loops min */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: -2 .. 4) "
      "y[i + 2] = x[i + 2]; }" },
    /* negative loops in parallelize recover */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (5 - i)) { for (i: -3 .. 3) y[(i + 3) * 5 % "
      "6] = x[i + 3]; }" },
    /* parallelize: i/2 only -> race */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[3]) layout(y: (i) -> (2 - i)) { for (i: 6) y[i / 2] = x[i]; }" },
    /* overlapping sliding window through strides in temp */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8], y: f32[6, 3]) layout(y: (i, c) -> (c, i)) { decl w: f32[6, 3] strides(1, "
      "1) data(x); for (i: 6, c: "
      "3) y[i, c] = w[i, c]; }" },
    /* sliding window written */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 3], y: f32[8]) { decl w: f32[6, 3] strides(1, 1) data(y); for (i: 8) y[i] "
      "= 0.0; for (i: 6, c: 3) "
      "w[i, c] = w[i, c] + x[i, c]; }" },
    /* stride 0 */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[8]) { decl w: f32[6] strides(0) data(y); for (i: 8) y[i] = 0.0; "
      "for (i: 6) w[i] = w[i] + "
      "x[i]; }" },
    /* negative modulo map */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8], y: f32[8]) layout(y: (i) -> ((3 - i) % 8)) { for (i: 8) y[i] = x[i]; }" },
    /* floor division of negatives in map */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8], y: f32[8]) layout(y: (i) -> ((3 - i) / 2 + 2, (3 - i) % 2)) { for (i: 8) "
      "y[i] = x[i]; }" },
    /* extents non multiples in loops split */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[13, 5], y: f32[13, 5]) layout(y: (i, c) -> (i / 8, c / 2, i % 8, c % 2), "
      "pad(-3.0)) layout(x: (i, c) -> "
      "(c / 3, i / 5, c % 3, i % 5)) { for (i: 13, c: 5) y[i, c] = x[i, c]; }" },
    /* conv with padded channel reduction */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[5, 5, 3], w: f32[3, 3, 3, 6], y: f32[3, 3, 6]) layout(x: (h, w, c) -> (h, c / "
      "4, w, c % 4), pad(0.0)) "
      "layout(w: (a, b, c, o) -> (o / 4, a, b, c, o % 4), pad(0.0)) layout(y: (h, w, o) -> (o / 4, "
      "h, w, o % 4), pad(0.0)) { "
      "for (h: 3, v: 3, o: 6, a: 3, b: 3, c: 3) block conv(vh: spatial(3) = h, vw: spatial(3) = v, "
      "vo: spatial(6) = o, va: "
      "reduce(3) = a, vb: reduce(3) = b, vc: reduce(3) = c) { init y[vh, vw, vo] = 0.0; y[vh, vw, "
      "vo] = y[vh, vw, vo] + x[vh "
      "+ va, vw + vb, vc] * w[va, vb, vc, vo]; } }" },
    /* alloc in block w layout and match */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 8], y: f32[6, 8]) layout(t: (a, c) -> (c, a)) { for (i: 3) block b(vi: "
      "spatial(3) = i) { alloc t: "
      "f32[2, 8]; match s: f32[2, 8] = x[vi * 2: 2, 0: 8]; match d: f32[2, 8] = y[vi * 2: 2, 0: "
      "8]; for (a: 2, c: 8) t[a, c] "
      "= s[a, c]; for (a: 2, c: 8) d[a, c] = t[1 - a, 7 - c]; } }" },
    /* match of temp with layout */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 8], y: f32[6, 8]) layout(t: (a, c) -> (c / 4, a, c % 4)) { alloc t: f32[6, "
      "8]; for (i: 3) block "
      "b(vi: spatial(3) = i) { match d: f32[2, 8] = t[vi * 2: 2, 0: 8]; for (a: 2, c: 8) d[a, c] = "
      "x[vi * 2 + a, c]; } for "
      "(i: 6, c: 8) y[i, c] = t[i, c]; }" },
    /* symbolic conv padded */
    { IRL_OK,
      5,
      { { 3, 5 }, { 1, 1 }, { 4, 8 }, { 0, 3 }, { 2, 0 } },
      "func f(n: index, c: index, x: f32[n, c], y: f32[n]) layout(x: (i, k) -> (i, k / 4, k % 4), "
      "pad(100.0)) layout(y: (i) "
      "-> (i / 4, i % 4), pad(-1.0)) { for (i: n, k: c) block b(vi: spatial(n) = i, vk: reduce(c) "
      "= k) { init y[vi] = "
      "-1000.0; y[vi] = max(y[vi], x[vi, vk]); } }" },
    /* symbolic fuse with rotate, temp */
    { IRL_OK,
      3,
      { { 3, 5 }, { 1, 1 }, { 7, 2 } },
      "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) layout(t: (i, j) -> (i * m + j)) "
      "layout(y: (i, j) -> (n * m - "
      "1 - (i * m + j))) { alloc t: f32[n, m]; for (i: n, j: m) t[i, j] = x[i, j] * 2.0; for (i: "
      "n, j: m) y[i, j] = t[n - 1 "
      "- i, m - 1 - j]; }" },
    /* symbolic block temps */
    { IRL_OK,
      2,
      { { 4, 6 }, { 0, 1 } },
      "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) layout(t: (j) -> (j / 4, j % 4), "
      "pad(1.0)) { for (i: n) block "
      "b(vi: spatial(n) = i) { alloc t: f32[m]; for (j: m) t[j] = x[vi, j]; for (j: m) y[vi, j] = "
      "t[m - 1 - j]; } }" },
    /* layout in loop with names from a let */
    { IRL_OK,
      2,
      { { 5 }, { 0 } },
      "func f(n: index, x: f32[n], y: f32[n]) layout(t: (j) -> (j / 2, j % 2), pad(1.0)) { let m = "
      "n * 2; alloc t: f32[m + "
      "1]; for (i: n) { t[i * 2] = x[i]; t[i * 2 + 1] = 0.0 - x[i]; } for (i: n) y[i] = t[i * 2] + "
      "t[i * 2 + 1] * 2.0; }" },
    /* symbolic twice */
    { IRL_OK,
      3,
      { { 5 }, { 0 }, { 9 } },
      "func f(n: index, x: f32[n], y: f32[n]) layout(y: (i) -> (i / 4, i % 4), pad(1.0)) layout(y: "
      "(a, b) -> (a / 2, b, a % "
      "2), pad(2.0)) { for (i: n) y[i] = x[i]; }" },
    /* match on symbolic */
    { IRL_OK,
      2,
      { { 3, 5 }, { 0, 5 } },
      "func f(n: index, m: index, x: f32[n, m], y: f32[n, m]) layout(x: (i, c) -> (c / 4, i, c % "
      "4)) layout(y: (i, c) -> (i "
      "* m + c)) { for (i: n) block b(vi: spatial(n) = i) { match a: f32[1, m] = x[vi: 1, 0: m]; "
      "match d: f32[1, m] = y[vi: "
      "1, 0: m]; for (c: m) d[0, c] = a[0, m - 1 - c]; } }" },
    /* transposing nest symbolic */
    { IRL_OK,
      1,
      { { 9, 5 } },
      "func f(n: index, m: index, x: f32[n, m], y: f32[m, n]) layout(x: (i, c) -> (c, i)) "
      "layout(y: (i, c) -> (i, c / 4, c % "
      "4), pad(0.0)) { for (i: n, j: m) y[j, i] = x[i, j]; }" },
    /* arrange loops: two stores, fuse */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8], z: f32[8, 8]) layout(z: (i, j) -> (j, i)) { for (i: 8, "
      "j: 8) { y[i, j] = x[i, j]; "
      "z[i, j] = x[j, i]; } }" },
    /* read after write across nests */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8], z: f32[8, 8]) layout(z: (i, j) -> (j, i)) { for (i: 8, "
      "j: 8) { z[i, j] = x[j, i]; "
      "y[i, j] = z[i, j]; } }" },
    /* in place transposition (race) */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8]) layout(x: (i, j) -> (j / 4, i, j % 4)) { for (i: 8, j: 8) if (i < j) { "
      "let a = x[i, j]; x[i, j] "
      "= x[j, i]; x[j, i] = a; } }" },
    /* prefix sums */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8]) layout(y: (i, j) -> (j / 4, i, j % 4)) { for (i: 8, j: "
      "8) { y[i, j] = x[i, j]; if "
      "(i > 0) y[i, j] = y[i, j] + y[i - 1, j]; } }" },
    /* order-dependent: the last wins */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8]) layout(y: (j) -> (j / 4, j % 4)) { for (i: 8, j: 8) y[j] = "
      "x[i, j]; }" },
    /* order-dependent through modulo */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[16], y: f32[4]) layout(y: (j) -> (3 - j)) { for (i: 16) y[i % 4] = x[i]; }" },
    /* loops with extents dependent on outer */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8]) layout(y: (i, j) -> (j / 4, i, j % 4), pad(1.0)) { for "
      "(i: 8, j: 8) y[i, j] = 0.0; "
      "for (i: 8) for (j: i + 1) y[i, j] = x[j, i]; }" },
    /* triangular with shift */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8]) layout(y: (i, j) -> (j, i)) { for (i: 8, j: 8) y[i, j] = "
      "0.0; for (i: 8) for (j: i "
      ".. 8) y[i, j] = x[j, i]; }" },
    /* block predicate reading memory */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8], y: f32[8]) layout(x: (i) -> (i / 3, i % 3), pad(-100.0)) layout(y: (i) -> "
      "(i / 3, i % 3), pad(1.0)) "
      "{ for (i: 8) y[i] = 0.0; for (i: 8) block b(v: spatial(8) = i) where(x[v] > 0.0) { y[v] = "
      "x[v]; } }" },
    /* init reading */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 3], y: f32[8]) layout(x: (i, k) -> (k, i)) layout(y: (i) -> (i / 3, i % "
      "3), pad(1.0)) { for (i: 8, "
      "k: 3) block b(v: spatial(8) = i, r: reduce(3) = k) { init y[v] = x[v, 2]; y[v] = y[v] - "
      "x[v, r]; } }" },
    /* init with two reduce axes and loops in other order */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 3, 2], y: f32[4]) layout(y: (i) -> (i / 3, i % 3), pad(1.0)) { for (k: 3, "
      "i: 4, l: 2) block b(v: "
      "spatial(4) = i, r: reduce(3) = k, s: reduce(2) = l) { init y[v] = 0.0; y[v] = y[v] * 3.0 + "
      "x[v, r, s]; } }" },
    /* reduce order reversed so init is not first: semantics */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 3], y: f32[4]) layout(y: (i) -> (i / 3, i % 3), pad(1.0)) { for (i: 4) "
      "y[i] = 7.0; for (i: 4, k: 3) "
      "block b(v: spatial(4) = i, r: reduce(3) = 2 - k) { init y[v] = 0.0; y[v] = y[v] * 3.0 + "
      "x[v, r]; } }" },
    /* blocks in blocks, both with alloc */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 6], y: f32[4, 6]) layout(t: (a) -> (a / 4, a % 4), pad(1.0)) layout(u: (a) "
      "-> (1 - a)) { for (i: 4) "
      "block b(v: spatial(4) = i) { alloc t: f32[6]; for (j: 6) t[j] = x[v, j]; for (j: 6) block "
      "c(w: spatial(6) = j) { "
      "alloc u: f32[2]; u[0] = t[w]; u[1] = t[5 - w]; y[v, w] = u[0] - u[1]; } } }" },
    /* serial loop with carried private */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 6], y: f32[4]) layout(s: () -> (0)) { for (i: 4) { alloc s: f32[]; s[] = "
      "0.0; for (k: 6) s[] = s[] * "
      "2.0 + x[i, k]; y[i] = s[]; } }" },
    /* alloc at top, used per kernel, with local scope */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(s: (a) -> (5 - a)) { alloc s: f32[6] scope(local); for "
      "(i: 6) s[i] = x[i]; for "
      "(i: 6) y[i] = s[5 - i]; }" },
    /* measured let */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], k: i32[1], y: f32[6]) layout(y: (a) -> (a / 4, a % 4), pad(1.0)) "
      "layout(k: (a) -> (a / 2, a % 2)) { "
      "let m = index(k[0] & 3); for (i: 6) y[i] = x[(i + m) % 6]; for (i: m) y[i] = 0.0; }" },
    /* host if unknown and loops */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], k: i32[1], y: f32[6]) layout(y: (a) -> (a / 4, a % 4), pad(1.0)) { for "
      "(i: 6) y[i] = x[i]; if (k[0] "
      "> 3) for (i: 6) y[i] = y[i] + 1.0; else for (i: 6) y[i] = y[i] - 1.0; }" },
    /* parallel loop around host-like loop */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 3], y: f32[6, 3]) layout(y: (i, j) -> (j, i)) { for (t: 3) for parallel "
      "(i: 6) y[i, t] = x[i, 2 - "
      "t]; }" },
    /* loop-carried dependency through time */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(2.0)) { for (i: 6) y[i] = "
      "x[i]; for (t: 3) for (i: "
      "5) y[i] = y[i + 1]; }" },
    /* y[i] = y[i+1] race for parallel */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (5 - i)) { for (i: 6) y[i] = x[i]; for (i: 5) "
      "y[i + 1] = y[i]; }" },
    /* vectorized */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8], y: f32[8]) layout(y: (i) -> (i / 4, i % 4)) { for vectorized (i: 8) y[i] "
      "= x[i] * 2.0; }" },
    /* vectorized 10 to padded */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[10], y: f32[10]) layout(y: (i) -> (i / 4, i % 4), pad(4.0)) { for vectorized "
      "(i: 10) y[i] = x[9 - i] * "
      "2.0; }" },
    /* unrolled padded */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[10], y: f32[10]) layout(y: (i) -> (i / 4, i % 4), pad(4.0)) { for unrolled "
      "(i: 10) y[i] = x[9 - i] * "
      "2.0; }" },
    /* rank 0 */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[], y: f32[]) layout(y: () -> (0)) { y[] = x[] + 1.0; }" },
    /* rank 0 to padded */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[], y: f32[]) layout(y: () -> (2), pad(4.0)) { y[] = x[] + 1.0; }" },
    /* -------- what is read once: bindings, starts of regions, shapes; and facts about memory that
       changes */
    /* binding that reads what the body writes */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], y: f32[8]) { for (i: 8) y[i] = 0.0; for (i: 4) block b(v: spatial(8) = "
      "index(k[0] & 7)) { k[0] = "
      "k[0] + 1; y[v] = 1.0; } }" },
    /* match source at a memory dependent index */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) y[i] = 0.0; for (i: 4) block b(v: "
      "reduce(4) = i) { match d: "
      "f32[1] = y[index(k[0] & 7): 1]; k[0] = k[0] + 1; d[0] = x[v]; } }" },
    /* let of memory inside nest */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) layout(y: (i) -> (i / 3, i % 3), pad(1.0)) { for "
      "(i: 8) { let m = index(k[0] "
      "& 7); k[0] = k[0] + 1; y[m] = x[i]; } for (i: 8) y[i] = x[i]; }" },
    /* two paddings on param */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[9], y: f32[9]) layout(y: (i) -> (i / 4, i % 4), pad(1.0)) layout(y: (a, b) -> "
      "(b, a / 2, a % 2), "
      "pad(2.0)) { for (i: 9) y[i] = x[i]; }" },
    /* predicate that the body changes */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) where(x[0] < 3.0) { "
      "x[0] = x[0] + 1.0; y[v] = "
      "1.0; } for (i: 8) y[i] = x[i]; }" },
    /* init condition with data reduce */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[8], x: f32[8], y: f32[8]) { for (i: 8) y[i] = 5.0; for (i: 4, j: 2) block "
      "b(v: spatial(8) = i, r: "
      "reduce(8) = index(k[i] & 1)) { init y[v] = 0.0; k[v] = k[v] + 1; y[v] = y[v] + x[i + r]; } "
      "}" },
    /* layout of a buffer that a predicate and a binding reads */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[4], x: f32[8], y: f32[8]) layout(k: (i) -> (i % 2, i / 2)) layout(x: (i) -> "
      "(i / 3, i % 3)) { for (i: "
      "8) y[i] = 0.0; for (i: 4) block b(v: spatial(8) = index(k[i] & 7)) where(x[v] > 0.0) { y[v] "
      "= x[v]; } }" },
    /* loop extent read from laid out memory that the loop changes */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[4], y: f32[8]) layout(k: (i) -> (3 - i)) { for (i: 8) y[i] = 0.0; for (i: "
      "index(k[1] & 7)) { k[1] = 0; "
      "y[i] = 1.0; } }" },
    /* whole store into y reading own through lets */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) { let "
      "a = y[i]; y[i] = a + x[i]; "
      "} }" },
    /* whole store with own element read after it was stored */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6], z: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for "
      "(i: 6) { alloc t: f32[1]; "
      "y[i] = x[i]; t[0] = y[i]; } }" },
    /* whole store nest with if around store inside let etc */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) { y[i] "
      "= x[i]; assert(y[i] < "
      "1000.0, \"small\"); } }" },
    /* exists inner loops around alloc */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6, 3], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) { "
      "alloc s: f32[1]; s[0] = "
      "0.0; for (k: 3) { s[0] = s[0] + x[i, k]; } y[i] = s[0]; } }" },
    /* shared let in whole-store: expression let */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (i / 4, i % 4), pad(9.0)) { for (i: 6) y[i] = "
      "let(b = x[i], b * b); }" },
    /* map with let? and select */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[6], y: f32[6]) layout(y: (i) -> (select(i < 3, i + 3, i - 3))) { for (i: 6) "
      "y[i] = x[i]; }" },
    /* xor map */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[8, 8], y: f32[8, 8]) layout(y: (i, j) -> (i, i ^ j)) layout(x: (i, j) -> (i ^ "
      "j, j)) { for (i: 8, j: 8) "
      "y[i, j] = x[j, i]; }" },
    /* many parallel loops */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[2, 3, 2, 3, 2], y: f32[2, 3, 2, 3, 2]) layout(y: (a, b, c, d, e) -> (e, b / "
      "2, c, d, a, b % 2), "
      "pad(1.0)) { for (a: 2, b: 3, c: 2, d: 3, e: 2) y[a, b, c, d, e] = x[a, b, c, d, e]; }" },
    /* zero extents deep */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[2, 0, 2, 3, 2], y: f32[2, 0, 2, 3, 2]) layout(y: (a, b, c, d, e) -> (e, b / "
      "2, c, d, a, b % 2), "
      "pad(1.0)) { for (a: 2, b: 0, c: 2, d: 3, e: 2) y[a, b, c, d, e] = x[a, b, c, d, e]; }" },
    /* symbolic zero in fused digits */
    { IRL_OK,
      3,
      { { 0, 3 }, { 3, 0 }, { 2, 2 } },
      "func f(n: index, m: index, x: f32[2, n, m, 3, 2], y: f32[2, n, m, 3, 2]) layout(y: (a, b, "
      "c, d, e) -> (e, b / 2, c, "
      "d, a, b % 2), pad(1.0)) { for (a: 2, b: n, c: m, d: 3, e: 2) y[a, b, c, d, e] = x[a, b, c, "
      "d, e]; }" },
    /* same buffer as x with match, writes to overlapping */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 4]) layout(x: (i, j) -> (j, i)) { for (i: 3) block b(v: spatial(3) = i) { "
      "match p: f32[2, 4] = x[v: "
      "2, 0: 4]; for (j: 4) p[1, j] = p[0, j] + p[1, j]; } }" },
    /* seq of blocks with alloc, alloc in outer used in inner block matched */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(x: f32[4, 4], y: f32[4, 4]) layout(t: (i, j) -> (j / 3, i, j % 3), pad(5.0)) { block "
      "o() { alloc t: f32[4, 4]; "
      "for (i: 4) block a(v: spatial(4) = i) { match p: f32[1, 4] = t[v: 1, 0: 4]; for (j: 4) p[0, "
      "j] = x[v, j]; } for (i: "
      "4) block c(v: spatial(4) = i) { match p: f32[4, 1] = t[0: 4, v: 1]; for (j: 4) y[v, j] = "
      "p[j, 0]; } } }" },
    /* match start from memory under layout */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) layout(y: (i) -> (i / 3, i % 3)) { for (i: 8) y[i] "
      "= 0.0; for (i: 4) block "
      "b(v: reduce(4) = i) { match d: f32[1] = y[index(k[0] & 7): 1]; k[0] = k[0] + 1; d[0] = "
      "x[v]; } }" },
    /* nested blocks, each binding from memory */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) layout(y: (i) -> (i / 3, i % 3)) { for (i: 8) y[i] "
      "= 0.0; for (i: 4) block "
      "b(v: spatial(8) = index(k[0] & 7)) where(x[v] > -100.0) { k[0] = k[0] + 1; block c(w: "
      "spatial(8) = index(k[0] & 7)) { "
      "match d: f32[1] = y[w: 1]; k[0] = k[0] + 3; d[0] = x[v] - x[w]; } } }" },
    /* in loop */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i]; for (r: 2) { alloc t: "
      "f32[4, index((k[0] & 3) + "
      "4)]; for (i: 4, j: 4) t[i, j] = x[i + j]; k[0] = k[0] + 1; for (i: 4) y[i] = t[i, 3 - i]; } "
      "}" },
    /* decl */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i]; decl t: f32[1, "
      "index((k[0] & 3) + 4)] data(y); k[0] "
      "= k[0] + 1; for (i: 4) t[0, i] = x[3 - i]; }" },
    /* decl strides */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[16], y: f32[16]) { for (i: 16) y[i] = x[i]; decl t: f32[3, 2] "
      "strides(index((k[0] & 1) + 2), "
      "1) data(y); k[0] = k[0] + 1; for (i: 3, j: 2) t[i, j] = x[i * j]; }" },
    /* block extent from memory */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i]; for (i: 4) block b(v: "
      "reduce(index(k[0] & 7) + 4) "
      "= i) { k[0] = k[0] + 1; y[v] = 1.0; } }" },
    /* let depends on loop var captured after modification through alias let chain */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { let a = k[0]; k[0] = a + 1; let b = k[0]; k[0] = "
      "b + 5; for (i: 8) y[i] = "
      "x[i] + f32(a) + f32(b) * 2.0; }" },
    /* if condition from memory that the then branch changes, then second nest */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) y[i] = 0.0; if (k[0] < 100) { k[0] = "
      "100; for (i: 8) y[i] = "
      "x[i]; for (i: 8) y[i] = y[i] + 1.0; } else { for (i: 8) y[i] = 2.0; } }" },
    /* host loop extents from memory, with bound loops within */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) y[i] = 0.0; for (t: index(k[0] & 3)) { "
      "k[0] = 0; for (i: 8) y[i] "
      "= y[i] + x[i]; } }" },
    /* assert reading memory changed later */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { assume(k[0] < 1000); k[0] = 2000; for (i: 8) y[i] "
      "= x[i] + f32(k[0]); }" },
    /* assume on memory then used for simplification after write */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { assume(k[0] < 16); k[0] = k[0] + 100; for (i: 8) "
      "if (k[0] < 16) y[i] = 1.0; "
      "else y[i] = x[i]; }" },
    /* if-known fact on memory */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) { if (k[0] < 16) { k[0] = k[0] + 100; "
      "if (k[0] < 16) y[i] = 1.0; "
      "else y[i] = x[i]; } else y[i] = 3.0; } }" },
    /* predicate fact */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[1], x: f32[8], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) where(k[0] "
      "< 16) { k[0] = k[0] + 100; "
      "y[v] = select(k[0] < 16, 1.0, x[v]); } for (i: 8) y[i] = x[i] + f32(k[0]); }" },
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[4], x: f32[4, 3], y: f32[8]) layout(y: (i) -> (i / 3, i % 3)) { for (i: 8) "
      "y[i] = 1.0; for (i: 4, j: 3) block b(v: "
      "spatial(4) = i, r: reduce(3) = j) { match d: f32[1] = y[index(k[v] & 7): 1]; init d[0] = "
      "0.0; d[0] = d[0] + x[v, r]; } }" },
    { IRL_ERROR_UNSUPPORTED,
      1,
      { { 0 } },
      "func f(k: i32[4], x: f32[4, 3], y: f32[8]) layout(y: (i) -> (i / 3, i % 3)) { for (i: 8) "
      "y[i] = 1.0; for (i: 4, j: 3) block b(v: "
      "spatial(4) = i, r: reduce(3) = j) { match d: f32[1] = y[index(k[v] & 7): 1]; init { d[0] = "
      "0.0; k[v] = 3; } d[0] = d[0] + x[v, r]; } }" },
    /* where a region starts is read through a layout; so is a buffer that is only declared */
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[6, 3], x: f32[6, 16], y: f32[6, 3]) layout(k: (a, b) -> (a * 3 + b)) layout(x:"
      " (a, b) -> (b, a)) { for (i: 6, j: 3) block b(v: spatial(6) = i, w: spatial(3) = j) reads("
      "k[v, w], x[v, index(k[v, w])]) writes(y[v, w]) { y[v, w] = x[v, index(k[v, w])]; } }" },
    { IRL_OK,
      1,
      { { 0 } },
      "func f(k: i32[6, 3], x: f32[6, 16], y: f32[6]) layout(k: (a, b) -> (a * 3 + b)) layout(x: "
      "(a, b) -> (b, a)) { for (i: 6) block b(v: spatial(6) = i) reads(x[v, 0: 1 + index(k[v, 1] & "
      "15)]) writes(y[v]) { y[v] = 2.0; } }" },
    /* a race in what never runs is none */
    { IRL_OK,
      2,
      { { 3 }, { 6 } },
      "func f(n: index, x: f32[8], y: f32[8]) { assert(n < 7, \"few\"); if (n > 6) { for parallel "
      "(i: 8) y[0] = y[0] + x[i]; } else for (i: 8) y[i] = x[i]; if (n < 9) { for (i: 8) x[i] = "
      "2.0; } else { for parallel (i: 8) y[i / 2] = x[i]; } }" },
};

/* ------------------------------------------------------------------ data */

typedef struct data {
    irl_arguments  arguments;
    int            is_buffer[IRL_MAX_ARGUMENTS];
    size_t         bytes[IRL_MAX_ARGUMENTS];
    unsigned char *memory[IRL_MAX_ARGUMENTS];
} data;

static void *kept(void *p)
{
    if (!p) exit(2);
    return p;
}

static void fill(irl_tensor *t)
{
    size_t k, size = t->type.scalar == IRL_BOOL ? 1 : 4;
    for (k = 0; k < t->bytes / size; k++) {
        float   number = (float)(random_below(64) - 32);
        int32_t integer = random_below(16);
        if (size == 1) ((unsigned char *)t->data)[k] = (unsigned char)random_below(2);
        else if (t->type.scalar == IRL_F32) memcpy((unsigned char *)t->data + k * 4, &number, 4);
        else memcpy((unsigned char *)t->data + k * 4, &integer, 4);
    }
}

/* The same for the same values, whatever stage f is at. */
static int data_new(const irl_func *f, const int64_t *values, data *d)
{
    irl_tensor t;
    int        k;
    memset(d, 0, sizeof *d);
    random64_state = UINT64_C(0x9e3779b97f4a7c15);
    d->arguments.count = irl_func_param_count(f);
    for (k = 0; k < d->arguments.count; k++) {
        if (irl_func_param_is_buffer(f, k)) continue;
        d->memory[k] = (unsigned char *)kept(malloc(sizeof *values));
        memcpy(d->memory[k], values++, sizeof *values);
        d->arguments.data[k] = d->memory[k];
    }
    for (k = 0; k < d->arguments.count; k++) {
        if (!irl_func_param_is_buffer(f, k)) continue;
        if (!irl_func_param_tensor(f, k, d->arguments, &t)) return 0;
        d->is_buffer[k] = 1;
        d->bytes[k] = t.bytes;
        t.data = d->memory[k] = (unsigned char *)kept(malloc(t.bytes + 1));
        fill(&t);
    }
    for (k = 0; k < d->arguments.count; k++) d->arguments.data[k] = d->memory[k];
    return 1;
}

static void data_free(data *d)
{
    int k;
    for (k = 0; k < d->arguments.count; k++) free(d->memory[k]);
}

static int data_same(const data *a, const data *b)
{
    int k;
    for (k = 0; k < a->arguments.count; k++)
        if (a->is_buffer[k] &&
            (a->bytes[k] != b->bytes[k] || memcmp(a->memory[k], b->memory[k], a->bytes[k]) != 0))
            return 0;
    return 1;
}

/* ------------------------------------------------------------------ runs */

static int stages, modules;

static int stage_is_right(irl_ctx *cx, const irl_func *f, const irl_func *g, const int64_t *values,
                          const data *expected)
{
    const char *text = irl_func_text(g);
    irl_func   *again = irl_func_parse(cx, text, strlen(text), "again");
    data        found;
    int         ok = again && irl_func_equal(g, again) && data_new(f, values, &found);
    if (!ok) return 0;
    ok = irl_func_interpret(g, found.arguments) && data_same(expected, &found);
    data_free(&found);
    stages++;
    return ok;
}

static int module_is_right(irl_ctx *cx, const irl_func *f, const char *target,
                           const int64_t *values, const data *expected)
{
    irl_mark    mark = irl_ctx_mark(cx);
    irl_module *m = irl_func_lower(f, irl_target_find(target));
    data        found;
    int         ok;
    if (!m) { /* the plain target takes all */
        ok = strcmp(target, "opencl12") != 0;
        if (ok) irl_ctx_rewind(cx, mark);
        return ok;
    }
    ok = data_new(f, values, &found);
    if (!ok) return 0;
    ok = irl_module_interpret(m, found.arguments) && data_same(expected, &found);
    data_free(&found);
    if (!ok) printf("%s", irl_module_text(m));
    modules++;
    return ok;
}

static void run_case(const pass_case *c, const int64_t *values)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = irl_func_parse(cx, c->text, strlen(c->text), "case"), *g = f;
    data      expected;
    int       k, ok;
    if (!CHECK_OK(cx) || !data_new(f, values, &expected)) {
        irl_ctx_destroy(cx);
        return;
    }
    ok = CHECK(irl_func_interpret(f, expected.arguments));
    for (k = 0; ok && irl_pass_name(k); k++) {
        if (!TEST_PASS(k)) continue;
        g = irl_func_run_pass(g, irl_pass_name(k));
        if (c->code != IRL_OK && strcmp(irl_pass_name(k), "apply_layouts") == 0) break;
        ok = CHECK(g && stage_is_right(cx, f, g, values, &expected));
        if (!ok)
            printf("after %s: %s%s", irl_pass_name(k), irl_diag_text(cx),
                   g ? irl_func_text(g) : "");
    }
    if (c->code != IRL_OK) CHECK_CODE(cx, c->code);
    for (k = 0; ok && c->code == IRL_OK && irl_target_name(k); k++) {
        ok = CHECK(module_is_right(cx, f, irl_target_name(k), values, &expected));
        if (!ok) printf("for %s: %s", irl_target_name(k), irl_diag_text(cx));
    }
    if (!ok) printf("%s\n", c->text);
    data_free(&expected);
    irl_ctx_destroy(cx);
}

/* Memory in a kernel whose extent is bounded has a number for it; NULL: nothing bounds it, and the
   emitter will refuse it. */
static void test_private_extents(void)
{
    static const struct { const char *text, *shows;
    } rows[] = {
        { "assume(n <= 16); for (i: n) { alloc p: f32[n]; for (k: n) p[k] = x[k]; y[i] = p[n - 1 - "
          "i]; }",
          "alloc p: f32[16] scope(local)" },
        { "assert(n < 6, \"few\"); for (i: n) { alloc p: f32[n, 2]; for (k: n) p[k, 1] = x[k]; "
          "y[i] = p[n - 1 - i, 1]; }",
          "alloc p: f32[10] scope(local)" },
        { "for (i: n) { let m = min(n, 4) * 2; alloc p: f32[m + 1]; for (k: m + 1) p[k] = x[i]; "
          "y[i] = p[m / 2]; }",
          "alloc p: f32[9] scope(local)" },
        { "for (i: n) { y[i] = 0.0; for (c: 4) { alloc p: f32[c + 1]; p[c] = x[i]; y[i] = y[i] + "
          "p[c]; } }",
          "alloc p: f32[4] scope(local)" },
        { "for (i: n) { alloc p: f32[n]; for (k: n) p[k] = x[k]; y[i] = p[n - 1 - i]; }", NULL },
        { "assume(n < 100000); for (i: n) { alloc p: f32[n]; for (k: n) p[k] = x[k]; y[i] = p[n - "
          "1 - i]; }",
          NULL },
    };
    static const int64_t values[] = { 0, 1, 4, 5 };
    char                 text[512];
    size_t               k, v;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f;
        irl_module *m;
        snprintf(text, sizeof text, "func f(n: index, x: f32[n], y: f32[n]) { %s }", rows[k].text);
        f = irl_func_parse(cx, text, strlen(text), NULL);
        m = irl_func_lower(f, &irl_target_opencl12);
        if (!CHECK_OK(cx) ||
            !CHECK(strstr(irl_module_text(m),
                          rows[k].shows ? rows[k].shows : "alloc p: f32[n] scope(local)")))
            printf("%s", m ? irl_module_text(m) : "");
        for (v = 0; m && v < sizeof values / sizeof values[0]; v++) {
            data expected, found;
            if (!data_new(f, &values[v], &expected) || !data_new(f, &values[v], &found)) continue;
            if (!CHECK(irl_func_interpret(f, expected.arguments) &&
                       irl_module_interpret(m, found.arguments) && data_same(&expected, &found)))
                printf("n %d: %s\n%s%s", (int)values[v], text, irl_diag_text(cx),
                       irl_module_text(m));
            data_free(&expected);
            data_free(&found);
        }
        irl_ctx_destroy(cx);
    }
}

/* Flat symbolic extents: as short as they are, and 0 where an axis is. */
static void test_flat_extents(void)
{
    static const char *const rows[][2] = {
        { "x: f32[n, 8] strides(1, n)", "x_flat: f32[n * 8]" },
        { "x: f32[n, 8]", "x_flat: f32[n * 8]" },
        { "x: f32[n, 4, m, 2]", "x_flat: f32[n * m * 8]" },
        { "x: f32[n, 7] strides(8, 1)", "x_flat: f32[min(n, 1) * (n * 8 - 1)]" },
        { "x: f32[n, 7] strides(8, 1) offset(1)", "x_flat: f32[n * 8]" },
        { "x: f32[0, 7] strides(8, 1) offset(2)", "x_flat: f32[0]" },
        { "x: f32[4, 7] strides(8, 1) offset(2)", "x_flat: f32[33]" },
    };
    char   text[256];
    size_t k;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_func   *f;
        const char *indices = strstr(rows[k][0], ", m") ? "0, 0, 0, i" : "0, i";
        snprintf(text, sizeof text, "func f(n: index, m: index, %s) { for (i: 2) x[%s] = 1.0; }",
                 rows[k][0], indices);
        f = irl_func_run_pass(irl_func_parse(cx, text, strlen(text), NULL), "flatten");
        if (!CHECK_OK(cx) || !CHECK(strstr(irl_func_text(f), rows[k][1])))
            printf("%s", f ? irl_func_text(f) : "");
        irl_ctx_destroy(cx);
    }
}

int main(void)
{
    size_t k;
    int    s;
    test_flat_extents();
    test_private_extents();
    for (k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (s = 0; s < cases[k].sets; s++) run_case(&cases[k], cases[k].values[s]);
    printf("%d functions, %d stages, %d modules\n", (int)k, stages, modules);
    return TEST_DONE();
}
