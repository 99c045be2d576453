/* textures.h - what the files of lower_textures share; private to them.

   needs     pass.h */
#ifndef IRL__TEXTURES_H
#define IRL__TEXTURES_H

#include "pass.h"

typedef struct irl__tex_state {
    irl_ctx        *cx;
    const irl_func *f;
    irl__analyzer  *an;
    irl__ptr_map    buffers; /* texture buffer -> itself with its separator */
    irl__ptr_map    owners;  /* data variable -> the first buffer seen on it */
    /* data variable of a temporary -> the constant that all of it holds from the start */
    irl__ptr_map    filled;
} irl__tex_state;

static inline int irl__tex_is(const irl_buffer *b) { return irl__scope_is_image(b->scope); }

/* Elements are texels where they have a texel's lanes; else the last axis is the texel. */
static inline int irl__tex_by_element(const irl_buffer *b) { return b->type.lanes != 1; }

/* ------------------------------------------------------------------ texture_places.c */

typedef struct irl__tex_place {
    /* column, row, layer: as many as the image has dimensions, the others NULL */
    const irl_expr *at[IRL__TEXEL_AXES];
    const irl_expr *lane;                /* NULL: the whole texel */
} irl__tex_place;

/* The buffer with its separators, the user's or by the scope's convention, and the lanes of its
   texel where these are not 4. The hook of the rewriter, whose user is the state. */
IRL__FN const irl_buffer *irl__tex_buffer(irl__rewriter *r, const irl_buffer *b);
/* The place of the element at scalar indices. */
IRL__FN int irl__tex_place_of(irl__tex_state *state, const irl_buffer *b,
                              const irl_expr *const *indices, irl__tex_place *p);
/* The places of all lanes of an access, which are as many as its last index has; and whether they
   are in one texel. */
IRL__FN int irl__tex_places(irl__tex_state *state, const irl_buffer *b,
                            const irl_expr *const *indices, uint32_t *count,
                            irl__tex_place *places);
IRL__FN int irl__tex_one_texel(const irl__tex_place *places, uint32_t count);

/* ------------------------------------------------------------------ texture_nest.c */

/* Loops and conditions from the channel loop down to the store. */
typedef struct irl__tex_nest {
    /* lets written into it, indices and value simplified, over outer and lane */
    const irl_stmt *store;
    /* loops and ifs, outermost first; [0] is the channel loop */
    const irl_stmt *around[IRL_MAX_RANK * 2];
    /* conditions over outer and lane, of the ifs; NULL for loops and for what follows the lane */
    const irl_expr *guard[IRL_MAX_RANK * 2];
    int             count;
    int             lanes;                   /* of a texel of the image that the store goes to */
    const irl_expr *outer, *lane;            /* the channel is outer * lanes + lane */
    const irl_expr *outer_extent;
    const irl_expr *partial;                 /* conditions that leave out lanes; NULL: none */
} irl__tex_nest;

/* True if the loop is such a nest. Binds the variables of the loops inside. */
IRL__FN int irl__tex_nest_find(irl__tex_state *state, const irl_stmt *loop, irl__tex_nest *n);
/* Divides the channel and everything that names it; sorts the conditions. False on failure. */
IRL__FN int irl__tex_nest_divide(irl__tex_state *state, irl__tex_nest *n);
/* The lane of the store is the nest's, and nothing else of its index follows it. */
IRL__FN int irl__tex_nest_is_texel(irl__rewriter *r, const irl__tex_nest *n, irl__tex_place *p);
/* What e, which may follow the lane, is for lane k. */
IRL__FN const irl_expr *irl__tex_at_lane(irl__tex_state *state, const irl__tex_nest *n,
                                         const irl_expr *e, int k);
/* Where the conditions on lanes hold for some lane. */
IRL__FN const irl_expr *irl__tex_some_lane(irl__tex_state *state, const irl__tex_nest *n);
/* The texel is one of the image, whatever the conditions on lanes say. */
IRL__FN int irl__tex_is_inside(irl__tex_state *state, const irl__tex_nest *n);

/* ------------------------------------- texture_unused.c: of a nest with a condition on lanes */

/* Whatever the condition leaves out holds no data. */
IRL__FN int irl__tex_leaves_padding(irl__tex_state *state, const irl__tex_nest *n);
/* A temporary that nothing else writes, unless all of it was filled with a constant first. */
IRL__FN int irl__tex_skipped_lanes_are_undefined(irl__tex_state *state, const irl__tex_nest *n);
/* The filling of padding: the layout's own value, stored exactly where no point lies. */
IRL__FN int irl__tex_is_filling(irl__tex_state *state, const irl__tex_nest *n);
/* What a lane holds that no data goes to: the layout's padding, what it was filled with, or
   anything. */
IRL__FN const irl_expr *irl__tex_filler(irl__tex_state *state, const irl_buffer *b);
/* Sets state->filled. */
IRL__FN void irl__tex_find_filled(irl__tex_state *state);

#endif
