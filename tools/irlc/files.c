/* files.c - a run's own numbers: --in and --expect read files, --out writes one.

   A file holds a logical array in row-major order, and the library packs it through the layout, as
   it packs every argument; with --in-memory it holds memory as the layout arranges it. A file .npy
   has its own order of axes and of bytes. Whatever a file says is compared with what the parameter
   wants before it is used. */
#include "irlc.h"

#include <stdlib.h>
#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#define as_bytes(file) (void)_setmode(_fileno(file), _O_BINARY)
#else
#define as_bytes(file) (void)(file)
#endif

/* ------------------------------------------------------------------ types */

/* The kind and the bytes of an element, as numpy names them. What numpy lacks goes as the integer
   of its bits. */
static void kind_of(irl_type type, char *kind, int *size)
{
    const irl_scalar_row *row = irl_scalar_info((irl_scalar)type.scalar);
    *size = row->bytes;
    *kind = type.scalar == IRL_BOOL ? 'b'
            : type.scalar == IRL_BF16 || type.scalar == IRL_UNORM8 || type.scalar == IRL_UNORM16
                ? 'u'
            : type.scalar == IRL_INDEX || type.scalar == IRL_SNORM8 || type.scalar == IRL_SNORM16
                ? 'i'
                : row->text[0];
}

/* bf16, unorm8, ...: numpy has no such type. */
static int is_as_integer(irl_type type)
{
    return type.scalar == IRL_BF16 || type.scalar >= IRL_UNORM8;
}

/* "f32 ('<f4')" */
static void type_text(char kind, int size, int is_big, char out[32])
{
    if (kind == 'b' && size == 1) sprintf(out, "bool ('|b1')");
    else
        sprintf(out, "%c%d ('%c%c%d')", kind, 8 * size, size == 1 ? '|' : is_big ? '>' : '<', kind,
                size);
}

/* ------------------------------------------------------------------ what was found and expected */

static irlc_status mismatch(const irlc_args *args, const irlc_file *file, const char *expected,
                            const char *found)
{
    char text[900];
    snprintf(text, sizeof text, "%s=%s: expected %s; found", file->name, file->path, expected);
    return bad_input(args, text, found);
}

static char *shape_text(const irl_shape *s, char out[IRLC_SHAPE_TEXT])
{
    int n = sprintf(out, "(");
    for (int k = 0; k < s->rank; k++)
        n += sprintf(out + n, k ? ", %lld" : "%lld", (long long)s->extent[k]);
    sprintf(out + n, s->rank == 1 ? ",)" : ")");
    return out;
}

/* The array that a file holds of a parameter: its lanes are a last axis. */
static irl_shape array_of(const irl_tensor *t)
{
    irl_shape s = t->shape;
    if (t->type.lanes > 1 && s.rank < IRL_MAX_RANK) s.extent[s.rank++] = (int64_t)t->type.lanes;
    return s;
}

static irlc_status check_header(const irlc_args *args, const irlc_file *file, const irl_tensor *t)
{
    const irl_shape want = array_of(t), *is = &file->npy.shape;
    char            kind, found[IRLC_SHAPE_TEXT], shape[IRLC_SHAPE_TEXT];
    char            text[IRLC_SHAPE_TEXT + 64];
    int             size, k;
    if (t->bits)
        return mismatch(args, file, "raw bytes, because .npy has no elements of bits", "a .npy");
    kind_of(t->type, &kind, &size);
    if (size != file->npy.size ||
        (kind != file->npy.kind && !(file->npy.kind == 'V' && t->type.scalar == IRL_BF16))) {
        type_text(kind, size, 0, shape);
        type_text(file->npy.kind, file->npy.size, file->npy.is_big, found);
        sprintf(text, "elements %s%s", shape, is_as_integer(t->type) ? ", the bits of each" : "");
        return mismatch(args, file, text, found);
    }
    for (k = 0; k < want.rank && want.rank == is->rank; k++)
        if (want.extent[k] != is->extent[k]) break;
    if (k == want.rank && k == is->rank) return IRLC_YES;
    sprintf(text, "the shape %s", shape_text(&want, shape));
    return mismatch(args, file, text, shape_text(is, found));
}

/* ------------------------------------------------------------------ reading */

