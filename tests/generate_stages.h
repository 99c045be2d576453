/* generate_stages.h - the ways to define all of a tensor: nests, reductions, scans, blocks, tiles
   in shared memory, vectors, steps; and views of memory that is there.

   needs     generate_loops.h
   promises  a way that does not suit a tensor returns 0 and writes nothing */
#ifndef IRL_GENERATE_STAGES_H
#define IRL_GENERATE_STAGES_H

/* ----------------------------------------------- the ways of a stage. Each defines all of t. */

/* t[...] = something, element by element. */
static int gen_elementwise(gen *g, gen_tensor *t)
{
    gen_nest nest;
    int      inexact = gen_is(t->type, "fh") && gen_chance(g, 15);
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    if (gen_chance(g, 2)) {
        gen_begin(g);
        gen_put(g, "for (never: %s)", gen_chance(g, 50) ? "0" : "2 .. 2");
        gen_open_brace(g);
        gen_store_once(g, t, &nest, 0);
        gen_close_brace(g);
    }
    if (gen_chance(g, 25)) gen_let(g);
    if (gen_chance(g, 5) && g->atom_count) {
        gen_line(g, "assume(%s < %d)", g->atoms[g->atom_count - 1].text,
                 g->atoms[g->atom_count - 1].extent);
    }
    gen_store(g, t, &nest, inexact);
    if (gen_chance(g, 4)) {
        gen_tensor *any = gen_some_tensor(g, "biufh", 0, 1);
        if (any) {
            gen_begin(g);
            gen_put(g, "evaluate ");
            gen_load(g, any);
            gen_end(g);
        }
    }
    gen_close_nest(g, &nest);
    return 1;
}

/* A copy, which is all that may be done with inexact numbers. */
static int gen_copy(gen *g, gen_tensor *t)
{
    gen_nest    nest;
    gen_tensor *from = gen_some_tensor(g, NULL, (int)t->type, 1);
    if (!from) return 0;
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    gen_put_store(g, t, &nest);
    gen_load(g, from);
    gen_end(g);
    gen_close_nest(g, &nest);
    t->ulp = from->ulp;
    t->is_wide = from->is_wide;
    return 1;
}

/* What a reduction adds: small, and at most a product of the caller's own data. */
static void gen_term(gen *g, irl_scalar t)
{
    gen_tensor *a = gen_some_tensor(g, NULL, (int)t, 0), *b = gen_some_tensor(g, NULL, (int)t, 0);
    if (a && b && a->is_input && b->is_input && gen_is(t, "f") && gen_chance(g, 60)) {
        gen_load(g, a);
        gen_put(g, " * ");
        gen_load(g, b);
    } else if (gen_is(t, "f")) {
        g->products = 0;
        gen_put(g, "rint(min(max(");
        gen_value(g, t, 2);
        gen_put(g, ", -64.0), 64.0))");
    } else gen_value(g, t, 2);
}

/* place = place op term, op of the type. */
static void gen_accumulate(gen *g, irl_scalar type, const char *place)
{
    gen_begin(g);
    if (type == IRL_BOOL) {
        gen_put(g, "%s = %s ^ ", place, place);
        gen_bool(g, 1);
    } else if (gen_chance(g, 25)) {
        gen_put(g, "%s = max(%s, ", place, place);
        gen_term(g, type);
        gen_put(g, ")");
    } else {
        gen_put_plus(g, place);
        gen_term(g, type);
    }
    gen_end(g);
}

static void gen_put_zero(gen *g, irl_scalar t)
{
    gen_put(g, t == IRL_BOOL ? "false" : "%s(0)", gen_text(t));
}

