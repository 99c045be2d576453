/* test_pack.c - packing through a layout and back: the functions in the interpreter, before and
   after lowering, and every line of the printed proof at every point or cell. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/proof/proof.h"
#endif
#include "test.h"
#include "random64.h"
#include "map_truth.h"
#include "random_maps.h"
#include "pack_cases.h"

/* ------------------------------------------------------------------ the functions */

static int run_func(void *user, const irl_func *f, irl_arguments arguments)
{
    (void)user;
    return irl_func_interpret(f, arguments);
}

static int run_lowered(void *user, const irl_func *f, irl_arguments arguments)
{
    const irl_module *m = irl_func_lower(f, &irl_target_opencl12);
    (void)user;
    return m && irl_module_interpret(m, arguments);
}

static void test_round_trips(void)
{
    size_t k;
    int    fill;
    for (k = 0; k < sizeof pack_rows / sizeof pack_rows[0]; k++)
        for (fill = 0; fill < 2; fill++) {
            irl_ctx       *cx_ = irl_ctx_create(NULL);
            const irl_map *m = irl_map_parse(cx_, pack_rows[k].map);
            if (!CHECK(pack_round_trip(cx_, m, pack_rows[k].shape, fill, run_func, NULL)) ||
                !CHECK_OK(cx_))
                printf("%s, fill %d\n%s\n", pack_rows[k].map, fill, irl_diag_text(cx_));
            if (!CHECK(pack_round_trip(cx_, m, pack_rows[k].shape, fill, run_lowered, NULL)) ||
                !CHECK_OK(cx_))
                printf("%s, fill %d, lowered\n%s\n", pack_rows[k].map, fill, irl_diag_text(cx_));
            irl_ctx_destroy(cx_);
        }
}

/* For every value of the parameters for which they are; refused for others. */
static void test_symbolic(void)
{
    size_t k;
    for (k = 0; k < sizeof pack_symbolic_rows / sizeof pack_symbolic_rows[0]; k++) {
        const pack_symbolic_row *row = &pack_symbolic_rows[k];
        irl_ctx                 *cx_ = irl_ctx_create(NULL);
        pack_symbolic            s;
        int64_t                  values[2];
        irl_func                *f;
        if (CHECK(pack_symbolic_read(cx_, row, NULL, &s)) &&
            CHECK(f = irl_map_pack_func(cx_, s.map, irl_shape_of(s.rank, s.extents), NULL)))
            if (!CHECK(strstr(irl_func_text(f), row->where))) puts(irl_func_text(f));
        for (values[0] = strcmp(row->where, "N >= 4") ? 1 : 4; values[0] <= row->most;
             values[0]++) {
            irl_mark mark = irl_ctx_mark(cx_);
            values[1] = 1 + values[0] * 2 % 3;
            if (!CHECK(pack_symbolic_round_trip(cx_, row, values, (int)values[0] % 2, run_func,
                                                NULL)) ||
                !CHECK(pack_symbolic_round_trip(cx_, row, values, (int)values[0] % 2, run_lowered,
                                                NULL)) ||
                !CHECK_OK(cx_))
                printf("%s of %s at %d, %d\n%s\n", row->map, row->shape, (int)values[0],
                       (int)values[1], irl_diag_text(cx_));
            irl_ctx_rewind(cx_, mark);
        }
        irl_ctx_destroy(cx_);
    }
}

/* The function says for which values it is right, and holds to it. */
static void test_condition(void)
{
    static const pack_symbolic_row row = { "(i, j) -> (i*8 + j)", "M, N", "", 9 };
    irl_ctx      *cx_ = irl_ctx_create(NULL);
    int64_t       values[2] = { 9, 2 }, m = 2, n = 9;
    int32_t       plain[32], packed[32];
    pack_symbolic s;
    irl_func     *f;
    memset(plain, 0, sizeof plain);
    CHECK(pack_symbolic_read(cx_, &row, values, &s));
    f = irl_map_pack_func(cx_, s.map, irl_shape_of(s.rank, s.extents), NULL);
    CHECK(
        f &&
        strstr(irl_func_text(f),
               "    assert(M >= 1 && N >= 1 && N < 9, \"the layout is right for these sizes\");"));
    CHECK(!irl_func_interpret(f, IRL_ARGS(&m, &n, plain, packed)));
    CHECK_CODE(cx_, IRL_ERROR_ASSERTION);
    CHECK(strstr(irl_diag_text(cx_), "the layout is right for these sizes"));
    irl_ctx_destroy(cx_);
}

