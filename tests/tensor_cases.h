/* tensor_cases.h - irl_tensors for the function of host_cases.h: a call that is right, what can be
   wrong with it, and what is said then; random calls, and what must become of them. For the
   interpreter and for a device: whoever runs takes tensor_run.

   needs     irlayout.h, host_cases.h and test.h before it */
#ifndef IRL_TENSOR_CASES_H
#define IRL_TENSOR_CASES_H

/* Room for the largest arrays at any offset that is tried, and for z behind them. */
enum { TENSOR_ROOM = 512, TENSOR_ROWS = 4 };

typedef union tensor_room {
    uint64_t      align;
    unsigned char bytes[TENSOR_ROOM];
} tensor_room;

typedef struct tensor_call {
    int         count;
    irl_tensor  t[HOST_COUNT + 1];
    int64_t     n, strides[HOST_COUNT][3];
    float       s;
    int8_t      b;
    tensor_room room[3]; /* of x, y, z */
} tensor_call;

static void tensor_make(tensor_call *call, int k, void *data, irl_scalar scalar, int64_t rows,
                        int64_t columns)
{
    irl_tensor *t = &call->t[k];
    memset(t, 0, sizeof *t);
    t->data = data;
    t->type = irl_type_of(scalar, 1);
    t->shape.rank = rows < 0 ? 0 : 2;
    t->shape.extent[0] = rows;
    t->shape.extent[1] = columns;
    call->strides[k][0] = columns;
    call->strides[k][1] = 1;
    t->bytes = TENSOR_ROOM;
}

/* All is right, for n rows. */
static void tensor_call_init(tensor_call *call, int64_t n)
{
    int k;
    memset(call, 0, sizeof *call);
    call->count = HOST_COUNT;
    call->n = n;
    call->s = 0.5f;
    call->b = -3;
    tensor_make(call, HOST_N, &call->n, IRL_INDEX, -1, 0);
    tensor_make(call, HOST_S, &call->s, IRL_F32, -1, 0);
    tensor_make(call, HOST_B, &call->b, IRL_I8, -1, 0);
    tensor_make(call, HOST_X, call->room[0].bytes, IRL_F32, n, 8);
    tensor_make(call, HOST_Y, call->room[1].bytes, IRL_F32, n, 8);
    tensor_make(call, HOST_Z, call->room[2].bytes, IRL_U16, n + 1, n);
    call->t[HOST_N].bytes = sizeof call->n;
    call->t[HOST_S].bytes = sizeof call->s;
    call->t[HOST_B].bytes = sizeof call->b;
    for (k = 0; k < 3 * TENSOR_ROOM; k++)
        call->room[k / TENSOR_ROOM].bytes[k % TENSOR_ROOM] = (unsigned char)(k * 7 % 120);
}

#define TENSOR_X call->t[HOST_X]
#define TENSOR_Y call->t[HOST_Y]
#define TENSOR_Z call->t[HOST_Z]
#define TENSOR_CHANGE(number, what, message) \
    static void tensor_change_##number(tensor_call *call) { what; }
#include "tensor_changes.h"

typedef struct tensor_case {
    void (*change)(tensor_call *call);
    const char *message; /* "": it is right */
} tensor_case;

static const tensor_case tensor_cases[] = {
#define TENSOR_CHANGE(number, what, message) { tensor_change_##number, message },
#include "tensor_changes.h"
};
enum { TENSOR_CASES = sizeof tensor_cases / sizeof *tensor_cases };

/* ------------------------------------------------------------------ what must become of a call */

typedef int tensor_run(void *user, int count, const irl_tensor *tensors);

static size_t tensor_reach(const irl_tensor *t, int64_t rows, int64_t columns)
{
    return (size_t)(rows * columns) * (t->type.scalar == IRL_U16 ? 2 : 4);
}

