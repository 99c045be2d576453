/* type.c - value types and the rules by which operators combine them.

   needs     types.h, ops.h, scopes.h: the tables
   promises  only the row of a type, an operator or a scope knows its properties */
#include "ir.h"

static const irl__type_row irl__type_rows[] = {
#define IRL_TYPE_ROW(name, text, kind, bits, bytes, ocl, c, ...) \
    { text, IRL_KIND_##kind, bits, bytes, ocl, c },
#include "types.h"
};

static const irl__op_row irl__op_rows[] = {
#define IRL_OPERATOR(name, text, form, arity, precedence, rule, fold, ocl, doc) \
    { #name, text, IRL_FORM_##form, arity, precedence, IRL_RULE_##rule, ocl, doc },
#include "ops.h"
};

typedef struct irl__scope_row {
    const char *text;
    irl__image  image;
} irl__scope_row;

static const irl__scope_row irl__scope_rows[] = {
#define IRL_SCOPE_ROW(name, text, ocl, image) { text, IRL__IMAGE_##image },
#include "scopes.h"
};

const irl__type_row *irl__type_info(irl_type t)
{
    return &irl__type_rows[t.scalar < IRL__SCALAR_COUNT ? t.scalar : 0];
}
const irl__op_row *irl__op_info(irl_op op)
{
    return &irl__op_rows[(unsigned)op < (unsigned)IRL__OP_COUNT ? (unsigned)op : 0];
}

int irl__op_is_whole(irl_op op)
{
    return (op >= IRL_OP_FLOOR && op <= IRL_OP_RINT) || op == IRL_OP_ROUND;
}

int irl__op_is_transcendental(irl_op op)
{
    const irl__op_row *row = irl__op_info(op);
    switch (op) {
    case IRL_OP_SQRT: case IRL_OP_RSQRT: case IRL_OP_FMA: case IRL_OP_COPYSIGN: return 0;
    default:
        return row->form == IRL_FORM_CALL && row->rule == IRL__SAME_FLOAT &&
               !irl__op_is_whole(op);
    }
}
/* In the order of ops.h: ==, !=, <, <=, >, >=. `holds`: 1 of a < b, 2 of a == b, 4 of a > b. */
static const struct {
    uint8_t negated, mirrored, strict, holds;
} irl__comparisons[] = {
    { IRL_OP_NE, IRL_OP_EQ, IRL_OP_EQ, 2 }, { IRL_OP_EQ, IRL_OP_NE, IRL_OP_NE, 1 | 4 },
    { IRL_OP_GE, IRL_OP_GT, IRL_OP_LT, 1 }, { IRL_OP_GT, IRL_OP_GE, IRL_OP_LT, 1 | 2 },
    { IRL_OP_LE, IRL_OP_LT, IRL_OP_GT, 4 }, { IRL_OP_LT, IRL_OP_LE, IRL_OP_GT, 2 | 4 },
};
static int irl__op_compares(unsigned op) { return op >= IRL_OP_EQ && op <= IRL_OP_GE; }
irl_op irl__op_negated(unsigned op)
{
    return (irl_op)(irl__op_compares(op) ? irl__comparisons[op - IRL_OP_EQ].negated : op);
}
irl_op irl__op_mirrored(unsigned op)
{
    return (irl_op)(irl__op_compares(op) ? irl__comparisons[op - IRL_OP_EQ].mirrored : op);
}
irl_op irl__op_strict(unsigned op)
{
    return (irl_op)(irl__op_compares(op) ? irl__comparisons[op - IRL_OP_EQ].strict : op);
}
int irl__op_holds(unsigned op, int64_t a, int64_t b)
{
    return (irl__comparisons[op - IRL_OP_EQ].holds & (a < b ? 1 : a == b ? 2 : 4)) != 0;
}
const irl_scalar_row *irl_scalar_info(irl_scalar scalar)
{
    return (unsigned)scalar < (unsigned)IRL__SCALAR_COUNT ? &irl__type_rows[scalar] : NULL;
}
const irl_op_row *irl_op_info(irl_op op)
{
    return (unsigned)op < (unsigned)IRL__OP_COUNT ? &irl__op_rows[op] : NULL;
}
const char *irl__scope_text(irl_scope scope)
{
    return (unsigned)scope < (unsigned)IRL__SCOPE_COUNT ? irl__scope_rows[scope].text : "?";
}
const char *irl_scope_text(irl_scope scope)
{
    return (unsigned)scope < (unsigned)IRL__SCOPE_COUNT ? irl__scope_text(scope) : "";
}

int irl_scope_find(const char *name)
{
    for (int k = 0; name && k < (int)IRL__SCOPE_COUNT; k++)
        if (strcmp(irl__scope_text((irl_scope)k), name) == 0) return k;
    return -1;
}

static const char *irl__type_scope_at(int k) { return irl_scope_text((irl_scope)k); }

int irl__scope_unknown(irl_ctx *cx, irl_code code, irl_loc where, const char *name)
{
    irl__near nearest;
    irl__near_of(&nearest, name, irl__type_scope_at);
    return irl__fail(cx, code, where,
                     "'%s' is not a scope: global, shared, local, constant, texture, "
                     "texture:weight, texture:volume, texture:buffer are%s",
                     name, irl__near_said(&nearest));
}

irl__image irl__scope_image(irl_scope scope)
{
    return (unsigned)scope < (unsigned)IRL__SCOPE_COUNT ? irl__scope_rows[scope].image
                                                        : IRL__IMAGE_NONE;
}
int irl__scope_is_image(irl_scope scope) { return irl__scope_image(scope) != IRL__IMAGE_NONE; }

/* ------------------------------------------------------------------ types */

irl_type irl_type_of(irl_scalar scalar, int lanes)
{
    irl_type t;
    memset(&t, 0, sizeof t);
    t.scalar = (uint8_t)scalar;
    t.lanes = lanes > 0 ? (uint32_t)lanes : 1;
    return t;
}

irl_type irl_type_pointer(irl_type element, irl_scope scope)
{
    element.is_pointer = 1;
    element.scope = (uint8_t)scope;
    return element;
}

int irl_type_equal(irl_type a, irl_type b)
{
    return a.scalar == b.scalar && a.lanes == b.lanes && a.is_pointer == b.is_pointer &&
           a.scope == b.scope;
}

int irl__type_is_integer(irl_type t)
{
    irl__kind k = irl__type_info(t)->kind;
    return !t.is_pointer && (k == IRL_KIND_INT || k == IRL_KIND_UINT || k == IRL_KIND_INDEX);
}

int irl__type_is_float(irl_type t)
{
    irl__kind k = irl__type_info(t)->kind;
    return !t.is_pointer && (k == IRL_KIND_FLOAT || k == IRL_KIND_BFLOAT);
}
int irl__type_is_half(irl_type t) { return irl__type_is_float(t) && irl__type_info(t)->bits == 16; }
int irl__type_is_normalised(irl_type t)
{
    return !t.is_pointer && irl__type_info(t)->kind >= IRL_KIND_UNORM;
}
int irl__type_is_real(irl_type t) { return irl__type_is_float(t) || irl__type_is_normalised(t); }
int irl__type_is_storage(irl_type t)
{
    return irl__type_is_half(t) || irl__type_is_normalised(t);
}

int irl__type_is_signed(irl_type t)
{
    irl__kind k = irl__type_info(t)->kind;
    return k == IRL_KIND_INT || k == IRL_KIND_INDEX;
}

int irl__type_is_index(irl_type t) { return !t.is_pointer && t.scalar == IRL_INDEX; }

irl_type irl__type_with_lanes(irl_type t, uint32_t lanes)
{
    t.lanes = lanes;
    return t;
}

irl_type irl__type_index(void) { return irl_type_of(IRL_INDEX, 1); }
irl_scalar irl__type_uint(irl_type t)
{
    int bits = irl__type_info(t)->bits;
    return bits == 64 ? IRL_U64 : bits == 32 ? IRL_U32 : bits == 16 ? IRL_U16 : IRL_U8;
}

irl_type irl__type_bool(uint32_t lanes)
{
    return irl__type_with_lanes(irl_type_of(IRL_BOOL, 1), lanes);
}
size_t   irl__type_bytes(irl_type t) { return (size_t)irl__type_info(t)->bytes * t.lanes; }

uint32_t irl__type_alignment(irl_type t)
{
    uint32_t scalar = (uint32_t)irl__type_info(t)->bytes, lanes = t.lanes < 16 ? t.lanes : 16;
    return (t.lanes & (t.lanes - 1)) == 0 ? scalar * lanes : scalar;
}

void irl__type_text(irl__text *t, irl_type type)
{
    if (type.is_pointer) irl__text_puts(t, "ptr(");
    irl__text_puts(t, irl__type_info(type)->text);
    if (type.lanes != 1) irl__textf(t, "x%u", (uint64_t)type.lanes);
    if (type.is_pointer) irl__textf(t, ", %s)", irl__scope_text((irl_scope)type.scope));
}

const char *irl__type_cstr(irl_ctx *cx, irl_type type)
{
    irl__text t;
    irl__text_init(&t, cx);
    irl__type_text(&t, type);
    const char *s = irl__text_done(&t);
    return s ? s : "?";
}

const char *irl_type_text(irl_ctx *cx, irl_type type) { return cx ? irl__type_cstr(cx, type) : ""; }

int irl__type_named(const char *name, size_t length, irl_type *out)
{
    size_t digit;
    for (size_t k = 0; length && k < IRL__COUNTOF(irl__type_rows); k++) {
        if (*irl__type_rows[k].text != *name) continue;
        size_t n = strlen(irl__type_rows[k].text);
        int    lanes = 0;
        if (length < n || memcmp(name, irl__type_rows[k].text, n) != 0) continue;
        *out = irl_type_of((irl_scalar)k, 1);
        if (length == n) return 1;
        if (name[n] != 'x' || length == n + 1 || length > n + 3 || name[n + 1] == '0') continue;
        for (digit = n + 1; digit < length && name[digit] >= '0' && name[digit] <= '9'; digit++)
            lanes = lanes * 10 + (name[digit] - '0');
        if (digit != length || lanes < 2 || lanes > IRL_MAX_LANES) continue;
        out->lanes = (uint32_t)lanes;
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ the rules of operators */

/* Which rules take scalars of a kind: bit r is irl__rule r. Normalised types are stored, not
   computed with. */
#define IRL__FITS_NUMBERS (1u << IRL__SAME_ARITH | 1u << IRL__COMPARE | 1u << IRL__OWN)
#define IRL__FITS_BOOL \
    (1u << IRL__SAME_BITS | 1u << IRL__COMPARE | 1u << IRL__RULE_BOOL | 1u << IRL__OWN)
#define IRL__FITS_INT (IRL__FITS_NUMBERS | 1u << IRL__SAME_INT | 1u << IRL__SAME_BITS)
#define IRL__FITS_UINT IRL__FITS_INT
#define IRL__FITS_INDEX IRL__FITS_INT
#define IRL__FITS_FLOAT (IRL__FITS_NUMBERS | 1u << IRL__SAME_FLOAT)
#define IRL__FITS_BFLOAT IRL__FITS_FLOAT
#define IRL__FITS_UNORM (1u << IRL__OWN)
#define IRL__FITS_SNORM IRL__FITS_UNORM
static const uint16_t irl__type_fits[] = {
#define IRL_TYPE_ROW(name, text, kind, ...) (uint16_t)IRL__FITS_##kind,
#include "types.h"
};

static int irl__type_fits_rule(irl__rule rule, irl_type t)
{
    return rule == IRL__OWN || (!t.is_pointer && t.scalar < IRL__SCALAR_COUNT &&
                                (irl__type_fits[t.scalar] >> rule) & 1);
}

void irl__type_operand(const irl_expr *e, char *text, size_t capacity)
{
    irl__text t;
    irl__text_init_fixed(&t, text, capacity);
    text[0] = '\0';
    if (e->op == IRL_OP_VAR) irl__textf(&t, "%s", e->u.name);
    if (e->op == IRL_OP_LOAD) irl__textf(&t, "%s[...]", e->u.buffer->name);
}

int irl__type_cast_side(irl_type a, irl_type b)
{
    if (a.lanes != b.lanes || a.is_pointer || b.is_pointer || a.scalar == IRL_BOOL ||
        b.scalar == IRL_BOOL || irl__type_is_normalised(a) || irl__type_is_normalised(b))
        return -1;
    if (irl__type_is_float(a) != irl__type_is_float(b)) return irl__type_is_float(a);
    if (irl__type_is_index(a) != irl__type_is_index(b)) return irl__type_is_index(a);
    return irl__type_info(a)->bits > irl__type_info(b)->bits;
}

/* Two operands of two types: which is which, and how one is cast. */
static int irl__type_clash(irl_ctx *cx, const char *name, const irl_expr *a, const irl_expr *b,
                           irl_loc where)
{
    const int side = irl__type_cast_side(a->type, b->type);
    char      text[2][40];
    irl__type_operand(a, text[0], sizeof text[0]);
    irl__type_operand(b, text[1], sizeof text[1]);
    irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
              "the operands of %s must have one type; the left one%s%s is %s, the right one%s%s %s",
              name, text[0][0] ? ", " : "", text[0], irl__type_cstr(cx, a->type),
              text[1][0] ? ", " : "", text[1], irl__type_cstr(cx, b->type));
    return side < 0 ? 0
                    : irl__hint(cx, "write %s(%s) for the %s operand",
                                irl__type_cstr(cx, side ? a->type : b->type),
                                text[side][0] ? text[side] : "...", side ? "right" : "left");
}

/* Why the operands do not fit a rule of the table. */
static int irl__type_misfits(irl_ctx *cx, const irl__op_row *row, int count,
                             const irl_expr *const *a, irl_loc where)
{
    const char *name = row->text[0] ? row->text : row->name;
    int         k, fits = 1;
    for (k = 0; fits && k < count; k++) fits = irl__type_fits_rule(row->rule, a[k]->type);
    if (!fits) {
        static const char *const text[] = {"integers, index or floats",
                                           "integers or index",
                                           "floats",
                                           "integers or bool",
                                           "numbers or bool",
                                           "bool",
                                           ""};
        char operand[40];
        irl__type_operand(a[k - 1], operand, sizeof operand);
        irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where, "%s takes %s; found %s%s", name,
                  text[row->rule], irl__type_cstr(cx, a[k - 1]->type),
                  irl__type_is_normalised(a[k - 1]->type) ? ", which is stored only: cast it to f32"
                                                          : "");
        return strcmp(text[row->rule], "bool") != 0
                   ? 0 : irl__hint(cx, "write %s != 0", operand[0] ? operand : "(...)");
    }
    for (k = 1; k < count - 1 && irl_type_equal(a[k]->type, a[0]->type); k++) {}
    if (count == 2) return irl__type_clash(cx, name, a[0], a[1], where);
    return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                     "the operands of %s must have one type; found %s and %s", name,
                     irl__type_cstr(cx, a[0]->type), irl__type_cstr(cx, a[k]->type));
}

int irl__op_has_rule(irl_op op)
{
    return irl__op_info(op)->rule != IRL__OWN || op == IRL_OP_SELECT || op == IRL_OP_IF_THEN_ELSE ||
           op == IRL_OP_LANE;
}

int irl__op_type(irl_ctx *cx, irl_op op, int count, const irl_expr *const *a, irl_loc where,
                 irl_type *out)
{
    const irl__op_row *row = irl__op_info(op);
    int                k, fit = 1;
    if (row->arity >= 0 && count != row->arity)
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where, "%s takes %d operands; found %d",
                         row->name, row->arity, count);
    if (row->rule == IRL__OWN) {
        /* Operators with a rule of their own. */
        if (op == IRL_OP_SELECT || op == IRL_OP_IF_THEN_ELSE) {
            irl_type    c = a[0]->type;
            const char *said = op == IRL_OP_SELECT ? row->text : "c ? a : b";
            if (c.scalar != IRL_BOOL || c.is_pointer ||
                (c.lanes != 1 && c.lanes != a[1]->type.lanes))
                return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                                 "%s chooses by a bool, or one bool per lane; found %s", said,
                                 irl__type_cstr(cx, c));
            if (c.lanes != 1 && row == irl__op_info(IRL_OP_IF_THEN_ELSE))
                return irl__fail(
                    cx, IRL_ERROR_TYPE_MISMATCH, where,
                    "if_then_else evaluates one arm, so its condition is one bool; found %s",
                    irl__type_cstr(cx, c));
            if (!irl_type_equal(a[1]->type, a[2]->type) || a[1]->type.is_pointer)
                return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                                 "the arms of %s must have one type; found %s and %s", said,
                                 irl__type_cstr(cx, a[1]->type), irl__type_cstr(cx, a[2]->type));
            *out = a[1]->type;
            return 1;
        }
        if (op != IRL_OP_LANE)
            return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where, "%s has its own builder",
                             row->name);
        if (a[1]->type.lanes != 1 || !irl__type_is_integer(a[1]->type) || a[0]->type.is_pointer)
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                             "lane(v, k) takes a vector and an integer; found %s and %s",
                             irl__type_cstr(cx, a[0]->type), irl__type_cstr(cx, a[1]->type));
        *out = irl__type_with_lanes(a[0]->type, 1);
        return 1;
    }
    for (k = 1; k < count; k++)
        fit &= memcmp(&a[k]->type, &a[0]->type, sizeof a[0]->type) == 0 ||
               irl_type_equal(a[k]->type, a[0]->type);
    if (!fit || !irl__type_fits_rule(row->rule, a[0]->type))
        return irl__type_misfits(cx, row, count, a, where);
    *out = row->rule == IRL__COMPARE ? irl__type_bool(a[0]->type.lanes) : a[0]->type;
    return 1;
}
