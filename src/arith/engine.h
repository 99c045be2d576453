/* engine.h - what the files of this folder share: the analyzer's inside and sums of terms.

   needs     arith.h
   promises  nothing outside src/arith reads this file, except tests

   Rules on sums - reading, writing, facts - come before the simplifier in the list of files and
   never call it. Those from order.c on simplify what they make, by all rules: they reach the
   simplifier, which stands below them, through the analyzer. All other calls go up the list of
   files. */
#ifndef IRL__ENGINE_H
#define IRL__ENGINE_H

#include "arith.h"

/* ------------------------------------------------------------------ interval.c */

IRL__FN irl__interval irl__interval_make(int64_t lo, int64_t hi);
IRL__FN irl__interval irl__interval_any(void);
IRL__FN irl__interval irl__interval_add(irl__interval a, irl__interval b);
IRL__FN irl__interval irl__interval_scale(irl__interval a, int64_t k);
IRL__FN irl__interval irl__interval_meet(irl__interval a, irl__interval b);
/* Of an operator's results over the integers, where none wraps; b does not count if there is one
   operand. */
IRL__FN irl__interval irl__interval_op(irl_op op, irl__interval a, irl__interval b);

/* ------------------------------------------------------------------ analyzer.c */

enum { IRL__MEMO_SIZE = 128, IRL__WORK_LEAST = 20000, IRL__WORK_EACH = 100 };

/* What was found out about an expression that is no leaf. A direct-mapped cache: a newer one takes
   the place of an older. What is still in it decides how soon the work is spent, so its places go
   by the form of expressions, never by their address. */
typedef struct irl__memo {
    const irl_expr *key, *result; /* result NULL: not simplified yet */
    irl__interval   range;
    uint32_t        generation;
    int             has_range;
} irl__memo;

/* A new table is not cleared, which would cost more than most analyzers ever ask. */
typedef struct irl__memos {
    uint32_t  filled[IRL__MEMO_SIZE / 32]; /* the entries that anything was put in */
    irl__memo at[IRL__MEMO_SIZE];
} irl__memos;

/* What is known about a variable, or about any expression through a fact. */
typedef struct irl__known {
    const irl_expr *key;
    irl__interval   range;
    const irl_expr *first, *last; /* both included; NULL: none but range */
    const irl_expr *equal;        /* NULL: none */
    int             is_iterator;  /* irl__bind_extent gave its range */
    int             since;        /* the mark of bindings before it came */
} irl__known;

typedef struct irl__undo {
    const irl_expr *key;
    irl__interval   range; /* to put back */
} irl__undo;

/* coef * atom: an atom is a simplified expression that is neither a sum nor a constant nor a
   multiple. */
typedef struct irl__term {
    const irl_expr *atom;
    int64_t         coef;
} irl__term;

/* What gives e, or each operand of it, another form. */
typedef const irl_expr *irl__simplifier(irl__analyzer *an, const irl_expr *e);

struct irl__analyzer {
    irl_ctx    *cx;
    irl__simplifier *simplify; /* by all rules; simplify.c makes every analyzer */
    irl__memos *memo;
    irl__memos *kept; /* of keep.c; NULL until it asks for them */
    uint32_t    generation, next_generation; /* entries of another generation do not count */
    irl__known *known; /* open addressing by key */
    int         known_capacity, known_count;
    const irl_expr **keys; /* of `known`, in the order in which they came */
    int         key_capacity;
    irl__undo  *undo;
    int         undo_capacity, undo_count;
    irl__term  *terms; /* the stack that sums live on */
    int         term_capacity, term_count;
    int         symbolic;   /* some variable has symbolic bounds */
    int         fixed;      /* what was bound before this mark is taken as a parameter */
    int         memory_stays; /* what symbolic ranges read is the same now */
    int         fact_count; /* entries of `known` that came from facts */
    /* a rewritten expression would exceed a limit of the IR, or takes too long: keep what was
       written */
    int         too_big;
    int         running;    /* irl__simplify within irl__simplify */
    int64_t     work;       /* nodes that may still be looked at before it gives up */
    int         choices;    /* comparisons and signs that are split by the parts of a choice or a
                               minimum, one within the other */
    int         contradiction; /* the facts cannot all hold */
    uint32_t   *fired;      /* tests: how often each rule was applied; NULL otherwise */
};

