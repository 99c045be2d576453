/* access.h - the accesses of a function as relations of iterations to cells, and questions on them.

   needs     sets
   promises  an answer is right for every run, or it is "not known"; nothing here changes
             a function

   The table of accesses is made once (accesses.c). What is known at a place is given to an analyzer
   (path.c) or to the set engine (enter.c). The questions: do two accesses meet (pair.c, tiles.c)?
   what does a loop carry (carries.c)? who writes what is read (supply.c)? which region is touched
   (region.c)? does an access leave its buffer, or what is declared (bounds.c,
   declared.c)? */
#ifndef IRL__ACCESS_H
#define IRL__ACCESS_H

#include "../sets/sets.h"
#include "../text/text.h"

/* ------------------------------------------------------------------ the access table: accesses.c

   Every access of a statement, in the order in which the interpreter makes them, and what stands
   around each. Of

       func f(n: index, k: i32[n], y: f32[8, n]) {
           assume(n <= 64);
           for (i: 8) {
               let c = 7 - i;
               for (j: n)
                   if (j > 0)
                       y[c, j] = y[c, j] + (k[j] > 0 ? y[i, index(k[j])] : 0.0);
           }
       }

   the table is

       0  READ    y[c, j]              row 4's old value
       1  READ    k[j]                 the choice's condition
       2  READ    k[j]                 in the index of row 3; where k[j] > 0
       3  READ    y[i, index(k[j])]    where k[j] > 0
       4  UPDATE  y[c, j]

   and around each of them stands, from the inside out (irl__around: one node each, shared by all
   that it stands around),

       GUARD k[j] > 0 (rows 2 and 3), GUARD j > 0, LOOP j, LET c = 7 - i, LOOP i, CHECK n <= 64

   A node is true, or bound, for everything inside: conditions of branches come with their sign,
   what is assumed or asserted holds to the end of its sequence, as lets do. Loads are rows wherever
   they stand: in indices, conditions, bounds of loops, lets, shapes, bindings of axes, starts of
   matched regions; those in the declared regions of a block are rows too (is_declared), although
   nothing is read there when it runs. A call that is handed a pointer is a row for each pointer: it
   may do anything to that memory. Where the function's prototype says what it reads and what it
   writes, there are OPAQUE rows for these alone, and nothing else is touched.

   Indices are as they stand: in terms of lets and of the axes of blocks. irl__accesses_plain puts
   in what these are bound to. */

typedef enum irl__access_kind {
    IRL__ACCESS_READ,
    IRL__ACCESS_WRITE,
    IRL__ACCESS_UPDATE, /* a store whose value is computed from what the same element held, which is
                           read by a READ before it */
    IRL__ACCESS_OPAQUE  /* the memory is handed to a call or a launch: any part of it may be read or
                           written, or none, but for what only_reads and count say */
} irl__access_kind;

typedef enum irl__around_kind {
    IRL__AROUND_LOOP,  /* var; stmt has its start, extent, kind, thread axis */
    IRL__AROUND_BLOCK, /* stmt; what follows inside are its axes, its predicate, its memory */
    IRL__AROUND_AXIS,  /* of a block: var, bound to `value`; `axis` */
    IRL__AROUND_GUARD, /* reached only where `value` is true; of several lanes: where any is */
    IRL__AROUND_CHECK, /* `value` is assumed or asserted before; stmt */
    IRL__AROUND_LET,   /* var is `value`; stmt is NULL where it is an expression's */
    IRL__AROUND_MEMORY /* buffer is allocated (stmt is an alloc, or the block), declared as a view,
                          or matched (`match`) */
} irl__around_kind;

typedef struct irl__around irl__around;
struct irl__around {
    const irl__around *outer; /* what stands around this; NULL: the function alone */
    irl__around_kind   kind;
    int                depth;      /* how many stand around it */
    int                loop_count; /* how many loops do, itself counted: a loop is number
                                      loop_count - 1 of those around what stands in it */
    const irl__around *loop;       /* the innermost of these; NULL: none */
    /* the innermost, itself counted, that is no MEMORY, or a match; NULL: none */
    const irl__around *binder;
    /* LOOP, BLOCK and the LET of a sequence: the rows inside are first .. end - 1 of the table */
    int first, end;
    int launch, launch_end; /* and the launches inside, counted from 0 */
    int number;     /* LET and AXIS, and of LOOPs: in the order of the walk */
    const irl_stmt   *stmt;
    const irl_expr   *var, *value;
    const irl__axis  *axis;
    const irl_buffer *buffer;
    const irl__match *match;
    const irl_expr   *plain; /* irl__accesses_plain of value, when it has been asked for */
};

