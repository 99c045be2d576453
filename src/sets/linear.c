/* linear.c - are there integers that satisfy linear equations and inequalities?

   needs     checked arithmetic
   promises  "empty" is proved; a point was put into every row. A row whose numbers leave 64 bits is
             left out, which can only make a system larger: "empty" is proved nevertheless, and a
             point that fails such a row is "not known"
   cost      an elimination costs the rows with the variable: lower bounds times upper bounds.
             Bounded by the caller's steps
   source    the Omega test (W. Pugh, 1991): equations by unimodular substitution; a variable of
             inequalities by Fourier and Motzkin's elimination, which is exact where a coefficient
             is 1; else there are integers in between if each gap is wide enough (the dark shadow),
             or near one of the bounds (splinters)

   Each elimination records how the variable follows from the remaining ones. A point is computed
   from the last record back to the first. */
#include "linear.h"

enum { IRL__OMEGA_SPLINTERS = 256 };

/* In a row's hash: it has been compared with every other one; it has become tighter since. */
enum { IRL__ROW_TIDY = 1, IRL__ROW_TIGHTER = 2, IRL__ROW_MARKS = 3 };

/* An eliminated variable: the value of a row, or any integer between the rows that bound it. */
typedef struct irl__omega_step {
    struct irl__omega_step *before;
    int                     number, column;
    int                     count; /* of bounds; 0: the row is its value */
    int64_t                *rows;
} irl__omega_step;

typedef struct irl__omega {
    irl_ctx         *cx;
    int              columns;
    int64_t         *steps, *point;
    irl__omega_step *last;
    int              failed_at; /* the number of the step that had no value left */
    int64_t          lo[IRL__LINEAR_COLUMNS],
        hi[IRL__LINEAR_COLUMNS]; /* a box; INT64_MIN, INT64_MAX: no bound */
} irl__omega;

/* What one step of the work has found. */
typedef enum irl__omega_state {
    IRL__OMEGA_EMPTY,
    IRL__OMEGA_POINT,
    IRL__OMEGA_REAL, /* not empty, but no point of it is one of the whole system: o->failed_at */
    IRL__OMEGA_STEPS,
    IRL__OMEGA_FAILED,
    IRL__OMEGA_ON /* not known yet */
} irl__omega_state;

/* ------------------------------------------------------------------ rows */

void irl__linear_begin(irl__linear *l, irl_ctx *cx, int columns)
{
    memset(l, 0, sizeof *l);
    l->cx = cx;
    l->columns = columns;
}

/* The rows of `from`, with room for `capacity` of them; `to` may be `from`. */
static int irl__linear_copy(irl__linear *to, const irl__linear *from, size_t capacity)
{
    const size_t width = (size_t)from->columns + 1, count = (size_t)from->count;
    irl__linear  l = *from;
    l.numbers = IRL__SCRATCH(l.cx, int64_t, capacity * width);
    l.is_equal = IRL__SCRATCH(l.cx, uint8_t, capacity);
    l.hash = IRL__SCRATCH(l.cx, uint32_t, capacity);
    if (!l.numbers || !l.is_equal || !l.hash) return 0;
    if (count) {
        memcpy(l.numbers, from->numbers, count * width * sizeof *l.numbers);
        memcpy(l.is_equal, from->is_equal, count * sizeof *l.is_equal);
        memcpy(l.hash, from->hash, count * sizeof *l.hash);
    }
    l.capacity = (int)capacity;
    *to = l;
    return 1;
}

int64_t *irl__linear_add(irl__linear *l, int is_equal)
{
    if (l->count == l->capacity &&
        !irl__linear_copy(l, l, l->capacity ? 2 * (size_t)l->capacity : 32))
        return NULL;
    int64_t *row = irl__linear_row(l, l->count);
    memset(row, 0, ((size_t)l->columns + 1) * sizeof *row);
    l->hash[l->count] = 0;
    l->is_equal[l->count++] = (uint8_t)is_equal;
    return row;
}

