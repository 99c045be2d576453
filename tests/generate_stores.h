/* generate_stores.h - loops as a newcomer writes them: values that have names, conditions around
   stores with an else and without, sums over windows that a condition keeps inside of memory.

   needs     random64.h, stdio.h, string.h, stdarg.h
   promises  the text of a function f of x, w, m, y, z; what it reads out of bounds, or undefined,
             stands behind a condition more often than not. Names of its nests are y, y_1, z ... */
#ifndef IRL_GENERATE_STORES_H
#define IRL_GENERATE_STORES_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct stores {
    char        text[4096];
    size_t      length;
    const char *type, *column; /* of the buffers; the variable that counts columns */
    int         rows, columns, lets;
} stores;

static void stores_put(stores *q, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    q->length += (size_t)vsnprintf(q->text + q->length, sizeof q->text - q->length, format, list);
    va_end(list);
}

static int stores_is_float(const stores *q) { return q->type[0] == 'f'; }

/* An element or number; `deep`: or several. */
static void stores_value(stores *q, int deep)
{
    static const char *const joins[] = { "+", "-", "*" };
    const char *j = q->column;
    switch (random_below(deep ? 12 : 8)) {
    case 0: case 1: stores_put(q, "x[i, %s]", j); break;
    case 2: stores_put(q, "w[%s]", j); break;
    case 3: stores_put(q, "%s(%d)", q->type, random_below(4)); break;
    case 4: stores_put(q, random_below(3) ? "x[i, %s]" : "y[i, %s]", j); break;
    case 5: stores_put(q, random_below(3) ? "w[%s]" : "z[i]", j); break;
    case 6: case 7:
        if (q->lets) stores_put(q, "v%d", random_below(q->lets));
        else stores_put(q, "%s(i)", q->type);
        break;
    case 8:
        stores_put(q, "max("), stores_value(q, 0), stores_put(q, ", "), stores_value(q, 0);
        stores_put(q, ")");
        break;
    default:
        stores_put(q, "(");
        stores_value(q, deep - 1);
        stores_put(q, " %s ", joins[random_below(3)]);
        stores_value(q, deep - 1);
        stores_put(q, ")");
        break;
    }
}

static void stores_condition(stores *q)
{
    const char *j = q->column;
    switch (random_below(12)) {
    case 10: stores_put(q, "y[i, %s] > %s(1)", j, q->type); break;
    case 11: stores_put(q, "z[i] < %s(%d)", q->type, 1 + random_below(4)); break;
    case 0: stores_put(q, "i >= %d", random_below(4)); break;
    case 1: stores_put(q, "%s >= 1 && %s < %d", j, j, q->columns - random_below(3)); break;
    case 2: stores_put(q, "i + %s < %d", j, q->rows); break;
    case 3: stores_put(q, "%s <= i", j); break;
    case 4: stores_put(q, "m[i] > %d", random_below(6)); break;
    case 5: stores_put(q, "i > 0 && 12 / i > 1"); break;
    case 6: stores_put(q, "%s %% 3 == %d || i < 2", j, random_below(3)); break;
    default:
        stores_value(q, 0);
        stores_put(q, " > "), stores_value(q, 0);
        break;
    }
}

/* Names of values: some of what is written behind them. */
static void stores_lets(stores *q)
{
    int n;
    for (n = random_below(3); n > 0; n--) {
        stores_put(q, "let v%d = ", q->lets);
        if (random_below(3)) stores_value(q, 2);
        else stores_put(q, random_below(2) ? "y[i, %s]" : "z[i]", q->column);
        stores_put(q, ";\n");
        q->lets++;
    }
}

static void stores_update(stores *q, const char *cell)
{
    static const char *const ops[] = { "+", "-", "*", "&", "|", "^" };
    if (random_below(4) == 0) {
        stores_put(q, "%s = %s(%s, ", cell, random_below(2) ? "max" : "min", cell);
        stores_value(q, 1);
        stores_put(q, ");\n");
        return;
    }
    stores_put(q, "%s %s= ", cell, ops[random_below(stores_is_float(q) ? 3 : 6)]);
    stores_value(q, 1);
    stores_put(q, ";\n");
}

