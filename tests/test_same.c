/* test_same.c - where a scope or a layout is said does not matter: in the function's text, by a
   call, or by the places of a graph, the module and its source are the same byte for byte. Sums
   into images among them: those that are written as sum, and those that set a cell and add to it.
   tests/checks/same.sh compares with what irlc is told.

   usage     build/split/tests/test_same [FIRST [COUNT]]
             build/split/tests/test_same write NUMBER DIR: DIR/said.irl, DIR/bare.irl, and in
             DIR/options what irlc is told of the second */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"

#include <string.h>

#include "test.h"

enum { SAME_COUNT = 400, SAME_TEXT = 4096, SAME_PARAMS = 3 };

/* What is said of a parameter. */
typedef struct said {
    const char *name;
    int         rank, extent[4];
    const char *scope;       /* "texture"; NULL: nothing */
    char        layout[128]; /* "(i, j) -> (j, i)"; "": nothing */
} said;

typedef struct same_case {
    const char *type;
    said        param[SAME_PARAMS]; /* x, w, y */
    char        body[SAME_TEXT / 2];
    const char *kind;
} same_case;

static int lowered, refused, sums, images;

/* ------------------------------------------------------------------ a function */

static const char *const letters[] = { "i", "j", "k", "l" };

static void set_extents(said *p, const char *name, int rank)
{
    int k;
    memset(p, 0, sizeof *p);
    p->name = name;
    p->rank = rank;
    for (k = 0; k < rank; k++) p->extent[k] = 1 + TEST_RANDOM(6);
    p->extent[rank - 1] = TEST_RANDOM(4) ? 4 : 4 * (1 + TEST_RANDOM(3));
}

/* An image, or plain memory in another order. */
static void draw_place(said *p)
{
    const int last = p->extent[p->rank - 1];
    switch (TEST_RANDOM(6)) {
    case 0: break;
    case 1:
        if (p->rank == 2) strcpy(p->layout, "(i, j) -> (j, i)");
        if (p->rank == 3) strcpy(p->layout, "(i, j, k) -> (k / 4, i, j, k % 4)");
        if (p->rank == 4) strcpy(p->layout, "(i, j, k, l) -> (l, k, i, j)");
        break;
    case 2:
        if (p->rank == 2) strcpy(p->layout, "(i, j) -> (i, |, j / 4, j % 4)");
        if (p->rank == 3) strcpy(p->layout, "(i, j, k) -> (k / 4, i, |, j, k % 4)");
        if (p->rank == 4) strcpy(p->layout, "(i, j, k, l) -> (i, j, |, k, l / 4, l % 4)");
        p->scope = "texture";
        break;
    case 3: if (last == 4) p->scope = "texture:buffer"; break;
    default: if (last == 4 && p->rank > 2) p->scope = "texture";
    }
}

/* y's index; some axes from the end, some elsewhere. */
static int write_cell(char *out, const said *y, int shifted)
{
    int k, n = sprintf(out, "y[");
    for (k = 0; k < y->rank; k++)
        n += sprintf(out + n, shifted == k ? "%s%d - %s" : "%s%.0d%s", k ? ", " : "",
                     shifted == k ? y->extent[k] - 1 : 0, letters[k]);
    return n + sprintf(out + n, "]");
}

static int write_loops(char *out, const said *y)
{
    int k, n = sprintf(out, TEST_RANDOM(4) ? "for (" : "named: for (");
    for (k = 0; k < y->rank; k++)
        n += sprintf(out + n, "%s%s: %d", k ? ", " : "", letters[k], y->extent[k]);
    return n + sprintf(out + n, ") ");
}