static void irl__linear_remove(irl__linear *l, int k)
{
    const int last = --l->count;
    if (k == last) return;
    memcpy(irl__linear_row(l, k), irl__linear_row(l, last),
           ((size_t)l->columns + 1) * sizeof *l->numbers);
    l->is_equal[k] = l->is_equal[last];
    l->hash[k] = l->hash[last];
}

/* row + k * other; false, and the row is spoilt, where a number does not fit. */
static int irl__row_add(int width, int64_t *row, const int64_t *other, int64_t k)
{
    int64_t product;
    for (int j = 0; j < width; j++) {
        if (other[j] == 0) continue;
        if (!irl__mul64(other[j], k, &product) || !irl__add64(row[j], product, &row[j])) return 0;
        if (row[j] == INT64_MIN) return 0; /* it has no negative */
    }
    return 1;
}

static int irl__row_value(int columns, const int64_t *row, const int64_t *point, int64_t *out)
{
    int64_t product;
    *out = row[columns];
    for (int j = 0; j < columns; j++)
        if (row[j] && (!irl__mul64(row[j], point[j], &product) || !irl__add64(*out, product, out)))
            return 0;
    return 1;
}

/* The least value of a row over the box; INT64_MIN: none is known. */
static int64_t irl__row_least(const irl__omega *o, const int64_t *row, int sign)
{
    int64_t sum = sign > 0 ? row[o->columns] : -row[o->columns], product;
    for (int j = 0; j < o->columns; j++) {
        const int64_t c = sign > 0 ? row[j] : -row[j], end = c > 0 ? o->lo[j] : o->hi[j];
        if (c == 0) continue;
        if (end == INT64_MIN || end == INT64_MAX) return INT64_MIN;
        if (!irl__mul64(c, end, &product) || !irl__add64(sum, product, &sum)) return INT64_MIN;
    }
    return sum;
}

/* ------------------------------------------------------------------ every row in its shortest form
 */

/* Divides a row by what its coefficients have in common. False: no integers satisfy it. *used: it
 * has a variable, and fits. */
static int irl__row_shorten(int columns, int64_t *row, int is_equal, int *used)
{
    int64_t g = 0;
    *used = 0;
    if (row[columns] == INT64_MIN) return 1; /* left out */
    for (int j = 0; j < columns; j++) {
        if (!row[j]) continue;
        if (row[j] == INT64_MIN) return 1;
        if (g != 1) g = irl__gcd64(row[j], g);
    }
    if (g == 0) return is_equal ? row[columns] == 0 : row[columns] >= 0;
    *used = 1;
    if (g == 1) return 1;
    if (is_equal && row[columns] % g != 0) return 0;
    for (int j = 0; j < columns; j++) row[j] /= g;
    return irl__floordiv64(row[columns], g, &row[columns]);
}

/* The one variable of a row; -1: there are more. */
static int irl__row_alone(int columns, const int64_t *row)
{
    int j, found = -1;
    for (j = 0; j < columns; j++) {
        if (!row[j]) continue;
        if (found >= 0) return -1;
        found = j;
    }
    return found;
}

/* The same for a row and its negative; not 0, and without marks. */
static uint32_t irl__row_hash(int columns, const int64_t *row)
{
    uint32_t hash = 0;
    int      j, sign = 0;
    for (j = 0; j < columns; j++) {
        if (!row[j]) continue;
        if (!sign) sign = row[j] < 0 ? -1 : 1;
        hash = irl__hash_mix(hash + (uint32_t)j, (uint64_t)(sign * row[j]));
    }
    return (hash | 4) & ~(uint32_t)IRL__ROW_MARKS;
}

/* 1: the same coefficients; -1: the negative ones; 0: others. */
static int irl__row_parallel(int columns, const int64_t *a, const int64_t *b)
{
    int j, sign = 0;
    for (j = 0; j < columns; j++) {
        if (!a[j] && !b[j]) continue;
        if (!sign) sign = a[j] == b[j] ? 1 : -1;
        if (a[j] != sign * b[j]) return 0;
    }
    return sign;
}

/* Row k beside an earlier row that is parallel to it: 1: k is not needed, 0: it is, -1: no integers
 * satisfy both. */
