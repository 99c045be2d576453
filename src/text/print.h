/* print.h - prints names, expressions, maps and records into a text. The printers of other folders
   use it too.

   needs     text.h */
#ifndef IRL__PRINT_H
#define IRL__PRINT_H

#include "text.h"

/* What is known about a name as a text: does it stand for something now, and the next suffix to try
   if so. */
typedef struct irl__print_used {
    int      in_scope;
    uint64_t suffix;
} irl__print_used;

typedef struct irl__print_name {
    const char *text; /* as it is written */
    size_t      length;
} irl__print_name;

/* What the end of a scope takes back: the use of a name, or (used is NULL) a memory's name. */
typedef struct irl__print_undo {
    irl__print_used *used;
    irl__print_used  before;
    const irl_expr  *memory;
} irl__print_undo;

typedef struct irl__printer {
    irl__text       *t;
    irl_ctx         *cx;    /* NULL: names are written as they are */
    irl__ptr_map     names; /* irl_expr of a variable, irl_buffer -> irl__print_name */
    irl__ptr_map     used;  /* interned name -> irl__print_used */
    const irl_func  *func;  /* that is printed: its prototypes hide operators; or NULL */
    irl__print_undo *undo;
    size_t           undo_count, undo_capacity;
} irl__printer;

/* How the place of an integer constant says its type. */
typedef enum irl__print_place {
    IRL__PLACE_NONE,   /* it does not: a number without a type would be an index */
    IRL__PLACE_TYPED,  /* it does: what stands there without a type takes this one */
    IRL__PLACE_FORCED  /* a number without a type would mean something else */
} irl__print_place;

/* ------------------------------------------------------------------ print_names.c */

IRL__FN void irl__printer_init(irl__printer *p, irl__text *t, irl_ctx *cx);
IRL__FN void irl__print_quoted(irl__text *t, const char *s, char quote); /* with escapes */
/* of what nothing here declares: a function, a key */
IRL__FN void irl__print_symbol(irl__text *t, const char *name);
/* the same as a text of its own; NULL: memory is out */
IRL__FN const char *irl__symbol_text(irl_ctx *cx, const char *name);
/* Gives `thing` a name from here to the end of the scope, or for good (is_free: it is declared
   outside of what is printed). */
IRL__FN const irl__print_name *irl__print_declare(irl__printer *p, const void *thing,
                                                  const char *wanted, int is_free);
IRL__FN const irl__print_name *irl__print_declare_buffer(irl__printer *p, const irl_buffer *b,
                                                         int is_free);
IRL__FN size_t irl__print_open(const irl__printer *p);
IRL__FN void   irl__print_close(irl__printer *p, size_t mark);
IRL__FN void   irl__print_var(irl__printer *p, const irl_expr *var);
IRL__FN void   irl__print_buffer_name(irl__printer *p, const irl_buffer *b);

/* ------------------------------------------------------------------ print_expr.c */

IRL__FN void irl__print_at(irl__printer *p, const irl_expr *e, int least, irl__print_place place);
IRL__FN void irl__print_any(irl__printer *p, const irl_expr *e);
/* If a constant has the name of a const, and nothing else in scope has it, prints the name and
   returns 1. */
IRL__FN int  irl__print_const_name(irl__printer *p, const irl_expr *e, irl__print_place place,
                                   int is_end);
/* a finite number without a type: 0.5 */
IRL__FN void irl__print_decimal(irl__text *t, irl_type type, double value);
/* %e an expression, %p one and its place (irl__print_place), %u an int, %c one whose type its
   place says, %v a variable, %d a variable that is declared here, %b the name of a buffer, %m a
   map, %t a type, %n a name that nothing declares, %s a text, %q one in quotes, %i so many
   levels of indentation, %D a buffer that is declared here, with its type and attributes. Of a
   number and a list: %l expressions, %x those whose types their places say. */
IRL__FN void irl__printf(irl__printer *p, const char *format, ...);
IRL__FN void irl__print_map_with(irl__printer *p, const irl_map *m);
/* name: type[shape] attributes. A buffer whose memory has a name already is a view of it. */
IRL__FN void irl__print_named_buffer(irl__printer *p, const irl_buffer *b, int is_view);
/* A printer for t; the scratch memory that is used until the end is freed then. */
IRL__FN irl__arena_mark irl__print_begin(irl__printer *p, irl__text *t, irl_ctx *cx);
IRL__FN void            irl__print_end(irl__printer *p, irl__arena_mark mark);

/* ------------------------------------------------------------------ print_record.c */

/* What follows the name of a record, from " bytes(18)" on; data: of one in a function, or NULL. */
IRL__FN void irl__print_record_rest(irl__text *t, const irl_record *r, irl__printer *p,
                                    const irl_expr *data);

#endif