typedef struct irl__access {
    uint8_t  kind;        /* irl__access_kind */
    uint8_t  is_declared; /* stands in reads(...) or writes(...) of a block, and is not executed */
    uint8_t  is_texel;    /* of an image by whole texels: indices are column, row, layer */
    uint8_t  only_reads;  /* OPAQUE: the function's prototype says that nothing is written */
    int      rank;        /* how many indices; 0 where OPAQUE */
    int      launch;      /* how many launches stand in front of it */
    uint32_t lanes;       /* of the last index */
    int of_pair; /* UPDATE: the row of the first load of that element; READ: that of the store it is
                    for; -1 */
    const irl_buffer *buffer; /* as it is named; of calls the one that declared the memory, NULL: a
                                 bare pointer */
    const irl_expr *memory; /* the pointer to the memory behind it: of parameter or allocation where
                               that is known */
    const irl_expr *const *indices;
    /* OPAQUE: of the first elements alone, of the pointer's type, so many; NULL: of any */
    const irl_expr        *count;
    const irl_expr        *expr;  /* the load or the call; NULL: the store at `place` */
    const irl_stmt        *place; /* the statement that it belongs to, and where that was written */
    const irl__around     *around; /* the innermost; NULL: none */
    const irl__around *allocation; /* the MEMORY around it that allocates `memory`; NULL: none */
    int                previous;   /* the row before it of the same memory; -1: none */
} irl__access;

/* May it change what its memory holds? */
static inline int irl__access_writes(const irl__access *a)
{
    return a->kind != IRL__ACCESS_READ && !a->only_reads;
}

/* What a table knows of some memory so far. */
typedef struct irl__memory_rows {
    const irl__around *allocation; /* the MEMORY that allocated it last; NULL: none */
    int                last;       /* its last row; -1: none */
} irl__memory_rows;

typedef struct irl__accesses {
    irl_ctx        *cx;
    const irl_func *f;    /* NULL: of a statement alone */
    irl__access    *list; /* `count` rows */
    int             count;
    irl__around   **named;       /* all LET and AXIS nodes, in order */
    irl__around   **loops;       /* all LOOP nodes, in order: outer ones first */
    irl__around   **memory;      /* all MEMORY nodes, in order */
    int             plain_count; /* of them, whose `plain` is known */
    const irl_stmt **launches;   /* in order */
    irl__ptr_map    of_var;      /* variable -> its LET or AXIS */
    irl__ptr_map    of_stmt;     /* loop or block -> its LOOP or BLOCK */
    irl__ptr_map    behind; /* pointer of a let or of a match buffer -> the pointer behind it */
    irl__ptr_map    owner;  /* pointer -> the buffer that declared it first */
    irl__ptr_map    declared;  /* buffer -> the MEMORY that declared it last */
    irl__ptr_map    of_memory; /* memory -> its irl__memory_rows */
    int             has_calls;  /* a function is called somewhere */
    int             is_strange; /* some row's memory is of no parameter, and not allocated */
    irl__ptr_map    shared; /* pointers to memory that has another name too, or that a call gets */
} irl__accesses;

/* The table of s, a statement of f: NULL is the whole body. Scratch memory of the caller. False on
 * failure. Cost: linear in f. */
IRL__FN int irl__accesses_of(irl__accesses *t, const irl_func *f, const irl_stmt *s);
/* The table of a statement alone: nothing stands around it, and what it does not declare is no more
   than a name. For what a pass has made. Cost: linear in s. */
IRL__FN int irl__accesses_in(irl__accesses *t, irl_ctx *cx, const irl_stmt *s);

/* Is the access in the block or loop? */
IRL__FN int irl__access_in(const irl__access *a, const irl_stmt *block_or_loop);
/* Does the node, which is one of its table's, stand around the access? */
IRL__FN int irl__access_under(const irl__access *a, const irl__around *node);
/* Do both access one buffer at the same indices, as these are written? */
IRL__FN int irl__access_is_same(const irl__access *a, const irl__access *b);
/* e, which stands in the table's function, in terms of loops' variables and parameters: lets and
   axes replaced by their values. What reads memory stays a variable (it was read when it was
   bound), and so does what would become too large. NULL on failure. */
