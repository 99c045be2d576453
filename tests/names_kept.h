/* names_kept.h - whether the names of blocks, nests and labels mean the same before and after a
   step: a name is looked up by a step that puts a note there, a computation is known by where its
   stores stand in the text of the function before.

   needs     draw_schedule.h; the library's inside
   promises  a name that means another computation is found. One that means nothing although its
             stores are there is counted, apart from names of nests without a label that one loop
             has joined: these are refused with that reason */
#ifndef IRL_NAMES_KEPT_H
#define IRL_NAMES_KEPT_H

#include <stdio.h>
#include <string.h>

enum { KEPT_STORES = 16 };

/* What a name means: the stores of the block or nest. */
typedef struct kept_name {
    int         count, is_loops; /* which a label names */
    int         is_joined;       /* it is refused: a loop stores it beside others */
    const char *buffer;          /* of a store */
    const char *at[KEPT_STORES];
} kept_name;

typedef struct kept_search {
    kept_name      *out;
    const irl_stmt *top; /* what has the note; NULL: not yet found */
} kept_search;

static const char *kept_loc(const irl_stmt *s)
{
    return s->loc.source ? s->loc.source->text + s->loc.offset : NULL;
}

static int kept_see_inside(irl__visitor *v, const irl_stmt *s)
{
    kept_search *q = (kept_search *)v->user;
    if (s->kind != IRL__STORE || q->out->count == KEPT_STORES || !kept_loc(s)) return 1;
    q->out->at[q->out->count++] = kept_loc(s);
    q->out->buffer = s->u.store.buffer->name;
    return 1;
}

static int kept_see_store(irl__visitor *v, const irl_stmt *s)
{
    kept_search *q = (kept_search *)v->user;
    kept_see_inside(v, s);
    return s == q->top->u.loop.body || q->top->kind == IRL__BLOCK ||
           (s->kind != IRL__FOR && s->kind != IRL__BLOCK);
}

static int kept_has_note(const irl_stmt *s)
{
    const irl__annotation *list = s->kind == IRL__FOR     ? s->u.loop.annotations
                                  : s->kind == IRL__BLOCK ? s->u.block->notes : NULL;
    int count = !list ? 0 : s->kind == IRL__FOR ? s->u.loop.annotation_count
                                                : s->u.block->note_count;
    while (list && count-- > 0)
        if (strcmp(list[count].key, "probe") == 0) return 1;
    return 0;
}

static int kept_see_note(irl__visitor *v, const irl_stmt *s)
{
    kept_search *q = (kept_search *)v->user;
    if (!q->top && kept_has_note(s)) q->top = s;
    return !q->top;
}

static kept_name kept_find(const irl_func *f, const char *name)
{
    char            step[80];
    kept_name       out;
    kept_search     q;
    irl__visitor    note = irl__visitor_make(&q, NULL, kept_see_note);
    irl__visitor    store = irl__visitor_make(&q, NULL, kept_see_store);
    irl__visitor    inside = irl__visitor_make(&q, NULL, kept_see_inside);
    const irl_mark  mark = irl_ctx_mark(f->cx);
    const irl_func *g;
    memset(&out, 0, sizeof out);
    snprintf(step, sizeof step, "{ annotate(%s, probe = 1); }", name);
    g = irl_schedule_parse(f, step, IRL_TO_NUL, NULL);
    q.out = &out;
    q.top = NULL;
    if (g) irl__visit_stmt(&note, g->body);
    out.is_joined = !g && strstr(irl_diag_text(f->cx), "' names no nest: loop '") != NULL;
    if (q.top && q.top->kind == IRL__FOR && !irl__named_buffer(q.top))
        irl__visit_stmt(&inside, q.top);
    else if (q.top) irl__visit_stmt(&store, q.top->kind == IRL__FOR ? q.top->u.loop.body : q.top);
    out.is_loops = q.top && q.top->kind == IRL__FOR && !irl__named_buffer(q.top);
    irl_ctx_rewind(f->cx, mark);
    return out;
}

static int kept_meets(const kept_name *a, const kept_name *b)
{
    int k, j;
    for (k = 0; k < a->count; k++)
        for (j = 0; j < b->count; j++)
            if (a->at[k] == b->at[j]) return 1;
    return 0;
}

/* How often a name meant the same computation after a step, and how often that of a loop around
   stores into several buffers did; how often it was refused, as that of nests that one loop has
   joined; how often its stores, or the buffer that they wrote, are gone; how often it meant nothing
   for another reason. */
static int kept_same, kept_mixed, kept_joined, kept_gone, kept_lost;

typedef struct kept_all {
    const kept_name *was;
    int              is_there, has_buffer;
} kept_all;

static int kept_see_all(irl__visitor *v, const irl_stmt *s)
{
    kept_all *q = (kept_all *)v->user;
    int       k;
    for (k = 0; s->kind == IRL__STORE && k < q->was->count; k++)
        q->is_there |= kept_loc(s) == q->was->at[k];
    q->has_buffer |= s->kind == IRL__ALLOC && s->u.alloc.buffer->name == q->was->buffer;
    return 1;
}

