/* c_helper.c - the helpers of a program in C besides the shared ones: least and largest numbers,
   bits of floats and of several scalars, memory accessed as another type, normalised integers.

   needs     emit_helper.c, whose texts these are written like
   promises  each computes, bit for bit, what number.c and scalar.c do; no function of the C library
             is called but a square root. The bits of a value go through a union, and memory of
             another type through its bytes, so that no compiler's type-based alias analysis is
             misled */
#include "c.h"

/* ------------------------------------------------------------------ texts */

/* Towards zero, odd where that is not exact: rounded further, it rounds as the number does. */
#define IRL__C_ODD_TEXT(size, result) \
    "/* x towards zero, odd if inexact: rounded further, it rounds as x does */\n" \
    "static float irl_odd_$($ x)\n{\n" \
    "    ulong n = " size ", lost = 0;\n    float f = 1.0f;\n" \
    "    while (n >> 24) {\n        lost |= n & 1;\n        n >>= 1;\n        f += f;\n    }\n" \
    "    f *= (float)(n | lost);\n    return " result ";\n}\n\n"

/* A normalised integer is a fraction of the largest; the least, which has no fraction of its own,
   is -1 too. Adding 3 * 2^22 rounds to a whole number, ties to even. */
#define IRL__C_NORM_TEXT(result) \
    "static float irl_`_to_float($ v)\n{\n    const float f = (float)v / MOST.0f;\n" \
    "    return " result ";\n}\n\n"

static const irl__helper_row irl__c_helper_rows[] = {
    { IRL_OP_MIN, IRL__OF_FLOATS, 0,
      "/* a NaN loses against a number */\n"
      "static $ irl_min_$($ a, $ b)\n{\n    return a < b || b != b ? a : b;\n}\n\n" },
    { IRL_OP_MAX, IRL__OF_FLOATS, 0,
      "/* a NaN loses against a number */\n"
      "static $ irl_max_$($ a, $ b)\n{\n    return a > b || b != b ? a : b;\n}\n\n" },
    { IRL_OP_ABS, IRL__OF_FLOATS, 0,
      "static $ irl_abs_$($ x)\n{\n    return x <= 0 ? 0 - x : x;\n}\n\n" },
    { IRL__C_LOAD, 0, 0,
      "/* a value from its bytes, at any address */\n"
      "static $ irl_load_$(const uchar *from)\n{\n"
      "    union { $ value; uchar bytes[sizeof($)]; } u;\n    unsigned k;\n"
      "    for (k = 0; k < sizeof($); k++) u.bytes[k] = from[k];\n    return u.value;\n}\n\n" },
    { IRL__C_STORE, 0, 0,
      "static void irl_store_$(uchar *to, $ value)\n{\n"
      "    union { $ value; uchar bytes[sizeof($)]; } u;\n    unsigned k;\n"
      "    u.value = value;\n"
      "    for (k = 0; k < sizeof($); k++) to[k] = u.bytes[k];\n}\n\n" },
    { IRL__HELP_ODD, IRL__OF_FLOATS, 0,
      "/* x towards zero, odd if inexact: rounded further, it rounds as x does */\n"
      "static float irl_odd_$($ x)\n{\n"
      "    float f = (float)x;\n    uint u = as_uint(f);\n"
      "    if ((double)f == x || x != x) return f;\n"
      "    if (f > 0 ? (double)f > x : (double)f < x) u--;\n"
      "    return as_float(u | 1u);\n}\n\n" },
    { IRL__HELP_ODD, IRL__OF_UINTS, 0, IRL__C_ODD_TEXT("x", "f") },
    { IRL__HELP_ODD, 0, 0, IRL__C_ODD_TEXT("x < 0 ? 0u - (ulong)x : (ulong)x", "x < 0 ? -f : f") },
    { IRL__HELP_NORM_TO_FLOAT, IRL__OF_UNORMS, 0, IRL__C_NORM_TEXT("f") },
    { IRL__HELP_NORM_TO_FLOAT, IRL__OF_SNORMS, 0, IRL__C_NORM_TEXT("f < -1.0f ? -1.0f : f") },
    { IRL__HELP_FLOAT_TO_NORM, IRL__OF_NORMS, 0,
      "static $ irl_float_to_`(float f)\n{\n    float v = f != f ? 0.0f : f * MOST.0f;\n"
      "    if (v < LEAST.0f) v = LEAST.0f;\n    if (v > MOST.0f) v = MOST.0f;\n"
      "    return ($)(v + 12582912.0f - 12582912.0f);\n}\n\n" },
    { IRL__C_VECTOR, 0, 0,
      "typedef SCALAR VECTOR __attribute__((vector_size(sizeof(SCALAR) * LANES)));\n"
      "typedef SCALAR VECTOR_at __attribute__((vector_size(sizeof(SCALAR) * LANES), "
      "aligned(sizeof(SCALAR)), may_alias));\n\n" },
    { IRL__C_PICK, 0, 0,
      "/* bytes of two vectors */\n#if defined(__clang__) || __GNUC__ >= 12\n"
      "#define irl_pick_`x@(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)\n#else\n"
      "#define irl_pick_`x@(a, b, ...) \\\n    __builtin_shuffle(a, b, ($){ __VA_ARGS__ })\n"
      "#endif\n\n" },
    { IRL__C_SELECT, 0, 0,
      "/* of each lane a where m is -1, b where it is 0 */\n"
      "#define irl_select_`x@(m, a, b) \\\n    __extension__({ const MASK irl_m = (m); \\\n"
      "        ($)(((MASK)(a) & irl_m) | ((MASK)(b) & ~irl_m)); })\n\n" },
    { 0, 0, 0, NULL }
};
#undef IRL__C_ODD_TEXT
#undef IRL__C_NORM_TEXT

