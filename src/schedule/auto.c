/* auto.c - schedules that are made: which loops become work-items, registers and vectors.

   needs     auto_nest.c; the primitives, which do and prove what is decided here
   promises  the same text for the same function and target; a text that irl_schedule_parse accepts
             for that function; where no decision holds a nest stays as it is, and a comment says
             why
   cost      for each nest that of its steps, which is most of it

   Nothing is tried on a device and nothing is searched: a nest is looked at once, and each decision
   follows from numbers: the steps by which its accesses walk through memory, the extents of its
   loops, the columns of the target.

     vector   the loop along which the result, and each operand or its copy, goes on in memory
     tile     as many results as registers hold, so that an operand that is loaded is used by many:
              the fewest loads for each operation, of all tiles that divide the loops and fit
     items    what is left of the loops that write, which are independent
     pack     an operand that would be gathered, and is read again and again, is copied in the order
              in which the tile reads it
     parts    a reduction whose order is free (max, integers, attr(numbers = "free")) along which
              memory goes on is done by vectors of partial results
     border   where an operand is guarded at the ends of a loop, or vectors do not divide it, the
              loop is cut into parts, and each is decided by itself
     turn     one that is read once, but goes on along another loop, comes into the tile by vectors
              along that loop, and is turned there */
#include "auto.h"

typedef struct irl__auto {
    irl_ctx          *cx;
    const irl_func   *f; /* as the steps so far have made it */
    const irl_target *target;
    irl__text         text;
    int               steps, deep; /* nests that came of the one at the top */
    char              why[160]; /* the last nest's steps were refused */
} irl__auto;

typedef enum irl__auto_copy {
    IRL__AUTO_DIRECT, /* an operand is read where it is */
    IRL__AUTO_PACKED, /* from a copy of it */
    IRL__AUTO_TURNED  /* from a copy of what a tile needs of it */
} irl__auto_copy;

/* What was decided of a nest. */
typedef struct irl__auto_plan {
    int            vector, row; /* loops; -1: none */
    int            along;       /* the loop along which what is turned goes on; -1: nothing is */
    int64_t        lanes, vectors, rows; /* of a tile: rows * vectors * lanes results */
    int64_t        length;               /* of a tile, along that loop */
    irl__auto_copy copy[IRL__AUTO_ROWS];
    const char    *made[IRL__AUTO_ROWS]; /* the copies' names */
    int64_t        loads;     /* of a tile in one iteration of what reduces */
    int            is_cached; /* sums stand in registers until they are stored */
    int            is_whole;  /* no loop is cut */
    int            is_split;  /* partial results, where the order is free */
    int            part_count; /* of a loop that is cut; 0: none is */
    const char    *parts[3];   /* their names */
    irl__text      text;
    int            steps;
} irl__auto_plan;

enum {
    IRL__AUTO_STEPS = 4000, /* of a schedule */
    IRL__AUTO_DEEP = 6,     /* cuts of parts of parts */
    IRL__AUTO_LEAST = 8,    /* items that a tile leaves */
    IRL__AUTO_ITEMS = 64,   /* that are enough where each takes all of a row */
    IRL__AUTO_REUSE = 8,    /* how often what is copied must be read again */
    /* a vector is a line of memory of its own in each iteration; of what is the same in all lanes a
       line serves many */
    IRL__AUTO_LINE = 3
};

/* ------------------------------------------------------------------ names */

typedef struct irl__auto_names {
    const char *name;
    size_t      length;
    int         is_used;
} irl__auto_names;

static int irl__auto_same(irl__auto_names *q, const char *name)
{
    return q->is_used |= strncmp(name, q->name, q->length) == 0 && strlen(name) == q->length;
}

static int irl__auto_see_name(irl__visitor *v, const irl_stmt *s)
{
    irl__auto_names *q = (irl__auto_names *)v->user;
    if (s->kind == IRL__FOR) irl__auto_same(q, s->u.loop.var->u.name);
    if (s->kind == IRL__BLOCK) irl__auto_same(q, s->u.block->name);
    if (s->kind == IRL__STORE) irl__auto_same(q, s->u.store.buffer->name);
    return 1;
}

/* base_suffix, with a number behind where the function or a step has that name. */
static const char *irl__auto_name(irl__auto *a, const char *base, const char *suffix)
{
    const irl__sched_steps *at;
    irl__auto_names         q;
    irl__visitor            v = irl__visitor_make(&q, NULL, irl__auto_see_name);
    irl__text               t;
    int                     number, k;
    if (!base || *base == '`') base = "loop";
    for (number = 0;; number++) {
        irl__text_init(&t, a->cx);
        irl__textf(&t, "%s_%s", base, suffix);
        if (number) irl__textf(&t, "%d", number);
        q.name = irl__text_done(&t);
        if (!q.name) return NULL;
        q.length = strlen(q.name);
        q.is_used = 0;
        irl__visit_stmt(&v, a->f->body);
        for (at = a->f->steps; at && !q.is_used; at = at->before)
            for (k = 0; k < at->named_count; k++) irl__auto_same(&q, at->named[k].name);
        if (!q.is_used) return q.name;
    }
}

/* ------------------------------------------------------------------ decisions */

static int64_t irl__auto_bytes(const irl__auto_nest *n)
{
    return (int64_t)irl__type_bytes(n->store->u.store.buffer->type);
}

/* Lanes of a vector along loop k: the most that the target has, a register holds, and that divide
   the loop, or (not exact) that it has iterations for. */
static int64_t irl__auto_lanes(const irl__auto_nest *n, int k, int is_exact)
{
    const int64_t extent = n->loops[k].extent;
    int64_t       lanes = n->target->vector_bytes / irl__auto_bytes(n);
    for (; lanes > 1; lanes--)
        if (irl__target_has_width(n->target, (uint32_t)lanes) && lanes != 3 &&
            (is_exact ? extent % lanes == 0 : extent >= lanes))
            return lanes;
    return 1;
}

/* How often what a row touches is read again: iterations of the loops of results that it does not
   depend on. */
