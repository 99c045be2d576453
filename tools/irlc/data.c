/* data.c - `irlc run`: the arguments of a run, and random input for them. */
#include "irlc.h"

#include <stdlib.h>

int64_t count_of(const irl_tensor *t)
{
    int64_t n = 1;
    for (int k = 0; k < t->shape.rank; k++) n *= t->shape.extent[k];
    return n;
}

int64_t elements_of(const irl_tensor *t)
{
    return t->bits ? (int64_t)t->bytes : count_of(t);
}

/* What a caller hands over: all but the extents that shapes alone name; how many. */
static int given_tensors(const irl_func *f, const irlc_data *d, irl_tensor *given)
{
    int count = 0;
    for (int k = 0; k < d->count; k++)
        if (!irl_func_param_is_implicit(f, k)) given[count++] = d->tensor[k];
    return count;
}

int interpret_data(const irl_func *f, const irlc_data *d, const irl_interpret_options *how)
{
    irl_tensor given[IRL_MAX_ARGUMENTS];
    int        count = given_tensors(f, d, given);
    if (d->sample) return interpret_sample(f, d, how);
    return how ? irl_func_interpret_with(f, d->arguments, how)
               : irl_func_interpret_tensors(f, count, given);
}

#ifndef IRLC_NO_OPENCL
int run_data_on(irl_ocl *cl, const irl_module *m, const irlc_data *d)
{
    irl_tensor given[IRL_MAX_ARGUMENTS];
    int        count = given_tensors(irl_module_host(m), d, given);
    return irl_ocl_run_tensors(cl, m, count, given);
}
#endif

void free_data(irlc_data *d)
{
    while (d->count > 0) free(d->tensor[--d->count].data);
}

int copy_data(const irlc_data *from, irlc_data *to)
{
    *to = *from;
    for (to->count = 0; to->count < from->count; to->count++) {
        irl_tensor *t = &to->tensor[to->count];
        t->data = malloc(t->bytes ? t->bytes : 1);
        if (!t->data) {
            free_data(to);
            return 0;
        }
        memcpy(t->data, from->tensor[to->count].data, t->bytes);
        to->arguments.data[to->count] = t->data;
    }
    return 1;
}

uint32_t next_random(uint64_t *state) /* xorshift64* */
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

irl_type shown_type(const irl_tensor *t) { return t->bits ? irl_type_of(IRL_U8, 1) : t->type; }

/* What a function does with integers that it reads. */
typedef struct use_of_values {
    int is_index;  /* one becomes an index: each access must be proved to be inside its buffer */
    int is_narrow; /* one counts iterations, is the distance of a shift, or is in an assume */
    /* one of more than 8 bits becomes a float; a float becomes an integer */
    int is_float, is_whole;
} use_of_values;

/* Sets *user if a value that was read may be in the expression. */
static int see_read(void *user, const irl_expr *e, const irl_stmt *s)
{
    const irl_op op = irl_expr_op(e);
    (void)s;
    if (op == IRL_OP_LOAD || (op == IRL_OP_VAR && irl_expr_type(e).scalar != IRL_INDEX))
        *(int *)user = 1;
    return 1;
}

static int see_value(void *user, const irl_expr *e, const irl_stmt *s)
{
    use_of_values      *use = (use_of_values *)user;
    const irl_op        op = irl_expr_op(e);
    const irl_stmt_kind at = irl_stmt_kind_of(s);
    if (op == IRL_OP_CAST) {
        const irl_scalar_row *from = irl_scalar_info(irl_expr_type(irl_expr_arg(e, 0)).scalar),
                             *to = irl_scalar_info(irl_expr_type(e).scalar);
        if (from->kind == IRL_KIND_FLOAT || from->kind == IRL_KIND_BFLOAT)
            use->is_whole |= to->kind == IRL_KIND_INT || to->kind == IRL_KIND_UINT;
        else if (to->kind == IRL_KIND_FLOAT || to->kind == IRL_KIND_BFLOAT)
            use->is_float |= from->kind != IRL_KIND_INDEX && from->bits > 8;
        if (to->kind == IRL_KIND_INDEX) {
            use->is_index = 1;
            /* a loop may run so many times; a let may be its extent */
            if (from->bits > 8 && (at == IRL_STMT_FOR || at == IRL_STMT_LET)) use->is_narrow = 1;
        }
    }
    if (op == IRL_OP_SHL || op == IRL_OP_SHR) {
        irl_walk distance = { NULL, see_read, NULL, NULL, NULL };
        distance.user = &use->is_narrow;
        irl_expr_walk(irl_expr_arg(e, 1), &distance);
    }
    if (op == IRL_OP_LOAD && (at == IRL_STMT_ASSUME || at == IRL_STMT_ASSERT)) use->is_narrow = 1;
    return 1;
}

/* Is the function known to have a result for all values of its integers? Integers wrap, so only
   these may be undefined: an access, the distance of a shift, what an assume excludes, a large
   number that was a float, and the quotient by 0, which is as likely among small numbers. */
