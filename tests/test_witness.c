/* test_witness.c - the values that a message shows are read back from its text, and the interpreter
   evaluates the indices, guards and extents there: of dependences, races, bounds, declared regions
   and reads of what nothing has written. Random functions with names, choices and quotients by
   names. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "random64.h"
#include "test.h"

enum { NAMES = 4, LONG = 1000, SHORT = 100, CUT = 370 };
enum { CARRIED, RACE, BOUNDS, DECLARED, COVERED, KINDS };

static const char *const names[NAMES] = { "n", "m", "i", "j" }; /* i and j are loops */
static const char *const kinds[KINDS] = { "dependences", "races", "bounds", "regions", "holes" };
static int               seen[KINDS];
static int               is_plain; /* no name: a race is refused where it is one for all names */

/* ------------------------------------------------------------------ a random function */

/* What is longer is cut off, and drawn again. */
static void put(char *text, const char *format, const char *a, const char *b, const char *c)
{
    char s[LONG];
    if (snprintf(s, sizeof s, format, a, b, c) >= LONG) s[LONG - 1] = '\0';
    strcpy(text, s);
}

static void draw_index(char *text, int depth);

static void draw_divisor(char *text)
{
    static const char *const forms[] = { "n", "m", "(n - 3)", "(m - 2)", "(n + m)", "(4 - n)" };
    strcpy(text, is_plain ? "(i + 1)" : forms[random_below(6)]);
}

static void draw_condition(char *text, int depth)
{
    static const char *const ops[] = { "==", "!=", "<", ">=" };
    char                     a[LONG], b[LONG];
    if (!is_plain && random_below(2)) put(a, "%s%s%s", random_below(2) ? "n" : "m", "", "");
    else draw_index(a, depth - 1);
    put(b, "%s%s%s", random_below(3) ? "3" : random_below(2) ? "i" : "5", "", "");
    put(text, "%s %s %s", a, ops[random_below(4)], b);
}

static void draw_index(char *text, int depth)
{
    static const char *const leaves[] = { "i", "j", "i", "n", "m", "1", "2", "3", "8" };
    static const char *const two[] = { "(%s + %s)",       "(%s - %s)",       "(2 * %s + %s)",
                                       "(%s + 8 * %s)",   "min(%s, %s)",     "max(%s, %s)",
                                       "(%s ^ %s)",       "(%s & %s)",       "(%s / 2 + %s)",
                                       "(%s %% 3 + %s)" };
    char                     a[LONG], b[LONG], c[LONG];
    if (depth <= 0) {
        strcpy(text, leaves[random_below(9)]);
        if (is_plain && strchr("nm", *text)) strcpy(text, "j");
        return;
    }
    switch (random_below(5)) {
    case 0:
    case 1:
        draw_index(a, depth - 1), draw_index(b, depth - 1);
        put(text, two[random_below(10)], a, b, "");
        return;
    case 2: /* the divisor is no 0 where the quotient is computed */
        draw_divisor(c), draw_index(a, depth - 1), draw_index(b, depth - 2);
        put(text, random_below(2) ? "(%s != 0 ? %s / %s" : "(%s > 0 ? %s %% %s", c, a, c);
        put(a, "%s : %s)%s", text, b, "");
        strcpy(text, a);
        return;
    case 3:
        draw_condition(c, depth - 1), draw_index(a, depth - 1), draw_index(b, depth - 1);
        put(text, "(%s ? %s : %s)", c, a, b);
        return;
    default: draw_index(text, depth - 1);
    }
}

typedef struct drawn {
    char to[LONG], from[LONG], guard[LONG], text[8 * LONG];
    int  extent[2], is_named; /* is_named: the outer loop ends at n */
    int  kind, size;
} drawn;

