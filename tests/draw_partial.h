/* draw_partial.h - drawn reductions, and steps that sum them in parts: rfactor and bind after
   splits that do not divide, in bound loops, under conditions of loops, work-items and memory;
   drawn selections of the least or greatest element, most of which has equal ones; and drawn
   windows that move by divided indices, for rolling_buffer. The interpreter compares each
   function with the one before.

   needs     schedule_data.h, random64.h, test.h */
#ifndef IRL_DRAW_PARTIAL_H
#define IRL_DRAW_PARTIAL_H

enum { PARTIAL_LOOPS = 32 };

typedef struct partial_loops {
    int  count;
    char name[PARTIAL_LOOPS][16];
} partial_loops;

static const char *partial_loop(const partial_loops *l)
{
    return l->name[random_below(l->count)];
}

/* What the block does under what conditions; `is_around`: a condition is around its loops. */
static void draw_partial(char *text, size_t room, int *is_around, int *is_pick)
{
    static const char *const heads[] = { "", "", "bind(group.x) ", "bind(group.x) ",
                                         "bind(global.x) ", "bind(local.y) " };
    static const char *const before[] = { "", "", "y[g] = 3; ", "let c = g * 2; y[g] = i32(c); " };
    static const char *const around[] = { "", "", "if (g < 3) ", "if (g * 2 < m[5]) ",
                                          "if (g == 1 || g == 2) " };
    static const char *const wheres[] = { "", "", "where(g < 1) ", "where(n < 9) ",
                                          "where(g < 3 && n < 11) ", "where(m[0] < 50) " };
    static const char *const guards[] = { "", "", "if (m[r] < 50) ", "if (r < 7) ",
                                          "if (r % 3 != v) ", "if (m[v] > 10) if (r != 2) " };
    static const char *const values[] = {
        "y[v] = y[v] + x[v, r];", "y[v] = y[v] + x[v, r] * m[r];", "y[v] = x[v, r] ^ y[v];",
        "y[v] = max(y[v], x[v, r]);", "y[v] = min(y[v], x[v, r]);", "y[v] = y[v] | x[v, r];",
        "y[v] = y[v] * x[v, r];",
        /* the place of the least and of the greatest, with equal ones */
        "{ let e = x[v, r] % 4; if (e < y[v]) { y[v] = e; p[v] = i32(r); } }",
        "if (y[v] < x[v, r] % 3) { p[v] = m[r]; y[v] = x[v, r] % 3; }",
        "if (x[v, r] > y[v]) { p[v] = i32(r) * 2; y[v] = x[v, r]; }",
        "{ let a: i32 = select(y[v] <= x[v, r] % 5, p[v], i32(r)); let b: i32 = "
        "select(y[v] <= x[v, r] % 5, y[v], x[v, r] % 5); y[v] = b; p[v] = a; }",
        "{ let e = x[v, r] % 3; let b: i32 = select(e > y[v], e, y[v]); let a: i32 = "
        "select(e > y[v], m[r], p[v]); p[v] = a; y[v] = b; }",
    };
    const int extent = 5 + random_below(20), a = random_below(5), value = random_below(12);
    *is_around = a > 1;
    *is_pick = value > 6;
    snprintf(text, room, "func f(x: i32[4, 32], m: i32[32], y: i32[4], p: i32[4]) { for %s(g: 4) "
                         "{ %s%s{ for (n: %d) block s(v: spatial(4) = g, r: reduce(%d) = n) %s{ "
                         "init { y[v] = %d; %s} %s%s } } } }",
             heads[random_below(6)], before[random_below(4)], around[a], extent, extent,
             wheres[random_below(6)], random_below(4), *is_pick ? "p[v] = -1; " : "",
             guards[random_below(6)], values[value]);
}

/* The least or greatest element and its place, or what else is stored with it. Few values occur, so
   most elements have equal ones; floats are NaN, infinite, 0 and -0, and z tells -0 from 0. */
