/* eval.h - the reference interpreter: what a function or a module means, at any stage of its
   lowering.

   needs     text; plan, for where the temporaries of a module lie
   promises  slow, obvious, trusted. Every access is checked against its buffer's shape, every use
             of an undefined value and every race is an error that names the place. Nothing outlives
             a call: all memory is scratch memory.

   READING ORDER  this file; host.c (what statements of a host mean, for all who walk them) and
                  packed.c (checks of arguments); partial.c (integers of which some bits are
                  undefined); storage.c (memory, races); evaluate.c (expressions); rounding.c (how
                  far floats are from real numbers, where a run asks); views.c (buffers);
                  temporaries.c (memory that a host's share); items.c and launch.c (work-items);
                  execute.c (statements); survey.c (what a program needs); interpret.c (arguments
                  in, results out); ulp.c and arguments.c (for callers: which results are the same,
                  what to pass)

   THE MEANING OF PARALLEL CODE
   - The outermost bound loop of a plain function, and the whole body of a kernel, is a launch. It
     runs once for each work-item; a bound loop in it does not iterate: it gives its variable the
     work-item's place on that axis. Extents of bound loops are known where the launch starts, and
     one axis has one extent.
   - Groups run one after the other. A statement that contains a barrier or allocates shared memory
     is run by all items of a group together, child by child; any other statement is run to its end
     by one item after the other. Around a barrier, conditions and loop bounds must be the same for
     all items of the group.
   - A barrier orders, within the group, accesses to the memory that it names. Two items race if
     they access one cell, at least one writes, and they are in different groups or no barrier for
     that memory is between them.
   - `for parallel` and `for vectorized` are launches too: each iteration is a group of its own.
     Directly nested ones are one.
   - Shared memory belongs to the items of a group. Where loops are bound to global, which says
     nothing of groups, all items of the launch have it, and all iterations of a parallel loop that
     allocates it: these run together, as a group does, but nothing orders them. */
#ifndef IRL__EVAL_H
#define IRL__EVAL_H

#include "../plan/plan.h"
#include "../text/text.h"

/* ------------------------------------------------------------------ the same or not: ulp.c */

/* Are two scalars of a type the same number? Integers: equal. Floats: equal
   (zeros whatever their sign, NaN to NaN), or at most `ulp` representable numbers apart; f16 and
   bf16 may differ by one more, as either rounding is permitted; and subnormals of all but f64 may
   have been taken for zero. */
IRL__FN int irl__values_close(irl_type type, irl__scalar a, irl__scalar b, int ulp);

/* ------------------------------------------------- what is passed: arguments.c */

/* irl_arguments, or as many as a graph has. */
typedef struct irl__passed {
    int                  count;
    const void *const   *data;
    const size_t        *size;      /* of each; NULL: none is said */
    const unsigned char *is_number; /* likewise */
} irl__passed;

/* What a caller's struct holds, for as long as that stands. 0, with ARGUMENT_MISMATCH: it cannot
   hold so many. */
IRL__FN int irl__passed_take(irl_ctx *cx, const irl_arguments *arguments, irl__passed *out);

/* e, simplified, with the integer parameters of f in the place of which values are passed. */
IRL__FN const irl_expr *irl__argument_known(const irl_func *f, const irl__passed *passed,
                                            const irl_expr *e);

/* Whether there is an argument for each parameter; whether argument k is as large as its parameter
   wants, if IRL_ARGS gave a size; those of all scalars; all of them, and their number. 1, or 0 with
   ARGUMENT_MISMATCH. */
IRL__FN int irl__arguments_counted(const irl_func *f, int count);
IRL__FN int irl__argument_sized(const irl_func *f, const irl__passed *passed, int k);
IRL__FN int irl__scalars_sized(const irl_func *f, const irl__passed *passed);
IRL__FN int irl__arguments_sized(const irl_func *f, const irl__passed *passed);

/* ------------------------------------------------------------------ packed.c */

/* What a caller handed over: packed, or tensors. */
typedef struct irl__handed {
    int               count;
    const irl_packed *packed;
    const irl_tensor *tensors;
} irl__handed;

