/* generate_images.h - chains of stages whose parameters and temporaries may lie in images: read
   whole, by a lane, across a border, turned around or summed up; written whole, in parts, twice.
   draw_image_step draws what brings images in, and what then moves the nests that touch them.

   needs     generate.h, draw_schedule.h
   promises  a seed gives the same function always, in numbers that are exact: floats are eighths,
             clamped where they are read behind a sum; integers wrap */
#ifndef IRL_GENERATE_IMAGES_H
#define IRL_GENERATE_IMAGES_H

enum { IMAGES_TENSORS = 8, IMAGES_STAGES = 4, IMAGES_CELLS = 400 };

typedef struct images_tensor {
    char       name[8];
    irl_scalar type;
    int        rank, extent[GEN_AXES];
    int        is_wide;       /* a sum: clamped where it is read */
    int        is_defined;
    char       scope[40];     /* " scope(texture)"; "" */
    char       layout[192];   /* " layout(x: ...)"; "" */
} images_tensor;

typedef struct images {
    gen           g;
    int           is_float, count, blocks;
    images_tensor tensor[IMAGES_TENSORS];
} images;

/* Indices of a nest, one a text. */
typedef char images_index[GEN_AXES][48];

static const char *const images_loops[] = { "i", "j", "k", "l" };

static irl_scalar images_draw_type(images *c)
{
    static const irl_scalar whole[] = { IRL_I32, IRL_U32, IRL_I16, IRL_U16, IRL_I8, IRL_U8 };
    if (c->is_float) return gen_chance(&c->g, 75) ? IRL_F32 : IRL_F16;
    return whole[gen_below(&c->g, 6)];
}

static int images_cells(const images_tensor *t)
{
    int k, cells = 1;
    for (k = 0; k < t->rank; k++) cells *= t->extent[k];
    return cells;
}

/* Most lanes that a texel of this type has. */
static int images_lanes(images *c, irl_scalar type)
{
    const int bits = gen_types[type].bits;
    return bits < 32 && gen_chance(&c->g, 25) ? 128 / bits : 4;
}

/* ------------------------------------------------------------------ where a tensor lies */

/* An image by its own axes, the last of which is a texel. */
static void images_draw_scope(images *c, images_tensor *t)
{
    const int last = t->extent[t->rank - 1];
    int       k;
    if (last != 4 && last * gen_types[t->type].bits != 128) return;
    switch (gen_below(&c->g, 5)) {
    case 0: strcpy(t->scope, " scope(texture:buffer)"); break;
    case 1: if (t->rank > 2) strcpy(t->scope, " scope(texture:weight)"); break;
    case 2: if (t->rank > 3) strcpy(t->scope, " scope(texture:volume)"); break;
    case 3:
        k = 1 + gen_below(&c->g, t->rank - 1);
        if (k < t->rank - 1) sprintf(t->scope, " scope(texture) sep(%d)", k);
        break;
    default: if (t->rank > 2) strcpy(t->scope, " scope(texture)");
    }
}

/* An image by a layout: some axis in texels, a separator somewhere in front of it. */
static void images_draw_layout(images *c, images_tensor *t)
{
    static const char *const scopes[] = { "texture", "texture", "texture:weight",
                                          "texture:buffer" };
    const int   lanes = images_lanes(c, t->type), axis = gen_below(&c->g, t->rank);
    const int   is_line = gen_chance(&c->g, 20);
    const int   bar = gen_below(&c->g, t->rank); /* in front of which output */
    const char *name = images_loops[axis];
    char        ins[40] = "", outs[96] = "";
    int         k, at = 1;
    for (k = 0; k < t->rank; k++)
        sprintf(ins + strlen(ins), "%s%s", k ? ", " : "", images_loops[k]);
    sprintf(outs, "%s / %d", name, lanes);
    for (k = 0; k < t->rank; k++) {
        if (k == axis) continue;
        if (at++ == bar && !is_line) strcat(outs, ", |");
        sprintf(outs + strlen(outs), ", %s", images_loops[k]);
    }
    if (!bar && !is_line) strcat(outs, ", |, 0");
    sprintf(outs + strlen(outs), ", %s %% %d", name, lanes);
    sprintf(t->layout, "\n    layout(%s: (%s) -> (%s)%s)", t->name, ins, outs,
            gen_chance(&c->g, 20) ? ", pad(0)" : "");
    sprintf(t->scope, " scope(%s)", is_line ? "texture:buffer" : scopes[gen_below(&c->g, 3)]);
}

