/* generate_memory.h - functions over memory in unusual places: views of views with strides and
   offsets, vectors at any stride, match buffers of match buffers, private, shared and constant
   memory, images that are temporaries of loops, values that nobody defined, loops without
   iterations.

   needs     irlayout.h, generate.h before it
   promises  a legal function, with the same result wherever it runs: every index is in its range,
             iterations that run at once do not meet, integers wrap, floats are rounded operation by
             operation, and what is undefined is moved but never looked at

   A function is a sequence of stages. Each memory that is left is added into an output at the end,
   cell by cell. */
#ifndef IRL_GENERATE_MEMORY_H
#define IRL_GENERATE_MEMORY_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

enum { MEMORY_AXES = 3, MEMORY_VIEWS = 40, MEMORY_LOOPS = 4, MEMORY_OUT = 48 };

typedef struct memory_view {
    char       name[12];
    irl_scalar type;
    int        lanes;             /* of an element; 1 */
    int        rank, shape[MEMORY_AXES];
    int        memory;            /* its number */
    int        is_read_only, is_defined, is_dead; /* dead: out of scope */
    int        is_owner, cells;   /* scalars, of an owner that is compact */
    int        is_declared;       /* its line is written */
    int        is_injective;      /* no two indices are one cell */
    int        is_symbolic;       /* its one extent is n + 1, and shape[0] what that is */
} memory_view;

typedef struct memory_loop {
    char name[8];
    int  extent; /* no value is as large */
} memory_loop;

typedef struct memory_gen {
    gen         g;
    memory_view views[MEMORY_VIEWS];
    int         count, memories;
    memory_loop loops[MEMORY_LOOPS];
    int         loop_count, names;
    int         hidden; /* a memory that is not to be read now; -1: none */
    int         n;
    int         for_device;
} memory_gen;

/* ------------------------------------------------------------------ views */

static irl_scalar memory_some_type(memory_gen *m)
{
    static const irl_scalar types[] = { IRL_I32, IRL_I32, IRL_F32, IRL_F32, IRL_U8, IRL_I16 };
    return types[gen_below(&m->g, 6)];
}

static int memory_is_float(const memory_view *v) { return v->type == IRL_F32; }

static memory_view *memory_add(memory_gen *m, const char *prefix, irl_scalar type, int rank,
                               const int *shape, int memory)
{
    memory_view *v = &m->views[m->count++];
    int          k;
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s%d", prefix, m->names++);
    v->type = type;
    v->lanes = 1;
    v->rank = rank;
    v->cells = 1;
    for (k = 0; k < rank; k++) {
        v->shape[k] = shape[k];
        v->cells *= shape[k];
    }
    v->is_owner = memory < 0;
    v->is_injective = 1;
    v->memory = memory < 0 ? m->memories++ : memory;
    return v;
}

static void memory_shape(memory_gen *m, int *rank, int *shape)
{
    static const int extents[] = { 1, 2, 3, 4, 4, 5, 6, 8 };
    int              k, cells = 1;
    *rank = gen_between(&m->g, 1, 3);
    for (k = 0; k < *rank; k++) {
        shape[k] = extents[gen_below(&m->g, 8)];
        if (cells * shape[k] > MEMORY_OUT) shape[k] = 1;
        cells *= shape[k];
    }
}

static void memory_put_shape(memory_gen *m, const memory_view *v)
{
    int k;
    gen_put(&m->g, "%s: %s", v->name, gen_text(v->type));
    if (v->lanes > 1) gen_put(&m->g, "x%d", v->lanes);
    gen_put(&m->g, "[");
    for (k = 0; k < v->rank; k++) {
        if (v->is_symbolic) gen_put(&m->g, "n + 1");
        else gen_put(&m->g, k ? ", %d" : "%d", v->shape[k]);
    }
    gen_put(&m->g, "]");
}

/* A view that is in scope and may be read (or written); NULL if there is none. */
static memory_view *memory_pick(memory_gen *m, int for_writing, int floats)
{
    int k, at = gen_below(&m->g, m->count);
    for (k = 0; k < m->count; k++, at = (at + 1) % m->count) {
        memory_view *v = &m->views[at];
        if (v->is_dead || !v->is_defined || (for_writing && v->is_read_only)) continue;
        if (!for_writing && v->memory == m->hidden) continue;
        if (floats >= 0 && memory_is_float(v) != floats) continue;
        return v;
    }
    return NULL;
}

static void memory_define(memory_gen *m, int memory)
{
    int k;
    for (k = 0; k < m->count; k++)
        if (m->views[k].memory == memory) m->views[k].is_defined = 1;
}

