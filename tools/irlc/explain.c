/* explain.c - `irlc explain`: what each statement of a function reads and writes, which loops carry
   what from one iteration to another, which could run in any order and why others could not. */
#include "irlc.h"

static const char *const kind_words[] = { "reads", "writes", "updates", "passes to a call" };

/* ------------------------------------------------------------------ as text */

static void print_guards(irl_ctx *cx, const irl_access *a)
{
    for (int k = 0; k < a->guard_count; k++)
        say("%s%s", k ? " && " : "  where ", irl_expr_text(cx, a->guards[k]));
}

/* The read of the old value belongs to an update, which is reported instead. */
int is_reported(const irl_access_table *t, int k)
{
    for (int j = k + 1; j < t->count && strcmp(t->list[j].place, t->list[k].place) == 0; j++)
        if (t->list[k].kind == IRL_ACCESS_READ && t->list[j].kind == IRL_ACCESS_UPDATE &&
            strcmp(t->list[j].text, t->list[k].text) == 0)
            return 1;
    return 0;
}

static void print_accesses(irl_ctx *cx, const irl_access_table *t)
{
    const char *place = NULL;
    for (int k = 0; k < t->count; k++) {
        const irl_access *a = &t->list[k];
        if (is_reported(t, k)) continue;
        say("    %-8s %s %s", place && strcmp(place, a->place) == 0 ? "" : a->place,
               a->is_declared ? "declares" : kind_words[a->kind], a->text);
        if (a->lanes > 1) say(" (%d lanes)", a->lanes);
        print_guards(cx, a);
        say("\n");
        place = a->place;
    }
}

static void print_distances(const irl_access_table *t, const irl_meeting *m)
{
    int count = 0;
    for (int k = 0; m && k < m->loop_count; k++)
        if (m->loops[k].is_distance)
            say("%s%s %lld",
                count++ ? ", " : "; the distance is always: ", t->loops[m->loops[k].loop].name,
                (long long)m->loops[k].distance);
}

static void print_loop(const irl_access_table *t, const irl_carried *carried, int k)
{
    const irl_loop    *loop = &t->loops[k];
    const irl_meeting *m = carried[k].meeting;
    say("    %-8s %s: ", loop->place, loop->name);
    if (m->answer == IRL_NO) say("could be parallel: its iterations are independent\n");
    else if (m->answer == IRL_UNKNOWN) say("not known: %s\n", m->text);
    else {
        say("in order: %s", m->text);
        print_distances(t, carried[k].dependence);
        say("\n");
    }
}

static const char *const axis_words[] = { "spatial", "reduce", "opaque" };

static void print_boxes(const irl_part *p, int is_write)
{
    int count = 0;
    for (int k = 0; k < p->box_count; k++) {
        const irl_box *b = &p->boxes[k];
        if (b->is_write != is_write) continue;
        say("%s%s%s", count++ ? ", " : is_write ? " writes " : " reads ", b->text,
               b->is_exact ? "" : " at most");
    }
}

static void print_part(const irl_part *p)
{
    static const char *const kinds[] = { "func", "nest", "complete block", "reduction block",
                                         "opaque block" };
    say("    %-8s %s %s:", p->place, kinds[p->kind], p->name);
    print_boxes(p, 0);
    print_boxes(p, 1);
    say("\n");
    if (p->why) say("             opaque: %s\n", p->why);
    for (int k = 0; k < p->axis_count; k++) {
        const irl_part_axis *a = &p->axes[k];
        say("             %s is %s", a->name, axis_words[a->kind]);
        if (a->kind != a->declared) say(", declared as %s", axis_words[a->declared]);
        say("%s%s\n", a->why ? ": " : "", a->why ? a->why : "");
    }
    for (int k = 0; k < p->escape_count; k++) say("             %s\n", p->escapes[k].text);
}

static void explain_text(const irlc_args *args, const irl_func *f, const irl_access_table *t,
                         const irl_part_table *parts, const irl_cost_options *how)
{
    const irl_carried *carried = irl_func_carried_all(f);
    if (!carried) return;
    say("accesses\n");
    print_accesses(args->cx, t);
    say("regions\n");
    for (int k = 0; k < parts->count; k++) print_part(&parts->list[k]);
    if (t->loop_count) say("loops\n");
    for (int k = 0; k < t->loop_count; k++) print_loop(t, carried, k);
    print_flows(args->cx, f, t);
    print_costs(args->cx, f, t, how);
}

/* ------------------------------------------------------------------ as JSON */

static void json_exprs(irlc_json *j, const char *key, int count, const irl_expr *const *list)
{
    json_key(j, key);
    json_open(j, '[');
    for (int k = 0; k < count; k++) {
        json_next(j);
        json_string(j->cx, irl_expr_text(j->cx, list[k]));
    }
    json_close(j, ']');
}

static void json_access(irlc_json *j, const irl_access *a)
{
    static const char *const kinds[] = { "read", "write", "update", "opaque" };
    json_next(j);
    json_open(j, '{');
    json_text(j, "kind", a->is_declared ? "declared" : kinds[a->kind]);
    json_text(j, "buffer", a->buffer);
    json_text(j, "text", a->text);
    json_exprs(j, "indices", a->rank, a->indices);
    json_exprs(j, "guards", a->guard_count, a->guards);
    json_int(j, "lanes", a->lanes);
    json_int(j, "loop", a->loop);
    json_text(j, "place", a->place);
    json_close(j, '}');
}

static void json_distances(irlc_json *j, const irl_access_table *t, const irl_meeting *m)
{
    json_key(j, "distances");
    json_open(j, '{');
    for (int k = 0; m && k < m->loop_count; k++)
        if (m->loops[k].is_distance)
            json_int(j, t->loops[m->loops[k].loop].name, m->loops[k].distance);
    json_close(j, '}');
}

