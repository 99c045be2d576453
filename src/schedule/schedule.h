/* schedule.h - schedules: when a function computes what it computes, as a list of steps, each of
   which is one primitive (primitives.h).

   needs     text, arith, analysis
   promises  a step keeps the meaning of the function or is refused with a diagnostic at its place
             in the schedule's text; the function before it stays as it was */
#ifndef IRL__SCHEDULE_H
#define IRL__SCHEDULE_H

#include "../analysis/analysis.h"
#include "../text/parse.h"
#include "../text/print.h"

/* ------------------------------------------------------------------ steps.c: a schedule's text */

typedef enum irl__arg_kind {
    IRL__ARG_NAME,   /* conv, conv.i, global.x */
    IRL__ARG_NUMBER, /* 16 */
    IRL__ARG_NOTE    /* key = value */
} irl__arg_kind;

typedef struct irl__arg {
    irl__arg_kind   kind;
    const char     *name, *member; /* NAME: before and behind the dot; member may be NULL */
    int64_t         number;
    irl__annotation note;
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

struct irl__primitive {
    const char *name, *takes, *gives, *example; /* a row of primitives.h */
};
/* NULL: there is none of that name. */
IRL__FN const irl__primitive *irl__primitive_find(const char *name);
IRL__FN int irl__primitive_number(const irl__primitive *row); /* in the order of primitives.h */

/* What was done to a function, the newest step first; shared by the functions that come of it. */
struct irl__sched_steps {
    const irl__sched_steps *before; /* NULL: none */
    const irl__sched_step  *step;
};

/* The steps of "{ step; ... }" or of "schedule name { ... }", in scratch memory but for what the
   steps hold. *count is -1 on failure. */
IRL__FN const irl__sched_step *irl__sched_steps_parse(irl__parser *p, int *count);
IRL__FN void irl__sched_step_print(irl__text *t, const irl__sched_step *step);

/* ------------------------------------------------------------------ place.c: where things stand */

/* A statement and all that it stands in: at[0] is the function's body, at[count - 1] itself. */
typedef struct irl__place {
    int             count;
    const irl_stmt *at[IRL_MAX_DEPTH + 1];
} irl__place;

/* Where the loop or block of that id stands; false: nowhere. */
IRL__FN int irl__place_of(const irl_stmt *body, uint32_t id, irl__place *out);
/* The function with `now` in the place of the statement at[level]. */
IRL__FN irl_func *irl__place_put(const irl_func *f, const irl__place *p, int level,
                                 const irl_stmt *now);

/* ------------------------------------------------------------------ frame.c: steps on a
   function */

/* What the steps so far have named. */
typedef struct irl__sched_name {
    const char *name;
    uint32_t    id;
} irl__sched_name;

struct irl__sched {
    irl_ctx        *cx;
    const irl_func *f;     /* as the steps so far have made it */
    irl__sched_name     *named; /* scratch */
};

/* The loop (or block, or the innermost loop of a nest, which is as good as one) that an argument
   names, and where it stands. False with a diagnostic that
   lists what there is. */
IRL__FN int irl__sched_loop(irl__sched *s, const irl__arg *arg, irl__place *out);
IRL__FN int irl__sched_block(irl__sched *s, const irl__arg *arg, irl__place *out);
IRL__FN int irl__sched_loop_or_block(irl__sched *s, const irl__arg *arg, irl__place *out);
/* A variable for the k-th result, which is a loop: named by the step, else `made`. */
IRL__FN const irl_expr *irl__sched_var(irl__sched *s, const irl__sched_step *step, int k,
                                       const char *made);
/* Notes that the k-th result of the step is this loop or block. */
IRL__FN int irl__sched_result(irl__sched *s, const irl__sched_step *step, int k,
                              const irl_stmt *made);
/* A refusal: ILLEGAL_STEP at the step. 0. */
IRL__FN int irl__sched_refuse(irl__sched *s, irl_loc where, const char *format, ...);

/* ------------------------------------------------- the primitives, which frame.c calls by name */

#define IRL_PRIMITIVE(name, takes, gives, example) \
    IRL__FN int irl__do_##name(irl__sched *s, const irl__sched_step *step);
#include "primitives.h"

#endif
