/* outside_printer.h - the printer of functions and modules, written a second time, outside of the
   library: over the public functions of irlayout.h alone.

   promises  the very text that irl_func_text and irl_module_text give. What it cannot ask for, no
             printer, emitter or pass outside of the library can: that is what it is for.
   Only the decimals of floats are not written again: irl_expr_text of a constant gives them. */
#ifndef IRL_OUTSIDE_PRINTER_H
#define IRL_OUTSIDE_PRINTER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name as a text: does it stand for something now, and the next suffix to try if so. */
typedef struct out_used {
    const char   *name;
    int           in_scope;
    unsigned long suffix;
} out_used;
typedef struct out_named {
    const void *thing; /* a variable or a buffer */
    const char *text;  /* as it is written */
} out_named;
typedef struct out_undo {
    size_t      at;
    out_used    before;
    const void *memory; /* its name ends; NULL: `at` is as it was before */
} out_undo;

typedef struct out_printer {
    irl_ctx   *cx;
    char      *text;
    size_t     length, room;
    out_used  *used;
    out_named *named;
    out_undo  *undo;
    char     **owned; /* names that were made here */
    size_t     used_count, named_count, undo_count, owned_count;
    const irl_func *func; /* whose prototypes hide functions of the language */
} out_printer;

/* How the place of an integer constant says its type. */
typedef enum out_place {
    OUT_NONE,  /* it does not: a number without a type would be an index */
    OUT_TYPED, /* it does: what stands there without a type takes this one */
    OUT_FORCED /* a number without a type would mean something else */
} out_place;

/* ------------------------------------------------------------------ text */

/* The list with room for one more, `count` being in it. */
static void *out_more(void *list, size_t count, size_t size)
{
    return count & (count - 1) ? list : realloc(list, (count ? 2 * count : 1) * size);
}

static void out_bytes(out_printer *p, const char *s, size_t n)
{
    if (p->length + n + 1 > p->room) {
        p->room = 2 * (p->length + n + 1);
        p->text = (char *)realloc(p->text, p->room);
    }
    memcpy(p->text + p->length, s, n);
    p->length += n;
    p->text[p->length] = '\0';
}

static void out_puts(out_printer *p, const char *s) { out_bytes(p, s, strlen(s)); }

static void out_int(out_printer *p, int64_t value, int is_unsigned)
{
    char     digits[24], *at = digits + sizeof digits;
    uint64_t rest = value < 0 && !is_unsigned ? 0 - (uint64_t)value : (uint64_t)value;
    do *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0 && !is_unsigned) *--at = '-';
    out_bytes(p, at, (size_t)(digits + sizeof digits - at));
}

static void out_type(out_printer *p, irl_type type) { out_puts(p, irl_type_text(p->cx, type)); }

static void out_indent(out_printer *p, int indent)
{
    for (; indent > 0; indent--) out_puts(p, "    ");
}

static void out_quoted(out_printer *p, const char *s, char quote)
{
    static const char hex[] = "0123456789abcdef";
    out_bytes(p, &quote, 1);
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '\n') out_puts(p, "\\n");
        else if (c == '\t') out_puts(p, "\\t");
        else if (c < 32 || c == 127) {
            out_puts(p, "\\x");
            out_bytes(p, &hex[c >> 4], 1);
            out_bytes(p, &hex[c & 15], 1);
        } else {
            if (c == '\\' || *s == quote) out_puts(p, "\\");
            out_bytes(p, s, 1);
        }
    }
    out_bytes(p, &quote, 1);
}

/* ------------------------------------------------------------------ names */

static int out_is_identifier(const char *s)
{
    static const char letters[] =
        "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return *s && (*s < '0' || *s > '9') && strspn(s, letters) == strlen(s) &&
           strcmp(s, "true") != 0 && strcmp(s, "false") != 0;
}

/* What nothing here declares: a function, a kernel, a key. */
static void out_symbol(out_printer *p, const char *name)
{
    if (out_is_identifier(name)) out_puts(p, name);
    else out_quoted(p, name, '`');
}

static char *out_own(out_printer *p, char *text)
{
    p->owned = (char **)out_more(p->owned, p->owned_count, sizeof *p->owned);
    return p->owned[p->owned_count++] = text;
}

static size_t out_used_of(out_printer *p, const char *name)
{
    size_t k;
    for (k = 0; k < p->used_count; k++)
        if (strcmp(p->used[k].name, name) == 0) return k;
    p->used = (out_used *)out_more(p->used, p->used_count, sizeof *p->used);
    p->used[k].name = name;
    p->used[k].in_scope = 0;
    p->used[k].suffix = 0;
    return p->used_count++;
}

static void out_remember(out_printer *p, size_t at)
{
    p->undo = (out_undo *)out_more(p->undo, p->undo_count, sizeof *p->undo);
    p->undo[p->undo_count].at = at;
    p->undo[p->undo_count].memory = NULL;
    p->undo[p->undo_count++].before = p->used[at];
}

static const char *out_find(const out_printer *p, const void *thing)
{
    size_t k;
    for (k = p->named_count; k > 0; k--)
        if (p->named[k - 1].thing == thing) return p->named[k - 1].text;
    return NULL;
}

