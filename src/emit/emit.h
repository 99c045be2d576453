/* emit.h - what the emitters of C-like languages share: names, scopes, scalar expressions, index
   widths, memory, statements.

   needs     ir, arith, target; a language: its type names, and printers for what only it has
   promises  every name printed is an identifier that the language has not taken, unlike every other
             name in scope; an expression means what the interpreter computes (wrapping integers,
             floor division); index arithmetic is as narrow as its proved range allows; output is
             linear in the input

   A language is a row of tables and functions (irl__emit_language). Its files print what only this
   language has (vectors, images, barriers), through two hooks; the printers here, which use the
   operator table, print everything else. They never test which language it is.

   READING ORDER  this file; emit_names.c, emit_text.c, emit_number.c, emit_index.c, emit_expr.c,
                  emit_prepare.c (scalar expressions); emit_type.c (what things are called);
                  emit_survey.c, emit_needed.c (what a kernel does with its memory); emit_image.c,
                  emit_memory.c, emit_stmt.c, emit_convert.c (loads and stores, statements, numbers
                  that C has no arithmetic for); emit_vector.c (vectors that have names);
                  emit_helper.c (functions that a program brings along); emit_comment.c,
                  emit_facts.c (what is said of a kernel, and known in it) */
#ifndef IRL__EMIT_H
#define IRL__EMIT_H

#include "../arith/arith.h"
#include "../target/target.h"

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
    const char *name;   /* NULL: not in scope */
    irl__width  width;  /* in which an index is declared */
    int         is_temporary; /* the key is no variable */
    /* its declaration in the text, which goes where nothing uses the name; 0: it stays */
    size_t      start, end;
} irl__emit_symbol;

/* A function that the emitted program needs in front of its kernels. */
typedef struct irl__emit_helper {
    /* the operator whose meaning it has (a division), one of those below, or one of the language's
       own, from IRL__HELP_COUNT on */
    int      kind;
    irl_type type;
} irl__emit_helper;

enum {
    IRL__HELP_HALF_TO_FLOAT = IRL__OP_COUNT,
    IRL__HELP_FLOAT_TO_HALF,
    IRL__HELP_FLOAT_TO_BFLOAT,
    IRL__HELP_ODD, /* a float of another number that may be rounded once more */
    IRL__HELP_NORM_TO_FLOAT,
    IRL__HELP_FLOAT_TO_NORM,
    IRL__HELP_COUNT
};

/* The memory behind a data variable, as a kernel sees it. */
typedef struct irl__emit_memory {
    const irl_expr   *data;
    const irl_buffer *buffer;  /* the parameter or the allocation */
    /* what the C pointer points to; lanes 1 unless all accesses are whole vectors of this type */
    irl_type          element;
    /* the scalar that it points to: the buffer's, or that of all accesses to a parameter */
    irl_type          type;
    irl_type          seen;    /* of the elements accessed so far; lanes 0: none */
    /* accesses of several elements, or elements of several widths; of several scalars */
    int               has_runs, has_scalars;
    int               is_read, is_written;
    int               is_needed; /* private: the text reads it (emit_needed.c) */
    int               is_shared_by_arguments; /* another argument may be the same memory */
    /* f16: moved as bits; converted by the language's own loads and stores */
    int               has_bits, has_values;
    int               has_other_size;         /* an alias of another element size is accessed */
    int               may_be_nan; /* private: something else than numbers may be stored */
    /* private, of one element, which nothing points to: a C variable */
    int               is_variable;
    int               is_accessed;            /* so far in the survey */
    /* a variable: by a statement of its own sequence, which declares it */
    int               is_stored_first;
    const irl_stmt   *sequence;               /* in which it is allocated */
} irl__emit_memory;

typedef enum irl__memory_way {
    IRL__WAY_DIRECT,  /* the pointer's own type */
    IRL__WAY_AS,      /* another type of the same size: the bits of a value */
    IRL__WAY_POINTER, /* through a pointer of the other type */
    IRL__WAY_BYTES    /* through bytes, which may alias anything */
} irl__memory_way;

/* A run of elements in memory. */
typedef struct irl__memory_place {
    const irl__emit_memory *memory;
    const char             *name;   /* of the pointer */
    /* in runs of `lanes` if by_run, else in scalars; NULL: 0 */
    const irl_expr         *index;
    uint32_t                lanes;
    int                     by_run, is_store;
    irl_type                type;   /* of one, as it lies in memory */
    const char             *scalar; /* its C type */
    int                     bytes;  /* of one */
    irl__memory_way         way;
} irl__memory_place;

