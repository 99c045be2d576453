/* generate_views.h - functions that touch one memory by several names: views, matches that blocks
   share, blocks inside of blocks. Blocks begin with an init that reads what it begins with, stores
   only sometimes, or stores another cell; temporaries of bits are written in parts; extents may
   be 0. What looks at buffers by their names, or takes an init for a store, has something to get
   wrong.

   needs     generate.h
   promises  a seed gives the same function always, in numbers that are exact; what is read was
             written, or is of bits, which are 0 until then */
#ifndef IRL_GENERATE_VIEWS_H
#define IRL_GENERATE_VIEWS_H

enum { VIEWS_STAGES = 4, VIEWS_MEMORIES = 4, VIEWS_NAMES = 12 };

/* How the cells of a memory lie behind a name. */
typedef enum views_form { VIEWS_PLAIN, VIEWS_PAIRS, VIEWS_HALVES, VIEWS_SHIFTED } views_form;

typedef struct views_memory {
    const char *element;  /* the text of its type */
    int         width;    /* of an element of bits; 0 */
    int         is_known; /* may all of its cells be read? */
    char        name[16]; /* that it was declared by */
} views_memory;

typedef struct views_name {
    char       text[16];
    int        memory;
    views_form form;
} views_name;

typedef struct views {
    gen          g;
    const char  *type;           /* of values */
    char         full[12], half[12]; /* texts of the extent, and of half of it; "": it is odd */
    int          n;              /* the extent */
    int          has_count, count; /* is there a parameter n? its value, which may be 0 */
    int          fresh;          /* of which memory is the loop's own cell written? -1 */
    int          memory_count, name_count, blocks;
    views_memory memory[VIEWS_MEMORIES];
    views_name   name[VIEWS_NAMES];
} views;

/* ------------------------------------------------------------------ memories and names */

static void views_add_name(views *c, const char *text, int memory, views_form form)
{
    views_name *v = &c->name[c->name_count++];
    snprintf(v->text, sizeof v->text, "%s", text);
    v->memory = memory;
    v->form = form;
}

static int views_add_memory(views *c, const char *text, int is_known)
{
    static const char *const elements[] = { "u8", "u4", "u4", "u2" };
    static const int         widths[] = { 0, 4, 4, 2 };
    views_memory *m = &c->memory[c->memory_count];
    const int     k = strcmp(c->type, "u8") == 0 ? gen_below(&c->g, 4) : 0;
    m->element = k ? elements[k] : c->type;
    m->width = widths[k];
    m->is_known = is_known || m->width;
    snprintf(m->name, sizeof m->name, "%s", text);
    views_add_name(c, text, c->memory_count, VIEWS_PLAIN);
    return c->memory_count++;
}

/* A name of the memory; a shifted one only where the first cell is not asked for. */
static const views_name *views_name_of(views *c, int memory, int may_shift)
{
    const views_name *v;
    do v = &c->name[gen_below(&c->g, c->name_count)];
    while (v->memory != memory || (v->form == VIEWS_SHIFTED && !may_shift));
    return v;
}

/* Another name for all of a memory, or for all of it but its first cell. */
static void views_view(views *c, int memory)
{
    const views_memory *m = &c->memory[memory];
    const views_name   *over;
    char                text[16];
    int                 form = gen_below(&c->g, 6);
    if (!*c->half && (form == VIEWS_PAIRS || form == VIEWS_HALVES)) form = VIEWS_PLAIN;
    if (form > VIEWS_SHIFTED || (form == VIEWS_SHIFTED && *c->full == 'n')) form = VIEWS_PLAIN;
    sprintf(text, "w%d", c->name_count);
    gen_put(&c->g, "    decl %s: %s", text, m->element);
    switch (form) {
    case VIEWS_PAIRS: gen_put(&c->g, "[%s, 2]", c->half); break;
    case VIEWS_HALVES: gen_put(&c->g, "[2, %s]", c->half); break;
    case VIEWS_SHIFTED: gen_put(&c->g, "[%s - 1] offset(%d)", c->full, m->width ? m->width : 1);
        break;
    default: gen_put(&c->g, "[%s]", c->full);
    }
    over = views_name_of(c, memory, 0);
    gen_put(&c->g, " data(%s);\n", over->form == VIEWS_PLAIN ? over->text : m->name);
    views_add_name(c, text, memory, (views_form)form);
}

