/* stmt.c - making statements.

   needs     expr.c, buffer.c, fields.c
   promises  loops and blocks get an id that passes keep; a statement that nests too deep is refused
             here, once */
#include "ir.h"

static const char *const irl_axis_texts[] = { "group.x",  "group.y",  "group.z",
                                               "local.x",  "local.y",  "local.z",
                                               "global.x", "global.y", "global.z" };
static const char *const irl_for_kind_texts[] = { "", "parallel", "vectorized", "unrolled",
                                                   "bind" };

const char *irl_axis_text(irl_axis axis)
{
    return (unsigned)axis < (unsigned)IRL__AXIS_COUNT ? irl_axis_texts[axis] : "?";
}

int irl__axes_ok(irl_ctx *cx, irl_loc where, unsigned bound)
{
    for (int d = 0; d < 3; d++) {
        const int other = (int)(bound >> (IRL_GROUP_X + d) & 1 ? IRL_GROUP_X : IRL_LOCAL_X) + d;
        if (bound >> (IRL_GLOBAL_X + d) & 1 && bound >> other & 1)
            return irl__fail(cx, IRL_ERROR_UNSUPPORTED, where,
                             "loops are bound to %s and to %s; bind only one of the two in a "
                             "dimension",
                             irl_axis_text((irl_axis)(IRL_GLOBAL_X + d)),
                             irl_axis_text((irl_axis)other));
    }
    return 1;
}
static const char *irl__stmt_axis_at(int k)
{
    return k < (int)IRL__AXIS_COUNT ? irl_axis_texts[k] : NULL;
}

int irl__axis_named(irl_ctx *cx, irl_code code, irl_loc where, const char *name, irl_axis *axis)
{
    irl__near nearest;
    for (int k = 0; k < (int)IRL__AXIS_COUNT; k++)
        if (strcmp(irl_axis_texts[k], name) == 0) {
            *axis = (irl_axis)k;
            return 1;
        }
    irl__near_of(&nearest, name, irl__stmt_axis_at);
    return irl__fail(cx, code, where,
                     "'%s' is not a thread axis: group, local and global each have .x, .y and .z%s",
                     name, irl__near_said(&nearest));
}

const char *irl_for_kind_text(irl_for_kind kind)
{
    return (unsigned)kind <= (unsigned)IRL_BOUND ? irl_for_kind_texts[kind] : "?";
}

/* ------------------------------------------------------------------ what annotations say */

typedef struct irl__stmt_key {
    const char *key;
    int         of_func;
    const char *values[3], *without;
} irl__stmt_key;

static const irl__stmt_key irl__stmt_keys[] = {
    { IRL__ATTR_NUMBERS, 1, { "strict", "free", NULL }, "a * b + c may be rounded once" },
    { IRL__NOTE_ORDER, 0, { "free", NULL, NULL }, "the order of a reduction stays" },
};

int irl__note_check(irl_ctx *cx, irl_loc where, int of_func, const irl__annotation *a)
{
    for (size_t k = 0; k < IRL__COUNTOF(irl__stmt_keys); k++) {
        const irl__stmt_key *row = &irl__stmt_keys[k];
        if (row->of_func != of_func || strcmp(row->key, a->key) != 0) continue;
        for (int j = 0; row->values[j]; j++)
            if (a->text && strcmp(a->text, row->values[j]) == 0) return 1;
        char      values[64];
        irl__text list;
        irl__near nearest;
        irl__text_init_fixed(&list, values, sizeof values);
        irl__near_begin(&nearest, a->text ? a->text : "", a->text ? strlen(a->text) : 0);
        for (int i = 0; row->values[i]; i++) {
            irl__textf(&list, "%s\"%s\"", i ? " or " : "", row->values[i]);
            irl__near_try(&nearest, row->values[i], strlen(row->values[i]));
        }
        return irl__fail(cx, IRL_ERROR_BAD_ARGUMENT, where,
                         "%s is %s, or not stated: then %s; found %s%s%s%s", row->key, values,
                         row->without, a->text ? "\"" : "a number", a->text ? a->text : "",
                         a->text ? "\"" : "", irl__near_said(&nearest));
    }
    return 1;
}