/* The elements in this machine's order of bytes, row-major. */
static void take_elements(const irlc_file *file, unsigned char *to)
{
    const irlc_npy *npy = &file->npy;
    const size_t    size = (size_t)npy->size;
    const int       is_turned = size > 1 && npy->is_big == is_little();
    int64_t         point[IRL_MAX_RANK] = { 0 };
    size_t          step[IRL_MAX_RANK], at = 0, n, count = (file->length - npy->begin) / size;
    int             k, is_fortran = npy->is_fortran;
    for (k = 0, n = 1; k < npy->shape.rank; n *= (size_t)npy->shape.extent[k++]) step[k] = n;
    for (n = 0; n < count; n++) {
        const unsigned char *from = file->bytes + npy->begin + size * (is_fortran ? at : n);
        for (size_t b = 0; b < size; b++) to[size * n + b] = from[is_turned ? size - 1 - b : b];
        for (k = npy->shape.rank; is_fortran && k-- > 0; point[k] = 0) {
            at += step[k];
            if (++point[k] < npy->shape.extent[k]) break;
            at -= step[k] * (size_t)npy->shape.extent[k];
        }
    }
}

/* A bool is 0 or 1. */
static irlc_status check_bools(const irlc_args *args, const irlc_file *file, const irl_tensor *t,
                               const unsigned char *bytes)
{
    char   found[64];
    for (size_t k = 0; k < t->bytes && t->type.scalar == IRL_BOOL && !t->bits; k++)
        if (bytes[k] > 1) {
            sprintf(found, "%d at element %llu", bytes[k], (unsigned long long)k);
            return mismatch(args, file, "0 or 1 for a bool", found);
        }
    return IRLC_YES;
}

/* Packs the plain array through the layout of parameter k, or unpacks it. */
static irlc_status convert(const irlc_args *args, const irl_func *f, int k, const irlc_data *d,
                           int is_packing, void *plain, void *packed)
{
    const irl_tensor *t = &d->tensor[k];
    const irl_expr   *padding = irl_func_param_padding(f, k);
    irl_pack_options  how;
    irl_arguments     arguments;
    memset(&how, 0, sizeof how);
    memset(&arguments, 0, sizeof arguments);
    how.element = t->type;
    if (padding && irl_expr_op(padding) == IRL_OP_FLOAT)
        how.fill = 1, how.padding = irl_expr_float_value(padding);
    if (padding && irl_expr_op(padding) == IRL_OP_INT)
        how.fill = 1, how.padding = (double)irl_expr_int_value(padding);
    irl_func *convert_func =
        is_packing ? irl_map_pack_func(args->cx, irl_func_param_map(f, k), t->shape, &how)
                   : irl_map_unpack_func(args->cx, irl_func_param_map(f, k), t->shape, &how);
    int count = convert_func ? irl_func_param_count(convert_func) : 0;
    arguments.count = count;
    for (int j = 0; j + 2 < count; j++) /* sizes that the map names */
        for (int i = 0; i < d->count; i++)
            if (strcmp(irl_func_param_name(f, i), irl_func_param_name(convert_func, j)) == 0)
                arguments.data[j] = d->arguments.data[i];
    if (count >= 2) {
        arguments.data[count - 2] = is_packing ? plain : packed;
        arguments.data[count - 1] = is_packing ? packed : plain;
    }
    return count >= 2 && irl_func_interpret(convert_func, arguments) ? IRLC_YES : failed(args);
}

/* The memory of parameter k, for a file that holds memory; else the logical array. *has_layout:
   they differ. */
static irlc_status describe(const irlc_args *args, const irl_func *f, int k, const irlc_data *d,
                            irl_tensor *out, int *has_layout)
{
    const irl_buffer *b = irl_func_param_buffer(f, k);
    *out = d->tensor[k];
    *has_layout = has(args, OPT_IN_MEMORY) && b && irl_func_param_map(f, k);
    if (!has(args, OPT_IN_MEMORY) || !b) return IRLC_YES;
    if ((irl_buffer_rank(b) && irl_buffer_stride(b, 0)) || irl_buffer_offset(b) ||
        (*has_layout && out->bits))
        return bad_input(args,
                         "--in-memory is for compact memory of whole bytes; this has strides, an "
                         "offset or bits",
                         irl_func_param_name(f, k));
    if (!*has_layout) return IRLC_YES;
    return irl_func_param_memory(f, k, d->arguments, out) ? IRLC_YES : failed(args);
}

