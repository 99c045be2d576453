/* bits_parallel.c - checks that only one iteration writes parts of a byte.

   requires  legalize_bits: bits are accessed by their bytes
   promises  it is proved that no two iterations of parallel, vectorized and bound loops touch one
             byte of a bit buffer that one of them writes, unless a barrier orders them; else a
             diagnostic with both. To read a byte, change a part and write it is three steps: the
             part of another work-item would be lost. The diagnostic names two iterations, the byte,
             the bits of each, and by what to split the loop
   cost      one question of dependence for each two accesses of such memory in such a loop */
#include "legalize_bits.h"

/* ------------------------------------------------------------------ which bits those are

   An iteration of each of two accesses, by the meeting: copy 0 is that of a, copy 1 that of b. */

typedef struct irl__bitbuf_copy {
    const irl__meeting *m;
    const irl__access  *a;
    int                 number;
} irl__bitbuf_copy;

/* What the meeting says of a variable, parameters have copy 0; of loops of which it says nothing,
   the first iteration. */
static int irl__bitbuf_value_of(const void *user, const irl_expr *var, irl__scalar *out)
{
    const irl__bitbuf_copy *c = (const irl__bitbuf_copy *)user;
    const irl__around      *n = irl__around_next(c->a->around, IRL__AROUND_LOOP);
    while (n && n->var != var) n = irl__around_next(n->outer, IRL__AROUND_LOOP);
    for (int k = 0; k < c->m->count; k++)
        if (c->m->values[k].var == var && c->m->values[k].copy == (n ? c->number : 0)) {
            out->i = c->m->values[k].value;
            return 1;
        }
    if (!n || n->stmt->u.loop.min->op != IRL_OP_INT) return 0;
    out->i = n->stmt->u.loop.min->u.i;
    return 1;
}

static int irl__bitbuf_number(irl__accesses *t, const irl__bitbuf_copy *c, const irl_expr *e,
                              int64_t *out)
{
    irl__valuation v;
    irl__scalar    value;
    memset(&v, 0, sizeof v);
    v.name = irl__bitbuf_value_of;
    v.user = c;
    e = irl__accesses_plain(t, e);
    if (!e || irl__scalar_of(&v, e, &value) != IRL__FOLD_OK) return 0;
    *out = value.i;
    return 1;
}

/* Is it a store, or the load of the byte that such a store changes? */
static int irl__bitbuf_writes(const irl__access *a)
{
    return a->kind != IRL__ACCESS_READ || a->of_pair >= 0;
}

/* Of which element the byte is. NULL: of all that are in it (bits_whole.c). */
static const irl__bitbuf_touch *irl__bitbuf_touch_of(const irl__bitbuf_state *state,
                                                     const irl__access *a)
{
    const void *access = irl__bitbuf_writes(a) ? (const void *)a->place : (const void *)a->expr;
    return (const irl__bitbuf_touch *)irl__ptr_map_get(&state->touches, access);
}

/* Does it write a part of a byte? */
static int irl__bitbuf_is_part(const irl__bitbuf_state *state, const irl__access *a)
{
    const irl__bitbuf_touch *t = irl__bitbuf_touch_of(state, a);
    return t && t->is_part && a->kind != IRL__ACCESS_READ;
}

/* The bits of the byte that an access is about, the least significant one first. 0: not known. */
static int64_t irl__bitbuf_mask(const irl__bitbuf_state *state, irl__accesses *t,
                                const irl__bitbuf_copy *c)
{
    const irl__bitbuf_touch *touch = irl__bitbuf_touch_of(state, c->a);
    const irl__bitbuf_place *p = touch ? &touch->place : NULL;
    const int                last = touch ? 8 * (p->count - 1 - touch->k) : 0;
    int64_t                  bit;
    if (!touch) return 255;
    if (touch->own) return (int64_t)touch->own;
    if (!irl__bitbuf_number(t, c, p->bit, &bit) || bit < 0 || bit > 7) return 0;
    if (p->of->bit_order == IRL_BITS_LSB)
        return (int64_t)(p->mask << bit >> (8 * touch->k) & 255);
    return (int64_t)(p->mask << (8 * p->count - p->bits - (int)bit) >> last & 255);
}

/* "0", "4 to 7", "0 to 2, 7" */
static void irl__bitbuf_runs(irl__text *t, int64_t mask)
{
    int last, count = 0;
    for (int first = 0; first < 8; first = last + 1) {
        last = first;
        if (!(mask >> first & 1)) continue;
        while (last < 7 && mask >> (last + 1) & 1) last++;
        irl__textf(t, last > first ? "%s%d to %d" : "%s%d", count++ ? ", " : "", first, last);
    }
}

static const char *irl__bitbuf_word(int64_t mask) { return mask & (mask - 1) ? "bits" : "bit"; }

/* The buffer whose element an access is about; of all that are in the byte, one of its memory. */
static const irl_buffer *irl__bitbuf_of(const irl__bitbuf_state *state, const irl__access *a)
{
    const irl__bitbuf_touch *touch = irl__bitbuf_touch_of(state, a);
    return touch ? touch->place.of
                 : (const irl_buffer *)irl__ptr_map_get(&state->memories, a->memory);
}