static void views_cell(views *c, const views_name *v, const char *i)
{
    if (v->form == VIEWS_PAIRS && strcmp(i, "(a * 2 + e)") == 0) {
        gen_put(&c->g, "%s[a, e]", v->text);
        return;
    }
    switch (v->form) {
    case VIEWS_PAIRS: gen_put(&c->g, "%s[(%s) / 2, (%s) %% 2]", v->text, i, i); break;
    case VIEWS_HALVES: gen_put(&c->g, "%s[(%s) / %s, (%s) %% %s]", v->text, i, c->half, i, c->half);
        break;
    case VIEWS_SHIFTED: gen_put(&c->g, "%s[%s - 1]", v->text, i); break;
    default: gen_put(&c->g, "%s[%s]", v->text, i);
    }
}

/* ------------------------------------------------------------------ values */

/* A cell to be read where `to` is written: of that memory, and of one that this loop writes, the
   one at i alone. */
static void views_read(views *c, int to, const char *i)
{
    const int last = c->memory_count - 1;
    const int memory = gen_chance(&c->g, 40) ? last : gen_below(&c->g, c->memory_count);
    char      other[40];
    if (!c->memory[memory].is_known && memory != c->fresh) {
        views_cell(c, views_name_of(c, 0, 0), i);
        return;
    }
    switch (memory == to || memory == c->fresh ? 3 : gen_below(&c->g, 4)) {
    case 0: sprintf(other, "%s - 1 - %s", c->full, i); break;
    case 1: sprintf(other, "(%s + 1) %% (%s)", i, c->full); break;
    default: strcpy(other, i);
    }
    views_cell(c, views_name_of(c, memory, 0), other);
}

static void views_value(views *c, int to, const char *i)
{
    switch (gen_below(&c->g, 5)) {
    case 0:
        gen_put(&c->g, "max(");
        views_read(c, to, i);
        gen_put(&c->g, ", ");
        views_read(c, to, i);
        gen_put(&c->g, ")");
        break;
    case 1:
        views_read(c, to, i);
        gen_put(&c->g, " + ");
        views_read(c, to, i);
        break;
    case 2:
        views_read(c, to, i);
        gen_put(&c->g, " + %s(%d)", c->type, 1 + gen_below(&c->g, 5));
        break;
    default: views_read(c, to, i);
    }
}

/* ------------------------------------------------------------------ stages of one loop */

/* Where a loop over all cells ends, or over some. */
static void views_end(views *c, int all, char *end)
{
    switch (all ? 4 : gen_below(&c->g, 7)) {
    case 0: sprintf(end, "min(1, %s)", c->full); break;
    case 1: sprintf(end, "(%s) / 2", c->full); break;
    case 2: sprintf(end, c->has_count ? "min(n, %s)" : "%s", c->full); break;
    default: strcpy(end, c->full);
    }
}

/* A condition on what is read at i, or on n. */
static void views_condition(views *c, int to, const char *i)
{
    if (c->has_count && gen_chance(&c->g, 30)) {
        gen_put(&c->g, "%s < n", i);
        return;
    }
    views_read(c, to, i);
    gen_put(&c->g, " > %s(%d)", c->type, gen_below(&c->g, 4));
}

/* In a loop i: a store of the cell there, or a block of one. */
static void views_point(views *c, const views_name *v, int is_guarded)
{
    const int   is_block = gen_chance(&c->g, 60), to = v->memory;
    const char *i = is_block ? "a" : "i";
    if (is_block) gen_put(&c->g, "block b%d(a: spatial(%s) = i) ", c->blocks++, c->full);
    if (is_guarded) {
        gen_put(&c->g, is_block ? "where (" : "if (");
        views_condition(c, to, "i");
        gen_put(&c->g, ") ");
    }
    if (is_block) gen_put(&c->g, "{ ");
    views_cell(c, v, i);
    gen_put(&c->g, " = ");
    views_value(c, to, i);
    gen_put(&c->g, is_block ? "; }\n" : ";\n");
}