static int64_t irl__auto_reuse(const irl__auto_nest *n, const irl__auto_row *row)
{
    int64_t reuse = 1;
    int     k;
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && row->step[k] == 0 &&
            !irl__mul64(reuse, n->loops[k].extent, &reuse))
            return INT64_MAX;
    return reuse;
}

/* The loop that an index is, or that the axis of the block is bound to that it is; -1: none. */
static int irl__auto_loop_of(const irl__auto_nest *n, const irl_expr *index)
{
    int k;
    for (k = 0; n->block && k < n->block->axis_count; k++)
        if (n->block->axes[k].var == index) break;
    if (n->block && k == n->block->axis_count) return -1;
    if (n->block) index = n->block->axes[k].binding;
    for (k = 0; k < n->loop_count; k++)
        if (n->loops[k].stmt->u.loop.var == index) return k;
    return -1;
}

/* Does no other row touch the memory at another place? */
static int irl__auto_is_alone(const irl__auto_nest *n, const irl__auto_row *row)
{
    const irl__access *a = row->access, *b;
    int                k, j;
    for (k = 0; k < n->row_count; k++) {
        b = n->rows[k].access;
        if (b->memory != a->memory) continue;
        if (b->buffer != a->buffer || b->rank != a->rank) return 0;
        for (j = 0; j < a->rank; j++)
            if (a->indices[j] != b->indices[j]) return 0;
    }
    return 1;
}

/* Is every index an axis of the block, each another one, so that a copy may have them in any
   order? */
static int irl__auto_may_pack(const irl__auto_nest *n, const irl__auto_row *row)
{
    const irl__access *a = row->access;
    int                k, j;
    if (!n->block || row->is_guarded || a->rank < 1 || a->lanes != 1) return 0;
    for (k = 0; k < a->rank; k++) {
        if (irl__auto_loop_of(n, a->indices[k]) < 0) return 0;
        for (j = 0; j < k; j++)
            if (a->indices[j] == a->indices[k]) return 0;
    }
    return irl__auto_is_alone(n, row) && irl__auto_reuse(n, row) >= IRL__AUTO_REUSE;
}

static int irl__auto_is_own(const irl__auto_nest *n, int row)
{
    return row == n->written || n->rows[row].access->of_pair >= 0;
}

/* The index of a row that is that loop; -1: none is it, or several depend on it. */
static int irl__auto_index_of(const irl__auto_nest *n, const irl__auto_row *row, int loop)
{
    int k, found = -1;
    for (k = 0; k < row->access->rank; k++)
        if (irl__auto_loop_of(n, row->access->indices[k]) == loop) {
            if (found >= 0) return -1;
            found = k;
        }
    return found;
}

/* Can a tile of the row be turned: does it go on along loop `along`, is loop k another index, and
   are all its indices loops? Loops that reduce inside of `along` would make the tile larger. */
static int irl__auto_may_turn(const irl__auto_nest *n, const irl__auto_row *row, int k, int along,
                              int64_t lanes)
{
    int j;
    if (along < 0 || along == k || row->is_guarded || row->step[along] != 1 ||
        row->run[along] < lanes || n->loops[along].extent % lanes ||
        irl__auto_index_of(n, row, k) < 0 || irl__auto_index_of(n, row, along) < 0)
        return 0;
    for (j = 0; j < row->access->rank; j++)
        if (irl__auto_loop_of(n, row->access->indices[j]) < 0) return 0;
    if (!irl__auto_is_alone(n, row)) return 0;
    for (j = along + 1; j < n->loop_count; j++)
        if (n->loops[along].is_reduce && n->loops[j].is_reduce) return 0;
    return n->is_reduction == n->loops[along].is_reduce;
}

/* The loop along which a row goes on. */
static int irl__auto_along(const irl__auto_nest *n, const irl__auto_row *row)
{
    int k;
    for (k = n->loop_count; k-- > 0;)
        if (row->step[k] == 1) return k;
    return -1;
}

/* Can loop k be a vector of that many lanes? Each operand is the same in all of them, or lies one
   after the other, or is copied so. */
static int irl__auto_is_vector(const irl__auto_nest *n, int k, int64_t lanes, irl__auto_plan *p)
{
    int j;
    p->along = -1;
    p->length = 1;
    for (j = 0; j < n->row_count; j++) {
        const irl__auto_row *row = &n->rows[j];
        const int            along = irl__auto_along(n, row);
        p->copy[j] = IRL__AUTO_DIRECT;
        if (row->run[k] >= lanes && row->step[k] == 1) continue;
        if (irl__auto_is_own(n, j)) return 0;
        if (row->run[k] >= lanes && row->step[k] == 0) continue;
        if (n->is_reduction && irl__auto_may_pack(n, row)) p->copy[j] = IRL__AUTO_PACKED;
        else if ((p->along < 0 || p->along == along) &&
                 irl__auto_may_turn(n, row, k, along, lanes)) {
            p->copy[j] = IRL__AUTO_TURNED;
            p->along = along;
            p->length = lanes;
        } else return 0;
    }
    return 1;
}

/* The loop that becomes vectors: of those that need the fewest copies the one of most lanes. */
static void irl__auto_choose_vector(const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_plan with;
    int            k, j, copies, best = 2 * IRL__AUTO_ROWS;
    p->vector = p->along = -1;
    p->lanes = 1;
    for (k = n->loop_count; k-- > 0;) {
        int64_t lanes = irl__auto_lanes(n, k, 1);
        if (n->loops[k].is_reduce || lanes < 2 || !irl__auto_is_vector(n, k, lanes, &with))
            continue;
        for (j = copies = 0; j < n->row_count; j++) copies += (int)with.copy[j];
        if (copies > best || (copies == best && lanes <= p->lanes)) continue;
        best = copies;
        p->vector = k;
        p->along = with.along;
        p->lanes = lanes;
        p->length = with.length;
        memcpy(p->copy, with.copy, sizeof with.copy);
    }
}

static int irl__auto_moves(const irl__auto_row *row, int loop)
{
    return loop >= 0 && row->step[loop] != 0;
}

/* Loads of a tile in one iteration, and registers: the results, the vectors of one row, and one for
   what is the same in all lanes. */