/* ------------------------------------------------------------------ bits of floats */

/* The bits of integers are cast, those of floats go through a union. */
static void irl__c_bits_name(const irl__emit *e, irl__text *t, irl_type to, irl_scalar from)
{
    irl__textf(t, "%s_%s_as_%s", e->prefix, irl__type_info(irl_type_of(from, 1))->text,
               irl__type_info(to)->text);
}

/* The type of the same C type that names a helper. */
static irl_type irl__c_plain(const irl__emit *e, irl_type t)
{
    static const irl_scalar ints[] = { IRL_I8,  IRL_I16, IRL_I32, IRL_I64,
                                       IRL_U8,  IRL_U16, IRL_U32, IRL_U64 };
    const char *type = irl__emit_scalar_type(e, irl__emit_held(t));
    for (size_t k = 0; k < IRL__COUNTOF(ints); k++)
        if (strcmp(e->language->types[ints[k]], type) == 0) return irl_type_of(ints[k], 1);
    return irl_type_of((irl_scalar)t.scalar, 1);
}

void irl__c_as(irl__emit *e, irl_type to, irl_type from)
{
    to = irl__c_plain(e, to);
    from = irl__c_plain(e, from);
    if (!irl__type_is_float(to) && !irl__type_is_float(from)) {
        irl__textf(&e->text, "(%s)(", e->language->types[to.scalar]);
        return;
    }
    irl__emit_need(e, IRL__C_BITS + (int)from.scalar, to);
    irl__c_bits_name(e, &e->text, to, (irl_scalar)from.scalar);
    irl__text_putc(&e->text, '(');
}

/* ------------------------------------------------------------------ bits of several scalars */

static irl_type irl__c_unsigned(irl_type t)
{
    static const irl_scalar by_bytes[] = { IRL_U8, IRL_U16, IRL_U32, IRL_U32, IRL_U64 };
    return irl_type_of(by_bytes[irl__type_info(t)->bytes / 2], 1);
}

/* "irl_f_u8_joined_u32": u8s as a u32; "irl_f_u32_part_u8": one of those of a u32. */
static void irl__c_several_name(const irl__emit *e, irl__text *t, const char *how, irl_type from,
                                irl_type to)
{
    irl__textf(t, "%s_%s_%s_%s", e->prefix, irl__type_info(from)->text, how,
               irl__type_info(to)->text);
}

/* In the order of memory, whatever that is. */
static void irl__c_several_text(irl__emit *e, irl__text *t, irl__emit_helper helper, int is_join)
{
    irl_type other = irl_type_of((irl_scalar)(helper.kind - (is_join ? IRL__C_JOIN : IRL__C_PART)),
                                 1),
             part = is_join ? other : helper.type, whole = is_join ? helper.type : other;
    const char *part_type = e->language->types[part.scalar],
               *whole_type = e->language->types[whole.scalar];
    int count = irl__type_info(whole)->bytes / irl__type_info(part)->bytes, k;
    irl__textf(t, "static %s ", is_join ? whole_type : part_type);
    irl__c_several_name(e, t, is_join ? "joined" : "part", other, helper.type);
    if (!is_join) irl__textf(t, "(%s x, int k", whole_type);
    for (k = 0; is_join && k < count; k++)
        irl__textf(t, "%s%s p%d", k ? ", " : "(", part_type, k);
    irl__textf(t, ")\n{\n    union { %s whole; %s parts[%d]; } u;\n", whole_type, part_type, count);
    for (k = 0; is_join && k < count; k++) irl__textf(t, "    u.parts[%d] = p%d;\n", k, k);
    irl__text_puts(t, is_join ? "    return u.whole;\n}\n\n"
                              : "    u.whole = x;\n    return u.parts[k];\n}\n\n");
}

