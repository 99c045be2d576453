/* record.c - records for `irlc check`, `pack` and `emit`: RECORD is a text, or a file with that in
   it. */
#include "irlc.h"

#include <stdlib.h>

int is_record(const irlc_args *args)
{
    const char *text = args->item[0];
    return args->count == 1 && (strncmp(text, "record ", 7) == 0 || !strstr(text, "->"));
}

/* Skips blanks and comments. */
static const char *first_word(const char *text)
{
    const char *p = text, *at = NULL;
    while (p != at) p = skip_comment(skip_any(at = p, " \t\r\n"));
    return p;
}

/* What begins a text that is no record: it is looked at by other commands. */
static int is_of_functions(const char *text)
{
    static const char *const words[] = { "func ", "module ", "graph ", "extern ", "schedule " };
    const char *const        first = first_word(text);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strncmp(first, words[k], strlen(words[k])) == 0) return 1;
    return 0;
}

int is_record_file(const irlc_args *args)
{
    size_t length;
    if (args->count != 1) return 0;
    if (strncmp(args->item[0], "record ", 7) == 0) return 1;
    if (strcmp(args->item[0], "-") == 0) return 0; /* standard input can be read once */
    char *text = read_file(args->item[0], &length);
    int   found = text && strncmp(first_word(text), "record ", 7) == 0;
    free(text);
    return found;
}

const irl_record *read_record(const irlc_args *args, irlc_status *status)
{
    const char       *text = args->item[0];
    const irl_record *r;
    size_t            length;
    *status = IRLC_YES;
    if (strncmp(text, "record ", 7) == 0) r = irl_record_parse(args->cx, text, strlen(text), NULL);
    else {
        char *file = read_file(text, &length);
        if (!file) {
            *status = bad_input(args, "the record cannot be read", text);
            return NULL;
        }
        if (is_of_functions(file)) {
            free(file);
            *status = bad_input(args,
                                "a record or a map was expected, and the file holds functions: "
                                "irlc explain FILE says what they do, irlc lower FILE compiles "
                                "them",
                                text);
            return NULL;
        }
        r = irl_record_parse(args->cx, file, length, text);
        free(file);
    }
    if (!r) *status = failed(args);
    return r;
}

/* "q[0, 3]" as its field and its row-major number. */
static void json_element(irlc_json *j, const char *key, const irl_record *r, int k, int64_t element)
{
    json_key(j, key);
    json_open(j, '{');
    json_text(j, "field", irl_record_field_at(r, k)->name);
    json_int(j, "element", element);
    json_close(j, '}');
}

static void json_record(const irlc_args *args, const irl_record *r, const irl_record_verdict *v)
{
    irlc_json j = { args->cx, 0 };
    json_open(&j, '{');
    json_text(&j, "record", irl_record_text(r));
    json_int(&j, "bits", 8 * irl_record_bytes(r));
    json_text(&j, "verdict", irl_verdict_name(v->kind));
    json_int(&j, "unused_bits", v->unused_bits);
    if (v->kind == IRL_INJECTIVE) json_int(&j, "first_unused", v->first_unused);
    if (v->kind == IRL_LOSSY) json_element(&j, "a", r, v->a, v->a_element);
    if (v->kind == IRL_LOSSY || v->kind == IRL_OUT_OF_RANGE) {
        json_element(&j, "b", r, v->b, v->b_element);
        json_int(&j, "bit", v->bit);
    }
    json_end(&j);
}

irlc_status check_record(const irlc_args *args)
{
    irlc_status        status;
    const irl_record  *r = read_record(args, &status);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_BOUND)) return bad_input(args, "--bound is for a map, not for a "
                                                     "record", NULL);
    irl_record_verdict v = irl_record_check(r);
    if (!irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) json_record(args, r, &v);
    else say("%s\n", irl_record_verdict_text(r, &v));
    return irl_ok(args->cx) ? (irlc_status)irl_code_outcome(v.code) : failed(args);
}

irlc_status emit_record(const irlc_args *args, const char **text)
{
    irlc_status       status;
    const irl_record *r = read_record(args, &status);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_TYPE) || has(args, OPT_INDEX) || has(args, OPT_HEADER_SOURCE) ||
        has(args, OPT_TARGET))
        return bad_input(args, "a record is one header of C already; its only option is --name",
                         NULL);
    *text = irl_c_record_source(r, value_of(args, OPT_NAME, NULL));
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

irlc_status pack_record(const irlc_args *args, const irl_target *target, int is_opencl)
{
    irlc_json         j = { args->cx, 0 };
    irlc_status       status;
    const irl_record *r = read_record(args, &status);
    if (status != IRLC_YES) return status;
    if (has(args, OPT_PAD) || has(args, OPT_TYPE) || has(args, OPT_PROOF))
        return bad_input(args, "--pad, --type and --proof are for a layout, not for a "
                               "record", NULL);
    const irl_func *pack = irl_record_pack_func(r);
    const irl_func *unpack = irl_record_unpack_func(r);
    const char *to = is_opencl ? irl_ocl_source(irl_func_lower(pack, target)) : irl_func_text(pack);
    const char     *from =
        is_opencl ? irl_ocl_source(irl_func_lower(unpack, target)) : irl_func_text(unpack);
    if (!irl_ok(args->cx)) return failed(args);
    if (!has(args, OPT_JSON)) {
        say("%s\n%s", to, from);
        return IRLC_YES;
    }
    json_open(&j, '{');
    json_text(&j, "record", irl_record_text(r));
    json_text(&j, "pack", to);
    json_text(&j, "unpack", from);
    json_end(&j);
    return IRLC_YES;
}
