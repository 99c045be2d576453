/* 24_graph.c - a graph of functions that run one after the other: which of them are fused, and the
   module of kernels. Its results are compared with those of a plain C program.

       cc -I. -I/usr/include/stb examples/24_graph.c -lm && ./a.out

   The graph has the first layers of MobileNetV1, a quarter as wide, with invented weights: a
   convolution, then depthwise and pointwise convolutions in turns. The text states only the sizes
   of the inputs; the library computes all other sizes from these.

   This example is the first that uses these names. C: irl_graph_fuse, irl_graph_lower,
   irl_graph_node_count, irl_graph_parse. Kernels: graph, min. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char net[] =
    "graph mobilenet {\n"
    "    func conv(x: f32[h, w, c], k: f32[3, 3, c, n], b: f32[n],\n"
    "              y: f32[(h + 1) / 2, (w + 1) / 2, n]) {\n"
    "        for (i: (h + 1) / 2, j: (w + 1) / 2, o: n)\n"
    "            y[i, j, o] = b[o] + sum(r: 3, s: 3, q: c,\n"
    "                2 * i + r >= 1 && 2 * i + r <= h && 2 * j + s >= 1 && 2 * j + s <= w\n"
    "                    ? x[2 * i + r - 1, 2 * j + s - 1, q] * k[r, s, q, o] : 0.0);\n"
    "    }\n"
    "    func depthwise(x: f32[h, w, c], k: f32[3, 3, c], b: f32[c], y: f32[h, w, c]) {\n"
    "        for (i: h, j: w, o: c)\n"
    "            y[i, j, o] = b[o] + sum(r: 3, s: 3,\n"
    "                i + r >= 1 && i + r <= h && j + s >= 1 && j + s <= w\n"
    "                    ? x[i + r - 1, j + s - 1, o] * k[r, s, o] : 0.0);\n"
    "    }\n"
    "    func pointwise(x: f32[h, w, c], k: f32[c, n], b: f32[n], y: f32[h, w, n]) {\n"
    "        for (i: h, j: w, o: n) y[i, j, o] = b[o] + sum(q: c, x[i, j, q] * k[q, o]);\n"
    "    }\n"
    "    func relu6(x: f32[h, w, c], y: f32[h, w, c]) {\n"
    "        for (i: h, j: w, o: c) y[i, j, o] = min(max(x[i, j, o], 0.0), 6.0);\n"
    "    }\n"
    "    input image: f32[16, 16, 3];\n"
    "    input k0: f32[3, 3, 3, 8];\n"
    "    input b0: f32[8];\n"
    "    input k1: f32[3, 3, 8];\n"
    "    input b1: f32[8];\n"
    "    input k2: f32[8, 16];\n"
    "    input b2: f32[16];\n"
    "    c0 = conv(image, k0, b0);\n"
    "    r0 = relu6(c0);\n"
    "    c1 = depthwise(r0, k1, b1);\n"
    "    r1 = relu6(c1);\n"
    "    c2 = pointwise(r1, k2, b2);\n"
    "    features = relu6(c2);\n"
    "    output features;\n"
    "}\n";

/* ------------------------------------------------------------------ the same in C */

static float clamp6(float v) { return v < 0 ? 0 : v > 6 ? 6 : v; }

static float image[16][16][3], k0[3][3][3][8], b0[8], k1[3][3][8], b1[8], k2[8][16], b2[16];
static float features[8][8][16], expected[8][8][16];

static void plain(void)
{
    static float a[8][8][8], b[8][8][8];
    int          i, j, o, r, s, q;
    for (i = 0; i < 8; i++)
        for (j = 0; j < 8; j++)
            for (o = 0; o < 8; o++) {
                float sum = 0;
                for (r = 0; r < 3; r++)
                    for (s = 0; s < 3; s++)
                        for (q = 0; q < 3; q++) {
                            const int y = 2 * i + r - 1, x = 2 * j + s - 1;
                            if (y >= 0 && y < 16 && x >= 0 && x < 16)
                                sum += image[y][x][q] * k0[r][s][q][o];
                        }
                a[i][j][o] = clamp6(b0[o] + sum);
            }
    for (i = 0; i < 8; i++)
        for (j = 0; j < 8; j++)
            for (o = 0; o < 8; o++) {
                float sum = 0;
                for (r = 0; r < 3; r++)
                    for (s = 0; s < 3; s++) {
                        const int y = i + r - 1, x = j + s - 1;
                        if (y >= 0 && y < 8 && x >= 0 && x < 8) sum += a[y][x][o] * k1[r][s][o];
                    }
                b[i][j][o] = clamp6(b1[o] + sum);
            }
    for (i = 0; i < 8; i++)
        for (j = 0; j < 8; j++)
            for (o = 0; o < 16; o++) {
                float sum = 0;
                for (q = 0; q < 8; q++) sum += b[i][j][q] * k2[q][o];
                expected[i][j][o] = clamp6(b2[o] + sum);
            }
}

/* Fills memory with random multiples of 1/4. Floats compute the first sums and products of such
   numbers exactly. */
static void fill(void *memory, size_t bytes, unsigned seed)
{
    float *p = (float *)memory;
    size_t k;
    for (k = 0; k < bytes / sizeof *p; k++) {
        seed = seed * 1103515245u + 12345u;
        p[k] = (float)((int)(seed >> 16 & 7) - 3) / 4;
    }
}

static double difference(void)
{
    const float *a = &features[0][0][0], *b = &expected[0][0][0];
    double       most = 0;
    int          k;
    for (k = 0; k < 8 * 8 * 16; k++) most = fmax(most, fabs((double)a[k] - (double)b[k]));
    return most;
}

int main(void)
{
    irl_ctx         *cx = irl_ctx_create(NULL);
    irl_graph       *g = irl_graph_parse(cx, net, IRL_TO_NUL, "net"), *fused;
    irl_graph_fusion what;
    irl_module      *m;
    double           wrong;
    fill(image, sizeof image, 1), fill(k0, sizeof k0, 2), fill(b0, sizeof b0, 3);
    fill(k1, sizeof k1, 4), fill(b1, sizeof b1, 5), fill(k2, sizeof k2, 6), fill(b2, sizeof b2, 7);
    plain();

    fused = irl_graph_fuse(g, &what);
    printf("%s%d nodes become %d; %d bytes are not written and read\n", what.text,
           irl_graph_node_count(g), irl_graph_node_count(fused), (int)what.bytes);
    m = irl_graph_lower(fused, &irl_target_opencl12);
    irl_module_interpret(m, IRL_ARGS(image, k0, b0, k1, b1, k2, b2, features));
    wrong = difference();
    printf("as in plain C: %s\n", wrong < 1e-4 ? "yes" : "no");
    if (!irl_ok(cx)) puts(irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return wrong < 1e-4 ? 0 : 1;
}
