/* small_machines_hand.h - functions of eleven layouts, and five functions of bits, as one writes
   them for a small machine: shifts and masks where the sizes are powers of two, no more quotients
   than needed. bench/small_machines.c compares. */
#include <stdint.h>

/* SSD1306, 128x64: a page of 8 rows, a column, a bit */
HAND uint16_t hand_ssd1306_place(uint16_t y, uint16_t x)
{
    return (y & ~7u) << 7 | x << 3 | (y & 7);
}
HAND void     hand_ssd1306_point(uint16_t p, uint16_t *y, uint16_t *x)
{
    *y = (p >> 10) << 3 | (p & 7);
    *x = p >> 3 & 127;
}

/* NCHW4c, 16 channels of 8x8 */
HAND uint16_t hand_nchw4c_place(uint16_t n, uint16_t h, uint16_t w, uint16_t c)
{
    (void)n;
    return (c & ~3u) << 6 | h << 5 | w << 2 | (c & 3);
}
HAND void hand_nchw4c_point(uint16_t p, uint16_t *n, uint16_t *h, uint16_t *w, uint16_t *c)
{
    *n = 0;
    *h = p >> 5 & 7;
    *w = p >> 2 & 7;
    *c = (p >> 8) << 2 | (p & 3);
}

/* OIHW4o, 16 to 8 channels, 3x3 */
HAND uint16_t hand_oihw4o_place(uint16_t o, uint16_t i, uint16_t kh, uint16_t kw)
{
    return (((o >> 2) * 8 + i) * 9 + kh * 3 + kw) * 4 + (o & 3);
}
HAND void hand_oihw4o_point(uint16_t p, uint16_t *o, uint16_t *i, uint16_t *kh, uint16_t *kw)
{
    uint16_t q = p >> 2;
    *kw = q % 3;
    q /= 3;
    *kh = q % 3;
    q /= 3;
    *i = q & 7;
    *o = (q >> 3) << 2 | (p & 3);
}

/* four planes of a Bayer pattern, 64x48 */
HAND uint16_t hand_bayer_place(uint16_t y, uint16_t x)
{
    return (y % 2 * 2 + x % 2) * 768 + (y / 2) * 32 + x / 2;
}
HAND void hand_bayer_point(uint16_t p, uint16_t *y, uint16_t *x)
{
    uint16_t plane = p / 768, q = p % 768;
    *y = (q >> 5) << 1 | plane >> 1;
    *x = (q & 31) << 1 | (plane & 1);
}

/* Morton order, 16x16 */
HAND uint16_t hand_morton_place(uint16_t y, uint16_t x)
{
    uint16_t p = 0;
    uint8_t  k;
    for (k = 8; k; k >>= 1) {
        p <<= 2;
        if (y & k) p |= 2;
        if (x & k) p |= 1;
    }
    return p;
}
HAND void hand_morton_point(uint16_t p, uint16_t *y, uint16_t *x)
{
    uint16_t a = 0, b = 0;
    uint8_t  k;
    for (k = 0; k < 4; k++) {
        a = a << 1 | (p >> 7 & 1);
        b = b << 1 | (p >> 6 & 1);
        p <<= 2;
    }
    *y = a;
    *x = b;
}

/* XLA's tiles of 2x2 over 3x5, with padding */
HAND uint16_t hand_xla_place(uint16_t i, uint16_t j)
{
    return ((i >> 1) * 3 + (j >> 1)) * 4 + (i & 1) * 2 + (j & 1);
}
HAND int      hand_xla_point(uint16_t p, uint16_t *i, uint16_t *j)
{
    uint16_t q = p >> 2, a = (q / 3) << 1 | (p >> 1 & 1), b = (q % 3) << 1 | (p & 1);
    if (a >= 3 || b >= 5) return 0;
    *i = a;
    *j = b;
    return 1;
}

/* HUB75, 64x32, two halves at once: pins of a word */
HAND uint16_t hand_hub75_place(uint16_t y, uint16_t x, uint16_t c)
{
    return (((y & 15) * 64 + x) * 2 + (y >> 4)) * 3 + c;
}
HAND void hand_hub75_point(uint16_t p, uint16_t *y, uint16_t *x, uint16_t *c)
{
    uint16_t q = p / 3;
    *c = p % 3;
    *x = q >> 1 & 63;
    *y = (q & 1) << 4 | q >> 7;
}