static int64_t irl__auto_loads(const irl__auto_nest *n, const irl__auto_plan *p, int row,
                               int64_t rows, int64_t vectors, int64_t *registers)
{
    int64_t loads = 0, held = 1;
    int     k;
    for (k = 0; k < n->row_count; k++) {
        const irl__auto_row *r = &n->rows[k];
        const int            is_wide = irl__auto_moves(r, p->vector);
        if (irl__auto_is_own(n, k)) continue;
        loads += (is_wide ? IRL__AUTO_LINE * vectors : 1) * (irl__auto_moves(r, row) ? rows : 1);
        if (is_wide && !irl__auto_moves(r, row)) held += vectors;
    }
    *registers = rows * vectors + held;
    return loads;
}

/* Results of the nest, in vectors. */
static int64_t irl__auto_results(const irl__auto_nest *n, const irl__auto_plan *p)
{
    int64_t results = 1;
    int     k;
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && !irl__mul64(results, n->loops[k].extent, &results))
            return INT64_MAX;
    return results / p->lanes;
}

/* Tiles that divide the loops, fit into the registers and leave items enough: the one of the fewest
   loads for each result, of those the smallest. */
static void irl__auto_choose_tile(const irl__auto_nest *n, irl__auto_plan *p)
{
    const int64_t most = n->target->registers, results = irl__auto_results(n, p);
    int64_t       rows, vectors, registers, loads, whole;
    int           k;
    p->row = -1;
    p->rows = p->vectors = 1;
    p->loads = irl__auto_loads(n, p, -1, 1, 1, &registers);
    whole = p->vector < 0 ? 1 : n->loops[p->vector].extent / p->lanes;
    if (p->along >= 0) return; /* the tile is the one that is turned */
    for (k = n->loop_count; k-- > 0;) {
        if (n->loops[k].is_reduce || k == p->vector) continue;
        for (rows = 1; rows <= most && rows <= n->loops[k].extent; rows++)
            for (vectors = 1; rows * vectors <= most && vectors <= whole; vectors++) {
                if (n->loops[k].extent % rows || whole % vectors ||
                    results / (rows * vectors) < IRL__AUTO_LEAST)
                    continue;
                loads = irl__auto_loads(n, p, k, rows, vectors, &registers);
                if (registers > most ||
                    loads * p->rows * p->vectors >= p->loads * rows * vectors)
                    continue;
                p->row = k;
                p->rows = rows;
                p->vectors = vectors;
                p->loads = loads;
            }
    }
    if (p->row < 0) /* nothing is used twice: sums that do not wait for each other */
        for (vectors = 4; vectors > 1 && p->vectors == 1; vectors--)
            if (whole % vectors == 0 && results / vectors >= IRL__AUTO_LEAST) p->vectors = vectors;
}

/* ------------------------------------------------------------------ steps */

/* One step, or several, with their reason. */
static void irl__auto_step(irl__auto_plan *p, const char *reason, const char *format, ...)
{
    va_list arguments;
    irl__text_puts(&p->text, "    ");
    va_start(arguments, format);
    irl__textv(&p->text, format, arguments);
    va_end(arguments);
    if (*reason) irl__textf(&p->text, " // %s", reason);
    irl__text_putc(&p->text, '\n');
    p->steps++;
}

/* The map of a copy of what a block reads: its indices, the vectors' last where it is packed. */
static const char *irl__auto_copy_map(irl__auto *a, const irl__auto_nest *n,
                                      const irl__auto_plan *p, int row)
{
    const irl__access *access = n->rows[row].access;
    irl__text          t;
    int                k, last = -1, count = 0;
    irl__text_init(&t, a->cx);
    irl__text_puts(&t, "(");
    for (k = 0; k < n->block->axis_count; k++) {
        irl__text_puts(&t, k ? ", " : "");
        irl__print_symbol(&t, n->block->axes[k].var->u.name);
    }
    irl__text_puts(&t, ") -> (");
    if (p->copy[row] == IRL__AUTO_PACKED)
        last = irl__auto_index_of(n, &n->rows[row], p->vector);
    for (k = 0; k <= access->rank; k++) {
        const int at = k < access->rank ? k : last;
        if (at < 0 || (k < access->rank && k == last)) continue;
        irl__text_puts(&t, count++ ? ", " : "");
        irl__print_symbol(&t, access->indices[at]->u.name);
    }
    irl__text_puts(&t, ")");
    return irl__text_done(&t);
}

/* Copies of operands, of which a block's are made for it alone. */
static int irl__auto_copies(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    static const char *const reasons[] = {
        "", "it would be gathered, again and again: a copy has its vectors in order",
        "it goes on along another loop than the vectors: a tile of it is turned"
    };
    int k, j;
    for (k = 0; k < n->row_count; k++) {
        const int         is_packed = p->copy[k] == IRL__AUTO_PACKED;
        const irl_buffer *b = n->rows[k].access->buffer;
        const char       *buffer, *map = "";
        for (j = 0; j < k && n->rows[j].access->memory != n->rows[k].access->memory; j++) {}
        if (j < k) p->copy[k] = IRL__AUTO_DIRECT; /* the same place: it reads that copy */
        if (p->copy[k] == IRL__AUTO_DIRECT) continue;
        p->made[k] = irl__auto_name(a, b->name, is_packed ? "packed" : "tile");
        buffer = irl__auto_symbol(a->cx, b->name);
        if (n->block) map = irl__auto_copy_map(a, n, p, k);
        if (!p->made[k] || !buffer || !map) return 0;
        if (n->block)
            irl__auto_step(p, reasons[p->copy[k]], "%s = reindex_cache_read(%s, %s, %s, %s);",
                           p->made[k], n->name, buffer, is_packed ? "global" : "local", map);
        else
            irl__auto_step(p, reasons[p->copy[k]], "%s = cache_read(%s, %s, local);", p->made[k],
                           n->name, buffer);
    }
    return 1;
}

/* Parts of a loop that is cut: outside of the tile, and in it. */
typedef struct irl__auto_cut {
    const char *outer, *inner, *lane; /* NULL: there is none */
} irl__auto_cut;

