/* test_blocks.c - contexts in blocks that are too small: memory may be out at any place, not only
   where a large piece is asked for. Each question, asked in blocks of drawn sizes up to the one
   that it needs, ends with its answer or with IRL_ERROR_OUT_OF_MEMORY; then the block is used up.

   test_blocks [FIRST [COUNT]]: these seeds, each one text, one question and SLICES sizes. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout_ocl.h"
#include "test.h"
#include "text_corpus.h"

#include <stdlib.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { SLICES = 40 };

/* What is asked: the text of the answer, "" or NULL if there is none. */
typedef const char *question(irl_ctx *cx, const char *text, unsigned draw);

static irl_func *read_func(irl_ctx *cx, const char *text)
{
    return irl_func_parse(cx, text, IRL_TO_NUL, "test");
}

static const irl_target *target_of(unsigned draw)
{
    int count = 0;
    while (irl_target_name(count)) count++;
    return irl_target_find(irl_target_name((int)(draw % (unsigned)count)));
}

/* ------------------------------------------------------------------ functions */

static const char *ask_text(irl_ctx *cx, const char *text, unsigned draw)
{
    irl_func *f = read_func(cx, text);
    return draw % 2 ? irl_func_text(f) : irl_func_text_named(f);
}

static const char *ask_analysis(irl_ctx *cx, const char *text, unsigned draw)
{
    static const char yes[] = "yes";
    const irl_func   *f = read_func(cx, text);
    switch (draw % 5) {
    case 0: return irl_func_accesses(f) ? yes : NULL;
    case 1: return irl_func_regions(f) ? yes : NULL;
    case 2: return irl_func_carried_all(f) ? yes : NULL;
    case 3: return irl_func_liveness(f) ? yes : NULL;
    default: return irl_func_dependence(f, 0, 0) ? yes : NULL;
    }
}

static const char *source_of(irl_module *m, const irl_target *t)
{
    if (strncmp(t->name, "glsl", 4) == 0) return irl_glsl_source(m, 0);
    return t->name[0] == 'c' ? irl_c_source(m) : irl_ocl_source(m);
}

static const char *ask_lower(irl_ctx *cx, const char *text, unsigned draw)
{
    const irl_target *t = target_of(draw);
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.bounds = (irl_bounds)(draw / 64 % 3);
    return source_of(irl_func_lower_with(read_func(cx, text), t, &how), t);
}

static const char *ask_auto(irl_ctx *cx, const char *text, unsigned draw)
{
    return irl_schedule_auto(read_func(cx, text), target_of(draw));
}

static const char *ask_auto_lowered(irl_ctx *cx, const char *text, unsigned draw)
{
    const irl_target *t = target_of(draw);
    const char       *steps = irl_schedule_auto(read_func(cx, text), t);
    irl_func         *f = irl_schedule_parse(read_func(cx, text), steps, IRL_TO_NUL, "auto");
    return source_of(irl_func_lower(f, t), t);
}

static const char *ask_plan(irl_ctx *cx, const char *text, unsigned draw)
{
    const irl_module_plan *p = irl_plan(irl_func_lower(read_func(cx, text), target_of(draw)));
    return draw % 2 ? irl_plan_json(p) : irl_plan_text(p);
}

static const char *ask_picture(irl_ctx *cx, const char *text, unsigned draw)
{
    (void)draw;
    return irl_func_picture(read_func(cx, text));
}

/* ------------------------------------------------------------------ steps */

#define MM                                                                                         \
    "func mm(a: f32[64, 32], b: f32[32, 48], d: f32[48], c: f32[64, 48]) {\n"                      \
    "    alloc t: f32[64, 48];\n"                                                                  \
    "    mm: for (i: 64, j: 48) t[i, j] = sum(k: 32, a[i, k] * b[k, j]);\n"                        \
    "    act: for (i: 64, j: 48) c[i, j] = max(t[i, j] + d[j], 0.0);\n}\n"

