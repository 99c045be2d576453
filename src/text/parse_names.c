/* parse_names.c - what all parts of the parser share: expecting a token, opening and closing
   scopes, declaring names.

   needs     lex.c
   promises  when a scope closes, every name has its outer meaning again; an unknown name is a
             diagnostic with the nearest one that exists */
#include "parse.h"

/* ------------------------------------------------------------------ expecting */

/* The words that a list of what is expected offers: what stands before a comma, a parenthesis, an
   "or" or the end. */
static void irl__near_offered(irl__near *n, const char *expected)
{
    const char *at = expected;
    if (!strchr(expected, ',') && !strstr(expected, " or ")) return;
    for (; *at; at++) {
        const char *end = at;
        while ((*end >= 'a' && *end <= 'z') || *end == '_') end++;
        if (end == at) continue;
        if (!*end || *end == ',' || *end == '(' || strncmp(end, " or ", 4) == 0)
            irl__near_try(n, at, (size_t)(end - at));
        at = end - 1;
    }
}

static int irl__unexpected_at(irl__parser *p, irl_loc loc, const char *expected)
{
    char      found[64];
    irl__near nearest;
    if (!irl__ok(p->cx)) return 0;
    const size_t capacity = sizeof found;
    irl__text    t;
    irl__text_init_fixed(&t, found, capacity);
    if (p->token.kind == IRL__TOKEN_END) irl__text_puts(&t, "the end of the text");
    else {
        irl__text_putc(&t, '\'');
        irl__text_append(&t, p->text + p->token.offset,
                         p->token.length < 40 ? p->token.length : 40);
        irl__text_putc(&t, '\'');
    }
    memset(&nearest, 0, sizeof nearest);
    if (p->token.kind == IRL__TOKEN_NAME) {
        irl__near_begin(&nearest, p->token.symbol->text, p->token.symbol->length);
        irl__near_offered(&nearest, expected);
    }
    irl__fail(p->cx, IRL_ERROR_SYNTAX, loc, "expected %s; found %s%s", expected, found,
              irl__near_said(&nearest));
    return p->warner.unexpected ? p->warner.unexpected(p, expected) : 0;
}

int irl__unexpected(irl__parser *p, const char *expected)
{
    return irl__unexpected_at(p, irl__here(p), expected);
}

/* Where a sign is missing: behind what was read last, if what was found begins another line. */
static irl_loc irl__missing(const irl__parser *p)
{
    const uint32_t end = p->token_end, at = p->token.offset; /* end > at: after a look ahead */
    return end < at && memchr(p->text + end, '\n', at - end) ? irl__loc_at(p, end) : irl__here(p);
}

int irl__accept(irl__parser *p, int kind)
{
    if (p->token.kind != kind) return 0;
    irl__next(p);
    return 1;
}

