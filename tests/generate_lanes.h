/* generate_lanes.h - functions over images and vectors, made at random: tensors in the texture
   scopes by convention, by separator and by layout; elements of several lanes; ramps of any stride;
   vectorized loops; lanes taken out of texels.

   needs     generate.h before it
   promises  what generate.h promises. With options.plain a function without images and without
             elements of several lanes: the same layouts in plain memory, for a target that has
             neither.

   A tensor that is an image has a channel: the axis of which four elements are a texel. What is
   written into it is written four lanes at a time, by a loop over the channel or by a vector; it is
   read in any way. */
#ifndef IRL_GENERATE_LANES_H
#define IRL_GENERATE_LANES_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

enum { LANES_CELLS = 256, LANES_TEXEL = 4 };

static int lanes_pick(gen *g, int count, const int *list) { return list[gen_below(g, count)]; }

/* ------------------------------------------------------------------ tensors */

/* What images hold, often; else any type. */
static irl_scalar lanes_some_type(gen *g)
{
    static const int fractions[] = { IRL_UNORM8, IRL_UNORM8, IRL_UNORM16, IRL_SNORM8, IRL_SNORM16 };
    static const int often[] = { IRL_F32, IRL_F32, IRL_F32, IRL_F32, IRL_F16, IRL_F16, IRL_BF16,
                                 IRL_I32, IRL_I32, IRL_U8,  IRL_I8,  IRL_I16, IRL_U16, IRL_U32 };
    if (g->options.normalised && gen_chance(g, 40)) return (irl_scalar)lanes_pick(g, 5, fractions);
    return gen_chance(g, 90) ? (irl_scalar)lanes_pick(g, 14, often) : gen_some_type(g);
}

static int lanes_may_be_texel(irl_scalar t) { return t != IRL_BOOL && gen_types[t].bits <= 32; }

/* Extents of a few cells; the channel's is given. */
static void lanes_shape(gen *g, gen_tensor *t, int rank, int channel, int channel_extent)
{
    static const int extents[] = { 1, 2, 3, 3, 4, 5, 6, 7, 8 };
    int              k, cells = channel_extent;
    t->rank = rank;
    for (k = 0; k < rank; k++) {
        gen_axis a = k == channel ? gen_constant_axis(channel_extent)
                     : g->n && !t->has_layout && gen_chance(g, 30)
                         ? gen_symbolic_axis(g)
                         : gen_constant_axis(lanes_pick(g, 9, extents));
        if (k != channel && cells * a.extent > LANES_CELLS)
            a = gen_constant_axis(cells * 2 > LANES_CELLS ? 1 : 2);
        if (k != channel) cells *= a.extent;
        t->axis[k] = a;
    }
}

/* [..., 4] in a texture scope: rows and columns by the scope's convention, or by a separator. */
static void lanes_natural(gen *g, gen_tensor *t)
{
    int rank = gen_between(g, 3, 4), way = gen_below(g, 3), separator = gen_between(g, 1, rank - 1);
    t->channel = rank - 1;
    lanes_shape(g, t, rank, t->channel, LANES_TEXEL);
    if (g->options.plain) return;
    if (way == 0) strcpy(t->attributes, " scope(texture)");
    else if (way == 1) strcpy(t->attributes, " scope(texture:weight)");
    else snprintf(t->attributes, sizeof t->attributes, " scope(texture) sep(%d)", separator);
}

/* Any axis is the channel, in a layout with its remainder by 4 last; whole texels or not. */
static void lanes_divided(gen *g, gen_tensor *t)
{
    int rank = gen_between(g, 2, 4),
        extent = gen_chance(g, 50) ? 4 * gen_between(g, 1, 4) : gen_between(g, 1, 18),
        is_weight = gen_chance(g, 30);
    t->channel = gen_below(g, rank);
    t->has_layout = 1;
    lanes_shape(g, t, rank, t->channel, extent);
    if (t->is_image && !g->options.plain)
        strcpy(t->attributes, is_weight ? " scope(texture:weight)" : " scope(texture)");
}

/* A buffer, of scalars or of vectors. */
static void lanes_buffer(gen *g, gen_tensor *t, int is_image)
{
    static const int lanes[] = { 2, 4, 4, 8, 16 },
                     extents[] = { 4, 6, 8, 8, 12, 15, 16, 16, 24, 32, 48 };
    int              rank = gen_between(g, 1, 3);
    if (is_image || (gen_chance(g, 25) && t->type != IRL_BOOL && !g->options.plain)) {
        t->lanes = is_image ? LANES_TEXEL : lanes_pick(g, 5, lanes);
        if (is_image) rank = gen_between(g, 2, 3);
        lanes_shape(g, t, rank, -1, 1);
        if (is_image)
            strcpy(t->attributes, gen_chance(g, 50) ? " scope(texture)" : " scope(texture:weight)");
        return;
    }
    t->channel = rank - 1;
    lanes_shape(g, t, rank, t->channel, lanes_pick(g, 11, extents));
}

static gen_tensor *lanes_tensor(gen *g, const char *prefix, int number)
{
    gen_tensor *t = &g->tensors[g->tensor_count++];
    int         way = gen_below(g, 100), is_image = gen_chance(g, 75);
    memset(t, 0, sizeof *t);
    snprintf(t->name, sizeof t->name, "%s%d", prefix, number);
    t->type = lanes_some_type(g);
    t->memory = g->memory_count++;
    t->channel = -1;
    if (!lanes_may_be_texel(t->type)) way = way % 2 ? 99 : 60;
    t->is_image = lanes_may_be_texel(t->type) && (way < 40 || way >= 90 || is_image);
    if (way < 40) lanes_natural(g, t);
    else if (way < 70) lanes_divided(g, t);
    else lanes_buffer(g, t, way >= 90 && lanes_may_be_texel(t->type) && !g->options.plain);
    if (way >= 70 && way < 90) t->is_image = 0;
    t->is_fixed = !t->has_layout;
    return t;
}