/* x[i, r] * w[r, j]: the axes of x and w are extents of y and of the sum. */
static void draw_case(same_case *c)
{
    static const char *const types[] = { "f32", "f32", "i32", "f16" };
    static const char *const kinds[] = { "sum", "nest", "block", "max", "twice", "scaled", "copy",
                                         "where", "more" };
    said      *x = &c->param[0], *w = &c->param[1], *y = &c->param[2];
    char       cell[128], term[64];
    const int  most = 2 + TEST_RANDOM(7), last = TEST_RANDOM(2) ? 0 : 1;
    const char *rows;
    int        n;
    memset(c, 0, sizeof *c);
    c->type = types[TEST_RANDOM(4)];
    c->kind = kinds[TEST_RANDOM(9)];
    set_extents(y, "y", 2 + TEST_RANDOM(3));
    set_extents(x, "x", 2);
    set_extents(w, "w", 2);
    rows = letters[last ? y->rank - 2 : 0];
    x->extent[0] = y->extent[last ? y->rank - 2 : 0];
    x->extent[1] = w->extent[0] = most;
    w->extent[1] = y->extent[y->rank - 1];
    draw_place(x);
    draw_place(w);
    draw_place(y);
    write_cell(cell, y, TEST_RANDOM(3) ? -1 : TEST_RANDOM(y->rank - 1));
    sprintf(term, "x[%s, r] * w[r, %s]", rows, letters[y->rank - 1]);
    n = write_loops(c->body, y);
    if (c->kind[0] == 's' && c->kind[1] == 'u')
        sprintf(c->body + n, "%s = sum(r: %d, %s);", cell, most, term);
    else if (c->kind[0] == 'n')
        sprintf(c->body + n, "{ %s = 0; for (r: %d) %s = %s + %s; }", cell, most, cell, cell, term);
    else if (c->kind[0] == 'm' && c->kind[1] == 'a')
        sprintf(c->body + n, "%s = max(r: %d, %s);", cell, most, term);
    else if (c->kind[0] == 't')
        n += sprintf(c->body + n, "%s = sum(r: %d, %s); ", cell, most, term),
            n += write_loops(c->body + n, y),
            sprintf(c->body + n, "%s = sum(r: %d, x[%s, r]);", cell, most, rows);
    else if (c->kind[0] == 's')
        sprintf(c->body + n, "%s = 2 * sum(r: %d, %s) + 1;", cell, most, term);
    else if (c->kind[0] == 'w')
        sprintf(c->body + n, "if (i < %d) %s = sum(r: %d, %s);", 1 + TEST_RANDOM(4), cell, most,
                term);
    else if (c->kind[0] == 'm')
        sprintf(c->body + n, "{ let u = %s * 2; %s = sum(r: u - %s - %s + %d, %s); }", rows, cell,
                rows, rows, most, term);
    else if (c->kind[0] == 'b') {
        const int rank = y->rank;
        int       k;
        n += sprintf(c->body + n, "for (r: %d) block b(", most);
        for (k = 0; k < rank; k++)
            n += sprintf(c->body + n, "v%s: spatial(%d) = %s, ", letters[k], y->extent[k],
                         letters[k]);
        n += sprintf(c->body + n, "vr: reduce(%d) = r) { init y[", most);
        for (k = 0; k < rank; k++)
            n += sprintf(c->body + n, k ? ", v%s" : "v%s", letters[k]);
        n += sprintf(c->body + n, "] = 0; y[");
        for (k = 0; k < rank; k++)
            n += sprintf(c->body + n, k ? ", v%s" : "v%s", letters[k]);
        n += sprintf(c->body + n, "] += x[v%s, vr] * w[vr, v%s]; }", rows, letters[rank - 1]);
    } else
        sprintf(c->body + n, "%s = x[%s, 0] + w[0, %s];", cell, rows, letters[y->rank - 1]);
}

/* The function; with what is said in its text, or with empty lines in its place, so that the body
   has the same position. */
