/* emit_stmt.c - statements: sequences, loops, branches, lets.

   needs     lowered bodies: no blocks; emit_prepare.c, emit_memory.c, emit_image.c */
#include "emit.h"

/* ------------------------------------------------------------------ statements */

void irl__emit_block(irl__emit *e, const irl_stmt *s)
{
    irl__emit_scope scope = irl__emit_scope_begin(e);
    int             facts = irl__facts_mark(e->ranges);
    irl__emit_open_brace(e);
    irl__emit_stmt(e, s);
    e->indent--;
    irl__facts_release(e->ranges, facts);
    irl__emit_scope_end(e, scope);
}

void irl__emit_let(irl__emit *e, const irl_stmt *s)
{
    irl__emit_scope scope = irl__emit_scope_begin(e);
    irl__emit_prepare(e, s->u.let.value);
    irl__emit_declare(e, s->u.let.var, s->u.let.var->u.name, s->u.let.value);
    irl__emit_forget(e, scope, s->u.let.var);
}

/* `for (uint i = 0u; i < 64u; i++) {`. The variable reaches the end itself when the loop is over,
   so its type holds that. */
static int irl__stmt_is_spread(const irl__emit *e, const irl_stmt *s)
{
    return s->u.loop.kind == IRL_PARALLEL && e->language->parallel && !e->in_parallel;
}

static void irl__stmt_loop_head(irl__emit *e, const irl_stmt *s, const irl_expr *end,
                                irl__emit_symbol *symbol)
{
    const irl_expr *var = s->u.loop.var, *min = s->u.loop.min;
    irl__interval   r = irl__range_of(e->ranges, min);
    irl__width      compared = irl__emit_width(e, end, min);
    r.hi = irl__range_of(e->ranges, end).hi;
    if (r.hi < r.lo) r.hi = r.lo;
    symbol->width = irl__emit_width_of(e, end, r);
    if (compared < symbol->width) compared = symbol->width;
    if (s->u.loop.kind == IRL_UNROLLED && e->language->unrolls) {
        irl__emitf(e, "\t#pragma unroll\n");
    }
    for (int k = 0; k < s->u.loop.annotation_count && e->language->unrolls; k++) {
        const irl__annotation *note = &s->u.loop.annotations[k];
        if (strcmp(note->key, IRL__NOTE_UNROLL) == 0 && note->value &&
            note->value->op == IRL_OP_INT && s->u.loop.kind == IRL_SERIAL)
            irl__emitf(e, "\t#pragma unroll %l\n", note->value->u.i);
    }
    if (irl__stmt_is_spread(e, s)) irl__text_puts(&e->text, e->language->parallel);
    irl__emitf(e, "\tfor (%s %s = ", e->language->index_types[symbol->width], symbol->name);
    irl__emit_first(e, min, symbol->width, compared);
    irl__text_puts(&e->text, "; ");
    irl__emit_index(e, var, compared, IRL__PREC_SUM);
    irl__text_puts(&e->text, " < ");
    irl__emit_index(e, end, compared, IRL__PREC_SUM);
    irl__textf(&e->text, "; %s++", symbol->name);
    irl__emit_cursors_step(e, var);
    irl__text_puts(&e->text, ") {\n");
}

static void irl__stmt_loop(irl__emit *e, const irl_stmt *s)
{
    const irl_expr *var = s->u.loop.var, *min = s->u.loop.min, *end = s->u.loop.extent;
    irl__emit_scope outer = irl__emit_scope_begin(e), inner;
    int             is_spread = irl__stmt_is_spread(e, s);
    irl__emit_prepare(e, min);
    if (!irl__is_int(min, 0)) end = irl__simplify_alone(e->cx, irl__add(e->cx, min, end));
    if (!end) return;
    /* What the loop compares with is evaluated once where that may cost or change. */
    irl__emit_prepare(e, end);
    if (end->flags & IRL__HAS_MEMORY) irl__emit_temporary(e, end, "end");
    /* the variable's scope is the loop; what was frozen stays declared behind it */
    inner = irl__emit_scope_begin(e);
    const char       *name = irl__emit_take_name(e, var->u.name);
    irl__emit_symbol *symbol = name ? irl__emit_bind(e, var, name) : NULL;
    if (!symbol) return;
    irl__bind_extent(e->ranges, var, min, s->u.loop.extent);
    if (!is_spread) {
        /* Lines before the loop: the pointers that move with it. */
        ptrdiff_t k = stbds_arrlen(e->cursors);
        for (irl__emit_cursors_open(e, s); k < stbds_arrlen(e->cursors); k++) {
            irl__emit_line(e);
            irl__emit_cursor_declared(e, &e->cursors[k]);
        }
    }
    irl__stmt_loop_head(e, s, end, symbol);
    e->in_parallel |= is_spread;
    irl__emit_block(e, s->u.loop.body);
    if (is_spread) e->in_parallel = 0;
    irl__emitf(e, "\t}\n");
    irl__emit_cursors_close(e, var);
    irl__emit_scope_end(e, inner);
    irl__emit_forget(e, outer, NULL);
}

