/* map.h - the mathematics of index maps: cells of points, collisions, inverses.

   needs     arith
   promises  a verdict is exact or undecided; a point given as a witness was evaluated on the map as
             it is written */
#ifndef IRL__MAP_H
#define IRL__MAP_H

#include "../arith/arith.h"

/* --------------------------------------- program.c: many evaluations of the same expressions */

/* The value of an expression of constants, `vars` and operators; by its meaning, one point. NO_RULE
   for anything else in it. */
IRL__FN irl__fold_status irl__value_at(const irl_expr *e, int count, const irl_expr *const *vars,
                                       const int64_t *values, int64_t *out);

/* Why an expression has no value at a point: the first part whose operator fails there, and its
   operands. */
typedef struct irl__no_value {
    irl__fold_status status;
    const irl_expr  *part; /* NULL: not known */
    int64_t          operand[2];
} irl__no_value;
/* The same; fills `why` where the status is neither OK nor NO_RULE. */
IRL__FN irl__fold_status irl__value_at_why(const irl_expr *e, int count,
                                           const irl_expr *const *vars, const int64_t *values,
                                           int64_t *out, irl__no_value *why);
/* "overflow at i * i"; "its operands are 3 and 3 at (3)"; a diagnostic of both. */
IRL__FN void irl__no_value_text(irl__text *t, const irl__no_value *why);
IRL__FN void irl__no_value_point(irl__text *t, const irl__no_value *why, int rank,
                                 const int64_t *at);
IRL__FN int irl__no_value_fail(irl_ctx *cx, irl_loc loc, const irl__no_value *why, int rank,
                               const int64_t *at);

enum { IRL__MOST_STEPS = 1 << 16 }; /* of a program: strips of 1 KiB */
enum { IRL__STRIP = 128 }; /* points evaluated together */
#define IRL__MOST_POINTS (INT64_C(1) << 28) /* looked at for one question */
#define IRL__MOST_CELLS (INT64_C(1) << 26)  /* of a bitset */

/* One operator over strips of values. */
typedef struct irl__step {
    uint8_t op;
    uint8_t scalar;  /* type of the operands */
    uint8_t checked; /* the operation may overflow, or divide by zero, or shift too far */
    int     a[3];    /* operands: slots */
    int64_t value;   /* of a constant */
} irl__step;

typedef struct irl__program {
    irl_ctx   *cx;
    int        input_count, step_count, output_count;
    irl__step *steps;   /* step k writes slot input_count + k */
    int       *outputs; /* slots */
    const irl_expr *const *inputs, *const *exprs; /* the caller's lists */
    int64_t   *slots;   /* (input_count + step_count) strips */
    uint8_t   *seen;    /* per step, while one point is done alone */
    irl__fold_status status; /* of the last run that failed */
    int              failed_at; /* which point of the strip */
} irl__program;

/* Expressions over the variables `inputs` as a program in scratch memory; ranges in `an` tell what
   needs no check. False, with a diagnostic, if something in them cannot be evaluated: a load, a
   call, a free variable. `an` may be NULL. */
IRL__FN int irl__program_make(irl_ctx *cx, irl__program *p, irl__analyzer *an, int input_count,
                              const irl_expr *const *inputs, int output_count,
                              const irl_expr *const *outputs);
/* The outputs of a map over its inputs. */
IRL__FN int irl__program_of_map(irl_ctx *cx, irl__program *p, irl__analyzer *an,
                                const irl_map *map);
static inline int64_t *irl__program_input(const irl__program *p, int k)
{
    return p->slots + (ptrdiff_t)k * IRL__STRIP;
}
static inline const int64_t *irl__program_output(const irl__program *p, int k)
{
    return p->slots + (ptrdiff_t)p->outputs[k] * IRL__STRIP;
}
/* Evaluates `count` points (at most IRL__STRIP) whose coordinates stand in the inputs. False with
   p->status set. */
IRL__FN int irl__program_run(irl__program *p, int count);
/* The same where points without a value are passed over: their number that have one, and which. */
IRL__FN int irl__program_run_some(irl__program *p, int count, uint8_t *has_value);
/* The diagnostic for a failed run: where, and with which point. */
IRL__FN int irl__program_fail(irl__program *p, irl_loc loc);

/* -------------------------------------------------- points.c: all points of a box, in strips */