/* An analyzer that knows nothing; scratch memory of the caller. NULL when it is out. */
IRL__FN irl__analyzer *irl__analyzer_make(irl_ctx *cx, irl__simplifier *simplify);
/* The list of the analyzer with room for one more; NULL: memory is out. */
IRL__FN void *irl__analyzer_room(irl__analyzer *an, void *list, int count, int *capacity,
                                 size_t size);
IRL__FN irl__known *irl__known_find(const irl__analyzer *an, const irl_expr *key);
IRL__FN irl__known *irl__known_add(irl__analyzer *an, const irl_expr *key);
/* its entry, emptied if it held another */
IRL__FN irl__memo  *irl__memo_of(irl__analyzer *an, const irl_expr *key);
IRL__FN irl__memo  *irl__memo_in(const irl__analyzer *an, irl__memos *memos, const irl_expr *key);
IRL__FN void        irl__forget_memo(irl__analyzer *an); /* something else is known now */
/* Building that refuses, with an->too_big, what the IR would refuse with a diagnostic. */
IRL__FN const irl_expr *irl__make1(irl__analyzer *an, irl_op op, const irl_expr *a);
IRL__FN const irl_expr *irl__make2(irl__analyzer *an, irl_op op, const irl_expr *a,
                                   const irl_expr *b);
IRL__FN const irl_expr *irl__make_with(irl__analyzer *an, const irl_expr *e,
                                       const irl_expr *const *operands);

/* ------------------------------------------------------------------ range.c, modular.c */

IRL__FN irl__residues irl__residues_any(void);

/* What a cast to an integer leaves unchanged, by range; NULL if it may change. */
IRL__FN const irl_expr *irl__cast_source(irl__analyzer *an, const irl_expr *e);
/* Nothing in e, which was made of terms, may wrap: then it is the number that they are. */
IRL__FN int irl__stays_exact(irl__analyzer *an, const irl_expr *e);
/* No memory, and no division or shift that may have no value: it may be evaluated anywhere. */
IRL__FN int irl__is_total(irl__analyzer *an, const irl_expr *e);

/* ------------------------------------------------------------------ sum.c */

enum { IRL__SUM_LIMIT = 1024 }; /* terms */

/* constant + the terms [first, first + count) of the analyzer's stack; a sum that grows must be the
   topmost. */
typedef struct irl__sum {
    int      first, count;
    int64_t  constant;
    irl_type type;
} irl__sum;

/* All functions on sums are false (or NULL) on overflow, too many terms, or a failed context. */
IRL__FN irl__sum irl__sum_begin(const irl__analyzer *an, irl_type type);
IRL__FN void     irl__sum_end(irl__analyzer *an, const irl__sum *s); /* pops it and all above it */
IRL__FN int irl__sum_add_term(irl__analyzer *an, irl__sum *s, const irl_expr *atom, int64_t coef);
IRL__FN int      irl__sum_add_sum(irl__analyzer *an, irl__sum *s, const irl__sum *b, int64_t scale);
/* all terms of b but number `at` */
IRL__FN int irl__sum_add_others(irl__analyzer *an, irl__sum *s, const irl__sum *b, int at,
                                int64_t scale);
IRL__FN void     irl__sum_compact(irl__analyzer *an, irl__sum *s); /* drops zero terms */
IRL__FN int      irl__sum_scale(irl__analyzer *an, irl__sum *s, int64_t k);
/* of the coefficients and `with` */
IRL__FN int64_t  irl__sum_gcd(const irl__analyzer *an, const irl__sum *s, int64_t with);
/* larger scales first; terms of one scale as they came */
IRL__FN void     irl__sum_sort(irl__analyzer *an, const irl__sum *s);
/* u, the topmost sum, in the place of s, which stands right below it. What may fail is built first,
   so that s stays whole. */
IRL__FN void irl__sum_replace(irl__analyzer *an, irl__sum *s, irl__sum *u);
IRL__FN irl__interval irl__sum_range(irl__analyzer *an, const irl__sum *s);
/* The number of the atom's term; -1: it has none. */
IRL__FN int irl__sum_find(const irl__analyzer *an, const irl__sum *s, const irl_expr *atom);
/* Whether all terms of `part` are terms of s; then, with `take`, s loses them. */
IRL__FN int irl__sum_has(irl__analyzer *an, irl__sum *s, const irl__sum *part, int take);