/* Views from `from` on go out of scope. */
static void memory_close(memory_gen *m, int from)
{
    for (; from < m->count; from++) m->views[from].is_dead = 1;
}

/* ------------------------------------------------------------------ indices */

/* A value in [0, extent). */
static void memory_put_index(memory_gen *m, int extent)
{
    gen               *g = &m->g;
    const memory_loop *l = m->loop_count ? &m->loops[gen_below(g, m->loop_count)] : NULL;
    if (!l || gen_chance(g, 15)) {
        gen_put(g, "%d", gen_below(g, extent));
        return;
    }
    if (l->extent <= extent) {
        switch (gen_below(g, 4)) {
        case 0: gen_put(g, "%d - %s", extent - 1, l->name); return;
        case 1: gen_put(g, "(%s + %d) %% %d", l->name, gen_below(g, 9), extent); return;
        default: gen_put(g, "%s", l->name); return;
        }
    }
    if (gen_chance(g, 30)) gen_put(g, "%s / %d", l->name, (l->extent + extent - 1) / extent);
    else {
        int start = gen_below(g, 9); /* one after the other, by every compiler */
        gen_put(g, "(%s * %d + %d) %% %d", l->name, gen_between(g, 1, 5), start, extent);
    }
}

static void memory_put_place(memory_gen *m, const memory_view *v)
{
    int k;
    gen_put(&m->g, "%s[", v->name);
    if (v->is_symbolic && m->loop_count) {
        int start = gen_below(&m->g, 5), step = gen_between(&m->g, 1, 3);
        gen_put(&m->g, "(%s * %d + %d) %% (n + 1)",
                m->loops[gen_below(&m->g, m->loop_count)].name, step, start);
    } else if (v->is_symbolic) gen_put(&m->g, gen_chance(&m->g, 50) ? "n" : "n / 2");
    for (k = 0; !v->is_symbolic && k < v->rank; k++) {
        if (k) gen_put(&m->g, ", ");
        memory_put_index(m, v->shape[k]);
    }
    gen_put(&m->g, "]");
}

/* ------------------------------------------------------------------ values */

static void memory_put_value(memory_gen *m, irl_scalar type, int depth);

/* A scalar of a view, converted if need be. */
static void memory_put_load(memory_gen *m, irl_scalar type)
{
    gen         *g = &m->g;
    memory_view *v = memory_pick(m, 0, type == IRL_F32);
    if (!v) {
        gen_put(g, type == IRL_F32 ? "0.75f" : "%s(7)", gen_text(type));
        return;
    }
    if (v->type != type) gen_put(g, "%s(", gen_text(type));
    if (v->lanes > 1) gen_put(g, "lane(");
    memory_put_place(m, v);
    if (v->lanes > 1) gen_put(g, ", %d)", gen_below(g, v->lanes));
    if (v->type != type) gen_put(g, ")");
}

static void memory_put_condition(memory_gen *m)
{
    gen *g = &m->g;
    if (m->loop_count && gen_chance(g, 70)) {
        const memory_loop *l = &m->loops[gen_below(g, m->loop_count)];
        int                right = gen_below(g, 3);
        gen_put(g, gen_chance(g, 50) ? "%s < %d" : "%s %% 3 != %d", l->name, right);
    } else {
        memory_put_load(m, IRL_I32);
        gen_put(g, " > %d", gen_between(g, -20, 20));
    }
}

static void memory_put_value(memory_gen *m, irl_scalar type, int depth)
{
    static const char *const of_ints[] = { "+", "-", "*", "^", "&", "|" };
    static const char *const of_floats[] = { "+", "-", "+", "-" };
    gen                     *g = &m->g;
    int                      is_float = type == IRL_F32;
    switch (gen_below(g, depth > 0 ? 9 : 4)) {
    case 0:
        if (is_float) {
            const char *fraction = gen_chance(g, 50) ? "5f" : "25f";
            gen_put(g, "%d.%s", gen_between(g, -3, 3), fraction);
        } else
            gen_put(g, "%s(%d)", gen_text(type), gen_between(g, 0, 100));
        return;
    case 1:
        if (!m->loop_count) break;
        gen_put(g, "%s(%s)", gen_text(type), m->loops[gen_below(g, m->loop_count)].name);
        return;
    case 4:
        gen_put(g, "select(");
        memory_put_condition(m);
        gen_put(g, ", ");
        memory_put_value(m, type, depth - 1);
        gen_put(g, ", ");
        memory_put_value(m, type, depth - 1);
        gen_put(g, ")");
        return;
    case 5:
        gen_put(g, "(");
        memory_put_condition(m);
        gen_put(g, " ? ");
        memory_put_value(m, type, depth - 1);
        gen_put(g, " : ");
        memory_put_value(m, type, depth - 1);
        gen_put(g, ")");
        return;
    case 6:
        gen_put(g, is_float ? "max(" : "min(");
        memory_put_value(m, type, depth - 1);
        gen_put(g, ", ");
        memory_put_value(m, type, depth - 1);
        gen_put(g, ")");
        return;
    case 7:
    case 8:
        gen_put(g, "(");
        memory_put_value(m, type, depth - 1);
        gen_put(g, " %s ", is_float ? of_floats[gen_below(g, 4)] : of_ints[gen_below(g, 6)]);
        memory_put_value(m, type, depth - 1);
        gen_put(g, ")");
        return;
    default: break;
    }
    memory_put_load(m, type);
}