/* Whom to tell of what is looked at for one question. */
typedef struct irl__budget {
    const irl_check_options *how; /* NULL: nobody */
    /* points of the walk in which the caller said stop; total 0: he did not */
    int64_t             done, total;
} irl__budget;
IRL__FN irl__budget irl__budget_of(const irl_check_options *how);

/* Walks the points of a box in row-major order. */
typedef struct irl__walk {
    int           rank;
    const int64_t *extent;
    int64_t       at[IRL_MAX_RANK]; /* the first point of the strip */
    int64_t       done, total;
    irl__budget  *budget; /* or NULL */
} irl__walk;

/* False if the number of points exceeds `limit`. */
IRL__FN int irl__walk_begin(irl__walk *w, int rank, const int64_t *extent, int64_t limit);
/* False if looking at every point with this program takes more steps than the question has left. */
IRL__FN int irl__walk_within(irl__walk *w, const irl__program *p, int rank, const int64_t *extent,
                             irl__budget *budget);
/* Fills the program's inputs with the next points; their number, 0 at the end, -1 when the caller
   has stopped it. */
IRL__FN int irl__walk_next(irl__walk *w, irl__program *p);
/* The cells of a box, numbered in row-major order. */
typedef struct irl__cells {
    int     rank;
    int64_t low[IRL_MAX_RANK], stride[IRL_MAX_RANK], total;
} irl__cells;
/* The box from `low` (NULL: 0) to below `end`; false where 63 bits do not count its cells. */
IRL__FN int irl__cells_of(irl__cells *c, const irl_shape *low, const irl_shape *end);
/* Of each point of a strip the number of its cell. */
IRL__FN void irl__cells_number(const irl__cells *c, const irl__program *p, int count,
                               int64_t *number);
/* Point number `at` of a strip. */
IRL__FN void irl__strip_point(const irl__program *p, int at, irl_shape *point);
/* The coordinates of point number n. */
IRL__FN void irl__point_of(int rank, const int64_t *extent, int64_t n, int64_t *at);

/* ------------------------------------------------ values.c: has a map a value at every point */

/* The axes that an expression uses. */
typedef struct irl__axes {
    int             rank, axis[IRL_MAX_RANK];
    int64_t         extent[IRL_MAX_RANK];
    const irl_expr *input[IRL_MAX_RANK];
} irl__axes;
IRL__FN void irl__expr_axes(const irl_map *map, const irl_shape *shape, const irl_expr *e,
                            irl__axes *axes);
/* Number n of the 2 + 2 * rank points at corners: all axes at 0 or at their ends, or all but one.
 */
IRL__FN void irl__corner_point(const irl_shape *shape, int n, int64_t *at);
/* A point of those axes as a point of all `rank`, which are 0 elsewhere. */
IRL__FN void irl__axes_point(const irl__axes *axes, const int64_t *reduced, int rank, int64_t *at);

/* One expression at every point of the axes that it uses. */
typedef struct irl__output_walk {
    irl__axes    axes;
    irl__program program;
    irl__walk    walk; /* over axes.extent: not to be copied */
} irl__output_walk;
/* Begins in scratch memory of the caller: 1; 0 failed, with a diagnostic; -1 the budget does not
   allow that many points. */
IRL__FN int irl__output_walk_begin(irl_ctx *cx, irl__output_walk *o, const irl_map *map,
                                   const irl_shape *shape, const irl_expr *const *e,
                                   irl__budget *budget);

/* Where a map has no value, or is not known to have one. */
typedef struct irl__gap {
    /* `why` is true at the point `at`; else `part` is what is not known, and why says what may
       happen */
    int             certain;
    int             output;
    irl__no_value   why;
    int64_t         at[IRL_MAX_RANK];
    const irl_expr *part;
    int64_t         lo[2], hi[2]; /* of the part's operands */
} irl__gap;
/* A map on a shape, and what is known there. */
typedef struct irl__domain {
    irl_ctx         *cx;
    const irl_map   *map;
    const irl_shape *shape;
    irl__budget     *budget;
    irl__analyzer   *an;    /* every input lies within its extent */
    int              empty; /* there is no point */
    const irl_expr  *extents[IRL_MAX_RANK];
    /* the outputs, simplified, their choices factored; NULL: not asked for yet */
    const irl_expr *forward[IRL_MAX_RANK];
} irl__domain;
/* Scratch memory of the caller. False when memory is out. */
IRL__FN int             irl__domain_begin(irl__domain *d, irl_ctx *cx, const irl_map *map,
                                          const irl_shape *shape, irl__budget *budget);
