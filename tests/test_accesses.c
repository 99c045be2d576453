/* test_accesses.c - the table of accesses: what it says of functions at every stage, beside a count
   of its own; statements inside; indices without lets and axes; failing allocations. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/analysis/analysis.h"
#include "../src/eval/eval.h"
#endif
#include "failing.h"
#include "generate.h"
#include "test.h"

/* ------------------------------------------------------------------ the table as a text */

static const char *const kinds[] = { "read", "write", "update", "opaque" };

static void print_around(irl__text *t, const irl__around *n)
{
    static const char *const words[] = { "for", "block", "axis", "if", "check", "let", "memory" };
    for (; n; n = n->outer) {
        irl__textf(t, " <%s ", words[n->kind]);
        if (n->var) irl__textf(t, "%s", n->var->u.name);
        if (n->kind == IRL__AROUND_BLOCK) irl__text_puts(t, n->stmt->u.block->name);
        if (n->kind == IRL__AROUND_MEMORY) irl__text_puts(t, n->buffer->name);
        if (n->var && n->value) irl__text_puts(t, "=");
        if (n->value) irl__print_expr(t, n->value);
        irl__text_puts(t, ">");
    }
}

static void print_access(irl__text *t, const irl__access *a, int number)
{
    int k;
    irl__textf(t, "%d %s %s", number, kinds[a->kind], a->buffer ? a->buffer->name : "?");
    if (a->buffer && a->memory != a->buffer->data) irl__textf(t, "(%s)", a->memory->u.name);
    irl__text_puts(t, "[");
    for (k = 0; k < a->rank; k++) {
        if (k) irl__text_puts(t, ", ");
        irl__print_expr(t, a->indices[k]);
    }
    irl__text_puts(t, "]");
    if (a->lanes != 1) irl__textf(t, " x%d", (int)a->lanes);
    if (a->is_texel) irl__text_puts(t, " texel");
    if (a->is_declared) irl__text_puts(t, " declared");
    if (a->of_pair >= 0) irl__textf(t, " pair %d", a->of_pair);
    print_around(t, a->around);
    irl__text_puts(t, "\n");
}

static const char *table_text(const irl__accesses *t)
{
    irl__text text;
    int       k;
    irl__text_init(&text, t->cx);
    for (k = 0; k < t->count; k++) print_access(&text, &t->list[k], k);
    return irl__text_done(&text);
}

static void expect(const char *func, const char *expected)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_func       *f = irl_func_parse(cx, func, IRL_TO_NUL, NULL);
    irl__accesses   t;
    irl__arena_mark mark;
    const char     *found;
    if (!CHECK_OK(cx)) return;
    mark = irl__scratch_begin(cx);
    CHECK(irl__accesses_of(&t, f, NULL));
    found = table_text(&t);
    if (!CHECK(strcmp(found, expected) == 0))
        printf("%s\nfound:\n%sexpected:\n%s", func, found, expected);
    irl__scratch_end(cx, mark);
    irl_ctx_destroy(cx);
}

