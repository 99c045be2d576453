/* test_oracle_flatten.c - the recorded answers about offsets, flat buffers, access types,
   flattening and declared aliases. Skipped where the recorded files are not there.

   How they are translated. The recorded IR is Python-like text: types, division, casts, annotations
   and blocks are respelled. Where the recorded result accesses a parameter in its flat shape under
   its own name, ours declares a flat alias, and separators are numbered alike. The
   recorded allocation of bool memory is ours for parameters too: it is stored as i8. */
#ifndef IRL_SPLIT_BUILD
#define IRLAYOUT_IMPLEMENTATION
#endif
#include "../irlayout.h"
#ifdef IRL_SPLIT_BUILD
#include "../src/pass/pass.h"
#endif
#include "test.h"
#include "json.h"
#include "recorded.h"

/* ------------------------------------------------------- passes: flatten_buffer, decl_buffer */

static irl_func *run_call(irl_func *f, const char *call)
{
    if (strstr(call, "LowerOpaqueBlock")) f = irl_func_run_pass(f, "lower_blocks");
    if (strstr(call, "FlattenBuffer")) f = irl_func_run_pass(f, "flatten");
    if (strstr(call, "twice")) f = irl_func_run_pass(f, "flatten");
    return strstr(call, "Simplify") ? irl_func_run_pass(f, "simplify") : f;
}

static int check_passes(const json *c)
{
    const json  *input = json_get(c, "input");
    irl_ctx     *cx = irl_ctx_create(NULL);
    translation *t = (translation *)calloc(1, sizeof *t);
    irl_func    *before, *after, *expected;
    int          ok;
    translate(t, json_text(json_get(input, "before")));
    before = irl_func_parse(cx, t->out.data, t->out.length, "before");
    if (!before) printf("%s", t->out.data);
    if (before && strstr(json_text(json_get(input, "call")), "Flatten"))
        find_flat_params(t, cx, before);
    after = before ? run_call(before, json_text(json_get(input, "call"))) : NULL;
    translate(t, json_text(json_get(json_get(c, "expected"), "after")));
    expected = irl_func_parse(cx, t->out.data, t->out.length, "after");
    ok = after && expected && irl_func_equal(after, expected);
    if (!ok && t->flat_count > 1) { /* aliases are declared in the order of use */
        t->is_reversed = 1;
        translate(t, json_text(json_get(json_get(c, "expected"), "after")));
        expected = irl_func_parse(cx, t->out.data, t->out.length, "after");
        ok = after && expected && irl_func_equal(after, expected);
    }
    if (!ok) printf("%s\n%s%s", irl_diag_text(cx), after ? irl_func_text(after) : "", t->out.data);
    irl_ctx_destroy(cx);
    free(t);
    return ok;
}

/* -------------------------------------------------- buffers: offset_of, get_flattened_buffer */

static const irl_buffer *recorded_buffer(irl_ctx *cx, const json *input)
{
    const json     *shape = json_get(input, "shape"), *args = json_get(input, "args"), *n;
    const json *separators = json_get(args, "axis_separators"),
               *offset = json_get(args, "elem_offset");
    const irl_expr *extents[IRL_MAX_RANK];
    irl_buffer     *b;
    int             rank = 0, list[IRL_MAX_RANK], count = 0;
    for (n = shape->first; n; n = n->next) extents[rank++] = irl_expr_index(cx, json_int(n));
    for (n = separators ? separators->first : NULL; n; n = n->next)
        list[count++] = (int)json_int(n);
    b = irl__buffer_make(cx, "b", irl_type_of(IRL_F32, 1), IRL_SCOPE_GLOBAL, rank, extents, NULL,
                         irl__nowhere());
    if (!b || !irl__separators_valid(cx, rank, count, list, irl__nowhere())) return NULL;
    b->separators = (const int *)irl__copy(cx, list, (size_t)count, sizeof *list);
    b->separator_count = count;
    if (offset) b->offset = irl_expr_index(cx, json_int(offset));
    return b;
}

static int equal_ints(const json *list, int count, const irl_expr *const *found)
{
    int k;
    if (json_count(list) != count) return 0;
    for (list = list->first, k = 0; k < count; k++, list = list->next)
        if (!irl__is_int(found[k], json_int(list))) return 0;
    return 1;
}

static int check_flattened(const json *c)
{
    const json       *expected = json_get(c, "expected"), *same = json_get(expected, "same"), *n;
    irl_ctx          *cx = irl_ctx_create(NULL);
    const irl_buffer *b = recorded_buffer(cx, json_get(c, "input")),
                     *flat = b ? irl__flatten_buffer(cx, b) : NULL;
    int               ok = 0, k = 0;
    if (json_get(expected, "error"))
        ok = !b && irl_diag_of(cx)->code == IRL_ERROR_BAD_SEPARATORS;
    else if (flat) {
        ok = equal_ints(json_get(expected, "flat_shape"), flat->rank, flat->shape) &&
             (flat == b) == (int)same->number;
        for (n = json_get(expected, "flat_axis_separators")->first; n; n = n->next, k++)
            ok &= k < flat->separator_count && flat->separators[k] == json_int(n);
        ok &= k == flat->separator_count;
    }
    irl_ctx_destroy(cx);
    return ok;
}