static void out_name_it(out_printer *p, const void *thing, const char *text)
{
    p->named = (out_named *)out_more(p->named, p->named_count, sizeof *p->named);
    p->named[p->named_count].thing = thing;
    p->named[p->named_count++].text = text;
}

static void out_close(out_printer *p, size_t mark)
{
    while (p->undo_count > mark) {
        p->undo_count--;
        if (p->undo[p->undo_count].memory) out_name_it(p, p->undo[p->undo_count].memory, NULL);
        else p->used[p->undo[p->undo_count].at] = p->undo[p->undo_count].before;
    }
}

/* The wanted name, or the first with a suffix that is free; from here to the end of the scope, or
   for good (is_free: it is declared outside of what is printed). */
static const char *out_declare(out_printer *p, const void *thing, const char *wanted, int is_free)
{
    const size_t base = out_used_of(p, wanted);
    size_t       at = base, start;
    const char  *name = wanted;
    if (p->used[base].in_scope) out_remember(p, base);
    while (p->used[at].in_scope) {
        char *joined = (char *)malloc(strlen(wanted) + 24);
        sprintf(joined, "%s_%lu", wanted, ++p->used[base].suffix);
        name = out_own(p, joined);
        at = out_used_of(p, name);
    }
    if (!is_free) out_remember(p, at);
    p->used[at].in_scope = 1;
    if (!out_is_identifier(name)) {
        start = p->length;
        out_quoted(p, name, '`');
        name = out_own(p, (char *)malloc(p->length - start + 1));
        memcpy(p->owned[p->owned_count - 1], p->text + start, p->length - start + 1);
        p->text[p->length = start] = '\0';
    }
    out_name_it(p, thing, name);
    return name;
}

static void out_var(out_printer *p, const irl_expr *var)
{
    const char *name = out_find(p, var);
    out_puts(p, name ? name : out_declare(p, var, irl_expr_name(var), 1));
}

/* The memory of a buffer goes by its name, unless it has one; to the end of the scope. */
static const char *out_declare_buffer(out_printer *p, const irl_buffer *b, int is_free)
{
    const char *name = out_declare(p, b, irl_buffer_name(b), is_free);
    if (out_find(p, irl_buffer_pointer(b))) return name;
    out_name_it(p, irl_buffer_pointer(b), name);
    if (is_free) return name;
    out_remember(p, 0);
    p->undo[p->undo_count - 1].memory = irl_buffer_pointer(b);
    return name;
}

static void out_buffer_name(out_printer *p, const irl_buffer *b)
{
    const char *name = out_find(p, b);
    out_puts(p, name ? name : out_declare_buffer(p, b, 1));
}

/* ------------------------------------------------------------------ expressions */

static void out_at(out_printer *p, const irl_expr *e, int least, out_place place);
static void out_any(out_printer *p, const irl_expr *e) { out_at(p, e, 0, OUT_NONE); }

static const irl_scalar_row *out_scalar(irl_type type)
{
    return irl_scalar_info((irl_scalar)type.scalar);
}

static int out_is_int(const irl_expr *e, int64_t value)
{
    return irl_expr_op(e) == IRL_OP_INT && irl_expr_int_value(e) == value;
}

static int out_is_number(const irl_expr *e)
{
    return irl_expr_op(e) == IRL_OP_INT && irl_expr_type(e).scalar != IRL_BOOL;
}

static void out_constant(out_printer *p, const irl_expr *e, out_place place)
{
    const irl_type type = irl_expr_type(e);
    int bare = place == OUT_TYPED || (place == OUT_NONE && type.scalar == IRL_INDEX);
    if (type.scalar == IRL_BOOL) {
        out_puts(p, irl_expr_int_value(e) ? "true" : "false");
        return;
    }
    if (!bare) out_puts(p, out_scalar(type)->text), out_puts(p, "(");
    out_int(p, irl_expr_int_value(e), out_scalar(type)->kind == IRL_KIND_UINT);
    if (!bare) out_puts(p, ")");
}

static void out_args(out_printer *p, const irl_expr *e, out_place place)
{
    int k;
    for (k = 0; k < irl_expr_arg_count(e); k++) {
        if (k) out_puts(p, ", ");
        out_at(p, irl_expr_arg(e, k), 0, place);
    }
}

/* Where operand k of an operator stands whose operands are all of one type. */
static out_place out_operand_place(const irl_expr *e, int from, int k, out_place place)
{
    const irl_op op = irl_expr_op(e);
    int          i, numbers = 0, count = irl_expr_arg_count(e);
    if (place == OUT_FORCED) place = OUT_NONE;
    if (!out_is_number(irl_expr_arg(e, k)))
        return irl_op_info(op)->rule == IRL_RULE_COMPARE ? OUT_NONE : place;
    for (i = from; i < count; i++) numbers += out_is_number(irl_expr_arg(e, i));
    if (numbers < count - from || k > from) return OUT_TYPED;
    return op == IRL_OP_SELECT || op == IRL_OP_IF_THEN_ELSE || op == IRL_OP_RAMP ? place
                                                                                 : OUT_FORCED;
}

