/* view_cases.h - functions of two arrays of 384 bytes that see them through views: by hand, and
   generated. */
#ifndef IRL_VIEW_CASES_H
#define IRL_VIEW_CASES_H

enum { BYTES = 384, MOST_TEXT = 2048 };

static void fill(unsigned char *x, unsigned seed)
{
    int k;
    /* no NaN in any float */
    for (k = 0; k < BYTES; k++) x[k] = (unsigned char)((unsigned)k * 37u + seed) & 0x3f;
}

typedef struct program {
    const char *text;   /* of f(x, y), both of 384 bytes */
    const char *strict; /* a part of the module for a target of one access type */
    int         needs_lanes; /* a number is taken apart into others: `scalar` refuses */
} program;

static const program programs[] = {
    /* all accesses are runs of 4 at multiples of 4 */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; }",
      "y_f32x4[i] = x_f32x4[i];", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 23) y[ramp(i * 4 + 4, 1, 4)] = x[ramp(i * 4, 1, "
      "4)]; }",
      "y_f32x4[i + 1] = x_f32x4[i];", 0 },
    /* 4 and 2: the greatest common unit */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; "
      "for (i: 24) y[ramp(i * 4 + 2, 1, 2)] = x[ramp(i * 4, 1, 2)]; }",
      "y_f32x4[i] = x_f32x4[i];", 0 }, /* two kernels */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) { y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)]; "
      "y[ramp(i * 4 + 2, 1, 2)] = x[ramp(i * 4, 1, 2)]; } }",
      "y_f32x2[i * 2 + 1] = x_f32x4[i]", -1 },
    /* runs of 8 and 16 at multiples of 4; a run that is not at a multiple of anything */
    { "func f(x: f32[96], y: f32[96]) { for (i: 11) y[ramp(i * 4 + 4, 1, 8)] = x[ramp(i * 4, 1, "
      "8)]; for (i: 5) y[ramp(i * 16 + 4, 1, 16)] = x[ramp(i * 16 + 8, 1, 16)]; }",
      "x_f32x4[i + 1]", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 90) y[ramp(i, 1, 4)] = x[ramp(i + 1, 1, 4)]; }",
      "shuffle(x[i + 1], x[i + 2], x[i + 3], x[i + 4]", -1 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 32) y[ramp(i * 3, 1, 3)] = x[ramp(i * 3, 1, 3)]; }",
      "y_f32x3[i] = x_f32x3[i];", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 19) y[ramp(i * 5, 1, 5)] = x[ramp(i * 5, 1, 5)]; }",
      "x[i * 5 + 4]", 0 },
    /* a scalar read out of a vector: where nothing writes that memory, at a known lane */
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] * "
      "broadcast(x[i * 4 + 2], 4); }",
      "lane(x_f32x4[i], 2)", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] * "
      "broadcast(x[5], 4); }",
      "lane(x_f32x4[1], 1)", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 24) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, 4)] * "
      "broadcast(x[i], 4); }",
      "x[i * 4 + 3]", 0 },
    { "func f(x: f32[96], y: f32[96]) { for (i: 23) { y[ramp(i * 4 + 4, 1, 4)] = x[ramp(i * 4, 1, "
      "4)]; x[ramp(i * 4 + 4, 1, 4)] = broadcast(x[i * 4 + 1], 4); } }",
      "x[i * 4 + 1]", 0 },
    { "func f(x: f32[96], y: f32[96]) { alloc t: f32[16] scope(local); for (i: 4) t[ramp(i * 4, 1, "
      "4)] = x[ramp(i * 4, 1, 4)];"
      " for (i: 4) y[i] = t[i * 4] + t[i * 4 + 3]; }",
      "x_f32x4[i]", 0 },
    /* declared views: of vectors, of scalars, of other scalars of that size */
    { "func f(x: f32[96], y: f32x4[24]) { decl v: f32x4[24] data(x); for (i: 24) y[i] = v[i]; }",
      "y[i] = v[i];", 0 },
    { "func f(x: f32[96], y: f32x4[24]) { decl v: f32x4[24] data(x); for (i: 24) { y[i] = v[i]; "
      "x[i] = 0.0f; } }",
      "v_f32[i * 4 + 3]", 0 },
    { "func f(x: f32x4[24], y: f32[96]) { decl v: f32[96] data(x); for (i: 96) y[i] = v[i]; }",
      "y_f32x4[i_o] = v_f32x4[i_o];", 0 },
    { "func f(x: f32x4[24], y: f32[96]) { decl v: f32[96] data(x); for (i: 96) v[i] = y[95 - i]; "
      "for (i: 24) x[i] = x[23 - i]; }",
      "v[i] = y[95 - i];", 0 },
    { "func f(x: f32x4[24], y: f32[96]) { decl v: f32[96] data(x); for (i: 24) { x[i] = x[23 - i]; "
      "v[i] = y[i]; } }",
      "x_f32[i * 4 + 3]", 0 },
    { "func f(x: i32[96], y: f32[96]) { decl v: f32[96] data(x); for (i: 96) { y[i] = v[i]; x[i] = "
      "x[i] + 1; } }",
      "y[i] = as(f32, v_i32[i]);", 0 },
    { "func f(x: f32x8[12], y: f32[96]) { for (i: 12) y[ramp(i * 8, 1, 8)] = x[i]; }",
      "y_f32x8[i] = x[i];", 0 },
    { "func f(x: f32x4[24], y: f32x4[24]) { for (i: 6) y[ramp(i * 4, 1, 4)] = x[ramp(i * 4, 1, "
      "4)]; }",
      "y_f32x16[i] = x_f32x16[i];", 0 },
    { "func f(x: f32x4[24], y: f32x2[48]) { for (i: 5) y[ramp(i, 3, 8)] = x[ramp(i, 5, 4)]; }",
      "y[i + 21] = ", 0 },
    { "func f(x: f32x32[3], y: f32x32[3]) { for (i: 3) y[i] = x[i]; }", "x_f32x16[i * 2 + 1]", 0 },
    { "func f(x: f32x6[16], y: f32[96]) { for (i: 16) y[ramp(i * 6, 1, 6)] = x[15 - i]; }",
      "x_f32x2", -1 },
    /* scalars of other sizes: the bits */
    { "func f(x: u32[96], y: u8[384]) { decl v: u8[384] data(x); for (i: 384) y[i] = v[383 - i]; }",
      "y[i] = v[383 - i];", 0 },
    { "func f(x: u32[96], y: u8[384]) { decl v: u32[96] data(y); for (i: 96) { v[i] = x[95 - i]; } "
      "for (i: 96) y[i] = y[i + 96]; }",
      "v[i] = x[95 - i];", 0 },
    { "func f(x: u32[96], y: u8[384]) { decl v: u32[96] data(y); for (i: 96) { v[i] = x[95 - i]; "
      "y[i] = y[i + 7]; } }",
      "lane(as(u8x4, value), 3)", 1 },
    { "func f(x: u32[96], y: u8[384]) { decl v: u8x4[96] data(x); for (i: 96) y[ramp(i * 4, 1, 4)] "
      "= v[i] + as(u8x4, x[0]); }",
      "y_u8x4[i] = v[i] + as(u8x4, as(u32, x_u8x4[0]));", 1 },
    /* by bytes, of which a vector has 16 at most, and not 6 */
    { "func f(x: f32[96], y: f32[96]) { for (t: 2) { decl h: u16x16[12] data(x); decl g: u16[192] "
      "data(x); decl q: u16x3[64] data(x); h[t * 6 + 1] = h[t * 6] + h[t * 6 + 2]; g[ramp(t * 96 + "
      "60, 1, 16)] = g[ramp(t * 96 + 1, 1, 16)]; q[t * 32 + 28] = q[t * 32 + 3]; x[ramp(t * 48 + "
      "44, 1, 2)] = y[ramp(t, 1, 2)]; } }",
      "h_u16[t * 96 + 16] = lane(value, 0);", 1 },
    { "func f(x: u16[192], y: u64[48]) { decl v: u64[48] data(x); for (i: 48) { y[i] = v[i]; x[i * "
      "4 + 1] = u16(7); } }",
      "as(u64, shuffle(v_u16[i * 4], ", 1 },
    { "func f(x: f16[192], y: f32[96]) { for (i: 48) y[i] = f32(x[i * 4]) + f32(x[i * 4 + 1]); for "
      "(i: 48) x[ramp(i * 4, 1, 4)] = f16x4(broadcast(y[i], 4)); }",
      "x_f16x4[i] = broadcast(f16(y[i]), 4);", 0 },
};

