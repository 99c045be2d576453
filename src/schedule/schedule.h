/* schedule.h - schedules: in which order a function computes, as a list of steps, each of which is
   one primitive (primitives.h).

   needs     text, arith, analysis
   promises  a step keeps the meaning of the function or is refused with a diagnostic at its place
             in the schedule's text; the function before it stays as it was */
#ifndef IRL__SCHEDULE_H
#define IRL__SCHEDULE_H

#include "../analysis/analysis.h"
#include "../pass/cut.h"
#include "../func/func.h"
#include "../text/parse.h"
#include "../text/print.h"
#include "refusal.h"

/* ------------------------------------------------------------------ steps.c: a schedule's text */

typedef enum irl__arg_kind {
    IRL__ARG_NAME,   /* conv, conv.i, global.x */
    IRL__ARG_NUMBER, /* 16 */
    IRL__ARG_NOTE,   /* key = value; where the value is a map, note.value is NULL */
    IRL__ARG_MAP     /* (i, j) -> (j, i) */
} irl__arg_kind;

typedef struct irl__arg {
    irl__arg_kind   kind;
    const char     *name, *member; /* NAME: before and behind the dot; member may be NULL */
    int64_t         number;
    irl__annotation note;
    const irl_map  *map;
    irl_loc         loc;
} irl__arg;

typedef struct irl__sched     irl__sched;
typedef struct irl__primitive irl__primitive;

typedef struct irl__sched_step {
    const irl__primitive *primitive;
    int                   arg_count, result_count; /* no results named: 0 */
    const irl__arg       *args;
    const char *const    *results;
    irl_loc               loc;
} irl__sched_step;

typedef enum irl__sees {
    IRL__SEES_NEST, IRL__SEES_BUFFER, IRL__SEES_READERS, IRL__SEES_MET
} irl__sees;
struct irl__primitive {
    const char *name; /* a row of primitives.h */
    int         loops, block;
    irl__sees   sees;
    const char *takes, *gives, *example, *does, *needs;
};
IRL__FN int irl__primitive_number(const irl__primitive *row); /* in the order of primitives.h */

/* What a step has named. */
typedef struct irl__sched_name {
    const char *name;
    uint32_t    id;
} irl__sched_name;

/* What was done to a function, the newest step first; shared by the functions that come of it. */
struct irl__sched_steps {
    const irl__sched_steps *before; /* NULL: none */
    const irl__sched_step  *step;
    int                     named_count; /* what it named */
    const irl__sched_name  *named;
};

/* The steps of "{ step; ... }" or of "schedule name { ... }", in scratch memory but for what the
   steps hold. *count is -1 on failure. */
IRL__FN const irl__sched_step *irl__sched_steps_parse(irl__parser *p, int *count);
IRL__FN void irl__sched_step_print(irl__text *t, const irl__sched_step *step);
/* The same without the semicolon, as irl_schedule_do takes it. */
IRL__FN void irl__sched_step_said(irl__text *t, const irl__sched_step *step);
/* An argument as it is written; irl__arg_said: or the beginning of it. */
IRL__FN void irl__arg_print(irl__text *t, const irl__arg *arg);
IRL__FN void irl__arg_said(const irl__arg *arg, char *text, size_t capacity);

/* ------------------------------------------------------------------ place.c: where things stand */

/* Where the loop or block of that id stands; false: nowhere. */
IRL__FN int irl__place_of(const irl_stmt *body, uint32_t id, irl__place *out);
/* A copy of the block, without axes, in which variables of axes are replaced; *data, its own, gets
   others before irl__stmt_finish. NULL on failure. */
IRL__FN irl_stmt *irl__block_over(irl_ctx *cx, const irl_stmt *s, int count,
                                  const irl_expr *const *from, const irl_expr *const *to,
                                  irl__block_data **data);
/* The function with `now` in the place of the statement at[level]. */
IRL__FN irl_func *irl__place_put(const irl_func *f, const irl__place *p, int level,
                                 const irl_stmt *now);
/* Where a statement stands, by itself: for those that have no id. */
IRL__FN int irl__place_of_stmt(const irl_stmt *body, const irl_stmt *s, irl__place *out);
/* Does the one stand in the other, or is it? */
IRL__FN int irl__place_holds(const irl_stmt *s, const irl_stmt *one);
/* Is the buffer declared inside of the statement? */
IRL__FN int irl__place_declares(const irl_stmt *s, const irl_buffer *b);
/* Where a statement stands beside a place: `level` is the innermost statement of the place that
   holds it, or is it; where that is a sequence, `child` is which of its statements does. */
typedef struct irl__place_near {
    int level, child;
} irl__place_near;
/* Of all statements of the body: statement -> its irl__place_near. One walk, where asking for the
   place of each would be one for each. Scratch memory; false: it is out. */
IRL__FN int irl__place_all(irl_ctx *cx, const irl__place *p, irl__ptr_map *places);
/* Which statement of the sequence at[level] holds s? 0: it is none, or s stands elsewhere. */
IRL__FN int irl__place_child(const irl__place *p, const irl__ptr_map *places, const irl_stmt *s,
                             int level);
/* At which level of the place is s? p->count: at none. */
IRL__FN int irl__place_level(const irl__place *p, const irl_stmt *s);
/* Of the statements above that level, which is the outermost bound loop? `level`: none is. */
IRL__FN int irl__place_kernel(const irl__place *p, int level);
/* The sequence with these statements in the place of its statements from .. to - 1. */
IRL__FN const irl_stmt *irl__seq_replace(irl_ctx *cx, const irl_stmt *seq, int from, int to,
                                         int count, const irl_stmt *const *now);
