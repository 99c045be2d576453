/* generate_named.h - functions whose shapes and loops are names: element by element, windows,
   transposes, products, sums along rows and columns, rows in one loop, borders, triangles.

   needs     random64.h, stdio.h, string.h
   promises  no access leaves its buffer, whatever the names are from 0 on; on small whole numbers
             all sums are exact */
#ifndef IRL_GENERATE_NAMED_H
#define IRL_GENERATE_NAMED_H

#include <stdio.h>
#include <string.h>
#include "random64.h"

typedef struct named_case {
    char text[2000];
    int  form;
} named_case;

enum { NAMED_FORMS = 21 };

static const char *named_pick(const char *const *list, int count)
{
    return list[random_below(count)];
}

static const char *named_type(void)
{
    static const char *const types[] = { "f32", "f32", "f32", "i32", "u8", "i16", "f64" };
    return named_pick(types, 7);
}

/* How two operands are combined, and what sums them up. */
static const char *named_op(void)
{
    static const char *const ops[] = { "*", "+", "-" };
    return named_pick(ops, 3);
}

static const char *named_fold(void)
{
    static const char *const folds[] = { "sum", "sum", "max", "min" };
    return named_pick(folds, 4);
}

/* An operand of a product over (i, k) or (k, j), as it stands in memory. */
static const char *named_operand(const char *name, const char *row, const char *column, char *out)
{
    const int is_turned = name[strlen(name) - 1] == 't';
    sprintf(out, "%s[%s, %s]", name, is_turned ? column : row, is_turned ? row : column);
    return out;
}

static void named_product(const char *t, char *out)
{
    static const char *const begins[] = { "0", "b[j]", "3" };
    const int   a_turned = random_below(2), b_turned = random_below(2), is_plain = random_below(3);
    const char *begin = named_pick(begins, 3), *op = named_op();
    char        a[40], b[40];
    named_operand(a_turned ? "xt" : "x", "i", "k", a);
    named_operand(b_turned ? "wt" : "w", "k", "j", b);
    out += sprintf(out, "func f(n: index, m: index, q: index, %s: %s[%s], %s: %s[%s], b: %s[m], y: "
                        "%s[n, m%s]) { %s",
                   a_turned ? "xt" : "x", t, a_turned ? "q, n" : "n, q", b_turned ? "wt" : "w", t,
                   b_turned ? "m, q" : "q, m", t, t, random_below(3) ? "" : " + 2",
                   random_below(4) ? "" : "alloc u: f32[m]; for (c: m) u[c] = 2; ");
    if (is_plain == 0)
        sprintf(out, "for (i: n, j: m) y[i, j] = %s(k: q, %s %s %s); }", named_fold(), a, op, b);
    else if (is_plain == 1)
        sprintf(out, "for (i: n, j: m) { y[i, j] = %s; for (k: q) y[i, j] = y[i, j] + (%s %s %s); "
                     "} }", begin, a, op, b);
    else
        sprintf(out, "for (i: n, j: m) y[i, j] = %s; for (i: n, j: m, k: q) y[i, j] = y[i, j] + "
                     "(%s %s %s); }", begin, a, op, b);
}

static void named_rows(const char *t, char *out)
{
    static const char *const bodies[] = {
        "for (i: n) { let s = sum(k: m, x[i, k]); for (j: m) y[i, j] = x[i, j] - s; }",
        "for (i: n) { let t = max(k: m, x[i, k]); let s = sum(k: m, x[i, k] - t); for (j: m) y[i, "
        "j] = x[i, j] * 2 - s + t; }",
        "for (i: n) z[i] = max(k: m, x[i, k]);",
        "for (j: m) u[j] = sum(i: n, x[i, j]);",
        "for (i: n) { z[i] = x[i, 0]; for (k: m) z[i] = max(z[i], x[i, k]); }",
        "for (i: n) { let s = min(k: 1 .. m, x[i, k] + x[i, k - 1]); for (j: m) y[i, j] = s; }",
        "for (i: n, j: m) y[i, j] = sum(k: m, x[i, k]) + sum(l: n, x[l, j]);",
    };
    const int which = random_below(7);
    sprintf(out, "func f(n: index, m: index, q: index, x: %s[n, m + 1], z: %s[n], u: %s[m], y: "
                 "%s[n, m]) %s{ %s }",
            t, t, t, t, random_below(2) ? "attr(numbers = \"free\") " : "", bodies[which]);
}