/* Does something of that kind have the name? */
static int kept_is(const irl_func *f, const char *name, irl__named_kind kind)
{
    const irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__name_list        names;
    int                   is_so = 0;
    if (irl__name_list_of(f->cx, f->body, &names))
        for (int k = 0; k < names.count; k++)
            is_so |= names.list[k].kind == kind && strcmp(names.list[k].name, name) == 0;
    irl__scratch_end(f->cx, mark);
    return is_so;
}

/* Does the step label what the name means, or give it the label of another one? */
static int kept_is_renamed(const irl_func *before, const irl_func *after, const char *name,
                           const char *step)
{
    const char *at = strstr(step, "label = \"");
    char        label[NAME_ROOM];
    kept_name   was, is;
    if (!at || sscanf(at, "label = \"%19[^\"]", label) != 1) return 0;
    was = kept_find(before, name);
    is = kept_find(after, label);
    return kept_meets(&was, &is) || kept_find(before, label).count > 0;
}

static int kept_one(const irl_func *before, const irl_func *after, const char *name,
                    const char *step)
{
    const kept_name was = kept_find(before, name);
    kept_name       is;
    kept_all        q;
    irl__visitor    v = irl__visitor_make(&q, NULL, kept_see_all);
    /* the buffer of a nest with a label finds it while nothing else has that name */
    if (!was.count || kept_is(before, name, IRL__NAMED_LOOPS) ||
        kept_is(before, name, IRL__NAMED_STORES))
        return 1;
    is = kept_find(after, name);
    q.was = &was;
    q.is_there = q.has_buffer = 0;
    for (int k = 0; k < after->param_count; k++)
        q.has_buffer |= after->params[k].buffer && after->params[k].buffer->name == was.buffer;
    irl__visit_stmt(&v, after->body);
    if (kept_meets(&was, &is)) kept_same++, kept_mixed += was.is_loops;
    else if (!q.is_there || !q.has_buffer) kept_gone++;
    else if (is.count) return 0;
    else if (is.is_joined && !kept_is(before, name, IRL__NAMED_LABEL)) kept_joined++;
    else kept_lost += !was.is_loops && !kept_is_renamed(before, after, name, step);
    return 1;
}

/* Name number k, from 0, of a loop around stores into several buffers; 0: there are no more. */
static int kept_mixed_name(const irl_func *f, int k, char *out, size_t room)
{
    const irl__arena_mark mark = irl__scratch_begin(f->cx);
    irl__name_list        names;
    int                   at = 0;
    if (!irl__name_list_of(f->cx, f->body, &names)) return 0;
    while (at < names.count && (names.list[at].kind != IRL__NAMED_MIXED || k-- > 0)) at++;
    const int is_there = at < names.count;
    if (is_there) snprintf(out, room, "%s", irl__named_full(f->cx, &names.list[at]));
    irl__scratch_end(f->cx, mark);
    return is_there;
}

/* Does the step give the name to what it makes: { c = ..., { (a, c) = ...? */
static int kept_is_result(const char *step, const char *name)
{
    char        text[80];
    const char *end = strstr(step, " = "), *at, *word;
    size_t      length = strlen(name);
    snprintf(text, sizeof text, "%.*s", end ? (int)(end - step) : 0, step);
    for (at = text; (word = strstr(at, name)) != NULL; at = word + 1)
        if (strchr(" (", word[-1]) && strchr(",)", word[length])) return 1; /* 0, too */
    return 0;
}

/* The name that means another computation in the function after the step; NULL: none does. */
static const char *names_kept(const irl_func *before, const irl_func *after, const names *n,
                              const char *step)
{
    static char name[2 * NAME_ROOM + 8];
    int         k, j;
    for (k = 0; k < n->blocks; k++) {
        char label[NAME_ROOM + 8];
        snprintf(label, sizeof label, "\"%s\"", n->block[k]);
        if (kept_is_result(step, n->block[k]) || strstr(step, label)) continue;
        if (kept_is_renamed(before, after, n->block[k], step)) continue;
        for (j = 0; j < k && strcmp(n->block[j], n->block[k]) != 0; j++) {}
        snprintf(name, sizeof name, "%s", n->block[k]);
        if (j == k && !kept_one(before, after, name, step)) return name;
        if (j == k && name[0] != '`') {
            strcat(name, "_1");
            if (!kept_one(before, after, name, step)) return name;
        }
    }
    for (k = 0; kept_mixed_name(before, k, name, sizeof name); k++)
        if (!kept_is_renamed(before, after, name, step) && !kept_one(before, after, name, step))
            return name;
    return NULL;
}

/* A step that labels a loop, block or nest, now and then with the name of a buffer. */
static void draw_label(const names *n, char *out, size_t room)
{
    static const char *const labels[] = { "q0", "q1", "q2", "q0_1", "y_1" };
    snprintf(out, room, "{ annotate(%s, label = \"%s\"); }",
             n->blocks && draw(3) ? n->block[draw(n->blocks)] : n->loop[draw(n->loops)],
             n->buffers && !draw(5) ? n->buffer[draw(n->buffers)] : labels[draw(5)]);
}

#endif
