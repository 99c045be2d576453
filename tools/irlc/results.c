/* results.c - `irlc run`: printing what a run left, comparing two runs. */
#include "irlc.h"

#include <math.h>

/* The value of a half or bfloat, for printing. */
static double small_float(uint16_t bits, int mantissa_bits, int bias)
{
    int exponent = bits >> mantissa_bits & ((1 << (15 - mantissa_bits)) - 1),
        mantissa = bits & ((1 << mantissa_bits) - 1);
    double value = (double)mantissa / (double)(1 << mantissa_bits) + (exponent ? 1 : 0);
    if (exponent == (1 << (15 - mantissa_bits)) - 1) value = mantissa ? NAN : INFINITY;
    else {
        for (int k = exponent ? exponent : 1; k < bias; k++) value /= 2;
        for (int k = bias; k < exponent; k++) value *= 2;
    }
    return bits >> 15 ? -value : value;
}

/* One scalar as a text that JSON can hold too, except NaN and infinities. */
static void scalar_text(irl_type type, const unsigned char *p, char out[40])
{
    float    f;
    double   d;
    int64_t  i = 0;
    uint16_t u16;
    switch (type.scalar) {
    case IRL_F32: memcpy(&f, p, 4); sprintf(out, "%.9g", (double)f); return;
    case IRL_F64: memcpy(&d, p, 8); sprintf(out, "%.17g", d); return;
    case IRL_F16: memcpy(&u16, p, 2); sprintf(out, "%.6g", small_float(u16, 10, 15)); return;
    case IRL_BF16: memcpy(&u16, p, 2); sprintf(out, "%.6g", small_float(u16, 7, 127)); return;
    case IRL_UNORM8: sprintf(out, "%.6g", *p / 255.0); return;
    case IRL_SNORM8:
        i = *(const int8_t *)p;
        sprintf(out, "%.6g", i < -127 ? -1.0 : (double)i / 127.0);
        return;
    case IRL_UNORM16: memcpy(&u16, p, 2); sprintf(out, "%.6g", u16 / 65535.0); return;
    case IRL_SNORM16: {
        int16_t v;
        memcpy(&v, p, 2);
        sprintf(out, "%.6g", v < -32767 ? -1.0 : v / 32767.0);
        return;
    }
    case IRL_I8: i = *(const int8_t *)p; break;
    case IRL_I16: { int16_t v; memcpy(&v, p, 2); i = v; break; }
    case IRL_I32: { int32_t v; memcpy(&v, p, 4); i = v; break; }
    case IRL_BOOL: case IRL_U8: i = *p; break;
    case IRL_U16: memcpy(&u16, p, 2); i = u16; break;
    case IRL_U32: { uint32_t v; memcpy(&v, p, 4); i = v; break; }
    default: memcpy(&i, p, 8); break;
    }
    if (type.scalar == IRL_U64) sprintf(out, "%llu", (unsigned long long)(uint64_t)i);
    else sprintf(out, "%lld", (long long)i);
}

/* Elements that take bits are numbers of their width, side by side. */
static int64_t bits_at(const irl_tensor *t, const irl_bit_element *e, int64_t n)
{
    const unsigned char *p = (const unsigned char *)t->data;
    int64_t              value = 0;
    for (int k = 0; k < e->bits; k++) {
        const int64_t at = n * e->bits + k;
        const int     is_msb = e->order == IRL_BITS_MSB,
                      bit = p[at / 8] >> (is_msb ? 7 - at % 8 : at % 8) & 1;
        value |= (int64_t)bit << (is_msb ? e->bits - 1 - k : k);
    }
    return value;
}

