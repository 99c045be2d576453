/* generate_reduce.h - what the text says in one line: reductions over named ranges, wherever a
   value may stand, with and without steps, updates (`+=` and its kin), labels.

   needs     generate_value.h
   promises  a sum or product of floats is the same in every order: its terms are whole numbers,
             small enough for all of it to be exact; ranges may be empty, depend on loops, on each
             other, on n and on memory. Nothing here is drawn with options.written_out */
#ifndef IRL_GENERATE_REDUCE_H
#define IRL_GENERATE_REDUCE_H

/* How many iterations the reductions that stand in each other may have together. */
enum { GEN_REDUCE_WORK = 24, GEN_REDUCE_DEPTH = 2 };

static int gen_one_line_chance(gen *g, int percent)
{
    return g->one_line && gen_chance_aside(g, percent);
}

/* A range: its text, an end that no value reaches, and the most iterations that it has. */
typedef struct gen_range {
    gen_words text;
    int       end, count;
    int       may_be_empty;
} gen_range;

static void gen_range_made(gen_range *r, int end, int count, int may_be_empty)
{
    r->end = end < 1 ? 1 : end;
    r->count = count < 1 ? 1 : count;
    r->may_be_empty = may_be_empty;
}

/* One that depends on a loop around it, or on data; 0: there is nothing that suits. */
static int gen_range_of_atom(gen *g, gen_range *r)
{
    const gen_atom *a = gen_some_atom(g);
    if (!a || strlen(a->text) > 60) return 0;
    switch (gen_below(g, 4)) {
    case 0:
        gen_say(r->text, "(%s) %% 4", a->text);
        gen_range_made(r, 3, 3, 1);
        return 1;
    case 1:
        if (a->extent > 5) return 0;
        gen_say(r->text, "%s .. %d", a->text, a->extent);
        gen_range_made(r, a->extent, a->extent, 0);
        return 1;
    case 2:
        gen_say(r->text, "%s .. + 2", a->text);
        gen_range_made(r, a->extent + 1, 2, 0);
        return 1;
    default:
        if (a->extent > 6) return 0;
        gen_say(r->text, "%s", a->text);
        gen_range_made(r, a->extent - 1, a->extent - 1, 1);
        return 1;
    }
}

/* The end is data: written at once, because a load is. */
static int gen_put_range_of_data(gen *g, const char *name, gen_range *r)
{
    gen_tensor *t = g->nesting ? NULL : gen_some_tensor(g, "iu", 0, 0);
    if (!t) return 0;
    g->nesting++;
    gen_put(g, "%s: index(", name);
    gen_load(g, t);
    gen_put(g, " %% %s(4))", gen_text(t->type));
    g->nesting--;
    gen_range_made(r, 3, 3, 1);
    return 1;
}

static void gen_some_range(gen *g, gen_range *r, int most)
{
    const int way = gen_below(g, 100), end = gen_between(g, 1, most < 5 ? most : 5);
    const int first = gen_between(g, 1, 3);
    if (way < 25 && gen_range_of_atom(g, r)) return;
    if (way >= 25 && way < 38 && g->n) {
        gen_say(r->text, way < 32 ? "n" : "n .. 5");
        gen_range_made(r, way < 32 ? g->n : 5, way < 32 ? g->n : 5 - g->n, way >= 32);
        return;
    }
    if (way >= 95) {
        gen_say(r->text, way < 98 ? "0" : "4 .. 4");
        gen_range_made(r, 1, 1, 1);
    } else if (way > 75 && gen_chance_aside(g, 30)) {
        const int step = gen_between(g, 1, 3);
        if (way & 1) gen_say(r->text, "%d .. %d : %d", first, first + end, step);
        else gen_say(r->text, "%d .. %d : -%d", first + end - 1, first - 1, step);
        gen_range_made(r, first + end, end, 0);
    } else if (way > 75) {
        gen_say(r->text, way < 85 ? "%d .. %d" : "%d .. + %d", first,
                way < 85 ? first + end : end);
        gen_range_made(r, first + end, end, 0);
    } else {
        gen_say(r->text, "%d", end);
        gen_range_made(r, end, end, 0);
    }
}

