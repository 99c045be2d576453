/* as_written.h - lowering without a schedule that is made: for tests that are about the passes, or
   that compare with the text bit by bit. */
#ifndef IRL_AS_WRITTEN_H
#define IRL_AS_WRITTEN_H

static irl_module *lower_as_written(const irl_func *f, const irl_target *target)
{
    irl_lower_options how;
    memset(&how, 0, sizeof how);
    how.schedule = IRL_SCHEDULE_NONE;
    return irl_func_lower_with(f, target, &how);
}

#endif
