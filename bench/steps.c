/* steps.c - one step of a schedule on one nest of a function that has many, to be counted under
   callgrind.

     steps STEP COUNT UNITS     COUNT steps, each on another unit; no arguments: the names of steps

   needs     nothing but public names
   promises  the difference of two counts is what the steps between them cost, without what is done
             once for a schedule (the function is verified before and after); bench/steps.sh prints
             it for functions of several sizes */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units of a function, and steps on one of them; $ is its number. x and b are read by all units, y
   is written by all; other buffers are a unit's own. */
#define MAKER "alloc t$: f32[16]; for (a$: 16) t$[a$] = x[a$] * 2.0f; "
#define USER  "alloc z$: f32[16, 8]; for (i$: 16, j$: 8) z$[i$, j$] = t$[i$] * 3.0f + 1.0f; "
#define LAST  "for (c$: 16) y[c$, 0] = z$[c$, 1]; "
#define PAD \
    "alloc p$: f32[20]; for (q$: 20) block pad$(vq: 20 = q$) { " \
    "p$[vq] = if_then_else(vq >= 2 && vq < 18, x[vq - 2], 0.0f); } "
#define DOT \
    "alloc d$: f32[16]; for (u$: 16, k$: 4) block dot$(vu: 16 = u$, vk: reduce(4) = k$) { " \
    "init d$[vu] = 0.0f; d$[vu] = d$[vu] + p$[vu + vk] * y[vu, vk]; } " \
    "for (o$: 16) y[o$, 1] = d$[o$]; "
#define PRODUCT \
    "alloc g$: f32[14, 6]; for (m$: 14, n$: 6, k$: 3) " \
    "block mm$(vm: 14 = m$, vn: 6 = n$, vk: reduce(3) = k$) { init g$[vm, vn] = 0.0f; " \
    "g$[vm, vn] = g$[vm, vn] + y[vm, vk] * b[vn, vk]; } for (c$: 14) y[c$, 2] = g$[c$, 0]; "
#define SUM \
    "alloc s$: f32[16]; for (b$: 16) { s$[b$] = 0.0f; for (l$: 4) s$[b$] = s$[b$] + y[b$, l$]; } "
#define TWO "alloc v$: f32[16]; alloc w$: f32[16]; for (b$: 16) v$[b$] = x[b$]; " \
    "for (l$: 16) w$[l$] = x[l$]; "
#define PAIR "alloc r$: f32[16]; " MAKER "for (e$: 16) r$[e$] = t$[e$] + 1.0f; " \
    "for (c$: 16) y[c$, 0] = r$[c$]; "
#define GUARDED \
    "for (a$: 16, e$: 3) block c$(va: 16 = a$, ve: reduce(3) = e$) { init y[va, 5] = 0.0f; " \
    "y[va, 5] = y[va, 5] + (va + ve >= 1 && va + ve < 17 ? b[va + ve - 1, ve] : 0.0f); } "
#define VALUED \
    "for (a$: 16, e$: 3) block c$(va: 16 = a$, ve: 3 = e$) { " \
    "y[va, ve] = (b[va, 1] + 1.0f) * b[va, ve]; } "
#define RUNNING \
    "for (c$: 16) { y[c$, 3] = 0.0f; for (l$: c$ + 1) y[c$, 3] = y[c$, 3] + b[l$, 1]; } "
#define THREE MAKER USER LAST