static void named_window(const char *t, char *out)
{
    static const char *const bodies[] = {
        "for (i: n, j: m) y[i, j] = sum(r: 3, s: 3, x[i + r, j + s] * w[r, s]);",
        "for (i: n, j: m) y[i, j] = sum(r: 3, s: 3, if_then_else(i + r >= 1 && i + r < n + 1 && j "
        "+ s >= 1 && j + s < m + 1, x[i + r - 1, j + s - 1] * w[r, s], 0));",
        "for (i: 1 .. n - 1, j: 1 .. m - 1) y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + "
        "x[i, j + 1];",
        "for (i: n, j: m) if (i >= 1 && j >= 1 && i + 1 < n) y[i, j] = x[i - 1, j] + x[i + 1, j - "
        "1];",
        "for (i: (n + 1) / 2, j: m / 2) y[i, j] = max(r: 2, s: 2, x[i * 2 + r, j * 2 + s]);",
        "for (i: n, j: m) y[i, j] = x[max(i, 1) - 1, min(j + 1, m + 1)];",
        "for (i: n, j: m) y[i, j] = x[max(0, min(n - 1, i - 1)), j] + x[i, max(min(j + 1, m - 1), "
        "0)];",
        "for (i: n, j: m) y[i, j] = x[(i + n - 1) % n, j] + x[i, (j + 1) % m] - x[(i + 2) % (n + "
        "2), (j - 1) % m];",
        "for (i: n, j: m) { let a = i == 0 ? n - 1 : i - 1; let b = j == m - 1 ? 0 : j + 1; "
        "y[i, j] = x[a, j] + x[i, b] + x[i + 1 != n ? i + 1 : 0, j]; }",
        "for (i: n, j: m) y[i, j] = sum(r: 3, s: 3, x[(i + r + n - 1) % n, j + s < 1 ? 0 : j + s - "
        "1] * w[r, s]);",
        "for (i: n, j: m) y[i, j] = x[i % 2 == 0 ? i : i - 1, (j + 1) % 3] + x[(i * 2) % n, j];",
    };
    sprintf(out, "func f(n: index, m: index, q: index, x: %s[n + 2, m + 2], w: %s[3, 3], y: %s[n, "
                 "m]) { %s }",
            t, t, t, bodies[random_below(11)]);
}

static void named_elements(const char *t, char *out)
{
    static const char *const bodies[] = {
        "for (i: n, j: m) y[i, j] = x[i, j] + b[j];",
        "for (i: n, j: m) y[i, j] = xt[j, i];",
        "for (i: n, j: m) y[i, j] = xt[j, i] + x[i, j] * 2;",
        "for (i: n, j: m) y[i, m - 1 - j] = x[i, j];",
        "for (i: n, j: m) if (b[j] > 1) y[i, j] = x[i, j]; else y[i, j] = b[j];",
        "for (j: m, i: n) y[i, j] = x[i, j] * b[j];",
        "for (i: n, j: m) { let v = x[i, j]; y[i, j] = v * v + b[j]; }",
        "for (i: n, j: m) if (x[i, j] > b[j]) y[i, j] = xt[j, i]; else y[i, j] = b[j];",
        "for (i: n) for (j: i) y[i, 0] = 3;",
        "for (i: n, j: 2 * m) y[i, j / 2] = b[j / 2];",
        "for (i: n * m) y[i / m, i % m] = x[i / m, i % m] + b[i % m];",
        "alloc t: " "f32" "[n, m]; for (i: n, j: m) t[i, j] = 2; for (i: n, j: m) y[i, j] = x[i, "
        "j] + b[j];",
    };
    sprintf(out, "func f(n: index, m: index, q: index, x: %s[n, m], xt: %s[m, n], b: %s[m], y: "
                 "%s[n, m]) { %s }",
            t, t, t, t, bodies[random_below(12)]);
}

/* Channels that are a number. */
static void named_channels(const char *t, char *out)
{
    static const char *const bodies[] = {
        "for (i: n, j: m, c: 8) y[i, j, c] = x[i, j, c] * b[c];",
        "for (i: n, j: m, c: 8) y[i, j, c] = sum(k: 8, x[i, j, k] * w[k, c]);",
        "for (i: n, j: m, c: 8) y[i, j, c] = sum(r: 2, k: 8, x[i + r, j, k] * w[k, c]);",
        "for (i: n, c: 8) z[i, c] = sum(j: m, x[i, j, c]);",
    };
    sprintf(out, "func f(n: index, m: index, q: index, x: %s[n + 1, m, 8], w: %s[8, 8], b: %s[8], "
                 "z: %s[n, 8], y: %s[n, m, 8]) { %s }",
            t, t, t, t, t, bodies[random_below(4)]);
}

