/* check.c - `irlc check`, `irlc inverse` and `irlc simplify`. */
#include "irlc.h"

/* ------------------------------------------------------- how it is known, and what that took */

/* A power of two, so that the line says what block suffices and does not change with every
   version. */
static unsigned long kibibytes(size_t bytes)
{
    unsigned long n = 1;
    while (n < ((unsigned long)-1 >> 11) && n * 1024 < bytes) n *= 2;
    return n;
}

static void print_known(const char *method, size_t bytes)
{
    if (method && method[0])
        say("proved by %s, within %lu KiB of memory\n", method, kibibytes(bytes));
    else say("not known, within %lu KiB of memory\n", kibibytes(bytes));
}

/* The flattened memory, where it is known and 63 bits count its cells; else rank -1. */
static irl_shape flattened(const irlc_args *args, const irlc_question *q, const irl_verdict *v,
                           const irl_expr **list)
{
    irl_shape out;
    if (!v->box_known || !flatten(args, &q->names, q->map, &v->memory, NULL, list, &out))
        out.rank = -1;
    return out;
}

/* The library's object with two more members: a verdict is the same in every context, what it took
   is not. */
static void print_json(irl_ctx *cx, const char *object, const irl_shape *flat, size_t bytes)
{
    irlc_json j = { cx, 1 };
    say("%.*s", (int)strlen(object) - 1, object);
    json_shape(&j, "flattened", flat->rank >= 0 ? flat : NULL);
    say(", \"bytes\": %lu}\n", (unsigned long)bytes);
}

static void print_flattened(irl_ctx *cx, const irl_shape *flat)
{
    if (flat->rank < 0) return;
    say("flattened memory ");
    print_shape(cx, flat);
    say("\n");
}

/* ------------------------------------------------------------------ the commands */

static int look_on(void *user, int64_t done, int64_t total)
{
    (void)user;
    progress("going through all points,", done, total);
    return 1;
}