/* ------------------------------------------------------------------ product.c */

enum { IRL__FACTOR_LIMIT = 40 };

/* Appends the factors of a product atom, outermost last; false if there are too many. */
IRL__FN int irl__product_factors(const irl_expr *e, const irl_expr **out, int *count);
/* The fixed order of factors: by what they are made of. */
IRL__FN int irl__factor_compare(const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__product_make(irl__analyzer *an, const irl_expr *const *factors,
                                          int count);
/* The product of n factors, which are put in the fixed order. */
IRL__FN const irl_expr *irl__product_ordered(irl__analyzer *an, const irl_expr **f, int n);
/* The product of two atoms, factors in the fixed order. */
IRL__FN const irl_expr *irl__product_of(irl__analyzer *an, const irl_expr *a, const irl_expr *b);
/* atom / by, where all factors of `by` are factors of the atom; *quotient is NULL for 1. */
IRL__FN int irl__product_quotient(irl__analyzer *an, const irl_expr *atom, const irl_expr *by,
                                  const irl_expr **quotient);

/* ------------------------------------------------------------------ sum_expr.c */

/* s += scale * e, which is simplified */
IRL__FN int irl__sum_add_done(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale);
/* s += scale * x * y, neither a constant, by what reads x and y */
typedef int irl__sum_reader(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale);
IRL__FN int irl__sum_add_product(irl__analyzer *an, irl__sum *s, const irl_expr *x,
                                 const irl_expr *y, int64_t scale, irl__sum_reader *read);

/* s += scale * e: sums, differences and multiples are taken apart, and `read` reads what remains */
IRL__FN int irl__sum_add_linear(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale,
                                irl__sum_reader *read);

IRL__FN const irl_expr *irl__sum_emit(irl__analyzer *an, const irl__sum *s);
/* k*e + rest, e simplified; NULL for NULL */
IRL__FN const irl_expr *irl__sum_emit_with(irl__analyzer *an, const irl_expr *e, int64_t k,
                                           const irl__sum *rest);
/* as they are: no factor outside */
IRL__FN const irl_expr *irl__sum_emit_terms(irl__analyzer *an, const irl__sum *s);

static inline irl_op irl__choice_opposite(irl_op op)
{
    return op == IRL_OP_MIN ? IRL_OP_MAX : IRL_OP_MIN;
}
static inline int irl__same_leaves(const irl_expr *a, const irl_expr *b) /* in any order */
{
    return (a->a[0] == b->a[0] && a->a[1] == b->a[1]) || (a->a[0] == b->a[1] && a->a[1] == b->a[0]);
}
/* ------------------------------------------------------------------ monomial.c */

/* c * e; e NULL: c. */
typedef struct irl__monomial {
    int64_t         c;
    const irl_expr *e;
} irl__monomial;

/* Of a simplified e; false if it is 0 or a sum. */
IRL__FN int irl__monomial_of(irl__analyzer *an, const irl_expr *e, irl__monomial *m);
IRL__FN const irl_expr *irl__monomial_expr(irl__analyzer *an, irl__monomial m, irl_type type);
IRL__FN int irl__monomial_multiply(irl__analyzer *an, irl__monomial a, irl__monomial b,
                                   irl__monomial *out);
/* false if there is a rest */
IRL__FN int irl__monomial_divide(irl__analyzer *an, irl__monomial a, irl__monomial b,
                                 irl__monomial *out);
IRL__FN int irl__monomial_same(irl__monomial a, irl__monomial b);
/* Not negative, so that it is a divisor where it has a value: what divides by 0 has none. */
IRL__FN int irl__monomial_is_size(irl__analyzer *an, irl__monomial m, irl_type type);
static inline irl__monomial irl__monomial_number(int64_t c)
{
    irl__monomial m;
    m.c = c;
    m.e = NULL;
    return m;
}

/* ------------------------------------------------------------------ facts.c */

/* irl__bind_value of what is simplified. */
IRL__FN int irl__bind_done(irl__analyzer *an, const irl_expr *var, const irl_expr *value);
/* irl__fact_done, but for what follows from the order of what differs. */
IRL__FN int irl__fact_stated(irl__analyzer *an, const irl_expr *condition);
/* The range of s, which is topmost: facts about it count too. */
IRL__FN irl__interval irl__sum_range_known(irl__analyzer *an, const irl__sum *s);

/* ------------------------------------------------------------------ order.c */

/* irl__symbolic_bound of an expression that is simplified, not simplified itself; depth: 0. */
IRL__FN const irl_expr *irl__bound_of(irl__analyzer *an, const irl_expr *e, int sign, int depth);
/* True only if e >= 0 always. */
IRL__FN int irl__bound_nonnegative(irl__analyzer *an, const irl_expr *e);
/* Whether s >= 0 always, with the symbolic bounds of variables too. s is used up. */
IRL__FN int irl__sum_nonnegative(irl__analyzer *an, irl__sum *s);
/* Whether sign*s >= least always. */
IRL__FN int irl__sum_reaches(irl__analyzer *an, const irl__sum *s, int sign, int64_t least);

/* ------------------------------------------------------------------ divmod.c */

/* s / c or s % c, by op, simplified; s is used up. c != 0. */
IRL__FN const irl_expr *irl__sum_by(irl__analyzer *an, irl_op op, irl__sum *s, int64_t c);
/* The same of an expression that is simplified. */
IRL__FN const irl_expr *irl__expr_by(irl__analyzer *an, irl_op op, const irl_expr *e,
                                     irl__monomial by);
/* s / d or s % d, NULL for 0; d stands above s, both are used up. */
IRL__FN const irl_expr *irl__sum_divmod(irl__analyzer *an, irl_op op, irl__sum *s,
                                        const irl__sum *d);
/* (x%m)*k + r becomes x*k + r where c divides m*k: the same modulo c. */
IRL__FN int irl__sum_drop_inner_mods(irl__analyzer *an, irl__sum *s, int64_t c);

/* ------------------------------------------------------------------ sum_merge.c */

/* terms that are looked at pair by pair, and pairs that are merged */
enum { IRL__MERGE_LIMIT = 64 };
/* x/c*c + x%c -> x and its kin */
IRL__FN int irl__sum_merge(irl__analyzer *an, irl__sum *s);

/* ----------------------------------------- minmax.c, compare.c, logic.c, lanes.c, simplify.c */

/* irl__fact of what is simplified. */
IRL__FN int irl__fact_done(irl__analyzer *an, const irl_expr *condition);
/* Whether a - b + shift >= 0 always, of what is simplified. */
IRL__FN int irl__decide_difference(irl__analyzer *an, const irl_expr *a, const irl_expr *b,
                                   int64_t shift);
/* One node each, by its kind. minmax and compare: its operands are simplified. */
IRL__FN const irl_expr *irl__simplify_minmax(irl__analyzer *an, const irl_expr *e);
IRL__FN const irl_expr *irl__simplify_compare(irl__analyzer *an, const irl_expr *e);
IRL__FN const irl_expr *irl__simplify_logic(irl__analyzer *an, const irl_expr *e);
IRL__FN const irl_expr *irl__simplify_choice(irl__analyzer *an, const irl_expr *e);
IRL__FN const irl_expr *irl__simplify_lanes(irl__analyzer *an, const irl_expr *e);
/* One node and what is below it, through the memo. */
static inline const irl_expr *irl__simplify_node(irl__analyzer *an, const irl_expr *e)
{
    return an->simplify(an, e);
}

/* s += scale * e, which is simplified on the way */
IRL__FN int irl__sum_add(irl__analyzer *an, irl__sum *s, const irl_expr *e, int64_t scale);
/* e with each operand as `each` gives it; then a constant or an operand, where e is one. */
IRL__FN const irl_expr *irl__simplify_plainly(irl__analyzer *an, const irl_expr *e,
                                              irl__simplifier *each);

/* ------------------------------------------------------------------ defined.c */

/* By ranges alone: the operator has a value wherever its operands have; e has one everywhere. What
   is larger than *reach of what is computed (not of variables) becomes *reach; NULL: no matter. */
IRL__FN int irl__operator_is_defined(irl__analyzer *an, const irl_expr *e, int64_t *reach);
IRL__FN int irl__is_defined(irl__analyzer *an, const irl_expr *e, int64_t *reach);
/* The largest size, at least `reach`, of an index in e; INT64_MAX: not known. */
IRL__FN int64_t irl__defined_reach(irl__analyzer *an, const irl_expr *e, int64_t reach);

#endif
