/* tune.c - `irlc tune`: the fastest of a few schedules on the device at hand, as a text.

   The candidates are the function as it is written, and the schedules that irl_schedule_auto makes
   for the target and for devices like it: with vectors of half and twice the bytes, with half and
   twice the registers, with other sizes of the memory nearest to them. Each is proved like any
   schedule, its results are compared, and it is timed in two rounds, so that a moment in which the
   machine was busy hits no candidate alone. Nothing is kept but the text. */
#include "irlc.h"

#include <stdlib.h>

#ifdef IRLC_NO_OPENCL
irlc_status command_tune(const irlc_args *args)
{
    return bad_input(args, "this irlc was built without OpenCL", NULL);
}
#else

/* A device like the target: columns times numerator / denominator. */
typedef struct tune_row {
    const char *name;
    int         vectors[2], registers[2], cache[2];
} tune_row;

static const tune_row tune_rows[] = {
    { "as written", { 0, 1 }, { 0, 1 }, { 0, 1 } },
    { "auto", { 1, 1 }, { 1, 1 }, { 1, 1 } },
    { "auto, half the vector", { 1, 2 }, { 1, 1 }, { 1, 1 } },
    { "auto, twice the vector", { 2, 1 }, { 1, 1 }, { 1, 1 } },
    { "auto, half the registers", { 1, 1 }, { 1, 2 }, { 1, 1 } },
    { "auto, twice the registers", { 1, 1 }, { 2, 1 }, { 1, 1 } },
    { "auto, a quarter of the cache", { 1, 1 }, { 1, 1 }, { 1, 4 } },
    { "auto, four times the cache", { 1, 1 }, { 1, 1 }, { 4, 1 } },
};
enum { TUNE_ROWS = sizeof tune_rows / sizeof tune_rows[0], TUNE_ROUNDS = 2 };

typedef struct tune_candidate {
    const char *name, *text; /* the schedule with its reasons */
    irlc_program p;
    irlc_timed   t;          /* the least of all rounds */
} tune_candidate;

typedef struct tune {
    const irlc_args  *args;
    const irl_target *target;
    irlc_program      p;
    irlc_data         data;
    int               runs, count, best, round;
    tune_candidate    list[TUNE_ROWS];
} tune;

static int times(int value, const int by[2])
{
    int64_t n = (int64_t)value * by[0] / by[1];
    return n < 1 ? 1 : n > (1 << 30) ? 1 << 30 : (int)n;
}

/* ------------------------------------------------------------------ the candidates */

/* One more, if its text is new, and it can be lowered; what cannot be is no candidate. */
static irlc_status add_candidate(tune *u, const char *name, const char *text)
{
    irl_ctx          *cx = u->args->cx;
    tune_candidate   *c = &u->list[u->count];
    irl_mark          mark = irl_ctx_mark(cx);
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.schedule = IRL_SCHEDULE_NONE;
    memset(c, 0, sizeof *c);
    c->name = name;
    c->text = text;
    c->p = u->p;
    c->p.f = c->p.scheduled = irl_schedule_parse(u->p.f, text, IRL_TO_NUL, name);
    for (int k = 0; c->p.f && k < u->count; k++)
        if (strcmp(irl_schedule_text(c->p.f), irl_schedule_text(u->list[k].p.f)) == 0)
            return IRLC_YES;
    c->p.module = irl_func_lower_with(c->p.f, u->target, &how);
    if (c->p.module) u->count++;
    else if (!u->count) return failed(u->args); /* not even as it is written */
    else irl_ctx_rewind(cx, mark);
    return IRLC_YES;
}

static irlc_status find_candidates(tune *u)
{
    irlc_status status = IRLC_YES;
    for (int k = 0; k < TUNE_ROWS && status == IRLC_YES; k++) {
        irl_target  like = *u->target;
        const char *text = "{\n}\n";
        char        name[16];
        sprintf(name, "tuned%d", k);
        progress("making schedule", k + 1, TUNE_ROWS);
        like.name = name;
        like.vector_bytes = times(like.vector_bytes, tune_rows[k].vectors);
        like.registers = times(like.registers, tune_rows[k].registers);
        like.cache_bytes = times(like.cache_bytes, tune_rows[k].cache);
        if (k > 0) text = irl_schedule_auto(u->p.f, irl_target_new(u->args->cx, &like));
        if (!irl_ok(u->args->cx)) return failed(u->args);
        status = add_candidate(u, tune_rows[k].name, text);
    }
    return status;
}

/* ------------------------------------------------------------------ timed */

