/* test_oracle_map.c - the recorded answers about arithmetic and index maps: ours are equal as functions, and short.
   Skipped where the recorded files are not there. */
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

/* ------------------------------------------------------------------ values of any expression, lane by lane */

static int lane_value(const py_reader *r, const irl_expr *e, uint32_t lane, const int64_t *values, irl__scalar *out)
{
    irl__scalar a[3];
    uint32_t    k;
    int         v;
    switch (e->op) {
    case IRL_OP_INT: out->i = e->u.i; return 1;
    case IRL_OP_FLOAT: out->f = e->u.f; return 1;
    case IRL_OP_VAR:
        for (v = 0; v < r->var_count; v++)
            if (r->vars[v] == e) return out->i = irl__wrap_int(e->type, values[v] + (int64_t)lane), 1;
        return 0;
    case IRL_OP_BROADCAST: return lane_value(r, e->a[0], lane % e->a[0]->type.lanes, values, out);
    case IRL_OP_RAMP:
        if (!lane_value(r, e->a[0], 0, values, &a[0]) || !lane_value(r, e->a[1], 0, values, &a[1])) return 0;
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
    if (e->op == IRL_OP_CAST) return irl__eval_cast(e->a[0]->type, e->type, a[0], out) == IRL__EVAL_OK;
    return irl__eval_scalar((irl_op)e->op, irl__type_with_lanes(e->a[0]->type, 1), a, out) == IRL__EVAL_OK;
}

static int same_value(irl_type t, irl__scalar a, irl__scalar b)
{
    return irl__type_is_float(t) || irl__type_is_storage(t) ? a.f == b.f || (a.f != a.f && b.f != b.f) : a.i == b.i;
}

/* ------------------------------------------------------------------ a case: variables, ranges, constraints */

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
        const json     *what = b->first->next, *range = what->kind == JSON_ARRAY ? what : json_get(what, "const_int_bound");
        const irl_expr *var = py_var(&c->r, json_text(b->first), strlen(json_text(b->first)), irl_type_of(IRL_INDEX, 1)), *value;
        if (what->kind == JSON_STRING) {
            value = py_expr(&c->r, what->text);
            if (value) irl__bind_value(c->an, var, value);
            if (value && c->fact_count < 16) c->facts[c->fact_count++] = irl_op2(c->r.cx, IRL_OP_EQ, var, value);
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
    for (v = vars ? vars->first : NULL; v; v = v->next) {
        const json *size = json_get(v, "size_var");
        if (size && size->number != 0) case_range(c, py_var(&c->r, v->key, strlen(v->key), irl_type_of(IRL_INDEX, 1)), 0, INT64_MAX);
    }
    case_bind(c, json_get(input, "bind"));
    for (v = json_get(input, "constraints") ? json_get(input, "constraints")->first : NULL; v; v = v->next) {
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
        if (c->lo[k] > 60) lo = c->lo[k], hi = c->hi[k] - c->lo[k] > 100 ? c->lo[k] + 100 : c->hi[k];
        if (c->hi[k] < -60) hi = c->hi[k], lo = c->hi[k] - c->lo[k] > 100 ? c->hi[k] - 100 : c->lo[k];
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
    const char     *in = json_text(json_get(json_get(c, "input"), "in")), *expected = json_text(json_get(c, "expected"));
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
    if (!CHECK(case_equal(k, e, r, &compared))) printf("%s: %s became %s\n", json_text(json_get(c, "id")), in, irl_expr_text(k->r.cx, r));
    arith_measured++;
    short_enough = r->size * 10 <= want->size * 12;
    arith_short += short_enough;
    if (verbose && !short_enough) printf("long %s: %s => %s  (recorded %s)\n", json_text(json_get(c, "id")), in, irl_expr_text(k->r.cx, r), expected);
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
    if (!CHECK((lo >= json_int(json_get(x, "min")) || json_int(json_get(x, "min")) == -INT64_MAX) && hi <= json_int(json_get(x, "max"))))
        printf("%s: %s is in [%lld, %lld], found [%lld, %lld]\n", json_text(json_get(c, "id")), json_text(json_get(json_get(c, "input"), "in")),
               json_int(json_get(x, "min")), json_int(json_get(x, "max")), (long long)lo, (long long)hi);
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
    if (!CHECK(coef == 0 ? m.coef == 0 && m.base == base : m.coef % coef == 0 && m.base % coef == base))
        printf("%s: %s is %lld*k + %lld, found %lld*k + %lld\n", json_text(json_get(c, "id")), json_text(json_get(json_get(c, "input"), "in")),
               (long long)coef, (long long)base, (long long)m.coef, (long long)m.base);
}

static int test_arith(void)
{
    json_file   f;
    const json *root = json_oracle(&f, "arith_cases.json"), *c;
    if (!root) {
        printf("skipped: no recorded file arith_cases.json\n");
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
    printf("%d arithmetic cases, %d in another language, %d of %d at most 1.2 times the recorded length\n", arith_cases, arith_unread, arith_short, arith_measured);
    CHECK(arith_short * 100 >= arith_measured * 95);
    CHECK(arith_unread < 20);
    json_free(&f);
    return 1;
}

int main(int argc, char **argv)
{
    (void)argv, (void)truth_padding, (void)truth_inverse, (void)truth_witness, (void)truth_nodes_of_map;
    verbose = argc > 1;
    test_arith();
    return TEST_DONE();
}