static const char *const scheduled[] = {
    MM "schedule s { (io, ii) = split(mm.i, 8); (jo, ji) = split(mm.j, 16); "
       "reorder(io, jo, mm.k, ii, ji); acc = cache_write(mm, t, local); "
       "reverse_compute_at(acc, jo); vectorize(ji); unroll(ii); }",
    MM "schedule s { (io, ii) = split(act.i, 8); compute_at(mm, io); parallel(io); "
       "vectorize(act.j); }",
    MM "schedule s { inline(mm); }",
    MM "schedule s { (ko, ki) = split(mm.k, 4); r = rfactor(ki); annotate(ko, \"x\", 1); }",
    MM "schedule s { x = cache_read(mm, a, shared); (io, ii) = split(mm.i, 16); compute_at(x, io); "
       "bind(io, group.x); bind(ii, local.x); f = fuse(act.i, act.j); (o, i) = split(f, 96); "
       "bind(o, group.x); bind(i, local.x); }",
    MM "schedule s { reverse_compute_inline(act); }",
    MM "schedule s { (io, ii) = split(mm.i, 8); (jo, ji) = split(mm.j, 16); "
       "reorder(io, jo, ii, ji, mm.k); blockize(ii); }",
    MM "schedule s { transform_layout(mm, t, (i, j) -> (i / 8, j, i % 8)); "
       "(a, b) = split(mm.i, 8); }",
    MM "schedule s { merge(mm, act); decompose_reduction(mm, mm.k); }",
};

/* What the automatic scheduler tiles, fuses and binds. */
static const char *const nests[] = {
    MM,
    "func rows(n: index, x: f32[n, n], y: f32[n, n]) {\n"
    "    for (i: n) { let t = max(k: n, x[i, k]); for (j: n) y[i, j] = x[j, i] - t; }\n}\n",
    "func conv(x: f32[18, 18, 16], w: f32[3, 3, 16, 32], y: f32[16, 16, 32]) {\n"
    "    conv: for (h: 16, v: 16, o: 32) y[h, v, o] = max(sum(a: 3, b: 3, c: 16, x[h + a, v + b, "
    "c] * w[a, b, c, o]), 0.0);\n}\n",
    "func depthwise(x: f32[h + 2, w + 2, 16], k: f32[3, 3, 16], y: f32[h, w, 16]) {\n"
    "    for (i: h, j: w, c: 16) y[i, j, c] = sum(a: 3, b: 3, x[i + a, j + b, c] * k[a, b, c]);\n"
    "}\n",
    "func softmax(x: f32[64, 200], y: f32[64, 200]) {\n    for (r: 64) {\n"
    "        let top = max(j: 200, x[r, j]);\n        let total = sum(j: 200, exp(x[r, j] - "
    "top));\n        for (j: 200) y[r, j] = exp(x[r, j] - top) / total;\n    }\n}\n",
    "func scan(x: f32[32, 100], y: f32[32, 100]) {\n    for (r: 32) {\n        alloc s: f32[];\n"
    "        s[] = 0;\n        for (j: 100) {\n            s[] += x[r, j];\n"
    "            y[r, j] = s[];\n        }\n    }\n}\n",
    "func back(g: f32[30, 30, 8], w: f32[3, 3, 8, 4], d: f32[32, 32, 4]) {\n"
    "    for (i: 32, j: 32, c: 4) d[i, j, c] = 0;\n    for (i: 30, j: 30, a: 3, b: 3, o: 8, c: 4) "
    "d[i + a, j + b, c] += g[i, j, o] * w[a, b, o, c];\n}\n",
};

static const char *ask_steps(irl_ctx *cx, const char *text, unsigned draw)
{
    const irl_target *t = target_of(draw);
    irl_func         *f = irl_func_parse_scheduled(cx, text, IRL_TO_NUL, "test", "s");
    if (draw / 64 % 2) return irl_func_text(f);
    return source_of(irl_func_lower(f, t), t);
}

/* ------------------------------------------------------------------ graphs */

