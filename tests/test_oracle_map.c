/* test_oracle_map.c - the recorded answers about arithmetic and index maps: ours are equal as
   functions, and short. Skipped where the recorded files are not there. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/map/map.h"
#endif
#include "test.h"
#include "random64.h"
#include "json.h"
#include "pyexpr.h"
#include "map_truth.h"

static int verbose;

/* ---------------------------------------------------- values of any expression, lane by lane */

static int lane_value(const py_reader *r, const irl_expr *e, uint32_t lane, const int64_t *values,
                      irl__scalar *out)
{
    irl__scalar a[3];
    uint32_t    k;
    int         v;
    switch (e->op) {
    case IRL_OP_INT: out->i = e->u.i; return 1;
    case IRL_OP_FLOAT: out->f = e->u.f; return 1;
    case IRL_OP_VAR:
        for (v = 0; v < r->var_count; v++)
            if (r->vars[v] == e)
                return out->i = irl__wrap_int(e->type, values[v] + (int64_t)lane), 1;
        return 0;
    case IRL_OP_BROADCAST: return lane_value(r, e->a[0], lane % e->a[0]->type.lanes, values, out);
    case IRL_OP_RAMP:
        if (!lane_value(r, e->a[0], 0, values, &a[0]) || !lane_value(r, e->a[1], 0, values, &a[1]))
            return 0;
        out->i = irl__wrap_int(e->type, a[0].i + a[1].i * (int64_t)lane);
        return 1;
    case IRL_OP_LET: {
        const irl_expr *body = irl__substitute(r->cx, e->a[2], 1, &e->a[0], &e->a[1]);
        return body && lane_value(r, body, lane, values, out);
    }
    case IRL_OP_IF_THEN_ELSE: case IRL_OP_SELECT:
        if (!lane_value(r, e->a[0], e->a[0]->type.lanes > 1 ? lane : 0, values, &a[0])) return 0;
        return lane_value(r, e->a[a[0].i ? 1 : 2], lane, values, out);
    case IRL_OP_AND: case IRL_OP_OR:
        if (!lane_value(r, e->a[0], lane, values, out)) return 0;
        return (out->i != 0) == (e->op == IRL_OP_OR) || lane_value(r, e->a[1], lane, values, out);
    default: break;
    }
    if (e->count == 0 || e->count > 3 || e->op == IRL_OP_LOAD) return 0;
    for (k = 0; k < e->count; k++)
        if (!lane_value(r, e->a[k], lane, values, &a[k])) return 0;
    if (e->op == IRL_OP_CAST)
        return irl__fold_cast(e->a[0]->type, e->type, a[0], out) == IRL__FOLD_OK;
    return irl__fold_scalar((irl_op)e->op, irl__type_with_lanes(e->a[0]->type, 1), a, out) ==
           IRL__FOLD_OK;
}

static int same_value(irl_type t, irl__scalar a, irl__scalar b)
{
    return irl__type_is_float(t) || irl__type_is_storage(t)
               ? a.f == b.f || (a.f != a.f && b.f != b.f)
               : a.i == b.i;
}

/* ---------------------------------------------------- a case: variables, ranges, constraints */

typedef struct arith_case {
    py_reader       r;
    irl__analyzer  *an;
    int64_t         lo[PY_MOST_VARS], hi[PY_MOST_VARS];
    const irl_expr *facts[16];
    int             fact_count;
} arith_case;

static void case_range(arith_case *c, const irl_expr *var, int64_t lo, int64_t hi)
{
    int k;
    for (k = 0; k < c->r.var_count; k++)
        if (c->r.vars[k] == var) c->lo[k] = lo, c->hi[k] = hi;
    irl__bind_range(c->an, var, lo == -INT64_MAX ? INT64_MIN : lo, hi);
}

/* The recorded list of bindings is a history: the last one of a variable counts. */
static void case_bind(arith_case *c, const json *bind)
{
    const json *b;
    for (b = bind ? bind->first : NULL; b; b = b->next) {
        const json *what = b->first->next,
                   *range = what->kind == JSON_ARRAY ? what : json_get(what, "const_int_bound");
        const irl_expr *var = py_var(&c->r, json_text(b->first), strlen(json_text(b->first)),
                                     irl_type_of(IRL_INDEX, 1)),
                       *value;
        if (what->kind == JSON_STRING) {
            value = py_expr(&c->r, what->text);
            if (value) irl__bind_value(c->an, var, value);
            if (value && c->fact_count < 16)
                c->facts[c->fact_count++] = irl_expr_op2(c->r.cx, IRL_OP_EQ, var, value);
        } else if (range) {
            int64_t lo = json_int(range->first), n = json_int(range->first->next);
            if (range->first->kind == JSON_NUMBER && range->first->next->kind == JSON_NUMBER)
                case_range(c, var, lo, what->kind == JSON_ARRAY ? lo + n - 1 : n);
        }
    }
}

