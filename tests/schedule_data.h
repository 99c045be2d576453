/* schedule_data.h - do two functions of the same parameters compute the same? Both run in the
   interpreter on the same numbers; where steps change what is rounded, also on numbers where that
   shows. */
#ifndef IRL_SCHEDULE_DATA_H
#define IRL_SCHEDULE_DATA_H

#include <stdlib.h>
#include <string.h>

#include "agreement.h"

enum { SAME, DIFFERENT, NOT_RUN, SCHEDULE_PARAMS = 32, SCHEDULE_MOST = 1 << 10 };

typedef struct schedule_args {
    int           count;
    void         *data[SCHEDULE_PARAMS];
    size_t        bytes[SCHEDULE_PARAMS];
    irl_type      type[SCHEDULE_PARAMS];
    irl_arguments pointers;
} schedule_args;

static void schedule_args_free(schedule_args *a)
{
    int k;
    for (k = 0; k < a->count; k++) free(a->data[k]);
}

/* Small numbers, so that sums are exact: orders may differ, values may not. */
static void schedule_fill(irl_type type, void *memory, size_t bytes, uint32_t *state)
{
    size_t size = irl__type_bytes(irl_type_of((irl_scalar)type.scalar, 1)), at;
    for (at = 0; at + size <= bytes; at += size) {
        irl__scalar v;
        int         number;
        *state = *state * 1664525u + 1013904223u;
        number = (int)(*state >> 24) % 9;
        v.i = number;
        if (irl__type_is_float(type)) v.f = (number - 4) / 4.0;
        irl__store_scalar(irl_type_of((irl_scalar)type.scalar, 1), (char *)memory + at, v);
    }
}

/* Arguments for f; index parameters are 16. 0: too large. */
static int schedule_args_make(schedule_args *a, const irl_func *f)
{
    static const int64_t sixteen = 16;
    uint32_t             state = 7;
    int                  k;
    memset(a, 0, sizeof *a);
    if (irl_func_param_count(f) > SCHEDULE_PARAMS) return 0;
    a->pointers.count = irl_func_param_count(f);
    for (k = 0; k < a->pointers.count; k++)
        if (!irl_func_param_is_buffer(f, k)) a->pointers.data[k] = &sixteen;
    for (k = 0; k < a->pointers.count; k++) {
        irl_tensor t;
        if (!irl_func_param_tensor(f, k, a->pointers, &t) || t.bytes > SCHEDULE_MOST * 8) return 0;
        a->count = k + 1;
        a->bytes[k] = t.bytes;
        a->type[k] = t.type;
        a->data[k] = calloc(t.bytes + 1, 1);
        if (!irl_func_param_is_buffer(f, k))
            memcpy(a->data[k], &sixteen, t.bytes < 8 ? t.bytes : 8);
        else schedule_fill(t.type, a->data[k], t.bytes, &state);
    }
    for (k = 0; k < a->count; k++) a->pointers.data[k] = a->data[k];
    return 1;
}

/* How often numbers that are rounded were compared, and how far they were off. */
static int           schedule_judged;
static irl_agreement schedule_agreement;

static int schedule_disagrees(const irl_func *f, const schedule_args *a, const irl_func *g)
{
    const char      *steps = irl_schedule_text(g);
    agreement_answer answer;
    if (!strstr(steps, "contract(") && !strstr(steps, "reassociate(")) return 0;
    answer = agreement_of(f, &a->pointers, g, NULL, &schedule_agreement);
    schedule_judged += answer != NOT_JUDGED;
    if (answer == DISAGREE) printf("beyond the errors of both, after %s\n", steps);
    return answer == DISAGREE;
}

/* NOT_RUN: too large, or the function before does not run itself. must_run: that is no excuse. */
static int schedule_same(const irl_func *f, const irl_func *g, int must_run)
{
    schedule_args a, b;
    int           k, answer = NOT_RUN, ran, made;
    irl_mark      mark = irl_ctx_mark(f->cx);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    made = schedule_args_make(&a, f) && schedule_args_make(&b, g) && a.count == b.count;
    if (made && schedule_disagrees(f, &a, g)) answer = DIFFERENT;
    else if (made && irl_func_interpret(f, a.pointers)) {
        ran = irl_func_interpret(g, b.pointers);
        answer = ran ? SAME : DIFFERENT;
        if (!ran) printf("%s\n", irl_diag_text(f->cx));
        for (k = 0; ran && k < a.count; k++) {
            size_t size = irl__type_bytes(a.type[k]);
            if (irl_array_difference(a.type[k], (int64_t)(a.bytes[k] / size), a.data[k], b.data[k],
                                     0) >= 0)
                answer = DIFFERENT;
        }
    } else if (must_run) printf("did not run: %s\n", irl_diag_text(f->cx));
    schedule_args_free(&a);
    schedule_args_free(&b);
    irl_ctx_rewind(f->cx, mark);
    return answer;
}

#endif
