/* base.h - what every folder of src may use: the context, memory, names, diagnostics, text.

   needs     config.h, stb_ds's array macros
   promises  a failed allocation is a diagnostic in the context and a NULL to the caller; nothing
             leaks on any path, because all memory belongs to an arena of the context */
#ifndef IRL__BASE_H
#define IRL__BASE_H

#include "config.h"
#ifdef IRL_SPLIT_BUILD
#include "ds_begin.h" /* in the single translation unit irlayout.h has included it already */
#endif

/* ------------------------------------------ checked.c: true when *out holds the exact result */

IRL__FN int irl__add64(int64_t a, int64_t b, int64_t *out);
IRL__FN int irl__sub64(int64_t a, int64_t b, int64_t *out);
IRL__FN int irl__mul64(int64_t a, int64_t b, int64_t *out);
/* Floor division and modulo; b != 0, and false for INT64_MIN / -1. */
IRL__FN int irl__floordiv64(int64_t a, int64_t b, int64_t *out);
IRL__FN int irl__floormod64(int64_t a, int64_t b, int64_t *out);
/* non-negative; gcd(0, 0) = 0; 1 where it would be 2^63 */
IRL__FN int64_t irl__gcd64(int64_t a, int64_t b);
/* x with a*x = 1 modulo n, n >= 1 and 0 <= x < n; 0 if there is none. */
IRL__FN int64_t irl__reciprocal64(int64_t a, int64_t n);

/* ------------------------------------ identifier.c: names that are free in a language */

typedef struct irl__word_row irl__word_row;
/* The words that a language has taken: C and C++, OpenCL C, GLSL, C with OpenCL's header. */
typedef const irl__word_row *irl__tongue(void);
IRL__FN const irl__word_row *irl__words_of_c(void);
IRL__FN const irl__word_row *irl__words_of_opencl(void);
IRL__FN const irl__word_row *irl__words_of_glsl(void);
IRL__FN const irl__word_row *irl__words_of_host(void);
enum { IRL__IDENTIFIER_MAX = 48 }; /* characters of a name before a prefix or a number */
/* Whether a character may be part of an identifier, a text is one in any language. */
IRL__FN int irl__in_identifier(char c);
IRL__FN int irl__has_identifier_form(const char *name);
/* Whether the language or a printer has the name already, or it has a form that C reserves. */
IRL__FN int irl__is_taken(irl__tongue *tongue, const char *name, size_t length);
/* Whether the name can be printed as it is. */
IRL__FN int irl__is_identifier(irl__tongue *tongue, const char *name);
/* Writes the identifier that is most like a name, with its NUL, to `out`, which has room for
   IRL__IDENTIFIER_MAX + 3; returns its length. A name that is taken gets "v_" before it: no word
   of any language starts so. */
IRL__FN size_t irl__identifier(irl__tongue *tongue, const char *wish, char *out);

/* ----------------------------------------------- a context and what it is made of: context.c */

typedef struct irl__chunk irl__chunk;
struct irl__chunk {
    irl__chunk *next;
    size_t      capacity, used; /* bytes behind this header */
};

typedef struct irl__arena {
    irl__chunk *first, *current;
} irl__arena;

typedef struct irl__arena_mark {
    irl__chunk *chunk;
    size_t      used;
} irl__arena_mark;

/* A thing that a table holds once: the header of every interned string and expression. */
typedef struct irl__interned irl__interned;
struct irl__interned {
    irl__interned
        *next; /* in its bucket, newest first: that makes irl_ctx_rewind a stack of pops */
    irl__interned *older; /* in the order of creation */
    uint32_t       hash;
    uint16_t       is_operand; /* of an expression: another has been made over it */
    /* of an expression: the verifier has seen that its type follows from its operands' */
    uint16_t       is_typed;
};

typedef struct irl__intern_hash {
    irl__interned **buckets;
    size_t          bucket_count, count; /* bucket_count is a power of two */
    irl__interned  *newest;
} irl__intern_hash;

/* A caller's block served as an allocator: a bump pointer that can take back the last piece. */
typedef struct irl__memory_block {
    unsigned char *begin, *top, *end;
} irl__memory_block;

