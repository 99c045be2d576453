/* generate_loaded.h - functions whose heads read memory: bounds of loops, conditions, `where`,
   lets and indices are read from counters that are stored to before, between, in and behind the
   stages. Bounds that depend on an outer loop, arrays that are written in parts, again, in place.
   What moves a stage, or reads its bounds twice, has something to get wrong.

   needs     generate.h
   promises  a seed gives the same function always, in numbers that are exact; what is read was
             written */
#ifndef IRL_GENERATE_LOADED_H
#define IRL_GENERATE_LOADED_H

enum { LOADED_STAGES = 4 };

typedef struct loaded {
    gen         g;
    const char *type;
    int         n;           /* elements of each array */
    int         lo[2];       /* of each counter, at the end of the text so far */
    int         lets, has_let; /* how many, and is the last one's bound that of `let_lo`? */
    int         let_lo;
    char        last[16];    /* the stage before, of which the first `known` elements are written */
    int         known;
    int         is_square;   /* it is n x n, below its diagonal */
} loaded;

/* ------------------------------------------------------------------ counters */

static void loaded_count(loaded *c)
{
    const int k = gen_below(&c->g, 2), other = 1 - k, value = 1 + gen_below(&c->g, c->n);
    switch (gen_below(&c->g, 5)) {
    case 0:
        gen_put(&c->g, *c->type == 'f' ? "    c[%d] = i32(min(max(x[%d], 1.0f), 3.0f));\n"
                                       : "    c[%d] = i32(x[%d] %% 3) + 1;\n",
                k, gen_below(&c->g, c->n));
        c->lo[k] = 1;
        break;
    case 1:
        gen_put(&c->g, "    c[%d] = min(c[%d] + 1, %d);\n", k, other, c->n);
        c->lo[k] = c->lo[other] + 1 < c->n ? c->lo[other] + 1 : c->n;
        break;
    case 2:
        gen_put(&c->g, "    for (q: 2) c[%d] = c[%d] %% %d + 1;\n", k, k, c->n);
        c->lo[k] = 1;
        break;
    default:
        gen_put(&c->g, "    c[%d] = %d;\n", k, value);
        c->lo[k] = value;
    }
}

/* A bound in terms of a counter, or a let of one: from *lo to c->n. */
static void loaded_bound(loaded *c, int *lo, char *out)
{
    const int k = gen_below(&c->g, 2);
    if (c->has_let && gen_chance(&c->g, 40)) {
        sprintf(out, "n%d", c->lets - 1);
        *lo = c->let_lo;
        return;
    }
    *lo = c->lo[k];
    sprintf(out, "index(c[%d])", k);
    if (gen_chance(&c->g, 50)) return;
    gen_put(&c->g, "    let n%d = index(c[%d]);\n", c->lets, k);
    sprintf(out, "n%d", c->lets++);
    c->has_let = 1;
    c->let_lo = *lo;
}

/* ------------------------------------------------------------------ values */

/* An element of the stage before, where i is any index. */
static void loaded_before(loaded *c, const char *i)
{
    const int k = gen_below(&c->g, 2);
    if (c->is_square) {
        gen_put(&c->g, gen_chance(&c->g, 50) ? "%s[%s, 0]" : "%s[%s, %s / 2]", c->last, i, i);
        return;
    }
    switch (gen_below(&c->g, 4)) {
    case 0: gen_put(&c->g, "%s[(%s + index(c[%d])) %% %d]", c->last, i, k, c->known); break;
    case 1: gen_put(&c->g, "%s[%d - %s %% %d]", c->last, c->known - 1, i, c->known); break;
    default:
        if (c->known == c->n) gen_put(&c->g, "%s[%s]", c->last, i);
        else gen_put(&c->g, "%s[%s %% %d]", c->last, i, c->known);
    }
}

static void loaded_value(loaded *c, const char *i)
{
    switch (gen_below(&c->g, 4)) {
    case 0: gen_put(&c->g, "max("); loaded_before(c, i); gen_put(&c->g, ", x[%s])", i); break;
    case 1:
        loaded_before(c, i);
        gen_put(&c->g, " + %s(c[%d])", c->type, gen_below(&c->g, 2));
        break;
    case 2: loaded_before(c, i); gen_put(&c->g, " + "); loaded_before(c, i); break;
    default: loaded_before(c, i);
    }
}

