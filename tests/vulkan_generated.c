/* vulkan_generated.c - generated functions give the same numbers as shaders on a Vulkan device as
   in the interpreter. Automatic schedules are on, as they are for whoever emits GLSL.

   usage  vulkan_generated FOLDER [FIRST [COUNT]]   seeds; shaders go through glslangValidator there
   What is not run is counted: images, hosts that do more than allocate and launch,
   what GLSL has no form for. */
#define _GNU_SOURCE /* mkdtemp */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/eval/eval.h"
#include "../src/map/map.h"
#include "../src/target/target.h"
#endif
#include "experiment.h"
#include "generate_lanes.h"
#include "generate_vectors.h"
#include "lanes_targets.h"
#include "c_batch.h"
#include "vulkan_device.h"

enum { KINDS = 3, MEMORIES = 40, WORDS = 64 };

static vulkan      device;
static const char *folder;
static int         ran, shaders, left_out, refused;

/* The memory of a host function: parameters and what it allocates, by their data variables. */
typedef struct host {
    irl_ctx                *cx;
    const irl_module       *m;
    const irl_glsl_program *program;
    int                     count, scalars;
    const irl_expr         *var[MEMORIES], *scalar[MEMORIES];
    irl__scalar             value[MEMORIES];
    int64_t                 number[MEMORIES]; /* of a scalar that is an integer */
    vulkan_buffer           memory[MEMORIES];
} host;

static vulkan_buffer *host_memory(host *h, const irl_expr *var)
{
    int k = 0;
    while (k < h->count && h->var[k] != var) k++;
    return k < h->count ? &h->memory[k] : NULL;
}

static int host_add(host *h, const irl_buffer *b, size_t size)
{
    if (h->count == MEMORIES || irl__scope_is_image(b->scope)) return 0;
    h->var[h->count] = b->data;
    h->memory[h->count] = vulkan_buffer_new(&device, size);
    h->count++;
    return 1;
}

static int host_value(host *h, const irl_expr *e, irl__scalar *out)
{
    for (int k = 0; k < h->scalars; k++)
        if (h->scalar[k] == e) return *out = h->value[k], 1;
    return irl__value_at(e, h->scalars, h->scalar, h->number, &out->i) == IRL__FOLD_OK;
}

static int host_allocate(host *h, const irl_buffer *b)
{
    size_t      size = irl__type_bytes(b->type);
    irl__scalar extent;
    for (int k = 0; k < b->rank; k++) {
        if (!host_value(h, b->shape[k], &extent)) return 0;
        size *= (size_t)extent.i;
    }
    return host_add(h, b, size);
}

/* SPIR-V of a shader, by malloc; NULL: glslang refuses it, which is a failure. */
static uint32_t *compile(const char *source, size_t *bytes)
{
    char      path[300], command[1000];
    uint32_t *code = NULL;
    snprintf(path, sizeof path, "%s/s.comp", folder);
    FILE *f = fopen(path, "wb");
    if (!CHECK(f != NULL)) return NULL;
    fputs(source, f);
    fclose(f);
    snprintf(command, sizeof command, "glslangValidator -V --target-env vulkan1.1 %s -o %s.spv "
             "> %s.log 2>&1", path, path, path);
    if (!CHECK(system(command) == 0)) {
        printf("%s\n", source);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/s.comp.spv", folder);
    f = fopen(path, "rb");
    if (!CHECK(f != NULL)) return NULL;
    fseek(f, 0, SEEK_END);
    *bytes = (size_t)ftell(f);
    rewind(f);
    code = (uint32_t *)malloc(*bytes);
    CHECK(fread(code, 1, *bytes, f) == *bytes);
    fclose(f);
    return code;
}

/* A scalar as push constants hold it: an integer of 32 bits, or a float. */
static void push(irl_type type, irl__scalar s, unsigned char *at)
{
    const int32_t i = (int32_t)s.i;
    if (irl__type_is_half(type) || type.scalar == IRL_F32 || type.scalar == IRL_F64) {
        memset(at, 0, 4);
        irl__store_scalar(type, at, s);
    } else memcpy(at, &i, sizeof i);
}

static int host_launch(host *h, const irl_stmt *launch, int *next)
{
    const int              number = irl__launch_kernel(h->m, launch, next);
    const irl_glsl_kernel *k = &h->program->kernels[number];
    const vulkan_buffer   *buffers[VULKAN_BINDINGS];
    unsigned char          constants[4 * WORDS];
    int64_t                indices[MEMORIES];
    int                    index_count = 0;
    uint32_t               groups[3];
    size_t                 bytes;
    if (k->argument_count > VULKAN_BINDINGS || k->push_bytes > (int)sizeof constants) return 0;
    for (int j = 0; j < k->argument_count; j++) {
        const irl__param *p = &k->function->params[j];
        irl__scalar       s;
        buffers[j] = p->buffer ? host_memory(h, launch->u.launch.args[j]) : NULL;
        if (p->buffer && (!buffers[j] || irl__scope_is_image(p->buffer->scope))) return 0;
        if (p->buffer) continue;
        if (!host_value(h, launch->u.launch.args[j], &s)) return 0;
        if (p->var->type.scalar == IRL_INDEX) indices[index_count++] = s.i;
        push(p->var->type, s, constants + k->offsets[j]);
    }
    if (!CHECK(irl_glsl_kernel_groups(h->cx, k, indices, groups))) return 0;
    if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0) return 1;
    uint32_t *code = compile(k->source, &bytes);
    if (!code) return 0;
    vulkan_run(&device, bytes, code, k->argument_count, buffers, constants, k->push_bytes, groups);
    free(code);
    shaders++;
    return 1;
}

