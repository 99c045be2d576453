/* generate_loops.h - loops that visit every point of a tensor once: tiled, fused, shifted,
   reversed, of any kind; and stores.

   needs     generate_value.h
   promises  nest.place[k] is the index on axis k; iterations touch different points, so any loop
             may be parallel */
#ifndef IRL_GENERATE_LOOPS_H
#define IRL_GENERATE_LOOPS_H

/* -------------------------------------------------------------- loops over a tensor's points */

typedef struct gen_loop {
    gen_words   name, text; /* text: of the range */
    int         min, extent;
    const char *kind;     /* NULL: not decided yet */
} gen_loop;

typedef enum gen_style { GEN_SERIAL, GEN_PARALLEL, GEN_GLOBAL, GEN_GROUPS, GEN_VECTOR,
                        GEN_STYLES } gen_style;

typedef struct gen_nest {
    gen_loop loops[GEN_LOOPS];
    int      loop_count, first; /* loops[first..) may change places */
    gen_words place[GEN_AXES], guard;
    int      braces, atoms, names; /* to go back to */
} gen_nest;

static gen_loop *gen_loop_add(gen *g, gen_nest *nest, int min, int extent, const char *extent_text)
{
    gen_loop *l = &nest->loops[nest->loop_count++];
    gen_say(l->name, "i%d", g->loop_number++);
    l->min = min;
    l->extent = extent;
    l->kind = NULL;
    if (min) gen_say(l->text, "%d .. %s + %d", min, extent_text, min);
    else gen_say(l->text, "%s", extent_text);
    return l;
}

static void gen_guard_add(gen_nest *nest, const char *place, const gen_axis *axis)
{
    gen_say_more(nest->guard, "%s%s < %s", nest->guard[0] ? " && " : "", place, axis->text);
}

/* Two loops, outer * factor + inner; a guard where the factor does not divide. */
static void gen_tile(gen *g, gen_nest *nest, const gen_axis *axis, int factor, char *place)
{
    gen_words text;
    gen_loop *outer, *inner;
    if (gen_axis_is_symbolic(axis)) gen_say(text, "(%s + %d) / %d", axis->text, factor - 1, factor);
    else gen_say(text, "%d", (axis->extent + factor - 1) / factor);
    outer = gen_loop_add(g, nest, 0, (axis->extent + factor - 1) / factor, text);
    gen_say(text, "%d", factor);
    inner = gen_loop_add(g, nest, 0, factor, text);
    gen_say(place, "%s * %d + %s", outer->name, factor, inner->name);
    if (axis->extent % factor || gen_axis_is_symbolic(axis)) gen_guard_add(nest, place, axis);
}

/* The loops of one axis, and the expression that takes each of its values once. */
static void gen_axis_loops(gen *g, gen_nest *nest, const gen_axis *axis, int plain, char *place)
{
    int       way = plain ? 99 : gen_below(g, 100);
    gen_loop *l;
    if (way < 12 && nest->loop_count + 2 <= GEN_LOOPS - 2) {
        gen_tile(g, nest, axis, gen_between(g, 2, 5), place);
        return;
    }
    l = gen_loop_add(g, nest, way < 20 ? gen_between(g, 1, 5) : 0, axis->extent, axis->text);
    if (l->min) gen_say(place, "%s - %d", l->name, l->min);
    else if (way < 28) gen_say(place, "%s - 1 - %s", axis->text, l->name);
    else gen_say(place, "%s", l->name);
}

/* Two axes by one loop: p / extent and p % extent. */
static void gen_fused_loops(gen *g, gen_nest *nest, const gen_axis *a, const gen_axis *b,
                            char *place_a, char *place_b)
{
    gen_words text;
    gen_loop *l;
    gen_say(text, "%s * %s", a->text, b->text);
    l = gen_loop_add(g, nest, 0, a->extent * b->extent, text);
    gen_say(place_a, "%s / %s", l->name, b->text);
    gen_say(place_b, "%s %% %s", l->name, b->text);
}

