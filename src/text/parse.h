/* parse.h - the readers of expressions, maps and records: tokens, symbols, scopes, values. The
   parsers of functions (func/parse_func.h), targets, graphs and schedules use it too.

   needs     text.h
   promises  a name is looked up once, where it is lexed, and its symbol holds what it means now, so
             that looking up and shadowing cost a pointer */
#ifndef IRL__PARSE_H
#define IRL__PARSE_H

#include "text.h"

/* ------------------------------------------------------------------ tokens */

/* A token of one character is that character; of two, IRL__PAIR of them. The sums of the pairs that
   occur are distinct. */
enum { IRL__TOKEN_END, IRL__TOKEN_NAME, IRL__TOKEN_INTEGER, IRL__TOKEN_DECIMAL, IRL__TOKEN_STRING };
#define IRL__PAIR(a, b) (256 + (a) + (b))
#define IRL__ARROW IRL__PAIR('-', '>')
#define IRL__DOTS2 IRL__PAIR('.', '.')
#define IRL__DOTS3 (IRL__DOTS2 + 1)
#define IRL__TOKEN_COUNT 512

/* Words that mean something somewhere. None is reserved but true and false: each is known by where
   it stands. */
#define IRL__WORDS(X) \
    X(ALIGN, "align") X(ALLOC, "alloc") X(ASSERT, "assert") X(ASSUME, "assume") \
    X(ASSUME_INJECTIVE, "assume_injective") X(ATTR, "attr") X(BARRIER, "barrier") \
    X(BITS, "bits") X(BYTES, "bytes") \
    X(BLOCK, "block") X(CONST, "const") X(DATA, "data") X(DECL, "decl") X(ELSE, "else") \
    X(EVALUATE, "evaluate") \
    X(EXTERN, "extern") X(FIELD, "field") \
    X(FALSE, "false") X(FLOORDIV, "irl_floordiv") X(FLOORMOD, "irl_floormod") X(FN, "fn") \
    X(FOR, "for") \
    X(FUNC, "func") X(GRAPH, "graph") X(HOST, "host") X(IF, "if") X(IMPLICIT, "implicit") \
    X(INIT, "init") X(INPUT, "input") \
    X(KERNEL, "kernel") X(LAUNCH, "launch") X(LAYOUT, "layout") X(LET, "let") \
    X(LOGICAL, "logical") X(MATCH, "match") X(MODULE, "module") X(NOTE, "note") \
    X(OFFSET, "offset") X(OUTPUT, "output") \
    X(PAD, "pad") X(PROD, "prod") X(PTR, "ptr") X(PURE, "pure") \
    X(READS, "reads") X(RECORD, "record") X(REDUCE, "reduce") \
    X(SCHEDULE, "schedule") X(SCOPE, "scope") X(SEP, "sep") X(SPATIAL, "spatial") \
    X(STRIDES, "strides") X(SUM, "sum") X(TARGET, "target") X(TEXEL, "texel") X(TRUE, "true") \
    X(WHEN, "when") X(WHERE, "where") X(WRITES, "writes")
typedef enum irl__word {
    IRL__WORD_NONE = 0,
#define IRL__WORD_ENUMERATOR(name, text) IRL__WORD_##name,
    IRL__WORDS(IRL__WORD_ENUMERATOR)
#undef IRL__WORD_ENUMERATOR
    IRL__WORD_COUNT
} irl__word;

typedef struct irl__symbol irl__symbol;

typedef struct irl__token {
    int          kind;
    int          is_quoted; /* a name in back quotes: never a word */
    uint32_t     offset, length;
    irl__symbol *symbol;  /* of a NAME */
    uint64_t     integer; /* of an INTEGER */
} irl__token;

/* ------------------------------------------------------------------ symbols and scopes */

typedef enum irl__binding_kind {
    IRL__UNDECLARED,
    IRL__DECLARED_VAR,
    IRL__DECLARED_BUFFER,
    IRL__DECLARED_CONSTANT
} irl__binding_kind;

