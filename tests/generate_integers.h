/* generate_integers.h - functions of integers alone, for machines whose int is narrow: all widths
   of elements and values, what C promotes, loops at the ends of a type.

   needs     generate.h before it
   promises  a seed gives the same function on every machine: nests of serial loops over parameters
             that are read and written, small private arrays, branches, lets, updates. No access is
             out of range, no shift too far, no divisor 0 or -1. Memory is any bytes, of bools 0
             and 1 */
#ifndef IRL_GENERATE_INTEGERS_H
#define IRL_GENERATE_INTEGERS_H

enum { INTS_BUFFERS = 4, INTS_SCALARS = 2, INTS_CELLS = 24 };

typedef struct ints_case {
    gen_case c;
    int      bytes[GEN_PARAMS];     /* of memory; of a scalar, those of its value */
    int      has_bits[GEN_PARAMS];  /* its memory is bytes */
    char     element[GEN_TENSORS][24];
} ints_case;

/* What stands for an element, and how many bits it has: its type, or a width of that type. */
static int ints_element(gen *g, irl_scalar type, char *to, size_t room)
{
    const int bits = gen_types[type].bits, least = bits == 8 ? 1 : bits / 2 + 1;
    int       width = bits;
    snprintf(to, room, "%s", gen_text(type));
    if (type == IRL_BOOL) return 8;
    if (bits == 64 || gen_chance(g, 40)) return bits;
    width = gen_between(g, least, bits - 1);
    if (width == 1 && gen_is(type, "i")) width = 2;
    snprintf(to, room, "%c%d", gen_types[type].kind, width);
    return width;
}

static void ints_tensor(gen *g, ints_case *c, const char *prefix, int number, int most)
{
    gen_tensor *t = &g->tensors[g->tensor_count];
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, "%s%d", prefix, number);
    t->type = gen_chance(g, 8) ? IRL_BOOL : gen_some_integer(g);
    t->rank = 1;
    t->axis[0] = gen_constant_axis(gen_between(g, 1, most));
    t->memory = g->memory_count++;
    t->is_defined = 1;
    (void)ints_element(g, t->type, c->element[g->tensor_count++], sizeof c->element[0]);
}

/* ------------------------------------------------------------------ parameters */

static void ints_scalar(gen *g, ints_case *c, int number)
{
    static const int64_t ends[] = { 1, 5, 31, 126, 127, 254, 255, 256, 32767, 32768, 65535 };
    gen_param           *p = &c->c.params[c->c.param_count++];
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "p%d", number % 100);
    if (gen_chance(g, 50)) {
        p->type = IRL_INDEX;
        p->value = ends[gen_below(g, gen_chance(g, 60) ? 3 : 11)];
        gen_atom_add(g, p->name, (int)p->value + 1);
        return;
    }
    p->type = gen_some_integer(g);
    p->value = irl__wrap_int(irl_type_of(p->type, 1), (int64_t)gen_next(g) >> gen_below(g, 60));
    strcpy(g->names[g->name_count].text, p->name);
    g->names[g->name_count++].type = p->type;
}

static void ints_buffer(gen *g, ints_case *c, int k)
{
    const int   n = c->c.param_count++;
    gen_tensor *t = &g->tensors[g->tensor_count];
    gen_param  *p = &c->c.params[n];
    int         bits;
    ints_tensor(g, c, "m", k, INTS_CELLS);
    memset(p, 0, sizeof *p);
    strcpy(p->name, t->name);
    p->type = t->type;
    p->is_buffer = p->rank = 1;
    p->extent[0] = t->axis[0].extent;
    bits = t->type == IRL_BOOL ? 8 : atoi(c->element[k] + 1);
    c->has_bits[n] = bits < gen_types[t->type].bits;
    c->bytes[n] = (bits * p->extent[0] + 7) / 8;
    if (c->has_bits[n] && gen_chance(g, 40)) strcpy(t->attributes, " bits(msb)");
}

static void ints_put_params(gen *g, const ints_case *c)
{
    int k, buffer = 0;
    for (k = 0; k < c->c.param_count; k++) {
        const gen_param *p = &c->c.params[k];
        gen_put(g, "%s%s: ", k ? ", " : "", p->name);
        if (!p->is_buffer) gen_put(g, "%s", gen_text(p->type));
        else {
            gen_put(g, "%s[%d]%s", c->element[buffer], p->extent[0],
                    g->tensors[buffer].attributes);
            buffer++;
        }
    }
}

/* ------------------------------------------------------------------ statements */

static void ints_statements(gen *g, ints_case *c, int count, int depth);