/* The text of a helper (emit_helper.c) for some types. */
typedef struct irl__helper_row {
    int         kind;
    unsigned    kinds; /* of types, a bit for each irl__kind; 0: all */
    int         lanes; /* 1: of scalars, 2: of vectors, 0: of both */
    const char *text;  /* NULL: the last row */
} irl__helper_row;
enum {
    IRL__OF_FLOATS = 1 << IRL_KIND_FLOAT,
    IRL__OF_INTS = 1 << IRL_KIND_INT,
    IRL__OF_UINTS = 1 << IRL_KIND_UINT,
    IRL__OF_UNORMS = 1 << IRL_KIND_UNORM,
    IRL__OF_SNORMS = 1 << IRL_KIND_SNORM,
    IRL__OF_NORMS = IRL__OF_UNORMS | IRL__OF_SNORMS
};

/* What a language calls a function, where that is not its name in OpenCL C. */
typedef struct irl__function_row {
    irl_op      op;
    unsigned    scalars; /* a bit for each irl_scalar */
    const char *name;    /* or the start of the call, "pow(10.0"; NULL: the last row */
} irl__function_row;

typedef struct irl__emit_language {
    const char        *name, *title;       /* "OpenCL C", "OpenCL C 1.2" */
    /* by irl_scalar: what a value is held in; index by width: see index_types */
    const char *const *types;
    const char *const *index_types;        /* by irl__width */
    const char *const *index_suffixes;
    const char *long_suffix; /* of a literal of 64 bits */
    const char *unsigned_suffixes[2]; /* of 32 and of 64 bits */
    /* by irl_scope: what stands in front of what a pointer into it points to */
    const char *const *spaces;
    /* in front of an array in a kernel; NULL: as spaces */
    const char *const *arrays;
    /* at the start of a program: of any; that has f64; f16 that is computed with; stores to images
       of three dimensions. Or NULL */
    const char *heads[4];
    const char *external; /* in front of a prototype: "extern " */
    /* in front of a kernel; then, with three numbers, of one whose groups are of a fixed size; in
       front of a parameter whose memory no other reaches */
    const char *kernel, *group, *restricted;
    /* in pairs, NULL at the end: words of the helpers' texts, and the language's own for them */
    const char *const *words;
    const char *half; /* what a pointer to f16 may point to, if loads of it convert; or NULL */
    int         halves; /* f16 is a type of its own, computed with; 0: held as its bits */
    /* memory may be seen through a pointer of another type; -1: there are no pointers */
    int pointer_casts;
    /* C's rules of promotion are felt: a bool has the type of an int, so that memory takes it by a
       cast, and so does a choice between narrow numbers */
    int promotes;
    /* every expression has its own type, as in the IR: nothing is promoted, no number is another's
       type unless cast, and integers wrap as they stand */
    int exact_types;
    int call_casts;     /* a cast is a call, int(x), and not (int)x */
    int divides_signed; /* / and % of signed integers truncate; 0: only without signs */
    int widens;         /* a scalar beside a vector of its type is widened */
    const char *double_suffix; /* of a literal of f64 */
    /* by irl_scalar: what stands before the lanes in the name of a vector; NULL: as types; of
       indices by width, NULL: as index_types */
    const char *const *vectors, *const *index_vectors;
    const char *mask;    /* what a lane of a vector of bools is, 0 or -1; NULL: it is a bool */
    const char *swizzle; /* in front of the lanes that are picked of a vector */
    const char *lanes;   /* the letter of each */
    const char *convert; /* "convert_%t(", a cast to a vector; NULL: the language has no vectors */
    /* in front of a float that is declared: nothing is contracted; or NULL */
    const char *precise;
    int narrow_indices; /* of fewer bits than an int: a call's argument is cast back to them */
    irl_scalar index_scalar; /* all indices are of this type; IRL_BOOL: of index_types */
    /* then: the index as it is printed, which the type holds; NULL with a diagnostic: it is not
       proved to hold it. Or NULL */
    const irl_expr *(*index_form)(irl__emit *e, const irl_expr *x);
    int states_formats; /* an image states the format of its texels, of four lanes */
    int rounds_texels;  /* floats are rounded to halves by the image that they are stored to */
    int unrolls;       /* #pragma unroll */
    /* by irl_axis: the place of a work-item, of type item_type; NULL: there are none */
    const char *const *items;
    const char        *item_type;
    const char        *barriers[2]; /* the lines that order shared memory, and global memory */
    const char *parallel; /* in front of a parallel loop that stands in no other, or NULL */
    const char *aligned; /* what stands behind an array that states its alignment, or NULL */
    /* the type of a place that a number is added to, as wide as a pointer: so the machine adds the
       number where it addresses memory, and nothing need be known about how the sum wraps. NULL:
       that of the index */
    const char *place;
    irl__tongue *tongue; /* which names are taken */
    const irl__function_row *functions;
    /* what ends the name of a library's function of f32, "f"; NULL: it has the name of that of f64,
       and no function that the language has may be declared again */
    const char *float_suffix;
    /* 1: printed, or failed; 0: print it the shared way */
    int (*expr)(irl__emit *e, const irl_expr *x, int precedence);
    int (*stmt)(irl__emit *e, const irl_stmt *s);                         /* the same; or NULL */
    int (*special)(irl__emit *e, irl_type type, double value); /* NaN, infinities: the same */
    /* a vector in its own way: 1, printed; the type of vectors that have no names; or NULL */
    int (*vector)(irl__emit *e, const irl_expr *x, int precedence);
    void (*vector_type)(irl__emit *e, irl_type type);
    /* "as_float4(": the bits of a `from` as a `to`; the caller closes the parenthesis. By a format
       of `to`, or by a function */
    const char *as_format;
    void (*as)(irl__emit *e, irl_type to, irl_type from);
    /* 1: the text of a helper that is not the shared one */
    int (*helper)(irl__emit *e, irl__text *t, irl__emit_helper helper);
    /* several elements, or one that is not what the pointer points to: a load, a store */
    void (*load_run)(irl__emit *e, const irl__memory_place *p);
    void (*store_run)(irl__emit *e, const irl__memory_place *p, const irl_expr *value);
    /* the texel of a load, or the start of a store, up to its value; NULL: there are no images */
    void (*texel)(irl__emit *e, const irl_expr *x, irl_scalar device);
    /* of halves that loads and stores convert; NULL where `half` is */
    void (*load_half)(irl__emit *e, const irl_expr *x);
    void (*store_half)(irl__emit *e, const irl_buffer *b, const irl_expr *index,
                       const irl_expr *value);
    /* declares the operands of x that its text would repeat, of an x with lanes in it; or NULL */
    void (*name_operands)(irl__emit *e, const irl_expr *x);
} irl__emit_language;