IRL__FN const irl_expr *irl__domain_output(irl__domain *d, int output); /* simplified */
/* What a let names stands where it is used, and what both arms of a choice add outside of it; e
   itself where there is nothing, or the result would be too large. */
IRL__FN const irl_expr *irl__change_factored(irl_ctx *cx, const irl_expr *e);
/* 1: everywhere; 0 failed; -1 no, or not known. */
IRL__FN int irl__map_has_values(irl__domain *d, irl__gap *gap);
/* "overflow at i * i: its operands are 3 and 3 at (3), one of 4 points" */
IRL__FN void irl__gap_text(irl__text *t, const irl__gap *gap, const irl_map *map,
                           const irl_shape *shape);
IRL__FN void irl__points_text(irl__text *t, const irl_shape *shape); /* "14 points" */

/* ------------------------------------------------------------------ verdicts */

/* The map for this shape, which is settled: "..." replaced, the empty map made the identity. NULL
   with a diagnostic. */
IRL__FN const irl_map *irl__map_for_shape(irl_ctx *cx, const irl_map *map, irl_shape *shape);
/* Why nothing is known: the failure's message, as the reason of a verdict. */
IRL__FN const char *irl__failure_reason(const irl_ctx *cx);
/* Binds every input to [0, extent). */
IRL__FN irl__analyzer *irl__map_analyzer(irl_ctx *cx, const irl_map *map, const irl_shape *shape);
/* Exact least (sign -1) or largest (sign 1) index of one output, and a point that has it. 1, 0 with
   a diagnostic, -1 if that takes too many points. The map has values. */
IRL__FN int irl__output_extreme(irl__domain *d, int output, int sign, int64_t *value, int64_t *at);

/* Why a map has no box, in words that last as long as the context, and the code where that must be
   a diagnostic. kind: UNDEFINED at the point `a`, OUT_OF_RANGE there, or UNDECIDED. */
typedef struct irl__doubt {
    irl_verdict_kind kind;
    irl_code         code;
    const char      *reason;
    irl_shape        a;
} irl__doubt;
/* What refuses a map of this verdict fails with, but for UNDEFINED, of which the status says it. */
IRL__FN irl_code irl__verdict_code(irl_verdict_kind kind);
IRL__FN irl_code irl__no_value_code(irl__fold_status status);
/* The box of the images: 1, 0 with a diagnostic, -1 with a doubt. Asks first whether the map has
   values. */
IRL__FN int irl__map_box(irl__domain *d, irl_shape *physical, irl_shape *minimum,
                         irl__doubt *doubt);
/* digits.c: how many places e takes where it is a digit, with the whole modulus of each remainder;
   NULL where it is none. `an` knows the names and the points; NULL: there are no names. */
IRL__FN const irl_expr *irl__digit_places(irl_ctx *cx, irl__analyzer *an, const irl_expr *e);
/* A layout's memory: the box of its images, where an axis that is a digit has all its places: c % 4
   is four lanes, of three channels too. */
IRL__FN void irl__memory_box(const irl_map *map, irl_shape *physical);
/* The reason why a question that has ended has no answer, with the steps if it wanted more. */
IRL__FN const char *irl__reason_of_work(const irl__question *q, const char *reason);
/* A text in the format of irl__textf as a reason; "" when memory is out. */
IRL__FN const char *irl__reason(irl_ctx *cx, const char *format, ...);

/* One question in progress: a map of the shape's rank, and what is known of the answer. */
typedef struct irl__check {
    irl_ctx                 *cx;
    const irl_map           *map;
    const irl_check_options *how;   /* never NULL */
    const irl_shape         *bound; /* settled; NULL: none */
    irl__budget              budget;
    irl__domain              on; /* the map on the shape */
    irl_verdict              v;
} irl__check;
/* No question yet. */
IRL__FN void irl__check_clear(irl__check *c, irl_ctx *cx, const irl_check_options *how);
/* Of c->map on c->v.shape, which is of numbers: 1 the verdict is in c->v, 0 it failed, -1 it is not
   known, as c->v.reason says. as_c: an IRL_LAYOUT is judged as C too. */
IRL__FN int irl__check_numbers(irl__check *c, int as_c);

