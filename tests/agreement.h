/* agreement.h - do two functions of the same parameters compute the same real numbers,
   where `contract` or `reassociate` changes the one into the other? Both run in the interpreter on
   numbers whose sums and products are rounded, and each result lies within the errors of both.

   needs     irlayout.h; arguments for the first, which are left as they are */
#ifndef IRL_AGREEMENT_H
#define IRL_AGREEMENT_H

#include <stdlib.h>
#include <string.h>

#ifdef IRL_SPLIT_BUILD
#include "../src/ir/ir.h"
#endif

/* NOT_JUDGED: the first does not run on such numbers. */
typedef enum agreement_answer { AGREE, DISAGREE, NOT_JUDGED } agreement_answer;

typedef struct agreement_run {
    int           count;
    irl_tensor    tensor[IRL_MAX_ARGUMENTS];
    double       *errors[IRL_MAX_ARGUMENTS];
    int64_t       undecided;
    irl_arguments arguments;
} agreement_run;

static void agreement_free(agreement_run *r)
{
    int k;
    for (k = 0; k < r->count; k++) {
        free(r->tensor[k].data);
        free(r->errors[k]);
    }
}

/* Each float by up to a tenth larger or smaller: what it was is no sum of few powers of two. */
static void agreement_blur(irl_tensor *t)
{
    const irl_type type = irl_type_of((irl_scalar)t->type.scalar, 1);
    const size_t   size = irl__type_bytes(type);
    uint32_t       state = 12345;
    size_t         at;
    for (at = 0; irl__type_is_float(type) && at + size <= t->bytes; at += size) {
        irl__scalar v = irl__load_scalar(type, (char *)t->data + at);
        state = state * 1664525u + 1013904223u;
        v.f = irl__round_float(type, v.f * (1 + ((state >> 8) - 8388608.0) / 83886080.0));
        irl__store_scalar(type, (char *)t->data + at, v);
    }
}

/* Copies of the arguments and room for errors; 0: memory, or what f takes is not to be known. */
static int agreement_make(agreement_run *r, const irl_func *f, const irl_arguments *given)
{
    int k;
    memset(r, 0, sizeof *r);
    r->arguments.count = given->count;
    for (k = 0; k < given->count; k++) {
        irl_tensor *t = &r->tensor[k];
        size_t      numbers;
        if (!irl_func_param_tensor(f, k, *given, t)) return 0;
        r->count = k + 1;
        numbers = t->bits ? 8 * t->bytes : t->bytes;
        t->data = malloc(t->bytes + 1);
        r->errors[k] = (double *)calloc(numbers + 1, sizeof(double));
        if (!t->data || !r->errors[k]) return 0;
        memcpy(t->data, given->data[k], t->bytes);
        if (irl_func_param_is_buffer(f, k)) agreement_blur(t);
        r->arguments.data[k] = t->data;
    }
    return 1;
}

static int agreement_go(agreement_run *r, const irl_func *f, const irl_module *m)
{
    irl_interpret_options how;
    memset(&how, 0, sizeof how);
    how.errors = r->errors;
    how.undecided = &r->undecided;
    return m ? irl_module_interpret_with(m, r->arguments, &how)
             : irl_func_interpret_with(f, r->arguments, &how);
}

/* The same of elements that lie bit by bit: their values are compared as f64. */
static int agreement_of_bits(const irl_buffer *b, int64_t count, const agreement_run *x,
                             const agreement_run *y, int k, irl_agreement *sum)
{
    double *values = (double *)calloc((size_t)count * 2 + 1, sizeof *values);
    int64_t j;
    int     ok;
    if (!values) return 0;
    for (j = 0; j < 2 * count; j++) {
        const uint64_t    at = (uint64_t)(j % count) * (uint64_t)b->bits;
        const irl__scalar v =
            irl__bitfield_load(b, (const unsigned char *)(j < count ? x : y)->tensor[k].data, at);
        values[j] = irl__type_is_real(b->type) ? v.f : (double)v.i;
    }
    ok = irl_array_beyond(irl_type_of(IRL_F64, 1), count, values, x->errors[k], values + count,
                          y->errors[k], sum) < 0;
    free(values);
    return ok;
}

static int agreement_compare(const irl_func *f, const agreement_run *a, const agreement_run *b,
                             irl_agreement *sum)
{
    int k, ok = 1;
    for (k = 0; k < a->count; k++) {
        const irl_tensor *t = &a->tensor[k];
        const int64_t     count = irl_shape_count(t->shape);
        if (!irl_func_param_is_buffer(f, k)) continue;
        if (t->bits) ok &= agreement_of_bits(f->params[k].buffer, count, a, b, k, sum);
        else
            ok &= irl_array_beyond(t->type, count, t->data, a->errors[k], b->tensor[k].data,
                                   b->errors[k], sum) < 0;
    }
    return ok;
}

/* f against g, or against the module m, on blurred copies of what f is given. `sum` is added to.
   What the first leaves open the other may decide otherwise, and fail by it. */
static agreement_answer agreement_of(const irl_func *f, const irl_arguments *given,
                                     const irl_func *g, const irl_module *m, irl_agreement *sum)
{
    agreement_run    a, b;
    agreement_answer answer = NOT_JUDGED;
    irl_mark         mark = irl_ctx_mark(f->cx);
    memset(&b, 0, sizeof b);
    if (agreement_make(&a, f, given) && agreement_make(&b, f, given) && agreement_go(&a, f, NULL)) {
        if (agreement_go(&b, g, m)) answer = agreement_compare(f, &a, &b, sum) ? AGREE : DISAGREE;
        else answer = a.undecided ? NOT_JUDGED : DISAGREE;
    }
    agreement_free(&a);
    agreement_free(&b);
    irl_ctx_rewind(f->cx, mark);
    return answer;
}

#endif
