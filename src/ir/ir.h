/* ir.h - the intermediate representation, which the later folders read and build.

   needs     base
   promises  nodes are immutable and owned by the context; expressions are interned, so that equal
             ones are one pointer; nothing nests deeper than IRL_MAX_DEPTH or holds more than
             IRL_MAX_NODES nodes, so recursion is safe */
#ifndef IRL__IR_H
#define IRL__IR_H

#include "../base/base.h"

#define IRL_MAX_NODES (1u << 22) /* of one expression, counted as a tree */

/* ------------------------------------------------------------------ type.c */

/* Kinds of images: one row of texels over a buffer, rows of columns, layers of these, slices of
   these. */
typedef enum irl__image {
    IRL__IMAGE_NONE,
    IRL__IMAGE_LINE,
    IRL__IMAGE_2D,
    IRL__IMAGE_ARRAY,
    IRL__IMAGE_VOLUME
} irl__image;

/* Public things, by shorter names. */
typedef irl_scalar_kind irl__kind;
typedef irl_scalar_row  irl__type_row;

IRL__FN const irl__type_row *irl__type_info(irl_type t); /* of the scalar type */
IRL__FN int      irl__type_is_integer(irl_type t);       /* INT, UINT or INDEX, not BOOL */
/* The operand that is cast where two types meet: to a float, to an index, to more bits. 0: the
   first, 1: the second, -1: neither without a loss that its author has to state. */
IRL__FN int      irl__type_cast_side(irl_type a, irl_type b);
/* An operand as a message names it: n, x[...], or "" if it is longer. */
IRL__FN void     irl__type_operand(const irl_expr *e, char *text, size_t capacity);
IRL__FN int      irl__type_is_float(irl_type t);         /* f16, bf16, f32, f64 */
IRL__FN int      irl__type_is_half(irl_type t);          /* f16, bf16 */
IRL__FN int      irl__type_is_normalised(irl_type t);    /* stored and cast only */
IRL__FN int      irl__type_is_real(irl_type t);          /* a float or normalised: scalar.f */
/* f16, bf16, normalised: what a language without such numbers holds as its bits */
IRL__FN int      irl__type_is_storage(irl_type t);
IRL__FN int      irl__type_is_signed(irl_type t);        /* INT or INDEX */
IRL__FN int      irl__type_is_index(irl_type t);         /* a scalar or vector of index */
IRL__FN irl_type irl__type_with_lanes(irl_type t, uint32_t lanes);
IRL__FN irl_type irl__type_index(void);
IRL__FN irl_scalar irl__type_uint(irl_type t); /* the unsigned integer of its width */
IRL__FN irl_type irl__type_bool(uint32_t lanes);
IRL__FN size_t   irl__type_bytes(irl_type t);            /* lanes counted; as stored in memory */
/* What the address of an element is a multiple of: its size, for up to 16 lanes in a power of two;
   else its scalar's size. */
IRL__FN uint32_t irl__type_alignment(irl_type t);
IRL__FN void     irl__type_text(irl__text *t, irl_type type);
/* The type that a text such as "f32x4" names; false if none. */
IRL__FN int      irl__type_named(const char *name, size_t length, irl_type *out);
IRL__FN const char *irl__type_cstr(irl_ctx *cx, irl_type type);

/* ------------------------------------------------------------------ operators */

typedef irl_op_rule irl__rule;
typedef irl_op_row  irl__op_row;
#define IRL__SAME_ARITH IRL_RULE_SAME_ARITH
#define IRL__SAME_INT IRL_RULE_SAME_INT
#define IRL__SAME_FLOAT IRL_RULE_SAME_FLOAT
#define IRL__SAME_BITS IRL_RULE_SAME_BITS
#define IRL__COMPARE IRL_RULE_COMPARE
#define IRL__RULE_BOOL IRL_RULE_BOOL
#define IRL__OWN IRL_RULE_OWN

/* irl_op_info that always answers: the operator is one. */
IRL__FN const irl__op_row *irl__op_info(irl_op op);
/* floor, ceil, trunc, rint, round: exact in every type. */
IRL__FN int irl__op_is_whole(irl_op op);
/* exp, pow, erf, ...: functions of floats that devices compute by approximation. */
IRL__FN int irl__op_is_transcendental(irl_op op);
/* The operators from this one on are hidden by a prototype or a fn of the same name. */
#define IRL__OP_HIDEABLE IRL_OP_ACOS
/* Of a comparison the one that holds of integers where it does not; the one with its operands
   exchanged; the same without equal operands. Any other operator itself. */
IRL__FN irl_op irl__op_negated(unsigned op);
IRL__FN irl_op irl__op_mirrored(unsigned op);
IRL__FN irl_op irl__op_strict(unsigned op);
/* Does a comparison hold of two numbers? */
IRL__FN int irl__op_holds(unsigned op, int64_t a, int64_t b);
/* Whether the operands alone say the result type; that type, or false with a diagnostic. */
IRL__FN int irl__op_has_rule(irl_op op);
IRL__FN int irl__op_type(irl_ctx *cx, irl_op op, int count, const irl_expr *const *a, irl_loc where,
                         irl_type *out);

/* ------------------------------------------------------------------ expressions: expr.c */

enum { /* irl_expr.flags: what is somewhere in the tree */
    IRL__HAS_VAR = 1,
    IRL__HAS_MEMORY = 2, /* a load or a call: its value may change between two evaluations */
    IRL__HAS_UNDEF = 4,
    IRL__HAS_LET = 8,
    IRL__HAS_LANES = 16, /* it, or something in it, has more than one lane */
    IRL__IS_NAMED = 32   /* of a constant: an irl__const_name */
};

struct irl_expr {
    irl__interned head;
    uint8_t       op; /* irl_op */
    uint8_t       flags;
    uint16_t      depth;
    uint32_t      size;  /* nodes, as a tree */
    uint32_t      id;    /* VAR: unique in the context; else its form */
    uint32_t      count; /* of operands */
    irl_type      type;
    union {
        int64_t           i;      /* INT: value, sign- or zero-extended from its width */
        double            f;      /* FLOAT: already rounded to its type */
        const char       *name;   /* VAR, CALL_EXTERN, CALL_INTRINSIC: interned */
        const irl_buffer *buffer; /* LOAD */
        const int        *picks;  /* SHUFFLE: type.lanes of them */
    } u;
    const irl_expr *const *a; /* operands; LET: variable, value, body; LOAD: indices */
};

/* A constant with the name of a const. Such constants are not interned, so they exist only while a
   function is read to be printed (cx->named is set). */
typedef enum irl__named_how { IRL__NAMED_NUMBER, IRL__NAMED_TYPED, IRL__NAMED_END } irl__named_how;
typedef struct irl__const_name {
    irl_expr       e;
    const char    *name; /* interned */
    irl__named_how how;  /* END: the extent of a range whose end has this name */
} irl__const_name;
IRL__FN const irl_expr *irl__expr_named(irl_ctx *cx, const irl_expr *e, const char *name,
                                        irl__named_how how);
/* NULL: it has no name */
IRL__FN const irl__const_name *irl__const_name_of(const irl_expr *e);

/* Any operator but the leaves, SHUFFLE, LOAD and calls; checks types. `where` is for the
   diagnostic. */
IRL__FN const irl_expr *irl__expr_op(irl_ctx *cx, irl_op op, int count, const irl_expr *const *a,
                                     irl_loc where);
IRL__FN const irl_expr *irl__expr_load(irl_ctx *cx, const irl_buffer *b, int rank,
                                       const irl_expr *const *indices, irl_loc where);
IRL__FN const irl_expr *irl__expr_call(irl_ctx *cx, irl_op op, irl_type type, const char *name,
                                       int count, const irl_expr *const *args);
/* Whether a let may bind the variable to the value; else a diagnostic. */
IRL__FN int irl__let_ok(irl_ctx *cx, const irl_expr *var, const irl_expr *value);
/* The same node over other operands of the same types: for rewriting. Returns e itself if nothing
   changed. */
IRL__FN const irl_expr *irl__expr_with(irl_ctx *cx, const irl_expr *e,
                                       const irl_expr *const *operands);