static int irl__auto_cuts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                          irl__auto_cut *cuts)
{
    char      reason[96];
    irl__text t;
    int       k;
    for (k = 0; k < n->loop_count; k++) {
        const char *name = n->loops[k].name;
        irl__auto_cut *c = &cuts[k];
        memset(c, 0, sizeof *c);
        if (k == p->row && p->rows > 1) {
            c->outer = irl__auto_name(a, name, "o");
            c->inner = irl__auto_name(a, name, "i");
            if (!c->outer || !c->inner) return 0;
            irl__text_init_fixed(&t, reason, sizeof reason);
            irl__textf(&t, "%l by %l registers hold a tile; of each iteration %l loads", p->rows,
                       p->vectors, p->loads);
            irl__auto_step(p, reason, "(%s, %s) = split(%s.%s, %l);", c->outer, c->inner, n->name,
                           name, p->rows);
        } else if (k == p->along && n->loops[k].extent > p->length) {
            c->outer = irl__auto_name(a, name, "o");
            c->inner = irl__auto_name(a, name, "i");
            if (!c->outer || !c->inner) return 0;
            irl__auto_step(p, "the tile's length", "(%s, %s) = split(%s.%s, %l);", c->outer,
                           c->inner, n->name, name, p->length);
        } else if (k == p->vector) {
            c->outer = irl__auto_name(a, name, "o");
            c->inner = p->vectors > 1 ? irl__auto_name(a, name, "i") : NULL;
            c->lane = irl__auto_name(a, name, "v");
            if (!c->outer || !c->lane || (p->vectors > 1 && !c->inner)) return 0;
            irl__text_init_fixed(&t, reason, sizeof reason);
            irl__textf(&t, "vectors of %l, along which memory goes on", p->lanes);
            if (c->inner)
                irl__auto_step(p, reason, "(%s, %s, %s) = split(%s.%s, _, %l, %l);", c->outer,
                               c->inner, c->lane, n->name, name, p->vectors, p->lanes);
            else
                irl__auto_step(p, reason, "(%s, %s) = split(%s.%s, %l);", c->outer, c->lane,
                               n->name, name, p->lanes);
        } else {
            irl__text_init(&t, a->cx);
            irl__textf(&t, "%s.%s", n->name, name);
            c->outer = irl__text_done(&t);
            if (!c->outer) return 0;
        }
    }
    return 1;
}

/* Items outside, then what reduces, in its order, then the tile. */
static void irl__auto_order(const irl__auto_nest *n, irl__auto_plan *p, const irl__auto_cut *cuts)
{
    irl__text *t = &p->text;
    int        k, round, any = 0;
    irl__text_puts(t, "    reorder(");
    for (round = 0; round < 5; round++)
        for (k = 0; k < n->loop_count; k++) {
            const irl__auto_cut *c = &cuts[k];
            const char *name = round < 2 ? (n->loops[k].is_reduce == round ? c->outer : NULL)
                               : round == 2 ? (k == p->vector ? NULL : c->inner)
                               : round == 3 ? (k == p->vector ? c->inner : NULL)
                                            : c->lane;
            if (!name) continue;
            irl__textf(t, "%s%s", any ? ", " : "", name);
            any = 1;
        }
    irl__text_puts(t, "); // items, then what is added up, then the tile\n");
    p->steps++;
}

/* The loops of results become dimensions of the launch: the last one the first. More than three are
   one. */
static int irl__auto_items(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                           const irl__auto_cut *cuts, const char *range)
{
    static const char axes[] = "xyz";
    const char       *item[IRL__AUTO_LOOPS];
    int               count = 0, k;
    for (k = 0; k < n->loop_count; k++)
        if (!n->loops[k].is_reduce && cuts[k].outer) item[count++] = cuts[k].outer;
    if (count > 3) {
        const char *name = irl__auto_name(a, n->name, "items");
        if (!name) return 0;
        irl__textf(&p->text, "    %s = fuse(", name);
        for (k = 0; k <= count - 3; k++) irl__textf(&p->text, "%s%s", k ? ", " : "", item[k]);
        irl__text_puts(&p->text, "); // a launch has three dimensions\n");
        p->steps++;
        item[0] = name;
        item[1] = item[count - 2];
        item[2] = item[count - 1];
        count = 3;
    }
    for (k = 0; k < count; k++)
        irl__auto_step(p, k ? "" : "iterations that do not meet are work-items",
                       "bind(%s, %s.%c);", item[k], range, axes[count - 1 - k]);
    return 1;
}

/* ------------------------------------------------------------------ parts */

/* A loop, and the iterations, counted from its first, at which it is cut. */
typedef struct irl__auto_border {
    int         loop, count;
    int64_t     at[2];
    const char *reason;
} irl__auto_border;

/* The border of a guarded operand. */
static int irl__auto_choose_border(const irl__auto_nest *n, irl__auto_border *c)
{
    int64_t lo, hi, min, end;
    int     k;
    for (k = 0; k < n->loop_count && n->guard_count; k++) {
        if (n->loops[k].is_reduce) continue;
        min = n->loops[k].stmt->u.loop.min->u.i;
        end = min + n->loops[k].extent;
        irl__auto_interior(n, k, &lo, &hi);
        if ((lo == min && hi == end) || hi - lo < n->loops[k].extent / 2) continue;
        c->loop = k;
        c->count = 0;
        if (lo > min) c->at[c->count++] = lo - min;
        if (hi < end) c->at[c->count++] = hi - min;
        c->reason = "inside of the border nothing is guarded";
        return 1;
    }
    return 0;
}

/* What more lanes than divide the loop would leave of it. */
static int irl__auto_choose_rest(const irl__auto_nest *n, const irl__auto_plan *p,
                                 irl__auto_border *c)
{
    irl__auto_plan with;
    int64_t        lanes;
    int            k, j;
    for (k = n->loop_count; k-- > 0;) {
        if (n->loops[k].is_reduce) continue;
        lanes = irl__auto_lanes(n, k, 0);
        if (lanes < 4 || n->loops[k].extent % lanes == 0 || lanes <= p->lanes ||
            !irl__auto_is_vector(n, k, lanes, &with))
            continue;
        for (j = 0; j < n->row_count && with.copy[j] == IRL__AUTO_DIRECT; j++) {}
        if (j < n->row_count) continue;
        c->loop = k;
        c->count = 1;
        c->at[0] = n->loops[k].extent / lanes * lanes;
        c->reason = "vectors, and what they leave";
        return 1;
    }
    return 0;
}