static void tables(void)
{
    expect("func f(n: index, k: i32[n], y: f32[8, n]) { assume(n <= 64); for (i: 8) { let c = 7 - "
           "i; for (j: n) if (j > 0) y[c, j] = y[c, j] + "
           "(k[j] > 0 ? y[i, index(k[j])] : 0.0); } }",
           "0 read y[c, j] pair 4 <if j > 0> <for j> <let c=7 - i> <for i> <check n <= 64>\n"
           "1 read k[j] <if j > 0> <for j> <let c=7 - i> <for i> <check n <= 64>\n"
           "2 read k[j] <if k[j] > 0> <if j > 0> <for j> <let c=7 - i> <for i> <check n <= 64>\n"
           "3 read y[i, index(k[j])] <if k[j] > 0> <if j > 0> <for j> <let c=7 - i> <for i> <check "
           "n <= 64>\n"
           "4 update y[c, j] pair 0 <if j > 0> <for j> <let c=7 - i> <for i> <check n <= 64>\n");
    /* else has the condition denied; && and || look at the right only where the left does not
     * decide; select evaluates both */
    expect("func f(k: i32[8], y: i32[8]) { for (i: 8) if (k[i] > 1 && k[i + 1] > 2 || k[7 - i] > "
           "3) y[i] = select(i > 1, k[0], k[1]); else y[0] = 1; }",
           "0 read k[i] <for i>\n"
           "1 read k[i + 1] <if k[i] > 1> <for i>\n"
           "2 read k[7 - i] <if !(k[i] > 1 && k[i + 1] > 2)> <for i>\n"
           "3 read k[0] <if k[i] > 1 && k[i + 1] > 2 || k[7 - i] > 3> <for i>\n"
           "4 read k[1] <if k[i] > 1 && k[i + 1] > 2 || k[7 - i] > 3> <for i>\n"
           "5 write y[i] <if k[i] > 1 && k[i + 1] > 2 || k[7 - i] > 3> <for i>\n"
           "6 write y[0] <if !(k[i] > 1 && k[i + 1] > 2 || k[7 - i] > 3)> <for i>\n");
    /* bounds of loops, shapes and lets read outside of what they bind; views know their memory */
    expect("func f(k: i32[8], y: f32[8]) { let a = index(k[0]); alloc t: f32[index(k[1])]; decl v: "
           "f32[2, 4] data(y); for (i: index(k[2]) .. a) t[i] = v[1, i % 4]; }",
           "0 read k[0]\n"
           "1 read k[1] <let a=index(k[0])>\n"
           "2 read k[2] <memory v> <memory t> <let a=index(k[0])>\n"
           "3 read k[2] <memory v> <memory t> <let a=index(k[0])>\n"
           "4 read v[1, i % 4] <for i> <memory v> <memory t> <let a=index(k[0])>\n"
           "5 write t[i] <for i> <memory v> <memory t> <let a=index(k[0])>\n");
    /* a let inside an expression; vectors */
    expect("func f(k: i32[8], y: f32[8]) { y[ramp(0, 2, 4)] = broadcast(let(q = k[1], "
           "y[index(q)]), 4); }",
           "0 read k[1]\n"
           "1 read y[index(q)] <let q=k[1]>\n"
           "2 write y[ramp(0, 2, 4)] x4\n");
    /* blocks: bindings outside, init where reductions begin, regions that are only declared,
     * matches of memory */
    expect("func f(x: f32[8, 8], y: f32[8], m: i32[4]) { for (i: 4, j: 8) block b(vi: spatial(8) = "
           "index(m[i]), vk: reduce(8) = j) where(vi < 7) "
           "reads(x[index(m[i]), vk]) writes(y[vi]) { alloc s: f32[1]; match p: f32[1] = x[vi, "
           "index(m[0]): 1]; init y[vi] = 0.0; s[0] = p[0]; y[vi] = y[vi] + s[0]; } }",
           "0 read m[i] <for j> <for i>\n"
           "1 read m[i] declared <if vi < 7> <axis vk=j> <axis vi=index(m[i])> <block b> <for j> "
           "<for i>\n"
           "2 read m[0] <memory s> <if vi < 7> <axis vk=j> <axis vi=index(m[i])> <block b> <for j> "
           "<for i>\n"
           "3 write y[vi] <if vk == 0> <memory p> <memory s> <if vi < 7> <axis vk=j> <axis "
           "vi=index(m[i])> <block b> <for j> <for i>\n"
           "4 read p(x)[0] <memory p> <memory s> <if vi < 7> <axis vk=j> <axis vi=index(m[i])> "
           "<block b> <for j> <for i>\n"
           "5 write s[0] <memory p> <memory s> <if vi < 7> <axis vk=j> <axis vi=index(m[i])> "
           "<block b> <for j> <for i>\n"
           "6 read y[vi] pair 8 <memory p> <memory s> <if vi < 7> <axis vk=j> <axis "
           "vi=index(m[i])> <block b> <for j> <for i>\n"
           "7 read s[0] <memory p> <memory s> <if vi < 7> <axis vk=j> <axis vi=index(m[i])> <block "
           "b> <for j> <for i>\n"
           "8 update y[vi] pair 6 <memory p> <memory s> <if vi < 7> <axis vk=j> <axis "
           "vi=index(m[i])> <block b> <for j> <for i>\n");
    /* calls are handed memory; texels are read and written where they are */
    expect("func f(p: f32[4, 4, 4] scope(texture) sep(1), raw: ptr(f32, global), y: f32[4]) { "
           "evaluate extern(i32, mix, y, raw, y[2]); "
           "evaluate intrinsic(f32x4, texture2d_store, p, 1, 2, intrinsic(f32x4, texture2d_load, "
           "p, 0, 3)); }",
           "0 read y[2]\n"
           "1 opaque y[]\n"
           "2 opaque ?[]\n"
           "3 read p[0, 3] texel\n"
           "4 write p[1, 2] texel\n");
    /* what holds for the rest of a sequence ends with it */
    expect("func f(n: index, y: f32[8]) { for (i: 8) { assert(n > i, \"\"); y[i] = 1.0; } y[0] = "
           "2.0; attr(a = 1) { let b = 1; y[b] = 0.0; } y[1] = 3.0; }",
           "0 write y[i] <check n > i> <for i>\n"
           "1 write y[0]\n"
           "2 write y[b] <let b=1>\n"
           "3 write y[1]\n");
}

