/* generate_launches.h - host functions of random launches in loops, branches and scopes, with what
   a run of them touches: from which launch to which each memory is needed.

   promises  every loop runs at least twice, so that of a function without branches a run shows the
             whole life of each memory */
#ifndef IRL_GENERATE_LAUNCHES_H
#define IRL_GENERATE_LAUNCHES_H

#include <stdio.h>
#include <string.h>

enum { GL_MEMORIES = 12, GL_NODES = 64, GL_TRACE = 4096, GL_TEXT = 16384, GL_DEPTH = 4 };

typedef enum gl_kind { GL_LAUNCH, GL_LOOP, GL_IF, GL_ALLOC } gl_kind;

/* A statement of a sequence; those inside of a loop or a branch follow it, up to `end`. */
typedef struct gl_node {
    gl_kind kind;
    int     end, number; /* of a launch; of the memory that is allocated; how often a loop runs */
    int     count, arg[2];
} gl_node;

typedef struct gl_memory {
    char name[8];
    int  times, plus; /* n * times + plus elements */
    int  first, last; /* launches; -1 */
} gl_memory;

typedef struct gl_case {
    gl_node   node[GL_NODES];
    gl_memory memory[GL_MEMORIES];
    int       nodes, memories, launches, branches;
    char      text[GL_TEXT];
} gl_case;

typedef struct gl_scope {
    int visible[GL_MEMORIES], count;
} gl_scope;

static void gl_put(gl_case *c, const char *format, int a, int b)
{
    const size_t used = strlen(c->text);
    snprintf(c->text + used, GL_TEXT - used, format, a, b);
}

static void gl_alloc(gl_case *c, gl_scope *s)
{
    gl_memory *m = &c->memory[c->memories];
    gl_node   *n = &c->node[c->nodes++];
    n->kind = GL_ALLOC;
    n->number = c->memories;
    m->times = random_below(3);
    m->plus = 1 + random_below(9);
    snprintf(m->name, sizeof m->name, "m%d", c->memories);
    gl_put(c, "alloc m%d: f32[", c->memories, 0);
    gl_put(c, "n * %d + %d]; ", m->times, m->plus);
    s->visible[s->count++] = c->memories++;
}

static void gl_launch(gl_case *c, const gl_scope *s)
{
    gl_node *n = &c->node[c->nodes++];
    int      k;
    n->kind = GL_LAUNCH;
    n->number = c->launches++;
    n->count = random_below(3);
    for (k = 0; k < n->count; k++) n->arg[k] = s->visible[random_below(s->count)];
    if (n->count == 2 && n->arg[1] == n->arg[0]) n->count = 1;
    gl_put(c, n->count ? "launch k%d(m%d" : "launch k%d(", n->count, n->arg[0]);
    gl_put(c, n->count == 2 ? ", m%d); " : "); ", n->arg[1], 0);
}

/* A sequence; what it allocates is seen to its end. */
static void gl_sequence(gl_case *c, gl_scope s, int depth, int count)
{
    while (count-- > 0 && c->nodes < GL_NODES - 8) {
        const int what = random_below(10), at = c->nodes;
        if (what < 2 && c->memories < GL_MEMORIES) gl_alloc(c, &s);
        else if (what < 4 && depth < GL_DEPTH) {
            c->nodes++;
            c->node[at].kind = random_below(4) ? GL_LOOP : GL_IF;
            c->node[at].number = 2 + random_below(2);
            if (c->node[at].kind == GL_LOOP)
                gl_put(c, "for (t%d: %d) { ", at, c->node[at].number);
            else {
                c->branches++;
                gl_put(c, "if (n > %d) { ", random_below(8), 0);
            }
            gl_sequence(c, s, depth + 1, 1 + random_below(4));
            gl_put(c, "} ", 0, 0);
        } else gl_launch(c, &s);
        c->node[at].end = c->nodes;
    }
}

/* The first memory is a parameter. Kernels k0, k1 and k2 take so many pointers. */
static void gl_make(gl_case *c)
{
    gl_scope s;
    memset(c, 0, sizeof *c);
    memset(&s, 0, sizeof s);
    c->memories = s.count = 1;
    c->memory[0].times = 1;
    snprintf(c->memory[0].name, sizeof c->memory[0].name, "m0");
    gl_put(c, "module m target(opencl12) { host func h(n: index, m0: f32[n]) { ", 0, 0);
    gl_sequence(c, s, 0, 2 + random_below(6));
    gl_put(c, "} kernel func k0() { } kernel func k1(a: f32[1]) { for bind(global.x) (i: 1) a[i] "
              "= 1.0; } kernel func k2(a: f32[1], b: f32[1]) { for bind(global.x) (i: 1) { alloc "
              "q: f32[3] scope(local); q[2] = b[0]; a[i] = q[2]; } } }", 0, 0);
}

/* ------------------------------------------------------------------ a run */

typedef struct gl_run {
    gl_case *c;
    int      trace[GL_TRACE], length;
    int      touched[GL_MEMORIES]; /* when, by its present instance; -1: not yet */
} gl_run;

/* Between two touches the memory is needed by all launches. */
static void gl_touch(gl_run *r, int memory)
{
    gl_memory *m = &r->c->memory[memory];
    int        k = r->touched[memory] < 0 ? r->length - 1 : r->touched[memory];
    r->touched[memory] = r->length - 1;
    for (; k < r->length; k++) {
        if (m->first < 0 || r->trace[k] < m->first) m->first = r->trace[k];
        if (r->trace[k] > m->last) m->last = r->trace[k];
    }
}

static void gl_do(gl_run *r, int from, int end)
{
    int k, j;
    for (k = from; k < end && r->length < GL_TRACE; k = r->c->node[k].end) {
        const gl_node *n = &r->c->node[k];
        if (n->kind == GL_ALLOC) r->touched[n->number] = -1;
        if (n->kind == GL_LAUNCH) {
            r->trace[r->length++] = n->number;
            for (j = 0; j < n->count; j++) gl_touch(r, n->arg[j]);
        }
        if (n->kind == GL_IF && random_below(2)) gl_do(r, k + 1, n->end);
        for (j = 0; n->kind == GL_LOOP && j < n->number; j++) gl_do(r, k + 1, n->end);
    }
}

/* Runs it, branches taken by chance; the lives of the memories grow. */
static void gl_run_once(gl_case *c)
{
    static gl_run r;
    int           k;
    memset(&r, 0, sizeof r);
    r.c = c;
    for (k = 0; k < c->memories; k++) r.touched[k] = -1;
    gl_do(&r, 0, c->nodes);
}

#endif
