/* generate_tiles.h - functions without a kernel, that schedules make groups of work-items of: one
   to three stages over two or three axes, which read the stage before at the same place, beside it,
   transposed, or sum over it; as nests, as blocks, or several stores in one nest.

   needs     generate.h
   promises  a seed gives the same function always, in numbers that are exact */
#ifndef IRL_GENERATE_TILES_H
#define IRL_GENERATE_TILES_H

enum { TILES_STAGES = 4 };

typedef struct tiles {
    gen         g;
    const char *type;
    int         rows, columns;
    char        from[16]; /* the stage before */
} tiles;

static void tiles_read(tiles *c, const char *sum)
{
    const int    r = c->rows, k = c->columns;
    const char  *from = gen_chance(&c->g, 80) ? c->from : "x";
    if (sum && r == k && gen_chance(&c->g, 40)) {
        gen_put(&c->g, gen_chance(&c->g, 50) ? "%s[%s, j]" : "%s[j, %s]", from, sum);
        return;
    }
    if (sum) {
        gen_put(&c->g, gen_chance(&c->g, 50) ? "%s[i, %s]" : "%s[i, (j + %s) %% %d]", from, sum, k);
        return;
    }
    switch (gen_below(&c->g, 6)) {
    case 0: gen_put(&c->g, "%s[i, %d - j]", from, k - 1); break;
    case 1: gen_put(&c->g, "%s[(i + 1) %% %d, j]", from, r); break;
    case 2:
        gen_put(&c->g, "(j >= 1 ? %s[i, j - 1] : %s(0))", from, c->type);
        break;
    case 3: gen_put(&c->g, r == k ? "%s[j, i]" : "%s[i, j]", from); break;
    default: gen_put(&c->g, "%s[i, j]", from);
    }
}

static void tiles_stage(tiles *c, const char *to)
{
    const int r = c->rows, k = c->columns;
    switch (gen_below(&c->g, 6)) {
    case 0:
        gen_put(&c->g, "    for (i: %d, j: %d) %s[i, j] = sum(k: %d, ", r, k, to, k);
        tiles_read(c, "k");
        gen_put(&c->g, " * ");
        tiles_read(c, "k");
        gen_put(&c->g, ");\n");
        break;
    case 1:
        gen_put(&c->g, "    for (i: %d, j: %d) %s[i, j] = max(k: %d, ", r, k, to, k);
        tiles_read(c, "k");
        gen_put(&c->g, ");\n");
        break;
    case 2:
        gen_put(&c->g, "    for (i: %d, j: %d) {\n        %s[i, j] = ", r, k, to);
        tiles_read(c, NULL);
        gen_put(&c->g, ";\n        for (k: %d) %s[i, j] = %s[i, j] + ", 1 + gen_below(&c->g, k), to,
                to);
        tiles_read(c, "k");
        gen_put(&c->g, ";\n    }\n");
        break;
    case 3:
        gen_put(&c->g, "    for (i: %d, j: %d)\n        block %s(a: spatial(%d) = i, b: spatial(%d)"
                " = j) { %s[a, b] = %s[a, b] + x[a, %d - b]; }\n", r, k, to, r, k, to, c->from,
                k - 1);
        break;
    default:
        gen_put(&c->g, "    for (i: %d, j: %d) %s[i, j] = ", r, k, to);
        tiles_read(c, NULL);
        gen_put(&c->g, " + ");
        tiles_read(c, NULL);
        gen_put(&c->g, ";\n");
    }
}

static inline gen_case gen_tiles(uint64_t seed)
{
    static const irl_scalar  types[] = { IRL_I32, IRL_I32, IRL_U8, IRL_U64 };
    static const char *const names[] = { "i32", "i32", "u8", "u64" };
    static const char *const scopes[] = { "", "", "", "", "", " scope(shared)", " scope(local)",
                                          " scope(local)" };
    gen_case made;
    tiles    c;
    char     name[16];
    int      k, which, stages;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0x71e5);
    which = gen_below(&c.g, 4);
    c.type = names[which];
    c.rows = 2 + gen_below(&c.g, 5);
    c.columns = gen_chance(&c.g, 40) ? c.rows : 2 + gen_below(&c.g, 5);
    stages = 1 + gen_below(&c.g, TILES_STAGES - 1);
    strcpy(c.from, "x");
    gen_put(&c.g, "func tiles(x: %s[%d, %d], y: %s[%d, %d]) {\n", c.type, c.rows, c.columns, c.type,
            c.rows, c.columns);
    for (k = 0; k < stages; k++) {
        if (k + 1 == stages) strcpy(name, "y");
        else {
            snprintf(name, sizeof name, "t%d", k);
            gen_put(&c.g, "    alloc %s: %s[%d, %d]%s;\n", name, c.type, c.rows, c.columns,
                    scopes[gen_below(&c.g, 8)]);
        }
        tiles_stage(&c, name);
        strcpy(c.from, name);
    }
    gen_put(&c.g, "}\n");
    gen_case_param(&made, "x", types[which], 2, c.rows, c.columns);
    gen_case_param(&made, "y", types[which], 2, c.rows, c.columns);
    made.text = c.g.text;
    return made;
}

#endif