static void gen_group_kinds(gen *g, gen_nest *nest, const gen_tensor *t)
{
    int k, axis = gen_below(g, t->rank);
    gen_tile(g, nest, &t->axis[axis], gen_chance(g, 50) ? 4 : gen_between(g, 2, 8),
             nest->place[axis]);
    nest->loops[0].kind = " bind(group.x)";
    nest->loops[1].kind = " bind(local.x)";
    nest->first = 2;
    for (k = 0; k < t->rank; k++) {
        if (k == axis) continue;
        gen_axis_loops(g, nest, &t->axis[k], nest->first == 2, nest->place[k]);
        if (nest->first == 2 && gen_chance(g, 50)) {
            nest->loops[2].kind = gen_chance(g, 50) ? " "
                        "bind(group.y)" : nest->loops[2].extent <= 8 ? " bind(local.y)" : " "
                        "bind(group.y)";
            nest->first = 3;
        }
    }
}

static void gen_plan_axes(gen *g, gen_nest *nest, const gen_tensor *t, gen_style style)
{
    int k;
    if (style == GEN_GROUPS) {
        gen_group_kinds(g, nest, t);
        return;
    }
    for (k = 0; k < t->rank; k++) {
        int plain = style == GEN_GLOBAL || (style == GEN_VECTOR && k == t->rank - 1);
        if (style != GEN_GLOBAL && style != GEN_VECTOR && k + 1 < t->rank && gen_chance(g, 8)) {
            gen_fused_loops(g, nest, &t->axis[k], &t->axis[k + 1], nest->place[k],
                            nest->place[k + 1]);
            k++;
        } else gen_axis_loops(g, nest, &t->axis[k], plain, nest->place[k]);
    }
}

static void gen_swap_loops(gen *g, gen_nest *nest, int last)
{
    int k;
    for (k = nest->first; k + 1 < last; k++) {
        int      with = gen_between(g, k, last - 1);
        gen_loop l = nest->loops[k];
        nest->loops[k] = nest->loops[with];
        nest->loops[with] = l;
    }
}

static void gen_plan_kinds(gen *g, gen_nest *nest, gen_style style)
{
    static const char *const global[] = { " bind(global.x)", " bind(global.y)", " bind(global.z)" };
    int                      n = nest->loop_count, k, some = gen_between(g, 1, n);
    if (gen_chance(g, 25)) gen_swap_loops(g, nest, style == GEN_VECTOR ? n - 1 : n);
    for (k = 0; k < n; k++) {
        gen_loop *l = &nest->loops[k];
        if (l->kind) continue;
        if (style == GEN_PARALLEL && k < some) l->kind = " parallel";
        else if (style == GEN_GLOBAL && k < some && k < 3) l->kind = global[k];
        else if (style == GEN_VECTOR && k == n - 1) l->kind = " vectorized";
        else l->kind = l->extent <= 8 && (l->text[0] >= '0' && l->text[0] <= '9') && gen_chance(g,
                                          12) ? " unrolled" : "";
    }
}

static void gen_open_loops(gen *g, gen_nest *nest, const char *target)
{
    int k;
    for (k = 0; k < nest->loop_count; k++) {
        const gen_loop *l = &nest->loops[k];
        int             joins = k && strcmp(l->kind,
                                            nest->loops[k - 1].kind) == 0 && !strchr(l->kind,
                                                        '(') && gen_chance(g, 60);
        if (joins) {
            g->length -= strlen(") {\n"); /* of the loop before */
            g->indent--;
            nest->braces--;
            gen_put(g, ", %s: %s)", l->name, l->text);
        } else {
            gen_begin(g);
            if (k == 0) gen_put_label(g, target);
            gen_put(g, "for%s (%s: %s)", l->kind, l->name, l->text);
        }
        gen_open_brace(g);
        nest->braces++;
    }
}

/* Loops that visit every point of t once; nest->place[k] is the index on axis k. The guard of
   uneven tiles is opened here, unless the caller wants it for itself. */