static void ints_store(gen *g)
{
    gen_tensor *t = &g->tensors[gen_below(g, g->tensor_count)];
    gen_begin(g);
    gen_load(g, t);
    g->work = GEN_REDUCE_WORK / 4;
    if (t->type != IRL_BOOL && gen_chance(g, 25)) gen_integer_update(g, t->type, "");
    else {
        gen_put(g, " = ");
        gen_value(g, t->type, gen_between(g, 1, 4));
    }
    gen_end(g);
}

static void ints_let(gen *g)
{
    gen_words text;
    irl_scalar type = gen_chance(g, 15) ? IRL_BOOL : gen_some_integer(g);
    if (g->name_count == GEN_NAMES) return;
    gen_say(text, "v%d", g->name_number++);
    gen_begin(g);
    gen_put(g, "let %s: %s = ", text, gen_text(type));
    gen_value(g, type, gen_between(g, 1, 3));
    gen_end(g);
    snprintf(g->names[g->name_count].text, sizeof g->names[0].text, "%.7s", text);
    g->names[g->name_count].lanes = 0;
    g->names[g->name_count++].type = type;
}

static void ints_branch(gen *g, ints_case *c, int depth)
{
    gen_begin(g);
    gen_put(g, "if (");
    gen_bool(g, 2);
    gen_put(g, ")");
    gen_open_brace(g);
    ints_statements(g, c, gen_between(g, 1, 2), depth - 1);
    if (gen_chance(g, 50)) {
        gen_else(g);
        ints_statements(g, c, gen_between(g, 1, 2), depth - 1);
    }
    gen_close_brace(g);
}

/* The words of an index that a loop variable is in, below a number: steps, shifts, splits. */
static void ints_derived(gen *g, const char *name, int extent)
{
    gen_words text;
    const int step = gen_between(g, 2, 9), bits = gen_between(g, 2, 6);
    switch (gen_below(g, 5)) {
    case 0:
        gen_say(text, "(%s * %d)", name, step);
        gen_atom_add(g, text, (extent - 1) * step + 1);
        break;
    case 1:
        gen_say(text, "(1 << (%s %% %d))", name, bits);
        gen_atom_add(g, text, (1 << (bits - 1)) + 1);
        break;
    case 2:
        gen_say(text, "(%s >> %d)", name, step % 3 + 1);
        gen_atom_add(g, text, ((extent - 1) >> (step % 3 + 1)) + 1);
        break;
    case 3:
        gen_say(text, "(%d - %s)", extent - 1, name);
        gen_atom_add(g, text, extent);
        break;
    default: break;
    }
}

/* A loop from 0, or one whose last value is at the end of a type. */
static void ints_loop(gen *g, ints_case *c, int depth)
{
    static const int ends[] = { 127, 128, 255, 256, 32767, 32768, 65535, 65536 };
    const int        atoms = g->atom_count, names = g->name_count, tensors = g->tensor_count;
    const int        extent = gen_between(g, 1, 7), far = gen_chance(g, 20),
              end = ends[gen_below(g, 8)];
    gen_words name, text;
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    if (far) gen_put(g, "for (%s: %d .. %d)", name, end - extent, end);
    else gen_put(g, "for (%s: %d)", name, extent);
    gen_open_brace(g);
    gen_atom_add(g, name, far ? end : extent);
    if (far) {
        gen_say(text, "(%s - %d)", name, end - extent);
        gen_atom_add(g, text, extent);
    }
    ints_derived(g, far ? text : name, extent);
    ints_statements(g, c, gen_between(g, 1, 4), depth - 1);
    gen_close_brace(g);
    g->atom_count = atoms;
    g->name_count = names;
    g->tensor_count = tensors;
}

/* Private memory, and what fills it. */
static void ints_alloc(gen *g, ints_case *c)
{
    const int   n = g->tensor_count;
    gen_words   name;
    gen_tensor *t;
    if (n == GEN_TENSORS) return;
    ints_tensor(g, c, "t", g->memory_count, 9);
    t = &g->tensors[n];
    gen_begin(g);
    gen_put(g, "alloc %s: %s[%d] scope(local);\n", t->name, c->element[n], t->axis[0].extent);
    t->is_defined = 0;
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %d) %s[%s] = ", name, t->axis[0].extent, t->name, name);
    gen_value(g, t->type, 2);
    gen_end(g);
    t->is_defined = 1;
}