static const struct { const char *name, *unit, *step; } steps[] = {
    { "split", THREE, "split(i$, 4);" },
    { "fuse", THREE, "fuse(i$, j$);" },
    { "reorder", THREE, "reorder(j$, i$);" },
    { "parallel", THREE, "parallel(i$);" },
    { "vectorize", THREE, "vectorize(j$);" },
    { "unroll", THREE, "unroll(j$);" },
    { "bind", THREE, "bind(i$, global.x);" },
    { "annotate", THREE, "annotate(i$, group = 64);" },
    { "add_unit_loop", THREE, "add_unit_loop(z$);" },
    { "partition", THREE, "partition(i$, 4);" },
    { "merge", TWO, "merge(b$, l$);" },
    { "contract", THREE, "contract(z$);" },
    { "compute_inline", THREE, "compute_inline(t$);" },
    { "reverse_compute_inline", PAIR, "reverse_compute_inline(r$);" },
    { "compute_at", THREE, "compute_at(t$, i$);" },
    { "reverse_compute_at", PAIR, "reverse_compute_at(r$, a$);" },
    { "compute_at and rolling_buffer", PAD DOT, "compute_at(pad$, u$); rolling_buffer(pad$, u$);" },
    { "cache_read", THREE, "cache_read(z$, t$, local);" },
    { "cache_write", THREE, "cache_write(z$, z$, local);" },
    { "reindex", PAD DOT, "reindex(dot$, p$);" },
    { "reindex_cache_read", PAD DOT, "reindex_cache_read(dot$, y, local, (u, k) -> (k, u));" },
    { "reindex_cache_write", PAD DOT, "reindex_cache_write(dot$, d$, local, (u, k) -> (u));" },
    { "continue_sum", RUNNING, "continue_sum(c$);" },
    { "cache_value", VALUED, "cache_value(c$, b);" },
    { "cache_padded", GUARDED, "cache_padded(c$, b, local);" },
    { "set_scope", THREE, "set_scope(z$, z$, local);" },
    { "set_axis_separator", THREE, "set_axis_separator(z$, z$, 1);" },
    { "storage_align", THREE, "storage_align(z$, z$, 0, 32, 1);" },
    { "transform_layout", THREE, "transform_layout(z$, z$, (i, j) -> (j, i));" },
    { "transform_block_layout", PAD DOT, "transform_block_layout(pad$, (q) -> (q / 4, q % 4));" },
    { "decompose_reduction", PAD DOT, "decompose_reduction(dot$, k$);" },
    { "compose_reduction", SUM, "compose_reduction(s$);" },
    { "reassociate", PAD DOT, "reassociate(dot$);" },
    { "reassociate and rfactor", PAD DOT, "reassociate(dot$); rfactor(k$, 0);" },
    { "pad_einsum", PRODUCT, "pad_einsum(mm$, 4, 4, 4);" },
    { "decompose_padding", PAD DOT, "decompose_padding(pad$, q$);" },
    { "blockize", PAD DOT, "blockize(k$);" },
};

/* The text with the number in the place of each $, behind what is in out. */
static size_t put(char *out, size_t used, const char *text, int number)
{
    for (; *text; text++)
        if (*text == '$') used += (size_t)sprintf(out + used, "%d", number);
        else out[used++] = *text;
    out[used] = '\0';
    return used;
}

int main(int argc, char **argv)
{
    size_t    which = 0, k, count, units, used;
    char     *text, *schedule;
    irl_ctx  *cx = irl_ctx_create(NULL);
    irl_func *f;
    if (argc < 4) {
        for (k = 0; k < sizeof steps / sizeof *steps; k++) puts(steps[k].name);
        return 0;
    }
    while (strcmp(steps[which].name, argv[1]) != 0)
        if (++which == sizeof steps / sizeof *steps) return 1;
    count = (size_t)atoi(argv[2]);
    units = (size_t)atoi(argv[3]);
    text = (char *)malloc(units * 800 + 200);
    schedule = (char *)malloc(count * 200 + 10);
    used = put(text, 0, "func f(x: f32[16], b: f32[16, 8], y: f32[16, 8]) {\n", 0);
    for (k = 0; k < units; k++) used = put(text, used, steps[which].unit, (int)k);
    strcpy(text + used, "}");
    used = put(schedule, 0, "{ ", 0);
    for (k = 0; k < count; k++)
        used = put(schedule, used, steps[which].step, (int)(units / 2 + k - count / 2));
    strcpy(schedule + used, " }");
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    f = irl_schedule_parse(f, schedule, IRL_TO_NUL, NULL);
    if (!f) puts(irl_diag_text(cx));
    else if (argc > 4) puts(irl_func_text(f));
    return f == NULL;
}