/* The function without the statement, and without what held it alone. */
IRL__FN irl_func *irl__place_without(const irl_func *f, const irl__place *p);
/* s->f with `now` in the place of the statement at[level]; false: it is NULL, or memory is out. */
IRL__FN int irl__place_become(irl__sched *s, const irl__place *p, int level, const irl_stmt *now);
/* ... in the place of what the step's first argument names. */
IRL__FN int irl__sched_put(irl__sched *s, const irl_stmt *now);
/* Loops like these, the outermost first, under names of their own around the body. */
IRL__FN const irl_stmt *irl__place_nest(irl__sched *s, int count, const irl_stmt *const *loops,
                                        const irl_stmt *body);
/* What is known in the first `count` statements: the parameters, and that these loops run. NULL
   with a diagnostic. */
IRL__FN irl__analyzer *irl__place_analyzer(irl__sched *s, const irl__place *p, int count);
/* *all, and a `op` b if that is not proved; 0 on failure, or where one is NULL. */
IRL__FN int irl__place_ask(irl_ctx *cx, irl__analyzer *an, const irl_expr **all, irl_op op,
                           const irl_expr *a, const irl_expr *b);
/* Binds a loop's variable so that bounds of expressions are free of it (is_free), or else to its
   range, where that is numbers. False on failure. */
IRL__FN int irl__place_bind(irl__analyzer *an, const irl_stmt *loop, int is_free);
/* Does it mean the same after the statement at that level: no variable of it, and no memory, which
   it may have changed? */
IRL__FN int irl__place_is_lasting(irl__sched *s, const irl__place *p, int level, const irl_expr *e);
/* *runs: that the loops at[k] with asked[k] run, of those that are not known to where they stand;
   NULL: all are. 0 on failure. */
IRL__FN int irl__place_runs(irl__sched *s, const irl__place *p, const uint8_t *asked,
                            const irl_expr **runs);

/* ------------------------------------------------------------------ named.c: what has a name */

typedef enum irl__named_kind {
    IRL__NAMED_BLOCK,
    IRL__NAMED_NEST,   /* the innermost loop around stores into one buffer, by its name */
    IRL__NAMED_LABEL,  /* the same, by the label of loops around it */
    IRL__NAMED_AROUND, /* a block, by the label of loops around it */
    IRL__NAMED_LOOPS,  /* a loop by a label that is not a nest's */
    IRL__NAMED_MIXED,  /* the innermost loop around stores into several buffers: y_s */
    IRL__NAMED_STORES, /* a nest with a label, by its buffer's name */
    IRL__NAMED_LOOP,   /* a loop by its variable */
    IRL__NAMED_KINDS
} irl__named_kind;
/* Is it named after what it stores, with a number if others of that name stand in front? */
static inline int irl__named_is_numbered(irl__named_kind kind)
{
    return kind == IRL__NAMED_NEST || kind == IRL__NAMED_MIXED;
}
/* The kind that a name of this kind is looked up as. */
static inline irl__named_kind irl__named_group(irl__named_kind kind)
{
    return kind == IRL__NAMED_MIXED ? IRL__NAMED_LOOPS : kind;
}
/* Does it count for the numbers of those behind it? */
static inline int irl__named_counts(irl__named_kind kind)
{
    return kind == IRL__NAMED_BLOCK || kind == IRL__NAMED_LABEL || irl__named_is_numbered(kind);
}
/* One name of a statement. Names are interned. */
typedef struct irl__name_row {
    irl__named_kind kind;
    int             number; /* how many of that name that count come before it */
    const char     *name;   /* without the number */
    const irl_stmt *at;
} irl__name_row;
/* The names in a statement, in the order of the text; in scratch memory. */
typedef struct irl__name_list {
    irl_ctx        *cx;
    const irl_stmt *of;
    irl__name_row     *list;
    int             count, is_failed;
    irl__ptr_map    counts; /* name -> how many that count have it */
} irl__name_list;
/* False: memory is out. */
IRL__FN int irl__name_list_of(irl_ctx *cx, const irl_stmt *at, irl__name_list *out);
/* y and 2: y_2; 0: y. NULL: memory is out. */
IRL__FN const char *irl__named_numbered(irl_ctx *cx, const char *name, int number);
/* The name as a schedule writes it, with its number if it has one. NULL: memory is out. */
IRL__FN const char *irl__named_full(irl_ctx *cx, const irl__name_row *one);
/* Does it store to that cell, by these indices? Does e load the cell of the store? */
static inline int irl__store_is_at(const irl_stmt *store, const irl_buffer *b,
                                   const irl_expr *const *indices)
{
    return store->kind == IRL__STORE && store->u.store.buffer == b &&
           irl__exprs_equal(b->rank, store->u.store.indices, indices);
}
static inline int irl__store_is_held(const irl_stmt *store, const irl_expr *e)
{
    return e->op == IRL_OP_LOAD && irl__store_is_at(store, e->u.buffer, e->a);
}
/* The one store that a loop's body comes down to, through the conditions around it; NULL: more. */
IRL__FN const irl_stmt *irl__named_store(const irl_stmt *s);

/* The one buffer that a loop stores into, with lets and conditions, which a nest is named after: in
   no loops inside of it, or beside nests that do not write it. NULL: it is the loop of no nest. */
IRL__FN const irl_buffer *irl__named_buffer(const irl_stmt *loop);

/* Is it the loop of a nest whose stores stand beside other nests? */
IRL__FN int irl__named_is_beside(const irl_stmt *loop);

/* A name that a schedule uses: y_2 is also the third of those that are called y. Interned. */
typedef struct irl__wanted {
    const char *name, *stem; /* of y_2: y; NULL: there is no number at the end */
    int         number;
} irl__wanted;
/* What has a name: the first of them, and how many there are. */
typedef struct irl__named_found {
    uint32_t id;
    int      count;
} irl__named_found;
static inline void irl__named_found_one(irl__named_found *f, uint32_t id)
{
    if (f->count++ == 0) f->id = id;
}
static inline void irl__named_found_more(irl__named_found *f, const irl__named_found *others)
{
    if (!f->count) f->id = others->id;
    f->count += others->count;
}

/* -------------------------------------- spots.c: the statements at the top of a function's body */

