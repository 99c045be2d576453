/* nest.c - a function as nested boxes: its loops, and what they read and write.

   needs     the table of accesses, svg.c
   promises  each access of the table once, in the order in which they run, inside its loops; except
             those that another access already shows: see irl__drawn_is_told
   cost      linear in the table */
#include "svg.h"
#include "../analysis/analysis.h"

enum { IRL__DRAWN_ROW = 26, IRL__DRAWN_STEP = 14, IRL__DRAWN_EDGE = 16, IRL__DRAWN_CLOSE = 7 };

/* A line of the picture: a loop that begins, or an access. */
typedef struct irl__drawn_row {
    int         loop, access; /* one of them is -1 */
    int         depth;        /* how many loops are around it */
    int         y;            /* of SVG */
    const char *text;
} irl__drawn_row;

typedef struct irl__drawn {
    irl_ctx                *cx;
    const irl_access_table *table;
    int                     count;
    irl__drawn_row         *rows;
    const irl_stmt        **loops; /* of the table's; NULL: it was not found */
    int                     loop_count; /* found so far */
} irl__drawn;

/* ------------------------------------------------------------------ rows */

/* The table's loops stand in the order in which the body holds them. */
static int irl__drawn_see_loop(irl__visitor *v, const irl_stmt *s)
{
    irl__drawn *n = (irl__drawn *)v->user;
    if (s->kind == IRL_STMT_FOR && n->loop_count < n->table->loop_count &&
        n->table->loops[n->loop_count].var == s->u.loop.var)
        n->loops[n->loop_count++] = s;
    return 1;
}

/* "for h: 56", "for vectorized i: 1 .. 9", "for bind(group.x) i: 4" */
static const char *irl__drawn_loop_text(irl_ctx *cx, const irl_loop *l, const irl_stmt *s)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__text_puts(&t, "for ");
    if (s && s->u.loop.kind != IRL_SERIAL) irl__text_puts(&t, irl_for_kind_text(s->u.loop.kind));
    if (s && s->u.loop.kind == IRL_BOUND) irl__textf(&t, "(%s)", irl_axis_text(s->u.loop.axis));
    if (s && s->u.loop.kind != IRL_SERIAL) irl__text_puts(&t, " ");
    irl__textf(&t, "%s: ", l->name);
    if (irl__is_int(l->min, 0)) irl__text_puts(&t, irl_expr_text(cx, l->extent));
    else {
        const irl_expr *end = irl_expr_op2(cx, IRL_OP_ADD, l->min, l->extent);
        irl__textf(&t, "%s .. %s", irl_expr_text(cx, l->min),
                   irl_expr_text(cx, irl__simplify_alone(cx, end)));
    }
    return irl__text_done(&t);
}

static const char *const irl__drawn_verbs[] = { "reads ", "writes ", "updates ", "hands over " };

/* "reads x[i, j]  where i != j" */
static const char *irl__drawn_access_text(irl_ctx *cx, const irl_access *a)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__textf(&t, "%s%s", irl__drawn_verbs[a->kind], a->text);
    for (int k = 0; k < a->guard_count; k++)
        irl__textf(&t, k ? " && %s" : "  where %s", irl_expr_text(cx, a->guards[k]));
    return irl__text_done(&t);
}

static int irl__drawn_depth(const irl_access_table *t, int loop)
{
    int depth = 0;
    for (; loop >= 0; loop = t->loops[loop].outer) depth++;
    return depth;
}

/* What a block only declares, and the read of an update, which the update says. */
static int irl__drawn_is_told(const irl_access_table *t, int k)
{
    const irl_access *a = &t->list[k];
    if (a->is_declared) return 1;
    for (int j = k + 1; j < t->count && strcmp(t->list[j].place, a->place) == 0; j++)
        if (a->kind == IRL_ACCESS_READ && t->list[j].kind == IRL_ACCESS_UPDATE &&
            strcmp(t->list[j].text, a->text) == 0)
            return 1;
    return 0;
}