static int takes_all_values(irl_ctx *cx, const irlc_program *p)
{
    use_of_values use;
    irl_walk      walk = { NULL, see_value, NULL, NULL, NULL };
    memset(&use, 0, sizeof use);
    walk.user = &use;
    if (p->is_module) return 0; /* what its kernels read is under other names */
    irl_func_walk(p->f, &walk);
    if (use.is_narrow || (use.is_float && use.is_whole)) return 0;
    if (!use.is_index) return 1;
    const irl_mark mark = irl_ctx_mark(cx);
    const int      is_inside = irl_func_run_pass(p->f, "prove_bounds") != NULL;
    irl_ctx_rewind(cx, mark);
    return is_inside;
}

/* A value of an integer type of so many bits, of all values; of each eight one is near 0 or near
   the ends of the type. */
static uint64_t any_integer(uint32_t r, uint64_t *state, int bits)
{
    const uint64_t few = (uint64_t)(r >> 8 & 15) - 8;
    if (r % 8 == 0) return r & 16 ? few + (UINT64_C(1) << (bits - 1)) : few;
    return bits > 32 ? (uint64_t)r << 32 | next_random(state) : r >> (32 - bits);
}

/* Floats of a size at which sums of many stay exact in f32: k/16 in -8..8. Integers take all
   values if is_wide, otherwise 0..15, as an index takes. */
static void fill(irl_tensor *t, int is_wide, uint64_t *state)
{
    const irl_type type = shown_type(t);
    const irl_scalar_kind kind = irl_scalar_info(type.scalar)->kind;
    const int is_integer = !t->bits && (kind == IRL_KIND_INT || kind == IRL_KIND_UINT);
    unsigned char *p = (unsigned char *)t->data;
    size_t size = t->bytes / ((size_t)elements_of(t) ? (size_t)elements_of(t) * type.lanes : 1);
    for (size_t at = 0; size && at + size <= t->bytes; at += size) {
        uint32_t r = next_random(state);
        double   number = ((double)(r % 257) - 128) / 16;
        float    single = (float)number;
        uint64_t integer = t->bits ? r & 255 : type.scalar == IRL_BOOL ? r & 1 : r & 15;
        if (is_wide && is_integer) integer = any_integer(r, state, (int)size * 8);
        uint8_t  u8 = (uint8_t)integer;
        uint16_t u16 = (uint16_t)integer;
        uint32_t u32 = (uint32_t)integer;
        /* 1/4 .. 4 */
        if (type.scalar == IRL_F16)
            u16 = (uint16_t)((r & 0x8000) | (13 + (r >> 16 & 3)) << 10 | (r & 0x3ff));
        if (type.scalar >= IRL_UNORM8) u8 = (uint8_t)r, u16 = (uint16_t)r; /* any fraction */
        if (type.scalar == IRL_BF16)
            u16 = (uint16_t)((r & 0x8000) | (125 + (r >> 16 & 3)) << 7 | (r & 0x7f));
        if (type.scalar == IRL_F32) memcpy(p + at, &single, size);
        else if (type.scalar == IRL_F64) memcpy(p + at, &number, size);
        else if (size == 1) p[at] = u8;
        else if (size == 2) memcpy(p + at, &u16, size);
        else if (size == 4) memcpy(p + at, &u32, size);
        else memcpy(p + at, &integer, size);
    }
}

/* --set NAME=VALUE; false if it was not given. */
int set_value(const irlc_args *args, const char *name, const char **text)
{
    char found[256];
    for (int k = args->given_count; k-- > 0;) {
        if (args->given[k].option != OPT_SET) continue;
        *text = split_name(args->given[k].value, found, sizeof found);
        if (*text && strcmp(found, name) == 0) return 1;
    }
    return 0;
}

/* Every --set names a scalar parameter. */
irlc_status check_set(const irlc_args *args, const irl_func *f)
{
    char        name[256];
    const char *param;
    for (int k = 0; k < args->given_count; k++) {
        if (args->given[k].option != OPT_SET) continue;
        if (!split_name(args->given[k].value, name, sizeof name))
            return bad_input(args, "--set needs NAME=VALUE; found", args->given[k].value);
        if (strchr(args->given[k].value, ','))
            return bad_input(args, "--set takes one NAME=VALUE, and another --set the next; found",
                             args->given[k].value);
        const char *near = NULL;
        int         edits = 0;
        for (int j = 0; (param = irl_func_param_name(f, j)) != NULL; j++) {
            if (irl_func_param_is_buffer(f, j)) continue;
            if (strcmp(param, name) == 0) break;
            look_near(name, param, &near, &edits);
        }
        if (!param)
            return bad_name(args, "the function has no scalar parameter of this name", name, "",
                            near);
    }
    return IRLC_YES;
}

/* Each index has a value, since shapes depend on it: of --set, a file, or a file's shape
   (sizes[], -1: none). */
