/* test_reading.c - what a function is made of can be read, walked and rewritten by the public
   functions alone: a printer and a pass of the library, written again outside of it, give what the
   library gives; asked of NULL, of another kind of node or past the end, accessors answer NULL, ""
   or 0; a rewrite keeps what it does not change. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "outside_printer.h" /* before it sees more than the public functions */
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#endif
#include "failing.h"
#include "generate.h"
#include "test.h"
#include "text_corpus.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ------------------------------------------------------------------ of nothing */

static void expressions_of_nothing(const irl_expr *e)
{
    CHECK(irl_expr_arg_count(e) == 0 && !irl_expr_arg(e, 0) && !irl_expr_arg(e, -1));
    CHECK(irl_expr_int_value(e) == 0 && irl_expr_float_value(e) == 0);
    CHECK(!*irl_expr_name(e) && !irl_expr_buffer(e) && irl_expr_pick(e, 0) == 0);
}

static void statements_of_nothing(irl_ctx *cx, const irl_stmt *s)
{
    irl_place place;
    CHECK(irl_stmt_child_count(s) == 0 && !irl_stmt_child(s, 0) && !irl_stmt_child(s, -1));
    CHECK(!irl_stmt_body(s) && !irl_stmt_then(s) && !irl_stmt_else(s));
    CHECK(irl_stmt_for_kind(s) == IRL_SERIAL && irl_stmt_axis(s) == IRL_GROUP_X);
    CHECK(!irl_stmt_min(s) && !irl_stmt_extent(s) && !irl_stmt_var(s) && !irl_stmt_value(s));
    CHECK(!irl_stmt_condition(s) && !irl_stmt_buffer(s));
    CHECK(irl_stmt_arg_count(s) == 0 && !irl_stmt_arg(s, 0) && !irl_stmt_arg(s, -1));
    CHECK(!*irl_stmt_name(s) && !*irl_stmt_message(s) && irl_stmt_scope(s) == IRL_SCOPE_GLOBAL);
    CHECK(irl_stmt_note_count(s) == 0 && !irl_stmt_note(s, 0) && !irl_stmt_note(s, -1));
    CHECK(!irl_stmt_block_desc(s) && irl_stmt_id(s) == 0);
    CHECK(!irl_stmt_place(cx, s, &place) && !*place.file && !place.line && !place.column);
    CHECK(!irl_stmt_place(cx, s, NULL));
}

static void buffers_of_nothing(irl_ctx *cx)
{
    irl_place place;
    CHECK(!*irl_buffer_name(NULL) && irl_buffer_type(NULL).lanes == 1);
    CHECK(!irl_buffer_bits(NULL, NULL));
    CHECK(irl_buffer_scope(NULL) == IRL_SCOPE_GLOBAL && irl_buffer_rank(NULL) == 0);
    CHECK(!irl_buffer_extent(NULL, 0) && !irl_buffer_stride(NULL, 0) && !irl_buffer_offset(NULL));
    CHECK(irl_buffer_alignment(NULL) == 0 && irl_buffer_texel(NULL) == 0);
    CHECK(irl_buffer_separator_count(NULL) == 0 && irl_buffer_separator(NULL, 0) == 0);
    CHECK(!irl_buffer_place(cx, NULL, &place) && !place.line);
}

static void functions_of_nothing(const irl_func *f)
{
    CHECK(!irl_func_param_name(f, 0) && !irl_func_param_scalar(f, 0));
    CHECK(!irl_func_param_is_buffer(f, 0) && !irl_func_param_buffer(f, -1));
    CHECK(irl_func_param_logical_rank(f, 0) == 0 && !irl_func_param_logical_extent(f, 0, 0));
    CHECK(!irl_func_param_map(f, 0) && !irl_func_param_padding(f, 0));
    CHECK(irl_func_layout_count(f) == 0 && !*irl_func_layout_buffer(f, 0));
    CHECK(!irl_func_layout_map(f, 0) && !irl_func_layout_padding(f, 0));
    CHECK(!irl_func_layout_is_assumed(f, -1));
    CHECK(irl_func_attr_count(f) == 0 && !irl_func_attr(f, 0));
}

