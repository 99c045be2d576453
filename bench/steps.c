/* steps.c - one step of a schedule on one nest of a function that has many, to be counted under
   callgrind.

     steps STEP COUNT NESTS     COUNT steps, each on another nest; no arguments: the names of steps

   needs     nothing but public names
   promises  the difference of two counts is what the steps between them cost, without what is done
             once for a schedule (the function is verified before and after); bench/steps.sh prints
             it for functions of several sizes */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name, *text; } steps[] = {
    { "split", "split(i%d, 4);" },
    { "fuse", "fuse(i%d, j%d);" },
    { "reorder", "reorder(j%d, i%d);" },
    { "parallel", "parallel(i%d);" },
    { "bind", "bind(i%d, global.x);" },
    { "compute_inline", "compute_inline(t%d);" },
    { "compute_at", "compute_at(t%d, i%d);" },
    { "cache_read", "cache_read(z%d, t%d, local);" },
};

int main(int argc, char **argv)
{
    size_t    count, nests, k, which, used = 0;
    char     *text, *schedule;
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f;
    if (argc < 4) {
        for (k = 0; k < sizeof steps / sizeof *steps; k++) puts(steps[k].name);
        return 0;
    }
    for (which = 0; strcmp(steps[which].name, argv[1]); which++) {}
    count = (size_t)atoi(argv[2]);
    nests = (size_t)atoi(argv[3]);
    text = (char *)malloc(nests * 300 + 200);
    schedule = (char *)malloc(count * 100 + 10);
    used = (size_t)sprintf(text, "func f(x: f32[16], y: f32[16, 8]) {\n");
    for (k = 0; k < nests; k++)
        used += (size_t)sprintf(text + used, "alloc t%d: f32[16]; alloc z%d: f32[16, 8]; "
                                "for (a%d: 16) t%d[a%d] = x[a%d] * 2.0f; "
                                "for (i%d: 16, j%d: 8) z%d[i%d, j%d] = t%d[i%d] + 1.0f; "
                                "for (c%d: 16) y[c%d, 0] = z%d[c%d, 1];\n",
                                (int)k, (int)k, (int)k, (int)k, (int)k, (int)k, (int)k, (int)k,
                                (int)k, (int)k, (int)k, (int)k, (int)k, (int)k, (int)k, (int)k,
                                (int)k);
    strcpy(text + used, "}");
    used = (size_t)sprintf(schedule, "{ ");
    for (k = 0; k < count; k++) {
        int at = (int)(nests / 2 + k - count / 2);
        used += (size_t)sprintf(schedule + used, steps[which].text, at, at);
    }
    strcpy(schedule + used, " }");
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    f = irl_schedule_parse(f, schedule, IRL_TO_NUL, NULL);
    if (!f) puts(irl_diag_text(cx));
    return f == NULL;
}