/* `k: 4, j: k .. 3, `, of at most g->work iterations; the names are atoms from here on. Returns
   whether there may be none. */
static int gen_put_ranges(gen *g, int many)
{
    int k, may_be_empty = 0;
    for (k = 0; k < many; k++) {
        gen_range r;
        gen_words name;
        gen_say(name, "k%d", g->loop_number++);
        if (g->work < 3 || !gen_chance(g, 6) || !gen_put_range_of_data(g, name, &r)) {
            do gen_some_range(g, &r, g->work);
            while (r.count > g->work);
            gen_put(g, "%s: %s", name, r.text);
        }
        gen_put(g, ", ");
        gen_atom_add(g, name, r.end);
        g->work /= r.count;
        may_be_empty |= r.may_be_empty;
    }
    return may_be_empty;
}

/* What is accumulated in floats: a whole number up to `most`. */
static void gen_small_term(gen *g, irl_scalar type, int depth, int most)
{
    const int products = g->products;
    gen_put(g, "rint(min(max(");
    g->products = 0;
    gen_value(g, type, depth);
    g->products = products;
    gen_put(g, ", -%d.0), %d.0))", most, most);
}

/* How large a term may be: a half of 8 bits holds all whole numbers up to 256. */
static int gen_most_term(irl_scalar t, int is_product)
{
    return is_product ? gen_is(t, "h") ? 1 : 2 : gen_is(t, "h") ? 8 : 16;
}

/* The term of a reduction that accumulates in t, and whose text says the type where it is
   another: `from`. */
static void gen_reduced_term(gen *g, irl_scalar t, irl_scalar from, int is_product, int depth)
{
    if (gen_is(from, "fh")) {
        if (gen_is(t, "fh")) gen_small_term(g, from, depth, gen_most_term(t, is_product));
        else gen_small_term(g, from, depth, 60);
        return;
    }
    if (gen_is(t, "fh")) gen_put(g, "(");
    gen_value(g, from, depth);
    if (gen_is(t, "fh"))
        gen_put(g, " %% %s(%d))", gen_text(from), gen_most_term(t, is_product) + 1);
}

/* A type whose values are cast to t: narrower, or of another kind. */
static irl_scalar gen_term_type(gen *g, irl_scalar t)
{
    static const unsigned char narrow[] = { IRL_I8, IRL_U8, IRL_I16, IRL_U16, IRL_F16, IRL_BF16 };
    if (gen_chance(g, 75)) return t;
    if (gen_is(t, "fh")) return (irl_scalar)narrow[gen_below(g, 6)];
    if (g->options.integers) return (irl_scalar)narrow[gen_below(g, 4)];
    return gen_chance(g, 15) && gen_is(t, "i") ? IRL_F32 : (irl_scalar)narrow[gen_below(g, 4)];
}

/* any, all, count, argmax or argmin as a value of type t. */
static void gen_put_form(gen *g, irl_scalar t, int depth)
{
    static const char *const words[] = { "count", "any", "all", "argmax", "argmin" };
    const int way = gen_below(g, g->options.narrow ? 3 : 5); /* an index may be held as i64 */
    const int atoms = g->atom_count, work = g->work;
    g->reductions++;
    if (way == 0) gen_put(g, "%s(count(i32: ", gen_text(t));
    else gen_put(g, way < 3 ? "(%s(" : "%s(%s(", way < 3 ? words[way] : gen_text(t), words[way]);
    gen_put_ranges(g, way < 3 && gen_chance(g, 25) ? 2 : 1);
    if (way < 3) gen_comparison(g, depth > 2 ? 2 : depth);
    else gen_value(g, g->options.integers ? gen_some_integer(g) : IRL_I32, depth > 2 ? 2 : depth);
    if (way == 1 || way == 2) gen_put(g, ") ? %s(1) : %s(0))", gen_text(t), gen_text(t));
    else gen_put(g, "))");
    g->reductions--;
    g->atom_count = atoms;
    g->work = work;
}