static void out_infix(out_printer *p, const irl_expr *e, int least, out_place place)
{
    const irl_op_row *row = irl_op_info(irl_expr_op(e));
    if (row->precedence < least) out_puts(p, "(");
    out_at(p, irl_expr_arg(e, 0), row->precedence, out_operand_place(e, 0, 0, place));
    out_puts(p, " ");
    out_puts(p, row->text);
    out_puts(p, " ");
    out_at(p, irl_expr_arg(e, 1), row->precedence + 1, out_operand_place(e, 0, 1, place));
    if (row->precedence < least) out_puts(p, ")");
}

static void out_prefix(out_printer *p, const irl_expr *e, out_place place)
{
    const irl_op_row *row = irl_op_info(irl_expr_op(e));
    const irl_expr   *a = irl_expr_arg(e, 0);
    int guard = irl_expr_op(a) == IRL_OP_FLOAT ||
                irl_op_info(irl_expr_op(a))->form == IRL_FORM_PREFIX;
    out_puts(p, row->text);
    if (guard) out_puts(p, "(");
    out_at(p, a, guard ? 0 : row->precedence, out_operand_place(e, 0, 0, place));
    if (guard) out_puts(p, ")");
}

static void out_call(out_printer *p, const irl_expr *e, out_place place)
{
    const irl_op op = irl_expr_op(e);
    int          k, from = op == IRL_OP_SELECT || op == IRL_OP_IF_THEN_ELSE;
    for (k = 0; op >= IRL_OP_ACOS && k < irl_func_extern_count(p->func); k++)
        if (strcmp(irl_func_extern(p->func, k)->name, irl_op_info(op)->text) == 0)
            out_puts(p, "irl_");
    out_puts(p, irl_op_info(op)->text);
    out_puts(p, "(");
    for (k = 0; k < irl_expr_arg_count(e); k++) {
        if (k) out_puts(p, ", ");
        out_at(p, irl_expr_arg(e, k), 0,
               op == IRL_OP_LANE || k < from ? OUT_NONE : out_operand_place(e, from, k, place));
    }
    out_puts(p, ")");
}

static void out_let(out_printer *p, const irl_expr *e, out_place place)
{
    const size_t    mark = p->undo_count;
    const irl_expr *var = irl_expr_arg(e, 0);
    out_puts(p, "let(");
    out_puts(p, out_declare(p, var, irl_expr_name(var), 0));
    out_puts(p, " = ");
    out_any(p, irl_expr_arg(e, 1));
    out_puts(p, ", ");
    out_at(p, irl_expr_arg(e, 2), 0, place);
    out_puts(p, ")");
    out_close(p, mark);
}

/* extern(f32, name, a, b); as(u32, a); undef(f32); */
static void out_with_type(out_printer *p, const irl_expr *e)
{
    const irl_op op = irl_expr_op(e);
    out_puts(p, irl_op_info(op)->text);
    out_puts(p, "(");
    out_type(p, irl_expr_type(e));
    if (op == IRL_OP_CALL_EXTERN || op == IRL_OP_CALL_INTRINSIC) {
        out_puts(p, ", ");
        out_symbol(p, irl_expr_name(e));
    }
    if (irl_expr_arg_count(e)) out_puts(p, ", ");
    out_args(p, e, OUT_NONE);
    out_puts(p, ")");
}

static void out_lanes(out_printer *p, const irl_expr *e, out_place place)
{
    const irl_expr *a = irl_expr_arg(e, 0);
    const int       lanes = (int)irl_expr_type(e).lanes;
    int             k;
    out_puts(p, irl_op_info(irl_expr_op(e))->text);
    out_puts(p, "(");
    if (irl_expr_op(e) == IRL_OP_SHUFFLE) {
        out_args(p, e, OUT_NONE);
        for (k = 0; k < lanes; k++) {
            out_puts(p, k ? ", " : ", [");
            out_int(p, irl_expr_pick(e, k), 0);
        }
        out_puts(p, "])");
        return;
    }
    if (irl_expr_op(e) == IRL_OP_RAMP) {
        out_at(p, a, 0, out_operand_place(e, 0, 0, place));
        out_puts(p, ", ");
        out_at(p, irl_expr_arg(e, 1), 0, out_operand_place(e, 0, 1, place));
    } else out_at(p, a, 0, place == OUT_FORCED ? OUT_NONE : place);
    out_puts(p, ", ");
    out_int(p, irl_expr_op(e) == IRL_OP_RAMP ? lanes : lanes / (int)irl_expr_type(a).lanes, 0);
    out_puts(p, ")");
}

static void out_special(out_printer *p, const irl_expr *e, out_place place)
{
    switch (irl_expr_op(e)) {
    case IRL_OP_INT: out_constant(p, e, place); break;
    case IRL_OP_FLOAT: out_puts(p, irl_expr_text(p->cx, e)); break;
    case IRL_OP_VAR: out_var(p, e); break;
    case IRL_OP_LET: out_let(p, e, place); break;
    case IRL_OP_RAMP:
    case IRL_OP_BROADCAST:
    case IRL_OP_SHUFFLE: out_lanes(p, e, place); break;
    case IRL_OP_CAST:
        out_type(p, irl_expr_type(e));
        out_puts(p, "(");
        out_args(p, e, OUT_FORCED);
        out_puts(p, ")");
        break;
    case IRL_OP_LOAD:
        out_buffer_name(p, irl_expr_buffer(e));
        out_puts(p, "[");
        out_args(p, e, OUT_TYPED);
        out_puts(p, "]");
        break;
    default: out_with_type(p, e); break;
    }
}

