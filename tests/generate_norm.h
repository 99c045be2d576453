/* generate_norm.h - small functions over normalised integers: loads, stores, casts, bits, in plain
   memory and images, through layouts, temporaries, views and vectors.

   needs     irlayout.h, generate.h before it
   promises  all tensors have 256 elements, so that each code of 8 bits may be there; every element
             of an output is written. Values are exact but where an image is read as floats:
             has_image says that there is one, and param.ulp how far floats may then be off. Which
             of the two codes for -1 an image gives is open, so there nobody looks at bits */
#ifndef IRL_GENERATE_NORM_H
#define IRL_GENERATE_NORM_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

typedef struct norm_tensor {
    char       name[8];
    irl_scalar type;
    int        is_image, is_vector, is_plain; /* is_plain: a view is on it, so no layout */
} norm_tensor;

typedef struct norm_gen {
    gen         g;
    norm_tensor t[12];
    int         count, has_image, is_for_images;
} norm_gen;

static irl_scalar norm_some_type(norm_gen *n)
{
    static const irl_scalar types[] = { IRL_SNORM8, IRL_SNORM8, IRL_UNORM8, IRL_SNORM16,
                                        IRL_UNORM16 };
    return types[gen_below(&n->g, 5)];
}

/* The integer with the same bits. */
static irl_scalar norm_bits(irl_scalar t)
{
    if (t == IRL_SNORM8) return IRL_I8;
    return t == IRL_UNORM8 ? IRL_U8 : t == IRL_SNORM16 ? IRL_I16 : IRL_U16;
}

static norm_tensor *norm_add(norm_gen *n, const char *name, int number, irl_scalar type)
{
    norm_tensor *t = &n->t[n->count++];
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, "%s%d", name, number);
    t->type = type;
    t->is_image = n->is_for_images && gen_chance(&n->g, 40);
    n->has_image |= t->is_image;
    return t;
}

/* An element of a source, at the place of the loops or another one. */
static void norm_put_load(norm_gen *n, const norm_tensor *t)
{
    static const char *const places[] = { "i, j, c", "i, j, c", "7 - i, j, c", "j, i, c",
                                          "i, j, 3 - c" };
    if (t->is_vector) gen_put(&n->g, "lane(%s[i, j], c)", t->name);
    else gen_put(&n->g, "%s[%s]", t->name, places[gen_below(&n->g, 5)]);
}

/* A source of a type (or of its bits), NULL if there is none; the first `end` tensors are
   defined. */
static const norm_tensor *norm_source(norm_gen *n, int end, irl_scalar type)
{
    int k, at = gen_below(&n->g, end);
    for (k = 0; k < end; k++, at = (at + 1) % end)
        if (n->t[at].type == type) return &n->t[at];
    return NULL;
}

static const norm_tensor *norm_any(norm_gen *n, int end)
{
    int k, at = gen_below(&n->g, end);
    for (k = 0; k < end; k++, at = (at + 1) % end)
        if (gen_is(n->t[at].type, "n")) return &n->t[at];
    return &n->t[0]; /* the first is normalised */
}

/* A float that is exact, from -16 to 16 or from -1 to 1, or the value of a fraction. */
static void norm_put_float(norm_gen *n, int end)
{
    gen *g = &n->g;
    switch (gen_below(g, 6)) {
    case 0: gen_put(g, "b[i, j, c]"); break;
    case 1: gen_put(g, "b[i, j, c] * 0.0625f"); break;
    case 2: gen_put(g, "b[i, j, c] * 0.125f - 0.5f"); break;
    case 3: gen_put(g, "f32(c - 2) * 0.75f"); break;
    default:
        gen_put(g, "f32(");
        norm_put_load(n, norm_any(n, end));
        gen_put(g, ")");
        if (gen_chance(g, 30)) gen_put(g, " * 1.5f");
        break;
    }
}