/* Loops bound to one axis. */
typedef struct irl__emit_axis {
    const irl_expr *extent; /* NULL: the axis is not used */
    /* of a global axis: the note says that so many iterations go well together; 0: no note */
    int64_t         group;
} irl__emit_axis;

/* A module on its way to text, and the kernel that is being emitted. */
typedef struct irl__emit_unit {
    irl_ctx           *cx;
    const irl_module  *module; /* with vectors in forms that the target has */
    const irl_target  *target;
    const irl__emit_language *language;
    const irl_func    *function; /* the kernel that is being emitted */
    int                next_kernel; /* where the search for the next launch's kernel begins */
    irl__ptr_map       memory_of;
    irl__emit_memory **memories;
    irl__ptr_map       comments;    /* buffer -> what the comment above a kernel says of it */
    /* that is being surveyed; NULL in a loop or branch without one */
    const irl_stmt    *sequence;
    const irl_stmt   **repeating;   /* launches that give one memory to several parameters */
    const irl_stmt   **lets; /* of indices, in the kernel so far: a loop's extent may use them */
    irl__emit_axis     axes[IRL__AXIS_COUNT];
    int                uses_double; /* somewhere in the program */
    int                uses_half;   /* f16, as a value or in memory */
    int                writes_volume;
    int64_t            local_bytes; /* of shared memory in this kernel */
    void              *user;        /* the language's own */
} irl__emit_unit;

#define IRL__EMIT_DEEP 40 /* an expression that is deeper has its brackets counted */

typedef struct irl__emit_name irl__emit_name;

/* A pointer into a parameter's memory that a loop moves. */
typedef struct irl__emit_cursor {
    const irl_expr *data, *var; /* the memory, the loop's variable */
    int64_t         step;       /* elements, for each of the variable */
    int64_t         first;      /* where it begins */
    const char     *name;
} irl__emit_cursor;

/* For a target that has no 64-bit integers: prints an index that may leave 32 bits on the way to
   it; refuses one that may leave them itself. */
typedef struct irl__emit_narrow {
    void (*index)(irl__emit *e, const irl_expr *x, irl__width width, int precedence);
    void (*refuse)(irl__emit *e, const irl_expr *x, irl__interval r);
} irl__emit_narrow;

struct irl__emit {
    irl_ctx                  *cx;
    const irl__emit_language *language;
    irl__text                 text;
    int                       indent;
    int                       in_parallel; /* a loop with language->parallel in front of it */
    irl__analyzer            *ranges; /* of the variables in scope */
    irl__width                width;  /* in which the index that is being printed is computed */
    const irl__emit_narrow   *narrow; /* NULL: the target has integers of 64 bits */
    irl__emit_unit           *unit;
    const char               *prefix; /* of the helpers' names */
    irl__emit_helper         *helpers;
    /* how many expressions that are no variables have a name */
    int                       temporaries;
    irl__ptr_map     names;           /* by interned text */
    irl__emit_name **name_stack;      /* those in scope, innermost last */
    /* of variables, and of expressions that temporaries hold */
    irl__ptr_map      symbols;
    const void      **key_stack;      /* those in scope, innermost last */
    irl__emit_symbol *constants; /* declared in the open scopes, and out of use since */
    int               moves_pointers; /* emit_cursor.c: code is to be small */
    irl__emit_cursor *cursors;        /* of the loops around */
};