/* A layout for the channel: its quotient and the other axes in any order and in any two groups, its
   remainder last. Now and then another axis is shifted or turned around. */
static void lanes_put_layout(gen *g, const gen_tensor *t)
{
    static const char names[] = "abcd";
    int order[GEN_AXES], k, separator = t->rank > 1 ? gen_between(g, 1, t->rank - 1) : 1,
                            changed = gen_chance(g, 20) ? gen_below(g, t->rank) : -1;
    int way = gen_below(g, 2), is_padded = gen_chance(g, 50),
        value = gen_below(g, gen_is(t->type, "n") ? 2 : 5);
    for (k = 0; k < t->rank; k++) order[k] = k;
    for (k = 0; k + 1 < t->rank; k++) {
        int with = gen_between(g, k, t->rank - 1), o = order[k];
        order[k] = order[with];
        order[with] = o;
    }
    gen_put(g, "\n    layout(%s: (", t->name);
    for (k = 0; k < t->rank; k++) gen_put(g, "%s%c", k ? ", " : "", names[k]);
    gen_put(g, ") -> (");
    for (k = 0; k < t->rank; k++) {
        char name = names[order[k]];
        if (k) gen_put(g, k == separator && t->is_image && !g->options.plain ? "), (" : ", ");
        if (order[k] == t->channel) gen_put(g, "%c / 4", name);
        else if (order[k] != changed) gen_put(g, "%c", name);
        else if (way) gen_put(g, "%c + 1", name);
        else gen_put(g, "%d - %c", t->axis[changed].extent - 1, name);
    }
    gen_put(g, "%s%c %% 4)",
            t->rank == separator && t->is_image && !g->options.plain ? "), (" : ", ",
            names[t->channel]);
    if (is_padded)
        gen_put(g, t->type == IRL_BOOL ? ", pad(true)" : ", pad(%s(%d))", gen_text(t->type), value);
    gen_put(g, ")");
}

/* ------------------------------------------------------------------ vectors: leaves */

static void lanes_value(gen *g, irl_scalar t, int lanes, int depth);

/* Some tensor that vectors of a type can be loaded from: its elements have the lanes, or its last
   axis does. */
static gen_tensor *lanes_some_tensor(gen *g, irl_scalar type, int lanes)
{
    gen_tensor *found[GEN_TENSORS];
    int         k, n = 0;
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *t = &g->tensors[k];
        if (!t->is_defined || t->memory == g->hidden || t->ulp || t->type != type ||
            (t->lanes && t->lanes != lanes))
            continue;
        if (t->lanes ||
            (!t->has_layout && t->rank > 0 && !gen_axis_is_symbolic(&t->axis[t->rank - 1])))
            found[n++] = t;
    }
    return n ? found[gen_below(g, n)] : NULL;
}

static void lanes_index_of(gen *g, const gen_tensor *t, int count)
{
    int k;
    gen_put(g, "%s[", t->name);
    for (k = 0; k < count; k++) {
        gen_put(g, k ? ", " : "");
        gen_index(g, &t->axis[k]);
    }
    gen_put(g, k && k < t->rank ? ", " : "");
}

/* ramp(base, stride, lanes) within an axis; 0 if it is too short. */
static int lanes_put_ramp(gen *g, const gen_axis *axis, int lanes)
{
    static const int strides[] = { 1, 1, 1, 1, 1, 2, 3, -1, 0 };
    int              stride = lanes_pick(g, 9, strides), span, room;
    const gen_atom  *a = gen_some_atom(g);
    if (abs(stride) * (lanes - 1) >= axis->extent) stride = 1;
    if (lanes > axis->extent) stride = 0;
    span = abs(stride) * (lanes - 1);
    room = axis->extent - span; /* bases 0 .. room - 1 */
    gen_put(g, "ramp(");
    if (stride < 0) gen_put(g, "%d + ", span);
    if (a && stride == 1 && a->extent * lanes <= axis->extent && gen_chance(g, 70))
        gen_put(g, "(%s) * %d", a->text, lanes);
    else if (a && room > 1 && gen_chance(g, 60)) gen_put(g, "(%s) %% %d", a->text, room);
    else gen_put(g, "%d", gen_below(g, room));
    gen_put(g, ", %d, %d)", stride, lanes);
    return 1;
}

/* A load of so many lanes; the last index is a ramp, or a vector that was computed. */
static void lanes_load(gen *g, gen_tensor *t, int lanes)
{
    const gen_axis *last = &t->axis[t->rank - 1];
    if (t->is_wide) gen_put(g, "rint(min(max(");
    lanes_index_of(g, t, t->lanes ? t->rank : t->rank - 1);
    if (!t->lanes && g->nesting == 0 && gen_chance(g, 10)) {
        g->nesting++;
        gen_put(g, "indexx%d(", lanes);
        lanes_value(g, IRL_I32, lanes, 0);
        gen_put(g, ") %% %d", last->extent);
        g->nesting--;
    } else if (!t->lanes) lanes_put_ramp(g, last, lanes);
    gen_put(g, "]");
    if (t->is_wide) gen_put(g, ", -64.0), 64.0))");
}