/* ---------------------------------------------------- the proof, read like a person reads it */

enum { PROOF_VARS = 2 * IRL_MAX_RANK + 2 };

typedef struct proof_reader {
    irl_ctx        *cx;
    const irl_map  *map, *inverse;
    irl_shape       shape, cells;
    const irl_expr *vars[PROOF_VARS]; /* the map's inputs, the axes, then N and M */
    int64_t         names[2];         /* their values */
    const irl_expr *unused, *first;   /* of the block: what every line is equal to */
    int             part, blocks[4], empty, lines, named, several, looked_at;
    char            name[64], last[4096];
} proof_reader;

static int proof_vars(const proof_reader *r) { return r->map->input_count + r->cells.rank + 2; }

/* The next place of the part's domain, with its counterpart; 0 at the end. `values` as vars. */
static int proof_place(const proof_reader *r, irl_shape *at, int begin, int64_t *values)
{
    const irl_shape *box = r->part == 3 ? &r->cells : &r->shape;
    irl_shape        other;
    int64_t          skip = 1;
    int              n = r->map->input_count;
    for (; skip; begin = 0) {
        if (begin) {
            memset(at, 0, sizeof *at);
            at->rank = box->rank;
            if (truth_empty(box)) return 0;
        } else if (!truth_next(box, at)) return 0;
        /* an unused cell may have no point */
        if (!truth_apply(r->part == 3 ? r->inverse : r->map, at, &other)) other = *at;
        memcpy(values, r->part == 3 ? other.extent : at->extent, (size_t)n * sizeof *values);
        memcpy(values + n, r->part == 3 ? at->extent : other.extent,
               (size_t)r->cells.rank * sizeof *values);
        memcpy(values + n + r->cells.rank, r->names, sizeof r->names);
        skip = 0;
        if (r->part == 3 && r->unused &&
            irl__value_at(r->unused, proof_vars(r), r->vars, values, &skip) != IRL__FOLD_OK)
            return 0;
    }
    return 1;
}

/* e equals the block's first line everywhere. */
static int proof_equal(const proof_reader *r, const irl_expr *e)
{
    int64_t   values[PROOF_VARS], x, y;
    irl_shape at;
    int       more, n = proof_vars(r);
    for (more = proof_place(r, &at, 1, values); more; more = proof_place(r, &at, 0, values))
        if (irl__value_at(r->first, n, r->vars, values, &x) != IRL__FOLD_OK ||
            irl__value_at(e, n, r->vars, values, &y) != IRL__FOLD_OK || x != y)
            return 0;
    return 1;
}

/* A block ends at what it was to show. */
static int proof_block_ends(const proof_reader *r)
{
    if (r->part == 0 || !r->first) return 1;
    if (r->part == 2) return strcmp(r->last, "false") == 0;
    return strcmp(r->last, r->name) == 0 ||
           (r->part == 3 && strncmp(r->name, "axis", 4) != 0 && strcmp(r->last, "true") == 0);
}

static int proof_read_expr(proof_reader *r, const char *text, const irl_expr **out)
{
    char *end;
    snprintf(r->last, sizeof r->last, "%s", text);
    end = strstr(r->last, "  ");
    if (end) *end = '\0';
    *out = irl_expr_parse(r->cx, r->last, proof_vars(r), r->vars);
    return *out != NULL;
}

typedef struct rule_row {
    const char *name, *before, *after, *facts;
} rule_row;