static int irl__omega_beside(irl__linear *l, int earlier, int k)
{
    int64_t  *a = irl__linear_row(l, earlier), *b = irl__linear_row(l, k), gap;
    const int columns = l->columns, sign = irl__row_parallel(columns, a, b);
    if (!sign || !irl__add64(sign > 0 ? -b[columns] : b[columns], a[columns], &gap)) return 0;
    if (l->is_equal[earlier] || l->is_equal[k]) {
        if (l->is_equal[earlier] && l->is_equal[k]) return gap == 0 ? 1 : -1;
        return 0; /* the equation is taken first, and decides */
    }
    if (sign > 0) {
        if (gap > 0) a[columns] = b[columns], l->hash[earlier] |= IRL__ROW_TIGHTER;
        return 1;
    }
    if (gap < 0) return -1;
    if (gap > 0) return 0;
    l->is_equal[earlier] = 1; /* from both sides */
    l->hash[earlier] |= IRL__ROW_TIGHTER;
    return 1;
}

/* Leaves out what the box says already. False: a row cannot be. */
static int irl__omega_prune(irl__omega *o, irl__linear *l)
{
    int i;
    for (i = 0; i < o->columns; i++) o->lo[i] = INT64_MIN, o->hi[i] = INT64_MAX;
    for (int k = 0; k < l->count; k++) {
        const int64_t *row = irl__linear_row(l, k), c = row[o->columns];
        if (l->is_equal[k] || (i = irl__row_alone(o->columns, row)) < 0) continue;
        if (row[i] > 0 && -c > o->lo[i]) o->lo[i] = -c;
        if (row[i] < 0 && c < o->hi[i]) o->hi[i] = c;
    }
    for (int j = 0; j < o->columns; j++)
        if (o->lo[j] > o->hi[j]) return 0;
    for (int k = l->count; k-- > 0;) {
        const int64_t *row = irl__linear_row(l, k);
        if (irl__row_alone(o->columns, row) >= 0) continue;
        int64_t least = irl__row_least(o, row, 1);
        int64_t most = irl__row_least(o, row, -1); /* the negative of the largest */
        if (most != INT64_MIN && most > 0) return 0;
        if (l->is_equal[k]) {
            if (least != INT64_MIN && least > 0) return 0;
        } else if (least != INT64_MIN && least >= 0) irl__linear_remove(l, k);
    }
    return 1;
}

/* Every row in its shortest form, none parallel to another one, none that the box says already.
   Rows that were tidy before have been compared with one another. */
static irl__omega_state irl__omega_tidy(irl__omega *o, irl__linear *l)
{
    int used;
    if ((*o->steps -= l->count + 1) < 0) return IRL__OMEGA_STEPS;
    for (int k = l->count; k-- > 0;) {
        int64_t *row = irl__linear_row(l, k);
        if (l->hash[k]) continue;
        if (!irl__row_shorten(l->columns, row, l->is_equal[k], &used)) return IRL__OMEGA_EMPTY;
        if (!used) irl__linear_remove(l, k);
        else l->hash[k] = irl__row_hash(l->columns, row);
    }
    for (int k = 0; k < l->count;) {
        int beside = 0;
        for (int j = 0; j < k && !beside; j++)
            if ((l->hash[j] ^ l->hash[k]) <= IRL__ROW_MARKS &&
                !(l->hash[j] & l->hash[k] & IRL__ROW_TIDY))
                beside = irl__omega_beside(l, j, k);
        if (beside < 0) return IRL__OMEGA_EMPTY;
        if (beside > 0) irl__linear_remove(l, k);
        else k++;
    }
    for (int k = 0; k < l->count; k++) {
        const int is_tighter = (l->hash[k] & IRL__ROW_TIGHTER) != 0;
        l->hash[k] = (l->hash[k] & ~(uint32_t)IRL__ROW_MARKS) | (is_tighter ? 0 : IRL__ROW_TIDY);
    }
    return irl__omega_prune(o, l) ? IRL__OMEGA_ON : IRL__OMEGA_EMPTY;
}

