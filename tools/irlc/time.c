/* time.c - `irlc time`: how long a function takes on the device, as it is scheduled, checked. */
#include "irlc.h"

#include <stdlib.h>

/* What is interpreted to be compared with: some seconds' worth; what is more is compared with the
   function as it was written, on the device. */
#define TIME_INTERPRETED ((int64_t)1 << 22)

#ifdef IRLC_NO_OPENCL
irlc_status command_time(const irlc_args *args)
{
    return bad_input(args, "this irlc was built without OpenCL", NULL);
}
#else

static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* ------------------------------------------------------------------ what it does, counted */

/* Adds up what is known; -1 for good where something is not. */
static void count_in(int64_t *sum, const irl_count *c)
{
    *sum = *sum < 0 || c->exactness == IRL_COUNT_UNKNOWN ? -1 : *sum + c->value;
}

static int is_write_of(const irl_access *a)
{
    return a->kind == IRL_ACCESS_WRITE || a->kind == IRL_ACCESS_UPDATE;
}

static int is_parameter(const irl_func *f, const char *buffer)
{
    for (int k = 0; buffer && irl_func_param_name(f, k); k++)
        if (strcmp(irl_func_param_name(f, k), buffer) == 0) return 1;
    return 0;
}

/* Has a row before number k counted this buffer's bytes? */
static int is_counted(const irl_access_table *table, int k)
{
    for (int j = 0; j < k; j++) {
        const irl_access *a = &table->list[j];
        if (!a->is_declared && a->buffer && strcmp(a->buffer, table->list[k].buffer) == 0 &&
            is_write_of(a) == is_write_of(&table->list[k]))
            return 1;
    }
    return 0;
}

void count_work(const irl_func *f, irlc_timed *t, int64_t *iterations)
{
    const irl_access_table *table = irl_func_accesses(f);
    const irl_cost         *costs = irl_func_costs(f, NULL);
    t->operations = t->bytes = *iterations = costs ? 0 : -1;
    for (int k = 0; costs && k < table->count; k++) {
        const irl_access *a = &table->list[k];
        if (a->is_declared) continue;
        count_in(iterations, &costs[k].iterations);
        if (is_write_of(a)) count_in(&t->operations, &costs[k].floats);
        if (is_parameter(f, a->buffer) && !is_counted(table, k))
            count_in(&t->bytes, &costs[k].bytes);
    }
}

/* ------------------------------------------------------------------ on the device */

/* Memory of the device that holds what the host's does. */
static int upload(const irl_module *m, const irlc_data *d, irlc_timed *t)
{
    const irl_func *host = irl_module_host(m);
    t->memory = d->arguments;
    for (int k = 0; k < d->count; k++) t->own[k] = NULL;
    for (int k = 0; k < d->count; k++) {
        if (!irl_func_param_is_buffer(host, k)) continue;
        t->memory.data[k] = t->own[k] = irl_ocl_memory_create(t->cl, m, k, d->arguments);
        if (!t->own[k] || !irl_ocl_memory_upload(t->cl, m, k, d->arguments, t->own[k])) return 0;
    }
    return 1;
}

static void free_memory(const irlc_data *d, irlc_timed *t)
{
    for (int k = 0; k < d->count; k++)
        if (t->own[k]) irl_ocl_memory_destroy(t->own[k]);
}

irlc_status take_times(const irlc_args *args, const irl_module *m, const irlc_data *d, int runs,
                       irlc_timed *t)
{
    int64_t *times = (int64_t *)malloc((size_t)runs * sizeof *times);
    if (!times) return bad_input(args, "out of memory", NULL);
    t->built = irl_ocl_module_create(t->cl, m);
    if (t->built) t->kernels = irl_ocl_module_program(t->built)->kernel_count;
    int ok = t->built && upload(m, d, t);
    if (ok) ok = irl_ocl_module_time(t->built, t->memory, 1) >= 0; /* a first run warms up */
    for (int k = 0; k < runs && ok; k++) {
        times[k] = irl_ocl_module_time(t->built, t->memory, 1);
        ok = times[k] >= 0;
    }
    if (ok) {
        qsort(times, (size_t)runs, sizeof *times, compare_times);
        t->least = times[0];
        t->median = times[runs / 2];
    }
    free(times);
    if (t->built) free_memory(d, t);
    irl_ocl_module_destroy(t->built);
    return ok ? IRLC_YES : failed(args);
}

/* ------------------------------------------------------------------ checked */

static int is_same(const irl_func *f, const irlc_data *now, const irlc_data *reference)
{
    for (int k = 0; k < now->count; k++)
        if (irl_array_difference(shown_type(&now->tensor[k]), elements_of(&now->tensor[k]),
                                 now->tensor[k].data, reference->tensor[k].data,
                                 (int)irl_func_tolerance(f)) >= 0)
            return 0;
    return 1;
}

/* By the passes alone. */
static irl_module *lower_as_written(const irl_func *f, const irl_target *target)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.schedule = IRL_SCHEDULE_NONE;
    return irl_func_lower_with(f, target, &how);
}