/* Copies that serve all parts are made first; then the loop is the outermost, and cut. */
static int irl__auto_parts(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                           const irl__auto_border *c)
{
    const char *name = n->loops[c->loop].name;
    int         k;
    for (k = 0; k < n->row_count; k++)
        if (p->copy[k] == IRL__AUTO_TURNED) p->copy[k] = IRL__AUTO_DIRECT;
    if (!irl__auto_copies(a, n, p)) return 0;
    if (c->loop) {
        irl__textf(&p->text, "    reorder(%s.%s", n->name, name);
        for (k = 0; k < c->loop; k++) irl__textf(&p->text, ", %s.%s", n->name, n->loops[k].name);
        irl__text_puts(&p->text, ");\n");
        p->steps++;
    }
    for (k = 0; k <= c->count; k++) {
        static const char *const suffixes[] = { "a", "b", "c" };
        p->parts[k] = irl__auto_name(a, name, suffixes[k]);
        if (!p->parts[k]) return 0;
    }
    p->part_count = c->count + 1;
    if (c->count == 1)
        irl__auto_step(p, c->reason, "(%s, %s) = partition(%s.%s, %l);", p->parts[0], p->parts[1],
                       n->name, name, c->at[0]);
    else
        irl__auto_step(p, c->reason, "(%s, %s, %s) = partition(%s.%s, %l, %l);", p->parts[0],
                       p->parts[1], p->parts[2], n->name, name, c->at[0], c->at[1]);
    return 1;
}

/* ------------------------------------------------------------------ reductions */

/* The first reduce loop. */
static const char *irl__auto_first_reduce(const irl__auto_nest *n, const irl__auto_cut *cuts)
{
    int k;
    for (k = 0; k < n->loop_count; k++)
        if (n->loops[k].is_reduce) return cuts[k].outer;
    return NULL;
}

/* The innermost of the loops that are work-items. */
static const char *irl__auto_last_item(const irl__auto_nest *n, const irl__auto_cut *cuts)
{
    int k;
    for (k = n->loop_count; k-- > 0;)
        if (!n->loops[k].is_reduce) return cuts[k].outer;
    return NULL;
}

/* What stands in a tile: rows written out, vectors. `init` is the block that sets the sums, which
   has no loops that reduce; NULL: the block itself. */
static void irl__auto_tile_marks(const irl__auto_nest *n, irl__auto_plan *p, const char *init,
                                 const irl__auto_cut *cuts)
{
    int k;
    for (k = 0; k < n->loop_count; k++) {
        const char *of = init ? init : "", *dot = init ? "." : "";
        if (init && n->loops[k].is_reduce) continue;
        if (cuts[k].inner)
            irl__auto_step(p, init ? "" : "written out: each is a register of its own",
                           "unroll(%s%s%s);", of, dot, cuts[k].inner);
        if (cuts[k].lane)
            irl__auto_step(p, "", "vectorize(%s%s%s);", of, dot, cuts[k].lane);
    }
}

/* The copy from registers to memory: its loops are the axes of the result. */
static int irl__auto_store_marks(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p,
                                 const char *acc)
{
    const irl__access *w = n->rows[n->written].access;
    char               axis[16];
    irl__text          t;
    int                k, j;
    for (k = 0; k < w->rank; k++) {
        j = irl__auto_loop_of(n, w->indices[k]);
        if (j < 0) continue;
        irl__text_init_fixed(&t, axis, sizeof axis);
        irl__textf(&t, "ax%d", k);
        if (j == p->row && p->rows > 1)
            irl__auto_step(p, "", "unroll(%s.%s);", acc, axis);
        if (j == p->vector) {
            const char *lane = irl__auto_name(a, acc, "v"), *whole = irl__auto_name(a, acc, "i");
            if (!lane || !whole) return 0;
            if (p->vectors == 1) irl__auto_step(p, "", "vectorize(%s.%s);", acc, axis);
            else {
                irl__auto_step(p, "", "(%s, %s) = split(%s.%s, %l);", whole, lane, acc, axis,
                               p->lanes);
                irl__auto_step(p, "", "unroll(%s);", whole);
                irl__auto_step(p, "", "vectorize(%s);", lane);
            }
        }
    }
    return 1;
}

/* The number of a loop among those of a copy: of a block's, in the order of its axes; else of the
   buffer's. */
static int irl__auto_copy_axis(const irl__auto_nest *n, const irl__auto_row *row, int loop)
{
    int k, j, number = 0;
    if (!n->block) return irl__auto_index_of(n, row, loop);
    for (k = 0; k < n->block->axis_count; k++) {
        if (n->block->axes[k].binding == n->loops[loop].stmt->u.loop.var) return number;
        for (j = 0; j < row->access->rank; j++)
            number += row->access->indices[j] == n->block->axes[k].var;
    }
    return number;
}

/* The tiles that are turned are loaded inside of that loop, by vectors. */
static void irl__auto_turns(const irl__auto_nest *n, irl__auto_plan *p, const char *loop)
{
    int k;
    for (k = 0; k < n->row_count; k++) {
        const irl__auto_row *row = &n->rows[k];
        if (p->copy[k] != IRL__AUTO_TURNED) continue;
        irl__auto_step(p, "", "compute_at(%s, %s);", p->made[k], loop);
        irl__auto_step(p, "", "unroll(%s.ax%d);", p->made[k],
                       irl__auto_copy_axis(n, row, p->vector));
        irl__auto_step(p, "", "vectorize(%s.ax%d);", p->made[k],
                       irl__auto_copy_axis(n, row, p->along));
    }
}