/* ------------------------------------------------------------------ stages */

static void loaded_all(loaded *c, const char *to)
{
    gen_put(&c->g, "    for (i: %d) %s[i] = ", c->n, to);
    loaded_value(c, "i");
    gen_put(&c->g, ";\n");
}

/* The first elements of an array, as many as a counter says, by one of four heads. How many at
   least. */
static int loaded_part(loaded *c, const char *to)
{
    const int form = gen_below(&c->g, 4);
    char      bound[24];
    int       lo;
    loaded_bound(c, &lo, bound);
    switch (form) {
    case 0: gen_put(&c->g, "    for (i: %s) %s[i] = ", bound, to); break;
    case 1: gen_put(&c->g, "    for (i: %d) if (i < %s) %s[i] = ", c->n, bound, to); break;
    case 2:
        gen_put(&c->g, "    for (i: %d) block %s(a: spatial(%d) = i) where (i < %s) { %s[a] = ",
                c->n, to, c->n, bound, to);
        break;
    default:
        gen_put(&c->g, "    for (i: %s) block %s(a: spatial(%d) = i) { %s[a] = ", bound, to, c->n,
                to);
    }
    loaded_value(c, form < 2 ? "i" : "a");
    gen_put(&c->g, form < 2 ? ";\n" : "; }\n");
    return lo;
}

/* All of it in two parts, or by one of two branches. */
static void loaded_in_parts(loaded *c, const char *to)
{
    const int half = 1 + gen_below(&c->g, c->n - 1);
    if (gen_chance(&c->g, 50)) {
        gen_put(&c->g, "    for (i: %d) %s[i] = ", half, to);
        loaded_value(c, "i");
        gen_put(&c->g, ";\n    for (i: %d .. %d) %s[i] = ", half, c->n, to);
        loaded_value(c, "i");
        gen_put(&c->g, ";\n");
        return;
    }
    gen_put(&c->g, "    if (c[%d] > %d) {\n    ", gen_below(&c->g, 2), half);
    loaded_all(c, to);
    gen_put(&c->g, "    } else {\n    ");
    loaded_all(c, to);
    gen_put(&c->g, "    }\n");
}

/* What is there once more: in place, in a chain, below a diagonal, behind a loaded index, and with
   a counter that the loop itself changes. */
static void loaded_again(loaded *c, const char *to)
{
    const int k = gen_below(&c->g, 2);
    char      bound[24];
    int       lo;
    switch (gen_below(&c->g, 5)) {
    case 0:
        loaded_bound(c, &lo, bound);
        gen_put(&c->g, "    for (i: %s) %s[i] = %s[i] + x[i];\n", bound, to, to);
        break;
    case 1:
        gen_put(&c->g, "    for (i: 1 .. %d) %s[i] = max(%s[i], %s[i - 1]);\n", c->n, to, to, to);
        break;
    case 2:
        gen_put(&c->g, gen_chance(&c->g, 50) ? "    for (i: %d, j: i + 1) " :
                "    for (i: %d, j: i .. %d) ", c->n, c->n);
        gen_put(&c->g, "%s[j] = max(%s[j], x[i]);\n", to, to);
        break;
    case 3:
        gen_put(&c->g, "    for (i: index(c[%d]) %% %d .. %d) %s[i] = x[i];\n", k, c->n, c->n, to);
        break;
    default:
        gen_put(&c->g, "    for (i: %d) { %s[i] = %s[i] + %s(c[%d]); c[%d] = c[%d] %% %d + 1; }\n",
                c->n, to, to, c->type, k, k, k, c->n);
        c->lo[k] = 1;
    }
}

/* Sums of as many terms as a counter says, or of a row up to the diagonal. */
static void loaded_sums(loaded *c, const char *to)
{
    char bound[24];
    int  lo;
    loaded_bound(c, &lo, bound);
    if (gen_chance(&c->g, 40)) strcpy(bound, "i + 1");
    if (gen_chance(&c->g, 50)) {
        gen_put(&c->g, "    for (i: %d) %s[i] = sum(r: %s, ", c->n, to, bound);
        loaded_before(c, "r");
        gen_put(&c->g, ");\n");
        return;
    }
    gen_put(&c->g, "    for (i: %d) { %s[i] = x[i]; for (r: %s) %s[i] += ", c->n, to, bound, to);
    loaded_before(c, "r");
    gen_put(&c->g, "; }\n");
}