/* "'d', which has elements of 4 bits"; fields of a record may be two: "'b_q' and 'b_f', which have
   elements of 4 and 3 bits". */
static void irl__bitbuf_widths(irl__text *out, const irl_buffer *a, const irl_buffer *b)
{
    if (a == b)
        irl__textf(out, "'%s', which has elements of %d bit%s", a->name, a->bits,
                   a->bits == 1 ? "" : "s");
    else
        irl__textf(out, "'%s' and '%s', which have elements of %d and %d bits", a->name, b->name,
                   a->bits, b->bits);
}

/* "iterations 0 and 1 of parallel loop 'i' write bits 0 and 1 of byte 0 of 'd', which has elements
   of 1 bit" of a and b in the order of their iterations. 0: not all of that is known. */
static int irl__bitbuf_names(irl__bitbuf_state *state, irl__text *out, irl__accesses *t,
                             const char *kind, const irl_stmt *loop, const irl__meeting *m)
{
    const irl_expr   *var = loop->u.loop.var;
    const irl_buffer *of[2];
    irl__bitbuf_copy  c[2];
    int64_t           at[2], byte, mask[2];
    const char       *does[2];
    for (int k = 0; k < 2; k++) {
        c[k].m = m;
        c[k].a = k ? m->b : m->a;
        c[k].number = k;
        mask[k] = irl__bitbuf_mask(state, t, &c[k]);
        does[k] = irl__bitbuf_writes(c[k].a) ? "write" : "read";
        of[k] = irl__bitbuf_of(state, c[k].a);
        if (!mask[k] || !irl__bitbuf_number(t, &c[k], var, &at[k])) return 0;
    }
    if (c[0].a->rank != 1 || !irl__bitbuf_number(t, &c[0], c[0].a->indices[0], &byte)) return 0;
    int first = at[1] < at[0];
    irl__textf(out, "iterations %l and %l of %s loop '%s' ", at[first], at[!first], kind,
               var->u.name);
    int is_both = does[0] == does[1];
    irl__textf(out, "%s %s ", does[first], is_both ? "bits" : irl__bitbuf_word(mask[first]));
    irl__bitbuf_runs(out, mask[first]);
    irl__text_puts(out, " and ");
    if (!is_both) irl__textf(out, "%s %s ", does[!first], irl__bitbuf_word(mask[!first]));
    irl__bitbuf_runs(out, mask[!first]);
    irl__textf(out, " of byte %l of ", byte);
    irl__bitbuf_widths(out, of[first], of[!first]);
    return 1;
}

/* The same of the first and the second iteration in which a store runs, of which it is not known
   whether it does. 0: they keep to different bytes. */
static int irl__bitbuf_names_first(irl__bitbuf_state *state, irl__text *out, irl__accesses *t,
                                   const char *kind, const irl_stmt *loop, const irl__access *a)
{
    irl__meeting     m;
    irl__bitbuf_copy c[2];
    int64_t          byte[2];
    memset(&m, 0, sizeof m);
    m.a = m.b = a;
    for (int k = 0; k < 2; k++) {
        m.values[k].var = loop->u.loop.var;
        m.values[k].copy = k;
        m.values[k].value = loop->u.loop.min->op == IRL_OP_INT ? loop->u.loop.min->u.i + k : k;
        c[k].m = &m;
        c[k].a = a;
        c[k].number = k;
    }
    m.count = 2;
    return irl__is_int(loop->u.loop.min, m.values[0].value) && a->rank == 1 &&
           irl__bitbuf_number(t, &c[0], a->indices[0], &byte[0]) &&
           irl__bitbuf_number(t, &c[1], a->indices[0], &byte[1]) && byte[0] == byte[1] &&
           irl__bitbuf_names(state, out, t, kind, loop, &m);
}

/* ------------------------------------------------------------------ what to do */

/* Into how many iterations of a loop the elements of a byte fall; 1: that is no way. */
static int64_t irl__bitbuf_factor(irl__bitbuf_state *state, const irl_stmt *loop,
                                  const irl__access *a)
{
    const irl__bitbuf_touch *touch = irl__bitbuf_touch_of(state, a);
    int64_t step = touch && touch->place.at
                       ? irl__step_number(state->an, touch->place.at, loop->u.loop.var)
                       : 0;
    return step ? 8 / irl__gcd64(8, step) : 1;
}

