/* pyexpr.h - reads expressions as the recorded files write them: Python, with // and % for floor
   division and modulo. i32 stands for a mathematical integer there, so it is read as index. */
#ifndef IRL_TEST_PYEXPR_H
#define IRL_TEST_PYEXPR_H

#include <ctype.h>

enum { PY_MOST_VARS = 64 };

typedef struct py_reader {
    irl_ctx        *cx;
    const char     *at;
    const irl_expr *vars[PY_MOST_VARS];
    int             var_count;
    int             failed;
} py_reader;

static const irl_expr *py_or(py_reader *r);

static void py_space(py_reader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

static int py_word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int py_eat(py_reader *r, const char *token)
{
    size_t n = strlen(token);
    py_space(r);
    if (strncmp(r->at, token, n) != 0 || (py_word_char(token[0]) && py_word_char(r->at[n])))
        return 0;
    r->at += n;
    return 1;
}

static const irl_expr *py_fail(py_reader *r)
{
    r->failed = 1;
    return NULL;
}

static irl_type py_type(const char *name, size_t length)
{
    static const struct { const char *py; irl_scalar scalar;
    } rows[] = {
        { "int32", IRL_INDEX }, { "int64", IRL_INDEX }, { "int8", IRL_I8 },
        { "uint32", IRL_U32 },  { "uint8", IRL_U8 },    { "uint1", IRL_BOOL },
        { "float32", IRL_F32 }, { "float16", IRL_F16 }, { "bool", IRL_BOOL },
    };
    size_t k, n;
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        n = strlen(rows[k].py);
        if (n <= length && strncmp(rows[k].py, name, n) == 0 && (n == length || name[n] == 'x'))
            return irl_type_of(rows[k].scalar, n == length ? 1 : atoi(name + n + 1));
    }
    return irl_type_of(IRL_INDEX, 1);
}

static const irl_expr *py_var(py_reader *r, const char *name, size_t length, irl_type type)
{
    char buffer[64];
    int  k;
    if (length >= sizeof buffer) return py_fail(r);
    memcpy(buffer, name, length);
    buffer[length] = '\0';
    for (k = r->var_count - 1; k >= 0; k--) /* the innermost of a name */
        if (strcmp(r->vars[k]->u.name, buffer) == 0) return r->vars[k];
    if (r->var_count == PY_MOST_VARS) return py_fail(r);
    r->vars[r->var_count] = irl_expr_var(r->cx, buffer, type);
    return r->vars[r->var_count++];
}

