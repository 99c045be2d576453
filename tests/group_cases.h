/* group_cases.h - functions whose schedules are for groups of work-items: products of all
   transpositions, borders, layouts, few results, transposes, packs, in sizes that tiles divide and
   in others; and small devices, whose tiles are small too.

   needs     irlayout.h, test.h before it */
#ifndef IRL_GROUP_CASES_H
#define IRL_GROUP_CASES_H

#define GROUP_PRODUCT(TYPE, ZERO, M, N, K, A, B, AI, BI) \
    "func f(x: " TYPE "[" A "], w: " TYPE "[" B "], y: " TYPE "[" M ", " N "]) {\n" \
    "    for (i: " M ", j: " N ", k: " K ")\n" \
    "        block y(vi: spatial(" M ") = i, vj: spatial(" N ") = j, vk: reduce(" K ") = k) {\n" \
    "            init y[vi, vj] = " ZERO ";\n" \
    "            y[vi, vj] = y[vi, vj] + x[" AI "] * w[" BI "];\n" \
    "        }\n}\n"
#define GROUP_CONVOLUTION(BUFFERS, LAYOUTS, H, V, O, R, I, AT) \
    "func f(" BUFFERS ")" LAYOUTS " {\n" \
    "    for (h: " H ", v: " V ", o: " O ", r: " R ", s: " R ", i: " I ")\n" \
    "        block y(vh: spatial(" H ") = h, vv: spatial(" V ") = v, vo: spatial(" O ") = o,\n" \
    "                vr: reduce(" R ") = r, vs: reduce(" R ") = s, vi: reduce(" I ") = i) {\n" \
    "            init y[0, vh, vv, vo] = 0.0f;\n" \
    "            y[0, vh, vv, vo] = y[0, vh, vv, vo] + " AT ";\n" \
    "        }\n}\n"
#define GROUP_SUM(NUMBERS, X, Y, N, K, AT) \
    "func f(x: f32[" X "], y: f32[" N "]) " NUMBERS " {\n" \
    "    for (i: " N ", j: " K ")\n" \
    "        block y(vi: spatial(" N ") = i, vj: reduce(" K ") = j) {\n" \
    "            init y[vi] = 0.0f;\n" \
    "            y[vi] = y[vi] + x[" AT "];\n" \
    "        }\n}\n"
#define GROUP_NCHW4C(OF) " layout(" OF ": (n, h, w, c) -> (n, c/4, h, w, c%4))"

/* What stands in the schedule that is made for a small device, or ("!") does not. */
typedef struct group_case {
    const char *text, *parts[4];
} group_case;

