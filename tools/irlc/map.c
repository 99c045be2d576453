/* map.c - `irlc map`: where points go. */
#include "irlc.h"

#include <stdlib.h>

static void print_line(irl_ctx *cx, const char *title, const irl_shape *s)
{
    if (s->rank < 0) return;
    say("%-10s ", title);
    print_shape(cx, s);
    say("\n");
}

int flatten(const irlc_args *args, const irlc_names *names, const irl_map *map,
            const irl_shape *memory, const irl_shape *cell, const irl_expr **list, irl_shape *out)
{
    irl_ctx        *cx = args->cx;
    int             separators[IRL_MAX_RANK], rank = 0, next = 0, is_number = 1;
    const int       count = irl_map_separators(map, separators, IRL_MAX_RANK);
    for (int k = 0; k < memory->rank; k++) {
        if (k == 0 || (next < count && separators[next] == k)) {
            next += k != 0;
            list[rank++] = irl_expr_index(cx, cell ? 0 : 1);
        }
        const irl_expr **total = &list[rank - 1];
        *total = irl_expr_op2(cx, IRL_OP_MUL, *total, extent_of(cx, memory, k));
        if (cell) *total = irl_expr_op2(cx, IRL_OP_ADD, *total, extent_of(cx, cell, k));
        if (cell && !cell->named && cell->extent[k] < 0) return 0;
        is_number &= !memory->named && (!cell || !cell->named);
    }
    for (int k = 0; k < rank; k++) {
        list[k] = simple_of(args, names, list[k]);
        if (!list[k] || (is_number && irl_expr_op(list[k]) != IRL_OP_INT)) return 0;
    }
    *out = irl_shape_of(rank, list);
    return 1;
}

/* The number of the element in a place, and from it the first and the last bit: of byte bit[0], bit
   bit[1] from the least significant one, to byte bit[2], bit bit[3]. */
