/* meaning_cases.h - what functions mean where nobody looks: empty loops, names of memory, loops whose
   iterations meet. For meaning.h. */
#ifndef IRL_MEANING_CASES_H
#define IRL_MEANING_CASES_H

/* A loop of negative extent is empty: alone, bound, and as a factor of what loops are fused to. */
static const char *const empty_loops[] = {
    "func f(n: index, m: index, y: f32[8]) { for (i: 1 .. n - 1) y[i] = 2.0; }",
    "func f(n: index, m: index, y: f32[8]) { for (i: n - 4) y[i] = 2.0; }",
    "func f(n: index, m: index, y: f32[8]) { for parallel (i: 1 .. n - 1) y[i] = 2.0; }",
    "func f(n: index, m: index, y: f32[8]) { for bind(global.x) (i: n - 4) y[i] = 2.0; }",
    "func f(n: index, m: index, y: f32[8]) {\n"
    "    for bind(group.x) (i: n - 4) for bind(local.x) (j: m - 4) y[i * 4 + j] = 2.0; }",
    "func f(n: index, m: index, y: f32[8]) {\n"
    "    for bind(group.x) (i: n - 4) for bind(local.y) (j: m - 4) y[i * 4 + j] = 2.0; }",
    "func f(n: index, m: index, y: f32[8, 8]) {\n"
    "    for parallel (i: n - 4, j: m - 4) y[i, j] = 2.0; }",
    "func f(n: index, m: index, y: f32[8, 8, 8, 2]) {\n"
    "    for parallel (i: n - 4, j: m - 4, k: 2, l: n) y[i, j, l, k] = 2.0; }",
    "func f(n: index, m: index, y: f32[8, 8, 8, 2]) {\n"
    "    for parallel (i: n - 4, j: m - 4, k: m, l: 2) y[i, j, k, l] = 2.0; }",
    "func f(n: index, m: index, y: f32[8, 8, 8, 8, 2]) {\n"
    "    for parallel (h: n, i: n - 4, j: m - 4, k: m, l: 2) y[h, i, j, k, l] = 2.0; }",
    "func f(n: index, m: index, y: f32[8, 8], z: f32[8]) {\n"
    "    for (i: n - 4) { for (j: i - m) y[i, j] = 2.0; for vectorized (j: m - 4) z[j] = 1.0; } }",
    "func f(n: index, m: index, y: f32[8, 8]) layout(y: (i, j) -> (j / 4, i, j % 4)) {\n"
    "    for (i: n - 4, j: 2 .. m - 2) y[i, j] = 2.0; }",
    "func f(n: index, m: index, y: f32[8]) {\n"
    "    for (i: n - 4) for bind(global.x) (j: m - 4) y[j] = y[j] + 1.0; }",
    "func f(n: index, m: index, y: f32[8]) {\n"
    "    for (i: n - 4, k: m - 4)\n"
    "        block b(v: spatial(n - 4) = i, r: reduce(m - 4) = k) { init y[v] = 0.0;\n"
    "            y[v] = y[v] + 2.0; } }",
    "func f(n: index, m: index, y: f32[8]) { for unrolled (i: 3 - 5) y[i] = 2.0;\n"
    "    for vectorized (i: 2 - 4) y[i] = 3.0; for (i: 4 .. 2) y[i] = 4.0; y[0] = 5.0; }",
    "func f(n: index, m: index, y: f32[8]) {\n"
    "    let e = n - 4; alloc t: f32[8]; for (i: 8) t[i] = 3.0; for (i: e) t[i] = 1.0;\n"
    "    for (i: 8) y[i] = t[i]; }",
};

#endif
