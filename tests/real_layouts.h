/* real_layouts.h - layouts that are in use, flattened to one address, with names for extents: where
   they come from, and what is right. For tests. */
#ifndef IRL_TEST_REAL_LAYOUTS_H
#define IRL_TEST_REAL_LAYOUTS_H

typedef struct real_layout {
    const char      *name, *map, *shape; /* names: N, C, H, W, K */
    irl_verdict_kind kind;
} real_layout;

static const real_layout real_layouts[] = {
    /* tensors, one after the other */
    { "NCHW", "(n, c, h, w) -> (((n*C + c)*H + h)*W + w)", "N,C,H,W", IRL_BIJECTIVE },
    { "NHWC", "(n, h, w, c) -> (((n*H + h)*W + w)*C + c)", "N,H,W,C", IRL_BIJECTIVE },
    { "NCHW kept as NHWC", "(n, c, h, w) -> (((n*H + h)*W + w)*C + c)", "N,C,H,W", IRL_BIJECTIVE },
    { "CHWN", "(n, c, h, w) -> (((c*H + h)*W + w)*N + n)", "N,C,H,W", IRL_BIJECTIVE },
    { "NCDHW, last axes fused", "(n, c, d, p) -> ((n*C + c)*K*H*W + d*H*W + p)", "N,C,K,H*W",
      IRL_BIJECTIVE },
    { "column major", "(i, j) -> (j*H + i)", "H,W", IRL_BIJECTIVE },
    { "rows padded to a pitch of 64", "(y, x) -> (y*((W + 63)/64*64) + x)", "H,W", IRL_INJECTIVE },
    { "a view with a pitch", "(y, x) -> (y*(W + K) + x)", "H,W", IRL_INJECTIVE },
    /* channels in packs */
    { "NCHW4c", "(c, h, w) -> (c/4*H*W*4 + h*W*4 + w*4 + c%4)", "C,H,W", IRL_INJECTIVE },
    { "NCHW4c, whole packs", "(c, h, w) -> (c/4*H*W*4 + h*W*4 + w*4 + c%4)", "4*C,H,W",
      IRL_BIJECTIVE },
    { "NCHW4c, with the batch", "(n, c, h, w) -> ((((n*((C + 3)/4) + c/4)*H + h)*W + w)*4 + c%4)",
      "N,C,H,W", IRL_INJECTIVE },
    { "NCHW4c from NHWC", "(n, h, w, c) -> ((((n*((C + 3)/4) + c/4)*H + h)*W + w)*4 + c%4)",
      "N,H,W,C", IRL_INJECTIVE },
    { "NCHW32c", "(n, c, h, w) -> ((((n*C + c/32)*H + h)*W + w)*32 + c%32)", "N,32*C,H,W",
      IRL_BIJECTIVE },
    { "NC1HWC0", "(n, c, h, w) -> ((((n*((C + 15)/16) + c/16)*H + h)*W + w)*16 + c%16)", "N,C,H,W",
      IRL_INJECTIVE },
    { "C4NHW4, the batch inside", "(n, c, h, w) -> ((((c/4*N + n)*H + h)*W + w)*4 + c%4)",
      "N,C,H,W", IRL_INJECTIVE },
    { "an image of texels, flattened", "(n, h, w, c) -> ((n*H + h)*(W*((C + 3)/4)*4) + "
      "(c/4*W + w)*4 + c%4)", "N,H,W,C", IRL_INJECTIVE },
    /* weights */
    { "OIHW4o", "(o, i, h, w) -> ((((o/4*C + i)*H + h)*W + w)*4 + o%4)", "N,C,H,W", IRL_INJECTIVE },
    { "OIHW4i4o", "(o, i, h, w) -> (((((o/4*C + i/4)*H + h)*W + w)*4 + i%4)*4 + o%4)",
      "4*N,4*C,H,W", IRL_BIJECTIVE },
    { "OIhw16i16o", "(o, i, h, w) -> (((((o/16*((C + 15)/16) + i/16)*H + h)*W + w)*16 + i%16)*16 + "
      "o%16)", "N,C,H,W", IRL_INJECTIVE },
    { "OIhw4i16o4i", "(o, i, h, w) -> ((((((o/16*C + i/16)*H + h)*W + w)*4 + i%16/4)*16 + "
      "o%16)*4 + i%4)", "16*N,16*C,H,W", IRL_BIJECTIVE },
    { "HWIO from OIHW", "(o, i, h, w) -> (((h*W + w)*C + i)*N + o)", "N,C,H,W", IRL_BIJECTIVE },
    { "goihw, depthwise in packs of 8", "(g, h, w) -> ((g/8*H + h)*W*8 + w*8 + g%8)", "C,H,W",
      IRL_INJECTIVE },
    { "weights turned by 180 degrees", "(o, i, h, w) -> (((o*C + i)*H + H - 1 - h)*W + W - 1 - w)",
      "N,C,H,W", IRL_BIJECTIVE },
    /* matrices in tiles */
    { "tiles of 32x32 with faces", "(y, x) -> ((y/32*((W + 31)/32) + x/32)*1024 + "
      "(y%32/16*2 + x%32/16)*256 + y%16*16 + x%16)", "H,W", IRL_INJECTIVE },
    { "tiles of 32x32 with faces, whole", "(y, x) -> ((y/32*W + x/32)*1024 + (y%32/16*2 + "
      "x%32/16)*256 + y%16*16 + x%16)", "32*H,32*W", IRL_BIJECTIVE },
    { "FRACTAL_NZ", "(m, n) -> ((n/16*((H + 15)/16) + m/16)*256 + m%16*16 + n%16)", "H,W",
      IRL_INJECTIVE },
    { "COL32", "(m, n) -> (n/32*(H*32) + m*32 + n%32)", "H,W", IRL_INJECTIVE },
    { "panels of 6 rows, packed A", "(m, k) -> (m/6*(6*K) + k*6 + m%6)", "6*H,K", IRL_BIJECTIVE },
    { "panels of 16 columns, packed B", "(k, n) -> (n/16*(16*K) + k*16 + n%16)", "K,W",
      IRL_INJECTIVE },
    { "8x8 fragments of 16x16 tiles", "(m, k) -> ((m/16*K + k/16)*256 + (m%16/8 + k%16/8*2)*64 + "
      "m%8*8 + k%8)", "16*H,16*K", IRL_BIJECTIVE },
    { "block sparse rows, the blocks' values", "(b, r, c) -> ((b*16 + r)*16 + c)", "N,16,16",
      IRL_BIJECTIVE },
    { "blocks of a name's size", "(i, j) -> ((i/K*W + j/K)*(K*K) + i%K*K + j%K)", "H*K,W*K",
      IRL_BIJECTIVE },
    /* tiled memory of graphics processors */
    { "X-tiling", "(y, x) -> ((y/8*((W + 63)/64) + x/64)*512 + y%8*64 + x%64)", "H,W",
      IRL_INJECTIVE },
    { "X-tiling, whole", "(y, x) -> ((y/8*W + x/64)*512 + y%8*64 + x%64)", "8*H,64*W",
      IRL_BIJECTIVE },
    { "Y-tiling", "(y, x) -> ((y/32*((W + 127)/128) + x/128)*4096 + x%128/16*512 + y%32*16 + x%16)",
      "H,W", IRL_INJECTIVE },
    { "4x4 blocks of texels", "(y, x) -> ((y/4*((W + 3)/4) + x/4)*16 + x%4*4 + y%4)", "H,W",
      IRL_INJECTIVE },
    { "GOBs of 64x8", "(y, x) -> ((y/8*((W + 63)/64) + x/64)*512 + x%64/32*256 + y%8/2*64 + "
      "x%32/16*32 + y%2*16 + x%16)", "H,W", IRL_INJECTIVE },
    { "block linear, 2 GOBs high", "(y, x) -> (((y/16*((W + 63)/64) + x/64)*2 + y%16/8)*512 + "
      "x%64/32*256 + y%8/2*64 + x%32/16*32 + y%2*16 + x%16)", "H,W", IRL_INJECTIVE },
    { "Morton on 8x8 blocks", "(y, x) -> ((y/8*((W + 7)/8) + x/8)*64 + x%2 + y%2*2 + x/2%2*4 + "
      "y/2%2*8 + x/4%2*16 + y/4%2*32)", "H,W", IRL_INJECTIVE },
    { "Morton on 8x8 blocks by bits", "(y, x) -> ((y/8*W + x/8)*64 + ((x & 1) | (y & 1) << 1 | "
      "(x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3))", "8*H,8*W", IRL_BIJECTIVE },
    { "Morton on 4x4 blocks, a volume", "(z, y, x) -> (((z/4*H + y/4)*W + x/4)*64 + x%2 + y%2*2 + "
      "z%2*4 + x/2%2*8 + y/2%2*16 + z/2%2*32)", "4*K,4*H,4*W", IRL_BIJECTIVE },
    { "tiles in a serpentine", "(y, x) -> ((y/32*W + select(y/32%2 == 1, W - 1 - x/32, x/32))*1024 "
      "+ y%32*32 + x%32)", "32*H,32*W", IRL_BIJECTIVE },
    { "tiles whose banks turn by rows", "(y, x) -> ((y/8*W + x/8)*64 + y%8*8 + (x%8 ^ y%8))",
      "8*H,8*W", IRL_BIJECTIVE },
    { "rotated tiles", "(y, x) -> ((x/8*H + (H - 1 - y/8))*64 + x%8*8 + 7 - y%8)", "8*H,8*W",
      IRL_BIJECTIVE },
    /* shared memory */
    { "swizzle of 128 bytes", "(y, x) -> (y*64 + (x/8 ^ y%8)*8 + x%8)", "H,64", IRL_BIJECTIVE },
    { "swizzle of 64 bytes, as rows of 32", "(y, x) -> (y*32 + (x/8 ^ y/2%4)*8 + x%8)", "H,32",
      IRL_BIJECTIVE },
    { "swizzled pieces of 64 columns", "(y, x) -> ((x/64*H + y)*64 + (x%64/8 ^ y%8)*8 + x%8)",
      "H,64*W", IRL_BIJECTIVE },
    { "a column more against conflicts", "(y, x) -> (y*33 + x)", "H,32", IRL_INJECTIVE },
    { "rows that turn", "(y, x) -> (y*32 + (x + y)%32)", "H,32", IRL_BIJECTIVE },
    { "rows that turn, of any length", "(y, x) -> (y*W + (x + y)%W)", "H,W", IRL_BIJECTIVE },
    { "neighbours swapped", "(i) -> (i ^ 1)", "2*N", IRL_BIJECTIVE },
    /* pictures */
    { "NV12, luma", "(y, x) -> (y*(2*W) + x)", "2*H,2*W", IRL_BIJECTIVE },
    { "NV12, chroma as it lies", "(y, x, c) -> (4*H*W + y*(2*W) + x*2 + c)", "H,W,2",
      IRL_INJECTIVE },
    { "NV12, chroma by pixels", "(c, y, x) -> (4*H*W + y/2*(2*W) + x/2*2 + c)", "2,2*H,2*W",
      IRL_LOSSY },
    { "I420, chroma planes", "(p, y, x) -> (4*H*W + p*H*W + y*W + x)", "2,H,W", IRL_INJECTIVE },
    { "YUY2, luma", "(y, x) -> ((y*W + x/2)*4 + x%2*2)", "H,2*W", IRL_INJECTIVE },
    { "BGRA", "(y, x, c) -> ((y*W + x)*4 + select(c == 0, 2, select(c == 2, 0, c)))", "H,W,4",
      IRL_BIJECTIVE },
    { "planes of RGB", "(y, x, c) -> ((c*H + y)*W + x)", "H,W,3", IRL_BIJECTIVE },
    { "bottom up, rows of 4 bytes", "(y, x) -> ((H - 1 - y)*((W + 3)/4*4) + x)", "H,W",
      IRL_INJECTIVE },
    { "Bayer to four planes", "(y, x) -> (((y%2*2 + x%2)*H + y/2)*W + x/2)", "2*H,2*W",
      IRL_BIJECTIVE },
    { "frames interlaced", "(y, x) -> ((y%2*H + y/2)*W + x)", "2*H,W", IRL_BIJECTIVE },
    { "pages of 8 rows, bits", "(y, x) -> ((y/8*W + x)*8 + y%8)", "8*H,W", IRL_BIJECTIVE },
    { "a display turned by 90 degrees", "(y, x) -> (x*H + H - 1 - y)", "H,W", IRL_BIJECTIVE },
    { "LEDs in a serpentine", "(y, x) -> (y*W + select(y%2 == 1, W - 1 - x, x))", "H,W",
      IRL_BIJECTIVE },
    { "half the picture", "(y, x) -> (y/2*W + x/2)", "2*H,2*W", IRL_LOSSY },
    /* records, sequences, networks */
    { "arrays of structures of arrays", "(i, f) -> (i/8*(8*C) + f*8 + i%8)", "N,C", IRL_INJECTIVE },
    { "structure of arrays", "(i, f) -> (f*N + i)", "N,C", IRL_BIJECTIVE },
    { "heads split off", "(b, t, e) -> (((b*H + e/K)*W + t)*K + e%K)", "N,W,H*K", IRL_BIJECTIVE },
    { "pairs to halves", "(i) -> (i%2*N + i/2)", "2*N", IRL_BIJECTIVE },
    { "channel shuffle", "(c, p) -> ((c%K*N + c/K)*W + p)", "N*K,W", IRL_BIJECTIVE },
    { "space to depth", "(h, w, c) -> (((h/2*W + w/2)*4 + h%2*2 + w%2)*C + c)", "2*H,2*W,C",
      IRL_BIJECTIVE },
    { "pixel shuffle", "(c, h, w) -> ((c/4*(2*H) + h*2 + c%4/2)*(2*W) + w*2 + c%2)", "4*C,H,W",
      IRL_BIJECTIVE },
    { "a ring that begins at 5", "(i) -> ((i + 5)%N)", "N", IRL_BIJECTIVE },
    { "keys and values by pages of 16", "(t, h, d) -> (((t/16*H + h)*16 + t%16)*64 + d)", "N,H,64",
      IRL_INJECTIVE },
    { "patches of a convolution", "(y, x, i, j) -> ((y + i)*(W + 2) + x + j)", "H,W,3,3",
      IRL_LOSSY },
    { "digits reversed, 64 points", "(b, i) -> (b*64 + i%4*16 + i/4%4*4 + i/16)", "N,64",
      IRL_BIJECTIVE },
    { "diagonals", "(i, j) -> ((i + j)*N + i)", "N,N", IRL_INJECTIVE },
};
enum { REAL_LAYOUTS = (int)(sizeof real_layouts / sizeof real_layouts[0]) };

#endif