/* Where operators of precedence `least` and above need no parentheses. */
static void out_at(out_printer *p, const irl_expr *e, int least, out_place place)
{
    switch (irl_op_info(irl_expr_op(e))->form) {
    case IRL_FORM_INFIX: out_infix(p, e, least, place); break;
    case IRL_FORM_PREFIX: out_prefix(p, e, place); break;
    case IRL_FORM_CALL: out_call(p, e, place); break;
    default: out_special(p, e, place); break;
    }
}

/* ------------------------------------------------------------------ maps */

static void out_map(out_printer *p, const irl_map *m)
{
    const size_t mark = p->undo_count;
    int          separators[IRL_MAX_RANK], separator = 0, k, place;
    const int    inputs = irl_map_input_count(m), rest = irl_map_rest_output(m);
    const int    places = irl_map_output_count(m) + (rest >= 0);
    const int    count = irl_map_separators(m, separators, IRL_MAX_RANK);
    out_puts(p, "(");
    for (k = 0; k <= inputs; k++) {
        if (k == irl_map_rest_input(m)) {
            out_puts(p, k ? ", ..." : "...");
            if (k < inputs) out_puts(p, ", ");
        } else if (k && k < inputs) out_puts(p, ", ");
        if (k < inputs)
            out_puts(p, out_declare(p, irl_map_input(m, k), irl_expr_name(irl_map_input(m, k)), 0));
    }
    out_puts(p, ") -> (");
    for (place = k = 0; place < places; place++) {
        if (place) out_puts(p, ", ");
        if (separator < count && separators[separator] == place) {
            out_puts(p, "|, ");
            separator++;
        }
        if (place == rest) out_puts(p, "...");
        else out_any(p, irl_map_output(m, k++));
    }
    out_puts(p, ")");
    out_close(p, mark);
}

/* ------------------------------------------------------------------ buffers and notes */

static void out_word(out_printer *p, const char *word, int64_t value)
{
    out_puts(p, word);
    out_int(p, value, 0);
}

static void out_shape(out_printer *p, const irl_buffer *b)
{
    int k;
    out_puts(p, "[");
    for (k = 0; k < irl_buffer_rank(b); k++) {
        if (k) out_puts(p, ", ");
        out_at(p, irl_buffer_extent(b, k), 0, OUT_TYPED);
    }
    out_puts(p, "]");
}

static void out_buffer_attrs(out_printer *p, const irl_buffer *b, int is_view)
{
    const irl_expr *data = irl_buffer_pointer(b);
    const irl_scope usual = is_view ? (irl_scope)irl_expr_type(data).scope : IRL_SCOPE_GLOBAL;
    int             k;
    if (is_view) {
        out_puts(p, " data(");
        out_var(p, data);
        out_puts(p, ")");
    }
    if (irl_buffer_scope(b) != usual) {
        out_puts(p, " scope(");
        out_puts(p, irl_scope_text(irl_buffer_scope(b)));
        out_puts(p, ")");
    }
    for (k = 0; irl_buffer_stride(b, k); k++) {
        out_puts(p, k ? ", " : " strides(");
        out_at(p, irl_buffer_stride(b, k), 0, OUT_TYPED);
    }
    if (k) out_puts(p, ")");
    if (irl_buffer_offset(b)) {
        out_puts(p, " offset(");
        out_any(p, irl_buffer_offset(b));
        out_puts(p, ")");
    }
    if (irl_buffer_alignment(b)) out_word(p, " align(", irl_buffer_alignment(b)), out_puts(p, ")");
    for (k = 0; k < irl_buffer_separator_count(b); k++)
        out_word(p, k ? ", " : " sep(", irl_buffer_separator(b, k));
    if (k) out_puts(p, ")");
    if (irl_buffer_texel(b)) out_word(p, " texel(", irl_buffer_texel(b)), out_puts(p, ")");
}

static void out_declared_buffer(out_printer *p, const irl_buffer *b)
{
    const int is_view = out_find(p, irl_buffer_pointer(b)) != NULL;
    out_puts(p, out_declare_buffer(p, b, 0));
    out_puts(p, ": ");
    out_type(p, irl_buffer_type(b));
    out_shape(p, b);
    out_buffer_attrs(p, b, is_view);
}

static void out_note(out_printer *p, const char *word, const irl_note *note)
{
    out_puts(p, word);
    out_puts(p, "(");
    out_symbol(p, note->key);
    out_puts(p, " = ");
    if (note->value) out_any(p, note->value);
    else out_quoted(p, note->text ? note->text : "", '"');
    out_puts(p, ")");
}

/* ------------------------------------------------------------------ statements */

static void out_stmt(out_printer *p, const irl_stmt *s, int indent);

