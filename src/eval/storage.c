/* storage.c - memory in the interpreter: bytes, which of them are undefined, and which accesses
   touched them.

   needs     number.c
   promises  an undefined cell stays undefined until it is written; each cell records enough of its
             past to find any two accesses that race */
#include "eval.h"

#include <math.h>

/* ----------------------------------------------------------- names of items, for diagnostics */

static void irl__storage_print_point(irl__text *t, const int64_t extents[3], int64_t place)
{
    for (int k = 0; k < 3; k++) {
        irl__textf(t, k ? ", %l" : "(%l", place % extents[k]);
        place /= extents[k];
    }
    irl__text_putc(t, ')');
}

void irl__eval_name_item(const irl__eval_team *team, uint32_t item, char *text, size_t capacity)
{
    int64_t   place = (int64_t)item - 1, size = team->locals[0] * team->locals[1] * team->locals[2];
    irl__text t;
    irl__text_init_fixed(&t, text, capacity);
    if (!team->is_launch) {
        irl__textf(&t, "iteration %l", place);
        return;
    }
    irl__text_puts(&t, "work-item ");
    irl__storage_print_point(&t, team->locals, place % size);
    irl__text_puts(&t, " of group ");
    irl__storage_print_point(&t, team->groups, place / size);
}

/* ------------------------------------------------------------------ races */

static int irl__race_is_foreign(const irl__eval_team *team, uint32_t item)
{
    return item < team->first || item >= team->end;
}

/* Is an earlier access by `item` at `when` not ordered before one by the current item? */
static int irl__race_unordered(const irl__eval_team *team, uint32_t phase, uint32_t item,
                               uint32_t when)
{
    return item != 0 && item != team->item && when >= team->begin &&
           (when == phase || irl__race_is_foreign(team, item));
}

static int irl__race_fail(irl__interpreter *in, const irl__eval_team *team,
                          const irl__eval_memory *m, size_t cell, uint32_t other, const char *done,
                          const char *does)
{
    char   earlier[96], now[96];
    size_t element = (cell << in->cell_shift) / m->element_bytes;
    irl__eval_name_item(team, other, earlier, sizeof earlier);
    irl__eval_name_item(team, team->item, now, sizeof now);
    if (m->of_bits)
        return IRL__FAIL(in->cx, IRL_ERROR_DATA_RACE, "bit %z of byte %z of the memory of '%s' is "
                         "%s by %s and %s by %s, in no order", cell % 8, cell / 8, m->name, done,
                         earlier, does, now);
    return IRL__FAIL(in->cx, IRL_ERROR_DATA_RACE, "element %z of the memory of '%s' is %s by %s "
                     "and %s by %s, in no fixed order", element, m->name, done, earlier, does, now);
}

static int irl__race_read(irl__interpreter *in, const irl__eval_team *team,
                          const irl__eval_memory *m, irl__eval_access *r, size_t cell)
{
    uint32_t phase = team->phase[m->is_shared];
    if (irl__race_unordered(team, phase, r->writer, r->written))
        return irl__race_fail(in, team, m, cell, r->writer, "written", "read");
    if (r->reader[0] != team->item) {
        /* an earlier reader in another group conflicts with every writer to come: it is the one to
           remember */
        int keep =
            r->reader[1] && r->read[1] >= team->begin && irl__race_is_foreign(team, r->reader[1]);
        if (!keep) {
            r->reader[1] = r->reader[0];
            r->read[1] = r->read[0];
        }
        r->reader[0] = team->item;
    }
    r->read[0] = phase;
    return 1;
}

static int irl__race_write(irl__interpreter *in, const irl__eval_team *team,
                           const irl__eval_memory *m, irl__eval_access *r, size_t cell)
{
    uint32_t phase = team->phase[m->is_shared];
    if (irl__race_unordered(team, phase, r->writer, r->written))
        return irl__race_fail(in, team, m, cell, r->writer, "written", "written");
    for (int k = 0; k < 2; k++)
        if (irl__race_unordered(team, phase, r->reader[k], r->read[k]))
            return irl__race_fail(in, team, m, cell, r->reader[k], "read", "written");
    r->writer = team->item;
    r->written = phase;
    return 1;
}

