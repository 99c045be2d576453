/* refusal.c - the parts of a refused step of a schedule, as JSON: irl_schedule_refusal.

   What a refusal has not is null, an empty list, or 0. */
#include "irlc.h"

static void json_values(irlc_json *j, const char *key, int count, const irl_named_value *values)
{
    json_key(j, key);
    json_open(j, '[');
    for (int k = 0; k < count; k++) {
        json_next(j);
        json_open(j, '{');
        json_text(j, "name", values[k].name);
        json_int(j, "value", values[k].value);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_accesses(irlc_json *j, const irl_witness *w)
{
    json_key(j, "accesses");
    json_open(j, '[');
    for (int k = 0; k < 2 && (w->access[k].text || w->access[k].value_count); k++) {
        json_next(j);
        json_open(j, '{');
        json_text(j, "text", w->access[k].text);
        json_text(j, "buffer", w->access[k].buffer);
        json_key(j, "writes");
        say("%s", w->access[k].writes ? "true" : "false");
        json_values(j, "iteration", w->access[k].value_count, w->access[k].values);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_cell(irlc_json *j, const irl_witness *w)
{
    json_key(j, "cell");
    if (!w->cell) {
        say("null");
        return;
    }
    json_open(j, '{');
    json_text(j, "buffer", w->buffer);
    json_key(j, "indices");
    json_open(j, '[');
    for (int k = 0; k < w->cell_rank; k++) {
        json_next(j);
        say("%lld", (long long)w->cell[k]);
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void json_names(irlc_json *j, int count, const char *const *names)
{
    json_key(j, "names");
    json_open(j, '[');
    for (int k = 0; k < count; k++) {
        json_next(j);
        json_string(j->cx, names[k]);
    }
    json_close(j, ']');
}

void print_refusal(irl_ctx *cx, const irl_step_refusal *r)
{
    irlc_json j;
    j.cx = cx;
    if (!r) {
        say("null");
        return;
    }
    json_open(&j, '{');
    json_text(&j, "step", r->step);
    json_int(&j, "number", r->number);
    json_text(&j, "primitive", r->primitive);
    json_text(&j, "argument", r->argument);
    json_text(&j, "block", r->block);
    json_text(&j, "loop", r->loop);
    json_text(&j, "buffer", r->buffer);
    json_text(&j, "reason", r->reason);
    json_accesses(&j, &r->witness);
    json_cell(&j, &r->witness);
    json_values(&j, "parameters", r->witness.parameter_count, r->witness.parameters);
    json_text(&j, "doubt", r->witness.doubt);
    json_text(&j, "missing", r->missing);
    json_names(&j, r->name_count, r->names);
    json_text(&j, "advice", r->advice);
    json_close(&j, '}');
}