static images_tensor *images_new(images *c, const char *name, irl_scalar type, int rank,
                                 const int *extent)
{
    images_tensor *t = &c->tensor[c->count++];
    memset(t, 0, sizeof *t);
    strcpy(t->name, name);
    t->type = type;
    t->rank = rank;
    memcpy(t->extent, extent, (size_t)rank * sizeof *extent);
    return t;
}

static void images_place(images *c, images_tensor *t, int percent)
{
    if (!gen_chance(&c->g, percent)) return;
    if (gen_chance(&c->g, 55)) images_draw_scope(c, t);
    else images_draw_layout(c, t);
}

static void images_shape(images *c, const images_tensor *t)
{
    int k;
    gen_put(&c->g, "%s: %s[", t->name, gen_text(t->type));
    for (k = 0; k < t->rank; k++) gen_put(&c->g, "%s%d", k ? ", " : "", t->extent[k]);
    gen_put(&c->g, "]%s", t->scope);
}

/* ------------------------------------------------------------------ values */

static void images_at(images *c, const images_tensor *t, images_index at)
{
    int k;
    gen_put(&c->g, "%s[", t->name);
    for (k = 0; k < t->rank; k++) gen_put(&c->g, "%s%s", k ? ", " : "", at[k]);
    gen_put(&c->g, "]");
}

/* A load as a value of another type. */
static void images_load(images *c, const images_tensor *t, images_index at, irl_scalar as)
{
    const char *type = gen_text(t->type);
    if (as != t->type) gen_put(&c->g, "%s(", gen_text(as));
    if (t->is_wide && c->is_float) gen_put(&c->g, "min(max(");
    images_at(c, t, at);
    if (t->is_wide && c->is_float) gen_put(&c->g, ", %s(-16)), %s(16))", type, type);
    if (as != t->type) gen_put(&c->g, ")");
}

static void images_constant(images *c, irl_scalar type)
{
    gen_put(&c->g, "%s(%d)", gen_text(type), gen_below(&c->g, 4));
}

/* What stage makes of a tensor. */
typedef enum images_kind {
    IMAGES_POINT, IMAGES_ADD, IMAGES_PAD, IMAGES_GUARD, IMAGES_TURN, IMAGES_BACK, IMAGES_STENCIL,
    IMAGES_TRANSPOSE, IMAGES_SUM, IMAGES_WINDOW, IMAGES_LANE, IMAGES_SPLIT, IMAGES_JOIN,
    IMAGES_KINDS
} images_kind;

typedef struct images_stage {
    images_kind          kind;
    int                  axis, other; /* of the source */
    const images_tensor *x, *z;       /* the source, and one of the same shape */
    int                  rank, extent[GEN_AXES], terms;
} images_stage;

static int images_fits(const images *c, const images_stage *s)
{
    const images_tensor *x = s->x;
    const int            last = x->extent[x->rank - 1];
    switch (s->kind) {
    case IMAGES_STENCIL: case IMAGES_WINDOW: return x->extent[s->axis] > 3;
    case IMAGES_TRANSPOSE: return s->axis != s->other;
    case IMAGES_SUM: return x->rank > 2 && x->extent[s->axis] < 7;
    case IMAGES_SPLIT: return x->rank < GEN_AXES && last % 4 == 0 && last > 4;
    case IMAGES_JOIN: return x->rank > 2;
    case IMAGES_PAD: return images_cells(x) < IMAGES_CELLS;
    default: return c->count > 0;
    }
}

/* The shape of what it makes. */
static void images_made(images_stage *s)
{
    const images_tensor *x = s->x;
    int                  k, swap;
    s->rank = x->rank;
    s->terms = s->kind == IMAGES_SUM ? x->extent[s->axis] : s->kind == IMAGES_WINDOW ? 3 : 0;
    memcpy(s->extent, x->extent, sizeof s->extent);
    switch (s->kind) {
    case IMAGES_PAD: s->extent[s->axis] += 2; break;
    case IMAGES_STENCIL: case IMAGES_WINDOW: s->extent[s->axis] -= 2; break;
    case IMAGES_TRANSPOSE:
        swap = s->extent[s->axis];
        s->extent[s->axis] = s->extent[s->other];
        s->extent[s->other] = swap;
        break;
    case IMAGES_SUM:
        for (k = s->axis; k + 1 < s->rank; k++) s->extent[k] = s->extent[k + 1];
        s->rank--;
        break;
    case IMAGES_SPLIT:
        s->extent[s->rank - 1] /= 4;
        s->extent[s->rank++] = 4;
        break;
    case IMAGES_JOIN:
        s->rank--;
        s->extent[s->rank - 1] *= s->extent[s->rank];
        break;
    default: break;
    }
}

