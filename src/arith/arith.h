/* arith.h - exact reasoning about integers: ranges, divisibility, proof, simplification.

   needs     text
   promises  an answer is right for every value that the bindings and facts allow, or it is "not
             known": nothing here guesses, samples or rounds. Every step is bounded: cost is linear
             in the nodes of an expression, times its number of terms where a sum is merged. What
             would overflow 64 bits or exceed a limit stays as it was written.

   An analyzer knows ranges of variables and facts that hold for a while:

       irl__arena_mark  m = irl__scratch_begin(cx);
       irl__analyzer   *an = irl__analyzer_begin(cx);
       irl__bind_range(an, i, 0, 15);                          i in [0, 15]
       irl__bind_extent(an, j, irl_expr_index(cx, 0), n);             j in [0, n)
       e = irl__simplify(an, e);
       irl__scratch_end(cx, m);                                the analyzer is gone, e stays */
#ifndef IRL__ARITH_H
#define IRL__ARITH_H

#include "../text/text.h"

/* ------------------------------------------------------------------ intervals: interval.c */

/* Integers from lo to hi, both included; INT64_MIN and INT64_MAX are "no bound known". */
typedef struct irl__interval {
    int64_t lo, hi;
} irl__interval;

/* the least that holds both */
IRL__FN irl__interval irl__interval_join(irl__interval a, irl__interval b);
IRL__FN irl__interval irl__interval_type(irl_type t); /* of the values of a type */
/* Of all values that e may have by its type, and as a load from elements of fewer bits. */
IRL__FN irl__interval irl__interval_held(const irl_expr *e);

/* Integers that leave remainder `base` when divided by `coef`; coef 0: exactly base; coef 1: any. 0
   <= base < coef. */
typedef struct irl__residues {
    int64_t coef, base;
} irl__residues;

/* ------------------------------------------------ the analyzer: analyzer.c, facts.c, prove.c */

typedef struct irl__analyzer irl__analyzer;

/* A new analyzer in the scratch arena: it lasts until the caller's scope ends, and may be used in
   inner scopes. NULL when memory is out. */
IRL__FN irl__analyzer *irl__analyzer_begin(irl_ctx *cx);

/* What a variable can be. Bindings last until they are released. False when memory is out. */
IRL__FN int irl__bind_range(irl__analyzer *an, const irl_expr *var, int64_t lo, int64_t hi);
/* Every variable that is an extent of a parameter, by its logical shape or in memory, is one:
   0 .. IRL__MOST_EXTENT. */
IRL__FN int irl__bind_param_sizes(irl__analyzer *an, const irl_func *f);
/* The same of the extents of one buffer, whatever it is of: a view lies within its memory. */
IRL__FN int irl__bind_sizes(irl__analyzer *an, const irl_buffer *b);
/* var in [min, min + extent), where both may be expressions over other variables. */
IRL__FN int irl__bind_extent(irl__analyzer *an, const irl_expr *var, const irl_expr *min,
                             const irl_expr *extent);
/* The same for the variable of a loop (of another statement: nothing), and for a block's axes. */
IRL__FN int irl__bind_loop(irl__analyzer *an, const irl_stmt *s);
IRL__FN int irl__bind_block(irl__analyzer *an, const irl__block_data *b);
/* What a let of an index, an assumption or an assertion says holds behind it, to the end of its
   sequence; of another statement nothing, and of what reads memory. */
IRL__FN int irl__learn_behind(irl__analyzer *an, const irl_stmt *s);
/* s with its children rewritten, while `an` knows what holds where each stands: ranges of loops,
   lets of indices, and conditions, assumed and asserted ones too, that read no memory. */
IRL__FN const irl_stmt *irl__rewrite_known(irl__rewriter *r, irl__analyzer *an, const irl_stmt *s);
/* Each of `count` variables in [0, its extent). */
IRL__FN int irl__bind_axes(irl__analyzer *an, int count, const irl_expr *const *vars,
                           const irl_expr *const *extents);
/* A new analyzer that knows names, which are at least 1 and keep `where`; NULL: nothing more. */
IRL__FN irl__analyzer *irl__analyzer_of_names(irl_ctx *cx, int count, const irl_expr *const *names,
                                              const irl_expr *where);
/* var equals value: the range and divisibility of value are those of var. */
IRL__FN int irl__bind_value(irl__analyzer *an, const irl_expr *var, const irl_expr *value);
/* Forgets the variables that were bound since the mark, because their scope has ended; a pass over
   a long function stays as fast as over a short one. Facts since then must have been released. */
IRL__FN int  irl__bindings_mark(const irl__analyzer *an);
IRL__FN void irl__bindings_release(irl__analyzer *an, int mark);

/* Facts hold until the mark is released; marks nest. Facts that contradict each other make
   everything provable. */