typedef struct irl__spot         irl__spot;
typedef struct irl__spots_entry  irl__spots_entry;
typedef struct irl__spots_touch  irl__spots_touch;
typedef struct irl__spots_memory irl__spots_memory;

/* One of the statements. */
struct irl__spot {
    const irl_stmt   *stmt;
    irl__spot        *before, *after;
    irl__spots_entry *entries; /* its names */
    irl__spots_touch *touches; /* the memory that it touches */
    uint64_t          key;     /* grows from spot to spot */
    uint32_t          taken;   /* in the window of that step */
    uint8_t           is_gone; /* no statement of the function any more */
};

/* What is known of a name. */
typedef struct irl__spots_name {
    int                count[IRL__NAMED_KINDS];
    uint32_t           ids[IRL__NAMED_KINDS]; /* their sum: where there is one thing, its id */
    irl__spots_entry **order;                 /* of those that count */
    irl__spots_touch **buffers;               /* that are declared by that name */
} irl__spots_name;

struct irl__spots_entry {
    irl__spot        *spot;
    irl__spots_name  *name;
    irl__spots_entry *next_of_spot;
    uint32_t          id;
    int               number; /* within the spot */
    irl__named_kind   kind;
};

struct irl__spots_touch {
    irl__spot         *spot;
    irl__spots_memory *memory;
    irl__spots_touch  *next_of_spot; /* what else the spot touches */
    irl__spots_touch  *next;         /* who else touches the memory; a spot may be gone */
    uint8_t            is_write;
    const irl_buffer  *buffer; /* that the spot declares; NULL: none */
};

/* The memory behind a pointer. */
struct irl__spots_memory {
    irl__spots_touch *touches;  /* all who touch it */
    irl__spots_touch *declared; /* who declares it; NULL: it is a parameter's */
    int               writes;   /* how many of them write it */
};

typedef struct irl__spots {
    irl_ctx          *cx;
    const irl_func   *f; /* whose index it is */
    irl__spot        *first, *last;
    irl__ptr_map      names; /* of interned texts: irl__spots_name */
    irl__ptr_map      ids;   /* of loops and blocks: irl__spot */
    irl__ptr_map      memory;
    irl__spots_memory always;  /* who may concern any statement */
    irl__ptr_map      extents; /* no numbers -> the spot of an allocation that tells of them */
    int               has_pointers; /* one stands for another one: who touches what is not known */
} irl__spots;

static inline const void *irl__spots_key(uint32_t id)
{
    return (const void *)(uintptr_t)id;
}

/* NULL: there is nothing to gain, or (not irl__ok) memory is out. All of it is scratch memory. */
IRL__FN irl__spots *irl__spots_make(const irl_func *f);
/* What is known of the name; nothing yet, if it is new. NULL: memory is out. */
IRL__FN irl__spots_name *irl__spots_name_of(irl__spots *x, const char *name);
/* The statements from `first` on, up to `end` (NULL: the last), are now these. False: memory is
   out. */
IRL__FN int irl__spots_replace(irl__spots *x, irl__spot *first, irl__spot *end,
                               const irl_stmt *const *now, int count);
/* How many blocks, nests and labels have the name in front of a number, or would be found by it. */
IRL__FN int irl__spots_named_count(const irl__spots *x, const char *name);
/* What of each kind has that name in the whole function, and its id if that is one. 0: the index is
   not that of f. */
IRL__FN int irl__spots_look(const irl__spots *x, const irl_func *f, const irl__wanted *wanted,
                            irl__named_found *found);

/* ------------------------------------------------------------------ kept.c: nests that were
   scheduled */

/* `after` is `before` behind a step: nests that the step changed say that they are scheduled, if it
   decides about loops, or if they were scheduled before. NULL: memory is out. */
IRL__FN irl_func *irl__kept_after(const irl_func *before, const irl_func *after, int of_loops);
/* `after` is what the step made of s->f: nests whose names would mean others get them as labels.
   NULL: memory is out. names_after.c */
IRL__FN const irl_func *irl__names_after(irl__sched *s, const irl_func *after);
/* f is `before` behind a step: what blocks around its place say that they read and write holds, if
   it held before (regions.c). NULL: memory is out. */
IRL__FN const irl_func *irl__regions_after(irl__sched *s, const irl_func *before,
                                           const irl_func *f);

/* ------------------------------------------------------------------ frame.c: steps on a
   function */

struct irl__sched {
    irl_ctx               *cx;
    const irl__sched_step *step; /* that is being done */
    const irl__arg        *args; /* its arguments, or those that are looked at */
    int                    arg_count;
    irl__place             p;    /* of what the first one names */
    const irl_func        *f;    /* as the steps so far have made it */
    irl__sched_name *named; /* what the steps so far have named */
    irl__spots      *spots; /* of its body; NULL: none */
    irl__name_list       names; /* of its body before the step */
    uint32_t windows; /* steps that have been done with it: window.c */
    /* names were looked for in a part of the body, or who touches what the step does not touch */
    int is_doubtful;
};

/* The step has made f of s->f. False: f is NULL. */
static inline int irl__sched_become(irl__sched *s, const irl_func *f)
{
    s->f = f;
    return f != NULL;
}

/* What the first name of an argument stands for, and (conv.sum) both names together: an id; 0:
   nothing. names.c */
IRL__FN uint32_t irl__sched_id_of(irl__sched *s, const irl__arg *arg);
IRL__FN uint32_t irl__sched_part_of(irl__sched *s, const irl__arg *arg);

/* The function after the steps, verified. NULL: one is refused, and the diagnostic is there. */
IRL__FN irl_func *irl__sched_run(const irl_func *f, const irl__sched_step *steps, int count);
/* Maps and numbers in a step may use what the function is given: n. Declares it. */
IRL__FN int irl__sched_params(irl__parser *p, const irl_func *f);
/* window.c: what the step concerns, a function of its own */