/* Does the function allow that a * b + c is rounded once? */
static int irl__auto_may_contract(const irl__auto_nest *n)
{
    const irl_expr *value = n->store->u.store.value;
    irl_type        type = n->store->u.store.buffer->type;
    int             k;
    if (type.scalar != IRL_F32 && type.scalar != IRL_F64) return 0;
    if (value->op != IRL_OP_ADD ||
        (value->a[0]->op != IRL_OP_MUL && value->a[1]->op != IRL_OP_MUL))
        return 0;
    for (k = 0; k < n->f->annotation_count; k++)
        if (strcmp(n->f->annotations[k].key, "numbers") == 0 && n->f->annotations[k].text &&
            strcmp(n->f->annotations[k].text, "strict") == 0)
            return 0;
    return 1;
}

/* The loop along which partial results are vectors: the only one that reduces, the innermost, with
   all operands the same or one after the other. Sets p->lanes and p->vectors; -1: none. */
static int irl__auto_choose_split(const irl__auto_nest *n, irl__auto_plan *p)
{
    const int last = n->loop_count - 1;
    int64_t   lanes = n->target->vector_bytes / irl__auto_bytes(n);
    int       k;
    if (!n->is_free || !n->block->init || last < 1 || !n->loops[last].is_reduce || lanes < 2 ||
        !irl__target_has_width(n->target, (uint32_t)lanes))
        return -1;
    for (k = 0; k < last; k++)
        if (n->loops[k].is_reduce) return -1;
    for (k = 0; k < n->row_count; k++)
        if (!irl__auto_is_own(n, k) &&
            (n->rows[k].run[last] < lanes || n->rows[k].is_guarded ||
             (n->rows[k].step[last] != 1 && n->rows[k].step[last] != 0)))
            return -1;
    for (p->vectors = 4; p->vectors > 0; p->vectors /= 2)
        if (n->loops[last].extent % (lanes * p->vectors) == 0 &&
            n->loops[last].extent / (lanes * p->vectors) >= 2)
            break;
    p->lanes = lanes;
    return p->vectors > 0 ? last : -1;
}

/* Partial results of an item, by vectors, in registers; then they are put together. The block of
   the partial results has their axis first, then the spatial axes, then what reduces. */
static int irl__auto_split(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    const int     loop = irl__auto_choose_split(n, p), reduce = n->block->axis_count;
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    const char   *outer, *inner, *part, *group, *lane, *init;
    irl__text     t;
    int           k;
    if (loop < 0) return 0;
    outer = irl__auto_name(a, n->loops[loop].name, "o");
    inner = irl__auto_name(a, n->loops[loop].name, "i");
    part = irl__auto_name(a, n->name, "part");
    group = irl__auto_name(a, n->name, "g");
    lane = irl__auto_name(a, n->name, "v");
    init = irl__auto_name(a, n->name, "start");
    if (!outer || !inner || !part || !group || !lane || !init) return 0;
    memset(cuts, 0, sizeof cuts);
    for (k = 0; k < loop; k++) {
        irl__text_init(&t, a->cx);
        irl__textf(&t, "%s.%s", n->name, n->loops[k].name);
        cuts[k].outer = irl__text_done(&t);
        if (!cuts[k].outer) return 0;
    }
    irl__auto_step(p, "the order is free: partial results, along which memory goes on",
                   "(%s, %s) = split(%s.%s, %l);", outer, inner, n->name, n->loops[loop].name,
                   p->lanes * p->vectors);
    irl__auto_step(p, "", "%s = rfactor(%s, -1);", part, inner);
    irl__auto_step(p, "", "compute_at(%s, %s);", part, cuts[loop - 1].outer);
    irl__auto_step(p, "", "(%s, %s) = split(%s.ax0, %l);", group, lane, part, p->lanes);
    irl__auto_step(p, "", "reorder(%s.ax%d, %s, %s);", part, reduce, group, lane);
    irl__auto_step(p, "they stay in registers", "set_scope(%s, 0, local);", part);
    irl__auto_step(p, "", "%s = decompose_reduction(%s, %s.ax%d);", init, part, part, reduce);
    irl__auto_step(p, "", "unroll(%s.%s);", init, group);
    irl__auto_step(p, "", "vectorize(%s.%s);", init, lane);
    irl__auto_step(p, "", "unroll(%s);", group);
    irl__auto_step(p, "", "vectorize(%s);", lane);
    irl__auto_step(p, "", "unroll(%s.%s);", n->name, inner);
    return irl__auto_items(a, n, p, cuts, "group");
}

static int irl__auto_reduction(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_cut cuts[IRL__AUTO_LOOPS];
    const char   *acc = NULL, *init = NULL, *first, *item;
    irl__auto_border border;
    irl__auto_choose_vector(n, p);
    if (p->is_split) return (p->vector < 0 || p->along >= 0) && irl__auto_split(a, n, p);
    irl__auto_choose_tile(n, p);
    if (irl__auto_may_contract(n))
        irl__auto_step(p, "the default of attr(numbers)", "contract(%s);", n->name);
    if (!p->is_whole &&
        (irl__auto_choose_border(n, &border) || irl__auto_choose_rest(n, p, &border)))
        return irl__auto_parts(a, n, p, &border);
    if (!irl__auto_copies(a, n, p)) return 0;
    if (p->is_cached) {
        acc = irl__auto_name(a, n->name, "sum");
        if (!acc) return 0;
        irl__auto_step(p, "sums stay in registers until they are done",
                       "%s = cache_write(%s, 0, local);", acc, n->name);
    }
    if (!irl__auto_cuts(a, n, p, cuts)) return 0;
    irl__auto_order(n, p, cuts);
    first = irl__auto_first_reduce(n, cuts);
    item = irl__auto_last_item(n, cuts);
    if (!first || !item) return 0;
    if (p->along >= 0) irl__auto_turns(n, p, cuts[p->along].outer);
    if (acc) {
        irl__auto_step(p, "", "reverse_compute_at(%s, %s);", acc, item);
        if (!irl__auto_store_marks(a, n, p, acc)) return 0;
    }
    if (n->block->init) {
        init = irl__auto_name(a, n->name, "init");
        if (!init) return 0;
        irl__auto_step(p, "so that the sums are there before the loop that adds",
                       "%s = decompose_reduction(%s, %s);", init, n->name, first);
        irl__auto_tile_marks(n, p, init, cuts);
    }
    irl__auto_tile_marks(n, p, NULL, cuts);
    return irl__auto_items(a, n, p, cuts, "group");
}