irl_stmt *irl__stmt_new(irl_ctx *cx, irl__stmt_kind kind, irl_loc loc)
{
    if (!cx || !irl__ok(cx)) return NULL;
    irl_stmt *s = IRL__NEW(cx, irl_stmt, 1);
    if (!s) return NULL;
    s->kind = (uint8_t)kind;
    s->depth = 1;
    s->holds = 1u << kind;
    s->loc = loc.source ? loc : cx->here; /* what replaces a statement stands in its place */
    if (kind == IRL__FOR || kind == IRL__BLOCK) s->id = cx->next_id++;
    return s;
}

irl_stmt *irl__stmt_copy(irl_ctx *cx, const irl_stmt *s)
{
    return s ? IRL__COPY(cx, irl_stmt, s, 1) : NULL;
}

irl_stmt *irl__block_copy(irl_ctx *cx, const irl_stmt *block, irl__block_data **data)
{
    irl_stmt *copy = irl__stmt_copy(cx, block);
    *data = copy ? IRL__COPY(cx, irl__block_data, block->u.block, 1) : NULL;
    if (*data) copy->u.block = *data;
    return *data ? copy : NULL;
}

const irl_stmt *irl__block_with(irl_ctx *cx, const irl_stmt *block, const irl_expr *predicate,
                                const irl_stmt *body)
{
    irl__block_data *data;
    irl_stmt        *copy = body ? irl__block_copy(cx, block, &data) : NULL;
    if (!copy || !irl__ok(cx)) return NULL;
    data->predicate = predicate;
    data->body = body;
    return irl__stmt_finish(cx, copy);
}

irl_stmt *irl__block_new(irl_ctx *cx, irl_loc loc, const irl__block_data *of,
                         irl__block_data **data)
{
    irl_stmt *s = irl__stmt_new(cx, IRL__BLOCK, loc);
    *data = s ? IRL__COPY(cx, irl__block_data, of, 1) : NULL;
    if (*data) s->u.block = *data;
    return *data ? s : NULL;
}

irl__axis *irl__block_axes(irl_ctx *cx, irl__block_data *data, int more)
{
    irl__axis *axes = IRL__NEW(cx, irl__axis, data->axis_count + more);
    if (axes && data->axis_count)
        memcpy(axes, data->axes, (size_t)data->axis_count * sizeof *axes);
    data->axes = axes;
    return axes;
}

static unsigned irl__holds_memory(const irl_buffer *b)
{
    return (b->scope == IRL_SCOPE_SHARED ? (unsigned)IRL__HOLDS_SHARED : 0) |
           (irl__scope_is_image(b->scope) ? (unsigned)IRL__HOLDS_IMAGE : 0);
}

int irl__stmt_is_handle(const irl_stmt *s)
{
    return s->kind == IRL__LET && s->u.let.value && s->u.let.value->op == IRL_OP_CALL_EXTERN &&
           s->u.let.value->type.is_pointer;
}

/* Of the statement itself. */
static unsigned irl__holds_own(const irl_stmt *s)
{
    unsigned set = 1u << s->kind;
    int      k;
    if (s->kind == IRL__FOR) {
        set |= (unsigned)IRL__HOLDS_LOOP << s->u.loop.kind;
        if (s->u.loop.kind == IRL_BOUND && s->u.loop.axis >= IRL_GLOBAL_X) set |= IRL__HOLDS_GLOBAL;
        if (irl__stmt_is_scheduled(s)) set |= IRL__HOLDS_SCHEDULED;
    }
    if (s->kind == IRL__ALLOC) set |= irl__holds_memory(s->u.alloc.buffer);
    if (irl__stmt_is_handle(s)) set |= IRL__HOLDS_HANDLE;
    if (s->kind != IRL__BLOCK) return set;
    for (k = 0; k < s->u.block->alloc_count; k++) set |= irl__holds_memory(s->u.block->allocs[k]);
    for (k = 0; k < s->u.block->axis_count; k++)
        if (s->u.block->axes[k].is_unstated) set |= IRL__HOLDS_UNSTATED;
    if (s->u.block->read_count || s->u.block->write_count) set |= IRL__HOLDS_REGIONS;
    return s->u.block->match_count ? set | IRL__HOLDS_MATCH : set;
}