static void norm_put_value(norm_gen *n, int end, irl_scalar type, int depth)
{
    static const char *const constants[] = { "-2.0", "-1.004", "-1.0", "-0.5", "0.0", "0.003",
                                             "1.0",  "3.0" };
    gen                     *g = &n->g;
    const norm_tensor       *same = norm_source(n, end, type),
                            *bits = norm_source(n, end, norm_bits(type));
    switch (gen_below(g, depth ? 10 : 7)) {
    case 0: gen_put(g, "%s(%s)", gen_text(type), constants[gen_below(g, 8)]); return;
    case 1:
        if (!bits) break;
        gen_put(g, "as(%s, ", gen_text(type));
        norm_put_load(n, bits);
        gen_put(g, ")");
        return;
    case 2:
        gen_put(g, "as(%s, %s(%d))", gen_text(type), gen_text(norm_bits(type)),
                gen_between(g, gen_is(norm_bits(type), "i") ? -128 : 0, 127));
        return;
    case 3:
    case 4:
        if (!same) break;
        norm_put_load(n, same);
        return;
    case 7:
        gen_put(g, "select(i < j, ");
        norm_put_value(n, end, type, depth - 1);
        gen_put(g, ", ");
        norm_put_value(n, end, type, depth - 1);
        gen_put(g, ")");
        return;
    case 8:
        gen_put(g, "(b[i, j, c] > 0.5f ? ");
        norm_put_value(n, end, type, depth - 1);
        gen_put(g, " : ");
        norm_put_value(n, end, type, depth - 1);
        gen_put(g, ")");
        return;
    case 9:
        gen_put(g, "let(v = ");
        norm_put_value(n, end, type, depth - 1);
        gen_put(g, ", c < 2 ? v : %s(f32(v)))", gen_text(type));
        return;
    default: break;
    }
    gen_put(g, "%s(", gen_text(type));
    norm_put_float(n, end);
    gen_put(g, ")");
}

/* What any tensor holds: a fraction, its bits, or a float. */
static void norm_put_any(norm_gen *n, int end, irl_scalar type)
{
    const norm_tensor *s = norm_any(n, end);
    int                k;
    if (gen_is(type, "n")) norm_put_value(n, end, type, 2);
    else if (type == IRL_F32) norm_put_float(n, end);
    else {
        for (k = 0; k < end && norm_bits(s->type) != type; k++) s = &n->t[k];
        if (n->is_for_images || !gen_is(s->type, "n") || norm_bits(s->type) != type) {
            gen_put(&n->g, "%s(0)", gen_text(type));
            return;
        }
        gen_put(&n->g, "as(%s, ", gen_text(type));
        norm_put_load(n, s);
        gen_put(&n->g, ")");
    }
}

/* All of t, by tensors before `end`. */
static void norm_define(norm_gen *n, const norm_tensor *t, int end)
{
    static const char *const heads[] = { "for (i: 8, j: 8, c: 4)",
                                         "for parallel (i: 8, j: 8, c: 4)",
                                         "for (i: 8, j: 8) for vectorized (c: 4)",
                                         "for bind(global.x) (i: 8) for (j: 8, c: 4)" };
    gen *g = &n->g;
    gen_begin(g);
    if (t->is_vector) {
        gen_put(g, "for (i: 8, j: 8) %s[i, j] = %sx4(f32x4(b[i, j, ramp(0, 1, 4)]) * 0.1875f);\n",
                t->name, gen_text(t->type));
        return;
    }
    if (!t->is_image && gen_chance(g, 15)) {
        gen_put(g, "for (i: 8, j: 8) {\n");
        g->indent++;
        gen_line(g, "alloc l: %s[4] scope(local)", gen_text(t->type));
        gen_begin(g);
        gen_put(g, "for (c: 4) l[c] = ");
        norm_put_any(n, end, t->type);
        gen_end(g);
        gen_line(g, "for (c: 4) %s[i, j, c] = l[%s]", t->name, gen_chance(g, 50) ? "c" : "3 - c");
        gen_close_brace(g);
        return;
    }
    gen_put(g, "%s %s[i, j, c] = ", heads[gen_below(g, t->is_image ? 2 : 4)], t->name);
    norm_put_any(n, end, t->type);
    gen_end(g);
}

/* Reads or writes the bits of a temporary in plain memory through a view. */
static void norm_view(norm_gen *n, norm_tensor *t)
{
    gen *g = &n->g;
    if (n->is_for_images || t->is_vector || !gen_chance(g, 40)) return;
    t->is_plain = 1;
    gen_line(g, "decl w%s: %s[256] data(%s)", t->name, gen_text(norm_bits(t->type)), t->name);
    if (gen_chance(g, 50))
        gen_line(g, "for (i: 256) w%s[i] = w%s[i] ^ %s(%d)", t->name, t->name,
                 gen_text(norm_bits(t->type)), 1 << gen_below(g, 7));
}

