/* families.h - maps of n axes, or of n outputs, by kind, as text: what bench/verdict.c times and
   tests/test_work.c counts the steps of. */
#ifndef IRL_FAMILIES_H
#define IRL_FAMILIES_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct family_text {
    char map[16384], shape[8192]; /* the shape's extents, with commas; names in it: N0, N1, ... */
} family_text;

static void family_put(char *to, const char *what)
{
    strcat(to, what); /* the longest is a third of the room */
}

static void family_number(char *to, const char *before, int64_t n, const char *after)
{
    char text[96];
    sprintf(text, "%s%" PRId64 "%s", before, n, after);
    family_put(to, text);
}

static void family_inputs(family_text *t, int n)
{
    int k;
    family_put(t->map, "(");
    for (k = 0; k < n; k++) family_number(t->map, k ? ", a" : "a", k, "");
    family_put(t->map, ") -> (");
}

static void family_shape(family_text *t, int n, int64_t extent)
{
    int k;
    for (k = 0; k < n; k++) family_number(t->shape, k ? "," : "", extent, "");
}

static int64_t family_power(int64_t base, int n)
{
    return n ? base * family_power(base, n - 1) : 1;
}

/* a0/8, a0%8, a1/8, ...: n outputs */
static void family_digits(family_text *t, int n)
{
    int k;
    family_inputs(t, n / 2);
    for (k = 0; k < n / 2; k++) {
        family_number(t->map, k ? ", a" : "a", k, "/8");
        family_number(t->map, ", a", k, "%8");
    }
    family_shape(t, n / 2, 56);
}

static void family_tiles(family_text *t, int n)
{
    int k;
    family_inputs(t, n / 2);
    for (k = 0; k < n / 2; k++) family_number(t->map, k ? ", a" : "a", k, "/8");
    for (k = 0; k < n / 2; k++) family_number(t->map, ", a", k, "%8");
    family_shape(t, n / 2, 60);
}

/* ((a0*3 + a1)*3 + a2)*3 + ... */
static void family_flatten(family_text *t, int n)
{
    int k;
    family_inputs(t, n);
    for (k = 1; k < n; k++) family_put(t->map, "(");
    for (k = 0; k < n; k++) {
        family_number(t->map, "a", k, k ? ")" : "");
        if (k + 1 < n) family_put(t->map, "*3 + ");
    }
    family_shape(t, n, 3);
}

/* a0*3^31 + a1*3^30 + ... on extents of `extent`: without gaps, and with */
static void family_sum(family_text *t, int n, int64_t extent)
{
    int k;
    family_inputs(t, n);
    for (k = 0; k < n; k++) {
        family_number(t->map, k ? " + a" : "a", k, "");
        if (k + 1 < n) family_number(t->map, "*", family_power(3, n - 1 - k), "");
    }
    family_shape(t, n, extent);
}

static void family_strided(family_text *t, int n) { family_sum(t, n, 3); }
static void family_gapped(family_text *t, int n) { family_sum(t, n, 2); }

/* i/2^(n-1), i/2^(n-2)%2, ..., i%2 */
static void family_split(family_text *t, int n)
{
    int k;
    family_put(t->map, "(i) -> (");
    for (k = n - 1; k >= 0; k--) {
        family_put(t->map, k == n - 1 ? "i" : ", i");
        if (k) family_number(t->map, "/", family_power(2, k), "");
        if (k < n - 1) family_put(t->map, "%2");
    }
    family_number(t->shape, "", family_power(2, n - 1) * 3, "");
}

/* (a0*3 + a1*5 + ...) % 1009, a1, a2, ... */
static void family_modular(family_text *t, int n)
{
    int k;
    family_inputs(t, n);
    family_put(t->map, "(");
    for (k = 0; k < n; k++) {
        family_number(t->map, k ? " + a" : "a", k, "*");
        family_number(t->map, "", 2 * k + 3, "");
    }
    family_put(t->map, ")%1009");
    for (k = 1; k < n; k++) family_number(t->map, ", a", k, "");
    family_number(t->shape, "", 1009, "");
    for (k = 1; k < n; k++) family_number(t->shape, ",", 3, "");
}

/* i*8 and a choice of how far it moves: both arms of each choice have i*8 in them */
static void family_choices(family_text *t, int n)
{
    int k;
    family_put(t->map, "(i, j) -> (j, ");
    for (k = 0; k < n; k++) {
        family_number(t->map, "select(j < ", k + 1, ", i*8 + ");
        family_number(t->map, "", k % 8, ", ");
    }
    family_put(t->map, "i*8 + 1");
    for (k = 0; k < n; k++) family_put(t->map, ")");
    family_put(t->shape, "1000000,40");
}

/* i*8 moved by choices of choices: both arms of each hold all of the one before */
static void family_shared(family_text *t, int n)
{
    int k;
    family_put(t->map, "(i, j) -> (j, ");
    for (k = 0; k < n; k++) family_number(t->map, "let(c", k, " = ");
    family_put(t->map, "i*8");
    for (k = 0; k < n; k++) {
        family_number(t->map, ", select(j/", family_power(2, n - 1 - k), "%2 == 0, c");
        family_number(t->map, "", n - 1 - k, " + ");
        family_number(t->map, "", k % 8, ", c");
        family_number(t->map, "", n - 1 - k, " + 1))");
    }
    family_put(t->shape, "1000000,");
    family_number(t->shape, "", family_power(2, n), "");
}