typedef struct irl__binding {
    irl__binding_kind kind;
    uint32_t          level; /* of the scope that declares it */
    const irl_expr   *var;
    const irl_buffer *buffer;
    const struct irl__value *number; /* of a CONSTANT; of a VAR: an integer that it is let be */
} irl__binding;

/* One for each distinct name in the text. */
struct irl__symbol {
    const char  *text; /* interned */
    size_t       length;
    irl__symbol *older; /* the one that was seen first before this one; NULL: none */
    uint8_t      word, op; /* irl__word, irl_op of a call; 0 is none */
    uint8_t      is_type;
    uint8_t      is_plain; /* irl_erf: the operator, whatever declares erf */
    uint8_t      is_of_block; /* a block has this name */
    uint32_t     block_count; /* names that were made of it for blocks: y_1, y_2, ... */
    uint32_t     extent_of; /* the function, from 1, of which it is a whole extent */
    uint32_t     warned_in; /* the function, from 1, that warns of what this name means */
    irl_type     type;
    irl__binding binding;
    const struct irl__fn *fn; /* NULL: no fn has this name */
};

/* May a prototype of this name be called by its name alone? */
static inline int irl__may_be_hidden(const irl__symbol *s)
{
    return !s->op || s->op >= (uint8_t)IRL__OP_HIDEABLE;
}

typedef struct irl__shadow {
    irl__symbol *symbol;
    irl__binding outer;
} irl__shadow;

/* What stands around a part of an expression: let(var = value, part), or, var being NULL, a value
   without whose truth (or falsehood) the part is not evaluated. */
typedef struct irl__parse_within {
    const irl_expr                 *var, *value;
    int                             truth;
    const struct irl__parse_within *outer;
} irl__parse_within;

/* What a word before ranges means, as in sum(k: 64, e). */
typedef enum irl__reduced_form {
    IRL__REDUCED, /* what is accumulated */
    IRL__REDUCED_MEAN, /* divided by the number of values */
    IRL__REDUCED_TRUTH, /* of 0 and 1, the values of a condition: whether it is 1 */
    IRL__REDUCED_COUNT, /* of the same */
    IRL__REDUCED_PICK /* where it was found first */
} irl__reduced_form;
typedef struct irl__reduced {
    const char       *text;
    irl_op            op; /* accumulates */
    irl__reduced_form form;
} irl__reduced;

struct irl__parser;
typedef struct irl__value irl__parse_reduce_fn(struct irl__parser *p, const irl__reduced *what,
                                               irl_type hint, uint32_t offset);

/* What warns of numbers and casts, and what hints at what to write in a function instead; a parser
   of maps alone has none. */
typedef struct irl__parse_warner {
    int (*unexpected)(struct irl__parser *p, const char *expected); /* 0 */
    int (*operands)(struct irl__parser *p, irl_op op, int count, const irl_expr *const *a,
                    const struct irl__value *v, uint32_t where); /* 0 */
    void (*number)(struct irl__parser *p, const struct irl__value *v, irl_type type, double made);
    void (*cast)(struct irl__parser *p, const struct irl__value *v, irl_type type);
} irl__parse_warner;

/* What reads the parts of expressions that functions have and maps have not (parse_call.c); a
   parser of maps alone has none. */
typedef struct irl__parse_code {
    /* the name's '(' was read: 1, and *out is the value; 0: a call that maps have too */
    int (*call)(struct irl__parser *p, const irl__token *name, irl_type hint,
                struct irl__value *out);
    struct irl__value (*load)(struct irl__parser *p, const irl_buffer *b, uint32_t offset);
} irl__parse_code;

