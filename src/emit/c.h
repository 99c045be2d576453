/* c.h - what the files of the C emitter share.

   needs     emit.h
   promises  C99 that needs nothing of this library: <stdint.h>, and <stddef.h> and <math.h> where
             something of them is used; C++11 takes it too

   READING ORDER  this file; c_integers.c (integers and bools); c_helper.c (functions that a program
                  brings along); c_index.c (indices of one type); c_low.c (integers of few bits);
                  c_func.c (one function); c_checked.c (what is checked before the host function
                  runs); c_host.c (the host function); c_language.c (what the shared printers ask);
                  c_program.c (the whole); c_spread.c (bits moved in few steps); c_field.c (an
                  element of bits); c_layout.c (a layout) */
#ifndef IRL__EMIT_C_H
#define IRL__EMIT_C_H

#include "../plan/plan.h"
#include "emit.h"

/* Helpers beyond the shared ones; for those with a scalar, its number is added. */
enum {
    IRL__C_RSQRT = IRL__HELP_COUNT,
    IRL__C_BITS,  /* + a scalar: its bits as those of the type */
    IRL__C_LOAD = IRL__C_BITS + 32, /* of the type, from bytes */
    IRL__C_STORE,
    IRL__C_JOIN, /* + a scalar: several of it as the type */
    IRL__C_PART = IRL__C_JOIN + 32, /* + a scalar: one of several of the type in it */
    IRL__C_VECTOR = IRL__C_PART + 32, /* the type of a vector */
    IRL__C_FMA, /* of vectors */
    IRL__C_PICK, /* bytes of two vectors, and those as numbers of 16 bits */
    IRL__C_WIDEN,
    IRL__C_SELECT, /* between vectors */
    IRL__C_MATH /* + an operator: of vectors of floats */
};

/* What a function does with a parameter. */
enum { IRL__C_WRITTEN = 1, IRL__C_READ = 2 };

/* What the host function passes to a kernel. */
typedef struct irl__c_kernel {
    const irl_func *function;
    const char     *name;
    unsigned char  *written; /* of each parameter: IRL__C_WRITTEN | IRL__C_READ */
} irl__c_kernel;

/* The one type of all indices, where the user chose it. */
typedef struct irl__c_index {
    irl_type    type;
    const char *name; /* NULL: indices are as wide as each needs */
    int64_t     least, most;
    int         is_compact; /* of at most 32 bits: for small machines, on which code is dear */
    const char *types[IRL__SCALAR_COUNT], *index_types[IRL__WIDTH_COUNT];
    const char *index_suffixes[IRL__WIDTH_COUNT];
} irl__c_index;

/* What of a program is printed. */
typedef enum irl__c_form { IRL__C_ALL, IRL__C_HEADER, IRL__C_SOURCE } irl__c_form;

typedef struct irl__c_program {
    irl__c_form          part;
    const irl_c_options *options;
    irl__c_index         index;
    irl__emit_language   language;
    irl__c_kernel       *kernels;
    int                  kernel_count;
    const char          *host;       /* its name in C */
    const char          *guard;      /* the same in capitals */
    int                  is_single;  /* the host function is its one kernel */
    int                  in_host;
    int                  in_checked; /* the function that checks arguments */
    int                  checks;     /* of it, so far */
    int                  returns;    /* the host has assertions: it says which fails */
    int                  asserts;    /* of the host, so far */
    const irl_expr      *scratch;    /* bytes of temporaries, so far */
    /* prints a function of vectors */
    void (*math_helper)(const irl__emit *e, irl__text *t, int op, irl_type type);
    const char          *scratch_name; /* of the parameter for them */
    irl__planned        *planned;    /* those that share memory, an array */
    const irl_plan_pool *pools;
    int                  pool_count;
    int64_t             *pool_at;    /* where each pool begins in the caller's memory */
    const char         **pool_names; /* of static memory */
    int                  uses_math, uses_size, uses_float, uses_single, uses_double, uses_restrict;
    int                  uses_fma;   /* of vectors */
    int                  uses_f16c;
    const irl_expr     **externs;    /* calls of the user's functions, one for each name */
    irl__text            header_text;  /* what a caller must see */
} irl__c_program;

static inline irl__c_program *irl__c_program_of(const irl__emit *e)
{
    return (irl__c_program *)e->unit->user;
}

/* ------------------------------------------------------------------ c_integers.c */

