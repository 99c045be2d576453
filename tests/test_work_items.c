/* test_work_items.c - nests over work-items,
written by hand: what stands outside the loops bound to
   an axis is done by every work-item of it. Lowering refuses what is a race whatever the data is,
   the interpreter judges, and what is right is lowered.

   build/split/tests/test_work_items 7 takes another seed. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#include "test.h"
#include "random64.h"

enum { CELLS = 64 };

typedef struct nest {
    char text[1024];
    int  has_race; /* by its making */
    int  unsure;   /* it may have one, or memory chooses the work-item that stores: not proved */
} nest;

static const char *pick(const char *const *list, int count) { return list[random_below(count)]; }

/* A statement beside loops bound to local.x, in a group i; `common`: it stores for all to see. */
static const char *beside(int *common, int *chosen)
{
    static const char *const own[] = { "p[0] = 3;", "p[1] = p[0] + 1;",
                                       "if (p[0] > 1) p[1] = p[0];", "{ let c = x[i]; p[1] = c; }",
                                       "for (k: 2) p[k] = x[i + k];" };
    static const char *const all[] = { "z[i] = 7;",
                                       "z[0] = x[i];",
                                       "z[i] = z[i] + 1;",
                                       "for (k: 2) z[i * 2 + k] = x[k];",
                                       "if (n > 2) z[i] = 1;",
                                       "{ let c = i * 2; z[c] = p[0]; }",
                                       "if (i == 1) { p[0] = 2; z[i + 8] = 1; }" };
    static const char *const one[] = { "if (p[1] == 1) z[i] = 5;", "z[i * 4 + index(p[1])] = 6;",
                                       "{ let c = index(p[1]); z[i * 4 + c] = x[c]; }",
                                       "for (k: index(p[1]) .. index(p[1]) + 1) z[i * 4 + k] = 2;",
                                       "if (p[1] == 0) for (k: 2) z[i * 2 + k] = x[k];" };
    int kind = random_below(5);
    if (kind < 2) return pick(own, 5);
    if (kind < 4) {
        *common = 1;
        return pick(all, 7);
    }
    *chosen = 1;
    return pick(one, 5);
}

static nest make(void)
{
    static const char *const outer[] = { "group.x", "group.y", "global.y" };
    nest  t;
    char  body[512] = "";
    int   items = random_below(4) ? 4 : 1, count = 1 + random_below(3), k, common = 0, chosen = 0;
    int   has_loop = random_below(5) != 0;
    char  local[256];
    const char *axis = pick(outer, 3), *inner = "local.x";
    snprintf(local, sizeof local, "for bind(%s) (j: %d) { p[1] = i64(j); y[i * 4 + j] = x[j] + "
             "p[0]; }", inner, items);
    if (has_loop) strcat(body, local);
    for (k = 0; k < count; k++) strcat(strcat(body, " "), beside(&common, &chosen));
    if (has_loop && random_below(2)) {
        snprintf(local, sizeof local, " for bind(%s) (j: %d) y[i * 4 + j + 32] = p[1];", inner,
                 items);
        strcat(body, local);
    }
    snprintf(t.text, sizeof t.text,
             "func f(n: index, x: i64[64], y: i64[64], z: i64[64]) { for bind(%s) (i: 3) { alloc "
             "p: i64[2] scope(local); p[0] = 1; p[1] = 0; %s } }",
             axis, body);
    t.has_race = common && has_loop && items > 1;
    t.unsure = chosen || strstr(body, "z[0]") != NULL || strstr(body, "z[i * 2") != NULL ||
               strstr(body, "z[c]") != NULL;
    return t;
}

static int data_races, refusals, right_ones;

static void check_nest(const nest *t)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_parse(cx, t->text, IRL_TO_NUL, NULL);
    irl_mark    mark;
    irl_module *m;
    int64_t     n, x[CELLS], y[CELLS], z[CELLS], u[CELLS], v[CELLS];
    int         k, races = 0, refused, ok = CHECK_OK(cx);
    mark = irl_ctx_mark(cx);
    for (n = 0; n < 6; n += 5) {
        for (k = 0; k < CELLS; k++) x[k] = k % 5, y[k] = z[k] = -k;
        if (!irl_func_interpret(f, IRL_ARGS(&n, x, y, z))) {
            ok &= CHECK_CODE(cx, IRL_ERROR_DATA_RACE);
            races = 1;
        }
        irl_ctx_rewind(cx, mark);
    }
    m = irl_func_lower(f, random_below(2) ? &irl_target_opencl12 : &irl_target_c99);
    refused = !m;
    if (refused) ok &= CHECK_CODE(cx, IRL_ERROR_DATA_RACE);
    ok &= CHECK(!refused || races); /* what is right is not refused */
    ok &= CHECK(!t->has_race || refused);
    ok &= CHECK(t->unsure || refused == races);
    if (m && !races) {
        for (k = 0; k < CELLS; k++) u[k] = v[k] = -k;
        ok &= CHECK(irl_module_interpret(m, IRL_ARGS(&n, x, u, v)));
        n = 5;
        for (k = 0; k < CELLS; k++) u[k] = v[k] = -k;
        ok &= CHECK(irl_module_interpret(m, IRL_ARGS(&n, x, u, v)) &&
                    memcmp(y, u, sizeof y) == 0 && memcmp(z, v, sizeof z) == 0);
    }
    data_races += races, refusals += refused, right_ones += !races;
    if (!ok && test_failed < 12)
        printf("%s\n%s, %s\n%s\n", t->text, races ? "a race" : "no race",
               refused ? "refused" : "lowered", irl_diag_text(cx));
    irl_ctx_destroy(cx);
}