/* ------------------------------------------------------------------ steps, and the way back */

static irl__omega_step *irl__omega_push(irl__omega *o, int column, int count)
{
    irl__omega_step *s = IRL__SCRATCH(o->cx, irl__omega_step, 1);
    if (!s) return NULL;
    s->rows = IRL__SCRATCH(o->cx, int64_t, (size_t)(count ? count : 1) * ((size_t)o->columns + 1));
    if (!s->rows) return NULL;
    s->number = o->last ? o->last->number + 1 : 1;
    s->before = o->last;
    s->column = column;
    s->count = count;
    return o->last = s;
}

/* The integer next to 0 that all bounds of a step leave. */
static int irl__omega_between(irl__omega *o, const irl__omega_step *s)
{
    int64_t lo = INT64_MIN, hi = INT64_MAX, rest, end;
    o->point[s->column] = 0;
    for (int k = 0; k < s->count; k++) {
        const int64_t *row = s->rows + (ptrdiff_t)k * (o->columns + 1), c = row[s->column];
        if (!irl__row_value(o->columns, row, o->point, &rest) || rest == INT64_MIN) return 0;
        if (c > 0) { /* x >= -rest / c, rounded up */
            if (!irl__floordiv64(rest, c, &end)) return 0;
            if (-end > lo) lo = -end;
        } else {
            if (!irl__floordiv64(rest, -c, &end)) return 0;
            if (end < hi) hi = end;
        }
    }
    if (lo > hi) return 0;
    o->point[s->column] = lo > 0 ? lo : hi < 0 ? hi : 0;
    return 1;
}

static irl__omega_state irl__omega_unwind(irl__omega *o)
{
    int64_t value;
    memset(o->point, 0, (size_t)o->columns * sizeof *o->point);
    for (const irl__omega_step *s = o->last; s; s = s->before) {
        int ok;
        if (s->count) ok = irl__omega_between(o, s);
        else if ((ok = irl__row_value(o->columns, s->rows, o->point, &value)) != 0)
            o->point[s->column] = value;
        if (ok) continue;
        o->failed_at = s->number;
        return IRL__OMEGA_REAL;
    }
    return IRL__OMEGA_POINT;
}

/* ------------------------------------------------------------------ equations */

/* The equation that is the easiest, and its variable of the least coefficient. False: there is
 * none. */
static int irl__omega_equation(const irl__linear *l, int *row_out, int *column)
{
    int     k, j, found = 0, terms, best_terms = 0;
    int64_t best = 0;
    for (k = 0; k < l->count; k++) {
        const int64_t *row = irl__linear_row(l, k);
        int64_t        least = 0;
        int            at = 0;
        if (!l->is_equal[k]) continue;
        for (j = terms = 0; j < l->columns; j++) {
            const int64_t size = row[j] < 0 ? -row[j] : row[j];
            if (!size) continue;
            terms++;
            if (!least || size < least) least = size, at = j;
        }
        if (found && (least > best || (least == best && terms >= best_terms))) continue;
        found = 1;
        best = least;
        best_terms = terms;
        *row_out = k;
        *column = at;
    }
    return found;
}

/* a / b rounded to the nearest. */
static int64_t irl__omega_nearest(int64_t a, int64_t b)
{
    int64_t q = a / b, r = a % b, size = b < 0 ? -b : b;
    if (r < 0) r = -r;
    return r > size - r ? ((a < 0) == (b < 0) ? q + 1 : q - 1) : q;
}

/* One equation used up, where it has a coefficient of 1; else made smaller: y = x + the quotients
 * of the others by its coefficient. */