static void case_begin(arith_case *c, irl_ctx *cx, const json *input)
{
    const json *vars = json_get(input, "vars"), *v;
    int         k;
    memset(c, 0, sizeof *c);
    c->r.cx = cx;
    c->an = irl__analyzer_begin(cx);
    for (v = vars ? vars->first : NULL; v; v = v->next) {
        const char *dtype = json_text(json_get(v, "dtype"));
        py_var(&c->r, v->key, strlen(v->key), py_type(dtype, strlen(dtype)));
    }
    for (k = 0; k < PY_MOST_VARS; k++) c->lo[k] = -INT64_MAX, c->hi[k] = INT64_MAX;
    /* they have 32 bits there, and no sum or product of the cases is meant to leave those */
    for (v = vars ? vars->first : NULL; v; v = v->next)
        if (strcmp(json_text(json_get(v, "dtype")), "int32") == 0)
            irl__bind_range(c->an,
                            py_var(&c->r, v->key, strlen(v->key), irl_type_of(IRL_INDEX, 1)),
                            -(1 << 24), 1 << 24);
    for (v = vars ? vars->first : NULL; v; v = v->next) {
        const json *size = json_get(v, "size_var");
        if (size && size->number != 0)
            case_range(c, py_var(&c->r, v->key, strlen(v->key), irl_type_of(IRL_INDEX, 1)), 0,
                       INT64_MAX);
    }
    case_bind(c, json_get(input, "bind"));
    for (v = json_get(input, "constraints") ? json_get(input, "constraints")->first : NULL; v;
         v = v->next) {
        const irl_expr *e = py_expr(&c->r, json_text(v));
        if (e && e->type.scalar == IRL_BOOL && c->fact_count < 16) {
            c->facts[c->fact_count++] = e;
            irl__fact(c->an, e);
        }
    }
}

/* A point that the bindings and constraints admit; 0 if this try gave none. */
static int case_point(const arith_case *c, int64_t *values)
{
    int         k;
    irl__scalar t;
    for (k = 0; k < c->r.var_count; k++) {
        int64_t lo = c->lo[k] < -60 ? -60 : c->lo[k], hi = c->hi[k] > 60 ? 60 : c->hi[k];
        if (c->lo[k] > 60)
            lo = c->lo[k], hi = c->hi[k] - c->lo[k] > 100 ? c->lo[k] + 100 : c->hi[k];
        if (c->hi[k] < -60)
            hi = c->hi[k], lo = c->hi[k] - c->lo[k] > 100 ? c->hi[k] - 100 : c->lo[k];
        if (random_below(8) == 0 && c->hi[k] != INT64_MAX) lo = hi = c->hi[k];
        if (random_below(8) == 0 && c->lo[k] != -INT64_MAX) lo = hi = c->lo[k];
        values[k] = lo >= hi ? lo : lo + random_below((int)(hi - lo + 1));
    }
    for (k = 0; k < c->fact_count; k++)
        if (!lane_value(&c->r, c->facts[k], 0, values, &t) || !t.i) return 0;
    return 1;
}

