/* run.c - `irlc run`: a function interpreted, run on a device, or both and compared. */
#include "irlc.h"

#include <stdlib.h>

#ifdef IRLC_NO_OPENCL
static irlc_status run_on_device(const irlc_args *args, const irl_module *m, const irlc_data *data)
{
    (void)m;
    (void)data;
    return bad_input(args, "this irlc was built without OpenCL; use --interpret", NULL);
}
#else
static irlc_status run_on_device(const irlc_args *args, const irl_module *m, const irlc_data *data)
{
    irl_ocl *cl = irl_ocl_create(args->cx, NULL);
    progress("building and running on the device", 0, 0);
    int ok = cl && run_data_on(cl, m, data);
    irl_ocl_destroy(cl);
    return ok ? IRLC_YES : failed(args);
}
#endif

static irlc_status interpret(const irlc_args *args, const irlc_program *reference,
                             const irlc_data *data)
{
    progress("interpreting", 0, 0);
    int ok = reference->module ? irl_module_interpret(reference->module, data->arguments)
                               : interpret_data(reference->f, data, NULL);
    return ok ? IRLC_YES : failed(args);
}

/* 1: f takes the data as it is; 0: it takes other shapes; -1: failed. */
static int takes_data(const irl_func *f, const irlc_data *data)
{
    irl_tensor t;
    int        same = irl_func_param_count(f) == data->count;
    for (int k = 0; same && k < data->count; k++) {
        if (!irl_func_param_tensor(f, k, data->arguments, &t)) return -1;
        same = memcmp(&t.shape, &data->tensor[k].shape, sizeof t.shape) == 0;
    }
    return same;
}

/* The function that the interpreter runs, and what it is: *what is "as written" only where no step
   has changed it. With --check it is the function before its steps, which the device's results are
   compared with bit for bit; as it is scheduled, where steps change how sums are rounded. A lossy
   layout is legal on what is only read; its caller hands over physical memory, and the function as
   written would want other data: then it is the one with its layouts applied. */
static irlc_status choose_reference(const irlc_args *args, const irlc_program *p, const char *stage,
                                    const irlc_data *data, irlc_program *reference,
                                    const char **what)
{
    const int is_rounded = has(args, OPT_CHECK) && is_rounded_otherwise(p),
              is_guarded = strcmp(value_of(args, OPT_BOUNDS, "warn"), "guard") == 0;
    *reference = *p;
    *what = stage ? "after a pass" : "as written";
    if (stage) {
        parse_program(args, reference, stage, strlen(stage), value_of(args, OPT_AFTER, NULL));
        return irl_ok(args->cx) ? IRLC_YES : failed(args);
    }
    if (p->is_module) return IRLC_YES;
    reference->module = NULL;
    int takes = takes_data(p->f, data);
    if (takes < 0) return failed(args);
    if (is_rounded) reference->f = p->scheduled;
    else if (!p->graph && has_schedule(p->f) && has(args, OPT_CHECK) && takes &&
             takes_data(p->plain, data) > 0)
        reference->f = p->plain;
    if (!p->graph ? has_schedule(reference->f) : is_rounded) *what = "as scheduled";
    if (is_guarded && !is_rounded) /* what a guard skips, it skips too */
        reference->f = irl_func_run_pass(reference->f, "guard_bounds");
    if (!takes) reference->f = irl_func_run_pass(reference->f, "apply_layouts");
    return reference->f ? IRLC_YES : failed(args);
}

/* The function as it was written, to be compared with what its schedule made of it: NULL where
   layouts that lose elements make both take other data. */
static const irl_func *as_written(const irlc_args *args, const irlc_program *p,
                                  const irlc_program *reference)
{
    if (!has(args, OPT_CHECK) || reference->module || reference->f != p->scheduled ||
        !is_rounded_otherwise(p))
        return NULL;
    return p->graph ? p->f : p->plain;
}

static irlc_status compare(const irlc_args *args, const irlc_program *reference,
                           const char *what, const irlc_program *p, const irlc_data *before,
                           const irlc_data *device, const irlc_data *after)
{
    const irl_func *written = as_written(args, p, reference);
    irlc_rounding   rounding;
    irlc_judged     judged;
    irlc_ran        ran;
    irlc_status     status = IRLC_YES;
    ran.f = reference->f;
    ran.module = reference->module;
    ran.before = before;
    ran.what = what;
    if (written) status = compare_rounding(args, written, p->scheduled, before, &rounding);
    if (status == IRLC_YES) status = judge_results(args, p->f, device, after, &ran, &judged);
    if (status != IRLC_YES) return status;
    return print_judged(args, p->f, device, after, &ran, &judged, written ? &rounding : NULL);
}

