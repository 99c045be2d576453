/* hostile_maps.h - maps made to break the arithmetic. For tests that include random64.h. */
#ifndef IRL_HOSTILE_MAPS_H
#define IRL_HOSTILE_MAPS_H

/* ----------------------------------------------------------- hostile numbers and expressions */

static const int64_t hostile_extents[] = { 0,
                                           1,
                                           2,
                                           3,
                                           4,
                                           5,
                                           7,
                                           8,
                                           16,
                                           64,
                                           100,
                                           INT64_C(1) << 31,
                                           (INT64_C(1) << 32) - 1,
                                           (INT64_C(1) << 32) + 1,
                                           INT64_C(1) << 40,
                                           INT64_C(1) << 61,
                                           INT64_C(1) << 62,
                                           INT64_MAX - 1,
                                           INT64_MAX };
static const int64_t hostile_constants[] = { 0,
                                             1,
                                             -1,
                                             2,
                                             -2,
                                             3,
                                             4,
                                             7,
                                             8,
                                             63,
                                             64,
                                             100,
                                             INT64_C(1) << 31,
                                             -(INT64_C(1) << 31),
                                             (INT64_C(1) << 32) - 1,
                                             (INT64_C(1) << 32) + 1,
                                             INT64_C(1) << 40,
                                             INT64_C(1) << 62,
                                             -(INT64_C(1) << 62),
                                             INT64_MAX,
                                             -INT64_MAX,
                                             INT64_MIN };
enum {
    HOSTILE_EXTENTS = sizeof hostile_extents / sizeof hostile_extents[0],
    HOSTILE_CONSTANTS = sizeof hostile_constants / sizeof hostile_constants[0]
};

static int64_t hostile_constant(void)
{
    return hostile_constants[random_below(random_below(2) ? HOSTILE_CONSTANTS : 12)];
}
static int64_t hostile_extent(void)
{
    return hostile_extents[random_below(random_below(3) ? 11 : HOSTILE_EXTENTS)];
}

/* A point of such numbers. */
static irl_shape hostile_point(int rank)
{
    irl_shape at;
    int       k;
    memset(&at, 0, sizeof at);
    at.rank = rank;
    for (k = 0; k < rank; k++) at.extent[k] = hostile_constant();
    return at;
}

static const irl_expr *hostile_condition(irl_ctx *cx, int count, const irl_expr *const *vars,
                                         int depth);

static const irl_expr *hostile_expr(irl_ctx *cx, int count, const irl_expr *const *vars, int depth)
{
    static const irl_op ops[] = {
        IRL_OP_ADD,      IRL_OP_ADD,      IRL_OP_SUB,      IRL_OP_MUL,      IRL_OP_MUL,
        IRL_OP_FLOORDIV, IRL_OP_FLOORDIV, IRL_OP_FLOORMOD, IRL_OP_FLOORMOD, IRL_OP_TRUNCDIV,
        IRL_OP_TRUNCMOD, IRL_OP_MIN,      IRL_OP_MAX,      IRL_OP_BITAND,   IRL_OP_BITOR,
        IRL_OP_BITXOR,   IRL_OP_BITXOR,   IRL_OP_SHL,      IRL_OP_SHR
    };
    static const irl_op unary[] = { IRL_OP_NEG, IRL_OP_ABS, IRL_OP_BITNOT };
    const irl_expr     *a, *b, *c;
    int                 kind = random_below(12);
    if (depth == 0 || kind == 0)
        return random_below(3) ? vars[random_below(count)] : irl_expr_index(cx, hostile_constant());
    a = hostile_expr(cx, count, vars, depth - 1);
    if (kind == 1) return irl_expr_op1(cx, unary[random_below(3)], a);
    b = random_below(2) ? irl_expr_index(cx, hostile_constant())
                        : hostile_expr(cx, count, vars, depth - 1);
    if (kind > 2)
        return irl_expr_op2(cx, ops[random_below((int)(sizeof ops / sizeof ops[0]))], a, b);
    c = hostile_condition(cx, count, vars, depth - 1);
    return irl_expr_op3(cx, random_below(2) ? IRL_OP_SELECT : IRL_OP_IF_THEN_ELSE, c, a, b);
}

static const irl_expr *hostile_condition(irl_ctx *cx, int count, const irl_expr *const *vars,
                                         int depth)
{
    const irl_expr *a = hostile_expr(cx, count, vars, depth),
                   *b = hostile_expr(cx, count, vars, depth), *c;
    c = irl_expr_op2(cx, (irl_op)(IRL_OP_EQ + random_below(6)), a, b);
    if (depth == 0 || random_below(3)) return random_below(6) ? c : irl_expr_op1(cx, IRL_OP_NOT, c);
    return irl_expr_op2(cx, random_below(2) ? IRL_OP_AND : IRL_OP_OR, c,
                        hostile_condition(cx, count, vars, depth - 1));
}

/* A layout's usual parts with unusual numbers: what can be injective. */
static const irl_expr *hostile_layout(irl_ctx *cx, int count, const irl_expr *const *vars)
{
    const irl_expr *i = vars[random_below(count)], *j = vars[random_below(count)];
    int64_t         c = hostile_constant(), d = hostile_constant();
    if (random_below(10)) c += c == 0; /* not always a division by zero */
    switch (random_below(8)) {
    case 0: return i;
    case 1: return irl_expr_op2(cx, IRL_OP_FLOORDIV, i, irl_expr_index(cx, c));
    case 2: return irl_expr_op2(cx, IRL_OP_FLOORMOD, i, irl_expr_index(cx, c));
    case 3:
        return irl_expr_op2(cx, IRL_OP_ADD, irl_expr_op2(cx, IRL_OP_MUL, i, irl_expr_index(cx, c)),
                            j);
    case 4: return irl_expr_op2(cx, IRL_OP_ADD, i, irl_expr_index(cx, c));
    case 5: return irl_expr_op2(cx, IRL_OP_SUB, irl_expr_index(cx, c), i);
    case 6:
        return irl_expr_op2(cx, IRL_OP_BITXOR, i,
                            irl_expr_op2(cx, IRL_OP_SHR, j,
                                         irl_expr_index(cx, random_below(66) - 1)));
    default:
        return irl_expr_op2(
            cx, IRL_OP_ADD,
            irl_expr_op2(cx, IRL_OP_MUL,
                         irl_expr_op2(cx, IRL_OP_FLOORDIV, i, irl_expr_index(cx, c)),
                         irl_expr_index(cx, d)),
            irl_expr_op2(cx, IRL_OP_FLOORMOD, j, irl_expr_index(cx, c)));
    }
}

/* A map and a shape from the next random numbers; NULL where a constructor refused. */
static const irl_map *hostile_map(irl_ctx *cx, irl_shape *shape)
{
    static const char *const names[] = { "i", "j", "k" };
    const irl_expr *in[3], *out[4];
    int count = 1 + random_below(3), outputs = 1 + random_below(3), k, tame = random_below(3);
    memset(shape, 0, sizeof *shape);
    shape->rank = count;
    for (k = 0; k < count; k++) {
        in[k] = irl_expr_var(cx, names[k], irl_type_of(IRL_INDEX, 1));
        shape->extent[k] = hostile_extent();
    }
    for (k = 0; k < outputs; k++)
        out[k] =
            tame ? hostile_layout(cx, count, in) : hostile_expr(cx, count, in, 1 + random_below(4));
    return irl_map_new(cx, count, in, outputs, out, 0, NULL);
}

#endif