typedef struct written_row {
    const char *text, *says; /* NULL: it is lowered */
    irl_code    code;        /* 0: a race */
} written_row;

static const written_row rows[] = {
    { "for bind(global.x) (i: 4) { y[0] = 1; for bind(local.x) (j: 4) y[i * 4 + j] = 2; }",
      "'y' is written outside the loops bound to local.x", IRL_OK },
    { "for bind(group.x) (i: 4) { z[i] = 1; for bind(local.x) (j: 4) y[i * 4 + j] = 2; }",
      "'z' is written outside the loops bound to local.x", IRL_OK },
    { "for bind(group.x) (i: 4) { for bind(local.x) (j: 1) y[i] = 2; z[i] = 1; }", NULL, IRL_OK },
    { "for bind(group.x) (i: 4) { for bind(local.x) (j: n) y[j] = 2; if (n > 2) z[i] = 1; }",
      "outside the loops bound to local.x", IRL_OK },
    { "for bind(group.x) (i: 4) { alloc s: i64[4] scope(shared); for bind(local.x) (j: 4) s[j] = "
      "3; barrier(shared); z[i] = s[0]; }",
      "'z' is written outside the loops bound to local.x", IRL_OK },
    { "for bind(group.x) (i: 4) { for bind(local.x) (j: 4) y[i * 4 + j] = 2; for bind(local.y) (k: "
      "4) z[i * 4 + k] = 1; }",
      "outside the loops bound to local.", IRL_OK },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) { z[i * 4 + j] = 1; y[i * 4 + j] = 2; }",
      NULL, IRL_OK },
    /* iterations of one axis that meet, where no barrier can order them */
    { "for bind(global.x) (i: 4) y[0] = 1;",
      "iterations 0 and 1 of bound loop 'i' touch 'y'[0]", IRL_OK },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) y[j] = 1;",
      "iterations 0 and 1 of bound loop 'i' touch 'y'[0]", IRL_OK },
    { "for bind(global.x) (i: 8) y[i] = y[7 - i];", "of bound loop 'i' touch ", IRL_OK },
    { "for bind(global.y) (i: 4) for bind(global.x) (j: 4) { alloc p: i64[1] scope(local); p[0] = "
      "3; y[i * 4 + j] = p[0]; }",
      NULL, IRL_OK },
    { "for bind(global.y) (i: 4) { alloc p: i64[1] scope(local); for bind(global.x) (j: 4) { p[0] "
      "= i64(j); y[i * 4 + j] = p[0]; } }",
      NULL, IRL_OK },
    { "for bind(global.x) (i: 8) z[i] = y[i] + y[8];", NULL, IRL_OK },
    /* memory that is allocated in a kernel is each work-item's own */
    { "for bind(group.x) (i: 4) { alloc p: i64[4]; for (k: 4) p[k] = i64(i + k); "
      "for bind(local.x) (j: 4) y[i * 4 + j] = p[j]; }",
      NULL, IRL_OK },
    /* all work-items of a group come to a barrier, or none */
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) { if (j < 2) barrier(shared); y[i * 4 + "
      "j] = 1; }",
      "a barrier depends on j < 2, which may differ between work-items of 'j'",
      IRL_ERROR_BARRIER_DIVERGENT },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) { for (k: j) barrier(shared); y[i * 4 + "
      "j] = 1; }",
      "a barrier depends on j, which", IRL_ERROR_BARRIER_DIVERGENT },
    { "for bind(global.x) (i: 8) { y[i] = 1; let b = i % 2; if (b > 0) { barrier(global); y[i] = "
      "2; } }",
      "a barrier depends on b > 0", IRL_ERROR_BARRIER_DIVERGENT },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) { if (j < 4) barrier(shared); y[i * 4 + "
      "j] = 1; }",
      NULL, IRL_OK },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) { if (i < n) barrier(shared); y[i * 4 + "
      "j] = 1; }",
      NULL, IRL_OK },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 1) { if (j < n) barrier(shared); y[i * 4 + "
      "j] = 1; }",
      NULL, IRL_OK },
    /* what a group allocates in a loop is one array there: a barrier ends its iterations, which the
       interpreter, run on the module, asks for, unless no two work-items use an element */
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) for (t: 4) { alloc s: i64[4] "
      "scope(shared); s[j] = i64(t + j); barrier(shared); y[i * 16 + t * 4 + j] = s[3 - j]; }",
      NULL, IRL_OK },
    { "for bind(group.x) (i: 4) for (t: 2) for (u: 2) { alloc s: i64[4] scope(shared); for "
      "bind(local.x) (j: 4) s[j] = i64(t + j); barrier(shared); for bind(local.x) (j: 4) y[(i * 4 "
      "+ t * 2 + u) * 4 + j] = s[3 - j]; }",
      NULL, IRL_OK },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) for (t: 4) { if (t != i) { alloc s: "
      "i64[4] scope(shared); s[(j + t) % 4] = i64(t + j); y[i * 16 + t * 4 + j] = s[(j + t) % 4]; "
      "} }",
      NULL, IRL_OK },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) for (t: 4) { alloc s: i64[4] "
      "scope(shared); s[j] = i64(t); y[i * 16 + t * 4 + j] = s[j]; }",
      NULL, IRL_OK },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) for (t: j) { alloc s: i64[4] "
      "scope(shared); s[(j + t) % 4] = i64(t); y[i * 16 + t * 4 + j] = s[(j + t) % 4]; }",
      "a barrier is needed at its end: but j may differ between work-items of 'j'",
      IRL_ERROR_BARRIER_DIVERGENT },
    { "for bind(group.x) (i: 4) for bind(local.x) (j: 4) { if (j > 1) for (t: 4) { alloc s: i64[4] "
      "scope(shared); s[(j + t) % 4] = i64(t); y[i * 16 + t * 4 + j] = s[(j + t) % 4]; } }",
      "may differ between work-items of 'j'", IRL_ERROR_BARRIER_DIVERGENT },
    /* what never runs does not race */
    { "for bind(global.x) (i: 4) for (k: 0) for parallel (j: 3) y[0] = 1;", NULL, IRL_OK },
    { "for (k: 0) for bind(global.x) (j: 3) y[0] = 1;", NULL, IRL_OK },
    /* a launch has one range: here each iteration launches */
    { "for parallel (i: 4) for bind(global.x) (j: i + 1) y[i * 4 + j] = 1;", NULL, IRL_OK },
};

