/* test_wraps.c - the warning of narrow integers that wrap: what is named, and what is not. Drawn
   functions without a warning compute what the promoted integers of C would. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"

static irl_ctx *cx;
static uint32_t state;

static int draw(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)n);
}

static const struct {
    const char *text, *said; /* NULL: nothing */
} cases[] = {
    { "y[0] = (x[0] + x[1]) / 2;", "x[0] + x[1] may wrap in u8 before it is divided" },
    { "y[0] = (x[0] + x[1] * 2) / 2;", "Write i32(x[0]) + i32(x[1]) * 2, or state attr(wraps" },
    { "y[0] = max(x[0] - 16, 0);", "x[0] - 16 may wrap in u8 before it is compared" },
    { "y[0] = x[0] - 10 < 0 ? 0 : 1;", "x[0] - 10 may wrap in u8 before it is compared" },
    { "z[0] = f32(x[0] - 128);", "x[0] - 128 may wrap in u8 before it is made a float" },
    { "s[0] = sum(i32: k: 4, w[k] * w[k]);", "w[k] * w[k] may wrap in i8 before it is widened" },
    { "y[0] = (x[0] << 1) >> 1;", "x[0] << 1 may wrap in u8 before it is shifted right" },
    { "y[0] = x[0] + x[1];", NULL },
    { "y[0] = u8((i32(x[0]) + i32(x[1])) / 2);", NULL },
    { "y[0] = (x[0] / 2 + x[1] / 2) / 3;", NULL },
    { "s[0] = sum(i32: k: 4, i32(w[k]) * i32(w[k]));", NULL },
    { "y[0] = (q[0] + q[1]) / 2;", NULL },
    { "if (x[0] != 0) z[x[0] - 1] = 1.0;", NULL },
    { "assume(x[0] >= 16); y[0] = max(x[0] - 16, 1);", NULL },
    { "for (i: 4) { let t = x[i]; if (t > 9) y[i] = (t - 9) / 2; }", NULL },
    { "y[0] = x[0] > 16 && (x[0] - 16) / 2 > 3 ? (x[0] - 10) / 2 : (x[1] + 0) / 2;", NULL },
    { "y[0] = x[0] > 16 ? 0 : (x[0] - 16) / 2;", "x[0] - 16 may wrap in u8 before it is divided" },
    { "if (x[0] != 0) s[0] = 1; else z[x[0] - 1] = 1.0;", "x[0] - 1 may wrap in u8 before" },
    { "if (x[0] - 10 < 3) y[0] = 1;", "x[0] - 10 may wrap in u8 before it is compared" },
    { "if (y[0] != 0) { y[0] = 0; z[y[0] - 1] = 1.0; }", "y[0] - 1 may wrap in u8 before" },
    { "if (x[0] != 0) z[x[1] - 1] = 1.0;", "x[1] - 1 may wrap in u8 before it is widened" },
    { "y[0] = (q[0] - q[1]) / 2;", "q[0] - q[1] may wrap in u8 before it is divided" },
};

static void test_cases(void)
{
    char text[400];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int meant = 0; meant < 2; meant++) {
            snprintf(text, sizeof text,
                     "func f(x: u8[4], y: u8[4], z: f32[4], w: i8[4], s: i32[1], q: u4[4])%s "
                     "{ %s }",
                     meant ? " attr(wraps = \"intended\")" : "", cases[k].text);
            const irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, "wraps");
            const char     *said = irl_func_warnings(f);
            if (!CHECK(f && (meant || !cases[k].said ? !*said
                                                     : strstr(said, cases[k].said) != NULL)))
                printf("%s\n%s%s\n", text, said, irl_diag_text(cx));
        }
}

/* An expression over a[0], a[1], a[2] twice: as it is, and with widened operands. */
static void draw_value(int depth, char *narrow, char *wide, size_t room)
{
    static const char *const infix[] = { "+", "-", "*", "/", "%", ">>", "<<", "&" };
    char a[2][400], b[2][400];
    if (depth == 0 || !draw(5)) {
        const int k = draw(3);
        snprintf(narrow, room, "a[%d]", k);
        snprintf(wide, room, "i64(a[%d])", k);
        return;
    }
    draw_value(depth - 1, a[0], a[1], sizeof a[0]);
    draw_value(depth - 1, b[0], b[1], sizeof b[0]);
    const int op = draw(11);
    for (int j = 0; j < 2; j++) {
        char *out = j ? wide : narrow;
        if (op < 3) snprintf(out, room, "(%s %s %s)", a[j], infix[op], b[j]);
        else if (op < 8) {
            if (j == 0) snprintf(b[0], sizeof b[0], "%d", 1 + draw(7));
            snprintf(out, room, "(%s %s %s)", a[j], infix[op], b[0]);
        } else if (op == 8) snprintf(out, room, "min(%s, %s)", a[j], b[j]);
        else if (op == 9) snprintf(out, room, "max(%s, %s)", a[j], b[j]);
        else snprintf(out, room, "(%s < %s ? %s : %s)", a[j], b[j], b[j], a[j]);
    }
}

static void test_drawn(int count)
{
    static const char *const types[] = { "u8", "i8", "u16", "i16" };
    int                      silent = 0;
    for (int n = 0; n < count; n++) {
        irl_mark    mark = irl_ctx_mark(cx);
        char        narrow[900], wide[900], text[2400];
        const char *type = types[n % 4];
        state = (uint32_t)n * 2654435761u + 1;
        draw_value(1 + draw(3), narrow, wide, sizeof narrow);
        snprintf(text, sizeof text,
                 "func f(a: %s[3], y: %s[1], z: %s[1]) { y[0] = %s; z[0] = %s(%s); }", type, type,
                 type, narrow, type, wide);
        const irl_func *f = irl_func_parse(cx, text, IRL_TO_NUL, "drawn");
        if (CHECK(f != NULL) && !*irl_func_warnings(f)) {
            silent++;
            for (int run = 0; run < 20; run++) {
                int16_t       a[3], y[1] = { 0 }, z[1] = { 0 };
                unsigned char byte[3];
                for (int k = 0; k < 3; k++) {
                    const int edge = draw(3);
                    byte[k] = (unsigned char)(edge == 0 ? 255 : edge == 1 ? 128 : draw(256));
                    a[k] = (int16_t)(edge == 0 ? -1 : edge == 1 ? INT16_MIN : draw(1 << 15));
                }
                const int ok = n % 4 < 2 ? irl_func_interpret(f, IRL_POINTERS(byte, y, z))
                                         : irl_func_interpret(f, IRL_POINTERS(a, y, z));
                if (!CHECK(ok && y[0] == z[0])) {
                    printf("%s\n%s\n", text, irl_diag_text(cx));
                    break;
                }
            }
        } else if (!f) printf("%s\n%s\n", text, irl_diag_text(cx));
        irl_ctx_rewind(cx, mark);
    }
    CHECK(silent > count / 10 && silent < count);
    printf("%d of %d drawn functions have no warning, and compute what C would\n", silent, count);
}

int main(void)
{
    cx = irl_ctx_create(NULL);
    test_cases();
    test_drawn(TEST_COUNT(2000));
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
