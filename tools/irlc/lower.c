/* lower.c - `irlc steps`: what there is to schedule with; `irlc schedule`: a function after a
   schedule; `irlc lower`: a function lowered for a target, or one stage of it; `irlc pack`: the
   functions that pack an array. */
#include "irlc.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ irlc steps */

static void print_step(const irlc_args *args, irlc_json *j, int k)
{
    if (!has(args, OPT_JSON)) {
        say("%s;\n    %s\n    requires %s\n", irl_step_example(k), irl_step_doc(k),
               irl_step_requires(k));
        return;
    }
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", irl_step_name(k));
    json_text(j, "example", irl_step_example(k));
    json_text(j, "does", irl_step_doc(k));
    json_text(j, "requires", irl_step_requires(k));
    json_close(j, '}');
}

irlc_status command_steps(const irlc_args *args)
{
    irlc_json j = { args->cx, 0 };
    int       found = 0;
    for (int k = 0; args->count && irl_step_name(k); k++)
        found |= strcmp(irl_step_name(k), args->item[0]) == 0;
    if (args->count && !found)
        return no_name(args, "no step of a schedule; `irlc steps` lists them", args->item[0],
                       irl_step_name);
    if (has(args, OPT_JSON)) json_open(&j, '[');
    for (int k = 0; irl_step_name(k); k++)
        if (!args->count || strcmp(irl_step_name(k), args->item[0]) == 0) print_step(args, &j, k);
    if (has(args, OPT_JSON)) say("]\n");
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc schedule */

/* The steps that are done already, and those that are made for the nests that they leave: one
   schedule, for the function as it is written. */
static irlc_status print_auto(const irlc_args *args, const irl_func *f,
                              const irl_target *target)
{
    irlc_json   j = { args->cx, 0 };
    const char *done = irl_schedule_text(f),
               *made = has(args, OPT_WHY) ? irl_schedule_auto_why(f, target)
                                          : irl_schedule_auto(f, target),
               *end = strrchr(done, '}'), *begin = strchr(made, '\n');
    if (!irl_ok(args->cx)) return failed(args);
    char *text = (char *)malloc(strlen(done) + strlen(made) + 1);
    if (!text) return bad_input(args, "out of memory", NULL);
    if (has_schedule(f) && end && begin) {
        memcpy(text, done, (size_t)(end - done));
        strcpy(text + (end - done), begin + 1);
    } else strcpy(text, made);
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "schedule", text);
        json_end(&j);
    } else say("%s", text);
    free(text);
    return IRLC_YES;
}

irlc_status command_schedule(const irlc_args *args)
{
    irlc_program      p;
    irlc_json         j = { args->cx, 0 };
    irlc_status       status = read_program(args, &p);
    const irl_target *target = status == IRLC_YES ? find_target(args, &status) : NULL;
    if (status == IRLC_YES && (p.is_module || p.graph))
        return bad_input(args, p.graph ? "a schedule is for a function; found a graph in"
                                       : "a schedule is for a function; found a module in",
                         args->item[0]);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_HTML) && (has(args, OPT_JSON) || has(args, OPT_AUTO)))
        return bad_input(args, "--html shows the steps of a schedule that is done", NULL);
    if (has(args, OPT_AUTO)) return print_auto(args, p.f, target);
    if (strcmp(value_of(args, OPT_SCHEDULE, ""), "auto") == 0) {
        p.f = irl_schedule_parse(p.f, irl_schedule_auto(p.f, target), IRL_TO_NUL,
                                 "--schedule auto");
        if (!p.f) return failed(args);
    }
    if (has(args, OPT_HTML)) return print_steps_html(args, &p);
    if (!has(args, OPT_JSON)) {
        say("%s", irl_func_text(p.f));
        return IRLC_YES;
    }
    json_open(&j, '{');
    json_text(&j, "function", irl_func_text(p.f));
    json_text(&j, "schedule", irl_schedule_text(p.f));
    json_end(&j);
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc lower */

