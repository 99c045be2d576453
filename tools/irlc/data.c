/* data.c - `irlc run`: the arguments of a run, and random input for them. */
#include "irlc.h"

#include <stdlib.h>

int64_t count_of(const irl_tensor *t)
{
    int64_t n = 1;
    int     k;
    for (k = 0; k < t->shape.rank; k++) n *= t->shape.extent[k];
    return n;
}

int64_t elements_of(const irl_tensor *t)
{
    return t->bits ? (int64_t)t->bytes : count_of(t);
}

/* What a caller hands over: all but the extents that shapes alone name; how many. */
static int given_tensors(const irl_func *f, const irlc_data *d, irl_tensor *given)
{
    int k, count = 0;
    for (k = 0; k < d->count; k++)
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

/* Numbers of a size at which sums of many stay exact in f32: k/16 in -8..8 for floats, 0..15 for
   integers. */
static void fill(irl_tensor *t, uint64_t *state)
{
    const irl_type type = shown_type(t);
    unsigned char *p = (unsigned char *)t->data;
    size_t size = t->bytes / ((size_t)elements_of(t) ? (size_t)elements_of(t) * type.lanes : 1),
           at;
    for (at = 0; size && at + size <= t->bytes; at += size) {
        uint32_t r = next_random(state);
        double   number = ((double)(r % 257) - 128) / 16;
        float    single = (float)number;
        uint64_t integer = t->bits ? r & 255 : type.scalar == IRL_BOOL ? r & 1 : r & 15;
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
    int  k;
    for (k = args->given_count; k-- > 0;) {
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
    const char *param, *near;
    int         k, j, edits;
    for (k = 0; k < args->given_count; k++) {
        if (args->given[k].option != OPT_SET) continue;
        if (!split_name(args->given[k].value, name, sizeof name))
            return bad_input(args, "--set needs NAME=VALUE; found", args->given[k].value);
        near = NULL;
        edits = 0;
        for (j = 0; (param = irl_func_param_name(f, j)) != NULL; j++) {
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

/* Scalars that were set hold their value. An index must have one, --set or from a file's shape
   (-1: none): shapes depend on it. */
static irlc_status fill_scalar(const irlc_args *args, const char *name, int64_t size, irl_tensor *t)
{
    const char *text;
    int64_t     integer = 0;
    double      number;
    float       single;
    char       *end;
    if (!set_value(args, name, &text)) {
        if (t->type.scalar != IRL_INDEX) return IRLC_YES;
        if (size >= 0) return memcpy(t->data, &size, sizeof size), IRLC_YES;
        return bad_input(args, "an index parameter needs a value, --set NAME=VALUE", name);
    }
    number = strtod(text, &end);
    if (end == text || *end) return bad_input(args, "--set needs a number; found", text);
    if (t->type.lanes != 1 || t->type.scalar == IRL_F16 || t->type.scalar == IRL_BF16 ||
        t->type.scalar >= IRL_UNORM8)
        return bad_input(args, "a parameter of this type cannot be set", name);
    single = (float)number;
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
    fill(t, state);
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
irlc_status make_data(const irlc_args *args, const irl_func *f, const irlc_files *files,
                      irlc_data *d)
{
    const char *seed_text = value_of(args, OPT_SEED, "1");
    uint64_t    state;
    int64_t     seed, sizes[IRL_MAX_ARGUMENTS];
    irlc_status status = IRLC_YES;
    int         round, k;
    memset(d, 0, sizeof *d);
    d->cx = args->cx;
    if (!read_int(&seed_text, &seed) || *seed_text)
        return bad_input(args, "--seed needs an integer", NULL);
    state = (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    d->count = d->arguments.count = irl_func_param_count(f);
    if (d->count > IRL_MAX_ARGUMENTS)
        return bad_input(args, "the function has too many parameters", NULL);
    for (k = 0; k < IRL_MAX_ARGUMENTS; k++) sizes[k] = -1;
    if (check_set(args, f) != IRLC_YES) return IRLC_BAD_INPUT;
    if (files) status = sizes_of_files(args, f, files, sizes);
    for (round = 0; round < 2; round++)
        for (k = 0; k < d->count && status == IRLC_YES; k++)
            if (irl_func_param_is_buffer(f, k) == (round == 1))
                status = fill_argument(args, f, files, sizes, d, k, &state);
    if (status != IRLC_YES) free_data(d);
    return status;
}
