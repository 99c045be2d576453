/* shaders.c - irlc emit --as glsl --json: all shaders of a module, and what a host needs to run
   them. Bindings, formats and extensions are those that the shader's text declares. */
#include "irlc.h"

#include <stdlib.h>
#include <string.h>

/* The declaration in the text in which parameter k is a binding; NULL: it is none. */
static const char *binding_of(const char *source, int k)
{
    static const char word[] = "binding = ";
    const char       *at = source, *line;
    while ((at = strstr(at, word)) != NULL) {
        at += sizeof word - 1;
        if (strtol(at, NULL, 10) != k) continue;
        for (line = at; line > source && line[-1] != '\n'; line--) {}
        return line;
    }
    return NULL;
}

static int line_has(const char *line, const char *word)
{
    const char *at = strstr(line, word), *end = strchr(line, '\n');
    return at && (!end || at < end);
}

/* What Vulkan calls the resource, and what the shader does with it. */
static void json_binding(irlc_json *j, const char *line, int k)
{
    const int   is_image = line_has(line, "uniform restrict ");
    const int   is_texture = line_has(line, "uniform texture");
    const char *kind = line_has(line, "textureBuffer") ? "uniform texel buffer"
                       : line_has(line, "imageBuffer") ? "storage texel buffer"
                       : is_image                      ? "storage image"
                       : is_texture                    ? "sampled image" : "storage buffer";
    const char *format = strchr(line, ','), *end = strchr(line, ')');
    json_int(j, "set", 0);
    json_int(j, "binding", k);
    json_text(j, "kind", kind);
    json_text(j, "access", line_has(line, "readonly") || is_texture ? "read"
                           : line_has(line, "writeonly")            ? "write" : "read_write");
    while (is_image && format && format < end && strchr(format + 1, ',') &&
           strchr(format + 1, ',') < end)
        format = strchr(format + 1, ',');
    json_key(j, "format");
    if (!is_image || !format || format > end) say("null");
    else say("\"%.*s\"", (int)(end - format - 2), format + 2);
}

/* What the device must have beyond Vulkan 1.1, by the names of its features. */
static void json_features(irlc_json *j, irl_ctx *cx, const char *source)
{
    static const char *const rows[][2] = {
        { "GL_EXT_shader_8bit_storage", "storageBuffer8BitAccess" },
        { "GL_EXT_shader_explicit_arithmetic_types_int8", "shaderInt8" },
        { "GL_EXT_shader_16bit_storage", "storageBuffer16BitAccess" },
        { "GL_EXT_shader_explicit_arithmetic_types_int16", "shaderInt16" },
        { " double ", "shaderFloat64" }
    };
    json_key(j, "features");
    json_open(j, '[');
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (!strstr(source, rows[k][0])) continue;
        json_next(j);
        json_string(cx, rows[k][1]);
    }
    json_close(j, ']');
}

static void json_shader(irlc_json *j, irl_ctx *cx, const irl_glsl_kernel *kernel)
{
    json_next(j);
    json_open(j, '{');
    json_text(j, "name", kernel->name);
    json_key(j, "local");
    say("[%d, %d, %d]", kernel->local[0], kernel->local[1], kernel->local[2]);
    json_key(j, "groups");
    json_open(j, '[');
    for (int k = 0; k < 3; k++) {
        json_next(j);
        json_string(cx, irl_expr_text(cx, kernel->groups[k]));
    }
    json_close(j, ']');
    json_int(j, "push_bytes", kernel->push_bytes);
    json_key(j, "arguments");
    json_open(j, '[');
    for (int k = 0; k < kernel->argument_count; k++) {
        const char *line = binding_of(kernel->source, k);
        json_next(j);
        json_open(j, '{');
        const irl_buffer *b = irl_func_param_buffer(kernel->function, k);
        json_text(j, "name", irl_func_param_name(kernel->function, k));
        json_text(j, "type", b ? irl_type_text(cx, irl_buffer_type(b)) : NULL);
        if (line) json_binding(j, line, k);
        else if (kernel->offsets[k] < 0) json_text(j, "kind", "unused");
        else {
            json_text(j, "kind", "push constant");
            json_int(j, "offset", kernel->offsets[k]);
        }
        json_close(j, '}');
    }
    json_close(j, ']');
    json_features(j, cx, kernel->source);
    json_text(j, "source", kernel->source);
    json_close(j, '}');
}

irlc_status json_shaders(const irlc_args *args, const irl_module *m)
{
    const irl_glsl_program *program = irl_glsl_emit(m);
    const irl_lives        *lives = program ? irl_module_liveness(m) : NULL;
    const irl_module_plan  *plan = lives ? irl_plan(m) : NULL;
    irl_ctx                *cx = args->cx;
    irlc_json               j = { cx, 0 };
    if (!plan) return failed(args);
    json_open(&j, '{');
    json_text(&j, "host", irl_func_text(irl_module_host(m)));
    json_key(&j, "launches");
    json_open(&j, '[');
    for (int k = 0; k < plan->launch_count; k++) {
        json_next(&j);
        json_string(cx, plan->launches[k]);
    }
    json_close(&j, ']');
    json_key(&j, "memory");
    json_open(&j, '[');
    for (int k = 0; k < lives->count; k++) {
        const irl_life *l = &lives->list[k];
        if (l->kernel) continue;
        json_next(&j);
        json_open(&j, '{');
        json_text(&j, "name", l->buffer);
        json_text(&j, "kind", l->is_parameter ? "parameter" : "temporary");
        json_text(&j, "bytes", l->bytes ? irl_expr_text(cx, l->bytes) : NULL);
        json_int(&j, "first", l->first);
        json_int(&j, "last", l->last);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_key(&j, "kernels");
    json_open(&j, '[');
    for (int k = 0; k < program->kernel_count; k++) json_shader(&j, cx, &program->kernels[k]);
    json_close(&j, ']');
    json_end(&j);
    return irl_ok(cx) ? IRLC_YES : failed(args);
}