/* A text that locations point into: a file's, a string's, or a macro's. */
typedef struct irl__source {
    const char *text;   /* in the context's arena */
    size_t      length;
    const char *file;   /* NULL: none known */
    int         line;   /* of the first character; for a macro a line of its invocation */
    int         is_macro;
    const uint32_t *lines; /* the offset where each line begins; NULL: not counted */
    int             line_count;
} irl__source;

/* Where a thing was written; zero is "nowhere". */
typedef struct irl_loc {
    const irl__source *source;
    uint32_t           offset;
} irl_loc;

static inline irl_loc irl__nowhere(void)
{
    irl_loc l = { NULL, 0 };
    return l;
}

enum { IRL__RECENT = 64 }; /* a power of two */

/* The state of a context that irl_ctx_rewind returns to. It is in the arena, in front of what is
   made after it; two marks with nothing made between them share it. */
typedef struct irl__mark_point {
    struct irl__mark_point        *outer;
    uint64_t                       serial;
    irl__arena_mark                arena; /* where the memory after this point begins */
    irl__interned                 *newest_name, *newest_expr;
    const struct irl__target_node *targets;
    uint32_t                       next_id;
    irl_code                       code;
    const struct irl_step_refusal *refusal;
} irl__mark_point;

struct irl_ctx {
    irl_allocator     allocator;
    irl__memory_block block;
    irl__arena        arena, scratch;
    irl__intern_hash names, exprs;
    /* by hash: expressions that are likely to be asked for again, or NULL */
    const struct irl_expr *recent[IRL__RECENT];
    irl_diag          diag; /* the first failure; code 0 is none */
    /* the statement being worked on: where a failure without a place of its own is shown */
    irl_loc           here;
    /* those that the program made, newest first: src/target */
    const struct irl__target_node *targets;
    const char       *pass; /* of the program's own, that runs or is looked at; NULL: none */
    const char       *step, *step_needs; /* of a schedule, that is done, and what it requires */
    int               reads_steps; /* the text of a schedule is read */
    int               reads_map;   /* the text of a map is read, which stands in no other */
    struct irl__text *named;       /* the const of a text that is read for their names; or NULL */
    irl_loc           failed_at;   /* the place of the failure, as it was recorded */
    struct irl__refused *refused;  /* parts of the step that is done; NULL: none is */
    const struct irl_step_refusal *refusal; /* of the last step that was refused; NULL: none was */
    irl__mark_point  *marks; /* those that can be returned to, newest first */
    uint64_t          mark_serial;
    irl_read_source_fn *read_source;
    void              *read_source_user;
    int                no_files; /* 1: what read_source does not give is not read either */
    irl_extern_fn     *call_extern; /* NULL: nobody knows external functions */
    void              *call_extern_user;
    uint32_t          next_id; /* of variables, buffers, blocks, loops */
    uint32_t          hash_point; /* keys of the hashes: intern.c */
    uint64_t          hash_low, hash_high;
    size_t            bytes_in_use, bytes_peak;
    /* the same in a block, which takes back its last piece only */
    size_t            block_top, block_peak;
    void             *last_piece;
    /* work.c: the steps that the question being answered may still take, of how many; whether it
       wanted more; INT64_MAX where none is being answered */
    int64_t           steps_left, most_steps, most_work; /* most_work: of every question */
    /* steps_short: something was not begun, because it would have taken more */
    int               is_asking, steps_spent, steps_short;
};

/* ------------------------------------------------------------------ memory.c */

#define IRL__ALIGN ((size_t)8)
static inline size_t irl__align_up(size_t bytes)
{
    return (bytes + (IRL__ALIGN - 1)) & ~(IRL__ALIGN - 1);
}

/* n bytes, aligned for any scalar, not cleared; NULL (and the diagnostic) when memory is out. n ==
   0 is legal. */
IRL__FN void *irl__alloc(irl_ctx *cx, size_t bytes);
/* count * size bytes, cleared, with the product checked. */
IRL__FN void *irl__alloc_array(irl_ctx *cx, size_t count, size_t size);
/* A copy of count * size bytes; NULL data gives cleared bytes. */
IRL__FN void *irl__copy(irl_ctx *cx, const void *data, size_t count, size_t size);

/* The same, and of scratch memory, as a list of that type. */
#define IRL__NEW(cx, type, count) \
    ((type *)irl__alloc_array((cx), (size_t)(count), sizeof(type)))
#define IRL__COPY(cx, type, data, count) \
    ((type *)irl__copy((cx), (data), (size_t)(count), sizeof(type)))