/* A loop that stores cells of `to`, now and then by a name without the first of them. */
static void views_points(views *c, int to, int all)
{
    static const char *const kinds[] = { "", "", "", "", "parallel ", "vectorized ", "unrolled " };
    const int         shifts = !all && *c->full != 'n' && gen_chance(&c->g, 25);
    const views_name *v = views_name_of(c, to, shifts);
    const char       *kind = kinds[gen_below(&c->g, 7)];
    char              end[40];
    views_end(c, all || shifts, end);
    gen_put(&c->g, shifts ? "    for %s(i: 1 .. %s) " : "    for %s(i: %s) ", kind, end);
    views_point(c, v, !all && gen_chance(&c->g, 25));
}

/* A loop with two of them in it, the second of which may read what the first stores. */
static void views_both(views *c, int to, int all)
{
    int  second = gen_below(&c->g, c->memory_count);
    char end[40];
    if (!c->memory[second].is_known) second = to == 0;
    views_end(c, all, end);
    gen_put(&c->g, "    for (i: %s) {\n        ", end);
    views_point(c, views_name_of(c, to, 0), !all && gen_chance(&c->g, 25));
    c->fresh = to;
    gen_put(&c->g, "        ");
    views_point(c, views_name_of(c, second, 0), gen_chance(&c->g, 25));
    c->fresh = -1;
    gen_put(&c->g, "    }\n");
}

/* ------------------------------------------------------------------ sums */

/* What a block begins with, for the cell `own` of the memory `to`, at i. */
static void views_init(views *c, int to, const char *own, const char *i)
{
    const int other = (to + 1) % c->memory_count;
    int       kind = gen_below(&c->g, c->memory[to].is_known ? 8 : 3);
    if (kind == 6 && !c->memory[other].is_known) kind = 3;
    gen_put(&c->g, "init ");
    switch (kind) {
    case 0: gen_put(&c->g, "%s = %s(0); ", own, c->type); break;
    case 1:
        gen_put(&c->g, "%s = ", own);
        views_read(c, to, i);
        gen_put(&c->g, "; ");
        break;
    case 2: gen_put(&c->g, "{ %s = %s(1); %s = %s + %s(2); } ", own, c->type, own, own, c->type);
        break;
    case 3: gen_put(&c->g, "%s = %s * %s(2); ", own, own, c->type); break;
    case 4: gen_put(&c->g, "%s = %s + %s(1); ", own, own, c->type); break;
    case 5: gen_put(&c->g, "if (%s > %s(3)) %s = %s(1); ", own, c->type, own, c->type); break;
    default:
        views_cell(c, views_name_of(c, kind == 6 ? other : to, 0), i);
        gen_put(&c->g, " = %s(1); ", c->type);
    }
}

/* What is added to the cell `own` of the memory `to`, at i, for a term k. */
static void views_update(views *c, int to, const char *own, const char *i)
{
    static const char *const ops[] = { "+", "+", "+", "max", "min", "*", "&", "^" };
    const int   is_float = *c->type == 'f';
    const char *op = ops[gen_below(&c->g, is_float ? 5 : 8)];
    char        at[60];
    gen_put(&c->g, op[1] ? "%s = %s(%s, " : "%s = %s %s ", own, op[1] ? op : own,
            op[1] ? own : op);
    switch (gen_below(&c->g, 4)) {
    case 0: gen_put(&c->g, "%s(k)", c->type); break;
    case 1: views_read(c, to, i); break;
    default:
        sprintf(at, "(%s + k) %% (%s)", i, c->full);
        views_cell(c, views_name_of(c, to == 0, 0), at);
        if (is_float || gen_chance(&c->g, 60)) break;
        gen_put(&c->g, " * ");
        views_cell(c, views_name_of(c, to == 0, 0), gen_chance(&c->g, 50) ? at : i);
    }
    gen_put(&c->g, op[1] ? "); }\n" : "; }\n");
}

