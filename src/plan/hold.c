/* hold.c - which temporary holds shared bytes at a time, while a host function runs.

   needs     module.c
   promises  before a launch takes bytes for another temporary, the change is reported: the caller
             may fill them with other numbers, so that a temporary that is still needed is seen to
             be lost. If a launch touches two temporaries that share bytes, the second holds them
             afterwards, unchanged: it is computed in place
   cost      the temporaries, for each that takes its bytes */
#include "plan.h"

irl__planned *irl__plan_find(irl__planned *list, int count, const irl_buffer *b)
{
    for (int k = 0; k < count; k++)
        if (list[k].buffer == b && list[k].out.pool >= 0 && list[k].only_launched)
            return &list[k];
    return NULL;
}

static int irl__hold_meet(const irl__planned *a, const irl__planned *b)
{
    return a->out.pool == b->out.pool && a->out.offset < b->out.offset + b->out.bytes &&
           b->out.offset < a->out.offset + a->out.bytes;
}

/* Does it come into bytes that another one holds, which the launch touches too? */
static int irl__hold_is_in_place(const irl__planned *one, int count, irl__planned *const *touched)
{
    for (int k = 0; k < count; k++)
        if (touched[k] != one && touched[k]->holds && irl__hold_meet(touched[k], one)) return 1;
    return 0;
}

int irl__plan_hold(irl__planned *list, int list_count, int count, irl__planned *const *touched,
                   irl__plan_lost *lost, void *user)
{
    for (int k = 0; k < count; k++)
        if (!touched[k]->holds && !irl__hold_is_in_place(touched[k], count, touched) &&
            !lost(user, touched[k]))
            return 0;
    for (int k = 0; k < count; k++) {
        if (touched[k]->holds) continue;
        for (int j = 0; j < list_count; j++)
            if (irl__hold_meet(&list[j], touched[k])) list[j].holds = 0;
        touched[k]->holds = 1;
    }
    return 1;
}