static irl__omega_state irl__omega_use_equation(irl__omega *o, irl__linear *l, int at, int column)
{
    const int64_t    c = irl__linear_row(l, at)[column];
    irl__omega_step *s = irl__omega_push(o, column, 0);
    if (!s) return IRL__OMEGA_FAILED;
    for (int j = 0; j <= o->columns; j++) {
        const int64_t a = irl__linear_row(l, at)[j];
        if (j == column) s->rows[j] = c == 1 || c == -1 ? 0 : 1;
        else s->rows[j] = -irl__omega_nearest(a, c);
    }
    if (c == 1 || c == -1) irl__linear_remove(l, at);
    /* x[column] = value in every row; rows that leave 64 bits go. */
    for (int k = l->count; k-- > 0;) {
        int64_t      *row = irl__linear_row(l, k);
        const int64_t i = row[column];
        if (!i) continue;
        row[column] = 0;
        l->hash[k] = 0;
        if (!irl__row_add(l->columns + 1, row, s->rows, i)) irl__linear_remove(l, k);
    }
    return IRL__OMEGA_ON;
}

/* ------------------------------------------------------------------ inequalities */

/* The row without the variable that a bound from below and one from above make. *gap: what its
   value must reach for an integer to lie between the two whatever they are; 0: it always does.
   False: it leaves 64 bits. */
static int irl__omega_pair(int columns, int column, const int64_t *low, const int64_t *high,
                           int64_t *row, int64_t *gap)
{
    const int64_t a = low[column], b = -high[column], g = irl__gcd64(a, b);
    memset(row, 0, ((size_t)columns + 1) * sizeof *row);
    *gap = 0;
    if (!irl__row_add(columns + 1, row, low, b / g) || !irl__row_add(columns + 1, row, high, a / g))
        return 0;
    if (a == 1 || b == 1) return 1;
    if (!irl__mul64(a - 1, b - 1, gap)) return 0;
    *gap = *gap / g + (*gap % g != 0);
    return 1;
}

typedef struct irl__omega_choice {
    int column, exact;
    int low, high; /* how many rows bound it */
} irl__omega_choice;

/* Is the variable between its bounds wherever they leave a number? */
static int irl__omega_is_exact(const irl__omega *o, const irl__linear *l, int column)
{
    int64_t row[IRL__LINEAR_COLUMNS + 1], gap;
    for (int k = 0; k < l->count; k++) {
        const int64_t *low = irl__linear_row(l, k);
        if (low[column] <= 0) continue;
        for (int j = 0; j < l->count; j++) {
            const int64_t *high = irl__linear_row(l, j);
            if (high[column] >= 0) continue;
            if (low[column] == 1 || high[column] == -1) continue;
            if (!irl__omega_pair(o->columns, column, low, high, row, &gap)) return 0;
            if (gap && irl__row_least(o, row, 1) < gap) return 0;
        }
    }
    return 1;
}

/* The variable to eliminate: one that is bounded from one side only, else an exact one that makes
 * few rows. False: none is left. */
static int irl__omega_choose(const irl__omega *o, const irl__linear *l, irl__omega_choice *best)
{
    int j, k, found = 0;
    for (j = 0; j < o->columns; j++) {
        irl__omega_choice c;
        memset(&c, 0, sizeof c);
        c.column = j;
        for (k = 0; k < l->count; k++) {
            const int64_t a = irl__linear_row(l, k)[j];
            c.low += a > 0;
            c.high += a < 0;
        }
        if (c.low + c.high == 0) continue;
        c.exact = 1;
        int growth = c.low * c.high - c.low - c.high;
        int least = found ? best->low * best->high - best->low - best->high : 0;
        if (c.low && c.high) {
            if (found && best->exact && least <= growth) continue;
            c.exact = irl__omega_is_exact(o, l, j);
        }
        if (found && (c.exact != best->exact ? best->exact : least <= growth)) continue;
        *best = c;
        found = 1;
        if (!c.low || !c.high) break;
    }
    return found;
}

/* Replaces the rows with the variable by those that follow without it. With `dark`, by those that
 * leave an integer between. */
