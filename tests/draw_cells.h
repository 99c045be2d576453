/* draw_cells.h - drawn functions for steps that ask which cells a nest reaches: updates of cells
   that are quotients and rests by a name; layouts with cells that may hold anything, whose producer
   gets new loops; blocks over tiles, one block of which writes a copy. The interpreter compares
   each function with the one before.

   needs     schedule_data.h, random64.h, test.h */
#ifndef IRL_DRAW_CELLS_H
#define IRL_DRAW_CELLS_H

/* What became of drawn steps: of those that have to be carried out, and of others. */
typedef struct drawn_steps {
    int needed, others, refused;
} drawn_steps;

/* g is what a drawn step made of f, which has this text; NULL: the step was refused, which it may
   not be where it is needed. What it made computes what f does. */
static void judge_drawn(irl_ctx *cx, const irl_func *f, const irl_func *g, const char *text,
                        int is_needed, drawn_steps *n)
{
    if (!CHECK(g || !is_needed)) printf("%s\n%s\n", text, irl_diag_text(cx));
    if (g && !CHECK(schedule_same(f, g, 1) == SAME)) printf("%s\n", text);
    n->needed += g && is_needed;
    n->others += g && !is_needed;
    n->refused += !g;
}

/* The update does not commute, so that a wrong order is seen. *is_apart: no two iterations of q
   touch the same cell. */
static void draw_digits(char *text, size_t room, int *is_apart)
{
    static const char *const rows[] = { "q / n", "q / n", "q / n", "8 - q / n", "q / n / 2" };
    static const char *const columns[] = { "q % n", "q % n", "n - 1 - q % n", "(q + k) % n", "0" };
    static const char *const before[] = { "", "", "if (n > 2) ", "if (q > 5) ",
                                          "if (q % n > 3) " };
    const int   row = random_below(5), column = random_below(5);
    const char *read = random_below(4) ? columns[column] : "0";
    const char *condition = before[random_below(5)];
    *is_apart = row < 4 && column < 3 && *read != '0';
    if (random_below(2))
        snprintf(text, room, "func f(n: index, x: i32[3], y: i32[9, n]) { for (q: n * 9, k: 3) "
                             "%sblock b(u: spatial(9) = %s, v: spatial(n) = %s, r: reduce(3) = k) "
                             "{ y[u, v] = y[u, %s] * 3 + x[r]; } }",
                 condition, rows[row], columns[column], *read == '0' ? "0" : "v");
    else
        snprintf(text, room, "func f(n: index, x: i32[3], y: i32[9, n]) { for (q: n * 9, k: 3) "
                             "%sy[%s, %s] = y[%s, %s] * 3 + x[k]; }",
                 condition, rows[row], columns[column], rows[row], read);
}

static void check_digits_drawn(void)
{
    drawn_steps n = { 0, 0, 0 };
    int         k, count = TEST_COUNT(200);
    for (k = 0; k < count; k++) {
        char      text[400];
        int       is_apart;
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        draw_digits(text, sizeof text, &is_apart);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) printf("%s\n", text);
        g = irl_schedule_parse(f, "{ reorder(k, q); }", IRL_TO_NUL, NULL);
        judge_drawn(cx, f, g, text, is_apart, &n);
        irl_ctx_destroy(cx);
    }
    printf("%d drawn updates at digits by a name: %d apart, %d others in another order, %d "
           "refused\n", count, n.needed, n.others, n.refused);
    CHECK(count < 100 || (n.needed * 5 > count && n.refused * 5 > count));
}