typedef int irl__window_step(irl__sched *s);
/* `does` on the statements of s->f that the step concerns, and on all of them where that is refused
   or does not tell; s->f is what is known of the function behind it. */
IRL__FN int irl__window_do(irl__sched *s, irl__window_step *does);
/* The function with its whole body. */
IRL__FN irl_func *irl__window_whole(irl__sched *s);

/* The loop (or block, or the innermost loop of a nest, which is as good as one) that an argument
   names, and where it stands. False with a diagnostic that
   lists what there is. */
IRL__FN int irl__sched_loop(irl__sched *s, const irl__arg *arg, irl__place *out);
IRL__FN int irl__sched_block(irl__sched *s, const irl__arg *arg, irl__place *out);
IRL__FN int irl__sched_loop_or_block(irl__sched *s, const irl__arg *arg, irl__place *out);
/* Has a block, nest, label or loop of the function before the step that name? names.c */
IRL__FN int irl__sched_is_name(irl__sched *s, const char *name);
/* The block or nest of that name, or the loops that a label names; count 0: none. */
IRL__FN irl__named_found irl__sched_meaning(irl__sched *s, const char *name);
/* Does the name still mean what it meant before the step? If not, it is a DUPLICATE_NAME. */
IRL__FN int irl__sched_still_means(irl__sched *s, irl_loc where, const char *name,
                                   const irl__named_found *was);
/* The name, as a schedule writes it, of the nest around one store whose innermost loop that is.
   NULL: it is none, or what has its name is not it alone, or memory is out. names.c */
IRL__FN const char *irl__sched_nest_name(const irl_func *f, const irl_stmt *loop);
/* The one block or nest in the loop; NULL: there is none, or there are several. names.c */
IRL__FN const char *irl__sched_block_in(irl__sched *s, const irl_stmt *loop);
/* The name, as a schedule writes it, of a loop: its variable, behind a block or nest in it where
   that is not the only one. NULL: none finds it, or memory is out. names.c */
IRL__FN const char *irl__sched_loop_name(const irl_func *f, const irl_stmt *loop);
/* The name of the step's k-th result, else `made`; of the first, else of_suffix. */
static inline const char *irl__result_name(const irl__sched *s, int k, const char *made)
{
    return k < s->step->result_count ? s->step->results[k] : made;
}
static inline const char *irl__result_block(const irl__sched *s, const char *of, const char *suffix)
{
    return irl__namef(s->cx, s->step->result_count ? "%s" : "%s_%s", irl__result_name(s, 0, of),
                      suffix);
}
/* A variable for the k-th result, which is a loop: named by the step, else `made`. */
IRL__FN const irl_expr *irl__sched_var(irl__sched *s, int k, const char *made);
/* Notes that the k-th result of the step is this loop or block. */
IRL__FN int irl__sched_result(irl__sched *s, int k, const irl_stmt *made);
/* A nest, a loop around something else, where a block is wanted: the hint says how to get one. */
IRL__FN int irl__sched_refuse_nest(irl__sched *s, const irl__arg *arg);
IRL__FN int irl__sched_refuse_loop(irl__sched *s, const irl_stmt *loop);
/* Has the function a buffer of that name? 0 with a diagnostic that lists those that it has. */
IRL__FN int irl__sched_has_buffer(irl__sched *s, const irl__arg *arg);
/* The loop's bounds read no memory, which may hold something else where, or when, a step would have
   them read again. */
IRL__FN int irl__sched_bounds_are_named(irl__sched *s, irl_loc where, const irl_stmt *loop);
/* They do not depend on that variable. loops.c */
IRL__FN int irl__loop_is_free(irl__sched *s, irl_loc where, const irl_stmt *loop,
                              const irl_expr *var);
/* The extent where it is not below 0: an extent of memory, or one of a product. */
IRL__FN const irl_expr *irl__extent_from_zero(irl_ctx *cx, const irl_expr *extent);

/* ------------------------------------------------------------------ refusal.c: why, in parts */

/* A refusal, ILLEGAL_STEP, at the step, or at another place. 0. The format is that of irl__textf,
   with %L a loop, %B a buffer, %X an access, %A the buffer of an access, %H what would help, and
   %N, without an argument, the name that is the step's first argument; what is named so becomes a
   part of the refusal. */
IRL__FN int irl__refuse(irl__sched *s, const char *format, ...);
IRL__FN int irl__refuse_at(irl__sched *s, irl_loc where, const char *format, ...);
/* A refusal that shows the meeting: "what (advice): ..."; "what, as far as is known: ...". The
   advice, which may be NULL, is what would make it legal where they meet. */
IRL__FN int irl__refuse_meeting(irl__sched *s, const irl__accesses *t, const irl__meeting *m,
                                const char *what, const char *advice);
IRL__FN int irl__refuse_meeting_at(irl__sched *s, irl_loc where, const irl__accesses *t,
                                   const irl__meeting *m, const char *what, const char *advice);
/* The order changes of what this update does, which does not commute; with what helps, and `rest`
   behind it. */
IRL__FN int irl__refuse_order(irl__sched *s, const irl__access *update, const char *rest);

/* What an argument has been found to be: the first loop and the first block are the step's. */
IRL__FN void irl__refused_of(irl__sched *s, const irl__arg *arg, const irl_stmt *found,
                             int is_loop);
/* What would make the step legal, which the message says too. */
IRL__FN const char *irl__refused_advice(irl__sched *s, const char *advice);
/* A step begins: nothing is known. It has failed, as `said`: what is known is the context's
   refusal, unless memory is out. */
IRL__FN void irl__refused_begin(irl_ctx *cx);
IRL__FN void irl__refused_end(irl_ctx *cx, const irl_diag *said, const irl__sched_step *step,
                              int number);
/* The context's refusal across irl_ctx_rewind: in scratch memory, and back. NULL: memory is out,
   which the second one says. */
IRL__FN const irl_step_refusal *irl__refusal_save(irl_ctx *cx);
IRL__FN void irl__refusal_restore(irl_ctx *cx, const irl_step_refusal *saved);

