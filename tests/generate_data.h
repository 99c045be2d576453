/* generate_data.h - what generated functions run on: arguments made from the seed, copied,
   compared.

   needs     generate.h, which includes it; irl__values_close of src/eval */
#ifndef IRL_GENERATE_DATA_H
#define IRL_GENERATE_DATA_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

/* Arguments of a case: one array or value for each parameter. */
typedef struct gen_data {
    int            count;
    unsigned char *bytes[GEN_PARAMS];
    size_t         size[GEN_PARAMS];
} gen_data;

static int gen_param_cells(const gen_param *p)
{
    int k, cells = 1;
    for (k = 0; k < p->rank; k++) cells *= p->extent[k];
    return cells;
}

/* Any code of a normalised type; now and then the least and the largest, of which the least signed
   one is -1 as its neighbour is. */
static irl__scalar gen_code(gen *g, irl_scalar type)
{
    const gen_fraction *f = gen_fraction_of(type);
    int least = f->is_signed ? -f->one - 1 : 0, code = gen_chance(g, 8)
                                                           ? gen_chance(g, 50) ? least : f->one
                                                           : gen_between(g, least, f->one);
    irl__scalar         s;
    s.f = code / (double)f->one;
    return s;
}

/* Small numbers, exact in every type; for integers now and then the largest and the least. */
static irl__scalar gen_datum(gen *g, irl_scalar type)
{
    irl__scalar s;
    s.i = 0;
    if (gen_is(type, "n")) s = gen_code(g, type);
    else if (gen_is(type, "fh")) s.f = gen_between(g, -128, 128) / 8.0;
    else if (type == IRL_BOOL) s.i = gen_below(g, 2);
    else if (gen_chance(g, 8))
        s.i = irl__wrap_int(irl_type_of(type, 1),
                            gen_chance(g, 50) ? INT64_MIN >> (64 - gen_types[type].bits) : -1);
    else
        s.i =
            irl__wrap_int(irl_type_of(type, 1), gen_between(g, gen_is(type, "u") ? 0 : -100, 100));
    return s;
}

static gen_data gen_data_new(const gen_case *c)
{
    gen      g;
    gen_data d;
    int      k, j;
    memset(&g, 0, sizeof g);
    memset(&d, 0, sizeof d);
    g.random = c->seed ^ UINT64_C(0x5555555555555555);
    d.count = c->param_count;
    for (k = 0; k < c->param_count; k++) {
        const gen_param *p = &c->params[k];
        irl_type         type = irl_type_of(p->type, 1);
        size_t           bytes = irl__type_bytes(type);
        int              cells = p->is_buffer ? gen_param_cells(p) : 1;
        d.size[k] = (size_t)cells * bytes;
        d.bytes[k] = (unsigned char *)gen_kept(malloc(d.size[k] ? d.size[k] : 1));
        for (j = 0; j < cells; j++) {
            irl__scalar s = gen_datum(&g, p->type);
            if (!p->is_buffer && gen_is(p->type, "f")) s.f = (double)p->value;
            else if (!p->is_buffer) s.i = p->value;
            irl__store_scalar(type, d.bytes[k] + (size_t)j * bytes, s);
        }
    }
    return d;
}

static gen_data gen_data_copy(const gen_data *d)
{
    gen_data copy = *d;
    int      k;
    for (k = 0; k < d->count; k++) {
        copy.bytes[k] = (unsigned char *)gen_kept(malloc(d->size[k] ? d->size[k] : 1));
        memcpy(copy.bytes[k], d->bytes[k], d->size[k]);
    }
    return copy;
}

static void gen_data_free(gen_data *d)
{
    int k;
    for (k = 0; k < d->count; k++) free(d->bytes[k]);
    d->count = 0;
}

static irl_arguments gen_arguments(const gen_data *d)
{
    irl_arguments a;
    int           k;
    memset(&a, 0, sizeof a);
    a.count = d->count;
    for (k = 0; k < d->count; k++) a.data[k] = d->bytes[k];
    return a;
}

/* Who answers the calls of functions that the program does not hold, and what they leave behind,
   which all forms must agree on; zero: nobody. */
typedef struct gen_calls {
    irl_extern_fn *answer;
    void         (*begin)(void); /* a run */
    uint64_t     (*seen)(void);  /* what it left */
} gen_calls;

/* Does the interpreter run the function on the data of the case? */
static inline int gen_runs(const gen_case *c, const irl_func *f)
{
    gen_data  data = gen_data_new(c);
    const int ok = irl_func_interpret(f, gen_arguments(&data));
    gen_data_free(&data);
    return ok;
}

/* 1 if all parameters hold the same numbers, on a device up to their tolerance; else 0 and a line
   in `why`. */
static int gen_data_equal(const gen_case *c, const gen_data *expected, const gen_data *found,
                          int on_device, char *why, size_t room)
{
    int k, j;
    for (k = 0; k < c->param_count; k++) {
        const gen_param *p = &c->params[k];
        irl_type         type = irl_type_of(p->type, 1);
        size_t           bytes = irl__type_bytes(type);
        int              cells = p->is_buffer ? gen_param_cells(p) : 1;
        for (j = 0; j < cells; j++) {
            irl__scalar a = irl__load_scalar(type, expected->bytes[k] + (size_t)j * bytes);
            irl__scalar b = irl__load_scalar(type, found->bytes[k] + (size_t)j * bytes);
            int same = on_device ? irl__values_close(type, a, b, p->ulp)
                                 : irl__values_close(type, a, b, 0);
            if (same) continue;
            if (gen_is(p->type, "fhn"))
                snprintf(why, room, "%s, element %d: expected %.17g, found %.17g", p->name, j, a.f,
                         b.f);
            else
                snprintf(why, room, "%s, element %d: expected %.0f, found %.0f", p->name, j,
                         (double)a.i, (double)b.i);
            return 0;
        }
    }
    return 1;
}

#endif