static const rule_row rules[] = {
#define IRL_RULE(name, before, after, constants, facts) { #name, before, after, facts },
#include "../src/arith/rules.h"
};

/* A line that names a rule names one of the table, and quotes it as it stands there. */
static int proof_law(proof_reader *r, const char *line)
{
    const char *p = line, *q;
    size_t      k, length;
    char        quoted[256];
    while (*p && !(p[0] >= 'A' && p[0] <= 'Z' && p[1] >= 'A' && p[1] <= 'Z' && p[-1] == ' ')) p++;
    if (!*p) return 1;
    for (length = 0; (p[length] >= 'A' && p[length] <= 'Z') || p[length] == '_'; length++) continue;
    for (k = 0; k < sizeof rules / sizeof rules[0] &&
                (strlen(rules[k].name) != length || memcmp(p, rules[k].name, length));
         k++)
        continue;
    if (k == sizeof rules / sizeof rules[0]) return 0;
    r->named++;
    q = p + length;
    if (*q != ':') return 1; /* several */
    snprintf(quoted, sizeof quoted, ": %s is %s%s%s", rules[k].before, rules[k].after,
             rules[k].facts[0] ? ", as " : "", rules[k].facts);
    return strncmp(q, quoted, strlen(quoted)) == 0;
}

static int proof_line(proof_reader *r, const char *line)
{
    const irl_expr *e;
    const char     *colon = strchr(line, ':');
    if (line[0] >= '1' && line[0] <= '3' && line[1] == '.') {
        if (!proof_block_ends(r)) return 0;
        r->part = line[0] - '0';
        r->first = NULL;
        return 1;
    }
    if (strncmp(line, "unused   ", 9) == 0 && strcmp(line + 9, "none") != 0)
        return proof_read_expr(r, line + 9, &r->unused);
    r->empty |= strncmp(line, "there is no point:", 18) == 0;
    r->looked_at += strstr(line, "in every case: all were examined") != NULL;
    r->several += strstr(line, "by several rules") != NULL;
    if (r->part && !proof_law(r, line)) return 0;
    if (r->part == 0 || line[0] == '\0' || strncmp(line, "       ", 7) == 0) return 1;
    if (strncmp(line, "   = ", 5) == 0) {
        r->lines++;
        return r->first && proof_read_expr(r, line + 5, &e) && proof_equal(r, e);
    }
    if (strcmp(line, "  there is none") == 0) return r->part == 2 && !r->unused;
    if (!colon || !proof_block_ends(r)) return 0;
    snprintf(r->name, sizeof r->name, "%.*s", (int)(colon - line - 2), line + 2);
    r->blocks[r->part]++;
    return proof_read_expr(r, colon + 2, &r->first);
}

/* Reads all of it; false where a line does not hold. The map, the shape and the cells are those in
   numbers, the names' values given. */
static int proof_text_holds(irl_ctx *cx_, const char *text, const irl_map *m, irl_shape shape,
                            irl_shape cells, const int64_t *names, proof_reader *r)
{
    const char *end;
    irl_verdict v;
    char        line[8192], name[16];
    int         k;
    memset(r, 0, sizeof *r);
    r->cx = cx_;
    r->map = irl_map_of_rank(cx_, m, shape.rank);
    v = irl_map_check(cx_, r->map, shape);
    r->inverse = v.inverse;
    r->shape = shape;
    r->cells = cells;
    for (k = 0; k < shape.rank; k++) r->vars[k] = r->map->inputs[k];
    for (k = 0; k < cells.rank; k++) {
        snprintf(name, sizeof name, "axis%d", k);
        r->vars[shape.rank + k] = irl_expr_var(cx_, name, irl_type_of(IRL_INDEX, 1));
    }
    for (k = 0; k < 2; k++) {
        r->vars[shape.rank + cells.rank + k] =
            irl_expr_var(cx_, k ? "M" : "N", irl_type_of(IRL_INDEX, 1));
        r->names[k] = names ? names[k] : 0;
    }
    /* the predicate is over the axes; the inverse of another irl_map_check has axes of its own,
       equal in order */
    for (; *text; text = end + 1) {
        end = strchr(text, '\n');
        if (!end || (size_t)(end - text) >= sizeof line) return 0;
        memcpy(line, text, (size_t)(end - text));
        line[end - text] = '\0';
        if (!proof_line(r, line)) {
            printf("in part %d: %s\n", r->part, line);
            return 0;
        }
    }
    if (truth_empty(&shape)) return r->part == 0 && r->empty;
    return proof_block_ends(r) && !r->empty && r->blocks[1] == shape.rank &&
           r->blocks[3] >= cells.rank && (r->unused ? r->blocks[2] == 1 : r->blocks[2] == 0);
}

