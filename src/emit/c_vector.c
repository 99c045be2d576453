/* c_vector.c - vectors as gcc and clang have them: target c-gnu.

   needs     vectors in the forms of src/target/vectors.c; the scalar printers
   promises  a type for each kind of vector, made where it is used; sums, products and bits by the
             compilers' own operators, signed integers wrapping as unsigned ones; all else lane by
             lane, (T){ a, b, ... }, by what is printed for scalars. Memory is accessed through
             types that may begin at any element and may alias. No function takes or returns a
             vector, so that no compiler's calling convention matters. A condition of lanes is a
             vector of integers as wide as the values, 0 or -1, by the compilers' comparisons; a
             choice takes the bits of either value by it, whatever they are; a condition that all
             lanes share is C's own choice */
#include "c.h"

/* ------------------------------------------------------------------ types */

irl_type irl__c_vector_held(const irl__emit *e, irl_type type)
{
    static const irl_scalar by_width[] = { IRL_U32, IRL_I32, IRL_I64 };
    irl_scalar   own = e->language->index_scalar;
    if (irl__type_is_index(type))
        return irl_type_of(own != IRL_BOOL ? own : by_width[e->width], (int)type.lanes);
    return type;
}

void irl__c_vector_type(irl__emit *e, irl_type type)
{
    type = irl__c_vector_held(e, type);
    irl__emit_need(e, IRL__C_VECTOR, type);
    irl__emit_vector_name(e, &e->text, "", type);
}

/* Whether the text uses the type. */
int irl__c_vector_is_used(irl__emit *e, irl_type type)
{
    char      name[160];
    irl__text t;
    irl__text_init_fixed(&t, name, sizeof name);
    irl__emit_vector_name(e, &t, "", type);
    if (irl__emit_mentions(&e->text, 0, name)) return 1;
    irl__text_puts(&t, "_at");
    return irl__emit_mentions(&e->text, 0, name);
}

/* ------------------------------------------------------------------ fma */

/* The types of which a machine has the instruction, where a macro of its compilers is defined. */
typedef struct irl__c_fma_row {
    irl_scalar  scalar;
    uint32_t    lanes; /* as they are held */
    const char *macro, *function, *type;
} irl__c_fma_row;

static const irl__c_fma_row irl__c_fma_rows[] = {
    { IRL_F32, 4, "__FMA__", "_mm_fmadd_ps", "__m128" },
    { IRL_F32, 8, "__FMA__", "_mm256_fmadd_ps", "__m256" },
    { IRL_F32, 16, "__AVX512F__", "_mm512_fmadd_ps", "__m512" },
    { IRL_F64, 2, "__FMA__", "_mm_fmadd_pd", "__m128d" },
    { IRL_F64, 4, "__FMA__", "_mm256_fmadd_pd", "__m256d" },
    { IRL_F64, 8, "__AVX512F__", "_mm512_fmadd_pd", "__m512d" },
};

static uint32_t irl__c_vector_held_lanes(irl_type type) { return type.lanes == 3 ? 4 : type.lanes; }

static const irl__c_fma_row *irl__c_fma_row_of(const irl_expr *x)
{
    for (size_t k = 0; x->op == IRL_OP_FMA && k < IRL__COUNTOF(irl__c_fma_rows); k++)
        if (irl__c_fma_rows[k].scalar == x->type.scalar &&
            irl__c_fma_rows[k].lanes == irl__c_vector_held_lanes(x->type))
            return &irl__c_fma_rows[k];
    return NULL;
}

void irl__c_vector_header(irl__text *t, int fma, int f16c)
{
    irl__textf(t, "#if %s%s%s\n#include <immintrin.h>\n#endif\n",
               fma ? "defined(__FMA__) || defined(__AVX512F__)" : "", fma && f16c ? " || " : "",
               f16c ? "defined(__F16C__)" : "");
}

