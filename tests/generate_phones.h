/* generate_phones.h - convolutions as phones run them: activations, weights and results in images
   or in plain memory, with several results for each work-item, and what is computed of a sum where
   it is stored.

   promises  sums of whole numbers, so that no order of them rounds; at most PHONE_CELLS in each of
             a, b and o; the names a, b, o in that order */
#ifndef IRL_GENERATE_PHONES_H
#define IRL_GENERATE_PHONES_H

#include <stdio.h>

enum { PHONE_CELLS = 1 << 14, PHONE_TEXT = 1536 };

static const char *phone_layout(int is_image, const char *name, const char *text, char *scope)
{
    static char layout[3][128];
    char       *to = layout[*name == 'a' ? 0 : *name == 'b' ? 1 : 2];
    strcpy(scope, is_image ? " scope(texture)" : "");
    to[0] = '\0';
    if (is_image) snprintf(to, sizeof layout[0], "    layout(%s: %s)\n", name, text);
    return to;
}

static void phone_text(char *at)
{
    const char *const pixels = TEST_RANDOM(2) ? "(n, h, w, c) -> (n, c / 4, h, |, w, c % 4)"
                                              : "(n, h, w, c) -> (n, h, |, w, c / 4, c % 4)";
    const int images = TEST_RANDOM(8), c = 4 * (1 + TEST_RANDOM(4)), is_two = TEST_RANDOM(3) == 0;
    const int k = images & 6 ? 4 * (1 + TEST_RANDOM(6)) : 1 + TEST_RANDOM(24);
    const int h = 1 + TEST_RANDOM(9), w = 1 + TEST_RANDOM(13), stride = 1 + TEST_RANDOM(2);
    const int r = 1 + TEST_RANDOM(3), s = 1 + TEST_RANDOM(3), is_last = TEST_RANDOM(2);
    char      scope[3][20], text[3][128];
    strcpy(text[0], phone_layout(images & 1, "a", pixels, scope[0]));
    strcpy(text[1], phone_layout(images & 2, "b", "(k, c, r, s) -> (k / 4, r, s, |, c, k % 4)",
                                 scope[1]));
    strcpy(text[2], phone_layout(images & 4, "o", pixels, scope[2]));
    at += snprintf(at, PHONE_TEXT, "func phone(a: f32[1, %d, %d, %d]%s, b: f32[%d, %d, %d, %d]%s, "
                   "o: f32[1, %d, %d, %d]%s)\n%s%s%s{\n", stride * (h - 1) + r,
                   stride * (w - 1) + s, c, scope[0], k, c, r, s, scope[1], h, w, k, scope[2],
                   text[0], text[1], text[2]);
    if (is_two) at += sprintf(at, "    alloc t: f32[%d, %d, %d];\n", h, w, k);
    at += sprintf(at, "    for (y: %d, x: %d, k: %d) %s = sum(", h, w, k,
                  is_two ? "t[y, x, k]" : "o[0, y, x, k]");
    at += is_last ? sprintf(at, "r: %d, s: %d, c: %d", r, s, c)
                  : sprintf(at, "c: %d, r: %d, s: %d", c, r, s);
    if (TEST_RANDOM(3)) at += sprintf(at, ", a[0, y * %d + r, x * %d + s, c]", stride, stride);
    else /* zeros in front of the first row and column */
        at += sprintf(at, ", (y * %d + r >= 1 && x * %d + s >= 1 ? a[0, y * %d + r - 1, x * %d + s "
                      "- 1, c] : 0.0f)", stride, stride, stride, stride);
    at += sprintf(at, " * b[k, c, r, s]);\n");
    if (is_two)
        at += sprintf(at, "    for (y: %d, x: %d, k: %d) o[0, y, x, k] = max(t[y, x, k], 0.0f);\n",
                      h, w, k);
    sprintf(at, "}\n");
}

#endif
