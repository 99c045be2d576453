/* host_cases.h - a function with one of each kind of argument, a call that is right, what can be
   wrong with it, and what is said then; random calls, and what must become of them.

   needs     irlayout.h before it */
#ifndef IRL_HOST_CASES_H
#define IRL_HOST_CASES_H

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif
#include <string.h>

static const char host_function[] =
    "func k(n: index, s: f32, b: i8, x: f32[n, 8], y: f32[n, 8] strides(16, 1), z: u16[n + 1, n])"
    " {\n    for (i: n, j: 8) y[i, j] = x[i, j] * s + f32(b);\n"
    "    for (i: n) z[0, i] = u16(i);\n}\n";

enum { HOST_N, HOST_S, HOST_B, HOST_X, HOST_Y, HOST_Z, HOST_COUNT };

typedef struct host_call {
    int          count;
    irl_packed   args[HOST_COUNT + 2];
    irl_dltensor tensors[HOST_COUNT];
    int64_t      shape[HOST_COUNT][3], strides[HOST_COUNT][3];
    float        x[40], y[80];
    uint16_t     z[24];
} host_call;

static void host_tensor(host_call *call, int k, void *data, int code, int bits, int64_t rows,
                        int64_t columns)
{
    irl_dltensor *t = &call->tensors[k];
    t->data = data;
    t->device.device_type = 1;
    t->ndim = 2;
    t->dtype.code = (uint8_t)code;
    t->dtype.bits = (uint8_t)bits;
    t->dtype.lanes = 1;
    t->shape = call->shape[k];
    call->shape[k][0] = rows;
    call->shape[k][1] = columns;
    call->args[k].kind = 3;
    call->args[k].value.tensor = t;
}

/* n = 4, and all is right */
static void host_call_init(host_call *call)
{
    int k;
    memset(call, 0, sizeof *call);
    call->count = HOST_COUNT;
    call->args[HOST_N].kind = 1;
    call->args[HOST_N].value.integer = 4;
    call->args[HOST_S].kind = 2;
    call->args[HOST_S].value.number = 0.5;
    call->args[HOST_B].kind = 1;
    call->args[HOST_B].value.integer = -3;
    host_tensor(call, HOST_X, call->x, 2, 32, 4, 8);
    host_tensor(call, HOST_Y, call->y, 2, 32, 4, 8);
    call->tensors[HOST_Y].strides = call->strides[HOST_Y];
    call->strides[HOST_Y][0] = 16;
    call->strides[HOST_Y][1] = 1;
    host_tensor(call, HOST_Z, call->z, 1, 16, 5, 4);
    for (k = 0; k < 40; k++) call->x[k] = (float)k - 7;
}

#define HOST_X_ call->tensors[HOST_X]
#define HOST_Y_ call->tensors[HOST_Y]
#define HOST_Z_ call->tensors[HOST_Z]
#define HOST_CHANGE(number, what, message) \
    static void host_change_##number(host_call *call) { what; }
#include "host_changes.h"

typedef struct host_case {
    void (*change)(host_call *call);
    const char *message; /* "": it is right */
} host_case;

static void host_change_nothing(host_call *call) { (void)call; }

static const host_case host_cases[] = {
    { host_change_nothing, "" },
#define HOST_CHANGE(number, what, message) { host_change_##number, message },
#include "host_changes.h"
};
enum { HOST_CASES = sizeof host_cases / sizeof *host_cases };


/* ------------------------------------------------------------------ random calls */

/* Memory that tensors lie in: what a call that is accepted reaches stays in it. */
enum { HOST_ARENA = 4096, HOST_PLACES = 1024 };
typedef union host_arena {
    uint64_t      align;
    unsigned char bytes[HOST_ARENA];
} host_arena;

static uint64_t host_state = 1;
static unsigned host_random(unsigned n)
{
    host_state = host_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(host_state >> 33) % n;
}

/* One field of one tensor is something else. Offsets and sizes are such that memory could not be
   that large, or such that the arena is. */
static void host_mutate(host_call *call, host_arena *arena)
{
    static const int64_t numbers[] = { 0, 1, -1, 2, 3, 4, 5, 6, 8, 16, -8, INT64_MIN, INT64_MAX,
                                       INT64_C(1) << 49, -(INT64_C(1) << 48) };
    const unsigned count = sizeof numbers / sizeof *numbers;
    int64_t        number = numbers[host_random(count)];
    int            k = HOST_X + (int)host_random(3), other = (int)host_random(HOST_COUNT);
    irl_dltensor  *t = &call->tensors[k];
    switch (host_random(17)) {
    case 0: call->count = (int)host_random(9) - 1; break;
    case 1: call->args[other].kind = (int)host_random(5) - 1; break;
    case 2: call->args[HOST_N].value.integer = number; break;
    case 3: call->args[HOST_B].value.integer = (int)host_random(300) - 150; break;
    case 4: call->args[k].value.tensor = NULL; break;
    case 5: t->ndim = (int)host_random(4); break;
    case 6: t->dtype.code = (uint8_t)host_random(5); break;
    case 7: t->dtype.bits = (uint8_t)(8u << host_random(4)); break;
    case 8: t->dtype.lanes = (uint16_t)host_random(3); break;
    case 9: t->shape = NULL; break;
    case 10: call->shape[k][host_random(2)] = number; break;
    case 11: t->strides = host_random(2) ? call->strides[k] : NULL; break;
    case 12: call->strides[k][host_random(2)] = number; break;
    case 13:
        t->byte_offset = host_random(4) ? host_random(64) : UINT64_MAX - host_random(100);
        break;
    case 14: t->data = host_random(4) ? arena->bytes + host_random(HOST_PLACES) : NULL; break;
    case 15: t->device.device_type = (int)host_random(3); break;
    default: t->device.device_id = (int)host_random(2); break;
    }
}

