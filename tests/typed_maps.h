/* typed_maps.h - random maps with casts between all types of integers, choices, lets that are used
   or not, divisions by what may be zero, numbers at the ends of 64 bits, and names for extents and
   within the map. For tests that include random64.h and hostile_maps.h. */
#ifndef IRL_TYPED_MAPS_H
#define IRL_TYPED_MAPS_H

enum { TYPED_NAMES = 2, TYPED_INPUTS = 3 };

static const irl_scalar typed_scalars[] = { IRL_I8, IRL_I16, IRL_I32, IRL_I64, IRL_U8,
                                            IRL_U16, IRL_U32, IRL_U64, IRL_INDEX };
enum { TYPED_SCALARS = sizeof typed_scalars / sizeof typed_scalars[0] };

/* What expressions are made of. */
typedef struct typed_scope {
    irl_ctx        *cx;
    int             count;                /* inputs, and names if the shape is symbolic */
    const irl_expr *var[TYPED_INPUTS + TYPED_NAMES + 4]; /* and of lets around, of any type */
} typed_scope;

static irl_type typed_index(void) { return irl_type_of(IRL_INDEX, 1); }

static irl_type typed_some(void)
{
    return irl_type_of(typed_scalars[random_below(TYPED_SCALARS)], 1);
}

static const irl_expr *typed_cast(typed_scope *s, irl_type type, const irl_expr *e)
{
    return e && irl_type_equal(irl_expr_type(e), type) ? e : irl_expr_cast(s->cx, type, e);
}

/* A small number, mostly; of a narrow type what is left of it. */
static const irl_expr *typed_constant(typed_scope *s, irl_type type)
{
    int64_t v = random_below(4) ? random_below(12) - 1 : hostile_constant();
    if (type.scalar != IRL_INDEX && type.scalar != IRL_I64) v &= 0x7f;
    return irl_expr_int(s->cx, type, v);
}

static const irl_expr *typed_expr(typed_scope *s, irl_type type, int depth);

static const irl_expr *typed_leaf(typed_scope *s, irl_type type)
{
    if (random_below(3) == 0) return typed_constant(s, type);
    return typed_cast(s, type, s->var[random_below(s->count)]);
}

static const irl_expr *typed_condition(typed_scope *s, int depth)
{
    irl_type        type = random_below(2) ? typed_index() : typed_some();
    const irl_expr *a = typed_expr(s, type, depth), *c;
    c = irl_expr_op2(s->cx, (irl_op)(IRL_OP_EQ + random_below(6)), a, typed_expr(s, type, depth));
    if (random_below(8) == 0) return irl_expr_cast(s->cx, irl_type_of(IRL_BOOL, 1), a);
    if (depth == 0 || random_below(3))
        return random_below(6) ? c : irl_expr_op1(s->cx, IRL_OP_NOT, c);
    return irl_expr_op2(s->cx, random_below(2) ? IRL_OP_AND : IRL_OP_OR, c,
                        typed_condition(s, depth - 1));
}

/* let(v = value, body), where the body may or may not use v. */
static const irl_expr *typed_let(typed_scope *s, irl_type type, int depth)
{
    irl_type        of = random_below(2) ? typed_index() : typed_some();
    const irl_expr *value = typed_expr(s, of, depth), *var = irl_expr_var(s->cx, "v", of), *body;
    int             used = random_below(3) && s->count < (int)(sizeof s->var / sizeof s->var[0]);
    if (used) s->var[s->count++] = var;
    body = typed_expr(s, type, depth);
    s->count -= used;
    return irl_expr_let(s->cx, var, value, body);
}