/* ------------------------------------------------------------------ beside a count of its own, at
 * every stage */

typedef struct counted {
    int loads, stores, pointers, loops;
} counted;

static int count_expr(irl__visitor *v, const irl_expr *e)
{
    counted *c = (counted *)v->user;
    uint32_t k;
    c->loads += e->op == IRL_OP_LOAD;
    for (k = 0; (e->op == IRL_OP_CALL_EXTERN || e->op == IRL_OP_CALL_INTRINSIC) && k < e->count;
         k++)
        c->pointers += e->a[k]->type.is_pointer;
    return 1;
}

static int count_stmt(irl__visitor *v, const irl_stmt *s)
{
    counted *c = (counted *)v->user;
    int      k;
    c->stores += s->kind == IRL__STORE;
    for (k = 0; s->kind == IRL__LAUNCH && k < s->u.launch.count; k++)
        c->pointers += s->u.launch.args[k]->type.is_pointer;
    return 1;
}

/* Loads in shapes are the table's alone. */
static void count_buffer(irl__visitor *v, const irl_buffer *b, const irl_stmt *s)
{
    irl__visitor inner = *v;
    int          k;
    inner.buffer = NULL;
    if (!s || (s->kind != IRL__ALLOC && s->kind != IRL__DECL)) return;
    for (k = 0; k < b->rank; k++) irl__visit_expr(&inner, b->shape[k]);
}

static int is_inside(const irl_stmt *s, const irl_stmt *of);

typedef struct sought {
    const irl_stmt *what;
    int             found;
} sought;

static int seek_stmt(irl__visitor *v, const irl_stmt *s)
{
    sought *w = (sought *)v->user;
    w->found |= s == w->what;
    return !w->found;
}

static int is_inside(const irl_stmt *s, const irl_stmt *of)
{
    sought       w;
    irl__visitor v = irl__visitor_make(&w, NULL, seek_stmt);
    w.what = s;
    w.found = 0;
    irl__visit_stmt(&v, of);
    return w.found;
}

