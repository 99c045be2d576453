/* c_checked.c - a host function that checks its arguments before it runs: NAME_checked.

   requires  the host function, printed already
   promises  nothing is read through a pointer before it was checked (host_checks.c); a call that is
             refused has touched no array, and says which check failed and why
   cost      linear in the checks */
#include "c.h"

/* By irl__packed_field; $ stands for the argument, % for the axis. */
static const char *const irl__c_packed_texts[] = {
    "(int64_t)(arguments ? count : 0)",
    "(int64_t)$.kind",
    "$.value.integer",
    "$.value.number",
    "(int64_t)($.value.tensor != 0)",
    "(int64_t)$.value.tensor->ndim",
    "(int64_t)$.value.tensor->dtype.code",
    "(int64_t)$.value.tensor->dtype.bits",
    "(int64_t)$.value.tensor->dtype.lanes",
    "(int64_t)($.value.tensor->shape != 0)",
    "$.value.tensor->shape[%]",
    "(int64_t)($.value.tensor->strides != 0)",
    "$.value.tensor->strides[%]",
    "($.value.tensor->byte_offset >> 63 ? INT64_MAX : (int64_t)$.value.tensor->byte_offset)",
    "(int64_t)($.value.tensor->data != 0)",
    "((uint64_t)(uintptr_t)$.value.tensor->data + $.value.tensor->byte_offset)",
    "(int64_t)$.value.tensor->device.device_type",
    "(int64_t)$.value.tensor->device.device_id",
    NULL, /* DLPack says no bytes */
};

int irl__c_packed(irl__emit *e, const irl_expr *x, int precedence)
{
    irl__packed_field field = irl__packed_field_of(x);
    int               opened;
    if (field == IRL__PACKED_COUNT_OF || !irl__c_program_of(e)->in_checked) return 0;
    const char *c = irl__c_packed_texts[field];
    if (!c) return 0;
    opened = irl__emit_open(e, strncmp(c, "(int64_t)", 9) ? IRL__PREC_POSTFIX : IRL__PREC_UNARY,
                            precedence);
    for (; *c; c++)
        if (*c == '$') irl__textf(&e->text, "arguments[%l]", x->a[0]->u.i);
        else if (*c == '%') irl__text_int(&e->text, x->a[1]->u.i);
        else irl__text_putc(&e->text, *c);
    irl__emit_close(e, opened);
    return 1;
}

/* ------------------------------------------------------------------ a check */

/* A message as a string of C: what is no plain character becomes one. */
static void irl__c_string(irl__text *t, const char *text)
{
    irl__text_putc(t, '"');
    for (; *text; text++)
        irl__text_putc(t, *text < ' ' || *text > '~' || strchr("\"\\?%", *text) ? '_' : *text);
    irl__text_putc(t, '"');
}

void irl__c_check(irl__emit *e, const irl_stmt *s)
{
    irl__c_program *p = irl__c_program_of(e);
    irl__emit_prepare(e, s->u.check.condition);
    for (int k = 0; k < s->u.check.value_count; k++) irl__emit_prepare(e, s->u.check.values[k]);
    irl__emitf(e, "\tif (!%p)\n", IRL__PREC_POSTFIX, s->u.check.condition);
    e->indent++;
    irl__emitf(e, "\treturn %s_refuse(refusal, %d, ", e->prefix, ++p->checks);
    irl__c_string(&e->text, s->u.check.message);
    for (int k = 0; k < 2; k++) {
        irl__text_puts(&e->text, ", ");
        if (k >= s->u.check.value_count) irl__text_putc(&e->text, '0');
        else irl__emit_index(e, s->u.check.values[k], IRL__WIDTH_LONG, IRL__PREC_ANY);
    }
    irl__text_puts(&e->text, ");\n");
    e->indent--;
    irl__emit_assume(e, s->u.check.condition, 1);
}

/* ------------------------------------------------------------------ what it needs */

/* As in irlayout.h, word for word. */
static const char irl__c_host_types[] =
    "#ifndef IRL_HOST_TYPES\n"
    "#define IRL_HOST_TYPES\n"
    "#ifdef DLPACK_VERSION\n"
    "typedef DLTensor irl_dltensor;\n"
    "#else\n"
    "typedef struct irl_dltensor {\n"
    "    void *data;\n"
    "    struct {\n"
    "        int device_type, device_id; /* 1: the CPU */\n"
    "    } device;\n"
    "    int ndim;\n"
    "    struct {\n"
    "        uint8_t  code, bits; /* 0: integer, 1: unsigned, 2: float, 4: bfloat, 6: bool */\n"
    "        uint16_t lanes;\n"
    "    } dtype;\n"
    "    int64_t *shape;\n"
    "    int64_t *strides; /* in elements; NULL: compact */\n"
    "    uint64_t byte_offset;\n"
    "} irl_dltensor;\n"
    "#endif\n"
    "typedef struct irl_packed {\n"
    "    int kind; /* 1: integer, 2: number, 3: tensor */\n"
    "    union {\n"
    "        int64_t             integer;\n"
    "        double              number;\n"
    "        const irl_dltensor *tensor;\n"
    "    } value;\n"
    "} irl_packed;\n"
    "/* Why a call was refused. */\n"
    "typedef struct irl_refusal {\n"
    "    int  check; /* the number of the check that failed; 0: none did */\n"
    "    char message[160];\n"
    "} irl_refusal;\n"
    "#endif\n\n";

