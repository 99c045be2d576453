/* parse_names.c - what all parts of the parser do alike: expecting a token, opening and closing
   scopes, declaring names.

   needs     lex.c
   promises  a scope that closes gives every name the meaning that it had outside; a name that is
             not there is a diagnostic with the nearest one that is */
#include "parse.h"

/* ------------------------------------------------------------------ expecting */

static void irl__token_text(const irl__parser *p, char *out, size_t capacity)
{
    irl__text t;
    irl__text_init_fixed(&t, out, capacity);
    if (p->token.kind == IRL__TOKEN_END) irl__text_puts(&t, "the end of the text");
    else {
        irl__text_putc(&t, '\'');
        irl__text_append(&t, p->text + p->token.offset,
                         p->token.length < 40 ? p->token.length : 40);
        irl__text_putc(&t, '\'');
    }
}

int irl__unexpected(irl__parser *p, const char *expected)
{
    char found[64];
    if (!irl__ok(p->cx)) return 0;
    irl__token_text(p, found, sizeof found);
    return irl__fail(p->cx, IRL_ERROR_SYNTAX, irl__here(p), "expected %s; found %s", expected,
                     found);
}

int irl__accept(irl__parser *p, int kind)
{
    if (p->token.kind != kind) return 0;
    irl__next(p);
    return 1;
}

int irl__expect(irl__parser *p, int kind, const char *expected)
{
    if (p->token.kind != kind) return irl__unexpected(p, expected);
    irl__next(p);
    return 1;
}

int irl__accept_word(irl__parser *p, irl__word word)
{
    if (!irl__at_word(p, word)) return 0;
    irl__next(p);
    return 1;
}

int irl__expect_word(irl__parser *p, irl__word word, const char *expected)
{
    return irl__accept_word(p, word) || irl__unexpected(p, expected);
}

int irl__failed_at(irl__parser *p, uint32_t offset)
{
    irl__fail_at(p->cx, irl__loc_at(p, offset));
    return 0;
}

int irl__expect_name(irl__parser *p, irl__token *name, const char *expected)
{
    *name = p->token;
    if (name->kind != IRL__TOKEN_NAME) return irl__unexpected(p, expected);
    if (!name->is_quoted &&
        (name->symbol->word == IRL__WORD_TRUE || name->symbol->word == IRL__WORD_FALSE))
        return irl__unexpected(p, expected);
    irl__next(p);
    return 1;
}

/* ------------------------------------------------------------------ scopes */

size_t irl__scope_open(irl__parser *p)
{
    p->level++;
    return p->shadow_count;
}

void irl__scope_close(irl__parser *p, size_t mark)
{
    p->level--;
    while (p->shadow_count > mark) {
        p->shadow_count--;
        p->shadows[p->shadow_count].symbol->binding = p->shadows[p->shadow_count].outer;
    }
}

int irl__declare(irl__parser *p, irl__symbol *symbol, irl__binding binding, uint32_t offset)
{
    if (symbol->binding.kind != IRL__UNBOUND && symbol->binding.level == p->level) {
        const char *name = irl__name(p->cx, symbol->text, symbol->length);
        return irl__fail(p->cx, IRL_ERROR_DUPLICATE_NAME, irl__loc_at(p, offset),
                         "'%s' is declared already in this scope", name);
    }
    if (p->shadow_count == p->shadow_capacity) {
        irl__shadow *grown = (irl__shadow *)irl__stack_grow(p->cx, p->shadows, p->shadow_count,
                                                            &p->shadow_capacity, sizeof *grown);
        if (!grown) return 0;
        p->shadows = grown;
    }
    p->shadows[p->shadow_count].symbol = symbol;
    p->shadows[p->shadow_count].outer = symbol->binding;
    p->shadow_count++;
    symbol->binding = binding;
    symbol->binding.level = p->level;
    return 1;
}

int irl__declare_as_var(irl__parser *p, irl__symbol *symbol, const irl_expr *var, uint32_t offset)
{
    irl__binding b;
    memset(&b, 0, sizeof b);
    b.kind = IRL__BOUND_VAR;
    b.var = var;
    return var && irl__declare(p, symbol, b, offset);
}

const irl_expr *irl__declare_var(irl__parser *p, const irl__token *name, irl_type type)
{
    const char     *text = irl__name(p->cx, name->symbol->text, name->symbol->length);
    const irl_expr *var = text ? irl_expr_var(p->cx, text, type) : NULL;
    return irl__declare_as_var(p, name->symbol, var, name->offset) ? var : NULL;
}

int irl__declare_buffer(irl__parser *p, const irl__token *name, const irl_buffer *buffer)
{
    irl__binding b;
    memset(&b, 0, sizeof b);
    b.kind = IRL__BOUND_BUFFER;
    b.buffer = buffer;
    return irl__declare(p, name->symbol, b, name->offset);
}

void irl__parse_skip_param(irl__parser *p)
{
    int depth = 0;
    for (; p->token.kind != IRL__TOKEN_END; irl__next(p)) {
        if (depth == 0 && (p->token.kind == ',' || p->token.kind == ')')) return;
        if (p->token.kind == '(' || p->token.kind == '[') depth++;
        if (p->token.kind == ')' || p->token.kind == ']') depth--;
    }
}

/* ------------------------------------------------------------------ names that are not there */

#define IRL__NEAR_LENGTH 32