static int proof_holds(irl_ctx *cx_, const irl_map *m, irl_shape shape, proof_reader *r)
{
    const char   *text = irl_map_roundtrip_proof(cx_, m, shape);
    irl_func     *pack = text[0] ? irl_map_pack_func(cx_, m, shape, NULL) : NULL;
    irl_arguments none;
    irl_tensor    t;
    memset(r, 0, sizeof *r);
    memset(&none, 0, sizeof none);
    return pack && irl_func_param_tensor(pack, 1, none, &t) &&
           proof_text_holds(cx_, text, m, shape, t.shape, NULL, r);
}

/* The proof for all values, read for some. */
static int proof_holds_at(irl_ctx *cx_, const pack_symbolic_row *row, const int64_t *values)
{
    pack_symbolic s;
    proof_reader  r;
    const char   *text;
    irl_func     *pack;
    irl_arguments known;
    irl_tensor    t;
    int           k, count;
    if (!pack_symbolic_read(cx_, row, values, &s)) return 0;
    text = irl_map_roundtrip_proof(cx_, s.map, irl_shape_of(s.rank, s.extents));
    pack = text[0] ? irl_map_pack_func(cx_, s.map, irl_shape_of(s.rank, s.extents), NULL) : NULL;
    if (!pack || !strstr(text, "\nwhere    ")) return 0;
    memset(&known, 0, sizeof known);
    known.count = irl_func_param_count(pack);
    count = known.count - 2;
    for (k = 0; k < count; k++) known.data[k] = &values[irl_func_param_name(pack, k)[0] == 'M'];
    return irl_func_param_tensor(pack, count + 1, known, &t) &&
           proof_text_holds(cx_, text, s.map_there, s.shape_there, t.shape, values, &r) &&
           r.lines > 3;
}

/* The whole text once: every line with the rule that it owes to. */
static void test_proof_text(void)
{
    static const char expected[] =
        "layout   (i) -> (i / 4, i % 4)\n"
        "         bijective onto [N, 4], proved by mixed-radix decomposition\n"
        "inverse  (axis0, axis1) -> (axis0 * 4 + axis1)\n"
        "where    N >= 1\n"
        "points   i = 0..N * 4 - 1\n"
        "cells    axis0 = 0..N - 1, axis1 = 0..3\n"
        "unused   none\n"
        "\n1. inverse(layout(point)) is the point, for every point\n"
        "  i: axis0 * 4 + axis1\n"
        "   = i / 4 * 4 + i % 4                                    axis0 is i / 4, axis1 is i % 4\n"
        "   = i                                                    DIV_MOD: x/c*c + x%c is x\n"
        "\n2. no point goes to an unused cell\n"
        "  there is none\n"
        "\n3. every cell is the cell of some point: inverse(cell) is in the shape, and "
        "layout(inverse(cell)) is the cell\n"
        "  i: axis0 * 4 + axis1 >= 0 && axis0 * 4 + axis1 < 4 * N\n"
        "   = true                                                 by the ranges\n"
        "  axis0: i / 4\n"
        "   = (axis0 * 4 + axis1) / 4                              i is axis0 * 4 + axis1\n"
        "   = axis0                                                DIV_FACTOR_CELL: (x*n + y)/n is "
        "x, as 0 <= y && y < n\n"
        "  axis1: i % 4\n"
        "   = (axis0 * 4 + axis1) % 4                              i is axis0 * 4 + axis1\n"
        "   = axis1                                                MOD_FACTOR_CELL: (x*n + y)%n is "
        "y, as 0 <= y && y < n\n";
    irl_ctx      *cx_ = irl_ctx_create(NULL);
    pack_symbolic s;
    const char   *text;
    CHECK(pack_symbolic_read(cx_, &pack_symbolic_rows[1], NULL, &s));
    text = irl_map_roundtrip_proof(cx_, s.map, irl_shape_of(s.rank, s.extents));
    if (!CHECK(strcmp(text, expected) == 0)) puts(text[0] ? text : irl_diag_text(cx_));
    irl_ctx_destroy(cx_);
}