/* A field of one of them; a diagnostic for one that is not there. */
IRL__FN int irl__packed_read(irl_ctx *cx, const irl__handed *handed, const irl_expr *e,
                             irl__scalar *out);

/* ------------------------------------------------------------------ calls.c */

/* An argument of a call, from a scalar, and its result as one. */
IRL__FN void irl__extern_argument(irl_type type, irl__scalar value, irl_extern_value *out);
IRL__FN int  irl__extern_result(irl_ctx *cx, const irl_expr *e, const irl_extern_value *result,
                                irl__scalar *out);
/* Asks the caller's function. A pointer that is returned has memory, or it is a diagnostic. */
IRL__FN int irl__extern_call(irl_ctx *cx, const irl_expr *e, const irl_extern_value *arguments,
                             irl_extern_value *result);

/* ------------------------------------------------------------------ hosts: host.c */

/* Who walks statements: the interpreter, or a host (below). Each gives 1, or 0 with a
   diagnostic. */
typedef struct irl__walker {
    int (*stmt)(void *user, const irl_stmt *s);    /* one within another: back here */
    int (*turn)(void *user, const irl_stmt *body); /* of a loop, whose variable was bound */
    int (*number)(void *user, const irl_expr *e, const char *what, int64_t *out);
    int (*range)(void *user, const irl_stmt *loop, int64_t *begin, int64_t *end);
    int (*bind)(void *user, const irl_expr *var, int64_t value);
    int (*refuse)(void *user, const char *message); /* a check does not hold */
    int (*other)(void *user, const irl_stmt *s);    /* what declares, stores, launches, ... */
} irl__walker;

/* A sequence, a loop (one turn after the other), a branch, an attribute, a check; or `other`. */
IRL__FN int irl__walker_stmt(const irl__walker *w, void *user, const irl_stmt *s);
/* Where a loop of this extent ends: a negative one is empty. */
IRL__FN int irl__walker_range(irl_ctx *cx, int64_t begin, int64_t extent, int64_t *end);

/* A device: what allocate gives (NULL: a diagnostic) is released when its scope ends. */
typedef struct irl__host_device {
    void *(*allocate)(void *user, const irl_buffer *b);
    /* memory for what a call returned, as `var`: its bytes, which are what it holds */
    void *(*adopt)(void *user, const irl_expr *var, const irl_extern_value *from);
    void (*release)(void *user, void *memory);
    int (*launch)(void *user, const irl_stmt *s);
} irl__host_device;

typedef struct irl__host_name {
    const irl_expr *var;
    void           *memory; /* of a data pointer */
    const void     *data;   /* of a parameter that is no buffer: its bytes; NULL otherwise */
    irl__scalar     value;  /* of a scalar */
    int             is_own; /* the memory was allocated by a statement */
} irl__host_name;

/* A host function that runs: its names, the innermost last; zeroed but for what it runs on. It
   lives in one scratch scope. */
typedef struct irl__host {
    irl_ctx                *cx;
    const irl__host_device *device; /* NULL: it checks and computes, no more */
    void                   *user;   /* the device's */
    const irl__handed      *handed; /* what intrinsics read; NULL: nothing */
    irl__host_name         *names;
    ptrdiff_t               count; /* in scope: what lies beyond is room */
} irl__host;

IRL__FN const irl__host_name *irl__host_find(const irl__host *h, const irl_expr *var);
/* A name without a value; NULL when memory is out. It stands until the next one is added. */
IRL__FN irl__host_name *irl__host_add(irl__host *h, const irl_expr *var);
/* What was declared behind the first `count` names ends. */
IRL__FN void irl__host_forget(irl__host *h, ptrdiff_t count);
/* A scalar of constants, parameters and the host's own names; the same of an index or a bool. */
IRL__FN int irl__host_scalar(irl__host *h, const irl_expr *e, irl__scalar *out);
IRL__FN int irl__host_number(irl__host *h, const irl_expr *e, int64_t *out);
/* Runs the body of a host function. */
IRL__FN int irl__host_run(irl__host *h, const irl_stmt *body);
/* Whether these are what f takes, which is m's host function or stands alone (m NULL): its logical
   arrays, compact, apart from one another where one is written. 1, and pointers to their first
   elements, in scratch memory of the caller's; or 0 with ARGUMENT_MISMATCH. */