static const char *const targets[] = { "opencl12", "strict", "scalar" };

/* ------------------------------------------------------------------ generated */

typedef struct element {
    const char *scalar;
    int         lanes, bytes; /* of one scalar */
} element;

static const element elements[] = {
    { "f32", 1, 4 },  { "f32", 2, 4 }, { "f32", 3, 4 }, { "f32", 4, 4 }, { "f32", 8, 4 },
    { "f32", 16, 4 }, { "i32", 1, 4 }, { "i32", 4, 4 }, { "f32", 6, 4 }, { "u16", 1, 2 },
    { "u16", 2, 2 },  { "u16", 4, 2 }, { "u8", 1, 1 },  { "u8", 4, 1 },  { "u8", 16, 1 },
    { "u64", 1, 8 },  { "u64", 2, 8 }, { "f16", 4, 2 },
};

enum { BUFFERS = 5 };

typedef struct generator {
    const element *of[BUFFERS]; /* x, y, and views of them */
    char           text[MOST_TEXT];
} generator;

static void add(generator *g, const char *format, const char *a, int b, int c)
{
    size_t n = strlen(g->text);
    snprintf(g->text + n, sizeof g->text - n, format, a, b, c);
}

static void add_type(generator *g, const element *e, int times)
{
    if (e->lanes * times == 1) add(g, "%s", e->scalar, 0, 0);
    else add(g, "%sx%d", e->scalar, e->lanes * times, 0);
}