/* The loops and the head of a block that sums; at which cell. */
static const char *views_sum_head(views *c, int all)
{
    const int   is_counted = !all && c->has_count && gen_chance(&c->g, 40);
    const char *terms = is_counted ? "n" : gen_chance(&c->g, 50) ? "2" : "3", *i = "a";
    char        end[40];
    views_end(c, all, end);
    if (!*c->half || gen_chance(&c->g, 70))
        gen_put(&c->g, "    for (i: %s, r: %s) block b%d(a: spatial(%s) = i", end, terms, c->blocks,
                c->full);
    else if (gen_chance(&c->g, 50))
        gen_put(&c->g, "    for (i: %s, j: 2, r: %s) block b%d(a: spatial(%s) = i * 2 + j", c->half,
                terms, c->blocks, c->full);
    else {
        i = "(a * 2 + e)";
        gen_put(&c->g, "    for (i: %s, j: 2, r: %s) block b%d(a: spatial(%s) = i, e: "
                "spatial(2) = j", c->half, terms, c->blocks, c->half);
    }
    c->blocks++;
    gen_put(&c->g, ", k: reduce(%s) = r) ", terms);
    return i;
}

/* A block that sums in a cell, which it has a match of now and then. */
static void views_sum(views *c, int to, int all)
{
    const views_memory *m = &c->memory[to];
    const int           has_match = gen_chance(&c->g, 30);
    const char         *i = views_sum_head(c, all);
    char                own[80];
    size_t              at;
    if (!all && gen_chance(&c->g, 20))
        gen_put(&c->g, gen_chance(&c->g, 50) ? "where (r > 0) " : "where (i < 2 && r != 1) ");
    gen_put(&c->g, "{\n        ");
    at = c->g.length;
    if (has_match) gen_put(&c->g, "m[0]");
    else views_cell(c, views_name_of(c, to, 0), i);
    strcpy(own, c->g.text + at);
    c->g.length = at;
    if (has_match) gen_put(&c->g, "match m: %s[1] = %s[%s: 1]; ", m->element, m->name, i);
    if (!m->is_known || gen_chance(&c->g, 75)) views_init(c, to, own, i);
    views_update(c, to, own, i);
}

/* The same as a nest, below a store of the cell or without. */
static void views_nest(views *c, int to)
{
    const views_name *v = views_name_of(c, to, 0);
    gen_put(&c->g, "    for (i: %s) { ", c->full);
    if (!c->memory[to].is_known || gen_chance(&c->g, 60)) {
        views_cell(c, v, "i");
        gen_put(&c->g, " = ");
        views_value(c, to, "i");
        gen_put(&c->g, "; ");
    }
    gen_put(&c->g, "for (r: %d) ", 2 + gen_below(&c->g, 2));
    views_cell(c, v, "i");
    gen_put(&c->g, " = ");
    views_cell(c, views_name_of(c, to, 0), "i");
    gen_put(&c->g, " + ");
    views_cell(c, views_name_of(c, to == 0, 0), "i");
    gen_put(&c->g, "; }\n");
}

/* ------------------------------------------------------------------ blocks of pairs */

/* A match of two cells, of a match of them, or of a view. */
static void views_match(views *c, const char *name, int memory)
{
    const views_memory *m = &c->memory[memory];
    const views_name   *v = views_name_of(c, memory, 0);
    gen_put(&c->g, "        match %s: %s[2] = ", name, m->element);
    if (v->form == VIEWS_PAIRS) gen_put(&c->g, "%s[u, 0: 2];\n", v->text);
    else gen_put(&c->g, "%s[u * 2: 2];\n", v->form == VIEWS_PLAIN ? v->text : m->name);
}

/* What the outer block begins with: both cells, by a block or a loop, or one of them. */
static void views_pair_init(views *c, int is_known)
{
    static const char *const values[] = { "%s(0)", "%s(1)", "d[a] * %s(2)", "d[a] + %s(1)" };
    const int                is_block = gen_chance(&c->g, 50);
    if (is_known && gen_chance(&c->g, 25)) {
        gen_put(&c->g, "        init d[%d] = %s(1);\n", gen_below(&c->g, 2), c->type);
        return;
    }
    gen_put(&c->g, is_block ? "        init for (i: 2) block z%d(a: spatial(2) = i) { d[a] = "
                        : "        init for (a: 2) d[a] = ", c->blocks);
    gen_put(&c->g, values[gen_below(&c->g, is_known ? 4 : 2)], c->type);
    gen_put(&c->g, is_block ? "; }\n" : ";\n");
}