irlc_status load_file(const irlc_args *args, const irl_func *f, const irlc_file *file,
                      const irlc_data *d, void *to)
{
    const int      k = file->param;
    irl_tensor     t;
    int            has_layout;
    char           shape[IRLC_SHAPE_TEXT], want[IRLC_SHAPE_TEXT + 64], found[64];
    irlc_status    status = describe(args, f, k, d, &t, &has_layout);
    if (status == IRLC_YES && file->is_npy) status = check_header(args, file, &t);
    if (status != IRLC_YES) return status;
    if (!file->is_npy && file->length != t.bytes) {
        snprintf(want, sizeof want, "%llu bytes of %s, shape %s", (unsigned long long)t.bytes,
                 irl_type_text(args->cx, t.type), shape_text(&t.shape, shape));
        sprintf(found, "%llu bytes", (unsigned long long)file->length);
        return mismatch(args, file, want, found);
    }
    unsigned char *bytes =
        has_layout ? (unsigned char *)malloc(t.bytes ? t.bytes : 1) : (unsigned char *)to;
    if (!bytes) return bad_input(args, "no memory for the argument", file->name);
    if (file->is_npy) take_elements(file, bytes);
    else if (t.bytes) memcpy(bytes, file->bytes, t.bytes);
    status = check_bools(args, file, &t, bytes);
    if (has_layout && status == IRLC_YES) status = convert(args, f, k, d, 0, to, bytes);
    if (has_layout) free(bytes);
    return status;
}

/* ------------------------------------------------------------------ the list of files */

static int find_param(const irlc_args *args, const irl_func *f, const char *name,
                      irlc_status *status)
{
    const char *param, *near = NULL;
    int         edits = 0;
    for (int k = 0; (param = irl_func_param_name(f, k)) != NULL; k++) {
        if (strcmp(param, name) == 0) return k;
        look_near(name, param, &near, &edits);
    }
    *status = bad_name(args, "the function has no parameter of this name", name, "", near);
    return -1;
}

/* "-" and "-.npy": standard input or output. */
static int is_pipe(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "-.npy") == 0;
}

static int has_suffix(const char *path)
{
    const size_t n = strlen(path);
    return n >= 4 && strcmp(path + n - 4, ".npy") == 0;
}

static irlc_status read_bytes(const irlc_args *args, irlc_file *file)
{
    char problem[IRLC_PROBLEM], text[IRLC_PROBLEM + 300];
    if (is_pipe(file->path)) as_bytes(stdin);
    file->bytes = (unsigned char *)read_file(is_pipe(file->path) ? "-" : file->path, &file->length);
    if (!file->bytes) return bad_input(args, "cannot read the file", file->path);
    if (strcmp(file->path, "-") == 0) file->is_npy = is_npy(file->bytes, file->length);
    if (!file->is_npy || read_npy(file->bytes, file->length, &file->npy, problem)) return IRLC_YES;
    snprintf(text, sizeof text, "the .npy file cannot be read: %s: %s", file->path,
             problem);
    return bad_input(args, text, NULL);
}

irlc_status read_files(const irlc_args *args, const irl_func *f, irlc_files *files)
{
    irlc_status status = IRLC_YES;
    int         inputs = strcmp(args->item[0], "-") == 0, outputs = 0;
    files->count = 0;
    for (int k = 0; k < args->given_count && status == IRLC_YES; k++) {
        const irlc_given *given = &args->given[k];
        irlc_file        *file = &files->file[files->count];
        if (given->option != OPT_IN && given->option != OPT_RESULT && given->option != OPT_EXPECT)
            continue;
        memset(file, 0, sizeof *file);
        file->option = given->option;
        file->path = split_name(given->value, file->name, sizeof file->name);
        if (!file->path || !*file->path)
            return bad_input(args, "the option needs NAME=FILE; found", given->value);
        file->is_npy = has_suffix(file->path);
        file->param = find_param(args, f, file->name, &status);
        if (file->param < 0) return status;
        files->count++;
        if (is_pipe(file->path) && ++*(file->option == OPT_RESULT ? &outputs : &inputs) > 1)
            return bad_input(args, "a pipe can be used once", file->path);
        if (file->option != OPT_RESULT) status = read_bytes(args, file);
    }
    if (outputs && has(args, OPT_JSON))
        return bad_input(args, "standard output takes the file, so --json needs -o FILE", NULL);
    if (outputs) say_beside();
    return status;
}

void free_files(irlc_files *files)
{
    while (files->count > 0) {
        irlc_file *file = &files->file[--files->count];
        free(file->bytes);
        free(file->expected.data);
    }
}

const irlc_file *file_of(const irlc_files *files, irlc_option option, int param)
{
    for (int k = 0; files && k < files->count; k++)
        if (files->file[k].option == option && files->file[k].param == param)
            return &files->file[k];
    return NULL;
}

/* ------------------------------------------------------------------ sizes, from shapes */

