/* place_graph.h - places drawn for the tensors of a generated graph: layouts, and images.

   needs     irlayout.h
   promises  of a graph whose functions take them (generate_graph.h), the same for the same state */
#ifndef PLACE_GRAPH_H
#define PLACE_GRAPH_H

typedef struct collect_state {
    irl_ctx *cx;
    uint64_t state;
    int      has_images;
} collect_state;

/* Is it an input, or the only result of its node? */
static inline int is_alone(const irl_graph *g, int node)
{
    const irl_graph_node *n = irl_graph_node_of(g, node);
    int                   k, results = 0;
    for (k = 0; n && k < irl_func_param_count(n->func); k++) results += n->is_result[k];
    return results < 2;
}

/* Any of a few layouts for what nobody states. */
static inline int collect_random(void *user, const irl_graph *g, irl_graph_place *places)
{
    static const char *const maps[4][3] = {
        { "(i) -> (i)", "(i) -> (i / 4, i % 4)", "(i) -> (i + 1)" },
        { "(i, j) -> (j, i)", "(i, j) -> (j / 4, i, j % 4)", "(i, j) -> (i, j + i % 2)" },
        { "(i, j, k) -> (k, i, j)", "(i, j, k) -> (k / 4, i, j, k % 4)", "(i, j, k) -> (j, i, k)" },
        { "(i, j, k, l) -> (i, l / 4, j, k, l % 4)", "(i, j, k, l) -> (l, k, j, i)",
          "(i, j, k, l) -> (i, j, k, l)" },
    };
    collect_state *at = (collect_state *)user;
    uint64_t      *state = &at->state;
    int            k;
    for (k = 0; k < irl_graph_tensor_count(g); k++) {
        const int rank = irl_graph_tensor_of(g, k)->shape.rank;
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        if (places[k].reason || rank < 1 || rank > 4 || *state >> 62 == 3) continue;
        if (at->has_images && rank < 3 && (*state >> 40) % 3 && /* padded, where it must be */
            is_alone(g, irl_graph_tensor_of(g, k)->node)) {
            places[k].map =
                irl_map_parse(at->cx, rank == 2 ? "(i, j) -> (i, |, j / 4, j % 4)"
                                                : "(i) -> (i / 8, |, i / 4 % 2, i % 4)");
            places[k].scope = IRL_SCOPE_TEXTURE;
            continue;
        }
        places[k].map = irl_map_parse(at->cx, maps[rank - 1][*state >> 60 & 3 ? *state >> 62 : 0]);
    }
    return 1;
}

#endif
