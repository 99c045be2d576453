/* points.c - how much a check compares: everything, or some elements of each result (sample.c), and
   how long it takes the interpreter. */
#include "irlc.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ which elements are chosen */

/* From each of n equal parts of the elements one; the first, the last and, on each axis, one at
   either end are among them. */
static int choose(irlc_points *p, int64_t n)
{
    uint64_t state = UINT64_C(0x2545f4914f6cdd1d);
    int64_t  each = p->total / n, more = p->total % n, k;
    p->element = (int64_t *)malloc((size_t)n * sizeof *p->element);
    if (!p->element) return 0;
    for (k = 0; k < n; k++) {
        const int64_t begin = k * each + (k < more ? k : more), size = each + (k < more);
        const uint64_t high = next_random(&state);
        p->element[k] = begin + (int64_t)((high << 31 ^ next_random(&state)) % (uint64_t)size);
    }
    for (int axis = 0; axis < p->shape.rank; axis++)
        for (int side = 0; side < 2; side++) {
            irl_shape at = point_of(&p->shape, (int64_t)(next_random(&state) % (uint64_t)p->total));
            int64_t   element = 0;
            at.extent[axis] = side ? p->shape.extent[axis] - 1 : 0;
            for (int j = 0; j < at.rank; j++) element = element * p->shape.extent[j] + at.extent[j];
            k = element < more * (each + 1) ? element / (each + 1)
                                            : more + (element - more * (each + 1)) / each;
            p->element[k] = element;
        }
    p->element[0] = 0;
    p->element[n - 1] = p->total - 1;
    p->count = (int)n;
    return 1;
}

void free_sample(irlc_sample *s)
{
    for (int k = 0; k < IRL_MAX_ARGUMENTS; k++) free(s->of[k].element);
    memset(s, 0, sizeof *s);
}

/* 0 if f, or `also`, cannot be rewritten for each of its results. */
static int make_sample(const irlc_args *args, const irl_func *f, const irl_func *also,
                const irlc_data *d, int64_t most, irlc_sample *s)
{
    irl_mark mark = irl_ctx_mark(args->cx);
    int      ok = 1;
    memset(s, 0, sizeof *s);
    for (int k = 0; k < d->count && ok; k++) {
        irlc_points *p = &s->of[k];
        if (!irl_func_param_is_buffer(f, k) || !is_stored(f, k)) continue;
        p->shape = d->tensor[k].shape;
        p->total = count_of(&d->tensor[k]);
        int64_t n = most < p->total ? most : p->total;
        if (!n) continue;
        ok = choose(p, n) && sample_func(args->cx, f, k, p) &&
             (!also || sample_func(args->cx, also, k, p));
        s->count += n;
        s->total += p->total;
    }
    ok = ok && s->count > 0 && irl_ok(args->cx);
    irl_ctx_rewind(args->cx, mark);
    if (!ok) free_sample(s);
    return ok;
}

/* A part of an index takes the interpreter so long; an access, with the arithmetic around it, as
   long as SAMPLE_ACCESS parts. Schedules make long indices. */
#define SAMPLE_PART 1e-8
enum { SAMPLE_LEAST = 64, SAMPLE_ACCESS = 4, SAMPLE_PARTS = 1000 };

/* The operators and operands of an index, or SAMPLE_PARTS if there are more. */
static int parts_of(const irl_expr *e)
{
    int count = 1;
    for (int k = 0; k < irl_expr_arg_count(e) && count < SAMPLE_PARTS; k++)
        count += parts_of(irl_expr_arg(e, k));
    return count < SAMPLE_PARTS ? count : SAMPLE_PARTS;
}

/* The time for the accesses that run, or for those of which the number of times is known; -1: it is
   not known. */
static double seconds_of(const irl_func *f, const irlc_data *d, int is_exact)
{
    irl_mark                mark = irl_ctx_mark(d->cx);
    irl_value               values[IRL_MAX_ARGUMENTS];
    irl_cost_options        how;
    const irl_access_table *table = f ? irl_func_accesses(f) : NULL;
    double                  count = 0;
    int                     known = table != NULL;
    memset(&how, 0, sizeof how);
    memset(values, 0, sizeof values);
    how.values = values;
    for (int k = 0; f && k < d->count; k++) {
        irl_value *v = &values[how.value_count];
        v->var = irl_func_param_scalar(f, k);
        if (!v->var || irl_expr_type(v->var).scalar != IRL_INDEX) continue;
        memcpy(&v->value, d->tensor[k].data, sizeof v->value);
        how.value_count++;
    }
    const irl_cost *costs = known ? irl_func_costs(f, &how) : NULL;
    for (int k = 0; costs && k < table->count; k++) {
        if (table->list[k].is_declared) continue;
        if (is_exact && costs[k].iterations.exactness != IRL_COUNT_EXACT) continue;
        known &= costs[k].iterations.exactness != IRL_COUNT_UNKNOWN;
        int parts = SAMPLE_ACCESS;
        for (int j = 0; j < table->list[k].rank; j++) parts += parts_of(table->list[k].indices[j]);
        count += (double)costs[k].iterations.value * parts;
    }
    irl_ctx_rewind(d->cx, mark);
    return costs && known ? count * SAMPLE_PART : -1;
}