static const char *const graphs[] = {
    "graph net {\n"
    "    func conv(x: f32[h, w, 8], k: f32[3, 3, 8, 8], y: f32[h - 2, w - 2, 8]) { for (i: h - 2, "
    "j: w - 2, o: 8) y[i, j, o] = sum(a: 3, b: 3, c: 8, x[i + a, j + b, c] * k[a, b, c, o]); }\n"
    "    func relu(x: f32[h, w, 8], y: f32[h, w, 8]) { for (i: h, j: w, c: 8) y[i, j, c] = "
    "max(x[i, j, c], 0.0); }\n"
    "    func add(x: f32[h, w, 8], z: f32[h, w, 8], y: f32[h, w, 8]) { for (i: h, j: w, c: 8) y[i, "
    "j, c] = x[i, j, c] + z[i, j, c]; }\n"
    "    input x: f32[12, 12, 8];\n    input k: f32[3, 3, 8, 8];\n"
    "    a = conv(x, k);\n    b = relu(a);\n    c = relu(b);\n    d = add(b, c);\n"
    "    output d;\n}\n",
};

static const char *ask_graph(irl_ctx *cx, const char *text, unsigned draw)
{
    const irl_target *t = target_of(draw);
    irl_graph        *g = irl_graph_parse(cx, text, IRL_TO_NUL, "net");
    irl_graph_fusion  fusion;
    const char       *why = NULL;
    switch (draw / 64 % 5) {
    case 0: return irl_graph_text(g);
    case 1: return irl_graph_text(irl_graph_fuse(g, &fusion));
    case 2: return irl_graph_place_tensors(g, t, NULL, &why) ? why : NULL;
    case 3: return irl_graph_text(irl_graph_parse_json(cx, irl_graph_json(g), IRL_TO_NUL, "json"));
    default: return source_of(irl_graph_lower(g, t), t);
    }
}

/* ------------------------------------------------------------------ maps, transfers, records */

static const char *const maps[] = {
    "(y, x) -> (y / 8, x, y % 8)",
    "(y, x) -> (y / 4 * 5 + x / 4, y % 4, x % 4)",
    "(y, x) -> (x, 31 - y)",
    "(y, x) -> ((y * 20 + x) / 6, (y * 20 + x) % 6 ^ 1)",
    "(y, x) -> (y / 2, x)",
};

static const char *ask_map(irl_ctx *cx, const char *text, unsigned draw)
{
    const irl_map *m = irl_map_parse(cx, text);
    irl_verdict    v;
    irl_dma_options how;
    memset(&how, 0, sizeof how);
    how.element = irl_type_of(IRL_U8, 1);
    switch (draw % 7) {
    case 0: v = irl_map_check(cx, m, IRL_SHAPE(32, 20)); return irl_verdict_text(cx, &v);
    case 1: return irl_map_text(cx, irl_map_inverse(cx, m, IRL_SHAPE(32, 20), NULL));
    case 2: return irl_map_picture(cx, m, IRL_SHAPE(32, 20));
    case 3: return irl_c_layout_source(cx, m, IRL_SHAPE(32, 20), NULL);
    case 4: return irl_dma_c(cx, irl_dma_new(cx, m, IRL_SHAPE(32, 20), &how), "k");
    case 5:
        how.controller = irl_dma_controller_find("edma3");
        return irl_dma_json(cx, irl_dma_new(cx, m, IRL_SHAPE(32, 20), &how));
    default:
        how.unpack = 1;
        return irl_dma_text(cx, irl_dma_new(cx, m, IRL_SHAPE(32, 20), &how));
    }
}

static const char *const records[] = {
    "record head bytes(8) bits(msb) { kind: u4; flags: u12; length: u16; sum: u32; }",
    "record can bytes(8) { mode: u2; a: i12 when(mode == 1); b: u10 at(2) when(mode == 2); t: f32 "
    "at(32); }",
    "record planes bytes(24) { y: u8[4, 4]; u: u8[2, 2]; v: u8[2, 2]; }",
};

static const char *ask_record(irl_ctx *cx, const char *text, unsigned draw)
{
    const irl_record  *r = irl_record_parse(cx, text, IRL_TO_NUL, "test");
    irl_record_verdict v;
    switch (draw % 5) {
    case 0: return irl_record_text(r);
    case 1: v = irl_record_check(r); return irl_record_verdict_text(r, &v);
    case 2: return irl_c_record_source(r, "k");
    case 3: return irl_record_picture(r, NULL);
    default: return irl_ocl_source(irl_func_lower(irl_record_pack_func(r), &irl_target_opencl12));
    }
}