/* verdict.c: a question about a map begins: its memory and work are counted. */
typedef struct irl__asking {
    irl_ctx      *cx;
    irl__question question;
    size_t        top, peak;
} irl__asking;
IRL__FN irl__asking irl__check_begin(irl_ctx *cx, int64_t most_work);
/* It ends; ok: 1 the verdict is in v, 0 it failed, -1 it is not known, as v->reason says. Sets the
   code, the bytes and the work, and the rest where nothing is known. ok, or 0 where the question
   has failed since. */
IRL__FN int irl__check_end(irl__asking *a, int ok, irl_verdict *v);

/* Each method: 1 it is decided; 0 failed, with a diagnostic; -1 not by this method. */
/* Every point of the shape, c->v.minimum and physical being known. v.reason says why not. */
/* growth.c */
IRL__FN int irl__check_by_growth(irl__check *c);
IRL__FN int irl__check_by_enumeration(irl__check *c);
/* A pair of points that collide, sought where maps usually lose: never decides otherwise. Points
   without a value are passed over. */
IRL__FN int irl__check_by_witness(irl__check *c);
/* All points, if they are so few that their images can be kept: for boxes of too many cells. -1 too
   where a point has no value and the others do not collide. */
IRL__FN int irl__check_few_points(irl__check *c);

/* The loss of a map is permitted: if a point is out of range, that is the verdict. Whoever takes a
   map that is lossy asks this first. */
IRL__FN void irl__verdict_permit_loss(irl_verdict *v);

/* ------------------------------------------------------------------ c_layout.c */

/* Whether C computes the line of an IRL_LAYOUT as its text says, at every point of the shape: 1,
   also for other maps; 0 failed; -1 it does not, c->v being the verdict, or that is not known,
   c->v.reason saying why. */
IRL__FN int irl__check_c(irl__check *c);
/* The same of quotients and remainders alone, whatever irl_index holds. */
IRL__FN int irl__check_c_rounding(irl__check *c);
/* The first quotient or remainder of an output as C has it that is not proved to be that of the
   text. NULL: there is none. */
IRL__FN const irl_expr *irl__c_unrounded(irl_ctx *cx, irl__analyzer *an, const irl_expr *e);

/* ------------------------------------------------------------------ padding.c */

/* The cells for which one of the conditions does not hold. NULL on failure. */
IRL__FN const irl_expr *irl__inverse_padding_of(irl_ctx *cx, irl__analyzer *cells, int count,
                                                const irl_expr *const *conditions);

/* The cells of memory that no point reaches, as a condition on `axes`: those outside the box of the
   images, and those that `inside` names within it, over the inverse's inputs; it is NULL where the
   box is full. box and memory are extents. *unused is NULL where every cell is reached. False on
   failure. */
IRL__FN int irl__memory_unused(irl_ctx *cx, int rank, const irl_expr *const *axes,
                               const irl_expr *const *box, const irl_expr *const *memory,
                               const irl_map *inverse, const irl_expr *inside,
                               const irl_expr **spare);
/* ------------------------------------------------------------------ inverse.c */

/* axis0, axis1, ...: the inputs of an inverse. */
IRL__FN int irl__inverse_axes(irl_ctx *cx, int count, const irl_expr **axes);
/* The cells of memory that no point reaches, of a verdict with inverse and padding: a condition
   over the inverse's inputs; *spare is NULL where there are none. False on failure. */
IRL__FN int irl__verdict_unused(irl_ctx *cx, const irl_verdict *v, const irl_expr **spare);
/* How many they are, of a verdict that is right. NULL: 63 bits do not count them, or on failure. */
IRL__FN const irl_expr *irl__verdict_unused_count(irl_ctx *cx, const irl_map *map,
                                                  const irl_verdict *v);
/* lookup.c: v.inverse and v.padding of a small injective map as tables: 1, 0 failed, -1 too
   large. */
IRL__FN int irl__lookup_inverse(irl__check *c);
/* Which variables the indices determine: out[k] is variable k by their values y, simplified; NULL:
   that is not known. The variable is one of extents[k] values from min[k] on. The analyzer knows
   the other names in the indices. False on failure. */
IRL__FN int irl__indices_solve(irl_ctx *cx, irl__analyzer *an, int count,
                               const irl_expr *const *vars, const irl_expr *const *min,
                               const irl_expr *const *extents, int rank,
                               const irl_expr *const *indices, const irl_expr *const *y,
                               const irl_expr **out);