static void irl__stmt_for(irl__emit *e, const irl_stmt *s)
{
    const irl_expr *extent = s->u.loop.extent;
    if (s->u.loop.kind == IRL_BOUND) {
        if (irl__emit_bound(e, s)) irl__emit_stmt(e, s->u.loop.body);
        return;
    }
    if (extent->op == IRL_OP_INT && extent->u.i <= 0) return;
    if (irl__is_int(extent, 1)) {
        /* A loop variable that takes one value is a constant. */
        irl__emit_declare(e, s->u.loop.var, s->u.loop.var->u.name, s->u.loop.min);
        irl__emit_stmt(e, s->u.loop.body);
    } else irl__stmt_loop(e, s);
}

void irl__emit_item(irl__emit *e, irl_axis axis, irl__width width)
{
    const irl__emit_language *l = e->language;
    const char *const         type = l->index_types[width];
    int                       precedence = IRL__PREC_UNARY;
    const int opened = strcmp(type, l->item_type) != 0 && irl__emit_cast(e, type, &precedence);
    irl__text_puts(&e->text, l->items[(int)axis]);
    irl__emit_close(e, opened);
}

int irl__emit_bound(irl__emit *e, const irl_stmt *s)
{
    const irl_expr *var = s->u.loop.var, *min = s->u.loop.min;
    const char     *name = irl__emit_take_name(e, var->u.name);
    irl__interval   extent = irl__range_of(e->ranges, s->u.loop.extent);
    if (!name || !irl__bind_extent(e->ranges, var, min, s->u.loop.extent)) return 0;
    if (extent.lo == extent.hi && extent.hi <= 0) extent.hi = 1;
    const irl__width width =
        irl__range_of(e->ranges, min).lo == 0 && extent.hi <= (int64_t)UINT32_MAX
            ? IRL__WIDTH_UINT
            : irl__emit_width_of(e, s->u.loop.extent, irl__range_of(e->ranges, var));
    irl__emit_symbol *symbol = irl__emit_bind(e, var, name);
    if (!symbol) return 0;
    symbol->width = width;
    symbol->start = e->text.length;
    irl__emitf(e, "\tconst %s %s = ", e->language->index_types[width], name);
    if (irl__is_int(s->u.loop.extent, 1)) irl__emit_index(e, min, width, IRL__PREC_CHOICE);
    else {
        if (!irl__is_int(min, 0)) {
            irl__emit_index(e, min, width, IRL__PREC_SUM);
            irl__text_puts(&e->text, " + ");
        }
        irl__emit_item(e, s->u.loop.axis, width);
    }
    irl__text_puts(&e->text, ";\n");
    symbol->end = e->text.length; /* from here on it is used, or dropped */
    return 1;
}

/* One arm of a branch, with what its condition says about ranges; `holds` 0 for the else arm. */
static void irl__stmt_arm(irl__emit *e, const irl_expr *condition, int holds, const irl_stmt *body)
{
    int mark = irl__facts_mark(e->ranges);
    irl__emit_assume(e, condition, holds);
    irl__emit_block(e, body);
    irl__facts_release(e->ranges, mark);
}