static void out_stmts(out_printer *p, const irl_stmt *s, int indent)
{
    int k;
    if (irl_stmt_kind_of(s) != IRL_STMT_SEQ) out_stmt(p, s, indent);
    else for (k = 0; k < irl_stmt_child_count(s); k++) out_stmt(p, irl_stmt_child(s, k), indent);
}

static void out_braces(out_printer *p, const irl_stmt *s, int indent)
{
    const size_t mark = p->undo_count;
    out_puts(p, "{\n");
    out_stmts(p, s, indent + 1);
    out_indent(p, indent);
    out_puts(p, "}");
    out_close(p, mark);
}

static int out_needs_braces(const irl_stmt *s)
{
    const irl_stmt_kind kind = irl_stmt_kind_of(s);
    return kind == IRL_STMT_SEQ || kind == IRL_STMT_LET || kind == IRL_STMT_ALLOC ||
           kind == IRL_STMT_DECL;
}

static void out_body(out_printer *p, const irl_stmt *s, int indent)
{
    const size_t mark = p->undo_count;
    if (out_needs_braces(s)) {
        out_puts(p, " ");
        out_braces(p, s, indent);
        out_puts(p, "\n");
    } else {
        out_puts(p, "\n");
        out_stmt(p, s, indent + 1);
    }
    out_close(p, mark);
}

/* i: extent, i: lo .. hi, or, where no end can be read off, i: lo .. + extent. */
static void out_range(out_printer *p, const irl_stmt *s)
{
    const irl_expr *min = irl_stmt_min(s), *extent = irl_stmt_extent(s), *var = irl_stmt_var(s);
    const int64_t   a = irl_expr_int_value(min), b = irl_expr_int_value(extent);
    const int       is_number = irl_expr_op(min) == IRL_OP_INT;
    out_puts(p, out_declare(p, var, irl_expr_name(var), 0));
    out_puts(p, ": ");
    if (!out_is_int(min, 0)) {
        out_any(p, min);
        out_puts(p, " .. ");
        if (is_number && irl_expr_op(extent) == IRL_OP_INT &&
            (b < 0 ? a >= INT64_MIN - b : a <= INT64_MAX - b)) {
            out_int(p, a + b, 0);
            return;
        }
        if (irl_expr_op(extent) == IRL_OP_SUB && irl_expr_arg(extent, 1) == min &&
            !(is_number && irl_expr_op(irl_expr_arg(extent, 0)) == IRL_OP_INT)) {
            out_any(p, irl_expr_arg(extent, 0));
            return;
        }
        out_puts(p, "+ ");
    }
    out_any(p, extent);
}

/* A label is the last note of a loop. */
static const char *out_label(const irl_stmt *s)
{
    const int       count = irl_stmt_note_count(s);
    const irl_note *last = count ? irl_stmt_note(s, count - 1) : NULL;
    return last && strcmp(last->key, "label") == 0 ? last->text : NULL;
}

static int out_note_count(const irl_stmt *s)
{
    return irl_stmt_note_count(s) - (out_label(s) != NULL);
}

static int out_joins(const irl_stmt *s)
{
    const irl_stmt *inner = irl_stmt_body(s);
    return irl_stmt_kind_of(inner) == IRL_STMT_FOR && irl_stmt_for_kind(s) != IRL_BOUND &&
           irl_stmt_for_kind(inner) == irl_stmt_for_kind(s) && out_note_count(s) == 0 &&
           !out_label(inner);
}

static void out_for(out_printer *p, const irl_stmt *s, int indent)
{
    const size_t       mark = p->undo_count;
    const irl_for_kind kind = irl_stmt_for_kind(s);
    int                k;
    if (out_label(s)) out_symbol(p, out_label(s)), out_puts(p, ": ");
    out_puts(p, "for ");
    out_puts(p, irl_for_kind_text(kind));
    if (kind == IRL_BOUND) {
        out_puts(p, "(");
        out_puts(p, irl_axis_text(irl_stmt_axis(s)));
        out_puts(p, ")");
    }
    out_puts(p, kind == IRL_SERIAL ? "(" : " (");
    out_range(p, s);
    for (; out_joins(s); s = irl_stmt_body(s)) {
        out_puts(p, ", ");
        out_range(p, irl_stmt_body(s));
    }
    out_puts(p, ")");
    for (k = 0; k < out_note_count(s); k++) out_note(p, " note", irl_stmt_note(s, k));
    out_body(p, irl_stmt_body(s), indent);
    out_close(p, mark);
}

static void out_if(out_printer *p, const irl_stmt *s, int indent)
{
    const irl_stmt     *then_ = irl_stmt_then(s), *else_ = irl_stmt_else(s);
    const irl_stmt_kind kind = irl_stmt_kind_of(then_);
    int nests = kind == IRL_STMT_IF || kind == IRL_STMT_FOR || kind == IRL_STMT_ATTR;
    out_puts(p, "if (");
    out_any(p, irl_stmt_condition(s));
    out_puts(p, ")");
    if (!else_) {
        out_body(p, then_, indent);
        return;
    }
    if (nests || out_needs_braces(then_)) {
        out_puts(p, " ");
        out_braces(p, then_, indent);
        out_puts(p, " ");
    } else {
        out_body(p, then_, indent);
        out_indent(p, indent);
    }
    out_puts(p, "else");
    if (irl_stmt_kind_of(else_) == IRL_STMT_IF) {
        out_puts(p, " ");
        out_if(p, else_, indent);
    } else out_body(p, else_, indent);
}