static const gen_name *lanes_some_name(gen *g, irl_scalar t, int lanes)
{
    int k, first = gen_below(g, g->name_count);
    for (k = 0; k < g->name_count; k++) {
        const gen_name *v = &g->names[(first + k) % g->name_count];
        if (v->type == t && v->lanes == lanes) return v;
    }
    return NULL;
}

/* Fractions as whole or half numbers of type `to`. */
static void lanes_fractions(gen *g, gen_tensor *t, irl_scalar to, int lanes)
{
    gen_words suffix;
    gen_say(suffix, "x%d", lanes);
    gen_put(g, "%sx%d(%s", gen_text(to), lanes,
            gen_is(to, "fh")  ? "("
            : gen_is(to, "u") ? "abs(rint("
                              : "(rint(");
    gen_fraction_begin(g, suffix);
    lanes_load(g, t, lanes);
    gen_fraction_end(g, t->type);
    gen_put(g, gen_is(to, "fh") ? "))" : ")))");
}

/* The lanes of another type, as small numbers: f16 and bf16 to floats, integers to each other and
   to floats, fractions as codes. */
static int lanes_converted(gen *g, irl_scalar to, int lanes)
{
    static const int types[] = { IRL_F16,    IRL_BF16,    IRL_I32,    IRL_U8,  IRL_I8,
                                 IRL_I16,    IRL_U16,     IRL_U32,    IRL_F32, IRL_UNORM8,
                                 IRL_SNORM8, IRL_UNORM16, IRL_SNORM16 };
    int              k, count = g->options.normalised ? 13 : 9, first = gen_below(g, count);
    for (k = 0; k < count; k++) {
        irl_scalar  from = (irl_scalar)types[(first + k) % count];
        gen_tensor *t = from == to ? NULL : lanes_some_tensor(g, from, lanes);
        if (!t) continue;
        if (gen_is(from, "n")) lanes_fractions(g, t, to, lanes);
        else if (gen_is(to, "fh")) {
            gen_put(g, "%sx%d(", gen_text(to), lanes);
            lanes_load(g, t, lanes);
            gen_put(g, gen_is(from, "iu") ? " %% %s(61))" : ")", gen_text(from));
        } else {
            gen_put(g, "%sx%d(", gen_text(to), lanes);
            if (gen_is(from, "fh"))
                gen_put(g, gen_is(to, "u") ? "abs(rint(min(max(" : "(rint(min(max(");
            if (gen_is(from, "h")) gen_put(g, "f32x%d(", lanes);
            lanes_load(g, t, lanes);
            if (gen_is(from, "h")) gen_put(g, ")");
            if (gen_is(from, "fh")) gen_put(g, ", -60.0), 60.0)))");
            gen_put(g, ")");
        }
        return 1;
    }
    return 0;
}

static void lanes_leaf(gen *g, irl_scalar t, int lanes)
{
    gen_tensor     *from = lanes_some_tensor(g, t, lanes);
    const gen_name *name = lanes_some_name(g, t, lanes);
    int             way = gen_below(g, 100), k;
    if (name && way < 15) gen_put(g, "%s", name->text);
    else if (from && way < 65) lanes_load(g, from, lanes);
    else if (way < 75 && lanes_converted(g, t, lanes)) return;
    else if (way < 80 && gen_is(t, "iu")) {
        gen_put(g, "ramp(");
        gen_leaf(g, t);
        gen_put(g, ", %s(%d), %d)", gen_text(t), gen_between(g, 1, 3), lanes);
    } else if (way < 88) { /* scalars laid side by side */
        gen_put(g, "shuffle(");
        for (k = 0; k < lanes && k < 4; k++) {
            gen_put(g, k ? ", " : "");
            gen_leaf(g, t);
        }
        for (k = 0; k < lanes; k++)
            gen_put(g, "%s%d", k ? ", " : ", [", gen_below(g, lanes < 4 ? lanes : 4));
        gen_put(g, "])");
    } else {
        gen_put(g, "broadcast(");
        gen_leaf(g, t);
        gen_put(g, ", %d)", lanes);
    }
}

/* ------------------------------------------------------------------ vectors: expressions */

static void lanes_call(gen *g, irl_scalar t, int lanes, int depth, const char *name, int arity)
{
    int k;
    gen_put(g, "%s(", name);
    for (k = 0; k < arity; k++) {
        gen_put(g, k ? ", " : "");
        lanes_value(g, t, lanes, depth - 1);
    }
    gen_put(g, ")");
}

static void lanes_binary(gen *g, irl_scalar t, int lanes, int depth, const char *sign)
{
    gen_put(g, "(");
    lanes_value(g, t, lanes, depth - 1);
    gen_put(g, " %s ", sign);
    if (gen_chance(g, 15)) gen_leaf(g, t); /* a scalar beside a vector */
    else lanes_value(g, t, lanes, depth - 1);
    gen_put(g, ")");
}