IRL__FN const irl_expr *irl__accesses_plain(irl__accesses *t, const irl_expr *e);
/* e as a message shows it: axes of blocks, whose names the user may not have written, are replaced
   by what they are bound to. NULL on failure. */
IRL__FN const irl_expr *irl__accesses_said(const irl__accesses *t, const irl_expr *e);

/* Is the memory seen by the name that declares it alone: by no view, match, pointer or call? */
IRL__FN int irl__accesses_is_alone(const irl__accesses *t, const irl_expr *memory);

/* Do the rows first .. end - 1 write nothing that e reads, so that it is the same there? */
IRL__FN int irl__accesses_is_stable(const irl__accesses *t, int first, int end, const irl_expr *e);

/* The loops around an access, outermost first; loops has room for irl__access_loop_count. */
static inline int irl__access_loop_count(const irl__access *a)
{
    return a->around ? a->around->loop_count : 0;
}
IRL__FN void               irl__access_loops(const irl__access *a, const irl__around **loops);
/* Does a MEMORY node allocate, and not name what there is? */
static inline int irl__around_allocates(const irl__around *n)
{
    return !n->match && n->stmt->kind != IRL__DECL;
}
/* The next node from n (included) outwards that is no MEMORY, or a match; NULL: there is none. */
static inline const irl__around *irl__around_binder(const irl__around *n)
{
    return n ? n->binder : NULL;
}
/* The next bound loop from n (included, may be NULL) outwards; NULL: there is none. */
static inline const irl__around *irl__around_bound(const irl__around *n)
{
    for (n = n ? n->loop : NULL; n && !irl__stmt_is_bound(n->stmt);)
        n = n->outer ? n->outer->loop : NULL;
    return n;
}
/* The next node of that kind from n (included) outwards; NULL: there is none. */
IRL__FN const irl__around *irl__around_next(const irl__around *n, irl__around_kind kind);
/* The binders of depth `from` and more, from n outwards: the outermost comes first. Scratch memory
   of the caller; NULL when it is out. */
IRL__FN const irl__around **irl__around_binders(irl_ctx *cx, const irl__around *n, int from,
                                                int *count);

/* ------------------------------------------------------------------ what is known where: path.c */

/* An analyzer that follows the rows of a table from place to place. At each it knows the ranges of
   the loops, axes and lets around, that these loops run, the conditions that hold, and what was
   assumed or asserted. A condition on memory that the function writes is not believed. */
typedef struct irl__path_step {
    const irl__around *around;
    int                bindings, facts, never; /* before it was entered */
} irl__path_step;

typedef struct irl__path irl__path;
struct irl__path {
    irl__accesses  *t;
    irl__analyzer  *an;
    irl__path_step *steps; /* from the outside in */
    int             count;
    int             never;       /* how many of them show that what is inside never runs */
    irl__ptr_map    written;     /* pointers to memory that the table's function may write */
    int             has_written; /* they have been collected */
    /* Called when a node has been entered, outermost first; false is a failure. May be NULL. */
    int (*enter)(irl__path *p, const irl__around *n);
    void *user;
};

/* Begins outside of everything: scratch memory of the caller. */
IRL__FN int irl__path_begin(irl__path *p, irl__accesses *t);
/* Goes to where `around` is the innermost. Cost: what differs from where it was. */
IRL__FN int irl__path_to(irl__path *p, const irl__around *around);
/* A condition that holds there too, until the path goes on. */
IRL__FN int irl__path_believe(irl__path *p, const irl_expr *condition);
/* Nothing ever runs there. */
IRL__FN int irl__path_is_dead(irl__path *p);
/* What every buffer's shape promises: no extent is negative. For an analyzer of one's own. */
IRL__FN int irl__path_params(irl__analyzer *an, const irl_func *f);
/* How long an axis is of a loop that runs so often, by what is known of the parameters: an extent
   below 0 is one of 0. NULL on failure. */
IRL__FN const irl_expr *irl__path_length(const irl_func *f, const irl_expr *extent);

/* ------------------------------------------------------ an iteration as a set: enter.c */