static irlc_status check_sizes(const irlc_args *args, const irl_func *f, const irlc_files *files,
                               const int64_t *sizes)
{
    char        missing[1024];
    const char *set;
    size_t      length = 0;
    for (int k = 0; k < irl_func_param_count(f) && length + 1 < sizeof missing; k++) {
        const char *name = irl_func_param_name(f, k);
        if (irl_func_param_is_buffer(f, k) || sizes[k] >= 0 || set_value(args, name, &set) ||
            irl_expr_type(irl_func_param_scalar(f, k)).scalar != IRL_INDEX ||
            (files && file_of(files, OPT_IN, k)))
            continue;
        length += (size_t)snprintf(missing + length, sizeof missing - length, "%s%s",
                                   length ? ", " : "", name);
    }
    return length ? bad_input(args, "each index parameter needs a value, --set NAME=VALUE", missing)
                  : IRLC_YES;
}

/* Scalars that were set hold their value, an index otherwise that of a file's shape. */
static irlc_status fill_scalar(const irlc_args *args, const char *name, int64_t size, irl_tensor *t)
{
    const char *text;
    int64_t     integer = 0;
    char       *end;
    if (!set_value(args, name, &text)) {
        if (t->type.scalar == IRL_INDEX) memcpy(t->data, &size, sizeof size);
        return IRLC_YES;
    }
    double number = strtod(text, &end);
    if (end == text || *end) return bad_input(args, "--set needs a number; found", text);
    if (t->type.lanes != 1 || t->type.scalar == IRL_F16 || t->type.scalar == IRL_BF16 ||
        t->type.scalar >= IRL_UNORM8)
        return bad_input(args, "a parameter of this type cannot be set", name);
    float single = (float)number;
    if (t->type.scalar == IRL_F32) memcpy(t->data, &single, sizeof single);
    else if (t->type.scalar == IRL_F64) memcpy(t->data, &number, sizeof number);
    else {
        if (!read_int(&text, &integer) || *text)
            return bad_input(args, "--set needs an integer here", name);
        if (t->bytes == 1) *(int8_t *)t->data = (int8_t)integer;
        else if (t->bytes == 2) *(int16_t *)t->data = (int16_t)integer;
        else if (t->bytes == 4) *(int32_t *)t->data = (int32_t)integer;
        else memcpy(t->data, &integer, sizeof integer);
    }
    return IRLC_YES;
}

static irlc_status make_argument(const irlc_args *args, const irl_func *f, irlc_data *d, int k,
                                 uint64_t *state)
{
    irl_tensor *t = &d->tensor[k];
    if (!irl_func_param_tensor(f, k, d->arguments, t)) return failed(args);
    t->data = calloc(t->bytes ? t->bytes : 1, 1);
    if (!t->data) return bad_input(args, "no memory for the argument", irl_func_param_name(f, k));
    d->arguments.data[k] = t->data;
    fill(t, d->is_wide, state);
    return IRLC_YES;
}

/* An argument: what its file holds, or what is set, or random numbers, which are drawn in any case,
   so that a file for one leaves the others as they were. */
static irlc_status fill_argument(const irlc_args *args, const irl_func *f, const irlc_files *files,
                                 const int64_t *sizes, irlc_data *d, int k, uint64_t *state)
{
    const irlc_file *file = file_of(files, OPT_IN, k);
    irlc_status      status = make_argument(args, f, d, k, state);
    const char      *name = irl_func_param_name(f, k), *set;
    if (status != IRLC_YES) return status;
    if (file && !irl_func_param_is_buffer(f, k) && set_value(args, name, &set))
        return bad_input(args, "--in and --set give the value twice", name);
    if (file) return load_file(args, f, file, d, d->tensor[k].data);
    return irl_func_param_is_buffer(f, k) ? IRLC_YES
                                          : fill_scalar(args, name, sizes[k], &d->tensor[k]);
}

/* Scalars first: shapes depend on them. On failure the data made so far is freed. */
irlc_status make_data(const irlc_args *args, const irlc_program *p, const irlc_files *files,
                      irlc_data *d)
{
    const irl_func *f = irl_module_host(p->module);
    const char *seed_text = value_of(args, OPT_SEED, "1");
    int64_t     seed, sizes[IRL_MAX_ARGUMENTS];
    irlc_status status = IRLC_YES;
    memset(d, 0, sizeof *d);
    d->cx = args->cx;
    d->is_wide = takes_all_values(args->cx, p);
    if (!read_int(&seed_text, &seed) || *seed_text)
        return bad_input(args, "--seed needs an integer", NULL);
    uint64_t state = (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    d->count = d->arguments.count = irl_func_param_count(f);
    if (d->count > IRL_MAX_ARGUMENTS)
        return bad_input(args, "a run takes at most 32 parameters; the function has more", NULL);
    for (int k = 0; k < IRL_MAX_ARGUMENTS; k++) sizes[k] = -1;
    if (check_set(args, f) != IRLC_YES) return IRLC_BAD_INPUT;
    if (files) status = sizes_of_files(args, f, files, sizes);
    if (status == IRLC_YES) status = check_sizes(args, f, files, sizes);
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < d->count && status == IRLC_YES; k++)
            if (irl_func_param_is_buffer(f, k) == (round == 1))
                status = fill_argument(args, f, files, sizes, d, k, &state);
    if (status != IRLC_YES) free_data(d);
    return status;
}
