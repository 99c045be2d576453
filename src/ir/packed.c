/* packed.c - the intrinsics that read the arguments that a caller passes.

   needs     packed.h, the table
   promises  a call is known by its name, and has as many operands as the table says, all numbers */
#include "ir.h"

static const struct irl__packed_row {
    const char *text;
    int         operands;
} irl__packed_rows[] = {
#define IRL_PACKED_FIELD(name, text, operands) { text, operands },
#include "packed.h"
};

irl__packed_field irl__packed_field_of(const irl_expr *e)
{
    size_t k;
    if (e->op != IRL_OP_CALL_INTRINSIC) return IRL__PACKED_COUNT_OF;
    for (uint32_t j = 0; j < e->count; j++)
        if (e->a[j]->op != IRL_OP_INT) return IRL__PACKED_COUNT_OF;
    for (k = 0; k < IRL__COUNTOF(irl__packed_rows); k++)
        if (strcmp(irl__packed_rows[k].text, e->u.name) == 0 &&
            irl__packed_rows[k].operands == (int)e->count)
            break;
    return (irl__packed_field)k;
}

int irl__packed_code(irl_type t)
{
    if (t.is_pointer || t.scalar >= IRL__SCALAR_COUNT) return -1;
    switch (irl__type_info(t)->kind) {
    case IRL_KIND_BOOL: return IRL__PACKED_BOOL;
    case IRL_KIND_INT:
    case IRL_KIND_INDEX:
    case IRL_KIND_SNORM: return 0;
    case IRL_KIND_FLOAT: return 2;
    case IRL_KIND_BFLOAT: return 4;
    default: return 1;
    }
}