/* How many cells of a box no point reaches, where each point has a cell of its own. `an` knows the
   points; it may be NULL where all extents are numbers, and NULL is returned then where 63 bits do
   not count the cells. */
IRL__FN const irl_expr *irl__cells_unused(irl__analyzer *an, const irl_map *map,
                                          const irl_expr *const *extents,
                                          const irl_expr *const *box);

/* A map whose box is known, and the way back from the cells of the box. Extents are numbers, or
   have names in them. */
typedef struct irl__way {
    irl_ctx               *cx;
    const irl_map         *map;
    /* what is known of points and of cells; with names the axes are bound in both, of numbers cells
       is NULL */
    irl__analyzer         *an, *cells;
    const irl_expr *const *extents;                /* of the points */
    const irl_expr        *forward[IRL_MAX_RANK];  /* the outputs, simplified, choices factored */
    const irl_expr        *axes[IRL_MAX_RANK], *box[IRL_MAX_RANK]; /* the cells */
    int                    asked;    /* for the way back, not only whether there is one */
    /* numbers: what is known; a collision may be found. NULL: names */
    irl_verdict           *numbers;
    irl__budget           *budget;   /* of numbers */
    /* what was found, with the way back: an inverse has its padding too; both may be NULL */
    const char            *method;
    const irl_expr        *spare;   /* as of irl__cells_unused */
    const irl_map         *inverse;
    const irl_expr        *padding;
} irl__way;
/* 1: no two points map to one cell, or numbers->kind is LOSSY; 0 failed; -1 not known. Scratch
   memory of the caller. */
IRL__FN int irl__way_find(irl__way *w);

/* ------------------------------------------------------------------ check_bits.c */

/* Bytes of a memory of these elements, over its extents, of which the analyzer knows the names.
   `e` has its stride. NULL on failure. */
IRL__FN const irl_expr *irl__bits_bytes(irl_ctx *cx, irl__analyzer *an, const irl_bit_element *e,
                                        int rank, const irl_expr *const *memory);

/* What packing through a map does: pack.c makes functions of it, proof.c shows that they undo each
   other. Extents are numbers, or expressions over the parameters. */
typedef struct irl__packing {
    irl_ctx               *cx;
    const irl_map         *map;            /* of the shape's rank */
    const char            *verdict, *method;
    const irl_expr *const *shape, *const *memory; /* extents of the points, and of the cells */
    const irl_map         *inverse;        /* NULL where no formula of it is known */
    const irl_expr *const *axes;           /* its inputs */
    const irl_expr        *spare;         /* over axes; NULL: none */
    int                    parameter_count;
    const irl_expr *const *parameters;
    /* the parameters for which all this holds; NULL where there are none */
    const irl_expr        *where;
    /* no parameters: points and cells are the extents as numbers */
    int                    is_counted;
    irl_shape              points, cells;
} irl__packing;
/* False, with a diagnostic, for a map that is not injective. */
IRL__FN int irl__packing_of(irl_ctx *cx, const irl_map *map, irl_shape shape, irl__packing *p);
/* An analyzer that knows the parameters, and variables from 0 to their extents. */
IRL__FN irl__analyzer *irl__packing_analyzer(const irl__packing *p, int count,
                                             const irl_expr *const *vars,
                                             const irl_expr *const *extents);

/* ------------------------------------------------------------------ extents.c, refute.c */

/* Every variable in `of`, n expressions, that is no input of the map, after those that are in the
   list already; at most IRL_MAX_RANK. */
IRL__FN void irl__map_parameters(const irl_map *map, int n, const irl_expr *const *of,
                                 const irl_expr **list, int *count);

/* Values of parameters, tried one after the other: small ones, the constants of the maps and those
   beside them. */
enum {
    IRL__TRIAL_PARAMETERS = 8,
    IRL__TRIAL_VALUES = 16,
    IRL__TRIALS = 400,
    IRL__TRIAL_POINTS = 4096
};
typedef struct irl__trials {
    irl_ctx               *cx;
    int                    parameter_count, count;
    const irl_expr *const *parameters;
    int64_t                value[IRL__TRIAL_VALUES];
    const irl_expr        *given[IRL__TRIAL_PARAMETERS]; /* of this trial, and as numbers */
    int64_t                values[IRL__TRIAL_PARAMETERS];
} irl__trials;
IRL__FN void irl__trials_begin(irl__trials *t, irl_ctx *cx, int count,
                               const irl_expr *const *parameters);