/* Kinds and numbers fit; what stands around has the place inside of it, and each of its loops. */
static int access_is_sound(const irl__accesses *t, const irl__access *a)
{
    const irl__around *loops[IRL_MAX_DEPTH], *n;
    int k, count = irl__access_loop_count(a), depth = a->around ? a->around->depth : -1;
    if (a->kind != IRL__ACCESS_OPAQUE && !a->is_texel && (!a->buffer || a->rank != a->buffer->rank))
        return 0;
    if (a->of_pair >= 0 &&
        (t->list[a->of_pair].memory != a->memory || a->of_pair == (int)(a - t->list)))
        return 0;
    irl__access_loops(a, loops);
    for (k = 0; k < count; k++)
        if (loops[k]->stmt->kind != IRL__FOR || !is_inside(a->place, loops[k]->stmt) ||
            (k && !is_inside(loops[k]->stmt, loops[k - 1]->stmt)))
            return 0;
    for (n = a->around; n; n = n->outer, depth--) {
        if (n->depth != depth) return 0;
        if ((n->kind == IRL__AROUND_LOOP || n->kind == IRL__AROUND_BLOCK) &&
            (n->first > a - t->list || n->end <= a - t->list))
            return 0;
    }
    return depth == -1;
}

static void sound(irl_ctx *cx, const irl_func *f, const char *stage, unsigned long seed)
{
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__accesses   t, inner;
    counted         c;
    irl__visitor    v = irl__visitor_make(&c, count_expr, count_stmt);
    int             k, ok, found[4] = { 0, 0, 0, 0 };
    memset(&c, 0, sizeof c);
    v.buffer = count_buffer;
    irl__visit_stmt(&v, f->body);
    ok = irl__accesses_of(&t, f, NULL);
    for (k = 0; ok && k < t.count; k++) {
        ok = access_is_sound(&t, &t.list[k]);
        if (t.list[k].is_texel || t.list[k].kind == IRL__ACCESS_OPAQUE) found[3]++;
        else found[t.list[k].kind]++;
    }
    ok = ok && found[0] == c.loads && found[1] + found[2] == c.stores && found[3] == c.pointers;
    /* the table of one statement is a part of the table of all */
    if (ok && t.count) {
        const irl__access *a = &t.list[t.count / 2];
        ok = irl__accesses_of(&inner, f, a->place) && inner.count > 0;
        for (k = 0; ok && k < t.count &&
                    !(t.list[k].place == a->place || is_inside(t.list[k].place, a->place));
             k++) {}
        ok = ok && inner.list[0].expr == t.list[k].expr && inner.list[0].place == t.list[k].place &&
             irl__access_loop_count(&inner.list[0]) == irl__access_loop_count(&t.list[k]);
    }
    for (k = 0; ok && k < t.count; k++) {
        int j;
        for (j = 0; ok && j < t.list[k].rank; j++)
            ok = irl__accesses_plain(&t, t.list[k].indices[j]) != NULL;
    }
    if (!CHECK(ok && irl_ok(cx)))
        printf("seed %lu at %s\n%s\n%s", seed, stage, irl_func_text(f), irl_diag_text(cx));
    irl__scratch_end(cx, mark);
}

static void generated(void)
{
    gen_options options;
    int         seed, k, n = TEST_COUNT(300);
    memset(&options, 0, sizeof options);
    for (seed = 1; seed <= n; seed++) {
        gen_case        c = gen_function((uint64_t)seed, options);
        irl_ctx        *cx = irl_ctx_create(NULL);
        const irl_func *f = irl_func_parse(cx, c.text, IRL_TO_NUL, NULL), *stage = f;
        irl_module     *m;
        sound(cx, f, "parsed", (unsigned long)seed);
        for (k = 0; stage && irl_pass_name(k); k++) {
            if (!TEST_PASS(k)) continue;
            stage = irl_func_run_pass(stage, irl_pass_name(k));
            if (stage) sound(cx, stage, irl_pass_name(k), (unsigned long)seed);
        }
        m = irl_func_lower(f, &irl_target_opencl12);
        CHECK(m != NULL);
        if (m) sound(cx, irl_module_host(m), "host", (unsigned long)seed);
        for (k = 0; m && k < m->kernel_count; k++)
            sound(cx, m->kernels[k], "kernel", (unsigned long)seed);
        irl_ctx_destroy(cx);
        gen_free(&c);
    }
}

/* ------------------------------------------------------------------ without lets and axes */

