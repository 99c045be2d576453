/* bits.c - expressions that are linear over bits: exclusive or, shifts, masks, powers of two,
   interleaving.

   needs     the form of expressions alone
   promises  every bit of the value is the exclusive or of some bits of the variables and a
             constant. An expression of another form is refused, so the answers about the rest are
             exact: rank decides injectivity, elimination gives the inverse
   cost      a few operations on words of 64 bits for each node and bit */
#include "engine.h"

enum { IRL__BITS_DEPTH = 48 };

/* ------------------------------------------------------------------ bits that may be one */

/* A mask of the bits that can be set in a value that is not negative; all ones where nothing is
   known. */
uint64_t irl__possible_ones(irl__analyzer *an, const irl_expr *e)
{
    irl__interval r = irl__range_of(an, e);
    uint64_t      all = ~UINT64_C(0), mask, a, b;
    int           k;
    if (r.lo < 0) return all;
    if (e->op == IRL_OP_INT) return (uint64_t)e->u.i;
    mask = (uint64_t)r.hi;
    for (k = 1; k < 64; k *= 2) mask |= mask >> k;
    if (e->depth > IRL__BITS_DEPTH || e->count != 2) return mask;
    switch (e->op) {
    case IRL_OP_MUL: case IRL_OP_FLOORMOD: case IRL_OP_FLOORDIV:
        if (e->a[1]->op != IRL_OP_INT || e->a[1]->u.i <= 0 ||
            (e->a[1]->u.i & (e->a[1]->u.i - 1)) != 0)
            return mask;
        for (k = 0; (INT64_C(1) << k) != e->a[1]->u.i; k++) continue;
        a = irl__possible_ones(an, e->a[0]);
        if (e->op == IRL_OP_MUL) return a == all ? mask : mask & (a << k);
        if (e->op == IRL_OP_FLOORMOD) return mask & a;
        return a == all ? mask : mask & (a >> k);
    case IRL_OP_BITAND:
        return mask & irl__possible_ones(an, e->a[0]) & irl__possible_ones(an, e->a[1]);
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR:
        return mask & (irl__possible_ones(an, e->a[0]) | irl__possible_ones(an, e->a[1]));
    case IRL_OP_ADD:
        a = irl__possible_ones(an, e->a[0]);
        b = irl__possible_ones(an, e->a[1]);
        return (a & b) == 0 ? mask & (a | b) : mask;
    default: return mask;
    }
}

/* ------------------------------------------------------------------ rows */

static int irl__bits_log2(const irl_expr *e)
{
    int k = 0;
    if (e->op != IRL_OP_INT || e->u.i <= 0 || (e->u.i & (e->u.i - 1)) != 0) return -1;
    while ((INT64_C(1) << k) != e->u.i) k++;
    return k;
}

static int irl__bits_read(const irl__bit_space *s, const irl_expr *e, irl__bit_rows *out);

static void irl__bits_constant(irl__bit_rows *out, int64_t value)
{
    memset(out, 0, sizeof *out);
    out->constant = (uint64_t)value;
}

/* Bits moved up by k, down by -k; what leaves below is lost, what leaves above has no place. */
static int irl__bits_shift(irl__bit_rows *r, int k)
{
    int b;
    if (k >= 63 || k <= -63) return 0;
    if (k > 0) {
        for (b = 63 - k; b < 64; b++)
            if (r->row[b] || ((r->constant | r->unknown) >> b) & 1) return 0;
        for (b = 63; b >= 0; b--) r->row[b] = b >= k ? r->row[b - k] : 0;
        r->constant <<= k;
        r->unknown <<= k;
    } else {
        k = -k;
        for (b = 0; b < 64; b++) r->row[b] = b + k < 64 ? r->row[b + k] : 0;
        r->constant >>= k;
        r->unknown >>= k;
    }
    return 1;
}

static void irl__bits_mask(irl__bit_rows *r, uint64_t mask)
{
    for (int b = 0; b < 64; b++)
        if (!((mask >> b) & 1)) r->row[b] = 0;
    r->constant &= mask;
    r->unknown &= mask;
}