/* What stands around the place, from the outside in. about (may be NULL): what is asked; an
   assertion of memory that has none of its variables is kept by some data, and not given. runs (may
   be NULL): per loop of the table; the others are held. Scratch memory of the caller; NULL when it
   is out. */
IRL__FN irl__given *irl__enter_list(irl__accesses *t, const irl__around *around,
                                    const irl_expr *about, const uint8_t *runs, int *count);
struct irl__system;
/* Nothing is asked yet of iterations of the table's function; `steps` bounds the work. */
IRL__FN void irl__enter_begin(struct irl__system *s, irl__accesses *t, int64_t steps);
/* Copy 0 or 1 (in this order) is an iteration that reaches this place: its loops' variables are in
   their ranges, the guards and checks around it hold. */
IRL__FN void irl__enter(struct irl__system *s, irl__accesses *t, int copy,
                        const irl__around *around, const irl_expr *about);

/* ----------------------------------------------------------- updates that commute: commute.c

   y[v] = y[v] + e in two iterations leaves the same in either order, where + is of integers, or
   the order of floats is declared free. */

/* Does the loop or block say so of a reduction in it? */
IRL__FN int irl__order_is_noted(const irl_stmt *s);
/* y[v] = y[v] op e, where e does not read y. */
typedef struct irl__update {
    irl_op          op;
    const irl_expr *value; /* y[v] op e, or fma(a, b, y[v]), perhaps under a cast to a float */
    int             old;   /* which operand y[v] is */
} irl__update;
IRL__FN int irl__store_update(const irl_stmt *store, irl__update *out);
/* Is the access one? */
IRL__FN int irl__update_operator(const irl__access *update, irl_op *op);
IRL__FN int irl__update_is_rounded(irl_type t); /* each update rounds: a float, f16 */
/* ... that may change places: of integers, or free? */
IRL__FN int irl__update_commutes(const irl__accesses *t, const irl__access *update);
/* Are both the store or the load of one such update? */
IRL__FN int irl__accesses_commute(const irl__accesses *t, const irl__access *a,
                                  const irl__access *b);

/* ------------------------------------------------------ do two accesses meet: pair.c

   The question behind every schedule: are there two iterations, one that reaches access a and one
   that reaches access b, that touch one cell of memory? For each loop around both, a's iteration
   may be asked to stand before, at or after b's. Loops i and j, in this order, are asked with

       { BEFORE, ANY }     an iteration of i meets a later one
       { SAME, BEFORE }    within one iteration of i, one of j meets a later one
       { SAME, SAME }      within one iteration of both */

enum { IRL__BEFORE = 1, IRL__SAME = 2, IRL__AFTER = 4, IRL__ANY = 7 };
enum { IRL__PAIR_STEPS = 20000 }; /* of the work on one question: at most some milliseconds */

typedef struct irl__pair irl__pair;

/* What was found out about two accesses, or about many: then the two that are to be named. */
typedef struct irl__meeting {
    irl_answer         answer;
    const irl__access *a, *b;  /* YES and UNKNOWN: NULL where it is not about two accesses */
    const char        *reason; /* UNKNOWN: why, a static text */
    /* YES: the cell, in indices of a's buffer, or of the one that it is a match of; NULL: not
       known */
    const irl_buffer  *cell_of;
    int                cell_rank;
    int64_t            cell[IRL_MAX_RANK];
    /* YES: what variables are in the iteration of a (copy 0, parameters too) or b (copy 1). Copy
       -1: neither a parameter nor a loop's, but the lane of a vector, for one */
    int                count;
    irl_value          values[96];
} irl__meeting;

/* Are they accesses of one memory? Different parameters are different memory (as kernels declare
   them: restrict), and so is what is allocated. */
IRL__FN irl_answer irl__access_alias(const irl__accesses *t, const irl__access *a,
                                     const irl__access *b);
/* Is an expression made of numbers, parameters and these variables? NULL is. */
IRL__FN int irl__is_over(const irl__accesses *t, const irl_expr *e, int count,
                         const irl_expr *const *vars);
/* Is it the same in all iterations: made of numbers and parameters? */
IRL__FN int irl__is_fixed(const irl__accesses *t, const irl_expr *e);
/* Lane `lane` of a vector of indices; NULL where that is not plain arithmetic. */
IRL__FN const irl_expr *irl__index_lane(irl_ctx *cx, const irl_expr *e, const irl_expr *lane);
/* An element of a match buffer as one of the buffer that it is a part of, through all matches from
   the node n outwards to `until`. indices has room for IRL_MAX_RANK. False: not known. */