static irl__omega_state irl__omega_eliminate(irl__omega *o, irl__linear *l,
                                             const irl__omega_choice *c, int dark)
{
    const int        width = o->columns + 1;
    irl__omega_step *s = irl__omega_push(o, c->column, c->low + c->high);
    int              k, j, low = 0, high = c->low;
    if (!s) return IRL__OMEGA_FAILED;
    for (k = l->count; k-- > 0;) {
        const int64_t *row = irl__linear_row(l, k);
        if (!row[c->column]) continue;
        memcpy(s->rows + (ptrdiff_t)(row[c->column] > 0 ? low++ : high++) * width, row,
               (size_t)width * sizeof *row);
        irl__linear_remove(l, k);
    }
    if ((*o->steps -= (int64_t)c->low * c->high) < 0) return IRL__OMEGA_STEPS;
    for (k = 0; k < c->low; k++)
        for (j = c->low; j < s->count; j++) {
            int64_t *row = irl__linear_add(l, 0), gap;
            if (!row) return IRL__OMEGA_FAILED;
            if (!irl__omega_pair(o->columns, c->column, s->rows + (ptrdiff_t)k * width,
                                 s->rows + (ptrdiff_t)j * width, row, &gap) ||
                (dark && !irl__sub64(row[o->columns], gap, &row[o->columns])))
                irl__linear_remove(
                    l, l->count - 1); /* a larger system; a dark one is asked for a point only */
        }
    return l->count > IRL__LINEAR_ROWS ? IRL__OMEGA_STEPS : IRL__OMEGA_ON;
}

static irl__omega_state irl__omega_run(irl__omega *o, irl__linear *l);

/* ------------------------------------------------------------------ where an elimination is not
 * exact */

/* A copy of the system, decided: with the variable eliminated; or (c NULL) with one equation more,
   bound = above. */
static irl__omega_state irl__omega_try(irl__omega *o, const irl__linear *l,
                                       const irl__omega_choice *c, int dark, const int64_t *bound,
                                       int64_t above)
{
    irl__omega_step *last = o->last;
    irl__arena_mark  mark = irl__scratch_begin(o->cx);
    irl__linear      copy;
    irl__omega_state state = IRL__OMEGA_FAILED;
    int64_t         *row;
    if (irl__linear_copy(&copy, l, (size_t)l->count + 16)) {
        if (c) state = irl__omega_eliminate(o, &copy, c, dark);
        else if ((row = irl__linear_add(&copy, 1)) != NULL) {
            memcpy(row, bound, ((size_t)o->columns + 1) * sizeof *row);
            state = irl__sub64(row[o->columns], above, &row[o->columns]) ? IRL__OMEGA_ON
                                                                         : IRL__OMEGA_STEPS;
        }
        if (state == IRL__OMEGA_ON) state = irl__omega_run(o, &copy);
    }
    o->last = last;
    irl__scratch_end(o->cx, mark);
    return state;
}

/* How far from a bound with coefficient a an integer may lie that the dark shadow does not see, b
   being the largest coefficient of the bounds from the other side. */
static int64_t irl__omega_reach(int64_t a, int64_t b)
{
    int64_t product, q;
    if (!irl__mul64(a, b, &product) || !irl__sub64(product, a, &product) ||
        !irl__sub64(product, b, &product))
        return IRL__OMEGA_SPLINTERS;
    if (product < 0 || !irl__floordiv64(product, b, &q)) return -1;
    return q < IRL__OMEGA_SPLINTERS ? q : (int64_t)IRL__OMEGA_SPLINTERS;
}

/* The splinters of one side: their number. */
static int64_t irl__omega_splinter_count(const irl__linear *l, int column, int sign,
                                         int64_t *largest)
{
    int64_t count = 0;
    *largest = 0;
    for (int k = 0; k < l->count; k++) {
        const int64_t a = sign * irl__linear_row(l, k)[column];
        if (-a > *largest) *largest = -a;
    }
    for (int k = 0; k < l->count; k++) {
        const int64_t a = sign * irl__linear_row(l, k)[column];
        if (a > 0) count += irl__omega_reach(a, *largest) + 1;
    }
    return count;
}

static int irl__omega_is_final(const irl__omega *o, irl__omega_state state, int number)
{
    return state == IRL__OMEGA_POINT || state == IRL__OMEGA_FAILED ||
           (state == IRL__OMEGA_REAL && o->failed_at < number);
}

