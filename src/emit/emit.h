/* emit.h - what the emitters of C-like languages share: names, scopes, scalar expressions, index
   widths, statements.

   needs     ir, arith; a language: its type names, reserved words, and printers for what only it
             has
   promises  every name printed is an identifier of the language, unlike its reserved words and
             unlike every other name in scope; an expression means what the interpreter computes
             (wrapping integers, floor division); index arithmetic is as narrow as its proved range
             allows; output is linear in the input

   A language prints by itself what it knows better (memory, vectors, barriers) through two hooks
   and leaves the rest to the printers here, which ask the operator table. emit/ never names a
   language. */
#ifndef IRL__EMIT_H
#define IRL__EMIT_H

#include "../arith/arith.h"

typedef struct irl__emit irl__emit;

/* C's precedences, in the numbers of ops.h. An operand is printed in parentheses if it binds less
   than its place asks. */
enum {
    IRL__PREC_ANY = 0,
    IRL__PREC_CHOICE = 2,
    IRL__PREC_OR = 3,
    IRL__PREC_AND = 4,
    IRL__PREC_BITS = 5,
    IRL__PREC_EQUAL = 8,
    IRL__PREC_LESS = 9,
    IRL__PREC_SHIFT = 10,
    IRL__PREC_SUM = 11,
    IRL__PREC_PRODUCT = 12,
    IRL__PREC_UNARY = 13,
    IRL__PREC_POSTFIX = 14
};

/* The C type in which a value of the IR's type index is computed. */
typedef enum irl__width {
    IRL__WIDTH_UINT,
    IRL__WIDTH_INT,
    IRL__WIDTH_LONG,
    IRL__WIDTH_COUNT
} irl__width;

/* What is known of a variable or a temporary while it is in scope. */
typedef struct irl__emit_symbol {
    /* the variable, or the expression that a temporary holds; NULL: a free place */
    const void *key;
    const char *name;   /* NULL: not in scope */
    irl__width  width;  /* in which an index is declared */
    int         is_temporary; /* the key is no variable */
    void       *memory; /* the language's: what a data pointer points to */
} irl__emit_symbol;

/* A function that the emitted program needs in front of its kernels. */
typedef struct irl__emit_helper {
    /* the operator whose meaning it has (a division), or one of the language's own, from
       IRL__OP_COUNT on */
    int      kind;
    irl_type type;
} irl__emit_helper;

typedef struct irl__emit_language {
    const char        *name;               /* "OpenCL C" */
    /* by irl_scalar: what a value is held in; index by width: see index_types */
    const char *const *types;
    const char *const *suffixes;           /* by irl_scalar: of a literal */
    const char *const *index_types;        /* by irl__width */
    const char *const *index_suffixes;
    /* by irl_scalar: the unsigned type of the same width, at least 32 bits */
    const char *const *unsigned_types;
    const char *const *unsigned_suffixes;
    int (*reserved)(const char *name, size_t length);
    /* name of an operator that is a function */
    const char *(*function)(irl_op op, irl_type type);
    /* 1: printed, or failed; 0: print it the shared way */
    int (*expr)(irl__emit *e, const irl_expr *x, int precedence);
    void (*special)(irl__emit *e, irl_type type, double value);           /* NaN and infinities */
    int (*stmt)(irl__emit *e, const irl_stmt *s);                         /* the same */
    /* must operand k of x be a variable? */
    int (*needs_name)(irl__emit *e, const irl_expr *x, uint32_t k);
    /* of a value; index in e->width */
    void (*type_name)(irl__emit *e, irl_type type);
} irl__emit_language;

typedef struct irl__emit_name irl__emit_name;

struct irl__emit {
    irl_ctx                  *cx;
    const irl__emit_language *language;
    irl__text                 text;
    int                       indent;
    irl__analyzer            *ranges; /* of the variables in scope */
    irl__width                width;  /* in which the index that is being printed is computed */
    /* the target that has no 64-bit integers for indices; NULL: it has */
    const char               *narrow;
    void                     *user;   /* the language's state */
    irl__emit_helper         *helpers;
    /* 1: the language asks for variables (needs_name) in this function */
    int                       names_operands;
    /* how many expressions that are no variables have a name */
    int                       temporaries;
    /* names, by text */
    irl__emit_name **names;
    size_t          name_count, name_capacity;
    irl__emit_name **name_stack;     /* those in scope, innermost last */
    size_t           name_depth;
    /* variables and temporaries, by pointer */
    irl__emit_symbol *symbols;
    size_t            symbol_count, symbol_capacity;
    const void      **key_stack;      /* those in scope, innermost last */
    size_t            key_depth;
};

/* An emitter in the scratch arena: the caller opens and ends the stretch. */
IRL__FN int irl__emit_begin(irl__emit *e, irl_ctx *cx, const irl__emit_language *language,
                            void *user);

/* ------------------------------------------------------------------ emit_names.c */

/* An identifier like `wish` that is free in all enclosing scopes, taken until the current scope
   ends. NULL when out of memory. */
