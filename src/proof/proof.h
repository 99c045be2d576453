/* proof.h - why unpacking restores what was packed, as a text for people.

   needs     map; the rules and the maker of nodes of arith
   promises  nothing else uses this room: IRLAYOUT_NO_PROOF leaves it out */
#ifndef IRL__PROOF_H
#define IRL__PROOF_H

#include "../map/map.h"
#include "../arith/engine.h"

/* ---------------------------------------- explain.c: which rules make one expression another */

enum { IRL__LAW_LETTERS = 10 };

/* A row of rules.h, a rule of the integers, its texts read; NULL where a text is empty. */
typedef struct irl__proof_rule {
    const char     *name, *before, *after, *constants, *facts;
    const irl_expr *from, *to, *holds, *known;
} irl__proof_rule;

typedef struct irl__proof_rules {
    irl_ctx        *cx;
    int             count;
    irl__proof_rule       *list;
    const irl_expr *letters[IRL__LAW_LETTERS];
} irl__proof_rules;

/* Reads the table into scratch memory of the caller. */
IRL__FN int irl__proof_rules_open(irl__proof_rules *b, irl_ctx *cx);

/* One application of a rule, and the whole expression behind it. */
typedef struct irl__explained {
    const irl_expr *to;
    const irl__proof_rule *rule;
} irl__explained;

/* At most `depth` applications of single rules that lead from one expression to the other; how
   many.
   0: they are the same up to the order of terms; -1: none were found. The last step's expression is
   `to`. */
IRL__FN int irl__explain(const irl__proof_rules *b, irl__analyzer *an, const irl_expr *from,
                         const irl_expr *to, int depth, irl__explained *out);

/* ------------------------------------------------------------------ proof.c */

/* The text for a packing whose map has readable names. It believes nothing in it: NULL, with a
   diagnostic, where the inverse or the unused cells are not those of the map. */
IRL__FN const char *irl__proof_text(const irl__packing *p);

#endif
