/* arguments.c - what was given: options, numbers, shapes, element types. */
#include "irlc.h"

#include <errno.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ what was given */

const char *value_of(const irlc_args *args, irlc_option option, const char *otherwise)
{
    for (int k = args->given_count; k-- > 0;)
        if (args->given[k].option == option) return args->given[k].value;
    return otherwise;
}

int has(const irlc_args *args, irlc_option option)
{
    for (int k = 0; k < args->given_count; k++)
        if (args->given[k].option == option) return 1;
    return 0;
}

int read_int(const char **text, int64_t *out)
{
    char     *end;
    errno = 0;
    long long value = strtoll(*text, &end, 10);
    if (end == *text || errno) return 0;
    *text = end;
    *out = (int64_t)value;
    return 1;
}

int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
int is_digit(char c) { return c >= '0' && c <= '9'; }

const char *skip_any(const char *p, const char *which)
{
    while (*p && strchr(which, *p)) p++;
    return p;
}

/* 0x10 could be 16, or 0 by 10. */
static int is_hex(const char *p) { return p[0] == '0' && p[1] == 'x'; }

int read_shape(const char *text, irl_shape *out)
{
    const char *p = skip_any(text, " [(");
    memset(out, 0, sizeof *out);
    if (*skip_any(p, " ])") == '\0') return 1;
    for (;;) {
        if (is_hex(p) || out->rank == IRL_MAX_RANK || !read_int(&p, &out->extent[out->rank++]))
            return 0;
        p = skip_any(p, " ");
        if (*p != ',' && *p != 'x') break;
        p = skip_any(p + 1, " ");
    }
    return *skip_any(p, " ])") == '\0';
}

const char *shape_form(const char *text)
{
    return is_hex(text) ? "an extent is a decimal number, 16; 0 by 10 is written 0,10; found"
                        : "a shape is written 2,5,7,16; found";
}

const char *split_name(const char *text, char *name, size_t capacity)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= capacity) return NULL;
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = '\0';
    return equals + 1;
}

irlc_status read_type(const irlc_args *args, irl_type *out)
{
    const char *type = value_of(args, OPT_TYPE, "f32"), *near = NULL;
    int         edits = 0;
    for (int k = 0; k < IRL__SCALAR_COUNT; k++) {
        *out = irl_type_of((irl_scalar)k, 1);
        if (strcmp(irl_type_text(args->cx, *out), type) == 0) return IRLC_YES;
        look_near(type, irl_type_text(args->cx, *out), &near, &edits);
    }
    return bad_name(args, "there is no such element type", type, "", near);
}

/* Returns 1 for u3 or "u16 bits(msb)": u or i with a width that no plain type has, or followed by
   more words. */
static int is_element(const irlc_args *args, const char *type)
{
    for (int k = 0; k < IRL__SCALAR_COUNT; k++) {
        irl_type plain = irl_type_of((irl_scalar)k, 1);
        if (strcmp(irl_type_text(args->cx, plain), type) == 0) return 0;
    }
    return strchr(type, '(') != NULL || strstr(type, "norm") != NULL ||
           ((type[0] == 'u' || type[0] == 'i') && type[1] >= '1' && type[1] <= '9');
}

irlc_status read_element(const irlc_args *args, irl_type *type, irl_bit_element *element,
                         const irl_bit_element **out)
{
    const char *text = value_of(args, OPT_TYPE, "f32");
    *out = NULL;
    if (!is_element(args, text)) return read_type(args, type);
    if (!irl_bit_element_parse(args->cx, text, element)) return failed(args);
    *type = element->type;
    *out = element;
    return IRLC_YES;
}

irlc_status read_emit(const irlc_args *args, int *is_opencl)
{
    const char *emit = value_of(args, OPT_EMIT, "ir");
    *is_opencl = strcmp(emit, "opencl") == 0;
    return *is_opencl || strcmp(emit, "ir") == 0
               ? IRLC_YES
               : bad_word(args, "--emit is ir or opencl; found", emit);
}
