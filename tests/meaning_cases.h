/* meaning_cases.h - what functions mean where nobody looks: empty loops, names of memory, views
   that may not fit, what runs at once. For meaning.h. */
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

#define FITS(n, m, text) { text, n, m, IRL_OK, IRL_OK, IRL_OK, NULL, IRL_OK }
#define NEVER(text) \
    { text, 3, 2, IRL_ERROR_BAD_ALIAS, IRL_ERROR_BAD_ALIAS, IRL_OK, "'B'", IRL_OK }
#define NOT_NOW(n, m, text) \
    { text, n, m, IRL_ERROR_BAD_ALIAS, IRL_OK, IRL_ERROR_ASSERTION, "'B'", IRL_OK }
#define NO_TEXT(code, says, text) { text, 0, 0, IRL_OK, IRL_OK, IRL_OK, says, code }

/* Sizes of a launch that are made of other integers than indices. */
static const char *const sized_loops[] = {
    "func f(n: i32, m: index, y: f32[8]) { for (i: index(n)) y[i] = 2.0; }",
    "func f(n: i32, m: index, y: f32[8]) { alloc t: f32[index(max(n, 0))];\n"
    "    for (i: index(n)) t[i] = 3.0; let q = index(n) + 1; for (i: q - 1) y[i] = t[i]; }",
    "func f(n: i32, m: i32, y: f32[8, 8]) {\n"
    "    for parallel (i: index(n - 4), j: index(m)) y[i, j] = 2.0; }",
    "func f(n: i32, m: i32, y: f32[index(max(n, 0) + 3)]) { for (i: index(n)) y[i] = 2.0; }",
};