IRL__FN int irl__unmatch(irl_ctx *cx, const irl__around *n, const irl__around *until,
                         const irl_buffer **b, int *rank, const irl_expr **indices);
/* May an element of one buffer be one of the other, whatever is accessed of them? */
IRL__FN irl_answer irl__buffers_alias(irl__accesses *t, const irl_buffer *x, const irl_buffer *y);
/* The first byte that an access of one element touches, from the start of its memory; NULL: not
   known. */
IRL__FN const irl_expr *irl__access_byte(irl_ctx *cx, const irl__access *a);
/* The innermost loop each iteration of which has what `memory` allocates for itself, from the node
   n (included) outwards; NULL: there is none. */
IRL__FN const irl__around *irl__around_owner(const irl__around *n, const irl__around *memory);
/* A question about two rows of a table, which may be the same. Scratch memory of the caller; NULL
   on failure. `steps` bounds the work on each answer; too little is UNKNOWN. */
IRL__FN irl__pair *irl__pair_begin(irl__accesses *t, const irl__access *a, const irl__access *b,
                                   int64_t steps);
/* The loops around both, outermost first. */
IRL__FN int                irl__pair_loop_count(const irl__pair *p);
IRL__FN const irl__around *irl__pair_loop(const irl__pair *p, int k);
/* NO: proved for all values of the parameters. YES: two iterations, at which everything was
   evaluated. relation has one set for each loop around both; NULL: any. m may be NULL. */
IRL__FN irl_answer irl__pair_meets(irl__pair *p, const uint8_t *relation, irl__meeting *m);
/* The same, where also e[k] at a stands to f[k] at b as order[k] says: axes of blocks, for one. */
IRL__FN irl_answer irl__pair_meets_where(irl__pair *p, const uint8_t *relation, int count,
                                         const irl_expr *const *e, const irl_expr *const *f,
                                         const uint8_t *order, irl__meeting *m);
/* The same where loop k is the outermost in which they differ, and a stands so to b: IRL__BEFORE,
   IRL__AFTER, or one of both, IRL__BEFORE | IRL__AFTER, which parallel iterations always are. If k
   is the number of loops, they are in one iteration of all. */
IRL__FN irl_answer irl__pair_meets_at(irl__pair *p, int k, uint8_t order, irl__meeting *m);
/* ... of each loop from `first` on, and of one iteration of all if is_in_one: a runs before b, or
   after it. */
IRL__FN irl_answer irl__pair_meets_in_order(irl__pair *p, int first, uint8_t order, int is_in_one,
                                            irl__meeting *m);
/* How many steps the last answer took. */
IRL__FN int64_t irl__pair_used(const irl__pair *p);
/* 1: wherever they meet in that relation, the k-th loop's variable at b is that at a plus d. 0: not
   so, or not known. */
IRL__FN int irl__pair_is_apart(irl__pair *p, const uint8_t *relation, int k, int64_t d);

/* ------------------------------------------------ a meeting in parts and in words: meeting.c */

/* The value of a variable in copy 0 or 1; 0 where nothing depends on it. */
IRL__FN int64_t irl__meeting_at(const irl__meeting *m, const irl_expr *var, int copy);
/* The loop around both that the iterations differ in: the one compared, or a bound one; NULL: none
   that is known. */
IRL__FN const irl__around *irl__meeting_loop(const irl__around *compared, const irl__meeting *m);
/* Does the loop of that variable stand around the access? */
IRL__FN int irl__access_is_of_loop(const irl__access *a, const irl_expr *var);
/* "y[i] at i = 1 and y[i - 1] at i = 2 are one element where n = 3"; or "y[i] and y[k[i]]: it
   depends on what memory holds". */
IRL__FN void irl__meeting_text(irl__text *t, const irl__accesses *table, const irl__meeting *m);
IRL__FN const char *irl__meeting_cstr(const irl__accesses *table, const irl__meeting *m);
IRL__FN void irl__access_text(irl__text *t, const irl__access *a); /* "y[i - 1]" */
/* The meeting in parts, which are the context's; without m->b, only that of a. False when memory is
   out. */