/* The proof believes nobody: with another map, inverse or padding there is none. */
static void test_tampered(void)
{
    static const struct {
        const char *map, *inverse, *unused;
    } rows[] = {
        { NULL, NULL, NULL }, /* as it is */
        { "(i) -> (i/4, (i + 1)%4)", NULL, NULL },
        { "(i) -> (i/5, i%4)", NULL, NULL },
        { NULL, "(axis0, axis1) -> (axis0*4 + axis1 + 1)", NULL },
        { NULL, "(axis0, axis1) -> (axis0 + axis1*4)", NULL },
        { NULL, "(axis0, axis1) -> (min(axis0*4 + axis1, 12))", NULL },
        { NULL, NULL, "axis0*4 + axis1 >= 13" }, /* a point's cell is called unused */
        { NULL, NULL, "axis0*4 + axis1 >= 15" }, /* a cell is called used, and is no point's */
        { NULL, NULL, "false" },
    };
    size_t k, symbolic;
    for (k = 0; k < 2 * sizeof rows / sizeof rows[0]; k++) {
        irl_ctx        *cx_ = irl_ctx_create(NULL);
        irl__packing    p;
        irl_shape       shape;
        const irl_expr *n = irl_expr_var(cx_, "N", irl_type_of(IRL_INDEX, 1)), *extent;
        const irl_map  *m = irl_map_parse(cx_, "(i) -> (i/4, i%4)"), *other;
        size_t          row = k / 2;
        symbolic = k & 1;
        shape = IRL_SHAPE(14);
        extent =
            irl_expr_op2(cx_, IRL_OP_SUB, irl_expr_op2(cx_, IRL_OP_MUL, n, irl_expr_index(cx_, 14)),
                         irl_expr_op2(cx_, IRL_OP_MUL, n, irl_expr_index(cx_, 0)));
        if (symbolic && rows[row].unused) extent = irl_expr_index(cx_, 14);
        CHECK(symbolic ? irl__packing_of(cx_, m, irl_shape_of(1, &extent), &p)
                       : irl__packing_of(cx_, m, shape, &p));
        if (rows[row].map) p.map = irl_map_parse(cx_, rows[row].map);
        if (rows[row].inverse) {
            other = irl_map_parse(cx_, rows[row].inverse);
            p.inverse = other;
            if (p.spare) p.spare = irl__substitute(cx_, p.spare, 2, p.axes, other->inputs);
            p.axes = other->inputs;
        }
        if (rows[row].unused) p.spare = irl_expr_parse(cx_, rows[row].unused, 2, p.axes);
        if (!rows[row].map && !rows[row].inverse && !rows[row].unused) {
            CHECK(irl__proof_text(&p));
            CHECK_OK(cx_);
        } else {
            if (!CHECK(!irl__proof_text(&p)))
                printf("tampered row %d, %d\n", (int)row, (int)symbolic);
            CHECK_CODE(cx_, IRL_ERROR_UNDECIDED);
            CHECK(strstr(irl_diag_text(cx_), "a step of the proof is refuted") ||
                  (symbolic && strstr(irl_diag_text(cx_), "a step of the proof is not found")));
        }
        irl_ctx_destroy(cx_);
    }
}

