/* generate_groups.h - kernels of groups whose work-items wait for one another: stages in shared
   memory and in memory of a work-item's own, read at other work-items' places behind a barrier,
   written again behind another, in loops whose iterations end in one. What moves a stage may go
   past a barrier, or let work-items meet.

   needs     generate.h
   promises  a seed gives the same function always, in numbers that are exact, without a race: an
             array is read at other places than a work-item's own only where a barrier stands
             behind its last store, and stored to again only behind the next one */
#ifndef IRL_GENERATE_GROUPS_H
#define IRL_GENERATE_GROUPS_H

enum { GROUPS_STAGES = 4 };

/* An array of the kernel. */
typedef struct groups_array {
    int is_shared, extent;
    int is_stored; /* since the last barrier: read at one's own place alone */
    int is_shown;  /* read elsewhere since then: not to be stored to */
} groups_array;

typedef struct groups {
    gen          g;
    const char  *type;
    int          items, count;
    groups_array arrays[GROUPS_STAGES];
} groups;

static void groups_wait(groups *c)
{
    int k;
    gen_put(&c->g, "        barrier(shared);\n");
    for (k = 0; k < c->count; k++) c->arrays[k].is_stored = c->arrays[k].is_shown = 0;
}

/* An element of an earlier array, or of what is given, where i counts the elements of a stage. */
static void groups_element(groups *c, const char *i)
{
    const int     k = gen_below(&c->g, c->count + 1), by = 1 + gen_below(&c->g, c->items);
    groups_array *a = &c->arrays[k];
    if (k == c->count) {
        gen_put(&c->g, gen_chance(&c->g, 50) ? "x[g, l]" : "x[g, (l + %s) %% %d]", i, c->items);
        return;
    }
    if (!a->is_shared) {
        gen_put(&c->g, "t%d[(%s + %d) %% %d]", k, i, gen_below(&c->g, 2), a->extent);
        return;
    }
    if (a->is_stored || gen_chance(&c->g, 30)) {
        gen_put(&c->g, "t%d[l]", k);
        return;
    }
    a->is_shown = 1;
    if (gen_chance(&c->g, 50)) gen_put(&c->g, "t%d[(l + %d) %% %d]", k, by, c->items);
    else gen_put(&c->g, "t%d[%d - l]", k, c->items - 1);
}

static void groups_value(groups *c, const char *i)
{
    switch (gen_below(&c->g, 3)) {
    case 0:
        gen_put(&c->g, "max(");
        groups_element(c, i);
        gen_put(&c->g, ", ");
        groups_element(c, i);
        gen_put(&c->g, ")");
        break;
    case 1:
        groups_element(c, i);
        gen_put(&c->g, " + ");
        groups_element(c, i);
        break;
    default: groups_element(c, i);
    }
}

/* A stage: all elements of an array of one's own, or one's own element of a shared one. */
static void groups_stage(groups *c)
{
    groups_array *a = &c->arrays[c->count];
    memset(a, 0, sizeof *a);
    a->is_shared = gen_chance(&c->g, 60);
    a->extent = a->is_shared ? c->items : 1 + gen_below(&c->g, 3);
    gen_put(&c->g, "        alloc t%d: %s[%d] scope(%s);\n", c->count, c->type, a->extent,
            a->is_shared ? "shared" : "local");
    if (a->is_shared && gen_chance(&c->g, 30)) gen_put(&c->g, "        t%d[l] = ", c->count);
    else if (a->is_shared) gen_put(&c->g, "        for (i: 1) t%d[l] = ", c->count);
    else gen_put(&c->g, "        for (i: %d) t%d[i] = ", a->extent, c->count);
    if (a->is_shared) groups_value(c, "1");
    else groups_value(c, "i");
    gen_put(&c->g, ";\n");
    a->is_stored = 1;
    c->count++;
    if (a->is_shared ? gen_chance(&c->g, 80) : gen_chance(&c->g, 25)) groups_wait(c);
}

/* One's own elements of an earlier array once more. */
static void groups_again(groups *c)
{
    const int     k = gen_below(&c->g, c->count);
    groups_array *a = &c->arrays[k];
    if (a->is_shared && a->is_shown) groups_wait(c);
    if (a->is_shared) gen_put(&c->g, "        for (i: 1) t%d[l] = ", k);
    else gen_put(&c->g, "        for (i: %d) t%d[i] = ", a->extent, k);
    gen_put(&c->g, gen_chance(&c->g, 50) ? "%s(3)" : "x[g, l] + %s(1)", c->type);
    gen_put(&c->g, ";\n");
    a->is_stored = 1;
    if (gen_chance(&c->g, 60)) groups_wait(c);
}