typedef struct irl__parser {
    irl_ctx           *cx;
    irl__text          warnings; /* of what was read since irl__parse_warnings */
    int                warning_count;
    irl__parse_warner  warner;
    irl__parse_code    code;
    irl__arena_mark    mark; /* of scratch memory, when reading began */
    const irl__source *source;
    const char        *text; /* terminated by '\0' */
    uint32_t           length, position;
    irl__token         token; /* the current one */
    uint32_t           token_end; /* where the one before it ends */
    int                in_layout; /* an IRL_LAYOUT: C's integer suffixes are read over */
    int as_c; /* what C makes of it: no constant is computed while it is read */
    int                c_unsigned; /* a constant to which C gives a type without sign was read */

    irl__ptr_map  symbols; /* interned name -> irl__symbol */
    irl__symbol  *newest;
    irl__shadow  *shadows;
    size_t        shadow_count, shadow_capacity;
    uint32_t      level;

    const irl_expr **exprs; /* a stack for lists that are being read */
    size_t           expr_count, expr_capacity;
    int              expr_depth;
    irl__ptr_map     externs; /* prototypes that are known: name -> irl__extern */
    uint32_t         func_count;
    int              written_out; /* operators that calls of fn have become */

    const irl__parse_within *within;
    /* Reads a reduction. NULL: none is allowed here, as in every map. */
    irl__parse_reduce_fn      *reduce;
    struct irl__func_being_read *func; /* func/parse_func.h; NULL: no function is being read */

    uint8_t infix[IRL__TOKEN_COUNT], prefix[IRL__TOKEN_COUNT]; /* irl_op by token; 0 is none */
} irl__parser;

/* ------------------------------------------------------------------ lex.c */

/* A text to read, copied into the context, with where it comes from (file: NULL for none; line: the
   number of its first). NULL on failure. */
IRL__FN const irl__source *irl__source_copy(irl_ctx *cx, const char *text, size_t length,
                                            const char *file, int line, int is_macro);
/* Whether there is a context without a failure, and a text; else a diagnostic, if there can be. */
IRL__FN int irl__parse_text_given(irl_ctx *cx, const void *text);
/* Begins to read a text of `length` bytes, or IRL_TO_NUL. If true, irl__parse_end must follow. */
IRL__FN int irl__parse_begin(irl__parser *p, irl_ctx *cx, const char *text, size_t length,
                             const char *file, int line, int is_macro);
/* Goes on with another text, of a macro; names stay declared. */
IRL__FN int irl__parse_go_on(irl__parser *p, const irl_source_text *text);
/* moves to the next token; END after a failure */
IRL__FN void irl__next(irl__parser *p);
/* Makes a token the current one that was it before: what follows it is read again. */
IRL__FN void irl__back_to(irl__parser *p, const irl__token *token);
/* the character that the next token starts with */
IRL__FN int  irl__next_char(irl__parser *p);
/* the current STRING, decoded and interned */
IRL__FN const char *irl__token_string(irl__parser *p);

static inline irl_loc irl__loc_at(const irl__parser *p, uint32_t offset)
{
    irl_loc l = { p->source, offset };
    return l;
}
/* irl__fail at an offset in the text */
#define IRL__FAIL_AT(p, code, offset, ...) \
    irl__fail((p)->cx, (code), irl__loc_at((p), (offset)), __VA_ARGS__)
static inline irl_loc irl__here(const irl__parser *p) { return irl__loc_at(p, p->token.offset); }
static inline int irl__at_word(const irl__parser *p, irl__word word)
{
    return p->token.kind == IRL__TOKEN_NAME && p->token.symbol->word == (uint8_t)word &&
           !p->token.is_quoted;
}
/* a name that is not quoted, with this text */
static inline int irl__token_is(const irl__token *t, const char *text)
{
    return t->kind == IRL__TOKEN_NAME && !t->is_quoted && strcmp(t->symbol->text, text) == 0;
}

IRL__FN irl__symbol *irl__symbol_of(irl__parser *p, const char *name);

/* ------------------------------------------------------------------ parse_hints.c

   Each replaces the hint of the failure that was just recorded, where it knows what to write, and
   returns 0. */

/* "f32" for a token that is C's float; NULL for what is no type of C, or is one of ours. */
IRL__FN const char *irl__type_of_c(const irl__token *name);
/* At the token that was found where something else was expected. */
IRL__FN int irl__hint_unexpected(irl__parser *p, const char *expected);
/* At a name that begins no statement: a value that is assigned to, a declaration of C. */
IRL__FN int irl__hint_assigned(irl__parser *p, int is_param);
struct irl__value;
/* The operands a[] of an operator at `where`, read from v[], the last one just now. */
IRL__FN int irl__hint_operands(irl__parser *p, irl_op op, int count, const irl_expr *const *a,
                               const struct irl__value *v, uint32_t where);