static const group_case group_cases[] = {
    /* products: shared tiles, registers, in every transposition */
    { GROUP_PRODUCT("f32", "0.0f", "32", "32", "32", "32, 32", "32, 32", "vi, vk", "vk, vj"),
      { "x_tile = cache_read(y, x, shared, y);", "compute_at(x_tile, k_o);", "unroll(",
        "transform_layout(y, 0, (v0, v1) -> (v1, v0));" } },
    { GROUP_PRODUCT("f32", "0.0f", "32", "32", "32", "32, 32", "32, 32", "vi, vk", "vj, vk"),
      { "storage_align(w_tile, 0, 0, ", "compute_at(x_tile, k_o);", "local.x", NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "32", "32", "32", "32, 32", "32, 32", "vk, vi", "vk, vj"),
      { "x_tile = cache_read(y, x, shared, y);", "compute_at(x_tile, k_o);", "!storage", NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "32", "32", "32", "32, 32", "32, 32", "vk, vi", "vj, vk"),
      { "shared", "compute_at(w_tile, k_o);", NULL, NULL } },
    /* ... that tiles do not divide: zeros behind the ends, no barrier under a condition */
    { GROUP_PRODUCT("f32", "0.0f", "41", "37", "35", "41, 35", "35, 37", "vi, vk", "vk, vj"),
      { "pad_einsum(y, ", "set_scope(x_pad, 0, shared);", "reverse_compute_inline(y_pad);",
        NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "41", "37", "35", "41, 35", "37, 35", "vi, vk", "vj, vk"),
      { "pad_einsum(y, ", NULL, NULL, NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "37", "41", "33", "33, 37", "33, 41", "vk, vi", "vk, vj"),
      { "pad_einsum(y, ", NULL, NULL, NULL } },
    /* of other elements, and of one row, column, term */
    { GROUP_PRODUCT("i32", "0", "24", "24", "20", "24, 20", "20, 24", "vi, vk", "vk, vj"),
      { "shared", "!contract", NULL, NULL } },
    { GROUP_PRODUCT("f16", "f16(0.0f)", "24", "32", "16", "24, 16", "16, 32", "vi, vk", "vk, vj"),
      { "shared", NULL, NULL, NULL } },
    { GROUP_PRODUCT("i64", "i64(0)", "17", "16", "9", "17, 9", "9, 16", "vi, vk", "vk, vj"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_PRODUCT("i32", "y[vi, vj]", "13", "11", "1", "13, 1", "1, 11", "vi, vk", "vk, vj"),
      { "local.x", NULL, NULL, NULL } },
    { "func f(x: u8[32, 16], w: i8[16, 32], y: i32[32, 32]) {\n"
      "    for (i: 32, j: 32) y[i, j] = sum(k: 16, i32(x[i, k]) * i32(w[k, j]));\n}\n",
      { "shared", "unroll(", NULL, NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "1", "40", "24", "1, 24", "24, 40", "vi, vk", "vk, vj"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "40", "1", "24", "40, 24", "24, 1", "vi, vk", "vk, vj"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "16", "16", "1", "16, 1", "1, 16", "vi, vk", "vk, vj"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_PRODUCT("f32", "0.0f", "1", "1", "64", "1, 64", "64, 1", "vi, vk", "vk, vj"),
      { "", NULL, NULL, NULL } },
    /* what is computed of each cell is computed where it is stored */
    { "func f(x: f32[32, 16], w: f32[16, 32], b: f32[32], y: f32[32, 32]) {\n"
      "    alloc t: f32[32, 32];\n"
      "    for (i: 32, j: 32) t[i, j] = sum(k: 16, x[i, k] * w[k, j]);\n"
      "    for (i: 32, j: 32) y[i, j] = max(t[i, j] + b[j], 0.0f);\n}\n",
      { "shared", "reverse_compute_inline(y); // computed where the sum is stored", NULL, NULL } },
    /* loops that begin elsewhere: of what reduces, of results */
    { "func f(x: f32[40], y: f32[40]) { for (i: 40) y[i] = sum(k: 2 .. 39, x[k]); }\n",
      { "// y stays as it is: a loop does not begin at 0", "parallel();", "!bind", NULL } },
    { "func f(x: i32[4], y: i32[4]) { for (i: 1 .. 4) y[i] = sum(k: 3, x[k]); }\n",
      { "", NULL, NULL, NULL } },
    { "func f(x: i32[8, 64], y: i32[8]) { for (i: 1 .. 8) y[i] = sum(k: 64, x[i, k]); }\n",
      { "", NULL, NULL, NULL } },
    { "func f(x: f32[40], y: f32[40]) {\n"
      "    for (i: 1 .. 40) { y[i] = 0.0; for (k: 39) y[i] += x[k]; } }\n",
      { "compose_reduction(", NULL, NULL, NULL } },
    { "func f(x: f32[24, 40], w: f32[40, 20], y: f32[24, 20]) {\n"
      "    for (i: 24, j: 3 .. 18) y[i, j] = sum(k: 40, x[i, k] * w[k, j]);\n}\n",
      { "", NULL, NULL, NULL } },
    { "func f(x: f32[24, 40], w: f32[40, 20], y: f32[24, 20]) {\n"
      "    for (i: 24, j: 20) y[i, j] = sum(k: 2 .. 39, x[i, k] * w[k, j]);\n}\n",
      { "", NULL, NULL, NULL } },
    /* one operand twice: its tiles differ, and it is read where it is */
    { GROUP_PRODUCT("f32", "0.0f", "32", "32", "16", "16, 32", "16, 32", "vk, vi", "vk, vj"),
      { "shared", NULL, NULL, NULL } },
    { "func f(x: f32[16, 32], y: f32[32, 32]) {\n"
      "    for (i: 32, j: 32) y[i, j] = sum(k: 16, x[k, i] * x[k, j]);\n}\n",
      { "bind(", "!shared", NULL, NULL } },
    { "func f(x: f32[3, 24, 16], w: f32[3, 16, 20], y: f32[3, 24, 20]) {\n"
      "    for (b: 3, i: 24, j: 20) y[b, i, j] = sum(k: 16, x[b, i, k] * w[b, k, j]);\n}\n",
      { "group.y", "!group.z", "shared", NULL } },
    { "func f(x: f32[2, 2, 2, 24, 8], w: f32[8, 20], y: f32[2, 2, 2, 24, 20]) {\n"
      "    for (a: 2, b: 2, c: 2, i: 24, j: 20)\n"
      "        y[a, b, c, i, j] = sum(k: 8, x[a, b, c, i, k] * w[k, j]);\n}\n",
      { "fuse(", "group.z", NULL, NULL } },
    /* convolutions: a border as a condition, in the input, blocks, strides, each channel alone */
    { GROUP_CONVOLUTION("x: f32[1, 8, 8, 16], w: f32[16, 16, 3, 3], y: f32[1, 8, 8, 16]", "", "8",
                        "8", "16", "3", "16",
                        "(vh + vr >= 1 && vh + vr < 9 && vv + vs >= 1 && vv + vs < 9 ? "
                        "x[0, vh + vr - 1, vv + vs - 1, vi] : 0.0f) * w[vo, vi, vr, vs]"),
      { "cache_padded(y, x, shared);", "compute_at(x_tile, i_o);", NULL, NULL } },
    { GROUP_CONVOLUTION("x: f32[1, 10, 10, 16], w: f32[16, 16, 3, 3], y: f32[1, 8, 8, 16]", "",
                        "8", "8", "16", "3", "16",
                        "x[0, vh + vr, vv + vs, vi] * w[vo, vi, vr, vs]"),
      { "x_tile = cache_read(y, x, shared, y);", NULL, NULL, NULL } },
    { GROUP_CONVOLUTION("x: f32[1, 9, 9, 8], w: f32[16, 8, 3, 3], y: f32[1, 7, 7, 16]",
                        GROUP_NCHW4C("x") GROUP_NCHW4C("y"), "7", "7", "16", "3", "8",
                        "x[0, vh + vr, vv + vs, vi] * w[vo, vi, vr, vs]"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_CONVOLUTION("x: f32[1, 17, 17, 3], w: f32[8, 3, 3, 3], y: f32[1, 8, 8, 8]", "", "8",
                        "8", "8", "3", "3",
                        "x[0, vh * 2 + vr, vv * 2 + vs, vi] * w[vo, vi, vr, vs]"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_CONVOLUTION("x: f32[1, 9, 9, 8], w: f32[8, 3, 3], y: f32[1, 7, 7, 8]", "", "7", "7",
                        "8", "3", "1", "x[0, vh + vr, vv + vs, vo] * w[vo, vr, vs]"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_CONVOLUTION("x: f32[1, 7, 7, 16], w: f32[10, 16], y: f32[1, 7, 7, 10]", "", "7", "7",
                        "10", "1", "16", "x[0, vh + vr, vv + vs, vi] * w[vo, vi]"),
      { "bind(", NULL, NULL, NULL } },
    { GROUP_CONVOLUTION("x: f32[1, 6, 6, 8], w: f32[8, 8, 3, 3], y: f32[1, 6, 6, 8]", "", "6",
                        "6", "8", "3", "8",
                        "(vh + vr >= 1 && vh + vr < 7 && vv + vs >= 1 && vv + vs < 7 ? "
                        "x[0, vh + vr - 1, vv + vs - 1, vi] * w[vo, vi, vr, vs] : 0.0f)"),
      { "bind(", NULL, NULL, NULL } },
    /* few results: in their order through a tile, else by a tree */
    { GROUP_SUM("", "96, 64", "", "96", "64", "vi, vj"),
      { "x_tile = cache_read(y, x, shared, y);", "storage_align(x_tile, 0, 0, ", NULL, NULL } },
    { GROUP_SUM("", "64, 96", "", "96", "64", "vj, vi"), { "!shared", "local.x", NULL, NULL } },
    { GROUP_SUM("", "50, 37", "", "50", "37", "vi, vj"), { "bind(", NULL, NULL, NULL } },
    { GROUP_SUM("attr(numbers = \"free\")", "6, 100", "", "6", "100", "vi, vj"),
      { "// few results, and any order is allowed", "_l, local.x);", "!cache", NULL } },
    { GROUP_SUM("attr(numbers = \"free\")", "100, 12", "", "12", "100", "vj, vi"),
      { "// few results, and any order is allowed", "_l, local.y);", "local.x", NULL } },
    { GROUP_SUM("attr(numbers = \"free\")", "1, 16384", "", "1", "16384", "vi, vj"),
      { "y_parts = rfactor(j_g, 0);", "bind(y_parts.j_g, group.x);", "(j_g_o, j_g_l) = split(",
        NULL } },
    { "func f(x: f32[8, 256], w: f32[256, 8], y: f32[8, 8]) {\n"
      "    for (i: 8, j: 8) y[i, j] = max(sum(k: 256, x[i, k] * w[k, j]), 0.0f);\n}\n",
      { "_parts = rfactor(k_g, 0);", "contract(y_sum_parts);", "unroll(", NULL } },
    { "func f(x: f32[60, 301], y: f32[]) { y[] = max(i: 60, j: 301, x[i, j]); }\n",
      { "y_parts = rfactor(j_g, 0);", "split(y_parts.i, ", NULL, NULL } },
    { "func f(x: f32[20, 77], y: f32[]) { y[] = max(i: 20, j: 77, x[i, j]); }\n",
      { "j_g = add_unit_loop(j_l);", "bind(j_g, group.x);", "bind(j_l, local.x);", NULL } },
    { "func f(x: f32[8, 72], y: f32[8, 72]) {\n"
      "    alloc m: f32[8];\n    alloc e: f32[8, 72];\n    alloc s: f32[8];\n"
      "    for (i: 8) m[i] = max(j: 72, x[i, j]);\n"
      "    for (i: 8, j: 72) e[i, j] = exp(x[i, j] - m[i]);\n"
      "    for (i: 8) s[i] = sum(j: 72, e[i, j]);\n"
      "    for (i: 8, j: 72) y[i, j] = e[i, j] / s[i];\n}\n",
      { "compute_at(e, y.i);", "set_scope(e, 0, shared);", "bind(y_l, local.x, m_l, e_l, s_l);",
        "!m_tile" } },
    { "func f(x: f32[8, 40], g: f32[2, 40], y: f32[8, 40]) {\n"
      "    alloc m: f32[8];\n    alloc s: f32[8];\n"
      "    for (i: 8) m[i] = sum(j: 40, x[i, j]) / 40.0f;\n"
      "    for (i: 8) s[i] = sum(j: 40, (x[i, j] - m[i]) * (x[i, j] - m[i])) / 40.0f;\n"
      "    for (i: 8, j: 40)\n"
      "        y[i, j] = (x[i, j] - m[i]) / sqrt(s[i] + 0.00001f) * g[0, j] + g[1, j];\n}\n",
      { "bind(", NULL, NULL, NULL } },
    { "func f(x: f32[1, 13, 13, 8], y: f32[1, 6, 6, 8]) {\n"
      "    for (h: 6, w: 6, c: 8, r: 3, s: 3)\n"
      "        block y(vh: spatial(6) = h, vw: spatial(6) = w, vc: spatial(8) = c,\n"
      "                vr: reduce(3) = r, vs: reduce(3) = s) {\n"
      "            init y[0, vh, vw, vc] = -3.0e38f;\n"
      "            y[0, vh, vw, vc] = max(y[0, vh, vw, vc], x[0, vh * 2 + vr, vw * 2 + vs, vc]);\n"
      "        }\n}\n",
      { "local.x", NULL, NULL, NULL } },
    { "func f(x: f32[4, 7, 7, 24], y: f32[4, 24]) {\n"
      "    for (n: 4, c: 24) y[n, c] = sum(h: 7, w: 7, x[n, h, w, c]) / 49.0f;\n}\n",
      { "local.x", NULL, NULL, NULL } },
    /* element by element: a tile is turned where memory goes on elsewhere */
    { "func f(x: f32[40, 24], y: f32[24, 40]) { for (i: 24, j: 40) y[i, j] = x[j, i]; }\n",
      { "x_tile = cache_read(y, x, shared, y);", "storage_align(x_tile, 0, 0, 4, 1);", "local.x",
        NULL } },
    { "func f(x: u8[37, 19], y: u8[19, 37]) { for (i: 19, j: 37) y[i, j] = x[j, i]; }\n",
      { "shared", "bind(", NULL, NULL } },
    { "func f(x: f32[3, 17, 13], w: f32[13, 17, 3], y: f32[13, 17, 3]) {\n"
      "    for (i: 13, j: 17, k: 3) y[i, j, k] = x[k, j, i] + w[i, j, k];\n}\n",
      { "shared", NULL, NULL, NULL } },
    { "func f(x: f32[1, 6, 10, 16], y: f32[1, 6, 10, 16])" GROUP_NCHW4C("y") " {\n"
      "    for (n: 1, h: 6, w: 10, c: 16) y[n, h, w, c] = x[n, h, w, c];\n}\n",
      { "bind(", NULL, NULL, NULL } },
    { "func f(x: f32[1, 6, 10, 16], y: f32[1, 6, 10, 16])" GROUP_NCHW4C("x") " {\n"
      "    for (n: 1, h: 6, w: 10, c: 16) y[n, h, w, c] = x[n, h, w, c];\n}\n",
      { "bind(", NULL, NULL, NULL } },
    { "func f(x: f32[1, 6, 10, 16], y: f32[1, 6, 10, 16])" GROUP_NCHW4C("x") GROUP_NCHW4C("y")
      " {\n    for (n: 1, h: 6, w: 10, c: 16) y[n, h, w, c] = max(x[n, h, w, c], 0.0f);\n}\n",
      { "bind(", "!shared", NULL, NULL } },
    { "func f(x: f32[5, 7, 9], y: f32[5, 7, 9]) { for (i: 5, j: 7, k: 9) "
      "y[i, j, k] = x[i, j, k] * 2.0f; }\n",
      { "fuse(", "// all of memory is contiguous", "!vectorize", NULL } },
    { "func f(x: f32[4, 5, 6], y: f32[8, 10, 6]) {\n"
      "    for (h: 8, w: 10, c: 6) y[h, w, c] = x[h / 2, w / 2, c]\n"
      "        + x[min(h / 2 + 1, 3), w / 2, c];\n}\n",
      { "bind(", "!shared", "!vectorize", NULL } },
    { "func f(x: f32[19, 35], y: f32[17, 33]) {\n"
      "    for (i: 17, j: 33) y[i, j] = 0.5f * x[i + 1, j + 1]\n"
      "        + 0.125f * (x[i, j + 1] + x[i + 2, j + 1] + x[i + 1, j] + x[i + 1, j + 2]);\n}\n",
      { "local.x", "!shared", NULL, NULL } },
    { "func f(x: f32[9, 9], y: f32[11, 11]) {\n"
      "    for (i: 11, j: 11) y[i, j] = i >= 1 && i < 10 && j >= 1 && j < 10 ? x[i - 1, j - 1] : "
      "0.0f;\n}\n",
      { "local.x", NULL, NULL, NULL } },
    /* gathers, scatters, one cell, what is scheduled, a padding, names, images, bits */
    { "func f(p: u8[24], x: f32[40, 8], y: f32[24, 8]) {\n"
      "    for (i: 24, j: 8) y[i, j] = x[index(p[i]), j] * 2.0f;\n}\n",
      { "local.x", NULL, NULL, NULL } },
    { "func f(p: u8[24], x: f32[40, 8], y: f32[24]) {\n"
      "    for (i: 24) y[i] = sum(j: 8, x[index(p[i]), j]);\n}\n",
      { "", NULL, NULL, NULL } },
    { "func f(x: f32[8], y: f32[8]) { for (i: 8) y[(i + 3) % 8] = x[7 - i]; }\n",
      { "", NULL, NULL, NULL } },
    { "func f(x: f32[1, 1], y: f32[1, 1]) { for (i: 1, j: 1) y[i, j] = x[j, i] + 1.0f; }\n",
      { "", NULL, NULL, NULL } },
    { "func f(x: f32[16], y: f32[16]) { for bind(global.x) (i: 16) y[i] = x[i]; }\n",
      { "// i stays as it is: its loops are scheduled already", "!;", NULL, NULL } },
    { "func f(x: f32[6, 7], y: f32[6, 7]) layout(y: (i, j) -> (j / 4, i, j % 4), pad(0.0)) {\n"
      "    for (i: 6, j: 7) y[i, j] = x[i, j];\n}\n",
      { "parallel();", "!bind", NULL, NULL } },
    { "func f(n: index, x: f32[n, 12], y: f32[12, n]) {\n"
      "    for (i: 12, j: n) y[i, j] = x[j, i];\n}\n",
      { "stays as it is: an extent is a name", "parallel();", "!bind", NULL } },
    { "func f(x: f32[1, 8, 8, 4] scope(texture), y: f32[1, 8, 8, 4])\n"
      "    layout(x: (n, h, w, c) -> (n, h, |, w, c)) "
      "{\n    for (n: 1, h: 8, w: 8, c: 4) y[n, h, w, c] = x[n, h, w, c] * 2.0f;\n}\n",
      { "parallel();", "!bind", "or it has an image", NULL } },
    { "func f(x: f32[1, 8, 8, 16] scope(texture), w: f32[16, 8], y: f32[1, 8, 8, 8])\n"
      "    layout(x: (n, h, w, c) -> (n, c / 4, h, |, w, c % 4)) {\n"
      "    for (n: 1, h: 8, v: 8, c: 8) y[n, h, v, c] = sum(k: 16, x[n, h, v, k] * w[k, c]);\n}\n",
      { "bind(", NULL, NULL, NULL } },
    { "func f(x: u8[64], y: u8[128]) { decl v: u4[128] data(x) bits(lsb);\n"
      "    for (i: 128) y[i] = v[i]; }\n",
      { "// i stays as it is: the function has elements of bits", "parallel();", "!bind", NULL } },
    { "func f(x: f32[16, 16], y: f32[16, 16]) { for (i: 16, j: 16) "
      "y[i, j] = y[i, j] + x[j, i]; }\n",
      { "", NULL, NULL, NULL } },
    { "func f(x: f32[24, 24], y: f32[24]) { for (i: 24) { y[i] = 1.0f; "
      "for (k: 24) y[i] = y[i] + x[i, k]; } }\n",
      { "compose_reduction(", NULL, NULL, NULL } },
    /* names: padded for tiles, peeled where an index is a sum, or groups as they are */
    { "func f(n: index, x: f32[n, n], w: f32[n, 40], y: f32[n, 40]) {\n"
      "    for (i: n, j: 40) y[i, j] = sum(k: n, x[i, k] * w[k, j]);\n}\n",
      { "pad_einsum(", "set_scope(x_pad, 0, shared)", "local.y", "compose_reduction(" } },
    { "func f(n: index, x: f32[2, n + 2, n + 2], w: f32[16, 2, 3, 3], y: f32[16, n, n]) {\n"
      "    for (o: 16, i: n, j: n) y[o, i, j] = sum(c: 2, r: 3, s: 3, x[c, i + r, j + s] * "
      "w[o, c, r, s]);\n}\n",
      { "peel(", "shared", "local.x", NULL } },
    { "func f(n: index, x: f32[n, 2, 4, 10], w: f32[16, 2, 3, 3], y: f32[n, 16, 2, 8]) {\n"
      "    for (b: n, o: 16, i: 2, j: 8) y[b, o, i, j] = sum(c: 2, r: 3, s: 3, x[b, c, i + r, "
      "j + s] * w[o, c, r, s]);\n}\n",
      { "shared", "local.x", "!peel(", "!pad_einsum(" } },
    { "func f(n: index, x: f32[n], y: f32[]) attr(numbers = \"free\") {\n"
      "    y[] = sum(i: n, x[i]);\n}\n",
      { "rfactor(", "group.x", "local.x", NULL } },
    { "func f(n: index, x: f32[n, n], v: f32[n], y: f32[n]) attr(numbers = \"free\") {\n"
      "    for (i: n) y[i] = sum(j: n, x[i, j] * v[j]);\n}\n",
      { "few results", "group.x", "local.x", NULL } },
    { "func f(n: index, x: f32[n, n], y: f32[n, n]) attr(numbers = \"free\") {\n"
      "    for (i: n) {\n        let top = max(j: n, x[i, j]);\n"
      "        let all = sum(j: n, exp(x[i, j] - top));\n"
      "        for (j: n) y[i, j] = exp(x[i, j] - top) / all;\n    }\n}\n",
      { "distribute(", "a group computes a row", "local.x", "!peel(" } },
    { "func f(n: index, x: f32[n, n], y: f32[n, n]) attr(numbers = \"free\") {\n"
      "    alloc mean: f32[n];\n    for (i: n) mean[i] = sum(j: n, x[i, j]);\n"
      "    for (i: n, j: n) y[i, j] = x[i, j] - mean[i] / f32(n);\n}\n",
      { "compose_reduction(", "a group computes a row", "local.x", "!peel(" } },
};
enum { GROUP_CASES = sizeof group_cases / sizeof *group_cases, GROUP_DEVICES = 3 };

/* The row of the library, and devices with small groups and subgroups, so that small functions have
   several groups and full tiles; columns that the interpreter has no use for differ too. */
static const irl_target *group_device(irl_ctx *cx, int k)
{
    static const char *const texts[] = {
        NULL,
        "target small: `opencl12-gpu` { subgroup = 4; group_items = 16; work_group = 16; "
        "registers = 24; units = 2; line_bytes = 16; banks = 4; local_bytes = 2048; }",
        "target narrow: `opencl12-gpu` { subgroup = 8; group_items = 32; units = 4; "
        "line_bytes = 64; "
        "banks = 16; local_bytes = 512; registers = 16; }"
    };
    return texts[k] ? irl_target_parse(cx, texts[k], IRL_TO_NUL, NULL)
                    : irl_target_find("opencl12-gpu");
}

#endif
