/* emit.c - irlc emit: a layout or a function as one file that needs nothing of this library. */
#include "irlc.h"

#include <stdlib.h>

irlc_status read_index(const irlc_args *args, irl_scalar *out)
{
    static const irl_scalar types[] = { IRL_U8, IRL_U16, IRL_U32, IRL_U64,
                                        IRL_I8, IRL_I16, IRL_I32, IRL_I64 };
    static const char *const names[][3] = {
        { "u8", "uint8", "uint8_t" },    { "u16", "uint16", "uint16_t" },
        { "u32", "uint32", "uint32_t" }, { "u64", "uint64", "uint64_t" },
        { "i8", "int8", "int8_t" },      { "i16", "int16", "int16_t" },
        { "i32", "int32", "int32_t" },   { "i64", "int64", "int64_t" }
    };
    const char *index = value_of(args, OPT_INDEX, NULL);
    const char *near = NULL;
    int         edits = 0;
    *out = IRL_BOOL;
    if (!index) return IRLC_YES;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (size_t j = 0; j < 3; j++)
            if (strcmp(names[k][j], index) == 0) {
                *out = types[k];
                return IRLC_YES;
            } else look_near(index, names[k][j], &near, &edits);
    return bad_name(args, "there is no such index type", index, "", near);
}

/* Nothing is emitted of a layout that loses elements, unless that is meant. */
static irlc_status refuse_lossy(const irlc_args *args, const irl_map *map, irl_shape shape,
                                const irl_bit_element *bits)
{
    irl_verdict     v;
    irl_bit_verdict b;
    if (has(args, OPT_LOSSY)) return IRLC_YES;
    if (bits) b = irl_map_check_bits(args->cx, map, shape, bits);
    else v = irl_map_check(args->cx, map, shape);
    if (!irl_ok(args->cx)) return failed(args);
    if ((bits ? b.code : v.code) != IRL_ERROR_LOSSY_MAP) return IRLC_YES;
    char text[1024];
    snprintf(text, sizeof text,
             "nothing is emitted: the map is %s; use --lossy to emit only the functions that "
             "compute places and read",
             bits ? irl_bit_verdict_text(args->cx, &b) : irl_verdict_text(args->cx, &v));
    return refused(args, IRL_ERROR_LOSSY_MAP, text);
}

static irlc_status emit_layout(const irlc_args *args, int is_opencl, const char **text)
{
    irl_c_layout_options how;
    irl_bit_element      element;
    const irl_map       *map;
    irl_shape            shape;
    irlc_status          status = read_map_and_shape(args, &map, &shape);
    memset(&how, 0, sizeof how);
    if (status == IRLC_YES) status = read_element(args, &how.type, &element, &how.bits);
    if (status == IRLC_YES) status = read_index(args, &how.index);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_HEADER_SOURCE) || has(args, OPT_HEADER))
        return bad_input(args, "a layout is one header already, of static inline functions", NULL);
    if (is_opencl)
        return bad_input(args, "a layout is emitted as c; as OpenCL C it is packed: irlc pack "
                               "--emit opencl", NULL);
    how.name = value_of(args, OPT_NAME, NULL);
    *text = irl_c_layout_source(args->cx, map, shape, &how);
    return irl_ok(args->cx) ? refuse_lossy(args, map, shape, how.bits) : failed(args);
}

/* How a function is written in C. */
static irlc_status read_c_options(const irlc_args *args, irl_c_options *out)
{
    const char *bytes = value_of(args, OPT_STATIC, NULL), *end = bytes;
    memset(out, 0, sizeof *out);
    irlc_status status = read_index(args, &out->index);
    if (status != IRLC_YES) return status;
    out->prefix = value_of(args, OPT_PREFIX, "");
    out->name = value_of(args, OPT_NAME, NULL);
    out->is_header = has(args, OPT_HEADER);
    out->is_checked = has(args, OPT_CHECKED);
    out->openmp = has(args, OPT_OPENMP);
    if (bytes && (!read_int(&end, &out->static_bytes) || *end || out->static_bytes < 1))
        return bad_input(args, "--static takes a number of bytes; found", bytes);
    return IRLC_YES;
}

/* The path of a source's header, x.h for x.c; in the context, or NULL with status. */
static char *header_path(const irlc_args *args, irlc_status *status)
{
    const char *path = value_of(args, OPT_OUT, NULL);
    size_t      n = path ? strlen(path) : 0;
    *status = IRLC_YES;
    if (!has(args, OPT_HEADER_SOURCE)) return NULL;
    if (n < 3 || strcmp(path + n - 2, ".c") != 0) {
        *status = bad_input(args, "--header-source writes x.c and x.h: use -o x.c; found",
                            path ? path : "no -o");
        return NULL;
    }
    char *header = (char *)malloc(n + 1);
    if (!header) {
        *status = bad_input(args, "no memory for the name of the header of", path);
        return NULL;
    }
    memcpy(header, path, n + 1);
    header[n - 1] = 'h';
    return header;
}