IRL__FN int irl__check_tensors(const irl_func *f, const irl_module *m, int count,
                               const irl_tensor *tensors, irl__passed *out);
/* The first element; of an array without any, whatever its offset, its memory. */
static inline void *irl__tensor_data(const irl_tensor *t)
{
    return t->byte_offset < t->bytes ? (unsigned char *)t->data + (size_t)t->byte_offset : t->data;
}

#ifndef IRLAYOUT_NO_INTERPRETER /* to the end */

#define IRL__STEP_LIMIT \
    UINT64_C(4000000000) /* statements, iterations and nodes; fits the 32 bits of a clock */
#define IRL__MEMORY_LIMIT (INT64_C(1) << 30) /* bytes of one allocation */

/* ------------------------------------------------------------------ running: interpret.c */

typedef struct irl__eval_run {
    const irl_func    *f;          /* the function, or the host function of module */
    const irl_module  *module;     /* NULL: none, so launches fail */
    int                count;      /* of arguments */
    const void *const *data;       /* one pointer each */
    uint64_t           step_limit; /* 0: IRL__STEP_LIMIT */
    int                is_dry;     /* nothing is copied back */
    const irl_interpret_options *how; /* NULL: nothing is asked for */
} irl__eval_run;

IRL__FN int irl__interpret(irl_ctx *cx, const irl__eval_run *run);

/* ------------------------------------------------------------------ memory and views: storage.c */

/* Who touched a cell, as one parallel level sees it: items by number (0: nobody), times by the
   clock. */
typedef struct irl__eval_access {
    uint32_t writer, written;
    /* the last reader, and another one that may conflict with a later writer */
    uint32_t reader[2], read[2];
} irl__eval_access;

/* A cell of which nothing is defined. Where a cell is a byte, each of its bits says it of one. */
enum { IRL__EVAL_UNDEFINED = 255 };

/* Bytes, cut into cells of the size of the program's smallest scalar. */
typedef struct irl__eval_memory {
    const char         *name;
    unsigned char      *bytes;
    unsigned char      *is_undefined; /* of each cell: 0, IRL__EVAL_UNDEFINED, or some bits */
    /* of each cell, where errors are asked for: of the number in it; NULL */
    double             *error;
    uint8_t             error_of; /* the type of the numbers with errors; IRL_BOOL: none yet */
    int                 is_mixed; /* they are of several */
    irl__eval_access   *records;      /* of each cell, for each parallel level from `level` on, */
    size_t              stride;       /* one such level behind the other */
    size_t              size, cells, element_bytes;
    irl__planned       *planned;      /* it is a part of a pool; NULL */
    /* parallel levels below it each have the memory for themselves */
    int                 level;
    int                 is_shared, is_written;
    int                 of_bits; /* a view has elements of bits: races are those of bits */
    /* of an image: texels in a row, rows, layers; what it has not is 1; 0 for other memory */
    int64_t             image[IRL__TEXEL_AXES];
    /* its texel's lanes; 0: no image, or one whose size is not known */
    int                 texel;
} irl__eval_memory;

/* A buffer that is in scope: where its elements lie. Whatever index is within the extents lies
   within the memory. */
typedef struct irl__eval_view {
    const irl_buffer *buffer;
    irl__eval_memory *memory;
    int64_t           offset;        /* in elements */
    int64_t          *extent, *step; /* of each axis; steps in elements */
} irl__eval_view;

/* ------------------------------------------------------------------ values and names */

typedef struct irl__eval_value {
    irl__scalar *lane;
    uint64_t     undef; /* bit k: lane k is undefined, in part at least (partial.c) */
    irl__scalar *error; /* of each lane, a float (rounding.c); NULL: not asked for */
} irl__eval_value;