/* Nests in one loop, whose bounds go by that loop: over n or a number. */
static void named_triangles(const char *t, char *out)
{
    static const char *const bodies[] = {
        "for (j: k + 1 .. %1$s) { y[k, j] = 0; for (i: %1$s) y[k, j] += x[i, k] * x[i, j]; }",
        "for (j: k + 1 .. %1$s, i: %1$s) u[i, j] = u[i, j] - x[i, k] * x[k, j];",
        "for (j: k + 1 .. %1$s) { y[k, j] = 0; for (i: %1$s) y[k, j] += x[i, k] * x[i, j]; for "
        "(i: %1$s) u[i, j] = u[i, j] - x[i, k] * y[k, j]; }",
        "for (j: k + 1 .. %1$s) { y[k, j] = 0; for (i: %1$s) y[k, j] += x[i, k] * x[i, j]; y[j, "
        "k] = y[k, j]; }",
        "for (j: k) z[k] += x[k, j] * x[j, k];",
        "for (j: k) y[k, j] = x[k, k - 1 - j] + x[j, k];",
        "z[k] = sum(j: k, x[k, j]);",
        "for (j: k .. %1$s) for (i: j .. %1$s) u[j, i] = x[j, i] - x[k, i];",
        "for (i: k + 1 .. %1$s) { z[i] = x[i, k]; for (j: k + 1 .. %1$s) u[i, j] -= x[i, k] * "
        "x[k, j]; }",
        "for (j: max(k - 2, 0) .. min(k + 3, %1$s), i: %1$s) u[i, j] += x[j, i];",
        "for (j: k + 1 .. %1$s) { alloc a: %2$s[]; a[] = 1; for (i: j) a[] = a[] + x[i, j]; "
        "y[k, j] = a[]; }",
    };
    const char *n = random_below(3) ? "n" : "41";
    char       *at = out;
    int         left = 1 + random_below(3);
    at += sprintf(at, "func f(n: index, m: index, q: index, x: %2$s[%1$s, %1$s], z: %2$s[%1$s], y: "
                      "%2$s[%1$s, %1$s], u: %2$s[%1$s, %1$s]) { for (k: %1$s) { ", n, t);
    while (left-- > 0) at += sprintf(at, bodies[random_below(11)], n, t);
    sprintf(at, " } }");
}

/* Loops whose extents may be below 0, over memory of numbers. */
static void named_below(const char *t, char *out)
{
    static const char *const bodies[] = {
        "for (i: n - 9, j: m - 9) u[i, j] = x[j, i] + x[i, j];",
        "for (i: n - 9, j: m - 9) u[i, j] = sum(k: q - 9, x[i, k] * y[k, j]);",
        "for (i: n - 9) z[i] = sum(k: q - 9, x[i, k]);",
        "for (i: n - 9, j: m - 9) u[i, j] = sum(r: 3, s: 3, x[i + r, j + s] * y[r, s]);",
        "for (i: n - 9, j: m - 9) { u[i, j] = 1; for (k: q - 9) u[i, j] += x[i, k] * y[j, k]; }",
        "for (i: n - 9, j: m - 9, c: 4) u[i, 4 * j + c] = x[i, 4 * j + c] + y[j, c];",
    };
    sprintf(out, "func f(n: index, m: index, q: index, x: %s[64, 256], z: %s[64], y: %s[64, 64], "
                 "u: %s[64, 256]) { %s }", t, t, t, t, bodies[random_below(6)]);
}

static void named_make(named_case *c)
{
    const char *t = named_type();
    memset(c, 0, sizeof *c);
    c->form = random_below(NAMED_FORMS);
    if (c->form < 5) named_product(t, c->text);
    else if (c->form < 8) named_rows(t, c->text);
    else if (c->form < 12) named_window(t, c->text);
    else if (c->form < 14) named_elements(t, c->text);
    else if (c->form < 16) named_channels(t, c->text);
    else if (c->form < 19) named_triangles(t, c->text);
    else named_below(t, c->text);
}

#endif