/* A value for an element of v, of all its lanes. */
static void memory_put_element(memory_gen *m, const memory_view *v, int depth)
{
    int k;
    if (v->lanes == 1) {
        memory_put_value(m, v->type, depth);
        return;
    }
    if (gen_chance(&m->g, 30)) {
        gen_put(&m->g, "broadcast(");
        memory_put_value(m, v->type, depth);
        gen_put(&m->g, ", %d)", v->lanes);
        return;
    }
    gen_put(&m->g, "shuffle(");
    for (k = 0; k < v->lanes; k++) {
        if (k) gen_put(&m->g, ", ");
        memory_put_value(m, v->type, depth - 1);
    }
    gen_put(&m->g, ", [");
    for (k = 0; k < v->lanes; k++) gen_put(&m->g, k ? ", %d" : "%d", gen_below(&m->g, v->lanes));
    gen_put(&m->g, "])");
}

/* ------------------------------------------------------------------ loops */

static memory_loop *memory_push_loop(memory_gen *m, int extent)
{
    memory_loop *l = &m->loops[m->loop_count++];
    snprintf(l->name, sizeof l->name, "i%d", m->names++);
    l->extent = extent;
    return l;
}

/* A serial loop: from 0 or further on, now and then with a name in it, or empty. */
static void memory_open_loop(memory_gen *m)
{
    gen *g = &m->g;
    int  way = gen_below(g, 15), extent = gen_between(g, 1, 6), from = gen_between(g, 1, 3);
    if (way == 12) gen_line(g, "let e%d = n - %d", m->names, from);
    gen_begin(g);
    if (way == 0) gen_put(g, "for (%s: n - %d)", memory_push_loop(m, 6)->name, gen_below(g, 5));
    else if (way == 1) gen_put(g, "for (%s: %d .. n)", memory_push_loop(m, 6)->name, from);
    else if (way == 13) {
        memory_push_loop(m, from + extent);
        gen_put(g, "for (i%d: %d .. %d : %d)", m->names - 1, from, from + extent, from + 1);
    } else if (way == 14) {
        memory_push_loop(m, extent);
        gen_put(g, "for (i%d: %d .. -1 : %d)", m->names - 1, extent - 1, -from);
    } else if (way == 12) {
        gen_put(g, "for (%s: ", memory_push_loop(m, 6)->name);
        gen_put(g, "e%d)", m->names - 1);
    } else if (way == 2) gen_put(g, "for (%s: 3 .. 1)", memory_push_loop(m, 4)->name);
    else if (way == 3)
        gen_put(g, "for unrolled (%s: %d)", memory_push_loop(m, extent)->name, extent);
    else if (way < 6)
        gen_put(g, "for (%s: %d .. + %d)", memory_push_loop(m, from + extent)->name, from, extent);
    else gen_put(g, "for (%s: %d)", memory_push_loop(m, extent)->name, extent);
    gen_open_brace(g);
}

static void memory_close_loop(memory_gen *m)
{
    m->loop_count--;
    gen_close_brace(&m->g);
}

/* Every element of v once, by loops of any kind, serial or not. Its memory is not read. */
static void memory_fill(memory_gen *m, memory_view *v, int depth)
{
    static const char *const kinds[] = { "", "", " parallel", " bind(global.x)", " vectorized" };
    gen                     *g = &m->g;
    int                      k, base = m->loop_count, kind = gen_below(g, 5), hidden = m->hidden;
    if (!v->is_injective || (kind == 3 && base)) kind = 0;
    for (k = 0; k < v->rank; k++) {
        int is_here = kind == 2 ? 1 : kind == 3 ? k == 0 : k == v->rank - 1;
        gen_begin(g);
        gen_put(g, "for%s (%s: ", is_here ? kinds[kind] : "",
                memory_push_loop(m, v->shape[k])->name);
        gen_put(g, v->is_symbolic ? "n + 1)" : "%d)", v->shape[k]);
        gen_open_brace(g);
    }
    m->hidden = v->memory;
    gen_begin(g);
    gen_put(g, "%s[", v->name);
    for (k = 0; k < v->rank; k++) gen_put(g, k ? ", %s" : "%s", m->loops[base + k].name);
    gen_put(g, "] = ");
    memory_put_element(m, v, depth);
    gen_end(g);
    m->hidden = hidden;
    for (k = 0; k < v->rank; k++) memory_close_loop(m);
    memory_define(m, v->memory);
}