IRL__FN int irl__meeting_witness(irl_ctx *cx, const irl__accesses *table, const irl__meeting *m,
                                 irl_witness *out);
/* One access in parts, in no iteration. False when memory is out. */
IRL__FN int irl__meeting_access(irl_ctx *cx, const irl__access *a, irl_witness_access *out);
/* What irl__meeting_text says, from the parts; or "y[i] at i = 1" `says` "where n = 3". */
IRL__FN void irl__meeting_said(irl__text *t, const irl_witness *w, const char *says);

/* One iteration: values of parameters and loops, from the outside in. */
typedef struct irl__iteration {
    int                    count;
    const irl_expr *const *vars;
    const int64_t         *values;
} irl__iteration;

/* Of these values, those of parameters, in their order, and of the loops in copy 0; the context's.
   False when memory is out. */
IRL__FN int  irl__iteration_of(const irl__accesses *t, int count, const irl_value *list,
                               irl__iteration *out);
/* " where n = 4, i = 3" */
IRL__FN void irl__iteration_text(irl__text *text, const irl__iteration *at);
/* " = [3, 8]", the values of a list there; nothing where one has none, or all are numbers. */
IRL__FN void irl__iteration_list(irl__text *text, irl__accesses *t, const irl__iteration *at,
                                 int count, const irl_expr *const *list);
/* "3:5"; "" where it was not written. The context's. */
IRL__FN const char *irl__place_text(irl_ctx *cx, irl_loc loc);

/* ------------------------------------------------------ may loops be changed: carries.c

   Each question is about the accesses inside of the (outermost) loop, and about one run of the
   loops around it. NO is proved for all values of the parameters; YES has two iterations, at which
   everything was evaluated. Two reads never count: where neither writes, the answer is NO. The cost
   is bounded: what is not found out within the bound is UNKNOWN. m says which accesses, and why. It
   may be NULL: then UNKNOWN may be said where more looking would have shown a dependence. Scratch
   memory of the caller is not used up. */

/* Do two iterations of a loop touch one cell, at least one of them writing it? NO: they may run in
   any order, or at the same time. A reduction's update is YES. Memory that is allocated inside is
   each iteration's own. A call of which no prototype says what it touches is UNKNOWN, and so is a
   barrier, unless in a bound loop inside. */
IRL__FN irl_answer irl__loop_carries(irl__accesses *t, const irl__around *loop, irl__meeting *m);
/* Of all meetings that are found, does one count? m has it. A test says which do; UNKNOWN where
   none does, and some were found. */
typedef int irl__meeting_test(irl__accesses *t, const irl__meeting *m, void *user);
IRL__FN irl_answer irl__loop_races(irl__accesses *t, const irl__around *loop,
                                   irl__meeting_test *is_race, void *user, irl__meeting *m);
/* Is a barrier in the loop all that is not known? Groups do not wait for one another. */
IRL__FN int irl__meeting_is_wait(const irl__meeting *m);
/* The same between two accesses: does an iteration of a touch a cell that another iteration of b
   touches, one of them writing it? (irl__pair_meets_at asks about two reads, too.) */
IRL__FN irl_answer irl__loop_carries_between(irl__accesses *t, const irl__around *loop,
                                             const irl__access *a, const irl__access *b,
                                             irl__meeting *m);
/* Do things stay in order where `count` loops, each of which stands inside of the one before (and
   all statements in the innermost), change places? order[k] is which of them becomes the k-th. YES:
   what touches one cell, one of them writing, stays in order, but for updates that commute; NO: m
   has two iterations that change places. A call or a barrier inside is UNKNOWN. */
IRL__FN irl_answer irl__order_is_kept(irl__accesses *t, int count, const irl__around *const *loops,
                                      const int *order, irl__meeting *m);
/* Do they touch one buffer where indices that are other numbers are other cells? */
IRL__FN int irl__access_is_plain(const irl__access *a, const irl__access *b);
/* ... and is an index of theirs a number each, and another one? */
IRL__FN int irl__access_is_apart(const irl__access *a, const irl__access *b);
/* True only if no iterations of both that differ in the loop, which is around both, touch one
   element, whatever the loops around it do: one axis of both has the same sum, of which the loop's
   variable is a digit. */
IRL__FN int irl__access_tells(irl__accesses *t, const irl__around *loop, const irl__access *a,
                              const irl__access *b);
