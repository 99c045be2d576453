/* parse_hints.c - what to write instead of a text of another language, or of a type that does not
   fit: hints that replace the general one of a syntax or type error.

   needs     lex.c, diag.c
   promises  a hint names the right text, with the operands as they were written if these are
             short */
#include "parse.h"

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
    for (size_t k = 0; k < IRL__COUNTOF(rows); k++)
        if (irl__token_is(name, rows[k][0])) return rows[k][1];
    return NULL;
}

/* Whether the last sign before the current token is one of these. */
static int irl__hint_after(const irl__parser *p, const char *signs)
{
    uint32_t k = p->token.offset;
    while (k > 0 && strchr(" \t\r\n", p->text[k - 1])) k--;
    return k > 0 && strchr(signs, p->text[k - 1]) != NULL;
}

int irl__hint_unexpected(irl__parser *p, const char *expected)
{
    static const char loop[] = "a loop is written for (i: 16) y[i] = ...; or, from 2 to 5, for "
                               "(i: 2 .. 6) ...; the range excludes its end, and a step may "
                               "follow, (i: 0 .. n : 2)";
    static const char record[] = "a record is written record rgb bytes(2) { b: u5; g: u6; "
                                 "r: u5; }; after the type of a field may come [extents], "
                                 "strides(...), offset(...), bits(msb) and when(mode == 3)";
    static const char let[] = "let binds one name; a value and its index are stored together, "
                              "v[i], k[i] = argmax(j: n, x[i, j]);";
    static const struct {
        const char *found; /* NULL: anything */
        const char *after; /* the sign before it is one of these; NULL: any */
        const char *expected, *hint;
    } rows[] = {
        { "[", "]", "", "write all indices in one pair of brackets, x[i, j]" },
        { "*", "*", "an expression",
          "there is no operator **: write x * x, or pow(x, y) of floats" },
        { ":", "[,", "an expression",
          "there are no slices: write a loop over the axis, for (j: n) y[j] = x[i, j];" },
        { ":", NULL, "the next index",
          "there are no slices: write a loop over the axis, for (j: 1 .. 3) y[j] = x[i, j];" },
        { NULL, NULL, "the extent of the loop", loop },
        { NULL, NULL, "the ranges of a reduction",
          "write a range first, sum(k: n, x[i, k]): there are no slices, and no sums of arrays" },
        { ":", NULL, "another range", "a step follows the end of a range, for (i: 0 .. n : 2)" },
        { NULL, NULL, "'(', parallel, vectorized", loop },
        { "(", NULL, "the name that let binds", let },
        { ",", NULL, "'=' and a value", let },
        { "+", NULL, "'=' and the value that is stored", "write y[i] += 1 to add to an element" },
        { "-", NULL, "'=' and the value that is stored", "write y[i] -= 1" },
        { "break", NULL, "a statement",
          "there is no break: the first i that fits is min(i: n, x[i] > 0 ? i : n); or put the "
          "body into if (...)" },
        { "continue", NULL, "a statement", "there is no continue: put what follows into if (...)" },
        { "return", NULL, "a statement",
          "a function stores its results in parameters, y[i] = ...; a single one in y: f32[]" },
        { "while", NULL, "a statement",
          "there is no while: a loop has a range, for (i: n), and may have if (...) in it" },
        { "do", NULL, "a statement",
          "there is no do: a loop has a range, for (i: n), and may have if (...) in it" },
        { "switch", NULL, "a statement", "there is no switch: write if (...) ... else if (...)" },
        { NULL, NULL, "for, or the store of a reduction",
          "write let s = ...; to name a value, or alloc s: f32[16]; for memory; a label is written "
          "before a loop, name: for (i: 8) ..." },
        { NULL, NULL, "a statement: name",
          "write let t = ...; to name a value; a number that changes is memory: alloc s: f32[]; "
          "s[] = 0;" },
        { NULL, NULL, "'[' and a shape", "a buffer with one element is written s: f32[]" },
        { "->", NULL, "'{'",
          "a function stores its results in parameters, y[i] = ...; a single one in y: f32[]" },
        { NULL, NULL, "the parameter's type",
          "a parameter is written name: type[extents], as in x: f32[8]; a scalar a: f32" },
        { NULL, NULL, "func, host func", "write func f(x: f32[8]) { for (i: 8) x[i] = 0; }" },
        { NULL, NULL, "record, its name", record },
        { NULL, NULL, "bytes(...)", record },
        { NULL, NULL, "the field", record },
        { NULL, NULL, "bits(...), when(...)", record },
        { NULL, NULL, "a field of this record before", record },
        { NULL, NULL, "';' at the end of the statement",
          "write ; after each statement, also after the last one before }" },
    };
    for (size_t k = 0; k < IRL__COUNTOF(rows); k++) {
        if (rows[k].found && (p->token.length != strlen(rows[k].found) ||
                              memcmp(p->text + p->token.offset, rows[k].found, p->token.length)))
            continue;
        if (strstr(expected, rows[k].expected) &&
            (!rows[k].after || irl__hint_after(p, rows[k].after)))
            return irl__hint(p->cx, "%s", rows[k].hint);
    }
    return 0;
}

