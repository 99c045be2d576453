/* generate_loaded.h - functions whose heads read memory: bounds of loops, conditions, `where`,
   lets and indices are read from counters that are stored to before, between, in and behind the
   stages. Bounds that depend on an outer loop, arrays that are written in parts, again, in place.
   What moves a stage, or reads its bounds twice, has something to get wrong.

   needs     generate.h; generate_chains.h, for its parameters; stdio.h, stdarg.h
   promises  a seed gives the same function always, in numbers that are exact; what is read was
             written */
#ifndef IRL_GENERATE_LOADED_H
#define IRL_GENERATE_LOADED_H

enum { LOADED_STAGES = 4, LOADED_TEXT = 8000 };

typedef struct loaded {
    gen         g;
    const char *type;
    int         n;           /* elements of each array */
    int         lo[2], hi[2]; /* of each counter, at the end of the text so far */
    int         lets, has_let; /* how many, and is the last one's bound that of `let_lo`? */
    int         let_lo;
    char        last[16];    /* the stage before, of which the first `known` elements are written */
    int         known;
    int         is_square;   /* it is n x n, below its diagonal */
    char       *at;
} loaded;

static void loaded_put(loaded *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    c->at += vsprintf(c->at, format, arguments);
    va_end(arguments);
}

/* ------------------------------------------------------------------ counters */

static void loaded_count(loaded *c)
{
    const int k = gen_below(&c->g, 2), other = 1 - k, value = 1 + gen_below(&c->g, c->n);
    switch (gen_below(&c->g, 5)) {
    case 0:
        loaded_put(c, *c->type == 'f' ? "    c[%d] = i32(min(max(x[%d], 1.0f), 3.0f));\n"
                                      : "    c[%d] = i32(x[%d] %% 3) + 1;\n",
                   k, gen_below(&c->g, c->n));
        c->lo[k] = 1;
        c->hi[k] = 3;
        break;
    case 1:
        loaded_put(c, "    c[%d] = min(c[%d] + 1, %d);\n", k, other, c->n);
        c->lo[k] = c->lo[other] + 1 < c->n ? c->lo[other] + 1 : c->n;
        c->hi[k] = c->hi[other] + 1 < c->n ? c->hi[other] + 1 : c->n;
        break;
    case 2:
        loaded_put(c, "    for (q: 2) c[%d] = c[%d] %% %d + 1;\n", k, k, c->n);
        c->lo[k] = 1;
        c->hi[k] = c->n;
        break;
    default:
        loaded_put(c, "    c[%d] = %d;\n", k, value);
        c->lo[k] = c->hi[k] = value;
    }
}

/* A bound in terms of a counter, or a let of one: from *lo to c->n. */
static void loaded_bound(loaded *c, int may_let, int *lo, char *out)
{
    const int k = gen_below(&c->g, 2);
    if (may_let && c->has_let && gen_chance(&c->g, 40)) {
        sprintf(out, "n%d", c->lets - 1);
        *lo = c->let_lo;
        return;
    }
    *lo = c->lo[k];
    sprintf(out, "index(c[%d])", k);
    if (!may_let || gen_chance(&c->g, 50)) return;
    loaded_put(c, "    let n%d = index(c[%d]);\n", c->lets, k);
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
        loaded_put(c, gen_chance(&c->g, 50) ? "%s[%s, 0]" : "%s[%s, %s / 2]", c->last, i, i);
        return;
    }
    switch (gen_below(&c->g, 4)) {
    case 0: loaded_put(c, "%s[(%s + index(c[%d])) %% %d]", c->last, i, k, c->known); break;
    case 1: loaded_put(c, "%s[%d - %s %% %d]", c->last, c->known - 1, i, c->known); break;
    default:
        if (c->known == c->n) loaded_put(c, "%s[%s]", c->last, i);
        else loaded_put(c, "%s[%s %% %d]", c->last, i, c->known);
    }
}

static void loaded_value(loaded *c, const char *i)
{
    switch (gen_below(&c->g, 4)) {
    case 0: loaded_put(c, "max("); loaded_before(c, i); loaded_put(c, ", x[%s])", i); break;
    case 1:
        loaded_before(c, i);
        loaded_put(c, " + %s(c[%d])", c->type, gen_below(&c->g, 2));
        break;
    case 2: loaded_before(c, i); loaded_put(c, " + "); loaded_before(c, i); break;
    default: loaded_before(c, i);
    }
}

/* ------------------------------------------------------------------ stages */

static void loaded_all(loaded *c, const char *to)
{
    loaded_put(c, "    for (i: %d) %s[i] = ", c->n, to);
    loaded_value(c, "i");
    loaded_put(c, ";\n");
}

/* The first elements of an array, as many as a counter says, by one of four heads. How many at
   least. */
static int loaded_part(loaded *c, const char *to)
{
    const int form = gen_below(&c->g, 4);
    char      bound[24];
    int       lo;
    loaded_bound(c, 1, &lo, bound);
    switch (form) {
    case 0: loaded_put(c, "    for (i: %s) %s[i] = ", bound, to); break;
    case 1: loaded_put(c, "    for (i: %d) if (i < %s) %s[i] = ", c->n, bound, to); break;
    case 2:
        loaded_put(c, "    for (i: %d) block %s(a: spatial(%d) = i) where (i < %s) { %s[a] = ",
                   c->n, to, c->n, bound, to);
        break;
    default:
        loaded_put(c, "    for (i: %s) block %s(a: spatial(%d) = i) { %s[a] = ", bound, to, c->n,
                   to);
    }
    loaded_value(c, form < 2 ? "i" : "a");
    loaded_put(c, form < 2 ? ";\n" : "; }\n");
    return lo;
}