static void draw(drawn *d, int kind)
{
    char loops[2 * LONG], outer[20];
    memset(d, 0, sizeof *d);
    d->kind = kind;
    is_plain = kind == RACE && random_below(4);
    do draw_index(d->to, 3);
    while (strlen(d->to) > SHORT);
    do draw_index(d->from, 2);
    while (strlen(d->from) > SHORT);
    do draw_condition(d->guard, 1);
    while (strlen(d->guard) > SHORT);
    if (random_below(2)) strcpy(d->guard, "i < 100");
    d->extent[0] = 4 + random_below(14);
    d->extent[1] = 1 + random_below(3);
    d->is_named = !is_plain && random_below(3) == 0;
    d->size = kind == BOUNDS ? 8 + random_below(30) : 500;
    snprintf(outer, sizeof outer, d->is_named ? "n" : "%d", d->extent[0]);
    snprintf(loops, sizeof loops, "for %s(i: %s) for (j: %d) if (%s)",
             kind == RACE ? "parallel " : "", outer, d->extent[1], d->guard);
    if (kind == COVERED)
        snprintf(d->text, sizeof d->text,
                 "func f(n: index, m: i64, y: i64[500, 500]) { alloc t: i64[500]; for (i: %s) t[i] "
                 "= 1; %s y[i, j] = t[%s]; }", outer, loops, d->from);
    else if (kind == DECLARED)
        snprintf(d->text, sizeof d->text,
                 "func f(n: index, m: i64, y: i64[500]) { %s block b() writes(y[%s: 4]) { "
                 "y[%s] = 1; } }", loops, d->from, d->to);
    else
        snprintf(d->text, sizeof d->text,
                 "func f(n: index, m: i64, y: i64[%d]) { %s y[%s] = %s%s%s; }", d->size, loops,
                 d->to, kind == BOUNDS ? "1" : "y[", kind == BOUNDS ? "" : d->from,
                 kind == BOUNDS ? "" : "]");
}

/* ------------------------------------------------------------------ what a message shows */

typedef struct shown {
    int     has[NAMES], count;
    int64_t value[NAMES];
} shown;

/* "i = 1, j = 2" from *at on; false where a name is none of the function's, or is there twice. */
static int read_values(const char **at, shown *s)
{
    for (;;) {
        int  k, used;
        long value;
        char name[40];
        if (sscanf(*at, "%39[^ =,] = %ld%n", name, &value, &used) != 2) return 0;
        for (k = 0; k < NAMES && strcmp(name, names[k]) != 0; k++) {}
        if (k == NAMES || s->has[k]) return 0;
        s->has[k] = 1;
        s->value[k] = value;
        s->count++;
        *at += used;
        if (strncmp(*at, ", ", 2) != 0 || !strstr(*at, " = ")) return 1;
        if (strchr("nmij", (*at)[2]) == NULL || strncmp(*at + 3, " = ", 3) != 0) return 1;
        *at += 2;
    }
}

/* Values of to, from and the guard; false where the interpreter finds none. */
static int evaluate(const drawn *d, const shown *s, int64_t *value)
{
    char      text[8 * LONG];
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f;
    int64_t   v[NAMES];
    int       k, ok;
    for (k = 0; k < NAMES; k++) v[k] = s->has[k] ? s->value[k] : 7; /* it does not matter */
    snprintf(text, sizeof text,
             "func p(n: index, m: i64, i: index, j: index, r: i64[3]) { r[2] = %s ? 1 : 0; if "
             "(r[2] != 0) { r[0] = i64(%s); r[1] = i64(%s); } }", d->guard,
             d->kind == COVERED ? "0" : d->to, d->kind == BOUNDS ? "0" : d->from);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    memset(value, 0, 3 * sizeof *value);
    ok = f && irl_func_interpret(f, IRL_ARGS(&v[0], &v[1], &v[2], &v[3], value));
    irl_ctx_destroy(cx);
    return ok && v[2] >= 0 && v[2] < (d->is_named ? v[0] : d->extent[0]) && v[3] >= 0 &&
           v[3] < d->extent[1] && value[2];
}

/* "A at i = 1, j = 0 and B at i = 2, j = 0 are one element where n = 3" */
static int is_meeting(const drawn *d, const char *text)
{
    const char *at = strstr(text, "] at i = "), *second = at ? strstr(at, "and y[") : NULL;
    const char *where = second ? strstr(second, " are one element") : NULL;
    shown       s[2], names_of;
    int64_t     value[2][3];
    int         k;
    memset(s, 0, sizeof s);
    memset(&names_of, 0, sizeof names_of);
    if (!where) return 0;
    at += 5;
    if (!read_values(&at, &s[0]) || strncmp(at, " and ", 5) != 0) return 0;
    at = strstr(second, "] at i = ");
    if (!at) return 0;
    at += 5;
    if (!read_values(&at, &s[1]) || at != where) return 0;
    where += strlen(" are one element");
    if (strncmp(where, " where ", 7) == 0 && (where += 7, !read_values(&where, &names_of)))
        return 0;
    if (names_of.has[2] || names_of.has[3] || s[0].count != 2 || s[1].count != 2) return 0;
    for (k = 0; k < 2; k++) {
        memcpy(s[k].has, names_of.has, 2 * sizeof *s[k].has);
        memcpy(s[k].value, names_of.value, 2 * sizeof *s[k].value);
        if (!evaluate(d, &s[k], value[k])) return 0;
    }
    return s[0].value[2] != s[1].value[2] &&
           (value[0][0] == value[1][0] || value[0][0] == value[1][1] ||
            value[0][1] == value[1][0]);
}