double expected_seconds(const irl_func *f, const irlc_data *d) { return seconds_of(f, d, 0); }

/* How long it takes to compute what the elements are made of, where all of that is computed: which
   iterations a chosen element needs is not known before. */
static double whole_seconds(const irl_func *f, const irlc_data *d, const irlc_sample *sample)
{
    const irl_mark mark = irl_ctx_mark(d->cx);
    double         seconds = 0;
    for (int k = 0; f && k < d->count; k++) {
        const double one = sample->of[k].count
                               ? seconds_of(sample_func(d->cx, f, k, &sample->of[k]), d, 1)
                               : 0;
        if (one > 0) seconds += one;
    }
    irl_ctx_rewind(d->cx, mark);
    return seconds;
}

irlc_status choose_sample(const irlc_args *args, const irl_func *f, const irl_func *also,
                          double seconds, irlc_data *d, irlc_sample *sample)
{
    const char *given = value_of(args, has(args, OPT_CHECK) ? OPT_CHECK : OPT_CHECK_TIMED, NULL),
               *end = given;
    const int is_all = given && strcmp(given, "all") == 0;
    int64_t   most = SAMPLE_LEAST;
    if (given && !is_all && (!read_int(&end, &most) || *end || most < 1 || most > 1000000))
        return bad_input(args, "--check is all or a number from 1 to 1000000; found", given);
    if (is_all || (!given && seconds <= 1)) {
        if (seconds > 1)
            fprintf(stderr, "irlc %s: checking takes about %.0f s\n", args->command, seconds);
        return IRLC_YES;
    }
    progress("choosing elements to check", 0, 0);
    if (f && make_sample(args, f, also, d, most, sample)) {
        d->sample = sample;
        if ((given && seconds <= 1) || strcmp(args->command, "tune") == 0) return IRLC_YES;
        double needed = whole_seconds(f, d, sample);
        if (also) needed = 3 * needed + 2 * whole_seconds(also, d, sample);
        fprintf(stderr,
                "irlc %s: checking all %lld elements takes about %.0f s; %lld are checked "
                "(--check=all: all)",
                args->command, (long long)sample->total, seconds, (long long)sample->count);
        if (needed > 1) fprintf(stderr, "; what they are made of takes about %.0f s", needed);
        fputc('\n', stderr);
        return IRLC_YES;
    }
    /* time then compares on the device */
    if (strcmp(args->command, "run") != 0) return IRLC_YES;
    fprintf(stderr, "irlc %s: everything is checked: %s", args->command,
            f ? "no element can be computed alone (the result is read elsewhere, or stored in "
                "vectors, through a view or beside a barrier)"
              : "a module, or a stage of one, runs as a whole");
    if (seconds > 1) fprintf(stderr, "; that takes about %.0f s", seconds);
    fputc('\n', stderr);
    return IRLC_YES;
}

/* One run for each result: it leaves what it chose in d, and the rest of d as it was. */
int interpret_sample(const irl_func *f, const irlc_data *d, const irl_interpret_options *how)
{
    int ok = 1;
    for (int k = 0; k < d->count && ok; k++) {
        irl_interpret_options one;
        double               *errors[IRL_MAX_ARGUMENTS] = { NULL };
        irlc_data             run;
        memset(&one, 0, sizeof one);
        if (!d->sample->of[k].count) continue;
        if (how) one = *how;
        if (how && how->errors) {
            for (int j = 0; j < d->count; j++) errors[j] = j == k ? how->errors[j] : NULL;
            one.errors = errors;
        }
        irl_func *g = sample_func(d->cx, f, k, &d->sample->of[k]);
        ok = g && copy_data(d, &run);
        if (!ok) break;
        ok = irl_func_interpret_with(g, run.arguments, &one);
        if (ok) memcpy(d->tensor[k].data, run.tensor[k].data, run.tensor[k].bytes);
        free_data(&run);
    }
    return ok;
}

void keep_sample(irlc_data *d, double *const *errors)
{
    if (!d->sample) return;
    for (int k = 0; k < d->count; k++) {
        const irlc_points *p = &d->sample->of[k];
        irl_tensor        *t = &d->tensor[k];
        const size_t size = p->total ? t->bytes / (size_t)p->total : 0, lanes = t->type.lanes;
        char        *data = (char *)t->data;
        for (int n = 0; n < p->count; n++) { /* the elements ascend */
            memmove(data + size * (size_t)n, data + size * (size_t)p->element[n], size);
            if (errors)
                memmove(errors[k] + lanes * (size_t)n, errors[k] + lanes * (size_t)p->element[n],
                        lanes * sizeof **errors);
        }
        t->shape.rank = 1;
        t->shape.extent[0] = p->count;
        t->bytes = size * (size_t)p->count;
    }
}