/* The language for expressions of integers and bools, without statements. */
IRL__FN void irl__c_integers(irl__emit_language *l);
/* What C prints its own way of such an expression: 1, printed. */
IRL__FN int irl__c_integer(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN int irl__c_integer_helper(irl__emit *e, irl__text *t, irl__emit_helper helper);
/* "irl_f_min_float(a, b)", a call of a helper of x's type. */
IRL__FN void irl__c_call(irl__emit *e, int kind, const char *name, const irl_expr *x);

/* ------------------------------------------------------------------ c_helper.c */

IRL__FN int irl__c_helper(irl__emit *e, irl__text *t, irl__emit_helper helper);
/* Asks for what the helpers that were asked for need, and brings it to the front. */
IRL__FN int irl__c_order_helpers(irl__emit *e);
/* "irl_f_u32_as_f32(": the bits of a `from` as a `to`; the caller closes the parenthesis. */
IRL__FN void irl__c_as(irl__emit *e, irl_type to, irl_type from);
/* The bits of several scalars as those of one, and of one as those of several, of which lane k. */
IRL__FN void irl__c_join(irl__emit *e, const irl_expr *x);
IRL__FN void irl__c_part(irl__emit *e, const irl_expr *x, uint32_t k);
IRL__FN void irl__c_load_run(irl__emit *e, const irl__memory_place *p);
IRL__FN void irl__c_store_run(irl__emit *e, const irl__memory_place *p, const irl_expr *value);

/* ------------------------------------------------------------------ c_language.c */

IRL__FN void irl__c_language(irl__emit_language *l);

/* ------------------------------------------------------------------ c_vector.c */

IRL__FN void irl__c_vector_type(irl__emit *e, irl_type type);
/* An index as what it is computed in. */
IRL__FN irl_type irl__c_vector_held(const irl__emit *e, irl_type type);
IRL__FN int  irl__c_vector_is_used(irl__emit *e, irl_type type);
IRL__FN void irl__c_vector_place(irl__emit *e, const irl__memory_place *p);
/* A value with lanes; a lane; a scalar of the bits of lanes; what a store writes. */
IRL__FN void irl__c_vector(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__c_vector_pick(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__c_vector_to_scalar(irl__emit *e, const irl_expr *x);
IRL__FN void irl__c_vector_stored(irl__emit *e, const irl_expr *value);
/* What the text of x would compute once for each of its lanes gets a name before it. */
IRL__FN void irl__c_vector_name_operands(irl__emit *e, const irl_expr *x);
/* fma of vectors: by the machine's instruction where the compiler says that there is one, and lane
   by lane elsewhere. */
IRL__FN void irl__c_vector_fma_helper(const irl__emit *e, irl__text *t, irl_type type);
/* The header that declares the machine's instructions, where the compiler says that there are any:
   for fma, for conversions of halves. */
IRL__FN void irl__c_vector_header(irl__text *t, int fma, int f16c);

/* ------------------------------------------------------------------ c_lanes.c */

/* Whether a conversion or a shuffle is one in the text too, and its text; its helpers. */
/* c_float_math.c: is it a function of a vector of f32 that is computed as one? */
IRL__FN int  irl__c_math_is_own(const irl_expr *x);
IRL__FN void irl__c_math(irl__emit *e, const irl_expr *x);
IRL__FN void irl__c_math_helper(const irl__emit *e, irl__text *t, int op, irl_type type);
IRL__FN int  irl__c_lanes_is_own(const irl_expr *x);
IRL__FN void irl__c_lanes(irl__emit *e, const irl_expr *x);
IRL__FN void irl__c_lanes_widen_helper(const irl__emit *e, irl__text *t, irl_type type);

/* ------------------------------------------------------------------ c_index.c */

/* Makes the language one in which indices are of the type. */
IRL__FN void irl__c_index_begin(irl__c_index *s, irl__emit_language *language, irl_scalar index);
IRL__FN int  irl__c_index_holds(const irl__c_index *s, int64_t value);
/* x, or an equal sum whose parts the program's type holds where those of x are not proved to be
   that; NULL with a diagnostic: it is not proved that the type holds x. */
IRL__FN const irl_expr *irl__c_index_form(irl__emit *e, const irl_expr *x);
/* x, a quotient or a remainder by a number c, of a dividend that is at least 0 because c * *by is
   added; x itself where it is none, or the dividend is not negative or not bounded. */
IRL__FN const irl_expr *irl__c_index_raised(irl__emit *e, const irl_expr *x, int64_t *by);
/* Bounds the index parameters by the type; they have names. */
IRL__FN int irl__c_index_params(irl__emit *e, const irl_func *f);

/* ------------------------------------------------------------------ c_low.c */

/* A scalar of 8 or 16 bits, where the program is for small machines: 1, printed. */
IRL__FN int irl__c_low(irl__emit *e, const irl_expr *x, int precedence);

/* ------------------------------------------------------------------ c_func.c */

/* Takes names for the parameters of f. */
IRL__FN int irl__c_parameters(irl__emit *e, const irl_func *f);
/* Its body, with what `before` prints in front; NULL: nothing. */
IRL__FN irl__text irl__c_body(irl__emit *e, const irl_func *f, int (*before)(irl__emit *));
/* A function around a body that is printed already; of one that a caller sees, the prototype too,
   with a comment. `written`: as of irl__c_kernel. */
IRL__FN void irl__c_function_text(irl__emit *e, const irl_func *f, const char *name,
                                  const unsigned char *written, const irl__text *body,
                                  int is_public);
/* The kernel, printed; `is_public`: it is what a caller sees. */
IRL__FN int irl__c_kernel_func(irl__emit *e, irl__c_kernel *k, int is_public);

/* ------------------------------------------------------------------ c_checked.c */

/* NAME_checked, which looks at its arguments and calls the host function. */
IRL__FN int irl__c_checked(irl__emit *e, const irl_func *host);
/* Takes the names of its parameters and variables. */
IRL__FN int irl__c_checked_names(irl__emit *e);
/* Of it: an intrinsic that reads an argument, 1 if it was one and printed; an assertion; the types
   that a caller needs. */
IRL__FN int irl__c_packed(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__c_check(irl__emit *e, const irl_stmt *s);
IRL__FN void irl__c_host_types_text(irl__text *t);

/* ------------------------------------------------------------------ c_host.c */

/* Elements along the axes of b from one to another, none of an axis that is negative. */
IRL__FN const irl_expr *irl__c_elements_of(irl__emit *e, const irl_buffer *b, int from, int to);
/* "if (!(n >= 1)) return 1;", the number of the assertion between two texts. */
IRL__FN void irl__c_assert(irl__emit *e, const irl_stmt *s, const char *before, const char *after);
/* A statement that only the host function has: 1, printed. */
IRL__FN int irl__c_host_stmt(irl__emit *e, const irl_stmt *s);
IRL__FN int irl__c_host(irl__emit *e, const irl_func *host);
/* Whether the host function does nothing but launch the one kernel with its own parameters. */
IRL__FN int irl__c_is_single(const irl_module *m);

/* ------------------------------------------------------------------ c_spread.c */

/* Bits `from` to `from + count - 1` of a number, which go to `to` and above. */
typedef struct irl__spread_group {
    int from, count, to;
} irl__spread_group;

/* What a step makes of y, where y >> -by stands for y << by if by is negative:
     OVER    (y | y << by) & kept
     TWICE   y + (y & moved), which moves by one to the left
     APART   (y & kept) | (y & moved) << by */
typedef enum irl__spread_kind {
    IRL__SPREAD_OVER,
    IRL__SPREAD_TWICE,
    IRL__SPREAD_APART
} irl__spread_kind;

typedef struct irl__spread_step {
    irl__spread_kind kind;
    int              by;
    int64_t          kept, moved;
} irl__spread_step;

enum { IRL__SPREAD_STEPS = 8 };
/* y = number >> before, & first where that is not 0, the steps, << after (>> -after). */
typedef struct irl__spread_plan {
    irl__spread_step steps[IRL__SPREAD_STEPS];
    int64_t          first;
    int              before, after, count;
    int              cost; /* operators, and one more for each mask beyond a byte */
} irl__spread_plan;

/* The cheapest plan that brings each group where it goes, of a number of `length` bits that is not
   negative, where nothing on the way has more than `width` bits. 0: none was found, there are not
   two groups, or two of them meet. */
IRL__FN int irl__spread_find(irl__spread_plan *best, const irl__spread_group *groups, int count,
                             int length, int width);
/* Bits of a number: 3 for 5, 0 for 0 and what is negative. */
IRL__FN int     irl__spread_length(int64_t value);
IRL__FN int     irl__spread_cost(int operators, int64_t mask);
IRL__FN int64_t irl__c_gcd(int64_t a, int64_t b);

/* ------------------------------------------------------------------ c_field.c */

/* An element of bits of which some begin at bit least + k * every of a byte, in its order. */
typedef struct irl__c_field {
    irl__text  *t;
    irl_type    type;
    int         bits, is_msb;
    irl_bit_norm norm;
    int64_t     least, every; /* every: a divisor of 8 */
    int         count;        /* bytes that an element may be in: up to 9 */
    int         first;        /* the byte after p in which it begins */
    const char *value;        /* the type of a value in C */
    const char *word;         /* all bytes of an element as one number */
    const char *x;            /* the name of that number */
} irl__c_field;
/* Elements of one place; with others that are so far apart; of which the first is at `offset`. */
IRL__FN irl__c_field irl__c_field_of(irl__text *t, const irl_bit_element *e, const char *x);
IRL__FN void irl__c_field_apart(irl__c_field *s, int64_t stride);
IRL__FN void irl__c_field_from(irl__c_field *s, int64_t offset);
/* The rest of a function that returns the element, and of one that stores `value`. */
IRL__FN void irl__c_field_get(irl__c_field *s);
IRL__FN void irl__c_field_set(irl__c_field *s);

#endif
