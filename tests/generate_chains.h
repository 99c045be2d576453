/* generate_chains.h - functions of several stages, each of which reads the one before: padded,
   stencils, sums over a window, transposed, backwards, with strides. What moves a stage into
   another one, rolls a buffer, takes a border apart or puts two statements together has something
   to do.

   needs     generate.h
   promises  a seed gives the same function always, in numbers that are exact: floats stay small,
             integers have no sign and wrap */
#ifndef IRL_GENERATE_CHAINS_H
#define IRL_GENERATE_CHAINS_H

enum { CHAIN_STAGES = 4 };

typedef struct chain {
    gen         g;
    const char *type;        /* of elements */
    int         is_named;    /* the first extent is n, and a number more or less */
    int         n, rows, columns; /* of what was computed last */
    int         has_product;      /* a float times a float times a float is not exact */
    char        last[8];     /* its name */
    char       *at;          /* where the text goes on */
} chain;

/* The text of a number of rows. */
static const char *chain_rows(const chain *c, int rows, char *out)
{
    if (!c->is_named) sprintf(out, "%d", rows);
    else if (rows == c->n) strcpy(out, "n");
    else sprintf(out, "n %c %d", rows < c->n ? '-' : '+', abs(rows - c->n));
    return out;
}

static void chain_constant(chain *c, int value) { gen_put(&c->g, "%s(%d)", c->type, value); }

/* What a stage computes. */
typedef enum chain_kind {
    CHAIN_POINT, CHAIN_PAD, CHAIN_STENCIL, CHAIN_BACKWARDS, CHAIN_STRIDE, CHAIN_TRANSPOSE,
    CHAIN_SUM, CHAIN_WINDOW, CHAIN_KINDS
} chain_kind;

static int chain_fits(const chain *c, chain_kind kind)
{
    switch (kind) {
    case CHAIN_STENCIL: case CHAIN_WINDOW: return c->rows > 2 && c->columns > 1;
    case CHAIN_STRIDE: return c->columns > 2;
    case CHAIN_TRANSPOSE: return !c->is_named;
    case CHAIN_SUM: return *c->type != 'f' || !c->has_product;
    default: return 1;
    }
}

static void chain_size(const chain *c, chain_kind kind, int *rows, int *columns)
{
    const int loses = kind == CHAIN_STENCIL || kind == CHAIN_WINDOW;
    *rows = c->rows + (kind == CHAIN_PAD ? 2 : loses ? -2 : 0);
    *columns = kind == CHAIN_PAD      ? c->columns + 1
               : kind == CHAIN_STRIDE ? c->columns / 2
               : kind == CHAIN_STENCIL ? c->columns - 1
                                       : c->columns;
    if (kind == CHAIN_TRANSPOSE) *rows = c->columns, *columns = c->rows;
}

/* The value of the cell i, j, without what is added up to it. */
static void chain_value(chain *c, chain_kind kind, const char *i, const char *j, const char *r)
{
    char        rows[24];
    const char *x = c->last;
    switch (kind) {
    case CHAIN_PAD:
        gen_put(&c->g, "%s >= 1 && %s < %s && %s < %d ? %s[%s - 1, %s] : ", i, i,
                chain_rows(c, c->rows + 1, rows), j, c->columns, x, i, j);
        chain_constant(c, gen_below(&c->g, 2));
        return;
    case CHAIN_STENCIL:
        gen_put(&c->g, "%s[%s, %s] + max(%s[%s + 1, %s + 1], %s[%s + 2, %s])", x, i, j, x, i, j, x,
                i, j);
        return;
    case CHAIN_BACKWARDS:
        gen_put(&c->g, "%s[%s - %s, %d - %s]", x, chain_rows(c, c->rows - 1, rows), i,
                c->columns - 1, j);
        return;
    case CHAIN_STRIDE: gen_put(&c->g, "%s[%s, %s * 2 + 1]", x, i, j); return;
    case CHAIN_TRANSPOSE: gen_put(&c->g, "%s[%s, %s]", x, j, i); return;
    case CHAIN_SUM: gen_put(&c->g, "%s[%s, %s] * w[%s]", x, i, j, r); return;
    case CHAIN_WINDOW: gen_put(&c->g, "%s[%s + %s, %s]", x, i, r, j); return;
    default:
        gen_put(&c->g, gen_chance(&c->g, 50) ? "max(%s[%s, %s], " : "min(%s[%s, %s], ", x, i, j);
        chain_constant(c, gen_below(&c->g, 5));
        gen_put(&c->g, ")");
    }
}

/* t[i, j] = t[i, j] + value, or the largest. */
static void chain_update(chain *c, chain_kind kind, const char *to, const char *i, const char *j,
                         const char *r, int is_max)
{
    gen_put(&c->g, "%s[%s, %s] = %s%s[%s, %s]%s", to, i, j, is_max ? "max(" : "", to, i, j,
            is_max ? ", " : " + ");
    chain_value(c, kind, i, j, r);
    gen_put(&c->g, "%s;", is_max ? ")" : "");
}