static const irl_expr *typed_expr(typed_scope *s, irl_type type, int depth)
{
    static const irl_op ops[] = { IRL_OP_ADD,      IRL_OP_ADD,      IRL_OP_SUB,
                                  IRL_OP_MUL,      IRL_OP_MUL,      IRL_OP_FLOORDIV,
                                  IRL_OP_FLOORMOD, IRL_OP_FLOORDIV, IRL_OP_FLOORMOD,
                                  IRL_OP_TRUNCDIV, IRL_OP_TRUNCMOD, IRL_OP_MIN,
                                  IRL_OP_MAX,      IRL_OP_BITAND,   IRL_OP_BITOR,
                                  IRL_OP_BITXOR,   IRL_OP_SHL,      IRL_OP_SHR };
    static const irl_op unary[] = { IRL_OP_NEG, IRL_OP_ABS, IRL_OP_BITNOT };
    const irl_expr     *a, *b;
    int                 kind = random_below(14);
    if (depth == 0 || kind < 2) return typed_leaf(s, type);
    if (kind == 2) return typed_let(s, type, depth - 1);
    if (kind < 6) return typed_cast(s, type, typed_expr(s, typed_some(), depth - 1));
    if (kind == 6 && random_below(2))
        return irl_expr_cast(s->cx, type, typed_condition(s, depth - 1));
    a = typed_expr(s, type, depth - 1);
    if (kind == 6) return irl_expr_op1(s->cx, unary[random_below(3)], a);
    b = random_below(2) ? typed_constant(s, type) : typed_expr(s, type, depth - 1);
    if (kind > 7)
        return irl_expr_op2(s->cx, ops[random_below((int)(sizeof ops / sizeof ops[0]))], a, b);
    return irl_expr_op3(s->cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE,
                        typed_condition(s, depth - 1), a, b);
}

/* ------------------------------------------------------------------ what a layout may look like */

/* e, on its way through other types and lets: the same value where that fits. */
static const irl_expr *typed_dressed(typed_scope *s, const irl_expr *e, int depth)
{
    const irl_expr *var, *value;
    irl_type        of;
    switch (depth ? random_below(7) : 6) {
    case 0: case 1: return typed_cast(s, typed_index(), typed_cast(s, typed_some(), e));
    case 2: /* a let that is used */
        of = random_below(2) ? typed_index() : typed_some();
        var = irl_expr_var(s->cx, "v", of);
        e = irl_expr_let(s->cx, var, typed_cast(s, of, e), typed_cast(s, typed_index(), var));
        return typed_dressed(s, e, depth - 1);
    case 3: /* one that is not */
        var = irl_expr_var(s->cx, "v", typed_index());
        value = irl_expr_op2(s->cx, random_below(2) ? IRL_OP_FLOORDIV : IRL_OP_MUL,
                             typed_constant(s, typed_index()), s->var[random_below(s->count)]);
        return irl_expr_let(s->cx, var, value, typed_dressed(s, e, depth - 1));
    case 4:
        return irl_expr_op3(s->cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE,
                            typed_condition(s, 1), typed_dressed(s, e, depth - 1),
                            random_below(2) ? e : typed_expr(s, typed_index(), 1));
    default: return e;
    }
}

/* A divisor or stride: a number, a name, or a part of a name that may be 0. */
static const irl_expr *typed_radix(typed_scope *s, int inputs)
{
    const irl_expr *n;
    if (s->count == inputs || random_below(2)) return irl_expr_index(s->cx, 1 + random_below(8));
    n = s->var[inputs + random_below(s->count - inputs)];
    switch (random_below(6)) {
    case 0:
        return irl_expr_op2(s->cx, IRL_OP_FLOORDIV, n, irl_expr_index(s->cx, 1 + random_below(4)));
    case 1: return irl_expr_op2(s->cx, IRL_OP_SUB, n, irl_expr_index(s->cx, random_below(4)));
    case 2: return irl_expr_op2(s->cx, IRL_OP_MUL, n, irl_expr_index(s->cx, 1 + random_below(4)));
    default: return n;
    }
}