void irl__c_join(irl__emit *e, const irl_expr *x)
{
    const irl_expr *a = x->a[0];
    irl_type        from = irl__type_with_lanes(a->type, 1), part = irl__c_unsigned(from),
             whole = irl__c_unsigned(x->type);
    irl__emit_need(e, IRL__C_JOIN + (int)part.scalar, whole);
    irl__c_as(e, x->type, whole);
    irl__c_several_name(e, &e->text, "joined", part, whole);
    for (uint32_t k = 0; k < a->count; k++) {
        irl__text_puts(&e->text, k ? ", " : "(");
        irl__c_as(e, part, from);
        irl__emit_argument(e, a->a[k]);
        irl__text_putc(&e->text, ')');
    }
    irl__text_puts(&e->text, "))");
}

void irl__c_part(irl__emit *e, const irl_expr *x, uint32_t k)
{
    irl_type to = irl__type_with_lanes(x->type, 1), part = irl__c_unsigned(to),
             whole = irl__c_unsigned(x->a[0]->type);
    irl__emit_need(e, IRL__C_PART + (int)whole.scalar, part);
    irl__c_as(e, to, part);
    irl__c_several_name(e, &e->text, "part", whole, part);
    irl__text_putc(&e->text, '(');
    irl__c_as(e, whole, x->a[0]->type);
    irl__emit_argument(e, x->a[0]);
    irl__textf(&e->text, "), %u))", (uint64_t)k);
}

/* ------------------------------------------------------------------ memory as bytes */

/* "irl_f_load_float((const unsigned char *)x + 4 * i" */
static void irl__c_bytes(irl__emit *e, int kind, const char *name, const irl__memory_place *p)
{
    irl_type type = irl__c_plain(e, p->type);
    if (p->way != IRL__WAY_BYTES || p->lanes != 1) {
        irl__fail(e->cx, IRL_ERROR_UNSUPPORTED, e->cx->here,
                  "'%s' is accessed by several elements at once, which C cannot do: lower for "
                  "c99",
                  p->name);
        return;
    }
    irl__emit_need(e, kind, type);
    irl__textf(&e->text, "%s_%s_%s((%sunsigned char *)%s", e->prefix, name,
               e->language->types[type.scalar], p->is_store ? "" : "const ", p->name);
    if (!p->index) return;
    irl__textf(&e->text, " + %d * ", p->bytes);
    irl__emit_place(e, p->index, IRL__PREC_UNARY);
}

void irl__c_load_run(irl__emit *e, const irl__memory_place *p)
{
    if (p->lanes > 1) {
        irl__c_vector_place(e, p);
        return;
    }
    irl__c_bytes(e, IRL__C_LOAD, "load", p);
    irl__text_putc(&e->text, ')');
}

void irl__c_store_run(irl__emit *e, const irl__memory_place *p, const irl_expr *value)
{
    if (p->lanes > 1) {
        irl__c_vector_place(e, p);
        irl__text_puts(&e->text, " = ");
        irl__c_vector_stored(e, value);
        return;
    }
    irl__c_bytes(e, IRL__C_STORE, "store", p);
    irl__text_puts(&e->text, ", ");
    irl__emit_argument(e, value);
    irl__text_putc(&e->text, ')');
}

/* ------------------------------------------------------------------ halves */

/* A machine of the compilers whose vectors are used may have an instruction, which quiets a NaN;
   what the other way needs is named, so that no compiler warns of it. */
static int irl__c_has_f16c(const irl__emit *e) { return irl__target_has_picks(e->unit->target); }

static const char irl__c_half_of_machine[] =
    IRL__HALF_TO_FLOAT_HEAD
    "#if defined(__F16C__)\n"
    "    (void)as_uint;\n    (void)as_float;\n    return _cvtsh_ss(h);\n"
    "#else\n" IRL__HALF_TO_FLOAT_BODY "#endif\n}\n\n";

/* The bits of a half below its sign, where those of a float are, are the half times 2 to the
   -112: the product is exact, of subnormal ones too. In few instructions, where a machine's floats
   have the subnormals that IEEE 754 asks for. */