/* A sum or the largest of terms r: in one line, as two statements, or as a block with an init. */
static void chain_reduce(chain *c, chain_kind kind, const char *to, const char *rows, int columns)
{
    const int is_max = gen_chance(&c->g, 30), form = gen_below(&c->g, 3);
    /* the init of a block runs where an update does */
    const int terms = kind == CHAIN_SUM && form < 2 && gen_chance(&c->g, 10) ? 0 : 3;
    gen_put(&c->g, "    for (i: %s, j: %d", rows, columns);
    if (form == 0) {
        gen_put(&c->g, ") %s[i, j] = %s(r: %d, ", to, is_max ? "max" : "sum", terms);
        chain_value(c, kind, "i", "j", "r");
        gen_put(&c->g, ");\n");
    } else if (form == 1) {
        gen_put(&c->g, ") { %s[i, j] = ", to);
        chain_constant(c, 0);
        gen_put(&c->g, "; for (r: %d) ", terms);
        chain_update(c, kind, to, "i", "j", "r", is_max);
        gen_put(&c->g, " }\n");
    } else {
        gen_put(&c->g, ", r: %d) block %s(a: spatial(%s) = i, b: spatial(%d) = j, s: reduce(%d) = "
                "r) { init { %s[a, b] = ", terms, to, rows, columns, terms, to);
        chain_constant(c, 0);
        gen_put(&c->g, "; } ");
        chain_update(c, kind, to, "a", "b", "s", is_max);
        gen_put(&c->g, " }\n");
    }
}

/* Each cell by itself: a nest, one whose rows count from 2 on, or a block. */
static void chain_cells(chain *c, chain_kind kind, const char *to, const char *rows, int columns)
{
    static const char *const i[] = { "i", "(i - 2)", "a" }, *const j[] = { "j", "j", "b" };
    const int form = gen_below(&c->g, 3);
    gen_put(&c->g, form == 1 ? "    for (i: 2 .. 2 + %s, j: %d) " : "    for (i: %s, j: %d) ", rows,
            columns);
    if (form == 2)
        gen_put(&c->g, "block %s(a: spatial(%s) = i, b: spatial(%d) = j) { ", to, rows, columns);
    gen_put(&c->g, "%s[%s, %s] = ", to, i[form], j[form]);
    chain_value(c, kind, i[form], j[form], "");
    gen_put(&c->g, form == 2 ? "; }\n" : ";\n");
}

static void chain_stage(chain *c, const char *to, int is_last, char *shape)
{
    chain_kind kind;
    char       text[24];
    int        rows, columns;
    do kind = (chain_kind)gen_below(&c->g, CHAIN_KINDS);
    while (!chain_fits(c, kind));
    c->has_product |= kind == CHAIN_SUM;
    chain_size(c, kind, &rows, &columns);
    chain_rows(c, rows, text);
    if (!is_last) gen_put(&c->g, "    alloc %s: %s[%s, %d];\n", to, c->type, text, columns);
    sprintf(shape, "%s[%s, %d]", c->type, text, columns);
    if (kind == CHAIN_SUM || kind == CHAIN_WINDOW) chain_reduce(c, kind, to, text, columns);
    else chain_cells(c, kind, to, text, columns);
    c->rows = rows;
    c->columns = columns;
    strcpy(c->last, to);
}

static gen_case gen_chain(uint64_t seed)
{
    static const irl_scalar  types[] = { IRL_F32, IRL_F32, IRL_U32, IRL_U8, IRL_U16, IRL_U64 };
    static const char *const names[] = { "f32", "f32", "u32", "u8", "u16", "u64" };
    gen_case   made;
    chain      c;
    char      *body, first[64], shape[64], to[8];
    int        k, stages, which, rows, columns;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0xc4a1);
    which = gen_below(&c.g, 6);
    c.type = names[which];
    c.is_named = gen_chance(&c.g, 25);
    c.n = c.rows = rows = gen_chance(&c.g, 15) ? 1 : 2 + gen_below(&c.g, 9);
    c.columns = columns = 1 + gen_below(&c.g, 9);
    stages = 2 + gen_below(&c.g, CHAIN_STAGES - 1);
    strcpy(c.last, "x");
    sprintf(first, "%s[%s, %d]", c.type, c.is_named ? "n" : "", columns);
    if (!c.is_named) sprintf(first, "%s[%d, %d]", c.type, rows, columns);
    for (k = 0; k < stages; k++) {
        sprintf(to, k + 1 == stages ? "y" : "t%d", k);
        chain_stage(&c, to, k + 1 == stages, shape);
    }
    if (c.is_named) gen_case_param(&made, "n", IRL_INDEX, 0, rows, 0);
    gen_case_param(&made, "x", types[which], 2, rows, columns);
    gen_case_param(&made, "w", types[which], 1, 3, 0);
    gen_case_param(&made, "y", types[which], 2, c.rows, c.columns);
    body = c.g.text; /* the last stage said what y is */
    c.g.text = NULL;
    c.g.length = c.g.capacity = 0;
    gen_put(&c.g, "func chain(%sx: %s, w: %s[3], y: %s) {\n%s}\n", c.is_named ? "n: index, " : "",
            first, c.type, shape, body);
    free(body);
    made.text = c.g.text;
    return made;
}

#endif