static void nothing(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_func *empty = irl_func_new(cx, "f", 0, NULL, irl_stmt_seq(cx, 0, NULL));
    expressions_of_nothing(NULL);
    expressions_of_nothing(irl_expr_undef(cx, irl_type_of(IRL_F32, 1)));
    CHECK(irl_expr_op(NULL) == IRL_OP_NONE && !irl_op_info(IRL_OP_NONE));
    statements_of_nothing(cx, NULL);
    statements_of_nothing(cx, irl_func_body(empty));
    CHECK(irl_stmt_kind_of(NULL) == IRL_STMT_NONE);
    CHECK(irl_stmt_kind_of(irl_func_body(empty)) == IRL_STMT_SEQ);
    buffers_of_nothing(cx);
    CHECK(!irl_map_input(NULL, 0) && !irl_map_output(NULL, 0));
    CHECK(irl_map_rest_input(NULL) == -1 && irl_map_rest_output(NULL) == -1);
    functions_of_nothing(NULL);
    functions_of_nothing(empty);
    CHECK(!*irl_func_name(NULL) && irl_func_role(NULL) == IRL_ROLE_PLAIN && !irl_func_body(NULL));
    CHECK(irl_func_param_count(NULL) == 0 && irl_func_param_count(empty) == 0);
    CHECK(!*irl_module_name(NULL) && !*irl_module_target(NULL) && !irl_module_host(NULL));
    CHECK(irl_module_kernel_count(NULL) == 0 && !irl_module_kernel(NULL, 0));
    CHECK(!irl_scalar_info((irl_scalar)99) && !irl_scalar_info((irl_scalar)-1));
    CHECK(strcmp(irl_axis_text((irl_axis)99), "?") == 0);
    CHECK(strcmp(irl_for_kind_text((irl_for_kind)99), "?") == 0);
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static irl_func *parse(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, IRL_TO_NUL, NULL);
}

/* ------------------------------------------------------------------ the printer, outside */

/* What the corpus has not. */
static const char *const more_functions[] = {
    "func implicit(x: f32[n, m], y: f32[n]) { assert(n < 9, \"n is {} of {}\\n\", n, n + 1); "
    "for (i: n) y[i] = x[i, 0]; }",
    "func declared(n: index, x: f32[8], y: f32[8]) attr(strict = \"a \\\"b\\\"\") extern scale(x: "
    "ptr(f32, global) reads(n), y: ptr(f32, global) writes(n), n: index): i32 extern root(x: f32): "
    "f32 pure { evaluate extern(i32, scale, x, y, index(8)); y[0] = extern(f32, root, x[0]); }",
    "func image(x: f16[6, 5, 8] scope(texture) sep(1) texel(8), w: unorm8[4, 4], y: f16[8]) { for "
    "(c: 8) y[c] = x[1, 2, c]; y[0] = f16(f32(w[0, 0])); }",
    "func layouts(x: f32[10], y: f32[10]) layout(x: (i) -> (i / 4, |, i % 4), pad(0.5)) layout(y: "
    "(...) -> (...)) { for (i: 10) y[i] = x[i]; }",
    "func matched(x: f32[8, 8], y: f32[8, 8]) { for (i: 8, j: 8) block b(vi: 8 = i, vj: spatial(8) "
    "= j) where(i < 7) reads(x[vi, vj]) writes(y[vi, 0: 8]) note(a = 1) note(b = \"t\") { alloc t: "
    "f32[4] scope(local); match z: f32[1, 1] = x[vi, vj]; y[vi, vj] = z[0, 0]; } }",
};

static void by_hand(void)
{
    int k;
    for (k = 0; k < COUNT(more_functions); k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f = irl_func_parse(cx, more_functions[k], IRL_TO_NUL, NULL);
        CHECK(f && outside_prints(cx, f, NULL, irl_func_text(f)));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
}

static void corpus(void)
{
    int k;
    for (k = 0; k < COUNT(text_functions); k++) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f = irl_func_parse(cx, text_functions[k], IRL_TO_NUL, NULL);
        CHECK(f && outside_prints(cx, f, NULL, irl_func_text(f)));
        irl_ctx_destroy(cx);
    }
    for (k = 0; k < COUNT(text_modules); k++) {
        irl_ctx    *cx = irl_ctx_create(NULL);
        irl_module *m = irl_module_parse(cx, text_modules[k], IRL_TO_NUL, NULL);
        CHECK(m && outside_prints(cx, NULL, m, irl_module_text(m)));
        irl_ctx_destroy(cx);
    }
}