/* An imperfect nest: start, accumulate over an axis, finish; in place or in private memory. */
static int gen_reduction(gen *g, gen_tensor *t)
{
    gen_nest nest;
    gen_words place, name;
    int       in_place = gen_chance(g, 50), extent = gen_some_extent(g), acc = g->temp_count++;
    if (gen_is(t->type, "h")) return 0;
    if (extent > 17) extent = 17;
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    if (in_place) {
        gen_say_place(place, t, &nest);
    } else {
        gen_say(place, "q%d[0]", acc);
        gen_line(g, "alloc q%d: %s[1]%s", acc, gen_text(t->type),
                 gen_chance(g, 50) ? " scope(local)" : "");
    }
    gen_begin(g);
    gen_put(g, "%s = ", place);
    gen_put_zero(g, t->type);
    gen_end(g);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    if (g->n && gen_chance(g, 30)) {
        extent = g->n;
        gen_put(g, "for (%s: n)", name);
    } else
        gen_put(g, "for%s (%s: %d)", extent <= 8 && gen_chance(g, 30) ? " unrolled" : "", name,
                extent);
    gen_open_brace(g);
    gen_atom_add(g, name, extent);
    if (gen_chance(g, 20)) gen_let(g);
    gen_accumulate(g, t->type, place);
    gen_close_brace(g);
    if (!in_place) {
        gen_begin(g);
        gen_put_place(g, t, &nest);
        gen_put(g, " = q%d[0]", acc);
        gen_end(g);
    }
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* place = sum(k: 4, e): all that is stored. */
static int gen_one_line(gen *g, gen_tensor *t)
{
    gen_nest nest;
    if (t->type == IRL_BOOL) return 0;
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    if (gen_chance(g, 15)) gen_let(g);
    gen_put_store(g, t, &nest);
    g->products = 0;
    gen_put_reduction(g, t->type, 2);
    gen_end(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "fh");
    return 1;
}

/* All of t is 0, or a value; then a nest in which an axis more accumulates, wherever its loop
   stands. */
static int gen_two_nests(gen *g, gen_tensor *t)
{
    gen_nest   nest;
    gen_tensor more = *t;
    gen_words  place;
    if (t->type == IRL_BOOL || gen_is(t->type, "h") || t->rank == 0 || t->rank == GEN_AXES ||
        gen_cells(t) > 400)
        return 0;
    gen_open_nest(g, t, GEN_SERIAL, 0, &nest);
    gen_put_store(g, t, &nest);
    gen_put_zero(g, t->type);
    gen_end(g);
    gen_close_nest(g, &nest);
    more.axis[more.rank++] = gen_constant_axis(gen_between(g, 1, 6));
    gen_open_nest(g, &more, GEN_SERIAL, 0, &nest);
    gen_say_place(place, t, &nest);
    gen_accumulate(g, t->type, place);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* For each row its maximum and its sum, bound by lets, and then its elements: as softmax is
   written. */
static int gen_rows(gen *g, gen_tensor *t)
{
    gen_nest    nest;
    gen_tensor  outer = *t, *from = gen_some_tensor(g, NULL, (int)t->type, 0);
    const int   last = t->rank - 1;
    const char *clamp = gen_is(t->type, "f") ? "rint(min(max(" : "";
    const char *end = gen_is(t->type, "f") ? ", -16.0), 16.0))" : "";
    gen_words   k, top, all, row;
    int         j, atoms;
    if (!from || t->rank == 0 || !gen_is(t->type, "iuf") || from->rank == 0 || gen_cells(t) > 800)
        return 0;
    outer.rank = last;
    gen_open_nest(g, &outer, gen_some_style(g, &outer), 0, &nest);
    gen_say(k, "k%d", g->loop_number++);
    gen_say(top, "v%d", g->name_number++);
    gen_say(all, "v%d", g->name_number++);
    gen_say(row, "%s[", from->name);
    for (j = 0, atoms = g->atom_count; j + 1 < from->rank; j++) {
        const gen_atom *a = gen_atom_of_extent(g, from->axis[j].extent);
        gen_say_more(row, "%s, ", a && strlen(a->text) < 40 ? a->text : "0");
    }
    gen_say_more(row, "%s]", k);
    gen_line(g, "let %s = %s(%s: %s, %s)", top, gen_chance(g, 50) ? "max" : "min", k,
             from->axis[from->rank - 1].text, row);
    gen_line(g, "let %s = sum(%s: %s, %s%s - %s%s)", all, k, from->axis[from->rank - 1].text,
             clamp, row, top, end);
    gen_begin(g);
    gen_put_label(g, t->name);
    gen_put(g, "for (%s: %s)", k, t->axis[last].text);
    gen_open_brace(g);
    gen_say(nest.place[last], "%s", k);
    gen_atom_add(g, k, t->axis[last].extent);
    gen_begin(g);
    gen_put_place(g, t, &nest);
    gen_put(g, " = %s(", clamp);
    gen_load(g, from);
    gen_put(g, ") - %s%s + %s", top, end, all);
    gen_end(g);
    g->atom_count = atoms;
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* Each element from the one before it: a loop that is not parallel, and must not become so. */
static int gen_scan(gen *g, gen_tensor *t)
{
    gen_nest nest;
    gen_tensor outer = *t;
    gen_words name;
    int      k, last = t->rank - 1;
    if (t->rank == 0 || gen_is(t->type, "h") || t->type == IRL_BOOL) return 0;
    outer.rank = last;
    gen_open_nest(g, &outer, gen_some_style(g, &outer), 0, &nest);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %s)", name, t->axis[last].text);
    gen_open_brace(g);
    gen_atom_add(g, name, t->axis[last].extent);
    gen_say(nest.place[last], "%s", name);
    gen_begin(g);
    gen_put_place(g, t, &nest);
    gen_put(g, " = if_then_else(%s > 0, %s[", name, t->name);
    for (k = 0; k < last; k++) gen_put(g, "%s, ", nest.place[k]);
    gen_put(g, "max(%s, 1) - 1], ", name);
    gen_put_zero(g, t->type);
    gen_put(g, ") + ");
    gen_term(g, t->type);
    gen_end(g);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* All of t, then the part below its diagonal again: a loop whose extent is another's variable. */
static int gen_triangle(gen *g, gen_tensor *t)
{
    gen_words   i, j, place;
    const char *kind;
    if (t->rank != 2 || gen_is(t->type, "h") || t->type == IRL_BOOL) return 0;
    gen_elementwise(g, t);
    if (t->ulp) return 1;
    gen_say(i, "i%d", g->loop_number++);
    gen_say(j, "i%d", g->loop_number++);
    kind = gen_chance(g, 25) ? " parallel" : "";
    gen_begin(g);
    gen_put(g, "for%s (%s: %s)", kind, i, t->axis[0].text);
    gen_open_brace(g);
    gen_begin(g);
    gen_put(g, "for%s (%s: min(%s + 1, %s))", kind, j, i, t->axis[1].text);
    gen_open_brace(g);
    gen_atom_add(g, i, t->axis[0].extent);
    gen_atom_add(g, j, t->axis[1].extent);
    gen_say(place, "%s[%s, %s]", t->name, i, j);
    gen_accumulate(g, t->type, place);
    g->atom_count -= 2;
    gen_close_brace(g);
    gen_close_brace(g);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* A nest with a temporary of its own that is filled and then read backwards. */
static int gen_inner_temporary(gen *g, gen_tensor *t)
{
    gen_nest   nest;
    gen_tensor outer = *t, *temp;
    int        last = t->rank - 1, extent;
    gen_words  name;
    if (t->rank == 0 || g->tensor_count >= GEN_TENSORS - 1) return 0;
    if (g->options.for_device && gen_axis_is_symbolic(&t->axis[last])) return 0;
    extent = t->axis[last].extent;
    outer.rank = last;
    gen_open_nest(g, &outer, gen_some_style(g, &outer), 0, &nest);
    temp = gen_tensor_new(g, "q", g->temp_count++);
    temp->type = t->type;
    temp->rank = 1;
    temp->axis[0] = t->axis[last];
    gen_begin(g);
    gen_put(g, "alloc ");
    gen_put_shape(g, temp);
    gen_put(g, "%s;\n",
            gen_chance(g, 40) && !gen_axis_is_symbolic(&t->axis[last]) ? " scope(local)" : "");
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %s)", name, temp->axis[0].text);
    gen_open_brace(g);
    gen_atom_add(g, name, extent);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", temp->name, name);
    gen_stored(g, temp, 2);
    gen_end(g);
    gen_close_brace(g);
    gen_begin(g);
    gen_put(g, "for (%s: %s)", name, temp->axis[0].text);
    gen_open_brace(g);
    gen_say(nest.place[last], "%s", name);
    gen_begin(g);
    gen_put_place(g, t, &nest);
    gen_put(g, " = %s[%s - 1 - %s]", temp->name, temp->axis[0].text, name);
    gen_end(g);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    g->tensor_count--;
    return 1;
}

/* ------------------------------------------------------------------ blocks */

/* match m: T[...] = source[...]: part of a tensor under its own name, until the block ends. */
static void gen_match(gen *g)
{
    gen_tensor *from = gen_some_tensor(g, "biufh", 0, 0), to;
    int         k;
    if (!from || from->rank == 0 || g->tensor_count == GEN_TENSORS) return;
    from->is_fixed = 1;
    to = *from;
    to.is_param = 0;
    snprintf(to.name, sizeof to.name, "m%d", g->temp_count++);
    for (k = 0; k < to.rank; k++) {
        int whole =
            gen_chance(g, 50) || gen_axis_is_symbolic(&from->axis[k]) || from->axis[k].extent < 2;
        if (!whole)
            to.axis[k] = gen_constant_axis(gen_chance(g, 50) ? 1 : from->axis[k].extent - 1);
    }
    gen_begin(g);
    gen_put(g, "match ");
    gen_put_shape(g, &to);
    gen_put(g, " = %s[", from->name);
    for (k = 0; k < to.rank; k++) {
        gen_put(g, k ? ", " : "");
        if (to.axis[k].extent == from->axis[k].extent) gen_put(g, "0");
        else if (to.axis[k].extent == 1) gen_index(g, &from->axis[k]);
        else gen_put(g, "1");
        gen_put(g, ": %s", to.axis[k].text);
    }
    gen_put(g, "];\n");
    g->tensors[g->tensor_count++] = to;
}

static void gen_put_reads(gen *g, int count)
{
    int k, j, first = 1;
    gen_put(g, " reads(");
    for (k = 0; k < count; k++) {
        const gen_tensor *t = &g->tensors[k];
        if (!t->is_defined || t->memory == g->hidden) continue;
        gen_put(g, "%s%s[", first ? "" : ", ", t->name);
        for (j = 0; j < t->rank; j++) gen_put(g, "%s0: %s", j ? ", " : "", t->axis[j].text);
        gen_put(g, "]");
        first = 0;
    }
    gen_put(g, ")");
}

/* The head of a block over t's points, and over a reduction axis bound to `reduction` unless that
   is NULL. From here on the axes' names are the indices. */
static void gen_block_head(gen *g, gen_tensor *t, gen_nest *nest, const char *reduction, int extent)
{
    int k, number = g->block_number++, has_reads = gen_chance(g, 40);
    gen_begin(g);
    gen_put(g, "block b%d(", number);
    g->atom_count = nest->atoms; /* inside, the axes take the place of the loops */
    for (k = 0; k < t->rank; k++) {
        gen_put(g, "%sx%d_%d: spatial(%s) = %s", k ? ", " : "", number, k, t->axis[k].text,
                nest->place[k]);
        gen_say(nest->place[k], "x%d_%d", number, k);
        gen_atom_add(g, nest->place[k], t->axis[k].extent);
    }
    if (reduction) {
        gen_words name;
        gen_put(g, "%sr%d: reduce(%d) = %s", t->rank ? ", " : "", number, extent, reduction);
        gen_say(name, "r%d", number);
        gen_atom_add(g, name, extent);
    }
    gen_put(g, ")");
    if (nest->guard[0]) gen_put(g, " where(%s)", nest->guard);
    if (has_reads) gen_put_reads(g, g->tensor_count);
    if (has_reads || gen_chance(g, 20)) {
        gen_put(g, " writes(");
        gen_put_place(g, t, nest);
        gen_put(g, ")");
    }
    if (gen_chance(g, 10)) gen_put(g, " note(tag = %d)", number);
    gen_open_brace(g);
}

/* A block that stores an element, with matched parts of other tensors and memory of its own. */
static int gen_block(gen *g, gen_tensor *t)
{
    gen_nest nest;
    int      tensors;
    gen_open_nest(g, t, gen_chance(g, 70) ? GEN_SERIAL : gen_some_style(g, t), 1, &nest);
    gen_block_head(g, t, &nest, NULL, 0);
    tensors = g->tensor_count;
    if (gen_chance(g, 25) && tensors < GEN_TENSORS) {
        gen_tensor *own = gen_tensor_new(g, "q", g->temp_count++);
        own->rank = 1;
        own->axis[0] = gen_constant_axis(gen_between(g, 1, 5));
        if (gen_is(own->type, "h")) own->type = IRL_F32;
        gen_begin(g);
        gen_put(g, "alloc ");
        gen_put_shape(g, own);
        gen_put(g, "%s;\n", gen_chance(g, 50) ? " scope(local)" : "");
    }
    if (gen_chance(g, 50)) gen_match(g);
    if (gen_chance(g, 20)) gen_match(g);
    if (g->tensor_count > tensors && g->tensors[tensors].name[0] == 'q') {
        gen_tensor *own = &g->tensors[tensors];
        gen_words   name;
        gen_say(name, "i%d", g->loop_number++);
        gen_begin(g);
        gen_put(g, "for (%s: %s)", name, own->axis[0].text);
        gen_open_brace(g);
        gen_atom_add(g, name, own->axis[0].extent);
        gen_begin(g);
        gen_put(g, "%s[%s] = ", own->name, name);
        gen_stored(g, own, 1);
        gen_end(g);
        g->atom_count--;
        gen_close_brace(g);
        own->is_defined = 1;
    }
    if (gen_chance(g, 25)) gen_let(g);
    gen_store(g, t, &nest, gen_is(t->type, "fh") && gen_chance(g, 8));
    gen_close_brace(g);
    g->tensor_count = tensors;
    gen_close_nest(g, &nest);
    return 1;
}

/* A block over the first axis, and in it loops and a block over the others. */
static int gen_nested_blocks(gen *g, gen_tensor *t)
{
    gen_nest   outer, inner;
    gen_tensor first = *t, rest = *t;
    int        k;
    if (t->rank < 2) return 0;
    first.rank = 1;
    rest.rank = t->rank - 1;
    memmove(rest.axis, rest.axis + 1, (size_t)rest.rank * sizeof *rest.axis);
    gen_open_nest(g, &first, GEN_SERIAL, 1, &outer);
    gen_begin(g);
    gen_put(g, "block b%d(x%d: spatial(%s) = %s)", g->block_number, g->block_number,
            t->axis[0].text, outer.place[0]);
    gen_say(outer.place[0], "x%d", g->block_number++);
    if (outer.guard[0]) gen_put(g, " where(%s)", outer.guard);
    gen_open_brace(g);
    g->atom_count = outer.atoms;
    gen_atom_add(g, outer.place[0], t->axis[0].extent);
    gen_open_nest(g, &rest, GEN_SERIAL, 1, &inner);
    for (k = rest.rank; k > 0; k--) strcpy(inner.place[k], inner.place[k - 1]);
    strcpy(inner.place[0], outer.place[0]);
    inner.atoms = g->atom_count - rest.rank; /* the outer block's axis stays */
    gen_block_head(g, t, &inner, NULL, 0);
    gen_store(g, t, &inner, 0);
    gen_close_brace(g);
    gen_close_nest(g, &inner);
    gen_close_brace(g);
    gen_close_nest(g, &outer);
    return 1;
}

/* A block with a reduction axis and an init. */
static int gen_block_reduction(gen *g, gen_tensor *t)
{
    gen_nest nest;
    gen_words name, place;
    int      extent = gen_some_extent(g);
    if (gen_is(t->type, "h")) return 0;
    if (extent > 17) extent = 17;
    gen_open_nest(g, t, GEN_SERIAL, 1, &nest);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %d)", name, extent);
    gen_open_brace(g);
    nest.braces++;
    gen_block_head(g, t, &nest, name, extent);
    gen_say_place(place, t, &nest);
    if (gen_chance(g, 25)) {
        int tensors = g->tensor_count;
        gen_match(g);
        g->tensor_count = tensors;
    }
    gen_begin(g);
    gen_put(g, "init");
    gen_open_brace(g);
    gen_begin(g);
    gen_put(g, "%s = ", place);
    gen_put_zero(g, t->type);
    gen_end(g);
    gen_close_brace(g);
    gen_accumulate(g, t->type, place);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* ------------------------------------------------------------------ shared memory */

/* Sums the tile in halves. */
static void gen_tree(gen *g, const char *tile, const char *local, int size)
{
    int half;
    for (half = size / 2; half; half /= 2) {
        gen_begin(g);
        gen_put(g, "if (%s < %d)", local, half);
        gen_open_brace(g);
        gen_line(g, "%s[%s] = %s[%s] + %s[%s + %d]", tile, local, tile, local, tile, local, half);
        gen_close_brace(g);
        gen_line(g, "barrier(shared)");
    }
}

static void gen_put_tile(gen *g, const char *tile, irl_scalar type, const char *shape)
{
    gen_line(g, "alloc %s: %s[%s] scope(shared)", tile, gen_text(type), shape);
}

static void gen_put_barrier(gen *g, const char *scope)
{
    gen_line(g, "barrier(%s)", scope);
}

/* for bind(axis) (name: extent) { */
static void gen_open_bound(gen *g, const char *axis, char *name, const char *extent)
{
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for bind(%s) (%s: %s)", axis, name, extent);
    gen_open_brace(g);
}

/* How many groups of this size cover an axis. */
static void gen_groups_text(const gen_axis *a, int size, char *text)
{
    if (gen_axis_is_symbolic(a)) gen_say(text, "(%s + %d) / %d", a->text, size - 1, size);
    else gen_say(text, "%d", (a->extent + size - 1) / size);
}

/* A group fills a tile, waits, and reads other cells of it than its own: turned around, or moved by
   one. */
static int gen_shared(gen *g, gen_tensor *t)
{
    gen_words       group, local, tile, text, shape;
    const gen_axis *a = &t->axis[0];
    int             size = gen_between(g, 2, 9), outside = gen_chance(g, 30);
    if (t->rank != 1) return 0;
    gen_say(tile, "s%d", g->temp_count++);
    gen_say(shape, "%d", size);
    gen_groups_text(a, size, text);
    gen_open_bound(g, "group.x", group, text);
    if (outside) gen_put_tile(g, tile, t->type, shape);
    gen_open_bound(g, "local.x", local, shape);
    if (!outside) gen_put_tile(g, tile, t->type, shape);
    gen_say(text, "min(%s * %d + %s, %s - 1)", group, size, local, a->text);
    gen_atom_add(g, text, a->extent);
    gen_atom_add(g, local, size);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", tile, local);
    gen_stored(g, t, 2);
    gen_end(g);
    gen_put_barrier(g, "shared");
    gen_begin(g);
    gen_put(g, "if (%s * %d + %s < %s)", group, size, local, a->text);
    gen_open_brace(g);
    gen_begin(g);
    if (gen_one_line_chance(g, 50) && gen_is(t->type, "iuf")) {
        gen_put(g, "%s[%s * %d + %s] = %s(k%d: %d, %s[k%d]);\n", t->name, group, size, local,
                gen_chance(g, 60) ? "sum" : "max", g->loop_number, size, tile, g->loop_number);
        g->loop_number++;
        t->is_wide = gen_is(t->type, "f");
    } else if (gen_chance(g, 50))
        gen_put(g, "%s[%s * %d + %s] = %s[%d - %s];\n", t->name, group, size, local, tile, size - 1,
                local);
    else
        gen_put(g, "%s[%s * %d + %s] = %s[(%s + 1) %% %d];\n", t->name, group, size, local, tile,
                local, size);
    gen_close_brace(g);
    g->atom_count -= 2;
    gen_close_brace(g);
    gen_close_brace(g);
    return 1;
}

/* Each group sums a tile into one element. */
static int gen_shared_sum(gen *g, gen_tensor *t)
{
    gen_words group, local, tile, shape;
    int  size = 1 << gen_between(g, 1, 4);
    if (t->rank != 1 || gen_is(t->type, "bh")) return 0;
    gen_say(tile, "s%d", g->temp_count++);
    gen_say(shape, "%d", size);
    gen_open_bound(g, "group.x", group, t->axis[0].text);
    gen_open_bound(g, "local.x", local, shape);
    gen_put_tile(g, tile, t->type, shape);
    gen_atom_add(g, group, t->axis[0].extent);
    gen_atom_add(g, local, size);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", tile, local);
    gen_term(g, t->type);
    gen_end(g);
    gen_put_barrier(g, "shared");
    gen_tree(g, tile, local, size);
    gen_begin(g);
    gen_put(g, "if (%s == 0)", local);
    gen_open_brace(g);
    gen_line(g, "%s[%s] = %s[0]", t->name, group, tile);
    gen_close_brace(g);
    g->atom_count -= 2;
    gen_close_brace(g);
    gen_close_brace(g);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* A tile in two dimensions, turned over its diagonal on the way. */
static int gen_shared_transpose(gen *g, gen_tensor *t)
{
    gen_words group[2], local[2], tile, text, shape, size_text;
    int  size = gen_between(g, 2, 4), k;
    if (t->rank != 2) return 0;
    gen_say(tile, "s%d", g->temp_count++);
    gen_say(size_text, "%d", size);
    gen_say(shape, "%d, %d", size, size + 1);
    for (k = 0; k < 2; k++) {
        gen_groups_text(&t->axis[k], size, text);
        gen_open_bound(g, k ? "group.x" : "group.y", group[k], text);
    }
    for (k = 0; k < 2; k++) gen_open_bound(g, k ? "local.x" : "local.y", local[k], size_text);
    gen_put_tile(g, tile, t->type, shape);
    for (k = 0; k < 2; k++) {
        gen_say(text, "min(%s * %d + %s, %s - 1)", group[k], size, local[k], t->axis[k].text);
        gen_atom_add(g, text, t->axis[k].extent);
        gen_atom_add(g, local[k], size);
    }
    gen_begin(g);
    gen_put(g, "%s[%s, %s] = ", tile, local[0], local[1]);
    gen_stored(g, t, 2);
    gen_end(g);
    gen_put_barrier(g, "shared");
    gen_begin(g);
    gen_put(g, "if (%s * %d + %s < %s && %s * %d + %s < %s)", group[0], size, local[0],
            t->axis[0].text, group[1], size, local[1], t->axis[1].text);
    gen_open_brace(g);
    gen_line(g, "%s[%s * %d + %s, %s * %d + %s] = %s[%s, %s]", t->name, group[0], size, local[0],
             group[1], size, local[1], tile, local[1], local[0]);
    gen_close_brace(g);
    g->atom_count -= 4;
    for (k = 0; k < 4; k++) gen_close_brace(g);
    return 1;
}

/* A temporary like t, for a stage's own use. */
static gen_tensor *gen_companion(gen *g, const gen_tensor *t)
{
    gen_tensor *u = gen_tensor_new(g, "u", g->temp_count++);
    u->type = t->type;
    u->rank = t->rank;
    memcpy(u->axis, t->axis, sizeof u->axis);
    gen_put_alloc(g, u);
    return u;
}

/* Through global memory from one work-item of a group to another. */
static int gen_global_exchange(gen *g, gen_tensor *t)
{
    gen_words   group, local, text;
    int         size, extent = t->axis[0].extent;
    gen_tensor *u;
    if (t->rank != 1 || gen_axis_is_symbolic(&t->axis[0]) || g->tensor_count >= GEN_TENSORS - 1)
        return 0;
    for (size = 8; extent % size; size--) {}
    if (size == 1) return 0;
    u = gen_companion(g, t);
    gen_say(text, "%d", extent / size);
    gen_open_bound(g, "group.x", group, text);
    gen_say(text, "%d", size);
    gen_open_bound(g, "local.x", local, text);
    gen_say(text, "%s * %d + %s", group, size, local);
    gen_atom_add(g, text, extent);
    gen_begin(g);
    gen_put(g, "%s[%s] = ", u->name, text);
    gen_stored(g, t, 2);
    gen_end(g);
    gen_put_barrier(g, "global");
    gen_line(g, "%s[%s] = %s[%s * %d + (%d - %s)]", t->name, text, u->name, group, size, size - 1,
             local);
    g->atom_count--;
    gen_close_brace(g);
    gen_close_brace(g);
    g->tensor_count--;
    return 1;
}

/* ------------------------------------------------------------------ loops around launches */

static void gen_half_step(gen *g, gen_tensor *to, gen_tensor *from)
{
    static const gen_style styles[] = { GEN_GLOBAL, GEN_GROUPS, GEN_PARALLEL, GEN_SERIAL };
    gen_nest               nest;
    from->is_defined = 1;
    g->hidden = to->memory;
    gen_open_nest(g, to, styles[gen_below(g, 4)], 0, &nest);
    gen_store_once(g, to, &nest, 0);
    gen_close_nest(g, &nest);
}

/* Two tensors from each other, again and again. */
static int gen_steps(gen *g, gen_tensor *t)
{
    gen_tensor *u;
    gen_words   name;
    if (t->rank == 0 || g->tensor_count >= GEN_TENSORS - 1) return 0;
    gen_elementwise(g, t);
    if (t->ulp) return 1;
    u = gen_companion(g, t);
    gen_say(name, "i%d", g->loop_number++);
    gen_begin(g);
    gen_put(g, "for (%s: %d)", name, gen_between(g, 1, 3));
    gen_open_brace(g);
    gen_atom_add(g, name, 3);
    gen_half_step(g, u, t);
    gen_half_step(g, t, u);
    g->atom_count--;
    gen_close_brace(g);
    g->tensor_count--;
    return 1;
}

/* ---------------------------------------------------------- vectors that are written as such */

/* What vectors are made of: a tensor with `lanes` elements of its last axis from `base` on, or a
   view whose elements are vectors, at `base`. */
typedef struct gen_lanes {
    irl_scalar  type;
    int         lanes;
    gen_tensor *from; /* NULL: none suits */
    const char *view; /* NULL: from is accessed itself */
    const char *base;
} gen_lanes;

static void gen_vector(gen *g, const gen_lanes *v, int depth);

static void gen_vectors_in(gen *g, const gen_lanes *v, int depth, const char *before,
                           const char *between, const char *after)
{
    gen_put(g, "%s", before);
    gen_vector(g, v, depth - 1);
    gen_put(g, "%s", between);
    gen_vector(g, v, depth - 1);
    gen_put(g, "%s", after);
}

static void gen_vector_leaf(gen *g, const gen_lanes *v)
{
    int k;
    if (v->view && gen_chance(g, 70)) gen_put(g, "%s[%s]", v->view, v->base);
    else if (v->from && !v->view && gen_chance(g, 70)) {
        gen_put(g, "%s[", v->from->name);
        for (k = 0; k + 1 < v->from->rank; k++) {
            gen_index(g, &v->from->axis[k]);
            gen_put(g, ", ");
        }
        gen_put(g, "ramp(%s, 1, %d)]", v->base, v->lanes);
    } else if (gen_is(v->type, "iu") && gen_chance(g, 30)) {
        gen_put(g, "ramp(");
        gen_leaf(g, v->type);
        gen_put(g, ", %s(%d), %d)", gen_text(v->type), gen_between(g, 1, 3), v->lanes);
    } else {
        gen_put(g, "broadcast(");
        gen_leaf(g, v->type);
        gen_put(g, ", %d)", v->lanes);
    }
}

static void gen_vector(gen *g, const gen_lanes *v, int depth)
{
    int k;
    if (depth <= 0 || gen_chance(g, 20)) {
        gen_vector_leaf(g, v);
        return;
    }
    switch (gen_below(g, 6)) {
    case 0:
        gen_vectors_in(g, v, depth, "shuffle(", ", ", ", [");
        for (k = 0; k < v->lanes; k++)
            gen_put(g, "%s%d", k ? ", " : "", gen_below(g, 2 * v->lanes));
        gen_put(g, "])");
        break;
    case 1:
        gen_vectors_in(g, v, depth, "select(", gen_chance(g, 50) ? " < " : " == ", ", ");
        gen_vectors_in(g, v, depth, "", ", ", ")");
        break;
    case 2: gen_vectors_in(g, v, depth, gen_chance(g, 50) ? "min(" : "max(", ", ", ")"); break;
    case 3:
        if (gen_is(v->type, "iu")) {
            gen_lanes other = *v;
            other.type = (irl_scalar)gen_between(g, (int)IRL_I8, (int)IRL_U64);
            other.from = NULL;
            other.view = NULL;
            gen_put(g, "%sx%d(", gen_text(v->type), v->lanes);
            gen_vector(g, &other, depth - 1);
            gen_put(g, ")");
            break;
        } /* fall through */
    default: gen_vectors_in(g, v, depth, "(", gen_chance(g, 60) ? " + " : " - ", ")"); break;
    }
}

/* t[..., ramp(j * lanes, 1, lanes)] = vectors. */
static int gen_vectors(gen *g, gen_tensor *t)
{
    static const int widths[] = { 16, 8, 4, 3, 2 };
    gen_nest         nest;
    gen_lanes        v;
    gen_tensor       outer = *t;
    gen_words        name, base;
    int              k, last = t->rank - 1, first = gen_below(g, 5);
    memset(&v, 0, sizeof v);
    v.type = t->type;
    if (t->rank == 0 || gen_is(t->type, "bh") || gen_axis_is_symbolic(&t->axis[last])) return 0;
    for (k = 0; k < 5 && !v.lanes; k++)
        if (t->axis[last].extent % widths[(first + k) % 5] == 0) v.lanes = widths[(first + k) % 5];
    if (!v.lanes) return 0;
    v.from = gen_some_tensor(g, NULL, (int)t->type, 0);
    if (v.from && (v.from->rank == 0 || v.from->is_wide ||
                   v.from->axis[v.from->rank - 1].extent < t->axis[last].extent))
        v.from = NULL;
    if (v.from) v.from->is_fixed = 1;
    t->is_fixed = 1;
    outer.rank = last;
    gen_open_nest(g, &outer, gen_some_style(g, &outer), 0, &nest);
    gen_say(name, "i%d", g->loop_number++);
    gen_say(base, "%s * %d", name, v.lanes);
    v.base = base;
    gen_begin(g);
    gen_put(g, "for (%s: %d)", name, t->axis[last].extent / v.lanes);
    gen_open_brace(g);
    gen_atom_add(g, name, t->axis[last].extent / v.lanes);
    gen_begin(g);
    gen_put(g, "%s[", t->name);
    for (k = 0; k < last; k++) gen_put(g, "%s, ", nest.place[k]);
    gen_put(g, "ramp(%s, 1, %d)] = ", base, v.lanes);
    gen_vector(g, &v, 2);
    gen_end(g);
    gen_close_brace(g);
    gen_close_nest(g, &nest);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* decl w: T x lanes [...] data(t), and all of t through it. */
static int gen_vector_view(gen *g, gen_tensor *t)
{
    gen_lanes   v;
    gen_tensor *from;
    gen_words   name, view, source;
    int         cells = gen_cells(t);
    memset(&v, 0, sizeof v);
    v.type = t->type;
    v.lanes = cells % 4 == 0 ? 4 : 2;
    if (gen_is(t->type, "bh") || t->is_fixed || gen_is_symbolic(t) || cells % v.lanes) return 0;
    gen_say(view, "w%d", g->temp_count++);
    gen_say(source, "w%d", g->temp_count++);
    gen_say(name, "i%d", g->loop_number++);
    gen_line(g, "decl %s: %sx%d[%d] data(%s)", view, gen_text(t->type), v.lanes, cells / v.lanes,
             t->name);
    from = gen_some_tensor(g, NULL, (int)t->type, 0);
    if (from && !from->is_fixed && !from->is_wide && !gen_is_symbolic(from) &&
        gen_cells(from) >= cells && gen_cells(from) % v.lanes == 0) {
        from->is_fixed = 1;
        gen_line(g, "decl %s: %sx%d[%d] data(%s)", source, gen_text(t->type), v.lanes,
                 gen_cells(from) / v.lanes, from->name);
        v.view = source;
    }
    t->is_fixed = 1;
    gen_begin(g);
    gen_put(g, "for%s (%s: %d)", gen_chance(g, 30) ? " parallel" : "", name, cells / v.lanes);
    gen_open_brace(g);
    gen_atom_add(g, name, cells / v.lanes);
    v.base = name;
    gen_begin(g);
    gen_put(g, "%s[%s] = ", view, name);
    gen_vector(g, &v, 2);
    gen_end(g);
    g->atom_count--;
    gen_close_brace(g);
    t->is_wide = gen_is(t->type, "f");
    return 1;
}

/* ------------------------------------------------------------------ aliases */

/* Another type of the same width, for a view of the same memory; the same type if there is none. */
static irl_scalar gen_other_type(gen *g, irl_scalar t)
{
    static const unsigned char groups[][4] = { { IRL_I8, IRL_U8, IRL_U8, IRL_I8 },
                                               { IRL_I16, IRL_U16, IRL_I16, IRL_U16 },
                                               { IRL_I32, IRL_U32, IRL_I32, IRL_U32 },
                                               { IRL_I64, IRL_U64, IRL_I64, IRL_U64 } };
    int                        k;
    for (k = 0; k < 4; k++)
        if (groups[k][0] == (unsigned char)t || groups[k][1] == (unsigned char)t)
            return (irl_scalar)groups[k][gen_below(g, 4)];
    return t;
}

/* The bits of floats are seen only where they are the caller's: elsewhere the sign of a zero may
   differ. */
static irl_scalar gen_view_type(gen *g, const gen_tensor *of)
{
    if (!of->is_input || !gen_chance(g, 50)) return gen_other_type(g, of->type);
    if (gen_is(of->type, "h")) return IRL_U16;
    return of->type == IRL_F32   ? IRL_U32
           : of->type == IRL_F64 ? IRL_I64
                                 : gen_other_type(g, of->type);
}

static gen_tensor *gen_some_viewed(gen *g)
{
    int k, first = gen_below(g, g->tensor_count);
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *t = &g->tensors[(first + k) % g->tensor_count];
        if (t->is_defined && !t->is_fixed && !gen_is_symbolic(t) && t->type != IRL_BOOL) return t;
    }
    return NULL;
}

/* A view of the whole memory of a tensor: one axis or two, of its type, another of that width, or
   bytes. */
static void gen_alias(gen *g)
{
    gen_tensor *of = gen_some_viewed(g), *view;
    int         cells;
    if (!of || g->tensor_count == GEN_TENSORS) return;
    of->is_fixed = 1;
    view = &g->tensors[g->tensor_count++];
    *view = *of;
    view->is_param = 0;
    view->attributes[0] = '\0';
    snprintf(view->name, sizeof view->name, "w%d", g->temp_count++);
    view->type = gen_view_type(g, of);
    cells = gen_cells(of);
    if (gen_is(view->type, "iu") && gen_types[view->type].bits == 32 && gen_chance(g, 20)) {
        cells *= 4;
        view->type = IRL_U8;
    }
    view->rank = cells % 2 == 0 && gen_chance(g, 40) ? 2 : 1;
    view->axis[0] = gen_constant_axis(cells / view->rank);
    view->axis[1] = gen_constant_axis(2);
    gen_begin(g);
    gen_put(g, "decl ");
    gen_put_shape(g, view);
    gen_put(g, " data(%s);\n", of->name);
}

/* ------------------------------------------------------------------ stages */

/* A way to define all of a tensor; 0, and nothing is written, where it does not suit it. */
typedef int gen_way(gen *g, gen_tensor *t);

static gen_way *const gen_ways[] = {
    gen_elementwise,
    gen_elementwise,
    gen_elementwise,
    gen_elementwise,
    gen_copy,
    gen_reduction,
    gen_reduction,
    gen_scan,
    gen_triangle,
    gen_inner_temporary,
    gen_block,
    gen_block,
    gen_nested_blocks,
    gen_block_reduction,
    gen_shared,
    gen_shared_sum,
    gen_shared_transpose,
    gen_global_exchange,
    gen_steps,
    gen_vectors,
    gen_vector_view,
};

static int gen_one_line_stage(gen *g, gen_tensor *t)
{
    static gen_way *const ways[] = { gen_one_line, gen_one_line, gen_two_nests, gen_rows };
    return gen_one_line_chance(g, 14) && ways[gen_below(g, 4)](g, t);
}

/* Defines all of t, of which nothing may be read meanwhile. */
static void gen_stage(gen *g, gen_tensor *t)
{
    int has_attribute = gen_chance(g, 3);
    g->hidden = t->memory;
    g->products = GEN_PRODUCTS;
    if (has_attribute) {
        gen_begin(g);
        gen_put(g, "attr(origin = \"a stage\")");
        gen_open_brace(g);
    }
    if (!gen_one_line_stage(g, t) &&
        !gen_ways[gen_below(g, (int)(sizeof gen_ways / sizeof *gen_ways))](g, t))
        gen_elementwise(g, t);
    if (has_attribute) gen_close_brace(g);
    g->hidden = -1;
    t->is_defined = 1;
    t->is_written = 1;
    t->is_input = 0;
}

/* place op= value, or place = value of sums over the place itself. */
static void gen_update_in_place(gen *g, gen_tensor *t, const gen_nest *nest)
{
    gen_words place;
    gen_say_place(place, t, nest);
    if (gen_is(t->type, "iu")) {
        if (gen_chance(g, 60)) {
            gen_integer_update(g, t->type, place);
            return;
        }
        gen_put(g, "%s = sum(k%d: %d, %s %% %s(7)) - ", place, g->loop_number++,
                gen_between(g, 1, 4), place, gen_text(t->type));
        gen_value(g, t->type, 2);
        return;
    }
    gen_put(g, gen_chance(g, 50) ? "%s += " : "%s -= ", place);
    gen_small_term(g, t->type, 2, 60);
    t->is_wide = 1;
}

/* Changes a tensor that is defined, in place. */
static void gen_update(gen *g, gen_tensor *t)
{
    gen_nest nest;
    if (t->ulp || gen_is(t->type, "h")) return;
    g->hidden = t->memory;
    gen_open_nest(g, t, gen_some_style(g, t), 0, &nest);
    gen_begin(g);
    if (t->type != IRL_BOOL && gen_one_line_chance(g, 45)) {
        gen_update_in_place(g, t, &nest);
        gen_end(g);
        gen_close_nest(g, &nest);
        g->hidden = -1;
        t->is_written = 1;
        t->is_input = 0;
        return;
    }
    gen_put_place(g, t, &nest);
    gen_put(g, " = ");
    if (t->type == IRL_BOOL) {
        gen_put(g, "!");
        gen_put_place(g, t, &nest);
    } else {
        gen_put(g, gen_is(t->type, "f") ? "rint(min(max(" : "");
        gen_put_place(g, t, &nest);
        gen_put(g, gen_is(t->type, "f") ? ", -64.0), 64.0)) + " : " + ");
        if (gen_is(t->type, "f")) gen_clamped(g, t->type, 2, 0);
        else gen_value(g, t->type, 2);
        t->is_wide |= gen_is(t->type, "f");
    }
    gen_end(g);
    gen_close_nest(g, &nest);
    g->hidden = -1;
    t->is_written = 1;
    t->is_input = 0;
}

/* An alias of what was just written shows other bits now: only integers keep views of another
   type. */
static void gen_memory_written(gen *g, const gen_tensor *t)
{
    int k;
    for (k = 0; k < g->tensor_count; k++) {
        gen_tensor *other = &g->tensors[k];
        if (other == t || other->memory != t->memory) continue;
        other->is_input = 0;
        other->is_wide |= t->is_wide;
        if (t->ulp > other->ulp) other->ulp = t->ulp;
        if (gen_is(t->type, "fh") != gen_is(other->type, "fh")) other->is_defined = 0;
    }
}

static void gen_stages(gen *g, int first_output, int outputs)
{
    int k, stages = gen_between(g, 0, g->options.stages - 1);
    for (k = 0; k < stages; k++) {
        if (gen_chance(g, 15)) gen_alias(g);
        if (gen_chance(g, 6)) gen_let(g); /* of what memory holds now, for all that follows */
        if (gen_chance(g, 20)) {
            gen_tensor *t = &g->tensors[gen_below(g, g->tensor_count)];
            if (t->is_defined && t->is_written) {
                gen_update(g, t);
                gen_memory_written(g, t);
                continue;
            }
        }
        if (g->tensor_count < GEN_TENSORS - 4) {
            gen_tensor *t = gen_tensor_new(g, "t", g->temp_count++);
            gen_attributes(g, t);
            gen_put_alloc(g, t);
            gen_stage(g, t);
        }
    }
    for (k = first_output; k < first_output + outputs; k++) {
        gen_tensor *t = &g->tensors[k];
        if (t->is_defined && gen_chance(g, 70)) gen_update(g, t);
        else if (g->n && gen_chance(g, 10)) {
            gen_begin(g);
            gen_put(g, "if (n > %d)", gen_between(g, 1, 9));
            gen_open_brace(g);
            gen_stage(g, t);
            gen_else(g);
            t->is_defined = 0;
            gen_stage(g, t);
            gen_close_brace(g);
        } else gen_stage(g, t);
        gen_memory_written(g, t);
    }
}

#endif