/* ------------------------------------------------------------------ views of memory */

/* A view of the same memory that is in scope: its pointer is the memory's, whatever its offset. */
static const char *memory_other_name(memory_gen *m, const memory_view *of)
{
    int k, at = gen_below(&m->g, m->count);
    for (k = 0; k < m->count; k++, at = (at + 1) % m->count)
        if (!m->views[at].is_dead && m->views[at].memory == of->memory &&
            m->views[at].is_declared)
            return m->views[at].name;
    return of->name;
}

/* The same cells by another shape, transposed, every second one, from an offset, as vectors, or
   under another type of as many bits. */
static memory_view *memory_decl(memory_gen *m, const memory_view *of)
{
    gen         *g = &m->g;
    memory_view *v;
    int          shape[MEMORY_AXES], cells = of->cells, way = gen_below(g, 8), step, from;
    gen_words    name;
    if (!of->is_owner || of->lanes > 1 || m->count + 2 > MEMORY_VIEWS) return NULL;
    shape[0] = cells;
    v = memory_add(m, "v", of->type, 1, shape, of->memory);
    v->is_read_only = of->is_read_only;
    v->is_defined = of->is_defined;
    gen_say(name, "%s", of->name);
    if (gen_chance(g, 20)) { /* another name of the memory */
        gen_say(name, "p%d", m->names++);
        gen_line(g, "let %s = %s", name, of->name);
    } else if (gen_chance(g, 30)) gen_say(name, "%s", memory_other_name(m, of));
    gen_begin(g);
    gen_put(g, "decl ");
    if (way == 7 && cells >= 6) {
        v->is_symbolic = 1;
        v->shape[0] = m->n + 1;
        memory_put_shape(m, v);
        gen_put(g, " data(%s);\n", name);
    } else if (way == 0 && cells % 2 == 0) { /* columns first */
        v->rank = 2;
        v->shape[0] = cells / 2;
        v->shape[1] = 2;
        memory_put_shape(m, v);
        gen_put(g, " data(%s) strides(1, %d);\n", name, cells / 2);
    } else if (way == 1 && cells >= 3) { /* every second or third */
        step = gen_between(g, 2, 3);
        from = gen_below(g, 2);
        v->shape[0] = (cells - from - 1) / step + 1;
        memory_put_shape(m, v);
        gen_put(g, " data(%s) strides(%d)", name, step);
        gen_put(g, from ? " offset(%d);\n" : ";\n", from);
    } else if (way == 2 && cells >= 2) { /* from an offset */
        from = gen_between(g, 1, cells - 1);
        v->shape[0] = cells - from;
        memory_put_shape(m, v);
        gen_put(g, " data(%s) offset(%d);\n", name, from);
    } else if (way == 3 && cells >= 4) { /* windows that overlap */
        v->rank = 2;
        v->shape[0] = cells - 2;
        v->shape[1] = 3;
        v->is_injective = 0;
        memory_put_shape(m, v);
        gen_put(g, " data(%s) strides(1, 1);\n", name);
    } else if (way == 4 && cells % 4 == 0) { /* vectors */
        v->lanes = cells % 8 == 0 && gen_chance(g, 50) ? 2 : 4;
        v->shape[0] = cells / v->lanes;
        memory_put_shape(m, v);
        gen_put(g, " data(%s);\n", name);
    } else if (way == 5 && of->type == IRL_I32) { /* bytes */
        v->type = gen_chance(g, 50) ? IRL_U8 : IRL_I16;
        v->shape[0] = v->type == IRL_U8 ? cells * 4 : cells * 2;
        memory_put_shape(m, v);
        gen_put(g, " data(%s);\n", name);
    } else {
        memory_put_shape(m, v);
        gen_put(g, " data(%s);\n", name);
    }
    v->is_declared = 1;
    return v;
}