/* The bits of a number, 0 where they are undefined, and which those are. */
typedef struct irl__partial {
    uint64_t bits, undef;
} irl__partial;
/* Of the last numbers of more than 32 bits of which some are undefined. */
enum { IRL__PARTIAL_ROWS = 256 };
typedef struct irl__partial_row {
    uint64_t     number;
    irl__partial value;
} irl__partial_row;

/* What a variable, a data pointer or a buffer stands for. Nothing yet: undef is all ones, the rest
   0. Where errors are asked for, one slot_count behind it stands the error of its value. */
typedef struct irl__eval_binding {
    uint64_t undef;
    union {
        irl__scalar        scalar;
        const irl__scalar *lanes; /* of a vector */
        irl__eval_memory  *memory;
        irl__eval_view    *view;
    } u;
} irl__eval_binding;

/* A work-item; outside of a launch there is one. */
typedef struct irl__eval_item {
    irl__eval_binding *env;    /* by slot */
    uint32_t           number; /* in its launch, from 1 */
    int64_t            at[IRL__AXIS_COUNT];
} irl__eval_item;

/* A parallel level: the items of a launch, or the iterations of a parallel loop. */
typedef struct irl__eval_team {
    int      is_launch;
    uint32_t begin;        /* records older than this are of an earlier team */
    uint32_t phase[2];     /* when the last barrier was, for global and for shared memory */
    uint32_t item;         /* who runs now */
    uint32_t first, end;   /* the numbers of its group */
    int64_t  groups[3], locals[3]; /* of a launch */
} irl__eval_team;

typedef struct irl__interpreter {
    irl_ctx          *cx;
    const irl_module *module;
    uint32_t          id_base, slot_count, env_count; /* bindings of an item */
    const uint32_t   *slots;            /* of the variable or buffer of id id_base + k */
    unsigned          cell_shift;       /* a cell has 1 << cell_shift bytes */
    irl__partial_row *partial;          /* IRL__PARTIAL_ROWS of them */
    uint64_t          partial_count;    /* how often one was taken */
    irl__ptr_map      bit_data;         /* data variables of bit buffers */
    /* a stack of lanes, for the values that expressions are made of; their errors lie behind it */
    irl__scalar      *top, *end;
    ptrdiff_t         error_at;         /* so far from a lane; 0: not asked for */
    int64_t           undecided;        /* comparisons and integers that another machine may
                                           decide otherwise */
    int64_t           lost;             /* of them those that decide what is run */
    irl__eval_item   *item;             /* the one that runs now */
    irl__eval_item   *set;              /* those that run the current statement together */
    uint32_t          set_count;
    irl__eval_team   *teams, *launch;   /* nested; launch is one of them or NULL */
    int               team_count, team_most;
    uint32_t          clock;
    uint64_t          steps, step_limit;
    int               next_kernel;      /* likely to be launched next */
    const irl_func   *function;         /* that runs now */
    irl__ptr_map      externs; /* prototypes: name -> irl__extern */
    /* temporaries of the module's host, and the pools that they lie in */
    irl__planned      *planned;
    int                planned_count;
    irl__eval_memory **pools; /* NULL: too large, each has its own */
} irl__interpreter;

static inline irl__eval_binding *irl__eval_bound(const irl__interpreter *in, uint32_t id)
{
    return &in->item->env[in->slots[id - in->id_base]];
}

/* One more step; false at the limit. */
IRL__FN int irl__eval_step_limit(irl__interpreter *in);
static inline int irl__eval_step(irl__interpreter *in)
{
    return ++in->steps <= in->step_limit || irl__eval_step_limit(in);
}

/* ------------------------------------------------------------------ partial.c */

IRL__FN irl__partial irl__partial_of(const irl__interpreter *in, irl_type t,
                                     const irl__eval_value *value, uint32_t k);
IRL__FN void irl__partial_set(irl__interpreter *in, irl_type t, irl__eval_value *value, uint32_t k,
                              irl__partial p);
/* Lane k of an operator of the table of which an operand is undefined; 0: so is all of it. */
IRL__FN int  irl__partial_result(irl__interpreter *in, const irl_expr *e,
                                const irl__eval_value *args, uint32_t k, irl__eval_value *out);