static void irl__bits_xor(irl__bit_rows *r, const irl__bit_rows *b)
{
    for (int k = 0; k < 64; k++) r->row[k] ^= b->row[k];
    r->constant ^= b->constant;
    r->unknown |= b->unknown;
}

static uint64_t irl__bits_support(const irl__bit_rows *r)
{
    uint64_t s = r->constant | r->unknown;
    for (int b = 0; b < 64; b++)
        if (r->row[b]) s |= UINT64_C(1) << b;
    return s;
}

static int irl__bits_varies(const irl__bit_rows *r)
{
    if (r->unknown) return 1;
    for (int b = 0; b < 64; b++)
        if (r->row[b]) return 1;
    return 0;
}

/* A comparison that hangs on one bit: row and *constant say when it is true. */
static int irl__bits_condition(const irl__bit_space *s, const irl_expr *e, uint64_t *row,
                               int *constant)
{
    irl__bit_rows r;
    int           b, bit = -1;
    if (e->count != 2 || e->a[1]->op != IRL_OP_INT || !irl__bits_read(s, e->a[0], &r) || r.unknown)
        return 0;
    int64_t k = e->a[1]->u.i;
    for (b = 0; b < 64; b++)
        if (r.row[b]) {
            if (bit >= 0) return 0;
            bit = b;
        }
    if (bit < 0) return 0;
    {
        int64_t zero = (int64_t)(r.constant & ~(UINT64_C(1) << bit)),
                one = (int64_t)(r.constant | (UINT64_C(1) << bit));
        if (irl__op_info((irl_op)e->op)->rule != IRL__COMPARE) return 0;
        const int at_zero = irl__op_holds(e->op, zero, k);
        if (at_zero == irl__op_holds(e->op, one, k)) return 0;
        *row = r.row[bit];
        *constant = (int)((r.constant >> bit) & 1) ^ at_zero; /* true at a zero bit: turned round */
        return 1;
    }
}

/* select(c, a, b), where a and b differ by constant bits: b with these flipped where c holds. */
static int irl__bits_choice(const irl__bit_space *s, const irl_expr *e, irl__bit_rows *out)
{
    irl__bit_rows a;
    uint64_t      row;
    int           constant;
    if (!irl__bits_condition(s, e->a[0], &row, &constant) || !irl__bits_read(s, e->a[1], &a) ||
        !irl__bits_read(s, e->a[2], out))
        return 0;
    irl__bits_xor(&a, out);
    if (irl__bits_varies(&a)) return 0;
    for (int k = 0; k < 64; k++)
        if ((a.constant >> k) & 1) {
            out->row[k] ^= row;
            out->constant ^= (uint64_t)constant << k;
        }
    return 1;
}

/* `and` or `or`: a bit that is a constant decides it or leaves the other, two that are the same are
   that, and of others nothing is known. */
static void irl__bits_both(irl_op op, irl__bit_rows *out, const irl__bit_rows *b)
{
    const int decides = op == IRL_OP_BITOR;
    for (int k = 0; k < 64; k++) {
        const uint64_t bit = UINT64_C(1) << k;
        const int      a_varies = out->row[k] || (out->unknown & bit),
                  b_varies = b->row[k] || (b->unknown & bit),
                  one_a = (out->constant & bit) != 0, one_b = (b->constant & bit) != 0;
        if (!a_varies && one_a == decides) continue;
        if (a_varies && b_varies) {
            if (out->row[k] != b->row[k] || one_a != one_b) out->unknown |= bit;
            out->unknown |= b->unknown & bit;
            continue;
        }
        if (b_varies ? a_varies : one_b != decides) continue;
        out->row[k] = b->row[k];
        out->constant = (out->constant & ~bit) | (b->constant & bit);
        out->unknown = (out->unknown & ~bit) | (b->unknown & bit);
    }
}

/* A sum: where both may be 1 a carry begins, which ends at a bit that is 0 in both. 0: it may leave
   63 bits. */
static int irl__bits_add(irl__bit_rows *out, const irl__bit_rows *b)
{
    const uint64_t a_ones = irl__bits_support(out), b_ones = irl__bits_support(b);
    uint64_t       carried = 0;
    int            k, carry = 0;
    for (k = 0; k < 64; k++) {
        const uint64_t bit = UINT64_C(1) << k;
        if (carry) carried |= bit;
        carry = (a_ones & b_ones & bit) || (carry && ((a_ones | b_ones) & bit));
    }
    if (carried >> 63 || carry) return 0;
    irl__bits_xor(out, b);
    out->unknown |= carried;
    return 1;
}

