/* generate_vectors.h - functions over vectors of every width from 2 to 64 and every type: put
   together, taken apart, mixed, gathered, scattered, seen as other bits; what generate_lanes.h
   makes of four lanes and texels, here of any lanes and without layouts.

   needs     generate.h before it
   promises  what generate.h promises: integers wrap, floats are exact (eighths up to 64, which are
             clamped after each operator), every index lies in its memory, and elements of 16 bits
             and fractions are only moved, cast, or looked at as bits. No two lanes of a store, and
             no two iterations, write one cell */
#ifndef IRL_GENERATE_VECTORS_H
#define IRL_GENERATE_VECTORS_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

enum { VECTOR_CELLS = 128, VECTOR_MEMORIES = 8, VECTOR_NAMES = 8, VECTOR_ROUNDS = 3 };

/* Memory of VECTOR_CELLS numbers, or of outputs what is written. */
typedef struct vector_memory {
    char       name[8];
    irl_scalar type;
    int        lanes, cells; /* of an element; all numbers */
    int        is_local;
} vector_memory;

typedef struct vector_name {
    char       name[8];
    irl_scalar type;
    int        lanes;
} vector_name;

typedef struct vector_gen {
    gen           g;
    vector_memory in[VECTOR_MEMORIES]; /* that is read */
    int           in_count;
    vector_name   names[VECTOR_NAMES];
    int           name_count, numbers;
    int           nesting; /* of indices that are computed */
} vector_gen;

static void vector_put(vector_gen *v, irl_scalar t, int n, int depth);

/* Every width, those with a type on some target more often. */
static int vector_some_lanes(vector_gen *v)
{
    static const int often[] = { 2, 3, 4, 4, 8, 8, 16, 16, 32, 64, 5, 6, 7, 12, 24, 48 };
    return gen_chance(&v->g, 60) ? often[gen_below(&v->g, 16)] : gen_between(&v->g, 2, 64);
}

static irl_scalar vector_some_type(vector_gen *v)
{
    static const int types[] = { IRL_F32, IRL_F32,  IRL_F32,    IRL_I32,   IRL_I32,   IRL_U32,
                                 IRL_I8,  IRL_U8,   IRL_I16,    IRL_U16,   IRL_F16,   IRL_F16,
                                 IRL_BF16, IRL_BOOL, IRL_UNORM8, IRL_SNORM16, IRL_F64, IRL_I64,
                                 IRL_U64 };
    return gen_narrowed(&v->g, (irl_scalar)types[gen_below(&v->g, 19)]);
}

/* A type that is computed with. */
static irl_scalar vector_some_number(vector_gen *v)
{
    irl_scalar t = vector_some_type(v);
    return gen_is(t, "fiu") ? t : IRL_I32;
}

static void vector_type(vector_gen *v, irl_scalar t, int n)
{
    gen_put(&v->g, n > 1 ? "%sx%d" : "%s", gen_text(t), n);
}

/* ------------------------------------------------------------------ indices and loads */

/* An index from 0 below `extent`, of n lanes that may lie anywhere. */
static void vector_index(vector_gen *v, int n, int extent)
{
    gen *g = &v->g;
    int  way = gen_below(g, 6), room = extent - 1;
    if (n == 1) {
        if (gen_chance(g, 50)) gen_put(g, "%d", gen_below(g, extent));
        else {
            int start = gen_below(g, 20); /* one after the other, by every compiler */
            gen_put(g, "(i * %d + %d) %% %d", gen_between(g, 1, 9), start, extent);
        }
    } else if (way == 0 && room >= n - 1) /* a run, or backwards, or in steps */
        gen_put(g, "ramp(%d, 1, %d)", gen_below(g, room - n + 2), n);
    else if (way == 1 && room >= n - 1)
        gen_put(g, "ramp(%d, -1, %d)", gen_between(g, n - 1, room), n);
    else if (way == 2 && room >= 2 * n - 2)
        gen_put(g, "ramp(%d, 2, %d)", gen_below(g, room - 2 * n + 3), n);
    else if (way == 3 && v->nesting == 0) { /* by data */
        v->nesting = 1;
        gen_put(g, "indexx%d(", n);
        vector_put(v, gen_chance(g, 50) ? IRL_U8 : IRL_I16, n, 1);
        gen_put(g, ") %% %d", extent);
        v->nesting = 0;
    } else if (way == 4) gen_put(g, "broadcast(i, %d) * %d %% %d", n, gen_between(g, 1, 9), extent);
    else {
        int step = gen_between(g, 0, 9);
        gen_put(g, "(ramp(i * %d, %d, %d) %% %d)", gen_between(g, 0, 5), step, n, extent);
    }
}