/* Constants. */
static inline int irl__is_int(const irl_expr *e, int64_t value)
{
    return e->op == IRL_OP_INT && e->u.i == value;
}
static inline int irl__is_index(const irl_expr *e) /* one, no vector */
{
    return irl__type_is_index(e->type) && e->type.lanes == 1;
}
static inline int irl__is_const(const irl_expr *e)
{
    return e->op == IRL_OP_INT || e->op == IRL_OP_FLOAT;
}
/* Operand k of e is evaluated only where the first is true: 1, or false: 0; -1: in any case. */
static inline int irl__expr_when(const irl_expr *e, uint32_t k)
{
    if (k && e->op == IRL_OP_IF_THEN_ELSE) return k == 1;
    return !k ? -1 : e->op == IRL_OP_AND ? 1 : e->op == IRL_OP_OR ? 0 : -1;
}
static inline int irl__expr_is_lazy(const irl_expr *e) { return irl__expr_when(e, 1) >= 0; }
/* of any value type, lanes by broadcast */
IRL__FN const irl_expr *irl__zero(irl_ctx *cx, irl_type type);
IRL__FN const irl_expr *irl__bool(irl_ctx *cx, int value);
/* A constant of any scalar type: a float is rounded, an integer loses the fraction. BAD_ARGUMENT
   where it does not fit. */
