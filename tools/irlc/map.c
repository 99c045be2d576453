/* map.c - `irlc map`: where points go. */
#include "irlc.h"

#include <stdlib.h>

static void print_line(const char *title, const irl_shape *s)
{
    say("%-10s ", title);
    print_shape(s);
    say("\n");
}

/* The groups between separators, each flattened row-major: extents, or the place of a point. 0 if
   something overflows. */
static int flatten(const irl_map *map, const irl_shape *physical, const irl_shape *point,
                   irl_shape *out)
{
    int separators[IRL_MAX_RANK], count = irl_map_separators(map, separators, IRL_MAX_RANK), k,
                                  next = 0;
    memset(out, 0, sizeof *out);
    for (k = 0; k < physical->rank; k++) {
        int64_t extent = physical->extent[k], *total;
        if (k == 0 || (next < count && separators[next] == k)) {
            next += k != 0;
            out->extent[out->rank++] = point ? 0 : 1;
        }
        total = &out->extent[out->rank - 1];
        if (extent < 0 || (extent && *total > INT64_MAX / extent - (point != NULL))) return 0;
        if (point && (point->extent[k] < 0 || point->extent[k] >= extent)) return 0;
        *total = *total * extent + (point ? point->extent[k] : 0);
    }
    return 1;
}

/* The first and the last bit of element n: of byte bit[0], bit bit[1] from the least significant
   one, to byte bit[2], bit bit[3]. 0: they leave 63 bits. */
static int bits_of(const irl_bit_element *e, int64_t n, int64_t bit[4])
{
    const int64_t stride = e->stride ? e->stride : e->bits;
    int           k;
    if (n > (INT64_MAX - e->offset - e->bits) / stride) return 0;
    for (k = 0; k < 2; k++) {
        const int64_t at = e->offset + n * stride + (k ? e->bits - 1 : 0);
        bit[2 * k] = at / 8;
        bit[2 * k + 1] = e->order == IRL_BITS_MSB ? 7 - at % 8 : at % 8;
    }
    return 1;
}

/* The number of the element in a place. */
static int64_t number_of(const irl_shape *memory, const irl_shape *place)
{
    int64_t n = 0;
    int     k;
    for (k = 0; k < place->rank; k++) n = n * memory->extent[k] + place->extent[k];
    return n;
}

irlc_status command_map(const irlc_args *args)
{
    irl_shape      shape, physical, minimum, buffer, point, at, memory, place, separators;
    const irl_map *map;
    irlc_json      j = { args->cx, 0 };
    irlc_status    status = read_map_and_shape(args, &map, &shape);
    int            has_point = args->count > 2, list[IRL_MAX_RANK], is_flat, is_placed, k;
    int            has_bits = has(args, OPT_TYPE);
    int64_t        bit[4];
    irl_type       type;
    irl_bit_element        element;
    const irl_bit_element *bits;
    if (status == IRLC_YES) status = read_element(args, &type, &element, &bits);
    if (status != IRLC_YES) return status;
    if (!bits) { /* whole bytes, as their bits */
        memset(&element, 0, sizeof element);
        const char *digits = strpbrk(irl_type_text(args->cx, type), "1368");
        element.bits = digits ? atoi(digits) : type.scalar == IRL_BOOL ? 8 : 64;
        element.bits *= (int)type.lanes;
    }
    if (has_point && !read_shape(args->item[2], &point))
        return bad_input(args, "a point is written 0,3,1,15; found", args->item[2]);
    for (k = 0; has_point && k < shape.rank && k < point.rank; k++)
        if (point.extent[k] < 0 || point.extent[k] >= shape.extent[k])
            return bad_input(args, "the point is not in the shape", args->item[2]);
    map = irl_map_of_rank(args->cx, map, shape.rank);
    if (!map || !irl_map_shape(args->cx, map, shape, &physical, &minimum) ||
        !irl_map_memory(args->cx, map, shape, &buffer))
        return failed(args);
    if (has_point && !irl_map_apply(args->cx, map, point, &at)) return failed(args);
    is_flat = flatten(map, &buffer, NULL, &memory);
    is_placed = has_point && is_flat && flatten(map, &buffer, &at, &place);
    has_bits = has_bits && is_placed && bits_of(&element, number_of(&memory, &place), bit);
    memset(&separators, 0, sizeof separators);
    separators.rank = irl_map_separators(map, list, IRL_MAX_RANK);
    for (k = 0; k < separators.rank; k++) separators.extent[k] = list[k];

    if (has(args, OPT_JSON)) {
        json_open(&j, '{');
        json_text(&j, "map", irl_map_text(args->cx, map));
        json_shape(&j, "shape", &shape);
        json_shape(&j, "min", &minimum);
        json_shape(&j, "physical", &physical);
        json_shape(&j, "buffer", &buffer);
        json_shape(&j, "separators", &separators);
        json_shape(&j, "memory", is_flat ? &memory : NULL);
        json_shape(&j, "point", has_point ? &point : NULL);
        json_shape(&j, "at", has_point ? &at : NULL);
        json_shape(&j, "place", is_placed ? &place : NULL);
        if (has_bits) {
            json_int(&j, "byte", bit[0]);
            json_int(&j, "bit", bit[1]);
            json_int(&j, "last_byte", bit[2]);
            json_int(&j, "last_bit", bit[3]);
        }
        json_end(&j);
        return IRLC_YES;
    }
    print_line("physical", &physical);
    for (k = 0; k < minimum.rank && minimum.extent[k] == 0; k++) continue;
    if (k < minimum.rank) print_line("minimum", &minimum);
    for (k = 0; k < buffer.rank && buffer.extent[k] == physical.extent[k]; k++) continue;
    if (k < buffer.rank) print_line("buffer", &buffer);
    if (separators.rank) print_line("separators", &separators);
    if (is_flat) print_line("memory", &memory);
    if (has_point) print_line("point", &point);
    if (has_point) print_line("goes to", &at);
    if (is_placed) print_line("in memory", &place);
    if (has_bits) {
        say("%-10s bit %ld of byte %ld", "bits", (long)bit[1], (long)bit[0]);
        if (bit[0] != bit[2] || bit[1] != bit[3])
            say(" to bit %ld of byte %ld", (long)bit[3], (long)bit[2]);
        say("\n");
    }
    return IRLC_YES;
}