/* A store of several elements at once: one index is a ramp. */
static void memory_vector(memory_gen *m)
{
    gen         *g = &m->g;
    memory_view *to = memory_pick(m, 1, -1), *from;
    int          k, lanes, step, room;
    if (!to || !to->is_injective || to->is_symbolic || to->shape[to->rank - 1] < 2) return;
    if (to->lanes > 1) {
        if (to->rank != 1) return;
        gen_begin(g);
        gen_put(g, "%s[ramp(%d, 1, 2)] = broadcast(", to->name, gen_below(g, to->shape[0] - 1));
        memory_put_value(m, to->type, 1);
        gen_put(g, ", %d);\n", to->lanes * 2);
        return;
    }
    room = to->shape[to->rank - 1];
    lanes = room >= 8 && gen_chance(g, 40) ? 8
            : room >= 4                    ? 4
            : room >= 3                    ? gen_between(g, 2, 3)
                                           : 2;
    step = (lanes - 1) * 2 < room && gen_chance(g, 40) ? 2 : 1;
    if (gen_chance(g, 25)) step = -step;
    gen_begin(g);
    gen_put(g, "%s[", to->name);
    for (k = 0; k + 1 < to->rank; k++) {
        memory_put_index(m, to->shape[k]);
        gen_put(g, ", ");
    }
    gen_put(g, "ramp(%d, %d, %d)] = ",
            step < 0 ? -step * (lanes - 1) : gen_below(g, room - step * (lanes - 1)), step, lanes);
    from = memory_pick(m, 0, memory_is_float(to));
    if (from && from->type == to->type && from->lanes == 1 &&
        !from->is_symbolic && from->shape[from->rank - 1] >= lanes) {
        gen_put(g, "%s[", from->name);
        for (k = 0; k + 1 < from->rank; k++) {
            memory_put_index(m, from->shape[k]);
            gen_put(g, ", ");
        }
        if (gen_chance(g, 30)) gen_put(g, "ramp(%d, -1, %d)]", lanes - 1, lanes);
        else gen_put(g, "ramp(%d, 1, %d)]", from->shape[from->rank - 1] - lanes, lanes);
    } else {
        gen_put(g, "broadcast(");
        memory_put_value(m, to->type, 1);
        gen_put(g, ", %d)", lanes);
    }
    gen_end(g);
}

/* ------------------------------------------------------------------ stages */

static memory_view *memory_alloc(memory_gen *m, const char *attributes, int lanes)
{
    memory_view *v;
    int          rank, shape[MEMORY_AXES];
    memory_shape(m, &rank, shape);
    v = memory_add(m, "t", lanes > 1 ? IRL_F32 : memory_some_type(m), rank, shape, -1);
    v->lanes = lanes;
    v->cells *= lanes;
    gen_begin(&m->g);
    gen_put(&m->g, "alloc ");
    memory_put_shape(m, v);
    gen_put(&m->g, "%s;\n", attributes);
    return v;
}

/* Stores in any order, of any places, in serial loops: what they meet, they meet in order. */
static void memory_serial(memory_gen *m)
{
    gen *g = &m->g;
    int  loops = gen_between(g, 1, 2), statements = gen_between(g, 1, 3), k, base = m->count;
    for (k = 0; k < loops && m->loop_count < MEMORY_LOOPS - 1; k++) memory_open_loop(m);
    loops = k;
    if (gen_chance(g, 25)) {
        memory_view *v = memory_alloc(m, gen_chance(g, 50) ? " scope(local)" : "", 1);
        if (m->loop_count + v->rank <= MEMORY_LOOPS) memory_fill(m, v, 1);
        else m->count--;
        if (m->count > base && gen_chance(g, 50)) memory_decl(m, v);
    }
    while (statements-- > 0) {
        memory_view *v = memory_pick(m, 1, -1);
        int          guarded = gen_chance(g, 20);
        if (!v) continue;
        if (gen_chance(g, 15)) {
            memory_vector(m);
            continue;
        }
        if (guarded) {
            gen_begin(g);
            gen_put(g, "if (");
            memory_put_condition(m);
            gen_put(g, ")");
            gen_open_brace(g);
        }
        gen_begin(g);
        memory_put_place(m, v);
        gen_put(g, " = ");
        memory_put_element(m, v, 2);
        gen_end(g);
        if (guarded) gen_close_brace(g);
    }
    memory_close(m, base);
    while (loops-- > 0) memory_close_loop(m);
}