/* An emitter in the scratch arena: the caller opens and ends the scratch scope. */
IRL__FN int irl__emit_begin(irl__emit *e, irl__emit_unit *unit, const char *prefix);

/* ------------------------------------------------------------------ emit_names.c */

/* An identifier like `wish` that is free in all enclosing scopes, taken until the current scope
   ends; its text lasts as long as the context. NULL when out of memory. */
IRL__FN const char *irl__emit_take_name(irl__emit *e, const char *wish);
/* The name "f_scratch" of a function f and a part. */
IRL__FN const char *irl__emit_take_of(irl__emit *e, const char *name, const char *part);
/* Appends text that the user chose to a comment: nothing in it can end the comment. */
IRL__FN void irl__emit_comment(irl__text *t, const char *text);

typedef struct irl__emit_scope {
    size_t names, keys, constants;
} irl__emit_scope;
IRL__FN irl__emit_scope irl__emit_scope_begin(irl__emit *e);
IRL__FN void            irl__emit_scope_end(irl__emit *e, irl__emit_scope scope);
/* Whether a value calls a function of the user's, which may do anything. */
IRL__FN int irl__emit_calls(const irl_expr *x);
/* Whether an identifier stands in a text behind its first `from` characters. */
IRL__FN int irl__emit_mentions(const irl__text *t, size_t from, const char *name);
/* Forgets the keys since (all but `keep`), while their names stay taken: for the temporaries of one
   statement, whose C scope goes on. */
IRL__FN void            irl__emit_forget(irl__emit *e, irl__emit_scope scope, const void *keep);

/* The symbol of a key; NULL if it is not in scope. */
IRL__FN irl__emit_symbol *irl__emit_find(const irl__emit *e, const void *key);
/* Brings a key into scope under a name that irl__emit_take_name gave. NULL when memory is out. */
IRL__FN irl__emit_symbol *irl__emit_bind(irl__emit *e, const void *key, const char *name);

/* ------------------------------------------------------------------ emit_text.c */

/* What is printed until irl__emit_back is a text of its own; the text before goes on then. */
static inline irl__text irl__emit_apart(irl__emit *e)
{
    const irl__text outer = e->text;
    irl__text_init(&e->text, e->cx);
    return outer;
}
static inline irl__text irl__emit_back(irl__emit *e, irl__text outer)
{
    const irl__text own = e->text;
    e->text = outer;
    return own;
}
/* "(void)n;", a line for each name that the body of a function has not. */
IRL__FN void irl__emit_unused(irl__emit *e, const irl__text *body, const irl_expr *var);
/* Starts a line: indentation. */
IRL__FN void irl__emit_line(irl__emit *e);
/* As irl__textf: %s %c %d %l %u; also a tab, which is the indentation of a line, %t irl_type,
   %x const irl_expr * as an operand (irl__emit_operand), %e of its own (irl__emit_expr), %o and %p
   the same after the precedence that is asked for. */
IRL__FN void irl__emitf(irl__emit *e, const char *format, ...);

/* "float"; an index in the current width */
IRL__FN const char *irl__emit_scalar_type(const irl__emit *e, irl_type type);
/* The type in which an index of the current width is computed; another type is itself. */
IRL__FN irl_type irl__emit_computed(const irl__emit *e, irl_type type);
/* "float4": the type of a value. */
IRL__FN void irl__emit_type(irl__emit *e, irl_type type);
/* What stands in front of a type that is declared. */
IRL__FN const char *irl__emit_precise(const irl__emit *e, irl_type type);
/* As it lies in memory: a bool as a byte. */
IRL__FN irl_type irl__emit_held(irl_type type);

/* ------------------------------------------------------------------ emit_number.c */

/* Prints an integer constant. */
IRL__FN void irl__emit_int(irl__emit *e, int64_t value, int is_unsigned, int bits,
                           const char *suffix, int precedence);
IRL__FN void irl__emit_float(irl__emit *e, irl_type type, double value, int precedence);
/* f16, bf16, normalised: whether the language holds such a value as its bits. */
IRL__FN int irl__emit_is_bits(const irl__emit_language *language, irl_type type);
IRL__FN const char *irl__emit_suffix(const irl__emit *e, irl_type type); /* of a literal */
/* The bits of an f32 or f64, as those of an integer of its size; and as digits, "7fc00000". */
IRL__FN uint64_t irl__emit_float_bits(irl_type type, double value);
IRL__FN void     irl__emit_hex(irl__text *t, uint64_t bits, int digits);
/* The bits of a `from` as a `to`; the caller closes the parenthesis. */
IRL__FN void irl__emit_as(irl__emit *e, irl_type to, irl_type from);
/* Opens a cast to a type, (int)x or int(x), in a place that asks for *precedence, which becomes
   what the operand's place asks for; irl__emit_close ends it. */