typedef int irl__race_rule(irl__interpreter *in, const irl__eval_team *team,
                           const irl__eval_memory *m, irl__eval_access *r, size_t cell);

/* Each parallel level that shares the memory checks for itself. */
static int irl__race_cells(irl__interpreter *in, const irl__eval_memory *m, size_t first,
                           size_t last, irl__race_rule *check)
{
    for (int level = m->level; level < in->team_count; level++) {
        const irl__eval_team *team = &in->teams[level];
        irl__eval_access     *records = m->records + (size_t)(level - m->level) * m->stride;
        for (size_t cell = first; cell <= last; cell++)
            if (!check(in, team, m, &records[cell], cell)) return 0;
    }
    return 1;
}

static int irl__race_check(irl__interpreter *in, const irl__eval_memory *m, size_t at, size_t bytes,
                           irl__race_rule *check)
{
    if (m->of_bits) return irl__race_cells(in, m, 8 * at, 8 * (at + bytes) - 1, check);
    return irl__race_cells(in, m, at >> in->cell_shift, (at + bytes - 1) >> in->cell_shift, check);
}

/* ------------------------------------------------------------------ cells */

int irl__eval_is_undefined(const irl__interpreter *in, const irl__eval_memory *m, size_t at,
                           size_t bytes)
{
    size_t cell, last = (at + bytes - 1) >> in->cell_shift;
    for (cell = at >> in->cell_shift; cell <= last; cell++)
        if (m->is_undefined[cell]) return 1;
    return 0;
}

void irl__eval_mark(const irl__interpreter *in, irl__eval_memory *m, size_t at, size_t bytes,
                    int is_undefined)
{
    size_t cell, last = (at + bytes - 1) >> in->cell_shift;
    for (cell = at >> in->cell_shift; cell <= last; cell++)
        m->is_undefined[cell] = is_undefined ? IRL__EVAL_UNDEFINED : 0;
}

double irl__eval_error(const irl__interpreter *in, const irl__eval_memory *m, irl_type type,
                       size_t at, size_t bytes)
{
    size_t cell, last = (at + bytes - 1) >> in->cell_shift;
    double most = 0;
    for (cell = at >> in->cell_shift; cell <= last; cell++)
        if (m->error[cell] > most) most = m->error[cell];
    return most > 0 && (m->is_mixed || m->error_of != type.scalar) ? HUGE_VAL : most;
}

void irl__eval_set_error(const irl__interpreter *in, irl__eval_memory *m, irl_type type, size_t at,
                         size_t bytes, double error)
{
    size_t cell, last = (at + bytes - 1) >> in->cell_shift;
    for (cell = at >> in->cell_shift; cell <= last; cell++) m->error[cell] = error;
    if (!(error > 0) || m->error_of == type.scalar) return;
    m->is_mixed |= m->error_of != IRL_BOOL;
    m->error_of = type.scalar;
}

/* A number that is undefined in part: where cells are bytes they say which bits are, in the order
   in which they hold it. */
static void irl__storage_read_parts(irl__interpreter *in, const irl__eval_memory *m,
                                    irl_type type, size_t at, uint32_t k, irl__eval_value *value)
{
    irl__partial p;
    p.bits = 0;
    p.undef = UINT64_MAX;
    if (!in->cell_shift && irl__type_is_integer(type)) {
        p.bits = irl__scalar_bits(type, irl__load_scalar(type, m->bytes + at));
        p.undef = irl__scalar_bits(type, irl__load_scalar(type, m->is_undefined + at));
    }
    irl__partial_set(in, type, value, k, p);
}

static void irl__storage_write_parts(const irl__interpreter *in, irl__eval_memory *m, irl_type type,
                                     size_t at, uint32_t k, const irl__eval_value *value)
{
    const irl__partial p = irl__partial_of(in, type, value, k);
    irl__store_scalar(type, m->bytes + at, irl__scalar_of_bits(type, p.bits));
    if (in->cell_shift || !irl__type_is_integer(type))
        irl__eval_mark(in, m, at, (size_t)irl__type_info(type)->bytes, 1);
    else irl__store_scalar(type, m->is_undefined + at, irl__scalar_of_bits(type, p.undef));
}