const char *irl__stmt_label(const irl_stmt *s)
{
    if (s->kind != IRL__FOR || !s->u.loop.annotation_count) return NULL;
    const irl__annotation *last = &s->u.loop.annotations[s->u.loop.annotation_count - 1];
    return strcmp(last->key, IRL__NOTE_LABEL) == 0 && last->text && last->text[0] ? last->text
                                                                                  : NULL;
}

static int irl__note_is_scheduled(const irl__annotation *note)
{
    return strcmp(note->key, IRL__NOTE_SCHEDULED) == 0;
}

int irl__stmt_loop_runs(const irl_stmt *loop)
{
    return loop->u.loop.extent->op == IRL_OP_INT && loop->u.loop.extent->u.i >= 1;
}

int irl__stmt_is_items(const irl_stmt *s)
{
    return s->kind == IRL__FOR && s->u.loop.kind == IRL_BOUND && s->u.loop.axis >= IRL_LOCAL_X &&
           s->u.loop.axis <= IRL_LOCAL_Z;
}

int irl__stmt_shares(const irl_stmt *loop, const irl_buffer *b)
{
    return b->scope == IRL_SCOPE_SHARED && irl__stmt_is_items(loop);
}

int irl__stmt_is_scheduled(const irl_stmt *s)
{
    for (int k = 0; s->kind == IRL__FOR && k < s->u.loop.annotation_count; k++)
        if (irl__note_is_scheduled(&s->u.loop.annotations[k])) return 1;
    return 0;
}

int irl__stmt_is_free(const irl_stmt *s)
{
    return s->kind == IRL__FOR && !irl__stmt_is_scheduled(s) &&
           !irl__stmt_holds(s, IRL__HOLDS_BOUND | IRL__HOLDS_VECTORIZED | IRL__HOLDS_UNROLLED);
}

int irl__stmt_has_free(const irl_stmt *body)
{
    for (int k = 0; k < irl__stmt_count(body); k++)
        if (irl__stmt_is_free(irl__stmt_at(body, k))) return 1;
    return 0;
}

const irl_stmt *irl__stmt_set_scheduled(irl_ctx *cx, const irl_stmt *loop, int is_scheduled)
{
    int              k, count = 0;
    if (irl__stmt_is_scheduled(loop) == is_scheduled) return loop;
    irl_stmt *copy = irl__stmt_copy(cx, loop);
    irl__annotation *list = IRL__NEW(cx, irl__annotation, loop->u.loop.annotation_count + 1);
    if (!copy || !list) return NULL;
    if (is_scheduled) { /* in front: a label is the last one */
        list[0].key = irl__namez(cx, IRL__NOTE_SCHEDULED);
        list[0].value = irl_expr_index(cx, 1);
        list[0].text = NULL;
        if (!list[0].key || !list[0].value) return NULL;
        count = 1;
    }
    for (k = 0; k < loop->u.loop.annotation_count; k++)
        if (!irl__note_is_scheduled(&loop->u.loop.annotations[k]))
            list[count++] = loop->u.loop.annotations[k];
    copy->u.loop.annotations = list;
    copy->u.loop.annotation_count = count;
    return irl__stmt_finish(cx, copy);
}

/* A loop of our own, with these parts; NULL: one of them is, or the loop. */
static const irl_stmt *irl__stmt_loop_set(irl_ctx *cx, irl_stmt *loop, const irl_expr *var,
                                          const irl_expr *min, const irl_expr *extent,
                                          const irl_stmt *body)
{
    if (!loop || !var || !min || !extent || !body) return NULL;
    loop->u.loop.var = var;
    loop->u.loop.min = min;
    loop->u.loop.extent = extent;
    loop->u.loop.body = body;
    return irl__stmt_finish(cx, loop);
}

const irl_stmt *irl__loop_for(irl_ctx *cx, irl_loc loc, irl_for_kind kind, irl_axis axis,
                              const irl_expr *var, const irl_expr *min, const irl_expr *extent,
                              const irl_stmt *body)
{
    irl_stmt *made = irl__stmt_new(cx, IRL__FOR, loc);
    if (!made) return NULL;
    made->u.loop.kind = kind;
    made->u.loop.axis = axis;
    return irl__stmt_loop_set(cx, made, var, min, extent, body);
}