static int write_func(char *out, const same_case *c, int says)
{
    int k, j, n = sprintf(out, "func f(");
    for (k = 0; k < SAME_PARAMS; k++) {
        const said *p = &c->param[k];
        n += sprintf(out + n, "%s%s: %s[", k ? ", " : "", p->name, c->type);
        for (j = 0; j < p->rank; j++) n += sprintf(out + n, j ? ", %d" : "%d", p->extent[j]);
        n += sprintf(out + n, "]");
        if (says && p->scope) n += sprintf(out + n, " scope(%s)", p->scope);
        n += sprintf(out + n, "\n");
    }
    n += sprintf(out + n, ")");
    for (k = 0; k < SAME_PARAMS; k++) {
        if (says && c->param[k].layout[0])
            n += sprintf(out + n, " layout(%s: %s)", c->param[k].name, c->param[k].layout);
        n += sprintf(out + n, "\n");
    }
    return n + sprintf(out + n, "{ %s }\n", c->body);
}

static irl_scope scope_of(const said *p)
{
    return !p->scope                  ? IRL_SCOPE_GLOBAL
           : strchr(p->scope, ':') ? IRL_SCOPE_TEXTURE_BUFFER
                                      : IRL_SCOPE_TEXTURE;
}

/* The same by calls, in any order of the parameters and of the two calls. */
static const irl_func *call(irl_ctx *cx, const same_case *c)
{
    char            text[SAME_TEXT];
    const int       length = write_func(text, c, 0), first = TEST_RANDOM(SAME_PARAMS);
    const irl_func *f = irl_func_parse(cx, text, (size_t)length, NULL);
    int             k, j;
    for (k = 0; k < SAME_PARAMS; k++) {
        const said *p = &c->param[(first + k) % SAME_PARAMS];
        const int   turned = TEST_RANDOM(2);
        for (j = 0; f && j < 2; j++)
            if (j != turned && p->layout[0])
                f = irl_func_set_layout(f, p->name, irl_map_parse(cx, p->layout));
            else if (j == turned && p->scope)
                f = irl_func_set_scope(f, p->name, scope_of(p));
    }
    return f;
}

/* ------------------------------------------------------------------ what must be the same */

/* The module, and its source where the target has one; what is said where it is refused. */
static void note_module(irl_ctx *cx, const irl_module *m, const char *target, char *out,
                        size_t room)
{
    const char *text = m ? irl_module_text(m) : NULL, *source = NULL;
    if (m && strcmp(target, "c99") == 0) source = irl_c_source(m);
    else if (m && strcmp(target, "glsl") == 0) source = irl_glsl_source(m, 0);
    else if (m) source = irl_ocl_source(m);
    if (text && source) snprintf(out, room, "%s\n%s", text, source);
    else snprintf(out, room, "refused: %d", (int)irl_diag_of(cx)->code);
}

static void note_func(const same_case *c, const char *target, int says, char *out, size_t room)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    char            text[SAME_TEXT];
    const irl_func *f = says ? irl_func_parse(cx, text, (size_t)write_func(text, c, 1), NULL)
                             : call(cx, c);
    note_module(cx, f ? irl_func_lower(f, irl_target_find(target)) : NULL, target, out, room);
    irl_ctx_destroy(cx);
}

typedef struct same_graph {
    irl_ctx         *cx;
    const same_case *c;
} same_graph;

static int collect_said(void *user, const irl_graph *g, irl_graph_place *places)
{
    const same_graph *at = (const same_graph *)user;
    const same_case  *c = at->c;
    int              k, j;
    for (k = 0; k < irl_graph_tensor_count(g); k++)
        for (j = 0; j < SAME_PARAMS; j++) {
            const said *p = &c->param[j];
            if (strcmp(irl_graph_tensor_of(g, k)->name, p->name) != 0) continue;
            if (p->layout[0]) places[k].map = irl_map_parse(at->cx, p->layout);
            places[k].scope = scope_of(p);
        }
    return 1;
}