typedef struct variables {
    const irl_expr *list[2];
} variables;

static variables new_variables(irl_ctx *cx)
{
    variables v;
    v.list[0] = irl_expr_var(cx, "i", irl__type_index());
    v.list[1] = irl_expr_var(cx, "j", irl__type_index());
    return v;
}

static const irl_expr *recorded_index(irl_ctx *cx, const variables *v, const char *s)
{
    text t;
    t.length = 0;
    put_respelled(&t, s, strlen(s));
    return irl__parse_expr(cx, t.data, 2, v->list);
}

static int check_offset(const json *c)
{
    irl_ctx          *cx = irl_ctx_create(NULL);
    variables         v = new_variables(cx);
    const json       *offsets = json_get(json_get(c, "expected"), "offset"), *n;
    const irl_buffer *b = recorded_buffer(cx, json_get(c, "input"));
    const irl_expr   *index[IRL_MAX_RANK], *flat[IRL_MAX_RANK];
    int               rank = 0, k = 0, ok;
    for (n = json_get(json_get(c, "input"), "index")->first; n; n = n->next)
        index[rank++] = recorded_index(cx, &v, json_text(n));
    ok = b && irl_ok(cx) && irl__flatten_indices(cx, b, index, flat) &&
         irl__buffer_groups(b) == json_count(offsets);
    for (n = ok ? offsets->first : NULL; ok && n; n = n->next, k++) {
        const irl_expr *found = irl__simplify_alone(cx, flat[k]);
        if (n->kind == JSON_NUMBER) ok = found && irl__is_int(found, json_int(n));
        /* interned: equal is the same */
        else ok = found && found == recorded_index(cx, &v, json_text(n));
    }
    irl_ctx_destroy(cx);
    return ok;
}

/* ------------------------------------------------------------------ types of accesses */

static irl_type recorded_type(const char *s)
{
    text     t;
    irl_type type = irl_type_of(IRL_BOOL, 1);
    t.length = 0;
    put_respelled(&t, s, strlen(s));
    irl__type_named(t.data, t.length, &type);
    return type;
}

static const irl_buffer *typed_buffer(irl_ctx *cx, const json *c, int rank)
{
    const irl_expr *extents[2];
    extents[0] = extents[1] = irl_expr_index(cx, 64);
    return irl_buffer_new(cx, "b",
                          recorded_type(json_text(json_get(json_get(c, "input"), "buffer_dtype"))),
                          IRL_SCOPE_GLOBAL, rank, extents);
}

static int check_load_type(const json *c)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    variables       v = new_variables(cx);
    const char     *index = json_text(json_get(json_get(c, "input"), "index"));
    const json     *expected = json_get(c, "expected");
    int             rank = strstr(index, "rank-2") ? 2 : 1, ok;
    const irl_expr *at[2], *load;
    at[0] = recorded_index(cx, &v, rank == 2 ? "ramp(0, 1, 4)" : index);
    at[1] = irl_expr_index(cx, 0);
    load = irl_expr_load(cx, typed_buffer(cx, c, rank), rank, at);
    if (json_get(expected, "error"))
        ok = !load && irl_diag_of(cx)->code == IRL_ERROR_TYPE_MISMATCH;
    else
        ok = load &&
             irl_type_equal(load->type, recorded_type(json_text(json_get(expected, "load_dtype"))));
    irl_ctx_destroy(cx);
    return ok;
}

/* The recorded stores are all of f32x4. */
static int check_store_type(const json *c)
{
    irl_ctx        *cx = irl_ctx_create(NULL);
    variables       v = new_variables(cx);
    const irl_expr *at = recorded_index(
        cx, &v,
        strstr(json_text(json_get(json_get(c, "input"), "store")), "ramp4") ? "ramp(0, 1, 4)"
                                                                            : "0");
    const irl_stmt *s = irl_stmt_store(cx, typed_buffer(cx, c, 1),
                                       irl_expr_float(cx, irl_type_of(IRL_F32, 4), 1.0), 1, &at);
    int             ok;
    if (json_get(json_get(c, "expected"), "ok")->number != 0) ok = s != NULL;
    else ok = !s && irl_diag_of(cx)->code == IRL_ERROR_TYPE_MISMATCH;
    irl_ctx_destroy(cx);
    return ok;
}

/* ------------------------------------------------------------------ all of them */

int main(void)
{
    static const recorded_feature features[] = {
        { "buffer.offset_of", check_offset, 5 },
        { "buffer.get_flattened_buffer", check_flattened, 3 },
        { "buffer_access_dtype", check_load_type, 11 },
        { "buffer_store_dtype", check_store_type, 3 },
        { "flatten_buffer", check_passes, 4 },
        { "decl_buffer", check_passes, 2 },
    };
    return recorded_run((int)(sizeof features / sizeof *features), features);
}