/* A mask. */
static void lanes_mask(gen *g, int lanes, int depth)
{
    static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=" }, *const joints[] = {
        "&&", "||", "&", "|", "^", "=="
    };
    if (depth > 0 && gen_chance(g, 30)) {
        gen_put(g, gen_chance(g, 30) ? "!(" : "(");
        lanes_mask(g, lanes, depth - 1);
        gen_put(g, " %s ", joints[gen_below(g, 6)]);
        lanes_mask(g, lanes, depth - 1);
        gen_put(g, ")");
    } else if (gen_chance_aside(g, 25)) { /* places of the lanes, as guards of vectors ask for */
        const gen_atom *a = gen_some_atom(g);
        gen_put(g, "(ramp(%s%s, %d, %d) %s ", a ? a->text : "3",
                gen_chance_aside(g, 30) ? " - 2" : "", 1 + gen_below_aside(g, 3), lanes,
                signs[gen_below_aside(g, 6)]);
        gen_put(g, "broadcast(%d, %d))", gen_below_aside(g, 12), lanes);
    } else {
        const char *sign = signs[gen_below(g, 6)];
        lanes_binary(g,
                     !gen_chance(g, 50)          ? gen_some_integer(g)
                     : gen_chance_aside(g, 25)   ? IRL_F16
                     : gen_chance_aside(g, 30)   ? IRL_BF16
                                                 : IRL_F32,
                     lanes, depth, sign);
    }
}

static void lanes_shuffle(gen *g, irl_scalar t, int lanes, int depth)
{
    static const int counts[] = { 2, 3, 4, 8 };
    int              other = gen_chance(g, 50) ? lanes : lanes_pick(g, 4, counts), k;
    gen_put(g, "shuffle(");
    lanes_value(g, t, lanes, depth - 1);
    gen_put(g, ", ");
    lanes_value(g, t, other, depth - 1);
    for (k = 0; k < lanes; k++) gen_put(g, "%s%d", k ? ", " : ", [", gen_below(g, lanes + other));
    gen_put(g, "])");
}

/* let(v = a, b), with v in b. */
static void lanes_let_in(gen *g, irl_scalar t, int lanes, int depth)
{
    gen_name *v;
    gen_words text;
    gen_say(text, "v%d", g->name_number++);
    gen_put(g, "let(%s = ", text);
    lanes_value(g, t, lanes, depth - 1);
    gen_put(g, ", ");
    v = &g->names[g->name_count++];
    snprintf(v->text, sizeof v->text, "%.7s", text);
    v->type = t;
    v->lanes = lanes;
    lanes_value(g, t, lanes, depth - 1);
    g->name_count--;
    gen_put(g, ")");
}

/* select, if_then_else, shuffle, let, one lane again and again. */
static void lanes_choice(gen *g, irl_scalar t, int lanes, int depth)
{
    switch (gen_below(g, 6)) {
    case 0:
    case 1:
        gen_put(g, "select(");
        lanes_mask(g, lanes, depth - 1);
        gen_put(g, ", ");
        lanes_value(g, t, lanes, depth - 1);
        gen_put(g, ", ");
        lanes_value(g, t, lanes, depth - 1);
        gen_put(g, ")");
        break;
    case 2:
        gen_put(g, "if_then_else(");
        gen_index_condition(g);
        gen_put(g, ", ");
        lanes_value(g, t, lanes, depth - 1);
        gen_put(g, ", ");
        lanes_value(g, t, lanes, depth - 1);
        gen_put(g, ")");
        break;
    case 3:
        if (g->name_count < GEN_NAMES && g->nesting == 0) {
            lanes_let_in(g, t, lanes, depth);
            break;
        } /* fall through */
    case 4:
        gen_put(g, "broadcast(lane(");
        lanes_value(g, t, lanes, depth - 1);
        gen_put(g, ", ");
        if (g->atom_count && gen_chance(g, 60))
            gen_put(g, "(%s) %% %d", gen_some_atom(g)->text, lanes);
        else gen_put(g, "%d", gen_below(g, lanes));
        gen_put(g, "), %d)", lanes);
        break;
    default: lanes_shuffle(g, t, lanes, depth); break;
    }
}

static void lanes_float(gen *g, irl_scalar t, int lanes, int depth)
{
    static const char *const rounding[] = { "floor", "ceil", "trunc", "rint" };
    int                      way = gen_below(g, 11);
    if (way < 2 && g->products <= 0) way = 4;
    if (way < 2) g->products--;
    switch (way) {
    case 0: lanes_binary(g, t, lanes, depth, "*"); break;
    case 1: lanes_call(g, t, lanes, depth, "fma", 3); break;
    case 2: lanes_call(g, t, lanes, depth, gen_chance(g, 50) ? "min" : "max", 2); break;
    case 3: lanes_call(g, t, lanes, depth, gen_chance(g, 50) ? "abs" : "-", 1); break;
    case 4: lanes_call(g, t, lanes, depth, rounding[gen_below(g, 4)], 1); break;
    case 5:
    case 6:
    case 7: lanes_choice(g, t, lanes, depth); break;
    default: lanes_binary(g, t, lanes, depth, gen_chance(g, 60) ? "+" : "-"); break;
    }
}

/* v / 3, v % -5, v << 2: the scalar stands beside the vector. */
static void lanes_beside(gen *g, irl_scalar t, int lanes, int depth)
{
    int divisor =
        gen_is(t, "i") && gen_chance(g, 30) ? gen_between(g, -9, -2) : gen_between(g, 1, 9);
    gen_put(g, "(");
    lanes_value(g, t, lanes, depth - 1);
    if (gen_chance(g, 50))
        gen_put(g, " %s %s(%d))", gen_chance(g, 50) ? "/" : "%", gen_text(t), divisor);
    else {
        int distance = gen_below(g, gen_types[t].bits);
        gen_put(g, " %s %s(%d))", gen_chance(g, 50) ? "<<" : ">>", gen_text(t), distance);
    }
}