IRL__FN const irl_expr *irl__number(irl_ctx *cx, irl_type type, double value);
/* NULL counts as true */
IRL__FN const irl_expr *irl__and(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
/* Index arithmetic without simplification, shorter to write. */
IRL__FN const irl_expr *irl__add(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__sub(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__mul(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__floordiv(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
IRL__FN const irl_expr *irl__floormod(irl_ctx *cx, const irl_expr *a, const irl_expr *b);
static inline const irl_expr *irl__op_number(irl_ctx *cx, irl_op op, const irl_expr *a, int64_t b)
{
    return irl_expr_op2(cx, op, a, irl_expr_index(cx, b));
}
/* The product of a list; the row-major number of an element of that shape. */
IRL__FN const irl_expr *irl__product(irl_ctx *cx, int count, const irl_expr *const *list);
IRL__FN const irl_expr *irl__row_major(irl_ctx *cx, int rank, const irl_expr *const *shape,
                                       const irl_expr *const *index);

/* ----------------------------------------------- number.c: how a number of each type is held */

typedef union irl__scalar {
    int64_t i; /* bool, ints, index; u64 as its bits */
    double  f; /* f16, bf16, f32, f64, normalised types */
} irl__scalar;

/* A value of a scalar type made canonical: wrapped to the width, or rounded to the precision. */
IRL__FN int64_t irl__wrap_int(irl_type t, int64_t value);
IRL__FN double  irl__round_float(irl_type t, double value);
/* A number and the integer that holds it: rounded to nearest, ties to even. */
IRL__FN uint16_t irl__half_from_double(double value);
IRL__FN double   irl__half_to_double(uint16_t bits);
IRL__FN uint16_t irl__bfloat_from_double(double value);
IRL__FN double   irl__bfloat_to_double(uint16_t bits);
IRL__FN int64_t  irl__norm_from_double(irl_type t, double value); /* of a normalised type */
/* what holds the code; -1 and below stand for -1 */
IRL__FN double   irl__norm_to_double(irl_type t, int64_t bits);
/* Element storage: reads or writes one scalar of a type at `memory`, in the machine's byte order,
   unaligned. */
/* The bits of a scalar as an unsigned number, and what has these bits. */
IRL__FN uint64_t    irl__scalar_bits(irl_type t, irl__scalar value);
IRL__FN irl__scalar irl__scalar_of_bits(irl_type t, uint64_t bits);
IRL__FN irl__scalar irl__load_scalar(irl_type t, const void *memory);
IRL__FN void        irl__store_scalar(irl_type t, void *memory, irl__scalar value);

/* --------------------------------------------- scalar.c: the meaning of operators on scalars */

typedef enum irl__fold_status {
    IRL__FOLD_OK,
    IRL__FOLD_ZERO_DIVISION,
    IRL__FOLD_OVERFLOW,
    IRL__FOLD_BAD_SHIFT,
    IRL__FOLD_NO_RULE
} irl__fold_status;

typedef irl__fold_status irl__calc(irl_type t, const irl__scalar *a, irl__scalar *out);
/* One operator of the table on scalars of type `type` (the operands'; comparisons give 0 or 1); the
   functions of floats have no rule here. */
IRL__FN irl__fold_status irl__fold_number(irl_op op, irl_type type, const irl__scalar *a,
                                          irl__scalar *out);
/* The same of f16 or bf16; `compute` is what the operator computes of f32. */
IRL__FN irl__fold_status irl__fold_half(irl__calc *compute, irl_op op, irl_type type,
                                        const irl__scalar *a, irl__scalar *out);
/* scalar_float.c: the same, and the functions of floats. */
IRL__FN irl__fold_status irl__fold_scalar(irl_op op, irl_type type, const irl__scalar *a,
                                          irl__scalar *out);
/* Returns 0, with the diagnostic of a status other than OK. */
IRL__FN int irl__fold_fail(irl_ctx *cx, irl_loc loc, irl_op op, irl_type type,
                           irl__fold_status status);
/* The value of `a` in another type: integers modulo the width, bool by != 0, floats to the nearest.
   EVAL_OVERFLOW where C has no answer: a NaN or a float beyond the integer's range; and a u64
   beyond index. */
IRL__FN irl__fold_status irl__fold_cast(irl_type from, irl_type to, irl__scalar a,
                                        irl__scalar *out);
/* Any operator on scalars that computes all of its operands and is no function of floats: one of
   the table, a cast, reinterpret, select. The operands' type (of a select its arms' does not
   matter), and the result's. */
IRL__FN irl__fold_status irl__fold_op(irl_op op, irl_type from, irl_type to, const irl__scalar *a,
                                      irl__scalar *out);

/* ------------------------------------------------------- valuation.c: a scalar expression */

typedef struct irl__valuation {
    /* false: the variable has no value here */
    int (*name)(const void *user, const irl_expr *var, irl__scalar *out);
    /* the same of a call; NULL: none has one */
    int (*call)(const void *user, const irl_expr *call, irl__scalar *out);
    /* irl__fold_scalar; NULL: functions of floats have no value */
    irl__fold_status (*function)(irl_op op, irl_type type, const irl__scalar *a, irl__scalar *out);
    const void     *user;
    int             is_exact; /* what has parts of floating point has no value */
    const irl_expr *part;     /* the first operator without a value, if it was one; its operands */
    irl__scalar     operand[2];
} irl__valuation;

/* NO_RULE for what is not computed here: lanes, memory, calls, names without a value. */
IRL__FN irl__fold_status irl__scalar_of(irl__valuation *v, const irl_expr *e, irl__scalar *out);

/* ------------------------------------------------------------------ lanes.c */

/* Of a broadcast or a shuffle: the operand that holds its lane *k, which becomes the operand's own;
   NULL of anything else. */
IRL__FN const irl_expr *irl__lane_operand(const irl_expr *e, uint32_t *k);
/* Lane k of e, which has that many; a scalar is its every lane. Not simplified. */
IRL__FN const irl_expr *irl__lane(irl_ctx *cx, const irl_expr *e, uint32_t k);
/* Lanes [first, first + n) of e, which is one value; parts of one scalar type end to end. */
IRL__FN const irl_expr *irl__lanes_cut(irl_ctx *cx, const irl_expr *e, uint32_t first, uint32_t n);
/* A shuffle that puts its operands end to end. */
IRL__FN int irl__shuffle_joins(const irl_expr *shuffle);
IRL__FN const irl_expr *irl__lanes_join(irl_ctx *cx, uint32_t count, const irl_expr *const *parts);
/* Whether an index (NULL: 0) is a scalar or a ramp by 1: its elements lie one after the other. */
IRL__FN int irl__index_is_run(const irl_expr *index);

/* ------------------------------------------------------------------ buffers: buffer.c */

struct irl_buffer {
    const char            *name;
    irl_type               type;    /* of an element; lanes may exceed 1 */
    irl_scope              scope;
    int                    rank;
    const irl_expr *const *shape;   /* of type index */
    /* in steps (irl__buffer_step), one per axis; NULL: compact, row-major */
    const irl_expr *const *strides;
    /* in steps from the data pointer; NULL: 0. Only where there are no separators */
    const irl_expr        *offset;
    const irl_expr        *data;    /* the pointer variable; aliases share it */
    /* bytes, of the start of the memory; 0: not stated. See irl__buffer_alignment */
    uint32_t               alignment;
    int                    separator_count;
    const int             *separators; /* strictly increasing, in 1..rank-1 */
    int                    texel;      /* of an image of scalars: lanes of a texel; 0: 4 */
    int                    bits;       /* of a bit buffer, bitfield.c: what an element takes; 0 */
    irl_bit_order          bit_order;  /* of a bit buffer */
    irl_bit_norm           norm;       /* of a bit buffer of f32 */
    int                    is_field;   /* a view that has no bit of another field of its memory */
    const irl_record      *record;     /* of a record's field: it was made for; else NULL */
    int                    record_field;
    uint32_t               id;
    irl_loc                loc;
};

/* A copy with a new id, to be changed before it is shared. NULL when memory is out. */
IRL__FN irl_buffer *irl__buffer_copy(irl_ctx *cx, const irl_buffer *b);
IRL__FN irl_buffer *irl__buffer_make(irl_ctx *cx, const char *name, irl_type element,
                                     irl_scope scope, int rank, const irl_expr *const *shape,
                                     const irl_expr *data, irl_loc loc);
/* What the start of b's memory is a multiple of. Memory of its own is aligned for every type, 128
   bytes, as OpenCL aligns it, or as align() states, but at least for its elements. Memory behind a
   call's pointer is aligned for what that points to, or as stated. */
#define IRL__MOST_ALIGNED 128
IRL__FN uint32_t irl__buffer_alignment(const irl_buffer *b, int is_owner);
/* ---- bitfield.c: bit buffers, whose elements take 1 to 64 bits and begin at any bit. The type of
   such a buffer is that of the values: u4 holds u8 from 0 to 15. Its memory is bytes, and strides
   and offset count bits. */
#define IRL__MOST_FIELD 64
#define IRL__MOST_NORM 24
/* Reads a width, u1 to u63, i2 to i63, unorm1 to unorm24 or snorm2 to snorm24, that is not the name
   of a type: the type, bits and norm of an element. */
IRL__FN int irl__bitfield_named(const char *name, size_t length, irl_bit_element *out);
/* Makes a type without a width an element of bits: bool has 1, unorm8 is an f32. */
IRL__FN void irl__bitfield_of_type(irl_bit_element *e);
/* The type of elements as it is written: u4, f32x4. */
IRL__FN void irl__buffer_type_text(irl__text *t, const irl_buffer *b);
IRL__FN const char *irl__bit_order_text(irl_bit_order order);
/* Whether the text needs bits(...): the type does not say it, or the order is not lsb. */
IRL__FN int irl__bitfield_says_order(const irl_buffer *b);
/* Whether elements of that type may have so many bits. */
IRL__FN int irl__bitfield_type_ok(irl_type type, int bits, irl_bit_norm norm);
/* One element of 1 to 64 bits, in a plain memory: else a diagnostic. */
IRL__FN int irl__bitfield_valid(irl_ctx *cx, const irl_buffer *b);
/* What the memory is made of: u8 for a bit buffer, else the type of the elements. */
IRL__FN irl_type irl__buffer_memory_type(const irl_buffer *b);
/* What an element takes in what strides and offset count: bits, or 1 element. */
static inline int64_t irl__buffer_step(const irl_buffer *b) { return b->bits ? b->bits : 1; }
/* Bytes that hold that many steps; false where they do not fit 63 bits. */
IRL__FN int irl__buffer_step_bytes(const irl_buffer *b, int64_t steps, int64_t *bytes);
/* Whether a parameter or a buffer in the body is one. */
IRL__FN int irl__func_has_bits(const irl_func *f);
/* Does an element keep less of a value than its type holds? */
static inline int irl__bitfield_is_narrow(const irl_buffer *b)
{
    return b->bits && b->bits < 8 * (int)irl__type_bytes(b->type) && b->type.scalar != IRL_BOOL;
}
/* The value of an element that is bool or normalised, from its bits, an unsigned integer; and the
   bits of a value, of which those above the element's are not 0 if it is negative. */
IRL__FN const irl_expr *irl__bitfield_number(irl_ctx *cx, const irl_buffer *b,
                                             const irl_expr *bits);
IRL__FN const irl_expr *irl__bitfield_code(irl_ctx *cx, const irl_buffer *b,
                                           const irl_expr *value);
/* What a load gives of a value that was stored: value itself, or what its bits represent. */
IRL__FN const irl_expr *irl__bitfield_kept(irl_ctx *cx, const irl_buffer *b,
                                           const irl_expr *value);
/* Makes the elements of `to`, new memory that nothing uses yet, those of the bit buffer `from`. 0:
   memory is out. */
IRL__FN int irl__bitfield_take(irl_ctx *cx, irl_buffer *to, const irl_buffer *from);
/* The element of a bit buffer at that bit of memory: its value, or its bits as they are. */
IRL__FN uint64_t irl__bitfield_bits(const irl_buffer *b, const unsigned char *memory, uint64_t at);
IRL__FN void irl__bitfield_put(const irl_buffer *b, unsigned char *memory, uint64_t at,
                               uint64_t bits);
IRL__FN irl__scalar irl__bitfield_load(const irl_buffer *b, const unsigned char *memory,
                                       uint64_t at);
IRL__FN void irl__bitfield_store(const irl_buffer *b, unsigned char *memory, uint64_t at,
                                 irl__scalar value);

/* ---- span.c: elements of `width` bits at places that are numbers, in bits. */
#define IRL__SPAN_MOST (INT64_C(1) << 31) /* bits of a memory */
typedef struct irl__span {
    int     width, is_msb, rank;
    int64_t offset, extent[IRL_MAX_RANK], stride[IRL_MAX_RANK];
} irl__span;
typedef struct irl__span_hit {
    int64_t element, bit; /* its row-major number; from the least significant bit of byte 0 */
} irl__span_hit;
/* The first bit of an element, by its row-major number, in the order of bits; -1: there is none. */
IRL__FN int64_t irl__span_at(const irl__span *s, int64_t number);
/* Bit p of memory, counted in the order of s, counted from the least significant bit of byte 0. */
IRL__FN int64_t irl__span_bit(const irl__span *s, int64_t p);
/* One past the last bit, 0 if there are no elements; -1: a number is negative, or too many bits. */
IRL__FN int64_t irl__span_end(const irl__span *s);
/* `owner` of a bit, modulo the period: 0, or 1 + the number of a span, at most 254. Fills in those
   of s; the number of a span that has one of them already, and the element of s, or -1. Where s
   may repeat, its own do not count. */
IRL__FN int irl__span_mark(const irl__span *s, int64_t period, unsigned char *owner, int number,
                           int may_repeat, irl__span_hit *out);
/* The first element that has that bit, modulo the period. */
IRL__FN void irl__span_first(const irl__span *s, int64_t period, int64_t bit, irl__span_hit *out);
/* "q[0, 3]"; in front `outer` axes more, the last of which is at outer_at. */
IRL__FN void irl__span_text(irl__text *t, const irl__span *s, const char *name, int outer,
                            int64_t outer_at, int64_t element);
/* "3 of 8 bits are unused, the first is bit 5 of byte 0"; first -1: without it. */
IRL__FN void irl__span_unused_text(irl__text *t, int64_t count, int64_t all, int64_t first);
IRL__FN void irl__span_shared_text(irl__text *t, int64_t bit); /* " have bit 5 of byte 0" */

/* ---- record.c: fields of bits at fixed places in a block of bytes. */
struct irl_record {
    irl_ctx          *cx;
    const char       *name;
    int64_t           bytes;
    int               count;
    irl_record_field *fields;
    int64_t           unit; /* 1, or bits of bytes of which all fields consist */
    irl_loc           loc;
};
IRL__FN irl_record *irl__record_make(irl_ctx *cx, const char *name, int64_t bytes, int count,
                                     const irl_record_field *fields, irl_loc loc);
IRL__FN void irl__record_span(const irl_record_field *f, irl__span *out);
/* One past the last bit of a field; -1 as of irl__span_end. */
IRL__FN int64_t irl__record_next(const irl_record_field *f);
/* Whether fields a and b of a list are alternatives. */
IRL__FN int irl__record_excludes(const irl_record_field *list, int a, int b);
/* Where field k of a list begins if nothing else is stated: after the field before it, or, if that
   one depends on another, after all those before it that depend and are no alternatives to k. *last
   is the field that ends there; -1: there is none. */
IRL__FN int64_t irl__record_begin(const irl_record_field *list, int k, int *last);
IRL__FN int     irl__record_depends(const irl_record *r); /* whether a field does */
/* The element of a field, without its strides. */
IRL__FN irl_bit_element irl__record_field_element(const irl_record_field *f);

/* Elements of a layout: whether there are such; *out has its stride. Else a diagnostic. */
IRL__FN int irl__bit_element_ok(irl_ctx *cx, const irl_bit_element *e, irl_bit_element *out,
                                irl_loc loc);
/* Whether the verdict is right; else its diagnostic. */
IRL__FN int irl__record_right(const irl_record *r, irl_loc loc);
/* Field k of records that lie side by side in that memory. NULL on failure. */
IRL__FN irl_buffer *irl__record_view(const irl_record *r, int k, const irl_expr *data, int rank,
                                     const irl_expr *const *shape, irl_loc loc);
/* Whether b still is what irl__record_view made. */
IRL__FN int irl__record_is_view(const irl_buffer *b);

/* Strictly increasing, in 1..rank-1; else BAD_SEPARATORS at loc. */
IRL__FN int irl__separators_valid(irl_ctx *cx, int rank, int count, const int *separators,
                                  irl_loc loc);
/* Number of physical axes: separators + 1; 1 for rank 0. */
static inline int irl__buffer_groups(const irl_buffer *b) { return b->separator_count + 1; }
/* True if already of one axis per group, compact, with separators 1..rank-1: flattening changes
   nothing. */
IRL__FN int irl__buffer_is_flat(const irl_buffer *b);

/* -------------------------------------------- maps (the data; the mathematics is in src/map) */

/* What C makes of the line of an IRL_LAYOUT: the same outputs, where / and % truncate, and no
   constant is computed before its time. */
typedef struct irl__c_layout {
    int                    bytes, is_unsigned; /* of irl_index */
    int                    has_unsigned;       /* a constant without a sign stands in it */
    const irl_expr *const *outputs;            /* over the inputs of the map */
} irl__c_layout;

struct irl_map {
    irl_ctx               *cx;
    int                    input_count, output_count;
    const irl_expr *const *inputs;  /* variables of type index */
    const irl_expr *const *outputs; /* of type index, over the inputs (and symbolic extents) */
    int                    separator_count;
    const int             *separators;
    int                    variadic;     /* 1: "..." stands on both sides */
    int                    variadic_in;  /* how many inputs stand before it */
    int                    variadic_out; /* how many outputs stand before it */
    const irl__c_layout   *c;            /* of an IRL_LAYOUT; NULL: it is no C */
    irl_loc                loc;
};

/* Checks ranks, types and separators; copies the lists. */
IRL__FN const irl_map *irl__map_make(irl_ctx *cx, int input_count, const irl_expr *const *inputs,
                                     int output_count, const irl_expr *const *outputs,
                                     int separator_count, const int *separators, irl_loc loc);
/* What cannot stand in a map: a part that is no integer or bool, or is made of memory, lanes or
   bits. NULL: nothing. */
IRL__FN const irl_expr *irl__map_misfit(const irl_expr *e);
/* The map for buffers of `rank` axes: "..." replaced by that many axes. Itself when it has none.
   RANK_MISMATCH if it cannot be. */
IRL__FN const irl_map *irl__map_of_rank(irl_ctx *cx, const irl_map *map, int rank);
/* The outputs with inputs replaced by `indices`; out has map->output_count places. Not
   simplified. */
IRL__FN int irl__map_substitute(irl_ctx *cx, const irl_map *map, const irl_expr *const *indices,
                                const irl_expr **out);

/* ------------------------------------------------------------------ statements */

/* The public kinds and records, by shorter names. */
typedef irl_stmt_kind  irl__stmt_kind;
typedef irl_note       irl__annotation;
typedef irl_region     irl__region;
typedef irl_match      irl__match;
typedef irl_block_axis irl__axis;
typedef irl_block_desc irl__block_data;
#define IRL__SEQ IRL_STMT_SEQ
#define IRL__FOR IRL_STMT_FOR
#define IRL__BLOCK IRL_STMT_BLOCK
#define IRL__IF IRL_STMT_IF
#define IRL__LET IRL_STMT_LET
#define IRL__STORE IRL_STMT_STORE
#define IRL__ALLOC IRL_STMT_ALLOC
#define IRL__DECL IRL_STMT_DECL
#define IRL__ASSUME IRL_STMT_ASSUME
#define IRL__ASSERT IRL_STMT_ASSERT
#define IRL__BARRIER IRL_STMT_BARRIER
#define IRL__EVALUATE IRL_STMT_EVALUATE
#define IRL__ATTR IRL_STMT_ATTR
#define IRL__LAUNCH IRL_STMT_LAUNCH

/* note(group = n) on a loop that is or becomes bound to a global axis: up to n iterations go well
   into one work-group. */
#define IRL__NOTE_GROUP "group"
/* note(unroll = n) on a serial loop: a compiler unrolls n iterations, no more. */
#define IRL__NOTE_UNROLL "unroll"
/* note(order = "free") on a block or loop: its reduction may take any order. */
#define IRL__NOTE_ORDER "order"
/* note(label = "conv"), the last one of a loop, is written conv: for ...; lower_blocks drops it. */
#define IRL__NOTE_LABEL "label"
/* note(scheduled = 1) on the outermost loop of a nest: its loops are as someone decided, and the
   passes leave them so. */
#define IRL__NOTE_SCHEDULED "scheduled"

/* attr(numbers = "strict") of a function: each operator rounds; "free": sums may take any order. */
#define IRL__ATTR_NUMBERS "numbers"
/* attr(unproved = "...") of a function: an access that is not proved to lie in its buffer, in
   words. */
#define IRL__ATTR_UNPROVED "unproved"
/* attr(idle = "...") of a host function: a kernel that leaves most of the device idle, in words. */
#define IRL__ATTR_IDLE "idle"
/* Is the attribute a warning, for irl_func_warnings? */
static inline int irl__attr_is_warning(const char *key)
{
    return strcmp(key, IRL__ATTR_UNPROVED) == 0 || strcmp(key, IRL__ATTR_IDLE) == 0;
}
/* attr(in_place = "x") of a kernel: another argument may be the same memory; of a host "y: in x": y
   lies in the memory of x, which dies where y is made. */
#define IRL__ATTR_IN_PLACE "in_place"
/* attr(shares = "a@16: 16") of a kernel: the view a@16 of a pool holds its elements from 16 on, and
   they are undefined once it is declared. */
#define IRL__ATTR_SHARES "shares"

struct irl_stmt {
    uint8_t  kind; /* irl_stmt_kind */
    uint16_t depth;
    uint32_t id;    /* of loops and blocks: stable through passes; else 0 */
    uint32_t holds; /* what stands in it, itself with it: irl__stmt_holds */
    irl_loc  loc;
    union {
        struct { int count; const irl_stmt *const *stmts; } seq;
        struct {
            irl_for_kind kind;
            irl_axis     axis; /* of IRL_BOUND */
            const irl_expr *var, *min, *extent;
            const irl_stmt *body;
            int annotation_count;
            const irl__annotation *annotations;
        } loop;
        const irl__block_data *block;
        /* else_ may be NULL */
        struct { const irl_expr *condition; const irl_stmt *then_, *else_; } branch;
        /* to the end of the enclosing sequence */
        struct { const irl_expr *var, *value; } let;
        struct {
            const irl_buffer *buffer;
            const irl_expr *value;
            const irl_expr *const *indices;
        } store;
        /* ALLOC and DECL; to the end of the enclosing sequence */
        struct { const irl_buffer *buffer; } alloc;
        /* ASSUME and ASSERT; the values, indices, stand for the message's {} in order */
        struct {
            const irl_expr *condition;
            const char *message;
            int value_count;
            const irl_expr *const *values;
        } check;
        struct { irl_scope scope; } barrier;
        struct { const irl_expr *value; } evaluate;
        struct { irl__annotation annotation; const irl_stmt *body; } attr;
        /* data variables and scalars */
        struct { const char *kernel; int count; const irl_expr *const *args; } launch;
    } u;
};

/* ---------------------------------------------- what a statement is made of: fields.c, stmts.h */

typedef enum irl__field_kind {
    IRL__FIELD_END,    /* of a walk: the length of a list, an int, before its things */
    IRL__FIELD_EXPR,   /* may be missing, NULL */
    IRL__FIELD_STMT,   /* may be missing */
    IRL__FIELD_BUFFER, /* a buffer that it names */
    IRL__FIELD_NEW,    /* a buffer that it declares */
    IRL__FIELD_BLOCK,  /* records with fields of their own */
    IRL__FIELD_AXIS,
    IRL__FIELD_REGION,
    IRL__FIELD_MATCH,
    IRL__FIELD_VAR,    /* from here on compared, in no walk: a variable that it binds */
    IRL__FIELD_NAME,   /* a text, or NULL */
    IRL__FIELD_VALUE,  /* an int */
    IRL__FIELD_NOTE    /* an annotation */
} irl__field_kind;
/* sets of kinds: all that is walked; what is declared; that and the statements directly inside */
enum {
    IRL__FIELDS_WALKED = (1 << IRL__FIELD_VAR) - (1 << IRL__FIELD_EXPR),
    IRL__FIELDS_NEW = 1 << IRL__FIELD_NEW | 1 << IRL__FIELD_BLOCK | 1 << IRL__FIELD_MATCH,
    IRL__FIELDS_DECLARED = 1 << IRL__FIELD_STMT | IRL__FIELDS_NEW
};
enum { IRL__FIELD_ONE, IRL__FIELD_MANY, IRL__FIELD_AXES };

typedef struct irl__field {
    uint8_t  kind, form;
    uint16_t at;    /* where the thing, or the pointer to the list, stands */
    uint16_t count; /* ONE: its bytes; MANY: where the number stands; AXES: where the buffer */
} irl__field;
/* the things of one field */
typedef struct irl__elements {
    const char *first;
    size_t      bytes; /* of each */
    int         count;
} irl__elements;

IRL__FN const irl__field *irl__stmt_fields(const irl_stmt *s);
IRL__FN const irl__field *irl__record_fields(int kind); /* NULL: it is no record */
/* of a field of the statement or record `whole` */
IRL__FN irl__elements irl__field_elements(const irl__field *p, const void *whole);
/* Calls fn with each field of s of these kinds, records that are among them taken apart. False, and
   nothing more is called, as soon as fn is. */
typedef int irl__field_fn(void *user, irl__field_kind kind, const void *at);
IRL__FN int irl__fields_each(const irl_stmt *s, unsigned kinds, irl__field_fn *fn, void *user);

/* The k-th statement directly in another one; NULL: it has fewer. Most statements are sequences,
   which alone have a list, loops or stores: the others are looked at field by field. */
IRL__FN const irl_stmt *irl__stmt_part_of(const irl_stmt *s, int k);
static inline const irl_stmt *irl__stmt_part(const irl_stmt *s, int k)
{
    if (s->kind == IRL__SEQ) return k < s->u.seq.count ? s->u.seq.stmts[k] : NULL;
    if (s->kind == IRL__FOR) return k ? NULL : s->u.loop.body;
    return s->kind == IRL__STORE ? NULL : irl__stmt_part_of(s, k);
}

/* A statement and all that it is in: at[0] is the outermost, at[count - 1] itself. */
typedef struct irl__place {
    int             count;
    const irl_stmt *at[IRL_MAX_DEPTH + 2];
    int child[IRL_MAX_DEPTH + 2]; /* where at[k - 1] is a sequence: which of its statements */
    int is_begun, is_over;        /* irl__place_next, which also counts in other statements */
} irl__place;

static inline const irl_stmt *irl__place_last(const irl__place *p) { return p->at[p->count - 1]; }

/* A walk over a statement and all that is in it, in the order of the text:
       for (irl__place_begin(&p, top); (s = irl__place_next(&p)) != NULL;)
   p is the place of s in top. NULL: there is no other one. What is in s is passed over after
   irl__place_pass. */
IRL__FN void            irl__place_begin(irl__place *p, const irl_stmt *top);
IRL__FN const irl_stmt *irl__place_next(irl__place *p);
static inline void irl__place_pass(irl__place *p) { p->is_over = 1; }
static inline const irl_stmt *irl__place_first(irl__place *p, const irl_stmt *top)
{
    irl__place_begin(p, top);
    return irl__place_next(p);
}
#define IRL__EACH_STMT(s, p, top) \
    for (const irl_stmt *s = irl__place_first(p, top); s; s = irl__place_next(p))
/* The place of the statement that is `self`, or of the first of that id (0: none has it); false: it
   is not in the body, and out->count is 0. */
IRL__FN int irl__place_seek(const irl_stmt *body, uint32_t id, const irl_stmt *self,
                            irl__place *out);

/* ------------------------------------------------------------------ stmt.c */

/* A new statement of this kind, fields cleared, depth 1 (call irl__stmt_finish before sharing it,
   as of a copy whose statements, buffers or kind of loop were changed). */
IRL__FN irl_stmt *irl__stmt_new(irl_ctx *cx, irl__stmt_kind kind, irl_loc loc);
/* A copy to be changed before it is shared; keeps id and loc. */
IRL__FN irl_stmt *irl__stmt_copy(irl_ctx *cx, const irl_stmt *s);
/* The same of a block; *data is its own, to be changed too. NULL: memory is out, or the block is
   NULL. */
IRL__FN irl_stmt *irl__block_copy(irl_ctx *cx, const irl_stmt *block, irl__block_data **data);
/* The block with another condition and another body; NULL: body is, or memory is out. */
IRL__FN const irl_stmt *irl__block_with(irl_ctx *cx, const irl_stmt *block,
                                        const irl_expr *predicate, const irl_stmt *body);
/* A new block that is like `of`; NULL: nothing is in it. */
IRL__FN irl_stmt *irl__block_new(irl_ctx *cx, irl_loc loc, const irl__block_data *of,
                                 irl__block_data **data);
/* Gives such a block axes of its own, with room for `more`, and returns them. */
IRL__FN irl__axis *irl__block_axes(irl_ctx *cx, irl__block_data *data, int more);
/* Serial loops from 0 around the body, one for each variable that is not NULL. */
IRL__FN const irl_stmt *irl__stmt_nest(irl_ctx *cx, int count, const irl_expr *const *vars,
                                       const irl_expr *const *extents, const irl_stmt *body);
/* Whether a barrier can order such memory; else a diagnostic. */
IRL__FN int irl__barrier_ok(irl_ctx *cx, irl_code code, irl_loc where, irl_scope scope);
/* What an ASSERT says, each {} replaced by the next of `values`; into a text of the caller's. */
IRL__FN void irl__stmt_message(irl__text *t, const irl_stmt *s, const int64_t *values);
/* Whether the message has a {} for each value, and each is an index; else a diagnostic. */
IRL__FN int irl__stmt_message_ok(irl_ctx *cx, const irl_stmt *s, irl_loc where);
/* A new loop. NULL: a part is, or memory is out. */
IRL__FN const irl_stmt *irl__loop_for(irl_ctx *cx, irl_loc loc, irl_for_kind kind, irl_axis axis,
                                      const irl_expr *var, const irl_expr *min,
                                      const irl_expr *extent, const irl_stmt *body);
/* The loop, of that kind (bound: to that axis), around that body: how loops are marked, by
   primitives and passes. NULL: body is, or memory is out. */
IRL__FN const irl_stmt *irl__stmt_loop_as(irl_ctx *cx, const irl_stmt *loop, irl_for_kind kind,
                                          irl_axis axis, const irl_stmt *body);
/* The loop, of the same kind, around another body; NULL: body is, or memory is out. */
static inline const irl_stmt *irl__stmt_loop_of(irl_ctx *cx, const irl_stmt *loop,
                                                const irl_stmt *body)
{
    return irl__stmt_loop_as(cx, loop, loop->u.loop.kind, loop->u.loop.axis, body);
}
/* The loop with another variable, other bounds and another body. NULL: one of them is. */
IRL__FN const irl_stmt *irl__stmt_loop_over(irl_ctx *cx, const irl_stmt *loop, const irl_expr *var,
                                            const irl_expr *min, const irl_expr *extent,
                                            const irl_stmt *body);
/* The same as a new loop, with an id of its own, with or without the notes. */
IRL__FN const irl_stmt *irl__stmt_loop_new(irl_ctx *cx, const irl_stmt *like, int has_notes,
                                           const irl_expr *var, const irl_expr *min,
                                           const irl_expr *extent, const irl_stmt *body);
/* The statements of a and then those of b, in one sequence. NULL: one of them is. */
IRL__FN const irl_stmt *irl__stmt_then(irl_ctx *cx, const irl_stmt *a, const irl_stmt *b);
/* Sets the depth and what it holds from the fields, and refuses what is too deep. Returns s or
   NULL. */
IRL__FN const irl_stmt *irl__stmt_finish(irl_ctx *cx, irl_stmt *s);
/* The spatial axis of a block that is a loop: it counts from 0. Returns what the loop's variable is
   in the block, NULL on failure. */
IRL__FN const irl_expr *irl__loop_axis(irl_ctx *cx, const irl_expr *var, const irl_expr *min,
                                       const irl_expr *extent, irl__axis *out);
/* What stands in a statement, a set: kinds of statements (1 << IRL__BARRIER), and these. */
enum {
    IRL__HOLDS_LOOP = 1 << IRL__STMT_KIND_COUNT, /* shifted by an irl_for_kind: such a loop */
    IRL__HOLDS_PARALLEL = IRL__HOLDS_LOOP << IRL_PARALLEL,
    IRL__HOLDS_VECTORIZED = IRL__HOLDS_LOOP << IRL_VECTORIZED,
    IRL__HOLDS_UNROLLED = IRL__HOLDS_LOOP << IRL_UNROLLED,
    IRL__HOLDS_BOUND = IRL__HOLDS_LOOP << IRL_BOUND,
    IRL__HOLDS_GLOBAL = IRL__HOLDS_BOUND << 1, /* a loop bound to a global axis */
    IRL__HOLDS_MATCH = IRL__HOLDS_BOUND << 2,  /* a block that matches a buffer */
    IRL__HOLDS_SHARED = IRL__HOLDS_BOUND << 3, /* an allocation of shared memory, of an image */
    IRL__HOLDS_IMAGE = IRL__HOLDS_BOUND << 4,
    IRL__HOLDS_UNSTATED = IRL__HOLDS_BOUND << 5, /* a block that leaves the kind of an axis out */
    IRL__HOLDS_HANDLE = IRL__HOLDS_BOUND << 6,   /* a pointer that a call returns */
    IRL__HOLDS_SCHEDULED = IRL__HOLDS_BOUND << 7, /* a loop that says that it is scheduled */
    IRL__HOLDS_REGIONS = IRL__HOLDS_BOUND << 8 /* a block that says what it reads or writes */
};
/* let h = extern(ptr(f32, global), ...) */
IRL__FN int irl__stmt_is_handle(const irl_stmt *s);
/* The label of a loop; NULL: it has none. */
IRL__FN const char *irl__stmt_label(const irl_stmt *s);
/* Is the value of an annotation, of a function or of a statement, one that its key has? Keys that
   the library does not know have any. 0 with a diagnostic. */
IRL__FN int irl__note_check(irl_ctx *cx, irl_loc where, int of_func, const irl__annotation *a);
/* A note or attribute whose value is a text. */
static inline irl_note irl__note_of(const char *key, const char *text)
{
    irl_note note = { key, NULL, text };
    return note;
}
/* Is it a loop of work-items or of groups? */
static inline int irl__stmt_is_bound(const irl_stmt *s)
{
    return s->kind == IRL__FOR && s->u.loop.kind == IRL_BOUND;
}
/* Is it a loop whose iterations may run in any order, or at the same time? */
static inline int irl__stmt_is_parallel(const irl_stmt *s)
{
    return s->kind == IRL__FOR && s->u.loop.kind != IRL_SERIAL && s->u.loop.kind != IRL_UNROLLED;
}
/* The statements of a sequence, or the one statement: how many, and the k-th. */
static inline int irl__stmt_count(const irl_stmt *s)
{
    return s->kind == IRL__SEQ ? s->u.seq.count : 1;
}
static inline const irl_stmt *irl__stmt_at(const irl_stmt *s, int k)
{
    return s->kind == IRL__SEQ ? s->u.seq.stmts[k] : s;
}
/* The next condition that is assumed or asserted before anything computes, from statement *k of the
   body on; NULL: there is none left. */
IRL__FN const irl_expr *irl__stmt_next_fact(const irl_stmt *body, int *k);
/* Does the loop run at least once, whatever the values are? */
IRL__FN int irl__stmt_loop_runs(const irl_stmt *loop);
/* Does the loop say that the loops of its nest are decided about? The same loop, saying so or
   not. */
IRL__FN int irl__stmt_is_scheduled(const irl_stmt *s);
/* Is it a loop nest that neither a person nor a schedule has decided about? */
IRL__FN int irl__stmt_is_free(const irl_stmt *s);
/* Is one of the statements of a body such a nest? */
IRL__FN int irl__stmt_has_free(const irl_stmt *body);
/* Are its iterations work-items of a group? */
IRL__FN int irl__stmt_is_items(const irl_stmt *s);
/* Whether axes, a bit for each, may be bound in one kernel: a dimension is global, or of groups and
   their items. A diagnostic, if not. */
IRL__FN int irl__axes_ok(irl_ctx *cx, irl_loc where, unsigned bound);
/* Do the iterations of a loop around its allocation have the buffer together? Work-items of a group
   have shared memory together, wherever it is allocated. */
IRL__FN int irl__stmt_shares(const irl_stmt *loop, const irl_buffer *b);
IRL__FN const irl_stmt *irl__stmt_set_scheduled(irl_ctx *cx, const irl_stmt *loop,
                                                int is_scheduled);
/* Whether any of the set stands in s; at once, since irl__stmt_finish gathers it. */
IRL__FN int irl__stmt_holds(const irl_stmt *s, unsigned set);
/* A sequence with nested sequences that declare nothing spliced in; one statement stays itself. */
IRL__FN const irl_stmt *irl__stmt_seq(irl_ctx *cx, int count, const irl_stmt *const *stmts);
static inline const irl_stmt *irl__stmt_pair(irl_ctx *cx, const irl_stmt *a, const irl_stmt *b)
{
    const irl_stmt *const list[] = { a, b };
    return irl__stmt_seq(cx, 2, list);
}
/* The same, and what stands for a declaration, was[k], is spliced in with all that it declares. */
IRL__FN const irl_stmt *irl__stmt_seq_of(irl_ctx *cx, int count, const irl_stmt *const *stmts,
                                         const irl_stmt *const *was);
IRL__FN const irl_stmt *irl__stmt_empty(irl_ctx *cx);
static inline int irl__stmt_is_empty(const irl_stmt *s)
{
    return s->kind == IRL__SEQ && s->u.seq.count == 0;
}
/* let name = e at the end of a list in scratch memory: the variable; e itself where it is NULL or
   may stay. NULL on failure. */
IRL__FN const irl_expr *irl__stmt_named(irl_ctx *cx, const char *name, const irl_expr *e,
                                        int may_stay, const irl_stmt ***list);
IRL__FN const irl_stmt *irl__stmt_store(irl_ctx *cx, const irl_buffer *b, const irl_expr *value,
                                        int rank, const irl_expr *const *indices, irl_loc loc);
/* The store of another value into the same element. */
static inline const irl_stmt *irl__stmt_store_of(irl_ctx *cx, const irl_stmt *store,
                                                 const irl_expr *value)
{
    return irl__stmt_store(cx, store->u.store.buffer, value, store->u.store.buffer->rank,
                           store->u.store.indices, store->loc);
}
IRL__FN const char *irl__scope_text(irl_scope scope);
/* The failure that says it, with the nearest of those that there are. Returns 0. */
IRL__FN int irl__scope_unknown(irl_ctx *cx, irl_code code, irl_loc where, const char *name);
/* The thread axis of that name; 0 with such a failure. */
IRL__FN int irl__axis_named(irl_ctx *cx, irl_code code, irl_loc where, const char *name,
                            irl_axis *axis);
IRL__FN irl__image  irl__scope_image(irl_scope scope); /* of one separator where it may have two */
IRL__FN int         irl__scope_is_image(irl_scope scope);
/* Iterations that do not meet: what one writes no other reads or writes. They may run in any order,
   at the same time, or statement by statement for several at once, as the lanes of a vector. */
static inline int irl__for_is_parallel(irl_for_kind kind)
{
    return kind == IRL_PARALLEL || kind == IRL_VECTORIZED;
}

/* ------------------------------------------------------------------ texels of images: texel.c */

enum { IRL__TEXEL_LANES = 4, IRL__TEXEL_BITS = 128, IRL__TEXEL_AXES = 3 };
typedef enum irl__texel_call {
    IRL__TEXEL_NO_CALL,
    IRL__TEXEL_LOAD,
    IRL__TEXEL_STORE
} irl__texel_call;

/* column, row, layer: how many a texel has; 0: no image */
IRL__FN int         irl__image_coordinates(irl__image image);
IRL__FN const char *irl__image_text(irl__image image);        /* "image2d_t" */
/* by its scope; with two separators an array */
IRL__FN irl__image  irl__image_of(const irl_buffer *b);
IRL__FN irl__image  irl__image_with(irl_scope scope, int separator_count);

/* Columns, rows, layers in texels, of an image with such extents; those that it has not are 1. 0:
   no image, or too large. */
IRL__FN int irl__image_size(const irl_buffer *b, const int64_t *extent,
                            int64_t size[IRL__TEXEL_AXES]);
/* "56 by 896" */
IRL__FN void irl__image_size_text(irl__text *t, irl__image image, const int64_t *size);

IRL__FN irl__texel_call irl__texel_call_of(const irl_expr *e);
/* what kind of image a call reaches into */
IRL__FN irl__image      irl__texel_image_of(const irl_expr *e);
/* elements' scalars that a texel of the image holds */
IRL__FN int      irl__texel_lanes(const irl_buffer *b);
IRL__FN int      irl__image_is_flat(const irl_buffer *b);
/* The lanes of the texel of an image that may not be lowered yet: those of its innermost axis; 0
   where they fill none. */
IRL__FN int      irl__texel_measure(const irl_buffer *b);
IRL__FN irl_type irl__texel_type(const irl_buffer *b);
IRL__FN int      irl__texel_has_format(irl_type element); /* whether images hold such scalars */
/* So many lanes of a scalar fill a texel: four, or 128 bits of them. */
IRL__FN int      irl__texel_lanes_ok(irl_type element, int lanes);
/* lanes of 128 bits; 0 where a texel cannot hold them */
IRL__FN int      irl__texel_wide(irl_type element);
IRL__FN const irl_expr *irl__texel_load(irl_ctx *cx, const irl_buffer *b,
                                        const irl_expr *const *at);
IRL__FN const irl_stmt *irl__texel_store(irl_ctx *cx, const irl_buffer *b,
                                         const irl_expr *const *at, const irl_expr *value,
                                         irl_loc loc);
/* The types of such a call, of an image whose first view is `owner` (NULL: not known); true of any
   other. */
IRL__FN int irl__texel_verify(irl_ctx *cx, const irl_expr *e, const irl_buffer *owner,
                              irl_loc where);

/* ------------------------------------------------------- what a caller hands over: packed.c */

/* The fields of packed arguments; read by intrinsics, argument.extent(1, 0). */
typedef enum irl__packed_field {
#define IRL_PACKED_FIELD(name, text, operands) IRL__PACKED_##name,
#include "packed.h"
    IRL__PACKED_COUNT_OF
} irl__packed_field;
/* Which a call reads, IRL__PACKED_COUNT_OF if none; its operands are numbers. */
IRL__FN irl__packed_field irl__packed_field_of(const irl_expr *e);
/* DLPack's code of a scalar type: 0 integer, 1 unsigned, 2 float, 4 bfloat, 6 bool; -1: it has
   none. */
enum { IRL__PACKED_BOOL = 6 };
IRL__FN int irl__packed_code(irl_type t);

/* ------------------------------------------------------------- functions and modules: func.c */

/* No extent of a parameter is larger, for no memory holds more: whoever binds arguments refuses
   what is, as what is negative. So a name that is an extent is never near the ends of 64 bits. */
#define IRL__MOST_EXTENT (INT64_C(1) << 48)

typedef struct irl__param {
    const char            *name;
    const irl_expr        *var;    /* the scalar, or the data pointer of buffer */
    const irl_buffer      *buffer; /* with the ABI shape: what lies in memory; NULL for a scalar */
    int                    is_implicit; /* a scalar that a shape names: tensors say its value */
    int                    logical_rank;  /* the shape the user wrote */
    const irl_expr *const *logical_shape;
    const irl_map         *map;    /* logical point -> ABI point; NULL: the same */
    const irl_expr        *padding; /* what padding holds: a constant; NULL: undefined */
    irl_loc                loc;
} irl__param;

/* One line of the attribute layout_transform_map. */
typedef struct irl__layout {
    const char     *buffer;
    const irl_expr *data;            /* its memory; NULL: the name says which it is */
    const irl_map  *map;
    const irl_expr *padding;         /* a constant; NULL: undefined, or `pad` says it */
    const irl_map  *pad;             /* from a cell to what it holds; NULL: one constant does */
    int             assume_injective;
    irl_loc         loc;
} irl__layout;

/* The prototype of an external function, and where it was written. */
typedef struct irl__extern {
    irl_extern_desc is;
    irl_loc         loc;
} irl__extern;

/* What was done to a function by a schedule: src/schedule. */
typedef struct irl__sched_steps irl__sched_steps;

typedef irl_role irl__role;
#define IRL__PLAIN IRL_ROLE_PLAIN
#define IRL__HOST IRL_ROLE_HOST
#define IRL__KERNEL IRL_ROLE_KERNEL

struct irl_func {
    irl_ctx               *cx;
    const char            *name;
    irl__role              role;
    int                    param_count, layout_count, annotation_count, extern_count;
    const irl__param      *params;
    const irl__layout     *layouts;     /* the attribute layout_transform_map, applied in order */
    const irl__annotation *annotations; /* other attributes */
    const irl__extern     *externs;     /* of different names */
    const irl__sched_steps      *steps;       /* NULL: none. Not printed, not compared */
    const irl_stmt        *body;
    const char            *warnings; /* of its text; NULL: none. Not printed, not compared */
    irl_loc                loc;
};

struct irl_module {
    irl_ctx               *cx;
    const char            *name;
    const char            *target; /* its name */
    const irl_func        *host;
    int                    kernel_count;
    const irl_func *const *kernels;
    /* what was lowered, and as it was scheduled; NULL for a parsed module. Not printed, not
       compared */
    const irl_func        *origin, *scheduled;
};

/* to be changed before it is shared */
IRL__FN irl_func *irl__func_copy(irl_ctx *cx, const irl_func *f);
IRL__FN irl_func *irl__func_with_body(const irl_func *f, const irl_stmt *body);
/* The parameter whose data is this variable, or -1. */
IRL__FN int irl__func_param_of(const irl_func *f, const irl_expr *data);
/* Is e made of the function's parameters alone? Whoever calls it knows e, which is the same at
   every place. */
IRL__FN int irl__expr_is_of_params(const irl_expr *e, const irl_func *f);
/* The argument that parameter k is among tensors, which say what implicit parameters are: their
   number in order, -1 of an implicit one; and how many they are. */
IRL__FN int irl__func_argument(const irl_func *f, int k);
IRL__FN int irl__func_argument_count(const irl_func *f);
/* The number of the kernel that a launch names, -1 if there is none. `next` is looked at first:
   launches come in the order of the kernels. */
IRL__FN int irl__launch_kernel(const irl_module *m, const irl_stmt *launch, int *next);
/* Calls `see` with what each launch of the host function passes: to which kernel, for which of its
   parameters; and with what calls of external functions get and may write: kernel -1. */
typedef void irl__see_passed(void *user, int kernel, int k, const irl_expr *passed);
IRL__FN void irl__see_launches(const irl_module *m, irl__see_passed *see, void *user);
/* Whether there is a module, in a context without a failure, with a host function. */
IRL__FN int irl__module_has_host(const irl_module *m);
/* The buffer of that name: a parameter's, or an allocation's somewhere in the body. NULL with a
   diagnostic at `where`: there is none, or there are two. */
IRL__FN const irl_buffer *irl__func_buffer(const irl_func *f, irl_loc where, const char *name);
/* The parameter's or the allocation's buffer of that memory; NULL: there is none. */
IRL__FN const irl_buffer *irl__func_memory(const irl_func *f, const irl_expr *data);
/* The body with each pointer under one name: `let p = A`, where A is a buffer, is another name of
   A's memory, and no statement that a pass would have to look through. */
IRL__FN const irl_stmt *irl__stmt_without_names(irl_ctx *cx, const irl_stmt *body);

/* --------------------------------------- prototypes of external functions: externs.c, declare.c */

/* The prototype that f has for a name, which is interned; NULL: none, or no f. */
IRL__FN const irl__extern *irl__extern_of(const irl_func *f, const char *name);
/* The prototype of a call; NULL too of what is no call of an external function. */
IRL__FN const irl__extern *irl__extern_called(const irl_func *f, const irl_expr *call);
/* The function of one float that C and OpenCL C have by this name and the operators have not, for
   a result of f32 or f64; NULL: none. */
typedef double (*irl__float_function)(double);
IRL__FN irl__float_function irl__extern_float_function(const char *name, irl_type result);
/* Does it touch nothing but what it says of its pointers? */
IRL__FN int irl__extern_is_confined(const irl__extern *x);
/* What a number of elements of a prototype is in a call; NULL: it is not said, or a failure. */
IRL__FN const irl_expr *irl__extern_count(irl_ctx *cx, const irl__extern *x, const irl_expr *call,
                                          const irl_expr *count);
/* Is the memory behind its k-th argument written by none of its calls? */
IRL__FN int irl__extern_only_reads(const irl__extern *x, int k);
/* Whether a call fits its prototype; else a diagnostic at `where` that names the argument. */
IRL__FN int irl__extern_fits(irl_ctx *cx, const irl__extern *x, const irl_expr *call,
                             irl_loc where);
/* Whether two of one name are the same; else a diagnostic where the second was written. */
IRL__FN int irl__extern_again(irl_ctx *cx, const irl__extern *first, const irl__extern *second);
/* f gets those prototypes of `from` that its body calls. */
IRL__FN int irl__externs_keep(irl_func *f, const irl_func *from);

/* ------------------------------------------------------------ visit.c: walking and rewriting */

typedef struct irl__rewriter irl__rewriter;
struct irl__rewriter {
    irl_ctx *cx;
    void    *user;
    /* Both may be NULL: then the children are rewritten. A hook calls irl__rewrite_*_children for
       what it leaves alone. A statement hook may return an empty sequence to delete; NULL means
       failure. */
    const irl_expr *(*expr)(irl__rewriter *r, const irl_expr *e);
    const irl_stmt *(*stmt)(irl__rewriter *r, const irl_stmt *s);
    /* Replaces a buffer wherever one is named: loads, stores, regions, allocs, decls. NULL:
       kept. */
    const irl_buffer *(*buffer)(irl__rewriter *r, const irl_buffer *b);
    /* Both may be NULL. Redirects a load or a store of b: changes its indices in place, which are
       rewritten already, and returns the buffer in the place of b; b itself: as `buffer` says. A
       value is cast where the elements have another type. NULL means failure. */
    const irl_buffer *(*access)(irl__rewriter *r, const irl_buffer *b, const irl_expr **indices);
    /* Redirects a region of b, whose bounds are rewritten; false on failure. */
    int (*region)(irl__rewriter *r, const irl_buffer *b, irl__region *region);
};
/* A hook for expressions where statements alone are rewritten: e as it is. */
IRL__FN const irl_expr *irl__rewrite_no_expr(irl__rewriter *r, const irl_expr *e);
static inline irl__rewriter irl__rewriter_make(
    irl_ctx *cx, void *user, const irl_expr *(*expr)(irl__rewriter *r, const irl_expr *e),
    const irl_stmt *(*stmt)(irl__rewriter *r, const irl_stmt *s))
{
    irl__rewriter r = { cx, user, expr, stmt, NULL, NULL, NULL };
    return r;
}
/* NULL gives NULL */
IRL__FN const irl_expr *irl__rewrite_expr(irl__rewriter *r, const irl_expr *e);
IRL__FN const irl_stmt *irl__rewrite_stmt(irl__rewriter *r, const irl_stmt *s);
IRL__FN const irl_expr *irl__rewrite_expr_children(irl__rewriter *r, const irl_expr *e);
IRL__FN const irl_stmt *irl__rewrite_stmt_children(irl__rewriter *r, const irl_stmt *s);
/* e, which works lane by lane, of other operands and so many lanes. */
IRL__FN const irl_expr *irl__expr_of_lanes(irl_ctx *cx, const irl_expr *e, uint32_t lanes,
                                           const irl_expr *const *operands);
/* A list of expressions, each rewritten, into `out`. False on failure. */
IRL__FN int irl__rewrite_exprs(irl__rewriter *r, int count, const irl_expr *const *list,
                               const irl_expr **out);
/* A copy of the function with its body rewritten, and the buffers of its parameters by `buffer`, in
   a scratch scope of its own; NULL on failure. func.c */
IRL__FN irl_func *irl__rewrite_func(irl__rewriter *r, const irl_func *f);

typedef struct irl__visitor irl__visitor;
struct irl__visitor {
    void *user;
    /* Called before the children; returning 0 skips them. Any may be NULL; without `expr` and
       `buffer` expressions are not walked. */
    int (*expr)(irl__visitor *v, const irl_expr *e);
    int (*stmt)(irl__visitor *v, const irl_stmt *s);
    /* each buffer named by a statement (s) or a load (NULL) */
    void (*buffer)(irl__visitor *v, const irl_buffer *b, const irl_stmt *s);
    /* called behind what is inside, where `stmt` did not skip it */
    void (*leave)(irl__visitor *v, const irl_stmt *s);
};
static inline irl__visitor irl__visitor_make(void *user,
                                             int (*expr)(irl__visitor *v, const irl_expr *e),
                                             int (*stmt)(irl__visitor *v, const irl_stmt *s))
{
    irl__visitor v = { user, expr, stmt, NULL, NULL };
    return v;
}
IRL__FN void irl__visit_expr(irl__visitor *v, const irl_expr *e);
IRL__FN void irl__visit_stmt(irl__visitor *v, const irl_stmt *s);
/* The shape, the strides and the offset of a buffer. */
IRL__FN void irl__visit_shape(irl__visitor *v, const irl_buffer *b);
/* e without the number that it is more than that, which is added to *by; e itself where there is
   none. */
IRL__FN const irl_expr *irl__expr_base(const irl_expr *e, int64_t *by);
IRL__FN int  irl__expr_uses_var(const irl_expr *e, const irl_expr *var);
/* Are the loop's bounds in terms of the variable? */
IRL__FN int irl__stmt_bounds_use(const irl_stmt *loop, const irl_expr *var);
/* Does any of the expressions use it? */
IRL__FN int  irl__exprs_use_var(int count, const irl_expr *const *list, const irl_expr *var);
/* Are they the same expressions? */
IRL__FN int  irl__exprs_equal(int count, const irl_expr *const *a, const irl_expr *const *b);
/* Does a variable stand in s, or the memory behind it? *bytes (NULL: not asked) grows to the
   largest element by which that memory is seen. */
IRL__FN int  irl__stmt_names(const irl_stmt *s, const irl_expr *var, size_t *bytes);
/* Puts all variables and buffers that s declares, those of loops too, onto a map; 0 on failure. */
IRL__FN int  irl__stmt_declared(irl_ctx *cx, const irl_stmt *s, irl__ptr_map *out);
/* Does s store to the memory, or hand it to a call? */
IRL__FN int  irl__stmt_stores(const irl_stmt *s, const irl_expr *data);
/* Does e load from global memory that the statement stores to, or hands to a call? */
IRL__FN int  irl__expr_is_stored(const irl_expr *e, const irl_stmt *in);
/* Do no other variables stand in e, and no memory? */
IRL__FN int  irl__expr_is_over(const irl_expr *e, int count, const irl_expr *const *vars);
/* Whether `is` says 1 of e or of something in it; it may say -1 to skip what is inside. */
typedef int irl__expr_is(const irl_expr *e, const void *user);
IRL__FN int irl__expr_any(const irl_expr *e, irl__expr_is *is, const void *user);
/* The same of a statement and those in it, and of their expressions. Either may be NULL. */
typedef int irl__stmt_is(const irl_stmt *s, const void *user);
IRL__FN int irl__stmt_any(const irl_stmt *s, irl__stmt_is *is, irl__expr_is *expr,
                          const void *user);
/* For it: is it a store to that memory? */
IRL__FN int irl__stmt_is_store(const irl_stmt *s, const void *data);
/* For it: a call of an extern or intrinsic function (user: NULL); a load from that buffer. */
IRL__FN int irl__expr_is_call(const irl_expr *e, const void *user);
IRL__FN int irl__expr_is_load_of(const irl_expr *e, const void *buffer);
/* Does e load from the memory behind a pointer, or hand the pointer on? */
IRL__FN int irl__expr_reads(const irl_expr *e, const irl_expr *pointer);

/* Replaces variables: from[k] by to[k], by pointer. Inner lets are renamed only if they bind one of
   `from` (they never do: variables are unique). */
IRL__FN const irl_expr *irl__substitute(irl_ctx *cx, const irl_expr *e, int count,
                                        const irl_expr *const *from, const irl_expr *const *to);
IRL__FN const irl_stmt *irl__substitute_stmt(irl_ctx *cx, const irl_stmt *s, int count,
                                             const irl_expr *const *from,
                                             const irl_expr *const *to);
/* The loop around that body, which is in terms of its variable, with a variable of its own. */
IRL__FN const irl_stmt *irl__stmt_loop_renewed(irl_ctx *cx, const irl_stmt *loop,
                                               const irl_stmt *body);

/* ------------------------------------------------------------------ form.c */

/* the same form, up to the names of inputs */
IRL__FN int irl__map_equal_text(const irl_map *a, const irl_map *b);
/* the same prototype, up to the names of parameters */
IRL__FN int irl__extern_equal(irl_ctx *cx, const irl__extern *a, const irl__extern *b);

/* ------------------------------------------------------------------ image_sums.c */

/* Is an array over these loops, for what is stored into b at those indices, as small as b? Or is
   each of them an index? */
IRL__FN int irl__stmt_loops_fit(const irl_buffer *b, const irl_expr *const *indices, int count,
                                const irl_stmt *const *loops);
/* The function with sums that are accumulated in an image computed in plain memory; data: that of
   the image, or NULL for all images. NULL on failure. */
IRL__FN irl_func *irl__func_image_sums(const irl_func *f, const irl_expr *data);
/* Is a parameter an image? */
IRL__FN int irl__func_has_images(const irl_func *f);

/* --------------------------------------------------------- verify.c: the structural verifier */

/* Names, types, ranks, declarations: everything declared before its use, in scope, once; types
   follow the operators' rules; one index per axis; only the last a vector; separators valid. False
   with a diagnostic. Cost: linear. */
IRL__FN int irl__verify(const irl_func *f);
IRL__FN int irl__verify_module(const irl_module *m);

#endif