/* Rounds in which work-items hand on what they have. */
static void groups_rounds(groups *c)
{
    int k = 0;
    while (k < c->count && !c->arrays[k].is_shared) k++;
    if (k == c->count) return;
    if (c->arrays[k].is_shown) groups_wait(c);
    gen_put(&c->g, "        for (r: 2) {\n            for (i: 1) t%d[l] = max(t%d[l], x[g, (l + r) "
            "%% %d]);\n            barrier(shared);\n            for (i: 1) y[g, l] = y[g, l] + "
            "t%d[%d - l];\n            barrier(shared);\n        }\n", k, k, c->items, k,
            c->items - 1);
    for (k = 0; k < c->count; k++) c->arrays[k].is_stored = c->arrays[k].is_shown = 0;
}

static gen_case gen_groups(uint64_t seed)
{
    static const irl_scalar  types[] = { IRL_F32, IRL_U32, IRL_U32, IRL_U64 };
    static const char *const names[] = { "f32", "u32", "u32", "u64" };
    gen_case made;
    groups   c;
    int      k, stages, which, many;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0x9120);
    which = gen_below(&c.g, 4);
    c.type = names[which];
    c.items = 2 << gen_below(&c.g, 2);
    many = 1 + gen_below(&c.g, 2);
    stages = 2 + gen_below(&c.g, GROUPS_STAGES - 1);
    gen_put(&c.g, "func groups(x: %s[%d, %d], y: %s[%d, %d]) {\n    for bind(group.x) (g: %d) for "
            "bind(local.x) (l: %d) {\n", c.type, many, c.items, c.type, many, c.items, many,
            c.items);
    for (k = 0; k < stages; k++) {
        groups_stage(&c);
        if (gen_chance(&c.g, 30)) groups_again(&c);
    }
    if (gen_chance(&c.g, 25)) groups_rounds(&c);
    gen_put(&c.g, "        for (i: 1) y[g, l] = ");
    groups_value(&c, "1");
    gen_put(&c.g, ";\n");
    gen_put(&c.g, "    }\n}\n");
    gen_case_param(&made, "x", types[which], 2, many, c.items);
    gen_case_param(&made, "y", types[which], 2, many, c.items);
    made.text = c.g.text;
    return made;
}

/* What nest number k computes at its place: what an earlier one stored at that place, or at
   another. */
static void nests_value(gen *g, int items, int k)
{
    const int of = gen_below(g, k + 1);
    char      index[32];
    if (gen_chance(g, 70)) sprintf(index, "l%d", k);
    else sprintf(index, "%d - l%d", items - 1, k);
    if (of == k) gen_put(g, "x[g, %s]", index);
    else if (of == 0) gen_put(g, "t[%s]", index);
    else gen_put(g, "y%d[g, %s]", of, index);
}

/* Nests one after the other in a group, whose loops are no work-items yet: l0, l1 ... */
static gen_case gen_group_nests(uint64_t seed)
{
    static const char *const nests[] = { "t[l0]", "y1[g, l1]", "y2[g, l2]", "y3[g, l3]" };
    gen_case made;
    gen      g;
    int      k, items, count;
    memset(&made, 0, sizeof made);
    memset(&g, 0, sizeof g);
    made.seed = seed;
    g.random = seed ^ UINT64_C(0x7e57);
    items = 2 << gen_below(&g, 2);
    count = 2 + gen_below(&g, 3);
    gen_put(&g, "func nests(x: u32[2, %d], y1: u32[2, %d], y2: u32[2, %d], y3: u32[2, %d]) {\n    "
            "for bind(group.x) (g: 2) {\n        alloc t: u32[%d] scope(shared);\n", items, items,
            items, items, items);
    for (k = 0; k < count; k++) {
        if (k && gen_chance(&g, 40)) gen_put(&g, "        barrier(global);\n");
        gen_put(&g, "        for (l%d: %d) %s = ", k, items, nests[k]);
        if (gen_chance(&g, 20)) {
            gen_put(&g, "sum(k: 3, ");
            nests_value(&g, items, k);
            gen_put(&g, " * u32(k + 1));\n");
            continue;
        }
        nests_value(&g, items, k);
        gen_put(&g, " * 3 + ");
        nests_value(&g, items, k);
        gen_put(&g, ";\n");
    }
    gen_put(&g, "    }\n}\n");
    gen_case_param(&made, "x", IRL_U32, 2, 2, items);
    gen_case_param(&made, "y1", IRL_U32, 2, 2, items);
    gen_case_param(&made, "y2", IRL_U32, 2, 2, items);
    gen_case_param(&made, "y3", IRL_U32, 2, 2, items);
    made.text = g.text;
    return made;
}

#endif