/* The same for iterations that agree in the loops around it: tiles.c, by plain looking. */
IRL__FN int irl__access_is_apart_along(irl__accesses *t, const irl__around *loop,
                                       const irl__access *a, const irl__access *b);
/* Does a call stand in s that may do anything: not one that reads or writes a texel, and not one
   of which the prototype in f (NULL: none) says all that it touches? */
IRL__FN int irl__stmt_calls(const irl_func *f, const irl_stmt *s);
/* The loop of a table that a statement is; NULL: it is none of the table's function. */
IRL__FN const irl__around *irl__loop_of(const irl__accesses *t, const irl_stmt *loop);

/* -------------------------------------- is there a barrier between two accesses: fence.c */

/* Two accesses of what each work-item of a group runs, and how they are asked about: by iterations
   of the serial loops around both, from outside. */
enum { IRL__FENCE_LOOPS = 16, IRL__FENCE_ENDS = 32 };
/* a (copy 0) or b (copy 1) is in the last or the first iteration of a loop in which both need not
   be. */
typedef struct irl__fence_edge {
    const irl_stmt *loop;
    int             copy, is_last;
} irl__fence_edge;
typedef struct irl__fence irl__fence;
struct irl__fence {
    const irl__access *a, *b;
    irl_scope          scope; /* of barriers that order their memory */
    int is_certain; /* a barrier that only may be passed counts too: what is asked has none */
    irl_answer (*ask)(irl__fence *q);
    void           *user;
    int             count; /* in inner loops that are not named the iterations may be any */
    const irl_stmt *loops[IRL__FENCE_LOOPS];
    uint8_t         relation[IRL__FENCE_LOOPS];
    int             is_next; /* before or after by one iteration, in the last of these loops */
    int             end_count;
    irl__fence_edge ends[IRL__FENCE_ENDS];
};
/* Asks for each way in which two work-items may do a and b, that stand in s, with no barrier
   between, until an answer is not NO. */
IRL__FN irl_answer irl__fence_each(irl__fence *q, const irl_stmt *s);
/* Does a barrier stand in s behind the access, or in front of it, wherever the access is done? */
IRL__FN int irl__fence_beside(const irl_stmt *s, const irl__access *a, int behind, irl_scope scope);
/* Does a barrier stand (may: may one) on the way from a to b, for the memory of b: in one iteration
   of what is around both (over NULL), or from one iteration of that loop to a later one? */
IRL__FN int irl__fence_stands(const irl_stmt *s, const irl__access *a, const irl__access *b,
                              const irl_stmt *over, int may);
/* A condition, or the bound of a loop, that may differ between iterations of the loop and decides
   whether they come to a barrier in it; NULL: nothing does. `an`, which knows the loop's range, may
   prove conditions either way; it may be NULL. */
IRL__FN const irl_expr *irl__fence_decided(irl_ctx *cx, irl__analyzer *an, const irl_stmt *loop);
/* The scope of the barriers that order what two work-items do to the memory of an access. */
IRL__FN irl_scope irl__fence_scope(const irl__access *a);

/* ------------------------------------------------------------------ supply.c

   Who writes what is read: a memory plan asks whether a temporary is written before it is read. */

enum { IRL__SUPPLY_QUESTIONS = 4000 }; /* what is asked beyond is UNKNOWN */

/* Rows first .. end - 1 of a table. */
typedef struct irl__rows {
    int first, end;
} irl__rows;

/* Is a cell that row `writer` writes read by row `reader` afterwards, whatever is written between?
   `within`: both within one iteration of this loop; NULL: in one run of the function. NO is proved.
   m (may be NULL): the two iterations, copy 0 of the writer. */
IRL__FN irl_answer irl__reaches(irl__accesses *t, const irl__access *writer,
                                const irl__access *reader, const irl__around *within,
                                irl__meeting *m);

/* Has every cell that row r reads been written before, by the function itself (within one iteration
   of `within`, or of the loop that allocates it)? YES is proved, for all values of the parameters.
   NO: m has the iteration that reads a cell that nobody wrote. Exact where indices are sums of
   digits of the loops' variables; guards and bounds may be what dependences decide. */
IRL__FN irl_answer irl__covered(irl__accesses *t, const irl__access *r, const irl__around *within,
                                irl__meeting *m);