/* Loops and accesses in one order: a loop stands before the accesses in it. */
static int irl__drawn_rows(irl__drawn *n)
{
    const irl_access_table *t = n->table;
    int                     a = 0, l = 0;
    n->rows = IRL__NEW(n->cx, irl__drawn_row, (size_t)(t->count + t->loop_count) + 1);
    if (!n->rows) return 0;
    while (a < t->count || l < t->loop_count) {
        irl__drawn_row *row = &n->rows[n->count];
        const int      is_loop = l < t->loop_count && (a == t->count ||
                                                  t->loops[l].first_access <= a);
        row->loop = is_loop ? l : -1;
        row->access = is_loop ? -1 : a;
        row->depth = irl__drawn_depth(t, is_loop ? t->loops[l].outer : t->list[a].loop);
        if (!is_loop && irl__drawn_is_told(t, a)) {
            a++;
            continue;
        }
        row->text = is_loop ? irl__drawn_loop_text(n->cx, &t->loops[l], n->loops[l])
                            : irl__drawn_access_text(n->cx, &t->list[a]);
        if (is_loop) l++;
        else a++;
        if (!row->text) return 0;
        n->count++;
    }
    return 1;
}

/* ------------------------------------------------------------------ characters */

/* ------------------------------------------------------------------ SVG */

static int irl__drawn_left(int depth) { return IRL__DRAWN_EDGE + depth * IRL__DRAWN_STEP; }

/* The rows of a loop's box: up to the next that is not in it. */
static int irl__drawn_end(const irl__drawn *n, int row)
{
    int k;
    for (k = row + 1; k < n->count && n->rows[k].depth > n->rows[row].depth; k++) {}
    return k;
}

/* Returns where the last row ends. */
static int irl__drawn_place(irl__drawn *n)
{
    int k, y = IRL__DRAWN_EDGE + IRL__DRAWN_ROW;
    for (k = 0; k < n->count; k++) {
        n->rows[k].y = y;
        /* How many boxes end after row k. */
        const int next = k + 1 < n->count ? n->rows[k + 1].depth : 0;
        const int inside = n->rows[k].depth + (n->rows[k].loop >= 0);
        y += IRL__DRAWN_ROW + (inside > next ? inside - next : 0) * IRL__DRAWN_CLOSE;
    }
    return y;
}

static int irl__drawn_width(const irl__drawn *n, const char *title)
{
    int k, width = 8 * (int)strlen(title);
    for (k = 0; k < n->count; k++) {
        const int one = 7 * (int)strlen(n->rows[k].text) + 34 +
                        2 * n->rows[k].depth * IRL__DRAWN_STEP;
        if (one > width) width = one;
    }
    return width + 2 * IRL__DRAWN_EDGE;
}

static void irl__drawn_box(irl__text *t, const irl__drawn *n, int k, int width)
{
    const irl__drawn_row *row = &n->rows[k], *last = &n->rows[irl__drawn_end(n, k) - 1];
    const int             inside = last->depth + (last->loop >= 0) - row->depth - 1;
    const int             x = irl__drawn_left(row->depth);
    irl__textf(t,
               "<rect class=\"irl-b\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
               x, row->y, width - 2 * x,
               last->y - row->y + IRL__DRAWN_ROW - 2 + inside * IRL__DRAWN_CLOSE);
}

static void irl__drawn_chip(irl__text *t, const irl__drawn *n, const irl__drawn_row *row)
{
    static const char *const classes[] = { "irl-x0", "irl-x1", "irl-x2", "irl-x3" };
    irl__textf(t,
               "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"20\" rx=\"4\"/>\n",
               classes[n->table->list[row->access].kind], irl__drawn_left(row->depth) + 4,
               row->y + 3, 7 * (int)strlen(row->text) + 12);
}

static void irl__drawn_svg(irl__text *t, irl__drawn *n, const char *name)
{
    const int width = irl__drawn_width(n, name), height = irl__drawn_place(n);
    irl__svg_open(t, width, height + IRL__DRAWN_EDGE, name);
    irl__svg_text(t, "irl-g", IRL__DRAWN_EDGE, IRL__DRAWN_EDGE + 10, name);
    for (int k = 0; k < n->count; k++) {
        const irl__drawn_row *row = &n->rows[k];
        const int             is_loop = row->loop >= 0;
        if (is_loop) irl__drawn_box(t, n, k, width);
        else irl__drawn_chip(t, n, row);
        irl__svg_text(t, is_loop ? "irl-h" : "irl-k2",
                      irl__drawn_left(row->depth) + (is_loop ? 8 : 10), row->y + 17, row->text);
    }
    irl__svg_close(t);
}