static void test_symbolic_proofs(void)
{
    size_t k;
    for (k = 0; k < sizeof pack_symbolic_rows / sizeof pack_symbolic_rows[0]; k++) {
        const pack_symbolic_row *row = &pack_symbolic_rows[k];
        int64_t                  values[2];
        for (values[0] = strcmp(row->where, "N >= 4") ? 1 : 4; values[0] <= row->most;
             values[0]++) {
            irl_ctx *cx_ = irl_ctx_create(NULL);
            values[1] = 1 + values[0] * 2 % 3;
            if (!CHECK(proof_holds_at(cx_, row, values)) || !CHECK_OK(cx_))
                printf("%s of %s at %d, %d\n%s\n", row->map, row->shape, (int)values[0],
                       (int)values[1], irl_diag_text(cx_));
            irl_ctx_destroy(cx_);
        }
    }
}

/* Inputs that a reader could mistake for axes, or for each other, get names of their own. */
static void test_proof_names(void)
{
    irl_ctx        *cx_ = irl_ctx_create(NULL);
    const char *text = irl_map_roundtrip_proof(
        cx_, irl_map_parse(cx_, "(axis1, axis0) -> (axis0, axis1)"), IRL_SHAPE(3, 4));
    const irl_expr *same[2];
    CHECK(strstr(text, "(i0, i1) -> (i1, i0)") && strstr(text, "   = i1   "));
    same[0] = irl_expr_var(cx_, "i", irl_type_of(IRL_INDEX, 1));
    same[1] = irl_expr_var(cx_, "i", irl_type_of(IRL_INDEX, 1));
    text =
        irl_map_roundtrip_proof(cx_, irl_map_new(cx_, 2, same, 2, same, 0, NULL), IRL_SHAPE(3, 4));
    CHECK(strstr(text, "(i0, i1) -> (i0, i1)"));
    CHECK_OK(cx_);
    irl_ctx_destroy(cx_);
}

static void test_proofs(void)
{
    size_t       k;
    proof_reader r;
    for (k = 0; k < sizeof pack_rows / sizeof pack_rows[0]; k++) {
        irl_ctx       *cx_ = irl_ctx_create(NULL);
        const irl_map *m = irl_map_parse(cx_, pack_rows[k].map);
        irl_verdict    v = irl_map_check(cx_, m, pack_rows[k].shape);
        if (!v.inverse) {
            CHECK(!irl_map_roundtrip_proof(cx_, m, pack_rows[k].shape)[0]);
            CHECK_CODE(cx_, IRL_ERROR_UNDECIDED);
        } else if (!CHECK(proof_holds(cx_, m, pack_rows[k].shape, &r)) || !CHECK_OK(cx_)) {
            printf("%s\n%s\n", pack_rows[k].map, irl_diag_text(cx_));
        } else if (!CHECK(r.looked_at == 0 || strcmp(v.method, "table") == 0))
            printf("%s\n", irl_map_roundtrip_proof(cx_, m, pack_rows[k].shape));
        irl_ctx_destroy(cx_);
    }
}

/* A reader that could not find a wrong line would prove nothing. */
static void test_reader(void)
{
    irl_ctx       *cx_ = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx_, "(i) -> (i/4, i%4)");
    proof_reader   r;
    CHECK(proof_holds(cx_, m, IRL_SHAPE(14), &r) && r.lines > 5 && r.named > 3 && r.several == 0);
    r.part = 1;
    CHECK(proof_read_expr(&r, "axis0*4 + axis1", &r.first) &&
          proof_line(&r, "   = i/4*4 + i%4   anything"));
    CHECK(!proof_line(&r, "   = i/4*4 + i%2"));
    CHECK(!proof_line(&r, "2. next") && !proof_line(&r, "   = i +"));
    irl_ctx_destroy(cx_);
}

/* ------------------------------------------------------------------ many maps */

