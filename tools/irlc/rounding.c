/* rounding.c - the parts of `irlc run --check` that go by errors of rounding
   (irl_interpret_options). A function whose schedule changes what is rounded
   (is_rounded_otherwise) is compared with the function as it was written: both are interpreted on
   numbers whose sums and products are rounded, and each result must be within the errors of both.
   If the device differs from the interpreter by more than the tolerance, its result must be within
   the errors of both, too. */
#include "irlc.h"

#include <float.h>
#include <stdlib.h>

/* One run: a copy of the data, the errors of its results. */
typedef struct irlc_errors {
    irlc_data data;
    double   *of[IRL_MAX_ARGUMENTS];
    int64_t   undecided;
} irlc_errors;

static void free_errors(irlc_errors *e)
{
    for (int k = 0; k < IRL_MAX_ARGUMENTS; k++) free(e->of[k]);
    free_data(&e->data);
}

static int make_errors(const irlc_data *from, irlc_errors *e)
{
    memset(e, 0, sizeof *e);
    if (!copy_data(from, &e->data)) return 0;
    for (int k = 0; k < from->count; k++) {
        const irl_tensor *t = &from->tensor[k]; /* of bits: several elements are one byte */
        const size_t      numbers = (size_t)count_of(t) * t->type.lanes;
        e->of[k] = (double *)calloc(numbers + 1, sizeof(double));
        if (!e->of[k]) return 0;
    }
    return 1;
}

/* Random input is of numbers whose sums are exact. Each float of a buffer, a twentieth larger or
   smaller. */
static void blur(const irl_func *f, irlc_data *d)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    for (int k = 0; k < d->count; k++) {
        const irl_tensor *t = &d->tensor[k];
        const int64_t     n = irl_func_param_is_buffer(f, k) ? elements_of(t) * t->type.lanes : 0;
        for (int64_t j = 0; j < n; j++) {
            const double by = 0.95 + (double)next_random(&state) / 4294967296.0 / 10;
            if (t->type.scalar == IRL_F32) ((float *)t->data)[j] *= (float)by;
            else if (t->type.scalar == IRL_F64) ((double *)t->data)[j] *= by;
        }
    }
}

static int interpret_errors(const irl_func *f, irlc_errors *e)
{
    irl_interpret_options how;
    memset(&how, 0, sizeof how);
    how.errors = e->of;
    how.undecided = &e->undecided;
    return interpret_data(f, &e->data, &how);
}

static void compare_errors(const irl_func *f, const irlc_errors *written,
                           const irlc_errors *scheduled, irlc_rounding *out)
{
    out->found = -1;
    out->undecided = written->undecided + scheduled->undecided;
    for (int k = 0; k < written->data.count && out->found < 0; k++) {
        const irl_tensor *t = &written->data.tensor[k], *u = &scheduled->data.tensor[k];
        if (!irl_func_param_is_buffer(f, k) || t->bits) continue;
        out->at = irl_array_beyond(t->type, elements_of(t), t->data, written->of[k], u->data,
                                   scheduled->of[k], &out->sum);
        if (out->at >= 0) out->found = k;
    }
}

irlc_status compare_rounding(const irlc_args *args, const irl_func *written,
                             const irl_func *scheduled, const irlc_data *data, irlc_rounding *out)
{
    irlc_errors a, b;
    irlc_status status = IRLC_YES;
    irl_mark    mark = irl_ctx_mark(args->cx);
    memset(out, 0, sizeof *out);
    out->found = -1;
    memset(&b, 0, sizeof b);
    progress("interpreting, with the errors of rounding", 0, 0);
    if (!make_errors(data, &a) || !make_errors(data, &b))
        status = bad_input(args, "no memory for the arguments", NULL);
    else {
        blur(written, &a.data);
        blur(written, &b.data);
        out->is_left_out = !interpret_errors(written, &a);
        if (out->is_left_out) irl_ctx_rewind(args->cx, mark);
        else if (!interpret_errors(scheduled, &b)) status = failed(args);
        else {
            keep_sample(&a.data, a.of);
            keep_sample(&b.data, b.of);
            compare_errors(written, &a, &b, out);
        }
    }
    free_errors(&a);
    free_errors(&b);
    return status;
}