/* How much --check compares: by the time that the interpreter takes for what it runs. */
static irlc_status choose_checked(const irlc_args *args, const irlc_program *reference,
                                  const irlc_program *p, irlc_data *data, irlc_sample *sample)
{
    const irl_func *written = as_written(args, p, reference),
                   *f = reference->module ? NULL : reference->f;
    double          seconds = expected_seconds(f, data);
    /* with errors of rounding a run takes about twice as long */
    if (written) seconds = 3 * seconds + 2 * expected_seconds(written, data);
    return choose_sample(args, f, written, seconds, data, sample);
}

static void warn_of_time(const irlc_args *args, const irlc_program *reference,
                         const irlc_data *data)
{
    const double seconds = reference->module ? -1 : expected_seconds(reference->f, data);
    if (seconds > 1)
        fprintf(stderr, "irlc %s: interpreting takes about %.0f s (--device: on a device)\n",
                args->command, seconds);
}

static irlc_status run_data(const irlc_args *args, const irlc_program *reference,
                            const char *what, const irlc_program *p, irlc_data *before,
                            irlc_files *files)
{
    irlc_data   after, device;
    irlc_sample sample;
    irlc_status status = IRLC_YES;
    int         on_device = has(args, OPT_DEVICE), both = has(args, OPT_CHECK);
    if (both) status = choose_checked(args, reference, p, before, &sample);
    else if (!on_device) warn_of_time(args, reference, before);
    if (status != IRLC_YES) return status;
    if (!copy_data(before, &after)) return bad_input(args, "no memory for the arguments", NULL);
    if (!copy_data(before, &device)) {
        free_data(&after);
        return bad_input(args, "no memory for the arguments", NULL);
    }
    if (both || !on_device) status = interpret(args, reference, &after);
    if (status == IRLC_YES && (both || on_device)) status = run_on_device(args, p->module, &device);
    irlc_status files_status =
        status == IRLC_YES ? finish_files(args, p, files, both || on_device ? &device : &after)
                           : IRLC_YES;
    if (files_status == IRLC_BAD_INPUT) status = files_status;
    if (status == IRLC_YES && both) {
        keep_sample(&device, NULL);
        keep_sample(&after, NULL);
        status = compare(args, reference, what, p, before, &device, &after);
        if (!has(args, OPT_JSON)) print_files(files);
    } else if (status == IRLC_YES)
        print_results(args, p->f, before, on_device ? &device : &after, files);
    if (status == IRLC_YES) status = files_status;
    free_data(&after);
    free_data(&device);
    if (before->sample) free_sample(&sample);
    before->sample = NULL;
    return status;
}

irlc_status command_run(const irlc_args *args)
{
    irlc_program p, reference;
    irlc_data    data;
    irlc_files   files;
    const char  *what;
    char        *stage = NULL;
    int64_t      ulp;
    if (read_ulp(args, &ulp) != IRLC_YES) return IRLC_BAD_INPUT;
    if (has(args, OPT_INTERPRET) + has(args, OPT_DEVICE) + has(args, OPT_CHECK) > 1)
        return bad_input(args, "choose one of --interpret, --device, --check", NULL);
    if (has(args, OPT_NO_CHECK) && has(args, OPT_CHECK))
        return bad_input(args, "choose one of --check, --no-check", NULL);
    if (has(args, OPT_JSON) && has(args, OPT_CHECK) && has(args, OPT_EXPECT))
        return bad_input(args, "with --json choose one of --check, --expect", NULL);
    if (has(args, OPT_AFTER) && has(args, OPT_DEVICE))
        return bad_input(args, "--after shows a stage in the interpreter; a device runs the last",
                         NULL);
    data.count = files.count = 0;
    irlc_status status = read_program(args, &p);
    if (status == IRLC_YES) status = lower(args, &p, &stage);
    /* a stage was seen, but no data can be made without the last */
    if (status == IRLC_YES && !p.module) status = failed(args);
    if (status == IRLC_YES) status = read_files(args, irl_module_host(p.module), &files);
    if (status == IRLC_YES) status = make_data(args, &p, &files, &data);
    if (status == IRLC_YES) status = choose_reference(args, &p, stage, &data, &reference, &what);
    if (status == IRLC_YES) status = run_data(args, &reference, what, &p, &data, &files);
    free_data(&data);
    free_files(&files);
    free(stage);
    return status;
}