/* A group with shared memory: written, seen by a view, read from another place behind a barrier. */
static void memory_group(memory_gen *m)
{
    gen         *g = &m->g;
    memory_view *to = memory_pick(m, 1, -1), *s;
    int          local = 4 << gen_below(g, 2), shape[1], base = m->count, view = gen_chance(g, 40),
                 again = gen_chance(g, 20);
    if (!to || to->rank != 1 || to->lanes > 1 || to->is_symbolic || !to->is_injective ||
        to->shape[0] < local)
        return;
    shape[0] = local;
    if (again) {
        gen_begin(g);
        gen_put(g, "for (again%d: 2)", m->names++);
        gen_open_brace(g);
    }
    gen_begin(g);
    gen_put(g, "for bind(group.x) (%s: %d)", memory_push_loop(m, to->shape[0] / local)->name,
            to->shape[0] / local);
    gen_open_brace(g);
    s = memory_add(m, "s", to->type, 1, shape, -1);
    if (gen_chance(g, 50))
        gen_line(g, "alloc %s: %s[%d] scope(shared)", s->name, gen_text(s->type), local);
    else {
        gen_begin(g);
        gen_put(g, "alloc %s: %s[%d] scope(shared) align(64);\n", s->name, gen_text(s->type),
                local);
    }
    gen_begin(g);
    gen_put(g, "for bind(local.x) (%s: %d)", memory_push_loop(m, local)->name, local);
    gen_open_brace(g);
    s->is_dead = 1; /* for a while */
    m->hidden = to->memory;
    gen_begin(g);
    gen_put(g, "%s[%s] = ", s->name, m->loops[m->loop_count - 1].name);
    memory_put_value(m, s->type, 2);
    gen_end(g);
    if (view)
        gen_line(g, "decl %sv: %s[%d] data(%s) strides(1)", s->name, gen_text(s->type), local,
                 s->name);
    gen_line(g, "barrier(shared)");
    s->is_dead = 0;
    s->is_defined = 1;
    s->is_read_only = 1;
    gen_begin(g);
    gen_put(g, "%s[%s * %d + %s] = ", to->name, m->loops[m->loop_count - 2].name, local,
            m->loops[m->loop_count - 1].name);
    if (view) gen_put(g, "%sv[%d - %s]", s->name, local - 1, m->loops[m->loop_count - 1].name);
    else memory_put_value(m, to->type, 2);
    gen_end(g);
    m->hidden = -1;
    memory_close(m, base);
    memory_close_loop(m);
    memory_close_loop(m);
    if (again) gen_close_brace(g);
}

/* A block over parts of two memories, seen by match buffers, the second of which is a part of the
   first. */
static void memory_block(memory_gen *m)
{
    gen         *g = &m->g;
    memory_view *from, *to;
    int          shape[2] = { 4, 6 }, base, k = m->names;
    m->names += 4;
    from = memory_add(m, "t", IRL_F32, 2, shape, -1);
    gen_line(g, "alloc %s: f32[4, 6]%s", from->name, gen_chance(g, 30) ? " strides(8, 1)" : "");
    from->is_owner = 0; /* it may not be compact */
    memory_fill(m, from, 1);
    shape[0] = 6;
    shape[1] = 4;
    to = memory_add(m, "t", IRL_F32, 2, shape, -1);
    gen_line(g, "alloc %s: f32[6, 4]", to->name);
    memory_fill(m, to, 0);
    base = m->count;
    gen_begin(g);
    gen_put(g, "for (b%d: 2, c%d: 3)\n", k, k);
    g->indent++;
    gen_begin(g);
    gen_put(g, "block p%d(u: spatial(2) = b%d, w: spatial(3) = c%d)", k, k, k);
    if (gen_chance(g, 30)) gen_put(g, " where(u + w < %d)", gen_between(g, 1, 4));
    gen_open_brace(g);
    gen_line(g, "match a: f32[2, 2] = %s[u * 2: 2, w * 2: 2]", from->name);
    if (gen_chance(g, 50)) gen_line(g, "match e: f32[2] = a[%d, 0: 2]", gen_below(g, 2));
    else gen_line(g, "match e: f32[1, 2] = a[%d: 1, 0: 2]", gen_below(g, 2));
    gen_line(g, "match d: f32[2, 2] = %s[w * 2: 2, u * 2: 2]", to->name);
    k = strstr(g->text + g->length - 120, "match e: f32[2]") != NULL;
    gen_begin(g);
    gen_put(g, "for (p: 2, q: 2) d[q, p] = a[p, q] + e[%s] * 0.5f;\n", k ? "q" : "0, q");
    if (gen_chance(g, 50)) gen_line(g, "d[0, 0] = d[1, 1] - %s", k ? "e[1]" : "e[0, 1]");
    gen_close_brace(g);
    g->indent--;
    memory_close(m, base);
}