static void test_many(void)
{
    int n, total = TEST_COUNT(600), packed = 0, proved = 0, looked_at = 0, lines = 0, tables = 0,
           named = 0, several = 0;
    for (n = 0; n < total; n++) {
        recipe         r = invent(CLAMP);
        const irl_map *m;
        irl_verdict    v;
        proof_reader   reader;
        irl_shape      box;
        cx = irl_ctx_create(NULL);
        m = build(&r);
        v = irl_map_check(cx, m, r.shape);
        box = v.physical;
        if ((v.kind == IRL_BIJECTIVE || v.kind == IRL_INJECTIVE) &&
            (irl__memory_box(m, &box), pack_elements(&box) <= 20000)) {
            packed++;
            if (!CHECK(pack_round_trip(cx, m, r.shape, n & 1, run_func, NULL)) || !CHECK_OK(cx))
                printf("%s\n%s\n", irl_map_text(cx, m), irl_diag_text(cx));
            if (v.inverse) {
                proved++;
                if (!CHECK(proof_holds(cx, m, r.shape, &reader)) || !CHECK_OK(cx))
                    printf("%s\n%s\n", irl_map_text(cx, m), irl_diag_text(cx));
                lines += reader.lines;
                named += reader.named;
                several += reader.several;
                tables += strcmp(v.method, "table") == 0;
                if (getenv("IRL_SHOW") && (reader.several || reader.looked_at) &&
                    strcmp(v.method, "table") != 0)
                    puts(irl_map_roundtrip_proof(cx, m, r.shape));
                looked_at += reader.looked_at > 0 && strcmp(v.method, "table") != 0;
            }
        }
        irl_ctx_destroy(cx);
    }
    CHECK(packed * 10 > total);
    CHECK(several < named);
    printf("%d lines of the proofs name their rules, %d say several\n", named, several);
    printf("%d maps, %d packed and unpacked, %d proofs of %d lines; %d of a table, %d others "
           "needed a look at every case\n",
           total, packed, proved, lines, tables, looked_at);
}

/* ------------------------------------------------------------------ what is refused */

static void refused(const char *map, irl_shape shape, const irl_pack_options *how, irl_code code)
{
    irl_ctx       *cx_ = irl_ctx_create(NULL);
    const irl_map *m = irl_map_parse(cx_, map);
    irl_mark       mark = irl_ctx_mark(cx_);
    CHECK(!irl_map_pack_func(cx_, m, shape, how));
    CHECK_CODE(cx_, code);
    irl_ctx_rewind(cx_, mark);
    CHECK(!irl_map_unpack_func(cx_, m, shape, how));
    CHECK_CODE(cx_, code);
    irl_ctx_rewind(cx_, mark);
    if (!how) {
        CHECK(!irl_map_roundtrip_proof(cx_, m, shape)[0]);
        CHECK_CODE(cx_, code);
    }
    irl_ctx_destroy(cx_);
}