/* `if (...) {`, both arms and what closes them; the line has begun. */
static void irl__stmt_if_arms(irl__emit *e, const irl_stmt *s)
{
    const irl_expr *condition = s->u.branch.condition;
    const irl_stmt *else_ = s->u.branch.else_;
    irl__emitf(e, "if (%e) {\n", condition);
    irl__stmt_arm(e, condition, 1, s->u.branch.then_);
    irl__emit_line(e);
    /* Whether s may stand behind `else` as it is: its condition needs no declaration. */
    if (else_ && else_->kind == IRL__IF && !(else_->u.branch.condition->flags & IRL__HAS_LET) &&
        else_->u.branch.condition->depth < IRL__EMIT_DEEP) {
        int facts = irl__facts_mark(e->ranges);
        irl__emit_assume(e, condition, 0);
        irl__text_puts(&e->text, "} else ");
        irl__stmt_if_arms(e, else_);
        irl__facts_release(e->ranges, facts);
        return;
    }
    if (else_) {
        irl__text_puts(&e->text, "} else {\n");
        irl__stmt_arm(e, condition, 0, else_);
        irl__emit_line(e);
    }
    irl__text_puts(&e->text, "}\n");
}

static void irl__stmt_evaluate(irl__emit *e, const irl_stmt *s)
{
    irl__emit_scope scope = irl__emit_scope_begin(e);
    if (!(s->u.evaluate.value->flags & IRL__HAS_MEMORY)) return; /* nothing that could be seen */
    irl__emit_prepare(e, s->u.evaluate.value);
    irl__emitf(e, "\t%e;\n", s->u.evaluate.value);
    irl__emit_forget(e, scope, NULL);
}

/* Only the interpreter and the host stop where an assertion is false: a kernel has no way to. */
static void irl__stmt_assert(irl__emit *e, const irl_stmt *s)
{
    irl__emitf(e, "\t/* asserted: ");
    irl__emit_comment(&e->text, s->u.check.message ? s->u.check.message : "");
    irl__text_puts(&e->text, " */\n");
}

void irl__emit_stmt(irl__emit *e, const irl_stmt *s)
{
    irl_loc outer = e->cx->here;
    int     k;
    if (!irl__ok(e->cx)) return;
    if (s->loc.source) e->cx->here = s->loc;
    if (!e->language->stmt || !e->language->stmt(e, s)) {
        switch ((irl__stmt_kind)s->kind) {
        case IRL__SEQ:
            for (k = 0; k < s->u.seq.count; k++) irl__emit_stmt(e, s->u.seq.stmts[k]);
            break;
        case IRL__FOR: irl__stmt_for(e, s); break;
        case IRL__IF: {
            irl__emit_scope scope = irl__emit_scope_begin(e);
            irl__emit_prepare(e, s->u.branch.condition);
            irl__emit_line(e);
            irl__stmt_if_arms(e, s);
            irl__emit_forget(e, scope, NULL);
        } break;
        case IRL__LET: irl__emit_let(e, s); break;
        case IRL__ASSUME: irl__emit_assume(e, s->u.check.condition, 1); break;
        case IRL__ASSERT: irl__stmt_assert(e, s); break;
        case IRL__STORE: irl__emit_store(e, s); break;
        case IRL__ALLOC: irl__emit_alloc(e, s); break;
        case IRL__DECL: break; /* an alias is its memory; accesses see to the type */
        case IRL__BARRIER:
            irl__emitf(e, e->language->barriers[s->u.barrier.scope != IRL_SCOPE_SHARED]);
            break;
        case IRL__EVALUATE:
            if (irl__texel_call_of(s->u.evaluate.value) != IRL__TEXEL_STORE)
                irl__stmt_evaluate(e, s);
            else irl__emit_texel_store(e, s);
            break;
        case IRL__ATTR: irl__emit_stmt(e, s->u.attr.body); break;
        case IRL__BLOCK:
            irl__fail(e->cx, IRL_ERROR_BAD_STAGE, s->loc,
                      "block '%s' is not lowered: %s has no blocks", s->u.block->name,
                      e->language->name);
            break;
        case IRL__LAUNCH:
            irl__fail(e->cx, IRL_ERROR_BAD_STRUCTURE, s->loc,
                      "a launch belongs in the host function, not in a kernel");
            break;
        case IRL__STMT_KIND_COUNT: break;
        }
    }
    e->cx->here = outer;
}
