/* refusal.h - the parts of the refusal of a step, while the step is done.

   needs     analysis
   promises  what is put in is the last that was; without a step nothing is kept */
#ifndef IRL__REFUSAL_H
#define IRL__REFUSAL_H

#include "../analysis/analysis.h"

/* Of the step that is done, which may be refused: irl_ctx.refused. */
typedef struct irl__refused {
    irl_step_refusal     parts;  /* what of them is known */
    const irl_stmt *loop;   /* that it is about; NULL: none is known */
    const char     *around; /* the block or nest by which that was named */
    char            said[200]; /* the names that there are, or the first of them */
} irl__refused;

/* The witness of a verdict: the points, and the index that they have, of a buffer if one is given.
   Outside of a step nothing is kept. False when memory is out. */
IRL__FN int irl__refused_map(irl_ctx *cx, const irl_map *map, const irl_verdict *v,
                             const irl_buffer *b);

/* The names that there are, where one is looked for. */
typedef struct irl__there {
    irl_ctx     *cx;
    const char  *wanted;
    const char **names;   /* the context's */
    const char **counted; /* of them those that are numbered, as they are without the number */
    irl__near    nearest; /* the one that was meant */
} irl__there;

IRL__FN void irl__there_begin(irl__there *t, irl_ctx *cx, const char *wanted);
IRL__FN void irl__there_add(irl__there *t, const char *name);
/* The same of a block, nest or label: a nest behind another y is y_1, if it has a number. */
IRL__FN void irl__there_count(irl__there *t, const char *name, int has_number);
/* There is none that is wanted: they become parts of the refusal. "a, b", of at most so many, 0: of
   all; "none". */
IRL__FN const char *irl__there_refused(irl__there *t, int most);

#endif
