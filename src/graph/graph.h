/* graph.h - graphs: functions as nodes, tensors as edges. graph.c makes one and verifies it,
   parse_graph.c and print_graph.c are its text, special.c writes a node's function for the numbers
   of its arguments, whole.c makes one function of all nodes, lower_graph.c one module.

   needs     text, pass
   promises  a graph that exists is right: every tensor is written once, by an input or by a node
             before all nodes that read it, and types and shapes fit; so it has no cycle. Extents
             are numbers */
#ifndef IRL__GRAPH_H
#define IRL__GRAPH_H

#include "../pass/pass.h"
#include "../func/func.h"
#include "../text/parse.h"
#include "../text/print.h"

/* What is known of a function of a graph. */
typedef struct irl__graph_func {
    const irl_func      *f;
    const unsigned char *is_result; /* of each parameter: the function writes it */
    int                  argument_count, result_count; /* implicit parameters are neither */
} irl__graph_func;

typedef struct irl__graph_tensor {
    irl_graph_tensor is;
    irl_loc          loc;
} irl__graph_tensor;

typedef struct irl__graph_node {
    irl_graph_node         is;
    const irl__graph_func *func;
    irl_loc                loc;
} irl__graph_node;

struct irl_graph {
    irl_ctx                 *cx;
    const char              *name;
    int                      func_count, tensor_count, node_count, input_count, output_count;
    const irl__graph_func  **funcs;   /* of different names */
    irl__graph_tensor       *tensors; /* in the order in which they are written */
    irl__graph_node         *nodes;
    int                     *inputs, *outputs; /* tensors */
};

/* ------------------------------------------------------------------ graph.c: making one */

/* A graph that is being made, in a scratch scope of the caller's. Each step is checked
   as it is made: false with a diagnostic. */
typedef struct irl__graph_maker {
    irl_graph   *g;
    irl__ptr_map funcs;   /* interned name -> irl__graph_func */
    irl__ptr_map tensors; /* interned name -> its number + 1 */
} irl__graph_maker;

/* What stands for a parameter: the name of a tensor, or a constant. */
typedef struct irl__graph_given {
    const char     *tensor; /* interned; NULL: the constant */
    const irl_expr *scalar;
    irl_loc         loc;
} irl__graph_given;

IRL__FN int irl__graph_begin(irl__graph_maker *m, irl_ctx *cx, const char *name);
/* A function that nodes may name. The same one again is no failure; *out may be NULL. */
IRL__FN int irl__graph_add_func(irl__graph_maker *m, const irl_func *f,
                                const irl__graph_func **out);
IRL__FN int irl__graph_add_input(irl__graph_maker *m, const char *name, irl_type type, int rank,
                                 const int64_t *extent, irl_loc loc);
IRL__FN int irl__graph_add_node(irl__graph_maker *m, const irl__graph_func *func, int count,
                                const irl__graph_given *arguments, int result_count,
                                const irl__graph_given *results, irl_loc loc);
IRL__FN int irl__graph_add_output(irl__graph_maker *m, const char *name, irl_loc loc);
/* The graph; NULL on failure. */
IRL__FN irl_graph *irl__graph_end(irl__graph_maker *m);
/* A graph of other nodes than g, with its name and inputs, and at the end with its outputs. */
IRL__FN int irl__graph_begin_as(irl__graph_maker *m, const irl_graph *g);
IRL__FN irl_graph *irl__graph_end_as(irl__graph_maker *m, const irl_graph *g);
/* The parameter of f that takes argument (or result) k of a call; -1: it has not so many. */
IRL__FN int irl__graph_param(const irl__graph_func *func, int k, int is_result);

/* ------------------------------------------------------------------ special.c: copies */

/* What a copy has in the place of things; what it declares itself is new in each copy, so that
   copies may stand beside each other. All tables in scratch memory. */
typedef struct irl__graph_copy {
    irl_ctx     *cx;
    irl__ptr_map vars;    /* variable -> expression */
    irl__ptr_map buffers; /* buffer -> buffer */
    irl__ptr_map kernels; /* interned name -> name, of launches */
    irl__ptr_map plain;   /* pointers to memory that is global and has no separators in the copy */
    int          folds;   /* 1: index expressions that change are simplified */
} irl__graph_copy;

IRL__FN void irl__graph_copy_begin(irl__graph_copy *c, irl_ctx *cx);
/* b and its memory become `to` and its memory; is_plain: and so do views of it. */
IRL__FN int irl__graph_copy_buffer(irl__graph_copy *c, const irl_buffer *b, const irl_buffer *to,
                                   int is_plain);
IRL__FN const irl_stmt *irl__graph_copy_stmt(irl__graph_copy *c, const irl_stmt *s);
/* The node's function with the numbers that its arguments bind in the place of names: its
   parameters are the buffers of the function, in order. NULL on failure. */
IRL__FN irl_func *irl__graph_special(const irl__graph_node *node);
/* Whether two nodes compute the same of what they are given: their functions are one, with the same
   numbers. */
IRL__FN int irl__graph_alike(const irl__graph_node *a, const irl__graph_node *b);

/* ------------------------------------------------------------------ print_graph.c, whole.c */

IRL__FN void irl__print_graph(irl__text *t, const irl_graph *g);
/* All nodes as one function: of node k what is in special[k], made of irl__graph_special's. */
IRL__FN irl_func *irl__graph_whole(const irl_graph *g, const irl_func *const *special);
/* The prototypes of f join the list; false where two of one name differ. */
IRL__FN int irl__graph_add_externs(irl_ctx *cx, irl__extern **list, const irl_func *f);

/* ------------------------------------------------------------------ json_read.c, write_json.c */

enum { IRL__JSON_DEPTH = 64 };

/* A value, in the context's memory. */
typedef struct irl__json irl__json;
struct irl__json {
    char               kind;       /* '{', '[', '"', '0' of numbers, 'n' of null, true and false */
    int                is_integer; /* a number that fits 63 bits */
    int                count;      /* of what stands inside, */
    irl__json         *first;      /* of which this is the first */
    irl__json         *next;       /* beside it */
    const char        *key;        /* of a member of an object */
    const char        *text;       /* of a string */
    int64_t            integer;
    const irl__source *source;
    uint32_t           offset;
};

IRL__FN irl__json *irl__json_read(irl_ctx *cx, const char *text, size_t length, const char *file);
IRL__FN irl_loc    irl__json_loc(const irl__json *v);
/* The first member of that name; NULL: there is none, or v is no object. */
IRL__FN const irl__json *irl__json_member(const irl__json *v, const char *key);
/* "float32x4": a type as graph runtimes of the field name it. */
IRL__FN void irl__graph_dtype(irl__text *t, irl_type type);
/* write_json.c: of a tensor; INT64_MAX where that is no number of 63 bits */
IRL__FN int64_t irl__graph_bytes(const irl_graph_tensor *t);
/* The number of the last node that reads each tensor, or makes it; -1: an input that none reads. */
IRL__FN void irl__graph_last_uses(const irl_graph *g, int *last);
/* parse_graph.c: a constant of that type; NULL with a diagnostic. */
IRL__FN const irl_expr *irl__graph_parse_scalar(irl_ctx *cx, const char *text, irl_type type);

#endif