/* rows of bits, the first pixel in the highest bit */
HAND uint16_t hand_lvgl_place(uint16_t y, uint16_t x) { return y << 7 | (x ^ 7); }
HAND void     hand_lvgl_point(uint16_t p, uint16_t *y, uint16_t *x)
{
    *y = p >> 7;
    *x = (p & 127) ^ 7;
}

/* a strip of LEDs that goes to and fro, 16x16 */
HAND uint16_t hand_serpentine_place(uint16_t y, uint16_t x)
{
    return y << 4 | (y & 1 ? x ^ 15 : x);
}
HAND void     hand_serpentine_point(uint16_t p, uint16_t *y, uint16_t *x)
{
    *y = p >> 4;
    *x = (p & 15) ^ (p & 16 ? 15 : 0);
}

/* RAW10's high bytes: four of five */
HAND uint16_t hand_raw10_place(uint16_t y, uint16_t x) { return y * 80 + (x >> 2) * 5 + (x & 3); }
HAND int      hand_raw10_point(uint16_t p, uint16_t *y, uint16_t *x)
{
    uint16_t q = p % 80, r = q % 5;
    if (r == 4) return 0;
    *y = p / 80;
    *x = (q / 5) << 2 | r;
    return 1;
}

/* tiles of 8x8 pixels, 160x144 */
HAND uint16_t hand_tiles_place(uint16_t y, uint16_t x)
{
    return (y >> 3) * 1280 + (x >> 3) * 64 + (y & 7) * 8 + (x & 7);
}
HAND void hand_tiles_point(uint16_t p, uint16_t *y, uint16_t *x)
{
    uint16_t t = p >> 6;
    *y = t / 20 << 3 | (p >> 3 & 7);
    *x = t % 20 << 3 | (p & 7);
}

/* a display of 16 rows: one pixel, and its picture of bytes, black below 128 */
HAND void hand_bits_set_pixel(uint16_t y, uint16_t x, uint8_t on, uint8_t *d)
{
    uint8_t bit = (uint8_t)(1u << (y & 7));
    d += (y >> 3) * 64 + x;
    if (on & 1) *d |= bit;
    else *d &= (uint8_t)~bit;
}
HAND void hand_bits_picture(const uint8_t *p, uint8_t *d)
{
    uint8_t page, x, k, byte;
    for (page = 0; page < 2; page++, p += 7 * 64)
        for (x = 0; x < 64; x++, p++) {
            for (byte = 0, k = 8; k--;) byte = (uint8_t)(byte << 1 | p[k * 64] >> 7);
            *d++ = byte;
        }
}

/* a row of RAW10: to numbers, and back */
HAND void hand_bits_raw10(const uint8_t *p, uint16_t *y)
{
    uint8_t g, k, low;
    for (g = 0; g < 16; g++, p++)
        for (low = p[4], k = 0; k < 4; k++, low >>= 2) *y++ = (uint16_t)(*p++ << 2 | (low & 3));
}
HAND void hand_bits_raw10_pack(const uint16_t *y, uint8_t *p)
{
    uint8_t g, k, low;
    for (g = 0; g < 16; g++) {
        for (low = 0, k = 0; k < 4; k++, y++) {
            *p++ = (uint8_t)(*y >> 2);
            low = (uint8_t)(low >> 2 | *y << 6);
        }
        *p++ = low;
    }
}

/* two blocks of Q4_0 */
HAND void hand_bits_q4_0(const uint8_t *w, float *y)
{
    union { uint32_t bits; float value; } s;
    uint8_t b, j, q;
    for (b = 0; b < 2; b++, y += 16) {
        s.bits = (uint32_t)((w[1] & 0x7fu) << 8 | w[0]) << 13;
        if (s.bits >= 0x0f800000u) s.bits |= 0x7f800000u;
        else s.value *= 5192296858534827628530496329220096.0f; /* 2 to the 112 */
        s.bits |= (uint32_t)(w[1] & 0x80u) << 24;
        for (w += 2, j = 0; j < 16; j++, y++) {
            q = *w++;
            y[0] = s.value * (float)((q & 15) - 8);
            y[16] = s.value * (float)((q >> 4) - 8);
        }
    }
}