static void draw_pick(char *text, size_t room)
{
    static const char *const types[] = { "i32", "i32", "f32", "f16" };
    static const char *const elements[][4] = {
        { "x[v, r] % 3", "x[v, r] / 4", "x[v, r] % 2 * m[r]", "x[v, r]" },
        { "trunc(x[v, r] * 2)", "x[v, r] / max(x[v, r], 0)", "-abs(trunc(x[v, r]))",
          "trunc(x[v, r]) / x[v, r]" },
    };
    static const char *const begins[] = { "2", "0", "100", "-100", "1" };
    static const char *const places[] = {
        "i32(r)", "i32(r)", "20 - i32(r)", "i32(r) * 3 + i32(v)", "i32(i8(r))", "i32(r * 2 + g)",
        "i32(u8(r * 40))", "i32(r / 2)", "m[r]", "i32(r % 5)", "m[3] + i32(r)", "7",
    };
    static const char *const heads[] = { "", "", "bind(group.x) ", "bind(global.x) ",
                                         "parallel " };
    static const char *const wheres[] = { "", "", "", "where(n < 3)", "where(n * %d + q < 9)" };
    static const char *const guards[] = { "", "", "", "if (r < 7) ", "if (m[r] < 6) ",
                                          "if (r % 3 != v) " };
    static const char *const ops[] = { "<", ">", "<=", ">=" };
    static const char *const turned[] = { ">", "<", ">=", "<=" };
    static const char *const forms[] = {
        "if (E < y[v]) { y[v] = E; p[v] = P; w[v] = W; }",
        "if (y[v] T E) { w[v] = W; p[v] = P; y[v] = E; }",
        "{ let e = E; let b = y[v]; if (e < b) { p[v] = P; y[v] = e; w[v] = W; } }",
        "{ let b = select(E < y[v], E, y[v]); let a = select(E < y[v], P, p[v]); let c = "
        "select(E < y[v], W, w[v]); y[v] = b; p[v] = a; w[v] = c; }",
        "{ let e = E; let c = select(y[v] < e, w[v], W); let b = select(y[v] < e, y[v], e); "
        "let a = select(y[v] < e, p[v], P); y[v] = b; p[v] = a; w[v] = c; }",
        "if (E < y[v] || E == y[v] && P > p[v]) { y[v] = E; p[v] = P; w[v] = W; }",
    };
    const int   type = random_below(4), op = random_below(6) % 4, outer = 2 + random_below(6);
    const int   inner = 1 + random_below(4), is_steep = random_below(6) != 0;
    const char *t = types[type], *e = elements[type > 1][random_below(4)];
    const char *place = places[random_below(12)], *other = places[random_below(12)];
    const char *form = forms[random_below(6)];
    char        where[40], binding[40], body[600];
    size_t      n = 0;
    snprintf(where, sizeof where, wheres[random_below(5)], inner);
    snprintf(binding, sizeof binding, is_steep ? "n * %d + q" : "q * %d + n",
             is_steep ? inner : outer);
    for (; *form; form++) {
        const char one[2] = { *form, '\0' };
        n += (size_t)snprintf(body + n, sizeof body - n, "%s",
                              *form == 'E'   ? e
                              : *form == 'P' ? place
                              : *form == 'W' ? other
                              : *form == 'T' ? turned[op]
                              : *form == '<' ? ops[op] : one);
    }
    snprintf(text, room, "func f(x: %s[4, 32], m: i32[32], y: %s[4], p: i32[4], w: i32[4], z: "
                         "%s[4]) { for %s(g: 4) { for (n: %d, q: %d) block s(v: spatial(4) = g, "
                         "r: reduce(%d) = %s) %s{ init { y[v] = %s; p[v] = -%d; w[v] = 3; } %s%s "
                         "} } for (k: 4) z[k] = %sy[k]; }",
             t, t, t, heads[random_below(5)], outer, inner, outer * inner, binding, where,
             begins[random_below(5)], 1 + random_below(9), guards[random_below(6)], body,
             type > 1 ? "1 / " : "");
}

