/* deep_cases.h - expressions and statements as deep as the text allows, or nearly: compilers of C
   count their brackets (clang takes 256 in one another). */
#ifndef IRL_DEEP_CASES_H
#define IRL_DEEP_CASES_H

/* Each level is open + what is inside + close; the innermost is core. A %d in open is the number of
   the level. */
typedef struct deep_case {
    const char *head, *open, *core, *close, *tail;
    int         levels; /* that the depth of 400 leaves room for */
} deep_case;

#define DEEP_F32 "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { for (i: 8) y[i] = "
#define DEEP_I32 "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { for (i: 8) z[i] = "

static const deep_case deep_cases[] = {
    { DEEP_F32, "((", "x[i]", ") * 0.5f + 1.0f)", "; }", 190 },
    { DEEP_F32, "(1.0f + 0.5f * (", "x[i]", "))", "; }", 190 },
    { DEEP_F32, "(1.0f - (", "x[i]", "))", "; }", 260 },
    { DEEP_F32, "max(0.5f * ", "x[i]", ", -1.0f)", "; }", 190 },
    { DEEP_F32, "min(1.0f, -(", "x[i]", "))", "; }", 190 },
    { DEEP_F32, "fma(0.5f, ", "x[i]", ", 0.25f)", "; }", 380 },
    { DEEP_F32, "sqrt(abs(", "x[i]", "))", "; }", 130 },
    { DEEP_F32, "f32(f16(", "x[i]", "))", "; }", 190 },
    { DEEP_F32, "f32(i32(", "x[i]", "))", "; }", 190 },
    { DEEP_F32, "(k[i] > %d ? 1.0f : ", "x[i]", ")", "; }", 370 },
    { DEEP_F32, "(k[i] > %d ? ", "x[i]", " : 1.0f)", "; }", 370 },
    { DEEP_F32, "(k[i] > %d ? 1.0f + ", "x[i]", " : 1.0f)", "; }", 190 },
    { DEEP_F32, "(0.5f + (k[i] > %d ? 1.0f - (", "x[i]", ") : 2.0f))", "; }", 120 },
    { DEEP_F32, "select(k[i] > %d, 1.0f - (", "x[i]", "), 2.0f)", "; }", 190 },
    { DEEP_F32, "let(v = ", "x[i]", ", v * 0.5f)", "; }", 190 },
    { DEEP_F32, "let(v = x[i] + 1.0f, v * (", "x[i]", "))", "; }", 190 },
    { DEEP_I32, "(1 - (", "k[i]", "))", "; }", 260 },
    { DEEP_I32, "((", "k[i]", ") / 3 * 3)", "; }", 190 },
    { DEEP_I32, "((", "k[i]", ") % 5 + 3)", "; }", 190 },
    { DEEP_I32, "(~(", "k[i]", ") << 1)", "; }", 190 },
    { DEEP_I32, "((", "k[i]", " ^ 3) >> 1)", "; }", 190 },
    { DEEP_I32, "i32(u8(", "k[i]", "))", "; }", 190 },
    { DEEP_I32, "k[index(", "k[i]", ") % 8]", "; }", 125 },
    { DEEP_F32 "x[i]; for (i: 8) if (", "!(k[i] != %d && ", "k[i] == 3", ")", ") y[i] = 1.0; }",
      190 },
    { "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { for (i: 8) y[",
      "(7 - (", "i", "))", "] = x[i]; }", 260 },
    { "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { for (i: 8) y[i] = x[",
      "((", "i + 1", ") * 3 % 8)", "]; }", 190 },
    { "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { for vectorized (i: 8) y[i] = ",
      "(1.0f - 0.5f * (", "x[i]", "))", "; }", 190 },
    { "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { y[ramp(0, 1, 8)] = ",
      "select(k[ramp(0, 1, 8)] > broadcast(1, 8), ", "x[ramp(0, 1, 8)]",
      ", broadcast(1.0f, 8))", "; }", 300 },
    { "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { y[ramp(0, 1, 4)] = ",
      "shuffle(", "x[ramp(0, 1, 4)]", ", [1, 2, 3, 0])", "; }", 300 },
    { "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { for (i: 8) ",
      "if (k[i] > %d) y[i] = 1.0f; else ", "y[i] = x[i];", "", " }", 390 },
    { "func f(x: f32[8], y: f32[8], k: i32[8], z: i32[8]) { for (i: 8) ",
      "if (k[i] > %d) y[i] = 1.0f; else { z[i] = z[i] + 1; ", "y[i] = x[i];", "}", " }", 190 },
};

/* The text of a case, with as many levels as there are or the first `most`; freed by the caller. */
static char *deep_text(const deep_case *c, int most)
{
    int    n = c->levels < most ? c->levels : most, k;
    size_t room = strlen(c->head) + strlen(c->core) + strlen(c->tail) + 1 +
                  (size_t)n * (strlen(c->open) + strlen(c->close) + 8);
    char  *text = (char *)malloc(room), *at = text;
    if (!text) exit(1);
    at += sprintf(at, "%s", c->head);
    for (k = 0; k < n; k++) at += sprintf(at, c->open, k);
    at += sprintf(at, "%s", c->core);
    for (k = 0; k < n; k++) at += sprintf(at, "%s", c->close);
    sprintf(at, "%s", c->tail);
    return text;
}

/* The most brackets of any kind that stand in one another in a source of C. */
static int deep_brackets(const char *source)
{
    int depth = 0, most = 0;
    for (; *source; source++) {
        if (strchr("([{", *source)) depth++;
        if (strchr(")]}", *source)) depth--;
        if (depth > most) most = depth;
    }
    return most;
}

#endif