/* An index parameter, where its value comes from; value -1: not known yet. */
typedef struct file_sizes {
    const irl_func *f;
    int64_t         value[IRL_MAX_ARGUMENTS];
    char            from[IRL_MAX_ARGUMENTS][300]; /* "x.npy, axis 0 of x" */
} file_sizes;

static int size_of_var(const file_sizes *s, const irl_expr *e)
{
    for (int k = 0; irl_func_param_name(s->f, k); k++)
        if (irl_func_param_scalar(s->f, k) == e) return k;
    return -1;
}

/* The value of an extent, small and not negative, as most are; 0 if it is not known. */
static int known_extent(const file_sizes *s, const irl_expr *e, int64_t *out)
{
    int k = irl_expr_op(e) == IRL_OP_VAR ? size_of_var(s, e) : -1;
    if (irl_expr_op(e) == IRL_OP_INT) *out = irl_expr_int_value(e);
    else *out = k >= 0 ? s->value[k] : -1;
    return *out >= 0;
}

/* Learns a size from extent e, which is `value`; 1 if one was learnt. What cannot be solved is
   left: the shapes are compared later, whatever was learnt. *contradiction: the size that has
   another value. */
static int learn(file_sizes *s, const irl_expr *e, int64_t value, const char *from,
                 int *contradiction)
{
    const irl_op op = irl_expr_op(e);
    int64_t      c;
    if (op == IRL_OP_VAR) {
        int k = size_of_var(s, e);
        if (k < 0 || s->value[k] == value || value < 0) return 0;
        if (s->value[k] >= 0) return *contradiction = k, 0;
        s->value[k] = value;
        snprintf(s->from[k], sizeof s->from[k], "%s", from);
        return 1;
    }
    if (irl_expr_arg_count(e) != 2) return 0;
    int known = known_extent(s, irl_expr_arg(e, 1), &c)   ? 1
                : known_extent(s, irl_expr_arg(e, 0), &c) ? 0
                                                          : -1;
    if (known < 0) return 0;
    e = irl_expr_arg(e, !known);
    if (op == IRL_OP_ADD) return learn(s, e, value - c, from, contradiction);
    if (op == IRL_OP_MUL && c > 0 && value % c == 0)
        return learn(s, e, value / c, from, contradiction);
    if (op == IRL_OP_SUB && known && value <= INT64_MAX - c)
        return learn(s, e, value + c, from, contradiction);
    return 0;
}

static int learn_file(file_sizes *s, const irlc_file *file, int *contradiction, int64_t *other,
                      char from[300])
{
    const irl_shape *is = &file->npy.shape;
    const int        rank = irl_func_param_logical_rank(s->f, file->param);
    int              learnt = 0;
    if (!file->is_npy || file->option == OPT_RESULT || is->rank < rank) return 0;
    for (int axis = 0; axis < rank && *contradiction < 0; axis++) {
        snprintf(from, 300, "%.200s, axis %d of %.60s", file->path, axis, file->name);
        *other = is->extent[axis];
        learnt |= learn(s, irl_func_param_logical_extent(s->f, file->param, axis), *other, from,
                        contradiction);
    }
    return learnt;
}

/* A shape with more or fewer axes than the parameter gives no sizes. */
static irlc_status check_axes(const irlc_args *args, const irl_func *f, const irlc_file *file)
{
    const irl_buffer *b = irl_func_param_buffer(f, file->param);
    const int         rank = b ? irl_func_param_logical_rank(f, file->param) : 0,
                      lanes = b ? (int)irl_buffer_type(b).lanes : 1;
    char              text[1024], found[IRLC_SHAPE_TEXT];
    int               n = sprintf(text, "the shape (");
    if (!b || !file->is_npy || file->option == OPT_RESULT ||
        (has(args, OPT_IN_MEMORY) && irl_func_param_map(f, file->param)) ||
        file->npy.shape.rank == rank + (lanes > 1))
        return IRLC_YES;
    for (int k = 0; k < rank && n < 900; k++)
        n += sprintf(text + n, k ? ", %.60s" : "%.60s",
                     irl_expr_text(args->cx, irl_func_param_logical_extent(f, file->param, k)));
    if (lanes > 1) n += sprintf(text + n, rank ? ", %d" : "%d", lanes);
    sprintf(text + n, rank + (lanes > 1) == 1 ? ",)" : ")");
    return mismatch(args, file, text, shape_text(&file->npy.shape, found));
}

