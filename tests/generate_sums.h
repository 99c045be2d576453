/* generate_sums.h - functions whose results are sums of products of floats, for what `contract` and
   `reassociate` change.

   needs     generate.h; stdio.h
   promises  a seed gives the same function always. On the data of generate_data.h every partial
             result is exact, so that any order gives the same bits; on others it is not */
#ifndef IRL_GENERATE_SUMS_H
#define IRL_GENERATE_SUMS_H

enum { SUM_FORMS = 6 };

static gen_param sums_param(const char *name, irl_scalar type, int rows, int columns)
{
    gen_param p;
    memset(&p, 0, sizeof p);
    snprintf(p.name, sizeof p.name, "%s", name);
    p.type = type;
    p.is_buffer = 1;
    p.rank = 2;
    p.extent[0] = rows;
    p.extent[1] = columns;
    return p;
}

/* i rows, j columns, k terms; t is the type. */
static void sums_body(char *out, size_t room, int form, const char *t, int i, int j, int k)
{
    char zero[16];
    snprintf(zero, sizeof zero, "%s(0)", t);
    switch (form) {
    case 0: /* a block with an init */
        snprintf(out, room, "for (i: %d, j: %d, k: %d) block s(u: spatial(%d) = i, v: spatial(%d) ="
                 " j, r: reduce(%d) = k) { init { y[u, v] = %s; } y[u, v] = y[u, v] + a[u, r] * "
                 "b[r, v]; }", i, j, k, i, j, k, zero);
        return;
    case 1: /* written loops */
        snprintf(out, room, "s: for (i: %d, j: %d) { y[i, j] = %s; for (k: %d) y[i, j] = y[i, j] + "
                 "a[i, k] * b[k, j]; }", i, j, zero, k);
        return;
    case 2: /* in one line, with what is done to it behind */
        snprintf(out, room, "alloc t: %s[%d, %d]; s: for (i: %d, j: %d) t[i, j] = sum(k: %d, a[i, k"
                 "] * b[k, j]); q: for (i: %d, j: %d) y[i, j] = max(t[i, j], %s) - a[i, 0];", t, i,
                 j, i, j, k, i, j, zero);
        return;
    case 3: /* two reduce axes */
        snprintf(out, room, "for (i: %d, j: %d, k: %d, l: 2) block s(u: spatial(%d) = i, v: spatial"
                 "(%d) = j, r: reduce(%d) = k, q: reduce(2) = l) { init { y[u, v] = %s; } y[u, v] ="
                 " y[u, v] + a[u, (r + q) %% %d] * b[r, (v + q) %% %d]; }", i, j, k, i, j, k, zero,
                 k, j);
        return;
    case 4: /* it adds to what is there */
        snprintf(out, room, "for (i: %d, j: %d, k: %d) block s(u: spatial(%d) = i, v: spatial(%d) ="
                 " j, r: reduce(%d) = k) { y[u, v] = y[u, v] + (r > 1 ? a[u, r] * b[r, v] : a[u, 0]"
                 "); }", i, j, k, i, j, k);
        return;
    default: /* a sum of rows, times another sum */
        snprintf(out, room, "alloc t: %s[%d]; q: for (i: %d) t[i] = sum(k: %d, a[i, k]); s: for (i:"
                 " %d, j: %d) y[i, j] = t[i] * sum(k: %d, a[i, k] * b[k, j]);", t, i, i, k, i, j,
                 k);
    }
}

static gen_case gen_sums(uint64_t seed)
{
    gen_case   c;
    char       body[700], text[900];
    int        i, j, k;
    const int  is_double = seed % 3 == 2;
    const char *t = is_double ? "f64" : "f32";
    gen        g;
    memset(&c, 0, sizeof c);
    memset(&g, 0, sizeof g);
    c.seed = g.random = seed;
    i = 1 + gen_below(&g, 5);
    j = 1 + gen_below(&g, 6);
    k = 2 + gen_below(&g, 30);
    c.param_count = 3;
    c.params[0] = sums_param("a", is_double ? IRL_F64 : IRL_F32, i, k);
    c.params[1] = sums_param("b", c.params[0].type, k, j);
    c.params[2] = sums_param("y", c.params[0].type, i, j);
    sums_body(body, sizeof body, (int)(seed % SUM_FORMS), t, i, j, k);
    snprintf(text, sizeof text, "func sums(a: %s[%d, %d], b: %s[%d, %d], y: %s[%d, %d]) { %s }", t,
             i, k, t, k, j, t, i, j, body);
    c.text = (char *)gen_kept(malloc(strlen(text) + 1));
    strcpy(c.text, text);
    return c;
}

#endif