/* The name of a primitive. */
static const char *draw_partial_step(partial_loops *l, int k, char *step, size_t room)
{
    const char *loop = partial_loop(l);
    int         way = random_below(7);
    if (way < 3 && l->count + 4 <= PARTIAL_LOOPS) {
        snprintf(step, room, "{ (a%d, b%d) = split(%s, %d); }", k, k, loop, 2 + random_below(5));
        sprintf(l->name[l->count++], "a%d", k);
        sprintf(l->name[l->count++], "b%d", k);
        sprintf(l->name[l->count++], "s.b%d", k);
        sprintf(l->name[l->count++], "s.a%d", k);
        return "split";
    }
    if (way < 6) {
        snprintf(step, room, "{ rfactor(%s, %d); }", loop, random_below(3) - 1);
        return "rfactor";
    }
    snprintf(step, room, "{ bind(%s, local.x); }", loop);
    return "bind";
}

/* A block without an init, of which conditions in its body decide which cells it updates. */
static void draw_guarded(char *text, size_t room)
{
    static const char *const cells[] = { "vi", "vi", "vi / 2", "vi % 5", "vi + v", "vi * 2 + v" };
    static const char *const guards[] = {
        "v * 3 + r < 3", "v == 1", "v < 1", "vi % 2 == 0", "vi < 5", "vi + r < 5", "r <= vi",
        "vi + v < 6", "m[vi] < 50", "v <= r", "vi * 2 + v < 8", "m[r] < 50",
    };
    static const char *const values[] = { "%s + x[vi, r + v]", "%s ^ x[vi, r]", "%s * x[v, r]" };
    const char *cell = cells[random_below(6)];
    char        at[32], value[80];
    const int   second = random_below(12);
    snprintf(at, sizeof at, "y[%s]", cell);
    snprintf(value, sizeof value, values[random_below(3)], at);
    snprintf(text, room, "func f(x: i32[8, 8], m: i32[8], y: i32[%d]) { for (i: 8) { for (o: 2, q: "
                         "3) block s(vi: spatial(8) = i, v: spatial(2) = o, r: reduce(3) = q) "
                         "{ if (%s)%s%s%s %s = %s; } } }",
             8 + 8 * random_below(2), guards[random_below(12)], second < 6 ? " if (" : "",
             second < 6 ? guards[random_below(12)] : "", second < 6 ? ")" : "", at, value);
}

/* These in parts: partial results begin, and are summed, without the conditions. */
static void check_partial_guarded(void)
{
    static const char *const steps[] = {
        "{ rfactor(s.q, 0); }", "{ rfactor(s.o, 0); }", "{ bind(s.q, local.x); }",
        "{ bind(s.o, local.x); }", "{ blockize(s.o); rfactor(s.q, 0); }",
        "{ split(s.q, 2); rfactor(s.q_inner, 0); }",
    };
    int k, count = TEST_COUNT(600), parts = 0, refused = 0, same;
    for (k = 0; k < count; k++) {
        char      text[500];
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        draw_guarded(text, sizeof text);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) printf("%s\n", text);
        g = f ? irl_schedule_parse(f, steps[random_below(6)], IRL_TO_NUL, NULL) : NULL;
        same = g ? schedule_same(f, g, 0) : NOT_RUN;
        if (!CHECK(same != DIFFERENT)) printf("%s\n", text);
        parts += same == SAME;
        refused += !g;
        irl_ctx_destroy(cx);
    }
    printf("%d blocks with conditions that keep cells apart: %d in parts, %d refused\n", count,
           parts, refused);
    CHECK(count < 100 || (parts * 4 > count));
}