static void stores_begin(stores *q, const char *cell)
{
    static const char *const inits[] = { "0", "0", "0", "1", "7" };
    if (random_below(8) == 0) return;
    stores_put(q, "%s = ", cell);
    if (random_below(5)) stores_put(q, "%s(%s)", q->type, inits[random_below(5)]);
    else stores_value(q, 1);
    stores_put(q, ";\n");
}

static void stores_if(stores *q)
{
    stores_put(q, "if (");
    stores_condition(q);
    stores_put(q, ") ");
}

/* Of one cell: a choice, a store and another one behind a condition, or that alone. */
static void stores_elements(stores *q)
{
    static const char cell[] = "y[i, j]";
    const int         form = random_below(4);
    stores_put(q, "for (i: %d, j: %d) {\n", q->rows, q->columns);
    q->column = "j";
    stores_lets(q);
    if (form < 2) stores_begin(q, cell);
    stores_if(q);
    if (random_below(3) == 0) stores_update(q, cell);
    else stores_put(q, "%s = ", cell), stores_value(q, 2), stores_put(q, ";\n");
    if (form >= 2 && random_below(4)) {
        stores_put(q, "else %s = ", cell), stores_value(q, 2), stores_put(q, ";\n");
    }
    if (random_below(8) == 0) stores_update(q, cell);
    stores_put(q, "}\n");
}

/* Of a row. */
static void stores_sums(stores *q)
{
    stores_put(q, "for (i: %d) {\n", q->rows);
    q->column = "0";
    if (random_below(2)) stores_lets(q);
    stores_begin(q, "z[i]");
    if (random_below(4) == 0) stores_lets(q);
    q->column = "k";
    if (random_below(4) == 0) stores_put(q, "if (m[i] > %d) ", random_below(7));
    stores_put(q, "for (k: %d) {\n", q->columns);
    if (random_below(2)) stores_lets(q);
    if (random_below(5)) stores_if(q);
    stores_update(q, "z[i]");
    stores_put(q, "}\n}\n");
}

/* Of a window around each element, of which a part lies outside. */
static void stores_windows(stores *q)
{
    const int   is_one = random_below(2), has_lets = random_below(2);
    const char *x = has_lets ? "x[a, b]" : "x[i + r - 1, j + s - 1]";
    stores_put(q, "for (i: %d, j: %d) {\n", q->rows, q->columns);
    q->column = "j";
    stores_begin(q, "y[i, j]");
    stores_put(q, "for (r: 3) {\n");
    stores_put(q, has_lets ? "let a = i + r - 1;\n" : "");
    if (!is_one)
        stores_put(q, has_lets ? "if (a >= 0 && a < %d)\n" : "if (i + r >= 1 && i + r < %d)\n",
                   q->rows + !has_lets);
    stores_put(q, "for (s: 3) {\n");
    stores_put(q, has_lets ? "let b = j + s - 1;\n" : "");
    stores_put(q, "if (");
    if (is_one)
        stores_put(q, has_lets ? "a >= 0 && a < %d && " : "i + r >= 1 && i + r < %d && ",
                   q->rows + !has_lets);
    stores_put(q, has_lets ? "b >= 0 && b < %d)\n" : "j + s >= 1 && j + s < %d)\n",
               q->columns + !has_lets);
    if (random_below(4)) stores_put(q, "y[i, j] += %s * w[s];\n", x);
    else stores_put(q, "y[i, j] = max(y[i, j], %s);\n", x);
    stores_put(q, "}\n}\n}\n");
}

/* What sums begin with in one nest, and what is added in another one, in an order of its own. */
static void stores_apart(stores *q)
{
    static const char *const orders[] = { "i: %d, j: %d, k: %d", "i: %d, k: %d, j: %d",
                                          "k: %d, i: %d, j: %d" };
    const int                order = random_below(3), k = 2 + random_below(6);
    const int                i = q->rows, j = q->columns;
    if (random_below(3)) stores_put(q, "for (i: %d, j: %d)\n", random_below(9) ? i : i - 1, j);
    else stores_put(q, "for (j: %d, i: %d)\n", j, i);
    stores_put(q, "y[i, j] = %s(%d);\nfor (", q->type, random_below(3));
    stores_put(q, orders[order], order == 2 ? k : i, order == 0 ? j : order == 1 ? k : i,
               order == 0 ? k : j);
    stores_put(q, ")\n");
    q->column = "j";
    if (random_below(3) == 0) stores_if(q);
    if (random_below(3)) stores_put(q, "y[i, j] += x[i, (j + k) %% %d] * w[j];\n", j);
    else stores_update(q, "y[i, j]");
}