/* What was written in a text from `from` to `to`; "..." if it is long. */
IRL__FN void irl__hint_written(const char *in, uint32_t from, uint32_t to, char *text,
                               size_t capacity);
/* The same for an operand: where it begins with parentheses, `from` may be inside of them, as in
   (i + 1) * 2; `to` may be behind a ',', a ':' or a ')' that ends it. */
IRL__FN void irl__hint_operand(const char *in, uint32_t from, uint32_t to, char *text,
                               size_t capacity);

/* ------------------------------------------------------------------ parse_warnings.c */

/* Begins to collect warnings; takes what was collected, "" for none. */
IRL__FN void        irl__parse_warnings(irl__parser *p);
IRL__FN const char *irl__parse_warnings_done(irl__parser *p);
/* Once, if the same is said again. */
IRL__FN void        irl__warn(irl__parser *p, irl_loc where, const char *format, ...);
/* lo .. hi : step, written from `offset` on. */
IRL__FN void irl__warn_range(irl__parser *p, const irl_expr *lo, const irl_expr *hi, int64_t step,
                             uint32_t offset);

/* ---------------------------------------------------------- parse_names.c: expecting, scopes */

/* SYNTAX at the current token; 0 */
IRL__FN int irl__unexpected(irl__parser *p, const char *expected);
IRL__FN int irl__expect(irl__parser *p, int kind, const char *expected);
IRL__FN int irl__expect_word(irl__parser *p, irl__word word, const char *expected);
IRL__FN int irl__accept(irl__parser *p, int kind);
/* In a list that ends at `close`, of which `count` elements were read: whether one more follows.
   Reads the ',' before it, or `close`. Check irl__ok after the list: what is wrong ends it too. */
IRL__FN int irl__another(irl__parser *p, int close, ptrdiff_t count, const char *expected);
/* A name that nothing declares: of a function, a kernel, a key. NULL with a diagnostic. */
IRL__FN const char *irl__expect_symbol(irl__parser *p, const char *expected);
IRL__FN int irl__accept_word(irl__parser *p, irl__word word);
/* Whether all of the text was read; else a diagnostic. irl__parse_end also frees the scratch memory
   that was used since irl__parse_begin. */
IRL__FN int irl__expect_end(irl__parser *p);
IRL__FN int irl__parse_end(irl__parser *p);
/* Reads over the rest of a parameter, to the ',' or ')' that ends it. */
IRL__FN void irl__parse_skip_param(irl__parser *p);
/* The diagnostic that a constructor left without a place gets this one. Returns 0. */
IRL__FN int irl__failed_at(irl__parser *p, uint32_t offset);
IRL__FN size_t irl__scope_open(irl__parser *p);
IRL__FN void   irl__scope_close(irl__parser *p, size_t mark);
/* Declares in the innermost scope; DUPLICATE_NAME at offset if it has the name already. */
IRL__FN int irl__declare(irl__parser *p, irl__symbol *symbol, irl__binding binding,
                         uint32_t offset);
IRL__FN int irl__declare_as_var(irl__parser *p, irl__symbol *symbol, const irl_expr *var,
                                uint32_t offset);
IRL__FN const irl_expr *irl__declare_var(irl__parser *p, const irl__token *name, irl_type type);
IRL__FN int irl__declare_buffer(irl__parser *p, const irl__token *name, const irl_buffer *b);
IRL__FN int irl__unknown_name(irl__parser *p, const irl__token *name, const char *what);
/* Of a variable that stands for another one than outside, "; this 'n', of type index, hides ..." */
IRL__FN const char *irl__hides(irl__parser *p, const irl_expr *e);
/* Tries the names of the scalar types. */
IRL__FN void irl__near_types(irl__near *n);
/* The current token as a name that is declared here: not true or false. Moves on. */
IRL__FN int irl__expect_name(irl__parser *p, irl__token *name, const char *expected);

