/* draw_forms.h - the kinds of functions beside generate.h's that schedules are drawn for, each with
   the steps that suit it.

   needs     draw_schedule.h; the generators
   used by   test_schedule_random (interpreter), ocl_schedules (device) */
#ifndef IRL_DRAW_FORMS_H
#define IRL_DRAW_FORMS_H

#include "generate_sums.h"
#include "generate_chains.h"
#include "generate_loaded.h"
#include "generate_groups.h"
#include "generate_views.h"
#include "generate_items.h"
#include "generate_tiles.h"
#include "draw_items.h"
#include "generate_images.h"
#include "generate_outside.h"
#include "generate_namesakes.h"

/* A name of a nest, or of a loop around stores into several buffers, and of a loop around it. */
static void namesake_loop(char *out)
{
    static const char *const stems[] = { "y", "y", "t", "y_p", "t_s", "y_s", "y_t", "s_y" };
    static const char *const numbers[] = { "", "", "_1", "_1", "_2", "_3" };
    static const char *const members[] = { "", ".i", ".j", ".j", ".k" };
    const char *stem = stems[draw(8)], *number = numbers[draw(6)];
    sprintf(out, "%s%s%s", stem, number, members[draw(5)]);
}

static int draw_namesake_step(const names *n, char *out, size_t room)
{
    char loop[NAME_ROOM], other[NAME_ROOM];
    (void)n;
    namesake_loop(loop);
    namesake_loop(other);
    switch (draw(8)) {
    case 0: snprintf(out, room, "{ distribute(%s); }", loop); break;
    case 1: snprintf(out, room, "{ compose_store(%s); }", loop); break;
    case 2: snprintf(out, room, "{ annotate(%s, label = \"%s\"); }", loop, draw(2) ? "q" : "y_p_1");
        break;
    case 3: snprintf(out, room, "{ compose_reduction(%s); }", loop); break;
    default: draw_loops(loop, other, out, room);
    }
    return 1;
}

typedef struct draw_form {
    const char *name;
    gen_case (*make)(uint64_t seed);
    int (*step)(const names *n, char *out, size_t room);
    int often;    /* of so many steps all but one are drawn by `step` */
    int may_race; /* a function that the interpreter refuses is drawn now and then */
    gen_calls calls; /* that it makes of external functions, which no device has */
} draw_form;

static const draw_form draw_forms[] = {
    { "sums", gen_sums, draw_sum_step, 4, 0, { 0 } },
    { "chains", gen_chain, draw_chain_step, 2, 0, { 0 } },
    { "of loaded heads", gen_loaded, draw_chain_step, 2, 0, { 0 } },
    { "kernels", gen_groups, draw_chain_step, 2, 0, { 0 } },
    { "with views", gen_views, draw_view_step, 3, 0, { 0 } },
    { "of several local axes", gen_items, draw_items_step, 4, 1, { 0 } },
    { "tiles", gen_tiles, draw_items_step, 3, 1, { 0 } },
    { "nests of a group", gen_group_nests, draw_nests_step, 3, 0, { 0 } },
    { "with images", gen_images, draw_image_step, 4, 0, { 0 } },
    { "of the same names", gen_namesakes, draw_namesake_step, 3, 0, { 0 } },
    { "with calls", gen_outside, draw_view_step, 2, 0,
      { outside_answer, outside_begin, outside_seen } },
};
enum { DRAW_FORMS = sizeof draw_forms / sizeof *draw_forms };

/* A step for a function of the form (NULL: any other); 0: there is none. */
static int draw_form_step(const draw_form *form, const names *n, char *out, size_t room)
{
    return (form && draw(form->often) ? form->step : draw_step)(n, out, room);
}
#endif