static void out_region(out_printer *p, const irl_region *r)
{
    int k;
    out_buffer_name(p, r->buffer);
    out_puts(p, "[");
    for (k = 0; k < irl_buffer_rank(r->buffer); k++) {
        if (k) out_puts(p, ", ");
        out_any(p, r->min[k]);
        if (out_is_int(r->extent[k], 1)) continue;
        out_puts(p, ": ");
        out_any(p, r->extent[k]);
    }
    out_puts(p, "]");
}

static void out_line(out_printer *p, int indent, const char *word)
{
    out_puts(p, "\n");
    out_indent(p, indent);
    out_puts(p, word);
}

static void out_regions(out_printer *p, const char *word, int count, const irl_region *regions,
                        int indent)
{
    int k;
    for (k = 0; k < count; k++) {
        if (k) out_puts(p, ", ");
        else out_line(p, indent, word);
        out_region(p, &regions[k]);
    }
    if (count) out_puts(p, ")");
}

static void out_block_axes(out_printer *p, const irl_block_desc *b)
{
    int k;
    out_puts(p, "(");
    for (k = 0; k < b->axis_count; k++) {
        const irl_block_axis *a = &b->axes[k];
        if (k) out_puts(p, ", ");
        out_puts(p, out_declare(p, a->var, irl_expr_name(a->var), 0));
        out_puts(p, a->is_unstated ? ": " : a->is_reduction ? ": reduce(" : ": spatial(");
        out_any(p, a->extent);
        out_puts(p, a->is_unstated ? " = " : ") = ");
        out_any(p, a->binding);
    }
    out_puts(p, ")");
}

static void out_block_body(out_printer *p, const irl_block_desc *b, int indent)
{
    const irl_stmt *first = b->body;
    int             k;
    if (irl_stmt_kind_of(first) == IRL_STMT_SEQ && irl_stmt_child(first, 0))
        first = irl_stmt_child(first, 0);
    for (k = 0; k < b->alloc_count; k++) {
        out_indent(p, indent);
        out_puts(p, "alloc ");
        out_declared_buffer(p, b->allocs[k]);
        out_puts(p, ";\n");
    }
    for (k = 0; k < b->match_count; k++) {
        out_indent(p, indent);
        out_puts(p, "match ");
        out_declared_buffer(p, b->matches[k].buffer);
        out_puts(p, " = ");
        out_region(p, &b->matches[k].source);
        out_puts(p, ";\n");
    }
    if (b->init) {
        out_indent(p, indent);
        out_puts(p, "init");
        out_body(p, b->init, indent);
    }
    if (irl_stmt_kind_of(first) == IRL_STMT_ALLOC) { /* not one of the block's own */
        out_indent(p, indent);
        out_braces(p, b->body, indent);
        out_puts(p, "\n");
    } else out_stmts(p, b->body, indent);
}

static void out_block(out_printer *p, const irl_stmt *s, int indent)
{
    const irl_block_desc *b = irl_stmt_block_desc(s);
    const size_t          mark = p->undo_count;
    int                   k;
    out_puts(p, "block ");
    out_symbol(p, b->name);
    out_block_axes(p, b);
    if (b->predicate) {
        out_line(p, indent + 1, "where(");
        out_any(p, b->predicate);
        out_puts(p, ")");
    }
    out_regions(p, "reads(", b->read_count, b->reads, indent + 1);
    out_regions(p, "writes(", b->write_count, b->writes, indent + 1);
    for (k = 0; k < b->note_count; k++) {
        out_line(p, indent + 1, "");
        out_note(p, "note", &b->notes[k]);
    }
    if (b->predicate || b->read_count || b->write_count || b->note_count) out_line(p, indent, "");
    else out_puts(p, " ");
    out_puts(p, "{\n");
    out_block_body(p, b, indent + 1);
    out_indent(p, indent);
    out_puts(p, "}\n");
    out_close(p, mark);
}

