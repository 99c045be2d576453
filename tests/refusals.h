/* refusals.h - the parts of a refusal as one line, and whether the cell that it names is the one
   that both accesses are of. */
#ifndef IRL_REFUSALS_H
#define IRL_REFUSALS_H

#include "../irlayout.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

enum { REFUSAL_LINE = 2048 };

typedef struct refusal_text {
    char   text[REFUSAL_LINE];
    size_t used;
} refusal_text;

static void refusal_put(refusal_text *t, const char *before, const char *what)
{
    if (!what) return;
    t->used += (size_t)snprintf(t->text + t->used, sizeof t->text - t->used, "%s%s", before, what);
    CHECK(t->used < sizeof t->text);
}

static void refusal_number(refusal_text *t, const char *before, int64_t value)
{
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)value);
    refusal_put(t, before, number);
}

static void refusal_values(refusal_text *t, const char *before, int count,
                           const irl_named_value *values)
{
    int k;
    for (k = 0; k < count; k++) {
        refusal_put(t, k ? ", " : before, values[k].name);
        refusal_number(t, " = ", values[k].value);
    }
}

/* "2 parallel(y.i) | block y | loop i | buffer y | why | reads y[i] at i = 3 | writes y[i + 1] at
   i = 2 | cell y[3] | for n = 4", and so on; parts that are not there are left out. */
static inline void refusal_line(const irl_step_refusal *r, refusal_text *t)
{
    int k;
    t->used = 0;
    t->text[0] = '\0';
    if (!r) {
        refusal_put(t, "", "none");
        return;
    }
    refusal_number(t, "", r->number);
    refusal_put(t, " ", r->step);
    refusal_put(t, " at ", r->argument);
    refusal_put(t, " | block ", r->block);
    refusal_put(t, " | loop ", r->loop);
    refusal_put(t, " | buffer ", r->buffer);
    refusal_put(t, " | ", r->reason);
    for (k = 0; k < 2; k++) {
        const irl_witness_access *a = &r->witness.access[k];
        if (a->text) refusal_put(t, a->writes ? " | writes " : " | reads ", a->text);
        else if (a->value_count) refusal_put(t, " | ", "point");
        if (a->text) CHECK(strncmp(a->text, a->buffer, strlen(a->buffer)) == 0);
        refusal_values(t, " at ", a->value_count, a->values);
    }
    if (r->witness.cell) refusal_put(t, " | cell ", r->witness.buffer ? r->witness.buffer : "");
    for (k = 0; r->witness.cell && k < r->witness.cell_rank; k++)
        refusal_number(t, k ? "," : "[", r->witness.cell[k]);
    if (r->witness.cell) refusal_put(t, "", r->witness.cell_rank ? "]" : "[]");
    refusal_values(t, " | for ", r->witness.parameter_count, r->witness.parameters);
    refusal_put(t, " | doubt: ", r->witness.doubt);
    refusal_put(t, " | no ", r->missing);
    for (k = 0; k < r->name_count; k++) refusal_put(t, k ? ", " : " of ", r->names[k]);
    refusal_put(t, " | advice: ", r->advice);
}

static void refusal_loops(refusal_text *t, int count, const irl_named_value *values)
{
    int k;
    for (k = 0; k < count; k++) {
        refusal_put(t, "for (", values[k].name);
        refusal_number(t, ": ", values[k].value);
        refusal_number(t, " .. ", values[k].value + 1);
        refusal_put(t, ") ", "");
    }
}

/* The indices of "a[i + 1, j]" go to rows of o. Their number; -1: it is no such text. */
static int refusal_indices(refusal_text *t, const irl_witness *w, const irl_witness_access *a)
{
    const char *at = strchr(a->text, '['), *from;
    int         depth = 0, rank = 0;
    if (!at) return -1;
    for (from = ++at; *at; at++) {
        if (depth == 0 && (*at == ',' || (*at == ']' && at > from))) {
            char index[REFUSAL_LINE];
            snprintf(index, sizeof index, "%.*s", (int)(at - from), from);
            refusal_loops(t, w->parameter_count, w->parameters);
            refusal_loops(t, a->value_count, a->values);
            refusal_number(t, "o[", rank++);
            refusal_put(t, "] = i64(", index);
            refusal_put(t, "", ");\n");
            from = at + 1;
        }
        depth += *at == '[' || *at == '(';
        depth -= *at == ']' || *at == ')';
    }
    return rank;
}

/* Are the indices of the access, in its iteration, the cell? -1: they are in terms of lets, axes,
   lanes or memory, or of another view. */
static int refusal_is_of_cell(const irl_witness *w, const irl_witness_access *a)
{
    irl_ctx     *cx = irl_ctx_create(NULL);
    refusal_text t;
    int64_t      o[32];
    irl_func    *f;
    int          rank, k, same = -1;
    t.used = 0;
    t.text[0] = '\0';
    refusal_put(&t, "", "func f(o: i64[32]) {\n");
    rank = refusal_indices(&t, w, a);
    refusal_put(&t, "", "}");
    f = rank >= 0 ? irl_func_parse(cx, t.text, IRL_TO_NUL, NULL) : NULL;
    if (f && strcmp(a->buffer, w->buffer) == 0 && irl_func_interpret(f, IRL_ARGS(o))) {
        same = rank == w->cell_rank;
        for (k = 0; same && k < rank; k++) same = o[k] == w->cell[k];
    }
    irl_ctx_destroy(cx);
    return same;
}

/* The parts that every refusal of a step has, and that the message is written from them. How many
   of the two accesses were evaluated. */
static inline int refusal_check(const irl_step_refusal *r, const irl_diag *d)
{
    const irl_witness *w = r ? &r->witness : NULL;
    int                k, evaluated = 0;
    if (!CHECK(r && d)) return 0;
    CHECK(r->code == d->code && r->number > 0 && r->step[0] && r->reason[0]);
    CHECK(strstr(r->step, r->primitive) != NULL && strcmp(r->remedy, d->remedy) == 0);
    CHECK(strncmp(d->message, r->reason, strlen(r->reason)) == 0);
    for (k = 0; k < 2 && w->access[k].text; k++) {
        int same;
        if (w->access[1].text)
            CHECK(strstr(d->message, w->access[k].text) || strlen(d->message) > 300);
        if (!w->cell) continue;
        same = refusal_is_of_cell(w, &w->access[k]);
        if (!CHECK(same != 0)) printf("%s\n%s\n", d->text, w->access[k].text);
        evaluated += same > 0;
    }
    if (w->doubt)
        CHECK(!w->cell && strstr(d->message, ", as far as is known: ") &&
              (strstr(d->message, w->doubt) || strlen(d->message) > 300));
    if (w->access[1].text && !w->doubt) CHECK(w->cell && strstr(d->message, "are one element"));
    else CHECK(!strstr(d->message, "are one element"));
    if (r->advice) CHECK(strstr(d->message, r->advice) || strlen(d->message) > 300);
    return evaluated;
}

#endif