const irl_stmt *irl__stmt_loop_as(irl_ctx *cx, const irl_stmt *loop, irl_for_kind kind,
                                  irl_axis axis, const irl_stmt *body)
{
    irl_stmt *copy = body ? irl__stmt_copy(cx, loop) : NULL;
    if (!copy) return NULL;
    copy->u.loop.kind = kind;
    copy->u.loop.axis = axis;
    copy->u.loop.body = body;
    return irl__stmt_finish(cx, copy);
}

const irl_stmt *irl__stmt_loop_over(irl_ctx *cx, const irl_stmt *loop, const irl_expr *var,
                                    const irl_expr *min, const irl_expr *extent,
                                    const irl_stmt *body)
{
    return irl__stmt_loop_set(cx, irl__stmt_copy(cx, loop), var, min, extent, body);
}

const irl_stmt *irl__stmt_loop_new(irl_ctx *cx, const irl_stmt *like, int has_notes,
                                   const irl_expr *var, const irl_expr *min,
                                   const irl_expr *extent, const irl_stmt *body)
{
    irl_stmt *made = irl__stmt_new(cx, IRL__FOR, like->loc);
    if (!made) return NULL;
    made->u.loop = like->u.loop;
    if (!has_notes) made->u.loop.annotation_count = 0;
    return irl__stmt_loop_set(cx, made, var, min, extent, body);
}

const irl_stmt *irl__stmt_then(irl_ctx *cx, const irl_stmt *a, const irl_stmt *b)
{
    const int n = a ? irl__stmt_count(a) : 0, count = n + (b ? irl__stmt_count(b) : 0);
    const irl_stmt **list = IRL__NEW(cx, const irl_stmt *, count);
    for (int k = 0; list && a && b && k < count; k++)
        list[k] = k < n ? irl__stmt_at(a, k) : irl__stmt_at(b, k - n);
    return list && a && b ? irl__stmt_seq(cx, count, list) : NULL;
}

const irl_expr *irl__stmt_next_fact(const irl_stmt *body, int *k)
{
    while (*k < irl__stmt_count(body)) {
        const irl_stmt *s = irl__stmt_at(body, (*k)++);
        if (s->kind == IRL__ASSUME || s->kind == IRL__ASSERT) return s->u.check.condition;
        if (s->kind != IRL__LET && s->kind != IRL__ALLOC && s->kind != IRL__DECL) break;
    }
    return NULL;
}

int irl__stmt_holds(const irl_stmt *s, unsigned set) { return (s->holds & set) != 0; }

const irl_stmt *irl__stmt_finish(irl_ctx *cx, irl_stmt *s)
{
    if (!s || !irl__ok(cx)) return NULL;
    s->depth = 0;
    s->holds = irl__holds_own(s);
    const irl_stmt *part;
    for (int k = 0; (part = irl__stmt_part(s, k)) != NULL; k++) {
        if (part->depth > s->depth) s->depth = part->depth;
        s->holds |= part->holds;
    }
    if (s->depth >= IRL_MAX_DEPTH) {
        irl__fail(cx, IRL_ERROR_TOO_DEEP, s->loc, "statements nest deeper than %d", IRL_MAX_DEPTH);
        return NULL;
    }
    s->depth++;
    return s;
}

const irl_expr *irl__loop_axis(irl_ctx *cx, const irl_expr *var, const irl_expr *min,
                               const irl_expr *extent, irl__axis *out)
{
    memset(out, 0, sizeof *out);
    out->var = irl_expr_var(cx, irl__format(cx, "v%s", var->u.name), var->type);
    out->extent = extent;
    out->binding = irl__is_int(min, 0) ? var : irl__sub(cx, var, min);
    if (!out->var || !out->binding) return NULL;
    return irl__is_int(min, 0) ? out->var : irl__add(cx, out->var, min);
}

const irl_stmt *irl__stmt_nest(irl_ctx *cx, int count, const irl_expr *const *vars,
                               const irl_expr *const *extents, const irl_stmt *body)
{
    while (body && count-- > 0)
        if (vars[count])
            body = irl_stmt_for(cx, IRL_SERIAL, vars[count], irl_expr_index(cx, 0), extents[count],
                                body);
    return body;
}