/* The numbers of `now` beside those of `reference` and, where the schedule changes what is rounded,
   the scheduled function beside what was written. */
static irlc_status compare_all(const irlc_args *args, const irlc_program *p, const irlc_data *data,
                               const irlc_data *now, const irlc_data *reference, int is_rounded,
                               irlc_timed *t)
{
    irlc_rounding r;
    irlc_judged   judged;
    irlc_ran      ran;
    irlc_status   status = IRLC_YES;
    ran.f = is_rounded ? p->scheduled : p->plain;
    ran.module = p->is_module ? p->module : NULL;
    ran.before = data;
    ran.what = is_rounded ? "as scheduled" : "as written";
    if (is_rounded)
        status = compare_rounding(args, p->graph ? p->f : p->plain, p->scheduled, data, &r);
    if (is_rounded && status == IRLC_YES && !r.is_left_out)
        t->checked = "interpreter, as scheduled, which equals the function as written up to "
                     "rounding";
    if (status == IRLC_YES) status = judge_results(args, p->f, now, reference, &ran, &judged);
    if (status != IRLC_YES) return status;
    checked_text(now, judged.numbers, t->compared);
    if (judged.found < 0 && judged.is_bounded && !is_rounded)
        t->checked = "interpreter, up to rounding";
    if (judged.found < 0 && (!is_rounded || r.found < 0)) return IRLC_YES;
    return print_judged(args, p->f, now, reference, &ran, &judged, is_rounded ? &r : NULL);
}

/* How the interpreter is asked: the function as it is scheduled, where that rounds otherwise, and
   then also as it was written. */
typedef struct irlc_asked {
    const irl_func *f, *written; /* NULL: a module runs, nothing else is compared */
    int             is_small, is_rounded;
    double          seconds;
} irlc_asked;

static irlc_asked ask_interpreter(const irlc_program *p, const irlc_data *data, int64_t iterations)
{
    irlc_asked a;
    a.is_rounded = !p->is_module && is_rounded_otherwise(p);
    a.f = p->is_module ? NULL : a.is_rounded ? p->scheduled : p->plain;
    a.written = a.is_rounded ? p->graph ? p->f : p->plain : NULL;
    a.seconds = expected_seconds(a.f, data);
    if (a.written && a.seconds > 0)
        a.seconds = 3 * a.seconds + 2 * expected_seconds(a.written, data);
    a.is_small = iterations >= 0 ? iterations <= TIME_INTERPRETED
                                 : a.seconds >= 0 && a.seconds <= 1;
    return a;
}

/* The reference's numbers, from the interpreter, or from the device by the passes alone; *a: which.
   What is rounded otherwise is known in the interpreter alone, however long it takes. */
static int run_reference(const irlc_args *args, const irlc_program *p, irlc_asked *a,
                         irlc_data *now, irlc_data *reference, irlc_sample *sample, irlc_timed *t)
{
    const irl_module *plain = p->module;
    irlc_data         before;
    irlc_status       status = IRLC_YES;
    if (a->is_small && p->is_module)
        return irl_module_interpret(p->module, reference->arguments);
    if (a->is_small) return interpret_data(a->f, reference, NULL);
    if (!copy_data(reference, &before)) return 0;
    if (!p->is_module) plain = lower_as_written(p->plain, find_target(args, &status));
    int ok = plain && run_data_on(t->cl, plain, reference);
    if (ok && a->is_rounded && !is_same(p->f, now, reference)) {
        a->is_small = 1;
        t->checked = "interpreter, as scheduled";
        progress("interpreting, because the results are rounded otherwise", 0, 0);
        free_data(reference);
        *reference = before;
        ok = choose_sample(args, a->f, a->written, a->seconds, reference, sample) == IRLC_YES &&
             interpret_data(a->f, reference, NULL);
        now->sample = reference->sample;
    } else free_data(&before);
    return ok;
}

irlc_status check_results(const irlc_args *args, const irlc_program *p, const irlc_data *data,
                          int64_t iterations, irlc_timed *t)
{
    irlc_data   now, reference, before = *data;
    irlc_sample sample;
    irlc_asked  a = ask_interpreter(p, data, iterations);
    irlc_status status = IRLC_YES;
    if (a.f && strcmp(args->command, "time") == 0) {
        status = choose_sample(args, a.f, a.written, a.is_small ? 0 : a.seconds, &before, &sample);
        a.is_small |= before.sample || strcmp(value_of(args, OPT_CHECK_TIMED, ""), "all") == 0;
    }
    if (status != IRLC_YES) return status;
    t->checked = !a.is_small ? "device" : a.is_rounded ? "interpreter, as scheduled"
                                                       : "interpreter";
    if (!copy_data(&before, &now)) return bad_input(args, "no memory for the arguments", NULL);
    if (!copy_data(&before, &reference)) {
        free_data(&now);
        return bad_input(args, "no memory for the arguments", NULL);
    }
    int ok = run_data_on(t->cl, p->module, &now) &&
             run_reference(args, p, &a, &now, &reference, &sample, t);
    if (ok) {
        before.sample = now.sample;
        keep_sample(&now, NULL);
        keep_sample(&reference, NULL);
        status = compare_all(args, p, &before, &now, &reference, a.is_small && a.is_rounded, t);
    } else status = failed(args);
    free_data(&now);
    free_data(&reference);
    if (before.sample) free_sample(&sample);
    return status;
}