int irl__expect(irl__parser *p, int kind, const char *expected)
{
    if (p->token.kind != kind) return irl__unexpected_at(p, irl__missing(p), expected);
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

int irl__another(irl__parser *p, int close, ptrdiff_t count, const char *expected)
{
    return !irl__accept(p, close) && (!count || irl__expect(p, ',', expected));
}

const char *irl__expect_symbol(irl__parser *p, const char *expected)
{
    if (p->token.kind != IRL__TOKEN_NAME)
        return irl__unexpected(p, expected), (const char *)NULL;
    const char *name = p->token.symbol->text;
    irl__next(p);
    return name;
}

int irl__expect_end(irl__parser *p)
{
    return p->token.kind == IRL__TOKEN_END ? irl__ok(p->cx)
                                           : irl__unexpected(p, "the end of the text");
}

int irl__parse_end(irl__parser *p)
{
    int ok = irl__expect_end(p);
    irl__scratch_end(p->cx, p->mark);
    return ok;
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
    if (symbol->binding.kind != IRL__UNDECLARED && symbol->binding.level == p->level)
        return IRL__FAIL_AT(p, IRL_ERROR_DUPLICATE_NAME, offset, "'%s' is declared already in this "
                            "scope", symbol->text);
    const irl__shadow shadow = { symbol, symbol->binding };
    if (!IRL__STACK_PUSH(p->cx, p->shadows, p->shadow_count, p->shadow_capacity, shadow)) return 0;
    symbol->binding = binding;
    symbol->binding.level = p->level;
    return 1;
}

int irl__declare_as_var(irl__parser *p, irl__symbol *symbol, const irl_expr *var, uint32_t offset)
{
    const irl__binding b = { IRL__DECLARED_VAR, 0, var, NULL, NULL };
    return var && irl__declare(p, symbol, b, offset);
}

const irl_expr *irl__declare_var(irl__parser *p, const irl__token *name, irl_type type)
{
    const irl_expr *var = irl_expr_var(p->cx, name->symbol->text, type);
    return irl__declare_as_var(p, name->symbol, var, name->offset) ? var : NULL;
}

int irl__declare_buffer(irl__parser *p, const irl__token *name, const irl_buffer *buffer)
{
    const irl__binding b = { IRL__DECLARED_BUFFER, 0, NULL, buffer, NULL };
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

const char *irl__hides(irl__parser *p, const irl_expr *e)
{
    size_t k = p->shadow_count;
    if (!e || e->op != IRL_OP_VAR) return "";
    while (k-- > 0) {
        const irl__binding *now = &p->shadows[k].symbol->binding, *outer = &p->shadows[k].outer;
        if (now->kind != IRL__DECLARED_VAR || now->var != e || outer->kind != IRL__DECLARED_VAR)
            continue;
        return irl__text_or_empty(irl__format(
            p->cx, "; this '%s', of type %s, hides an outer one of type %s", e->u.name,
            irl__type_cstr(p->cx, e->type), irl__type_cstr(p->cx, outer->var->type)));
    }
    return "";
}

/* ------------------------------------------------------------------ names that are not there */

void irl__near_types(irl__near *n)
{
    for (int k = 0; k < (int)IRL__SCALAR_COUNT; k++) {
        const char *text = irl__type_info(irl_type_of((irl_scalar)k, 1))->text;
        irl__near_try(n, text, strlen(text));
    }
}

/* How a function of other languages is written here; NULL: it is none of those. */
static const char *irl__operator_of(const irl__token *name)
{
    static const char *const rows[][2] = {
        { "floordiv", "x / y" },       { "floor_div", "x / y" }, { "floormod", "x % y" },
        { "floor_mod", "x % y" },      { "mod", "x % y" },       { "indexdiv", "x / y" },
        { "indexmod", "x % y" },       { "shift_left", "x << y" },
        { "shift_right", "x >> y" },   { "if_then_else", "c ? x : y" },
        { "logical_and", "x && y" },   { "logical_or", "x || y" },
        { "clamp", "min(max(x, low), high)" }, { "relu", "max(x, 0)" },
        { "where", "c ? x : y" },      { "lerp", "x + t * (y - x)" },
        { "mix", "x + t * (y - x)" },
    };
    for (size_t k = 0; k < IRL__COUNTOF(rows); k++)
        if (irl__token_is(name, rows[k][0])) return rows[k][1];
    return NULL;
}

int irl__unknown_name(irl__parser *p, const irl__token *name, const char *what)
{
    char        found[48], meant[80];
    const char *operator_ = strcmp(what, "function") == 0 ? irl__operator_of(name) : NULL;
    const char *of_c = irl__type_of_c(name);
    /* (f32)x, (float)x */
    int is_cast =
        strcmp(what, "variable") == 0 && !name->is_quoted && (of_c || name->symbol->is_type);
    irl__text t;
    irl__near n;
    if (!irl__ok(p->cx)) return 0;
    irl__text_init_fixed(&t, found, sizeof found);
    irl__text_append(&t, name->symbol->text, name->symbol->length);
    irl__near_begin(&n, name->symbol->text, name->symbol->length);
    if (strcmp(what, "function") == 0) {
        for (int k = 0; k < (int)IRL__OP_COUNT; k++) {
            const irl__op_row *row = irl__op_info((irl_op)k);
            if (row->form == IRL_FORM_CALL || row->form == IRL_FORM_SPECIAL)
                irl__near_try(&n, row->text, strlen(row->text));
        }
        for (int k = 0; irl__sugar_name(k); k++)
            irl__near_try(&n, irl__sugar_name(k), strlen(irl__sugar_name(k)));
        irl__near_types(&n);
        for (const irl__symbol *s = p->newest; s; s = s->older)
            if (s->fn) irl__near_try(&n, s->text, s->length);
    } else {
        for (const irl__symbol *s = p->newest; s; s = s->older)
            if (s->binding.kind != IRL__UNDECLARED) irl__near_try(&n, s->text, s->length);
    }
    if (of_c) n.best = of_c, n.best_length = strlen(of_c);
    else if (is_cast) n.best = n.wanted, n.best_length = n.wanted_length;
    irl__text_init_fixed(&t, meant, sizeof meant);
    if (operator_) irl__textf(&t, "; it is written %s", operator_);
    else if (n.best) {
        irl__text_puts(&t, is_cast ? "; a cast is written like a call: " : "; is '");
        irl__text_append(&t, n.best, n.best_length);
        irl__text_puts(&t, is_cast ? "(...)" : "' meant?");
    }
    if (name->symbol->binding.kind != IRL__UNDECLARED)
        return IRL__FAIL_AT(p, IRL_ERROR_TYPE_MISMATCH, name->offset, "'%s' is not a %s", found,
                            what);
    IRL__FAIL_AT(p, IRL_ERROR_UNKNOWN_NAME, name->offset, "there is no %s '%s' here%s", what, found,
                 meant);
    if (of_c || is_cast)
        return irl__hint(p->cx, "write %s(...): types are called i32, u8, f32, f64, index",
                         of_c ? of_c : found);
    if (operator_) return irl__hint(p->cx, "write %s", operator_);
    if (strcmp(what, "function") != 0) return 0;
    return irl__hint(p->cx, "use a function that docs/grammar.md lists; or define one before the "
                            "parameters, fn %s(x: f32) -> f32 = ...; or declare an external one "
                            "after them, extern %s(x: f32): f32", found, found);
}