/* A sum in a variable of its own, or where it is stored, and what is made of it. */
static void stores_variables(stores *q)
{
    const int   is_own = random_below(2), k = random_below(2) ? 1 + random_below(9) : 150;
    const char *cell = is_own ? "s[0]" : "y[i, j]";
    stores_put(q, "for (i: %d, j: %d) {\n", q->rows, q->columns);
    q->column = "j";
    if (random_below(3) == 0) stores_lets(q);
    if (is_own) stores_put(q, "alloc s: %s[1]%s;\n", q->type,
                           random_below(2) ? " scope(local)" : "");
    stores_put(q, "%s = %s(%d);\n", cell, q->type, random_below(3));
    stores_put(q, "for (k: %d)\n", k);
    if (random_below(3) == 0) stores_if(q);
    if (random_below(4) == 0) /* of what other iterations write */
        stores_put(q, "%s += y[(i + 1) %% %d, j];\n", cell, q->rows);
    else if (random_below(3))
        stores_put(q, "%s += x[i, (j + k) %% %d] * w[j];\n", cell, q->columns);
    else stores_update(q, cell);
    if (is_own || random_below(3)) {
        stores_put(q, "y[i, j] = max(%s, ", cell);
        stores_value(q, 1);
        stores_put(q, ");\n");
    }
    if (random_below(4) == 0) stores_put(q, "z[%s] = y[i, j];\n", random_below(2) ? "i" : "0");
    stores_put(q, "}\n");
}

/* Elements of neighbours, of which the last ones stand for those past the ends. */
static void stores_clamps(stores *q)
{
    const int i = q->rows - 1, j = q->columns - 1;
    stores_put(q, "for (i: %d, j: %d)\ny[i, j] = ", q->rows, q->columns);
    if (random_below(2))
        stores_put(q, "max(r: 3, s: 3, x[min(max(i + r - 1, 0), %d), "
                   "min(max(j + s - 1, 0), %d)]);\n", i, j);
    else
        stores_put(q, "x[max(i - 1, 0), j] + x[i, min(j + %d, %d)];\n", 1 + random_below(2), j);
}

/* A comparison of `name`, which runs through low .. low + extent - 1, near its ends and far away,
   either way round, with a number added or without. */
static void stores_bound(stores *q, const char *name, int low, int extent)
{
    static const char *const ops[] = { "<", "<=", ">", ">=", "!=", "==" };
    static const char *const ends[] = { "9223372036854775807", "-9223372036854775807" };
    static const char *const kept[] = { "<", "<=", ">", ">=", "!=" };
    const int   by = random_below(3) ? 0 : random_below(5) - 2, is_turned = random_below(4) == 0;
    const int   at = low + by + (random_below(2) ? random_below(3) - 1 : extent - random_below(3));
    const char *op = random_below(12) ? kept[random_below(5)] : ops[5];
    char        value[32], number[32];
    if (by) snprintf(value, sizeof value, random_below(2) ? "%s + %d" : "%s - (%d)", name, by);
    else snprintf(value, sizeof value, "%s", name);
    if (random_below(20)) snprintf(number, sizeof number, "%d", at);
    else snprintf(number, sizeof number, "%s", ends[random_below(2)]);
    stores_put(q, "%s %s %s", is_turned ? number : value, op, is_turned ? value : number);
}