IRL__FN int  irl__facts_mark(const irl__analyzer *an);
IRL__FN int  irl__fact(irl__analyzer *an, const irl_expr *condition);
/* What holds wherever operand k of e is evaluated. */
IRL__FN int irl__fact_for(irl__analyzer *an, const irl_expr *e, uint32_t k);
IRL__FN void irl__facts_release(irl__analyzer *an, int mark);

/* ---------------------------------------------------- questions: range.c, modular.c, prove.c */

/* Bounds of an integer or boolean expression; they hold always, and are not always the tightest. */
IRL__FN void irl__range(irl__analyzer *an, const irl_expr *e, int64_t *lo, int64_t *hi);
IRL__FN irl__interval irl__interval_of(irl__analyzer *an, const irl_expr *e);
/* Bounds of an expression as it stands, without simplifying it. */
IRL__FN irl__interval irl__range_of(irl__analyzer *an, const irl_expr *e);
/* Fixed-width arithmetic that cannot wrap, index arithmetic: ordinary integers. */
IRL__FN int irl__is_exact(irl__analyzer *an, const irl_expr *e);
/* e = coef * k + base for some integer k. */
IRL__FN irl__residues irl__modular(irl__analyzer *an, const irl_expr *e);
/* The same of an expression as it stands, without simplifying it. */
IRL__FN irl__residues irl__modular_of(irl__analyzer *an, const irl_expr *e);
/* True only if the condition holds for all values that the analyzer admits. */
IRL__FN int irl__prove(irl__analyzer *an, const irl_expr *condition);
/* True only if 0 <= index < extent always. */
IRL__FN int irl__prove_within(irl__analyzer *an, const irl_expr *index, const irl_expr *extent);
/* True only if a == b always. */
IRL__FN int irl__prove_equal(irl__analyzer *an, const irl_expr *a, const irl_expr *b);

/* defined.c: the first part of e, in the order of evaluation, that is not proved to have a value
   wherever its operands have: a sum may leave 64 bits, a divisor may be 0. NULL: e has a value
   everywhere, as it is written. */
IRL__FN const irl_expr *irl__undefined_part(irl__analyzer *an, const irl_expr *e);
/* The same where sums and products of indices that vary are known to fit: what remains are
   divisors, distances, casts and constants. */
IRL__FN const irl_expr *irl__undefined_if_sums_fit(irl__analyzer *an, const irl_expr *e);

/* ---------------------------------------------------------- ends of ranges: order.c, reach.c */

/* A bound from above (sign 1) or below of e over all iterators bound with irl__bind_extent, in
   terms of what else stands in it; NULL where none is known. Only for index arithmetic.
   irl__symbolic_end gives it only where it is known to be reached. */
IRL__FN const irl_expr *irl__symbolic_bound(irl__analyzer *an, const irl_expr *e, int sign);
IRL__FN const irl_expr *irl__symbolic_end(irl__analyzer *an, const irl_expr *e, int sign);
/* irl__symbolic_bound over var and what was bound after it; NULL too where var is not bound. What
   their ranges read of memory must be the same as when they were bound. */
IRL__FN const irl_expr *irl__symbolic_bound_over(irl__analyzer *an, const irl_expr *e, int sign,
                                                 const irl_expr *var);
/* Whether e goes over all values between its ends: what was bound to an extent since the mark of
   bindings moves, and what was before has one value. The extents are not empty. */
IRL__FN int irl__is_dense_since(irl__analyzer *an, const irl_expr *e, int mark);

/* Whether something that was bound to an extent stands in e: it is not made of parameters alone. */
IRL__FN int irl__expr_moves(irl__analyzer *an, const irl_expr *e);

/* ------------------------------------------------------------------ simplify.c, keep.c */

/* e over the integers, which have no ends, as short and plain as the rules get it: the same number
   wherever e has a value. To be reasoned about, not to be evaluated: what leads there may leave 64
   bits, or divide by 0, where e does not. e itself where nothing helps; NULL when the context has
   failed. */
IRL__FN const irl_expr *irl__canonical(irl__analyzer *an, const irl_expr *e);

/* An expression of the same type, as short and plain as the rules get it; e itself where nothing
   helps. Wherever e has a value it has the same: what had a value keeps it, in every intermediate
   result (keep.c). NULL when the context has failed. Never evaluates memory more often or earlier
   than e does, never reorders floating point. */
IRL__FN const irl_expr *irl__simplify(irl__analyzer *an, const irl_expr *e);
/* The same without knowledge of ranges, where no analyzer is at hand. */
IRL__FN const irl_expr *irl__simplify_alone(irl_ctx *cx, const irl_expr *e);
/* The same, where no more is known than that b's extents are sizes. */
IRL__FN const irl_expr *irl__simplify_size(irl_ctx *cx, const irl_expr *e, const irl_buffer *b);

/* --------------------------------- affine.c: sums of multiples, and steps along a variable */

