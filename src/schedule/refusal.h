/* refusal.h - the parts of the refusal of a step, while the step runs.

   needs     analysis; layouts.h, for the parts of a refused map
   promises  the last parts that were set are kept; outside of a step nothing is kept */
#ifndef IRL__REFUSAL_H
#define IRL__REFUSAL_H

#include "../pass/layouts.h"

/* The names that there are, where one is looked for. */
typedef struct irl__there {
    irl_ctx     *cx;
    const char  *wanted;
    const char **names;   /* the context's */
    irl__near    nearest; /* the one that was meant */
} irl__there;

IRL__FN void irl__there_begin(irl__there *t, irl_ctx *cx, const char *wanted);
IRL__FN void irl__there_add(irl__there *t, const char *name);
/* There is none that is wanted: they become parts of the refusal. "a, b", of at most so many, 0: of
   all; "none". */
IRL__FN const char *irl__there_refused(irl__there *t, int most);

#endif