static const element *any_element(void)
{
    return &elements[TEST_RANDOM((int)(sizeof elements / sizeof *elements))];
}

/* `count` elements from a * i + b on, `stride` apart, all of them within the buffer. */
static void add_index(generator *g, int a, int b, int count, int stride)
{
    if (count == 1) add(g, "[i%s * %d + %d]", "", a, b);
    else {
        add(g, "[ramp(i%s * %d + %d, ", "", a, b);
        add(g, "%s%d, %d)]", "", stride, count);
    }
}

/* buffer[...] = as(type, other[...]); of elements that make the same number of bytes. False where
   these two do not. */
static int add_statement(generator *g)
{
    static const int counts[] = { 1, 1, 2, 4, 8, 3 };
    int to = TEST_RANDOM(BUFFERS), from = TEST_RANDOM(BUFFERS), n = counts[TEST_RANDOM(6)],
        a = 1 << TEST_RANDOM(4), b = TEST_RANDOM(5), m, rounds, room;
    int              stride = TEST_RANDOM(3) ? 1 : 2, c = 1 << TEST_RANDOM(4);
    const element   *s = g->of[from], *d = g->of[to];
    int              bytes = n * s->lanes * s->bytes, each = d->lanes * d->bytes;
    m = bytes / each;
    if (bytes % each || m == 0 || n * s->lanes > 64 || m * d->lanes > 64) return 0;
    /* places for the first of the source */
    room = BYTES / (s->lanes * s->bytes) - b - (n - 1) * stride;
    rounds = room <= 0 ? 0 : (room - 1) / a + 1;
    room = BYTES / each - b - (m - 1); /* and of the target, one after the other */
    if (room <= 0 || rounds == 0) return 0;
    if (rounds > (room - 1) / c + 1) rounds = (room - 1) / c + 1;
    add(g, "    for (i%s: %d) v%d", "", rounds, to);
    add_index(g, c, b, m, 1);
    add(g, " = as(%s", "", 0, 0);
    add_type(g, d, m);
    add(g, ", v%s%d", "", from, 0);
    add_index(g, a, b, n, stride);
    add(g, "%s);\n", "", 0, 0);
    return 1;
}

static void generate(generator *g, unsigned long seed)
{
    int k, statements = 0;
    test_seed = seed * 2654435761ul;
    memset(g, 0, sizeof *g);
    add(g, "func f(%s", "", 0, 0);
    for (k = 0; k < BUFFERS; k++) {
        g->of[k] = any_element();
        add(g, k == 0 ? "v%s%d: " : k == 1 ? ", v%s%d: " : "    decl v%s%d: ", "", k, 0);
        add_type(g, g->of[k], 1);
        add(g, "[%s%d]", "", BYTES / (g->of[k]->lanes * g->of[k]->bytes), 0);
        if (k >= 2) add(g, " data(v%s%d);\n", "", k % 2, 0);
        if (k == 1) add(g, "%s) {\n", "", 0, 0);
    }
    for (k = 0; k < 40 && statements < 3; k++) statements += add_statement(g);
    add(g, "%s}\n", "", 0, 0);
}

#endif