/* Element n, lane by lane, of buffer k of the function. */
static void element_text(irl_ctx *cx, const irl_func *f, int k, const irl_tensor *t, int64_t n,
                         char out[40])
{
    const int64_t   lanes = count_of(t) * t->type.lanes;
    irl_bit_element e;
    if (!t->bits || !irl_buffer_bits(irl_func_param_buffer(f, k), &e)) {
        scalar_text(t->type, (const unsigned char *)t->data + t->bytes / (size_t)lanes * (size_t)n,
                    out);
        return;
    }
    int64_t value = bits_at(t, &e, n);
    uint16_t u16 = (uint16_t)value;
    uint32_t u32 = (uint32_t)value;
    if (e.type.scalar == IRL_F16 || e.type.scalar == IRL_BF16)
        scalar_text(e.type, (const unsigned char *)&u16, out);
    else if (e.type.scalar == IRL_F32) scalar_text(e.type, (const unsigned char *)&u32, out);
    else {
        if (irl_type_text(cx, e.type)[0] == 'i' && value >> (e.bits - 1))
            value -= INT64_C(1) << e.bits;
        sprintf(out, "%lld", (long long)value);
    }
}

/* "u4", "u16 bits(msb)", "f32x4" */
static const char *element_type(irl_ctx *cx, const irl_func *f, int k, const irl_tensor *t)
{
    irl_bit_element e;
    return t->bits && irl_buffer_bits(irl_func_param_buffer(f, k), &e)
               ? irl_bit_element_text(cx, &e)
               : irl_type_text(cx, t->type);
}

/* A checksum of the bytes (FNV-1a): the same results, the same checksum, on machines of one byte
   order. */