/* ------------------------------------------------------------------ element by element */

/* What reads along one loop and writes along another takes a tile: lines of memory as it reads,
   half of one as it writes, so that the lines of both stay near. Otherwise vectors, one after the
   other, as many as leave items enough. */
static int irl__auto_elements(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    irl__auto_cut cuts[IRL__AUTO_LOOPS], items[IRL__AUTO_LOOPS];
    const char   *item = NULL;
    int           k;
    int64_t       count = 1;
    irl__auto_choose_vector(n, p);
    if (p->vector < 0) return 0;
    if (p->along >= 0 && p->lanes > 2 &&
        irl__target_has_width(n->target, (uint32_t)(p->lanes / 2)))
        p->lanes /= 2;
    if (!irl__auto_copies(a, n, p) || !irl__auto_cuts(a, n, p, cuts)) return 0;
    irl__auto_order(n, p, cuts);
    memcpy(items, cuts, sizeof items);
    for (k = 0; k < n->loop_count; k++) {
        const int is_whole = k == p->along && !cuts[k].inner;
        if (is_whole) items[k].outer = NULL;
        else item = cuts[k].outer;
        if (k != p->vector && !is_whole && !irl__mul64(count, n->loops[k].extent, &count))
            return 0;
    }
    if (p->along >= 0) irl__auto_turns(n, p, item);
    else if (count >= IRL__AUTO_ITEMS) items[p->vector].outer = NULL;
    irl__auto_tile_marks(n, p, NULL, cuts);
    return irl__auto_items(a, n, p, items, "group");
}

/* ------------------------------------------------------------------ one nest */

static void irl__auto_plan_begin(irl__auto *a, irl__auto_plan *p)
{
    memset(p, 0, sizeof *p);
    p->vector = p->row = p->along = -1;
    p->lanes = p->rows = p->vectors = p->length = 1;
    irl__text_init(&p->text, a->cx);
}

/* Are all accesses of plain memory, and reached always, and each memory read at one place? The
   lines of several places are better shared by neighbours, which the passes make. */
static int irl__auto_is_plain(const irl__auto_nest *n)
{
    int k;
    for (k = 0; k < n->row_count; k++) {
        if (n->rows[k].is_guarded || !n->rows[k].access->buffer ||
            irl__scope_is_image(n->rows[k].access->buffer->scope))
            return 0;
        if (!irl__auto_is_alone(n, &n->rows[k])) return 0;
    }
    return 1;
}

/* Does the plan to the function, if each of its steps is proved. */
static int irl__auto_try(irl__auto *a, irl__auto_plan *p)
{
    irl__text       why;
    const char     *steps = irl__text_done(&p->text);
    irl__text       t;
    irl_mark        mark;
    const irl_func *f;
    irl__text_init(&t, a->cx);
    irl__textf(&t, "{\n%s}", steps ? steps : "");
    if (!irl__text_done(&t)) return 0;
    mark = irl_ctx_mark(a->cx);
    f = irl_schedule_parse(a->f, irl__text_done(&t), IRL_TO_NUL, "auto");
    if (!f) {
        if (irl_diag_of(a->cx)->code == IRL_ERROR_OUT_OF_MEMORY) return 0;
        irl__text_init_fixed(&why, a->why, sizeof a->why);
        irl__text_puts(&why, irl_diag_of(a->cx)->message);
        irl_ctx_rewind(a->cx, mark);
        return 0;
    }
    a->f = f;
    a->steps += p->steps;
    irl__text_puts(&a->text, steps);
    return 1;
}

static void irl__auto_leave(irl__auto *a, const char *name, const char *why)
{
    irl__textf(&a->text, "    // %s stays as it is: %s\n", name, why);
}

/* The statement of that id in the body, or at its top. */
static const irl_stmt *irl__auto_top(const irl_func *f, uint32_t id)
{
    irl__place p;
    return irl__place_of(f->body, id, &p) ? p.at[p.count - 1] : NULL;
}

/* Does a block of that name stand in s? */
typedef struct irl__auto_block_of {
    const char *name;
    int         is_there;
} irl__auto_block_of;

static int irl__auto_see_block(irl__visitor *v, const irl_stmt *s)
{
    irl__auto_block_of *q = (irl__auto_block_of *)v->user;
    if (s->kind == IRL__BLOCK) q->is_there |= strcmp(s->u.block->name, q->name) == 0;
    return 1;
}

/* The nest at the top of the body that holds the block of that name; 0: none. */
static uint32_t irl__auto_nest_named(const irl_func *f, const char *name)
{
    const irl_stmt    *body = f->body;
    irl__auto_block_of q;
    irl__visitor       v = irl__visitor_make(&q, NULL, irl__auto_see_block);
    int                k;
    q.name = name;
    q.is_there = 0;
    for (k = 0; body->kind == IRL__SEQ && k < body->u.seq.count; k++) {
        irl__visit_stmt(&v, body->u.seq.stmts[k]);
        if (q.is_there) return body->u.seq.stmts[k]->id;
    }
    return 0;
}

static void irl__auto_nest_do(irl__auto *a, uint32_t id);

/* The copies are nests themselves. */
static void irl__auto_copies_do(irl__auto *a, const char *const *packed, int count)
{
    int k;
    for (k = 0; k < count && irl__ok(a->cx); k++) {
        const uint32_t id = irl__auto_nest_named(a->f, packed[k]);
        if (id) irl__auto_nest_do(a, id);
    }
}

