/* flows.c - the part of `irlc explain` that says from when to when memory is touched, who writes
   what is read, and whether all that is read of a temporary was written. */
#include "irlc.h"

/* ------------------------------------------------------------------ as text */

static const char *place_of(const irl_access_table *t, int access)
{
    return t->list[access].place;
}

/* ", N * 4 bytes" */
static void print_bytes(irl_ctx *cx, const irl_life *l)
{
    if (l->bytes) say(", %s bytes", irl_expr_text(cx, l->bytes));
}

static void print_life(irl_ctx *cx, const irl_access_table *t, const irl_life *l)
{
    say("    %-8s %s", l->place, l->buffer);
    print_bytes(cx, l);
    say(": ");
    if (l->first < 0) say("nothing touches it\n");
    else
        say("from %s to %s%s%s\n", place_of(t, l->first), place_of(t, l->last),
               l->loop >= 0 ? ", inside of loop " : "", l->loop >= 0 ? t->loops[l->loop].name : "");
}

static void print_covered(const irl_access_table *t, const irl_covered *c)
{
    say("    %-8s %s: ", place_of(t, c->access), t->list[c->access].text);
    if (c->answer == IRL_YES) say("written before it is read\n");
    else say("%s%s\n", c->answer == IRL_NO ? "" : "not known: ", c->text);
}

static void print_flow(const irl_access_table *t, const irl_flow *w)
{
    say("    %-8s from %s: %s%s\n", place_of(t, w->reader), place_of(t, w->writer),
           w->answer == IRL_YES ? "" : "not known: ", w->text);
}

void print_flows(irl_ctx *cx, const irl_func *f, const irl_access_table *t)
{
    const irl_lives *lives = irl_func_liveness(f);
    const irl_flows *flows = irl_func_flows(f);
    if (!lives || !flows) return;
    say("memory\n");
    for (int k = 0; k < lives->count; k++) print_life(cx, t, &lives->list[k]);
    if (flows->count) say("what is read was written\n");
    for (int k = 0; k < flows->count; k++) print_flow(t, &flows->list[k]);
    if (!flows->is_complete) say("    (there are more)\n");
    if (flows->read_count) say("reads of temporaries\n");
    for (int k = 0; k < flows->read_count; k++) print_covered(t, &flows->reads[k]);
}

/* ------------------------------------------------------------------ as JSON */

static void json_life(irlc_json *j, const irl_life *l)
{
    json_next(j);
    json_open(j, '{');
    json_text(j, "buffer", l->buffer);
    json_text(j, "kind", l->is_parameter ? "parameter" : "temporary");
    json_text(j, "kernel", l->kernel);
    json_text(j, "scope", irl_scope_text(l->scope));
    json_text(j, "bytes", l->bytes ? irl_expr_text(j->cx, l->bytes) : NULL);
    json_int(j, "first", l->first);
    json_int(j, "last", l->last);
    json_int(j, "loop", l->loop);
    json_text(j, "place", l->place);
    json_close(j, '}');
}

static void json_lives(irlc_json *j, const irl_lives *lives)
{
    json_key(j, "memory");
    json_open(j, '[');
    for (int k = 0; k < lives->count; k++) json_life(j, &lives->list[k]);
    json_close(j, ']');
}

static const char *answer_text(irl_answer a)
{
    return a == IRL_YES ? "yes" : a == IRL_NO ? "no" : "unknown";
}

void json_flows(irlc_json *j, const irl_func *f)
{
    const irl_lives *lives = irl_func_liveness(f);
    const irl_flows *flows = irl_func_flows(f);
    if (!lives || !flows) return;
    json_lives(j, lives);
    json_key(j, "flows");
    json_open(j, '[');
    for (int k = 0; k < flows->count; k++) {
        json_next(j);
        json_open(j, '{');
        json_int(j, "writer", flows->list[k].writer);
        json_int(j, "reader", flows->list[k].reader);
        json_text(j, "answer", answer_text(flows->list[k].answer));
        json_text(j, "text", flows->list[k].text);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_key(j, "written");
    json_open(j, '[');
    for (int k = 0; k < flows->read_count; k++) {
        json_next(j);
        json_open(j, '{');
        json_int(j, "access", flows->reads[k].access);
        json_text(j, "answer", answer_text(flows->reads[k].answer));
        json_text(j, "text", flows->reads[k].text);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* ------------------------------------------------------------------ of a module */

void explain_module(const irlc_args *args, const irl_module *m)
{
    const irl_lives *lives = irl_module_liveness(m);
    irlc_json        j = { args->cx, 0 };
    if (!lives) return;
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_lives(&j, lives);
        json_end(&j);
        return;
    }
    say("memory, by launches\n");
    for (int k = 0; k < lives->count; k++) {
        const irl_life *l = &lives->list[k];
        say("    %s (%s", l->buffer, l->is_parameter ? "parameter" : "temporary");
        if (l->kernel) say(" of kernel %s, %s", l->kernel, irl_scope_text(l->scope));
        print_bytes(args->cx, l);
        say("): ");
        if (l->first < 0) say("nothing touches it\n");
        else say("from launch %d to launch %d\n", l->first, l->last);
    }
}