/* The sum of what is moved up to each one of a number. */
static int irl__bits_times(irl__bit_rows *out, int64_t by)
{
    irl__bit_rows sum, part;
    irl__bits_constant(&sum, 0);
    for (int k = 0; by >> k; k++) {
        if (!(by >> k & 1)) continue;
        part = *out;
        if (!irl__bits_shift(&part, k) || !irl__bits_add(&sum, &part)) return 0;
    }
    *out = sum;
    return 1;
}

static int irl__bits_two(const irl__bit_space *s, const irl_expr *e, irl__bit_rows *out)
{
    irl__bit_rows b;
    if (!irl__bits_read(s, e->a[0], out)) return 0;
    int k = irl__bits_log2(e->a[1]);
    switch (e->op) {
    case IRL_OP_MUL:
        return e->a[1]->op == IRL_OP_INT && e->a[1]->u.i > 0 &&
               irl__bits_times(out, e->a[1]->u.i);
    case IRL_OP_FLOORDIV: return k >= 0 && irl__bits_shift(out, -k);
    case IRL_OP_FLOORMOD: return k >= 0 && (irl__bits_mask(out, (UINT64_C(1) << k) - 1), 1);
    case IRL_OP_SHL:
        return e->a[1]->op == IRL_OP_INT && e->a[1]->u.i >= 0 && e->a[1]->u.i < 63 &&
               irl__bits_shift(out, (int)e->a[1]->u.i);
    case IRL_OP_SHR:
        return e->a[1]->op == IRL_OP_INT && e->a[1]->u.i >= 0 && e->a[1]->u.i < 63 &&
               irl__bits_shift(out, -(int)e->a[1]->u.i);
    case IRL_OP_BITAND: /* the mask may be negative, ~7 */
        if (e->a[1]->op == IRL_OP_INT) return irl__bits_mask(out, (uint64_t)e->a[1]->u.i), 1;
        break;
    default: break;
    }
    if (!irl__bits_read(s, e->a[1], &b)) return 0;
    switch (e->op) {
    case IRL_OP_BITXOR: irl__bits_xor(out, &b); return 1;
    case IRL_OP_ADD: return irl__bits_add(out, &b);
    case IRL_OP_BITAND: case IRL_OP_BITOR: irl__bits_both((irl_op)e->op, out, &b); return 1;
    case IRL_OP_SUB: /* constant minus what lies within its ones: no borrow */
        if (irl__bits_varies(out) || (irl__bits_support(&b) & ~out->constant)) return 0;
        irl__bits_xor(out, &b);
        return 1;
    default: return 0;
    }
}

static int irl__bits_read(const irl__bit_space *s, const irl_expr *e, irl__bit_rows *out)
{
    int k, b;
    if (e->depth > IRL__BITS_DEPTH) return 0;
    switch (e->op) {
    case IRL_OP_INT:
        irl__bits_constant(out, e->u.i);
        return e->u.i >= 0;
    case IRL_OP_VAR:
        irl__bits_constant(out, 0);
        for (k = 0; k < s->count && s->vars[k] != e; k++) continue;
        if (k == s->count) return 0;
        for (b = 0; b < s->width[k]; b++) out->row[b] = UINT64_C(1) << (s->first[k] + b);
        return 1;
    case IRL_OP_SELECT: case IRL_OP_IF_THEN_ELSE: return irl__bits_choice(s, e, out);
    default: return e->count == 2 && irl__bits_two(s, e, out);
    }
}

int irl__bit_space_make(irl__bit_space *s, int count, const irl_expr *const *vars,
                        const int64_t *extent)
{
    int k, total = 0;
    memset(s, 0, sizeof *s);
    s->count = count;
    s->vars = vars;
    s->whole = 1;
    for (k = 0; k < count; k++) {
        s->first[k] = total;
        while ((UINT64_C(1) << s->width[k]) < (uint64_t)extent[k]) s->width[k]++; /* at most 63 */
        if ((UINT64_C(1) << s->width[k]) != (uint64_t)extent[k]) s->whole = 0;
        total += s->width[k];
        if (total > 64) return 0;
    }
    s->bits = total;
    return 1;
}