/* All of it in two parts, or by one of two branches. */
static void loaded_in_parts(loaded *c, const char *to)
{
    const int half = 1 + gen_below(&c->g, c->n - 1);
    if (gen_chance(&c->g, 50)) {
        loaded_put(c, "    for (i: %d) %s[i] = ", half, to);
        loaded_value(c, "i");
        loaded_put(c, ";\n    for (i: %d .. %d) %s[i] = ", half, c->n, to);
        loaded_value(c, "i");
        loaded_put(c, ";\n");
        return;
    }
    loaded_put(c, "    if (c[%d] > %d) {\n    ", gen_below(&c->g, 2), half);
    loaded_all(c, to);
    loaded_put(c, "    } else {\n    ");
    loaded_all(c, to);
    loaded_put(c, "    }\n");
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
        loaded_bound(c, 1, &lo, bound);
        loaded_put(c, "    for (i: %s) %s[i] = %s[i] + x[i];\n", bound, to, to);
        break;
    case 1: loaded_put(c, "    for (i: 1 .. %d) %s[i] = max(%s[i], %s[i - 1]);\n", c->n, to, to,
                       to);
        break;
    case 2:
        loaded_put(c, gen_chance(&c->g, 50) ? "    for (i: %d, j: i + 1) " :
                   "    for (i: %d, j: i .. %d) ", c->n, c->n);
        loaded_put(c, "%s[j] = max(%s[j], x[i]);\n", to, to);
        break;
    case 3:
        loaded_put(c, "    for (i: index(c[%d]) %% %d .. %d) %s[i] = x[i];\n", k, c->n, c->n, to);
        break;
    default:
        loaded_put(c, "    for (i: %d) { %s[i] = %s[i] + %s(c[%d]); c[%d] = c[%d] %% %d + 1; }\n",
                   c->n, to, to, c->type, k, k, k, c->n);
        c->lo[k] = 1;
        c->hi[k] = c->n;
    }
}

/* Sums of as many terms as a counter says, or of a row up to the diagonal. */
static void loaded_sums(loaded *c, const char *to)
{
    char bound[24];
    int  lo;
    loaded_bound(c, 1, &lo, bound);
    if (gen_chance(&c->g, 40)) strcpy(bound, "i + 1");
    if (gen_chance(&c->g, 50)) {
        loaded_put(c, "    for (i: %d) %s[i] = sum(r: %s, ", c->n, to, bound);
        loaded_before(c, "r");
        loaded_put(c, ");\n");
        return;
    }
    loaded_put(c, "    for (i: %d) { %s[i] = x[i]; for (r: %s) %s[i] += ", c->n, to, bound, to);
    loaded_before(c, "r");
    loaded_put(c, "; }\n");
}

/* Rows up to the diagonal. */
static void loaded_square(loaded *c, const char *to)
{
    if (gen_chance(&c->g, 50)) {
        loaded_put(c, "    for (i: %d, j: i + 1) %s[i, j] = ", c->n, to);
        loaded_value(c, "j");
        loaded_put(c, ";\n");
        return;
    }
    loaded_put(c, "    for (i: %d, j: i + 1) block %s(a: spatial(%d) = i, b: spatial(%d) = j) { "
               "%s[a, b] = ", c->n, to, c->n, c->n, to);
    loaded_value(c, "b");
    loaded_put(c, "; }\n");
}

static void loaded_stage(loaded *c, const char *to)
{
    const int kind = gen_below(&c->g, 7);
    int       known = c->n, is_square = 0;
    if (kind < 6 || c->n > 6) loaded_put(c, "    alloc %s: %s[%d];\n", to, c->type, c->n);
    else loaded_put(c, "    alloc %s: %s[%d, %d];\n", to, c->type, c->n, c->n);
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
        loaded_put(c, "    for (i: %d) y[i] = ", c->n);
        loaded_value(c, "i");
        loaded_put(c, ";\n    for (i: %d) %s[i] = x[%d - i];\n", c->n, c->last, c->n - 1);
        loaded_put(c, "    for (i: %d) y[i] = max(y[i], %s[i]);\n", c->n, c->last);
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
    char     body[LOADED_TEXT], to[16];
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
    c.at = body;
    c.lo[0] = c.hi[0] = 1 + gen_below(&c.g, c.n);
    c.lo[1] = c.hi[1] = 1 + gen_below(&c.g, c.n);
    loaded_put(&c, "    alloc c: i32[2];\n    c[0] = %d;\n    c[1] = %d;\n", c.lo[0], c.lo[1]);
    for (k = 0; k < stages; k++) {
        sprintf(to, "t%d", k);
        loaded_stage(&c, to);
        if (gen_chance(&c.g, 60)) loaded_count(&c);
    }
    loaded_end(&c);
    made.param_count = 2;
    for (k = 0; k < 2; k++) {
        gen_param *p = &made.params[k];
        strcpy(p->name, k ? "y" : "x");
        p->type = types[which];
        p->is_buffer = 1;
        p->rank = 1;
        p->extent[0] = c.n;
    }
    made.text = (char *)gen_kept(malloc(LOADED_TEXT + 100));
    sprintf(made.text, "func loaded(x: %s[%d], y: %s[%d]) {\n%s}\n", c.type, c.n, c.type, c.n,
            body);
    return made;
}

#endif