#define IRL__SCRATCH(cx, type, count) \
    ((type *)irl__scratch_alloc((cx), (size_t)(count), sizeof(type)))

/* A scratch scope. They nest like calls; what they hold is gone at the end. */
IRL__FN irl__arena_mark irl__scratch_begin(irl_ctx *cx);
IRL__FN void            irl__scratch_end(irl_ctx *cx, irl__arena_mark mark);
IRL__FN void           *irl__scratch_alloc(irl_ctx *cx, size_t count, size_t size); /* cleared */
/* Appends value to a stack in scratch memory, a list with a count and a capacity; false when memory
   is out. irl__stack_grow gives such a list twice the room. */
#define IRL__STACK_PUSH(cx, list, count, capacity, value) \
    (((count) < (capacity) || \
      irl__stack_grow((cx), &(list), (count), &(capacity), sizeof *(list))) && \
     ((list)[(count)++] = (value), 1))
IRL__FN int irl__stack_grow(irl_ctx *cx, void *list_address, size_t count, size_t *capacity,
                            size_t size);
IRL__FN void           *irl__scratch_room(irl_ctx *cx, size_t count, size_t size);  /* as it is */

/* Appends value to an array in the context's arena (IRL__PUSH) or in its scratch arena
   (IRL__PUSH_SCRATCH); false when memory is out, and the array is as before. */
#define IRL__PUSH(cx, array, value) \
    (irl__array_room((cx), &(cx)->arena, &(array), sizeof *(array)) && \
     (stbds_arrput((array), (value)), 1))
#define IRL__PUSH_SCRATCH(cx, array, value) \
    (irl__array_room((cx), &(cx)->scratch, &(array), sizeof *(array)) && \
     (stbds_arrput((array), (value)), 1))
/* Such an array as a list with a count. */
#define IRL__TAKE_LIST(list, count, array) ((list) = (array), (count) = (int)stbds_arrlen(array))
/* The growth function of all arrays: room for one more element of the stb_ds array whose variable
   is at array_address. */
IRL__FN int irl__array_room(irl_ctx *cx, irl__arena *arena, void *array_address,
                            size_t element_size);

/* Memory outside the arenas, for tables that survive irl_ctx_rewind. */
IRL__FN void *irl__raw_alloc(irl_ctx *cx, size_t bytes);
IRL__FN void *irl__raw_try(irl_ctx *cx, size_t bytes); /* the same; NULL without a diagnostic */
IRL__FN void  irl__raw_free(irl_ctx *cx, void *memory, size_t bytes);
/* what the allocator gave, in irl_ctx_memory */
IRL__FN void  irl__raw_count(irl_ctx *cx, void *piece, size_t bytes);

/* ------------------------------------------------------------------ work.c

   The bound on the work of a question. Whatever may take long counts the steps it takes, as many
   as it takes nanoseconds or more; the counts do not depend on the machine, on the addresses of
   things, or on what else is in the context. */

#define IRL__MOST_WORK INT64_C(100000000) /* for a question that says nothing */
enum {
    IRL__STEPS_NODE = 64, /* an expression is made, or looked up */
    IRL__STEPS_RULE = 256 /* a node is simplified */
};

IRL__FN int irl__work_spent(irl_ctx *cx);
/* Counts n steps: false, with a diagnostic, if the question is not allowed so many. What is not
   part of a question may take any number. */
static inline int irl__work(irl_ctx *cx, int64_t n)
{
    return (cx->steps_left -= n) >= 0 || irl__work_spent(cx);
}

/* A question begins: most steps, 0 for what the context says. One within another is part of it. */
typedef struct irl__question {
    irl_ctx *cx;
    int      is_inner;
} irl__question;
IRL__FN irl__question irl__question_begin(irl_ctx *cx, int64_t most);
/* Whether n steps more are allowed: what takes so many at least need not begin. */
IRL__FN int irl__work_allows(irl_ctx *cx, int64_t n);
/* It wanted more steps than it may take: it has failed, and nothing that it found out counts. */
IRL__FN int irl__question_spent(const irl__question *q);
/* How many steps it took. The failure for want of steps is cleared if `forgive`. */
IRL__FN int64_t irl__question_end(irl__question *q, int forgive);