/* ------------------------------------------------------------------ parse_value.c */

/* What an expression is while it is being read: an expression of the IR, or a number without a type
   yet. */
typedef enum irl__value_kind {
    IRL__VALUE_NONE,
    IRL__VALUE_TYPED,
    IRL__VALUE_INTEGER,
    IRL__VALUE_DECIMAL
} irl__value_kind;

/* Where something was written. Apart from the value, of which each level of nesting has several. */
typedef struct irl__cut_at {
    irl_loc  at;
    uint32_t end;
} irl__cut_at;

typedef struct irl__value {
    irl__value_kind kind;
    uint32_t        offset;    /* of its first token, for diagnostics */
    const irl_expr *e;         /* TYPED */
    const char     *name;      /* of the const or let whose value it is; NULL: none */
    /* INTEGER: with the sign apart, so that both i64's least and u64's greatest fit */
    uint64_t        magnitude;
    int             is_negative;
    double          number;    /* DECIMAL, as f64 */
    int             is_special; /* DECIMAL: infinity or NaN, as it was written */
    uint32_t        length;    /* DECIMAL: of the numeral; 0 if it was computed */
    const char     *numeral;   /* DECIMAL */
    /* INTEGER, or TYPED by a let of one: where a division with a remainder was written; NULL:
       nowhere */
    const irl__cut_at *cut;
} irl__value;

IRL__FN irl__value irl__value_new(irl__value_kind kind, uint32_t offset);
IRL__FN irl__value irl__value_none(irl__parser *p); /* at the token: it could not be read */
/* Takes what a constructor gave; if that is a failure, it happened here. */
IRL__FN irl__value irl__value_of(irl__parser *p, const irl_expr *e, uint32_t offset);
IRL__FN int        irl__value_is_number(const irl__value *v);
/* A hint is the type that a number takes if nothing nearer says one; lanes 0 is none. */
IRL__FN irl_type   irl__value_no_hint(void);
IRL__FN irl_type   irl__value_hint_of(irl_type t);
IRL__FN irl_type   irl__value_hint_beside(const irl__value *v, irl_type hint);
IRL__FN const irl_expr *irl__value_float(irl__parser *p, const irl__value *v, irl_type type);
IRL__FN const irl_expr *irl__value_constant(irl__parser *p, const irl__value *v, irl_type type);
IRL__FN const irl_expr *irl__value_as(irl__parser *p, const irl__value *v, irl_type type);
IRL__FN const irl_expr *irl__value_settle(irl__parser *p, const irl__value *v, irl_type hint);
IRL__FN int irl__value_unify(irl__parser *p, int count, const irl__value *v, irl_type hint,
                             const irl_expr **out);
/* An operator on operands that are made alike first; on numbers only it is computed. */
IRL__FN irl__value irl__value_apply(irl__parser *p, irl_op op, int count, const irl__value *v,
                                    irl_type hint, uint32_t where);
IRL__FN int irl__value_mismatch(irl__parser *p, const irl__value *v, irl_type type,
                                const char *found);

/* ---------------------------------------- parse_expr.c. Readers return NULL or 0 on failure. */

/* At "name:" behind a parenthesis: ranges follow. */
IRL__FN int irl__parse_at_ranges(irl__parser *p);
/* An expression as far as it goes; kind NONE on failure. */
IRL__FN irl__value irl__parse_value(irl__parser *p, irl_type hint);

IRL__FN int irl__parse_type(irl__parser *p, irl_type *type);
/* The type of a buffer's elements; bits are those of u1 to u63 and i2 to i63, or 0. */
IRL__FN int irl__parse_element_type(irl__parser *p, irl_bit_element *out);
IRL__FN int irl__parse_scope_name(irl__parser *p, irl_scope *scope);
IRL__FN int irl__parse_axis_name(irl__parser *p, irl_axis *axis);
/* A number that is not negative, as it is written or by the name of a const. */
IRL__FN int irl__parse_count(irl__parser *p, int least, int most, const char *what, int *out);
/* An expression that must come out as `type` (an element type where a vector may come out), an
   index, a condition, or anything: then an untyped number is index or f32. */