/* What is a line: a word, and what follows it. */
static void out_simple(out_printer *p, const irl_stmt *s)
{
    const irl_expr *var = irl_stmt_var(s);
    int             k, count = irl_stmt_arg_count(s);
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_LET:
        out_puts(p, "let ");
        out_puts(p, out_declare(p, var, irl_expr_name(var), 0));
        out_puts(p, " = ");
        out_any(p, irl_stmt_value(s));
        break;
    case IRL_STMT_STORE:
        out_buffer_name(p, irl_stmt_buffer(s));
        out_puts(p, "[");
        for (k = 0; k < count; k++) {
            if (k) out_puts(p, ", ");
            out_at(p, irl_stmt_arg(s, k), 0, OUT_TYPED);
        }
        out_puts(p, "] = ");
        out_at(p, irl_stmt_value(s), 0, OUT_TYPED);
        break;
    case IRL_STMT_ALLOC:
    case IRL_STMT_DECL:
        out_puts(p, irl_stmt_kind_of(s) == IRL_STMT_ALLOC ? "alloc " : "decl ");
        out_declared_buffer(p, irl_stmt_buffer(s));
        break;
    case IRL_STMT_ASSUME:
    case IRL_STMT_ASSERT:
        out_puts(p, irl_stmt_kind_of(s) == IRL_STMT_ASSUME ? "assume(" : "assert(");
        out_any(p, irl_stmt_condition(s));
        if (irl_stmt_kind_of(s) == IRL_STMT_ASSERT) {
            out_puts(p, ", ");
            out_quoted(p, irl_stmt_message(s), '"');
        }
        for (k = 0; k < count; k++) out_puts(p, ", "), out_any(p, irl_stmt_arg(s, k));
        out_puts(p, ")");
        break;
    case IRL_STMT_BARRIER:
        out_puts(p, "barrier(");
        out_puts(p, irl_scope_text(irl_stmt_scope(s)));
        out_puts(p, ")");
        break;
    case IRL_STMT_EVALUATE:
        out_puts(p, "evaluate ");
        out_any(p, irl_stmt_value(s));
        break;
    case IRL_STMT_LAUNCH:
        out_puts(p, "launch ");
        out_symbol(p, irl_stmt_name(s));
        out_puts(p, "(");
        for (k = 0; k < count; k++) {
            if (k) out_puts(p, ", ");
            out_any(p, irl_stmt_arg(s, k));
        }
        out_puts(p, ")");
        break;
    default: break;
    }
    out_puts(p, ";\n");
}

static void out_stmt(out_printer *p, const irl_stmt *s, int indent)
{
    out_indent(p, indent);
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_SEQ:
        out_braces(p, s, indent);
        out_puts(p, "\n");
        break;
    case IRL_STMT_FOR: out_for(p, s, indent); break;
    case IRL_STMT_BLOCK: out_block(p, s, indent); break;
    case IRL_STMT_IF: out_if(p, s, indent); break;
    case IRL_STMT_ATTR:
        out_note(p, "attr", irl_stmt_note(s, 0));
        out_body(p, irl_stmt_body(s), indent);
        break;
    default: out_simple(p, s); break;
    }
}

/* ------------------------------------------------------------------ functions and modules */

static int out_has_logical(const irl_func *f, int k)
{
    const irl_buffer *b = irl_func_param_buffer(f, k);
    int               axis, rank = irl_func_param_logical_rank(f, k);
    if (irl_func_param_map(f, k) || irl_func_param_padding(f, k) || rank != irl_buffer_rank(b))
        return 1;
    for (axis = 0; axis < rank; axis++)
        if (irl_func_param_logical_extent(f, k, axis) != irl_buffer_extent(b, axis)) return 1;
    return 0;
}

static void out_padding(out_printer *p, const irl_expr *padding, out_place place)
{
    if (!padding) return;
    out_puts(p, ", pad(");
    out_at(p, padding, 0, place);
    out_puts(p, ")");
}

static void out_param(out_printer *p, const irl_func *f, int k)
{
    const irl_buffer *b = irl_func_param_buffer(f, k);
    int               axis;
    if (!b) {
        out_var(p, irl_func_param_scalar(f, k));
        out_puts(p, ": ");
        out_type(p, irl_expr_type(irl_func_param_scalar(f, k)));
        if (irl_func_param_is_implicit(f, k)) out_puts(p, " implicit");
        return;
    }
    out_buffer_name(p, b);
    out_puts(p, ": ");
    out_type(p, irl_buffer_type(b));
    out_shape(p, b);
    out_buffer_attrs(p, b, 0);
    if (!out_has_logical(f, k)) return;
    out_puts(p, " logical([");
    for (axis = 0; axis < irl_func_param_logical_rank(f, k); axis++) {
        if (axis) out_puts(p, ", ");
        out_at(p, irl_func_param_logical_extent(f, k, axis), 0, OUT_TYPED);
    }
    out_puts(p, "]");
    if (irl_func_param_map(f, k)) out_puts(p, ", "), out_map(p, irl_func_param_map(f, k));
    out_padding(p, irl_func_param_padding(f, k), OUT_TYPED);
    out_puts(p, ")");
}

static void out_params_on(out_printer *p, const irl_func *f, int indent, int one_per_line)
{
    int k;
    out_puts(p, "(");
    for (k = 0; k < irl_func_param_count(f); k++) {
        if (k) out_puts(p, ",");
        if (one_per_line) out_line(p, indent + 1, "");
        else if (k) out_puts(p, " ");
        out_param(p, f, k);
    }
    out_puts(p, ")");
}

/* On one line, or each on its own where the line would get long. */
static void out_params(out_printer *p, const irl_func *f, int indent)
{
    const size_t start = p->length;
    out_params_on(p, f, indent, 0);
    if (irl_func_param_count(f) < 2 || p->length - start < 100) return;
    p->length = start;
    out_params_on(p, f, indent, 1);
}