/* The arenas themselves, for context.c. */
IRL__FN irl__arena_mark irl__arena_now(const irl__arena *arena);
IRL__FN void            irl__arena_rewind(irl__arena *arena, irl__arena_mark mark);
IRL__FN void            irl__arena_free(irl_ctx *cx, irl__arena *arena);

/* ------------------------------------------------------------------ intern.c */

/* The one copy of a name: equal names are equal pointers. */
IRL__FN const char *irl__name(irl_ctx *cx, const char *text, size_t length);
IRL__FN const char *irl__namez(irl_ctx *cx, const char *text);
/* A hash of what an interned name says, not of where it lies: the same in every run. Only for names
   that the two above gave. */
IRL__FN uint32_t irl__name_form(const char *name);
/* Chains `item` (hash set) into the table. False when memory is out. */
IRL__FN int  irl__intern_add(irl_ctx *cx, irl__intern_hash *table, irl__interned *item);
IRL__FN void irl__intern_rewind(irl__intern_hash *table, irl__interned *newest);
/* Hashes of what comes from outside, names and constants. For any two that differ, of n bytes, at
   most n of the 2^31 points give the same hash; of two constants, two keys in 2^32. */
#define IRL__HASH_PRIME UINT64_C(0x7fffffff)
IRL__FN void     irl__hash_keys_make(irl_ctx *cx);
IRL__FN uint32_t irl__hash_bytes(const irl_ctx *cx, const void *data, size_t length);
static inline uint32_t irl__hash_constant(const irl_ctx *cx, uint64_t bits)
{
    return (uint32_t)((cx->hash_low * (bits & UINT32_MAX) + cx->hash_high * (bits >> 32)) >> 32);
}

/* The first candidate in the bucket of `hash`; walk on by ->next and compare. */
static inline irl__interned *irl__intern_bucket(const irl__intern_hash *table, uint32_t hash)
{
    return table->bucket_count ? table->buckets[hash & (table->bucket_count - 1)] : NULL;
}

static inline uint32_t irl__hash_mix(uint32_t hash, uint64_t value)
{
    /* folded: a double's low bits are often 0 */
    uint64_t x = (value ^ (value >> 32) ^ hash) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(x >> 32);
}

/* ----------------------------------- ptr_map.c: from pointers to pointers, in scratch memory */

typedef struct irl__ptr_map {
    const void **keys;
    void       **values;
    size_t       capacity, count; /* capacity is 0 or a power of two */
} irl__ptr_map;

/* NULL if there is none. A map that is all zero is empty. */
IRL__FN void *irl__ptr_map_get(const irl__ptr_map *map, const void *key);
/* Sets or replaces; key and value are not NULL. False when memory is out. */
IRL__FN int irl__ptr_map_put(irl_ctx *cx, irl__ptr_map *map, const void *key, const void *value);

/* ------------------------------------------------------------------ text.c */

/* A growing text in the context's arena. Once an append fails the builder is failed and does
   nothing more. */
typedef struct irl__text {
    irl_ctx *cx;
    char    *data; /* always ends in '\0' once anything was appended */
    size_t   length, capacity;
    int      failed;
    int      fixed; /* data is the caller's buffer: what does not fit is cut off */
} irl__text;

IRL__FN void irl__text_init(irl__text *t, irl_ctx *cx);
IRL__FN void irl__text_init_fixed(irl__text *t, char *buffer, size_t capacity);
IRL__FN void irl__text_append(irl__text *t, const char *bytes, size_t length);
static inline void irl__text_puts(irl__text *t, const char *string)
{
    irl__text_append(t, string, strlen(string));
}
static inline void irl__text_join(irl__text *t, const irl__text *other)
{
    if (other->length) irl__text_append(t, other->data, other->length);
}
IRL__FN void irl__text_putc(irl__text *t, char c);
IRL__FN void irl__text_int(irl__text *t, int64_t value);
IRL__FN void irl__text_uint(irl__text *t, uint64_t value);
/* "(0, 8)" with the ends "()"; "0, 8" with "". */
IRL__FN void irl__text_numbers(irl__text *t, const char *ends, int count, const int64_t *list);
/* %s string, %c char, %d int, %l int64_t, %u uint64_t, %z size_t, %% percent. Nothing else. */
IRL__FN void irl__textf(irl__text *t, const char *format, ...);
IRL__FN void irl__textv(irl__text *t, const char *format, va_list arguments);
/* The finished text, "" when nothing was appended, NULL when memory was out. */
IRL__FN const char *irl__text_done(irl__text *t);
/* The same of one format, of the context; "" when memory is out. */
IRL__FN const char *irl__text_of(irl_ctx *cx, const char *format, va_list arguments);
/* The same, NULL when memory is out; and as a name, which is interned: where names are compared. */
IRL__FN const char *irl__format(irl_ctx *cx, const char *format, ...);
IRL__FN const char *irl__namef(irl_ctx *cx, const char *format, ...);
/* What a public function returns: a text is never NULL. */
static inline const char *irl__text_or_empty(const char *text) { return text ? text : ""; }