/* The value of a cell whose indices are `at`, and a term of a sum. */
static void images_value(images *c, const images_stage *s, images_index at, const char *term,
                         irl_scalar as)
{
    const images_tensor *x = s->x;
    const int            extent = x->extent[s->axis], last = x->rank - 1;
    const char          *own = at[s->axis];
    images_index         from, other;
    int                  k;
    memcpy(from, at, sizeof from);
    memcpy(other, at, sizeof other);
    switch (s->kind) {
    case IMAGES_PAD:
        gen_put(&c->g, "%s >= 1 && %s < %d ? ", own, own, extent + 1);
        sprintf(from[s->axis], "%s - 1", own);
        break;
    case IMAGES_GUARD:
        gen_put(&c->g, "%s >= 1 ? ", own);
        sprintf(from[s->axis], "%s - 1", own);
        break;
    case IMAGES_TURN: sprintf(from[s->axis], "(%s + 1) %% %d", own, extent); break;
    case IMAGES_BACK: sprintf(from[s->axis], "%d - %s", extent - 1, own); break;
    case IMAGES_STENCIL:
        sprintf(from[s->axis], "%s + 2", own);
        break;
    case IMAGES_TRANSPOSE:
        strcpy(from[s->axis], at[s->other]);
        strcpy(from[s->other], at[s->axis]);
        break;
    case IMAGES_SUM:
        for (k = last; k > s->axis; k--) strcpy(from[k], at[k - 1]);
        strcpy(from[s->axis], term);
        break;
    case IMAGES_WINDOW: sprintf(from[s->axis], "%s + %s", own, term); break;
    case IMAGES_LANE: sprintf(from[s->axis], "%d", s->other % extent); break;
    case IMAGES_SPLIT: sprintf(from[last], "%s * 4 + %s", at[last], at[last + 1]); break;
    case IMAGES_JOIN:
        sprintf(from[last - 1], "%s / %d", at[last - 1], x->extent[last]);
        sprintf(from[last], "%s %% %d", at[last - 1], x->extent[last]);
        break;
    default: break;
    }
    if (s->kind == IMAGES_POINT) gen_put(&c->g, "max(");
    images_load(c, x, from, as);
    switch (s->kind) {
    case IMAGES_POINT:
        gen_put(&c->g, ", ");
        images_constant(c, as);
        gen_put(&c->g, ")");
        break;
    case IMAGES_PAD: case IMAGES_GUARD:
        gen_put(&c->g, " : ");
        images_constant(c, as);
        break;
    case IMAGES_ADD: case IMAGES_STENCIL:
        gen_put(&c->g, " + ");
        images_load(c, s->kind == IMAGES_ADD ? s->z : x, other, as);
        break;
    default: break;
    }
}

/* ------------------------------------------------------------------ nests */

/* The loops of a nest over a shape, in some order; the last with `first` .. `end` of the axis
   `cut`, -1: whole. */
static void images_nest(images *c, const images_stage *s, int cut, int first, int end)
{
    static const char *const kinds[] = { "", "", "", "", "", "", "", "parallel ", "unrolled " };
    int                      order[GEN_AXES], k, with, swap;
    for (k = 0; k < s->rank; k++) order[k] = k;
    for (k = 0; k + 1 < s->rank && gen_chance(&c->g, 30); k++) {
        with = gen_between(&c->g, k, s->rank - 1);
        swap = order[k], order[k] = order[with], order[with] = swap;
    }
    gen_put(&c->g, "    for %s(", kinds[gen_below(&c->g, 9)]);
    for (k = 0; k < s->rank; k++) {
        gen_put(&c->g, "%s%s: ", k ? ", " : "", images_loops[order[k]]);
        if (order[k] == cut) gen_put(&c->g, "%d .. %d", first, end);
        else gen_put(&c->g, "%d", s->extent[order[k]]);
    }
    gen_put(&c->g, ") ");
}

