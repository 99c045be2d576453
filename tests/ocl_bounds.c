/* ocl_bounds.c - what --bounds guard emits runs on a device without an access out of bounds (under
   Oclgrind: without a report), and equals the interpreter of the guarded function. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#define IRLAYOUT_OCL_RUNTIME
#include "../irlayout_ocl.h"
#include "random64.h"
#include "test.h"

/* n: 1 to 12, k: 16 numbers from -20 to 20, x: 16, y: 64; nothing is proved but where k is read. */
static const char *const bodies[] = {
    "for (i: 16) y[i] = x[index(k[i])];",
    "for (i: 16) y[index(k[i])] = 1.0;",
    "for (i: 16) y[index(k[i]) * 3] = y[index(k[i]) * 3] + x[i];",
    "for (i: 16) y[i] = x[index(k[index(k[i])])];",
    "for (i: 16) y[i * n] = x[i + n - 4];",
    "for (i: 4) y[ramp(index(k[i]), 1, 4)] = x[ramp(index(k[i]) + 1, 1, 4)];",
    "for (i: 16) if (x[index(k[i])] > 0.0) y[i] = 2.0; else y[i + index(k[0])] = 3.0;",
    "decl v: f32[8, 8] data(y); for (i: 8) v[i, index(k[i])] = x[i];",
    "decl v: f32[8, 8] data(y); for (i: 8, j: 8) v[i, j + n - 3] = x[i] + x[j + n];",
    "for (i: 16) block b(v: spatial(n) = i) { y[v] = x[v]; }",
    "for (i: 16) { alloc t: f32[4]; for (j: 4) t[j] = 0.0; t[index(k[i])] = x[i]; y[i] = t[1]; }",
    "for (i: 16) { y[i] = 0.0; for (j: n) y[i] = y[i] + x[j + index(k[i])]; }",
};

static void one(irl_ocl *cl, irl_ctx *cx, const char *body, int64_t n, int layout)
{
    irl_mark     mark = irl_ctx_mark(cx);
    char         text[600];
    int32_t      k[16];
    float        x[16], y[2][64];
    int          j;
    irl_func    *f;
    irl_module  *m;
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.bounds = IRL_BOUNDS_GUARD;
    for (j = 0; j < 16; j++) k[j] = random_below(41) - 20, x[j] = (float)(random_below(17) - 8);
    for (j = 0; j < 64; j++) y[0][j] = y[1][j] = (float)j;
    sprintf(text, "func f(n: index, k: i32[16], x: f32[16], y: f32[64])%s { %s }",
            layout ? " layout(x: (i) -> (i % 4, i / 4))" : "", body);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    CHECK(irl_func_interpret(irl_func_run_pass(f, "guard_bounds"), IRL_ARGS(&n, k, x, y[0])));
    m = irl_func_lower_with(f, &irl_target_opencl12, &how);
    CHECK(m && irl_ocl_run(cl, m, IRL_ARGS(&n, k, x, y[1])));
    if (!CHECK_OK(cx) || !CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0))
        printf("%s\n%s\n", text, m ? irl_module_text(m) : "");
    irl_ctx_rewind(cx, mark);
}

int main(void)
{
    irl_ctx *cx = irl_ctx_create(NULL);
    irl_ocl *cl = irl_ocl_create(cx, NULL);
    int      count = getenv("IRL_SOAK") ? 600 : getenv("IRL_OCLGRIND") ? 24 : TEST_COUNT(48), k;
    if (cl) {
        for (k = 0; k < count; k++)
            one(cl, cx, bodies[k % (int)(sizeof bodies / sizeof *bodies)], 1 + random_below(12),
                k / (int)(sizeof bodies / sizeof *bodies) % 2);
    } else {
        CHECK_CODE(cx, IRL_ERROR_NO_DEVICE);
        printf("skipped: %s\n", irl_diag_text(cx));
    }
    irl_ocl_destroy(cl);
    irl_ctx_destroy(cx);
    return TEST_DONE();
}
