/* meaning.h - functions written by hand, run as they are and lowered for every target: the same
   bits, or the same refusal.

   needs     irlayout.h (irlayout_ocl.h with IRLAYOUT_OCL_RUNTIME for a device), test.h before it
   promises  index parameters n and m have the values of the case; buffers hold small numbers that
             every type has */
#ifndef IRL_MEANING_H
#define IRL_MEANING_H
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* each test uses a part of this */
#endif

enum { MEANING_TARGETS = 4 };
static const char *const meaning_targets[MEANING_TARGETS] = {
    "opencl12", "opencl12-embedded", "strict", "scalar"
};

typedef struct meaning {
    const char *text;   /* of a function */
    int64_t     n, m;   /* what the parameters of these names are, index or i32 */
    irl_code    runs;   /* what the interpreter says of the function */
    irl_code    lowers; /* what lowering says; IRL_OK: the modules are run too */
    irl_code    module; /* what the interpreter says of the modules */
    const char *says;   /* a part of the diagnostic; NULL: any */
    irl_code    parses; /* what the parser says */
} meaning;

/* ------------------------------------------------------------------ arguments */

typedef struct meaning_data {
    irl_arguments arguments;
    int64_t       scalars[2];
    int32_t       narrow[2]; /* the same for i32 */
    void         *bytes[IRL_MAX_ARGUMENTS];
    size_t        size[IRL_MAX_ARGUMENTS];
} meaning_data;

static void meaning_fill(unsigned char *to, irl_type type, size_t bytes)
{
    size_t k;
    float  f;
    for (k = 0; type.scalar == IRL_F32 && k + sizeof f <= bytes; k += sizeof f) {
        f = (float)(k * 7 % 11) / 2 - 2;
        memcpy(to + k, &f, sizeof f);
    }
    for (; k < bytes; k++) to[k] = (unsigned char)(k * 7 % 11);
}

static void meaning_free(meaning_data *d)
{
    int k;
    for (k = 0; k < d->arguments.count; k++) free(d->bytes[k]);
    memset(d, 0, sizeof *d);
}

/* Buffers after the scalars that their shapes are made of. 0 with a diagnostic. */
static int meaning_arguments(const irl_func *f, const meaning *c, meaning_data *d)
{
    irl_tensor t;
    int        k;
    memset(d, 0, sizeof *d);
    d->scalars[0] = d->narrow[0] = (int32_t)c->n;
    d->scalars[1] = d->narrow[1] = (int32_t)c->m;
    d->arguments.count = irl_func_param_count(f);
    for (k = 0; k < d->arguments.count; k++) {
        int which = strcmp(irl_func_param_name(f, k), "n") != 0;
        if (irl_func_param_is_buffer(f, k)) continue;
        if (!irl_func_param_tensor(f, k, d->arguments, &t)) return 0;
        d->arguments.data[k] = t.type.scalar == IRL_I32 ? (const void *)&d->narrow[which]
                                                        : (const void *)&d->scalars[which];
    }
    for (k = 0; k < d->arguments.count; k++) {
        if (!irl_func_param_is_buffer(f, k)) continue;
        if (!irl_func_param_tensor(f, k, d->arguments, &t)) return 0;
        d->size[k] = t.bytes;
        d->bytes[k] = malloc(t.bytes ? t.bytes : 1);
        d->arguments.data[k] = d->bytes[k];
        if (!d->bytes[k]) return 0;
        meaning_fill((unsigned char *)d->bytes[k], t.type, t.bytes);
    }
    return 1;
}

static int meaning_same(const meaning_data *a, const meaning_data *b)
{
    int k;
    for (k = 0; k < a->arguments.count; k++)
        if (a->size[k] && memcmp(a->bytes[k], b->bytes[k], a->size[k]) != 0) return 0;
    return 1;
}

/* ------------------------------------------------------------------ one case */

static irl_code meaning_code(const irl_ctx *cx)
{
    return irl_diag_of(cx) ? irl_diag_of(cx)->code : IRL_OK;
}

static int meaning_is(irl_ctx *cx, const meaning *c, irl_code code, const char *stage)
{
    const char *text = irl_diag_text(cx), *says = c->says ? c->says : "";
    int         ok = meaning_code(cx) == code && (code == IRL_OK || strstr(text, says));
    if (!CHECK(ok))
        printf("%s of %s\nn = %ld, m = %ld: expected %s, %s, found %s\n%s\n", stage, c->text,
               (long)c->n, (long)c->m, irl_code_name(code), says, irl_code_name(meaning_code(cx)),
               text);
    return ok;
}

/* What runs a module: the interpreter, or a device. */
typedef int meaning_runs(void *user, const irl_module *m, irl_arguments arguments);

static int meaning_interpreted(void *user, const irl_module *m, irl_arguments arguments)
{
    (void)user;
    return irl_module_interpret(m, arguments);
}

static void meaning_lowered(const meaning *c, const irl_func *f, const char *target, irl_ctx *cx,
                            const meaning_data *expected, meaning_runs *runs, void *user)
{
    const irl_module *m = irl_func_lower(f, irl_target_find(target));
    meaning_data      found;
    if (!meaning_is(cx, c, c->lowers, target) || c->lowers != IRL_OK) return;
    /* what races has no numbers to compare: only the interpreter runs it */
    if (c->runs == IRL_ERROR_DATA_RACE && runs != meaning_interpreted) return;
    if (!CHECK(meaning_arguments(f, c, &found))) return;
    runs(user, m, found.arguments);
    /* sizes without a bound may need 64 bits, and the embedded target's kernels say so */
    if (meaning_code(cx) == IRL_ERROR_INDEX_WIDTH && strstr(target, "embedded")) {
        meaning_free(&found);
        return;
    }
    if (meaning_is(cx, c, c->module, target) && c->module == IRL_OK && c->runs == IRL_OK &&
        !CHECK(meaning_same(expected, &found)))
        printf("for %s: %s\nn = %ld, m = %ld\n%s\n", target, c->text, (long)c->n, (long)c->m,
               irl_module_text(m));
    meaning_free(&found);
}

/* The function as it is, then its module for each target, on a device for two, by `runs`. `cx` is
   given back as it was. */
static void meaning_check(irl_ctx *cx, const meaning *c, meaning_runs *runs, void *user)
{
    irl_mark     start = irl_ctx_mark(cx), parsed;
    irl_func    *f = irl_func_parse(cx, c->text, strlen(c->text), "case");
    meaning_data expected;
    int          k;
    if (!meaning_is(cx, c, c->parses, "the parser") || !f ||
        !CHECK(meaning_arguments(f, c, &expected))) {
        irl_ctx_rewind(cx, start);
        return;
    }
    parsed = irl_ctx_mark(cx);
    irl_func_interpret(f, expected.arguments);
    meaning_is(cx, c, c->runs, "the interpreter");
    irl_ctx_rewind(cx, parsed);
    for (k = 0; k < (runs == meaning_interpreted ? MEANING_TARGETS : 2); k++) {
        meaning_lowered(c, f, meaning_targets[k], cx, &expected, runs, user);
        irl_ctx_rewind(cx, parsed);
    }
    meaning_free(&expected);
    irl_ctx_rewind(cx, start);
}

#endif