/* ------------------------------------------------------------------ file.c */

/* A source file of the user's, in memory of its own; text NULL: it cannot be read. */
typedef struct irl__file {
    char  *text;
    size_t bytes;
} irl__file;

IRL__FN irl__file irl__file_read(irl_ctx *cx, const char *name);
IRL__FN void      irl__file_free(irl_ctx *cx, irl__file *file);

/* ------------------------------------------------------------------ nearest.c */

/* The name that was meant: begin, try each name that there is, and put what is said behind the
   message. */
typedef struct irl__near {
    const char *wanted, *best; /* best NULL: none is near */
    size_t      wanted_length, best_length;
    int         edits; /* to the best; at first more than are worth saying */
    char        said[64];
} irl__near;

IRL__FN void irl__near_begin(irl__near *n, const char *wanted, size_t length);
/* 1 where the name is nearer than those before it; it must stay while n is used. */
IRL__FN int irl__near_try(irl__near *n, const char *name, size_t length);
/* Begins, and tries the names of a list, which NULL or "" ends. */
IRL__FN void irl__near_of(irl__near *n, const char *wanted, const char *(*name)(int k));
/* "; is 'NAME' meant?", or "". */
IRL__FN const char *irl__near_said(irl__near *n);

/* ------------------------------------------------------------------ diag.c */

/* Records the first failure of the context; later ones are dropped. The format (of irl__textf) says
   what was found and what was expected. Returns 0, so that `return irl__fail(...)` reads well.
   Allocates only to show a line of the user's file (irl__file_read), gives that back, and does
   without where memory is out. */
/* forward: memory.c fails too */
IRL__FN int irl__fail(irl_ctx *cx, irl_code code, irl_loc where, const char *format, ...);
/* where no place is known: that of the statement that is worked on */
#define IRL__FAIL(cx, code, ...) irl__fail((cx), (code), irl__nowhere(), __VA_ARGS__)
static inline int irl__ok(const irl_ctx *cx) { return cx->diag.code == IRL_OK; }
/* Did the caller hand over a list of count things? False, with a diagnostic, where not; false where
   the context has failed. */
IRL__FN int irl__no_list(irl_ctx *cx, const char *what, int count);
static inline int irl__is_list(irl_ctx *cx, const char *what, int count, const void *list)
{
    if (!cx || !irl__ok(cx)) return 0;
    return count >= 0 && (list || !count) ? 1 : irl__no_list(cx, what, count);
}
/* "3:14", the line and column of a place, for a message that names a second one; "an unknown
   place". irl__loc_short is for tables of many: it opens no file by itself. */
IRL__FN void irl__loc_text(irl_ctx *cx, irl_loc where, char *text, size_t capacity);
IRL__FN void irl__loc_short(const irl_ctx *cx, irl_loc where, char *text, size_t capacity);
/* The parts of it, as irl__loc_short; file may be "". Somewhere: where.source is set. */
IRL__FN void irl__loc_place(irl_ctx *cx, irl_loc where, const char **file, int *line,
                            int *column);
/* "file:3:7: ", as diagnostics begin; nothing for nowhere. */
IRL__FN void irl__loc_prefix(irl__text *t, irl_ctx *cx, irl_loc where);
/* Gives the failure a place if it was recorded without one: for callers of constructors, which know
   no place. Returns 0. */
IRL__FN int irl__fail_at(irl_ctx *cx, irl_loc where);
/* Says what to write instead of the failure's general hint. Call it right after the irl__fail that
   recorded the context's first failure. Returns 0. */
IRL__FN int irl__hint(irl_ctx *cx, const char *format, ...);

#endif