/* What the function does to copies of the arrays, element by element. */
static void tensor_expect(const tensor_call *call, tensor_room room[3])
{
    const unsigned char *base[3];
    size_t               at[3];
    int64_t              i, n = call->n;
    int                  k;
    float                x;
    uint16_t             z;
    for (k = 0; k < 3; k++) {
        base[k] = call->room[k].bytes;
        room[k] = call->room[k];
        at[k] = n ? (size_t)((const unsigned char *)call->t[HOST_X + k].data - base[k]) +
                        (size_t)call->t[HOST_X + k].byte_offset
                  : 0;
    }
    for (i = 0; i < n * 8; i++) {
        memcpy(&x, room[0].bytes + at[0] + (size_t)i * 4, 4);
        x = x * call->s;
        x = x + (float)call->b;
        memcpy(room[1].bytes + at[1] + (size_t)i * 4, &x, 4);
    }
    for (i = 0; i < n; i++) {
        z = (uint16_t)i;
        memcpy(room[2].bytes + at[2] + (size_t)i * 2, &z, 2);
    }
}

/* Runs it: right, all bytes are as expected; refused, all are as they were. */
static int tensor_try(irl_ctx *cx, tensor_run *run, void *user, tensor_call *call,
                      const char **said)
{
    tensor_room before[3], expected[3];
    int         ok, k;
    for (k = 0; k < 3; k++) before[k] = call->room[k];
    ok = run(user, call->count, call->t);
    *said = ok ? "" : irl_diag_of(cx)->message;
    if (!ok) CHECK_CODE(cx, IRL_ERROR_ARGUMENT_MISMATCH);
    if (ok) {
        tensor_room after[3];
        for (k = 0; k < 3; k++) after[k] = call->room[k], call->room[k] = before[k];
        tensor_expect(call, expected);
        for (k = 0; k < 3; k++) call->room[k] = after[k];
    }
    for (k = 0; k < 3; k++)
        if (memcmp(call->room[k].bytes, ok ? expected[k].bytes : before[k].bytes, TENSOR_ROOM) != 0)
            return -1;
    return ok;
}

/* Each case alone. */
static void tensor_test_each(irl_ctx *cx, tensor_run *run, void *user)
{
    irl_mark mark = irl_ctx_mark(cx);
    int      k;
    for (k = 0; k < TENSOR_CASES; k++) {
        tensor_call call;
        const char *said;
        tensor_call_init(&call, TENSOR_ROWS);
        tensor_cases[k].change(&call);
        CHECK(tensor_try(cx, run, user, &call, &said) == !*tensor_cases[k].message);
        if (!CHECK(strcmp(said, tensor_cases[k].message) == 0))
            printf("case %d: expected \"%s\"\nfound \"%s\"\n", k, tensor_cases[k].message, said);
        irl_ctx_rewind(cx, mark);
    }
}

/* ------------------------------------------------------------------ random calls */

static void tensor_mutate(tensor_call *call)
{
    static const int64_t    numbers[] = { 0, 1, -1, 2, 3, 4, 5, 8, 9, 16, INT64_MIN, INT64_MAX,
                                          INT64_C(1) << 49 };
    static const irl_scalar scalars[] = { IRL_F32, IRL_U16, IRL_I64, IRL_INDEX, IRL_BOOL, IRL_F16,
                                          IRL_I8, IRL_U8 };
    const unsigned          count = sizeof numbers / sizeof *numbers;
    int64_t                 number = numbers[host_random(count)];
    int                     k = (int)host_random(HOST_COUNT), a = HOST_X + (int)host_random(3);
    irl_tensor             *t = &call->t[k];
    switch (host_random(12)) {
    case 0: call->count = HOST_COUNT - 1 + (int)host_random(2); break;
    case 1: t->type = irl_type_of(scalars[host_random(8)], 1); break;
    case 2: t->type.lanes = (uint16_t)host_random(3); break;
    case 3: t->shape.rank = (int)host_random(4) - 1; break;
    case 4: call->t[a].shape.extent[host_random(2)] = number; break;
    case 5: t->bytes = host_random(140); break;
    case 6: t->strides = call->strides[k]; break;
    case 7: call->strides[a][host_random(2)] = number; break;
    case 8:
        t->byte_offset = host_random(3) ? 4 * host_random(8) : UINT64_MAX - host_random(9);
        break;
    case 9: t->data = host_random(3) ? t->data : NULL; break;
    case 10: t->device_type = (int)host_random(3); break;
    default: call->t[a].data = call->room[host_random(3)].bytes + host_random(200); break;
    }
}