/* ------------------------------------------------------------------ a pass, outside: unswitch */

static int sees_name(void *user, const irl_expr *e, const irl_stmt *s)
{
    const irl_expr **var = (const irl_expr **)user;
    (void)s;
    if (e == *var || irl_expr_op(e) == IRL_OP_LOAD || irl_expr_op(e) == IRL_OP_CALL_EXTERN ||
        irl_expr_op(e) == IRL_OP_CALL_INTRINSIC)
        *var = NULL;
    return *var != NULL;
}

/* Neither the variable nor memory stands in e. */
static int is_free_of(const irl_expr *e, const irl_expr *var)
{
    irl_walk walk = { NULL, sees_name, NULL, NULL, NULL };
    walk.user = &var;
    irl_expr_walk(e, &walk);
    return var != NULL;
}

/* The loop, of a variable of its own, around a store of one arm of the choice. */
static const irl_stmt *arm_of(irl_ctx *cx, const irl_stmt *loop, int arm)
{
    const irl_stmt *store = irl_stmt_body(loop);
    const irl_expr *from = irl_stmt_var(loop), *at[IRL_MAX_RANK],
                   *to = irl_expr_var(cx, irl_expr_name(from), irl_expr_type(from));
    int             k;
    for (k = 0; k < irl_stmt_arg_count(store); k++) at[k] = irl_stmt_arg(store, k);
    store = irl_stmt_store(cx, irl_stmt_buffer(store), irl_expr_arg(irl_stmt_value(store), arm),
                           irl_stmt_arg_count(store), at);
    store = irl_stmt_substitute(cx, store, 1, &from, &to);
    return irl_stmt_set_origin(cx,
                               irl_stmt_for(cx, IRL_UNROLLED, to, irl_stmt_min(loop),
                                            irl_stmt_extent(loop), store),
                               loop);
}

static int unswitched, printed; /* loops, modules */
static const irl_stmt *unswitch_stmt(void *user, irl_ctx *cx, const irl_stmt *s)
{
    const irl_stmt *store = irl_stmt_body(s);
    const irl_expr *choice = irl_stmt_value(store), *condition = irl_expr_arg(choice, 0);
    (void)user;
    if (irl_stmt_for_kind(s) != IRL_UNROLLED || irl_stmt_kind_of(store) != IRL_STMT_STORE ||
        irl_expr_op(choice) != IRL_OP_IF_THEN_ELSE || !is_free_of(condition, irl_stmt_var(s)))
        return s;
    unswitched++;
    return irl_stmt_if(cx, condition, arm_of(cx, s, 1), arm_of(cx, s, 2));
}

static irl_func *unswitch(const irl_func *f)
{
    irl_rewrite_options how;
    memset(&how, 0, sizeof how);
    how.stmt = unswitch_stmt;
    return irl_func_rewrite_with(f, &how);
}