IRL__FN int  irl__emit_cast(irl__emit *e, const char *type, int *precedence);
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
/* The variable of an index that fits 32 bits: whoever gives its value sees to that. */
IRL__FN int irl__emit_short_index(irl__emit *e, const irl_expr *var);
/* Indices in 32 bits, if the target has no integers of 64. */
IRL__FN void irl__emit_narrow_begin(irl__emit *e);
/* Prints an index in a width that holds it. */
IRL__FN void irl__emit_index(irl__emit *e, const irl_expr *x, irl__width width, int precedence);

/* ------------------------------------------------------------------ emit_expr.c */

/* forward: indices hold expressions */
IRL__FN void irl__emit_expr(irl__emit *e, const irl_expr *x, int precedence);
/* An operand of the expression that is being printed: as irl__emit_expr, but an index in the width
   of the whole. */
/* forward: formats hold expressions */
IRL__FN void irl__emit_operand(irl__emit *e, const irl_expr *x, int precedence);
/* What operand k of the infix operator x, of precedence `mine`, must bind like. Sums and products
   read well bare; bits, shifts and && beside || get the parentheses that a reader would look up. */
IRL__FN int irl__emit_operand_precedence(const irl__emit *e, int mine, const irl_expr *x, int k);
/* The operator of x, whatever the width; used by irl__emit_expr and irl__emit_index only. */
/* forward: an index is an operator in its width */
IRL__FN void irl__emit_operator(irl__emit *e, const irl_expr *x, int precedence);
/* The scalar that a language prints for a broadcast beside a vector of its type; NULL: none. */
IRL__FN const irl_expr *irl__emit_scalar_of(const irl_expr *x);
/* a op b by the operator's row, without regard to wrapping. */
IRL__FN void irl__emit_infix(irl__emit *e, const irl_expr *x, int precedence);
/* A value that is assigned, in exactly its type where the language's compilers ask for that. */
IRL__FN void irl__emit_assigned(irl__emit *e, const irl_expr *x);
/* An operand of a call, in its own type. */
IRL__FN void irl__emit_argument(irl__emit *e, const irl_expr *x);
/* The language's row of an operator that is a function; NULL: there is none. Its name in any case.
   The call of it. */
IRL__FN const irl__function_row *irl__emit_function_row(const irl__emit *e, const irl_expr *x);
IRL__FN const char *irl__emit_function_name(const irl__emit *e, const irl_expr *x);
IRL__FN void irl__emit_function(irl__emit *e, const irl_expr *x);
/* f(a, b, ...) */
IRL__FN void irl__emit_call(irl__emit *e, const char *function, uint32_t count,
                            const irl_expr *const *args);
/* irl_NAME_int4(a, b, ...), a helper that is asked for */
IRL__FN void irl__emit_helper_call(irl__emit *e, int kind, const char *name, irl_type type,
                                   uint32_t count, const irl_expr *const *args);
/* A function in front of the kernels; asked for any number of times. */
IRL__FN void irl__emit_need(irl__emit *e, int kind, irl_type type);
/* The number k of a lane, brought inside of the vector where it is not proved to be. */
IRL__FN const irl_expr *irl__emit_lane_number(irl__emit *e, const irl_expr *k, uint32_t lanes);
/* k, if x is the constant 2^k (or a vector of it), else -1. */
IRL__FN int irl__emit_log2(const irl_expr *x);

/* ------------------------------------------------------------------ emit_cursor.c */

/* The pointers that move with loop s, whose variable has a name; the declaration of one, "uint8_t
   *p_g = p;"; what of the loop's head moves them, ", p_g += 5"; and their end behind it. */
IRL__FN void irl__emit_cursors_open(irl__emit *e, const irl_stmt *s);
IRL__FN void irl__emit_cursor_declared(irl__emit *e, const irl__emit_cursor *c);
IRL__FN void irl__emit_cursors_step(irl__emit *e, const irl_expr *var);
IRL__FN void irl__emit_cursors_close(irl__emit *e, const irl_expr *var);
/* The pointer by which an access to b goes, and what of *index is left behind it; NULL: its own. */
IRL__FN const char *irl__emit_cursor_of(irl__emit *e, const irl_buffer *b, const irl_expr **index);

/* ------------------------------------------------------------------ emit_prepare.c */

