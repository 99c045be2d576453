/* parse_extern.c - reading the prototype of an external function.

   needs     parse_expr.c
   promises  the names of its parameters are visible only in it; the verifier checks its parts */
#include "parse_func.h"

/* reads, or reads(n), behind a pointer */
static int irl__parse_touched(irl__parser *p, int *is_said, const irl_expr **count)
{
    if (*is_said) return irl__unexpected(p, "',' or ')': it is stated already");
    *is_said = 1;
    irl__next(p);
    if (!irl__accept(p, '(')) return irl__ok(p->cx);
    *count = irl__parse_index(p);
    return *count && irl__expect(p, ')', "')' after the number of elements");
}

/* name: type, of which the name is declared if *var is NULL */
static int irl__parse_extern_name(irl__parser *p, const irl_expr **var)
{
    irl__token name;
    irl_type   type;
    if (!irl__expect_name(p, &name, "a parameter: n: index, or x: ptr(f32, global) reads(n)") ||
        !irl__expect(p, ':', "':' and the parameter's type") || !irl__parse_type(p, &type))
        return 0;
    if (!*var) *var = irl__declare_var(p, &name, type);
    return *var != NULL;
}

/* All names first: how much is read through a pointer may be said by what stands behind it. */
static irl_extern_param *irl__parse_extern_params(irl__parser *p)
{
    irl__token        first = p->token;
    irl_extern_param *list = NULL, one;
    memset(&one, 0, sizeof one);
    while (irl__another(p, ')', stbds_arrlen(list), "',' and the next parameter, or ')'")) {
        one.var = NULL;
        if (!irl__parse_extern_name(p, &one.var) || !IRL__PUSH(p->cx, list, one)) return NULL;
        irl__parse_skip_param(p);
    }
    if (!irl__ok(p->cx)) return NULL;
    irl__back_to(p, &first);
    for (int k = 0; k < (int)stbds_arrlen(list); k++) {
        if (k) irl__next(p);
        if (!irl__parse_extern_name(p, &list[k].var)) return NULL;
        for (;;) {
            if (irl__at_word(p, IRL__WORD_READS)) {
                if (!irl__parse_touched(p, &list[k].reads, &list[k].read_count)) return NULL;
            } else if (irl__at_word(p, IRL__WORD_WRITES)) {
                if (!irl__parse_touched(p, &list[k].writes, &list[k].write_count)) return NULL;
            } else break;
        }
        if (!(p->token.kind == ',' || p->token.kind == ')' ||
              irl__unexpected(p, "reads, writes, ',' and the next parameter, or ')'")))
            return NULL;
    }
    return list;
}

int irl__parse_extern(irl__parser *p, irl__extern **list)
{
    irl__extern x;
    memset(&x, 0, sizeof x);
    irl__next(p);
    x.loc = irl__here(p);
    x.is.name = irl__expect_symbol(p, "the name of a function");
    if (!x.is.name || !irl__expect(p, '(', "'(' and the parameters of the function")) return 0;
    size_t            scope = irl__scope_open(p);
    irl_extern_param *params = irl__parse_extern_params(p);
    irl__scope_close(p, scope);
    x.is.params = params;
    x.is.count = (int)stbds_arrlen(params);
    if (!irl__expect(p, ')', "')' after the parameters") ||
        !irl__expect(p, ':', "':' and what the function returns") ||
        !irl__parse_type(p, &x.is.type))
        return 0;
    x.is.is_pure = irl__accept_word(p, IRL__WORD_PURE);
    const irl__extern *known = (const irl__extern *)irl__ptr_map_get(&p->externs, x.is.name);
    if (known) return irl__extern_again(p->cx, known, &x);
    irl__extern *kept = IRL__COPY(p->cx, irl__extern, &x, 1);
    return kept && irl__ptr_map_put(p->cx, &p->externs, x.is.name, kept) &&
           IRL__PUSH(p->cx, *list, x);
}