/* ------------------------------------------------------------------ sequences */

static int irl__stmt_declares(const irl_stmt *s)
{
    return s->kind == IRL__LET || s->kind == IRL__ALLOC || s->kind == IRL__DECL;
}

/* A nested sequence may be spliced in if what it declares would not reach further than before: it
   declares nothing, or stands for the declaration `was`. */
static int irl__stmt_splices(const irl_stmt *s, const irl_stmt *was)
{
    if (s->kind != IRL__SEQ) return 0;
    for (int k = 0; !irl__stmt_declares(was) && k < s->u.seq.count; k++)
        if (irl__stmt_declares(s->u.seq.stmts[k])) return 0;
    return 1;
}

const irl_stmt *irl__stmt_seq_of(irl_ctx *cx, int count, const irl_stmt *const *stmts,
                                 const irl_stmt *const *was)
{
    int              k, j, total = 0;
    if (!irl__is_list(cx, "statements", count, stmts)) return NULL;
    for (k = 0; k < count; k++) {
        if (!stmts[k]) return NULL;
        total += irl__stmt_splices(stmts[k], was[k]) ? stmts[k]->u.seq.count : 1;
    }
    if (count == 1 && !irl__stmt_declares(stmts[0])) return stmts[0];
    const irl_stmt **list = IRL__NEW(cx, const irl_stmt *, total);
    irl_stmt *s = irl__stmt_new(cx, IRL__SEQ, count ? stmts[0]->loc : irl__nowhere());
    if (!list || !s) return NULL;
    for (total = k = 0; k < count; k++) {
        if (!irl__stmt_splices(stmts[k], was[k])) list[total++] = stmts[k];
        else for (j = 0; j < stmts[k]->u.seq.count; j++) list[total++] = stmts[k]->u.seq.stmts[j];
    }
    if (total == 1 && !irl__stmt_declares(list[0])) return list[0]; /* the others were empty */
    s->u.seq.count = total;
    s->u.seq.stmts = list;
    return irl__stmt_finish(cx, s);
}

const irl_stmt *irl__stmt_seq(irl_ctx *cx, int count, const irl_stmt *const *stmts)
{
    return irl__stmt_seq_of(cx, count, stmts, stmts);
}

const irl_expr *irl__stmt_named(irl_ctx *cx, const char *name, const irl_expr *e, int may_stay,
                                const irl_stmt ***list)
{
    if (!e || may_stay) return e;
    const irl_expr *var = irl_expr_var(cx, name, e->type);
    const irl_stmt *let = irl_stmt_let(cx, var, e);
    return let && IRL__PUSH_SCRATCH(cx, *list, let) ? var : NULL;
}

const irl_stmt *irl__stmt_empty(irl_ctx *cx) { return irl__stmt_seq(cx, 0, NULL); }
const irl_stmt *irl_stmt_seq(irl_ctx *cx, int count, const irl_stmt *const *stmts)
{
    return irl__stmt_seq(cx, count, stmts);
}

/* ------------------------------------------------------------------ the others */

const irl_stmt *irl__stmt_store(irl_ctx *cx, const irl_buffer *b, const irl_expr *value, int rank,
                                const irl_expr *const *indices, irl_loc loc)
{
    /* the load at the same place has the type that the value must have */
    const irl_expr *place = irl__expr_load(cx, b, rank, indices, loc);
    irl_stmt       *s = place && value ? irl__stmt_new(cx, IRL__STORE, loc) : NULL;
    if (!s) return NULL;
    if (!irl_type_equal(place->type, value->type)) {
        irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, loc, "'%s' at these indices holds %s; found %s",
                  b->name, irl__type_cstr(cx, place->type), irl__type_cstr(cx, value->type));
        return NULL;
    }
    s->u.store.buffer = b;
    s->u.store.value = value;
    s->u.store.indices = place->a;
    return s;
}

const irl_stmt *irl_stmt_store(irl_ctx *cx, const irl_buffer *buffer, const irl_expr *value,
                               int rank, const irl_expr *const *indices)
{
    return irl__stmt_store(cx, buffer, value, rank, indices, irl__nowhere());
}