static void norm_put_layout(norm_gen *n, const norm_tensor *t)
{
    static const char *const plain[] = { "(i, j, c) -> (j, i, c)", "(i, j, c) -> (c, i, j)",
                                         "(i, j, c) -> (i, j / 2, c, j % 2)",
                                         "(i, j, c) -> (i * 32 + j * 4 + c)",
                                         "(i, j, c) -> (i + 1, j, c)" };
    static const char *const images[] = { "(i, j, c) -> (j, i, c)",
                                          "(i, j, c) -> (i / 2, i % 2 * 8 + j, c)",
                                          "(i, j, c) -> (i, j, 3 - c)" };
    gen *g = &n->g;
    int  k = gen_below(g, 5);
    if (t->is_plain || t->is_vector || gen_is(t->type, "f") || !gen_chance(g, 40)) return;
    if (!t->is_image) {
        gen_put(g, "\n    layout(%s: %s, pad(%s(0)))", t->name, plain[k], gen_text(t->type));
        return;
    }
    if (k < 3) gen_put(g, "\n    layout(%s: %s)", t->name, images[k]);
    else if (gen_types[t->type].bits == 8)
        gen_put(g, "\n    layout(%s: (i, j, c) -> (i, j / 4, j %% 4 * 4 + c))", t->name);
    else gen_put(g, "\n    layout(%s: (i, j, c) -> (i, j / 2, j %% 2 * 4 + c))", t->name);
}

static void norm_params(norm_gen *n, gen_case *c, int from, int to)
{
    int k;
    for (k = from; k < to; k++) {
        gen_param *p = &c->params[c->param_count++];
        memset(p, 0, sizeof *p);
        strcpy(p->name, n->t[k].name);
        p->type = n->t[k].type;
        p->is_buffer = 1;
        p->rank = 3;
        p->extent[0] = p->extent[1] = 8;
        p->extent[2] = 4;
    }
}

/* The function of a seed; images only where the caller has them. Freed by gen_free. */
static gen_case norm_function(uint64_t seed, int images, int *has_image)
{
    norm_gen n;
    gen_case c;
    char    *body;
    int      k, inputs, temps, outputs;
    memset(&n, 0, sizeof n);
    memset(&c, 0, sizeof c);
    c.seed = seed;
    n.g.random = seed ^ UINT64_C(0x6e6f726d);
    n.g.indent = 1;
    n.is_for_images = images && gen_chance(&n.g, 50);
    inputs = gen_between(&n.g, 1, 3);
    temps = gen_below(&n.g, 3);
    outputs = gen_between(&n.g, 1, 2);
    for (k = 0; k < inputs; k++) {
        irl_scalar t = norm_some_type(&n);
        norm_add(&n, "a", k, k && gen_chance(&n.g, 30) ? norm_bits(t) : t);
    }
    norm_params(&n, &c, 0, n.count);
    for (k = 0; k < temps; k++) {
        norm_tensor *t = norm_add(&n, "t", k, norm_some_type(&n));
        t->is_vector = !t->is_image && gen_chance(&n.g, 15);
        gen_line(&n.g, "alloc %s: %s%s%s", t->name, gen_text(t->type),
                 t->is_vector ? "x4[8, 8]" : "[8, 8, 4]", t->is_image ? " scope(texture)" : "");
        norm_define(&n, t, n.count - 1);
        norm_view(&n, t);
    }
    for (k = 0; k < outputs; k++) {
        irl_scalar   t = norm_some_type(&n);
        int          way = gen_below(&n.g, 10);
        norm_tensor *y = norm_add(&n, "y", k, way < 6 ? t : way < 8 ? norm_bits(t) : IRL_F32);
        norm_define(&n, y, n.count - 1);
        norm_params(&n, &c, n.count - 1, n.count);
        if (y->type == IRL_F32) c.params[c.param_count - 1].ulp = n.has_image ? 8 : 0;
    }
    strcpy(c.params[c.param_count].name, "b");
    norm_add(&n, "b", 0, IRL_F32);
    strcpy(n.t[n.count - 1].name, "b");
    n.t[n.count - 1].is_image = 0;
    norm_params(&n, &c, n.count - 1, n.count);
    body = n.g.text;
    n.g.text = NULL;
    n.g.length = n.g.capacity = 0;
    gen_put_definitions(&n.g);
    gen_put(&n.g, "func f%d(", (int)(seed % 1000000));
    for (k = 0; k < n.count; k++)
        if (n.t[k].name[0] != 't')
            gen_put(&n.g, "%s%s: %s[8, 8, 4]%s", k ? ", " : "", n.t[k].name, gen_text(n.t[k].type),
                    n.t[k].is_image ? " scope(texture)" : "");
    gen_put(&n.g, ")");
    for (k = 0; k < n.count; k++) norm_put_layout(&n, &n.t[k]);
    gen_put(&n.g, " {\n%s}\n", body);
    free(body);
    c.text = n.g.text;
    *has_image = n.has_image;
    return c;
}

#endif