void irl__c_vector_fma_helper(const irl__emit *e, irl__text *t, irl_type type)
{
    const irl__c_fma_row *row = irl__c_fma_rows;
    uint32_t              k, lanes = irl__c_vector_held_lanes(type);
    while (row->scalar != type.scalar || row->lanes != lanes) row++; /* there is one */
    irl__textf(t, "/* rounded once */\n#if defined(%s)\n", row->macro);
    irl__emit_template(e, t, "#define irl_fma_`x@(a, b, c) \\\n    (($)", type);
    irl__textf(t, "%s((%s)(a), (%s)(b), (%s)(c)))\n#else\n", row->function, row->type, row->type,
               row->type);
    irl__emit_template(e, t, "#define irl_fma_`x@(a, b, c) \\\n    (($){", type);
    for (k = 0; k < lanes; k++)
        irl__textf(t, "%s \\\n        fma%s((a)[%u], (b)[%u], (c)[%u])", k ? "," : "",
                   type.scalar == IRL_F32 ? "f" : "", (uint64_t)k, (uint64_t)k, (uint64_t)k);
    irl__text_puts(t, " })\n#endif\n\n");
}

/* ------------------------------------------------------------------ memory */

/* The addends of a place behind a pointer, each by itself: as wide as the pointer is the sum, and
   nothing need be known about how it wraps. None is below 0, so no sum of some of them is outside
   of the memory. */
static void irl__c_vector_addends(irl__emit *e, const irl_expr *x)
{
    if (x->op == IRL_OP_ADD && !irl__emit_find(e, x)) {
        irl__c_vector_addends(e, x->a[0]);
        irl__c_vector_addends(e, x->a[1]);
        return;
    }
    irl__text_puts(&e->text, " + ");
    irl__emit_index(e, x, IRL__WIDTH_UINT, IRL__PREC_PRODUCT);
}

/* *(const irl_f_f32x4_at *)(x + i), by runs ((const irl_f_f32x4_at *)x)[i] */
void irl__c_vector_place(irl__emit *e, const irl__memory_place *p)
{
    irl_type type = irl__type_with_lanes(p->type, p->lanes);
    irl__text_puts(&e->text, p->by_run ? "((" : "(*(");
    irl__emitf(e, "%s%t_at *)(%svoid *)", p->is_store ? "" : "const ", type,
               p->is_store ? "" : "const ");
    if (p->by_run) {
        irl__textf(&e->text, "%s)[", p->name);
        irl__emit_place_index(e, p);
        irl__text_putc(&e->text, ']');
        return;
    }
    irl__text_putc(&e->text, '(');
    if (p->way != IRL__WAY_DIRECT)
        irl__textf(&e->text, "(%s%s *)(%svoid *)", p->is_store ? "" : "const ", p->scalar,
                   p->is_store ? "" : "const ");
    irl__text_puts(&e->text, p->name);
    if (p->index && e->language->place && irl__emit_width(e, p->index, NULL) == IRL__WIDTH_UINT)
        irl__c_vector_addends(e, p->index);
    else {
        irl__text_puts(&e->text, " + (");
        irl__emit_place_index(e, p);
        irl__text_putc(&e->text, ')');
    }
    irl__text_puts(&e->text, "))");
}

/* ------------------------------------------------------------------ lanes */

static int irl__c_vector_is_named(irl__emit *e, const irl_expr *x)
{
    return x->op == IRL_OP_VAR || (e->temporaries && irl__emit_find(e, x));
}

/* Lane k as an expression of scalars: of operators the operator of lanes; what is a vector in the
   text, a name, a load or bits seen otherwise, keeps its lane. */