/* ------------------------------------------------ flow.c: who writes a buffer, and who reads it */

enum { IRL__FLOW_MOST = 64 }; /* axes of a block, loops of a nest */

/* A block, or a nest around one store, that a primitive moves or puts into another. Its instances
   are told by its axes; of a nest by its loops inside of where the buffer is declared. */
typedef struct irl__flow_unit {
    irl__place             p;     /* of the block, or of the innermost loop of the nest */
    const irl__block_data *block; /* NULL: a nest */
    const irl_stmt        *store; /* the one that its body is; NULL: something else */
    const irl_expr        *guard; /* of the store in a nest, NULL: none */
    int                    count;
    const irl_expr        *var[IRL__FLOW_MOST], *min[IRL__FLOW_MOST], *extent[IRL__FLOW_MOST];
} irl__flow_unit;

/* Where a buffer is declared, and who touches it. */
typedef struct irl__flow_buffer {
    const irl_buffer *buffer;
    irl__place        scope; /* at its end: the sequence or block that declares it */
    int               from;  /* in that sequence, where */
    irl__accesses     t;     /* of the whole function */
    int               reads, writes; /* that are executed */
} irl__flow_buffer;

/* The unit that the first argument names. */
IRL__FN int irl__flow_unit_of(irl__sched *s, irl__flow_unit *u);
/* Could computing with another value of what it reads fail? Division of integers, floats to
   integers, an index that is loaded. */
IRL__FN int irl__flow_may_fail(const irl_expr *e);
/* Loops around the block, from that level of its place on, are used by its axes alone, and by no
   extent of these: a step may leave them behind. NULL is no block. Or: its init uses them by its
   axes alone. */
IRL__FN int irl__flow_init_knows_axes(irl__sched *s, const irl__block_data *b, const irl__place *p,
                                      int from);
IRL__FN int irl__flow_knows_axes(irl__sched *s, const irl__block_data *b, const irl__place *p,
                                 int from);
/* No call in that part of what the step names may do what nobody sees. NULL is no part. */
IRL__FN int irl__flow_keeps_calls(irl__sched *s, const irl_stmt *part);
/* Of shared memory: each work-item of the loops around that level of the place reads of the buffer
   what it wrote itself. */
IRL__FN int irl__flow_is_of_item(irl__sched *s, irl__accesses *t,
                                 const irl__place *p, int level, const irl_buffer *b);
/* Has it one value for all work-items of a group, where the loops of the place stand around? */
IRL__FN int irl__flow_is_even(irl__accesses *t, const irl__place *p, const irl_expr *e);
/* The unit at that place may go past children from..to (-1: all that are behind) of the sequence at
   that level: if work-items wait there for one another, it touches nothing that any of them
   writes, nor writes what any of them touches, in memory other than `own`. */
IRL__FN int irl__flow_waits_for_none(irl__sched *s, irl__accesses *t,
                                     const irl__place *p, int level, int from, int to,
                                     const irl_buffer *const *own, int own_count);
/* The name of what children from..to - 1 of a sequence declare, and the part uses; NULL: none. */
IRL__FN const char *irl__flow_declared_between(const irl_stmt *seq, int from, int to,
                                               const irl_stmt *part);
/* No loop around the unit, from that level of its place on, has bounds that read memory. */
IRL__FN int irl__flow_bounds_are_named(irl__sched *s, const irl__place *p, int from);
/* What is known where its coordinates are in their ranges. NULL with a diagnostic. */
IRL__FN irl__analyzer *irl__flow_analyzer(irl__sched *s, const irl__flow_unit *u);
/* Its instances, those of a nest by the loops further inside than level `from`. */
IRL__FN int irl__flow_axes(irl__sched *s, irl__flow_unit *u, int from);
/* A temporary that is touched by its name alone. 0 with a diagnostic at arg. */
IRL__FN int irl__flow_temporary(irl__sched *s, const irl__arg *arg, const irl_buffer *b,
                                irl__flow_buffer *out);
/* Is an axis of that kind bound to what the variable stands in? */
IRL__FN int irl__axes_use(const irl__block_data *block, const irl_expr *var, int is_reduction);
/* e where the axes are what they are bound to. */
IRL__FN const irl_expr *irl__axes_bound(irl_ctx *cx, const irl__block_data *block,
                                        const irl_expr *e);
/* Has each point of spatial (or reduce) axes of the block at that place at most one iteration of
   the loops at[k] with asked[k], of those from level `top` of the place on? Of reduce axes the
   first iteration is point 0. Else it refuses. */
IRL__FN int irl__points_once(irl__sched *s, const irl__place *p, const irl__block_data *block,
                             int top, const uint8_t *asked, int is_reduction);
/* In the statements from `level` of the place on, at whose end a block stands: does its init run
   for each cell before an update does? Not of the later parts of a loop that was cut. */
IRL__FN int irl__inits_run(irl__sched *s, const irl__place *p, int level);
/* Is it a pow that expand_powers makes a product of? user is ignored (irl__expr_any). */
IRL__FN int irl__power_of(const irl_expr *e, const void *user);
/* Does the init read, by that access, the cell that it stores? */
IRL__FN int irl__init_is_own(const irl_stmt *init, const irl__access *a);
/* Is it such a read, and does the init run before all updates of its cell in the statements from
   `level` on, so that the sum may be collected elsewhere? Not where a block says what it reads. */
IRL__FN int irl__init_begins(irl__sched *s, const irl__place *p, int level, const irl__access *a);
/* Does that read of the block see nothing but what its own init and updates stored there? */
IRL__FN int irl__inits_cover(irl__sched *s, const irl__place *p, int level, const irl__access *a);
/* Is the row, of the step's first argument, no call that gets a pointer? Else it refuses. */
IRL__FN int irl__flow_is_told(irl__sched *s, const irl__access *a);
/* Is the row an executed access of the buffer in that statement? */
IRL__FN int irl__flow_is_of(const irl__access *a, const irl_buffer *b);
IRL__FN int irl__flow_is_write(const irl__access *a);
/* Does the block of the first argument write the buffer that the second one names? */
IRL__FN int irl__flow_block_writes(irl__sched *s);
/* A variable that is bound where the buffer can be seen, and is no coordinate of the unit, but
   stands in e; NULL: there is none, so e means the same wherever the buffer can be seen. */