static int irl__stmt_is_index(irl_ctx *cx, const irl_expr *e, const char *what)
{
    if (!e) return 0;
    if (irl__is_index(e)) return 1;
    return IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "%s must be an index; found %s", what,
                     irl__type_cstr(cx, e->type));
}

static int irl__stmt_is_loop(irl_ctx *cx, irl_for_kind kind, const irl_expr *var)
{
    if ((unsigned)kind > (unsigned)IRL_BOUND)
        return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no kind of loop %d", (int)kind);
    if (!var || var->op == IRL_OP_VAR) return var != NULL;
    return IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a loop needs a variable (irl_expr_var)");
}

static const irl_stmt *irl__stmt_for_of(irl_ctx *cx, irl_for_kind kind, const irl_expr *var,
                                        const irl_expr *min, const irl_expr *extent,
                                        const irl_stmt *body)
{
    if (!cx || !body || !irl__stmt_is_loop(cx, kind, var) ||
        !irl__stmt_is_index(cx, var, "a loop variable") ||
        !irl__stmt_is_index(cx, min, "a loop's start") ||
        !irl__stmt_is_index(cx, extent, "a loop's extent"))
        return NULL;
    return irl__loop_for(cx, irl__nowhere(), kind, IRL_GROUP_X, var, min, extent, body);
}

const irl_stmt *irl_stmt_for(irl_ctx *cx, irl_for_kind kind, const irl_expr *var,
                             const irl_expr *min, const irl_expr *extent, const irl_stmt *body)
{
    if (kind != IRL_BOUND) return irl__stmt_for_of(cx, kind, var, min, extent, body);
    if (cx)
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "a bound loop says to which axis it is bound "
                  "(irl_stmt_for_bound)");
    return NULL;
}

const irl_stmt *irl_stmt_for_bound(irl_ctx *cx, irl_axis axis, const irl_expr *var,
                                   const irl_expr *extent, const irl_stmt *body)
{
    const irl_stmt *loop =
        irl__stmt_for_of(cx, IRL_BOUND, var, irl_expr_index(cx, 0), extent, body);
    irl_stmt *s = irl__stmt_copy(cx, loop);
    if (s && (unsigned)axis >= (unsigned)IRL__AXIS_COUNT) {
        IRL__FAIL(cx, IRL_ERROR_BAD_ARGUMENT, "there is no thread axis %d", (int)axis);
        return NULL;
    }
    if (s) s->u.loop.axis = axis;
    return s;
}

static int irl__stmt_is_condition(irl_ctx *cx, const irl_expr *e)
{
    if (!e) return 0;
    if (irl_type_equal(e->type, irl__type_bool(1))) return 1;
    return IRL__FAIL(cx, IRL_ERROR_TYPE_MISMATCH, "a condition must be one bool; found %s",
                     irl__type_cstr(cx, e->type));
}

const irl_stmt *irl_stmt_if(irl_ctx *cx, const irl_expr *condition, const irl_stmt *then_,
                            const irl_stmt *else_)
{
    if (!cx || !then_ || !irl__stmt_is_condition(cx, condition)) return NULL;
    irl_stmt *s = irl__stmt_new(cx, IRL__IF, irl__nowhere());
    if (!s) return NULL;
    s->u.branch.condition = condition;
    s->u.branch.then_ = then_;
    s->u.branch.else_ = else_;
    return irl__stmt_finish(cx, s);
}

const irl_stmt *irl_stmt_let(irl_ctx *cx, const irl_expr *var, const irl_expr *value)
{
    if (!cx || !var || !value || !irl__let_ok(cx, var, value)) return NULL;
    irl_stmt *s = irl__stmt_new(cx, IRL__LET, irl__nowhere());
    if (!s) return NULL;
    s->u.let.var = var;
    s->u.let.value = value;
    return irl__stmt_finish(cx, s);
}

static const irl_stmt *irl__stmt_of_buffer(irl_ctx *cx, irl__stmt_kind kind,
                                           const irl_buffer *buffer)
{
    irl_stmt *s = buffer ? irl__stmt_new(cx, kind, buffer->loc) : NULL;
    if (!s) return NULL;
    s->u.alloc.buffer = buffer;
    return irl__stmt_finish(cx, s);
}