/* a == b wherever a has a value. */
static int case_equal(const arith_case *c, const irl_expr *a, const irl_expr *b, int *compared)
{
    int64_t     values[PY_MOST_VARS];
    irl__scalar x, y;
    int         n, tries;
    uint32_t    lane;
    *compared = 0;
    if (!irl_type_equal(a->type, b->type)) return 0;
    for (n = 0, tries = 0; n < 300 && tries < 6000; tries++) {
        if (!case_point(c, values)) continue;
        n++;
        for (lane = 0; lane < a->type.lanes; lane++) {
            if (!lane_value(&c->r, a, lane, values, &x)) continue;
            (*compared)++;
            if (!lane_value(&c->r, b, lane, values, &y) || !same_value(a->type, x, y)) return 0;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ arithmetic */

static int arith_cases, arith_unread, arith_short, arith_measured;

static void arith_simplify(const json *c, arith_case *k)
{
    const char *in = json_text(json_get(json_get(c, "input"), "in")),
               *expected = json_text(json_get(c, "expected"));
    const irl_expr *e = py_expr(&k->r, in), *r, *want;
    int             compared, short_enough;
    want = e ? py_expr(&k->r, expected) : NULL;
    if (!e || !want) {
        arith_unread++;
        if (verbose) printf("unread %s: %s => %s\n", json_text(json_get(c, "id")), in, expected);
        return;
    }
    r = irl__simplify(k->an, e);
    if (!CHECK(r != NULL)) return;
    if (!CHECK(case_equal(k, e, r, &compared)))
        printf("%s: %s became %s\n", json_text(json_get(c, "id")), in, irl_expr_text(k->r.cx, r));
    arith_measured++;
    short_enough = r->size * 10 <= want->size * 12;
    arith_short += short_enough;
    if (verbose && !short_enough)
        printf("long %s: %s => %s  (recorded %s)\n", json_text(json_get(c, "id")), in,
               irl_expr_text(k->r.cx, r), expected);
}

/* Recorded answers that do not hold, and why. */
static const char *const arith_better[][2] = {
    { "a.const_int_bound.004",
      "for x = -1 the truncmod by 3 is -1, and the cast to u32 wraps that to 2^32 - 1" },
    { "a.modular_set.001", "for x = -1 the product is -3, and the cast to u32 wraps that to 2^32 - "
                           "3, which leaves 1 when divided by 3" },
};

static int arith_is_better(const json *c)
{
    size_t k;
    for (k = 0; k < sizeof arith_better / sizeof *arith_better; k++)
        if (strcmp(json_text(json_get(c, "id")), arith_better[k][0]) == 0) return 1;
    return 0;
}

static void arith_bound(const json *c, arith_case *k)
{
    const json     *x = json_get(c, "expected");
    const irl_expr *e = py_expr(&k->r, json_text(json_get(json_get(c, "input"), "in")));
    int64_t         lo, hi;
    if (!e) {
        arith_unread++;
        if (verbose) printf("unread %s\n", json_text(json_get(c, "id")));
        return;
    }
    irl__range(k->an, e, &lo, &hi);
    arith_measured++;
    arith_short++;
    if (arith_is_better(c)) {
        CHECK(lo <= 0 && hi >= INT64_C(0xffffffff));
        return;
    }
    if (!CHECK((lo >= json_int(json_get(x, "min")) || json_int(json_get(x, "min")) == -INT64_MAX) &&
               hi <= json_int(json_get(x, "max"))))
        printf("%s: %s is in [%lld, %lld], found [%lld, %lld]\n", json_text(json_get(c, "id")),
               json_text(json_get(json_get(c, "input"), "in")), json_int(json_get(x, "min")),
               json_int(json_get(x, "max")), (long long)lo, (long long)hi);
}

static void arith_modular(const json *c, arith_case *k)
{
    const json     *x = json_get(c, "expected");
    const irl_expr *e = py_expr(&k->r, json_text(json_get(json_get(c, "input"), "in")));
    irl__residues   m;
    int64_t         coef = json_int(json_get(x, "coeff")), base = json_int(json_get(x, "base"));
    if (!e) {
        arith_unread++;
        if (verbose) printf("unread %s\n", json_text(json_get(c, "id")));
        return;
    }
    m = irl__modular(k->an, e);
    arith_measured++;
    arith_short++;
    if (arith_is_better(c)) {
        CHECK(m.coef == 1);
        return;
    }
    if (!CHECK(coef == 0 ? m.coef == 0 && m.base == base
                         : m.coef % coef == 0 && m.base % coef == base))
        printf("%s: %s is %lld*k + %lld, found %lld*k + %lld\n", json_text(json_get(c, "id")),
               json_text(json_get(json_get(c, "input"), "in")), (long long)coef, (long long)base,
               (long long)m.coef, (long long)m.base);
}

static int test_arith(void)
{
    json_file   f;
    const json *root = json_oracle(&f, "arith_cases.json"), *c;
    if (!root) {
        TEST_SKIP("no recorded file arith_cases.json beside the repository");
        return 0;
    }
    for (c = json_get(root, "cases")->first; c; c = c->next) {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl__arena_mark m = irl__scratch_begin(cx);
        arith_case      k;
        const char     *feature = json_text(json_get(c, "feature"));
        case_begin(&k, cx, json_get(c, "input"));
        arith_cases++;
        if (strcmp(feature, "const_int_bound") == 0) arith_bound(c, &k);
        else if (strcmp(feature, "modular_set") == 0) arith_modular(c, &k);
        else arith_simplify(c, &k);
        irl__scratch_end(cx, m);
        irl_ctx_destroy(cx);
    }
    printf("%d arithmetic cases, %d in another language, %d of %d at most 1.2 times the recorded "
           "length\n",
           arith_cases, arith_unread, arith_short, arith_measured);
    CHECK(arith_short * 100 >= arith_measured * 95);
    CHECK(arith_unread < 20);
    json_free(&f);
    return 1;
}

/* --------------------------------------------------- iterators: domains that may be symbolic */

/* Points of a domain: parameters first, small and positive, then the iterators within their
   extents. */
typedef struct iter_case {
    py_reader       r;
    irl__analyzer  *an;
    int             count;
    const irl_expr *var[16], *extent[16];
    const irl_expr *predicate;
} iter_case;

static const irl_expr *json_expr(py_reader *r, const json *n)
{
    return n && n->kind == JSON_NUMBER   ? irl_expr_index(r->cx, json_int(n))
           : n && n->kind == JSON_STRING ? py_expr(r, n->text)
                                         : NULL;
}

static int iter_begin(iter_case *c, irl_ctx *cx, const json *input)
{
    const json *d, *v;
    int         k, i;
    memset(c, 0, sizeof *c);
    c->r.cx = cx;
    c->an = irl__analyzer_begin(cx);
    for (d = json_get(input, "dom") ? json_get(input, "dom")->first : NULL; d; d = d->next) {
        c->var[c->count] = py_var(&c->r, d->key, strlen(d->key), irl_type_of(IRL_INDEX, 1));
        c->extent[c->count] = json_expr(&c->r, d->first->next);
        if (!c->extent[c->count] || json_int(d->first) != 0) return 0;
        c->count++;
    }
    for (v = json_get(input, "vars") ? json_get(input, "vars")->first : NULL; v; v = v->next)
        py_var(&c->r, v->key, strlen(v->key), irl_type_of(IRL_INDEX, 1));
    for (k = 0; k < c->r.var_count; k++) { /* what is no iterator is a size */
        for (i = 0; i < c->count && c->var[i] != c->r.vars[k]; i++) continue;
        if (i == c->count) irl__bind_range(c->an, c->r.vars[k], 1, INT64_C(1) << 20);
    }
    for (i = 0; i < c->count; i++)
        irl__bind_extent(c->an, c->var[i], irl_expr_index(cx, 0), c->extent[i]);
    c->predicate = json_get(input, "predicate")
                       ? py_expr(&c->r, json_text(json_get(input, "predicate")))
                       : NULL;
    if (c->predicate) irl__fact(c->an, c->predicate);
    return irl_ok(cx);
}

static int iter_point(const iter_case *c, int64_t *values)
{
    irl__scalar t;
    int         k, i;
    for (k = 0; k < c->r.var_count; k++) values[k] = 1 + random_below(6);
    for (i = 0; i < c->count; i++) {
        if (!lane_value(&c->r, c->extent[i], 0, values, &t) || t.i <= 0) return 0;
        for (k = 0; k < c->r.var_count; k++)
            if (c->r.vars[k] == c->var[i])
                values[k] = random_below((int)(t.i > 100000 ? 100000 : t.i));
    }
    return !c->predicate || (lane_value(&c->r, c->predicate, 0, values, &t) && t.i);
}

/* a == b at random points of the domain; *seen tells how many were looked at. */
static int iter_equal(const iter_case *c, const irl_expr *a, const irl_expr *b, int *seen)
{
    int64_t     values[PY_MOST_VARS];
    irl__scalar x, y;
    int         n, tries;
    *seen = 0;
    for (n = 0, tries = 0; n < 300 && tries < 20000; tries++) {
        if (!iter_point(c, values) || !lane_value(&c->r, a, 0, values, &x)) continue;
        n++;
        (*seen)++;
        if (!lane_value(&c->r, b, 0, values, &y) || x.i != y.i) return 0;
    }
    return 1;
}

static int iter_cases, iter_compared, iter_unread, iter_long;

/* Our form of an index and the recorded one are one function; ours is not much longer. */
static void iter_compare(const json *c, iter_case *k, const irl_expr *e, const irl_expr *recorded,
                         int defect)
{
    const irl_expr *r;
    int             seen;
    if (!e || !recorded) {
        iter_unread++;
        if (verbose) printf("unread %s\n", json_text(json_get(c, "id")));
        return;
    }
    r = irl__simplify(k->an, e);
    if (!CHECK(r != NULL)) return;
    iter_compared++;
    if (!CHECK(iter_equal(k, e, r, &seen)))
        printf("%s: %s became %s\n", json_text(json_get(c, "id")), irl_expr_text(k->r.cx, e),
               irl_expr_text(k->r.cx, r));
    if (!defect && !CHECK(iter_equal(k, recorded, r, &seen)))
        printf("%s: %s is not the recorded %s\n", json_text(json_get(c, "id")),
               irl_expr_text(k->r.cx, r), irl_expr_text(k->r.cx, recorded));
    if (r->size * 10 > recorded->size * 12) {
        iter_long++;
        if (verbose)
            printf("long %s: %s => %s (recorded %s)\n", json_text(json_get(c, "id")),
                   irl_expr_text(k->r.cx, e), irl_expr_text(k->r.cx, r),
                   irl_expr_text(k->r.cx, recorded));
    }
}

/* The indices as a map over the domain, where that is constant and nothing else is said: what was
   found a bijection is one. */
static void iter_verdict(const json *c, iter_case *k, const json *indices, int found)
{
    const irl_expr *out[16];
    irl_shape       shape;
    irl_verdict     v;
    const json     *i;
    int             n = 0;
    memset(&shape, 0, sizeof shape);
    if (k->predicate && !irl__is_int(k->predicate, 1)) return;
    for (; shape.rank < k->count; shape.rank++) {
        if (k->extent[shape.rank]->op != IRL_OP_INT) return;
        shape.extent[shape.rank] = k->extent[shape.rank]->u.i;
    }
    for (i = indices->first; i && n < 16; i = i->next)
        if (!(out[n++] = json_expr(&k->r, i))) return;
    v = irl_map_check(
        k->r.cx, irl__map_make(k->r.cx, k->count, k->var, n, out, 0, NULL, irl__nowhere()), shape);
    if (!irl_ok(k->r.cx)) return; /* symbols in the indices */
    CHECK(v.kind != IRL_UNDECIDED);
    /* there a base does not count */
    for (n = 0; n < v.minimum.rank && v.minimum.extent[n] == 0; n++) continue;
    if (found &&
        strcmp(json_text(json_get(json_get(c, "input"), "check_level")), "bijective") == 0 &&
        v.kind != IRL_LOSSY && n == v.minimum.rank)
        if (!CHECK(v.kind == IRL_BIJECTIVE))
            printf("%s: %s\n", json_text(json_get(c, "id")), irl_verdict_text(k->r.cx, &v));
}

static void iter_indices(const json *c, iter_case *k)
{
    const json *indices = json_get(json_get(c, "input"), "indices"), *x = json_get(c, "expected"),
               *list, *i, *n;
    const json *ok = json_get(x, "ok");
    int         defect = json_get(c, "tvm_defect") != NULL && json_get(c, "tvm_v0_14") == NULL;
    if (ok) iter_verdict(c, k, indices, ok->number != 0);
    if (ok && ok->number == 0) return; /* refused there; nothing was recorded to compare with */
    list = x->kind == JSON_ARRAY       ? x
           : json_get(x, "normalized") ? json_get(x, "normalized")
                                       : json_get(x, "result");
    for (i = indices->first, n = list ? list->first : NULL; i && n; i = i->next, n = n->next)
        iter_compare(c, k, json_expr(&k->r, i), json_expr(&k->r, n), defect);
}

/* outer * extent + inner is the binding, where the domain is divided. */
static void iter_subspace(const json *c, iter_case *k)
{
    const json *list = json_get(json_get(c, "expected"), "result_outer_inner_extents"), *b, *row;
    if (!list || list->kind != JSON_ARRAY) return;
    for (b = json_get(json_get(c, "input"), "bindings")->first, row = list->first; b && row;
         b = b->next, row = row->next) {
        const irl_expr *outer = json_expr(&k->r, row->first),
                       *inner = json_expr(&k->r, row->first->next);
        const irl_expr *extent = json_expr(&k->r, row->first->next->next->next),
                       *whole = json_expr(&k->r, b);
        if (!outer || !inner || !extent || !whole) {
            iter_unread++;
            continue;
        }
        whole = irl__simplify(k->an, whole);
        outer = irl__simplify(k->an, irl__add(k->r.cx, irl__mul(k->r.cx, outer, extent), inner));
        iter_compare(c, k, outer, whole, 0);
        if (!CHECK(whole == outer || irl__prove_equal(k->an, whole, outer)))
            printf("%s: not proved: %s is %s\n", json_text(json_get(c, "id")),
                   irl_expr_text(k->r.cx, outer), irl_expr_text(k->r.cx, whole));
    }
}

/* ------------------------------------------------------------------ index maps */

typedef struct recorded_map {
    const irl_map *map;
    irl_shape      shape;
} recorded_map;

/* {"in": [...], "out": [...]} or {"vars": [...], "map": [...]}; the shape may be elsewhere. False:
   something is not a constant. */
static int map_read(py_reader *r, const json *m, const json *shape, recorded_map *out)
{
    const irl_expr *in[16], *to[16];
    const json     *i;
    int             n = 0, k = 0;
    memset(out, 0, sizeof *out);
    for (i = (json_get(m, "in") ? json_get(m, "in") : json_get(m, "vars"))->first; i && n < 16;
         i = i->next)
        in[n++] = py_var(r, json_text(i), strlen(json_text(i)), irl_type_of(IRL_INDEX, 1));
    for (i = (json_get(m, "out") ? json_get(m, "out") : json_get(m, "map"))->first; i && k < 16;
         i = i->next)
        if (!(to[k++] = json_expr(r, i))) return 0;
    for (i = shape ? shape->first : NULL; i; i = i->next) {
        if (i->kind != JSON_NUMBER) return 0;
        out->shape.extent[out->shape.rank++] = json_int(i);
    }
    out->map = irl__map_make(r->cx, n, in, k, to, 0, NULL, irl__nowhere());
    return out->map != NULL;
}

/* Ours is the smallest box; the recorded one is sometimes larger. */
static int box_within(const json *list, const irl_shape *s)
{
    const json *i;
    int         k = 0;
    for (i = list->first; i; i = i->next, k++)
        if (k >= s->rank || i->kind != JSON_NUMBER || json_int(i) < s->extent[k]) return 0;
    return k == s->rank;
}

/* The recorded inverse agrees with ours at every image; the recorded predicate at every cell. */
static int map_same_inverse(const recorded_map *m, const irl_verdict *v,
                            const recorded_map *inverse, const irl_expr *predicate)
{
    irl_shape at, y, x, z;
    memset(&at, 0, sizeof at);
    at.rank = m->shape.rank;
    do {
        if (!truth_apply(m->map, &at, &y) || !truth_apply(v->inverse, &y, &x) ||
            !truth_apply(inverse->map, &y, &z))
            return 0;
        if (!truth_same(&x, &at) || !truth_same(&z, &at)) return 0;
    } while (truth_next(&m->shape, &at));
    memset(&y, 0, sizeof y);
    y.rank = v->physical.rank;
    if (predicate) do {
            int64_t p, q;
            if (irl__value_at(predicate, inverse->map->input_count, inverse->map->inputs, y.extent,
                              &p) != IRL__FOLD_OK)
                return 0;
            if (irl__value_at(v->padding, v->inverse->input_count, v->inverse->inputs, y.extent,
                              &q) != IRL__FOLD_OK)
                return 0;
            if (!p != !q) return 0;
        } while (truth_next(&v->physical, &y));
    return 1;
}

/* Verdict and inverse against the truth by enumeration, and against what was recorded where that is
   right. */
static void map_whole(const json *c, py_reader *r, const recorded_map *m)
{
    const json *x = json_get(c, "expected"), *truth = json_get(c, "ground_truth_bruteforce"),
               *nsi = json_get(x, "non_surjective_inverse");
    int defect =
        json_get(c, "tvm_defect") != NULL && json_get(c, "tvm_defect")->kind == JSON_STRING;
    irl_verdict  v = irl_map_check(r->cx, m->map, m->shape);
    const json *injective = json_get(truth, "injective"), *inverses = json_get(x, "true_inverse"),
               *duplicates = json_get(truth, "duplicates");
    int expect = injective ? injective->number != 0 : duplicates ? json_int(duplicates) == 0 : 1;
    recorded_map theirs;
    if (!CHECK(irl_ok(r->cx) && v.kind != IRL_UNDECIDED))
        printf("%s: %s\n%s", json_text(json_get(c, "id")), irl_verdict_text(r->cx, &v),
               irl_diag_text(r->cx));
    if (!CHECK((v.kind != IRL_LOSSY) == expect))
        printf("%s: %s\n", json_text(json_get(c, "id")), irl_verdict_text(r->cx, &v));
    if (v.kind == IRL_LOSSY) CHECK(truth_witness(m->map, &v));
    if (v.kind != IRL_BIJECTIVE && v.kind != IRL_INJECTIVE) return;
    CHECK(v.inverse && truth_inverse(m->map, &v) && truth_padding(m->map, &v));
    if (json_get(x, "map_shape") && !defect &&
        !CHECK(box_within(json_get(x, "map_shape"), &v.physical)))
        printf("%s: %s\n", json_text(json_get(c, "id")), irl_verdict_text(r->cx, &v));
    if (inverses && v.inverse) {
        const json *i;
        int         k = 0;
        py_reader   axes = *r;
        axes.var_count = 0;
        for (k = 0; k < v.inverse->input_count; k++)
            axes.vars[axes.var_count++] = v.inverse->inputs[k];
        for (i = inverses->first, k = 0; i; i = i->next, k++) {
            const irl_expr *e = py_expr(&axes, json_text(i));
            irl_shape       at, y;
            int64_t         p, q;
            memset(&at, 0, sizeof at);
            at.rank = m->shape.rank;
            if (!CHECK(e != NULL)) continue;
            do {
                truth_apply(m->map, &at, &y);
                if (!CHECK(irl__value_at(e, v.inverse->input_count, v.inverse->inputs, y.extent,
                                         &p) == IRL__FOLD_OK &&
                           irl__value_at(v.inverse->outputs[k], v.inverse->input_count,
                                         v.inverse->inputs, y.extent, &q) == IRL__FOLD_OK &&
                           p == q))
                    break;
            } while (truth_next(&m->shape, &at));
        }
    }
    if (nsi && !defect && v.inverse && json_get(nsi, "in") && map_read(r, nsi, NULL, &theirs)) {
        const irl_expr *p = py_expr(r, json_text(json_get(nsi, "padding_predicate")));
        if (json_int(json_get(truth, "predicate_mismatches")) == 0 &&
            json_int(json_get(truth, "inverse_mismatches")) == 0)
            if (!CHECK(p && map_same_inverse(m, &v, &theirs, p)))
                printf("%s: not the recorded inverse\n", json_text(json_get(c, "id")));
    }
}

static void map_case(const json *c, py_reader *r, const char *feature)
{
    const json *input = json_get(c, "input"), *x = json_get(c, "expected"),
               *result = json_get(x, "result"), *i;
    recorded_map m, n;
    irl_verdict  v;
    irl_shape    physical;
    int          k;
    if (strcmp(feature, "index_map.is_equivalent_to") == 0) {
        irl_shape box;
        if (!map_read(r, json_get(input, "a"), NULL, &m) ||
            !map_read(r, json_get(input, "b"), NULL, &n))
            return;
        memset(&box, 0, sizeof box);
        for (box.rank = 0; box.rank < m.map->input_count; box.rank++) box.extent[box.rank] = 40;
        CHECK((m.map->input_count == n.map->input_count &&
               irl_map_equal(r->cx, m.map, n.map, box, NULL) == IRL_YES) ==
              (json_get(x, "equivalent")->number != 0));
        return;
    }
    if (strcmp(feature, "index_map") == 0) {
        if (!map_read(r, input, json_get(input, "shape"), &m)) iter_unread++;
        else map_whole(c, r, &m);
        return;
    }
    if (strcmp(feature, "index_map.map_indices") == 0) {
        const irl_expr *args[16], *out[16];
        int64_t         values[PY_MOST_VARS];
        int             tries;
        if (!map_read(r, json_get(input, "map"), NULL, &m)) return;
        for (i = json_get(input, "arg")->first, k = 0; i; i = i->next) args[k++] = json_expr(r, i);
        if (!irl__map_substitute(r->cx, m.map, args, out)) return;
        for (i = result->first, k = 0; i; i = i->next, k++) {
            const irl_expr *want = json_expr(r, i), *have = irl__simplify_alone(r->cx, out[k]);
            if (!CHECK(want && have)) continue;
            CHECK(have->size <= want->size);
            for (tries = 0; tries < 100; tries++) {
                irl__scalar p, q;
                int         j;
                for (j = 0; j < r->var_count; j++) values[j] = random_below(200) - 100;
                CHECK(lane_value(r, want, 0, values, &p) && lane_value(r, have, 0, values, &q) &&
                      p.i == q.i);
            }
        }
        return;
    }
    if (!map_read(r, json_get(input, "map"), json_get(input, "arg"), &m)) {
        iter_unread++; /* a symbolic shape: tests/test_symbolic.c has these */
        return;
    }
    if (strcmp(feature, "index_map.map_shape") == 0) {
        if (!CHECK(irl_map_shape(r->cx, m.map, m.shape, &physical, NULL) &&
                   box_within(result, &physical)))
            printf("%s\n", json_text(json_get(c, "id")));
        return;
    }
    v = irl_map_check(r->cx, m.map, m.shape);
    if (json_get(x, "error")) {
        CHECK(v.kind != IRL_BIJECTIVE && v.kind != IRL_UNDECIDED);
        return;
    }
    if (!CHECK(v.inverse != NULL)) return;
    if (!map_read(r, json_get(result, "inverse") ? json_get(result, "inverse") : result, NULL, &n))
        return;
    CHECK(map_same_inverse(&m, &v, &n,
                           json_get(result, "padding_predicate")
                               ? py_expr(r, json_text(json_get(result, "padding_predicate")))
                               : NULL));
    CHECK(truth_nodes_of_map(v.inverse) <= truth_nodes_of_map(n.map));
}

/* The extent of a mark somewhere in a recorded iterator. */
static void mark_extents(const json *n, py_reader *r, int64_t *extent)
{
    const json *i, *source = json_get(n, "source");
    int         k;
    if (source && source->kind == JSON_STRING) {
        const irl_expr *v =
            py_var(r, source->text, strlen(source->text), irl_type_of(IRL_INDEX, 1));
        for (k = 0; k < r->var_count; k++)
            if (r->vars[k] == v) extent[k] = json_int(json_get(n, "extent"));
    }
    for (i = n->first; i; i = i->next) mark_extents(i, r, extent);
}

static void inverse_affine(const json *c, py_reader *r)
{
    const json *input = json_get(c, "input"), *i,
               *result = json_get(json_get(c, "expected"), "result");
    int64_t         extent[PY_MOST_VARS];
    const irl_expr *out[16];
    irl_shape       shape, at, y, x;
    irl_verdict     v;
    const irl_map  *m;
    py_reader       axes;
    int             n = 0, k;
    memset(extent, 0, sizeof extent);
    mark_extents(json_get(input, "iter_map"), r, extent);
    memset(&shape, 0, sizeof shape);
    for (k = 0; k < r->var_count; k++)
        shape.extent[shape.rank++] = extent[k] > 16 && r->var_count > 2 ? extent[k] : extent[k];
    for (i = json_get(input, "iter_map_expr")->first; i; i = i->next) out[n++] = json_expr(r, i);
    m = irl__map_make(r->cx, shape.rank, r->vars, n, out, 0, NULL, irl__nowhere());
    v = irl_map_check(r->cx, m, shape);
    if (!CHECK(v.inverse != NULL)) return;
    memset(&axes, 0, sizeof axes);
    axes.cx = r->cx;
    /* output_0 is our axis0 */
    for (i = json_get(input, "outputs")->first, k = 0; i; i = i->next, k++) {
        char name[32];
        snprintf(name, sizeof name, "%s", json_text(i));
        py_var(&axes, name, strlen(name), irl_type_of(IRL_INDEX, 1));
    }
    memset(&at, 0, sizeof at);
    at.rank = shape.rank;
    for (n = 0; n < 2000; n++) {
        for (k = 0; k < shape.rank; k++) at.extent[k] = random_below((int)shape.extent[k]);
        if (!CHECK(truth_apply(m, &at, &y) && truth_apply(v.inverse, &y, &x) &&
                   truth_same(&x, &at)))
            return;
        for (i = result->first; i; i = i->next) {
            const irl_expr *e = py_expr(&axes, json_text(i));
            int64_t         value;
            for (k = 0; k < r->var_count && strcmp(r->vars[k]->u.name, i->key) != 0; k++) continue;
            CHECK(k < r->var_count && e &&
                  irl__value_at(e, axes.var_count, axes.vars, y.extent, &value) == IRL__FOLD_OK &&
                  value == x.extent[k]);
        }
    }
}

static void test_maps(void)
{
    static const char *const iterators[] = { "detect_iter_map", "iter_map_simplify",
                                             "normalize_to_iter_sum", "subspace_divide" };
    json_file   f;
    const json *root = json_oracle(&f, "tvm_cases.json"), *c;
    if (!root) {
        TEST_SKIP("no recorded file tvm_cases.json beside the repository");
        return;
    }
    for (c = json_get(root, "cases")->first; c; c = c->next) {
        const char     *feature = json_text(json_get(c, "feature"));
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl__arena_mark m = irl__scratch_begin(cx);
        iter_case       k;
        const json     *input = json_get(c, "input"), *x = json_get(c, "expected");
        size_t          i;
        for (i = 0; i < 4 && strcmp(feature, iterators[i]) != 0; i++) continue;
        memset(&k, 0, sizeof k);
        k.r.cx = cx;
        if (i < 4) {
            iter_cases++;
            if (!iter_begin(&k, cx, input)) {
                iter_unread++;
                if (verbose) printf("unread %s\n", json_text(json_get(c, "id")));
            } else if (i == 3) iter_subspace(c, &k);
            else if (json_get(input, "indices")) iter_indices(c, &k);
            else
                iter_compare(c, &k,
                             json_expr(&k.r, json_get(input, "index") ? json_get(input, "index")
                                                                      : json_get(input, "in")),
                             json_expr(&k.r, json_get(x, "normalized") ? json_get(x, "normalized")
                                                                       : json_get(x, "out")),
                             0);
        } else if (strncmp(feature, "index_map", 9) == 0) {
            iter_cases++;
            map_case(c, &k.r, feature);
        } else if (strcmp(feature, "inverse_affine_iter_map") == 0) {
            iter_cases++;
            inverse_affine(c, &k.r);
        }
        irl__scratch_end(cx, m);
        irl_ctx_destroy(cx);
    }
    printf("%d cases about maps and iterators, %d indices compared, %d unread, %d longer than 1.2 "
           "times\n",
           iter_cases, iter_compared, iter_unread, iter_long);
    json_free(&f);
}

int main(int argc, char **argv)
{
    (void)argv, (void)truth_padding, (void)truth_inverse, (void)truth_witness,
        (void)truth_nodes_of_map;
    verbose = argc > 1;
    test_arith();
    test_maps();
    return TEST_DONE();
}