/* An image that is a temporary, of a loop now and then. */
static void memory_image(memory_gen *m)
{
    gen         *g = &m->g;
    memory_view *to;
    int          shape[3] = { 3, 4, 4 }, in_loop = gen_chance(g, 50), element = gen_chance(g, 40),
        k = m->names++;
    to = memory_add(m, "t", IRL_F32, 3, shape, -1);
    gen_line(g, "alloc %s: f32[3, 4, 4]", to->name);
    if (in_loop) {
        gen_begin(g);
        gen_put(g, "for (%s: %d)", memory_push_loop(m, 2)->name, 2);
        gen_open_brace(g);
    }
    m->hidden = to->memory;
    if (element) gen_line(g, "alloc m%d: f32x4[3, 4] scope(texture)", k);
    else
        gen_line(g, "alloc m%d: f32[3, 4, 4] scope(%s)", k,
                 gen_chance(g, 50) ? "texture" : "texture:weight");
    gen_begin(g);
    if (element) gen_put(g, "for (e: 3, f: 4) m%d[e, f] = broadcast(", k);
    else gen_put(g, "for (e: 3, f: 4, h: 4) m%d[e, f, h] = ", k);
    memory_put_value(m, IRL_F32, 1);
    if (element) gen_put(g, " + f32(e * 4 + f), 4);\n");
    else gen_put(g, " + f32(e * 16 + f * 4 + h);\n");
    if (element)
        gen_line(g, "for (e: 3, f: 4, h: 4) %s[e, f, h] = lane(m%d[2 - e, (f + %d) %% 4], h)",
                 to->name, k, gen_below(g, 4));
    else {
        const char *last = gen_chance(g, 50) ? "h" : "3 - h";
        gen_line(g, "for (e: 3, f: 4, h: 4) %s[e, f, h] = m%d[2 - e, (f + %d) %% 4, %s]", to->name,
                 k, gen_below(g, 4), last);
    }
    m->hidden = -1;
    if (in_loop) memory_close_loop(m);
    memory_define(m, to->memory);
}

/* Cells that nobody defined are moved, and not looked at. */
static void memory_undefined(memory_gen *m)
{
    gen         *g = &m->g;
    memory_view *to;
    int          shape[1] = { 8 }, k = m->names++;
    irl_scalar   type = memory_some_type(m);
    const char  *t = gen_text(type);
    to = memory_add(m, "t", type, 1, shape, -1);
    gen_line(g, "alloc %s: %s[8]", to->name, t);
    gen_line(g, "alloc u%d: %s[16]%s", k, t, gen_chance(g, 30) ? " scope(local)" : "");
    gen_begin(g);
    m->loop_count = 1;
    snprintf(m->loops[0].name, sizeof m->loops[0].name, "e");
    m->loops[0].extent = 8;
    gen_put(g, "for (e: 8) u%d[e * 2] = ", k);
    memory_put_value(m, type, 2);
    gen_end(g);
    m->loop_count = 0;
    switch (gen_below(g, 4)) {
    case 0:
        gen_line(g, "alloc w%d: %s[16]", k, t);
        gen_line(g, "for (e: 16) w%d[e] = u%d[e]", k, k);
        gen_line(g, "for (e: 8) %s[e] = w%d[14 - e * 2]", to->name, k);
        break;
    case 1:
        gen_line(g,
                 "for (e: 2) %s[ramp(e * 4, 1, 4)] = shuffle(u%d[ramp(e * 8, 1, 8)], [0, 2, 4, 6])",
                 to->name, k);
        break;
    case 2:
        gen_line(g, "for (e: 16) u%d[15 - e] = select(e %% 2 == 1, u%d[15 - e], undef(%s))", k, k,
                 t);
        gen_line(g, "for (e: 8) %s[e] = u%d[e * 2]", to->name, k);
        break;
    default:
        gen_line(g, "for (e: 8) %s[e] = undef(%s)", to->name, t);
        gen_line(g,
                 "for (e: 8) %s[e] = let(o = u%d[e * 2 + 1], let(p = u%d[e * 2], e < 9 ? p : o))",
                 to->name, k, k);
        break;
    }
    memory_define(m, to->memory);
}

/* ------------------------------------------------------------------ the function */

static void memory_param(memory_gen *m, gen_case *c, const char *name, irl_scalar type, int cells,
                         const char *attributes)
{
    gen_param *p = &c->params[c->param_count++];
    memset(p, 0, sizeof *p);
    strcpy(p->name, name);
    p->type = type;
    p->is_buffer = cells > 0;
    p->rank = cells > 0;
    p->extent[0] = cells;
    if (cells)
        gen_put(&m->g, "%s%s: %s[%d]%s", c->param_count > 1 ? ", " : "", name, gen_text(type),
                cells, attributes);
    else gen_put(&m->g, "%s%s: %s", c->param_count > 1 ? ", " : "", name, gen_text(type));
}

