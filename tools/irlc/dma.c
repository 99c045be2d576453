/* dma.c - `irlc dma`: a layout as the transfers of a DMA controller. */
#include "irlc.h"

static irlc_status read_dma_options(const irlc_args *args, irl_dma_options *how,
                                    irl_bit_element *element)
{
    const char *name = value_of(args, OPT_CONTROLLER, NULL), *most = value_of(args, OPT_MOST, NULL),
               *end = most;
    memset(how, 0, sizeof *how);
    how->unpack = has(args, OPT_UNPACK);
    how->split = has(args, OPT_SPLIT);
    how->swap = has(args, OPT_SWAP);
    how->overwrite = has(args, OPT_OVERWRITE);
    how->controller = irl_dma_controller_find(name);
    if (name && !how->controller)
        return no_name(args, "a controller is generic, stm32-gpdma, edma3 or rp2040; found", name,
                       irl_dma_controller_name);
    if (most && (!read_int(&end, &how->most) || *end || how->most < 1))
        return bad_input(args, "--most takes a number of transfers; found", most);
    return read_element(args, &how->element, element, &how->bits);
}

irlc_status command_dma(const irlc_args *args)
{
    irl_dma_options     how;
    irl_bit_element     element;
    const irl_map      *map;
    const irl_dma_list *list;
    irl_shape           shape;
    const char         *as = value_of(args, OPT_AS_TABLE, "text"), *text;
    irlc_status         status = read_map_and_shape(args, &map, &shape);
    if (status == IRLC_YES) status = read_dma_options(args, &how, &element);
    if (status != IRLC_YES) return status;
    if (strcmp(as, "text") != 0 && strcmp(as, "c") != 0)
        return bad_input(args, "transfers are printed --as text or --as c; found", as);
    list = irl_dma_new(args->cx, map, shape, &how);
    if (!list) return failed(args);
    text = has(args, OPT_JSON)   ? irl_dma_json(args->cx, list)
           : strcmp(as, "c") == 0 ? irl_dma_c(args->cx, list, value_of(args, OPT_NAME, NULL))
                                  : irl_dma_text(args->cx, list);
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", text);
    return IRLC_YES;
}