/* What is computed where conditions hold that loops could have for bounds. */
static void stores_inside(stores *q)
{
    const int low = random_below(3) ? 0 : random_below(7) - 3, two = random_below(2);
    int       n, split = random_below(3);
    stores_put(q, "for (i: %d .. %d) ", low, low + q->rows);
    if (!split) stores_put(q, "if ("), stores_bound(q, "i", low, q->rows), stores_put(q, ") ");
    stores_put(q, "for (j: %d)\nif (", q->columns);
    for (n = 1 + random_below(4); n > 0; n--) {
        if (random_below(6) == 0) stores_put(q, "i + j < %d", low + q->rows);
        else if (random_below(6) == 0) stores_put(q, "m[i - (%d)] > 1", low);
        else if (random_below(2)) stores_bound(q, "i", low, q->rows);
        else stores_bound(q, "j", 0, q->columns);
        stores_put(q, n > 1 ? " && " : ")");
    }
    stores_put(q, two ? " {\ny[i - (%d), j] = %s(0);\n" : "\n", low, q->type);
    if (two) stores_put(q, "for (k: 3) y[i - (%d), j] += ", low);
    else stores_put(q, "y[i - (%d), j] = sum(k: 3, ", low);
    stores_put(q, "x[i - (%d), (j + k) %% %d] * w[j]%s;\n", low, q->columns, two ? "" : ")");
    if (two) stores_put(q, "}\n");
}

/* Sums over a triangle, or a band: bounds that depend on the loops around. With a zero before, with
   what the cell holds, or with that scaled. */
static void stores_triangle(stores *q)
{
    static const char *const rows[] = { "j: %d", "j: min(i, %d)", "j: min(i, %d - 1) .. %d" };
    static const char *const sums[] = { "k: j + 1", "k: j .. %d", "k: max(j - 2, 0) .. j + 1",
                                        "k: min(i, %d) .. j + 1", "k: j + 1 .. %d" };
    const int begins = random_below(3), row = random_below(3), sum = random_below(5);
    const int j = q->columns;
    stores_put(q, "for (i: %d, ", q->rows);
    if (row < 2) stores_put(q, rows[row], j);
    else stores_put(q, rows[row], j, j);
    stores_put(q, begins == 2 ? ", " : ") {\n");
    if (begins < 2) stores_put(q, begins ? "y[i, j] *= %s(3);\nfor (" : "y[i, j] = %s(2);\nfor (",
                               q->type);
    stores_put(q, sums[sum], j);
    stores_put(q, ")\ny[i, j] %s= x[i, k] * w[%s];\n%s", random_below(5) ? "+" : "-",
               random_below(2) ? "k" : "j", begins < 2 ? "}\n" : "");
}

/* An index of an axis of that size, which goes on with two loops, each by its own stride; extents
   of the loops. */
static void stores_scattered(char *text, const char *a, const char *b, int size, int *extents)
{
    static const int strides[] = { 1, 1, 1, 2, 3, -1, -2 };
    const int        s = strides[random_below(7)], d = strides[random_below(7)];
    int              k, low = 0;
    extents[0] = 1 + random_below(size);
    extents[1] = 1 + random_below(4);
    if (s < 0) low += s * (extents[0] - 1);
    if (d < 0) low += d * (extents[1] - 1);
    k = random_below(4) ? -low : -low - random_below(3);
    if (s == 1 && d == 1 && k == 0) sprintf(text, "%s + %s", a, b);
    else if (random_below(2)) sprintf(text, "%d * %s + %d * %s + %d", s, a, d, b, k);
    else sprintf(text, "%s * (%d) - (%d) * %s + %d", a, s, -d, b, k);
}

/* Updates of a cell for which two loops decide together, as transposed convolutions are written;
   some read what others write. */
