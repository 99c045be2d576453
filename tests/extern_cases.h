/* extern_cases.h - a function whose memory comes from calls, who answers them, and what it gives.

   needs     irlayout.h and test.h before it */
#ifndef IRL_EXTERN_CASES_H
#define IRL_EXTERN_CASES_H

#include <string.h>

/* Two memories: one that is written and read again, one that is only read, by two views. */
static const char extern_text[] =
    "func f(n: index, x: f32[n, 4], y: f32[n, 4]) {\n"
    "    assume(n >= 1 && n <= 4);\n"
    "    let m = n * 4;\n"
    "    let h = extern(ptr(f32, global), memory, m, 0 - 1);\n"
    "    decl t: f32[n, 4] data(h);\n"
    "    decl u: f32[m] data(h);\n"
    "    for (i: n, j: 4) t[i, j] = x[i, j] * 2.0f;\n"
    "    let g: ptr(i16, global) = extern(ptr(i16, global), table);\n"
    "    decl v: i16[8] data(g);\n"
    "    for (i: n, j: 4) y[i, j] = u[m - 1 - (i * 4 + j)] + f32(v[(i + j) % 8]);\n"
    "}\n";

typedef struct extern_state {
    float memory[16];
    int   calls;
} extern_state;

static const int16_t extern_table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

static int extern_answer(void *user, const char *name, int count, const irl_extern_value *a,
                         irl_extern_value *result)
{
    extern_state *state = (extern_state *)user;
    int64_t       k;
    state->calls++;
    if (strcmp(name, "memory") == 0 && count == 2 && a[0].integer <= 16 && a[1].integer < 1) {
        result->pointer = state->memory;
        result->bytes = (size_t)a[0].integer * sizeof(float);
        return 1;
    }
    if (strcmp(name, "table") == 0 && count == 0) { /* only read */
        const int16_t *table = extern_table;
        memcpy(&result->pointer, &table, sizeof result->pointer);
        result->bytes = sizeof extern_table;
        return 1;
    }
    if (strcmp(name, "sum") == 0 && count == 3) {
        result->integer = a[0].integer + (int64_t)a[1].number + a[2].integer;
        return 1;
    }
    if (strcmp(name, "third") == 0 && count == 1) {
        result->number = (double)a[0].integer / 3;
        return 1;
    }
    if (strcmp(name, "fill") == 0 && count == 2) {
        for (k = 0; k < (int64_t)(a[0].bytes / sizeof(float)); k++)
            ((float *)a[0].pointer)[k] = (float)a[1].integer;
        return 1;
    }
    /* "add": the first `more` elements and one at `at`; a promise is kept or broken by who calls */
    if (strcmp(name, "add") == 0 && count == 3) {
        for (k = 0; k < a[1].integer; k++) ((float *)a[0].pointer)[k] += 1;
        if (a[2].integer >= 0) ((float *)a[0].pointer)[a[2].integer] += 1;
        return 1;
    }
    if (strcmp(name, "copy") == 0 && count == 3) {
        memcpy(a[1].pointer, a[0].pointer, (size_t)a[2].integer * sizeof(float));
        return 1;
    }
    return strcmp(name, "nothing") == 0;
}

typedef struct extern_data {
    int64_t n;
    float   x[16], y[16];
} extern_data;

static void extern_data_init(extern_data *d, extern_state *state)
{
    int k;
    memset(state, 0, sizeof *state);
    d->n = 3;
    for (k = 0; k < 16; k++) {
        d->x[k] = (float)k - 5;
        d->y[k] = -99;
    }
}

static void extern_data_check(const extern_data *d, const extern_state *state)
{
    int k, wrong = 0;
    for (k = 0; k < 16; k++) {
        wrong += state->memory[k] != (k < 12 ? d->x[k] * 2 : 0);
        wrong += d->y[k] !=
                 (k < 12 ? d->x[11 - k] * 2 + (float)extern_table[(k / 4 + k % 4) % 8] : -99);
    }
    CHECK(wrong == 0);
    CHECK(state->calls == 2);
}
#endif