static void lanes_integer(gen *g, irl_scalar t, int lanes, int depth)
{
    static const char *const signs[] = { "+", "-", "*", "&", "|", "^", "+" };
    switch (gen_below(g, 12)) {
    case 0:
    case 1: lanes_beside(g, t, lanes, depth); break;
    case 2: lanes_call(g, t, lanes, depth, gen_chance(g, 50) ? "min" : "max", 2); break;
    case 3:
        lanes_call(g, t, lanes, depth,
                   gen_chance(g, 40)   ? "abs"
                   : gen_chance(g, 50) ? "~"
                                       : "-",
                   1);
        break;
    case 4:
        gen_put(g, "%sx%d(", gen_text(t), lanes);
        lanes_value(g, gen_some_integer(g), lanes, depth - 1);
        gen_put(g, ")");
        break;
    case 5:
        if (t == IRL_U32 || t == IRL_I32) {
            gen_put(g, "as(%sx%d, ", gen_text(t), lanes);
            lanes_value(g, t == IRL_U32 ? IRL_I32 : IRL_U32, lanes, depth - 1);
            gen_put(g, ")");
            break;
        } /* fall through */
    case 6:
    case 7:
    case 8: lanes_choice(g, t, lanes, depth); break;
    default: lanes_binary(g, t, lanes, depth, signs[gen_below(g, 7)]); break;
    }
}

/* A vector with one right answer in each lane. */
static void lanes_value(gen *g, irl_scalar t, int lanes, int depth)
{
    if (depth <= 0 || gen_chance(g, 15)) lanes_leaf(g, t, lanes);
    else if (gen_is(t, "fh")) lanes_float(g, t, lanes, depth);
    else lanes_integer(g, t, lanes, depth);
}

static void lanes_clamped(gen *g, irl_scalar t, int lanes, int depth, int is_rounded)
{
    size_t start = g->length;
    char  *made;
    g->products = GEN_PRODUCTS;
    lanes_value(g, t, lanes, depth);
    made = (char *)gen_kept(malloc(g->length - start + 1));
    memcpy(made, g->text + start, g->length - start + 1);
    g->length = start;
    if (g->products < GEN_PRODUCTS) is_rounded = 1;
    gen_put(g, is_rounded ? "rint(min(max(%s, -64.0), 64.0))" : "min(max(%s, -64.0), 64.0)", made);
    free(made);
}

/* What may be stored into a tensor of the type. */
static void lanes_stored(gen *g, irl_scalar t, int lanes)
{
    int depth = gen_between(g, 0, 2);
    if (t == IRL_BOOL) lanes_mask(g, lanes, 1);
    else if (gen_is(t, "f")) lanes_clamped(g, t, lanes, depth, 0);
    else if (gen_is(t, "h") && gen_chance_aside(g, 50)) lanes_clamped(g, t, lanes, depth, 1);
    else if (gen_is(t, "h")) {
        gen_put(g, "%sx%d(", gen_text(t), lanes);
        lanes_clamped(g, IRL_F32, lanes, depth, 1);
        gen_put(g, ")");
    } else if (gen_is(t, "n")) {
        gen_words suffix;
        gen_say(suffix, "x%d", lanes);
        gen_code_begin(g, t, suffix);
        lanes_clamped(g, IRL_F32, lanes, depth, 1);
        gen_code_end(g, t);
    } else lanes_value(g, t, lanes, depth);
}

/* ------------------------------------------------------------ loops over all but the channel */

static gen_style lanes_some_style(gen *g)
{
    static const int styles[] = { GEN_SERIAL, GEN_SERIAL, GEN_PARALLEL, GEN_GLOBAL, GEN_GROUPS };
    return (gen_style)lanes_pick(g, 5, styles);
}

/* nest->place[k] for every axis but the channel, whose place is empty. */
static void lanes_open(gen *g, const gen_tensor *t, gen_style style, gen_nest *nest)
{
    gen_tensor outer = *t;
    int        k, channel = t->channel < 0 ? t->rank : t->channel;
    if (channel < t->rank) {
        memmove(outer.axis + channel, outer.axis + channel + 1,
                (size_t)(t->rank - 1 - channel) * sizeof *outer.axis);
        outer.rank--;
    }
    gen_open_nest(g, &outer, style, 0, nest);
    for (k = t->rank - 1; k > channel; k--) strcpy(nest->place[k], nest->place[k - 1]);
    if (channel < t->rank) nest->place[channel][0] = '\0';
}

/* The loop over the channel, which is the innermost but for what the caller adds. */
static void lanes_open_channel(gen *g, const gen_tensor *t, const char *kind, gen_nest *nest)
{
    gen_words name;
    int       extent = t->axis[t->channel].extent;
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for%s (%s: %d)", kind, name, extent);
    gen_open_brace(g);
    nest->braces++;
    gen_say(nest->place[t->channel], "%s", name);
    gen_atom_add(g, name, extent);
}

static const char *lanes_some_kind(gen *g, const gen_tensor *t)
{
    static const char *const kinds[] = { "", "", " parallel", " vectorized", " unrolled" };
    const char              *kind = kinds[gen_below(g, 5)];
    return t->axis[t->channel].extent > 8 && strcmp(kind, " unrolled") == 0 ? "" : kind;
}

static void lanes_put_element(gen *g, const gen_tensor *t, const gen_nest *nest, const char *last)
{
    int k;
    gen_put(g, "%s[", t->name);
    for (k = 0; k < t->rank; k++)
        gen_put(g, "%s%s", k ? ", " : "", last && k == t->channel ? last : nest->place[k]);
    gen_put(g, "] = ");
}