/* An undefined lane of another type. */
IRL__FN void irl__partial_cast(irl__interpreter *in, irl_type from, irl_type to,
                               irl__eval_value *value, uint32_t k);

/* ------------------------------------------------------------------ storage.c */

/* Reads or writes an element of this type at byte `at`, from lane `first` of the value on. False: a
   race. */
IRL__FN int irl__eval_read(irl__interpreter *in, irl__eval_memory *m, irl_type type, size_t at,
                           uint32_t first, irl__eval_value *value);
IRL__FN int irl__eval_write(irl__interpreter *in, irl__eval_memory *m, irl_type type, size_t at,
                            uint32_t first, const irl__eval_value *value);
/* The k-th element of a value, at a bit of a bit buffer's memory: its bytes are touched. */
IRL__FN int irl__eval_read_bits(irl__interpreter *in, const irl__eval_view *view, uint64_t at,
                                uint32_t k, irl__eval_value *value);
IRL__FN int irl__eval_write_bits(irl__interpreter *in, const irl__eval_view *view, uint64_t at,
                                 uint32_t k, const irl__eval_value *value);
/* True if any of the bytes is undefined; and the mark itself. */
IRL__FN int irl__eval_is_undefined(const irl__interpreter *in, const irl__eval_memory *m, size_t at,
                                   size_t bytes);
IRL__FN void irl__eval_mark(const irl__interpreter *in, irl__eval_memory *m, size_t at,
                            size_t bytes, int is_undefined);

/* The error of a number of this type in these bytes, which are some; and sets it. What was written
   as another type has none that says anything of this one. Only where errors are asked for. */
IRL__FN double irl__eval_error(const irl__interpreter *in, const irl__eval_memory *m, irl_type type,
                               size_t at, size_t bytes);
IRL__FN void irl__eval_set_error(const irl__interpreter *in, irl__eval_memory *m, irl_type type,
                                 size_t at, size_t bytes, double error);

/* The name of an item, as diagnostics give it. */
IRL__FN void irl__eval_name_item(const irl__eval_team *team, uint32_t item, char *text,
                                 size_t capacity);

/* ------------------------------------------------------------------ evaluate.c */

/* The value of e, into lanes that the caller has; false with a diagnostic. */
IRL__FN int irl__eval_expr(irl__interpreter *in, const irl_expr *e, irl__eval_value *value);
/* What a let of this type binds: lanes must live as long as the binding. */
IRL__FN void irl__eval_bind(const irl__interpreter *in, irl__eval_binding *b, irl_type type,
                            const irl__eval_value *value);
/* Lanes from the stack, for a value of this type: given back by setting in->top to what it was. */
IRL__FN int irl__eval_lanes(irl__interpreter *in, irl_type type, irl__eval_value *value);
/* Makes a call of an external function; *is_exact: so is all that it is given. */
IRL__FN int irl__eval_call(irl__interpreter *in, const irl_expr *e, irl_extern_value *result,
                           int *is_exact);
/* One defined scalar: an index, or a bool; `what` it is for the diagnostic. */
IRL__FN int irl__eval_number(irl__interpreter *in, const irl_expr *e, const char *what,
                             int64_t *out);
/* The view that b is in scope as; NULL with a diagnostic if it is not. */
IRL__FN const irl__eval_view *irl__eval_view_of(irl__interpreter *in, const irl_buffer *b);
/* Where an access goes: per lane of the last index the byte in the view's memory, in
   places->lane[k].i, on the stack of lanes. Every index is checked. `verb` is "read" or
   "written". */
IRL__FN const irl__eval_view *irl__eval_locate(irl__interpreter *in, const irl_buffer *b,
                                               const irl_expr *const *indices, const char *verb,
                                               irl__eval_value *places, uint32_t *count);

/* ------------------------------------------------------------------ rounding.c */

/* The error of an operator's result on scalars of this type, of a conversion's, and of a choice
   between two values, which another machine makes otherwise where it is not known; infinity: not
   bounded. */