static void stores_scatters(stores *q)
{
    static const char *const orders[] = { "a: %d, b: %d, r: %d, s: %d",
                                          "r: %d, s: %d, a: %d, b: %d",
                                          "s: %d, b: %d, r: %d, a: %d" };
    static const int         at[3][4] = { { 0, 2, 1, 3 }, { 1, 3, 0, 2 }, { 3, 2, 1, 0 } };
    char                     row[80], column[80];
    int                      k, order = random_below(3), e[4], all[4];
    stores_scattered(row, "a", "r", q->rows, e);
    stores_scattered(column, "b", "s", q->columns, e + 2);
    if (random_below(3) == 0) strcpy(row, "a"), e[1] = 1, e[0] = q->rows;
    for (k = 0; k < 4; k++) all[k] = e[at[order][k]];
    if (random_below(3))
        stores_put(q, "for (a: %d, b: %d)\ny[a, b] = %s(%d);\n", q->rows, q->columns, q->type,
                   random_below(2));
    stores_put(q, "for (");
    stores_put(q, orders[order], all[0], all[1], all[2], all[3]);
    stores_put(q, ")\nif (%s >= 0 && %s < %d && ", row, row, q->rows);
    stores_put(q, "%s >= 0 && %s < %d)\ny[%s, %s] ", column, column, q->columns, row, column);
    switch (random_below(6)) {
    case 0: stores_put(q, "= "); break;
    case 1: case 2: stores_put(q, "= %s(3) * y[%s, %s] + ", q->type, row, column); break;
    default: stores_put(q, random_below(4) ? "+= " : "-= "); break;
    }
    if (random_below(4) == 0) stores_put(q, "y[%s, b] + ", random_below(2) ? "a" : row);
    stores_put(q, "x[a, b] * w[(r + 2 * s) %% %d];\n", q->columns);
}

/* A store and a sum beside each other in one loop, of what the same or another iteration stores. */
static void stores_beside(stores *q)
{
    static const char *const cells[] = { "y[i, k]", "y[i, k]", "y[i, k]", "y[i, 0]", "x[i, k]" };
    const char *cell = cells[random_below(5)];
    stores_put(q, "for (i: %d) {\n", q->rows);
    q->column = "0";
    stores_begin(q, "z[i]");
    q->column = "k";
    if (random_below(4) == 0) stores_put(q, "for (k: 2) y[i, k] = x[i, k];\n");
    stores_put(q, "for (k: %d) {\n", q->columns);
    if (random_below(4) == 0) stores_put(q, "z[i] += x[i, k];\n");
    stores_put(q, "%s = ", random_below(6) ? "y[i, k]" : "y[i, k / 2]");
    stores_value(q, 2);
    stores_put(q, ";\n");
    if (random_below(4)) stores_put(q, "z[i] += %s;\n", cell);
    else stores_update(q, random_below(4) ? "z[i]" : "z[(i + 1) / 2]");
    stores_put(q, "}\n");
    if (random_below(2))
        stores_put(q, "for (k: %d) y[i, k] = y[i, k] - z[i];\n", q->columns);
    stores_put(q, "}\n");
}

/* is_large: of so many elements that loops around each statement are worth it */
static void stores_head(stores *q, int is_large)
{
    static const char *const types[] = { "i32", "f32", "u8", "f64", "i64", "i16", "f16" };
    static const int         sides[] = { 3, 5, 8, 16, 17, 24 };
    memset(q, 0, sizeof *q);
    q->type = types[random_below(7)];
    q->rows = sides[random_below(6)];
    q->columns = sides[random_below(6)];
    q->column = "0";
    if (is_large) q->rows = 129, q->columns = 128;
    stores_put(q, "func f(x: %s[%d, %d], w: %s[%d], m: i32[%d], y: %s[%d, %d], z: %s[%d]) {\n",
               q->type, q->rows, q->columns, q->type, q->columns, q->rows, q->type, q->rows,
               q->columns, q->type, q->rows);
}

/* The text of a function that scatters, and of any. */
static void draw_scatters(stores *q)
{
    stores_head(q, 0);
    stores_scatters(q);
    stores_put(q, "}\n");
}

static void draw_stores(stores *q)
{
    int       n, alone;
    const int beside = random_below(16) == 0;
    stores_head(q, beside);
    alone = beside || random_below(5) == 0; /* a nest that has its name for itself */
    for (n = alone ? 1 : 1 + random_below(3); n > 0; n--) {
        q->lets = 0;
        switch (beside ? 8 : alone ? 5 : random_below(11)) {
        case 0: stores_elements(q); break;
        case 1: stores_sums(q); break;
        case 2: stores_apart(q); break;
        case 3: stores_clamps(q); break;
        case 4: stores_variables(q); break;
        case 5: stores_inside(q); break;
        case 6: stores_triangle(q); break;
        case 7: stores_scatters(q); break;
        case 8: stores_beside(q); break;
        default: stores_windows(q); break;
        }
    }
    stores_put(q, "}\n");
}

#endif