int irl__hint_assigned(irl__parser *p, int is_param)
{
    const irl__symbol *s = p->token.symbol;
    const char        *of_c = s && s->is_type ? s->text : irl__type_of_c(&p->token);
    if (of_c)
        return irl__hint(p->cx, "write let t = ...; for a value that does not change, or alloc t: "
                                "%s[]; t[] = ...; for one that does", of_c);
    if (s->binding.kind == IRL__DECLARED_BUFFER)
        return irl__hint(p->cx, "write %s[%s] = ...", s->text,
                         s->binding.buffer->rank ? "..." : "");
    if (s->binding.kind != IRL__DECLARED_VAR || s->binding.var->type.is_pointer) return 0;
    irl_type type = s->binding.var->type;
    if (type.scalar == IRL_INDEX) type = irl_type_of(IRL_I64, 1);
    if (is_param)
        return irl__hint(p->cx, "'%s' is a parameter that is passed by value: declare %s: %s[], "
                                "and write %s[] = ...",
                         s->text, s->text, irl__type_cstr(p->cx, type), s->text);
    return irl__hint(p->cx, "'%s' is a value, which does not change: write alloc %s: %s[]; "
                            "%s[] = ...; and %s[] wherever it is used",
                     s->text, s->text, irl__type_cstr(p->cx, type), s->text, s->text);
}

/* ------------------------------------------------------------------ types that do not fit */

void irl__hint_written(const char *in, uint32_t from, uint32_t to, char *text, size_t capacity)
{
    irl__text t;
    irl__text_init_fixed(&t, text, capacity);
    while (to > from && in[to - 1] == ' ') to--;
    if (to - from >= capacity || memchr(in + from, '\n', to - from)) to = from;
    if (to == from) irl__text_puts(&t, "...");
    else irl__text_append(&t, in + from, to - from);
}

void irl__hint_operand(const char *in, uint32_t from, uint32_t to, char *text, size_t capacity)
{
    int depth = 0, choices = 0; /* of c ? a : b, outside of parentheses */
    for (uint32_t k = from; k < to; k++) {
        const char c = in[k];
        uint32_t   rest = k + 1;
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (depth == 0) choices += (c == '?') - (c == ':');
        while (rest < to && in[rest] == ' ') rest++;
        if (depth < 0 && c == ')' && rest < to && in[rest] != ',' && in[rest] != ':') {
            while (from > 0 && in[--from] != '(') {}
            depth = 0;
        } else if (depth < 0 || choices < 0 || (depth == 0 && c == ',')) to = k;
    }
    irl__hint_written(in, from, to, text, capacity);
}

/* A bool and a number: a choice, which the product is most likely meant to be, or the number that
   the bool becomes. */
static int irl__hint_bool(irl__parser *p, irl_op op, const irl_expr *const *a,
                          char (*text)[40])
{
    const int   at = a[0]->type.scalar != IRL_BOOL;
    const char *type = irl__type_cstr(p->cx, a[!at]->type);
    if (op != IRL_OP_MUL || !irl__type_is_float(a[!at]->type))
        return irl__hint(p->cx, "write %s(%s)", type, text[at]);
    return irl__hint(p->cx, "write select(%s, %s, 0); or %s(%s), if the product of an infinity or "
                            "NaN with 0 shall be NaN", text[at], text[!at], type, text[at]);
}

int irl__hint_operands(irl__parser *p, irl_op op, int count, const irl_expr *const *a,
                       const irl__value *v, uint32_t where)
{
    char           text[2][40];
    irl_type       types[2];
    const uint32_t end = count == 2 && where <= v[0].offset ? v[1].offset : where; /* of a call */
    if (count > 2) return 0;
    for (int k = 0; k < count; k++) {
        types[k] = a[k]->type;
        if (types[k].is_pointer || types[k].lanes != 1) return 0;
        irl__hint_operand(p->text, v[k].offset, k == count - 1 ? p->token_end : end, text[k],
                          sizeof text[k]);
    }
    if (count == 1)
        return irl__op_info(op)->rule == IRL_RULE_SAME_FLOAT && irl__type_is_integer(types[0])
                   ? irl__hint(p->cx, "write f32(%s)", text[0]) : 0;
    if ((types[0].scalar == IRL_BOOL) != (types[1].scalar == IRL_BOOL) &&
        irl__op_info(op)->rule != IRL_RULE_BOOL)
        return irl__hint_bool(p, op, a, text);
    const int side = irl__type_cast_side(types[0], types[1]);
    if (side < 0 || types[0].scalar == types[1].scalar) return 0;
    return irl__hint(p->cx, "write %s(%s) for the %s operand", irl__type_cstr(p->cx, types[!side]),
                     text[side], side ? "right" : "left");
}