const char *irl_func_picture_with(const irl_func *f, const irl_picture_options *how)
{
    const irl_picture_form form = how ? how->form : IRL_PICTURE_ASCII;
    irl__drawn             n;
    irl__text              t;
    if (!f || !irl__ok(f->cx)) return "";
    memset(&n, 0, sizeof n);
    n.cx = f->cx;
    n.table = irl_func_accesses(f);
    if (!n.table) return "";
    irl__visitor v = irl__visitor_make(&n, NULL, irl__drawn_see_loop);
    n.loops = IRL__NEW(n.cx, const irl_stmt *, n.table->loop_count + 1);
    if (n.loops) irl__visit_stmt(&v, f->body);
    if (!n.loops || !irl__drawn_rows(&n)) return "";
    irl__text_init(&t, f->cx);
    if (form == IRL_PICTURE_SVG) irl__drawn_svg(&t, &n, f->name);
    else {
        irl__textf(&t, "%s\n", f->name);
        for (int k = 0; k < n.count; k++) {
            for (int d = 0; d < n.rows[k].depth; d++) irl__text_puts(&t, "|  ");
            irl__textf(&t, "%s\n", n.rows[k].text);
        }
    }
    return irl__text_or_empty(irl__text_done(&t));
}

const char *irl_func_picture(const irl_func *f) { return irl_func_picture_with(f, NULL); }

/* ------------------------------------------------------------------ the order of an access */

/* The loops around an access, the outermost first: variables, how often each runs, and what its
   index is in the iteration that has a number. False where that is none. */
static int irl__drawn_loops(irl_ctx *cx, const irl_access_table *t, int loop, irl_shape *shape,
                            const irl_expr **var, const irl_expr **value)
{
    int k, at;
    memset(shape, 0, sizeof *shape);
    shape->rank = irl__drawn_depth(t, loop);
    if (shape->rank > IRL_MAX_RANK)
        return IRL__FAIL(cx, IRL_ERROR_TOO_LARGE, "an access in %d loops; the most is %d",
                         shape->rank, IRL_MAX_RANK);
    for (k = shape->rank, at = loop; k-- > 0; at = t->loops[at].outer) {
        const irl_loop *l = &t->loops[at];
        const irl_expr *extent = irl__simplify_alone(cx, l->extent);
        if (!extent || extent->op != IRL_OP_INT)
            return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "the loop over '%s' runs as often as '%s' "
                             "says; a number is expected", l->name, irl_expr_text(cx, l->extent));
        shape->extent[k] = extent->u.i;
        var[k] = l->var;
        value[k] = irl_expr_op2(cx, IRL_OP_ADD, l->var, l->min);
        if (!value[k]) return 0;
    }
    return 1;
}

const irl_map *irl_func_access_map(const irl_func *f, int access, irl_shape *shape)
{
    const irl_expr         *var[IRL_MAX_RANK], *value[IRL_MAX_RANK], *index[IRL_MAX_RANK];
    const irl_access_table *t = irl_func_accesses(f);
    const irl_map          *m;
    if (!t || !shape) return NULL;
    const irl_access *a = access >= 0 && access < t->count ? &t->list[access] : NULL;
    if (!a || !a->rank || a->rank > IRL_MAX_RANK) {
        IRL__FAIL(f->cx, IRL_ERROR_BAD_ARGUMENT, "access %d of '%s' does not exist, or has no "
                  "indices", access, f->name);
        return NULL;
    }
    if (!irl__drawn_loops(f->cx, t, a->loop, shape, var, value)) return NULL;
    m = irl__map_make(f->cx, shape->rank, var, a->rank, a->indices, 0, NULL, irl__nowhere());
    if (!m || !irl__map_substitute(f->cx, m, value, index)) return NULL;
    for (int k = 0; k < a->rank; k++) index[k] = irl__simplify_alone(f->cx, index[k]);
    return irl__map_make(f->cx, shape->rank, var, a->rank, index, 0, NULL, irl__nowhere());
}