/* ------------------------------------------------------------------ the device's numbers */

/* The first number that is neither within the tolerance nor within a bound, which it has; -1. */
static int64_t beyond_bound(const irl_tensor *device, const irl_tensor *ran, const double *errors,
                            irlc_judged *out)
{
    const int64_t  count = count_of(device) * device->type.lanes;
    const size_t   size = device->bytes / (size_t)(count ? count : 1);
    const irl_type one = irl_type_of(device->type.scalar, 1);
    for (int64_t n = 0; n < count; n++) {
        const char *a = (const char *)device->data + size * (size_t)n,
                   *b = (const char *)ran->data + size * (size_t)n;
        const int   is_far = irl_array_difference(one, 1, a, b, (int)out->ulp) >= 0;
        if ((irl_array_beyond(one, 1, b, &errors[n], a, &errors[n], &out->bound.sum) >= 0 ||
             errors[n] > DBL_MAX) &&
            is_far) {
            out->is_unbounded = errors[n] > DBL_MAX;
            return n;
        }
    }
    return -1;
}

static void judge_errors(const irlc_data *device, const irlc_errors *ran, irlc_judged *out)
{
    out->found = -1;
    for (int k = 0; k < device->count && out->found < 0; k++) {
        const irl_tensor *t = &device->tensor[k], *u = &ran->data.tensor[k];
        const int64_t     n = t->bits ? irl_array_difference(shown_type(t), elements_of(t), t->data,
                                                             u->data, 0)
                                      : beyond_bound(t, u, ran->of[k], out);
        if (n < 0) continue;
        out->found = k;
        out->at = t->bits ? n : n / t->type.lanes;
    }
}

irlc_status judge_bounded(const irlc_args *args, const irlc_data *device, const irlc_ran *ran,
                          irlc_judged *out)
{
    irlc_errors           e;
    irl_interpret_options how;
    irlc_status           status = IRLC_YES;
    irl_mark              mark = irl_ctx_mark(args->cx);
    memset(&how, 0, sizeof how);
    progress("interpreting, with the errors of rounding", 0, 0);
    if (!make_errors(ran->before, &e))
        status = bad_input(args, "no memory for the arguments", NULL);
    else {
        how.errors = e.of;
        how.undecided = &e.undecided;
        out->is_bounded =
            ran->module ? irl_module_interpret_with(ran->module, e.data.arguments, &how)
                        : interpret_data(ran->f, &e.data, &how);
        if (out->is_bounded) {
            keep_sample(&e.data, e.of);
            judge_errors(device, &e, out);
        }
        else irl_ctx_rewind(args->cx, mark);
    }
    free_errors(&e);
    return status;
}

/* ------------------------------------------------------------------ how it is said */

/* What irl_array_beyond gives where nothing is allowed is no number of JSON. */
double worst_of(const irlc_rounding *r) { return r->sum.worst < 1e9 ? r->sum.worst : 1e9; }

void json_rounding(irlc_json *j, const irl_func *f, const irlc_rounding *r)
{
    json_key(j, "rounding");
    if (r->is_left_out) {
        json_string(j->cx, "not compared");
        return;
    }
    json_open(j, '{');
    json_text(j, "result", r->found < 0 ? "same" : "different");
    json_number(j, "worst", worst_of(r));
    json_int(j, "numbers", r->sum.numbers);
    json_int(j, "unbounded", r->sum.unbounded);
    json_int(j, "undecided", r->undecided);
    json_text(j, "buffer", r->found < 0 ? NULL : irl_func_param_name(f, r->found));
    json_close(j, '}');
}

void print_rounding(const irl_func *f, const irlc_rounding *r)
{
    if (r->is_left_out) {
        say("as written: not compared, because it does not run on the rounded input\n");
        return;
    }
    if (r->found >= 0)
        say("different: %s, element %lld, as scheduled and as written: %.3g times the bound of "
               "rounding", irl_func_param_name(f, r->found), (long long)r->at, worst_of(r));
    else say("as written: the same up to rounding, at most %.3f of its bound", worst_of(r));
    if (r->sum.unbounded)
        say("; %lld of %lld numbers have none", (long long)r->sum.unbounded,
               (long long)r->sum.numbers);
    say("\n");
}