static void test_refused(void)
{
    irl_pack_options how;
    irl_ctx    *cx_ = irl_ctx_create(NULL);
    irl_func   *f;
    memset(&how, 0, sizeof how);
    refused("(y, x) -> (y, (x ^ y)%6)", IRL_SHAPE(6, 6), NULL, IRL_ERROR_LOSSY_MAP);
    refused("(i) -> (i - 1)", IRL_SHAPE(6), NULL, IRL_ERROR_MAP_OUT_OF_RANGE);
    refused("(i) -> (i*i*7 % 1000000007)", IRL_SHAPE(1000000007), NULL, IRL_ERROR_LOSSY_MAP);
    /* injective, but that is not found out */
    refused("(i) -> (i*i % 1000000007 * i % 1000000007)", IRL_SHAPE(1000000007), NULL,
            IRL_ERROR_UNDECIDED);
    refused("(i) -> (i)", IRL_SHAPE(6, 6), NULL, IRL_ERROR_RANK_MISMATCH);
    how.fill = 1;
    how.element = irl_type_of(IRL_U8, 1);
    how.padding = 256;
    refused("(i) -> (i)", IRL_SHAPE(6), &how, IRL_ERROR_BAD_ARGUMENT);
    how.padding = -1;
    refused("(i) -> (i)", IRL_SHAPE(6), &how, IRL_ERROR_BAD_ARGUMENT);
    how.element = irl_type_of(IRL_I64, 1);
    how.padding = 1e300;
    refused("(i) -> (i)", IRL_SHAPE(6), &how, IRL_ERROR_BAD_ARGUMENT);
    how.padding = how.padding * how.padding - how.padding * how.padding; /* not a number */
    refused("(i) -> (i)", IRL_SHAPE(6), &how, IRL_ERROR_BAD_ARGUMENT);
    how.element = irl_type_of(IRL_F16, 1);
    how.padding = 0.5;
    how.name = "wrap";
    f = irl_map_pack_func(cx_, irl_map_parse(cx_, "(i) -> (i/4, i%4)"), IRL_SHAPE(6), &how);
    CHECK(f &&
          strcmp(irl_func_text(f), "func wrap(plain: f16[6], packed: f16[2, 4]) {\n"
                                   "    for parallel (axis0: 2, axis1: 4)\n"
                                   "        packed[axis0, axis1] = if_then_else(axis0 * 4 + axis1 "
                                   ">= 6, f16(0.5), plain[axis0 * 4 + axis1]);\n}\n") == 0);
    CHECK_OK(cx_);
    CHECK(!irl_map_pack_func(NULL, NULL, IRL_SHAPE(6), NULL) &&
          !irl_map_unpack_func(cx_, NULL, IRL_SHAPE(6), NULL) &&
          !irl_map_roundtrip_proof(NULL, NULL, IRL_SHAPE(6))[0]);
    irl_ctx_destroy(cx_);
}

/* ------------------------------------------------------------------ memory that runs out */

static const char *proof_in(irl_ctx *cx_, const irl_func **pack, const irl_func **unpack)
{
    const irl_map *m = irl_map_compose(cx_, irl_map_parse(cx_, "(a, b, c) -> (a, c, b)"),
                                       irl_map_divide(cx_, 2, 1, IRL_SHAPE(4), IRL_SHAPE(2)));
    irl_pack_options    how;
    memset(&how, 0, sizeof how);
    how.fill = 1;
    *pack = irl_map_pack_func(cx_, m, IRL_SHAPE(3, 13), &how);
    *unpack = irl_map_unpack_func(cx_, m, IRL_SHAPE(3, 13), &how);
    return irl_map_roundtrip_proof(cx_, m, IRL_SHAPE(3, 13));
}

/* In a block of any size: all of it, the same; or nothing, with a diagnostic. */
static void test_small_blocks(void)
{
    static unsigned char block[1 << 20];
    irl_ctx             *full = irl_ctx_create(NULL);
    const irl_func      *pack, *unpack, *p, *u;
    const char          *proof = proof_in(full, &pack, &unpack), *text;
    size_t               size;
    int                  failed = 0, whole = 0;
    CHECK(proof[0] && pack && unpack);
    for (size = 2000; size < sizeof block && whole < 3; size += 1711) {
        irl_ctx_desc desc;
        irl_ctx *cx_;
        memset(&desc, 0, sizeof desc);
        desc.block = block;
        desc.block_bytes = size;
        cx_ = irl_ctx_create(&desc);
        if (!cx_) continue;
        text = proof_in(cx_, &p, &u);
        if (text[0]) {
            whole++;
            CHECK(strcmp(text, proof) == 0 && p && u && irl_ok(cx_));
        } else {
            failed++;
            CHECK_CODE(cx_, IRL_ERROR_OUT_OF_MEMORY);
        }
        irl_ctx_destroy(cx_);
    }
    CHECK(failed > 5 && whole == 3);
    irl_ctx_destroy(full);
}

int main(void)
{
    (void)truth_nodes_of_map;
    test_reader();
    test_round_trips();
    test_proofs();
    test_symbolic();
    test_condition();
    test_symbolic_proofs();
    test_proof_text();
    test_tampered();
    test_proof_names();
    test_many();
    test_refused();
    test_small_blocks();
    return TEST_DONE();
}