/* Each is checked in the first round. */
static irlc_status time_candidate(tune *u, irl_ocl *cl, tune_candidate *c, int64_t iterations)
{
    irlc_timed  now = c->t;
    irlc_status status = IRLC_YES;
    now.cl = cl;
    progress(u->round ? "timing again, schedule" : "checking and timing schedule",
             c - u->list + 1, u->count);
    if (u->round == 0) status = check_results(u->args, &c->p, &u->data, iterations, &now);
    if (status == IRLC_YES) status = take_times(u->args, c->p.module, &u->data, u->runs, &now);
    if (u->round == 0 || now.least < c->t.least) c->t = now;
    return status;
}

static irlc_status time_all(tune *u, irl_ocl *cl)
{
    irlc_timed  work;
    int64_t     iterations = 0;
    irlc_status status = IRLC_YES;
    memset(&work, 0, sizeof work);
    count_work(u->p.plain, &work, &iterations);
    if (!irl_ok(u->args->cx)) return failed(u->args);
    for (u->round = 0; u->round < TUNE_ROUNDS; u->round++)
        for (int k = 0; k < u->count && status == IRLC_YES; k++)
            status = time_candidate(u, cl, &u->list[k], iterations);
    for (int k = 0; k < u->count; k++)
        if (u->list[k].t.least < u->list[u->best].t.least) u->best = k;
    return status;
}

/* ------------------------------------------------------------------ what came out */

/* Returns the schedule, preceded by what its steps were faster than; free it. */
static char *winner_text(const tune *u, const char *device)
{
    const tune_candidate *best = &u->list[u->best];
    const char           *steps = strchr(best->text, '\n');
    size_t                room = strlen(best->text) + strlen(device) + 200 + 80 * TUNE_ROWS;
    char                 *text = (char *)malloc(room), *at = text;
    if (!text || !steps) return text;
    at += sprintf(at, "{\n    // irlc tune: the fastest of %d on %s\n", u->count, device);
    for (int k = 0; k < u->count; k++)
        at += sprintf(at, "    //   %10.1f us, %s\n", (double)u->list[k].t.least * 1e-3,
                      u->list[k].name);
    strcpy(at, steps + 1);
    return text;
}

static void print_tuned(const tune *u, const char *text)
{
    irlc_json j = { u->args->cx, 0 };
    if (!has(u->args, OPT_JSON)) {
        for (int k = 0; has(u->args, OPT_OUT) && k < u->count; k++)
            say("%c %10.1f us  %s\n", k == u->best ? '*' : ' ', (double)u->list[k].t.least * 1e-3,
                u->list[k].name);
        if (!has(u->args, OPT_OUT)) say("%s", text);
        return;
    }
    json_open(&j, '{');
    json_number(&j, "us", (double)u->list[u->best].t.least * 1e-3);
    json_text(&j, "best", u->list[u->best].name);
    json_key(&j, "candidates");
    json_open(&j, '[');
    for (int k = 0; k < u->count; k++) {
        json_next(&j);
        json_open(&j, '{');
        json_text(&j, "name", u->list[k].name);
        json_number(&j, "us", (double)u->list[k].t.least * 1e-3);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_text(&j, "schedule", text);
    json_end(&j);
}

static irlc_status tune_on_device(tune *u)
{
    irl_ocl_desc desc;
    char        *text = NULL;
    memset(&desc, 0, sizeof desc);
    desc.profiling = 1;
    irl_ocl *cl = irl_ocl_create(u->args->cx, &desc);
    if (!cl) return failed(u->args);
    irlc_status status = time_all(u, cl);
    if (status == IRLC_YES && !(text = winner_text(u, irl_ocl_device_name(cl))))
        status = bad_input(u->args, "out of memory", NULL);
    if (status == IRLC_YES && has(u->args, OPT_OUT))
        status = write_text(u->args, value_of(u->args, OPT_OUT, NULL), text);
    if (status == IRLC_YES) print_tuned(u, text);
    free(text);
    irl_ocl_destroy(cl);
    return status;
}

irlc_status command_tune(const irlc_args *args)
{
    tune        u;
    memset(&u, 0, sizeof u);
    u.args = args;
    irlc_status status = read_runs(args, &u.runs);
    if (status == IRLC_YES) status = read_program(args, &u.p);
    if (status == IRLC_YES && (u.p.is_module || u.p.graph))
        return bad_input(args, "a schedule is for a function; found another text in",
                         args->item[0]);
    if (status == IRLC_YES) u.target = find_target(args, &status);
    if (status == IRLC_YES) status = check_set(args, u.p.f);
    if (status == IRLC_YES) status = find_candidates(&u);
    if (status == IRLC_YES) status = make_data(args, &u.list[0].p, NULL, &u.data);
    if (status == IRLC_YES) status = tune_on_device(&u);
    free_data(&u.data);
    return status;
}
#endif
