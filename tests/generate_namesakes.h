/* generate_namesakes.h - functions of several nests, the loops of which have the same names, and
   which store into the same buffers, several of them in one loop: sums that carry values from one
   iteration to the next, forwards and backwards, under conditions, beside stores of elements.

   needs     generate.h
   promises  a seed gives the same function always, in numbers that are exact */
#ifndef IRL_GENERATE_NAMESAKES_H
#define IRL_GENERATE_NAMESAKES_H

enum { NAMESAKES_MOST = 6, NAMESAKES_ROOM = 3072 };

/* $ is where names differ if they are to be apart; R and C are extents, T is the type. */
static const char *const namesake_bodies[] = {
    "for (i$: R, j$: C) y[i$, j$] = a[i$, j$] + t[i$, j$];",
    "for (i$: R, j$: C) { y[i$, j$] = b[i$, j$]; t[i$, j$] = a[i$, j$]; }",
    "for (j$: C) { alloc s: T[]; alloc p: T[]; s[] = 0; p[] = 1; for (i$: R) { "
    "y[i$, j$] = min(a[i$, j$] + s[] * p[], 3); s[] = p[]; p[] = y[i$, j$]; } }",
    "for (j$: C) { alloc s: T[]; s[] = 0; for (k$: R) { let i$ = R - 1 - k$; "
    "t[i$, j$] = min(max(b[i$, j$] - s[], 1), 3); s[] = t[i$, j$]; } }",
    "for (i$: R) { alloc s: T[]; s[] = 0; for (j$: C) { "
    "y[i$, j$] = max(a[i$, j$] - s[], 1); s[] = y[i$, j$]; } }",
    "for (i$: R, j$: C) { y[i$, j$] = 0; for (k$: 4) y[i$, j$] += a[i$, k$] * b[k$, j$]; "
    "y[i$, j$] = max(y[i$, j$], 1); }",
    "for (j$: C) { alloc s: T[]; s[] = b[0, j$]; for (i$: R) if (a[i$, j$] > s[]) { "
    "s[] = a[i$, j$]; y[i$, j$] = 2; } }",
    "for (i$: R, j$: C) if (a[i$, j$] > 1) y[i$, j$] = 1; else t[i$, j$] = 1;",
    "for (i$: R, j$: C) t[i$, j$] = b[i$, j$];",
};
enum { NAMESAKE_BODIES = sizeof namesake_bodies / sizeof *namesake_bodies };

/* One body, as nest number k of those whose names are apart (below 0: they are not). */
static char *namesake_put(char *at, const char *body, const char *type, int rows, int columns,
                          int k)
{
    for (; *body; body++)
        if (*body == 'R') at += sprintf(at, "%d", rows);
        else if (*body == 'C') at += sprintf(at, "%d", columns);
        else if (*body == 'T') at += sprintf(at, "%s", type);
        else if (*body != '$') *at++ = *body;
        else if (k >= 0) at += sprintf(at, "_of_%c", 'a' + k);
    return at;
}

/* A function of the bodies of those numbers. */
static void namesakes_text(char *at, const int *which, int count, const char *type, int rows,
                           int columns, int are_apart)
{
    at = namesake_put(at, "func same(a: T[R, C], b: T[R, C], y: T[R, C]) {\nalloc t: T[R, C];\n"
                          "for (i$: R, j$: C) t[i$, j$] = b[i$, j$];\n"
                          "for (i$: R, j$: C) y[i$, j$] = a[i$, j$];\n",
                      type, rows, columns, are_apart ? NAMESAKES_MOST : -1);
    for (int k = 0; k < count; k++) {
        at = namesake_put(at, namesake_bodies[which[k]], type, rows, columns, are_apart ? k : -1);
        *at++ = '\n';
    }
    strcpy(at, "}\n");
}

static inline gen_case gen_namesakes(uint64_t seed)
{
    static const irl_scalar  types[] = { IRL_F32, IRL_F32, IRL_I32, IRL_U8 };
    static const char *const names[] = { "f32", "f32", "i32", "u8" };
    int      which[NAMESAKES_MOST];
    char     text[NAMESAKES_ROOM];
    gen_case made;
    gen      g;
    memset(&made, 0, sizeof made);
    memset(&g, 0, sizeof g);
    made.seed = seed;
    g.random = seed ^ UINT64_C(0x5a3e);
    const int type = gen_below(&g, 4), rows = 4 + gen_below(&g, 4), columns = 4 + gen_below(&g, 5);
    const int count = 2 + gen_below(&g, NAMESAKES_MOST - 1);
    for (int k = 0; k < count; k++) which[k] = gen_below(&g, NAMESAKE_BODIES);
    namesakes_text(text, which, count, names[type], rows, columns, 0);
    gen_put(&g, "%s", text);
    gen_case_param(&made, "a", types[type], 2, rows, columns);
    gen_case_param(&made, "b", types[type], 2, rows, columns);
    gen_case_param(&made, "y", types[type], 2, rows, columns);
    made.text = g.text;
    return made;
}

#endif
