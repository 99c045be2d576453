/* 19_emitter.c - your own emitter: it prints Python for a module that was lowered for your own
   target.

       cc -I. -I/usr/include/stb examples/19_emitter.c -lm && ./a.out

   Lowering does most of the work: it applies layouts, flattens arrays and turns work-items into
   loops. Only a few kinds of statements remain, which the emitter reads by the functions of
   >>reading in irlayout.h. It refuses a statement that it does not know. Python's // and % floor,
   as those of irlayout do. Python's floats have 64 bits, so sums may have more digits.

   This example is the first that uses these names. C: irl_buffer_extent, irl_buffer_name,
   irl_buffer_pointer, irl_expr_buffer, irl_expr_int_value, irl_expr_name, irl_func_body,
   irl_func_name, irl_func_param_count, irl_func_param_name, irl_module_host, irl_module_kernel,
   irl_module_kernel_count, irl_op_info, irl_stmt_arg, irl_stmt_arg_count, irl_stmt_buffer,
   irl_stmt_child, irl_stmt_child_count, irl_stmt_condition, irl_stmt_else, irl_stmt_extent,
   irl_stmt_name, irl_stmt_then, irl_stmt_value. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *refused; /* something for which the emitter has no Python */

static void print_expr(const irl_expr *e);

/* Prints a format: '$' is replaced by the next expression, '@' for the next text. */
static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    for (; *format; format++)
        if (*format == '$') print_expr(va_arg(list, const irl_expr *));
        else if (*format == '@') fputs(va_arg(list, const char *), stdout);
        else putchar(*format);
    va_end(list);
}

static void print_expr(const irl_expr *e)
{
    const irl_op_row *row = irl_op_info(irl_expr_op(e));
    const irl_expr   *a = irl_expr_arg(e, 0), *b = irl_expr_arg(e, 1);
    switch (irl_expr_op(e)) {
    case IRL_OP_INT: printf("%lld", (long long)irl_expr_int_value(e)); return;
    case IRL_OP_FLOAT: printf("%.17g", irl_expr_float_value(e)); return;
    case IRL_OP_VAR: put("@", irl_expr_name(e)); return;
    case IRL_OP_LOAD: put("@[$]", irl_buffer_name(irl_expr_buffer(e)), a); return;
    case IRL_OP_MIN:
    case IRL_OP_MAX: put("@($, $)", row->text, a, b); return;
    case IRL_OP_FLOORDIV: put("($ // $)", a, b); return;
    default:
        if (row && row->form == IRL_FORM_INFIX && row->rule != IRL_RULE_BOOL)
            put("($ @ $)", a, row->text, b);
        else refused = row ? row->name : "nothing";
    }
}

static void print_stmt(const irl_stmt *s, int indent)
{
    const irl_buffer *b = irl_stmt_buffer(s);
    int               k;
    if (irl_stmt_kind_of(s) != IRL_STMT_SEQ) printf("%*s", indent, "");
    switch (irl_stmt_kind_of(s)) {
    case IRL_STMT_SEQ:
        for (k = 0; k < irl_stmt_child_count(s); k++) print_stmt(irl_stmt_child(s, k), indent);
        return;
    case IRL_STMT_FOR: /* a parallel loop may run in any order, so also in this one */
        put("for $ in range($, $ + $):\n", irl_stmt_var(s), irl_stmt_min(s), irl_stmt_min(s),
            irl_stmt_extent(s));
        print_stmt(irl_stmt_body(s), indent + 4);
        return;
    case IRL_STMT_IF:
        put("if $:\n", irl_stmt_condition(s));
        print_stmt(irl_stmt_then(s), indent + 4);
        if (irl_stmt_else(s)) refused = "else";
        return;
    case IRL_STMT_LET: put("$ = $\n", irl_stmt_var(s), irl_stmt_value(s)); return;
    case IRL_STMT_STORE:
        put("@[$] = $\n", irl_buffer_name(b), irl_stmt_arg(s, 0), irl_stmt_value(s));
        return;
    case IRL_STMT_ALLOC:
        put("@ = [0] * $\n", irl_buffer_name(b), irl_buffer_extent(b, 0));
        return;
    case IRL_STMT_DECL: /* a view: here another name for the same list */
        put("@ = $\n", irl_buffer_name(b), irl_buffer_pointer(b));
        return;
    case IRL_STMT_LAUNCH:
        put("@(", irl_stmt_name(s));
        for (k = 0; k < irl_stmt_arg_count(s); k++) put(k ? ", $" : "$", irl_stmt_arg(s, k));
        put(")\n");
        return;
    default: refused = "a statement";
    }
}

static void print_func(const irl_func *f)
{
    int k;
    put("def @(", irl_func_name(f));
    for (k = 0; k < irl_func_param_count(f); k++) put(k ? ", @" : "@", irl_func_param_name(f, k));
    put("):\n");
    print_stmt(irl_func_body(f), 4);
    put("\n");
}

/* ------------------------------------------------------------------ a module to print */

IRL_LAYOUT(blocked, (i, c), (c / 4, i, c % 4));
IRL_KERNEL(mirror, (x: f32[3, 6], y: f32[3, 6]) {
    alloc t: f32[3, 6];
    for (i: 3, c: 6) t[i, c] = max(x[i, c], 0.0f);
    for (i: 3, c: 6) y[i, c] = t[i, c] + x[i, 5 - c];
});

int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_func_set_layout(irl_kernel(cx, &mirror), "y", irl_layout(cx, &blocked));
    irl_target  python; /* zero: no vectors, no images */
    irl_module *m;
    int         k;

    memset(&python, 0, sizeof python);
    python.name = "python";
    python.serial = python.int64 = 1;
    python.buffer_bytes = INT64_MAX;
    m = irl_func_lower(f, irl_target_new(cx, &python));
    for (k = 0; k < irl_module_kernel_count(m); k++) print_func(irl_module_kernel(m, k));
    if (m) print_func(irl_module_host(m));
    if (!irl_ok(cx)) puts(irl_diag_text(cx));
    if (refused) printf("# no Python for %s\n", refused);
    irl_ctx_destroy(cx);
    return refused != NULL;
}