const irl_stmt *irl_stmt_alloc(irl_ctx *cx, const irl_buffer *buffer)
{
    return irl__stmt_of_buffer(cx, IRL__ALLOC, buffer);
}
const irl_stmt *irl_stmt_decl(irl_ctx *cx, const irl_buffer *alias)
{
    return irl__stmt_of_buffer(cx, IRL__DECL, alias);
}

const irl_stmt *irl_stmt_assume(irl_ctx *cx, const irl_expr *condition)
{
    irl_stmt *s = cx && irl__stmt_is_condition(cx, condition)
                      ? irl__stmt_new(cx, IRL__ASSUME, irl__nowhere())
                      : NULL;
    if (s) s->u.check.condition = condition;
    return s;
}

const irl_stmt *irl_stmt_assert(irl_ctx *cx, const irl_expr *condition, const char *message)
{
    return irl_stmt_assert_values(cx, condition, message, 0, NULL);
}

void irl__stmt_message(irl__text *t, const irl_stmt *s, const int64_t *values)
{
    const char *at = s->u.check.message ? s->u.check.message : "";
    int         k = 0;
    for (; *at; at++)
        if (at[0] == '{' && at[1] == '}' && k < s->u.check.value_count) {
            irl__text_int(t, values[k++]);
            at++;
        } else irl__text_putc(t, *at);
}

int irl__stmt_message_ok(irl_ctx *cx, const irl_stmt *s, irl_loc where)
{
    const char *at = s->u.check.message ? s->u.check.message : "";
    int         k, places = 0, count = s->u.check.value_count;
    for (; count && *at; at++) places += at[0] == '{' && at[1] == '}';
    if (count > IRL_MAX_MESSAGE_VALUES || places != count)
        return irl__fail(cx, IRL_ERROR_BAD_STRUCTURE, where,
                         "a message needs one {} for each value, at most %d; found %d for %d "
                         "values",
                         IRL_MAX_MESSAGE_VALUES, places, count);
    for (k = 0; k < count; k++)
        if (!irl__is_index(s->u.check.values[k]))
            return irl__fail(cx, IRL_ERROR_TYPE_MISMATCH, where,
                             "a value in a message is an index; found %s",
                             irl__type_cstr(cx, s->u.check.values[k]->type));
    return 1;
}

const irl_stmt *irl_stmt_assert_values(irl_ctx *cx, const irl_expr *condition, const char *message,
                                       int count, const irl_expr *const *values)
{
    irl_stmt *s = NULL;
    if (!irl__is_list(cx, "values", count, values)) return NULL;
    for (int k = 0; k < count; k++)
        if (!values[k]) return NULL;
    if (irl__stmt_is_condition(cx, condition))
        s = irl__stmt_new(cx, IRL__ASSERT, irl__nowhere());
    if (!s) return NULL;
    s->u.check.condition = condition;
    s->u.check.message = irl__namez(cx, message ? message : "");
    s->u.check.value_count = count > 0 ? count : 0;
    s->u.check.values = IRL__COPY(cx, const irl_expr *, values, s->u.check.value_count);
    if (!s->u.check.message || (count > 0 && !s->u.check.values)) return NULL;
    return irl__stmt_message_ok(cx, s, irl__nowhere()) ? s : NULL;
}

int irl__barrier_ok(irl_ctx *cx, irl_code code, irl_loc where, irl_scope scope)
{
    return scope == IRL_SCOPE_SHARED || scope == IRL_SCOPE_GLOBAL ||
           irl__fail(cx, code, where, "a barrier orders shared or global memory; found %s",
                     irl__scope_text(scope));
}

const irl_stmt *irl_stmt_barrier(irl_ctx *cx, irl_scope scope)
{
    irl_stmt *s = irl__stmt_new(cx, IRL__BARRIER, irl__nowhere());
    if (!s || !irl__barrier_ok(cx, IRL_ERROR_BAD_ARGUMENT, irl__nowhere(), scope)) return NULL;
    s->u.barrier.scope = scope;
    return s;
}

const irl_stmt *irl_stmt_evaluate(irl_ctx *cx, const irl_expr *e)
{
    irl_stmt *s = e ? irl__stmt_new(cx, IRL__EVALUATE, irl__nowhere()) : NULL;
    if (s) s->u.evaluate.value = e;
    return s;
}