static void check_loops_drawn(void)
{
    static const char *const makers[] = {
        "p: for (i: %d) t[i] = x[i] * 2; ",
        "for (i: %d) block p(v: spatial(%d) = i) { t[v] = x[v] - i32(v); } ",
        "p: for (i: %d) { let c = x[i] + 1; t[i] = c * c; } ",
        "p: for (i: %d) t[%d - 1 - i] = x[i] + i32(i); ",
    };
    static const char *const maps[] = { "(i) -> (i / %d, i %% %d)", "(i) -> (i %% %d, i / %d)",
                                        "(i) -> ((i + 1) / %d, (i + 1) %% %d)" };
    drawn_steps n = { 0, 0, 0 };
    int         k, count = TEST_COUNT(200), spare = 0;
    for (k = 0; k < count; k++) {
        const int size = 5 + random_below(20), by = 2 + random_below(5);
        char      text[400], step[80];
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        sprintf(text, k % 2 ? "func f(x: i32[%d], y: i32[%d], t: i32[%d]) { "
                            : "func f(x: i32[%d], y: i32[%d]) { alloc t: i32[%d]; ",
                size, size, size);
        sprintf(text + strlen(text), makers[random_below(4)], size, size);
        sprintf(text + strlen(text), "for (i: %d) y[i] = t[i] + 1; }", size);
        sprintf(step, maps[random_below(3)], by, by);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) printf("%s\n", text);
        g = irl_schedule_do(f, "(a, b) = transform_layout(p, t, %s, pad = \"any\")", step);
        judge_drawn(cx, f, g, text, 1, &n);
        spare += size % by != 0;
        irl_ctx_destroy(cx);
    }
    printf("%d drawn producers with loops over memory, %d of them over unused cells\n", count,
           spare);
    CHECK(n.needed == count && (count < 100 || spare * 2 > count));
}

/* A block over tiles; *is_tile: the inner block writes all of its tile, and reads none of it. */
static void draw_tiles(char *text, size_t room, int *is_tile)
{
    static const char *const wheres[] = { "", "", "", "where(x < 3) " };
    static const char *const cells[] = { "q, x", "q, x", "q, 3 - x", "q, x / 2", "x, q" };
    static const char *const reads[] = { "", "", "A[q, v] + ", "A[0, 0] + " };
    static const char *const sums[] = {
        "for (x: 4) block a(v: spatial(4) = x) %s{ A[%s] = %sB[q, v]; }",
        "for (x: 4) block a(u: spatial(4) = q, v: spatial(4) = x) %s{ A[%s] = %sB[u, v] * 2; }",
        "for (x: 4, k: 3) block a(v: spatial(4) = x, r: reduce(3) = k) %s{ init { A[q, v] = 1; } "
        "A[q, v] = A[q, v] * 2 + B[q, r]; }",
    };
    const int sum = random_below(3), where = random_below(4), read = random_below(4);
    const int cell = random_below(5);
    int       n;
    char      to[16];
    snprintf(to, sizeof to, "%s", cells[cell]);
    for (n = 0; to[n]; n++)
        if (to[n] == 'x') to[n] = 'v';
    *is_tile = where < 3 && (sum == 2 || (cell < 2 && read < 2));
    n = snprintf(text, room, "func f(B: i32[4, 4], C: i32[4, 4], D: i32[4, 4]%s for (g: 4) block o("
                             "q: spatial(4) = g) { ",
                 random_below(2) ? ", A: i32[4, 4]) {"
                                 : ") { alloc A: i32[4, 4]; for (j: 16) A[j / 4, j % 4] = 7;");
    n += snprintf(text + n, room - (size_t)n, sums[sum], wheres[where], to, reads[read]);
    snprintf(text + n, room - (size_t)n,
             " for (x: 4) block b(v: spatial(4) = x) { C[q, v] = A[q, 3 - v] - 1; } } "
             "for (i: 16) D[i / 4, i %% 4] = A[i / 4, i %% 4]; }");
}

static void check_tiles_drawn(void)
{
    drawn_steps n = { 0, 0, 0 };
    int         k, count = TEST_COUNT(300);
    for (k = 0; k < count; k++) {
        char      text[800];
        int       is_tile;
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        draw_tiles(text, sizeof text, &is_tile);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        if (!CHECK_OK(cx)) printf("%s\n", text);
        g = irl_schedule_do(f, "cache_write(a, A, %s%s)", random_below(2) ? "local" : "global",
                            random_below(4) ? "" : ", b");
        judge_drawn(cx, f, g, text, is_tile, &n);
        irl_ctx_destroy(cx);
    }
    printf("%d drawn blocks over tiles: %d copy a tile back, %d others, %d refused\n", count,
           n.needed, n.others, n.refused);
    CHECK(count < 100 || (n.needed * 5 > count && n.refused * 10 > count));
}

#endif
