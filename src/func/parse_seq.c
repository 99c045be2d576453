/* parse_seq.c - what the parsers of statements share: annotations, sequences, bodies.

   needs     parse_expr.c; parse_stmt.c for each statement of a sequence
   promises  a name that a body declares ends with it; recursion is bounded */
#include "parse_func.h"

int irl__parse_at_line(irl__parser *p, irl__word word)
{
    const int next = irl__next_char(p);
    return irl__at_word(p, word) && next != '[' && next != ':';
}

/* ------------------------------------------------------------------ annotations */

int irl__parse_annotation(irl__parser *p, irl__annotation *out)
{
    memset(out, 0, sizeof *out);
    if (!irl__expect(p, '(', "'(' and key = value")) return 0;
    out->key = irl__expect_symbol(p, "a key");
    if (!out->key || !irl__expect(p, '=', "'=' and a value")) return 0;
    if (p->token.kind == IRL__TOKEN_STRING) {
        out->text = irl__token_string(p);
        irl__next(p);
        if (!out->text) return 0;
    } else {
        out->value = irl__parse_any(p);
        if (!out->value) return 0;
    }
    return irl__expect(p, ')', "')' after the value");
}

int irl__parse_annotation_of(irl__parser *p, int of_func, irl__annotation **list)
{
    const irl_loc   where = irl__here(p);
    irl__annotation a;
    irl__next(p);
    return irl__parse_annotation(p, &a) && irl__note_check(p->cx, where, of_func, &a) &&
           IRL__PUSH(p->cx, *list, a);
}

/* *list stays NULL if there is none. */
int irl__parse_notes(irl__parser *p, irl__annotation **list)
{
    while (irl__at_word(p, IRL__WORD_NOTE))
        if (!irl__parse_annotation_of(p, 0, list)) return 0;
    return 1;
}

/* ------------------------------------------------------------------ sequences */

int irl__push_stmt(irl__parser *p, const irl_stmt *s)
{
    irl__func_being_read *f = p->func;
    return s && IRL__STACK_PUSH(p->cx, f->stmts, f->stmt_count, f->stmt_capacity, s);
}

const irl_stmt *irl__pop_stmts(irl__parser *p, size_t base)
{
    const int count = (int)(p->func->stmt_count - base);
    p->func->stmt_count = base;
    return irl__stmt_seq(p->cx, count, p->func->stmts + base);
}

const irl_stmt *irl__parse_list(irl__parser *p)
{
    size_t base = p->func->stmt_count;
    while (p->token.kind != '}') {
        if (p->token.kind == IRL__TOKEN_END)
            return irl__unexpected(p, "a statement or '}'"), (const irl_stmt *)NULL;
        if (!irl__push_stmt(p, irl__parse_stmt(p))) return NULL;
    }
    irl__next(p);
    return irl__pop_stmts(p, base);
}

const irl_stmt *irl__parse_braces(irl__parser *p)
{
    uint32_t offset = p->token.offset;
    if (!irl__expect(p, '{', "'{'")) return NULL;
    const irl_stmt *s = irl__parse_list(p);
    if (!s) irl__failed_at(p, offset);
    return s;
}

const irl_stmt *irl__stmt_behind(irl__parser *p, size_t base, const irl_stmt *s)
{
    if (!s || p->func->stmt_count == base) return s;
    if (!irl__push_stmt(p, s)) return NULL;
    return irl__pop_stmts(p, base);
}

const irl_stmt *irl__parse_body(irl__parser *p)
{
    size_t          scope = irl__scope_open(p), base = p->func->stmt_count;
    const irl_stmt *s = p->token.kind == '{' ? irl__parse_braces(p) : irl__parse_stmt(p);
    irl__scope_close(p, scope);
    return irl__stmt_behind(p, base, s);
}

const irl_stmt *irl__parse_semicolon(irl__parser *p, const irl_stmt *s)
{
    return s && irl__expect(p, ';', "';' at the end of the statement") ? s : NULL;
}