/* The source, and its header written beside it where there is one. */
static irlc_status emit_c(const irlc_args *args, const irl_module *m, irl_c_options *how,
                          const char **text)
{
    irlc_status status;
    char       *path = header_path(args, &status), *slash = path ? strrchr(path, '/') : NULL;
    if (status != IRLC_YES) return status;
    how->header_name = slash ? slash + 1 : path;
    *text = irl_c_source_with(m, how);
    if (path && irl_ok(args->cx)) {
        const char *header = irl_c_header(m, how);
        if (irl_ok(args->cx)) status = write_text(args, path, header);
    }
    free(path);
    return irl_ok(args->cx) ? status : failed(args);
}

enum { EMIT_GLSL = 3 }; /* beside opencl and c-opencl */

/* A shader is one kernel: the only one, or the one that is chosen. */
static irlc_status emit_shaders(const irlc_args *args, const irl_module *m, const char **text)
{
    const irl_glsl_program *program = irl_glsl_emit(m);
    const char             *name = value_of(args, OPT_KERNEL, NULL);
    int                     k;
    if (!program) return failed(args);
    for (k = 0; name && k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].name, name) == 0) break;
    if (!name && program->kernel_count > 1)
        return bad_input(args, "a shader is one kernel: choose by --kernel, or take all by --json; "
                               "the first of them is", program->kernels[0].name);
    if (k >= program->kernel_count && (name || !program->kernel_count))
        return bad_input(args, "there is no kernel", name ? name : "in this module");
    *text = program->kernels[name ? k : 0].source;
    return IRLC_YES;
}

static irlc_status emit_function(const irlc_args *args, int is_opencl, const char **text)
{
    irlc_program      p;
    irl_c_options     how;
    if (has(args, OPT_TYPE))
        return bad_input(args, "--type is for layouts; a function states its own types", NULL);
    if (is_opencl && (has(args, OPT_INDEX) || has(args, OPT_HEADER_SOURCE) || has(args, OPT_NAME)))
        return bad_input(args, "--index, --header-source and --name are for --as c", NULL);
    if (is_opencl != EMIT_GLSL && has(args, OPT_KERNEL))
        return bad_input(args, "--kernel is for --as glsl: other texts hold all kernels", NULL);
    irlc_status status = read_c_options(args, &how);
    if (status == IRLC_YES) status = read_program(args, &p);
    if (status != IRLC_YES) return status;
    const irl_target *target = is_opencl == EMIT_GLSL               ? irl_target_find("glsl")
                               : is_opencl || has(args, OPT_TARGET) ? find_target(args, &status)
                               : strcmp(value_of(args, OPT_AS, "c"), "c-gnu") == 0
                                   ? &irl_target_c_gnu
                                   : &irl_target_c99;
    if (!target) return status;
    if (!p.is_module) p.module = lower_scheduled(args, &p, target);
    if ((status = take_part(args, &p)) != IRLC_YES) return status;
    if (!is_opencl) return emit_c(args, p.module, &how, text);
    if (is_opencl == EMIT_GLSL && has(args, OPT_JSON)) return json_shaders(args, p.module);
    if (is_opencl == EMIT_GLSL) return emit_shaders(args, p.module, text);
    *text = is_opencl == 2 ? irl_ocl_c_source(p.module) : irl_ocl_source(p.module);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

irlc_status command_emit(const irlc_args *args)
{
    const char *as = value_of(args, OPT_AS, "c");
    int         is_opencl = strcmp(as, "opencl") == 0     ? 1
                            : strcmp(as, "c-opencl") == 0 ? 2
                            : strcmp(as, "glsl") == 0     ? EMIT_GLSL
                                                          : 0;
    irlc_status status;
    if (has(args, OPT_JSON) &&
        (args->count == 2 || is_opencl != EMIT_GLSL || has(args, OPT_KERNEL)))
        return bad_input(args, "--json is for all shaders of --as glsl, without --kernel", NULL);
    const char *text = NULL;
    if (!is_opencl && strcmp(as, "c") != 0 && strcmp(as, "c-gnu") != 0)
        return bad_word(args, "--as is c, c-gnu, opencl, c-opencl or glsl; found", as);
    const int of_record = args->count == 1 && is_record_file(args);
    if (of_record && is_opencl)
        return bad_input(args, "a record is emitted as c; as OpenCL C it is packed: irlc pack "
                               "--emit opencl", NULL);
    if (of_record) status = emit_record(args, &text);
    else
        status = args->count == 2 ? emit_layout(args, is_opencl, &text)
                                  : emit_function(args, is_opencl, &text);
    if (status == IRLC_YES && text) say("%s", text);
    return status;
}