static void out_layout(out_printer *p, const irl_func *f, int layout)
{
    const char *name = irl_func_layout_buffer(f, layout);
    int         k, count = irl_func_param_count(f);
    out_puts(p, "layout(");
    for (k = 0; k < count; k++)
        if (irl_func_param_is_buffer(f, k) && strcmp(irl_func_param_name(f, k), name) == 0) break;
    if (k < count) out_buffer_name(p, irl_func_param_buffer(f, k));
    else out_symbol(p, name);
    out_puts(p, ": ");
    out_map(p, irl_func_layout_map(f, layout));
    out_padding(p, irl_func_layout_padding(f, layout), OUT_NONE);
    if (irl_func_layout_is_assumed(f, layout)) out_puts(p, ", assume_injective");
    out_puts(p, ")");
}

static void out_touched(out_printer *p, int is_said, const char *word, const irl_expr *count)
{
    if (!is_said) return;
    out_puts(p, word);
    if (!count) return;
    out_puts(p, "(");
    out_any(p, count);
    out_puts(p, ")");
}

/* The names of its parameters are its own: nothing around has a name there. */
static void out_extern(out_printer *p, const irl_extern_desc *x)
{
    out_printer own;
    int         k;
    memset(&own, 0, sizeof own);
    own.cx = p->cx;
    for (k = 0; k < x->count; k++)
        out_declare(&own, x->params[k].var, irl_expr_name(x->params[k].var), 0);
    out_puts(&own, "extern ");
    out_symbol(&own, x->name);
    out_puts(&own, "(");
    for (k = 0; k < x->count; k++) {
        const irl_extern_param *param = &x->params[k];
        if (k) out_puts(&own, ", ");
        out_var(&own, param->var);
        out_puts(&own, ": ");
        out_type(&own, irl_expr_type(param->var));
        out_touched(&own, param->reads, " reads", param->read_count);
        out_touched(&own, param->writes, " writes", param->write_count);
    }
    out_puts(&own, "): ");
    out_type(&own, x->type);
    if (x->is_pure) out_puts(&own, " pure");
    out_puts(p, own.text);
    free(own.text);
    free(own.used);
    free(own.named);
    free(own.undo);
    for (k = 0; k < (int)own.owned_count; k++) free(own.owned[k]);
    free(own.owned);
}

static void out_func(out_printer *p, const irl_func *f, int indent)
{
    static const char *const roles[] = { "", "host ", "kernel " };
    const size_t             mark = p->undo_count;
    int                      k, lines = 0;
    out_indent(p, indent);
    out_puts(p, roles[irl_func_role(f)]);
    out_puts(p, "func ");
    p->func = f;
    out_symbol(p, irl_func_name(f));
    for (k = 0; k < irl_func_param_count(f); k++) { /* a shape may name one behind it */
        const irl_expr *scalar = irl_func_param_scalar(f, k);
        if (scalar) out_declare(p, scalar, irl_expr_name(scalar), 0);
        else out_declare_buffer(p, irl_func_param_buffer(f, k), 0);
    }
    out_params(p, f, indent);
    for (k = 0; k < irl_func_layout_count(f); k++, lines++) {
        out_line(p, indent + 1, "");
        out_layout(p, f, k);
    }
    for (k = 0; k < irl_func_attr_count(f); k++, lines++) {
        out_line(p, indent + 1, "");
        out_note(p, "attr", irl_func_attr(f, k));
    }
    for (k = 0; k < irl_func_extern_count(f); k++, lines++) {
        out_line(p, indent + 1, "");
        out_extern(p, irl_func_extern(f, k));
    }
    if (lines) out_line(p, indent, "");
    else out_puts(p, " ");
    out_braces(p, irl_func_body(f), indent);
    out_puts(p, "\n");
    out_close(p, mark);
}

static void out_module(out_printer *p, const irl_module *m)
{
    int k;
    out_puts(p, "module ");
    out_symbol(p, irl_module_name(m));
    if (*irl_module_target(m)) {
        out_puts(p, " target(");
        out_symbol(p, irl_module_target(m));
        out_puts(p, ")");
    }
    out_puts(p, " {\n");
    if (irl_module_host(m)) out_func(p, irl_module_host(m), 1);
    for (k = 0; k < irl_module_kernel_count(m); k++) {
        out_puts(p, "\n");
        out_func(p, irl_module_kernel(m, k), 1);
    }
    out_puts(p, "}\n");
}

/* 1 if this printer writes exactly `expected` for one of the two. */
static int outside_prints(irl_ctx *cx, const irl_func *f, const irl_module *m, const char *expected)
{
    out_printer p;
    size_t      k, same = 0;
    int         right;
    memset(&p, 0, sizeof p);
    p.cx = cx;
    if (f) out_func(&p, f, 0);
    else out_module(&p, m);
    right = strcmp(p.text, expected) == 0;
    while (!right && p.text[same] == expected[same]) same++;
    if (!right)
        printf("written outside:\n%.300s\nby the library:\n%.300s\n",
               p.text + (same > 200 ? same - 200 : 0), expected + (same > 200 ? same - 200 : 0));
    for (k = 0; k < p.owned_count; k++) free(p.owned[k]);
    free(p.owned);
    free(p.text);
    free(p.used);
    free(p.named);
    free(p.undo);
    return right;
}

#endif