IRL__FN void irl__trials_constants(irl__trials *t, const irl_expr *e);
/* Calls for each combination until it returns 0, at most IRL__TRIALS times. What a trial makes or
   fails in is given back. */
IRL__FN void irl__trials_run(irl__trials *t, int (*trial)(void *user, const irl__trials *t),
                             void *user);
/* Extents for this trial; false where one is no number or negative, or where there are more than
   IRL__TRIAL_POINTS points. */
IRL__FN int irl__trial_shape(const irl__trials *t, int count, const irl_expr *const *extents,
                             irl_shape *out);
/* The map for this trial; NULL on failure. */
IRL__FN const irl_map *irl__trial_map(const irl__trials *t, const irl_map *map);

/* One symbolic question in progress. */
typedef struct irl__extents {
    irl_ctx               *cx;
    const irl_map         *map;
    const irl_expr *const *extents, *const *bound; /* bound: per output, or NULL */
    /* what the parameters are known to keep; NULL: nothing */
    const irl_expr        *given;
    irl__analyzer         *an, *cells, *names; /* what is known of points, cells, parameters */
    int                    as_c;     /* an IRL_LAYOUT is judged as C too */
    int                    has_gaps; /* it is not proved to have a value for all of them */
    /* where it was found to have none: for these values of the parameters, at this point, and
       why; "" */
    char                   gap[256];
    irl_code               gap_code;
    int64_t                gap_values[IRL__TRIAL_PARAMETERS];
    irl_shape              gap_at;
    irl_verdict           *v;
    int64_t                values[IRL__TRIAL_PARAMETERS]; /* those of the witness in v */
} irl__extents;

/* Whether a map or a shape has names in it: variables that are no inputs. */
IRL__FN int irl__map_has_names(const irl_map *map);
/* Of c->map on c->v.shape where there are names in them or in the bound; answers as
   irl__check_numbers does. given: what their values keep; NULL: they are at least 1. */
IRL__FN int irl__check_names(irl__check *c, const irl_expr *given, int as_c);
/* What is said with names alone, cleared. */
IRL__FN void irl__verdict_forget(irl_verdict *v);
/* The box alone, where the verdict may have none: of a map that is lossy or undecided. */
typedef struct irl__named_box {
    irl_shape       physical, minimum, memory;
    const irl_expr *where;  /* the parameters for which no index is negative; NULL: all */
    const char     *reason; /* why it is not known */
} irl__named_box;
/* 1, 0 with a diagnostic, -1 if the range of an output is not known. */
IRL__FN int irl__extents_box_alone(irl_ctx *cx, const irl_map *map, const irl_shape *shape,
                                   const irl_expr *given, irl__named_box *box);

/* Looks for values of the parameters for which the map is lossy, or else out of range, or else has
   no value somewhere; x->v says so then. */
IRL__FN void irl__extents_refute(irl__extents *x);

/* ------------------------------------------------------------------ check.c */

/* irl_map_check of what the text says alone: what C makes of an IRL_LAYOUT is no matter where the
   text is lowered or packed by. */
IRL__FN irl_verdict irl__check_text(irl_ctx *cx, const irl_map *map, irl_shape shape);
/* The same for the values of the names for which `given` is true. */
IRL__FN irl_verdict irl__check_given(irl_ctx *cx, const irl_map *map, irl_shape shape,
                                     const irl_expr *given);
/* Right for all that was asked about, with no condition. */
static inline int irl__verdict_is_right(const irl_verdict *v)
{
    return v->kind == IRL_BIJECTIVE || v->kind == IRL_INJECTIVE;
}

/* ------------------------------------------------------------------ json.c */

IRL__FN void irl__json_string(irl__text *t, const char *s); /* null for NULL */

/* ------------------------------------------------------------------ verdict_text.c */

/* "out of range: (0) goes to [-1]", of a map that is lossy too */
IRL__FN const char *irl__outside_reason(irl_ctx *cx, const irl_verdict *v);
/* , "key": [4, "N"]; null for NULL */
IRL__FN void irl__json_shape(irl__text *t, irl_ctx *cx, const char *key, const irl_shape *s);

#endif