int irl__eval_read(irl__interpreter *in, irl__eval_memory *m, irl_type type, size_t at,
                   uint32_t first, irl__eval_value *value)
{
    size_t bytes = (size_t)irl__type_info(type)->bytes;
    if (m->level < in->team_count &&
        !irl__race_check(in, m, at, bytes * type.lanes, irl__race_read))
        return 0;
    for (uint32_t k = first; k < first + type.lanes; k++, at += bytes) {
        uint64_t bit = UINT64_C(1) << k;
        if (irl__eval_is_undefined(in, m, at, bytes)) {
            irl__storage_read_parts(in, m, type, at, k, value);
        } else {
            value->undef &= ~bit;
            value->lane[k] = irl__load_scalar(type, m->bytes + at);
        }
        if (m->error) value->error[k].f = irl__eval_error(in, m, type, at, bytes);
    }
    return 1;
}

int irl__eval_write(irl__interpreter *in, irl__eval_memory *m, irl_type type, size_t at,
                    uint32_t first, const irl__eval_value *value)
{
    size_t bytes = (size_t)irl__type_info(type)->bytes;
    if (m->level < in->team_count &&
        !irl__race_check(in, m, at, bytes * type.lanes, irl__race_write))
        return 0;
    m->is_written = 1;
    for (uint32_t k = first; k < first + type.lanes; k++, at += bytes) {
        if (value->undef & UINT64_C(1) << k) irl__storage_write_parts(in, m, type, at, k, value);
        else {
            irl__store_scalar(type, m->bytes + at, value->lane[k]);
            irl__eval_mark(in, m, at, bytes, 0);
        }
        if (m->error) irl__eval_set_error(in, m, type, at, bytes, value->error[k].f);
    }
    return 1;
}

/* ------------------------------------------------------------------ bits */

/* The bytes that hold the element at a bit: what is read and written. */
static size_t irl__bitbuf_bytes(const irl_buffer *b, uint64_t at)
{
    return (size_t)((at + (uint64_t)b->bits - 1) / 8 - at / 8 + 1);
}

/* Bits p .. *next - 1 of the memory, those of p's byte that come before `end`: *low to *high of
   that byte, counted from its least significant one. */
static void irl__bits_in_byte(const irl_buffer *b, uint64_t p, uint64_t end, uint64_t *next,
                              unsigned *low, unsigned *high)
{
    const uint64_t byte_end = p / 8 * 8 + 8;
    *next = byte_end < end ? byte_end : end;
    *low = (unsigned)(p % 8);
    *high = (unsigned)((*next - 1) % 8);
    if (b->bit_order == IRL_BITS_MSB) {
        const unsigned first = *low;
        *low = 7 - *high;
        *high = 7 - first;
    }
}

/* The bits of the element alone, where they have records; else its bytes. */
static int irl__race_bits(irl__interpreter *in, const irl__eval_view *view, uint64_t at,
                            irl__race_rule *check)
{
    const irl_buffer *b = view->buffer;
    const uint64_t    end = at + (uint64_t)b->bits;
    uint64_t          next;
    unsigned          low, high;
    if (view->memory->level >= in->team_count) return 1;
    if (!view->memory->of_bits)
        return irl__race_check(in, view->memory, (size_t)(at / 8), irl__bitbuf_bytes(b, at), check);
    for (uint64_t p = at; p < end; p = next) {
        const size_t byte = (size_t)(p / 8 * 8);
        irl__bits_in_byte(b, p, end, &next, &low, &high);
        if (!irl__race_cells(in, view->memory, byte + low, byte + high, check)) return 0;
    }
    return 1;
}

/* Whether a bit of the element is undefined; from now on all are, or none is, unless is_undefined
   is negative. A program with elements of bits has cells of one byte (survey.c). */
static int irl__bits_undefined(const irl__eval_view *view, uint64_t at, int is_undefined)
{
    const irl_buffer *b = view->buffer;
    const uint64_t    end = at + (uint64_t)b->bits;
    uint64_t          next;
    unsigned          low, high, any = 0;
    for (uint64_t p = at; p < end; p = next) {
        unsigned char *cell = &view->memory->is_undefined[p / 8];
        unsigned own;
        irl__bits_in_byte(b, p, end, &next, &low, &high);
        own = (2u << high) - (1u << low);
        any |= *cell & own;
        if (is_undefined >= 0) *cell = (unsigned char)(is_undefined ? *cell | own : *cell & ~own);
    }
    return any != 0;
}