void irl__c_host_types_text(irl__text *t) { irl__text_puts(t, irl__c_host_types); }

static void irl__c_refuse_text(irl__emit *e)
{
    irl__textf(&e->text,
               "/* the check, and its message with numbers in the place of {} */\n"
               "static int %s_refuse(irl_refusal *refusal, int check, const char *text,\n"
               "    int64_t a, int64_t b)\n{\n",
               e->prefix);
    irl__text_puts(
        &e->text,
        "    const unsigned most = sizeof refusal->message - 1;\n"
        "    unsigned       at = 0, digits;\n"
        "    int64_t        v = a;\n"
        "    uint64_t       left;\n"
        "    char           digit[20];\n"
        "    if (!refusal) return check;\n"
        "    refusal->check = check;\n"
        "    for (; *text && at < most; text++) {\n"
        "        if (text[0] != '{' || text[1] != '}') {\n"
        "            refusal->message[at++] = *text;\n"
        "            continue;\n"
        "        }\n"
        "        left = v < 0 ? 0u - (uint64_t)v : (uint64_t)v;\n"
        "        for (digits = 0; !digits || left; left /= 10)\n"
        "            digit[digits++] = (char)('0' + (int)(left % 10));\n"
        "        if (v < 0) refusal->message[at++] = '-';\n"
        "        while (digits && at < most) refusal->message[at++] = digit[--digits];\n"
        "        v = b;\n"
        "        text++;\n"
        "    }\n"
        "    refusal->message[at] = 0;\n"
        "    return check;\n"
        "}\n\n");
}

/* ------------------------------------------------------------------ the function */

static void irl__c_checked_call(irl__emit *e, const irl_func *host, int has_scratch)
{
    irl__c_program *p = irl__c_program_of(e);
    irl__emit_line(e);
    if (p->returns) irl__text_puts(&e->text, "refused = ");
    irl__textf(&e->text, "%s(", p->host);
    for (int k = 0; k < host->param_count; k++) {
        const irl__param       *q = &host->params[k];
        const irl__emit_symbol *symbol = irl__emit_find(e, q->var);
        if (k) irl__text_puts(&e->text, ", ");
        if (!q->buffer) {
            irl__text_puts(&e->text, symbol ? symbol->name : "");
            continue;
        }
        int at = irl__func_argument(host, k);
        irl__textf(&e->text, "(%s *)(void *)((unsigned char *)arguments[%d].value.tensor->data",
                   e->language->types[irl__emit_held(irl__buffer_memory_type(q->buffer)).scalar],
                   at);
        if (!q->buffer->offset)
            irl__textf(&e->text, " + arguments[%d].value.tensor->byte_offset", at);
        irl__text_putc(&e->text, ')');
    }
    irl__text_puts(&e->text, has_scratch ? ", scratch);\n" : ");\n");
    if (!p->returns) return;
    irl__emitf(e,
               "\tif (refused)\n        return %s_refuse(refusal, %d + refused, \"assertion {} of "
               "the function fails\", refused, 0);\n", e->prefix, p->checks);
}

static void irl__c_checked_signature(const irl__c_program *p, irl__text *t, int has_scratch)
{
    irl__textf(t, "int %s_checked(int count, const irl_packed *arguments%s, irl_refusal *refusal)",
               p->host, has_scratch ? ", void *scratch" : "");
}

static int irl__c_checked_text(irl__emit *e, const irl_func *host, const irl_func *checks)
{
    irl__c_program *p = irl__c_program_of(e);
    int             has_scratch = !p->is_single && p->scratch && !irl__is_int(p->scratch, 0);
    irl__textf(&p->header_text,
               "/* %s after checks of its arguments. Returns 0, or the number of the check that "
               "failed.\n   `refusal` gets the reason, and may be NULL. */\n",
               p->host);
    irl__c_checked_signature(p, &p->header_text, has_scratch);
    irl__text_puts(&p->header_text, ";\n");
    irl__c_refuse_text(e);
    irl__c_checked_signature(p, &e->text, has_scratch);
    irl__text_puts(&e->text, "\n{\n");
    if (p->returns) irl__text_puts(&e->text, "    int refused;\n");
    e->indent = 1;
    irl__emit_scope scope = irl__emit_scope_begin(e);
    irl__emit_stmt(e, checks->body);
    irl__c_checked_call(e, host, has_scratch);
    irl__text_puts(&e->text, "    if (refusal) {\n        refusal->check = 0;\n"
                             "        refusal->message[0] = 0;\n    }\n    return 0;\n}\n\n");
    irl__emit_scope_end(e, scope);
    return irl__ok(e->cx);
}

int irl__c_checked_names(irl__emit *e)
{
    static const char *const names[] = { "count", "arguments", "refusal", "refused", "scratch" };
    for (size_t k = 0; k < IRL__COUNTOF(names); k++)
        if (!irl__emit_take_name(e, names[k])) return 0;
    return 1;
}

int irl__c_checked(irl__emit *e, const irl_func *host)
{
    irl__c_program *p = irl__c_program_of(e);
    const irl_func *checks = irl_module_host_checks(e->unit->module);
    irl__emit_func  state;
    if (!checks) return 0;
    int ok = irl__emit_func_begin(e, checks, &state) && irl__c_checked_names(e);
    p->in_host = 1;
    p->in_checked = 1;
    ok = ok && irl__c_checked_text(e, host, checks);
    p->in_checked = 0;
    irl__emit_func_end(e, &state);
    return ok;
}