static int irl__bitbuf_race(irl__bitbuf_state *state, irl__accesses *t, const irl_stmt *loop,
                            const irl__meeting *m, const irl__access *a)
{
    irl_ctx          *cx = state->cx;
    const irl_buffer *b = irl__bitbuf_of(state, a);
    const char       *name = loop->u.loop.var->u.name,
                     *kind = loop->u.loop.kind == IRL_BOUND ? "bound"
                                                            : irl_for_kind_text(loop->u.loop.kind);
    const int64_t factor = irl__bitbuf_factor(state, loop, a);
    irl__text     text;
    irl__text_init(&text, cx);
    int named = m->answer == IRL_YES && m->a
                    ? irl__bitbuf_names(state, &text, t, kind, loop, m)
                    : irl__bitbuf_names_first(state, &text, t, kind, loop, a);
    if (!named) {
        irl__textf(&text, m->answer == IRL_YES
                              ? "iterations of %s loop '%s' write parts of one byte of "
                              : "iterations of %s loop '%s' are not proved to write different "
                                "bytes of ",
                   kind, name);
        irl__bitbuf_widths(&text, b, b);
    }
    irl__text_puts(&text, ": a part of a byte is written by reading and writing the byte. Let an "
                          "iteration write whole bytes");
    if (factor > 1)
        irl__textf(&text, ": split '%s' by %l, so that the outer loop is %s and the inner one "
                          "serial; or by a layout", name, factor, kind);
    else irl__text_puts(&text, ", by another loop or by a layout");
    if (!named) {
        irl__text_puts(&text, m->answer == IRL_YES ? ". Two that do: " : ". Not known: ");
        irl__meeting_text(&text, t, m);
    }
    return irl__fail(cx, IRL_ERROR_DATA_RACE, loop->loc, "%s",
                     irl__text_or_empty(irl__text_done(&text)));
}

/* ------------------------------------------------------------------ the loops */

typedef struct irl__bitbuf_loops {
    irl__bitbuf_state *state;
    irl__accesses     *t;
    int                ok;
} irl__bitbuf_loops;

/* Do two iterations of the loop touch one byte by rows a and b? Each work-item runs a serial loop
   around the loop in its own time, and a barrier may be between: then the kernel is asked. */
static irl_answer irl__bitbuf_meets(irl__bitbuf_loops *q, const irl__around *loop, int a, int b,
                                    irl__meeting *m)
{
    const irl__around *kernel = loop;
    int                is_own = 0;
    if (!irl__stmt_is_bound(loop->stmt))
        return irl__loop_carries_between(q->t, loop, &q->t->list[a], &q->t->list[b], m);
    while (irl__around_bound(kernel->outer)) kernel = irl__around_bound(kernel->outer);
    for (const irl__around *n = loop; n != kernel; n = n->outer)
        is_own |= n->kind == IRL__AROUND_LOOP && !irl__stmt_is_bound(n->stmt);
    irl_answer answer =
        is_own ? IRL_UNKNOWN
               : irl__loop_carries_between(q->t, loop, &q->t->list[a], &q->t->list[b], m);
    if (answer == IRL_NO || !(is_own || irl__stmt_holds(kernel->stmt, 1u << IRL__BARRIER)))
        return answer;
    return irl__kernel_row_meets(q->t, kernel, a, m);
}

/* Every two accesses of bits in the loop, one of them a store of a part of a byte. */
static int irl__bitbuf_loop_ok(irl__bitbuf_loops *q, const irl__around *loop)
{
    for (int i = loop->first; i < loop->end; i++) {
        const irl__access *a = &q->t->list[i];
        if (!(a->memory && irl__ptr_map_get(&q->state->memories, a->memory) != NULL) ||
            !irl__bitbuf_is_part(q->state, a))
            continue;
        for (int j = loop->first; j < loop->end; j++) {
            const irl__access *b = &q->t->list[j];
            irl__meeting       m;
            if (b->memory != a->memory || (j < i && irl__bitbuf_is_part(q->state, b))) continue;
            memset(&m, 0, sizeof m);
            m.answer = irl__bitbuf_meets(q, loop, i, j, &m);
            if (m.answer == IRL_NO) continue;
            const irl__around *n = m.answer == IRL_YES && m.a ? irl__meeting_loop(loop, &m) : NULL;
            return irl__bitbuf_race(q->state, q->t, n ? n->stmt : loop->stmt, &m, a);
        }
    }
    return irl__ok(q->state->cx);
}

static int irl__bitbuf_see_loop(irl__visitor *v, const irl_stmt *s)
{
    irl__bitbuf_loops *q = (irl__bitbuf_loops *)v->user;
    const irl__around *loop = irl__stmt_is_parallel(s) ? irl__loop_of(q->t, s) : NULL;
    if (q->ok && loop) q->ok = irl__bitbuf_loop_ok(q, loop);
    return q->ok;
}

int irl__bitbuf_check_parallel(irl__bitbuf_state *state, const irl_func *f)
{
    irl__accesses     t;
    irl__bitbuf_loops q;
    irl__visitor      v = irl__visitor_make(&q, NULL, irl__bitbuf_see_loop);
    if (!irl__stmt_holds(f->body, IRL__HOLDS_PARALLEL | IRL__HOLDS_VECTORIZED | IRL__HOLDS_BOUND))
        return 1;
    q.state = state;
    q.t = &t;
    q.ok = irl__accesses_of(&t, f, NULL);
    if (q.ok) irl__visit_stmt(&v, f->body);
    return q.ok && irl__ok(state->cx);
}