static void gen_open_nest(gen *g, const gen_tensor *t, gen_style style, int own_guard,
                          gen_nest *nest)
{
    int k;
    memset(nest, 0, sizeof *nest);
    nest->atoms = g->atom_count;
    nest->names = g->name_count;
    if (t->rank == 0) return;
    gen_plan_axes(g, nest, t, style);
    gen_plan_kinds(g, nest, style);
    gen_open_loops(g, nest, t->name);
    for (k = 0; k < t->rank; k++) gen_atom_add(g, nest->place[k], t->axis[k].extent);
    if (nest->guard[0] && !own_guard) {
        gen_begin(g);
        gen_put(g, "if (%s)", nest->guard);
        gen_open_brace(g);
        nest->braces++;
    }
}

static void gen_close_nest(gen *g, gen_nest *nest)
{
    while (nest->braces-- > 0) gen_close_brace(g);
    g->atom_count = nest->atoms;
    g->name_count = nest->names;
}

static void gen_put_place(gen *g, const gen_tensor *t, const gen_nest *nest)
{
    int k;
    gen_put(g, "%s[", t->name);
    for (k = 0; k < t->rank; k++) gen_put(g, "%s%s", k ? ", " : "", nest->place[k]);
    gen_put(g, "]");
}

/* place = */
static void gen_put_store(gen *g, const gen_tensor *t, const gen_nest *nest)
{
    gen_begin(g);
    gen_put_place(g, t, nest);
    gen_put(g, " = ");
}

static void gen_say_place(char *to, const gen_tensor *t, const gen_nest *nest)
{
    int k;
    gen_say(to, "%s[", t->name);
    for (k = 0; k < t->rank; k++) gen_say_more(to, "%s%s", k ? ", " : "", nest->place[k]);
    gen_say_more(to, "]");
}

static gen_style gen_some_style(gen *g, const gen_tensor *t)
{
    if (t->rank == 0 || gen_chance(g, 40)) return GEN_SERIAL;
    return (gen_style)gen_below(g, (int)GEN_STYLES);
}

/* ------------------------------------------------------------------ statements within a nest */

static void gen_let(gen *g)
{
    irl_scalar t = gen_narrowed(g, (irl_scalar)gen_between(g, (int)IRL_BOOL, (int)IRL_F64));
    gen_name  *v;
    gen_words  text;
    if (g->name_count == GEN_NAMES) return;
    if (gen_is(t, "h")) t = IRL_F32;
    gen_say(text, "v%d", g->name_number++);
    gen_begin(g);
    gen_put(g, gen_chance(g, 50) ? "let %s = " : "let %s: %s = ", text, gen_text(t));
    if (gen_is(t, "f")) gen_clamped(g, t, 2, 0);
    else gen_value(g, t, 2);
    gen_end(g);
    v = &g->names[g->name_count++];
    snprintf(v->text, sizeof v->text, "%.7s", text);
    v->type = t;
    v->lanes = 0;
}

static void gen_store_once(gen *g, gen_tensor *t, const gen_nest *nest, int inexact)
{
    gen_put_store(g, t, nest);
    if (inexact) gen_stored_inexactly(g, t);
    else gen_stored(g, t, gen_between(g, 1, 3));
    gen_end(g);
}

/* The store of an element: straight, or under a condition with both branches, or on top of
   undef. */
static void gen_store(gen *g, gen_tensor *t, const gen_nest *nest, int inexact)
{
    if (gen_chance(g, 3)) {
        gen_begin(g);
        gen_put_place(g, t, nest);
        gen_put(g, " = undef(%s)", gen_text(t->type));
        gen_end(g);
    }
    if (gen_chance(g, 85)) {
        gen_store_once(g, t, nest, inexact);
        return;
    }
    gen_begin(g);
    gen_put(g, "if (");
    if (gen_chance(g, 50)) gen_index_condition(g);
    else gen_bool(g, 1);
    gen_put(g, ")");
    gen_open_brace(g);
    gen_store_once(g, t, nest, inexact);
    gen_else(g);
    gen_store_once(g, t, nest, inexact);
    gen_close_brace(g);
}

#endif