/* An element that is undefined in part: with its sign, so are the bits above it. */
static void irl__bits_read_parts(irl__interpreter *in, const irl__eval_view *view, uint64_t at,
                                 uint32_t k, irl__eval_value *value)
{
    const irl_buffer *b = view->buffer;
    irl__partial      p;
    p.bits = 0;
    p.undef = UINT64_MAX;
    if (!irl__type_is_float(b->type)) {
        p.bits = irl__scalar_bits(b->type, irl__bitfield_load(b, view->memory->bytes, at));
        p.undef = irl__scalar_bits(b->type, irl__bitfield_load(b, view->memory->is_undefined, at));
    }
    irl__partial_set(in, b->type, value, k, p);
}

static void irl__bits_write_parts(const irl__interpreter *in, const irl__eval_view *view,
                                  uint64_t at, uint32_t k, const irl__eval_value *value)
{
    const irl_buffer  *b = view->buffer;
    const irl__partial p = irl__partial_of(in, b->type, value, k);
    irl__bitfield_store(b, view->memory->bytes, at, irl__scalar_of_bits(b->type, p.bits));
    if (irl__type_is_float(b->type)) (void)irl__bits_undefined(view, at, 1);
    else
        irl__bitfield_store(b, view->memory->is_undefined, at,
                            irl__scalar_of_bits(b->type, p.undef));
}

/* Where a number of the element's type lies that is read and written as such, too: there alone is
   the error of its bytes its own. */
static int irl__bits_are_plain(const irl_buffer *b, uint64_t at)
{
    return b->bit_order == IRL_BITS_LSB && b->bits == 8 * (int)irl__type_bytes(b->type) &&
           at % (uint64_t)b->bits == 0;
}

int irl__eval_read_bits(irl__interpreter *in, const irl__eval_view *view, uint64_t at, uint32_t k,
                        irl__eval_value *value)
{
    const irl_buffer       *b = view->buffer;
    const irl__eval_memory *m = view->memory;
    if (!irl__race_bits(in, view, at, irl__race_read)) return 0;
    value->undef &= ~(UINT64_C(1) << k);
    if (irl__bits_undefined(view, at, -1)) irl__bits_read_parts(in, view, at, k, value);
    else value->lane[k] = irl__bitfield_load(b, m->bytes, at);
    if (!m->error) return 1;
    value->error[k].f = irl__eval_error(in, m, b->type, (size_t)(at / 8), irl__bitbuf_bytes(b, at));
    if (value->error[k].f > 0 && !irl__bits_are_plain(b, at)) value->error[k].f = HUGE_VAL;
    else if (b->norm) /* a quotient, 2.5 ulp */
        value->error[k].f = 3e-7 * fabs(value->lane[k].f);
    return 1;
}

int irl__eval_write_bits(irl__interpreter *in, const irl__eval_view *view, uint64_t at, uint32_t k,
                         const irl__eval_value *value)
{
    const irl_buffer *b = view->buffer;
    irl__eval_memory *m = view->memory;
    const int         is_whole = at % 8 == 0 && b->bits % 8 == 0;
    if (!irl__race_bits(in, view, at, irl__race_write)) return 0;
    m->is_written = 1;
    if (value->undef & UINT64_C(1) << k) irl__bits_write_parts(in, view, at, k, value);
    else {
        irl__bitfield_store(b, m->bytes, at, value->lane[k]);
        (void)irl__bits_undefined(view, at, 0);
    }
    if (m->error && value->error[k].f > 0 && !irl__bits_are_plain(b, at)) m->is_mixed = 1;
    if (m->error && (is_whole || value->error[k].f > 0)) /* other bits keep what they had */
        irl__eval_set_error(in, m, b->type, (size_t)(at / 8), irl__bitbuf_bytes(b, at),
                            value->error[k].f);
    return 1;
}