irlc_status sizes_of_files(const irlc_args *args, const irl_func *f, const irlc_files *files,
                           int64_t values[IRL_MAX_ARGUMENTS])
{
    file_sizes  s;
    char        from[300], text[900], name[64];
    const char *set;
    int         k, learnt = 1, found = -1;
    int64_t     other = 0;
    for (k = 0; k < files->count; k++)
        if (check_axes(args, f, &files->file[k]) != IRLC_YES) return IRLC_BAD_INPUT;
    s.f = f;
    for (k = 0; k < IRL_MAX_ARGUMENTS; k++) s.value[k] = -1;
    for (k = 0; irl_func_param_name(f, k); k++)
        if (!irl_func_param_is_buffer(f, k) && set_value(args, irl_func_param_name(f, k), &set) &&
            (!read_int(&set, &s.value[k]) || *set))
            s.value[k] = -1; /* which is said where it is set */
        else snprintf(s.from[k], sizeof s.from[k], "--set");
    while (learnt)
        for (learnt = k = 0; k < files->count && found < 0; k++)
            if (!has(args, OPT_IN_MEMORY) || !irl_func_param_map(f, files->file[k].param))
                learnt |= learn_file(&s, &files->file[k], &found, &other, from);
    memcpy(values, s.value, sizeof s.value);
    if (found < 0) return IRLC_YES;
    snprintf(name, sizeof name, "%s", irl_func_param_name(f, found));
    snprintf(text, sizeof text, "the files do not fit together: %s is %lld by %s, and %lld by %s",
             name, (long long)s.value[found], s.from[found], (long long)other, from);
    return bad_input(args, text, NULL);
}

/* ------------------------------------------------------------------ results */

static irlc_status write_result(const irlc_args *args, const irl_func *f, irlc_file *file,
                                const irlc_data *d)
{
    const int      k = file->param, to_pipe = is_pipe(file->path);
    unsigned char *bytes = (unsigned char *)d->tensor[k].data;
    char           header[IRLC_NPY_HEADER];
    size_t         length = 0;
    irl_tensor     t;
    irlc_npy       npy;
    int            has_layout;
    irlc_status    status = describe(args, f, k, d, &t, &has_layout);
    if (status == IRLC_YES && file->is_npy && t.bits)
        return mismatch(args, file, "a file of raw bytes, because .npy has no elements of bits",
                        "a .npy");
    if (status != IRLC_YES) return status;
    if (file->is_npy) {
        memset(&npy, 0, sizeof npy);
        kind_of(t.type, &npy.kind, &npy.size);
        npy.is_big = !is_little();
        npy.shape = array_of(&t);
        length = write_npy(&npy, header);
    }
    if (has_layout) {
        bytes = (unsigned char *)calloc(t.bytes ? t.bytes : 1, 1);
        if (!bytes) return bad_input(args, "no memory for the result", file->name);
        status = convert(args, f, k, d, 1, d->tensor[k].data, bytes);
    }
    FILE *out = status != IRLC_YES ? NULL : to_pipe ? stdout : fopen(file->path, "wb");
    if (out && to_pipe) as_bytes(out);
    int is_right = out && fwrite(header, 1, length, out) == length &&
                   fwrite(bytes, 1, t.bytes, out) == t.bytes;
    if (out) is_right &= (to_pipe ? fflush(out) : fclose(out)) == 0;
    if (has_layout) free(bytes);
    if (status == IRLC_YES && !is_right) status = bad_input(args, "cannot write", file->path);
    if (file->is_npy && is_as_integer(t.type)) sprintf(file->as, "%c%d", npy.kind, 8 * npy.size);
    return status;
}

irlc_status finish_files(const irlc_args *args, const irlc_program *p, irlc_files *files,
                         const irlc_data *d)
{
    const irl_func *host = irl_module_host(p->module);
    irlc_status     status = IRLC_YES, end = IRLC_YES;
    for (int k = 0; k < files->count && status == IRLC_YES; k++) {
        irlc_file *file = &files->file[k];
        if (file->option == OPT_RESULT) status = write_result(args, host, file, d);
        if (file->option != OPT_EXPECT) continue;
        file->expected = d->tensor[file->param];
        file->expected.data = malloc(file->expected.bytes ? file->expected.bytes : 1);
        if (!file->expected.data) return bad_input(args, "no memory for the file", file->path);
        status = load_file(args, host, file, d, file->expected.data);
        if (status == IRLC_YES) status = compare_file(args, p->f, file, &d->tensor[file->param]);
        if (status == IRLC_NO) end = IRLC_NO, status = IRLC_YES;
    }
    return status == IRLC_YES ? end : status;
}