/* The head of a block over the loops, `, s: reduce(n) = r` of a sum; its indices. */
static void images_block(images *c, const images_stage *s, images_index at, int has_terms)
{
    static const char *const axes[] = { "a", "b", "d", "e" };
    int                      k;
    gen_put(&c->g, "block b%d(", c->blocks++);
    for (k = 0; k < s->rank; k++) {
        gen_put(&c->g, "%s%s: spatial(%d) = %s", k ? ", " : "", axes[k], s->extent[k],
                images_loops[k]);
        strcpy(at[k], axes[k]);
    }
    if (has_terms) gen_put(&c->g, ", s: reduce(%d) = r", s->terms);
    gen_put(&c->g, ") ");
}

/* A cell is value; `cut` as of images_nest. */
static void images_cell(images *c, const images_stage *s, const images_tensor *to, int cut,
                        int first, int end)
{
    const int    is_block = gen_chance(&c->g, 45);
    images_index at;
    int          k;
    for (k = 0; k < GEN_AXES; k++) strcpy(at[k], images_loops[k]);
    images_nest(c, s, cut, first, end);
    if (is_block) images_block(c, s, at, 0);
    if (is_block) gen_put(&c->g, "{ ");
    images_at(c, to, at);
    gen_put(&c->g, " = ");
    images_value(c, s, at, "", to->type);
    gen_put(&c->g, is_block ? "; }\n" : ";\n");
}

/* A sum, in one line, as two statements, or as a block with an init. */
static void images_sum(images *c, const images_stage *s, const images_tensor *to)
{
    const int    form = gen_below(&c->g, 3);
    const char  *type = gen_text(to->type);
    images_index at;
    int          k;
    for (k = 0; k < GEN_AXES; k++) strcpy(at[k], images_loops[k]);
    images_nest(c, s, -1, 0, 0);
    if (form == 0) {
        images_at(c, to, at);
        gen_put(&c->g, " = sum(r: %d, ", s->terms);
        images_value(c, s, at, "r", to->type);
        gen_put(&c->g, ");\n");
        return;
    }
    if (form == 2) {
        gen_put(&c->g, "for (r: %d) ", s->terms);
        images_block(c, s, at, 1);
    }
    gen_put(&c->g, form == 1 ? "{ " : "{ init ");
    images_at(c, to, at);
    gen_put(&c->g, " = %s(0); ", type);
    if (form == 1) gen_put(&c->g, "for (r: %d) ", s->terms);
    images_at(c, to, at);
    gen_put(&c->g, " = ");
    images_at(c, to, at);
    gen_put(&c->g, " + ");
    images_value(c, s, at, form == 1 ? "r" : "s", to->type);
    gen_put(&c->g, "; }\n");
}

/* Each cell in one nest, in two that share them out, or twice. */
static void images_cells_of(images *c, images_stage *s, const images_tensor *to)
{
    const int axis = gen_chance(&c->g, 50) ? s->rank - 1 : gen_below(&c->g, s->rank);
    const int extent = s->extent[axis], middle = 1 + gen_below(&c->g, extent - 1);
    if (extent > 1 && gen_chance(&c->g, 18)) {
        images_cell(c, s, to, axis, 0, middle);
        images_cell(c, s, to, axis, middle, extent);
    } else {
        images_cell(c, s, to, -1, 0, 0);
        if (gen_chance(&c->g, 10)) images_cell(c, s, to, axis, middle - 1, extent);
    }
}

/* ------------------------------------------------------------------ stages */

/* A tensor that is known, more often the last; one of the same shape; the kind. */
static void images_choose(images *c, images_stage *s)
{
    int k, from;
    do {
        do from = gen_chance(&c->g, 65) ? c->count - 1 : gen_below(&c->g, c->count);
        while (!c->tensor[from].is_defined);
        s->x = s->z = &c->tensor[from];
        for (k = 0; k < c->count; k++)
            if (c->tensor[k].is_defined && c->tensor[k].rank == s->x->rank &&
                memcmp(c->tensor[k].extent, s->x->extent, sizeof s->x->extent) == 0)
                s->z = &c->tensor[k];
        s->kind = (images_kind)gen_below(&c->g, IMAGES_KINDS);
        s->axis = gen_below(&c->g, s->x->rank);
        s->other = gen_below(&c->g, s->x->rank);
    } while (!images_fits(c, s));
    images_made(s);
}

static void images_stage_of(images *c, const char *name)
{
    const int      is_last = *name == 'y';
    images_stage   s;
    images_tensor *to;
    images_choose(c, &s);
    to = images_new(c, name, images_draw_type(c), s.rank, s.extent);
    images_place(c, to, is_last ? 35 : 45);
    if (!is_last) {
        gen_put(&c->g, "    alloc ");
        images_shape(c, to);
        gen_put(&c->g, ";\n");
    }
    if (s.terms) images_sum(c, &s, to);
    else images_cells_of(c, &s, to);
    to->is_wide = s.terms || s.kind == IMAGES_ADD || s.kind == IMAGES_STENCIL;
    to->is_defined = 1;
}