static void plain(const char *func, int row, int index, const char *expected)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    irl_func       *f = irl_func_parse(cx, func, IRL_TO_NUL, NULL);
    irl__accesses   t;
    irl__arena_mark mark;
    const char     *found;
    if (!CHECK_OK(cx)) return;
    mark = irl__scratch_begin(cx);
    CHECK(irl__accesses_of(&t, f, NULL) && row < t.count);
    found = irl_expr_text(cx, irl__accesses_plain(&t, t.list[row].indices[index]));
    if (!CHECK(found && strcmp(found, expected) == 0))
        printf("%s\nfound %s, expected %s\n", func, found ? found : "nothing", expected);
    irl__scratch_end(cx, mark);
    irl_ctx_destroy(cx);
}

static void plain_indices(void)
{
    plain("func f(y: f32[64]) { for (i: 8) { let a = i * 2; let b = a + 1; y[b] = 0.0; } }", 0, 0,
          "i * 2 + 1");
    plain("func f(y: f32[64]) { for (i: 8) block c(v: spatial(8) = 7 - i) { let a = v * 2; y[a + "
          "v] = 0.0; } }",
          0, 0, "(7 - i) * 2 + (7 - i)");
    /* what was read from memory stays the name of what was read */
    plain("func f(k: i32[8], y: f32[64]) { for (i: 8) { let a = index(k[i]); let b = a + i; y[b] = "
          "0.0; } }",
          1, 0, "a + i");
    /* a let inside an index is its own */
    plain("func f(y: f32[64]) { for (i: 8) { let a = i * 2; y[let(q = a + 1, q + q)] = 0.0; } }", 0,
          0, "let(q = i * 2 + 1, q + q)");
}

/* A chain of lets that doubles each time, and one that is deep: no failure, and no long work. */
static void plain_is_bounded(void)
{
    char *text = (char *)malloc(200000), *p = text;
    int   k, n = 3000;
    p += sprintf(p, "func f(y: f32[64]) { for (i: 8) { let a0 = i; ");
    for (k = 1; k <= n; k++)
        p += sprintf(p, k % 2 ? "let a%d = a%d + a%d; " : "let a%d = a%d + 1; ", k, k - 1, k - 1);
    sprintf(p, "y[a%d] = 0.0; } }", n);
    {
        irl_ctx        *cx = irl_ctx_create(NULL);
        irl_func       *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
        irl__arena_mark mark = irl__scratch_begin(cx);
        irl__accesses   t;
        CHECK_OK(cx);
        CHECK(irl__accesses_of(&t, f, NULL) && t.count == 1);
        CHECK(irl__accesses_plain(&t, t.list[0].indices[0]) != NULL);
        CHECK_OK(cx);
        irl__scratch_end(cx, mark);
        irl_ctx_destroy(cx);
    }
    free(text);
}

/* ------------------------------------------------------------------ failing allocations */

static int asks(irl_ctx *cx, int which)
{
    static const char text[] =
        "func f(x: f32[8, 8], y: f32[8], m: i32[4]) { for (i: 4, j: 8) block b(vi: spatial(8) = "
        "index(m[i]), vk: reduce(8) = j) where(vi < 7) {"
        " alloc s: f32[1]; match p: f32[1] = x[vi, vk: 1]; init y[vi] = 0.0; let c = vi; s[0] = c "
        "> 1 && m[c % 4] > 2 ? p[0] : 0.0;"
        " y[c] = y[c] + s[0]; } }";
    irl_func       *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    irl__arena_mark mark = irl__scratch_begin(cx);
    irl__accesses   t;
    int             done;
    (void)which;
    done = f && irl__accesses_of(&t, f, NULL) &&
           irl__accesses_plain(&t, t.list[t.count - 1].indices[0]) != NULL;
    irl__scratch_end(cx, mark);
    return done;
}

int main(void)
{
    tables();
    generated();
    plain_indices();
    plain_is_bounded();
    failing_each(asks, 0, 0);
    return TEST_DONE();
}
