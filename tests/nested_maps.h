/* nested_maps.h - random layouts of nested remainders, each in two texts that are one function: a
   digit of an axis is written as a / d % m, a % (d * m) / d, and so on; digits are scaled, added,
   reversed and put in any order. What each output takes in memory is known beforehand.

   needs     random64.h before it */
#ifndef IRL_TEST_NESTED_MAPS_H
#define IRL_TEST_NESTED_MAPS_H

#include <stdarg.h>

enum { NESTED_AXES = 3, NESTED_OUTPUTS = 10, NESTED_TEXT = 2048 };

typedef struct nested {
    irl_shape shape;
    char      text[2][NESTED_TEXT];
    int       outputs;
    int64_t   places[NESTED_OUTPUTS]; /* 0: the output is no digit, and takes its box */
} nested;

/* Digit a / d % m of an axis; m 0: the rest, a / d. */
typedef struct nested_digit {
    int axis, d, m;
} nested_digit;

static void nested_put(char *text, const char *format, ...)
{
    size_t  used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, NESTED_TEXT - used, format, list);
    va_end(list);
}

static int nested_log2(int n)
{
    int k = 0;
    while (n > 1 && n % 2 == 0) n /= 2, k++;
    return n == 1 ? k : -1;
}

/* One of the forms of a digit; `lets`: the map is not printed as C. */
static void nested_put_digit(char *t, nested_digit g, int lets)
{
    const char a = (char)('a' + g.axis);
    const int  d = g.d, m = g.m, more = 2 + random_below(3);
    int        inner = 1 + random_below(d), form = random_below(lets ? 14 : 12);
    while (d % inner) inner--;
    if (!m) nested_put(t, "%c/%d", a, d);
    else if (form == 0) nested_put(t, "%c%%%d/%d", a, d * m, d);
    else if (form == 1) nested_put(t, "%c%%%d/%d%%%d", a, d * m * more, d, m);
    else if (form == 2) nested_put(t, "%c%%%d%%%d/%d", a, d * m * more, d * m, d);
    else if (form == 3) nested_put(t, "%c/%d%%%d%%%d", a, d, m * more, m);
    else if (form == 4) nested_put(t, "%c%%%d/%d/%d", a, d * m, inner, d / inner);
    else if (form == 5) nested_put(t, "%c/%d%%%d/%d", a, inner, d / inner * m, d / inner);
    else if (form == 6)
        nested_put(t, "%c/%d%%%d/%d%%%d", a, inner, d / inner * m * more, d / inner, m);
    else if (form == 7) nested_put(t, "(%c*%d)%%%d/%d", a, more, d * m * more, d * more);
    else if (form == 8) nested_put(t, "(%d - (%d - %c/%d)%%%d)", m - 1, m - 1, a, d, m);
    else if (form == 9 && nested_log2(d) >= 0)
        nested_put(t, "(%c%%%d >> %d)", a, d * m, nested_log2(d));
    else if (form == 10 && nested_log2(d) >= 0 && nested_log2(m) >= 0)
        nested_put(t, "((%c >> %d) & %d)", a, nested_log2(d), m - 1);
    else if (form == 11 && nested_log2(d) >= 0 && nested_log2(m) >= 0)
        nested_put(t, "(%c & %d)/%d", a, (m - 1) * d, d);
    else if (form == 12) nested_put(t, "let(q = %c/%d, q%%%d)", a, d, m);
    else if (form == 13) nested_put(t, "let(q = %c%%%d, let(r = q/%d, r))", a, d * m, d);
    else nested_put(t, "%c/%d%%%d", a, d, m);
}

static void nested_put_scaled(char *t, nested_digit g, int by, int lets)
{
    const int form = random_below(3);
    if (by > 1 && form == 0) nested_put(t, "%d*(", by);
    nested_put(t, "(");
    if (by > 1 && form == 1 && g.m) nested_put(t, "%c/%d*%d%%%d", 'a' + g.axis, g.d, by, g.m * by);
    else nested_put_digit(t, g, lets);
    nested_put(t, by == 1 || (form == 1 && g.m) ? ")" : form == 0 ? "))" : ")*%d", by);
}

/* An output of one digit or of two, high * (places of low) + low; a factor and a mirror besides. */
static int64_t nested_put_output(nested *n, const nested_digit *g, int count)
{
    const int factor = random_below(6) == 0 ? 2 + random_below(2) : 1;
    const int low = (count > 1 ? g[1].m : 1) * factor;
    const int mirrored = factor == 1 && g[0].m && random_below(5) == 0;
    int       v;
    for (v = 0; v < 2; v++) {
        char     *t = n->text[v];
        const int low_first = random_below(2);
        if (n->outputs) nested_put(t, ", ");
        if (mirrored) nested_put(t, "%d - (", g[0].m * low - 1);
        if (count > 1 && low_first) nested_put_scaled(t, g[1], factor, v), nested_put(t, " + ");
        nested_put_scaled(t, g[0], low, v);
        if (count > 1 && !low_first) nested_put(t, " + "), nested_put_scaled(t, g[1], factor, v);
        if (mirrored) nested_put(t, ")");
    }
    return (int64_t)g[0].m * low;
}

static nested nested_map(int most_points)
{
    static const int moduli[] = { 2, 3, 4, 4, 5, 6, 8, 8 };
    nested       n;
    nested_digit list[NESTED_OUTPUTS];
    int          k, j, count = 0, rank = 1 + random_below(NESTED_AXES), points = 1;
    memset(&n, 0, sizeof n);
    n.shape.rank = rank;
    for (k = 0; k < rank; k++) {
        int d = 1, digits = 1 + random_below(rank == 1 ? 3 : 2), extent;
        for (j = 0; j < digits; j++, count++) {
            list[count].axis = k;
            list[count].d = d;
            list[count].m = moduli[random_below(8)];
            d *= list[count].m;
        }
        list[count].axis = k;
        list[count].d = d;
        list[count++].m = 0;
        extent = 1 + random_below(random_below(3) ? d : 3 * d);
        while (extent * points > most_points) extent = (extent + 1) / 2;
        points *= extent;
        n.shape.extent[k] = extent;
    }
    for (k = count; k-- > 1;) {
        nested_digit other = list[k];
        j = random_below(k + 1);
        list[k] = list[j];
        list[j] = other;
    }
    for (j = 0; j < 2; j++)
        nested_put(n.text[j], "%s", rank == 1   ? "(a) -> ("
                                    : rank == 2 ? "(a, b) -> ("
                                                : "(a, b, c) -> (");
    for (k = 0; k < count; n.outputs++) {
        const int both = k + 1 < count && list[k + 1].m && random_below(3) == 0;
        n.places[n.outputs] = nested_put_output(&n, &list[k], both ? 2 : 1);
        k += both ? 2 : 1;
    }
    for (j = 0; j < 2; j++) nested_put(n.text[j], ")");
    return n;
}

#endif