static int host_run(host *h, const irl_stmt *s, int *next)
{
    if (s->kind == IRL__ALLOC) return host_allocate(h, s->u.alloc.buffer);
    if (s->kind == IRL__LAUNCH) return host_launch(h, s, next);
    if (s->kind != IRL__SEQ) return 0;
    for (int k = 0; k < s->u.seq.count; k++)
        if (!host_run(h, s->u.seq.stmts[k], next)) return 0;
    return 1;
}

/* The logical array of a parameter into memory, or back. */
static int host_pack(host *h, int k, const gen_data *data, int is_back)
{
    const irl_arguments a = gen_arguments(data);
    const irl__param *p = &h->m->host->params[k];
    const size_t      size = irl__type_bytes(p->buffer->type);
    unsigned char    *bytes = (unsigned char *)host_memory(h, p->var)->bytes;
    const c_known     known = c_known_of(h->m->host, a);
    int64_t           at[IRL_MAX_RANK] = { 0 };
    irl_tensor        memory, logical;
    if (!irl_func_param_memory(h->m->host, k, a, &memory) ||
        !irl_func_param_tensor(h->m->host, k, a, &logical))
        return 0;
    for (int64_t j = 0, count = c_count(&logical); j < count; j++) {
        const int64_t  place = c_place_of(h->cx, p, known, at, &memory);
        unsigned char *cell = bytes + (size_t)place * size,
                      *mine = data->bytes[k] + (size_t)j * size;
        if (!CHECK(place >= 0 && (size_t)(place + 1) * size <= memory.bytes)) return 0;
        if (is_back) memcpy(mine, cell, size);
        else memcpy(cell, mine, size);
        for (int i = logical.shape.rank - 1; i >= 0 && ++at[i] == logical.shape.extent[i]; i--)
            at[i] = 0;
    }
    return 1;
}

static int host_parameter(host *h, int k, const gen_data *data)
{
    const irl__param *p = &h->m->host->params[k];
    const int         size = (int)irl__type_bytes(irl_type_of((irl_scalar)p->buffer->type.scalar,
                                                              1));
    irl_tensor        memory;
    if (!irl_func_param_memory(h->m->host, k, gen_arguments(data), &memory) ||
        !host_add(h, p->buffer, memory.bytes))
        return 0;
    c_fill(p, (unsigned char *)h->memory[h->count - 1].bytes, (int64_t)memory.bytes / size, size);
    return host_pack(h, k, data, 0);
}

/* Runs the module on data; 0: something in it is not run here. */
static int on_device(irl_ctx *cx, const irl_module *m, const irl_glsl_program *program,
                     const gen_data *data)
{
    host h;
    int  ok = 1, next = 0;
    memset(&h, 0, sizeof h);
    h.cx = cx;
    h.m = m;
    h.program = program;
    for (int k = 0; ok && k < m->host->param_count; k++) {
        const irl__param *p = &m->host->params[k];
        if (p->buffer) ok = host_parameter(&h, k, data);
        else {
            h.scalar[h.scalars] = p->var;
            h.value[h.scalars] = irl__load_scalar(p->var->type, data->bytes[k]);
            h.number[h.scalars] = irl__type_is_integer(p->var->type) ? h.value[h.scalars].i : 0;
            h.scalars++;
        }
    }
    ok = ok && host_run(&h, m->host->body, &next);
    for (int k = 0; ok && k < m->host->param_count; k++)
        if (m->host->params[k].buffer) ok = host_pack(&h, k, data, 1);
    for (int k = 0; k < h.count; k++) vulkan_buffer_free(&device, &h.memory[k]);
    return ok;
}

static gen_case function_of(int kind, uint64_t seed)
{
    gen_options options;
    memset(&options, 0, sizeof options);
    options.for_device = options.narrow = options.plain = 1;
    return kind == 0   ? gen_function(seed, options)
           : kind == 1 ? gen_lane_function(seed, options)
                       : gen_vector_function(seed, options);
}