static const irl_expr *irl__c_vector_lane(irl__emit *e, const irl_expr *x, uint32_t k)
{
    const irl_expr *args[3], *from;
    while (x && !irl__c_vector_is_named(e, x) && (from = irl__lane_operand(x, &k)) != NULL)
        x = from;
    if (!x || x->type.lanes == 1) return x;
    irl_type one = irl__type_with_lanes(x->type, 1);
    if (irl__c_vector_is_named(e, x) || x->op == IRL_OP_LOAD || x->count > 3 ||
        (x->op == IRL_OP_REINTERPRET && x->a[0]->type.lanes != x->type.lanes))
        return irl__op_number(e->cx, IRL_OP_LANE, x, (int64_t)k);
    if (x->op == IRL_OP_RAMP) return irl__lane(e->cx, x, k);
    if (x->op == IRL_OP_LET) return irl__c_vector_lane(e, x->a[2], k);
    if (x->op == IRL_OP_UNDEF) return irl__zero(e->cx, one);
    for (uint32_t j = 0; j < x->count; j++) {
        args[j] = irl__c_vector_lane(e, x->a[j], k);
        if (!args[j]) return NULL;
    }
    if (irl__expr_is_call(x, NULL) || x->count == 0) {
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here, "%s of %s has no form in C",
                  irl__op_info((irl_op)x->op)->name, irl__type_cstr(e->cx, x->type));
        return NULL;
    }
    return irl__expr_of_lanes(e->cx, x, 1, args);
}

/* name[k]; a lane that is computed and not proved to be one is the last. */
void irl__c_vector_pick(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl_expr *a = x->a[0], *k = x->a[1], *lane;
    int             opened, is_index = irl__type_is_index(x->type),
                    is_bool = a->op == IRL_OP_LOAD && a->type.scalar == IRL_BOOL;
    if (k->op == IRL_OP_INT) {
        lane = irl__c_vector_lane(e, a, (uint32_t)k->u.i);
        if (!lane) return;
        if (lane != x) {
            irl__emit_operand(e, lane, precedence);
            return;
        }
    }
    opened = irl__emit_open(e, is_bool    ? IRL__PREC_EQUAL
                               : is_index ? IRL__PREC_UNARY
                                          : IRL__PREC_POSTFIX, precedence);
    if (is_index) irl__textf(&e->text, "(%s)", e->language->index_types[e->width]);
    /* A vector whose lanes the text picks. */
    const irl__emit_symbol *symbol = irl__emit_find(e, a);
    irl__memory_place       p;
    if (symbol) irl__text_puts(&e->text, symbol->name);
    else if (a->op == IRL_OP_LOAD && a->count == 1 && a->u.buffer->rank == 1) {
        if (irl__emit_place_of(e, a->u.buffer, a->a[0], 0, 0, &p)) irl__c_vector_place(e, &p);
    } else {
        irl__text_putc(&e->text, '(');
        irl__c_vector(e, a, IRL__PREC_POSTFIX);
        irl__text_putc(&e->text, ')');
    }
    irl__text_putc(&e->text, '[');
    irl__interval r = irl__range_of(e->ranges, k);
    if (r.lo >= 0 && r.hi < (int64_t)a->type.lanes) irl__emit_expr(e, k, IRL__PREC_ANY);
    else {
        irl__emitf(e, "(uint64_t)%p < %u ? %p : %u", IRL__PREC_UNARY, k, (uint64_t)a->type.lanes,
                   IRL__PREC_OR, k, (uint64_t)a->type.lanes - 1);
    }
    irl__text_puts(&e->text, is_bool ? "] != 0" : "]");
    irl__emit_close(e, opened);
}

/* (T){ a, b, c, d } */
static void irl__c_vector_lanes(irl__emit *e, const irl_expr *x, irl_type type)
{
    irl__emitf(e, "(%t){ ", type);
    for (uint32_t k = 0; k < x->type.lanes && irl__ok(e->cx); k++) {
        const irl_expr *lane = irl__c_vector_lane(e, x, k);
        if (!lane) return;
        if (k) irl__text_puts(&e->text, ", ");
        if (!irl_type_equal(type, x->type)) {
            irl__emitf(e, "(%s)%o", e->language->types[type.scalar], IRL__PREC_UNARY, lane);
        } else if (irl__type_is_index(lane->type)) irl__emit_operand(e, lane, IRL__PREC_CHOICE);
        else irl__emit_assigned(e, lane); /* in a list C++ lets no number become narrower */
    }
    irl__text_puts(&e->text, " }");
}