static irl__omega_state irl__omega_splinters(irl__omega *o, const irl__linear *l, int column,
                                             int number)
{
    irl__omega_state state, known = IRL__OMEGA_EMPTY;
    int64_t          largest, other;
    int64_t          n = irl__omega_splinter_count(l, column, 1, &largest);
    const int64_t    below = irl__omega_splinter_count(l, column, -1, &other);
    const int        sign = below < n ? -1 : 1;
    if (below < n) n = below, largest = other;
    if (n > IRL__OMEGA_SPLINTERS) return IRL__OMEGA_STEPS;
    for (int k = 0; k < l->count; k++) {
        const int64_t a = sign * irl__linear_row(l, k)[column];
        if (a <= 0) continue;
        int64_t most = irl__omega_reach(a, largest);
        for (n = 0; n <= most; n++) {
            state = irl__omega_try(o, l, NULL, 0, irl__linear_row(l, k), n);
            if (irl__omega_is_final(o, state, number)) return state;
            if (state != IRL__OMEGA_EMPTY) known = IRL__OMEGA_STEPS;
        }
    }
    return known;
}

static irl__omega_state irl__omega_inexact(irl__omega *o, const irl__linear *l,
                                           const irl__omega_choice *c)
{
    const int        number = o->last ? o->last->number + 1 : 1;
    irl__omega_state state = irl__omega_try(o, l, c, 0, NULL, 0);
    if (state == IRL__OMEGA_EMPTY || state == IRL__OMEGA_STEPS ||
        irl__omega_is_final(o, state, number))
        return state;
    state = irl__omega_try(o, l, c, 1, NULL, 0);
    if (irl__omega_is_final(o, state, number)) return state;
    return irl__omega_splinters(o, l, c->column, number);
}

/* ------------------------------------------------------------------ the whole */

static irl__omega_state irl__omega_run(irl__omega *o, irl__linear *l)
{
    for (;;) {
        irl__omega_choice c;
        irl__omega_state  state = irl__omega_tidy(o, l);
        int               row = 0, column = 0;
        if (state != IRL__OMEGA_ON) return state;
        if (irl__omega_equation(l, &row, &column))
            state = irl__omega_use_equation(o, l, row, column);
        else if (!irl__omega_choose(o, l, &c)) return irl__omega_unwind(o);
        else if (!c.exact) return irl__omega_inexact(o, l, &c);
        else state = irl__omega_eliminate(o, l, &c, 0);
        if (state != IRL__OMEGA_ON) return state;
    }
}

static int irl__linear_holds(const irl__linear *l, const int64_t *point)
{
    int64_t value;
    for (int k = 0; k < l->count; k++)
        if (!irl__row_value(l->columns, irl__linear_row(l, k), point, &value) ||
            (l->is_equal[k] ? value != 0 : value < 0))
            return 0;
    return 1;
}

irl__linear_answer irl__linear_solve(const irl__linear *l, int64_t *steps, int64_t *point)
{
    irl__arena_mark  mark = irl__scratch_begin(l->cx);
    irl__omega      *o = IRL__SCRATCH(l->cx, irl__omega, 1);
    irl__linear      copy;
    irl__omega_state state = IRL__OMEGA_FAILED;
    if (l->columns > IRL__LINEAR_COLUMNS) state = IRL__OMEGA_STEPS;
    else if (o && irl__linear_copy(&copy, l, (size_t)l->count + 16)) {
        o->cx = l->cx;
        o->columns = l->columns;
        o->steps = steps;
        o->point = point;
        state = irl__omega_run(o, &copy);
    }
    irl__scratch_end(l->cx, mark);
    switch (state) {
    case IRL__OMEGA_EMPTY: return IRL__LINEAR_EMPTY;
    case IRL__OMEGA_POINT:
        return irl__linear_holds(l, point) ? IRL__LINEAR_POINT : IRL__LINEAR_OVERFLOW;
    case IRL__OMEGA_FAILED: return IRL__LINEAR_FAILED;
    case IRL__OMEGA_STEPS: return IRL__LINEAR_STEPS;
    default: return IRL__LINEAR_OVERFLOW;
    }
}