static int bits_of(const irlc_args *args, const irlc_names *names, const irl_bit_element *e,
                   const irl_shape *memory, const irl_shape *place, const irl_expr *bit[4])
{
    irl_ctx        *cx = args->cx;
    const irl_expr *n = irl_expr_index(cx, 0), *eight = irl_expr_index(cx, 8);
    for (int k = 0; k < place->rank; k++)
        n = irl_expr_op2(cx, IRL_OP_ADD, irl_expr_op2(cx, IRL_OP_MUL, n, extent_of(cx, memory, k)),
                         extent_of(cx, place, k));
    n = irl_expr_op2(cx, IRL_OP_MUL, n, irl_expr_index(cx, e->stride ? e->stride : e->bits));
    for (int k = 0; k < 2; k++) {
        const irl_expr *at = irl_expr_op2(cx, IRL_OP_ADD, n,
                                          irl_expr_index(cx, e->offset + (k ? e->bits - 1 : 0)));
        bit[2 * k] = irl_expr_op2(cx, IRL_OP_FLOORDIV, at, eight);
        bit[2 * k + 1] = irl_expr_op2(cx, IRL_OP_FLOORMOD, at, eight);
        if (e->order == IRL_BITS_MSB)
            bit[2 * k + 1] = irl_expr_op2(cx, IRL_OP_SUB, irl_expr_index(cx, 7), bit[2 * k + 1]);
    }
    for (int k = 0; k < 4; k++) {
        bit[k] = simple_of(args, names, bit[k]);
        if (!bit[k] || (!memory->named && irl_expr_op(bit[k]) != IRL_OP_INT)) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ a point */

/* Reads the point, which has a place in the shape for the values of names for which `where` is
   true; NULL: for all. */
static irlc_status read_point(const irlc_args *args, irlc_question *q, const irl_expr **list,
                              irl_shape *point, const irl_expr **where)
{
    irl_ctx    *cx = args->cx;
    irlc_status status = read_named_shape(args, &q->names, args->item[2],
                                          "a point is written 0,3,1,15; found", 0, list, point);
    *where = NULL;
    for (int k = 0; status == IRLC_YES && k < q->shape.rank && k < point->rank; k++) {
        const irl_expr *p = extent_of(cx, point, k);
        const irl_expr *inside =
            irl_expr_op2(cx, IRL_OP_AND, irl_expr_op2(cx, IRL_OP_GE, p, irl_expr_index(cx, 0)),
                         irl_expr_op2(cx, IRL_OP_LT, p, extent_of(cx, &q->shape, k)));
        inside = simple_of(args, &q->names, inside);
        if (!inside) return failed(args);
        if (irl_expr_op(inside) != IRL_OP_INT)
            *where = *where ? irl_expr_op2(cx, IRL_OP_AND, *where, inside) : inside;
        else if (!irl_expr_int_value(inside))
            return bad_input(args, "the point is not in the shape", args->item[2]);
    }
    return status;
}

/* Where a point goes. */
static irlc_status apply(const irlc_args *args, const irlc_question *q, const irl_shape *point,
                         const irl_expr **list, irl_shape *at)
{
    const irl_expr *from[IRL_MAX_RANK], *to[IRL_MAX_RANK];
    int             is_named = point->named != NULL || point->rank != q->shape.rank;
    for (int k = 0; k < q->names.count; k++)
        is_named |= q->names.range[k].lo != q->names.range[k].hi;
    if (!is_named || point->rank != q->shape.rank)
        return irl_map_apply(args->cx, q->map, *point, at) ? IRLC_YES : failed(args);
    for (int k = 0; k < point->rank; k++) {
        from[k] = irl_map_input(q->map, k);
        to[k] = extent_of(args->cx, point, k);
    }
    for (int k = 0; k < irl_map_output_count(q->map); k++) {
        list[k] = irl_expr_substitute(args->cx, irl_map_output(q->map, k), point->rank, from, to);
        list[k] = simple_of(args, &q->names, list[k]);
        if (!list[k]) return failed(args);
    }
    *at = irl_shape_of(irl_map_output_count(q->map), list);
    return IRLC_YES;
}

/* ------------------------------------------------------------------ the command */

/* What there is to say; ranks of shapes are -1 where nothing is. */
typedef struct irlc_answer {
    irl_shape       physical, minimum, buffer, separators, memory, point, at, place;
    const irl_expr *where;
    const irl_expr *bit[4]; /* bit[0] NULL: none */
} irlc_answer;

static void print_json(const irlc_args *args, const irlc_question *q, const irlc_answer *a)
{
    static const char *const keys[] = { "byte", "bit", "last_byte", "last_bit" };
    const struct {
        const char      *key;
        const irl_shape *shape;
    } shapes[] = { { "shape", &q->shape },       { "min", &a->minimum },
                   { "physical", &a->physical }, { "buffer", &a->buffer },
                   { "separators", &a->separators }, { "memory", &a->memory },
                   { "point", &a->point },       { "at", &a->at },
                   { "place", &a->place } };
    irlc_json j = { args->cx, 0 };
    json_open(&j, '{');
    json_text(&j, "map", irl_map_text(args->cx, q->map));
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        json_shape(&j, shapes[k].key, shapes[k].shape->rank >= 0 ? shapes[k].shape : NULL);
    if (q->shape.named)
        json_text(&j, "where", a->where ? irl_expr_text(args->cx, a->where) : NULL);
    for (size_t k = 0; a->bit[0] && k < 4; k++) {
        const irl_shape one = irl_shape_of(1, &a->bit[k]);
        if (one.extent[0] >= 0) json_int(&j, keys[k], one.extent[0]);
        else json_text(&j, keys[k], irl_expr_text(args->cx, a->bit[k]));
    }
    json_end(&j);
}

static void print_answer(const irlc_args *args, const irlc_answer *a)
{
    const irl_shape *p = &a->physical;
    const char      *bit[4];
    int              is_moved = 0, is_larger = 0;
    for (int k = 0; k < p->rank; k++) {
        is_moved |= a->minimum.extent[k] != 0;
        is_larger |= a->buffer.extent[k] != p->extent[k] ||
                     (p->named && a->buffer.named &&
                      strcmp(irl_expr_text(args->cx, a->buffer.named[k]),
                             irl_expr_text(args->cx, p->named[k])) != 0);
    }
    print_line(args->cx, "physical", p);
    if (is_moved) print_line(args->cx, "minimum", &a->minimum);
    if (is_larger) print_line(args->cx, "buffer", &a->buffer);
    if (a->separators.rank) print_line(args->cx, "separators", &a->separators);
    print_line(args->cx, "memory", &a->memory);
    print_line(args->cx, "point", &a->point);
    if (a->where) say("%-10s %s\n", "where", irl_expr_text(args->cx, a->where));
    print_line(args->cx, "goes to", &a->at);
    print_line(args->cx, "in memory", &a->place);
    if (!a->bit[0]) return;
    for (int k = 0; k < 4; k++) bit[k] = irl_expr_text(args->cx, a->bit[k]);
    say("%-10s bit %s of byte %s", "bits", bit[1], bit[0]);
    if (strcmp(bit[0], bit[2]) != 0 || strcmp(bit[1], bit[3]) != 0)
        say(" to bit %s of byte %s", bit[3], bit[2]);
    say("\n");
}

irlc_status command_map(const irlc_args *args)
{
    const irl_expr *memory[IRL_MAX_RANK], *place[IRL_MAX_RANK], *point[IRL_MAX_RANK],
        *at[IRL_MAX_RANK];
    irlc_question   q;
    irlc_answer     a;
    int                    list[IRL_MAX_RANK];
    irl_type        type;
    irl_bit_element        element;
    const irl_bit_element *bits;
    irlc_status            status = read_question(args, &q, NULL);
    memset(&a, 0, sizeof a);
    a.memory.rank = a.point.rank = a.at.rank = a.place.rank = -1;
    if (status == IRLC_YES) status = read_element(args, &type, &element, &bits);
    if (status == IRLC_YES && args->count > 2)
        status = read_point(args, &q, point, &a.point, &a.where);
    if (status != IRLC_YES) return status;
    if (!bits) { /* whole bytes, as their bits */
        memset(&element, 0, sizeof element);
        const char *digits = strpbrk(irl_type_text(args->cx, type), "1368");
        element.bits = digits ? atoi(digits) : type.scalar == IRL_BOOL ? 8 : 64;
        element.bits *= (int)type.lanes;
    }
    q.map = irl_map_of_rank(args->cx, q.map, q.shape.rank);
    if (!q.map || !irl_map_shape(args->cx, q.map, q.shape, &a.physical, &a.minimum) ||
        !irl_map_memory(args->cx, q.map, q.shape, &a.buffer))
        return failed(args);
    if (args->count > 2) status = apply(args, &q, &a.point, at, &a.at);
    if (status != IRLC_YES) return status;
    if (!flatten(args, &q.names, q.map, &a.buffer, NULL, memory, &a.memory)) a.memory.rank = -1;
    else if (a.at.rank >= 0 &&
             flatten(args, &q.names, q.map, &a.buffer, &a.at, place, &a.place)) {
        if (!has(args, OPT_TYPE) ||
            !bits_of(args, &q.names, &element, &a.memory, &a.place, a.bit))
            a.bit[0] = NULL;
    } else a.place.rank = -1;
    a.separators.rank = irl_map_separators(q.map, list, IRL_MAX_RANK);
    for (int k = 0; k < a.separators.rank; k++) a.separators.extent[k] = list[k];
    if (!irl_ok(args->cx)) return failed(args);
    if (has(args, OPT_JSON)) print_json(args, &q, &a);
    else print_answer(args, &a);
    return IRLC_YES;
}
