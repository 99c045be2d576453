/* print.c - writing expressions, statements, functions and modules in the language of docs/grammar.md.

   needs     decimal.c
   promises  parsing the text of a function gives an equal one: what binds less than its place is in parentheses, a
             constant says its type where its place does not, a name that another thing in scope bears gets _1, _2, ...,
             and a name that is no identifier stands in back quotes; time linear in the text */
#include "ir.h"

#define IRL__PRINT_PREFIX_PRECEDENCE 13
#define IRL__PRINT_LONG_LINE 100

/* ------------------------------------------------------------------ names */

/* What is known about a name as a text: does it stand for something now, and the next suffix to try if so. */
typedef struct irl__print_used {
    int      in_scope;
    uint64_t suffix;
} irl__print_used;

typedef struct irl__print_name {
    const char *text; /* as it is written */
    size_t      length;
} irl__print_name;

typedef struct irl__print_undo {
    irl__print_used *used;
    irl__print_used  before;
} irl__print_undo;

typedef struct irl__printer {
    irl__text       *t;
    irl_ctx         *cx;    /* NULL: names are written as they are */
    irl__ptr_map     names; /* irl_expr of a variable, irl_buffer -> irl__print_name */
    irl__ptr_map     used;  /* interned name -> irl__print_used */
    irl__print_undo *undo;
    size_t           undo_count, undo_capacity;
} irl__printer;

static void irl__printer_init(irl__printer *p, irl__text *t, irl_ctx *cx)
{
    memset(p, 0, sizeof *p);
    p->t = t;
    p->cx = cx;
}