static void one(gen_case c)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    irl_func         *f = irl_func_parse(cx, c.text, IRL_TO_NUL, "generated");
    gen_data          data = gen_data_new(&c), expected = gen_data_copy(&data);
    char              why[160] = "";
    const int         ok = CHECK(irl_func_interpret(f, gen_arguments(&expected)));
    const irl_module *m = ok ? irl_func_lower(f, &irl_target_glsl) : NULL;
    const irl_glsl_program *program = irl_glsl_emit(m);
    if (!program) refused++;
    else if (!on_device(cx, m, program, &data)) left_out++;
    else {
        ran++;
        if (!CHECK(gen_data_equal(&c, &expected, &data, 1, why, sizeof why)))
            printf("seed %lu: %s\n%s\n%s\n", (unsigned long)c.seed, why, c.text,
                   irl_glsl_source(m, 0));
    }
    gen_data_free(&data);
    gen_data_free(&expected);
    irl_ctx_destroy(cx);
    gen_free(&c);
}

/* Functions that are large enough for tiles of groups, and for work-items that add up parts: n and
   m, and what x, t and y are. */
static const struct large {
    const char *text;
    int         n, m, x[2], t[2], y[2], ulp;
} larges[] = {
    { "func product(x: f32[96, 80], t: f32[80, 72], y: f32[96, 72]) { for (i: 96, j: 72) y[i, j] = "
      "sum(k: 80, x[i, k] * t[k, j]); }", 0, 0, { 96, 80 }, { 80, 72 }, { 96, 72 }, 0 },
    { "func product(n: index, m: index, x: f32[n, 40], t: f32[40, m], y: f32[n, m]) { for (i: n, "
      "j: m) y[i, j] = sum(k: 40, x[i, k] * t[k, j]); }", 131, 67, { 131, 40 }, { 40, 67 },
      { 131, 67 }, 0 },
    { "func all(x: f32[300, 100], y: f32[1, 1]) { y[0, 0] = sum(i: 300, sum(j: 100, x[i, j])); }",
      0, 0, { 300, 100 }, { 0, 0 }, { 1, 1 }, 0 },
    { "func relu(n: index, m: index, x: f32[n, m], y: f32[n, m]) { for (i: n, j: m) y[i, j] = "
      "max(x[i, j], 0.0); }", 301, 57, { 301, 57 }, { 0, 0 }, { 301, 57 }, 0 },
    { "func turn(x: f32[130, 70], y: f32[70, 130]) { for (i: 70, j: 130) y[i, j] = x[j, i]; }", 0,
      0, { 130, 70 }, { 0, 0 }, { 70, 130 }, 0 },
    { "func softmax(x: f32[33, 200], y: f32[33, 200]) { for (i: 33) { let most = max(j: 200, "
      "x[i, j]); let all = sum(j: 200, exp(x[i, j] - most)); for (j: 200) y[i, j] = exp(x[i, j] - "
      "most) / all; } }", 0, 0, { 33, 200 }, { 0, 0 }, { 33, 200 }, 64 },
    { "func blur(x: f32[64, 130], t: f32[3, 3], y: f32[62, 128]) { for (h: 62, w: 128) y[h, w] = "
      "sum(r: 3, s: 3, x[h + r, w + s] * t[r, s]); }", 0, 0, { 64, 130 }, { 3, 3 }, { 62, 128 },
      0 },
};

static void one_large(int number)
{
    const struct large *l = &larges[number];
    gen_case            c;
    memset(&c, 0, sizeof c);
    c.text = (char *)gen_kept(malloc(strlen(l->text) + 1));
    strcpy(c.text, l->text);
    c.seed = (uint64_t)number;
    if (l->n) gen_case_param(&c, "n", IRL_INDEX, 0, l->n, 0);
    if (l->m) gen_case_param(&c, "m", IRL_INDEX, 0, l->m, 0);
    gen_case_param(&c, "x", IRL_F32, 2, l->x[0], l->x[1]);
    if (l->t[0]) gen_case_param(&c, "t", IRL_F32, 2, l->t[0], l->t[1]);
    gen_case_param(&c, "y", IRL_F32, 2, l->y[0], l->y[1]);
    c.params[c.param_count - 1].ulp = l->ulp;
    one(c);
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    const int      count = argc > 3 && *argv[3] ? atoi(argv[3]) : 25;
    folder = argc > 1 ? argv[1] : ".";
    if (!vulkan_open(&device)) {
        printf("there is no Vulkan device\n");
        return 1;
    }
    for (int k = 0; k < (int)(sizeof larges / sizeof *larges); k++) one_large(k);
    CHECK(refused == 0 && left_out == 0);
    for (int kind = 0; kind < KINDS; kind++)
        for (uint64_t seed = first; seed < first + (uint64_t)count; seed++)
            one(function_of(kind, seed));
    printf("%s: %d functions run, %d shaders; %d left out, %d refused\n", device.name, ran, shaders,
           left_out, refused);
    CHECK(ran * 4 > KINDS * count * 3);
    vulkan_close(&device);
    return TEST_DONE();
}