static void family_prefix(family_text *t, int n)
{
    int k, j;
    family_inputs(t, n);
    for (k = 0; k < n; k++) {
        if (k) family_put(t->map, ", ");
        for (j = 0; j <= k; j++) family_number(t->map, j ? " + a" : "a", j, "");
    }
    family_shape(t, n, 5);
}

/* (a0 + 1)%7, (a1 + 2)%7, ... */
static void family_rotated(family_text *t, int n)
{
    int k;
    family_inputs(t, n);
    for (k = 0; k < n; k++) {
        family_number(t->map, k ? ", (a" : "(a", k, "");
        family_number(t->map, " + ", k + 1, ")%7");
    }
    family_shape(t, n, 7);
}

/* a0, (a1 + a0)%7, (a2 + a1)%7, ... */
static void family_skewed(family_text *t, int n)
{
    int k;
    family_inputs(t, n);
    for (k = 0; k < n; k++) {
        if (k) {
            family_number(t->map, ", (a", k, "");
            family_number(t->map, " + a", k - 1, ")%7");
        } else family_put(t->map, "a0");
    }
    family_shape(t, n, 7);
}

/* ((a0*N1 + a1)*N2 + a2)*... */
static void family_named(family_text *t, int n)
{
    int k;
    family_inputs(t, n);
    for (k = 1; k < n; k++) family_put(t->map, "(");
    for (k = 0; k < n; k++) {
        family_number(t->map, "a", k, k ? ")" : "");
        if (k + 1 < n) family_number(t->map, "*N", k + 1, " + ");
    }
    for (k = 0; k < n; k++) family_number(t->shape, k ? ",N" : "N", k, "");
}

/* a0*2^x*N1*N2*N3 + ...: every n/4-th extent has a name, the others are 2 */
static void family_products(family_text *t, int n)
{
    int k, j;
    family_inputs(t, n);
    for (k = 0; k < n; k++) {
        int64_t twos = 0;
        family_number(t->map, k ? " + a" : "a", k, "");
        for (j = k + 1; j < n; j++) {
            if (j % (n / 4)) twos++;
            else family_number(t->map, "*N", j / (n / 4), "");
        }
        if (twos) family_number(t->map, "*", family_power(2, (int)twos), "");
    }
    for (k = 0; k < n; k++) {
        if (k) family_put(t->shape, ",");
        if (k % (n / 4)) family_put(t->shape, "2");
        else family_number(t->shape, "N", k / (n / 4), "");
    }
}

/* i/2^(n-1), ..., i%2 on N0*2^(n-1) */
static void family_named_split(family_text *t, int n)
{
    family_split(t, n);
    t->shape[0] = '\0';
    family_number(t->shape, "N0*", family_power(2, n - 1), "");
}

typedef struct family {
    const char *name;
    void (*make)(family_text *t, int n);
    int named;
} family;

static const family families[] = {
    { "digits", family_digits, 0 },
    { "tiles", family_tiles, 0 },
    { "flatten", family_flatten, 0 },
    { "strides", family_strided, 0 },
    { "gapped strides", family_gapped, 0 },
    { "split", family_split, 0 },
    { "modular sum", family_modular, 0 },
    { "nested choices", family_choices, 0 },
    { "shared choices", family_shared, 0 },
    { "prefix sums", family_prefix, 0 },
    { "rotations", family_rotated, 0 },
    { "skews", family_skewed, 0 },
    { "flatten, names", family_named, 1 },
    { "products, names", family_products, 1 },
    { "split, names", family_named_split, 1 },
};
enum { FAMILIES = (int)(sizeof families / sizeof families[0]) };

static void family_make(family_text *t, int which, int n)
{
    memset(t, 0, sizeof *t);
    families[which].make(t, n);
    family_put(t->map, ")");
}

/* A question of a family, parsed. */
typedef struct family_question {
    const irl_map  *map;
    int             rank;
    irl_shape       shape;
    const irl_expr *extents[IRL_MAX_RANK];
} family_question;

/* The extents of a text with commas: numbers, or expressions over the names. */
static int family_read(family_question *q, irl_ctx *cx, int which, int n)
{
    static char     part[512];
    family_text    *t = (family_text *)malloc(sizeof *t);
    const irl_expr *names[IRL_MAX_RANK];
    const char     *at, *end;
    int             k;
    memset(q, 0, sizeof *q);
    if (!t) return 0;
    family_make(t, which, n);
    for (k = 0; k < IRL_MAX_RANK; k++) {
        sprintf(part, "N%d", k);
        names[k] = irl_expr_var(cx, part, irl_type_of(IRL_INDEX, 1));
    }
    q->map = irl_map_parse_over(cx, t->map, NULL, IRL_MAX_RANK, names);
    for (at = t->shape; *at; at = *end ? end + 1 : end) {
        end = strchr(at, ',') ? strchr(at, ',') : at + strlen(at);
        sprintf(part, "%.*s", (int)(end - at), at);
        q->extents[q->rank] = irl_expr_parse(cx, part, IRL_MAX_RANK, names);
        if (!families[which].named) q->shape.extent[q->rank] = strtoll(part, NULL, 10);
        q->rank++;
    }
    q->shape.rank = q->rank;
    free(t);
    return q->map != NULL && irl_ok(cx);
}

#endif