static void json_sizes(irlc_json *j, const char *key, int dimensions, const size_t *sizes,
                       int known)
{
    json_key(j, key);
    if (!known) {
        say("null");
        return;
    }
    say("[");
    for (int k = 0; k < dimensions; k++) say(k ? ", %lu" : "%lu", (unsigned long)sizes[k]);
    say("]");
}

/* The same as texts, with the names of index arguments. */
static void json_size_texts(const irlc_args *args, irlc_json *j, const char *key, int dimensions,
                            const irl_expr *const *sizes)
{
    json_key(j, key);
    json_open(j, '[');
    for (int k = 0; k < dimensions; k++) {
        json_next(j);
        json_string(args->cx, sizes[k] ? irl_expr_text(args->cx, sizes[k]) : NULL);
    }
    json_close(j, ']');
}

/* Sizes are null where they depend on index arguments, local ones also where the driver may
   choose. */
static void json_kernel(const irlc_args *args, irlc_json *j, const irl_ocl_kernel *kernel)
{
    static const char *const access[] = { "unused", "read", "write", "read_write" };
    size_t                   global[3] = { 0, 0, 0 }, local[3] = { 0, 0, 0 };
    irl_mark                 mark = irl_ctx_mark(args->cx);
    int                      known = irl_ocl_kernel_sizes(args->cx, kernel, NULL, global, local);
    if (!irl_ok(args->cx)) irl_ctx_rewind(args->cx, mark);
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", kernel->name);
    json_sizes(j, "global", kernel->dimensions, global, known);
    json_sizes(j, "local", kernel->dimensions, local, known && local[0]);
    json_size_texts(args, j, "global_text", kernel->dimensions, kernel->global);
    json_key(j, "arguments");
    json_open(j, '[');
    for (int k = 0; k < kernel->argument_count; k++) {
        const irl_ocl_argument *a = &kernel->arguments[k];
        json_next(j);
        json_open(j, '{');
        json_text(j, "name", a->name);
        json_text(j, "type", irl_type_text(args->cx, a->type));
        json_text(j, "kind", a->is_buffer ? "buffer" : "scalar");
        json_text(j, "access", access[a->access]);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static irlc_status json_lowered(const irlc_args *args, const irlc_program *p, int is_opencl)
{
    const irl_ocl_program *program = is_opencl ? irl_ocl_emit(p->module) : NULL;
    irlc_json              j = { args->cx, 0 };
    if (!irl_ok(args->cx)) return failed(args);
    json_open(&j, '{');
    json_text(&j, "target", value_of(args, OPT_TARGET, "opencl12"));
    json_text(&j, "ir", irl_module_text(p->module));
    if (p->places) json_text(&j, "places", p->places);
    json_text(&j, "opencl", program ? program->source : NULL);
    if (program) {
        json_key(&j, "kernels");
        json_open(&j, '[');
        for (int k = 0; k < program->kernel_count; k++) json_kernel(args, &j, &program->kernels[k]);
        json_close(&j, ']');
    } else json_text(&j, "kernels", NULL);
    json_end(&j);
    return IRLC_YES;
}

static void print_stage(const irlc_args *args, const char *text)
{
    irlc_json j = { args->cx, 0 };
    if (!has(args, OPT_JSON)) {
        say("%s", text);
        return;
    }
    json_open(&j, '{');
    json_text(&j, "after", value_of(args, OPT_AFTER, NULL));
    json_text(&j, "ir", text);
    json_end(&j);
}

irlc_status command_lower(const irlc_args *args)
{
    irlc_program p;
    char        *stage = NULL;
    int          is_opencl;
    irlc_status  status = read_emit(args, &is_opencl);
    if (status == IRLC_YES && is_opencl && has(args, OPT_AFTER))
        return bad_input(args, "--after shows a stage of the IR; OpenCL is emitted from the last",
                         NULL);
    if (status == IRLC_YES) status = read_program(args, &p);
    if (status == IRLC_YES && has(args, OPT_HTML) && p.is_module)
        return bad_input(args, "--html shows all stages of a function; found a module in",
                         args->item[0]);
    if (status == IRLC_YES) status = lower(args, &p, &stage);
    if (status == IRLC_YES && stage) print_stage(args, stage);
    if (status != IRLC_YES || stage || has(args, OPT_HTML)) {
        free(stage);
        return status;
    }
    if ((status = take_part(args, &p)) != IRLC_YES) return status;
    if (has(args, OPT_JSON)) return json_lowered(args, &p, is_opencl);
    const char *text = is_opencl ? irl_ocl_source(p.module) : irl_module_text(p.module);
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", text);
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc pack */

static irlc_status read_packing(const irlc_args *args, irl_pack_options *how,
                                irl_bit_element *element)
{
    const char *pad = value_of(args, OPT_PAD, NULL);
    char       *end;
    memset(how, 0, sizeof *how);
    if (pad) {
        how->fill = 1;
        how->padding = strtod(pad, &end);
        if (end == pad || *end) return bad_input(args, "padding is a number; found", pad);
    }
    return read_element(args, &how->element, element, &how->bits);
}

/* The function itself, or its OpenCL source; "" with the library's diagnostic. */
static const char *packing_text(const irl_func *f, const irl_target *target, int is_opencl)
{
    return is_opencl ? irl_ocl_source(irl_func_lower(f, target)) : irl_func_text(f);
}

/* What follows the proof, which is about elements: why no two of them share a bit. */
static const char *bits_text(const irlc_args *args, const irlc_question *q,
                             const irl_bit_element *element)
{
    const irl_bit_verdict v = irl_map_check_bits(args->cx, q->map, q->shape, element);
    return irl_bit_verdict_text(args->cx, &v);
}

irlc_status command_pack(const irlc_args *args)
{
    irlc_question     q;
    irl_pack_options  how;
    irl_bit_element   element;
    const char       *in_bits = NULL;
    irlc_json         j = { args->cx, 0 };
    int               is_opencl = 0;
    irlc_status       status = IRLC_YES;
    const irl_target *target = find_target(args, &status);
    if (status == IRLC_YES) status = read_emit(args, &is_opencl);
    if (status == IRLC_YES && is_record(args)) return pack_record(args, target, is_opencl);
    if (status == IRLC_YES && args->count < 2)
        return bad_input(args, "a map needs a shape", "usage: irlc pack MAP SHAPE");
    if (status == IRLC_YES) status = read_packing(args, &how, &element);
    if (status == IRLC_YES) status = read_question(args, &q, NULL);
    if (status != IRLC_YES) return status;
    const char *pack =
        packing_text(irl_map_pack_func(args->cx, q.map, q.shape, &how), target, is_opencl);
    const char *unpack =
        packing_text(irl_map_unpack_func(args->cx, q.map, q.shape, &how), target, is_opencl);
    const char *proof =
        has(args, OPT_PROOF) ? irl_map_roundtrip_proof(args->cx, q.map, q.shape) : NULL;
    if (proof && how.bits) in_bits = bits_text(args, &q, how.bits);
    if (!irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "map", irl_map_text(args->cx, q.map));
        json_shape(&j, "shape", &q.shape);
        json_text(&j, "pack", pack);
        json_text(&j, "unpack", unpack);
        json_text(&j, "proof", proof);
        if (how.bits) json_text(&j, "element", irl_bit_element_text(args->cx, how.bits));
        if (in_bits) json_text(&j, "bits", in_bits);
        json_end(&j);
    } else if (proof) {
        say("%s", proof);
        if (in_bits) say("\nbits: %s\n", in_bits);
    } else say("%s\n%s", pack, unpack);
    return IRLC_YES;
}