static void images_param(gen_case *made, const images_tensor *t)
{
    gen_case_param(made, t->name, t->type, t->rank, t->extent[0], t->extent[1]);
    memcpy(made->params[made->param_count - 1].extent, t->extent, sizeof t->extent);
}

static gen_case gen_images(uint64_t seed)
{
    static const int texels[] = { 4, 4, 4, 8, 8, 16, 3, 6 };
    gen_case made;
    images   c;
    char    *body, name[8];
    int      k, extent[GEN_AXES], stages, rank, inputs;
    memset(&made, 0, sizeof made);
    memset(&c, 0, sizeof c);
    made.seed = seed;
    c.g.random = seed ^ UINT64_C(0x1a6e5);
    c.is_float = gen_chance(&c.g, 60);
    inputs = 1 + gen_chance(&c.g, 40);
    rank = 2 + gen_below(&c.g, 3);
    for (k = 0; k < rank; k++) extent[k] = 1 + gen_below(&c.g, rank == 4 ? 4 : 6);
    extent[rank - 1] = texels[gen_below(&c.g, 8)];
    for (k = 0; k < inputs; k++) {
        images_tensor *t = images_new(&c, k ? "z" : "x", images_draw_type(&c), rank, extent);
        images_place(&c, t, 50);
        t->is_defined = 1;
        images_param(&made, t);
    }
    stages = 1 + gen_below(&c.g, IMAGES_STAGES);
    for (k = 0; k < stages; k++) {
        snprintf(name, sizeof name, k + 1 == stages ? "y" : "t%d", k);
        images_stage_of(&c, name);
    }
    images_param(&made, &c.tensor[c.count - 1]);
    body = c.g.text; /* the last stage said what y is */
    c.g.text = NULL;
    c.g.length = c.g.capacity = 0;
    gen_put(&c.g, "func images(");
    for (k = 0; k < inputs; k++) {
        images_shape(&c, &c.tensor[k]);
        gen_put(&c.g, ", ");
    }
    images_shape(&c, &c.tensor[c.count - 1]);
    gen_put(&c.g, ")");
    for (k = 0; k < c.count; k++) gen_put(&c.g, "%s", c.tensor[k].layout);
    gen_put(&c.g, " {\n%s}\n", body);
    free(body);
    made.text = c.g.text;
    return made;
}

/* ------------------------------------------------------------------ steps */

/* A copy in an image, by a map or without, of what a block reads or writes. */
static inline void draw_image_copy(const names *n, int b, char *out, size_t room)
{
    static const char *const scopes[] = { "texture", "texture", "texture:weight", "texture:volume",
                                          "texture:buffer", "global", "local" };
    static const char *const maps[] = {
        "", "", "", ", (..., c) -> (..., c / 4, c % 4)", ", (c, ...) -> (c / 4, ..., c % 4)",
        ", (i, c) -> (i, c / 4, c % 4)", ", (i, j, c) -> (i, c / 4, j, c % 4)",
        ", (i, j, c) -> (c / 4, i, |, j, c % 4)", ", (i, j, c) -> (j, |, i, |, c / 4, c % 4)",
        ", (n, i, j, c) -> (n, c / 4, i, |, j, c % 4)", ", (i, ..., c) -> (..., i, c)",
        ", (..., c) -> (..., c / 8, c % 8)", ", (i, c) -> (c / 4, i, c % 4)",
        ", (i, j, c) -> (j, i, c)", ", (i, c) -> (0, i, c)"
    };
    static const char *const reads[] = {
        "(i, c) -> (i, c / 4, c % 4)", "(i, j, c) -> (i, c / 4, j, c % 4)",
        "(i, j, c) -> (j, i, c)", "(n, i, j, c) -> (n, c / 4, i, j, c % 4)",
        "(i, j, c, r) -> (i, j, c / 4, r, c % 4)", "(i, j) -> (i / 4, j, i % 4)"
    };
    const char *scope = scopes[draw(7)], *block = n->block[b];
    const char *buffer = n->buffer[draw(n->buffers)], *map = maps[draw(15)];
    const char *reader = n->block[b + 1 < n->blocks ? b + 1 : draw(n->blocks)];
    const int   by_number = draw(2);
    char        which[NAME_ROOM];
    snprintf(which, sizeof which, "%s", buffer);
    if (by_number) snprintf(which, sizeof which, "%d", draw(2));
    switch (draw(8)) {
    case 0: case 1: case 2:
        snprintf(out, room, "{ cache_read(%s, %s, %s%s); }", block, which, scope, map);
        break;
    case 3:
        snprintf(out, room, "{ cache_read(%s, %s, %s%s, %s); }", block, which, scope, map, block);
        break;
    case 4: snprintf(out, room, "{ cache_write(%s, 0, %s); }", block, scope); break;
    case 5: snprintf(out, room, "{ cache_write(%s, 0, %s, %s); }", block, scope, reader); break;
    case 6:
        snprintf(out, room, "{ reindex_cache_%s(%s, %s, %s, %s); }", draw(3) ? "read" : "write",
                 block, draw(2) ? "0" : which, scope, reads[draw(6)]);
        break;
    default: snprintf(out, room, "{ cache_padded(%s, %s, %s); }", block, buffer, scope); break;
    }
}

