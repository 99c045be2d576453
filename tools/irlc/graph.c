/* graph.c - `irlc graph`: a graph of functions, read, verified and printed, as text or JSON. */
#include "irlc.h"

irlc_status command_graph(const irlc_args *args)
{
    irlc_program p;
    irlc_status  status = read_program(args, &p);
    if (status != IRLC_YES) return status;
    if (!p.graph) return bad_input(args, "the file holds no graph", args->item[0]);
    const char *text = has(args, OPT_JSON) ? irl_graph_json(p.graph) : irl_graph_text(p.graph);
    if (!irl_ok(args->cx)) return failed(args);
    say("%s", text);
    return IRLC_YES;
}