/* The place of a cell among those of v, row by row, within an output. */
static void memory_put_flat(memory_gen *m, const memory_view *v, int base)
{
    int k, j, step;
    gen_put(&m->g, "(");
    for (k = 0; k < v->rank; k++) {
        for (step = 1, j = k + 1; j < v->rank; j++) step *= v->shape[j];
        gen_put(&m->g, "%sk%d_%d * %d", k ? " + " : "", base, k, step);
    }
    gen_put(&m->g, ") %% %d", MEMORY_OUT);
}

/* A memory that is left: into an output, by a flat view where it is compact. */
static void memory_show(memory_gen *m, memory_view *v)
{
    gen        *g = &m->g;
    const char *y = memory_is_float(v) ? "yf" : "yi";
    int         k, base = m->names++;
    if (v->is_dead || !v->is_owner || v->lanes > 1 || !v->is_defined || v->is_read_only) return;
    gen_begin(g);
    gen_put(g, "for (");
    for (k = 0; k < v->rank; k++)
        gen_put(g, "%sk%d_%d: %d", k ? ", " : "", base, k, v->shape[k]);
    gen_put(g, ") %s[", y);
    memory_put_flat(m, v, base);
    gen_put(g, "] = %s[", y);
    memory_put_flat(m, v, base);
    gen_put(g, "] * %s%s[", memory_is_float(v) ? "0.5f + " : "3 + i32(", v->name);
    for (k = 0; k < v->rank; k++) gen_put(g, "%sk%d_%d", k ? ", " : "", base, k);
    gen_put(g, memory_is_float(v) ? "];\n" : "]);\n");
}

/* The function of a seed. Freed by gen_free. */
static gen_case memory_function(uint64_t seed)
{
    memory_gen m;
    gen_case   c;
    gen       *g = &m.g;
    char      *body;
    int        k, stages, shape[1], owners;
    memset(&m, 0, sizeof m);
    memset(&c, 0, sizeof c);
    c.seed = seed;
    g->random = seed ^ UINT64_C(0x6d656d6f7279);
    g->indent = 1;
    m.hidden = -1;
    m.n = gen_below(g, 6);
    for (k = 0; k < 3; k++) {
        memory_view *v;
        shape[0] = k == 2 ? 32 : 24;
        v = memory_add(&m, "x", k == 0 ? IRL_F32 : k == 1 ? IRL_I32 : IRL_U8, 1, shape, -1);
        v->is_defined = 1;
        v->is_read_only = k != 1 || gen_chance(g, 50);
    }
    stages = gen_between(g, 2, 8);
    for (k = 0; k < stages && m.count + 8 < MEMORY_VIEWS; k++) {
        int          way = gen_below(g, 15);
        memory_view *v;
        if (k == 0 || way < 2) {
            static const char *const attributes[] = { "", "", " align(64)", " scope(local)" };
            int lanes = gen_chance(g, 12) ? 4 : 1;
            v = memory_alloc(&m, attributes[gen_below(g, 4)], lanes);
            memory_fill(&m, v, 2);
        } else if (way < 5) {
            int is_chosen = gen_chance(g, 20);
            if (is_chosen) {
                int right = gen_below(g, 5);
                gen_begin(g);
                gen_put(g, "if (n %s %d)", gen_chance(g, 50) ? ">" : "<=", right);
                gen_open_brace(g);
            }
            memory_serial(&m);
            if (is_chosen) gen_close_brace(g);
        }
        else if (way == 5) memory_group(&m);
        else if (way == 6) memory_block(&m);
        else if (way == 7) memory_image(&m);
        else if (way == 8) memory_undefined(&m);
        else if (way == 9) memory_vector(&m);
        else if ((v = memory_pick(&m, 0, -1)) != NULL) memory_decl(&m, v);
    }
    owners = m.count;
    for (k = 3; k < owners; k++) memory_show(&m, &m.views[k]);
    body = g->text ? g->text : (char *)gen_kept(calloc(1, 1));
    g->text = NULL;
    g->length = g->capacity = 0;
    gen_put_definitions(g);
    gen_put(g, "func f%d(", (int)(seed % 1000000));
    memory_param(&m, &c, "n", IRL_INDEX, 0, "");
    c.params[0].value = m.n;
    memory_param(&m, &c, m.views[0].name, IRL_F32, 24, gen_chance(g, 40) ? " scope(constant)" : "");
    memory_param(&m, &c, m.views[1].name, IRL_I32, 24, "");
    memory_param(&m, &c, m.views[2].name, IRL_U8, 32, gen_chance(g, 40) ? " scope(constant)" : "");
    memory_param(&m, &c, "yi", IRL_I32, MEMORY_OUT, "");
    memory_param(&m, &c, "yf", IRL_F32, MEMORY_OUT, "");
    gen_put(g, ") {\n%s}\n", body);
    free(body);
    c.text = g->text;
    return c;
}

#endif