/* The parts of a loop that was cut are nests themselves. */
static void irl__auto_parts_do(irl__auto *a, const irl__auto_plan *p)
{
    uint32_t ids[3] = { 0, 0, 0 };
    int      k, j;
    for (k = 0; k < p->part_count; k++) {
        const irl_stmt *body = a->f->body;
        for (j = 0; body->kind == IRL__SEQ && j < body->u.seq.count; j++) {
            const irl_stmt *s = body->u.seq.stmts[j];
            if (s->kind == IRL__FOR && strcmp(s->u.loop.var->u.name, p->parts[k]) == 0)
                ids[k] = s->id;
        }
    }
    for (k = 0; k < p->part_count && irl__ok(a->cx); k++)
        if (ids[k]) irl__auto_nest_do(a, ids[k]);
}

/* Decisions from the best on: partial results, parts of a loop, sums in registers, in memory. */
static int irl__auto_reduction_do(irl__auto *a, const irl__auto_nest *n, irl__auto_plan *p)
{
    int level;
    for (level = 0; level < 4 && irl__ok(a->cx); level++) {
        irl__auto_plan_begin(a, p);
        p->is_split = level == 0;
        p->is_whole = level > 1;
        p->is_cached = level < 3;
        if (irl__auto_reduction(a, n, p) && irl__auto_try(a, p)) return 1;
    }
    return 0;
}

/* The innermost loop of the last of two statements in the nest, the first being a store: a
   reduction as a person writes it, if anything. NULL: the nest is none such. */
static const irl_stmt *irl__auto_last_of_two(const irl_stmt *s)
{
    const irl_stmt *loop = NULL;
    while (s->kind == IRL__FOR) s = s->u.loop.body;
    if (s->kind != IRL__SEQ || s->u.seq.count != 2 || s->u.seq.stmts[0]->kind != IRL__STORE)
        return NULL;
    for (s = s->u.seq.stmts[1]; s->kind == IRL__FOR; s = s->u.loop.body) loop = s;
    return s->kind == IRL__STORE ? loop : NULL;
}

static void irl__auto_compose(irl__auto *a, const irl_stmt *top)
{
    const irl_stmt *loop = irl__auto_last_of_two(top);
    const char     *name = loop ? irl__sched_nest_name(a->f, loop) : NULL;
    irl__auto_plan  p;
    if (!name) return;
    irl__auto_plan_begin(a, &p);
    irl__auto_step(&p, "a store, and loops that update what it stored",
                   "%s = compose_reduction(%s);", name, name);
    irl__auto_try(a, &p);
}

static void irl__auto_nest_do(irl__auto *a, uint32_t id)
{
    irl__arena_mark mark = irl__scratch_begin(a->cx);
    irl__auto_nest  n;
    irl__auto_plan  p;
    const irl_stmt *top = irl__auto_top(a->f, id);
    const char     *why = "it is gone", *name = NULL, *packed[IRL__AUTO_ROWS];
    int             is_one, is_done = 0, count = 0, k;
    if (top) irl__auto_compose(a, top);
    top = irl__auto_top(a->f, id);
    irl__auto_plan_begin(a, &p);
    is_one = a->deep < IRL__AUTO_DEEP && top &&
             irl__auto_nest_of(&n, a->f, a->target, top, &why);
    if (is_one) name = n.name;
    if (is_one && n.is_reduction && n.loop_count) {
        why = a->why;
        is_done = irl__auto_reduction_do(a, &n, &p);
    } else if (is_one) {
        why = "the passes arrange it: no loop by which all of it goes on, or several places read";
        if (irl__auto_is_plain(&n) && irl__auto_elements(a, &n, &p)) {
            why = a->why;
            is_done = irl__auto_try(a, &p);
        }
    }
    for (k = 0; is_done && k < n.row_count; k++)
        if (p.copy[k] == IRL__AUTO_PACKED) packed[count++] = p.made[k];
    irl__scratch_end(a->cx, mark);
    a->deep++;
    irl__auto_copies_do(a, packed, count);
    if (is_done) irl__auto_parts_do(a, &p);
    a->deep--;
    if (!is_done && top && irl__ok(a->cx))
        irl__auto_leave(a, name ? name : top->u.loop.var->u.name, why);
}

/* ------------------------------------------------------------------ all of them */

enum { IRL__AUTO_WORK = 1 << 12 }; /* nests that are looked at, times nests of the function */

/* The nests at the top of the function, by their ids. */
static uint32_t *irl__auto_tops(irl_ctx *cx, const irl_func *f, int *count)
{
    const irl_stmt        *body = f->body;
    const irl_stmt *const *list = body->kind == IRL__SEQ ? body->u.seq.stmts : &body;
    const int              most = body->kind == IRL__SEQ ? body->u.seq.count : 1;
    uint32_t *ids = (uint32_t *)irl__alloc_array(cx, (size_t)(most ? most : 1), sizeof *ids);
    int       k;
    for (k = *count = 0; ids && k < most; k++)
        if (list[k]->kind == IRL__FOR) ids[(*count)++] = list[k]->id;
    return ids;
}

static const char *irl__auto_text(const irl_func *f, const irl_target *target)
{
    irl__auto a;
    uint32_t *ids;
    int       count, k;
    if (!f || !irl__ok(f->cx)) return NULL;
    if (!irl__target_given(f->cx, target) || !irl__verify(f)) return NULL;
    f = irl__func_kinds(f);
    ids = f ? irl__auto_tops(f->cx, f, &count) : NULL;
    if (!ids) return NULL;
    a.cx = f->cx;
    a.f = f;
    a.target = target;
    a.steps = a.deep = 0;
    a.why[0] = '\0';
    irl__text_init(&a.text, a.cx);
    irl__text_puts(&a.text, "{\n");
    for (k = 0; k < count && target->registers && irl__ok(a.cx); k++) {
        if (a.steps > IRL__AUTO_STEPS || k > IRL__AUTO_WORK / (count + 1)) {
            irl__text_puts(&a.text, "    // the rest stays as it is: there is too much of it\n");
            break;
        }
        irl__auto_nest_do(&a, ids[k]);
    }
    irl__text_puts(&a.text, "}\n");
    return irl__ok(a.cx) ? irl__text_done(&a.text) : NULL;
}

const char *irl_schedule_auto(const irl_func *f, const irl_target *target)
{
    return irl__text_or_empty(irl__auto_text(f, target));
}