static int irl__print_is_identifier(const char *s)
{
    const char *c = s;
    if (!(*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'))) return 0;
    while (*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')) c++;
    return *c == '\0' && strcmp(s, "true") != 0 && strcmp(s, "false") != 0;
}

/* Between quotes, with escapes. */
static void irl__print_quoted(irl__text *t, const char *s, char quote)
{
    static const char hex[] = "0123456789abcdef";
    irl__text_putc(t, quote);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '\n') irl__text_puts(t, "\\n");
        else if (c == '\t') irl__text_puts(t, "\\t");
        else if (c == '\\' || *s == quote) {
            irl__text_putc(t, '\\');
            irl__text_putc(t, *s);
        } else if (c < 32 || c == 127) {
            irl__text_puts(t, "\\x");
            irl__text_putc(t, hex[c >> 4]);
            irl__text_putc(t, hex[c & 15]);
        } else irl__text_putc(t, *s);
    }
    irl__text_putc(t, quote);
}

/* A name that nothing here declares: a function's, a kernel's, a key. */
static void irl__print_symbol(irl__text *t, const char *name)
{
    if (irl__print_is_identifier(name)) irl__text_puts(t, name);
    else irl__print_quoted(t, name, '`');
}

static irl__print_used *irl__print_used_of(irl__printer *p, const char *name)
{
    irl__print_used *u = (irl__print_used *)irl__ptr_map_get(&p->used, name);
    if (u) return u;
    u = (irl__print_used *)irl__scratch_alloc(p->cx, 1, sizeof *u);
    return u && irl__ptr_map_put(p->cx, &p->used, name, u) ? u : NULL;
}

static int irl__print_remember(irl__printer *p, irl__print_used *u)
{
    if (p->undo_count == p->undo_capacity) {
        size_t           capacity = p->undo_capacity ? p->undo_capacity * 2 : 32;
        irl__print_undo *grown = (irl__print_undo *)irl__scratch_alloc(p->cx, capacity, sizeof *grown);
        if (!grown) return 0;
        if (p->undo_count) memcpy(grown, p->undo, p->undo_count * sizeof *grown);
        p->undo = grown;
        p->undo_capacity = capacity;
    }
    p->undo[p->undo_count].used = u;
    p->undo[p->undo_count].before = *u;
    p->undo_count++;
    return 1;
}

static const char *irl__print_with_suffix(irl__printer *p, const char *name, uint64_t suffix)
{
    char      digits[24];
    irl__text t;
    size_t    length = strlen(name), more;
    char     *joined;
    irl__text_init_fixed(&t, digits, sizeof digits);
    irl__text_putc(&t, '_');
    irl__text_uint(&t, suffix);
    more = t.length;
    joined = (char *)irl__scratch_alloc(p->cx, length + more + 1, 1);
    if (!joined) return NULL;
    memcpy(joined, name, length);
    memcpy(joined + length, digits, more);
    return irl__name(p->cx, joined, length + more);
}

/* The name that is written for one that wants `wanted`: itself, or the first with a suffix that is free. */
static const char *irl__print_free_name(irl__printer *p, const char *wanted, irl__print_used **out)
{
    irl__print_used *base = irl__print_used_of(p, wanted), *u = base;
    const char      *name = wanted;
    if (base && base->in_scope && !irl__print_remember(p, base)) return NULL;
    while (u && u->in_scope) {
        name = irl__print_with_suffix(p, wanted, ++base->suffix);
        u = name ? irl__print_used_of(p, name) : NULL;
    }
    *out = u;
    return u ? name : NULL;
}

static const irl__print_name *irl__print_name_new(irl__printer *p, const char *name)
{
    irl__print_name *n = (irl__print_name *)irl__scratch_alloc(p->cx, 1, sizeof *n);
    if (!n) return NULL;
    n->text = name;
    if (!irl__print_is_identifier(name)) {
        irl__text t;
        irl__text_init(&t, p->cx);
        irl__print_quoted(&t, name, '`');
        n->text = irl__text_done(&t);
        if (!n->text) return NULL;
    }
    n->length = strlen(n->text);
    return n;
}

/* Gives `thing` a name from here to the end of the scope, or for good (is_free: it is declared outside of what is printed). */
static const irl__print_name *irl__print_declare(irl__printer *p, const void *thing, const char *wanted, int is_free)
{
    irl__print_used       *u = NULL;
    const irl__print_name *n;
    const char            *name;
    if (!p->cx || p->t->failed) return NULL;
    name = irl__print_free_name(p, wanted, &u);
    n = name ? irl__print_name_new(p, name) : NULL;
    if (!n || (!is_free && !irl__print_remember(p, u)) || !irl__ptr_map_put(p->cx, &p->names, thing, n)) {
        p->t->failed = 1;
        return NULL;
    }
    u->in_scope = 1;
    return n;
}

static size_t irl__print_open(const irl__printer *p) { return p->undo_count; }

static void irl__print_close(irl__printer *p, size_t mark)
{
    while (p->undo_count > mark) {
        p->undo_count--;
        *p->undo[p->undo_count].used = p->undo[p->undo_count].before;
    }
}

static void irl__print_var(irl__printer *p, const irl_expr *var)
{
    const irl__print_name *n = (const irl__print_name *)irl__ptr_map_get(&p->names, var);
    if (!n) n = irl__print_declare(p, var, var->u.name, 1);
    if (n) irl__text_append(p->t, n->text, n->length);
    else irl__print_symbol(p->t, var->u.name);
}

/* The name of a buffer; its memory goes by the same name unless it had one before. */
static const irl__print_name *irl__print_declare_buffer(irl__printer *p, const irl_buffer *b, int is_free)
{
    const irl__print_name *n = irl__print_declare(p, b, b->name, is_free);
    if (n && !irl__ptr_map_get(&p->names, b->data) && !irl__ptr_map_put(p->cx, &p->names, b->data, n)) p->t->failed = 1;
    return n;
}

static void irl__print_buffer_name(irl__printer *p, const irl_buffer *b)
{
    const irl__print_name *n = (const irl__print_name *)irl__ptr_map_get(&p->names, b);
    if (!n) n = irl__print_declare_buffer(p, b, 1);
    if (n) irl__text_append(p->t, n->text, n->length);
    else irl__print_symbol(p->t, b->name);
}

/* ------------------------------------------------------------------ constants */

static void irl__print_decimal(irl__text *t, irl_type type, double value)
{
    char digits[IRL__DECIMAL_DIGITS + 1];
    int  point, count = irl__decimal_shortest(type, value, digits, &point), k;
    if (point > 16 || point < -4) { /* d.ddde-30 */
        irl__text_putc(t, digits[0]);
        if (count > 1) irl__text_putc(t, '.');
        irl__text_append(t, digits + 1, (size_t)count - 1);
        irl__textf(t, "e%d", point - 1);
        return;
    }
    if (point <= 0) irl__text_puts(t, "0.");
    for (k = point; k < 0; k++) irl__text_putc(t, '0');
    for (k = 0; k < count || k < point; k++) {
        if (k == point && k) irl__text_putc(t, '.');
        irl__text_putc(t, k < count ? digits[k] : '0');
    }
    if (k == point) irl__text_puts(t, ".0");
}

/* as(f32, u32(0x7fc00000)): the bits of what is no number, or not finite. */
static void irl__print_float_bits(irl__text *t, irl_type type, double value)
{
    int           bits = irl__type_info(type)->bits, shift;
    irl_type      as_uint = irl_type_of(bits == 16 ? IRL_U16 : bits == 32 ? IRL_U32 : IRL_U64, 1);
    unsigned char bytes[8];
    irl__scalar   s;
    memset(bytes, 0, sizeof bytes);
    s.f = value;
    irl__store_scalar(irl__type_with_lanes(type, 1), bytes, s);
    s = irl__load_scalar(as_uint, bytes);
    irl__textf(t, "as(%s, %s(0x", irl__type_info(type)->text, irl__type_info(as_uint)->text);
    for (shift = bits - 4; shift >= 0; shift -= 4) irl__text_putc(t, "0123456789abcdef"[((uint64_t)s.i >> shift) & 15]);
    irl__text_puts(t, "))");
}

void irl__print_float(irl__text *t, irl_type type, double value)
{
    uint64_t bits;
    int      is_f32 = type.scalar == IRL_F32;
    memcpy(&bits, &value, sizeof bits);
    if (((bits >> 52) & 0x7ff) == 0x7ff) {
        irl__print_float_bits(t, type, value);
        return;
    }
    if (!is_f32) irl__textf(t, "%s(", irl__type_info(type)->text);
    if (bits >> 63) irl__text_putc(t, '-');
    irl__print_decimal(t, type, value);
    irl__text_putc(t, is_f32 ? 'f' : ')');
}

/* How the place of an integer constant says its type. */
typedef enum irl__print_place {
    IRL__PLACE_NONE,   /* it does not: a number without a type would be an index */
    IRL__PLACE_TYPED,  /* it does: what stands there without a type takes this one */
    IRL__PLACE_FORCED  /* a number without a type would mean something else */
} irl__print_place;

static int irl__print_is_number(const irl_expr *e) { return e->op == IRL_OP_INT && e->type.scalar != IRL_BOOL; }

static void irl__print_int(irl__text *t, const irl_expr *e, irl__print_place place)
{
    int bare = place == IRL__PLACE_TYPED || (place == IRL__PLACE_NONE && e->type.scalar == IRL_INDEX);
    if (e->type.scalar == IRL_BOOL) {
        irl__text_puts(t, e->u.i ? "true" : "false");
        return;
    }
    if (!bare) irl__textf(t, "%s(", irl__type_info(e->type)->text);
    if (irl__type_info(e->type)->kind == IRL__UINT) irl__text_uint(t, (uint64_t)e->u.i);
    else irl__text_int(t, e->u.i);
    if (!bare) irl__text_putc(t, ')');
}

/* ------------------------------------------------------------------ expressions */

static void irl__print_at(irl__printer *p, const irl_expr *e, int least, irl__print_place place);

static void irl__print_list(irl__printer *p, const irl_expr *const *a, uint32_t from, uint32_t count, irl__print_place place)
{
    uint32_t k;
    for (k = from; k < count; k++) {
        if (k > from) irl__text_append(p->t, ", ", 2);
        irl__print_at(p, a[k], 0, place);
    }
}

/* Where operand k of an operator stands whose operands are all of one type. Numbers only would be computed by the parser, so
   then the first says its type; a number beside something else takes that one's type. */
static irl__print_place irl__print_operand_place(const irl_expr *e, uint32_t from, uint32_t k, irl__print_place place)
{
    uint32_t i, numbers = 0;
    if (place == IRL__PLACE_FORCED) place = IRL__PLACE_NONE;
    if (!irl__print_is_number(e->a[k])) return irl__op_info((irl_op)e->op)->rule == IRL__COMPARE ? IRL__PLACE_NONE : place;
    for (i = from; i < e->count; i++) numbers += (uint32_t)irl__print_is_number(e->a[i]);
    if (numbers < e->count - from) return IRL__PLACE_TYPED;
    if (k > from) return IRL__PLACE_TYPED;
    return e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE || e->op == IRL_OP_RAMP ? place : IRL__PLACE_FORCED;
}

static void irl__print_infix(irl__printer *p, const irl_expr *e, int least, irl__print_place place)
{
    const irl__op_row *row = irl__op_info((irl_op)e->op);
    if (row->precedence < least) irl__text_putc(p->t, '(');
    irl__print_at(p, e->a[0], row->precedence, irl__print_operand_place(e, 0, 0, place));
    irl__text_putc(p->t, ' ');
    irl__text_puts(p->t, row->text);
    irl__text_putc(p->t, ' ');
    irl__print_at(p, e->a[1], row->precedence + 1, irl__print_operand_place(e, 0, 1, place));
    if (row->precedence < least) irl__text_putc(p->t, ')');
}

/* -(0.5f) is an operator on a constant, -0.5f is a constant. */
static void irl__print_prefix(irl__printer *p, const irl_expr *e, irl__print_place place)
{
    int guard = e->a[0]->op == IRL_OP_FLOAT || irl__op_info((irl_op)e->a[0]->op)->form == IRL__PREFIX;
    irl__text_puts(p->t, irl__op_info((irl_op)e->op)->text);
    if (guard) irl__text_putc(p->t, '(');
    irl__print_at(p, e->a[0], guard ? 0 : IRL__PRINT_PREFIX_PRECEDENCE, irl__print_operand_place(e, 0, 0, place));
    if (guard) irl__text_putc(p->t, ')');
}

static void irl__print_call(irl__printer *p, const irl_expr *e, irl__print_place place)
{
    int      chooses = e->op == IRL_OP_SELECT || e->op == IRL_OP_IF_THEN_ELSE;
    uint32_t k, from = chooses ? 1 : 0;
    irl__text_puts(p->t, irl__op_info((irl_op)e->op)->text);
    irl__text_putc(p->t, '(');
    for (k = 0; k < e->count; k++) {
        if (k) irl__text_append(p->t, ", ", 2);
        if (e->op == IRL_OP_LANE || k < from) irl__print_at(p, e->a[k], 0, IRL__PLACE_NONE);
        else irl__print_at(p, e->a[k], 0, irl__print_operand_place(e, from, k, place));
    }
    irl__text_putc(p->t, ')');
}

static void irl__print_shuffle(irl__printer *p, const irl_expr *e)
{
    uint32_t k;
    irl__text_puts(p->t, "shuffle(");
    irl__print_list(p, e->a, 0, e->count, IRL__PLACE_NONE);
    irl__text_puts(p->t, ", [");
    for (k = 0; k < e->type.lanes; k++) {
        if (k) irl__text_append(p->t, ", ", 2);
        irl__text_int(p->t, e->u.picks[k]);
    }
    irl__text_puts(p->t, "])");
}

static void irl__print_let(irl__printer *p, const irl_expr *e, irl__print_place place)
{
    size_t mark = irl__print_open(p);
    irl__text_puts(p->t, "let(");
    irl__print_declare(p, e->a[0], e->a[0]->u.name, 0);
    irl__print_var(p, e->a[0]);
    irl__text_puts(p->t, " = ");
    irl__print_at(p, e->a[1], 0, IRL__PLACE_NONE);
    irl__text_puts(p->t, ", ");
    irl__print_at(p, e->a[2], 0, place);
    irl__text_putc(p->t, ')');
    irl__print_close(p, mark);
}

static void irl__print_named_call(irl__printer *p, const irl_expr *e)
{
    irl__text_puts(p->t, irl__op_info((irl_op)e->op)->text);
    irl__text_putc(p->t, '(');
    irl__type_text(p->t, e->type);
    irl__text_puts(p->t, ", ");
    irl__print_symbol(p->t, e->u.name);
    if (e->count) irl__text_puts(p->t, ", ");
    irl__print_list(p, e->a, 0, e->count, IRL__PLACE_NONE);
    irl__text_putc(p->t, ')');
}

static void irl__print_ramp(irl__printer *p, const irl_expr *e, irl__print_place place)
{
    irl__text_puts(p->t, "ramp(");
    irl__print_at(p, e->a[0], 0, irl__print_operand_place(e, 0, 0, place));
    irl__text_puts(p->t, ", ");
    irl__print_at(p, e->a[1], 0, irl__print_operand_place(e, 0, 1, place));
    irl__textf(p->t, ", %u)", (uint64_t)e->type.lanes);
}

static void irl__print_special(irl__printer *p, const irl_expr *e, irl__print_place place)
{
    switch (e->op) {
    case IRL_OP_INT: irl__print_int(p->t, e, place); break;
    case IRL_OP_FLOAT: irl__print_float(p->t, e->type, e->u.f); break;
    case IRL_OP_VAR: irl__print_var(p, e); break;
    case IRL_OP_RAMP: irl__print_ramp(p, e, place); break;
    case IRL_OP_SHUFFLE: irl__print_shuffle(p, e); break;
    case IRL_OP_LET: irl__print_let(p, e, place); break;
    case IRL_OP_CALL_EXTERN:
    case IRL_OP_CALL_INTRINSIC: irl__print_named_call(p, e); break;
    case IRL_OP_UNDEF:
        irl__text_puts(p->t, "undef(");
        irl__type_text(p->t, e->type);
        irl__text_putc(p->t, ')');
        break;
    case IRL_OP_CAST:
        irl__type_text(p->t, e->type);
        irl__text_putc(p->t, '(');
        irl__print_at(p, e->a[0], 0, IRL__PLACE_FORCED);
        irl__text_putc(p->t, ')');
        break;
    case IRL_OP_REINTERPRET:
        irl__text_puts(p->t, "as(");
        irl__type_text(p->t, e->type);
        irl__text_puts(p->t, ", ");
        irl__print_at(p, e->a[0], 0, IRL__PLACE_NONE);
        irl__text_putc(p->t, ')');
        break;
    case IRL_OP_BROADCAST:
        irl__text_puts(p->t, "broadcast(");
        irl__print_at(p, e->a[0], 0, place == IRL__PLACE_FORCED ? IRL__PLACE_NONE : place);
        irl__textf(p->t, ", %u)", (uint64_t)(e->type.lanes / e->a[0]->type.lanes));
        break;
    case IRL_OP_LOAD:
        irl__print_buffer_name(p, e->u.buffer);
        irl__text_putc(p->t, '[');
        irl__print_list(p, e->a, 0, e->count, IRL__PLACE_TYPED);
        irl__text_putc(p->t, ']');
        break;
    default: break;
    }
}

/* Writes e where operators of precedence `least` and above need no parentheses. */
static void irl__print_at(irl__printer *p, const irl_expr *e, int least, irl__print_place place)
{
    switch (irl__op_info((irl_op)e->op)->form) {
    case IRL__INFIX: irl__print_infix(p, e, least, place); break;
    case IRL__PREFIX: irl__print_prefix(p, e, place); break;
    case IRL__CALL: irl__print_call(p, e, place); break;
    case IRL__LEAF:
    case IRL__SPECIAL: irl__print_special(p, e, place); break;
    }
}

static void irl__print_any(irl__printer *p, const irl_expr *e) { irl__print_at(p, e, 0, IRL__PLACE_NONE); }

/* ------------------------------------------------------------------ maps */

static void irl__print_map_inputs(irl__printer *p, const irl_map *m)
{
    int k;
    irl__text_putc(p->t, '(');
    for (k = 0; k <= m->input_count; k++) {
        if (m->variadic && k == m->variadic_in) {
            irl__text_puts(p->t, k ? ", ..." : "...");
            if (k < m->input_count) irl__text_puts(p->t, ", ");
        } else if (k && k < m->input_count) irl__text_puts(p->t, ", ");
        if (k == m->input_count) break;
        irl__print_declare(p, m->inputs[k], m->inputs[k]->u.name, 0);
        irl__print_var(p, m->inputs[k]);
    }
    irl__text_putc(p->t, ')');
}

static void irl__print_map_outputs(irl__printer *p, const irl_map *m)
{
    int place, k = 0, separator = 0, places = m->output_count + (m->variadic ? 1 : 0);
    irl__text_putc(p->t, '(');
    for (place = 0; place < places; place++) {
        if (place) irl__text_puts(p->t, ", ");
        if (separator < m->separator_count && m->separators[separator] == place) {
            irl__text_puts(p->t, "|, ");
            separator++;
        }
        if (m->variadic && place == m->variadic_out) irl__text_puts(p->t, "...");
        else irl__print_any(p, m->outputs[k++]);
    }
    irl__text_putc(p->t, ')');
}

static void irl__print_map_with(irl__printer *p, const irl_map *m)
{
    size_t mark = irl__print_open(p);
    irl__print_map_inputs(p, m);
    irl__text_puts(p->t, " -> ");
    irl__print_map_outputs(p, m);
    irl__print_close(p, mark);
}

/* ------------------------------------------------------------------ buffers and annotations */

static void irl__print_buffer_attrs(irl__printer *p, const irl_buffer *b, int is_view)
{
    irl_scope usual = is_view ? (irl_scope)b->data->type.scope : IRL_SCOPE_GLOBAL;
    int       k;
    if (is_view) {
        irl__text_puts(p->t, " data(");
        irl__print_var(p, b->data);
        irl__text_putc(p->t, ')');
    }
    if (b->scope != usual) irl__textf(p->t, " scope(%s)", irl__scope_text(b->scope));
    if (b->strides && b->rank) {
        irl__text_puts(p->t, " strides(");
        irl__print_list(p, b->strides, 0, (uint32_t)b->rank, IRL__PLACE_TYPED);
        irl__text_putc(p->t, ')');
    }
    if (b->offset) {
        irl__text_puts(p->t, " offset(");
        irl__print_any(p, b->offset);
        irl__text_putc(p->t, ')');
    }
    if (b->alignment) irl__textf(p->t, " align(%u)", (uint64_t)b->alignment);
    for (k = 0; k < b->separator_count; k++) irl__textf(p->t, k ? ", %d" : " sep(%d", b->separators[k]);
    if (b->separator_count) irl__text_putc(p->t, ')');
}

static void irl__print_shape(irl__printer *p, int rank, const irl_expr *const *shape)
{
    irl__text_putc(p->t, '[');
    irl__print_list(p, shape, 0, (uint32_t)rank, IRL__PLACE_TYPED);
    irl__text_putc(p->t, ']');
}

/* name: type[shape] attributes. A buffer whose memory has a name already is a view of it. */
static void irl__print_declared_buffer(irl__printer *p, const irl_buffer *b)
{
    int is_view = irl__ptr_map_get(&p->names, b->data) != NULL;
    irl__print_declare_buffer(p, b, 0);
    irl__print_buffer_name(p, b);
    irl__text_puts(p->t, ": ");
    irl__type_text(p->t, b->type);
    irl__print_shape(p, b->rank, b->shape);
    irl__print_buffer_attrs(p, b, is_view);
}

static void irl__print_annotation(irl__printer *p, const irl__annotation *a)
{
    irl__text_putc(p->t, '(');
    irl__print_symbol(p->t, a->key);
    irl__text_puts(p->t, " = ");
    if (a->value) irl__print_any(p, a->value);
    else irl__print_quoted(p->t, a->text ? a->text : "", '"');
    irl__text_putc(p->t, ')');
}

/* ------------------------------------------------------------------ statements: each a line of its own */

static void irl__print_stmt_at(irl__printer *p, const irl_stmt *s, int indent);

static void irl__print_indent(irl__printer *p, int indent)
{
    static const char spaces[] = "                                                                ";
    int               n = indent * 4;
    for (; n > 64; n -= 64) irl__text_append(p->t, spaces, 64);
    irl__text_append(p->t, spaces, (size_t)n);
}

static void irl__print_stmts(irl__printer *p, const irl_stmt *s, int indent)
{
    int k;
    if (s->kind != IRL__SEQ) {
        irl__print_stmt_at(p, s, indent);
        return;
    }
    for (k = 0; k < s->u.seq.count; k++) irl__print_stmt_at(p, s->u.seq.stmts[k], indent);
}

/* " {", the statements, and "}", which ends the line if nothing more comes. */
static void irl__print_braces(irl__printer *p, const irl_stmt *s, int indent)
{
    size_t mark = irl__print_open(p);
    irl__text_puts(p->t, "{\n");
    irl__print_stmts(p, s, indent + 1);
    irl__print_indent(p, indent);
    irl__text_putc(p->t, '}');
    irl__print_close(p, mark);
}

static int irl__print_needs_braces(const irl_stmt *s)
{
    return s->kind == IRL__SEQ || s->kind == IRL__LET || s->kind == IRL__ALLOC || s->kind == IRL__DECL;
}

/* What belongs to the line before: in braces behind it, or on the next line. */
static void irl__print_body(irl__printer *p, const irl_stmt *s, int indent)
{
    size_t mark = irl__print_open(p);
    if (irl__print_needs_braces(s)) {
        irl__text_putc(p->t, ' ');
        irl__print_braces(p, s, indent);
        irl__text_putc(p->t, '\n');
    } else {
        irl__text_putc(p->t, '\n');
        irl__print_stmt_at(p, s, indent + 1);
    }
    irl__print_close(p, mark);
}

/* i: extent, i: lo .. hi, or, where no end can be read off, i: lo .. + extent. */
static void irl__print_range(irl__printer *p, const irl_stmt *s)
{
    const irl_expr *min = s->u.loop.min, *extent = s->u.loop.extent;
    int64_t         end;
    irl__print_declare(p, s->u.loop.var, s->u.loop.var->u.name, 0);
    irl__print_var(p, s->u.loop.var);
    irl__text_puts(p->t, ": ");
    if (irl__is_int(min, 0)) {
        irl__print_any(p, extent);
        return;
    }
    irl__print_any(p, min);
    irl__text_puts(p->t, " .. ");
    if (min->op == IRL_OP_INT && extent->op == IRL_OP_INT && irl__add64(min->u.i, extent->u.i, &end)) irl__text_int(p->t, end);
    else if (extent->op == IRL_OP_SUB && extent->a[1] == min && !(min->op == IRL_OP_INT && extent->a[0]->op == IRL_OP_INT))
        irl__print_any(p, extent->a[0]);
    else {
        irl__text_puts(p->t, "+ ");
        irl__print_any(p, extent);
    }
}

/* Loops that stand in each other and differ in nothing but their ranges share one header. */
static int irl__print_joins(const irl_stmt *s)
{
    const irl_stmt *inner = s->u.loop.body;
    return inner->kind == IRL__FOR && s->u.loop.kind != IRL_BOUND && inner->u.loop.kind == s->u.loop.kind && s->u.loop.annotation_count == 0;
}

static void irl__print_for(irl__printer *p, const irl_stmt *s, int indent)
{
    size_t mark = irl__print_open(p);
    int    k;
    irl__text_puts(p->t, "for ");
    if (s->u.loop.kind != IRL_SERIAL) irl__text_puts(p->t, irl__for_kind_text(s->u.loop.kind));
    if (s->u.loop.kind == IRL_BOUND) irl__textf(p->t, "(%s)", irl__axis_text(s->u.loop.axis));
    irl__text_puts(p->t, s->u.loop.kind == IRL_SERIAL ? "(" : " (");
    irl__print_range(p, s);
    for (; irl__print_joins(s); s = s->u.loop.body) {
        irl__text_puts(p->t, ", ");
        irl__print_range(p, s->u.loop.body);
    }
    irl__text_putc(p->t, ')');
    for (k = 0; k < s->u.loop.annotation_count; k++) {
        irl__text_puts(p->t, " note");
        irl__print_annotation(p, &s->u.loop.annotations[k]);
    }
    irl__print_body(p, s->u.loop.body, indent);
    irl__print_close(p, mark);
}

/* With an else behind it, all but a plain line stands in braces, so that the else finds its if. */
static void irl__print_if(irl__printer *p, const irl_stmt *s, int indent)
{
    const irl_stmt *then_ = s->u.branch.then_, *else_ = s->u.branch.else_;
    int             nests = then_->kind == IRL__IF || then_->kind == IRL__FOR || then_->kind == IRL__ATTR;
    irl__text_puts(p->t, "if (");
    irl__print_any(p, s->u.branch.condition);
    irl__text_putc(p->t, ')');
    if (!else_) {
        irl__print_body(p, then_, indent);
        return;
    }
    if (nests || irl__print_needs_braces(then_)) {
        irl__text_putc(p->t, ' ');
        irl__print_braces(p, then_, indent);
        irl__text_putc(p->t, ' ');
    } else {
        irl__print_body(p, then_, indent);
        irl__print_indent(p, indent);
    }
    irl__text_puts(p->t, "else");
    if (else_->kind == IRL__IF) {
        irl__text_putc(p->t, ' ');
        irl__print_if(p, else_, indent);
    } else irl__print_body(p, else_, indent);
}

static void irl__print_region(irl__printer *p, const irl__region *r)
{
    int k;
    irl__print_buffer_name(p, r->buffer);
    irl__text_putc(p->t, '[');
    for (k = 0; k < r->buffer->rank; k++) {
        if (k) irl__text_puts(p->t, ", ");
        irl__print_any(p, r->min[k]);
        if (irl__is_int(r->extent[k], 1)) continue;
        irl__text_puts(p->t, ": ");
        irl__print_any(p, r->extent[k]);
    }
    irl__text_putc(p->t, ']');
}

static void irl__print_regions(irl__printer *p, const char *word, int count, const irl__region *regions, int indent)
{
    int k;
    if (!count) return;
    irl__text_putc(p->t, '\n');
    irl__print_indent(p, indent);
    irl__text_puts(p->t, word);
    irl__text_putc(p->t, '(');
    for (k = 0; k < count; k++) {
        if (k) irl__text_puts(p->t, ", ");
        irl__print_region(p, &regions[k]);
    }
    irl__text_putc(p->t, ')');
}

static void irl__print_axes(irl__printer *p, const irl__block_data *b)
{
    int k;
    irl__text_putc(p->t, '(');
    for (k = 0; k < b->axis_count; k++) {
        const irl__axis *a = &b->axes[k];
        if (k) irl__text_puts(p->t, ", ");
        irl__print_declare(p, a->var, a->var->u.name, 0);
        irl__print_var(p, a->var);
        irl__text_puts(p->t, a->is_reduction ? ": reduce(" : ": spatial(");
        irl__print_any(p, a->extent);
        irl__text_puts(p->t, ") = ");
        irl__print_any(p, a->binding);
    }
    irl__text_putc(p->t, ')');
}

/* The clauses behind the axes, each on a line; returns whether there are any. */
static int irl__print_block_head(irl__printer *p, const irl__block_data *b, int indent)
{
    int k;
    if (b->predicate) {
        irl__text_putc(p->t, '\n');
        irl__print_indent(p, indent + 1);
        irl__text_puts(p->t, "where(");
        irl__print_any(p, b->predicate);
        irl__text_putc(p->t, ')');
    }
    irl__print_regions(p, "reads", b->read_count, b->reads, indent + 1);
    irl__print_regions(p, "writes", b->write_count, b->writes, indent + 1);
    for (k = 0; k < b->annotation_count; k++) {
        irl__text_putc(p->t, '\n');
        irl__print_indent(p, indent + 1);
        irl__text_puts(p->t, "note");
        irl__print_annotation(p, &b->annotations[k]);
    }
    return b->predicate || b->read_count || b->write_count || b->annotation_count;
}

static void irl__print_block_body(irl__printer *p, const irl__block_data *b, int indent)
{
    const irl_stmt *first = b->body->kind == IRL__SEQ && b->body->u.seq.count ? b->body->u.seq.stmts[0] : b->body;
    int             k;
    for (k = 0; k < b->alloc_count; k++) {
        irl__print_indent(p, indent);
        irl__text_puts(p->t, "alloc ");
        irl__print_declared_buffer(p, b->allocs[k]);
        irl__text_puts(p->t, ";\n");
    }
    for (k = 0; k < b->match_count; k++) {
        irl__print_indent(p, indent);
        irl__text_puts(p->t, "match ");
        irl__print_declared_buffer(p, b->matches[k].buffer);
        irl__text_puts(p->t, " = ");
        irl__print_region(p, &b->matches[k].source);
        irl__text_puts(p->t, ";\n");
    }
    if (b->init) {
        irl__print_indent(p, indent);
        irl__text_puts(p->t, "init");
        irl__print_body(p, b->init, indent);
    }
    if (first->kind == IRL__ALLOC) { /* not one of the block's own */
        irl__print_indent(p, indent);
        irl__print_braces(p, b->body, indent);
        irl__text_putc(p->t, '\n');
    } else irl__print_stmts(p, b->body, indent);
}

static void irl__print_block(irl__printer *p, const irl_stmt *s, int indent)
{
    const irl__block_data *b = s->u.block;
    size_t                 mark = irl__print_open(p);
    irl__text_puts(p->t, "block ");
    irl__print_symbol(p->t, b->name);
    irl__print_axes(p, b);
    if (irl__print_block_head(p, b, indent)) {
        irl__text_putc(p->t, '\n');
        irl__print_indent(p, indent);
        irl__text_puts(p->t, "{\n");
    } else irl__text_puts(p->t, " {\n");
    irl__print_block_body(p, b, indent + 1);
    irl__print_indent(p, indent);
    irl__text_puts(p->t, "}\n");
    irl__print_close(p, mark);
}

static void irl__print_store(irl__printer *p, const irl_stmt *s)
{
    const irl_buffer *b = s->u.store.buffer;
    irl__print_buffer_name(p, b);
    irl__print_shape(p, b->rank, s->u.store.indices);
    irl__text_puts(p->t, " = ");
    irl__print_at(p, s->u.store.value, 0, IRL__PLACE_TYPED);
    irl__text_puts(p->t, ";\n");
}

/* A word, an expression in brackets or bare, and the end of the line. */
static void irl__print_check(irl__printer *p, const irl_stmt *s)
{
    irl__text_puts(p->t, s->kind == IRL__ASSUME ? "assume(" : "assert(");
    irl__print_any(p, s->u.check.condition);
    if (s->kind == IRL__ASSERT) {
        irl__text_puts(p->t, ", ");
        irl__print_quoted(p->t, s->u.check.message ? s->u.check.message : "", '"');
    }
    irl__text_puts(p->t, ");\n");
}

static void irl__print_let_stmt(irl__printer *p, const irl_stmt *s)
{
    irl__text_puts(p->t, "let ");
    irl__print_declare(p, s->u.let.var, s->u.let.var->u.name, 0);
    irl__print_var(p, s->u.let.var);
    irl__text_puts(p->t, " = ");
    irl__print_any(p, s->u.let.value);
    irl__text_puts(p->t, ";\n");
}

static void irl__print_launch(irl__printer *p, const irl_stmt *s)
{
    irl__text_puts(p->t, "launch ");
    irl__print_symbol(p->t, s->u.launch.kernel);
    irl__text_putc(p->t, '(');
    irl__print_list(p, s->u.launch.args, 0, (uint32_t)s->u.launch.count, IRL__PLACE_NONE);
    irl__text_puts(p->t, ");\n");
}

static void irl__print_stmt_at(irl__printer *p, const irl_stmt *s, int indent)
{
    irl__print_indent(p, indent);
    switch ((irl__stmt_kind)s->kind) {
    case IRL__SEQ:
        irl__print_braces(p, s, indent);
        irl__text_putc(p->t, '\n');
        break;
    case IRL__FOR: irl__print_for(p, s, indent); break;
    case IRL__BLOCK: irl__print_block(p, s, indent); break;
    case IRL__IF: irl__print_if(p, s, indent); break;
    case IRL__LET: irl__print_let_stmt(p, s); break;
    case IRL__STORE: irl__print_store(p, s); break;
    case IRL__ALLOC:
    case IRL__DECL:
        irl__text_puts(p->t, s->kind == IRL__ALLOC ? "alloc " : "decl ");
        irl__print_declared_buffer(p, s->u.alloc.buffer);
        irl__text_puts(p->t, ";\n");
        break;
    case IRL__ASSUME:
    case IRL__ASSERT: irl__print_check(p, s); break;
    case IRL__BARRIER: irl__textf(p->t, "barrier(%s);\n", irl__scope_text(s->u.barrier.scope)); break;
    case IRL__EVALUATE:
        irl__text_puts(p->t, "evaluate ");
        irl__print_any(p, s->u.evaluate.value);
        irl__text_puts(p->t, ";\n");
        break;
    case IRL__ATTR:
        irl__text_puts(p->t, "attr");
        irl__print_annotation(p, &s->u.attr.annotation);
        irl__print_body(p, s->u.attr.body, indent);
        break;
    case IRL__LAUNCH: irl__print_launch(p, s); break;
    case IRL__STMT_KIND_COUNT: break;
    }
}

/* ------------------------------------------------------------------ functions and modules */

static int irl__print_has_logical(const irl__param *param)
{
    int k;
    if (param->map || param->padding || param->logical_rank != param->buffer->rank) return 1;
    for (k = 0; k < param->logical_rank; k++)
        if (param->logical_shape[k] != param->buffer->shape[k]) return 1;
    return 0;
}

static void irl__print_padding(irl__printer *p, const irl_expr *padding, irl__print_place place)
{
    if (!padding) return;
    irl__text_puts(p->t, ", pad(");
    irl__print_at(p, padding, 0, place);
    irl__text_putc(p->t, ')');
}

/* The names of parameters are given before, because a shape may name one that stands behind it. */
static void irl__print_param(irl__printer *p, const irl__param *param)
{
    if (!param->buffer) {
        irl__print_var(p, param->var);
        irl__text_puts(p->t, ": ");
        irl__type_text(p->t, param->var->type);
        return;
    }
    irl__print_buffer_name(p, param->buffer);
    irl__text_puts(p->t, ": ");
    irl__type_text(p->t, param->buffer->type);
    irl__print_shape(p, param->buffer->rank, param->buffer->shape);
    irl__print_buffer_attrs(p, param->buffer, 0);
    if (!irl__print_has_logical(param)) return;
    irl__text_puts(p->t, " logical(");
    irl__print_shape(p, param->logical_rank, param->logical_shape);
    if (param->map) {
        irl__text_puts(p->t, ", ");
        irl__print_map_with(p, param->map);
    }
    irl__print_padding(p, param->padding, IRL__PLACE_TYPED);
    irl__text_putc(p->t, ')');
}

static void irl__print_declare_params(irl__printer *p, const irl_func *f)
{
    int k;
    for (k = 0; k < f->param_count; k++) {
        if (f->params[k].buffer) irl__print_declare_buffer(p, f->params[k].buffer, 0);
        else irl__print_declare(p, f->params[k].var, f->params[k].var->u.name, 0);
    }
}

static void irl__print_params_with(irl__printer *p, const irl_func *f, int indent, int one_per_line)
{
    int k;
    irl__text_putc(p->t, '(');
    for (k = 0; k < f->param_count; k++) {
        if (k) irl__text_putc(p->t, ',');
        if (one_per_line) {
            irl__text_putc(p->t, '\n');
            irl__print_indent(p, indent + 1);
        } else if (k) irl__text_putc(p->t, ' ');
        irl__print_param(p, &f->params[k]);
    }
    irl__text_putc(p->t, ')');
}

/* On one line, or each on its own where the line would get long. */
static void irl__print_params(irl__printer *p, const irl_func *f, int indent)
{
    size_t start = p->t->length;
    irl__print_params_with(p, f, indent, 0);
    if (f->param_count < 2 || p->t->failed || p->t->length - start < IRL__PRINT_LONG_LINE) return;
    p->t->length = start;
    irl__print_params_with(p, f, indent, 1);
}

static const irl_buffer *irl__print_param_named(const irl_func *f, const char *name)
{
    int k;
    for (k = 0; k < f->param_count; k++)
        if (f->params[k].buffer && strcmp(f->params[k].name, name) == 0) return f->params[k].buffer;
    return NULL;
}

static void irl__print_layout(irl__printer *p, const irl_func *f, const irl__layout *layout)
{
    const irl_buffer *b = irl__print_param_named(f, layout->buffer);
    irl__text_puts(p->t, "layout(");
    if (b) irl__print_buffer_name(p, b);
    else irl__print_symbol(p->t, layout->buffer);
    irl__text_puts(p->t, ": ");
    irl__print_map_with(p, layout->map);
    irl__print_padding(p, layout->padding, IRL__PLACE_NONE);
    if (layout->assume_injective) irl__text_puts(p->t, ", assume_injective");
    irl__text_putc(p->t, ')');
}

static void irl__print_func_attrs(irl__printer *p, const irl_func *f, int indent)
{
    int k;
    for (k = 0; k < f->layout_count; k++) {
        irl__text_putc(p->t, '\n');
        irl__print_indent(p, indent + 1);
        irl__print_layout(p, f, &f->layouts[k]);
    }
    for (k = 0; k < f->annotation_count; k++) {
        irl__text_putc(p->t, '\n');
        irl__print_indent(p, indent + 1);
        irl__text_puts(p->t, "attr");
        irl__print_annotation(p, &f->annotations[k]);
    }
    irl__text_putc(p->t, f->layout_count + f->annotation_count ? '\n' : ' ');
    if (f->layout_count + f->annotation_count) irl__print_indent(p, indent);
}

static void irl__print_func_with(irl__printer *p, const irl_func *f, int indent)
{
    static const char *const roles[] = { "", "host ", "kernel " };
    size_t                   mark = irl__print_open(p);
    irl__print_indent(p, indent);
    irl__text_puts(p->t, roles[f->role]);
    irl__text_puts(p->t, "func ");
    irl__print_symbol(p->t, f->name);
    irl__print_declare_params(p, f);
    irl__print_params(p, f, indent);
    irl__print_func_attrs(p, f, indent);
    irl__print_braces(p, f->body, indent);
    irl__text_putc(p->t, '\n');
    irl__print_close(p, mark);
}

/* ------------------------------------------------------------------ entries */

static irl__arena_mark irl__print_begin(irl__printer *p, irl__text *t, irl_ctx *cx)
{
    irl__arena_mark none;
    memset(&none, 0, sizeof none);
    irl__printer_init(p, t, cx);
    return cx ? irl__scratch_begin(cx) : none;
}

static void irl__print_end(irl__printer *p, irl__arena_mark mark)
{
    if (p->cx) irl__scratch_end(p->cx, mark);
}

static const irl__print_name irl__print_bound = { "?", 1 };

/* Names what e does not bind itself before what it binds: the former are known to the reader by their names. */
static void irl__print_name_free(irl__printer *p, const irl_expr *e)
{
    uint32_t k;
    if (e->op == IRL_OP_VAR && !irl__ptr_map_get(&p->names, e)) irl__print_declare(p, e, e->u.name, 1);
    for (k = e->op == IRL_OP_LET; k < e->count && !p->t->failed; k++) {
        if (e->op == IRL_OP_LET && k == 2 && !irl__ptr_map_put(p->cx, &p->names, e->a[0], &irl__print_bound)) p->t->failed = 1;
        irl__print_name_free(p, e->a[k]);
    }
}

void irl__print_expr(irl__text *t, const irl_expr *e)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, t->cx);
    if (t->cx && (e->flags & IRL__HAS_LET)) irl__print_name_free(&p, e);
    irl__print_any(&p, e);
    irl__print_end(&p, mark);
}