/* How a temporary lies, or a parameter. */
static inline void draw_image_layout(const char *block, const char *buffer, char *out, size_t room)
{
    static const char *const maps[] = {
        "(..., c) -> (..., c / 4, c % 4)", "(c, ...) -> (c / 4, ..., c % 4)",
        "(..., i, j) -> (..., j, i)",      "(i, j, c) -> (i, c / 4, j, c % 4)",
        "(..., c) -> (..., c / 2, c % 2)", "(i, ...) -> (..., i)",
        "(i, j, c) -> (j, i, c)",          "(i, j, ..., c) -> (i, j, ..., c / 4, c % 4)"
    };
    static const char *const scopes[] = { "texture", "texture:weight", "global", "local",
                                          "texture:buffer" };
    static const char *const pads[] = { "", ", pad = 0", ", pad = \"any\"" };
    switch (draw(5)) {
    case 0: snprintf(out, room, "{ set_scope(%s, %s, %s); }", block, buffer, scopes[draw(5)]);
        break;
    case 1:
        snprintf(out, room, "{ set_axis_separator(%s, %s, %d); }", block, buffer, 1 + draw(3));
        break;
    case 2: snprintf(out, room, "{ storage_align(%s, %s, -2, 4, 1); }", block, buffer); break;
    default:
        snprintf(out, room, "{ transform_layout(%s, %s, %s%s); }", block, buffer, maps[draw(8)],
                 pads[draw(3)]);
        break;
    }
}

/* What brings images in, and moves what touches them. 0: there is none. */
static inline int draw_image_step(const names *n, char *out, size_t room)
{
    two_blocks  two;
    const char *block, *loop;
    if (!draw_two_blocks(n, &two)) return 0;
    block = two.block;
    loop = two.loop;
    switch (draw(24)) {
    case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7:
        draw_image_copy(n, two.at, out, room);
        break;
    case 8: case 9: draw_image_layout(block, n->buffer[draw(n->buffers)], out, room); break;
    case 10: case 11: snprintf(out, room, "{ compute_at(%s, %s); }", block, two.other); break;
    case 12: snprintf(out, room, "{ reverse_compute_at(%s, %s); }", two.next, loop); break;
    case 13: snprintf(out, room, "{ compute_inline(%s); }", block); break;
    case 14: snprintf(out, room, "{ reverse_compute_inline(%s); }", block); break;
    case 15: snprintf(out, room, "{ merge(%s, %s); }", loop, two.other); break;
    case 16: snprintf(out, room, "{ vectorize(%s); }", loop); break;
    case 17: snprintf(out, room, "{ bind(%s, global.%c); }", loop, "xy"[draw(2)]); break;
    case 18: snprintf(out, room, "{ split(%s, %d); }", loop, 2 + 2 * draw(2)); break;
    case 19: snprintf(out, room, "{ decompose_reduction(%s, %s); }", block, loop); break;
    case 20: snprintf(out, room, "{ decompose_padding(%s, %s); }", block, loop); break;
    case 21: snprintf(out, room, "{ rolling_buffer(%s, %s); }", block, loop); break;
    case 22: snprintf(out, room, draw(2) ? "{ reindex(%s, 0); }" : "{ reindex(%s, 1); }", block);
        break;
    default: snprintf(out, room, "{ %s(%s); }", draw(2) ? "unroll" : "parallel", loop); break;
    }
    return 1;
}

#endif