/* ------------------------------------------------------------------ operators */

/* The number c of a remainder by 2^c that is a mask; 0: it is none. */
static int64_t irl__c_vector_mask(const irl_expr *x)
{
    const int is_uint = irl__type_info(x->type)->kind == IRL_KIND_UINT;
    const irl_expr *c = x->op == IRL_OP_FLOORMOD && is_uint && x->a[1]->op == IRL_OP_BROADCAST
                            ? x->a[1]->a[0]
                            : NULL;
    return c && c->op == IRL_OP_INT && c->u.i > 1 && (c->u.i & (c->u.i - 1)) == 0 ? c->u.i - 1 : 0;
}

/* Whether the compilers' operator is the interpreter's; 2: on unsigned numbers. */
static int irl__c_vector_native(const irl_expr *x)
{
    irl__kind kind = irl__type_info(x->type)->kind;
    switch (x->op) {
    case IRL_OP_ADD:
    case IRL_OP_SUB:
    case IRL_OP_MUL:
        return kind == IRL_KIND_UINT                                                  ? 1
               : kind == IRL_KIND_INT                                                 ? 2
               : kind == IRL_KIND_FLOAT && x->type.scalar != IRL_F16                  ? 1
                                                                                  : 0;
    case IRL_OP_DIV: return kind == IRL_KIND_FLOAT && x->type.scalar != IRL_F16;
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR: return kind == IRL_KIND_UINT || kind == IRL_KIND_INT;
    case IRL_OP_SHR: return kind == IRL_KIND_UINT; /* by less than the width: the definition */
    case IRL_OP_FLOORMOD: return irl__c_vector_mask(x) != 0;
    default: return 0;
    }
}

static void irl__c_vector_infix(irl__emit *e, const irl_expr *x, int as_unsigned, int precedence)
{
    const int64_t mask = irl__c_vector_mask(x);
    int opened = irl__emit_open(e, as_unsigned ? IRL__PREC_UNARY : IRL__PREC_BITS, precedence), k;
    if (as_unsigned) irl__emitf(e, "(%t)(", x->type);
    const irl_expr *args[2];
    args[0] = x->a[0];
    args[1] = !mask ? x->a[1]
                    : irl_expr_broadcast(e->cx, irl_expr_int(e->cx, x->a[1]->a[0]->type, mask),
                                         (int)x->type.lanes);
    for (k = 0; k < 2; k++) {
        if (k) irl__textf(&e->text, " %s ", mask ? "&" : irl__op_info((irl_op)x->op)->text);
        if (as_unsigned)
            irl__emitf(e, "(%t)", irl_type_of(irl__type_uint(x->type), (int)x->type.lanes));
        irl__emit_operand(e, args[k], IRL__PREC_UNARY);
    }
    if (as_unsigned) irl__text_putc(&e->text, ')');
    irl__emit_close(e, opened);
}

/* Whether x has a name in the text: that of a variable of C's. */
static int irl__c_vector_is_one(irl__emit *e, const irl_expr *x)
{
    const irl__emit_memory *m =
        x->op == IRL_OP_LOAD ? irl__emit_memory_of(e->unit, x->u.buffer->data) : NULL;
    return irl__c_vector_is_named(e, x) || (m && m->is_variable);
}