/* Takes the term scale * factor * atom of a sum; factor NULL is 1. is_fixed: atom is a number, or
   what the reader's is_fixed says. False ends the reading. */
typedef int irl__affine_term(void *user, const irl_expr *atom, int64_t scale,
                             const irl_expr *factor, int is_fixed);

typedef struct irl__affine_reader {
    irl_ctx *cx;
    void    *user;
    /* Whether e is the same in all iterations, and may be a factor. NULL: only numbers are. */
    int (*is_fixed)(const void *user, const irl_expr *e);
    irl__affine_term *term;
    int               keeps_sums; /* a sum that is fixed is one term; else its terms are */
} irl__affine_reader;

/* Gives the terms of scale * factor * e from left to right. Sums, differences, negations and
   products with what is fixed are taken apart; all else is an atom. False where a term was refused
   or a scale leaves 64 bits. Cost: the nodes that are taken apart, times that of is_fixed. */
IRL__FN int irl__affine_read(const irl__affine_reader *r, const irl_expr *e, int64_t scale,
                             const irl_expr *factor);

/* How much e grows where var grows by 1: a number, or an expression. NULL on failure. */
IRL__FN const irl_expr *irl__step_along(irl__analyzer *an, const irl_expr *e, const irl_expr *var);
/* The same as a number; 0 where it is none. */
IRL__FN int64_t irl__step_number(irl__analyzer *an, const irl_expr *e, const irl_expr *var);

/* ------------------------------------------------------------------ bits.c: linear over bits */

/* The variables as bits 0 .. bits-1; each as wide as its extent needs. */
typedef struct irl__bit_space {
    int                    count, bits, whole; /* whole: every extent is a power of two */
    const irl_expr *const *vars;
    int                    first[IRL_MAX_RANK], width[IRL_MAX_RANK];
} irl__bit_space;

/* Bit b of a value: the exclusive or of the variables' bits in row[b], and of bit b of constant;
   not known where unknown has it. */
typedef struct irl__bit_rows {
    uint64_t row[64], constant, unknown;
} irl__bit_rows;

/* Rows in elimination, by their highest bit; tag says of which of the used rows each was made. */
typedef struct irl__bit_system {
    uint64_t row[64], tag[64];
    int      rank, used, output[64], position[64];
} irl__bit_system;

/* False if the variables need more than 64 bits. */
IRL__FN int irl__bit_space_make(irl__bit_space *s, int count, const irl_expr *const *vars,
                                const int64_t *extent);
/* False if e is not linear over bits. */
IRL__FN int irl__bit_rows_of(const irl__bit_space *s, const irl_expr *e, irl__bit_rows *out);
/* True if the values determine the variables: then row[b] is bit b alone and tag[b] says which used
   rows give it. */
IRL__FN int irl__bits_invert(const irl__bit_space *s, int count, const irl__bit_rows *rows,
                             irl__bit_system *m);
/* Of a system that is not: a difference of two points that no value sees. */
IRL__FN uint64_t irl__bits_kernel(const irl__bit_space *s, const irl__bit_system *m);
IRL__FN void     irl__bits_point(const irl__bit_space *s, uint64_t x, int64_t *at);
/* The largest (sign 1) or least value over all bits, and bits that give it. */
IRL__FN void irl__bits_extreme(const irl__bit_rows *r, int sign, uint64_t *value, uint64_t *x);
/* The bits that may be one in a value; all of them where it may be negative. */
IRL__FN uint64_t irl__possible_ones(irl__analyzer *an, const irl_expr *e);

/* ------------------------------------ shape.c: shapes of numbers, and symbolic shapes */

/* Extents as numbers; false where one has names in it or is negative. */
IRL__FN int irl__shape_of(irl_ctx *cx, int count, const irl_expr *const *extents, irl_shape *out);
/* The extents as expressions; NULL when memory is out. */
IRL__FN const irl_expr *const *irl__shape_extents(irl_ctx *cx, const irl_shape *shape);
/* The shape of these extents, of which the context keeps a copy. */
IRL__FN int irl__shape_keep(irl_ctx *cx, int rank, const irl_expr *const *extents, irl_shape *out);

/* What a shape is given as: where it may be negative, and what a diagnostic calls it. */
typedef enum irl__shape_as {
    IRL__AS_SHAPE,
    IRL__AS_BOUND,
    IRL__AS_POINT,
    IRL__AS_STRIDES,
    IRL__AS_TENSOR
} irl__shape_as;
/* What a caller gave, looked at: constants alone become numbers, and `named` is NULL then. False
   with a diagnostic for what is no shape. */
IRL__FN int irl__shape_settle(irl_ctx *cx, irl_shape *s, irl__shape_as as, irl_loc loc);
/* The same for who takes numbers alone. */
IRL__FN int irl__shape_is_counted(irl_ctx *cx, irl_shape *s, irl__shape_as as, const char *who,
                                  irl_loc loc);

#endif