static const char irl__c_short_half[] =
    IRL__HALF_TO_FLOAT_HEAD
    "    union { uint bits; float value; } u;\n"
    "    u.bits = (uint)(h & 0x7fffu) << 13;\n"
    "    if (u.bits >= 0x0f800000u) u.bits |= 0x7f800000u;\n"
    "    else u.value *= 5192296858534827628530496329220096.0f; /* 2 to the 112 */\n"
    "    u.bits |= (uint)(h & 0x8000u) << 16;\n    return u.value;\n}\n\n";

/* ------------------------------------------------------------------ the helpers of a program */

int irl__c_helper(irl__emit *e, irl__text *t, irl__emit_helper helper)
{
    if (helper.kind >= IRL__C_BITS && helper.kind < IRL__C_LOAD) {
        irl_scalar  from = (irl_scalar)(helper.kind - IRL__C_BITS);
        const char *to_type = e->language->types[helper.type.scalar],
                   *from_type = e->language->types[from];
        irl__textf(t, "static %s ", to_type);
        irl__c_bits_name(e, t, helper.type, from);
        irl__textf(t,
                   "(%s x)\n{\n    union { %s x; %s bits; } u;\n    u.x = x;\n    return u.bits;\n"
                   "}\n\n",
                   from_type, from_type, to_type);
        return 1;
    }
    if (helper.kind >= IRL__C_JOIN && helper.kind < IRL__C_VECTOR) {
        irl__c_several_text(e, t, helper, helper.kind < IRL__C_PART);
        return 1;
    }
    if (helper.kind >= IRL__C_MATH) {
        irl__c_program_of(e)->math_helper(e, t, helper.kind - IRL__C_MATH, helper.type);
        return 1;
    }
    switch (helper.kind) {
    case IRL__HELP_HALF_TO_FLOAT: {
        const int   is_short = irl__c_program_of(e)->index.is_compact && helper.type.lanes == 1;
        const char *text = irl__c_has_f16c(e) ? irl__c_half_of_machine
                           : is_short         ? irl__c_short_half
                                              : NULL;
        irl__emit_template(e, t, text, helper.type);
        return text != NULL;
    }
    case IRL__C_FMA: irl__c_vector_fma_helper(e, t, helper.type); return 1;
    case IRL__C_WIDEN: irl__c_lanes_widen_helper(e, t, helper.type); return 1;
    case IRL__C_RSQRT:
        irl__emit_template(e, t,
                           helper.type.scalar == IRL_F32
                               ? "static $ irl_rsqrt_$($ x)\n{\n    return 1.0f / sqrtf(x);\n}\n\n"
                               : "static $ irl_rsqrt_$($ x)\n{\n    return 1.0 / sqrt(x);\n}\n\n",
                           helper.type);
        return 1;
    default:
        return irl__emit_helper_row(e, t, irl__c_helper_rows, helper) ||
               irl__c_integer_helper(e, t, helper);
    }
}

/* Which bits of floats a helper asks for: 1: those of a float, 2: a float of bits. */
static int irl__c_needs_bits(irl__emit_helper h)
{
    switch (h.kind) {
    case IRL__HELP_HALF_TO_FLOAT:
    case IRL__HELP_FLOAT_TO_HALF: return 3;
    case IRL__HELP_FLOAT_TO_BFLOAT: return 1;
    case IRL__HELP_ODD: return h.type.scalar == IRL_F64 ? 3 : 0;
    default: return 0;
    }
}

int irl__c_order_helpers(irl__emit *e)
{
    ptrdiff_t k, j, first = 0;
    int       bits = 0;
    for (k = 0; k < stbds_arrlen(e->helpers); k++) {
        bits |= irl__c_needs_bits(e->helpers[k]);
        if (e->helpers[k].kind == IRL__HELP_HALF_TO_FLOAT)
            irl__c_program_of(e)->uses_f16c = irl__c_has_f16c(e);
    }
    if (bits & 1) irl__emit_need(e, IRL__C_BITS + IRL_F32, irl_type_of(IRL_U32, 1));
    if (bits & 2) irl__emit_need(e, IRL__C_BITS + IRL_U32, irl_type_of(IRL_F32, 1));
    for (k = 0; k < stbds_arrlen(e->helpers); k++) {
        if (e->helpers[k].kind < IRL__C_BITS || e->helpers[k].kind >= IRL__C_LOAD) continue;
        irl__emit_helper moved = e->helpers[k];
        for (j = k; j > first; j--) e->helpers[j] = e->helpers[j - 1];
        e->helpers[first++] = moved;
    }
    return irl__ok(e->cx);
}