IRL__FN const irl_expr *irl__parse_typed(irl__parser *p, irl_type type);
IRL__FN const irl_expr *irl__parse_index(irl__parser *p); /* a scalar */
IRL__FN const irl_expr *irl__parse_condition(irl__parser *p);
IRL__FN const irl_expr *irl__parse_any(irl__parser *p);
/* And how it was written; declares a variable that is let be this value. */
IRL__FN const irl_expr *irl__parse_any_value(irl__parser *p, irl__value *v);
IRL__FN const irl_expr *irl__declare_let(irl__parser *p, const irl__token *name, irl_type type,
                                         const irl__value *v);
/* A list of indices up to `close`, pushed onto p->exprs; vectors allowed where may_be_vector. */
IRL__FN int irl__parse_indices(irl__parser *p, int close, const char *what, int may_be_vector,
                               int *count);
IRL__FN int irl__parse_shape(irl__parser *p, int *rank); /* "[" ... "]", pushed onto p->exprs */
IRL__FN int irl__push_expr(irl__parser *p, const irl_expr *e);
/* pad(constant), at "pad" */
IRL__FN const irl_expr *irl__parse_padding(irl__parser *p, irl_type type);

/* ------------------------------------------------------------------ parse_fn.c */

typedef struct irl__fn irl__fn;
/* fn and const, as many as there are. */
IRL__FN int irl__parse_definitions(irl__parser *p);
/* The name, whose '(' was read, is that of a function that is written out here; then it
   returns 1, and *out is its value. */
IRL__FN int irl__parse_written_out(irl__parser *p, const irl__token *name, irl_type hint,
                                   irl__value *out);
/* Warns, once in a function, if the symbol is also a function of the language. */
IRL__FN void irl__warn_hidden(irl__parser *p, irl__symbol *s, const char *by,
                              uint32_t offset);
/* forward: the names of functions that are written out; NULL after the last. */
IRL__FN const char *irl__sugar_name(int k);

/* ------------------------------------------------------------------ parse_call.c */

/* As irl__parse_begin, of a text whose expressions are those of functions. */
IRL__FN int irl__parse_begin_code(irl__parser *p, irl_ctx *cx, const char *text, size_t length,
                                  const char *file, int line, int is_macro);

/* ------------------------------------------------------------------ parse_map.c */

/* The whole text as an expression over the variables; ends the reading. */
IRL__FN const irl_expr *irl__parse_expr_over(irl__parser *p, int var_count,
                                             const irl_expr *const *vars);
IRL__FN const irl_map *irl__parse_map(irl__parser *p);
IRL__FN int            irl__is_at_map(irl__parser *p); /* (i, j) -> ... begins here */
/* Declares the constants of an IRL_LET. */
IRL__FN int irl__parse_bind_constants(irl__parser *p, const irl_constants *constants);

/* ------------------------------------------------------------------ parse_record.c */

/* At a word that may be there once: it and '('; bits(lsb) or bits(msb); data(...), a buffer or
   pointer whose memory it is: *data is NULL before. */
IRL__FN int irl__parse_attr_once(irl__parser *p, int *seen, const char *what);
IRL__FN int irl__parse_bit_order(irl__parser *p, int *seen, irl_bit_order *out);
IRL__FN int irl__parse_data(irl__parser *p, const irl_expr **data);

/* What is written before the braces of a record. */
typedef struct irl__record_head {
    irl__token      name;
    int             has_shape, rank; /* and data: of a record in a function */
    size_t          shape; /* base of the extents on p->exprs */
    int64_t         bytes;
    irl_bit_order   order;
    const irl_expr *data;
} irl__record_head;
/* at "record" */
IRL__FN int         irl__parse_record_head(irl__parser *p, irl__record_head *h);
IRL__FN irl_record *irl__parse_record_make(irl__parser *p, const irl__record_head *h); /* "{" on */

#endif