static void unswitch_by_hand(void)
{
    static const char text[] =
        "func f(n: index, x: f32[8], y: f32[8]) {\n"
        "    for unrolled (t: 8) note(kept = 4)\n"
        "        y[t] = if_then_else(n < 3, x[t], if_then_else(n < 9, 1.0, 2.0));\n"
        "    for unrolled (t: 8) y[t] = if_then_else(t < 3, x[t], 1.0);\n"
        "    for unrolled (t: 8) y[t] = if_then_else(x[0] < 3.0, x[t], 1.0);\n"
        "    for (t: 8) y[t] = if_then_else(n < 3, x[t], 1.0);\n"
        "}\n";
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_func       *f = irl_func_parse(cx, text, IRL_TO_NUL, "hand.irl"), *g;
    const irl_stmt *loop = irl_stmt_child(irl_func_body(f), 0), *choice;
    irl_place       was, is;
    unswitched = 0;
    g = unswitch(f);
    CHECK(g && unswitched == 1 && irl_func_equal(g, irl_func_run_pass(f, "unswitch")));
    choice = irl_stmt_child(irl_func_body(g), 0);
    CHECK(irl_stmt_kind_of(choice) == IRL_STMT_IF && irl_stmt_kind_of(irl_stmt_then(choice)) ==
                                                         IRL_STMT_FOR);
    CHECK(irl_stmt_id(irl_stmt_else(choice)) == irl_stmt_id(loop));
    CHECK(irl_stmt_note_count(irl_stmt_then(choice)) == 1);
    CHECK(irl_stmt_place(cx, loop, &was) && irl_stmt_place(cx, choice, &is));
    CHECK(was.line == 2 && was.line == is.line && was.column == is.column &&
          strcmp(is.file, "hand.irl") == 0);
    CHECK(irl_stmt_child(irl_func_body(g), 1) == irl_stmt_child(irl_func_body(f), 1));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* A division stays behind a loop that may not run. */
static void unswitch_keeps_partial(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f = parse(cx, "func f(n: index, x: f32[8], y: f32[8]) {\n"
                            "    for unrolled (t: n) y[t] = if_then_else(8 / n > 2, x[t], 1.0);\n"
                            "}\n");
    CHECK(irl_func_equal(f, irl_func_run_pass(f, "unswitch")));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* Loops drawn around choices that are, and are not, the same for all iterations. */
static void unswitch_drawn(int count)
{
    static const char *const conditions[] = { "n < 3",    "t < 3",         "x[0] < 3.0",
                                              "i + n < 9", "n < 3 && i < 4", "n + t * 2 < i" };
    static const char *const values[] = { "x[t]", "1.0", "x[i] * x[t]", "y[t] + 2.0" };
    static const char *const kinds[] = { "unrolled ", "unrolled ", "parallel ", "" };
    int                      before = unswitched;
    test_seed = 1;
    while (count-- > 0) {
        irl_ctx  *cx = irl_ctx_create(NULL);
        irl_func *f, *g;
        char      text[1024] = "func f(n: index, x: f32[8], y: f32[8]) { for (i: 8) {";
        /* two at least: the library's pass goes on to a loop around one choice alone */
        int       k, loops = 2 + TEST_RANDOM(2);
        for (k = 0; k < loops; k++)
            sprintf(text + strlen(text),
                    " %sfor %s(t: 8) %sy[t] = if_then_else(%s, %s, if_then_else(%s, %s, %s));",
                    TEST_RANDOM(4) ? "" : "if (i > 2) ", kinds[TEST_RANDOM(4)],
                    TEST_RANDOM(3) ? "" : "note(kept = 1) ", conditions[TEST_RANDOM(6)],
                    values[TEST_RANDOM(4)], conditions[TEST_RANDOM(6)], values[TEST_RANDOM(4)],
                    values[TEST_RANDOM(4)]);
        strcat(text, " } }");
        f = parse(cx, text);
        g = unswitch(f);
        CHECK(g && irl_func_equal(g, irl_func_run_pass(f, "unswitch")));
        CHECK(outside_prints(cx, g, NULL, irl_func_text(g)));
        CHECK_OK(cx);
        irl_ctx_destroy(cx);
    }
    CHECK(unswitched > before + 10);
}

/* ------------------------------------------------------------------ generated functions */

static const irl_expr *same_expr(void *user, irl_ctx *cx, const irl_expr *e)
{
    (void)cx;
    ++*(int *)user;
    return e;
}
static const irl_stmt *same_stmt(void *user, irl_ctx *cx, const irl_stmt *s)
{
    (void)user, (void)cx;
    return s;
}
static const irl_buffer *same_buffer(void *user, irl_ctx *cx, const irl_buffer *b)
{
    (void)user, (void)cx;
    return b;
}
static int enter_all(void *user, const irl_stmt *s)
{
    (void)user;
    return irl_stmt_kind_of(s) != IRL_STMT_NONE;
}

/* A rewrite that changes nothing gives the very same body. */
static int identity_keeps(const irl_func *f)
{
    int                 asked = 0;
    irl_rewrite_options how;
    const irl_func     *g = irl_func_rewrite(f, same_expr, &asked);
    memset(&how, 0, sizeof how);
    how.expr = same_expr;
    how.stmt = same_stmt;
    how.buffer = same_buffer;
    how.enter = enter_all;
    how.user = &asked;
    return g && irl_func_body(g) == irl_func_body(f) &&
           irl_func_body(irl_func_rewrite_with(f, &how)) == irl_func_body(f);
}

/* What is met on a walk, and how often. */
typedef struct met {
    int stmts, left, exprs, loads, buffers;
} met;
static int meet_stmt(void *user, const irl_stmt *s)
{
    ((met *)user)->stmts++;
    return s != NULL;
}
static int meet_expr(void *user, const irl_expr *e, const irl_stmt *s)
{
    ((met *)user)->exprs++;
    ((met *)user)->loads += irl_expr_op(e) == IRL_OP_LOAD;
    return s != NULL;
}
static void meet_buffer(void *user, const irl_buffer *b, const irl_stmt *s)
{
    (void)s;
    ((met *)user)->buffers += b != NULL;
}
static void meet_end(void *user, const irl_stmt *s) { ((met *)user)->left += s != NULL; }

/* Counted by going down by hand: statements are the children's and their own. */
static int count_stmts(const irl_stmt *s)
{
    int k, n = 1;
    for (k = 0; k < irl_stmt_child_count(s); k++) n += count_stmts(irl_stmt_child(s, k));
    return n;
}

static int walk_meets_all(const irl_func *f)
{
    met      all;
    irl_walk walk = { meet_stmt, meet_expr, meet_buffer, meet_end, NULL };
    memset(&all, 0, sizeof all);
    walk.user = &all;
    irl_func_walk(f, &walk);
    if (all.stmts != count_stmts(irl_func_body(f)) || all.left != all.stmts) return 0;
    irl_stmt_walk(irl_func_body(f), &walk);
    return all.left == 2 * count_stmts(irl_func_body(f)) && all.buffers >= all.loads;
}

/* A module for one of the targets, which may refuse the function. */
static int prints_module(irl_ctx *cx, const char *text, uint64_t seed)
{
    irl_mark    mark = irl_ctx_mark(cx);
    int         targets = 0, right;
    irl_module *m;
    while (irl_target_name(targets)) targets++;
    m = irl_func_lower(irl_func_parse(cx, text, IRL_TO_NUL, NULL),
                       irl_target_find(irl_target_name((int)(seed % (uint64_t)targets))));
    right = !m || outside_prints(cx, NULL, m, irl_module_text(m));
    printed += m != NULL;
    irl_ctx_rewind(cx, mark);
    return right;
}

static void generated(uint64_t first, int count)
{
    gen_options options;
    uint64_t    seed;
    int         k;
    memset(&options, 0, sizeof options);
    test_seeds((unsigned long)first, count);
    for (seed = first; seed < first + (uint64_t)count; seed++) {
        gen_case        c = gen_function(seed, options);
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *f = irl_func_parse(cx, c.text, IRL_TO_NUL, NULL), *before;
        for (k = 0; irl_pass_name(k); k++) {
            if (!TEST_PASS(k)) continue;
            CHECK(identity_keeps(f) && walk_meets_all(f));
            before = f;
            f = irl_func_run_pass(f, irl_pass_name(k));
            if (strcmp(irl_pass_name(k), "unswitch") == 0)
                CHECK(irl_func_equal(unswitch(before), f));
        }
        CHECK_OK(cx);
        CHECK(prints_module(cx, c.text, seed));
        irl_ctx_destroy(cx);
        gen_free(&c);
    }
    CHECK(printed > count / 2);
    printf("outside: %d loops were unswitched, %d modules printed\n", unswitched, printed);
}

/* ------------------------------------------------------------------ rewrites, one by one */

/* a / 2.0 becomes a * 0.5, as in the manual. */
static const irl_expr *no_div(void *user, irl_ctx *cx, const irl_expr *e)
{
    const irl_expr *half;
    if (irl_expr_op(e) != IRL_OP_DIV || irl_expr_float_value(irl_expr_arg(e, 1)) != 2) return e;
    half = irl_expr_float(cx, irl_expr_type(e), 0.5);
    if (user) ++*(int *)user;
    return irl_expr_op2(cx, IRL_OP_MUL, irl_expr_arg(e, 0), half);
}

static const char halves[] = "func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = exp(x[i] / 2.0) / "
                             "2.0 + (x[i] / 2.0) * (x[i] / 2.0); }";

static void divisions(void)
{
    irl_ctx  *cx = irl_ctx_create(NULL);
    int       count = 0;
    irl_func *f = irl_func_rewrite(parse(cx, halves), no_div, &count);
    CHECK(irl_func_equal(f, parse(cx, "func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = exp(x[i] * "
                                      "0.5) * 0.5 + (x[i] * 0.5) * (x[i] * 0.5); }")));
    CHECK(count == 2); /* x[i] / 2 stands there three times, and is one */
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

/* 20 sums, each of the one before and itself: a million as a tree */
static void shared_once(void)
{
    irl_ctx            *cx = irl_ctx_create(NULL);
    const irl_type      index = irl_type_of(IRL_INDEX, 1);
    const irl_expr     *i = irl_expr_var(cx, "i", index), *j = irl_expr_var(cx, "j", index), *e = i;
    irl_rewrite_options how;
    int                 k, asked = 0;
    for (k = 0; k < 20; k++) e = irl_expr_op2(cx, IRL_OP_ADD, e, e);
    memset(&how, 0, sizeof how);
    how.expr = same_expr;
    how.user = &asked;
    CHECK(e && irl_expr_rewrite(cx, e, &how) == e && asked == 21);
    e = irl_expr_op2(cx, IRL_OP_MUL, i, i);
    CHECK(irl_expr_substitute(cx, e, 1, &i, &j) == irl_expr_op2(cx, IRL_OP_MUL, j, j));
    CHECK_OK(cx);
    CHECK(!irl_expr_substitute(cx, e, 1, &e, &j));
    CHECK_CODE(cx, IRL_ERROR_TYPE_MISMATCH);
    irl_ctx_destroy(cx);
}

static const irl_stmt *drop_asserts(void *user, irl_ctx *cx, const irl_stmt *s)
{
    (void)user;
    return irl_stmt_kind_of(s) == IRL_STMT_ASSERT ? irl_stmt_seq(cx, 0, NULL) : s;
}

static int not_parallel(void *user, const irl_stmt *s)
{
    (void)user;
    return irl_stmt_for_kind(s) != IRL_PARALLEL;
}

static const irl_buffer *as_f64(void *user, irl_ctx *cx, const irl_buffer *b)
{
    const irl_expr *shape[IRL_MAX_RANK];
    int             k;
    (void)user;
    for (k = 0; k < irl_buffer_rank(b); k++) shape[k] = irl_buffer_extent(b, k);
    return irl_buffer_new(cx, irl_buffer_name(b), irl_type_of(IRL_F64, 1), irl_buffer_scope(b), k,
                          shape);
}

static void statements_and_buffers(void)
{
    static const char text[] =
        "func f(n: index, x: f32[8], y: f32[8]) { assert(n < 9, \"n\"); for (i: 8) { assert(n > "
        "i, \"i\"); y[i] = x[i]; } for parallel (i: 8) assert(n > i, \"i\"); }";
    irl_ctx            *cx = irl_ctx_create(NULL);
    irl_func           *f = parse(cx, text), *g;
    const irl_stmt     *body = irl_func_body(f), *loop = irl_stmt_child(body, 1), *part;
    irl_rewrite_options how;
    memset(&how, 0, sizeof how);
    how.stmt = drop_asserts;
    how.enter = not_parallel;
    CHECK(irl_func_equal(irl_func_rewrite_with(f, &how),
                         parse(cx, "func f(n: index, x: f32[8], y: f32[8]) { for (i: 8) y[i] = "
                                   "x[i]; for parallel (i: 8) assert(n > i, \"i\"); }")));
    part = irl_stmt_rewrite(cx, loop, &how);
    CHECK(irl_stmt_kind_of(irl_stmt_body(part)) == IRL_STMT_STORE);
    CHECK(irl_stmt_id(part) == irl_stmt_id(loop) && irl_stmt_child(body, 1) == loop);
    g = irl_func_set_body(f, irl_stmt_set_child(cx, body, 0, part));
    CHECK(irl_stmt_child(irl_func_body(g), 0) == part);
    CHECK(irl_stmt_child(irl_func_body(g), 1) == loop);
    CHECK_OK(cx);
    CHECK(!irl_stmt_set_child(cx, body, 3, part));
    CHECK_CODE(cx, IRL_ERROR_BAD_ARGUMENT);
    irl_ctx_destroy(cx);

    cx = irl_ctx_create(NULL);
    memset(&how, 0, sizeof how);
    how.buffer = as_f64;
    f = parse(cx, "func f(x: f32[8], y: f32[8]) { alloc t: f32[8]; for (i: 8) { t[i] = x[i]; "
                  "y[i] = t[i] * t[i]; } }");
    CHECK(irl_func_equal(irl_func_rewrite_with(f, &how),
                         parse(cx, "func f(x: f64[8], y: f64[8]) { alloc t: f64[8]; for (i: 8) { "
                                   "t[i] = x[i]; y[i] = t[i] * t[i]; } }")));
    CHECK_OK(cx);
    irl_ctx_destroy(cx);
}

static const irl_expr *nothing_of(void *user, irl_ctx *cx, const irl_expr *e)
{
    (void)user, (void)cx;
    return irl_expr_op(e) == IRL_OP_DIV ? NULL : e;
}
static const irl_expr *index_of(void *user, irl_ctx *cx, const irl_expr *e)
{
    (void)user;
    return irl_expr_op(e) == IRL_OP_DIV ? irl_expr_index(cx, 1) : e;
}
/* A variable that nothing declares: what a pass may not leave behind. */
static const irl_expr *stray(void *user, irl_ctx *cx, const irl_expr *e)
{
    (void)user;
    return irl_expr_op(e) == IRL_OP_DIV ? irl_expr_var(cx, "stray", irl_expr_type(e)) : e;
}

static void wrong_ones(void)
{
    static const struct {
        irl_rewrite_fn *fn;
        irl_code        code;
    } wrong[] = { { nothing_of, IRL_ERROR_BAD_ARGUMENT },
                  { index_of, IRL_ERROR_TYPE_MISMATCH },
                  { stray, IRL_ERROR_UNDECLARED } };
    size_t k;
    for (k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        CHECK(!irl_func_rewrite(parse(cx, halves), wrong[k].fn, NULL));
        CHECK_CODE(cx, wrong[k].code);
        CHECK(!irl_func_rewrite(NULL, wrong[k].fn, NULL));
        irl_ctx_destroy(cx);
    }
}

static int without_memory(irl_ctx *cx, int which)
{
    irl_rewrite_options how;
    irl_func           *f = parse(cx, halves);
    memset(&how, 0, sizeof how);
    how.expr = no_div;
    how.stmt = unswitch_stmt;
    if (which) how.buffer = same_buffer;
    return irl_func_text(irl_func_rewrite_with(f, &how))[0] != '\0';
}

/* Of a kernel in this file: the line and column that a reader of the file sees. */
enum { PLACED_LINE = __LINE__ + 3 };
IRL_KERNEL(placed, (x: f32[8], y: f32[8]) {
    for (i: 8)
        y[i] = x[i];
});

static void macro_places(void)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    const irl_stmt *loop = irl_func_body(irl_kernel(cx, &placed));
    irl_place       place;
    FILE           *own = fopen(__FILE__, "rb");
    CHECK(irl_stmt_place(cx, irl_stmt_body(loop), &place) && strcmp(place.file, __FILE__) == 0);
    if (own) {
        CHECK(place.line == PLACED_LINE && place.column == 9);
        fclose(own);
    }
    irl_ctx_destroy(cx);
}

int main(void)
{
    nothing();
    corpus();
    by_hand();
    unswitch_by_hand();
    unswitch_keeps_partial();
    unswitch_drawn(100);
    divisions();
    shared_once();
    statements_and_buffers();
    wrong_ones();
    macro_places();
    failing_each(without_memory, 0, 0);
    failing_each(without_memory, 1, 1);
    generated(1, TEST_COUNT(200));
    return TEST_DONE();
}