/* Declares what x needs before it can be printed: lets, and parts of what is too deep. They last
   until the caller gives back the scope with irl__emit_forget. */
IRL__FN void irl__emit_prepare(irl__emit *e, const irl_expr *x);
/* `const T name = x;` for a value that is used several times, the same. */
IRL__FN void irl__emit_temporary(irl__emit *e, const irl_expr *x, const char *wish);
/* A line `const T name = value;` that brings key into scope; value may be NULL: no initializer, no
   const. */
IRL__FN void irl__emit_declare(irl__emit *e, const irl_expr *key, const char *wish,
                               const irl_expr *value);
/* The first value of a variable of index type, computed at least as wide as `computed`: parts of it
   may need more bits than it has itself. */
IRL__FN void irl__emit_first(irl__emit *e, const irl_expr *value, irl__width declared,
                             irl__width computed);
/* One more level of braces; a diagnostic where there are too many. */
IRL__FN void irl__emit_open_brace(irl__emit *e);

/* ------------------------------------------------------------------ emit_type.c */

/* The name of a helper between f16, bf16 or a normalised type and float. */
IRL__FN void irl__emit_storage_name(const irl__emit *e, irl__text *t, int kind, irl_type type);
/* The helper between float and f16, bf16 or a normalised type that is held as its bits; 0: there is
   none. */
IRL__FN int irl__emit_storage_kind(const irl__emit *e, irl_type type, int from_float);
/* Its name; it is asked for. */
IRL__FN void irl__emit_storage_helper(irl__emit *e, int kind, irl_type type);
/* "const float *", or "int64_t": a parameter of an external function, or what it returns. */
IRL__FN void irl__emit_declared_type(const irl__emit *e, irl__text *t, irl_type type,
                                     int is_read_only);
/* Whether the language or its library has the function: it is not declared. */
IRL__FN int irl__emit_extern_is_known(const irl__emit *e, const char *name, irl_type result);
/* The prototypes that the module's kernels have, or its host too, each once; how many. */
IRL__FN int irl__emit_prototypes(irl__emit *e, irl__text *t, int with_host);
/* Keeps their names from all that is named later; a diagnostic where one is taken already. */
IRL__FN int irl__emit_take_externs(irl__emit *e, int with_host);
/* A call of the user's own function. */
IRL__FN void irl__emit_extern(irl__emit *e, const irl_expr *x);

/* ------------------------------------------------------------------ emit_survey.c */

/* Finds the launches that repeat an argument; once, before the kernels. */
IRL__FN int  irl__emit_survey_host(irl__emit_unit *o);
/* Finds all memory of a kernel and how it is used, and the loops that are bound. Before anything is
   printed. */
IRL__FN int  irl__emit_survey(irl__emit_unit *o, const irl_func *kernel);
/* The prototype of a call; NULL: it has none. */
IRL__FN const irl__extern *irl__emit_extern_declared(const irl__emit_unit *o, const irl_expr *call);
/* Of private memory, whether what is printed reads it; after the survey. */
IRL__FN void irl__emit_needed(irl__emit_unit *o, const irl_func *kernel);
/* x with the values of the surveyed function's lets of indices in their place. */
IRL__FN const irl_expr *irl__emit_without_lets(irl__emit_unit *o, const irl_expr *x);
/* The memory behind a data variable; NULL if the kernel has none. */
static inline irl__emit_memory *irl__emit_memory_of(const irl__emit_unit *o, const irl_expr *data)
{
    return (irl__emit_memory *)irl__ptr_map_get(&o->memory_of, data);
}

/* ------------------------------------------------------------------ emit_image.c */

/* How a device hands over a texel of a scalar type, as four of `device`, and what the format is
   called; NULL: GLSL has no name for it. */
typedef struct irl__texel_format {
    irl_scalar  scalar, device;
    const char *glsl, *opencl;
} irl__texel_format;
/* The row of a texel; NULL: there is none, with a diagnostic if the language has none. */
IRL__FN const irl__texel_format *irl__emit_texel_row(irl_type t);
IRL__FN const irl__texel_format *irl__emit_texel_format(irl__emit *e, irl_type t);
/* Whether the coordinates are proved to lie in the image: its size is constant, and the ranges of
   the variables say so. */
IRL__FN int irl__emit_texel_is_inside(irl__emit *e, const irl_expr *x);
IRL__FN const char *irl__emit_image_name(irl__emit *e, const irl_expr *x);
IRL__FN void irl__emit_coordinates(irl__emit *e, const irl_expr *x);
/* An intrinsic that is a value: a texel. */
IRL__FN void irl__emit_texel(irl__emit *e, const irl_expr *x);
/* Whether x is a texel that the device hands over as floats; if `print`, printed so. */
IRL__FN int  irl__emit_float_texel(irl__emit *e, const irl_expr *x, int print);
IRL__FN void irl__emit_texel_store(irl__emit *e, const irl_stmt *s);