IRL__FN const irl_expr *irl__flow_stranger(const irl__flow_buffer *b, const irl__flow_unit *u,
                                           const irl_expr *e);

/* The coordinates of a unit in terms of y[k], the indices of the cell. */
typedef struct irl__flow_inverse {
    int                    rank;
    const irl_expr        *y[IRL_MAX_RANK], *out[IRL__FLOW_MOST];
    const irl_expr *const *shape;   /* of the buffer */
    const irl_expr *const *indices; /* of the unit's access */
} irl__flow_inverse;
/* *missing: the coordinate that the indices do not determine; NULL: all are. 0 on failure. */
IRL__FN int irl__flow_invert(irl__sched *s, const irl__flow_unit *u, int rank,
                             const irl_expr *const *shape, const irl_expr *const *indices,
                             irl__flow_inverse *inv, const irl_expr **missing);
/* Is it known that an instance of the unit touches the cell, which lies within the shape, for all
   that the analyzer admits? */
IRL__FN int irl__flow_reaches(irl__sched *s, irl__analyzer *an, const irl__flow_unit *u,
                              const irl__flow_inverse *inv, const irl_expr *const *cell);
/* ... and every cell of the buffer? */
IRL__FN int irl__flow_reaches_all(irl__sched *s, const irl__flow_unit *u,
                                  const irl__flow_inverse *inv);
/* Do the loops inside of `scope` (NULL: all) write, in row w, each element of the box of `length`
   (NULL: the shape) from `first` on? NULL: all of the buffer. If are_asked, the caller asks whether
   loops of other extents than numbers run that no index uses. */
IRL__FN int irl__flow_writes(irl__sched *s, irl__accesses *t, const irl__access *w,
                             const irl_stmt *scope, const irl_expr *const *first,
                             const irl_expr *const *length, int are_asked);
/* Elements of bits are 0 until something is written, others are undefined: the temporary is none of
   bits, or one write stores each element before anything is read. */
IRL__FN int irl__flow_is_begun(irl__sched *s, irl__flow_buffer *f);
/* For irl__flow_range: what is known where the loops of the place run. NULL with a diagnostic. */
IRL__FN irl__analyzer *irl__flow_range_analyzer(irl__sched *s, const irl__place *p, int level);
/* Where e is defined in the loops from that level on, it is one of so many values from *first on,
   in terms of what lasts behind it. 0: that is not known, or a failure. */
IRL__FN int irl__flow_range(irl__sched *s, irl__analyzer *an, const irl__place *p, int level,
                            const irl_expr *e, const irl_expr **first, const irl_expr **length);
/* Does one run of the statement at that level reach each point of the block's axes? */
IRL__FN int irl__flow_is_complete(irl__sched *s, const irl__flow_unit *u, int level);
/* ... `length` points from `first` on, of all axes but some (NULL: none)? What its condition says
   of all instances alike goes to *rest; NULL: that has to be proved too. */
IRL__FN int irl__flow_covers(irl__sched *s, const irl__flow_unit *u, int level,
                             const irl_expr *const *first, const irl_expr *const *length,
                             const uint8_t *but, const irl_expr **rest);

/* The innermost level that a and b share. */
IRL__FN int irl__flow_common(const irl__place *a, const irl__place *b);
/* Is it memory that each work-item of the kernel has for itself? NULL: no kernel, or no buffer. */
IRL__FN int irl__flow_is_private(const irl_stmt *kernel, const irl_buffer *b);
/* A bit for each axis that loops below that level are bound to, those of one iteration left out. */
IRL__FN uint32_t irl__flow_bound_axes(const irl__place *p, int level);
/* The unit is to stand in the loop `to` of its kernel, which stands behind it or (is_back) before:
   do the same work-items compute with what each has for itself? */
IRL__FN int irl__flow_keeps_items(irl__sched *s, irl__accesses *t,
                                  const irl__place *unit, const irl__place *to, int is_back);