/* What is done to the cells of a pair: a block in the block, which may sum too, or a loop. */
static void views_pair_inner(views *c, int has_terms, int is_known)
{
    const char *from = gen_chance(&c->g, 50) ? "s[a]" : gen_chance(&c->g, 50) ? "s[1 - a]" : "s[0]";
    if (!has_terms && gen_chance(&c->g, 50)) {
        gen_put(&c->g, "        for (i: 2, q: 2) block b%d(a: spatial(2) = i, l: reduce(2) = q) { ",
                c->blocks++);
        if (!is_known || gen_chance(&c->g, 60)) gen_put(&c->g, "init d[a] = %s(1); ", c->type);
        gen_put(&c->g, "d[a] = d[a] + s[l]; }\n");
        return;
    }
    if (gen_chance(&c->g, 60))
        gen_put(&c->g, "        for (i: 2) block b%d(a: spatial(2) = i) { d[a] = ", c->blocks++);
    else gen_put(&c->g, "        for (a: 2) { d[a] = ");
    if (has_terms || (is_known && gen_chance(&c->g, 50))) gen_put(&c->g, "d[a] + ");
    gen_put(&c->g, "%s; }\n", from);
}

/* The same by a match of a match, or through memory of the block's own. */
static void views_pair_other(views *c, int to, int is_own)
{
    if (is_own) {
        gen_put(&c->g, "        for (i: 2) v[i] = s[%s];\n        for (i: 2) d[i] = v[1 - i];\n",
                gen_chance(&c->g, 50) ? "i" : "0");
        return;
    }
    gen_put(&c->g, "        for (i: 2) block b%d(a: spatial(2) = i) { match e: %s[1] = d[a: 1]; "
            "e[0] = s[a]; }\n", c->blocks++, c->memory[to].element);
}

/* Blocks over pairs of cells, with blocks inside of them. */
static void views_pairs(views *c, int to, int all)
{
    const int is_known = c->memory[to].is_known, has_terms = gen_chance(&c->g, 50);
    const int is_own = !has_terms && gen_chance(&c->g, 20);
    int       from = gen_below(&c->g, c->memory_count), known = is_known;
    if (from == to || !c->memory[from].is_known) from = to == 0;
    gen_put(&c->g, "    for (j: ");
    gen_put(&c->g, !all && gen_chance(&c->g, 30) ? "min(1, %s)" : "%s", c->half);
    if (has_terms) gen_put(&c->g, ", r: 2");
    gen_put(&c->g, ") block b%d(u: spatial(%s) = j", c->blocks++, c->half);
    gen_put(&c->g, has_terms ? ", k: reduce(2) = r) {\n" : ") {\n");
    if (is_own) gen_put(&c->g, "        alloc v: %s[2];\n", c->memory[from].element);
    views_match(c, "d", to);
    views_match(c, "s", from);
    if (has_terms && (!is_known || gen_chance(&c->g, 75))) views_pair_init(c, is_known);
    known |= has_terms;
    if (is_own || (!has_terms && gen_chance(&c->g, 20))) views_pair_other(c, to, is_own);
    else views_pair_inner(c, has_terms, known);
    if (!has_terms && gen_chance(&c->g, 40)) views_pair_inner(c, 0, 1);
    gen_put(&c->g, "    }\n");
}

/* ------------------------------------------------------------------ functions */

/* Memory in each iteration, which two statements write and one reads. */
static void views_own(views *c, int to)
{
    const views_memory *m = &c->memory[to];
    gen_put(&c->g, "    for (i: %s) {\n        alloc p: %s[2];\n        p[0] = ", c->full,
            m->element);
    views_value(c, to, "i");
    if (m->width && gen_chance(&c->g, 50)) gen_put(&c->g, ";\n        ");
    else {
        gen_put(&c->g, ";\n        for (q: 1) p[q + 1] = ");
        views_read(c, to, "i");
        gen_put(&c->g, ";\n        ");
    }
    views_cell(c, views_name_of(c, to, 0), "i");
    gen_put(&c->g, gen_chance(&c->g, 50) ? " = p[0] + p[1];\n    }\n"
                                         : " = max(p[1], p[0]);\n    }\n");
}