static const irl_expr *typed_layout(typed_scope *s, int inputs)
{
    irl_ctx        *cx = s->cx;
    const irl_expr *i = s->var[random_below(inputs)], *j = s->var[random_below(inputs)];
    const irl_expr *c = typed_radix(s, inputs), *d = typed_radix(s, inputs);
    i = typed_dressed(s, i, 2);
    j = typed_dressed(s, j, 1);
    switch (random_below(9)) {
    case 0: return i;
    case 1: return irl_expr_op2(cx, IRL_OP_FLOORDIV, i, c);
    case 2: return irl_expr_op2(cx, IRL_OP_FLOORMOD, i, c);
    case 3: case 4: return irl_expr_op2(cx, IRL_OP_ADD, irl_expr_op2(cx, IRL_OP_MUL, i, c), j);
    case 5: return irl_expr_op2(cx, IRL_OP_ADD, i, c);
    case 6:
        return irl_expr_op2(cx, IRL_OP_SUB, irl_expr_op2(cx, IRL_OP_SUB, c, irl_expr_index(cx, 1)),
                            i);
    case 7: return irl_expr_op2(cx, IRL_OP_FLOORMOD, irl_expr_op2(cx, IRL_OP_ADD, i, d), c);
    default:
        return irl_expr_op2(cx, IRL_OP_ADD,
                            irl_expr_op2(cx, IRL_OP_MUL, irl_expr_op2(cx, IRL_OP_FLOORDIV, i, c),
                                         d),
                            irl_expr_op2(cx, IRL_OP_FLOORMOD, i, c));
    }
}

/* ------------------------------------------------------------------ maps */

typedef struct typed_question {
    irl_ctx        *cx;
    const irl_map  *map;                    /* NULL where a constructor refused */
    int             rank, is_symbolic;
    irl_shape       shape;                  /* numbers */
    const irl_expr *names[TYPED_NAMES];     /* N, M */
    const irl_expr *extents[TYPED_INPUTS];  /* symbolic */
} typed_question;

static const irl_expr *typed_extent(typed_question *q)
{
    irl_ctx        *cx = q->cx;
    const irl_expr *n = q->names[random_below(TYPED_NAMES)];
    switch (random_below(8)) {
    case 0: return irl_expr_op2(cx, IRL_OP_MUL, n, irl_expr_index(cx, 1 + random_below(4)));
    case 1: return irl_expr_op2(cx, IRL_OP_MUL, n, q->names[random_below(TYPED_NAMES)]);
    case 2: return irl_expr_op2(cx, IRL_OP_ADD, n, irl_expr_index(cx, random_below(4) - 1));
    case 3: return irl_expr_op2(cx, IRL_OP_FLOORDIV, n, irl_expr_index(cx, 1 + random_below(4)));
    case 4: return irl_expr_index(cx, 1 + random_below(9));
    default: return n;
    }
}

static int64_t typed_number(void)
{
    switch (random_below(8)) {
    case 0: return hostile_extent();
    case 1: return 200 + random_below(400); /* beyond a byte */
    default: return 1 + random_below(12);
    }
}

static typed_question typed_make(irl_ctx *cx)
{
    static const char *const inputs[] = { "i", "j", "k" }, *const names[] = { "N", "M" };
    const irl_expr          *in[TYPED_INPUTS], *out[4];
    typed_question           q;
    typed_scope              s;
    int                      k, outputs = 1 + random_below(3), wild = random_below(4) == 0, now;
    memset(&q, 0, sizeof q);
    memset(&s, 0, sizeof s);
    q.cx = s.cx = cx;
    q.rank = 1 + random_below(TYPED_INPUTS);
    q.is_symbolic = random_below(2);
    for (k = 0; k < TYPED_NAMES; k++) q.names[k] = irl_expr_var(cx, names[k], typed_index());
    q.shape.rank = q.rank;
    for (k = 0; k < q.rank; k++) {
        s.var[s.count++] = in[k] = irl_expr_var(cx, inputs[k], typed_index());
        q.shape.extent[k] = typed_number();
        q.extents[k] = typed_extent(&q);
    }
    if (q.is_symbolic && random_below(2))
        for (k = 0; k < TYPED_NAMES; k++) s.var[s.count++] = q.names[k];
    if (!wild && outputs < q.rank && random_below(4)) outputs = q.rank; /* mostly injective */
    for (k = 0; k < outputs; k++) {
        now = wild ? 2 : random_below(8);
        if (now == 0) out[k] = typed_expr(&s, typed_index(), 2);
        else if (wild) out[k] = typed_expr(&s, typed_index(), 1 + random_below(3));
        else if (now < 4) out[k] = typed_dressed(&s, in[k < q.rank ? k : 0], 2);
        else out[k] = typed_layout(&s, q.rank);
    }
    q.map = irl_map_new(cx, q.rank, in, outputs, out, 0, NULL);
    return q;
}

#endif