/* A call of n rows, mostly right. */
static void host_call_random(host_call *call, host_arena *arena, uint64_t seed)
{
    int     k, n, changes;
    int64_t rows[3], columns[3];
    host_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    host_call_init(call);
    n = (int)host_random(5);
    call->args[HOST_N].value.integer = n;
    for (k = 0; k < HOST_ARENA; k++) arena->bytes[k] = (unsigned char)host_random(120);
    for (k = 0; k < 3; k++) {
        rows[k] = k == 2 ? n + 1 : n;
        columns[k] = k == 2 ? n : 8;
        call->tensors[HOST_X + k].data = arena->bytes + 1024 * (unsigned)k + 8 * host_random(8);
        call->shape[HOST_X + k][0] = rows[k];
        call->shape[HOST_X + k][1] = columns[k];
        if (HOST_X + k == HOST_Y) continue;
        call->strides[HOST_X + k][0] = columns[k];
        call->strides[HOST_X + k][1] = 1;
        if (host_random(2)) call->tensors[HOST_X + k].strides = call->strides[HOST_X + k];
    }
    changes = (int)host_random(4);
    for (k = 0; k < changes; k++) host_mutate(call, arena);
}

/* Written from the words of the manual, not from the checks. */
static int host_tensor_is_right(const host_call *call, int k, int code, int bits, int64_t rows,
                                int64_t columns, int64_t row_step)
{
    const irl_dltensor *t = call->args[k].value.tensor;
    int                 empty = rows == 0 || columns == 0, needs = k == HOST_Y;
    if (!t || t->ndim != 2 || t->dtype.code != code || t->dtype.bits != bits ||
        t->dtype.lanes != 1 || !t->shape || t->shape[0] != rows || t->shape[1] != columns)
        return 0;
    if (rows < 0 || columns < 0 || rows > INT64_C(1) << 20) return 0;
    if (needs && !t->strides) return 0;
    if (t->strides && !empty && rows != 1 && t->strides[0] != row_step) return 0;
    if (t->strides && !empty && columns != 1 && t->strides[1] != 1) return 0;
    if (t->byte_offset > UINT64_C(1) << 48 || (!t->data && !empty)) return 0;
    if (!empty && ((uintptr_t)t->data + t->byte_offset) % ((unsigned)bits / 8) != 0) return 0;
    return t->device.device_type == 1 &&
           t->device.device_id == call->args[HOST_X].value.tensor->device.device_id;
}

static int host_apart(const host_call *call, int a, int64_t bytes_a, int b, int64_t bytes_b)
{
    const irl_dltensor *t = call->args[a].value.tensor, *u = call->args[b].value.tensor;
    uintptr_t           p = (uintptr_t)t->data + (uintptr_t)t->byte_offset,
                        q = (uintptr_t)u->data + (uintptr_t)u->byte_offset;
    return bytes_a <= 0 || bytes_b <= 0 || p + (uintptr_t)bytes_a <= q ||
           q + (uintptr_t)bytes_b <= p;
}

static int host_is_right(const host_call *call)
{
    static const int kinds[] = { 1, 2, 1, 3, 3, 3 };
    int64_t          n = call->args[HOST_N].value.integer, b = call->args[HOST_B].value.integer;
    int              k;
    if (call->count != HOST_COUNT) return 0;
    for (k = 0; k < HOST_COUNT; k++)
        if (call->args[k].kind != kinds[k]) return 0;
    if (b < -128 || b > 127 || n < 0 || n > 1000) return 0;
    return host_tensor_is_right(call, HOST_X, 2, 32, n, 8, 8) &&
           host_tensor_is_right(call, HOST_Y, 2, 32, n, 8, 16) &&
           host_tensor_is_right(call, HOST_Z, 1, 16, n + 1, n, n) &&
           host_apart(call, HOST_X, n * 32, HOST_Y, n * 64 - 32) &&
           host_apart(call, HOST_X, n * 32, HOST_Z, (n + 1) * n * 2) &&
           host_apart(call, HOST_Y, n * 64 - 32, HOST_Z, (n + 1) * n * 2);
}

/* What the function does, element by element. */
static void host_run(const host_call *call, host_arena *arena, const host_arena *real)
{
    int64_t  n = call->args[HOST_N].value.integer, i, j;
    size_t   at[3];
    float    x;
    uint16_t z;
    int      k;
    for (k = 0; k < 3; k++)
        at[k] = n ? (size_t)((uintptr_t)call->args[HOST_X + k].value.tensor->data -
                             (uintptr_t)real->bytes) +
                        (size_t)call->args[HOST_X + k].value.tensor->byte_offset
                  : 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < 8; j++) {
            memcpy(&x, arena->bytes + at[0] + (size_t)(i * 8 + j) * 4, 4);
            x = x * (float)call->args[HOST_S].value.number;
            x = x + (float)call->args[HOST_B].value.integer;
            memcpy(arena->bytes + at[1] + (size_t)(i * 16 + j) * 4, &x, 4);
        }
    for (i = 0; i < n; i++) {
        z = (uint16_t)i;
        memcpy(arena->bytes + at[2] + (size_t)i * 2, &z, 2);
    }
}
#endif
