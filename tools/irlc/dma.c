/* dma.c - `irlc dma`: a layout as the transfers of a DMA controller. */
#include "irlc.h"

#include <stdlib.h>

/* A controller by its name, or from a file. */
static irlc_status read_controller(const irlc_args *args, const char *given,
                                   const irl_dma_controller **controller)
{
    size_t length;
    char  *text = NULL;
    *controller = irl_dma_controller_find(given);
    if (!given || *controller) return IRLC_YES;
    text = read_file(given, &length);
    if (!text)
        return no_name(args, "a controller is a file, or one of generic, stm32-gpdma, edma3, "
                             "rp2040, stm32-dma2d, stm32-mdma, nxp-edma, esp32-gdma; found",
                       given, irl_dma_controller_name);
    *controller = irl_dma_controller_parse(args->cx, text, length, given);
    free(text);
    return *controller ? IRLC_YES : failed(args);
}

static irlc_status read_dma_options(const irlc_args *args, irl_dma_options *how,
                                    irl_bit_element *element)
{
    const char *most = value_of(args, OPT_MOST, NULL), *end = most;
    memset(how, 0, sizeof *how);
    how->unpack = has(args, OPT_UNPACK);
    how->split = has(args, OPT_SPLIT);
    how->swap = has(args, OPT_SWAP);
    how->overwrite = has(args, OPT_OVERWRITE);
    irlc_status status =
        read_controller(args, value_of(args, OPT_CONTROLLER, NULL), &how->controller);
    if (status != IRLC_YES) return status;
    if (most && (!read_int(&end, &how->most) || *end || how->most < 1))
        return bad_input(args, "--most takes a number of transfers; found", most);
    return read_element(args, &how->element, element, &how->bits);
}

irlc_status command_dma(const irlc_args *args)
{
    irl_dma_options     how;
    irl_bit_element     element;
    irlc_question       q;
    const char         *as = value_of(args, OPT_AS_TRANSFERS, "text"), *text;
    irlc_status         status = read_question(args, &q, NULL);
    int                 is_named = 0;
    if (status == IRLC_YES) status = read_dma_options(args, &how, &element);
    if (status != IRLC_YES) return status;
    if (strcmp(as, "controller") == 0 && how.controller) {
        say("%s", irl_dma_controller_text(args->cx, how.controller));
        return irl_ok(args->cx) ? IRLC_YES : failed(args);
    }
    if (strcmp(as, "text") != 0 && strcmp(as, "c") != 0)
        return bad_input(args, "transfers are printed --as text or --as c, a controller that is "
                               "named by --controller --as controller; found", as);
    for (int k = 0; k < q.names.count; k++) is_named |= q.names.range[k].lo != q.names.range[k].hi;
    if (is_named) {
        if (has(args, OPT_JSON) || strcmp(as, "text") != 0)
            return bad_input(args, "a list with names is printed --as text; found", as);
        text = irl_dma_named_text(args->cx, irl_dma_new_named(args->cx, q.map, q.shape, &how));
        if (!irl_ok(args->cx)) return failed(args);
        say("%s", text);
        return IRLC_YES;
    }
    const irl_dma_list *list = irl_dma_new(args->cx, q.map, q.shape, &how);
    if (!list) return failed(args);
    text = has(args, OPT_JSON)   ? irl_dma_json(args->cx, list)
           : strcmp(as, "c") == 0 ? irl_dma_c(args->cx, list, value_of(args, OPT_NAME, NULL))
                                  : irl_dma_text(args->cx, list);
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", text);
    return IRLC_YES;
}