/* One stage, which writes all of a memory or some of it. */
static void views_stage(views *c, int to, int all)
{
    switch (gen_below(&c->g, 12)) {
    case 0: case 1: case 2: views_points(c, to, all); break;
    case 3: case 4: case 5: case 6: views_sum(c, to, all); break;
    case 7: views_nest(c, to); break;
    case 8: views_own(c, to); break;
    case 9: views_both(c, to, all); break;
    default:
        if (*c->half) views_pairs(c, to, all);
        else views_points(c, to, all);
    }
}

/* A temporary, its views and a stage that writes it: all of it, unless it is of bits. */
static void views_temporary(views *c)
{
    char text[16];
    int  to;
    sprintf(text, "t%d", c->memory_count - 2);
    to = views_add_memory(c, text, 0);
    gen_put(&c->g, "    alloc %s: %s[%s];\n", text, c->memory[to].element, c->full);
    if (gen_chance(&c->g, 25)) views_view(c, to);
    views_stage(c, to, !c->memory[to].is_known);
    c->memory[to].is_known = 1;
}

/* The extent: a number, beside which there may be an n, or n, or twice that. */
static void views_size(views *c)
{
    const int is_even = gen_chance(&c->g, 60);
    c->count = gen_below(&c->g, 4);
    c->has_count = gen_chance(&c->g, 50);
    if (c->has_count && gen_chance(&c->g, 50)) {
        strcpy(c->full, is_even ? "n * 2" : "n");
        strcpy(c->half, is_even ? "n" : "");
        c->n = c->count << is_even;
        return;
    }
    c->n = 2 + gen_below(&c->g, 7);
    snprintf(c->full, sizeof c->full, "%d", c->n);
    if (c->n % 2 == 0) snprintf(c->half, sizeof c->half, "%d", c->n / 2);
}

/* One of two stages, or one or none. */
static void views_branch(views *c, int to)
{
    if (c->has_count) gen_put(&c->g, "    if (n > %d) {\n", gen_below(&c->g, 3));
    else {
        gen_put(&c->g, "    if (");
        views_condition(c, to, "0");
        gen_put(&c->g, ") {\n");
    }
    views_stage(c, to, 0);
    if (gen_chance(&c->g, 50)) {
        gen_put(&c->g, "    } else {\n");
        views_stage(c, to, 0);
    }
    gen_put(&c->g, "    }\n");
}

static void views_body(views *c)
{
    int k, stages = 1 + gen_below(&c->g, VIEWS_STAGES - 1);
    for (k = 0; k < 2; k++)
        if (gen_chance(&c->g, 40)) views_view(c, k);
    for (k = 0; k < stages; k++) {
        if (c->memory_count < VIEWS_MEMORIES && gen_chance(&c->g, 65)) views_temporary(c);
        else if (gen_chance(&c->g, 15)) views_branch(c, gen_below(&c->g, c->memory_count));
        else views_stage(c, gen_below(&c->g, c->memory_count), 0);
        if (gen_chance(&c->g, 15)) views_view(c, gen_below(&c->g, c->memory_count));
    }
    views_stage(c, 1, 0);
}

static gen_case gen_views(uint64_t seed)
{
    static const irl_scalar  types[] = { IRL_I32, IRL_U8, IRL_U8, IRL_F32 };
    static const char *const names[] = { "i32", "u8", "u8", "f32" };
    gen_case made;
    views    c;
    int      which;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0x71e35);
    which = gen_below(&c.g, 4);
    c.type = names[which];
    c.fresh = -1;
    views_size(&c);
    views_add_memory(&c, "x", 1);
    views_add_memory(&c, "y", 1);
    gen_put(&c.g, "func views(x: %s[%s], y: %s[%s]%s) {\n", c.memory[0].element, c.full,
            c.memory[1].element, c.full, c.has_count ? ", n: index" : "");
    views_body(&c);
    gen_put(&c.g, "}\n");
    gen_case_param(&made, "x", types[which], 1, c.n, 0);
    gen_case_param(&made, "y", types[which], 1, c.n, 0);
    if (c.has_count) gen_case_param(&made, "n", IRL_INDEX, 0, c.count, 0);
    made.text = c.g.text;
    return made;
}

#endif