/* let v: f32x4 = ...; with the lanes to be taken out of it in what follows. */
static const gen_name *lanes_let(gen *g, irl_scalar t, int lanes)
{
    gen_name *v;
    gen_words text;
    if (g->name_count >= GEN_NAMES - 2) return NULL;
    gen_say(text, "v%d", g->name_number++);
    gen_begin(g);
    gen_put(g, gen_chance(g, 50) ? "let %s = " : "let %s: %sx%d = ", text, gen_text(t), lanes);
    lanes_stored(g, t, lanes);
    gen_end(g);
    v = &g->names[g->name_count++];
    snprintf(v->text, sizeof v->text, "%.7s", text);
    v->type = t;
    v->lanes = lanes;
    return v;
}

/* ------------------------------------------------------------------ the ways of a stage */

/* A statement for each element of the channel; the vector that it may take a lane of stands before
   the loop. */
static void lanes_store_channel(gen *g, gen_tensor *t, gen_nest *nest, int inexact)
{
    int             names = g->name_count, braces = nest->braces;
    const gen_name *v = !inexact && !gen_is(t->type, "bhn") && gen_chance(g, 25)
                            ? lanes_let(g, t->type, LANES_TEXEL)
                            : NULL;
    lanes_open_channel(g, t, lanes_some_kind(g, t), nest);
    gen_begin(g);
    lanes_put_element(g, t, nest, NULL);
    if (v && gen_is(t->type, "f")) {
        gen_put(g, "min(max(lane(%s, %s %% 4) + ", v->text, nest->place[t->channel]);
        gen_leaf(g, t->type);
        gen_put(g, ", -64.0), 64.0)");
    } else if (v) {
        gen_put(g, "lane(%s, %s %% 4) + ", v->text, nest->place[t->channel]);
        gen_value(g, t->type, 1);
    } else if (inexact) gen_stored_inexactly(g, t);
    else gen_stored(g, t, gen_between(g, 0, 2));
    gen_end(g);
    gen_close_brace(g);
    nest->braces = braces;
    g->atom_count--;
    g->name_count = names;
}

static int lanes_elementwise(gen *g, gen_tensor *t)
{
    gen_nest nest;
    int      inexact = gen_is(t->type, "fh") && gen_chance(g, 12);
    if (t->channel < 0) return 0;
    lanes_open(g, t, lanes_some_style(g), &nest);
    /* a temporary's texel has one writer if part of it is unused */
    if (gen_chance(g, 15) && (t->is_param || t->axis[t->channel].extent % LANES_TEXEL == 0)) {
        gen_begin(g);
        gen_put(g, "if (");
        gen_index_condition(g);
        gen_put(g, ")");
        gen_open_brace(g);
        lanes_store_channel(g, t, &nest, inexact);
        gen_else(g);
        lanes_store_channel(g, t, &nest, inexact);
        gen_close_brace(g);
    } else lanes_store_channel(g, t, &nest, inexact);
    gen_close_nest(g, &nest);
    return 1;
}

/* The loop over the channel outside of all others. */
static int lanes_channel_outside(gen *g, gen_tensor *t)
{
    static const char *const kinds[] = { "", " parallel" };
    gen_nest                 nest, outer;
    gen_words                place;
    if (t->channel < 0) return 0;
    memset(&outer, 0, sizeof outer);
    outer.atoms = g->atom_count;
    outer.names = g->name_count;
    lanes_open_channel(g, t, kinds[gen_below(g, 2)], &outer);
    strcpy(place, outer.place[t->channel]);
    lanes_open(g, t, gen_chance(g, 50) ? GEN_SERIAL : GEN_PARALLEL, &nest);
    strcpy(nest.place[t->channel], place);
    gen_begin(g);
    lanes_put_element(g, t, &nest, NULL);
    gen_stored(g, t, gen_between(g, 0, 2));
    gen_end(g);
    gen_close_nest(g, &nest);
    gen_close_nest(g, &outer);
    return 1;
}

static int lanes_copy(gen *g, gen_tensor *t)
{
    gen_nest    nest;
    gen_tensor *from = gen_some_tensor(g, NULL, (int)t->type, 1);
    if (!from || t->channel < 0) return 0;
    lanes_open(g, t, lanes_some_style(g), &nest);
    lanes_open_channel(g, t, lanes_some_kind(g, t), &nest);
    gen_begin(g);
    lanes_put_element(g, t, &nest, NULL);
    gen_load(g, from);
    gen_end(g);
    gen_close_nest(g, &nest);
    t->ulp = from->ulp;
    t->is_wide = from->is_wide;
    return 1;
}

/* t[..., ramp(...)] = vectors: one after the other, backwards, or in steps. */
static int lanes_ramps(gen *g, gen_tensor *t)
{
    static const int widths[] = { 16, 8, 4, 3, 2, 6, 12 };
    gen_nest         nest;
    gen_words        name, ramp;
    int              extent, lanes = 0, k, first = gen_below(g, 7), way = gen_below(g, 100);
    if (t->channel < 0 || t->channel != t->rank - 1 || t->has_layout) return 0;
    extent = t->axis[t->channel].extent;
    if (t->is_image) lanes = extent % LANES_TEXEL ? 0 : LANES_TEXEL;
    for (k = 0; k < 7 && !t->is_image && !lanes; k++)
        if (extent % widths[(first + k) % 7] == 0) lanes = widths[(first + k) % 7];
    if (!lanes) return 0;
    gen_say(name, "i%d", g->loop_number++);
    if (way < 70) gen_say(ramp, "ramp(%s * %d, 1, %d)", name, lanes, lanes);
    else if (way < 85 || t->is_image)
        gen_say(ramp, "ramp(%s * %d + %d, -1, %d)", name, lanes, lanes - 1, lanes);
    else gen_say(ramp, "ramp(%s, %d, %d)", name, extent / lanes, lanes);
    lanes_open(g, t, lanes_some_style(g), &nest);
    gen_begin(g);
    gen_put(g, "for (%s: %d)", name, extent / lanes);
    gen_open_brace(g);
    nest.braces++;
    gen_atom_add(g, name, extent / lanes);
    if (gen_chance(g, 25)) (void)lanes_let(g, gen_is(t->type, "bhn") ? IRL_F32 : t->type, lanes);
    gen_begin(g);
    lanes_put_element(g, t, &nest, ramp);
    lanes_stored(g, t->type, lanes);
    gen_end(g);
    gen_close_nest(g, &nest);
    return 1;
}