/* Does the module what the function does? */
static int is_same(const irl_func *f, const irl_module *m)
{
    irl_index n = 3;
    int64_t   y[64], z[64], u[64], v[64];
    int       k;
    for (k = 0; k < 64; k++) u[k] = v[k] = y[k] = z[k] = -k;
    return irl_func_interpret(f, IRL_ARGS(&n, y, z)) &&
           irl_module_interpret(m, IRL_ARGS(&n, u, v)) && memcmp(y, u, sizeof y) == 0 &&
           memcmp(z, v, sizeof z) == 0;
}

static void test_written(void)
{
    size_t k;
    char   text[512];
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        irl_ctx          *cx = irl_ctx_create(NULL);
        const irl_func   *f;
        const irl_module *m;
        int               ok;
        snprintf(text, sizeof text, "func f(n: index, y: i64[64], z: i64[64]) { %s }",
                 rows[k].text);
        f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        m = irl_func_lower(f, &irl_target_opencl12);
        ok = m != NULL;
        if (rows[k].says)
            ok = CHECK(!ok) && CHECK_CODE(cx, rows[k].code ? rows[k].code : IRL_ERROR_DATA_RACE) &&
                 CHECK(strstr(irl_diag_text(cx), rows[k].says) != NULL);
        else ok = CHECK_OK(cx) && CHECK(ok) && CHECK(is_same(f, m));
        if (!ok) printf("%s\n%s\n", text, irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
}

int main(int argc, char **argv)
{
    int k, total = TEST_COUNT(600);
    if (argc > 1) random64_seed(argv[1]);
    test_written();
    for (k = 0; k < total; k++) {
        nest t = make();
        check_nest(&t);
    }
    printf("%d nests over work-items: %d race, %d are refused, %d are right\n", total, data_races,
           refusals, right_ones);
    CHECK(refusals > total / 10 && right_ones > total / 10);
    return TEST_DONE();
}