static uint64_t checksum(const irl_tensor *t)
{
    const unsigned char *p = (const unsigned char *)t->data;
    uint64_t             hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < t->bytes; k++) hash = (hash ^ p[k]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The first elements, lane by lane. */
static void print_first(irl_ctx *cx, const irl_func *f, int number, const irl_tensor *t,
                        const char *separator)
{
    char    text[40];
    int64_t n = count_of(t) * t->type.lanes;
    for (int64_t k = 0; k < n && k < 8; k++) {
        element_text(cx, f, number, t, k, text);
        if (k) say("%s", separator);
        /* nan, inf: JSON has no such numbers */
        if (separator[0] == ',' && !is_digit(text[0]) && !is_digit(text[1])) json_string(cx, text);
        else say("%s", text);
    }
    if (n > 8 && separator[0] == ' ') say(" ...");
}

/* Whether a statement declares `name` as a view of the memory that the pointer points to. */
static int is_view(const irl_stmt *s, const char *name, const irl_expr *pointer)
{
    if (irl_stmt_kind_of(s) == IRL_STMT_DECL &&
        irl_buffer_pointer(irl_stmt_buffer(s)) == pointer &&
        strcmp(irl_buffer_name(irl_stmt_buffer(s)), name) == 0)
        return 1;
    for (int k = 0; k < irl_stmt_child_count(s); k++)
        if (is_view(irl_stmt_child(s, k), name, pointer)) return 1;
    return 0;
}

/* Whether f stores to parameter k. Of what calls do to it nothing is known. */
int is_stored(const irl_func *f, int k)
{
    const irl_access_table *table = irl_func_accesses(f);
    const irl_expr         *pointer = irl_buffer_pointer(irl_func_param_buffer(f, k));
    for (int j = 0; table && j < table->count; j++) {
        const irl_access *a = &table->list[j];
        if ((a->kind != IRL_ACCESS_WRITE && a->kind != IRL_ACCESS_UPDATE) || !a->buffer) continue;
        if (strcmp(a->buffer, irl_func_param_name(f, k)) == 0 ||
            is_view(irl_func_body(f), a->buffer, pointer))
            return 1;
    }
    return 0;
}

void print_results(const irlc_args *args, const irl_func *f, const irlc_data *before,
                   const irlc_data *after, const irlc_files *files)
{
    irlc_json j = { args->cx, 0 };
    int       is_json = has(args, OPT_JSON);
    char      hash[24];
    if (is_json) json_open(&j, '[');
    for (int k = 0; k < after->count; k++) {
        const irl_tensor *t = &after->tensor[k];
        if (!irl_func_param_is_buffer(f, k) ||
            (memcmp(before->tensor[k].data, t->data, t->bytes) == 0 && !is_stored(f, k)))
            continue;
        sprintf(hash, "%08lx%08lx", (unsigned long)(checksum(t) >> 32),
                (unsigned long)(checksum(t) & 0xffffffff));
        if (is_json) {
            json_next(&j);
            json_open(&j, '{');
            json_text(&j, "name", irl_func_param_name(f, k));
            json_text(&j, "type", element_type(args->cx, f, k, t));
            json_shape(&j, "shape", &t->shape);
            json_text(&j, "checksum", hash);
            json_key(&j, "first");
            say("[");
            print_first(args->cx, f, k, t, ", ");
            say("]");
            json_close(&j, '}');
        } else {
            say("%s: %s", irl_func_param_name(f, k), element_type(args->cx, f, k, t));
            print_shape(NULL, &t->shape);
            say("  checksum %s\n    ", hash);
            print_first(args->cx, f, k, t, " ");
            say("\n");
        }
    }
    if (is_json && has(args, OPT_EXPECT)) {
        json_next(&j);
        json_open(&j, '{');
        json_files(&j, files);
        json_close(&j, '}');
    }
    if (is_json) say("]\n");
    else print_files(files);
}

irl_shape point_of(const irl_shape *shape, int64_t n)
{
    irl_shape at = *shape;
    for (int k = shape->rank; k-- > 0;) {
        at.extent[k] = n % shape->extent[k];
        n /= shape->extent[k];
    }
    return at;
}

irlc_status read_ulp(const irlc_args *args, int64_t *ulp)
{
    const char *given = value_of(args, OPT_ULP, "0"), *text = given;
    if (read_int(&text, ulp) && !*text && *ulp >= 0 && *ulp <= 1000000) return IRLC_YES;
    return bad_input(args, "--ulp needs a number from 0 to 1000000; found", given);
}

/* Which element is the first that differs, of bits that differ in byte n. */
static int64_t first_of_byte(irl_ctx *cx, const irl_func *f, int k, const irl_tensor *a,
                             const irl_tensor *b, int64_t n)
{
    const int64_t last = count_of(a) - 1;
    int64_t       element = 8 * n / a->bits;
    char          x[40], y[40];
    for (; element < last; element++) {
        element_text(cx, f, k, a, element, x);
        element_text(cx, f, k, b, element, y);
        if (strcmp(x, y) != 0) break;
    }
    return element < last ? element : last;
}

/* How many elements of bits differ, and the first of them. */
static int64_t different_bits(irl_ctx *cx, const irl_func *f, int k, const irl_tensor *a,
                              const irl_tensor *b, int64_t *first)
{
    int64_t count = 0;
    char    x[40], y[40];
    for (int64_t n = count_of(a); n-- > 0;) {
        element_text(cx, f, k, a, n, x);
        element_text(cx, f, k, b, n, y);
        if (strcmp(x, y) != 0) count++, *first = n;
    }
    return count;
}

static int64_t different_elements(const irl_tensor *a, const irl_tensor *b, int ulp, int64_t *first)
{
    const int64_t count = count_of(a);
    const size_t  size = count ? a->bytes / (size_t)count : 0;
    int64_t       n = 0, different = 0, next;
    for (; n < count; n += next + 1, different++) {
        const size_t at = (size_t)n * size;
        next = irl_array_difference(a->type, count - n, (const unsigned char *)a->data + at,
                                    (const unsigned char *)b->data + at, ulp);
        if (next < 0) break;
        if (!different) *first = n + next;
    }
    return different;
}

irlc_status compare_file(const irlc_args *args, const irl_func *f, irlc_file *file,
                         const irl_tensor *t)
{
    const int      k = file->param;
    const irl_type scalar = irl_type_of((irl_scalar)t->type.scalar, 1);
    const int64_t  lanes = t->type.lanes;
    int64_t        n = 0, lane = 0;
    file->ulp = irl_func_tolerance(f);
    if (has(args, OPT_ULP) && read_ulp(args, &file->ulp) != IRLC_YES) return IRLC_BAD_INPUT;
    file->elements = count_of(t);
    file->different = t->bits
                          ? different_bits(args->cx, f, k, t, &file->expected, &n)
                          : different_elements(t, &file->expected, (int)file->ulp, &n);
    if (!file->different) return IRLC_YES;
    for (; lane + 1 < lanes; lane++) { /* the first that differs */
        const size_t at = t->bytes / (size_t)(file->elements * lanes) * (size_t)(n * lanes + lane);
        if (irl_array_difference(scalar, 1, (const unsigned char *)t->data + at,
                                 (const unsigned char *)file->expected.data + at,
                                 (int)file->ulp) >= 0)
            break;
    }
    element_text(args->cx, f, k, t, n * lanes + lane, file->is);
    element_text(args->cx, f, k, &file->expected, n * lanes + lane, file->wanted);
    file->at = point_of(&t->shape, n);
    if (lanes > 1 && file->at.rank < IRL_MAX_RANK) file->at.extent[file->at.rank++] = lane;
    return IRLC_NO;
}

void print_files(const irlc_files *files)
{
    for (int k = 0; k < files->count; k++) {
        const irlc_file *file = &files->file[k];
        if (file->option == OPT_RESULT && file->as[0])
            say("%s: %s written as %s\n", file->name, file->path, file->as);
        if (file->option != OPT_EXPECT) continue;
        say(file->different ? "different: %s" : "same: %s", file->name);
        if (!file->different) {
            say(", %lld elements, as in %s\n", (long long)file->elements, file->path);
            continue;
        }
        print_shape(NULL, &file->at);
        say(" is %s, and %s in %s; %lld of %lld elements differ; %lld ulp are allowed (--ulp N: "
            "N)\n",
            file->is, file->wanted, file->path, (long long)file->different,
            (long long)file->elements, (long long)file->ulp);
    }
}

void json_files(irlc_json *j, const irlc_files *files)
{
    json_key(j, "expected");
    json_open(j, '[');
    for (int k = 0; k < files->count; k++) {
        const irlc_file *file = &files->file[k];
        if (file->option != OPT_EXPECT) continue;
        json_next(j);
        json_open(j, '{');
        json_text(j, "name", file->name);
        json_text(j, "file", file->path);
        json_text(j, "result", file->different ? "different" : "same");
        json_int(j, "elements", file->elements);
        json_int(j, "different", file->different);
        json_int(j, "ulp", file->ulp);
        json_shape(j, "at", file->different ? &file->at : NULL);
        json_text(j, "is", file->different ? file->is : NULL);
        json_text(j, "wanted", file->different ? file->wanted : NULL);
        json_close(j, '}');
    }
    json_close(j, ']');
}

irlc_status judge_results(const irlc_args *args, const irl_func *f, const irlc_data *device,
                          const irlc_data *reference, const irlc_ran *ran, irlc_judged *out)
{
    memset(out, 0, sizeof *out);
    out->ulp = irl_func_tolerance(f);
    out->found = -1;
    if (has(args, OPT_ULP) && read_ulp(args, &out->ulp) != IRLC_YES) return IRLC_BAD_INPUT;
    for (int k = 0; k < device->count; k++) {
        const irl_tensor *t = &device->tensor[k];
        const void       *data = reference->tensor[k].data;
        out->numbers += count_of(t);
        if (out->found >= 0) continue;
        int64_t n =
            irl_array_difference(shown_type(t), elements_of(t), t->data, data, (int)out->ulp);
        if (n < 0) continue;
        out->found = k;
        out->at = n;
    }
    /* a function without a stated tolerance computes the same bits everywhere */
    if (out->found < 0 || has(args, OPT_ULP) || !out->ulp) return IRLC_YES;
    return judge_bounded(args, device, ran, out);
}

/* What was allowed, and how to allow more. */
static void print_allowed(const irlc_judged *j)
{
    say("; %lld ulp are allowed (irlc run --check --ulp N: N)", (long long)j->ulp);
    if (!j->is_bounded) say("\n");
    else if (j->is_unbounded) say(", and rounding has no bound there\n");
    else say(", and it is %.3g times the bound of rounding\n", worst_of(&j->bound));
}

const char *checked_text(const irlc_data *d, int64_t numbers, char out[80])
{
    if (d->sample)
        sprintf(out, "checked %lld of %lld elements", (long long)d->sample->count,
                (long long)d->sample->total);
    else sprintf(out, "%lld elements", (long long)numbers);
    return out;
}

static void print_same(const irlc_judged *j, const irlc_data *d, const char *what)
{
    char text[80];
    say("same: %s, on the device and in the interpreter, %s", checked_text(d, j->numbers, text),
        what);
    if (j->is_bounded) say(", up to rounding, at most %.3f of its bound", worst_of(&j->bound));
    say("\n");
}

static void json_judged(irlc_json *j, const irl_func *f, const irlc_data *d, const irlc_judged *q,
                        const char *what, const irl_shape *at, const char *a, const char *b)
{
    const int is_same = q->found < 0;
    json_text(j, "result", is_same ? "same" : "different");
    json_int(j, "elements", q->numbers);
    json_int(j, "of_elements", d->sample ? d->sample->total : q->numbers);
    json_int(j, "ulp", q->ulp);
    if (q->is_bounded && !q->is_unbounded) json_number(j, "of_bound", worst_of(&q->bound));
    json_text(j, "interpreted", what);
    json_text(j, "buffer", is_same ? NULL : irl_func_param_name(f, q->found));
    json_shape(j, "at", is_same ? NULL : at);
    json_text(j, "device", is_same ? NULL : a);
    json_text(j, "interpreter", is_same ? NULL : b);
}

irlc_status print_judged(const irlc_args *args, const irl_func *f, const irlc_data *device,
                         const irlc_data *reference, const irlc_ran *ran, const irlc_judged *q,
                         const irlc_rounding *r)
{
    irlc_json         j = { args->cx, 0 };
    const irl_tensor *t = &device->tensor[q->found < 0 ? 0 : q->found];
    int64_t           n = q->at;
    char              a[40] = "", b[40] = "", checked[80];
    irl_shape         at = t->shape;
    if (q->found >= 0) {
        const irl_tensor *u = &reference->tensor[q->found];
        if (t->bits) n = first_of_byte(args->cx, f, q->found, t, u, n);
        at = device->sample ? point_of(&device->sample->of[q->found].shape,
                                       device->sample->of[q->found].element[n])
                            : point_of(&t->shape, n);
        element_text(args->cx, f, q->found, t, n * t->type.lanes, a);
        element_text(args->cx, f, q->found, u, n * t->type.lanes, b);
    }
    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_judged(&j, f, device, q, ran->what, &at, a, b);
        if (r) json_rounding(&j, f, r);
        json_end(&j);
    } else if (q->found < 0) print_same(q, device, ran->what);
    else {
        say("different: %s", irl_func_param_name(f, q->found));
        print_shape(NULL, &at);
        say(" is %s on the device and %s in the interpreter, %s; %s", a, b, ran->what,
            checked_text(device, q->numbers, checked));
        print_allowed(q);
    }
    if (r && !has(args, OPT_JSON)) print_rounding(f, r);
    return q->found < 0 && (!r || r->found < 0) ? IRLC_YES : IRLC_NO;
}