/* ------------------------------------------------------------------ the command */

static void print_times(const irlc_args *args, const irlc_program *p, const irlc_timed *t,
                        const irlc_files *files)
{
    irlc_json j = { args->cx, 0 };
    double    ns = t->least > 0 ? (double)t->least : 1;
    if (!has(args, OPT_JSON)) {
        say("%.1f us (median %.1f), %d kernel%s", (double)t->least * 1e-3,
               (double)t->median * 1e-3, t->kernels, t->kernels == 1 ? "" : "s");
        if (t->operations > 0) say(", %.2f GFLOP/s", (double)t->operations / ns);
        if (t->bytes > 0) say(", %.2f GB/s", (double)t->bytes / ns);
        if (t->compared[0]) say("; same as %s, %s\n", t->checked, t->compared);
        else say("; not checked\n");
        print_files(files);
        return;
    }
    json_open(&j, '{');
    json_number(&j, "us", (double)t->least * 1e-3);
    json_number(&j, "median_us", (double)t->median * 1e-3);
    json_int(&j, "kernels", t->kernels);
    if (t->operations > 0) json_number(&j, "gflops", (double)t->operations / ns);
    if (t->bytes > 0) json_number(&j, "gbs", (double)t->bytes / ns);
    json_text(&j, "checked", t->compared[0] ? t->checked : NULL);
    json_text(&j, "compared", t->compared[0] ? t->compared : NULL);
    json_text(&j, "schedule", p->is_module ? NULL : irl_schedule_text(p->scheduled));
    if (has(args, OPT_EXPECT)) json_files(&j, files);
    json_end(&j);
}

/* Runs once more for --out and --expect. */
static irlc_status run_for_files(const irlc_args *args, const irlc_program *p,
                                 const irlc_data *data, irlc_timed *t, irlc_files *files)
{
    irlc_data   now;
    if (!has(args, OPT_RESULT) && !has(args, OPT_EXPECT)) return IRLC_YES;
    if (!copy_data(data, &now)) return bad_input(args, "no memory for the arguments", NULL);
    irlc_status status =
        run_data_on(t->cl, p->module, &now) ? finish_files(args, p, files, &now) : failed(args);
    free_data(&now);
    return status;
}

static irlc_status time_data(const irlc_args *args, const irlc_program *p, const irlc_data *data,
                             int runs, irlc_files *files)
{
    irl_ocl_desc desc;
    irlc_timed   t;
    irlc_status  files_status = IRLC_YES;
    int64_t      iterations = 0;
    memset(&desc, 0, sizeof desc);
    memset(&t, 0, sizeof t);
    desc.profiling = 1;
    count_work(p->is_module ? p->f : p->plain, &t, &iterations);
    if (!irl_ok(args->cx)) return failed(args);
    t.cl = irl_ocl_create(args->cx, &desc);
    if (!t.cl) return failed(args);
    progress("comparing the results", 0, 0);
    irlc_status status =
        has(args, OPT_NO_CHECK) ? IRLC_YES : check_results(args, p, data, iterations, &t);
    progress("timing runs", 0, 0);
    if (status == IRLC_YES) status = take_times(args, p->module, data, runs, &t);
    if (status == IRLC_YES) files_status = run_for_files(args, p, data, &t, files);
    if (status == IRLC_YES && files_status != IRLC_BAD_INPUT) print_times(args, p, &t, files);
    irl_ocl_destroy(t.cl);
    return status == IRLC_YES ? files_status : status;
}

irlc_status read_runs(const irlc_args *args, int *runs)
{
    const char *text = value_of(args, OPT_RUNS, "20"), *end = text;
    int64_t     n;
    if (!read_int(&end, &n) || *end || n < 1 || n > 1000000)
        return bad_input(args, "--runs needs a number from 1 to 1000000; found", text);
    *runs = (int)n;
    return IRLC_YES;
}

irlc_status command_time(const irlc_args *args)
{
    irlc_program p;
    irlc_data    data;
    irlc_files   files;
    char        *stage = NULL;
    int          runs;
    irlc_status  status = read_runs(args, &runs);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_NO_CHECK) && has(args, OPT_CHECK_TIMED))
        return bad_input(args, "choose one of --check, --no-check", NULL);
    data.count = files.count = 0;
    status = read_program(args, &p);
    if (status == IRLC_YES) status = lower(args, &p, &stage);
    if (status == IRLC_YES) status = read_files(args, irl_module_host(p.module), &files);
    if (status == IRLC_YES) status = make_data(args, &p, &files, &data);
    if (status == IRLC_YES) status = time_data(args, &p, &data, runs, &files);
    free_data(&data);
    free_files(&files);
    free(stage);
    return status;
}
#endif