int irl__bit_rows_of(const irl__bit_space *s, const irl_expr *e, irl__bit_rows *out)
{
    return irl__type_is_index(e->type) && irl__bits_read(s, e, out) && !out->unknown;
}

/* ------------------------------------------------------------------ elimination */

/* Adds row (with tag, which rows it was made of); 1 if it was independent of those there. */
static int irl__bits_pivot(irl__bit_system *m, uint64_t row, uint64_t tag)
{
    for (int b = 63; b >= 0; b--) {
        if (!((row >> b) & 1)) continue;
        if (m->row[b] == 0) {
            m->row[b] = row;
            m->tag[b] = tag;
            m->rank++;
            return 1;
        }
        row ^= m->row[b];
        tag ^= m->tag[b];
    }
    return 0;
}

int irl__bits_invert(const irl__bit_space *s, int count, const irl__bit_rows *rows,
                     irl__bit_system *m)
{
    memset(m, 0, sizeof *m);
    for (int k = 0; k < count && m->rank < s->bits; k++)
        for (int b = 0; b < 64; b++) {
            if (rows[k].row[b] == 0 || m->used == 64) continue;
            if (!irl__bits_pivot(m, rows[k].row[b], UINT64_C(1) << m->used)) continue;
            m->output[m->used] = k;
            m->position[m->used] = b;
            m->used++;
        }
    /* Every pivot row becomes its one bit. */
    for (int b = 0; b < 64; b++)
        for (int k = 0; k < b; k++)
            if (m->row[b] && (m->row[b] >> k) & 1 && m->row[k]) {
                m->row[b] ^= m->row[k];
                m->tag[b] ^= m->tag[k];
            }
    return m->rank == s->bits;
}

/* A combination of the variables' bits that no row sees: 0 if there is none. */
uint64_t irl__bits_kernel(const irl__bit_space *s, const irl__bit_system *m)
{
    uint64_t x;
    for (int b = 0; b < s->bits; b++) {
        if (m->row[b]) continue;
        x = UINT64_C(1) << b; /* free: each pivot row that contains it needs its pivot too */
        for (int k = 0; k < 64; k++)
            if (m->row[k] && (m->row[k] >> b) & 1) x |= UINT64_C(1) << k;
        return x;
    }
    return 0;
}

void irl__bits_point(const irl__bit_space *s, uint64_t x, int64_t *at)
{
    for (int k = 0; k < s->count; k++)
        at[k] =
            s->width[k] ? (int64_t)((x >> s->first[k]) & ((UINT64_C(1) << s->width[k]) - 1)) : 0;
}

/* Bit by bit from the top: one (or zero) where the bits chosen before leave it free. */
void irl__bits_extreme(const irl__bit_rows *r, int sign, uint64_t *value, uint64_t *x)
{
    irl__bit_system m;
    uint64_t        wanted[64], v = 0;
    int             k;
    memset(&m, 0, sizeof m);
    memset(wanted, 0, sizeof wanted);
    for (int b = 62; b >= 0; b--) {
        uint64_t row = r->row[b];
        int      bit = (int)((r->constant >> b) & 1), goal = sign > 0;
        for (k = 63; k >= 0; k--)
            if ((row >> k) & 1 && m.row[k]) {
                row ^= m.row[k];
                bit ^= (int)wanted[k];
            }
        if (row) { /* still free: becomes a pivot with the value that gives the goal */
            for (k = 63; !((row >> k) & 1); k--) continue;
            m.row[k] = row;
            wanted[k] = (uint64_t)(bit ^ goal);
            bit = goal;
        }
        v |= (uint64_t)bit << b;
    }
    *x = 0; /* pivots from low to high: a pivot row holds its own bit and lower ones */
    for (k = 0; k < 64; k++) {
        int parity = 0;
        if (!m.row[k]) continue;
        for (uint64_t others = m.row[k] & *x; others; others &= others - 1) parity ^= 1;
        if (parity != (int)wanted[k]) *x |= UINT64_C(1) << k;
    }
    *value = v;
}