/* Elements that are vectors. */
static int lanes_elements(gen *g, gen_tensor *t)
{
    gen_nest nest;
    if (!t->lanes) return 0;
    lanes_open(g, t, lanes_some_style(g), &nest);
    if (gen_chance(g, 25)) (void)lanes_let(g, gen_is(t->type, "bhn") ? IRL_F32 : t->type, t->lanes);
    gen_begin(g);
    lanes_put_element(g, t, &nest, NULL);
    lanes_stored(g, t->type, t->lanes);
    gen_end(g);
    gen_close_nest(g, &nest);
    return 1;
}

/* Sums in private memory, four at a time: what convolutions are made of. */
static int lanes_sums(gen *g, gen_tensor *t)
{
    gen_nest    nest;
    gen_words   acc, lane, round, channel;
    const char *kind = gen_chance(g, 70) ? " vectorized" : "";
    int         extent, rounds = gen_between(g, 1, 5), is_float = gen_is(t->type, "f");
    if (t->channel < 0 || gen_is(t->type, "bhn")) return 0;
    extent = t->axis[t->channel].extent;
    if (extent % LANES_TEXEL) return 0;
    gen_say(acc, "q%d", g->temp_count++);
    gen_say(lane, "i%d", g->loop_number++);
    gen_say(round, "i%d", g->loop_number++);
    gen_say(channel, "i%d", g->loop_number++);
    lanes_open(g, t, gen_chance(g, 60) ? GEN_PARALLEL : lanes_some_style(g), &nest);
    gen_begin(g);
    gen_put(g, "for (%s: %d)", channel, extent / LANES_TEXEL);
    gen_open_brace(g);
    gen_atom_add(g, channel, extent / LANES_TEXEL);
    gen_line(g, "alloc %s: %s[4] scope(local)", acc, gen_text(t->type));
    gen_line(g, "for%s (%s: 4) %s[%s] = %s(0)", kind, lane, acc, lane, gen_text(t->type));
    gen_begin(g);
    gen_put(g, "for (%s: %d)", round, rounds);
    gen_open_brace(g);
    gen_atom_add(g, round, rounds);
    gen_begin(g);
    gen_put(g, "for%s (%s: 4)", kind, lane);
    gen_open_brace(g);
    gen_atom_add(g, lane, LANES_TEXEL);
    gen_begin(g);
    gen_put(g, "%s[%s] = %s[%s] + ", acc, lane, acc, lane);
    gen_term(g, t->type);
    gen_end(g);
    gen_close_brace(g);
    gen_close_brace(g);
    g->atom_count -= 2;
    gen_say(nest.place[t->channel], "%s * 4 + %s", channel, lane);
    gen_begin(g);
    gen_put(g, "for%s (%s: 4)", kind, lane);
    gen_open_brace(g);
    gen_begin(g);
    lanes_put_element(g, t, &nest, NULL);
    gen_put(g, is_float ? "rint(min(max(%s[%s], -64.0), 64.0))" : "%s[%s]", acc, lane);
    gen_end(g);
    gen_close_brace(g);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    return 1;
}

/* Scalars seen as vectors, or vectors as scalars, and all of t through the view. */
static int lanes_view(gen *g, gen_tensor *t)
{
    static const int widths[] = { 16, 8, 4, 3, 2 };
    gen_tensor       view = *t;
    int              cells = gen_cells(t), lanes = 0, k, first = gen_below(g, 5);
    if (t->is_image || t->has_layout || g->options.plain || gen_is_symbolic(t)) return 0;
    for (k = 0; k < 5 && !t->lanes && !lanes; k++)
        if (cells % widths[(first + k) % 5] == 0) lanes = widths[(first + k) % 5];
    if (!t->lanes && (!lanes || t->type == IRL_BOOL)) return 0;
    view.lanes = lanes;
    view.rank = 1;
    view.axis[0] = gen_constant_axis(t->lanes ? cells * t->lanes : cells / lanes);
    view.channel = t->lanes ? 0 : -1;
    snprintf(view.name, sizeof view.name, "w%d", g->temp_count++);
    gen_begin(g);
    gen_put(g, "decl ");
    gen_put_shape(g, &view);
    gen_put(g, " data(%s);\n", t->name);
    return t->lanes ? lanes_elementwise(g, &view) && (t->ulp = view.ulp, 1)
                    : lanes_elements(g, &view);
}