/* Written from the words of the manual, not from the checks. */
static int tensor_array_is_right(const tensor_call *call, int k, irl_scalar scalar, int64_t rows,
                                 int64_t columns, size_t size)
{
    const irl_tensor *t = &call->t[k];
    int               empty = rows <= 0 || columns == 0;
    if (t->type.scalar != scalar || t->type.lanes != 1 || t->shape.rank != (k < HOST_X ? 0 : 2))
        return 0;
    if (t->shape.rank && (t->shape.extent[0] != rows || t->shape.extent[1] != columns)) return 0;
    if (t->shape.rank && t->strides && !empty)
        if ((rows != 1 && t->strides[0] != columns) || (columns != 1 && t->strides[1] != 1))
            return 0;
    if (t->byte_offset > UINT64_C(1) << 48 || t->device_type > 1 || t->device_id) return 0;
    if (empty) return 1;
    return t->data && ((uintptr_t)t->data + (uintptr_t)t->byte_offset) % size == 0 &&
           t->bytes >= t->byte_offset + (size_t)(rows * columns) * size;
}

static int tensor_apart(const tensor_call *call, int a, size_t bytes_a, int b, size_t bytes_b)
{
    const irl_tensor *t = &call->t[a], *u = &call->t[b];
    uintptr_t         p = (uintptr_t)t->data + (uintptr_t)t->byte_offset,
                      q = (uintptr_t)u->data + (uintptr_t)u->byte_offset;
    return !bytes_a || !bytes_b || p + bytes_a <= q || q + bytes_b <= p;
}

static int tensor_is_right(const tensor_call *call)
{
    int64_t n = call->n;
    return call->count == HOST_COUNT && tensor_array_is_right(call, HOST_N, IRL_INDEX, 1, 1, 8) &&
           tensor_array_is_right(call, HOST_S, IRL_F32, 1, 1, 4) &&
           tensor_array_is_right(call, HOST_B, IRL_I8, 1, 1, 1) &&
           tensor_array_is_right(call, HOST_X, IRL_F32, n, 8, 4) &&
           tensor_array_is_right(call, HOST_Y, IRL_F32, n, 8, 4) &&
           tensor_array_is_right(call, HOST_Z, IRL_U16, n + 1, n, 2) &&
           tensor_apart(call, HOST_X, tensor_reach(&TENSOR_X, n, 8), HOST_Y,
                        tensor_reach(&TENSOR_Y, n, 8)) &&
           tensor_apart(call, HOST_X, tensor_reach(&TENSOR_X, n, 8), HOST_Z,
                        tensor_reach(&TENSOR_Z, n + 1, n)) &&
           tensor_apart(call, HOST_Y, tensor_reach(&TENSOR_Y, n, 8), HOST_Z,
                        tensor_reach(&TENSOR_Z, n + 1, n));
}

/* Whether all that is reached lies in the rooms, each array in its own: what is run. */
static int tensor_is_inside(const tensor_call *call)
{
    int k;
    for (k = HOST_N; k < HOST_X; k++)
        if (call->t[k].byte_offset) return 0;
    for (k = 0; k < 3 && call->n; k++) {
        const irl_tensor *t = &call->t[HOST_X + k];
        uintptr_t at = (uintptr_t)t->data + (uintptr_t)t->byte_offset - (uintptr_t)&call->room[k];
        if (at > TENSOR_ROOM || t->bytes > TENSOR_ROOM - at + t->byte_offset) return 0;
    }
    return 1;
}

/* Random calls with these seeds; the number that were accepted. */
static int tensor_test_random(irl_ctx *cx, tensor_run *run, void *user, unsigned first,
                              unsigned last)
{
    irl_mark mark = irl_ctx_mark(cx);
    unsigned seed;
    int      accepted = 0;
    for (seed = first; seed <= last; seed++) {
        tensor_call call;
        const char *said;
        int         changes, right, became, k;
        host_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
        tensor_call_init(&call, (int64_t)host_random(TENSOR_ROWS + 1));
        changes = (int)host_random(4);
        for (k = 0; k < changes; k++) tensor_mutate(&call);
        right = tensor_is_right(&call);
        if (right && !tensor_is_inside(&call)) continue;
        became = tensor_try(cx, run, user, &call, &said);
        if (!CHECK(became == right)) printf("seed %u: %s\n", seed, said);
        accepted += became == 1;
        irl_ctx_rewind(cx, mark);
    }
    return accepted;
}
#endif