IRL__FN double irl__rounding_op(irl_op op, irl_type type, const irl__scalar *a,
                                const irl__scalar *error, irl__scalar value);
IRL__FN double irl__rounding_cast(irl_type from, irl_type to, irl__scalar a, double error,
                                  irl__scalar value);
IRL__FN double irl__rounding_choice(irl_type type, int is_known, irl__scalar chosen, double error,
                                    irl__scalar other, double other_error);
/* Of what an external function gives, whose arguments are exact or not. */
IRL__FN double irl__rounding_function(irl_type type, int is_exact, irl__scalar value);

/* ------------------------------------------------------------------ views.c */

/* Declares b for the current item, over new memory (NULL) or the memory given, which must be large
   enough. Returns the view, NULL with a diagnostic. Shape, strides and offset are evaluated now. */
IRL__FN irl__eval_view *irl__eval_declare(irl__interpreter *in, const irl_buffer *b,
                                          irl__eval_memory *memory);
/* The memory that a call returned. */
IRL__FN irl__eval_memory *irl__eval_adopt(irl__interpreter *in, const irl_expr *var,
                                          const irl_extern_value *from);
/* The same over the memory that b's data pointer stands for; and as a part of another buffer. */
IRL__FN irl__eval_view *irl__eval_declare_alias(irl__interpreter *in, const irl_buffer *b);
IRL__FN irl__eval_view *irl__eval_declare_match(irl__interpreter *in, const irl__match *match);

/* New memory for that many elements of no type, undefined. */
IRL__FN irl__eval_memory *irl__eval_pool(irl__interpreter *in, const char *name, int64_t bytes);

/* ------------------------------------------------------------------ temporaries.c */

/* Plans the temporaries of the module's host; its parameters have values. */
IRL__FN int irl__temporaries_begin(irl__interpreter *in);
/* The memory of b, which the host allocates now: undefined. *out NULL: it has its own. */
IRL__FN int irl__temporaries_allocate(irl__interpreter *in, const irl_buffer *b,
                                      irl__eval_memory **out);
/* A launch is given these: what others left in their bytes is undefined. */
IRL__FN int irl__temporaries_touch(irl__interpreter *in, const irl_stmt *launch);

/* ------------------------------------------------------------------ items.c */

/* An environment in which nothing is bound. NULL when memory is out. */
IRL__FN irl__eval_binding *irl__item_env(irl__interpreter *in);
/* Makes item k of the set the current one. */
IRL__FN void irl__items_select(irl__interpreter *in, uint32_t k);
/* The value of e, an index or a bool, which must be the same for all items of the set; `what` it is
   for the diagnostic. */
IRL__FN int irl__items_agree(irl__interpreter *in, const irl_expr *e, const char *what,
                             int64_t *out);
/* Where a loop begins and ends, the same for all items of the set. */
IRL__FN int irl__items_range(irl__interpreter *in, const irl_stmt *loop, int64_t *begin,
                             int64_t *end);

/* ------------------------------------------------------------------ execute.c, launch.c */

/* forward: launches run statements, and statements launch */
IRL__FN int irl__execute(irl__interpreter *in, const irl_stmt *s);
/* Runs the body of a function by its role. */
IRL__FN int irl__execute_func(irl__interpreter *in, const irl_func *f);
/* True if all items of a group must run s together. */
IRL__FN int irl__launch_is_collective(const irl_stmt *s);
/* Runs body as a launch: finds its range in its bound loops. */
IRL__FN int irl__execute_launch(irl__interpreter *in, const irl_stmt *body);
IRL__FN int irl__execute_parallel(irl__interpreter *in, const irl_stmt *loop);
IRL__FN int irl__execute_barrier(irl__interpreter *in, irl_scope scope);

/* ------------------------------------------------------------------ survey.c */

/* Slots for all names, the depth of parallel levels, the size of a cell, the stack of lanes. */
IRL__FN int irl__eval_survey(irl__interpreter *in, const irl_func *f);

#endif /* IRLAYOUT_NO_INTERPRETER */
#endif