/* Another tensor of the same shape, written in the same loop over the channel. */
static int lanes_two(gen *g, gen_tensor *t)
{
    gen_nest    nest;
    gen_tensor *u;
    gen_words   value;
    const char *type = gen_text(t->type);
    if (t->channel < 0 || t->has_layout || gen_is(t->type, "bhn") ||
        g->tensor_count >= GEN_TENSORS - 1)
        return 0;
    u = &g->tensors[g->tensor_count++];
    *u = *t;
    u->memory = g->memory_count++;
    u->is_param = 0;
    snprintf(u->name, sizeof u->name, "t%d", g->temp_count++);
    gen_put_alloc(g, u);
    lanes_open(g, t, lanes_some_style(g), &nest);
    lanes_open_channel(g, t, gen_chance(g, 50) ? " parallel" : " vectorized", &nest);
    gen_say(value, "v%d", g->name_number++);
    gen_begin(g);
    gen_put(g, "let %s = ", value);
    gen_stored(g, t, 1);
    gen_end(g);
    gen_begin(g);
    lanes_put_element(g, t, &nest, NULL);
    gen_put(g, "%s;\n", value);
    gen_begin(g);
    lanes_put_element(g, u, &nest, NULL);
    gen_put(g, "%s - %s(3);\n", value, type);
    gen_close_nest(g, &nest);
    u->is_defined = u->is_written = 1;
    u->is_input = 0;
    u->is_wide = gen_is(t->type, "f");
    return 1;
}

static gen_way *const lanes_ways[] = {
    lanes_elementwise, lanes_elementwise, lanes_elementwise, lanes_channel_outside, lanes_copy,
    lanes_ramps,       lanes_ramps,       lanes_elements,    lanes_elements,        lanes_sums,
    lanes_sums,        lanes_view,        lanes_two
};

static void lanes_stage(gen *g, gen_tensor *t)
{
    int tries;
    g->hidden = t->memory;
    g->products = GEN_PRODUCTS;
    for (tries = 0; tries < 20; tries++)
        if (lanes_ways[gen_below(g, (int)(sizeof lanes_ways / sizeof *lanes_ways))](g, t)) break;
    if (tries == 20) (void)(t->lanes ? lanes_elements(g, t) : lanes_elementwise(g, t));
    g->hidden = -1;
    t->is_defined = t->is_written = 1;
    t->is_input = 0;
}

/* ------------------------------------------------------------------ views of what is defined */

/* An image under another name, scalars as vectors, vectors as scalars; from here on both are
   read. */
static void lanes_alias(gen *g)
{
    static const int widths[] = { 2, 4, 8, 16 };
    gen_tensor      *of = &g->tensors[gen_below(g, g->tensor_count)], *view;
    int              lanes = lanes_pick(g, 4, widths), cells = gen_cells(of);
    if (!of->is_defined || of->has_layout || of->rank == 0 || gen_is_symbolic(of) ||
        g->tensor_count >= GEN_TENSORS - 4)
        return;
    view = &g->tensors[g->tensor_count++];
    *view = *of;
    view->is_param = 0;
    snprintf(view->name, sizeof view->name, "w%d", g->temp_count++);
    if (!of->is_image && of->type != IRL_BOOL &&
        (of->lanes || (!g->options.plain && cells % lanes == 0))) {
        view->lanes = of->lanes ? 0 : lanes;
        view->rank = 1;
        view->axis[0] = gen_constant_axis(of->lanes ? cells * of->lanes : cells / lanes);
        view->channel = of->lanes ? 0 : -1;
    }
    gen_begin(g);
    gen_put(g, "decl ");
    gen_put_shape(g, view);
    gen_put(g, "%s data(%s);\n", view->attributes, of->name);
}

/* ------------------------------------------------------------------ the function */

static void lanes_layouts(gen *g)
{
    int k;
    for (k = 0; k < g->tensor_count; k++)
        if (g->tensors[k].has_layout) lanes_put_layout(g, &g->tensors[k]);
}

/* The function of a seed, over images and vectors. Freed by gen_free. */
static gen_case gen_lane_function(uint64_t seed, gen_options options)
{
    gen      g;
    gen_case c;
    char    *body;
    int      k, inputs, outputs, temporaries;
    memset(&g, 0, sizeof g);
    memset(&c, 0, sizeof c);
    c.seed = g.random = seed;
    g.options = options;
    g.hidden = -1;
    g.indent = 1;
    if (gen_chance(&g, 15)) {
        g.n = gen_between(&g, 1, 6);
        gen_scalar_param(&g, &c, "n", IRL_INDEX, g.n);
    }
    inputs = gen_between(&g, 1, 3);
    outputs = gen_between(&g, 1, 2);
    temporaries = gen_below(&g, 3);
    for (k = 0; k < inputs + outputs; k++) {
        gen_tensor *t = lanes_tensor(&g, k < inputs ? "a" : "y", k < inputs ? k : k - inputs);
        t->is_param = 1;
        t->is_defined = t->is_input = k < inputs;
    }
    gen_put(&g, "%s", "");
    for (k = 0; k < temporaries; k++) {
        gen_tensor *t = lanes_tensor(&g, "t", g.temp_count++);
        if (gen_chance(&g, 25)) lanes_alias(&g);
        gen_put_alloc(&g, t);
        lanes_stage(&g, t);
    }
    if (gen_chance(&g, 25)) lanes_alias(&g);
    for (k = 0; k < outputs; k++) lanes_stage(&g, &g.tensors[inputs + k]);
    gen_buffer_params(&g, &c);
    body = gen_begin_func(&g, &c, seed);
    lanes_layouts(&g);
    gen_put(&g, " {\n%s}\n", body);
    free(body);
    c.text = g.text;
    return c;
}

#endif