static const irl_expr *py_call(py_reader *r, const char *name, size_t length)
{
    static const struct { const char *name; irl_op op; int count;
    } rows[] = {
        { "min", IRL_OP_MIN, 2 },
        { "max", IRL_OP_MAX, 2 },
        { "truncdiv", IRL_OP_TRUNCDIV, 2 },
        { "truncmod", IRL_OP_TRUNCMOD, 2 },
        { "select", IRL_OP_SELECT, 3 },
        { "if_then_else", IRL_OP_IF_THEN_ELSE, 3 },
        { "shift_right", IRL_OP_SHR, 2 },
        { "shift_left", IRL_OP_SHL, 2 },
        { "bitwise_and", IRL_OP_BITAND, 2 },
        { "floordiv", IRL_OP_FLOORDIV, 2 },
        { "floormod", IRL_OP_FLOORMOD, 2 },
    };
    const irl_expr *a[4];
    size_t          k;
    int             n = 0;
    /* let(x = 1, body): x is a new variable there */
    if (length == 3 && strncmp(name, "let", 3) == 0) {
        const char *b;
        py_space(r);
        b = r->at;
        while (py_word_char(*r->at)) r->at++;
        a[0] = irl_expr_var(r->cx, "x", irl_type_of(IRL_INDEX, 1));
        if ((size_t)(r->at - b) != 1 || !py_eat(r, "=")) return py_fail(r);
        a[1] = py_or(r);
        if (!py_eat(r, ",")) return py_fail(r);
        r->vars[r->var_count++] = a[0];
        a[2] = py_or(r);
        r->var_count--;
        return py_eat(r, ")") ? irl_expr_let(r->cx, a[0], a[1], a[2]) : py_fail(r);
    }
    do {
        if (n == 4) return py_fail(r);
        a[n++] = py_or(r);
        if (r->failed) return NULL;
    } while (py_eat(r, ","));
    if (!py_eat(r, ")")) return py_fail(r);
    if (length == 4 && strncmp(name, "ramp", 4) == 0 && n == 3 && a[2]->op == IRL_OP_INT)
        return irl_expr_ramp(r->cx, a[0], a[1], (int)a[2]->u.i);
    if (length == 9 && strncmp(name, "broadcast", 9) == 0 && n == 2 && a[1]->op == IRL_OP_INT)
        return irl_expr_broadcast(r->cx, a[0], (int)a[1]->u.i);
    if (length > 5 && strncmp(name, "cast[", 5) == 0 && n == 1)
        return irl_expr_cast(r->cx, py_type(name + 5, length - 6), a[0]);
    for (k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (strlen(rows[k].name) == length && strncmp(rows[k].name, name, length) == 0 &&
            rows[k].count == n)
            return irl__expr_op(r->cx, rows[k].op, n, a, irl__nowhere());
    return py_fail(r);
}

static const irl_expr *py_primary(py_reader *r)
{
    const irl_expr *e;
    const char     *begin;
    char           *end;
    py_space(r);
    if (r->failed) return NULL;
    if (py_eat(r, "(")) {
        e = py_or(r);
        return py_eat(r, ")") ? e : py_fail(r);
    }
    if (*r->at == '-') {
        r->at++;
        e = py_primary(r);
        return !e                    ? NULL
               : e->op == IRL_OP_INT ? irl_expr_int(r->cx, e->type, -e->u.i)
                                     : irl_expr_op1(r->cx, IRL_OP_NEG, e);
    }
    begin = r->at;
    if (isdigit((unsigned char)*begin)) {
        long long v = strtoll(begin, &end, 10);
        r->at = end;
        if (*end != '.') return irl_expr_index(r->cx, v);
        e = irl_expr_float(r->cx, irl_type_of(IRL_F32, 1), strtod(begin, &end));
        r->at = end;
        return e;
    }
    while (py_word_char(*r->at)) r->at++;
    if (r->at == begin) return py_fail(r);
    if (*r->at == '[') /* cast[int32] */
        while (*r->at && r->at[-1] != ']') r->at++;
    if (*r->at == '(') {
        size_t length = (size_t)(r->at - begin);
        r->at++;
        return py_call(r, begin, length);
    }
    if (r->at[-1] == ']') return py_fail(r);
    if (r->at - begin == 4 && strncmp(begin, "True", 4) == 0) return irl__bool(r->cx, 1);
    if (r->at - begin == 5 && strncmp(begin, "False", 5) == 0) return irl__bool(r->cx, 0);
    return py_var(r, begin, (size_t)(r->at - begin), irl_type_of(IRL_INDEX, 1));
}

/* A constant beside an operand of another type is of that type. */
static void py_match(py_reader *r, const irl_expr **a, const irl_expr **b)
{
    int k;
    for (k = 0; k < 2 && *a && *b; k++) {
        const irl_expr **x = k ? a : b, *y = k ? *b : *a;
        if ((*x)->op == IRL_OP_INT && (*x)->type.scalar != y->type.scalar && y->type.lanes == 1)
            *x = irl_expr_int(r->cx, y->type, (*x)->u.i);
    }
}

typedef struct py_level {
    const char *token;
    irl_op      op;
} py_level;

static const irl_expr *py_binary(py_reader *r, irl_op op, const irl_expr *a, const irl_expr *b)
{
    if (!a || !b) return NULL;
    py_match(r, &a, &b);
    if (op == IRL_OP_FLOORDIV && irl__type_is_float(a->type)) op = IRL_OP_DIV;
    return irl_expr_op2(r->cx, op, a, b);
}

static const irl_expr *py_product(py_reader *r)
{
    const irl_expr *e = py_primary(r);
    while (!r->failed) {
        irl_op op;
        if (py_eat(r, "//")) op = IRL_OP_FLOORDIV;
        else if (py_eat(r, "%")) op = IRL_OP_FLOORMOD;
        else if (py_eat(r, "*")) op = IRL_OP_MUL;
        else return e;
        e = py_binary(r, op, e, py_primary(r));
    }
    return e;
}

static const irl_expr *py_sum(py_reader *r)
{
    const irl_expr *e = py_product(r);
    while (!r->failed) {
        irl_op op;
        if (py_eat(r, "+")) op = IRL_OP_ADD;
        else if (py_eat(r, "-")) op = IRL_OP_SUB;
        else return e;
        e = py_binary(r, op, e, py_product(r));
    }
    return e;
}

static const irl_expr *py_bits(py_reader *r)
{
    const irl_expr *e = py_sum(r);
    while (!r->failed) {
        irl_op op;
        if (py_eat(r, "<<")) op = IRL_OP_SHL;
        else if (py_eat(r, ">>")) op = IRL_OP_SHR;
        else if (py_eat(r, "&")) op = IRL_OP_BITAND;
        else if (py_eat(r, "^")) op = IRL_OP_BITXOR;
        else if (py_eat(r, "|")) op = IRL_OP_BITOR;
        else return e;
        e = py_binary(r, op, e, py_sum(r));
    }
    return e;
}

static const irl_expr *py_compare(py_reader *r)
{
    static const py_level levels[] = { { "==", IRL_OP_EQ }, { "!=", IRL_OP_NE },
                                       { "<=", IRL_OP_LE }, { ">=", IRL_OP_GE },
                                       { "<", IRL_OP_LT },  { ">", IRL_OP_GT } };
    const irl_expr       *e = py_bits(r);
    size_t                k = 0;
    while (!r->failed && k < sizeof levels / sizeof levels[0]) {
        for (k = 0; k < sizeof levels / sizeof levels[0]; k++)
            if (py_eat(r, levels[k].token)) {
                e = py_binary(r, levels[k].op, e, py_bits(r));
                break;
            }
    }
    return e;
}

static const irl_expr *py_not(py_reader *r)
{
    if (py_eat(r, "not")) return irl_expr_op1(r->cx, IRL_OP_NOT, py_not(r));
    return py_compare(r);
}

static const irl_expr *py_and(py_reader *r)
{
    const irl_expr *e = py_not(r);
    while (!r->failed && py_eat(r, "and")) e = irl_expr_op2(r->cx, IRL_OP_AND, e, py_not(r));
    return e;
}

static const irl_expr *py_or(py_reader *r)
{
    const irl_expr *e = py_and(r);
    while (!r->failed && py_eat(r, "or")) e = irl_expr_op2(r->cx, IRL_OP_OR, e, py_and(r));
    return e;
}

/* The whole text, or NULL. */
static const irl_expr *py_expr(py_reader *r, const char *text)
{
    const irl_expr *e;
    r->at = text;
    r->failed = 0;
    e = py_or(r);
    py_space(r);
    return r->failed || *r->at ? NULL : e;
}

#endif
