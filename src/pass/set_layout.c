/* set_layout.c - the attribute layout_transform_map, as the user sets it: layouts of buffers, in
   order, with their padding; and the warnings of a function with layouts.

   needs     func.c
   promises  a copy of the function; the pass that applies a layout checks whether it is right */
#include "set.h"

static irl_func *irl__set_layout_add(const irl_func *f, const char *buffer, const irl_map *map,
                                     int assume_injective)
{
    irl__layout *list;
    if (f && !map)
        IRL__FAIL(f->cx, IRL_ERROR_BAD_ARGUMENT, "the layout of '%s' is NULL",
                  buffer ? buffer : "");
    if (!f || !irl__ok(f->cx) || !irl__func_buffer(f, f->loc, buffer)) return NULL;
    if (map->cx != f->cx) {
        IRL__FAIL(f->cx, IRL_ERROR_BAD_ARGUMENT, "the layout of '%s' was made in another context",
                  buffer);
        return NULL;
    }
    list = IRL__NEW(f->cx, irl__layout, f->layout_count + 1);
    irl_func *copy = irl__func_copy(f->cx, f);
    if (!list || !copy) return NULL;
    if (f->layout_count) memcpy(list, f->layouts, (size_t)f->layout_count * sizeof *list);
    list[f->layout_count].buffer = irl__namez(f->cx, buffer);
    list[f->layout_count].map = map;
    list[f->layout_count].assume_injective = assume_injective;
    list[f->layout_count].loc = map->loc;
    copy->layouts = list;
    copy->layout_count = f->layout_count + 1;
    return list[f->layout_count].buffer ? copy : NULL;
}

irl_func *irl_func_set_layout(const irl_func *f, const char *buffer, const irl_map *map)
{
    return irl__set_layout_add(f, buffer, map, 0);
}
irl_func *irl_func_assume_layout(const irl_func *f, const char *buffer, const irl_map *map)
{
    return irl__set_layout_add(f, buffer, map, 1);
}

irl_func *irl_func_set_padding(const irl_func *f, const char *buffer, double value)
{
    irl__layout *list;
    int          k;
    if (!f || !irl__ok(f->cx)) return NULL;
    const irl_buffer *b = irl__func_buffer(f, f->loc, buffer);
    if (!b) return NULL;
    for (k = f->layout_count - 1; k >= 0 && strcmp(f->layouts[k].buffer, buffer) != 0; k--) {}
    if (k < 0) {
        irl__fail(f->cx, IRL_ERROR_BAD_ARGUMENT, b->loc, "'%s' has no layout whose padding could "
                  "be set: irl_func_set_layout comes first", buffer);
        return NULL;
    }
    irl_func *copy = irl__func_copy(f->cx, f);
    list = IRL__COPY(f->cx, irl__layout, f->layouts, f->layout_count);
    if (!copy || !list) return NULL;
    list[k].padding = irl__number(f->cx, b->type, value);
    copy->layouts = list;
    return list[k].padding ? copy : NULL;
}

/* ------------------------------------------------------------------ warnings */

const char *irl__func_said(const irl_func *f, const char *key, const char *buffer)
{
    size_t length = strlen(buffer);
    for (int k = 0; k < f->annotation_count; k++) {
        const irl__annotation *a = &f->annotations[k];
        if (strcmp(a->key, key) != 0 || !a->text ||
            strncmp(a->text, buffer, length) != 0)
            continue;
        if (a->text[length] == '\0' || a->text[length] == ':') return a->text;
    }
    return NULL;
}

/* Behind "x: " of the attribute; NULL where there is none, or only the name. */
static const char *irl__func_heard(const irl_func *f, const char *key, const irl__param *p)
{
    const char *said = p->buffer ? irl__func_said(f, key, p->name) : NULL;
    size_t      length = strlen(p->name);
    return said && said[length] == ':' ? said + length + 2 : NULL;
}

static void irl__func_warn_shared(irl__text *t, const irl__param *p, const char *shared)
{
    irl__textf(t, "warning: '%s' is only read, and its layout maps different points to one cell: "
               "%s. Its caller must pass that memory, ", p->name, shared);
    irl__print_buffer(t, p->buffer);
    irl__textf(t, ". If this is intended, state attr(%s = \"%s\")\n", IRL__ATTR_SHARED, p->name);
}

static void irl__func_warn_padding(irl__text *t, const irl__param *p, const char *spare)
{
    irl__textf(
        t,
        "warning: '%s' is written, and its layout has unused cells: %s. Their value is not stated: "
        "state it by pad(...) next to the layout (irl_func_set_padding), or by attr(%s = \"%s\") "
        "that it does not matter\n",
        p->name, spare, IRL__ATTR_PADDING, p->name);
}

/* In how many extents of parameters the name stands. */
static int irl__func_extents_of(const irl_func *f, const irl_expr *var)
{
    int n = 0;
    for (int k = 0; k < f->param_count; k++)
        for (int axis = 0; axis < f->params[k].logical_rank; axis++)
            n += irl__expr_uses_var(f->params[k].logical_shape[axis], var);
    return n;
}

/* x: f32[rows], y: f32[rwos]: a misspelt name declares itself. It stands in one extent, nowhere in
   the body, and one edit makes another parameter's of it. Names that differ in their last letter
   alone, n_1 and n_2, in_h and in_w, are a row of names, of which none is the other misspelt. */
static void irl__func_ask_name(irl__text *t, const irl_func *f, const irl__param *p)
{
    const char  *nearest = NULL;
    const size_t length = strlen(p->name);
    if (length < 3 || irl__func_extents_of(f, p->var) != 1 ||
        irl__stmt_names(f->body, p->var, NULL))
        return;
    for (int k = 0; k < f->param_count && !nearest; k++) {
        const irl__param *other = &f->params[k];
        int               edits = 2;
        if (other != p && !other->buffer && irl_name_is_nearer(p->name, other->name, &edits) &&
            (strlen(other->name) != length || strncmp(other->name, p->name, length - 1) != 0))
            nearest = other->name;
    }
    if (nearest)
        irl__textf(t,
                   "warning: in '%s', '%s' is the extent of one parameter and is used nowhere "
                   "else; is '%s' meant? If not, declare it as a parameter: %s: index\n",
                   f->name, p->name, nearest, p->name);
}

const char *irl_func_warnings(const irl_func *f)
{
    irl__text t;
    if (!f) return "";
    irl__text_init(&t, f->cx);
    for (int k = 0; k < f->param_count && f->role == IRL_ROLE_PLAIN; k++)
        if (f->params[k].is_implicit) irl__func_ask_name(&t, f, &f->params[k]);
    if (f->role == IRL_ROLE_PLAIN) {
        irl__text_puts(&t, irl__text_or_empty(f->warnings));
        irl__func_warn_wraps(&t, f);
    }
    for (int k = 0; k < f->param_count; k++) {
        const char *heard = irl__func_heard(f, IRL__ATTR_SHARED, &f->params[k]);
        if (heard) irl__func_warn_shared(&t, &f->params[k], heard);
        heard = irl__func_heard(f, IRL__ATTR_PADDING, &f->params[k]);
        if (heard) irl__func_warn_padding(&t, &f->params[k], heard);
    }
    for (int k = 0; k < f->annotation_count; k++)
        if (irl__attr_is_warning(f->annotations[k].key) && f->annotations[k].text)
            irl__textf(&t, "%s\n", f->annotations[k].text);
    return irl__text_or_empty(irl__text_done(&t));
}