/* "... where n = 3, i = 1, j = 0" */
static int is_point(const drawn *d, const char *text, shown *s, int64_t *value)
{
    const char *at = strstr(text, " where ");
    memset(s, 0, sizeof *s);
    if (!at) return 0;
    at += 7;
    return read_values(&at, s) && s->has[2] && s->has[3] && evaluate(d, s, value);
}

static int is_true(const drawn *d, const char *text)
{
    const char *at;
    shown       s;
    int64_t     value[3];
    long        cell;
    switch (d->kind) {
    case CARRIED:
    case RACE: return is_meeting(d, text);
    case BOUNDS:
        if (!is_point(d, text, &s, value) || (value[0] >= 0 && value[0] < d->size)) return 0;
        at = strstr(text, "] = [");
        return !at || (sscanf(at, "] = [%ld]", &cell) == 1 && cell == value[0]);
    case DECLARED:
        at = strstr(text, " = [");
        return is_point(d, text, &s, value) && (value[0] < value[1] || value[0] >= value[1] + 4) &&
               (!at || (sscanf(at, " = [%ld]", &cell) == 1 && cell == value[0]));
    default: /* "t[...] at i = 1, j = 0 is read, but nothing has written it where n = 1" */
        memset(&s, 0, sizeof s);
        at = strstr(text, "] at i = ");
        if (!at || (at += 5, !read_values(&at, &s)) || strncmp(at, " is read", 8) != 0) return 0;
        at = strstr(at, " where ");
        if (at && (at += 7, !read_values(&at, &s))) return 0;
        return evaluate(d, &s, value) &&
               (value[1] < 0 || value[1] >= (d->is_named ? s.value[0] : d->extent[0]));
    }
}

/* ------------------------------------------------------------------ the questions */

static const char *asked(irl_ctx *cx, irl_func *f, int kind)
{
    const irl_flows *flows;
    irl_func        *g;
    int              k;
    switch (kind) {
    case CARRIED: return irl_func_carried(f, 0) ? irl_func_carried(f, 0)->text : "";
    case COVERED:
        flows = irl_func_flows(f);
        for (k = 0; flows && k < flows->read_count; k++)
            if (flows->reads[k].answer == IRL_NO) return flows->reads[k].text;
        return "";
    default:
        g = irl_func_run_pass(f, kind == RACE     ? "check_parallel"
                                 : kind == BOUNDS ? "check_bounds" : "check_blocks");
        return g ? irl_func_warnings(g) : irl_diag_text(cx);
    }
}

static void one(int number)
{
    static drawn d;
    irl_ctx     *cx = irl_ctx_create(NULL);
    draw(&d, number % KINDS);
    irl_func   *f = irl_func_parse(cx, d.text, IRL_TO_NUL, NULL);
    const char *text = f ? asked(cx, f, d.kind) : "";
    if (!CHECK(f != NULL)) printf("%s\n%s\n", d.text, irl_diag_text(cx));
    if (strstr(text, " are one element") || strstr(text, "nothing has written it") ||
        strstr(text, " where ")) {
        const char *end = strstr(text, " [data-race]");
        seen[d.kind]++;
        if (end && end - text > CUT) seen[d.kind]--; /* a long diagnostic is cut off */
        else if (!CHECK(is_true(&d, text))) printf("case %d:\n%s\n%s\n", number, d.text, text);
    }
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    int k, n = argc > 1 ? atoi(argv[1]) : TEST_COUNT(5000);
    if (argc > 2) random64_seed(argv[2]);
    for (k = 0; k < n; k++) one(k);
    for (k = 0; k < KINDS; k++) {
        printf("%s%d %s", k ? ", " : "", seen[k], kinds[k]);
        CHECK(seen[k] * 40 > n / KINDS);
    }
    printf(" shown\n");
    return TEST_DONE();
}