void irl__print_stmt(irl__text *t, const irl_stmt *s, int indent)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, t->cx);
    irl__print_stmt_at(&p, s, indent);
    irl__print_end(&p, mark);
}

void irl__print_map(irl__text *t, const irl_map *m)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, m->cx);
    irl__print_map_with(&p, m);
    irl__print_end(&p, mark);
}

void irl__print_buffer(irl__text *t, const irl_buffer *b)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, t->cx);
    irl__print_declared_buffer(&p, b);
    irl__print_end(&p, mark);
}

void irl__print_func(irl__text *t, const irl_func *f)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, f->cx);
    irl__print_func_with(&p, f, 0);
    irl__print_end(&p, mark);
}

void irl__print_module(irl__text *t, const irl_module *m)
{
    irl__printer    p;
    irl__arena_mark mark = irl__print_begin(&p, t, m->cx);
    int             k;
    irl__text_puts(t, "module ");
    irl__print_symbol(t, m->name);
    if (m->target) {
        irl__text_puts(t, " target(");
        irl__print_symbol(t, m->target);
        irl__text_putc(t, ')');
    }
    irl__text_puts(t, " {\n");
    if (m->host) irl__print_func_with(&p, m->host, 1);
    for (k = 0; k < m->kernel_count; k++) {
        irl__text_putc(t, '\n');
        irl__print_func_with(&p, m->kernels[k], 1);
    }
    irl__text_puts(t, "}\n");
    irl__print_end(&p, mark);
}

const char *irl_expr_text(irl_ctx *cx, const irl_expr *e)
{
    irl__text t;
    if (!cx || !e) return NULL;
    irl__text_init(&t, cx);
    irl__print_expr(&t, e);
    return irl__text_done(&t);
}

const char *irl_map_text(irl_ctx *cx, const irl_map *map)
{
    irl__text t;
    if (!cx || !map) return NULL;
    irl__text_init(&t, cx);
    irl__print_map(&t, map);
    return irl__text_done(&t);
}

const char *irl_func_text(const irl_func *f)
{
    irl__text t;
    if (!f) return NULL;
    irl__text_init(&t, f->cx);
    irl__print_func(&t, f);
    return irl__text_done(&t);
}

const char *irl_module_text(const irl_module *m)
{
    irl__text t;
    if (!m) return NULL;
    irl__text_init(&t, m->cx);
    irl__print_module(&t, m);
    return irl__text_done(&t);
}