/* sum(k: 4, e), of a value of type t. */
static void gen_put_reduction(gen *g, irl_scalar t, int depth)
{
    static const char *const words[] = { "sum", "sum", "prod", "max", "min" };
    const int  way = gen_below(g, 5), atoms = g->atom_count, work = g->work;
    irl_scalar from = gen_term_type(g, t);
    size_t     start;
    char      *made;
    int        may_be_empty;
    if (gen_chance_aside(g, 25)) {
        gen_put_form(g, t, depth);
        return;
    }
    g->reductions++;
    start = g->length;
    gen_put(g, "%s(", words[way]);
    if (from != t || gen_chance(g, 10)) gen_put(g, "%s: ", gen_text(t));
    may_be_empty = gen_put_ranges(g, gen_chance(g, 25) ? 2 : 1);
    gen_reduced_term(g, t, from, way == 2, depth > 2 ? 2 : depth);
    gen_put(g, ")");
    g->reductions--;
    g->atom_count = atoms;
    g->work = work;
    if (!may_be_empty || way < 3 || !gen_is(t, "fh")) return;
    /* infinities of what has no term become numbers */
    made = (char *)gen_kept(malloc(g->length - start + 1));
    memcpy(made, g->text + start, g->length - start + 1);
    g->length = start;
    gen_put(g, way == 3 ? "max(%s, %s(-16))" : "min(%s, %s(16))", made, gen_text(t));
    free(made);
}

/* Draws a reduction in the place of a value; 0: it is to be something else. */
static int gen_reduced(gen *g, irl_scalar t, int depth)
{
    if (!g->one_line || t == IRL_BOOL || depth < 1 || g->reductions >= GEN_REDUCE_DEPTH ||
        g->work < 2 || !gen_chance_aside(g, g->reductions ? 12 : 5))
        return 0;
    gen_put_reduction(g, t, depth);
    return 1;
}

/* An index that is a sum of indices. */
static int gen_reduced_index(gen *g, const gen_axis *axis)
{
    const gen_atom *a;
    gen_range       r;
    gen_words       name;
    if (g->options.narrow || /* they may be added as i64 */
        !g->in_value || g->nesting || g->reductions || !gen_one_line_chance(g, 2)) return 0;
    a = gen_some_atom(g);
    gen_some_range(g, &r, 4);
    gen_say(name, "k%d", g->loop_number++);
    gen_put(g, "%s(%s: %s, %s + (%s)) %% %s", gen_chance(g, 70) ? "sum" : "prod", name, r.text,
            name, a ? a->text : "2", axis->text);
    return 1;
}

/* ------------------------------------------------------------------ updates and labels */

/* place = place + e, or place += e, up to e. */
static void gen_put_plus(gen *g, const char *place)
{
    if (gen_one_line_chance(g, 50)) gen_put(g, "%s += ", place);
    else gen_put(g, "%s = %s + ", place, place);
}

/* place op= e, of integers. */
static void gen_integer_update(gen *g, irl_scalar t, const char *place)
{
    static const char *const signs[] = { "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=",
                                         "%=" };
    const int way = gen_below(g, 10);
    gen_put(g, "%s %s ", place, signs[way]);
    if (way < 6) gen_value(g, t, 2);
    else if (way < 8) gen_put(g, "%s(%d)", gen_text(t), gen_below(g, gen_types[t].bits));
    else gen_divisor(g, t);
}

/* In front of loops, now and then: a name of its own, one that is taken, or one in quotes. */
static void gen_put_label(gen *g, const char *target)
{
    if (!gen_one_line_chance(g, 25)) return;
    switch (gen_below(g, 6)) {
    case 0: gen_put(g, "%s: ", target); break;
    case 1: gen_put(g, "`a label`: "); break;
    case 2: gen_put(g, "l0: "); break;
    default: gen_put(g, "l%d: ", g->loop_number++); break;
    }
}

#endif