static void json_loop(irlc_json *j, const irl_access_table *t, const irl_carried *carried, int k)
{
    const irl_loop    *loop = &t->loops[k];
    const irl_meeting *m = carried[k].meeting;
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", loop->name);
    json_text(j, "min", irl_expr_text(j->cx, loop->min));
    json_text(j, "extent", irl_expr_text(j->cx, loop->extent));
    json_int(j, "outer", loop->outer);
    json_text(j, "place", loop->place);
    json_text(j, "parallel", m->answer == IRL_NO ? "yes" : m->answer == IRL_YES ? "no" : "unknown");
    json_text(j, "because", m->answer == IRL_NO ? NULL : m->text);
    json_int(j, "first", m->a);
    json_int(j, "second", m->b);
    json_distances(j, t, carried[k].dependence);
    json_close(j, '}');
}

static void json_box(irlc_json *j, const irl_box *b)
{
    json_next(j);
    json_open(j, '{');
    json_text(j, "buffer", b->buffer);
    json_text(j, "access", b->is_write ? "write" : "read");
    json_text(j, "exact", b->is_exact ? "yes" : "no");
    json_text(j, "text", b->text);
    json_exprs(j, "start", b->rank, b->start);
    json_exprs(j, "extent", b->rank, b->extent);
    json_close(j, '}');
}

static void json_axis(irlc_json *j, const irl_part_axis *a)
{
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", a->name);
    json_text(j, "declared", axis_words[a->declared]);
    json_text(j, "kind", axis_words[a->kind]);
    json_text(j, "because", a->why);
    json_close(j, '}');
}

static void json_escape(irlc_json *j, const irl_escape *e)
{
    json_next(j);
    json_open(j, '{');
    json_int(j, "access", e->access);
    json_text(j, "proved", e->is_proved ? "yes" : "no");
    json_text(j, "text", e->text);
    json_close(j, '}');
}

static void json_part(irlc_json *j, const irl_part *p)
{
    static const char *const kinds[] = { "func", "nest", "complete", "reduction", "opaque" };
    json_next(j);
    json_open(j, '{');
    json_text(j, "kind", kinds[p->kind]);
    json_text(j, "name", p->name);
    json_text(j, "place", p->place);
    json_int(j, "first", p->first_access);
    json_int(j, "end", p->end_access);
    json_key(j, "regions");
    json_open(j, '[');
    for (int k = 0; k < p->box_count; k++) json_box(j, &p->boxes[k]);
    json_close(j, ']');
    json_key(j, "axes");
    json_open(j, '[');
    for (int k = 0; k < p->axis_count; k++) json_axis(j, &p->axes[k]);
    json_close(j, ']');
    json_key(j, "escapes");
    json_open(j, '[');
    for (int k = 0; k < p->escape_count; k++) json_escape(j, &p->escapes[k]);
    json_close(j, ']');
    json_text(j, "because", p->why);
    json_close(j, '}');
}

static void explain_json(const irlc_args *args, const irl_func *f, const irl_access_table *t,
                         const irl_part_table *parts, const irl_cost_options *how)
{
    const irl_carried *carried = irl_func_carried_all(f);
    irlc_json          j = { args->cx, 0 };
    if (!carried) return;
    json_open(&j, '{');
    json_key(&j, "accesses");
    json_open(&j, '[');
    for (int k = 0; k < t->count; k++) json_access(&j, &t->list[k]);
    json_close(&j, ']');
    json_key(&j, "parts");
    json_open(&j, '[');
    for (int k = 0; k < parts->count; k++) json_part(&j, &parts->list[k]);
    json_close(&j, ']');
    json_key(&j, "loops");
    json_open(&j, '[');
    for (int k = 0; k < t->loop_count; k++) json_loop(&j, t, carried, k);
    json_close(&j, ']');
    json_flows(&j, f);
    json_costs(&j, f, t, how);
    json_end(&j);
}

/* ------------------------------------------------------------------ the command */

irlc_status read_values(const irlc_args *args, const irl_func *f, irl_value *values, int *count)
{
    irlc_status status = check_set(args, f);
    for (int k = 0; status == IRLC_YES && irl_func_param_name(f, k); k++) {
        const char *text;
        if (!set_value(args, irl_func_param_name(f, k), &text)) continue;
        if (*count == IRLC_MOST_SET) return bad_input(args, "too many values; found", text);
        memset(&values[*count], 0, sizeof values[*count]);
        values[*count].var = irl_func_param_scalar(f, k);
        if (!values[*count].var || !read_int(&text, &values[*count].value) || *text)
            return bad_input(args, "--set needs an integer here", irl_func_param_name(f, k));
        ++*count;
    }
    return status;
}

irlc_status command_explain(const irlc_args *args)
{
    irlc_program            p;
    irl_value               values[IRLC_MOST_SET];
    irl_cost_options        how;
    irlc_status             status = read_program(args, &p);
    memset(&how, 0, sizeof how);
    how.values = values;
    if (status == IRLC_YES && !p.is_module)
        status = read_values(args, p.f, values, &how.value_count);
    if (status != IRLC_YES) return status;
    if (p.is_module) {
        explain_module(args, p.module);
        return irl_ok(args->cx) ? IRLC_YES : failed(args);
    }
    const irl_access_table *t = irl_func_accesses(p.f);
    const irl_part_table   *parts = irl_func_regions(p.f);
    if (!t || !parts) return failed(args);
    if (has(args, OPT_JSON)) explain_json(args, p.f, t, parts, &how);
    else explain_text(args, p.f, t, parts, &how);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}