IRL__FN const char *irl__emit_take_name(irl__emit *e, const char *wish);
/* Appends text that the user chose to a comment: nothing in it can end the comment. */
IRL__FN void irl__emit_comment(irl__text *t, const char *text);

typedef struct irl__emit_scope {
    size_t names, keys;
} irl__emit_scope;
IRL__FN irl__emit_scope irl__emit_scope_begin(irl__emit *e);
IRL__FN void            irl__emit_scope_end(irl__emit *e, irl__emit_scope scope);
/* Forgets the keys since (all but `keep`), while their names stay taken: for the temporaries of one
   statement, whose C scope goes on. */
IRL__FN void            irl__emit_forget(irl__emit *e, irl__emit_scope scope, const void *keep);

/* The symbol of a key, until the next one is bound; NULL if it is not in scope. */
IRL__FN irl__emit_symbol *irl__emit_find(irl__emit *e, const void *key);
/* Brings a key into scope under a name that irl__emit_take_name gave. NULL when memory is out. */
IRL__FN irl__emit_symbol *irl__emit_bind(irl__emit *e, const void *key, const char *name);

/* ------------------------------------------------------------------ emit_number.c */

/* Prints an integer constant. */
IRL__FN void irl__emit_int(irl__emit *e, int64_t value, int is_unsigned, int bits,
                           const char *suffix, int precedence);
IRL__FN void irl__emit_float(irl__emit *e, irl_type type, double value, int precedence);
/* Opens and closes parentheses where `mine` binds less than `outer` asks. */
IRL__FN int  irl__emit_open(irl__emit *e, int mine, int outer);
IRL__FN void irl__emit_close(irl__emit *e, int opened);

/* ------------------------------------------------------------------ emit_index.c */

/* The narrowest width for x and all that is computed on the way to it, or for two expressions that
   meet; y may be NULL. */
IRL__FN irl__width irl__emit_width(irl__emit *e, const irl_expr *x, const irl_expr *y);
/* The width of a variable with these values, those of x. 32 bits or a failure where the target has
   no more. */
IRL__FN irl__width irl__emit_width_of(irl__emit *e, const irl_expr *x, irl__interval r);
/* Until the facts are released: the condition holds (or does not). Conditions on memory are left
   out: it may change. */
IRL__FN void irl__emit_assume(irl__emit *e, const irl_expr *condition, int holds);
/* Prints where an access is: an index that lies within its memory. */
IRL__FN void irl__emit_place(irl__emit *e, const irl_expr *x, int precedence);
/* Prints an index in a width that holds it. */
IRL__FN void irl__emit_index(irl__emit *e, const irl_expr *x, irl__width width, int precedence);

/* ------------------------------------------------------------------ emit_expr.c */

/* forward: indices hold expressions */
IRL__FN void irl__emit_expr(irl__emit *e, const irl_expr *x, int precedence);
/* An operand of the expression that is being printed: as irl__emit_expr, but an index in the width
   of the whole. */
IRL__FN void irl__emit_operand(irl__emit *e, const irl_expr *x, int precedence);
/* The operator of x, whatever the width; used by irl__emit_expr and irl__emit_index only. */
/* forward: an index is an operator in its width */
IRL__FN void irl__emit_operator(irl__emit *e, const irl_expr *x, int precedence);
/* a op b by the operator's row, without regard to wrapping. */
IRL__FN void irl__emit_infix(irl__emit *e, const irl_expr *x, int precedence);
/* f(a, b, ...) */
IRL__FN void irl__emit_call(irl__emit *e, const char *function, uint32_t count,
                            const irl_expr *const *args);
/* A function in front of the kernels; asked for any number of times. */
IRL__FN void irl__emit_need(irl__emit *e, int kind, irl_type type);
/* irl_floordiv_int(a, b): a division that C's operators do not do, for operands of this type. */
IRL__FN void irl__emit_divide_call(irl__emit *e, const irl_expr *x, irl_type type);
/* k, if x is the constant 2^k (or a vector of it), else -1. */
IRL__FN int irl__emit_log2(const irl_expr *x);

/* ------------------------------------------------------------------ emit_stmt.c */

IRL__FN void irl__emit_stmt(irl__emit *e, const irl_stmt *s);
/* A statement and what it declares, between braces that the caller prints. */
IRL__FN void irl__emit_block(irl__emit *e, const irl_stmt *s);
/* Starts a line: indentation. */
IRL__FN void irl__emit_line(irl__emit *e);
/* Declares what x needs before it can be printed: lets, and temporaries that the language asks for.
   They last until the caller gives back the scope with irl__emit_forget. */
IRL__FN void irl__emit_prepare(irl__emit *e, const irl_expr *x);
/* `const T name = x;` for a value that is used several times, the same. */
IRL__FN void irl__emit_temporary(irl__emit *e, const irl_expr *x, const char *wish);
/* A line `const T name = value;` that brings key into scope; value may be NULL: no initializer, no
   const. */
IRL__FN void irl__emit_declare(irl__emit *e, const irl_expr *key, const char *wish,
                               const irl_expr *value);

#endif