/* Edits (insert, delete, replace, swap neighbours) from a to b, both at most IRL__NEAR_LENGTH
   long. */
static unsigned irl__near_distance(const char *a, size_t m, const char *b, size_t n)
{
    unsigned row[3][IRL__NEAR_LENGTH + 1];
    size_t   i, j;
    for (j = 0; j <= n; j++) row[0][j] = (unsigned)j;
    for (i = 1; i <= m; i++) {
        unsigned *now = row[i % 3], *above = row[(i + 2) % 3], *above2 = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (j = 1; j <= n; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[m % 3][n];
}

typedef struct irl__near {
    const char *wanted;
    size_t      wanted_length;
    const char *best;
    size_t      best_length;
    unsigned    distance;
} irl__near;

static void irl__near_try(irl__near *n, const char *text, size_t length)
{
    unsigned d;
    if (!length || length > IRL__NEAR_LENGTH || length > n->wanted_length + 2 ||
        n->wanted_length > length + 2)
        return;
    d = irl__near_distance(n->wanted, n->wanted_length, text, length);
    if (d >= n->distance) return;
    n->distance = d;
    n->best = text;
    n->best_length = length;
}

static void irl__near_symbols(irl__parser *p, irl__near *n)
{
    uint32_t k;
    for (k = 0; k < p->symbol_capacity; k++)
        if (p->symbols[k] && p->symbols[k]->binding.kind != IRL__UNBOUND)
            irl__near_try(n, p->symbols[k]->text, p->symbols[k]->length);
}

static void irl__near_functions(irl__near *n)
{
    int k;
    for (k = 0; k < (int)IRL__OP_COUNT; k++) {
        const irl__op_row *row = irl__op_info((irl_op)k);
        if (row->form == IRL_FORM_CALL || row->form == IRL_FORM_SPECIAL)
            irl__near_try(n, row->text, strlen(row->text));
    }
    for (k = 0; k < (int)IRL__SCALAR_COUNT; k++) {
        const char *text = irl__type_info(irl_type_of((irl_scalar)k, 1))->text;
        irl__near_try(n, text, strlen(text));
    }
}

const char *irl__type_of_c(const irl__token *name)
{
    static const char *const rows[][2] = {
        { "float", "f32" },       { "double", "f64" },     { "half", "f16" },
        { "char", "i8" },         { "short", "i16" },      { "int", "i32" },
        { "long", "i64" },        { "unsigned", "u32" },   { "uchar", "u8" },
        { "ushort", "u16" },      { "uint", "u32" },       { "ulong", "u64" },
        { "int8_t", "i8" },       { "int16_t", "i16" },    { "int32_t", "i32" },
        { "int64_t", "i64" },     { "uint8_t", "u8" },     { "uint16_t", "u16" },
        { "uint32_t", "u32" },    { "uint64_t", "u64" },   { "size_t", "index" },
        { "ptrdiff_t", "index" }, { "float2", "f32x2" },   { "float4", "f32x4" },
        { "float8", "f32x8" },    { "float16", "f32x16" }, { "half4", "f16x4" },
        { "half8", "f16x8" },     { "uchar4", "u8x4" },    { "int4", "i32x4" },
    };
    size_t k;
    if (name->kind != IRL__TOKEN_NAME || name->is_quoted) return NULL;
    for (k = 0; k < IRL__COUNTOF(rows); k++)
        if (strlen(rows[k][0]) == name->symbol->length &&
            memcmp(rows[k][0], name->symbol->text, name->symbol->length) == 0)
            return rows[k][1];
    return NULL;
}

int irl__unknown_name(irl__parser *p, const irl__token *name, const char *what)
{
    char        found[48], meant[80];
    const char *of_c = irl__type_of_c(name);
    /* (f32)x, (float)x */
    int is_cast =
        strcmp(what, "variable") == 0 && !name->is_quoted && (of_c || name->symbol->is_type);
    irl__text   t;
    irl__near   n;
    if (!irl__ok(p->cx)) return 0;
    irl__text_init_fixed(&t, found, sizeof found);
    irl__text_append(&t, name->symbol->text, name->symbol->length);
    memset(&n, 0, sizeof n);
    n.wanted = name->symbol->text;
    n.wanted_length = name->symbol->length;
    n.distance = 2 + (unsigned)(n.wanted_length / 4); /* a nearer one is worth saying */
    if (n.wanted_length <= IRL__NEAR_LENGTH) {
        if (strcmp(what, "function") == 0) irl__near_functions(&n);
        else irl__near_symbols(p, &n);
    }
    if (of_c) n.best = of_c, n.best_length = strlen(of_c);
    else if (is_cast) n.best = n.wanted, n.best_length = n.wanted_length;
    irl__text_init_fixed(&t, meant, sizeof meant);
    if (n.best) {
        irl__text_puts(&t, is_cast ? "; a cast is written like a call: " : "; is '");
        irl__text_append(&t, n.best, n.best_length);
        irl__text_puts(&t, is_cast ? "(...)" : "' meant?");
    }
    if (name->symbol->binding.kind != IRL__UNBOUND)
        return irl__fail(p->cx, IRL_ERROR_TYPE_MISMATCH, irl__loc_at(p, name->offset),
                         "'%s' is not a %s", found, what);
    return irl__fail(p->cx, IRL_ERROR_UNKNOWN_NAME, irl__loc_at(p, name->offset),
                     "there is no %s '%s' here%s", what, found, meant);
}