static void note_graph(const same_case *c, const char *target, int says, char *out, size_t room)
{
    irl_ctx                  *cx = irl_ctx_create(NULL);
    irl_graph_storage_options how;
    same_graph                at;
    irl_graph                *g;
    const char               *why;
    char                      text[2 * SAME_TEXT];
    int                       k, j, n = sprintf(text, "graph net {\n");
    memset(&how, 0, sizeof how);
    at.cx = cx;
    at.c = c;
    how.user = &at;
    how.collect = collect_said;
    n += write_func(text + n, c, says);
    for (k = 0; k < SAME_PARAMS - 1; k++) {
        n += sprintf(text + n, "input %s: %s[", c->param[k].name, c->type);
        for (j = 0; j < c->param[k].rank; j++)
            n += sprintf(text + n, j ? ", %d" : "%d", c->param[k].extent[j]);
        n += sprintf(text + n, "];\n");
    }
    n += sprintf(text + n, "y = f(x, w);\noutput y;\n}\n");
    g = irl_graph_parse(cx, text, (size_t)n, NULL);
    if (g && !says) g = irl_graph_place_tensors(g, irl_target_find(target), &how, &why);
    note_module(cx, g ? irl_graph_lower(g, irl_target_find(target)) : NULL, target, out, room);
    irl_ctx_destroy(cx);
}

static void check_case(unsigned long number)
{
    static const char *const targets[] = { "adreno", "opencl12", "opencl12-gpu", "c99", "glsl" };
    static char              a[1 << 20], b[1 << 20];
    same_case                c;
    int                      k, is_image, ok;
    test_seed = number * 7919 + 3;
    draw_case(&c);
    is_image = c.param[2].scope != NULL;
    for (k = 0; k < (int)(sizeof targets / sizeof targets[0]); k++) {
        note_func(&c, targets[k], 1, a, sizeof a);
        note_func(&c, targets[k], 0, b, sizeof b);
        ok = CHECK(strcmp(a, b) == 0);
        lowered += a[0] == 'm';
        refused += a[0] != 'm';
        if (is_image && strcmp(c.kind, "copy") != 0) {
            images++;
            sums += a[0] == 'm';
        }
        if (ok) {
            note_graph(&c, targets[k], 1, a, sizeof a);
            note_graph(&c, targets[k], 0, b, sizeof b);
            ok = CHECK(strcmp(a, b) == 0);
        }
        if (!ok) {
            char text[SAME_TEXT];
            write_func(text, &c, 1);
            printf("seed %lu, %s:\n%s%.3000s\n-- and by calls\n%.3000s\n", number, targets[k], text,
                   a, b);
            return;
        }
    }
}

static int write_file(const char *dir, const char *name, const char *text)
{
    char  path[512];
    FILE *out;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    out = fopen(path, "w");
    return out && fputs(text, out) >= 0 && fclose(out) == 0;
}

/* A case as files; one option a line. */
static int write_case(unsigned long number, const char *dir)
{
    same_case c;
    char      said_text[SAME_TEXT], bare[SAME_TEXT], options[SAME_TEXT];
    int       k, n = 0;
    test_seed = number * 7919 + 3;
    draw_case(&c);
    write_func(said_text, &c, 1);
    write_func(bare, &c, 0);
    options[0] = 0;
    for (k = 0; k < SAME_PARAMS; k++) {
        const said *p = &c.param[k];
        if (p->scope) n += sprintf(options + n, "--scope\n%s=%s\n", p->name, p->scope);
        if (p->layout[0]) n += sprintf(options + n, "--layout\n%s=%s\n", p->name, p->layout);
    }
    return write_file(dir, "said.irl", said_text) && write_file(dir, "bare.irl", bare) &&
           write_file(dir, "options", options);
}

int main(int argc, char **argv)
{
    unsigned long seed, first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           n = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(SAME_COUNT);
    if (argc > 3 && strcmp(argv[1], "write") == 0)
        return !write_case(strtoul(argv[2], NULL, 10), argv[3]);
    test_seeds(first, n);
    for (seed = first; seed < first + (unsigned long)n; seed++) check_case(seed);
    printf("%.3f of the functions are lowered, 0.671 in an earlier version\n",
           (double)lowered / (lowered + refused));
    printf("%d functions lowered, %d refused, alike; of %d with a sum into an image %d lowered\n",
           lowered, refused, images, sums);
    return TEST_DONE();
}