/* Rows up to the diagonal. */
static void loaded_square(loaded *c, const char *to)
{
    if (gen_chance(&c->g, 50)) {
        gen_put(&c->g, "    for (i: %d, j: i + 1) %s[i, j] = ", c->n, to);
        loaded_value(c, "j");
        gen_put(&c->g, ";\n");
        return;
    }
    gen_put(&c->g, "    for (i: %d, j: i + 1) block %s(a: spatial(%d) = i, b: spatial(%d) = j) { "
            "%s[a, b] = ", c->n, to, c->n, c->n, to);
    loaded_value(c, "b");
    gen_put(&c->g, "; }\n");
}

static void loaded_stage(loaded *c, const char *to)
{
    const int kind = gen_below(&c->g, 7);
    int       known = c->n, is_square = 0;
    if (kind < 6 || c->n > 6) gen_put(&c->g, "    alloc %s: %s[%d];\n", to, c->type, c->n);
    else gen_put(&c->g, "    alloc %s: %s[%d, %d];\n", to, c->type, c->n, c->n);
    if (gen_chance(&c->g, 40)) loaded_count(c);
    switch (kind) {
    case 0: case 1: known = loaded_part(c, to); break;
    case 2: loaded_in_parts(c, to); break;
    case 3: loaded_sums(c, to); break;
    case 4: loaded_all(c, to); loaded_again(c, to); break;
    case 5: loaded_all(c, to); loaded_part(c, to); break;
    default:
        is_square = c->n <= 6;
        if (is_square) loaded_square(c, to);
        else loaded_all(c, to);
    }
    strcpy(c->last, to);
    c->known = known;
    c->is_square = is_square;
}

/* The result; or all of the array once more, which was read before, and then the result. */
static void loaded_end(loaded *c)
{
    if (!c->is_square && gen_chance(&c->g, 20)) {
        gen_put(&c->g, "    for (i: %d) y[i] = ", c->n);
        loaded_value(c, "i");
        gen_put(&c->g, ";\n    for (i: %d) %s[i] = x[%d - i];\n", c->n, c->last, c->n - 1);
        gen_put(&c->g, "    for (i: %d) y[i] = max(y[i], %s[i]);\n", c->n, c->last);
        return;
    }
    if (gen_chance(&c->g, 50)) loaded_all(c, "y");
    else (void)loaded_part(c, "y");
    if (gen_chance(&c->g, 40)) loaded_count(c);
    if (gen_chance(&c->g, 40)) loaded_again(c, "y");
}

static gen_case gen_loaded(uint64_t seed)
{
    static const irl_scalar  types[] = { IRL_F32, IRL_U32, IRL_U8, IRL_U16, IRL_U64 };
    static const char *const names[] = { "f32", "u32", "u8", "u16", "u64" };
    gen_case made;
    loaded   c;
    char     to[16];
    int      k, stages, which;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0x10ad);
    which = gen_below(&c.g, 5);
    c.type = names[which];
    c.n = c.known = 3 + gen_below(&c.g, 6);
    stages = 1 + gen_below(&c.g, LOADED_STAGES - 1);
    strcpy(c.last, "x");
    c.lo[0] = 1 + gen_below(&c.g, c.n);
    c.lo[1] = 1 + gen_below(&c.g, c.n);
    gen_put(&c.g, "func loaded(x: %s[%d], y: %s[%d]) {\n", c.type, c.n, c.type, c.n);
    gen_put(&c.g, "    alloc c: i32[2];\n    c[0] = %d;\n    c[1] = %d;\n", c.lo[0], c.lo[1]);
    for (k = 0; k < stages; k++) {
        sprintf(to, "t%d", k);
        loaded_stage(&c, to);
        if (gen_chance(&c.g, 60)) loaded_count(&c);
    }
    loaded_end(&c);
    gen_put(&c.g, "}\n");
    gen_case_param(&made, "x", types[which], 1, c.n, 0);
    gen_case_param(&made, "y", types[which], 1, c.n, 0);
    made.text = c.g.text;
    return made;
}

#endif