static void ints_statements(gen *g, ints_case *c, int count, int depth)
{
    const int names = g->name_count, tensors = g->tensor_count;
    int       k, way;
    for (k = 0; k < count; k++) {
        way = gen_below(g, 100);
        if (way < 15 && depth > 0) ints_branch(g, c, depth);
        else if (way < 27 && depth > 0) ints_loop(g, c, depth);
        else if (way < 42 && k + 1 < count) ints_let(g);
        else if (way < 48 && k + 1 < count) ints_alloc(g, c);
        else ints_store(g);
    }
    g->name_count = names;
    g->tensor_count = tensors;
}

/* ------------------------------------------------------------------ the function, its memory */

/* The function of a seed. Freed by gen_free of its case. */
static ints_case gen_integer_function(uint64_t seed)
{
    gen       g;
    ints_case c;
    char     *body;
    int       k, buffers, scalars;
    memset(&g, 0, sizeof g);
    memset(&c, 0, sizeof c);
    c.c.seed = seed;
    g.random = seed ^ UINT64_C(0xa0761d6478bd642f);
    g.hidden = -1;
    g.indent = 1;
    g.one_line = 1;
    g.options.integers = 1;
    g.options.narrow = gen_chance(&g, 75);
    g.work = GEN_REDUCE_WORK / 4;
    buffers = gen_between(&g, 2, INTS_BUFFERS);
    scalars = gen_below(&g, INTS_SCALARS + 1);
    for (k = 0; k < buffers; k++) ints_buffer(&g, &c, k);
    for (k = 0; k < scalars; k++) ints_scalar(&g, &c, k);
    gen_put(&g, "%s", "");
    for (k = gen_between(&g, 1, 3); k > 0; k--) ints_loop(&g, &c, 2);
    body = g.text;
    g.text = NULL;
    g.length = g.capacity = 0;
    gen_put(&g, "func f%d(", (int)(seed % 1000000));
    ints_put_params(&g, &c);
    gen_put(&g, ") {\n%s}\n", body);
    free(body);
    c.c.text = g.text;
    return c;
}

/* The bytes of memory: any, and often those at the ends of types. A program in C fills its own with
   the same text, INTS_FILL. */
#define INTS_FILL                                                                                  \
    static void ints_fill(unsigned char *to, unsigned count, uint32_t seed, unsigned char mask)    \
    {                                                                                              \
        static const unsigned char ends[8] = { 0, 255, 127, 128, 0, 255, 1, 254 };                 \
        for (; count; count--) {                                                                   \
            seed = (uint32_t)(seed * UINT32_C(1664525) + UINT32_C(1013904223));                    \
            *to = (unsigned char)(seed >> 24);                                                     \
            if (seed >> 22 & 1) *to = ends[seed >> 19 & 7];                                        \
            *to++ &= mask;                                                                         \
        }                                                                                          \
    }
#define INTS_HASH                                                                                  \
    static uint32_t ints_hash(const unsigned char *from, unsigned count, uint32_t hash)            \
    {                                                                                              \
        for (; count; count--)                                                                     \
            hash = (uint32_t)((hash ^ *from++) * UINT32_C(16777619));                              \
        return hash;                                                                               \
    }
INTS_FILL
INTS_HASH

static unsigned ints_mask(const gen_param *p) { return p->type == IRL_BOOL ? 1 : 255; }
static uint32_t ints_seed(const ints_case *c, int k)
{
    return (uint32_t)c->c.seed * UINT32_C(2654435761) + (uint32_t)k;
}

/* The arguments of a case, freed by gen_data_free. */
static gen_data ints_data(const ints_case *c)
{
    gen_data d;
    int      k;
    memset(&d, 0, sizeof d);
    d.count = c->c.param_count;
    for (k = 0; k < d.count; k++) {
        const gen_param *p = &c->c.params[k];
        irl__scalar      s;
        s.i = p->value;
        d.size[k] = p->is_buffer ? (size_t)c->bytes[k] : sizeof(int64_t);
        d.bytes[k] = (unsigned char *)gen_kept(calloc(d.size[k] + 8, 1));
        if (p->is_buffer)
            ints_fill(d.bytes[k], (unsigned)c->bytes[k], ints_seed(c, k),
                      (unsigned char)ints_mask(p));
        else irl__store_scalar(irl_type_of(p->type, 1), d.bytes[k], s);
    }
    return d;
}

static uint32_t ints_data_hash(const ints_case *c, const gen_data *d)
{
    uint32_t hash = UINT32_C(2166136261);
    int      k;
    for (k = 0; k < d->count; k++)
        if (c->c.params[k].is_buffer) hash = ints_hash(d->bytes[k], (unsigned)d->size[k], hash);
    return hash;
}

#endif