/* ------------------------------------------ for all values of the parameters: iterations.c */

/* Whether an iteration that reaches the path's place and makes `condition` true there exists for
   all values of the parameters that the function's assumptions allow and for which the loops around
   run: one at some ends of the loops, or where `like` is. False is "not known". */
IRL__FN int irl__iteration_for_all(irl__path *p, const irl_expr *condition,
                                   const irl__iteration *like);
/* True only if the two iterations of a meeting, in `loop`, are reached and meet for all values of
   parameters and of what stands around the loop, if that is reached. `an` knows what holds
   there. */
IRL__FN int irl__meeting_is_always(irl__accesses *t, irl__analyzer *an, const irl__around *loop,
                                   const irl__meeting *m);

/* ------------------------------------------------------------------ bounds.c */

/* What is not proved to lie in its buffer: an access, an axis of a block or a matched region. */
typedef struct irl__bounds_finding {
    int                row; /* of the table; -1: `node` is an AXIS, or MEMORY with a match */
    const irl__around *node;
    int                is_outside; /* proved: `point` is reached, and there it leaves */
    int                axis;       /* the index that does, or the first that is not proved */
    uint32_t           low, high;  /* bit k: index k is not proved to be >= 0; < the extent */
    irl__interval      range;      /* of that index */
    int                is_found;   /* the same, for some values of the parameters */
    irl__iteration     point;      /* where is_found */
} irl__bounds_finding;

typedef struct irl__bounds {
    irl__accesses       *t;
    irl__bounds_finding *list;
    int                  count;
    int64_t              work; /* that may still be spent on looking */
} irl__bounds;

/* Everything in the table that is not proved inside. Declared regions, texels and opaque calls are
   not looked at. Scratch memory of the caller. False on failure. */
IRL__FN int  irl__bounds_of(irl__bounds *b, irl__accesses *t);
/* A sentence about it, without a full stop. */
IRL__FN void irl__bounds_text(irl__text *text, const irl__bounds *b, const irl__bounds_finding *g);
/* What to write instead, as code; nothing where it is not known. */
IRL__FN void irl__bounds_put_remedy(irl__text *text, const irl__bounds *b,
                                    const irl__bounds_finding *g);
/* The read of an update, of which the store is in the list too, and says it. */
IRL__FN int  irl__bounds_is_half(const irl__bounds *b, const irl__bounds_finding *g);
/* The statement that it is in. */
IRL__FN const irl_stmt *irl__bounds_place(const irl__bounds *b, const irl__bounds_finding *g);

/* ------------------------------------------------------------------ regions: region.c

   Of `for (i: 4) for (j: 8) y[i, j] = x[i * 8 + j]` the function reads x[0: 32], the nest of j
   x[i * 8: 8]. Memory that is allocated inside of a part is the part's own, and not told. */

typedef struct irl__region_box {
    const irl_buffer *buffer;
    int               is_write;
    int               is_exact; /* all its cells are touched, in each run of the part */
    const irl_expr  **first, **last, **extent; /* for each axis; empty where last is below first */
} irl__region_box;

typedef struct irl__regions {
    const irl__around *part;
    int                count; /* one for each buffer that is read, and that is written */
    irl__region_box   *list;
} irl__regions;

/* What a part touches: a LOOP (its nest), a BLOCK (one instance, in terms of its axes), NULL: all.
   Scratch memory of the caller; the expressions are the context's. False on failure. */
IRL__FN int irl__regions_of(irl__regions *r, irl__path *p, const irl__around *part);

/* ------------------------------------------------------------------ declared.c */

/* An access that is not proved to lie in what a block around it declares. */
typedef struct irl__declared_finding {
    int                row;
    const irl__around *block;
    irl_answer         answer; /* YES: it escapes at these values; UNKNOWN: why */
    const char        *reason;
    irl__iteration     point; /* YES */
} irl__declared_finding;

typedef struct irl__declared {
    irl__accesses         *t;
    irl__declared_finding *list;
    int                    count;
} irl__declared;

/* All that are not proved inside. Scratch memory of the caller. False on failure. */
IRL__FN int  irl__declared_of(irl__declared *d, irl__accesses *t);
/* A sentence about it, without a full stop. */
IRL__FN void irl__declared_text(irl__text *text, const irl__declared *d,
                                const irl__declared_finding *g);

#endif