/* The verdict on a map; IRLC_YES if there is one, whatever it says. */
static irlc_status judge_question(const irlc_args *args, const irlc_question *q, irl_verdict *v)
{
    irl_check_options how;
    memset(&how, 0, sizeof how);
    if (q->has_bound) how.bound = &q->bound;
    how.progress = look_on;
    progress("proving", 0, 0);
    *v = irl_map_check_with(args->cx, q->map, q->shape, &how);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

/* The same of the map and shape of the command line. */
static irlc_status judge(const irlc_args *args, irlc_question *q, irl_verdict *v)
{
    irlc_status status = read_question(args, q, value_of(args, OPT_BOUND, NULL));
    return status == IRLC_YES ? judge_question(args, q, v) : status;
}

/* What a verdict answers. With --index a layout that is right also has to fit that type in C; the
   diagnostic says where it does not. */
static irlc_status answer_of(const irlc_args *args, const irlc_question *q, irl_code code)
{
    irl_c_layout_options how;
    irl_bit_element      element;
    irlc_status          status = (irlc_status)irl_code_outcome(code);
    memset(&how, 0, sizeof how);
    if (status != IRLC_YES || !has(args, OPT_INDEX)) return status;
    status = read_index(args, &how.index);
    if (status == IRLC_YES) status = read_element(args, &how.type, &element, &how.bits);
    if (status != IRLC_YES) return status;
    (void)irl_c_layout_source(args->cx, q->map, q->shape, &how);
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}

static irlc_status print_verdict(const irlc_args *args, const irlc_question *q,
                                 const irl_verdict *v)
{
    const char *text = has(args, OPT_JSON) ? irl_verdict_json(args->cx, q->map, v)
                                           : irl_verdict_text(args->cx, v);
    if (!text || !irl_ok(args->cx)) return failed(args);
    const irlc_status status = answer_of(args, q, v->code);
    if (!irl_ok(args->cx)) return status;
    const irl_expr *list[IRL_MAX_RANK];
    const irl_shape flat = flattened(args, q, v, list);
    if (has(args, OPT_JSON)) print_json(args->cx, text, &flat, v->bytes);
    else {
        say("%s\n", text);
        if (v->code == IRL_OK) print_flattened(args->cx, &flat);
        print_known(v->method, v->bytes);
    }
    return irl_ok(args->cx) ? status : failed(args);
}

/* With --type: the bits of its memory, then its elements. Elements beyond a bound are all that is
   said. */
static irlc_status check_bits(const irlc_args *args, irlc_question *q)
{
    irl_verdict     elements;
    irl_bit_element element;
    irlc_status     status = read_question(args, q, value_of(args, OPT_BOUND, NULL));
    if (status == IRLC_YES && q->has_bound) {
        status = judge_question(args, q, &elements);
        if (status != IRLC_YES) return status;
        if (elements.kind == IRL_OUT_OF_RANGE) return print_verdict(args, q, &elements);
    }
    if (status != IRLC_YES) return status;
    if (!irl_bit_element_parse(args->cx, value_of(args, OPT_TYPE, ""), &element))
        return failed(args);
    irl_bit_verdict v = irl_map_check_bits(args->cx, q->map, q->shape, &element);
    if (!irl_ok(args->cx)) return failed(args);
    status = answer_of(args, q, v.code);
    if (!irl_ok(args->cx)) return status;
    if (has(args, OPT_JSON)) say("%s\n", irl_bit_verdict_json(args->cx, q->map, &element, &v));
    else {
        say("%s\n", irl_bit_verdict_text(args->cx, &v));
        say("elements: %s\n", irl_verdict_text(args->cx, &v.map));
        const irl_expr *list[IRL_MAX_RANK];
        const irl_shape flat = flattened(args, q, &v.map, list);
        if (v.code == IRL_OK) print_flattened(args->cx, &flat);
        print_known(v.map.method, v.map.bytes);
    }
    return irl_ok(args->cx) ? status : failed(args);
}

irlc_status command_check(const irlc_args *args)
{
    irlc_question q;
    irl_verdict   v;
    irlc_status   status;
    if (is_record(args) && !has(args, OPT_TYPE)) return check_record(args);
    if (args->count < 2)
        return bad_input(args, "a map needs a shape", "usage: irlc check MAP SHAPE");
    if (has(args, OPT_TYPE)) status = check_bits(args, &q);
    else {
        status = judge(args, &q, &v);
        if (status == IRLC_YES) status = print_verdict(args, &q, &v);
    }
    if (status == IRLC_YES && has(args, OPT_INDEX) && !has(args, OPT_JSON))
        say("each index fits %s\n", value_of(args, OPT_INDEX, ""));
    return status;
}

static irlc_status no_inverse(const irlc_args *args, const irl_verdict *v)
{
    char        text[1024];
    const char *verdict = irl_verdict_text(args->cx, v);
    snprintf(text, sizeof text, "no inverse: the map is %s", verdict ? verdict : "");
    /* IRL_OK: it has one, but none was found that is a formula */
    return refused(args, v->code == IRL_OK ? IRL_ERROR_UNDECIDED : v->code, text);
}

irlc_status command_inverse(const irlc_args *args)
{
    irlc_question q;
    irl_verdict   v;
    irlc_json     j = { args->cx, 0 };
    irlc_status   status = judge(args, &q, &v);
    if (status != IRLC_YES) return status;
    if (v.code != IRL_OK || !v.inverse) return no_inverse(args, &v);
    const char *padding = v.padding ? irl_expr_text(args->cx, v.padding) : NULL;
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "map", irl_map_text(args->cx, q.map));
        json_shape(&j, "shape", &v.shape);
        json_shape(&j, "physical", &v.physical);
        json_text(&j, "inverse", irl_map_text(args->cx, v.inverse));
        json_text(&j, "padding", padding ? padding : "false");
        if (v.pad_cells_named && v.pad_cells < 0)
            json_text(&j, "pad_cells", irl_expr_text(args->cx, v.pad_cells_named));
        else json_int(&j, "pad_cells", v.pad_cells);
        if (v.shape.named)
            json_text(&j, "condition", v.condition ? irl_expr_text(args->cx, v.condition) : NULL);
        json_end(&j);
        return IRLC_YES;
    }
    say("%s\n", irl_map_text(args->cx, v.inverse));
    if (v.pad_cells) say("padding where %s\n", padding ? padding : "(not known)");
    return IRLC_YES;
}

/* ------------------------------------------------------------------ irlc simplify */

/* name=lo..hi, name=value, name=? or name */
static int read_range(const irlc_args *args, irlc_names *names, const char *text)
{
    size_t      length = strcspn(text, "=");
    const char *p = text + length + (text[length] == '=');
    int64_t     lo = INT64_MIN, hi = INT64_MAX;
    if (text[length] == '=' && strcmp(p, "?") != 0) {
        if (!read_int(&p, &lo)) return 0;
        hi = lo;
        if (strncmp(p, "..", 2) == 0) {
            p += 2;
            if (!read_int(&p, &hi)) return 0;
        }
        if (*p) return 0;
    }
    return length && add_name(args, names, text, length, lo, hi);
}

irlc_status command_simplify(const irlc_args *args)
{
    irlc_names      names;
    irlc_json       j = { args->cx, 0 };
    names.count = 0;
    for (int k = 1; k < args->count; k++)
        if (!read_range(args, &names, args->item[k]))
            return bad_input(args, "a range is written c=0..63, or c=? for any integer; found",
                             args->item[k]);
    if (check_declared(args, &names, args->item[0], "any integer, or a range as 0..63") != IRLC_YES)
        return IRLC_BAD_INPUT;
    const irl_expr *e = irl_expr_parse(args->cx, args->item[0], names.count, names.var);
    const irl_expr *simple = irl_expr_simplify(args->cx, e, names.count, names.range);
    if (!simple) return failed(args);
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "expression", irl_expr_text(args->cx, e));
        json_text(&j, "simplified", irl_expr_text(args->cx, simple));
        json_end(&j);
    } else say("%s\n", irl_expr_text(args->cx, simple));
    return IRLC_YES;
}