/* All rows of a table. */
#define IRL__EACH_ROW(a, t) \
    for (const irl__access *a = (t)->list, *a##_end = a ? a + (t)->count : a; a != a##_end; a++)
/* Executed rows of a table: of these kinds, in a statement and outside of another one, of the
   memory of a buffer. Each may be NULL: any. */
enum {
    IRL__ROWS_READ = 1 << IRL__ACCESS_READ,
    IRL__ROWS_STORE = 1 << IRL__ACCESS_WRITE | 1 << IRL__ACCESS_UPDATE,
    IRL__ROWS_WRITE = IRL__ROWS_STORE | 1 << IRL__ACCESS_OPAQUE, /* irl__access_writes */
    IRL__ROWS_TAKE = IRL__ROWS_READ | 1 << IRL__ACCESS_OPAQUE,   /* all but stores */
    IRL__ROWS_ALL = IRL__ROWS_READ | IRL__ROWS_WRITE
};
typedef struct irl__flow_set {
    const irl__accesses *t;
    int                  kinds;
    const irl_stmt      *in, *outside;
    const irl_buffer    *of;
} irl__flow_set;
IRL__FN irl__flow_set irl__flow_set_of(const irl__accesses *t, int kinds, const irl_stmt *in,
                                       const irl_stmt *outside, const irl_buffer *of);
/* The first such row after row a (NULL: of all); NULL: there is none. */
IRL__FN const irl__access *irl__flow_next(const irl__flow_set *set, const irl__access *a);
#define IRL__FLOW_EACH(a, set) \
    for (const irl__access *a = NULL; (a = irl__flow_next(&(set), a)) != NULL;)
/* The next pair of rows of one memory, or of what may be one, of which one writes; 0: there is
   none. */
IRL__FN int irl__flow_next_pair(const irl__flow_set *one, const irl__flow_set *other,
                                const irl__access **a, const irl__access **b);
#define IRL__FLOW_PAIRS(a, b, one, other)            \
    for (const irl__access *a = NULL, *b = NULL; \
         irl__flow_next_pair(&(one), &(other), &a, &b);)
/* Is one of the set a in one iteration and one of b in another one, of a loop at[from] ..
   at[to - 1] of the place, of one cell? NO, or m. */
IRL__FN irl_answer irl__flow_carries(irl__accesses *t, const irl__place *p, int from, int to,
                                     const irl__flow_set *a, const irl__flow_set *b,
                                     irl__meeting *m);
/* May no other work-item meet a row in that statement, of that buffer (either may be NULL: any), in
   a kernel, with no barrier between? Else it refuses. */
IRL__FN int irl__flow_is_apart(irl__sched *s, irl_loc where, irl__accesses *t, const irl_stmt *in,
                               const irl_buffer *of, const char *what, const char *advice);
/* May row a touch the cell of row b: at all, or (ordered) when it runs before b? NO, or m. */
IRL__FN irl_answer irl__flow_meets(irl__accesses *t, const irl__access *a, const irl__access *b,
                                   int ordered, irl__meeting *m);
/* An order of two rows in one run of the statement at that level of a place, which may be a place
   in another function: its ids count. */
typedef struct irl__flow_order {
    const irl__place *p;
    int               level;
    uint8_t           now;       /* a comes BEFORE b, or AFTER; in parallel loops at another one */
    int               is_in_one; /* it does in one iteration of all loops around both, too */
    int               shares;    /* work-items of a group wait for one another */
} irl__flow_order;
/* Do they meet in that order, where order[k] of e[k] at a to f[k] at b? NO, or m. */
IRL__FN irl_answer irl__flow_ordered(irl__pair *p, const irl__flow_order *q, int count,
                                     const irl_expr *const *e, const irl_expr *const *f,
                                     const uint8_t *order, irl__meeting *m);
/* Of the rows in a loop those from the second-th on are of later bodies of it: does an earlier body
   meet one of them in a later iteration? Else a loop around each body, one behind the other, does
   the same. NO, or m. sequence.c */
IRL__FN irl_answer irl__bodies_meet(irl__accesses *t, const irl__around *loop, int second,
                                    irl__meeting *m);
/* The function without the declaration of b; the regions of blocks that name it are made anew. */
IRL__FN irl_func *irl__flow_undeclared(irl__sched *s, const irl_func *f, const irl_buffer *b);
/* The boxes that the block reads, or writes, by the rows of t, which may be its own alone. *count
   0: they are to be inferred. False when memory is out. */
IRL__FN int irl__flow_region_list(irl__sched *s, irl__accesses *t, const irl_stmt *block,
                                  int written, const irl__region **list, int *count);
/* s with the regions of blocks that name b made anew, from what they do. */
IRL__FN const irl_stmt *irl__flow_regions(irl__sched *s, const irl_func *f, const irl_stmt *at,
                                          const irl_buffer *b);
/* f with all regions made anew that the block of that id declares. */
IRL__FN irl_func *irl__flow_block_regions(irl__sched *s, irl_func *f, uint32_t id);
/* ------------------------------------------------------------------ copies.c: copies of buffers */

/* What a statement does to the memory of b: with another name, other indices, or by a call; or
   memory is out. Of what is in `but` only what hides counts. */
enum { IRL__COPY_READS = 1, IRL__COPY_WRITES = 2, IRL__COPY_HIDES = 4 };
IRL__FN int irl__copy_uses(irl__sched *s, const irl_stmt *at, const irl_buffer *b, int count,
                           const irl_stmt *const *but);
/* The same of a statement whose rows in the table begin at *row, which becomes the row after. */
IRL__FN int irl__copy_uses_next(const irl__accesses *t, const irl_stmt *at, int *row,
                                const irl_buffer *b);
/* The buffer that an argument means, of those that the block or nest writes (or reads). */
IRL__FN const irl_buffer *irl__copy_find(irl__sched *s, const irl__arg *arg, const irl_stmt *at,
                                         int written);
/* The scope that an argument names; -1 with a diagnostic. */
IRL__FN int irl__scope_of_arg(irl__sched *s, const irl__arg *arg);
/* A buffer in the scope of an image is one that an image can hold, as lowering asks. */
IRL__FN int irl__copy_fits_image(irl__sched *s, const irl_buffer *b, irl_loc where);
/* A buffer of b's type: b_suffix. */
IRL__FN irl_buffer *irl__copy_buffer(irl__sched *s, const irl_buffer *b, const char *suffix,
                                     irl_scope scope, int rank, const irl_expr *const *shape);
/* May the copy be in an image, or b: no; it may; it will be, when a map has laid it. */
typedef enum irl__copy_image {
    IRL__COPY_IMAGE_NONE, IRL__COPY_IMAGE, IRL__COPY_IMAGE_LATER
} irl__copy_image;
/* The same, in the scope that an argument names. */
IRL__FN irl_buffer *irl__copy_buffer_in(irl__sched *s, const irl_buffer *b,
                                        const irl_expr *const *shape, const irl__arg *arg,
                                        irl__copy_image image);
/* Gives `own`, which is to be used for b in the statement `at`, the bits of b's elements if `at`
   reads them. 0: refused, or failure. */
IRL__FN int irl__copy_take_bits(irl__sched *s, const irl_stmt *at, const irl_buffer *b,
                                irl_buffer *own, const irl__arg *arg);
/* The axes of a block that copies, and the loops around it. */
typedef struct irl__copy_axes {
    int             count;
    int             is_declared; /* the block declares which cells it reads and writes */
    const irl_expr *loop[IRL_MAX_RANK], *extent[IRL_MAX_RANK];
    irl__axis       axes[IRL_MAX_RANK];
} irl__copy_axes;
/* One more axis: v0, v1, ..., or named like `like`; in a loop ax0, ax1, ... of its own, or bound to
   `binding`. NULL: memory is out. */
IRL__FN const irl_expr *irl__copy_axis(irl__sched *s, irl__copy_axes *a, const irl_expr *extent,
                                       const irl_expr *like, const irl_expr *binding);
/* The loops around a block of that name that does `store` where that holds (NULL: always). *block
   is the block. NULL: `store` is, or memory is out. */
IRL__FN const irl_stmt *irl__copy_nest(irl__sched *s, const irl__copy_axes *a, const char *name,
                                       const irl_expr *where, const irl_stmt *store,
                                       const irl_stmt **block);
/* The outermost level of the place at which nothing but the statements in `but` touches b; if there
   are none, at which nothing writes it. -1 with a diagnostic at arg. */
IRL__FN int irl__copy_level(irl__sched *s, const irl__place *p, const irl_buffer *b, int count,
                            const irl_stmt *const *but, const irl__arg *arg);
/* The level for a copy of b that the statement p reads; -1 with a diagnostic. */
IRL__FN int irl__copy_read_level(irl__sched *s, const irl__place *p, const irl_buffer *b,
                                 const irl__arg *arg);
/* The block and the buffer that a step's first two arguments name, and the level for a copy; -1:
   refused. */
IRL__FN int irl__copy_of_block(irl__sched *s, int written, irl__flow_unit *u, const irl_buffer **b);
/* A copy back at that level is not done by iterations at the same time; nor by each instance of a
   block, unless that copies back exactly what it has written. */
IRL__FN int irl__copy_write_alone(irl__sched *s, const irl__place *p, int level,
                                  const irl_buffer *b, int is_exact, const irl__arg *arg);
/* A copy that a group shares is not at a level where each work-item would have one. */
IRL__FN int irl__copy_is_common(irl__sched *s, const irl__place *p, int level,
                                const irl_buffer *copy, const irl__arg *arg);
/* In a kernel, a copy beside the loops of work-items, which each of them would do, is of no memory
   that they share. */
IRL__FN int irl__copy_is_done_once(irl__sched *s, const irl__place *p, int level,
                                   const irl_stmt *copy);
/* The function with `now` in the place of the statement at that level, and these before it and
   after it (NULL: nothing), in its sequence, which sees what they declare. The others in that
   become `seq`; NULL: they stay. */
IRL__FN irl_func *irl__copy_insert(irl__sched *s, const irl__place *p, int level,
                                   const irl_stmt *const *before, int before_count,
                                   const irl_stmt *now, const irl_stmt *after,
                                   const irl_stmt *const *seq);
/* The block at the place's end becomes `now`, with regions of b made anew, and these statements are
   put around that level. The step's result is `block`. */
IRL__FN int irl__copy_around(irl__sched *s, const irl__place *p, int level, const irl_stmt *now,
                             const irl_buffer *b, const irl_stmt *const *before, int before_count,
                             const irl_stmt *after, const irl_stmt *block);
/* The statement with each of these buffers replaced wherever it is named. */
IRL__FN const irl_stmt *irl__copy_swapped(irl__sched *s, const irl_stmt *at, int count,
                                          const irl_buffer *const *from,
                                          const irl_buffer *const *to);
/* e, in which that expression, which reads memory, becomes another one. */
IRL__FN const irl_expr *irl__copy_replaced(irl_ctx *cx, const irl_expr *e, const irl_expr *from,
                                           const irl_expr *to);
/* The block, in which `value` becomes a load of the copy at these indices, and stores to b become
   stores there. Its axes stay. */
IRL__FN const irl_stmt *irl__copy_redirected(irl__sched *s, const irl_stmt *block,
                                             const irl_buffer *b, const irl_expr *value,
                                             const irl_buffer *copy, const irl_expr *const *at);
/* The part of the block's value that cache_value computes before; NULL: there is none, or several.
   cache_value.c */
IRL__FN const irl_expr *irl__cached_value(const irl__block_data *block, const irl_buffer *b);
/* The function with b, a copy that has just been made, in that layout: whoever reads and writes it
   goes through the map, and what its unused cells hold does not matter. transform_layout.c */
/* forward: cache_read lays its copy */
IRL__FN irl_func *irl__layout_copy(irl__sched *s, const irl_buffer *b, const irl__arg *map);
/* bind of a loop of reduce axes to work-items: a sum of the group. rfactor.c */
/* forward: bind is one step, whatever the loop is of */
IRL__FN int irl__rfactor_is_of_sum(const irl_stmt *loop);
/* forward: likewise */
IRL__FN int irl__rfactor_group(irl__sched *s, irl_axis axis);

/* The copy of a loop, of that number: two that have one label would both be without a name.
   sequence.c */
IRL__FN const irl_stmt *irl__sched_labelled(irl__sched *s, const irl_stmt *loop, int number);

/* Makes the nest of that innermost loop a block of that name. compose.c */
IRL__FN int irl__compose_plain(irl__sched *s, const irl__place *p, const char *name);

/* Do both store into one cell, whose place neither computes from memory? reduction.c */
IRL__FN int irl__stmt_same_cell(const irl_stmt *a, const irl_stmt *b);

/* The value of an update without the arm of its term that keeps a cell, which began with `init`
   (NULL: that is not known); NULL: there is no such arm, or a failure. reduction.c */
IRL__FN const irl_expr *irl__neutral_skipped(irl_ctx *cx, const irl_stmt *store,
                                             const irl_expr *init);

/* ------------------------------------------------- the primitives, which frame.c calls by name */

#define IRL_PRIMITIVE(name, loops, block, sees, takes, gives, example, does, needs) \
    IRL__FN int irl__do_##name(irl__sched *s);
#include "primitives.h"

#endif