/* ------------------------------------------------------------------ emit_memory.c */

/* Whether the emitter has memory of the scope of a parameter: a kernel's is global or constant
   memory, or an image. */
IRL__FN int irl__emit_param_ok(irl__emit *e, const irl__param *p);
IRL__FN void irl__emit_load(irl__emit *e, const irl_expr *x, int precedence);
/* The same, of bools as the bytes that they lie in. */
IRL__FN void irl__emit_load_held(irl__emit *e, const irl_expr *x);
IRL__FN void irl__emit_store(irl__emit *e, const irl_stmt *s);
/* "__global const float", what a pointer to this memory points to. */
IRL__FN void irl__emit_pointee(irl__emit *e, const irl__emit_memory *m);
/* "float4", its elements. */
IRL__FN void irl__emit_elements(irl__emit *e, const irl__emit_memory *m);
/* The C type of its elements: "float", "uchar" of bools. */
IRL__FN const char *irl__emit_declared(const irl__emit *e, const irl__emit_memory *m);
/* Where an access to b at `index` lies; false on failure. `as_half`: f16 that is converted on the
   way. */
IRL__FN int irl__emit_place_of(irl__emit *e, const irl_buffer *b, const irl_expr *index,
                               int is_store, int as_half, irl__memory_place *p);
/* Its index; the pointer, cast to a type if that is not NULL; whether it is one element of what the
   pointer points to. */
IRL__FN void irl__emit_place_index(irl__emit *e, const irl__memory_place *p);
IRL__FN void irl__emit_place_pointer(irl__emit *e, const irl__memory_place *p, const char *type);
IRL__FN int  irl__emit_is_element(const irl__memory_place *p);
/* Whether x is a load that the language hands over as floats; if `print`, printed so. */
IRL__FN int  irl__emit_load_float(irl__emit *e, const irl_expr *x, int print);
/* An f16 in memory that loads and stores convert, as the language has them: no bits are seen. */
IRL__FN int irl__emit_converts_half(const irl__emit_memory *m);
/* The array or variable of an allocation in a kernel: "float tile[64];". */
IRL__FN void irl__emit_array(irl__emit *e, const irl_buffer *b);
/* An allocation in a kernel: its array, but of shared memory, which the whole kernel has. */
IRL__FN void irl__emit_alloc(irl__emit *e, const irl_stmt *s);
/* Declares the kernel's shared arrays. False with a diagnostic where it is not known which
   work-items share them, or the target has not so much. */
IRL__FN int irl__emit_shared_arrays(irl__emit *e);
/* Whether a loop is bound to a global axis. */
IRL__FN int irl__emit_has_global(const irl__emit_unit *o);

/* ------------------------------------------------------------------ emit_stmt.c */

IRL__FN void irl__emit_stmt(irl__emit *e, const irl_stmt *s);
/* A statement and what it declares, between braces that the caller prints. */
IRL__FN void irl__emit_block(irl__emit *e, const irl_stmt *s);
/* "(int)get_local_id(0)": the place of a work-item on an axis. */
IRL__FN void irl__emit_item(irl__emit *e, irl_axis axis, irl__width width);
/* A bound loop: the work-item's place on its axis is its variable. 0 on failure. */
IRL__FN int irl__emit_bound(irl__emit *e, const irl_stmt *s);
/* A let: its variable, for what follows. */
IRL__FN void irl__emit_let(irl__emit *e, const irl_stmt *s);
/* ------------------------------------------------------------------ emit_convert.c */

