/* plan.c - `irlc plan`: offsets of the temporaries of a lowered function, and which share memory.
   For C it is lowered for c99, as by `irlc emit`, and the sizes are those of the emitted code. */
#include "irlc.h"

#include <stdlib.h>

irlc_status command_plan(const irlc_args *args)
{
    irlc_program           p;
    irl_value              values[IRLC_MOST_SET];
    irl_plan_options       how;
    char                  *stage = NULL;
    int                    as_c = strcmp(value_of(args, OPT_AS_TABLE, "text"), "c") == 0;
    irlc_status            status = read_program(args, &p);
    if (!as_c && strcmp(value_of(args, OPT_AS_TABLE, "text"), "text") != 0)
        return bad_input(args, "a plan is printed --as text or --as c; found",
                         value_of(args, OPT_AS_TABLE, ""));
    if (status == IRLC_YES) status = lower(args, &p, &stage);
    free(stage);
    memset(&how, 0, sizeof how);
    how.values = values;
    if (status == IRLC_YES)
        status = read_values(args, irl_module_host(p.module), values, &how.value_count);
    if (status != IRLC_YES) return status;
    const irl_module_plan *plan = irl_plan_with(p.module, &how);
    if (!plan) return failed(args);
    say("%s", has(args, OPT_JSON)  ? irl_plan_json(plan)
          : has(args, OPT_SVG) ? irl_plan_svg(plan)
          : as_c               ? irl_plan_c(plan)
                               : irl_plan_text(plan));
    return irl_ok(args->cx) ? IRLC_YES : failed(args);
}