/* ------------------------------------------------------------------ the sweep */

static const struct {
    question          *ask;
    const char *const *texts;
    int                count;
    const char        *name;
} questions[] = {
    { ask_text, text_functions, COUNT(text_functions), "text" },
    { ask_analysis, text_functions, COUNT(text_functions), "analysis" },
    { ask_lower, text_functions, COUNT(text_functions), "lower" },
    { ask_auto, text_functions, COUNT(text_functions), "auto" },
    { ask_auto_lowered, text_functions, COUNT(text_functions), "auto, lowered" },
    { ask_auto, nests, COUNT(nests), "auto of nests" },
    { ask_auto_lowered, nests, COUNT(nests), "auto of nests, lowered" },
    { ask_lower, nests, COUNT(nests), "lower nests" },
    { ask_plan, text_functions, COUNT(text_functions), "plan" },
    { ask_picture, text_functions, COUNT(text_functions), "picture" },
    { ask_steps, scheduled, COUNT(scheduled), "steps" },
    { ask_graph, graphs, COUNT(graphs), "graph" },
    { ask_map, maps, COUNT(maps), "map" },
    { ask_record, records, COUNT(records), "record" },
};

static long answered, in_short; /* of blocks: with the answer; with no memory */

/* What was asked for last is more than the rest of the block. */
static int is_used_up(const irl_ctx *cx, size_t bytes)
{
    unsigned long asked;
    const int     says = sscanf(irl_diag_of(cx)->message, "%lu bytes were asked for,", &asked);
    return !says || irl_ctx_memory(cx).block + asked + 16 > bytes;
}

/* In a block of this many bytes, the answer `wanted` or the failure `code`, or no memory. */
static int is_right(int which, const char *text, unsigned draw, size_t bytes, const char *wanted,
                    irl_code code)
{
    irl_ctx_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.block = malloc(bytes);
    desc.block_bytes = bytes;
    irl_ctx       *cx = desc.block ? irl_ctx_create(&desc) : NULL;
    const char    *found = cx ? questions[which].ask(cx, text, draw) : NULL;
    const irl_code said = cx && irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
    int right = !cx || said == IRL_ERROR_OUT_OF_MEMORY || said == code;
    if (cx && said == IRL_ERROR_OUT_OF_MEMORY) right = is_used_up(cx, bytes);
    if (right && cx && said == IRL_OK) right = found && strcmp(found, wanted) == 0;
    *(said == code ? &answered : &in_short) += 1;
    if (!right) printf("%s, expected %s\n", irl_code_name(said), irl_code_name(code));
    irl_ctx_destroy(cx);
    free(desc.block);
    return right;
}

static void sweep(void)
{
    const int      which = TEST_RANDOM(COUNT(questions));
    const char    *text = questions[which].texts[TEST_RANDOM(questions[which].count)];
    const unsigned draw = test_random();
    irl_ctx       *cx = irl_ctx_create(NULL);
    const size_t   least = irl_ctx_memory(cx).block;
    const char    *wanted = questions[which].ask(cx, text, draw);
    const irl_code code = irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
    const size_t   part = (irl_ctx_memory(cx).block - least) / SLICES + 1;
    for (int k = 0; k < SLICES; k++) {
        const size_t bytes = least + part * (size_t)k + (size_t)TEST_RANDOM((int)part + 1);
        if (!CHECK(is_right(which, text, draw, bytes, wanted ? wanted : "", code)))
            printf("%s, %u, block of %zu bytes\n%s\n", questions[which].name, draw, bytes, text);
    }
    irl_ctx_destroy(cx);
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    int           count = argc > 2 ? atoi(argv[2]) : argc > 1 ? 1 : TEST_COUNT(300), k;
    test_seeds(first, count);
    for (k = 0; k < count; k++) {
        test_seed = first + (unsigned long)k;
        sweep();
    }
    printf("%ld blocks with the answer, %ld too small\n", answered, in_short);
    return TEST_DONE();
}