/* Names of memory, and views that fit, never fit, or not for these values. */
static const meaning memory_cases[] = {
    FITS(3, 2, "func f(n: index, m: index, A: f32[n], y: f32[8]) {\n"
               "    decl B: f32[m] data(A); for (i: m) y[i] = B[i]; }"),
    NOT_NOW(2, 3, "func f(n: index, m: index, A: f32[n], y: f32[8]) {\n"
                  "    decl B: f32[m] data(A); for (i: m) y[i] = B[i]; }"),
    NEVER("func f(n: index, m: index, A: f32[n], y: f32[n]) {\n"
          "    decl B: f32[n + 1] data(A); for (i: n) y[i] = B[i + 1]; }"),
    NEVER("func f(n: index, m: index, A: f32[n, 2], y: f32[n]) {\n"
          "    decl B: f32x2[n + 1] offset(1) data(A); for (i: n) y[i] = lane(B[i], 0); }"),
    NOT_NOW(3, 2, "func f(n: index, m: index, A: f32[n, m], y: f32[n]) {\n"
                  "    decl B: f32x2[n, m] data(A); for (i: n) y[i] = lane(B[i, 0], 0); }"),
    FITS(0, 5, "func f(n: index, m: index, A: f32[n], y: f32[n]) {\n"
               "    decl B: f32[n * 2] data(A); for (i: n) y[i] = B[i]; }"),
    FITS(5, 3, "func f(n: index, m: index, A: f32[n, m], y: f32[n]) {\n"
               "    decl B: f32[m, n] data(A); for (i: n) y[i] = B[m - 1, i]; }"),
    FITS(6, 2, "func f(n: index, m: index, A: f32[n], y: f32[n]) {\n"
               "    decl B: f32[m] strides(3) offset(2) data(A); for (i: m) y[i] = B[i]; }"),
    NOT_NOW(5, 2, "func f(n: index, m: index, A: f32[n], y: f32[n]) {\n"
                  "    decl B: f32[m] strides(3) offset(2) data(A); for (i: m) y[i] = B[i]; }"),
    FITS(1, 0, "func f(n: index, m: index, A: f32[n], y: f32[n]) {\n"
               "    decl B: f32[m] strides(3) offset(2) data(A); for (i: m) y[i] = B[i]; }"),
    /* what is not reached need not fit */
    FITS(3, 5, "func f(n: index, m: index, A: f32[n], y: f32[8]) {\n"
               "    for (i: n) if (m < 4) { decl B: f32[m] data(A); y[i] = B[i % m]; } }"),
    NOT_NOW(2, 3, "func f(n: index, m: index, A: f32[n], y: f32[8]) {\n"
                  "    for (i: n) if (m < 4) { decl B: f32[m] data(A); y[i] = B[i % m]; } }"),
    FITS(0, 3, "func f(n: index, m: index, A: f32[n], y: f32[8]) {\n"
               "    for (i: n) if (m < 4) { decl B: f32[m] data(A); y[i] = B[i % m]; } }"),
    /* a let of a buffer is another name of its memory */
    FITS(3, 2, "func f(A: f32[16], y: f32[16]) { let p = A; let q = p; decl B: f32[4, 4] data(q);\n"
               "    for (i: 4, j: 4) y[i * 4 + j] = B[j, i]; }"),
    FITS(3, 2, "func f(A: f32[16], y: f32[16]) { alloc T: f32[16]; for (i: 16) T[i] = A[i];\n"
               "    let p = T; decl B: i32[16] data(p); for (i: 16) B[i] = B[i] & 255;\n"
               "    for (i: 16) y[i] = T[15 - i]; }"),
    FITS(3, 2, "func f(A: f32[16], y: f32[16]) { for (i: 4) { alloc t: f32[4]; let p = t;\n"
               "    decl B: f32[2, 2] data(p); for (j: 2, k: 2) B[j, k] = A[i * 4 + k * 2 + j];\n"
               "    for (j: 4) y[i * 4 + j] = t[j]; } }"),
    NO_TEXT(IRL_ERROR_TYPE_MISMATCH, "ptr(i32, global)",
            "func f(A: f32[16], y: f32[16]) { let p: ptr(i32, global) = A; y[0] = 1.0; }"),
    NO_TEXT(IRL_ERROR_UNKNOWN_NAME, "'p'",
            "func f(A: f32[16], y: f32[16]) { { let p = A; } decl B: f32[16] data(p); }"),
    NO_TEXT(IRL_ERROR_BAD_ALIAS, "'d' is declared over 's', which is a match buffer",
            "func f(A: f32[16], y: f32[16]) { for (i: 4) block b(v: spatial(4) = i) {\n"
            "    match s: f32[4] = A[v * 4: 4]; decl d: f32[2, 2] data(s); y[v] = d[1, 0]; } }"),
    /* a layout of a name that two buffers have */
    NO_TEXT(IRL_ERROR_DUPLICATE_NAME, "one declared at 2:24 and one at 3:24",
            "func f(A: f32[8], y: f32[8]) layout(t: (i) -> (i / 4, i % 4)) {\n"
            "    for (i: 4) { alloc t: f32[8]; t[0] = A[i]; y[i] = t[0]; }\n"
            "    for (i: 4) { alloc t: f32[8]; t[0] = A[i]; y[i + 4] = t[0]; } }"),
    NO_TEXT(IRL_ERROR_DUPLICATE_NAME, "one declared at 1:8 and one at 2:14",
            "func f(A: f32[8], y: f32[8]) layout(A: (i) -> (i / 4, i % 4)) {\n"
            "    { alloc  A: f32[8]; A[0] = y[2]; y[2] = A[0]; } y[0] = A[1]; }"),
};

#define REFUSED(code, says, text) { text, 4, 2, code, code, IRL_OK, says, IRL_OK }
#define ONLY_RUNS(code, says, text) { text, 4, 2, IRL_OK, code, IRL_OK, says, IRL_OK }
#define ONLY_LOWERS(module, text) \
    { text, 4, 2, IRL_ERROR_DATA_RACE, IRL_OK, module, "'y'", IRL_OK }