/* An index at which lanes lie one after the other. */
static void vector_run(vector_gen *v, int n, int extent)
{
    gen *g = &v->g;
    int  steps = (extent - n) / (VECTOR_ROUNDS - 1), step = steps ? gen_below(g, steps + 1) : 0;
    int  first = gen_below(g, extent - n - step * (VECTOR_ROUNDS - 1) + 1);
    if (n == 1) gen_put(g, "i * %d + %d", step, first);
    else gen_put(g, "ramp(i * %d + %d, 1, %d)", step, first, n);
}

/* A load of n lanes from memory of that type; 0: there is none. */
static int vector_load(vector_gen *v, irl_scalar t, int n)
{
    gen *g = &v->g;
    int  k, at = gen_below(g, v->in_count), elements;
    for (k = 0; k < v->in_count; k++, at = (at + 1) % v->in_count) {
        const vector_memory *m = &v->in[at];
        elements = m->cells / m->lanes;
        if (m->type != t || n % m->lanes || n / m->lanes > elements) continue;
        gen_put(g, "%s[", m->name);
        if (m->is_local && n / m->lanes > 1)
            gen_put(g, "ramp(%d, 1, %d)", gen_below(g, elements - n / m->lanes + 1), n / m->lanes);
        else if (gen_chance(g, 60)) vector_run(v, n / m->lanes, elements);
        else vector_index(v, n / m->lanes, elements);
        gen_put(g, "]");
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ values */

static void vector_constant(vector_gen *v, irl_scalar t, int n)
{
    gen *g = &v->g;
    int  value = gen_between(g, gen_is(t, "u") ? 0 : -9, 9);
    if (n > 1) gen_put(g, "broadcast(");
    if (t == IRL_BOOL) gen_put(g, value & 1 ? "true" : "false");
    else if (gen_is(t, "n")) gen_put(g, "%s(%d.0)", gen_text(t), value & 1);
    else gen_put(g, "%s(%d)", gen_text(t), value);
    if (n > 1) gen_put(g, ", %d)", n);
}

static int vector_named(vector_gen *v, irl_scalar t, int n)
{
    int k, at = gen_below(&v->g, v->name_count);
    for (k = 0; k < v->name_count; k++, at = (at + 1) % v->name_count)
        if (v->names[at].type == t && v->names[at].lanes == n) {
            gen_put(&v->g, "%s", v->names[at].name);
            return 1;
        }
    return 0;
}

/* Of an integer or float that no memory has: a load of bytes, which all of them hold. */
static void vector_leaf(vector_gen *v, irl_scalar t, int n)
{
    if (gen_chance(&v->g, 30) && vector_named(v, t, n)) return;
    if (gen_chance(&v->g, 85)) {
        if (vector_load(v, t, n)) return;
        if (gen_is(t, "fhiu")) {
            vector_type(v, t, n);
            gen_put(&v->g, "(");
            if (!vector_load(v, IRL_U8, n)) vector_constant(v, IRL_U8, n);
            gen_put(&v->g, gen_is(t, "fh") ? " & 63)" : ")");
            return;
        }
    }
    vector_constant(v, t, n);
}

/* Lanes of several vectors: in order, backwards, in pieces, or any. */
static void vector_shuffle(vector_gen *v, irl_scalar t, int n, int depth)
{
    gen *g = &v->g;
    int  count = gen_chance(g, 40) ? 1 : gen_between(g, 2, 3), total = 0, k, way = gen_below(g, 4),
        first;
    gen_put(g, "shuffle(");
    for (k = 0; k < count; k++) {
        int lanes = k == 0 && gen_chance(g, 50) ? n : gen_chance(g, 25) ? 1 : vector_some_lanes(v);
        vector_put(v, t, lanes, depth - 1);
        gen_put(g, ", ");
        total += lanes;
    }
    first = gen_below(g, total);
    gen_put(g, "[");
    for (k = 0; k < n; k++) {
        int pick = way == 0 ? gen_below(g, total) : way == 1 ? first + k : way == 2 ? first - k
                                                  : first + k / 3 * 5;
        pick = (pick % total + total) % total;
        gen_put(g, k ? ", %d" : "%d", pick);
    }
    gen_put(g, "])");
}

static vector_name vector_name_new(vector_gen *v, irl_scalar t, int n)
{
    vector_name name;
    snprintf(name.name, sizeof name.name, "b%d", v->numbers++);
    name.type = t;
    name.lanes = n;
    return name;
}

/* What any type can be: chosen, repeated, mixed, bound, one lane of something. */
static void vector_moved(vector_gen *v, irl_scalar t, int n, int depth)
{
    gen *g = &v->g;
    int  way = gen_below(g, 7), m = gen_between(g, 1, n);
    switch (way) {
    case 0:
        while (n % m) m--;
        gen_put(g, n / m > 1 ? "broadcast(" : "(");
        vector_put(v, t, m, depth - 1);
        if (n / m > 1) gen_put(g, ", %d", n / m);
        gen_put(g, ")");
        break;
    case 1:
    case 2:
        if (n == 1) { /* a lane, of a number that is known or not */
            m = vector_some_lanes(v);
            gen_put(g, "lane(");
            vector_put(v, t, m, depth - 1);
            gen_put(g, ", ");
            if (gen_chance(g, 50)) gen_put(g, "%d)", gen_below(g, m));
            else gen_put(g, "(i + %d) %% %d)", gen_below(g, 9), m);
        } else vector_shuffle(v, t, n, depth);
        break;
    case 3:
        gen_put(g, "select(");
        vector_put(v, IRL_BOOL, gen_chance(g, 70) ? n : 1, depth - 1);
        gen_put(g, ", ");
        vector_put(v, t, n, depth - 1);
        gen_put(g, ", ");
        vector_put(v, t, n, depth - 1);
        gen_put(g, ")");
        break;
    case 4:
        gen_put(g, "if_then_else(");
        vector_put(v, IRL_BOOL, 1, depth - 1);
        gen_put(g, ", ");
        vector_put(v, t, n, depth - 1);
        gen_put(g, ", ");
        vector_put(v, t, n, depth - 1);
        gen_put(g, ")");
        break;
    case 5:
        if (v->name_count < VECTOR_NAMES) {
            vector_name name = vector_name_new(v, t, n);
            gen_put(g, "let(%s = ", name.name);
            vector_put(v, t, n, depth - 1);
            gen_put(g, ", ");
            v->names[v->name_count++] = name;
            vector_put(v, t, n, depth - 1);
            gen_put(g, ")");
            v->name_count--;
            break;
        } /* fall through */
    default: vector_leaf(v, t, n); break;
    }
}

/* Integers and floats as other bits. */
static void vector_bits(vector_gen *v, irl_scalar t, int n, int depth)
{
    static const int froms[] = { IRL_F32, IRL_I8, IRL_U16, IRL_U32, IRL_F16, IRL_SNORM16, IRL_I64 };
    irl_scalar       from = gen_narrowed(&v->g, (irl_scalar)froms[gen_below(&v->g, 7)]);
    int              bits = gen_types[t].bits * n, each = gen_types[from].bits;
    if (bits % each || bits / each > 64) {
        vector_leaf(v, t, n);
        return;
    }
    gen_put(&v->g, "as(");
    vector_type(v, t, n);
    gen_put(&v->g, ", ");
    vector_put(v, from, bits / each, depth - 1);
    gen_put(&v->g, ")");
}

static void vector_bool(vector_gen *v, int n, int depth)
{
    static const char *const compares[] = { "==", "!=", "<", "<=", ">", ">=" },
                             *const ops[] = { "&", "|", "^", "==", "!=" };
    gen                     *g = &v->g;
    irl_scalar               t;
    int                      way = gen_below(g, 6);
    if (way < 3) {
        t = vector_some_number(v);
        gen_put(g, "(");
        vector_put(v, t, n, depth - 1);
        gen_put(g, " %s ", compares[gen_below(g, 6)]);
        vector_put(v, t, n, depth - 1);
        gen_put(g, ")");
    } else if (way == 3) {
        gen_put(g, "(");
        vector_put(v, IRL_BOOL, n, depth - 1);
        gen_put(g, " %s ", n == 1 && gen_chance(g, 40) ? gen_chance(g, 50) ? "&&" : "||"
                                                       : ops[gen_below(g, 5)]);
        vector_put(v, IRL_BOOL, n, depth - 1);
        gen_put(g, ")");
    } else if (way == 4) {
        gen_put(g, "!");
        gen_put(g, "(");
        vector_put(v, IRL_BOOL, n, depth - 1);
        gen_put(g, ")");
    } else vector_moved(v, IRL_BOOL, n, depth);
}

/* From another type, so that the result is one that the type computes with. */
static void vector_cast(vector_gen *v, irl_scalar t, int n, int depth)
{
    gen       *g = &v->g;
    irl_scalar from = vector_some_type(v);
    int        absolute, clamped;
    if (gen_is(from, "n")) from = IRL_F16;
    absolute = gen_is(t, "u") && gen_is(from, "fh"); /* what is negative has no value */
    clamped = gen_is(t, "fh") && gen_is(from, "iu");
    if (!clamped || gen_is(t, "h")) {
        vector_type(v, t, n);
        gen_put(g, absolute ? "(abs(" : "(");
    }
    if (clamped) gen_put(g, "min(max(");
    if (clamped || absolute) {
        vector_type(v, gen_is(t, "f") ? t : IRL_F32, n);
        gen_put(g, "(");
    }
    vector_put(v, from, n, depth - 1);
    if (clamped || absolute) gen_put(g, ")");
    if (clamped) gen_put(g, ", -64.0), 64.0)");
    if (!clamped || gen_is(t, "h")) gen_put(g, absolute ? "))" : ")");
}

static void vector_float(vector_gen *v, irl_scalar t, int n, int depth)
{
    static const char *const ops[] = { "+", "-", "*" };
    static const char *const calls[] = { "abs", "floor", "ceil", "trunc", "-" };
    gen                     *g = &v->g;
    int                      way = gen_below(g, 8);
    if (way < 3) {
        gen_put(g, way == 2 ? "min(max(rint(" : "min(max((");
        vector_put(v, t, n, depth - 1);
        gen_put(g, " %s ", ops[way]);
        vector_put(v, t, n, depth - 1);
        gen_put(g, "), -64.0), 64.0)");
    } else if (way == 3) {
        gen_put(g, gen_chance(g, 50) ? "min(" : "max(");
        vector_put(v, t, n, depth - 1);
        gen_put(g, ", ");
        vector_put(v, t, n, depth - 1);
        gen_put(g, ")");
    } else if (way == 4) {
        gen_put(g, "%s(", calls[gen_below(g, 5)]);
        vector_put(v, t, n, depth - 1);
        gen_put(g, ")");
    } else if (way == 5) vector_cast(v, t, n, depth);
    else vector_moved(v, t, n, depth);
}

static void vector_integer(vector_gen *v, irl_scalar t, int n, int depth)
{
    static const char *const ops[] = { "+", "-", "*", "&", "|", "^" };
    gen                     *g = &v->g;
    int                      way = gen_below(g, 11);
    if (way < 3) {
        gen_put(g, "(");
        vector_put(v, t, n, depth - 1);
        gen_put(g, " %s ", ops[gen_below(g, 6)]);
        vector_put(v, t, n, depth - 1);
        gen_put(g, ")");
    } else if (way == 3) { /* by numbers, or by what is between 1 and 7 */
        gen_put(g, "(");
        vector_put(v, t, n, depth - 1);
        gen_put(g, gen_chance(g, 50) ? " / " : " %% ");
        if (gen_chance(g, 60)) gen_put(g, "%d)", gen_between(g, 1, 17));
        else {
            gen_put(g, "(");
            vector_put(v, t, n, depth - 1);
            gen_put(g, " %% 7 + 1))");
        }
    } else if (way == 4) {
        gen_put(g, "(");
        vector_put(v, t, n, depth - 1);
        gen_put(g, gen_chance(g, 50) ? " << " : " >> ");
        if (gen_chance(g, 60)) gen_put(g, "%d)", gen_below(g, 8));
        else {
            gen_put(g, "(");
            vector_put(v, t, n, depth - 1);
            gen_put(g, " & 7))");
        }
    } else if (way == 5) {
        static const char *const calls[] = { "abs", "~", "-", "min", "max" };
        int                      which = gen_below(g, 5);
        gen_put(g, "%s(", calls[which]);
        vector_put(v, t, n, depth - 1);
        if (which > 2) gen_put(g, ", ");
        if (which > 2) vector_put(v, t, n, depth - 1);
        gen_put(g, ")");
    } else if (way == 6) vector_cast(v, t, n, depth);
    else if (way == 7) vector_bits(v, t, n, depth);
    else if (way == 8 && n > 1) {
        gen_put(g, "ramp(");
        vector_put(v, t, 1, depth - 1);
        gen_put(g, ", ");
        if (gen_chance(g, 70)) gen_put(g, "%s(%d)", gen_text(t), gen_between(g, 0, 5));
        else vector_put(v, t, 1, depth - 1);
        gen_put(g, ", %d)", n);
    } else vector_moved(v, t, n, depth);
}

static void vector_put(vector_gen *v, irl_scalar t, int n, int depth)
{
    if (depth <= 0 || v->g.length > 6000) vector_leaf(v, t, n);
    else if (t == IRL_BOOL) vector_bool(v, n, depth);
    else if (gen_is(t, "f")) vector_float(v, t, n, depth);
    else if (gen_is(t, "iu")) vector_integer(v, t, n, depth);
    else if (gen_is(t, "h") && gen_chance_aside(&v->g, 40)) vector_float(v, t, n, depth);
    else if (gen_is(t, "h") && gen_chance(&v->g, 40)) vector_cast(v, t, n, depth);
    else if (gen_is(t, "hn") && gen_chance(&v->g, 15)) { /* bits of its own size */
        gen_put(&v->g, "as(");
        vector_type(v, t, n);
        gen_put(&v->g, ", ");
        vector_type(v, t == IRL_UNORM8 ? IRL_U8 : IRL_U16, n);
        gen_put(&v->g, "(");
        vector_put(v, IRL_U8, n, 0); /* a small number: no NaN */
        gen_put(&v->g, " & 63))");
    } else vector_moved(v, t, n, depth);
}

/* ------------------------------------------------------------------ statements */

/* A store of n lanes of m's type, each iteration into cells of its own. */
static void vector_store(vector_gen *v, const vector_memory *m, int n, int depth)
{
    gen *g = &v->g;
    int  lanes = n / m->lanes, way = gen_below(g, 10), step;
    gen_begin(g);
    gen_put(g, "%s[", m->name);
    if (lanes == 1) gen_put(g, m->is_local ? "0" : "i");
    else if (m->is_local || way < 5) {
        if (m->is_local) gen_put(g, "ramp(0, 1, %d)", lanes);
        else gen_put(g, "ramp(i * %d, 1, %d)", lanes, lanes);
    } else if (way == 5) gen_put(g, "ramp(i, %d, %d)", VECTOR_ROUNDS, lanes);
    else if (way == 6) gen_put(g, "ramp(i * %d + %d, -1, %d)", lanes, lanes - 1, lanes);
    else {
        for (step = gen_between(g, 1, lanes); lanes > 1; step = step % lanes + 1) {
            int a = lanes, b = step;
            while (b) {
                int rest = a % b;
                a = b;
                b = rest;
            }
            if (a == 1) break; /* it comes to each lane */
        }
        gen_put(g, "ramp(%d, %d, %d) %% %d + broadcast(i * %d, %d)", gen_below(g, 5), step, lanes,
                lanes, lanes, lanes);
    }
    gen_put(g, "] = ");
    vector_put(v, m->type, n, depth);
    gen_end(g);
}

static void vector_put_shape(vector_gen *v, const vector_memory *m)
{
    gen_put(&v->g, "%s: ", m->name);
    vector_type(v, m->type, m->lanes);
    gen_put(&v->g, "[%d]", m->cells / m->lanes);
}

/* Private memory of n numbers, which is filled and then read. */
static void vector_local(vector_gen *v, int depth)
{
    vector_memory m;
    int           n = vector_some_lanes(v);
    memset(&m, 0, sizeof m);
    snprintf(m.name, sizeof m.name, "q%d", v->numbers++);
    m.type = vector_some_type(v);
    m.lanes = gen_chance(&v->g, 40) ? n : 1;
    m.cells = n;
    m.is_local = 1;
    gen_begin(&v->g);
    gen_put(&v->g, "alloc ");
    vector_put_shape(v, &m);
    gen_put(&v->g, " scope(local)");
    gen_end(&v->g);
    vector_store(v, &m, n, depth);
    v->in[v->in_count++] = m;
}

static void vector_let(vector_gen *v, int depth)
{
    irl_scalar  t = vector_some_type(v);
    vector_name name = vector_name_new(v, t, gen_chance(&v->g, 25) ? 1 : vector_some_lanes(v));
    gen_begin(&v->g);
    gen_put(&v->g, "let %s = ", name.name);
    vector_put(v, t, name.lanes, depth);
    gen_end(&v->g);
    v->names[v->name_count++] = name;
}

/* A parameter of type t, of any type if that is IRL_INDEX. */
static vector_memory vector_memory_new(vector_gen *v, gen_case *c, const char *prefix, int k,
                                       irl_scalar t)
{
    vector_memory m;
    gen_param    *p = &c->params[c->param_count++];
    memset(&m, 0, sizeof m);
    snprintf(m.name, sizeof m.name, "%s%d", prefix, k);
    m.type = t == IRL_INDEX ? vector_some_type(v) : t;
    m.lanes = t == IRL_INDEX && gen_chance(&v->g, 35) ? vector_some_lanes(v) : 1;
    if (gen_is(m.type, "b")) m.lanes = 1;
    m.cells = (VECTOR_CELLS + m.lanes - 1) / m.lanes * m.lanes;
    memset(p, 0, sizeof *p);
    strcpy(p->name, m.name);
    p->type = m.type;
    p->is_buffer = 1;
    p->rank = 1;
    return m;
}

/* The function of a seed. Freed by gen_free. */
static gen_case gen_vector_function(uint64_t seed, gen_options options)
{
    static const char *const kinds[] = { "", " parallel", " bind(global.x)" };
    vector_gen               v;
    gen_case                 c;
    vector_memory            out[2];
    char                    *body;
    int                      k, inputs, outputs, depth;
    memset(&v, 0, sizeof v);
    memset(&c, 0, sizeof c);
    c.seed = seed;
    v.g.random = seed * 7 + 3;
    v.g.options = options;
    v.g.indent = 2;
    inputs = gen_between(&v.g, 4, 6);
    outputs = gen_between(&v.g, 1, 2);
    for (k = 0; k < inputs; k++) {
        v.in[v.in_count++] = vector_memory_new(&v, &c, "a", k, k == 0 ? IRL_U8 : IRL_INDEX);
        c.params[k].extent[0] = v.in[k].cells;
    }
    for (k = 0; k < outputs; k++) out[k] = vector_memory_new(&v, &c, "y", k, IRL_INDEX);
    depth = gen_between(&v.g, 1, 3);
    if (gen_chance(&v.g, 30)) vector_let(&v, depth);
    if (gen_chance(&v.g, 30)) vector_local(&v, depth);
    for (k = 0; k < outputs; k++) {
        int lanes = out[k].lanes == 1
                        ? vector_some_lanes(&v)
                        : out[k].lanes * gen_between(&v.g, 1, 64 / out[k].lanes);
        if (gen_chance(&v.g, 20)) vector_let(&v, depth);
        vector_store(&v, &out[k], lanes, depth);
        out[k].cells = c.params[inputs + k].extent[0] = lanes * VECTOR_ROUNDS;
    }
    body = v.g.text;
    v.g.text = NULL;
    v.g.length = v.g.capacity = 0;
    gen_put(&v.g, "func v%d(", (int)(seed % 1000000));
    for (k = 0; k < inputs + outputs; k++) {
        gen_put(&v.g, k ? ", " : "");
        vector_put_shape(&v, k < inputs ? &v.in[k] : &out[k - inputs]);
    }
    gen_put(&v.g, ") {\n    for%s (i: %d) {\n%s    }\n}\n", kinds[gen_below(&v.g, 3)],
            VECTOR_ROUNDS, body);
    free(body);
    c.text = v.g.text;
    return c;
}

#endif
