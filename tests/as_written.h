/* as_written.h - lowering without a schedule that is made: for tests that are about the passes, or
   that compare with the text bit by bit, and for benches of the compiler. */
#ifndef IRL_AS_WRITTEN_H
#define IRL_AS_WRITTEN_H

#include <string.h>

static inline irl_lower_options as_written(void)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.schedule = IRL_SCHEDULE_NONE;
    return how;
}

static inline irl_module *lower_as_written(const irl_func *f, const irl_target *target)
{
    const irl_lower_options how = as_written();
    return irl_func_lower_with(f, target, &how);
}

#endif