/* irl_f_fma_f32x4(a, b, c); braces would not keep commas together for the macro. */
static void irl__c_vector_fma(irl__emit *e, const irl_expr *x)
{
    irl__emit_need(e, IRL__C_VECTOR, x->type);
    irl__emit_need(e, IRL__C_FMA, x->type);
    irl__c_program_of(e)->uses_fma = 1;
    irl__emit_vector_name(e, &e->text, "fma_", x->type);
    for (int k = 0; k < 3; k++) {
        int is_one = irl__c_vector_is_one(e, x->a[k]);
        irl__text_puts(&e->text, k ? ", " : "(");
        if (!is_one) irl__text_putc(&e->text, '(');
        irl__emit_expr(e, x->a[k], IRL__PREC_CHOICE);
        if (!is_one) irl__text_putc(&e->text, ')');
    }
    irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ choices and signs */

/* Of a number that the compilers have; 0: it is none. */
static int irl__c_mask_bits(irl_type t)
{
    const irl__kind kind = irl__type_info(t)->kind;
    return !t.is_pointer && !irl__type_is_index(t) &&
                   (kind == IRL_KIND_INT || kind == IRL_KIND_UINT || t.scalar == IRL_F32 ||
                    t.scalar == IRL_F64)
               ? irl__type_info(t)->bits : 0;
}

/* Numbers that the compilers compare as the interpreter does. */
static int irl__c_mask_compares(const irl_expr *c)
{
    return irl__op_info((irl_op)c->op)->rule == IRL__COMPARE &&
           (irl__type_is_index(c->a[0]->type) || irl__c_mask_bits(c->a[0]->type) > 0);
}

/* Comparisons, what is the same in all lanes, and what joins these. */
static int irl__c_mask_has(const irl_expr *c)
{
    switch (c->op) {
    case IRL_OP_AND:
    case IRL_OP_OR:
    case IRL_OP_BITAND:
    case IRL_OP_BITOR:
    case IRL_OP_BITXOR: return irl__c_mask_has(c->a[0]) && irl__c_mask_has(c->a[1]);
    case IRL_OP_NOT: return irl__c_mask_has(c->a[0]);
    case IRL_OP_BROADCAST: return 1;
    default: return irl__c_mask_compares(c);
    }
}

static int irl__c_mask_is_own(const irl_expr *x)
{
    if (x->type.lanes == 1 || !irl__c_mask_bits(x->type)) return 0;
    if (x->op == IRL_OP_ABS) return irl__type_is_float(x->type);
    if (x->op == IRL_OP_IF_THEN_ELSE && x->a[0]->type.lanes == 1) return 1;
    return x->op == IRL_OP_SELECT && (x->a[0]->type.lanes == 1 || irl__c_mask_has(x->a[0]));
}

/* By how much lane k is more than the first; -1: that is no such number. */
static int64_t irl__c_mask_step(irl_ctx *cx, const irl_expr *x, uint32_t k)
{
    const irl_expr *first = irl__lane(cx, x, 0), *lane = irl__lane(cx, x, k);
    int64_t         from = 0, at = 0;
    if (!first || !lane || irl__expr_base(first, &from) != irl__expr_base(lane, &at)) return -1;
    return at >= from && at - from <= INT16_MAX ? at - from : -1;
}

/* An index in each lane: one that all share, or the first lane's and a vector of numbers. */
static void irl__c_mask_index(irl__emit *e, const irl_expr *x)
{
    const uint32_t lanes = x->type.lanes, count = x->op == IRL_OP_BROADCAST ? 1 : lanes;
    for (uint32_t k = 0; k < count; k++)
        if (irl__c_mask_step(e->cx, x, k) < 0) {
            irl__c_vector(e, x, IRL__PREC_UNARY);
            return;
        }
    irl__emitf(e, "((%t){ ", x->type);
    for (uint32_t k = 0; k < count; k++)
        irl__textf(&e->text, k ? ", %l" : "%l", irl__c_mask_step(e->cx, x, k));
    irl__text_puts(&e->text, " } + ");
    /* which may be narrower than what C computes in */
    if (e->language->index_scalar != IRL_BOOL)
        irl__textf(&e->text, "(%s)", e->language->types[e->language->index_scalar]);
    irl__emit_operand(e, irl__lane(e->cx, x, 0), IRL__PREC_UNARY);
    irl__text_putc(&e->text, ')');
}

/* A comparison, as wide as `type`. */
static void irl__c_mask_comparison(irl__emit *e, const irl_expr *c, irl_type type)
{
    const irl__width outer = e->width;
    const int        is_index = irl__type_is_index(c->a[0]->type);
    int              bits = irl__c_mask_bits(c->a[0]->type);
    if (is_index) {
        e->width = irl__emit_width(e, c->a[0], c->a[1]);
        bits = irl__type_info(irl__c_vector_held(e, c->a[0]->type))->bits;
    }
    const int is_wide = bits == irl__type_info(type)->bits;
    if (is_wide) irl__emitf(e, "(%t)(", type);
    else irl__text_puts(&e->text, "__builtin_convertvector(");
    for (int k = 0; k < 2; k++) {
        if (k) irl__textf(&e->text, " %s ", irl__op_info((irl_op)c->op)->text);
        if (is_index) irl__c_mask_index(e, c->a[k]);
        else irl__emit_operand(e, c->a[k], IRL__PREC_UNARY);
    }
    if (!is_wide) irl__emitf(e, ", %t", type);
    irl__text_putc(&e->text, ')');
    e->width = outer;
}

/* A condition of lanes as a vector of 0 and -1. */
static void irl__c_mask_of(irl__emit *e, const irl_expr *c, irl_type type)
{
    if (irl__c_mask_compares(c)) {
        irl__c_mask_comparison(e, c, type);
        return;
    }
    irl__text_putc(&e->text, '(');
    if (c->op == IRL_OP_BROADCAST) {
        irl__emitf(e, "(%t){ 0 } - (%s)%o", type, e->language->types[type.scalar],
                   IRL__PREC_UNARY, c->a[0]);
    } else if (c->op == IRL_OP_NOT) {
        irl__text_putc(&e->text, '~');
        irl__c_mask_of(e, c->a[0], type);
    } else {
        irl__c_mask_of(e, c->a[0], type);
        irl__text_puts(&e->text, c->op == IRL_OP_BITXOR                             ? " ^ "
                                 : c->op == IRL_OP_OR || c->op == IRL_OP_BITOR ? " | "
                                                                                : " & ");
        irl__c_mask_of(e, c->a[1], type);
    }
    irl__text_putc(&e->text, ')');
}

static void irl__c_mask(irl__emit *e, const irl_expr *x)
{
    const irl_type type = irl__emit_mask_type(x->type);
    irl__emit_need(e, IRL__C_VECTOR, type);
    if (x->op == IRL_OP_ABS) {
        irl__emitf(e, "((%t)((%t)%o & %s))", x->type, type, IRL__PREC_UNARY, x->a[0],
                   type.scalar == IRL_I64 ? "0x7fffffffffffffff" : "0x7fffffff");
    } else if (x->a[0]->type.lanes == 1) {
        /* whose types may differ in how they lie in memory */
        irl_type to = x->type; /* tcc warns of a const struct that is passed on the stack */
        irl__emitf(e, "(%o ? (%t)%o : (%t)%o)", IRL__PREC_OR, x->a[0], to, IRL__PREC_UNARY, x->a[1],
                   to, IRL__PREC_UNARY, x->a[2]);
    } else {
        irl__emit_need(e, IRL__C_VECTOR, x->type);
        irl__emit_need(e, IRL__C_SELECT, x->type);
        irl__emit_vector_name(e, &e->text, "select_", x->type);
        irl__text_puts(&e->text, "(");
        irl__c_mask_of(e, x->a[0], type);
        /* braces would not keep commas together for the macro */
        irl__emitf(e, ", (%e), (%e))", x->a[1], x->a[2]);
    }
}

/* ------------------------------------------------------------------ any expression */

/* The bits of other lanes. */
static void irl__c_vector_bits(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl_expr *a = x->a[0];
    int             opened = irl__emit_open(e, IRL__PREC_UNARY, precedence);
    irl__emitf(e, "(%t)", x->type);
    if (a->type.lanes == 1) {
        irl__text_putc(&e->text, '(');
        irl__c_vector_type(e, a->type);
        irl__emitf(e, "){ %x }", a);
    } else irl__emit_operand(e, a, IRL__PREC_UNARY);
    irl__emit_close(e, opened);
}

/* A scalar of the bits of a vector: the one lane of a vector of it. */
void irl__c_vector_to_scalar(irl__emit *e, const irl_expr *x)
{
    irl__text_puts(&e->text, "((");
    irl__c_vector_type(e, x->type);
    irl__emitf(e, ")%o)[0]", IRL__PREC_UNARY, x->a[0]);
}

void irl__c_vector(irl__emit *e, const irl_expr *x, int precedence)
{
    const irl__emit_symbol *symbol = irl__emit_find(e, x);
    if (symbol && !irl__type_is_index(x->type)) {
        irl__text_puts(&e->text, symbol->name);
        return;
    }
    int native = irl__c_vector_native(x);
    if (x->op == IRL_OP_LET) irl__emit_operand(e, x->a[2], precedence);
    else if (x->op == IRL_OP_LOAD && x->type.scalar != IRL_BOOL) irl__emit_load(e, x, precedence);
    else if (x->op == IRL_OP_REINTERPRET && x->a[0]->type.lanes != x->type.lanes)
        irl__c_vector_bits(e, x, precedence);
    else if (native) irl__c_vector_infix(e, x, native == 2, precedence);
    else if (irl__c_fma_row_of(x)) irl__c_vector_fma(e, x);
    else if (irl__c_lanes_is_own(x)) irl__c_lanes(e, x);
    else if (irl__c_math_is_own(x)) irl__c_math(e, x);
    else if (irl__c_mask_is_own(x)) irl__c_mask(e, x);
    else irl__c_vector_lanes(e, x, x->type);
}

/* Whether a vector is computed as one in the text, which lanes of it are picked from. */
static int irl__c_vector_is_whole(const irl_expr *x)
{
    if (x->type.lanes == 1 || irl__type_is_index(x->type)) return 0;
    if (x->op == IRL_OP_LOAD) return x->type.scalar != IRL_BOOL;
    if (x->op == IRL_OP_REINTERPRET) return x->a[0]->type.lanes != x->type.lanes;
    return irl__c_vector_native(x) || irl__c_fma_row_of(x) != NULL || irl__c_lanes_is_own(x) ||
           irl__c_math_is_own(x) || irl__c_mask_is_own(x);
}

void irl__c_vector_name_operands(irl__emit *e, const irl_expr *x)
{
    int is_fma = irl__c_fma_row_of(x) != NULL;
    if (x->op == IRL_OP_LOAD || x->op == IRL_OP_LET || irl__c_vector_is_named(e, x)) return;
    if (!is_fma && irl__c_vector_is_whole(x)) return; /* it takes vectors */
    for (uint32_t k = 0; k < x->count; k++) {
        const irl_expr *a = x->a[k];
        if (a->type.lanes == 1 || irl__c_vector_is_one(e, a) || irl__emit_calls(a)) continue;
        if (irl__c_vector_is_whole(a) || (is_fma && a->depth > 2))
            irl__emit_temporary(e, a, "part");
    }
}

/* A value as it is stored: of bools bytes. */
void irl__c_vector_stored(irl__emit *e, const irl_expr *value)
{
    if (value->type.scalar == IRL_BOOL)
        irl__c_vector_lanes(e, value, irl__type_with_lanes(irl__emit_held(value->type),
                                                           value->type.lanes));
    else irl__emit_expr(e, value, IRL__PREC_CHOICE);
}