/* A cast from or to f16, bf16 or a normalised type, with any lanes. */
IRL__FN void irl__emit_storage_cast(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__emit_reinterpret(irl__emit *e, const irl_expr *x);
/* A constant of such a type, as the bits that hold it. */
IRL__FN void irl__emit_bits_constant(irl__emit *e, const irl_expr *x);

/* ------------------------------------------------------------------ emit_vector.c */

/* Prints what a language's hook leaves to emit_memory.c and emit_convert.c, of any lanes; 0: it is
   none of it. */
IRL__FN int irl__emit_scalar(irl__emit *e, const irl_expr *x, int precedence);
/* An expression with lanes; a shuffle; a lane of a vector. */
IRL__FN int  irl__emit_vector(irl__emit *e, const irl_expr *x, int precedence);
IRL__FN void irl__emit_shuffle(irl__emit *e, const irl_expr *x);
IRL__FN void irl__emit_lane(irl__emit *e, const irl_expr *x, int precedence);

/* ------------------------------------------------------------------ emit_helper.c */

/* The helpers' texts, in the order in which they were asked for. */
IRL__FN void irl__emit_helpers(irl__emit *e, irl__text *t);
IRL__FN void irl__emit_helper_text(irl__emit *e, irl__text *t, irl__emit_helper helper);
/* The helper by the first row that is for its type; 0: there is none. */
IRL__FN int irl__emit_helper_row(const irl__emit *e, irl__text *t, const irl__helper_row *row,
                                 irl__emit_helper helper);
/* "irl_select_f32x4": the name of what is made for vectors of the type; "irl_f32x4": that of a
   vector type that is made itself. */
IRL__FN void irl__emit_vector_name(const irl__emit *e, irl__text *t, const char *what,
                                   irl_type type);
/* The signed integers that are as wide: 0 or -1 in each lane. */
static inline irl_type irl__emit_mask_type(irl_type t)
{
    return irl_type_of((irl_scalar)(irl__type_uint(t) - IRL_U8 + IRL_I8), (int)t.lanes);
}
/* A text in which $ stands for the type with its lanes ("int4"), # for its unsigned kin, @ for the
   lanes ("4", or nothing); its words are made the language's own (emit_helper.c). */
IRL__FN void irl__emit_template(const irl__emit *e, irl__text *t, const char *text, irl_type type);
/* erf of a vector a from 0 to 4, where z is a * a: below 0.9 it is `low`, else 1 - exp(x). */
#define IRL__ERF_PARTS \
    "    low = (z * 8.50315046e-5f - 0.000817394292f) * z + 0.00520377187f;\n" \
    "    low = ((low * z - 0.0268605016f) * z + 0.112837158f) * z - 0.376126349f;\n" \
    "    low = (low * z + 0.128379166f) * a + a;\n" \
    "    x = (a * -7.58773581e-7f - 1.0996916e-5f) * a + 0.000376867043f;\n" \
    "    x = ((x * a - 0.00398712279f) * a + 0.024759518f) * a - 0.107838072f;\n" \
    "    x = ((x * a - 0.633679867f) * a - 1.12937427f) * a + 0.000149129541f;\n"
/* That of IRL__HELP_HALF_TO_FLOAT, in two, so that a language may put its own way between. */
#define IRL__HALF_TO_FLOAT_HEAD                                                                 \
    "/* the value of a half, from its bits */\n"                                                \
    "static float irl_half_to_float(ushort h)\n{\n"
#define IRL__HALF_TO_FLOAT_BODY                                                                 \
    "    uint sign = (uint)(h & 0x8000u) << 16, rest = (uint)(h & 0x7fffu) << 13;\n"            \
    "    float small = as_float(rest + 0x38800000u) - as_float(0x38800000u);\n"                 \
    "    uint large = rest + (rest >= 0x0f800000u ? 0x70000000u : 0x38000000u);\n"              \
    "    return as_float((rest < 0x00800000u ? as_uint(small) : large) | sign);\n"

/* ------------------------------------------------------------------ emit_comment.c */

/* "x: read, f32[8] by (i) -> ..., in memory f32[2, 4]", on a line of its own. */
IRL__FN void irl__emit_comment_param(irl__emit *e, const irl_func *f, const irl__param *p,
                                     const char *name, const irl__emit_memory *m);
/* " (int)", the user's own name behind what it became; what is no part of an identifier is _. */
IRL__FN void irl__emit_comment_name(irl__text *t, const char *name);
/* An expression as a part of a comment. */
IRL__FN void irl__emit_comment_expr(irl__text *t, irl_ctx *cx, const irl_expr *x);

/* "global size 4 x n": what, and sizes with a cross between them. */
IRL__FN void irl__emit_comment_sizes(irl__emit *e, const char *what, int count,
                                     const irl_expr *const *sizes);

/* ------------------------------------------------------------------ emit_facts.c */

/* What is known of a kernel's index parameters once they have names: extents are not negative, and
   what the target promises of sizes. False on failure. */
IRL__FN int irl__emit_facts(irl__emit *e, const irl_func *f);
/* How many iterations a loop of this extent has: 0 where it is negative. NULL for NULL. */
IRL__FN const irl_expr *irl__emit_iterations(irl__emit *e, const irl_expr *extent);

/* ------------------------------------------------------------------ emit_unit.c */

/* A module for its target, or for `target` if it names none. False with a diagnostic. */
IRL__FN int irl__emit_unit_begin(irl__emit_unit *o, const irl_module *m, const char *target,
                                 const irl__emit_language *language);
/* What is given back at the end of a function. */
typedef struct irl__emit_func {
    irl__emit_scope scope;
    int             facts, bindings;
} irl__emit_func;
/* Surveys a function, whose names and facts last until its end, which comes where this failed
   too. */
IRL__FN int  irl__emit_func_begin(irl__emit *e, const irl_func *f, irl__emit_func *state);
IRL__FN void irl__emit_func_end(irl__emit *e, const irl__emit_func *state);

#endif
