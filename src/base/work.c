/* work.c - bounds the work of a question: steps are counted, never a clock.

   needs     nothing
   promises  a question takes no more steps than it may. A question that needs more fails as if
             memory were out, so that everything ends at once; the caller turns this failure into
             the answer "undecided" */
#include "base.h"

int irl__work_spent(irl_ctx *cx)
{
    cx->steps_left = -1; /* and not less with each step that is tried */
    if (!cx->is_asking) {
        cx->steps_left = INT64_MAX;
        return 1;
    }
    cx->steps_spent = 1;
    return IRL__FAIL(cx, IRL_ERROR_UNDECIDED, "deciding it takes more than %l steps; most_work "
                     "allows more (irlc --work)", cx->most_steps);
}

int irl__work_allows(irl_ctx *cx, int64_t n)
{
    if (n <= cx->steps_left) return 1;
    cx->steps_short = 1;
    return 0;
}

irl__question irl__question_begin(irl_ctx *cx, int64_t most)
{
    irl__question q = { cx, !cx || cx->is_asking };
    if (q.is_inner) return q;
    cx->is_asking = 1;
    cx->steps_spent = cx->steps_short = 0;
    cx->most_steps = most > 0 ? most : cx->most_work > 0 ? cx->most_work : IRL__MOST_WORK;
    cx->steps_left = cx->most_steps;
    return q;
}

int irl__question_spent(const irl__question *q) { return q->cx && q->cx->steps_spent; }

int64_t irl__question_end(irl__question *q, int forgive)
{
    irl_ctx *cx = q->cx;
    if (!cx) return 0;
    int64_t left = cx->steps_left > 0 ? cx->steps_left : 0;
    if (q->is_inner) return cx->most_steps - left;
    if (forgive && cx->steps_spent && cx->diag.code == IRL_ERROR_UNDECIDED)
        memset(&cx->diag, 0, sizeof cx->diag);
    cx->is_asking = 0;
    cx->steps_left = INT64_MAX;
    return cx->most_steps - left;
}