static void check_partial_drawn(void)
{
    int k, j, count = TEST_COUNT(1200), parts = 0, twice = 0, inside = 0, groups = 0, under = 0;
    int picks = 0, ties = 0;
    for (k = 0; k < count; k++) {
        char          text[2000], step[120], done[1200] = "";
        const int     is_drawn_pick = k % 2;
        partial_loops loops = { 1 + is_drawn_pick, { "s.n", "s.q" } };
        int           is_around = 0, is_pick = 1, rfactors = 0;
        irl_ctx      *cx = irl_ctx_create(NULL);
        irl_func     *f, *g;
        if (is_drawn_pick) draw_pick(text, sizeof text);
        else draw_partial(text, sizeof text, &is_around, &is_pick);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) printf("%s\n", text);
        for (j = 0; f && j < 8; j++) {
            const char    *what = draw_partial_step(&loops, j, step, sizeof step);
            const irl_mark mark = irl_ctx_mark(cx);
            const int      is_bound = strstr(irl_func_text(f), "bind(") != NULL;
            const int      has_tie = strstr(irl_func_text(f), "||") != NULL;
            int            same;
            g = irl_schedule_parse(f, step, IRL_TO_NUL, NULL);
            if (!g) {
                irl_ctx_rewind(cx, mark);
                continue;
            }
            strcat(done, step);
            same = schedule_same(f, g, 0);
            if (!CHECK(same != DIFFERENT)) printf("%s\n%s\n", text, done);
            ties += same == SAME && !has_tie && strstr(irl_func_text(g), "||") != NULL;
            f = g;
            if (same != SAME) continue;
            if (strcmp(what, "rfactor") == 0) {
                parts++;
                twice += rfactors++ > 0;
                inside += is_bound;
                picks += is_pick;
            }
            if (strcmp(what, "bind") == 0) {
                groups++;
                under += is_around;
            }
        }
        irl_ctx_destroy(cx);
    }
    printf("%d drawn reductions: %d times in parts, %d of them again, %d in bound loops, %d of "
           "picks, %d by their places; %d by a group, %d of them under a condition\n", count, parts,
           twice, inside, picks, ties, groups, under);
    CHECK(count < 100 ||
          (parts * 2 > count && twice * 20 > count && inside * 5 > count && groups * 40 > count &&
           under * 200 > count && picks * 5 > count && ties * 20 > count));
}

/* A producer, and a consumer that reads windows of it, which begin at a / b of its loop. */
static void draw_window(char *text, size_t room, int *is_divided)
{
    static const char *const heads[] = { "j: 24", "j: 3 .. 20", "j: 17" };
    static const char *const makers[] = {
        "for (i: 80) t[i] = x[i] * 3 + x[i + 1]; ",
        "for (i: 80, k: 3) block t(v: spatial(80) = i, r: reduce(3) = k) { init { t[v] = 1; } "
        "t[v] = t[v] + x[v + r]; } ",
        "for (i: 80) block t(v: spatial(80) = i) { t[v] = x[v] * i32(v); } ",
    };
    char      at[64], sum[200] = "";
    const int by = 1 + random_below(3), over = 1 + random_below(4), reads = 2 + random_below(2);
    int       k;
    *is_divided = over > 1;
    if (over > 1) sprintf(at, "(j * %d + %d) / %d", by, random_below(3), over);
    else sprintf(at, "j * %d", by == 3 ? 1 : by);
    for (k = 0; k < reads; k++)
        sprintf(sum + strlen(sum), "%st[%s + %d]", k ? " + " : "", at,
                k ? random_below(4) : 0);
    snprintf(text, room, "func f(x: i32[90], y: i32[24]) { alloc t: i32[80]; %sfor (%s) y[j] = "
                         "%s; }", makers[random_below(3)], heads[random_below(3)], sum);
}

static void check_windows_drawn(void)
{
    int k, count = TEST_COUNT(400), rolled = 0, divided = 0, asked = 0;
    for (k = 0; k < count; k++) {
        char      text[1000];
        int       is_divided, same;
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        draw_window(text, sizeof text, &is_divided);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) printf("%s\n", text);
        asked += is_divided;
        g = irl_schedule_parse(f, "{ compute_at(t, y.j); rolling_buffer(t, j); }", IRL_TO_NUL,
                               NULL);
        if (g) {
            same = schedule_same(f, g, 1);
            if (!CHECK(same == SAME)) printf("%s\n", text);
            rolled++;
            divided += is_divided;
        } else if (irl_diag_of(cx)->code != IRL_ERROR_UNKNOWN_NAME) /* t has lost its loop */
            CHECK_CODE(cx, IRL_ERROR_ILLEGAL_STEP);
        irl_ctx_destroy(cx);
    }
    printf("%d of %d drawn windows roll, %d of %d with divided indices\n", rolled, count, divided,
           asked);
    CHECK(count < 100 || (rolled * 3 > count && divided * 3 > asked));
}

#endif