/* Shared memory, and loops whose iterations run at the same time. */
static const meaning parallel_cases[] = {
    FITS(4, 2, "func f(x: f32[8], y: f32[8]) {\n"
               "    for bind(group.x) (g: 2) for bind(local.x) (i: 4) {\n"
               "    alloc s: f32[4] scope(shared); s[i] = x[g * 4 + i]; barrier(shared);\n"
               "    y[g * 4 + i] = s[3 - i]; } }"),
    FITS(4, 2, "func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 2) {\n"
               "    alloc s: f32[4] scope(shared); for bind(local.x) (i: 4) {\n"
               "    s[i] = x[g * 4 + i]; barrier(shared); y[g * 4 + i] = s[3 - i]; } } }"),
    /* a place that a later schedule makes real: not yet for a device */
    ONLY_RUNS(IRL_ERROR_SHARED_MEMORY, "is shared, but is not in a loop that is bound to a group",
              "func f(x: f32[8], y: f32[8]) { alloc s: f32[8] scope(shared);\n"
              "    for (i: 8) s[i] = x[i]; for (i: 8) y[i] = s[7 - i]; }"),
    ONLY_RUNS(IRL_ERROR_SHARED_MEMORY, "is shared, but is not in a loop that is bound to a group",
              "func f(x: f32[8], y: f32[8]) { for (i: 8) { alloc s: f32[2] scope(shared);\n"
              "    s[0] = x[i]; y[i] = s[0]; } }"),
    ONLY_RUNS(IRL_ERROR_SHARED_MEMORY, "is shared, but is not in a loop that is bound to a group",
              "func f(x: f32[8], y: f32[8]) { for bind(global.x) (i: 8) {\n"
              "    alloc s: f32[8] scope(shared); s[i] = x[i]; y[i] = s[i]; } }"),
    ONLY_RUNS(IRL_ERROR_SHARED_MEMORY, "bound to global",
              "func f(x: f32[8], y: f32[8]) {\n"
              "    for bind(group.x) (g: 2) for bind(global.y) (i: 4) {\n"
              "    alloc s: f32[4] scope(shared); s[i] = x[g * 4 + i]; y[g * 4 + i] = s[i]; } }"),
    ONLY_RUNS(IRL_ERROR_SHARED_MEMORY, "parallel loop",
              "func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 2) for parallel (i: 4) {\n"
              "    alloc s: f32[4] scope(shared); s[i] = x[g * 4 + i]; y[g * 4 + i] = s[i]; } }"),
    ONLY_RUNS(IRL_ERROR_SHARED_MEMORY, "is shared, but is not in a loop that is bound to a group",
              "func f(x: f32[8], y: f32[8]) { for (i: 8) block b(v: spatial(8) = i) {\n"
              "    alloc s: f32[2] scope(shared); s[0] = x[v]; y[v] = s[0]; } }"),
    /* one memory for all work-items, and nothing orders them */
    { "func f(x: f32[8], y: f32[8]) { for bind(global.x) (i: 8) {\n"
      "    alloc s: f32[4] scope(shared); s[0] = x[i]; y[i] = s[0]; } }",
      0, 0, IRL_ERROR_DATA_RACE, IRL_ERROR_SHARED_MEMORY, IRL_OK, "'s'", IRL_OK },
    { "func f(x: f32[8], y: f32[8]) { for bind(group.x) (g: 2) for bind(global.y) (i: 4) {\n"
      "    alloc s: f32[4] scope(shared); s[0] = x[i]; y[g * 4 + i] = s[0]; } }",
      0, 0, IRL_ERROR_DATA_RACE, IRL_ERROR_SHARED_MEMORY, IRL_OK, "'s'", IRL_OK },
    { "func f(x: f32[8], y: f32[8]) { for parallel (i: 2, j: 4) {\n"
      "    alloc s: f32[4] scope(shared); s[j] = x[i]; y[i * 4 + j] = s[j]; } }",
      0, 0, IRL_ERROR_DATA_RACE, IRL_ERROR_SHARED_MEMORY, IRL_OK, "'s'", IRL_OK },
    { "func f(x: f32[8], y: f32[8]) { for vectorized (i: 8) {\n"
      "    alloc s: f32[8] scope(shared); s[i] = x[i]; barrier(shared); y[i] = s[i]; } }",
      0, 0, IRL_ERROR_BARRIER_DIVERGENT, IRL_ERROR_SHARED_MEMORY, IRL_OK, "", IRL_OK },
    { "func f(x: f32[8], y: f32[8]) { for parallel (i: 8) {\n"
      "    alloc s: f32[8] scope(shared); s[i] = x[i]; y[i] = s[i]; } }",
      0, 0, IRL_OK, IRL_ERROR_SHARED_MEMORY, IRL_OK, "'s'", IRL_OK },
    /* iterations that meet */
    REFUSED(IRL_ERROR_DATA_RACE, "",
            "func f(y: f32[9]) { for vectorized (i: 8) y[i + 1] = y[i]; }"),
    REFUSED(IRL_ERROR_DATA_RACE, "",
            "func f(y: f32[9]) { for vectorized (i: 8) y[i] = y[i + 1]; }"),
    REFUSED(IRL_ERROR_DATA_RACE, "", "func f(y: f32[9]) { for parallel (i: 8) y[8 - i] = y[i]; }"),
    REFUSED(IRL_ERROR_DATA_RACE, "'y'",
            "func f(x: f32[8], y: f32[8]) { for vectorized (i: 8) y[0] = y[0] + x[i]; }"),
    REFUSED(IRL_ERROR_DATA_RACE, "'y'",
            "func f(x: f32[8], y: f32[16]) { for parallel (i: 8) for (j: 3) y[i + j] = x[i]; }"),
    REFUSED(IRL_ERROR_DATA_RACE, "'y'",
            "func f(x: f32[8], y: f32[9, 4]) { for parallel (i: 8) for (j: 3) {\n"
            "    let k = i + j; y[k, j] = y[i + 1, j] + x[i]; } }"),
    REFUSED(IRL_ERROR_DATA_RACE, "'y'",
            "func f(x: f32[8], y: f32[8]) { for parallel (i: 8)\n"
            "    block b(v: spatial(8) = i / 2) { y[v] = x[v]; } }"),
    REFUSED(IRL_ERROR_DATA_RACE, "'y'",
            "func f(n: index, y: f32[n]) { assume(n > 2);\n"
            "    for parallel (i: n - 1) y[i] = y[i + 1]; }"),
    /* not for these values: nothing is proved, and the interpreter knows */
    ONLY_LOWERS(IRL_ERROR_DATA_RACE,
                "func f(n: index, y: f32[n]) { for parallel (i: n - 1) y[i] = y[i + 1]; }"),
    ONLY_LOWERS(IRL_OK, "func f(x: i32[8], y: f32[16]) { for vectorized (i: 8)\n"
                        "    y[index(x[i]) % 3] = 1.0; }"), /* serial: no vector scatters */
    FITS(4, 2, "func f(x: f32[8], y: f32[16]) { for vectorized (i: 8) { alloc t: f32[1];\n"
               "    t[0] = x[i]; y[i * 2] = t[0]; y[i * 2 + 1] = y[i * 2] + t[0]; } }"),
    FITS(4, 2, "func f(x: f32[8], y: f32[9]) { for parallel (i: 1) y[i + 1] = y[i] + x[i]; }"),
    FITS(4, 2, "func f(x: f32[8], y: f32[9]) { for parallel (i: 8) if (i == 3) y[8] = x[i]; }"),
    FITS(4, 2, "func f(x: f32[8], y: f32[32]) { for parallel (i: 8) for (j: 4)\n"
               "    y[i * 4 + j] = x[i]; }"),
};

#endif
